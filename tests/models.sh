#!/bin/sh
# Runs the examples on the real models. Their results were compared with an independent implementation
# once; since then the same digits must come out.
cd "$(dirname "$0")/../examples" || exit 1
models=${WEBNN_MODELS:-../../shared/models}
case $models in /*) ;; *) models=$(cd "$models" 2>/dev/null && pwd) ;; esac
passed=0 failed=0 skipped=0
mkdir -p build

expected() {
  case $1 in
  lenet) echo "10 of 10 right" ;;
  mobilenetv2) echo "sum 807.259, sum weighted by position 505163.0" ;;
  nsnet2) echo "-38.1 dB before, -51.2 dB after" ;;
  esac
}

for name in lenet mobilenetv2 nsnet2; do
  if [ -z "$models" ] || [ ! -d "$models/$name" ]; then
    skipped=$((skipped + 1))
    echo "$name: skipped: its weights are not there"
    continue
  fi
  ${MAKE:-make} -s "$name" MODELS="$models" >build/model.txt 2>&1
  status=$?
  grep -v '\r' build/model.txt | tail -n 4
  if [ $status -eq 0 ] && grep -qF -- "$(expected $name)" build/model.txt; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$name: expected \"$(expected $name)\", exit status $status"
  fi
done
if [ -n "$models" ] && [ -d "$models/lenet/digits" ]; then
  # At least nine of the ten real MNIST digits with the project's own weights.
  right=0
  for digit in 0 1 2 3 4 5 6 7 8 9; do
    build/digits digits/weights.bin "$models/lenet/digits/$digit.idx" 2>/dev/null | grep -qE ": $digit \(" &&
      right=$((right + 1))
  done
  echo "digits: $right of 10 MNIST digits read rightly"
  if [ $right -ge 9 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
