"""Writes the results of bench and models as the tables of docs/performance.md, to the standard output.

usage: table.py RESULTS.json ...

Ratios are the fastest peer's time divided by webnn.h's: more than 1 is ahead. chart.py reads the
tables back with read(), so that charts and sentences are of what the tables say.
"""
import collections
import datetime
import json
import math
import os
import re
import sys
import textwrap

Network = collections.namedtuple(
    "Network", "name threads ours ort ratio ours_mb ort_mb ours_first ort_first limit")
Case = collections.namedtuple("Case", "group name threads ours limit peer ratio")

# Both measure the cost of starting an operator, not its work, and are in no mean.
APART = "chain200", "overhead"


# ---- Writing -------------------------------------------------------------------------------------

def number(value):
    """Three digits, without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}" if value >= 0.001 else f"{value:.6f}"


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def networks_table(rows):
    yield row("network", "threads", "ours, ms", "ONNX Runtime, ms", "ratio", "ours, MB",
              "ONNX Runtime, MB", "first result, ms", "ONNX Runtime's", "of the limit")
    yield row(*["---"] * 10)
    for line in rows:
        ours, ort = line["ours"], line["ort"]
        yield row(line["network"], str(line["threads"]), number(ours["ms"]), number(ort["ms"]),
                  f"{ort['ms'] / ours['ms']:.2f}", f"{ours['peak_mb']:.0f}", f"{ort['peak_mb']:.0f}",
                  number(ours["first_result_ms"]), number(ort["first_result_ms"]),
                  f"{100 * line['limit_ms'] / ours['ms']:.0f} %")


def case_cells(line):
    """Ours, of the limit, best peer, ratio: of one case with one number of threads."""
    if not line:
        return [""] * 4
    ours, best = line["ms"]["ours"], line["ms"].get(line["best"])
    cells = [number(ours), f"{100 * line['limit_ms'] / ours:.0f} %"]
    return cells + ([f"{line['best']} {number(best)}", f"{best / ours:.2f}"] if best else [""] * 2)


def cases_tables(rows):
    """A table for each group, one line a case with all numbers of threads."""
    groups = {}
    for line in rows:
        if line["ms"].get("ours", 0) > 0:
            cases = groups.setdefault(line["group"], {})
            cases.setdefault(line["case"], {})[line["threads"]] = line
    for group, cases in groups.items():
        threads = sorted({t for lines in cases.values() for t in lines})
        yield f"<details><summary>{group}, {plural(len(cases), 'case')}</summary>"
        yield ""
        yield row("case", *[words for t in threads
                            for words in (f"ours, {t} thr., ms", "of the limit", "best peer, ms", "ratio")])
        yield row(*["---"] * (1 + 4 * len(threads)))
        for name, lines in cases.items():
            yield row(name, *[cell for t in threads for cell in case_cells(lines.get(t))])
        yield ""
        yield "</details>"
        yield ""


def markdown(paths):
    """The results in these files, as a page."""
    lines = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
        if not lines:
            day = datetime.date.fromtimestamp(os.path.getmtime(path))
            lines += [f"The tables here were measured on {results['machine']} on {day.day} {day:%B %Y}.", ""]
        complete = [line for line in results.get("networks", []) if "ours" in line and "ort" in line]
        if complete:
            lines += [*networks_table(complete), ""]
        lines += cases_tables(results.get("cases", []))
    return "\n".join(lines)


# ---- Reading -------------------------------------------------------------------------------------

Page = collections.namedtuple("Page", "measured networks cases")


def read(text):
    """What a page holds: what "The tables here were measured on", and the rows of its tables."""
    measured = re.search(r"^The tables here were measured on (.+)\.$", text, re.MULTILINE)
    page = Page(measured.group(1) if measured else "", [], [])
    group = head = None
    for line in text.splitlines():
        if line.startswith("<details><summary>"):
            group = line[len("<details><summary>"):].split(",")[0]
        if not line.startswith("|"):
            head = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if head is None:
            head = cells
        elif cells[0] == "---":
            continue
        elif head[:2] == ["network", "threads"]:
            numbers = [float(cell.rstrip(" %")) for cell in cells[2:]]
            page.networks.append(Network(cells[0], int(cells[1]), *numbers))
        elif head[0] == "case" and len(head) > 4:
            for i in range(1, len(head), 4):
                ours, limit, peer, ratio = cells[i:i + 4]
                if ratio:
                    threads = int(head[i].split()[1])
                    page.cases.append(Case(group, cells[0], threads, float(ours), limit, peer, float(ratio)))
    return page


# ---- Summing up ----------------------------------------------------------------------------------

def plural(count, word):
    return f"{count} {word}{'s' * (count != 1)}"


def in_words(count):
    return {1: "one", 2: "two"}.get(count, str(count))


def mean(ratios):
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summed(rows, threads):
    """The mean and the range of the ratios with so many threads, or None."""
    ratios = [line.ratio for line in rows if line.threads == threads]
    return (mean(ratios), min(ratios), max(ratios)) if ratios else None


def counts_of_threads(rows):
    return sorted({line.threads for line in rows})


def means(rows):
    """ "1.12 with one thread (0.97 to 1.58) and ..." """
    parts = []
    for threads in counts_of_threads(rows):
        middle, low, high = summed(rows, threads)
        word = "thread" if threads == 1 else "threads"
        parts.append(f"{middle:.2f} with {in_words(threads)} {word} ({low:.2f} to {high:.2f})")
    return " and ".join(parts)


def sentences(page):
    """What the tables say as a whole. The page has these sentences, and chart.py --check compares."""
    networks = [line for line in page.networks if line.name not in APART]
    cases = [line for line in page.cases if line.group not in APART]
    if networks:
        count = len({line.name for line in networks})
        yield (f"Over {plural(count, 'network')}, the geometric mean of ONNX Runtime's time divided by "
               f"webnn.h's is {means(networks)}.")
        memory = [line.ort_mb / line.ours_mb for line in networks]
        first = [line.ort_first / line.ours_first for line in networks]
        yield (f"On these {plural(count, 'network')} ONNX Runtime takes {min(memory):.1f} to "
               f"{max(memory):.1f} times the memory of webnn.h, and {min(first):.1f} to {max(first):.1f} "
               "times its time from the start of the process to the first result.")
    if cases:
        count = len({(line.group, line.name) for line in cases})
        yield (f"Over {plural(count, 'single operator')}, the geometric mean of the fastest other library's "
               f"time divided by webnn.h's is {means(cases)}.")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    text = markdown(sys.argv[1:])
    for sentence in sentences(read(text)):
        print(textwrap.fill(sentence, 110))
    print()
    print(text)


if __name__ == "__main__":
    main()
