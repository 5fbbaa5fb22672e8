#!/bin/sh
# webnn_vulkan.h on each driver that is found: lavapipe (Debian: mesa-vulkan-drivers), SwiftShader (its
# folder in SWIFTSHADER, with libvk_swiftshader.so from Debian's package chromium-common), or, with
# DRIVERS=system, what the loader offers, such as a GPU. With SANITIZE=yes what builds and runs graphs, under
# the address and undefined-behaviour sanitizers on the first driver. glslang gets the kernels of the first driver, with ALL=yes those of
# all, the random graphs' too; most are the same. The first driver also passes for each device of vulkan/profiles: a sample of these
# tests on each, with ALL=yes all of them.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
out=build/vulkan
mkdir -p $out && out=$(cd $out && pwd) || exit 1
passed=0 failed=0 skipped=0
flags="-std=c99 $includes -Ivulkan -O1 -DWEBNN_NO_FAST_KERNELS"
if [ "${SANITIZE:-}" = yes ]; then
  # At -O0, since compiling takes longer than all runs at -O1.
  flags="$flags -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
  export ASAN_OPTIONS=detect_leaks=0 # drivers leak; runtime counts what webnn_vulkan.h takes and gives back
fi
kernels=$out/kernels theirs=$out/kernels_by_glslang
rm -rf "$kernels" "$theirs" && mkdir -p "$kernels" "$theirs" || exit 1

skip() { # what, why
  skipped=$((skipped + 1))
  echo "$1: skipped: $2"
}

run() { # title, program, arguments: adds the numbers of its last line
  title=$1 program=$2
  shift 2
  began=$(date +%s)
  "$program" "$@" >$out/log 2>&1 </dev/null
  status=$?
  seconds=$(($(date +%s) - began))
  if ! grep -q '^[0-9]* passed' $out/log; then
    failed=$((failed + 1))
    echo "$title: stopped"
    tail -n 5 $out/log
    return
  fi
  grep ': ' $out/log | head -n 20
  line=$(grep '^[0-9]* passed' $out/log | tail -n 1)
  echo "$title: $line, $seconds s"
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

# The header by itself, as each compiler and dialect takes it, without a warning; what does not come behind
# webnn.h's implementation is refused in words.
compile_everywhere() {
  mkdir -p $out/headers # of Vulkan, for compilers that do not look into the system's folder
  for folder in vulkan vk_video; do
    ln -sfn /usr/include/$folder $out/headers/$folder
  done
  printf '#include "webnn.h"\n#include "webnn_vulkan.h"\n' >$out/whole.c
  cp $out/whole.c $out/whole.cpp
  while read -r compiler dialect source; do
    name="$compiler -std=$dialect"
    if ! command -v "$compiler" >/dev/null 2>&1; then
      skip "$name" "it is not installed"
    elif $compiler -std=$dialect -I.. -idirafter $out/headers -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion \
      -Wshadow -Werror -DWEBNN_NO_FAST_KERNELS -DWEBNN_IMPLEMENTATION -DWEBNN_VULKAN_IMPLEMENTATION \
      $out/$source >$out/log 2>&1; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "$name: does not compile"
      head -n 10 $out/log
    fi
  done <<END
gcc c99 whole.c
gcc gnu17 whole.c
gcc c2x whole.c
g++ c++17 whole.cpp
g++ gnu++20 whole.cpp
g++ c++23 whole.cpp
clang c99 whole.c
clang c11 whole.c
clang-19 c23 whole.c
clang++ c++17 whole.cpp
clang++-19 c++26 whole.cpp
x86_64-w64-mingw32-gcc gnu11 whole.c
i686-w64-mingw32-gcc c99 whole.c
i686-linux-gnu-gcc c99 whole.c
arm-linux-gnueabihf-gcc c99 whole.c
aarch64-linux-gnu-gcc c17 whole.c
END
  refuse "webnn_vulkan.h comes after webnn.h" '#include "webnn_vulkan.h"'
  refuse "comes after webnn.h's, in the same file" \
    '#include "webnn.h"\n#define WEBNN_VULKAN_IMPLEMENTATION\n#include "webnn_vulkan.h"'
  refuse "needs webnn.h 0.2 or newer" \
    '#define WEBNN_H\n#define WEBNN_VERSION_MAJOR 0\n#define WEBNN_VERSION_MINOR 1\n#include "webnn_vulkan.h"'
}

# The same for systems that are not here, by npm's clang (scripts/configurations.sh: zig_cc), which has their headers.
# iOS gets those of macOS, which are the same files.
compile_for_systems() {
  zig=${ZIG_FOLDER:-$HOME/.cache/webnn-zig}
  folder=$zig/node_modules/@zigc
  if [ ! -x "$folder/linux-x64/bin/zig" ]; then
    skip "macOS, iOS, FreeBSD, Windows on AArch64" "npm's clang is not in $zig"
    return
  fi
  darwin="-isystem $folder/lib/libc/include/any-darwin-any"
  for system in aarch64-macos "aarch64-ios $darwin" x86_64-freebsd aarch64-windows-gnu; do
    if ZIG_LIB_DIR=$folder/lib ZIG_GLOBAL_CACHE_DIR=$zig/cache ZIG_LOCAL_CACHE_DIR=$out/zig \
      "$folder/linux-x64/bin/zig" cc -target $system -std=c99 -O0 -I.. -idirafter $out/headers -Wall -Wextra -Wpedantic \
      -Wconversion -Wshadow -Werror -DWEBNN_NO_FAST_KERNELS -DWEBNN_IMPLEMENTATION -DWEBNN_VULKAN_IMPLEMENTATION \
      -c $out/whole.c -o $out/whole.o >$out/log 2>&1; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "${system%% *}: does not compile"
      head -n 10 $out/log
    fi
  done
}

refuse() { # words of the message, a file
  printf "$2\\n" >$out/refused.c
  if ${CC:-cc} -I.. -fsyntax-only $out/refused.c 2>&1 | grep -qF -- "$1"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "not refused with \"$1\": $2"
  fi
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

# Are the kernels that the runs have left in $kernels valid, and does glslang take their texts?
check_kernels() {
  if ! ${CC:-cc} -std=c99 -O1 -Wall -Wextra vulkan/kernel_texts.c -o $out/kernel_texts -lglslang -lMachineIndependent \
    -lGenericCodeGen -lOGLCompiler -lOSDependent -lSPIRV -lglslang-default-resource-limits -lSPIRV-Tools-opt \
    -lSPIRV-Tools -lstdc++ -lm -pthread >$out/log 2>&1; then
    if grep -qE 'fatal error: (glslang|spirv-tools)/|cannot find -l' $out/log; then
      skip "kernels by glslang" "no libraries of glslang and spirv-tools (Debian: glslang-dev, spirv-tools)"
    else
      failed=$((failed + 1))
      echo "kernel_texts: does not build"
      head -n 10 $out/log
    fi
    return 1
  fi
  find "$kernels" -name '*.comp' >$out/all_texts
  check_names
  xargs grep -LE 'GL_(KHR_cooperative_matrix|EXT_integer_dot_product)' <$out/all_texts >$out/texts
  unknown=$(($(wc -l <$out/all_texts) - $(wc -l <$out/texts)))
  if [ $unknown -gt 0 ]; then
    skip "$unknown kernels with cooperative matrices or integer dot products" "glslang does not know them"
  fi
  run "kernels by glslang and spirv-val" sh -c "$out/kernel_texts '$theirs' <$out/texts"
}

# Words that GLSL reserves are no names, also where glslang does not read the text.
check_names() {
  words='active|asm|attribute|case|cast|class|common|default|do|double|enum|extern|external|filter|fixed|flat|goto'
  words="$words|half|highp|hvec[234]|inline|input|interface|invariant|long|lowp|mediump|namespace|noinline"
  words="$words|noperspective|output|partition|patch|precise|precision|public|resource|sample|sampler[1-3A-Z][A-Za-z]*"
  words="$words|short|sizeof|smooth|static|struct|subroutine|superp|switch|template|this|typedef|union|unsigned|using"
  words="$words|varying|volatile|while"
  # xargs runs grep more than once, so that its status says nothing.
  xargs grep -nwE "$words" <$out/all_texts >$out/log
  if [ -s $out/log ] || [ ! -s $out/all_texts ]; then
    failed=$((failed + 1))
    echo "kernels: names that GLSL reserves"
    head -n 5 $out/log
  else
    passed=$((passed + 1))
  fi
}

# Is each built-in function of the language used by some kernel? Matrices and
# subgroupBarrier are only in the kernels of devices that have matrices.
check_builtins() {
  for function in $(sed -n '/ webnn_vk__builtins\[\] = {/,/};/s/^ *{"\([a-zA-Z0-9]*\)".*/\1/p' ../webnn_vulkan.h | grep -v '^coopMat\|^subgroupBarrier$'); do
    if grep -rqw "$function" "$kernels"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "no kernel uses $function"
    fi
  done
}

on() { # driver: what is run then runs on it
  name=$(basename "$1" .json)
  export WEBNN_VULKAN_DRIVERS=$1
  if [ "$1" != system ]; then
    export VK_ICD_FILENAMES=$1
  fi
}

# What does without the inside of the headers shares one library.
build_library() {
  ${CC:-cc} $flags -Wall -Wextra -c vulkan/library.c -o $out/library.o >$out/log 2>&1 && return
  failed=$((failed + 1))
  echo "the library does not build"
  head -n 20 $out/log
  return 1
}
build_linked() { # name, source
  build "$1" "$2" -DWEBNN_TEST_VULKAN -DWEBNN_TEST_LINKED $out/library.o
}

build_oracle() {
  ${CC:-cc} $flags -DUSE_VULKAN ../examples/webnn/*.c ../examples/webnn/*/*.c -o $out/webnn -pthread -ldl -lm >$out/log 2>&1 && return
  failed=$((failed + 1))
  echo "webnn: does not build"
  head -n 20 $out/log
  return 1
}

# A network of fifty operators, each held against its exact result.
run_oracle() { # device, what the command goes behind, if anything
  title="webnn ($1)"
  shift
  if "$@" $out/webnn judge --vulkan ../examples/webnn/fifty.json >$out/log 2>&1 &&
    grep -q '50 of 50 compared, 0 wrong' $out/log && ! grep -q '^refused: ' $out/log; then
    passed=$((passed + 1))
    echo "$title: $(sed -n 's/^each operator on their inputs: //p' $out/log)"
  else
    failed=$((failed + 1))
    echo "$title: judge --vulkan of fifty.json fails"
    head -n 10 $out/log
  fi
}

takes_kernels() { # from this driver?
  [ "${SANITIZE:-}" != yes ] && { [ "${ALL:-}" = yes ] || [ "$driver" = "$first" ]; }
}

run_all() { # on one driver
  run "runtime ($name)" $out/runtime "${CONTEXTS:-50}"
  if takes_kernels; then
    export WEBNN_KERNELS="$kernels"
  fi
  run "products ($name)" $out/products
  if [ "${SANITIZE:-}" != yes ]; then
    # The texts are the same on each driver. What others than the first add is other arithmetic: they get the
    # functions, and of each operator and type one case; products and the vectors in full.
    if [ "$driver" = "$first" ] || [ "${ALL:-}" = yes ]; then
      run "kernels ($name)" $out/kernels.test
    else
      CASES=1 run "kernels, one case each ($name)" $out/kernels.test
    fi
    run "conformance ($name)" $out/conformance
  fi
  [ "${ALL:-}" = yes ] || unset WEBNN_KERNELS
  # One driver gets all the random graphs, others a fifth of them.
  graphs=${GRAPHS:-100}
  [ "$driver" = "$first" ] || [ "${ALL:-}" = yes ] || graphs=$((graphs / 5))
  run "passes ($name)" $out/passes "$graphs"
  unset WEBNN_KERNELS
  [ "${SANITIZE:-}" = yes ] && return
  if [ "$driver" = "$first" ] || [ "${ALL:-}" = yes ]; then # which ask the device for its limits alone
    run "validation_recordings ($name)" $out/validation_recordings
    run "donation ($name)" $out/donation
    run "dynamic ($name)" $out/dynamic
    run "needs ($name)" $out/needs ../docs/vulkan.md
  fi
  run_oracle "$name"
}

# A loader that stands before the system's, and describes another device to whom it loads. It stays in a program that
# has closed it: there the system's loader, which stays, too, has its name, and every later context would get that one.
build_loader() {
  system_loader=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's/.*libvulkan\.so\.1 .*=> //p' | head -n 1)
  if [ ! -f "$system_loader" ]; then
    skip "devices of profiles" "ldconfig does not know libvulkan.so.1"
    return 1
  fi
  export WEBNN_PROFILE_LOADER=$system_loader
  mkdir -p $out/loader
  build loader/libvulkan.so.1 vulkan/profile_loader.c -fPIC -shared -Wl,-z,nodelete -Wpedantic -Wconversion -Wshadow
}

as_device() { # profile, program, arguments: with that loader
  profile=$1
  shift
  env "WEBNN_PROFILE=$PWD/vulkan/profiles/$profile.txt" \
    "LD_LIBRARY_PATH=$out/loader${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@"
}

# As run, with that loader; nothing may be refused.
run_as() { # profile, title, program, arguments
  profile=$1 title=$2
  shift 2
  run "$title ($profile)" as_device "$profile" "$@"
  if grep -q '^refused: ' $out/log; then
    failed=$((failed + 1))
    echo "$title: $(grep -c '^refused: ' $out/log) calls were refused"
  fi
}

# The devices that are not here: what is chosen on each and whether it computes; then the tests of kernels.
run_profiles() {
  run "profiles ($name)" $out/profiles $out/loader/libvulkan.so.1 vulkan/profiles/least.txt \
    $(ls vulkan/profiles/*.txt | grep -v /least)
  for file in vulkan/profiles/*.txt; do
    device=$(basename "$file" .txt)
    if [ "${ALL:-}" = yes ]; then
      run_as "$device" runtime $out/runtime 50
      run_as "$device" products $out/products
      run_as "$device" kernels $out/kernels.test
      run_as "$device" conformance $out/conformance
      run_as "$device" validation_recordings $out/validation_recordings
      run_as "$device" donation $out/donation
      run_as "$device" dynamic $out/dynamic
      run_as "$device" needs $out/needs ../docs/vulkan.md
      run_as "$device" passes $out/passes 100
    else
      run_as "$device" passes $out/passes 2
    fi
    run_oracle "$device" as_device "$device"
  done
  [ "${ALL:-}" = yes ] && return
  for device in adreno6xx raspberry_pi5; do # one of Vulkan 1.1, one with little of everything
    for operator in matmul conv2d softmax scatterElements lstm; do
      run_as $device "kernels of $operator" env CASES=1 $out/kernels.test $operator
    done
  done
}

# What glslang makes of the texts must give the same results: of each operator and type one case.
run_theirs() {
  export WEBNN_KERNELS_FROM="$theirs"
  if [ "${ALL:-}" = yes ]; then
    run "kernels by glslang ($name)" $out/kernels.test
  else
    CASES=1 run "kernels by glslang, one case each ($name)" $out/kernels.test
  fi
  if [ "${ALL:-}" = yes ]; then
    run "products by glslang ($name)" $out/products
    run "conformance by glslang ($name)" $out/conformance
  fi
  unset WEBNN_KERNELS_FROM
}

[ "${SANITIZE:-}" = yes ] || { compile_everywhere; compile_for_systems; }
build kernel_language vulkan/kernel_language.c && run kernel_language $out/kernel_language
build runtime vulkan/runtime.c
build products vulkan/products.c -DWEBNN_TEST_VULKAN
build_library && build_linked passes "$(source_of passes.c)"
if [ "${SANITIZE:-}" != yes ]; then
  build kernels.test vulkan/kernels.c -DWEBNN_TEST_VULKAN
  build_linked conformance "$(source_of conformance.c)"
  build_linked validation_recordings "$(source_of validation_recordings.c)"
  build_linked donation "$(source_of donation.c)"
  build_linked dynamic "$(source_of dynamic.c)"
  build_oracle
  build profiles vulkan/profiles.c
  build needs vulkan/needs.c
  build_loader
fi
first=
for driver in $drivers; do
  first=${first:-$driver}
  [ "${SANITIZE:-}" = yes ] && [ "$driver" != "$first" ] && continue
  on "$driver"
  run_all
  if [ "${SANITIZE:-}" != yes ] && [ "$driver" = "$first" ] && [ "$driver" != system ] && [ "${WEBNN_PROFILE_LOADER:-}" ]; then
    run_profiles
  fi
done
case "${SANITIZE:-}$first" in
*/lvp_icd*) [ "${SANITIZE:-}" = yes ] || check_builtins ;; # which has integer dot products
esac
if [ "${SANITIZE:-}" != yes ] && check_kernels; then
  for driver in $drivers; do
    on "$driver"
    if takes_kernels; then
      run_theirs
    fi
  done
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
