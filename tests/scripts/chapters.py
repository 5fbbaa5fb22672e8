"""Do the chapters of webnn.h call what they say they call?

    chapters.py HEADER

Each chapter's opening comment names the chapters whose functions and function-like macros it uses
("Calls chapters 2, 3 and 5 to 7.", "Calls nothing of ours."). Those must be the ones that it does use,
and all of them above it. Names in comments and strings do not count. Chapter 1 alone asks which compiler,
processor and system the code is compiled by and for. Every operator stands in the list at the top and among the
functions by which C++ takes options by reference.
"""

import re
import sys

sys.dont_write_bytecode = True
from coverage import chapters_of

COMMENTS = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.S)
DEFINITION = re.compile(r"^(?:static|WEBNN_API|WEBNN__[A-Z]+|VK?_?\w*)\b[^;={]*?\b(webnn_\w+)\([^;{]*\)\s*\{", re.M)
MACRO = re.compile(r"^#define (WEBNN__\w+|v_\w+|webnn__\w+)\(", re.M)
NAME = re.compile(r"\b(webnn_\w+|WEBNN__\w+)\b(?=\s*[(,;)}])")

# What compilers define by themselves, but for the version of the language.
PREDEFINED = re.compile(r"^#\s*(?:el)?if.*?\b(_?__?(?!STDC|cplusplus|has_)[a-zA-Z]\w*(?:__)?|_WIN32|_M_\w+|_MSC_VER)\b", re.M)


def numbers(text):
    """{2, 3, 5, 6, 7} of "2, 3 and 5 to 7"."""
    found = set()
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def lists_without(text):
    """What a new operator is easily left out of, with the operators of the table that it lacks."""
    rows = re.findall(r"^  X\([A-Z0-9_]+, +([a-z0-9_]+), +\"\w+\", +\"", text, re.M)
    listed = text[text.index("     Operators "):text.index("     Graphs ")]
    taken = text[text.index("#define WEBNN__1("):text.index("#undef WEBNN__1\n")]
    references = set(re.findall(r"\bWEBNN__\w+\(([a-z0-9_]+),", taken))
    yield "the table of operators", [] if len(rows) > 90 else ["rows"]
    yield "the list at the top", [name for name in rows if not re.search(r"\b%s\b" % name, listed)]
    yield "the references of C++", [name for name in rows if name not in references]


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    lines = text.split("\n")
    chapters = chapters_of(lines)
    passed = failed = 0
    parts, home = {}, {}
    for i, (first, number, _) in enumerate(chapters):
        last = chapters[i + 1][0] if i + 1 < len(chapters) else len(lines)
        part = "\n".join(lines[first - 1:last - 1])
        parts[number] = (part[:part.index("*/")], COMMENTS.sub(" ", part))
        for name in DEFINITION.findall(parts[number][1]) + MACRO.findall(parts[number][1]):
            home.setdefault(name, number)
    for number, (banner, code) in parts.items():
        banner = re.sub(r"\s+", " ", banner)
        claim = re.search(r"Calls (?:chapters? ([\d, andto]+)|nothing)", banner)
        used = {home[name] for name in NAME.findall(code) if home.get(name, number) != number}
        said = numbers(claim.group(1) or "") if claim else None
        if said == used and max(used | {0}) < number:
            passed += 1
        else:
            failed += 1
            print("chapter %d says it calls %s and calls %s" % (number, sorted(said) if claim else "nothing at all",
                                                                sorted(used)))
            for other in sorted(used - (said or set())):
                names = sorted({n for n in NAME.findall(code) if home.get(n) == other})
                print("  %d: %s" % (other, ", ".join(names[:6])))
    for number, (_, code) in parts.items():
        asked = sorted(set(PREDEFINED.findall(code))) if number != 1 else []
        passed, failed = (passed + 1, failed) if not asked else (passed, failed + 1)
        if asked:
            print("chapter %d asks for %s" % (number, ", ".join(asked)))
    for what, missing in lists_without(text):
        passed, failed = (passed + 1, failed) if not missing else (passed, failed + 1)
        if missing:
            print("%s lacks %s" % (what, ", ".join(missing)))
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


sys.exit(main())
