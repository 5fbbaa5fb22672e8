"""Measures the figures of README.md and of docs, and says where a page is off.

    figures.py BUILD HEADER README CC [TIMES]

BUILD/run has the sums of the last `make -C tests`, BUILD/mpfr those of `make -C tests mpfr`, BUILD/switches a program
of the last `make -C tests switches`.
Sizes and counts have to be right to 2 %, times to what they vary by on one machine (TIME_SPREAD), or to half of the
last digit that is written. What was not run is skipped; with TIMES=no only what does not depend on the machine is
judged, what is nothing but a time is not measured, and the size of the whole header is the figure of price.txt, to
which `make price` holds what the compiler gives.
"""

import os
import re
import resource
import subprocess
import sys


# A number with the word behind it.
NUMBERS = re.compile(r"\d[\d,]*(?:\.\d+)?(?: \w+)?")
IS_TIME = re.compile(r"[\d.,]+ m?s\b")
SPREAD, TIME_SPREAD = 0.02, 0.3


def is_right(text, measured):
    """Is the number of NUMBERS that is written, "1.5 million", what was measured?"""
    number = text.split()[0].rstrip(",").replace(",", "")
    digits = len(number.partition(".")[2])
    spread = TIME_SPREAD if IS_TIME.match(text) else SPREAD
    return abs(float(number) - measured) <= max(spread * measured, 0.5 * 10 ** -digits)


def table(readme):
    """The rows of the table of figures: name -> text."""
    text = open(readme).read()
    rows = text[text.index("<!-- figures"):].split("\n\n")[1].splitlines()[2:]
    return {cells[1].strip(): cells[2].strip() for cells in (row.split("|") for row in rows)}


def seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def code_bytes(path, column=0):
    """Of the columns text, data, bss and their sum that `size` prints."""
    return int(subprocess.run(["size", path], capture_output=True, text=True, check=True).stdout.split()[6 + column])


def price(name):
    """A figure of price.txt."""
    with open(os.path.dirname(os.path.abspath(__file__)) + "/price.txt", encoding="utf-8") as file:
        return dict(line.split() for line in file)[name]


class Figures:
    def __init__(self, build, header, cc, judge_times):
        self.build, self.header, self.cc, self.judge_times = build, header, cc, judge_times
        self.options = ["-std=c99", "-O2", "-x", "c", "-c", header, "-o", build + "/figures.o"]

    def of(self, name, ending):
        """What a program has left: those beside MPFR are a target of their own."""
        folder = "mpfr" if name.startswith("exact") else "run"
        return open("%s/%s/%s.%s" % (self.build, folder, name, ending)).read()

    def sums(self, name):
        """How many checks of a test program passed."""
        return int(self.of(name, "sums").split()[0])

    def text(self, name, pattern):
        """A number in the text that a test program printed."""
        return int(re.search(pattern, self.of(name, "log")).group(1))

    def compared(self, name):
        """How many results a program has compared, of which many are one check."""
        return self.text(name, r"(\d+) results compared")

    def compile(self, *switches):
        time = seconds(*self.cc.split(), *switches, "-DWEBNN_IMPLEMENTATION", *self.options)
        return time, code_bytes(self.build + "/figures.o")

    def rows(self):
        """Name of the row -> what to measure; a function for each number that stands in the row."""
        def compiling(*switches):
            time, code = self.compile(*switches)
            return [time, code / 1e3]

        def whole():
            return compiling() if self.judge_times else [0, int(price("bytes")) / 1e3]

        return {
            "compiling the header, gcc -O2": whole,
            "without vector kernels, `WEBNN_NO_SIMD`": lambda: compiling("-DWEBNN_NO_SIMD"),
            "without fast kernels, `WEBNN_NO_FAST_KERNELS`": lambda: compiling("-DWEBNN_NO_FAST_KERNELS"),
            "three operators on a Cortex-M4, `WEBNN_ONLY_OPERATORS`": lambda: [
                code_bytes(self.build + "/switches/m4", 3) / 1e3],
            "declarations alone, in every other file": lambda: [seconds(*self.cc.split(), *self.options)],
            "conformance vectors of web-platform-tests that pass": lambda: [self.sums("conformance")] * 2,
            "validation recordings that agree": lambda: [self.sums("validation_recordings")],
            "own checks of validation": lambda: [self.sums("validation")],
            "results compared with MPFR": lambda: [
                (self.compared("exact") + self.compared("exact_sums") + self.sums("exact_operators")) / 1e6],
            "digests of operators and types that are the same in every configuration": lambda: [
                sum(1 for _ in open(os.path.dirname(os.path.abspath(__file__)) + "/../reference/digest.txt"))],
            "one handwritten digit (140,000 multiply-adds)": self.digit,
        }

    def digit(self):
        folder = os.path.dirname(os.path.abspath(self.header)) + "/examples"
        subprocess.run(["make", "-s", "-C", folder, "build/digits"], check=True)
        images = [folder + "/digits/images/" + f for f in os.listdir(folder + "/digits/images")] * 20
        out = subprocess.run([folder + "/build/digits", folder + "/digits/weights.bin"] + images,
                             capture_output=True, text=True, check=True).stdout
        times = sorted(float(t) for t in re.findall(r"\(([\d.]+) ms\)", out))
        return [times[len(times) // 2]]


def statements(figures, scripts):
    """(page, pattern with a number, what it should be) for numbers within sentences."""
    rows = open(scripts + "/configurations.sh").read().split("table() {")[1].split("product() {")[0]
    return [
        ("numerics.md", r"agree in ([\d,]+) comparisons", lambda: figures.compared("exact_sums")),
        ("numerics.md", r"under (\d+) combinations of compiler", lambda: rows.count("digest:")),
    ]


def check_pages(figures, docs, scripts):
    """Passed, failed and skipped of the sentences in docs that have a number."""
    passed = failed = skipped = 0
    for page, pattern, measure in statements(figures, scripts):
        found = re.search(pattern, open(docs + "/" + page).read())
        try:
            measured = measure()
        except (OSError, AttributeError) as problem:
            skipped += 1
            print("%s: skipped: %s" % (pattern, problem))
            continue
        right = found and is_right(found.group(1), measured)
        passed, failed = passed + bool(right), failed + (not right)
        if not right:
            print("docs/%s: %s; measured %s" % (page, pattern, measured))
    return passed, failed, skipped


def main():
    build, header, readme, cc = sys.argv[1:5]
    judge_times = sys.argv[5:] != ["no"]
    page = table(readme)
    measuring = Figures(build, header, cc, judge_times)
    figures = measuring.rows()
    scripts = os.path.dirname(os.path.abspath(__file__))
    passed, failed, skipped = check_pages(measuring, os.path.dirname(readme) + "/docs", scripts)
    for name in sorted(set(page) - set(figures)):
        failed += 1
        print("%s: nothing measures this row" % name)
    for name, measure in figures.items():
        if name not in page:
            failed += 1
            print("%s: README has no such row" % name)
            continue
        written = NUMBERS.findall(page[name])
        times = [bool(IS_TIME.match(text)) for text in written]
        if all(times) and not judge_times:
            continue
        try:
            measured = measure()
        except (OSError, AttributeError, subprocess.CalledProcessError) as problem:
            skipped += 1
            print("%s: skipped: %s" % (name, problem))
            continue
        off = [text for text, number, time in zip(written, measured, times)
               if (judge_times or not time) and not is_right(text, number)]
        passed, failed = passed + (not off), failed + bool(off)
        judged = ["%.4g" % number for number, time in zip(measured, times) if judge_times or not time]
        print("%-56s %s; measured %s%s" % (name, page[name].split(";")[0], ", ".join(judged), "  OFF" if off else ""))
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return failed != 0


sys.exit(main())
