#!/bin/sh
# Fuzzing with sanitizers: mutations of the files of corpus/NAME with any compiler, and libFuzzer where
# clang has it. `sh fuzz.sh NAME...` takes only some. The corpus is read first, then as many mutations are tried on
# each machine; the seed is that of the day (FUZZ_SEED another one), and printed, so that the search can be repeated.
# FUZZ_SECONDS is a time for each of the two instead; LIBFUZZER=no leaves the second one out.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
names=${*:-oracle interface networks sessions}
seconds=${FUZZ_SECONDS:-}
seed=${FUZZ_SEED:-$(date -u +%Y%m%d)}
echo "seed $seed (again: FUZZ_SEED=$seed make -C tests fuzz)"
passed=0 failed=0 skipped=0
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# What each target is built of. Reference kernels are enough, and are compiled soonest.
sources_of() {
  case $1 in oracle) ls ../examples/webnn/*.c ../examples/webnn/*/*.c ;; esac
}

# Of networks its own modules, models that are written for it, and files of weights.
corpus_of() {
  case $1 in
  networks)
    models=build/fuzz/models
    for folder in tests/dense tests/deeper/reshape halves half not_half wrong out; do mkdir -p $models/$folder/test_data_set_0; done
    mkdir -p $models/tests/dense/test_data_set_1 $models/halves/test_data_set_1 $models/empty $models/in $models/rate
    ${CC:-cc} -std=c99 networks/files/onnx_files.c -o $models/write && $models/write $models >/dev/null
    mkdir -p $models/seeds && cp $models/*.onnx networks/modules/*.mlir fuzz/corpus/networks/* fuzz/corpus/oracle/*.npy \
      fuzz/corpus/oracle/*.safetensors $models/seeds && echo $models/seeds
    ;;
  *) echo "fuzz/corpus/$1" ;;
  esac
}
mutations_of() {
  case $1 in oracle) echo 10000 ;; networks) echo 3000 ;; *) echo 2000 ;; esac
}
libfuzzer_runs_of() {
  case $1 in oracle) echo 6000 ;; networks) echo 2000 ;; *) echo 500 ;; esac
}

build() { # name, sanitizers, compiler and flags: leaves $out/fuzz
  name=$1 sanitizers=$2
  shift 2
  for file in $(sources_of "$name") "fuzz/fuzz_$name.c"; do
    "$@" -std=c99 -g -O0 -fsanitize="$sanitizers" -fno-sanitize-recover=all -DWEBNN_NO_SIMD $includes \
      -I../examples/headers \
      $(case $file in */main.c) echo -Dmain=oracle_main ;; esac) \
      -c "$file" -o "$out/$(basename "$file" .c).o" || return 1
  done
  "$@" -g -fsanitize="$sanitizers" "$out"/*.o -o "$out/fuzz" -pthread -lm
}

fuzz() { # title, command
  title=$1
  shift
  if "$@" >"$out/log" 2>&1 </dev/null; then
    passed=$((passed + 1))
    echo "$title: $(grep -a 'mutations$\|^Done' "$out/log" | tail -n 1)"
  else
    failed=$((failed + 1))
    cp "$files/input" "$out/found-input" 2>/dev/null
    echo "$title: $*"
    grep -a -A 20 'ERROR: \|runtime error: \|^fuzz: ' "$out/log" | head -n 60
    tail -n 5 "$out/log"
    ls "$out"/found-*
  fi
  rm -rf "$files"
}

start() { # name, kind: makes empty folders, that of the input files in memory where that can be
  out=build/fuzz/$1-$2
  rm -rf "$out" && mkdir -p "$out/corpus" || exit 1
  files=$(mktemp -d /dev/shm/fuzz.XXXXXX 2>/dev/null || mktemp -d) || exit 1
}

for name in $names; do
  most=$(mutations_of "$name") limit=-runs=$(libfuzzer_runs_of "$name")
  if [ "$seconds" ]; then
    most=${seconds}s limit=-max_total_time=$seconds
  fi
  start "$name" mutations
  if build "$name" address,undefined ${CC:-cc} >"$out/log" 2>&1; then
    fuzz "$name, mutations" "$out/fuzz" "$files" "$most" "$seed" $(corpus_of "$name")/*
  else
    failed=$((failed + 1))
    echo "$name: does not build"
    head -n 20 "$out/log"
  fi
  [ "${LIBFUZZER:-yes}" = yes ] || continue
  start "$name" libfuzzer
  if ! echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n > 1 && 0; }' |
    clang -x c - -fsanitize=fuzzer,address,undefined -o "$out/probe" 2>/dev/null; then
    skipped=$((skipped + 1))
    echo "$name, libFuzzer: skipped: no clang with libFuzzer (Debian: clang and libclang-rt-14-dev)"
  elif build "$name" fuzzer,address,undefined clang -DFUZZ_LIBFUZZER >"$out/log" 2>&1; then
    export FUZZ_FOLDER="$files"
    fuzz "$name, libFuzzer" "$out/fuzz" "$limit" -max_len=4096 \
      -seed="$seed" -timeout=60 -artifact_prefix="$out/found-" "$out/corpus" "$(corpus_of "$name")"
    unset FUZZ_FOLDER # which the next target's mutations would take for theirs
  else
    failed=$((failed + 1))
    echo "$name, libFuzzer: does not build"
    head -n 20 "$out/log"
  fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
