/* Products and convolutions at the borders of what their kernels cut: numbers of rows, columns,
   terms and pixels about the heights and widths of tiles, vectors, panels and bands, in every
   instruction set, with what is merged into them. The numbers are small integers, all sums of which
   are exact, so that every result has to be the reference's; some weights of convolutions are
   infinite or NaN.

     fast_tiles                  50 rounds
     fast_tiles 1000             more
     fast_tiles 1 88             round 88 */
#include "machines.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 8 };

/* A graph that is being made, and the data of its operands. The same random numbers make it for
   each context. */
typedef struct sketch {
  webnn_builder *builder;
  webnn_data_type type;
  void *data[MOST_OPERANDS];
  webnn_list shapes[MOST_OPERANDS];
  uint32_t count;
  char about[400];
} sketch;

static const uint32_t heights[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  12,
                                   13, 14, 15, 16, 18, 24, 25, 42, 64, 72};
static const uint32_t widths[] = {1,  2,  3,  4,  5,  7,  8,  9,  15, 16, 17,   23,   24,
                                  25, 31, 32, 33, 40, 48, 49, 64, 65, 96, 1024, 1025, 1040};
static const uint32_t depths[] = {1, 2, 3, 4, 5, 7, 8, 9, 17, 33, 64, 300};

#define ONE_OF(list) (list)[below(sizeof(list) / sizeof *(list))]

static void about(sketch *s, const char *format, ...) {
  const size_t length = strlen(s->about);
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(s->about + length, sizeof s->about - length, format, arguments);
  va_end(arguments);
}

/* Small integers, in float16 so small that their sums are exact, too; `special`: among them
   infinities and NaN. */
static webnn_operand *operand(sketch *s, webnn_list shape, bool constant, bool special) {
  static const float specials[] = {INFINITY, -INFINITY, NAN};
  const size_t count = test_element_count(shape);
  const uint32_t k = s->count++, most = s->type == WEBNN_FLOAT16 ? 1 : 3;
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  char name[8];
  size_t i;
  s->data[k] = test_allocate(count * sizeof(float) + 1);
  s->shapes[k] = shape;
  for (i = 0; i < count; i++) {
    test_set(s->type, s->data[k], i,
             special && below(9) == 0 ? (double)ONE_OF(specials)
                                      : (double)below(2 * most + 1) - most);
  }
  descriptor.data_type = s->type;
  descriptor.shape = shape;
  (void)snprintf(name, sizeof name, "x%u", (unsigned)k);
  return constant ? webnn_constant(s->builder, descriptor, s->data[k],
                                   (size_t)webnn_byte_length(descriptor))
                  : webnn_input(s->builder, name, descriptor);
}

/* The shape with all dimensions 1 but one. */
static webnn_list only(webnn_list shape, uint32_t axis) {
  uint32_t i;
  for (i = 0; i < shape.count; i++) {
    shape.items[i] = i == axis ? shape.items[i] : 1;
  }
  return shape;
}

/* A bias along an axis, a residual, bounds, as they may be merged into a product. */
static webnn_operand *with_endings(sketch *s, webnn_operand *y, uint32_t channel) {
  const webnn_list shape = webnn_operand_shape(y);
  const uint32_t kind = below(8);
  webnn_clamp_options options = WEBNN_ZERO;
  options.min_value = webnn_f64(-5);
  options.max_value = webnn_f64(6);
  if (kind == 0 || kind == 1) {
    const uint32_t axis = kind == 0 ? channel : below(shape.count);
    about(s, ", a bias along %u", (unsigned)axis);
    y = webnn_add(s->builder, y, operand(s, only(shape, axis), false, false), NULL);
  }
  if (kind == 1 || kind == 2 || kind == 3) {
    about(s, ", a residual");
    y = webnn_add(s->builder, y, operand(s, shape, false, false), NULL);
  }
  if (kind == 3 || kind == 4) {
    about(s, ", relu");
    y = webnn_relu(s->builder, y, NULL);
  }
  if (kind == 5) {
    about(s, ", bounds");
    y = webnn_clamp(s->builder, y, &options);
  }
  return y;
}

static webnn_operand *made_matmul(sketch *s) {
  const uint32_t m = ONE_OF(heights), k = ONE_OF(depths), n = ONE_OF(widths);
  const bool constant = below(2) != 0;
  webnn_operand *a = operand(s, WEBNN_LIST(m, k), false, false);
  about(s, "matmul %u x %u x %u%s", (unsigned)m, (unsigned)k, (unsigned)n,
        constant ? ", constant" : "");
  return with_endings(
      s, webnn_matmul(s->builder, a, operand(s, WEBNN_LIST(k, n), constant, false), NULL), 1);
}

static webnn_operand *made_gemm(sketch *s) {
  const uint32_t m = ONE_OF(heights), k = ONE_OF(depths), n = ONE_OF(widths), kind = below(8);
  const webnn_list c[] = {WEBNN_LIST(m, n), WEBNN_LIST(n), WEBNN_LIST(m, 1), WEBNN_LIST(1)};
  webnn_gemm_options options = WEBNN_ZERO;
  webnn_operand *a, *b;
  options.a_transpose = below(3) == 0;
  options.b_transpose = below(2) != 0;
  options.alpha = webnn_f64(below(3) == 0 ? 2 : 1);
  options.beta = webnn_f64(below(3) == 0 ? -2 : 1);
  options.c = kind < 4 ? operand(s, c[kind], false, false) : NULL;
  a = operand(s, options.a_transpose ? WEBNN_LIST(k, m) : WEBNN_LIST(m, k), false, false);
  b = operand(s, options.b_transpose ? WEBNN_LIST(n, k) : WEBNN_LIST(k, n), below(2) != 0, false);
  about(s, "gemm %u x %u x %u, c %u%s%s", (unsigned)m, (unsigned)k, (unsigned)n, (unsigned)kind,
        options.a_transpose ? ", a transposed" : "", options.b_transpose ? ", b transposed" : "");
  return with_endings(s, webnn_gemm(s->builder, a, b, &options), 1);
}

/* What a convolution is made of, along both axes of the image. */
typedef struct convolved {
  uint32_t in[2], window[2], strides[2], dilations[2], padding[4], out[2];
  uint32_t images, inputs, outputs, groups;
  bool nhwc;
} convolved;

/* Does the window fit? */
static bool fits(convolved *c) {
  uint32_t i;
  for (i = 0; i < 2; i++) {
    const uint32_t padded = c->in[i] + c->padding[2 * i] + c->padding[2 * i + 1];
    const uint32_t reach = (c->window[i] - 1) * c->dilations[i] + 1;
    c->out[i] = padded < reach ? 0 : (padded - reach) / c->strides[i] + 1;
  }
  return c->out[0] > 0 && c->out[1] > 0;
}

static webnn_operand *made_convolution(sketch *s, const convolved *c) {
  const uint32_t n = c->images, h = c->in[0], w = c->in[1], inputs = c->inputs;
  const bool constant = below(4) != 0, special = below(4) == 0;
  webnn_operand *x, *filter;
  webnn_conv2d_options options = WEBNN_ZERO;
  options.padding = webnn_list_of(c->padding, 4);
  options.strides = webnn_list_of(c->strides, 2);
  options.dilations = webnn_list_of(c->dilations, 2);
  options.groups = c->groups;
  options.input_layout = c->nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  x = operand(s, c->nhwc ? WEBNN_LIST(n, h, w, inputs) : WEBNN_LIST(n, inputs, h, w), false, false);
  filter = operand(s, WEBNN_LIST(c->outputs, inputs / c->groups, c->window[0], c->window[1]),
                   constant, special);
  options.bias = below(2) ? operand(s, WEBNN_LIST(c->outputs), false, false) : NULL;
  about(s, "conv2d %s [%u,%u,%u,%u] to %u, %u groups, windows %u x %u, strides %u %u",
        c->nhwc ? "nhwc" : "nchw", n, inputs, h, w, c->outputs, c->groups, c->window[0],
        c->window[1], c->strides[0], c->strides[1]);
  about(s, ", dilations %u %u, padding %u %u %u %u%s", c->dilations[0], c->dilations[1],
        c->padding[0], c->padding[1], c->padding[2], c->padding[3],
        special ? ", infinite weights" : "");
  return with_endings(s, webnn_conv2d(s->builder, x, filter, &options), c->nhwc ? 3 : 1);
}

/* Few pixels, often as many as a tile has rows, and few channels; or more pixels, channels enough
   for kernels to leave out what is outside the image, and windows of one column. */
static webnn_operand *made_conv2d(sketch *s) {
  static const uint32_t sizes[][2] = {{6, 7}, {7, 7}, {5, 12}, {12, 13}, {1, 6}, {2, 3},
                                      {3, 2}, {2, 7}, {2, 4},  {4, 6},   {1, 8}};
  static const uint32_t channels[] = {1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 64};
  convolved c;
  uint32_t i;
  do {
    const bool many = below(6) == 0;
    const uint32_t size = below(many ? 4 : 11);
    memset(&c, 0, sizeof c);
    c.images = pick(1, 2);
    c.groups = below(5) == 0 ? 2 : 1;
    c.inputs = c.groups * (many ? 130 : ONE_OF(channels));
    c.outputs = c.groups * (below(4) == 0 ? pick(1, 9) : widths[below(many ? 11 : 20)]);
    c.nhwc = below(2) != 0;
    for (i = 0; i < 2; i++) {
      c.window[i] = many && i == 1 ? 1 : pick(1, 3);
      c.strides[i] = below(4) == 0 ? 2 : 1;
      c.dilations[i] = below(6) == 0 ? 2 : 1;
      c.in[i] = sizes[size][i];
      if (below(3)) { /* as many pixels as without a window */
        c.padding[2 * i] = (c.window[i] - 1) / 2;
        c.padding[2 * i + 1] = c.window[i] - 1 - c.padding[2 * i];
      } else {
        c.padding[2 * i] = below(3);
        c.padding[2 * i + 1] = below(3);
      }
    }
  } while (!fits(&c));
  return made_convolution(s, &c);
}

/* Of few channels, in nchw, with rows of results as long as vectors, or a few columns shorter. */
static webnn_operand *made_few_channels(sketch *s) {
  static const uint32_t columns[] = {15, 16, 17, 29, 31, 32, 33, 48, 62, 64, 65, 80};
  static const uint32_t outputs[] = {7, 8, 16, 24, 64, 72};
  convolved c;
  uint32_t i;
  do {
    memset(&c, 0, sizeof c);
    c.images = pick(1, 2);
    c.groups = 1;
    c.inputs = below(6) ? pick(1, 4) : 33;
    c.outputs = ONE_OF(outputs);
    for (i = 0; i < 2; i++) {
      c.window[i] = below(2) ? 3 : pick(1, 5);
      c.strides[i] = below(2) ? 1 : pick(2, 3);
      c.dilations[i] = below(6) ? 1 : pick(2, 3);
      c.in[i] = i == 0 ? pick(1, 20) : ONE_OF(columns) * c.strides[1] - below(2);
      c.padding[2 * i] = below(3) ? (c.window[i] - 1) / 2 : below(4);
      c.padding[2 * i + 1] = below(3) ? c.window[i] / 2 : below(4);
    }
  } while (!fits(&c));
  return made_convolution(s, &c);
}

/* Depthwise, of images as wide as vectors, one more and one less, mostly by 3 x 3 windows. */
static webnn_operand *made_depthwise(sketch *s) {
  static const uint32_t columns[] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 15, 16, 17, 18, 19, 33};
  convolved c;
  uint32_t i;
  do {
    const uint32_t stride = below(3) ? 1 : pick(2, 3);
    memset(&c, 0, sizeof c);
    c.images = pick(1, 2);
    c.groups = c.inputs = c.outputs = pick(1, 9);
    c.nhwc = below(6) == 0;
    for (i = 0; i < 2; i++) {
      c.window[i] = below(6) ? 3 : pick(1, 5);
      c.strides[i] = below(8) ? stride : pick(1, 3);
      c.dilations[i] = below(8) ? 1 : 2;
      c.in[i] = i == 0 ? pick(1, 12) : ONE_OF(columns);
      c.padding[2 * i] = below(3) ? 1 : below(8);
      c.padding[2 * i + 1] = below(3) ? 1 : below(8);
    }
  } while (!fits(&c));
  return made_convolution(s, &c);
}

/* Few outputs; windows of twice the step, and others. */
static webnn_operand *made_conv_transpose2d(sketch *s) {
  uint32_t in[2], window[2], strides[2], dilations[2], padding[4], i;
  const uint32_t images = pick(1, 2), inputs = pick(1, 9), outputs = pick(1, 5);
  webnn_conv_transpose2d_options options = WEBNN_ZERO;
  webnn_operand *x, *filter;
  for (i = 0; i < 2; i++) {
    in[i] = pick(1, 6);
    strides[i] = pick(1, 4);
    window[i] = below(2) ? 2 * strides[i] : pick(1, 6);
    dilations[i] = below(6) ? 1 : 2;
    padding[2 * i] = below(window[i]) / 2;
    padding[2 * i + 1] = below(window[i]) / 2;
  }
  options.padding = webnn_list_of(padding, 4);
  options.strides = webnn_list_of(strides, 2);
  options.dilations = webnn_list_of(dilations, 2);
  x = operand(s, WEBNN_LIST(images, inputs, in[0], in[1]), false, false);
  filter = operand(s, WEBNN_LIST(inputs, outputs, window[0], window[1]), below(3) != 0, false);
  options.bias = below(2) ? operand(s, WEBNN_LIST(outputs), false, false) : NULL;
  about(s, "convTranspose2d [%u,%u,%u,%u] to %u, windows %u x %u, strides %u %u, dilations %u %u",
        images, inputs, in[0], in[1], outputs, window[0], window[1], strides[0], strides[1],
        dilations[0], dilations[1]);
  about(s, ", padding %u %u %u %u", padding[0], padding[1], padding[2], padding[3]);
  return with_endings(s, webnn_conv_transpose2d(s->builder, x, filter, &options), 1);
}

static webnn_operand *(*const makers[])(sketch *s) = {
    made_matmul,       made_gemm,      made_conv2d,    made_conv2d,
    made_few_channels, made_depthwise, made_depthwise, made_conv_transpose2d};
enum { MAKERS = sizeof makers / sizeof *makers };

/* Makes the graph of a seed and computes it; the result, *count elements, is to be freed. */
static void *result_of(webnn_context *context, uint32_t maker, uint64_t seed, sketch *s,
                       size_t *count) {
  webnn_named_input inputs[MOST_OPERANDS];
  webnn_graph_port ports[MOST_OPERANDS];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_operand *y;
  void *result;
  size_t in, bytes, i;
  memset(s, 0, sizeof *s);
  memset(inputs, 0, sizeof inputs);
  random_state = seed;
  s->type = below(5) == 0 ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
  about(s, "%s ", s->type == WEBNN_FLOAT16 ? "float16" : "float32");
  s->builder = test_builder(context);
  y = makers[maker](s);
  *count = test_element_count(webnn_operand_shape(y));
  bytes = webnn_data_type_bits(s->type) / 8;
  result = test_allocate(*count * bytes + 1);
  (void)webnn_build(s->builder, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  in = webnn_graph_inputs(graph, ports, MOST_OPERANDS);
  for (i = 0; i < in; i++) {
    const uint32_t k = (uint32_t)(ports[i].name[1] - '0');
    inputs[i].name = ports[i].name;
    inputs[i].data = s->data[k];
    inputs[i].byte_length = test_element_count(s->shapes[k]) * bytes;
  }
  (void)webnn_compute(context, graph, inputs, in, WEBNN_OUTPUTS({"y", result, *count * bytes}),
                      &error);
  CHECK(s->about, error.status == WEBNN_OK, "%s", error.message);
  webnn_free_graph(graph);
  webnn_free_builder(s->builder);
  for (i = 0; i < s->count; i++) {
    free(s->data[i]);
  }
  return result;
}

/* The graph in every context, beside the reference. */
static void try_graph(uint32_t maker, uint64_t seed) {
  sketch s;
  size_t count, i, k;
  void *expected = result_of(reference, maker, seed, &s, &count);
  for (i = 0; i < machine_count; i++) {
    void *y = result_of(machines[i].context, maker, seed, &s, &count);
    test_group group = test_group_begin(s.about);
    for (k = 0; k < count; k++) {
      const double actual = test_get(s.type, y, k), wanted = test_get(s.type, expected, k);
      test_group_see(&group, actual == wanted || (isnan(actual) && isnan(wanted)),
                     "%s: element %u is %g, expected %g", machines[i].name, (unsigned)k, actual,
                     wanted);
    }
    test_group_end(&group);
    free(y);
  }
  free(expected);
}

int main(int argc, char **argv) {
  const uint32_t rounds = argc > 1 ? (uint32_t)atoi(argv[1]) : 50;
  const uint32_t first = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
  uint32_t round, i;
  open_machines();
  for (round = first; round < first + rounds; round++) {
    test_repeat("build/fast_tiles 1 %u", (unsigned)round);
    for (i = 0; i < MAKERS * 4; i++) {
      try_graph(i % MAKERS, 1 + (uint64_t)round * 1000003 + i * 7919);
    }
  }
  close_machines();
  return test_end();
}
