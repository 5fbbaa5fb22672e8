"""Which lines, branches and functions of a part of the project do its tests take?

coverage.py [PART]

PART is webnn.h, webnn_vulkan.h, a header of examples/headers, or webnn, the command (parts.py). Builds its programs
without optimization and with gcov's counters, runs them two at a time, and prints the branches that none of them
takes and a table by chapter of a header, by file of the command. Random programs run fewer rounds than
elsewhere. In the environment:
  COVERAGE_CHAPTERS  the chapters or files whose branches are listed, "13", "2 9 12", "read/npy.c" (all but the kernels)
  COVERAGE_LEAST     the percentage of its branches below which a chapter or file fails (the kernels do not; 80)
  COVERAGE_FLAGS     more for the compiler: -DWEBNN_NO_SIMD is much faster and enough for all
                     chapters of webnn.h but 13
The list is kept in build/coverage/PART/branches.txt.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import parts

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


class Section:
    """A chapter of a header, or a file without chapters: its file, its lines, its name in the table."""

    def __init__(self, file, first, after, number, title):
        self.file, self.first, self.after = file, first, after
        self.word = str(number) if number else title
        self.name = "%2d %s" % (number, title) if number else title
        self.is_kernels = file == "webnn.h" and number == KERNELS


def text_of(file):
    with open(os.path.join(parts.ROOT, file), encoding="utf-8") as opened:
        return opened.read().rstrip("\n").split("\n")


def sections_of(part):
    """The chapters of a part's only file, or each of its files."""
    for file in part.files:
        text = text_of(file)
        if len(part.files) > 1:
            yield Section(file, 1, len(text) + 1, 0, os.path.relpath(file, os.path.commonpath(part.files)))
            continue
        chapters = chapters_of(text)
        for i, (first, number, title) in enumerate(chapters):
            yield Section(file, first, chapters[i + 1][0] if i + 1 < len(chapters) else len(text) + 1, number, title)


def gcov_files(counts, files):
    """(file, what gcov says of it) for each of these files in gcov's reports about a .gcda file."""
    run = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", counts],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    for line in run.stdout.splitlines():
        report = json.loads(line)
        for file in report["files"]:
            path = os.path.realpath(os.path.join(report["current_working_directory"], file["file"]))
            if os.path.relpath(path, parts.ROOT) in files:
                yield os.path.relpath(path, parts.ROOT), file


def merge(counted, keys, counts):
    for key, count in zip(keys, counts):
        counted[key] = counted.get(key, 0) + count


def gather(files, folder):
    """Counts by file and line; by file, line, function and index for branches; by file, first line and name for functions.

    A function that lies on one line comes from a macro, and each has branches of its own. Elsewhere a
    line's branches are the same in all functions that it is inlined into."""
    lines, branches, functions = {}, {}, {}
    found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]  # follows no links
    for counts in sorted(path for path in found if path.endswith(".gcda")):
        for path, file in gcov_files(counts, files):
            single = {f["name"] for f in file["functions"] if f["start_line"] == f["end_line"]}
            merge(functions, [(path, f["start_line"], f["name"]) for f in file["functions"]],
                  [f["execution_count"] for f in file["functions"]])
            for line in file["lines"]:
                number, name = line["line_number"], line.get("function_name", "")
                owner = name if name in single else ""
                taken = [branch["count"] for branch in line["branches"]]
                merge(lines, [(path, number)], [line["count"]])
                merge(branches, [(path, number, owner, i) for i in range(len(taken))], taken)
    return lines, branches, functions


def tally(counted, section):
    """How many of what lies in a section is taken, and how many there are."""
    counts = [count for key, count in counted.items()
              if key[0] == section.file and section.first <= key[1] < section.after]
    return sum(count > 0 for count in counts), len(counts)


def percent(taken, all_of_them):
    return 100.0 if all_of_them == 0 else 100.0 * taken / all_of_them


def print_table(sections, tables):
    """Prints a row for each section and one for all but the kernels; returns the branches' percents by name."""
    shares, sums = {}, [[0, 0] for _ in tables]
    width = max(len(section.name) for section in sections)
    print("%-*s %21s %21s %21s" % (width, "", "lines", "branches", "functions"))
    for section in sections:
        pairs = [tally(table, section) for table in tables]
        if pairs[0][1] == 0:  # declarations alone
            continue
        print_row(width, section.name, pairs)
        shares[section] = percent(*pairs[1])
        if not section.is_kernels:
            sums = [[a + c, b + d] for (a, b), (c, d) in zip(sums, pairs)]
    print_row(width, "all but the kernels" if any(section.is_kernels for section in sections) else "all", sums)
    return shares


def print_row(width, name, pairs):
    cells = ["%13s %6.1f%%" % ("%d/%d" % pair, percent(*pair)) for pair in map(tuple, pairs)]
    print("%-*s %s" % (width, name, " ".join(cells)))


def missed(branches, section, text):
    """One line for each line of a section with branches that nobody takes."""
    by_line = {}
    for (file, number, owner, _), count in sorted(branches.items()):
        if file == section.file and section.first <= number < section.after:
            by_line.setdefault((number, owner), []).append(count)
    for (number, owner), counts in by_line.items():
        if 0 in counts:
            yield "%5d  %d of %d  %s%s" % (number, counts.count(0), len(counts),
                                           owner and owner + ": ", text[number - 1].strip())


def report(part, folder, least, wanted):
    """Prints the branches that nobody takes and the table; returns how many sections take too few, or None."""
    sections = list(sections_of(part))
    tables = gather(set(part.files), folder)
    if not tables[0]:
        print("coverage: no counts of %s in %s" % (part.name, folder))
        return None
    with open(os.path.join(folder, "branches.txt"), "w", encoding="utf-8") as kept:
        print("branches that no test takes:")
        for section in sections:
            if section.word not in wanted if wanted else section.is_kernels:
                continue
            found = list(missed(tables[1], section, text_of(section.file)))
            if len(part.files) > 1 and found:
                found.insert(0, section.name + ":")
            for line in found:
                print(line)
                kept.write(line + "\n")
    print()
    shares = print_table(sections, tables)
    low = [section for section in shares if not section.is_kernels and shares[section] < least]
    for section in low:
        print("%s is below %g %% of its branches" % (section.name.strip(), least))
    return len(low)


# ---- The programs -------------------------------------------------------------------------------


def build_part(workshop, pool):
    """Compiles what all programs of a part share; returns what the compiler says if it cannot."""
    part = workshop.part
    steps = [workshop.compile_object(unit) for unit in part.objects + part.beside]
    said = [printed for status, printed in pool.map(parts.run, steps) if status != 0]
    if not said and part.command:
        status, printed = parts.run(workshop.link_command())
        said = [printed] if status != 0 else []
        workshop.give_names()
    return "\n".join(said)


def try_program(workshop, program, more):
    """Builds and runs a program; returns why it fails, or ""."""
    test, steps = workshop.path(program.name + "_test.o"), []
    if not program.is_script:
        steps = [] if program.inside else [workshop.compile_test(program) + more]
        steps.append(workshop.build(program, test, more))
    for step in steps:
        status, printed = parts.run(step)
        if status != 0:
            return "%s: does not build\n%s" % (program.name, "\n".join(printed.split("\n")[:20]))
    for arguments in program.coverage:
        line, environment = workshop.run(program, arguments)
        status, printed = parts.run(line, env=environment)
        if status != 0:
            return "%s:\n%s" % (" ".join((program.name,) + tuple(arguments)), "\n".join(printed.split("\n")[-20:]))
    return ""


def mpfr(compiler):
    """MPFR is where the references of three programs come from."""
    found = subprocess.run([compiler, "-E", "-x", "c", "-"], input=b"#include <mpfr.h>\n", stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    return ["-DWEBNN_HAVE_MPFR", "-lmpfr", "-lgmp"] if found.returncode == 0 else []


def main():
    known, compiler = parts.parts(), os.environ.get("COVERAGE_CC", "gcc")
    name = sys.argv[1] if len(sys.argv) > 1 else "webnn.h"
    if name not in known:
        print("coverage: HEADER is one of %s\n0 passed, 1 failed, 0 skipped" % ", ".join(known))
        return 1
    part = known[name]
    reason = parts.missing(part, [compiler, "gcov"])
    if reason:
        print("coverage of %s: skipped: %s\n0 passed, 0 failed, 1 skipped" % (name, reason))
        return 0
    folder = os.path.join(parts.TESTS, "build", "coverage", name)
    shutil.rmtree(folder, ignore_errors=True)
    # An assertion's other branch must not be taken, so there are none.
    flags = ["-std=gnu11", "-w", "-O0", "-DNDEBUG"] + part.flags + os.environ.get("COVERAGE_FLAGS", "").split()
    workshop = parts.Workshop(part, folder, compiler, flags, counts=["--coverage"])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        said = build_part(workshop, pool)
        if said:
            print("%s\n0 passed, 1 failed, 0 skipped" % said)
            return 1
        more = mpfr(compiler)
        failures = list(pool.map(lambda program: try_program(workshop, program, more), part.programs))
    for failure in filter(None, failures):
        print(failure)
    low = report(part, folder, float(os.environ.get("COVERAGE_LEAST", "80")),
                 os.environ.get("COVERAGE_CHAPTERS", "").split())
    failed = len([failure for failure in failures if failure]) + (1 if low is None else low)
    print("%d passed, %d failed, 0 skipped" % (failures.count("") + (low == 0), failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
