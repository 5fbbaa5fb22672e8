#!/bin/sh
# Compiles the benchmark with every compiler here, with and without the libraries to compare with, and
# runs the tiny cases and networks: do all compute the same? Times do not matter here.
cd "$(dirname "$0")" || exit 1
out=${OUT:-../build/bench}
passed=0 failed=0 skipped=0 run=
log=$out/check.log
mkdir -p "$out"

add() { # a name and the closing line of $log
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1 | tr -dc '0-9 ')
  grep -E '^(MISMATCH|error|skipped)|does not run' "$log"
  if [ -z "$line" ]; then
    failed=$((failed + 1))
    echo "$1: no closing line"
    return
  fi
  set -- $line
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

builds() { # a folder and what make gets besides
  folder=$1
  shift
  if make -s OUT="$folder" CFLAGS="$level -Werror" "$@" "$folder/bench" "$folder/models" "$folder/threads" "$folder/onnx_start" "$folder/onnx_sizes" >"$log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "does not build: $*"
    head -n 20 "$log"
  fi
}

# Without optimization, which costs more time than these cases; the second compiler without vector kernels, too, as
# nothing of it is run.
for compiler in gcc clang; do
  if ! command -v $compiler >/dev/null 2>&1; then
    echo "skipped: $compiler is not here"
    skipped=$((skipped + 1))
    continue
  fi
  level="-O0 -DWEBNN_NO_SIMD"
  if [ -z "$run" ]; then
    run=$out/$compiler level=-O0
  fi
  builds "$out/$compiler" CC=$compiler
  # Where no library to compare with has a header here, a build without them is the same.
  if [ "$(make -s CC=$compiler peer-flags)" ]; then
    mkdir -p "$out/$compiler-alone" # the library does not know the others
    cp -p "$out/$compiler/webnn.o" "$out/$compiler-alone/" 2>/dev/null
    builds "$out/$compiler-alone" CC=$compiler NO_PEERS=1
  fi
done

alone=$run
[ -d "$run-alone" ] && alone=$run-alone
WEBNN_BENCH=$out "$run/bench" --check >"$log" 2>&1
add "tiny cases"
WEBNN_BENCH=$out "$run/models" --small --quick --json "$out/check.json" >"$log" 2>&1
add "tiny networks"
# The model of more threads: a line for each network, no faster than the number of threads.
WEBNN_BENCH=$out "$run/threads" --small --threads 4 --min-time 0.01 >"$log" 2>&1
if [ "$(awk '$4 > 0.01 && $4 <= 4 && NF == 4' "$log" | wc -l)" -eq 8 ]; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  echo "the model of more threads:"
  cat "$log"
fi
SIZE=small OUT=$run WEBNN_BENCH=$out sh onnx_sizes.sh --longest 40 --calls 12 >"$log" 2>&1
if grep -qE '^not measured|libonnxruntime.so is not found' "$log"; then
  echo "skipped: other sizes: $(tail -n 1 "$log")"
  skipped=$((skipped + 1))
else
  add "other sizes"
fi
# nobody to compare with: it must run all the same
WEBNN_ONNXRUNTIME=/nowhere "$alone/bench" --check --peers ours,ort,onednn,xnnpack >"$log" 2>&1
add "tiny cases alone"

if ! command -v python3 >/dev/null 2>&1; then
  echo "skipped: the chart, python3 is not here"
  skipped=$((skipped + 1))
elif python3 chart.py "$out/check.json" >"$out/check.svg" && grep -q '</svg>' "$out/check.svg"; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  echo "the chart is not drawn"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
