"""Do comments of headers that point at a neighbour stand beside it, and do lines fit?

    comments.py HEADER...

"The same ..." above a function refers to the definition before it, so the two names have a word in common, or the
comment names the other. Lines have at most 100 columns, as .clang-format has it, but for those it is told to leave.
"""

import re
import sys

WIDTH = 100
DEFINITION = re.compile(r"^(?!#|/|\s|\})[^;]*?\b(?:webnn_\w+?__|webnn__|webnn_|K\(|Q\()(\w+)\)?(?:_of)?\(", re.M)
COMMENT = re.compile(r"^/\* (The same\b.*?)\*/\n", re.M | re.S)


def words(name):
    return {word.rstrip("s") for word in name.split("_") if len(word) > 2}


def main():
    passed = failed = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names = [(match.start(), match.group(1)) for match in DEFINITION.finditer(text)]
        for match in COMMENT.finditer(text):
            before = [name for at, name in names if at < match.start()][-1:]
            after = [name for at, name in names if at >= match.end()][:1]
            if not before or not after or "webnn_" in match.group(1) or words(before[0]) & words(after[0]):
                passed += 1
            else:
                failed += 1
                print("%s:%d: %s is \"the same\" as what? Before it stands %s" %
                      (path, text.count("\n", 0, match.start()) + 1, after[0], before[0]))
        off = False
        for number, line in enumerate(text.split("\n"), 1):
            off = "clang-format off" in line or (off and "clang-format on" not in line)
            if len(line) > WIDTH and not off:
                failed += 1
                print("%s:%d: %d columns" % (path, number, len(line)))
        passed += 1
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


sys.exit(main())
