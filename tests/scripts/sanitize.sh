#!/bin/sh
# The test programs under the sanitizers, two at a time: address, leak and undefined behaviour together and
# thread by gcc; undefined behaviour by clang, which also looks at arithmetic on null pointers, over the
# exact programs and with memory at odd addresses, too.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
out=build/sanitize
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# A kind is a compiler with its sanitizers.
compile() { # kind, arguments
  kind=$1
  shift
  case $kind in
  address) ${CC:-gcc} -std=c99 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all "$@" -pthread ;;
  thread) ${CC:-gcc} -std=c99 -g -O1 -fsanitize=thread "$@" -pthread ;;
  clang) clang -std=gnu11 -g -O0 -fsanitize=undefined -fno-sanitize-recover=all "$@" -pthread ;;
  esac
}

one() { # number of the job, kind, program, arguments: says what went wrong, and leaves a word in a file
  at=$out/$1 kind=$2 program=$3
  shift 3
  library="-DWEBNN_TEST_LINKED $out/webnn-$kind.o"
  case $program in inside | fast_products | fast_quantized | fast_attention | fast_vocabulary) library= ;; # call what is inside
  allocations_each | backend | exact) library=-DWEBNN_NO_SIMD ;;                                           # they, too
  esac
  case $program in exact*) library="$library -std=gnu11 -DWEBNN_HAVE_MPFR -lmpfr -lgmp" ;; esac
  echo failed >$at.result
  if [ "$kind" = clang ] && ! command -v clang >/dev/null 2>&1; then
    echo skipped >$at.result
    echo "$program ($kind): skipped: no clang"
  elif [ "${program#exact}" != "$program" ] && ! echo '#include <mpfr.h>' | ${CC:-gcc} -E -x c - >/dev/null 2>&1; then
    echo skipped >$at.result
    echo "$program ($kind): skipped: no MPFR"
  elif ! compile "$kind" $includes "$(source_of "$program.c")" $library -o $at -lm >$at.log 2>&1; then
    echo "$program ($kind): does not build"
    head -n 20 $at.log
  elif $at "$@" >$at.log 2>&1 </dev/null; then
    echo passed >$at.result
  else
    echo "$program ($kind):"
    tail -n 40 $at.log
  fi
  rm -f $at
}

# Kind, program, arguments; the long ones first.
jobs() {
  cat <<T
address fast_products
address fast_quantized
address fast_packed
thread threads
address fast_attention
address fast_vocabulary
address fast_rows
address fast_recurrent
thread any_thread
thread api
address passes 300
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
address near_misses 500
address allocations_each 40
address backend 60
thread backend 10
address comparisons
address compute
address handles
address steps
address printed
address conformance unaligned
clang fast_rows
clang exact 500
clang exact_sums 1
clang exact_operators 100
clang conformance unaligned
clang conformance reference
clang near_misses 300
clang passes 60
clang emulations
clang api
clang fast_elementwise
clang fast_movement
clang validation
T
}

if [ "$1" = job ]; then # from the workers below
  one "$2" $(jobs | sed -n "$2p")
  exit 0
fi
rm -rf $out
mkdir -p $out
for kind in address thread clang; do
  compile $kind $includes -c -x c -DWEBNN_IMPLEMENTATION ../webnn.h -o $out/webnn-$kind.o >$out/log 2>&1 &
done
wait
jobs | awk '{ print NR }' | xargs -P 2 -I{} sh scripts/sanitize.sh job {}
count() {
  cat $out/*.result | grep -c "$1"
}
echo "$(count passed) passed, $(count failed) failed, $(count skipped) skipped"
[ "$(count failed)" -eq 0 ]
