#!/bin/sh
# Extracts the complete programs of the documentation, compiles and runs each.
cd "$(dirname "$0")" || exit 1
rm -f build/doc_*
passed=0 failed=0 skipped=0
build/docs_check >build/docs_check.log 2>&1 || { cat build/docs_check.log; failed=1; }
for source in build/doc_*.c build/doc_*.cpp; do
  [ -f "$source" ] || continue
  case $source in *.cpp) compiler="${CXX:-c++} -std=c++17" ;; *) compiler=${CC:-cc} ;; esac
  program=${source%.c*}
  if ! command -v ${compiler%% *} >/dev/null 2>&1; then
    skipped=$((skipped + 1))
    echo "$source: skipped: no ${compiler%% *}"
    continue
  fi
  if $compiler "$source" -o "$program" -I.. -pthread >build/docs.log 2>&1 &&
    (cd build && "./$(basename "$program")" >docs.log 2>&1); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$source:"
    cat build/docs.log
  fi
done
[ $passed -gt 0 ] || { echo "no complete program found in the documentation"; failed=$((failed + 1)); }
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
