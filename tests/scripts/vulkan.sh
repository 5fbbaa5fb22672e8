#!/bin/sh
# webnn_vulkan.h on each driver that is found: lavapipe (Debian: mesa-vulkan-drivers), SwiftShader (its
# folder in SWIFTSHADER, with libvk_swiftshader.so from Debian's package chromium-common), or, with
# DRIVERS=system, what the loader offers, such as a GPU.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
out=build/vulkan
mkdir -p $out && out=$(cd $out && pwd) || exit 1
passed=0 failed=0 skipped=0
flags="-std=c99 $includes -Ivulkan -O1 -DWEBNN_NO_FAST_KERNELS"

skip() { # what, why
  skipped=$((skipped + 1))
  echo "$1: skipped: $2"
}

run() { # title, program, arguments: adds the numbers of its last line
  title=$1 program=$2
  shift 2
  "$program" "$@" >$out/log 2>&1 </dev/null
  status=$?
  if ! grep -q '^[0-9]* passed' $out/log; then
    failed=$((failed + 1))
    echo "$title: stopped"
    tail -n 5 $out/log
    return
  fi
  grep ': ' $out/log | head -n 20
  line=$(grep '^[0-9]* passed' $out/log | tail -n 1)
  echo "$title: $line"
  set -- $(echo "$line" | tr -dc '0-9 ')
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + ${3:-0}))
  if [ $status -ne 0 ] && [ "$2" -eq 0 ]; then
    failed=$((failed + 1))
    echo "$title: ended with status $status"
  fi
}

build() { # name, source, flags: false, and why, if it does not
  name=$1 source=$2
  shift 2
  ${CC:-cc} $flags -Wall -Wextra "$@" "$source" -o $out/$name -pthread -ldl -lm >$out/log 2>&1 && return
  failed=$((failed + 1))
  echo "$name: does not build"
  head -n 20 $out/log
  return 1
}

if ! echo '#include <vulkan/vulkan_core.h>' | ${CC:-cc} -E -x c - >/dev/null 2>&1; then
  skip vulkan "no Vulkan headers (Debian: libvulkan-dev)"
  echo "$passed passed, $failed failed, $skipped skipped"
  exit
fi
if [ "${DRIVERS:-}" = system ]; then
  drivers=system
else
  drivers=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
  [ "$drivers" ] || skip lavapipe "it is not installed (Debian: mesa-vulkan-drivers)"
  if [ -f "${SWIFTSHADER:-}/libvk_swiftshader.so" ]; then
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
      "$(cd "$SWIFTSHADER" && pwd)/libvk_swiftshader.so" >$out/swiftshader.json
    drivers="$drivers $out/swiftshader.json"
    export WEBNN_SWIFTSHADER=$out/swiftshader.json
  else
    skip SwiftShader "SWIFTSHADER does not name its folder"
  fi
fi

build kernel_language vulkan/kernel_language.c && run kernel_language $out/kernel_language
build runtime vulkan/runtime.c
build kernels vulkan/kernels.c
build products vulkan/products.c
build conformance "$(source_of conformance.c)" -DWEBNN_TEST_VULKAN
build passes "$(source_of passes.c)" -DWEBNN_TEST_VULKAN
for driver in $drivers; do
  name=$(basename "$driver" .json)
  if [ "$driver" != system ]; then
    export VK_ICD_FILENAMES=$driver WEBNN_VULKAN_DRIVERS=$driver
  fi
  run "runtime ($name)" $out/runtime "${CONTEXTS:-50}"
  run "kernels ($name)" $out/kernels
  run "products ($name)" $out/products
  run "conformance ($name)" $out/conformance
  run "passes ($name)" $out/passes "${GRAPHS:-100}"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
