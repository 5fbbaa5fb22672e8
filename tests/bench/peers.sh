#!/bin/sh
# Installs the libraries that the benchmark compares with, each for itself: what cannot be had is said
# and left out.
cd "$(dirname "$0")" || exit 1
out=${OUT:-../build/bench}
mkdir -p "$out"

if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null 2>&1
  for package in libopenblas-dev libblis-dev libdnnl-dev libxnnpack-dev libpthreadpool-dev; do
    apt-get install -y -qq --no-install-recommends $package >/dev/null 2>&1 &&
      echo "installed: $package" || echo "not installed: $package"
  done
else
  echo "not installed: the Debian packages, which need root"
fi

# Its scripts would fetch what only graphics cards need.
if command -v npm >/dev/null 2>&1; then
  npm install --ignore-scripts --no-audit --no-fund --silent --prefix "$out" onnxruntime-node@1.30.0 &&
    echo "installed: onnxruntime-node" || echo "not installed: onnxruntime-node"
else
  echo "not installed: onnxruntime-node, which needs npm"
fi
