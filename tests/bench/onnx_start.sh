#!/bin/sh
# Writes the networks of ../networks/networks.py, and measures them with onnx_start:
#
#   sh onnx_start.sh [--rounds N] [--threads N]
#
# ONLY="bert gpt2" takes these only; WEIGHTS=inside has the weights in the models, not in files beside
# them; SIZE=small is for checks.
cd "$(dirname "$0")" || exit 1
out=${OUT:-../build/bench}
networks=$out/networks
export WEBNN_BENCH="$out" PYTHONDONTWRITEBYTECODE=1

. ../scripts/python.sh
find_python "numpy, onnx"
if [ -z "$python" ]; then
  echo "not measured: no Python with the packages onnx and numpy (Debian: python3-onnx; or set PYTHON)"
  exit 1
fi
names=${ONLY:-$("$python" ../networks/networks.py --list)}
external=--external
[ "$WEIGHTS" = inside ] && external=
rm -rf "$networks"
"$python" ../networks/networks.py --size "${SIZE:-full}" $external --only "$(echo $names | tr ' ' ,)" "$networks" &&
  "$out/onnx_start" "$@" "$networks" $names
status=$?
rm -rf "$networks"
exit $status
