"""Conformance vectors through webnn.py: the bits that C computes.

    vectors.py FOLDER NUMERICS    reads what `conformance NUMERICS bits` prints from standard input
"""

import json
import os
import re
import sys
import zlib

import numpy
import webnn

SNAKE = re.compile(r"([a-z0-9])([A-Z])")
METHODS = {name.replace("_", ""): name for name in webnn.OPERATORS}
WORDS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf"), "-0": -0.0}


def snake(name):
    return SNAKE.sub(r"\1_\2", name).lower().replace("2_d", "2d")


def filled(values, shape):
    if values.size == numpy.prod(shape, dtype=numpy.int64):
        return values.reshape(shape)
    return numpy.ascontiguousarray(numpy.broadcast_to(values, shape))


def elements_of(tensor):
    """The tensor's bytes as an array; elements of 4 bits lie two in a byte."""
    kind, shape = tensor["dataType"], tensor["shape"]
    count = int(numpy.prod(shape, dtype=numpy.int64))
    key = "bits" if "bits" in tensor else "fillBits" if "fillBits" in tensor else "data" if "data" in tensor else "fill"
    values = tensor[key] if isinstance(tensor[key], list) else [tensor[key]]
    if "its" in key:
        return filled(numpy.array(values, "uint16").view("float16"), shape)
    if kind.endswith("int4"):
        nibbles = [int(v) & 15 for v in (values if len(values) == count else values * count)] + [0]
        return numpy.array([nibbles[i] | nibbles[i + 1] << 4 for i in range(0, count, 2)], "uint8")
    if kind.startswith("float"):
        return filled(numpy.array([WORDS.get(v, v) for v in values], "float64").astype(kind), shape)
    return filled(numpy.array([int(v) for v in values], kind), shape)


def value_of(argument, operands):
    (kind, value), = [(k, v) for k, v in argument.items() if k != "name"]
    if kind == "operand":
        return operands[value]
    if kind == "operands":
        return [operands[name] for name in value]
    if kind == "number":
        return WORDS.get(value, value) if isinstance(value, str) else value
    if kind == "bigint":
        return int(value)
    return value


def compute(context, case):
    builder, operands, inputs = context.create_graph_builder(), {}, {}
    for tensor in case["inputs"]:
        data = elements_of(tensor)
        if tensor["constant"]:
            operands[tensor["name"]] = builder.constant(data, tensor["shape"], tensor["dataType"])
        else:
            operands[tensor["name"]] = builder.input(tensor["name"], tensor["shape"], tensor["dataType"])
            inputs[tensor["name"]] = data
    for made in case["operators"]:
        options, arguments = {}, []
        for argument in made["arguments"]:
            if "options" in argument:
                options = {snake(k): value_of(v, operands) for k, v in argument["options"].items()}
            else:
                arguments.append(value_of(argument, operands))
        results = getattr(builder, METHODS[made["name"].lower()])(*arguments, **options)
        results = results if isinstance(results, list) else [results]
        operands.update(zip(made["outputs"], results))
    graph = builder.build({tensor["name"]: operands[tensor["name"]] for tensor in case["outputs"]})
    results = context.compute(graph, {name: inputs[name] for name in graph.inputs})
    for tensor in case["outputs"]:
        assert graph.outputs[tensor["name"]] == (tensor["dataType"], tensor["shape"]), "another type or shape"
    return results


def hash_of(array):
    return "%08x" % zlib.crc32(array.tobytes())


def main():
    folder, numerics = sys.argv[1:]
    expected = {}
    for line in sys.stdin:
        if line.startswith("bits\t"):
            _, file, case, output, found = line.rstrip("\n").split("\t")
            expected[os.path.basename(file).replace(".json", ""), case, output] = found
    passed = failed = 0
    numpy.seterr(over="ignore")  # of what is written for float16
    context = webnn.create_context(numerics=numerics)
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".json"):
            continue
        with open(os.path.join(folder, file), encoding="utf-8") as text:
            cases = json.load(text)["cases"]
        for case in cases:
            wanted = {t["name"]: expected.pop((file[:-5], case["name"], t["name"]), None) for t in case["outputs"]}
            try:
                found = {name: hash_of(array) for name, array in compute(context, case).items()}
            except webnn.Error as error:
                found = error
            # C changes cases of an older text, which both refuse as they are.
            right = isinstance(found, webnn.TypeError_) if "adapted" in wanted.values() else found == wanted
            passed, failed = passed + right, failed + (not right)
            if not right and failed < 20:
                print("%s: %s: C has %s, Python %s" % (file, case["name"], wanted, found))
    if expected:
        failed += 1
        print("Python has not computed %d cases, such as %s" % (len(expected), next(iter(expected))))
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0 or passed == 0


sys.exit(main())
