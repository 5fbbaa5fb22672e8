#!/bin/sh
# The networks of networks/networks.py in ONNX Runtime and by the command webnn:
#
#   sh onnx_networks.sh small WEBNN FOLDER     all in seconds, with the weights in the model and in a file beside; each
#                                              at five sizes of its inputs, too (networks/onnx_sizes.c), which
#                                              ONNX Runtime has as dynamic axes
#   sh onnx_networks.sh full WEBNN FOLDER      the published sizes; each is deleted when it has been compared
#
# Needs a Python with the packages onnx and numpy (Debian: python3-onnx; or PYTHON=...), node, and the npm
# package onnxruntime-node (`make bench-peers`, or $ONNXRUNTIME_NODE). `full` also takes the models in
# $WEBNN_ONNX_LIGHT, ONNX's backend/test/data/light.
cd "$(dirname "$0")/.." || exit 1
size=$1 webnn=$2 folder=$3
passed=0 failed=0 skipped=0
: "${ONNXRUNTIME_NODE:=$(cd "${WEBNN_BENCH:-build/bench}/node_modules/onnxruntime-node" 2>/dev/null && pwd)}"
export ONNXRUNTIME_NODE PYTHONDONTWRITEBYTECODE=1

skip() {
  echo "networks: skipped: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}

. scripts/python.sh
find_python "numpy, onnx"
[ -n "$python" ] || skip "no Python with the packages onnx and numpy"
command -v node >/dev/null || skip "no node"
node -e 'require(process.env.ONNXRUNTIME_NODE || "onnxruntime-node")' 2>/dev/null ||
  skip "the npm package onnxruntime-node is not there"

mkdir -p "$folder" || exit 1
make_networks() { # arguments of networks.py
  if ! "$python" networks/networks.py --size "$size" "$@" "$folder" >"$folder/log" 2>&1; then
    echo "networks.py: $(tail -n 1 "$folder/log")"
    failed=$((failed + 1))
    return 1
  fi
}

compare() { # modes, or sizes
  node scripts/onnx_networks.js "$folder" "$webnn" $1 >"$folder/log" 2>&1
  set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, 0 skipped$/\1 \2/p' "$folder/log")
  grep -v ' passed, ' "$folder/log"
  if [ $# -eq 2 ]; then
    passed=$((passed + $1)) failed=$((failed + $2))
  else
    echo "onnx_networks.js: no closing line"
    failed=$((failed + 1))
  fi
}

# Sessions of webnn_onnx.h beside graphs that are built for each size, and beside ONNX Runtime.
other_sizes() {
  if ! ${MAKE:-make} -s build/networks/onnx_sizes >"$folder/log" 2>&1; then
    echo "onnx_sizes: does not build: $(grep -m 3 error "$folder/log")"
    failed=$((failed + 1))
    return
  fi
  build/networks/onnx_sizes "$folder" >"$folder/log" 2>&1
  set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$folder/log")
  grep -v ' passed, ' "$folder/log"
  if [ $# -eq 3 ]; then
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    compare sizes
  else
    echo "onnx_sizes: no closing line"
    failed=$((failed + 1))
  fi
}

if [ "$size" = small ]; then
  make_networks && compare fast,reference && other_sizes
  make_networks --external && compare fast
  rm -rf "$folder"
else
  for name in $("$python" networks/networks.py --list); do
    case $name in
    llama-*) modes=fast ;; # a reference context takes half an hour
    *) modes=fast,reference ;;
    esac
    make_networks --only "$name" && compare $modes
    rm -rf "$folder/$name"
  done
  # Debian leaves these out of its data; the package of PyPI, and ONNX's repository, have them.
  : "${WEBNN_ONNX_LIGHT:=$("$python" -c 'import onnx; print(onnx.__path__[0])')/backend/test/data/light}"
  if [ -d "$WEBNN_ONNX_LIGHT" ]; then
    make_networks --light "$WEBNN_ONNX_LIGHT" && compare fast
  else
    skipped=1
    echo "networks: skipped: ONNX's light models (WEBNN_ONNX_LIGHT=FOLDER)"
  fi
  rm -rf "$folder"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
