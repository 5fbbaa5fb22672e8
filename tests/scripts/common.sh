# What the scripts share; they run in tests/. The folders of headers and sources beside webnn.h, and every
# instruction set that the target can have; and where the source of a test program is.
includes="-I.. -Icommon -Ireference -Ifast -Ifuzz -Iinterface -DWEBNN_INSTRUCTION_SETS=63"
source_of() { # file name
  for folder in interface reference fast fuzz .; do
    if [ -f "$folder/$1" ]; then
      echo "$folder/$1"
      return
    fi
  done
}
