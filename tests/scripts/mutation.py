"""Which small changes to a part of the project does no test notice?

mutation.py COUNT SEED [HEADER=PART] [SINCE=REVISION] [SECONDS=N] [CHAPTERS]

Changes one thing at a time in a copy of a file: a comparison, && and ||, + and -, a constant by
one, a condition negated, a statement left out; COUNT of them, chosen by SEED from the function bodies
of CHAPTERS ("8 9"; of webnn.h all but platform and kernels; of the command files, "read/npy.c"). PART is webnn.h
unless it is given: a header, or webnn, the command (parts.py). SINCE takes the lines that differ from a revision, in
PART or in each part that does. SECONDS bounds it all: what is not tried until then is said.
Each copy is compiled without optimization and without vector kernels, and the quick test programs of that
part run with it, two copies at a time, until one of them fails, crashes or does not end. Each program runs once
without any change before. What they all pass
is printed, and kept in build/mutation_survivors.txt: either a test is missing there or the change changes
nothing. Somebody has to look; so survivors are counted as skipped.
"""
import collections
import concurrent.futures
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import parts
from coverage import sections_of, text_of

OUT = os.path.join(parts.TESTS, "build", "mutation")
SURVIVORS = os.path.join(os.path.dirname(OUT), "mutation_survivors.txt")
CC = os.environ.get("MUTATION_CC", "gcc")
FLAGS = ["-std=c99", "-O0", "-w"]
AT_ONCE = 2
MEMORY = 8 << 30  # a mutant may ask for anything
LONGEST = 600     # seconds, of one step
LEAST_SHARE = 60  # seconds, of a part in a bounded run
SCRIPT_SECONDS = 60  # of the processor, for each process of a script

Change = collections.namedtuple("Change", "file number what line")

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


def lines_of(part, chapters):
    """(file, line) of what lies in some chapters or files: without any all, but of webnn.h not platform and kernels."""
    return {(section.file, line) for section in sections_of(part)
            if (section.word in chapters if chapters else part.name != "webnn.h" or section.word not in ("1", "13"))
            for line in range(section.first, section.after)}


def changed_lines(part, revision):
    """(file, line) of what differs from a revision in the files of a part."""
    changed = set()
    for file in part.files:
        diff = subprocess.run(["git", "diff", "-U0", revision, "--", file], cwd=parts.ROOT, check=True,
                              stdout=subprocess.PIPE, encoding="utf-8").stdout
        changed |= {(file, line) for first, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.M)
                    for line in range(int(first), int(first) + int(count or 1))}
    return changed


def choose(part, allowed, count, seed):
    """Some of the allowed lines, by chance, and for each one of its changes."""
    texts = {file: text_of(file) for file in sorted({file for file, _ in allowed})}
    codes = {file: code_of(text) for file, text in texts.items()}
    lines = [(file, number) for file, code in codes.items() for number in bodies(code) if (file, number) in allowed]
    chance = random.Random(seed)
    chance.shuffle(lines)
    chosen = []
    for file, number in lines:
        changes = list(changes_of(number, codes[file], texts[file]))
        if changes:
            chosen.append(Change(file, *chance.choice(changes)))
        if len(chosen) == count:
            break
    return chosen


# ---- Compiling and running ----------------------------------------------------------------------


class OutOfTime(Exception):
    pass


class Fault(Exception):
    """Something fails without any change."""


class Clock:
    """Runs commands until a point in time."""

    def __init__(self, end):
        self.end = end

    def left_for(self, least):
        """The seconds that are left, which have to be more than these."""
        left = self.end - time.monotonic() if self.end else float("inf")
        if left <= least:
            raise OutOfTime()
        return left

    def run(self, arguments, seconds=LONGEST, **more):
        """True if a command succeeds in so many seconds."""
        left = self.left_for(0)
        status, _ = parts.run(arguments, min(seconds, left), **more)
        if status is None and left < seconds:
            raise OutOfTime()
        return status == 0

    def run_program(self, workshop, program, arguments, seconds):
        def bound():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if program.is_script:  # what its commands loop in ends one by one
                resource.setrlimit(resource.RLIMIT_CPU, (SCRIPT_SECONDS, SCRIPT_SECONDS))
        line, environment = workshop.run(program, arguments)
        return self.run(line, seconds, preexec_fn=bound, env=dict(environment, FIRST="yes"))


class Base:
    """The part as it is: what changes do not touch is compiled once, and programs are timed when they are needed."""

    def __init__(self, part, clock):
        self.part, self.clock = part, clock
        self.shop = parts.Workshop(part, os.path.join(OUT, "base"), CC, FLAGS + part.flags + part.mutation_flags)
        self.times, self.tests = {}, set()
        self.locks = {program: threading.Lock() for program in part.programs}

    def compile(self):
        units = self.part.objects + self.part.beside
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            compiled = list(pool.map(lambda unit: self.clock.run(self.shop.compile_object(unit)), units))
        if not all(compiled) or not self.link(self.shop):
            raise Fault("it does not compile")

    def link(self, shop):
        if self.part.command:
            if not self.clock.run(shop.link_command()):
                return False
            shop.give_names()
        return True

    def build(self, shop, program):
        if program.is_script:
            return True
        return self.clock.run(shop.build(program, self.shop.path(program.name + "_test.o")))

    def seconds_of(self, program, arguments):
        """How long a run takes without any change."""
        with self.locks[program]:
            if program.name not in self.tests:
                if not (program.inside or program.is_script or self.clock.run(self.shop.compile_test(program))):
                    raise Fault("%s does not compile" % program.name)
                if not self.build(self.shop, program):
                    raise Fault("%s does not build" % program.name)
                self.tests.add(program.name)
            if (program.name, arguments) not in self.times:
                begin = time.monotonic()
                if not self.clock.run_program(self.shop, program, arguments, LONGEST):
                    raise Fault("%s fails" % " ".join((program.name,) + arguments))
                self.times[program.name, arguments] = time.monotonic() - begin
            return self.times[program.name, arguments]

    def made_of(self, unit):
        """The files of the project that an object is made of."""
        with open(self.shop.path(unit.name + ".d"), encoding="utf-8") as file:
            words = file.read().replace("\\\n", " ").split()[1:]
        return {os.path.relpath(os.path.realpath(os.path.join(parts.TESTS, word)), parts.ROOT) for word in words}


class Slot:
    """A folder with a tree of its own, in which one file at a time is changed."""

    def __init__(self, base, name):
        self.base, folder = base, os.path.join(OUT, name)
        self.tree = os.path.join(folder, "tree")
        for path in ("webnn.h", "webnn_vulkan.h"):
            os.makedirs(self.tree, exist_ok=True)
            shutil.copy(os.path.join(parts.ROOT, path), self.tree)
        for path in (parts.HEADERS, parts.COMMAND):
            shutil.copytree(os.path.join(parts.ROOT, path), os.path.join(self.tree, path))
        shop = base.shop
        self.shop = parts.Workshop(shop.part, os.path.join(folder, "made"), CC, shop.flags, self.tree)
        for unit in shop.part.objects + shop.part.beside:
            self.take(unit)

    def take(self, unit):
        """The object as it is without a change."""
        path = self.shop.path(unit.name + ".o")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.drop(unit)
        os.symlink(self.base.shop.path(unit.name + ".o"), path)

    def drop(self, unit):
        path = self.shop.path(unit.name + ".o")
        if os.path.lexists(path):
            os.remove(path)

    def judge(self, change, programs):
        """None if the change does not compile, else the run that notices it, "" if none does."""
        path, text = os.path.join(self.tree, change.file), text_of(change.file)
        units = [unit for unit in self.base.part.objects if change.file in self.base.made_of(unit)]
        text[change.number - 1] = change.line
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")
        try:
            for unit in units:
                self.drop(unit)
                if not self.base.clock.run(self.shop.compile_object(unit)):
                    return None
            if not self.base.link(self.shop):
                return None
            return self.first_to_notice(programs)
        finally:
            shutil.copy(os.path.join(parts.ROOT, change.file), path)
            for unit in units:
                self.take(unit)

    def first_to_notice(self, programs):
        for program in programs:
            for arguments in program.mutation:
                self.base.clock.left_for(program.least)
                seconds = self.base.seconds_of(program, arguments)
                if arguments == program.mutation[0] and not self.base.build(self.shop, program):
                    return program.name if self.base.part.objects else None
                longest = 3 * seconds + 60 if program.is_script else 5 * seconds + 10
                if not self.base.clock.run_program(self.shop, program, arguments, longest):
                    return " ".join((program.name,) + arguments)
        return ""


# ---- The changes of a part ----------------------------------------------------------------------

# Those that are skipped are survivors, and one if no change could be tried in the time.
Result = collections.namedtuple("Result", "noticed skipped failed")


def programs_for(part, change):
    """The programs for the chapter of a change."""
    word = next(section.word for section in sections_of(part)
                if section.file == change.file and section.first <= change.number < section.after)
    return [program for program in part.programs
            if program.mutation and (program.chapters is None or word in map(str, program.chapters))]


def show(change):
    line = "%s:%d  %-12s  %s" % (change.file, change.number, change.what,
                                 text_of(change.file)[change.number - 1].strip())
    print(line, flush=True)
    with open(SURVIVORS, "a", encoding="utf-8") as kept:
        kept.write(line + "\n")


def judge_all(base, changes):
    """The verdicts on the changes that are tried before the time is over."""
    slots = [Slot(base, str(i)) for i in range(AT_ONCE)]

    def work(change):
        slot = slots.pop()
        try:
            verdict = slot.judge(change, programs_for(base.part, change))
        except OutOfTime:
            return change, OutOfTime
        finally:
            slots.append(slot)
        return change, verdict

    verdicts = []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for change, verdict in pool.map(work, changes):
            if verdict is not OutOfTime:
                verdicts.append(verdict)
            if verdict == "":
                show(change)
    return verdicts


def mutate(part, options, chapters, end):
    """Tries the changes of one part until a point in time."""
    begin = time.monotonic()
    allowed = lines_of(part, chapters)
    if options.get("SINCE"):
        allowed &= changed_lines(part, options["SINCE"])
    changes = choose(part, allowed, options["COUNT"], options["SEED"])
    if not changes:
        print("%s: nothing to change" % part.name)
        return Result(0, 0, 0 if options.get("SINCE") else 1)
    shutil.rmtree(OUT, ignore_errors=True)
    verdicts = []
    try:
        base = Base(part, Clock(end))
        base.compile()
        verdicts = judge_all(base, changes)
    except OutOfTime:
        pass
    except Fault as fault:
        print("%s: without any change %s" % (part.name, fault))
        return Result(0, 0, 1)
    survivors, broken = verdicts.count(""), verdicts.count(None)
    noticed = len(verdicts) - survivors - broken
    tried = ", %d of %d were tried in %d s" % (len(verdicts), len(changes), time.monotonic() - begin) if end else ""
    print("%s: %d of %d changes were noticed, %d did not compile%s" %
          (part.name, noticed, noticed + survivors, broken, tried), flush=True)
    return Result(noticed, survivors if verdicts else 1, 0)


def wanted_parts(options):
    """The parts to judge, and why others are not."""
    known, revision = parts.parts(), options.get("SINCE")
    if revision and subprocess.run(["git", "rev-parse", "-q", "--verify", revision + "^{commit}"], cwd=parts.ROOT,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        return [], ["there is no revision %s here, as in a clone of one commit" % revision]
    names = [options["HEADER"]] if options.get("HEADER") else list(known) if revision else ["webnn.h"]
    wanted, reasons = [], []
    for part in (known[name] for name in names):
        if revision and not changed_lines(part, revision):
            continue
        reason = parts.missing(part, [CC])
        if reason:
            reasons.append("%s: %s" % (part.name, reason))
        else:
            wanted.append(part)
    # Where most has changed, a bounded run begins.
    return sorted(wanted, key=lambda part: -len(changed_lines(part, revision)) if revision else 0), reasons


def main():
    words = " ".join(sys.argv[3:]).split()
    options = dict(word.split("=", 1) for word in words if "=" in word)
    options.update(COUNT=int(sys.argv[1]), SEED=int(sys.argv[2]))
    chapters = [word for word in words if "=" not in word]
    if options.get("HEADER", "webnn.h") not in parts.parts():
        print("mutation: HEADER is one of %s\n0 passed, 1 failed, 0 skipped" % ", ".join(parts.parts()))
        return 1
    end = time.monotonic() + float(options["SECONDS"]) if options.get("SECONDS") else None
    wanted, reasons = wanted_parts(options)
    for reason in reasons:
        print("mutation: skipped: %s" % reason)
    if not wanted and not reasons:
        print("mutation: nothing to change that differs from %s" % options["SINCE"])
    if os.path.exists(SURVIVORS):
        os.remove(SURVIVORS)
    results = []
    for i, part in enumerate(wanted):
        # Parts share what is left of the time; less than a part needs to compile and run something is no share.
        now = time.monotonic()
        results.append(mutate(part, options, chapters,
                              end and min(end, now + max(LEAST_SHARE, (end - now) / (len(wanted) - i)))))
    noticed, skipped, failed = [sum(numbers) for numbers in zip(Result(0, 0, 0), *results)]
    print("%d passed, %d failed, %d skipped" % (noticed, failed, skipped + len(reasons)))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
