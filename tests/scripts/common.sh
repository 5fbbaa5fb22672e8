# What the scripts share; they run in tests/. The folders of headers and sources beside webnn.h, and where
# the source of a test program is.
includes="-I.. -Icommon -Ireference -Ifast -Ifuzz -Iinterface"
source_of() { # file name
  for folder in interface reference fast fuzz .; do
    if [ -f "$folder/$1" ]; then
      echo "$folder/$1"
      return
    fi
  done
}
