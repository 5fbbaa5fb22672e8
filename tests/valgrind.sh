#!/bin/sh
# The shorter test programs under valgrind: no invalid access, no leak.
cd "$(dirname "$0")" || exit 1
passed=0 failed=0
if ! command -v valgrind >/dev/null 2>&1; then
  echo "valgrind: skipped: not installed"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
mkdir -p build/valgrind
for name in smoke shapes api; do
  if ${CC:-cc} -std=c99 -g -O1 "$name.c" -o "build/valgrind/$name" -pthread -lm >build/valgrind/log 2>&1 &&
    valgrind -q --leak-check=full --error-exitcode=99 "build/valgrind/$name" >build/valgrind/log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$name:"
    tail -n 40 build/valgrind/log
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
