#!/bin/sh
# Which lines, branches and functions of a header do the test programs take? Builds the programs that it
# is given without optimization and with gcov's counters, runs them two at a time, and prints a table
# by chapter and the branches that none of them takes (coverage.py). Random programs run fewer rounds
# than elsewhere. In the environment:
#   COVERAGE_CHAPTERS  the chapters whose branches are listed, "13" or "2 9 12" (all but the kernels)
#   COVERAGE_HEADER    webnn.h, or a header of examples/headers, with the programs of networks/ that test it
#   COVERAGE_LEAST     the percentage of its branches below which a chapter fails (the kernels do not; 80)
#   COVERAGE_FLAGS     more for the compiler: -DWEBNN_NO_SIMD is much faster and enough for all
#                      chapters but 13
# The list is kept in build/coverage/branches.txt.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
out=build/coverage
CC=${COVERAGE_CC:-gcc}
for tool in "$CC" gcov python3; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "coverage: skipped: there is no $tool"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
  fi
done
rm -rf $out
mkdir -p $out

# An assertion's other branch must not be taken, so there are none.
flags="-O0 -DNDEBUG $COVERAGE_FLAGS"
# MPFR is where the references of three programs come from.
mpfr=
if printf '#include <mpfr.h>\n' | $CC -E -x c - >/dev/null 2>&1; then
  mpfr="-DWEBNN_HAVE_MPFR -lmpfr -lgmp"
fi

# The headers of examples/headers: the implementations that are compiled, and the programs.
header=${COVERAGE_HEADER:-webnn.h} path=../webnn.h counted="-DWEBNN_IMPLEMENTATION ../webnn.h" objects=
if [ "$header" != webnn.h ]; then
  models=../examples/headers path=../examples/headers/$header
  includes="$includes -I$models -Inetworks"
  onnx="-DWEBNN_ONNX_IMPLEMENTATION $models/webnn_onnx.h"
  write="-DWEBNN_ONNX_WRITE_IMPLEMENTATION $models/webnn_onnx_write.h"
  stablehlo="-DWEBNN_XLA_IMPLEMENTATION -DWEBNN_STABLEHLO_IMPLEMENTATION $models/webnn_stablehlo.h"
  weights="-DWEBNN_WEIGHTS_IMPLEMENTATION $models/webnn_weights.h"
  case $header in
  webnn_onnx.h | webnn_extra.h) counted=$onnx others="write stablehlo weights" && set -- onnx_cases onnx_forms onnx_types onnx_malformed onnx_backend ;;
  webnn_onnx_write.h) counted=$write others="onnx stablehlo weights" && set -- onnx_write ;;
  webnn_stablehlo.h | webnn_xla.h)
    counted=$stablehlo others="onnx write weights" && set -- stablehlo by_hand malformed programs xla xla_products xla_folds ;;
  webnn_weights.h) counted=$weights others="onnx write stablehlo" && set -- weights ;;
  *)
    echo "coverage: COVERAGE_HEADER is webnn.h or one of examples/headers"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
    ;;
  esac
  # What is not counted, compiled once.
  for other in library $others; do
    eval "source=\${$other:--DWEBNN_IMPLEMENTATION ../webnn.h}"
    $CC -std=gnu11 $flags -DWEBNN_NO_SIMD $includes -c -x c $source -o $out/other-$other.o -pthread || exit 1
    objects="$objects $out/other-$other.o"
  done
fi

build() { # a program; those that include the implementation have counters of their own
  case " $INSIDE " in
  *" $1 "*) set -- "$1" --coverage ;;
  *) set -- "$1" "-DWEBNN_TEST_LINKED $out/counted.o $objects" ;;
  esac
  source=$(source_of "$1.c")
  $CC -std=gnu11 $flags $includes "${source:-networks/$1.c}" $2 -o "$out/$1" $mpfr -lgcov -pthread -lm
}

run() { # a program, with arguments that bound it
  case $1 in
  conformance) "$out/$1" && "$out/$1" reference && "$out/$1" unaligned ;;
  passes | near_misses) "$out/$1" 100 ;;
  exact) "$out/$1" 500 ;;
  exact_sums) "$out/$1" 4 ;;
  exact_operators) "$out/$1" 150 ;;
  fast_products | fast_quantized | fast_recurrent) "$out/$1" 5 ;;
  malformed | programs) "$out/$1" networks/modules ;;
  onnx_backend) "$out/$1" "${WEBNN_ONNX_DATA:-/usr/share/libonnx-testdata/data}" ;;
  *) "$out/$1" ;;
  esac
}

one() { # leaves "passed" or "failed" in a file
  echo failed >"$out/$1.result"
  if ! build "$1" >"$out/$1.log" 2>&1; then
    echo "$1: does not build"
    head -n 20 "$out/$1.log"
  elif run "$1" >"$out/$1.log" 2>&1 </dev/null; then
    echo passed >"$out/$1.result"
  else
    echo "$1:"
    tail -n 20 "$out/$1.log"
  fi
}

half() { # every second program, from the first or the second on
  first=$1
  shift
  for name in "$@"; do
    first=$((1 - first))
    [ $first -eq 0 ] || one "$name"
  done
}

$CC -std=gnu11 $flags $includes --coverage -c -x c $counted -o $out/counted.o -pthread || {
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
}
half 0 "$@" &
half 1 "$@"
wait
python3 scripts/coverage.py $path $out "${COVERAGE_LEAST:-80}" "$COVERAGE_CHAPTERS" >$out/report
[ $? -le 1 ] && echo passed >$out/coverage.result || echo failed >$out/coverage.result
cat $out/report
passed=$(cat $out/*.result | grep -c passed)
failed=$(($(cat $out/*.result | grep -c failed) + $(grep -c '^chapter .* is below' $out/report)))
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
