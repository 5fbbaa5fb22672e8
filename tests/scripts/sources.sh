#!/bin/sh
# Does every program that only the longer checks build, or the examples, still compile? The compiler reads
# each without writing anything, which takes seconds for all of them: a change of the headers that one of
# them does not follow shows here, and not an hour later.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
passed=0 failed=0 skipped=0
out=build/sources
rm -rf $out && mkdir -p $out
flags="-std=c99 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror $includes -DWEBNN_NO_SIMD"

# What the programs of a folder are built with, beside that.
flags_of() {
  case $1 in
  bench/*) echo "-D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L" ;;
  networks/*) echo "-DWEBNN_TEST_LINKED -I../examples/headers -Inetworks" ;;
  fuzz/*) echo "-I../examples/headers" ;;
  vulkan/*) echo "-Ivulkan" ;;
  esac
}

compiles() { # file
  ${CC:-cc} $flags $(flags_of "$1") "$1" >"$out/log" 2>&1
}

# The Debian package of a header that a file includes and that is not here, or nothing.
missing_package() { # file
  case $1 in
  vulkan/kernel_texts.c) headers="glslang/Include/glslang_c_interface.h glslang-dev spirv-tools/libspirv.h spirv-tools" ;;
  vulkan/*) headers="vulkan/vulkan_core.h libvulkan-dev" ;;
  *) return ;;
  esac
  set -- $headers
  while [ $# -gt 0 ]; do
    echo "#include <$1>" | ${CC:-cc} -E -x c - >/dev/null 2>&1 || { echo "$2"; return; }
    shift 2
  done
}

for file in fuzz/*.c bench/*.c networks/*.c networks/files/*.c vulkan/*.c ../examples/*/*.c ../examples/webnn/*/*.c; do
  package=$(missing_package "$file")
  if [ "$package" ]; then
    skipped=$((skipped + 1))
    echo "$file: skipped: no headers (Debian: $package)"
  elif compiles "$file"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$file does not compile:"
    head -n 20 $out/log
  fi
done

# This fails for what it is there to find: a call whose arguments are no longer those of the function.
echo '#include "webnn.h"
bool lost(void) { return webnn_context_lost(); }' >$out/stale.c
if compiles $out/stale.c; then
  failed=$((failed + 1))
  echo "a program with a call of too few arguments compiles"
elif grep -q 'too few arguments' $out/log; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  echo "a program with a call of too few arguments is refused for another reason:"
  cat $out/log
fi
# Lines fit, and comments stand where what they point at is.
if command -v python3 >/dev/null 2>&1; then
  python3 scripts/comments.py ../webnn.h ../webnn_vulkan.h ../examples/headers/*.h >$out/log 2>&1 && passed=$((passed + 1)) || { failed=$((failed + 1)); cat $out/log; }
else
  skipped=$((skipped + 1))
  echo "comments.py: skipped: no python3 (Debian: python3-minimal)"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
