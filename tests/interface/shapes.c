/* The output's data type and shape of every method against values worked out by hand from the
   formulas. At the end: every operator must have had at least one row. */
#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static webnn_builder *builder;
static int rows_of[WEBNN_OP_COUNT + 1];

static webnn_operand *make(webnn_data_type type, webnn_list shape) {
  static unsigned counter;
  char name[32];
  webnn_operand *operand;
  snprintf(name, sizeof name, "input %u", counter++);
  operand = webnn_input(builder, name, (webnn_operand_descriptor){type, shape});
  if (!operand) {
    CHECK("input", false, "%s", webnn_builder_message(builder));
    webnn_builder_clear_error(builder);
  }
  return operand;
}
#define F32(...) make(WEBNN_FLOAT32, WEBNN_LIST(__VA_ARGS__))
#define F16(...) make(WEBNN_FLOAT16, WEBNN_LIST(__VA_ARGS__))
#define I32(...) make(WEBNN_INT32, WEBNN_LIST(__VA_ARGS__))
#define U32(...) make(WEBNN_UINT32, WEBNN_LIST(__VA_ARGS__))
#define I64(...) make(WEBNN_INT64, WEBNN_LIST(__VA_ARGS__))
#define I8(...) make(WEBNN_INT8, WEBNN_LIST(__VA_ARGS__))
#define U8(...) make(WEBNN_UINT8, WEBNN_LIST(__VA_ARGS__))
#define SCALAR(type) make(type, WEBNN_EMPTY_LIST)
#define L(...) WEBNN_LIST(__VA_ARGS__)
#define OPTIONS(name, ...) (&(webnn_##name##_options){__VA_ARGS__})

/* One row; `text` is the call as written. */
static void row(webnn_op op, const char *text, const webnn_operand *got, webnn_data_type type,
                webnn_list shape) {
  rows_of[op]++;
  if (CHECK(text, got != NULL, "refused: %s", webnn_builder_message(builder)))
    CHECK(text,
          webnn_operand_data_type(got) == type && test_same_list(webnn_operand_shape(got), shape),
          "expected %s %s, got %s %s", webnn_data_type_name(type), test_shape_text(shape),
          webnn_data_type_name(webnn_operand_data_type(got)),
          test_shape_text(webnn_operand_shape(got)));
  webnn_builder_clear_error(builder);
}
/* ROW(operator, call, type, dimensions...) and the same for a scalar result. */
#define ROW(op, call, type, ...) row(WEBNN_OP_##op, #call, call, WEBNN_##type, L(__VA_ARGS__))
#define ROW0(op, call, type) row(WEBNN_OP_##op, #call, call, WEBNN_##type, WEBNN_EMPTY_LIST)

/* Several outputs: the call gives their number, then each is a row. */
static webnn_operand *outputs[16];
static void rows(webnn_op op, const char *text, size_t got, size_t expected, webnn_data_type type,
                 const webnn_list *shapes) {
  size_t i;
  CHECK(text, got == expected, "expected %d outputs, got %d: %s", (int)expected, (int)got,
        webnn_builder_message(builder));
  for (i = 0; i < got && i < expected; i++)
    row(op, text, outputs[i], type, shapes[i]);
  webnn_builder_clear_error(builder);
}
#define ROWS(op, call, type, ...)                                                                  \
  rows(WEBNN_OP_##op, #call, call, sizeof((webnn_list[]){__VA_ARGS__}) / sizeof(webnn_list),       \
       WEBNN_##type, (webnn_list[]){__VA_ARGS__})

/* ---- element by element ---------------------------------------------------------------------- */

typedef webnn_operand *(*unary)(webnn_builder *, webnn_operand *, const webnn_operator_options *);
typedef webnn_operand *(*binary)(webnn_builder *, webnn_operand *, webnn_operand *,
                                 const webnn_operator_options *);
/* Methods with options of their own, called without. */
#define WITHOUT_OPTIONS(name)                                                                      \
  static webnn_operand *plain_##name(webnn_builder *by, webnn_operand *x,                          \
                                     const webnn_operator_options *none) {                         \
    (void)none;                                                                                    \
    return webnn_##name(by, x, NULL);                                                              \
  }
WITHOUT_OPTIONS(clamp)
WITHOUT_OPTIONS(elu)
WITHOUT_OPTIONS(hard_sigmoid)
WITHOUT_OPTIONS(leaky_relu)
WITHOUT_OPTIONS(linear)
WITHOUT_OPTIONS(reverse)

/* The shape and type of the input, at every rank; predicates give uint8. */
static void check_unary(void) {
  static const struct {
    webnn_op op;
    unary call;
    webnn_data_type other; /* a second type it takes */
    bool predicate;
  } methods[] = {
      {WEBNN_OP_LOGICAL_NOT, webnn_logical_not, WEBNN_UINT8, true},
      {WEBNN_OP_IS_NAN, webnn_is_nan, WEBNN_FLOAT16, true},
      {WEBNN_OP_IS_INFINITE, webnn_is_infinite, WEBNN_FLOAT16, true},
      {WEBNN_OP_ABS, webnn_abs, WEBNN_INT64, false},
      {WEBNN_OP_CEIL, webnn_ceil, WEBNN_FLOAT16, false},
      {WEBNN_OP_COS, webnn_cos, WEBNN_FLOAT16, false},
      {WEBNN_OP_ERF, webnn_erf, WEBNN_FLOAT16, false},
      {WEBNN_OP_EXP, webnn_exp, WEBNN_FLOAT16, false},
      {WEBNN_OP_FLOOR, webnn_floor, WEBNN_FLOAT16, false},
      {WEBNN_OP_IDENTITY, webnn_identity, WEBNN_UINT64, false},
      {WEBNN_OP_LOG, webnn_log, WEBNN_FLOAT16, false},
      {WEBNN_OP_NEG, webnn_neg, WEBNN_INT8, false},
      {WEBNN_OP_RECIPROCAL, webnn_reciprocal, WEBNN_FLOAT16, false},
      {WEBNN_OP_ROUND_EVEN, webnn_round_even, WEBNN_FLOAT16, false},
      {WEBNN_OP_SIGN, webnn_sign, WEBNN_INT32, false},
      {WEBNN_OP_SIN, webnn_sin, WEBNN_FLOAT16, false},
      {WEBNN_OP_SQRT, webnn_sqrt, WEBNN_FLOAT16, false},
      {WEBNN_OP_TAN, webnn_tan, WEBNN_FLOAT16, false},
      {WEBNN_OP_CLAMP, plain_clamp, WEBNN_UINT32, false},
      {WEBNN_OP_ELU, plain_elu, WEBNN_FLOAT16, false},
      {WEBNN_OP_GELU, webnn_gelu, WEBNN_FLOAT16, false},
      {WEBNN_OP_HARD_SIGMOID, plain_hard_sigmoid, WEBNN_FLOAT16, false},
      {WEBNN_OP_HARD_SWISH, webnn_hard_swish, WEBNN_FLOAT16, false},
      {WEBNN_OP_LEAKY_RELU, plain_leaky_relu, WEBNN_FLOAT16, false},
      {WEBNN_OP_LINEAR, plain_linear, WEBNN_FLOAT16, false},
      {WEBNN_OP_RELU, webnn_relu, WEBNN_INT8, false},
      {WEBNN_OP_REVERSE, plain_reverse, WEBNN_UINT64, false},
      {WEBNN_OP_SIGMOID, webnn_sigmoid, WEBNN_FLOAT16, false},
      {WEBNN_OP_SOFTPLUS, webnn_softplus, WEBNN_FLOAT16, false},
      {WEBNN_OP_SOFTSIGN, webnn_softsign, WEBNN_FLOAT16, false},
      {WEBNN_OP_TANH, webnn_tanh, WEBNN_FLOAT16, false},
  };
  static const uint32_t shape[WEBNN_MAX_RANK] = {2, 1, 3, 1, 2, 5, 1, 2};
  size_t i, rank;
  int turn;
  for (i = 0; i < COUNT(methods); i++)
    for (turn = 0; turn < 2; turn++)
      for (rank = 0; rank <= WEBNN_MAX_RANK; rank++) {
        webnn_data_type type =
            turn || methods[i].op == WEBNN_OP_LOGICAL_NOT ? methods[i].other : WEBNN_FLOAT32;
        webnn_list dimensions = webnn_list_of(shape, rank);
        row(methods[i].op, webnn_op_name(methods[i].op),
            methods[i].call(builder, make(type, dimensions), NULL),
            methods[i].predicate ? WEBNN_UINT8 : type, dimensions);
      }
}

/* Two operands: the broadcast shape; comparisons give uint8. */
static void check_binary(void) {
  static const struct {
    webnn_op op;
    binary call;
    webnn_data_type type, result;
  } methods[] = {
      {WEBNN_OP_ADD, webnn_add, WEBNN_FLOAT32, WEBNN_FLOAT32},
      {WEBNN_OP_SUB, webnn_sub, WEBNN_UINT8, WEBNN_UINT8},
      {WEBNN_OP_MUL, webnn_mul, WEBNN_INT64, WEBNN_INT64},
      {WEBNN_OP_DIV, webnn_div, WEBNN_INT32, WEBNN_INT32},
      {WEBNN_OP_MAX, webnn_max, WEBNN_UINT64, WEBNN_UINT64},
      {WEBNN_OP_MIN, webnn_min, WEBNN_FLOAT16, WEBNN_FLOAT16},
      {WEBNN_OP_POW, webnn_pow, WEBNN_INT8, WEBNN_INT8},
      {WEBNN_OP_EQUAL, webnn_equal, WEBNN_INT64, WEBNN_UINT8},
      {WEBNN_OP_NOT_EQUAL, webnn_not_equal, WEBNN_FLOAT32, WEBNN_UINT8},
      {WEBNN_OP_GREATER, webnn_greater, WEBNN_FLOAT16, WEBNN_UINT8},
      {WEBNN_OP_GREATER_OR_EQUAL, webnn_greater_or_equal, WEBNN_INT32, WEBNN_UINT8},
      {WEBNN_OP_LESSER, webnn_lesser, WEBNN_UINT32, WEBNN_UINT8},
      {WEBNN_OP_LESSER_OR_EQUAL, webnn_lesser_or_equal, WEBNN_INT8, WEBNN_UINT8},
      {WEBNN_OP_LOGICAL_AND, webnn_logical_and, WEBNN_UINT8, WEBNN_UINT8},
      {WEBNN_OP_LOGICAL_OR, webnn_logical_or, WEBNN_UINT8, WEBNN_UINT8},
      {WEBNN_OP_LOGICAL_XOR, webnn_logical_xor, WEBNN_UINT8, WEBNN_UINT8},
      {WEBNN_OP_PRELU, webnn_prelu, WEBNN_FLOAT32, WEBNN_FLOAT32},
      {WEBNN_OP_PRELU, webnn_prelu, WEBNN_INT64, WEBNN_INT64},
  };
  static const struct {
    size_t a_rank, b_rank, rank;
    uint32_t a[8], b[8], result[8];
  } shapes[] = {
      {0, 0, 0, {0}, {0}, {0}},
      {0, 1, 1, {0}, {5}, {5}},
      {2, 2, 2, {2, 3}, {2, 3}, {2, 3}},
      {2, 1, 2, {2, 3}, {3}, {2, 3}},
      {2, 1, 2, {2, 3}, {1}, {2, 3}},
      {1, 2, 2, {3}, {2, 1}, {2, 3}},
      {2, 2, 2, {2, 1}, {1, 3}, {2, 3}},
      {3, 4, 4, {5, 1, 3}, {4, 1, 2, 1}, {4, 5, 2, 3}},
      {8, 3, 8, {2, 1, 3, 1, 2, 1, 1, 4}, {3, 2, 1}, {2, 1, 3, 1, 2, 3, 2, 4}},
      {8, 8, 8, {1, 2, 1, 2, 1, 2, 1, 2}, {2, 1, 2, 1, 2, 1, 2, 1}, {2, 2, 2, 2, 2, 2, 2, 2}},
  };
  size_t i, j;
  for (i = 0; i < COUNT(methods); i++)
    for (j = 0; j < COUNT(shapes); j++) {
      webnn_operand *a = make(methods[i].type, webnn_list_of(shapes[j].a, shapes[j].a_rank));
      webnn_operand *b = make(methods[i].type, webnn_list_of(shapes[j].b, shapes[j].b_rank));
      row(methods[i].op, webnn_op_name(methods[i].op), methods[i].call(builder, a, b, NULL),
          methods[i].result, webnn_list_of(shapes[j].result, shapes[j].rank));
      row(methods[i].op, webnn_op_name(methods[i].op), methods[i].call(builder, b, a, NULL),
          methods[i].result, webnn_list_of(shapes[j].result, shapes[j].rank));
    }
}

static void check_cast_and_where(void) {
  int from, to;
#define WHERE(c, t, f) webnn_where(builder, c, t, f, NULL)
  for (from = WEBNN_FLOAT32; from <= WEBNN_UINT8; from++)
    for (to = WEBNN_FLOAT32; to <= WEBNN_UINT8; to++)
      row(WEBNN_OP_CAST, "cast",
          webnn_cast(builder, make((webnn_data_type)from, L(2, 3)), (webnn_data_type)to, NULL),
          (webnn_data_type)to, L(2, 3));
  ROW0(CAST, webnn_cast(builder, SCALAR(WEBNN_INT8), WEBNN_FLOAT16, NULL), FLOAT16);
  ROW0(WHERE, WHERE(SCALAR(WEBNN_UINT8), SCALAR(WEBNN_INT64), SCALAR(WEBNN_INT64)), INT64);
  ROW(WHERE, WHERE(U8(2, 3), F32(2, 3), F32(2, 3)), FLOAT32, 2, 3);
  ROW(WHERE, WHERE(U8(4, 1, 1), F16(2, 1), F16(3)), FLOAT16, 4, 2, 3);
  ROW(WHERE, WHERE(SCALAR(WEBNN_UINT8), U8(2, 1), U8(5, 1, 3)), UINT8, 5, 2, 3);
  ROW(WHERE, WHERE(U8(1, 2, 1, 2, 1, 2, 1, 2), I8(2, 1, 2, 1, 2, 1, 2, 1), SCALAR(WEBNN_INT8)),
      INT8, 2, 2, 2, 2, 2, 2, 2, 2);
#undef WHERE
}

/* ---- reductions ------------------------------------------------------------------------------ */

typedef webnn_operand *(*reduction)(webnn_builder *, webnn_operand *, const webnn_reduce_options *);

static void check_reduction(webnn_op op, reduction reduce, webnn_data_type type) {
  webnn_operand *x = make(type, L(2, 3, 4)), *scalar = SCALAR(type);
  webnn_operand *deep = make(type, L(2, 3, 4, 5, 6, 7, 8, 9));
#define REDUCED(x_, shape, ...)                                                                    \
  row(op, webnn_op_name(op), reduce(builder, x_, OPTIONS(reduce, __VA_ARGS__)), type, shape)
  REDUCED(x, WEBNN_EMPTY_LIST, .label = "");
  REDUCED(x, L(1, 1, 1), .keep_dimensions = true);
  REDUCED(x, L(2, 4), .axes = L(1));
  REDUCED(x, L(2, 1, 4), .axes = L(1), .keep_dimensions = true);
  REDUCED(x, L(3), .axes = L(2, 0));
  REDUCED(x, L(1, 3, 1), .axes = L(2, 0), .keep_dimensions = true);
  REDUCED(x, L(2, 3, 4), .axes = WEBNN_EMPTY_LIST);
  REDUCED(x, L(2, 3, 4), .axes = WEBNN_EMPTY_LIST, .keep_dimensions = true);
  REDUCED(x, WEBNN_EMPTY_LIST, .axes = L(0, 1, 2));
  REDUCED(scalar, WEBNN_EMPTY_LIST, .label = "");
  REDUCED(scalar, WEBNN_EMPTY_LIST, .axes = WEBNN_EMPTY_LIST, .keep_dimensions = true);
  REDUCED(deep, L(2, 3, 4, 5, 7, 8, 9), .axes = L(4));
  REDUCED(deep, L(3, 5, 7, 9), .axes = L(6, 0, 2, 4));
  REDUCED(deep, L(2, 3, 4, 5, 6, 7, 8, 1), .axes = L(7), .keep_dimensions = true);
#undef REDUCED
  row(op, webnn_op_name(op), reduce(builder, x, NULL), type, WEBNN_EMPTY_LIST);
}

static void check_reductions(void) {
  check_reduction(WEBNN_OP_REDUCE_L1, webnn_reduce_l1, WEBNN_UINT32);
  check_reduction(WEBNN_OP_REDUCE_L2, webnn_reduce_l2, WEBNN_FLOAT16);
  check_reduction(WEBNN_OP_REDUCE_LOG_SUM, webnn_reduce_log_sum, WEBNN_FLOAT32);
  check_reduction(WEBNN_OP_REDUCE_LOG_SUM_EXP, webnn_reduce_log_sum_exp, WEBNN_FLOAT32);
  check_reduction(WEBNN_OP_REDUCE_MAX, webnn_reduce_max, WEBNN_UINT8);
  check_reduction(WEBNN_OP_REDUCE_MEAN, webnn_reduce_mean, WEBNN_FLOAT32);
  check_reduction(WEBNN_OP_REDUCE_MIN, webnn_reduce_min, WEBNN_INT8);
  check_reduction(WEBNN_OP_REDUCE_PRODUCT, webnn_reduce_product, WEBNN_INT64);
  check_reduction(WEBNN_OP_REDUCE_SUM, webnn_reduce_sum, WEBNN_INT32);
  check_reduction(WEBNN_OP_REDUCE_SUM_SQUARE, webnn_reduce_sum_square, WEBNN_UINT64);
}

static void check_arg_and_running_sums(void) {
#define ARG(f, x, axis, ...) webnn_arg_##f(builder, x, axis, OPTIONS(arg_min_max, __VA_ARGS__))
  ROW(ARG_MIN, ARG(min, F32(2, 3, 4), 0, .label = ""), INT32, 3, 4);
  ROW(ARG_MIN, ARG(min, U8(2, 3, 4), 1, .output_data_type = WEBNN_INT64), INT64, 2, 4);
  ROW(ARG_MIN, ARG(min, F16(2, 3, 4), 2, .keep_dimensions = true), INT32, 2, 3, 1);
  ROW0(ARG_MIN, webnn_arg_min(builder, F32(7), 0, NULL), INT32);
  ROW(ARG_MAX, ARG(max, F32(2, 3, 4), 0, .keep_dimensions = true), INT32, 1, 3, 4);
  ROW(ARG_MAX, ARG(max, I64(2, 3, 4), 2, .output_data_type = WEBNN_INT32), INT32, 2, 3);
  ROW(ARG_MAX, ARG(max, I32(1, 2, 1, 2, 1, 2, 1, 9), 7, .label = ""), INT32, 1, 2, 1, 2, 1, 2, 1);
  ROW0(ARG_MAX, ARG(max, U8(7), 0, .output_data_type = WEBNN_INT64), INT64);
#undef ARG
#define SUMS(x, axis) webnn_cumulative_sum(builder, x, axis, NULL)
  ROW(CUMULATIVE_SUM, SUMS(F32(5), 0), FLOAT32, 5);
  ROW(CUMULATIVE_SUM, SUMS(I64(2, 3, 4), 1), INT64, 2, 3, 4);
  ROW(CUMULATIVE_SUM, SUMS(U32(1, 2, 1, 2, 1, 2, 1, 2), 7), UINT32, 1, 2, 1, 2, 1, 2, 1, 2);
#undef SUMS
#define SOFTMAX(x, axis) webnn_softmax(builder, x, axis, NULL)
  ROW(SOFTMAX, SOFTMAX(F32(5), 0), FLOAT32, 5);
  ROW(SOFTMAX, SOFTMAX(F16(2, 3, 4), 2), FLOAT16, 2, 3, 4);
  ROW(SOFTMAX, SOFTMAX(F16(1, 2, 1, 2, 1, 2, 1, 2), 0), FLOAT16, 1, 2, 1, 2, 1, 2, 1, 2);
#undef SOFTMAX
}

/* ---- convolutions, pooling, resampling ------------------------------------------------------- */

static void check_conv2d(void) {
#define CONV(x, w, ...) webnn_conv2d(builder, x, w, OPTIONS(conv2d, __VA_ARGS__))
  webnn_operand *x = F32(2, 4, 7, 9), *w = F32(6, 4, 3, 2);
  ROW(CONV2D, webnn_conv2d(builder, x, w, NULL), FLOAT32, 2, 6, 5, 8);
  ROW(CONV2D, CONV(x, w, .padding = L(1, 2, 3, 4)), FLOAT32, 2, 6, 8, 15);
  ROW(CONV2D, CONV(x, w, .strides = L(2, 3)), FLOAT32, 2, 6, 3, 3);
  ROW(CONV2D, CONV(x, w, .dilations = L(3, 8)), FLOAT32, 2, 6, 1, 1);
  /* floor((7 - 5 + 2) / 3) + 1 = 2, floor((9 - 3 + 1) / 2) + 1 = 4 */
  ROW(CONV2D, CONV(x, w, .dilations = L(2, 2), .padding = L(1, 1, 0, 1), .strides = L(3, 2)),
      FLOAT32, 2, 6, 2, 4);
  ROW(CONV2D, CONV(x, F32(6, 2, 3, 3), .groups = 2), FLOAT32, 2, 6, 5, 7);
  ROW(CONV2D, CONV(x, F32(8, 1, 1, 1), .groups = 4), FLOAT32, 2, 8, 7, 9);
  ROW(CONV2D, CONV(x, F32(3, 2, 4, 6), .filter_layout = WEBNN_CONV2D_HWIO), FLOAT32, 2, 6, 5, 8);
  ROW(CONV2D, CONV(x, F32(6, 3, 2, 4), .filter_layout = WEBNN_CONV2D_OHWI), FLOAT32, 2, 6, 5, 8);
  ROW(CONV2D, CONV(x, F32(4, 3, 2, 6), .filter_layout = WEBNN_CONV2D_IHWO), FLOAT32, 2, 6, 5, 8);
  ROW(CONV2D, CONV(x, w, .filter_layout = WEBNN_CONV2D_OIHW, .input_layout = WEBNN_LAYOUT_NCHW),
      FLOAT32, 2, 6, 5, 8);
  x = F16(2, 7, 9, 4);
  ROW(CONV2D, CONV(x, F16(6, 4, 3, 2), .input_layout = WEBNN_LAYOUT_NHWC), FLOAT16, 2, 5, 8, 6);
  ROW(CONV2D,
      CONV(x, F16(3, 2, 2, 6), .input_layout = WEBNN_LAYOUT_NHWC,
           .filter_layout = WEBNN_CONV2D_HWIO, .groups = 2, .bias = F16(6)),
      FLOAT16, 2, 5, 8, 6);
  ROW(CONV2D,
      CONV(x, F16(8, 3, 2, 1), .input_layout = WEBNN_LAYOUT_NHWC,
           .filter_layout = WEBNN_CONV2D_OHWI, .groups = 4, .strides = L(2, 2)),
      FLOAT16, 2, 3, 4, 8);
  ROW(CONV2D,
      CONV(x, F16(1, 3, 2, 4), .input_layout = WEBNN_LAYOUT_NHWC,
           .filter_layout = WEBNN_CONV2D_IHWO, .groups = 4, .padding = L(1, 1, 1, 0)),
      FLOAT16, 2, 7, 9, 4);
  /* Sizes that only fit in 64 bits on the way: (5 - 3 + 2^32 - 1) / 2^31 + 1 = 3 */
  ROW(CONV2D,
      CONV(F32(1, 1, 5, 5), F32(1, 1, 3, 3), .padding = L(4294967295u, 0, 0, 0),
           .strides = L(2147483648u, 4294967295u)),
      FLOAT32, 1, 1, 3, 1);
#undef CONV
}

static void check_conv_transpose2d(void) {
#define CONV(x, w, ...)                                                                            \
  webnn_conv_transpose2d(builder, x, w, OPTIONS(conv_transpose2d, __VA_ARGS__))
  webnn_operand *x = F32(2, 4, 5, 6), *w = F32(4, 3, 3, 2);
  /* (5 - 1) + 3 = 7, (6 - 1) + 2 = 7 */
  ROW(CONV_TRANSPOSE2D, webnn_conv_transpose2d(builder, x, w, NULL), FLOAT32, 2, 3, 7, 7);
  ROW(CONV_TRANSPOSE2D, CONV(x, w, .padding = L(1, 2, 0, 3)), FLOAT32, 2, 3, 4, 4);
  ROW(CONV_TRANSPOSE2D, CONV(x, w, .strides = L(2, 3)), FLOAT32, 2, 3, 11, 17);
  ROW(CONV_TRANSPOSE2D, CONV(x, w, .strides = L(2, 3), .output_padding = L(1, 2)), FLOAT32, 2, 3,
      12, 19);
  ROW(CONV_TRANSPOSE2D, CONV(x, w, .strides = L(2, 3), .output_sizes = L(12, 18)), FLOAT32, 2, 3,
      12, 18);
  ROW(CONV_TRANSPOSE2D,
      CONV(x, w, .strides = L(2, 3), .output_sizes = L(11, 17), .output_padding = L(1, 2)), FLOAT32,
      2, 3, 11, 17);
  /* (5 - 1) + 2 2 + 1 = 9, (6 - 1) + 4 + 1 = 10 */
  ROW(CONV_TRANSPOSE2D, CONV(x, w, .dilations = L(2, 4)), FLOAT32, 2, 3, 9, 10);
  ROW(CONV_TRANSPOSE2D, CONV(x, w, .groups = 4, .bias = F32(12)), FLOAT32, 2, 12, 7, 7);
  ROW(CONV_TRANSPOSE2D, CONV(x, F32(3, 2, 7, 4), .filter_layout = WEBNN_CONV_TRANSPOSE2D_HWOI),
      FLOAT32, 2, 7, 7, 7);
  ROW(CONV_TRANSPOSE2D, CONV(x, F32(7, 3, 2, 4), .filter_layout = WEBNN_CONV_TRANSPOSE2D_OHWI),
      FLOAT32, 2, 7, 7, 7);
  ROW(CONV_TRANSPOSE2D, CONV(x, F32(4, 7, 3, 2), .filter_layout = WEBNN_CONV_TRANSPOSE2D_IOHW),
      FLOAT32, 2, 7, 7, 7);
  ROW(CONV_TRANSPOSE2D,
      CONV(F16(2, 5, 6, 4), F16(3, 2, 7, 4), .filter_layout = WEBNN_CONV_TRANSPOSE2D_HWOI,
           .input_layout = WEBNN_LAYOUT_NHWC, .groups = 2),
      FLOAT16, 2, 7, 7, 14);
#undef CONV
}

typedef webnn_operand *(*pooling)(webnn_builder *, webnn_operand *, const webnn_pool2d_options *);

static void check_pool(webnn_op op, pooling pool, webnn_data_type type) {
  webnn_operand *x = make(type, L(2, 3, 7, 9)), *last = make(type, L(2, 7, 9, 3));
#define POOL(x_, shape, ...)                                                                       \
  row(op, webnn_op_name(op), pool(builder, x_, OPTIONS(pool2d, __VA_ARGS__)), type, shape)
  POOL(x, L(2, 3, 1, 1), .label = "");
  POOL(last, L(2, 1, 1, 3), .layout = WEBNN_LAYOUT_NHWC);
  POOL(x, L(2, 3, 5, 8), .window_dimensions = L(3, 2));
  POOL(last, L(2, 5, 8, 3), .window_dimensions = L(3, 2), .layout = WEBNN_LAYOUT_NHWC);
  POOL(x, L(2, 3, 8, 15), .window_dimensions = L(3, 2), .padding = L(1, 2, 3, 4));
  /* 4 / 3 + 1 = 2.33, 7 / 2 + 1 = 4.5 */
  POOL(x, L(2, 3, 2, 4), .window_dimensions = L(3, 2), .strides = L(3, 2));
  POOL(x, L(2, 3, 3, 5), .window_dimensions = L(3, 2), .strides = L(3, 2),
       .output_shape_rounding = WEBNN_ROUNDING_CEIL);
  POOL(x, L(2, 3, 3, 5), .window_dimensions = L(3, 2), .strides = L(3, 2), .output_sizes = L(3, 5));
  POOL(x, L(2, 3, 2, 4), .window_dimensions = L(3, 2), .strides = L(3, 2), .output_sizes = L(2, 4),
       .output_shape_rounding = WEBNN_ROUNDING_CEIL);
  POOL(last, L(2, 3, 5, 3), .window_dimensions = L(3, 2), .strides = L(3, 2),
       .output_sizes = L(3, 5), .layout = WEBNN_LAYOUT_NHWC);
  POOL(x, L(2, 3, 3, 4), .window_dimensions = L(3, 2), .dilations = L(2, 5));
  /* The padding counts with output sizes too: (7 + 2 - 4) / 2 + 1 = 3.5, (9 + 2 - 4) / 2 + 1 = 4.5
   */
  POOL(x, L(2, 3, 4, 5), .window_dimensions = L(4, 4), .padding = L(1, 1, 1, 1), .strides = L(2, 2),
       .output_sizes = L(4, 5));
  /* A window longer than the input: ceil(-1 / 2) + 1 = 1 */
  POOL(x, L(2, 3, 1, 1), .window_dimensions = L(8, 10), .strides = L(2, 2),
       .output_shape_rounding = WEBNN_ROUNDING_CEIL);
#undef POOL
}

static void check_resample2d(void) {
#define RESAMPLE(x, ...) webnn_resample2d(builder, x, OPTIONS(resample2d, __VA_ARGS__))
  webnn_operand *x = F32(2, 3, 4, 5);
  ROW(RESAMPLE2D, webnn_resample2d(builder, x, NULL), FLOAT32, 2, 3, 4, 5);
  ROW(RESAMPLE2D, RESAMPLE(x, .scales = WEBNN_FLOAT_LIST(2, 3)), FLOAT32, 2, 3, 8, 15);
  ROW(RESAMPLE2D, RESAMPLE(x, .scales = WEBNN_FLOAT_LIST(0.5f, 0.5f)), FLOAT32, 2, 3, 2, 2);
  ROW(RESAMPLE2D, RESAMPLE(x, .sizes = L(7, 1), .scales = WEBNN_FLOAT_LIST(2, 3)), FLOAT32, 2, 3, 7,
      1);
  ROW(RESAMPLE2D, RESAMPLE(x, .sizes = L(7, 8), .axes = L(0, 1)), FLOAT32, 7, 8, 4, 5);
  ROW(RESAMPLE2D, RESAMPLE(x, .sizes = L(7, 8), .axes = L(3, 1)), FLOAT32, 2, 8, 4, 7);
  ROW(RESAMPLE2D, RESAMPLE(x, .scales = WEBNN_FLOAT_LIST(2, 3), .axes = L(1, 2)), FLOAT32, 2, 6, 12,
      5);
  ROW(RESAMPLE2D, RESAMPLE(U8(1, 1, 3, 3), .sizes = L(6, 6), .mode = WEBNN_INTERPOLATION_LINEAR),
      UINT8, 1, 1, 6, 6);
  /* 0.7f is a little less than 0.7: floor(10 * 0.69999998...) = 6 */
  ROW(RESAMPLE2D, RESAMPLE(F16(1, 1, 10, 10), .scales = WEBNN_FLOAT_LIST(0.7f, 0.1f)), FLOAT16, 1,
      1, 6, 1);
#undef RESAMPLE
}

/* ---- products, normalizations, quantization, recurrent networks ------------------------------ */

static void check_products(void) {
#define GEMM(a, b, ...) webnn_gemm(builder, a, b, OPTIONS(gemm, __VA_ARGS__))
#define MATMUL(a, b) webnn_matmul(builder, a, b, NULL)
  ROW(GEMM, webnn_gemm(builder, F32(2, 3), F32(3, 4), NULL), FLOAT32, 2, 4);
  ROW(GEMM, GEMM(F32(3, 2), F32(3, 4), .a_transpose = true), FLOAT32, 2, 4);
  ROW(GEMM, GEMM(F32(2, 3), F32(4, 3), .b_transpose = true), FLOAT32, 2, 4);
  ROW(GEMM, GEMM(F16(3, 2), F16(4, 3), .a_transpose = true, .b_transpose = true, .c = F16(4)),
      FLOAT16, 2, 4);
  ROW(GEMM, GEMM(F32(1, 3), F32(3, 1), .c = SCALAR(WEBNN_FLOAT32)), FLOAT32, 1, 1);
  ROW(MATMUL, MATMUL(F32(2, 3), F32(3, 4)), FLOAT32, 2, 4);
  ROW(MATMUL, MATMUL(F16(5, 2, 3), F16(3, 4)), FLOAT16, 5, 2, 4);
  ROW(MATMUL, MATMUL(F32(2, 3), F32(5, 3, 4)), FLOAT32, 5, 2, 4);
  ROW(MATMUL, MATMUL(F32(6, 1, 2, 3), F32(5, 3, 4)), FLOAT32, 6, 5, 2, 4);
  ROW(MATMUL, MATMUL(F32(2, 1, 2, 1, 2, 1, 2, 3), F32(2, 1, 2, 1, 3, 1)), FLOAT32, 2, 1, 2, 1, 2, 1,
      2, 1);
#undef GEMM
#undef MATMUL
}

static void check_normalizations(void) {
#define BATCH(x, m, ...)                                                                           \
  webnn_batch_normalization(builder, x, m, m, OPTIONS(batch_normalization, __VA_ARGS__))
#define INSTANCE(x, ...)                                                                           \
  webnn_instance_normalization(builder, x, OPTIONS(instance_normalization, __VA_ARGS__))
#define LAYER(x, ...)                                                                              \
  webnn_layer_normalization(builder, x, OPTIONS(layer_normalization, __VA_ARGS__))
  ROW(BATCH_NORMALIZATION, BATCH(F32(2, 3, 4, 5), F32(3), .label = ""), FLOAT32, 2, 3, 4, 5);
  ROW(BATCH_NORMALIZATION, BATCH(F16(2, 3, 4, 5), F16(5), .axis = webnn_f64(3)), FLOAT16, 2, 3, 4,
      5);
  ROW(BATCH_NORMALIZATION, BATCH(F32(3), F32(3), .axis = webnn_f64(0)), FLOAT32, 3);
  ROW(BATCH_NORMALIZATION, BATCH(F32(1, 2, 1, 2, 1, 2, 1, 3), F32(3), .axis = webnn_f64(7)),
      FLOAT32, 1, 2, 1, 2, 1, 2, 1, 3);
  ROW(INSTANCE_NORMALIZATION, INSTANCE(F32(2, 3, 4, 5), .scale = F32(3)), FLOAT32, 2, 3, 4, 5);
  ROW(INSTANCE_NORMALIZATION,
      INSTANCE(F16(2, 3, 4, 5), .bias = F16(5), .layout = WEBNN_LAYOUT_NHWC), FLOAT16, 2, 3, 4, 5);
  ROW0(LAYER_NORMALIZATION, LAYER(SCALAR(WEBNN_FLOAT16), .scale = SCALAR(WEBNN_FLOAT16)), FLOAT16);
  ROW(LAYER_NORMALIZATION, LAYER(F32(2, 3, 4), .label = ""), FLOAT32, 2, 3, 4);
  ROW(LAYER_NORMALIZATION, LAYER(F32(2, 3, 4), .axes = L(2, 0), .scale = F32(4, 2)), FLOAT32, 2, 3,
      4);
  ROW(LAYER_NORMALIZATION, LAYER(F32(1, 2, 1, 2, 1, 2, 1, 2), .axes = WEBNN_EMPTY_LIST), FLOAT32, 1,
      2, 1, 2, 1, 2, 1, 2);
#undef BATCH
#undef INSTANCE
#undef LAYER
}

static void check_quantization(void) {
#define DEQUANTIZE(x, s, z) webnn_dequantize_linear(builder, x, s, z, NULL)
#define QUANTIZE(x, s, z) webnn_quantize_linear(builder, x, s, z, NULL)
  ROW(DEQUANTIZE_LINEAR, DEQUANTIZE(U8(4, 6), F32(4, 6), U8(4, 6)), FLOAT32, 4, 6);
  ROW(DEQUANTIZE_LINEAR, DEQUANTIZE(I8(4, 6), F16(2, 3), I8(2, 3)), FLOAT16, 4, 6);
  ROW(DEQUANTIZE_LINEAR, DEQUANTIZE(I32(4, 6), F16(1, 1), I32(1, 1)), FLOAT16, 4, 6);
  ROW(DEQUANTIZE_LINEAR,
      DEQUANTIZE(make(WEBNN_INT4, L(3, 5)), F32(1, 5), make(WEBNN_INT4, L(1, 5))), FLOAT32, 3, 5);
  ROW0(DEQUANTIZE_LINEAR,
       DEQUANTIZE(SCALAR(WEBNN_UINT32), SCALAR(WEBNN_FLOAT32), SCALAR(WEBNN_UINT32)), FLOAT32);
  ROW(QUANTIZE_LINEAR, QUANTIZE(F32(4, 6), F32(4, 1), I8(4, 1)), INT8, 4, 6);
  ROW(QUANTIZE_LINEAR, QUANTIZE(F16(4, 6), F16(2, 3), make(WEBNN_UINT4, L(2, 3))), UINT4, 4, 6);
  ROW(QUANTIZE_LINEAR,
      QUANTIZE(F16(2, 1, 2, 1, 2, 1, 2, 1), F16(1, 1, 1, 1, 1, 1, 1, 1),
               U32(1, 1, 1, 1, 1, 1, 1, 1)),
      UINT32, 2, 1, 2, 1, 2, 1, 2, 1);
  ROW0(QUANTIZE_LINEAR, QUANTIZE(SCALAR(WEBNN_FLOAT16), SCALAR(WEBNN_FLOAT16), SCALAR(WEBNN_INT32)),
       INT32);
#undef DEQUANTIZE
#undef QUANTIZE
}

static void check_recurrent(void) {
#define GRU(d, ...)                                                                                \
  webnn_gru(builder, F32(3, 2, 4), F32(d, 15, 4), F32(d, 15, 5), 3, 5, OPTIONS(gru, __VA_ARGS__),  \
            outputs)
#define LSTM(d, ...)                                                                               \
  webnn_lstm(builder, F16(3, 2, 4), F16(d, 20, 4), F16(d, 20, 5), 3, 5,                            \
             OPTIONS(lstm, __VA_ARGS__), outputs)
  ROWS(GRU, GRU(1, .label = ""), FLOAT32, L(1, 2, 5));
  ROWS(GRU, GRU(1, .return_sequence = true), FLOAT32, L(1, 2, 5), L(3, 1, 2, 5));
  ROWS(GRU, GRU(1, .direction = WEBNN_DIRECTION_BACKWARD), FLOAT32, L(1, 2, 5));
  ROWS(GRU, GRU(2, .return_sequence = true, .direction = WEBNN_DIRECTION_BOTH), FLOAT32, L(2, 2, 5),
       L(3, 2, 2, 5));
  ROWS(LSTM, LSTM(1, .label = ""), FLOAT16, L(1, 2, 5), L(1, 2, 5));
  ROWS(LSTM, LSTM(1, .return_sequence = true), FLOAT16, L(1, 2, 5), L(1, 2, 5), L(3, 1, 2, 5));
  ROWS(LSTM, LSTM(2, .return_sequence = true, .direction = WEBNN_DIRECTION_BOTH), FLOAT16,
       L(2, 2, 5), L(2, 2, 5), L(3, 2, 2, 5));
  ROW(GRU_CELL, webnn_gru_cell(builder, F32(2, 4), F32(15, 4), F32(15, 5), F32(2, 5), 5, NULL),
      FLOAT32, 2, 5);
  ROW(GRU_CELL,
      webnn_gru_cell(builder, F16(7, 1), F16(3, 1), F16(3, 1), F16(7, 1), 1,
                     OPTIONS(gru_cell, .layout = WEBNN_GRU_RZN)),
      FLOAT16, 7, 1);
  ROWS(LSTM_CELL,
       webnn_lstm_cell(builder, F32(2, 4), F32(20, 4), F32(20, 5), F32(2, 5), F32(2, 5), 5, NULL,
                       outputs),
       FLOAT32, L(2, 5), L(2, 5));
  ROWS(LSTM_CELL,
       webnn_lstm_cell(builder, F16(7, 1), F16(4, 1), F16(4, 1), F16(7, 1), F16(7, 1), 1, NULL,
                       outputs),
       FLOAT16, L(7, 1), L(7, 1));
#undef GRU
#undef LSTM
}

/* ---- movement of data ------------------------------------------------------------------------ */

static void check_joining_and_cutting(void) {
#define CONCAT(axis, ...) webnn_concat(builder, WEBNN_OPERANDS(__VA_ARGS__), axis, NULL)
#define SLICE(x, starts, sizes, ...)                                                               \
  webnn_slice(builder, x, L starts, L sizes, OPTIONS(slice, __VA_ARGS__))
#define SPLIT(x, n, ...) webnn_split(builder, x, n, OPTIONS(split, __VA_ARGS__), outputs)
#define SIZES(x, sizes, ...)                                                                       \
  webnn_split_sizes(builder, x, WEBNN_SPLITS sizes, OPTIONS(split, __VA_ARGS__), outputs)
  ROW(CONCAT, CONCAT(0, F32(2)), FLOAT32, 2);
  ROW(CONCAT, CONCAT(0, I8(2, 3), I8(5, 3), I8(1, 3)), INT8, 8, 3);
  ROW(CONCAT, CONCAT(1, I64(2, 3), I64(2, 4)), INT64, 2, 7);
  ROW(CONCAT, CONCAT(7, U8(1, 2, 1, 2, 1, 2, 1, 2), U8(1, 2, 1, 2, 1, 2, 1, 3)), UINT8, 1, 2, 1, 2,
      1, 2, 1, 5);
  ROW(SLICE, webnn_slice(builder, F32(4, 6), L(1, 2), L(3, 4), NULL), FLOAT32, 3, 4);
  ROW(SLICE, SLICE(I32(4, 6), (1, 0), (3, 6), .strides = L(2, 4)), INT32, 2, 2);
  ROW(SLICE, SLICE(U8(9), (0), (9), .strides = L(4294967295u)), UINT8, 1);
  ROW0(SLICE, webnn_slice(builder, SCALAR(WEBNN_INT8), WEBNN_EMPTY_LIST, WEBNN_EMPTY_LIST, NULL),
       INT8);
  ROW(SLICE,
      SLICE(F16(2, 2, 2, 2, 2, 2, 2, 5), (0, 0, 0, 0, 0, 0, 1, 1), (1, 2, 1, 2, 1, 2, 1, 4),
            .strides = L(1, 1, 1, 1, 1, 1, 1, 3)),
      FLOAT16, 1, 2, 1, 2, 1, 2, 1, 2);
  ROWS(SPLIT, SPLIT(F32(6, 3), 3, .label = ""), FLOAT32, L(2, 3), L(2, 3), L(2, 3));
  ROWS(SPLIT, SPLIT(U8(6, 4), 2, .axis = 1), UINT8, L(6, 2), L(6, 2));
  ROWS(SPLIT, webnn_split(builder, I64(5), 1, NULL, outputs), INT64, L(5));
  ROWS(SPLIT, SIZES(F16(6, 3), (1, 3, 2), .label = ""), FLOAT16, L(1, 3), L(3, 3), L(2, 3));
  ROWS(SPLIT, SIZES(I8(6, 3), (2, 1), .axis = 1), INT8, L(6, 2), L(6, 1));
  ROWS(SPLIT, webnn_split_sizes(builder, I8(6), WEBNN_SPLITS(6), NULL, outputs), INT8, L(6));
#undef CONCAT
#undef SLICE
#undef SPLIT
#undef SIZES
}

static void check_repeating_and_turning(void) {
#define EXPAND(x, ...) webnn_expand(builder, x, L(__VA_ARGS__), NULL)
#define TILE(x, ...) webnn_tile(builder, x, L(__VA_ARGS__), NULL)
#define TRANSPOSE(x, ...)                                                                          \
  webnn_transpose(builder, x, OPTIONS(transpose, .permutation = L(__VA_ARGS__)))
#define PAD(x, begin, end, ...) webnn_pad(builder, x, L begin, L end, OPTIONS(pad, __VA_ARGS__))
  ROW(EXPAND, EXPAND(F32(1, 3), 2, 3), FLOAT32, 2, 3);
  ROW(EXPAND, EXPAND(I8(3, 1), 4, 3, 5), INT8, 4, 3, 5);
  ROW(EXPAND, EXPAND(SCALAR(WEBNN_UINT64), 1, 2, 1, 2, 1, 2, 1, 2), UINT64, 1, 2, 1, 2, 1, 2, 1, 2);
  ROW0(EXPAND, webnn_expand(builder, SCALAR(WEBNN_FLOAT16), WEBNN_EMPTY_LIST, NULL), FLOAT16);
  ROW(TILE, TILE(F32(2, 3), 4, 1), FLOAT32, 8, 3);
  ROW(TILE, TILE(U8(2, 1, 2, 1, 2, 1, 2, 1), 1, 2, 3, 1, 1, 1, 1, 5), UINT8, 2, 2, 6, 1, 2, 1, 2,
      5);
  ROW0(TILE, webnn_tile(builder, SCALAR(WEBNN_INT64), WEBNN_EMPTY_LIST, NULL), INT64);
  ROW(TRANSPOSE, webnn_transpose(builder, F32(2, 3, 4), NULL), FLOAT32, 4, 3, 2);
  ROW(TRANSPOSE, TRANSPOSE(F32(2, 3, 4), 1, 2, 0), FLOAT32, 3, 4, 2);
  ROW(TRANSPOSE, TRANSPOSE(F32(2, 3, 4), 2, 0, 1), FLOAT32, 4, 2, 3);
  ROW(TRANSPOSE, TRANSPOSE(I64(2, 3, 4, 5, 6, 7, 8, 9), 7, 0, 6, 1, 5, 2, 4, 3), INT64, 9, 2, 8, 3,
      7, 4, 6, 5);
  ROW0(TRANSPOSE, webnn_transpose(builder, SCALAR(WEBNN_UINT8), NULL), UINT8);
  ROW(PAD, PAD(F32(2, 3), (1, 2), (3, 0), .label = ""), FLOAT32, 6, 5);
  ROW(PAD, PAD(U8(2, 3), (1, 2), (1, 2), .mode = WEBNN_PADDING_REFLECTION), UINT8, 4, 7);
  ROW(PAD, PAD(I8(2, 3), (9, 0), (0, 9), .mode = WEBNN_PADDING_EDGE), INT8, 11, 12);
  ROW(PAD,
      PAD(F16(2, 1, 2, 1, 2, 1, 2, 1), (0, 0, 0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0, 0, 0),
          .value = webnn_f64(1)),
      FLOAT16, 3, 1, 2, 1, 2, 1, 2, 2);
  ROW0(PAD, webnn_pad(builder, SCALAR(WEBNN_INT32), WEBNN_EMPTY_LIST, WEBNN_EMPTY_LIST, NULL),
       INT32);
  ROW(REVERSE, webnn_reverse(builder, I8(2, 3, 4), OPTIONS(reverse, .axes = L(2, 0))), INT8, 2, 3,
      4);
  ROW(TRIANGULAR, webnn_triangular(builder, F32(2, 3), NULL), FLOAT32, 2, 3);
  ROW(TRIANGULAR, webnn_triangular(builder, U8(1, 2, 1, 2, 1, 2, 4, 3), NULL), UINT8, 1, 2, 1, 2, 1,
      2, 4, 3);
#undef EXPAND
#undef TILE
#undef TRANSPOSE
#undef PAD
}

static void check_reshaping(void) {
#define RESHAPE(x, ...) webnn_reshape(builder, x, L(__VA_ARGS__), NULL)
#define SQUEEZE(x, list) webnn_squeeze(builder, x, list, NULL)
#define UNSQUEEZE(x, ...) webnn_unsqueeze(builder, x, L(__VA_ARGS__), NULL)
#define FLATTEN(axis) webnn_flatten(builder, F32(2, 3, 4), axis, NULL)
  ROW(RESHAPE, RESHAPE(F32(2, 3), 6), FLOAT32, 6);
  ROW(RESHAPE, RESHAPE(make(WEBNN_UINT4, L(3, 5)), 5, 3), UINT4, 5, 3);
  ROW(RESHAPE, RESHAPE(SCALAR(WEBNN_INT64), 1, 1, 1, 1, 1, 1, 1, 1), INT64, 1, 1, 1, 1, 1, 1, 1, 1);
  ROW0(RESHAPE, webnn_reshape(builder, U8(1, 1), WEBNN_EMPTY_LIST, NULL), UINT8);
  ROW(RESHAPE, SQUEEZE(F32(1, 2, 1, 3), ((webnn_list)WEBNN_ZERO)), FLOAT32, 2, 3);
  ROW(RESHAPE, SQUEEZE(F32(1, 2, 1, 3), L(2)), FLOAT32, 1, 2, 3);
  ROW(RESHAPE, SQUEEZE(F32(1, 2, 1, 3), L(2, 0)), FLOAT32, 2, 3);
  ROW0(RESHAPE, SQUEEZE(F32(1, 1), ((webnn_list)WEBNN_ZERO)), FLOAT32);
  ROW(RESHAPE, UNSQUEEZE(I8(2, 3), 0), INT8, 1, 2, 3);
  ROW(RESHAPE, UNSQUEEZE(I8(2, 3), 2), INT8, 2, 3, 1);
  ROW(RESHAPE, UNSQUEEZE(I8(2, 3), 1, 3), INT8, 2, 1, 3, 1);
  ROW(RESHAPE, UNSQUEEZE(I8(2, 3), 3, 0), INT8, 1, 2, 3, 1);
  ROW(RESHAPE, UNSQUEEZE(SCALAR(WEBNN_INT8), 0), INT8, 1);
  ROW(RESHAPE, FLATTEN(0), FLOAT32, 1, 24);
  ROW(RESHAPE, FLATTEN(1), FLOAT32, 2, 12);
  ROW(RESHAPE, FLATTEN(2), FLOAT32, 6, 4);
  ROW(RESHAPE, FLATTEN(3), FLOAT32, 24, 1);
  ROW(RESHAPE, webnn_flatten(builder, SCALAR(WEBNN_UINT8), 0, NULL), UINT8, 1, 1);
#undef RESHAPE
#undef SQUEEZE
#undef UNSQUEEZE
#undef FLATTEN
}

static void check_gathering_and_scattering(void) {
#define GATHER(x, i, n) webnn_gather(builder, x, i, OPTIONS(gather, .axis = n))
#define GATHER_E(x, i, n) webnn_gather_elements(builder, x, i, OPTIONS(gather, .axis = n))
#define SCATTER_E(x, i, u, n) webnn_scatter_elements(builder, x, i, u, OPTIONS(scatter, .axis = n))
  ROW(GATHER, webnn_gather(builder, F32(4, 3), I32(2), NULL), FLOAT32, 2, 3);
  ROW(GATHER, GATHER(U8(4, 3), I64(3), 1), UINT8, 4, 3);
  ROW(GATHER, GATHER(F16(4, 3, 5), U32(2, 6), 1), FLOAT16, 4, 2, 6, 5);
  ROW(GATHER, GATHER(I8(4, 3, 5), SCALAR(WEBNN_INT32), 1), INT8, 4, 5);
  ROW0(GATHER, GATHER(I64(4), SCALAR(WEBNN_INT64), 0), INT64);
  ROW(GATHER, GATHER(I8(2, 3, 4, 5, 6), I32(1, 2, 3, 4), 4), INT8, 2, 3, 4, 5, 1, 2, 3, 4);
  ROW(GATHER_ELEMENTS, webnn_gather_elements(builder, F32(4, 3), I32(2, 3), NULL), FLOAT32, 2, 3);
  ROW(GATHER_ELEMENTS, GATHER_E(I8(4, 3), I64(4, 7), 1), INT8, 4, 7);
  ROW(GATHER_ELEMENTS, GATHER_E(U8(1, 2, 1, 2, 1, 2, 1, 2), U32(1, 2, 1, 2, 1, 2, 1, 9), 7), UINT8,
      1, 2, 1, 2, 1, 2, 1, 9);
#define GATHER_ND(x, i) webnn_gather_nd(builder, x, i, NULL)
  ROW(GATHER_ND, GATHER_ND(F32(4, 3), I32(5, 2)), FLOAT32, 5);
  ROW(GATHER_ND, GATHER_ND(F32(4, 3), I32(5, 1)), FLOAT32, 5, 3);
  ROW(GATHER_ND, GATHER_ND(I8(4, 3, 2), I64(6, 5, 2)), INT8, 6, 5, 2);
  ROW(GATHER_ND, GATHER_ND(I8(4, 3, 2), U32(2)), INT8, 2);
  ROW0(GATHER_ND, GATHER_ND(F16(4, 3), I32(2)), FLOAT16);
  ROW(SCATTER_ELEMENTS, webnn_scatter_elements(builder, F32(4, 3), I32(2, 3), F32(2, 3), NULL),
      FLOAT32, 4, 3);
  ROW(SCATTER_ELEMENTS, SCATTER_E(I8(4, 3), I64(4, 7), I8(4, 7), 1), INT8, 4, 3);
#define SCATTER_ND(x, i, u) webnn_scatter_nd(builder, x, i, u, NULL)
  ROW(SCATTER_ND, SCATTER_ND(F32(4, 3), I32(5, 2), F32(5)), FLOAT32, 4, 3);
  ROW(SCATTER_ND, SCATTER_ND(U8(4, 3), U32(5, 1), U8(5, 3)), UINT8, 4, 3);
  ROW(SCATTER_ND, SCATTER_ND(I64(4, 3), I32(2), SCALAR(WEBNN_INT64)), INT64, 4, 3);
#undef GATHER
#undef GATHER_E
#undef GATHER_ND
#undef SCATTER_E
#undef SCATTER_ND
}

static void check_list(void) {
  int op;
  for (op = 0; op < WEBNN_OP_COUNT; op++)
    CHECK(webnn_op_name((webnn_op)op), rows_of[op] > 0, "no row for this operator");
  CHECK("operators", webnn_op_name(WEBNN_OP_COUNT) == NULL, "a name outside the enumeration");
}

int main(void) {
  webnn_context *context = test_context(NULL);
  builder = test_builder(context);
  check_unary();
  check_binary();
  check_cast_and_where();
  check_reductions();
  check_arg_and_running_sums();
  check_conv2d();
  check_conv_transpose2d();
  check_pool(WEBNN_OP_AVERAGE_POOL2D, webnn_average_pool2d, WEBNN_FLOAT32);
  check_pool(WEBNN_OP_L2_POOL2D, webnn_l2_pool2d, WEBNN_FLOAT16);
  check_pool(WEBNN_OP_MAX_POOL2D, webnn_max_pool2d, WEBNN_UINT8);
  check_resample2d();
  check_products();
  check_normalizations();
  check_quantization();
  check_recurrent();
  check_joining_and_cutting();
  check_repeating_and_turning();
  check_reshaping();
  check_gathering_and_scattering();
  check_list();
  webnn_free_builder(builder);
  webnn_free_context(context);
  return test_end();
}
