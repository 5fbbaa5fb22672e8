/* One graph that uses every operator of WEBNN_OPERATORS through the public interface: with options,
   optional operands, several data types, and constants of each kind. Results are flattened and
   joined by data type, so the graph also has many views and values that live long. Other tests
   build it, run it and compare bits; every_operator_check proves that no operator is missing. */
#ifndef WEBNN_EVERY_OPERATOR_H
#define WEBNN_EVERY_OPERATOR_H

#include "test.h"

/* ---- Inputs with fixed data -------------------------------------------------------------------
 */

typedef struct every_input {
  webnn_data_type type;
  uint32_t rank, shape[4];
  double low, high;
} every_input;

enum {
  EVERY_F32,
  EVERY_F16,
  EVERY_I32,
  EVERY_U32,
  EVERY_I64,
  EVERY_U64,
  EVERY_I8,
  EVERY_U8,
  EVERY_I4,
  EVERY_U4,
  EVERY_IMAGE,
  EVERY_SEQUENCE,
  EVERY_INDICES,
  EVERY_INPUT_COUNT
};

static const every_input every_inputs[EVERY_INPUT_COUNT] = {
    {WEBNN_FLOAT32, 2, {2, 3}, -2, 2},       {WEBNN_FLOAT16, 2, {2, 3}, -2, 2},
    {WEBNN_INT32, 2, {2, 3}, -9, 9},         {WEBNN_UINT32, 2, {2, 3}, 0, 9},
    {WEBNN_INT64, 2, {2, 3}, -9, 9},         {WEBNN_UINT64, 2, {2, 3}, 0, 9},
    {WEBNN_INT8, 2, {2, 3}, -9, 9},          {WEBNN_UINT8, 2, {2, 3}, 0, 2},
    {WEBNN_INT4, 2, {2, 4}, 0, 255},         {WEBNN_UINT4, 2, {2, 4}, 0, 255},
    {WEBNN_FLOAT32, 4, {1, 4, 6, 6}, -2, 2}, {WEBNN_FLOAT32, 3, {2, 2, 3}, -2, 2},
    {WEBNN_INT32, 2, {2, 3}, 0, 1},
};

#define EVERY_INPUT_BYTES 1024 /* room for any of them */

/* Fills data with input i and returns its byte length. Floats are multiples of 1/64, so they are
   exact in float16 too. */
static inline size_t every_input_data(int i, void *data) {
  const every_input *input = &every_inputs[i];
  const size_t count = test_element_count(webnn_list_of(input->shape, input->rank));
  const bool packed = webnn_data_type_bits(input->type) == 4;
  const size_t stored = packed ? count / 2 : count;
  uint64_t state = 77 + (uint64_t)i;
  size_t j;
  for (j = 0; j < stored; j++) {
    if (test_is_float(input->type)) {
      const int n = (int)test_random_between(&state, 64 * input->low, 64 * input->high);
      test_set(input->type, data, j, n / 64.0);
    } else {
      const double value = test_random_between(&state, input->low, input->high + 1);
      test_set(packed ? WEBNN_UINT8 : input->type, data, j, (double)(int)(value + 1000) - 1000);
    }
  }
  return packed ? stored : count * webnn_data_type_bits(input->type) / 8;
}

/* ---- The graph --------------------------------------------------------------------------------
 */

#define EVERY_TYPE_COUNT (WEBNN_UINT4 + 1)
#define EVERY_RESULTS 96 /* room for the results of one data type */

typedef struct every_operator {
  webnn_builder *builder;
  webnn_operand *inputs[EVERY_INPUT_COUNT];
  webnn_operand *positive;                 /* float32, 1 and more */
  webnn_operand *scale, *number, *weights; /* constants: from a tensor, from a number, borrowed */
  webnn_operand *results[EVERY_TYPE_COUNT][EVERY_RESULTS];
  size_t result_counts[EVERY_TYPE_COUNT];
  webnn_named_operand outputs[EVERY_TYPE_COUNT + 4];
  size_t output_count;
} every_operator;

/* The borrowed constant: room for the largest weights below. */
#define EVERY_WEIGHTS 160
static float every_weights[EVERY_WEIGHTS];

/* The constant tensor that every_describe wants: float32 [3]. */
static inline webnn_status every_constant_tensor(webnn_context *context, webnn_tensor **tensor,
                                                 webnn_error *error) {
  static const float data[3] = {0.5f, 1.25f, 2.0f};
  return webnn_create_constant_tensor(context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3), data,
                                      sizeof data, tensor, error);
}

/* Adds a result, flattened, to those of its data type. */
static inline webnn_operand *every_keep(every_operator *e, webnn_operand *operand) {
  const webnn_data_type type = webnn_operand_data_type(operand);
  if (operand != NULL && e->result_counts[type] < EVERY_RESULTS) {
    const uint32_t count = (uint32_t)test_element_count(webnn_operand_shape(operand));
    e->results[type][e->result_counts[type]++] =
        webnn_reshape(e->builder, operand, WEBNN_LIST(count), NULL);
  }
  return operand;
}

static inline void every_output(every_operator *e, const char *name, webnn_operand *operand) {
  e->outputs[e->output_count].name = name;
  e->outputs[e->output_count].operand = operand;
  e->output_count++;
}

/* A constant over the first elements of every_weights. */
static inline webnn_operand *every_weight(every_operator *e, webnn_list shape) {
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, shape};
  return webnn_constant_over_memory(e->builder, descriptor, every_weights,
                                    test_element_count(shape) * sizeof(float));
}

/* A constant of one float in every element, copied. */
static inline webnn_operand *every_filled(every_operator *e, float value, webnn_list shape) {
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, shape};
  float data[EVERY_WEIGHTS];
  const size_t count = test_element_count(shape);
  size_t i;
  for (i = 0; i < count; i++) {
    data[i] = value;
  }
  return webnn_constant(e->builder, descriptor, data, count * sizeof *data);
}

static inline void every_leaves(every_operator *e, webnn_tensor *constant_tensor,
                                const char *const *names) {
  size_t i;
  for (i = 0; i < EVERY_INPUT_COUNT; i++) {
    webnn_operand_descriptor descriptor;
    descriptor.data_type = every_inputs[i].type;
    descriptor.shape = webnn_list_of(every_inputs[i].shape, every_inputs[i].rank);
    e->inputs[i] = webnn_input(e->builder, names[i], descriptor);
  }
  for (i = 0; i < EVERY_WEIGHTS; i++) {
    every_weights[i] = (float)((int)(i * 37 % 64) - 32) / 32.0f;
  }
  e->scale = webnn_constant_from_tensor(e->builder, constant_tensor);
  e->number = webnn_constant_from_number(e->builder, WEBNN_FLOAT32, webnn_f64(1.0));
}

static inline void every_binary(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *f = e->inputs[EVERY_F32], *h = e->inputs[EVERY_F16];
  webnn_operand *i = e->inputs[EVERY_I32], *l = e->inputs[EVERY_I64], *m = e->inputs[EVERY_U64];
  webnn_operand *u = e->inputs[EVERY_U32], *c = e->inputs[EVERY_I8], *n = e->inputs[EVERY_U8];
  const webnn_operator_options labelled = {"a label with \"quotes\", \\ and \n"};
  e->positive = webnn_add(b, webnn_abs(b, f, NULL), e->number, &labelled);
  every_keep(e, e->positive);
  every_keep(e, webnn_add(b, f, e->scale, NULL));
  every_keep(e, webnn_add(b, m, m, NULL));
  every_keep(e, webnn_sub(b, h, h, NULL));
  every_keep(e, webnn_sub(b, u, u, NULL));
  every_keep(e, webnn_mul(b, i, i, NULL));
  every_keep(e, webnn_mul(b, f, e->positive, NULL));
  every_keep(e, webnn_div(b, f, e->positive, NULL));
  every_keep(e, webnn_div(b, l, l, NULL));
  every_keep(e, webnn_max(b, c, c, NULL));
  every_keep(e, webnn_min(b, f, e->scale, NULL));
  every_keep(e, webnn_pow(b, e->positive, f, NULL));
  every_keep(e, webnn_prelu(b, f, e->scale, NULL));
  every_keep(e, webnn_where(b, n, f, e->scale, NULL));
}

static inline void every_logical(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *f = e->inputs[EVERY_F32], *h = e->inputs[EVERY_F16], *n = e->inputs[EVERY_U8];
  webnn_operand *i = e->inputs[EVERY_I32], *l = e->inputs[EVERY_I64];
  webnn_operand *equal = every_keep(e, webnn_equal(b, i, i, NULL));
  every_keep(e, webnn_not_equal(b, f, e->scale, NULL));
  every_keep(e, webnn_greater(b, f, e->scale, NULL));
  every_keep(e, webnn_greater_or_equal(b, l, l, NULL));
  every_keep(e, webnn_lesser(b, f, e->positive, NULL));
  every_keep(e, webnn_lesser_or_equal(b, h, h, NULL));
  every_keep(e, webnn_logical_not(b, n, NULL));
  every_keep(e, webnn_logical_and(b, n, equal, NULL));
  every_keep(e, webnn_logical_or(b, n, equal, NULL));
  every_keep(e, webnn_logical_xor(b, n, equal, NULL));
  every_keep(e, webnn_is_nan(b, f, NULL));
  every_keep(e, webnn_is_infinite(b, h, NULL));
}

static inline void every_unary(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *f = e->inputs[EVERY_F32], *h = e->inputs[EVERY_F16];
  const webnn_clamp_options clamp = {NULL, webnn_f64(-0.5), webnn_f64(1.0)};
  const webnn_elu_options elu = {NULL, webnn_f64(0.75)};
  const webnn_leaky_relu_options leaky = {NULL, webnn_f64(0.125)};
  const webnn_linear_options linear = {NULL, webnn_f64(2.0), webnn_f64(-1.0)};
  const webnn_hard_sigmoid_options hard = {NULL, webnn_f64(0.25), webnn_f64(0.25)};
  every_keep(e, webnn_abs(b, e->inputs[EVERY_I8], NULL));
  every_keep(e, webnn_ceil(b, f, NULL));
  every_keep(e, webnn_cos(b, f, NULL));
  every_keep(e, webnn_erf(b, f, NULL));
  every_keep(e, webnn_exp(b, h, NULL));
  every_keep(e, webnn_floor(b, h, NULL));
  every_keep(e, webnn_identity(b, e->inputs[EVERY_U64], NULL));
  every_keep(e, webnn_log(b, e->positive, NULL));
  every_keep(e, webnn_neg(b, e->inputs[EVERY_I64], NULL));
  every_keep(e, webnn_reciprocal(b, e->positive, NULL));
  every_keep(e, webnn_round_even(b, f, NULL));
  every_keep(e, webnn_sign(b, f, NULL));
  every_keep(e, webnn_sin(b, f, NULL));
  every_keep(e, webnn_sqrt(b, e->positive, NULL));
  every_keep(e, webnn_tan(b, f, NULL));
  every_keep(e, webnn_tanh(b, h, NULL));
  every_keep(e, webnn_clamp(b, f, &clamp));
  every_keep(e, webnn_elu(b, f, &elu));
  every_keep(e, webnn_gelu(b, f, NULL));
  every_keep(e, webnn_hard_sigmoid(b, f, &hard));
  every_keep(e, webnn_hard_swish(b, h, NULL));
  every_keep(e, webnn_leaky_relu(b, f, &leaky));
  every_keep(e, webnn_linear(b, f, &linear));
  every_keep(e, webnn_relu(b, e->inputs[EVERY_I32], NULL));
  every_keep(e, webnn_sigmoid(b, f, NULL));
  every_keep(e, webnn_softplus(b, h, NULL));
  every_keep(e, webnn_softsign(b, f, NULL));
  every_keep(e, webnn_cast(b, f, WEBNN_INT8, NULL));
  every_keep(e, webnn_cast(b, e->inputs[EVERY_I64], WEBNN_FLOAT16, NULL));
}

static inline void every_reduction(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *f = e->inputs[EVERY_F32], *h = e->inputs[EVERY_F16];
  const webnn_reduce_options rows = {NULL, WEBNN_LIST(1), true};
  const webnn_reduce_options nothing = {NULL, WEBNN_EMPTY_LIST, false};
  const webnn_arg_min_max_options wide = {NULL, true, WEBNN_INT64};
  const webnn_cumulative_sum_options backward = {NULL, true, true};
  every_keep(e, webnn_arg_min(b, f, 1, NULL));
  every_keep(e, webnn_arg_max(b, f, 0, &wide));
  every_keep(e, webnn_cumulative_sum(b, f, 1, &backward));
  every_keep(e, webnn_reduce_l1(b, f, &rows));
  every_keep(e, webnn_reduce_l2(b, f, NULL));
  every_keep(e, webnn_reduce_log_sum(b, e->positive, &rows));
  every_keep(e, webnn_reduce_log_sum_exp(b, h, &rows));
  every_keep(e, webnn_reduce_max(b, e->inputs[EVERY_U8], NULL));
  every_keep(e, webnn_reduce_mean(b, f, &nothing));
  every_keep(e, webnn_reduce_min(b, e->inputs[EVERY_I64], &rows));
  every_keep(e, webnn_reduce_product(b, e->inputs[EVERY_U32], NULL));
  every_keep(e, webnn_reduce_sum(b, e->inputs[EVERY_U64], &rows));
  every_keep(e, webnn_reduce_sum_square(b, e->inputs[EVERY_I32], NULL));
  every_keep(e, webnn_softmax(b, f, 1, NULL));
}

static inline void every_normalization(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *f = e->inputs[EVERY_F32], *image = e->inputs[EVERY_IMAGE];
  webnn_operand *four = every_filled(e, 0.5f, WEBNN_LIST(4));
  const webnn_batch_normalization_options batch = {NULL, e->scale, e->scale, webnn_u64(1),
                                                   webnn_f64(0.5)};
  const webnn_instance_normalization_options instance = {NULL, four, four, webnn_f64(0.25),
                                                         WEBNN_LAYOUT_NCHW};
  const webnn_layer_normalization_options layer = {NULL, e->scale, e->scale, WEBNN_LIST(1),
                                                   webnn_f64(0.125)};
  every_keep(e, webnn_batch_normalization(b, f, e->scale, e->scale, &batch));
  every_keep(e, webnn_instance_normalization(b, image, &instance));
  every_keep(e, webnn_layer_normalization(b, f, &layer));
}

static inline void every_window(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *image = e->inputs[EVERY_IMAGE];
  webnn_conv2d_options conv = WEBNN_ZERO;
  webnn_conv_transpose2d_options transposed = WEBNN_ZERO;
  webnn_pool2d_options pool = WEBNN_ZERO;
  webnn_resample2d_options resample = WEBNN_ZERO;
  conv.label = "grouped";
  conv.padding = WEBNN_LIST(1, 1, 0, 1);
  conv.strides = WEBNN_LIST(2, 1);
  conv.dilations = WEBNN_LIST(1, 2);
  conv.groups = 2;
  conv.bias = every_filled(e, -0.25f, WEBNN_LIST(4));
  every_keep(e, webnn_conv2d(b, image, every_weight(e, WEBNN_LIST(4, 2, 3, 3)), &conv));
  every_keep(e, webnn_conv2d(b, image, every_weight(e, WEBNN_LIST(2, 4, 1, 1)), NULL));
  transposed.strides = WEBNN_LIST(2, 2);
  transposed.output_padding = WEBNN_LIST(1, 0);
  transposed.groups = 2;
  every_keep(
      e, webnn_conv_transpose2d(b, image, every_weight(e, WEBNN_LIST(4, 1, 2, 2)), &transposed));
  pool.window_dimensions = WEBNN_LIST(3, 2);
  pool.strides = WEBNN_LIST(2, 2);
  pool.output_shape_rounding = WEBNN_ROUNDING_CEIL;
  every_keep(e, webnn_average_pool2d(b, image, &pool));
  every_keep(e, webnn_l2_pool2d(b, image, NULL));
  every_keep(e, webnn_max_pool2d(b, image, &pool));
  resample.mode = WEBNN_INTERPOLATION_LINEAR;
  resample.sizes = WEBNN_LIST(5, 8);
  every_keep(e, webnn_resample2d(b, image, &resample));
}

static inline void every_product(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *f = e->inputs[EVERY_F32];
  webnn_gemm_options gemm = WEBNN_ZERO;
  gemm.c = e->number;
  gemm.alpha = webnn_f64(0.5);
  gemm.b_transpose = true;
  every_keep(e, webnn_gemm(b, f, every_weight(e, WEBNN_LIST(4, 3)), &gemm));
  every_keep(e,
             webnn_matmul(b, e->inputs[EVERY_SEQUENCE], every_weight(e, WEBNN_LIST(3, 4)), NULL));
}

static inline void every_movement(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *f = e->inputs[EVERY_F32], *h = e->inputs[EVERY_F16], *i = e->inputs[EVERY_I32];
  webnn_operand *indices = e->inputs[EVERY_INDICES];
  webnn_operand *parts[3] = {NULL, NULL, NULL};
  const webnn_gather_options along = {NULL, 1};
  const webnn_scatter_options scatter = {NULL, 1};
  const webnn_split_options columns = {NULL, 1};
  webnn_pad_options mirror = WEBNN_ZERO;
  const webnn_reverse_options last = {NULL, WEBNN_LIST(1)};
  const webnn_slice_options step = {NULL, WEBNN_LIST(1, 2)};
  const webnn_transpose_options swap = {NULL, WEBNN_LIST(1, 0)};
  const webnn_triangular_options lower = {NULL, true, 1};
  webnn_operand *pairs = webnn_slice(b, indices, WEBNN_LIST(0, 0), WEBNN_LIST(2, 2), NULL);
  mirror.mode = WEBNN_PADDING_REFLECTION;
  every_keep(e, webnn_concat(b, WEBNN_OPERANDS(i, i), 1, NULL));
  every_keep(e, webnn_expand(b, e->scale, WEBNN_LIST(2, 3), NULL));
  every_keep(e, webnn_gather(b, f, indices, &along));
  every_keep(e, webnn_gather_elements(b, f, indices, NULL));
  every_keep(e, webnn_gather_nd(b, h, pairs, NULL));
  every_keep(e, webnn_pad(b, f, WEBNN_LIST(1, 2), WEBNN_LIST(0, 1), &mirror));
  every_keep(e, webnn_reverse(b, e->inputs[EVERY_U8], &last));
  every_keep(e, webnn_scatter_elements(b, f, indices, f, &scatter));
  every_keep(e, webnn_scatter_nd(b, f, pairs, every_filled(e, 7, WEBNN_LIST(2)), NULL));
  every_keep(e, webnn_slice(b, h, WEBNN_LIST(0, 1), WEBNN_LIST(2, 2), &step));
  if (webnn_split(b, f, 3, &columns, parts) == 3) {
    every_keep(e, parts[0]);
    every_keep(e, parts[2]);
  }
  every_keep(e, webnn_tile(b, e->inputs[EVERY_I8], WEBNN_LIST(2, 1), NULL));
  every_keep(e, webnn_transpose(b, e->inputs[EVERY_U32], &swap));
  every_keep(e, webnn_triangular(b, f, &lower));
}

static inline void every_quantized(every_operator *e) {
  webnn_builder *b = e->builder;
  const uint8_t nibble[1] = {0x03}, byte[1] = {5};
  webnn_operand *f = e->inputs[EVERY_F32];
  webnn_operand *scale = every_filled(e, 0.5f, WEBNN_LIST(1, 1));
  webnn_operand *i4 = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_INT4, 1, 1), nibble, 1);
  webnn_operand *u8 = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_UINT8, 1, 1), byte, 1);
  every_keep(e, webnn_quantize_linear(b, f, scale, u8, NULL));
  every_keep(e, webnn_dequantize_linear(b, e->inputs[EVERY_I4], scale, i4, NULL));
  every_output(e, "int4", webnn_quantize_linear(b, f, scale, i4, NULL));
  every_output(e, "uint4", webnn_reshape(b, e->inputs[EVERY_U4], WEBNN_LIST(4, 2), NULL));
}

static inline void every_recurrent(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_operand *x = e->inputs[EVERY_SEQUENCE], *outputs[3] = {NULL, NULL, NULL};
  webnn_operand *state =
      webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 2), every_weights, 4 * sizeof(float));
  webnn_operand *one = webnn_reshape(
      b, webnn_slice(b, x, WEBNN_LIST(0, 0, 0), WEBNN_LIST(1, 2, 3), NULL), WEBNN_LIST(2, 3), NULL);
  webnn_gru_options gru = WEBNN_ZERO;
  webnn_gru_cell_options gru_cell = WEBNN_ZERO;
  webnn_lstm_options lstm = WEBNN_ZERO;
  webnn_lstm_cell_options lstm_cell = WEBNN_ZERO;
  size_t i, count;
  gru.return_sequence = true;
  gru.direction = WEBNN_DIRECTION_BOTH;
  gru.bias = every_weight(e, WEBNN_LIST(2, 6));
  gru.reset_before = true;
  count = webnn_gru(b, x, every_weight(e, WEBNN_LIST(2, 6, 3)),
                    every_weight(e, WEBNN_LIST(2, 6, 2)), 2, 2, &gru, outputs);
  for (i = 0; i < count; i++) {
    every_keep(e, outputs[i]);
  }
  gru_cell.layout = WEBNN_GRU_RZN;
  gru_cell.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU);
  gru_cell.recurrent_bias = every_weight(e, WEBNN_LIST(6));
  every_keep(e, webnn_gru_cell(b, one, every_weight(e, WEBNN_LIST(6, 3)),
                               every_weight(e, WEBNN_LIST(6, 2)), state, 2, &gru_cell));
  lstm.return_sequence = true;
  lstm.direction = WEBNN_DIRECTION_BACKWARD;
  lstm.peephole_weight = every_weight(e, WEBNN_LIST(1, 6));
  lstm.initial_cell_state = every_weight(e, WEBNN_LIST(1, 2, 2));
  count = webnn_lstm(b, x, every_weight(e, WEBNN_LIST(1, 8, 3)),
                     every_weight(e, WEBNN_LIST(1, 8, 2)), 2, 2, &lstm, outputs);
  for (i = 0; i < count; i++) {
    every_keep(e, outputs[i]);
  }
  lstm_cell.layout = WEBNN_LSTM_IFGO;
  lstm_cell.bias = every_weight(e, WEBNN_LIST(8));
  count = webnn_lstm_cell(b, one, every_weight(e, WEBNN_LIST(8, 3)),
                          every_weight(e, WEBNN_LIST(8, 2)), state, state, 2, &lstm_cell, outputs);
  for (i = 0; i < count; i++) {
    every_keep(e, outputs[i]);
  }
}

/* One output for each data type, and the same operand under a second name. */
static inline void every_join(every_operator *e) {
  int type;
  for (type = WEBNN_FLOAT32; type <= WEBNN_UINT8; type++) {
    every_output(e, webnn_data_type_name((webnn_data_type)type),
                 webnn_concat(e->builder, e->results[type], e->result_counts[type], 0, NULL));
  }
  every_output(e, "again", e->outputs[e->output_count - 1].operand);
}

/* Describes the whole graph in the builder. Input names are the caller's, so that a second attempt
   in one builder can use others. Errors are recorded in the builder. */
static inline void every_describe(every_operator *e, webnn_builder *builder,
                                  webnn_tensor *constant_tensor, const char *const *names) {
  memset(e, 0, sizeof *e);
  e->builder = builder;
  every_leaves(e, constant_tensor, names);
  every_binary(e);
  every_logical(e);
  every_unary(e);
  every_reduction(e);
  every_normalization(e);
  every_window(e);
  every_product(e);
  every_movement(e);
  every_quantized(e);
  every_recurrent(e);
  every_join(e);
}

static inline webnn_status every_build(const every_operator *e, webnn_graph **graph,
                                       webnn_error *error) {
  return webnn_build(e->builder, e->outputs, e->output_count, graph, error);
}

static const char *const every_names[EVERY_INPUT_COUNT] = {
    "f32", "f16", "i32", "u32",   "i64",      "u64",    "i8",
    "u8",  "i4",  "u4",  "image", "sequence", "indices"};

/* ---- Running it -------------------------------------------------------------------------------
 */

#define EVERY_PORTS 16
#define EVERY_RESULT_BYTES 16384

/* The tensors of a graph, made from what it says of itself. */
typedef struct every_tensors {
  webnn_named_tensor inputs[EVERY_PORTS], outputs[EVERY_PORTS];
  size_t input_count, output_count;
  webnn_graph_port ports[EVERY_PORTS];
} every_tensors;

static inline webnn_tensor_descriptor every_tensor_of(const webnn_graph_port *port) {
  webnn_tensor_descriptor descriptor;
  descriptor.data_type = port->descriptor.data_type;
  descriptor.shape = port->descriptor.shape;
  descriptor.readable = descriptor.writable = true;
  return descriptor;
}

/* The graph of every_describe with the usual names; everything is checked. */
static inline webnn_graph *every_graph(webnn_context *context) {
  every_operator e;
  webnn_graph *graph = NULL;
  webnn_tensor *constant_tensor = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_builder *builder = test_builder(context);
  CHECK("every operator", every_constant_tensor(context, &constant_tensor, &error) == WEBNN_OK,
        "no constant tensor: %s", error.message);
  every_describe(&e, builder, constant_tensor, every_names);
  CHECK("every operator", every_build(&e, &graph, &error) == WEBNN_OK, "%s", error.message);
  webnn_free_builder(builder);
  webnn_free_tensor(constant_tensor);
  if (graph == NULL) {
    exit(test_end());
  }
  return graph;
}

/* Writes the inputs, dispatches, and gathers the bytes of all outputs; returns how many. */
static inline size_t every_run(webnn_context *context, webnn_graph *graph, void *results) {
  every_tensors t;
  webnn_error error = WEBNN_ZERO;
  uint64_t data[EVERY_INPUT_BYTES / 8];
  size_t i, used = 0;
  bool ok = true;
  memset(&t, 0, sizeof t);
  t.input_count = webnn_graph_inputs(graph, t.ports, EVERY_PORTS);
  for (i = 0; ok && i < t.input_count; i++) {
    const webnn_tensor_descriptor descriptor = every_tensor_of(&t.ports[i]);
    t.inputs[i].name = t.ports[i].name;
    ok = webnn_create_tensor(context, descriptor, &t.inputs[i].tensor, &error) == WEBNN_OK &&
         webnn_write_tensor(context, t.inputs[i].tensor, data, every_input_data((int)i, data),
                            &error) == WEBNN_OK;
  }
  t.output_count = webnn_graph_outputs(graph, t.ports, EVERY_PORTS);
  for (i = 0; ok && i < t.output_count; i++) {
    const webnn_tensor_descriptor descriptor = every_tensor_of(&t.ports[i]);
    t.outputs[i].name = t.ports[i].name;
    ok = webnn_create_tensor(context, descriptor, &t.outputs[i].tensor, &error) == WEBNN_OK;
  }
  ok = ok && webnn_dispatch(context, graph, t.inputs, t.input_count, t.outputs, t.output_count,
                            &error) == WEBNN_OK;
  for (i = 0; ok && i < t.output_count; i++) {
    const size_t bytes = (size_t)t.ports[i].byte_length;
    ok = used + bytes <= EVERY_RESULT_BYTES &&
         webnn_read_tensor(context, t.outputs[i].tensor, (char *)results + used, bytes, &error) ==
             WEBNN_OK;
    used += bytes;
  }
  CHECK("every operator", ok, "running failed: %s", error.message);
  for (i = 0; i < EVERY_PORTS; i++) {
    webnn_free_tensor(t.inputs[i].tensor);
    webnn_free_tensor(t.outputs[i].tensor);
  }
  return ok ? used : 0;
}

/* ---- Is it every operator? --------------------------------------------------------------------
 */

/* Text gathered from a webnn_writer. */
typedef struct every_text {
  char *data;
  size_t length, capacity;
} every_text;

static inline void every_write(void *user, const char *text, size_t length) {
  every_text *all = (every_text *)user;
  if (all->length + length + 1 > all->capacity) {
    all->capacity = 2 * (all->length + length + 1);
    all->data = (char *)realloc(all->data, all->capacity);
    if (all->data == NULL) {
      exit(1);
    }
  }
  memcpy(all->data + all->length, text, length);
  all->length += length;
  all->data[all->length] = 0;
}

/* Each operator of WEBNN_OPERATORS must stand in the printed graph. */
static inline void every_operator_check(const webnn_graph *graph) {
  every_text text = {NULL, 0, 0};
  int op;
  webnn_print_graph(graph, every_write, &text);
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    char call[64];
    snprintf(call, sizeof call, " = %s(", webnn_op_name((webnn_op)op));
    CHECK("every operator", text.data != NULL && strstr(text.data, call) != NULL,
          "%s is missing in every_operator.h", webnn_op_name((webnn_op)op));
  }
  free(text.data);
}

#endif
