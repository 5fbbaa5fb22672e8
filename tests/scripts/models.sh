#!/bin/sh
# Runs the examples on the real models. Their results were compared with an independent implementation
# once; since then the same numbers must come out, within what a fast context may differ by.
cd "$(dirname "$0")/../../examples" || exit 1
models=${WEBNN_MODELS:-../../shared/models}
case $models in /*) ;; *) models=$(cd "$models" 2>/dev/null && pwd) ;; esac
passed=0 failed=0 skipped=0
mkdir -p build/models

# The sentence with the results, and the most that each of its numbers may differ by, relative to it: float
# sums depend on the kernels in their last bits.
expected() {
  case $1 in
  lenet) echo "10 of 10 right" ;;
  mobilenetv2) echo "sum 807.259, sum weighted by position 505163.0" ;;
  nsnet2) echo "-38.1 dB before, -51.2 dB after:" ;;
  esac
}
tolerance() {
  case $1 in
  lenet) echo 0 ;;
  mobilenetv2) echo 1e-5 ;;
  nsnet2) echo 5e-3 ;;
  esac
}

# says FILE SENTENCE TOLERANCE: some line of FILE contains SENTENCE, its numbers within the tolerance.
says() {
  awk -v sentence="$2" -v tolerance="$3" '
    function near(word, like) {
      if (like !~ /^-?[0-9]/) return word == like
      if (word !~ /^-?[0-9]/) return 0
      difference = word - like; size = like + 0
      if (difference < 0) difference = -difference
      if (size < 0) size = -size
      return difference <= tolerance * size
    }
    BEGIN { count = split(sentence, like, " ") }
    {
      for (start = 0; start + count <= NF; ++start) {
        same = 1
        for (i = 1; i <= count && same; ++i) same = near($(start + i), like[i])
        if (same) found = 1
      }
    }
    END { exit !found }' "$1"
}

# Builds an example with the library of the tests.
build() { # name
  sed 's/^#define WEBNN_IMPLEMENTATION.*//' */"$1".c |
    ${CC:-cc} -O1 -I.. -I"$(dirname */"$1".c)" -x c - -x none ../tests/build/webnn.o -o build/models/"$1" -pthread -lm
}
arguments() { # name
  echo "$models/$1"
  [ "$1" != nsnet2 ] || echo "$models/nsnet2/noisy_16k.wav build/models/clean.wav"
}

for name in digits lenet mobilenetv2 nsnet2; do
  build $name || { echo "$name: does not build"; failed=$((failed + 1)); }
done
for name in lenet mobilenetv2 nsnet2; do
  if [ -z "$models" ] || [ ! -d "$models/$name" ]; then
    skipped=$((skipped + 1))
    echo "$name: skipped: its weights are not there"
    continue
  fi
  # shellcheck disable=SC2046
  build/models/$name $(arguments $name) >build/models/text 2>&1
  status=$?
  grep -v '\r' build/models/text | tail -n 4
  if [ $status -eq 0 ] && says build/models/text "$(expected $name)" "$(tolerance $name)"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$name: expected \"$(expected $name)\", exit status $status"
  fi
done
# The model in the repository is what the program beside it writes.
if ${CC:-cc} -std=c99 -O0 -DWEBNN_NO_SIMD -I.. -pthread digits/onnx.c -o build/models/digits-onnx -lm &&
  build/models/digits-onnx digits/weights.bin build/models/digits.onnx && cmp build/models/digits.onnx digits/digits.onnx; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  echo "digits/digits.onnx is not what digits/onnx.c writes: make -C examples digits-onnx"
fi
if [ -n "$models" ] && [ -d "$models/lenet/digits" ]; then
  # At least nine of the ten real MNIST digits with the project's own weights.
  right=0
  for digit in 0 1 2 3 4 5 6 7 8 9; do
    build/models/digits digits/weights.bin "$models/lenet/digits/$digit.idx" 2>/dev/null | grep -qE ": $digit \(" &&
      right=$((right + 1))
  done
  echo "digits: $right of 10 MNIST digits read rightly"
  if [ $right -ge 9 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
