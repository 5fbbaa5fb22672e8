#!/bin/sh
# The test programs under the sanitizers: address, leak and undefined behaviour together, thread alone.
cd "$(dirname "$0")" || exit 1
mkdir -p build/sanitize
passed=0 failed=0 skipped=0
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

run() { # sanitizers, program, arguments
  san=$1 name=$2
  shift 2
  out=build/sanitize/$name
  if ! ${CC:-gcc} -std=c99 -g -O1 -fsanitize="$san" -fno-sanitize-recover=all "$name.c" -o "$out" \
    -pthread -lm >build/sanitize/log 2>&1; then
    failed=$((failed + 1))
    echo "$name ($san): does not build"
    head -n 20 build/sanitize/log
  elif "$out" "$@" >build/sanitize/log 2>&1 </dev/null; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$name ($san):"
    tail -n 40 build/sanitize/log
  fi
}
for name in validation shapes emulations arithmetic api allocations threads conformance validation_recordings \
  fast_products fast_elementwise fast_movement fast_rows fast_recurrent fast_quantized fast_attention \
  fast_vocabulary passes; do
  run address,undefined $name
done
for name in threads api; do
  run thread $name
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
