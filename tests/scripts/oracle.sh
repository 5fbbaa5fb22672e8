#!/bin/sh
# What computes exactly in the command of examples/webnn, under its second name, webnn-oracle: every operator explained, conformance vectors run and
# checked, planted errors named where they were made, graphs converted to text and back, malformed
# input refused in words, exit statuses.
# CFLAGS may ask for sanitizers: CC=clang CFLAGS="-g -O1 -fsanitize=address,undefined" sh oracle.sh
# With BUILT, a folder with the command and its objects, that is tested, as it is there. Arguments are the functions
# below that run, "test_small test_npy"; without them all do.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
. scripts/command.sh
source=../examples/webnn
vectors=${WEBNN_WPT:-../../shared/wpt}/conformance
built=${BUILT:-build}
out=$built/oracle
tool=$built/webnn-oracle
fifty=$source/fifty.json small=$source/small.json
passed=0 failed=0 skipped=0
rm -rf "$out" && mkdir -p "$out/npy" "$out/raw" || exit 1

build() {
  { [ "${BUILT:-}" ] || ${MAKE:-make} -s "$tool"; } &&
    ${CC:-cc} -std=c99 ${CFLAGS:--O2} -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I.. \
      -DWEBNN_TEST_LINKED $includes reference/oracle_values.c "$built/command/exact/recorder.o" -o "$built/oracle_values" \
      -pthread -lm
}

# ---- examples ---------------------------------------------------------------------------------

# A page of one block, and what is said of it.
example_says() { # status, title, block, message
  printf '### relu (8.9.40)\n\n```webnn\n%s\n```\n' "$3" >"$out/page.md"
  expect "$1" "examples: $2" examples "$out/page.md"
  if [ -n "$4" ]; then has stderr "page.md:$4" "examples: $2"; fi
}

test_blocks() {
  example_says 0 "lists, counts, one value" 'x: f32[2, 2] = [[-1, NaN], [-Infinity, -0]];  # comment
y = relu(x); y == [0, NaN, 0, 0];
c: i8[3] = -1..1; d = relu(c); d: i8[3] == [0, 0, 1];
e: f16[2] = 3; f = relu(e); f == 3;' ""
  example_says 1 "a wrong number" 'x: f32[2] = 1..2; y = relu(x); y == [1, 3];' '4:32: y is [1, 2], not [1, 3]'
  example_says 1 "the sign of zero" 'x: f32[1] = -0; y = relu(x); y == [-0];' '4:30: y is [0], not [-0]'
  example_says 1 "too few digits" 'x: f32[1] = [0.1234567]; y = relu(x); y == [0.12345];' '4:39: y is [0.1234567]'
  example_says 1 "a wrong shape" 'x: f32[2] = 1; y = relu(x); y: f32[1, 2] == 1;' '4:29: y is float32 [2], not float32 [1,2]'
  example_says 1 "a wrong count" 'x: f32[2] = 1; y = relu(x); y == [1, 1, 1];' '4:29: y is [1, 1]'
  example_says 1 "no result" 'x: f32[2] = 1; y = relu(x);' '4:1: an example must have a result'
  example_says 1 "another result" 'x: f32[2] = 1; y = relu(x); z == 1;' '4:29: no operator of the example makes "z"'
  example_says 1 "no such operator" 'x: f32[2] = 1; y = rely(x); y == 1;' '4:20: MLGraphBuilder has no operator'
  example_says 0 "refused calls" 'x: f32[2] = 1; y = relu(x); y == 1; z: u8[1] = 1; refused relu(z); refused expand(x, newShape=[3]);' ""
  example_says 1 "a call that is not refused" 'x: f32[2] = 1; y = relu(x); y == 1; refused abs(x);' '4:45: the builder does not refuse this'
  example_says 1 "a call of several results that is not refused" 'x: f32[4] = 1; y = relu(x); y == 1; refused split(x, splits=[1, 3]);' '4:45: the builder does not refuse this'
  example_says 1 "two equal parts that are not refused" 'x: f32[4] = 1; y = relu(x); y == 1; refused split(x, splits=2);' '4:45: the builder does not refuse this'
  example_says 1 "a cell that is not refused" 'x: f32[1, 1] = 1; w: f32[4, 1] = 0; y = relu(x); y == 1; refused lstmCell(x, w, w, x, x, hiddenSize=1);' '4:66: the builder does not refuse this'
  example_says 0 "refused calls of several results" 'x: f32[4] = 1; y = relu(x); y == 1; refused split(x, splits=[1, 2]); refused split(x, splits=3); refused split(x, splits=4000000000);' ""
  example_says 1 "a refused call with an option of no meaning" 'x: f32[2] = 1; y = relu(x); y == 1; refused softmax(x, axis=9, height=3);' '4:'
  example_says 1 "a refused call of no operator" 'x: f32[2] = 1; y = relu(x); y == 1; refused rely(x);' '4:45: MLGraphBuilder has no operator'
  example_says 1 "refused" 'x: u8[2] = 1; y = relu(x); y == 1;' '4:'
  example_says 1 "not the operator of the entry" 'x: f32[2] = 1; y = abs(x); y == 1;' '1:1: the entry has no example of relu'
  example_says 1 "a count too far" 'x: f32[2] = 1..99999999999; y = relu(x); y == 1;' '4:13: a count must be two integers'
  example_says 1 "an end in the middle" 'x: f32[2] = 1; y = relu(x); y == [1' '5:1: the file ends in the middle'
  example_says 1 "nested too deeply" "x: f32[2] = $(printf '%200s' '' | tr ' ' '[')" '4:'
  printf '```webnn\nx' >"$out/page.md"
  expect 1 "examples: a block without an end" examples "$out/page.md"
  has stderr 'page.md:1:1: a block must end with ```' "examples: a block without an end"
  expect 2 "examples: no file" examples "$out/nowhere.md"
  echo "# A title" >"$out/page.md"
  expect 2 "examples: none" examples "$out/page.md"
  has stderr "page.md: there are no examples" "examples: none"
  cat >"$out/lines.h" <<'END'
/* [1, 2], [3] == split([1, 2, 3], splits=[2, 1]): and more words
   [[1], [2]] == transpose([[1, 2]]) */
/* 7 == where(1, 7,
   8) */ int x;
/* [1] == sqrt(4) is nothing that begins so */ int y = 3 == abs(3);
END
  expect 1 "examples: lines of comments" examples "$out/lines.h"
  has stdout "3 examples right, 1 wrong" "examples: lines of comments"
  has stderr "lines.h:5:4: r0 is [2], not [1]" "examples: lines of comments"
  test_loops
}

# Loops in plain C, right and with an index wrong by one.
test_loops() {
  cat >"$out/page.md" <<'END'
### cumulativeSum (8.9.12)

```webnn
x: f32[2, 3] = 1..6;
y = cumulativeSum(x, axis=1);
y == [1, 3, 6, 4, 9, 15];
```
```c
/* plain: axis 1; input [R][C], output [R][C] */
for (int r = 0; r < R; r++)
  for (int c = 0; c < C; c++)
    output[r][c] = input[r][c] + (c > 0 ? output[r][c - 1] : 0);
```
END
  expect 0 "examples: loops" examples "$out/page.md" --out "$out/loops.c"
  if ${CC:-cc} -std=c99 "$out/loops.c" -o "$out/loops" -lm && "$out/loops" >"$out/stdout"; then
    has stdout "1 passed, 0 failed" "the loops"
  else
    wrong "the loops in plain C"
  fi
  sed -i 's/\[c - 1\]/[c]/' "$out/page.md"
  expect 0 "examples: wrong loops" examples "$out/page.md" --out "$out/loops.c"
  if ${CC:-cc} -std=c99 "$out/loops.c" -o "$out/loops" -lm && "$out/loops" >"$out/stdout"; then
    wrong "the loops with a wrong index pass"
  else
    has stdout "page.md:9: on the example in line 4" "the wrong loops"
  fi
  sed -i 's/axis 1;/axis 0;/' "$out/page.md"
  expect 1 "examples: loops of another axis" examples "$out/page.md" --out "$out/loops.c"
  has stderr "page.md:9:1: no example of cumulativeSum before has" "loops that fit nothing"
  expect 0 "examples: the loops of the page" examples ../docs/operators.md --out "$out/loops.c"
  has stdout " 0 wrong, " "examples: the loops of the page"
  sed -i '/^```webnn/,/^```$/d' "$out/page.md"
  expect 1 "examples: loops without an example" examples "$out/page.md" --out "$out/loops.c"
  has stderr "page.md:4:1: no example of cumulativeSum before" "loops without an example"
}

# ---- exercise ---------------------------------------------------------------------------------

# A line of exercise_lines.txt: operator, puzzle, what is written, exit status, message.
test_exercise_lines() {
  while IFS=@ read -r name puzzle answer status message; do
    expect "$status" "exercise $name, $answer" exercise "$name" --example "$puzzle" --line "$answer"
    cat "$out/stdout" "$out/stderr" >"$out/said"
    has said "$message" "exercise $name, $answer"
    if [ "$status" -eq 1 ]; then
      has stdout "  stored " "exercise $name, the trace of the first wrong element"
    fi
  done <reference/exercise_lines.txt
}

# Every puzzle is in the page, has wrong lines, and its own line is right; and each loop has a puzzle.
test_exercise() {
  expect 2 "exercise of nothing" exercise conv3d
  tr -d ',' <"$out/stderr" | sed 's/.*but of//' | tr ' ' '\n' | grep . >"$out/puzzles"
  { sed 's/$/ 1/' "$out/puzzles"; echo "resample2d 2"; } >"$out/all_puzzles"
  while read -r name puzzle; do
    expect 0 "exercise $name" exercise "$name" --example "$puzzle"
    has stdout "/* your line */" "exercise $name"
    expect 0 "exercise $name, the line" exercise "$name" --example "$puzzle" --solution
    expect 0 "exercise $name, its own line" exercise "$name" --example "$puzzle" --line "$(cat "$out/stdout")"
    has stdout "right: the bits of the reference context" "exercise $name"
    if grep -q "^$name@$puzzle@" reference/exercise_lines.txt; then right; else wrong "exercise $name: no wrong line"; fi
  done <"$out/all_puzzles"
  if [ "$(wc -l <"$out/all_puzzles")" -eq "$(grep -c '^/\* plain:' ../docs/operators.md)" ]; then
    right
  else
    wrong "exercise: a loop without a puzzle"
  fi
  test_exercise_lines
  expect 0 "exercise, an operator of the entry" exercise argMin
  expect 2 "exercise, a third puzzle" exercise resample2d --example 3
  has stderr "resample2d has 2 puzzles" "exercise, a third puzzle"
  expect 0 "exercise, the loops" exercise tile
  sed 's|/\* your line \*/|output[p][q] = input[p % H][q % W];|' "$out/stdout" >"$out/tile.c"
  expect 0 "exercise --loops" exercise tile --loops "$out/tile.c"
  sed -i 's/q % W/q/' "$out/tile.c"
  expect 2 "exercise --loops, wrong" exercise tile --loops "$out/tile.c"
  has stderr "tile.c:4:33: an index in dimension 1 of input must be less than 2; it is 2" "exercise --loops, wrong"
  expect 2 "exercise, two answers" exercise tile --loops "$out/tile.c" --line ""
  expect 0 "exercise --json" exercise tile --json
  has stdout '"line": "output[p][q] = input[p % H][q % W];"' "exercise --json"
  expect 2 "exercise, too deep" exercise tile --line "output[p][q] = $(printf '%500s' '' | tr ' ' '(')"
  has stderr "expressions and statements must be nested less than 100 deep" "exercise, too deep"
  expect 2 "exercise, a long chain" exercise tile --line "output[p][q] = $(printf '%500s' '' | sed 's/ /1+/g')1;"
  has stderr "expressions and statements must be nested less than 100 deep" "exercise, a long chain"
}

# ---- limits and explain -----------------------------------------------------------------------

test_operators() {
  expect 0 "limits" limits
  sed -n 's/^  "\([A-Za-z0-9]*\)": {$/\1/p' "$out/stdout" >"$out/operators"
  count=$(wc -l <"$out/operators")
  rows=$(sed -n '/^#define WEBNN_OPERATORS/,/^$/p' ../webnn.h | grep -c '^  X([A-Z]')
  if [ "$count" -eq "$rows" ]; then right; else wrong "limits: $count operators, webnn.h has $rows"; fi
  tr -s ' \n' '  ' <../webnn.h | sed 's/\* webnn_/*webnn_/g' >"$out/interface"
  mkdir -p "$out/alone" && cp "$tool" "$out/alone/webnn-oracle" # without the page
  while read -r name; do
    expect 0 "explain $name" explain "$name"
    heading=$(grep -m 1 '^### ' "$out/stdout" | tr -d ',')
    case " ${heading%(8.9.*} " in
    *" $name "*) right ;;
    *) wrong "explain $name: the entry is \"$heading\"" ;;
    esac
    if [ "$(sort "$out/stdout" | uniq -d | grep -c 'webnn_builder \*builder')" -ne 0 ] ||
      grep -q '^  .*webnn_.*(webnn_builder' "$out/stdout"; then
      wrong "explain $name: a signature twice"
    fi
    (cd "$out/alone" && ./webnn-oracle explain "$name") >"$out/stdout" 2>"$out/stderr"
    signature=$(sed -n 's/^  \(.*webnn_.*webnn_builder.*\)$/\1/p' "$out/stdout" | head -n 1)
    has interface "WEBNN_API ${signature:-no signature};" "explain $name, the declaration"
  done <"$out/operators"
  test_explain_sections
  expect 2 "explain nothing" explain conv3d
  expect 0 "explain --docs" explain relu --docs ../docs
  expect 2 "explain --docs nowhere" explain relu --docs "$out/nowhere"
}

# With an entry come the rules and entries to which it has links. The page may be in the program.
test_explain_sections() {
  expect 0 "explain add" explain add
  has stdout "### Broadcasting" "explain add, the rule that it names"
  expect 0 "explain gru" explain gru
  has stdout "### gruCell" "explain gru, the cell"
  if [ "$(grep -c '^### gruCell' "$out/stdout")" -ne 1 ]; then wrong "explain gru: the cell twice"; fi
  ${MAKE:-make} -s -C ../examples build/operators_page.inc
  ${CC:-cc} -std=c99 ${CFLAGS:--O2} -Wall -Wextra -Wpedantic -Werror -I.. -I../examples/build \
    -DORACLE_PAGE='"operators_page.inc"' -c "$source/exact/page.c" -o "$out/alone/page.o"
  ${CC:-cc} ${CFLAGS:--O2} $(ls "$built"/command/*.o "$built"/command/*/*.o | grep -v '/page.o$') "$out/alone/page.o" \
    "$built/networks.o" "$built/onnx.o" "$built/onnx_write.o" "$built/weights.o" -o "$out/alone/with_page" -pthread -lm
  if (cd / && "$OLDPWD/$out/alone/with_page" explain gru) >"$out/stdout" 2>&1; then right; else wrong "explain from /"; fi
  has stdout "### gruCell" "explain from /"
}

# ---- trace ------------------------------------------------------------------------------------

# Elements whose only lines are terms: these add up to what is stored.
sums_agree() {
  awk '/^[^ ].* = / { bad = other = terms = sum = 0 }
       $1 == "term" { terms++; value = $2; sub(/[.][.][.]$/, "", value); sum += value }
       $1 == "sum" || $1 == "read" || $1 == "index" || $1 == "exact" { other++ }
       $1 == "stored" && terms > 0 && other == 0 {
         seen++
         difference = sum - $2
         if (difference > 1e-6 * (sum < 0 ? -sum : sum) || -difference > 1e-6 * (sum < 0 ? -sum : sum)) wrong++
       }
       END { print seen + 0, wrong + 0 }' "$out/stdout"
}

# In each section of trace.html each number that a line has is that of a frame, and each frame's that of a line; the
# last section, which is shown at first, has the first element, and no other says that it is the first.
page_agrees() {
  awk '
    function say(text) { print text; failed = 1 }
    /^<section/ {
      split("", lines); split("", frames)
      sections++; frame_count = 0
      id = $0; sub(/^.*id="/, "", id); sub(/".*/, "", id)
      is_first = /class="first"/
      if (is_first && (id != first || opened++)) say(id " is shown at first")
    }
    !first && match($0, /<a href="#e[0-9_]*"/) { first = substr($0, RSTART + 10, RLENGTH - 11) }
    /^<tr tabindex="0" class="k/ { k = $0; sub(/^.*class="/, "", k); sub(/".*/, "", k); lines[k] = 1 }
    /^<g tabindex="-1" class="k/ {
      k = $0; sub(/^.*class="/, "", k); sub(/".*/, "", k)
      count = split(k, each, " ")
      frame_count++
      for (i = 1; i <= count; i++) frames[each[i]] = 1
    }
    /<rect class="result"/ { results++ }
    /^<\/div><\/section>/ {
      for (k in lines) if (!(k in frames)) say(id ": line " k " has no frame")
      for (k in frames) if (!(k in lines)) say(id ": frame " k " has no line")
      if (results != sections) say(id ": the result has no frame")
      all_frames += frame_count
    }
    END {
      if (!opened || !is_first) say("nothing is shown at first")
      if (!all_frames) say("there are no frames")
      if (!failed) print "agrees"
    }' "$out/trace.html"
}

test_trace() {
  sums=0
  while read -r name; do
    expect 0 "trace $name" trace "$name" --show 1000
    has stdout "  stored " "trace $name"
    has stdout " = $name(" "trace $name, its call"
    kernel=$(sed -n '2s/^  kernel    8[0-9.]* *\(webnn__reference_[a-z0-9_]*\).*/\1/p' "$out/stdout")
    if grep -q "^static const webnn__kernel ${kernel:-none} = " ../webnn.h; then right; else wrong "trace $name: webnn.h has no kernel \"$kernel\""; fi
    grep -Eq '^  (term|read|index) ' "$out/stdout" || wrong "trace $name: nothing was read"
    set -- $(sums_agree)
    sums=$((sums + $1))
    if [ "$2" -eq 0 ]; then right; else wrong "trace $name: terms of $2 elements add up to something else"; fi
    awk -v call=" = $name(" 'NR > 1 && (index($0, call) || /^and [0-9]/) { exit } { print }' "$out/stdout" >"$out/first"
    expect 0 "trace $name, the first alone" trace "$name" --index "$(sed -n '1s/^[^[ ]*\[\([0-9,]*\)\] .*/\1/p' "$out/first")"
    if cmp -s "$out/first" "$out/stdout"; then right; else wrong "trace $name: the first element alone is told otherwise"; fi
    expect 0 "trace $name --all, from --docs" trace "$name" --all --docs ../docs
    expect 0 "trace $name --all" trace "$name" --all --out "$out/trace.json"
    grep -q '"lines":' "$out/trace.json" || wrong "trace $name --all: no elements"
    expect 0 "trace $name --html" trace "$name" --html --out "$out/trace.html"
    if grep -Eq 'http|<script|src=' "$out/trace.html"; then wrong "trace $name --html: needs more than the file"; fi
    page_agrees >"$out/page.log" 2>&1
    if [ "$(tail -n 1 "$out/page.log")" = agrees ]; then right; else wrong "trace $name --html: $(head -n 1 "$out/page.log")"; fi
  done <"$out/operators"
  if [ $sums -ge 20 ]; then right; else wrong "trace: only $sums elements are sums alone"; fi
  traced=../examples/pictures/examples.json
  expect 0 "trace conv2d, an element" trace $traced --case conv2d --output y --index 0,0,0,1
  has stdout "x[0,0,3,3] · w[0,0,2,1] = 19 · 8 = 152" "trace conv2d: the last term"
  has stdout "webnn__reference_conv2d; 5 of 9 taps lie outside of x" "trace conv2d: what is not read"
  has stdout "0x43ac0000, exact;   neighbours 343.999969482421875  344.000030517578125" "trace conv2d: what is stored"
  lacks stdout "  read " "trace conv2d: all reads belong to terms"
  expect 0 "trace conv2d, an element inside" trace conv2d --index 0,0,0,1
  lacks stdout "taps" "trace conv2d: all is read"
  expect 0 "trace conv2d, an element as a page" trace $traced --case conv2d --index 0,0,0,1 --html --out "$out/one.html"
  if [ "$(grep -c '<section' "$out/one.html") $(grep -c 'class="outside"' "$out/one.html") $(grep -c '^<g tabindex' "$out/one.html")" = "1 5 8" ]; then right; else wrong "trace conv2d, an element as a page: not 5 taps outside, 8 frames"; fi
  if grep -q 'dashed: taps on padding' "$out/one.html"; then right; else wrong "trace conv2d, an element as a page: does not say what is dashed"; fi
  # x[0,0,1,1] lies one row and one column behind x[0,0,0,0], which lies one behind the ring.
  if grep -q '<g tabindex="-1" class="k1"><path d="[^"]*"/><rect x="64" y="84" width="28" height="28"/>' "$out/one.html"; then right; else wrong "trace conv2d, an element as a page: no frame around x[0,0,1,1]"; fi
  # Of several results the page opens at the one that is asked for; padding of a million columns is not drawn.
  cat >"$out/pages.md" <<'END'
```webnn
x: f32[1, 1, 1, 4] = 1..4;
[a, b] = split(x, 2, axis=3);
y = maxPool2d(b, windowDimensions=[1, 1000000], padding=[0, 0, 500000, 500000]);
y == [4, 4, 4];
```
END
  expect 0 "trace split, a page" trace "$out/pages.md" --output b --html --out "$out/trace.html"
  if grep -q '<section id="e2_0" class="first"><h2>b\[0,0,0,0\]' "$out/trace.html"; then right; else wrong "trace split, a page: not open at b"; fi
  expect 0 "trace maxPool2d, a page" trace "$out/pages.md" --output y --html --out "$out/trace.html"
  if [ "$(wc -c <"$out/trace.html")" -lt 20000 ] && ! grep -q 'class="outside"\|dashed: taps' "$out/trace.html"; then right; else wrong "trace maxPool2d, a page: of padding"; fi
  cat >"$out/softmax.json" <<'END'
{"inputs": [{"name": "x", "dataType": "float32", "shape": [3], "data": [1000, 1001, 1002]}],
"operators": [{"name": "softmax", "arguments": [{"operand": "x"}, {"number": 0}], "outputs": ["y"]}]}
END
  expect 0 "trace softmax, an element" trace "$out/softmax.json" --index 2
  has stdout "  m         1002 " "trace softmax: the largest, by its letter"
  has stdout "0.665240955774821..." "trace softmax: the exact value"
  has stdout "e^(x[2] - m) / sum" "trace softmax: its formula"
  has stdout "0.21 ULP below exact" "trace softmax: the distance"
  # A float is seldom the number whose digits give it back; a sum exactly between two floats is no
  # common rounding.
  printf 'webnn_graph "sum" v1 { inputs { a: f16[2]; b: f16[2]; } nodes { y = add(a, b); } outputs { y; } }' >"$out/tie.webnn"
  printf '[{"name":"a","dataType":"float16","shape":[2],"data":[0.1,1]},{"name":"b","dataType":"float16","shape":[2],"data":[0.2,0.000487]}]' >"$out/tie.json"
  expect 0 "trace, a tie" trace "$out/tie.webnn" --inputs "$out/tie.json"
  has stdout "  read      0.0999755859375       a[0]" "trace, a tie: what is read"
  has stdout "  exact     0.2999267578125 " "trace, a tie: the sum"
  has stdout "0.50 ULP below exact, exactly in the middle, rounded to the even one;   neighbours 0.299560546875  0.300048828125" "trace, a tie"
  has stdout "0.50 ULP below exact, near the middle;" "trace, nearly a tie"
  sed 's/16/32/g' "$out/tie.webnn" >"$out/sum32.webnn"
  sed 's/16/32/g' "$out/tie.json" >"$out/sum32.json"
  expect 0 "trace of 0.1 + 0.2" trace "$out/sum32.webnn" --inputs "$out/sum32.json" --index 0
  has stdout "  read      0.100000001490116...  a[0]" "trace of 0.1 + 0.2: what is read"
  has stdout "  stored    0.300000011920928...  0x3e99999a, 0.25 ULP above exact;   neighbours 0.299999982118606...  0.300000041723251..." "trace of 0.1 + 0.2"
  expect 0 "trace of 0.1 + 0.2 as JSON" trace "$out/sum32.webnn" --inputs "$out/sum32.json" --all
  has stdout '"stored":"0.3","bits":"0x3e99999a"' "trace as JSON has the fewest digits"
  sed 's/0\.1,1/1e30,1e-30/; s/0\.2,/1e19,/' "$out/sum32.json" >"$out/large32.json"
  expect 0 "trace of large and small" trace "$out/sum32.webnn" --inputs "$out/large32.json"
  has stdout "  read      1.0000000150475e+30... a[0]" "trace of a large number"
  has stdout "  read      1.0000000031711e-30... a[1]" "trace of a small number"
  has stdout "  read      9999999980506447872 " "trace of a number of 19 digits"
  # Weights and the place between them, not units of the kernel.
  expect 0 "trace resample2d, linear" trace $traced --case resample_linear --index 0,0,0,1
  has stdout "  u         0.25                  its middle along the second axis of x: (1 + 1/2) · 2 / 4 - 1/2" "trace resample2d: u"
  has stdout "  term      7.5                   x[0,0,0,0] · 3/4 = 10 · 3/4 = 7.5" "trace resample2d: a weight"
  has stdout "  term      5                     x[0,0,0,1] · 1/4 = 20 · 1/4 = 5" "trace resample2d: a weight"
  lacks stdout "  sum " "trace resample2d: the sum is the result"
  expect 0 "trace resample2d, an end" trace $traced --case resample_linear --index 0,0,0,3
  has stdout " - 1/2, clamped" "trace resample2d: an end"
  has stdout "  term      20                    x[0,0,0,1] · 1 = 20 · 1 = 20" "trace resample2d: an end"
  expect 0 "trace resample2d, nearest" trace $traced --case resample_tie --index 0,0,0,1
  has stdout "  read      30                    x[0,0,0,2]" "trace resample2d, nearest"
  expect 0 "trace gruCell, its gates" trace $traced --case gruCell
  has stdout "  z         0.731058578630004... " "trace gruCell: the update gate"
  has stdout "  n         0.941375538497287... " "trace gruCell: the candidate"
  expect 0 "trace gru, a step" trace $traced --case gru_both --output sequence --index 1,1,0,0
  has stdout "sequence[2,1,0,0]" "trace gru: the state of the step before, which is the next"
  lacks stdout "x[2,0,0]" "trace gru: nothing of another step"
  expect 0 "trace scatterElements, an element" trace $traced --case scatterElements --index 1,0
  has stdout "u[1,0]" "trace scatterElements: the last update"
  lacks stdout "u[0,0]" "trace scatterElements: no update that was overwritten"
  expect 0 "trace in a graph" trace "$small" --output product --index 1,0
  has stdout "product[1,0] = matmul(a, b)" "trace in a graph: the operator"
  expect 0 "trace with other inputs" trace "$small" --output result --index 1,0
  has stdout "product[1,0]" "trace: an operand that another operator made"
  cat >"$out/large.json" <<'END'
{"inputs": [{"name": "a", "dataType": "float32", "shape": [200, 200], "fill": 1.5},
{"name": "b", "dataType": "float32", "shape": [200, 200], "fill": 2}],
"operators": [{"name": "matmul", "arguments": [{"operand": "a"}, {"operand": "b"}], "outputs": ["y"]}]}
END
  expect 0 "trace, an element of many" trace "$out/large.json" --index 7,9
  has stdout "a[7,199] · b[199,9] = 1.5 · 2 = 3" "trace, an element of many"
  expect 2 "trace, too many elements" trace "$out/large.json" --all
  has stderr "too large to be traced" "trace, too many elements"
  expect 0 "trace, the second example of an entry" trace conv2d --example 2 --index 0,0,0,0
  has stdout "x[0,0,1,1] · w[0,0,1,1] = 7 · 5 = 35" "trace, the second example of an entry"
  expect 2 "trace, an example too far" trace conv2d --example 99
  has stderr "operators.md has no example 99 of conv2d" "trace, an example too far"
  printf '# two\n```webnn\na: f32[1] = 1;\ny = neg(a);\n```\n```webnn\na: f16[2] = [0.1, 1];\nb = abs(a);\nz = add(a, b);\n```\n' >"$out/two.md"
  expect 0 "trace of a page" trace "$out/two.md"
  has stdout "y[0] = neg(a)" "trace of a page: its first example"
  expect 0 "trace of a page's example" trace "$out/two.md" --example 2 --index 0
  has stdout "  stored    0.199951171875 " "trace of a page's example"
  expect 0 "trace of an output of a page's example" trace "$out/two.md" --example 2 --output b
  has stdout "b[1] = abs(a)" "trace of an output of a page's example"
  expect 2 "trace, a page with fewer examples" trace "$out/two.md" --example 3
  has stderr "two.md has no example 3" "trace, a page with fewer examples"
  expect 2 "trace, no such page" trace "$out/nowhere.md"
  expect 2 "trace, an example of a graph" trace "$small" --example 1
  has stderr "--example is for a page or an operator" "trace, an example of a graph"
  expect 2 "trace, example 0" trace conv2d --example 0
  expect 2 "trace, inputs of an example" trace "$out/two.md" --inputs "$out/tie.json"
  expect 2 "trace, an index too large" trace conv2d --index 0,0,0,99
  expect 2 "trace, an index too short" trace conv2d --index 0,0
  expect 2 "trace, no number" trace conv2d --index 0,0,x,0
  expect 2 "trace, an output that is none" trace conv2d --output w
  expect 2 "trace, no such operator" trace conv3d
  expect 2 "trace, many cases" trace $traced
  printf '{"operators": []}' >"$out/empty.json"
  expect 2 "trace, no operator" trace "$out/empty.json"
  # What stands beside an exact value gives it.
  if command -v python3 >/dev/null 2>&1; then
    python3 scripts/formulas.py "$tool" $traced >"$out/stdout" 2>"$out/stderr"
    set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$out/stdout")
    passed=$((passed + ${1:-0})) failed=$((failed + ${2:-1}))
    [ "${2:-1}" -eq 0 ] || cat "$out/stdout" "$out/stderr"
  else
    skipped=$((skipped + 1))
    echo "formulas of traces: skipped: no python3"
  fi
  # The recorder is nothing in other programs: the library without its calls is the same to the byte.
  sed -E 's/^ *WEBNN__(RECORD|NAME)\(.*//' ../webnn.h >"$out/without.h"
  for header in ../webnn.h "$out/without.h"; do
    cp "$header" "$out/webnn.h"
    (cd "$out" && ${CC:-cc} -std=c99 -O1 -DNDEBUG -DWEBNN_NO_FAST_KERNELS -DWEBNN_IMPLEMENTATION -S -x c webnn.h -o - |
      grep -v '^[[:space:]]*[.]file' >"webnn.s") || wrong "the library does not compile"
    [ -f "$out/first.s" ] || mv "$out/webnn.s" "$out/first.s"
  done
  if cmp -s "$out/first.s" "$out/webnn.s"; then right; else wrong "the recorder changes the library"; fi
}

# The page of a trace as a browser shows it.
test_trace_page() {
  packages=${WEB_PACKAGES:-$HOME/.cache/webnn-web}
  expect 0 "trace conv2d, a page" trace ../examples/pictures/examples.json --case conv2d --html --out "$out/conv2d.html"
  if ! command -v node >/dev/null 2>&1 || [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ] ||
    [ ! -d "$packages/node_modules/playwright-core" ]; then
    skipped=$((skipped + 1))
    echo "the page of a trace in a browser: skipped: no node, no Chromium, or no playwright-core in $packages"
    return
  fi
  node web/trace_chromium.mjs "$out/conv2d.html" "$packages" "$out/conv2d.png" >"$out/page.log" 2>&1
  set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$out/page.log")
  grep -v '^[0-9]* passed, ' "$out/page.log"
  passed=$((passed + ${1:-0})) failed=$((failed + ${2:-1}))
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
  printf '{"cases": [%s, %s]}' "$(cat "$small")" "$(cat "$small")" >"$out/two.json"
  expect 0 "graph of two cases" graph "$out/two.json"
  if [ "$(grep -c '= matmul(' "$out/stdout")" -eq 2 ]; then right; else wrong "graph of two cases: $(head -n 3 "$out/stdout")"; fi
  expect 0 "graph" graph "$small"
  has stdout 'matmul("a", %1, ' "graph"
  expect 0 "graph --dot" graph "$small" --dot
  has stdout 'digraph' "graph --dot"
}

# The sums of four numbers that docs/numerics.md shows.
test_orders() {
  for sum in 0.1,0.7,0.2,0.3:float32:1.3 0.1,0.7,0.3,0.2:float32:1.3000001 0.1,0.7,0.3,0.2:exact:1.3; do
    data=${sum%%:*} result=${sum##*:} type=${sum#*:}
    printf '{"inputs":[{"name":"x","dataType":"float32","shape":[4],"data":[%s]}],
"operators":[{"name":"reduceSum","arguments":[{"operand":"x"}],"outputs":["y"]}]}' "$data" >"$out/order.json"
    expect 0 "the sum of $data" run "$out/order.json" --arithmetic "accumulate=${type%:*}"
    has stdout "\"data\":[$result]" "the sum of $data, ${type%:*}"
  done
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
  # A raw file that is read in several pieces.
  awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%08d", i }' >"$out/files/large.bin"
  printf '{"operators":[{"name":"relu","arguments":[{"operand":"x"}],"outputs":["result"]}],
"inputs":[{"name":"x","dataType":"int8","shape":[160000],"file":"large.bin"}]}' >"$out/files/large.json"
  expect 0 "a large raw file" run "$out/files/large.json" --out "$out/raw" --format raw
  if cmp -s "$out/files/large.bin" "$out/raw/result.bin"; then right; else wrong "a large raw file: other bytes"; fi
  # Results that cannot be written: a folder is in the way, the disk is full.
  mkdir -p "$out/way/result.bin" "$out/way/result.npy" "$out/full"
  expect 2 "a folder in the way of a raw file" run "$small" --out "$out/way" --format raw
  has stderr "way/result.bin: the file cannot be written" "a folder in the way of a raw file"
  expect 2 "a folder in the way of an NPY file" run "$small" --out "$out/way"
  has stderr "way/result.npy: the file cannot be written" "a folder in the way of an NPY file"
  [ -c /dev/full ] || return
  ln -sf /dev/full "$out/full/result.bin"
  expect 2 "a full disk" run "$small" --out "$out/full" --format raw
  has stderr "full/result.bin: the file cannot be written" "a full disk"
}

# What --actual and --inputs name must be there and be used: a check that judges nothing is not right.
test_given() {
  given=$out/given
  rm -rf "$given" && mkdir -p "$given/empty" "$given/half" "$given/misnamed" "$given/own"
  for command in "check $small --actual" "check $small --inputs" "run $small --inputs" "trace $small --inputs" \
    "check $small --arithmetic try --actual"; do
    expect 2 "$command, no such folder" $command "$given/nowhere"
    has stderr "given/nowhere: this must be a folder or a .json file" "$command, no such folder"
    expect 2 "$command, no such file" $command "$given/nowhere.json"
    has stderr "given/nowhere.json: the file cannot be read" "$command, no such file"
    expect 2 "$command, a file that is no JSON" $command "$0"
    expect 2 "$command, an empty folder" $command "$given/empty"
    has stderr "given/empty: the folder has no file NAME.npy or NAME.bin" "$command, an empty folder"
  done
  expect 0 "results of the small graph" run "$small" --all --out "$given/half"
  cp "$given/half/result.npy" "$given/misnamed/Result.npy"
  cp "$given/half/result.npy" "$given/own/result.npy"
  for command in "check $small --actual" "check $small --inputs" "run $small --inputs" "trace $small --inputs"; do
    expect 2 "$command, other names" $command "$given/misnamed"
    has stderr "given/misnamed: no value uses Result.npy" "$command, other names"
    lacks stdout '"result"' "$command, other names: nothing is computed"
  done
  has stderr "no value uses" "a folder of inputs with results alone"
  rm "$given/half/result.npy" && : >"$given/half/note.txt"
  expect 2 "--actual without the output" check "$small" --actual "$given/half"
  has stderr "no numbers are given for output \"result\" in $given/half" "--actual without the output"
  lacks stderr "no value uses" "--actual without the output: what is there is used"
  : >"$given/own/left.bin" && : >"$given/own/x.npy"
  expect 0 "--actual with more files" check "$small" --actual "$given/own"
  has stderr "given/own: no value uses left.bin, x.npy" "--actual with more files"
  for i in 1 2 3 4 5 6 7 8; do : >"$given/own/a$i.npy"; done
  expect 0 "--actual with many files" check "$small" --actual "$given/own"
  has stderr "no value uses a1.npy, a2.npy, a3.npy, a4.npy, a5.npy, a6.npy, a7.npy, a8.npy and 2 more" \
    "--actual with many files"
  expect 2 "two outputs that are not given" check "$fifty" --actual "$given/own"
  has stderr 'no numbers are given for output "average", "best" in' "two outputs that are not given"
  printf '{"output": []}' >"$given/misspelt.json"
  expect 2 "--actual of JSON without outputs" check "$small" --actual "$given/misspelt.json"
  has stderr 'misspelt.json:1:1: "outputs" must be' "--actual of JSON without outputs"
  printf '{"outputs": []}' >"$given/none.json"
  expect 2 "--actual of JSON with no output" check "$small" --actual "$given/none.json"
  has stderr 'no numbers are given for output "result" in' "--actual of JSON with no output"
  printf '{"outputs": [{"name": "result"}]}' >"$given/named.json"
  expect 2 "--actual of JSON with a name alone" check "$small" --actual "$given/named.json"
  expect 2 "try without the output" check "$small" --arithmetic try --actual "$given/none.json"
  # The graph's own numbers do not count beside --actual, right or wrong, nor do they blame an operator.
  sed 's/"data": \[2.75, 0.875, /"data": [7, 7, /' "$small" >"$given/wrong.json"
  expect 1 "wrong numbers of the graph's own" check "$given/wrong.json"
  expect 0 "--actual in place of them" check "$given/wrong.json" --actual "$given/own"
  lacks stdout "each operator" "--actual in place of them: no intermediates of its own"
  printf '{"outputs": [{"name": "result", "dataType": "float32", "shape": [2, 2], "data": [9, 0.875, 0, 1.1]}]}' \
    >"$given/theirs.json"
  expect 1 "--actual with a wrong output" check "$small" --actual "$given/theirs.json"
  lacks stdout "FIRST WRONG OPERATOR" "--actual with a wrong output"
  has stdout "WRONG in 1" "--actual with a wrong output"
  # Its tolerances do.
  sed '$s/\]}\]}$/],"tolerance":{"metric":"ATOL","value":10}}]}/' "$small" >"$given/tolerant.json"
  expect 0 "--actual and the graph's tolerance" check "$given/tolerant.json" --actual "$given/theirs.json"
  # Of many cases each must have its outputs, and one at least an input.
  printf '{"cases":[%s,%s]}' "$(sed 's/"matmul and relu"/"one"/' "$small")" "$(sed 's/"matmul and relu"/"two"/' "$small")" \
    >"$given/two.json"
  rm -f "$given"/own/*
  expect 0 "results of two cases" run "$given/two.json" --out "$given/own"
  expect 0 "two cases" check "$given/two.json" --actual "$given/own"
  expect 2 "two cases, no inputs" run "$given/two.json" --inputs "$given/own"
  has stderr "no value uses one.result.npy, two.result.npy" "two cases, no inputs"
  expect 2 "check of two cases, no inputs" check "$given/two.json" --inputs "$given/own"
  rm "$given/own/two.result.npy"
  expect 2 "two cases, one without its output" check "$given/two.json" --actual "$given/own"
  has stdout "2 cases: 1 right, 0 wrong, 1 refused" "two cases, one without its output"
  expect 2 "an unknown command" chek "$small"
  has stderr 'there is no command chek; is "check" meant?' "an unknown command"
  if [ "$(wc -l <"$out/stderr")" -le 2 ]; then right; else wrong "an unknown command: too many words"; fi
}

# webnn.h's fast contexts in place of another implementation's numbers.
test_fast() {
  expect 0 "check --fast" check "$fifty" --fast
  has stdout "50 of 50 compared, 0 wrong" "check --fast"
  expect 0 "run --fast --all" run "$fifty" --fast --all --out "$out/fast.json"
  expect 0 "check of run --fast" check "$fifty" --actual "$out/fast.json"
  has stdout "50 of 50 compared, 0 wrong" "check of run --fast"
  expect 2 "--fast and --actual" check "$fifty" --fast --actual "$out/fast.json"
  has stderr "--fast and --actual exclude each other" "--fast and --actual"
  expect 2 "--fast and --arithmetic" run "$small" --fast --arithmetic accumulate=float32
  expect 2 "limits --fast" limits --fast
  expect 2 "--device without --vulkan" check "$small" --device any
  expect 2 "--vulkan without Vulkan" check "$small" --vulkan
  has stderr "compiled without -DUSE_VULKAN" "--vulkan without Vulkan"
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
  refuses_arithmetic "" '"" must be one of accumulate, order, intermediates, subnormals'
  refuses_arithmetic rounding=up '"rounding" must be one of'
  refuses_arithmetic accumulates=exact '"accumulates" must be one of'
  refuses_arithmetic order '--arithmetic: order must have a value: it takes'
  refuses_arithmetic accumulate= 'accumulate takes exact, float32 or float16, not ""'
  refuses_arithmetic accumulate=bfloat16 'not "bfloat16"'
  refuses_arithmetic intermediates=float32 \
    'intermediates takes exact, float16 or bfloat16, not "float32"'
  refuses_arithmetic subnormals=yes 'subnormals takes keep or flush, not "yes"'
  for order in tree blocks blocks: blocks:0 blocks:-1 blocks:4x blocks:4294967296; do
    refuses_arithmetic "order=$order" "not \"$order\""
  done
  refuses_arithmetic accumulate=float16, '"" must be one of'
  refuses_arithmetic accumulate=float16,accumulate=exact 'accumulate is given twice'
  refuses_arithmetic accumulate=float16,try '"try" must be one of'
  expect 2 "run --arithmetic try" run "$small" --arithmetic try
  has stderr "--arithmetic try is for check, not for run" "run --arithmetic try"
  expect 2 "graph --arithmetic" graph "$small" --arithmetic accumulate=exact
  expect 2 "--arithmetic without a value" check "$small" --arithmetic
}

# ---- Planted errors ---------------------------------------------------------------------------

# One tensor of these results with its first element changed, as a list for --inputs.
perturb() { # name, file of results, how much a float is changed
  grep "^{\"name\":\"$1\"," "$2" |
    sed 's/}.*/}/; s/,"bits":.*/}/; s/^/[/; s/$/]/' |
    awk -v step="$3" '{
      at = index($0, "\"data\":[") + 8
      head = substr($0, 1, at - 1); rest = substr($0, at)
      match(rest, /[],]/)
      element = substr(rest, 1, RSTART - 1); quote = gsub(/"/, "", element) ? "\"" : ""
      change = $0 ~ /"dataType":"float/ ? step : $0 ~ /"dataType":"u?int8/ ? 5 : 1
      element = element + 0 > 0 ? element - change : element + change
      if ($0 ~ /"uint8"/) element = 7
      print head quote element quote substr(rest, RSTART)
    }'
}

# An implementation that goes wrong in one element of one result and goes on from there: that very
# operator is named, and no other is called wrong. And one whose one result was only stored wrong.
test_planted() { # name, the operator
  perturb "$1" "$out/exact.json" 5 >"$out/cut.json"
  expect 0 "a planted error in $1" run "$fifty" --inputs "$out/cut.json" --all --out "$out/planted.json"
  expect 1 "check of a planted error in $1" check "$fifty" --actual "$out/planted.json"
  has stdout "FIRST WRONG OPERATOR: $2" "a planted error in $1"
  has stdout "50 of 50 compared, 1 wrong" "a planted error in $1"
  test_stored "$1" "$2" "$out/exact.json" 5
  test_stored "$1" "$2" "$out/float32.json" 0.01
}

# Only this result is wrong, as if it had been stored wrong.
test_stored() { # name, the operator, file of results, how much a float is changed
  new=$(perturb "$1" "$3" "$4" | sed 's/^\[//; s/\]$//')
  awk -v start="{\"name\":\"$1\"," -v new="$new" \
    'index($0, start) == 1 { $0 = new substr($0, index($0, "}") + 1) } { print }' \
    "$3" >"$out/stored.json"
  expect 1 "check of $1 stored wrong" check "$fifty" --actual "$out/stored.json"
  has stdout "FIRST WRONG OPERATOR: $2" "$1 stored wrong"
}

test_all_planted() {
  sed -n 's/^{"name":"\([A-Za-z0-9]*\)","arguments".*"outputs":\["\([a-z0-9]*\)".*/\1 \2/p' "$fifty" \
    >"$out/results"
  count=$(wc -l <"$out/results")
  if [ "$count" -eq 50 ]; then right; else wrong "fifty.json has $count operators"; fi
  expect 0 "run" run "$fifty" --all --arithmetic accumulate=float32 --out "$out/float32.json"
  while read -r operator name; do
    test_planted "$name" "$operator \"$name\" "
  done <"$out/results"
  test_planted "cell1" 'lstmCell "hidden1" '
  # Without the results before it the blame is shared, and that is said.
  perturb mixed "$out/exact.json" 5 >"$out/cut.json"
  expect 0 "run" run "$fifty" --inputs "$out/cut.json" --all --out "$out/planted.json"
  sed '/"name":"attention"/d' "$out/planted.json" >"$out/gap.json"
  expect 1 "check with a gap" check "$fifty" --actual "$out/gap.json"
  has stdout 'or, their results not being given, softmax "attention"' "check with a gap"
  has stdout "49 of 50 compared, 1 wrong" "check with a gap"
}

# ---- Sums that cancel -------------------------------------------------------------------------

# A network whose sums cancel, as others compute it rightly, and with one operator that is wrong.
test_cancelling_network() {
  mkdir -p "$out/sums"
  if "$built/oracle_values" "$out/sums"; then right; else wrong "oracle_values fails"; fi
  for values in fast forwards backwards; do
    for given in all few; do
      cp "$out/sums/$values.json" "$out/sums/actual.json"
      [ $given = all ] || sed '/^{"name":"\(conv\|pool\|matrix\)"/d' "$out/sums/$values.json" >"$out/sums/actual.json"
      title="sums that cancel, $values, $given values"
      expect 0 "$title" check "$out/sums/graph.json" --actual "$out/sums/actual.json"
      has stdout '": cancelled: ' "$title"
      has stdout "compared, 0 wrong" "$title"
      has stdout "prob: float32 [4,5], 20 elements: accumulated rounding in" "$title"
      lacks stdout "WRONG" "$title"
    done
    expect 1 "$title, but --ulp" check "$out/sums/graph.json" --actual "$out/sums/actual.json" --ulp 36
    has stdout 'FIRST WRONG OPERATOR: gelu "gelu"' "$title, but --ulp"
  done
  # A tolerance that is stated is taken as it is, wherever the numbers are.
  sed 's/^"outputs":\["prob"\]/"outputs":[{"name":"prob","tolerance":{"metric":"ULP","value":115}}]/' \
    "$out/sums/graph.json" >"$out/sums/stated.json"
  expect 1 "a stated tolerance" check "$out/sums/stated.json" --actual "$out/sums/fast.json"
  has stdout "compared, 0 wrong" "a stated tolerance"
  has stdout "prob: float32 [4,5], 20 elements: WRONG in" "a stated tolerance"
  expect 1 "padding in the divisor" check "$out/sums/graph.json" --actual "$out/sums/counted.json"
  has stdout 'conv2d "conv": cancelled: 256 elements' "padding in the divisor"
  has stdout 'FIRST WRONG OPERATOR: averagePool2d "pool"' "padding in the divisor"
  has stdout "6 of 6 compared, 1 wrong" "padding in the divisor"
}

# Sums in float32, in any order, are right.
test_float32_sums() {
  for order in sequential pairwise blocks:8; do
    expect 0 "run" run "$fifty" --all --arithmetic "accumulate=float32,order=$order" --out "$out/model.json"
    expect 0 "sums in float32, $order" check "$fifty" --actual "$out/model.json"
    has stdout "50 of 50 compared, 0 wrong" "sums in float32, $order"
    has stdout 'conv2d "conv1": cancelled: ' "sums in float32, $order"
    has stdout 'lstmCell "hidden1": cancelled: ' "sums in float32, $order"
  done
}

# One operator on constants, one element of whose result is altered by adding a little, which the
# size of its terms excuses and its own does not, and by adding too much.
cancels() { # operator, arguments and options, operands, index of the element, little, too much
  printf '{"operators":[{"name":"%s","arguments":[%s],"outputs":["y"%s]}],\n"inputs":[%s]}' "$1" "$2" \
    "$(case $1 in lstm*) echo ',"z"' ;; esac)" "$3" >"$out/sum.json"
  expect 0 "$1" run "$out/sum.json" --out "$out/exact_sum.json"
  for change in "$5" "$6"; do
    awk -v at="$4" -v change="$change" '/"name":"y"/ {
      start = index($0, "\"data\":[") + 8
      end = start + index(substr($0, start), "]") - 2
      count = split(substr($0, start, end - start + 1), element, ",")
      list = ""
      for (i = 1; i <= count; i++)
        list = list (i > 1 ? "," : "") sprintf("%.9g", element[i] + (i == at + 1 ? change : 0))
      tail = substr($0, end + 1); sub(/,"bits":\[[0-9,]*\]/, "", tail)
      $0 = substr($0, 1, start - 1) list tail
    } { print }' "$out/exact_sum.json" >"$out/altered_sum.json"
    if [ "$change" = "$5" ]; then
      expect 0 "$1, a little off" check "$out/sum.json" --actual "$out/altered_sum.json"
      has stdout "cancelled: 1 element, worst" "$1, a little off"
      expect 1 "$1, --ulp 1" check "$out/sum.json" --actual "$out/altered_sum.json" --ulp 1
    else
      expect 1 "$1, too far off" check "$out/sum.json" --actual "$out/altered_sum.json"
      has stdout "y: float" "$1, too far off"
      has stdout "WRONG in 1 (" "$1, too far off"
    fi
  done
}

floats() { # name, shape, data
  printf '{"name":"%s","dataType":"float32","shape":[%s],"data":[%s]}' "$1" "$2" "$3"
}

test_cancelling_operators() {
  x='{"operand":"x"}' w='{"operand":"w"}' v='{"operand":"v"}'
  cancels conv2d "$x,$w" "$(floats x 1,1,1,3 1,1,1),$(floats w 1,1,1,3 1,-1,1e-6)" 0 3e-7 1e-5
  cancels conv2d "$x,$w,{\"options\":{\"bias\":{\"operand\":\"v\"}}}" \
    "$(floats x 1,1,1,1 1),$(floats w 1,1,1,1 1),$(floats v 1 -0.999999)" 0 2e-7 1e-5
  cancels convTranspose2d "$x,$w" "$(floats x 1,2,1,1 1,-1),$(floats w 2,1,1,1 1,0.999999)" 0 3e-7 1e-5
  cancels matmul "$x,$w" "$(floats x 1,3 1,1,1),$(floats w 3,1 1,-1,1e-6)" 0 3e-7 1e-5
  cancels gemm "$x,$w,{\"options\":{\"alpha\":{\"number\":-0.5},\"beta\":{\"number\":-1},\"c\":{\"operand\":\"v\"}}}" \
    "$(floats x 1,2 1,1),$(floats w 2,1 1,1),$(floats v 1,1 -1.000001)" 0 3e-7 1e-5
  cancels gemm "$x,$w,{\"options\":{\"alpha\":{\"name\":[1],\"bigint\":\"-1\"},\"c\":{\"operand\":\"v\"}}}" \
    "$(floats x 1,2 0.5,0.5),$(floats w 2,1 1,1),$(floats v 1,1 1.000001)" 0 3e-7 1e-5
  cancels averagePool2d "$x" "$(floats x 1,1,1,3 1,-1,3e-6)" 0 2e-7 1e-5
  cancels cumulativeSum "$x,{\"number\":0}" "$(floats x 3 1,-1,1e-6)" 2 3e-7 1e-5
  cancels reduceSum "$x" "$(floats x 3 1,-1,1e-6)" 0 3e-7 1e-5
  cancels reduceMean "$x" "$(floats x 3 1,-1,3e-6)" 0 2e-7 1e-5
  cancels resample2d "$x,{\"options\":{\"mode\":{\"string\":\"linear\"},\"sizes\":{\"numbers\":[1,3]}}}" \
    "$(floats x 1,1,1,2 1,-0.999999)" 1 3e-6 1e-4
  cancels linear "$x,{\"options\":{\"alpha\":{\"number\":-1},\"beta\":{\"number\":1}}}" "$(floats x 1 0.999999)" 0 2e-7 1e-5
  cancels hardSigmoid "$x,{\"options\":{\"alpha\":{\"number\":-1},\"beta\":{\"number\":1}}}" \
    "$(floats x 1 0.999999)" 0 2e-7 1e-5
  cancels batchNormalization "$x,$w,$v" "$(floats x 1,1 1.000001),$(floats w 1 1),$(floats v 1 1)" 0 5e-7 1e-5
  cancels batchNormalization "$x,$w,$w" "$(floats x 1,1 1.000001),$(floats w 1 1)" 0 5e-7 1e-5
  for layout in '' ',"layout":{"string":"nhwc"}'; do
    shape=1,2,1,2 data=1,1.0001,5,6
    [ -z "$layout" ] || { shape=1,1,2,2 data=1,5,1.0001,6; }
    cancels instanceNormalization "$x,{\"options\":{\"scale\":{\"operand\":\"w\"},\"bias\":{\"operand\":\"v\"}$layout}}" \
      "$(floats x $shape $data),$(floats w 2 -4,1),$(floats v 2 0.5,0)" 0 0.1 2
  done
  # The element's scale is 1, the others are small: a wrong order of the axes does not excuse it.
  cancels layerNormalization "$x,{\"options\":{\"axes\":{\"numbers\":[2,1]},\"scale\":{\"operand\":\"w\"},\"bias\":{\"operand\":\"v\"}}}" \
    "$(floats x 1,2,3 1000,1000.01,1000.02,1000.03,1000.04,1000.05),$(floats w 3,2 1e-4,1e-4,1,1e-4,1e-4,1e-4),$(floats v 3,2 0,0,0,0,0,0)" 1 0.02 1
  cancels softmax "$x,{\"number\":0}" "$(floats x 2 0,-80)" 1 5.4e-40 1.8e-38
  cancels reduceLogSum "$x" "$(floats x 3 1,-1,1e-6)" 0 1 10
  cancels reduceLogSumExp "$x" "$(floats x 2 -0.6931472,-0.6931472)" 0 4e-6 1e-4
  cancels gelu "$x" "$(floats x 1 -4)" 0 1e-6 1e-4
  cancels elu "$x" "$(floats x 1 -1e-6)" 0 1e-7 1e-4
  cancels softplus "$x" "$(floats x 1 -16)" 0 1e-7 1e-4
  cell="$(floats x 1,1 1),$(floats w 3,1 20,0,1),$(floats v 3,1 0,0,0),$(floats h 1,1 0)"
  cancels gruCell "$x,$w,$v,{\"operand\":\"h\"},{\"number\":1}" "$cell" 0 1e-6 1e-3
  cancels lstmCell "$x,$w,$v,{\"operand\":\"h\"},{\"operand\":\"h\"},{\"number\":1}" \
    "$(floats x 1,1 1),$(floats w 4,1 0,0,0,1e-6),$(floats v 4,1 0,0,0,0),$(floats h 1,1 0)" 0 1e-6 1e-3
  cancels gru "$x,$w,$v,{\"number\":1},{\"number\":1}" \
    "$(floats x 1,1,1 1),$(floats w 1,3,1 20,0,1),$(floats v 1,3,1 0,0,0)" 0 1e-6 1e-3
  cancels lstm "$x,$w,$v,{\"number\":1},{\"number\":1}" \
    "$(floats x 1,1,1 1),$(floats w 1,4,1 0,0,0,1e-6),$(floats v 1,4,1 0,0,0,0)" 0 1e-6 1e-3
  cancels reduceSum "$x" '{"name":"x","dataType":"float16","shape":[3],"data":[1,-1,0.001]}' 0 0.003 0.1
}

# One addition of given numbers is rounded once: it has nothing to excuse. Behind a result that is
# not given it has.
test_uncancelled() {
  printf '{"operators":[{"name":"matmul","arguments":[{"operand":"a"},{"operand":"b"}],"outputs":["m"]},
{"name":"add","arguments":[{"operand":"m"},{"operand":"c"}],"outputs":["s"]},
{"name":"relu","arguments":[{"operand":"s"}],"outputs":["y"]}],"inputs":[%s,%s,%s]}' "$(floats a 1,2 1,1)" \
    "$(floats b 2,1 0.5,0.5)" "$(floats c 1,1 -0.999999)" >"$out/fused.json"
  s=$(floats s 1,1 1.3e-6)
  for change in "$s:0" "$(floats m 1,1 1),$s:1"; do
    printf '{"outputs":[%s],"intermediates":[%s]}' "$(floats y 1,1 1.3e-6)" "${change%:*}" >"$out/given.json"
    expect "${change##*:}" "an addition, given ${change%:*}" check "$out/fused.json" --actual "$out/given.json"
  done
  # Of a whole graph's output, the last operator's terms, as the exact run has them.
  printf '{"operators":[{"name":"relu","arguments":[{"operand":"x"}],"outputs":["r"]},
{"name":"linear","arguments":[{"operand":"r"},{"options":{"alpha":{"number":-1},"beta":{"number":1}}}],"outputs":["y"]}],
"inputs":[%s],"outputs":[%s]}' "$(floats x 1 0.999999)" "$(floats y 1 1.2e-6)" >"$out/last.json"
  expect 0 "the last operator's terms" check "$out/last.json"
  has stdout "cancelled: 1 element, worst" "the last operator's terms"
  # Terms are those of one product, not of the product before it.
  printf '{"operators":[{"name":"matmul","arguments":[{"operand":"x"},{"operand":"w"}],"outputs":["m"]},
{"name":"matmul","arguments":[{"operand":"m"},{"operand":"v"}],"outputs":["p"]},
{"name":"relu","arguments":[{"operand":"p"}],"outputs":["y"]}],"inputs":[%s,%s,%s],"outputs":[%s],"intermediates":[%s]}' \
    "$(floats x 1,3 1e6,1e6,1)" "$(floats w 3,1 1,-1,1)" "$(floats v 1,1 1)" "$(floats y 1,1 1.1)" "$(floats p 1,1 1.1)" \
    >"$out/products.json"
  expect 1 "two products" check "$out/products.json"
  has stdout 'FIRST WRONG OPERATOR: matmul "p"' "two products"
  has stdout 'or, their results not being given, matmul "m"' "two products"
  # Many results that are not given, each taken twice.
  awk 'BEGIN {
    printf "{\"inputs\":[{\"name\":\"y0\",\"dataType\":\"float32\",\"shape\":[1],\"data\":[1e-9]}],\"operators\":["
    for (i = 1; i <= 60; i++)
      printf "%s{\"name\":\"add\",\"arguments\":[{\"operand\":\"y%d\"},{\"operand\":\"y%d\"}],\"outputs\":[\"y%d\"]}", (i > 1 ? ",\n" : ""), i - 1, i - 1, i
    printf "],\"intermediates\":[{\"name\":\"y60\",\"dataType\":\"float32\",\"shape\":[1],\"data\":[1e9]},"
    printf "{\"name\":\"y1\",\"dataType\":\"float32\",\"shape\":[1],\"data\":[2e-9]}]}"
  }' >"$out/doubled.json"
  expect 1 "60 additions" check "$out/doubled.json"
  has stdout 'FIRST WRONG OPERATOR: add "y60"' "60 additions"
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
  refuses "no JSON" "1:1: this must be a value; it is 'relu'" "relu(x)"
  refuses "a letter of two bytes" "1:2: this must be a string; it is 'ä'" "{ä"
  refuses "a byte that is none" "1:2: this must be a string; it is the byte 255" "$(printf '{\377')"
  refuses "a control character" "1:2: this must be a string; it is the byte 1" "$(printf '{\001')"
  refuses "an end of a line" "1:6: this must be a hexadecimal digit; it is the end of the line" '{"\u1
"'
  refuses "a long word" "1:1: this must be a value; it is 'aaaaaaaaaaaaaaaaaaaa'" aaaaaaaaaaaaaaaaaaaaaaaaa
  refuses "the second line" "2:2: this must be a string" "{
 operators}"
  refuses "no operators" "1:1: \"operators\" must be a list of operators; it is missing" "{\"inputs\":[$one]}"
  refuses "no such operator" "1:23: MLGraphBuilder has no operator \"conv3d\"" \
    '{"operators":[{"name":"conv3d"}]}'
  refuses "no such operand" "1:54: there is no operand \"x\"" "{$relu}"
  refuses "an element short" "1:64: the number of elements (1) must be that of the shape (2)" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"float32\",\"shape\":[2],\"data\":[1]}],$relu}"
  refuses "a wrong element" "1:62: 128 must be of type int8" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"int8\",\"shape\":[1],\"data\":[128]}],$relu}"
  refuses "a wrong type" "1:35: \"dataType\" must be a type: float32, float16, int32, ...; it is a string" \
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
  refuses "a file that is no NPY" "1:31: $out/short.npy: byte 0: an NPY file must begin with" \
    "{\"inputs\":[{\"name\":\"x\",\"file\":\"short.npy\"}],$relu}"
  printf '1234567' >"$out/short.bin"
  refuses "a raw file too short" "1:64: $out/short.bin: byte 7: the file ends before the tensor does" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"float32\",\"shape\":[2],\"file\":\"short.bin\"}],$relu}"
  printf '123456789' >"$out/long.bin"
  refuses "a raw file too long" "1:64: $out/long.bin: byte 8: the file is longer than the tensor" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"float32\",\"shape\":[2],\"file\":\"long.bin\"}],$relu}"
  refuses "a raw file that is not there" "1:64: $out/nothing.bin: the file cannot be read" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"float32\",\"shape\":[2],\"file\":\"nothing.bin\"}],$relu}"
  mkdir -p "$out/folder.bin"
  refuses "a folder for a raw file" "1:64: $out/folder.bin: the file cannot be read" \
    "{\"inputs\":[{\"name\":\"x\",\"dataType\":\"float32\",\"shape\":[2],\"file\":\"folder.bin\"}],$relu}"
  expect 2 "no such file" run "$out/nothing.json"
  expect 2 "no such command" fly
  expect 2 "no command"
  expect 2 "no such option" run "$small" --quick
  expect 2 "a wrong number" check "$small" --ulp many
  expect 2 "a wrong format" run "$small" --format png
  rm -rf "$out/made"
  expect 0 "a folder that is not there" run "$small" --out "$out/made/deeper"
  [ -f "$out/made/deeper/result.npy" ] && right || wrong "a folder that is not there gets no result"
  expect 0 "help" --help
}

# One operator with options, on x, w and i.
with_options() { # operator, operands, options
  printf '{"operators":[{"name":"%s","arguments":[%s,{"options":{%s}}],"outputs":["y"]}],\n"inputs":[%s,%s,%s]}' \
    "$1" "$(printf '{"operand":"%s"}' $2 | sed 's/}{/},{/g')" "$3" \
    "$(floats x 1,2,2,2 1,2,3,4,5,6,7,8)" "$(floats w 2,1,1,1 1,2)" \
    '{"name":"i","dataType":"int32","shape":[1,1,2,2],"data":[1,0,0,1]}'
}

takes() { # title, the elements of the result, the JSON
  printf '%s' "$3" >"$out/taken.json"
  expect 0 "$1" run "$out/taken.json"
  has stdout "\"data\":[$2]" "$1"
}

# An unsigned long is a double that is truncated, or a bigint. Those that the specification's
# interface layer refuses are refused where they stand.
test_unsigned_longs() {
  for value in '"number":-1' '"number":-1.5' '"number":4294967296' '"number":1e300' '"number":"NaN"' \
    '"number":"-Infinity"' '"bigint":"-1"' '"bigint":"4294967296"' '"bigint":"99999999999999999999999"'; do
    number=$(printf '%s' "$value" | sed 's/.*://; s/"//g')
    refuses "groups $value" "1:108: TypeError: conv2d \"y\": groups ($number) must be 0 to 4294967295" \
      "$(with_options conv2d 'x w' "\"groups\":{$value}")"
    refuses "axis $value" "1:106: TypeError: gather \"y\": axis ($number) must be 0 to 4294967295" \
      "$(with_options gather 'x i' "\"axis\":{$value}")"
  done
  for value in '"number":0' '"number":-0.5' '"number":0.5' '"bigint":"0"'; do
    refuses "groups $value" '1:108: TypeError: conv2d "y": groups must not be 0' \
      "$(with_options conv2d 'x w' "\"groups\":{$value}")"
    refuses "groups $value" '1:117: TypeError: convTranspose2d "y": groups must not be 0' \
      "$(with_options convTranspose2d 'x w' "\"groups\":{$value}")"
  done
  for value in '"number":2' '"number":2.75' '"bigint":"2"'; do
    takes "groups $value" 1,2,3,4,10,12,14,16 "$(with_options conv2d 'x w' "\"groups\":{$value}")"
    takes "groups $value" 1,2,3,4,10,12,14,16 "$(with_options convTranspose2d 'x w' "\"groups\":{$value}")"
  done
  refuses "groups as a string" '1:108: option "groups" takes a value of kind "number", not "string"' \
    "$(with_options conv2d 'x w' '"groups":{"string":"2"}')"
  for value in '"number":1' '"number":1.5' '"bigint":"1"'; do
    takes "axis $value" 5,2,3,8 "$(with_options gatherElements 'x i' "\"axis\":{$value}")"
  done
}

# Options that are true by default, which are false by default in C.
test_true_by_default() {
  takes "upper" 1,2,0,4,5,6,0,8 "$(with_options triangular x '')"
  takes "upper true" 1,2,0,4,5,6,0,8 "$(with_options triangular x '"upper":{"bool":true}')"
  takes "upper false" 1,0,3,4,5,0,7,8 "$(with_options triangular x '"upper":{"bool":false}')"
  refuses "upper as a string" '1:93: this value must be true or false; it is a string' \
    "$(with_options triangular x '"upper":{"bool":"false"}')"
  for after in '' ',"resetAfter":{"bool":true}' ',"resetAfter":{"bool":false}'; do
    case $after in *false*) result=1 ;; *) result=0.75 ;; esac
    takes "gruCell$after" $result '{"operators":[{"name":"gruCell","arguments":[{"operand":"h"},{"operand":"w"},
{"operand":"w"},{"operand":"h"},{"number":1},{"options":{"recurrentBias":{"operand":"b"},
"activations":{"strings":["sigmoid","relu"]}'"$after}}],\"outputs\":[\"y\"]}],
\"inputs\":[$(floats h 1,1 1),$(floats w 3,1 0,0,0),$(floats b 3 0,0,1)]}"
  done
}

# Longer than any that the builder takes: their length is told, and all items are read.
test_long_lists() {
  nine=0,0,0,0,0,0,0,0,0
  relu='"operators":[{"name":"relu","arguments":[{"operand":"x"}],"outputs":["y"]}]'
  refuses "9 paddings" '1:15: TypeError: conv2d "y": padding must have 4 items, not 9' \
    "$(with_options conv2d 'x w' "\"padding\":{\"numbers\":[$nine]}")"
  refuses "no paddings" '1:15: TypeError: conv2d "y": padding must have 4 items, not 0' \
    "$(with_options conv2d 'x w' '"padding":{"numbers":[]}')"
  refuses "9 axes" '1:15: TypeError: reduceSum "y": axes [0, 0, 0, 0, 0, 0, 0, 0' \
    "$(with_options reduceSum x "\"axes\":{\"numbers\":[$nine]}")"
  refuses "9 scales" '1:15: TypeError: resample2d "y": scales must have 2 items, not 9' \
    "$(with_options resample2d x '"scales":{"numbers":[1,1,1,1,1,1,1,1,1]}')"
  refuses "a tenth padding" '1:129: this value must be an unsigned long (0 to 4294967295); it is a number' \
    "$(with_options conv2d 'x w' "\"padding\":{\"numbers\":[$nine,-1]}")"
  refuses "a tenth scale" '1:116: this value must be a number; it is a string' \
    "$(with_options resample2d x "\"scales\":{\"numbers\":[$nine,\"a\"]}")"
  refuses "a tensor of 9 dimensions" '1:12: the number of dimensions (9) must be at most 8' \
    "{\"inputs\":[$(floats x 1,1,1,1,1,1,1,1,1 1)],$relu}"
}

# A name is enough for an output, in the graph and beside it.
test_output_names() {
  relu='"operators":[{"name":"relu","arguments":[{"operand":"x"}],"outputs":["y"]}]'
  one='{"name":"x","dataType":"float32","shape":[2],"data":[1,2]}'
  printf '%s' "{\"inputs\":[$one],$relu,\"outputs\":[\"y\"]}" >"$out/name.json"
  printf '{"outputs":[{"name":"y","dataType":"float32","shape":[2],"data":[1,2]}]}' >"$out/name_actual.json"
  expect 0 "an output's name" run "$out/name.json" --out "$out/name_run.json"
  has name_run.json '"data":[1,2]' "an output's name"
  expect 0 "an output's name" check "$out/name.json" --actual "$out/name_actual.json"
  has stdout "1 case: 1 right" "an output's name"
  expect 2 "an output's name alone" check "$out/name.json"
  has stderr 'no numbers are given for output "y"' "an output's name alone"
  expect 0 "an output's name" graph "$out/name.json"
  expect 0 "an output's name" convert "$out/name.json" --out "$out/name.webnn"
  refuses "no such output" "1:159: an output must be the result of an operator; \"z\" is none" \
    "{\"inputs\":[$one],$relu,\"outputs\":[\"z\"]}"
  refuses "an input as output" "1:159: an output must be the result of an operator; \"x\" is none" \
    "{\"inputs\":[$one],$relu,\"outputs\":[\"x\"]}"
  refuses "an output without a name" "1:159: this value must be an output: a name, or a tensor with one; it is a number" \
    "{\"inputs\":[$one],$relu,\"outputs\":[5]}"
  refuses "an output twice" "1:163: \"y\" is an output twice" \
    "{\"inputs\":[$one],$relu,\"outputs\":[\"y\",\"y\"]}"
  printf '["x"]' >"$out/name_inputs.json"
  expect 2 "an input's name" run "$out/name.json" --inputs "$out/name_inputs.json"
  has stderr 'name_inputs.json:1:2: this value must be a tensor' "an input's name"
}

# No member may be there twice, at any depth, in any of the files.
test_repeated() {
  refuses "inputs twice" '2:31: member "inputs" is given twice in an object' '{"inputs":[],
"operators":[],"a":0,"inputs":[]}'
  refuses "escaped names" '1:19: member "ab" is given twice' '{"ab":1,"\u0061b":2}'
  refuses "deep" '2:21: member "data" is given twice' '{"inputs":[{"name":"x","data":[1],
"b":{},"c":1,"data":[2]}]}'
  printf '{"inputs":[],"inputs":[]}' >"$out/repeated.json"
  expect 2 "--inputs" run "$small" --inputs "$out/repeated.json"
  expect 2 "--actual" check "$small" --actual "$out/repeated.json"
  has stderr 'repeated.json:1:23: member "inputs" is given twice' "--actual"
  refuses_text "metadata" '1:91: member "a" is given twice' \
    'webnn_graph "g" v1 { inputs { x: f32[1]; } nodes { y = relu(x, metadata={a: 1, b: 2, "a": 3}); } outputs { y; } }'
  weighs 'f32[2]' 'add(x, w)'
  refuses_weights "safetensors" 'w.safetensors: byte 64: tensor "a.b" is there twice' \
    '{"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' \
    '\000\000\200\077\000\000\000\100'
}

# Some editors begin every file with a byte order mark.
test_byte_order_marks() {
  mark='\357\273\277'
  { printf "$mark" && cat "$small"; } >"$out/marked.json"
  expect 0 "JSON with a byte order mark" check "$out/marked.json" --actual "$out/marked.json"
  has stdout "1 case: 1 right" "JSON with a byte order mark"
  { printf "$mark" && printf '{"x":}'; } >"$out/bad.json"
  expect 2 "columns behind a byte order mark" run "$out/bad.json"
  has stderr "bad.json:1:6: this must be a value; it is '}'" "columns behind a byte order mark"
  { printf ' ' && cat "$out/marked.json"; } >"$out/bad.json"
  expect 2 "a byte order mark in the middle" run "$out/bad.json"
  expect 0 "convert" convert "$small" --out "$out/unmarked.webnn"
  for name in marked.webnn marked_text; do
    { printf "$mark" && cat "$out/unmarked.webnn"; } >"$out/$name"
    expect 0 "text with a byte order mark" graph "$out/$name"
    has stdout 'matmul("a", %1, ' "text with a byte order mark"
  done
  printf '\377\376{\000}\000' >"$out/bad.json"
  expect 2 "UTF-16" run "$out/bad.json"
  has stderr "bad.json:1:1: the file must be UTF-8; it is UTF-16" "UTF-16"
  weighs 'f32[2]' 'add(x, w)'
  refuses_weights "safetensors with a byte order mark" \
    "w.safetensors: byte 8: this must be '{'; it is the byte 239" \
    "$(printf "$mark")"'{"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' '\000\000\200\077\000\000\000\100'
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

# ---- Graphs as text ---------------------------------------------------------------------------

same() { # title, two files
  if cmp -s "$2" "$3"; then right; else wrong "$1: $2 and $3 differ"; fi
}

# The inputs of a file with one tensor on a line, without constants, as a list for --inputs.
inputs_of() { # file
  sed -n '/^"inputs"/,/^"operators"/p' "$1" | grep '^{"name"' | grep -v '"constant": *true' |
    sed 's/,"constant":false}.*/}/; s/\],*$//; s/},$/}/' |
    awk 'BEGIN { printf "[" } { printf "%s%s", separator, $0; separator = ",\n" } END { print "]" }'
}

# A graph has the same results, bit by bit, and the same text of `graph`.
same_results() { # title, file
  rm -f "$out"/second/*
  expect 0 "$1: run" run "$2" --inputs "$out/inputs.json" --all --format raw --out "$out/second"
  if diff -r "$out/first" "$out/second" >"$out/diff"; then
    right
  else
    wrong "$1: other results: $(head -n 2 "$out/diff")"
  fi
  expect 0 "$1: graph" graph "$2"
  same "$1: graph" "$out/first.txt" "$out/stdout"
}

start_trip() { # file of JSON
  rm -rf "$out/first" "$out/second" && mkdir -p "$out/first" "$out/second"
  inputs_of "$1" >"$out/inputs.json"
  expect 0 "run $1" run "$1" --all --format raw --out "$out/first"
  expect 0 "graph $1" graph "$1"
  cp "$out/stdout" "$out/first.txt"
}

# There and back: the graph of start_trip as text, or in its interchange form, and as JSON again.
trip() { # file of JSON, arguments of convert
  trip="convert $*" graph=$1
  shift
  rm -f "$out"/trip.*
  expect 0 "$trip" convert "$graph" "$@"
  made=$(ls "$out"/trip.webnn "$out"/trip.json 2>/dev/null)
  same_results "$trip" "$made"
  expect 0 "$trip, back" convert "$made" --out "$out/back.json"
  same_results "$trip, back" "$out/back.json"
  expect 0 "$trip, there again" convert "$out/back.json" --out "$out/again.webnn" --inline 999999
  expect 0 "$trip, back again" convert "$out/again.webnn" --out "$out/again.json"
  same "$trip, twice" "$out/back.json" "$out/again.json"
}

test_trips() {
  for file in "$fifty" "$out/types.json" "$out/numbers.json"; do
    start_trip "$file"
    trip "$file" --out "$out/trip.webnn"
    trip "$file" --out "$out/trip.webnn" --inline 0
    trip "$file" --out "$out/trip.webnn" --inline 999999
    trip "$file" --out "$out/trip.webnn" --inline 0 --weights "$out/trip.weights"
    trip "$file" --out "$out/trip.json" --format graph-json
  done
  # An implementation's numbers for a graph that is text.
  start_trip "$fifty"
  expect 0 "convert" convert "$fifty" --out "$out/trip.webnn"
  expect 0 "check of text" check "$out/trip.webnn" --inputs "$out/inputs.json" --actual "$out/npy" --ulp 0
  has stdout "50 of 50 compared, 0 wrong" "check of text"
  expect 2 "check of text without numbers" check "$out/trip.webnn" --actual "$out/npy"
  expect 0 "graph --dot of text" graph "$out/trip.webnn" --dot
}

# Constants of every type, with what is hard to store.
write_types() {
  cat >"$out/types.json" <<'END'
{"name":"types",
"inputs":[
{"name":"x","dataType":"float32","shape":[1],"data":[2]},
{"name":"f","dataType":"float32","shape":[7],"bits":[0,2147483648,2139095040,4286578688,2143289345,1,3204448257],"constant":true},
{"name":"h","dataType":"float16","shape":[5],"bits":[0,32768,31744,32257,1],"constant":true},
{"name":"i","dataType":"int32","shape":[2],"data":[-2147483648,2147483647],"constant":true},
{"name":"u","dataType":"uint32","shape":[2],"data":[0,4294967295],"constant":true},
{"name":"l","dataType":"int64","shape":[3],"data":["-9223372036854775808","9223372036854775807",9007199254740993],"constant":true},
{"name":"m","dataType":"uint64","shape":[1],"data":["18446744073709551615"],"constant":true},
{"name":"b","dataType":"int8","shape":[3],"data":[-128,127,-1],"constant":true},
{"name":"c","dataType":"uint8","shape":[2],"data":[255,1],"constant":true},
{"name":"n","dataType":"int4","shape":[3],"data":[-8,7,-1],"constant":true},
{"name":"o","dataType":"uint4","shape":[1],"data":[15],"constant":true},
{"name":"p","dataType":"int4","shape":[1],"data":[-5],"constant":true},
{"name":"s","dataType":"float32","shape":[],"data":[0.1],"constant":true},
{"name":"t","dataType":"float16","shape":[],"data":[65504],"constant":true},
{"name":"v","dataType":"float32","shape":[],"data":["-0"],"constant":true},
{"name":"w","dataType":"int64","shape":[],"data":["9007199254740993"],"constant":true},
{"name":"y","dataType":"int8","shape":[],"data":[-7],"constant":true}],
"operators":[
{"name":"add","arguments":[{"operand":"x"},{"operand":"s"}],"outputs":["0"]},
END
  separator= # reshape takes every type
  for pair in f:7 h:5 i:2 u:2 l:3 m:1 b:3 c:2 n:3 o:1 p:1 t:1 v:1 w:1 y:1; do
    printf '%s{"name":"reshape","arguments":[{"operand":"%s"},{"numbers":[%s]}],"outputs":["r%s"]}' \
      "$separator" "${pair%:*}" "${pair#*:}" "${pair%:*}" | sed 's/^,/,\
/' >>"$out/types.json"
    separator=,
  done
  printf ']}\n' >>"$out/types.json"
  sed -i.old 's/\["0"\]/["sum"]/' "$out/types.json"
}

# Options of every kind, with numbers that a text may lose.
write_numbers() {
  cat >"$out/numbers.json" <<'END'
{"name":"num\"bers\\",
"inputs":[
{"name":"x","dataType":"float32","shape":[2,3],"data":[-1.5,2,"NaN","Infinity",0.5,"-0"],"constant":false},
{"name":"l","dataType":"int64","shape":[2],"data":["-9223372036854775808","9223372036854775807"],"constant":false},
{"name":"u","dataType":"uint64","shape":[2],"data":["0","18446744073709551615"],"constant":false},
{"name":"s","dataType":"float32","shape":[2,1,2],"data":[1,2,3,-4],"constant":false},
{"name":"image","dataType":"float32","shape":[1,1,2,2],"data":[1,2,3,4],"constant":false},
{"name":"w","dataType":"float32","shape":[1,3,2],"data":[1,-1,0.5,0.25,2,3],"constant":true},
{"name":"r","dataType":"float32","shape":[1,3,1],"data":[1,-1,0.5],"constant":true}],
"operators":[
{"name":"clamp","arguments":[{"operand":"x"},{"options":{"minValue":{"number":"-Infinity"},"maxValue":{"number":1e-1}}}],"outputs":["a"]},
{"name":"clamp","arguments":[{"operand":"x"},{"options":{"minValue":{"number":"NaN"},"maxValue":{"number":"Infinity"}}}],"outputs":["b"]},
{"name":"clamp","arguments":[{"operand":"l"},{"options":{"minValue":{"bigint":"-9007199254740993"},"maxValue":{"bigint":"9223372036854775806"}}}],"outputs":["c"]},
{"name":"clamp","arguments":[{"operand":"l"},{"options":{"minValue":{"bigint":"-5"},"maxValue":{"number":9007199254740994}}}],"outputs":["d"]},
{"name":"clamp","arguments":[{"operand":"u"},{"options":{"maxValue":{"bigint":"184467440737095516150"},"label":{"string":"a \"label\" \\"}}}],"outputs":["e"]},
{"name":"pad","arguments":[{"operand":"x"},{"numbers":[1,0]},{"numbers":[0,1]},{"options":{"value":{"number":"-0"}}}],"outputs":["f"]},
{"name":"pad","arguments":[{"operand":"x"},{"numbers":[1,0]},{"numbers":[0,1]},{"options":{"value":{"number":-0}}}],"outputs":["g"]},
{"name":"linear","arguments":[{"operand":"x"},{"options":{"alpha":{"number":1E+30},"beta":{"number":-0.10000000000000001}}}],"outputs":["h"]},
{"name":"triangular","arguments":[{"operand":"x"},{"options":{"upper":{"bool":false},"diagonal":{"number":-1}}}],"outputs":["i"]},
{"name":"triangular","arguments":[{"operand":"x"},{"options":{"diagonal":{"number":-0}}}],"outputs":["i2"]},
{"name":"resample2d","arguments":[{"operand":"image"},{"options":{"mode":{"string":"linear"},"scales":{"numbers":[1.5,2]}}}],"outputs":["j"]},
{"name":"gru","arguments":[{"operand":"s"},{"operand":"w"},{"operand":"r"},{"number":2},{"number":1},{"options":{"activations":{"strings":["tanh","relu"]},"returnSequence":{"bool":true},"layout":{"string":"rzn"}}}],"outputs":["k","m"]},
{"name":"reduceSum","arguments":[{"operand":"x"},{"options":{"axes":{"numbers":[]}}}],"outputs":["n"]},
{"name":"split","arguments":[{"operand":"x"},{"number":3},{"options":{"axis":{"number":1}}}],"outputs":["o","p","q"]},
{"name":"split","arguments":[{"operand":"x"},{"numbers":[3]},{"options":{"axis":{"number":1}}}],"outputs":["t"]}]}
END
}

test_text() {
  write_types
  write_numbers
  test_trips
  expect 0 "convert small.json" convert "$small" --out "$out/small.webnn"
  has stderr "note: the text has no data of inputs" "convert small.json"
  printf '%s\n' 'webnn_graph "matmul and relu" v1 {' '  inputs {' '    a: f32[2, 3];' '  }' '' '  consts {' \
    '    b: f32[3, 2] @bytes([0,0,0,63,0,0,128,63,0,0,64,191,154,153,153,62,0,0,0,64,205,204,204,189]);' \
    '  }' '' '  nodes {' '    product = matmul(a, b);' '    result = relu(product);' '  }' '' \
    '  outputs { result; }' '}' >"$out/expected.webnn"
  same "small.json as text" "$out/expected.webnn" "$out/small.webnn"
  expect 0 "convert numbers.json" convert "$out/numbers.json" --out "$out/numbers.webnn"
  for line in 'webnn_graph "num\"bers\\" v1 {' 'a = clamp(x, minValue="-Infinity", maxValue=1e-1);' \
    'c = clamp(l, minValue=-9007199254740993, maxValue=9223372036854775806);' \
    'd = clamp(l, minValue=-5, maxValue=9007199254740994.0);' 'value=-0.0);' \
    'label="a \"label\" \\");' '[k, m] = gru(s, w, r, steps=2, hiddenSize=1, activations=["tanh", "relu"],' \
    'axes=[]);' '[t] = split(x, splits=[3], axis=1);'; do
    has numbers.webnn "$line" "numbers.json as text"
  done
  # Names that the text cannot have become others, each another one.
  printf '{"operators":[{"name":"add","arguments":[{"operand":"a b"},{"operand":"a_b"}],"outputs":["null"]},
{"name":"add","arguments":[{"operand":"null"},{"operand":"3"}],"outputs":["a\\u00e4b"]}],
"inputs":[{"name":"a b","dataType":"float32","shape":[1],"data":[1]},{"name":"a_b","dataType":"float32","shape":[1],
"data":[2]},{"name":"3","dataType":"float32","shape":[1],"data":[4]}]}' >"$out/names.json"
  expect 0 "convert names" convert "$out/names.json" --out "$out/names.webnn"
  has stderr 'names.json:1:90: note: "null" is written as _null' "convert names"
  has stderr 'note: "a b" is written as a_b_2' "convert names"
  has names.webnn '_null = add(a_b_2, a_b);' "convert names"
  has names.webnn 'a_b_3 = add(_null, _3);' "convert names"
  printf '[{"name":"a_b_2","dataType":"float32","shape":[1],"data":[1]},{"name":"a_b","dataType":"float32",
"shape":[1],"data":[2]},{"name":"_3","dataType":"float32","shape":[1],"data":[4]}]' >"$out/inputs.json"
  expect 0 "run names" run "$out/names.webnn" --inputs "$out/inputs.json"
  has stdout '"data":[7]' "run names"
}

# ---- As others write it -----------------------------------------------------------------------

# Two spellings of one graph.
spells() { # title, inputs and constants, nodes as here, nodes as others write them
  for text in "$3" "$4"; do
    printf 'webnn_graph "g" v2 @quantized { %s nodes { %s } outputs { y; } }' "$2" "$text" >"$out/spell.webnn"
    expect 0 "$1" graph "$out/spell.webnn"
    cp "$out/stdout" "$out/spell.$([ "$text" = "$3" ] && echo 1 || echo 2)"
  done
  same "$1" "$out/spell.1" "$out/spell.2"
}

test_spellings() {
  x='inputs { x: f32[1, 2, 3, 3]; } consts { w: f32[2, 2, 1, 1] @scalar(1); b: f32[2] @scalar(0.5); }'
  spells "cast" "$x" 'y = cast(x, to="float16");' 'y = cast(x, to="Float16", label="");'
  spells "type" "$x" 'y = cast(x, to="float16");' '[y] = cast(x, type=float16);'
  spells "a bias behind the operands" "$x" 'y = conv2d(x, w, bias=b);' 'y = conv2d(x, w, b);'
  spells "defaults spelled out" "$x" 'y = conv2d(x, w, bias=b, groups=1);' \
    'y = conv2d(x, w, b, bias=4, groups=1, padding=[], strides=[], dilations=[], inputLayout="", filterLayout="", label="");'
  spells "strings as operands" "$x" 'y = conv2d(x, w, bias=b);' 'y = conv2d("x", "w", bias="b");'
  spells "no operand" "$x" 'y = conv2d(x, w);' 'y = conv2d(x, w, bias=null);'
  spells "scale and bias" "$x" 'y = instanceNormalization(x, scale=b, bias=b);' 'y = instanceNormalization(x, b, b);'
  spells "only bias" "$x" 'y = instanceNormalization(x, bias=b);' \
    'y = instanceNormalization(x, b, hasScale=false, hasBias=true);'
  spells "only the numbered" "$x" 'y = instanceNormalization(x, bias=b);' \
    'y = instanceNormalization(x, b, scale=null, bias=2);'
  spells "k" "$x" 'y = triangular(x, upper=false, diagonal=-1);' 'y = triangular(x, upper=false, k=-1);'
  spells "roundingType" "$x" 'y = maxPool2d(x, windowDimensions=[2, 2], outputShapeRounding="ceil");' \
    'y = maxPool2d(x, windowDimensions=[2, 2], roundingType="ceil");'
  spells "shape, metadata" "$x consts { i: u32[1] @scalar(1); }" 'y = gather(x, i, axis=1);' \
    'y = gather(x, i, axis=1, shape=[1, 1, 3, 3], metadata={kind: "reference", "axes": [1], on: true});'
  spells "concat of a list" "$x" 'y = concat(x, x, axis=1);' 'y = concat([x, x], axis=1);'
  spells "by place" "$x" 'y = reshape(x, newShape=[18]);' 'y = reshape(x, [18]);'
  spells "by name" "$x" 'y = add(x, x);' 'y = add(a=x, b=x);'
  spells "another name" "$x" 'z = relu(x); y = identity(z);' 'z = relu(x); y = z;'
  spells "parts by names" "$x" '[y, z] = split(x, splits=2, axis=1);' '[y, z] = split(x, axis=1);'
  spells "a named size" "$x" 'y = reshape(x, newShape=[1, 18]);' \
    'y = reshape(x, newShape=[{name: "n", maxSize: 1}, 18]);'
  spells "base64" "$x consts { c: f32[1] @bytes([0, 0, 128, 63]); }" 'y = add(x, c);' \
    'd = constant(dataType="Float32", shape=[1], data="AACAPw=="); y = add(x, d);'
  spells "white space" "$x" 'y = elu(x, alpha=0.5);' 'y=elu ( x ,# a comment
    alpha = 00.5 ) ;'
  spells "a number as text" "$x inputs { l: i64[1]; }" 'y = clamp(l, minValue=9007199254740993);' \
    'y = clamp(l, minValue="9007199254740993");'
  # The blocks in another order, and a graph whose name does not end with .webnn.
  printf '# first a comment\nwebnn_graph "g" v1 { outputs { y } nodes { y = relu(x); } inputs { x: f32[1]; } }' >"$out/order"
  expect 0 "recognized by its first word" graph "$out/order"
  has stdout 'relu("x"' "recognized by its first word"
  # Outputs of the interchange form may have another name than the operand.
  printf '{"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[{"name":"n","maxSize":3}]}},
"nodes":[{"id":"r","op":"relu","inputs":["x"],"options":{},"outputs":null}],"outputs":{"y":"r"}}' >"$out/renamed.json"
  expect 0 "graph-json" graph "$out/renamed.json" --dim n=2
  has stdout 'identity(' "graph-json"
}

# ---- Dynamic dimensions -----------------------------------------------------------------------

# Every operator of the draft, and a name in newShape; of x, whose size is n, and of u, whose size has no name.
write_dynamic() {
  cat >"$out/sizes.webnn" <<'END'
webnn_graph "sizes" v1 {
  inputs { x: f32[dyn("n"), 4]; u: f32[dyn(), 2, 1]; i: f32[1, 1, dyn("h"), 2]; }
  consts {
    parts: u32[2] @bytes([2, 0, 0, 0, 2, 0, 0, 0]);
    some: u32[2] @bytes([1, 0, 0, 0, 2, 0, 0, 0]);
    none: u32[2] @bytes([0, 0, 0, 0, 0, 0, 0, 0]);
    zero: i32[] @scalar(0);
    one: i32[] @scalar(1);
    three: i32[] @scalar(-3);
  }
  nodes {
    s = shape(x);
    r = reshape(x, newShape=[{name: "n"}, 2, 2]);
    all = reduceProduct(s, keepDimensions=true);
    flat = reshapeDynamic(x, all);
    tiled = tileDynamic(x, some);
    q = squeeze(u, axes=[2]);
    more = unsqueeze(u, axes=[0]);
    two = flatten(u, axis=1);
    first = slice(s, starts=[0], sizes=[1]);
    scalar = reshape(first, newShape=[]);
    n = cast(scalar, to="int32");
    counted = range(zero, n, one);
    floor = modulusFloor(counted, three);
    truncated = modulusTruncate(counted, three);
    part = sliceDynamic(x, none, some, strides=[1, 2]);
    padded = padDynamic(x, some, none, mode="edge");
    wide = expandDynamic(x, s);
    [left, right] = splitDynamic(x, parts, axis=1);
    [same, rest] = split(tiled, splits=2, axis=1);
    larger = mul(s, some);
    sides = slice(larger, starts=[0], sizes=[2]);
    image = resample2dDynamic(i, sides, mode="linear");
    scaled = resample2d(i, scales=[2, 1]);
  }
  outputs { r; flat; tiled; q; more; two; floor; truncated; part; padded; wide; left; right; same; rest; image; scaled; s; }
}
END
}

# Inputs of a size, in numbers that end with the size.
dynamic_inputs() { # n
  awk -v n="$1" 'function tensor(name, shape, count,   i, text) {
      for (i = 1; i <= count; i++) text = text (i > 1 ? "," : "") (i * 7 % 11 - 5) / 4
      return "{\"name\":\"" name "\",\"dataType\":\"float32\",\"shape\":[" shape "],\"data\":[" text "]}" }
    BEGIN { print "[" tensor("x", n ",4", 4 * n) ",\n" tensor("u", n + 1 ",2,1", 2 * n + 2) ",\n" \
      tensor("i", "1,1," 2 * n ",2", 4 * n) "]" }' >"$out/inputs-$1.json"
}

test_dynamic() {
  write_dynamic
  expect 0 "dynamic: text" convert "$out/sizes.webnn" --out "$out/sizes-2.webnn"
  expect 0 "dynamic: JSON" convert "$out/sizes.webnn" --out "$out/sizes.json"
  has sizes.json '"shape":[{},2,1]' "dynamic: JSON"
  has sizes.json '"numbers":[{"name":"n"},2,2]' "dynamic: JSON"
  expect 0 "dynamic: from JSON" convert "$out/sizes.json" --out "$out/sizes-3.webnn"
  expect 0 "dynamic: interchange" convert "$out/sizes.webnn" --out "$out/sizes-4.json" --format graph-json
  expect 0 "dynamic: from it" convert "$out/sizes-4.json" --out "$out/sizes-4.webnn"
  for form in sizes-3 sizes-4; do
    same "dynamic: $form" "$out/sizes-2.webnn" "$out/$form.webnn"
  done
  expect 0 "dynamic: for people" graph "$out/sizes-2.webnn"
  for text in 'input "x" float32 ["n", 4]' 'input "u" float32 [?, 2, 1]' 'uint32 [2] = shape("x"' 'float32 ["n", 2, 2] = reshape("x"' \
    'float32 [?] = reshapeDynamic("x"' 'int32 [?] = range('; do
    has stdout "$text" "dynamic: for people"
  done
  for n in 1 2 3 8; do
    dynamic_inputs $n
    expect 0 "dynamic: fixed, $n" convert "$out/sizes.webnn" --dim n=$n --dim h=$((2 * n)) --out "$out/fixed.webnn"
    for form in sizes sizes-2 sizes-3 fixed; do
      expect 0 "dynamic: $form, $n" run "$out/$form.webnn" --inputs "$out/inputs-$n.json" --all
      sed '1,/"cases"/d' "$out/stdout" | sed 's/"[a-zA-Z0-9]*_[0-9]*"/""/' >"$out/$form.results"
      grep '"\(flat\|image\|part\|floor\|padded\)"' "$out/stdout" >"$out/$form.outputs"
      if [ "$form" != sizes ]; then same "dynamic: $form, $n" "$out/sizes.outputs" "$out/$form.outputs"; fi
    done
    expect 0 "dynamic: judged, $n" check "$out/sizes.webnn" --inputs "$out/inputs-$n.json" --fast
  done
  has sizes.outputs '{"name":"part","dataType":"float32","shape":[1,1],"data":[0.5]}' "dynamic: numbers"
  expect 0 "dynamic: --input" run "$out/sizes.webnn" --inputs "$out/inputs-3.json" \
    --input 'x=[[1,1,1,1],[2,2,2,2],[3,3,3,3]]'
  has stdout '"shape":[12],"data":[1,1,1,1,2,2,2,2,3,3,3,3]' "dynamic: --input"
  expect 2 "dynamic: traced" trace "$out/sizes.webnn" --inputs "$out/inputs-3.json" --output flat
  has stderr '"all" follows from sizes, and no operator computes it' "dynamic: traced"
  expect 0 "dynamic: a trace" trace "$out/sizes.webnn" --inputs "$out/inputs-3.json" --output rest
  expect 0 "dynamic: explained" explain sliceDynamic
  has stdout 'webnn_slice_dynamic(webnn_builder *builder, webnn_operand *input, webnn_operand *starts' "dynamic: explained"
  expect 2 "dynamic: two sizes" run "$out/sizes.webnn" --dim n=2 --inputs "$out/inputs-3.json"
  has stderr 'inputs-3.json:1:2: "x" is float32 [3,4]; it must be float32 [2,4]' "dynamic: two sizes"
  expect 2 "dynamic: no such name" run "$out/sizes.webnn" --dim m=2 --inputs "$out/inputs-3.json"
  has stderr '--dim m=2: ' "dynamic: no such name"
  expect 2 "dynamic: no data" run "$out/sizes.webnn"
  has stderr 'no data of input "x" float32 [?,4]' "dynamic: no data"
  dynamic_forms
}

# What is read, and what is not.
dynamic_forms() {
  dynamic_says 0 "a largest size" '[{"name":"n","maxSize":4},2]' "" ""
  has stdout 'float32 [4, 2]' "dynamic: a largest size"
  dynamic_says 0 "less than it" '[{"name":"n","maxSize":4},2]' "" "--dim n=3"
  has stdout 'float32 [3, 2]' "dynamic: less than it"
  dynamic_says 0 "of a name that is none" '[{},2]' "" "--dim x[0]=3"
  has stdout 'float32 [3, 2]' "dynamic: of a name that is none"
  dynamic_says 2 "of another" '[{},2]' '--dim x[1]=3: ' "--dim x[1]=3"
  dynamic_says 2 "more than it" '[{"name":"n","maxSize":4},2]' 'dimension "n" is 1 to 4, not 5' "--dim n=5"
  dynamic_says 2 "a size of 0" '[{"name":"n"},2]' 'dimension "n" must be at least 1, not 0' "--dim n=0"
  dynamic_says 2 "none" '[{"name":"n","maxSize":0},2]' 'a dimension: a size, {"name"}' ""
  dynamic_says 2 "another member" '[{"name":"n","size":1},2]' 'a dimension: a size, {"name"}' ""
  dynamic_says 2 "a name that is none" '[{"name":""},2]' 'a dimension: a size, {"name"}' ""
  dynamic_says 2 "data" '[{"name":"n"},2],"data":[1,2]' 'has dimensions without a size, and so no data here' ""
  dynamic_says 0 "data of a size" '[{"name":"n"},2],"data":[1,2]' "" "--dim n=1"
  dynamic_says 2 "a constant" '[{"name":"n"},2],"constant":true' 'a constant has no dimension that varies' ""
}

dynamic_says() { # status, title, shape, message, options
  printf '{"inputs":[{"name":"x","dataType":"float32","shape":%s}],"operators":[
{"name":"relu","arguments":[{"operand":"x"}],"outputs":["y"]}]}' "$3" >"$out/shape.json"
  expect "$1" "dynamic: $2" graph "$out/shape.json" $5
  if [ -n "$4" ]; then has stderr "$4" "dynamic: $2"; fi
}

test_inputs() {
  printf 'webnn_graph "g" v2 { inputs { a: f32[dyn("batch", 4), 2]; b: f32[dyn("batch", 4), 2]; c: i4[3]; }
consts { d: f32[] @scalar(1); } nodes { s = add(a, b); y = add(s, d); z = reshape(c, newShape=[3, 1]); } outputs { y, z; } }' \
    >"$out/dynamic.webnn"
  expect 2 "inputs without data" run "$out/dynamic.webnn"
  has stderr 'dynamic.webnn:1:31: there are no data of input "a" float32 [4,2], "b" float32 [4,2], "c" int4 [3]: give them with --input NAME=FILE, with --inputs' \
    "inputs without data"
  rm -rf "$out/folder" "$out/raws" && mkdir -p "$out/folder" "$out/raws"
  printf '{"inputs":[{"name":"a","dataType":"float32","shape":[1,2],"data":[1,2]}],"operators":[
{"name":"identity","arguments":[{"operand":"a"}],"outputs":["b"]},
{"name":"mul","arguments":[{"operand":"b"},{"operand":"b"}],"outputs":["a2"]}]}' >"$out/maker.json"
  expect 0 "a folder of inputs" run "$out/maker.json" --all --out "$out/folder"
  mv "$out/folder/a2.npy" "$out/folder/a.npy"
  printf '\207\004' >"$out/folder/c.bin" # 7, -8, 4
  expect 0 "inputs of a folder" run "$out/dynamic.webnn" --dim batch=1 --inputs "$out/folder"
  has stdout '"name":"y","dataType":"float32","shape":[1,2],"data":[3,7]' "inputs of a folder"
  has stdout '"data":[7,-8,4]' "inputs of a folder"
  expect 2 "another size" run "$out/dynamic.webnn" --dim batch=2 --inputs "$out/folder"
  has stderr 'a.npy: "a" is float32 [1,2]; it must be float32 [2,2]' "another size"
  printf '\000\000\000\000\000\000\200\077' >"$out/raws/a.bin"
  cp "$out/raws/a.bin" "$out/raws/b.bin" && cp "$out/folder/c.bin" "$out/raws"
  expect 0 "check with a folder of inputs" run "$out/dynamic.webnn" --dim batch=1 --inputs "$out/raws" --all --out "$out/folder"
  expect 0 "check with a folder of inputs" check "$out/dynamic.webnn" --dim batch=1 --inputs "$out/raws" --actual "$out/folder" --ulp 0
  has stdout "3 of 3 compared, 0 wrong" "check with a folder of inputs"
  for dim in batch=0 batch=5 depth=1 batch batch=x =1; do
    expect 2 "--dim $dim" run "$out/dynamic.webnn" --dim "$dim" --inputs "$out/folder"
  done
  expect 2 "--dim of JSON" run "$small" --dim batch=1
  expect 2 "--weights of JSON" run "$small" --weights "$out/folder/c.bin"
  expect 0 "a size is fixed in JSON" convert "$out/dynamic.webnn" --dim batch=3 --out "$out/fixed.json"
  has fixed.json '{"name":"a","dataType":"float32","shape":[3,2]}' "a size is fixed in JSON"
}

# NPY files other than webnn-oracle writes them: the graph is -x.
takes_npy() { # status, title, what is printed, type, fortran_order, shape, elements
  header="{'descr': '$4', 'fortran_order': $5, 'shape': ($6), }"
  { printf '\223NUMPY\001\000'"\\$(printf %03o ${#header})"'\000%s' "$header" && printf "$7"; } >"$out/other.npy"
  printf '{"inputs":[{"name":"x","file":"other.npy"}],
"operators":[{"name":"neg","arguments":[{"operand":"x"}],"outputs":["y"]}]}' >"$out/other.json"
  expect "$1" "$2" run "$out/other.json"
  has "$(if [ "$1" -eq 0 ]; then echo stdout; else echo stderr; fi)" "$3" "$2"
}

test_npy() {
  takes_npy 0 "an NPY file in columns" '"shape":[2,2],"data":[-1,-3,-2,-4]' '<f4' True '2, 2' \
    '\000\000\200\077\000\000\000\100\000\000\100\100\000\000\200\100'
  takes_npy 0 "a big-endian NPY file" '"shape":[2],"data":[-1,-258]' '>i4' False '2,' '\000\000\000\001\000\000\001\002'
  takes_npy 2 "an NPY file of float64" 'other.npy: the tensor is float64, which WebNN lacks' '<f8' False '1,' '\000\000\000\000\000\000\000\000'
  takes_npy 2 "an NPY file of complex numbers" 'other.npy: the tensor has the type c8, which is not read' '<c8' False '1,' \
    '\000\000\000\000\000\000\000\000'
}

# ---- Weights ----------------------------------------------------------------------------------

weighed='webnn_graph "w" v1 { inputs { x: f32[2]; } consts { w: TYPE @weights("a.b"); } nodes { y = NODE; } outputs { y; } }'

weighs() { # type, node: the graph of the next tests
  printf '%s' "$weighed" | sed "s/TYPE/$1/; s/NODE/$2/" >"$out/weights/w.webnn"
}

# A file of safetensors: its header, and its data as printf takes it.
safetensors() { # header, data
  { printf "\\$(printf %03o ${#1})\000\000\000\000\000\000\000%s" "$1" && printf "$2"; } >"$out/weights/w.safetensors"
}

adds() { # title, the result of adding 0 and 10 to the weights
  expect 0 "$1" run "$out/weights/w.webnn" --inputs "$out/weights/x.json"
  has stdout "\"data\":$2" "$1"
}

refuses_weights() { # title, message, header, data
  safetensors "$3" "$4"
  expect 2 "$1" run "$out/weights/w.webnn" --inputs "$out/weights/x.json"
  has stderr "$2" "$1"
}

refuses_manifest() { # title, message, entry
  printf '{"format":"wg-weights-manifest","version":1,"endianness":"little","tensors":{%s}}' "$3" \
    >"$out/weights/w.manifest.json"
  expect 2 "$1" run "$out/weights/w.webnn" --inputs "$out/weights/x.json"
  has stderr "$2" "$1"
}

test_weights() {
  one_two='\000\000\200\077\000\000\000\100'
  rm -rf "$out/weights" && mkdir -p "$out/weights"
  printf '[{"name":"x","dataType":"float32","shape":[2],"data":[0,10]}]' >"$out/weights/x.json"
  weighs 'f32[2]' 'add(x, w)'
  expect 2 "no file of weights" run "$out/weights/w.webnn" --inputs "$out/weights/x.json"
  has stderr "w.webnn:1:72: there is no file of weights beside" "no file of weights"
  expect 0 "graph without weights" graph "$out/weights/w.webnn"
  # What is found, from the last to the first.
  entry='"a.b":{"dataType":"float32","shape":[2],"byteOffset":0,"byteLength":8,"layout":"row-major"}'
  printf '{"format":"wg-weights-manifest","version":1,"tensors":{%s}}' "$entry" >"$out/weights/manifest.json"
  printf '\000\000\240\100\000\000\300\100' >"$out/weights/model.weights"
  adds "model.weights with manifest.json" "[5,16]"
  safetensors '{"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' '\000\000\200\100\000\000\240\100'
  mv "$out/weights/w.safetensors" "$out/weights/model.safetensors"
  adds "model.safetensors" "[4,15]"
  printf "WGWT\001\000\000\000$one_two" >"$out/weights/w.weights"
  printf '{"tensors":{%s}}' "$entry" | sed 's/"byteOffset":0/"byteOffset":8/' >"$out/weights/w.manifest.json"
  adds "w.weights with a header" "[1,12]"
  printf "$one_two" >"$out/weights/w.weights"
  printf '{"tensors":{"a::b":{"byteOffset":0,"byteLength":8}}}' >"$out/weights/w.manifest.json"
  expect 2 "a::b is not a.b" run "$out/weights/w.webnn" --inputs "$out/weights/x.json"
  printf '{"tensors":{"a_b":{"byteOffset":0,"byteLength":8}}}' >"$out/weights/w.manifest.json"
  adds "w.weights without a header" "[1,12]"
  printf '{"endianness":"big","tensors":{%s}}' "$entry" >"$out/weights/w.manifest.json"
  expect 2 "big endian" run "$out/weights/w.webnn" --inputs "$out/weights/x.json"
  has stderr 'w.manifest.json:1:15: "endianness" must be "little"; it is "big"' "big endian"
  refuses_manifest "beyond the end" 'the bytes of "a.b" must lie in 0 to 8 of ' '"a.b":{"byteOffset":4,"byteLength":8}'
  refuses_manifest "beyond all ends" "must lie in 0 to 8 of" '"a.b":{"byteOffset":18446744073709551615,"byteLength":8}'
  refuses_manifest "a negative offset" '"a.b" must have "byteOffset" and "byteLength"' '"a.b":{"byteOffset":-1,"byteLength":8}'
  refuses_manifest "too few bytes" "the data must have the 8 bytes of float32 [2]; they have 4" '"a.b":{"byteOffset":0,"byteLength":4}'
  refuses_manifest "shared bytes" '"a.b" and "c" share bytes' '"a.b":{"byteOffset":0,"byteLength":8},"c":{"byteOffset":4,"byteLength":4}'
  refuses_manifest "another type" '"a.b" must have the type and shape of the graph, float32 [2]' \
    '"a.b":{"byteOffset":0,"byteLength":8,"dataType":"int32"}'
  refuses_manifest "another shape" '"a.b" must have the type and shape' '"a.b":{"byteOffset":0,"byteLength":8,"shape":[1,2]}'
  refuses_manifest "in columns" '"layout" must be "row-major"; it is' '"a.b":{"byteOffset":0,"byteLength":8,"layout":"column-major"}'
  refuses_manifest "another tensor" 'w.weights has no tensor "a.b"' '"c":{"byteOffset":0,"byteLength":8}'
  printf "WGWT\001\000\000\000$one_two" >"$out/weights/w.weights"
  refuses_manifest "inside of the header" "must begin after the 8 bytes of the header" '"a.b":{"byteOffset":4,"byteLength":8}'
  printf "WGWT\002\000\000\000$one_two" >"$out/weights/w.weights"
  refuses_manifest "another version" "w.weights: byte 4: the version must be 1" '"a.b":{"byteOffset":8,"byteLength":8}'
  rm "$out/weights/w.manifest.json" "$out/weights/manifest.json"
  expect 2 "no manifest" run "$out/weights/w.webnn" --inputs "$out/weights/x.json"
  has stderr "w.weights: the file must have a manifest" "no manifest"
  safetensors '{"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' "$one_two"
  adds "w.safetensors" "[1,12]"
  safetensors '{"__metadata__":{"a":"b"},"a__b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]},"a_b":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}' \
    '\200\077\000\100aaaaaaaa'
  adds "bfloat16" "[1,12]"
  expect 0 "--weights" run "$out/weights/w.webnn" --inputs "$out/weights/x.json" --weights "$out/weights/model.safetensors"
  has stdout '"data":[4,15]' "--weights"
  printf '{"weight_map":{"a.b":"model.safetensors"}}' >"$out/weights/all.index.json"
  expect 0 "an index" run "$out/weights/w.webnn" --inputs "$out/weights/x.json" --weights "$out/weights/all.index.json"
  has stdout '"data":[4,15]' "an index"
  test_malformed_safetensors
  test_4_bits
}

test_malformed_safetensors() {
  entry='"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}'
  refuses_weights "no header" "w.safetensors: byte 8: this must be '{'" '' "$one_two"
  refuses_weights "no JSON" "w.safetensors: byte 9: this must be '\"'; it is 'a'" '{a.b}' "$one_two"
  refuses_weights "no object" "w.safetensors: byte 8: this must be '{'" '[]' "$one_two"
  refuses_weights "too few bytes" 'the bytes of "a.b" must lie in 0 to 4; they are 0 to 8' "{$entry}" '\000\000\200\077'
  refuses_weights "turned offsets" 'the bytes of "a.b" must lie in 0 to 8; they are 8 to 0' '{"a.b":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}' "$one_two"
  refuses_weights "huge offsets" "must lie in 0 to 8; they are 0 to 18446744073709551615" '{"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615]}}' "$one_two"
  refuses_weights "three offsets" "byte 61: this must be ']'" '{"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,8,8]}}' "$one_two"
  refuses_weights "no offsets" 'byte 9: "a.b" has no "data_offsets"' '{"a.b":{"dtype":"F32","shape":[2]}}' "$one_two"
  refuses_weights "shared bytes" '"a.b" and "c" share bytes' "{$entry,\"c\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[7,8]}}" "$one_two"
  refuses_weights "another type" 'w.safetensors: "a.b" must be float32 [2]; it is int32 [2]' '{"a.b":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}}' "$one_two"
  refuses_weights "no such type" '"a.b" has the type F8_E4M3, which is not read' '{"a.b":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}}' "$one_two"
  refuses_weights "float64" '"a.b" has float64, which WebNN does not have; save it as float32' '{"a.b":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}}' "$one_two$one_two"
  refuses_weights "another shape" '"a.b" must be float32 [2]; it is float32 [2,1]' '{"a.b":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}' "$one_two"
  refuses_weights "a wrong length" 'w.safetensors: byte 9: "a.b" must have the 8 bytes of its type and shape; it has 4' '{"a.b":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}' "$one_two"
  refuses_weights "another tensor" 'w.webnn:1:72: '"$out"'/weights/w.safetensors: there is no tensor "a.b" among 1' '{"c":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' "$one_two"
  sed 's/"a.b"/"a.b.c"/' "$out/weights/w.webnn" >"$out/weights/other.webnn"
  safetensors '{"a_b.c":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a.b_c":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}' "$one_two"
  expect 2 "two of nearly the name" run "$out/weights/other.webnn" --weights "$out/weights/w.safetensors"
  has stderr '"a.b.c" may be "a_b.c" or "a.b_c" of' "two of nearly the name"
  printf '\377\377\377\377\377\377\377\377{}' >"$out/weights/w.safetensors"
  expect 2 "a huge header" run "$out/weights/w.webnn"
  has stderr "w.safetensors: byte 0: the header is longer than the file" "a huge header"
  printf '\002\000' >"$out/weights/w.safetensors"
  expect 2 "an end in the length" run "$out/weights/w.webnn"
  has stderr "w.safetensors: byte 2: the file ends before its header" "an end in the length"
  expect 2 "no such file" run "$out/weights/w.webnn" --weights "$out/weights/nothing.safetensors"
}

# Packed with the mark of it, or each in a byte.
test_4_bits() {
  weighs 'i4[2]' 'dequantizeLinear(w, x, w)'
  safetensors '{"__metadata__":{"rustnn.webnn.packed4":"1"},"a.b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}' '\207'
  expect 0 "4 bits packed" convert "$out/weights/w.webnn" --out "$out/weights/w.json"
  has weights/w.json '"data":[7,-8]' "4 bits packed"
  safetensors '{"a.b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}' '\007\370'
  expect 0 "4 bits each in a byte" convert "$out/weights/w.webnn" --out "$out/weights/w.json"
  has weights/w.json '"data":[7,-8]' "4 bits each in a byte"
  refuses_weights "5 bits" "byte 64: the element does not fit into 4 bits" \
    '{"a.b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}' '\007\010'
  weighs 'u4[2]' 'dequantizeLinear(w, x, w)'
  safetensors '{"a.b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}' '\007\017'
  expect 0 "unsigned 4 bits each in a byte" convert "$out/weights/w.webnn" --out "$out/weights/w.json"
  has weights/w.json '"data":[7,15]' "unsigned 4 bits each in a byte"
  refuses_weights "5 unsigned bits" "byte 64: the element does not fit into 4 bits" \
    '{"a.b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}' '\007\020'
  expect 0 "written packed" convert "$out/types.json" --out "$out/trip.webnn" --inline 0
  if head -c 200 "$out/trip.safetensors" | grep -q '"rustnn.webnn.packed4":"1"'; then right; else wrong "written packed: no mark of it"; fi
}

# ---- Malformed text ---------------------------------------------------------------------------

refuses_text() { # title, the message, the text
  printf '%s' "$3" >"$out/bad.webnn"
  echo kept >"$out/kept.json"
  expect 2 "$1" convert "$out/bad.webnn" --out "$out/kept.json"
  has stderr "bad.webnn:$2" "$1"
  if [ "$(cat "$out/kept.json")" != kept ] || [ -e "$out/kept.json.part" ]; then wrong "$1: something is written"; fi
}

refuses_block() { # title, the message, blocks
  refuses_text "$1" "$2" "webnn_graph \"g\" v1 { inputs { x: f32[2]; } $3 }"
}

refuses_nodes() { # title, the message, nodes
  refuses_block "$1" "$2" "nodes { $3 } outputs { y; }"
}

test_malformed_text() {
  relu='nodes { y = relu(x); } outputs { y; }'
  refuses_text "nothing" "1:1: the file ends in the middle" ''
  refuses_text "another word" "1:1: this must be webnn_graph; it is 'graph'" 'graph "g" v1 { }'
  refuses_text "no name" "1:13: this must be a string; it is 'v1'" 'webnn_graph v1 { }'
  refuses_text "no version" "1:17: this must be 'v'; it is '{'" 'webnn_graph "g" { }'
  refuses_text "another version" "1:18: the version must be 1 or 2; it is 3" 'webnn_graph "g" v3 { }'
  refuses_text "a huge version" "1:18: the version must be 1 or 2; it is 99999999999999999999" 'webnn_graph "g" v99999999999999999999 { }'
  refuses_text "another mark" "1:21: this must be quantized; it is 'fast'" 'webnn_graph "g" v1 @fast { }'
  refuses_text "more text" "1:24: this must be the end of the file; it is '}'" 'webnn_graph "g" v1 { } }'
  refuses_text "no UTF-8" "1:14: the file must be UTF-8" "$(printf 'webnn_graph "\377" v1 { }')"
  refuses_text "the third line" "3:3: this must be ';'" 'webnn_graph "g" v1 { # a comment
inputs { x: f32[1]
  } }'
  refuses_block "another block" "1:44: this must be inputs, consts, nodes, outputs or '}'; it is 'node'" 'node { }'
  refuses_block "no nodes" "1:1: the graph must have at least one node" 'outputs { x; }'
  refuses_block "another type" "1:56: this must be a type, f32, f16, i64, u64, i32, u32, i8, u8, i4 or u4; it is 'f64'" "inputs { z: f64[2]; } $relu"
  refuses_block "no shape" "1:59: this must be '['; it is ';'" "inputs { z: f32; } $relu"
  refuses_block "a negative dimension" "1:60: this must be a dimension; it is '-'" "inputs { z: f32[-1]; } $relu"
  refuses_block "a dimension of 0" "1:53: a dimension must be at least 1; it is 0" "inputs { z: f32[0]; } $relu"
  refuses_block "a huge dimension" "1:60: this value must be a dimension; it is a number" "inputs { z: f32[99999999999999999999]; } $relu"
  refuses_block "a huge tensor" "1:53: the tensor has more than" "inputs { z: f32[4294967295, 4294967295, 4294967295]; } $relu"
  refuses_block "half a dimension" "1:60: this value must be a dimension; it is a number" "inputs { z: f32[1.5]; } $relu"
  refuses_block "a dimension without a name" "1:64: this must be a string" "inputs { z: f32[dyn(batch, 8)]; } $relu"
  refuses_block "a constant that varies" '1:60: a constant has no dimension that varies' "consts { z: f32[dyn(\"n\", 8)] @scalar(1); } $relu"
  refuses_block "two of a name" '1:53: "x" is the name of two operands' "consts { x: f32[] @scalar(1); } $relu"
  refuses_block "two annotations" "1:73: this must be ';'; it is '@'" "consts { c: f32[] @scalar(1) @scalar(2); } $relu"
  refuses_block "another annotation" "1:63: this must be weights, scalar or bytes; it is 'zero'" "consts { c: f32[] @zero(1); } $relu"
  refuses_block "no byte" "1:70: this value must be a byte, 0 to 255; it is a number" "consts { c: u8[1] @bytes([256]); } $relu"
  refuses_block "a byte short" "1:70: the data must have the 4 bytes of float32 [1]; they have 3" "consts { c: f32[1] @bytes([1, 2, 3]); } $relu"
  refuses_block "5 bits" "1:69: byte 2: the element does not fit" "consts { c: i4[3] @bytes([1, 2, 9]); } $relu"
  refuses_block "a fraction for an integer" "1:69: 1.5 must be of type int8" "consts { c: i8[] @scalar(1.5); } $relu"
  refuses_block "a string for a number" "1:69: this must be a digit; it is '\"'" "consts { c: u4[] @scalar(\"1\"); } $relu"
  refuses_nodes "no such operator" '1:56: MLGraphBuilder has no operator "conv3d"' 'y = conv3d(x);'
  refuses_nodes "no such operand" '1:61: there is no operand "z"' 'y = relu(z);'
  refuses_nodes "a circle" '1:61: "z" is made by a later operator' 'y = relu(z); z = relu(y);'
  refuses_nodes "itself" '1:61: "y" is made by a later operator' 'y = relu(y);'
  refuses_nodes "two results of a name" '1:65: "y" is the name of two operands' 'y = relu(x); y = relu(x);'
  refuses_nodes "no such option" '1:70: relu has no option "alpha"' 'y = relu(x, alpha=1);'
  refuses_nodes "an option twice" '1:78: "alpha" is given twice' 'y = elu(x, alpha=1, alpha=2);'
  refuses_nodes "an argument twice" '1:87: "dataType" is given twice' 'y = cast(x, to="float16", dataType="float32");'
  refuses_nodes "true for a number" '1:69: this value must be a number; it is true' 'y = elu(x, alpha=true);'
  refuses_nodes "a list for a number" '1:72: this value must be an unsigned long (0 to 4294967295); it is a list' 'y = softmax(x, axis=[0]);'
  refuses_nodes "a negative axis" '1:72: this value must be an unsigned long (0 to 4294967295); it is a number' 'y = softmax(x, axis=-1);'
  refuses_nodes "a huge axis" '1:72: this value must be an unsigned long (0 to 4294967295); it is a number' 'y = softmax(x, axis=99999999999999999999);'
  refuses_nodes "an infinite number" '1:52: TypeError: elu "y": alpha (inf) must be finite' 'y = elu(x, alpha=1e999);'
  refuses_nodes "too many operands" '1:64: there are more arguments than relu takes' 'y = relu(x, x);'
  refuses_nodes "too few operands" '1:52: add needs b' 'y = add(x);'
  refuses_nodes "no axis" '1:52: softmax needs axis' 'y = softmax(x);'
  refuses_nodes "a place after a name" '1:72: an argument without a name must come before those with names' 'y = softmax(axis=0, x);'
  refuses_nodes "a number as a node" '1:56: this must be an operator or a name' 'y = 5;'
  refuses_nodes "half a number" '1:71: this must be a digit' 'y = elu(x, alpha=1.);'
  refuses_nodes "a number with a name" '1:71: a number ends here' 'y = elu(x, alpha=12abc);'
  refuses_nodes "an open string" '1:96: the file ends in the middle' 'y = cast(x, to="float16);'
  refuses_nodes "a wrong word" '1:67: "float8" must be one of float32, float16' 'y = cast(x, to="float8");'
  refuses_nodes "too many results" '1:52: relu gives 1 results; "outputs" names 2' '[y, z] = relu(x);'
  refuses_nodes "no results" '1:53: this must be a name' '[] = relu(x);'
  refuses_nodes "no base64" '1:101: "data" must be base64' 'c = constant(dataType="float32", shape=[1], data="AA=A"); y = add(x, c);'
  refuses_nodes "an operand's number" '1:87: this value must be the name of an operand; it is a number' 'y = instanceNormalization(x, scale=3);'
  refuses_nodes "depth" '1:133: lists and objects must be nested at most 64 deep' "y = elu(x, alpha=$(printf '%100s' '' | tr ' ' '['));"
  refuses_block "no such output" '1:77: an output must be the result' 'nodes { y = relu(x); } outputs { z; }'
  refuses_block "an input as output" '1:77: an output must be the result' 'nodes { y = relu(x); } outputs { x; }'
  refuses_block "an output twice" '1:80: "y" is an output twice' 'nodes { y = relu(x); } outputs { y, y; }'
  expect 2 "convert without --out" convert "$small"
  expect 2 "convert of several cases" convert "$out/two.json" --out "$out/kept.json"
  has stderr "2 cases; --case NAME takes one of them" "convert of several cases"
  expect 0 "convert of one of them" convert "$out/two.json" --case 2 --out "$out/case.webnn"
  expect 2 "convert to nowhere" convert "$small" --out "$out/no/folder.webnn"
  # One of three files cannot be written: the others stay what they were.
  echo kept >"$out/three.webnn" && echo kept >"$out/three.weights"
  expect 2 "half a result" convert "$fifty" --out "$out/three.webnn" --weights "$out/three.weights" \
    --manifest "$out/no/folder.json"
  if [ "$(cat "$out/three.webnn" "$out/three.weights" | tr '\n' ' ')" = "kept kept " ] &&
    [ -z "$(ls "$out"/three*.part 2>/dev/null)" ]; then
    right
  else
    wrong "half a result: something is written"
  fi
  expect 2 "convert onto itself" convert "$fifty" --out "$out/one" --format webnn --weights "$out/one"
  expect 2 "convert to another format" convert "$small" --out "$out/small.npy" --format npy
}

# Every truncation of a text and of its weights.
test_truncated_text() {
  expect 0 "convert" convert "$out/types.json" --out "$out/whole.webnn" --inline 8
  length=$(wc -c <"$out/whole.webnn") at=0
  cp "$out/whole.safetensors" "$out/cut.safetensors"
  while [ $at -lt $((length - 2)) ]; do
    head -c $at "$out/whole.webnn" >"$out/cut.webnn"
    "$tool" graph "$out/cut.webnn" >/dev/null 2>"$out/stderr"
    came=$?
    if [ $came -eq 2 ] && grep -q 'cut.webnn:[0-9]*:[0-9]*: ' "$out/stderr"; then
      right
    else
      wrong "a text cut at $at: exit status $came: $(head -n 1 "$out/stderr")"
    fi
    at=$((at + 23))
  done
  length=$(wc -c <"$out/whole.safetensors") at=0
  cp "$out/whole.webnn" "$out/cut.webnn"
  while [ $at -lt "$length" ]; do
    head -c $at "$out/whole.safetensors" >"$out/cut.safetensors"
    "$tool" run "$out/cut.webnn" >/dev/null 2>"$out/stderr"
    came=$?
    if [ $came -eq 2 ] && grep -q 'cut.safetensors:* .*byte\|cut.safetensors:1:[0-9]*: ' "$out/stderr"; then
      right
    else
      wrong "weights cut at $at: exit status $came: $(head -n 1 "$out/stderr")"
    fi
    at=$((at + 11))
  done
}

# A sample of the conformance vectors there and back: each constant is the same, and each result.
test_text_vectors() {
  [ -d "$vectors" ] || return # test_vectors says so
  count=0 kept=0
  rm -f "$out/original.json" "$out/back.json"
  for file in "$vectors"/*.json; do
    grep '^{"name": "' "$file" | sed 's/^{"name": "//; s/",*$//' >"$out/names"
    while IFS= read -r name; do
      count=$((count + 1))
      [ $((count % 8)) -eq 3 ] || continue
      "$tool" convert "$file" --case "$name" --out "$out/case.json" --max-bytes 65536 \
        2>"$out/stderr" || continue # what no builder takes, and what is large
      kept=$((kept + 1))
      "$tool" convert "$out/case.json" --out "$out/case.webnn" --inline $((kept % 3 * 40)) 2>"$out/stderr" &&
        "$tool" convert "$out/case.webnn" --out "$out/case_back.json" 2>>"$out/stderr" ||
        wrong "$file: $name: $(head -n 1 "$out/stderr")"
      { [ $kept -gt 1 ] && echo ','; cat "$out/case.json"; } >>"$out/original.json"
      { [ $kept -gt 1 ] && echo ','; cat "$out/case_back.json"; } >>"$out/back.json"
    done <"$out/names"
  done
  if [ $kept -gt 250 ]; then right; else wrong "only $kept cases of the vectors became text"; fi
  for file in original back; do
    { printf '{"cases":['; cat "$out/$file.json"; printf ']}'; } >"$out/$file.cases.json"
    sed -n 's/"constant":true}.*/"constant":true}/p' "$out/$file.json" >"$out/$file.constants"
  done
  same "constants of the vectors" "$out/original.constants" "$out/back.constants"
  expect 0 "run the vectors" run "$out/original.cases.json" --all --out "$out/original.results"  --format json
  expect 0 "run the vectors that were text" run "$out/back.cases.json" --all --format json \
    --inputs "$out/original.cases.json" --out "$out/back.results"
  same "results of the vectors" "$out/original.results" "$out/back.results"
}

# ---- Tolerances in limits ---------------------------------------------------------------------

# Every operator has one for each data type of its results.
test_limits() {
  expect 0 "limits" limits
  awk '
    function compare(name) {
      for (type in results) if (!(type in told)) print name ": no tolerance of " type
      for (type in told) if (!(type in results)) print name ": a tolerance of " type
      split("", results); split("", told)
    }
    /^  "[A-Za-z0-9]*": \{$/ { name = $1; gsub(/[":]/, "", name) }
    /^    "[A-Za-z0-9]*": \{"dataTypes.*"output": true\}/ {
      list = $0; sub(/\].*/, "", list); sub(/.*\[/, "", list); gsub(/[", ]+/, " ", list)
      count = split(list, types, " ")
      for (i = 1; i <= count; i++) results[types[i]]
    }
    /^      "[a-z0-9]*": \{"metric"/ { type = $1; gsub(/[":]/, "", type); told[type] }
    /^  \},*$/ { compare(name) }' "$out/stdout" >"$out/untold"
  if [ -s "$out/untold" ]; then wrong "limits: $(head -n 3 "$out/untold")"; else right; fi
  for line in '"float16": {"metric": "ULP", "value": 8400}' '"float32": {"metric": "ATOL", "value": 0.0009765625}' \
    '{"metric": "ULP", "formula": "2 * n", "n": "filterHeight * filterWidth * inputChannels / groups"}' \
    '{"metric": "ULP", "formula": "2 * n", "n": "columns of a", "with": {"alpha": {"formula": "2 * n + 1"}, "c": {"formula": "2 * n + 1"}, "c, beta": {"formula": "2 * n + 2"}}}' \
    '{"metric": "ULP", "formula": "n - 1", "n": "size of the axis"}' '{"metric": "ULP", "formula": "3 * n + 3", "n": "size of the axis"}' \
    '"formula": "2 * n + 18", "n": "elements that are reduced to one"}' '"formula": "n + 2", "n": "elements of the window"}' \
    '"float32": {"metric": "ULP", "value": 0, "with": {"mode linear": {"value": 84}}}'; do
    has stdout "$line" "limits"
  done
}

# A module that is one graph, with a value that is two results; and one with a loop.
test_stablehlo() {
  cat >"$out/one.mlir" <<'END'
func.func @main(%x: tensor<2xf32> loc("x")) -> (tensor<2xf32> {jax.result_info = "y"}, tensor<2xf32>) {
  %c = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %0 = stablehlo.add %x, %c : tensor<2xf32>
  %1 = stablehlo.multiply %0, %c : tensor<2xf32>
  return %1, %1 : tensor<2xf32>, tensor<2xf32>
}
END
  cat >"$out/loop.mlir" <<'END'
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
  mkdir -p "$out/modules"
  printf '\000\000\200\077\000\000\000\100' >"$out/modules/x.bin" # 1 and 2
  expect 0 "StableHLO" run "$out/one.mlir" --inputs "$out/modules"
  has stdout '{"name":"y","dataType":"float32","shape":[2],"data":[0.75,8]}' "StableHLO"
  has stdout '{"name":"result1","dataType":"float32","shape":[2],"data":[0.75,8]}' "StableHLO"
  expect 0 "StableHLO, fast" check "$out/one.mlir" --inputs "$out/modules" --fast
  expect 2 "StableHLO without inputs" run "$out/one.mlir"
  has stderr 'no data of input "x"' "StableHLO without inputs"
  expect 0 "StableHLO as a graph" graph "$out/one.mlir"
  has stdout '= mul(' "StableHLO as a graph"
  expect 0 "StableHLO traced" trace "$out/one.mlir" --inputs "$out/modules" --output y --index 1
  has stdout "read      4" "StableHLO traced"
  expect 0 "StableHLO as text" convert "$out/one.mlir" --out "$out/modules/one.webnn"
  has modules/one.webnn "label=\"$out/one.mlir:4:3\"" "StableHLO as text"
  expect 0 "its text" run "$out/modules/one.webnn" --inputs "$out/modules"
  has stdout '[0.75,8]' "its text"
  printf '{"outputs":[{"name":"y","dataType":"float32","shape":[2],"data":[0.75,9]},{"name":"result1","dataType":"float32","shape":[2],"data":[0.75,8]}],"intermediates":[{"name":"add_2","dataType":"float32","shape":[2],"data":[1.5,4]}]}' >"$out/modules/theirs.json"
  expect 1 "StableHLO, wrong numbers" check "$out/one.mlir" --inputs "$out/modules" --actual "$out/modules/theirs.json"
  has stdout 'FIRST WRONG OPERATOR: mul "y"' "StableHLO, wrong numbers"
  has stdout "$out/one.mlir:4:3" "StableHLO, wrong numbers"
  expect 2 "StableHLO with a loop" run "$out/loop.mlir"
  has stderr "loop.mlir:3:3: while is a step of the host (loop)" "StableHLO with a loop"
  printf 'func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %%y : tensor<2xf32>\n}\n' >"$out/wrong.mlir"
  expect 2 "wrong StableHLO" run "$out/wrong.mlir"
  has stderr "wrong.mlir:2:" "wrong StableHLO"
  expect 2 "dimensions of StableHLO" run "$out/one.mlir" --dim n=2
  has stderr "no argument of $out/one.mlir has an open dimension of this name" "dimensions of StableHLO"
}

# A model with a dimension that only has a name.
# The value of an input that chooses a branch: by --constant, and by the folder of inputs.
test_onnx_values() {
  printf '\200\076\000\000\000\000\000\000' >"$out/onnx/rate/sr.bin"
  printf '\000\000\200\077%020d' 0 | tr 0 '\000' >"$out/onnx/rate/x.bin"
  expect 2 "ONNX without a value" run "$out/onnx/rates.onnx"
  has stderr "give it with --constant sr=NUMBER" "ONNX without a value"
  expect 0 "ONNX with a value" run "$out/onnx/rates.onnx" --constant sr=16000 --inputs "$out/onnx/rate"
  has stdout '"shape":[2,3]' "ONNX with a value"
  lacks stderr "note:" "ONNX with a value"
  expect 0 "ONNX with a value in a folder" run "$out/onnx/rates.onnx" --inputs "$out/onnx/rate"
  has stderr 'note: '"$out"'/onnx/rates.onnx: the graph depends on the value of input "sr"' "ONNX with a value in a folder"
  expect 2 "a constant of JSON" run ../examples/webnn/small.json --constant a=1
  has stderr "--constant is for ONNX models" "a constant of JSON"
  expect 2 "ONNX with a value twice" graph "$out/onnx/rates.onnx" --constant sr=1 --constant sr=2
}

test_onnx() {
  mkdir -p "$out/onnx" "$out/onnx/halves/test_data_set_0" "$out/onnx/halves/test_data_set_1" "$out/onnx/tests/dense/test_data_set_0" "$out/onnx/tests/dense/test_data_set_1" \
    "$out/onnx/wrong/test_data_set_0" "$out/onnx/tests/deeper/reshape/test_data_set_0" "$out/onnx/out/test_data_set_0" \
    "$out/onnx/in" "$out/onnx/half/test_data_set_0" "$out/onnx/not_half/test_data_set_0" "$out/onnx/rate"
  if ! ${CC:-cc} -std=c99 networks/files/onnx_files.c -o "$out/onnx_files" || ! "$out/onnx_files" "$out/onnx"; then
    wrong "no models are written"
    return
  fi
  printf '\000\000\200\077\000\000\000\000\000\000\000\000' >"$out/onnx/x.bin"
  printf '\000\000\000\000\000\000\200\077' >"$out/onnx/z.bin"
  set -- "$out/onnx/dense.onnx" --dim batch=1 --dim 'z[0]=1'
  expect 2 "ONNX without sizes" run "$out/onnx/dense.onnx"
  has stderr 'each dimension must have a size; those without one are "batch", "z[0]": give them with' "ONNX without sizes"
  expect 0 "ONNX, sizes of files" run "$out/onnx/dense.onnx" --inputs "$out/onnx"
  has stdout '{"name":"y","dataType":"float32","shape":[1,2],"data":[1.5,1]}' "ONNX, sizes of files"
  set -- "$out/onnx/dense.onnx" --input 'x=[[1,0,0]]' --input 'z=[[0,1]]'
  expect 0 "ONNX, sizes of --input" run "$@"
  has stdout '{"name":"y","dataType":"float32","shape":[1,2],"data":[1.5,1]}' "ONNX, sizes of --input"
  expect 0 "ONNX judged, sizes of --input" check "$@" --fast
  expect 0 "ONNX traced, sizes of --input" trace "$@" --output y --index 0,1
  has stdout "read" "ONNX traced, sizes of --input"
  expect 0 "ONNX, --input beside --inputs" run "$out/onnx/dense.onnx" --inputs "$out/onnx" --input 'x=[[0,0,1]]'
  lacks stdout '"data":[1.5,1]' "ONNX, --input beside --inputs"
  expect 2 "ONNX, two sizes" run "$@" --dim batch=2
  has stderr 'dimension "batch" is 2 in --dim batch=2 and 1 in input "x"' "ONNX, two sizes"
  expect 2 "ONNX, no such input" run "$@" --input q=1
  has stderr '--input q=1: ' "ONNX, no such input"
  has stderr 'has no input of this name' "ONNX, no such input"
  printf 'P5\n3 1\n255\n\377\000\000' >"$out/onnx/row.pgm"
  expect 0 "ONNX, a picture" run "$out/onnx/dense.onnx" --input x="$out/onnx/row.pgm" --input 'z=[[0,1]]'
  has stdout '"data":[1.5,1]' "ONNX, a picture"
  set -- "$out/onnx/dense.onnx" --dim batch=1 --dim 'z[0]=1'
  expect 0 "ONNX" run "$@" --inputs "$out/onnx"
  has stdout '{"name":"y","dataType":"float32","shape":[1,2],"data":[1.5,1]}' "ONNX"
  has stdout '{"name":"p","dataType":"uint8","shape":[1,2],"data":[1,1]}' "ONNX"
  expect 2 "ONNX without inputs" run "$@"
  has stderr 'no data of input "x"' "ONNX without inputs"
  expect 0 "ONNX, fast" check "$@" --inputs "$out/onnx" --fast
  printf '{"outputs":[{"name":"y","dataType":"float32","shape":[1,2],"data":[1.5,2]},{"name":"p","dataType":"uint8","shape":[1,2],"data":[1,1]}]}' >"$out/onnx/theirs.json"
  expect 1 "ONNX, wrong numbers" check "$@" --inputs "$out/onnx" --actual "$out/onnx/theirs.json"
  has stdout 'y: float32 [1,2], 2 elements: WRONG in 1' "ONNX, wrong numbers"
  expect 0 "ONNX traced" trace "$@" --inputs "$out/onnx" --output y --index 0,1
  has stdout "read" "ONNX traced"
  expect 0 "ONNX as a graph" graph "$@"
  has stdout '= matmul(' "ONNX as a graph"
  expect 2 "ONNX that is refused" run "$out/onnx/refused.onnx"
  has stderr 'node "nms" (NonMaxSuppression)' "ONNX that is refused"
  expect 2 "ONNX that is cut off" run "$out/onnx/cut.onnx"
  has stderr "cut.onnx: byte 17 of 100: " "ONNX that is cut off"
  has stderr "is not an ONNX model, or ends early" "ONNX that is cut off"
  test_onnx_values
  expect 2 "float64 in ONNX" run "$out/onnx/double.onnx"
  expect 0 "float64 in ONNX as float32" graph "$out/onnx/double.onnx" --float64-as-float32
}

all="test_operators test_stablehlo test_onnx test_trace test_trace_page test_limits test_blocks test_exercise test_small
  test_orders
  test_tolerances test_formats test_given test_fast test_vectors test_arithmetic test_all_planted
  test_cancelling_network test_float32_sums test_cancelling_operators test_uncancelled test_malformed
  test_unsigned_longs test_true_by_default test_long_lists test_truncated test_text test_spellings test_dynamic test_inputs
  test_npy test_weights test_malformed_text test_truncated_text test_text_vectors test_output_names
  test_repeated test_byte_order_marks"
if build; then
  for name in ${*:-$all}; do
    $name
  done
else
  wrong "webnn-oracle does not build"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
