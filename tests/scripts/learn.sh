#!/bin/sh
# The live page of examples/web/learn: made from docs/operators.md, looked at by node, and used in a headless Chromium.
# LEARN_FLAGS are those of the module (-Os). Needs clang and wasm-ld for wasm32 (see examples/Makefile), node, and of
# npm playwright-core in $WEB_PACKAGES. $CHROMIUM is the browser. Pictures of the page: build/learn.
cd "$(dirname "$0")/.." || exit 1
packages=${WEB_PACKAGES:-$HOME/.cache/webnn-web}
folder=../examples/build/learn
passed=0 failed=0 skipped=0

skip() { # what, why
  skipped=$((skipped + 1))
  echo "$1: skipped: $2"
}
run() { # title, command: adds the numbers of the last line
  title=$1
  shift
  "$@" >build/learn.log 2>&1 </dev/null
  status=$?
  counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' build/learn.log | tail -n 1)
  grep -v '^[0-9]* passed, ' build/learn.log | head -n 40
  [ "$counts" ] || echo "$title: stopped with status $status"
  set -- ${counts:-0 1}
  passed=$((passed + $1)) failed=$((failed + $2))
}
end() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}

mkdir -p build/learn
if ! command -v node >/dev/null 2>&1; then
  skip "the live page" "no node"
  end
fi
if ! command -v "${WEB_LD:-wasm-ld}" >/dev/null 2>&1 || [ ! -d /usr/lib/wasm32-wasi ]; then
  skip "the live page" "no wasm-ld or no wasi-libc"
  end
fi
if ! ${MAKE:-make} -s -C ../examples learn ${LEARN_FLAGS:+LEARN_FLAGS="$LEARN_FLAGS"} >build/learn.log 2>&1; then
  cat build/learn.log
  failed=1
  end
fi
run "the page" node web/learn.mjs $folder ../docs/operators.md reference/exercise_lines.txt build/webnn
if [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  skip "the page in a browser" "no Chromium"
elif [ ! -d "$packages/node_modules/playwright-core" ]; then
  skip "the page in a browser" "no playwright-core in $packages"
else
  run "the page in a browser" node web/learn_chromium.mjs $folder "$packages" build/learn
fi
end
