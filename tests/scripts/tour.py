#!/usr/bin/env python3
"""Goes the stops of docs/tour.md: runs the commands before the first stop once, applies the changes of each stop to
an unchanged copy of the project as they left it, runs the stop's commands there, and looks for the lines that the
page promises, in their order, in what they print.

    python3 scripts/tour.py [STOP ...]
    python3 scripts/tour.py map        draws docs/tour.svg, which is compared when all stops run
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import tour_map

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARTS = ["webnn.h", "docs", "examples/tiny", "examples/hello", "examples/digits", "examples/headers", "examples/webnn",
         "examples/common.h", "tests/common", "tests/interface", "tests/reference"]
MAP = os.path.join(ROOT, "docs/tour.svg")
STOPS = 12


def stops():
    """(title, [(kind, argument, lines)], paragraphs) of each heading with blocks below it; first what stands before them
    all."""
    found, kind = [["", [], ""]], None
    with open(os.path.join(ROOT, "docs/tour.md"), encoding="utf-8") as page:
        for line in page.read().split("\n"):
            if kind is None and line.startswith("## "):
                found.append([line[3:], [], ""])
            elif kind is None and line.startswith("```"):
                kind, _, argument = line[3:].partition(" ")
                found[-1][1].append((kind, argument, []))
            elif line == "```":
                kind = None
            elif kind is not None:
                found[-1][1][-1][2].append(line)
            else:
                found[-1][2] += line + "\n"
    return found


def map_of_stops():
    """docs/tour.svg as it has to be."""
    with open(os.path.join(ROOT, "webnn.h"), encoding="utf-8") as file:
        text = file.read()
    return tour_map.draw(text, [(int(title.split(".")[0]), (prose, blocks)) for title, blocks, prose in stops()[1:]])


def copy_project(folder):
    for part in PARTS:
        there, here = os.path.join(ROOT, part), os.path.join(folder, part)
        os.makedirs(os.path.dirname(here), exist_ok=True)
        (shutil.copytree if os.path.isdir(there) else shutil.copy)(there, here)


def change(folder, name, lines):
    """Lines with - become those with +; None, or what is wrong."""
    path = os.path.join(folder, name)
    old = "".join(line[1:] + "\n" for line in lines if line.startswith("-"))
    new = "".join(line[1:] + "\n" for line in lines if line.startswith("+"))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        return f"{name} has the lines to be changed {text.count(old)} times: {old.strip().splitlines()[0]}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    return None


def run(folder, lines):
    done = subprocess.run(["sh", "-e", "-c", "\n".join(lines)], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=1200, check=False)
    return done.stdout + ("" if done.returncode == 0 else f"exit status {done.returncode}\n"), done.returncode


def missing(output, lines):
    """The first promised line that does not come."""
    at = 0
    for line in lines:
        next_at = output.find(line, at)
        if next_at < 0:
            return line
        at = next_at + len(line)
    return None


def prepare(folder, blocks):
    """A copy of the project after the commands before the first stop; what is wrong, or None."""
    copy_project(folder)
    output, status = run(folder, [line for kind, _, lines in blocks if kind == "sh" for line in lines])
    return f"the commands fail: {output[-1500:]}" if status != 0 else None


def go(base, blocks):
    """What is wrong with a stop, or None."""
    output = ""
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, "project")
        shutil.copytree(base, folder)
        for kind, argument, lines in blocks:
            wrong = None
            if kind == "diff":
                wrong = change(folder, argument, lines)
            elif kind == "sh":
                output, status = run(folder, lines)
                wrong = f"the commands fail: {output[-1500:]}" if status != 0 else None
            elif kind == "text":
                line = missing(output, lines)
                wrong = f'"{line}" does not come in: {output[-1500:]}' if line is not None else None
            if wrong is not None:
                return wrong
    kinds = {kind for kind, _, _ in blocks}
    return None if {"sh", "text"} <= kinds else "there is nothing to do or nothing promised"


def go_all(base):
    """How many stops were right, and how many wrong."""
    (_, before, _), *rest = stops()
    passed = failed = 0
    wrong = prepare(base, before)
    if wrong is not None:
        print(f"tour, before the stops: {wrong}")
        return 0, 1
    for title, blocks, _ in rest:
        if sys.argv[1:] and title.split(".")[0] not in sys.argv[1:]:
            continue
        wrong = go(base, blocks)
        passed, failed = passed + (wrong is None), failed + (wrong is not None)
        if wrong is not None:
            print(f"tour, {title}: {wrong}")
    return passed, failed


def promises(count):
    """What is wrong with the tour as a whole."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"tour: {count} stops, {seconds:.0f} s of processor time")
    if count != STOPS:
        yield f"{count} stops, not {STOPS}"
    with open(MAP, encoding="utf-8") as file:
        if file.read() != map_of_stops():
            yield "docs/tour.svg is another one: python3 tests/scripts/tour.py map"


def main():
    if sys.argv[1:] == ["map"]:
        with open(MAP, "w", encoding="utf-8") as file:
            file.write(map_of_stops())
        return 0
    with tempfile.TemporaryDirectory() as base:
        passed, failed = go_all(base)
    if not sys.argv[1:]:
        for wrong in promises(passed + failed):
            failed += 1
            print(f"tour: {wrong}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
