#!/bin/sh
# Random models of every operator that webnn_onnx.h reads, here and in ONNX Runtime.
#
#   sh onnx_judge.sh FOLDER [SEED [COUNT [OPTION...]]]
#
# COUNT models of each family that networks/onnx_judge.py knows (8), of SEED (1); options are those of
# networks/files/onnx_judge.c: with -d the sizes of inputs are names in the models. $ONLY names families instead of all, and $NUMBER one model of them, as the
# command does that a failing model prints. Needs build/onnx.o and build/webnn.o, python3 with onnx and numpy (or
# $PYTHON), node, and the package onnxruntime-node, which scripts/onnx_judge.js looks for.
cd "$(dirname "$0")/.." || exit 1
folder=$1 seed=${2:-1} count=${3:-8}
shift $(($# < 3 ? $# : 3))

skip() {
  echo "onnx_judge: skipped: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}

if command -v node >/dev/null; then
  node scripts/onnx_judge.js --self-test || exit 1
fi

. scripts/python.sh
find_python "numpy, onnx"
[ -n "$python" ] || skip "no python3 with onnx and numpy (Debian: python3-onnx)"
command -v node >/dev/null || skip "no node"

case " $* " in
*" -d "*) dynamic=--dynamic ;;
*) dynamic= ;;
esac
mkdir -p "$folder" || exit 1
${CC:-cc} -std=c99 ${CFLAGS:--O1} -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I.. -I../examples/headers \
  networks/files/onnx_judge.c build/onnx.o build/webnn.o -o "$folder/onnx_judge" -pthread -lm || exit 1
"$python" networks/onnx_judge.py "$folder" --seed "$seed" --count "$count" ${ONLY:+--only "$ONLY"} \
  ${NUMBER:+--number "$NUMBER"} $dynamic || exit 1
"$folder/onnx_judge" "$@" "$folder"
node scripts/onnx_judge.js "$folder"
