# What the tests of a command share: they set $out, a folder, and $tool, the command, and count in $passed,
# $failed and $skipped. With FIRST=yes they end at the first failure.

right() {
  passed=$((passed + 1))
}

wrong() { # what was expected and what came
  failed=$((failed + 1))
  echo "$1"
  [ "${FIRST:-}" != yes ] || exit 1
}

# Runs the command with its arguments; expects an exit status. Leaves $out/stdout and $out/stderr.
expect() { # status, title, arguments
  status=$1 title=$2
  shift 2
  "$tool" "$@" >"$out/stdout" 2>"$out/stderr" </dev/null
  came=$?
  if [ $came -eq "$status" ]; then
    right
  else
    wrong "$title: expected exit status $status, got $came: $(head -n 1 "$out/stderr")"
  fi
}

has() { # file in $out, text, title
  if grep -qF -- "$2" "$out/$1"; then right; else wrong "$3: no \"$2\" in: $(head -c 300 "$out/$1")"; fi
}

lacks() { # file in $out, text, title
  if grep -qF -- "$2" "$out/$1"; then wrong "$3: has \"$2\""; else right; fi
}
