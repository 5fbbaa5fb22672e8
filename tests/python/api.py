"""What webnn.py promises: names, options, arrays with and without copies, errors, files.

    api.py MODEL.ONNX IMAGES
"""

import array
import gc
import inspect
import os
import subprocess
import sys
import tempfile
import threading

import numpy
import webnn

passed = failed = 0


def check(what, condition):
    global passed, failed
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print("api: %s" % what)


def refused(what, kind, words, call):
    try:
        call()
    except kind as error:
        check("%s: %s" % (what, error), words in str(error))
    else:
        check("%s: nothing is raised" % what, False)


def graph_of(context, make, shape=(2, 2), data_type="float32"):
    builder = context.create_graph_builder()
    return builder.build({"y": make(builder, builder.input("x", shape, data_type))})


def check_arrays(context):
    x = numpy.float32([[1, -2], [3, -4]])
    graph = graph_of(context, lambda b, v: b.relu(v))
    wanted = numpy.maximum(x, 0)
    same = lambda given: (context.compute(graph, {"x": given})["y"] == wanted).all()
    check("numpy", same(x))
    check("columns first", same(numpy.asfortranarray(x)))
    check("every second row", same(numpy.repeat(x, 2, 0)[::2]))
    check("read-only", same(numpy.frombuffer(x.tobytes(), "f").reshape(2, 2)))
    check("memoryview", same(memoryview(x)))
    check("bytes", same(x.tobytes()))
    refused("other elements", webnn.TypeError_, "must have elements of float32, not float64", lambda: same(numpy.float64(x)))
    refused("other elements without names", webnn.TypeError_, "must have elements of float32, not of the format 'd'",
            lambda: same(memoryview(numpy.float64(x))))
    check("array.array", (context.compute(graph_of(context, lambda b, v: b.relu(v), [4]), {"x": array.array("f", x.ravel())})["y"]
                          == wanted.ravel()).all())

    class Lent:  # DLPack and nothing else
        def __dlpack__(self, **options):
            return x.__dlpack__(**options)

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    check("DLPack", same(Lent()))
    out = numpy.zeros((2, 2), "f")
    check("the result is the caller's", context.compute(graph, {"x": x}, {"y": out})["y"] is out and (out == wanted).all())
    check("lists", same([[1, -2.0], [3, -4]]))
    integers = graph_of(context, lambda b, v: b.abs(v), [2], "int32")
    check("a list of integers", context.compute(integers, {"x": [-1, 2]})["y"].tolist() == [1, 2])
    refused("floats for integers", webnn.TypeError_, "same_kind", lambda: context.compute(integers, {"x": [1.5, 2]}))
    refused("too large", webnn.TypeError_, "outside int32", lambda: context.compute(integers, {"x": [2**40, 2]}))
    refused("a size beyond 2^31", webnn.TypeError_, "3221225472", lambda: context.create_graph_builder().input("x", [0xc0000000]))
    refused("a list of another shape", webnn.TypeError_, "has the shape", lambda: context.compute(graph, {"x": [1.0, 2.0]}))
    refused("another type", TypeError, "must have elements of float32", lambda: context.compute(graph, {"x": x.astype("f8")}))
    refused("another shape", webnn.Error, "has the shape [4], not [2, 2]", lambda: context.compute(graph, {"x": x.ravel()}))
    refused("read-only result", webnn.TypeError_, "must be writable", lambda: context.compute(graph, {"x": x}, {"y": x.tobytes()}))
    refused("no such input", webnn.TypeError_, 'the graph has no input "z"', lambda: context.compute(graph, {"x": x, "z": x}))
    refused("a missing input", webnn.TypeError_, 'input "x" is not given', lambda: context.compute(graph, {}))
    refused("memory twice", webnn.TypeError_, "overlaps", lambda: context.compute(graph, {"x": out}, {"y": out}))


def check_constants(context):
    x, weights = numpy.float32([[1, 2], [3, 4]]), numpy.float32([[1, 0], [0, 2]])
    for copy, wanted in ((True, [[1, 4], [3, 8]]), (False, [[5, 4], [15, 8]])):
        own = weights.copy()
        builder = context.create_graph_builder()
        graph = builder.build({"y": builder.matmul(builder.input("x", (2, 2)), builder.constant(own, copy=copy))})
        own[0, 0] = 5  # not allowed for what is borrowed, and shows which it is
        check("copy=%s" % copy, (context.compute(graph, {"x": x})["y"] == wanted).all())
        del own, builder
        gc.collect()
        check("the memory is kept", (context.compute(graph, {"x": x})["y"] == wanted).all())
    builder = context.create_graph_builder()
    half = builder.constant(numpy.float16([1.5]))
    check("float16", half.data_type == "float16" and half.shape == [1])
    check("an operand's text: %r" % half, repr(half) == "<webnn.MLOperand float16 [1]>")
    builder.close()
    check("its text when the builder is closed: %r" % half, repr(half) == "<webnn.MLOperand of a closed builder>")
    builder = context.create_graph_builder()
    check("a number", builder.constant(3, data_type="int32").shape == [])
    check("4 bits", builder.constant(bytes([0x21, 3]), [3], "uint4").shape == [3])
    check("an int64 that no double is", context.compute(
        graph_of(context, lambda b, v: b.clamp(v, min_value=2**62 + 1), [1], "int64"), {"x": numpy.int64([0])})["y"][0] == 2**62 + 1)


def check_options(context):
    x = numpy.arange(16, dtype="f").reshape(1, 1, 4, 4)
    run = lambda make, given=x: context.compute(graph_of(context, make, given.shape, given.dtype.name), {"x": given})["y"]
    ones = numpy.ones((1, 1, 3, 3), "f")
    check("lists and enumerations", run(lambda b, v: b.conv2d(v, b.constant(ones), padding=[1, 1, 1, 1], strides=(2, 2),
                                                              input_layout="nchw")).tolist() == [[[[10, 24], [51, 90]]]])
    check("the opposite in C", run(lambda b, v: b.triangular(v, upper=False))[0, 0, 0].tolist() == [0, 0, 0, 0])
    check("upper", run(lambda b, v: b.triangular(v, upper=True))[0, 0, 3].tolist() == [0, 0, 0, 15])
    check("lower", run(lambda b, v: b.triangular(v, lower=True))[0, 0, 3].tolist() == [12, 13, 14, 15])
    check("zero is a number", (run(lambda b, v: b.clamp(b.neg(v), min_value=0)) == 0).all())
    check("None is left out", (run(lambda b, v: b.clamp(v, min_value=None, max_value=3)) <= 3).all())
    builder = context.create_graph_builder()
    v = builder.input("x", [6])
    check("parts", [p.shape for p in builder.split(v, 3)] == [[2]] * 3 and [p.shape for p in builder.split(v, [1, 5])] == [[1], [5]])
    check("keywords", builder.concat(inputs=[v, v], axis=0, label="both").shape == [12])
    check("float lists", builder.resample2d(builder.input("i", [1, 1, 2, 2]), scales=[2.0, 2], mode="linear").shape == [1, 1, 4, 4])
    check("activations", len(builder.gru(builder.input("g", [1, 1, 2]), builder.input("w", [1, 3, 2]), builder.input("r", [1, 3, 1]), 1, 1,
                                         activations=["relu", "tanh"])) == 1)
    refused("an unknown option", webnn.TypeError_, "relu has no option 'alpha'", lambda: builder.relu(v, alpha=1))
    refused("the library's message", webnn.TypeError_, 'softmax: axis (3) must be less than the rank of input (1)',
            lambda: builder.softmax(v, 3))
    refused("a negative axis", webnn.TypeError_, "axis (-1) must be 0 to 4294967295", lambda: builder.softmax(v, -1))
    check("usable afterwards", builder.relu(v).shape == [6])
    check("a list", builder.constant([[1, 2.5]]).shape == [1, 2] and builder.constant([1, 2], data_type="int8").data_type == "int8")
    limits = context.op_support_limits()
    check("limits", limits["preferredInputLayout"] == "nchw" and limits["conv2d"]["bias"]["rankRange"] == {"min": 1, "max": 1} and
          limits["relu"]["input"]["dataTypes"][0] == "float32" and len(limits) == 5 + 95)
    check("documented", "8.9.10" in webnn.MLGraphBuilder.conv2d.__doc__ and "padding" in inspect.signature(webnn.MLGraphBuilder.conv2d).parameters)


def check_tensors(context):
    graph = graph_of(context, lambda b, v: b.add(v, v), [3])
    x, y = context.create_tensor([3], "float32"), context.create_tensor([3], "float32")
    context.write_tensor(x, numpy.float32([1, 2, 3]))
    context.dispatch(graph, {"x": x}, {"y": y})
    check("attributes", (x.size, x.readable, x.writable, graph.get_input_names()) == (3, True, True, ["x"]))
    check("dispatch", context.read_tensor(y).tolist() == [2, 4, 6])
    with y:
        pass
    refused("closed", webnn.InvalidStateError, "the MLTensor is closed", lambda: y.shape)
    check("printed", "add" in str(graph) and "digraph" in graph.dot() and graph.memory["constants"] == 0)


def check_threads(context):
    x = numpy.float32([[1, -2], [3, -4]])
    graphs = [graph_of(context, lambda b, v: b.relu(v)) for _ in range(4)]
    wrong = []

    def work(graph):
        for _ in range(50):
            if context.compute(graph, {"x": x})["y"][0, 1] != 0:
                wrong.append(graph)

    threads = [threading.Thread(target=work, args=(graph,)) for graph in graphs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("threads", not wrong)


def check_donation(context):
    builder = context.create_graph_builder()
    cache, row, index = builder.input("cache", [4, 2]), builder.input("row", [1, 2]), builder.input("index", [1, 1], "int32")
    changed = builder.scatter_nd(cache, index, row)
    check("donate returns the output", builder.donate(cache, changed) is changed)
    refused("donated twice", webnn.TypeError_, 'input "cache" is donated already', lambda: builder.donate(cache, builder.relu(cache)))
    refused("no input", webnn.TypeError_, "input must be an input of the graph", lambda: builder.donate(changed, builder.relu(cache)))
    refused("another shape", webnn.TypeError_, "donate", lambda: builder.donate(row, changed))
    refused("no operand", webnn.TypeError_, "input must be a webnn.MLOperand", lambda: builder.donate("cache", changed))
    graph = builder.build({"changed": changed})
    other = context.create_graph_builder()
    given = other.input("given", [2])
    other.donate(given, other.relu(given))
    refused("to no output", webnn.TypeError_, 'input "given" must be donated to an output of the graph', lambda: other.build({"y": other.abs(given)}))
    one, two = context.create_tensor([4, 2], "float32"), context.create_tensor([4, 2], "float32")
    new, place = context.create_tensor([1, 2], "float32"), context.create_tensor([1, 1], "int32")
    context.write_tensor(one, numpy.zeros((4, 2), "f"))
    context.write_tensor(new, numpy.float32([[5, 6]]))
    context.write_tensor(place, numpy.int32([[2]]))
    context.dispatch(graph, {"cache": one, "row": new, "index": place}, {"changed": two})
    check("two tensors", (context.read_tensor(two)[2] == [5, 6]).all() and not context.read_tensor(one).any())
    context.dispatch(graph, {"cache": one, "row": new, "index": place}, {"changed": one})
    check("one tensor", (context.read_tensor(one)[2] == [5, 6]).all())
    array = numpy.zeros((4, 2), "f")
    context.compute(graph, {"cache": array, "row": numpy.float32([[7, 8]]), "index": numpy.int32([[3]])}, {"changed": array})
    check("one array", array.tolist() == [[0, 0], [0, 0], [0, 0], [7, 8]])


def check_open(context):
    """Dynamic dimensions, and operators whose sizes are operands."""
    builder = context.create_graph_builder()
    x, y = builder.input("x", ["batch", None, 3]), builder.input("y", ["batch", 1, 3])
    check("names of dimensions", x.shape == ["batch", None, 3] and builder.reshape(x, ["batch", 6]).shape == ["batch", 6])
    total = builder.add(x, y)
    check("what passes through", total.shape[0] == "batch" and total.shape[2] == 3)
    refused("certainly wrong", webnn.TypeError_, "add", lambda: builder.add(x, builder.input("z", [4])))
    refused("an empty name", webnn.TypeError_, "the name is empty", lambda: builder.input("z", [""]))
    refused("a number of C's", webnn.TypeError_, "3221225472", lambda: builder.input("z", [0xc0000000]))
    refused("a number of C's in newShape", webnn.TypeError_, "3221225473", lambda: builder.reshape(x, [0xc0000001, 6]))
    refused("a name elsewhere", webnn.TypeError_, "must be an integer", lambda: builder.tile(x, ["batch", 1, 1]))
    refused("a name of a tensor", webnn.TypeError_, "must be an integer", lambda: context.create_tensor(["batch"], "float32"))
    graph = builder.build({"total": total, "flat": builder.reshape(total, ["batch", 6])})
    check("names of a graph", graph.inputs["x"] == ("float32", ["batch", None, 3]) and graph.outputs["flat"] == ("float32", ["batch", 6]) and graph.is_open)
    check("shapes", graph.compute_shapes({"x": [5, 2, 3], "y": [5, 1, 3]}) == {"total": [5, 2, 3], "flat": [5, 6]})
    refused("shapes that do not fit", webnn.TypeError_, "batch", lambda: graph.compute_shapes({"x": [5, 2, 3], "y": [4, 1, 3]}))
    refused("a shape is missing", webnn.TypeError_, "y", lambda: graph.compute_shapes({"x": [5, 2, 3]}))
    for batch in (1, 4, 1):
        a, b = numpy.arange(batch * 6, dtype="f").reshape(batch, 2, 3), numpy.ones((batch, 1, 3), "f")
        out = numpy.zeros((batch, 6), "f")
        results = context.compute(graph, {"x": a, "y": b}, {"flat": out})
        check("sizes of %d" % batch, results["flat"] is out and (results["total"] == a + 1).all() and (out == (a + 1).reshape(batch, 6)).all())
    good = {"x": numpy.zeros((1, 2, 3), "f"), "y": numpy.zeros((1, 1, 3), "f")}
    refused("arrays that do not fit", webnn.TypeError_, "batch", lambda: context.compute(graph, {**good, "y": numpy.zeros((2, 1, 3), "f")}))
    refused("another type", webnn.TypeError_, "must have elements of float32", lambda: context.compute(graph, {**good, "y": numpy.zeros((1, 1, 3))}))
    refused("bytes have no shape", webnn.TypeError_, "no shape", lambda: context.compute(graph, {**good, "y": bytes(12)}))
    refused("no such input", webnn.TypeError_, 'no input "z"', lambda: context.compute(graph, {**good, "z": good["y"]}))
    refused("no such output", webnn.TypeError_, 'no output "z"', lambda: context.compute(graph, good, {"z": good["y"]}))
    refused("a result of another shape", webnn.TypeError_, "has the shape", lambda: context.compute(graph, good, {"flat": numpy.zeros((2, 6), "f")}))
    refused("memory twice", webnn.TypeError_, "dispatch", lambda: context.compute(graph, good, {"total": good["x"]}))
    both = numpy.zeros(9, "f")
    refused("memory that overlaps", webnn.TypeError_, "overlaps", lambda: context.compute(
        graph, {**good, "x": both[:6].reshape(1, 2, 3)}, {"total": both[3:].reshape(1, 2, 3)}))

    builder = context.create_graph_builder()
    x = builder.input("x", [1, "length", 8])
    sizes = builder.concat([builder.slice(builder.shape(x), [0], [2]), builder.constant(numpy.uint32([2, 4]))], 0)
    heads = builder.reshape_dynamic(x, sizes)
    check("shape as an operand", heads.shape == [1, "length", 2, 4])
    parts = builder.split_dynamic(x, builder.constant(numpy.uint32([3, 5])), axis=2)
    check("parts", [part.shape for part in parts] == [[1, "length", 3], [1, "length", 5]])
    check("dimensions of 1", builder.squeeze(x, None).shape is None and builder.squeeze(x, [0]).shape == ["length", 8])
    refused("no list", webnn.TypeError_, "axes", lambda: builder.unsqueeze(x, None))
    refused("sizes of data", webnn.TypeError_, "", lambda: builder.reshape_dynamic(x, builder.input("n", [2], "uint32")))
    graph = builder.build({"heads": heads, "part": parts[1]})
    a = numpy.arange(24, dtype="f").reshape(1, 3, 8)
    results = context.compute(graph, {"x": a})
    check("computed", (results["heads"] == a.reshape(1, 3, 2, 4)).all() and (results["part"] == a[:, :, 3:]).all())

    builder = context.create_graph_builder()
    x = builder.input("x", ["n"])
    graph = builder.build({"y": builder.donate(x, builder.add(x, x))})
    array = numpy.float32([1, 2, 3])
    context.compute(graph, {"x": array}, {"y": array})
    check("a donated array of an open size", array.tolist() == [2, 4, 6])


def read_pgm(path):
    with open(path, "rb") as file:
        words = file.read().split(None, 4)
    return numpy.frombuffer(words[4][-int(words[1]) * int(words[2]):], "uint8").reshape(int(words[2]), int(words[1]))


def check_onnx(path, images):
    model = webnn.load(path, numerics="reference", default_size=1)
    (name, (data_type, shape)), = model.inputs.items()
    right = 0
    for digit in range(10):
        picture = read_pgm("%s/%d.pgm" % (images, digit)).astype("f") / 255
        scores, = model(**{name: picture.reshape(shape)}).values()
        right += int(scores.argmax()) == digit
    check("digits: %d right" % right, right >= 8)
    graph = model.graph
    model.close()
    refused("a closed model", webnn.InvalidStateError, "closed", lambda: graph.memory)
    refused("no such file", webnn.OperationError, "", lambda: webnn.load("no such file.onnx"))
    refused("no model", webnn.TypeError_, "", lambda: webnn.load(__file__))


def field(number, value):
    """A field of a protobuf message: an integer below 128, or text, or a message."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    value = value.encode() if isinstance(value, str) else value
    length = [len(value)] if len(value) < 128 else [len(value) & 127 | 128, len(value) >> 7]
    return bytes([number << 3 | 2] + length) + value


def identities(**shapes):
    """An ONNX model whose output NAME_out is the input NAME, a float32 tensor."""
    def port(name, shape):
        dimensions = b"".join(field(1, field(2 if isinstance(size, str) else 1, size)) for size in shape)
        return field(1, name) + field(2, field(1, field(1, 1) + field(2, dimensions)))
    graph = b"".join(field(1, field(1, name) + field(2, name + "_out") + field(4, "Identity")) for name in shapes)
    graph += b"".join(field(11, port(name, shape)) for name, shape in shapes.items())
    graph += b"".join(field(12, port(name + "_out", shape)) for name, shape in shapes.items())
    return field(1, 8) + field(8, field(2, 17)) + field(7, graph)


def check_empty():
    """Outputs without elements, of which a graph has none."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("all.onnx", "some.onnx")]
        for path, shapes in zip(paths, ({"x": [0, 3]}, {"x": [0, 3], "w": [2]})):
            with open(path, "wb") as file:
                file.write(identities(**shapes))
        nothing, some = numpy.zeros((0, 3), "f"), numpy.float32([1, 2])
        with webnn.load(paths[0]) as model:
            check("all empty: ports", model.graph is None and model.inputs == {"x": ("float32", [0, 3])} and
                  model.outputs == {"x_out": ("float32", [0, 3])})
            for given in ({"x": nothing}, {}):
                results = model(given)
                check("all empty: %s" % given, list(results) == ["x_out"] and results["x_out"].shape == (0, 3))
            refused("all empty: a shape", webnn.TypeError_, "has the shape", lambda: model(x=numpy.zeros((1, 3), "f")))
            refused("all empty: no such input", webnn.TypeError_, "no input 'z'", lambda: model(z=nothing))
        refused("all empty: closed", webnn.InvalidStateError, "closed", lambda: model(x=nothing))
        with webnn.load(paths[1]) as model:
            results = model(x=nothing, w=some)
            check("some empty", set(model.outputs) == {"x_out", "w_out"} and set(results) == {"x_out", "w_out"} and
                  results["x_out"].shape == (0, 3) and (results["w_out"] == some).all())


def check_steps(context):
    builder = context.create_graph_builder()
    x = builder.input("x", [2, 2])
    graph = builder.build({"y": builder.relu(builder.matmul(x, x))})
    lines = graph.steps().splitlines()
    check("steps", bool(lines) and all(line for line in lines))
    graph.close()
    refused("steps of a closed graph", webnn.InvalidStateError, "closed", graph.steps)


def check_open_model():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "open.onnx")
        with open(path, "wb") as file:
            file.write(identities(x=["length"]))
        with webnn.load(path) as model:
            check("an open model", model.inputs == {"x": ("float32", ["length"])})
            check("of any size", all((model(x=numpy.ones(n, "f"))["x_out"] == numpy.ones(n)).all() for n in (2, 5)))
        refused("a size is missing", webnn.TypeError_, "length", lambda: webnn.load(path, fixed=True))


def main():
    with webnn.ML().create_context(numerics="reference", threads=1) as context:
        for test in (check_arrays, check_constants, check_options, check_tensors, check_threads, check_steps, check_donation, check_open):
            test(context)
    refused("a closed context", webnn.InvalidStateError, "the MLContext is closed", context.create_graph_builder)
    found = webnn.compare(numpy.float32([1, 2, 3]), numpy.float32([1, numpy.nextafter(numpy.float32(2), numpy.float32(3)), 4]), ulp=1)
    check("compare", (found.different, found.failed, found.first_failed) == (2, 1, 2))
    refused("compare", webnn.TypeError_, "differ", lambda: webnn.compare(numpy.zeros(2, "f"), numpy.zeros(3, "f")))
    check_onnx(*sys.argv[1:])
    check_empty()
    check_open_model()
    stubs = webnn.stubs()
    compile(stubs, "webnn.pyi", "exec")
    check("stubs of shapes", "def input(self, name: str, shape: Sequence[Dimension], data_type='float32') -> MLOperand:" in stubs and
          "def reshape_dynamic(self, input: MLOperand, new_shape: MLOperand, *" in stubs and
          "def reshape(self, input: MLOperand, new_shape: Sequence[Dimension], *" in stubs)
    check("stubs", all("def %s(self" % name in stubs for name in webnn.OPERATORS))
    # Objects of which none is closed, in any order, when the interpreter ends; and no numpy.
    code = ("import sys\nsys.modules['numpy'] = None\nimport array, webnn\nc = webnn.ML().create_context()\nb = c.create_graph_builder()\n"
            "g = b.build({'y': b.relu(b.input('x', [1, 2]))})\n"
            "print(c.compute(g, {'x': memoryview(array.array('f', [-1, 2])).cast('B').cast('f', (1, 2))})['y'].tolist())\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    check("without numpy: %s" % done.stderr, done.returncode == 0 and done.stdout == "[[0.0, 2.0]]\n")
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


sys.exit(main())
