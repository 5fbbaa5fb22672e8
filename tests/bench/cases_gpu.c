/* cases_gpu.c - the table of single operators for a GPU: none takes less than some ten microseconds there. */
#include "bench.h"

#include <math.h>

#define F32 WEBNN_FLOAT32
#define F16 WEBNN_FLOAT16

static webnn_data_type type_of(const uint32_t *p) {
  return (webnn_data_type)p[0];
}

/* ---- Products: type first ------------------------------------------------------------------------
 */

/* batches, rows, inner, columns. */
static void build_product(graph *g, const uint32_t *p) {
  value a = input(g, type_of(p), SHAPE(p[1], p[2], p[3]), -1, 1);
  output(g, matmul(g, a, input(g, type_of(p), SHAPE(p[1], p[3], p[4]), -1, 1)));
}

/* rows, inputs, outputs: constant weights and a bias. */
static void build_linear(graph *g, const uint32_t *p) {
  value x = input(g, type_of(p), SHAPE(p[1], p[2]), -1, 1);
  value w = weight(g, type_of(p), SHAPE(p[2], p[3]), -1, 1);
  output(g, gemm(g, x, w, weight(g, type_of(p), SHAPE(p[3]), -1, 1), false));
}

/* rows, inputs, outputs: int8 weights with a scale for each output. */
static void build_packed_linear(graph *g, const uint32_t *p) {
  value w = int8_weight(g, SHAPE(p[2], p[3]));
  value scale = weight(g, type_of(p), SHAPE(p[3]), 0.01, 0.02);
  value zero = constant(g, WEBNN_INT8, SHAPE(p[3]), 0);
  value x = input(g, type_of(p), SHAPE(p[1], p[2]), -1, 1);
  output(g, matmul(g, x, dequantize(g, w, scale, zero, 1)));
}

static value bytes_as_floats(graph *g, value x, webnn_data_type type, double scale) {
  return dequantize(g, x, scalar(g, scale), constant(g, type, (shape){0, {0}}, 0), 0);
}

/* rows, inputs, outputs: uint8 by int8 to uint8. */
static void build_bytes(graph *g, const uint32_t *p) {
  value x = input(g, WEBNN_UINT8, SHAPE(p[1], p[2]), 0, 255);
  value w = int8_weight(g, SHAPE(p[2], p[3]));
  value y =
      matmul(g, bytes_as_floats(g, x, WEBNN_UINT8, 0.02), bytes_as_floats(g, w, WEBNN_INT8, 0.01));
  double largest = 0.02 * 255 * 0.01 * LARGEST_INT8_WEIGHT * sqrt(p[2]);
  output(g,
         quantize(g, y, scalar(g, largest / 255), constant(g, WEBNN_UINT8, (shape){0, {0}}, 128)));
}

/* batches, heads, queries, keys, depth. */
static void build_attention(graph *g, const uint32_t *p) {
  value q = input(g, type_of(p), SHAPE(p[1], p[2], p[3], p[5]), -1, 1);
  value k = input(g, type_of(p), SHAPE(p[1], p[2], p[4], p[5]), -1, 1);
  value v = input(g, type_of(p), SHAPE(p[1], p[2], p[4], p[5]), -1, 1);
  value scale = constant(g, type_of(p), (shape){0, {0}}, sqrt(p[5]));
  value scores = binary(g, DIV, matmul(g, q, transpose(g, k, SHAPE(0, 1, 3, 2))), scale);
  output(g, matmul(g, softmax(g, scores, 3), v));
}

/* channels in, out, size of the image, of the filter, stride, groups, nhwc: 32 images. */
static void build_conv(graph *g, const uint32_t *p) {
  bool nhwc = p[7] != 0;
  shape s = nhwc ? SHAPE(32, p[3], p[3], p[1]) : SHAPE(32, p[1], p[3], p[3]);
  value x = input(g, type_of(p), s, -1, 1);
  uint32_t groups = p[6];
  value w = weight(g, type_of(p), SHAPE(p[2], p[1] / groups, p[4], p[4]), -1, 1);
  value bias = weight(g, type_of(p), SHAPE(p[2]), -1, 1);
  output(g, conv2d(g, x, w, bias, (window){p[5], p[4] / 2, groups, 0, nhwc}));
}

/* ---- What memory limits --------------------------------------------------------------------------
 */

/* operation, elements. */
static void build_unary(graph *g, const uint32_t *p) {
  output(g, unary(g, (operation)p[1], input(g, type_of(p), SHAPE(p[2]), -4, 4)));
}

static void build_add(graph *g, const uint32_t *p) {
  value a = input(g, type_of(p), SHAPE(p[1]), -4, 4);
  output(g, binary(g, ADD, a, input(g, type_of(p), SHAPE(p[1]), -4, 4)));
}

/* rows, columns: a number for each column. */
static void build_bias(graph *g, const uint32_t *p) {
  value a = input(g, type_of(p), SHAPE(p[1], p[2]), -4, 4);
  output(g, binary(g, ADD, a, input(g, type_of(p), SHAPE(p[2]), -4, 4)));
}

/* to, elements. */
static void build_cast(graph *g, const uint32_t *p) {
  output(g, cast(g, input(g, type_of(p), SHAPE(p[2]), -100, 100), (webnn_data_type)p[1]));
}

/* three dimensions, three of the permutation. */
static void build_transpose(graph *g, const uint32_t *p) {
  value x = input(g, type_of(p), SHAPE(p[1], p[2], p[3]), -1, 1);
  output(g, transpose(g, x, SHAPE(p[4], p[5], p[6])));
}

/* batches, tokens, heads, depth: tokens and heads exchanged. */
static void build_heads(graph *g, const uint32_t *p) {
  value x = input(g, type_of(p), SHAPE(p[1], p[2], p[3], p[4]), -1, 1);
  output(g, transpose(g, x, SHAPE(0, 2, 1, 3)));
}

/* rows, columns. */
static void build_softmax(graph *g, const uint32_t *p) {
  output(g, softmax(g, input(g, type_of(p), SHAPE(p[1], p[2]), -4, 4), 1));
}

static void build_layer_normalization(graph *g, const uint32_t *p) {
  value x = input(g, type_of(p), SHAPE(p[1], p[2]), -4, 4);
  value scale = weight(g, type_of(p), SHAPE(p[2]), 0.5, 1.5);
  output(g, layer_normalization(g, x, scale, weight(g, type_of(p), SHAPE(p[2]), -1, 1)));
}

/* rows, columns, axis. */
static void build_sum(graph *g, const uint32_t *p) {
  output(g,
         reduce(g, REDUCE_SUM, input(g, type_of(p), SHAPE(p[1], p[2]), 0, 1), SHAPE(p[3]), true));
}

static void build_cumulative_sum(graph *g, const uint32_t *p) {
  output(g, cumulative_sum(g, input(g, type_of(p), SHAPE(p[1], p[2]), 0, 1), p[3]));
}

/* rows of the table, columns, rows taken. */
static void build_gather(graph *g, const uint32_t *p) {
  value table = input(g, type_of(p), SHAPE(p[1], p[2]), -1, 1);
  output(g, gather(g, table, input(g, WEBNN_INT64, SHAPE(p[3]), 0, p[1] - 1.0), 0));
}

/* rows, columns, axis. */
static void build_concat(graph *g, const uint32_t *p) {
  value a = input(g, type_of(p), SHAPE(p[1], p[2]), -1, 1);
  output(g, concat(g, a, input(g, type_of(p), SHAPE(p[1], p[2]), -1, 1), p[3]));
}

/* operation, channels, size, window, stride, padding: 32 images. */
static void build_pool(graph *g, const uint32_t *p) {
  value x = input(g, type_of(p), SHAPE(32, p[2], p[3], p[3]), -1, 1);
  output(g, pool(g, (operation)p[1], x, (window){p[5], p[6], 1, p[4], false}));
}

/* channels, size: 32 images, twice as large, bilinear. */
static void build_resample(graph *g, const uint32_t *p) {
  output(g, resample(g, input(g, type_of(p), SHAPE(32, p[1], p[2], p[2]), -1, 1), 2, true, false));
}

/* operation, steps, batch, units. */
static void build_recurrent(graph *g, const uint32_t *p) {
  uint32_t gates = p[1] == LSTM ? 4 : 3, units = p[4];
  double size = 1.0 / 16;
  value x = input(g, type_of(p), SHAPE(p[2], p[3], units), -1, 1);
  value w = weight(g, type_of(p), SHAPE(1, gates * units, units), -size, size);
  value r = weight(g, type_of(p), SHAPE(1, gates * units, units), -size, size);
  value b = weight(g, type_of(p), SHAPE(1, gates * units), -size, size);
  value rb = weight(g, type_of(p), SHAPE(1, gates * units), -size, size);
  output(g, recurrent(g, (operation)p[1], x, w, r, b, rb));
}

/* ---- The table ---------------------------------------------------------------------------------
 */

#define M64 (1u << 26)
/* In both types of floats. */
#define BOTH(group, name, build, ...)                                                              \
  {group, name "_float32", build, {F32, __VA_ARGS__}, 0, 0},                                       \
      {group, name "_float16", build, {F16, __VA_ARGS__}, 2e-3, 0},

/* clang-format off */
const bench_case gpu_cases[] = {
    BOTH("gpu-product", "matmul_1024", build_product, 1, 1024, 1024, 1024)
    BOTH("gpu-product", "matmul_4096", build_product, 1, 4096, 4096, 4096)
    BOTH("gpu-product", "matmul_8192", build_product, 1, 8192, 8192, 8192)
    BOTH("gpu-product", "matmul_96x512x64x512", build_product, 96, 512, 64, 512)
    BOTH("gpu-product", "linear_128x768x3072", build_linear, 128, 768, 3072)
    BOTH("gpu-product", "linear_512x4096x4096", build_linear, 512, 4096, 4096)
    BOTH("gpu-product", "linear_8x4096x4096", build_linear, 8, 4096, 4096)
    BOTH("gpu-product", "linear_1x4096x16384", build_linear, 1, 4096, 16384)
    BOTH("gpu-product", "int8_weights_1x4096x16384", build_packed_linear, 1, 4096, 16384)
    BOTH("gpu-product", "int8_weights_512x4096x4096", build_packed_linear, 512, 4096, 4096)
    {"gpu-product", "bytes_4096", build_bytes, {0, 4096, 4096, 4096}, 0, 0},
    BOTH("gpu-attention", "attention_8x12x512x64", build_attention, 8, 12, 512, 512, 64)
    BOTH("gpu-attention", "attention_1x32x4096x128", build_attention, 1, 32, 4096, 4096, 128)
    BOTH("gpu-attention", "attention_8x32x1x4096x128", build_attention, 8, 32, 1, 4096, 128)
    BOTH("gpu-conv", "3x3_64@56_nchw", build_conv, 64, 64, 56, 3, 1, 1, 0)
    BOTH("gpu-conv", "3x3_64@56_nhwc", build_conv, 64, 64, 56, 3, 1, 1, 1)
    BOTH("gpu-conv", "3x3_256@14_nhwc", build_conv, 256, 256, 14, 3, 1, 1, 1)
    BOTH("gpu-conv", "1x1_256-64@56_nhwc", build_conv, 256, 64, 56, 1, 1, 1, 1)
    BOTH("gpu-conv", "7x7s2_3-64@224_nchw", build_conv, 3, 64, 224, 7, 2, 1, 0)
    BOTH("gpu-conv", "dw3x3_144@56_nchw", build_conv, 144, 144, 56, 3, 1, 144, 0)
    BOTH("gpu-conv", "dw3x3_144@56_nhwc", build_conv, 144, 144, 56, 3, 1, 144, 1)
    BOTH("gpu-map", "add_64M", build_add, M64)
    BOTH("gpu-map", "relu_64M", build_unary, RELU, M64)
    BOTH("gpu-map", "gelu_64M", build_unary, GELU, M64)
    BOTH("gpu-map", "tanh_64M", build_unary, TANH, M64)
    BOTH("gpu-map", "exp_64M", build_unary, EXP, M64)
    BOTH("gpu-map", "bias_8192x8192", build_bias, 8192, 8192)
    {"gpu-map", "cast_float32_float16_64M", build_cast, {F32, F16, M64}, 2e-3, 0},
    {"gpu-map", "cast_float32_int8_64M", build_cast, {F32, WEBNN_INT8, M64}, 1, 0},
    BOTH("gpu-move", "transpose_8192x8192", build_transpose, 1, 8192, 8192, 0, 2, 1)
    BOTH("gpu-move", "transpose_32x64x12544", build_transpose, 32, 64, 12544, 0, 2, 1)
    BOTH("gpu-move", "heads_32x512x16x64", build_heads, 32, 512, 16, 64)
    BOTH("gpu-move", "gather_50000x1024_rows_32768", build_gather, 50000, 1024, 32768)
    BOTH("gpu-move", "concat_8192x4096_inner", build_concat, 8192, 4096, 1)
    BOTH("gpu-rows", "softmax_8192x4096", build_softmax, 8192, 4096)
    BOTH("gpu-rows", "softmax_262144x128", build_softmax, 262144, 128)
    BOTH("gpu-rows", "layer_normalization_32768x1024", build_layer_normalization, 32768, 1024)
    BOTH("gpu-rows", "sum_8192x8192_rows", build_sum, 8192, 8192, 1)
    BOTH("gpu-rows", "sum_8192x8192_columns", build_sum, 8192, 8192, 0)
    BOTH("gpu-rows", "cumulative_sum_8192x4096_rows", build_cumulative_sum, 8192, 4096, 1)
    BOTH("gpu-rows", "cumulative_sum_8192x4096_columns", build_cumulative_sum, 8192, 4096, 0)
    BOTH("gpu-window", "max_3x3s2_64@112", build_pool, MAX_POOL, 64, 112, 3, 2, 1)
    BOTH("gpu-window", "average_2x2s2_64@112", build_pool, AVERAGE_POOL, 64, 112, 2, 2, 0)
    BOTH("gpu-window", "resize2x_64@112", build_resample, 64, 112)
    BOTH("gpu-recurrent", "lstm_100x1x128", build_recurrent, LSTM, 100, 1, 128)
    BOTH("gpu-recurrent", "lstm_100x32x512", build_recurrent, LSTM, 100, 32, 512)
    BOTH("gpu-recurrent", "gru_100x32x512", build_recurrent, GRU, 100, 32, 512)
    {"gpu-overhead", "one_add_of_16", build_add, {F32, 16}, 0, 0},
};
/* clang-format on */
const size_t gpu_case_count = sizeof gpu_cases / sizeof gpu_cases[0];
