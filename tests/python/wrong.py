"""Wrong arguments of every kind: each call of webnn.py raises or gives a result, and the process goes on.

    wrong.py [CALLS [SEED]]
"""

import gc
import inspect
import random
import sys

import numpy
import webnn

CLOSED = webnn.create_context()
GONE = CLOSED.create_graph_builder()
GONE_OPERAND = GONE.input("x", [2], "float32")
GONE_TENSOR = CLOSED.create_tensor([2], "float32")
GONE_GRAPH = GONE.build({"y": GONE.relu(GONE_OPERAND)})
for gone in (GONE_GRAPH, GONE_TENSOR, GONE, CLOSED):
    gone.close()
    gone.close()

CONTEXT = webnn.create_context(numerics="reference")
OTHER = CONTEXT.create_graph_builder()
OTHER_OPERAND = OTHER.input("x", [2], "float32")
ORPHAN_CONTEXT = webnn.create_context()
ORPHAN = ORPHAN_CONTEXT.create_graph_builder()  # whose context is freed before it
ORPHAN_OPERAND = ORPHAN.input("x", [2], "float32")
ORPHAN_CONTEXT.close()

WRONG = [None, object(), "x", "", "relu", "float32", "a\0b", "\ud800", "\u202e" * 300, b"", b"\0" * 8, -1, -9, 0, 1, 2**31, 2**32 - 1, 2**32,
         2**63, 2**64, 10**30, -10**30, 1.5, float("nan"), float("inf"), 1j, True, [], [-1], [0], [1] * 8, [1] * 9,
         [2**32], [None], ["relu"], ["relu", "tanh"], [1.5, 2], [[1]], {}, {"x": 1}, {1: 2}, (), set(), GONE_OPERAND,
         OTHER_OPERAND, ORPHAN_OPERAND, [OTHER_OPERAND], [GONE_OPERAND] * 3, GONE_TENSOR, GONE_GRAPH, CLOSED, CONTEXT, type,
         numpy.zeros(2, "f"), numpy.zeros((2, 2), "f")[:, 1], numpy.zeros(2, ">f4"), numpy.zeros(2, object), numpy.zeros((0, 3), "f"),
         numpy.zeros(2, "complex64"), numpy.zeros(2, "datetime64[s]"), numpy.float32(1), numpy.int64(3), numpy.zeros((1,) * 12, "f"),
         memoryview(b"abcd"), memoryview(bytearray(8)).cast("f"), range(3), iter([1]), "nchw", "nhwc", "linear", lambda: 1]

counts = {"raised": 0, "made": 0}
faults = []


def attempt(what, call):
    try:
        call()
        counts["made"] += 1
    except (webnn.Error, TypeError, ValueError):
        counts["raised"] += 1
    except Exception as error:
        faults.append("%s: %s: %s" % (what, type(error).__name__, error))


def guess(kind, operands):
    """An argument of the right kind, as the signature has it."""
    kind = str(kind)
    if kind == "MLOperand":
        return random.choice(operands)
    if kind == "Sequence[MLOperand]":
        return [random.choice(operands)] * random.randint(1, 3)
    if kind in ("Sequence[int]", "Sequence[Dimension]"):
        return [random.randint(0, 3) for _ in range(random.randint(0, 4))]
    return random.randint(0, 3) if kind == "int" else "float32"


def try_operators(calls):
    """Each argument and option of each operator takes each wrong value, and then several at once."""
    for number in range(calls):
        builder = CONTEXT.create_graph_builder()
        operands = [builder.input("x", [2, 3], "float32"), builder.input("i", [1, 3, 4, 4], "float32"),
                    builder.constant(numpy.ones((3, 3, 2, 2), "f")), builder.constant(numpy.arange(3, dtype="int32"))]
        for name in webnn.OPERATORS:
            method = getattr(builder, name)
            parameters = inspect.signature(method).parameters.values()
            given = {p.name: guess(p.annotation, operands) for p in parameters if p.default is p.empty}
            options = [p.name for p in parameters if p.default is not p.empty]
            for keyword in random.sample(list(given) + options, min(3, len(given) + len(options))):
                given[keyword] = random.choice(WRONG + operands)
            attempt(name, lambda: method(**given))
        attempt("no such option", lambda: builder.relu(operands[0], nonsense=1))
        attempt("too many", lambda: builder.relu(*operands))
        attempt("too few", lambda: builder.add(operands[0]))


def try_each():
    """Every wrong value as every argument and option of every operator."""
    builder = CONTEXT.create_graph_builder()
    x = builder.input("x", [1, 2, 4, 4], "float32")
    for name in webnn.OPERATORS:
        method = getattr(builder, name)
        parameters = inspect.signature(method).parameters.values()
        for p in parameters:
            for value in WRONG:
                given = {q.name: guess(q.annotation, [x]) for q in parameters if q.default is q.empty}
                given[p.name] = value
                attempt("%s(%s)" % (name, p.name), lambda: method(**given))


def try_objects():
    """The other functions, with wrong values and objects that are closed."""
    builder = CONTEXT.create_graph_builder()
    x = builder.input("x", [2, 2], "float32")
    graph = builder.build({"y": builder.relu(x)})
    tensor = CONTEXT.create_tensor([2, 2], "float32")
    sizes = CONTEXT.create_graph_builder()
    any_size = sizes.input("x", ["n", None], "float32")
    sized = sizes.build({"y": sizes.donate(any_size, sizes.relu(any_size))})
    good = numpy.zeros((2, 2), "f")
    for value in WRONG:
        for other in random.sample(WRONG, 8):
            fresh = CONTEXT.create_graph_builder()
            attempt("input", lambda: fresh.input(value, other))
            attempt("input", lambda: fresh.input("x", value, other))
            attempt("constant", lambda: fresh.constant(value, other))
            attempt("constant", lambda: fresh.constant(value, other, "float32"))
            attempt("constant", lambda: fresh.constant(value, other, "int4", copy=False))
            attempt("input", lambda: fresh.input("x", [value, other, "n", None]))
            attempt("reshape", lambda: fresh.reshape(fresh.input("x", ["n", 2]), [value, "n"]))
            attempt("donate", lambda: fresh.donate(value, other))
            attempt("donate", lambda: fresh.donate(fresh.input("x", [2]), value))
            attempt("compute_shapes", lambda: sized.compute_shapes(value))
            attempt("compute_shapes", lambda: sized.compute_shapes({"x": value, "y": other}))
            attempt("compute of any size", lambda: CONTEXT.compute(sized, {"x": value}))
            attempt("compute of any size", lambda: CONTEXT.compute(sized, {"x": good}, {"y": value}))
            attempt("compute of any size", lambda: CONTEXT.compute(sized, {"x": good, "z": value}, value))
            attempt("build", lambda: fresh.build(value))
            attempt("build", lambda: fresh.build({"y": value}))
            attempt("create_tensor", lambda: CONTEXT.create_tensor(value, other))
            attempt("create_tensor", lambda: CONTEXT.create_tensor([2], value))
            attempt("write_tensor", lambda: CONTEXT.write_tensor(tensor, value))
            attempt("write_tensor", lambda: CONTEXT.write_tensor(value, other))
            attempt("read_tensor", lambda: CONTEXT.read_tensor(tensor, value))
            attempt("read_tensor", lambda: CONTEXT.read_tensor(value))
            attempt("compute", lambda: CONTEXT.compute(graph, value))
            attempt("compute", lambda: CONTEXT.compute(value, {}))
            attempt("compute", lambda: CONTEXT.compute(graph, {"x": value}))
            attempt("compute", lambda: CONTEXT.compute(graph, {"x": good, "z": value}))
            attempt("compute", lambda: CONTEXT.compute(graph, {"x": good}, {"y": value}))
            attempt("compute", lambda: CONTEXT.compute(graph, {"x": good}, {"y": good}))
            attempt("dispatch", lambda: CONTEXT.dispatch(graph, value, other))
            attempt("dispatch", lambda: CONTEXT.dispatch(graph, {"x": tensor}, {"y": value}))
            attempt("dispatch", lambda: CONTEXT.dispatch(graph, {"x": tensor}, {"y": tensor}))
            attempt("compare", lambda: webnn.compare(value, other))
            attempt("compare", lambda: webnn.compare(good, value, ulp=other))
        for option in ("numerics", "power_preference", "instruction_set", "accelerated", "arithmetic", "allocator", "backend",
                       "parallel_for", "disabled_passes", "spin_microseconds", "max_tensor_byte_length", "backend_options"):
            attempt("create_context", lambda: webnn.create_context(**{option: value}))
    for call in (lambda: CLOSED.create_graph_builder(), lambda: CLOSED.wait(), lambda: CLOSED.create_tensor([1], "int8"),
                 lambda: CLOSED.compute(graph, {"x": good}), lambda: GONE.relu(GONE_OPERAND), lambda: GONE.input("x", [1]),
                 lambda: GONE_OPERAND.shape, lambda: GONE_TENSOR.shape, lambda: GONE_GRAPH.memory, lambda: GONE_GRAPH.profile(), lambda: GONE_GRAPH.compute_shapes({"x": [2]}),
                 lambda: GONE.donate(GONE_OPERAND, GONE_OPERAND),
                 lambda: ORPHAN.relu(ORPHAN_OPERAND), lambda: ORPHAN.build({"y": ORPHAN_OPERAND}), lambda: CONTEXT.compute(GONE_GRAPH, {})):
        before = counts["raised"]
        attempt("closed", call)
        if counts["raised"] == before:
            faults.append("a closed object is used: %s" % inspect.getsource(call).strip())
    str(GONE_GRAPH)


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    try_objects()
    try_each()
    try_operators(calls)
    gc.collect()
    # What was refused has left the context as it was.
    builder = CONTEXT.create_graph_builder()
    graph = builder.build({"y": builder.relu(builder.input("x", [2], "float32"))})
    if CONTEXT.compute(graph, {"x": numpy.float32([-1, 2])})["y"].tolist() != [0, 2]:
        faults.append("the context is not usable afterwards")
    for fault in faults[:20]:
        print(fault)
    print("wrong: %(raised)d calls raised, %(made)d gave a result" % counts)
    print("%d passed, %d failed, 0 skipped" % (counts["raised"] + counts["made"], len(faults)))
    return bool(faults)


sys.exit(main())
