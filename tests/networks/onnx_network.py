"""Builds ONNX models node by node, with the chains of small nodes that PyTorch's exporter writes.

Needs the packages onnx (1.12 is enough: it only writes messages, and checks no operator) and numpy.
"""
import math
import os
import urllib.parse

import numpy
from onnx import TensorProto, helper, numpy_helper

INT4, UINT4 = 22, 21  # the types of TensorProto that onnx 1.12 has no names for
LARGE = 1024  # bytes, from which on weights may go to a file of their own
ALIGNMENT = 64  # of weights in that file
IR_VERSIONS = {11: 6, 12: 7, 13: 7, 14: 7, 15: 8, 16: 8, 17: 8, 18: 8, 19: 9, 20: 9, 21: 10}
TYPES = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "int32": TensorProto.INT32,
         "uint8": TensorProto.UINT8, "int8": TensorProto.INT8, "bool": TensorProto.BOOL}


class Network:
    """A model: nodes in order, weights, and ports with the data of one run."""

    def __init__(self, opset, seed, microsoft=False, producer="pytorch"):
        self.opset, self.microsoft, self.producer = opset, microsoft, producer
        self.random = numpy.random.default_rng(seed)
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []
        self.data, self.dimensions, self.channels, self.count = {}, {}, {}, 0

    # ---- Nodes and weights ----------------------------------------------------------------------

    def name(self, op):
        self.count += 1
        return f"{op}_{self.count}"

    def node(self, op, *inputs, outputs=1, domain="", **attributes):
        """Adds a node and gives the name of its result, or a list of names. `outputs` is their number,
        or their names, of which "" is left out."""
        title = self.name(op)
        if isinstance(outputs, int):
            outputs = [f"{title}_output_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), outputs, name=title,
                                           domain=domain, **attributes))
        named = [output for output in outputs if output]
        return named[0] if len(named) == 1 else named

    def constant(self, value, dtype="float32"):
        """A node Constant, which the exporter writes for every number in the source."""
        value = numpy.asarray(value, dtype)
        return self.node("Constant", value=numpy_helper.from_array(value))

    def vector(self, *numbers):
        return self.constant(numbers, "int64")

    def integer(self, number):
        return self.constant(number, "int64")

    def weight(self, name, array):
        self.weights.append(numpy_helper.from_array(numpy.array(array, order="C"), name))
        return name

    def packed_weight(self, name, data_type, shape, data):
        """A weight of 4-bit elements, two in a byte."""
        self.weights.append(TensorProto(name=name, data_type=data_type, dims=shape, raw_data=data.tobytes()))
        return name

    def normal(self, *shape, scale=1.0):
        numbers = self.random.standard_normal(shape, "float32")
        numbers *= numpy.float32(scale)
        return numbers

    def uniform(self, low, high, *shape):
        return self.random.uniform(low, high, shape).astype("float32")

    # ---- Ports ----------------------------------------------------------------------------------

    def input(self, name, shape, data):
        """`shape` has numbers and names; `data` has the shape of the run, which gives the names sizes."""
        for size, actual in zip(shape, data.shape):
            if isinstance(size, str):
                self.dimensions[size] = actual
            assert size in (actual, size if isinstance(size, str) else actual)
        self.inputs.append(helper.make_tensor_value_info(name, TYPES[data.dtype.name], shape))
        self.data[name] = data
        return name

    def output(self, value, name, shape, dtype="float32"):
        """Names the value so, as the exporter does, in the node that makes it and those that use it."""
        for node in self.nodes:
            for names in (node.input, node.output):
                for i, used in enumerate(names):
                    if used == value:
                        names[i] = name
        self.outputs.append(helper.make_tensor_value_info(name, TYPES[dtype], shape))

    # ---- Shapes ---------------------------------------------------------------------------------

    def size(self, x, axis):
        """x.size(axis), a scalar."""
        return self.node("Gather", self.node("Shape", x), self.integer(axis), axis=0)

    def list(self, *parts):
        """A list of numbers and scalars, as they stand in x.view(...)."""
        parts = [self.vector(part) if isinstance(part, int)
                 else self.node("Unsqueeze", part, self.vector(0)) for part in parts]
        return self.node("Concat", *parts, axis=0)

    def reshape(self, x, *parts):
        if all(isinstance(part, int) for part in parts):
            return self.node("Reshape", x, self.vector(*parts))
        return self.node("Reshape", x, self.list(*parts))

    def unsqueeze(self, x, *axes):
        for axis in axes:
            x = self.node("Unsqueeze", x, self.vector(axis))
        return x

    def slice(self, x, start, end, axis, step=1):
        """Bounds are numbers, or scalars, which become lists of one."""
        bounds = [self.vector(bound) if isinstance(bound, int)
                  else self.node("Unsqueeze", bound, self.vector(0)) for bound in (start, end)]
        return self.node("Slice", x, *bounds, self.vector(axis), self.vector(step))

    def expand(self, x, *parts):
        """x.expand(...), where -1 leaves a dimension: the exporter asks at run time which those are."""
        shape = self.list(*parts)
        ones = self.node("ConstantOfShape", self.node("Shape", shape),
                         value=numpy_helper.from_array(numpy.array([1], "int64")))
        left = self.node("Equal", shape, self.node("Mul", ones, self.integer(-1)))
        return self.node("Expand", x, self.node("Where", left, ones, shape))

    # ---- Layers ---------------------------------------------------------------------------------

    def matrix(self, rows, columns, gain=1.0):
        return self.normal(rows, columns, scale=gain / math.sqrt(rows))

    def linear(self, name, x, rows, columns, bias=True, gain=1.0):
        """x @ w + b; the exporter has transposed the weight, and gives it a new name."""
        x = self.node("MatMul", x, self.weight(f"{name}.weight_t", self.matrix(rows, columns, gain)))
        if not bias:
            return x
        bias = self.weight(f"{name}.bias", self.normal(columns, scale=0.1))
        return self.node("Add", bias, x)

    def gemm(self, name, x, rows, columns, gain=1.0):
        weight = self.weight(f"{name}.weight", self.matrix(rows, columns, gain).T)
        bias = self.weight(f"{name}.bias", self.normal(columns, scale=0.1))
        return self.node("Gemm", x, weight, bias, alpha=1.0, beta=1.0, transB=1)

    def convolution(self, name, x, inputs, outputs, kernel, stride=1, groups=1, bias=True, gain=1.0):
        fan_in = inputs // groups * kernel * kernel
        weights = [self.weight(f"{name}.weight", self.normal(outputs, inputs // groups, kernel, kernel,
                                                             scale=gain / math.sqrt(fan_in)))]
        if bias:
            weights.append(self.weight(f"{name}.bias", self.normal(outputs, scale=0.1)))
        pad = kernel // 2
        return self.node("Conv", x, *weights, dilations=[1, 1], group=groups,
                         kernel_shape=[kernel, kernel], pads=[pad] * 4, strides=[stride, stride])

    def batch_normalization(self, name, x, channels, gain=1.0):
        """With statistics such as training leaves them."""
        parameters = [self.weight(f"{name}.weight", gain * self.uniform(0.7, 1.3, channels)),
                      self.weight(f"{name}.bias", self.normal(channels, scale=0.1)),
                      self.weight(f"{name}.running_mean", self.normal(channels, scale=0.2)),
                      self.weight(f"{name}.running_var", self.uniform(0.5, 1.5, channels))]
        attributes = {"training_mode": 0} if self.opset >= 14 else {}
        return self.node("BatchNormalization", x, *parameters, epsilon=1e-5, momentum=0.9, **attributes)

    def layer_norm(self, name, x, size, epsilon):
        """As the exporter writes it before operator set 17."""
        mean = self.node("ReduceMean", x, axes=[-1])
        centered = self.node("Sub", x, mean)
        variance = self.node("ReduceMean", self.node("Pow", centered, self.constant(2.0)), axes=[-1])
        deviation = self.node("Sqrt", self.node("Add", variance, self.constant(epsilon)))
        x = self.node("Div", centered, deviation)
        x = self.node("Mul", x, self.weight(f"{name}.weight", self.uniform(0.8, 1.2, size)))
        return self.node("Add", x, self.weight(f"{name}.bias", self.normal(size, scale=0.1)))

    # ---- Files ----------------------------------------------------------------------------------

    def message(self):
        graph = helper.make_graph(self.nodes, "main_graph", self.inputs, self.outputs, self.weights)
        opsets = [helper.make_opsetid("", self.opset)]
        if self.microsoft:
            opsets.append(helper.make_opsetid("com.microsoft", 1))
        model = helper.make_model(graph, opset_imports=opsets, producer_name=self.producer)
        model.ir_version = IR_VERSIONS[self.opset]
        return model

    def write(self, folder, external=False):
        """Writes model.onnx, perhaps model.onnx.data with the weights, NAME.bin and NAME.npy of each input, and
        `ports`: inputs, outputs and sizes of dimensions, a line of words with tabulators each."""
        os.makedirs(folder, exist_ok=True)
        model = self.message()
        path = os.path.join(folder, "model.onnx")
        if external:
            move_weights(model.graph.initializer, path + ".data")
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        for name, data in self.data.items():
            path = os.path.join(folder, urllib.parse.quote(name, safe=""))
            data.tofile(f"{path}.bin")
            numpy.save(f"{path}.npy", data)
        lines = [("input", name, data.dtype.name, ",".join(map(str, data.shape)))
                 for name, data in self.data.items()]
        lines += [("output", port.name) for port in self.outputs]
        lines += [("dimension", name, str(size)) for name, size in self.dimensions.items()]
        with open(os.path.join(folder, "ports"), "w", encoding="utf-8") as file:
            file.writelines("\t".join(line) + "\n" for line in lines)

    def ports(self):
        return [{"name": name, "type": data.dtype.name, "shape": list(data.shape)}
                for name, data in self.data.items()]


def move_weights(tensors, path):
    with open(path, "wb") as file:
        for tensor in tensors:
            if len(tensor.raw_data) < LARGE:
                continue
            file.write(bytes(-file.tell() % ALIGNMENT))
            place = {"location": os.path.basename(path), "offset": file.tell(),
                     "length": len(tensor.raw_data)}
            file.write(tensor.raw_data)
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
            for key, value in place.items():
                tensor.external_data.add(key=key, value=str(value))
