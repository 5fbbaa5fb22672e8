"""The formulas that `webnn trace` prints beside exact values, evaluated on the numbers above them.

    formulas.py TOOL EXAMPLES.json

Every operator's first example is traced, and the cases of a file. Each formula of examples/webnn/exact/formula.c
must be met with finite numbers and give the exact value that it stands beside.
"""

import json
import math
import os
import re
import struct
import subprocess
import sys

FUNCTIONS = {"sqrt": math.sqrt, "ln": math.log, "erf": math.erf, "tanh": math.tanh, "sin": math.sin, "cos": math.cos,
             "tan": math.tan, "abs": abs, "min": min, "max": max, "roundEven": round, "E": math.e, "relu": lambda x: max(0.0, x),
             "sigmoid": lambda x: 1 / (1 + math.exp(-x))}
DEFAULTS = {"elu": {"alpha": 1}, "hardSigmoid": {"alpha": 0.2, "beta": 0.5}, "leakyRelu": {"alpha": 0.01},
            "linear": {"alpha": 1, "beta": 0}, "gemm": {"alpha": 1, "beta": 1}}
LINE = re.compile(r"^  (\S+) +(\S+)(?: +(.*))?$")


def number(text):
    return float(text.rstrip(".")) if not text.endswith("...") else float(text[:-3])


def float32(x):
    return struct.unpack("f", struct.pack("f", x))[0] if abs(x) < 3e38 else x


def value_of(formula, names, elements):
    """`names` are letters and options, `elements` are values by their text, "x[0,1]"."""
    for i, text in enumerate(sorted(elements, key=len, reverse=True)):
        formula = formula.replace(text, "(v%d)" % i)
        names["v%d" % i] = elements[text]
    formula = formula.replace("number of terms", "terms").replace("c'", "state").replace("·", "*")
    formula = re.sub(r"\be\^", "E^", formula).replace("^", "**").replace("E**min", "E**min")
    return eval(formula, {"__builtins__": {}}, {**FUNCTIONS, **names})


class Element:
    """One element of a trace, from its heading to what is stored."""

    def __init__(self, heading):
        self.operator = re.search(r" = (\w+)\(", heading).group(1)
        options = re.findall(r"(alpha|beta|epsilon)=([-\d.e+]+)", heading)
        self.names = {"epsilon": 1e-5, "terms": 0}
        self.names.update(DEFAULTS.get(self.operator, {}))
        self.names.update((name, float(text)) for name, text in options)
        self.elements = {}

    def take(self, word, text, source):
        """True: the formula gives the exact value; False: another; None: nothing to compare."""
        if word == "kernel":  # a section and a function
            return None
        value = number(text)
        if word == "read":
            self.elements[source] = float32(value)
        elif word == "exact" and source:
            numbers = [value, *self.elements.values()]
            if not all(math.isfinite(x) for x in numbers):
                return None
            return math.isclose(value_of(source, dict(self.names), self.elements), value, rel_tol=2e-6, abs_tol=1e-6)
        elif word == "term":
            self.names["terms"] += 1
        elif word not in ("index", "exact", "stored"):
            self.names["state" if word == "c'" else word] = value
            if word in ("mean", "variance", "m"):
                self.names["terms"] = 0
        return None


def check(title, trace):
    """(right, wrong) formulas by operator."""
    right, wrong, element = {}, {}, None
    for line in trace.splitlines():
        found = LINE.match(line)
        if not found:
            element = Element(line) if " = " in line else None
        elif element:
            agrees = element.take(*found.groups())
            if agrees is not None:
                counts = right if agrees else wrong
                counts[element.operator] = counts.get(element.operator, 0) + 1
                if not agrees:
                    print("%s: %s" % (title, line))
    return right, wrong


def main():
    tool, path = sys.argv[1:3]
    source = os.path.dirname(os.path.abspath(__file__)) + "/../../examples/webnn/exact/formula.c"
    operators = sorted(set(re.findall(r'^    \{"(\w+)", ', open(source).read(), re.M)))
    runs = [(name, [name]) for name in operators]
    runs += [(c["name"], [path, "--case", c["name"]]) for c in json.load(open(path))["cases"]]
    runs += [(c["name"] + ", its last result", [path, "--case", c["name"], "--output", c["outputs"][-1]["name"]])
             for c in json.load(open(path))["cases"] if len(c["outputs"]) > 1]
    right, wrong = {}, {}
    for title, arguments in runs:
        trace = subprocess.run([tool, "trace", *arguments, "--show", "1000", "--docs", "../docs"], capture_output=True,
                               encoding="utf-8", check=True).stdout
        for counts, more in zip((right, wrong), check(title, trace)):
            for name, count in more.items():
                counts[name] = counts.get(name, 0) + count
    missing = [name for name in operators if name not in right]
    for name in missing:
        print("%s: its formula was not met with finite numbers" % name)
    passed, failed = sum(right.values()), sum(wrong.values()) + len(missing)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


sys.exit(main())
