#!/bin/sh
# Does a reference context give the same bits however it is compiled and wherever it runs? digest.c is
# built with each compiler, level and dangerous flag, as C++, for 32 bits with x87, and for other machines
# under emulation, and compared with digest.txt each time. A line for each build; one count for each run.
# What the machine lacks is skipped. Two builds at a time.
cd "$(dirname "$0")" || exit 1
out=build/digest
warnings="-Wall -Wextra"

# Runs the program of a build in each of the ways; the report goes to stdout, a mark for each run to $1.marks.
run_ways() { # program, how to run it, ways separated by commas
  program=$1 runner=$2
  echo "$3" | tr ',' '\n' | while read -r way; do
    [ "$way" = plain ] && way=
    if $runner "$program" $way >"$program.log" 2>&1 </dev/null; then
      echo passed >>"$program.marks"
      grep ': skipped: ' "$program.log" | while read -r line; do
        echo skipped >>"$program.marks"
        echo "  $line"
      done
    else
      echo failed >>"$program.marks"
      echo "  digest $way:"
      head -n 20 "$program.log" | sed 's/^/    /'
    fi
  done
}

# One row of the table below.
one() {
  name=$1 compiler=$2 flags=$3 runner=$4 ways=$5
  program=$out/$(echo "$name" | tr -c 'a-zA-Z0-9\n' _)
  for tool in ${compiler%% *} ${runner%% *}; do
    if ! command -v "$tool" >/dev/null 2>&1; then
      echo "$name: skipped: no $tool"
      echo skipped >"$program.marks"
      return
    fi
  done
  start=$(date +%s)
  if ! $compiler $flags $warnings digest.c -o "$program" -lm >"$program.log" 2>&1; then
    if ! echo 'int main(void) { return 0; }' | $compiler $flags -x c - -o "$program" 2>/dev/null; then
      echo "$name: skipped: no libraries for these flags"
      echo skipped >"$program.marks"
      return
    fi
    echo "$name: does not build"
    head -n 20 "$program.log" | sed 's/^/    /'
    echo failed >"$program.marks"
    return
  fi
  text=$(run_ways "$program" "$runner" "$ways")
  echo "$name: $(grep -c passed "$program.marks") of $(echo "$ways" | tr ',' '\n' | wc -l) runs agree, $(($(date +%s) - start)) s"
  [ -z "$text" ] || echo "$text"
  rm -f "$program"
}

# Node runs the WebAssembly program in this folder.
wasi() { # program, arguments
  node --no-warnings -e '
    const { WASI } = require("wasi");
    const wasi = new WASI({ version: "preview1", args: process.argv.slice(1), preopens: { ".": "." },
                            returnOnExit: true });
    WebAssembly.instantiate(require("fs").readFileSync(process.argv[1]), {
      wasi_snapshot_preview1: wasi.wasiImport
    }).then(({ instance }) => { process.exitCode = wasi.start(instance); });' "$@"
}

# An emulator for i386, or nothing where the processor and the system run such programs themselves.
i386=qemu-i386
rm -rf $out
mkdir -p $out
if echo 'void _start(void) { __asm__ volatile("int $0x80" : : "a"(1), "b"(42)); }' |
  i686-linux-gnu-gcc -x c - -static -nostdlib -o $out/probe 2>/dev/null; then
  $out/probe 2>/dev/null
  [ $? -eq 42 ] && i386=
fi

# name; compiler; flags; how to run; ways of running, separated by commas. The slow ones come first.
table() {
  cat <<T
ARMv7;arm-linux-gnueabihf-gcc;-std=c99 -O2 -static -pthread;qemu-arm;plain
s390x, big-endian;s390x-linux-gnu-gcc;-std=c99 -O2 -static -pthread;qemu-s390x;plain,slices
AArch64;aarch64-linux-gnu-gcc;-std=c99 -O2 -static -pthread;qemu-aarch64;plain,environment,threads 3
RISC-V, 64 bits;riscv64-linux-gnu-gcc;-std=c99 -O2 -static -pthread;qemu-riscv64;plain,environment
i686, x87;i686-linux-gnu-gcc;-std=c99 -O2 -mfpmath=387 -static -pthread;$i386;plain,environment,threads 3
i686, SSE2, fast-math;i686-linux-gnu-gcc;-std=c99 -O3 -ffast-math -msse2 -mfpmath=sse -static -pthread;$i386;plain,environment
32 bits, x87;gcc;-m32 -std=c99 -O2 -mfpmath=387 -pthread;;plain,environment
WebAssembly;clang;--target=wasm32-wasi -std=c99 -O2 -DWEBNN_NO_THREADS;wasi;plain,slices
gcc -O0;gcc;-std=c99 -O0 -pthread;;plain
gcc -O2;gcc;-std=c99 -O2 -pthread;;plain,environment,threads 1,threads 2,threads 3,slices,passes
gcc -O3;gcc;-std=c99 -O3 -pthread;;plain
gcc -O3 -ffast-math;gcc;-std=c99 -O3 -ffast-math -pthread;;plain,environment
gcc -Ofast -march=native;gcc;-std=gnu11 -Ofast -march=native -pthread;;plain,environment
gcc -O2 -DWEBNN_NO_THREADS;gcc;-std=c99 -O2 -DWEBNN_NO_THREADS;;plain,slices
gcc -O2 C++17;g++;-x c++ -std=c++17 -O2 -pthread;;plain
clang -O0;clang;-std=c99 -O0 -pthread;;plain
clang -O2;clang;-std=c99 -O2 -pthread;;plain,environment,threads 3
clang -O3;clang;-std=c99 -O3 -pthread;;plain
clang -O3 -ffast-math;clang;-std=c99 -O3 -ffast-math -pthread;;plain,environment
clang -Ofast -march=native;clang;-std=gnu11 -Ofast -march=native -pthread;;plain,environment
clang -O2 C++17;clang++;-x c++ -std=c++17 -O2 -pthread;;plain
T
}

half() { # the rows whose number is odd (1) or even (0)
  table | awk "NR % 2 == $1" | while IFS=';' read -r name compiler flags runner ways; do
    one "$name" "$compiler" "$flags" "$runner" "$ways"
  done
}
half 1 &
half 0
wait

count() {
  cat $out/*.marks | grep -c "$1"
}
echo "$(count passed) passed, $(count failed) failed, $(count skipped) skipped"
[ "$(count failed)" -eq 0 ]
