/* The methods of MLGraphBuilder by name. One table has the methods with their arguments, one the
   members of each options struct, one the values of each enumeration; what they do not know is
   refused with the place where it stands. The signatures that `explain` prints come from the same
   table. The methods of the draft of dynamic shapes are in it, too. */
#include "read.h"

#include <stdlib.h>
#include <string.h>

/* ---- Enumerations ---------------------------------------------------------------------------- */

typedef struct enumerator {
  const char *name;
  int value;
  const char *c_name;
} enumerator;

#define END                                                                                        \
  { NULL, 0, NULL }
#define V(name, value)                                                                             \
  { name, value, #value }
static const enumerator data_types[] = {V("float32", WEBNN_FLOAT32),
                                        V("float16", WEBNN_FLOAT16),
                                        V("int32", WEBNN_INT32),
                                        V("uint32", WEBNN_UINT32),
                                        V("int64", WEBNN_INT64),
                                        V("uint64", WEBNN_UINT64),
                                        V("int8", WEBNN_INT8),
                                        V("uint8", WEBNN_UINT8),
                                        V("int4", WEBNN_INT4),
                                        V("uint4", WEBNN_UINT4),
                                        END};
static const enumerator input_layouts[] = {V("nchw", WEBNN_LAYOUT_NCHW),
                                           V("nhwc", WEBNN_LAYOUT_NHWC), END};
static const enumerator conv2d_filter_layouts[] = {
    V("oihw", WEBNN_CONV2D_OIHW), V("hwio", WEBNN_CONV2D_HWIO), V("ohwi", WEBNN_CONV2D_OHWI),
    V("ihwo", WEBNN_CONV2D_IHWO), END};
static const enumerator conv_transpose2d_filter_layouts[] = {
    V("iohw", WEBNN_CONV_TRANSPOSE2D_IOHW), V("hwoi", WEBNN_CONV_TRANSPOSE2D_HWOI),
    V("ohwi", WEBNN_CONV_TRANSPOSE2D_OHWI), END};
static const enumerator gru_layouts[] = {V("zrn", WEBNN_GRU_ZRN), V("rzn", WEBNN_GRU_RZN), END};
static const enumerator lstm_layouts[] = {V("iofg", WEBNN_LSTM_IOFG), V("ifgo", WEBNN_LSTM_IFGO),
                                          END};
static const enumerator activation_names[] = {V("relu", WEBNN_ACTIVATION_RELU),
                                              V("sigmoid", WEBNN_ACTIVATION_SIGMOID),
                                              V("tanh", WEBNN_ACTIVATION_TANH), END};
static const enumerator directions[] = {V("forward", WEBNN_DIRECTION_FORWARD),
                                        V("backward", WEBNN_DIRECTION_BACKWARD),
                                        V("both", WEBNN_DIRECTION_BOTH), END};
static const enumerator padding_modes[] = {
    V("constant", WEBNN_PADDING_CONSTANT), V("edge", WEBNN_PADDING_EDGE),
    V("reflection", WEBNN_PADDING_REFLECTION), V("symmetric", WEBNN_PADDING_SYMMETRIC), END};
static const enumerator roundings[] = {V("floor", WEBNN_ROUNDING_FLOOR),
                                       V("ceil", WEBNN_ROUNDING_CEIL), END};
static const enumerator interpolations[] = {
    V("nearest-neighbor", WEBNN_INTERPOLATION_NEAREST_NEIGHBOR),
    V("linear", WEBNN_INTERPOLATION_LINEAR), END};
#undef V

/* "a, b, c" */
static const char *enumerator_names(arena *memory, const enumerator *values) {
  const char *text = values->name;
  while ((++values)->name)
    text = take_text(memory, "%s, %s", text, values->name);
  return text;
}

static bool read_enumerator(arena *memory, const json *value, const enumerator *values,
                            int *number) {
  const char *text = json_string(value);
  const enumerator *e = values;
  while (text && e->name && strcmp(e->name, text) != 0)
    e++;
  if (!text || !e->name)
    return text
               ? complain(value, "\"%s\" must be one of %s", text, enumerator_names(memory, values))
               : must_be(value, take_text(memory, "one of %s", enumerator_names(memory, values)));
  *number = e->value;
  return true;
}

/* ---- Lists and numbers ----------------------------------------------------------------------- */

static bool expect_list(const json *value) {
  return (value && value->kind == JSON_ARRAY) || must_be(value, "a list");
}

/* As many items as the JSON has, a dynamic dimension in place of one; NULL after a complaint, and
   never for an empty list. */
static const uint32_t *read_items(const method_call *c, const json *value) {
  uint32_t *items = (uint32_t *)take(c->memory, (json_count(value) + 1) * sizeof *items);
  uint32_t *next = items;
  if (!expect_list(value))
    return NULL;
  for (const json *item = value->first; item; item = item->next, next++) {
    if (item->kind == JSON_OBJECT && c->dimension) {
      if (!c->dimension(c->user, item, next))
        return NULL;
    } else if (!json_u32(item, next)) {
      must_be(item, "an unsigned long (0 to 4294967295)");
      return NULL;
    }
  }
  return items;
}

/* Lists are given, even when empty. Of too many items the count is kept, which the builder sees. */
static bool read_list(const method_call *c, const json *value, webnn_list *list) {
  const uint32_t *items = read_items(c, value);
  if (items)
    *list = webnn_list_of(items, value->length);
  return items != NULL;
}

static bool read_float_list(const json *value, webnn_float_list *list) {
  double number;
  if (!expect_list(value))
    return false;
  list->given = true;
  for (const json *item = value->first; item; item = item->next, list->count++) {
    if (!json_double(item, &number))
      return must_be(item, "a number");
    if (list->count < WEBNN_MAX_RANK)
      list->items[list->count] = (float)number;
  }
  return true;
}

static bool read_activations(arena *memory, const json *value, webnn_activation_list *list) {
  int number;
  if (!expect_list(value))
    return false;
  list->given = true;
  for (const json *item = value->first; item; item = item->next, list->count++) {
    if (!read_enumerator(memory, item, activation_names, &number))
      return false;
    if (list->count < WEBNN_MAX_RANK)
      list->items[list->count] = (webnn_recurrent_network_activation)number;
  }
  return true;
}

/* MLNumber: a double, or a BigInt in decimal. One outside of 64 bits becomes the nearest that fits
   (strtoll and strtoull clamp). */
static bool read_number(const json *value, webnn_number *number) {
  const char *text = json_string(value);
  double real;
  char *end;
  if (strcmp(value->name, "bigint") != 0) {
    *number = webnn_f64(0.0);
    if (!json_double(value, &real))
      return must_be(value, "a number");
    *number = webnn_f64(real);
    return true;
  }
  if (!text || !*text || strspn(text + (*text == '-'), "0123456789") == 0)
    return must_be(value, "an integer as a string");
  if (*text == '-') {
    *number = webnn_i64((int64_t)strtoll(text, &end, 10));
  } else {
    const uint64_t magnitude = (uint64_t)strtoull(text, &end, 10);
    *number = magnitude <= INT64_MAX ? webnn_i64((int64_t)magnitude) : webnn_u64(magnitude);
  }
  return end == text + value->length || must_be(value, "an integer as a string");
}

/* The same as an unsigned long: a double is truncated. False, without a complaint, where there is
   none. */
static bool to_u32(const webnn_number *given, uint32_t *number) {
  const bool real = given->kind == WEBNN_NUMBER_DOUBLE;
  if (real ? !(given->f64 > -1.0 && given->f64 < 4294967296.0) : given->integer > UINT32_MAX)
    return false; /* a negative integer is large in two's complement */
  *number = real ? (uint32_t)given->f64 : (uint32_t)given->integer;
  return true;
}

/* ---- Options: the members of each struct ----------------------------------------------------- */

typedef enum member_kind {
  MEMBER_LABEL,
  MEMBER_NUMBER,
  MEMBER_U32,
  MEMBER_COUNT, /* the same, but not 0 */
  MEMBER_OPERAND,
  MEMBER_LIST,
  MEMBER_FLOAT_LIST,
  MEMBER_ACTIVATIONS,
  MEMBER_BOOL,    /* default false */
  MEMBER_BOOLEAN, /* default true: the interface has its opposite */
  MEMBER_I32,
  MEMBER_ENUM
} member_kind;

/* What stands before the value in the JSON. */
static const char *const member_kind_names[] = {"string",  "number",  "number",  "number",
                                                "operand", "numbers", "numbers", "strings",
                                                "bool",    "bool",    "number",  "string"};

typedef struct member {
  const char *name;   /* the specification's */
  const char *c_name; /* of the member */
  member_kind kind;
  size_t offset;
  const enumerator *values; /* of an enumeration */
} member;

typedef union any_options {
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
} any_options;

#define MEMBER(options, c_name, name, kind, values)                                                \
  { name, #c_name, MEMBER_##kind, offsetof(webnn_##options##_options, c_name), values }
#define MEMBERS(options, ...)                                                                      \
  static const member options##_members[] = {MEMBER(options, label, "label", LABEL, NULL),         \
                                             __VA_ARGS__{NULL, NULL, MEMBER_LABEL, 0, NULL}};
/* A member whose name is the specification's, and one whose name is spelt in C's way. */
#define M(options, name, kind) MEMBER(options, name, #name, kind, NULL),
#define N(options, c_name, name, kind) MEMBER(options, c_name, #name, kind, NULL),
#define E(options, c_name, name, values) MEMBER(options, c_name, #name, ENUM, values),
#define RECURRENT(options)                                                                         \
  M(options, bias, OPERAND)                                                                        \
  N(options, recurrent_bias, recurrentBias, OPERAND)                                               \
  N(options, initial_hidden_state, initialHiddenState, OPERAND)                                    \
  N(options, return_sequence, returnSequence, BOOL)                                                \
  E(options, direction, direction, directions)

/* clang-format off */
MEMBERS(operator, )
MEMBERS(arg_min_max, N(arg_min_max, keep_dimensions, keepDimensions, BOOL)
        E(arg_min_max, output_data_type, outputDataType, data_types))
MEMBERS(batch_normalization, M(batch_normalization, scale, OPERAND)
        M(batch_normalization, bias, OPERAND) M(batch_normalization, axis, NUMBER)
        M(batch_normalization, epsilon, NUMBER))
MEMBERS(clamp, N(clamp, min_value, minValue, NUMBER) N(clamp, max_value, maxValue, NUMBER))
MEMBERS(conv2d, M(conv2d, padding, LIST) M(conv2d, strides, LIST) M(conv2d, dilations, LIST)
        M(conv2d, groups, COUNT) E(conv2d, input_layout, inputLayout, input_layouts)
        E(conv2d, filter_layout, filterLayout, conv2d_filter_layouts) M(conv2d, bias, OPERAND))
MEMBERS(conv_transpose2d, M(conv_transpose2d, padding, LIST) M(conv_transpose2d, strides, LIST)
        M(conv_transpose2d, dilations, LIST)
        N(conv_transpose2d, output_padding, outputPadding, LIST)
        N(conv_transpose2d, output_sizes, outputSizes, LIST) M(conv_transpose2d, groups, COUNT)
        E(conv_transpose2d, input_layout, inputLayout, input_layouts)
        E(conv_transpose2d, filter_layout, filterLayout, conv_transpose2d_filter_layouts)
        M(conv_transpose2d, bias, OPERAND))
MEMBERS(cumulative_sum, M(cumulative_sum, exclusive, BOOL) M(cumulative_sum, reversed, BOOL))
MEMBERS(elu, M(elu, alpha, NUMBER))
MEMBERS(gather, M(gather, axis, U32))
MEMBERS(gemm, M(gemm, c, OPERAND) M(gemm, alpha, NUMBER) M(gemm, beta, NUMBER)
        N(gemm, a_transpose, aTranspose, BOOL) N(gemm, b_transpose, bTranspose, BOOL))
MEMBERS(gru, RECURRENT(gru) N(gru, reset_before, resetAfter, BOOLEAN)
        E(gru, layout, layout, gru_layouts) M(gru, activations, ACTIVATIONS))
MEMBERS(gru_cell, M(gru_cell, bias, OPERAND) N(gru_cell, recurrent_bias, recurrentBias, OPERAND)
        N(gru_cell, reset_before, resetAfter, BOOLEAN) E(gru_cell, layout, layout, gru_layouts)
        M(gru_cell, activations, ACTIVATIONS))
MEMBERS(hard_sigmoid, M(hard_sigmoid, alpha, NUMBER) M(hard_sigmoid, beta, NUMBER))
MEMBERS(instance_normalization, M(instance_normalization, scale, OPERAND)
        M(instance_normalization, bias, OPERAND) M(instance_normalization, epsilon, NUMBER)
        E(instance_normalization, layout, layout, input_layouts))
MEMBERS(layer_normalization, M(layer_normalization, scale, OPERAND)
        M(layer_normalization, bias, OPERAND) M(layer_normalization, axes, LIST)
        M(layer_normalization, epsilon, NUMBER))
MEMBERS(leaky_relu, M(leaky_relu, alpha, NUMBER))
MEMBERS(linear, M(linear, alpha, NUMBER) M(linear, beta, NUMBER))
MEMBERS(lstm, RECURRENT(lstm) N(lstm, peephole_weight, peepholeWeight, OPERAND)
        N(lstm, initial_cell_state, initialCellState, OPERAND)
        E(lstm, layout, layout, lstm_layouts) M(lstm, activations, ACTIVATIONS))
MEMBERS(lstm_cell, M(lstm_cell, bias, OPERAND)
        N(lstm_cell, recurrent_bias, recurrentBias, OPERAND)
        N(lstm_cell, peephole_weight, peepholeWeight, OPERAND)
        E(lstm_cell, layout, layout, lstm_layouts) M(lstm_cell, activations, ACTIVATIONS))
MEMBERS(pad, E(pad, mode, mode, padding_modes) M(pad, value, NUMBER))
MEMBERS(pool2d, N(pool2d, window_dimensions, windowDimensions, LIST) M(pool2d, padding, LIST)
        M(pool2d, strides, LIST) M(pool2d, dilations, LIST) E(pool2d, layout, layout, input_layouts)
        E(pool2d, output_shape_rounding, outputShapeRounding, roundings)
        N(pool2d, output_sizes, outputSizes, LIST))
MEMBERS(reduce, M(reduce, axes, LIST) N(reduce, keep_dimensions, keepDimensions, BOOL))
MEMBERS(resample2d, E(resample2d, mode, mode, interpolations) M(resample2d, scales, FLOAT_LIST)
        M(resample2d, sizes, LIST) M(resample2d, axes, LIST))
MEMBERS(reverse, M(reverse, axes, LIST))
MEMBERS(scatter, M(scatter, axis, U32))
MEMBERS(slice, M(slice, strides, LIST))
MEMBERS(split, M(split, axis, U32))
MEMBERS(transpose, M(transpose, permutation, LIST))
MEMBERS(triangular, N(triangular, lower, upper, BOOLEAN) M(triangular, diagonal, I32))
/* clang-format on */
#undef M
#undef N
#undef E

/* ---- A call in the making -------------------------------------------------------------------- */

enum { MAX_ARGUMENTS = 8 };

typedef struct making {
  method_call *call;
  const char *name;                     /* of the method */
  const json *arguments[MAX_ARGUMENTS]; /* {"name", KIND: value}, without the options */
  size_t argument_count, used;
  bool has_options;
  any_options options;
  bool wrong; /* there has been a complaint */
} making;

/* The one member of an argument or option that is not its name; NULL after a complaint. */
static const json *kind_of(const json *argument) {
  const json *kind = NULL;
  for (const json *m = json_items(argument, JSON_OBJECT); m; m = m->next) {
    if (strcmp(m->name, "name") == 0)
      continue;
    if (kind) {
      complain(m, "a value must be of one kind; this is of two, %s and %s", kind->name, m->name);
      return NULL;
    }
    kind = m;
  }
  if (!kind)
    must_be(argument, "a value with its kind, such as {\"operand\": \"x\"}");
  return kind;
}

static bool store_scalar(const member *m, const json *value, char *to) {
  double real;
  int32_t number;
  bool truth = json_is_true(value);
  if (m->kind == MEMBER_I32) {
    if (value->kind != JSON_NUMBER || !json_double(value, &real) || real < INT32_MIN ||
        real > INT32_MAX || real != (double)(int32_t)real)
      return must_be(value, "a long (-2147483648 to 2147483647)");
    number = (int32_t)real; /* -0 and 2.0 are integers */
    memcpy(to, &number, sizeof number);
    return true;
  }
  if (!truth && value->kind != JSON_FALSE)
    return must_be(value, "true or false");
  truth = truth != (m->kind == MEMBER_BOOLEAN);
  memcpy(to, &truth, sizeof truth);
  return true;
}

/* What the specification's interface layer refuses; the C interface cannot be given it. */
static bool store_u32(const making *k, const member *m, const json *value, char *to) {
  webnn_number given;
  uint32_t number;
  if (!read_number(value, &given))
    return false;
  if (!to_u32(&given, &number))
    return complain(value, "TypeError: %s \"%s\": %s (%.*s) must be 0 to 4294967295", k->name,
                    k->call->label, m->name, (int)value->length, value->text);
  if (number == 0 && m->kind == MEMBER_COUNT)
    return complain(value, "TypeError: %s \"%s\": %s must not be 0", k->name, k->call->label,
                    m->name);
  memcpy(to, &number, sizeof number);
  return true;
}

static bool store_member(making *k, const member *m, const json *value) {
  char *to = (char *)&k->options + m->offset;
  arena *memory = k->call->memory;
  webnn_operand *operand;
  int number;
  switch (m->kind) {
  case MEMBER_LABEL: /* the tool sets its own: the name of the first output */
    return json_string(value) != NULL || must_be(value, "a string");
  case MEMBER_NUMBER:
    return read_number(value, (webnn_number *)(void *)to);
  case MEMBER_U32:
  case MEMBER_COUNT:
    return store_u32(k, m, value, to);
  case MEMBER_OPERAND:
    operand = k->call->lookup(k->call->user, value);
    memcpy(to, &operand, sizeof operand);
    return operand != NULL;
  case MEMBER_LIST:
    return read_list(k->call, value, (webnn_list *)(void *)to);
  case MEMBER_FLOAT_LIST:
    return read_float_list(value, (webnn_float_list *)(void *)to);
  case MEMBER_ACTIVATIONS:
    return read_activations(memory, value, (webnn_activation_list *)(void *)to);
  case MEMBER_ENUM: /* every enumeration of the interface is as wide as int */
    if (!read_enumerator(memory, value, m->values, &number))
      return false;
    memcpy(to, &number, sizeof number);
    return true;
  default:
    return store_scalar(m, value, to);
  }
}

static bool takes_bigint(const member *m) {
  return m->kind == MEMBER_NUMBER || m->kind == MEMBER_U32 || m->kind == MEMBER_COUNT;
}

static bool read_options(making *k, const json *options, const member *members) {
  if (options->kind != JSON_OBJECT)
    return must_be(options, "an object of options");
  for (const json *option = options->first; option; option = option->next) {
    const member *m = members;
    const json *value = kind_of(option);
    while (m->name && strcmp(m->name, option->name) != 0)
      m++;
    if (!value)
      return false;
    if (!m->name)
      return complain(option, "the operator has no option \"%s\"", option->name);
    if (strcmp(value->name, member_kind_names[m->kind]) != 0 &&
        !(takes_bigint(m) && strcmp(value->name, "bigint") == 0))
      return complain(value, "option \"%s\" takes a value of kind \"%s\", not \"%s\"", option->name,
                      member_kind_names[m->kind], value->name);
    if (!store_member(k, m, value))
      return false;
  }
  return true;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* The value of an argument that must be of this kind; NULL after a complaint. */
static const json *argument(making *k, size_t index, const char *kind, const char *name) {
  const json *value;
  if (k->used < index + 1)
    k->used = index + 1;
  if (k->wrong)
    return NULL;
  if (index >= k->argument_count) {
    complain(k->call->operator_node, "argument %d, %s, is missing", (int)index + 1, name);
    k->wrong = true;
    return NULL;
  }
  value = kind_of(k->arguments[index]);
  if (value && strcmp(value->name, kind) != 0) {
    complain(value, "argument %d, %s, takes a value of kind \"%s\", not \"%s\"", (int)index + 1,
             name, kind, value->name);
    value = NULL;
  }
  k->wrong = value == NULL;
  return value;
}

static webnn_operand *operand_argument(making *k, size_t index, const char *name) {
  const json *value = argument(k, index, "operand", name);
  webnn_operand *operand = value ? k->call->lookup(k->call->user, value) : NULL;
  k->wrong = k->wrong || !operand;
  return operand;
}

static webnn_operand **operands_argument(making *k, size_t index, const char *name, size_t *count) {
  const json *value = argument(k, index, "operands", name);
  webnn_operand **operands =
      (webnn_operand **)take(k->call->memory, (json_count(value) + 1) * sizeof *operands);
  webnn_operand **next = operands;
  *count = json_count(value);
  k->wrong = k->wrong || !expect_list(value);
  for (const json *item = json_items(value, JSON_ARRAY); item && !k->wrong; item = item->next) {
    *next = k->call->lookup(k->call->user, item);
    k->wrong = *next++ == NULL;
  }
  return operands;
}

static uint32_t u32_argument(making *k, size_t index, const char *name) {
  const json *value = argument(k, index, "number", name);
  uint32_t number = 0;
  if (value && !json_u32(value, &number)) {
    must_be(value, "an unsigned long (0 to 4294967295)");
    k->wrong = true;
  }
  return number;
}

static webnn_list list_argument(making *k, size_t index, const char *name) {
  const json *value = argument(k, index, "numbers", name);
  webnn_list list = WEBNN_ZERO;
  if (value && !read_list(k->call, value, &list))
    k->wrong = true;
  return list;
}

static webnn_data_type type_argument(making *k, size_t index, const char *name) {
  const json *value = argument(k, index, "string", name);
  int number = 0;
  if (value && !read_enumerator(k->call->memory, value, data_types, &number))
    k->wrong = true;
  return (webnn_data_type)number;
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* The methods with one result: C name, options struct, then the arguments before the options. The
   macros of the arguments are defined twice below: as what takes them, and as what shows them. */
/* clang-format off */
#define UNARY(ROW, method) ROW(method, operator, OPERAND(0, input))
#define BINARY(ROW, method) ROW(method, operator, OPERAND(0, a) OPERAND(1, b))
#define REDUCE(ROW, method) ROW(method, reduce, OPERAND(0, input))
#define METHODS(ROW)                                                                               \
  ROW(arg_min, arg_min_max, OPERAND(0, input) U32(1, axis))                                        \
  ROW(arg_max, arg_min_max, OPERAND(0, input) U32(1, axis))                                        \
  ROW(batch_normalization, batch_normalization,                                                    \
      OPERAND(0, input) OPERAND(1, mean) OPERAND(2, variance))                                     \
  ROW(cast, operator, OPERAND(0, input) TYPE(1, data_type))                                        \
  ROW(clamp, clamp, OPERAND(0, input))                                                             \
  ROW(conv2d, conv2d, OPERAND(0, input) OPERAND(1, filter))                                        \
  ROW(conv_transpose2d, conv_transpose2d, OPERAND(0, input) OPERAND(1, filter))                    \
  ROW(cumulative_sum, cumulative_sum, OPERAND(0, input) U32(1, axis))                              \
  BINARY(ROW, add) BINARY(ROW, sub) BINARY(ROW, mul) BINARY(ROW, div) BINARY(ROW, max)             \
  BINARY(ROW, min) BINARY(ROW, pow) BINARY(ROW, equal) BINARY(ROW, not_equal)                      \
  BINARY(ROW, greater) BINARY(ROW, greater_or_equal) BINARY(ROW, lesser)                           \
  BINARY(ROW, lesser_or_equal) ROW(logical_not, operator, OPERAND(0, a))                           \
  BINARY(ROW, logical_and) BINARY(ROW, logical_or) BINARY(ROW, logical_xor)                        \
  ROW(is_nan, operator, OPERAND(0, a)) ROW(is_infinite, operator, OPERAND(0, a))                   \
  UNARY(ROW, abs) UNARY(ROW, ceil) UNARY(ROW, cos) UNARY(ROW, erf) UNARY(ROW, exp)                 \
  UNARY(ROW, floor) UNARY(ROW, identity) UNARY(ROW, log) UNARY(ROW, neg) UNARY(ROW, reciprocal)    \
  UNARY(ROW, round_even) UNARY(ROW, sign) UNARY(ROW, sin) UNARY(ROW, sqrt) UNARY(ROW, tan)         \
  ROW(dequantize_linear, operator, OPERAND(0, input) OPERAND(1, scale) OPERAND(2, zero_point))     \
  ROW(quantize_linear, operator, OPERAND(0, input) OPERAND(1, scale) OPERAND(2, zero_point))       \
  ROW(elu, elu, OPERAND(0, input))                                                                 \
  ROW(expand, operator, OPERAND(0, input) LIST(1, new_shape))                                      \
  ROW(gather, gather, OPERAND(0, input) OPERAND(1, indices))                                       \
  ROW(gather_elements, gather, OPERAND(0, input) OPERAND(1, indices))                              \
  ROW(gather_nd, operator, OPERAND(0, input) OPERAND(1, indices))                                  \
  UNARY(ROW, gelu)                                                                                 \
  ROW(gemm, gemm, OPERAND(0, a) OPERAND(1, b))                                                     \
  ROW(gru_cell, gru_cell, OPERAND(0, input) OPERAND(1, weight) OPERAND(2, recurrent_weight)        \
      OPERAND(3, hidden_state) U32(4, hidden_size))                                                \
  ROW(hard_sigmoid, hard_sigmoid, OPERAND(0, input))                                               \
  UNARY(ROW, hard_swish)                                                                           \
  ROW(instance_normalization, instance_normalization, OPERAND(0, input))                           \
  ROW(layer_normalization, layer_normalization, OPERAND(0, input))                                 \
  ROW(leaky_relu, leaky_relu, OPERAND(0, input))                                                   \
  ROW(linear, linear, OPERAND(0, input))                                                           \
  BINARY(ROW, matmul)                                                                              \
  ROW(pad, pad, OPERAND(0, input) LIST(1, beginning_padding) LIST(2, ending_padding))              \
  ROW(average_pool2d, pool2d, OPERAND(0, input))                                                   \
  ROW(l2_pool2d, pool2d, OPERAND(0, input))                                                        \
  ROW(max_pool2d, pool2d, OPERAND(0, input))                                                       \
  ROW(prelu, operator, OPERAND(0, input) OPERAND(1, slope))                                        \
  REDUCE(ROW, reduce_l1) REDUCE(ROW, reduce_l2) REDUCE(ROW, reduce_log_sum)                        \
  REDUCE(ROW, reduce_log_sum_exp) REDUCE(ROW, reduce_max) REDUCE(ROW, reduce_mean)                 \
  REDUCE(ROW, reduce_min) REDUCE(ROW, reduce_product) REDUCE(ROW, reduce_sum)                      \
  REDUCE(ROW, reduce_sum_square)                                                                   \
  UNARY(ROW, relu)                                                                                 \
  ROW(resample2d, resample2d, OPERAND(0, input))                                                   \
  ROW(reshape, operator, OPERAND(0, input) LIST(1, new_shape))                                     \
  ROW(reverse, reverse, OPERAND(0, input))                                                         \
  ROW(scatter_elements, scatter, OPERAND(0, input) OPERAND(1, indices) OPERAND(2, updates))        \
  ROW(scatter_nd, operator, OPERAND(0, input) OPERAND(1, indices) OPERAND(2, updates))             \
  UNARY(ROW, sigmoid)                                                                              \
  ROW(slice, slice, OPERAND(0, input) LIST(1, starts) LIST(2, sizes))                              \
  ROW(softmax, operator, OPERAND(0, input) U32(1, axis))                                           \
  UNARY(ROW, softplus) UNARY(ROW, softsign) UNARY(ROW, tanh)                                       \
  ROW(tile, operator, OPERAND(0, input) LIST(1, repetitions))                                      \
  ROW(transpose, transpose, OPERAND(0, input))                                                     \
  ROW(triangular, triangular, OPERAND(0, input))                                                   \
  ROW(where, operator, OPERAND(0, condition) OPERAND(1, true_value) OPERAND(2, false_value))

/* Those of the draft of dynamic shapes, and the helpers that it has: operands whose elements are
   sizes in place of lists. */
#define DRAFT_METHODS(ROW)                                                                         \
  ROW(unsqueeze, operator, OPERAND(0, input) LIST(1, axes))                                        \
  ROW(flatten, operator, OPERAND(0, input) U32(1, axis))                                           \
  ROW(shape, operator, OPERAND(0, input))                                                          \
  ROW(range, operator, SIZES(0, start) SIZES(1, limit) SIZES(2, delta))                            \
  BINARY(ROW, modulus_floor) BINARY(ROW, modulus_truncate)                                         \
  ROW(reshape_dynamic, operator, OPERAND(0, input) SIZES(1, new_shape))                            \
  ROW(expand_dynamic, operator, OPERAND(0, input) SIZES(1, new_shape))                             \
  ROW(slice_dynamic, slice, OPERAND(0, input) SIZES(1, starts) SIZES(2, sizes))                    \
  ROW(pad_dynamic, pad,                                                                            \
      OPERAND(0, input) SIZES(1, beginning_padding) SIZES(2, ending_padding))                      \
  ROW(tile_dynamic, operator, OPERAND(0, input) SIZES(1, repetitions))                             \
  ROW(resample2d_dynamic, resample2d, OPERAND(0, input) SIZES(1, sizes))

/* Its axes are an option, as in the draft and not in C: without them every dimension of size 1
   goes. It has a function of its own below. */
#define SQUEEZE_METHOD(ROW) ROW(squeeze, operator, OPERAND(0, input))

/* With one result, too, but a list of operands is two arguments in C: it has a function of its own
   below. */
#define CONCAT_METHOD(ROW)                                                                         \
  ROW(concat, operator, OPERANDS(0, inputs, input_count) U32(1, axis))

/* The methods with several results, which have a function of their own below. */
#define RECURRENT_ARGUMENTS                                                                        \
  OPERAND(0, input) OPERAND(1, weight) OPERAND(2, recurrent_weight)
#define LIST_METHODS(ROW)                                                                          \
  ROW(gru, gru, RECURRENT_ARGUMENTS U32(3, steps) U32(4, hidden_size))                             \
  ROW(lstm, lstm, RECURRENT_ARGUMENTS U32(3, steps) U32(4, hidden_size))                           \
  ROW(lstm_cell, lstm_cell, RECURRENT_ARGUMENTS OPERAND(3, hidden_state) OPERAND(4, cell_state)    \
      U32(5, hidden_size))                                                                         \
  ROW(split, split, OPERAND(0, input) U32(1, splits))                                              \
  ROW(split_dynamic, split, OPERAND(0, input) SIZES(1, splits))
/* clang-format on */

#define OPERAND(i, name) operand_argument(k, i, #name),
#define SIZES(i, name) OPERAND(i, name)
#define U32(i, name) u32_argument(k, i, #name),
#define LIST(i, name) list_argument(k, i, #name),
#define TYPE(i, name) type_argument(k, i, #name),

/* Missing operands are NULL here, and the builder refuses them: the call is made in any case, and
   `wrong` says that its error is not the first. */
#define FUNCTION(c_name, options_name, arguments_)                                                 \
  static size_t make_##c_name(making *k, webnn_operand **outputs) {                                \
    const webnn_##options_name##_options *options =                                                \
        (const webnn_##options_name##_options *)(const void *)&k->options;                         \
    outputs[0] = webnn_##c_name(k->call->builder, arguments_ options);                             \
    return outputs[0] ? 1 : 0;                                                                     \
  }
METHODS(FUNCTION)
DRAFT_METHODS(FUNCTION)
#undef FUNCTION

static size_t make_squeeze(making *k, webnn_operand **outputs) {
  webnn_operand *input = operand_argument(k, 0, "input");
  const webnn_list axes = k->options.reverse.axes;
  webnn_operator_options options = WEBNN_ZERO;
  options.label = k->options.reverse.label;
  outputs[0] = webnn_squeeze(k->call->builder, input, axes, &options);
  return outputs[0] ? 1 : 0;
}

static size_t make_concat(making *k, webnn_operand **outputs) {
  size_t count;
  webnn_operand **inputs = operands_argument(k, 0, "inputs", &count);
  const uint32_t axis = u32_argument(k, 1, "axis");
  outputs[0] = webnn_concat(k->call->builder, inputs, count, axis, &k->options.operator_options);
  return outputs[0] ? 1 : 0;
}

static size_t make_gru(making *k, webnn_operand **outputs) {
  const webnn_gru_options *options = &k->options.gru;
  return webnn_gru(k->call->builder, RECURRENT_ARGUMENTS U32(3, steps) U32(4, hidden_size) options,
                   outputs);
}

static size_t make_lstm(making *k, webnn_operand **outputs) {
  const webnn_lstm_options *options = &k->options.lstm;
  return webnn_lstm(k->call->builder, RECURRENT_ARGUMENTS U32(3, steps) U32(4, hidden_size) options,
                    outputs);
}

static size_t make_lstm_cell(making *k, webnn_operand **outputs) {
  const webnn_lstm_cell_options *options = &k->options.lstm_cell;
  return webnn_lstm_cell(k->call->builder,
                         RECURRENT_ARGUMENTS OPERAND(3, hidden_state) OPERAND(4, cell_state)
                             U32(5, hidden_size) options,
                         outputs);
}

/* Room for the parts of a split that may be refused, as one into more equal parts than any dimension
   of the input has elements is. */
static webnn_operand **room_for_parts(const making *k, const webnn_operand *input, size_t count,
                                      bool equal) {
  const webnn_list shape = webnn_operand_shape(input);
  uint32_t most = 1;
  for (uint32_t i = 0; i < shape.count; i++)
    most = shape.items[i] > most ? shape.items[i] : most;
  if (equal && count > most)
    count = 1;
  return (webnn_operand **)take(k->call->memory,
                                (count + k->call->output_count) * sizeof(webnn_operand *));
}

/* Into equal parts or parts of given sizes. The outputs have room for as many as the JSON names. */
static size_t make_split(making *k, webnn_operand **outputs) {
  const json *kind = k->argument_count > 1 ? kind_of(k->arguments[1]) : NULL;
  const bool sizes = kind && strcmp(kind->name, "numbers") == 0;
  const uint32_t splits = sizes ? 0 : u32_argument(k, 1, "splits");
  const json *list = sizes ? argument(k, 1, "numbers", "splits") : NULL;
  const uint32_t *items = list ? read_items(k->call, list) : NULL;
  const size_t count = sizes ? json_count(list) : splits;
  webnn_operand *input, **parts;
  size_t made;
  k->wrong = k->wrong || (sizes && !items);
  input = operand_argument(k, 0, "input");
  if (!k->wrong && !k->call->any_count && count != k->call->output_count) {
    complain(k->call->operator_node, "split gives %lu results; \"outputs\" names %lu",
             (unsigned long)count, (unsigned long)k->call->output_count);
    k->wrong = true;
  }
  if (k->wrong)
    return 0;
  parts = k->call->any_count ? room_for_parts(k, input, count, !sizes) : outputs;
  made = sizes ? webnn_split_sizes(k->call->builder, input, items, count, &k->options.split, parts)
               : webnn_split(k->call->builder, input, splits, &k->options.split, parts);
  for (size_t i = 0; i < made && i < k->call->output_count; i++)
    outputs[i] = parts[i];
  return made;
}

/* As many parts as the operand has elements; where that is not known the builder refuses it. */
static size_t make_split_dynamic(making *k, webnn_operand **outputs) {
  webnn_operand *input = operand_argument(k, 0, "input");
  webnn_operand *splits = operand_argument(k, 1, "splits");
  const webnn_list shape = webnn_operand_shape(splits);
  const bool counted = shape.count == 1 && shape.items[0] < WEBNN_DYNAMIC_DIMENSION;
  const size_t count = counted ? shape.items[0] : 1;
  webnn_operand **parts;
  size_t made;
  if (k->wrong)
    return 0;
  parts = room_for_parts(k, input, count, true);
  made = webnn_split_dynamic(k->call->builder, input, splits, &k->options.split, parts);
  for (size_t i = 0; i < made && i < k->call->output_count; i++)
    outputs[i] = parts[i];
  return made;
}
#undef OPERAND
#undef SIZES
#undef U32
#undef LIST
#undef TYPE

/* An argument before the options: the kind of its value in JSON, its type in C, and where it is an
   array, how the count of its items is called. */
typedef struct parameter {
  const char *kind, *c_type, *c_name, *count_name;
  bool sizes; /* an operand whose elements are sizes */
} parameter;

struct method {
  webnn_op op;
  const char *c_name, *options_name;
  bool several;
  size_t (*make)(making *k, webnn_operand **outputs);
  const parameter *parameters; /* the last has no name */
  const member *members;
};

#define OPERAND(i, name) {"operand", "webnn_operand *", #name, NULL, false},
#define SIZES(i, name) {"operand", "webnn_operand *", #name, NULL, true},
#define OPERANDS(i, name, count) {"operands", "webnn_operand *const *", #name, #count, false},
#define U32(i, name) {"number", "uint32_t ", #name, NULL, false},
#define LIST(i, name) {"numbers", "webnn_list ", #name, NULL, false},
#define TYPE(i, name) {"string", "webnn_data_type ", #name, NULL, false},
#define PARAMETERS(c_name, options_name, arguments)                                                \
  static const parameter c_name##_parameters[] = {arguments{NULL, NULL, NULL, NULL, false}};
METHODS(PARAMETERS)
DRAFT_METHODS(PARAMETERS)
SQUEEZE_METHOD(PARAMETERS)
CONCAT_METHOD(PARAMETERS)
LIST_METHODS(PARAMETERS)
#undef PARAMETERS

/* Operators by their enumerators, which the library's own tables tie to the C names. */
enum {
#define NOTHING(...)
#define ENUMERATOR(op, c_name, ...) OP_##c_name = WEBNN_OP_##op,
  WEBNN_OPERATORS(ENUMERATOR, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
#undef ENUMERATOR
#define ENUMERATOR(op, c_name, ...) OP_##c_name = WEBNN_DRAFT_##op,
      WEBNN_DRAFT_OPERATORS(ENUMERATOR, NOTHING, NOTHING, NOTHING)
#undef ENUMERATOR
#undef NOTHING
};

static const method methods[] = {
#define ROW(c_name, options_name, arguments)                                                       \
  {(webnn_op)OP_##c_name, #c_name, #options_name, false, make_##c_name, c_name##_parameters,       \
   options_name##_members},
    METHODS(ROW) CONCAT_METHOD(ROW) DRAFT_METHODS(ROW)
#undef ROW
        {(webnn_op)OP_squeeze, "squeeze", "operator", false, make_squeeze, squeeze_parameters,
         reverse_members},

#define ROW(c_name, options_name, arguments)                                                       \
  {(webnn_op)OP_##c_name, #c_name, #options_name, true, make_##c_name, c_name##_parameters,        \
   options_name##_members},
    LIST_METHODS(ROW)
#undef ROW
};
enum { METHOD_COUNT = sizeof methods / sizeof *methods };

const method *method_find(const char *name) {
  for (size_t i = 0; i < METHOD_COUNT; i++)
    if (strcmp(webnn_op_name(methods[i].op), name) == 0)
      return &methods[i];
  return NULL;
}

/* ---- Making a call --------------------------------------------------------------------------- */

static bool take_arguments(making *k, const method *m) {
  const json *node = k->call->operator_node, *arguments = json_get(node, "arguments");
  if (!arguments || arguments->kind != JSON_ARRAY)
    return must_have(node, arguments, "arguments", "a list");
  for (const json *item = arguments->first; item; item = item->next) {
    const json *options = json_get(item, "options");
    if (options && !item->next) {
      if (!kind_of(item) || !read_options(k, options, m->members))
        return false;
      k->has_options = true;
    } else if (k->argument_count == MAX_ARGUMENTS) {
      return complain(item, "there are more arguments than any method takes");
    } else {
      k->arguments[k->argument_count++] = item;
    }
  }
  return true;
}

bool method_make(const method *m, method_call *c) {
  making k;
  size_t count;
  /* Room for the results of gru and lstm too, whatever the JSON names. */
  webnn_operand **outputs =
      (webnn_operand **)take(c->memory, (c->output_count + 3) * sizeof *outputs);
  memset(&k, 0, sizeof k);
  k.call = c;
  k.name = webnn_op_name(m->op);
  if (!take_arguments(&k, m))
    return false;
  k.options.operator_options.label = c->label;
  count = m->make(&k, outputs);
  if (k.wrong)
    return false;
  if (k.used < k.argument_count)
    return complain(k.arguments[k.used], "%s has no argument %lu", webnn_op_name(m->op),
                    (unsigned long)k.used + 1);
  c->refused = count == 0;
  if (c->refused)
    return complain(c->operator_node, "%s: %s", webnn_status_name(webnn_builder_status(c->builder)),
                    webnn_builder_message(c->builder));
  if (count != c->output_count && !c->any_count)
    return complain(c->operator_node, "%s gives %lu results; \"outputs\" names %lu",
                    webnn_op_name(m->op), (unsigned long)count, (unsigned long)c->output_count);
  c->outputs = outputs;
  return true;
}

/* Adds one name if there is room; the count goes on. */
static void add_name(const json *name, const json **names, size_t room, size_t *count) {
  if (json_string(name) && (*count)++ < room)
    names[*count - 1] = name;
}

size_t method_operands(const json *operator_node, const json **names, size_t room) {
  size_t count = 0;
  const json *item = json_items(json_get(operator_node, "arguments"), JSON_ARRAY);
  for (; item; item = item->next) {
    const json *list = json_items(json_get(item, "operands"), JSON_ARRAY);
    const json *option = json_items(json_get(item, "options"), JSON_OBJECT);
    add_name(json_get(item, "operand"), names, room, &count);
    for (; list; list = list->next)
      add_name(list, names, room, &count);
    for (; option; option = option->next)
      add_name(json_get(option, "operand"), names, room, &count);
  }
  return count;
}

/* ---- Describing ------------------------------------------------------------------------------ */

/* As webnn.h declares it, on one line. */
const char *method_signature(const method *m) {
  static char text[512];
  int length = snprintf(text, sizeof text, "%swebnn_%s(webnn_builder *builder",
                        m->several ? "size_t " : "webnn_operand *", m->c_name);
  for (const parameter *p = m->parameters; p->kind; p++)
    length +=
        snprintf(text + length, sizeof text - (size_t)length, ", %s%s%s%s", p->c_type, p->c_name,
                 p->count_name ? ", size_t " : "", p->count_name ? p->count_name : "");
  snprintf(text + length, sizeof text - (size_t)length, ", const webnn_%s_options *options%s)",
           m->options_name, m->several ? ", webnn_operand **outputs" : "");
  return text;
}

void method_print_options(const method *m) {
  static const char *const kinds[] = {"string",
                                      "number or bigint",
                                      "number or bigint",
                                      "number or bigint",
                                      "operand",
                                      "list of unsigned longs",
                                      "list of numbers",
                                      "list of relu, sigmoid, tanh",
                                      "bool, default false",
                                      "bool, default true",
                                      "long",
                                      NULL};
  arena memory = {NULL, 0};
  for (const member *o = m->members; o->name; o++)
    say("  %-20s %s\n", o->name,
        o->kind == MEMBER_ENUM ? enumerator_names(&memory, o->values) : kinds[o->kind]);
  release(&memory);
}

/* "new_shape" is newShape in the specification. */
static const char *camel_case(arena *memory, const char *c_name) {
  char *text = take_text(memory, "%s", c_name), *to = text;
  for (const char *from = c_name; *from; from++) {
    if (*from == '_' && from[1] >= 'a' && from[1] <= 'z')
      *to++ = (char)(*++from - 'a' + 'A');
    else
      *to++ = *from;
  }
  *to = 0;
  return text;
}

const char *method_argument(arena *memory, const method *m, size_t index, const char **kind) {
  const parameter *p = m->parameters;
  while (index > 0 && p->kind) {
    p++;
    index--;
  }
  *kind = p->kind;
  return p->kind ? camel_case(memory, p->c_name) : NULL;
}

bool method_holds_sizes(const method *m, size_t index) {
  const parameter *p = m->parameters;
  while (index > 0 && p->kind) {
    p++;
    index--;
  }
  return p->kind && p->sizes;
}

bool method_is_draft(const method *m) {
  return m->op >= WEBNN_OP_COUNT;
}

bool option_is_given(const webnn_graph_option *o) {
  return o->kind == WEBNN_OPTION_LIST                                    ? o->list.given
         : o->kind == WEBNN_OPTION_FLOATS                                ? o->floats.given
         : o->kind == WEBNN_OPTION_TEXT || o->kind == WEBNN_OPTION_TEXTS ? o->text_count > 0
                                                                         : true;
}

static const member *find_member(const method *m, const char *name) {
  const member *o = m->members;
  while (o->name && strcmp(o->name, name) != 0)
    o++;
  return o->name ? o : NULL;
}

const char *method_option(const method *m, const char *name) {
  const member *o = find_member(m, name);
  return o ? member_kind_names[o->kind] : NULL;
}

bool method_c_option(const method *m, const char *name, method_member *found) {
  const member *o = find_member(m, name);
  if (!o)
    return false;
  found->name = o->c_name;
  found->is_number = o->kind == MEMBER_NUMBER;
  found->opposite = o->kind == MEMBER_BOOLEAN;
  return true;
}

static const char *enumerator_in_c(const enumerator *values, const char *text) {
  while (values->name && strcmp(values->name, text) != 0)
    values++;
  return values->c_name;
}

const char *method_c_word(const method *m, const char *option, const char *text) {
  const member *o = find_member(m, option);
  return enumerator_in_c(!o                              ? data_types
                         : o->kind == MEMBER_ACTIVATIONS ? activation_names
                                                         : o->values,
                         text);
}

const char *method_c_name(const method *m) {
  return m->c_name;
}

const char *method_c_options(const method *m) {
  return m->options_name;
}

const char *method_optional_operand(const session *s, const method *m, size_t index) {
  webnn_operator_limits limits;
  webnn_op_limits(s->context, m->op, &limits);
  for (uint32_t i = 0; i < limits.operand_count; i++)
    if (limits.operands[i].optional && index-- == 0)
      return limits.operands[i].name;
  return NULL;
}

bool method_gives_sequence(const method *m) {
  return m->several;
}
