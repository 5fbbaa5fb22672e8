/* XLA's 61 operations, one after the other: the worked examples of "Operation Semantics" where it has
   any, small ones by hand where not. docs/stablehlo.md has a row for each; the name of a check is that
   of the operation. */
#include "test.h"

#include "webnn_xla.h"

#include <math.h>

static webnn_context *context;
static webnn_xla_module *module;
static webnn_xla_builder *b;
static webnn_xla_program_options options;

enum { MOST = 64 };

typedef webnn_xla_value *value;
#define DOUBLES(...) (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double)

/* ---- Building and comparing ------------------------------------------------------------------ */

static void put_number(webnn_xla_type type, void *data, size_t i, double number) {
  switch (webnn_xla_type_bytes(type)) {
  case 1:
    ((uint8_t *)data)[i] = (uint8_t)(int)number;
    break;
  case 4:
    if (type == WEBNN_XLA_F32) {
      ((float *)data)[i] = (float)number;
    } else {
      ((uint32_t *)data)[i] = number < 0 ? (uint32_t)(int32_t)number : (uint32_t)number;
    }
    break;
  default:
    ((int64_t *)data)[i] = (int64_t)number;
  }
}

static double get_number(webnn_xla_type type, const void *data, size_t i) {
  switch (type) {
  case WEBNN_XLA_F32:
    return (double)((const float *)data)[i];
  case WEBNN_XLA_S8:
    return ((const int8_t *)data)[i];
  case WEBNN_XLA_S32:
    return ((const int32_t *)data)[i];
  case WEBNN_XLA_U32:
    return ((const uint32_t *)data)[i];
  case WEBNN_XLA_S64:
    return (double)((const int64_t *)data)[i];
  default:
    return ((const uint8_t *)data)[i];
  }
}

static void begin(void) {
  module = webnn_xla_create_module();
  b = webnn_xla_begin(module, "main");
}

/* A parameter would do as well: what is asked here is what the operation gives. */
static value constant(webnn_xla_type type, webnn_list sizes, const double *numbers, size_t count) {
  const webnn_xla_shape shape = webnn_xla_shape_of(type, sizes);
  uint8_t data[MOST * 8];
  size_t i;
  for (i = 0; i < count; i++) {
    put_number(type, data, i, numbers[i]);
  }
  return webnn_xla_constant(b, shape, data, webnn_xla_byte_length(&shape));
}

static value floats(webnn_list sizes, const double *numbers, size_t count) {
  return constant(WEBNN_XLA_F32, sizes, numbers, count);
}

static value number(double x) {
  return webnn_xla_scalar(b, WEBNN_XLA_F32, x);
}

static value counted(webnn_list sizes) {
  double numbers[MOST];
  size_t i;
  for (i = 0; i < MOST; i++) {
    numbers[i] = (double)i;
  }
  return floats(sizes, numbers, MOST);
}

static bool is_near(double got, double expected) {
  return (isnan(got) && isnan(expected)) || (got >= expected && got <= expected) ||
         fabs(got - expected) <= 2e-6 * fabs(expected);
}

/* Ends the computation, runs it, and compares all its arrays, one behind the other. */
static void expect(const char *name, value result, const double *numbers, size_t count) {
  webnn_error error = WEBNN_ZERO;
  webnn_xla_program *program = NULL;
  webnn_xla_array outputs[4];
  uint64_t data[4][MOST];
  size_t output_count, i, k, at = 0;
  const webnn_xla_computation *computation = webnn_xla_end(b, result);
  if (!CHECK(name, computation != NULL, "%s", webnn_xla_module_message(module)) ||
      !CHECK(name, webnn_xla_compile(context, computation, &options, &program, &error) == WEBNN_OK,
             "%s", error.message)) {
    webnn_xla_free_module(module);
    return;
  }
  webnn_xla_free_module(module);
  output_count = webnn_xla_program_outputs(program, outputs, 4);
  for (i = 0; i < output_count; i++) {
    outputs[i].data = data[i];
  }
  CHECK(name, webnn_xla_run(program, NULL, 0, outputs, output_count, &error) == WEBNN_OK, "%s",
        error.message);
  for (i = 0; i < output_count; i++) {
    const size_t size = outputs[i].byte_length / webnn_xla_type_bytes(outputs[i].shape.type);
    for (k = 0; k < size && at < count; k++, at++) {
      const double got = get_number(outputs[i].shape.type, outputs[i].data, k);
      CHECK(name, is_near(got, numbers[at]), "number %u is %.9g, not %.9g", (unsigned)at, got,
            numbers[at]);
    }
    CHECK(name, k == size, "there are more than %u numbers", (unsigned)count);
  }
  CHECK(name, at == count, "there are only %u numbers", (unsigned)at);
  webnn_xla_free_program(program);
}

/* V of the text: [4, 2, 3] of 10, 11, 12, 15, 16, 17, 20, ... 47. */
static value text_array(void) {
  double numbers[24];
  int i;
  for (i = 0; i < 24; i++) {
    numbers[i] = (i / 6 + 1) * 10 + (i / 3 % 2) * 5 + i % 3;
  }
  return floats(WEBNN_LIST(4, 2, 3), numbers, 24);
}

static const double text_order[] = {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27,
                                    30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47};
static const double turned_order[] = {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42,
                                      15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47};

/* A computation of two scalars. */
static const webnn_xla_computation *function_of_two(webnn_xla_operation op, webnn_xla_type type) {
  const webnn_xla_shape scalar = webnn_xla_shape_of(type, WEBNN_EMPTY_LIST);
  const webnn_list none = WEBNN_ZERO;
  webnn_xla_builder *f = webnn_xla_begin(module, "f");
  value x = webnn_xla_parameter(f, 0, scalar, "x");
  return webnn_xla_end(f, webnn_xla_binary(f, op, x, webnn_xla_parameter(f, 1, scalar, "y"), none));
}

static const webnn_xla_computation *addition(void) {
  return function_of_two(WEBNN_XLA_ADD, WEBNN_XLA_F32);
}

/* ---- Element by element ---------------------------------------------------------------------- */

static const double values[] = {-2.5, -0.75, 0, 0.5, 3};

static void expect_unary(const char *name, webnn_xla_operation op, const double *numbers,
                         size_t count) {
  begin();
  expect(name, webnn_xla_unary(b, op, floats(WEBNN_LIST(5), values, 5)), numbers, count);
}

static void expect_binary(const char *name, webnn_xla_operation op, const double *numbers,
                          size_t count) {
  const webnn_list none = WEBNN_ZERO;
  begin();
  expect(name,
         webnn_xla_binary(b, op, floats(WEBNN_LIST(4), DOUBLES(7, -7, 2, 2)),
                          floats(WEBNN_LIST(4), DOUBLES(2, 2, 2, -3)), none),
         numbers, count);
}

static void expect_logical(const char *name, webnn_xla_operation op, const double *numbers,
                           size_t count) {
  const webnn_list none = WEBNN_ZERO;
  begin();
  expect(name,
         webnn_xla_binary(b, op, constant(WEBNN_XLA_PRED, WEBNN_LIST(4), DOUBLES(0, 0, 1, 1)),
                          constant(WEBNN_XLA_PRED, WEBNN_LIST(4), DOUBLES(0, 1, 0, 1)), none),
         numbers, count);
}

static void check_elementwise(void) {
  expect_unary("Abs", WEBNN_XLA_ABS, DOUBLES(2.5, 0.75, 0, 0.5, 3));
  expect_unary("Ceil", WEBNN_XLA_CEIL, DOUBLES(-2, 0, 0, 1, 3));
  expect_unary("Cos", WEBNN_XLA_COS, DOUBLES(cos(2.5), cos(0.75), 1, cos(0.5), cos(3)));
  expect_unary("Exp", WEBNN_XLA_EXP, DOUBLES(exp(-2.5), exp(-0.75), 1, exp(0.5), exp(3)));
  expect_unary("Floor", WEBNN_XLA_FLOOR, DOUBLES(-3, -1, 0, 0, 3));
  expect_unary("Log", WEBNN_XLA_LOG, DOUBLES(NAN, NAN, -INFINITY, log(0.5), log(3)));
  expect_unary("Neg", WEBNN_XLA_NEG, DOUBLES(2.5, 0.75, 0, -0.5, -3));
  expect_unary("Sign", WEBNN_XLA_SIGN, DOUBLES(-1, -1, 0, 1, 1));
  expect_unary("Tanh", WEBNN_XLA_TANH, DOUBLES(tanh(-2.5), tanh(-0.75), 0, tanh(0.5), tanh(3)));
  begin();
  expect("IsFinite",
         webnn_xla_is_finite(b, floats(WEBNN_LIST(4), DOUBLES(1, INFINITY, -INFINITY, NAN))),
         DOUBLES(1, 0, 0, 0));
  begin();
  expect("LogicalNot",
         webnn_xla_logical_not(b, constant(WEBNN_XLA_PRED, WEBNN_LIST(2), DOUBLES(0, 1))),
         DOUBLES(1, 0));
  expect_binary("Add", WEBNN_XLA_ADD, DOUBLES(9, -5, 4, -1));
  expect_binary("Sub", WEBNN_XLA_SUB, DOUBLES(5, -9, 0, 5));
  expect_binary("Mul", WEBNN_XLA_MUL, DOUBLES(14, -14, 4, -6));
  expect_binary("Div", WEBNN_XLA_DIV, DOUBLES(3.5, -3.5, 1, -2.0 / 3));
  expect_binary("Rem", WEBNN_XLA_REM, DOUBLES(1, -1, 0, 2));
  expect_binary("Max", WEBNN_XLA_MAX, DOUBLES(7, 2, 2, 2));
  expect_binary("Min", WEBNN_XLA_MIN, DOUBLES(2, -7, 2, -3));
  begin(); /* relu */
  expect("Max", webnn_xla_max(b, floats(WEBNN_LIST(4), DOUBLES(-1, 2, NAN, -INFINITY)), number(0)),
         DOUBLES(0, 2, NAN, 0));
  begin();
  expect("Max", webnn_xla_max(b, floats(WEBNN_LIST(2), DOUBLES(0, 0)), number(-3)), DOUBLES(0, 0));
  begin();
  expect("Max",
         webnn_xla_max(b, number(-3),
                       webnn_xla_fill(b, webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_LIST(3)), 0)),
         DOUBLES(0, 0, 0));
  expect_logical("LogicalAnd", WEBNN_XLA_AND, DOUBLES(0, 0, 0, 1));
  expect_logical("LogicalOr", WEBNN_XLA_OR, DOUBLES(0, 1, 1, 1));
  expect_binary("Eq", WEBNN_XLA_EQ, DOUBLES(0, 0, 1, 0));
  expect_binary("Ne", WEBNN_XLA_NE, DOUBLES(1, 1, 0, 1));
  expect_binary("Ge", WEBNN_XLA_GE, DOUBLES(1, 0, 1, 1));
  expect_binary("Gt", WEBNN_XLA_GT, DOUBLES(1, 0, 0, 1));
  expect_binary("Le", WEBNN_XLA_LE, DOUBLES(0, 1, 1, 0));
  expect_binary("Lt", WEBNN_XLA_LT, DOUBLES(0, 1, 0, 0));
}

/* broadcast_dimensions: a vector along either dimension of a matrix, and a stretched 1. */
static void check_broadcasting(void) {
  begin();
  expect("Add",
         webnn_xla_binary(b, WEBNN_XLA_ADD, counted(WEBNN_LIST(2, 3)),
                          floats(WEBNN_LIST(3), DOUBLES(10, 20, 30)), WEBNN_LIST(1)),
         DOUBLES(10, 21, 32, 13, 24, 35));
  begin();
  expect("Add",
         webnn_xla_binary(b, WEBNN_XLA_ADD, floats(WEBNN_LIST(2), DOUBLES(10, 20)),
                          counted(WEBNN_LIST(2, 3)), WEBNN_LIST(0)),
         DOUBLES(10, 11, 12, 23, 24, 25));
  begin();
  expect("Add",
         webnn_xla_binary(b, WEBNN_XLA_ADD, counted(WEBNN_LIST(2, 1)),
                          floats(WEBNN_LIST(3), DOUBLES(10, 20, 30)), WEBNN_LIST(1)),
         DOUBLES(10, 20, 30, 11, 21, 31));
  begin();
  CHECK("Add", !webnn_xla_add(b, counted(WEBNN_LIST(2, 3)), counted(WEBNN_LIST(3))),
        "ranks differ, and it is taken");
  CHECK("Add",
        strcmp(webnn_xla_module_message(module),
               "add: the operands must be of one shape, but are F32[2, 3] and F32[3] (and "
               "broadcast_dimensions are not given)") == 0,
        "%s", webnn_xla_module_message(module));
  webnn_xla_free_module(module);
}

/* ---- Moving elements, types, choices --------------------------------------------------------- */

static void check_reshape(void) {
  const webnn_list sizes[3] = {WEBNN_LIST(24), WEBNN_LIST(8, 3), WEBNN_LIST(2, 6, 2)};
  int i;
  for (i = 0; i < 3; i++) {
    begin();
    expect("Reshape", webnn_xla_reshape(b, text_array(), WEBNN_LIST(0, 1, 2), sizes[i]), text_order,
           24);
    begin();
    expect("Reshape", webnn_xla_reshape(b, text_array(), WEBNN_LIST(1, 2, 0), sizes[i]),
           turned_order, 24);
  }
  begin();
  expect("Reshape",
         webnn_xla_reshape(b, floats(WEBNN_LIST(1, 1), DOUBLES(5)), WEBNN_LIST(0, 1),
                           WEBNN_EMPTY_LIST),
         DOUBLES(5));
  begin();
  expect("Reshape", webnn_xla_reshape(b, number(5), WEBNN_EMPTY_LIST, WEBNN_LIST(1, 1)),
         DOUBLES(5));
}

static void expect_collapsed(webnn_list dimensions, webnn_list sizes) {
  value collapsed;
  begin();
  collapsed = webnn_xla_collapse(b, text_array(), dimensions);
  CHECK("Collapse",
        memcmp(webnn_xla_shape_of_value(collapsed)->dimensions.items, sizes.items,
               sizes.count * sizeof sizes.items[0]) == 0 &&
            webnn_xla_shape_of_value(collapsed)->dimensions.count == sizes.count,
        "another shape");
  expect("Collapse", collapsed, text_order, 24);
}

static void check_moves(void) {
  const webnn_list none = WEBNN_ZERO;
  webnn_xla_padding padding;
  value parts[3];
  begin();
  expect("Broadcast", webnn_xla_broadcast(b, number(2), WEBNN_LIST(2, 3)),
         DOUBLES(2, 2, 2, 2, 2, 2));
  expect_collapsed(WEBNN_LIST(0, 1, 2), WEBNN_LIST(24));
  expect_collapsed(WEBNN_LIST(0, 1), WEBNN_LIST(8, 3));
  expect_collapsed(WEBNN_LIST(1, 2), WEBNN_LIST(4, 6));
  begin();
  parts[0] = floats(WEBNN_LIST(2), DOUBLES(2, 3));
  parts[1] = floats(WEBNN_LIST(2), DOUBLES(4, 5));
  parts[2] = floats(WEBNN_LIST(2), DOUBLES(6, 7));
  expect("Concatenate", webnn_xla_concatenate(b, parts, 3, 0), DOUBLES(2, 3, 4, 5, 6, 7));
  begin();
  parts[0] = floats(WEBNN_LIST(3, 2), DOUBLES(1, 2, 3, 4, 5, 6));
  parts[1] = floats(WEBNN_LIST(1, 2), DOUBLES(7, 8));
  expect("Concatenate", webnn_xla_concatenate(b, parts, 2, 0), DOUBLES(1, 2, 3, 4, 5, 6, 7, 8));
  begin();
  expect("Transpose", webnn_xla_transpose(b, counted(WEBNN_LIST(2, 3)), WEBNN_LIST(1, 0)),
         DOUBLES(0, 3, 1, 4, 2, 5));
  begin();
  expect("Rev", webnn_xla_rev(b, counted(WEBNN_LIST(2, 3)), WEBNN_LIST(1)),
         DOUBLES(2, 1, 0, 5, 4, 3));
  begin();
  expect("Slice", webnn_xla_slice(b, counted(WEBNN_LIST(5)), WEBNN_LIST(2), WEBNN_LIST(4), none),
         DOUBLES(2, 3));
  begin();
  expect("Slice",
         webnn_xla_slice(b, counted(WEBNN_LIST(4, 3)), WEBNN_LIST(2, 1), WEBNN_LIST(4, 3), none),
         DOUBLES(7, 8, 10, 11));
  memset(&padding, 0, sizeof padding);
  padding.low[0] = 1;
  padding.high[0] = -1;
  padding.interior[0] = 2;
  begin();
  expect("Pad", webnn_xla_pad(b, counted(WEBNN_LIST(3)), number(9), padding),
         DOUBLES(9, 0, 9, 9, 1, 9, 9));
  begin();
  parts[0] = constant(WEBNN_XLA_S32, WEBNN_LIST(2), DOUBLES(2, 1));
  expect("DynamicSlice",
         webnn_xla_dynamic_slice(b, counted(WEBNN_LIST(4, 3)), parts, 1, WEBNN_LIST(2, 2)),
         DOUBLES(7, 8, 10, 11));
  begin();
  parts[0] = constant(WEBNN_XLA_S32, WEBNN_LIST(2), DOUBLES(1, 1));
  expect("DynamicUpdateSlice",
         webnn_xla_dynamic_update_slice(b, counted(WEBNN_LIST(4, 3)),
                                        floats(WEBNN_LIST(3, 2), DOUBLES(12, 13, 14, 15, 16, 17)),
                                        parts, 1),
         DOUBLES(0, 1, 2, 3, 12, 13, 6, 14, 15, 9, 16, 17));
}

static void check_choices_and_types(void) {
  value two[2];
  begin();
  expect("Clamp",
         webnn_xla_clamp(b, constant(WEBNN_XLA_S32, WEBNN_LIST(3), DOUBLES(-1, 5, 9)),
                         webnn_xla_scalar(b, WEBNN_XLA_S32, 0),
                         webnn_xla_scalar(b, WEBNN_XLA_S32, 6)),
         DOUBLES(0, 5, 6));
  begin();
  expect("ConvertElementType",
         webnn_xla_convert_element_type(b, constant(WEBNN_XLA_S32, WEBNN_LIST(3), DOUBLES(0, 1, 2)),
                                        WEBNN_XLA_F32),
         DOUBLES(0, 1, 2));
  begin();
  expect("Select",
         webnn_xla_select(b, constant(WEBNN_XLA_PRED, WEBNN_LIST(4), DOUBLES(1, 0, 0, 1)),
                          floats(WEBNN_LIST(4), DOUBLES(1, 2, 3, 4)),
                          floats(WEBNN_LIST(4), DOUBLES(100, 200, 300, 400))),
         DOUBLES(1, 200, 300, 4));
  begin();
  two[0] = floats(WEBNN_LIST(2), DOUBLES(1, 2));
  two[1] = number(3);
  two[0] = webnn_xla_tuple(b, two, 2);
  two[1] = webnn_xla_select(b, webnn_xla_scalar(b, WEBNN_XLA_PRED, 1), two[0], two[0]);
  expect("Select", two[1], DOUBLES(1, 2, 3));
  begin();
  two[0] = counted(WEBNN_LIST(10));
  two[1] = webnn_xla_scalar(b, WEBNN_XLA_S32, 5);
  expect("GetTupleElement", webnn_xla_get_tuple_element(b, webnn_xla_tuple(b, two, 2), 1),
         DOUBLES(5));
  begin();
  two[0] = number(1);
  two[1] = number(2);
  two[1] = webnn_xla_tuple(b, two, 2);
  expect("Tuple", webnn_xla_tuple(b, two, 2), DOUBLES(1, 1, 2));
  begin();
  expect("ReducePrecision",
         webnn_xla_reduce_precision(b, floats(WEBNN_LIST(4), DOUBLES(1.0625, 1.1875, 70000, -3.3)),
                                    5, 3),
         DOUBLES(1, 1.25, INFINITY, -3.25));
}

/* ---- Products and normalization -------------------------------------------------------------- */

static void check_products(void) {
  const webnn_list none = WEBNN_ZERO;
  webnn_xla_window window;
  begin();
  expect("Dot",
         webnn_xla_dot(b, floats(WEBNN_LIST(3), DOUBLES(1, 2, 3)),
                       floats(WEBNN_LIST(3), DOUBLES(4, 5, 6))),
         DOUBLES(32));
  begin();
  expect("Dot",
         webnn_xla_dot(b, constant(WEBNN_XLA_S32, WEBNN_LIST(2, 2), DOUBLES(1, 2, 3, 4)),
                       constant(WEBNN_XLA_S32, WEBNN_LIST(2, 2), DOUBLES(5, 6, 7, 8))),
         DOUBLES(19, 22, 43, 50));
  begin();
  expect("Conv",
         webnn_xla_conv(b, counted(WEBNN_LIST(1, 1, 4)),
                        floats(WEBNN_LIST(1, 1, 2), DOUBLES(1, 10)), none, WEBNN_XLA_SAME),
         DOUBLES(10, 21, 32, 3));
  memset(&window, 0, sizeof window);
  window.padding_low[0] = window.padding_low[1] = 1;
  window.padding_high[0] = -1;
  window.padding_high[1] = 1;
  window.strides = WEBNN_LIST(1, 2);
  begin();
  expect("ConvWithGeneralPadding",
         webnn_xla_conv_with_general_padding(b, counted(WEBNN_LIST(1, 1, 3, 3)),
                                             floats(WEBNN_LIST(1, 1, 2, 2), DOUBLES(1, 2, 3, 4)),
                                             window),
         DOUBLES(0, 11, 12, 37));
}

static void check_normalization(void) {
  value x, scale, offset, mean, variance;
  const double root = sqrt(1.0 + 1e-3);
  begin();
  x = floats(WEBNN_LIST(2, 2), DOUBLES(1, 10, 3, 30));
  scale = floats(WEBNN_LIST(2), DOUBLES(2, 1));
  offset = floats(WEBNN_LIST(2), DOUBLES(0, 5));
  mean = floats(WEBNN_LIST(2), DOUBLES(2, 20));
  variance = floats(WEBNN_LIST(2), DOUBLES(1, 100 - 1e-3));
  expect("BatchNormInference",
         webnn_xla_batch_norm_inference(b, x, scale, offset, mean, variance, 1e-3f, 1),
         DOUBLES(-2 / root, 4, 2 / root, 6));
  begin();
  x = floats(WEBNN_LIST(2, 2), DOUBLES(1, 10, 3, 30));
  scale = floats(WEBNN_LIST(2), DOUBLES(2, 1));
  offset = floats(WEBNN_LIST(2), DOUBLES(0, 5));
  expect("BatchNormTraining", webnn_xla_batch_norm_training(b, x, scale, offset, 0, 1),
         DOUBLES(-2, 4, 2, 6, 2, 20, 1, 100));
  begin(); /* two elements of a feature: the gradient of x is 0, whatever g is */
  x = floats(WEBNN_LIST(2, 1), DOUBLES(1, 3));
  expect("BatchNormGrad",
         webnn_xla_batch_norm_grad(
             b, x, floats(WEBNN_LIST(1), DOUBLES(2)), floats(WEBNN_LIST(1), DOUBLES(2)),
             floats(WEBNN_LIST(1), DOUBLES(1)), floats(WEBNN_LIST(2, 1), DOUBLES(5, 9)), 0, 1),
         DOUBLES(0, 0, 4, 14));
}

/* ---- Computations applied -------------------------------------------------------------------- */

static void check_folds(void) {
  double slices[24];
  value x;
  int i;
  for (i = 0; i < 24; i++) {
    slices[i] = i % 6 + 1;
  }
  begin();
  expect("Reduce",
         webnn_xla_reduce(b, floats(WEBNN_LIST(4), DOUBLES(10, 11, 12, 13)), number(0), addition(),
                          WEBNN_LIST(0)),
         DOUBLES(46));
  begin();
  expect("Reduce",
         webnn_xla_reduce(b, floats(WEBNN_LIST(4, 2, 3), slices, 24), number(0), addition(),
                          WEBNN_LIST(0)),
         DOUBLES(4, 8, 12, 16, 20, 24));
  begin();
  expect("Reduce",
         webnn_xla_reduce(b, floats(WEBNN_LIST(4, 2, 3), slices, 24), number(0), addition(),
                          WEBNN_LIST(0, 1)),
         DOUBLES(20, 28, 36));
  begin();
  x = webnn_xla_reduce(b, floats(WEBNN_LIST(4, 2, 3), slices, 24), number(1), addition(),
                       WEBNN_LIST(0, 1, 2));
  expect("Reduce", x, DOUBLES(85));
  begin();
  expect("ReduceWindow",
         webnn_xla_reduce_window(b, counted(WEBNN_LIST(4, 6)), number(-INFINITY),
                                 function_of_two(WEBNN_XLA_MAX, WEBNN_XLA_F32), WEBNN_LIST(2, 3),
                                 WEBNN_LIST(2, 3), WEBNN_XLA_VALID),
         DOUBLES(8, 11, 20, 23));
  begin(); /* both windows select the 9 */
  x = floats(WEBNN_LIST(1, 5), DOUBLES(1, 2, 9, 3, 4));
  expect("SelectAndScatter",
         webnn_xla_select_and_scatter(
             b, x, function_of_two(WEBNN_XLA_GE, WEBNN_XLA_F32), WEBNN_LIST(1, 3), WEBNN_LIST(1, 2),
             WEBNN_XLA_VALID, floats(WEBNN_LIST(1, 2), DOUBLES(2, 6)), number(0), addition()),
         DOUBLES(0, 0, 8, 0, 0));
  begin();
  expect("Sort", webnn_xla_sort(b, floats(WEBNN_LIST(5), DOUBLES(3, 1, NAN, -2, 1))),
         DOUBLES(-2, 1, 1, 3, NAN));
}

static void check_applied(void) {
  value two[2];
  const webnn_list none = WEBNN_ZERO;
  begin();
  two[0] = number(2);
  two[1] = number(3);
  expect("Call", webnn_xla_call(b, addition(), two, 2), DOUBLES(5));
  begin();
  two[0] = counted(WEBNN_LIST(3));
  two[1] = number(10);
  expect("Map", webnn_xla_map(b, two, 1, addition(), none, two + 1, 1), DOUBLES(10, 11, 12));
}

/* i and ten numbers: while i < 1000, i becomes i + 1 and each number grows by 1. */
static void check_while(void) {
  const webnn_xla_shape shapes[2] = {webnn_xla_shape_of(WEBNN_XLA_S32, WEBNN_EMPTY_LIST),
                                     webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_LIST(10))};
  const webnn_xla_shape state = webnn_xla_tuple_shape(shapes, 2);
  const webnn_xla_computation *condition, *body;
  webnn_xla_builder *f;
  value s, next[2];
  begin();
  f = webnn_xla_begin(module, "condition");
  s = webnn_xla_parameter(f, 0, state, "state");
  condition = webnn_xla_end(f, webnn_xla_lt(f, webnn_xla_get_tuple_element(f, s, 0),
                                            webnn_xla_scalar(f, WEBNN_XLA_S32, 1000)));
  f = webnn_xla_begin(module, "body");
  s = webnn_xla_parameter(f, 0, state, "state");
  next[0] =
      webnn_xla_add(f, webnn_xla_get_tuple_element(f, s, 0), webnn_xla_scalar(f, WEBNN_XLA_S32, 1));
  next[1] =
      webnn_xla_add(f, webnn_xla_get_tuple_element(f, s, 1), webnn_xla_scalar(f, WEBNN_XLA_F32, 1));
  body = webnn_xla_end(f, webnn_xla_tuple(f, next, 2));
  next[0] = webnn_xla_scalar(b, WEBNN_XLA_S32, 0);
  next[1] = webnn_xla_fill(b, shapes[1], 0);
  expect("While", webnn_xla_while(b, condition, body, webnn_xla_tuple(b, next, 2)),
         DOUBLES(1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000));
}

/* Five times (n, x, y, z) -> (n + 1, y, z, x): what a body gives back in another place. */
static void check_rotation(void) {
  const webnn_xla_shape count = webnn_xla_shape_of(WEBNN_XLA_S32, WEBNN_EMPTY_LIST);
  const webnn_xla_shape scalar = webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_EMPTY_LIST);
  const webnn_xla_computation *condition, *body;
  webnn_xla_builder *f;
  value n, next[4], p[4];
  size_t i;
  begin();
  f = webnn_xla_begin(module, "condition");
  n = webnn_xla_parameter(f, 0, count, "n");
  for (i = 1; i < 4; i++) {
    (void)webnn_xla_parameter(f, i, scalar, "x");
  }
  condition = webnn_xla_end(f, webnn_xla_lt(f, n, webnn_xla_scalar(f, WEBNN_XLA_S32, 5)));
  f = webnn_xla_begin(module, "body");
  for (i = 0; i < 4; i++) {
    p[i] = webnn_xla_parameter(f, i, i == 0 ? count : scalar, "p");
  }
  next[0] = webnn_xla_add(f, p[0], webnn_xla_scalar(f, WEBNN_XLA_S32, 1));
  next[1] = p[2];
  next[2] = p[3];
  next[3] = p[1];
  body = webnn_xla_end(f, webnn_xla_tuple(f, next, 4));
  next[0] = webnn_xla_scalar(b, WEBNN_XLA_S32, 0);
  next[1] = next[2] = number(7); /* one value in two places */
  next[3] = number(9);
  expect("While", webnn_xla_while(b, condition, body, webnn_xla_tuple(b, next, 4)),
         DOUBLES(5, 9, 7, 7));
}

/* ---- The host -------------------------------------------------------------------------------- */

/* x[1] + y[1][0] of f32[2] and f32[2, 3]. */
static bool call_function(void *user, const webnn_xla_array *arguments, size_t argument_count,
                          webnn_xla_array *results, size_t result_count, const char *configuration,
                          char *message, size_t message_size) {
  const float *x = (const float *)arguments[0].data, *y = (const float *)arguments[1].data;
  (void)user;
  (void)configuration;
  CHECK("CustomCall",
        argument_count == 2 && result_count == 1 && arguments[0].byte_length == 8 &&
            arguments[1].byte_length == 24 && results[0].byte_length == 36,
        "other arrays");
  if (x[0] < 0) {
    snprintf(message, message_size, "x is negative");
    return false;
  }
  ((float *)results[0].data)[0] = x[1] + y[3];
  return true;
}

static float next_item = 1;

static bool feed(void *user, webnn_xla_array *array) {
  (void)user;
  *(float *)array->data = next_item++;
  return true;
}

static bool add_replica(void *user, webnn_xla_array *array) {
  static const float other[2] = {3.0f, 5.1f};
  (void)user;
  ((float *)array->data)[0] += other[0];
  ((float *)array->data)[1] += other[1];
  return true;
}

static void check_host(void) {
  const webnn_xla_shape scalar = webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_EMPTY_LIST);
  const webnn_list none = WEBNN_ZERO;
  value two[2];
  begin();
  two[0] = floats(WEBNN_LIST(2), DOUBLES(1, 2));
  two[1] = floats(WEBNN_LIST(2, 3), DOUBLES(10, 20, 30, 40, 50, 60));
  two[0] = webnn_xla_custom_call(b, "myfunc", two, 2,
                                 webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_LIST(3, 3)), NULL);
  expect("CustomCall", webnn_xla_slice(b, two[0], WEBNN_LIST(0, 0), WEBNN_LIST(1, 1), none),
         DOUBLES(42));
  begin();
  two[0] = webnn_xla_infeed(b, scalar);
  two[1] = webnn_xla_infeed(b, scalar);
  expect("Infeed", webnn_xla_sub(b, two[1], two[0]), DOUBLES(1));
  begin();
  expect("CrossReplicaSum",
         webnn_xla_cross_replica_sum(b, floats(WEBNN_LIST(2), DOUBLES(1.0, 2.5))),
         DOUBLES(4.0, 7.6));
}

/* Random numbers: their range and their mean. */
static void check_random(void) {
  const webnn_xla_shape shape = webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_LIST(10000));
  value x, low, high, mean;
  begin();
  x = webnn_xla_rng_uniform(b, number(2), number(3), shape);
  low = webnn_xla_reduce(b, x, number(10), function_of_two(WEBNN_XLA_MIN, WEBNN_XLA_F32),
                         WEBNN_LIST(0));
  high = webnn_xla_reduce(b, x, number(0), function_of_two(WEBNN_XLA_MAX, WEBNN_XLA_F32),
                          WEBNN_LIST(0));
  mean =
      webnn_xla_div(b, webnn_xla_reduce(b, x, number(0), addition(), WEBNN_LIST(0)), number(10000));
  low = webnn_xla_and_(b, webnn_xla_ge(b, low, number(2)), webnn_xla_lt(b, low, number(2.01)));
  high = webnn_xla_and_(b, webnn_xla_lt(b, high, number(3)), webnn_xla_gt(b, high, number(2.99)));
  mean = webnn_xla_lt(b, webnn_xla_abs(b, webnn_xla_sub(b, mean, number(2.5))), number(0.02));
  expect("RngUniform", webnn_xla_and_(b, webnn_xla_and_(b, low, high), mean), DOUBLES(1));
  begin();
  x = webnn_xla_rng_normal(b, number(5), number(2), shape);
  mean =
      webnn_xla_div(b, webnn_xla_reduce(b, x, number(0), addition(), WEBNN_LIST(0)), number(10000));
  x = webnn_xla_sub(b, x, number(5));
  high = webnn_xla_div(
      b, webnn_xla_reduce(b, webnn_xla_mul(b, x, x), number(0), addition(), WEBNN_LIST(0)),
      number(10000));
  mean = webnn_xla_lt(b, webnn_xla_abs(b, webnn_xla_sub(b, mean, number(5))), number(0.1));
  high = webnn_xla_lt(b, webnn_xla_abs(b, webnn_xla_sub(b, high, number(4))), number(0.3));
  expect("RngNormal", webnn_xla_and_(b, mean, high), DOUBLES(1));
  begin();
  x = webnn_xla_rng_bernoulli(b, number(0.25),
                              webnn_xla_shape_of(WEBNN_XLA_U32, WEBNN_LIST(10000)));
  x = webnn_xla_convert_element_type(b, x, WEBNN_XLA_F32);
  mean = webnn_xla_reduce(b, x, number(0), addition(), WEBNN_LIST(0));
  expect("RngBernoulli",
         webnn_xla_lt(b, webnn_xla_abs(b, webnn_xla_sub(b, mean, number(2500))), number(200)),
         DOUBLES(1));
}

int main(void) {
  static const webnn_xla_named_function function = {"myfunc", call_function, NULL};
  int numerics;
  options.functions = &function;
  options.function_count = 1;
  options.infeed = feed;
  options.all_sum = add_replica;
  options.seed = 7;
  for (numerics = WEBNN_NUMERICS_FAST; numerics <= WEBNN_NUMERICS_REFERENCE; numerics++) {
    webnn_context_options how = WEBNN_ZERO;
    how.numerics = (webnn_numerics)numerics;
    context = test_context(&how);
    check_elementwise();
    check_broadcasting();
    check_reshape();
    check_moves();
    check_choices_and_types();
    check_products();
    check_normalization();
    check_folds();
    check_applied();
    check_while();
    check_rotation();
    check_host();
    check_random();
    webnn_free_context(context);
  }
  return test_end();
}
