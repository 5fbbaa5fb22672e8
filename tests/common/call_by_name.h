/* Calls a WebNN method by its name in the specification, with arguments in JSON as the README of
   the vectors defines them, and stands for the binding of a scripting language: what it has to
   refuse before it calls, it refuses. Tables drive it: one of the methods, one of the members of
   each options struct, one of the values of each enumeration. What the tables do not know is a
   problem that the test must report, never something to pass over. */
#ifndef WEBNN_TEST_CALL_BY_NAME_H
#define WEBNN_TEST_CALL_BY_NAME_H

#include "json.h"
#include "test.h"

/* ---- One call -------------------------------------------------------------------------------- */

typedef webnn_operand *(*call_lookup)(void *user, const char *name);

typedef union call_options {
  webnn_operator_options operator_options;
  webnn_arg_min_max_options arg_min_max;
  webnn_batch_normalization_options batch_normalization;
  webnn_clamp_options clamp;
  webnn_conv2d_options conv2d;
  webnn_conv_transpose2d_options conv_transpose2d;
  webnn_cumulative_sum_options cumulative_sum;
  webnn_elu_options elu;
  webnn_gather_options gather;
  webnn_gemm_options gemm;
  webnn_gru_options gru;
  webnn_gru_cell_options gru_cell;
  webnn_hard_sigmoid_options hard_sigmoid;
  webnn_instance_normalization_options instance_normalization;
  webnn_layer_normalization_options layer_normalization;
  webnn_leaky_relu_options leaky_relu;
  webnn_linear_options linear;
  webnn_lstm_options lstm;
  webnn_lstm_cell_options lstm_cell;
  webnn_pad_options pad;
  webnn_pool2d_options pool2d;
  webnn_reduce_options reduce;
  webnn_resample2d_options resample2d;
  webnn_reverse_options reverse;
  webnn_scatter_options scatter;
  webnn_slice_options slice;
  webnn_split_options split;
  webnn_transpose_options transpose;
  webnn_triangular_options triangular;
  webnn_context_options context;
} call_options;

#define CALL_MAX_ARGUMENTS 8

typedef struct call {
  /* Set by the caller. */
  webnn_builder *builder;
  call_lookup lookup; /* an operand by its name, NULL if there is none */
  void *user;
  /* Results. */
  char problem[200];       /* why the call could not be made; "": it was made */
  char refusal[200];       /* the TypeError of the binding, which then has not called; "": none */
  webnn_operand **outputs; /* `room` of them, all NULL if the call was refused */
  size_t room;             /* as many as the call gives if it succeeds */
  size_t count;            /* as many as it said it gave: room, or 0 if refused */
  /* Inside. */
  const json *arguments[CALL_MAX_ARGUMENTS];
  bool used[CALL_MAX_ARGUMENTS];
  size_t argument_count;
  call_options options;
  bool has_options;
  json_arena arena; /* lists that the call reads */
} call;

/* The first problem is kept. */
static inline void call_problem(call *c, const char *format, ...) {
  va_list arguments;
  if (c->problem[0])
    return;
  va_start(arguments, format);
  vsnprintf(c->problem, sizeof c->problem, format, arguments);
  va_end(arguments);
}

/* A member that the interface layer of the specification refuses. The first refusal is kept. */
static inline void call_refuse(call *c, const char *format, ...) {
  va_list arguments;
  if (c->refusal[0])
    return;
  va_start(arguments, format);
  vsnprintf(c->refusal, sizeof c->refusal, format, arguments);
  va_end(arguments);
}

/* What an output is before the call: a method that forgets to set one leaves this. */
static inline webnn_operand *call_unset(void) {
  static char unset;
  return (webnn_operand *)(void *)&unset;
}

/* Room for exactly so many outputs, so that a memory checker sees writes behind them. */
static inline webnn_operand **call_outputs(call *c, size_t room) {
  size_t i;
  c->room = room;
  c->outputs = (webnn_operand **)test_allocate(room * sizeof *c->outputs);
  for (i = 0; i < room; i++)
    c->outputs[i] = call_unset();
  return c->outputs;
}

static inline void call_free(call *c) {
  json_release(&c->arena, true);
  free(c->outputs);
  c->outputs = NULL;
}

/* ---- Values of each kind --------------------------------------------------------------------- */

/* A JSON number, or "NaN", "Infinity", "-Infinity", "-0". */
static inline bool call_double(const json *value, double *number) {
  static const char *const names[] = {"NaN", "Infinity", "-Infinity", "-0"};
  static const char *const spellings[] = {"nan", "inf", "-inf", "-0"};
  const char *text = json_string(value);
  size_t i;
  if (!text)
    return json_double(value, number);
  for (i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(text, names[i]) == 0) {
      *number = strtod(spellings[i], NULL);
      return true;
    }
  }
  return false;
}

/* A BigInt in decimal; one outside of 64 bits becomes the nearest that fits (strtoll and strtoull
   clamp). */
static inline bool call_bigint(const json *value, webnn_number *number) {
  const char *text = json_string(value);
  char *end;
  if (!text || (text[0] != '-' && !json_is_digit(text[0])))
    return false;
  if (text[0] == '-') {
    *number = webnn_i64((int64_t)strtoll(text, &end, 10));
  } else {
    const uint64_t magnitude = (uint64_t)strtoull(text, &end, 10);
    *number =
        magnitude <= (uint64_t)INT64_MAX ? webnn_i64((int64_t)magnitude) : webnn_u64(magnitude);
  }
  return end == text + value->length;
}

/* An unsigned long of the specification. */
static inline bool call_u32(const json *value, uint32_t *number) {
  uint64_t wide;
  if (!value || value->kind != JSON_NUMBER || !json_u64(value, &wide) || wide > UINT32_MAX)
    return false;
  *number = (uint32_t)wide;
  return true;
}

typedef struct call_value {
  const char *name;
  int value;
} call_value;

static inline bool call_enumerator(const json *value, const call_value *values, int *number) {
  const char *text = json_string(value);
  if (!text)
    return false;
  while (values->name && strcmp(values->name, text) != 0)
    values++;
  *number = values->value;
  return values->name != NULL;
}

static const call_value call_data_types[] = {{"float32", WEBNN_FLOAT32},
                                             {"float16", WEBNN_FLOAT16},
                                             {"int32", WEBNN_INT32},
                                             {"uint32", WEBNN_UINT32},
                                             {"int64", WEBNN_INT64},
                                             {"uint64", WEBNN_UINT64},
                                             {"int8", WEBNN_INT8},
                                             {"uint8", WEBNN_UINT8},
                                             {"int4", WEBNN_INT4},
                                             {"uint4", WEBNN_UINT4},
                                             {NULL, 0}};
static const call_value call_power_preferences[] = {
    {"default", WEBNN_POWER_DEFAULT},
    {"high-performance", WEBNN_POWER_HIGH_PERFORMANCE},
    {"low-power", WEBNN_POWER_LOW_POWER},
    {NULL, 0}};
static const call_value call_input_layouts[] = {
    {"nchw", WEBNN_LAYOUT_NCHW}, {"nhwc", WEBNN_LAYOUT_NHWC}, {NULL, 0}};
static const call_value call_conv2d_layouts[] = {{"oihw", WEBNN_CONV2D_OIHW},
                                                 {"hwio", WEBNN_CONV2D_HWIO},
                                                 {"ohwi", WEBNN_CONV2D_OHWI},
                                                 {"ihwo", WEBNN_CONV2D_IHWO},
                                                 {NULL, 0}};
static const call_value call_conv_transpose2d_layouts[] = {{"iohw", WEBNN_CONV_TRANSPOSE2D_IOHW},
                                                           {"hwoi", WEBNN_CONV_TRANSPOSE2D_HWOI},
                                                           {"ohwi", WEBNN_CONV_TRANSPOSE2D_OHWI},
                                                           {NULL, 0}};
static const call_value call_gru_layouts[] = {
    {"zrn", WEBNN_GRU_ZRN}, {"rzn", WEBNN_GRU_RZN}, {NULL, 0}};
static const call_value call_lstm_layouts[] = {
    {"iofg", WEBNN_LSTM_IOFG}, {"ifgo", WEBNN_LSTM_IFGO}, {NULL, 0}};
static const call_value call_activations[] = {{"relu", WEBNN_ACTIVATION_RELU},
                                              {"sigmoid", WEBNN_ACTIVATION_SIGMOID},
                                              {"tanh", WEBNN_ACTIVATION_TANH},
                                              {NULL, 0}};
static const call_value call_directions[] = {{"forward", WEBNN_DIRECTION_FORWARD},
                                             {"backward", WEBNN_DIRECTION_BACKWARD},
                                             {"both", WEBNN_DIRECTION_BOTH},
                                             {NULL, 0}};
static const call_value call_padding_modes[] = {{"constant", WEBNN_PADDING_CONSTANT},
                                                {"edge", WEBNN_PADDING_EDGE},
                                                {"reflection", WEBNN_PADDING_REFLECTION},
                                                {"symmetric", WEBNN_PADDING_SYMMETRIC},
                                                {NULL, 0}};
static const call_value call_roundings[] = {
    {"floor", WEBNN_ROUNDING_FLOOR}, {"ceil", WEBNN_ROUNDING_CEIL}, {NULL, 0}};
static const call_value call_interpolations[] = {
    {"nearest-neighbor", WEBNN_INTERPOLATION_NEAREST_NEIGHBOR},
    {"linear", WEBNN_INTERPOLATION_LINEAR},
    {NULL, 0}};

static inline bool call_data_type(const json *value, webnn_data_type *type) {
  int number;
  if (!call_enumerator(value, call_data_types, &number))
    return false;
  *type = (webnn_data_type)number;
  return true;
}

/* Lists are given, even when empty. Of one that is longer than a list can be the first items are
   kept, and how many there are. */
static inline bool call_list(const json *value, webnn_list *list) {
  const json *item;
  memset(list, 0, sizeof *list);
  list->given = true;
  for (item = json_first(value); item; item = item->next, list->count++) {
    uint32_t number;
    if (!call_u32(item, &number))
      return false;
    if (list->count < WEBNN_MAX_RANK)
      list->items[list->count] = number;
  }
  return value && value->kind == JSON_ARRAY;
}

static inline bool call_float_list(const json *value, webnn_float_list *list) {
  const json *item;
  memset(list, 0, sizeof *list);
  list->given = true;
  for (item = json_first(value); item; item = item->next, list->count++) {
    double number;
    if (!call_double(item, &number))
      return false;
    if (list->count < WEBNN_MAX_RANK)
      list->items[list->count] = (float)number;
  }
  return value && value->kind == JSON_ARRAY;
}

static inline bool call_activation_list(const json *value, webnn_activation_list *list) {
  const json *item;
  memset(list, 0, sizeof *list);
  list->given = true;
  for (item = json_first(value); item; item = item->next, list->count++) {
    int activation;
    if (!call_enumerator(item, call_activations, &activation))
      return false;
    if (list->count < WEBNN_MAX_RANK)
      list->items[list->count] = (webnn_recurrent_network_activation)activation;
  }
  return value && value->kind == JSON_ARRAY;
}

static inline webnn_operand *call_operand_named(call *c, const json *value) {
  const char *name = json_string(value);
  webnn_operand *operand = name ? c->lookup(c->user, name) : NULL;
  if (!operand)
    call_problem(c, "there is no operand %s", name ? name : "(no name)");
  return operand;
}

/* ---- Options: the members of each struct ----------------------------------------------------- */

typedef enum call_member_kind {
  CALL_LABEL,
  CALL_NUMBER,
  CALL_OPERAND,
  CALL_LIST,
  CALL_FLOAT_LIST,
  CALL_ACTIVATIONS,
  CALL_BOOL,
  CALL_NOT, /* a bool of the opposite sense */
  CALL_U32,
  CALL_GROUPS,
  CALL_I32,
  CALL_ENUM
} call_member_kind;

typedef struct call_member {
  const char *name; /* the specification's */
  call_member_kind kind;
  size_t offset, size;
  const call_value *values; /* of an enumeration */
} call_member;

#define CALL_MEMBER(options, member, name, kind, values)                                           \
  {                                                                                                \
    name, kind, offsetof(webnn_##options##_options, member),                                       \
        sizeof(((webnn_##options##_options *)0)->member), values                                   \
  }
#define CALL_END                                                                                   \
  { NULL, CALL_LABEL, 0, 0, NULL }
#define CALL_LABEL_OF(options) CALL_MEMBER(options, label, "label", CALL_LABEL, NULL)
/* Two or more structs have these. */
#define CALL_NUMBER_OF(options, name) CALL_MEMBER(options, name, #name, CALL_NUMBER, NULL)
#define CALL_LIST_OF(options, name) CALL_MEMBER(options, name, #name, CALL_LIST, NULL)
#define CALL_OPERAND_OF(options, name) CALL_MEMBER(options, name, #name, CALL_OPERAND, NULL)
#define CALL_AXIS_OF(options) CALL_MEMBER(options, axis, "axis", CALL_U32, NULL)
#define CALL_LAYOUT_OF(options, values)                                                            \
  CALL_MEMBER(options, layout, "layout", CALL_ENUM, call_##values##_layouts)
#define CALL_ACTIVATIONS_OF(options)                                                               \
  CALL_MEMBER(options, activations, "activations", CALL_ACTIVATIONS, NULL)
#define CALL_RECURRENT_BIAS_OF(options)                                                            \
  CALL_MEMBER(options, recurrent_bias, "recurrentBias", CALL_OPERAND, NULL)
#define CALL_RECURRENT_OF(options)                                                                 \
  CALL_OPERAND_OF(options, bias), CALL_RECURRENT_BIAS_OF(options),                                 \
      CALL_MEMBER(options, initial_hidden_state, "initialHiddenState", CALL_OPERAND, NULL),        \
      CALL_MEMBER(options, return_sequence, "returnSequence", CALL_BOOL, NULL),                    \
      CALL_MEMBER(options, direction, "direction", CALL_ENUM, call_directions)

static const call_member call_operator_members[] = {CALL_LABEL_OF(operator), CALL_END};
static const call_member call_arg_min_max_members[] = {
    CALL_LABEL_OF(arg_min_max),
    CALL_MEMBER(arg_min_max, keep_dimensions, "keepDimensions", CALL_BOOL, NULL),
    CALL_MEMBER(arg_min_max, output_data_type, "outputDataType", CALL_ENUM, call_data_types),
    CALL_END};
static const call_member call_batch_normalization_members[] = {
    CALL_LABEL_OF(batch_normalization),           CALL_OPERAND_OF(batch_normalization, scale),
    CALL_OPERAND_OF(batch_normalization, bias),   CALL_NUMBER_OF(batch_normalization, axis),
    CALL_NUMBER_OF(batch_normalization, epsilon), CALL_END};
static const call_member call_clamp_members[] = {
    CALL_LABEL_OF(clamp), CALL_MEMBER(clamp, min_value, "minValue", CALL_NUMBER, NULL),
    CALL_MEMBER(clamp, max_value, "maxValue", CALL_NUMBER, NULL), CALL_END};
static const call_member call_conv2d_members[] = {
    CALL_LABEL_OF(conv2d),
    CALL_LIST_OF(conv2d, padding),
    CALL_LIST_OF(conv2d, strides),
    CALL_LIST_OF(conv2d, dilations),
    CALL_MEMBER(conv2d, groups, "groups", CALL_GROUPS, NULL),
    CALL_MEMBER(conv2d, input_layout, "inputLayout", CALL_ENUM, call_input_layouts),
    CALL_MEMBER(conv2d, filter_layout, "filterLayout", CALL_ENUM, call_conv2d_layouts),
    CALL_OPERAND_OF(conv2d, bias),
    CALL_END};
static const call_member call_conv_transpose2d_members[] = {
    CALL_LABEL_OF(conv_transpose2d),
    CALL_LIST_OF(conv_transpose2d, padding),
    CALL_LIST_OF(conv_transpose2d, strides),
    CALL_LIST_OF(conv_transpose2d, dilations),
    CALL_MEMBER(conv_transpose2d, output_padding, "outputPadding", CALL_LIST, NULL),
    CALL_MEMBER(conv_transpose2d, output_sizes, "outputSizes", CALL_LIST, NULL),
    CALL_MEMBER(conv_transpose2d, groups, "groups", CALL_GROUPS, NULL),
    CALL_MEMBER(conv_transpose2d, input_layout, "inputLayout", CALL_ENUM, call_input_layouts),
    CALL_MEMBER(conv_transpose2d, filter_layout, "filterLayout", CALL_ENUM,
                call_conv_transpose2d_layouts),
    CALL_OPERAND_OF(conv_transpose2d, bias),
    CALL_END};
static const call_member call_cumulative_sum_members[] = {
    CALL_LABEL_OF(cumulative_sum),
    CALL_MEMBER(cumulative_sum, exclusive, "exclusive", CALL_BOOL, NULL),
    CALL_MEMBER(cumulative_sum, reversed, "reversed", CALL_BOOL, NULL), CALL_END};
static const call_member call_elu_members[] = {CALL_LABEL_OF(elu), CALL_NUMBER_OF(elu, alpha),
                                               CALL_END};
static const call_member call_gather_members[] = {CALL_LABEL_OF(gather), CALL_AXIS_OF(gather),
                                                  CALL_END};
static const call_member call_gemm_members[] = {
    CALL_LABEL_OF(gemm),
    CALL_OPERAND_OF(gemm, c),
    CALL_NUMBER_OF(gemm, alpha),
    CALL_NUMBER_OF(gemm, beta),
    CALL_MEMBER(gemm, a_transpose, "aTranspose", CALL_BOOL, NULL),
    CALL_MEMBER(gemm, b_transpose, "bTranspose", CALL_BOOL, NULL),
    CALL_END};
static const call_member call_gru_members[] = {
    CALL_LABEL_OF(gru),
    CALL_RECURRENT_OF(gru),
    CALL_MEMBER(gru, reset_before, "resetAfter", CALL_NOT, NULL),
    CALL_LAYOUT_OF(gru, gru),
    CALL_ACTIVATIONS_OF(gru),
    CALL_END};
static const call_member call_gru_cell_members[] = {
    CALL_LABEL_OF(gru_cell),
    CALL_OPERAND_OF(gru_cell, bias),
    CALL_RECURRENT_BIAS_OF(gru_cell),
    CALL_MEMBER(gru_cell, reset_before, "resetAfter", CALL_NOT, NULL),
    CALL_LAYOUT_OF(gru_cell, gru),
    CALL_ACTIVATIONS_OF(gru_cell),
    CALL_END};
static const call_member call_hard_sigmoid_members[] = {
    CALL_LABEL_OF(hard_sigmoid), CALL_NUMBER_OF(hard_sigmoid, alpha),
    CALL_NUMBER_OF(hard_sigmoid, beta), CALL_END};
static const call_member call_instance_normalization_members[] = {
    CALL_LABEL_OF(instance_normalization),         CALL_OPERAND_OF(instance_normalization, scale),
    CALL_OPERAND_OF(instance_normalization, bias), CALL_NUMBER_OF(instance_normalization, epsilon),
    CALL_LAYOUT_OF(instance_normalization, input), CALL_END};
static const call_member call_layer_normalization_members[] = {
    CALL_LABEL_OF(layer_normalization),           CALL_OPERAND_OF(layer_normalization, scale),
    CALL_OPERAND_OF(layer_normalization, bias),   CALL_LIST_OF(layer_normalization, axes),
    CALL_NUMBER_OF(layer_normalization, epsilon), CALL_END};
static const call_member call_leaky_relu_members[] = {CALL_LABEL_OF(leaky_relu),
                                                      CALL_NUMBER_OF(leaky_relu, alpha), CALL_END};
static const call_member call_linear_members[] = {
    CALL_LABEL_OF(linear), CALL_NUMBER_OF(linear, alpha), CALL_NUMBER_OF(linear, beta), CALL_END};
static const call_member call_lstm_members[] = {
    CALL_LABEL_OF(lstm),
    CALL_RECURRENT_OF(lstm),
    CALL_MEMBER(lstm, peephole_weight, "peepholeWeight", CALL_OPERAND, NULL),
    CALL_MEMBER(lstm, initial_cell_state, "initialCellState", CALL_OPERAND, NULL),
    CALL_LAYOUT_OF(lstm, lstm),
    CALL_ACTIVATIONS_OF(lstm),
    CALL_END};
static const call_member call_lstm_cell_members[] = {
    CALL_LABEL_OF(lstm_cell),
    CALL_OPERAND_OF(lstm_cell, bias),
    CALL_RECURRENT_BIAS_OF(lstm_cell),
    CALL_MEMBER(lstm_cell, peephole_weight, "peepholeWeight", CALL_OPERAND, NULL),
    CALL_LAYOUT_OF(lstm_cell, lstm),
    CALL_ACTIVATIONS_OF(lstm_cell),
    CALL_END};
static const call_member call_pad_members[] = {
    CALL_LABEL_OF(pad), CALL_MEMBER(pad, mode, "mode", CALL_ENUM, call_padding_modes),
    CALL_NUMBER_OF(pad, value), CALL_END};
static const call_member call_pool2d_members[] = {
    CALL_LABEL_OF(pool2d),
    CALL_MEMBER(pool2d, window_dimensions, "windowDimensions", CALL_LIST, NULL),
    CALL_LIST_OF(pool2d, padding),
    CALL_LIST_OF(pool2d, strides),
    CALL_LIST_OF(pool2d, dilations),
    CALL_LAYOUT_OF(pool2d, input),
    CALL_MEMBER(pool2d, output_shape_rounding, "outputShapeRounding", CALL_ENUM, call_roundings),
    CALL_MEMBER(pool2d, output_sizes, "outputSizes", CALL_LIST, NULL),
    CALL_END};
static const call_member call_reduce_members[] = {
    CALL_LABEL_OF(reduce), CALL_LIST_OF(reduce, axes),
    CALL_MEMBER(reduce, keep_dimensions, "keepDimensions", CALL_BOOL, NULL), CALL_END};
static const call_member call_resample2d_members[] = {
    CALL_LABEL_OF(resample2d),
    CALL_MEMBER(resample2d, mode, "mode", CALL_ENUM, call_interpolations),
    CALL_MEMBER(resample2d, scales, "scales", CALL_FLOAT_LIST, NULL),
    CALL_LIST_OF(resample2d, sizes),
    CALL_LIST_OF(resample2d, axes),
    CALL_END};
static const call_member call_reverse_members[] = {CALL_LABEL_OF(reverse),
                                                   CALL_LIST_OF(reverse, axes), CALL_END};
static const call_member call_scatter_members[] = {CALL_LABEL_OF(scatter), CALL_AXIS_OF(scatter),
                                                   CALL_END};
static const call_member call_slice_members[] = {CALL_LABEL_OF(slice), CALL_LIST_OF(slice, strides),
                                                 CALL_END};
static const call_member call_split_members[] = {CALL_LABEL_OF(split), CALL_AXIS_OF(split),
                                                 CALL_END};
static const call_member call_transpose_members[] = {
    CALL_LABEL_OF(transpose), CALL_LIST_OF(transpose, permutation), CALL_END};
static const call_member call_triangular_members[] = {
    CALL_LABEL_OF(triangular), CALL_MEMBER(triangular, lower, "upper", CALL_NOT, NULL),
    CALL_MEMBER(triangular, diagonal, "diagonal", CALL_I32, NULL), CALL_END};
static const call_member call_context_members[] = {
    CALL_MEMBER(context, power_preference, "powerPreference", CALL_ENUM, call_power_preferences),
    CALL_MEMBER(context, not_accelerated, "accelerated", CALL_NOT, NULL), CALL_END};

/* ---- Options: reading them ------------------------------------------------------------------- */

/* The one member of an argument that is not its name: {"name": ..., KIND: value}. */
static inline const json *call_kind(call *c, const json *argument) {
  const json *member, *kind = NULL;
  for (member = json_first(argument); member; member = member->next) {
    if (strcmp(member->name, "name") == 0)
      continue;
    if (kind)
      call_problem(c, "an argument of two kinds: %s and %s", kind->name, member->name);
    kind = member;
  }
  if (!kind || argument->kind != JSON_OBJECT) {
    call_problem(c, "an argument without a kind");
    return NULL;
  }
  return kind;
}

static inline const char *call_member_kind_name(call_member_kind kind) {
  static const char *const names[] = {"string",  "number",  "operand", "numbers",
                                      "numbers", "strings", "bool",    "bool",
                                      "number",  "number",  "number",  "string"};
  return names[kind];
}

/* Every enumeration of the interface is as wide as int, with every compiler that is used here. */
static inline bool call_store_enumerator(const call_member *member, const json *value, char *to) {
  int number;
  if (member->size != sizeof number || !call_enumerator(value, member->values, &number))
    return false;
  memcpy(to, &number, sizeof number);
  return true;
}

static inline bool call_store_i32(const json *value, char *to) {
  int64_t wide;
  int32_t number;
  if (!json_i64(value, &wide) || wide < INT32_MIN || wide > INT32_MAX)
    return false;
  number = (int32_t)wide;
  memcpy(to, &number, sizeof number);
  return true;
}

static inline bool call_store_bool(const call_member *member, const json *value, char *to) {
  const bool truth = json_is_true(value), stored = truth != (member->kind == CALL_NOT);
  memcpy(to, &stored, sizeof stored);
  return truth || value->kind == JSON_FALSE;
}

/* [EnforceRange] unsigned long: a number is truncated, one that then is out of range is a TypeError
   before the method is called; so are groups of 0, which stand for the default in C. */
static inline bool call_store_u32(call *c, const call_member *member, const json *value, char *to) {
  double wide;
  uint32_t number = 0;
  if (!call_double(value, &wide))
    return false;
  if (!(wide > -1 && wide < 4294967296.0))
    call_refuse(c, "%s must be an unsigned long", member->name);
  else
    number = (uint32_t)(wide < 0 ? 0 : wide);
  if (member->kind == CALL_GROUPS && number == 0)
    call_refuse(c, "%s must be at least 1", member->name);
  memcpy(to, &number, sizeof number);
  return true;
}

static inline bool call_store_number(const json *kind, char *to) {
  webnn_number number;
  double value;
  if (strcmp(kind->name, "bigint") == 0) {
    if (!call_bigint(kind, &number))
      return false;
  } else {
    if (!call_double(kind, &value))
      return false;
    number = webnn_f64(value);
  }
  memcpy(to, &number, sizeof number);
  return true;
}

static inline bool call_store_lists(const call_member *member, const json *value, char *to) {
  webnn_list list;
  webnn_float_list floats;
  webnn_activation_list activations;
  switch (member->kind) {
  case CALL_LIST:
    if (!call_list(value, &list))
      return false;
    memcpy(to, &list, sizeof list);
    return true;
  case CALL_FLOAT_LIST:
    if (!call_float_list(value, &floats))
      return false;
    memcpy(to, &floats, sizeof floats);
    return true;
  default:
    if (!call_activation_list(value, &activations))
      return false;
    memcpy(to, &activations, sizeof activations);
    return true;
  }
}

/* A copy that is overwritten after the call. */
static inline bool call_store_label(call *c, const json *value, char *to) {
  const char *text = json_string(value);
  char *label;
  if (!text)
    return false;
  label = (char *)json_allocate(&c->arena, strlen(text) + 1);
  strcpy(label, text);
  memcpy(to, &label, sizeof label);
  return true;
}

static inline bool call_store(call *c, const call_member *member, const json *kind) {
  char *to = (char *)&c->options + member->offset;
  webnn_operand *operand;
  if (strcmp(kind->name, call_member_kind_name(member->kind)) != 0 &&
      !(member->kind == CALL_NUMBER && strcmp(kind->name, "bigint") == 0))
    return false;
  switch (member->kind) {
  case CALL_LABEL:
    return call_store_label(c, kind, to);
  case CALL_NUMBER:
    return call_store_number(kind, to);
  case CALL_OPERAND:
    operand = call_operand_named(c, kind);
    memcpy(to, &operand, sizeof operand);
    return operand != NULL;
  case CALL_BOOL:
  case CALL_NOT:
    return call_store_bool(member, kind, to);
  case CALL_U32:
  case CALL_GROUPS:
    return call_store_u32(c, member, kind, to);
  case CALL_I32:
    return call_store_i32(kind, to);
  case CALL_ENUM:
    return call_store_enumerator(member, kind, to);
  default:
    return call_store_lists(member, kind, to);
  }
}

/* Fills c->options, a struct with these members, from the object of options. */
static inline void call_read_options(call *c, const json *options, const call_member *members) {
  const json *option;
  memset(&c->options, 0, sizeof c->options);
  for (option = json_first(options); option; option = option->next) {
    const call_member *member = members;
    const json *kind = call_kind(c, option);
    while (member->name && strcmp(member->name, option->name) != 0)
      member++;
    if (!member->name)
      call_problem(c, "option %s is unknown to the test", option->name);
    else if (kind && !call_store(c, member, kind))
      call_problem(c, "option %s: the test cannot take this %s", option->name, kind->name);
  }
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static inline const char *call_argument_kind(call *c, size_t index) {
  const json *kind = index < c->argument_count ? call_kind(c, c->arguments[index]) : NULL;
  return kind ? kind->name : "nothing";
}

/* The value of an argument that must be of this kind, else NULL and a problem. */
static inline const json *call_argument(call *c, size_t index, const char *wanted) {
  const char *kind = call_argument_kind(c, index);
  if (strcmp(kind, wanted) != 0) {
    call_problem(c, "argument %d: %s expected, got %s", (int)index, wanted, kind);
    return NULL;
  }
  c->used[index] = true;
  return json_get(c->arguments[index], wanted);
}

static inline webnn_operand *call_operand_at(call *c, size_t index) {
  const json *value = call_argument(c, index, "operand");
  return value ? call_operand_named(c, value) : NULL;
}

/* The operands of an argument, kept until the call is over. */
static inline webnn_operand *const *call_operand_items_at(call *c, size_t index) {
  const json *value = call_argument(c, index, "operands"), *item;
  webnn_operand **items =
      (webnn_operand **)json_allocate(&c->arena, (json_count(value) + 1) * sizeof *items);
  size_t i = 0;
  for (item = json_first(value); item; item = item->next)
    items[i++] = call_operand_named(c, item);
  if (!value || value->kind != JSON_ARRAY)
    call_problem(c, "argument %d: not a list of operands", (int)index);
  return items;
}

static inline size_t call_count_at(call *c, size_t index, const char *kind) {
  return json_count(call_argument(c, index, kind));
}

static inline uint32_t call_u32_at(call *c, size_t index) {
  uint32_t number = 0;
  if (!call_u32(call_argument(c, index, "number"), &number))
    call_problem(c, "argument %d: not an unsigned long", (int)index);
  return number;
}

static inline webnn_list call_list_at(call *c, size_t index) {
  webnn_list list;
  if (!call_list(call_argument(c, index, "numbers"), &list))
    call_problem(c, "argument %d: not a list of unsigned longs", (int)index);
  return list;
}

/* Both arguments that a list of operands is. */
#define call_operands_at(c, index)                                                                 \
  call_operand_items_at(c, index), call_count_at(c, index, "operands")

/* The numbers of an argument, of any length, kept until the call is over. */
static inline const uint32_t *call_u32s_at(call *c, size_t index) {
  const json *value = call_argument(c, index, "numbers"), *item;
  uint32_t *items = (uint32_t *)json_allocate(&c->arena, (json_count(value) + 1) * sizeof *items);
  size_t i = 0;
  for (item = json_first(value); item; item = item->next)
    if (!call_u32(item, &items[i++]))
      call_problem(c, "argument %d: not a list of unsigned longs", (int)index);
  return items;
}

static inline webnn_data_type call_data_type_at(call *c, size_t index) {
  webnn_data_type type = WEBNN_FLOAT32;
  if (!call_data_type(call_argument(c, index, "string"), &type))
    call_problem(c, "argument %d: not a data type", (int)index);
  return type;
}

/* NULL where the call has no options: both ways of giving none are used. */
static inline const void *call_options_given(const call *c) {
  return c->has_options ? &c->options : NULL;
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* The methods with one result: name, C name, options struct, then the arguments before the options,
   written as what takes them from the call. */
#define CALL_A call_operand_at(c, 0)
#define CALL_AB CALL_A, call_operand_at(c, 1)
#define CALL_ABC CALL_AB, call_operand_at(c, 2)
#define CALL_ABCD CALL_ABC, call_operand_at(c, 3)
#define CALL_METHODS(ROW)                                                                          \
  ROW("argMin", arg_min, arg_min_max, CALL_A, call_u32_at(c, 1))                                   \
  ROW("argMax", arg_max, arg_min_max, CALL_A, call_u32_at(c, 1))                                   \
  ROW("batchNormalization", batch_normalization, batch_normalization, CALL_ABC)                    \
  ROW("cast", cast, operator, CALL_A, call_data_type_at(c, 1))                                     \
  ROW("clamp", clamp, clamp, CALL_A)                                                               \
  ROW("concat", concat, operator, call_operands_at(c, 0), call_u32_at(c, 1))                       \
  ROW("conv2d", conv2d, conv2d, CALL_AB)                                                           \
  ROW("convTranspose2d", conv_transpose2d, conv_transpose2d, CALL_AB)                              \
  ROW("cumulativeSum", cumulative_sum, cumulative_sum, CALL_A, call_u32_at(c, 1))                  \
  ROW("add", add, operator, CALL_AB)                                                               \
  ROW("sub", sub, operator, CALL_AB)                                                               \
  ROW("mul", mul, operator, CALL_AB)                                                               \
  ROW("div", div, operator, CALL_AB)                                                               \
  ROW("max", max, operator, CALL_AB)                                                               \
  ROW("min", min, operator, CALL_AB)                                                               \
  ROW("pow", pow, operator, CALL_AB)                                                               \
  ROW("equal", equal, operator, CALL_AB)                                                           \
  ROW("notEqual", not_equal, operator, CALL_AB)                                                    \
  ROW("greater", greater, operator, CALL_AB)                                                       \
  ROW("greaterOrEqual", greater_or_equal, operator, CALL_AB)                                       \
  ROW("lesser", lesser, operator, CALL_AB)                                                         \
  ROW("lesserOrEqual", lesser_or_equal, operator, CALL_AB)                                         \
  ROW("logicalNot", logical_not, operator, CALL_A)                                                 \
  ROW("logicalAnd", logical_and, operator, CALL_AB)                                                \
  ROW("logicalOr", logical_or, operator, CALL_AB)                                                  \
  ROW("logicalXor", logical_xor, operator, CALL_AB)                                                \
  ROW("isNaN", is_nan, operator, CALL_A)                                                           \
  ROW("isInfinite", is_infinite, operator, CALL_A)                                                 \
  ROW("abs", abs, operator, CALL_A)                                                                \
  ROW("ceil", ceil, operator, CALL_A)                                                              \
  ROW("cos", cos, operator, CALL_A)                                                                \
  ROW("erf", erf, operator, CALL_A)                                                                \
  ROW("exp", exp, operator, CALL_A)                                                                \
  ROW("floor", floor, operator, CALL_A)                                                            \
  ROW("identity", identity, operator, CALL_A)                                                      \
  ROW("log", log, operator, CALL_A)                                                                \
  ROW("neg", neg, operator, CALL_A)                                                                \
  ROW("reciprocal", reciprocal, operator, CALL_A)                                                  \
  ROW("roundEven", round_even, operator, CALL_A)                                                   \
  ROW("sign", sign, operator, CALL_A)                                                              \
  ROW("sin", sin, operator, CALL_A)                                                                \
  ROW("sqrt", sqrt, operator, CALL_A)                                                              \
  ROW("tan", tan, operator, CALL_A)                                                                \
  ROW("dequantizeLinear", dequantize_linear, operator, CALL_ABC)                                   \
  ROW("quantizeLinear", quantize_linear, operator, CALL_ABC)                                       \
  ROW("elu", elu, elu, CALL_A)                                                                     \
  ROW("expand", expand, operator, CALL_A, call_list_at(c, 1))                                      \
  ROW("gather", gather, gather, CALL_AB)                                                           \
  ROW("gatherElements", gather_elements, gather, CALL_AB)                                          \
  ROW("gatherND", gather_nd, operator, CALL_AB)                                                    \
  ROW("gelu", gelu, operator, CALL_A)                                                              \
  ROW("gemm", gemm, gemm, CALL_AB)                                                                 \
  ROW("gruCell", gru_cell, gru_cell, CALL_ABCD, call_u32_at(c, 4))                                 \
  ROW("hardSigmoid", hard_sigmoid, hard_sigmoid, CALL_A)                                           \
  ROW("hardSwish", hard_swish, operator, CALL_A)                                                   \
  ROW("instanceNormalization", instance_normalization, instance_normalization, CALL_A)             \
  ROW("layerNormalization", layer_normalization, layer_normalization, CALL_A)                      \
  ROW("leakyRelu", leaky_relu, leaky_relu, CALL_A)                                                 \
  ROW("linear", linear, linear, CALL_A)                                                            \
  ROW("matmul", matmul, operator, CALL_AB)                                                         \
  ROW("pad", pad, pad, CALL_A, call_list_at(c, 1), call_list_at(c, 2))                             \
  ROW("averagePool2d", average_pool2d, pool2d, CALL_A)                                             \
  ROW("l2Pool2d", l2_pool2d, pool2d, CALL_A)                                                       \
  ROW("maxPool2d", max_pool2d, pool2d, CALL_A)                                                     \
  ROW("prelu", prelu, operator, CALL_AB)                                                           \
  ROW("reduceL1", reduce_l1, reduce, CALL_A)                                                       \
  ROW("reduceL2", reduce_l2, reduce, CALL_A)                                                       \
  ROW("reduceLogSum", reduce_log_sum, reduce, CALL_A)                                              \
  ROW("reduceLogSumExp", reduce_log_sum_exp, reduce, CALL_A)                                       \
  ROW("reduceMax", reduce_max, reduce, CALL_A)                                                     \
  ROW("reduceMean", reduce_mean, reduce, CALL_A)                                                   \
  ROW("reduceMin", reduce_min, reduce, CALL_A)                                                     \
  ROW("reduceProduct", reduce_product, reduce, CALL_A)                                             \
  ROW("reduceSum", reduce_sum, reduce, CALL_A)                                                     \
  ROW("reduceSumSquare", reduce_sum_square, reduce, CALL_A)                                        \
  ROW("relu", relu, operator, CALL_A)                                                              \
  ROW("resample2d", resample2d, resample2d, CALL_A)                                                \
  ROW("reshape", reshape, operator, CALL_A, call_list_at(c, 1))                                    \
  ROW("reverse", reverse, reverse, CALL_A)                                                         \
  ROW("scatterElements", scatter_elements, scatter, CALL_ABC)                                      \
  ROW("scatterND", scatter_nd, operator, CALL_ABC)                                                 \
  ROW("sigmoid", sigmoid, operator, CALL_A)                                                        \
  ROW("slice", slice, slice, CALL_A, call_list_at(c, 1), call_list_at(c, 2))                       \
  ROW("softmax", softmax, operator, CALL_A, call_u32_at(c, 1))                                     \
  ROW("softplus", softplus, operator, CALL_A)                                                      \
  ROW("softsign", softsign, operator, CALL_A)                                                      \
  ROW("tanh", tanh, operator, CALL_A)                                                              \
  ROW("tile", tile, operator, CALL_A, call_list_at(c, 1))                                          \
  ROW("transpose", transpose, transpose, CALL_A)                                                   \
  ROW("triangular", triangular, triangular, CALL_A)                                                \
  ROW("where", where, operator, CALL_ABC)

/* The methods with several results, which have a function of their own below. */
#define CALL_LIST_METHODS(ROW)                                                                     \
  ROW("gru", gru, gru)                                                                             \
  ROW("lstm", lstm, lstm) ROW("lstmCell", lstm_cell, lstm_cell) ROW("split", split, split)

#define CALL_FUNCTION(name, c_name, options, ...)                                                  \
  static inline void call_##c_name(call *c) {                                                      \
    webnn_operand **output = call_outputs(c, 1);                                                   \
    *output = webnn_##c_name(c->builder, __VA_ARGS__,                                              \
                             (const webnn_##options##_options *)call_options_given(c));            \
    c->count = *output ? 1 : 0;                                                                    \
  }
CALL_METHODS(CALL_FUNCTION)
#undef CALL_FUNCTION

static inline void call_gru(call *c) {
  webnn_operand **outputs = call_outputs(c, c->options.gru.return_sequence ? 2 : 1);
  c->count = webnn_gru(c->builder, CALL_ABC, call_u32_at(c, 3), call_u32_at(c, 4),
                       (const webnn_gru_options *)call_options_given(c), outputs);
}

static inline void call_lstm(call *c) {
  webnn_operand **outputs = call_outputs(c, c->options.lstm.return_sequence ? 3 : 2);
  c->count = webnn_lstm(c->builder, CALL_ABC, call_u32_at(c, 3), call_u32_at(c, 4),
                        (const webnn_lstm_options *)call_options_given(c), outputs);
}

static inline void call_lstm_cell(call *c) {
  webnn_operand **outputs = call_outputs(c, 2);
  c->count = webnn_lstm_cell(c->builder, CALL_ABCD, call_operand_at(c, 4), call_u32_at(c, 5),
                             (const webnn_lstm_cell_options *)call_options_given(c), outputs);
}

static inline void call_split(call *c) {
  const webnn_split_options *options = (const webnn_split_options *)call_options_given(c);
  if (strcmp(call_argument_kind(c, 1), "number") == 0) {
    const uint32_t splits = call_u32_at(c, 1);
    c->count = webnn_split(c->builder, CALL_A, splits, options, call_outputs(c, splits));
  } else {
    const size_t count = call_count_at(c, 1, "numbers");
    c->count = webnn_split_sizes(c->builder, CALL_A, call_u32s_at(c, 1), count, options,
                                 call_outputs(c, count));
  }
}

typedef struct call_method {
  const char *name;
  void (*function)(call *c);
  const call_member *members;
} call_method;

static inline const call_method *call_find_method(const char *name) {
#define CALL_ROW(name_, c_name, options, ...) {name_, call_##c_name, call_##options##_members},
#define CALL_LIST_ROW(name_, c_name, options) {name_, call_##c_name, call_##options##_members},
  static const call_method methods[] = {CALL_METHODS(CALL_ROW)
                                            CALL_LIST_METHODS(CALL_LIST_ROW){NULL, NULL, NULL}};
#undef CALL_ROW
#undef CALL_LIST_ROW
  const call_method *method = methods;
  while (method->name && strcmp(method->name, name) != 0)
    method++;
  return method->name ? method : NULL;
}

static inline void call_take_arguments(call *c, const json *arguments, const call_method *method) {
  const json *argument;
  for (argument = json_first(arguments); argument; argument = argument->next) {
    if (c->argument_count == CALL_MAX_ARGUMENTS) {
      call_problem(c, "more arguments than the test can take");
      return;
    }
    c->arguments[c->argument_count++] = argument;
  }
  if (c->argument_count && strcmp(call_argument_kind(c, c->argument_count - 1), "options") == 0) {
    c->argument_count--;
    c->has_options = true;
    call_read_options(c, json_get(c->arguments[c->argument_count], "options"), method->members);
  }
}

/* Calls the method; false if it could not be called, and c->problem says why. c has builder, lookup
   and user set and zeros otherwise; call_free it in the end. A call that the binding refuses has
   been made, without outputs, and c->refusal says why. */
static inline bool call_by_name(call *c, const char *name, const json *arguments) {
  const call_method *method = call_find_method(name);
  size_t i;
  if (!method) {
    call_problem(c, "method %s is unknown to the test", name);
    return false;
  }
  call_take_arguments(c, arguments, method);
  if (c->problem[0] || c->refusal[0])
    return !c->problem[0];
  method->function(c);
  for (i = 0; i < c->argument_count; i++)
    if (!c->used[i])
      call_problem(c, "argument %d is unknown to the test", (int)i);
  json_release(&c->arena, true);
  return !c->problem[0];
}

/* ---- Elements of tensors --------------------------------------------------------------------- */

static inline size_t elements_byte_length(webnn_data_type type, size_t count) {
  return type == WEBNN_INT4 || type == WEBNN_UINT4 ? (count + 1) / 2
                                                   : count * (webnn_data_type_bits(type) / 8);
}

static inline bool elements_store_float(webnn_data_type type, void *bytes, size_t index,
                                        const json *value) {
  double number;
  if (!call_double(value, &number))
    return false;
  if (type == WEBNN_FLOAT32) {
    ((float *)bytes)[index] = (float)number;
    return true;
  }
  /* Only where the bit pattern is not given beside it, and then nothing may have to be rounded. */
  ((uint16_t *)bytes)[index] = webnn_float32_to_float16((float)number);
  return (double)webnn_float16_to_float32(((uint16_t *)bytes)[index]) == number;
}

/* The element at index, of an integer type and in its range. */
static inline bool elements_store_integer(webnn_data_type type, void *bytes, size_t index,
                                          const json *value) {
  const uint32_t bits = webnn_data_type_bits(type);
  const bool is_signed =
      type == WEBNN_INT64 || type == WEBNN_INT32 || type == WEBNN_INT8 || type == WEBNN_INT4;
  int64_t number;
  if (type == WEBNN_UINT64)
    return json_u64(value, (uint64_t *)bytes + index);
  if (!json_i64(value, &number))
    return false;
  if (type == WEBNN_INT64) {
    ((int64_t *)bytes)[index] = number;
    return true;
  }
  if (is_signed ? number < -((int64_t)1 << (bits - 1)) || number >= (int64_t)1 << (bits - 1)
                : number < 0 || number >= (int64_t)1 << bits)
    return false;
  if (bits == 4) {
    uint8_t *byte = (uint8_t *)bytes + index / 2;
    const uint32_t shift = index % 2 ? 4 : 0, nibble = (uint32_t)(number & 15);
    *byte = (uint8_t)((*byte & ~(15u << shift)) | nibble << shift);
  } else if (bits == 8) {
    ((uint8_t *)bytes)[index] = (uint8_t)(number & 0xFF);
  } else {
    ((uint32_t *)bytes)[index] = (uint32_t)(number & (int64_t)0xFFFFFFFF);
  }
  return true;
}

static inline bool elements_store_bits(void *bytes, size_t index, const json *value) {
  uint64_t bits;
  if (!json_u64(value, &bits) || bits > 0xFFFF)
    return false;
  ((uint16_t *)bytes)[index] = (uint16_t)bits;
  return true;
}

/* How the elements of a tensor stand in JSON: as one value or as a list, as bits or as numbers. */
typedef struct elements_source {
  const json *value;
  bool is_fill, is_bits;
} elements_source;

static inline elements_source elements_find(const json *tensor) {
  elements_source source = {NULL, false, false};
  source.is_fill = json_get(tensor, "fill") != NULL;
  source.value = json_get(tensor, source.is_fill ? "fillBits" : "bits");
  source.is_bits = source.value != NULL;
  if (!source.is_bits)
    source.value = json_get(tensor, source.is_fill ? "fill" : "data");
  return source;
}

static inline bool elements_store(webnn_data_type type, void *bytes, size_t index,
                                  const json *value, bool is_bits) {
  if (is_bits)
    return type == WEBNN_FLOAT16 && elements_store_bits(bytes, index, value);
  if (test_is_float(type))
    return elements_store_float(type, bytes, index, value);
  return elements_store_integer(type, bytes, index, value);
}

/* All elements of {"data" or "fill"}; false if there are not `count`, or not of this type. */
static inline bool elements_read(const json *tensor, webnn_data_type type, void *bytes,
                                 size_t count) {
  const elements_source source = elements_find(tensor);
  const bool packed = webnn_data_type_bits(type) == 4;
  const size_t size = elements_byte_length(type, 1);
  const json *item = source.is_fill ? source.value : json_first(source.value);
  size_t i;
  if (!source.value || (!source.is_fill && json_count(source.value) != count))
    return false;
  for (i = 0; i < count; i++) {
    if (source.is_fill && i > 0 && !packed)
      memcpy((char *)bytes + i * size, bytes, size);
    else if (!elements_store(type, bytes, i, item, source.is_bits))
      return false;
    if (!source.is_fill)
      item = item->next;
  }
  return true;
}

/* {"dataType", "shape"}. */
static inline bool elements_descriptor(const json *description,
                                       webnn_operand_descriptor *descriptor) {
  return call_data_type(json_get(description, "dataType"), &descriptor->data_type) &&
         call_list(json_get(description, "shape"), &descriptor->shape);
}

/* ---- Where the vectors are ------------------------------------------------------------------- */

/* "<vectors>/folder/name.json" in the buffer. */
static inline void vectors_path(char *path, size_t room, const char *folder, const char *name) {
  const char *root = getenv("WEBNN_WPT");
  snprintf(path, room, "%s/%s/%s.json", root && *root ? root : "../../shared/wpt", folder, name);
}

/* "abs.json" and "some/where/abs.json" name the same vectors as "abs". */
static inline void vectors_name(char *name, size_t room, const char *argument) {
  const char *slash = strrchr(argument, '/');
  size_t length;
  snprintf(name, room, "%s", slash ? slash + 1 : argument);
  length = strlen(name);
  if (length > 5 && strcmp(name + length - 5, ".json") == 0)
    name[length - 5] = 0;
}

static inline bool vectors_present(const char *folder, const char *name) {
  char path[1024];
  FILE *file;
  vectors_path(path, sizeof path, folder, name);
  file = fopen(path, "rb");
  if (file)
    fclose(file);
  return file != NULL;
}

#endif
