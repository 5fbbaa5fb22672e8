"""What gcov counted in a header, by chapter.

coverage.py HEADER FOLDER LEAST [CHAPTERS]

FOLDER has the .gcda files of several programs that compile the same header; a line, branch or function
that one of them takes is taken. Prints a table, and the branches of CHAPTERS ("13", "2 9 12"; all but
the kernels) that nobody takes, which FOLDER/branches.txt gets, too. A chapter other than the kernels
that has less than LEAST percent of its branches taken is named on a line of its own, and the exit
status is 1.
"""
import glob
import json
import os
import re
import subprocess
import sys

KERNELS = 13  # of webnn.h; vector code: a line has the branches of many inlined copies, most of them folded away


def chapters_of(text):
    """(first line, number, title) of each chapter: in webnn.h a banner of a number, a title and a >>tag, in the headers
    of examples/headers a line like "/* ---- 1 memory ---- */"."""
    banner = re.compile(r"^ {2,3}(\d+)  (\S.*?) +>>\w+$")
    line_banner = re.compile(r"^/\* ---- (\d+) (\S.*?)[ -]*(?:\*/)?$")
    found, others = [], []
    for number, line in enumerate(text, 1):
        match = banner.match(line)
        if match and text[number - 2].startswith("/* ===="):
            found.append((number, int(match.group(1)), match.group(2)))
        match = line_banner.match(line)
        if match:
            others.append((number, int(match.group(1)), match.group(2)))
    return found or others or [(1, 1, "all of it")]


def is_kernels(header, number):
    return os.path.basename(header) == "webnn.h" and number == KERNELS


def gcov_files(counts, header):
    """What gcov says of the header in each of its reports about a .gcda file."""
    run = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", counts],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    for report in run.stdout.splitlines():
        for file in json.loads(report)["files"]:
            if os.path.basename(file["file"]) == os.path.basename(header):
                yield file


def merge(counted, keys, counts):
    for key, count in zip(keys, counts):
        counted[key] = counted.get(key, 0) + count


def gather(header, folder):
    """Counts by line; by line, function and index for branches; by first line and name for functions.

    A function that lies on one line comes from a macro, and each has branches of its own. Elsewhere a
    line's branches are the same in all functions that it is inlined into."""
    lines, branches, functions = {}, {}, {}
    for counts in sorted(glob.glob(os.path.join(folder, "*.gcda"))):
        for file in gcov_files(counts, header):
            single = {f["name"] for f in file["functions"] if f["start_line"] == f["end_line"]}
            merge(functions, [(f["start_line"], f["name"]) for f in file["functions"]],
                  [f["execution_count"] for f in file["functions"]])
            for line in file["lines"]:
                number, name = line["line_number"], line.get("function_name", "")
                owner = name if name in single else ""
                taken = [branch["count"] for branch in line["branches"]]
                merge(lines, [number], [line["count"]])
                merge(branches, [(number, owner, i) for i in range(len(taken))], taken)
    return lines, branches, functions


def tally(counted, first, after):
    """How many of what lies between two lines is taken, and how many there are."""
    counts = [count for key, count in counted.items()
              if first <= (key if isinstance(key, int) else key[0]) < after]
    return sum(count > 0 for count in counts), len(counts)


def percent(taken, all_of_them):
    return 100.0 if all_of_them == 0 else 100.0 * taken / all_of_them


def print_table(header, chapters, tables, end):
    """Prints a row for each chapter and one for all but the kernels; returns the branches' percents."""
    shares, sums = {}, [[0, 0] for _ in tables]
    print("%-20s %21s %21s %21s" % ("chapter", "lines", "branches", "functions"))
    for i, (first, number, title) in enumerate(chapters):
        after = chapters[i + 1][0] if i + 1 < len(chapters) else end
        pairs = [tally(table, first, after) for table in tables]
        print_row("%2d %s" % (number, title), pairs)
        shares[number] = percent(*pairs[1])
        if not is_kernels(header, number):
            sums = [[a + c, b + d] for (a, b), (c, d) in zip(sums, pairs)]
    print_row("all but the kernels" if is_kernels(header, KERNELS) else "all", sums)
    return shares


def print_row(name, pairs):
    cells = ["%13s %6.1f%%" % ("%d/%d" % pair, percent(*pair)) for pair in map(tuple, pairs)]
    print("%-20s %s" % (name, " ".join(cells)))


def missed(branches, text, first, after):
    """One line for each line of the header with branches that nobody takes."""
    by_line = {}
    for (number, owner, index), count in sorted(branches.items()):
        if first <= number < after:
            by_line.setdefault((number, owner), []).append(count)
    for (number, owner), counts in by_line.items():
        if 0 in counts:
            yield "%5d  %d of %d  %s%s" % (number, counts.count(0), len(counts),
                                           owner and owner + ": ", text[number - 1].strip())


def main():
    header, folder, least = sys.argv[1], sys.argv[2], float(sys.argv[3])
    with open(header, encoding="utf-8") as file:
        text = file.read().splitlines()
    chapters = chapters_of(text)
    tables = gather(header, folder)
    if not chapters or not tables[0]:
        print("coverage: no chapters in %s, or no counts in %s" % (header, folder))
        return 2
    numbers = [number for _, number, _ in chapters]
    wanted = [int(word) for word in " ".join(sys.argv[4:]).split()]
    wanted = wanted or [number for number in numbers if not is_kernels(header, number)]
    with open(os.path.join(folder, "branches.txt"), "w", encoding="utf-8") as kept:
        print("branches that no test takes:")
        for i, (first, number, title) in enumerate(chapters):
            after = chapters[i + 1][0] if i + 1 < len(chapters) else len(text) + 1
            for line in missed(tables[1], text, first, after) if number in wanted else []:
                print(line)
                kept.write(line + "\n")
    print()
    shares = print_table(header, chapters, tables, len(text) + 1)
    low = [number for number in numbers if not is_kernels(header, number) and shares[number] < least]
    for number in low:
        print("chapter %d is below %g %% of its branches" % (number, least))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
