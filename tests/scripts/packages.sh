#!/bin/sh
# Builds examples/cmake and examples/meson as a project would get them, in build/packages, and runs a small program
# with each: fetched by CMake, installed and found by CMake and by pkg-config, as a wrap of Meson, and from the archive
# of a release. The scalar reference kernels are enough, which take seconds to compile.
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
CC=${CC:-cc}
export CC
top=$(cd .. && pwd)
rm -rf build/packages
mkdir -p build/packages
out=$(cd build/packages && pwd)
log=$out/log
small="-DWEBNN_NO_FAST_KERNELS"

check() { # what, and a command
  what=$1
  shift
  if "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "packages: $what"
    tail -n 30 "$log"
  fi
}

skip() {
  skipped=$((skipped + 1))
  echo "packages: $1: skipped: $2"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Is the consumer's line the version and the result?
runs() { # program
  [ "$("$1")" = "$version: 1 0 3 0" ]
}

number() { sed -n "s/^#define WEBNN_VERSION_$1 //p" ../webnn.h; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)

# One version and one licence in all places.
check "the opening of webnn.h has another version" grep -q "^/\* webnn.h - v${version%.*} - " ../webnn.h
check "README has another version" grep -q "^Version $version " ../README.md
check "meson.build has another version" grep -q "version: '$version'" ../examples/meson/packagefiles/webnn/meson.build
check "CHANGELOG has no date for version ${version%.*}" \
  grep -Eq "^## ${version%.*} \([0-9]{4}-[0-9]{2}-[0-9]{2}\)$" ../docs/CHANGELOG.md
for header in ../webnn.h ../webnn_vulkan.h ../examples/headers/*.h; do
  check "$header has no SPDX line" sh -c 'sed -n 2p "$1" | grep -qx "   SPDX-License-Identifier: MIT-0"' - "$header"
done
for header in ../webnn.h ../webnn_vulkan.h; do
  sed -n '/^\/\* MIT No Attribution$/,$p' "$header" | sed 's|^/\* ||; s|^   ||; s| \*/$||' >"$out/licence"
  check "the licence at the end of $header is not LICENSE" diff ../LICENSE "$out/licence"
done

# What is fetched: a repository of the files as they are now.
fresh_repository() {
  mkdir -p "$out/source/examples" && cp ../webnn.h ../webnn_vulkan.h ../LICENSE "$out/source" &&
    cp -r ../examples/headers ../examples/cmake "$out/source/examples" && cd "$out/source" && git init -q . &&
    git add . && git -c user.name=webnn -c user.email=webnn@localhost commit -qm "as it is"
}
commit=none
if has git && (fresh_repository) >"$log" 2>&1; then
  commit=$(git -C "$out/source" rev-parse HEAD)
fi

# The last optimization level of library.c in a folder built by CMake or Meson, without what it writes to.
command_of_library() { # folder
  python3 - "$1/compile_commands.json" <<'PY'
import json, shlex, sys
for entry in json.load(open(sys.argv[1])):
    if entry["file"].endswith("library.c"):
        words = shlex.split(entry["command"])
        end = min(words.index(word) for word in ("-o", "-MD") if word in words)
        print(entry["directory"])
        print(" ".join(words[:end]))
PY
}
is_optimized() { # folder
  [ "$(command_of_library "$1" | grep -o ' -O[^ ]*' | tail -n 1)" = " -O2" ]
}
# All companions are read by the compiler, not compiled.
reads_companions() { # folder
  command_of_library "$1" | { read -r folder && read -r command && cd "$folder" &&
    $command -fsyntax-only "$top/examples/cmake/library.c"; }
}

by_cmake() {
  configure="cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_C_FLAGS=$small"
  check "FetchContent does not configure" $configure -S packages/fetched -B "$out/fetched" -DCMAKE_BUILD_TYPE=Debug \
    -DADDRESS="file://$out/source" -DCOMMIT="$commit" -DWEBNN_WEIGHTS=ON -DWEBNN_INSTALL=ON -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_INSTALL_PREFIX="$out/root" -DCMAKE_INSTALL_LIBDIR=lib
  check "FetchContent does not build" cmake --build "$out/fetched"
  check "the program of FetchContent is wrong" runs "$out/fetched/consumer"
  check "a debug build is not -O2" is_optimized "$out/fetched"
  check "a release build does not configure" $configure -S ../examples/cmake -B "$out/release" -DWEBNN_ONNX=ON \
    -DCMAKE_BUILD_TYPE=Release -DWEBNN_ONNX_WRITE=ON -DWEBNN_STABLEHLO=ON -DWEBNN_WEIGHTS=ON
  check "a release build is not -O2" is_optimized "$out/release"
  check "the companions are not read" reads_companions "$out/release"
  if echo '#include <vulkan/vulkan.h>' | $CC -E - >/dev/null 2>&1; then
    check "Vulkan does not configure" $configure -S ../examples/cmake -B "$out/vulkan" -DWEBNN_VULKAN=ON
    check "Vulkan is not read" reads_companions "$out/vulkan"
  else
    skip "Vulkan" "no headers (Debian: libvulkan-dev)"
  fi
  check "nothing is installed" cmake --install "$out/fetched"
  check "find_package does not configure" cmake -S packages/installed -B "$out/installed" -DCMAKE_PREFIX_PATH="$out/root"
  check "what find_package has found does not build" cmake --build "$out/installed"
  check "the program of find_package is wrong" runs "$out/installed/consumer"
  check "another minor version is found" refuses_version
  if has pkg-config; then
    PKG_CONFIG_PATH=$out/root/lib/pkgconfig
    export PKG_CONFIG_PATH
    check "pkg-config has another version" [ "$(pkg-config --modversion webnn)" = "$version" ]
    check "what pkg-config says does not build" $CC packages/consumer.c $(pkg-config --cflags --libs webnn) \
      -Wl,-rpath,"$out/root/lib" -o "$out/by_pkg_config"
    check "the program of pkg-config is wrong" runs "$out/by_pkg_config"
    unset PKG_CONFIG_PATH
  else
    skip "pkg-config" "it is not installed"
  fi
}

refuses_version() {
  mkdir -p "$out/newer" && sed 's/webnn 0.2/webnn 0.3/' packages/installed/CMakeLists.txt >"$out/newer/CMakeLists.txt" &&
    ! cmake -S "$out/newer" -B "$out/newer/build" -DCMAKE_PREFIX_PATH="$out/root"
}

by_meson() {
  project=$out/meson
  mkdir -p "$project/subprojects"
  cp packages/meson/meson.build packages/consumer.c "$project"
  cp -r ../examples/meson/packagefiles "$project/subprojects"
  sed "s|ADDRESS|file://$out/source|; s|COMMIT|$commit|; /^depth/d" ../examples/meson/webnn.wrap \
    >"$project/subprojects/webnn.wrap"
  configure="meson setup -Dc_args=$small"
  check "the wrap does not configure" $configure "$project/release" "$project" --buildtype=release \
    -Dwebnn:companions=onnx,onnx_write,stablehlo,weights
  check "a release build of Meson is not -O2" is_optimized "$project/release"
  check "the companions of Meson are not read" reads_companions "$project/release"
  check "the wrap does not configure" $configure "$project/build" "$project" --buildtype=debug \
    -Dwebnn:companions=weights
  check "a debug build of Meson is not -O2" is_optimized "$project/build"
  check "the wrap does not build" meson compile -C "$project/build"
  check "the program of the wrap is wrong" runs "$project/build/consumer"
}

# The archive has the headers and builds with nothing but a compiler.
by_archive() {
  check "there is no archive" sh scripts/release.sh "$out/release-1"
  check "there is no archive" sh scripts/release.sh "$out/release-2"
  archive=webnn-$version.tar.gz
  check "two archives differ" cmp "$out/release-1/$archive" "$out/release-2/$archive"
  check "the archive does not unpack" tar xzf "$out/release-1/$archive" -C "$out"
  for file in LICENSE CHANGELOG.md webnn.h webnn_vulkan.h $(cd ../examples/headers && echo *.h); do
    check "the archive lacks $file" [ -s "$out/webnn-$version/$file" ]
  done
  check "the archive's headers do not build" $CC -std=c99 -O1 $small -DWEBNN_WEIGHTS_IMPLEMENTATION -I"$out/webnn-$version" \
    -c "$top/examples/cmake/library.c" -o "$out/by_archive.o"
  check "the archive's program does not build" $CC -std=c99 -I"$out/webnn-$version" packages/consumer.c "$out/by_archive.o" \
    -o "$out/by_archive" -pthread
  check "the program of the archive is wrong" runs "$out/by_archive"
}

by_archive
if ! has python3; then
  skip "CMake and Meson" "no python3, which reads what they compile"
elif [ "$commit" = none ]; then
  skip "CMake and Meson" "no git, from which they fetch"
else
  if has cmake; then by_cmake; else skip "CMake, pkg-config" "no cmake"; fi
  if has meson && has ninja; then by_meson; else skip "Meson" "no meson, or no ninja (Debian: ninja-build)"; fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
