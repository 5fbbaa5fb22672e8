#!/bin/sh
# For each text NAME.comp of a kernel: is the module beside it, NAME.spv, valid, and does glslang take the text?
# What glslang makes of it goes to the folder that is named first. Prints the texts of which one is not so.
theirs=$1
shift
for text in "$@"; do
  name=$(basename "$text" .comp)
  message=$(spirv-val --target-env vulkan1.1 "${text%.comp}.spv" 2>&1 &&
    glslangValidator -V --target-env vulkan1.1 -S comp "$text" -o "$theirs/$name.spv" 2>&1) ||
    printf '%s\n%s\n' "$text" "$message"
done
