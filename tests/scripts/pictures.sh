#!/bin/sh
# The pictures of the pages: examples/pictures makes them anew from what the reference kernels were seen to do,
# and they are the same to the byte as docs/pictures has them. None is larger than 30 KB.
# sh pictures.sh write    writes docs/pictures
cd "$(dirname "$0")/.." || exit 1
source=../examples/pictures out=build/pictures
passed=0 failed=0
rm -rf $out && mkdir -p $out/svg ../docs/pictures || exit 1

right() { passed=$((passed + 1)); }
wrong() {
  failed=$((failed + 1))
  echo "$1"
}

# The objects of the command, without its main.
${MAKE:-make} -s build/webnn || exit 1
objects="$(ls build/command/*.o build/command/*/*.o | grep -v '/main\.o$') build/networks.o build/onnx.o build/onnx_write.o build/weights.o"
for file in $source/*.c; do
  ${CC:-cc} -std=c99 ${CFLAGS:--O1} -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I.. -c "$file" \
    -o "$out/$(basename "$file" .c).o" || exit 1
done
# shellcheck disable=SC2086
${CC:-cc} ${CFLAGS:--O1} $out/*.o $objects -o $out/pictures -pthread -lm || exit 1

if $out/pictures ../docs/operators.md $source/examples.json $out/svg; then right; else wrong "the pictures are not made"; fi
[ "$1" = write ] && rm -f ../docs/pictures/*.svg && cp $out/svg/*.svg ../docs/pictures
for picture in $out/svg/*.svg; do
  name=$(basename "$picture")
  if cmp -s "$picture" "../docs/pictures/$name"; then right; else wrong "docs/pictures/$name is another one"; fi
  size=$(wc -c <"$picture")
  if [ "$size" -le 30720 ]; then right; else wrong "$name has $size bytes"; fi
  if grep -Eq '(NaN|inf|nan)[", ]|<script|<image' "$picture"; then wrong "$name: not only shapes"; else right; fi
done
for picture in ../docs/pictures/*.svg; do
  [ -f "$out/svg/$(basename "$picture")" ] || wrong "$(basename "$picture"): nothing makes it"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
