"""Writes the results of bench and models as Markdown tables, to the standard output.

usage: table.py RESULTS.json ...

Ratios are the fastest peer's time divided by webnn.h's: more than 1 is ahead.
"""
import json
import math
import sys


def number(value):
    """Three digits, without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}" if value >= 0.001 else f"{value:.6f}"


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def networks(rows):
    print("| network | threads | ours, ms | ONNX Runtime, ms | ratio | ours, MB | ONNX Runtime, MB |"
          " first result, ms | ONNX Runtime's |")
    print("| --- " * 9 + "|")
    for row in rows:
        ours, ort = row["ours"], row["ort"]
        print(f"| {row['network']} | {row['threads']} | {number(ours['ms'])} | {number(ort['ms'])} |"
              f" {ort['ms'] / ours['ms']:.2f} | {ours['peak_mb']:.0f} | {ort['peak_mb']:.0f} |"
              f" {number(ours['first_result_ms'])} | {number(ort['first_result_ms'])} |")
    for threads in sorted({row["threads"] for row in rows}):
        ratios = [row["ort"]["ms"] / row["ours"]["ms"] for row in rows if row["threads"] == threads]
        print(f"\nGeometric mean of the ratios with {threads} thread{'s' * (threads > 1)}:"
              f" {mean(ratios):.2f}.")


def cases(rows):
    """A table for each group, one line a case with both numbers of threads."""
    groups = {}
    for row in rows:
        if "ours" in row["ms"]:
            groups.setdefault(row["group"], {}).setdefault(row["case"], {})[row["threads"]] = row
    for group, by_case in groups.items():
        threads = sorted({t for rows_of in by_case.values() for t in rows_of})
        print(f"\n**{group}**\n")
        print("| case " + "".join(f"| ours, {t} thr., ms | of the limit | best peer, ms | ratio "
                                  for t in threads) + "|")
        print("| --- " * (1 + 4 * len(threads)) + "|")
        for case, rows_of in by_case.items():
            line = f"| {case} "
            for t in threads:
                row = rows_of.get(t)
                best = row and row["ms"].get(row["best"])
                if not row:
                    line += "| | | | "
                    continue
                ours = row["ms"]["ours"]
                line += f"| {number(ours)} | {100 * row['limit_ms'] / ours:.0f} % "
                line += (f"| {row['best']} {number(best)} | {best / ours:.2f} " if best
                         else "| | ")
            print(line + "|")


def main():
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            results = json.load(file)
        print(f"Machine: {results['machine']}.\n")
        if "networks" in results:
            networks(results["networks"])
        if "cases" in results:
            cases(results["cases"])


main()
