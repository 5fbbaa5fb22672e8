"""What webnn.h costs to compile, so that it does not grow unseen.

    price.py HEADER [no]

The size of its code, by gcc -O2, may be at most 1 % over the figure in price.txt. The time of compiling it (of the
processor, not by the clock) may be at most 15 % over that of the webnn.h of the commit there: the two take turns. One
pair decides if it stays below half of that; otherwise the median of three does, so that a busy machine does not. Where the commit is missing, as in a shallow
clone, that is skipped; with "no" it is not judged. A change that is worth more than it costs writes its own figure and says why.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile

MOST_BYTES, MOST_TIME = 1.01, 1.15
ROUNDS = 3
ENOUGH = 170  # seconds of the clock, after which no further round begins


def compile_header(compiler, header, folder, name):
    """The object file and the seconds of the processor."""
    target = os.path.join(folder, name + ".o")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([compiler, "-std=c99", "-O2", "-DWEBNN_IMPLEMENTATION", "-x", "c", "-c", header, "-o", target],
                   check=True)
    return target, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def code_bytes(target):
    """text of all sections, as `size` counts it."""
    return int(subprocess.run(["size", target], capture_output=True, text=True, check=True).stdout.split()[6])


def header_of(commit, folder):
    """The file of webnn.h as that commit has it, or None."""
    here = os.path.dirname(os.path.abspath(__file__))
    found = subprocess.run(["git", "show", commit + ":webnn.h"], cwd=os.path.join(here, "..", ".."),
                           capture_output=True)
    if found.returncode != 0:
        return None
    os.makedirs(os.path.join(folder, "before"))
    path = os.path.join(folder, "before", "webnn.h")
    with open(path, "wb") as file:
        file.write(found.stdout)
    return path


def compare_times(compiler, header, before, folder):
    """The object file of the header, and the median of its time divided by that of the other."""
    ratios, spent = [], 0
    start = os.times().elapsed
    while len(ratios) < ROUNDS and (not ratios or spent * (1 + 1 / len(ratios)) < ENOUGH):
        pair = {}
        # Who is first takes turns, too.
        for name in ("now", "before") if len(ratios) % 2 == 0 else ("before", "now"):
            target, pair[name] = compile_header(compiler, header if name == "now" else before, folder, name)
        ratios.append(pair["now"] / pair["before"])
        spent = os.times().elapsed - start
        enough = len(ratios) == 1 and ratios[0] < (1 + MOST_TIME) / 2
        print("price: compiled in %.1f s, that commit's in %.1f s" % (pair["now"], pair["before"]), flush=True)
        if enough:
            break
    return os.path.join(folder, "now.o"), statistics.median(ratios)


def judge(what, found, most):
    right = found <= most
    print("price: %s%s" % (what, "" if right else ": too much"))
    return right


def main():
    header = os.path.abspath(sys.argv[1])
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "price.txt"), encoding="utf-8") as file:
        committed = dict(line.split() for line in file)
    compiler, figure = os.environ.get("PRICE_CC", "gcc"), int(committed["bytes"])
    results, skipped = [], 0
    machine = subprocess.run([compiler, "-dumpmachine"], capture_output=True, text=True).stdout
    if not machine.startswith("x86_64"):
        print("price: skipped: the figures are of gcc on x86-64, and %s is not that" % compiler)
        print("0 passed, 0 failed, 1 skipped")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        times = sys.argv[2:] != ["no"]
        before = header_of(committed["commit"], folder) if times else None
        if before is None:
            if times:
                print("price: the time: skipped: this clone lacks commit " + committed["commit"])
                skipped += 1
            target, _ = compile_header(compiler, header, folder, "now")
        else:
            target, ratio = compare_times(compiler, header, before, folder)
            results.append(judge("compiling takes %.2f of commit %s's time, at most %.2f" %
                                 (ratio, committed["commit"], MOST_TIME), ratio, MOST_TIME))
        size = code_bytes(target)
        results.append(judge("%d bytes of code, %.3f of the figure %d, at most %.2f" %
                             (size, size / figure, figure, MOST_BYTES), size / figure, MOST_BYTES))
    print("%d passed, %d failed, %d skipped" % (results.count(True), results.count(False), skipped))
    return 0 if all(results) else 1


sys.exit(main())
