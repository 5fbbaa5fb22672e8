"""Draws a bar chart (SVG, to the standard output) from the results of bench and models.

usage: chart.py RESULTS.json ...

A bar is the peer's time divided by webnn.h's on a logarithmic scale: to the right of the line
webnn.h is ahead. Where webnn.h was not run there is no bar.
"""
import json
import math
import sys
from xml.sax.saxutils import escape

LABELS, WIDTH, ROW, HEAD = 300, 900, 14, 50
COLOURS = {1: "#2b6cb0", 2: "#90cdf4"}


def bars(results):
    """(group, name, threads, ratio) of each row that has both times."""
    for row in results.get("networks", []):
        if "ours" in row and "ort" in row:
            yield "networks", row["network"], row["threads"], row["ort"]["ms"] / row["ours"]["ms"]
    for row in results.get("cases", []):
        ours, best = row["ms"].get("ours"), row["ms"].get(row["best"])
        if ours and best:
            yield row["group"], row["case"], row["threads"], best / ours


def place(ratio, low, high):
    """Where a ratio lies between the borders, in pixels."""
    part = (math.log(ratio) - math.log(low)) / (math.log(high) - math.log(low))
    return LABELS + part * (WIDTH - LABELS - 60)


def text(x, y, words, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">'
            f"{escape(words)}</text>")


def draw(rows):
    low = min([0.5] + [ratio for *_, ratio in rows]) / 1.1
    high = max([2.0] + [ratio for *_, ratio in rows]) * 1.1
    zero, y, group, name = place(1, low, high), HEAD, None, None
    parts = []
    for row_group, row_name, threads, ratio in rows:
        if row_group != group:
            y += ROW
            parts.append(text(4, y + ROW - 4, row_group, weight="bold"))
            y += ROW
        if (row_group, row_name) != (group, name):
            y += 3
            parts.append(text(LABELS - 8, y + ROW - 4, row_name, "end"))
        group, name = row_group, row_name
        end = place(ratio, low, high)
        parts.append(f'<rect x="{min(zero, end):.1f}" y="{y + 1}" width="{abs(end - zero):.1f}" '
                     f'height="{ROW - 2}" fill="{COLOURS.get(threads, "#718096")}"/>')
        parts.append(text(max(zero, end) + 4, y + ROW - 4, f"{ratio:.2f}"))
        y += ROW
    lines = []
    for tick in (0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 4, 10):
        if low <= tick <= high:
            x = place(tick, low, high)
            lines.append(f'<line x1="{x:.1f}" y1="{HEAD}" x2="{x:.1f}" y2="{y}" '
                         f'stroke="{"#000" if tick == 1 else "#ccc"}"/>')
            lines.append(text(x, HEAD - 4, f"{tick:g}", "middle"))
    return lines + parts, y + ROW


def main(paths):
    rows, machine = [], ""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
        machine = results["machine"]
        rows += bars(results)
    body, height = draw(rows)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
          f'font-family="sans-serif" font-size="11">')
    print(f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>')
    print(text(4, 16, "Time of the fastest other library / time of webnn.h; longer to the right is "
                      "better", weight="bold"))
    print(text(4, 31, f"{machine}; dark: one thread, light: two"))
    print("\n".join(body))
    print("</svg>")


if len(sys.argv) < 2:
    sys.exit(__doc__)
main(sys.argv[1:])
