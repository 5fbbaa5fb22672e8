#!/bin/sh
# Test programs that are built, by name, under valgrind: no invalid access, no value that was never written, no leak.
# (What it says has lines where they were built with -g in CFLAGS.)
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0
if ! command -v valgrind >/dev/null 2>&1; then
  echo "valgrind: skipped: not installed"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
mkdir -p build/valgrind
for name; do
  if valgrind -q --leak-check=full --error-exitcode=99 "build/$name" >build/valgrind/log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$name:"
    tail -n 40 build/valgrind/log
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
