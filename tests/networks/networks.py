"""Writes networks as ONNX models with random weights, node by node as PyTorch's exporters, ONNX Runtime's
quantizer and its builder of language models write them, and one set of inputs for each.

usage: networks.py [--size small|full] [--only NAME,...] [--external] [--list] [--light MODELS] FOLDER

FOLDER/NAME has model.onnx, with --external model.onnx.data, NAME.bin and NAME.npy of each input, and FOLDER/list
one JSON object a line: the network's inputs, outputs and the sizes of its dimensions. `small` has few and
narrow layers, `full` the published sizes. With --light they are the models of a folder, such as ONNX's
backend/test/data/light, with random inputs. Needs the Python packages onnx and numpy.
"""
import argparse
import json
import math
import os

import numpy
import onnx

from onnx_network import INT4, Network

RELU = math.sqrt(2)  # the gain that keeps the size of what a rectifier halves
MINIMUM = float(numpy.finfo("float32").min)

# ---- ResNet-50 ----------------------------------------------------------------------------------


def resnet(size, folded):
    """torchvision's ResNet-50, in evaluation mode (batch normalization folded) or exported with it."""
    layers, width, image, classes = ((3, 4, 6, 3), 64, 224, 1000) if size == "full" else ((2, 1, 1, 1), 8, 64, 10)
    n = Network(13, 1)
    x = n.input("input", [1, 3, image, image], n.normal(1, 3, image, image))

    def block(name, x, inputs, outputs, kernel, stride=1, gain=1.0):
        if folded:
            return n.convolution(name, x, inputs, outputs, kernel, stride, gain=gain)
        x = n.convolution(name, x, inputs, outputs, kernel, stride, bias=False)
        return n.batch_normalization(f"{name}.bn", x, outputs, gain)

    x = n.node("Relu", block("conv1", x, 3, width, 7, 2))
    x = n.node("MaxPool", x, ceil_mode=0, kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2])
    inputs = width
    for stage, count in enumerate(layers):
        middle, outputs = width << stage, width * 4 << stage
        for i in range(count):
            name, stride = f"layer{stage + 1}.{i}", 2 if i == 0 and stage > 0 else 1
            y = n.node("Relu", block(f"{name}.conv1", x, inputs, middle, 1, gain=RELU))
            y = n.node("Relu", block(f"{name}.conv2", y, middle, middle, 3, stride, gain=RELU))
            y = block(f"{name}.conv3", y, middle, outputs, 1, gain=0.5)
            if i == 0:
                x = block(f"{name}.downsample", x, inputs, outputs, 1, stride)
            x = n.node("Relu", n.node("Add", y, x))
            inputs = outputs
    x = n.node("Flatten", n.node("GlobalAveragePool", x), axis=1)
    n.output(n.gemm("fc", x, inputs, classes), "output", [1, classes])
    return n


# ---- MobileNetV2 --------------------------------------------------------------------------------

BOTTLENECKS = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
               (6, 320, 1, 1))


def mobilenet_sizes(size):
    """Bottlenecks (expansion, channels, count, stride), first and last channels, image, classes."""
    if size == "full":
        return BOTTLENECKS, 32, 1280, 224, 1000
    return tuple((t, max(c // 8, 4), min(count, 2), s) for t, c, count, s in BOTTLENECKS[:5]), 8, 48, 48, 100


def mobilenet(size):
    bottlenecks, first, last, image, classes = mobilenet_sizes(size)
    n = Network(13, 2)
    batch = 1 if size == "full" else 2
    x = n.input("input", ["batch", 3, image, image], n.normal(batch, 3, image, image))

    def relu6(x):
        return n.node("Clip", x, n.constant(0.0), n.constant(6.0))

    x = relu6(n.convolution("features.0", x, 3, first, 3, 2, gain=2.0))
    inputs, index = first, 0
    for expansion, outputs, count, stride in bottlenecks:
        for i in range(count):
            index += 1
            name, y, middle = f"features.{index}", x, inputs * expansion
            if expansion > 1:
                y = relu6(n.convolution(f"{name}.expand", y, inputs, middle, 1, gain=2.0))
            y = n.convolution(f"{name}.depthwise", y, middle, middle, 3, stride if i == 0 else 1, middle,
                              gain=RELU)
            y = n.convolution(f"{name}.project", relu6(y), middle, outputs, 1, gain=0.7)
            x = n.node("Add", x, y) if inputs == outputs and i > 0 else y
            inputs = outputs
    x = relu6(n.convolution("features.last", x, inputs, last, 1, gain=2.0))
    x = n.node("GlobalAveragePool", x)
    x = n.reshape(x, n.size(x, 0), -1)
    n.output(n.gemm("classifier", x, last, classes), "output", ["batch", classes])
    return n


class Quantized(Network):
    """Writes QuantizeLinear and DequantizeLinear as ONNX Runtime's quantizer does (QDQ; uint8
    activations, int8 weights by channel, of 7 bits as its reduce_range gives them)."""

    def __init__(self, opset, seed):
        super().__init__(opset, seed, producer="onnx.quantize")
        self.step = {}

    def quantized(self, x, low, high):
        """x on a grid of 256 values from low to high."""
        step = numpy.float32((high - low) / 255)
        zero = numpy.uint8(round(-low / float(step)))
        parameters = self.weight(f"{x}_scale", step), self.weight(f"{x}_zero_point", zero)
        y = self.node("DequantizeLinear", self.node("QuantizeLinear", x, *parameters), *parameters)
        self.step[y] = step
        return y

    def quantized_weight(self, name, values, x):
        """A weight by channel, and the bias that goes with it and with the input x."""
        channels = values.shape[0]
        steps = numpy.abs(values).reshape(channels, -1).max(axis=1) / numpy.float32(63)
        shape = (channels,) + (1,) * (values.ndim - 1)
        levels = numpy.rint(values / steps.reshape(shape)).astype("int8")
        weight = self.node("DequantizeLinear", self.weight(f"{name}.weight_quantized", levels),
                           self.weight(f"{name}.weight_scale", steps),
                           self.weight(f"{name}.weight_zero_point", numpy.zeros(channels, "int8")), axis=0)
        steps = steps * self.step[x]
        levels = numpy.rint(self.normal(channels, scale=0.1) / steps).astype("int32")
        bias = self.node("DequantizeLinear", self.weight(f"{name}.bias_quantized", levels),
                         self.weight(f"{name}.bias_quantized_scale", steps),
                         self.weight(f"{name}.bias_quantized_zero_point", numpy.zeros(channels, "int32")),
                         axis=0)
        return weight, bias

    def quantized_convolution(self, name, x, inputs, outputs, kernel, stride, groups, gain):
        shape = (outputs, inputs // groups, kernel, kernel)
        values = self.normal(*shape, scale=gain / math.sqrt(inputs // groups * kernel * kernel))
        weight, bias = self.quantized_weight(name, values, x)
        pad = kernel // 2
        return self.node("Conv", x, weight, bias, dilations=[1, 1], group=groups,
                         kernel_shape=[kernel, kernel], pads=[pad] * 4, strides=[stride, stride])


def quantized_mobilenet(size):
    """The same network in 8 bits. The quantizer drops a Clip whose range is that of the grid."""
    bottlenecks, first, last, image, classes = mobilenet_sizes(size)
    n = Quantized(13, 3)
    x = n.input("input", [1, 3, image, image], n.normal(1, 3, image, image))
    x = n.quantized(x, -3.5, 3.5)

    def rectified(name, x, inputs, outputs, kernel, stride, groups, gain):
        x = n.quantized_convolution(name, x, inputs, outputs, kernel, stride, groups, gain)
        return n.quantized(x, 0, 6)

    x = rectified("features.0", x, 3, first, 3, 2, 1, 2.0)
    inputs, index, power = first, 0, 1.0
    for expansion, outputs, count, stride in bottlenecks:
        for i in range(count):
            index += 1
            name, y, middle = f"features.{index}", x, inputs * expansion
            if expansion > 1:
                y = rectified(f"{name}.expand", y, inputs, middle, 1, 1, 1, 2.0 / math.sqrt(power))
            y = rectified(f"{name}.depthwise", y, middle, middle, 3, stride if i == 0 else 1, middle, RELU)
            y = n.quantized_convolution(f"{name}.project", y, middle, outputs, 1, 1, 1, 0.7)
            y = n.quantized(y, -4, 4)
            power = power + 1 if inputs == outputs and i > 0 else 1.0
            if inputs == outputs and i > 0:
                y = n.quantized(n.node("Add", x, y), -4 * math.sqrt(power), 4 * math.sqrt(power))
            x, inputs = y, outputs
    x = rectified("features.last", x, inputs, last, 1, 1, 1, 2.0 / math.sqrt(power))
    x = n.quantized(n.node("GlobalAveragePool", x), 0, 4)
    x = n.quantized(n.node("Flatten", x, axis=1), 0, 4)
    values = n.matrix(last, classes).T
    weight, bias = n.quantized_weight("classifier", values, x)
    x = n.node("Gemm", x, weight, bias, alpha=1.0, beta=1.0, transB=1)
    x = n.quantized(x, -2.5, 2.5)
    n.step_of_output = float(n.step[x])
    n.output(x, "output", [1, classes])
    return n


# ---- BERT ---------------------------------------------------------------------------------------


def heads_of(n, x, heads, size):
    """[batch, sequence, heads * size] to [batch, heads, sequence, size]."""
    return n.node("Transpose", n.reshape(x, n.size(x, 0), n.size(x, 1), heads, size), perm=[0, 2, 1, 3])


def joined_heads(n, x, hidden):
    x = n.node("Transpose", x, perm=[0, 2, 1, 3])
    return n.reshape(x, n.size(x, 0), n.size(x, 1), hidden)


def bert_embeddings(n, ids, segments, hidden, words, positions):
    length = n.size(ids, 1)
    places = n.slice(n.weight("embeddings.position_ids", numpy.arange(positions)[None]), 0, length, 1)

    def rows(name, count, indices):
        return n.node("Gather", n.weight(f"embeddings.{name}", n.normal(count, hidden)), indices)

    x = n.node("Add", rows("word", words, ids), rows("token_type", 2, segments))
    x = n.node("Add", x, rows("position", positions, places))
    return n.layer_norm("embeddings.LayerNorm", x, hidden, 1e-12)


def bert_layer(n, name, x, mask, heads, hidden, inner):
    size = hidden // heads
    q, k, v = (n.linear(f"{name}.attention.{part}", x, hidden, hidden) for part in ("query", "key", "value"))
    k, v, q = heads_of(n, k, heads, size), heads_of(n, v, heads, size), heads_of(n, q, heads, size)
    scores = n.node("MatMul", q, n.node("Transpose", k, perm=[0, 1, 3, 2]))
    scores = n.node("Div", scores, n.constant(math.sqrt(size)))
    scores = n.node("Softmax", n.node("Add", scores, mask), axis=-1)
    y = joined_heads(n, n.node("MatMul", scores, v), hidden)
    y = n.linear(f"{name}.attention.output", y, hidden, hidden)
    x = n.layer_norm(f"{name}.attention.LayerNorm", n.node("Add", y, x), hidden, 1e-12)
    y = n.linear(f"{name}.intermediate", x, hidden, inner)
    rectified = n.node("Add", n.node("Erf", n.node("Div", y, n.constant(math.sqrt(2)))), n.constant(1.0))
    y = n.node("Mul", n.node("Mul", y, rectified), n.constant(0.5))
    y = n.linear(f"{name}.output", y, inner, hidden, gain=RELU)
    return n.layer_norm(f"{name}.output.LayerNorm", n.node("Add", y, x), hidden, 1e-12)


def bert(size):
    layers, heads, hidden, inner, words, positions, batch, length = (
        (12, 12, 768, 3072, 30522, 512, 1, 128) if size == "full" else (2, 4, 64, 256, 100, 40, 2, 11))
    n = Network(14, 4)
    shape, mask = ["batch_size", "sequence_length"], numpy.ones((batch, length), "int64")
    mask[-1, length - length // 4:] = 0
    ids = n.input("input_ids", shape, n.random.integers(0, words, (batch, length)))
    mask = n.input("attention_mask", shape, mask)
    segments = n.input("token_type_ids", shape, n.random.integers(0, 2, (batch, length)))
    mask = n.node("Cast", n.unsqueeze(mask, 1, 2), to=1)
    mask = n.node("Mul", n.node("Sub", n.constant(1.0), mask), n.constant(MINIMUM))
    x = bert_embeddings(n, ids, segments, hidden, words, positions)
    for i in range(layers):
        x = bert_layer(n, f"encoder.layer.{i}", x, mask, heads, hidden, inner)
    first = n.node("Gather", x, n.integer(0), axis=1)
    pooled = n.node("Tanh", n.gemm("pooler", first, hidden, hidden))
    n.output(x, "last_hidden_state", shape + [hidden])
    n.output(pooled, "pooler_output", ["batch_size", hidden])
    return n


# ---- GPT-2 --------------------------------------------------------------------------------------


def conv1d(n, name, x, inputs, outputs, gain=1.0):
    """The linear layer of GPT-2, a Gemm of rows."""
    batch, length = n.size(x, 0), n.size(x, 1)
    weight = n.weight(f"{name}.weight", n.matrix(inputs, outputs, gain))
    bias = n.weight(f"{name}.bias", n.normal(outputs, scale=0.1))
    y = n.node("Gemm", n.reshape(x, -1, inputs), weight, bias, alpha=1.0, beta=1.0)
    return n.reshape(y, batch, length, outputs)


def tanh_gelu(n, x):
    cube = n.node("Mul", n.node("Pow", x, n.constant(3.0)), n.constant(0.044715))
    inner = n.node("Mul", n.node("Add", x, cube), n.constant(math.sqrt(2 / math.pi)))
    return n.node("Mul", n.node("Mul", x, n.constant(0.5)),
                  n.node("Add", n.node("Tanh", inner), n.constant(1.0)))


def gpt2_attention(n, name, x, mask, past, heads, hidden, positions):
    """Gives also the keys and values of all positions."""
    size = hidden // heads
    x = conv1d(n, f"{name}.c_attn", x, hidden, 3 * hidden)
    q, k, v = n.node("Split", x, n.vector(hidden, hidden, hidden), outputs=3, axis=2)
    q, k, v = (heads_of(n, part, heads, size) for part in (q, k, v))
    k, v = (n.node("Concat", old, new, axis=-2) for old, new in zip(past, (k, v)))
    scores = n.node("MatMul", q, n.node("Transpose", k, perm=[0, 1, 3, 2]))
    scores = n.node("Div", scores, n.constant(math.sqrt(size)))
    total = n.size(k, 2)
    before = n.node("Sub", total, n.size(q, 2))
    triangle = n.weight(f"{name}.bias", numpy.tril(numpy.ones((1, 1, positions, positions), bool)))
    triangle = n.slice(n.slice(triangle, before, total, 2), 0, total, 3)
    scores = n.node("Where", triangle, scores, n.constant(MINIMUM))
    scores = n.node("Softmax", n.node("Add", scores, mask), axis=-1)
    y = joined_heads(n, n.node("MatMul", scores, v), hidden)
    return conv1d(n, f"{name}.c_proj", y, hidden, hidden, 0.5), (k, v)


def gpt2(size):
    layers, heads, hidden, words, positions, batch, past, length = (
        (12, 12, 768, 50257, 1024, 1, 127, 1) if size == "full" else (2, 4, 64, 120, 64, 2, 5, 3))
    n = Network(13, 5)
    total = "past_sequence_length + sequence_length"
    ids = n.input("input_ids", ["batch_size", "sequence_length"], n.random.integers(0, words, (batch, length)))
    cache = [[n.input(f"past_key_values.{i}.{part}",
                      ["batch_size", heads, "past_sequence_length", hidden // heads],
                      n.normal(batch, heads, past, hidden // heads)) for part in ("key", "value")]
             for i in range(layers)]
    seen = numpy.ones((batch, past + length), "int64")
    seen[-1, :2] = 0
    mask = n.input("attention_mask", ["batch_size", total], seen)
    places = n.input("position_ids", ["batch_size", "sequence_length"],
                     numpy.tile(numpy.arange(past, past + length), (batch, 1)))
    mask = n.unsqueeze(n.reshape(mask, n.size(ids, 0), -1), 1, 2)
    mask = n.node("Mul", n.node("Sub", n.constant(1.0), n.node("Cast", mask, to=1)), n.constant(MINIMUM))
    embedding = n.weight("transformer.wte.weight", n.normal(words, hidden, scale=0.1))
    x = n.node("Add", n.node("Gather", embedding, n.reshape(ids, -1, n.size(ids, 1))),
               n.node("Gather", n.weight("transformer.wpe.weight", n.normal(positions, hidden, scale=0.05)),
                      places))
    present = []
    for i in range(layers):
        name = f"transformer.h.{i}"
        y = n.layer_norm(f"{name}.ln_1", x, hidden, 1e-5)
        y, both = gpt2_attention(n, f"{name}.attn", y, mask, cache[i], heads, hidden, positions)
        x = n.node("Add", y, x)
        y = conv1d(n, f"{name}.mlp.c_fc", n.layer_norm(f"{name}.ln_2", x, hidden, 1e-5), hidden, 4 * hidden)
        x = n.node("Add", x, conv1d(n, f"{name}.mlp.c_proj", tanh_gelu(n, y), 4 * hidden, hidden, 0.7))
        present.append(both)
    x = n.layer_norm("transformer.ln_f", x, hidden, 1e-5)
    scores = n.node("MatMul", x, n.node("Transpose", embedding, perm=[1, 0]))
    n.output(scores, "logits", ["batch_size", "sequence_length", words])
    for i, both in enumerate(present):
        for value, part in zip(both, ("key", "value")):
            n.output(value, f"present.{i}.{part}", ["batch_size", heads, total, hidden // heads])
    return n


# ---- Llama --------------------------------------------------------------------------------------

BLOCK = 32  # elements with one scale


def llama_sizes(size):
    """Layers, heads, heads of keys, hidden, inner, words, batch, past, length: those of TinyLlama."""
    return (22, 32, 4, 2048, 5632, 32000, 1, 127, 1) if size == "full" else (2, 4, 2, 64, 192, 96, 1, 5, 3)


def llama_inputs(n, heads_kv, width, layers, batch, past, length, words):
    total = "total_sequence_length"
    ids = n.input("input_ids", ["batch_size", "sequence_length"], n.random.integers(0, words, (batch, length)))
    mask = n.input("attention_mask", ["batch_size", total], numpy.ones((batch, past + length), "int64"))
    cache = [[n.input(f"past_key_values.{i}.{part}", ["batch_size", heads_kv, "past_sequence_length", width],
                      n.normal(batch, heads_kv, past, width)) for part in ("key", "value")]
             for i in range(layers)]
    return ids, mask, cache


def llama_outputs(n, scores, present, words, heads_kv, width):
    n.output(scores, "logits", ["batch_size", "sequence_length", words])
    for i, both in enumerate(present):
        for value, part in zip(both, ("key", "value")):
            n.output(value, f"present.{i}.{part}",
                     ["batch_size", heads_kv, "total_sequence_length", width])


def angles(width, positions):
    frequencies = 10000.0 ** (-numpy.arange(0, width, 2) / width)
    return (numpy.arange(positions)[:, None] * frequencies[None]).astype("float32")


def nibbles(n, *shape):
    """Bytes of two numbers from 1 to 15 each: 8 more than -7 to 7."""
    return n.random.integers(1, 16, shape, "uint8") | n.random.integers(1, 16, shape, "uint8") << 4


def block_scale(rows, gain):
    """The scale with which such numbers as a matrix keep the size of what it is applied to."""
    return numpy.float32(gain / (math.sqrt(56 / 3) * math.sqrt(rows)))


def llama_microsoft(size):
    """As ONNX Runtime's builder of language models writes it: blocks of 4-bit weights."""
    layers, heads, heads_kv, hidden, inner, words, batch, past, length = llama_sizes(size)
    width, positions = hidden // heads, 256
    n = Network(14, 6, microsoft=True, producer="onnxruntime-genai")
    microsoft = "com.microsoft"
    ids, mask, cache = llama_inputs(n, heads_kv, width, layers, batch, past, length, words)
    lengths = n.node("Sub", n.node("ReduceSum", mask, n.vector(1), keepdims=0), n.vector(1))
    lengths = n.node("Cast", lengths, to=6)
    total = n.node("Cast", n.size(mask, 1), to=6)
    tables = [n.weight(f"{name}_cache", function(angles(width, positions)))
              for name, function in (("cos", numpy.cos), ("sin", numpy.sin))]

    def product(name, x, rows, columns, gain=1.0, zeros=False):
        blocks = rows // BLOCK
        scales = n.uniform(0.8, 1.2, columns * blocks) * block_scale(rows, gain)
        weights = [n.weight(f"{name}.qweight", nibbles(n, columns, blocks, BLOCK // 2)),
                   n.weight(f"{name}.scales", scales)]
        if zeros:  # 7, 8 or 9, two in a byte
            levels = n.random.integers(7, 10, (columns, (blocks + 1) // 2, 2), "uint8")
            weights.append(n.weight(f"{name}.qzeros", levels[:, :, 0] | levels[:, :, 1] << 4))
        return n.node("MatMulNBits", x, *weights, domain=microsoft, K=rows, N=columns, bits=4, block_size=BLOCK)

    def scale(name):
        return n.weight(name, n.uniform(0.8, 1.2, hidden))

    x = n.node("Gather", n.weight("embed_tokens.weight", n.normal(words, hidden)), ids)
    y = n.node("SimplifiedLayerNormalization", x, scale("layers.0.input_layernorm.weight"), axis=-1,
               epsilon=1e-5, stash_type=1)
    present = []
    for i in range(layers):
        name = f"layers.{i}"
        q = product(f"{name}.q_proj", y, hidden, hidden)
        k, v = (product(f"{name}.{part}_proj", y, hidden, heads_kv * width, zeros=i % 2 == 1) for part in "kv")
        y, k, v = n.node("GroupQueryAttention", q, k, v, *cache[i], lengths, total, *tables, outputs=3,
                         domain=microsoft, num_heads=heads, kv_num_heads=heads_kv, do_rotary=1,
                         rotary_interleaved=0, local_window_size=-1, softcap=0.0, scale=1 / math.sqrt(width))
        present.append((k, v))
        y = product(f"{name}.o_proj", y, hidden, hidden, 0.5)
        y, x = n.node("SkipSimplifiedLayerNormalization", x, y, scale(f"{name}.post_layernorm.weight"),
                      outputs=[n.name("normal"), "", "", n.name("sum")], domain=microsoft, epsilon=1e-5)
        gate = product(f"{name}.gate_proj", y, hidden, inner)
        gate = n.node("Mul", gate, n.node("Sigmoid", gate))
        y = n.node("Mul", gate, product(f"{name}.up_proj", y, hidden, inner))
        y = product(f"{name}.down_proj", y, inner, hidden, 0.7)
        last = i == layers - 1
        names = [n.name("normal")] if last else [n.name("normal"), "", "", n.name("sum")]
        y = n.node("SkipSimplifiedLayerNormalization", x, y, scale(f"{name}.next_layernorm.weight"),
                   outputs=names, domain=microsoft, epsilon=1e-5)
        y, x = (y, None) if last else y
    llama_outputs(n, product("lm_head", y, hidden, words), present, words, heads_kv, width)
    return n


def rms_norm(n, name, x, hidden):
    mean = n.node("ReduceMean", n.node("Pow", x, n.constant(2.0)), n.vector(-1), keepdims=1)
    root = n.node("Sqrt", n.node("Add", mean, n.constant(1e-5)))
    x = n.node("Mul", x, n.node("Div", n.constant(1.0), root))
    return n.node("Mul", n.weight(f"{name}.weight", n.uniform(0.8, 1.2, hidden)), x)


def rotated(n, x, cosine, sine, width):
    """x * cos + rotate_half(x) * sin."""
    halves = n.slice(x, 0, width // 2, 3), n.slice(x, width // 2, 2**63 - 1, 3)
    turned = n.node("Concat", n.node("Neg", halves[1]), halves[0], axis=-1)
    return n.node("Add", n.node("Mul", x, cosine), n.node("Mul", turned, sine))


def rotary_tables(n, places, width):
    """cos and sin of the angles [batch, 1, sequence, width]."""
    frequencies = n.weight("rotary_emb.inv_freq", angles(width, 2)[1][None, :, None])
    frequencies = n.expand(frequencies, n.size(places, 0), -1, 1)
    places = n.node("Cast", n.unsqueeze(places, 1), to=1)
    turns = n.node("Transpose", n.node("MatMul", frequencies, places), perm=[0, 2, 1])
    turns = n.node("Concat", turns, turns, axis=-1)
    return [n.unsqueeze(n.node("Mul", n.node(function, turns), n.constant(1.0)), 1)
            for function in ("Cos", "Sin")]


def causal_mask(n, mask, length, total, past):
    """The mask that transformers adds to scores: MINIMUM where a position is later, or padding."""
    value = n.node("Expand", n.constant(MINIMUM), n.list(length, total))
    value = n.node("Trilu", value, n.integer(1), upper=1)
    columns = n.node("Range", n.integer(0), total, n.integer(1))
    rows = n.reshape(n.node("Range", past, total, n.integer(1)), -1, 1)
    later = n.node("Cast", n.node("Greater", columns, rows), to=1)
    value = n.unsqueeze(n.node("Mul", value, later), 0, 1)
    value = n.expand(value, n.size(mask, 0), 1, -1, -1)
    padding = n.node("Cast", n.unsqueeze(mask, 1, 2), to=1)
    hidden = n.node("Equal", n.node("Add", value, padding), n.constant(0.0))
    return n.node("Where", hidden, n.constant(MINIMUM), value)


def llama_plain(size):
    """As PyTorch exports it (scaled dot product attention written out), with weights of 4 bits in blocks."""
    layers, heads, heads_kv, hidden, inner, words, batch, past, length = llama_sizes(size)
    width = hidden // heads
    n = Network(21, 7)
    ids, mask, cache = llama_inputs(n, heads_kv, width, layers, batch, past, length, words)
    places = n.input("position_ids", ["batch_size", "sequence_length"],
                     numpy.tile(numpy.arange(past, past + length), (batch, 1)))

    def product(name, x, rows, columns, gain=1.0):
        scales = n.uniform(0.8, 1.2, rows // BLOCK, columns) * block_scale(rows, gain)
        bits = nibbles(n, rows * columns // 2) ^ 0x88  # without the 8 that is added to unsigned ones
        weight = n.node("DequantizeLinear", n.packed_weight(f"{name}.qweight", INT4, [rows, columns], bits),
                        n.weight(f"{name}.scales", scales), axis=0, block_size=BLOCK)
        return n.node("MatMul", x, weight)

    def repeated(x):
        """Keys or values of a group for each of its heads."""
        shape = [n.size(x, i) for i in (0, 2, 3)]
        x = n.expand(n.unsqueeze(x, 2), shape[0], heads_kv, heads // heads_kv, shape[1], shape[2])
        return n.reshape(x, shape[0], heads, shape[1], shape[2])

    def scaled(x, like):
        """x * sqrt(1 / sqrt(width)), where the exporter asks for the width at run time."""
        last = n.node("Cast", n.slice(n.node("Shape", like), -1, 2**63 - 1, 0), to=1)
        root = n.node("Div", n.constant([1.0]), n.node("Sqrt", last))
        return n.node("Mul", x, n.node("Sqrt", root))

    x = n.node("Gather", n.weight("embed_tokens.weight", n.normal(words, hidden)), ids)
    behind, length = n.size(cache[0][0], 2), n.size(x, 1)
    total = n.node("Add", behind, length)
    hiding = causal_mask(n, mask, length, total, behind)
    cosine, sine = rotary_tables(n, places, width)
    present = []
    for i in range(layers):
        name = f"layers.{i}"
        y = rms_norm(n, f"{name}.input_layernorm", x, hidden)
        q, k, v = (heads_of(n, product(f"{name}.{part}_proj", y, hidden, count * width), count, width)
                   for part, count in (("q", heads), ("k", heads_kv), ("v", heads_kv)))
        q, k = rotated(n, q, cosine, sine, width), rotated(n, k, cosine, sine, width)
        k, v = (n.node("Concat", old, new, axis=-2) for old, new in zip(cache[i], (k, v)))
        present.append((k, v))
        keys, values = repeated(k), repeated(v)
        scores = n.node("MatMul", scaled(q, q), scaled(n.node("Transpose", keys, perm=[0, 1, 3, 2]), q))
        hidden_scores = n.node("Add", scores, n.slice(hiding, 0, n.size(keys, 2), 3))
        y = n.node("MatMul", n.node("Softmax", hidden_scores, axis=-1), values)
        x = n.node("Add", x, product(f"{name}.o_proj", joined_heads(n, y, hidden), hidden, hidden, 0.5))
        y = rms_norm(n, f"{name}.post_attention_layernorm", x, hidden)
        gate = product(f"{name}.gate_proj", y, hidden, inner)
        gate = n.node("Mul", gate, n.node("Sigmoid", gate))
        y = n.node("Mul", gate, product(f"{name}.up_proj", y, hidden, inner))
        x = n.node("Add", x, product(f"{name}.down_proj", y, inner, hidden, 0.7))
    scores = product("lm_head", rms_norm(n, "norm", x, hidden), hidden, words)
    llama_outputs(n, scores, present, words, heads_kv, width)
    return n


# ---- U-Nets -------------------------------------------------------------------------------------


def group_norm(n, name, x, channels, groups):
    y = n.node("InstanceNormalization", n.reshape(x, 0, groups, -1),
               n.constant(numpy.ones(groups)), n.constant(numpy.zeros(groups)), epsilon=1e-5)
    y = n.node("Reshape", y, n.node("Shape", x))
    y = n.node("Mul", y, n.weight(f"{name}.weight", n.uniform(0.8, 1.2, channels, 1, 1)))
    return n.node("Add", y, n.weight(f"{name}.bias", n.normal(channels, 1, 1, scale=0.1)))


def silu(n, x):
    return n.node("Mul", x, n.node("Sigmoid", x))


class Diffusion:
    """The U-Net of denoising diffusion: what its blocks share."""

    def __init__(self, n, width, groups, embedding):
        self.n, self.width, self.groups, self.embedding = n, width, groups, embedding

    def residual(self, name, x, inputs, outputs):
        n = self.n
        y = silu(n, group_norm(n, f"{name}.norm1", x, inputs, self.groups))
        y = n.convolution(f"{name}.conv1", y, inputs, outputs, 3, gain=1.5)
        time = n.gemm(f"{name}.time_emb_proj", silu(n, self.embedding), 4 * self.width, outputs)
        y = n.node("Add", y, n.unsqueeze(time, 2, 3))
        y = silu(n, group_norm(n, f"{name}.norm2", y, outputs, self.groups))
        y = n.convolution(f"{name}.conv2", y, outputs, outputs, 3)
        if inputs != outputs:
            x = n.convolution(f"{name}.conv_shortcut", x, inputs, outputs, 1)
        return n.node("Add", x, y)

    def attention(self, name, x, channels):
        n = self.n
        sizes = [n.size(x, i) for i in range(4)]
        y = group_norm(n, f"{name}.group_norm", x, channels, self.groups)
        y = n.reshape(y, sizes[0], sizes[1], n.node("Mul", sizes[2], sizes[3]))
        y = n.node("Transpose", y, perm=[0, 2, 1])
        q, k, v = (n.linear(f"{name}.{part}", y, channels, channels) for part in ("to_q", "to_k", "to_v"))
        scores = n.node("MatMul", q, n.node("Transpose", k, perm=[0, 2, 1]))
        scores = n.node("Mul", scores, n.constant(1 / math.sqrt(channels)))
        y = n.node("MatMul", n.node("Softmax", scores, axis=-1), v)
        y = n.linear(f"{name}.to_out", y, channels, channels)
        y = n.node("Reshape", n.node("Transpose", y, perm=[0, 2, 1]), n.list(*sizes))
        return n.node("Add", y, x)

    def upsample(self, name, x, channels, skip):
        """To the size of another value, by the nearest, and a convolution."""
        n = self.n
        kept = n.slice(n.node("Shape", x), 0, 2, 0)
        wanted = n.slice(n.node("Shape", skip), 2, 4, 0)
        x = n.node("Resize", x, "", "", n.node("Concat", kept, wanted, axis=0), mode="nearest",
                   coordinate_transformation_mode="asymmetric", cubic_coeff_a=-0.75, nearest_mode="floor")
        return n.convolution(name, x, channels, channels, 3)


def time_embedding(n, step, width):
    turns = n.node("Mul", n.unsqueeze(n.node("Cast", step, to=1), 1),
                   n.weight("time_proj", (10000.0 ** (-numpy.arange(width // 2) / (width // 2)))[None]
                            .astype("float32")))
    x = n.node("Concat", n.node("Sin", turns), n.node("Cos", turns), axis=-1)
    return n.gemm("time_embedding.linear_2", silu(n, n.gemm("time_embedding.linear_1", x, width, 4 * width,
                                                            RELU)), 4 * width, 4 * width, RELU)


def unet(size):
    """That of "Denoising Diffusion Probabilistic Models" for pictures of 32 x 32."""
    width, groups, image, multiples, blocks, batch = (
        (128, 32, 32, (1, 2, 2, 2), 2, 1) if size == "full" else (16, 4, 16, (1, 2, 2), 1, 2))
    n = Network(14, 8)
    x = n.input("sample", ["batch", 3, "height", "width"], n.normal(batch, 3, image, image))
    step = n.input("timestep", ["batch"], n.random.integers(0, 1000, batch))
    net = Diffusion(n, width, groups, time_embedding(n, step, width))
    x, inputs = n.convolution("conv_in", x, 3, width, 3), width
    skips = [(x, width)]
    for level, multiple in enumerate(multiples):
        for i in range(blocks):
            x = net.residual(f"down.{level}.{i}", x, inputs, width * multiple)
            inputs = width * multiple
            x = net.attention(f"down.{level}.{i}.attention", x, inputs) if level == 1 else x
            skips.append((x, inputs))
        if level + 1 < len(multiples):
            x = n.convolution(f"down.{level}.downsample", x, inputs, inputs, 3, 2)
            skips.append((x, inputs))
    x = net.residual("mid.0", x, inputs, inputs)
    x = net.residual("mid.1", net.attention("mid.attention", x, inputs), inputs, inputs)
    for level in reversed(range(len(multiples))):
        for i in range(blocks + 1):
            skip, channels = skips.pop()
            x = n.node("Concat", x, skip, axis=1)
            x = net.residual(f"up.{level}.{i}", x, inputs + channels, width * multiples[level])
            inputs = width * multiples[level]
            x = net.attention(f"up.{level}.{i}.attention", x, inputs) if level == 1 else x
        if level > 0:
            x = net.upsample(f"up.{level}.upsample", x, inputs, skips[-1][0])
    x = n.convolution("conv_out", silu(n, group_norm(n, "conv_norm_out", x, inputs, groups)), inputs, 3, 3)
    n.output(x, "out_sample", ["batch", 3, "height", "width"])
    return n


def padded_like(n, x, other):
    """F.pad(x, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2]) to the size of another value: the exporter
    turns PyTorch's order, from the last axis on, into that of Pad."""
    pads = []
    for axis in (3, 2):
        difference = n.node("Sub", n.size(other, axis), n.size(x, axis))
        half = n.node("Div", difference, n.integer(2))
        pads += [half, n.node("Sub", difference, half)]
    pads = n.list(*pads)
    rest = n.node("Sub", n.node("Mul", n.node("Size", n.node("Shape", x)), n.integer(2)), n.node("Size", pads))
    zeros = n.node("Cast", n.node("ConstantOfShape", n.node("Unsqueeze", rest, n.vector(0))), to=7)
    pads = n.node("Reshape", n.node("Concat", pads, zeros, axis=0), n.vector(-1, 2))
    pads = n.node("Transpose", n.slice(pads, -1, -(2**63) + 1, 0, -1), perm=[1, 0])
    pads = n.node("Cast", n.node("Reshape", pads, n.vector(-1)), to=7)
    return n.node("Pad", x, pads, n.constant(0.0), mode="constant")


def classic_unet(size, transposed):
    """The first U-Net, with batch normalization, and with transposed convolutions or linear resizing. The
    side of the picture is no power of 2, so that values are padded to the size of what skips."""
    width, levels, side, classes = (64, 4, 252, 2) if size == "full" else (8, 3, 36, 2)
    n = Network(13, 9 if transposed else 10)
    x = n.input("input", ["batch", 3, "height", "width"], n.normal(1, 3, side, side))

    def double(name, x, inputs, outputs, middle=None):
        for i, (a, b) in enumerate(((inputs, middle or outputs), (middle or outputs, outputs))):
            x = n.convolution(f"{name}.{i}", x, a, b, 3, gain=RELU if i else 1.0, bias=False)
            x = n.node("Relu", n.batch_normalization(f"{name}.{i}.bn", x, b))
        return x

    def enlarged(name, x, channels):
        if transposed:
            weight = n.normal(channels, channels // 2, 2, 2, scale=RELU / math.sqrt(channels))
            return n.node("ConvTranspose", x, n.weight(f"{name}.weight", weight),
                          n.weight(f"{name}.bias", n.normal(channels // 2, scale=0.1)),
                          dilations=[1, 1], group=1, kernel_shape=[2, 2], pads=[0] * 4, strides=[2, 2])
        return n.node("Resize", x, "", n.constant([1, 1, 2, 2]), mode="linear", cubic_coeff_a=-0.75,
                      coordinate_transformation_mode="align_corners", nearest_mode="floor")

    x = double("inc", x, 3, width)
    skips, inputs, factor = [x], width, 1 if transposed else 2
    for level in range(levels):
        outputs = (width << (level + 1)) // (factor if level == levels - 1 else 1)
        x = n.node("MaxPool", x, ceil_mode=0, kernel_shape=[2, 2], pads=[0] * 4, strides=[2, 2])
        x = double(f"down{level + 1}", x, inputs, outputs)
        inputs = outputs
        skips.append(x)
    skips.pop()
    for level in reversed(range(levels)):
        skip = skips.pop()
        x = padded_like(n, enlarged(f"up{level + 1}", x, inputs), skip)
        x = n.node("Concat", skip, x, axis=1)
        both = width << (level + 1)
        outputs = (width << level) // (factor if level else 1)
        x = double(f"up{level + 1}.conv", x, both, outputs, None if transposed else both // 2)
        inputs = outputs
    n.output(n.convolution("outc", x, width, classes, 1), "output", ["batch", classes, "height", "width"])
    return n


# ---- LSTM ---------------------------------------------------------------------------------------


def lstm(size):
    """Two layers in both directions with initial states, and a linear layer, as of a speech recogniser."""
    layers, features, hidden, classes, length, batch = (
        (2, 240, 512, 46, 200, 1) if size == "full" else (2, 12, 16, 9, 7, 3))
    n = Network(14, 11)
    x = n.input("input", ["batch", "sequence", features], n.normal(batch, length, features))
    states = [n.input(name, [2 * layers, "batch", hidden], n.normal(2 * layers, batch, hidden, scale=0.5))
              for name in ("h0", "c0")]
    x = n.node("Transpose", x, perm=[1, 0, 2])
    last = [[], []]
    for i in range(layers):
        weights = [n.weight(f"lstm.{i}.{kind}", n.uniform(-1, 1, 2, 4 * hidden, columns) * numpy.float32(
            math.sqrt(2 / columns))) for kind, columns in (("W", features), ("R", hidden))]
        bias = n.weight(f"lstm.{i}.B", n.normal(2, 8 * hidden, scale=0.1))
        state = [n.slice(s, 2 * i, 2 * i + 2, 0) for s in states]
        y, *ends = n.node("LSTM", x, *weights, bias, "", *state, outputs=3, direction="bidirectional",
                          hidden_size=hidden)
        x = n.reshape(n.node("Transpose", y, perm=[0, 2, 1, 3]), 0, 0, -1)
        features = 2 * hidden
        for ended, end in zip(last, ends):
            ended.append(end)
    x = n.linear("proj", n.node("Transpose", x, perm=[1, 0, 2]), features, classes)
    n.output(n.node("LogSoftmax", x, axis=-1), "output", ["batch", "sequence", classes])
    for name, ends in zip(("hn", "cn"), last):
        n.output(n.node("Concat", *ends, axis=0), name, [2 * layers, "batch", hidden])
    return n


# ---- All of them --------------------------------------------------------------------------------

NETWORKS = {
    "resnet50": lambda size: resnet(size, True),
    "resnet50-batchnorm": lambda size: resnet(size, False),
    "mobilenetv2": mobilenet,
    "mobilenetv2-qdq": quantized_mobilenet,
    "bert": bert,
    "gpt2": gpt2,
    "llama-microsoft": llama_microsoft,
    "llama-plain": llama_plain,
    "unet": unet,
    "unet-transposed": lambda size: classic_unet(size, True),
    "unet-linear": lambda size: classic_unet(size, False),
    "lstm": lstm,
}


class Stored(Network):
    """A model of ONNX's that has sizes for all dimensions, and random inputs for it."""

    def __init__(self, path):
        self.model = onnx.load(path)
        graph = self.model.graph
        super().__init__(max(opset.version for opset in self.model.opset_import), 12)
        weights = {weight.name for weight in graph.initializer}
        self.outputs = graph.output
        for port in graph.input:
            if port.name not in weights:
                sizes = [d.dim_value for d in port.type.tensor_type.shape.dim]
                self.data[port.name] = self.uniform(0, 1, *sizes)

    def message(self):
        return self.model


def stored_networks(folder):
    names = [name[:-5] for name in sorted(os.listdir(folder)) if name.endswith(".onnx")]
    return {name: lambda size, name=name: Stored(os.path.join(folder, f"{name}.onnx")) for name in names}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].replace("usage: ", ""))
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--size", choices=("small", "full"), default="small")
    parser.add_argument("--only", default="")
    parser.add_argument("--external", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--light")
    options = parser.parse_args()
    networks = stored_networks(options.light) if options.light else NETWORKS
    if options.list:
        print("\n".join(networks))
        return
    names = options.only.split(",") if options.only else list(networks)
    unknown = [name for name in names if name not in networks]
    if unknown or not options.folder:
        parser.error(f"there is no network {unknown[0]}" if unknown else "which FOLDER?")
    os.makedirs(options.folder, exist_ok=True)
    with open(os.path.join(options.folder, "list"), "w", encoding="utf-8") as file:
        for name in names:
            n = networks[name](options.size)
            n.write(os.path.join(options.folder, name), options.external)
            line = {"name": name, "inputs": n.ports(), "outputs": [port.name for port in n.outputs],
                    "dimensions": {key: int(value) for key, value in n.dimensions.items()}}
            if hasattr(n, "step_of_output"):
                line["step"] = n.step_of_output
            file.write(json.dumps(line) + "\n")


main()
