#!/usr/bin/env python3
"""gpu_torch.py [RESULTS.json] [--tf32]: PyTorch on the operators of cases_gpu.c, on the same GPU.

Each runs some times in a CUDA graph, so that nothing but the GPU's own time counts; float32 is IEEE's, unless
--tf32 allows products to round operands. Prints milliseconds; with the results that bench has written by --json
(--backend vulkan), theirs / ours, too. Needs PyTorch with CUDA."""
import json
import math
import statistics
import sys

import torch
import torch.nn.functional as F

gpu = torch.device("cuda")
types = {"float32": torch.float32, "float16": torch.float16}


def random(*shape, dtype):
    return torch.rand(*shape, device=gpu).mul_(2).sub_(1).to(dtype)


def product(b, m, k, n):
    def make(t):
        x, y = random(b, m, k, dtype=t), random(b, k, n, dtype=t)
        return lambda: x @ y
    return make


def linear(m, k, n):
    def make(t):
        x, w, bias = random(m, k, dtype=t), random(n, k, dtype=t), random(n, dtype=t)
        return lambda: F.linear(x, w, bias)
    return make


def attention(b, h, q, k, d):
    def make(t):
        x, y, z = random(b, h, q, d, dtype=t), random(b, h, k, d, dtype=t), random(b, h, k, d, dtype=t)
        return lambda: F.scaled_dot_product_attention(x, y, z)
    return make


def conv(i, o, size, filter, stride, groups, nhwc):
    def make(t):
        layout = torch.channels_last if nhwc else torch.contiguous_format
        x = random(32, i, size, size, dtype=t).to(memory_format=layout)
        w = random(o, i // groups, filter, filter, dtype=t).to(memory_format=layout)
        bias = random(o, dtype=t)
        return lambda: F.conv2d(x, w, bias, stride, filter // 2, 1, groups)
    return make


def of(function, *shapes):
    def make(t):
        x = [random(*s, dtype=t) for s in shapes]
        return lambda: function(*x)
    return make


def gather(rows, columns, taken):
    def make(t):
        x, i = random(rows, columns, dtype=t), torch.randint(rows, (taken,), device=gpu)
        return lambda: x.index_select(0, i)
    return make


def normalization(rows, columns):
    def make(t):
        x, w, b = random(rows, columns, dtype=t), random(columns, dtype=t), random(columns, dtype=t)
        return lambda: F.layer_norm(x, (columns,), w, b)
    return make


def recurrent(kind, steps, batch, units):
    def make(t):
        model = kind(units, units).to(gpu, t).eval()
        x = random(steps, batch, units, dtype=t)
        return lambda: model(x)[0]
    return make


M64 = 1 << 26
cases = {
    "matmul_1024": product(1, 1024, 1024, 1024), "matmul_4096": product(1, 4096, 4096, 4096),
    "matmul_8192": product(1, 8192, 8192, 8192), "matmul_96x512x64x512": product(96, 512, 64, 512),
    "linear_128x768x3072": linear(128, 768, 3072), "linear_512x4096x4096": linear(512, 4096, 4096),
    "linear_8x4096x4096": linear(8, 4096, 4096), "linear_1x4096x16384": linear(1, 4096, 16384),
    "attention_8x12x512x64": attention(8, 12, 512, 512, 64),
    "attention_1x32x4096x128": attention(1, 32, 4096, 4096, 128),
    "attention_8x32x1x4096x128": attention(8, 32, 1, 4096, 128),
    "3x3_64@56_nchw": conv(64, 64, 56, 3, 1, 1, False), "3x3_64@56_nhwc": conv(64, 64, 56, 3, 1, 1, True),
    "3x3_256@14_nhwc": conv(256, 256, 14, 3, 1, 1, True), "1x1_256-64@56_nhwc": conv(256, 64, 56, 1, 1, 1, True),
    "7x7s2_3-64@224_nchw": conv(3, 64, 224, 7, 2, 1, False),
    "dw3x3_144@56_nchw": conv(144, 144, 56, 3, 1, 144, False),
    "dw3x3_144@56_nhwc": conv(144, 144, 56, 3, 1, 144, True),
    "add_64M": of(torch.add, (M64,), (M64,)), "relu_64M": of(torch.relu, (M64,)), "gelu_64M": of(F.gelu, (M64,)),
    "tanh_64M": of(torch.tanh, (M64,)), "exp_64M": of(torch.exp, (M64,)),
    "bias_8192x8192": of(torch.add, (8192, 8192), (8192,)),
    "transpose_8192x8192": of(lambda x: x.transpose(0, 1).contiguous(), (8192, 8192)),
    "transpose_32x64x12544": of(lambda x: x.transpose(1, 2).contiguous(), (32, 64, 12544)),
    "heads_32x512x16x64": of(lambda x: x.transpose(1, 2).contiguous(), (32, 512, 16, 64)),
    "gather_50000x1024_rows_32768": gather(50000, 1024, 32768),
    "concat_8192x4096_inner": of(lambda x, y: torch.cat((x, y), 1), (8192, 4096), (8192, 4096)),
    "softmax_8192x4096": of(lambda x: torch.softmax(x, 1), (8192, 4096)),
    "softmax_262144x128": of(lambda x: torch.softmax(x, 1), (262144, 128)),
    "layer_normalization_32768x1024": normalization(32768, 1024),
    "sum_8192x8192_rows": of(lambda x: x.sum(1), (8192, 8192)),
    "sum_8192x8192_columns": of(lambda x: x.sum(0), (8192, 8192)),
    "cumulative_sum_8192x4096_rows": of(lambda x: x.cumsum(1), (8192, 4096)),
    "cumulative_sum_8192x4096_columns": of(lambda x: x.cumsum(0), (8192, 4096)),
    "max_3x3s2_64@112": of(lambda x: F.max_pool2d(x, 3, 2, 1), (32, 64, 112, 112)),
    "average_2x2s2_64@112": of(lambda x: F.avg_pool2d(x, 2), (32, 64, 112, 112)),
    "resize2x_64@112": of(lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (32, 64, 112, 112)),
    "lstm_100x1x128": recurrent(torch.nn.LSTM, 100, 1, 128),
    "lstm_100x32x512": recurrent(torch.nn.LSTM, 100, 32, 512),
    "gru_100x32x512": recurrent(torch.nn.GRU, 100, 32, 512),
}
alone = {
    "cast_float32_float16_64M": of(lambda x: x.to(torch.float16), (M64,)),
    "cast_float32_int8_64M": of(lambda x: x.to(torch.int8), (M64,)),
}


def captured(function):
    """Ten runs in a graph, or one by one where they cannot be captured."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            function()
    torch.cuda.synchronize()
    try:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(10):
                function()
        return graph.replay, 10
    except RuntimeError:
        torch.cuda.synchronize()
        return function, 1


def milliseconds(function):
    run, runs = captured(function)
    run()
    times = []
    for _ in range(7):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(10 // runs):
            run()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / 10)
    return statistics.median(times)


def all_cases():
    for name, make in cases.items():
        for word, t in types.items():
            yield f"{name}_{word}", make, t
    for name, make in alone.items():
        yield name, make, torch.float32


def main():
    arguments = [a for a in sys.argv[1:] if a != "--tf32"]
    tf32 = "--tf32" in sys.argv
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cudnn.benchmark = True
    ours = {}
    if arguments:
        with open(arguments[0]) as file:
            ours = {c["case"]: c["ms"].get("ours") for c in json.load(file)["cases"]}
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}, float32 {'as TF32' if tf32 else 'exact'}")
    print(f"{'case':44} {'theirs':>9} {'ours':>9} ratio")
    logarithms = []
    with torch.inference_mode():
        for name, make, t in all_cases():
            try:
                time = milliseconds(make(t))
            except Exception as problem:  # one that PyTorch lacks must not end the others
                print(f"{name:44} {str(problem).splitlines()[0][:60]}")
                continue
            torch.cuda.empty_cache()
            our = ours.get(name)
            print(f"{name:44} {time:9.4f} " + (f"{our:9.4f} {time / our:5.2f}" if our else ""), flush=True)
            logarithms += [math.log(time / our)] if our else []
    if logarithms:
        print(f"geometric mean of {len(logarithms)} ratios: {math.exp(statistics.mean(logarithms)):.3f}")


if __name__ == "__main__":
    main()
