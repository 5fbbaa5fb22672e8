#!/bin/sh
# Builds and runs test programs by name, two at a time ($JOBS), prints what they print with a line for
# each, and closes with the sum of their closing lines. A program that cannot be built or does not close
# is a failure.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
run=${RUN_FOLDER:-build/run} # for what programs print
export RUN_FOLDER="$run"
mkdir -p build

# The command of a name.
command_of() {
  case $1 in
  conformance-reference) echo "build/conformance reference" ;;
  conformance-unaligned) echo "build/conformance unaligned" ;;
  language) echo "build/language_c && build/language_cpp" ;;
  static) echo "build/two_copies" ;;
  docs) echo "sh scripts/docs.sh" ;;
  sources) echo "sh scripts/sources.sh" ;;
  exact_operators) echo "build/exact_operators 700" ;; # make long: twenty times as many
  passes-quick) echo "build/passes 20" ;;
  near_misses-quick) echo "build/near_misses 30" ;;
  *) echo "build/$1" ;;
  esac
}

# One name: its text goes to $run/NAME.log, passed, failed and skipped to $run/NAME.sums.
one() {
  name=$1 log=$run/$1.log start=$(date +%s)
  if ! ${MAKE:-make} -s "build-$name" >"$log" 2>&1; then
    echo "0 1 0" >"$run/$name.sums"
    { echo "$name: does not build"; cat "$log"; } >"$log.text"
    mv "$log.text" "$log"
    return
  fi
  sh -c "$(command_of "$name")" >"$log" 2>&1 </dev/null
  status=$?
  sums=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tr -d ',' |
    awk '{ p += $1; f += $3; s += $5 } END { if (NR) print p + 0, f + 0, s + 0 }')
  sed -i 's/^/  /' "$log"
  if [ -z "$sums" ]; then
    sums="0 1 0"
    echo "$name: no closing line (exit status $status)" >>"$log"
  elif [ $status -ne 0 ] && echo "$sums" | grep -q '^[0-9]* 0 '; then
    sums="${sums%% *} 1 ${sums##* }"
    echo "$name: exit status $status" >>"$log"
  fi
  echo "$sums" >"$run/$name.sums"
  # The time of the processor, in which this shell's children are one line, says more on a busy machine.
  times >"$log.times"
  seconds=$(awk -F '[ ms]+' 'END { printf "%.1f", $1 * 60 + $2 + $3 * 60 + $4 }' "$log.times")
  echo "$name: $(($(date +%s) - start)) s, $seconds s of processor time" >>"$log"
}

if [ "$1" = one ]; then # from the workers below
  one "$2"
  cat "$run/$2.log"
  exit 0
fi
rm -rf "$run"
mkdir -p "$run"
# What is out of date is counted first, so that it can be said of each which of how many it is. What fails is
# said below.
builds=$(printf 'build-%s ' "$@")
BUILDING=$(${MAKE:-make} -n -k $builds 2>/dev/null | grep -c 'scripts/building.sh')
export BUILDING
${MAKE:-make} -s -k -j "${JOBS:-2}" $builds 9>&1 >"$run/build.log" 2>&1
unset BUILDING
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I{} sh scripts/run.sh one {}
for name in "$@"; do
  read -r p f s <"$run/$name.sums" || f=1
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
