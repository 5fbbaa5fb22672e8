#!/bin/sh
# Says what make builds now: "building 7 of 40: near_misses" where run.sh has counted what is out of date
# ($BUILDING; it shows what is written to file 9), else "building near_misses".
if [ -z "$BUILDING" ]; then
  echo "building $1"
else
  echo "$1" >>build/run/built # the number is that of the own line: two builds at once have two numbers
  echo "building $(grep -nxF "$1" build/run/built | tail -n 1 | cut -d: -f1) of $BUILDING: $1" >&9
fi
