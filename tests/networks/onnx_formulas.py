"""What ONNX's text says of operators that ONNX Runtime is known to compute otherwise, in numpy and as
plainly as possible. onnx_judge.py writes these values as the second formula of a model.
"""
import itertools

import numpy as np


# ---- Windows

def same_pads(sizes, reach, strides, upper):
    """The pads of auto_pad SAME: as many outputs as the size over the stride, rounded up."""
    begin, end = [], []
    for size, r, s in zip(sizes, reach, strides):
        total = max(0, (-(-size // s) - 1) * s + r - size)
        begin.append(total // 2 if upper else total - total // 2)
        end.append(total - begin[-1])
    return begin + end


def count_windows(size, begin, end, reach, stride, ceil):
    """With ceil_mode the last window may reach beyond the end and must not begin in the padding there."""
    rest = size + begin + end - reach
    count = (-(-rest // stride) if ceil else rest // stride) + 1
    if ceil and (count - 1) * stride >= size + begin:
        count -= 1
    return count


def pool(x, kind, kernel, strides, dilations, pads, ceil, include=False, p=2):
    """MaxPool, AveragePool and LpPool over the last dimensions of [N, C, ...]."""
    dims = len(kernel)
    sizes = x.shape[2:]
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    counts = [count_windows(sizes[i], pads[i], pads[i + dims], reach[i], strides[i], ceil) for i in range(dims)]
    y = np.zeros(x.shape[:2] + tuple(counts), x.dtype)
    for place in itertools.product(*[range(c) for c in counts]):
        inside, counted = [], 0
        for tap in itertools.product(*[range(k) for k in kernel]):
            at = [place[i] * strides[i] + tap[i] * dilations[i] - pads[i] for i in range(dims)]
            counted += all(-pads[i] <= at[i] < sizes[i] + pads[i + dims] for i in range(dims))
            if all(0 <= at[i] < sizes[i] for i in range(dims)):
                inside.append(x[(slice(None), slice(None)) + tuple(at)])
        y[(slice(None), slice(None)) + place] = pooled(x, kind, inside, counted if include else len(inside), p)
    return y


def pooled(x, kind, inside, counted, p):
    if kind == "MaxPool":
        least = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else -np.inf
        return np.max(inside, 0) if inside else least
    wide = np.array(inside, np.float64) if inside else np.zeros((1,) + x.shape[:2])
    if kind == "LpPool":
        return np.sum(np.abs(wide) ** p, 0) ** (1 / p)
    return np.sum(wide, 0) / max(counted, 1)  # 0 where the padding is all there is


def conv_transpose(x, w, bias, strides, dilations, groups, added, auto, pads, shape):
    """auto_pad SAME makes the output input times stride, cutting off or adding zeros."""
    dims = x.ndim - 2
    sizes, kernel, outs = x.shape[2:], w.shape[2:], w.shape[1]
    full = [strides[i] * (sizes[i] - 1) + added[i] + (kernel[i] - 1) * dilations[i] + 1 for i in range(dims)]
    y = np.zeros((x.shape[0], outs * groups) + tuple(full), np.float64)
    each = x.shape[1] // groups
    for g in range(groups):
        mine = x[:, g * each:(g + 1) * each].astype(np.float64)
        for tap in itertools.product(*[range(k) for k in kernel]):
            part = np.einsum("nc...,co->no...", mine, w[(slice(g * each, (g + 1) * each), slice(None)) + tap])
            where = tuple(slice(tap[i] * dilations[i], tap[i] * dilations[i] + strides[i] * (sizes[i] - 1) + 1,
                                strides[i]) for i in range(dims))
            y[(slice(None), slice(g * outs, (g + 1) * outs)) + where] += part
    if auto.startswith("SAME"):
        shape = shape or [s * n for s, n in zip(strides, sizes)]
    for i in range(dims):
        cut = [pads[i], pads[i + dims]]
        if shape:
            total = full[i] - shape[i]
            half = max(0, total) // 2  # more than the kernels reach is added at the end
            cut = [half, total - half] if auto == "SAME_UPPER" else [max(0, total) - half, min(0, total) + half]
        y = cropped(y, i + 2, cut[0], cut[1])
    return y if bias is None else y + bias.reshape([-1] + [1] * dims)


def cropped(y, axis, begin, end):
    """Takes elements away at both ends, or adds zeros where the counts are negative."""
    more = [(0, 0)] * y.ndim
    more[axis] = (max(0, -begin), max(0, -end))
    y = np.pad(y, more)
    return np.take(y, range(max(0, begin), y.shape[axis] - max(0, end)), axis)


def col2im(x, image, block, strides, dilations, pads):
    dims = len(image)
    channels = x.shape[1] // int(np.prod(block))
    counts = [(image[i] + pads[i] + pads[i + dims] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1
              for i in range(dims)]
    columns = x.reshape([x.shape[0], channels] + list(block) + counts)
    y = np.zeros([x.shape[0], channels] + list(image), np.float64)
    for tap in itertools.product(*[range(k) for k in block]):
        for place in itertools.product(*[range(k) for k in counts]):
            at = [place[i] * strides[i] + tap[i] * dilations[i] - pads[i] for i in range(dims)]
            if all(0 <= at[i] < image[i] for i in range(dims)):
                y[(slice(None), slice(None)) + tuple(at)] += columns[(slice(None), slice(None)) + tap + place]
    return y


# ---- Sampling

def affine_grid(theta, size, align):
    """Each place of the grid as coordinates from -1 to 1, the last axis first, times theta."""
    ranges = []
    for n in size[2:]:
        ranges.append(np.linspace(-1, 1, n) if align else (2 * np.arange(n) + 1) / n - 1)
    places = np.stack(np.meshgrid(*ranges, indexing="ij")[::-1] + [np.ones(size[2:])], -1)
    return np.einsum("...k,nik->n...i", places, theta.astype(np.float64))


def crop_coordinate(i, size, out, start, end):
    """That of tf_crop_and_resize; that of the last place is exact."""
    if out == 1:
        return 0.5 * (start + end) * (size - 1)
    return (start * (out - 1 - i) + end * i) * (size - 1) / (out - 1)


def crop_coordinate_float32(i, size, out, start, end):
    """The same as ONNX Runtime has it, each step rounded to float32."""
    f = np.float32
    if out == 1:
        return 0.5 * (float(start) + float(end)) * (size - 1)
    return f(f(start) * f(size - 1)) + f(f(f(f(i) * (f(end) - f(start))) * f(size - 1)) / f(out - 1))


def crop_is_rounded(size, out, start, end, mode):
    """Is another element nearest, or another place outside, if steps are rounded to float32?"""
    for i in range(out):
        ours, theirs = (place(i, size, out, start, end) for place in (crop_coordinate, crop_coordinate_float32))
        if nearest(mode, ours) != nearest(mode, theirs) or (0 <= ours <= size - 1) != (0 <= theirs <= size - 1):
            return True
    return False


def meant(quotient):
    """Scales are the float32 next to a ratio: so is the place next to the one that is meant."""
    return float(np.float32(quotient))


def quantize(x, scale, zero, axis, block, type, numpy_types):
    """x / scale of float32, rounded to the nearest even, and the zero point, saturated; `block`: 0, or how many
    elements along the axis have one scale."""
    def spread(values):
        if block:
            return np.take(values, np.arange(x.shape[axis]) // block, axis)
        return values.reshape([-1 if d == axis % x.ndim else 1 for d in range(x.ndim)]) if values.ndim else values
    info = np.iinfo(numpy_types[type])
    y = np.rint(x.astype(np.float32) / spread(scale)).astype(np.float64)
    y = y + (spread(zero).astype(np.float64) if zero is not None else 0)
    return np.clip(y, info.min, info.max).astype(numpy_types[type])


def coordinate(mode, i, size, out, scale, start, end):
    """Where place i of an output is in its input (the table of Resize's coordinate_transformation_mode)."""
    length, scale = out if abs(scale * size - out) < 1e-4 else scale * size, float(scale)
    if mode == "asymmetric":
        return meant(i / scale)
    if mode == "align_corners":
        return meant(i * (size - 1) / (length - 1)) if length != 1 else 0.0
    if mode == "pytorch_half_pixel":
        return meant((i + 0.5) / scale) - 0.5 if out > 1 else 0.0
    if mode == "tf_half_pixel_for_nn":
        return meant((i + 0.5) / scale)
    if mode == "tf_crop_and_resize":
        return crop_coordinate(i, size, out, float(start), float(end))
    if mode == "half_pixel_symmetric":  # the centres lie on each other, whatever the scale
        return meant((i + 0.5 - out / 2) / scale) + size / 2 - 0.5
    return meant((i + 0.5) / scale) - 0.5


def nearest(mode, at):
    low = np.floor(at)
    if mode == "floor":
        return low
    if mode == "ceil":
        return np.ceil(at)
    half = at - low == 0.5
    return low + (half and mode == "round_prefer_ceil" or at - low > 0.5)


def cubic(distance, a):
    x = abs(distance)
    if x <= 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a if x < 2 else 0.0


def weights(size, out, scale, attributes, start=0.0, end=1.0):
    """One axis of Resize as a matrix [out, size], and which places are outside of the input."""
    kind = attributes.get("mode", "nearest")
    transformation = attributes.get("coordinate_transformation_mode", "half_pixel")
    matrix, outside = np.zeros([out, size]), np.zeros([out], bool)
    for i in range(out):
        at = coordinate(transformation, i, size, out, scale, start, end)
        outside[i] = at < 0 or at > size - 1
        low = int(np.floor(at))
        if kind == "nearest":
            taps = [(int(nearest(attributes.get("nearest_mode", "round_prefer_floor"), at)), 1.0)]
        elif kind == "linear":
            taps = [(low, 1 - (at - low)), (low + 1, at - low)]
        else:
            a = attributes.get("cubic_coeff_a", -0.75)
            taps = [(low + k, cubic(at - low - k, a)) for k in (-1, 0, 1, 2)]
            if attributes.get("exclude_outside"):
                taps = [(k, v if 0 <= k < size else 0.0) for k, v in taps]
                whole = sum(v for _, v in taps)
                taps = [(k, v / whole) for k, v in taps]
        for k, v in taps:
            matrix[i, min(max(k, 0), size - 1)] += v
    return matrix, outside


def resize(x, axes, outs, scales, attributes, roi=None):
    """Resize without antialias: its axes one after another."""
    y, beyond = x.astype(np.float64), np.zeros([1] * x.ndim, bool)
    for i, axis in enumerate(axes):
        region = (roi[i], roi[i + len(axes)]) if roi is not None else (0.0, 1.0)
        matrix, outside = weights(x.shape[axis], outs[i], scales[i], attributes, *region)
        if attributes.get("mode", "nearest") == "nearest":  # no product: infinities stay
            y = np.take(y, np.argmax(matrix, 1), axis)
        else:
            y = np.moveaxis(np.tensordot(matrix, y, (1, axis)), 0, axis)
        beyond = beyond | outside.reshape([-1 if k == axis else 1 for k in range(x.ndim)])
    if attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        y = np.where(beyond, attributes.get("extrapolation_value", 0.0), y)
    return y


# ---- Recurrent networks and attention

ACTIVATIONS = {
    "Relu": lambda x, a, b: np.maximum(x, 0), "Tanh": lambda x, a, b: np.tanh(x),
    "Sigmoid": lambda x, a, b: 1 / (1 + np.exp(-x)),
    "LeakyRelu": lambda x, a, b: np.where(x < 0, (0.01 if a is None else a) * x, x),
    "ThresholdedRelu": lambda x, a, b: np.where(x > (1.0 if a is None else a), x, 0),
    "HardSigmoid": lambda x, a, b: np.clip((0.2 if a is None else a) * x + (0.5 if b is None else b), 0, 1),
    "Elu": lambda x, a, b: np.where(x < 0, (1.0 if a is None else a) * np.expm1(x), x),
    "Softsign": lambda x, a, b: x / (1 + np.abs(x)), "Softplus": lambda x, a, b: np.log1p(np.exp(x)),
    "Affine": lambda x, a, b: a * x + b, "ScaledTanh": lambda x, a, b: a * np.tanh(b * x)}
WITH_ALPHA = ("LeakyRelu", "ThresholdedRelu", "HardSigmoid", "Elu", "Affine", "ScaledTanh")
WITH_BETA = ("HardSigmoid", "Affine", "ScaledTanh")


def lstm(x, w, r, bias, lengths, h, c, peepholes, attributes):
    """Layout 0; every activation's input is clipped. Gives Y [T, D, B, H], Y_h and Y_c [D, B, H]."""
    steps, batch = x.shape[:2]
    directions, size = w.shape[0], attributes["hidden_size"]
    names = attributes.get("activations", ["Sigmoid", "Tanh", "Tanh"] * directions)
    alpha, beta = attributes.get("activation_alpha", []), attributes.get("activation_beta", [])
    clip = attributes.get("clip", np.inf)
    lengths = np.full([batch], steps) if lengths is None else lengths
    y = np.zeros([steps, directions, batch, size])
    last_h, last_c = np.zeros([2, directions, batch, size])

    def act(which, value):  # functions take from the lists in their order, those that have no alpha nothing
        a, b = [list_[before] if before < len(list_) else None for list_, before in (
            (alpha, sum(name in WITH_ALPHA for name in names[:which])),
            (beta, sum(name in WITH_BETA for name in names[:which])))]
        return ACTIVATIONS[names[which]](np.clip(value, -clip, clip), a, b)
    for d in range(directions):
        backwards = d == 1 or attributes.get("direction") == "reverse"
        add = np.zeros([4 * size]) if bias is None else bias[d, :4 * size] + bias[d, 4 * size:]
        pi, po, pf = np.zeros([3, size]) if peepholes is None else peepholes[d].reshape(3, size)
        for n in range(batch):
            ht = np.zeros([size]) if h is None else h[d, n].astype(np.float64)
            ct = np.zeros([size]) if c is None else c[d, n].astype(np.float64)
            order = range(lengths[n])[::-1] if backwards else range(lengths[n])
            for t in order:
                i, o, f, g = np.split(w[d].astype(np.float64) @ x[t, n] + r[d].astype(np.float64) @ ht + add, 4)
                i = act(3 * d, i + pi * ct)
                f = 1 - i if attributes.get("input_forget") else act(3 * d, f + pf * ct)
                ct = f * ct + i * act(3 * d + 1, g)
                ht = act(3 * d, o + po * ct) * act(3 * d + 2, ct)
                y[t, d, n] = ht
            last_h[d, n], last_c[d, n] = ht, ct
    return y, last_h, last_c


def attention(q, k, v, mask, past_k, past_v, attributes, used=None):
    """Attention of [B, heads, S, D]; the causal mask counts from the end of the past. Gives Y, both
    presents and the scores that qk_matmul_output_mode names."""
    q, k, v = [a.astype(np.float64) for a in (q, k, v)]
    past = 0
    if past_k is not None:
        past = past_k.shape[2]
        k, v = np.concatenate([past_k, k], 2), np.concatenate([past_v, v], 2)
    share = q.shape[1] // k.shape[1]
    wide_k, wide_v = np.repeat(k, share, 1), np.repeat(v, share, 1)
    scale = attributes.get("scale", 1 / np.sqrt(q.shape[3]))
    raw = np.einsum("bhsd,bhtd->bhst", q, wide_k) * scale
    added = np.zeros(raw.shape)
    if mask is not None:
        added = added + (np.where(mask, 0, -np.inf) if mask.dtype == np.bool_ else mask)
    s, t = np.indices(raw.shape[2:])
    if attributes.get("is_causal"):
        offset = past if used is None else used.reshape(-1, 1, 1, 1) - q.shape[2]
        added = added + np.where(t > s + offset, -np.inf, 0)
    if used is not None:
        added = added + np.where(t >= used.reshape(-1, 1, 1, 1), -np.inf, 0)
    cap = attributes.get("softcap", 0.0)
    capped = cap * np.tanh(raw / cap) if cap else raw
    masked = capped + added
    with np.errstate(invalid="ignore"):
        shares = np.exp(masked - np.max(masked, -1, keepdims=True))
        shares = np.nan_to_num(shares / np.sum(shares, -1, keepdims=True))  # 0 where no key is seen
    y = np.einsum("bhst,bhtd->bhsd", shares, wide_v)
    return y, k, v, (raw, capped, masked, shares)
