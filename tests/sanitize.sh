#!/bin/sh
# The test programs under the sanitizers: address, leak and undefined behaviour together, thread alone;
# two at a time.
cd "$(dirname "$0")" || exit 1
rm -rf build/sanitize
mkdir -p build/sanitize
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

compile() { # sanitizers, arguments
  san=$1
  shift
  ${CC:-gcc} -std=c99 -g -O1 -fsanitize="$san" -fno-sanitize-recover=all "$@" -pthread
}

one() { # sanitizers, program: says what went wrong, and leaves "passed" or "failed" in a file
  out=build/sanitize/$2-$1
  library="-DWEBNN_TEST_LINKED build/sanitize/webnn-$1.o"
  case $2 in fast_products | fast_quantized | fast_attention | fast_vocabulary) library= ;; # call what is inside
  esac
  echo failed >$out.result
  if ! compile "$1" "$2.c" $library -o $out -lm >$out.log 2>&1; then
    echo "$2 ($1): does not build"
    head -n 20 $out.log
  elif $out >$out.log 2>&1 </dev/null; then
    echo passed >$out.result
  else
    echo "$2 ($1):"
    tail -n 40 $out.log
  fi
}

{
  for name in fast_products fast_quantized fast_attention validation shapes emulations arithmetic api allocations \
    threads conformance validation_recordings fast_elementwise fast_movement fast_rows fast_recurrent \
    fast_vocabulary passes; do
    echo address,undefined $name
  done
  echo thread threads
  echo thread api
} >build/sanitize/jobs

half() { # every second program, from the first or the second on
  awk "(NR + $1) % 2 == 0" build/sanitize/jobs >build/sanitize/jobs.$1
  while read -r san name; do
    one $san $name
  done <build/sanitize/jobs.$1
}
for san in address,undefined thread; do
  compile $san -c -x c -DWEBNN_IMPLEMENTATION ../webnn.h -o build/sanitize/webnn-$san.o >build/sanitize/log 2>&1 &
done
wait
half 1 &
half 2
wait
passed=$(cat build/sanitize/*.result | grep -c passed)
failed=$(cat build/sanitize/*.result | grep -c failed)
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
