#!/bin/sh
# Writes networks of ../networks/networks.py, and measures them with onnx_sizes, which has another size in each
# call: a sentence encoder, a decoder, and a network of pictures.
#
#   sh onnx_sizes.sh [--threads N] [--calls N] [--longest N]
#
# ONLY="bert" takes this one only; SIZE=small is for checks, with --longest 40 and --calls 60 at most.
cd "$(dirname "$0")" || exit 1
out=${OUT:-../build/bench}
networks=$out/sizes
: "${WEBNN_BENCH:=$out}"
export WEBNN_BENCH PYTHONDONTWRITEBYTECODE=1

. ../scripts/python.sh
find_python "numpy, onnx"
if [ -z "$python" ]; then
  echo "not measured: no Python with the packages onnx and numpy (Debian: python3-onnx; or set PYTHON)"
  exit 1
fi
names=${ONLY:-bert gpt2 unet-linear}
rm -rf "$networks"
"$python" ../networks/networks.py --size "${SIZE:-full}" --external --only "$(echo $names | tr ' ' ,)" "$networks" &&
  "$out/onnx_sizes" "$@" "$networks" $names
status=$?
rm -rf "$networks"
exit $status
