#!/bin/sh
# Short test programs under valgrind: no invalid access, no value that was never written, no leak.
# `valgrind.sh long`: api, which takes minutes.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
passed=0 failed=0
if ! command -v valgrind >/dev/null 2>&1; then
  echo "valgrind: skipped: not installed"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
mkdir -p build/valgrind
compile() { # arguments: one compilation of the library serves all
  ${CC:-cc} -std=c99 -g -O1 $includes "$@" -pthread >build/valgrind/log 2>&1
}
if ! compile -c -x c -DWEBNN_IMPLEMENTATION ../webnn.h -o build/valgrind/webnn.o; then
  cat build/valgrind/log
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
programs='compute shapes emulations validation handles'
[ "$1" = long ] && programs=api
for name in $programs; do
  if compile -DWEBNN_TEST_LINKED "$(source_of "$name.c")" build/valgrind/webnn.o -o "build/valgrind/$name" -lm &&
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
