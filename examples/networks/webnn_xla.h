/* webnn_xla.h - XLA's operations on webnn.h - MIT No Attribution (at the end of webnn.h)

   The operations that compilers of tensor programs speak ("Operation Semantics" of XLA, and those
   that StableHLO added to them), recorded as computations and run as WebNN graphs:

       #define WEBNN_IMPLEMENTATION
       #include "webnn.h"
       #define WEBNN_XLA_IMPLEMENTATION
       #include "webnn_xla.h"

       webnn_xla_module *m = webnn_xla_create_module();
       webnn_xla_shape scalar = webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_EMPTY_LIST);
       webnn_xla_shape vector = webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_LIST(4));

       webnn_xla_builder *b = webnn_xla_begin(m, "sum");
       const webnn_xla_computation *sum = webnn_xla_end(b, webnn_xla_add(b,
           webnn_xla_parameter(b, 0, scalar, "a"), webnn_xla_parameter(b, 1, scalar, "b")));

       b = webnn_xla_begin(m, "main");
       webnn_xla_value *x = webnn_xla_parameter(b, 0, vector, "x");
       webnn_xla_value *zero = webnn_xla_scalar(b, WEBNN_XLA_F32, 0);
       const webnn_xla_computation *main_ =
           webnn_xla_end(b, webnn_xla_reduce(b, x, zero, sum, WEBNN_LIST(0)));

       webnn_xla_compile(context, main_, NULL, &program, &error);
       webnn_xla_run(program, inputs, 1, outputs, 1, &error);

   A computation is a value: Call, Map, Reduce, ReduceWindow, SelectAndScatter, Sort, Scatter, While
   and Conditional take one. What a WebNN graph can express becomes one; the rest becomes a step of
   the host between graphs, which is what WebNN has no operator for: control flow on values, sorting,
   random numbers, the bits of integers, exact remainders, calls of the user's functions. Steps are
   sorted into stages, all graph work of a stage being one graph, so that a program has as few graphs
   as its host steps allow; webnn_xla_steps says how many steps of each kind there are.

   Element types that WebNN lacks and a wider type holds exactly are carried in that: 4- and 16-bit
   integers in int32 or uint32, wrapped after each operation, and bfloat16 in float32, rounded after
   each operation. float64 and complex numbers, empty arrays and more than WEBNN_MAX_RANK dimensions
   are refused.

   Where the text of "Operation Semantics" is wrong or silent, this is done: Clamp(x, min, max) is
   min(max(x, min), max); Collapse of {0, 1} of [4, 2, 3] is [8, 3], and of {1, 2} [4, 6] (the text
   has them exchanged); BatchNormTraining takes the square root once; BatchNormGrad divides by the
   square root and follows the mean and variance, as a gradient must; start indices of DynamicSlice
   and DynamicUpdateSlice are clamped so that the slice fits; Sort is ascending, -0 before 0 and NaN
   last.

   Errors: as in webnn_builder. The first mistake in a module is kept with its message, later calls
   return NULL, and NULL may be passed everywhere. A module and its builders are used by one thread at a
   time; so is a program. */
#ifndef WEBNN_XLA_H
#define WEBNN_XLA_H

#include "webnn.h"

#ifndef WEBNN_XLA_API
#ifdef WEBNN_XLA_STATIC
#if defined(__GNUC__) || defined(__clang__)
#define WEBNN_XLA_API static __attribute__((unused))
#else
#define WEBNN_XLA_API static
#endif
#else
#define WEBNN_XLA_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ==============================================================================================
   Types and shapes
   ============================================================================================== */

/* XLA's element types. In memory PRED is a byte 0 or 1, S4 and U4 take a byte each, BF16 is the upper
   half of a float32; the others are as WebNN has them. */
typedef enum webnn_xla_type {
  WEBNN_XLA_PRED = 1,
  WEBNN_XLA_S4,
  WEBNN_XLA_S8,
  WEBNN_XLA_S16,
  WEBNN_XLA_S32,
  WEBNN_XLA_S64,
  WEBNN_XLA_U4,
  WEBNN_XLA_U8,
  WEBNN_XLA_U16,
  WEBNN_XLA_U32,
  WEBNN_XLA_U64,
  WEBNN_XLA_F16,
  WEBNN_XLA_BF16,
  WEBNN_XLA_F32,
  WEBNN_XLA_TUPLE
} webnn_xla_type;

/* The type and dimensions of an array, or the shapes of a tuple's elements. */
typedef struct webnn_xla_shape {
  webnn_xla_type type;
  webnn_list dimensions; /* of an array */
  const struct webnn_xla_shape *elements;
  size_t element_count; /* of a tuple; 0: the empty tuple */
} webnn_xla_shape;

/* "F32", "PRED", ...; "unknown" for a value outside the enumeration. Any thread. */
WEBNN_XLA_API const char *webnn_xla_type_name(webnn_xla_type type);
/* The bytes of one element in the caller's memory; 0 for a tuple. Any thread. */
WEBNN_XLA_API size_t webnn_xla_type_bytes(webnn_xla_type type);
WEBNN_XLA_API webnn_xla_shape webnn_xla_shape_of(webnn_xla_type type, webnn_list dimensions);
/* The elements are not copied, and must stay while the shape is used. */
WEBNN_XLA_API webnn_xla_shape webnn_xla_tuple_shape(const webnn_xla_shape *elements, size_t count);
/* The bytes of an array in the caller's memory; 0 if the shape is not valid or is a tuple. */
WEBNN_XLA_API size_t webnn_xla_byte_length(const webnn_xla_shape *shape);

/* ==============================================================================================
   Modules and computations
   ============================================================================================== */

typedef struct webnn_xla_module webnn_xla_module;           /* owns computations */
typedef struct webnn_xla_builder webnn_xla_builder;         /* a computation that is described */
typedef struct webnn_xla_value webnn_xla_value;             /* a result in it */
typedef struct webnn_xla_computation webnn_xla_computation; /* one that is complete */

/* NULL if there is no memory. */
WEBNN_XLA_API webnn_xla_module *webnn_xla_create_module(void);
/* Frees the module, its builders, values and computations. Programs stay. NULL: nothing. */
WEBNN_XLA_API void webnn_xla_free_module(webnn_xla_module *module);
/* The first mistake: WEBNN_OK, WEBNN_TYPE_ERROR, WEBNN_NOT_SUPPORTED_ERROR for what cannot be
   expressed, or WEBNN_UNKNOWN_ERROR without memory; and its message, "" if there is none. */
WEBNN_XLA_API webnn_status webnn_xla_module_status(const webnn_xla_module *module);
WEBNN_XLA_API const char *webnn_xla_module_message(const webnn_xla_module *module);
/* Forgets it. */
WEBNN_XLA_API void webnn_xla_module_clear_error(webnn_xla_module *module);

/* Begins a computation. The name, which may be NULL, is for messages. */
WEBNN_XLA_API webnn_xla_builder *webnn_xla_begin(webnn_xla_module *module, const char *name);
/* Where the operations that follow come from, "model.mlir:7:12": messages begin with it. Copied;
   NULL: from nowhere. */
WEBNN_XLA_API void webnn_xla_set_place(webnn_xla_builder *b, const char *place);
/* Completes the computation: its result is `root`, a tuple for several (an empty one for none). The
   builder is used no more. */
WEBNN_XLA_API const webnn_xla_computation *webnn_xla_end(webnn_xla_builder *b,
                                                         webnn_xla_value *root);
/* Of a value; a shape of type 0 for NULL. It lives as long as the module. */
WEBNN_XLA_API const webnn_xla_shape *webnn_xla_shape_of_value(const webnn_xla_value *value);
/* Of a computation. The parameters are in the order of their numbers. */
WEBNN_XLA_API const char *webnn_xla_computation_name(const webnn_xla_computation *c);
WEBNN_XLA_API const webnn_xla_shape *webnn_xla_result_shape(const webnn_xla_computation *c);
WEBNN_XLA_API size_t webnn_xla_parameter_count(const webnn_xla_computation *c);
WEBNN_XLA_API const webnn_xla_shape *webnn_xla_parameter_shape(const webnn_xla_computation *c,
                                                               size_t index);
WEBNN_XLA_API const char *webnn_xla_parameter_name(const webnn_xla_computation *c, size_t index);

/* ==============================================================================================
   Operations

   Each records one operation and gives its result, or NULL after a mistake. Several results are a
   tuple (webnn_xla_get_tuple_element). The names and the order of arguments are those of "Operation
   Semantics" where it has the operation. A webnn_list that is all zero is "not given".
   ============================================================================================== */

/* Operations of one and of two operands, element by element: X(enumerator, name, StableHLO's name,
   operand types: A arithmetic (numbers), F floats, I integers, S signed numbers and floats, P PRED,
   B integers and PRED, V all). The result has the operand's type but for IS_FINITE (PRED). Binary
   operations are of equal types. */
/* clang-format off */
#define WEBNN_XLA_UNARY(X)                                                                         \
  X(ABS,                abs,                "abs",                   A)                            \
  X(CBRT,               cbrt,               "cbrt",                  F)                            \
  X(CEIL,               ceil,               "ceil",                  F)                            \
  X(CLZ,                clz,                "count_leading_zeros",   I)                            \
  X(COS,                cos,                "cosine",                F)                            \
  X(EXP,                exp,                "exponential",           F)                            \
  X(EXPM1,              expm1,              "exponential_minus_one", F)                            \
  X(FLOOR,              floor,              "floor",                 F)                            \
  X(IS_FINITE,          is_finite,          "is_finite",             F)                            \
  X(LOG,                log,                "log",                   F)                            \
  X(LOG1P,              log1p,              "log_plus_one",          F)                            \
  X(LOGISTIC,           logistic,           "logistic",              F)                            \
  X(NEG,                neg,                "negate",                A)                            \
  X(NOT,                not_,               "not",                   B)                            \
  X(POPCNT,             popcnt,             "popcnt",                I)                            \
  X(ROUND_NEAREST_AFZ,  round_nearest_afz,  "round_nearest_afz",     F)                            \
  X(ROUND_NEAREST_EVEN, round_nearest_even, "round_nearest_even",    F)                            \
  X(RSQRT,              rsqrt,              "rsqrt",                 F)                            \
  X(SIGN,               sign,               "sign",                  S)                            \
  X(SIN,                sin,                "sine",                  F)                            \
  X(SQRT,               sqrt,               "sqrt",                  F)                            \
  X(TAN,                tan,                "tan",                   F)                            \
  X(TANH,               tanh,               "tanh",                  F)

#define WEBNN_XLA_BINARY(X)                                                                        \
  X(ADD,                    add,                    "add",                    V)                   \
  X(AND,                    and_,                   "and",                    B)                   \
  X(ATAN2,                  atan2,                  "atan2",                  F)                   \
  X(DIV,                    div,                    "divide",                 A)                   \
  X(MAX,                    max,                    "maximum",                V)                   \
  X(MIN,                    min,                    "minimum",                V)                   \
  X(MUL,                    mul,                    "multiply",               V)                   \
  X(OR,                     or_,                    "or",                     B)                   \
  X(POW,                    pow,                    "power",                  A)                   \
  X(REM,                    rem,                    "remainder",              A)                   \
  X(SHIFT_LEFT,             shift_left,             "shift_left",             I)                   \
  X(SHIFT_RIGHT_ARITHMETIC, shift_right_arithmetic, "shift_right_arithmetic", I)                   \
  X(SHIFT_RIGHT_LOGICAL,    shift_right_logical,    "shift_right_logical",    I)                   \
  X(SUB,                    sub,                    "subtract",               A)                   \
  X(XOR,                    xor_,                   "xor",                    B)

/* Comparisons give PRED. X(enumerator, name, StableHLO's direction). */
#define WEBNN_XLA_COMPARISONS(X)                                                                   \
  X(EQ, eq, "EQ") X(NE, ne, "NE") X(GE, ge, "GE") X(GT, gt, "GT") X(LE, le, "LE") X(LT, lt, "LT")
/* clang-format on */

#define WEBNN_XLA__ENUMERATOR(op, name, stablehlo, types) WEBNN_XLA_##op,
#define WEBNN_XLA__COMPARISON_ENUMERATOR(op, name, stablehlo) WEBNN_XLA_##op,
typedef enum webnn_xla_operation {
  WEBNN_XLA_UNARY(WEBNN_XLA__ENUMERATOR) WEBNN_XLA_BINARY(WEBNN_XLA__ENUMERATOR)
      WEBNN_XLA_COMPARISONS(WEBNN_XLA__COMPARISON_ENUMERATOR) WEBNN_XLA_ELEMENTWISE_COUNT
} webnn_xla_operation;
#undef WEBNN_XLA__ENUMERATOR
#undef WEBNN_XLA__COMPARISON_ENUMERATOR

WEBNN_XLA_API webnn_xla_value *webnn_xla_unary(webnn_xla_builder *b, webnn_xla_operation op,
                                               webnn_xla_value *x);
/* Operands have equal shapes, or one is a scalar; else `broadcast_dimensions` says for each dimension
   of the operand of lower rank to which of the other's it belongs, and dimensions of size 1 stretch.
   Comparisons, too; those of floats are IEEE's. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_binary(webnn_xla_builder *b, webnn_xla_operation op,
                                                webnn_xla_value *x, webnn_xla_value *y,
                                                webnn_list broadcast_dimensions);
/* A comparison of floats in the total order -NaN, -Infinity, ... -0, 0, ... Infinity, NaN. Equal
   shapes. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_compare_total_order(webnn_xla_builder *b,
                                                             webnn_xla_operation op,
                                                             webnn_xla_value *x,
                                                             webnn_xla_value *y);

/* webnn_xla_abs(b, x), webnn_xla_add(b, x, y), webnn_xla_eq(b, x, y), ...: each by its name. The text
   names those of C's operators LogicalAnd, LogicalOr and LogicalNot. */
#define WEBNN_XLA__DECLARE_UNARY(op, name, stablehlo, types)                                       \
  WEBNN_XLA_API webnn_xla_value *webnn_xla_##name(webnn_xla_builder *b, webnn_xla_value *x);
#define WEBNN_XLA__DECLARE_BINARY(op, name, stablehlo, types)                                      \
  WEBNN_XLA_API webnn_xla_value *webnn_xla_##name(webnn_xla_builder *b, webnn_xla_value *x,        \
                                                  webnn_xla_value *y);
#define WEBNN_XLA__DECLARE_COMPARISON(op, name, stablehlo)                                         \
  WEBNN_XLA_API webnn_xla_value *webnn_xla_##name(webnn_xla_builder *b, webnn_xla_value *x,        \
                                                  webnn_xla_value *y);
WEBNN_XLA_UNARY(WEBNN_XLA__DECLARE_UNARY)
WEBNN_XLA_BINARY(WEBNN_XLA__DECLARE_BINARY)
WEBNN_XLA_COMPARISONS(WEBNN_XLA__DECLARE_COMPARISON)
#undef WEBNN_XLA__DECLARE_UNARY
#undef WEBNN_XLA__DECLARE_BINARY
#undef WEBNN_XLA__DECLARE_COMPARISON
#define webnn_xla_logical_and webnn_xla_and_
#define webnn_xla_logical_or webnn_xla_or_
#define webnn_xla_logical_not webnn_xla_not_

/* ---- Values ---------------------------------------------------------------------------------- */

/* Parameter `number` of the computation, counted from 0; each number once, none left out. A tuple's
   elements are parameters of their own when the computation is run. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_parameter(webnn_xla_builder *b, size_t number,
                                                   webnn_xla_shape shape, const char *name);
/* The data is copied; byte_length is webnn_xla_byte_length(&shape). */
WEBNN_XLA_API webnn_xla_value *webnn_xla_constant(webnn_xla_builder *b, webnn_xla_shape shape,
                                                  const void *data, size_t byte_length);
/* One number for all elements, converted to the type as C converts, floats rounded to nearest. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_fill(webnn_xla_builder *b, webnn_xla_shape shape,
                                              double number);
WEBNN_XLA_API webnn_xla_value *webnn_xla_scalar(webnn_xla_builder *b, webnn_xla_type type,
                                                double number);
/* out[i ...] = i along `dimension`. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_iota(webnn_xla_builder *b, webnn_xla_shape shape,
                                              uint32_t dimension);
WEBNN_XLA_API webnn_xla_value *webnn_xla_tuple(webnn_xla_builder *b, webnn_xla_value *const *values,
                                               size_t count);
WEBNN_XLA_API webnn_xla_value *webnn_xla_get_tuple_element(webnn_xla_builder *b,
                                                           webnn_xla_value *tuple, size_t index);

/* ---- Moving elements ------------------------------------------------------------------------- */

/* Broadcast: new dimensions on the left. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_broadcast(webnn_xla_builder *b, webnn_xla_value *x,
                                                   webnn_list sizes);
/* Dimension i of x becomes dimension broadcast_dimensions[i] of the result; 1 stretches. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_broadcast_in_dim(webnn_xla_builder *b, webnn_xla_value *x,
                                                          webnn_list sizes,
                                                          webnn_list broadcast_dimensions);
/* Reshape: x is read in the order of `dimensions` (the first varies slowest; not given: as it is) and
   written to an array of `new_sizes`. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_reshape(webnn_xla_builder *b, webnn_xla_value *x,
                                                 webnn_list dimensions, webnn_list new_sizes);
/* Collapse: consecutive dimensions become one. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_collapse(webnn_xla_builder *b, webnn_xla_value *x,
                                                  webnn_list dimensions);
/* Transpose: dimension i of the result is dimension permutation[i] of x. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_transpose(webnn_xla_builder *b, webnn_xla_value *x,
                                                   webnn_list permutation);
WEBNN_XLA_API webnn_xla_value *webnn_xla_rev(webnn_xla_builder *b, webnn_xla_value *x,
                                             webnn_list dimensions);
/* Slice: limits are exclusive; strides, default 1. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_slice(webnn_xla_builder *b, webnn_xla_value *x,
                                               webnn_list start_indices, webnn_list limit_indices,
                                               webnn_list strides);
WEBNN_XLA_API webnn_xla_value *webnn_xla_concatenate(webnn_xla_builder *b,
                                                     webnn_xla_value *const *operands, size_t count,
                                                     uint32_t dimension);
/* Padding of each dimension: `interior` between neighbours, then `low` before and `high` behind;
   negative edges remove elements. */
typedef struct webnn_xla_padding {
  int64_t low[WEBNN_MAX_RANK], high[WEBNN_MAX_RANK];
  uint32_t interior[WEBNN_MAX_RANK];
} webnn_xla_padding;
WEBNN_XLA_API webnn_xla_value *webnn_xla_pad(webnn_xla_builder *b, webnn_xla_value *x,
                                             webnn_xla_value *padding_value,
                                             webnn_xla_padding padding);
/* DynamicSlice: `start_indices` are one array of as many integers as x has dimensions, or a scalar
   for each. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_dynamic_slice(webnn_xla_builder *b, webnn_xla_value *x,
                                                       webnn_xla_value *const *start_indices,
                                                       size_t count, webnn_list size_indices);
WEBNN_XLA_API webnn_xla_value *
webnn_xla_dynamic_update_slice(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *update,
                               webnn_xla_value *const *start_indices, size_t count);

/* Gather and Scatter: StableHLO's dimension numbers. Of Gather the offset dimensions are those of the
   result that run over a slice; of Scatter the update window dimensions are those of `updates`.
   Indices of Gather are clamped so that each slice fits; what Scatter would write outside is left
   out. */
typedef struct webnn_xla_gather_options {
  webnn_list offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims;
  webnn_list start_index_map, slice_sizes;
  uint32_t index_vector_dim;
  bool indices_are_sorted;
} webnn_xla_gather_options;
WEBNN_XLA_API webnn_xla_value *webnn_xla_gather(webnn_xla_builder *b, webnn_xla_value *x,
                                                webnn_xla_value *start_indices,
                                                webnn_xla_gather_options options);
typedef struct webnn_xla_scatter_options {
  webnn_list update_window_dims, inserted_window_dims, input_batching_dims;
  webnn_list scatter_indices_batching_dims, scatter_dims_to_operand_dims;
  uint32_t index_vector_dim;
  bool indices_are_sorted, unique_indices;
} webnn_xla_scatter_options;
/* update_computation takes the `count` old elements and then the `count` updates. With several
   operands the result is a tuple. Updates of the same element are applied in the order of the
   indices. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_scatter(webnn_xla_builder *b,
                                                 webnn_xla_value *const *operands, size_t count,
                                                 webnn_xla_value *scatter_indices,
                                                 webnn_xla_value *const *updates,
                                                 const webnn_xla_computation *update_computation,
                                                 webnn_xla_scatter_options options);

/* ---- Types ----------------------------------------------------------------------------------- */

/* ConvertElementType: floats to integers toward zero; to PRED is "not 0". */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_convert_element_type(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_type type);
/* The same bits as another type; of another width a last dimension joins or splits elements. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_bitcast_convert(webnn_xla_builder *b, webnn_xla_value *x,
                                                         webnn_xla_type type);
WEBNN_XLA_API webnn_xla_value *webnn_xla_reduce_precision(webnn_xla_builder *b, webnn_xla_value *x,
                                                          uint32_t exponent_bits,
                                                          uint32_t mantissa_bits);
/* Uniform quantization: stored = clamp(round(x / scale) + zero point, storage_min, storage_max) with
   ties to even. One scale for all, or one for each place of `axis`; arrays are copied. */
typedef struct webnn_xla_quantization {
  webnn_xla_type storage_type, expressed_type; /* an integer, a float */
  int64_t storage_min, storage_max;
  const float *scales;
  const int64_t *zero_points;
  size_t count;  /* of scales: 1, or the size of axis */
  uint32_t axis; /* where count is not 1 */
} webnn_xla_quantization;
WEBNN_XLA_API webnn_xla_value *
webnn_xla_uniform_quantize(webnn_xla_builder *b, webnn_xla_value *x,
                           const webnn_xla_quantization *quantization);
WEBNN_XLA_API webnn_xla_value *
webnn_xla_uniform_dequantize(webnn_xla_builder *b, webnn_xla_value *x,
                             const webnn_xla_quantization *quantization);

/* ---- Choices --------------------------------------------------------------------------------- */

/* Clamp: min(max(x, min), max); the bounds are of x's shape or scalars. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_clamp(webnn_xla_builder *b, webnn_xla_value *x,
                                               webnn_xla_value *min, webnn_xla_value *max);
/* Select: `pred` is of the same shape or a scalar; with a scalar the others may be tuples. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_select(webnn_xla_builder *b, webnn_xla_value *pred,
                                                webnn_xla_value *on_true,
                                                webnn_xla_value *on_false);

/* ---- Products -------------------------------------------------------------------------------- */

/* Dot: vectors and matrices; the last dimension of the left with the last but one of the right. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_dot(webnn_xla_builder *b, webnn_xla_value *left,
                                             webnn_xla_value *right);
typedef struct webnn_xla_dot_dimension_numbers {
  webnn_list left_batch, right_batch, left_contracting, right_contracting;
} webnn_xla_dot_dimension_numbers;
/* The result has batch dimensions, then the left's others, then the right's. result_type 0: that of
   the operands; operands are converted to it first (int8 products to S32). */
WEBNN_XLA_API webnn_xla_value *webnn_xla_dot_general(webnn_xla_builder *b, webnn_xla_value *left,
                                                     webnn_xla_value *right,
                                                     webnn_xla_dot_dimension_numbers numbers,
                                                     webnn_xla_type result_type);

typedef enum webnn_xla_padding_kind {
  WEBNN_XLA_VALID, /* none */
  WEBNN_XLA_SAME   /* the result has ceil(size / stride), the odd one is behind */
} webnn_xla_padding_kind;
/* Conv: left [batch, features, spatial ...], right [output features, input features, spatial ...]. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_conv(webnn_xla_builder *b, webnn_xla_value *left,
                                              webnn_xla_value *right, webnn_list window_strides,
                                              webnn_xla_padding_kind padding);
/* The same with everything; lists have an item for each spatial dimension. */
typedef struct webnn_xla_window {
  webnn_list strides, base_dilations, window_dilations;              /* default 1 */
  int64_t padding_low[WEBNN_MAX_RANK], padding_high[WEBNN_MAX_RANK]; /* may be negative */
  bool reversed[WEBNN_MAX_RANK];
} webnn_xla_window;
WEBNN_XLA_API webnn_xla_value *webnn_xla_conv_with_general_padding(webnn_xla_builder *b,
                                                                   webnn_xla_value *left,
                                                                   webnn_xla_value *right,
                                                                   webnn_xla_window window);
typedef struct webnn_xla_convolution_options {
  webnn_xla_window window;
  uint32_t input_batch_dimension, input_feature_dimension;
  uint32_t kernel_input_feature_dimension, kernel_output_feature_dimension;
  uint32_t output_batch_dimension, output_feature_dimension;
  webnn_list input_spatial_dimensions, kernel_spatial_dimensions, output_spatial_dimensions;
  uint32_t feature_group_count, batch_group_count; /* 0: 1 */
  webnn_xla_type result_type;                      /* 0: that of the operands */
} webnn_xla_convolution_options;
WEBNN_XLA_API webnn_xla_value *webnn_xla_convolution(webnn_xla_builder *b, webnn_xla_value *left,
                                                     webnn_xla_value *right,
                                                     const webnn_xla_convolution_options *options);

typedef struct webnn_xla_triangular_solve_options {
  bool right_side; /* x a = b in place of a x = b */
  bool lower, unit_diagonal, transpose_a;
} webnn_xla_triangular_solve_options;
/* a is [..., n, n], b [..., n, k], or [..., k, n] on the right side. */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_triangular_solve(webnn_xla_builder *b, webnn_xla_value *a, webnn_xla_value *y,
                           webnn_xla_triangular_solve_options options);
/* The triangular factor of a symmetric matrix [..., n, n]; the other triangle is 0. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_cholesky(webnn_xla_builder *b, webnn_xla_value *a,
                                                  bool lower);

/* ---- Computations applied -------------------------------------------------------------------- */

/* Map: the scalar function on every element of equal arrays, over all dimensions; `static_operands`
   are further, scalar arguments. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_map(webnn_xla_builder *b, webnn_xla_value *const *operands,
                                             size_t count, const webnn_xla_computation *computation,
                                             webnn_list dimensions,
                                             webnn_xla_value *const *static_operands,
                                             size_t static_count);
/* Reduce: f is associative, and init its neutral element or taken in once. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_reduce(webnn_xla_builder *b, webnn_xla_value *x,
                                                webnn_xla_value *init_value,
                                                const webnn_xla_computation *computation,
                                                webnn_list dimensions);
/* Of several arrays at once: f takes `count` results so far and `count` elements. The result is a
   tuple if count is not 1. */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_reduce_many(webnn_xla_builder *b, webnn_xla_value *const *operands,
                      webnn_xla_value *const *init_values, size_t count,
                      const webnn_xla_computation *computation, webnn_list dimensions);
WEBNN_XLA_API webnn_xla_value *
webnn_xla_reduce_window(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *init_value,
                        const webnn_xla_computation *computation, webnn_list window_dimensions,
                        webnn_list window_strides, webnn_xla_padding_kind padding);
/* The window's lists have an item for each dimension. */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_reduce_window_many(webnn_xla_builder *b, webnn_xla_value *const *operands,
                             webnn_xla_value *const *init_values, size_t count,
                             const webnn_xla_computation *computation, webnn_list window_dimensions,
                             webnn_xla_window window);
WEBNN_XLA_API webnn_xla_value *webnn_xla_select_and_scatter(
    webnn_xla_builder *b, webnn_xla_value *x, const webnn_xla_computation *select,
    webnn_list window_dimensions, webnn_list window_strides, webnn_xla_padding_kind padding,
    webnn_xla_value *source, webnn_xla_value *init_value, const webnn_xla_computation *scatter);
WEBNN_XLA_API webnn_xla_value *webnn_xla_select_and_scatter_padded(
    webnn_xla_builder *b, webnn_xla_value *x, const webnn_xla_computation *select,
    webnn_list window_dimensions, webnn_xla_window window, webnn_xla_value *source,
    webnn_xla_value *init_value, const webnn_xla_computation *scatter);
/* Sort: ascending along the last dimension. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_sort(webnn_xla_builder *b, webnn_xla_value *x);
/* Arrays sorted together: the comparator takes two elements of each array in turn (a0, b0, a1, b1,
   ...), and gives PRED. A tuple if count is not 1. The order is stable in any case. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_sort_many(webnn_xla_builder *b,
                                                   webnn_xla_value *const *operands, size_t count,
                                                   const webnn_xla_computation *comparator,
                                                   uint32_t dimension);
/* Call. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_call(webnn_xla_builder *b,
                                              const webnn_xla_computation *computation,
                                              webnn_xla_value *const *arguments, size_t count);
/* While: `condition` and `body` take the state, PRED and the next state come out. The state is an
   array or a tuple, which then is the one parameter of both; or each has the tuple's elements as
   parameters. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_while(webnn_xla_builder *b,
                                               const webnn_xla_computation *condition,
                                               const webnn_xla_computation *body,
                                               webnn_xla_value *init);
/* Conditional: branch `index` (S32; the last one if there is none of this number) of its argument; a
   PRED takes the first if true and the second if not. Arguments that are tuples are as While's. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_conditional(webnn_xla_builder *b, webnn_xla_value *index,
                                                     const webnn_xla_computation *const *branches,
                                                     webnn_xla_value *const *arguments,
                                                     size_t count);

/* ---- Normalization --------------------------------------------------------------------------- */

/* BatchNormTraining: (result, mean, variance) over all dimensions but feature_index. */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_batch_norm_training(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *scale,
                              webnn_xla_value *offset, float epsilon, uint32_t feature_index);
WEBNN_XLA_API webnn_xla_value *
webnn_xla_batch_norm_inference(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *scale,
                               webnn_xla_value *offset, webnn_xla_value *mean,
                               webnn_xla_value *variance, float epsilon, uint32_t feature_index);
/* BatchNormGrad: the gradients of operand, scale and offset, in this order. (The text lists offset
   before scale; StableHLO's order is this.) */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_batch_norm_grad(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *scale,
                          webnn_xla_value *mean, webnn_xla_value *variance,
                          webnn_xla_value *grad_output, float epsilon, uint32_t feature_index);

/* ---- The host -------------------------------------------------------------------------------- */

/* RngUniform: on [a, b), F32, F16, BF16, or integers; RngNormal; RngBernoulli: U32, 1 with
   probability `mean`. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_rng_uniform(webnn_xla_builder *b, webnn_xla_value *low,
                                                     webnn_xla_value *high, webnn_xla_shape shape);
WEBNN_XLA_API webnn_xla_value *webnn_xla_rng_normal(webnn_xla_builder *b, webnn_xla_value *mu,
                                                    webnn_xla_value *sigma, webnn_xla_shape shape);
WEBNN_XLA_API webnn_xla_value *webnn_xla_rng_bernoulli(webnn_xla_builder *b, webnn_xla_value *mean,
                                                       webnn_xla_shape shape);
typedef enum webnn_xla_rng_algorithm {
  WEBNN_XLA_RNG_DEFAULT, /* Threefry */
  WEBNN_XLA_RNG_THREE_FRY,
  WEBNN_XLA_RNG_PHILOX
} webnn_xla_rng_algorithm;
/* (next state, bits): the state is U64[2] of Threefry and U64[2] or U64[3] of Philox. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_rng_bit_generator(webnn_xla_builder *b,
                                                           webnn_xla_rng_algorithm algorithm,
                                                           webnn_xla_value *state,
                                                           webnn_xla_shape shape);
/* Infeed: the next item of the program's input queue (webnn_xla_program_options.infeed). An empty
   tuple takes nothing. Infeeds happen in the order in which they were recorded. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_infeed(webnn_xla_builder *b, webnn_xla_shape shape);
/* Outfeed: hands an array, or a tuple's, to webnn_xla_program_options.outfeed. It has no result;
   what it returns is an empty tuple. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_outfeed(webnn_xla_builder *b, webnn_xla_value *x);
/* CustomCall: the function that the program has for `name`, called once its arguments are computed.
   `shape` may be a tuple, an empty one for none; then it is called for its effect, in the order of
   recording. `configuration`, which may be NULL, is passed on. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_custom_call(webnn_xla_builder *b, const char *name,
                                                     webnn_xla_value *const *arguments,
                                                     size_t count, webnn_xla_shape shape,
                                                     const char *configuration);
/* CrossReplicaSum: through webnn_xla_program_options.all_sum; with one replica the value itself. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_cross_replica_sum(webnn_xla_builder *b,
                                                           webnn_xla_value *x);

/* ==============================================================================================
   Programs
   ============================================================================================== */

typedef struct webnn_xla_program webnn_xla_program;

/* An array in the caller's memory. */
typedef struct webnn_xla_array {
  webnn_xla_shape shape;
  void *data;
  size_t byte_length;
} webnn_xla_array;

/* A function that CustomCall names. Results have room for their bytes. False: the run fails with
   `message`, which holds what the function has written there, at most message_size bytes. */
typedef bool (*webnn_xla_function)(void *user, const webnn_xla_array *arguments,
                                   size_t argument_count, webnn_xla_array *results,
                                   size_t result_count, const char *configuration, char *message,
                                   size_t message_size);
typedef struct webnn_xla_named_function {
  const char *name;
  webnn_xla_function function;
  void *user;
} webnn_xla_named_function;

/* What a program asks its user for; all zero: nothing. */
typedef struct webnn_xla_program_options {
  const webnn_xla_named_function *functions; /* copied */
  size_t function_count;
  /* The next item of the input queue; the same of the output queue. False: the run fails. */
  bool (*infeed)(void *user, webnn_xla_array *array);
  bool (*outfeed)(void *user, const webnn_xla_array *array);
  /* Adds the arrays of all replicas up, in place. */
  bool (*all_sum)(void *user, webnn_xla_array *array);
  void *user;
  uint64_t seed; /* of RngUniform, RngNormal and RngBernoulli */
} webnn_xla_program_options;

/* Compiles a computation for a context, whose arithmetic and threads the program uses. Custom calls
   that no function is given for, and what WebNN cannot express, are a NotSupportedError. The module
   may be freed afterwards; the context must stay. *program is NULL on failure. */
WEBNN_XLA_API webnn_status webnn_xla_compile(webnn_context *context,
                                             const webnn_xla_computation *computation,
                                             const webnn_xla_program_options *options,
                                             webnn_xla_program **program, webnn_error *error);
/* Runs it: one array for each parameter and each result, tuples flattened, elements in the order that
   they have there. Each array's byte_length must be right; its shape is not looked at. Results are
   written only on success. */
WEBNN_XLA_API webnn_status webnn_xla_run(webnn_xla_program *program, const webnn_xla_array *inputs,
                                         size_t input_count, webnn_xla_array *outputs,
                                         size_t output_count, webnn_error *error);
/* The shapes of what a run takes and gives; data is NULL. As webnn_graph_inputs. */
WEBNN_XLA_API size_t webnn_xla_program_inputs(const webnn_xla_program *program,
                                              webnn_xla_array *inputs, size_t capacity);
WEBNN_XLA_API size_t webnn_xla_program_outputs(const webnn_xla_program *program,
                                               webnn_xla_array *outputs, size_t capacity);

/* What a program does, in its order; a loop's condition and body, and a conditional's branches, are
   programs of their own. */
typedef enum webnn_xla_step_kind {
  WEBNN_XLA_STEP_GRAPH,
  WEBNN_XLA_STEP_LOOP,        /* While; Scatter where elements are named more than once */
  WEBNN_XLA_STEP_CONDITIONAL, /* of Conditional */
  WEBNN_XLA_STEP_SORT,
  WEBNN_XLA_STEP_BITS, /* and, or, xor, not, shifts, popcnt, clz, bitcasts, remainders of floats */
  WEBNN_XLA_STEP_RANDOM,
  WEBNN_XLA_STEP_CALL, /* CustomCall, Infeed, Outfeed, CrossReplicaSum */
  WEBNN_XLA_STEP_KIND_COUNT
} webnn_xla_step_kind;
typedef struct webnn_xla_step {
  webnn_xla_step_kind kind;
  const char *name;            /* of what was recorded, "sort", "check.expect_eq", ... */
  const char *place;           /* webnn_xla_set_place, or "" */
  webnn_graph *graph;          /* of a graph: for printing, profiling and tapping */
  webnn_xla_program *parts[2]; /* of a loop: condition and body */
  webnn_xla_program *const *branches;
  size_t branch_count;
  uint64_t nanoseconds, calls; /* of all runs */
} webnn_xla_step;
/* As webnn_graph_inputs: how many steps, the first `capacity` of which are copied. */
WEBNN_XLA_API size_t webnn_xla_steps(const webnn_xla_program *program, webnn_xla_step *steps,
                                     size_t capacity);
/* "graph", "loop", "conditional", "sort", "bits", "random", "call". */
WEBNN_XLA_API const char *webnn_xla_step_kind_name(webnn_xla_step_kind kind);
/* How many steps of each kind there are, those of parts included. */
WEBNN_XLA_API void webnn_xla_count_steps(const webnn_xla_program *program,
                                         size_t counts[WEBNN_XLA_STEP_KIND_COUNT]);
/* NULL: nothing. */
WEBNN_XLA_API void webnn_xla_free_program(webnn_xla_program *program);

#ifdef __cplusplus
}
#endif
#endif /* WEBNN_XLA_H */
