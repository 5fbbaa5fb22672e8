/* networks.c - whole networks with random weights. */
#include "bench.h"

#include <math.h>

#define F32 WEBNN_FLOAT32

/* ---- Layers ------------------------------------------------------------------------------------
 */

/* A weight that keeps the size of what passes it: uniform, of variance gain / inputs. */
static value scaled_weight(graph *g, shape s, uint32_t inputs, double gain) {
  double bound = sqrt(3 * gain / inputs);
  return weight(g, F32, s, -bound, bound);
}

static uint32_t channels_of(const graph *g, value x) {
  return g->values[x].shape.d[1];
}

static value conv_layer(graph *g, value x, uint32_t channels, uint32_t size, uint32_t stride,
                        uint32_t groups, double gain) {
  uint32_t inputs = channels_of(g, x) / groups;
  value w = scaled_weight(g, SHAPE(channels, inputs, size, size), inputs * size * size, gain);
  value bias = weight(g, F32, SHAPE(channels), -0.1, 0.1);
  return conv2d(g, x, w, bias, (window){stride, size / 2, groups, 0, false});
}

static value classifier(graph *g, value x, uint32_t classes) {
  uint32_t channels = channels_of(g, x);
  x = reshape(g, pool(g, AVERAGE_POOL, x, (window){1, 0, 1, 0, false}), SHAPE(1, channels));
  value w = scaled_weight(g, SHAPE(channels, classes), channels, 1);
  return gemm(g, x, w, weight(g, F32, SHAPE(classes), -0.1, 0.1), false);
}

/* ---- ResNet-50 (stride in the 3x3 convolution) -------------------------------------------------
 */

static value bottleneck(graph *g, value x, uint32_t channels, uint32_t stride) {
  value shortcut = x;
  if (stride > 1 || channels_of(g, x) != 4 * channels)
    shortcut = conv_layer(g, x, 4 * channels, 1, stride, 1, 1);
  value y = unary(g, RELU, conv_layer(g, x, channels, 1, 1, 1, 2));
  y = unary(g, RELU, conv_layer(g, y, channels, 3, stride, 1, 2));
  y = conv_layer(g, y, 4 * channels, 1, 1, 1, 0.5);
  return unary(g, RELU, binary(g, ADD, y, shortcut));
}

static void build_resnet50(graph *g, bool small) {
  static const uint32_t blocks[] = {3, 4, 6, 3};
  uint32_t channels = small ? 4 : 64, size = small ? 32 : 224;
  value x = input(g, F32, SHAPE(1, 3, size, size), -1, 1);
  x = unary(g, RELU, conv_layer(g, x, channels, 7, 2, 1, 2));
  x = pool(g, MAX_POOL, x, (window){2, 1, 1, 3, false});
  for (uint32_t stage = 0; stage < 4; stage++)
    for (uint32_t i = 0; i < blocks[stage]; i++)
      x = bottleneck(g, x, channels << stage, i == 0 && stage > 0 ? 2 : 1);
  output(g, classifier(g, x, 1000));
}

/* ---- MobileNetV2 -------------------------------------------------------------------------------
 */

typedef struct stage {
  uint32_t expansion, channels, repeats, stride;
} stage;

static const stage mobile_stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                      {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
enum { MOBILE_STAGES = sizeof mobile_stages / sizeof mobile_stages[0] };

static value inverted_residual(graph *g, value x, const stage *s, uint32_t stride, uint32_t out) {
  uint32_t in = channels_of(g, x), inner = in * s->expansion;
  value y = x;
  if (s->expansion > 1)
    y = clamp(g, conv_layer(g, y, inner, 1, 1, 1, 2), 0, 6);
  y = clamp(g, conv_layer(g, y, inner, 3, stride, inner, 2), 0, 6);
  y = conv_layer(g, y, out, 1, 1, 1, 1);
  return stride == 1 && in == out ? binary(g, ADD, x, y) : y;
}

static void build_mobilenetv2(graph *g, bool small) {
  uint32_t size = small ? 32 : 224, divisor = small ? 8 : 1;
  value x = input(g, F32, SHAPE(1, 3, size, size), -1, 1);
  x = clamp(g, conv_layer(g, x, 32 / divisor, 3, 2, 1, 2), 0, 6);
  for (int s = 0; s < MOBILE_STAGES; s++)
    for (uint32_t i = 0; i < mobile_stages[s].repeats; i++)
      x = inverted_residual(g, x, &mobile_stages[s], i == 0 ? mobile_stages[s].stride : 1,
                            mobile_stages[s].channels / divisor);
  x = clamp(g, conv_layer(g, x, 1280 / divisor, 1, 1, 1, 2), 0, 6);
  output(g, classifier(g, x, 1000));
}

/* ---- MobileNetV2 in int8: quantizations round each layer ---------------------------------------
 */

typedef struct quantized {
  value v; /* uint8 */
  double scale;
  uint32_t zero_point;
} quantized;

static const double positive_scale = 6.0 / 255; /* of what is clamped to 0 ... 6 */
static const double signed_scale = 0.05;
enum { SIGNED_ZERO = 128 };

static value zero_point_of(graph *g, webnn_data_type type, double zero) {
  return constant(g, type, (shape){0, {0}}, zero);
}

static quantized quantized_of(graph *g, value x, double scale, uint32_t zero) {
  value z = zero_point_of(g, WEBNN_UINT8, zero);
  return (quantized){quantize(g, x, scalar(g, scale), z), scale, zero};
}

static value real_of(graph *g, quantized q) {
  value z = zero_point_of(g, WEBNN_UINT8, q.zero_point);
  return dequantize(g, q.v, scalar(g, q.scale), z, 0);
}

/* Weights and bias with a scale for each output channel. */
static value int8_conv(graph *g, quantized x, uint32_t channels, uint32_t size, uint32_t stride,
                       uint32_t groups, double gain) {
  float weight_scales[2048], bias_scales[2048];
  uint32_t inputs = channels_of(g, x.v) / groups;
  double largest = sqrt(3 * gain / (inputs * size * size));
  for (uint32_t i = 0; i < channels; i++) {
    weight_scales[i] =
        (float)(largest / LARGEST_INT8_WEIGHT * (0.75 + 0.25 * (double)(i * 37 % 64) / 64));
    bias_scales[i] = (float)((double)weight_scales[i] * x.scale);
  }
  shape row = SHAPE(channels);
  value w = int8_weight(g, SHAPE(channels, inputs, size, size));
  w = dequantize(g, w, constant_data(g, F32, row, weight_scales), constant(g, WEBNN_INT8, row, 0),
                 0);
  value bias = weight(g, WEBNN_INT32, row, -200, 200);
  bias = dequantize(g, bias, constant_data(g, F32, row, bias_scales),
                    constant(g, WEBNN_INT32, row, 0), 0);
  return conv2d(g, real_of(g, x), w, bias, (window){stride, size / 2, groups, 0, false});
}

/* Clamping to 0 ... 6 is what this quantization does. */
static quantized int8_clamped_conv(graph *g, quantized x, uint32_t channels, uint32_t size,
                                   uint32_t stride, uint32_t groups) {
  value y = int8_conv(g, x, channels, size, stride, groups, 2);
  return quantized_of(g, y, positive_scale, 0);
}

static quantized int8_inverted_residual(graph *g, quantized x, const stage *s, uint32_t stride,
                                        uint32_t out) {
  uint32_t in = channels_of(g, x.v), inner = in * s->expansion;
  quantized y = x;
  if (s->expansion > 1)
    y = int8_clamped_conv(g, y, inner, 1, 1, 1);
  y = int8_clamped_conv(g, y, inner, 3, stride, inner);
  y = quantized_of(g, int8_conv(g, y, out, 1, 1, 1, 1), signed_scale, SIGNED_ZERO);
  if (stride > 1 || in != out)
    return y;
  value sum = binary(g, ADD, real_of(g, x), real_of(g, y));
  return quantized_of(g, sum, signed_scale * 1.4, SIGNED_ZERO);
}

static void build_mobilenetv2_int8(graph *g, bool small) {
  uint32_t size = small ? 32 : 224, divisor = small ? 8 : 1, classes = 1000;
  value image = input(g, F32, SHAPE(1, 3, size, size), -1, 1);
  quantized x = quantized_of(g, image, 2.0 / 255, SIGNED_ZERO);
  x = int8_clamped_conv(g, x, 32 / divisor, 3, 2, 1);
  for (int s = 0; s < MOBILE_STAGES; s++)
    for (uint32_t i = 0; i < mobile_stages[s].repeats; i++)
      x = int8_inverted_residual(g, x, &mobile_stages[s], i == 0 ? mobile_stages[s].stride : 1,
                                 mobile_stages[s].channels / divisor);
  x = int8_clamped_conv(g, x, 1280 / divisor, 1, 1, 1);
  value mean = pool(g, AVERAGE_POOL, real_of(g, x), (window){1, 0, 1, 0, false});
  x = quantized_of(g, mean, positive_scale, 0);
  x.v = reshape(g, x.v, SHAPE(1, 1280 / divisor));
  value w = int8_weight(g, SHAPE(1280 / divisor, classes));
  double largest = sqrt(3.0 / (1280 / divisor));
  w = dequantize(g, w, scalar(g, largest / LARGEST_INT8_WEIGHT), zero_point_of(g, WEBNN_INT8, 0),
                 0);
  value scores = matmul(g, real_of(g, x), w);
  output(g, real_of(g, quantized_of(g, scores, 0.008, SIGNED_ZERO)));
}

/* ---- Transformers, in primitive operators ------------------------------------------------------
 */

static value normalized(graph *g, value x, uint32_t width) {
  uint32_t last = g->values[x].shape.rank - 1;
  value scale = weight(g, F32, SHAPE(width), 0.8, 1.2);
  value shift = weight(g, F32, SHAPE(width), -0.1, 0.1);
  value centred = binary(g, SUB, x, reduce(g, REDUCE_MEAN, x, SHAPE(last), true));
  value variance = reduce(g, REDUCE_MEAN, binary(g, POW, centred, scalar(g, 2)), SHAPE(last), true);
  value deviation = unary(g, SQRT, binary(g, ADD, variance, scalar(g, 1e-5)));
  value y = binary(g, MUL, binary(g, DIV, centred, deviation), scale);
  return binary(g, ADD, y, shift);
}

static value dense(graph *g, value x, uint32_t in, uint32_t out) {
  value y = matmul(g, x, scaled_weight(g, SHAPE(in, out), in, 1));
  return binary(g, ADD, y, weight(g, F32, SHAPE(out), -0.1, 0.1));
}

static value gelu_of_erf(graph *g, value x) {
  value e = unary(g, ERF, binary(g, DIV, x, scalar(g, sqrt(2))));
  value y = binary(g, MUL, x, binary(g, ADD, e, scalar(g, 1)));
  return binary(g, MUL, y, scalar(g, 0.5));
}

static value gelu_of_tanh(graph *g, value x) {
  value cube = binary(g, MUL, binary(g, POW, x, scalar(g, 3)), scalar(g, 0.044715));
  value inner = binary(g, MUL, binary(g, ADD, x, cube), scalar(g, sqrt(2 / 3.14159265358979)));
  value y = binary(g, MUL, x, scalar(g, 0.5));
  return binary(g, MUL, y, binary(g, ADD, unary(g, TANH, inner), scalar(g, 1)));
}

/* [1, tokens, width] to [1, heads, tokens, width / heads]. */
static value heads_of(graph *g, value x, uint32_t tokens, uint32_t heads, uint32_t width) {
  return transpose(g, reshape(g, x, SHAPE(1, tokens, heads, width / heads)), SHAPE(0, 2, 1, 3));
}

static value attention(graph *g, value q, value k, value v, value mask, uint32_t tokens,
                       uint32_t heads, uint32_t width) {
  value scores = matmul(g, q, transpose(g, k, SHAPE(0, 1, 3, 2)));
  scores = binary(g, DIV, scores, scalar(g, sqrt(width / heads)));
  if (mask != NONE)
    scores = binary(g, ADD, scores, mask);
  value y = transpose(g, matmul(g, softmax(g, scores, 3), v), SHAPE(0, 2, 1, 3));
  return reshape(g, y, SHAPE(1, tokens, width));
}

static void build_bert_base(graph *g, bool small) {
  uint32_t layers = small ? 2 : 12, width = small ? 64 : 768, heads = small ? 2 : 12;
  uint32_t tokens = small ? 8 : 128;
  value x = input(g, F32, SHAPE(1, tokens, width), -1, 1);
  value mask = input(g, F32, SHAPE(1, 1, 1, tokens), -1, 0);
  x = normalized(g, x, width);
  for (uint32_t i = 0; i < layers; i++) {
    value q = heads_of(g, dense(g, x, width, width), tokens, heads, width);
    value k = heads_of(g, dense(g, x, width, width), tokens, heads, width);
    value v = heads_of(g, dense(g, x, width, width), tokens, heads, width);
    value y = attention(g, q, k, v, mask, tokens, heads, width);
    x = normalized(g, binary(g, ADD, dense(g, y, width, width), x), width);
    y = dense(g, gelu_of_erf(g, dense(g, x, width, 4 * width)), 4 * width, width);
    x = normalized(g, binary(g, ADD, y, x), width);
  }
  output(g, x);
}

/* A dense layer on one token, as Gemm. */
static value dense_token(graph *g, value x, uint32_t in, uint32_t out) {
  value w = scaled_weight(g, SHAPE(in, out), in, 1), bias = weight(g, F32, SHAPE(out), -0.1, 0.1);
  return reshape(g, gemm(g, reshape(g, x, SHAPE(1, in)), w, bias, false), SHAPE(1, 1, out));
}

/* One layer for one token; the keys and values so far come in and go out longer by one. */
static value decoder_layer(graph *g, value x, uint32_t past, uint32_t heads, uint32_t width) {
  value past_keys = input(g, F32, SHAPE(1, heads, past, width / heads), -1, 1);
  value past_values = input(g, F32, SHAPE(1, heads, past, width / heads), -1, 1);
  value qkv = dense_token(g, normalized(g, x, width), width, 3 * width), parts[3];
  for (uint32_t i = 0; i < 3; i++)
    parts[i] =
        heads_of(g, slice(g, qkv, SHAPE(0, 0, i * width), SHAPE(1, 1, width)), 1, heads, width);
  value keys = concat(g, past_keys, parts[1], 2), values = concat(g, past_values, parts[2], 2);
  output(g, keys);
  output(g, values);
  value y = attention(g, parts[0], keys, values, NONE, 1, heads, width);
  x = binary(g, ADD, x, dense_token(g, y, width, width));
  y = gelu_of_tanh(g, dense_token(g, normalized(g, x, width), width, 4 * width));
  return binary(g, ADD, x, dense_token(g, y, 4 * width, width));
}

static void build_gpt2_step(graph *g, bool small) {
  uint32_t layers = small ? 2 : 12, width = small ? 64 : 768, heads = small ? 2 : 12;
  uint32_t past = small ? 8 : 256, words = small ? 100 : 50257;
  value token = input(g, WEBNN_INT64, SHAPE(1, 1), 0, words - 1.0);
  value position = input(g, WEBNN_INT64, SHAPE(1, 1), past, past);
  value embeddings = scaled_weight(g, SHAPE(words, width), width, 1);
  value positions = scaled_weight(g, SHAPE(small ? 16 : 1024, width), width, 1);
  value x = binary(g, ADD, gather(g, embeddings, token, 0), gather(g, positions, position, 0));
  for (uint32_t i = 0; i < layers; i++)
    x = decoder_layer(g, x, past, heads, width);
  x = reshape(g, normalized(g, x, width), SHAPE(1, width));
  output(g, gemm(g, x, embeddings, NONE, true));
}

/* ---- U-Net, LSTM, a chain ----------------------------------------------------------------------
 */

static value two_convs(graph *g, value x, uint32_t channels) {
  x = unary(g, RELU, conv_layer(g, x, channels, 3, 1, 1, 2));
  return unary(g, RELU, conv_layer(g, x, channels, 3, 1, 1, 2));
}

static void build_unet(graph *g, bool small) {
  enum { LEVELS = 4 };
  uint32_t size = small ? 32 : 256, channels = small ? 4 : 16;
  value skipped[LEVELS];
  value x = input(g, F32, SHAPE(1, 3, size, size), -1, 1);
  for (int i = 0; i < LEVELS; i++) {
    skipped[i] = two_convs(g, x, channels << i);
    x = pool(g, MAX_POOL, skipped[i], (window){2, 0, 1, 2, false});
  }
  x = two_convs(g, x, channels << LEVELS);
  for (int i = LEVELS; i-- > 0;) {
    x = unary(g, RELU, conv_layer(g, resample(g, x, 2, true, false), channels << i, 3, 1, 1, 2));
    x = two_convs(g, concat(g, skipped[i], x, 1), channels << i);
  }
  output(g, unary(g, SIGMOID, conv_layer(g, x, 2, 1, 1, 1, 1)));
}

static void build_lstm256(graph *g, bool small) {
  uint32_t units = small ? 16 : 256, steps = small ? 5 : 100;
  double bound = 1 / sqrt(units);
  value x = input(g, F32, SHAPE(steps, 1, units), -1, 1);
  value w = weight(g, F32, SHAPE(1, 4 * units, units), -bound, bound);
  value r = weight(g, F32, SHAPE(1, 4 * units, units), -bound, bound);
  value b = weight(g, F32, SHAPE(1, 4 * units), -bound, bound);
  value rb = weight(g, F32, SHAPE(1, 4 * units), -bound, bound);
  output(g, recurrent(g, LSTM, x, w, r, b, rb));
}

static void build_chain200(graph *g, bool small) {
  value x = input(g, F32, SHAPE(1, 64), -1, 1), factor = weight(g, F32, SHAPE(64), 0.9, 1.1);
  value term = weight(g, F32, SHAPE(64), -0.1, 0.1), other = input(g, F32, SHAPE(1, 64), -1, 1);
  for (int i = 0; i < (small ? 2 : 50); i++) {
    x = binary(g, MUL, x, factor);
    x = binary(g, ADD, x, term);
    x = unary(g, RELU, x);
    x = binary(g, SUB, x, other);
  }
  output(g, x);
}

const network networks[] = {
    {"resnet50", build_resnet50, 1e-4},
    {"mobilenetv2", build_mobilenetv2, 1e-4},
    {"mobilenetv2-int8", build_mobilenetv2_int8, 0.1},
    {"bert-base", build_bert_base, 1e-4},
    {"gpt2-step", build_gpt2_step, 1e-4},
    {"unet", build_unet, 1e-4},
    {"lstm256", build_lstm256, 1e-4},
    {"chain200", build_chain200, 1e-4},
};
const size_t network_count = sizeof networks / sizeof networks[0];
