/* cases.c - the table of single operators. */
#include "bench.h"

#define F32 WEBNN_FLOAT32

/* ---- Products ----------------------------------------------------------------------------------
 */

/* rows, inner, columns: both factors change from call to call. */
static void build_product(graph *g, const uint32_t *p) {
  value a = input(g, F32, SHAPE(p[0], p[1]), -1, 1), b = input(g, F32, SHAPE(p[1], p[2]), -1, 1);
  output(g, matmul(g, a, b));
}

/* rows, inner, columns: the left factor is stored by columns. */
static void build_transposed_product(graph *g, const uint32_t *p) {
  value a = input(g, F32, SHAPE(p[1], p[0]), -1, 1), b = input(g, F32, SHAPE(p[1], p[2]), -1, 1);
  output(g, gemm_of_transposed(g, a, b));
}

/* rows, inputs, outputs: constant weights and a bias. */
static void build_linear(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(p[0], p[1]), -1, 1);
  value w = weight(g, F32, SHAPE(p[1], p[2]), -1, 1), bias = weight(g, F32, SHAPE(p[2]), -1, 1);
  output(g, gemm(g, x, w, bias, false));
}

/* batches, rows, inner, columns. */
static void build_batched(graph *g, const uint32_t *p) {
  value a = input(g, F32, SHAPE(1, p[0], p[1], p[2]), -1, 1);
  value b = input(g, F32, SHAPE(1, p[0], p[2], p[3]), -1, 1);
  output(g, matmul(g, a, b));
}

/* rows, inputs, outputs in float16. */
static void build_half(graph *g, const uint32_t *p) {
  value x = input(g, WEBNN_FLOAT16, SHAPE(p[0], p[1]), -1, 1);
  output(g, matmul(g, x, weight(g, WEBNN_FLOAT16, SHAPE(p[1], p[2]), -1, 1)));
}

/* ---- Convolutions: channels in, out, size of the image, of the filter, stride, groups, nhwc -----
 */

/* An odd filter goes over the border, so that each pixel is the middle of a window; an even one
   cuts the image into patches. */
static void build_convolution(graph *g, const uint32_t *p, webnn_data_type type, uint32_t images) {
  bool nhwc = p[6] != 0;
  uint32_t padding = p[3] % 2 ? p[3] / 2 : 0;
  shape s = nhwc ? SHAPE(images, p[2], p[2], p[0]) : SHAPE(images, p[0], p[2], p[2]);
  value x = input(g, type, s, -1, 1);
  value w = weight(g, type, SHAPE(p[1], p[0] / p[5], p[3], p[3]), -1, 1);
  value bias = weight(g, type, SHAPE(p[1]), -1, 1);
  output(g, conv2d(g, x, w, bias, (window){p[4], padding, p[5], 0, nhwc}));
}

static void build_conv(graph *g, const uint32_t *p) {
  build_convolution(g, p, F32, 1);
}

static void build_conv_of_8(graph *g, const uint32_t *p) {
  build_convolution(g, p, F32, 8);
}

static void build_half_conv(graph *g, const uint32_t *p) {
  build_convolution(g, p, WEBNN_FLOAT16, 1);
}

/* channels in, out, size of the image, of the filter, stride, padding; nchw. */
static void build_transposed(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(1, p[0], p[2], p[2]), -1, 1);
  value w = weight(g, F32, SHAPE(p[0], p[1], p[3], p[3]), -1, 1);
  value bias = weight(g, F32, SHAPE(p[1]), -1, 1);
  output(g, conv_transpose2d(g, x, w, bias, (window){p[4], p[5], 1, 0, false}));
}

/* ---- Quantized: uint8 in and out, int8 weights, one scale each, no offsets ---------------------
 */

static value dequantized(graph *g, value x, webnn_data_type type, double scale) {
  return dequantize(g, x, scalar(g, scale), constant(g, type, (shape){0, {0}}, 0), 0);
}

/* Sums of `terms` products of random bytes have such a size that half of the range is used. */
static value quantized(graph *g, value x, uint32_t terms) {
  double size = 0.02 * 255 * 0.01 * LARGEST_INT8_WEIGHT, root = 1;
  while (root * root < terms)
    root++;
  value zero = constant(g, WEBNN_UINT8, (shape){0, {0}}, 0);
  return quantize(g, x, scalar(g, size * root / 255), zero);
}

static void build_int8_linear(graph *g, const uint32_t *p) {
  value x = input(g, WEBNN_UINT8, SHAPE(p[0], p[1]), 0, 255);
  value w = int8_weight(g, SHAPE(p[1], p[2]));
  value y = matmul(g, dequantized(g, x, WEBNN_UINT8, 0.02), dequantized(g, w, WEBNN_INT8, 0.01));
  output(g, quantized(g, y, p[1]));
}

static void build_int8_conv(graph *g, const uint32_t *p) {
  bool nhwc = p[6] != 0;
  shape s = nhwc ? SHAPE(1, p[2], p[2], p[0]) : SHAPE(1, p[0], p[2], p[2]);
  value x = input(g, WEBNN_UINT8, s, 0, 255);
  value w = int8_weight(g, SHAPE(p[1], p[0] / p[5], p[3], p[3]));
  value y = conv2d(g, dequantized(g, x, WEBNN_UINT8, 0.02), dequantized(g, w, WEBNN_INT8, 0.01),
                   NONE, (window){p[4], p[3] / 2, p[5], 0, nhwc});
  output(g, quantized(g, y, p[0] / p[5] * p[3] * p[3]));
}

/* rows, inputs, outputs, bits: float32 by constant weights of so many bits, as language models have
   them, with a scale for each block of 32 terms. */
static void build_packed(graph *g, const uint32_t *p) {
  webnn_data_type type = p[3] == 4 ? WEBNN_UINT4 : WEBNN_UINT8;
  double middle = p[3] == 4 ? 8 : 128;
  value x = input(g, F32, SHAPE(p[0], p[1]), -1, 1);
  value w = weight(g, type, SHAPE(p[2], p[1]), 0, 2 * middle - 1);
  value scale = weight(g, F32, SHAPE(p[2], p[1] / 32), 0.01 / middle, 0.02 / middle);
  value zero = constant(g, type, SHAPE(p[2], p[1] / 32), middle);
  output(g, gemm(g, x, dequantize(g, w, scale, zero, 1), NONE, true));
}

/* ---- Element by element ------------------------------------------------------------------------
 */

/* operation, elements. */
static void build_unary(graph *g, const uint32_t *p) {
  bool positive = p[0] == LOG || p[0] == SQRT;
  value x = input(g, F32, SHAPE(p[1]), positive ? 0.01 : -4, 4);
  output(g, unary(g, (operation)p[0], x));
}

/* x sigmoid(x), as exporters write it. */
static void build_silu(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(p[0]), -4, 4);
  output(g, binary(g, MUL, x, unary(g, SIGMOID, x)));
}

static void build_cast(graph *g, const uint32_t *p) {
  webnn_data_type from = (webnn_data_type)p[0];
  output(g, cast(g, input(g, from, SHAPE(p[2]), -1000, 1000), (webnn_data_type)p[1]));
}

static void build_binary(graph *g, const uint32_t *p) {
  value a = input(g, F32, SHAPE(p[1]), -4, 4), b = input(g, F32, SHAPE(p[1]), 1, 4);
  output(g, binary(g, (operation)p[0], a, b));
}

/* images, channels, pixels: a number for each channel. */
static void build_channel_add(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(p[0], p[1], p[2]), -4, 4);
  output(g, binary(g, ADD, x, input(g, F32, SHAPE(1, p[1], 1), -4, 4)));
}

/* How many additions of 16 numbers one after the other. */
static void build_chain(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(16), -1, 1), step = input(g, F32, SHAPE(16), -1, 1);
  for (uint32_t i = 0; i < p[0]; i++)
    x = binary(g, ADD, x, step);
  output(g, x);
}

/* ---- Rows, reductions, movement ----------------------------------------------------------------
 */

static void build_softmax(graph *g, const uint32_t *p) {
  output(g, softmax(g, input(g, F32, SHAPE(p[0], p[1], p[2]), -4, 4), 2));
}

static void build_layer_normalization(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(p[0], p[1]), -4, 4);
  value scale = weight(g, F32, SHAPE(p[1]), 0.5, 1.5), bias = weight(g, F32, SHAPE(p[1]), -1, 1);
  output(g, layer_normalization(g, x, scale, bias));
}

/* channels, size. */
static void build_batch_normalization(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(1, p[0], p[1], p[1]), -4, 4);
  value scale = weight(g, F32, SHAPE(p[0]), 0.5, 1.5), bias = weight(g, F32, SHAPE(p[0]), -1, 1);
  value mean = weight(g, F32, SHAPE(p[0]), -1, 1);
  value variance = weight(g, F32, SHAPE(p[0]), 0.5, 2);
  output(g, batch_normalization(g, x, scale, bias, mean, variance));
}

/* rows, columns, axis. */
static void build_cumulative_sum(graph *g, const uint32_t *p) {
  output(g, cumulative_sum(g, input(g, F32, SHAPE(p[0], p[1]), 0, 1), p[2]));
}

/* operation, rows, columns, axis. */
static void build_reduce(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(p[1], p[2]), 0, 1);
  output(g, reduce(g, (operation)p[0], x, SHAPE(p[3]), true));
}

/* operation, channels, size. */
static void build_reduce_image(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(1, p[1], p[2], p[2]), 0, 1);
  output(g, reduce(g, (operation)p[0], x, SHAPE(2, 3), true));
}

/* operation, elements. */
static void build_reduce_all(graph *g, const uint32_t *p) {
  output(g, reduce(g, (operation)p[0], input(g, F32, SHAPE(p[1]), 0, 1), SHAPE(0), true));
}

/* four dimensions, four of the permutation. */
static void build_transpose(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(p[0], p[1], p[2], p[3]), -1, 1);
  output(g, transpose(g, x, SHAPE(p[4], p[5], p[6], p[7])));
}

/* channels, size, factor, linear, nhwc, bytes. */
static void build_resample(graph *g, const uint32_t *p) {
  bool nhwc = p[4] != 0;
  shape s = nhwc ? SHAPE(1, p[1], p[1], p[0]) : SHAPE(1, p[0], p[1], p[1]);
  value x = p[5] != 0 ? input(g, WEBNN_UINT8, s, 0, 255) : input(g, F32, s, -1, 1);
  output(g, resample(g, x, p[2], p[3] != 0, nhwc));
}

/* channels, height, width, both afterwards, nhwc: bilinear. */
static void build_resize(graph *g, const uint32_t *p) {
  bool nhwc = p[5] != 0;
  shape s = nhwc ? SHAPE(1, p[1], p[2], p[0]) : SHAPE(1, p[0], p[1], p[2]);
  output(g, resample_to(g, input(g, F32, s, -1, 1), p[3], p[4], true, nhwc));
}

/* operation, channels, size, window (0: everything), stride, padding, nhwc. */
static void build_pool(graph *g, const uint32_t *p) {
  bool nhwc = p[6] != 0;
  value x = input(g, F32, nhwc ? SHAPE(1, p[2], p[2], p[1]) : SHAPE(1, p[1], p[2], p[2]), -1, 1);
  output(g, pool(g, (operation)p[0], x, (window){p[4], p[5], 1, p[3], nhwc}));
}

/* three dimensions, axis. */
static void build_concat(graph *g, const uint32_t *p) {
  value a = input(g, F32, SHAPE(p[0], p[1], p[2]), -1, 1);
  output(g, concat(g, a, input(g, F32, SHAPE(p[0], p[1], p[2]), -1, 1), p[3]));
}

/* rows of the table, columns, rows taken. */
static void build_gather(graph *g, const uint32_t *p) {
  value table = weight(g, F32, SHAPE(p[0], p[1]), -1, 1);
  output(g, gather(g, table, input(g, WEBNN_INT64, SHAPE(p[2]), 0, p[0] - 1.0), 0));
}

/* rows, columns: from anywhere in the row. */
static void build_gather_elements(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(p[0], p[1]), -1, 1);
  value indices = input(g, WEBNN_INT64, SHAPE(p[0], p[1]), 0, p[1] - 1.0);
  output(g, gather_elements(g, x, indices, 1));
}

/* channels, size, padding. */
static void build_pad(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(1, p[0], p[1], p[1]), -1, 1);
  output(g, pad(g, x, SHAPE(0, 0, p[2], p[2]), SHAPE(0, 0, p[2], p[2])));
}

/* three dimensions: the middle half of the last two. */
static void build_slice(graph *g, const uint32_t *p) {
  value x = input(g, F32, SHAPE(p[0], p[1], p[2]), -1, 1);
  output(g, slice(g, x, SHAPE(0, p[1] / 4, p[2] / 4), SHAPE(p[0], p[1] / 2, p[2] / 2)));
}

/* operation, steps, units, batch, inputs. */
static void build_recurrent(graph *g, const uint32_t *p) {
  uint32_t gates = p[0] == LSTM ? 4 : 3, units = p[2];
  double size = 1.0 / 16;
  value x = input(g, F32, SHAPE(p[1], p[3], p[4]), -1, 1);
  value w = weight(g, F32, SHAPE(1, gates * units, p[4]), -size, size);
  value r = weight(g, F32, SHAPE(1, gates * units, units), -size, size);
  value b = weight(g, F32, SHAPE(1, gates * units), -size, size);
  value rb = weight(g, F32, SHAPE(1, gates * units), -size, size);
  output(g, recurrent(g, (operation)p[0], x, w, r, b, rb));
}

/* ---- The table ---------------------------------------------------------------------------------
 */

#define M1 (1u << 20)
#define M16 (1u << 24)
/* A convolution in both layouts. */
#define CONV(build, group, name, ...)                                                              \
  {group, name "_nchw", build, {__VA_ARGS__, 0}, 0, 0},                                            \
      {group, name "_nhwc", build, {__VA_ARGS__, 1}, 0, 0},
#define ONE(name, op, count) {"elementwise", name, build_unary, {op, count}, 0, 0},
#define TWO(name, op, count) {"elementwise", name, build_binary, {op, count}, 0, 0},

/* clang-format off */
const bench_case bench_cases[] = {
    {"product", "sgemm_64", build_product, {64, 64, 64}, 0, 0},
    {"product", "sgemm_256", build_product, {256, 256, 256}, 0, 0},
    {"product", "sgemm_512", build_product, {512, 512, 512}, 0, 0},
    {"product", "sgemm_1024", build_product, {1024, 1024, 1024}, 0, 0},
    {"product", "sgemm_2048", build_product, {2048, 2048, 2048}, 0, 0},
    {"product", "transposed_512x512x512", build_transposed_product, {512, 512, 512}, 0, 0},
    {"product", "attention_qk_12x384x64x384", build_batched, {12, 384, 64, 384}, 0, 0},
    {"product", "attention_pv_12x384x384x64", build_batched, {12, 384, 384, 64}, 0, 0},
    {"product", "matmul_2048x16x2048", build_product, {2048, 16, 2048}, 0, 0},
    {"linear", "linear_128x768x768", build_linear, {128, 768, 768}, 0, 0},
    {"linear", "linear_128x768x3072", build_linear, {128, 768, 3072}, 0, 0},
    {"linear", "linear_128x3072x768", build_linear, {128, 3072, 768}, 0, 0},
    {"linear", "linear_512x512x512", build_linear, {512, 512, 512}, 0, 0},
    {"linear", "gemv_1x768x768", build_linear, {1, 768, 768}, 0, 0},
    {"linear", "gemv_1x768x3072", build_linear, {1, 768, 3072}, 0, 0},
    {"linear", "gemv_1x2048x2048", build_linear, {1, 2048, 2048}, 0, 0},
    {"linear", "gemv_1x2048x5632", build_linear, {1, 2048, 5632}, 0, 0},
    {"linear", "gemv_1x5632x2048", build_linear, {1, 5632, 2048}, 0, 0},
    {"linear", "gemv_1x4096x16384", build_linear, {1, 4096, 16384}, 0, 0},
    CONV(build_conv, "conv", "r50_1x1_64-256@56", 64, 256, 56, 1, 1, 1)
    CONV(build_conv, "conv", "r50_1x1_256-64@56", 256, 64, 56, 1, 1, 1)
    CONV(build_conv, "conv", "r50_3x3_64@56", 64, 64, 56, 3, 1, 1)
    CONV(build_conv, "conv", "r50_3x3_128@28", 128, 128, 28, 3, 1, 1)
    CONV(build_conv, "conv", "r50_3x3_256@14", 256, 256, 14, 3, 1, 1)
    CONV(build_conv, "conv", "r50_3x3_512@7", 512, 512, 7, 3, 1, 1)
    CONV(build_conv, "conv", "r50_7x7s2_3-64@224", 3, 64, 224, 7, 2, 1)
    CONV(build_conv, "conv", "mbv2_3x3s2_3-32@224", 3, 32, 224, 3, 2, 1)
    CONV(build_conv, "conv", "mbv2_dw3x3_32@112", 32, 32, 112, 3, 1, 32)
    CONV(build_conv, "conv", "mbv2_dw3x3_144@56", 144, 144, 56, 3, 1, 144)
    CONV(build_conv, "conv", "mbv2_dw3x3s2_144@56", 144, 144, 56, 3, 2, 144)
    CONV(build_conv, "conv", "mbv2_dw3x3_576@14", 576, 576, 14, 3, 1, 576)
    CONV(build_conv, "conv", "dw5x5_240@28", 240, 240, 28, 5, 1, 240)
    CONV(build_conv, "conv", "dw7x7_96@56", 96, 96, 56, 7, 1, 96)
    CONV(build_conv, "conv", "mbv2_pw_32-16@112", 32, 16, 112, 1, 1, 1)
    CONV(build_conv, "conv", "mbv2_pw_24-144@56", 24, 144, 56, 1, 1, 1)
    CONV(build_conv, "conv", "mbv2_pw_96-576@14", 96, 576, 14, 1, 1, 1)
    CONV(build_conv, "conv", "mbv2_pw_320-1280@7", 320, 1280, 7, 1, 1, 1)
    CONV(build_conv, "conv", "unet_3x3_32-16@256", 32, 16, 256, 3, 1, 1)
    CONV(build_conv, "conv", "unet_3x3_64-32@128", 64, 32, 128, 3, 1, 1)
    CONV(build_conv, "conv", "r50_1x1s2_512-1024@28", 512, 1024, 28, 1, 2, 1)
    CONV(build_conv, "conv", "rx50_3x3_128@56", 128, 128, 56, 3, 1, 32)
    CONV(build_conv, "conv", "rx50_3x3_256@28", 256, 256, 28, 3, 1, 32)
    CONV(build_conv, "conv", "rx50_3x3_512@14", 512, 512, 14, 3, 1, 32)
    CONV(build_conv, "conv", "vit_16x16s16_3-768@224", 3, 768, 224, 16, 16, 1)
    CONV(build_conv_of_8, "conv", "b8_r50_1x1_64-256@56", 64, 256, 56, 1, 1, 1)
    CONV(build_conv_of_8, "conv", "b8_r50_3x3_128@28", 128, 128, 28, 3, 1, 1)
    CONV(build_conv_of_8, "conv", "b8_r50_3x3_512@7", 512, 512, 7, 3, 1, 1)
    CONV(build_conv_of_8, "conv", "b8_r50_7x7s2_3-64@224", 3, 64, 224, 7, 2, 1)
    {"conv", "transposed_4x4s2_64-3@64_nchw", build_transposed, {64, 3, 64, 4, 2, 1}, 0, 0},
    TWO("add_1M", ADD, M1)
    TWO("add_16M", ADD, M16)
    TWO("mul_1M", MUL, M1)
    TWO("mul_16M", MUL, M16)
    TWO("div_1M", DIV, M1)
    {"elementwise", "add_channels_64x56x56", build_channel_add, {1, 64, 3136}, 0, 0},
    ONE("relu_1M", RELU, M1)
    ONE("relu_16M", RELU, M16)
    ONE("exp_1M", EXP, M1)
    ONE("exp_16M", EXP, M16)
    ONE("log_1M", LOG, M1)
    ONE("sqrt_1M", SQRT, M1)
    ONE("tanh_1M", TANH, M1)
    ONE("tanh_16M", TANH, M16)
    ONE("erf_1M", ERF, M1)
    ONE("erf_16M", ERF, M16)
    ONE("gelu_1M", GELU, M1)
    ONE("gelu_16M", GELU, M16)
    ONE("sigmoid_1M", SIGMOID, M1)
    ONE("sigmoid_16M", SIGMOID, M16)
    {"elementwise", "silu_1M", build_silu, {M1}, 0, 0},
    {"elementwise", "cast_int64_float32_1M", build_cast, {WEBNN_INT64, WEBNN_FLOAT32, M1}, 0, 0},
    {"rows", "softmax_1024x1024", build_softmax, {1, 1024, 1024}, 0, 0},
    {"rows", "softmax_12x384x384", build_softmax, {12, 384, 384}, 0, 0},
    {"rows", "layer_normalization_384x768", build_layer_normalization, {384, 768}, 0, 0},
    {"rows", "batch_normalization_64x112x112", build_batch_normalization, {64, 112}, 0, 0},
    {"reduce", "sum_1024x1024_rows", build_reduce, {REDUCE_SUM, 1024, 1024, 1}, 0, 0},
    {"reduce", "sum_1024x1024_columns", build_reduce, {REDUCE_SUM, 1024, 1024, 0}, 0, 0},
    {"reduce", "max_1024x1024_rows", build_reduce, {REDUCE_MAX, 1024, 1024, 1}, 0, 0},
    {"reduce", "mean_256x56x56_image", build_reduce_image, {REDUCE_MEAN, 256, 56}, 0, 0},
    {"reduce", "sum_16M", build_reduce_all, {REDUCE_SUM, M16}, 1e-4, 0},
    {"reduce", "cumulative_sum_1024x1024_columns", build_cumulative_sum, {1024, 1024, 0}, 0, 0},
    {"reduce", "cumulative_sum_1024x1024_rows", build_cumulative_sum, {1024, 1024, 1}, 0, 0},
    {"move", "transpose_384x12x64_102", build_transpose, {1, 384, 12, 64, 0, 2, 1, 3}, 0, 0},
    {"move", "transpose_64x112x112_to_nhwc", build_transpose, {1, 64, 112, 112, 0, 2, 3, 1}, 0, 0},
    {"move", "transpose_112x112x64_to_nchw", build_transpose, {1, 112, 112, 64, 0, 3, 1, 2}, 0, 0},
    {"move", "transpose_12x384x384_last", build_transpose, {1, 12, 384, 384, 0, 1, 3, 2}, 0, 0},
    {"move", "resize2x_64x112x112_nchw", build_resample, {64, 112, 2, 1, 0}, 0, 0},
    {"move", "resize2x_64x112x112_nhwc", build_resample, {64, 112, 2, 1, 1}, 0, 0},
    {"move", "nearest2x_64x112x112_nchw", build_resample, {64, 112, 2, 0, 0}, 0, 0},
    {"move", "resize2x_3x224x224_uint8", build_resample, {3, 224, 2, 1, 0, 1}, 0, 0},
    CONV(build_resize, "move", "resize0.4_3x480x640", 3, 480, 640, 192, 256)
    {"move", "concat_256x56x56_channels", build_concat, {1, 256, 3136, 1}, 0, 0},
    {"move", "concat_3136x256_inner", build_concat, {1, 3136, 256, 2}, 0, 0},
    {"move", "gather_30000x768_rows_128", build_gather, {30000, 768, 128}, 0, 0},
    {"move", "gather_elements_1024x1024", build_gather_elements, {1024, 1024}, 0, 0},
    {"move", "pad_64x112x112_by_1", build_pad, {64, 112, 1}, 0, 0},
    {"move", "slice_64x224x224_middle", build_slice, {64, 224, 224}, 0, 0},
    {"pool", "max_3x3s2_64@112_nchw", build_pool, {MAX_POOL, 64, 112, 3, 2, 1, 0}, 0, 0},
    {"pool", "max_3x3s2_64@112_nhwc", build_pool, {MAX_POOL, 64, 112, 3, 2, 1, 1}, 0, 0},
    {"pool", "max_5x5_256@20_nchw", build_pool, {MAX_POOL, 256, 20, 5, 1, 2, 0}, 0, 0},
    {"pool", "average_2x2s2_64@112_nchw", build_pool, {AVERAGE_POOL, 64, 112, 2, 2, 0, 0}, 0, 0},
    {"pool", "average_all_2048@7_nchw", build_pool, {AVERAGE_POOL, 2048, 7, 0, 1, 0, 0}, 0, 0},
    {"int8", "q_linear_512x512x512", build_int8_linear, {512, 512, 512}, 0, 0},
    {"int8", "q_linear_128x768x768", build_int8_linear, {128, 768, 768}, 0, 0},
    {"int8", "q_linear_128x768x3072", build_int8_linear, {128, 768, 3072}, 0, 0},
    {"int8", "q_gemv_1x768x3072", build_int8_linear, {1, 768, 3072}, 0, 0},
    CONV(build_int8_conv, "int8", "q_r50_1x1_64-256@56", 64, 256, 56, 1, 1, 1)
    CONV(build_int8_conv, "int8", "q_r50_3x3_128@28", 128, 128, 28, 3, 1, 1)
    CONV(build_int8_conv, "int8", "q_mbv2_pw_96-576@14", 96, 576, 14, 1, 1, 1)
    CONV(build_int8_conv, "int8", "q_mbv2_dw3x3_144@56", 144, 144, 56, 3, 1, 144)
    {"packed", "w4_1x4096x4096", build_packed, {1, 4096, 4096, 4}, 1e-2, 0},
    {"packed", "w4_128x4096x4096", build_packed, {128, 4096, 4096, 4}, 1e-2, 0},
    {"packed", "w8_1x4096x4096", build_packed, {1, 4096, 4096, 8}, 1e-2, 0},
    {"packed", "w8_128x4096x4096", build_packed, {128, 4096, 4096, 8}, 1e-2, 0},
    {"float16", "h_linear_128x768x768", build_half, {128, 768, 768}, 2e-3, 0},
    {"float16", "h_linear_128x768x3072", build_half, {128, 768, 3072}, 2e-3, 0},
    {"float16", "h_gemv_1x768x3072", build_half, {1, 768, 3072}, 2e-3, 0},
    {"float16", "h_r50_3x3_64@56_nchw", build_half_conv, {64, 64, 56, 3, 1, 1}, 2e-3, 0},
    {"float16", "h_r50_1x1_256-64@56_nchw", build_half_conv, {256, 64, 56, 1, 1, 1}, 2e-3, 0},
    {"recurrent", "lstm_100x256", build_recurrent, {LSTM, 100, 256, 1, 256}, 0, 0},
    {"recurrent", "lstm_50x16x128-256", build_recurrent, {LSTM, 50, 256, 16, 128}, 0, 0},
    {"recurrent", "gru_100x256", build_recurrent, {GRU, 100, 256, 1, 256}, 0, 0},
    {"overhead", "one_add_of_16", build_chain, {1}, 0, 0},
    {"overhead", "one_more_add_of_16", build_chain, {101}, 0, 100},

    /* Every operator in a small size, for --check. */
    {"check", "tiny_product", build_product, {5, 7, 9}, 0, 0},
    {"check", "tiny_transposed_product", build_transposed_product, {5, 7, 9}, 0, 0},
    {"check", "tiny_linear", build_linear, {5, 16, 8}, 0, 0},
    {"check", "tiny_batched", build_batched, {3, 5, 7, 9}, 0, 0},
    {"check", "tiny_half", build_half, {5, 16, 8}, 2e-3, 0},
    CONV(build_conv, "check", "tiny_conv", 8, 16, 7, 3, 2, 2)
    {"check", "tiny_transposed", build_transposed, {8, 3, 5, 4, 2, 1}, 0, 0},
    CONV(build_conv, "check", "tiny_depthwise", 8, 8, 7, 3, 1, 8)
    CONV(build_conv, "check", "tiny_pointwise", 8, 16, 5, 1, 1, 1)
    CONV(build_conv, "check", "tiny_grouped", 16, 16, 7, 3, 1, 4)
    CONV(build_conv, "check", "tiny_patches", 3, 8, 12, 4, 4, 1)
    CONV(build_conv_of_8, "check", "tiny_conv_of_8", 8, 16, 7, 3, 2, 1)
    CONV(build_conv_of_8, "check", "tiny_pointwise_of_8", 8, 16, 5, 1, 1, 1)
    {"check", "tiny_half_conv_nchw", build_half_conv, {8, 16, 7, 3, 1, 1}, 2e-3, 0},
    CONV(build_int8_conv, "check", "tiny_int8_conv", 8, 16, 7, 3, 1, 1)
    {"check", "tiny_int8_linear", build_int8_linear, {5, 16, 8}, 0, 0},
    {"check", "tiny_packed_4", build_packed, {1, 64, 24, 4}, 1e-2, 0},
    {"check", "tiny_packed_8", build_packed, {5, 64, 24, 8}, 1e-2, 0},
#define UNARY_CHECK(op, function, onnx, domain) {"check", "tiny_" onnx, build_unary, {op, 100}, 0, 0},
    UNARY_OPERATIONS(UNARY_CHECK)
#define BINARY_CHECK(op, function, onnx, domain) {"check", "tiny_" onnx, build_binary, {op, 100}, 0, 0},
    BINARY_CHECK(ADD, 0, "Add", 0) BINARY_CHECK(SUB, 0, "Sub", 0)
    BINARY_CHECK(MUL, 0, "Mul", 0) BINARY_CHECK(DIV, 0, "Div", 0)
    {"check", "tiny_channel_add", build_channel_add, {2, 3, 5}, 0, 0},
    {"check", "tiny_silu", build_silu, {100}, 0, 0},
    {"check", "tiny_cast", build_cast, {WEBNN_INT64, WEBNN_FLOAT32, 100}, 0, 0},
    {"check", "tiny_chain", build_chain, {5}, 0, 0},
    {"check", "tiny_softmax", build_softmax, {2, 3, 5}, 0, 0},
    {"check", "tiny_batch_normalization", build_batch_normalization, {3, 5}, 0, 0},
    {"check", "tiny_cumulative_sum", build_cumulative_sum, {5, 7, 0}, 0, 0},
    {"check", "tiny_layer_normalization", build_layer_normalization, {3, 16}, 0, 0},
#define REDUCE_CHECK(op, function, onnx, domain) {"check", "tiny_" onnx, build_reduce, {op, 5, 7, 1}, 0, 0},
    REDUCE_OPERATIONS(REDUCE_CHECK)
    {"check", "tiny_transpose", build_transpose, {1, 3, 4, 5, 0, 2, 3, 1}, 0, 0},
    {"check", "tiny_resample_nchw", build_resample, {3, 5, 2, 1, 0}, 0, 0},
    {"check", "tiny_resample_uint8", build_resample, {3, 5, 2, 1, 0, 1}, 0, 0},
    {"check", "tiny_resample_nhwc", build_resample, {3, 5, 2, 1, 1}, 0, 0},
    {"check", "tiny_nearest", build_resample, {3, 5, 2, 0, 0}, 0, 0},
    CONV(build_resize, "check", "tiny_resize", 3, 10, 15, 4, 6)
    {"check", "tiny_max_pool_nchw", build_pool, {MAX_POOL, 3, 7, 3, 2, 1, 0}, 0, 0},
    {"check", "tiny_max_pool_nhwc", build_pool, {MAX_POOL, 3, 7, 3, 2, 1, 1}, 0, 0},
    {"check", "tiny_average_pool", build_pool, {AVERAGE_POOL, 3, 6, 2, 2, 0, 0}, 0, 0},
    {"check", "tiny_average_all", build_pool, {AVERAGE_POOL, 3, 6, 0, 1, 0, 0}, 0, 0},
    {"check", "tiny_concat", build_concat, {2, 3, 5, 1}, 0, 0},
    {"check", "tiny_gather", build_gather, {10, 3, 5}, 0, 0},
    {"check", "tiny_gather_elements", build_gather_elements, {3, 5}, 0, 0},
    {"check", "tiny_pad", build_pad, {2, 3, 1}, 0, 0},
    {"check", "tiny_slice", build_slice, {2, 8, 4}, 0, 0},
    {"check", "tiny_lstm", build_recurrent, {LSTM, 4, 8, 1, 8}, 0, 0},
    {"check", "tiny_lstm_of_3", build_recurrent, {LSTM, 4, 8, 3, 5}, 0, 0},
    {"check", "tiny_gru", build_recurrent, {GRU, 4, 8, 1, 8}, 0, 0},
};
/* clang-format on */
const size_t bench_case_count = sizeof bench_cases / sizeof bench_cases[0];
