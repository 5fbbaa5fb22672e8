/* Quantized matmul, gemm and conv2d: random shapes, layouts, strides, dilations, paddings, groups,
   types, scales and zero points. The kernels first, on nodes made by hand, for every table of
   vector functions that the machine can run (those for processors without dot products of bytes,
   too), with items in slices of several sizes; then graphs of
   dequantizations, the operator, a bias, a clamping and a quantization in fast contexts with 1, 2 and
   40 threads and in the reference context. What is expected comes from sums in 64 bits and a scaling
   in double precision:

       y = roundEven(clamp(sum x_scale w_scale + bias, low, high) / y_scale) + y_zero, saturated

   and must be the same, except where the number before rounding is so close to a tie that the
   roundings to float32 can decide: kernels round three times, the reference also each dequantized
   factor. Those results are counted and must be rare. */
#include "machines.h"
#include "planned.h"
#include "random.h"

/* Quantities of a convolution; a matrix product is one of 1 x 1, with an image of one row. */
typedef struct byte_problem {
  webnn_op op;
  bool a_transpose, b_transpose;
  uint32_t input_layout, filter_layout, groups;
  uint32_t x[4], w[4], y[4]; /* n c h w; output, input, h, w; n c h w */
  uint32_t padding[4], strides[2], dilations[2];
  webnn_data_type x_type, w_type, y_type, bias_type; /* bias_type 0: none */
  bool per_channel;
  float low, high;
  bool whole; /* inputs are the largest there are */
  int weights;
} byte_problem;

/* Weights: any; the largest there are; no two of which are more than 128 in magnitude together, for
   which AVX2 has a shorter way: of 64, or of 127 and 1 by turns of inputs; and one more than that. */
enum { ANY_WEIGHTS, WHOLE_WEIGHTS, SMALL_WEIGHTS, UNEVEN_WEIGHTS, TOO_LARGE, WEIGHT_KINDS };

static const uint8_t image_axes[2][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}}; /* nchw, nhwc */
static const uint8_t filter_axes[4][4] = {{0, 1, 2, 3}, {2, 3, 1, 0}, {0, 2, 3, 1}, {1, 2, 3, 0}};

static void make_types(byte_problem *p) {
  p->x_type = below(2) ? WEBNN_UINT8 : WEBNN_INT8;
  p->w_type = below(4) ? WEBNN_INT8 : WEBNN_UINT8;
  p->y_type = below(4) == 0 ? WEBNN_FLOAT32 : below(2) ? WEBNN_UINT8 : WEBNN_INT8;
  p->bias_type = (webnn_data_type)(below(3) == 0 ? 0 : below(2) ? WEBNN_INT32 : WEBNN_FLOAT32);
  p->per_channel = below(2) != 0;
  p->low = below(3) == 0 ? 0.0f : -1e30f;
  p->high = below(3) == 0 ? 1.5f : 1e30f;
  p->whole = below(8) == 0; /* often with weights that are, too */
  p->weights = below(2) != 0 ? (p->whole ? WHOLE_WEIGHTS : ANY_WEIGHTS) : (int)below(WEIGHT_KINDS);
}

static void make_matrices(byte_problem *p) {
  uint32_t i;
  p->op = below(2) ? WEBNN_OP_MATMUL : WEBNN_OP_GEMM;
  p->a_transpose = p->op == WEBNN_OP_GEMM && below(2);
  p->b_transpose = p->op == WEBNN_OP_GEMM && below(2);
  p->groups = 1;
  for (i = 0; i < 4; i++) {
    p->x[i] = p->w[i] = p->y[i] = 1;
    p->padding[i] = 0;
    p->strides[i / 2] = p->dilations[i / 2] = 1;
  }
  p->x[3] = p->y[3] = below(12) == 0 ? pick(250, 600) : pick(1, 40);
  p->x[1] = p->w[1] = below(8) == 0 ? pick(500, 1100) : pick(1, 70);
  p->y[1] = p->w[0] = pick(1, 80);
  if (p->op == WEBNN_OP_MATMUL) {
    p->x[2] = p->y[2] = pick(1, 3);
  }
}

static void make_images(byte_problem *p) {
  const uint32_t kind = below(4);
  uint32_t i;
  p->op = WEBNN_OP_CONV2D;
  p->input_layout = below(2);
  p->filter_layout = below(4);
  p->groups = kind == 0 ? pick(2, 150) : kind == 1 ? pick(1, 4) : 1;
  p->w[1] = kind == 0 ? 1 : below(6) == 0 ? pick(20, 200) : pick(1, 20);
  p->w[0] = p->groups * (kind == 0 && below(4) ? 1 : pick(1, kind == 0 ? 2 : 40));
  p->x[0] = p->y[0] = pick(1, 2);
  p->x[1] = p->w[1] * p->groups;
  p->y[1] = p->w[0];
  for (i = 0; i < 2; i++) {
    p->w[2 + i] = kind == 3 ? 1 : below(2) ? 3 : pick(1, 5);
    p->strides[i] = below(2) ? 1 : pick(1, 3);
    p->dilations[i] = below(3) ? 1 : pick(1, 2);
    p->padding[2 * i] = below(2) && kind != 3 ? below(3) : 0;
    p->padding[2 * i + 1] = below(2) && kind != 3 ? below(3) : 0;
    p->x[2 + i] = span(p->w[2 + i], p->dilations[i]) + (below(20) == 0 ? 70 : below(20));
    p->y[2 + i] = (p->x[2 + i] + p->padding[2 * i] + p->padding[2 * i + 1] -
                   span(p->w[2 + i], p->dilations[i])) /
                      p->strides[i] +
                  1;
  }
}

/* ---- Tensors ------------------------------------------------------------------------------------
 */

static size_t count_of(const uint32_t *size) {
  return (size_t)size[0] * size[1] * size[2] * size[3];
}

/* Where an element stands whose coordinates are given in the order of `size`. */
static size_t place(const uint32_t *size, const uint8_t *axes, const uint32_t *c) {
  size_t at = 0;
  int i;
  for (i = 0; i < 4; i++) {
    at = at * size[axes[i]] + c[axes[i]];
  }
  return at;
}

static size_t x_place(const byte_problem *p, const uint32_t *c) {
  static const uint8_t transposed[4] = {0, 2, 1, 3};
  return place(p->x,
               p->op == WEBNN_OP_CONV2D ? image_axes[p->input_layout]
               : p->a_transpose         ? transposed
                                        : image_axes[1],
               c);
}

static size_t y_place(const byte_problem *p, const uint32_t *c) {
  return place(p->y, image_axes[p->op == WEBNN_OP_CONV2D ? p->input_layout : 1], c);
}

static size_t w_place(const byte_problem *p, const uint32_t *c) {
  return place(p->w,
               filter_axes[p->op == WEBNN_OP_CONV2D ? p->filter_layout
                           : p->b_transpose         ? 0
                                                    : 1],
               c);
}

typedef struct tensors {
  void *x, *w, *bias;
  float x_scale, y_scale, *w_scale, *bias_scale;
  uint8_t x_zero, y_zero, *w_zero;
  int32_t *bias_zero;
  size_t channels; /* 1 or the output channels */
} tensors;

static int32_t byte_of(webnn_data_type type, uint8_t byte) {
  return type == WEBNN_INT8 && byte > 127 ? byte - 256 : byte;
}

/* A weight of the kind that goes with this input. */
static int32_t weight_of(int kind, uint32_t input) {
  const int32_t sign = below(2) ? -1 : 1;
  switch (kind) {
  case WHOLE_WEIGHTS:
    return -128;
  case SMALL_WEIGHTS:
  case TOO_LARGE:
    return sign * (int32_t)(below(2) ? 64 : below(65));
  case UNEVEN_WEIGHTS:
    return input % 2 ? sign : sign * 127;
  default:
    return (int32_t)below(256) - 128;
  }
}

static void make_weights(const byte_problem *p, uint8_t *w, size_t count) {
  const uint32_t zero = p->w_type == WEBNN_UINT8 ? 128 : 0;
  uint32_t c[4];
  for (c[0] = 0; c[0] < p->w[0]; c[0]++) {
    for (c[1] = 0; c[1] < p->w[1]; c[1]++) {
      for (c[2] = 0; c[2] < p->w[2]; c[2]++) {
        for (c[3] = 0; c[3] < p->w[3]; c[3]++) {
          w[w_place(p, c)] = (uint8_t)((uint32_t)weight_of(p->weights, c[1]) + zero);
        }
      }
    }
  }
  if (p->weights == TOO_LARGE) {
    w[below((uint32_t)count)] = (uint8_t)((below(2) ? 65u : 0u - 65u) + zero);
  }
}

static void make_tensors(const byte_problem *p, tensors *t) {
  const size_t terms = (size_t)p->w[1] * p->w[2] * p->w[3], outputs = p->w[0];
  const size_t x_count = count_of(p->x), w_count = count_of(p->w);
  double root = 1;
  size_t i;
  t->channels = p->per_channel ? outputs : 1;
  t->x = test_allocate(x_count);
  t->w = test_allocate(w_count);
  t->bias = test_allocate(outputs * 4);
  t->w_scale = (float *)test_allocate(outputs * sizeof(float));
  t->bias_scale = (float *)test_allocate(outputs * sizeof(float));
  t->w_zero = (uint8_t *)test_allocate(outputs);
  t->bias_zero = (int32_t *)test_allocate(outputs * sizeof(int32_t));
  for (i = 0; i < x_count; i++) {
    ((uint8_t *)t->x)[i] = (uint8_t)(p->whole ? (p->x_type == WEBNN_INT8 ? 128 : 255) : below(256));
  }
  make_weights(p, (uint8_t *)t->w, w_count);
  t->x_scale = (float)test_random_between(&random_state, 0.01, 0.05);
  t->x_zero = (uint8_t)(below(2) ? 0 : below(256));
  t->y_zero = (uint8_t)below(256);
  for (i = 0; i < outputs; i++) { /* weights less their zero points are int8 */
    t->w_scale[i] = (float)test_random_between(&random_state, 0.005, 0.01);
    t->w_zero[i] = (uint8_t)(p->w_type == WEBNN_UINT8 ? 128 : 0);
    t->bias_scale[i] = t->x_scale * t->w_scale[p->per_channel ? i : 0];
    t->bias_zero[i] = below(2) ? 0 : (int32_t)pick(0, 9) - 5;
    if (p->bias_type == WEBNN_INT32) {
      ((int32_t *)t->bias)[i] = (int32_t)below(20001) - 10000;
    } else {
      ((float *)t->bias)[i] = (float)test_random_between(&random_state, -1, 1);
    }
  }
  while (root * root < (double)terms) {
    root++;
  }
  t->y_scale =
      (float)(0.03 * 128 * 0.007 * 80 * root / 200 * test_random_between(&random_state, 0.5, 1.5));
}

static void free_tensors(tensors *t) {
  free(t->x);
  free(t->w);
  free(t->bias);
  free(t->w_scale);
  free(t->bias_scale);
  free(t->w_zero);
  free(t->bias_zero);
}

/* ---- What is expected --------------------------------------------------------------------------
 */

/* The sum for one result, and the sum of the terms' magnitudes. */
static int64_t sum_of(const byte_problem *p, const tensors *t, const uint32_t *y,
                      int64_t *magnitude) {
  const uint32_t inputs = p->w[1], group = y[1] / (p->w[0] / p->groups);
  const int32_t x_zero = byte_of(p->x_type, t->x_zero);
  const int32_t w_zero = byte_of(p->w_type, t->w_zero[p->per_channel ? y[1] : 0]);
  int64_t sum = 0;
  uint32_t x[4], w[4];
  x[0] = y[0];
  w[0] = y[1];
  *magnitude = 0;
  for (w[1] = 0; w[1] < inputs; w[1]++) {
    x[1] = group * inputs + w[1];
    for (w[2] = 0; w[2] < p->w[2]; w[2]++) {
      x[2] = y[2] * p->strides[0] + w[2] * p->dilations[0] - p->padding[0];
      for (w[3] = 0; w[3] < p->w[3]; w[3]++) {
        x[3] = y[3] * p->strides[1] + w[3] * p->dilations[1] - p->padding[2];
        if (x[2] < p->x[2] && x[3] < p->x[3]) { /* unsigned: negative ones are large */
          const int64_t a = byte_of(p->x_type, ((const uint8_t *)t->x)[x_place(p, x)]) - x_zero;
          const int64_t b = byte_of(p->w_type, ((const uint8_t *)t->w)[w_place(p, w)]) - w_zero;
          sum += a * b;
          *magnitude += a * b < 0 ? -a * b : a * b;
        }
      }
    }
  }
  return sum;
}

static double round_even(double x) {
  const double big = 6755399441055744.0; /* 1.5 2^52 */
  volatile double y = x + big;
  return y - big;
}

enum { KERNEL, DEQUANTIZED }; /* what is rounded: the last steps; all factors too */

typedef struct expected {
  double value;    /* of float32 results, or the integer */
  double other[2]; /* what it may be as well, because of a tie nearby; else the same */
  double error[2]; /* of float32 results: what they may differ by */
} expected;

static double bounded(const byte_problem *p, double x) {
  const double low = (double)p->low, high = (double)p->high;
  return x < low ? low : x > high ? high : x;
}

static double quantized(const byte_problem *p, const tensors *t, double real) {
  const double zero = byte_of(p->y_type, t->y_zero), least = p->y_type == WEBNN_INT8 ? -128 : 0;
  const double y = round_even(real / (double)t->y_scale) + zero;
  return y < least ? least : y > least + 255 ? least + 255 : y;
}

static double magnitude_of(double x) {
  return x < 0 ? -x : x;
}

static expected expect(const byte_problem *p, const tensors *t, const uint32_t *y) {
  static const double units[2] = {3, 4}; /* of 2^-24 */
  const size_t o = p->per_channel ? y[1] : 0;
  int64_t magnitude;
  const int64_t sum = sum_of(p, t, y, &magnitude);
  const double scale = (double)t->x_scale * (double)t->w_scale[o];
  double bias = 0, real;
  expected e;
  int i;
  if (p->bias_type == WEBNN_FLOAT32) {
    bias = (double)((const float *)t->bias)[y[1]];
  } else if (p->bias_type == WEBNN_INT32) {
    bias = (double)(((const int32_t *)t->bias)[y[1]] - t->bias_zero[o]) * (double)t->bias_scale[o];
  }
  real = (double)sum * scale + bias;
  e.value = bounded(p, real);
  for (i = 0; i < 2; i++) {
    const double terms = i == KERNEL ? magnitude_of((double)sum) : (double)magnitude;
    e.error[i] = (terms * scale + magnitude_of(bias)) * units[i] * 0x1p-24;
    e.other[i] = e.value;
  }
  if (p->y_type != WEBNN_FLOAT32) {
    e.value = quantized(p, t, e.value);
    for (i = 0; i < 2; i++) {
      const double slack = 1.5 * 0x1p-24; /* bounds are divided by the scale in float32 */
      const double less = bounded(p, real - e.error[i]), more = bounded(p, real + e.error[i]);
      const double low = quantized(p, t, less - magnitude_of(less) * slack);
      e.other[i] = low != e.value ? low : quantized(p, t, more + magnitude_of(more) * slack);
    }
  }
  return e;
}

/* What is expected of all results, in the order n c h w. */
static expected *expect_all(const byte_problem *p, const tensors *t) {
  expected *all = (expected *)test_allocate(count_of(p->y) * sizeof *all), *e = all;
  uint32_t y[4];
  for (y[0] = 0; y[0] < p->y[0]; y[0]++) {
    for (y[1] = 0; y[1] < p->y[1]; y[1]++) {
      for (y[2] = 0; y[2] < p->y[2]; y[2]++) {
        for (y[3] = 0; y[3] < p->y[3]; y[3]++) {
          *e++ = expect(p, t, y);
        }
      }
    }
  }
  return all;
}

static unsigned long all_results[2], close_results[2], other_results[2];

static bool is_good(const byte_problem *p, const expected *e, int kind, double value) {
  if (p->y_type == WEBNN_FLOAT32) {
    return magnitude_of(value - e->value) <= e->error[kind] + 1e-44;
  }
  all_results[kind]++;
  close_results[kind] += e->other[kind] != e->value;
  other_results[kind] += value != e->value;
  return value == e->value || value == e->other[kind];
}

static void compare(const byte_problem *p, const expected *want, const void *got, int kind,
                    const char *where) {
  static const uint8_t in_order[4] = {0, 1, 2, 3};
  const size_t count = count_of(p->y);
  uint32_t y[4] = {0};
  size_t i;
  for (i = 0; i < count; i++) {
    double value;
    y[3] = (uint32_t)(i % p->y[3]);
    y[2] = (uint32_t)(i / p->y[3] % p->y[2]);
    y[1] = (uint32_t)(i / p->y[3] / p->y[2] % p->y[1]);
    y[0] = (uint32_t)(i / p->y[3] / p->y[2] / p->y[1]);
    value = test_get(p->y_type, got, y_place(p, y));
    if (!is_good(p, &want[place(p->y, in_order, y)], kind, value)) {
      break;
    }
  }
  CHECK(webnn_op_name(p->op), i == count,
        "%s, %s x %s -> %s, y[%u, %u, %u, %u] of [%u, %u, %u, %u], window %u x %u of %u, "
        "%u groups: expected %.9g, got %.9g",
        where, webnn_data_type_name(p->x_type), webnn_data_type_name(p->w_type),
        webnn_data_type_name(p->y_type), y[0], y[1], y[2], y[3], p->y[0], p->y[1], p->y[2], p->y[3],
        p->w[2], p->w[3], p->w[1], p->groups, i < count ? want[i].value : 0,
        i < count ? test_get(p->y_type, got, y_place(p, y)) : 0);
}

/* ---- The kernels on nodes made by hand ----------------------------------------------------------
 */

static void set_shape(webnn__shape *shape, const uint32_t *size, const uint8_t *axes) {
  int i;
  shape->rank = 4;
  for (i = 0; i < 4; i++) {
    shape->dimensions[i] = size[axes[i]];
  }
}

/* The shape that the operator has. */
static void byte_shape_of(const byte_problem *p, int which, webnn__shape *shape) {
  memset(shape, 0, sizeof *shape);
  if (p->op == WEBNN_OP_CONV2D) {
    set_shape(shape,
              which == 0   ? p->x
              : which == 1 ? p->w
                           : p->y,
              which == 1 ? filter_axes[p->filter_layout] : image_axes[p->input_layout]);
    return;
  }
  if (p->op == WEBNN_OP_MATMUL && which != 1) {
    shape->dimensions[shape->rank++] = p->x[2];
  }
  shape->rank += 2;
  if (which == 1) {
    shape->dimensions[0] = p->b_transpose ? p->w[0] : p->w[1];
    shape->dimensions[1] = p->b_transpose ? p->w[1] : p->w[0];
  } else {
    const uint32_t channels = which == 0 ? p->x[1] : p->y[1];
    const bool transposed = which == 0 && p->a_transpose;
    shape->dimensions[shape->rank - 2] = transposed ? channels : p->x[3];
    shape->dimensions[shape->rank - 1] = transposed ? p->x[3] : channels;
  }
}

static void view_of(webnn__view *view, webnn_data_type type, const void *data, size_t count) {
  memcpy(&view->data, &data, sizeof data);
  view->type = type;
  view->shape.rank = 1;
  view->shape.dimensions[0] = (uint32_t)count;
  view->count = count;
  view->is_constant = true;
}

static void check_byte_kernels(const byte_problem *p, const tensors *t, const expected *want,
                               const webnn__kernels *kernels) {
  const size_t count = count_of(p->y), bytes = count * webnn_data_type_bits(p->y_type) / 8;
  static const uint32_t filter_layouts[4] = {WEBNN__FILTER_OIHW, WEBNN__FILTER_HWIO,
                                             WEBNN__FILTER_OHWI, WEBNN__FILTER_IHWO};
  webnn__view views[WEBNN__QUANTIZED_INPUTS], y;
  webnn__fused fused;
  webnn__node node;
  webnn__kernel_call call;
  planned step;
  void *result = test_allocate(bytes + 64), *first = test_allocate(bytes);
  uint32_t i;
  memset(views, 0, sizeof views);
  memset(&y, 0, sizeof y);
  memset(&fused, 0, sizeof fused);
  memset(&node, 0, sizeof node);
  memset(&call, 0, sizeof call);
  fused.low = p->low;
  fused.high = p->high;
  fused.quantized = true;
  node.op = p->op;
  node.fused = &fused;
  node.attributes.groups = p->groups;
  node.attributes.input_layout = p->input_layout == 0 ? WEBNN_LAYOUT_NCHW : WEBNN_LAYOUT_NHWC;
  node.attributes.filter_layout = filter_layouts[p->filter_layout];
  node.attributes.a_transpose = p->a_transpose;
  node.attributes.b_transpose = p->b_transpose;
  for (i = 0; i < 4; i++) {
    node.attributes.padding.dimensions[i] = p->padding[i];
    node.attributes.strides.dimensions[i / 2] = p->strides[i / 2];
    node.attributes.dilations.dimensions[i / 2] = p->dilations[i / 2];
  }
  view_of(&views[0], p->x_type, t->x, count_of(p->x));
  view_of(&views[1], p->w_type, t->w, count_of(p->w));
  view_of(&views[WEBNN__X_SCALE], WEBNN_FLOAT32, &t->x_scale, 1);
  view_of(&views[WEBNN__X_ZERO], p->x_type, &t->x_zero, 1);
  view_of(&views[WEBNN__W_SCALE], WEBNN_FLOAT32, t->w_scale, t->channels);
  view_of(&views[WEBNN__W_ZERO], p->w_type, t->w_zero, t->channels);
  if (p->bias_type != 0) {
    view_of(&views[2], p->bias_type, t->bias, p->w[0]);
  }
  if (p->bias_type == WEBNN_INT32) {
    view_of(&views[WEBNN__BIAS_SCALE], WEBNN_FLOAT32, t->bias_scale, t->channels);
    view_of(&views[WEBNN__BIAS_ZERO], WEBNN_INT32, t->bias_zero, t->channels);
  }
  if (p->y_type != WEBNN_FLOAT32) {
    view_of(&views[WEBNN__Y_SCALE], WEBNN_FLOAT32, &t->y_scale, 1);
    view_of(&views[WEBNN__Y_ZERO], p->y_type, &t->y_zero, 1);
  }
  view_of(&y, p->y_type, result, count);
  byte_shape_of(p, 0, &views[0].shape);
  byte_shape_of(p, 1, &views[1].shape);
  byte_shape_of(p, 2, &y.shape);
  call.node = &node;
  call.attributes = &node.attributes;
  call.x = views;
  call.y = &y;
  call.kernels = kernels;
  if (!CHECK(webnn_op_name(p->op), plan_call(&step, &call), "%s: no kernel", kernels->name)) {
    return;
  }
  for (i = 0; i < 3; i++) {
    static const uint64_t slices[3] = {UINT64_MAX / 2, 1, 3};
    memset(result, 0x5a, bytes + 64);
    run_planned(&step, slices[i]);
    if (i == 0) {
      memcpy(first, result, bytes);
      compare(p, want, result, KERNEL, kernels->name);
    } else {
      CHECK(webnn_op_name(p->op), memcmp(first, result, bytes) == 0, "%s: other bits in slices",
            kernels->name);
    }
  }
  CHECK(webnn_op_name(p->op), ((const char *)result)[bytes] == 0x5a, "%s: wrote beyond the end",
        kernels->name);
  release_planned(&step);
  free(result);
  free(first);
}

/* ---- Graphs ------------------------------------------------------------------------------------
 */

/* What else a graph has: other users of the values between the operators. */
enum { PLAIN, X_IS_USED, RESULT_IS_USED, VARIANTS };

static webnn_operand *constant_of(webnn_builder *b, webnn_data_type type, const uint32_t *shape,
                                  uint32_t rank, const void *data) {
  webnn_operand_descriptor d;
  d.data_type = type;
  d.shape = webnn_list_of(shape, rank);
  return webnn_constant(b, d, data, test_element_count(d.shape) * webnn_data_type_bits(type) / 8);
}

/* x dequantized: one scale, or several along an axis. */
static webnn_operand *dequantized(webnn_builder *b, webnn_operand *x, uint32_t rank, uint32_t axis,
                                  size_t count, const float *scale, webnn_data_type type,
                                  const void *zero) {
  uint32_t shape[4] = {1, 1, 1, 1};
  shape[axis] = (uint32_t)count;
  return webnn_dequantize_linear(b, x, constant_of(b, WEBNN_FLOAT32, shape, rank, scale),
                                 constant_of(b, type, shape, rank, zero), NULL);
}

static webnn_operand *bias_of(webnn_builder *b, const byte_problem *p, const tensors *t) {
  webnn_operand *bias;
  if (p->bias_type == 0) {
    return NULL;
  }
  bias = constant_of(b, p->bias_type, p->w, 1, t->bias);
  return p->bias_type == WEBNN_FLOAT32
             ? bias
             : dequantized(b, bias, 1, 0, t->channels, t->bias_scale, WEBNN_INT32, t->bias_zero);
}

static webnn_operand *product_of(webnn_builder *b, const byte_problem *p, const tensors *t,
                                 webnn_operand *x, webnn_operand *w) {
  webnn_operand *bias = bias_of(b, p, t), *y;
  if (p->op == WEBNN_OP_MATMUL) {
    y = webnn_matmul(b, x, w, NULL);
    return bias == NULL ? y : webnn_add(b, bias, y, NULL);
  }
  if (p->op == WEBNN_OP_GEMM) {
    webnn_gemm_options options;
    memset(&options, 0, sizeof options);
    options.c = bias;
    options.a_transpose = p->a_transpose;
    options.b_transpose = p->b_transpose;
    return webnn_gemm(b, x, w, &options);
  }
  {
    webnn_conv2d_options options;
    memset(&options, 0, sizeof options);
    options.bias = bias;
    options.padding = webnn_list_of(p->padding, 4);
    options.strides = webnn_list_of(p->strides, 2);
    options.dilations = webnn_list_of(p->dilations, 2);
    options.groups = p->groups;
    options.input_layout = p->input_layout == 0 ? WEBNN_LAYOUT_NCHW : WEBNN_LAYOUT_NHWC;
    options.filter_layout = (webnn_conv2d_filter_operand_layout)p->filter_layout;
    return webnn_conv2d(b, x, w, &options);
  }
}

static webnn_operand *clamped(webnn_builder *b, const byte_problem *p, webnn_operand *y) {
  webnn_clamp_options options;
  if (p->low == 0 && p->high > 1e20f) {
    return webnn_relu(b, y, NULL);
  }
  if (p->low < -1e20f && p->high > 1e20f) {
    return y;
  }
  memset(&options, 0, sizeof options);
  options.min_value = webnn_f64((double)p->low);
  options.max_value = webnn_f64((double)p->high);
  return webnn_clamp(b, y, &options);
}

static uint32_t output_axis(const byte_problem *p) {
  if (p->op != WEBNN_OP_CONV2D) {
    return p->b_transpose ? 0 : 1;
  }
  return p->filter_layout == 0 || p->filter_layout == 2 ? 0 : 3;
}

/* Results and, by variant, one more output. */
static uint32_t build_outputs(webnn_builder *b, const byte_problem *p, const tensors *t,
                              int variant, webnn_operand *x, webnn_named_operand *outputs) {
  const uint32_t one[4] = {1, 1, 1, 1};
  webnn__shape x_shape, w_shape, y_shape;
  webnn_operand *w, *y, *real_x, *real;
  byte_shape_of(p, 0, &x_shape);
  byte_shape_of(p, 1, &w_shape);
  byte_shape_of(p, 2, &y_shape);
  real_x = dequantized(b, x, x_shape.rank, 0, 1, &t->x_scale, p->x_type, &t->x_zero);
  w = constant_of(b, p->w_type, w_shape.dimensions, w_shape.rank, t->w);
  w = dequantized(b, w, w_shape.rank, output_axis(p), t->channels, t->w_scale, p->w_type,
                  t->w_zero);
  y = real = clamped(b, p, product_of(b, p, t, real_x, w));
  if (p->y_type != WEBNN_FLOAT32) {
    y = webnn_quantize_linear(b, y, constant_of(b, WEBNN_FLOAT32, one, y_shape.rank, &t->y_scale),
                              constant_of(b, p->y_type, one, y_shape.rank, &t->y_zero), NULL);
  }
  outputs[0].name = "y";
  outputs[0].operand = y;
  outputs[1].name = "other";
  outputs[1].operand = webnn_neg(b, variant == X_IS_USED ? real_x : real, NULL);
  return variant == PLAIN ? 1 : 2;
}

/* How many operators of a kind are left in the plan; products of bytes for op = WEBNN_OP_COUNT. */
static uint32_t count_operators(const webnn_graph *graph, webnn_op op) {
  const webnn__program *program = ((const webnn__plan *)graph->plan)->program;
  uint32_t count = 0, i;
  for (i = 0; i < program->node_count; i++) {
    const webnn__node *node = &program->nodes[i];
    count += op == WEBNN_OP_COUNT ? node->fused != NULL && node->fused->quantized : node->op == op;
  }
  return count;
}

/* Are bytes multiplied, and is nothing left of the conversions? */
static void check_plan(const byte_problem *p, int variant, const webnn_graph *graph,
                       const char *where) {
  const uint32_t before = count_operators(graph, WEBNN_OP_DEQUANTIZE_LINEAR);
  const uint32_t after = count_operators(graph, WEBNN_OP_QUANTIZE_LINEAR);
  CHECK(webnn_op_name(p->op), count_operators(graph, WEBNN_OP_COUNT) == 1,
        "%s: there is no product of bytes", where);
  CHECK(webnn_op_name(p->op), variant != PLAIN || before + after == 0,
        "%s: %u dequantizations and %u quantizations are left", where, before, after);
}

static void *compute_bytes(webnn_context *context, const byte_problem *p, const tensors *t,
                           int variant, const char *where) {
  const size_t bytes = count_of(p->y) * webnn_data_type_bits(p->y_type) / 8;
  void *y = test_allocate(bytes);
  webnn_builder *builder = test_builder(context);
  webnn_named_operand outputs[2];
  webnn_named_tensor in, out[2];
  webnn_tensor_descriptor d;
  webnn_operand_descriptor x;
  webnn_graph *graph = NULL;
  webnn__shape shape;
  webnn_error error = WEBNN_ZERO;
  uint32_t count, i;
  bool good;
  byte_shape_of(p, 0, &shape);
  x.data_type = p->x_type;
  x.shape = webnn_list_of(shape.dimensions, shape.rank);
  count = build_outputs(builder, p, t, variant, webnn_input(builder, "x", x), outputs);
  good =
      CHECK(webnn_op_name(p->op), webnn_build(builder, outputs, count, &graph, &error) == WEBNN_OK,
            "%s", error.message);
  webnn_free_builder(builder);
  memset(&d, 0, sizeof d);
  d.readable = d.writable = true;
  d.data_type = p->x_type;
  d.shape = x.shape;
  in.name = "x";
  (void)webnn_create_tensor(context, d, &in.tensor, &error);
  (void)webnn_write_tensor(context, in.tensor, t->x, count_of(p->x), &error);
  for (i = 0; i < count; i++) {
    webnn__shape y_shape;
    byte_shape_of(p, i == 1 && variant == X_IS_USED ? 0 : 2, &y_shape);
    d.shape = webnn_list_of(y_shape.dimensions, y_shape.rank);
    d.data_type = i == 0 ? p->y_type : WEBNN_FLOAT32;
    out[i].name = outputs[i].name;
    (void)webnn_create_tensor(context, d, &out[i].tensor, &error);
  }
  good = good &&
         CHECK(webnn_op_name(p->op),
               webnn_dispatch(context, graph, &in, 1, out, count, &error) == WEBNN_OK, "%s",
               error.message) &&
         webnn_read_tensor(context, out[0].tensor, y, bytes, &error) == WEBNN_OK;
  if (good && context != reference) {
    check_plan(p, variant, graph, where);
  }
  for (i = 0; i < count; i++) {
    webnn_free_tensor(out[i].tensor);
  }
  webnn_free_tensor(in.tensor);
  webnn_free_graph(graph);
  if (!good) {
    free(y);
    return NULL;
  }
  return y;
}

static void check_graphs(const byte_problem *p, const tensors *t, const expected *want,
                         int variant) {
  const size_t bytes = count_of(p->y) * webnn_data_type_bits(p->y_type) / 8;
  void *y = compute_bytes(reference, p, t, variant, "reference"), *first = NULL;
  size_t i;
  if (y != NULL) {
    compare(p, want, y, DEQUANTIZED, "reference");
    free(y);
  }
  for (i = 0; i < machine_count; i++) {
    y = compute_bytes(machines[i].context, p, t, variant, machines[i].name);
    if (y == NULL) {
      continue;
    }
    compare(p, want, y, DEQUANTIZED, machines[i].name);
    if (strstr(machines[i].name, ", 1 ") != NULL) {
      free(first);
      first = y;
      continue;
    }
    CHECK(webnn_op_name(p->op), first != NULL && memcmp(first, y, bytes) == 0,
          "%s: not the bits of 1 thread", machines[i].name);
    free(y);
  }
  free(first);
}

/* Two tables of one set differ in what multiplies bytes, and so the tests of other kernels need to
   run one of them only. */
static void check_shared_functions(const webnn__kernels *a, const webnn__kernels *b) {
  int others = 0;
#define COUNT(condition, which, name, type, parameters) others += a->name != b->name;
  WEBNN__VECTOR_FUNCTIONS(COUNT)
#undef COUNT
  CHECK(a->name,
        others == 2 && a->quantized_tile != b->quantized_tile &&
            a->quantized_depthwise != b->quantized_depthwise &&
            memcmp(a->segments, b->segments, sizeof a->segments) == 0 && a->width == b->width &&
            a->product_rows == b->product_rows && a->product_columns == b->product_columns,
        "with dot products of bytes %d functions are others, not 2", others);
}

/* ---- All ----------------------------------------------------------------------------------------
 */

int main(int argc, char **argv) {
  static void (*const makers[])(byte_problem * p) = {make_matrices, make_images, make_images};
  const int rounds = argc > 1 ? atoi(argv[1]) : 60;
  const webnn__kernels *kernels[3 * WEBNN_ISA_WASM_SIMD + 1];
  size_t kernel_count = 0, i, k;
  int round, set;
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    kernels[kernel_count] = webnn__kernels_of((webnn_instruction_set)set);
    kernel_count += kernels[kernel_count] != NULL;
  }
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    kernels[kernel_count] = kernels_without_dot4(set);
    if (kernels[kernel_count] != NULL) {
      check_shared_functions(webnn__kernels_of((webnn_instruction_set)set),
                             kernels[kernel_count++]);
    }
    kernels[kernel_count] = kernels_without_mmla(set);
    if (kernels[kernel_count] != NULL) {
      printf("%s: matrix products of bytes\n", kernels[kernel_count++]->name);
    }
  }
  open_machines();
  open_machines_without_dot4();
  for (round = 0; round < rounds; round++) {
    for (i = 0; i < sizeof makers / sizeof *makers; i++) {
      byte_problem p;
      tensors t;
      expected *want;
      memset(&p, 0, sizeof p);
      make_types(&p);
      makers[i](&p);
      make_tensors(&p, &t);
      want = expect_all(&p, &t);
      for (k = 0; k < kernel_count; k++) {
        check_byte_kernels(&p, &t, want, kernels[k]);
      }
      if (round % 4 == 0) {
        check_graphs(&p, &t, want, (int)below(VARIANTS));
      }
      free(want);
      free_tensors(&t);
    }
  }
  close_machines();
  for (i = 0; i < 2; i++) {
    printf("%s: %lu quantized results, %lu close to a tie, %lu to the other side\n",
           i == KERNEL ? "kernels" : "graphs", all_results[i], close_results[i], other_results[i]);
    CHECK("ties", other_results[i] * (i == KERNEL ? 100000 : 2000) <= all_results[i] + 1000,
          "%lu of %lu results are to the other side of a tie", other_results[i], all_results[i]);
  }
  return test_end();
}
