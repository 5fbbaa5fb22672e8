"""Do the tests notice faults of the kinds that hide from random data?

breaks.py [NUMBER ...]

Each break is one expression of a file, and a wrong one in its place: a border that is off by one, the second of two
NaN, an option beside a fusion, an order of additions, misaligned memory. A copy of the files has all of them; the
environment variable BROKEN has the number of the one that is wrong, so that the copy is compiled once. The programs that
should notice a break run without it, when they must pass, and with it, when they must fail and print where the fault
shows. Numbers are those of single breaks; without any all are tried.
"""
import collections
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import parts

OUT = os.path.join(parts.TESTS, "build", "breaks")
CC = os.environ.get("CC", "gcc")
# x86 forgives misaligned memory, the sanitizer does not.
FLAGS = ["-std=c99", "-O0", "-w", "-fsanitize=alignment", "-fno-sanitize-recover=all"]
SECONDS = 600
LIBRARY, ONNX, JUDGE = "webnn.h", "examples/headers/webnn_onnx.h", "examples/webnn/judge.c"
GUIDE = "docs/guide.md"

# `old` is what becomes `new`, where it follows `before`; `runs` notice it, each with what it has to print: a pattern.
Break = collections.namedtuple("Break", "what file old new runs before", defaults=("",))
Run = collections.namedtuple("Run", "command says")

BREAKS = [
    Break("with ceil_mode a window that begins in the padding at the end is counted", ONNX,
          "(out - 1) * stride >= (uint64_t)w->in[i] + w->begin[i]",
          "(out - 1) * stride > (uint64_t)w->in[i] + w->begin[i]",
          [Run("onnx_cases", r"(?i)pool.*ceil_mode")]),
    Break("argMax along columns takes the last of several NaN", LIBRARY,
          "m_and(m_not(v_nan(b, b)), m_or(better, v_nan(v, v)))", "m_or(better, v_nan(v, v))",
          [Run("fast_rows few argMax", r"argMax .* axes .*expected")]),
    Break("a sum becomes gemm's c whatever its beta is", LIBRARY,
          "webnn__option_as_float(e->attributes.beta, webnn__type_of(r, other)) == 1", "1",
          [Run("near_misses 40", r'without the pass "epilogues"')]),
    Break("webnn-oracle allows less than the limit", JUDGE,
          "(double)ulp <= d->limit.ulp", "(double)ulp < d->limit.ulp",
          [Run("scripts/oracle.sh test_tolerances", r"--ulp 1: expected exit status 0, got 1")]),
    Break("the last column of a pooling whose window is inside is one further", LIBRARY,
          "(in + before - span) / stride + 1", "(in + before - span) / stride + 2",
          [Run("fast_rows few maxPool2d", r"maxPool2d .* window .*expected")]),
    Break("the largest of columns forgets a NaN", LIBRARY,
          "K(max)(a, b)", "v_max(a, b)", [Run("fast_rows few reduceMax", r"reduceMax .* axes .*expected -?nan")],
          before="fold == WEBNN__FOLD_MAX   ? "),
    Break("a sum after bounds is added before them", LIBRARY,
          "webnn__is_clamped(e) || e->inputs[3] != WEBNN__NONE", "e->inputs[3] != WEBNN__NONE",
          [Run("near_misses 40", r'without the pass "epilogues"')]),
    Break("cumulativeSum along columns loses what its additions have lost", LIBRARY,
          "v_sub(x, more)", "x",
          [Run("fast_rows few cumulativeSum", r"cumulativeSum .* axes .*expected")]),
    Break("nearest neighbours are moved as integers of 4 bytes", LIBRARY,
          "memcpy(y + (size_t)q * size, x + (size_t)r->index[q] * size, size)",
          "size != 4 ? memcpy(y + (size_t)q * size, x + (size_t)r->index[q] * size, size) : "
          "(void *)(uintptr_t)(((uint32_t *)(void *)y)[q] = ((const uint32_t *)(const void *)x)[r->index[q]])",
          [Run("compute", r"webnn\.h:\d+:\d+: runtime error: .*misaligned address")]),
    Break("a page shows another number than its program prints", GUIDE, "class 0, 93 %", "class 0, 95 %",
          [Run("scripts/docs.sh ../docs/guide.md", r"guide\.md: what guide_2.*prints")]),
]

# ---- Compiling ----------------------------------------------------------------------------------


def run(arguments, broken=0, **environment):
    """(Whether a command succeeds, what it prints), with one of the breaks."""
    status, printed = parts.run(arguments, SECONDS, env=dict(os.environ, BROKEN=str(broken), **environment))
    return status == 0, printed


def make(arguments):
    right, printed = run(arguments)
    if not right:
        raise SystemExit("breaks: %s:\n%s\n0 passed, 1 failed, 0 skipped" % (" ".join(arguments), printed[:3000]))


def write_tree():
    """The files with a switch in each place that can be wrong; of a page there is no switch, but a copy."""
    texts = {}
    for number, one in enumerate(BREAKS, 1):
        if one.file not in texts:
            with open(os.path.join(parts.ROOT, one.file), encoding="utf-8") as file:
                texts[one.file] = file.read()
        if texts[one.file].count(one.before + one.old) != 1:
            raise SystemExit("breaks: %s: %s%s is not in it once\n0 passed, 1 failed, 0 skipped" %
                             (one.file, one.before, one.old))
        wrong = one.new if one.file == GUIDE else "(broken_number == %d ? (%s) : (%s))" % (number, one.new, one.old)
        texts[one.file] = texts[one.file].replace(one.before + one.old, one.before + wrong)
    shutil.rmtree(OUT, ignore_errors=True)
    for folder in (parts.HEADERS, parts.COMMAND):
        shutil.copytree(os.path.join(parts.ROOT, folder), os.path.join(OUT, "tree", folder))
    for file, text in texts.items():
        path = os.path.join(OUT, "tree", file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as copy:
            copy.write(text)
    with open(os.path.join(OUT, "broken.h"), "w", encoding="utf-8") as file:
        file.write("extern int broken_number;\n")
    with open(os.path.join(OUT, "broken.c"), "w", encoding="utf-8") as file:
        file.write("""#include <stdlib.h>
int broken_number;
__attribute__((constructor)) static void read_number(void) { broken_number = atoi(getenv("BROKEN")); }
""")


def at(name):
    return os.path.join(OUT, name)


def compile_object(name, source, *more):
    tree = os.path.join(OUT, "tree")
    make([CC] + FLAGS + ["-I" + path for path in [tree, os.path.join(tree, parts.HEADERS)]] + list(more) +
         ["-include", at("broken.h"), "-c", "-x", "c", source, "-o", at(name + ".o")])


class Programs:
    """What the breaks are tried with, each made when it is needed; the command of objects that make has compiled."""

    def __init__(self):
        self.made = set()

    def need(self, name, build):
        if name not in self.made:
            self.made.add(name)
            build()

    def object(self, name):
        tree = os.path.join(OUT, "tree")
        header = {"webnn": LIBRARY, "onnx": ONNX}.get(name)
        if header:
            self.need(name + ".o", lambda: compile_object(
                name, os.path.join(tree, header), "-D%s_IMPLEMENTATION" % ("WEBNN" if name == "webnn" else "WEBNN_ONNX"),
                "-DWEBNN_NO_SIMD", "-DWEBNN_INSTRUCTION_SETS=63"))
        elif name == "judge":
            self.need(name + ".o", lambda: compile_object(name, os.path.join(tree, JUDGE)))
        else:
            self.need(name + ".o", lambda: compile_object(name, at(name + ".c")))
        return at(name + ".o")

    def link(self, name, objects):
        self.need(name, lambda: make([CC] + FLAGS + objects + [self.object("broken"), "-o", at(name), "-pthread", "-lm"]))

    def test(self, name, *more):
        """The object of a test program, which is not under the sanitizer."""
        includes = ["-I" + path for path in ["..", "../" + parts.HEADERS, "networks"] + parts.FOLDERS]
        make([CC, "-std=c99", "-O1", "-w", "-DWEBNN_TEST_LINKED"] + list(more) + includes +
             ["-c", parts.source_of(name), "-o", at(name + "_test.o")])
        return at(name + "_test.o")

    def command(self):
        """The command with its own judge; oracle.sh wants one of its objects, too."""
        built = os.path.join(parts.TESTS, "build")
        objects = [os.path.join(built, "command", os.path.relpath(path, parts.COMMAND)[:-2] + ".o")
                   for path in parts.command_files("*.c") if os.path.basename(path) not in ("headers.c", "judge.c")]
        objects += [os.path.join(built, name + ".o") for name in ("networks", "onnx", "onnx_write", "weights")]
        self.link("webnn", objects + [self.object("judge")])
        os.makedirs(at("command/exact"), exist_ok=True)
        shutil.copy(os.path.join(built, "command/exact/recorder.o"), at("command/exact"))
        shutil.copy(at("webnn"), at("webnn-oracle"))

    def line(self, one, command):
        """The command line of a run and its environment, everything made."""
        name, *arguments = command.split()
        if one.file == JUDGE:
            self.need("command", self.command)
            return ["sh", name] + arguments, {"BUILT": os.path.relpath(OUT, parts.TESTS), "CC": CC}
        if one.file == GUIDE:
            return ["sh", name] + arguments, {}
        if name not in self.made:
            importer = [self.object("onnx")] if one.file == ONNX else []
            self.link(name, [self.test(name, "-DWEBNN_NO_SIMD"), self.object("webnn")] + importer)
        return [at(name)] + arguments, {}


# ---- Trying -------------------------------------------------------------------------------------


def judge(programs, number, one, wanted, right_runs):
    """None, or why a break is not noticed as it should be."""
    line, environment = programs.line(one, wanted.command)
    if wanted.command not in right_runs:
        right, printed = run(line, **environment)
        if not right:
            return "%s fails without it:\n%s" % (wanted.command, printed[-2000:])
        right_runs.add(wanted.command)
    if one.file == GUIDE:
        line = [os.path.join(OUT, "tree", GUIDE) if "guide.md" in word else word for word in line]
    right, printed = run(line, number, **environment)
    if right:
        return "%s does not notice it" % wanted.command
    if not re.search(wanted.says, printed):
        return "%s does not print where: no %s in:\n%s" % (wanted.command, wanted.says, printed[:2000])
    return None


def main():
    chosen = [int(word) for word in sys.argv[1:]] or range(1, len(BREAKS) + 1)
    write_tree()
    programs, right_runs, passed, failed = Programs(), set(), 0, 0
    for number in chosen:
        one = BREAKS[number - 1]
        for wanted in one.runs:
            problem = judge(programs, number, one, wanted, right_runs)
            passed, failed = passed + (problem is None), failed + (problem is not None)
            if problem:
                print("break %d, %s: %s: %s" % (number, one.file, one.what, problem), flush=True)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
