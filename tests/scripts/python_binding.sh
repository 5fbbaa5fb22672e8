#!/bin/sh
# examples/python/webnn.py: what it promises, the bits of the conformance vectors beside C's, and wrong arguments,
# the latter under the address and undefined-behaviour sanitizers. Everything is skipped without numpy.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
python=${PYTHON:-python3}
CC=${CC:-cc}
out=$PWD/build/python
PYTHONPATH=$PWD/../examples/python PYTHONDONTWRITEBYTECODE=1
WEBNN_CACHE=$out
WEBNN_HEADERS=
export PYTHONPATH PYTHONDONTWRITEBYTECODE WEBNN_CACHE WEBNN_HEADERS CC
mkdir -p "$out"
small="-O1 -DWEBNN_NO_FAST_KERNELS"

skip() {
  skipped=$((skipped + 1))
  echo "python: $1: skipped: $2"
}

# Runs a program that closes with its sums, which are added up.
part() { # title, command
  title=$1
  shift
  "$@" >"$out/log" 2>&1
  status=$?
  sums=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$out/log" | tail -n 1 | tr -dc '0-9 ')
  # shellcheck disable=SC2086
  set -- ${sums:-0 1 0}
  if [ $status -ne 0 ] && [ "$2" -eq 0 ]; then set -- "$1" 1 "$3"; fi
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
  echo "python: $title: $1 passed, $2 failed"
  if [ "$2" -ne 0 ]; then tail -n 30 "$out/log"; fi
}

bits() { # numerics
  build/conformance "$1" bits >"$out/bits" && "$python" python/vectors.py "$vectors" "$1" <"$out/bits"
}

# README's Python prints what its comment says.
readme() {
  block=$(sed -n '/^```python$/,/^```$/p' ../README.md | sed '/^```/d')
  says=$(echo "$block" | sed -n '$s/.*  # //p')
  [ "$says" ] && [ "$(cd .. && echo "$block" | PYTHONPATH=examples/python "$python" -)" = "$says" ] &&
    echo "1 passed, 0 failed, 0 skipped"
}

# The library is made by the sanitizing compiler, whose runtime must be there before Python.
sanitized() {
  runtime=$($CC -print-file-name=libasan.so)
  echo 'int main(void) { return 0; }' | $CC -fsanitize=address,undefined -x c - -o "$out/sanitizers" 2>/dev/null &&
    [ -f "$runtime" ] && LD_PRELOAD=$runtime ASAN_OPTIONS=detect_leaks=0 "$python" -c 'import numpy' >/dev/null 2>&1
}

if ! "$python" -c 'import numpy' >/dev/null 2>&1; then
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' >/dev/null 2>&1; then break; fi
  done
fi
if ! "$python" -c 'import numpy' >/dev/null 2>&1; then
  skip "all" "no python3 with numpy (Debian: python3-numpy)"
else
  WEBNN_CFLAGS=$small part "README" readme
  WEBNN_CFLAGS=$small part "promises" "$python" python/api.py ../examples/digits/digits.onnx ../examples/digits/images
  vectors=${WEBNN_WPT:-../../shared/wpt}/conformance
  if [ -d "$vectors" ]; then
    WEBNN_CFLAGS=$small part "bits of reference contexts" bits reference
    WEBNN_CFLAGS="-O1 -DWEBNN_INSTRUCTION_SETS=63" part "bits of fast contexts" bits fast
  else
    skip "vectors" "no vectors in ../../shared/wpt or \$WEBNN_WPT"
  fi
  if sanitized; then
    UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$runtime \
      WEBNN_CFLAGS="$small -O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined" \
      part "wrong arguments, sanitized" "$python" python/wrong.py 5
  else
    skip "sanitizers" "the compiler lacks them"
    WEBNN_CFLAGS=$small part "wrong arguments" "$python" python/wrong.py 5
  fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
