#!/bin/sh
# The test programs under the sanitizers, two at a time: address, leak and most of undefined behaviour together and
# thread by gcc; undefined behaviour by clang, which also looks at arithmetic on null pointers, in the exact programs,
# with memory at odd addresses and over the interface. Random programs run fewer rounds than elsewhere.
# sanitize.sh long: clang over the other programs, and gcc with more rounds.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
out=build/sanitize
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# AVX-512's kernels are left out where they cannot run.
sets=
if [ "$1" != long ] && [ "$2" != slow ] && ! grep -q avx512vl /proc/cpuinfo 2>/dev/null; then
  sets="-UWEBNN_INSTRUCTION_SETS -DWEBNN_INSTRUCTION_SETS=55"
fi

# Checks of undefined behaviour that double the time of compiling, and whose faults the address sanitizer sees when
# memory is touched. The kind "clang" has them.
by_address=null,object-size,pointer-overflow

# A kind is a compiler with its sanitizers.
compile() { # kind, arguments
  kind=$1
  shift
  case $kind in
  address) ${CC:-gcc} -std=c99 -g1 -O1 -fsanitize=address,undefined -fno-sanitize=$by_address -fno-sanitize-recover=all "$@" -pthread ;;
  thread) ${CC:-gcc} -std=c99 -g1 -O1 -fsanitize=thread "$@" -pthread ;;
  clang) clang -std=gnu11 -g -O0 -fsanitize=undefined -fno-sanitize-recover=all "$@" -pthread ;;
  esac
}

# What a kind's programs share, which takes longest: the library. Of the first kind the programs that call what is
# inside it are compiled with it, and the others link that, too, with its main under another name.
part() { # kind
  case $1 in
  clang) command -v clang >/dev/null 2>&1 || return ;; # its jobs say so
  esac
  case $1 in
  address)
    compile "$1" $includes $sets -c "$(source_of with_inside.c)" -o "$out/with_inside.o" &&
      compile "$1" "$out/with_inside.o" -o "$out/with_inside" -lm &&
      objcopy --redefine-sym main=with_inside_main "$out/with_inside.o" "$out/webnn-$1.o"
    ;;
  *) compile "$1" $includes $sets -c -x c -DWEBNN_IMPLEMENTATION ../webnn.h -o "$out/webnn-$1.o" ;;
  esac >"$out/library-$1.log" 2>&1 && return
  echo "library ($1): does not build, nor what is made of it:"
  head -n 20 "$out/library-$1.log"
}

with_mpfr="-std=gnu11 -DWEBNN_HAVE_MPFR" mpfr="-lmpfr -lgmp -lm"
build() { # kind, program, its path
  case $2 in
  inside | fast_products | fast_quantized | fast_attention) ln -f "$out/with_inside" "$3" ;;
  fast_vocabulary) compile "$1" $includes -O0 "$(source_of "$2.c")" -o "$3" -lm ;;
  allocations_each | backend) compile "$1" $includes -O0 -DWEBNN_NO_SIMD "$(source_of "$2.c")" -o "$3" -lm ;;
  exact) compile "$1" $includes -DWEBNN_NO_SIMD $with_mpfr "$(source_of "$2.c")" -o "$3" $mpfr ;;
  exact_*) compile "$1" $includes $with_mpfr -DWEBNN_TEST_LINKED "$(source_of "$2.c")" "$out/webnn-$1.o" -o "$3" $mpfr ;;
  *) compile "$1" $includes -DWEBNN_TEST_LINKED "$(source_of "$2.c")" "$out/webnn-$1.o" -o "$3" -lm ;;
  esac
}

one() { # number of the job, kind, program, arguments: says what went wrong, and leaves a word in a file
  at=$out/$1 kind=$2 program=$3 start=$(date +%s)
  shift 3
  mkdir -p "$at"
  echo failed >"$at/result"
  if [ "$kind" = clang ] && ! command -v clang >/dev/null 2>&1; then
    echo skipped >"$at/result"
    echo "$program ($kind): skipped: no clang"
  elif [ "${program#exact}" != "$program" ] && ! echo '#include <mpfr.h>' | ${CC:-gcc} -E -x c - >/dev/null 2>&1; then
    echo skipped >"$at/result"
    echo "$program ($kind): skipped: no MPFR"
  elif ! build "$kind" "$program" "$at/$program" >"$at/log" 2>&1; then
    echo "$program ($kind): does not build"
    head -n 20 "$at/log"
  elif "$at/$program" "$@" >"$at/log" 2>&1 </dev/null; then
    echo passed >"$at/result"
    echo "$program ($kind): $(($(date +%s) - start)) s"
  else
    echo "$program ($kind):"
    tail -n 40 "$at/log"
  fi
  rm -f "$at/$program"
}

# Kind, program, arguments; the long ones first.
jobs() {
  cat <<T
address fast_products 7
address fast_quantized 20
address fast_packed
address fast_tiles 15
thread threads
address fast_attention
address fast_rows few
address fast_recurrent 12
thread any_thread
thread shared_weights
address shared_weights
address dynamic
address dynamic_operands
address donation
thread donation
address passes 200
address emulations
address allocations
address conformance
address validation_recordings
address fast_elementwise
address fast_movement
address validation
address shapes
address arithmetic
address api
address threads
address any_thread
address inside
address large_graphs
address near_misses 300
address allocations_each 6
address backend 20
thread backend 10
address comparisons
address compute
address handles
address steps
address printed
clang exact 500
clang exact_operators 60
clang conformance unaligned
clang api
T
}

# What these leave out for its time.
slow() {
  cat <<T
address fast_vocabulary
address conformance unaligned
address allocations_each 12
address backend 60
thread api
address fast_products
address fast_quantized
address fast_rows
address fast_recurrent
address passes 2000
address near_misses 4000
clang exact_sums 1
clang exact_operators
clang conformance reference
clang near_misses 300
clang passes 60
clang emulations
clang fast_elementwise
clang fast_movement
clang validation
T
}

case $1 in # of the workers below
job)
  one "$3" $($2 | sed -n "$3p")
  exit 0
  ;;
part)
  part "$3"
  exit 0
  ;;
esac
list=jobs
[ "$1" = long ] && list=slow
rm -rf $out
mkdir -p $out
printf '%s\n' address thread clang |
  xargs -P 2 -L 1 sh scripts/sanitize.sh part $list
$list | awk '{ print NR }' | xargs -P 2 -I{} sh scripts/sanitize.sh job $list {}
count() {
  cat $out/*/result | grep -c "$1"
}
echo "$(count passed) passed, $(count failed) failed, $(count skipped) skipped"
[ "$(count failed)" -eq 0 ]
