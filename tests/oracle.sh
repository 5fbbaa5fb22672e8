#!/bin/sh
# The command webnn-oracle of examples/oracle: every operator explained, conformance vectors run and
# checked, planted errors named where they were made, malformed input refused in words, exit statuses.
# CFLAGS may ask for sanitizers: CC=clang CFLAGS="-g -O1 -fsanitize=address,undefined" sh oracle.sh
cd "$(dirname "$0")" || exit 1
source=../examples/oracle
vectors=${WEBNN_WPT:-../../shared/wpt}/conformance
out=build/oracle
tool=build/webnn-oracle
fifty=$source/fifty.json small=$source/small.json
passed=0 failed=0 skipped=0
rm -rf "$out" && mkdir -p "$out/npy" "$out/raw" || exit 1

right() {
  passed=$((passed + 1))
}

wrong() { # what was expected and what came
  failed=$((failed + 1))
  echo "$1"
}

# Runs the command with its arguments; expects an exit status. Leaves $out/stdout and $out/stderr.
expect() { # status, title, arguments
  status=$1 title=$2
  shift 2
  "$tool" "$@" >"$out/stdout" 2>"$out/stderr" </dev/null
  came=$?
  if [ $came -eq "$status" ]; then
    right
  else
    wrong "$title: expected exit status $status, got $came: $(head -n 1 "$out/stderr")"
  fi
}

has() { # file in $out, text, title
  if grep -qF -- "$2" "$out/$1"; then right; else wrong "$3: no \"$2\" in: $(head -c 300 "$out/$1")"; fi
}

lacks() { # file in $out, text, title
  if grep -qF -- "$2" "$out/$1"; then wrong "$3: has \"$2\""; else right; fi
}

build() {
  for file in "$source"/*.c; do
    ${CC:-cc} -std=c99 ${CFLAGS:--O2} -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I.. \
      -c "$file" -o "$out/$(basename "$file" .c).o" || return 1
  done
  ${CC:-cc} ${CFLAGS:--O2} "$out"/*.o -o "$tool" -pthread
}

# ---- limits and explain -----------------------------------------------------------------------

test_operators() {
  expect 0 "limits" limits
  sed -n 's/^  "\([A-Za-z0-9]*\)": {$/\1/p' "$out/stdout" >"$out/operators"
  count=$(wc -l <"$out/operators")
  rows=$(grep -c '^  X([A-Z]' ../webnn.h)
  if [ "$count" -eq "$rows" ]; then right; else wrong "limits: $count operators, webnn.h has $rows"; fi
  tr -s ' \n' '  ' <../webnn.h | sed 's/\* webnn_/*webnn_/g' >"$out/interface"
  while read -r name; do
    expect 0 "explain $name" explain "$name"
    has stdout "### " "explain $name, the entry of docs/operators.md"
    signature=$(sed -n 's/^  \(.*webnn_.*webnn_builder.*\)$/\1/p' "$out/stdout" | head -n 1)
    has interface "WEBNN_API ${signature:-no signature};" "explain $name, the declaration"
    if [ "$(grep -c '^### ' "$out/stdout")" -ne 1 ]; then wrong "explain $name: other entries"; fi
  done <"$out/operators"
  expect 2 "explain nothing" explain conv3d
  expect 0 "explain --docs" explain relu --docs ../docs
  expect 2 "explain --docs nowhere" explain relu --docs "$out/nowhere"
}

# ---- run, check, graph ------------------------------------------------------------------------

test_small() {
  expect 0 "check small.json" check "$small"
  expect 0 "run small.json" run "$small"
  has stdout '{"name":"result","dataType":"float32","shape":[2,2],"data":[2.75,0.875,0,1.1]}' "run"
  lacks stdout intermediates "run without --all"
  expect 0 "run --all" run "$small" --all
  has stdout '{"name":"product","dataType":"float32","shape":[2,2],"data":[2.75,0.875,-4.2,1.1]}' \
    "run --all"
  expect 0 "graph" graph "$small"
  has stdout 'matmul("a", %1, ' "graph"
  expect 0 "graph --dot" graph "$small" --dot
  has stdout 'digraph' "graph --dot"
}

# An error of one ULP in the output: within the tolerance of the suite, but not of --ulp 0.
test_tolerances() {
  sed 's/0.875, 0, 1.1\]/0.875, 0, 1.10000014]/' "$small" >"$out/near.json"
  expect 1 "one ULP, relu allows none" check "$out/near.json"
  has stdout 'FIRST WRONG OPERATOR: relu "result"' "one ULP"
  has stdout '[1,1]' "one ULP: where"
  sed '/"intermediates"/,/"product", "data/d; /"name": "product", "dataType"/d' "$out/near.json" \
    >"$out/ends.json"
  expect 0 "one ULP, the graph allows some" check "$out/ends.json"
  has stdout "largest distance 1 ULP at [1,1], mean 0.25 ULP" "distances"
  expect 1 "--ulp 0" check "$out/ends.json" --ulp 0
  expect 0 "--ulp 1" check "$out/ends.json" --ulp 1
  expect 1 "--atol 1e-8" check "$out/ends.json" --atol 1e-8
  expect 0 "--atol 1e-6" check "$out/ends.json" --atol 1e-6
  sed '$s/\]}\]}$/],"tolerance":{"metric":"ULP","value":0}}]}/' "$out/ends.json" >"$out/own.json"
  expect 1 "the file's tolerance" check "$out/own.json"
  sed 's/"shape": \[2, 2\], "data": \[2.75, 0.875, 0/"shape": [4], "data": [2.75, 0.875, 0/' \
    "$small" >"$out/shape.json"
  expect 1 "another shape" check "$out/shape.json"
  has stdout "theirs is float32 [4], the exact one float32 [2,2]" "another shape"
}

test_formats() {
  expect 0 "run to JSON" run "$fifty" --all --out "$out/exact.json"
  expect 0 "run to NPY" run "$fifty" --all --out "$out/npy"
  expect 0 "run to raw" run "$fifty" --all --out "$out/raw" --format raw
  for actual in exact.json npy raw; do
    expect 0 "check --actual $actual" check "$fifty" --actual "$out/$actual" --ulp 0
    has stdout "50 of 50 compared, 0 wrong" "check --actual $actual"
  done
  # Inputs in files beside the JSON: the exact product in place of the operator's.
  mkdir -p "$out/files"
  expect 0 "run small to NPY" run "$small" --all --out "$out/files"
  printf '{"operators":[{"name":"relu","arguments":[{"operand":"x"}],"outputs":["result"]}],
"inputs":[{"name":"x","file":"product.npy"}]}' >"$out/files/relu.json"
  expect 0 "an input in NPY" run "$out/files/relu.json"
  has stdout '"data":[2.75,0.875,0,1.1]' "an input in NPY"
  expect 0 "--actual of NPY" check "$out/files/relu.json" --actual "$out/files"
}

test_vectors() {
  if [ ! -d "$vectors" ]; then
    skipped=$((skipped + 1))
    echo "conformance vectors: skipped: $vectors is not there (set WEBNN_WPT)"
    return
  fi
  for name in conv2d gemm softmax lstm gru_cell split cast-storage clamp reduce_sum \
    instance_normalization resample2d triangular scatterND gatherElements is_nan; do
    expect 0 "check $name" check "$vectors/$name.json"
    lacks stdout " 0 right" "check $name"
    expect 0 "run $name" run "$vectors/$name.json" --all --out "$out/vectors.json"
    expect 0 "check $name with its own" check "$vectors/$name.json" --actual "$out/vectors.json" \
      --ulp 0
  done
  # A vector that is wrong by the suite's own fault, and ones that the specification refuses.
  expect 1 "check subgraph" check "$vectors/subgraph.json"
  has stdout "46 cases: 45 right, 1 wrong, 0 refused" "check subgraph"
  expect 2 "check quantizeLinear" check "$vectors/quantizeLinear.json"
  has stdout "30 cases: 23 right, 0 wrong, 7 refused" "check quantizeLinear"
  has stderr "quantizeLinear.json:39:1: TypeError: quantizeLinear" "check quantizeLinear"
  expect 0 "--case" check "$vectors/subgraph.json" --case "conv2d default + relu"
  has stdout "1 case: 1 right" "--case"
  expect 2 "--case of nothing" check "$vectors/subgraph.json" --case nothing
}

# ---- Models of other arithmetic ---------------------------------------------------------------

# Numbers of one model: the check with that model is right, and `try` finds it.
test_model() { # the model as `try` writes it
  expect 0 "run $1" run "$fifty" --all --arithmetic "$1" --out "$out/model.json"
  expect 0 "check $1" check "$fifty" --actual "$out/model.json" --arithmetic "$1" --ulp 0
  has stdout "arithmetic: $1" "check $1"
  expect 0 "try finds $1" check "$fifty" --actual "$out/model.json" --arithmetic try
  if [ "$(awk 'NR == 2 { print $1, $2, $3, $4 }' "$out/stdout")" = "$1 0 0 0" ]; then
    right
  else
    wrong "try: expected $1 as the best model, got: $(sed -n 2p "$out/stdout")"
  fi
  has stdout "elements are those of $1" "try finds $1"
  if [ "$(wc -l <"$out/stdout")" -eq 24 ]; then right; else wrong "try: a line for each of 22 models"; fi
}

test_arithmetic() {
  for model in accumulate=exact accumulate=float16 accumulate=float16,order=pairwise \
    accumulate=float32 accumulate=float32,order=pairwise accumulate=float32,order=blocks:4 \
    accumulate=float32,order=blocks:8 accumulate=float32,order=blocks:16 \
    accumulate=float32,order=blocks:32 intermediates=float16 intermediates=bfloat16; do
    test_model "$model"
  done
  # Not exact, and not of another model: where they differ is shown.
  expect 0 "run" run "$fifty" --all --arithmetic accumulate=float16 --out "$out/model.json"
  has model.json '"arithmetic":"accumulate=float16"' "run --arithmetic"
  lacks exact.json '"arithmetic"' "run without --arithmetic"
  expect 1 "float16 sums are not exact" check "$fifty" --actual "$out/model.json" --ulp 0
  expect 1 "nor pairwise" check "$fifty" --actual "$out/model.json" --ulp 0 \
    --arithmetic accumulate=float16,order=pairwise
  # A wrong number among them: the model is still the nearest.
  sed '/"outputs":\[/,$s/"data":\[-*[0-9.e-]*,/"data":[77,/' "$out/model.json" >"$out/wrong.json"
  expect 1 "try with wrong numbers" check "$fifty" --actual "$out/wrong.json" --arithmetic try
  has stdout "the nearest is accumulate=float16, and 1 more are as near" "try with wrong numbers"
  # Several cases: one table.
  printf '{"cases":[%s,%s]}' "$(cat "$small")" "$(sed 's/matmul and relu/2/' "$small")" \
    >"$out/two.json"
  expect 0 "try with two cases" check "$out/two.json" --arithmetic try
  has stdout "all 16 elements are those of accumulate=exact" "try with two cases"
  expect 2 "try without numbers" check "$out/files/relu.json" --arithmetic try
  test_subnormals
  test_malformed_arithmetic
}

test_subnormals() {
  printf '{"operators":[{"name":"add","arguments":[{"operand":"x"},{"operand":"x"}],"outputs":["y"]}],
"inputs":[{"name":"x","dataType":"float32","shape":[2],"data":[1e-40,-1]}]}' >"$out/tiny.json"
  expect 0 "run subnormals=keep" run "$out/tiny.json" --arithmetic subnormals=keep
  has stdout '"data":[1.99999e-40,-2]' "run subnormals=keep"
  expect 0 "run subnormals=flush" run "$out/tiny.json" --arithmetic subnormals=flush --out "$out/flush.json"
  has flush.json '"data":[0,-2]' "run subnormals=flush"
  expect 0 "try subnormals" check "$out/tiny.json" --actual "$out/flush.json" --arithmetic try
  has stdout "all 2 elements are those of subnormals=flush" "try subnormals"
}

refuses_arithmetic() { # value, the message
  expect 2 "--arithmetic \"$1\"" run "$small" --arithmetic "$1"
  has stderr "$2" "--arithmetic \"$1\""
  expect 2 "check --arithmetic \"$1\"" check "$small" --arithmetic "$1"
  has stderr "$2" "check --arithmetic \"$1\""
}

test_malformed_arithmetic() {
  refuses_arithmetic "" '"" is not one of accumulate, order, intermediates, subnormals'
  refuses_arithmetic rounding=up '"rounding" is not one of'
  refuses_arithmetic accumulates=exact '"accumulates" is not one of'
  refuses_arithmetic order '--arithmetic: order=VALUE expected'
  refuses_arithmetic accumulate= 'accumulate takes exact, float32 or float16, not ""'
  refuses_arithmetic accumulate=bfloat16 'not "bfloat16"'
  refuses_arithmetic intermediates=float32 \
    'intermediates takes exact, float16 or bfloat16, not "float32"'
  refuses_arithmetic subnormals=yes 'subnormals takes keep or flush, not "yes"'
  for order in tree blocks blocks: blocks:0 blocks:-1 blocks:4x blocks:4294967296; do
    refuses_arithmetic "order=$order" "not \"$order\""
  done
  refuses_arithmetic accumulate=float16, '"" is not one of'
  refuses_arithmetic accumulate=float16,accumulate=exact 'accumulate is given twice'
  refuses_arithmetic accumulate=float16,try '"try" is not one of'
  expect 2 "run --arithmetic try" run "$small" --arithmetic try
  has stderr "--arithmetic try is for check, not for run" "run --arithmetic try"
  expect 2 "graph --arithmetic" graph "$small" --arithmetic accumulate=exact
  expect 2 "--arithmetic without a value" check "$small" --arithmetic
}

# ---- Planted errors ---------------------------------------------------------------------------

# One tensor of the exact results with its first element changed, as a list for --inputs.
perturb() { # name
  grep "^{\"name\":\"$1\"," "$out/exact.json" |
    sed 's/}.*/}/; s/,"bits":.*/}/; s/^/[/; s/$/]/' |
    awk '{
      at = index($0, "\"data\":[") + 8
      head = substr($0, 1, at - 1); rest = substr($0, at)
      match(rest, /[],]/)
      element = substr(rest, 1, RSTART - 1); quote = gsub(/"/, "", element) ? "\"" : ""
      change = $0 ~ /"dataType":"(float|u?int8)/ ? 5 : 1
      element = element + 0 > 0 ? element - change : element + change
      if ($0 ~ /"uint8"/) element = 7
      print head quote element quote substr(rest, RSTART)
    }'
}

# An implementation that goes wrong in one element of one result and goes on from there: that very
# operator is named, and no other is called wrong. And one whose one result was only stored wrong.
test_planted() { # name, the operator
  perturb "$1" >"$out/cut.json"
  expect 0 "a planted error in $1" run "$fifty" --inputs "$out/cut.json" --all --out "$out/planted.json"
  expect 1 "check of a planted error in $1" check "$fifty" --actual "$out/planted.json"
  has stdout "FIRST WRONG OPERATOR: $2" "a planted error in $1"
  has stdout "50 of 50 compared, 1 wrong" "a planted error in $1"
  new=$(sed 's/^\[//; s/\]$//' "$out/cut.json")
  awk -v start="{\"name\":\"$1\"," -v new="$new" \
    'index($0, start) == 1 { $0 = new substr($0, index($0, "}") + 1) } { print }' \
    "$out/exact.json" >"$out/stored.json"
  expect 1 "check of $1 stored wrong" check "$fifty" --actual "$out/stored.json"
  has stdout "FIRST WRONG OPERATOR: $2" "$1 stored wrong"
}

test_all_planted() {
  sed -n 's/^{"name":"\([A-Za-z0-9]*\)","arguments".*"outputs":\["\([a-z0-9]*\)".*/\1 \2/p' "$fifty" \
    >"$out/results"
  count=$(wc -l <"$out/results")
  if [ "$count" -eq 50 ]; then right; else wrong "fifty.json has $count operators"; fi
  while read -r operator name; do
    test_planted "$name" "$operator \"$name\" "
  done <"$out/results"
  test_planted "cell1" 'lstmCell "hidden1" '
  # Without the results before it the blame is shared, and that is said.
  perturb mixed >"$out/cut.json"
  expect 0 "run" run "$fifty" --inputs "$out/cut.json" --all --out "$out/planted.json"
  sed '/"name":"attention"/d' "$out/planted.json" >"$out/gap.json"
  expect 1 "check with a gap" check "$fifty" --actual "$out/gap.json"
  has stdout 'or, their results not being given, softmax "attention"' "check with a gap"
  has stdout "49 of 50 compared, 1 wrong" "check with a gap"
}

# ---- Malformed input --------------------------------------------------------------------------

refuses() { # title, the message, the JSON
  printf '%s' "$3" >"$out/bad.json"
  expect 2 "$1" run "$out/bad.json"
  has stderr "bad.json:$2" "$1"
}

test_malformed() {
  relu='"operators":[{"name":"relu","arguments":[{"operand":"x"}],"outputs":["y"]}]'
  one='{"name":"x","dataType":"float32","shape":[2],"data":[1,2]}'
  refuses "nothing" "1:1: the file ends" ""
  refuses "half a file" "1:" "{\"inputs\":[$one"
  refuses "no JSON" "1:1: a value expected" "relu(x)"
  refuses "the second line" "2:2: a string expected" "{
 operators}"
  refuses "no operators" "1:1: \"operators\" expected" "{\"inputs\":[$one]}"
  refuses "no such operator" "1:23: MLGraphBuilder has no operator \"conv3d\"" \
    '{"operators":[{"name":"conv3d"}]}'
  refuses "no such operand" "1:54: there is no operand \"x\"" "{$relu}"
  refuses "an element short" "1:64: 1 elements; the shape has 2" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"float32\",\"shape\":[2],\"data\":[1]}],$relu}"
  refuses "a wrong element" "1:62: 128 is not of type int8" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"int8\",\"shape\":[1],\"data\":[128]}],$relu}"
  refuses "a wrong type" "1:35: \"dataType\" expected" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"float8\",\"shape\":[1],\"data\":[1]}],$relu}"
  refuses "a tensor too large" "1:12: the tensor has more than" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"int8\",\"shape\":[99999,99999],\"fill\":1}],$relu}"
  refuses "two of a name" "1:79: \"x\" is the name of two operands" "{\"inputs\":[$one,{\"name\":\"x\"}],$relu}"
  refuses "an unknown option" "1:149: the operator has no option \"alpha\"" \
    "{\"inputs\":[$one],\"operators\":[{\"name\":\"relu\",\"arguments\":[{\"operand\":\"x\"},{\"options\":{\"alpha\":{\"number\":1}}}],\"outputs\":[\"y\"]}]}"
  refuses "what the builder refuses" "1:85: TypeError: matmul \"y\"" \
    "{\"inputs\":[$one],\"operators\":[{\"name\":\"matmul\",\"arguments\":[{\"operand\":\"x\"},{\"operand\":\"x\"}],\"outputs\":[\"y\"]}]}"
  refuses "a file that is not there" "1:" \
    "{\"inputs\":[{\"name\":\"x\",\"file\":\"nothing.npy\"}],$relu}"
  printf 'NUMPY' >"$out/short.npy"
  refuses "a file that is no NPY" "1:31: $out/short.npy: byte 0: not an NPY file" \
    "{\"inputs\":[{\"name\":\"x\",\"file\":\"short.npy\"}],$relu}"
  printf '1234567' >"$out/short.bin"
  refuses "a raw file too short" "1:64: $out/short.bin: byte 7: the file ends before the tensor does" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"float32\",\"shape\":[2],\"file\":\"short.bin\"}],$relu}"
  expect 2 "no such file" run "$out/nothing.json"
  expect 2 "no such command" fly
  expect 2 "no command"
  expect 2 "no such option" run "$small" --fast
  expect 2 "a wrong number" check "$small" --ulp many
  expect 2 "a wrong format" run "$small" --format png
  expect 2 "a folder that is not there" run "$small" --out "$out/no/folder"
  expect 0 "help" --help
}

# Every truncation of a small file, and of an NPY file: refused in words, never worse.
test_truncated() {
  length=$(wc -c <"$small") at=0
  while [ $at -lt $((length - 2)) ]; do
    head -c $at "$small" >"$out/cut.json"
    "$tool" check "$out/cut.json" >/dev/null 2>"$out/stderr"
    came=$?
    if [ $came -eq 2 ] && grep -q 'cut.json:[0-9]*:[0-9]*: ' "$out/stderr"; then
      right
    else
      wrong "small.json cut at $at: exit status $came: $(head -n 1 "$out/stderr")"
    fi
    at=$((at + 7))
  done
  length=$(wc -c <"$out/npy/state.npy") at=0
  cp "$out/files/relu.json" "$out/relu.json"
  while [ $at -lt "$length" ]; do
    head -c $at "$out/npy/state.npy" >"$out/product.npy"
    "$tool" run "$out/relu.json" >/dev/null 2>"$out/stderr"
    came=$?
    if [ $came -eq 2 ] && grep -q 'product.npy: byte [0-9]*: ' "$out/stderr"; then
      right
    else
      wrong "an NPY file cut at $at: exit status $came: $(head -n 1 "$out/stderr")"
    fi
    at=$((at + 5))
  done
}

if build; then
  test_operators
  test_small
  test_tolerances
  test_formats
  test_vectors
  test_arithmetic
  test_all_planted
  test_malformed
  test_truncated
else
  wrong "webnn-oracle does not build"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
