/* Compile passes: random graphs give the same results with all passes, with none, with each one
   switched off and with each one alone.

   In exact graphs every value is a small integer (whatever could grow is clamped), so that no order
   of additions and no fusion may change a bit, and steps like comparisons and quantizations do not
   jump. Smooth graphs have the functions that passes recognize, written out in primitive operators
   in several ways; they are compared with what the context without passes gives, within a
   tolerance. */
#include "counting_allocator.h"
#include "explain.h"
#include "random.h"

#include <math.h>

#define MOST_VALUES 40
#define MOST_INPUTS 3

/* A graph while it grows: some values to go on from. Building it again with the same seed gives the
   same graph. */
typedef struct sketch {
  webnn_builder *builder;
  webnn_data_type type;
  webnn_operand *values[MOST_VALUES];
  uint32_t count;
} sketch;

static webnn_list shape_of(const webnn_operand *x) {
  return webnn_operand_shape(x);
}

static uint32_t dimension(const webnn_operand *x, uint32_t i) {
  return shape_of(x).items[i];
}

static uint32_t rank_of(const webnn_operand *x) {
  return shape_of(x).count;
}

/* A constant of random integers, or multiples of 1/4, between low and high. */
static webnn_operand *constant_of(sketch *s, webnn_list shape, double low, double high,
                                  double step) {
  webnn_operand_descriptor descriptor;
  size_t count = test_element_count(shape), i;
  void *data = test_allocate(count * 4);
  webnn_operand *made;
  descriptor.data_type = s->type;
  descriptor.shape = shape;
  for (i = 0; i < count; i++) {
    const uint32_t steps = (uint32_t)((high - low) / step);
    test_set(s->type, data, i, low + step * below(steps + 1));
  }
  made = webnn_constant(s->builder, descriptor, data, (size_t)webnn_byte_length(descriptor));
  free(data);
  return made;
}

static webnn_operand *number(sketch *s, double value) {
  return constant_of(s, WEBNN_EMPTY_LIST, value, value, 1);
}

static webnn_operand *limited(sketch *s, webnn_operand *x) {
  webnn_clamp_options options = WEBNN_ZERO;
  options.min_value = webnn_f64(-8);
  options.max_value = webnn_f64(8);
  return webnn_clamp(s->builder, x, &options);
}

static webnn_operand *any_value(const sketch *s) {
  return s->values[below(3) ? s->count - 1 - below(s->count < 4 ? s->count : 4) : below(s->count)];
}

/* A value of this rank, or NULL. */
static webnn_operand *value_of_rank(const sketch *s, uint32_t rank) {
  uint32_t tries;
  for (tries = 0; tries < 20; tries++) {
    webnn_operand *x = any_value(s);
    if (rank_of(x) == rank) {
      return x;
    }
  }
  return NULL;
}

/* Something that broadcasts to the shape of x: another value, a number, a row, a channel. */
static webnn_operand *partner_of(sketch *s, webnn_operand *x) {
  webnn_list list = shape_of(x);
  uint32_t i;
  for (i = 0; i < 12; i++) {
    webnn_operand *y = s->values[below(s->count)];
    if (test_same_list(shape_of(x), shape_of(y))) {
      if (y != x || below(4) == 0) {
        return y;
      }
    }
  }
  for (i = 0; i < rank_of(x); i++) {
    list.items[i] = below(2) ? dimension(x, i) : 1;
  }
  if (below(3) == 0) {
    list.count = 0;
  } else if (rank_of(x) > 0 && below(3) == 0) {
    list = WEBNN_LIST(dimension(x, rank_of(x) - 1));
  }
  return constant_of(s, list, -3, 3, 1);
}

static webnn_operand *exact_unary(sketch *s) {
  webnn_operand *x = any_value(s);
  webnn_linear_options linear = WEBNN_ZERO;
  linear.alpha = webnn_f64(2);
  linear.beta = webnn_f64(-1);
  switch (below(9)) {
  case 0:
    return webnn_abs(s->builder, x, NULL);
  case 1:
    return webnn_neg(s->builder, x, NULL);
  case 2:
    return webnn_sign(s->builder, x, NULL);
  case 3:
    return webnn_floor(s->builder, x, NULL);
  case 4:
    return webnn_identity(s->builder, x, NULL);
  case 5:
    return limited(s, webnn_linear(s->builder, x, &linear));
  case 6:
    return limited(s, x);
  default:
    return webnn_relu(s->builder, x, NULL);
  }
}

static webnn_operand *exact_binary(sketch *s) {
  webnn_operand *x = any_value(s), *y = partner_of(s, x);
  webnn_operand *a = below(2) ? x : y, *b = a == x ? y : x;
  switch (below(7)) {
  case 0:
    return limited(s, webnn_mul(s->builder, a, b, NULL));
  case 1:
    return webnn_max(s->builder, a, b, NULL);
  case 2:
    return webnn_min(s->builder, a, b, NULL);
  case 3:
    return limited(s, webnn_sub(s->builder, a, b, NULL));
  case 4:
    return webnn_mul(s->builder, x, number(s, 1), NULL);
  default:
    return limited(s, webnn_add(s->builder, a, b, NULL));
  }
}

static webnn_operand *exact_choice(sketch *s) {
  webnn_operand *x = any_value(s), *y = partner_of(s, x);
  webnn_operand *is =
      below(2) ? webnn_greater(s->builder, x, y, NULL) : webnn_equal(s->builder, x, y, NULL);
  if (below(3) == 0) {
    is = webnn_logical_not(s->builder, is, NULL);
  }
  return below(2) ? webnn_where(s->builder, is, x, y, NULL)
                  : webnn_cast(s->builder, is, s->type, NULL);
}

static webnn_operand *exact_cast(sketch *s) {
  static const webnn_data_type types[] = {WEBNN_FLOAT16, WEBNN_FLOAT32, WEBNN_INT8, WEBNN_INT32,
                                          WEBNN_INT64};
  webnn_operand *x = webnn_cast(s->builder, any_value(s), types[below(5)], NULL);
  if (below(3) == 0) {
    x = webnn_cast(s->builder, x, types[below(5)], NULL);
  }
  return webnn_cast(s->builder, x, s->type, NULL);
}

static webnn_operand *exact_quantization(sketch *s) {
  webnn_operand *x = any_value(s);
  uint32_t i;
  webnn_operand_descriptor descriptor;
  webnn_operand *scale, *zero;
  const unsigned char zeros[1] = {0};
  descriptor.data_type = WEBNN_INT8;
  descriptor.shape = shape_of(x);
  for (i = 0; i < rank_of(x); i++) {
    descriptor.shape.items[i] = 1;
  }
  scale = constant_of(s, descriptor.shape, 1, 1, 1);
  zero = webnn_constant(s->builder, descriptor, zeros, 1);
  x = webnn_quantize_linear(s->builder, x, scale, zero, NULL);
  return webnn_dequantize_linear(s->builder, x, scale, zero, NULL);
}

static webnn_operand *exact_conv(sketch *s) {
  webnn_operand *x = value_of_rank(s, 4), *bias;
  webnn_conv2d_options options = WEBNN_ZERO;
  const bool nhwc = below(4) == 0, depthwise = below(3) == 0;
  const uint32_t size = below(2) ? 1 : 3;
  uint32_t channels, made;
  if (x == NULL) {
    return NULL;
  }
  if (dimension(x, nhwc ? 1 : 2) < size || dimension(x, nhwc ? 2 : 3) < size) {
    return NULL;
  }
  channels = dimension(x, nhwc ? 3 : 1);
  made = depthwise ? channels : pick(1, 5);
  options.input_layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  options.groups = depthwise ? channels : 1;
  if (size == 3 && below(2)) {
    options.padding = WEBNN_LIST(1, 1, 1, 1);
  }
  bias = below(2) ? constant_of(s, WEBNN_LIST(made), -2, 2, 1) : NULL;
  options.bias = bias;
  x = webnn_conv2d(s->builder, x,
                   constant_of(s, WEBNN_LIST(made, depthwise ? 1 : channels, size, size), -1, 1, 1),
                   &options);
  return below(3) ? limited(s, x) : webnn_min(s->builder, limited(s, x), number(s, 4), NULL);
}

static webnn_operand *exact_pool(sketch *s) {
  webnn_operand *x = value_of_rank(s, 4);
  webnn_pool2d_options options = WEBNN_ZERO;
  webnn_resample2d_options resample = WEBNN_ZERO;
  if (x == NULL || dimension(x, 2) < 2 || dimension(x, 3) < 2 || dimension(x, 2) > 12) {
    return NULL;
  }
  if (below(2)) {
    resample.mode = WEBNN_INTERPOLATION_NEAREST_NEIGHBOR;
    resample.scales = WEBNN_FLOAT_LIST(2, 2);
    return webnn_resample2d(s->builder, x, &resample);
  }
  options.window_dimensions = WEBNN_LIST(2, 2);
  options.strides = WEBNN_LIST(below(2) ? 1 : 2, 1);
  return webnn_max_pool2d(s->builder, x, &options);
}

static webnn_operand *exact_product(sketch *s) {
  webnn_operand *x = any_value(s);
  const uint32_t rank = rank_of(x), n = pick(1, 6);
  uint32_t i;
  if (rank < 2) {
    return NULL;
  }
  if (below(3) == 0) { /* x x^T */
    webnn_transpose_options options = WEBNN_ZERO;
    options.permutation = shape_of(x);
    for (i = 0; i < rank; i++) {
      options.permutation.items[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
    }
    return limited(s, webnn_matmul(s->builder, x, webnn_transpose(s->builder, x, &options), NULL));
  }
  x = webnn_matmul(s->builder, x, constant_of(s, WEBNN_LIST(dimension(x, rank - 1), n), -1, 1, 1),
                   NULL);
  if (below(2)) {
    x = webnn_add(s->builder, x, constant_of(s, WEBNN_LIST(n), -2, 2, 1), NULL);
  }
  return below(2) ? limited(s, x) : webnn_relu(s->builder, limited(s, x), NULL);
}

/* A gemm of a matrix, with any of its options; often what follows would be merged with it. */
static webnn_operand *exact_gemm(sketch *s) {
  webnn_operand *x = value_of_rank(s, 2), *w;
  webnn_gemm_options options = WEBNN_ZERO;
  uint32_t rows, terms, columns = pick(1, 6);
  if (x == NULL) {
    return NULL;
  }
  options.a_transpose = below(3) == 0;
  options.b_transpose = below(3) == 0;
  rows = dimension(x, options.a_transpose ? 1 : 0);
  terms = dimension(x, options.a_transpose ? 0 : 1);
  columns = below(4) ? columns : rows;
  options.alpha = below(3) ? webnn_f64(1) : webnn_f64(below(2) ? 2 : -1);
  options.beta = below(3) ? webnn_f64(1) : webnn_f64(below(2) ? 2 : 0);
  if (below(2)) {
    const webnn_list shapes[4] = {WEBNN_LIST(columns), WEBNN_LIST(rows, 1),
                                  WEBNN_LIST(rows, columns), WEBNN_EMPTY_LIST};
    options.c = constant_of(s, shapes[below(4)], -2, 2, 1);
  }
  w = options.b_transpose ? constant_of(s, WEBNN_LIST(columns, terms), -1, 1, 1)
                          : constant_of(s, WEBNN_LIST(terms, columns), -1, 1, 1);
  x = webnn_gemm(s->builder, x, w, &options);
  if (below(2)) {
    x = webnn_add(s->builder, x,
                  below(2) ? constant_of(s, WEBNN_LIST(columns), -2, 2, 1) : partner_of(s, x),
                  NULL);
  }
  return below(2) ? limited(s, x) : webnn_relu(s->builder, limited(s, x), NULL);
}

/* Along some axes; often of something element-wise, which then need not be in memory, or is needed
   by others, too. */
static webnn_operand *exact_reduction(sketch *s) {
  webnn_operand *x = any_value(s);
  webnn_reduce_options options = WEBNN_ZERO;
  uint32_t i;
  options.axes = WEBNN_EMPTY_LIST;
  options.keep_dimensions = below(3) != 0;
  if (rank_of(x) == 0) {
    return NULL;
  }
  if (below(3)) {
    webnn_operand *y = partner_of(s, x);
    x = below(3)   ? webnn_sub(s->builder, x, y, NULL)
        : below(2) ? webnn_max(s->builder, x, y, NULL)
                   : limited(s, webnn_mul(s->builder, x, x, NULL));
    x = below(2) ? webnn_abs(s->builder, x, NULL) : limited(s, x);
    if (below(3) == 0) {
      s->values[s->count - 1] = x;
    }
  }
  for (i = 0; i < rank_of(x); i++) {
    if (below(2)) {
      options.axes.items[options.axes.count++] = i;
    }
  }
  switch (below(6)) {
  case 0:
    return webnn_reduce_max(s->builder, x, &options);
  case 1:
    return webnn_reduce_min(s->builder, x, &options);
  case 2:
    return limited(s, webnn_reduce_l1(s->builder, x, &options));
  case 3:
    return limited(s, webnn_reduce_sum_square(s->builder, x, &options));
  default:
    return limited(s, webnn_reduce_sum(s->builder, x, &options));
  }
}

/* Along an axis, by a list of numbers, mostly, by one number or by a table. */
static webnn_operand *gathered(sketch *s, webnn_operand *x, uint32_t axis) {
  const uint32_t rank = below(4) ? 1 : below(3);
  const webnn_list shape = rank == 0   ? WEBNN_EMPTY_LIST
                           : rank == 1 ? WEBNN_LIST(pick(1, 6))
                                       : WEBNN_LIST(2, 2);
  const webnn_operand_descriptor descriptor = {WEBNN_INT32, shape};
  webnn_gather_options options = WEBNN_ZERO;
  int32_t numbers[6];
  uint32_t i;
  for (i = 0; i < 6; i++) {
    numbers[i] = (int32_t)below(dimension(x, axis));
  }
  options.axis = axis;
  return webnn_gather(
      s->builder, x,
      webnn_constant(s->builder, descriptor, numbers, (size_t)webnn_byte_length(descriptor)),
      &options);
}

static webnn_operand *exact_movement(sketch *s) {
  webnn_operand *x = any_value(s);
  const uint32_t rank = rank_of(x), axis = rank > 0 ? below(rank) : 0;
  webnn_list first = shape_of(x), second = shape_of(x);
  uint32_t *const a = first.items, *const b = second.items, i, count = 1;
  for (i = 0; i < rank; i++) {
    count *= dimension(x, i);
    a[i] = 0;
    b[i] = dimension(x, i);
  }
  if (rank == 0) {
    return NULL;
  }
  switch (below(9)) {
  case 0: {
    a[0] = count;
    first.count = 1;
    if (below(2) && count % 2 == 0) {
      a[0] = count / 2;
      a[1] = 2;
      first.count = 2;
    }
    return webnn_reshape(s->builder, x, first, NULL);
  }
  case 1:
  case 2: {
    webnn_transpose_options options = WEBNN_ZERO;
    for (i = 0; i < rank; i++) {
      a[i] = i;
    }
    for (i = rank; i > 1; i--) {
      const uint32_t j = below(i), t = a[i - 1];
      a[i - 1] = a[j];
      a[j] = t;
    }
    options.permutation = first;
    return webnn_transpose(s->builder, x, &options);
  }
  case 3: {
    webnn_slice_options options = WEBNN_ZERO;
    options.strides = shape_of(x);
    for (i = 0; i < rank; i++) {
      a[i] = below(dimension(x, i));
      b[i] = pick(1, dimension(x, i) - a[i]);
      options.strides.items[i] = pick(1, 2);
    }
    return webnn_slice(s->builder, x, first, second, &options);
  }
  case 4: {
    webnn_operand *parts[2];
    parts[0] = x;
    parts[1] = below(2) ? x : webnn_neg(s->builder, x, NULL);
    return dimension(x, axis) > 16 ? NULL : webnn_concat(s->builder, parts, 2, axis, NULL);
  }
  case 5: {
    webnn_pad_options options = WEBNN_ZERO;
    for (i = 0; i < rank; i++) {
      a[i] = i == axis ? below(2) : 0;
      b[i] = i == axis ? below(3) : 0;
    }
    options.value = webnn_f64(-1);
    return webnn_pad(s->builder, x, first, second, &options);
  }
  case 6: {
    webnn_reverse_options options = WEBNN_ZERO;
    options.axes = below(2) ? WEBNN_LIST(axis) : WEBNN_EMPTY_LIST;
    return webnn_reverse(s->builder, x, &options);
  }
  case 7:
    return gathered(s, x, axis);
  default:
    return dimension(x, axis) == 1 && below(2)
               ? (b[axis] = 3, webnn_expand(s->builder, x, second, NULL))
               : webnn_expand(s->builder, x, second, NULL);
  }
}

/* ---- What passes recognize --------------------------------------------------------------------
 */

static webnn_operand *gelu_in_parts(sketch *s, webnn_operand *x) {
  webnn_builder *by = s->builder;
  webnn_operand *inner = below(2) ? webnn_div(by, x, number(s, sqrt(2.0)), NULL)
                                  : webnn_mul(by, x, number(s, sqrt(0.5)), NULL);
  webnn_operand *e = webnn_erf(by, inner, NULL), *one = number(s, 1), *half = number(s, 0.5);
  e = below(2) ? webnn_add(by, e, one, NULL) : webnn_add(by, one, e, NULL);
  switch (below(3)) {
  case 0:
    return webnn_mul(by, webnn_mul(by, x, e, NULL), half, NULL);
  case 1:
    return webnn_mul(by, webnn_mul(by, half, x, NULL), e, NULL);
  default:
    return webnn_mul(by, x, webnn_mul(by, e, half, NULL), NULL);
  }
}

static webnn_operand *normalization_in_parts(sketch *s, webnn_operand *x) {
  webnn_builder *by = s->builder;
  const uint32_t last = rank_of(x) - 1, width = dimension(x, last);
  webnn_reduce_options options = WEBNN_ZERO;
  webnn_operand *centred, *square, *deviation, *y;
  options.axes = WEBNN_LIST(last);
  options.keep_dimensions = true;
  centred = webnn_sub(by, x, webnn_reduce_mean(by, x, &options), NULL);
  square =
      below(2) ? webnn_mul(by, centred, centred, NULL) : webnn_pow(by, centred, number(s, 2), NULL);
  deviation = webnn_add(by, webnn_reduce_mean(by, square, &options), number(s, 0.125), NULL);
  deviation =
      below(2) ? webnn_sqrt(by, deviation, NULL) : webnn_pow(by, deviation, number(s, 0.5), NULL);
  y = webnn_div(by, centred, deviation, NULL);
  if (below(3)) {
    y = webnn_mul(by, y, constant_of(s, WEBNN_LIST(width), 0.5, 1.5, 0.25), NULL);
  }
  if (below(3)) {
    y = webnn_add(by, constant_of(s, WEBNN_LIST(width), -1, 1, 0.25), y, NULL);
  }
  return y;
}

static webnn_operand *softmax_in_parts(sketch *s, webnn_operand *x) {
  webnn_builder *by = s->builder;
  const uint32_t axis = below(rank_of(x));
  webnn_reduce_options options = WEBNN_ZERO;
  webnn_operand *e;
  options.axes = WEBNN_LIST(axis);
  options.keep_dimensions = true;
  e = webnn_exp(by, webnn_sub(by, x, webnn_reduce_max(by, x, &options), NULL), NULL);
  return webnn_div(by, e, webnn_reduce_sum(by, e, &options), NULL);
}

/* By a clamp, divided last or before, or by a hardSigmoid. */
static webnn_operand *hard_swish_in_parts(sketch *s, webnn_operand *x) {
  webnn_hard_sigmoid_options options = WEBNN_ZERO;
  if (below(2)) {
    webnn_operand *three = number(s, 3), *six = number(s, 6), *y;
    webnn_clamp_options clamp = WEBNN_ZERO;
    clamp.min_value = webnn_f64(0);
    clamp.max_value = webnn_f64(6);
    y = webnn_clamp(s->builder, webnn_add(s->builder, x, three, NULL), &clamp);
    return below(2) ? webnn_div(s->builder, webnn_mul(s->builder, x, y, NULL), six, NULL)
                    : webnn_mul(s->builder, webnn_div(s->builder, y, six, NULL), x, NULL);
  }
  options.alpha = webnn_f64(1.0 / 6);
  options.beta = webnn_f64(0.5);
  return webnn_mul(s->builder, x, webnn_hard_sigmoid(s->builder, x, &options), NULL);
}

static webnn_operand *normalized_conv(sketch *s) {
  webnn_operand *x = value_of_rank(s, 4);
  webnn_batch_normalization_options options = WEBNN_ZERO;
  webnn_conv2d_options conv = WEBNN_ZERO;
  const bool nhwc = below(2) != 0;
  const uint32_t axis = nhwc ? 3 : 1, made = pick(1, 4);
  webnn_list along;
  if (x == NULL) {
    return NULL;
  }
  along = WEBNN_LIST(made);
  conv.input_layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  conv.bias = below(2) ? constant_of(s, along, -1, 1, 0.25) : NULL;
  x = webnn_conv2d(s->builder, x,
                   constant_of(s, WEBNN_LIST(made, dimension(x, axis), 1, 1), -1, 1, 0.25), &conv);
  options.axis = webnn_f64(axis);
  options.scale = below(2) ? constant_of(s, along, 0.5, 2, 0.25) : NULL;
  options.bias = below(2) ? constant_of(s, along, -1, 1, 0.25) : NULL;
  return webnn_batch_normalization(s->builder, x, constant_of(s, along, -1, 1, 0.25),
                                   constant_of(s, along, 0.5, 2, 0.25), &options);
}

/* softmax(q k^T / c + mask) v, with heads that are transposed or not. */
static webnn_operand *attention_in_parts(sketch *s) {
  webnn_builder *by = s->builder;
  const uint32_t heads = pick(1, 3), rows = pick(1, 7), columns = pick(1, 9), depth = pick(1, 6);
  const bool across = below(2) != 0;
  webnn_transpose_options heads_first = WEBNN_ZERO, last_two = WEBNN_ZERO;
  webnn_operand *q, *k, *v, *y;
  heads_first.permutation = WEBNN_LIST(0, 2, 1, 3);
  last_two.permutation = WEBNN_LIST(0, 1, 3, 2);
  if (across) {
    q = constant_of(s, WEBNN_LIST(1, rows, heads, depth), -1, 1, 0.25);
    k = constant_of(s, WEBNN_LIST(1, columns, heads, depth), -1, 1, 0.25);
    v = constant_of(s, WEBNN_LIST(1, columns, heads, depth), -1, 1, 0.25);
  } else {
    q = constant_of(s, WEBNN_LIST(1, heads, rows, depth), -1, 1, 0.25);
    k = constant_of(s, WEBNN_LIST(1, heads, columns, depth), -1, 1, 0.25);
    v = constant_of(s, WEBNN_LIST(1, heads, columns, depth), -1, 1, 0.25);
  }
  y = webnn_mul(by, s->values[0], number(s, 0), NULL); /* not known when the graph is built */
  y = webnn_reshape(by, webnn_slice(by, y, WEBNN_LIST(0, 0, 0, 0), WEBNN_LIST(1, 1, 1, 1), NULL),
                    WEBNN_EMPTY_LIST, NULL);
  q = webnn_add(by, q, y, NULL);
  k = webnn_add(by, k, y, NULL);
  v = webnn_add(by, v, y, NULL);
  if (across) {
    q = webnn_transpose(by, q, &heads_first);
    k = webnn_transpose(by, k, &heads_first);
    v = webnn_transpose(by, v, &heads_first);
  }
  y = webnn_matmul(by, q, webnn_transpose(by, k, &last_two), NULL);
  if (below(3)) {
    y = below(2) ? webnn_div(by, y, number(s, 2), NULL) : webnn_mul(by, number(s, 0.5), y, NULL);
  }
  if (below(2)) {
    y = webnn_add(by, y,
                  below(2) ? constant_of(s, WEBNN_LIST(1, 1, rows, columns), -2, 0, 0.25)
                           : constant_of(s, WEBNN_LIST(columns), -2, 0, 0.25),
                  NULL);
  }
  y = webnn_matmul(by, webnn_softmax(by, y, 3, NULL), v, NULL);
  if (below(3)) {
    y = webnn_transpose(by, y, &heads_first);
    y = below(2) ? webnn_reshape(by, y, WEBNN_LIST(1, rows, heads * depth), NULL) : y;
  }
  return y;
}

/* Means, norms and logarithms of what element-wise operators make. */
static webnn_operand *reduction_of_chain(sketch *s) {
  webnn_builder *by = s->builder;
  webnn_operand *x = any_value(s), *y;
  webnn_reduce_options options = WEBNN_ZERO;
  const uint32_t axis = rank_of(x) > 0 ? below(rank_of(x)) : 0;
  if (rank_of(x) == 0) {
    return NULL;
  }
  options.axes = below(4) || rank_of(x) == 1 ? WEBNN_LIST(axis) : WEBNN_EMPTY_LIST;
  options.keep_dimensions = true;
  y = webnn_sigmoid(by, webnn_sub(by, x, partner_of(s, x), NULL), NULL);
  switch (below(4)) {
  case 0:
    return webnn_sub(by, y, webnn_reduce_mean(by, webnn_mul(by, y, y, NULL), &options), NULL);
  case 1:
    return webnn_div(by, y, webnn_reduce_l2(by, y, &options), NULL);
  case 2:
    return webnn_reduce_log_sum(by, webnn_add(by, y, number(s, 1), NULL), &options);
  default:
    return webnn_reduce_log_sum_exp(by, y, &options);
  }
}

static webnn_operand *smooth_step(sketch *s) {
  webnn_operand *x = any_value(s);
  switch (below(10)) {
  case 0:
    return gelu_in_parts(s, x);
  case 1:
    return rank_of(x) > 0 ? normalization_in_parts(s, x) : NULL;
  case 2:
    return rank_of(x) > 0 ? softmax_in_parts(s, x) : NULL;
  case 3:
    return hard_swish_in_parts(s, x);
  case 4:
    return normalized_conv(s);
  case 5:
    return attention_in_parts(s);
  case 6:
    return webnn_sigmoid(s->builder, x, NULL);
  case 7:
    return reduction_of_chain(s);
  case 8:
    return webnn_tanh(s->builder, webnn_add(s->builder, x, partner_of(s, x), NULL), NULL);
  default:
    return exact_movement(s);
  }
}

static webnn_operand *exact_step(sketch *s) {
  switch (below(14)) {
  case 13:
    return exact_gemm(s);
  case 0:
  case 1:
    return exact_unary(s);
  case 2:
  case 3:
    return exact_binary(s);
  case 4:
    return exact_choice(s);
  case 5:
    return exact_cast(s);
  case 6:
    return exact_quantization(s);
  case 10:
    return exact_reduction(s);
  case 7:
    return exact_conv(s);
  case 8:
    return exact_pool(s);
  case 9:
    return exact_product(s);
  default:
    return exact_movement(s);
  }
}

/* ---- Running ----------------------------------------------------------------------------------
 */

#define MOST_OUTPUTS 4
#define MOST_BYTES 2000000

typedef struct recipe {
  uint64_t seed;
  webnn_data_type type;
  bool exact;
} recipe;

static const char *const input_names[MOST_INPUTS] = {"a", "b", "c"};
static const char *const output_names[MOST_OUTPUTS] = {"w", "x", "y", "z"};
static const uint32_t input_shapes[MOST_INPUTS][4] = {{1, 3, 6, 5}, {1, 3, 6, 5}, {4, 7, 0, 0}};

/* The operands of a recipe, in a new builder; fills the outputs and returns how many. */
static size_t describe(webnn_context *context, const recipe *made, webnn_builder **builder,
                       webnn_named_operand *outputs) {
  sketch s;
  uint32_t i, steps;
  random_state = made->seed;
  s.builder = *builder = test_builder(context);
  s.type = made->type;
  s.count = 0;
  for (i = 0; i < MOST_INPUTS; i++) {
    webnn_operand_descriptor descriptor;
    descriptor.data_type = made->type;
    descriptor.shape = webnn_list_of(input_shapes[i], i < 2 ? 4 : 2);
    s.values[s.count++] = webnn_input(s.builder, input_names[i], descriptor);
  }
  steps = pick(3, MOST_VALUES - MOST_INPUTS);
  for (i = 0; i < steps; i++) {
    webnn_operand *x = made->exact ? exact_step(&s) : smooth_step(&s);
    if (x != NULL && test_element_count(shape_of(x)) <= 4000) {
      s.values[s.count++] = x;
    }
  }
  for (i = 0; i < MOST_OUTPUTS; i++) {
    outputs[i].name = output_names[i];
    outputs[i].operand = s.values[i == 0 ? s.count - 1 : below(s.count)];
    if (outputs[i].operand == s.values[0] || outputs[i].operand == s.values[1] ||
        outputs[i].operand == s.values[2]) { /* an input cannot be an output */
      outputs[i].operand = webnn_neg(s.builder, outputs[i].operand, NULL);
    }
  }
  return pick(1, MOST_OUTPUTS);
}

/* The graph of a recipe; NULL, after a failed check, if it cannot be built. */
static webnn_graph *graph_of(webnn_context *context, const recipe *made) {
  webnn_named_operand outputs[MOST_OUTPUTS];
  webnn_builder *builder;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  const size_t count = describe(context, made, &builder, outputs);
  MUST("build", webnn_build(builder, outputs, count, &graph, &error) == WEBNN_OK, "seed %lu: %s",
       (unsigned long)made->seed, error.message);
  webnn_free_builder(builder);
  return graph;
}

/* The results of a graph. */
typedef struct graph_results {
  unsigned char bytes[MOST_BYTES];
  webnn_data_type types[MOST_OUTPUTS];
  size_t counts[MOST_OUTPUTS], outputs;
} graph_results;

/* Runs it twice, as memory may be used again. False, with no outputs, if it cannot be run. */
static bool run_recipe(webnn_context *context, const recipe *made, graph_results *r) {
  webnn_graph *graph = graph_of(context, made);
  webnn_graph_port ports[MOST_OUTPUTS];
  webnn_named_tensor in[MOST_INPUTS], out[MOST_OUTPUTS];
  webnn_error error = WEBNN_ZERO;
  uint64_t random = made->seed;
  size_t bytes = 0, inputs, outputs, i, k;
  r->outputs = 0;
  if (graph == NULL) {
    return false;
  }
  inputs = webnn_graph_inputs(graph, ports, MOST_INPUTS);
  for (i = 0; i < inputs; i++) {
    const size_t count = test_element_count(ports[i].descriptor.shape);
    webnn_tensor_descriptor descriptor = WEBNN_ZERO;
    unsigned char *data = (unsigned char *)test_allocate(count * 4);
    for (k = 0; k < count; k++) {
      const double value = test_random_between(&random, -3.5, 3.5);
      test_set(made->type, data, k, made->exact ? floor(value + 0.5) : floor(value * 64) / 64);
    }
    descriptor.data_type = ports[i].descriptor.data_type;
    descriptor.shape = ports[i].descriptor.shape;
    descriptor.writable = true;
    in[i].name = ports[i].name;
    webnn_create_tensor(context, descriptor, &in[i].tensor, &error);
    webnn_write_tensor(context, in[i].tensor, data, (size_t)ports[i].byte_length, &error);
    free(data);
  }
  outputs = webnn_graph_outputs(graph, ports, MOST_OUTPUTS);
  for (i = 0; i < outputs; i++) {
    webnn_tensor_descriptor descriptor = WEBNN_ZERO;
    descriptor.data_type = ports[i].descriptor.data_type;
    descriptor.shape = ports[i].descriptor.shape;
    descriptor.readable = true;
    out[i].name = ports[i].name;
    webnn_create_tensor(context, descriptor, &out[i].tensor, &error);
    r->types[i] = descriptor.data_type;
    r->counts[i] = test_element_count(descriptor.shape);
  }
  for (i = 0; i < 2; i++) {
    MUST("dispatch", webnn_dispatch(context, graph, in, inputs, out, outputs, &error) == WEBNN_OK,
         "%s", error.message);
  }
  for (i = 0; i < outputs; i++) {
    const size_t size = (size_t)ports[i].byte_length;
    if (!MUST("read",
              webnn_read_tensor(context, out[i].tensor, r->bytes + bytes, size, &error) == WEBNN_OK,
              "%s", error.message)) {
      bytes = 0;
    }
    bytes += size;
    webnn_free_tensor(out[i].tensor);
  }
  for (i = 0; i < inputs; i++) {
    webnn_free_tensor(in[i].tensor);
  }
  webnn_free_graph(graph);
  r->outputs = outputs;
  return outputs > 0;
}

/* Is it what it is without passes? Prints the worst element of the first output that is not. */
static bool are_right(const recipe *made, const graph_results *got, const graph_results *expected,
                      bool prints) {
  const unsigned char *y = expected->bytes, *z = got->bytes;
  size_t k, i;
  for (k = 0; k < expected->outputs; k++) {
    const webnn_data_type type = expected->types[k];
    const size_t size = type == WEBNN_FLOAT16 ? 2 : 4;
    double largest = 1, worst = 0;
    size_t at = 0;
    for (i = 0; i < expected->counts[k]; i++) {
      const double a = fabs(test_get(type, y, i)),
                   d = fabs(test_get(type, z, i) - test_get(type, y, i));
      largest = a > largest ? a : largest;
      if (!(d <= worst)) {
        worst = d;
        at = i;
      }
    }
    if (!(worst <= (made->exact ? 0 : largest * (size == 2 ? 0.02 : 1e-4)))) {
      if (prints) {
        printf("  output %d, %s, element %d is %g, not %g\n", (int)k, webnn_data_type_name(type),
               (int)at, test_get(type, z, at), test_get(type, y, at));
      }
      return false;
    }
    y += size * expected->counts[k];
    z += size * expected->counts[k];
  }
  return true;
}

/* A graph, and what is expected of it. */
typedef struct attempt {
  const recipe *made;
  const graph_results *expected;
} attempt;

static webnn_graph *attempted_graph(webnn_context *context, const void *user) {
  return graph_of(context, ((const attempt *)user)->made);
}

static bool attempted_is_right(webnn_context *context, const void *user) {
  const attempt *a = (const attempt *)user;
  static graph_results got;
  return run_recipe(context, a->made, &got) && are_right(a->made, &got, a->expected, false);
}

/* "all passes", "all passes but epilogues", "the pass epilogues alone". */
static const char *passes_text(uint32_t disabled) {
  static char text[80];
  uint32_t i;
  for (i = 0; webnn_pass_name(i) != NULL; i++) {
    if (disabled == (uint32_t)1 << i || disabled == ~((uint32_t)1 << i)) {
      snprintf(text, sizeof text,
               disabled == (uint32_t)1 << i ? "all passes but %s" : "the pass %s alone",
               webnn_pass_name(i));
      return text;
    }
  }
  return "all passes";
}

/* One case: all outputs of a graph with some passes. The first failure of a run is explained. */
static void try_passes(webnn_context *context, uint32_t disabled, const recipe *made,
                       const graph_results *expected) {
  static graph_results got;
  static bool explained_one;
  attempt a;
  explained e;
  if (CHECK(made->exact ? "exact" : "smooth",
            run_recipe(context, made, &got) && are_right(made, &got, expected, true),
            "with %s the graph is not what it is without", passes_text(disabled)) ||
      explained_one) {
    return;
  }
  explained_one = true;
  a.made = made;
  a.expected = expected;
  memset(&e, 0, sizeof e);
  e.build = attempted_graph;
  e.is_right = attempted_is_right;
  e.user = &a;
  e.options.threads = 1;
  e.options.disabled_passes = disabled;
  explain(&e);
}

/* The recipe of graph g. */
static recipe recipe_of(uint32_t g) {
  recipe made;
  made.seed = 1000003u * g + 17;
  made.exact = g % 3 != 0;
  made.type = g % 5 == 4 ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
  return made;
}

#define MOST_CONTEXTS 80

/* passes [GRAPHS [FIRST]] */
int main(int argc, char **argv) {
  static webnn_context *contexts[MOST_CONTEXTS];
  static uint32_t disabled[MOST_CONTEXTS];
  static graph_results expected;
  const uint32_t graphs = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000;
  const uint32_t first = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
  uint32_t count = 1, g, i;
  disabled[0] = UINT32_MAX;
  disabled[count++] = 0;
  for (i = 0; webnn_pass_name(i) != NULL; i++) {
    disabled[count++] = (uint32_t)1 << i;
    disabled[count++] = ~((uint32_t)1 << i);
  }
  for (i = 0; i < count; i++) {
    webnn_context_options options = WEBNN_ZERO;
    options.threads = 1 + i % 2;
    if (options.threads == 1) {
      options.allocator.allocate = counting_allocate;
      options.allocator.release = counting_release;
    }
    options.disabled_passes = disabled[i];
    contexts[i] = test_context(&options);
  }
  for (g = first; g < first + graphs; g++) {
    const recipe made = recipe_of(g);
    test_repeat("build/passes 1 %lu", (unsigned long)g);
    if (!run_recipe(contexts[0], &made, &expected)) {
      continue;
    }
    for (i = 1; i < count; i++) {
      try_passes(contexts[i], disabled[i], &made, &expected);
    }
  }
  for (i = 0; i < count; i++) {
    webnn_free_context(contexts[i]);
  }
  return test_end();
}
