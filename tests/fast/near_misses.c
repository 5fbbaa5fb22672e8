/* Graphs that nearly, or oddly, look like what compile passes recognize: a fast context against a
   reference context.

   `passes` compares a fast context with itself on ordinary graphs. Here dimensions are small and
   often equal or 1, operands have any shape that broadcasts, numbers stand in shapes of any rank
   and are sometimes a little off, axes and operands are sometimes others than those of the pattern,
   and a few values are infinite, NaN, zero or huge. Chains of element-wise operators go through
   casts of every pair of data types; their results have to be the same bits. */
#include "counting_allocator.h"
#include "explain.h"
#include "random.h"
#include "sets.h"

#include <math.h>

static bool once_in(uint32_t n) {
  return below(n) == 0;
}

#define MOST_VALUES 96
#define MOST_INPUTS 48
#define MOST_OUTPUTS 8

/* A graph while it grows. Every operand that the test feeds is an input or a constant, as the seed
   wants; building it again from the seed, for another context, gives the same graph. */
typedef struct sketch {
  webnn_builder *builder;
  webnn_data_type type;
  double special; /* the share of values that are not ordinary numbers */
  void *data[MOST_INPUTS];
  webnn_operand *inputs[MOST_INPUTS];
  uint32_t input_count;
  char names[MOST_INPUTS][8];
  webnn_operand *values[MOST_VALUES]; /* what an operator has made, all of it */
  uint32_t count;
  uint32_t unit; /* the dimension that is met most often */
} sketch;

static webnn_list shape_of(const webnn_operand *x) {
  return webnn_operand_shape(x);
}

static uint32_t rank_of(const webnn_operand *x) {
  return (uint32_t)shape_of(x).count;
}

/* Remembers what an operator has made. What it has refused is forgotten. */
static webnn_operand *made(sketch *s, webnn_operand *x) {
  if (x == NULL) {
    webnn_builder_clear_error(s->builder);
  } else if (s->count < MOST_VALUES) {
    s->values[s->count++] = x;
  }
  return x;
}

/* The result of an operator that may have been refused, else its operand. */
static webnn_operand *made_of(sketch *s, webnn_operand *result, webnn_operand *x) {
  return made(s, result) != NULL ? result : x;
}

static double any_number(sketch *s) {
  static const double odd[] = {INFINITY, -INFINITY, NAN, 0, -0.0, 40, -1e-30, 1e-3};
  if (test_random_between(&random_state, 0, 1) < s->special) {
    return odd[below(8)];
  }
  return floor(test_random_between(&random_state, -3, 3) * 64) / 64;
}

/* An input or a constant with these data, which the sketch owns. */
static webnn_operand *fed(sketch *s, webnn_data_type type, webnn_list shape, void *data,
                          bool constant) {
  webnn_operand_descriptor descriptor;
  webnn_operand *x;
  descriptor.data_type = type;
  descriptor.shape = shape;
  if (constant || s->input_count == MOST_INPUTS) {
    x = webnn_constant(s->builder, descriptor, data, (size_t)webnn_byte_length(descriptor));
    free(data);
    return x;
  }
  snprintf(s->names[s->input_count], sizeof s->names[0], "i%d", (int)s->input_count);
  x = webnn_input(s->builder, s->names[s->input_count], descriptor);
  s->data[s->input_count] = data;
  s->inputs[s->input_count++] = x;
  return x;
}

static webnn_operand *filled(sketch *s, webnn_list shape, bool constant) {
  const size_t count = test_element_count(shape);
  void *data = test_allocate(count * 8);
  size_t i;
  for (i = 0; i < count; i++) {
    test_set(s->type, data, i, any_number(s));
  }
  return fed(s, s->type, shape, data, constant);
}

static uint32_t dimension(const sketch *s) {
  const uint32_t r = below(8);
  return r < 4 ? s->unit : r < 6 ? 1 : 1 + below(5);
}

static webnn_operand *of_rank(sketch *s, uint32_t rank) {
  webnn_list shape = WEBNN_EMPTY_LIST;
  while (shape.count < rank) {
    shape.items[shape.count++] = dimension(s);
  }
  return filled(s, shape, once_in(4));
}

/* A number, exact or now and then off by a little, in a shape of ones. */
static webnn_operand *number(sketch *s, double value) {
  webnn_list list = WEBNN_LIST(1, 1, 1, 1, 1, 1, 1, 1);
  void *data = test_allocate(8);
  list.count = below(3) ? 0 : below(6);
  if (once_in(12)) {
    value *= once_in(2) ? 1 + 1.0 / 512 : 1 - 1e-4;
  }
  test_set(s->type, data, 0, value);
  return fed(s, s->type, list, data, !once_in(16));
}

/* Something that can be broadcast together with x: its last dimensions, each as it is or 1; ones in
   front; or the shape of x moved about, where dimensions are equal. */
static webnn_operand *partner(sketch *s, const webnn_operand *x, bool constant) {
  const webnn_list shape = shape_of(x);
  webnn_list list = WEBNN_EMPTY_LIST;
  uint32_t i;
  if (rank_of(x) < 5 && once_in(10)) {
    list.items[list.count++] = once_in(3) ? 2 : 1;
  }
  i = below(3) ? 0 : below(rank_of(x) + 1);
  for (; i < rank_of(x); i++) {
    list.items[list.count++] = below(5) < 3 ? shape.items[i] : 1;
  }
  return filled(s, list, constant);
}

/* Some axes: mostly the last ones in order, sometimes any. */
static webnn_list some_axes(uint32_t rank) {
  webnn_list list = WEBNN_EMPTY_LIST;
  uint32_t i, from = rank > 0 ? below(rank) : 0;
  for (i = 0; i < rank; i++) {
    if (i >= from ? !once_in(6) : once_in(8)) {
      list.items[list.count++] = i;
    }
  }
  if (list.count > 1 && once_in(6)) {
    const uint32_t first = list.items[0];
    list.items[0] = list.items[list.count - 1];
    list.items[list.count - 1] = first;
  }
  return list;
}

/* Operators with two operands in any order. Where these cannot be broadcast together, x. */
static webnn_operand *multiply(sketch *s, webnn_operand *x, webnn_operand *y) {
  webnn_operand *a = once_in(2) ? x : y, *b = a == x ? y : x;
  return made_of(s, webnn_mul(s->builder, a, b, NULL), x);
}

static webnn_operand *add(sketch *s, webnn_operand *x, webnn_operand *y) {
  webnn_operand *a = once_in(2) ? x : y, *b = a == x ? y : x;
  return made_of(s, webnn_add(s->builder, a, b, NULL), x);
}

static webnn_operand *add_or_multiply(sketch *s, webnn_operand *x, webnn_operand *y) {
  return once_in(2) ? add(s, x, y) : multiply(s, x, y);
}

/* x, or now and then something else of its shape. */
static webnn_operand *mostly(sketch *s, webnn_operand *x) {
  return once_in(12) ? filled(s, shape_of(x), once_in(2)) : x;
}

/* ---- The patterns -----------------------------------------------------------------------------
 */

static void normalization(sketch *s) {
  webnn_operand *x = of_rank(s, 1 + below(4)), *y;
  webnn_layer_normalization_options options = WEBNN_ZERO;
  webnn_list shape;
  uint32_t i;
  shape = options.axes = some_axes(rank_of(x));
  for (i = 0; i < shape.count; i++) {
    shape.items[i] = shape_of(x).items[options.axes.items[i]];
  }
  options.scale = once_in(4) ? filled(s, shape, once_in(2)) : NULL;
  options.bias = once_in(4) ? filled(s, shape, once_in(2)) : NULL;
  options.epsilon = webnn_f64(0.125);
  y = made(s, webnn_layer_normalization(s->builder, x, &options));
  y = add_or_multiply(s, y, partner(s, y, once_in(2)));
  add_or_multiply(s, y, once_in(4) ? y : partner(s, y, once_in(2)));
}

static webnn_operand *mean(sketch *s, webnn_operand *x, webnn_list axes, bool keep) {
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = axes;
  options.keep_dimensions = keep;
  return made(s, webnn_reduce_mean(s->builder, x, &options));
}

static void normalization_in_parts(sketch *s) {
  webnn_operand *x = of_rank(s, 1 + below(4)), *c, *v, *y;
  const webnn_list along = some_axes(rank_of(x));
  c = made(s, webnn_sub(s->builder, x, mean(s, mostly(s, x), along, true), NULL));
  v = once_in(3) ? made(s, webnn_sub(s->builder, x, mean(s, mostly(s, x), along, true), NULL)) : c;
  v = once_in(2) ? multiply(s, v, mostly(s, v))
                 : made(s, webnn_pow(s->builder, v, number(s, 2), NULL));
  v = mean(s, v, once_in(6) ? some_axes(rank_of(v)) : along, true);
  v = add(s, v, number(s, 0.125));
  v = once_in(2) ? made(s, webnn_sqrt(s->builder, v, NULL))
                 : made(s, webnn_pow(s->builder, v, number(s, 0.5), NULL));
  y = made(s, webnn_div(s->builder, mostly(s, c), v, NULL));
  y = add_or_multiply(s, y, partner(s, y, once_in(2)));
  add_or_multiply(s, y, partner(s, y, once_in(2)));
}

static void gelu_in_parts(sketch *s) {
  webnn_operand *x = of_rank(s, below(4)), *e;
  e = once_in(2) ? made(s, webnn_div(s->builder, x, number(s, sqrt(2.0)), NULL))
                 : multiply(s, x, number(s, sqrt(0.5)));
  e = made(s, webnn_erf(s->builder, e, NULL));
  e = add(s, e, number(s, 1));
  x = mostly(s, x);
  switch (below(4)) {
  case 0:
    multiply(s, multiply(s, x, e), number(s, 0.5));
    break;
  case 1:
    multiply(s, multiply(s, number(s, 0.5), x), e);
    break;
  case 2:
    multiply(s, made(s, webnn_div(s->builder, x, number(s, 2), NULL)), e);
    break;
  default:
    multiply(s, x, multiply(s, e, number(s, 0.5)));
  }
}

static void softmax_in_parts(sketch *s) {
  webnn_operand *x = of_rank(s, 1 + below(4)), *e;
  uint32_t axis = below(rank_of(x)), other = once_in(8) ? below(rank_of(x)) : axis;
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = WEBNN_LIST(axis);
  options.keep_dimensions = true;
  e = made(s, webnn_reduce_max(s->builder, mostly(s, x), &options));
  e = made(s, webnn_exp(s->builder, made(s, webnn_sub(s->builder, x, e, NULL)), NULL));
  options.axes = WEBNN_LIST(other);
  made(s, webnn_div(s->builder, e, made(s, webnn_reduce_sum(s->builder, mostly(s, e), &options)),
                    NULL));
}

/* x clamp(x + 3, 0, 6) / 6, divided last or before. */
static void clamped_swish(sketch *s) {
  static const double lows[] = {0, 0, 0, -0.0, 0.25}, highs[] = {6, 6, 6, 5.5, 6.01};
  webnn_operand *x = of_rank(s, below(4)), *gate = add(s, mostly(s, x), number(s, 3));
  webnn_clamp_options options = WEBNN_ZERO;
  options.min_value = webnn_f64(lows[below(5)]);
  options.max_value = webnn_f64(highs[below(5)]);
  gate = made(s, webnn_clamp(s->builder, gate, &options));
  if (once_in(2)) {
    gate = multiply(s, gate, mostly(s, x));
    made(s, webnn_div(s->builder, gate, number(s, 6), NULL));
  } else {
    multiply(s, made(s, webnn_div(s->builder, gate, number(s, 6), NULL)), mostly(s, x));
  }
}

static void hard_swish_in_parts(sketch *s) {
  static const double slopes[] = {1.0 / 6, 1.0 / 6, 0.1667, 0.16665, 0.2};
  webnn_operand *x = of_rank(s, below(4));
  webnn_hard_sigmoid_options options = WEBNN_ZERO;
  options.alpha = webnn_f64(slopes[below(5)]);
  options.beta = webnn_f64(once_in(6) ? 0.5005 : 0.5);
  multiply(s, made(s, webnn_hard_sigmoid(s->builder, x, &options)), mostly(s, x));
}

/* The same with its last two axes swapped, or, now and then, others. */
static webnn_operand *swapped(sketch *s, webnn_operand *x) {
  uint32_t i, a = rank_of(x) - 1, b = rank_of(x) - 2;
  webnn_transpose_options options = WEBNN_ZERO;
  if (once_in(5)) {
    a = below(rank_of(x));
    b = below(rank_of(x));
  }
  options.permutation = shape_of(x);
  for (i = 0; i < rank_of(x); i++) {
    options.permutation.items[i] = i == a ? b : i == b ? a : i;
  }
  return made(s, webnn_transpose(s->builder, x, &options));
}

static void attention_in_parts(sketch *s) {
  const uint32_t rank = 2 + below(4);
  webnn_operand *q, *k, *y;
  if (s->type == WEBNN_FLOAT16) { /* weights that are too small for float16 make infinity NaN */
    s->special = 0;
  }
  q = of_rank(s, rank);
  k = filled(s, shape_of(q), once_in(4));
  y = made(s, webnn_matmul(s->builder, q, once_in(4) ? of_rank(s, rank) : swapped(s, k), NULL));
  if (y == NULL) {
    return;
  }
  if (below(3)) {
    y = once_in(2) ? made(s, webnn_div(s->builder, y, number(s, 2), NULL))
                   : multiply(s, y, number(s, 0.5));
  }
  if (below(3)) {
    y = add(s, y, partner(s, y, once_in(2)));
  }
  y = made(s, webnn_softmax(s->builder, y, once_in(8) ? below(rank_of(y)) : rank_of(y) - 1, NULL));
  {
    webnn_list list = shape_of(y);
    const uint32_t last = list.items[list.count - 1];
    uint32_t i;
    for (i = 0; i < list.count; i++) {
      list.items[i] = once_in(8) ? 1 : list.items[i];
    }
    list.items[list.count - 2] = last;
    list.items[list.count - 1] = dimension(s);
    y = made(s, webnn_matmul(s->builder, y, filled(s, list, once_in(4)), NULL));
  }
  if (once_in(2)) {
    swapped(s, y);
  }
}

static webnn_operand *dequantized(sketch *s, webnn_list shape, uint32_t axis, bool constant);

/* conv2d with few, often equal, channels; the filter is mostly constant, or of packed weights. */
static webnn_operand *convolution(sketch *s, webnn_operand *x, bool nhwc, webnn_operand *bias,
                                  uint32_t outputs, bool packed) {
  const uint32_t channels = shape_of(x).items[nhwc ? 3 : 1];
  const bool depthwise = outputs == channels && once_in(3);
  webnn_conv2d_options options = WEBNN_ZERO;
  webnn_operand *y;
  const webnn_list shape =
      WEBNN_LIST(outputs, depthwise ? 1 : channels, 1 + below(2), 1 + below(2));
  options.input_layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  options.groups = depthwise ? channels : 1;
  options.padding = WEBNN_LIST(below(2), below(2), below(2), below(2));
  if (once_in(8)) { /* an image that is padding, but for a few pixels */
    const uint32_t far = 1u << (4 + below(26)), stride = far / 2 - below(3);
    options.padding = WEBNN_LIST(far, far - below(2), far / 2 * below(2), far + below(4));
    options.strides = WEBNN_LIST(stride, stride + below(2));
  }
  options.bias = bias;
  y = webnn_conv2d(s->builder, x,
                   packed ? dequantized(s, shape, once_in(2) ? 0 : 9, below(8))
                          : filled(s, shape, below(8)),
                   &options);
  return made(s, y); /* NULL if the image is smaller than the window */
}

static void normalized_convolution(sketch *s) {
  const bool nhwc = once_in(2);
  const uint32_t outputs = dimension(s), axis = nhwc ? 3 : 1;
  webnn_operand *x = of_rank(s, 4),
                *bias = once_in(2) ? filled(s, WEBNN_LIST(outputs), below(8)) : NULL;
  webnn_batch_normalization_options options = WEBNN_ZERO;
  webnn_operand *variance;
  void *data;
  uint32_t channels, i;
  x = convolution(s, x, nhwc, bias, outputs, false);
  if (x == NULL) {
    return;
  }
  i = once_in(6) ? below(4) : axis;
  channels = shape_of(x).items[i];
  options.axis = webnn_f64(i);
  options.scale = once_in(2) ? filled(s, WEBNN_LIST(channels), below(8)) : NULL;
  options.bias = once_in(2) ? filled(s, WEBNN_LIST(channels), below(8)) : NULL;
  options.epsilon = once_in(4) ? webnn_f64(0) : webnn_f64(0.125);
  data = test_allocate(channels * 8u);
  for (i = 0; i < channels; i++) {
    test_set(s->type, data, i, once_in(8) ? fabs(any_number(s)) : 0.25 + below(4));
  }
  variance = fed(s, s->type, WEBNN_LIST(channels), data, below(8));
  made(s, webnn_batch_normalization(s->builder, x, filled(s, WEBNN_LIST(channels), below(8)),
                                    variance, &options));
}

/* Bounds in any order that the builder allows. */
static webnn_operand *bounded(sketch *s, webnn_operand *x) {
  webnn_clamp_options options = WEBNN_ZERO;
  const double low = below(5) - 2.0;
  if (once_in(3)) {
    return made(s, webnn_relu(s->builder, x, NULL));
  }
  options.min_value = once_in(8) ? webnn_f64(NAN) : below(4) ? webnn_f64(low) : options.min_value;
  options.max_value = once_in(8) ? webnn_f64(NAN)
                      : below(4) ? webnn_f64(low + below(4))
                                 : options.max_value;
  return made(s, webnn_clamp(s->builder, x, &options));
}

/* matmul, gemm or conv2d, and then sums and bounds in any order. */
static void epilogue(sketch *s) {
  webnn_operand *y = NULL;
  uint32_t i;
  if (once_in(3)) {
    webnn_operand *x = of_rank(s, 4);
    const uint32_t outputs = dimension(s);
    y = convolution(s, x, once_in(2),
                    once_in(2) ? filled(s, WEBNN_LIST(outputs), once_in(2)) : NULL, outputs, false);
  } else if (once_in(2)) {
    webnn_operand *a = of_rank(s, 2);
    const uint32_t n = dimension(s);
    const webnn_list m = shape_of(a);
    webnn_gemm_options options = WEBNN_ZERO;
    options.a_transpose = once_in(2);
    options.b_transpose = once_in(2);
    options.alpha = once_in(2) ? webnn_f64(0.5) : options.alpha;
    options.beta = once_in(2) ? webnn_f64(below(3)) : options.beta;
    options.c =
        once_in(3) ? filled(s, once_in(2) ? WEBNN_LIST(n) : WEBNN_LIST(1, n), once_in(2)) : NULL;
    i = options.a_transpose ? m.items[0] : m.items[1];
    y = made(s, webnn_gemm(
                    s->builder, a,
                    filled(s, options.b_transpose ? WEBNN_LIST(n, i) : WEBNN_LIST(i, n), below(3)),
                    &options));
  } else {
    webnn_operand *a = of_rank(s, 2 + below(3)), *b;
    a = once_in(2) ? swapped(s, a) : a;
    b = of_rank(s, rank_of(a));
    y = made(s, webnn_matmul(s->builder, a, once_in(2) ? swapped(s, b) : b, NULL));
    if (y == NULL) {
      y = made(s, webnn_matmul(s->builder, a, swapped(s, a), NULL));
    }
  }
  if (y == NULL) {
    return;
  }
  for (i = below(4); i > 0; i--) {
    if (once_in(6)) {
      const uint32_t flat = (uint32_t)test_element_count(shape_of(y));
      y = made(s, webnn_reshape(s->builder, y, WEBNN_LIST(flat), NULL));
    }
    y = once_in(2) ? bounded(s, y) : add(s, y, partner(s, y, once_in(2)));
  }
}

/* Bytes and scales, of which some are along an axis. */
static webnn_operand *dequantized(sketch *s, webnn_list shape, uint32_t axis, bool constant) {
  static const webnn_data_type types[] = {WEBNN_INT8, WEBNN_UINT8};
  const webnn_data_type type = types[below(2)];
  const size_t count = test_element_count(shape);
  webnn_list list = shape;
  uint32_t i;
  unsigned char *bytes = (unsigned char *)test_allocate(count), *zeros;
  void *scales;
  webnn_operand *x;
  for (i = 0; i < count; i++) {
    bytes[i] = (unsigned char)below(256);
  }
  x = fed(s, type, shape, bytes, constant);
  for (i = 0; i < shape.count; i++) {
    list.items[i] = i == axis ? shape.items[i] : 1;
  }
  zeros = (unsigned char *)test_allocate(test_element_count(list));
  scales = test_allocate(test_element_count(list) * 8);
  for (i = 0; i < test_element_count(list); i++) {
    zeros[i] = (unsigned char)(once_in(2) ? 0 : below(256));
    test_set(s->type, scales, i, 1.0 / (1 << below(8)));
  }
  {
    webnn_operand *scale = fed(s, s->type, list, scales, below(8));
    return made(s, webnn_dequantize_linear(s->builder, x, scale,
                                           fed(s, type, list, zeros, below(8)), NULL));
  }
}

static void quantized_product(sketch *s) {
  const uint32_t m = dimension(s), k = dimension(s), n = dimension(s);
  webnn_operand *x, *y;
  uint32_t i;
  if (once_in(4)) {
    x = dequantized(s, WEBNN_LIST(1 + below(2), m, 1 + below(4), k), 9, once_in(8));
    y = convolution(s, x, once_in(2), NULL, n, true);
    if (y == NULL) {
      return;
    }
  } else {
    x = dequantized(s, WEBNN_LIST(m, k), once_in(6) ? below(2) : 9, once_in(8));
    y = dequantized(s, WEBNN_LIST(k, n), below(3), below(8));
    y = made(s, webnn_matmul(s->builder, x, y, NULL));
  }
  for (i = below(4); i > 0; i--) {
    y = once_in(2) ? bounded(s, y) : add(s, y, partner(s, y, below(8)));
  }
}

/* Reshapes, transpositions, slices: dimensions that are equal or 1 make them look alike. */
static void movement(sketch *s) {
  webnn_operand *x = of_rank(s, 1 + below(4));
  webnn_list starts = WEBNN_EMPTY_LIST, sizes = starts, strides = starts;
  uint32_t i, d, *const a = starts.items, *const b = sizes.items;
  for (i = 2 + below(4); i > 0 && x != NULL; i--) {
    const uint32_t rank = rank_of(x), axis = below(rank);
    webnn_slice_options options = WEBNN_ZERO;
    webnn_reverse_options reversed = WEBNN_ZERO;
    starts.count = sizes.count = strides.count = rank;
    for (d = 0; d < rank; d++) {
      a[d] = once_in(4) ? below(shape_of(x).items[d]) : 0;
      b[d] = shape_of(x).items[d] - a[d];
      strides.items[d] = once_in(4) ? 1 + below(3) : 1;
    }
    switch (below(8)) {
    case 0:
      d = b[axis];
      b[axis] = 1;
      b[0] = (uint32_t)test_element_count(shape_of(x));
      sizes.count = 1;
      x = made(s, webnn_reshape(s->builder, x, sizes, NULL));
      break;
    case 1:
      for (d = 0; d < rank; d++) {
        b[d] = shape_of(x).items[rank - 1 - d];
      }
      x = made(s, webnn_reshape(s->builder, x, sizes, NULL));
      break;
    case 2:
    case 3:
      x = rank > 1 ? swapped(s, x) : x;
      break;
    case 4:
      options.strides = strides;
      x = made(s, webnn_slice(s->builder, x, starts, sizes, &options));
      break;
    case 5:
      reversed.axes = WEBNN_LIST(axis);
      x = made(s, webnn_reverse(s->builder, x, once_in(3) ? NULL : &reversed));
      break;
    case 6: {
      webnn_operand *parts[2];
      parts[0] = parts[1] = x;
      x = made(s, webnn_concat(s->builder, parts, 1 + below(2), axis, NULL));
      break;
    }
    default:
      x = multiply(s, x, number(s, 1));
    }
  }
}

/* Two convolutions, so that images are turned, and what lies between and behind them. */
static void images(sketch *s) {
  webnn_operand *x = of_rank(s, 4), *y, *z;
  uint32_t i;
  x = convolution(s, x, false, NULL, s->unit, false);
  y = x != NULL ? convolution(s, x, false, NULL, s->unit, false) : NULL;
  if (y == NULL) {
    return;
  }
  for (i = below(4); i > 0; i--) {
    webnn_reduce_options options = WEBNN_ZERO;
    options.axes = some_axes(rank_of(y));
    options.keep_dimensions = below(4) != 0;
    z = once_in(3) && test_same_list(shape_of(x), shape_of(y)) ? x : partner(s, y, once_in(2));
    switch (below(5)) {
    case 0:
      y = made(s, webnn_softmax(s->builder, y, below(rank_of(y)), NULL));
      break;
    case 1:
      y = made(s, webnn_reduce_sum(s->builder, y, &options));
      break;
    case 2:
      y = rank_of(y) > 1 ? swapped(s, y) : y;
      break;
    default:
      y = add_or_multiply(s, y, z);
    }
    if (rank_of(y) == 0) {
      return;
    }
  }
}

/* A constant image with so many outputs that the convolution stays one, and a filter that is computed
   when the graph is built. */
static void constant_image(sketch *s) {
  const bool nhwc = once_in(3);
  const uint32_t channels = 1 + below(4), outputs = 24 + below(9), size = 14 + below(4);
  const webnn_list shape =
      nhwc ? WEBNN_LIST(1, size, size, channels) : WEBNN_LIST(1, channels, size, size);
  webnn_operand *x = filled(s, shape, below(8)), *w, *y;
  webnn_conv2d_options options = WEBNN_ZERO;
  options.input_layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  w = once_in(2) ? dequantized(s, WEBNN_LIST(outputs, channels, 1, 1), once_in(2) ? 0 : 9, true)
                 : filled(s, WEBNN_LIST(outputs, channels, 1, 1), true);
  if (w != NULL && once_in(2)) {
    w = multiply(s, w, number(s, 0.5));
  }
  y = w != NULL ? made(s, webnn_conv2d(s->builder, x, w, &options)) : NULL;
  if (y != NULL && once_in(2)) {
    webnn_batch_normalization_options normal = WEBNN_ZERO;
    const webnn_list list = WEBNN_LIST(outputs);
    void *data = test_allocate(outputs * 8u);
    uint32_t i;
    for (i = 0; i < outputs; i++) {
      test_set(s->type, data, i, 0.25 + below(4));
    }
    normal.axis = webnn_f64(nhwc ? 3 : 1);
    y = made(s, webnn_batch_normalization(s->builder, y, filled(s, list, true),
                                          fed(s, s->type, list, data, true), &normal));
  }
  if (y != NULL && once_in(2)) {
    add(s, y, partner(s, y, false));
  }
}

/* An operand of 4 bits. */
static webnn_operand *of_4_bits(sketch *s, webnn_data_type type, webnn_list shape, bool constant) {
  const size_t bytes = (test_element_count(shape) + 1) / 2;
  unsigned char *data = (unsigned char *)test_allocate(bytes);
  size_t i;
  for (i = 0; i < bytes; i++) {
    data[i] = (unsigned char)below(256);
  }
  if (test_element_count(shape) % 2 == 1) {
    data[bytes - 1] &= 15;
  }
  return fed(s, type, shape, data, constant);
}

/* Quantization to 4 bits and back, round and between transpositions and convolutions: tensors whose
   elements share bytes are not moved. */
static void four_bits(sketch *s) {
  const webnn_data_type type = once_in(2) ? WEBNN_INT4 : WEBNN_UINT4;
  const uint32_t rank = 2 + below(3), from = once_in(2) ? rank : below(rank);
  webnn_operand *x = of_rank(s, rank), *scale, *zero, *y;
  webnn_list list;
  void *scales;
  uint32_t i;
  if (rank == 4 && once_in(2)) {
    x = convolution(s, x, false, NULL, s->unit, false);
    x = x != NULL ? convolution(s, x, false, NULL, s->unit, false) : NULL;
  } else if (once_in(2)) {
    x = swapped(s, x);
  }
  if (x == NULL) {
    return;
  }
  list = shape_of(x);
  for (i = 0; i < list.count; i++) {
    list.items[i] = i < from ? 1 : list.items[i];
  }
  scales = test_allocate(test_element_count(list) * 8);
  for (i = 0; i < test_element_count(list); i++) {
    test_set(s->type, scales, i, 1.0 / (1 << below(4)));
  }
  scale = fed(s, s->type, list, scales, once_in(2));
  zero = of_4_bits(s, type, list, once_in(2));
  y = webnn_quantize_linear(s->builder, x, scale, zero, NULL);
  if (y != NULL && rank_of(y) > 1 && once_in(3)) { /* another scale, of the other order */
    webnn_list turned = shape_of(y);
    const uint32_t last = turned.count - 1, d = turned.items[last];
    turned.items[last] = turned.items[last - 1];
    turned.items[last - 1] = d;
    scale = swapped(s, filled(s, turned, false));
    zero = of_4_bits(s, type, shape_of(y), once_in(2));
  }
  y = y != NULL ? made(s, webnn_dequantize_linear(s->builder, y, scale, zero, NULL)) : NULL;
  if (y == NULL) {
    webnn_builder_clear_error(s->builder);
  } else if (once_in(2)) {
    swapped(s, y);
  }
}

static void (*const patterns[])(sketch *) = {normalization,
                                             normalization_in_parts,
                                             gelu_in_parts,
                                             softmax_in_parts,
                                             hard_swish_in_parts,
                                             clamped_swish,
                                             attention_in_parts,
                                             normalized_convolution,
                                             epilogue,
                                             quantized_product,
                                             movement,
                                             images,
                                             constant_image,
                                             four_bits};
static const char *const pattern_names[] = {"normalization",      "normalization in parts",
                                            "gelu in parts",      "softmax in parts",
                                            "hardSwish in parts", "hardSwish of a clamp",
                                            "attention in parts", "normalized convolution",
                                            "epilogue",           "quantized product",
                                            "movement",           "images",
                                            "constant image",     "four bits"};
#define PATTERNS (sizeof patterns / sizeof *patterns)

/* ---- Chains of every data type ----------------------------------------------------------------
 */

#define TYPES 8
static const webnn_data_type all_types[TYPES] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT32,
                                                 WEBNN_UINT32,  WEBNN_INT64,   WEBNN_UINT64,
                                                 WEBNN_INT8,    WEBNN_UINT8};

/* Random bytes for integers, and often small numbers; for floats numbers around the ends of the
   integers' ranges, halves, and special values. */
static webnn_operand *of_any_bits(sketch *s, webnn_data_type type, webnn_list shape) {
  static const double odd[] = {
      0,     -1,    1,     127,   128,          255,  256,  -128,   -129, 0.5,   1.5,
      -0.5,  32767, 65504, 2e9,   -3e9,         1e19, 2e19, -1e19,  178,  -0.9,  254.5,
      1e-40, -0.0,  3e38,  -7e-6, 4294967296.0, NAN,  -300, -65535, 3.7,  -3e38, INFINITY};
  const size_t count = test_element_count(shape), odd_count = sizeof odd / sizeof *odd;
  unsigned char *data = (unsigned char *)test_allocate(count * 8);
  size_t i;
  for (i = 0; i < count * 8; i++) {
    data[i] = (unsigned char)below(256);
  }
  for (i = 0; i < count; i++) {
    if (test_is_float(type)) {
      test_set(type, data, i,
               below(4) ? odd[below((uint32_t)odd_count)]
                        : test_random_between(&random_state, -300, 300));
    } else if (once_in(2)) {
      test_set(type, data, i, below(4));
    }
  }
  return fed(s, type, shape, data, once_in(5));
}

/* Quantized to 8 bits by a power of two, for which x / scale is exact, and back again. */
static webnn_operand *there_and_back(sketch *s, webnn_operand *x) {
  const webnn_data_type type = webnn_operand_data_type(x),
                        byte = once_in(2) ? WEBNN_INT8 : WEBNN_UINT8;
  void *data = test_allocate(8);
  unsigned char *zeros = (unsigned char *)test_allocate(1);
  webnn_operand *scale, *zero;
  webnn_list list = WEBNN_LIST(1, 1, 1, 1, 1, 1, 1, 1);
  list.count = rank_of(x);
  test_set(test_is_float(type) ? type : WEBNN_FLOAT32, data, 0, 1.0 / (1 << below(4)));
  scale = fed(s, test_is_float(type) ? type : WEBNN_FLOAT32, list, data, below(4));
  zeros[0] = (unsigned char)(once_in(2) ? 0 : below(256));
  zero = fed(s, byte, list, zeros, below(4));
  x = webnn_quantize_linear(s->builder, x, scale, zero, NULL);
  return once_in(2) ? x : webnn_dequantize_linear(s->builder, x, scale, zero, NULL);
}

/* Operators whose results are exact or rounded once in every context, so that bits can be compared.
   NULL where the data type is not the operator's. */
static webnn_operand *exact_operator(sketch *s, webnn_operand *x, webnn_operand *y) {
  webnn_builder *by = s->builder;
  webnn_clamp_options bounds = WEBNN_ZERO;
  const webnn_data_type type = webnn_operand_data_type(x);
  const double low = below(8) - 4.0;
  switch (below(27)) {
  case 0:
    return webnn_add(by, x, y, NULL);
  case 1:
    return webnn_sub(by, x, y, NULL);
  case 2:
    return webnn_mul(by, x, y, NULL);
  case 3:
    return webnn_div(by, x, y, NULL);
  case 4:
    return webnn_max(by, x, y, NULL);
  case 5:
    return webnn_min(by, x, y, NULL);
  case 6:
    return webnn_equal(by, x, y, NULL);
  case 7:
    return webnn_greater(by, x, y, NULL);
  case 8:
    return webnn_lesser_or_equal(by, x, y, NULL);
  case 9:
    return webnn_not_equal(by, x, y, NULL);
  case 10:
    return webnn_relu(by, x, NULL);
  case 11:
    return webnn_abs(by, x, NULL);
  case 12:
    return webnn_neg(by, x, NULL);
  case 13:
    return webnn_sign(by, x, NULL);
  case 14:
    bounds.min_value = webnn_f64(test_is_float(type) || type == WEBNN_INT8 ? low : low + 4);
    bounds.max_value = webnn_f64(low + 4 + below(200));
    return webnn_clamp(by, x, &bounds);
  case 15:
    return webnn_floor(by, x, NULL);
  case 16:
    return webnn_ceil(by, x, NULL);
  case 17:
    return webnn_round_even(by, x, NULL);
  case 18:
    return webnn_is_nan(by, x, NULL);
  case 19:
    return webnn_is_infinite(by, x, NULL);
  case 20:
    return webnn_logical_not(by, x, NULL);
  case 21:
    return webnn_logical_and(by, x, y, NULL);
  case 22:
    return webnn_logical_xor(by, x, y, NULL);
  case 23:
    return webnn_prelu(by, x, y, NULL);
  case 24:
    return webnn_where(by, webnn_greater_or_equal(by, x, y, NULL), x, y, NULL);
  case 25:
    return there_and_back(s, x);
  default:
    return webnn_identity(by, x, NULL);
  }
}

/* A chain: half of all steps are casts. */
static void chain(sketch *s) {
  uint32_t i, d;
  webnn_operand *x;
  webnn_list shape = WEBNN_EMPTY_LIST;
  shape.count = 1 + below(3);
  for (d = 0; d < shape.count; d++) {
    shape.items[d] = 1 + below(7);
  }
  x = of_any_bits(s, all_types[below(TYPES)], shape);
  for (i = 2 + below(10); i > 0; i--) {
    webnn_operand *next, *y;
    if (below(3)) {
      x = made(s,
               webnn_cast(s->builder, x, all_types[below(3) ? 6 + below(2) : below(TYPES)], NULL));
    }
    y = s->count > 0 && once_in(2) ? s->values[below(s->count)] : x;
    if (webnn_operand_data_type(y) != webnn_operand_data_type(x) || once_in(3)) {
      y = once_in(2) ? of_any_bits(s, webnn_operand_data_type(x), shape)
                     : of_any_bits(s, webnn_operand_data_type(x), WEBNN_LIST(1));
    }
    next = exact_operator(s, x, y);
    x = made_of(s, next, x);
  }
}

/* ---- Running ----------------------------------------------------------------------------------
 */

typedef void (*recipe)(sketch *);

/* What a context makes of a recipe and a seed. */
typedef struct results {
  uint32_t count;
  char names[MOST_VALUES][8];
  webnn_data_type types[MOST_VALUES];
  size_t counts[MOST_VALUES];
  void *data[MOST_VALUES];
} results;

static void release(results *r) {
  uint32_t i;
  for (i = 0; i < r->count; i++) {
    free(r->data[i]);
  }
  r->count = 0;
}

/* Draws the graph; the operands behind the feeds are the same in every context. */
static void draw(sketch *s, webnn_context *context, recipe draws, uint64_t seed) {
  memset(s, 0, sizeof *s);
  random_state = seed;
  s->builder = test_builder(context);
  s->type = once_in(5) ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
  s->special = once_in(4) ? 0.05 : 0;
  s->unit = 2 + below(3);
  draws(s);
}

/* The values that are outputs: all of them, or the last and some of the others. */
static uint32_t choose_outputs(const sketch *s, bool all, uint64_t seed, char (*names)[8],
                               webnn_named_operand *outputs) {
  uint32_t count = 0, i;
  random_state = seed ^ 0x5555;
  for (i = 0; i < s->count; i++) {
    if (all || i + 1 == s->count || (once_in(8) && count < MOST_OUTPUTS)) {
      snprintf(names[count], 8, "o%d", (int)i);
      outputs[count].name = names[count];
      outputs[count++].operand = s->values[i];
    }
  }
  return count;
}

static webnn_tensor *tensor_of(webnn_context *context, const webnn_operand_descriptor *port) {
  webnn_tensor_descriptor descriptor = WEBNN_ZERO;
  webnn_tensor *tensor = NULL;
  webnn_error error = WEBNN_ZERO;
  descriptor.data_type = port->data_type;
  descriptor.shape = port->shape;
  descriptor.readable = descriptor.writable = true;
  MUST("tensor", webnn_create_tensor(context, descriptor, &tensor, &error) == WEBNN_OK, "%s",
       error.message);
  return tensor;
}

/* Feeds the graph and keeps the results. */
static void run(webnn_context *context, const sketch *s, webnn_graph *graph, results *r) {
  static webnn_graph_port ports[MOST_VALUES];
  static webnn_named_tensor in[MOST_INPUTS], out[MOST_VALUES];
  webnn_error error = WEBNN_ZERO;
  size_t inputs, i;
  inputs = webnn_graph_inputs(graph, ports, MOST_INPUTS);
  for (i = 0; i < inputs; i++) {
    in[i].name = ports[i].name;
    in[i].tensor = tensor_of(context, &ports[i].descriptor);
    webnn_write_tensor(context, in[i].tensor, s->data[atoi(ports[i].name + 1)],
                       (size_t)ports[i].byte_length, &error);
  }
  r->count = (uint32_t)webnn_graph_outputs(graph, ports, MOST_VALUES);
  for (i = 0; i < r->count; i++) {
    out[i].name = ports[i].name;
    out[i].tensor = tensor_of(context, &ports[i].descriptor);
  }
  MUST("dispatch", webnn_dispatch(context, graph, in, inputs, out, r->count, &error) == WEBNN_OK,
       "%s", error.message);
  for (i = 0; i < r->count; i++) {
    const size_t size = (size_t)ports[i].byte_length;
    snprintf(r->names[i], sizeof r->names[i], "%s", ports[i].name);
    r->types[i] = ports[i].descriptor.data_type;
    r->counts[i] = test_element_count(ports[i].descriptor.shape);
    r->data[i] = test_allocate(size);
    MUST("read", webnn_read_tensor(context, out[i].tensor, r->data[i], size, &error) == WEBNN_OK,
         "%s", error.message);
    webnn_free_tensor(out[i].tensor);
  }
  for (i = 0; i < inputs; i++) {
    webnn_free_tensor(in[i].tensor);
  }
}

/* The graph, or NULL if the drawing came to nothing. */
static webnn_graph *graph_of(sketch *s, webnn_context *context, recipe draws, uint64_t seed,
                             bool all) {
  static char names[MOST_VALUES][8];
  static webnn_named_operand outputs[MOST_VALUES];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t count;
  draw(s, context, draws, seed);
  count = choose_outputs(s, all, seed, names, outputs);
  if (count > 0) {
    webnn_build(s->builder, outputs, count, &graph, &error);
    MUST("build", graph != NULL, "%s", error.message);
  }
  webnn_free_builder(s->builder);
  return graph;
}

static void free_data(sketch *s) {
  uint32_t i;
  for (i = 0; i < s->input_count; i++) {
    free(s->data[i]);
  }
}

/* False if there is no graph. */
static bool results_of(webnn_context *context, recipe draws, uint64_t seed, bool all, results *r) {
  static sketch s;
  webnn_graph *graph = graph_of(&s, context, draws, seed, all);
  r->count = 0;
  if (graph != NULL) {
    run(context, &s, graph, r);
  }
  webnn_free_graph(graph);
  free_data(&s);
  return r->count > 0;
}

/* The largest finite magnitude among all values of a graph, at least 1: what its roundings are
   relative to. */
static double largest(const results *r) {
  double most = 1;
  uint32_t k;
  size_t i;
  for (k = 0; k < r->count; k++) {
    for (i = 0; i < r->counts[k]; i++) {
      const double y = fabs(test_get(r->types[k], r->data[k], i));
      most = y > most && y < INFINITY ? y : most;
    }
  }
  return most;
}

/* Infinities are the same, NaN is NaN, and numbers differ by `bound` at most. */
static bool near(double a, double b, double bound) {
  return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= bound;
}

/* Is element i of output k what is expected: the same bits, but for those of a NaN, or within `bound`
   where there is one? */
static bool is_expected(const results *got, const results *expected, uint32_t k, size_t i,
                        double bound) {
  const double y = test_get(expected->types[k], expected->data[k], i);
  const double z = test_get(got->types[k], got->data[k], i);
  const size_t size = webnn_data_type_bits(got->types[k]) / 8;
  return bound > 0 ? near(y, z, bound)
                   : (isnan(y) && isnan(z)) ||
                         memcmp((const char *)got->data[k] + i * size,
                                (const char *)expected->data[k] + i * size, size) == 0;
}

/* How many elements are not what is expected, and which is the first. `magnitude` is that of the
   graph's values; 0: bits are compared. */
static size_t count_wrong(const results *got, const results *expected, double magnitude,
                          uint32_t *output, size_t *element) {
  size_t wrong = 0, i;
  uint32_t k;
  for (k = 0; k < got->count; k++) {
    const double unit = got->types[k] == WEBNN_FLOAT16 ? 1.0 / 2048 : 1.0 / (1 << 24);
    for (i = 0; i < got->counts[k]; i++) {
      if (!is_expected(got, expected, k, i, 64 * unit * magnitude) && wrong++ == 0) {
        *output = k;
        *element = i;
      }
    }
  }
  return wrong;
}

/* A graph in a context, and what is expected of it. */
typedef struct attempt {
  const char *name;
  recipe draws;
  uint64_t seed;
  const results *expected;
  double magnitude;
} attempt;

static webnn_graph *attempted_graph(webnn_context *context, const void *user) {
  const attempt *a = (const attempt *)user;
  static sketch s;
  webnn_graph *graph = graph_of(&s, context, a->draws, a->seed, false);
  free_data(&s);
  return graph;
}

static bool attempted_is_right(webnn_context *context, const void *user) {
  const attempt *a = (const attempt *)user;
  static results got;
  uint32_t output;
  size_t element;
  const bool right = results_of(context, a->draws, a->seed, false, &got) &&
                     count_wrong(&got, a->expected, a->magnitude, &output, &element) == 0;
  release(&got);
  return right;
}

/* One case: all outputs of the graph. The first failure of a run is explained. */
static void try_context(webnn_context *context, webnn_instruction_set set, const attempt *a) {
  static results got;
  static bool explained_one;
  uint32_t k = 0;
  size_t at = 0, wrong = 1;
  if (results_of(context, a->draws, a->seed, false, &got)) {
    wrong = count_wrong(&got, a->expected, a->magnitude, &k, &at);
  }
  if (!CHECK(a->name, wrong == 0,
             "%s, %s: %lu elements are wrong, the first is element %lu of output %s: %.9g, not "
             "%.9g",
             set == WEBNN_ISA_BEST ? "the best instruction set" : test_set_name((int)set),
             got.count > 0 ? webnn_data_type_name(got.types[k]) : "no results",
             (unsigned long)wrong, (unsigned long)at, got.count > 0 ? got.names[k] : "",
             got.count > 0 ? test_get(got.types[k], got.data[k], at) : 0,
             got.count > 0 ? test_get(got.types[k], a->expected->data[k], at) : 0) &&
      !explained_one) {
    explained e;
    memset(&e, 0, sizeof e);
    e.build = attempted_graph;
    e.is_right = attempted_is_right;
    e.user = a;
    e.options.threads = 1;
    e.options.instruction_set = set;
    explain(&e);
    explained_one = true;
  }
  release(&got);
}

/* ---- Batch normalization in weights, against its formula ---------------------------------------
 */

#define CHANNELS 6

static uint16_t half_of(double x) {
  return webnn_float32_to_float16((float)x);
}

static double of_half(uint16_t bits) {
  return (double)webnn_float16_to_float32(bits);
}

static webnn_operand *halves(webnn_builder *by, webnn_list shape, const uint16_t *data) {
  webnn_operand_descriptor descriptor;
  descriptor.data_type = WEBNN_FLOAT16;
  descriptor.shape = shape;
  return webnn_constant(by, descriptor, data, (size_t)webnn_byte_length(descriptor));
}

/* One pixel of float16 through a 1x1 convolution and a batch normalization. The weights are
   multiplied in float32, so the result is within (CHANNELS + 7) 2^-24 of the sum of its terms'
   magnitudes, and the rounding to float16. */
static void normalized_halves(webnn_context *context, uint64_t seed) {
  uint16_t x[CHANNELS], w[CHANNELS], one[4], y = 0; /* mean, variance, scale, bias */
  webnn_batch_normalization_options options = WEBNN_ZERO;
  const webnn_list channel = WEBNN_LIST(1);
  webnn_builder *by = test_builder(context);
  webnn_operand_descriptor image;
  webnn_operand *in, *out;
  webnn_graph *graph = NULL;
  webnn_tensor *tensors[2];
  webnn_error error = WEBNN_ZERO;
  double factor, sum, magnitude, bound;
  uint32_t i;
  random_state = seed;
  for (i = 0; i < CHANNELS; i++) {
    x[i] = half_of(test_random_between(&random_state, -300, 300));
    w[i] = half_of(test_random_between(&random_state, -3, 3));
  }
  one[0] = half_of(test_random_between(&random_state, -50, 50));
  one[1] = half_of(test_random_between(&random_state, 0.1, 3));
  one[2] = half_of(test_random_between(&random_state, -2, 2));
  one[3] = half_of(test_random_between(&random_state, -9, 9));
  image.data_type = WEBNN_FLOAT16;
  image.shape = WEBNN_LIST(1, CHANNELS, 1, 1);
  in = webnn_input(by, "x", image);
  options.scale = halves(by, channel, &one[2]);
  options.bias = halves(by, channel, &one[3]);
  out = webnn_conv2d(by, in, halves(by, WEBNN_LIST(1, CHANNELS, 1, 1), w), NULL);
  out = webnn_batch_normalization(by, out, halves(by, channel, &one[0]),
                                  halves(by, channel, &one[1]), &options);
  MUST("build", webnn_build(by, WEBNN_NAMED_OPERANDS({"y", out}), &graph, &error) == WEBNN_OK, "%s",
       error.message);
  tensors[0] = tensor_of(context, &image);
  image.shape = WEBNN_LIST(1, 1, 1, 1);
  tensors[1] = tensor_of(context, &image);
  webnn_write_tensor(context, tensors[0], x, sizeof x, &error);
  webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", tensors[0]}),
                 WEBNN_NAMED_TENSORS({"y", tensors[1]}), &error);
  webnn_read_tensor(context, tensors[1], &y, sizeof y, &error);
  factor = of_half(one[2]) / sqrt(of_half(one[1]) + of_half(half_of(1e-5)));
  sum = of_half(one[3]) - of_half(one[0]) * factor;
  magnitude = fabs(of_half(one[3])) + fabs(of_half(one[0]) * factor);
  for (i = 0; i < CHANNELS; i++) {
    sum += of_half(x[i]) * of_half(w[i]) * factor;
    magnitude += fabs(of_half(x[i]) * of_half(w[i]) * factor);
  }
  bound = magnitude * (CHANNELS + 7) / 16777216 + fabs(sum) / 2048 + 1.0 / 33554432;
  CHECK("batch normalization in float16", fabs(of_half(y) - sum) <= bound,
        "seed %lu: %.9g, not %.9g within %.3g", (unsigned long)seed, of_half(y), sum, bound);
  webnn_free_tensor(tensors[0]);
  webnn_free_tensor(tensors[1]);
  webnn_free_graph(graph);
  webnn_free_builder(by);
}

enum { LOST = 37 }; /* whole blocks of 16 weights, and a rest */

/* One weight, which with the factor of the batch normalization is subnormal, or as small as a normal
   number can be. Its term is not, and must keep its precision. */
static void lost_weight(webnn_context *context, uint32_t place, float weight) {
  float x[LOST], w[LOST], mean = 0, variance = 1e24f, y = 0;
  webnn_batch_normalization_options options = WEBNN_ZERO;
  webnn_builder *by = test_builder(context);
  webnn_operand *out;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  const double expected = (double)weight * 1e30 / 1e12;
  memset(x, 0, sizeof x);
  memset(w, 0, sizeof w);
  x[place] = 1e30f;
  w[place] = weight;
  out = webnn_input(by, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, LOST, 1, 1));
  out = webnn_conv2d(
      by, out, webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, LOST, 1, 1), w, sizeof w),
      NULL);
  out = webnn_batch_normalization(
      by, out, webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1), &mean, sizeof mean),
      webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1), &variance, sizeof variance), &options);
  MUST("build", webnn_build(by, WEBNN_NAMED_OPERANDS({"y", out}), &graph, &error) == WEBNN_OK, "%s",
       error.message);
  MUST("compute",
       webnn_compute(context, graph, WEBNN_INPUTS({"x", x, sizeof x}),
                     WEBNN_OUTPUTS({"y", &y, sizeof y}), &error) == WEBNN_OK,
       "%s", error.message);
  CHECK("a weight that would be lost", fabs(y - expected) <= expected * 1e-6,
        "weight %u of %g: %.9g, not %.9g", (unsigned)place, (double)weight, (double)y, expected);
  webnn_free_graph(graph);
  webnn_free_builder(by);
}

static webnn_context *fast[2], *reference;
static const webnn_instruction_set sets[2] = {WEBNN_ISA_BEST, WEBNN_ISA_SCALAR};

/* A graph of a pattern, or a chain, whose results have to be the same bits. */
static void try_graph(const char *name, recipe draws, uint64_t seed, bool bits) {
  static results expected, every;
  attempt a;
  uint32_t i;
  if (results_of(reference, draws, seed, false, &expected)) {
    a.name = name;
    a.draws = draws;
    a.seed = seed;
    a.expected = &expected;
    a.magnitude = 0;
    if (!bits) {
      results_of(reference, draws, seed, true, &every);
      a.magnitude = largest(&every);
      release(&every);
    }
    for (i = 0; i < 2; i++) {
      try_context(fast[i], sets[i], &a);
    }
  }
  release(&expected);
}

int main(int argc, char **argv) {
  const uint32_t rounds = argc > 1 ? (uint32_t)atoi(argv[1]) : 4000;
  const uint64_t first = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
  webnn_context_options options = WEBNN_ZERO;
  uint64_t seed;
  uint32_t k, i;
  options.threads = 1;
  options.allocator.allocate = counting_allocate;
  options.allocator.release = counting_release;
  for (i = 0; i < 2; i++) {
    options.instruction_set = sets[i];
    fast[i] = test_context(&options);
  }
  options.instruction_set = WEBNN_ISA_BEST;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  reference = test_context(&options);
  for (i = 0; i < 2 * LOST; i++) {
    lost_weight(fast[i % 2], i / 2, 1e-30f);
    lost_weight(fast[i % 2], i / 2, 1.3e-26f); /* 1.3e-38 is normal */
  }
  for (seed = first; seed < first + rounds; seed++) {
    test_repeat("build/near_misses 1 %lu", (unsigned long)seed);
    for (k = 0; k < PATTERNS; k++) {
      try_graph(pattern_names[k], patterns[k], seed * 1000003 + k, false);
    }
    normalized_halves(fast[seed % 2], seed * 1000003 + 900);
    for (k = 0; k < 4; k++) {
      try_graph("chain", chain, seed * 1000003 + 500 + k, true);
    }
  }
  webnn_free_context(fast[0]);
  webnn_free_context(fast[1]);
  webnn_free_context(reference);
  return test_end();
}
