#!/bin/sh
# Makes the archive of a release, FOLDER/webnn-VERSION.tar.gz: the headers in one folder, the licence, and what has
# changed. The same files make the same archive, byte by byte. Prints its SHA-256.
#
#     release.sh FOLDER
set -e
[ $# -eq 1 ] || { sed -n '5s/^#  *//p' "$0"; exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd)
number() { sed -n "s/^#define WEBNN_VERSION_$1 //p" "$top/webnn.h"; }
name=webnn-$(number MAJOR).$(number MINOR).$(number PATCH)
mkdir -p "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/$name"
cp "$top/LICENSE" "$top/docs/CHANGELOG.md" "$top/webnn.h" "$top/webnn_vulkan.h" "$top"/examples/headers/*.h \
  "$folder/$name"
chmod 644 "$folder/$name"/*
date=$(sed -n 's/^## .*(\([0-9-]*\))$/\1/p' "$top/docs/CHANGELOG.md" | head -n 1)
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=go-w --mtime="$date 00:00Z" --format=ustar \
  -C "$folder" -cf - "$name" | gzip -9n >"$1/$name.tar.gz"
sha256sum "$1/$name.tar.gz"
