#!/bin/sh
# Builds and runs test programs by name, prints what they print with a line for each, and closes with
# the sum of their closing lines. A program that cannot be built or does not close is a failure.
cd "$(dirname "$0")" || exit 1
passed=0 failed=0 skipped=0
log=build/log
mkdir -p build

# The command of a name.
command_of() {
  case $1 in
  conformance-reference) echo "build/conformance reference" ;;
  language) echo "build/language_c && build/language_cpp" ;;
  static) echo "build/two_copies" ;;
  docs) echo "sh docs.sh" ;;
  *) echo "build/$1" ;;
  esac
}

add() { # the closing lines of $log, or a failure
  if ! grep -qE '^[0-9]+ passed, [0-9]+ failed' "$log"; then
    failed=$((failed + 1))
    echo "$1: no closing line (exit status $2)"
    return
  fi
  set -- $(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tr -d ',' |
    awk '{ p += $1; f += $3; s += $5 } END { print p + 0, f + 0, s + 0 }')
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

for name in "$@"; do
  start=$(date +%s)
  if ! ${MAKE:-make} -s "build-$name" >"$log" 2>&1; then
    failed=$((failed + 1))
    echo "$name: does not build"
    cat "$log"
    continue
  fi
  sh -c "$(command_of "$name")" >"$log" 2>&1 </dev/null
  status=$?
  cat "$log" | sed "s/^/  /"
  add "$name" $status
  if [ $status -ne 0 ] && grep -qE '^[0-9]+ passed, 0 failed' "$log"; then
    failed=$((failed + 1))
    echo "$name: exit status $status"
  fi
  echo "$name: $(($(date +%s) - start)) s"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
