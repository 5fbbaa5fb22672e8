"""Cuts headers into chapters, for tools that are slow on long files or refuse them.

    cut.py [--sections] FOLDER HEADER...

Writes FOLDER/webnn/27-kernels.h and the like, one file for each banner (a line "/* =====...") of webnn.h,
named after the mark ">>kernels" in the banner or its title, and prints the names. The files are the header's
lines in order, and nothing else: joined, they are the header. With --sections there is a file for each title
within a chapter, too (a line "/* -----..."): clang-format's time grows with the square of a file's length.
"""

import os
import re
import sys


def pieces(lines, rules):
    """The lines from each line with one of the rules to the next, the first from the beginning of the file.
    What clang-format leaves alone stays in one piece."""
    starts, formatted = [0], True
    for i, line in enumerate(lines):
        if re.match(r"\s*/\* clang-format o(n|ff) \*/", line):
            formatted = "format on" in line
        elif line.startswith(rules) and formatted and i > 0:
            starts.append(i)
    return [lines[a:b] for a, b in zip(starts, starts[1:] + [len(lines)])]


def name_of(piece):
    if not piece[0].startswith(("/* ====", "/* ----")):
        return "opening"
    title = re.sub(r"[(,.].*", "", piece[1 if piece[0].startswith("/* ====") else 0].split(">>")[-1])
    return re.sub(r"\W+", "_", title.strip().lower())[:40].strip("_") or "chapter"


def main():
    arguments = sys.argv[1:]
    rules = ("/* ====",)
    if arguments[0] == "--sections":
        arguments, rules = arguments[1:], ("/* ====", "/* ----")
    folder, headers = arguments[0], arguments[1:]
    for header in headers:
        with open(header, encoding="utf-8") as file:
            parts = pieces(file.read().splitlines(keepends=True), rules)
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
