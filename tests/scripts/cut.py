"""Cuts headers into chapters, for tools that are slow on long files or refuse them.

    cut.py FOLDER HEADER...

Writes FOLDER/webnn/27-kernels.h and the like, one file for each banner (a line "/* =====...") of webnn.h,
named after the mark ">>kernels" in the banner or its title, and prints the names. The files are the header's
lines in order, and nothing else: joined, they are the header.
"""

import os
import re
import sys


def pieces(lines):
    """The lines from each banner to the next, the first from the beginning of the file."""
    starts = [0] + [i for i, line in enumerate(lines) if line.startswith("/* ====") and i > 0]
    return [lines[a:b] for a, b in zip(starts, starts[1:] + [len(lines)])]


def name_of(piece):
    if not piece[0].startswith("/* ===="):
        return "opening"
    title = re.sub(r"[(,.].*", "", piece[1].split(">>")[-1])
    return re.sub(r"\W+", "_", title.strip().lower())[:40].strip("_") or "chapter"


def main():
    folder, headers = sys.argv[1], sys.argv[2:]
    for header in headers:
        with open(header, encoding="utf-8") as file:
            parts = pieces(file.read().splitlines(keepends=True))
        into = os.path.join(folder, os.path.basename(header)[:-2])
        os.makedirs(into, exist_ok=True)
        for old in os.listdir(into):
            os.remove(os.path.join(into, old))
        for i, part in enumerate(parts):
            path = os.path.join(into, "%02d-%s.h" % (i, name_of(part)))
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(part).rstrip("\n") + "\n")
            print(path)


main()
