#!/bin/sh
# Runs the benchmark with all libraries held to an instruction set that is older than the processor: avx2, or sse2
# (held.c says how). held.sh SET [options of bench]. Linux and x86-64 only; needs binutils and the programs of peers.sh.
cd "$(dirname "$0")" || exit 1
set=$1
out=${OUT:-../build/bench}
shift
case $set in
avx2 | sse2) ;;
*)
  echo "held.sh SET [options of bench]: SET is avx2 or sse2"
  exit 1
  ;;
esac
folder=$(cd "$out" && pwd)/held
ort=${WEBNN_ONNXRUNTIME:-$(ls "$out"/node_modules/onnxruntime-node/bin/*/linux/x64/libonnxruntime.so.1 2>/dev/null | head -n 1)}
mkdir -p "$folder"
if [ ! -e "$folder/done" ]; then
  libraries=$(ldconfig -p | awk '$1 ~ /^lib(dnnl|XNNPACK|cpuinfo|openblas|blis)\.so\.[0-9]+$/ { print $NF }')
  # shellcheck disable=SC2086
  python3 held.py "$folder" $libraries $ort || exit 1
  touch "$folder/done"
fi
${CC:-cc} -std=c99 -O2 -shared -fPIC -Wl,-z,initfirst held.c -o "$folder/held.so" || exit 1
[ -e "$folder/libonnxruntime.so.1" ] && export WEBNN_ONNXRUNTIME="$folder/libonnxruntime.so.1"
WEBNN_HELD=$set LD_PRELOAD="$folder/held.so" LD_LIBRARY_PATH="$folder" WEBNN_BENCH="$out" \
  exec "$out/bench" --instructions "$set" "$@"
