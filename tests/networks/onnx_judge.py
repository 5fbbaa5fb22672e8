"""Writes many small ONNX models with random attributes, shapes, types and values, for every operator
that webnn_onnx.h reads, and the inputs to run them on.

    python3 onnx_judge.py FOLDER [--seed N] [--count N] [--only FAMILY[,FAMILY...]] [--number N] [--dynamic] [--list]

FOLDER gets `cases` and `data`, as networks/files/onnx_judge.c and scripts/onnx_judge.js read them.
--count is how many models of each family. A model depends on its family, the seed and its number only,
so that a title that is printed names a model: --seed, --only and --number write it again.

Random models of ordinary numbers seldom contain what a rule is about. So options that a rule depends on
are taken in turn (Model.take), windows end at borders (bordered), and in one model of four every fourth
number is a special one (Model.marked).
"""
import argparse
import contextlib
import os
import random
import sys
import zlib

import numpy as np
import onnx
from onnx import helper

import onnx_formulas as formulas

FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64 = 1, 2, 3, 4, 5, 6, 7
BOOL, FLOAT16, DOUBLE, UINT32, UINT64, BFLOAT16, UINT4, INT4 = 9, 10, 11, 12, 13, 16, 21, 22
NUMPY = {FLOAT: np.float32, UINT8: np.uint8, INT8: np.int8, UINT16: np.uint16, INT16: np.int16,
         INT32: np.int32, INT64: np.int64, BOOL: np.bool_, FLOAT16: np.float16, DOUBLE: np.float64,
         UINT32: np.uint32, UINT64: np.uint64}
TYPES = {np.dtype(v): k for k, v in NUMPY.items()}
INTEGERS = [UINT8, INT8, UINT16, INT16, INT32, INT64, UINT32, UINT64]
MOVABLE = [FLOAT, FLOAT16, BOOL] + INTEGERS
NEWEST = 26
MICROSOFT = "com.microsoft"
LEARNED = "ai.onnx.ml"

FAMILIES = {}


EXACT = (0, 0)  # a tolerance: values are moved or chosen, so that every bit and sign stays


def family(since=7, upto=NEWEST, name=None, tolerance=None, special=False):
    """Registers a function that fills a Model of one of these versions. `special`: ONNX's text says what
    happens to NaN, infinities, zeros of both signs and subnormal numbers ("ordered": to all but NaN)."""
    def register(function):
        FAMILIES[name or function.__name__] = (function, since, upto, tolerance, special)
        return function
    return register


class Model:
    """A model being made, and the random numbers for it."""

    dynamic = False  # sizes of inputs have names, equal ones one name or each its own

    def __init__(self, seed, number, since, upto, special=False):
        self.r = random.Random(seed)
        self.turn = number
        self.special = special if number % 4 == number // 4 % 4 else False
        self.n = np.random.RandomState(self.r.randrange(2 ** 32))
        versions = [v for v in range(since, upto + 1)]
        self.opset = self.r.choice(versions)
        self.nodes, self.inputs, self.initializers, self.outputs, self.feeds = [], [], [], [], []
        self.count = 0
        self.run_time = self.r.choice([1.0, 1.0, 0.6, 0.0])
        self.tolerance = None
        self.tags = []
        self.functions = []
        self.reason, self.second_nodes = "", []

    def tag(self, text):
        """A word on the model that its title shows, for what is known to differ."""
        if text not in self.tags:
            self.tags.append(text)

    @contextlib.contextmanager
    def second(self, reason):
        """ONNX Runtime is known to depart from ONNX's text in this model, for this reason. What is made
        inside are the model's outputs by other nodes, in which it does not; they decide."""
        first, self.nodes = self.nodes, []
        yield
        constants = [n for n in first if n.op_type == "Constant"]
        self.reason, self.second_nodes, self.nodes = reason, constants + self.nodes, first

    def second_values(self, reason, *arrays):
        """As second(), with the values of the outputs."""
        with self.second(reason):
            for port, array in zip(self.outputs, arrays):
                array = np.asarray(array)
                array = array.astype(np.float32) if array.dtype == np.float64 else array
                tensor = helper.make_tensor(port.name, TYPES[array.dtype], array.shape, array.tobytes(), raw=True)
                self.nodes.append(helper.make_node("Constant", [], [port.name], value=tensor))

    # ---- Random choices

    def take(self, *items):
        """Each of the items in turn of the model's number: those of a second call in turn of the first's."""
        self.turn, at = divmod(self.turn, len(items))
        return items[at]

    def chance(self, p=0.5):
        return self.r.random() < p

    def pick(self, *items):
        return self.r.choice(items)

    def rank(self, low=0, high=5):
        return self.r.randint(low, high)

    def shape(self, low=0, high=4, least=1, most=4):
        rank = self.r.randint(low, high)
        return [self.r.randint(least, most) for _ in range(rank)]

    def axis(self, rank):
        return self.r.randrange(-rank, rank) if rank else 0

    def floats(self, shape, kind=None, type=FLOAT):
        """Floats of a kind: small, integers (with ties), wide, or special values among them."""
        if self.special and kind != "positive":
            return self.marked(shape, type)
        kind = kind or self.pick("small", "small", "integers", "wide", "special")
        size = int(np.prod(shape))
        if kind == "integers":
            x = self.n.randint(-3, 4, size).astype(np.float32)
        elif kind == "positive":
            x = self.n.uniform(0.1, 2, size)
        else:
            x = self.n.uniform(-1, 1, size)
        if kind == "wide":
            x = x * self.pick(10, 100)
        if kind == "special":
            x = x * 4
            special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 3e38
                       if type == FLOAT else 6e4]
            for i in range(size):
                if self.chance(0.4):
                    x[i] = self.r.choice(special)
        with np.errstate(over="ignore"):
            return np.asarray(x, np.float32).reshape(shape).astype(NUMPY[type])

    def marked(self, shape, type):
        """Every fourth number is a special one: NaN twice along an axis, infinities, zeros of both signs,
        subnormal numbers, and the largest of the others again."""
        with np.errstate(over="ignore", invalid="ignore"):
            x = self.n.uniform(-3, 3, int(np.prod(shape))).astype(np.float32).astype(NUMPY[type])
            tiny = np.finfo(np.float16 if type == FLOAT16 else np.float32).tiny / np.float32(4)
            choices = [np.inf, -np.inf, 0.0, -0.0, tiny, -tiny, x.max() if x.size else 0, x.min() if x.size else 0]
            choices += [] if self.special == "ordered" else [np.nan, np.nan]
            places = self.r.sample(range(x.size), -(-x.size // 4))
            for i in places:
                x[i] = self.r.choice(choices)
        x = x.reshape(shape)
        long = [a for a, size in enumerate(x.shape) if size > 1]
        if long and self.special != "ordered" and self.chance():
            axis = self.r.choice(long)
            line = [self.r.randrange(size) for size in x.shape]
            for line[axis] in self.r.sample(range(x.shape[axis]), 2):
                x[tuple(line)] = np.nan
        return x

    def integers(self, shape, type, low=None, high=None, limits=False):
        info = np.iinfo(NUMPY[type])
        low = max(info.min, -9 if low is None else low)
        high = min(info.max, 9 if high is None else high)
        x = np.array([self.r.randint(low, high) for _ in range(int(np.prod(shape)))], NUMPY[type])
        if limits:
            for i in range(x.size):
                if self.chance(0.3):
                    x[i] = self.r.choice([info.min, info.max, 0, 1])
        return x.reshape(shape)

    def values(self, shape, type, kind=None):
        if type in (FLOAT, FLOAT16, DOUBLE):
            return self.floats(shape, kind, type)
        if type == BOOL:
            return self.n.randint(0, 2, int(np.prod(shape))).astype(np.bool_).reshape(shape)
        return self.integers(shape, type)

    # ---- Parts of the model

    def name(self, prefix):
        self.count += 1
        return "%s%d" % (prefix, self.count)

    def give(self, array, run=None):
        """An input of the graph, or a constant (an initializer, or a node Constant)."""
        array = np.asarray(array)
        type = TYPES[array.dtype]
        run = self.chance(self.run_time) if run is None else run
        if run:
            name = self.name("x")
            shape = self.named(name, array.shape) if Model.dynamic else array.shape
            self.inputs.append(helper.make_tensor_value_info(name, type, shape))
            self.feeds.append((name, type, array))
            return name
        name = self.name("c")
        tensor = helper.make_tensor(name, type, array.shape, array.tobytes(), raw=True)
        if self.chance(0.2):
            self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        else:
            self.initializers.append(tensor)
        return name

    def named(self, name, shape):
        joint = zlib.crc32(name.encode()) % 2  # no random number, so that the model is that without names
        return ["n%d" % size if joint else "%s_%d" % (name, i) for i, size in enumerate(shape)]

    def constant(self, array):
        return self.give(array, run=False)

    def ints(self, values):
        """A list of int64: mostly a constant, as it is in models."""
        return self.give(np.asarray(values, np.int64), run=False)

    def node(self, op, inputs, outputs=1, domain="", **attributes):
        names = [self.name("y") for _ in range(outputs)] if isinstance(outputs, int) else list(outputs)
        attributes = {k: v for k, v in attributes.items() if v is not None}
        self.nodes.append(helper.make_node(op, list(inputs), names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def output(self, *names):
        for name in names:
            if name:
                info = onnx.ValueInfoProto()
                info.name = name
                self.outputs.append(info)

    def serialize(self, nodes):
        graph = helper.make_graph(nodes, "judge", self.inputs, self.outputs, self.initializers)
        opsets = [helper.make_opsetid("", self.opset), helper.make_opsetid(MICROSOFT, 1), helper.make_opsetid(LEARNED, 3)]
        opsets += [helper.make_opsetid("judge", 1)] if self.functions else []
        model = helper.make_model(graph, opset_imports=opsets, functions=self.functions)
        model.ir_version = 8 if self.opset < 19 else 10
        return model.SerializeToString()

    def about(self):
        """The model in a line: the nodes with their attributes, and the types, sizes and few values they take."""
        known = {name: ("%s%s" % (array.dtype, list(array.shape))).replace(" ", "") for name, _, array in self.feeds}
        for tensor in self.initializers:
            known[tensor.name] = tensor_text(tensor)
        texts = []
        for node in self.nodes:
            if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
                known[node.output[0]] = tensor_text(node.attribute[0].t)
                continue
            inputs = ", ".join("%s %s" % (name, known[name]) if name in known else name or "-" for name in node.input)
            attributes = "".join(" %s=%s" % (a.name, attribute_text(a)) for a in node.attribute)
            outputs = ", ".join(name or "-" for name in node.output)
            texts.append("%s = %s%s(%s)%s" % (outputs, node.domain and node.domain + ".", node.op_type, inputs, attributes))
        return "; ".join(texts)


def tensor_text(tensor):
    """float32[2,3], and =[...] behind it where it is short."""
    if tensor.data_type not in NUMPY:
        return "type %d%s" % (tensor.data_type, list(tensor.dims))
    text = "%s%s" % (np.dtype(NUMPY[tensor.data_type]), list(tensor.dims))
    if tensor.raw_data and int(np.prod(tensor.dims)) <= 8:
        values = np.frombuffer(tensor.raw_data, NUMPY[tensor.data_type]).tolist()
        text += "=" + (str(values) if tensor.dims else str(values[0]))
    return text.replace(" ", "")


def attribute_text(a):
    if a.type == onnx.AttributeProto.STRING:
        return a.s.decode("utf-8", "replace")
    if a.type == onnx.AttributeProto.TENSOR:
        return tensor_text(a.t)
    if a.type == onnx.AttributeProto.GRAPH:
        return "{%s}" % "; ".join("%s = %s(%s)" % (", ".join(n.output), n.op_type, ", ".join(n.input)) for n in a.g.node)
    value = helper.get_attribute_value(a)
    if a.type == onnx.AttributeProto.STRINGS:
        return str([v.decode("utf-8", "replace") for v in value]).replace(" ", "")
    if a.type in (onnx.AttributeProto.INTS, onnx.AttributeProto.FLOATS):
        return str(["%g" % v if isinstance(v, float) else v for v in value]).replace(" ", "").replace("'", "")
    return "%g" % value if isinstance(value, float) else str(value)


def some(m, **attributes):
    """Each attribute with an even chance: its value, or its default."""
    return {k: v for k, v in attributes.items() if m.chance(0.5)}


def broadcast_pair(m, high=4):
    """Two shapes that broadcast."""
    full = m.shape(0, high)

    def part():
        cut = m.r.randint(0, len(full)) if m.chance(0.4) else 0
        return [1 if m.chance(0.25) else d for d in full[cut:]]
    return part(), part()


# ---- Elementwise

UNARY = {  # from which version, and the values that make sense
    "Abs": 7, "Acos": 7, "Acosh": 9, "Asin": 7, "Asinh": 9, "Atan": 7, "Atanh": 9, "Ceil": 7, "Cos": 7, "Cosh": 9,
    "Erf": 9, "Exp": 7, "Floor": 7, "HardSwish": 14, "Identity": 7, "IsNaN": 9, "Log": 7, "Mish": 18, "Neg": 7,
    "Reciprocal": 7, "Relu": 7, "Round": 11, "Sigmoid": 7, "Sign": 9, "Sin": 7, "Sinh": 9, "Softplus": 7,
    "Softsign": 7, "Sqrt": 7, "Tan": 7, "Tanh": 7}


@family(name="Unary", special=True)
def unary(m):
    op = m.r.choice([o for o in UNARY if UNARY[o] <= m.opset])
    type = m.pick(FLOAT, FLOAT, FLOAT16) if m.chance(0.8) else m.r.choice(INTEGERS)
    shape = m.shape(0, 5)
    x = m.values(shape, type)
    if type in INTEGERS:
        op = m.pick("Abs", "Neg", "Sign") if m.opset >= 9 else m.pick("Abs", "Neg")
        type = m.pick(INT8, INT32, INT64) if op == "Neg" else type
        if m.opset >= 14 and m.chance(0.2):
            op, type = "Relu", m.pick(INT8, INT32)
        x = m.integers(shape, type, limits=True)
    m.output(m.node(op, [m.give(x)]))
    if op in ("Abs", "Neg", "Identity", "Ceil", "Round"):
        m.tolerance = EXACT
    if op == "Sign" and x.dtype.kind == "f":
        m.second_values("Sign: of NaN it is 0 here, as in WebNN", np.nan_to_num(np.sign(x)).astype(x.dtype))


@family(name="Activation", since=7)
def activation(m):
    choices = {"Elu": {"alpha": 7}, "LeakyRelu": {"alpha": 7}, "Selu": {"alpha": 7, "gamma": 7},
               "HardSigmoid": {"alpha": 7, "beta": 7}, "ThresholdedRelu": {"alpha": 10}, "Celu": {"alpha": 12},
               "Shrink": {"bias": 9, "lambd": 9}, "Gelu": {}, "Swish": {"alpha": 24}}
    least = {"ThresholdedRelu": 10, "Celu": 12, "Shrink": 9, "Gelu": 20, "Swish": 24}
    op = m.r.choice([o for o in choices if least.get(o, 7) <= m.opset])
    type = m.pick(FLOAT, FLOAT16) if op != "Celu" else FLOAT
    attributes = some(m, **{k: m.pick(0.0, 1.0, -0.5, 0.25, 2.0, 1.5) for k in choices[op]})
    if op == "Celu" and attributes.get("alpha") == 0:
        attributes["alpha"] = 0.5
    if op == "Gelu":
        attributes = some(m, approximate=m.pick("none", "tanh"))
    if op == "Shrink" and m.chance(0.3):
        type = m.pick(INT8, INT32, UINT8)
    m.output(m.node(op, [m.give(m.values(m.shape(0, 5), type))], **attributes))


@family(name="Binary", special=True)
def binary(m):
    op = m.pick("Add", "Sub", "Mul", "Div", "Add", "Pow", "Max", "Min", "Equal", "Greater", "Less", "Mod", "PRelu")
    if op == "Mod" and m.opset < 10:
        op = "Sub"
    if m.opset >= 12 and m.chance(0.2):
        op = m.pick("GreaterOrEqual", "LessOrEqual")
    type = m.pick(FLOAT, FLOAT, FLOAT16, INT32, INT64) if m.chance(0.7) else m.r.choice(INTEGERS)
    if m.opset < 9 and op in ("Greater", "Less", "PRelu") or m.opset < 8 and op in ("Max", "Min"):
        type = FLOAT
    if m.opset < 11 and op == "Equal":
        type = m.pick(INT32, INT64, BOOL)
    if op == "Mod" and type in (FLOAT, FLOAT16):
        type = INT32
    if m.opset < 14 and type not in (FLOAT, FLOAT16, INT32, INT64) and op in ("Add", "Sub", "Mul", "Div"):
        type = m.pick(INT32, INT64)
    if m.opset < 12 and op in ("Max", "Min", "Pow"):
        type = FLOAT
    if op == "Pow" and type not in (FLOAT, FLOAT16) or op == "PRelu" and type in (INT8, INT16, UINT8, UINT16):
        type = m.pick(INT32, INT64)
    a, b = broadcast_pair(m)
    if m.opset < 8 and op in ("Max", "Min"):
        b = a
    m.special = m.special if op != "PRelu" else False
    x, y = m.values(a, type), m.values(b, type)
    if type in INTEGERS and op in ("Max", "Min", "Add", "Sub", "Mul", "Equal", "Less", "Greater"):
        x, y = m.integers(a, type, limits=True), m.integers(b, type, limits=True)
    if type in INTEGERS and op in ("Div", "Mod"):
        y[y == 0] = 1
    if op == "Pow":
        if m.opset >= 12 and m.chance(0.4):
            other = m.pick(FLOAT, INT32, INT64)
            type = m.pick(FLOAT, INT32, INT64)
            x, y = m.values(a, type), m.values(b, other)
        if x.dtype.kind in "iu":
            x, y = np.abs(x), np.abs(np.nan_to_num(y, posinf=2, neginf=2)) % 4
            y = y.astype(x.dtype) if y.dtype.kind == "f" and m.chance() else y
    if op == "PRelu":
        b = [1 if m.chance(0.3) else d for d in a[m.r.randint(0, len(a)):]]
        y = m.values(b, type, "small")  # WebNN's prelu multiplies by 0 where x is positive
    attributes = {"fmod": m.pick(0, 1)} if op == "Mod" and m.chance() else {}
    if op == "Mod" and not attributes.get("fmod") and x.dtype.kind == "u":
        attributes = {}
    m.output(m.node(op, [m.give(x), m.give(y)], **attributes))


@family(name="Logic")
def logic(m):
    op = m.pick("And", "Or", "Xor", "Not")
    a, b = broadcast_pair(m)
    if op == "Not":
        m.output(m.node(op, [m.give(m.values(a, BOOL))]))
    else:
        m.output(m.node(op, [m.give(m.values(a, BOOL)), m.give(m.values(b, BOOL))]))


@family(name="Bits", since=11)
def bits(m):
    a, b = broadcast_pair(m)
    if m.opset >= 18 and m.chance(0.3):
        m.output(m.node("BitwiseNot", [m.give(m.integers(a, m.r.choice(INTEGERS), limits=True))]))
        return
    type = m.pick(UINT8, UINT32, UINT64)
    size = np.iinfo(NUMPY[type]).bits
    y = m.integers(b, type, 0, size + 2 if m.chance(0.3) else size - 1)
    m.output(m.node("BitShift", [m.give(m.integers(a, type, limits=True)), m.give(y)],
                    direction=m.pick("LEFT", "RIGHT")))


@family(name="Several", since=7, special=True)
def several(m):
    op = m.pick("Max", "Min", "Sum", "Mean")
    type = m.pick(FLOAT, FLOAT16) if op in ("Sum", "Mean") or m.opset < 12 else m.pick(FLOAT, FLOAT16, INT32, INT64,
                                                                                       UINT8, INT8)
    full = m.shape(0, 4)
    count = m.r.randint(1, 5)
    shapes = [full if m.opset < 8 else [1 if m.chance(0.2) else d for d in full[m.r.choice([0, 0, len(full)]):]]
              for _ in range(count)]
    m.output(m.node(op, [m.give(m.values(s, type)) for s in shapes]))


@family(name="Clip", special=True)
def clip(m):
    if m.opset < 11:
        m.output(m.node("Clip", [m.give(m.floats(m.shape(0, 4)))],
                        **some(m, min=m.pick(-1.0, 0.0, 0.25, -np.inf), max=m.pick(1.0, 6.0, 0.25, np.inf))))
        return
    type = m.pick(FLOAT, FLOAT16) if m.opset < 12 or m.chance() else m.pick(INT8, UINT8, INT32, INT64, UINT32, UINT64)
    inputs = [m.give(m.values(m.shape(0, 4), type))]
    m.special = False  # nothing is said of bounds that are NaN
    for bound in ("min", "max"):
        value = m.values([], type, "wide")
        inputs.append(m.give(value) if m.chance(0.7) else "")
    while inputs[-1] == "":
        inputs.pop()
    m.output(m.node("Clip", inputs))


@family(name="IsInf", since=10, special=True)
def is_inf(m):
    m.output(m.node("IsInf", [m.give(m.floats(m.shape(0, 3), "special"))],
                    **some(m, detect_positive=m.pick(0, 1), detect_negative=m.pick(0, 1))))


@family(name="Where", since=9, special=True)  # there the sign of -0 is lost
def where(m):
    a, b = broadcast_pair(m)
    c = [1 if m.chance(0.3) else d for d in a]
    type = m.pick(FLOAT, FLOAT, INT32, INT64, UINT8, FLOAT16, BOOL)
    m.output(m.node("Where", [m.give(m.values(c, BOOL)), m.give(m.values(a, type)), m.give(m.values(b, type))]))


@family(name="Cast", special=True)
def cast(m):
    a = m.pick(FLOAT, FLOAT, FLOAT16, BOOL, DOUBLE, *INTEGERS)
    b = m.pick(FLOAT, FLOAT16, BOOL, FLOAT, BFLOAT16 if m.opset >= 13 else FLOAT16, *INTEGERS)
    shape = m.shape(0, 3)
    m.special = m.special if b not in INTEGERS else False
    x = m.integers(shape, a, limits=True) if a in INTEGERS else m.values(shape, a)
    if b in INTEGERS and a not in INTEGERS:  # within the limits: the standard says nothing on others
        info = np.iinfo(NUMPY[b])
        x = m.floats(shape, "wide").astype(NUMPY[a]) if a != BOOL else x
        if a != BOOL:
            x = np.clip(x, max(info.min, -1000), min(info.max, 1000)).astype(NUMPY[a])
    if m.opset >= 15 and m.chance(0.3) and b != BFLOAT16:
        y = m.node("CastLike", [m.give(x), m.give(m.values(m.shape(0, 2), b))])
    else:
        y = m.node("Cast", [m.give(x)], to=b)
    m.output(m.node("Cast", [y], to=FLOAT) if b == BFLOAT16 else y)


# ---- Shapes

@family(name="Reshape", tolerance=EXACT, special=True)
def reshape(m):
    shape = m.shape(0, 4)
    size = int(np.prod(shape))
    target, rest = [], size
    for i in range(m.r.randint(0, 4)):
        d = m.r.choice([k for k in range(1, rest + 1) if rest % k == 0])
        target.append(d)
        rest //= d
    target.append(rest)
    if size == 1 and m.chance(0.3):
        target = []
    for i in range(len(target)):
        if i < len(shape) and target[i] == shape[i] and m.chance():
            target[i] = 0
    if target and m.chance():
        target[m.r.randrange(len(target))] = -1
    attributes = some(m, allowzero=0) if m.opset >= 14 else {}
    m.output(m.node("Reshape", [m.give(m.values(shape, m.r.choice(MOVABLE))), m.ints(target)], **attributes))


@family(name="Flatten", tolerance=EXACT, special=True)
def flatten(m):
    shape = m.shape(0, 5)
    axis = m.r.randint(0 if m.opset < 11 else -len(shape), len(shape))
    type = m.r.choice(MOVABLE) if m.opset >= 9 else FLOAT
    m.output(m.node("Flatten", [m.give(m.values(shape, type))], **some(m, axis=axis)))


@family(name="Squeeze", tolerance=EXACT, special=True)
def squeeze(m):
    shape = m.shape(1, 5, 1, 2)
    ones = [i for i, d in enumerate(shape) if d == 1]
    axes = [a for a in ones if m.chance()]
    m.r.shuffle(axes)
    if m.opset >= 11:
        axes = [a - len(shape) if m.chance() else a for a in axes]
    x = m.give(m.values(shape, m.r.choice(MOVABLE)))
    if not axes:
        y = m.node("Squeeze", [x])
    elif m.opset >= 13:
        y = m.node("Squeeze", [x, m.ints(axes)])
    else:
        y = m.node("Squeeze", [x], axes=axes)
    m.output(y)


@family(name="Unsqueeze", tolerance=EXACT, special=True)
def unsqueeze(m):
    shape = m.shape(0, 3)
    count = m.r.randint(1, 3)
    rank = len(shape) + count
    axes = m.r.sample(range(rank), count)
    if m.opset >= 11:
        axes = [a - rank if m.chance() else a for a in axes]
    x = m.give(m.values(shape, m.r.choice(MOVABLE)))
    m.output(m.node("Unsqueeze", [x, m.ints(axes)]) if m.opset >= 13 else m.node("Unsqueeze", [x], axes=axes))


@family(name="Transpose", tolerance=EXACT, special=True)
def transpose(m):
    shape = m.shape(0, 5)
    perm = list(range(len(shape)))
    m.r.shuffle(perm)
    m.output(m.node("Transpose", [m.give(m.values(shape, m.r.choice(MOVABLE)))], **some(m, perm=perm)))


@family(name="Concat", tolerance=EXACT, special=True)
def concat(m):
    shape = m.shape(1, 5)
    axis = m.axis(len(shape)) if m.opset >= 11 else m.r.randrange(len(shape))
    type = m.r.choice(MOVABLE)
    inputs = []
    for _ in range(m.r.randint(1, 4)):
        s = list(shape)
        s[axis] = m.r.randint(1, 4)
        inputs.append(m.give(m.values(s, type)))
    m.output(m.node("Concat", inputs, axis=axis))


@family(name="Split", tolerance=EXACT, special=True)
def split(m):
    shape = m.shape(1, 4, 1, 7)
    axis = m.axis(len(shape)) if m.opset >= 11 else m.r.randrange(len(shape))
    size = shape[axis]
    parts, rest = [], size
    while rest:
        parts.append(m.r.randint(1, rest))
        rest -= parts[-1]
    x = m.give(m.values(shape, m.pick(FLOAT, INT32, INT64, FLOAT16, UINT8)))
    attributes = some(m, axis=axis) if axis != 0 else {"axis": axis}
    axis = attributes.get("axis", 0)
    if axis == 0 and shape[0] != size:
        parts = [shape[0]]
    if m.opset >= 18 and m.chance(0.4):
        count = m.r.randint(1, shape[axis])
        each = -(-shape[axis] // count)
        if each * (count - 1) < shape[axis]:
            m.output(*[y for y in as_list(m.node("Split", [x], count, num_outputs=count, **attributes))])
            return
    if m.opset < 18 and m.chance(0.3):
        count = m.r.choice([k for k in range(1, shape[axis] + 1) if shape[axis] % k == 0])
        m.output(*as_list(m.node("Split", [x], count, **attributes)))
    elif m.opset >= 13:
        m.output(*as_list(m.node("Split", [x, m.ints(parts)], len(parts), **attributes)))
    else:
        m.output(*as_list(m.node("Split", [x], len(parts), split=parts, **attributes)))


def as_list(names):
    return [names] if isinstance(names, str) else names


@family(name="Slice", tolerance=EXACT, special=True)
def slice_(m):
    shape = m.shape(1, 4, 1, 6)
    count = m.r.randint(1, len(shape))
    axes = m.r.sample(range(len(shape)), count)
    starts, ends, steps = [], [], []
    for a in axes:
        size = shape[a]
        step = m.pick(1, 1, 2, -1, -2, 3, 100, -100) if m.opset >= 10 else 1
        start = m.pick(0, m.r.randint(-size - 2, size + 2), m.r.randint(-size, size - 1))
        end = m.pick(m.r.randint(-size - 2, size + 2), 2 ** 63 - 1, -2 ** 63, size)
        if step > 0 and m.chance(0.7):
            start, end = m.r.randrange(size), m.pick(2 ** 63 - 1, size, 2 ** 31 - 1)
        elif step < 0 and m.chance(0.7):
            start, end = m.pick(m.r.randrange(size), 2 ** 63 - 1, -1), m.pick(-2 ** 63, -size - 1, -2 ** 31)
        if not len(range(size)[slice(start, end, step)]):
            start, end = (0, size) if step > 0 else (size - 1, -size - 1)
        starts.append(start), ends.append(end), steps.append(step)
    negative = [a - len(shape) if m.chance() and m.opset >= 10 else a for a in axes]
    type = m.r.choice(MOVABLE)
    if m.opset < 10:
        m.output(m.node("Slice", [m.give(m.values(shape, type))], starts=starts, ends=ends, axes=negative))
        return
    narrow = m.chance(0.3)  # all of one type

    def listed(values):
        values = np.asarray(values, np.int64)
        return m.constant(np.clip(values, -2 ** 31, 2 ** 31 - 1).astype(np.int32) if narrow else values)
    inputs = [m.give(m.values(shape, type)), listed(starts), listed(ends)]
    unit = all(s == 1 for s in steps)
    plain = axes == list(range(count))
    if not (unit and plain and m.chance()):
        inputs.append("" if plain and m.chance() else listed(negative))
        if not (unit and m.chance()):
            inputs.append(listed(steps))
        elif inputs[-1] == "":
            inputs.pop()
    m.output(m.node("Slice", inputs))


@family(name="Gather", tolerance=EXACT, special=True)
def gather(m):
    shape = m.shape(1, 4)
    axis = m.axis(len(shape)) if m.opset >= 11 else m.r.randrange(len(shape))
    low = -shape[axis] if m.opset >= 11 else 0
    indices = m.integers(m.shape(0, 3), m.pick(INT32, INT64), low, shape[axis] - 1)
    m.output(m.node("Gather", [m.give(m.values(shape, m.r.choice(MOVABLE))), m.give(indices)], axis=axis))


@family(name="GatherElements", since=11, tolerance=EXACT, special=True)
def gather_elements(m):
    shape = m.shape(1, 4)
    axis = m.axis(len(shape))
    target = [m.r.randint(1, d) for d in shape]
    target[axis] = m.r.randint(1, 5)
    indices = m.integers(target, m.pick(INT32, INT64), -shape[axis], shape[axis] - 1)
    m.output(m.node("GatherElements", [m.give(m.values(shape, m.r.choice(MOVABLE))), m.give(indices)], axis=axis))


@family(name="GatherND", since=11, tolerance=EXACT, special=True)
def gather_nd(m):
    shape = m.shape(1, 5, 1, 3)
    batch = m.r.randint(0, len(shape) - 1) if m.opset >= 12 else 0
    depth = m.r.randint(1, len(shape) - batch)
    outer = shape[:batch] + m.shape(0, 2)
    if batch and len(outer) == batch and m.chance():
        outer = outer + [2]
    columns = [m.integers(outer, INT64, -shape[batch + i], shape[batch + i] - 1) for i in range(depth)]
    indices = np.stack(columns, -1)
    attributes = {"batch_dims": batch} if batch or m.opset >= 12 and m.chance() else {}
    m.output(m.node("GatherND", [m.give(m.values(shape, m.r.choice(MOVABLE))), m.give(indices)], **attributes))


def a_reduction(m):
    if m.opset < 16:
        return None
    return m.pick("none", "add", "mul", "max", "min") if m.opset >= 18 else m.pick("none", "add", "mul")


@family(name="ScatterElements", since=9, special="ordered")
def scatter_elements(m):
    shape = m.shape(1, 4)
    axis = m.axis(len(shape)) if m.opset >= 11 else m.r.randrange(len(shape))
    target = [m.r.randint(1, d) for d in shape]
    reduction = a_reduction(m)
    if reduction in (None, "none"):  # duplicates are not defined
        count = target[axis]
        rows = [m.r.sample(range(shape[axis]), count) for _ in range(int(np.prod(target)) // count)]
        moved = [d for i, d in enumerate(target) if i != axis % len(target)]
        indices = np.moveaxis(np.array(rows).reshape(moved + [count]), -1, axis)
    else:
        target[axis] = m.r.randint(1, 6) if m.chance() and shape[axis] > 4 else target[axis]
        indices = m.integers(target, INT64, 0, shape[axis] - 1)
    if m.opset >= 11:
        indices = np.where(m.n.randint(0, 2, indices.shape) == 1, indices - shape[axis], indices)
    indices = indices.astype(NUMPY[m.pick(INT32, INT64)])
    type = m.pick(FLOAT, FLOAT, FLOAT16, m.r.choice(INTEGERS), m.r.choice(INTEGERS))
    kind = m.pick("small", "integers")
    op = "ScatterElements" if m.opset >= 11 else "Scatter"
    m.output(m.node(op, [m.give(m.values(shape, type, kind)), m.give(indices), m.give(m.values(target, type, kind))],
                    **dict(some(m, reduction=reduction) if reduction == "none" else {"reduction": reduction},
                           axis=axis)))


@family(name="ScatterND", since=11, special="ordered")
def scatter_nd(m):
    shape = m.shape(1, 4)
    depth = m.r.randint(1, len(shape))
    outer = m.shape(0, 2)
    reduction = a_reduction(m)
    if reduction in (None, "none"):
        places = int(np.prod(shape[:depth]))
        count = int(np.prod(outer))
        if count > places:
            outer, count = [1], 1
        chosen = m.r.sample(range(places), count)
        indices = np.stack(np.unravel_index(chosen, shape[:depth]), -1).reshape(outer + [depth])
    else:
        indices = np.stack([m.integers(outer, INT64, 0, shape[i] - 1) for i in range(depth)], -1)
    if m.chance():
        for i in range(depth):
            indices[..., i] -= shape[i] * m.n.randint(0, 2, indices[..., i].shape)
    type = m.pick(FLOAT, FLOAT, m.r.choice(INTEGERS), m.r.choice(INTEGERS))
    kind = m.pick("small", "integers")
    m.output(m.node("ScatterND", [m.give(m.values(shape, type, kind)), m.give(indices.astype(np.int64)),
                                  m.give(m.values(outer + shape[depth:], type, kind))],
                    reduction=None if reduction == "none" and m.chance() else reduction))


@family(name="Expand", since=8, tolerance=EXACT, special=True)
def expand(m):
    shape = m.shape(0, 4, 1, 3)
    target = [m.r.randint(1, 3) if d == 1 else m.pick(1, d) for d in shape]
    target = m.shape(0, 2) + target if m.chance() else target[m.r.randint(0, len(target)):]
    m.output(m.node("Expand", [m.give(m.values(shape, m.r.choice(MOVABLE))), m.ints(target)]))


@family(name="Tile", tolerance=EXACT, special=True)
def tile(m):
    shape = m.shape(1, 4, 1, 3)
    m.output(m.node("Tile", [m.give(m.values(shape, m.r.choice(MOVABLE))), m.ints([m.r.randint(1, 3) for _ in shape])]))


@family(name="Pad", tolerance=EXACT, special=True)
def pad(m):
    shape = m.shape(1, 4, 1, 5)
    mode = m.take("constant", "reflect", "edge", "wrap" if m.opset >= 19 else "edge")
    rank, further = len(shape), mode == "reflect" and m.take(True, False)
    axes = list(range(rank))
    if m.opset >= 18 and m.chance():
        axes = m.r.sample(axes, m.r.randint(1, rank))
    low, high = [], []
    if further:  # by one element than ONNX Runtime reflects
        m.opset, shape = max(m.opset, 11), [size + 1 for size in shape]
    for a in axes:
        most = {"reflect": shape[a] - (not further), "wrap": shape[a]}.get(mode, shape[a] + 1)
        low.append(most if further else m.pick(0, most, m.r.randint(0, most)))
        high.append(m.pick(0, most, m.r.randint(0, most)))
        if m.chance(0.2) and shape[a] > 2:
            low[-1] = -1
        if m.chance(0.2) and shape[a] > 2:
            high[-1] = -1
        if mode == "reflect" and min(low[-1], high[-1]) < 0:  # of what is left
            rest = shape[a] + min(0, low[-1]) + min(0, high[-1])
            low[-1], high[-1] = min(low[-1], rest - 1), min(high[-1], rest - 1)
    type = FLOAT if m.opset < 11 else m.pick(FLOAT, FLOAT16, INT32, INT64, UINT8, INT8, UINT32, UINT64,
                                             BOOL if m.opset >= 13 else INT8)
    x = m.values(shape, type)
    attributes = some(m, mode=mode) if mode == "constant" else {"mode": mode}
    if m.opset < 11:
        m.output(m.node("Pad", [m.give(x)], pads=low + high, **dict(attributes, **some(m, value=m.pick(1.5, -2.0, np.inf)))))
        return
    inputs = [m.give(x), m.ints(low + high)]
    named = axes != list(range(rank)) or m.opset >= 18 and m.chance(0.3)
    if named or m.chance():
        value = m.integers([], type, limits=True) if type in INTEGERS else m.values([], type)
        inputs.append(m.give(value) if mode == "constant" and m.chance(0.7) else "")
    if named:
        names = np.array([a - rank if m.chance() else a for a in axes])
        inputs.append(m.constant(names.astype(m.pick(np.int32, np.int64))))
    if inputs[-1] == "":
        inputs.pop()
    m.output(m.node("Pad", inputs, **attributes))
    if further or mode in ("wrap", "reflect") and min(low + high) < 0:
        y = x
        for a, b, e in zip(axes, low, high):
            y = np.take(y, range(max(0, -b), shape[a] + min(0, e)), a)
            more = [(max(0, b), max(0, e)) if i == a else (0, 0) for i in range(rank)]
            y = np.pad(y, more, "wrap" if mode == "wrap" else "reflect")
        m.second_values("Pad: with negative pads wrap reads beside the input there, and reflect is refused there with "
                        "them and further than to the other end", y)


@family(name="ShapeSize")
def shape_size(m):
    x = m.give(m.values(m.shape(1, 5), m.r.choice(MOVABLE)))
    if m.chance(0.3):
        m.output(m.node("Size", [x]))
        return
    attributes = {}
    if m.opset >= 15:
        attributes = some(m, start=m.r.randint(-6, 2), end=m.r.randint(-1, 7))
        m.output(m.node("Cast", [m.node("ReduceSum", [m.node("Shape", [x], **attributes)], keepdims=1)], to=FLOAT))
    y = m.node("Shape", [x], **attributes)
    m.output(m.node("Concat", [y, m.ints([7])], axis=0))


@family(name="ConstantOfShape", since=9)
def constant_of_shape(m):
    type = m.r.choice(MOVABLE)
    value = m.values([1], type)
    tensor = helper.make_tensor("v", type, [1], value.tobytes(), raw=True)
    m.output(m.node("ConstantOfShape", [m.ints(m.shape(0, 4))], **some(m, value=tensor)))


@family(name="Constant", since=7)
def constant_node(m):
    forms = ["value"] + (["value_int", "value_ints", "value_float", "value_floats"] if m.opset >= 12 else [])
    form = m.r.choice(forms)
    value = {"value_int": 7, "value_ints": [3, -4, 2 ** 40], "value_float": 1.5, "value_floats": [0.5, -1.0]}
    if form == "value":
        type = m.r.choice(MOVABLE)
        x = m.values(m.shape(0, 3), type)
        if m.chance() or type == BOOL:
            tensor = helper.make_tensor("v", type, x.shape, x.tobytes(), raw=True)
        else:
            values = x.flatten().view(np.uint16) if type == FLOAT16 else x.flatten()
            tensor = onnx.TensorProto(data_type=type, dims=x.shape, name="v")
            field = {FLOAT: tensor.float_data, INT64: tensor.int64_data, UINT32: tensor.uint64_data,
                     UINT64: tensor.uint64_data}.get(type, tensor.int32_data)
            field.extend(values.tolist())
        y = m.node("Constant", [], value=tensor)
    else:
        y = m.node("Constant", [], **{form: value[form]})
    m.output(m.node("Identity", [y]))


@family(name="EyeLike", since=9)
def eye_like(m):
    shape = m.shape(2, 2, 1, 5)
    m.output(m.node("EyeLike", [m.give(m.values(shape, m.pick(FLOAT, INT32, INT64)))],
                    **some(m, k=m.r.randint(-5, 5), dtype=m.pick(FLOAT, INT32, INT64, UINT8, INT8, BOOL))))


@family(name="Range", since=11)
def range_(m):
    type = m.pick(FLOAT, INT16, INT32, INT64)
    delta = m.pick(1, 2, -1, 3, -2) * (m.pick(1, 0.5, 0.3) if type == FLOAT else 1)
    start = m.r.randint(-5, 5)
    limit = start + delta * m.r.randint(1, 6) + (0.1 if type == FLOAT and m.chance() else 0) * (1 if delta > 0 else -1)
    m.output(m.node("Range", [m.constant(np.array(v, NUMPY[type])) for v in (start, limit, delta)]))


@family(name="Trilu", since=14, tolerance=EXACT, special=True)
def trilu(m):
    shape = m.shape(2, 4)
    inputs = [m.give(m.values(shape, m.pick(FLOAT, INT32, INT64, BOOL, FLOAT16)))]
    if m.chance(0.7):
        inputs.append(m.constant(np.array(m.r.randint(-6, 6), np.int64).reshape(m.pick([], [1]))))
    m.output(m.node("Trilu", inputs, **some(m, upper=m.pick(0, 1))))


@family(name="CumSum", since=11, special=True)
def cum_sum(m):
    shape = m.shape(1, 4, 1, 6)
    axis = np.array(m.axis(len(shape)), NUMPY[m.pick(INT32, INT64)])
    m.output(m.node("CumSum", [m.give(m.values(shape, m.pick(FLOAT, INT32, INT64), "small")), m.constant(axis)],
                    **some(m, exclusive=m.pick(0, 1), reverse=m.pick(0, 1))))


@family(name="OneHot", since=9)
def one_hot(m):
    shape = m.shape(0, 3)
    depth = m.r.randint(1, 5)
    type = m.pick(INT64, INT32, FLOAT)
    low, high = (-depth - 1, depth + 1) if m.opset >= 11 else (0, depth - 1)
    indices = m.integers(shape, INT64, low, high).astype(NUMPY[type])
    values = m.values([2], m.pick(FLOAT, INT32, INT64))
    count = np.array(depth, NUMPY[m.pick(INT64, INT32, FLOAT)]).reshape(m.pick([], [1]))
    axis = m.r.randint(-len(shape) - 1, len(shape))
    m.output(m.node("OneHot", [m.give(indices), m.constant(count), m.give(values)], **some(m, axis=axis)))


@family(name="ReverseSequence", since=10, tolerance=EXACT, special=True)
def reverse_sequence(m):
    shape = m.shape(2, 4, 1, 5)
    time = m.pick(0, 1)
    lengths = m.integers([shape[1 - time]], INT64, 1, shape[time])
    m.output(m.node("ReverseSequence", [m.give(m.values(shape, m.pick(FLOAT, INT32, INT64, UINT8))), m.give(lengths)],
                    time_axis=time, batch_axis=1 - time))


@family(name="DepthSpace", tolerance=EXACT, special=True)
def depth_space(m):
    b = m.pick(1, 2, 3)
    n, c, h, w = m.r.randint(1, 2), m.r.randint(1, 3), m.r.randint(1, 3), m.r.randint(1, 3)
    type = m.pick(FLOAT, FLOAT, FLOAT16, UINT8)
    if m.chance():
        mode = some(m, mode=m.pick("DCR", "CRD")) if m.opset >= 11 else {}
        m.output(m.node("DepthToSpace", [m.give(m.values([n, c * b * b, h, w], type))], blocksize=b, **mode))
    else:
        m.output(m.node("SpaceToDepth", [m.give(m.values([n, c, h * b, w * b], type))], blocksize=b))


@family(name="Compress", since=9, tolerance=EXACT, special=True)
def compress(m):
    shape = m.shape(1, 4)
    axis = m.axis(len(shape)) if m.opset >= 11 else m.r.randrange(len(shape))
    flat = m.chance(0.3)
    size = int(np.prod(shape)) if flat else shape[axis]
    condition = m.values([m.r.randint(1, size)], BOOL)
    condition[0] = True
    m.output(m.node("Compress", [m.give(m.values(shape, m.r.choice(MOVABLE))), m.constant(condition)],
                    axis=None if flat else axis))


@family(name="NonZero", since=9, special=True)
def non_zero(m):
    x = m.values(m.shape(0, 3), m.pick(FLOAT, INT32, INT64, BOOL, UINT8))
    m.output(m.node("NonZero", [m.constant(x)]))
    if x.ndim == 0:
        m.second_values("NonZero: of a scalar the places have one dimension there, and none in ONNX's text",
                        np.zeros((0, np.count_nonzero(x)), np.int64))


# ---- Reductions

REDUCTIONS = ["ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin",
              "ReduceProd", "ReduceSum", "ReduceSumSquare"]


@family(name="Reduce", special="ordered")
def reduce_(m):
    op = m.r.choice(REDUCTIONS)
    type = m.pick(FLOAT, FLOAT, FLOAT, INT32, INT64, DOUBLE)
    if op in ("ReduceMax", "ReduceMin") and m.opset >= 12 and m.chance(0.2):
        type = m.pick(UINT8, INT8)
    if op in ("ReduceL2", "ReduceLogSum", "ReduceLogSumExp"):
        type = FLOAT
    shape = m.shape(0 if m.opset >= 18 else 1, 5)
    kind = {"ReduceLogSum": "positive"}.get(op, m.pick("small", "integers"))
    x = m.values(shape, type, kind)
    if op == "ReduceProd" and type in (INT32, INT64):  # ONNX Runtime computes products of integers in floats
        x = np.clip(x, -1, 2 if x.size < 16 else 1)
    axes = m.r.sample(range(len(shape)), m.r.randint(0, len(shape)))
    if m.opset >= 11:
        axes = [a - len(shape) if m.chance() else a for a in axes]
    attributes = some(m, keepdims=m.pick(0, 1))
    if m.opset < (13 if op == "ReduceSum" else 18):
        m.output(m.node(op, [m.give(x)], axes=axes if axes else None, **attributes))
        return
    inputs = [m.give(x)] + ([m.ints(axes)] if axes or m.chance(0.3) else [])
    m.output(m.node(op, inputs, **dict(attributes, **some(m, noop_with_empty_axes=m.pick(0, 1)))))


@family(name="Arg", special=True)
def arg(m):
    shape = m.shape(1, 4)
    attributes = some(m, keepdims=m.pick(0, 1), axis=m.axis(len(shape)) if m.opset >= 11 else m.r.randrange(len(shape)))
    if m.opset >= 12:
        attributes.update(some(m, select_last_index=m.pick(0, 1)))
    op, type = m.take("ArgMax", "ArgMin"), m.pick(FLOAT, FLOAT, INT32, INT8, UINT8) if not m.special else FLOAT
    x = m.values(shape, type, m.pick("integers", "small"))
    m.output(m.node(op, [m.give(x)], **attributes))
    if np.isnan(x).any():
        axis, find = attributes.get("axis", 0) % len(shape), np.argmax if op == "ArgMax" else np.argmin
        last = attributes.get("select_last_index")
        y = shape[axis] - 1 - find(np.flip(x, axis), axis) if last else find(x, axis)
        m.second_values("ArgMax, ArgMin: a NaN is passed over there, and the first or last one in ONNX's reference",
                        (np.expand_dims(y, axis) if attributes.get("keepdims", 1) else y).astype(np.int64))


@family(name="TopK", since=7, special="ordered")
def top_k(m):
    shape = m.shape(1, 4, 1, 7)
    axis = m.axis(len(shape)) if m.opset >= 11 else m.r.randrange(len(shape))
    attributes = some(m, axis=axis) if axis in (-1, len(shape) - 1) else {"axis": axis}
    k = m.r.randint(1, shape[axis])
    x = m.values(shape, m.pick(FLOAT, INT32, INT64) if m.opset >= 11 else FLOAT, m.pick("small", "integers"))
    if m.take(True, False, False):  # half of them are the last that can be chosen
        k = shape[axis]
        limits = np.iinfo(x.dtype) if x.dtype.kind == "i" else np.array(-np.inf, np.float32)
        least = limits.min if x.dtype.kind == "i" else limits
        x = np.where(m.n.randint(0, 2, shape) == 1, least, x).astype(x.dtype)
    if m.opset < 10:
        m.output(*m.node("TopK", [m.give(x)], 2, k=k, **attributes))
        return
    if m.opset >= 11:
        attributes.update(some(m, largest=m.pick(0, 1)))
    m.output(*m.node("TopK", [m.give(x), m.ints([k])], 2, **attributes))


@family(name="Softmax", special="ordered")
def softmax(m):
    op = m.pick("Softmax", "LogSoftmax", "Hardmax")
    shape = m.shape(1, 5)
    axis = m.axis(len(shape)) if m.opset >= 11 else m.r.randrange(len(shape))
    attributes = some(m, axis=axis)
    if m.opset < 13 and len(shape) < 2 and "axis" not in attributes:
        attributes["axis"] = 0
    type = m.pick(FLOAT, FLOAT, FLOAT16, FLOAT if m.special else DOUBLE) if op != "Hardmax" else FLOAT
    x = m.floats(shape, m.pick("small", "wide", "integers"), type)
    m.output(m.node(op, [m.give(x)], **attributes))


# ---- Products

@family(name="MatMul")
def mat_mul(m):
    k = m.r.randint(1, 5)
    a, b = broadcast_pair(m, 3)
    a, b = a + [m.r.randint(1, 4), k], b + [k, m.r.randint(1, 4)]
    if m.chance(0.2):
        a = [k]
    if m.chance(0.2):
        b = [k]
    type = m.pick(FLOAT, FLOAT, FLOAT, FLOAT16, INT32, INT64, DOUBLE) if m.opset >= 9 else FLOAT
    m.output(m.node("MatMul", [m.give(m.values(a, type, "small")), m.give(m.values(b, type, "small"))]))


@family(name="Gemm")
def gemm(m):
    rows, k, columns = m.r.randint(1, 4), m.r.randint(1, 4), m.r.randint(1, 4)
    attributes = some(m, transA=m.pick(0, 1), transB=m.pick(0, 1), alpha=m.pick(0.0, 0.5, 2.0),
                      beta=m.pick(0.0, 0.5, -2.0))
    a = [k, rows] if attributes.get("transA") else [rows, k]
    b = [columns, k] if attributes.get("transB") else [k, columns]
    type = FLOAT if m.opset < 9 else m.pick(FLOAT, FLOAT, FLOAT16, DOUBLE)
    inputs = [m.give(m.values(a, type, "small")), m.give(m.values(b, type, "small"))]
    if m.opset < 11 or m.chance(0.7):
        c = m.pick([rows, columns], [1, columns], [rows, 1], [columns], [1], [], [1, 1])
        inputs.append(m.give(m.values(c, type, "small")))
    m.output(m.node("Gemm", inputs, **attributes))


@family(name="Einsum", since=12)
def einsum(m):
    letters = "abcdeABZ"
    sizes = {c: m.r.randint(1, 4) for c in letters}
    dots = m.shape(1, 2, 1, 3) if m.chance(0.4) else []
    terms, shapes, used = [], [], set()
    for _ in range(m.pick(1, 2, 2, 2, 3)):
        mine = [m.r.choice(letters) for _ in range(m.r.randint(0 if dots else 1, 3))]
        if m.chance(0.7):
            mine = list(dict.fromkeys(mine))
        used.update(mine)
        text, shape = "".join(mine), [sizes[c] for c in mine]
        if dots and m.chance(0.8):
            at = m.r.randint(0, len(mine))
            part = [1 if m.chance(0.2) else d for d in dots]
            text, shape = text[:at] + "..." + text[at:], shape[:at] + part + shape[at:]
        terms.append(text), shapes.append(shape)
    equation = m.pick(",", " , ").join(terms)
    if m.chance(0.8):
        out = m.r.sample(sorted(used), m.r.randint(0, len(used)))
        m.r.shuffle(out)
        right = "".join(out)
        if any("..." in t for t in terms):
            at = m.r.randint(0, len(right))
            right = right[:at] + "..." + right[at:]
        equation += m.pick("->", " -> ") + right
    m.output(m.node("Einsum", [m.give(m.floats(s, "small")) for s in shapes], equation=equation))


# ---- Convolutions and pools

def window(m, least=1, most=3):
    dims = m.pick(1, 2, 2, 2, 3) if most >= 3 else 2
    return dims, [m.r.randint(least, 3) for _ in range(dims)]


def bordered(m, reach, stride, begin, end, ceil, least=1, most=9):
    """A size at whose end a rule changes. With ceil_mode the last window begins on the last element or on
    the first or second one of the padding, which it must not; else the windows just fit, one element is
    left over, or one is missing for the next window."""
    sizes = [n for n in range(least, most + 1) if n + begin + end >= reach]
    if not sizes:
        return max(1, reach - begin - end)

    def at_border(n):
        rest = n + begin + end - reach
        if ceil:
            return -(-rest // stride) * stride - n - begin in wanted
        return rest % stride in wanted
    wanted = [m.pick(-1, 0, 0, 1)] if ceil else [m.pick(0, 1 % stride, stride - 1)]
    return m.r.choice([n for n in sizes if m.chance(0.9) and at_border(n)] or sizes)


def placed(m, dims, kernel, dilations=True, ceil=False, limit=None, most=9):
    """Strides, dilations and pads, explicit or automatic, and sizes that the windows end at. `limit`: how
    much less than the kernel pads are."""
    attributes = {}
    if ceil or m.chance():
        attributes["strides"] = [m.r.randint(2 if ceil else 1, 3) for _ in range(dims)]
    if dilations and m.chance(0.4):
        attributes["dilations"] = [m.r.randint(1, 2) for _ in range(dims)]
    auto = m.pick(None, None, "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET") if not ceil or m.chance(0.3) else None
    if auto:
        attributes["auto_pad"] = auto
    if auto in (None, "NOTSET") and m.chance(0.8):
        attributes["pads"] = [m.pick(0, kernel[i % dims] - 1, m.r.randint(0, kernel[i % dims] - 1))
                              for i in range(2 * dims)]
        if limit == 0 and m.chance(0.1):
            attributes["pads"] = [k * m.pick(0, 1, 1) for k in kernel * 2]
    reach = reach_of(attributes, kernel)
    pads = attributes.get("pads", [0] * 2 * dims)
    strides = attributes.get("strides", [1] * dims)
    return attributes, [bordered(m, reach[i], strides[i], pads[i], pads[i + dims], ceil, 1, most) for i in range(dims)]


def reach_of(attributes, kernel):
    return [(k - 1) * d + 1 for k, d in zip(kernel, attributes.get("dilations", [1] * len(kernel)))]


def explicit(attributes, kernel, sizes):
    """The attributes with pads in the place of auto_pad SAME, or None where there is nothing to say again:
    with dilations, and where a window is smaller than the stride, ONNX Runtime computes others."""
    auto, strides = attributes.get("auto_pad", ""), attributes.get("strides", [1] * len(kernel))
    reach = reach_of(attributes, kernel)
    if not auto.startswith("SAME") or max(attributes.get("dilations", [1])) == 1 and all(r >= s for r, s in zip(reach, strides)):
        return None
    pads = formulas.same_pads(sizes, reach, strides, auto == "SAME_UPPER")
    return {k: v for k, v in dict(attributes, pads=pads, ceil_mode=None, auto_pad=None).items() if v is not None}


SAME = "auto_pad SAME: dilations are refused there or not counted, and windows smaller than the stride cut the input off"


def windows_again(m, op, inputs, attributes, kernel, sizes):
    """The second formula of a convolution or pool that has auto_pad."""
    again = explicit(attributes, kernel, sizes)
    if again is not None:
        with m.second(SAME):
            m.node(op, inputs, [m.outputs[0].name], **again)


@family(name="Conv")
def conv(m):
    dims, kernel = window(m)
    groups = m.pick(1, 1, 2, 3)
    each, outs, n = m.r.randint(1, 3), m.r.randint(1, 3) * groups, m.r.randint(1, 2)
    attributes, sizes = placed(m, dims, kernel, limit=0)
    if m.chance():
        attributes["kernel_shape"] = kernel
    if groups > 1 or m.chance():
        attributes["group"] = groups
    inputs = [m.give(m.floats([n, each * groups] + sizes, "small")), m.give(m.floats([outs, each] + kernel, "small"))]
    if m.chance():
        inputs.append(m.give(m.floats([outs], "small")))
    m.output(m.node("Conv", inputs, **attributes))
    windows_again(m, "Conv", inputs, attributes, kernel, sizes)


@family(name="ConvTranspose")
def conv_transpose(m):
    dims, kernel = window(m)
    groups = m.pick(1, 1, 2)
    each, outs, n = m.r.randint(1, 3), m.r.randint(1, 3), m.r.randint(1, 2)
    attributes, sizes = placed(m, dims, kernel, most=5)
    strides = attributes.get("strides", [1] * dims)
    dilations = attributes.get("dilations", [1] * dims)
    pads = attributes.get("pads", [0] * 2 * dims)
    if m.chance(0.4):
        attributes["output_padding"] = [m.r.randint(0, max(s, d) - 1) for s, d in zip(strides, dilations)]
    padding = attributes.get("output_padding", [0] * dims)
    full = [s * (x - 1) + p + (k - 1) * d + 1 for s, x, p, k, d in zip(strides, sizes, padding, kernel, dilations)]
    if m.chance(0.3):
        attributes.pop("pads", None)
        attributes["output_shape"] = [m.r.randint(max(1, f - 2), f) for f in full]
    elif any(f - pads[i] - pads[i + dims] < 1 for i, f in enumerate(full)):
        return
    if m.chance():
        attributes["kernel_shape"] = kernel
    if groups > 1:
        attributes["group"] = groups
    x, w = m.floats([n, each * groups] + sizes, "small"), m.floats([each * groups, outs] + kernel, "small")
    bias = m.floats([outs * groups], "small") if m.chance() else None
    m.output(m.node("ConvTranspose", [m.give(a) for a in (x, w, bias) if a is not None], **attributes))
    auto, shape = attributes.get("auto_pad", ""), attributes.get("output_shape")
    if auto.startswith("SAME") and (max(dilations) > 1 or any(f < s * x for f, s, x in zip(full, strides, sizes))) \
            or any(p >= s for p, s in zip(padding, strides)):
        m.second_values("ConvTranspose: SAME with dilations or beyond the kernel's reach, and an output_padding below "
                        "the dilation, are refused there or counted otherwise",
                        formulas.conv_transpose(x, w, bias, strides, dilations, groups, padding, auto,
                                                attributes.get("pads", [0] * 2 * dims), shape))


@family(name="Pool", special="ordered")
def pool(m):
    op, ceil = m.take("MaxPool", "AveragePool", "LpPool"), m.take(1, 0)
    least = {"AveragePool": 10, "MaxPool": 10, "LpPool": 18}[op]
    if ceil and m.opset < least:
        m.opset = m.r.randint(least, NEWEST)
    dims, kernel = window(m)
    dilated = {"AveragePool": m.opset >= 19, "MaxPool": m.opset >= 10, "LpPool": m.opset >= 18}[op]
    attributes, sizes = placed(m, dims, kernel, dilated, ceil, 0)
    attributes["kernel_shape"] = kernel
    if ceil or m.opset >= least and m.chance():
        attributes["ceil_mode"] = ceil
    if op == "AveragePool":
        attributes.update(some(m, count_include_pad=m.pick(0, 1)))
    if op == "LpPool":
        attributes.update(some(m, p=m.pick(1, 2, 3)))
        m.special = False
    if op == "MaxPool" and m.opset >= 8:
        attributes.update(some(m, storage_order=0))
    type = m.pick(FLOAT, FLOAT, FLOAT, INT8, UINT8) if op == "MaxPool" and m.opset >= 12 else FLOAT
    x = m.values([m.r.randint(1, 2), m.r.randint(1, 3)] + sizes, type, m.pick("small", "integers"))
    inputs = [m.give(x)]
    m.output(m.node(op, inputs, **attributes))
    large = any(p >= k for p, k in zip(attributes.get("pads", []), kernel * 2))
    if large or op == "MaxPool" and np.isneginf(x).any() and not attributes.get("auto_pad", "").startswith("SAME"):
        m.second_values("pools: pads as large as the kernel are refused there, and the largest of infinities is finite", formulas.pool(
            x, op, kernel, attributes.get("strides", [1] * dims), attributes.get("dilations", [1] * dims),
            attributes.get("pads", [0] * 2 * dims), ceil, attributes.get("count_include_pad"), attributes.get("p", 2)))
    else:
        windows_again(m, op, inputs, attributes, kernel, sizes)


@family(name="GlobalPool")
def global_pool(m):
    op = m.pick("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
    shape = m.shape(3, 5)
    m.output(m.node(op, [m.give(m.floats(shape, "small"))],
                    **(some(m, p=m.pick(1, 2, 3)) if op == "GlobalLpPool" else {})))


# ---- Normalizations

@family(name="BatchNormalization")
def batch_normalization(m):
    shape = m.shape(2, 5)
    c = [shape[1]]
    inputs = [m.give(m.floats(shape, "small")), m.give(m.floats(c, "small")), m.give(m.floats(c, "small"))]
    inputs += [m.give(m.floats(c, "small")), m.give(m.floats(c, "positive"))]
    attributes = some(m, epsilon=m.pick(1e-3, 0.5), momentum=0.7)
    if m.opset >= 14 and m.chance(0.3):
        m.output(*m.node("BatchNormalization", inputs, 3, training_mode=1, **attributes))
        return
    m.output(m.node("BatchNormalization", inputs, **attributes))


@family(name="Normalization")
def normalization(m):
    op = m.pick("InstanceNormalization", "LpNormalization", "MeanVarianceNormalization", "LRN", "GroupNormalization")
    if m.opset < 9 and op == "MeanVarianceNormalization" or m.opset < 18 and op == "GroupNormalization":
        op = "LRN"
    shape = m.shape(3, 5)
    if op == "LpNormalization":
        shape = m.shape(1, 4)
        m.output(m.node(op, [m.give(m.floats(shape, m.pick("small", "integers")))],
                        **some(m, axis=m.axis(len(shape)), p=m.pick(1, 2))))
        return
    if op == "MeanVarianceNormalization":
        shape = m.shape(4, 4)
        axes = sorted(m.r.sample(range(len(shape)), m.r.randint(1, len(shape))))
        attributes = some(m, axes=axes)
        m.output(m.node(op, [m.give(m.floats(shape, "small"))], **attributes))
        if all(shape[a] == 1 for a in attributes.get("axes", [0, 2, 3])):
            m.second_values("MeanVarianceNormalization: it divides by 0 there, and in ONNX by 1e-9 more",
                            np.zeros(shape, np.float32))
        return
    if op == "LRN":
        shape[1] = m.r.randint(1, 7)
        shape = m.pick(shape, shape[:4] + [2] * (4 - len(shape)))
        m.output(m.node(op, [m.give(m.floats(shape, "small"))], size=m.pick(1, 2, 3, 4, 5, 9),
                        **some(m, alpha=m.pick(0.5, 1.0), beta=m.pick(0.5, 0.75, 2.0), bias=m.pick(2.0, 0.5))))
        return
    groups = 1
    if op == "GroupNormalization":
        groups = m.r.randint(1, 3)
        shape[1] = groups * m.r.randint(1, 3)
    c = [groups if op == "GroupNormalization" and m.opset < 21 else shape[1]]
    attributes = some(m, epsilon=m.pick(1e-3, 0.5))
    if op == "GroupNormalization":
        attributes["num_groups"] = groups
    m.output(m.node(op, [m.give(m.floats(s, "small")) for s in (shape, c, c)], **attributes))


@family(name="LayerNormalization", since=17)
def layer_normalization(m):
    shape = m.shape(1, 5)
    axis = m.axis(len(shape))
    attributes = some(m, axis=axis, epsilon=m.pick(1e-3, 0.5))
    axis = attributes.get("axis", -1)
    scale = shape[axis % len(shape):]
    op = m.pick("LayerNormalization", "RMSNormalization") if m.opset >= 23 else "LayerNormalization"
    if m.chance(0.2):
        scale = m.pick([1] * len(scale), scale[-1:], [])
    type = m.pick(FLOAT, FLOAT, FLOAT16)
    inputs = [m.give(m.values(shape, type, "small")), m.give(m.values(scale, type, "small"))]
    if op == "RMSNormalization":
        m.output(m.node(op, inputs, **attributes))
        return
    if m.chance():
        inputs.append(m.give(m.values(scale, type, "small")))
    outputs = m.r.randint(1, 3) if type == FLOAT else 1
    m.output(*as_list(m.node(op, inputs, outputs, **dict(attributes, **some(m, stash_type=1)))))


@family(name="Dropout")
def dropout(m):
    values = m.floats(m.shape(0, 3))
    x = m.give(values)
    outputs = m.pick(1, 2)
    if m.opset < 12:
        y = m.node("Dropout", [x], outputs, **some(m, ratio=m.pick(0.0, 0.5)))
    else:
        inputs = [x]
        if m.chance():
            inputs.append(m.constant(np.float32(m.pick(0, 0.25))) if m.chance() else "")
            if m.chance():
                inputs.append(m.constant(np.bool_(False)))
            elif inputs[-1] == "":
                inputs.pop()
        y = m.node("Dropout", inputs, outputs)
    m.output(*as_list(y))
    if m.opset < 12 and outputs == 2:
        m.second_values("Dropout: the mask is all false there without training", values,
                        np.ones(values.shape, np.float32 if m.opset < 10 else np.bool_))


@family(name="Loss", since=12)
def loss(m):
    op = m.pick("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
    shape = m.shape(2, 4)
    shape[1] = m.r.randint(2, 5)
    target = [shape[0]] + shape[2:]
    ignore = m.pick(None, 0, 1, -1, -100, 255)
    labels = m.integers(target, m.pick(INT32, INT64), 0, shape[1] - 1)
    if ignore is not None:
        labels = np.where(m.n.randint(0, 4, target) == 0, ignore, labels).astype(labels.dtype)
    inputs = [m.give(m.floats(shape, "small")), m.give(labels)]
    if m.chance():
        inputs.append(m.give(m.floats([shape[1]], "positive")))
    attributes = dict(some(m, reduction=m.pick("none", "sum", "mean")), ignore_index=ignore)
    outputs = m.pick(1, 2) if op == "SoftmaxCrossEntropyLoss" else 1
    m.output(*as_list(m.node(op, inputs, outputs, **attributes)))


# ---- Resize

def resize_again(m, x, axes, outs, scales, attributes, roi=None):
    """The values of a Resize that ONNX Runtime computes otherwise than the standard says."""
    sizes = [x.shape[a] for a in axes]
    mode = attributes.get("coordinate_transformation_mode")
    reason = None
    if any(n == o and (s != 1 or mode == "tf_crop_and_resize") for n, o, s in zip(sizes, outs, scales)):
        reason = "Resize: an axis whose size stays is copied there, whatever its scale and region"
    if mode == "align_corners" and any(abs(n * s - o) > 1e-4 for n, o, s in zip(sizes, outs, scales)):
        reason = "Resize: align_corners uses the size rounded down there, and ONNX's tests use the product"
    if mode == "half_pixel_symmetric" and attributes.get("mode", "nearest") == "nearest" and any(
            o % 2 and n * s != o for n, o, s in zip(sizes, outs, scales)):
        reason = "Resize: half_pixel_symmetric is rounded to float32 there, so that the middle is no middle"
    if mode == "tf_crop_and_resize" and any(
            formulas.crop_is_rounded(n, o, float(roi[i]), float(roi[i + len(sizes)]),
                                     attributes.get("nearest_mode", "round_prefer_floor"))
            for i, (n, o) in enumerate(zip(sizes, outs))):
        reason = "Resize: tf_crop_and_resize is rounded to float32 there"
    policy = attributes.get("keep_aspect_ratio_policy", "stretch")
    if policy != "stretch" and any(a < 0 for a in attributes.get("axes", [])):
        reason = "Resize: keep_aspect_ratio_policy passes over negative axes there"
    if reason:
        m.second_values(reason, formulas.resize(x, axes, outs, scales, attributes, roi).astype(np.float32))
    return reason


def reached(x, axes, scales):
    """The sizes that scales of float32 give, rounded down."""
    return [int(np.floor(np.float32(x.shape[a]) * np.float32(s))) for a, s in zip(axes, scales)]


def kept(x, axes, targets, policy):
    """Sizes and scales of axes of which one scale is kept (keep_aspect_ratio_policy)."""
    scales = [t / x.shape[a] for a, t in zip(axes, targets)]
    if policy == "stretch":
        return targets, scales
    scale = min(scales) if policy == "not_larger" else max(scales)
    return [int(np.floor(scale * x.shape[a] + 0.5)) for a in axes], [scale] * len(axes)


@family(name="Resize", since=10, special="ordered")
def resize(m):
    shape = [m.r.randint(1, 2), m.r.randint(1, 2)] + [m.r.randint(1, 6) for _ in range(m.pick(1, 2, 2, 2, 3))]
    rank = len(shape)
    targets = shape[:2] + [m.r.randint(1, 9) for _ in shape[2:]]
    mode = m.take("nearest", "linear", "cubic" if m.opset >= 11 and rank == 4 else "linear")
    m.special = m.special if mode == "nearest" else False
    values = m.floats(shape, "small")
    x = m.give(values)
    if m.opset == 10:
        scales = np.array([t / s for t, s in zip(targets, shape)], np.float32)
        m.output(m.node("Resize", [x, m.constant(scales)], mode=mode))
        resize_again(m, values, range(rank), reached(values, range(rank), scales), scales, dict(
            mode=mode, coordinate_transformation_mode="asymmetric", nearest_mode="floor"))
        return
    attributes = {"mode": mode}
    coordinates = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "tf_crop_and_resize"]
    coordinates += ["half_pixel_symmetric"] if m.opset >= 19 else []
    coordinates += ["tf_half_pixel_for_nn"] if m.opset < 13 and mode == "nearest" else []
    attributes.update(some(m, coordinate_transformation_mode=m.r.choice(coordinates)))
    crop = attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize"
    if mode == "nearest":
        rounding = m.take("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
        attributes.update(some(m, nearest_mode=rounding) if rounding == "round_prefer_floor" else
                          {"nearest_mode": rounding})
        if m.chance():  # half the size: places lie on halves
            targets = shape[:2] + [max(1, size // 2) for size in shape[2:]]
    if mode == "cubic":
        attributes.update(some(m, cubic_coeff_a=m.pick(-0.5, -0.75), exclude_outside=m.pick(0, 1)))
    if m.opset >= 18 and mode != "nearest" and not crop and m.chance(0.4):
        attributes["antialias"] = 1
    axes = list(range(rank))
    if m.opset >= 18 and m.chance(0.4):
        axes = axes[2:]
        attributes["axes"] = [a - rank if m.chance() else a for a in axes]
    roi, corners = "", None
    if crop:
        starts = [0.0] * (len(axes) - rank + 2) + [m.pick(0.0, 0.25, -0.2) for _ in shape[2:]]
        ends = [1.0] * (len(axes) - rank + 2) + [m.pick(1.0, 0.75, 1.3) for _ in shape[2:]]
        corners = np.array(starts + ends, np.float32)
        roi = m.constant(corners)
        attributes.update(some(m, extrapolation_value=m.pick(1.5, -2.0)))
    elif m.opset < 13:
        roi = m.constant(np.zeros([0], np.float32))
    if m.chance():
        scales = [targets[a] / shape[a] * m.pick(1.0, 1.0, 1.0 if crop else 1.05) if a > 1 else 1.0 for a in axes]
        antialiased = attributes.pop("antialias", None)
        m.output(m.name("y"))
        if resize_again(m, values, axes, reached(values, axes, scales), np.float32(scales), attributes,
                        corners) is None and antialiased:
            attributes["antialias"] = 1
        m.node("Resize", [x, roi, m.constant(np.array(scales, np.float32))], [m.outputs[0].name], **attributes)
        return
    if m.opset >= 18 and m.chance(0.4) and len(axes) < rank:
        attributes["keep_aspect_ratio_policy"] = m.pick("stretch", "not_larger", "not_smaller")
    antialiased = attributes.pop("antialias", None)
    outs, scales = kept(values, axes, [targets[a] for a in axes], attributes.get("keep_aspect_ratio_policy", "stretch"))
    m.output(m.name("y"))
    if resize_again(m, values, axes, outs, scales, attributes, corners) is None and antialiased:
        attributes["antialias"] = 1
    scales = "" if m.opset >= 13 else m.constant(np.zeros([0], np.float32))
    m.node("Resize", [x, roi, scales, m.ints([targets[a] for a in axes])], [m.outputs[0].name], **attributes)


@family(name="Upsample", since=7, upto=9)
def upsample(m):
    shape = [m.r.randint(1, 2), m.r.randint(1, 2), m.r.randint(1, 4), m.r.randint(1, 4)]
    scales = [1.0, 1.0, m.pick(1.0, 2.0, 1.5, 2.3), m.pick(1.0, 2.0, 3.0, 1.3)]
    values = m.floats(shape, "small")
    x, mode = m.give(values), some(m, mode=m.pick("nearest", "linear"))
    if m.opset < 9:
        m.output(m.node("Upsample", [x], scales=scales, **mode))
    else:
        m.output(m.node("Upsample", [x, m.constant(np.array(scales, np.float32))], **mode))
    resize_again(m, values, range(4), reached(values, range(4), scales), np.float32(scales), dict(
        mode, coordinate_transformation_mode="asymmetric", nearest_mode="floor"))


# ---- Recurrent networks

@family(name="Recurrent")
def recurrent(m):
    op = m.pick("RNN", "GRU", "LSTM")
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[op]
    direction = m.pick("forward", "reverse", "bidirectional")
    d = 2 if direction == "bidirectional" else 1
    t, b, i, h = m.r.randint(1, 4), m.r.randint(1, 3), m.r.randint(1, 3), m.r.randint(1, 3)
    layout = 1 if m.opset >= 14 and m.chance(0.05) else 0
    attributes = dict(some(m, direction=direction) if direction == "forward" else {"direction": direction},
                      hidden_size=h)
    if layout:
        attributes["layout"] = 1
        m.tag("layout 1")
    functions = ["Relu", "Tanh", "Sigmoid", "LeakyRelu", "ThresholdedRelu", "HardSigmoid", "Elu", "Softsign",
                 "Softplus", "Affine", "ScaledTanh"]
    if m.chance(0.4):
        count = {"RNN": 1, "GRU": 2, "LSTM": 3}[op] * d
        chosen = [m.r.choice(functions) for _ in range(count)]
        attributes["activations"] = chosen
        needed = any(f in ("Affine", "ScaledTanh", "ThresholdedRelu") for f in chosen)
        if needed or m.chance():
            attributes["activation_alpha"] = [m.pick(0.25, 0.5, 0.75) for _ in range(count)]
        if needed or m.chance():
            attributes["activation_beta"] = [m.pick(0.25, 0.5, 0.1) for _ in range(count)]
    if m.chance(0.2):
        attributes["clip"] = m.pick(0.3, 1.0)
    if op == "GRU" and m.chance():
        attributes["linear_before_reset"] = m.pick(0, 1)
    if op == "LSTM" and m.chance(0.2):
        attributes["input_forget"] = 1
    state = [b, d, h] if layout else [d, b, h]
    arrays = [m.floats([b, t, i] if layout else [t, b, i], "small"), m.floats([d, gates * h, i], "small"),
              m.floats([d, gates * h, h], "small"), m.floats([d, 2 * gates * h], "small") if m.chance() else None,
              m.integers([b], INT32, 1, t) if m.chance(0.4) else None, m.floats(state, "small") if m.chance() else None]
    if op == "LSTM":
        arrays.append(m.floats(state, "small") if m.chance() else None)
        arrays.append(m.floats([d, 3 * h], "small") if m.chance() else None)
    inputs = ["" if a is None else m.give(a, run=m.chance(0.3) if a.dtype == np.int32 else None) for a in arrays]
    while inputs[-1] == "":
        inputs.pop()
    names = [m.name("y") if m.chance(0.8) else "" for _ in range(3 if op == "LSTM" else 2)]
    if not any(names):
        names[1] = m.name("y")
    while names[-1] == "":
        names.pop()
    m.node(op, inputs, names, **attributes)
    m.output(*names)
    if op == "LSTM" and "clip" in attributes and not layout:
        x, w, r, bias, lengths, h0, c0, peepholes = arrays
        values = formulas.lstm(x, w, r, bias, lengths, h0, c0, peepholes, attributes)
        m.second_values("LSTM: the input of the last activation is not clipped there",
                        *[v for name, v in zip(names, values) if name])


# ---- Quantized

def zero_point(m, type, shape=()):
    return m.give(m.integers(shape, type, -20 if type == INT8 else 0, 20), run=None)


@family(name="Quantize", since=10, special="ordered")
def quantize(m):
    shape = m.shape(1, 4)
    axis = m.axis(len(shape))
    per = m.opset >= 13 and m.chance()
    blocked = m.opset >= 21 and m.chance(0.3)
    scale_shape = [shape[axis]] if per else m.pick([], [1])
    attributes = {"axis": axis} if per else {}
    if blocked:
        block = m.r.randint(1, shape[axis])
        scale_shape = list(shape)
        scale_shape[axis] = -(-shape[axis] // block)
        attributes = {"axis": axis, "block_size": block}
    halves = m.take(True, False, False)
    if halves:
        m.opset, blocked = m.r.randint(21, NEWEST), False
        per, scale_shape, attributes = False, [], {}
    type = m.pick(UINT8, INT8) if m.opset < 21 else m.take(UINT8, INT16, INT8, UINT16)
    if halves:  # half way between two integers, of scales that divide exactly
        zero = m.give(m.integers([], type, 0, 20))
        scale = np.float32(m.pick(0.25, 0.5, 1.0, 2.0))
        x = (m.integers(shape, INT8, -9, 9) + np.float32(0.5)) * scale
        m.output(m.node("QuantizeLinear", [m.give(x), m.give(scale), zero]))
        return
    scales = np.abs(m.floats(scale_shape, "positive")).astype(np.float32) + np.float32(0.01)
    scale = m.give(scales)
    low = -20 if type in (INT8, INT16) else 0
    zeros = m.integers(scale_shape, type, low, 20) if m.chance(0.7) else None
    zero = m.give(zeros) if zeros is not None else ""
    if m.chance():
        if zero == "" and type != UINT8 and m.opset >= 21:
            attributes["output_dtype"] = type
        x = m.floats(shape, m.pick("wide", "integers", "small"))
        m.output(m.node("QuantizeLinear", [m.give(x), scale] + ([zero] if zero else []), **attributes))
        if np.isinf(x).any():
            m.second_values("QuantizeLinear: infinity may become an integer before it is saturated there",
                            formulas.quantize(x, scales, zeros, axis, block if blocked else 0,
                                              type if zero or "output_dtype" in attributes else UINT8, NUMPY))
        return
    if not blocked and m.chance(0.2):
        type, zero = INT32, ""
    inputs = [m.give(m.integers(shape, type, limits=True)), scale] + ([zero] if zero else [])
    m.output(m.node("DequantizeLinear", inputs, **attributes))


@family(name="DynamicQuantize", since=11)
def dynamic_quantize(m):
    x = m.floats(m.shape(0, 3), m.pick("small", "wide", "integers", "positive"))
    m.output(*m.node("DynamicQuantizeLinear", [m.give(x)], 3))
    if not np.any(x):
        m.second_values("DynamicQuantizeLinear: the scale of zeros is 1 there", np.zeros(x.shape, np.uint8),
                        np.float32(0), np.uint8(0))


@family(name="MatMulInteger", since=10)
def mat_mul_integer(m):
    k = m.r.randint(1, 4)
    lead, rows, columns = m.shape(0, 2), m.r.randint(1, 4), m.r.randint(1, 4)
    a, b = lead + [rows, k], (lead if m.chance() else []) + [k, columns]
    at, bt = m.pick(UINT8, INT8), m.pick(UINT8, INT8)
    x, y = m.integers(a, at, limits=True), m.integers(b, bt, limits=True)
    inputs, zeros = [m.give(x), m.give(y)], [np.int32(0), np.int32(0)]
    if m.chance(0.7):
        for i, type, shape in ((0, at, m.pick([], [1])), (1, bt, m.pick([], [1], [columns]))):
            if m.chance(0.7):
                zeros[i] = m.integers(shape, type, -20 if type == INT8 else 0, 20)
                inputs.append(m.give(zeros[i]))
            else:
                inputs.append("")
    while inputs[-1] == "":
        inputs.pop()
    m.output(m.node("MatMulInteger", inputs))
    m.second_values("MatMulInteger: sums of two products are cut off at 16 bits there without VNNI, and zero points "
                    "of each column are refused with more dimensions",
                    np.matmul(x.astype(np.int32) - zeros[0].astype(np.int32), y.astype(np.int32) - zeros[1].astype(np.int32)))


@family(name="QLinearMatMul", since=10)
def qlinear_mat_mul(m):
    k, rows, columns = m.r.randint(1, 4), m.r.randint(1, 4), m.r.randint(1, 4)
    lead = m.shape(0, 2)
    at, bt = m.pick(UINT8, INT8), m.pick(UINT8, INT8)
    yt = at
    columns_each = m.pick([], [columns])

    def parameters(type, shape):
        return [m.give(m.floats(shape, "positive")), zero_point(m, type, shape)]
    inputs = [m.give(m.integers(lead + [rows, k], at))] + parameters(at, [])
    inputs += [m.give(m.integers([k, columns], bt))] + parameters(bt, columns_each) + parameters(yt, [])
    m.output(m.node("QLinearMatMul", inputs))


@family(name="QLinearConv", since=10)
def qlinear_conv(m):
    dims, kernel = 2, [m.r.randint(1, 3) for _ in range(2)]
    groups = m.pick(1, 1, 2)
    each, outs = m.r.randint(1, 2), m.r.randint(1, 2) * groups
    attributes, sizes = placed(m, dims, kernel, most=6)
    if groups > 1:
        attributes["group"] = groups
    xt, wt = m.pick(UINT8, INT8), m.pick(UINT8, INT8)
    x = m.give(m.integers([1, each * groups] + sizes, xt))
    w = m.give(m.integers([outs, each] + kernel, wt))
    if m.chance():
        inputs, each_zero = [x, w], []
        if m.chance(0.7):
            inputs.append(zero_point(m, xt))
            if m.chance(0.6):
                each_zero = m.pick([], [outs])
                inputs.append(zero_point(m, wt, each_zero))
        m.output(m.node("ConvInteger", inputs, **attributes))
        if each_zero in ([], [1]):
            windows_again(m, "ConvInteger", inputs, attributes, kernel, sizes)
        return
    ws = m.pick([], [1], [outs])
    inputs = [x, m.give(m.floats([], "positive")), zero_point(m, xt), w, m.give(m.floats(ws, "positive")),
              zero_point(m, wt, ws)]
    inputs += [m.give(m.floats([], "positive")), zero_point(m, xt)]
    if m.chance():
        inputs.append(m.give(m.integers([outs], INT32)))
    m.output(m.node("QLinearConv", inputs, **attributes))
    windows_again(m, "QLinearConv", inputs, attributes, kernel, sizes)


# ---- Control flow

def body(m, nodes, inputs, outputs, initializers=()):
    return helper.make_graph(nodes, "body", inputs, outputs, list(initializers))


def port(name, type=FLOAT, shape=None):
    return helper.make_tensor_value_info(name, type, shape)


@family(name="If", since=7)
def if_(m):
    shape = m.shape(0, 3)
    x, y = m.give(m.floats(shape)), m.give(m.floats(shape))
    condition = m.give(np.array(m.chance(), np.bool_).reshape(m.pick([], [1])))
    a, b = m.name("then"), m.name("else")
    then = body(m, [helper.make_node(m.pick("Add", "Mul"), [x, y], [a])], [], [port(a, FLOAT, shape)])
    other = body(m, [helper.make_node("Sub", [y, x], [b])], [], [port(b, FLOAT, shape)])
    m.output(m.node("If", [condition], then_branch=then, else_branch=other))


@family(name="Loop", since=7)
def loop(m):
    shape = m.shape(0, 2)
    x, state = m.give(m.floats(shape, "small")), m.give(m.floats(shape, "small"))
    count = m.constant(np.array(m.r.randint(1, 4), np.int64)) if m.chance(0.8) else ""
    stop = m.constant(np.array(m.r.randint(0, 3), np.int64))
    condition = m.constant(np.array(True)) if count == "" or m.chance() else ""
    i, on, v, again, w, scan, f = [m.name("b") for _ in range(7)]
    nodes = [helper.make_node("Cast", [i], [f], to=FLOAT), helper.make_node("Add", [v, x], [w + "a"]),
             helper.make_node("Add", [w + "a", f], [w]), helper.make_node("Mul", [w, x], [scan])]
    if count == "" or (condition != "" and m.chance()):  # without a condition the body's stops it there, against the text
        nodes.append(helper.make_node("Less", [i, stop], [again])
                     if m.opset >= 9 else helper.make_node("Identity", [on], [again]))
        if count == "" and m.opset < 9:
            return
    else:
        nodes.append(helper.make_node("Identity", [on], [again]))
    graph = body(m, nodes, [port(i, INT64, []), port(on, BOOL, []), port(v, FLOAT, shape)],
                 [port(again, BOOL, []), port(w, FLOAT, shape), port(scan, FLOAT, shape)])
    m.output(*m.node("Loop", [count, condition, state], 2, body=graph))


@family(name="While", since=11)
def while_(m):
    """A loop that stops where values say so, after at most a known count of iterations."""
    shape = m.shape(0, 2)
    x, state = m.give(m.floats(shape, "positive")), m.give(m.floats(shape, "positive"), run=True)
    limit = m.give(np.float32(m.pick(0.1, 2, 5, 100)))
    total = m.node("ReduceSum", [state], keepdims=0)
    condition = m.node("Less", [total, limit]) if m.chance() else m.constant(np.array(True))
    i, on, v, k, again, w, n = [m.name("b") for _ in range(7)]
    nodes = [helper.make_node("Add", [v, x], [w]), helper.make_node("ReduceSum", [w], [w + "s"], keepdims=0),
             helper.make_node("Less", [w + "s", limit], [again]), helper.make_node("Add", [k, i], [n])]
    graph = body(m, nodes, [port(i, INT64, []), port(on, BOOL, []), port(v, FLOAT, shape), port(k, INT64, [])],
                 [port(again, BOOL, []), port(w, FLOAT, shape), port(n, INT64, [])])
    inputs = [m.constant(np.array(m.r.randint(1, 5), np.int64)), condition, state, m.constant(np.int64(10))]
    m.output(*m.node("Loop", inputs, 2, body=graph))


@family(name="Scan", since=9)
def scan(m):
    rank = m.r.randint(1, 3)
    shape = [m.r.randint(1, 3) for _ in range(rank - 1)]
    length = m.r.randint(1, 4)
    attributes = {}

    def along(key, count, least):
        places = [m.r.randint(-rank if m.opset >= 11 else 0, rank - 1) for _ in range(count)]
        if m.chance():
            attributes[key] = places
            return places
        return [0] * count
    ins = along("scan_input_axes", 2, 0)
    if m.chance():
        attributes["scan_input_directions"] = [m.pick(0, 1), m.pick(0, 1)]
    along("scan_output_axes", 2, 0)
    if m.chance():
        attributes["scan_output_directions"] = [m.pick(0, 1), m.pick(0, 1)]

    def whole(axis):
        s = list(shape)
        s.insert(axis % rank, length)
        return s
    state, captured = m.give(m.floats(shape, "small")), m.give(m.floats(shape, "small"))
    xs = [m.give(m.floats(whole(a), "small")) for a in ins]
    s, a, b, t, p, q = [m.name("b") for _ in range(6)]
    nodes = [helper.make_node("Add", [s, a], [t + "a"]), helper.make_node("Mul", [t + "a", b], [t + "b"]),
             helper.make_node("Sub", [t + "b", captured], [t]), helper.make_node("Mul", [t, a], [p]),
             helper.make_node("Add", [a, b], [q])]
    graph = body(m, nodes, [port(n, FLOAT, shape) for n in (s, a, b)], [port(n, FLOAT, shape) for n in (t, p, q)])
    m.output(*m.node("Scan", [state] + xs, 3, body=graph, num_scan_inputs=2, **attributes))


# ---- Sampling, signals, and others

@family(name="AffineGrid", since=20)
def affine_grid(m):
    n, dims = m.r.randint(1, 2), m.pick(2, 2, 3)
    size = [n, 1] + [m.r.randint(1, 3) for _ in range(dims)]
    theta = m.floats([n, dims, dims + 1], "small")
    attributes = some(m, align_corners=m.pick(0, 1))
    m.output(m.node("AffineGrid", [m.give(theta), m.ints(size)], **attributes))
    if attributes.get("align_corners") and 1 in size[2:]:
        m.second_values("AffineGrid: with align_corners a single place is 1 there, and -1 in ONNX's reference",
                        formulas.affine_grid(theta, size, True))


@family(name="GridSample", since=16)
def grid_sample(m):
    dims = m.pick(2, 2, 3) if m.opset >= 20 else 2
    n, c = m.r.randint(1, 2), m.r.randint(1, 2)
    modes = ["linear", "nearest", "cubic"] if m.opset >= 20 else ["bilinear", "nearest", "bicubic"]
    mode = m.r.choice(modes[:2] if dims == 3 else modes)
    sizes, out = [m.r.randint(2, 4) for _ in range(dims)], [m.r.randint(1, 3) for _ in range(dims)]
    inputs = [m.give(m.floats([n, c] + sizes, "small")),
              m.give(m.floats([n] + out + [dims], "small") * np.float32(m.pick(1.0, 1.5)))]
    attributes = some(m, align_corners=m.pick(0, 1), padding_mode=m.pick("zeros", "border", "reflection"))
    microsoft = dims == 2 and m.chance(0.2)
    if microsoft:
        mode = m.pick("bilinear", "nearest", "bicubic")
    if mode not in ("linear", "bilinear") or m.chance():
        attributes["mode"] = mode
    m.output(m.node("GridSample", inputs, domain=MICROSOFT if microsoft else "", **attributes))


@family(name="RoiAlign", since=10)
def roi_align(m):
    n, c, h, w, rois = m.r.randint(1, 2), m.r.randint(1, 2), m.r.randint(2, 6), m.r.randint(2, 6), m.r.randint(1, 3)
    corners = np.sort(m.n.uniform(-1, 8, (rois, 2, 2)), axis=1).reshape(rois, 4).astype(np.float32)
    inputs = [m.give(m.floats([n, c, h, w], "small")), m.give(corners), m.give(m.integers([rois], INT64, 0, n - 1))]
    attributes = some(m, output_height=m.r.randint(1, 3), output_width=m.r.randint(1, 3), mode=m.pick("avg", "max"),
                      sampling_ratio=m.r.randint(0, 3), spatial_scale=m.pick(0.5, 1.0, 0.25))
    if m.opset >= 16:
        attributes.update(some(m, coordinate_transformation_mode=m.pick("half_pixel", "output_half_pixel")))
    if attributes.get("mode") == "max":
        m.tag("max")
    m.output(m.node("RoiAlign", inputs, **attributes))


@family(name="MaxRoiPool")
def max_roi_pool(m):
    n, c, h, w, rois = m.r.randint(1, 2), m.r.randint(1, 2), m.r.randint(2, 6), m.r.randint(2, 6), m.r.randint(1, 3)
    corners = np.sort(m.n.randint(0, 8, (rois, 2, 2)), axis=1).reshape(rois, 4)
    index = m.n.randint(0, n, (rois, 1))
    rois = np.concatenate([index, corners], 1).astype(np.float32)
    attributes = dict(some(m, spatial_scale=m.pick(0.5, 1.0)), pooled_shape=[m.r.randint(1, 3), m.r.randint(1, 3)])
    m.output(m.node("MaxRoiPool", [m.give(m.floats([n, c, h, w], "small")), m.give(rois)], **attributes))


@family(name="MaxUnpool", since=9, tolerance=EXACT)
def max_unpool(m):
    kernel = [m.r.randint(1, 3) for _ in range(m.pick(1, 2, 2))]
    strides = [k + m.pick(0, 0, 1) for k in kernel]
    attributes = dict(kernel_shape=kernel, strides=strides)
    sizes = [m.r.randint(0, 2) * s + k for k, s in zip(kernel, strides)]  # the windows end where it does
    shape = [1, 2] + sizes
    x = m.give(m.n.permutation(int(np.prod(shape))).reshape(shape).astype(np.float32))
    y, places = m.node("MaxPool", [x], 2, **attributes)
    inputs = [y, places]
    if m.chance():
        inputs.append(m.ints(shape))
    m.output(m.node("MaxUnpool", inputs, **attributes))


@family(name="NonMaxSuppression", since=10)
def non_max_suppression(m):
    n, classes, boxes = m.r.randint(1, 2), m.r.randint(1, 2), m.r.randint(1, 6)
    center = m.chance(0.3)
    corners = np.sort(m.n.uniform(0, 4, (n, boxes, 2, 2)), axis=2).reshape(n, boxes, 4).astype(np.float32)
    if center:
        corners[..., 2:] = np.abs(corners[..., 2:]) + 0.5
    scores = m.n.permutation(n * classes * boxes).reshape(n, classes, boxes).astype(np.float32) / np.float32(8)
    inputs = [m.constant(corners), m.constant(scores), m.ints([m.r.randint(1, 4)])]
    if m.chance(0.8):
        inputs.append(m.constant(np.float32([m.pick(0.0, 0.3, 0.7)])))
        if m.chance():
            inputs.append(m.constant(np.float32([m.pick(0.0, 0.2, 0.5)])))
    m.output(m.node("NonMaxSuppression", inputs, **(dict(center_point_box=1) if center else {})))


@family(name="Unique", since=11)
def unique(m):
    shape = m.shape(1, 3, 1, 4)
    attributes = some(m, sorted=m.pick(0, 1), axis=m.axis(len(shape)))
    x = m.constant(m.integers(shape, m.pick(INT64, INT8), 0, 2) if m.chance() else m.floats(shape, "integers"))
    m.output(*m.node("Unique", [x], 4, **attributes))


@family(name="Det", since=11)
def det(m):
    size = m.r.randint(1, 5)
    m.output(m.node("Det", [m.give(m.floats(m.shape(0, 2) + [size, size], m.pick("small", "integers")))]))


@family(name="Col2Im", since=18)
def col2im(m):
    dims = m.pick(1, 2, 2, 3)
    image, block = [m.r.randint(3, 5) for _ in range(dims)], [m.r.randint(1, 3) for _ in range(dims)]
    strides, dilations = [m.r.randint(1, 2) for _ in range(dims)], [m.pick(1, 1, 2) for _ in range(dims)]
    pads = [m.r.randint(0, 1) for _ in range(2 * dims)]
    counts = [(image[i] + pads[i] + pads[i + dims] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1
              for i in range(dims)]
    if min(counts) < 1:
        return
    n, c = m.r.randint(1, 2), m.r.randint(1, 2)
    x = m.floats([n, c * int(np.prod(block)), int(np.prod(counts))], "small")
    m.output(m.node("Col2Im", [m.give(x), m.ints(image), m.ints(block)], strides=strides, dilations=dilations,
                    pads=pads))
    if dims != 2:
        m.second_values("Col2Im: padding and dilations are not counted right there but in 2 dimensions",
                        formulas.col2im(x, image, block, strides, dilations, pads))


@family(name="CenterCropPad", since=18, tolerance=EXACT, special=True)
def center_crop_pad(m):
    shape = m.shape(1, 4, 1, 5)
    axes = m.r.sample(range(len(shape)), m.r.randint(1, len(shape))) if m.chance() else None
    target = [m.r.randint(1, 6) for _ in (axes if axes else shape)]
    if axes and m.chance():
        axes = [a - len(shape) for a in axes]
    m.output(m.node("CenterCropPad", [m.give(m.values(shape, m.pick(FLOAT, INT64))), m.ints(target)], axes=axes))


@family(name="DFT", since=17)
def dft(m):
    shape = [m.r.randint(1, 3)] + [m.r.randint(1, 6) for _ in range(m.pick(1, 1, 2))]
    parts = m.pick(1, 2)
    axis = m.r.randint(1, len(shape) - 1) if m.chance(0.7) else None
    length = m.r.randint(1, 7) if m.chance(0.4) else None
    attributes = some(m, inverse=m.pick(0, 1), onesided=m.pick(0, 1))
    if attributes.get("onesided") and (parts == 2 or attributes.get("inverse")):
        del attributes["onesided"]
    inputs = [m.give(m.floats(shape + [parts], "small")), m.ints(length) if length else ""]
    if m.opset >= 20:
        inputs.append(m.ints(axis) if axis is not None else "")
    elif axis is not None:
        attributes["axis"] = axis
    while inputs[-1] == "":
        inputs.pop()
    if m.opset >= 20 and axis is None and len(shape) == 2:
        m.tag("the default axis")
    m.output(m.node("DFT", inputs, **attributes))


@family(name="STFT", since=17)
def stft(m):
    frame, step = m.r.randint(2, 5), m.r.randint(1, 3)
    inputs = [m.give(m.floats([m.r.randint(1, 2), frame + m.r.randint(0, 6), 1], "small")), m.ints(step)]
    window = m.chance()
    inputs.append(m.give(m.floats([frame], "positive")) if window else "")
    inputs.append(m.ints(frame) if not window or m.chance() else "")
    while inputs[-1] == "":
        inputs.pop()
    m.output(m.node("STFT", inputs, **some(m, onesided=m.pick(0, 1))))


@family(name="MelWeightMatrix", since=17)
def mel_weight_matrix(m):
    rate, low = m.pick(8000, 16000), m.pick(0.0, 20.0, 125.0)
    inputs = [m.ints(m.r.randint(1, 8)), m.ints(m.pick(16, 64, 256)), m.ints(rate), m.constant(np.float32(low)),
              m.constant(np.float32(rate / m.pick(2, 4)))]
    m.output(m.node("MelWeightMatrix", inputs))


@family(name="Bitwise", since=18)
def bitwise(m):
    type = m.r.choice(INTEGERS)
    a, b = broadcast_pair(m)
    x, y = m.integers(a, type, limits=True), m.integers(b, type, limits=True)
    if m.chance(0.2):
        m.output(m.node("BitwiseNot", [m.give(x)]))
    else:
        m.output(m.node(m.pick("BitwiseAnd", "BitwiseOr", "BitwiseXor"), [m.give(x), m.give(y)]))


@family(name="CumProd", since=26)
def cum_prod(m):
    shape = m.shape(1, 4)
    x = m.values(shape, m.pick(FLOAT, FLOAT, INT32, INT64), "small")
    axis = m.give(np.array(m.axis(len(shape)), np.int64), run=False)
    m.output(m.node("CumProd", [m.give(x), axis], **some(m, exclusive=m.pick(0, 1), reverse=m.pick(0, 1))))


@family(name="DeformConv", since=19)
def deform_conv(m):
    n, groups, offsets = m.r.randint(1, 2), m.pick(1, 1, 2), m.pick(1, 1, 2)
    c, outs = 2 * m.r.randint(1, 2), groups * m.r.randint(1, 2)
    kernel, sizes = [m.r.randint(1, 3) for _ in range(2)], [m.r.randint(3, 5) for _ in range(2)]
    strides, dilations = [m.r.randint(1, 2) for _ in range(2)], [m.pick(1, 1, 2) for _ in range(2)]
    pads = [m.r.randint(0, 1) for _ in range(4)]
    out = [(sizes[i] + pads[i] + pads[i + 2] - dilations[i] * (kernel[i] - 1) - 1) // strides[i] + 1 for i in range(2)]
    if min(out) < 1:
        return
    taps = kernel[0] * kernel[1]
    inputs = [m.give(m.floats([n, c] + sizes, "small")), m.give(m.floats([outs, c // groups] + kernel, "small")),
              m.give(m.floats([n, offsets * taps * 2] + out, "small"))]
    inputs.append(m.give(m.floats([outs], "small")) if m.chance() else "")
    inputs.append(m.give(m.floats([n, offsets * taps] + out, "positive")) if m.chance() else "")
    while inputs[-1] == "":
        inputs.pop()
    m.output(m.node("DeformConv", inputs, kernel_shape=kernel, strides=strides, dilations=dilations, pads=pads,
                    group=groups, offset_group=offsets))


@family(name="Sequence", since=13, tolerance=EXACT, special=True)
def sequence(m):
    """A tensor cut up, items taken out, put in and taken away, and what is left joined."""
    shape = m.shape(1, 3, 2, 5)
    axis = m.axis(len(shape))
    keep = m.chance()
    s = m.node("SplitToSequence", [m.give(m.floats(shape, "small"))] + ([m.ints(1)] if keep and m.chance() else []),
               axis=axis, **({} if keep else {"keepdims": 0}))
    count = shape[axis]
    for _ in range(m.r.randint(0, 3)):
        act = m.pick("insert", "erase", "append")
        if act == "erase" and count > 1:
            s = m.node("SequenceErase", [s, m.ints(m.r.randrange(-count, count))])
            count -= 1
        elif act != "erase":
            item = m.node("SequenceAt", [s, m.ints(m.r.randrange(-count, count))])
            s = m.node("SequenceInsert", [s, item] + ([m.ints(m.r.randint(-count, count))] if act == "insert" else []))
            count += 1
    new = m.pick(0, 1)
    rank = len(shape) - (0 if keep else 1)
    if rank == 0:
        new = 1
    m.output(m.node("ConcatFromSequence", [s], axis=m.axis(rank + new), new_axis=new))
    m.output(m.node("SequenceLength", [s]))


# ---- Attention

@family(name="Attention", since=23)
def attention(m):
    heads, groups = m.r.randint(1, 2), m.pick(1, 1, 2)
    q_heads = heads * groups
    b, s, t, d, dv = m.r.randint(1, 2), m.r.randint(1, 3), m.r.randint(1, 4), 2 * m.r.randint(1, 2), m.r.randint(1, 3)
    t = m.pick(s, t)
    past = m.r.randint(1, 3) if m.chance(0.3) else 0
    wide = m.chance()
    attributes = {}
    if wide:
        q, k, v = [b, q_heads, s, d], [b, heads, t, d], [b, heads, t, dv]
    else:
        q, k, v = [b, s, q_heads * d], [b, t, heads * d], [b, t, heads * dv]
        attributes = {"q_num_heads": q_heads, "kv_num_heads": heads}
    attributes.update(some(m, is_causal=m.pick(0, 1)))
    if m.chance(0.3):
        attributes["scale"] = m.pick(0.5, 1.0)
    if m.chance(0.3):
        attributes["softcap"] = m.pick(0.0, 0.7)
    arrays = [m.floats(x, "small") for x in (q, k, v)]
    inputs = [m.give(x) for x in arrays]
    mask, bias, used, pasts = "", None, None, [None, None]
    if m.chance():
        shape = m.pick([s, t + past], [1, 1, s, t + past], [b, 1, s, t + past], [b, q_heads, s, t + past],
                       [1, s, t + past])
        if m.chance():
            bias = m.values(shape, BOOL)
            bias[..., 0] = True
        else:
            bias = m.floats(shape, "small")
        mask = m.give(bias)
    inputs.append(mask)
    if past:
        pasts = [m.floats([b, heads, past, d], "small"), m.floats([b, heads, past, dv], "small")]
        inputs += [m.give(x) for x in pasts]
    elif m.opset >= 24 and m.chance(0.3):
        used = m.integers([b], INT64, 1 if not attributes.get("is_causal") else min(s, t), t)
        inputs += ["", "", m.give(used)]
    while inputs[-1] == "":
        inputs.pop()
    outputs = m.pick(1, 3, 4) if past else m.pick(1, 1, 4)
    names = [m.name("y") for _ in range(outputs)]
    if outputs == 4:
        attributes.update(some(m, qk_matmul_output_mode=m.pick(0, 1, 2, 3)))
        if not past:
            names[1] = names[2] = ""
    m.node("Attention", inputs, names, **attributes)
    m.output(*names)
    reason = None
    if past and attributes.get("is_causal") and s != t:
        reason = "Attention: the causal mask is aligned to the last key there, and in ONNX to the past ones"
    elif attributes.get("qk_matmul_output_mode") == 2:
        reason = "Attention: scores that a mask hides are the least float there, and -infinity in ONNX"
    elif past and outputs == 1:
        reason = "Attention: past keys without the present ones as output have no kernel there"
    if reason:
        if not wide:  # [B, S, heads D] as [B, heads, S, D]
            arrays = [np.swapaxes(x.reshape(b, x.shape[1], n, -1), 1, 2) for x, n in zip(arrays, (q_heads, heads, heads))]
        y, k, v, scores = formulas.attention(*arrays, bias, *pasts, attributes, used)
        y = y if wide else np.swapaxes(y, 1, 2).reshape(b, s, -1)
        values = [y, k, v, scores[attributes.get("qk_matmul_output_mode", 0)]]
        m.second_values(reason, *[value for name, value in zip(names, values) if name])


@family(name="Rotary", since=23)
def rotary(m):
    b, s, heads, size = m.r.randint(1, 2), m.r.randint(1, 3), m.r.randint(1, 3), 2 * m.r.randint(1, 4)
    rotated = size
    attributes = some(m, interleaved=m.pick(0, 1))
    if m.chance(0.3) and size > 2:
        rotated = attributes["rotary_embedding_dim"] = 2 * m.r.randint(1, size // 2)
    wide = m.chance()
    x = m.give(m.floats([b, heads, s, size] if wide else [b, s, heads * size], "small"))
    if not wide or m.chance():
        attributes["num_heads"] = heads
    if m.chance():
        table = [m.r.randint(s, 6), rotated // 2]
        places = m.give(m.integers([b, s], INT64, 0, table[0] - 1))
        inputs = [x, m.give(m.floats(table, "small")), m.give(m.floats(table, "small")), places]
    else:
        table = [b, s, rotated // 2]
        inputs = [x, m.give(m.floats(table, "small")), m.give(m.floats(table, "small"))]
    m.output(m.node("RotaryEmbedding", inputs, **attributes))


@family(name="Window", since=17)
def window_function(m):
    m.output(m.node(m.pick("HannWindow", "HammingWindow", "BlackmanWindow"),
                    [m.constant(np.array(m.r.randint(2, 9), m.pick(np.int32, np.int64)))],
                    **some(m, periodic=m.pick(0, 1), output_datatype=FLOAT)))


# ---- Operators of com.microsoft

@family(name="MicrosoftElementwise")
def microsoft_elementwise(m):
    op = m.pick("Gelu", "QuickGelu", "FastGelu", "BiasGelu", "FusedMatMul")
    shape = m.shape(1, 4)
    x = m.give(m.floats(shape, "small"))
    if op == "FusedMatMul":
        k = m.r.randint(1, 4)
        lead = m.shape(0, 2)
        a, b = lead + [m.r.randint(1, 4), k], lead + [k, m.r.randint(1, 4)]
        attributes = some(m, transA=m.pick(0, 1), transB=m.pick(0, 1), alpha=m.pick(0.5, 2.0))
        if attributes.get("transA"):
            a[-2:] = a[:-3:-1]
        if attributes.get("transB"):
            b[-2:] = b[:-3:-1]
        m.output(m.node(op, [m.give(m.floats(a, "small")), m.give(m.floats(b, "small"))], domain=MICROSOFT,
                        **attributes))
        return
    inputs = [x]
    if op == "BiasGelu" or op == "FastGelu" and m.chance():
        inputs.append(m.give(m.floats(shape[-1:], "small")))
    m.output(m.node(op, inputs, domain=MICROSOFT, **(some(m, alpha=m.pick(1.0, 0.5)) if op == "QuickGelu" else {})))


@family(name="MicrosoftNormalization")
def microsoft_normalization(m):
    b, s, h = m.r.randint(1, 2), m.r.randint(1, 3), m.r.randint(1, 5)
    simple = m.chance()
    shape = [b, s, h]
    inputs = [m.give(m.floats(shape, "small")), m.give(m.floats(m.pick(shape, shape, [1, s, h], [s, h]), "small")),
              m.give(m.floats([h], "small"))]
    rest = 1 if simple else 2
    for _ in range(rest):
        inputs.append(m.give(m.floats([h], "small")) if m.chance() else "")
    while inputs[-1] == "":
        inputs.pop()
    names = [m.name("y"), "", "", m.name("y")] if m.chance() else [m.name("y")]
    m.node("SkipSimplifiedLayerNormalization" if simple else "SkipLayerNormalization", inputs, names, domain=MICROSOFT,
           **some(m, epsilon=m.pick(1e-3, 0.1)))
    m.output(*names)


@family(name="SimplifiedLayerNormalization")
def simplified_layer_normalization(m):
    shape = m.shape(2, 4)
    axis = m.axis(len(shape))
    attributes = some(m, axis=axis, epsilon=m.pick(1e-3, 0.1))
    scale = shape[attributes.get("axis", -1) % len(shape):]
    m.output(m.node("SimplifiedLayerNormalization",
                    [m.give(m.floats(shape, "small")), m.give(m.floats(scale, "small"))], **attributes))


@family(name="EmbedLayerNormalization")
def embed_layer_normalization(m):
    b, s, h, words, places = m.r.randint(1, 2), m.r.randint(1, 4), m.r.randint(1, 4), 6, 5
    segments = m.chance()
    inputs = [m.give(m.integers([b, s], INT32, 0, words - 1)), m.give(m.integers([b, s], INT32, 0, 1))
              if segments else "",
              m.give(m.floats([words, h], "small")), m.give(m.floats([places, h], "small")),
              m.give(m.floats([2, h], "small")) if segments else "", m.give(m.floats([h],
                                                                                     "small")),
                                                                                     m.give(m.floats([h], "small"))]
    if m.chance():
        inputs.append(m.give(m.integers([b, s], INT32, 0, 1)))
    names = [m.name("y"), m.name("y")]
    m.node("EmbedLayerNormalization", inputs, names, domain=MICROSOFT, **some(m, epsilon=m.pick(1e-3, 0.1)))
    m.output(*names)


@family(name="CausalConvWithState")
def causal_conv(m):
    b, channels, length, k = m.r.randint(1, 2), m.r.randint(1, 4), m.r.randint(1, 5), m.r.randint(2, 4)
    inputs = [m.give(m.floats([b, channels, length], "small")), m.give(m.floats([channels, 1, k], "small"))]
    inputs.append(m.give(m.floats([channels], "small")) if m.chance() else "")
    inputs.append(m.give(m.floats([b, channels, k - 1], "small")) if m.chance() else "")
    while inputs[-1] == "":
        inputs.pop()
    attributes = some(m, activation=m.pick("none", "silu", "swish"))
    names = [m.name("y") for _ in range(2)]
    m.node("CausalConvWithState", inputs, names, domain=MICROSOFT, **attributes)
    m.output(*names)


@family(name="LinearAttention")
def linear_attention(m):
    b, t, groups, share = m.r.randint(1, 2), m.r.randint(1, 4), m.r.randint(1, 3), m.r.randint(1, 2)
    heads, keys = groups * share, groups
    if m.chance(0.3):  # heads of values share those of queries and keys
        heads, keys, groups = groups, m.pick(1, groups), groups * share
    d, e = m.r.randint(1, 4), m.r.randint(1, 4)
    rule = m.pick("linear", "gated", "delta", "gated_delta")
    inputs = [m.give(m.floats(x, "small")) for x in ([b, t, heads * d], [b, t, keys * d], [b, t, groups * e])]
    inputs.append(m.give(m.floats([b, groups, d, e], "small")) if m.chance() else "")
    gated, delta = rule.startswith("gated"), rule.endswith("delta")
    inputs.append(m.give(-m.floats([b, t, groups * m.pick(1, d)], "positive")) if gated else "")
    inputs.append(m.give(m.floats([b, t, m.pick(1, groups)], "positive")) if delta else "")
    while inputs[-1] == "":
        inputs.pop()
    attributes = dict(some(m, scale=m.pick(0.5, 1.0), chunk_size=32), q_num_heads=heads, kv_num_heads=groups)
    if rule != "gated_delta" or m.chance():
        attributes["update_rule"] = rule
    names = [m.name("y") for _ in range(2)]
    m.node("LinearAttention", inputs, names, domain=MICROSOFT, **attributes)
    m.output(*names)


@family(name="MicrosoftAttention")
def microsoft_attention(m):
    b, s, heads, size = m.r.randint(1, 2), m.r.randint(1, 4), m.r.randint(1, 3), m.r.randint(1, 3)
    hidden, width = heads * size, m.r.randint(1, 4)
    attributes = dict(some(m, unidirectional=m.pick(0, 1), scale=m.pick(0.5, 1.0)), num_heads=heads)
    inputs = [m.give(m.floats([b, s, width], "small")), m.give(m.floats([width, 3 * hidden], "small")),
              m.give(m.floats([3 * hidden], "small"))]
    if m.chance():
        form = m.pick("lengths", "keys", "full")
        if form == "lengths":
            inputs.append(m.give(m.integers([b], INT32, 1, s)))
        else:
            mask = m.integers([b, s] if form == "keys" else [b, s, s], INT32, 0, 1)
            mask[..., 0] = 1
            inputs.append(m.give(mask))
    m.output(m.node("Attention", inputs, domain=MICROSOFT, **attributes))


@family(name="MultiHeadAttention")
def multi_head_attention(m):
    b, s, t, heads, size = m.r.randint(1, 2), m.r.randint(1, 3), m.r.randint(1, 4), m.r.randint(1, 3), m.r.randint(1, 3)
    hidden = heads * size
    attributes = dict(some(m, scale=m.pick(0.5, 1.0)), num_heads=heads)
    if m.chance(0.3):
        attributes["unidirectional"] = 1
        t = s
    inputs = [m.give(m.floats([b, s, hidden], "small")), m.give(m.floats([b, t, hidden], "small")),
              m.give(m.floats([b, t, hidden], "small"))]
    inputs.append(m.give(m.floats([3 * hidden], "small")) if m.chance() else "")
    if m.chance(0.4):
        mask = m.integers([b, t], INT32, 0, 1)
        mask[..., 0] = 1
        inputs.append(m.give(mask))
    else:
        inputs.append("")
    inputs.append(m.give(m.floats([m.pick(1, b), m.pick(1, heads), s, t], "small")) if m.chance(0.4) else "")
    while inputs[-1] == "":
        inputs.pop()
    m.output(m.node("MultiHeadAttention", inputs, domain=MICROSOFT, **attributes))


@family(name="MicrosoftRotary")
def microsoft_rotary(m):
    b, s, heads, size = m.r.randint(1, 2), m.r.randint(1, 3), m.r.randint(1, 3), 2 * m.r.randint(1, 4)
    attributes = some(m, interleaved=m.pick(0, 1))
    wide = m.chance()
    x = m.give(m.floats([b, heads, s, size] if wide else [b, s, heads * size], "small"))
    table = [m.r.randint(s + 2, 7), size // 2]
    if m.chance():
        places = m.integers([b, s], INT64, 0, table[0] - 1)
    else:
        places = m.integers([1], INT64, 0, table[0] - s)
    m.output(m.node("RotaryEmbedding", [x, m.give(places), m.give(m.floats(table, "small")),
                                        m.give(m.floats(table, "small"))],
                    domain=MICROSOFT, **attributes))


@family(name="MatMulNBits")
def mat_mul_n_bits(m):
    block, n, k, bits = m.pick(16, 32), m.r.randint(1, 4), m.r.randint(1, 70), m.pick(2, 4, 4, 8)
    blocks = -(-k // block)
    inputs = [m.give(m.floats(m.shape(1, 2) + [k], "small")),
              m.constant(m.integers([n, blocks, block * bits // 8], UINT8, 0, 255)),
              m.constant(m.floats([n * blocks], "small"))]
    if m.chance():
        inputs.append(m.constant(m.integers([n * (-(-blocks * bits // 8))], UINT8, 0, 255)))
    m.output(m.node("MatMulNBits", inputs, domain=MICROSOFT, K=k, N=n, bits=bits, block_size=block))


# ---- What quantizers and optimizers write

def scaled(m, shape, type, x=None):
    """A quantized tensor with its scale and zero point."""
    x = m.give(m.integers(shape, type, -100 if type == INT8 else 0, 100)) if x is None else x
    return [x, m.constant(np.float32(m.pick(0.01, 0.02, 0.5))), m.constant(m.integers([], type, 0, 20))]


@family(name="QLinearElementwise", tolerance=(1e-4, 1.001))
def qlinear_elementwise(m):
    type = m.pick(UINT8, INT8)
    op = m.pick("QLinearAdd", "QLinearMul", "QLinearSigmoid", "QLinearLeakyRelu", "QLinearWhere", "QLinearConcat")
    if op in ("QLinearAdd", "QLinearMul"):
        a, b = broadcast_pair(m)
        inputs = scaled(m, a, type) + scaled(m, b, type) + scaled(m, [], type, "")[1:]
    elif op in ("QLinearSigmoid", "QLinearLeakyRelu"):
        inputs = scaled(m, m.shape(0, 4), type) + scaled(m, [], type, "")[1:]
    elif op == "QLinearWhere":
        shape = m.shape(1, 3)
        inputs = [m.give(m.values(shape, BOOL))] + scaled(m, shape, type) + scaled(m, shape, type)
        inputs += scaled(m, [], type, "")[1:]
    else:
        shape = m.shape(1, 3)
        axis = m.axis(len(shape))
        inputs = scaled(m, [], type, "")[1:]
        for _ in range(m.r.randint(1, 3)):
            part = list(shape)
            part[axis] = m.r.randint(1, 3)
            inputs += scaled(m, part, type)
        m.output(m.node(op, inputs, domain=MICROSOFT, axis=axis))
        return
    attributes = some(m, alpha=0.25) if op == "QLinearLeakyRelu" else {}
    m.output(m.node(op, inputs, domain=MICROSOFT, **attributes))


@family(name="QLinearRows", tolerance=(1e-4, 1.001))
def qlinear_rows(m):
    type = m.pick(UINT8, INT8)
    op = m.pick("QLinearGlobalAveragePool", "QLinearAveragePool", "QLinearSoftmax", "QLinearReduceMean")
    shape = [1, m.r.randint(1, 3), m.r.randint(2, 5), m.r.randint(2, 5)]
    x = m.integers(shape, type, -100 if type == INT8 else 0, 100)
    scales, zeros = [np.float32(m.pick(0.01, 0.02, 0.5)) for _ in range(2)], [m.integers([], type, 0, 20) for _ in range(2)]
    inputs = [m.give(x)] + [m.constant(a) for a in (scales[0], zeros[0], scales[1], zeros[1])]
    attributes = {}
    if op == "QLinearAveragePool":
        attributes = dict(some(m, count_include_pad=m.pick(0, 1), ceil_mode=m.pick(0, 1), strides=[1, 2],
                               pads=[0, 1, 1, 0]), kernel_shape=[2, 2])
    elif op == "QLinearSoftmax":
        attributes = {"axis": m.axis(4), "opset": 13}
        inputs[3:] = [m.constant(np.float32(1 / 256)), m.constant(np.array(0 if type == UINT8 else -128, NUMPY[type]))]
    elif op == "QLinearReduceMean":
        attributes = dict(keepdims=m.pick(0, 1), axes=m.r.sample(range(4), m.r.randint(1, 3)))
    m.output(m.node(op, inputs, domain=MICROSOFT, **attributes))
    limits = np.iinfo(NUMPY[type])
    if op == "QLinearSoftmax" and shape[attributes["axis"]] == 1:
        m.second_values("QLinearSoftmax: a share of 1 is beyond 255 / 256, and 0 there",
                        np.full(shape, limits.max, NUMPY[type]))
    if attributes.get("ceil_mode") and attributes.get("count_include_pad"):
        wide = (x.astype(np.float64) - int(zeros[0])) * scales[0]
        wide = formulas.pool(wide, "AveragePool", [2, 2], attributes.get("strides", [1, 1]), [1, 1],
                             attributes.get("pads", [0] * 4), True, True)
        wide = np.clip(np.rint(wide / scales[1]) + int(zeros[1]), limits.min, limits.max)
        m.second_values("QLinearAveragePool: what ceil_mode adds is counted as padding there", wide.astype(NUMPY[type]))


@family(name="QGemm", tolerance=(1e-4, 1.001))
def qgemm(m):
    at, bt = m.pick(UINT8, INT8), INT8
    rows, k, n = m.r.randint(1, 4), m.r.randint(1, 5), m.r.randint(1, 4)
    ta, tb = m.pick(0, 1), m.pick(0, 1)
    each = m.chance(0.4)
    inputs = scaled(m, [k, rows] if ta else [rows, k], at)
    inputs += [m.constant(m.integers([n, k] if tb else [k, n], bt, -50, 50)),
               m.constant(m.floats([n] if each else [], "positive")),
               m.constant(m.integers([n] if each else [], bt, 0, 0 if each else 5))]
    inputs.append(m.constant(m.integers([n], INT32, -50, 50)) if m.chance() else "")
    if m.chance():
        inputs += scaled(m, [], at, "")[1:]
    while inputs[-1] == "":
        inputs.pop()
    m.output(m.node("QGemm", inputs, domain=MICROSOFT, transA=ta, transB=tb, **some(m, alpha=m.pick(1.0, 0.5))))


@family(name="MatMulIntegerToFloat", tolerance=(1e-3, 1e-3))
def mat_mul_integer_to_float(m):
    rows, k, n = m.r.randint(1, 4), m.r.randint(1, 6), m.r.randint(1, 4)
    bt = m.pick(UINT8, INT8)
    b = m.constant(m.integers([k, n], bt))
    each = m.pick([], [n])
    scale, zero = m.constant(m.floats(each, "positive")), m.constant(m.integers(each, bt, 0, 5))
    bias = m.constant(m.floats([n], "small")) if m.chance() else ""
    if m.chance():
        inputs = [m.give(m.floats([rows, k], "small")), b, scale, zero if m.chance() or bias else "", bias]
        op = "DynamicQuantizeMatMul"
    else:
        at = m.pick(UINT8, INT8) if bt == INT8 else UINT8
        inputs = [m.give(m.integers([rows, k], at)), b, m.constant(m.floats([], "positive")), scale,
                  m.constant(m.integers([], at, 0, 5)), zero, bias]
        op = "MatMulIntegerToFloat"
    while inputs[-1] == "":
        inputs.pop()
    m.output(m.node(op, inputs, domain=MICROSOFT))


@family(name="Fused")
def fused(m):
    activation = m.pick("Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid")
    if m.chance(0.6):
        c, outs, kernel = m.r.randint(1, 2), m.r.randint(1, 3), [m.r.randint(1, 3) for _ in range(2)]
        inputs = [m.give(m.floats([1, c, 4, 5], "small")), m.give(m.floats([outs, c] + kernel, "small"))]
        if m.chance():
            inputs.append(m.give(m.floats([outs], "small")))
        attributes = dict(activation=activation, kernel_shape=kernel)
        if activation == "LeakyRelu":
            attributes["activation_params"] = [0.25]
        elif activation == "HardSigmoid":
            attributes["activation_params"] = [0.25, 0.5]
        m.output(m.node("FusedConv", inputs, domain=MICROSOFT, **attributes))
        return
    rows, k, n = m.r.randint(1, 4), m.r.randint(1, 5), m.r.randint(1, 4)
    attributes = some(m, transA=1, transB=1, alpha=0.5, beta=2.0)
    attributes["activation"] = activation
    if activation == "LeakyRelu":
        attributes["activation_alpha"] = 0.25
    elif activation == "HardSigmoid":
        attributes.update(activation_alpha=0.25, activation_beta=0.5)
    inputs = [m.give(m.floats([k, rows] if attributes.get("transA") else [rows, k], "small")),
              m.give(m.floats([n, k] if attributes.get("transB") else [k, n], "small")),
              m.give(m.floats(m.pick([n], [rows, n], [1]), "small"))]
    m.output(m.node("FusedGemm", inputs, domain=MICROSOFT, **attributes))


@family(name="FusedMatMul")
def fused_mat_mul(m):
    batch = m.shape(0, 2)
    rows, k, n = m.r.randint(1, 4), m.r.randint(1, 5), m.r.randint(1, 4)
    attributes = some(m, transA=1, transB=1, alpha=m.pick(0.5, 2.0))
    op = m.pick("FusedMatMul", "FusedMatMul", "TransposeMatMul")
    if op == "FusedMatMul" and len(batch) == 1 and m.chance(0.3):
        attributes.update(transBatchA=1)
    a = batch + ([k, rows] if attributes.get("transA") else [rows, k])
    if attributes.get("transBatchA"):  # [batch, rows, k] as [rows, batch, k]
        a = [a[1], a[0], a[2]]
    b = batch + ([n, k] if attributes.get("transB") else [k, n])
    m.output(m.node(op, [m.give(m.floats(a, "small")), m.give(m.floats(b, "small"))], domain=MICROSOFT, **attributes))


@family(name="GatherBlockQuantized")
def gather_block_quantized(m):
    block, rows, columns, bits = 16, m.r.randint(1, 5), m.r.randint(1, 3) * 16, m.pick(4, 8)
    inputs = [m.constant(m.integers([rows, columns * bits // 8], UINT8, 0, 255)),
              m.give(m.integers(m.shape(0, 2), m.pick(INT64, INT32), 0, rows - 1)),
              m.constant(m.floats([rows, columns // block], "small"))]
    if m.chance():
        inputs.append(m.constant(m.integers([rows, (columns // block * bits + 7) // 8], UINT8, 0, 255)))
    m.output(m.node("GatherBlockQuantized", inputs, domain=MICROSOFT, gather_axis=0, quantize_axis=1, block_size=block,
                    bits=bits))


@family(name="GroupQueryAttention")
def group_query_attention(m):
    b, groups, share, size = m.r.randint(1, 2), m.r.randint(1, 2), m.r.randint(1, 2), 16 * m.r.randint(1, 2)
    heads = groups * share
    past = m.pick(0, m.r.randint(1, 4))
    s = m.r.randint(1, 3) if past == 0 else 1
    total = past + s
    packed = m.chance(0.3)
    if packed:
        inputs = [m.give(m.floats([b, s, (heads + 2 * groups) * size], "small")), "", ""]
    else:
        inputs = [m.give(m.floats([b, s, h * size], "small")) for h in (heads, groups, groups)]
    if past:
        inputs += [m.give(m.floats([b, groups, past, size], "small")) for _ in range(2)]
    else:
        inputs += ["", ""]
    inputs += [m.constant(np.full([b], total - 1, np.int32)), m.constant(np.array(total, np.int32))]
    attributes = dict(some(m, scale=m.pick(0.5, 1.0), local_window_size=m.r.randint(1, 4), softcap=m.pick(0.0, 1.5)),
                      num_heads=heads, kv_num_heads=groups)
    if m.chance():
        angles = m.n.uniform(-3, 3, (8, size // 2))
        inputs += [m.constant(np.cos(angles).astype(np.float32)), m.constant(np.sin(angles).astype(np.float32))]
        attributes.update(do_rotary=1, **some(m, rotary_interleaved=m.pick(0, 1)))
    m.output(*m.node("GroupQueryAttention", inputs, 3, domain=MICROSOFT, **attributes))


@family(name="QAttention", tolerance=(1e-3, 1e-3))
def q_attention(m):
    b, s, heads, size, width = m.r.randint(1, 2), m.r.randint(1, 4), m.r.randint(1, 2), m.r.randint(1, 3), m.r.randint(1, 4)
    hidden = heads * size
    each = m.chance(0.3)
    inputs = [m.give(m.integers([b, s, width], UINT8, 0, 255)), m.constant(m.integers([width, 3 * hidden], INT8)),
              m.give(m.floats([3 * hidden], "small")), m.constant(np.float32(0.01)),
              m.constant(m.floats([3 * hidden] if each else [], "positive")),
              m.give(m.integers([b], INT32, 1, s)) if m.chance() else "", m.constant(m.integers([], UINT8, 100, 130)),
              m.constant(m.integers([3 * hidden] if each else [], INT8, 0, 3))]
    m.output(m.node("QAttention", inputs, domain=MICROSOFT, num_heads=heads, **some(m, unidirectional=m.pick(0, 1))))


@family(name="TensorScatter", since=24, tolerance=EXACT, special=True)
def tensor_scatter(m):
    b, s, t = m.r.randint(1, 2), m.r.randint(3, 5), m.r.randint(1, 3)
    rest = m.shape(1, 2)
    circular = m.chance()
    past = [b] + ([2] if len(rest) == 2 else []) + [s] + rest[-1:]
    update = list(past)
    update[-2] = t
    inputs = [m.give(m.floats(past, "small")), m.give(m.floats(update, "small"))]
    if m.chance():
        inputs.append(m.give(m.integers([b], INT64, 0, s - 1 if circular else s - t)))
    m.output(m.node("TensorScatter", inputs, mode="circular" if circular else m.pick("linear", None)))


# ---- Several nodes

@family(name="ShapeArithmetic", since=13)
def shape_arithmetic(m):
    """Sizes that are computed from sizes: folded here."""
    shape = m.shape(2, 4, 2, 5)
    x = m.give(m.floats(shape, "small"))
    sizes = m.node("Shape", [x])
    first = m.node("Gather", [sizes, m.constant(np.int64(m.r.randrange(-len(shape), len(shape))))], axis=0)
    op = m.pick("Mul", "Div", "Mod", "Sub", "Max", "Pow")
    second = m.node(op, [first, m.constant(np.int64(m.pick(1, 2, 3)))])
    if m.chance():
        second = m.node("Where", [m.node(m.pick("Equal", "Less", "Greater"), [first, m.constant(np.int64(3))]), first,
                                  second])
    if m.chance():
        second = m.node("Mul", [m.node("Cast", [second], to=FLOAT), m.constant(np.float32(m.pick(0.5, 1.5, 0.75)))])
        second = m.node("Cast", [m.node(m.pick("Floor", "Ceil"), [second])], to=INT64)
    one = m.ints([1])
    count = m.node("Max", [m.node("Unsqueeze", [second, m.ints([0])]), one])
    form = m.pick("Expand", "ConstantOfShape", "Range", "Tile", "Slice", "Reshape")
    if form == "Expand":
        y = m.node("Expand", [m.node("Unsqueeze", [x, m.ints([0])]),
                              m.node("Concat", [count, m.node("ConstantOfShape", [m.node("Shape", [sizes])],
                                                              value=helper.make_tensor("v", INT64, [1],
                                                                                       [1]))], axis=0)])
    elif form == "ConstantOfShape":
        y = m.node("ConstantOfShape", [m.node("Concat", [count, sizes], axis=0)])
    elif form == "Range":
        y = m.node("Range", [m.constant(np.int64(0)), m.node("Squeeze", [count]), m.constant(np.int64(1))])
    elif form == "Tile":
        y = m.node("Tile", [m.node("Flatten", [x]), m.node("Concat", [count, one], axis=0)])
    elif form == "Slice":
        y = m.node("Slice", [m.node("Reshape", [x, m.ints([-1])]), m.ints([0]), count])
    else:
        y = m.node("Reshape", [x, m.node("Concat",
                                         [m.ints([-1]),
                                          m.node("Slice", [sizes, m.ints([-1]), m.ints([2 ** 31])])], axis=0)])
    m.output(y, m.node("Identity", [count]))


@family(name="Quantized", since=13, tolerance=(1e-4, 1.001))
def quantized(m):
    """Operators between DequantizeLinear and QuantizeLinear: results may be one step apart."""
    type = m.pick(UINT8, INT8)

    def parameters(kind, shape=()):
        return [m.constant(m.floats(shape, "positive") * np.float32(0.1)),
                m.constant(m.integers(shape, kind, -9 if kind == INT8 else 0, 9))]

    def dequantized(shape, kind, run=None, each=None):
        scales = parameters(kind, [shape[each]] if each is not None else [])
        return m.node("DequantizeLinear", [m.give(m.integers(shape, kind, -128, 255), run)] + scales, axis=each)
    op = m.pick("MatMul", "Gemm", "Conv", "Add", "Mul", "Relu", "Sigmoid", "AveragePool", "MaxPool", "Concat",
                "Softmax", "Clip")
    if op in ("MatMul", "Gemm"):
        k, n = m.r.randint(1, 20), m.r.randint(1, 9)
        y = m.node(op, [dequantized([m.r.randint(1, 4), k], type), dequantized([k, n], INT8, False, m.pick(None, 1))])
    elif op == "Conv":
        c, n = m.r.randint(1, 4), m.r.randint(1, 4)
        inputs = [dequantized([1, c, 6, 5], type), dequantized([n, c, 3, 3], INT8, False, m.pick(None, 0))]
        y = m.node(op, inputs + ([m.constant(m.floats([n], "small"))] if m.chance() else []), pads=[1, 1, 1, 1])
    elif op in ("AveragePool", "MaxPool"):
        y = m.node(op, [dequantized([1, 2, 6, 5], type)], kernel_shape=[2, 3], strides=[1, 2])
    elif op in ("Add", "Mul", "Concat"):
        shape = m.shape(2, 4)
        y = m.node(op, [dequantized(shape, type), dequantized(shape, type)], axis=1 if op == "Concat" else None)
    else:
        y = m.node(op, [dequantized(m.shape(2, 4), type)])
        if op == "Clip":
            y = m.node("Clip", [y, m.constant(np.float32(-1)), m.constant(np.float32(6))])
    m.output(m.node("QuantizeLinear", [y] + parameters(type)))


@family(name="Function", since=14)
def function(m):
    """A function of the model, whose attributes nodes inside refer to, called twice."""
    shape = m.shape(1, 3)
    slope = helper.make_node("LeakyRelu", ["a"], ["b"])
    reference = slope.attribute.add()
    reference.name, reference.ref_attr_name, reference.type = "alpha", "slope", onnx.AttributeProto.FLOAT
    total = helper.make_node("Softmax", ["b"], ["c"])
    axis = total.attribute.add()
    axis.name, axis.ref_attr_name, axis.type = "axis", "along", onnx.AttributeProto.INT
    nodes = [slope, total, helper.make_node("Mul", ["c", "a"], ["d"])]
    m.functions.append(helper.make_function("judge", "Scaled", ["a"], ["d", "b"], nodes,
                                            [helper.make_opsetid("", m.opset)], ["slope", "along"]))
    x = m.give(m.floats(shape, "small"))
    y, z = m.node("Scaled", [x], 2, domain="judge", slope=m.pick(0.25, -0.5), along=m.axis(len(shape)))
    m.output(*m.node("Scaled", [m.node("Add", [y, z])], 2, domain="judge", slope=1.5, along=m.axis(len(shape))))


# ---- Models that are wrong

KINDS = {"axis": "int", "group": "int", "hidden_size": "int", "blocksize": "int", "to": "int", "block_size": "int",
         "size": "int",
         "num_groups": "int", "num_heads": "int", "q_num_heads": "int", "kv_num_heads": "int", "keepdims": "int",
         "ceil_mode": "int", "num_outputs": "int", "batch_dims": "int", "k": "int", "time_axis": "int",
         "batch_axis": "int",
         "stash_type": "int", "layout": "int", "antialias": "int", "p": "int", "axes": "ints", "perm": "ints",
         "pads": "ints",
         "strides": "ints", "dilations": "ints", "kernel_shape": "ints", "output_shape": "ints",
         "output_padding": "ints",
         "split": "ints", "starts": "ints", "ends": "ints", "mode": "text", "auto_pad": "text", "direction": "text",
         "equation": "text", "reduction": "text", "coordinate_transformation_mode": "text", "clip": "float",
         "epsilon": "float"}


# ---- Operators of ai.onnx.ml

def grow(m, depth, features):
    """A tree as nested tuples: feature, mode, value, whether NaN goes the way of true, both ways; a leaf is None."""
    if depth == 0 or m.chance(0.2):
        return None
    return (m.r.randrange(features), m.pick("LEQ", "LT", "GTE", "GT", "EQ", "NEQ"), m.r.randint(-3, 3) / 2, m.r.randrange(2),
            grow(m, depth - 1, features), grow(m, depth - 1, features))


@family(name="Trees", tolerance=(1e-4, 1e-4))
def trees(m):
    """Sums, means and ends of trees whose leaves are for one target each, or for all."""
    features, targets = m.r.randint(1, 4), m.pick(1, 1, 2, 3)
    lists = {name: [] for name in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids",
                                   "missing_value_tracks_true")}
    votes = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    every = m.chance()
    for tree in range(m.r.randint(targets, 5)):  # ONNX Runtime adds no base to a target that has no votes
        nodes = [grow(m, m.r.randint(1, 4), features)]
        for i in range(64):
            if i >= len(nodes):
                break
            node = nodes[i] or (0, "", 0.0, 0, None, None)
            yes = len(nodes) if nodes[i] else 0
            nodes += list(node[4:]) if nodes[i] else []
            mode = "BRANCH_" + node[1] if nodes[i] else "LEAF"
            values = (tree, i, node[0], mode, node[2], yes, yes + 1 if yes else 0, node[3])
            for name, value in zip(lists, values):
                lists[name].append(value)
            for target in ([] if nodes[i] else range(targets) if every else [tree % targets]):
                for name, value in zip(votes, (tree, i, target, m.r.randint(-8, 8) / 4)):
                    votes[name].append(value)
    attributes = {"nodes_" + name: items for name, items in lists.items()}
    attributes.update({"target_" + name: items for name, items in votes.items()})
    if m.chance():
        attributes["base_values"] = [m.r.randint(-4, 4) / 4 for _ in range(targets)]
    x = m.n.randint(-4, 5, (m.r.randint(1, 4), features)).astype(np.float32) / 2
    x[m.n.rand(*x.shape) < 0.1] = np.nan
    m.output(m.node("TreeEnsembleRegressor", [m.give(x, True)], 1, LEARNED, n_targets=targets,
                    aggregate_function=m.pick("SUM", "AVERAGE", "MIN", "MAX"), **attributes))


def some_numbers(m, count):
    return [m.r.randint(-8, 8) / 4 for _ in range(count)]


@family(name="Learned", tolerance=(1e-4, 1e-5))
def learned(m):
    """The other operators of ai.onnx.ml on numbers."""
    op = m.take("LinearRegressor", "LinearClassifier", "SVMRegressor", "SVMClassifier", "TreeEnsembleClassifier", "Scaler",
                "Normalizer", "Imputer", "Binarizer", "OneHotEncoder", "LabelEncoder", "FeatureVectorizer",
                "ArrayFeatureExtractor")
    rows, features = m.r.randint(1, 4), m.r.randint(1, 4)
    type = m.pick(FLOAT, FLOAT, INT64, INT32)
    x = m.n.randint(-4, 5, (rows, features)).astype(np.float32) / 2
    x = x if type == FLOAT else m.integers((rows, features), type, -3, 3)
    transform = m.pick(None, "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO")
    if op == "LinearRegressor":
        targets = m.pick(1, 1, 2, 3)
        m.output(m.node(op, [m.give(x.astype(np.float32), True)], 1, LEARNED, targets=targets,
                        coefficients=some_numbers(m, targets * features),
                        intercepts=some_numbers(m, targets) if m.chance(0.7) else None,
                        post_transform="NONE"))
    elif op == "LinearClassifier":
        classes = m.pick(2, 3, 4)
        m.output(*m.node(op, [m.give(x, True)], 2, LEARNED, coefficients=some_numbers(m, classes * features),
                         intercepts=some_numbers(m, classes), multi_class=m.pick(None, 0, 1), post_transform=transform,
                         classlabels_ints=m.r.sample(range(-9, 9), classes)))
    elif op in ("SVMRegressor", "SVMClassifier"):
        support_vectors(m, op, x, features, transform)
    elif op == "TreeEnsembleClassifier":
        classifying_trees(m, x.astype(np.float32), features, transform)
    elif op == "Scaler":
        count = m.pick(1, features)
        m.output(m.node(op, [m.give(x, True)], 1, LEARNED, offset=some_numbers(m, count), scale=some_numbers(m, count)))
    elif op == "Normalizer":
        m.output(m.node(op, [m.give(x, True)], 1, LEARNED, norm=m.pick(None, "MAX", "L1", "L2")))
    elif op == "Imputer":
        count = m.pick(1, features)
        if type == INT64:
            attributes = {"imputed_value_int64s": [m.r.randint(-5, 5) for _ in range(count)],
                          "replaced_value_int64": m.r.randint(-3, 3)}
        else:
            x = x.astype(np.float32)
            x[m.n.rand(*x.shape) < 0.3] = np.nan
            attributes = {"imputed_value_floats": some_numbers(m, count),
                          "replaced_value_float": m.pick(float("nan"), 0.5, 0.0)}
        m.output(m.node(op, [m.give(x, True)], 1, LEARNED, **attributes))
    elif op == "Binarizer":
        m.output(m.node(op, [m.give(x.astype(np.float32), True)], 1, LEARNED, threshold=m.pick(None, 0.5, -1.0)))
    elif op == "OneHotEncoder":
        m.output(m.node(op, [m.give(m.integers(m.shape(1, 3), INT64, 0, 4), True)], 1, LEARNED,
                        cats_int64s=m.r.sample(range(5), m.r.randint(1, 5)), zeros=m.pick(None, 1, 1)))
    elif op == "LabelEncoder":
        count = m.r.randint(1, 5)
        keys, items = m.r.sample(range(-3, 4), count), [m.r.randint(-9, 9) for _ in range(count)]
        kinds = m.pick(("int64s", "int64s"), ("int64s", "floats"), ("floats", "int64s"), ("floats", "floats"))
        attributes = {"keys_" + kinds[0]: [float(k) if kinds[0] == "floats" else k for k in keys],
                      "values_" + kinds[1]: [v / 2 if kinds[1] == "floats" else v for v in items]}
        if m.chance():
            attributes["default_int64" if kinds[1] == "int64s" else "default_float"] = m.pick(7, -2)
            attributes = {k: float(v) if k == "default_float" else v for k, v in attributes.items()}
        x = m.integers(m.shape(1, 3), INT64, -4, 4)
        m.output(m.node(op, [m.give(x.astype(np.float32) if kinds[0] == "floats" else x, True)], 1, LEARNED, **attributes))
    elif op == "FeatureVectorizer":
        sizes = [m.r.randint(1, 3) for _ in range(m.r.randint(1, 3))]
        parts = [m.give(m.floats((rows, size), "small") if type == FLOAT else m.integers((rows, size), type), True)
                 for size in sizes]
        m.output(m.node(op, parts, 1, LEARNED, inputdimensions=sizes))
    else:
        shape = m.shape(1, 3)
        index = m.integers((m.r.randint(1, 4),), INT64, 0, shape[-1] - 1)
        m.output(m.node(op, [m.give(m.values(shape, m.pick(FLOAT, INT64, INT32), "small"), True), m.give(index)], 1,
                        LEARNED))


def support_vectors(m, op, x, features, transform):
    kernel = m.pick("LINEAR", "POLY", "RBF", "SIGMOID")
    attributes = {"kernel_type": kernel, "kernel_params": [m.pick(0.25, 0.5), m.pick(0.0, 1.0), m.pick(2.0, 3.0)]}
    if op == "SVMRegressor":
        count = m.r.randint(1, 4)
        m.output(m.node(op, [m.give(x.astype(np.float32), True)], 1, LEARNED, n_supports=count,
                        support_vectors=some_numbers(m, count * features), coefficients=some_numbers(m, count),
                        rho=some_numbers(m, 1), one_class=m.pick(None, 0, 1), post_transform="NONE", **attributes))
        return
    classes = m.pick(2, 2, 3, 4)
    each = [m.r.randint(1, 3) for _ in range(classes)]
    pairs = classes * (classes - 1) // 2
    if classes == 2:  # ONNX Runtime leaves out the softmax of [-s, s]
        transform = m.pick(None, "NONE", "LOGISTIC")
    if m.chance():
        attributes.update(prob_a=[-abs(n) - 0.25 for n in some_numbers(m, pairs)], prob_b=some_numbers(m, pairs))
    m.output(*m.node(op, [m.give(x, True)], 2, LEARNED, vectors_per_class=each,
                     support_vectors=some_numbers(m, sum(each) * features),
                     coefficients=some_numbers(m, sum(each) * (classes - 1)), rho=some_numbers(m, pairs),
                     classlabels_ints=m.r.sample(range(-9, 9), classes), post_transform=transform, **attributes))


def classifying_trees(m, x, features, transform):
    classes = m.pick(2, 3, 4)
    names = ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids")
    lists, votes = {name: [] for name in names}, {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    only = 0 if classes == 2 else None
    if classes == 2:  # ONNX Runtime leaves out the softmax of [-s, s], and has labels of its own if both classes have votes
        transform = m.pick(None, "NONE", "LOGISTIC")
    for tree in range(m.r.randint(1, 4)):
        nodes = [grow(m, m.r.randint(1, 3), features)]
        for i in range(64):
            if i >= len(nodes):
                break
            node = nodes[i] or (0, "", 0.0, 0, None, None)
            yes = len(nodes) if nodes[i] else 0
            nodes += list(node[4:]) if nodes[i] else []
            mode = "BRANCH_" + node[1] if nodes[i] else "LEAF"
            for name, value in zip(names, (tree, i, node[0], mode, node[2], yes, yes + 1 if yes else 0)):
                lists[name].append(value)
            for target in [] if nodes[i] else range(classes) if only is None else [only]:
                for name, value in zip(votes, (tree, i, target, m.r.randint(-8, 8) / 4)):
                    votes[name].append(value)
    attributes = {"nodes_" + name: items for name, items in lists.items()}
    attributes.update({"class_" + name: items for name, items in votes.items()})
    if classes > 2 and m.chance(0.3):
        attributes["base_values"] = some_numbers(m, classes)
    m.output(*m.node("TreeEnsembleClassifier", [m.give(x, True)], 2, LEARNED, post_transform=transform,
                     classlabels_int64s=m.r.sample(range(-9, 9), classes), **attributes))


# ---- Operators of com.microsoft that have a few lines each

@family(name="Rare", tolerance=(1e-3, 1e-4))
def rare(m):
    op = m.take("ExpandDims", "Inverse", "CDist", "NhwcMaxPool", "ConvTransposeWithDynamicPads")
    attributes = {}
    if op == "ExpandDims":
        x = m.values(m.shape(0, 4), FLOAT, "small")
        inputs = [m.give(x, True), m.constant(np.int32(m.r.randrange(-x.ndim - 1, x.ndim + 1)))]
    elif op == "Inverse":
        n = m.r.randint(1, 4)
        x = m.floats(m.shape(0, 2) + [n, n], "small") + np.float32(4) * np.eye(n, dtype=np.float32)
        inputs = [m.give(x.astype(np.float32), True)]
    elif op == "CDist":
        k = m.r.randint(1, 5)
        inputs = [m.give(m.floats([m.r.randint(1, 4), k], "small")), m.give(m.floats([m.r.randint(1, 4), k], "small"), True)]
        attributes = {"metric": m.pick(None, "euclidean", "sqeuclidean")}
    elif op == "NhwcMaxPool":
        kernel = [m.r.randint(1, 3), m.r.randint(1, 3)]
        attributes, sizes = placed(m, 2, kernel, dilations=False)
        if any(s > k for s, k in zip(attributes.get("strides", []), kernel)):
            attributes.pop("auto_pad", None)  # windows smaller than the stride cut the input off in ONNX Runtime
        inputs = [m.give(m.integers([m.r.randint(1, 2)] + sizes + [m.r.randint(1, 3)], m.pick(UINT8, INT8), -99, 99), True)]
        attributes["kernel_shape"] = kernel
    else:
        c, kernel = m.r.randint(1, 3), [m.r.randint(1, 3), m.r.randint(1, 3)]
        inputs = [m.give(m.floats([1, c, m.r.randint(3, 5), m.r.randint(3, 5)], "small"), True),
                  m.constant(m.floats([c, m.r.randint(1, 3)] + kernel, "small")),
                  m.ints([m.r.randint(0, k - 1) for k in kernel + kernel])]
        attributes = {"strides": m.pick(None, [1, 2], [2, 2]), "kernel_shape": m.pick(None, kernel)}
    m.output(m.node(op, inputs, 1, MICROSOFT, **attributes))


@family(name="Wrong")
def wrong(m):
    """Shapes, types, counts of inputs and attributes that operators do not take: refused, and no crash."""
    ops = ["Add", "MatMul", "Conv", "Gemm", "Concat", "Reshape", "Slice", "Gather", "Split", "Transpose", "Squeeze",
           "Unsqueeze", "Pad",
           "Softmax", "ReduceSum", "BatchNormalization", "LSTM", "GRU", "RNN", "MaxPool", "AveragePool", "Where",
           "Expand", "Tile",
           "TopK", "OneHot", "Einsum", "QuantizeLinear", "DequantizeLinear", "QLinearConv", "QLinearMatMul",
           "ConvTranspose",
           "ScatterND", "ScatterElements", "GatherND", "GatherElements", "Resize", "LayerNormalization",
           "InstanceNormalization",
           "Clip", "CumSum", "Trilu", "DepthToSpace", "SpaceToDepth", "Range", "ReverseSequence", "LRN", "Cast",
           "Flatten",
           "GroupNormalization", "Attention", "RotaryEmbedding", "NegativeLogLikelihoodLoss", "ConvInteger",
           "MatMulInteger", "Compress", "AffineGrid", "GridSample", "RoiAlign", "MaxRoiPool", "MaxUnpool",
           "NonMaxSuppression", "Unique", "Det", "Col2Im", "CenterCropPad", "DFT", "STFT", "MelWeightMatrix",
           "DeformConv", "SplitToSequence", "ReverseSequence", "EyeLike", "BitShift", "Mod", "CumProd", "BitCast",
           "MeanVarianceNormalization", "LpNormalization", "LpPool", "TensorScatter", "RMSNormalization",
           "DynamicQuantizeLinear", "Dropout", "ConstantOfShape", "NonZero", "Upsample", "Scatter", "HannWindow"]
    fused = ["Attention", "BiasGelu", "DynamicQuantizeMatMul", "EmbedLayerNormalization", "FastGelu", "FusedConv",
             "FusedGemm", "FusedMatMul", "GatherBlockQuantized", "GroupQueryAttention", "LinearAttention",
             "CausalConvWithState", "MatMulIntegerToFloat", "MatMulNBits", "MultiHeadAttention", "QAttention", "QGemm",
             "QLinearAdd", "QLinearAveragePool", "QLinearConcat", "QLinearGlobalAveragePool", "QLinearLeakyRelu",
             "QLinearMul", "QLinearReduceMean", "QLinearSigmoid", "QLinearSoftmax", "QLinearWhere", "RotaryEmbedding",
             "SkipLayerNormalization", "SkipSimplifiedLayerNormalization", "TransposeMatMul"]
    texts = ["", "SAME_UPPER", "edge", "linear", "cubic", "wrap", "bidirectional", "mean", "a,b->ab", "ii",
             "tf_crop_and_resize"]
    names = ["axis", "axes", "perm", "pads", "strides", "dilations", "kernel_shape", "group", "mode", "auto_pad",
             "hidden_size", "direction",
             "blocksize", "equation", "to", "block_size", "size", "reduction", "num_groups", "num_heads", "q_num_heads",
             "kv_num_heads",
             "keepdims", "ceil_mode", "output_shape", "output_padding", "split", "num_outputs", "batch_dims", "k",
             "starts", "ends",
             "time_axis", "batch_axis", "stash_type", "clip", "layout", "antialias", "coordinate_transformation_mode",
             "p", "epsilon", "padding_mode", "align_corners", "sampling_ratio", "pooled_shape", "inverse", "onesided",
             "offset_group", "block_shape", "bits", "K", "N", "local_window_size", "gather_axis", "quantize_axis",
             "past_present_share_buffer", "update_rule", "activation"]
    numbers = [0, 1, -1, 2, 3, 7, -7, 100, 2 ** 31, 2 ** 63 - 1, -2 ** 63]
    inputs = []
    for _ in range(m.r.randint(0, 6)):
        type = m.pick(FLOAT, FLOAT, FLOAT, INT64, INT64, INT32, UINT8, INT8, BOOL, FLOAT16, UINT64)
        x = m.values(m.shape(0, 5, 1, 4), type)
        if type == INT64 and m.chance():
            x = np.array([m.r.choice(numbers) for _ in range(x.size)], np.int64).reshape(x.shape)
        inputs.append(m.give(x) if m.chance(0.9) else "")
    attributes = {}
    for name in m.r.sample(names, m.r.randint(0, 6)):
        value = m.pick("int", "int", "ints", "ints", "text", "float", "floats")
        value = KINDS.get(name, value) if m.chance(0.9) else value
        attributes[name] = {"int": m.r.choice(numbers), "ints": [m.r.choice(numbers) for _ in range(m.r.randint(1, 5))],
                            "text": m.r.choice(texts), "float": m.pick(0.5, -1.0, 1e30), "floats": [0.5, -2.0]}[value]
    domain = m.pick("", "", MICROSOFT)
    m.output(*as_list(m.node(m.r.choice(fused if domain else ops), inputs, m.pick(1, 1, 1, 2, 3), domain, **attributes)))


@family(name="Mutated")
def mutated(m):
    """A model of any other family, of which one thing is changed."""
    name = m.r.choice([f for f in FAMILIES if f not in ("Mutated", "Wrong", "Function", "AffineGrid", "Retyped",
                                                        "Emptied", "Omitted")])
    function, since, upto, tolerance, _ = FAMILIES[name]
    m.opset = m.r.randint(since, upto)
    m.tag(name)
    function(m)
    m.tolerance = m.tolerance or tolerance
    if not m.nodes or m.second_nodes:  # what it was before is known to be computed otherwise
        m.outputs = []
        return
    node = m.r.choice(m.nodes)
    change = m.pick("attribute", "attribute", "attribute", "missing", "constant", "constant", "constant", "no input",
                    "swapped", "shape")
    if change == "attribute" and node.attribute:
        change_attribute(m, m.r.choice(node.attribute))
    elif change == "missing" and node.attribute:
        del node.attribute[m.r.randrange(len(node.attribute))]
    elif change == "constant" and m.initializers:
        change_constant(m, m.r.choice(m.initializers))
    elif change == "shape" and m.initializers:
        tensor = m.r.choice(m.initializers)
        tensor.dims[:] = m.pick([1] + list(tensor.dims), [int(np.prod(tensor.dims))], list(tensor.dims)[::-1])
    elif change == "swapped" and len(node.input) > 1:
        i, k = m.r.sample(range(len(node.input)), 2)
        node.input[i], node.input[k] = node.input[k], node.input[i]
    elif node.input:
        node.input[m.r.randrange(len(node.input))] = ""


# ---- Models of other families in another type, without elements, or with parts left out

def base(m, upto=NEWEST, without=()):
    """Fills m with a model of another family and returns its node; None where it is known that ONNX Runtime
    computes it otherwise."""
    several = ("Mutated", "Wrong", "Function", "If", "Loop", "While", "Scan", "Sequence", "Retyped", "Emptied", "Omitted")
    name = m.r.choice([f for f in FAMILIES if f not in several + without and FAMILIES[f][1] <= upto])
    function, since, last, tolerance, _ = FAMILIES[name]
    m.opset = m.r.randint(since, min(last, upto))
    m.tag(name)
    function(m)
    m.tolerance = m.tolerance or tolerance
    nodes = [n for n in m.nodes if n.op_type != "Constant"]
    return None if m.second_nodes or len(nodes) != 1 else nodes[0]


def schema_of(m, node):
    """None of operators that this version of the package does not have."""
    try:
        return onnx.defs.get_schema(node.op_type, min(m.opset, onnx.defs.onnx_opset_version()), node.domain)
    except onnx.defs.SchemaError:
        return None


TENSORS = {"tensor(%s)" % name: type for name, type in (
    ("float", FLOAT), ("float16", FLOAT16), ("double", DOUBLE), ("bool", BOOL), ("int8", INT8), ("uint8", UINT8),
    ("int16", INT16), ("uint16", UINT16), ("int32", INT32), ("uint32", UINT32), ("int64", INT64), ("uint64", UINT64))}


def in_type(array, type):
    """The values in another type, within its limits."""
    if type == BOOL:
        return np.nan_to_num(array.astype(np.float64)) > 0
    if type in INTEGERS:
        info = np.iinfo(NUMPY[type])
        low, high = max(info.min, -100), min(info.max, 100)
        return np.clip(np.nan_to_num(array.astype(np.float64)), low, high).astype(NUMPY[type])
    with np.errstate(over="ignore"):
        return array.astype(NUMPY[type])


def change_type(m, name, type):
    """An input or constant of the model in another type."""
    tensors = [t for t in m.initializers if t.name == name]
    tensors += [n.attribute[0].t for n in m.nodes if n.op_type == "Constant" and n.output[0] == name]
    for tensor in tensors:
        if tensor.data_type in NUMPY:
            array = in_type(np.frombuffer(tensor.raw_data, NUMPY[tensor.data_type]), type)
            tensor.raw_data, tensor.data_type = array.tobytes(), type
    m.feeds = [(n, type, in_type(array, type)) if n == name else (n, t, array) for n, t, array in m.feeds]
    for port in m.inputs:
        if port.name == name:
            port.type.tensor_type.elem_type = type


def parameter(parameters, i):
    """The formal parameter of place i; those behind the last are its, where that is variadic."""
    return parameters[min(i, len(parameters) - 1)]


@family(name="Retyped", upto=17)
def retyped(m):
    """A node whose types are others of those that its schema lists."""
    node = base(m, 17, ("Cast",))  # which says nothing of what is beyond limits
    schema = node is not None and schema_of(m, node)
    if not schema or not schema.inputs or node.op_type == "ReduceLogSumExp":  # integers are a question of taste
        m.outputs = []
        return
    allowed = {c.type_param_str: [TENSORS[t] for t in c.allowed_type_strs if t in TENSORS]
               for c in schema.type_constraints}
    used = sorted({parameter(schema.inputs, i).typeStr for i, name in enumerate(node.input) if name} & set(allowed))
    if not used:
        m.outputs = []
        return
    variable = m.r.choice(used)
    type = m.r.choice(allowed[variable] or [FLOAT])
    for name in {name for i, name in enumerate(node.input) if name and parameter(schema.inputs, i).typeStr == variable}:
        change_type(m, name, type)


class Emptying(random.Random):
    """Sizes, which are numbers from 1 on, may be 0."""

    def randint(self, a, b):
        return 0 if a == 1 and self.random() < 0.1 else super().randint(a, b)


@family(name="Emptied")
def emptied(m):
    """Sizes of 0, wherever a family draws a size."""
    numbers = Emptying()
    numbers.setstate(m.r.getstate())
    m.r = numbers
    try:
        base(m, without=("Reduce", "Arg"))  # which leave dimensions of 0 as they are there
    except (ValueError, TypeError, IndexError, ZeroDivisionError, KeyError):  # the family needs sizes
        m.outputs = []
    if m.second_nodes or not any(0 in array.shape for _, _, array in m.feeds) and not any(
            0 in t.dims for t in m.initializers):
        m.outputs = []


@family(name="Omitted", upto=17)
def omitted(m):
    """Optional inputs and outputs left out."""
    node = base(m, 17)
    schema = node is not None and schema_of(m, node)
    if not schema:
        m.outputs = []
        return
    optional = onnx.defs.OpSchema.FormalParameterOption.Optional
    inputs = [i for i, name in enumerate(node.input) if name and parameter(schema.inputs, i).option == optional]
    outputs = [i for i, name in enumerate(node.output) if name and parameter(schema.outputs, i).option == optional]
    for i in inputs:
        node.input[i] = "" if m.chance(0.6) else node.input[i]
    for i in outputs:
        if m.chance(0.6):
            m.outputs = [port for port in m.outputs if port.name != node.output[i]]
            node.output[i] = ""
    while node.input and not node.input[-1]:
        node.input.pop()
    while node.output and not node.output[-1]:
        node.output.pop()
    if not inputs and not outputs:
        m.outputs = []


ODD = [0, 1, -1, 2, 3, 5, 7, -2, -7, 100, 2 ** 48, 2 ** 63 - 1, -2 ** 63]


FLAGS = ("interleaved", "rotary_interleaved", "largest", "sorted", "keepdims", "is_causal", "unidirectional", "align_corners",
         "transA", "transB", "ceil_mode", "count_include_pad", "exclusive", "reverse", "select_last_index", "upper",
         "inverse", "onesided", "linear_before_reset", "input_forget", "exclude_outside", "antialias", "periodic",
         "noop_with_empty_axes", "detect_positive", "detect_negative", "fmod", "do_rotary", "center_point_box")


def change_attribute(m, a):
    if a.type == onnx.AttributeProto.INT:
        a.i = 1 - a.i if a.name in FLAGS else m.r.choice(ODD)
    elif a.type == onnx.AttributeProto.FLOAT:
        a.f = m.pick(0.0, -1.0, 1e30, float("nan"), float("inf"))
    elif a.type == onnx.AttributeProto.STRING:
        a.s = m.pick(b"", b"x", b"linear", b"SAME_UPPER", b"VALID", b"none", b"max")
    elif a.type == onnx.AttributeProto.INTS and a.ints:
        i = m.r.randrange(len(a.ints))
        if m.chance():
            a.ints[i] = m.r.choice(ODD)
        elif m.chance():
            del a.ints[i]
        else:
            a.ints.append(m.r.choice(ODD))


def change_constant(m, tensor):
    """One element, or the whole in another type."""
    array = np.frombuffer(tensor.raw_data, NUMPY[tensor.data_type]).copy()
    if array.size and m.chance(0.8):
        info = np.iinfo(array.dtype) if array.dtype.kind in "iu" else None
        odd = [0.0, -1.0, np.nan, np.inf, 1e30] if "Q" not in m.tags[0] else [2.0, 0.25]  # no scales of NaN
        values = [v for v in ODD if info and info.min <= v <= info.max] or odd
        with np.errstate(over="ignore"):
            array[m.r.randrange(array.size)] = m.r.choice(values)
        tensor.raw_data = array.tobytes()
    else:
        type = m.pick(FLOAT, INT64, INT32, UINT8, FLOAT16, BOOL)
        with np.errstate(invalid="ignore", over="ignore"):
            tensor.raw_data = array.astype(NUMPY[type]).tobytes()
        tensor.data_type = type


# ---- Writing

def write(folder, seed, numbers, only):
    os.makedirs(folder, exist_ok=True)
    count = 0
    with open(os.path.join(folder, "cases"), "w") as cases, open(os.path.join(folder, "data"), "wb") as data:
        for name, (function, since, upto, tolerance, special) in FAMILIES.items():
            if only and name not in only:
                continue
            for i in numbers:
                m = Model(zlib.crc32(("%s %d %d" % (name, seed, i)).encode()), i, since, upto, special)
                function(m)
                if not m.outputs:
                    continue
                put(cases, data, count, "%s %d.%d (version %d)%s" % (
                    name, seed, i, m.opset, "".join(", " + tag for tag in m.tags)), m, tolerance)
                count += 1
    return count


def put(cases, data, number, title, m, tolerance):
    content = m.serialize(m.nodes)
    cases.write("case %d %d %d %s\n" % (number, data.tell(), len(content), title))
    data.write(content)
    cases.write("about %s\n" % m.about().replace("\n", " "))
    if m.second_nodes:
        content = m.serialize(m.second_nodes)
        cases.write("second %d %d %s\n" % (data.tell(), len(content), m.reason))
        data.write(content)
    if m.tolerance or tolerance:
        cases.write("tolerance %g %g\n" % (m.tolerance or tolerance))
    for name, type, array in m.feeds:
        content = array.tobytes()
        data.write(b"\0" * (-data.tell() % 8))
        cases.write("input %s %d %d %s%d %d\n" % (
            name, type, array.ndim, "".join("%d " % d for d in array.shape), data.tell(), len(content)))
        data.write(content)
    cases.write("end\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--only", default="")
    parser.add_argument("--number", type=int)
    parser.add_argument("--dynamic", action="store_true")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(FAMILIES))
        return 0
    only = [name for name in arguments.only.split(",") if name]
    unknown = [name for name in only if name not in FAMILIES]
    if unknown:
        parser.error("no family %s (--list names them)" % ", ".join(unknown))
    Model.dynamic = arguments.dynamic
    numbers = range(arguments.count) if arguments.number is None else [arguments.number]
    print("%d models" % write(arguments.folder, arguments.seed, numbers, only))
    return 0


if __name__ == "__main__":
    sys.exit(main())
