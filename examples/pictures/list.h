/* The pictures: file, layout, title, then examples and their captions. */
PICTURE("conv2d", windows, "conv2d: which elements of x each element of y has read, with which tap",
        "conv2d", "padding 1, strides 2, dilations 2; the ring is padding, taps there (dashed) are left out")
PICTURE("conv2d_groups", strips, "conv2d with groups: each channel of y sees the channels of its group",
        "conv2d_groups", "one pixel, 6 channels in 2 groups, 4 channels of y; the filter is 1 x 1")
PICTURE("convTranspose2d", stamps, "convTranspose2d: each element of x stamps the filter, stamps add up",
        "convTranspose2d",
        "padding 1, strides 2, outputPadding 1; what falls on the ring (dashed) is cut off")
PICTURE("pool2d", strips, "Pools: the last window, rounded down and up",
        "pool_floor", "averagePool2d of 1 x 8, windows of 3, strides 3, outputShapeRounding floor",
        "pool_ceil", "the same with ceil: the last window reaches beyond, the mean is of what is there",
        "pool_nothing", "l2Pool2d of 1 x 4, windows of 2, strides 4, padding 1 at the end, ceil: a window of nothing")
PICTURE("pad", links, "pad by 3 on both sides: where each element comes from",
        "pad_constant", "constant, value 9", "pad_edge", "edge",
        "pad_reflection", "reflection: the end is not repeated",
        "pad_symmetric", "symmetric: the end is repeated")
PICTURE("gather", slices, "gather: each index names a slice",
        "gather_rows", "axis 0: an index names a row", "gather_columns", "axis 1: an index names a column")
PICTURE("gatherElements", slices, "gatherElements: each index names one element of its own column",
        "gatherElements", "axis 0: the index replaces the row, the column stays")
PICTURE("gatherND", slices, "gatherND: each row of indices is an address",
        "gatherND", "two coordinates: a row of x", "gatherND_elements", "three coordinates: an element")
PICTURE("scatterElements", updates, "scatterElements: updates in turn, the last stays",
        "scatterElements", "axis 0; crossed out: overwritten by a later update")
PICTURE("scatterND", updates, "scatterND: each row of indices says where a slice goes",
        "scatterND", "crossed out: overwritten by a later update")
PICTURE("resample2d", rulers, "resample2d: elements have width, and are compared at their middles",
        "resample_linear", "linear, 2 to 4: by how much each neighbour counts",
        "resample_nearest", "nearest-neighbor, 3 to 6",
        "resample_tie", "nearest-neighbor, 4 to 2: of two that are as near, the lower")
PICTURE("transpose", threads, "transpose, reshape, expand: the thread is the order in memory",
        "transpose", "transpose", "reshape", "reshape to 3 x 2", "expand", "expand to 3 x 3: rows are repeated",
        "triangular", "triangular, upper: the rest is 0")
PICTURE("concat", threads, "concat and split: parts of a whole", "concat", "concat, axis 1", "split",
        "split into 1 and 2 columns")
PICTURE("slice", links, "slice, reverse and tile along a row: where each element comes from", "slice", "slice: starts 1, sizes 5, strides 2",
        "reverse", "reverse", "tile", "tile, twice")
PICTURE("cumulativeSum", strips, "cumulativeSum: what each result adds up", "cumsum", "as it is",
        "cumsum_exclusive", "exclusive: without the element itself", "cumsum_reversed", "reversed: from the end")
PICTURE("reduce", groups, "Reductions: elements with the same letter become one",
        "reduce_0", "reduceSum, axes 0", "reduce_1", "axes 1", "reduce_both", "axes 0 and 1")
PICTURE("argMin", groups, "argMin: the first position of the smallest among those with the same letter",
        "argmin_0", "axis 0", "argmin_1", "axis 1")
PICTURE("softmax", groups, "softmax: results with the same letter add up to 1", "softmax_0", "axis 0",
        "softmax_1", "axis 1")
PICTURE("quantizeLinear", groups, "quantizeLinear, dequantizeLinear: elements with the same letter share a scale",
        "quant_row", "one scale for each row", "quant_block", "blocks of two elements",
        "dequant", "dequantizeLinear, one scale for all")
PICTURE("normalization", blocks, "Normalizations: elements with the same letter share mean and variance",
        "batch", "batchNormalization: given, one for each channel", "instance", "instanceNormalization: of an image's channel",
        "layer", "layerNormalization, axes 1, 2, 3: of an image")
PICTURE("matmul", products, "matmul: a row, a column, an element", "matmul", "the last element of y: the row of a times the column of b")
PICTURE("gemm", products, "gemm: alpha a b + beta c", "gemm", "alpha 2, beta 1, c is a row that serves all rows of y")
PICTURE("gruCell", chains, "gruCell: two gates, a candidate, the new state",
        "gruCell", "one hidden unit, x = 1, h = 0.5; resetAfter true")
PICTURE("lstmCell", chains, "lstmCell: three gates, a candidate, the new cell state, the new hidden state",
        "lstmCell", "one hidden unit, x = 1, h = 0.5, c = 2")
PICTURE("gru", recurrences, "gru: the same cell at each step; lstm goes the same way",
        "gru_both", "direction both, three steps, one hidden unit: what each state was made from")
PICTURE("curves", curves, "y for x from -4 to 4, as computed; the axes cross at 0, y reaches from -2.2 to 2.2",
        "curve_abs", "curve_ceil", "curve_cos", "curve_elu", "curve_erf", "curve_exp", "curve_floor", "curve_gelu", "curve_hardSigmoid", "curve_hardSwish", "curve_leakyRelu", "curve_linear", "curve_log", "curve_reciprocal", "curve_relu", "curve_roundEven", "curve_sigmoid", "curve_sign", "curve_sin", "curve_softplus", "curve_softsign", "curve_sqrt", "curve_tan", "curve_tanh")
