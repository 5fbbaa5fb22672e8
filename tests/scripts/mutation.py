"""Which small changes to a header does no test notice?

mutation.py COUNT SEED [HEADER=NAME] [SINCE=REVISION] [CHAPTERS]

Changes one thing at a time in a copy of the header: a comparison, && and ||, + and -, a constant by
one, a condition negated, a statement left out; COUNT of them, chosen by SEED from the function bodies
of CHAPTERS ("8 9"; of webnn.h all but platform and kernels). HEADER is webnn.h or a header of
examples/headers. SINCE takes the lines that differ from a revision, in HEADER or in each header that does.
Each copy is compiled without optimization and without vector kernels, and the quick test programs of that
header run with it, two copies at a time, until one of them fails, crashes or does not end. What they all pass
is printed, and kept in build/mutation_survivors.txt: either a test is missing there or the change changes
nothing. Somebody has to look; so survivors are counted as skipped.
"""
import concurrent.futures
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from coverage import chapters_of

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
OUT = os.path.join(TESTS, "build", "mutation")
CC = os.environ.get("MUTATION_CC", "gcc")
FOLDERS = ["common", "interface", "reference", "fast"]
FLAGS = ["-std=c99", "-O0", "-w", "-DWEBNN_NO_SIMD"]
LIBRARIES = ["-pthread", "-lm"]
AT_ONCE = 2
MEMORY = 8 << 30  # a mutant may ask for anything

# The quick programs with arguments that bound them, those that notice most and take least first.
PROGRAMS = [["shapes"], ["printed"], ["comparisons"], ["steps"], ["lists"], ["emulations"], ["api"],
            ["conformance"], ["conformance", "reference"], ["validation"], ["passes", "40"],
            ["near_misses", "20"], ["allocations"]]
# These as well for the chapters that compile, compute and run fast graphs.
FAST_CHAPTERS = (12, 13, 14, 15)
FAST_PROGRAMS = [["fast_rows"], ["fast_recurrent", "10"], ["fast_elementwise"], ["fast_movement"],
                 ["fast_products", "10"], ["fast_quantized", "10"], ["fast_packed"], ["fast_attention"],
                 ["fast_vocabulary"], ["allocations_each", "20"], ["backend", "20"]]
NETWORKS = "../examples/headers"
# The headers of examples/headers: what compiles each, and the programs that test it.
COMPANIONS = {
    "webnn_onnx.h": ("onnx", [["onnx_types"], ["onnx_cases"], ["onnx_forms"], ["onnx_malformed"]]),
    "webnn_onnx_write.h": ("onnx_write", [["onnx_write"]]),
    "webnn_stablehlo.h": ("stablehlo", [["stablehlo"], ["by_hand"], ["malformed", "networks/modules"],
                                        ["programs", "networks/modules"]]),
    "webnn_xla.h": ("stablehlo", [["xla"], ["xla_products"], ["xla_folds"], ["programs", "networks/modules"]]),
    "webnn_extra.h": ("onnx", [["onnx_types"], ["onnx_cases"]]),
    "webnn_weights.h": ("weights", [["weights"]]),
}
# Headers that are included by another one, which has to lie beside them.
INCLUDED_BY = {"webnn_xla.h": "webnn_stablehlo.h", "webnn_extra.h": "webnn_onnx.h"}
# An object of the library or of a companion: the header it is made of, and the implementations in it.
OBJECTS = {"webnn": ("..", ["WEBNN"]), "onnx": (NETWORKS, ["WEBNN_ONNX"]), "onnx_write": (NETWORKS, ["WEBNN_ONNX_WRITE"]),
           "stablehlo": (NETWORKS, ["WEBNN_STABLEHLO", "WEBNN_XLA"]), "weights": (NETWORKS, ["WEBNN_WEIGHTS"])}
# These include the implementation.
INSIDE = ("fast_products", "fast_quantized", "fast_attention", "fast_vocabulary", "allocations_each",
          "backend")

# ---- What can be changed ------------------------------------------------------------------------

SWAPS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&",
         "+": "-", "-": "+"}
OPERATOR = re.compile(r"(?<= )(==|!=|<=|>=|<|>|&&|\|\||\+|-)(?= |$)")
CONSTANT = re.compile(r"(?<![\w.])(\d+)(?=u?(?![\w.]))")
CONDITION = re.compile(r"^(.*\bif \()(.*)(\) \{)$")
DECLARATION = re.compile(r"^(static |const |unsigned |struct )*[a-z]\w* +\**[a-z]\w*( = |\[|;|, \**[a-z])")
STATEMENT = re.compile(r"^[^;]*;$")


def blank(match):
    return " " * len(match.group())


def code_of(text):
    """The lines with comments, strings and preprocessor lines blanked out, columns as they were."""
    whole = "\n".join(text)
    quoted = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    parts = re.compile(r"/\*.*?\*/|//[^\n]*|" + quoted, re.S)
    whole = parts.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), whole)
    whole = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: re.sub(r"[^\n]", " ", match.group()),
                   whole, flags=re.M)
    return [line.rstrip() for line in whole.split("\n")]


def bodies(code):
    """The numbers of the lines inside of functions: from a line of column 0 that ends with ") {" to }."""
    inside = False
    for number, line in enumerate(code, 1):
        if inside and line.startswith("}"):
            inside = False
        if inside:
            yield number
        elif line.endswith(") {"):
            inside = True


def changes_of(number, code, text):
    """(line number, what is changed, the changed line) for everything that can be changed in a line."""
    line, original = code[number - 1], text[number - 1]
    before = next((code[i - 1] for i in range(number - 1, 0, -1) if code[i - 1]), "")
    begins = before.endswith(("{", "}", ";", ":"))
    from_column = 0
    if begins and DECLARATION.match(line.strip()) and not line.strip().startswith(("return", "goto")):
        if " = " not in line:
            return
        from_column = line.index(" = ") + 3
    elif begins and STATEMENT.match(line.strip()) and not re.match(r" *(return .|case )", line):
        yield number, "left out", original[:len(line) - len(line.lstrip())] + ";"
    for match in OPERATOR.finditer(line, from_column):
        changed = SWAPS[match.group()]
        yield (number, "%s to %s" % (match.group(), changed),
               original[:match.start()] + changed + original[match.end():])
    for match in CONSTANT.finditer(line, from_column):
        for changed in {int(match.group()) + 1, max(int(match.group()) - 1, 0)} - {int(match.group())}:
            yield (number, "%s to %d" % (match.group(), changed),
                   original[:match.start()] + str(changed) + original[match.end():])
    match = CONDITION.match(line)
    if match and match.group(2).count("(") == match.group(2).count(")"):
        yield (number, "negated", "%s!(%s)%s" % (original[:match.end(1)],
                                                 original[match.start(2):match.end(2)],
                                                 original[match.start(3):]))


def lines_of(text, chapters):
    """The lines of some chapters."""
    ends = [chapter[0] for chapter in chapters_of(text)[1:]] + [len(text) + 1]
    return {line for (first, number, _), end in zip(chapters_of(text), ends) if number in chapters
            for line in range(first, end)}


def changed_lines(header, revision):
    """The lines of a header that differ from a revision."""
    diff = subprocess.run(["git", "diff", "-U0", revision, "--", path_of(header)], cwd=TESTS, check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout
    return {line for first, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.M)
            for line in range(int(first), int(first) + int(count or 1))}


def choose(text, allowed, count, seed):
    """Some of the allowed lines, by chance, and for each one of its changes."""
    code = code_of(text)
    lines = [number for number in bodies(code) if number in allowed]
    chance = random.Random(seed)
    chance.shuffle(lines)
    chosen = []
    for number in lines:
        changes = list(changes_of(number, code, text))
        if changes:
            chosen.append(chance.choice(changes))
        if len(chosen) == count:
            break
    return chosen


# ---- Compiling and running ----------------------------------------------------------------------


def bound():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def command(arguments, seconds, **more):
    """True if a command succeeds in time."""
    try:
        return subprocess.run(arguments, cwd=TESTS, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=seconds, **more).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def path_of(header):
    return ("../" if header == "webnn.h" else NETWORKS + "/") + header


def compile_object(name, folder, includes_of_it):
    """Compiles an object of OBJECTS into a folder, from the header in the first of some folders that has it."""
    at, parts = OBJECTS[name]
    header = "webnn.h" if name == "webnn" else "webnn_%s.h" % name
    own = os.path.join(folder, header)
    source = own if os.path.exists(own) else os.path.join(at, header)
    return command([CC] + FLAGS + includes_of_it + ["-D%s_IMPLEMENTATION" % part for part in parts] +
                   ["-c", "-x", "c", source, "-o", os.path.join(folder, name + ".o")], 600)


class Slot:
    """A folder with a header of its own, and the object that is made of it."""

    def __init__(self, name, header):
        self.folder = os.path.join(OUT, name)
        os.makedirs(self.folder)
        self.header = header
        self.object = COMPANIONS[header][0] if header in COMPANIONS else "webnn"
        self.includes = includes(self.folder)
        if header in INCLUDED_BY:
            shutil.copy(os.path.join(TESTS, path_of(INCLUDED_BY[header])), self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def compile_header(self, lines):
        with open(self.path(self.header), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return compile_object(self.object, self.folder, self.includes)

    def build(self, program):
        if program in INSIDE:
            sources = self.includes + [source_of(program)]
        else:
            others = [name for name in OBJECTS if name != self.object] if self.header in COMPANIONS else []
            sources = [os.path.join(OUT, name + ".o") for name in [program + "_test"] + others] + [self.path(self.object + ".o")]
        return command([CC] + FLAGS + sources + ["-o", self.path(program)] + LIBRARIES, 600)

    def run(self, program, seconds):
        return command([self.path(program[0])] + program[1:], seconds, preexec_fn=bound)


def includes(header_folder):
    return ["-I" + folder for folder in [header_folder] + FOLDERS + ["..", NETWORKS, "networks"]]


def source_of(program):
    paths = [os.path.join(folder, program + ".c") for folder in FOLDERS + ["networks", "."]]
    return next(path for path in paths if os.path.exists(os.path.join(TESTS, path)))


def compile_programs(programs, header):
    """What does not include the header that is changed is compiled once, for all mutants."""
    for name in OBJECTS if header in COMPANIONS else ():
        if not compile_object(name, OUT, includes("..")):
            return False
    for program in {program[0] for program in programs} - set(INSIDE):
        if not command([CC] + FLAGS + includes("..") + ["-DWEBNN_TEST_LINKED", "-c", source_of(program), "-o",
                                       os.path.join(OUT, program + "_test.o")], 600):
            return False
    return True


def measure(slot, text, programs):
    """The seconds that each program takes with the header as it is; None if one of them fails."""
    times = []
    if not compile_programs(programs, slot.header) or not slot.compile_header(text):
        return None
    for program in programs:
        begin = time.monotonic()
        if not slot.build(program[0]) or not slot.run(program, 600):
            print("%s fails without any change" % " ".join(program))
            return None
        times.append(time.monotonic() - begin)
    return times


def judge(slot, text, change, programs, times):
    """None if the change does not compile, else the program that notices it, "" if none does."""
    number, _, line = change
    if not slot.compile_header(text[:number - 1] + [line] + text[number:]):
        return None
    for program, seconds in zip(programs, times):
        if not slot.build(program[0]) or not slot.run(program, 10 * seconds + 20):
            return " ".join(program)
    return ""


def mutate(header, count, seed, revision, chapters):
    """Tries the changes of one header; returns how many were noticed, survived and did not compile, or None."""
    with open(os.path.join(TESTS, path_of(header)), encoding="utf-8") as file:
        text = file.read().split("\n")
    numbers = [number for _, number, _ in chapters_of(text)]
    chapters = chapters or [number for number in numbers if header != "webnn.h" or number not in (1, 13)]
    allowed = lines_of(text, chapters)
    if revision:
        allowed &= changed_lines(header, revision)
    if header in COMPANIONS:
        programs = COMPANIONS[header][1]
    else:
        programs = PROGRAMS + (FAST_PROGRAMS if set(chapters) & set(FAST_CHAPTERS) else [])
    changes = choose(text, allowed, count, seed)
    if not changes:
        print("%s: nothing to change" % header)
        return (0, 0, 0) if revision else None
    shutil.rmtree(OUT, ignore_errors=True)
    slots = [Slot(str(i), header) for i in range(AT_ONCE)]
    times = measure(slots[0], text, programs)
    if times is None:
        return None
    verdicts = []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool, \
            open(os.path.join(os.path.dirname(OUT), "mutation_survivors.txt"), "a", encoding="utf-8") as kept:
        def work(change):
            slot = slots.pop()
            try:
                verdict = judge(slot, text, change, programs, times)
            finally:
                slots.append(slot)
            return change, verdict
        for (number, what, _), verdict in pool.map(work, changes):
            verdicts.append(verdict)
            if verdict == "":
                line = "%s:%d  %-12s  %s" % (header, number, what, text[number - 1].strip())
                print(line, flush=True)
                kept.write(line + "\n")
    survivors, broken = verdicts.count(""), verdicts.count(None)
    killed = len(verdicts) - survivors - broken
    print("%s: %d of %d changes were noticed, %d did not compile" % (header, killed, killed + survivors, broken))
    return killed, survivors, broken


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    words = " ".join(sys.argv[3:]).split()
    named = dict(word.split("=", 1) for word in words if "=" in word)
    chapters = [int(word) for word in words if "=" not in word]
    revision = named.get("SINCE")
    headers = ["webnn.h"] + list(COMPANIONS)
    if shutil.which(CC) is None:
        print("mutation: skipped: there is no %s\n0 passed, 0 failed, 1 skipped" % CC)
        return 0
    if named.get("HEADER"):
        wanted = [named["HEADER"]]
    else:
        wanted = [header for header in headers if changed_lines(header, revision)] if revision else headers[:1]
    if not set(wanted) <= set(headers):
        print("mutation: HEADER is one of %s\n0 passed, 1 failed, 0 skipped" % ", ".join(headers))
        return 1
    if os.path.exists(os.path.join(os.path.dirname(OUT), "mutation_survivors.txt")):
        os.remove(os.path.join(os.path.dirname(OUT), "mutation_survivors.txt"))
    results = [mutate(header, count, seed, revision, chapters) for header in wanted]
    failed = results.count(None)
    killed = sum(result[0] for result in results if result)
    survivors = sum(result[1] for result in results if result)
    print("%d passed, %d failed, %d skipped" % (killed, failed, survivors))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
