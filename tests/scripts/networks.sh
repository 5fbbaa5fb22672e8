#!/bin/sh
# The test programs of networks/ ($NETWORKS, by name), and the command webnn of examples/webnn: each
# command, each exit status, graphs converted to C and to text that compute the same bits, malformed
# input refused in words.
# CFLAGS may ask for sanitizers: CC=clang CFLAGS="-g -O1 -fsanitize=address,undefined" sh networks.sh
# With BUILT, a folder with the command and its objects, only the command is tested, as it is there.
cd "$(dirname "$0")/.." || exit 1
. scripts/command.sh
source=../examples
shared=../../shared
vectors=${WEBNN_WPT:-$shared/wpt}/conformance
modules=${WEBNN_STABLEHLO:-$shared/stablehlo}/testdata
built=${BUILT:-build}
out=$built/command_files
tool=$built/webnn
small=$source/webnn/small.json fifty=$source/webnn/fifty.json
CC=${CC:-cc}
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
. scripts/python.sh
find_python numpy
passed=0 failed=0 skipped=0
rm -rf "$out" && mkdir -p "$out" || exit 1

skip() {
  skipped=$((skipped + 1))
  echo "networks: $1"
}

same() { # file, file, title
  if cmp -s "$1" "$2"; then right; else wrong "$3: $1 and $2 differ"; fi
}

# ---- The headers in compilers and dialects ------------------------------------------------------

read_headers() {
  mkdir -p "$out/headers"
  for header in stablehlo onnx onnx_write weights; do
    echo "#include \"webnn_$header.h\"" | tee "$out/headers/$header.c"
  done >"$out/headers/all.c"
  alone="stablehlo onnx onnx_write weights"
  for compiler in "gcc -std=c99" "gcc" "clang -std=c11" "clang" "g++ -std=c++17 -x c++" "g++ -x c++" "clang++ -std=c++17 -x c++" \
    "clang++ -std=c++20 -x c++" "x86_64-w64-mingw32-gcc -std=c99"; do
    if ! command -v "${compiler%% *}" >/dev/null; then
      skip "headers: skipped: no ${compiler%% *}"
      continue
    fi
    # Each header by itself is read by the first compiler, all together by every one.
    for header in $alone all; do
      if $compiler $warnings -fsyntax-only -I.. -I$source/headers -DWEBNN_XLA_IMPLEMENTATION -DWEBNN_STABLEHLO_IMPLEMENTATION \
        -DWEBNN_ONNX_IMPLEMENTATION -DWEBNN_ONNX_WRITE_IMPLEMENTATION -DWEBNN_WEIGHTS_IMPLEMENTATION \
        "$out/headers/$header.c" >"$out/log" 2>&1; then
        right
      else
        wrong "$header.c of the headers with $compiler: $(grep -m 2 -E 'error|warning' "$out/log")"
      fi
    done
    alone=
  done
}

# ---- The programs ------------------------------------------------------------------------------

# Runs a program with its arguments; shows what it prints but for its closing line, which counts.
run_program() { # name, arguments
  program=$1
  shift
  run_command "$program" "build/networks/$program" "$@"
}

run_command() { # name, command
  name=$1
  shift
  "$@" >"$out/log" 2>&1 </dev/null
  status=$?
  sums=$(awk '/^[0-9]+ passed, [0-9]+ failed/ { line = $0 } /^[0-9]+ checks, [0-9]+ failed/ { line = $1 - $3 " passed, " $3 " failed" }
    END { if (line != "") print line }' "$out/log")
  sed "s/^/  $name: /" "$out/log" | tail -n 40
  if [ -z "$sums" ]; then
    wrong "$name: no closing line (exit status $status)"
    return
  fi
  set -- $(echo "$sums" | tr -cd '0-9 ')
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + ${3:-0}))
  [ $status -eq 0 ] || [ "$2" -ne 0 ] || wrong "$name: exit status $status"
  return 0
}

run_programs() {
  for name in $NETWORKS; do
    if ! ${MAKE:-make} -s "build/networks/$name" >"$out/log" 2>&1; then
      wrong "$name: does not build: $(grep -m 3 error "$out/log")"
    elif [ "$name" = onnx_backend ]; then
      continue # below, where its numbers are held against the page
    elif [ "$name" = malformed ]; then
      run_program malformed networks/modules
    elif [ "$name" = weights ]; then
      mkdir -p "$out/numpy"
      if [ "$python" ] && $python scripts/weights.py write "$out/numpy"; then
        run_program weights "$out/numpy"
        run_command numpy $python scripts/weights.py read "$out/numpy"
      else
        run_program weights
      fi
    elif [ "$name" = onnx_write ]; then
      mkdir -p "$out/onnx" && run_program onnx_write --out "$out/onnx"
    elif [ "$name" = onnx_write_dynamic ]; then
      mkdir -p "$out/onnx_dynamic" && run_program onnx_write_dynamic --out "$out/onnx_dynamic"
    elif [ "$name" != programs ]; then
      run_program "$name"
    elif run_program programs networks/modules && [ -d "$modules" ]; then
      run_program programs --page ../docs/stablehlo.md "$modules"
      run_program programs --fast --page ../docs/stablehlo.md "$modules"
    else
      skip "programs: skipped: no $modules (set WEBNN_STABLEHLO)"
    fi
  done

  # The models that onnx_write has left, in ONNX Runtime: `make -C tests bench-peers` installs it.
  : "${ONNXRUNTIME_NODE:=$(cd "${WEBNN_BENCH:-build/bench}/node_modules/onnxruntime-node" 2>/dev/null && pwd)}"
  export ONNXRUNTIME_NODE
  if ! command -v node >/dev/null; then
    skip "onnxruntime: skipped: no node"
  elif [ -s "$out/onnx/list" ]; then
    run_command onnxruntime node scripts/onnxruntime.js "$out/onnx"
    run_command "onnxruntime, dynamic" node scripts/onnxruntime.js "$out/onnx_dynamic"
  else
    skip "onnxruntime: skipped: no models without conformance vectors"
  fi

  # Random models of every operator, which both read.
  if ${MAKE:-make} -s build/onnx.o build/webnn.o; then
    run_command onnx_judge sh scripts/onnx_judge.sh "$out/judge" 1 12
  else
    wrong "onnx_judge: webnn_onnx.h does not build"
  fi
}

if [ -z "${BUILT:-}" ]; then
  read_headers
  run_programs
fi

# ---- The command --------------------------------------------------------------------------------

library="$built/networks.o $built/onnx.o $built/onnx_write.o $built/weights.o $built/webnn.o"
if [ -z "${BUILT:-}" ] && ! ${MAKE:-make} -s $library $tool $tool-oracle; then
  echo "0 passed, 1 failed"
  exit 1
fi
right

expect 2 "no command"
has stderr "webnn run MODEL" "usage"
expect 0 "help" --help
has stdout "Exit status" "help"
expect 0 "help of a command" run "$small" --help
has stdout "Exit status" "help of a command"
expect 2 "an unknown command" rnu "$small"
has stderr 'there is no command rnu; is "run" meant?; the commands are run, profile, info' "an unknown command"
expect 2 "a near option in place of a command" --versoin
has stderr 'there is no command --versoin; is "--version" meant?' "a near option in place of a command"
expect 2 "an option with one dash" info "$small" -json
has stderr 'there is no option -json; is "--json" meant?' "an option with one dash"
expect 2 "no model" run
has stderr "run needs a MODEL" "no model"
expect 2 "two models" run "$small" "$small"
expect 2 "an unknown option" run "$small" --quietly 3
has stderr "there is no option --quietly" "an unknown option"
lacks stderr "meant" "an unknown option"
expect 2 "an option that is nearly one" run "$small" --theads=3
has stderr 'there is no option --theads; is "--threads" meant?' "an option that is nearly one"
expect 2 "a value that is missing" run "$small" --threads
has stderr "--threads must have a value, N" "a value that is missing"
expect 2 "a value that is not wanted" run "$small" --reference=yes
has stderr "--reference takes no value" "a value that is not wanted"
expect 0 "a value behind =" run "$small" --threads=1 --show=2
has stdout "and 2 more elements" "a value behind ="
expect 2 "an option of another command" info "$small" --labels x
has stderr "info takes no --labels" "an option of another command"
expect 2 "an option of the other half of run" run "$small" --exact --repeat 3
has stderr "run --exact takes no --repeat" "an option of the other half of run"
expect 2 "a near option of judge" judge "$small" --atl 3
has stderr 'there is no option --atl; is "--atol" meant?' "a near option of judge"
expect 2 "a near command of the exact ones" jugde "$small"
has stderr 'is "judge" meant?' "a near command of the exact ones"
expect 2 "limits of something" limits "$small"
has stderr 'limits takes no arguments; "' "limits of something"

# ---- One program --------------------------------------------------------------------------------

expect 0 "the version" --version
has stdout "webnn $(sed -n 's/^#define WEBNN_VERSION_MAJOR //p' ../webnn.h)." "the version"
for part in "compiler: " "instruction set: " "Vulkan: not compiled in"; do has stdout "$part" "the version"; done
for verb in run profile info check test dump convert judge trace graph explain exercise limits examples completion; do
  expect 0 "help of $verb" $verb --help
  has stdout "webnn $verb" "help of $verb"
  expect 0 "help $verb" help $verb
done
expect 0 "help of run" run --help
has stdout "--labels FILE" "help of run"
lacks stdout "--actual" "help of run"
expect 0 "help of run --exact" run --exact --help
has stdout "webnn run --exact GRAPH" "help of run --exact"
lacks stdout "--labels" "help of run --exact"
# Called by its second name it has the old verbs.
for line in "run --exact $small|run $small" "judge $fifty --fast|check $fifty --fast" "run $fifty --all --exact|run $fifty --all" \
  "judge $small --fast|check $small --fast" "run --arithmetic=accumulate=float16 $small|run $small --arithmetic accumulate=float16" \
  "judge $small|judge $small" "trace $small|trace $small" "run $small --all --fast|run $small --all --fast"; do
  expect 0 "${line%|*}" ${line%|*}
  if $tool-oracle ${line#*|} >"$out/second" 2>&1 && cmp -s "$out/second" "$out/stdout"; then
    right
  else
    wrong "webnn ${line%|*} and webnn-oracle ${line#*|} differ"
  fi
done
sed 's/"data": \[2.75, 0.875, 0, 1.1\]/"data": [2.75, 0.875, 0, 1.5]/' "$small" >"$out/planted.json"
expect 1 "judge of a wrong number" judge "$out/planted.json"
has stdout "WRONG in 1" "judge of a wrong number"
expect 0 "check of the same, which has no numbers" check "$out/planted.json"
has stdout "covered" "check of the same, which has no numbers"
expect 2 "--exact and --fast" run "$small" --exact --fast
has stderr "--fast and --exact exclude each other" "--exact and --fast"
for line in "run $small --exact --relaxed|--relaxed and --exact" "run $small --fast --relaxed|--relaxed and --fast" \
  "test $small --reference --relaxed|--relaxed and --reference"; do
  expect 2 "${line%|*}" ${line%|*}
  has stderr "${line#*|} exclude each other" "${line%|*}"
done
expect 0 "judge of relaxed kernels" judge "$fifty" --relaxed
has stdout "1 case: 1 right, 0 wrong" "judge of relaxed kernels"
expect 0 "a relaxed run" run ../examples/digits/digits.onnx --relaxed --random 1
expect 0 "convert to JSON" convert "$small" --out "$out/whole.json"
expect 0 "judge of what was converted" run --exact "$out/whole.json"
expect 0 "convert to webnn-graph's JSON" convert "$small" --out "$out/whole.graph.json" --format graph-json
has whole.graph.json "webnn-graph-json" "convert to webnn-graph's JSON"
expect 0 "weights with a manifest" convert "$fifty" --out "$out/blob.webnn" --weights "$out/blob.weights" --inline 0
[ -f "$out/blob.manifest.json" ] && right || wrong "convert --weights x.weights writes no manifest"
expect 2 "a JSON of another format" convert "$small" --out "$out/x.json" --format npy
has stderr "--format takes webnn, json or graph-json" "a JSON of another format"
expect 2 "explain without an operator" explain
has stderr "explain needs an operator" "explain without an operator"
expect 2 "explain in upper case" explain Conv2D
has stderr 'no operator "Conv2D"; is "conv2d" meant?' "explain in upper case"
expect 2 "trace of what there is not" trace conv2
has stderr 'there is no operator and no file of the name conv2; is "conv2d" meant?' "trace of what there is not"

# Completion, as the shells run it.
completes() { # what bash offers, the words of the line
  expected=$1
  shift
  if ! command -v bash >/dev/null; then
    skip "completion of \"$*\": skipped: no bash"
    return
  fi
  came=$(bash -c 'source "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _webnn && echo "${COMPREPLY[*]}"' "$out/bash" "$@")
  [ "$came" = "$expected" ] && right || wrong "completion of \"$*\": \"$came\", not \"$expected\""
}
expect 0 "completion for bash" completion bash
cp "$out/stdout" "$out/bash"
completes judge webnn ju
completes "profile" webnn pro
completes "--actual" webnn judge x --ac
completes "" webnn info --ac
completes "npy raw" webnn run --format ""
completes raw webnn run x --format = r
completes "webnn json graph-json" webnn convert x --format =
completes "conv2d convTranspose2d" webnn explain conv
completes "conv2d convTranspose2d" webnn exercise conv
completes "" webnn trace --docs ""
completes "" webnn run x
completes "bash zsh" webnn completion ""
"$tool-oracle" completion bash >"$out/second" && grep -q "complete .* _webnn_oracle webnn-oracle" "$out/second" &&
  grep -q "^  check)" "$out/second" && right || wrong "completion of the second name"
expect 0 "completion for zsh" completion zsh
if command -v zsh >/dev/null; then
  cp "$out/stdout" "$out/zsh"
  printf '%s\n' "compdef() { :; }; _describe() { print -l -- \$commands; }; _arguments() { print -l -- \"\$@\"; }" \
    "source $out/zsh; words=(webnn '') CURRENT=2 _webnn; words=(webnn trace '') CURRENT=3 _webnn" >"$out/try.zsh"
  zsh -f "$out/try.zsh" >"$out/offered" 2>&1
  for line in "judge:compare" "*--output=[the result to trace]:NAME:_files" "*:word:(argMin" "*:file:_files"; do
    has offered "$line" "completion for zsh"
  done
  lacks offered "not found" "completion for zsh"
else
  skip "completion for zsh: skipped: no zsh"
fi
expect 2 "completion for another shell" completion fish
has stderr 'completion takes bash or zsh, not "fish"' "completion for another shell"

# Long work tells how far it is, on a terminal only.
on_terminal() { # the standard error output of the command as a terminal gets it
  python3 -c 'import os, pty, subprocess, sys
ours, theirs = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
try:
    while part := os.read(ours, 4096):
        sys.stdout.write(part.decode())
except OSError:
    pass
sys.exit(child.wait())' "$tool" "$@" >"$out/terminal" 2>&1
}
if python3 -c 'import pty' 2>/dev/null; then
  on_terminal profile "$small" --duration 3
  has terminal "second 2 of 3" "progress of a long profile"
  on_terminal profile "$small" --duration 1 --repeat 1000000
  has terminal " of 1000000" "progress of many runs"
  on_terminal info "$small"
  [ -s "$out/terminal" ] && wrong "progress of what is soon done: $(cat "$out/terminal")" || right
else
  skip "progress: skipped: no python3 with pty"
fi
expect 0 "no progress in a file" profile "$small" --duration 1 --repeat 1000000
lacks stderr " of " "no progress in a file"

expect 2 "no number" run "$small" --random x
has stderr "takes a whole number" "no number"
expect 2 "no file" run nothing.webnn
has stderr "nothing.webnn" "no file"
printf 'PK\003\004 no model' >$out/model.pt
expect 2 "a model of another kind" run $out/model.pt
has stderr "model.pt: a model is ONNX (.onnx), StableHLO (.mlir), .webnn text or JSON" "a model of another kind"
expect 2 "two computers" run "$small" --fast --reference
expect 2 "Vulkan that is not there" run "$small" --vulkan
has stderr "without -DUSE_VULKAN" "Vulkan that is not there"
expect 2 "dump without a folder" dump "$small"
has stderr "dump needs --out" "dump without a folder"
expect 2 "a format that convert has not" convert "$small" --out $out/x.tflite
has stderr "convert writes .webnn, .json, .onnx, .dot and .c" "a format that convert has not"
expect 2 "a format of arrays" run "$small" --format text
if [ -w /dev/full ]; then
  "$tool" info "$small" >/dev/full 2>$out/stderr
  [ $? -eq 2 ] && right || wrong "what is printed is lost, and the exit status is not 2"
  has stderr "the standard output cannot be written" "what is printed is lost"
fi
expect 2 "a constant of a graph" run "$small" --constant a=1
has stderr "--constant is for ONNX models (.onnx), and not for $small" "a constant of a graph"
expect 0 "numbers of an input" run "$small" --reference --input a=1
has stdout "[[" "numbers of an input"
expect 2 "a fraction of an input" run "$small" --input a=1,2
has stderr "there must be a number for each of 6 elements; there are 2" "a fraction of an input"
expect 2 "a function of a graph" run "$small" --function f
expect 2 "checks of a graph" test "$small"
has stderr "has no checks in itself" "checks of a graph"
has stdout "0 passed, 1 failed, 0 not expressible" "checks of a graph"

# run: data of the file, random numbers, files; text, NPY and bytes.
expect 0 "run" run "$small" --reference
printf 'result: f32[2,2] =\n[[2.75, 0.875],\n[0, 1.1]]\n' >$out/expected
same $out/stdout $out/expected "run"
expect 0 "run with a seed" run "$small" --reference --random 7
cp $out/stdout $out/seven
has stderr "random, seed 7" "run with a seed"
expect 0 "run with the same seed" run "$small" --reference --random 7
same $out/stdout $out/seven "run with the same seed"
expect 0 "run with another seed" run "$small" --reference --random 8
if cmp -s $out/stdout $out/seven; then wrong "another seed gives the same numbers"; else right; fi
mkdir -p $out/raw $out/npy $out/in
expect 0 "bytes" run "$small" --reference --out $out/raw --format raw
expect 0 "NPY" run "$small" --reference --out $out/npy
tail -c 16 $out/npy/result.npy | cmp -s - $out/raw/result.bin && right || wrong "NPY and bytes differ"
expect 0 "a folder that is not there" run "$small" --reference --out $out/none/deeper/
cmp -s $out/none/deeper/result.npy $out/npy/result.npy && right || wrong "a folder that is made has other results"
expect 2 "a folder that cannot be made" run "$small" --out $out/raw/result.bin/none
has stderr "the folder cannot be made" "a folder that cannot be made"
printf '\000\000\200\077\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >$out/in/a.bin
expect 0 "an input's bytes" run "$small" --reference --input a=$out/in/a.bin
has stdout "[[0.5, 1]" "an input's bytes"
expect 0 "a folder of inputs" run "$small" --reference --inputs $out/in
has stdout "[[0.5, 1]" "a folder of inputs"
expect 2 "an input that there is not" run "$small" --input z=$out/in/a.bin
has stderr "has no input of this name" "an input that there is not"
expect 2 "an input's bytes that are too few" run "$small" --input a=$out/expected
has stderr "the file must have the 24 bytes of f32[2,3]; it has" "an input's bytes that are too few"
cp $out/expected $out/in/photo.jpg
expect 2 "a picture of another kind" run "$small" --input a=$out/in/photo.jpg
has stderr "photo.jpg: pictures are read as .ppm and .pgm" "a picture of another kind"
expect 2 "an input twice" run "$small" --input a=$out/in/a.bin --input a=$out/in/b.bin
has stderr "--input a=$out/in/b.bin: the input is given data twice" "an input twice"
npy_of() { # type, shape, elements as octal escapes: an NPY file
  header="{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
  printf "\\223NUMPY\\001\\000\\$(printf %03o ${#header})\\000%s" "$header"
  printf "$3"
}
zeros='\000\000\000\000\000\000\000\000'
npy_of '<f8' '(2, 3)' "\\000\\000\\000\\000\\000\\000\\360\\077$zeros$zeros$zeros$zeros$zeros" >$out/in/f64.npy
expect 2 "float64 for float32" run "$small" --reference --input a=$out/in/f64.npy
has stderr "save it as float32, or give --float64-as-float32" "float64 for float32"
expect 0 "float64 for float32 by an option" run "$small" --reference --input a=$out/in/f64.npy --float64-as-float32
has stdout "[[0.5, 1]" "float64 for float32 by an option"
echo 'webnn_graph "i" v1 { inputs { x: i32[2]; u: u32[2]; } nodes { y = identity(x); z = identity(u); } outputs { y; z; } }' >$out/i.webnn
mkdir -p $out/in16
npy_of '<i2' '(2,)' '\376\377\003\000' >$out/in16/x.npy
npy_of '<u2' '(2,)' '\376\377\003\000' >$out/in16/u.npy
expect 0 "16 bits for 32" run $out/i.webnn --inputs $out/in16
has stdout "y: s32[2] = [-2, 3]" "16 bits for 32"
has stdout "z: u32[2] = [65534, 3]" "16 bits for 32"
expect 2 "unsigned for signed" run $out/i.webnn --input x=$out/in16/u.npy --input u=$out/in16/u.npy
expect 2 "an NPY file of another shape" run "$small" --input a=$out/npy/result.npy
has stderr "result.npy: the tensor must be float32 [2,3]; it is float32 [2,2]" "an NPY file of another shape"
expect 0 "few elements" run "$fifty" --show 2
has stdout "and 3 more elements" "few elements"
expect 0 "times" run "$fifty" --repeat 3 --threads 1
has stdout "3 runs: median" "times"
has stdout "lstmCell" "times"
has stdout "peak memory" "times"

has stdout "90 % within" "times"
expect 0 "a profile" profile "$fifty" --threads 1
has stdout "10 runs: median" "a profile"
lacks stdout "average: f32" "a profile has no outputs"
expect 0 "a profile of two runs" profile "$small" --repeat=2 --warm-up=0
has stdout "2 runs: median" "a profile of two runs"
expect 0 "a duration" profile "$small" --duration 0.05
runs=$(sed -n 's/ runs: median.*//p' $out/stdout)
[ "${runs:-0}" -gt 10 ] && right || wrong "a duration: $runs runs in 0.05 s"
expect 0 "a duration that the number of runs ends" run "$small" --duration 100 --repeat 4
has stdout "4 runs: median" "a duration that the number of runs ends"
expect 0 "a duration of one run" profile "$fifty" --duration 1e-9
has stdout "1 runs: median" "a duration of one run"
expect 2 "no duration" profile "$small" --duration -1
expect 2 "a duration of days" profile "$small" --duration 1e7
expect 2 "a warm-up of nothing" run "$small" --warm-up 3
has stderr "--warm-up needs --repeat or --duration" "a warm-up of nothing"
expect 0 "a warm-up" run "$small" --warm-up 3 --repeat 1

# Reports as JSON, which python reads.
json_of() { # title, expression over `d`, arguments
  title=$1 expression=$2
  shift 2
  expect "${status_of_json:-0}" "$title" "$@"
  if ! command -v python3 >/dev/null; then
    skip "$title: skipped: no python3"
  elif python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
assert eval(sys.argv[2].replace(chr(10), " ")), d' "${json_file:-$out/stdout}" "$expression" 2>$out/log; then
    right
  else
    wrong "$title: not $expression: $(tail -c 300 $out/log)"
  fi
}
json_of "info as JSON" 'd["inputs"] == [{"name": "a", "dataType": "float32", "shape": [2, 3]}] and d["operators"] == 2 and
  d["operations"] == [{"name": "matmul", "count": 1}, {"name": "relu", "count": 1}] and d["parameters"] == {"count": 1, "bytes": 24}' \
  info "$small" --json
# The steps are those that are printed, of each kind of model.
for steps_of in "$small" "$fifty" $source/digits/digits.onnx $source/webnn/modules/largest.mlir; do
  expect 0 "steps of $steps_of" info "$steps_of" --steps
  has stdout ": kernel " "steps of $steps_of"
  sed -n '/^steps/,$p' $out/stdout | sed -n 's/^  //p' >$out/steps
  json_of "steps of $steps_of as JSON" 'd["steps"] == open(sys.argv[1].rpartition("/")[0] + "/steps").read().splitlines() and d["steps"]' \
    info "$steps_of" --steps --json
done
json_of "info of a program as JSON" 'd["hostSteps"] == [{"name": "sort", "count": 1}] and d["graphs"] == 2 and
  d["outputs"][1]["dataType"] == "int32"' info $source/webnn/modules/largest.mlir --json
json_of "run as JSON" '[t["data"] for t in d["cases"][0]["outputs"]] == [[2.75, 0.875, 0, 1.1]] and "profile" not in d' \
  run "$small" --json --reference
json_of "run and times as JSON" 'd["profile"]["runs"] == 2 and d["profile"]["warmUp"] == 3 and
  d["profile"]["milliseconds"]["least"] <= d["profile"]["milliseconds"]["median"] <= d["profile"]["milliseconds"]["largest"]' \
  run "$small" --json --repeat 2 --warm-up 3
json_of "a profile as JSON" 'd["runs"] == 10 and d["warmUp"] == 1 and d["peakBytes"] >= 0 and
  sum(s["callsARun"] for s in d["steps"] if not s["host"]) >= 1 and 0 < sum(s["share"] for s in d["steps"]) <= 1.01' \
  profile "$fifty" --json --threads 1
json_of "a program's profile as JSON" 'any(s["host"] and s["name"].startswith("sort") for s in d["steps"])' \
  profile $source/webnn/modules/largest.mlir --json --repeat 2
cat >$out/odd.json <<'END'
{"name": "a \"name\"", "inputs": [
 {"name": "x", "dataType": "float32", "shape": [4], "data": ["NaN", "Infinity", "-Infinity", "-0"]},
 {"name": "n", "dataType": "float32", "shape": [3], "data": [-8, 7, -1]},
 {"name": "one", "dataType": "float32", "shape": [3], "data": [1, 1, 1], "constant": true},
 {"name": "zero", "dataType": "int4", "shape": [3], "data": [0, 0, 0], "constant": true},
 {"name": "s", "dataType": "int64", "shape": [], "data": ["-9223372036854775808"]}],
 "operators": [
  {"name": "identity", "arguments": [{"operand": "x"}], "outputs": ["y \"q\" \\"]},
  {"name": "quantizeLinear", "arguments": [{"operand": "n"}, {"operand": "one"}, {"operand": "zero"}], "outputs": ["m"]},
  {"name": "identity", "arguments": [{"operand": "s"}], "outputs": ["t"]}]}
END
json_of "odd values as JSON" '[(t["name"], t["dataType"], t["shape"], t["data"]) for t in d["cases"][0]["outputs"]] == [
  ("y \"q\" \\", "float32", [4], ["NaN", "Infinity", "-Infinity", "-0"]), ("m", "int4", [3], [-8, 7, -1]),
  ("t", "int64", [], ["-9223372036854775808"])]' run $out/odd.json --json
json_file=$out/odd_out.json
json_of "odd values in a file" 'len(d["cases"][0]["outputs"]) == 3' run $out/odd.json --out $out/odd_out.json
json_file=
json_of "what run wrote, judged" 'd["right"] == 1 and d["cases"][0]["verdict"] == "right" and
  [o["verdict"] for o in d["cases"][0]["outputs"]] == 3 * ["right"]' judge $out/odd.json --actual $out/odd_out.json --json
status_of_json=1
json_of "a wrong number as JSON" 'd["wrong"] == 1 and d["cases"][0]["firstWrong"] == "result" and
  d["cases"][0]["outputs"][0]["elements"] == [{"index": [1, 1], "theirs": "1.5", "exact": "1.1", "ulp": 3355443}] and
  d["cases"][0]["operators"][1]["verdict"] == "wrong" and d["cases"][0]["operators"][1]["place"].endswith("planted.json:7:1")' \
  judge "$out/planted.json" --json
status_of_json=2
{ printf '{"cases":[' && cat "$small" && printf ',' && sed 's/matmul"/matnul"/; s/matmul and/two and/' "$small" && printf ',' &&
  cat "$out/planted.json" && printf ']}'; } >$out/three.json
json_of "three cases as JSON" '[c["verdict"] for c in d["cases"]] == ["right", "refused", "wrong"] and
  (d["right"], d["wrong"], d["refused"]) == (1, 1, 1)' judge $out/three.json --json
status_of_json=
json_of "an arithmetic as JSON" 'd["arithmetic"] == "accumulate=float32"' judge "$small" --json --arithmetic accumulate=float32
json_of "arithmetics as JSON" 'd["trials"][0] == {"arithmetic": "accumulate=exact", "different": 0, "largestUlp": 0, "meanUlp": 0} and
  len(d["trials"]) == 22 and d["elements"] == 8 and d["refused"] == 0' judge "$small" --json --arithmetic try
status_of_json=2
json_of "arithmetics of a refused case as JSON" 'd["trials"] == [] and d["refused"] == 1' \
  judge $out/three.json --case "two and relu" --json --arithmetic try
status_of_json=
json_of "webnn.h judged as JSON" 'len(d["cases"][0]["operators"]) == 50 and d["cases"][0]["verdict"] == "right"' \
  judge "$fifty" --fast --json
json_of "exact results as JSON" 'd["cases"][0]["outputs"][0]["data"] == [2.75, 0.875, 0, 1.1]' run --exact "$small" --json
for line in "run $small --json --out $out/npy|--json and --out FOLDER" "run $small --json --format raw|JSON and --format" \
  "run $small --json --labels x|JSON and --labels" \
  "run --exact $small --json --format npy --out $out|--json and --format npy"; do
  expect 2 "${line%|*}" ${line%|*}
  has stderr "${line#*|}" "${line%|*}"
  has stderr "exclude each other" "${line%|*}"
done
expect 2 "check has no JSON" check "$small" --json
has stderr "check takes no --json" "check has no JSON"
expect 2 "JSON that cannot be written" run "$small" --out $out/nowhere/x.json
has stderr "nowhere/x.json: the file cannot be written" "JSON that cannot be written"

# info, check, dump.
expect 0 "info" info "$fifty"
has stdout "operations: 50" "info"
has stdout "       2 conv2d" "info"
has stdout "graphs: 1, of 50 operators" "info"
has stdout "parameters: 20, of 3661 bytes" "info"
expect 0 "info of steps" info "$fifty" --steps
has stdout "not quantized: no operand is dequantized" "info of steps"
expect 0 "check" check "$small" "$fifty"
has stdout "covered" "check"
expect 2 "check of one that is wrong" check "$small" Makefile
mkdir -p $out/dump
expect 0 "dump" dump "$fifty" --out $out/dump --reference
has stdout "56 values" "dump"
has dump/index.txt "0049." "dump"
# Elements of 4 bits take a byte each: -9, 7 and -1 saturate in int4, and with a zero point of 8 in uint4.
echo 'webnn_graph "i" v1 { inputs { x: f32[3]; s: f32[3]; z: i4[3]; u: u4[3]; }
  nodes { a = quantizeLinear(x, s, z); b = quantizeLinear(x, s, u); } outputs { a; b; } }' >$out/four.webnn
expect 0 "dump of 4 bits" dump $out/four.webnn --input x=-9,7,-1 --input s=1,1,1 --input z=0,0,0 --input u=8,8,8 \
  --out $out/four --format raw
printf '\370\007\377' | cmp -s - $out/four/0000.quantizeLinear.bin && right || wrong "dump of int4 leaves other bytes"
printf '\000\017\007' | cmp -s - $out/four/0001.quantizeLinear.bin && right || wrong "dump of uint4 leaves other bytes"
# An operator of several results; a file for each of them that cannot be written.
echo 'webnn_graph "s" v1 { inputs { x: f32[4]; } nodes { [a, b] = split(x, splits=2); } outputs { a; b; } }' >$out/split.webnn
expect 0 "dump of several results" dump $out/split.webnn --input x=1,2,3,4 --out $out/split
has split/index.txt "0000.split	f32[2]	split	a" "dump of several results"
has split/index.txt "0000.split.1	f32[2]	split	a" "dump of several results"
for file in index.txt input.x.npy 0000.split.1.npy output.b.npy; do
  rm -rf $out/split && mkdir -p $out/split/$file
  expect 2 "dump where $file cannot be written" dump $out/split.webnn --input x=1,2,3,4 --out $out/split
  has stderr "$file" "dump where $file cannot be written"
  lacks stdout "values" "dump where $file cannot be written"
done
printf x >$out/no_folder
expect 2 "dump into a file" dump "$small" --out $out/no_folder
has stderr "no_folder" "dump into a file"
expect 0 "the same as run" run "$fifty" --out $out/npy --reference
same $out/dump/output.average.npy $out/npy/average.npy "the same as run"
sed -e 's|"a"|"a/b c"|g' -e 's|"result"|"d\\te"|g' "$small" >$out/names.json
expect 0 "dump of values whose names files cannot have" dump $out/names.json --out $out/dump
for name in input.a%2Fb%20c output.d%09e; do
  has dump/index.txt "$name	f32" "dump of values whose names files cannot have"
  [ -f $out/dump/$name.npy ] && right || wrong "dump leaves no $name.npy"
done

# ---- Graphs converted ----------------------------------------------------------------------------

# Inputs as files of bytes, in the graph's order, for the program in C.
inputs_of() { # options of run: prints paths
  "$tool" info "$@" | awk '/^inputs:/ { on = 1; next } /^outputs:/ { on = 0 } on { print $1 }'
}

# To C and to text: both compile or read, and compute the same bits, in reference and fast contexts.
bits_of() { # what, model and its options
  what=$1
  shift
  rm -rf $out/c $out/o $out/t $out/u && mkdir -p $out/c $out/o $out/t $out/u
  expect 0 "$what to C" convert "$@" --out $out/c/g.c
  [ $came -eq 0 ] || return
  expect 0 "$what to text" convert "$@" --out $out/c/g.webnn
  if ! $CC -std=c99 $warnings -DWITH_MAIN -I.. $out/c/g.c $built/webnn.o -o $out/c/g -pthread 2>$out/log; then
    wrong "$what: its C does not compile: $(head -n 3 $out/log)"
    return
  fi
  [ -f $out/c/g.weights ] && with="--weights $out/c/g.weights" || with=
  expect 0 "$what" run "$@" --random 5 --reference --out $out/o --format raw
  expect 0 "$what as text" run $out/c/g.webnn --random 5 --reference --out $out/t --format raw
  mkdir -p $out/d && rm -f $out/d/*
  expect 0 "$what's inputs" dump "$@" --random 5 --reference --out $out/d --format raw
  # Four bits take a byte each in files, and half of one in a graph: the program runs on zeros there.
  if "$tool" info "$@" | grep -qE ' [su]4(\[|$)'; then
    $out/c/g --reference $with >$out/log 2>&1 && right || wrong "$what: its C fails: $(tail -n 1 $out/log)"
  else
    $out/c/g --reference $with --out $out/u $(awk -F '\t' '$3 == "input" { print "'$out'/d/" $1 ".bin" }' $out/d/index.txt) >$out/log 2>&1 ||
      wrong "$what: its C fails: $(tail -n 1 $out/log)"
    n=0
    for name in $(awk -F '\t' '$3 == "output" { sub(/^output\./, "", $1); print $1 }' $out/d/index.txt); do
      same "$out/o/$name.bin" $out/u/$n.bin "$what as C"
      n=$((n + 1))
    done
  fi
  for file in $out/o/*; do
    same "$file" "$out/t/$(basename "$file")" "$what as text"
  done
}

# To ONNX, with the weights in the model and beside it: read again it has the same ports and computes the
# same bits.
onnx_of() { # what, model and its options
  what=$1
  shift
  rm -rf $out/n $out/o && mkdir -p $out/n $out/o
  expect 0 "$what" run "$@" --random 5 --reference --out $out/o --format raw
  expect 0 "$what to ONNX" convert "$@" --out $out/n/g.onnx
  expect 0 "$what to ONNX with weights beside" convert "$@" --out $out/n/h.onnx --weights $out/n/h.data
  for form in g h; do
    rm -rf $out/t && mkdir $out/t
    expect 0 "$what as ONNX" run $out/n/$form.onnx --random 5 --reference --out $out/t --format raw
    for file in $out/o/*; do
      same "$file" "$out/t/$(basename "$file")" "$what as ONNX ($form)"
    done
  done
  [ -f $out/n/h.data ] && right || wrong "$what to ONNX: no weights beside"
}

bits_of small "$small"
echo 'webnn_graph "z" v1 { inputs { x: f32[2]; } nodes { y = pad(x, beginningPadding=[1], endingPadding=[0], value=-0.0);
  z = linear(y, alpha=0.5, beta=-0.0); } outputs { y; z; } }' >$out/zero.webnn
bits_of "a zero below zero" $out/zero.webnn
has c/g.c "o.value = webnn_f64(-0.0);" "a zero below zero"
has c/g.c "[--reference] [--out FOLDER]" "the options of C without weights"
expect 2 "weights of C over it" convert "$fifty" --out $out/c/g.c --weights $out/c/g.c
has stderr "must be another file" "weights of C over it"
has c/g.c "o.value" "weights of C over it leave what was there"
bits_of fifty "$fifty"
onnx_of small "$small"
onnx_of fifty "$fifty"
expect 2 "weights of ONNX elsewhere" convert "$small" --out $out/n/g.onnx --weights $out/g.data
has stderr "must be another file in its folder" "weights of ONNX elsewhere"
expect 2 "weights of ONNX over it" convert "$small" --out $out/n/g.onnx --weights $out/n/g.onnx
expect 0 "ONNX over itself" convert $out/n/g.onnx --out $out/n/g.onnx
expect 0 "ONNX over itself is read" run $out/n/g.onnx --random 5 --reference --out $out/t --format raw
for compiler in "g++ -x c++ -std=c++17" "clang -std=c99"; do
  if command -v "${compiler%% *}" >/dev/null 2>&1; then
    $compiler $warnings -DWITH_MAIN -I.. -fsyntax-only $out/c/g.c 2>$out/log && right || wrong "$compiler: $(head -n 3 $out/log)"
  else
    skip "C++ or clang: skipped: no ${compiler%% *}"
  fi
done
$out/c/g >$out/log 2>&1 && wrong "C without its weights runs" || right
grep -q "the weights must have [0-9]* bytes: give them with --weights" $out/log && right ||
  wrong "C without its weights: $(cat $out/log)"
$out/c/g --wieghts $out/c/g.weights >$out/log 2>&1
[ $? -eq 2 ] && grep -q -- "--wieghts: the options are --reference, --weights FILE and" $out/log && right ||
  wrong "C with an option that there is not: $(cat $out/log)"
has c/g.c "[--reference] --weights FILE [--out FOLDER]" "the options of C with weights"
expect 2 "an input without data" run $out/c/g.webnn --inputs $out/in
has stderr "no data of input" "an input without data"
has stderr '"tokens" f32[6,8]' "an input without data"
expect 0 "a drawing" convert "$small" --out $out/c/g.dot
has c/g.dot "digraph" "a drawing"

# The first and the last conformance case of each file.
if [ -d "$vectors" ]; then
  for cases in "$vectors"/*.json; do
    case $cases in
    */qdq_subgraph.json)
      skip "$(basename "$cases") to C and text: skipped: its scales are of an earlier specification"
      continue
      ;;
    esac
    for line in 1 '$'; do
      bits_of "$(basename "$cases" .json)" "$cases" \
        --case "$(sed -n 's/^{"name": "\(.*\)",$/\1/p' "$cases" | sed -n -e 's/\\"/"/g' -e "${line}p")"
    done
  done
else
  skip "conformance vectors: skipped: no $vectors"
fi

# ---- StableHLO -----------------------------------------------------------------------------------

cat >$out/one.mlir <<'END'
module @one {
  func.func public @main(%x: tensor<2x3xf32> loc("x"), %w: tensor<2x3xf32> loc("w"))
      -> (tensor<2x3xf32> {jax.result_info = "y"}, tensor<2x3xi1>, tensor<2x3xf32>) {
    %c = stablehlo.constant dense<0.5> : tensor<2x3xf32>
    %0 = stablehlo.add %x, %c : tensor<2x3xf32>
    %1 = stablehlo.multiply %0, %w : tensor<2x3xf32>
    %2 = stablehlo.compare GT, %1, %c : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    return %1, %2, %1 : tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>
  }
  func.func @twice(%x: tensor<2xbf16>) -> tensor<2xbf16> {
    %0 = stablehlo.add %x, %x : tensor<2xbf16>
    return %0 : tensor<2xbf16>
  }
}
END
cat >$out/loop.mlir <<'END'
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %limit = stablehlo.constant dense<100.0> : tensor<f32>
  %0 = stablehlo.while(%s = %x) : tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %s, %s : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
  return %0 : tensor<f32>
}
END
cat >$out/complex.mlir <<'END'
func.func @main(%z: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = stablehlo.abs %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @other(%z: tensor<4xf64>) -> tensor<4xf64> {
  return %z : tensor<4xf64>
}
END
cat >$out/wrong.mlir <<'END'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}
END
cat >$out/good.mlir <<'END'
func.func @main() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  check.expect_eq_const %1, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}
END
sed 's/4\.0/5.0/' $out/good.mlir >$out/bad.mlir
sed '/check/d' $out/good.mlir >$out/none.mlir
cp $out/good.mlir $out/good.txt # known by how it begins

expect 0 "info of a module" info $out/one.mlir
has stdout "result1                  pred[2,3]" "info of a module"
has stdout "       2 stablehlo.add" "info of a module"
has stdout "graphs: 1, of 3 operators" "info of a module"
has stdout "host steps: none" "info of a module"
expect 0 "another function" run $out/one.mlir --function twice --random 2 --reference
has stdout "result0: bf16[2] =" "another function"
cp $out/stdout $out/twice
expect 0 "its files" run $out/one.mlir --function twice --random 2 --reference --out $out/npy
expect 0 "its inputs" dump $out/one.mlir --function twice --random 2 --reference --out $out/dump
expect 0 "its inputs from a file" run $out/one.mlir --function twice --reference --input x=$out/dump/input.x.npy
same $out/stdout $out/twice "bfloat16 from a file"
expect 2 "a function that there is not" info $out/one.mlir --function f
onnx_of "a module" $out/one.mlir
bits_of "a module" $out/one.mlir
grep -q "^  outputs { y; result1; result2; }" $out/c/g.webnn && right || wrong "a module as text has other outputs"
grep -q "label=\"$out/one.mlir:5:5\"" $out/c/g.webnn && right || wrong "a module as text has no places"
expect 0 "a module as text again" convert $out/c/g.webnn --out $out/c/h.webnn
expect 0 "a type that WebNN has not" convert $out/one.mlir --function twice --out $out/c/h.c
has stderr '"x" is bf16[2], which a graph has in a wider type' "a type that WebNN has not"

expect 0 "info of a loop" info $out/loop.mlir
has stdout "host steps: 1 loop" "info of a loop"
expect 0 "a loop" run $out/loop.mlir --random 1 --repeat 2
has stdout "host loop: while" "a loop"
expect 0 "values in a loop" dump $out/loop.mlir --random 1 --out $out/dump
has dump/index.txt "loop0.body.graph0.0000.add.run2" "values in a loop"
for form in c webnn onnx dot; do
  expect 3 "a loop to .$form" convert $out/loop.mlir --out $out/x.$form
  has stderr "$out/loop.mlir:3:3: while is a step of the host" "a loop to .$form"
  [ ! -e $out/x.$form ] && right || wrong "a loop leaves a file"
done

expect 3 "a module that is not covered" run $out/complex.mlir
has stderr "complex.mlir:1:" "a module that is not covered"
expect 3 "check of it" check $out/one.mlir $out/complex.mlir
has stdout "complex.mlir:1:" "check of it"
has stdout "complex.mlir:5:" "check of it"
has stdout "2 not covered" "check of it"
has stdout "one.mlir: covered" "check of it"
expect 2 "a wrong module" run $out/wrong.mlir
has stderr "wrong.mlir:2:26" "a wrong module"
expect 2 "check of all" check $out/complex.mlir $out/wrong.mlir

expect 0 "checks that hold" test $out/good.mlir $out/good.txt
has stdout "2 passed, 0 failed, 0 not expressible" "checks that hold"
expect 1 "a check that fails" test $out/good.mlir $out/bad.mlir
has stderr "bad.mlir:4:3: check.expect_eq: element [1] of 2 is 4, expected 5" "a check that fails"
has stdout "1 passed, 1 failed, 0 not expressible" "a check that fails"
expect 1 "a module without checks" test $out/none.mlir
mkdir -p $out/modules/deeper && cp $out/good.mlir $out/modules && cp $out/bad.mlir $out/modules/deeper
expect 1 "modules of a folder" test $out/modules
has stdout "1 passed, 1 failed, 0 not expressible" "modules of a folder"
expect 1 "run of a check that fails" run $out/bad.mlir
expect 0 "run of a check that holds" run $out/good.mlir
expect 3 "test of what is not covered" test $out/good.mlir $out/complex.mlir
expect 1 "a failure is graver" test $out/complex.mlir $out/bad.mlir
expect 2 "a wrong module is gravest" test $out/complex.mlir $out/wrong.mlir $out/bad.mlir --fast
has stdout "0 passed, 2 failed, 1 not expressible" "a wrong module is gravest"

# The command and the test program agree on all programs.
if [ -d "$modules" ]; then
  count=$(ls "$modules"/*.mlir | wc -l)
  "$tool" test "$modules"/*.mlir >$out/stdout 2>$out/stderr
  sums=$(grep -o '^[0-9]* passed' $out/stdout)
  [ "${sums%% *}" -ge $((count * 99 / 100)) ] && right || wrong "webnn test: $(tail -n 1 $out/stdout)"
fi

# Sizes that a module leaves open come from the inputs.
cat >$out/open.mlir <<'END'
func.func @main(%arg0: tensor<?x2xf32> loc("x"), %arg1: tensor<2xf32> loc("b")) -> tensor<?x2xf32> {
  %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.constant dense<2> : tensor<1xi32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.dynamic_broadcast_in_dim %arg1, %3, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  %5 = stablehlo.add %arg0, %4 : tensor<?x2xf32>
  return %5 : tensor<?x2xf32>
}
END
expect 0 "open sizes of a module" run $out/open.mlir --input "x=[[1,2],[3,4],[5,6]]" --input b=10,20
has stdout "result0: f32[3,2] =" "open sizes of a module"
has stdout "[15, 26]]" "open sizes of a module"
lacks stderr note: "open sizes of a module"
printf '\000\000\200\077\000\000\000\100\000\000\200\077\000\000\000\100' >$out/open.bin
expect 0 "open sizes of bytes" run $out/open.mlir --input x=$out/open.bin --input b=0
has stdout "result0: f32[2,2] =" "open sizes of bytes"
expect 0 "open sizes without inputs" run $out/open.mlir
has stderr "note: $out/open.mlir: open sizes are 1: x[0]; an input of another size sets them" "open sizes without inputs"
has stdout "result0: f32[1,2] =" "open sizes without inputs"
expect 0 "a size by --dim" run $out/open.mlir --dim x[0]=2
has stdout "result0: f32[2,2] =" "a size by --dim"
lacks stderr "open sizes" "a size by --dim"
expect 0 "a size by --dim that an input has" run $out/open.mlir --dim x[0]=3 --input "x=[[1,2],[3,4],[5,6]]" --input b=10,20
has stdout "[15, 26]]" "a size by --dim that an input has"
expect 2 "a size by --dim that an input has not" run $out/open.mlir --dim x[0]=2 --input "x=[[1,2]]" --input b=0
has stderr 'dimension "x[0]" is 2 by --dim and 1 in input "x"' "a size by --dim that an input has not"
expect 2 "a size by --dim of a dimension that has one" run $out/open.mlir --dim x[1]=2
has stderr "--dim x[1]=2: no argument of $out/open.mlir has an open dimension of this name" "a size by --dim of a dimension that has one"
expect 2 "no size by --dim" run $out/open.mlir --dim x[0]=0
has stderr "--dim x[0]=0: a size of StableHLO is 1 or more here" "no size by --dim"
sed 's/tensor<?x2xf32> loc/tensor<?x2xf32, #stablehlo.bounds<4, ?>> loc/' $out/open.mlir >$out/bounded.mlir
expect 0 "a size within its bound" run $out/bounded.mlir --dim x[0]=4
has stdout "result0: f32[4,2] =" "a size within its bound"
expect 2 "a size beyond its bound" run $out/bounded.mlir --dim x[0]=5
has stderr "dimension 0 is at most 4, and given as 5" "a size beyond its bound"
expect 0 "a size by --dim as text" convert $out/open.mlir --dim x[0]=2 --out $out/open.webnn
has open.webnn "f32[2, 2]" "a size by --dim as text"
expect 2 "a size that is not open" run $out/open.mlir --input "x=[[1,2,3]]" --input b=0
has stderr "argument 0 of @main is tensor<?x2xf32>; dimension 1 is given as 3" "a size that is not open"
expect 2 "another rank than a module's" run $out/open.mlir --input "x=[[[1,2]]]" --input b=0
has stderr "argument 0 of @main is tensor<?x2xf32>; 3 dimensions are given" "another rank than a module's"
expect 0 "check of open sizes" check $out/open.mlir
has stdout "covered" "check of open sizes"
mkdir -p $out/opened && cp $out/open.bin $out/opened/x.bin && head -c 8 $out/open.bin >$out/opened/b.bin
expect 0 "open sizes, exactly" run --exact $out/open.mlir --inputs $out/opened
has stdout '"shape":[2,2],"data":[2,4,2,4]' "open sizes, exactly"
expect 0 "open sizes of --input, exactly" run --exact $out/open.mlir --input "x=[[1,2],[3,4],[5,6]]" --input b=10,20
has stdout '"shape":[3,2],"data":[11,22,13,24,15,26]' "open sizes of --input, exactly"
echo '[{"name":"x","dataType":"float32","shape":[2,2],"data":[1,2,3,4]},{"name":"b","dataType":"float32","shape":[2],"data":[1,1]}]' >$out/open.json
expect 0 "open sizes of JSON" judge $out/open.mlir --inputs $out/open.json --fast
expect 2 "no such argument" run --exact $out/open.mlir --input "x=[[1,2]]" --input q=1
has stderr "--input q=1: $out/open.mlir has no input of this name" "no such argument"

# ---- ONNX ----------------------------------------------------------------------------------------

onnx=$out/onnx
mkdir -p $onnx/tests/dense/test_data_set_0 $onnx/tests/dense/test_data_set_1 $onnx/wrong/test_data_set_0 \
  $onnx/tests/deeper/reshape/test_data_set_0 $onnx/out/test_data_set_0 $onnx/empty $onnx/in \
  $onnx/half/test_data_set_0 $onnx/not_half/test_data_set_0 $onnx/halves/test_data_set_0 $onnx/halves/test_data_set_1
if $CC -std=c99 $warnings networks/files/onnx_files.c -o $out/onnx_files && $out/onnx_files $onnx; then
  right
else
  wrong "no models are written"
fi
sizes="--dim batch=2 --dim z[0]=2"

expect 0 "dimensions without a size" run $onnx/dense.onnx
has stderr 'note: '$onnx'/dense.onnx: dimensions without a size are 1: "batch", "z[0]"; others by --dim batch=1 --dim z[0]=1' "dimensions without a size"
has stdout "y: f32[1,2]" "dimensions without a size"
expect 0 "one of them" run $onnx/dense.onnx --dim batch=2
has stderr 'without a size are 1: "z[0]"; others by --dim z[0]=1' "one of them"
has stdout "y: f32[2,2]" "one of them"
for command in "check $onnx/dense.onnx" "dump $onnx/dense.onnx --out $out/dumped"; do
  expect 0 "${command%% *} without sizes" $command
  has stderr 'without a size are 1: "batch", "z[0]"' "${command%% *} without sizes"
done
# Forms that have dynamic dimensions keep them: the graph computes what the model does.
expect 0 "dynamic dimensions as ONNX" convert $onnx/dense.onnx --out $out/dynamic.onnx
lacks stderr "without a size" "dynamic dimensions as ONNX"
expect 0 "dynamic dimensions as ONNX" info $out/dynamic.onnx
has stdout "float32[batch,3]" "dynamic dimensions as ONNX"
has stdout "float32[z[0],2]" "dynamic dimensions as ONNX"
expect 0 "dynamic dimensions as text" convert $onnx/dense.onnx --out $out/dynamic.webnn
lacks stderr "without a size" "dynamic dimensions as text"
has dynamic.webnn 'f32[dyn("batch"), 3]' "dynamic dimensions as text"
has dynamic.webnn 'f32[dyn("z[0]"), 2]' "dynamic dimensions as text"
for batch in 1 3; do
  rm -rf $out/o $out/t && mkdir $out/o $out/t
  expect 0 "a model for a batch of $batch" run $onnx/dense.onnx --dim batch=$batch --dim z[0]=1 --random 5 --reference --out $out/o
  expect 0 "the dynamic one for a batch of $batch" run $out/dynamic.onnx --dim batch=$batch --dim z[0]=1 --random 5 --reference --out $out/t
  same $out/o/y.npy $out/t/y.npy "a batch of $batch"
  expect 0 "the text for a batch of $batch" run $out/dynamic.webnn --dim batch=$batch --dim z[0]=1 --random 5 --reference --out $out/t
  same $out/o/y.npy $out/t/y.npy "the text for a batch of $batch"
done
expect 0 "a batch by an input" run $out/dynamic.webnn --input x=[[1,2,3],[4,5,6]] --input z=[[1,2]]
has stdout "y: f32[2,2]" "a batch by an input"
expect 0 "info of dynamic dimensions" info $out/dynamic.webnn
has stdout "f32[batch,3]" "info of dynamic dimensions"
expect 0 "info of them as JSON" info $out/dynamic.webnn --json
has stdout '"shape":["batch",3]' "info of them as JSON"
expect 0 "a batch of 1" run $out/dynamic.webnn
has stderr 'note: '$out'/dynamic.webnn: dimensions without a size are 1: ' "a batch of 1"
# The draft's operators as C and as ONNX, where a program or a runtime takes the sizes from the inputs.
draft=fuzz/corpus/oracle/sizes.webnn
rm -rf $out/d $out/o $out/t $out/u && mkdir -p $out/d $out/o $out/t $out/u
with="--dim n=3 --dim u[0]=2 --dim h=4 --random 5 --reference"
expect 0 "operators of sizes" run $draft $with --out $out/o --format raw
expect 0 "inputs of these sizes" dump $draft $with --out $out/d --format raw
expect 0 "operators of sizes as C" convert $draft --out $out/sizes.c
if $CC -std=c99 $warnings -DWITH_MAIN -I.. $out/sizes.c $built/webnn.o -o $out/sizes -pthread -lm 2>$out/log; then
  $out/sizes --reference --out $out/u $out/d/input.x.bin $out/d/input.u.bin $out/d/input.i.bin >$out/log 2>&1 && right ||
    wrong "operators of sizes as C: $(tail -n 1 $out/log)"
  n=0
  for name in $(awk -F '\t' '$3 == "output" { sub(/^output\./, "", $1); print $1 }' $out/d/index.txt); do
    same $out/o/$name.bin $out/u/$n.bin "operators of sizes as C: $name"
    n=$((n + 1))
  done
  [ $n -eq 18 ] && right || wrong "operators of sizes as C: $n outputs"
else
  wrong "operators of sizes as C: $(head -n 3 $out/log)"
fi
expect 3 "a size that ONNX's nodes need" convert $draft --out $out/sizes.onnx
has stderr 'operator 22 (resample2d, "scaled"): it needs the size of "h" of input "i"' "a size that ONNX's nodes need"
sed '/scaled = /d; s/ scaled;//' $draft >$out/sizes.webnn
expect 0 "operators of sizes as ONNX" convert $out/sizes.webnn --out $out/sizes.onnx
expect 0 "operators of sizes as ONNX" run $out/sizes.onnx $with --out $out/t --format raw
rm $out/o/scaled.bin
for file in $out/o/*; do
  same "$file" "$out/t/$(basename "$file")" "operators of sizes as ONNX"
done
expect 0 "dynamic dimensions as a drawing" convert $onnx/dense.onnx --out $out/dynamic.dot
has dynamic.dot "batch" "dynamic dimensions as a drawing"
expect 0 "dynamic dimensions as C" convert $onnx/dense.onnx --out $out/dynamic.c
has dynamic.c 'webnn_dynamic_dimension(b, "z[0]")' "dynamic dimensions as C"
if $CC -std=c99 $warnings -I.. -DWEBNN_TEST_LINKED networks/files/dynamic_dense.c $out/dynamic.c $built/webnn.o -o $out/dynamic \
  -pthread -lm 2>$out/log; then
  printf '2.5 0 8.5 0\n2.5 0\n' >$out/expected
  $out/dynamic >$out/log 2>&1
  head -n 2 $out/log >$out/came
  same $out/came $out/expected "dynamic dimensions as C"
  has log "cannot be broadcast" "sizes of C that do not fit"
else
  wrong "dynamic dimensions as C: it does not compile: $(head -n 3 $out/log)"
fi
expect 0 "one of them dynamic" convert $onnx/dense.onnx --dim batch=2 --out $out/dynamic.c
has dynamic.c 'WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2u, 3u)' "one of them dynamic"
has dynamic.c 'webnn_dynamic_dimension(b, "z[0]")' "one of them dynamic"
expect 3 "a node that needs sizes" convert $onnx/det.onnx --out $out/dynamic.onnx
has stderr 'node that makes "y" (Det): it needs the sizes of "x" [?,2,2], of which some are dynamic' "a node that needs sizes"
has stderr 'dynamic dimensions: "n"; a graph for known sizes is made with --dim n=1' "a node that needs sizes"
expect 0 "a node that has its sizes" convert $onnx/det.onnx --dim n=3 --out $out/dynamic.onnx
expect 2 "a size twice" run $onnx/dense.onnx --dim batch=2 --dim batch=3
has stderr "--dim batch=3: the dimension is given a size twice" "a size twice"
expect 2 "a dimension that there is not" run $onnx/dense.onnx $sizes --dim n=3
has stderr 'has a dimension of this name; it has "batch", "z[0]"' "a dimension that there is not"
# Outputs without elements, which graphs lack: all of a model, and some.
none="--dim batch=0 --dim z[0]=1"
expect 0 "no elements" run $onnx/dense.onnx $none
printf 'y: f32[0,2] = []\np: pred[0,2] = []\n' >$out/expected
same $out/stdout $out/expected "no elements"
expect 0 "no elements, written" run $onnx/dense.onnx $none --out $out/none
for output in y:f4 p:b1; do
  case $output in *f4) descr="<f4" ;; *) descr="|b1" ;; esac
  printf "\223NUMPY\001\000v\000%-117s\n" "{'descr': '$descr', 'fortran_order': False, 'shape': (0, 2), }" >$out/expected
  same $out/none/${output%:*}.npy $out/expected "no elements, written"
done
expect 0 "no elements, written as JSON" run $onnx/dense.onnx $none --json
has stdout '{"name":"y","dataType":"float32","shape":[0,2],"data":[]}' "no elements, written as JSON"
expect 0 "no elements, measured" profile $onnx/dense.onnx $none
expect 0 "no elements, covered" check $onnx/dense.onnx $none
has stderr 'note: output "y" has no elements; the graph lacks it' "no elements, covered"
expect 0 "no elements, described" info $onnx/dense.onnx $none
has stdout "graphs: 0, since all outputs are empty tensors" "no elements, described"
for command in "convert $onnx/dense.onnx --out $out/none.webnn" "convert $onnx/dense.onnx --out $out/none.onnx"; do
  expect 3 "no elements, no graph" $command $none
  has stderr "all its outputs are empty tensors; there is no graph" "no elements, no graph"
done
expect 2 "no elements, no exact run" run --exact $onnx/dense.onnx $none
has stderr "all its outputs are empty tensors; there is no graph" "no elements, no exact run"
printf 'first: f32[0] = []\nsecond: f32[2] = [1, 2]\nplaces: s64[1,0] = []\n' >$out/expected
expect 0 "some outputs without elements" run $onnx/halves/model.onnx --input x=1,2
same $out/stdout $out/expected "some outputs without elements"
expect 0 "some outputs without elements, all values" dump $onnx/halves/model.onnx --input x=1,2 --out $out/none
expect 1 "test data without elements" test $onnx/halves
has stderr 'test_data_set_1: output "first" must be float32 [1,0]; it is float32 [0]' "test data without elements"
has stderr 'test_data_set_1: output "places" must be int64 [1,1]; it is int64 [1,0]' "test data without elements"
lacks stderr "test_data_set_0" "test data without elements"
rm -r $onnx/halves
printf '\000\000\200\077\000\000\000\100' >$onnx/two.bin
printf 'y: f32[1,2] = [[1, 2]]\n' >$out/expected
expect 0 "a past of nothing" run $onnx/past.onnx --dim past=0 --input x=$onnx/two.bin
same $out/stdout $out/expected "a past of nothing"
expect 0 "a past of nothing, exactly" run $onnx/past.onnx --dim past=0 --reference --input x=$onnx/two.bin
same $out/stdout $out/expected "a past of nothing, exactly"
expect 0 "a past of some size" run $onnx/past.onnx --input x=$onnx/two.bin --random 0
has stderr 'without a size are 1: "past"; others by --dim past=1' "a past of some size"
expect 0 "info of nothing" info $onnx/past.onnx --dim past=0
has stdout "float32[0,2]" "info of nothing"
expect 0 "an input for nothing" run $onnx/past.onnx --dim past=0 --input past=$onnx/two.bin --random 0
has stderr 'no result depends on input "past"' "an input for nothing"
expect 3 "sizes that do not fit" run $onnx/dense.onnx --dim batch=2 --dim z[0]=3
expect 2 "a function of ONNX" run $onnx/dense.onnx --function f
printf '\000\000\200\077\000\000\000\000\000\000\000\000\000\000\000\000\000\000\200\077\000\000\200\077' >$onnx/x.bin
printf '\000\000\000\000\000\000\200\077\000\000\000\100\000\000\100\100' >$onnx/z.bin
printf 'y: f32[2,2] =\n[[1.5, 1],\n[10.5, 3]]\np: pred[2,2] =\n[[true, true],\n[true, true]]\n' >$out/expected
expect 0 "a model" run $onnx/dense.onnx $sizes --inputs $onnx
same $out/stdout $out/expected "a model"
expect 0 "a model, exactly" run $onnx/dense.onnx $sizes --reference --input x=$onnx/x.bin --input z=$onnx/z.bin
same $out/stdout $out/expected "a model, exactly"
expect 0 "its bools" run $onnx/dense.onnx $sizes --inputs $onnx --out $out/npy
[ "$(tail -c 4 $out/npy/p.npy | od -An -tx1 | tr -d ' ')" = 01010101 ] && right || wrong "bools as NPY"
expect 0 "info of a model" info $onnx/dense.onnx
for line in "format: version 8, by onnx_files" "operator sets: version 17 of ai.onnx, 1 of com.microsoft" \
  "  x                        float32[batch,3]" "  z                        float32[z[0],2]" \
  "  p                        bool[batch,2]" "       2 Add" "graphs: not built, since dimensions are open" "parameters: 2, of 32 bytes"; do
  has stdout "$line" "info of a model"
done
json_of "info of a model as JSON" 'd["kind"] == "ONNX" and d["graphs"] == 0 and d["missingSizes"] > 0 and
  "batch" in [s for i in d["inputs"] for s in i["shape"]] and all(o["known"] for o in d["operations"])' info $onnx/dense.onnx --json
json_of "info with sizes as JSON" 'd["graphs"] == 1 and d["operators"] > 0 and d["missingSizes"] == 0 and
  d["operatorSets"][0]["domain"] == "ai.onnx"' info $onnx/dense.onnx $sizes --json
json_of "info of what is not known as JSON" 'not all(o["known"] for o in d["operations"])' info $onnx/refused.onnx --json
expect 0 "info with sizes" info $onnx/dense.onnx $sizes
has stdout "float32[2,3]" "info with sizes"
has stdout "graphs: 1, of 5 operators" "info with sizes"
expect 0 "info of what is not known" info $onnx/refused.onnx
has stdout "1 com.example.Surprise (not known" "info of what is not known"
has stdout "graphs: 0, since not all is covered" "info of what is not known"
bits_of "a model" $onnx/dense.onnx $sizes
onnx_of "a model" $onnx/dense.onnx $sizes
has c/g.webnn 'label="product"' "a model's labels"

expect 0 "check of a model" check $onnx/dense.onnx $sizes
has stdout "dense.onnx: covered" "check of a model"
expect 3 "check of two problems" check $onnx/refused.onnx
has stdout 'refused.onnx: node "nms" (NonMaxSuppression): ' "check of two problems"
has stdout "(Surprise): the operator of com.example" "check of two problems"
has stdout "2 not covered" "check of two problems"
expect 3 "a model that is not covered" run $onnx/refused.onnx
has stderr 'refused.onnx: node "nms" (NonMaxSuppression)' "a model that is not covered"
expect 2 "a model cut off" run $onnx/cut.onnx
has stderr "cut.onnx: byte 17 of 100: a field reaches beyond its message: the file is not an ONNX model, or ends early" "a model cut off"
printf 'apple: 1\npear: 2\n' >$onnx/names.onnx
expect 2 "a text" info $onnx/names.onnx
has stderr " of 17: " "a text"
has stderr "the file is not an ONNX model, or ends early" "a text"
expect 2 "no model there" info $onnx/none.onnx
has stderr "none.onnx: the file cannot be read" "no model there"
expect 3 "float64" run $onnx/double.onnx
has stderr "float64" "float64"
expect 0 "float64 as float32" run $onnx/double.onnx --float64-as-float32 --random 1
expect 0 "check of it" check $onnx/double.onnx --float64-as-float32
has stderr "note: float64 is taken as float32" "check of it"

expect 0 "an input without use" run $onnx/unused.onnx --input x=$onnx/scores.bin --input u=$onnx/scores.bin
has stderr 'no result depends on input "u"' "an input without use"
has stdout "[[-0.5, 3, -2, -0.25, 7, -1.5, -0]]" "an input without use"

# Values of inputs: numbers, files, what the graph depends on, defaults.
printf 'y: f32[2,3] =\n[[-1, -2, -3],\n[-4, -5, -6]]\n' >$out/expected
frame="--input x=1,2,3,4,5,6"
expect 0 "a rate" run $onnx/rates.onnx --input sr=16000 $frame
same $out/stdout $out/expected "a rate"
has stderr 'note: '$onnx'/rates.onnx: the graph depends on the value of input "sr"' "a rate"
expect 0 "a rate as a constant" run $onnx/rates.onnx --constant sr=[16000] $frame
same $out/stdout $out/expected "a rate as a constant"
lacks stderr "note:" "a rate as a constant"
expect 3 "a rate that does not fit" run $onnx/rates.onnx --input sr=8000 $frame
has stderr "(Reshape)" "a rate that does not fit"
lacks stderr "--constant" "a rate that does not fit"
expect 3 "no rate" run $onnx/rates.onnx
has stderr 'by the value of input "sr" node "by_rate" (If) chooses a branch' "no rate"
has stderr "give it with --constant sr=NUMBER" "no rate"
lacks stderr webnn_onnx_known "no rate"
expect 3 "check without a rate" check $onnx/rates.onnx
has stdout 'node "else_branch" (Reshape)' "check without a rate"
has stderr "give it with --constant sr=NUMBER" "check without a rate"
lacks stdout webnn_onnx_known "check without a rate"
expect 0 "check with a rate" check $onnx/rates.onnx --constant sr=16000
expect 0 "info with a rate" info $onnx/rates.onnx --input sr=16000
has stdout "graphs: 1, of 2 operators" "info with a rate"
expect 0 "a rate and convert" convert $onnx/rates.onnx --constant sr=16000 --out $out/rates.webnn
expect 0 "a rate and dump" dump $onnx/rates.onnx --input sr=16000 $frame --out $out/rates/deep
has rates/deep/index.txt "input.x" "a rate and dump"
for wrong in 1.5 1,2 9223372036854775808 true; do
  expect 2 "a rate of $wrong" run $onnx/rates.onnx --constant sr=$wrong
  has stderr "--constant sr=$wrong: " "a rate of $wrong"
done
expect 2 "a constant that is no input" run $onnx/rates.onnx --constant rs=1
has stderr 'has no input of this name; it has "x", "sr"' "a constant that is no input"
expect 2 "a constant twice" run $onnx/rates.onnx --constant sr=1 --constant sr=2
has stderr "the input is given a value twice" "a constant twice"
expect 2 "a constant without a value" run $onnx/rates.onnx --constant sr
expect 2 "an input twice" run $onnx/rates.onnx --input sr=1 --input sr=2
has stderr "the input is given data twice" "an input twice"
expect 2 "numbers that are too many" run $onnx/rates.onnx --input sr=16000 --input x=1,2
has stderr "there must be a number for each of 6 elements; there are 2" "numbers that are too many"
printf 'y: f32[2] = [15, 27]\n' >$out/expected
expect 0 "numbers of uint8" run $onnx/bytes.onnx --input x=255 --show 2
has stdout "[[[255, 255" "numbers of uint8"
for number in 256 -1 1.5; do
  expect 2 "$number as uint8" run $onnx/bytes.onnx --input x=$number
  has stderr "$number must be a number of uint8" "$number as uint8"
done
expect 0 "numbers of float64" run $onnx/double.onnx --float64-as-float32 --constant x=0.5,-3
has stdout "y: f32[2] = [0.5, 3]" "numbers of float64"
expect 0 "numbers of float16" run $onnx/half/model.onnx --constant x=1.5,-1e9
has stdout "y: f16[2] = [-1.5, Infinity]" "numbers of float16"
expect 2 "a constant of bytes without sizes" run $onnx/dense.onnx --constant z=$onnx/in/x.bin
has stderr "the sizes of the input are not known" "a constant of bytes without sizes"
expect 2 "a constant of numbers without sizes" run $onnx/dense.onnx --constant z=5,7
has stderr "the sizes of the input are not known" "a constant of numbers without sizes"
expect 0 "a constant of numbers with sizes" run $onnx/dense.onnx --constant z=5,7 --dim z[0]=1 --random 0
expect 0 "one number of an input without sizes" run $onnx/dense.onnx --input z=-1000 --input x=1,0,0
has stdout "y: f32[1,2] = [[-998.5, -1000]]" "one number of an input without sizes"
expect 0 "a default" run $onnx/default.onnx --input x=$onnx/in/x.bin
same $out/stdout $out/expected "a default"
printf 'y: f32[2] = [6, 9]\n' >$out/expected
expect 0 "in place of a default" run $onnx/default.onnx --input x=5,7 --input w=1,2
same $out/stdout $out/expected "in place of a default"
expect 0 "a folder in place of a default" run $onnx/default.onnx --inputs $onnx/in
same $out/stdout $out/expected "a folder in place of a default"
has stderr "no input of $onnx/default.onnx uses v.bin" "a folder in place of a default"
expect 2 "an input that there is not" run $onnx/default.onnx --input z=1
has stderr 'has no input of this name; it has "x"' "an input that there is not"
expect 0 "sizes of files" run $onnx/dense.onnx --dim batch=1 --input z=$out/npy/y.npy --random 0
lacks stderr "without a size" "sizes of files"
has stdout "y: f32[2,2]" "sizes of files"

# 1024 less its mean is 896, whose square is infinite in float16.
expect 0 "nodes as one operator" run $onnx/half_norm.onnx --input x=$onnx/half.bin
has stdout "y: f16[8] = [2.6" "nodes as one operator"
expect 0 "each node by itself" run $onnx/half_norm.onnx --input x=$onnx/half.bin --reference
has stdout "y: f16[8] = [0, -0" "each node by itself"
expect 0 "a test of float16" test $onnx/half
expect 1 "a test of float16 that fails" test $onnx/not_half
has stderr "must be -1.25" "a test of float16 that fails"
expect 0 "a test with a tolerance" test $onnx/not_half --rtol 0.2
expect 0 "a test with an absolute tolerance" test $onnx/not_half --atol=0.25
expect 1 "a test without a tolerance" test $onnx/half --rtol 0 --atol 0
expect 2 "a tolerance of a run" run $onnx/default.onnx --rtol 1
expect 2 "a tolerance that is none" test $onnx/half --rtol -1

# Pictures: 4 x 2 pixels whose bytes count from 0 in threes, so that each place tells where it comes from.
printf 'P6\n# a comment\n4 2\n255\n' >$onnx/p.ppm
printf 'P5 4 2 255\n' >$onnx/p.pgm
printf 'P5 4 2 1000\n' >$onnx/wide.pgm
for i in 0 1 2 3 4 5 6 7; do
  for channel in 0 1 2; do printf "\\$(printf %03o $((i * 15 + channel * 102 / 2)))"; done >>$onnx/p.ppm
  printf "\\$(printf %03o $((i * 30)))" >>$onnx/p.pgm
  printf "\\$(printf %03o $((i / 2)))\\$(printf %03o $((i % 2 * 250)))" >>$onnx/wide.pgm
done
# Expected: minus the elements that the picture gives, computed by awk.
cat >$out/picture.awk <<'END'
function number(x) { return sprintf("%.4f", x + 0) }
BEGIN {
  split(mean, m, ","); split(scale, s, ",")
  for (a = 0; a < 24; a++) {
    if (layout == "nchw") { c = int(a / 8); i = a % 8 } else { c = a % 3; i = int(a / 3) }
    print number(-((i * 15 + c * 51) / 255 - m[c + 1]) / s[c + 1])
  }
}
END
numbers_of() { # the elements of the standard output, a line each
  sed 1d $out/stdout | tr -d '[] \n' | tr ',' '\n' | awk '{ printf "%.4f\n", $1 + 0 }' | sed 's/^-0.0000$/0.0000/'
}
for layout in nchw nhwc; do
  for given in "0,0,0 1,1,1" "0.5,0.25,0.125 2,4,0.5"; do
    mean=${given% *} scale=${given#* }
    expect 0 "a picture as $layout" run $onnx/$layout.onnx --input x=$onnx/p.ppm --mean $mean --scale $scale --reference
    numbers_of >$out/came
    awk -v layout=$layout -v mean=$mean -v scale=$scale -f $out/picture.awk >$out/expected
    same $out/came $out/expected "a picture as $layout, $mean $scale"
  done
done
expect 0 "a gray picture" run $onnx/gray.onnx --input x=$onnx/p.pgm --scale 2 --reference
numbers_of >$out/came
awk 'BEGIN { for (i = 0; i < 8; i++) printf "%.4f\n", -i * 30 / 255 / 2 + 0 }' >$out/expected
same $out/came $out/expected "a gray picture"
expect 0 "16 bits" run $onnx/gray.onnx --input x=$onnx/wide.pgm --reference
numbers_of >$out/came
awk 'BEGIN { for (i = 0; i < 8; i++) printf "%.4f\n", -(int(i / 2) * 256 + i % 2 * 250) / 1000 + 0 }' >$out/expected
same $out/came $out/expected "16 bits"
expect 0 "a picture's bytes" run $onnx/bytes.onnx --input x=$onnx/p.ppm --out $out/raw --format raw
tail -c 24 $onnx/p.ppm | cmp -s - $out/raw/y.bin && right || wrong "a picture's bytes"
expect 2 "a picture's bytes with a mean" run $onnx/bytes.onnx --input x=$onnx/p.ppm --mean 1
expect 2 "a picture of another size" run $onnx/dense.onnx $sizes --input x=$onnx/p.ppm --random 1
has stderr "4 x 2 pixels (width x height) of 3 channels are no f32[2,3]" "a picture of another size"
expect 2 "a gray picture for colors" run $onnx/nchw.onnx --input x=$onnx/p.pgm
expect 2 "too many numbers" run $onnx/gray.onnx --input x=$onnx/p.pgm --mean 1,2,3
has stderr "--mean has 3 numbers, and the picture 1 channels" "too many numbers"
expect 2 "numbers that are none" run $onnx/nchw.onnx --input x=$onnx/p.ppm --scale 1,,2
expect 2 "division by 0" run $onnx/nchw.onnx --input x=$onnx/p.ppm --scale 0
expect 2 "a mean of no picture" run $onnx/dense.onnx $sizes --mean 1
has stderr "are for an --input that is a picture" "a mean of no picture"
head -c 30 $onnx/p.ppm >$out/short.ppm
expect 2 "a picture cut off" run $onnx/nchw.onnx --input x=$out/short.ppm
has stderr "a picture must have 24 bytes of pixels; it has" "a picture cut off"
# The sizes of dimensions come from what is given: pictures, lists of lists, NPY files, bytes.
for model in first last any; do
  fixed=nchw
  [ $model = last ] && fixed=nhwc
  expect 0 "a picture of $fixed" run $onnx/$fixed.onnx --input x=$onnx/p.ppm --reference
  cp $out/stdout $out/expected
  expect 0 "a picture's sizes as $model" run $onnx/$model.onnx --input x=$onnx/p.ppm --reference
  same $out/stdout $out/expected "a picture's sizes as $model"
  [ -s $out/stderr ] && wrong "a picture's sizes as $model: $(cat $out/stderr)" || right
done
expect 0 "the sizes of a gray picture" run $onnx/any.onnx --input x=$onnx/p.pgm
has stdout "y: f32[1,1,2,4]" "the sizes of a gray picture"
expect 0 "a gray picture's matrix" run $onnx/matrix.onnx --input x=$onnx/p.pgm
has stdout "y: f32[2,4]" "a gray picture's matrix"
expect 0 "sizes in both orders" run $onnx/any.onnx --input x=$onnx/p.ppm --dim width=3
has stdout "y: f32[1,2,4,3]" "sizes in both orders"
expect 2 "a picture and another height" run $onnx/first.onnx --input x=$onnx/p.ppm --dim height=3
has stderr 'dimension "height" is 3 in --dim height=3 and 2 in input "x" ('$onnx'/p.ppm)' "a picture and another height"
expect 2 "a gray picture of unknown size for colors" run $onnx/first.onnx --input x=$onnx/p.pgm
has stderr "p.pgm: 4 x 2 pixels (width x height) of 1 channels are no f32[1,3,1,1]" "a gray picture of unknown size for colors"
expect 0 "lists of lists" run $onnx/ids.onnx --input "x=[[1,2,3],[4,5,6]]"
has stdout "y: s64[2,3]" "lists of lists"
has stdout "[-4, -5, -6]" "lists of lists"
lacks stderr "without a size" "lists of lists"
expect 0 "a list of the only open size" run $onnx/ids.onnx --input x=1,2,3 --dim batch=1
has stdout "y: s64[1,3]" "a list of the only open size"
expect 2 "a list of two open sizes" run $onnx/ids.onnx --input x=1,2,3
has stderr "there must be a number for each of 1 elements; there are 3" "a list of two open sizes"
expect 2 "lists of other lengths" run $onnx/ids.onnx --input "x=[[1,2,3],[4,5]]"
has stderr 'input "x": [[1,2,3],[4,5]] must be a list of numbers or a file' "lists of other lengths"
expect 2 "lists that are too deep" run $onnx/ids.onnx --input "x=[[[1,2]]]"
has stderr 'input "x" ([[[1,2]]]) has 3 dimensions; the input is int64[batch,sequence]' "lists that are too deep"
expect 2 "lists of another shape" run $onnx/gray.onnx --input "x=[[1,2],[3,4],[5,6],[7,8]]"
has stderr "the lists must be [2,4]; they are [4,2]" "lists of another shape"
expect 2 "two sizes of one name" run $onnx/pair.onnx --input "x=[[1,2]]" --input "z=[[1],[2]]"
has stderr 'dimension "n" is 1 in input "x" ([[1,2]]) and 2 in input "z" ([[1],[2]])' "two sizes of one name"
expect 0 "an input's own size before arithmetic" run $onnx/pair.onnx --input "x=[[1],[2]]" --input "z=[[5],[6]]"
has stdout "y: f32[2,1]" "an input's own size before arithmetic"
expect 2 "arithmetic of the command line" run $onnx/pair.onnx --input "x=[[1],[2]]" --input "z=[[5],[6]]" --dim m=1
has stderr 'dimension "m * 2" is 2 by --dim and 1 in input "z"' "arithmetic of the command line"
mkdir -p $out/given
cp $out/npy/y.npy $out/given/z.npy
head -c 24 $onnx/x.bin >$out/given/x.bin
expect 0 "sizes of a folder" run $onnx/dense.onnx --inputs $out/given
has stdout "y: f32[2,2]" "sizes of a folder"
lacks stderr "without a size" "sizes of a folder"
expect 0 "sizes of a folder, exactly" run --exact $onnx/dense.onnx --inputs $out/given
has stdout '"shape":[2,2]' "sizes of a folder, exactly"
cat >$out/given.json <<'END'
{"inputs": [{"name": "x", "dataType": "float32", "shape": [2, 3], "data": [1, 0, 0, 0, 1, 1]},
            {"name": "z", "dataType": "float32", "shape": [2, 2], "data": [0, 1, 2, 3]}]}
END
expect 0 "sizes of JSON, exactly" run --exact $onnx/dense.onnx --inputs $out/given.json
has stdout '"shape":[2,2],"data":[1.5,1,10.5,3]' "sizes of JSON, exactly"
expect 2 "sizes of JSON and another one" run --exact $onnx/dense.onnx --inputs $out/given.json --dim batch=1
has stderr 'dimension "batch" is 1 in --dim batch=1 and 2 in input "x" ('$out'/given.json)' "sizes of JSON and another one"
expect 2 "an NPY file and another size" run $onnx/dense.onnx --dim z[0]=1 --input z=$out/npy/y.npy --random 0
has stderr 'dimension "z[0]" is 1 in --dim z[0]=1 and 2 in input "z" (' "an NPY file and another size"
expect 2 "an NPY file of another width" run $onnx/dense.onnx --input x=$out/npy/y.npy --random 0
has stderr 'dimension 1 is 2 in input "x" ('$out'/npy/y.npy); it must be 3' "an NPY file of another width"
for text in P5 'P5 4' 'P6 4 2 255' 'P6 0 2 255 ' 'P6 4 2 70000 ' 'P3 1 1 1 1 1 1' 'P6 99999999999 2 255 '; do
  printf '%s' "$text" >$out/bad.ppm
  expect 2 "a picture that is \"$text\"" run $onnx/nchw.onnx --input x=$out/bad.ppm
  has stderr "bad.ppm: " "a picture that is \"$text\""
done

# Labels: minus 0.5, -3, 2, 0.25, -7, 1.5, 0.
printf 'ant\nbee\r\ncat\ndog\neel\nfox\ngnu\n\n' >$onnx/labels.txt
expect 0 "labels" run $onnx/classes.onnx --input x=$onnx/scores.bin --labels $onnx/labels.txt
printf 'y: f32[1,7], the largest of 7 classes:\n%12s  eel\n%12s  bee\n%12s  gnu\n%12s  dog\n%12s  ant\n' \
  7 3 -0 -0.25 -0.5 >$out/expected
same $out/stdout $out/expected "labels"
echo one >$onnx/few.txt
expect 2 "few labels" run $onnx/classes.onnx --input x=$onnx/scores.bin --labels $onnx/few.txt
has stderr 'there must be a label for each of the 7 classes of output "y"; there are 1' "few labels"
printf 'webnn_graph "two" v1 { inputs { x: f32[1,1]; b: f32[1,4]; } nodes { y = identity(x); c = neg(b); } outputs { y; c; } }' >$out/two.webnn
printf 'ant\nbee\ncat\ndog\n' >$onnx/four.txt
expect 0 "labels of the output that has as many" run $out/two.webnn --random 1 --labels $onnx/four.txt
has stdout "y: f32[1,1] =" "labels of the output that has as many"
has stdout "c: f32[1,4], the largest of 4 classes:" "labels of the output that has as many"
expect 2 "labels of no classes" run $onnx/nchw.onnx --labels $onnx/labels.txt
has stderr "has no output [1, N] of floats" "labels of no classes"

expect 0 "test data" test $onnx/tests $onnx/tests/dense/model.onnx
has stdout "3 passed, 0 failed, 0 not expressible" "test data"
expect 1 "wrong test data" test $onnx/wrong
has stderr 'wrong/test_data_set_0: output "y": element [1,1] must be 3.01; it is 3; 1 of 4 differ' "wrong test data"
has stderr 'output "p": element [1,0] must be 0; it is 1; 1 of 4 differ' "wrong test data"
mkdir -p $out/lacking/test_data_set_0 $out/typed/test_data_set_0
cp $onnx/tests/dense/model.onnx $out/lacking && cp $onnx/tests/dense/test_data_set_0/input_0.pb $onnx/tests/dense/test_data_set_0/output_*.pb \
  $out/lacking/test_data_set_0
expect 2 "test data without an input" test $out/lacking
has stderr 'input "z"' "test data without an input"
cp $onnx/tests/dense/model.onnx $out/typed && cp $onnx/tests/dense/test_data_set_0/*.pb $out/typed/test_data_set_0
cp $out/typed/test_data_set_0/output_1.pb $out/typed/test_data_set_0/input_1.pb
expect 2 "test data of another type" test $out/typed
has stderr 'typed/test_data_set_0: the tensor of input "z" must be of float32; it is of bool' "test data of another type"
expect 3 "test data of what is not covered" test $onnx/tests $onnx/out
has stdout "2 passed, 0 failed, 1 not expressible" "test data of what is not covered"
expect 1 "all test data" test $onnx
has stdout "3 passed, 2 failed, 1 not expressible" "all test data"
expect 1 "no test data" test $onnx/dense.onnx
has stderr "there is no folder test_data_set_0 beside it" "no test data"
expect 2 "no model in a folder" test $onnx/empty
has stderr "the folder has no model.onnx and no module (.mlir)" "no model in a folder"

# The lists and tables of docs/onnx.md are what the header and the command give; `sh scripts/onnx_page.sh ... write`
# writes them again.
compare_tables() {
  programs=$out/onnx_programs
  mkdir -p $programs
  cp $tool $programs/webnn
  if $CC -std=c99 $warnings -I.. -I$source/headers networks/files/onnx_operators.c $library -o $programs/onnx_operators -pthread &&
    cp build/networks/onnx_backend $programs && sh scripts/onnx_page.sh "$out" $programs; then
    same $out/operators.page $out/operators "the page's operators of ONNX"
    same $out/same.page $out/same "the page's operators of WebNN with their names in ONNX"
    same $out/others.page $out/others "the page's other operators of WebNN in ONNX"
  else
    wrong "the page's tables of ONNX are not made"
  fi
  if [ -f $out/numbers ]; then
    same $out/numbers.page $out/numbers "the page's numbers of ONNX's tests"
    same $out/reasons.page $out/reasons "the page's reasons"
    if build/networks/onnx_backend "${WEBNN_ONNX_DATA:-/usr/share/libonnx-testdata/data}" >$out/log 2>&1; then right; else wrong "onnx_backend: $(head -n 5 $out/log)"; fi
    came=$(sed -n 's/^| all | \([0-9]*\) | \([0-9]*\) | \([0-9]*\) |$/\1 passed, \3 failed, \2 not expressible/p' $out/numbers)
    has sums "$came" "ONNX's tests by the command"
  else
    skip "ONNX's tests: skipped: no /usr/share/libonnx-testdata (libonnx-testdata; or set WEBNN_ONNX_DATA)"
  fi
}

[ "${BUILT:-}" ] || compare_tables

# Whole networks, as exporters write them, beside ONNX Runtime.
[ "${BUILT:-}" ] || run_command "whole networks" sh scripts/onnx_networks.sh small "$tool" "$out/networks"

# ---- The pages ----------------------------------------------------------------------------------

# What a page shows of the command, in blocks that begin with "$ webnn ": is that what it prints?
shown() { # page
  awk -v out="$out/shown" '
    /^```/ { inside = 0; if (count > 0) close(out count); next }
    /^\$ webnn / { count++; inside = 1; print substr($0, 9) > (out count ".arguments"); close(out count ".arguments"); printf "" > (out count); next }
    inside { print > (out count) }' "$1"
  for arguments in "$out"/shown*.arguments; do
    [ -f "$arguments" ] || continue
    (cd "$out/root" && eval "tests/$tool $(cat "tests/$arguments")") >"$out/printed" 2>&1
    same "$out/printed" "${arguments%.arguments}" "$1: webnn $(cat "$arguments")"
    rm -f "$arguments" "${arguments%.arguments}"
  done
}
# The root of the project, with a folder of its own where a page has files written to.
mkdir -p "$out/root/examples/build"
for entry in ../* ../examples/*; do
  case $entry in
  ../examples | ../examples/build) ;;
  *) ln -s "$PWD/$entry" "$out/root/${entry#../}" ;;
  esac
done
shown ../README.md
shown ../docs/guide.md
for page in command onnx stablehlo; do
  shown ../docs/$page.md
done

# The table of XLA's 61 operations in docs/stablehlo.md: each function is declared, each name is that of a check.
sed -n "/^## XLA's operations/,/^## StableHLO/p" ../docs/stablehlo.md |
  sed -n 's/^| \([A-Za-z]*\) | `\(webnn_xla_[a-z_]*\)` |.*/\1 \2/p' >"$out/table"
[ "$(sort -u "$out/table" | wc -l)" -eq 61 ] && right || wrong "the table of XLA's operations has $(wc -l <"$out/table") rows"
while read -r name function; do
  if grep -q "\"$name\"" networks/xla.c; then right; else wrong "xla.c has no check of $name"; fi
  if grep -qE "(^|define |[ *])$function(\\(| )" ../examples/headers/webnn_xla.h ||
    grep -qE "X\\([A-Z_0-9]*, *${function#webnn_xla_}[,)]" ../examples/headers/webnn_xla.h; then right; else wrong "there is no $function"; fi
done <"$out/table"

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
