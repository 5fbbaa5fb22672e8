/* A call of each operator for dynamic_operators.c, with options where they bear on shapes. x are the
   inputs, y the results; "f32! 3" is a constant. */
#ifndef WEBNN_DYNAMIC_TABLE_H
#define WEBNN_DYNAMIC_TABLE_H

#include "test.h"

static const uint32_t dynamic_splits[] = {1, 3, 2}, dynamic_halves[] = {1, 1};
static const webnn_list dynamic_no_list; /* not given */
#define LARGE_POOL                                                                                 \
  OPTIONS(pool2d, .window_dimensions = WEBNN_LIST(1, 1), .padding = WEBNN_LIST(0, 0, 60000, 0))
#define POOL_SIZES                                                                                 \
  OPTIONS(pool2d, .window_dimensions = WEBNN_LIST(2, 2), .output_sizes = WEBNN_LIST(4, 4))

#define ONE(name, inputs, ...) ROW(name, inputs, (y[0] = (__VA_ARGS__)) != NULL ? 1 : 0)
#define UNARY(name, type) ONE(name, type " 2 3", webnn_##name(b, x[0], NULL))
#define BINARY(name, type) ONE(name, type " 2 3, " type " 2 3", webnn_##name(b, x[0], x[1], NULL))
#define REDUCE(name)                                                                               \
  ONE(name, "f32 2 3 4", webnn_##name(b, x[0], &(webnn_reduce_options){.axes = WEBNN_LIST(2)}))
#define OPTIONS(options, ...)                                                                      \
  &(webnn_##options##_options) {                                                                   \
    __VA_ARGS__                                                                                    \
  }
#define CELL "f32 2 3, f32 8 3, f32 8 2, f32 2 2, f32 2 2, f32 8"

/* A 1-D constant, and a scalar. */
static inline webnn_operand *dynamic_numbers(webnn_builder *b, webnn_data_type type, uint32_t count,
                                             const int *numbers) {
  webnn_operand_descriptor descriptor = WEBNN_DESCRIPTOR(type, count);
  unsigned char data[64 * 8];
  uint32_t i;
  for (i = 0; i < count; i++)
    test_set(type, data, i, numbers[i]);
  return webnn_constant(b, descriptor, data, (size_t)webnn_byte_length(descriptor));
}

static inline webnn_operand *dynamic_number(webnn_builder *b, webnn_data_type type, int number) {
  return webnn_constant_from_number(b, type, webnn_i64(number));
}
#define NUMBERS(type, ...)                                                                         \
  dynamic_numbers(b, type, (uint32_t)(sizeof(int[]){__VA_ARGS__} / sizeof(int)),                   \
                  (const int[]){__VA_ARGS__})

/* The sizes of x as signed numbers, one of them as a list and as a scalar. */
static inline webnn_operand *dynamic_sizes(webnn_builder *b, webnn_operand *x) {
  return webnn_cast(b, webnn_shape(b, x, NULL), WEBNN_INT64, NULL);
}

static inline webnn_operand *dynamic_size(webnn_builder *b, webnn_operand *x, uint32_t d) {
  return webnn_slice(b, dynamic_sizes(b, x), WEBNN_LIST(d), WEBNN_LIST(1), NULL);
}

static inline webnn_operand *dynamic_scalar(webnn_builder *b, webnn_operand *x, int d) {
  return webnn_gather(b, dynamic_sizes(b, x), dynamic_number(b, WEBNN_INT32, d), NULL);
}

/* -1 in a shape as ONNX has it: what the other sizes leave of the elements. */
static inline webnn_operand *dynamic_inferred(webnn_builder *b, webnn_operand *x,
                                              webnn_operand *shape) {
  webnn_operand *none = dynamic_number(b, WEBNN_INT64, -1),
                *one = dynamic_number(b, WEBNN_INT64, 1);
  webnn_operand *open = webnn_equal(b, shape, none, NULL);
  webnn_operand *known = webnn_reduce_product(b, webnn_where(b, open, one, shape, NULL), NULL);
  webnn_operand *all = webnn_reduce_product(b, dynamic_sizes(b, x), NULL);
  return webnn_where(b, open, webnn_div(b, all, known, NULL), shape, NULL);
}

/* clang-format off */
#define DYNAMIC_ELEMENTWISE                                                                        \
  BINARY(add, "f32") BINARY(sub, "f16") BINARY(mul, "i32") BINARY(div, "f32") BINARY(max, "i8")    \
  BINARY(min, "u8") BINARY(pow, "f32") BINARY(equal, "f32") BINARY(not_equal, "f32")               \
  BINARY(greater, "f32") BINARY(greater_or_equal, "f32") BINARY(lesser, "f32")                     \
  BINARY(lesser_or_equal, "f32") BINARY(logical_and, "u8") BINARY(logical_or, "u8")                \
  BINARY(logical_xor, "u8") BINARY(prelu, "f32") UNARY(logical_not, "u8") UNARY(is_nan, "f32")     \
  UNARY(is_infinite, "f32") UNARY(abs, "f32") UNARY(ceil, "f32") UNARY(cos, "f32")                 \
  UNARY(erf, "f32") UNARY(exp, "f32") UNARY(floor, "f32") UNARY(identity, "i64")                   \
  UNARY(log, "f32") UNARY(neg, "f32") UNARY(reciprocal, "f32") UNARY(round_even, "f32")            \
  UNARY(sign, "f32") UNARY(sin, "f32") UNARY(sqrt, "f32") UNARY(tan, "f32") UNARY(tanh, "f32")     \
  UNARY(clamp, "f32") UNARY(elu, "f32") UNARY(gelu, "f32") UNARY(hard_sigmoid, "f32")              \
  UNARY(hard_swish, "f32") UNARY(leaky_relu, "f32") UNARY(linear, "f32") UNARY(relu, "f32")        \
  UNARY(sigmoid, "f32") UNARY(softplus, "f32") UNARY(softsign, "f32")                              \
  ONE(cast, "f32 2 3", webnn_cast(b, x[0], WEBNN_INT8, NULL))                                      \
  ONE(add_broadcast, "f32 4 1 3, f32 2 1", webnn_add(b, x[0], x[1], NULL))                         \
  ONE(prelu_row, "f32 2 3, f32 3", webnn_prelu(b, x[0], x[1], NULL))                               \
  ONE(where, "u8 2 1, f32 3, f32 4 2 3", webnn_where(b, x[0], x[1], x[2], NULL))

#define DYNAMIC_REDUCTIONS                                                                         \
  REDUCE(reduce_l1) REDUCE(reduce_l2) REDUCE(reduce_log_sum) REDUCE(reduce_log_sum_exp)            \
  REDUCE(reduce_max) REDUCE(reduce_mean) REDUCE(reduce_min) REDUCE(reduce_product)                 \
  REDUCE(reduce_sum) REDUCE(reduce_sum_square)                                                     \
  ONE(reduce_all, "f32 2 3 4", webnn_reduce_sum(b, x[0], NULL))                                    \
  ONE(reduce_keep, "f32 2 3 4", webnn_reduce_sum(b, x[0], OPTIONS(reduce, .axes =                  \
      WEBNN_LIST(0, 2), .keep_dimensions = true)))                                                 \
  ONE(arg_min, "f32 2 3", webnn_arg_min(b, x[0], 1, NULL))                                         \
  ONE(arg_max, "f32 2 3", webnn_arg_max(b, x[0], 0, OPTIONS(arg_min_max, .keep_dimensions =        \
      true)))                                                                                      \
  ONE(cumulative_sum, "f32 2 3", webnn_cumulative_sum(b, x[0], 1, NULL))                           \
  ONE(softmax, "f32 2 3", webnn_softmax(b, x[0], 1, NULL))                                         \
  ONE(batch_normalization, "f32 2 3 4, f32 3, f32 3, f32 3, f32 3",                                \
      webnn_batch_normalization(b, x[0], x[1], x[2], OPTIONS(batch_normalization, .scale = x[3],   \
      .bias = x[4])))                                                                              \
  ONE(instance_normalization, "f32 2 3 4 5, f32 3, f32 3", webnn_instance_normalization(b,         \
      x[0], OPTIONS(instance_normalization, .scale = x[1], .bias = x[2])))                         \
  ONE(instance_normalization_nhwc, "f32 2 4 5 3, f32 3, f32 3",                                    \
      webnn_instance_normalization(b, x[0], OPTIONS(instance_normalization, .scale = x[1], .bias = \
      x[2], .layout = WEBNN_LAYOUT_NHWC)))                                                         \
  ONE(layer_normalization, "f32 2 3 4, f32 3 4, f32 3 4", webnn_layer_normalization(b, x[0],       \
      OPTIONS(layer_normalization, .scale = x[1], .bias = x[2])))                                  \
  ONE(layer_normalization_axes, "f32 2 3 4, f32 4 2", webnn_layer_normalization(b, x[0],           \
      OPTIONS(layer_normalization, .scale = x[1], .axes = WEBNN_LIST(2, 0))))

#define DYNAMIC_WINDOWS                                                                            \
  ONE(conv2d, "f32 2 4 6 7, f32 4 2 3 2, f32 4", webnn_conv2d(b, x[0], x[1], OPTIONS(conv2d,       \
      .padding = WEBNN_LIST(1, 1, 0, 1), .strides = WEBNN_LIST(2, 1), .dilations = WEBNN_LIST(1,   \
      2), .groups = 2, .bias = x[2])))                                                             \
  ONE(conv2d_nhwc, "f32 1 5 6 3, f32! 1 2 3 4", webnn_conv2d(b, x[0], x[1], OPTIONS(conv2d,        \
      .input_layout = WEBNN_LAYOUT_NHWC, .filter_layout = WEBNN_CONV2D_HWIO)))                     \
  ONE(conv2d_depthwise, "f32 1 4 5 6, f32 4 1 3 3", webnn_conv2d(b, x[0], x[1],                    \
      OPTIONS(conv2d, .groups = 4)))                                                               \
  ONE(conv_transpose2d, "f32 2 4 5 6, f32 4 1 3 2, f32 2", webnn_conv_transpose2d(b, x[0],         \
      x[1], OPTIONS(conv_transpose2d, .strides = WEBNN_LIST(2, 3), .padding = WEBNN_LIST(1, 0, 0,  \
      1), .output_padding = WEBNN_LIST(1, 0), .groups = 2, .bias = x[2])))                         \
  ONE(conv_transpose2d_sizes, "f32 1 2 5 6, f32 2 3 3 3", webnn_conv_transpose2d(b, x[0],          \
      x[1], OPTIONS(conv_transpose2d, .strides = WEBNN_LIST(2, 2), .output_sizes = WEBNN_LIST(12,  \
      14))))                                                                                       \
  ONE(average_pool2d, "f32 2 3 7 8", webnn_average_pool2d(b, x[0], OPTIONS(pool2d,                 \
      .window_dimensions = WEBNN_LIST(3, 2), .strides = WEBNN_LIST(2, 3), .padding = WEBNN_LIST(1, \
      0, 1, 1), .output_shape_rounding = WEBNN_ROUNDING_CEIL)))                                    \
  ONE(l2_pool2d, "f32 1 3 4 5", webnn_l2_pool2d(b, x[0], NULL))                                    \
  ONE(l2_pool2d_padded, "f32 1 3 4 5", webnn_l2_pool2d(b, x[0], OPTIONS(pool2d, .padding =         \
      WEBNN_LIST(1, 2, 0, 1))))                                                                    \
  ONE(max_pool2d, "f32 1 7 6 3", webnn_max_pool2d(b, x[0], OPTIONS(pool2d, .window_dimensions      \
      = WEBNN_LIST(2, 2), .strides = WEBNN_LIST(2, 2), .output_sizes = WEBNN_LIST(4, 3), .layout = \
      WEBNN_LAYOUT_NHWC)))                                                                         \
  ONE(max_pool2d_whole, "f32 1 3 4 5", webnn_max_pool2d(b, x[0], OPTIONS(pool2d, .dilations =      \
      WEBNN_LIST(1, 1), .output_sizes = WEBNN_LIST(1, 1))))                                        \
  ONE(resample2d, "f32 1 3 4 5", webnn_resample2d(b, x[0], OPTIONS(resample2d, .scales =           \
      WEBNN_FLOAT_LIST(1.5f, 2.0f))))                                                              \
  ONE(resample2d_sizes, "f32 1 4 5 3", webnn_resample2d(b, x[0], OPTIONS(resample2d, .mode =       \
      WEBNN_INTERPOLATION_LINEAR, .sizes = WEBNN_LIST(7, 3), .axes = WEBNN_LIST(1, 2))))           \
  ONE(resample2d_less, "f32 1 3 9 8", webnn_resample2d(b, x[0], OPTIONS(resample2d, .scales =      \
      WEBNN_FLOAT_LIST(0.25f, 0.5f))))

#define DYNAMIC_PRODUCTS                                                                           \
  ONE(matmul, "f32 2 3 4, f32 4 5", webnn_matmul(b, x[0], x[1], NULL))                             \
  ONE(matmul_batches, "f32 2 1 3 4, f32 3 4 5", webnn_matmul(b, x[0], x[1], NULL))                 \
  ONE(matmul_weights, "f32 3 4, f32! 4 5", webnn_matmul(b, x[0], x[1], NULL))                      \
  ONE(gemm, "f32 3 4, f32 5 4, f32 1 5", webnn_gemm(b, x[0], x[1], OPTIONS(gemm, .c = x[2],        \
      .b_transpose = true)))                                                                       \
  ONE(gemm_transposed, "f32 4 3, f32 4 5, f32 3 1", webnn_gemm(b, x[0], x[1], OPTIONS(gemm, .c     \
      = x[2], .a_transpose = true)))                                                               \
  ROW(gru, "f32 3 2 4, f32 2 6 4, f32 2 6 2, f32 2 6, f32 2 2 2", webnn_gru(b, x[0], x[1],         \
      x[2], 3, 2, OPTIONS(gru, .bias = x[3], .initial_hidden_state = x[4], .return_sequence =      \
      true, .direction = WEBNN_DIRECTION_BOTH), y))                                                \
  ONE(gru_cell, "f32 2 3, f32 6 3, f32 6 2, f32 2 2, f32 6", webnn_gru_cell(b, x[0], x[1],         \
      x[2], x[3], 2, OPTIONS(gru_cell, .bias = x[4])))                                             \
  ROW(lstm, "f32 3 2 4, f32 1 8 4, f32 1 8 2, f32 1 6, f32 1 2 2", webnn_lstm(b, x[0], x[1],       \
      x[2], 3, 2, OPTIONS(lstm, .peephole_weight = x[3], .initial_cell_state = x[4],               \
      .return_sequence = true, .direction = WEBNN_DIRECTION_BACKWARD), y))                         \
  ROW(lstm_cell, CELL, webnn_lstm_cell(b, x[0], x[1], x[2], x[3], x[4], 2, OPTIONS(lstm_cell,      \
      .bias = x[5]), y))

#define DYNAMIC_MOVEMENTS                                                                          \
  ONE(concat, "f32 2 3, f32 2 1, f32 2 4", webnn_concat(b, x, 3, 1, NULL))                         \
  ONE(expand, "f32 1 3", webnn_expand(b, x[0], WEBNN_LIST(4, 2, 3), NULL))                         \
  ONE(gather, "f32 2 3 4, i32 2 2", webnn_gather(b, x[0], x[1], OPTIONS(gather, .axis = 1)))       \
  ONE(gather_elements, "f32 2 3, i32 2 4", webnn_gather_elements(b, x[0], x[1],                    \
      OPTIONS(gather, .axis = 1)))                                                                 \
  ONE(gather_nd, "f32 2 3 4, i32 5 2", webnn_gather_nd(b, x[0], x[1], NULL))                       \
  ONE(scatter_elements, "f32 2 3, i32 2 2, f32 2 2", webnn_scatter_elements(b, x[0], x[1],         \
      x[2], OPTIONS(scatter, .axis = 1)))                                                          \
  ONE(scatter_nd, "f32 2 3 4, i32 5 2, f32 5 4", webnn_scatter_nd(b, x[0], x[1], x[2], NULL))      \
  ONE(pad, "f32 2 3", webnn_pad(b, x[0], WEBNN_LIST(0, 2), WEBNN_LIST(1, 0), NULL))                \
  ONE(pad_mirror, "f32 2 3", webnn_pad(b, x[0], WEBNN_LIST(1, 2), WEBNN_LIST(0, 1),                \
      OPTIONS(pad, .mode = WEBNN_PADDING_REFLECTION)))                                             \
  ONE(pad_symmetric, "f32 2 3", webnn_pad(b, x[0], WEBNN_LIST(2, 0), WEBNN_LIST(0, 3),             \
      OPTIONS(pad, .mode = WEBNN_PADDING_SYMMETRIC)))                                              \
  ONE(reshape, "f32 2 3 4", webnn_reshape(b, x[0], WEBNN_LIST(6, 4), NULL))                        \
  ONE(reverse, "f32 2 3", webnn_reverse(b, x[0], OPTIONS(reverse, .axes = WEBNN_LIST(1))))         \
  ONE(reverse_all, "f32 2 3", webnn_reverse(b, x[0], NULL))                                        \
  ONE(slice, "f32 4 5", webnn_slice(b, x[0], WEBNN_LIST(1, 0), WEBNN_LIST(3, 5),                   \
      OPTIONS(slice, .strides = WEBNN_LIST(2, 3))))                                                \
  ROW(split, "f32 4 6", webnn_split(b, x[0], 3, OPTIONS(split, .axis = 1), y))                     \
  ROW(split_sizes, "f32 4 6", webnn_split_sizes(b, x[0], dynamic_splits, 3, OPTIONS(split,         \
      .axis = 1), y))                                                                              \
  ONE(tile, "f32 2 3", webnn_tile(b, x[0], WEBNN_LIST(2, 3), NULL))                                \
  ONE(transpose, "f32 2 3 4", webnn_transpose(b, x[0], OPTIONS(transpose, .permutation =           \
      WEBNN_LIST(1, 2, 0))))                                                                       \
  ONE(transpose_default, "f32 2 3 4", webnn_transpose(b, x[0], NULL))                              \
  ONE(triangular, "f32 2 3 4", webnn_triangular(b, x[0], OPTIONS(triangular, .diagonal = 1)))      \
  ONE(quantize_linear, "f32 4 6, f32 2 3, u8 2 3", webnn_quantize_linear(b, x[0], x[1], x[2],      \
      NULL))                                                                                       \
  ONE(dequantize_linear, "u8 4 6, f32 4 1, u8 4 1", webnn_dequantize_linear(b, x[0], x[1],         \
      x[2], NULL))                                                                                 \
  ONE(dequantize_linear_int4, "i4 4 6, f32 1 3, i4 1 3", webnn_dequantize_linear(b, x[0],          \
      x[1], x[2], NULL))                                                                           \
  ONE(squeeze, "f32 2 1 3 1", webnn_squeeze(b, x[0], WEBNN_LIST(1), NULL))                         \
  ONE(unsqueeze, "f32 2 3", webnn_unsqueeze(b, x[0], WEBNN_LIST(0, 2), NULL))                      \
  ONE(flatten, "f32 2 3 4", webnn_flatten(b, x[0], 1, NULL))

/* The draft's operators: sizes as elements, and operands in place of lists. */
#define DYNAMIC_OPERANDS                                                                           \
  ONE(shape, "f32 2 3 4", webnn_shape(b, x[0], NULL))                                              \
  ONE(shape_of_int4, "i4 2 4", webnn_shape(b, x[0], NULL))                                         \
  ONE(range, "f32 2 5", webnn_range(b, dynamic_number(b, WEBNN_INT64, 0), dynamic_scalar(b, x[0],  \
      1), dynamic_number(b, WEBNN_INT64, 1), NULL))                                                \
  ONE(range_down, "f32 2 5", webnn_range(b, dynamic_scalar(b, x[0], 1), dynamic_number(b,          \
      WEBNN_INT64, -3), dynamic_number(b, WEBNN_INT64, -2), NULL))                                 \
  ONE(range_empty, "f32 2 5", webnn_range(b, dynamic_number(b, WEBNN_INT64, 4), dynamic_scalar(b,  \
      x[0], 1), dynamic_number(b, WEBNN_INT64, 1), NULL))                                          \
  ONE(range_step, "f32 2 5", webnn_range(b, dynamic_number(b, WEBNN_INT64, 0), dynamic_number(b,   \
      WEBNN_INT64, 9), webnn_sub(b, dynamic_scalar(b, x[0], 0), dynamic_number(b, WEBNN_INT64, 1), \
      NULL), NULL))                                                                                \
  ONE(modulus_floor, "i32 2 3, i32 3", webnn_modulus_floor(b, x[0], x[1], NULL))                   \
  ONE(modulus_floor_unsigned, "u8 2 3, u8 3", webnn_modulus_floor(b, x[0], x[1], NULL))            \
  ONE(modulus_truncate, "i8 2 3, i8 3", webnn_modulus_truncate(b, x[0], x[1], NULL))               \
  ONE(reshape_dynamic, "f32 1 3 12", webnn_reshape_dynamic(b, x[0], webnn_concat(b,                \
      WEBNN_OPERANDS(webnn_slice(b, webnn_shape(b, x[0], NULL), WEBNN_LIST(0), WEBNN_LIST(2),      \
      NULL), NUMBERS(WEBNN_UINT32, 3, 4)), 0, NULL), NULL))                                        \
  ONE(reshape_dynamic_to, "f32 2 6, f32 3 4", webnn_reshape_dynamic(b, x[0], webnn_shape(b, x[1],  \
      NULL), NULL))                                                                                \
  ONE(reshape_dynamic_rest, "f32 2 3 4", webnn_reshape_dynamic(b, x[0], dynamic_inferred(b, x[0],  \
      webnn_concat(b, WEBNN_OPERANDS(NUMBERS(WEBNN_INT64, -1), dynamic_size(b, x[0], 2)), 0,       \
      NULL)), NULL))                                                                               \
  ONE(reshape_dynamic_fixed, "f32 2 6", webnn_reshape_dynamic(b, x[0], NUMBERS(WEBNN_INT32, 3, 4), \
      NULL))                                                                                       \
  ONE(reshape_dynamic_zero, "f32 2 6", webnn_reshape_dynamic(b, x[0], webnn_sub(b,                 \
      webnn_mul(b, dynamic_sizes(b, x[0]), NUMBERS(WEBNN_INT64, 3, 1), NULL),                      \
      NUMBERS(WEBNN_INT64, 3, 2), NULL), NULL))                                                    \
  ONE(reshape_dynamic_large, "f32 2 6", webnn_reshape_dynamic(b, x[0], webnn_mul(b,                \
      dynamic_sizes(b, x[0]), NUMBERS(WEBNN_INT64, 1000000000), NULL), NULL))                      \
  ONE(reshape_dynamic_int4, "i4 2 4", webnn_reshape_dynamic(b, x[0], webnn_reverse(b,              \
      NUMBERS(WEBNN_INT64, 1), NULL), NULL))                                                       \
  ONE(expand_dynamic, "f32 3 1, f32 2 3 4", webnn_expand_dynamic(b, x[0], webnn_shape(b, x[1],     \
      NULL), NULL))                                                                                \
  ONE(slice_dynamic, "f32 5 6", webnn_slice_dynamic(b, x[0], webnn_div(b, dynamic_sizes(b, x[0]),  \
      NUMBERS(WEBNN_INT64, 2), NULL), webnn_sub(b, dynamic_sizes(b, x[0]), webnn_div(b,            \
      dynamic_sizes(b, x[0]), NUMBERS(WEBNN_INT64, 2), NULL), NULL), NULL))                        \
  ONE(slice_dynamic_last, "f32 5 6", webnn_slice_dynamic(b, x[0], webnn_sub(b, webnn_shape(b,      \
      x[0], NULL), NUMBERS(WEBNN_UINT32, 1), NULL), NUMBERS(WEBNN_UINT32, 1, 1), NULL))            \
  ONE(slice_dynamic_strides, "f32 5 6", webnn_slice_dynamic(b, x[0], NUMBERS(WEBNN_INT32, 1, 0),   \
      webnn_cast(b, webnn_sub(b, dynamic_sizes(b, x[0]), NUMBERS(WEBNN_INT64, 1, 0), NULL),        \
      WEBNN_INT32, NULL), OPTIONS(slice, .strides = WEBNN_LIST(2, 3))))                            \
  ONE(slice_dynamic_beyond, "f32 5 6, f32 2 3", webnn_slice_dynamic(b, x[0],                       \
      NUMBERS(WEBNN_UINT32, 1, 2), webnn_shape(b, x[1], NULL), NULL))                              \
  ONE(slice_dynamic_items, "f32 5 6, f32 2 3 1", webnn_slice_dynamic(b, x[0],                      \
      NUMBERS(WEBNN_UINT32, 1, 2), webnn_shape(b, x[1], NULL), NULL))                              \
  ONE(pad_dynamic, "f32 2 5", webnn_pad_dynamic(b, x[0], NUMBERS(WEBNN_INT64, 0, 0),               \
      webnn_concat(b, WEBNN_OPERANDS(NUMBERS(WEBNN_INT64, 0), webnn_modulus_floor(b, webnn_neg(b,  \
      dynamic_size(b, x[0], 1), NULL), NUMBERS(WEBNN_INT64, 4), NULL)), 0, NULL), NULL))           \
  ONE(pad_dynamic_mirror, "f32 3 5", webnn_pad_dynamic(b, x[0], NUMBERS(WEBNN_INT64, 2, 1),        \
      webnn_max(b, webnn_sub(b, webnn_add(b, dynamic_sizes(b, x[0]), dynamic_sizes(b, x[0]),       \
      NULL), NUMBERS(WEBNN_INT64, 8), NULL), NUMBERS(WEBNN_INT64, 0), NULL), OPTIONS(pad,          \
       .mode = WEBNN_PADDING_REFLECTION)))             \
  ROW(split_dynamic, "f32 2 5", webnn_split_dynamic(b, x[0], webnn_concat(b,                       \
      WEBNN_OPERANDS(webnn_sub(b, dynamic_size(b, x[0], 1), NUMBERS(WEBNN_INT64, 1), NULL),        \
      NUMBERS(WEBNN_INT64, 1)), 0, NULL), OPTIONS(split, .axis = 1), y))                           \
  ROW(split_dynamic_wrong, "f32 2 5", webnn_split_dynamic(b, x[0], webnn_concat(b,                 \
      WEBNN_OPERANDS(dynamic_size(b, x[0], 0), NUMBERS(WEBNN_INT64, 1, 2)), 0, NULL),              \
      OPTIONS(split, .axis = 1), y))                                                               \
  ONE(tile_dynamic, "f32 2 3, f32 3 2", webnn_tile_dynamic(b, x[0], webnn_shape(b, x[1], NULL),    \
      NULL))                                                                                       \
  ONE(tile_dynamic_ones, "f32 1 3, f32 3 2", webnn_tile_dynamic(b, x[0], webnn_shape(b, x[1],      \
      NULL), NULL))                                                                                \
  ONE(tile_dynamic_large, "f32 2 3", webnn_tile_dynamic(b, x[0], webnn_mul(b, dynamic_sizes(b,     \
      x[0]), NUMBERS(WEBNN_INT64, 1000000), NULL), NULL))                                          \
  ONE(resample2d_dynamic, "f32 1 2 3 4", webnn_resample2d_dynamic(b, x[0], webnn_mul(b,            \
      webnn_slice(b, webnn_shape(b, x[0], NULL), WEBNN_LIST(2), WEBNN_LIST(2), NULL),              \
      NUMBERS(WEBNN_UINT32, 2, 3), NULL), NULL))                                                   \
  ONE(resample2d_dynamic_axes, "f32 1 3 4 2, f32 5 6", webnn_resample2d_dynamic(b, x[0],           \
      webnn_shape(b, x[1], NULL), OPTIONS(resample2d, .axes = WEBNN_LIST(1, 2), .mode =            \
      WEBNN_INTERPOLATION_LINEAR)))                                                           \
  ONE(sizes_as_data, "f32 2 3", webnn_add(b, x[0], webnn_cast(b, dynamic_size(b, x[0], 1),         \
      WEBNN_FLOAT32, NULL), NULL))                                                                 \
  ONE(sizes_of_many, "f32 2 3 4", webnn_reshape_dynamic(b, x[0], webnn_reduce_max(b,      \
      webnn_expand(b, dynamic_sizes(b, x[0]), WEBNN_LIST(2, 3), NULL), OPTIONS(reduce, .axes =     \
      WEBNN_LIST(0))), NULL))                                                                      \
  ONE(sizes_in_turn, "f32 2 3 4", webnn_reshape_dynamic(b, x[0], webnn_gather(b, dynamic_sizes(b,  \
      x[0]), NUMBERS(WEBNN_INT32, 2, -3, 1), NULL), NULL))                                         \
  ONE(sizes_compared, "f32 2 3", webnn_tile_dynamic(b, x[0], webnn_where(b, webnn_lesser_or_equal( \
      b, dynamic_sizes(b, x[0]), NUMBERS(WEBNN_INT64, 2), NULL), NUMBERS(WEBNN_INT64, 3),          \
      webnn_min(b, dynamic_sizes(b, x[0]), NUMBERS(WEBNN_INT64, 2), NULL), NULL), NULL))           \
  ONE(sizes_of_range, "f32 2 3 4", webnn_reshape_dynamic(b, x[0], webnn_add(b, webnn_range(b,      \
      dynamic_scalar(b, x[0], 0), webnn_add(b, dynamic_scalar(b, x[0], 2), dynamic_number(b,       \
      WEBNN_INT64, 1), NULL), dynamic_number(b, WEBNN_INT64, 1), NULL), NUMBERS(WEBNN_INT64, 0),   \
      NULL), NULL))

/* Operators of an operand whose rank is not known: squeeze without axes. */
#define AFTER(name, inputs, ...)                                                                   \
  ROW(after_squeeze_##name, inputs,                                                                \
      (x[0] = webnn_squeeze(b, x[0], dynamic_no_list, NULL), (__VA_ARGS__)))
#define AFTER_ONE(name, inputs, ...) AFTER(name, inputs, (y[0] = (__VA_ARGS__)) != NULL ? 1 : 0)
#define DYNAMIC_RANKS                                                                              \
  AFTER_ONE(relu, "f32 1 2 1 3", webnn_relu(b, x[0], NULL))                                        \
  AFTER_ONE(shape, "f32 1 2 1 3", webnn_shape(b, x[0], NULL))                                      \
  AFTER_ONE(shape_of_scalar, "f32 1 2", webnn_shape(b, x[0], NULL))                                \
  AFTER_ONE(reshape_dynamic, "f32 1 2 1 3", webnn_reshape_dynamic(b, x[0], webnn_expand(b,  \
      webnn_reduce_product(b, webnn_shape(b, x[0], NULL), NULL), WEBNN_LIST(1), NULL), NULL))                                                                                \
  AFTER_ONE(slice_dynamic, "f32 1 2 1 3", webnn_slice_dynamic(b, x[0], webnn_sub(b,                \
      webnn_shape(b, x[0], NULL), NUMBERS(WEBNN_UINT32, 1), NULL), NUMBERS(WEBNN_UINT32, 1, 1),    \
      NULL))                                                                                       \
  AFTER_ONE(add, "f32 1 2 1 3, f32 3", webnn_add(b, x[0], x[1], NULL))                             \
  AFTER_ONE(matmul, "f32 1 2 1 3, f32 3 4", webnn_matmul(b, x[0], x[1], NULL))                     \
  AFTER_ONE(gemm, "f32 1 2 1 3, f32 3 4", webnn_gemm(b, x[0], x[1], NULL))                         \
  AFTER_ONE(transpose, "f32 1 2 1 3", webnn_transpose(b, x[0], NULL))                              \
  AFTER_ONE(softmax, "f32 1 2 1 3", webnn_softmax(b, x[0], 1, NULL))                               \
  AFTER_ONE(reduce, "f32 1 2 1 3", webnn_reduce_sum(b, x[0], NULL))                                \
  AFTER_ONE(slice, "f32 1 2 1 3", webnn_slice(b, x[0], WEBNN_LIST(1, 0), WEBNN_LIST(1, 2),         \
      NULL))                                                                                       \
  AFTER_ONE(concat, "f32 1 2 1 3, f32 2 3", webnn_concat(b, x, 2, 0, NULL))                        \
  AFTER_ONE(pool, "f32 1 2 3 4", webnn_max_pool2d(b, webnn_unsqueeze(b, x[0], WEBNN_LIST(0),       \
      NULL), NULL))                                                                                \
  AFTER_ONE(reshape, "f32 1 2 1 3", webnn_reshape(b, x[0], WEBNN_LIST(6), NULL))                   \
  AFTER_ONE(flatten, "f32 1 2 1 3", webnn_flatten(b, x[0], 1, NULL))                               \
  AFTER_ONE(gather, "f32 1 2 1 3, i32 2", webnn_gather(b, x[0], x[1], NULL))                       \
  AFTER_ONE(cast, "f32 1 2 1 3", webnn_cast(b, x[0], WEBNN_FLOAT16, NULL))                         \
  AFTER_ONE(arg_max, "f32 1 2 1 3", webnn_arg_max(b, x[0], 1, NULL))                               \
  AFTER_ONE(expand, "f32 1 2 1 3", webnn_expand(b, x[0], WEBNN_LIST(4, 2, 3), NULL))               \
  AFTER_ONE(tile, "f32 1 2 1 3", webnn_tile(b, x[0], WEBNN_LIST(2, 1), NULL))                      \
  AFTER_ONE(pad, "f32 1 2 1 3", webnn_pad(b, x[0], WEBNN_LIST(1, 0), WEBNN_LIST(0, 1), NULL))      \
  AFTER(split, "f32 1 2 1 3", webnn_split(b, x[0], 2, NULL, y))                                    \
  AFTER(split_sizes, "f32 1 2 1 3", webnn_split_sizes(b, x[0], dynamic_halves, 2, NULL, y))

/* What is refused for sizes that are too large: one more dimension makes them so. */
#define OUTER(name, type)                                                                          \
  ONE(outer_##name, type " 60000 1, " type " 1 3", webnn_##name(b, x[0], x[1], NULL))
#define DYNAMIC_LARGE                                                                              \
  OUTER(add, "f32") OUTER(sub, "f16") OUTER(mul, "i32") OUTER(div, "f32") OUTER(max, "i8")         \
  OUTER(min, "u8") OUTER(pow, "f32") OUTER(equal, "f32") OUTER(not_equal, "f32")                   \
  OUTER(greater, "f32") OUTER(greater_or_equal, "f32") OUTER(lesser, "f32")                        \
  OUTER(lesser_or_equal, "f32") OUTER(logical_and, "u8") OUTER(logical_or, "u8")                   \
  OUTER(logical_xor, "u8") OUTER(prelu, "f32") OUTER(matmul, "f32") OUTER(gemm, "f32")             \
  ONE(outer_where, "u8 60000 1, f32 1 3, f32 1 1", webnn_where(b, x[0], x[1], x[2], NULL))         \
  ONE(long_concat, "u8 2147483646, u8 1", webnn_concat(b, x, 2, 0, NULL))                          \
  ONE(large_concat, "u8 20000 3, u8 20000 3, u8 20000 3", webnn_concat(b, x, 3, 0, NULL))          \
  ONE(large_conv2d, "f32 1 1 60000 4, f32 4 1 1 1", webnn_conv2d(b, x[0], x[1], NULL))             \
  ONE(large_conv_transpose2d, "f32 1 1 60000 1, f32 1 3 1 1", webnn_conv_transpose2d(b, x[0],      \
      x[1], NULL))                                                                                 \
  ONE(long_conv_transpose2d, "f32 1 1 3 1, f32 1 1 1 1", webnn_conv_transpose2d(b, x[0], x[1],     \
      OPTIONS(conv_transpose2d, .strides = WEBNN_LIST(2, 1))))                                     \
  ONE(large_average_pool2d, "f32 1 1 4 1", webnn_average_pool2d(b, x[0], LARGE_POOL))              \
  ONE(large_l2_pool2d, "f32 1 1 4 1", webnn_l2_pool2d(b, x[0], LARGE_POOL))                        \
  ONE(large_max_pool2d, "f32 1 1 4 1", webnn_max_pool2d(b, x[0], LARGE_POOL))                      \
  ONE(large_gather, "u8 60000 4, i32 3", webnn_gather(b, x[0], x[1], OPTIONS(gather, .axis =       \
      1)))                                                                                         \
  ONE(large_gather_nd, "u8 1 60000, i32 3 1", webnn_gather_nd(b, x[0], x[1], NULL))                \
  ROW(long_gru, "f32 1 3 1, f32 1 6 1, f32 1 6 2", webnn_gru(b, x[0], x[1], x[2], 1, 2, NULL,      \
      y))                                                                                          \
  ROW(long_lstm, "f32 1 3 1, f32 1 8 1, f32 1 8 2", webnn_lstm(b, x[0], x[1], x[2], 1, 2,          \
      NULL, y))                                                                                    \
  ONE(large_resample2d, "u8 1 1 60 3", webnn_resample2d(b, x[0], OPTIONS(resample2d, .scales =     \
      WEBNN_FLOAT_LIST(1000, 100))))                                                               \
  ONE(large_pad, "u8 1 3", webnn_pad(b, x[0], WEBNN_LIST(60000, 0), WEBNN_LIST(0, 0), NULL))       \
  ONE(long_pad, "u8 1 3", webnn_pad(b, x[0], WEBNN_LIST(0, 0), WEBNN_LIST(0, 9), NULL))            \
  ONE(long_tile, "u8 1 3", webnn_tile(b, x[0], WEBNN_LIST(1, 2), NULL))                            \
  ONE(large_tile, "u8 1 3", webnn_tile(b, x[0], WEBNN_LIST(60000, 1), NULL))                       \
  ONE(average_pool2d_sizes, "f32 1 2 5 5", webnn_average_pool2d(b, x[0], POOL_SIZES))              \
  ONE(l2_pool2d_sizes, "f32 1 2 5 5", webnn_l2_pool2d(b, x[0], POOL_SIZES))

/* What is refused for its rank. */
#define DYNAMIC_WRONG_RANKS                                                                        \
  AFTER_ONE(gather_9, "f32 2 1 1 1 1 1 1, i32 2 1 2", webnn_gather(b, x[0], x[1], NULL))           \
  AFTER_ONE(gather_nd_9, "f32 2 1 1 1 1 1 1, i32 2 1 1 1", webnn_gather_nd(b, x[0], x[1],          \
      NULL))                                                                                       \
  AFTER_ONE(scatter_nd_9, "f32 2 1 1 1 1 1 1, i32 2 1 1 1, f32 2 1 1", webnn_scatter_nd(b,         \
      x[0], x[1], x[2], NULL))                                                                     \
  AFTER_ONE(scatter_elements, "f32 1 2 1 3, i32 2 2, f32 2 2", webnn_scatter_elements(b, x[0],     \
      x[1], x[2], OPTIONS(scatter, .axis = 1)))                                                    \
  AFTER_ONE(unsqueeze_9, "f32 2 1 1 1 1 1 1", webnn_unsqueeze(b, x[0], WEBNN_LIST(0, 1),           \
      NULL))                                                                                       \
  AFTER_ONE(unsqueeze, "f32 1 2 1 3 2", webnn_unsqueeze(b, x[0], WEBNN_LIST(3), NULL))             \
  AFTER_ONE(flatten_2, "f32 1 2 1 3", webnn_flatten(b, x[0], 2, NULL))                             \
  AFTER_ONE(permutation, "f32 1 2 1 3", webnn_transpose(b, x[0], OPTIONS(transpose,                \
      .permutation = WEBNN_LIST(1, 1))))                                                           \
  AFTER_ONE(tile_0, "f32 1 2 1 3", webnn_tile(b, x[0], WEBNN_LIST(0, 1), NULL))                    \
  AFTER_ONE(slice_0, "f32 1 2 1 3", webnn_slice(b, x[0], WEBNN_LIST(0, 0), WEBNN_LIST(0, 1),       \
      NULL))

#define DYNAMIC_TABLE                                                                              \
  DYNAMIC_ELEMENTWISE DYNAMIC_REDUCTIONS DYNAMIC_WINDOWS DYNAMIC_PRODUCTS DYNAMIC_MOVEMENTS        \
  DYNAMIC_OPERANDS DYNAMIC_RANKS DYNAMIC_LARGE DYNAMIC_WRONG_RANKS
/* clang-format on */

#endif
