# A Python that has these modules, "numpy, onnx", in $python, or nothing: $PYTHON, the one on the path, or the
# system's, which has the packages of the system.
find_python() { # modules
  for python in ${PYTHON:-python3 /usr/bin/python3}; do
    "$python" -c "import $1" >/dev/null 2>&1 && return
  done
  python=
}
