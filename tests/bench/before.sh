#!/bin/sh
# Single operators of another commit's webnn.h beside this one's:
#
#   before.sh COMMIT [OPTION...]     such as --threads 1 --case conv
#
# Both benchmarks run in turn, ROUNDS (4) times; of each case the fastest of all runs counts. Writes a
# table of the groups of cases, and the cases that became more than 5 % slower.
cd "$(dirname "$0")" || exit 1
[ $# -ge 1 ] || { sed -n '4p' "$0" && exit 2; }
commit=$1
shift
out=${OUT:-../build/bench}/before
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 1
rm -rf "$out/tree" "$out"/*.json
mkdir "$out/tree" && git -C ../.. archive "$commit" | tar -x -C "$out/tree" || exit 1
make -s -C "$out/tree/tests/bench" NO_PEERS=1 OUT="$out/old" "$out/old/bench" &&
  make -s NO_PEERS=1 OUT="$out/new" "$out/new/bench" || exit 1
for round in $(seq 1 "${ROUNDS:-4}"); do
  for side in old new; do
    # a process of its own, as its working directory has the weights of cases
    (cd "$out/$side" && ./bench --peers ours --fastest --quick --json "$out/$side-$round.json" "$@" \
      >"$out/log" 2>&1) || { cat "$out/log" && exit 1; }
  done
done
python3 before.py "$out"/old-*.json -- "$out"/new-*.json
