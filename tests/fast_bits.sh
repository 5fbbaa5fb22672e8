#!/bin/sh
# Do the fast kernels of an instruction set give the same bits however they are compiled? fast_digest.c
# is built with both compilers, as C and as C++, with several levels of optimization and with flags
# that let the compiler fuse multiply-adds, and must print the same lines each time. (Not with clang's
# -ffp-contract=fast, which fuses whatever the pragmas of the source say.) Two builds at a time.
cd "$(dirname "$0")" || exit 1
out=build/fast_bits
rm -rf $out
mkdir -p $out

# name; compiler; flags. The first is what the others are compared with.
table() {
  cat <<T
gcc -std=c99 -O2;gcc;-std=c99 -O2
clang -std=c99 -O2;clang;-std=c99 -O2
gcc -std=gnu17 -O3;gcc;-std=gnu17 -O3
clang -std=gnu17 -O3;clang;-std=gnu17 -O3
gcc -std=c99 -O1;gcc;-std=c99 -O1
clang -std=c99 -O1;clang;-std=c99 -O1
g++ -std=c++17 -O2;g++;-x c++ -std=c++17 -O2
clang++ -std=c++17 -O2;clang++;-x c++ -std=c++17 -O2
gcc -O2 -march=native -ffp-contract=fast;gcc;-std=gnu17 -O2 -march=native -ffp-contract=fast
clang -O2 -march=native -ffp-contract=on;clang;-std=gnu17 -O2 -march=native -ffp-contract=on
T
}

one() { # number, name, compiler, flags: leaves the program's lines in $out/number
  if ! command -v "$3" >/dev/null 2>&1; then
    echo "$2: skipped: no $3" >"$out/$1.skipped"
  elif ! $3 $4 fast_digest.c -o "$out/$1.program" -pthread -lm >"$out/$1.log" 2>&1; then
    { echo "$2: does not build"; head -n 20 "$out/$1.log"; } >"$out/$1.failed"
  elif ! "$out/$1.program" >"$out/$1" 2>&1 </dev/null; then
    { echo "$2: fails"; head -n 20 "$out/$1"; } >"$out/$1.failed"
  fi
}

half() { # the rows whose number is odd (1) or even (0)
  table | awk "NR % 2 == $1 { print NR \";\" \$0 }" | while IFS=';' read -r number name compiler flags; do
    one "$number" "$name" "$compiler" "$flags"
  done
}
half 1 &
half 0
wait

passed=0 failed=0 skipped=0 number=0 first=
while IFS=';' read -r name compiler flags; do
  number=$((number + 1))
  if [ -f $out/$number.skipped ]; then
    skipped=$((skipped + 1))
    cat $out/$number.skipped
  elif [ -f $out/$number.failed ]; then
    failed=$((failed + 1))
    cat $out/$number.failed
  elif [ -z "$first" ]; then
    first=$number
    echo "$name:"
    sed 's/^/  /' $out/$number
  elif cmp -s $out/$first $out/$number; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$name: other bits:"
    diff $out/$first $out/$number | sed -n 's/^> /  /p'
  fi
done <<T
$(table)
T
[ $passed -gt 0 ] || { failed=$((failed + 1)); echo "no two builds to compare"; }
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
