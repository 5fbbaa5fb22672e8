#!/bin/sh
# Compiles the header every way it must compile, with the loudest warnings as errors, and runs a small
# program each time; two at a time. Without an argument: each value of each setting meets every value of every other
# setting at least once. With `all`: the full product.
cd "$(dirname "$0")" || exit 1
rm -rf build/builds
mkdir -p build/builds/1 build/builds/2
passed=0 failed=0 skipped=0
W="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

standard_flag() { # compiler, standard: the flag, or nothing if the compiler does not know it
  case $2 in
  c23) for f in -std=c23 -std=c2x; do
    echo 'int x;' | $1 $f -x c -fsyntax-only - 2>/dev/null && { echo $f; return; }
  done ;;
  *) echo "-std=$2" ;;
  esac
}

build() { # compiler, standard, optimization, switches
  name="$1 $2 $3 $4"
  compiler=$1 file=smoke.c
  case $2 in c++*)
    file=smoke_cpp.cpp
    case $1 in gcc) compiler=g++ ;; clang) compiler=clang++ ;; esac ;;
  esac
  if ! command -v "$compiler" >/dev/null 2>&1; then
    skipped=$((skipped + 1))
    echo "$name: skipped: no $compiler"
    return
  fi
  flag=$(standard_flag "$compiler" "$2")
  if [ -z "$flag" ]; then
    skipped=$((skipped + 1))
    echo "$name: skipped: the compiler does not know the standard"
    return
  fi
  out=$at/smoke
  if $compiler $flag $3 $4 $W $file -o $out -pthread >$at/log 2>&1 && $out >>$at/log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$name:"
    head -n 20 $at/log
  fi
}

COMPILERS="gcc clang"
STANDARDS="c99 c11 c17 c23 c++17"
LEVELS="-O0 -O1 -O2 -O3"
SWITCHES="-DWEBNN_PLAIN -DWEBNN_NO_THREADS -DWEBNN_NO_SIMD -DWEBNN__NO_ATOMICS"

# Rows of a covering array: every pair of values of two settings stands in at least one row.
if [ "$1" = all ]; then
  rows=$(for c in $COMPILERS; do for s in $STANDARDS; do for l in $LEVELS; do for d in $SWITCHES; do
    echo "$c $s $l $d"; done; done; done; done)
else
  rows=$(python3 - "$COMPILERS" "$STANDARDS" "$LEVELS" "$SWITCHES" 2>/dev/null <<'P' || true
import itertools, sys
settings = [a.split() for a in sys.argv[1:]]
left = {(i, a, j, b) for i, j in itertools.combinations(range(len(settings)), 2)
        for a in settings[i] for b in settings[j]}
while left:
    best = max(itertools.product(*settings), key=lambda r: sum((i, r[i], j, r[j]) in left
               for i, j in itertools.combinations(range(len(r)), 2)))
    left -= {(i, best[i], j, best[j]) for i, j in itertools.combinations(range(len(best)), 2)}
    print(*best)
P
)
fi
if [ -z "$rows" ]; then
  echo "builds: skipped: choosing the pairs needs python3 (all-builds does not)"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
# Other machines, compiled and, where an emulator is installed, run.
cross() { # name, compiler, flags, how to run
  if ! command -v "$2" >/dev/null 2>&1; then
    skipped=$((skipped + 1))
    echo "$1: skipped: no $2"
    return
  fi
  if ! $2 -std=c99 -O1 $3 $W smoke.c -o $at/cross.exe >$at/log 2>&1; then
    failed=$((failed + 1))
    echo "$1:"
    head -n 20 $at/log
    return
  fi
  passed=$((passed + 1))
  if [ -z "$4" ]; then
    return
  fi
  if ! command -v "$4" >/dev/null 2>&1; then
    skipped=$((skipped + 1))
    echo "$1: not run: no $4"
  elif $4 $at/cross.exe >$at/log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$1, run:"
    cat $at/log
  fi
}
# One line of command, no flags but the file.
plain() {
  if cc smoke.c -o $at/plain >$at/log 2>&1 && $at/plain; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "cc smoke.c:"
    cat $at/log
  fi
}

{
  echo "$rows" | sed 's/^/build;/; s/ /;/g'
  cat <<T
plain
cross;Windows, 64 bits;x86_64-w64-mingw32-gcc;-static;
cross;Windows, 32 bits;i686-w64-mingw32-gcc;-static;
cross;i686;i686-linux-gnu-gcc;-static -pthread;qemu-i386
cross;AArch64;aarch64-linux-gnu-gcc;-static -pthread;qemu-aarch64
cross;ARMv7;arm-linux-gnueabihf-gcc;-static -pthread;qemu-arm
cross;RISC-V;riscv64-linux-gnu-gcc;-static -pthread;qemu-riscv64
cross;s390x, big-endian;s390x-linux-gnu-gcc;-static -pthread;qemu-s390x
T
} >build/builds/jobs

# Every second job, from the first or the second on.
half() {
  at=build/builds/$1
  awk "(NR + $1) % 2 == 0" build/builds/jobs >$at/jobs
  while IFS=';' read -r kind a b c d; do
    $kind "$a" "$b" "$c" "$d" </dev/null
  done <$at/jobs
  echo "$passed $failed $skipped" >$at/sums
}
half 1 &
(half 2)
wait
for at in build/builds/1 build/builds/2; do
  read -r p f k <$at/sums || f=1
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + k))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
