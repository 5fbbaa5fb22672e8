#!/bin/sh
# The switches that leave something out of the implementation: which instruction sets a build has, a build
# without fast kernels, and one of three operators, whose size on a Cortex-M4 is measured where there is a
# compiler for it. Each builds interface/switches.c, without optimization where size does not matter.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
CC=${CC:-cc}
out=build/switches
mkdir -p $out
flags="-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I.."

check() { # what, and a command
  what=$1
  shift
  if "$@" >$out/log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$what"
    cat $out/log
  fi
}

skip() {
  skipped=$((skipped + 1))
  echo "$1"
}

# Prints what the program says of a build with these flags, on one line.
said_by() {
  $CC $flags "$@" interface/switches.c -o $out/program -pthread 2>&1 && $out/program | tr '\n' ' '
}

# Does a build with these flags have those sets and not these? Sets that depend on the processor are in
# neither list.
build_has() { # sets, sets, flags
  wanted=$1 unwanted=$2
  shift 2
  said=$(said_by "$@")
  echo "$* says: $said"
  case $said in works*) ;; *) return 1 ;; esac
  case $said in *fails*) return 1 ;; esac
  for set in $wanted; do
    case " $said" in *" has $set "*) ;; *) return 1 ;; esac
  done
  for set in $unwanted; do
    case " $said" in *" has $set "*) return 1 ;; esac
  done
}

case $($CC -dumpmachine) in
x86_64*)
  check "the default build" build_has SSE2 "scalar NEON WASM"
  check "a build of the scalar set" build_has scalar "SSE2 AVX2 AVX-512" -DWEBNN_INSTRUCTION_SETS=WEBNN_WITH_SCALAR
  check "a build of two sets" build_has "scalar SSE2" "AVX2 AVX-512" \
    "-DWEBNN_INSTRUCTION_SETS=(WEBNN_WITH_SCALAR|WEBNN_WITH_SSE2|WEBNN_WITH_NEON)"
  check "a build of no possible set" build_has SSE2 "scalar AVX2 AVX-512 NEON" -DWEBNN_INSTRUCTION_SETS=WEBNN_WITH_NEON
  check "a build without vectors" build_has scalar "SSE2 AVX2 AVX-512" -DWEBNN_NO_SIMD
  if grep -q avx2 /proc/cpuinfo 2>/dev/null; then
    check "a build for processors with AVX2" build_has AVX2 "scalar SSE2" -mavx2 -mfma -mf16c
    check "a build of AVX2 alone" build_has AVX2 "scalar SSE2 AVX-512" -DWEBNN_INSTRUCTION_SETS=WEBNN_WITH_AVX2
  else
    skip "switches: builds of AVX2: skipped: this processor does not have it"
  fi
  ;;
*) skip "switches: instruction sets: skipped: not an x86-64 compiler" ;;
esac

check "a build without fast kernels" build_has "" "scalar SSE2 AVX2 AVX-512 NEON WASM" -DWEBNN_NO_FAST_KERNELS

three="-DWEBNN_NO_DYNAMIC_SHAPES -ffunction-sections -fdata-sections -DWEBNN_NO_FAST_KERNELS -DWEBNN_NO_THREADS -DSWITCHES_LISTED"
check "three operators do not build" $CC $flags $three interface/switches.c -o $out/three -Wl,--gc-sections
check "three operators do not run" $out/three
# With fast kernels they take less than half of the 700 KB that all operators take on x86-64.
fast="-Os -ffunction-sections -fdata-sections -DWEBNN_NO_THREADS"
check "three operators with fast kernels do not build" $CC $flags $fast -DSWITCHES_LISTED interface/switches.c -o $out/three_fast -Wl,--gc-sections
check "three operators with fast kernels do not run" $out/three_fast
check "three operators with fast kernels are larger than 350,000 bytes" [ "$(size $out/three_fast | awk 'NR == 2 { print $1 }')" -lt 350000 ]
# Their memory, with 32-bit pointers where such a program can be run.
ram="$flags $three -DNDEBUG interface/ram.c -o $out/ram -Wl,--gc-sections"
if command -v arm-linux-gnueabihf-gcc >/dev/null 2>&1 && command -v qemu-arm >/dev/null 2>&1; then
  check "the small graph's memory, 32 bits, does not build" arm-linux-gnueabihf-gcc -static $ram
  check "the small graph's memory, 32 bits" qemu-arm $out/ram
  said=$(qemu-arm $out/ram) && echo "RAM of three operators, 32 bits: ${said%%;*}"
else
  skip "switches: memory with 32-bit pointers: skipped: no compiler for ARM, or no qemu-arm"
fi
check "the small graph's memory does not build" $CC $ram
check "the small graph's memory" $out/ram
$CC $flags $three -DSWITCHES_FOURTH interface/switches.c -o $out/four -Wl,--gc-sections >$out/four.log 2>&1
check "an operator that is not listed is linked" [ $? -ne 0 ]
check "the linker does not name it: $(cat $out/four.log)" grep -q SOFTPLUS_is_listed $out/four.log

# Its own code and data, without those of the C library, in the limit that the guide gives.
arm=arm-linux-gnueabihf-gcc
if command -v $arm >/dev/null 2>&1; then
  m4="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
  check "three operators do not build for a Cortex-M4" $arm $m4 $flags -Os $three -DNDEBUG -DSWITCHES_SILENT \
    interface/switches.c -o $out/m4 -nostdlib -Wl,--gc-sections,-e,main,--unresolved-symbols=ignore-all
  bytes=$(size $out/m4 | awk 'NR == 2 { print $4 }')
  echo "three operators on a Cortex-M4: $bytes bytes"
  check "three operators are larger than 40,000 bytes" [ "${bytes:-99999}" -lt 40000 ]
else
  skip "switches: Cortex-M4: skipped: no compiler (Debian: gcc-arm-linux-gnueabihf)"
fi
# Enumerations of one byte, as on bare ARM, where -Wextra warns of tests for negative ones.
check "short enumerations are warned of" $CC -fshort-enums -std=c99 -Wall -Wextra -Werror -fsyntax-only -x c \
  -DWEBNN_IMPLEMENTATION ../webnn.h

# Sizes of memory are those of a machine with 32 bits, too: where they are not a compiler for such a machine warns.
if command -v $arm >/dev/null 2>&1; then
  check "a 32-bit machine's compiler warns" $arm $flags -fsyntax-only -x c -DWEBNN_IMPLEMENTATION ../webnn.h
else
  skip "switches: 32 bits: skipped: no compiler (Debian: gcc-arm-linux-gnueabihf)"
fi

# C++ before 17 is refused by name, also where __cplusplus does not say which it is.
reads_as() { # flags
  echo '#include "webnn.h"' | $cxx -I.. -x c++ -fsyntax-only "$@" - >$out/log.cpp 2>&1
}
refuses() { ! reads_as "$@" && grep -q "needs C99 .* or C++17 or newer" $out/log.cpp; }
cxx=${CXX:-c++}
if command -v "$cxx" >/dev/null 2>&1; then
  check "C++14 is not refused" refuses -std=c++14
  check "C++17 is refused" reads_as -std=c++17
  # This compiler cannot read the rest, but it gets there.
  check "MSVC's C++17 is refused" sh -c '! "$@" 2>&1 | grep "needs C99"' - \
    $cxx -I.. -x c++ -fsyntax-only -std=c++14 -D_MSVC_LANG=201703L ../webnn.h
  check "MSVC's C++14 is not refused" refuses -std=c++14 -D_MSVC_LANG=201402L
else
  skip "switches: C++14: skipped: no C++ compiler"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
