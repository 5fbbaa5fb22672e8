"""Writes what changed between two builds of webnn.h as tables of docs/performance.md.

usage: before.py OLD.json ... -- NEW.json ...

Of each case the fastest of all runs counts. Ratios are the old time divided by the new one: more than 1
is faster now.
"""
import collections
import json
import math
import sys

from table import number, row

SLOWER = 0.95


def fastest(paths):
    """Milliseconds of each (group, case, threads)."""
    best = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in json.load(file)["cases"]:
                ms = line["ms"].get("ours")
                key = line["group"], line["case"], line["threads"]
                if ms:
                    best[key] = min(ms, best.get(key, ms))
    return best


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    middle = sys.argv.index("--")
    old, new = fastest(sys.argv[1:middle]), fastest(sys.argv[middle + 1:])
    groups = collections.defaultdict(list)
    for key in sorted(old.keys() & new.keys()):
        groups[key[0], key[2]].append((old[key] / new[key], key))
    print(row("group", "threads", "cases", "mean", "least", "most"))
    print(row(*["---"] * 6))
    for (group, threads), found in groups.items():
        ratios = [ratio for ratio, _ in found]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(row(group, str(threads), str(len(ratios)), f"{mean:.3f}", f"{min(ratios):.2f}",
                  f"{max(ratios):.2f}"))
    slower = sorted(pair for found in groups.values() for pair in found if pair[0] < SLOWER)
    if slower:
        print()
        print(row("more than 5 % slower", "threads", "before, ms", "now, ms", "ratio"))
        print(row(*["---"] * 5))
    for ratio, key in slower:
        print(row(key[1], str(key[2]), number(old[key]), number(new[key]), f"{ratio:.2f}"))


if __name__ == "__main__":
    main()
