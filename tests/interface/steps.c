/* What passes make of graphs, by the names of the steps in their profiles: what is to be recognized
   is, and what only looks like it is not. The results are those of a context without passes: all
   values are small integers, so but for softmax they are the same bits. */
#include "test.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Parts of graphs ---------------------------------------------------------------------------
 */

static webnn_builder *b;

static double small_integer(size_t i) {
  return (double)(i * 7 % 5) - 2;
}

static webnn_operand *input(webnn_data_type type, webnn_list shape) {
  const webnn_operand_descriptor descriptor = {type, shape};
  return webnn_input(b, "x", descriptor);
}

static webnn_operand *floats(webnn_list shape) {
  return input(WEBNN_FLOAT32, shape);
}

/* A constant of small integers, or of one number. */
static webnn_operand *constant(webnn_data_type type, webnn_list shape, const double *number) {
  const webnn_operand_descriptor descriptor = {type, shape};
  const size_t count = test_element_count(shape);
  void *data = test_allocate(count * 8);
  webnn_operand *made;
  size_t i;
  for (i = 0; i < count; i++) {
    test_set(type, data, i, number != NULL ? *number : small_integer(i));
  }
  made = webnn_constant(b, descriptor, data, (size_t)webnn_byte_length(descriptor));
  free(data);
  return made;
}

static webnn_operand *weights(webnn_list shape) {
  return constant(WEBNN_FLOAT32, shape, NULL);
}

static webnn_list ones(uint32_t rank) {
  static const uint32_t items[4] = {1, 1, 1, 1};
  return webnn_list_of(items, rank);
}

static webnn_operand *number(double value, uint32_t rank) {
  return constant(WEBNN_FLOAT32, ones(rank), &value);
}

static webnn_operand *clamp(webnn_operand *x, double low, double high) {
  webnn_clamp_options options = WEBNN_ZERO;
  options.min_value = webnn_f64(low);
  options.max_value = webnn_f64(high);
  return webnn_clamp(b, x, &options);
}

/* Bytes with scale 1 and zero point 0, as floats. */
static webnn_operand *dequantized(webnn_operand *x) {
  const double zero = 0;
  const uint32_t rank = webnn_operand_shape(x).count;
  return webnn_dequantize_linear(b, x, number(1, rank),
                                 constant(webnn_operand_data_type(x), ones(rank), &zero), NULL);
}

static webnn_operand *quantized(webnn_operand *x) {
  const double zero = 0;
  return webnn_quantize_linear(b, x, number(1, 2), constant(WEBNN_INT8, WEBNN_LIST(1, 1), &zero),
                               NULL);
}

/* A product of bytes over `length` terms. */
static webnn_operand *product_of_bytes(uint32_t length) {
  return webnn_matmul(b, dequantized(input(WEBNN_INT8, WEBNN_LIST(2, length))),
                      dequantized(constant(WEBNN_INT8, WEBNN_LIST(length, 3), NULL)), NULL);
}

/* ---- The graphs --------------------------------------------------------------------------------
 */

/* m queries of 8 elements, n keys. */
static webnn_operand *scores(uint32_t m, uint32_t n) {
  return webnn_matmul(b, floats(WEBNN_LIST(2, 3, m, 8)), weights(WEBNN_LIST(2, 3, 8, n)), NULL);
}

static const double four = 4;

static webnn_operand *attended(webnn_operand *masked, uint32_t n) {
  return webnn_matmul(b, webnn_softmax(b, masked, 3, NULL), weights(WEBNN_LIST(2, 3, n, 4)), NULL);
}

static webnn_operand *attention_square(void) {
  return attended(scores(5, 5), 5);
}
static webnn_operand *attention_wide(void) {
  return attended(scores(5, 7), 7);
}
static webnn_operand *attention_high(void) {
  return attended(scores(7, 2), 2);
}
static webnn_operand *attention_masked(void) {
  return attended(webnn_add(b, scores(5, 7), weights(WEBNN_LIST(5, 7)), NULL), 7);
}
static webnn_operand *attention_divided(void) {
  return attended(webnn_div(b, scores(5, 7), number(4, 0), NULL), 7);
}
static webnn_operand *attention_multiplied(void) {
  return attended(webnn_mul(b, scores(5, 7), number(0.25, 1), NULL), 7);
}
static webnn_operand *attention_multiplied_left(void) {
  return attended(webnn_mul(b, number(0.25, 0), scores(5, 7), NULL), 7);
}
/* The scores are wanted elsewhere, too. */
static webnn_operand *attention_seen(void) {
  webnn_operand *s = webnn_softmax(b, scores(5, 7), 3, NULL);
  return webnn_add(b, webnn_matmul(b, s, weights(WEBNN_LIST(2, 3, 7, 7)), NULL), s, NULL);
}
static webnn_operand *attention_over_rows(void) {
  return webnn_matmul(b, webnn_softmax(b, scores(5, 7), 2, NULL), weights(WEBNN_LIST(2, 3, 7, 4)),
                      NULL);
}
/* The scores have fewer heads than the values. */
static webnn_operand *attention_broadcast(void) {
  webnn_operand *s =
      webnn_matmul(b, floats(WEBNN_LIST(1, 3, 5, 8)), weights(WEBNN_LIST(1, 3, 8, 7)), NULL);
  return attended(s, 7);
}

/* Scores by numbers whose reciprocals are infinite, and by what is no number. */
static webnn_operand *attention_by_zero(void) {
  return attended(webnn_div(b, scores(5, 7), number(0, 0), NULL), 7);
}
static webnn_operand *attention_by_subnormal(void) {
  return attended(webnn_div(b, scores(5, 7), number(1e-40, 0), NULL), 7);
}
static webnn_operand *attention_by_tensor(void) {
  return attended(webnn_div(b, scores(5, 7), constant(WEBNN_FLOAT32, WEBNN_LIST(7), &four), NULL),
                  7);
}
static webnn_operand *attention_times_tensor(void) {
  return attended(webnn_mul(b, scores(5, 7), weights(WEBNN_LIST(5, 7)), NULL), 7);
}
/* Other scores would be masked if it were for the order of the operands. */
static webnn_operand *attention_mask_first(void) {
  return attended(webnn_add(b, weights(WEBNN_LIST(5, 7)), scores(5, 7), NULL), 7);
}

/* Weights that no product has made, and heads of more axes than there are. */
static webnn_operand *attention_of_weights(void) {
  return attended(floats(WEBNN_LIST(2, 3, 5, 7)), 7);
}
static webnn_operand *attention_of_five_axes(void) {
  webnn_operand *s =
      webnn_matmul(b, floats(WEBNN_LIST(1, 2, 3, 5, 8)), weights(WEBNN_LIST(1, 2, 3, 8, 7)), NULL);
  return webnn_matmul(b, webnn_softmax(b, s, 4, NULL), weights(WEBNN_LIST(1, 2, 3, 7, 4)), NULL);
}

/* ---- Written out ------------------------------------------------------------------------------
 */

static webnn_operand *cells(void) {
  return webnn_mul(b, floats(WEBNN_LIST(6, 8)), weights(WEBNN_LIST(6, 8)), NULL);
}
static webnn_list axis_list(uint32_t count) {
  static const uint32_t axes[2] = {1, 0};
  return webnn_list_of(axes, count);
}
static webnn_operand *sum_of(webnn_operand *x, uint32_t axes, bool keep) {
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = axis_list(axes);
  options.keep_dimensions = keep;
  return webnn_reduce_sum(b, x, &options);
}
static webnn_operand *largest_of(webnn_operand *x, uint32_t axes, bool keep) {
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = axis_list(axes);
  options.keep_dimensions = keep;
  return webnn_reduce_max(b, x, &options);
}
static webnn_operand *mean_of(webnn_operand *x) {
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = axis_list(1);
  options.keep_dimensions = true;
  return webnn_reduce_mean(b, x, &options);
}

/* exp(x - max) / sum, with so many axes of the sum and the largest, kept or not. */
static webnn_operand *softmax_in_parts(uint32_t sum, bool sum_kept, uint32_t largest,
                                       bool largest_kept) {
  webnn_operand *x = floats(WEBNN_LIST(8, 8)), *e;
  e = webnn_exp(b, webnn_sub(b, x, largest_of(x, largest, largest_kept), NULL), NULL);
  return webnn_div(b, e, sum_of(e, sum, sum_kept), NULL);
}
static webnn_operand *softmax_whole(void) {
  return softmax_in_parts(1, true, 1, true);
}
static webnn_operand *softmax_sum_of_all(void) {
  return softmax_in_parts(2, true, 1, true);
}
static webnn_operand *softmax_sum_aside(void) {
  return softmax_in_parts(1, false, 1, true);
}
static webnn_operand *softmax_largest_of_all(void) {
  return softmax_in_parts(1, true, 2, true);
}
static webnn_operand *softmax_largest_aside(void) {
  return softmax_in_parts(1, true, 1, false);
}
static webnn_operand *softmax_of_raw(void) {
  webnn_operand *e = webnn_exp(b, floats(WEBNN_LIST(8, 8)), NULL);
  return webnn_div(b, e, sum_of(e, 1, true), NULL);
}
static webnn_operand *softmax_of_nothing(void) {
  webnn_operand *x = webnn_abs(b, floats(WEBNN_LIST(8, 8)), NULL);
  return webnn_div(b, x, sum_of(x, 1, true), NULL);
}

/* (x - mean) / sqrt(variance + epsilon), the variance of c times other. */
static webnn_operand *normalization_in_parts(bool squared, double epsilon) {
  webnn_operand *x = cells(), *c = webnn_sub(b, x, mean_of(x), NULL);
  webnn_operand *square = webnn_mul(b, c, squared ? c : x, NULL);
  webnn_operand *v = webnn_add(b, mean_of(square), number(epsilon, 0), NULL);
  return webnn_div(b, c, webnn_sqrt(b, v, NULL), NULL);
}
static webnn_operand *normalization(void) {
  return normalization_in_parts(true, 0.5);
}
static webnn_operand *normalization_no_square(void) {
  return normalization_in_parts(false, 64);
}
static webnn_operand *normalization_other_square(void) {
  webnn_operand *x = cells(), *c = webnn_sub(b, x, mean_of(x), NULL);
  webnn_operand *v = webnn_add(b, mean_of(webnn_mul(b, x, c, NULL)), number(64, 0), NULL);
  return webnn_div(b, c, webnn_sqrt(b, v, NULL), NULL);
}
/* The means of rows, taken from columns. */
static webnn_operand *normalization_mean_aside(void) {
  webnn_operand *x = floats(WEBNN_LIST(8, 8)), *c, *v;
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = axis_list(1);
  c = webnn_sub(b, x, webnn_reduce_mean(b, x, &options), NULL);
  v = webnn_add(b, mean_of(webnn_mul(b, c, c, NULL)), number(1, 0), NULL);
  return webnn_div(b, c, webnn_sqrt(b, v, NULL), NULL);
}
static webnn_operand *normalization_no_epsilon(void) {
  return normalization_in_parts(true, 0);
}

/* Over the first axis of two; and the difference from the mean computed twice. */
static webnn_operand *mean_of_first(webnn_operand *x) {
  static const uint32_t axis = 0;
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = webnn_list_of(&axis, 1);
  options.keep_dimensions = true;
  return webnn_reduce_mean(b, x, &options);
}
static webnn_operand *normalization_of_first(void) {
  webnn_operand *x = cells(), *c = webnn_sub(b, x, mean_of_first(x), NULL), *v;
  v = webnn_add(b, mean_of_first(webnn_mul(b, c, c, NULL)), number(1, 0), NULL);
  return webnn_div(b, c, webnn_sqrt(b, v, NULL), NULL);
}
static webnn_operand *normalization_of_two(bool same) {
  webnn_operand *x = cells(), *c = webnn_sub(b, x, mean_of(x), NULL), *v;
  v = webnn_sub(b, x, same ? mean_of(x) : mean_of_first(x), NULL);
  v = webnn_add(b, mean_of(webnn_mul(b, v, v, NULL)), number(1, 0), NULL);
  return webnn_div(b, c, webnn_sqrt(b, v, NULL), NULL);
}
/* By the deviation of another tensor. */
static webnn_operand *normalization_by_another(void) {
  webnn_operand *x = cells(), *c = webnn_sub(b, x, mean_of(x), NULL), *v;
  webnn_operand *z = webnn_mul(b, x, weights(WEBNN_LIST(6, 8)), NULL);
  v = webnn_sub(b, z, mean_of(z), NULL);
  v = webnn_add(b, mean_of(webnn_mul(b, v, v, NULL)), number(1, 0), NULL);
  return webnn_div(b, c, webnn_sqrt(b, v, NULL), NULL);
}
static webnn_operand *normalization_twice(void) {
  return normalization_of_two(true);
}
static webnn_operand *normalization_of_others(void) {
  return normalization_of_two(false);
}

/* y (1 + erf(x / sqrt 2)) / 2, the sum left or right. */
static webnn_operand *gelu_in_parts(bool same, bool left) {
  webnn_operand *x = cells(), *y = same ? x : webnn_abs(b, x, NULL), *sum;
  sum = webnn_add(b, webnn_erf(b, webnn_div(b, x, number(sqrt(2), 0), NULL), NULL), number(1, 0),
                  NULL);
  return webnn_mul(b, webnn_mul(b, left ? sum : y, left ? y : sum, NULL), number(0.5, 0), NULL);
}
static webnn_operand *gelu_left(void) {
  return gelu_in_parts(true, true);
}
static webnn_operand *gelu_right(void) {
  return gelu_in_parts(true, false);
}
static webnn_operand *gelu_left_of_other(void) {
  return gelu_in_parts(false, true);
}
static webnn_operand *gelu_right_of_other(void) {
  return gelu_in_parts(false, false);
}

/* x hardSigmoid(x), the slope so many units in the last place from 1/6. */
static webnn_operand *swish_of(webnn_operand *x, int units) {
  webnn_hard_sigmoid_options options = WEBNN_ZERO;
  options.alpha = webnn_f64((double)(1.0f / 6) + units * ldexp(1, -26));
  options.beta = webnn_f64(0.5);
  return webnn_mul(b, x, webnn_hard_sigmoid(b, x, &options), NULL);
}
static webnn_operand *swish(int units) {
  return swish_of(cells(), units);
}
static webnn_operand *swish_float16(void) { /* its own 1/6, 0x1.554p-3, is no sixth */
  webnn_operand *x = input(WEBNN_FLOAT16, WEBNN_LIST(6, 8));
  return swish_of(webnn_mul(b, x, x, NULL), 0);
}
static webnn_operand *swish_exact(void) {
  return swish(0);
}
static webnn_operand *swish_above(void) {
  return swish(1);
}
static webnn_operand *swish_below(void) {
  return swish(-1);
}
static webnn_operand *swish_far_above(void) {
  return swish(2);
}
static webnn_operand *swish_far_below(void) {
  return swish(-2);
}

/* x clamp(x + three, low, high) / six, divided last or before. */
static webnn_operand *clamped_swish(webnn_operand *x, double three, double low, double high,
                                    double six, bool last) {
  webnn_operand *gate = webnn_add(b, x, number(three, 0), NULL);
  webnn_clamp_options options = WEBNN_ZERO;
  options.min_value = webnn_f64(low);
  options.max_value = webnn_f64(high);
  gate = webnn_clamp(b, gate, &options);
  return last ? webnn_div(b, webnn_mul(b, gate, x, NULL), number(six, 0), NULL)
              : webnn_mul(b, x, webnn_div(b, gate, number(six, 0), NULL), NULL);
}
static webnn_operand *swish_divided_last(void) {
  return clamped_swish(cells(), 3, 0, 6, 6, true);
}
static webnn_operand *swish_divided_before(void) {
  return clamped_swish(cells(), 3, 0, 6, 6, false);
}
static webnn_operand *swish_of_two(void) {
  return clamped_swish(cells(), 2, 0, 6, 6, true);
}
static webnn_operand *swish_to_five(void) {
  return clamped_swish(cells(), 3, 0, 5, 6, false);
}
static webnn_operand *swish_by_five(void) {
  return clamped_swish(cells(), 3, 0, 6, 5, true);
}
static webnn_operand *swish_from_quarter(void) {
  return clamped_swish(cells(), 3, 0.25, 6, 6, true);
}

/* ---- Moved -------------------------------------------------------------------------------------
 */

/* Every 70,000th row, twice: together that is more than a stride can be. */
static webnn_operand *sliced_twice(uint32_t stride) {
  webnn_slice_options options = WEBNN_ZERO;
  webnn_operand *x;
  options.strides = WEBNN_LIST(stride, 1);
  x = webnn_slice(b, floats(WEBNN_LIST(6, 6)), WEBNN_LIST(1, 1), WEBNN_LIST(5, 5), &options);
  return webnn_slice(b, x, WEBNN_LIST(0, 1), WEBNN_LIST(1, 3), &options);
}
static webnn_operand *slices(void) {
  return sliced_twice(30000);
}
static webnn_operand *slices_far(void) {
  return sliced_twice(70000);
}

/* A product of a matrix whose rows and columns have changed places, and more axes have. */
static webnn_operand *product_of_turned(bool all) {
  webnn_transpose_options options = WEBNN_ZERO;
  options.permutation = all ? WEBNN_LIST(1, 0, 3, 2) : WEBNN_LIST(0, 1, 3, 2);
  return webnn_matmul(b, webnn_transpose(b, floats(WEBNN_LIST(2, 2, 4, 5)), &options),
                      weights(WEBNN_LIST(2, 2, 4, 6)), NULL);
}
static webnn_operand *product_of_rows_turned(void) {
  return product_of_turned(false);
}
static webnn_operand *product_of_all_turned(void) {
  return product_of_turned(true);
}

/* ---- Products ----------------------------------------------------------------------------------
 */

static webnn_operand *bytes(void) {
  return product_of_bytes(9);
}
/* Weights that are no bytes. */
static webnn_operand *bytes_by(webnn_data_type type) {
  return webnn_matmul(b, dequantized(input(WEBNN_INT8, WEBNN_LIST(2, 9))),
                      dequantized(constant(type, WEBNN_LIST(9, 3), NULL)), NULL);
}
static webnn_operand *bytes_by_int32(void) {
  return bytes_by(WEBNN_INT32);
}
static webnn_operand *int32_by_bytes(void) {
  return webnn_matmul(b, dequantized(input(WEBNN_INT32, WEBNN_LIST(2, 9))),
                      dequantized(constant(WEBNN_INT8, WEBNN_LIST(9, 3), NULL)), NULL);
}
static webnn_operand *bytes_biased_with(webnn_operand *bias) {
  return webnn_add(b, product_of_bytes(9), bias, NULL);
}
static webnn_operand *bytes_bias_of_small_bytes(void) {
  return bytes_biased_with(dequantized(constant(WEBNN_INT8, WEBNN_LIST(3), NULL)));
}
static webnn_operand *bytes_bias_of_one(void) {
  return bytes_biased_with(number(3, 1));
}
static webnn_operand *bytes_bias_computed(void) {
  webnn_operand *x = input(WEBNN_INT32, WEBNN_LIST(3));
  webnn_operand *y = webnn_cast(b, webnn_expand(b, x, WEBNN_LIST(2, 3), NULL), WEBNN_INT8, NULL);
  y = webnn_matmul(b, dequantized(y), dequantized(constant(WEBNN_INT8, WEBNN_LIST(3, 3), NULL)),
                   NULL);
  return webnn_add(b, y, dequantized(x), NULL);
}
static webnn_operand *bytes_bias_computed_floats(void) {
  webnn_operand *x = dequantized(input(WEBNN_INT8, WEBNN_LIST(2, 3)));
  webnn_operand *y =
      webnn_matmul(b, x, dequantized(constant(WEBNN_INT8, WEBNN_LIST(3, 3), NULL)), NULL);
  return webnn_add(b, y, webnn_slice(b, x, WEBNN_LIST(0, 0), WEBNN_LIST(1, 3), NULL), NULL);
}
static webnn_operand *bytes_computed_scale(void) {
  const double zero = 0;
  webnn_operand *x = input(WEBNN_INT8, WEBNN_LIST(2, 9)), *scale;
  scale = webnn_abs(b, webnn_slice(b, x, WEBNN_LIST(0, 0), WEBNN_LIST(1, 1), NULL), NULL);
  x = webnn_dequantize_linear(b, x, webnn_cast(b, scale, WEBNN_FLOAT32, NULL),
                              constant(WEBNN_INT8, WEBNN_LIST(1, 1), &zero), NULL);
  return webnn_matmul(b, x, dequantized(constant(WEBNN_INT8, WEBNN_LIST(9, 3), NULL)), NULL);
}
/* An image of bytes, with a bias of its own. */
static webnn_operand *bytes_image_with(webnn_operand *bias) {
  webnn_conv2d_options options = WEBNN_ZERO;
  options.bias = bias;
  return webnn_conv2d(b, dequantized(input(WEBNN_INT8, WEBNN_LIST(1, 4, 6, 6))),
                      dequantized(constant(WEBNN_INT8, WEBNN_LIST(4, 4, 3, 3), NULL)), &options);
}
static webnn_operand *bytes_image_with_bias(void) {
  return bytes_image_with(weights(WEBNN_LIST(4)));
}
static webnn_operand *bytes_image_with_infinite(void) {
  const double infinite = INFINITY;
  return bytes_image_with(constant(WEBNN_FLOAT32, WEBNN_LIST(4), &infinite));
}
static webnn_operand *bytes_clamped_twice(double low, double high, double then_low,
                                          double then_high) {
  return clamp(clamp(product_of_bytes(9), low, high), then_low, then_high);
}
static webnn_operand *bytes_clamped_higher(void) {
  return bytes_clamped_twice(-1, 2, 3, 4);
}
static webnn_operand *bytes_clamped_lower(void) {
  return bytes_clamped_twice(3, 4, -1, 2);
}
static webnn_operand *bytes_and_relu(void) {
  return webnn_relu(b, quantized(product_of_bytes(9)), NULL);
}
/* Bytes with this scale for each column, or one. */
static webnn_operand *quantized_by(webnn_operand *scale, webnn_operand *zero_point) {
  return webnn_quantize_linear(b, product_of_bytes(9), scale, zero_point, NULL);
}
static webnn_operand *bytes_to_columns(void) {
  const double two = 2, zero = 0;
  return quantized_by(constant(WEBNN_FLOAT32, WEBNN_LIST(1, 3), &two),
                      constant(WEBNN_INT8, WEBNN_LIST(1, 3), &zero));
}
static webnn_operand *bytes_of_tiny_scale(void) {
  const double zero = 0;
  return quantized_by(number(1e-6, 2), constant(WEBNN_INT8, WEBNN_LIST(1, 1), &zero));
}
static webnn_operand *bytes_to_computed_zero(void) {
  webnn_operand *x = input(WEBNN_INT8, WEBNN_LIST(2, 9));
  webnn_operand *y = webnn_matmul(b, dequantized(x),
                                  dequantized(constant(WEBNN_INT8, WEBNN_LIST(9, 3), NULL)), NULL);
  return webnn_quantize_linear(b, y, number(1, 2),
                               webnn_slice(b, x, WEBNN_LIST(0, 0), WEBNN_LIST(1, 1), NULL), NULL);
}
static webnn_operand *bytes_gemm(webnn_list bias) {
  webnn_gemm_options options = WEBNN_ZERO;
  options.c = weights(bias);
  return webnn_gemm(b, dequantized(input(WEBNN_INT8, WEBNN_LIST(2, 9))),
                    dequantized(constant(WEBNN_INT8, WEBNN_LIST(9, 3), NULL)), &options);
}
static webnn_operand *bytes_gemm_of_columns(void) {
  return bytes_gemm(WEBNN_LIST(3));
}
static webnn_operand *bytes_gemm_of_all(void) {
  return bytes_gemm(WEBNN_LIST(2, 3));
}
/* An image of 4 channels and 4 columns: what is added to its columns is no bias of its channels. */
static webnn_operand *bytes_image(webnn_list bias) {
  webnn_operand *y =
      webnn_conv2d(b, dequantized(input(WEBNN_INT8, WEBNN_LIST(1, 4, 6, 6))),
                   dequantized(constant(WEBNN_INT8, WEBNN_LIST(4, 4, 3, 3), NULL)), NULL);
  return webnn_add(b, y, weights(bias), NULL);
}
static webnn_operand *bytes_image_biased(void) {
  return bytes_image(WEBNN_LIST(4, 1, 1));
}
static webnn_operand *bytes_image_columns(void) {
  return bytes_image(WEBNN_LIST(4));
}
static webnn_operand *bytes_most(void) {
  return product_of_bytes(65536);
}
static webnn_operand *bytes_more(void) {
  return product_of_bytes(65537);
}
static webnn_operand *bytes_biased(void) {
  return webnn_add(b, product_of_bytes(9), weights(WEBNN_LIST(3)), NULL);
}
static webnn_operand *bytes_biased_left(void) {
  return webnn_add(b, weights(WEBNN_LIST(3)), product_of_bytes(9), NULL);
}
static webnn_operand *bytes_biased_twice(void) {
  return webnn_add(b, bytes_biased(), weights(WEBNN_LIST(3)), NULL);
}
static webnn_operand *bytes_biased_then_bounded(void) {
  return clamp(bytes_biased(), -1, 2);
}
static webnn_operand *bytes_below(void) {
  return webnn_add(b, clamp(product_of_bytes(9), -INFINITY, 1), weights(WEBNN_LIST(3)), NULL);
}
static webnn_operand *bytes_above(void) {
  return webnn_add(b, webnn_relu(b, product_of_bytes(9), NULL), weights(WEBNN_LIST(3)), NULL);
}
static webnn_operand *bytes_all(void) {
  return quantized(clamp(bytes_biased(), -1, 2));
}
static webnn_operand *bytes_after_bytes(void) {
  return webnn_relu(b, dequantized(quantized(bytes_biased())), NULL);
}

static webnn_operand *bytes_scaled(double scale) {
  const double zero = 0;
  webnn_operand *x = input(WEBNN_INT8, WEBNN_LIST(2, 9));
  x = webnn_dequantize_linear(b, x, number(scale, 2), constant(WEBNN_INT8, WEBNN_LIST(1, 1), &zero),
                              NULL);
  return webnn_matmul(b, x, dequantized(constant(WEBNN_INT8, WEBNN_LIST(9, 3), NULL)), NULL);
}
static webnn_operand *bytes_small_scale(void) {
  return bytes_scaled(ldexp(1, -40));
}
static webnn_operand *bytes_large_scale(void) {
  return bytes_scaled(ldexp(1, 40));
}
static webnn_operand *bytes_both_computed(void) {
  webnn_operand *x = dequantized(input(WEBNN_INT8, WEBNN_LIST(3, 3)));
  return webnn_matmul(b, x, x, NULL);
}
static webnn_operand *bytes_bias_of_bytes(void) {
  return webnn_add(b, product_of_bytes(9), dequantized(constant(WEBNN_INT32, WEBNN_LIST(3), NULL)),
                   NULL);
}
static webnn_operand *bytes_bias_of_rows(void) {
  return webnn_add(b, product_of_bytes(9), weights(WEBNN_LIST(2, 1)), NULL);
}
static webnn_operand *bytes_bias_infinite(void) {
  const double infinite = INFINITY;
  return webnn_add(b, product_of_bytes(9), constant(WEBNN_FLOAT32, WEBNN_LIST(3), &infinite), NULL);
}
static webnn_operand *bytes_bias_makes_larger(void) {
  return webnn_add(b, product_of_bytes(9), weights(WEBNN_LIST(2, 2, 3)), NULL);
}
static webnn_operand *bytes_to_int32(void) {
  const double zero = 0;
  return webnn_quantize_linear(b, product_of_bytes(9), number(1, 2),
                               constant(WEBNN_INT32, WEBNN_LIST(1, 1), &zero), NULL);
}

static webnn_operand *product(void) {
  return webnn_matmul(b, floats(WEBNN_LIST(2, 9)), weights(WEBNN_LIST(9, 3)), NULL);
}
static webnn_operand *product_biased(void) {
  return webnn_add(b, product(), weights(WEBNN_LIST(3)), NULL);
}
static webnn_operand *product_below(void) {
  return webnn_add(b, clamp(product(), -INFINITY, 1), weights(WEBNN_LIST(3)), NULL);
}
static webnn_operand *product_clamped(void) {
  return clamp(product_biased(), -INFINITY, 1);
}
static webnn_operand *product_from_above(void) {
  return clamp(product(), 0, INFINITY);
}
static webnn_operand *product_added(void) {
  webnn_operand *x = floats(WEBNN_LIST(3, 3));
  return webnn_add(b, webnn_matmul(b, x, weights(WEBNN_LIST(3, 3)), NULL), x, NULL);
}
static webnn_operand *image(void) {
  return webnn_conv2d(b, floats(WEBNN_LIST(1, 4, 6, 6)), weights(WEBNN_LIST(4, 4, 3, 3)), NULL);
}
static webnn_operand *image_biased(void) {
  return webnn_relu(b, webnn_add(b, image(), weights(WEBNN_LIST(1, 4, 1, 1)), NULL), NULL);
}
static webnn_operand *image_columns(void) {
  return webnn_add(b, image(), weights(WEBNN_LIST(4)), NULL);
}
/* All windows but one are beside the only column. */
static webnn_operand *image_beside_column(void) {
  webnn_conv2d_options options = WEBNN_ZERO;
  options.padding = WEBNN_LIST(0, 0, 1, 0);
  options.strides = WEBNN_LIST(1, 2);
  return webnn_conv2d(b, floats(WEBNN_LIST(1, 4, 6, 1)), weights(WEBNN_LIST(4, 4, 3, 1)), &options);
}
static webnn_operand *product_from_one(void) {
  return clamp(product(), 1, INFINITY);
}
static webnn_operand *product_to_nan(void) {
  return clamp(product(), NAN, 1);
}
static webnn_operand *product_residual(webnn_operand *x) {
  return webnn_add(b, webnn_matmul(b, x, weights(WEBNN_LIST(4, 4)), NULL), x, NULL);
}
static webnn_operand *product_reshaped(bool residual, bool left) {
  webnn_operand *x = floats(WEBNN_LIST(3, 4)), *y, *z;
  y = residual ? product_residual(x) : webnn_matmul(b, x, weights(WEBNN_LIST(4, 4)), NULL);
  y = webnn_reshape(b, y, WEBNN_LIST(2, 6), NULL);
  z = webnn_reshape(b, x, WEBNN_LIST(2, 6), NULL);
  return webnn_add(b, left ? z : y, left ? y : z, NULL);
}
static webnn_operand *product_reshaped_right(void) {
  return product_reshaped(false, false);
}
static webnn_operand *product_reshaped_left(void) {
  return product_reshaped(false, true);
}
static webnn_operand *product_reshaped_twice(void) {
  return product_reshaped(true, false);
}

/* Weights and a factor of batchNormalization. */
static webnn_operand *normalized_image(double weight, double scale) {
  const double zero = 0, one = 1;
  webnn_batch_normalization_options options = WEBNN_ZERO;
  webnn_operand *y = webnn_conv2d(b, floats(WEBNN_LIST(1, 4, 6, 6)),
                                  constant(WEBNN_FLOAT32, WEBNN_LIST(4, 4, 3, 3), &weight), NULL);
  options.scale = constant(WEBNN_FLOAT32, WEBNN_LIST(4), &scale);
  return webnn_batch_normalization(b, y, constant(WEBNN_FLOAT32, WEBNN_LIST(4), &zero),
                                   constant(WEBNN_FLOAT32, WEBNN_LIST(4), &one), &options);
}
static webnn_operand *normalized_by_normal(void) {
  return normalized_image(2, 3);
}
static webnn_operand *normalized_to_subnormal(void) {
  return normalized_image(1e-20, 1e-20);
}
static webnn_operand *normalized_to_infinite(void) {
  return normalized_image(1e20, 1e20);
}
static webnn_operand *normalized_infinite(void) {
  return normalized_image(INFINITY, 2);
}

/* Two convolutions of nchw images become nhwc, and what follows with them. */
static webnn_operand *images(void) {
  webnn_conv2d_options options = WEBNN_ZERO;
  options.padding = WEBNN_LIST(1, 1, 1, 1);
  return webnn_conv2d(b, image(), weights(WEBNN_LIST(6, 4, 3, 3)), &options);
}
static webnn_operand *images_pooled(void) {
  return webnn_max_pool2d(b, images(), NULL);
}
static webnn_operand *images_pooled_otherwise(void) {
  webnn_pool2d_options options = WEBNN_ZERO;
  options.layout = WEBNN_LAYOUT_NHWC;
  return webnn_max_pool2d(b, images(), &options);
}
/* Rows, columns or channels of an image by their numbers, which are a list or one alone. */
static webnn_operand *images_gathered(uint32_t axis, webnn_list shape) {
  static const int32_t numbers[3] = {2, 0, 2};
  const webnn_operand_descriptor descriptor = {WEBNN_INT32, shape};
  webnn_gather_options options = WEBNN_ZERO;
  options.axis = axis;
  return webnn_gather(b, images(),
                      webnn_constant(b, descriptor, numbers, (size_t)webnn_byte_length(descriptor)),
                      &options);
}
static webnn_operand *images_rows_gathered(void) {
  return images_gathered(2, WEBNN_LIST(3));
}
static webnn_operand *images_columns_gathered(void) {
  return images_gathered(3, WEBNN_LIST(3));
}
static webnn_operand *images_channels_gathered(void) {
  return images_gathered(1, WEBNN_LIST(3));
}
static webnn_operand *images_row_gathered(void) {
  return images_gathered(2, WEBNN_EMPTY_LIST);
}
static webnn_operand *images_table_gathered(void) {
  return images_gathered(2, WEBNN_LIST(3, 1));
}
static webnn_operand *images_turned(webnn_list permutation, bool pooled) {
  webnn_transpose_options options = WEBNN_ZERO;
  webnn_operand *y;
  options.permutation = permutation;
  y = webnn_transpose(b, images(), &options);
  return pooled ? webnn_max_pool2d(b, y, NULL) : y;
}
static webnn_operand *images_turned_pooled(void) {
  return images_turned(WEBNN_LIST(0, 1, 3, 2), true);
}
/* x + transposed y, y of other axes or another rank. */
static webnn_operand *images_plus(webnn_list shape, webnn_list permutation) {
  webnn_transpose_options turn = WEBNN_ZERO;
  webnn_conv2d_options options = WEBNN_ZERO;
  webnn_operand *x = floats(WEBNN_LIST(1, 6, 6, 6)), *y;
  options.padding = WEBNN_LIST(1, 1, 1, 1);
  turn.permutation = permutation;
  y = webnn_transpose(b, webnn_reshape(b, x, shape, NULL), &turn);
  x = webnn_conv2d(b, x, weights(WEBNN_LIST(6, 6, 3, 3)), &options);
  x = webnn_conv2d(b, x, weights(WEBNN_LIST(6, 6, 3, 3)), &options);
  return webnn_mul(b, webnn_add(b, x, y, NULL), x, NULL);
}
static webnn_operand *images_plus_turned(void) {
  return images_plus(WEBNN_LIST(1, 6, 6, 6), WEBNN_LIST(0, 3, 1, 2));
}
static webnn_operand *images_plus_turned_otherwise(void) {
  return images_plus(WEBNN_LIST(1, 6, 6, 6), WEBNN_LIST(0, 2, 1, 3));
}
static webnn_operand *images_plus_smaller(void) {
  return images_plus(WEBNN_LIST(6, 6, 6), WEBNN_LIST(0, 2, 1));
}

/* So many operators; three such chains, joined. */
static webnn_operand *links(webnn_operand *x, uint32_t count) {
  for (; count > 0; count--) {
    x = count % 2 == 0 ? webnn_abs(b, x, NULL) : webnn_neg(b, x, NULL);
  }
  return x;
}
static webnn_operand *chain_of(uint32_t first, uint32_t second, uint32_t third) {
  webnn_operand *x = floats(WEBNN_LIST(9, 40));
  webnn_operand *y = webnn_sub(b, links(x, first), links(x, second), NULL);
  return third == 0 ? y : webnn_max(b, links(x, third), y, NULL);
}
static webnn_operand *chain_short(void) {
  return chain_of(3, 3, 3);
}
static webnn_operand *chain_long(void) {
  return chain_of(10, 10, 0);
}
static webnn_operand *chain_longer(void) {
  return chain_of(14, 14, 14);
}
static webnn_operand *chain_of_three(void) {
  webnn_operand *x = floats(WEBNN_LIST(9, 40));
  return webnn_where(b, webnn_greater(b, x, number(0, 0), NULL), links(x, 14), links(x, 15), NULL);
}
/* One constant as a factor and as a scale. */
static webnn_operand *chain_of_blocks(void) {
  const double two = 2, zero = 0;
  webnn_operand *s = constant(WEBNN_FLOAT32, WEBNN_LIST(1, 40), &two);
  return webnn_quantize_linear(b, webnn_mul(b, floats(WEBNN_LIST(9, 40)), s, NULL), s,
                               constant(WEBNN_INT8, WEBNN_LIST(1, 40), &zero), NULL);
}
static webnn_operand *chain(void) {
  return webnn_abs(b, webnn_mul(b, floats(WEBNN_LIST(9, 40)), weights(WEBNN_LIST(40)), NULL), NULL);
}

typedef struct sample {
  const char *name;
  webnn_operand *(*make)(void);
  const char *steps; /* with all passes, joined by commas */
} sample;

static const sample samples[] = {
    {"attention, square scores", attention_square, "matmul + softmax + matmul"},
    {"attention, more keys than queries", attention_wide, "matmul + softmax + matmul"},
    {"attention, more queries than keys", attention_high, "matmul + softmax + matmul"},
    {"attention with a mask", attention_masked, "matmul + add + softmax + matmul"},
    {"attention, quotient", attention_divided, "matmul + softmax + matmul"},
    {"attention, product", attention_multiplied, "matmul + softmax + matmul"},
    {"attention, product from the left", attention_multiplied_left, "matmul + softmax + matmul"},
    {"weights with other users", attention_seen, "matmul, softmax, matmul + add"},
    {"softmax over queries", attention_over_rows, "matmul, softmax, matmul"},
    {"values broadcast the scores", attention_broadcast, "matmul, softmax, matmul"},
    {"bytes", bytes, "quantized matmul"},
    {"the longest product of bytes", bytes_most, "quantized matmul"},
    {"a longer product of bytes", bytes_more, "dequantizeLinear, matmul"},
    {"bytes, bias", bytes_biased, "quantized matmul"},
    {"bias, bytes", bytes_biased_left, "quantized matmul"},
    {"bytes, two biases", bytes_biased_twice, "quantized matmul, add"},
    {"bytes, bias, bounds", bytes_biased_then_bounded, "quantized matmul"},
    {"bytes, upper bound, bias", bytes_below, "quantized matmul, add"},
    {"bytes, lower bound, bias", bytes_above, "quantized matmul, add"},
    {"bytes, bias, bounds, bytes", bytes_all, "quantized matmul"},
    {"bytes, bytes, floats", bytes_after_bytes, "quantized matmul, dequantizeLinear + relu"},
    {"bytes, a very small scale", bytes_small_scale, "dequantizeLinear, matmul"},
    {"bytes, a very large scale", bytes_large_scale, "dequantizeLinear, matmul"},
    {"bytes, no constant weights", bytes_both_computed, "dequantizeLinear, matmul"},
    {"bytes, bias of int32", bytes_bias_of_bytes, "quantized matmul"},
    {"bytes, bias of each row", bytes_bias_of_rows, "quantized matmul, add"},
    {"bytes, infinite bias", bytes_bias_infinite, "quantized matmul, add"},
    {"bytes, bias that makes more", bytes_bias_makes_larger, "quantized matmul, add"},
    {"bytes, int32", bytes_to_int32, "quantized matmul, quantizeLinear"},
    {"product", product, "matmul"},
    {"product, bias", product_biased, "matmul + add"},
    {"product, upper bound, bias", product_below, "matmul + clamp, add"},
    {"product, bias, upper bound", product_clamped, "matmul + add + clamp"},
    {"product, clamp like relu", product_from_above, "matmul + relu"},
    {"product, residual", product_added, "matmul + add"},
    {"image, bias, relu", image_biased, "conv2d + relu"},
    {"attention, quotient by 0", attention_by_zero, "matmul, div, softmax, matmul"},
    {"attention, quotient by a subnormal", attention_by_subnormal, "matmul, div, softmax, matmul"},
    {"attention, quotient by a tensor", attention_by_tensor, "matmul, div, softmax, matmul"},
    {"attention, product with a tensor", attention_times_tensor, "matmul, mul, softmax, matmul"},
    {"attention, mask first", attention_mask_first, "matmul + add + softmax + matmul"},
    {"attention, given scores", attention_of_weights, "softmax, matmul"},
    {"attention of five axes", attention_of_five_axes, "matmul, softmax, matmul"},
    {"softmax", softmax_whole, "softmax"},
    {"softmax, sum of all", softmax_sum_of_all, "reduceMax, sub + exp + reduceSum, div"},
    {"softmax, sum aside", softmax_sum_aside, "reduceMax, sub + exp + reduceSum, div"},
    {"softmax, largest of all", softmax_largest_of_all, "reduceMax, sub + exp + reduceSum, div"},
    {"softmax, largest aside", softmax_largest_aside, "reduceMax, sub + exp + reduceSum, div"},
    {"softmax, nothing subtracted", softmax_of_raw, "exp + reduceSum, div"},
    {"softmax, no exponential", softmax_of_nothing, "abs + reduceSum, div"},
    {"layerNormalization", normalization, "mul, layerNormalization"},
    {"layerNormalization, no square", normalization_no_square,
     "mul + reduceMean, sub + mul + reduceMean, add + sqrt, div"},
    {"layerNormalization, another square", normalization_other_square,
     "mul + reduceMean, sub + mul + reduceMean, add + sqrt, div"},
    {"layerNormalization, means aside", normalization_mean_aside,
     "reduceMean, sub + mul + reduceMean, add + sqrt, div"},
    {"layerNormalization, no epsilon", normalization_no_epsilon,
     "mul + reduceMean, sub + mul + reduceMean, add + sqrt, div"},
    {"layerNormalization, the first axis", normalization_of_first, "mul, layerNormalization"},
    {"layerNormalization, the difference twice", normalization_twice, "mul, layerNormalization"},
    {"layerNormalization, another's deviation", normalization_by_another,
     "mul + reduceMean, mul + reduceMean, sub + mul + reduceMean, add + sqrt, sub + div"},
    {"layerNormalization, two differences", normalization_of_others,
     "mul + reduceMean, reduceMean, sub + mul + reduceMean, add + sqrt, sub + div"},
    {"gelu, sum left", gelu_left, "mul + gelu"},
    {"gelu, sum right", gelu_right, "mul + gelu"},
    {"gelu, sum left, of another", gelu_left_of_other, "mul + abs + div + erf + add + mul + mul"},
    {"gelu, sum right, of another", gelu_right_of_other, "mul + abs + div + erf + add + mul + mul"},
    {"hardSwish", swish_exact, "mul + hardSwish"},
    {"hardSwish, a unit above", swish_above, "mul + hardSwish"},
    {"hardSwish, a unit below", swish_below, "mul + hardSwish"},
    {"hardSwish, float16", swish_float16, "mul + hardSigmoid + mul"},
    {"hardSwish, two units above", swish_far_above, "mul + hardSigmoid + mul"},
    {"hardSwish, two units below", swish_far_below, "mul + hardSigmoid + mul"},
    {"hardSwish of a clamp, divided last", swish_divided_last, "mul + hardSwish"},
    {"hardSwish of a clamp, divided before", swish_divided_before, "mul + hardSwish"},
    {"hardSwish of a clamp, plus 2", swish_of_two, "mul + add + clamp + mul + div"},
    {"hardSwish of a clamp, up to 5", swish_to_five, "mul + add + clamp + div + mul"},
    {"hardSwish of a clamp, by 5", swish_by_five, "mul + add + clamp + mul + div"},
    {"hardSwish of a clamp, from 0.25", swish_from_quarter, "mul + add + clamp + mul + div"},
    {"slice of a slice", slices, "slice"},
    {"slice of a slice, too far", slices_far, "slice, slice"},
    {"product of turned rows", product_of_rows_turned, "matmul"},
    {"product of turned matrices", product_of_all_turned, "transpose, matmul"},
    {"bytes, weights of int32", bytes_by_int32, "dequantizeLinear, matmul"},
    {"int32, weights of bytes", int32_by_bytes, "dequantizeLinear, matmul"},
    {"bytes, bias of bytes", bytes_bias_of_small_bytes, "quantized matmul, add"},
    {"bytes, computed bias of floats", bytes_bias_computed_floats,
     "dequantizeLinear, quantized matmul, slice, add"},
    {"bytes, computed scale", bytes_computed_scale, "slice, abs, cast, dequantizeLinear, matmul"},
    {"bytes, image with bias", bytes_image_with_bias, "quantized conv2d"},
    {"bytes, image with infinite bias", bytes_image_with_infinite, "dequantizeLinear, conv2d"},
    {"bytes, one bias", bytes_bias_of_one, "quantized matmul"},
    {"bytes, computed bias", bytes_bias_computed,
     "expand, cast, quantized matmul, dequantizeLinear, add"},
    {"bytes, bounds, higher bounds", bytes_clamped_higher, "quantized matmul"},
    {"bytes, bounds, lower bounds", bytes_clamped_lower, "quantized matmul"},
    {"bytes, bytes, relu", bytes_and_relu, "quantized matmul, relu"},
    {"bytes, a scale for each column", bytes_to_columns, "quantized matmul, quantizeLinear"},
    {"bytes, results beyond int32", bytes_of_tiny_scale, "quantized matmul, quantizeLinear"},
    {"bytes, computed zero point", bytes_to_computed_zero,
     "quantized matmul, slice, quantizeLinear"},
    {"bytes, gemm with a row", bytes_gemm_of_columns, "quantized gemm"},
    {"bytes, gemm with a matrix", bytes_gemm_of_all, "dequantizeLinear, gemm"},
    {"bytes, image, bias", bytes_image_biased, "quantized conv2d"},
    {"bytes, image, added to columns", bytes_image_columns, "quantized conv2d, add"},
    {"image, added to columns", image_columns, "conv2d, add"},
    {"image of a column, windows beside it", image_beside_column, "conv2d"},
    {"product, lower bound", product_from_one, "matmul + clamp"},
    {"product, bound that is no number", product_to_nan, "matmul + clamp"},
    {"product, reshaped residual", product_reshaped_right, "matmul + add, reshape"},
    {"reshaped residual, product", product_reshaped_left, "matmul + add, reshape"},
    {"product, residual, reshaped residual", product_reshaped_twice, "matmul + add, add"},
    {"image, normalized", normalized_by_normal, "conv2d"},
    {"image, normalized by subnormal weights", normalized_to_subnormal,
     "conv2d, batchNormalization"},
    {"image, normalized by infinite weights", normalized_to_infinite, "conv2d, batchNormalization"},
    {"image, infinite weights normalized", normalized_infinite, "conv2d"},
    {"images, pool", images_pooled, "transpose, conv2d, conv2d, maxPool2d, reshape"},
    {"images, pool of other axes", images_pooled_otherwise,
     "transpose, conv2d, conv2d, transpose, maxPool2d"},
    {"images, gathered rows", images_rows_gathered, "transpose, conv2d, conv2d, gather, transpose"},
    {"images, gathered columns", images_columns_gathered,
     "transpose, conv2d, conv2d, gather, transpose"},
    {"images, gathered channels", images_channels_gathered,
     "transpose, conv2d, conv2d, gather, transpose"},
    {"images, one gathered row", images_row_gathered,
     "transpose, conv2d, conv2d, transpose, gather"},
    {"images, rows gathered by a table", images_table_gathered,
     "transpose, conv2d, conv2d, transpose, gather"},
    {"images, transpose, pool", images_turned_pooled,
     "transpose, conv2d, conv2d, transpose, maxPool2d"},
    {"images, sum with turned", images_plus_turned,
     "transpose, conv2d, conv2d, add + mul, transpose"},
    {"images, sum with turned otherwise", images_plus_turned_otherwise,
     "transpose, transpose, conv2d, conv2d, transpose, add + mul"},
    {"images, sum with a smaller one", images_plus_smaller,
     "transpose, transpose, conv2d, conv2d, transpose, add + mul"},
    {"short chains", chain_short,
     "neg + abs + neg + neg + abs + neg + sub + neg + abs + neg + max"},
    {"long chains", chain_long,
     "abs + neg + abs + neg + abs + neg + abs + neg + abs + neg, abs + neg + abs + neg + abs + neg "
     "+ abs + neg + abs + neg + sub"},
    {"longer chains", chain_longer,
     "abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg, abs + neg "
     "+ abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + sub, abs + neg + "
     "abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + max"},
    {"three chains", chain_of_three,
     "neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg, abs "
     "+ neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + abs + neg + greater + "
     "where"},
    {"chain, one operand twice", chain_of_blocks, "mul + quantizeLinear"},
    {"chain", chain, "mul + abs"},
};

/* ---- Building, running, comparing --------------------------------------------------------------
 */

static webnn_graph *build(webnn_context *in, const sample *s) {
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  b = test_builder(in);
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", s->make()}), &graph, &error);
  webnn_free_builder(b);
  if (!CHECK(s->name, graph != NULL, "%s", error.message)) {
    exit(test_end());
  }
  return graph;
}

static webnn_tensor *tensor_of(webnn_context *in, const webnn_graph_port *port) {
  const webnn_tensor_descriptor descriptor = {port->descriptor.data_type, port->descriptor.shape,
                                              true, true};
  webnn_tensor *tensor = NULL;
  CHECK("createTensor", webnn_create_tensor(in, descriptor, &tensor, NULL) == WEBNN_OK,
        "no tensor");
  return tensor;
}

/* The results as doubles; returns how many. */
static size_t run(webnn_context *in, const sample *s, webnn_graph *graph, double *results) {
  webnn_graph_port x_port, y_port;
  webnn_tensor *x, *y;
  void *data;
  size_t i, count;
  (void)webnn_graph_inputs(graph, &x_port, 1);
  (void)webnn_graph_outputs(graph, &y_port, 1);
  x = tensor_of(in, &x_port);
  y = tensor_of(in, &y_port);
  count = test_element_count(x_port.descriptor.shape);
  data = test_allocate(count * 4);
  for (i = 0; i < count; i++) {
    test_set(x_port.descriptor.data_type, data, i, small_integer(i + 3));
  }
  (void)webnn_write_tensor(in, x, data, (size_t)webnn_byte_length(x_port.descriptor), NULL);
  free(data);
  count = test_element_count(y_port.descriptor.shape);
  data = test_allocate(count * 4);
  CHECK(s->name,
        webnn_dispatch(in, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"y", y}),
                       NULL) == WEBNN_OK &&
            webnn_read_tensor(in, y, data, (size_t)webnn_byte_length(y_port.descriptor), NULL) ==
                WEBNN_OK,
        "not computed");
  for (i = 0; i < count; i++) {
    results[i] = test_get(y_port.descriptor.data_type, data, i);
  }
  free(data);
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  return count;
}

static void take_text(void *user, const char *text, size_t length) {
  strncat((char *)user, text, length);
}

static void check_steps(const sample *s, const webnn_graph *graph) {
  webnn_profiled_step steps[16];
  char joined[400] = "", table[4000] = "";
  const size_t count = webnn_graph_profile(graph, steps, 16);
  size_t i;
  for (i = 0; i < count && i < 16; i++) {
    snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i > 0 ? ", " : "",
             steps[i].op_name);
  }
  CHECK(s->name, strcmp(joined, s->steps) == 0, "the steps are %s; expected %s", joined, s->steps);
  webnn_print_profile(graph, take_text, table);
  for (i = 0; i < count && i < 16; i++) {
    CHECK(s->name, strstr(table, steps[i].op_name) != NULL, "no %s in the table:\n%s",
          steps[i].op_name, table);
  }
}

/* How many convolutions and products the steps of a graph compute, those in longer names too. */
static size_t count_products(webnn_context *in, const sample *s) {
  static const char *const names[] = {"conv2d", "matmul", "gemm"};
  webnn_profiled_step steps[64];
  webnn_graph *graph = build(in, s);
  size_t count, products = 0, i, k;
  CHECK(s->name, webnn_profile_graph(graph, true, NULL) == WEBNN_OK, "no profile");
  count = webnn_graph_profile(graph, steps, 64);
  for (i = 0; i < count && i < 64; i++) {
    for (k = 0; k < COUNT(names); k++) {
      const char *at = strstr(steps[i].op_name, names[k]);
      for (; at != NULL; at = strstr(at + 1, names[k])) {
        products++;
      }
    }
  }
  webnn_free_graph(graph);
  return products;
}

/* What a pass has replaced is computed no more, whatever the others do: each pass alone, and all but
   one. */
static void check_nothing_twice(webnn_context *plain) {
  uint32_t pass, alone;
  size_t i;
  for (pass = 0; webnn_pass_name(pass) != NULL; pass++) {
    for (alone = 0; alone < 2; alone++) {
      webnn_context_options options = WEBNN_ZERO;
      webnn_context *in;
      options.disabled_passes = alone ? ~(1u << pass) : 1u << pass;
      in = test_context(&options);
      for (i = 0; i < COUNT(samples); i++) {
        const size_t most = count_products(plain, &samples[i]),
                     products = count_products(in, &samples[i]);
        CHECK(samples[i].name, products <= most, "%u products with%s \"%s\", %u without passes",
              (unsigned)products, alone ? " only" : "out", webnn_pass_name(pass), (unsigned)most);
      }
      webnn_free_context(in);
    }
  }
}

int main(void) {
  static double expected[4096], got[4096];
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *fast = test_context(&options), *plain;
  size_t i, k;
  options.disabled_passes = UINT32_MAX;
  plain = test_context(&options);
  for (i = 0; i < COUNT(samples); i++) {
    const sample *s = &samples[i];
    webnn_graph *graph = build(plain, s);
    const size_t count = run(plain, s, graph, expected);
    webnn_free_graph(graph);
    graph = build(fast, s);
    CHECK(s->name, webnn_profile_graph(graph, true, NULL) == WEBNN_OK, "no profile");
    CHECK(s->name, run(fast, s, graph, got) == count, "another shape");
    for (k = 0; k < count && (got[k] == expected[k] || (isnan(got[k]) && isnan(expected[k])) ||
                              fabs(got[k] - expected[k]) <= 1e-5 * (1 + fabs(expected[k])));
         k++) {
    }
    CHECK(s->name, k == count, "element %u is %g, without passes %g", (unsigned)k,
          k < count ? got[k] : 0, k < count ? expected[k] : 0);
    check_steps(s, graph);
    webnn_free_graph(graph);
  }
  check_nothing_twice(plain);
  webnn_free_context(fast);
  webnn_free_context(plain);
  return test_end();
}
