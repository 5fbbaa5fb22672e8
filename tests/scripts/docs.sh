#!/bin/sh
# Extracts the complete programs of the documentation and compiles and runs each, all warnings being errors: as C99 at
# -O1, with the library of the other programs (build/webnn.o), and as C++17 without optimization under the address and
# undefined-behaviour sanitizers, which also find what is not freed, with a library that is compiled as C++ for this,
# but not under sanitizers, as sanitize.sh has it; where a program is for one language only, in that. For this their
# line "#define WEBNN_IMPLEMENTATION" is left out. One program is compiled whole, as the pages say. Then webnn computes
# the examples of the pages and of webnn.h's comments, and the loops in plain C of the pages are run on the same
# numbers.
# docs.sh PAGE ...: of these pages the programs as C99, and what they show.
cd "$(dirname "$0")/.." || exit 1
out=build/docs
passed=0 failed=0 skipped=0 given=$#
cc=${CC:-cc} cxx=${CXX:-c++}
warnings='-Wall -Wextra -Werror'
sanitizers='-O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all'
mkdir -p $out
rm -rf $out/*.c $out/*.cpp $out/*.program $out/*.linked

right() { passed=$((passed + 1)); }
wrong() { # what
  failed=$((failed + 1))
  echo "$1:"
  cat $out/log
}
skip() { # what
  skipped=$((skipped + 1))
  echo "skipped: $1"
}

# Can a compiler make and run a program with these options?
can() { # language, compiler and options
  language=$1
  shift
  echo 'int main(void) { return 0; }' >$out/empty
  "$@" -x "$language" $out/empty -o $out/empty.program >/dev/null 2>&1 && $out/empty.program >/dev/null 2>&1
}

# Compiles the library, unless that has been done by this command since webnn.h was changed, with scalar
# kernels only, which takes a third of the time; programs find their mistakes with these, too.
library() { # name, language, compiler and options
  object=$out/$1.o language=$2
  shift 2
  can "$language" "$@" || return
  if [ ! "$object" -nt ../webnn.h ] || [ "$(cat "$object.command" 2>/dev/null)" != "$*" ]; then
    rm -f "$object"
    if "$@" -c -x "$language" -DWEBNN_IMPLEMENTATION -DWEBNN_NO_SIMD ../webnn.h -o "$object" -pthread \
      >$out/log 2>&1; then
      echo "$*" >"$object.command"
    else
      wrong "the library with $*"
    fi
  fi
}

# Compiles a program, links the library (or nothing) and runs the result in build/docs.
try() { # source, library, language, compiler and options
  source=$1 object=$2 language=$3
  shift 3
  program=$out/$(basename "$source").program
  rm -f "$program"
  if "$@" -I.. -I../examples/headers -x "$language" "$source" -x none ${object:+"$object"} -o "$program" -pthread >$out/log 2>&1 &&
    (cd $out && "./$(basename "$program")" >log 2>&1); then
    right
  else
    wrong "$(basename "$source") with $*"
  fi
}

# All programs with these endings, with that library.
way() { # library, language, endings, compiler and options
  object=$1 language=$2 endings=$3
  shift 3
  if [ ! -f "$object" ] || ! can "$language" "$@"; then
    skip "programs with $*"
    return
  fi
  for source in $out/*.linked; do
    ending=$(basename "$source" .linked | sed 's/^[^.]*[.]//')
    case " $endings " in
    *" $ending "*) try "$source" "$object" "$language" "$@" $warnings ;;
    esac
  done
}

# The model that a program of the guide reads, from the JSON beside it.
awk '/^```json/ { inside = 1; text = ""; next } /^```/ { if (inside && text ~ /^{"name": "model"/) printf "%s", text; inside = 0 }
  inside { text = text $0 "\n" }' ../docs/guide.md >$out/model.json
if build/webnn convert $out/model.json --out $out/model.onnx >$out/log 2>&1; then
  right
else
  wrong "the guide's model"
fi
if [ $given -gt 0 ]; then # docs_check misses what other pages have
  build/docs_check --programs $out "$@" >$out/check.log 2>&1
else
  build/docs_check --programs $out >$out/check.log 2>&1 || { cat $out/check.log; failed=1; }
fi
for source in $out/*.c $out/*.cpp; do
  [ -f "$source" ] && sed 's/^#define WEBNN_IMPLEMENTATION.*//' "$source" >"$source.linked"
done
way build/webnn.o c "c only.c" $cc -std=c99 -O1

# What is of no page alone.
beside_pages() {
  library cpp c++ $cxx -std=c++17 -O0
  way $out/cpp.o c++ "c 17.cpp" $cxx -std=c++17 $sanitizers
  way $out/cpp.o c++ "20.cpp" $cxx -std=c++20 $sanitizers

  # The program at the top of webnn.h prints numbers, or a message.
  case $($out/header_1.c.linked.program 2>&1) in
  "" | *[a-zA-Z]*) $out/header_1.c.linked.program >$out/log 2>&1; wrong "the program at the top of webnn.h" ;;
  *) right ;;
  esac

  # One whole, beside webnn.h: `cc -O2 app.c`, and -pthread where that does not do, without the optimization, which takes
  # most of the time and changes nothing here.
  mkdir -p $out/whole
  cp ../webnn.h $out/whole
  cp $out/README_1.c $out/whole/app.c
  if (cd $out/whole && { $cc -O0 app.c || $cc -O0 app.c -pthread; } && ./a.out) >$out/log 2>&1; then
    right
  else
    wrong "README's program, with $cc app.c"
  fi
  # The chapters of webnn.h call what they say.
  if ! command -v python3 >/dev/null 2>&1; then
    skip "what chapters call: no python3"
  elif python3 scripts/chapters.py ../webnn.h >$out/log 2>&1; then
    right
  else
    wrong "chapters.py"
  fi
}
[ $given -gt 0 ] || beside_pages

# The examples: each is one that passed or failed.
examples() { # page
  loops=$out/loops_$(basename "$1" .md).c
  $out/command/webnn examples "$1" --out "$loops" >$out/log 2>$out/messages
  came=$(sed -n 's/.*: \([0-9]*\) examples right, \([0-9]*\) wrong, \([0-9]*\) loops in plain C$/\1 \2 \3/p' $out/log)
  grep -q ': there are no examples$' $out/messages && came="0 0 0" || cat $out/messages
  set -- "$1" ${came:-0 1 0}
  passed=$((passed + $2)) failed=$((failed + $3)) in_pages=$((in_pages + $2))
  [ "$4" -eq 0 ] && return
  if $cc -std=c99 -Wall -Wextra -Wno-unused -Wno-missing-braces -Werror $loops_options "$loops" -o "$loops.program" -lm \
    >$out/log 2>&1; then
    "$loops.program" >$out/log 2>&1
    grep -v ' skipped$' $out/log
    came=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' $out/log)
    set -- ${came:-0 1}
    passed=$((passed + $1)) failed=$((failed + $2))
  else
    wrong "the loops in plain C of $1"
  fi
}

# What a page shows of a program, in blocks that begin with "$ ./app" behind it: is that what it prints?
printed() { # page
  stem=$(basename "$1" .md)
  awk -v out="$out/printed_$stem" '
    /^```/ { inside = 0; if (name != "") close(name); next }
    /^\/[*] complete program/ { programs++ }
    /^\$ [.]\/app$/ { inside = 1; name = out "_" programs; printf "" > name; next }
    inside { print > name }' "$1"
  for expected in "$out/printed_$stem"_*; do
    [ -f "$expected" ] || continue
    came=0
    for program in "$out/${expected##*printed_}".*.linked.program; do
      [ -x "$program" ] || continue
      came=1
      (cd $out && "./$(basename "$program")") >$out/came 2>&1
      if cmp -s $out/came "$expected"; then
        right
      else
        diff "$expected" $out/came >$out/log
        wrong "$1: what $(basename "$program") prints"
      fi
    done
    [ $came -eq 1 ] || { echo "no program was made" >$out/log; wrong "$1: $(basename "$expected")"; }
    rm -f "$expected"
  done
}

# What a page shows of the command, in blocks that begin with "$ webnn trace" or "$ webnn exercise": is that what it prints?
shown() { # page
  awk -v out="$out/shown" '
    /^```/ { inside = 0; if (count > 0) close(out count); next }
    /^\$ webnn (trace|exercise) / { count++; inside = 1; print substr($0, 9) > (out count ".arguments"); close(out count ".arguments"); printf "" > (out count); next }
    inside { print > (out count) }' "$1"
  for arguments in $out/shown*.arguments; do
    [ -f "$arguments" ] || continue
    (cd .. && eval "tests/$out/command/webnn $(cat "tests/$arguments")") >$out/printed 2>&1
    if cmp -s $out/printed "${arguments%.arguments}"; then
      right
    else
      { cat "$arguments"; diff "${arguments%.arguments}" $out/printed; } >$out/log
      wrong "$1: what webnn $(cut -d" " -f1 "$arguments") prints"
    fi
    rm -f "$arguments" "${arguments%.arguments}"
  done
}

mkdir -p $out/command
ln -f build/webnn $out/command/webnn
ln -sf ../../../../docs/operators.md $out/command/operators.md # the page that it reads
in_pages=0 loops_options=
can c $cc $sanitizers && loops_options=$sanitizers
if [ -x $out/command/webnn ]; then
  [ $given -gt 0 ] || set -- ../README.md ../docs/*.md ../webnn.h
  for page; do
    examples "$page"
    shown "$page"
    printed "$page"
  done
  [ $given -gt 0 ] || [ $in_pages -gt 0 ] || { echo "no example was computed"; failed=$((failed + 1)); }
else
  echo "it was not built" >$out/log
  wrong "webnn"
fi
# The pictures, as their program draws them anew.
pictures() {
  sh scripts/pictures.sh >$out/log 2>&1
  grep -v '^[0-9]* passed' $out/log
  set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' $out/log)
  passed=$((passed + ${1:-0})) failed=$((failed + ${2:-1}))
  for picture in ../docs/pictures/*.svg; do
    if grep -qF "(pictures/$(basename "$picture"))" ../docs/*.md; then
      right
    else
      echo "docs/pictures/$(basename "$picture") is on no page" >$out/log
      wrong "pictures"
    fi
  done
}
[ $given -gt 0 ] || pictures
[ $passed -gt 0 ] || { echo "no complete program was run"; failed=$((failed + 1)); }
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
