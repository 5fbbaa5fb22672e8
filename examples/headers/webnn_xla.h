/* webnn_xla.h - XLA's operations on webnn.h - MIT No Attribution (at the end of webnn.h)
   SPDX-License-Identifier: MIT-0

   The operations of XLA's "Operation Semantics", and those that StableHLO added to them, recorded
   as computations and run as WebNN graphs. It includes webnn_extra.h, which lies beside it:

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
   and Conditional take one. Operations that WebNN can express become operators of graphs. The rest
   become steps of the host between graphs: control flow on values, sorting, random numbers, the
   bits of integers, exact remainders, calls of the user's functions. Operators and steps are sorted
   into stages, and all operators of a stage are one graph, so that a program has as few graphs as
   its host steps allow; webnn_xla_steps lists the steps.

   Element types that WebNN lacks are stored in a wider type that holds them exactly: 4- and 16-bit
   integers in int32 or uint32, wrapped after each operation, and bfloat16 in float32, rounded after
   each operation. float64 and complex numbers, empty arrays and more than WEBNN_MAX_RANK dimensions
   are refused.

   Where the text of "Operation Semantics" is wrong or says nothing, these rules hold: Clamp(x, min,
   max) is min(max(x, min), max); Collapse of {0, 1} of [4, 2, 3] is [8, 3], and of {1, 2} [4, 6]
   (the text has them exchanged); BatchNormTraining takes the square root once; BatchNormGrad
   divides by the square root and follows the mean and variance, as a gradient must; start indices
   of DynamicSlice and DynamicUpdateSlice are clamped so that the slice fits; Sort is ascending, -0
   before 0 and NaN last; the quotient of an integer and 0 has all bits set, and the remainder is
   the dividend.

   Errors are as in webnn_builder: a module keeps its first error with the message, later calls
   return NULL, and NULL may be passed everywhere. One thread at a time may use a module and its
   builders, or a program. */
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

/* XLA's element types. In memory PRED is a byte 0 or 1, S4 and U4 take a byte each, BF16 is the
   upper half of a float32; the others are as in WebNN. */
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
/* The elements are not copied and must stay as long as the shape is used. */
WEBNN_XLA_API webnn_xla_shape webnn_xla_tuple_shape(const webnn_xla_shape *elements, size_t count);
/* The bytes of an array in the caller's memory; 0 if the shape is not valid or is a tuple. */
WEBNN_XLA_API size_t webnn_xla_byte_length(const webnn_xla_shape *shape);

/* ==============================================================================================
   Modules and computations
   ============================================================================================== */

typedef struct webnn_xla_module webnn_xla_module;           /* owns computations */
typedef struct webnn_xla_builder webnn_xla_builder;         /* records a computation */
typedef struct webnn_xla_value webnn_xla_value;             /* a result in it */
typedef struct webnn_xla_computation webnn_xla_computation; /* a complete computation */

/* NULL if there is no memory. */
WEBNN_XLA_API webnn_xla_module *webnn_xla_create_module(void);
/* Frees the module, its builders, values and computations, but no programs. NULL: nothing. */
WEBNN_XLA_API void webnn_xla_free_module(webnn_xla_module *module);
/* The status of the first error: WEBNN_OK, WEBNN_TYPE_ERROR, WEBNN_NOT_SUPPORTED_ERROR for what
   cannot be expressed, or WEBNN_UNKNOWN_ERROR without memory; and its message, "" if there is
   none. */
WEBNN_XLA_API webnn_status webnn_xla_module_status(const webnn_xla_module *module);
WEBNN_XLA_API const char *webnn_xla_module_message(const webnn_xla_module *module);
/* Removes the error. */
WEBNN_XLA_API void webnn_xla_module_clear_error(webnn_xla_module *module);

/* Begins a computation. The name, which may be NULL, is for messages. */
WEBNN_XLA_API webnn_xla_builder *webnn_xla_begin(webnn_xla_module *module, const char *name);
/* Sets the place that the following operations come from, "model.mlir:7:12": messages begin with
   it. Copied; NULL: no place. */
WEBNN_XLA_API void webnn_xla_set_place(webnn_xla_builder *b, const char *place);
/* Completes the computation, whose result is `root`: a tuple for several results, an empty one for
   none. Do not use the builder afterwards. */
WEBNN_XLA_API const webnn_xla_computation *webnn_xla_end(webnn_xla_builder *b,
                                                         webnn_xla_value *root);
/* The shape of a value; for NULL a shape of type 0. It lives as long as the module. */
WEBNN_XLA_API const webnn_xla_shape *webnn_xla_shape_of_value(const webnn_xla_value *value);
/* The name, result and parameters of a computation; parameters are in the order of their
   numbers. */
WEBNN_XLA_API const char *webnn_xla_computation_name(const webnn_xla_computation *c);
WEBNN_XLA_API const webnn_xla_shape *webnn_xla_result_shape(const webnn_xla_computation *c);
WEBNN_XLA_API size_t webnn_xla_parameter_count(const webnn_xla_computation *c);
WEBNN_XLA_API const webnn_xla_shape *webnn_xla_parameter_shape(const webnn_xla_computation *c,
                                                               size_t index);
WEBNN_XLA_API const char *webnn_xla_parameter_name(const webnn_xla_computation *c, size_t index);

/* ==============================================================================================
   Operations

   Each function records one operation and returns its result, or NULL after an error. Several
   results are a tuple (webnn_xla_get_tuple_element). The names and the order of arguments are those
   of "Operation Semantics" if it has the operation. A webnn_list that is all zero means "not
   given".
   ============================================================================================== */

/* Operations of one and of two operands, element by element: X(enumerator, name, StableHLO's name,
   operand types: A arithmetic (numbers), F floats, I integers, S signed numbers and floats, P PRED,
   B integers and PRED, V all). The result has the operand's type, except that of IS_FINITE (PRED).
   Binary operations take operands of equal types. */
/* clang-format off */
#define WEBNN_XLA_UNARY(X)                                                                         \
  X(ABS,                abs,                "abs",                   A)                            \
  X(ACOS,               acos,               "acos",                  F)                            \
  X(ACOSH,              acosh,              "acosh",                 F)                            \
  X(ASIN,               asin,               "asin",                  F)                            \
  X(ASINH,              asinh,              "asinh",                 F)                            \
  X(ATAN,               atan,               "atan",                  F)                            \
  X(ATANH,              atanh,              "atanh",                 F)                            \
  X(BESSEL_I1E,         bessel_i1e,         "bessel_i1e",            F)                            \
  X(CBRT,               cbrt,               "cbrt",                  F)                            \
  X(CEIL,               ceil,               "ceil",                  F)                            \
  X(CLZ,                clz,                "count_leading_zeros",   I)                            \
  X(COS,                cos,                "cosine",                F)                            \
  X(COSH,               cosh,               "cosh",                  F)                            \
  X(DIGAMMA,            digamma,            "digamma",               F)                            \
  X(ERF,                erf,                "erf",                   F)                            \
  X(ERF_INV,            erf_inv,            "erf_inv",               F)                            \
  X(ERFC,               erfc,               "erfc",                  F)                            \
  X(EXP,                exp,                "exponential",           F)                            \
  X(EXPM1,              expm1,              "exponential_minus_one", F)                            \
  X(FLOOR,              floor,              "floor",                 F)                            \
  X(IS_FINITE,          is_finite,          "is_finite",             F)                            \
  X(LGAMMA,             lgamma,             "lgamma",                F)                            \
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
  X(SINH,               sinh,               "sinh",                  F)                            \
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
  X(NEXT_AFTER,             next_after,             "next_after",             F)                   \
  X(OR,                     or_,                    "or",                     B)                   \
  X(POW,                    pow,                    "power",                  A)                   \
  X(REM,                    rem,                    "remainder",              A)                   \
  X(SHIFT_LEFT,             shift_left,             "shift_left",             I)                   \
  X(SHIFT_RIGHT_ARITHMETIC, shift_right_arithmetic, "shift_right_arithmetic", I)                   \
  X(SHIFT_RIGHT_LOGICAL,    shift_right_logical,    "shift_right_logical",    I)                   \
  X(SUB,                    sub,                    "subtract",               A)                   \
  X(XOR,                    xor_,                   "xor",                    B)

/* Comparisons return PRED. X(enumerator, name, StableHLO's direction). */
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
/* Operands have equal shapes, or one is a scalar; otherwise `broadcast_dimensions` maps each
   dimension of the operand of lower rank to one of the other operand, and dimensions of size 1 are
   broadcast. `op` may be a comparison; comparisons of floats are IEEE's. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_binary(webnn_xla_builder *b, webnn_xla_operation op,
                                                webnn_xla_value *x, webnn_xla_value *y,
                                                webnn_list broadcast_dimensions);
/* Compares floats in the total order -NaN, -Infinity, ... -0, 0, ... Infinity, NaN. Shapes are
   equal. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_compare_total_order(webnn_xla_builder *b,
                                                             webnn_xla_operation op,
                                                             webnn_xla_value *x,
                                                             webnn_xla_value *y);

/* webnn_xla_abs(b, x), webnn_xla_add(b, x, y), webnn_xla_eq(b, x, y), ...: a function for each
   operation. The text calls and, or and not LogicalAnd, LogicalOr and LogicalNot. */
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

/* Parameter `number` of the computation, counted from 0; each number occurs once, without gaps.
   Each element of a tuple is a parameter of its own when the computation is run. */
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
/* Dimension i of x becomes dimension broadcast_dimensions[i] of the result; size 1 is broadcast. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_broadcast_in_dim(webnn_xla_builder *b, webnn_xla_value *x,
                                                          webnn_list sizes,
                                                          webnn_list broadcast_dimensions);
/* Reshape: x is read in the order of `dimensions` (the first varies slowest; not given: x's own
   order) and written to an array of `new_sizes`. */
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
/* Padding of each dimension: `interior` between neighbours, then `low` before and `high` after;
   negative edges remove elements. */
typedef struct webnn_xla_padding {
  int64_t low[WEBNN_MAX_RANK], high[WEBNN_MAX_RANK];
  uint32_t interior[WEBNN_MAX_RANK];
} webnn_xla_padding;
WEBNN_XLA_API webnn_xla_value *webnn_xla_pad(webnn_xla_builder *b, webnn_xla_value *x,
                                             webnn_xla_value *padding_value,
                                             webnn_xla_padding padding);
/* DynamicSlice: `start_indices` are one array with an integer for each dimension of x, or a scalar
   for each dimension. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_dynamic_slice(webnn_xla_builder *b, webnn_xla_value *x,
                                                       webnn_xla_value *const *start_indices,
                                                       size_t count, webnn_list size_indices);
WEBNN_XLA_API webnn_xla_value *
webnn_xla_dynamic_update_slice(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *update,
                               webnn_xla_value *const *start_indices, size_t count);

/* Gather and Scatter: StableHLO's dimension numbers. The offset dimensions of Gather are those of
   the result that run over a slice; the update window dimensions of Scatter are dimensions of
   `updates`. Indices of Gather are clamped so that each slice fits; updates of Scatter that would
   lie outside are dropped. */
typedef struct webnn_xla_gather_options {
  webnn_list offset_dims WEBNN__DEFAULT, collapsed_slice_dims WEBNN__DEFAULT,
      operand_batching_dims WEBNN__DEFAULT, start_indices_batching_dims WEBNN__DEFAULT;
  webnn_list start_index_map WEBNN__DEFAULT, slice_sizes WEBNN__DEFAULT;
  uint32_t index_vector_dim WEBNN__DEFAULT;
  bool indices_are_sorted WEBNN__DEFAULT;
} webnn_xla_gather_options;
WEBNN_XLA_API webnn_xla_value *webnn_xla_gather(webnn_xla_builder *b, webnn_xla_value *x,
                                                webnn_xla_value *start_indices,
                                                webnn_xla_gather_options options);
typedef struct webnn_xla_scatter_options {
  webnn_list update_window_dims WEBNN__DEFAULT, inserted_window_dims WEBNN__DEFAULT,
      input_batching_dims WEBNN__DEFAULT;
  webnn_list scatter_indices_batching_dims WEBNN__DEFAULT,
      scatter_dims_to_operand_dims WEBNN__DEFAULT;
  uint32_t index_vector_dim WEBNN__DEFAULT;
  bool indices_are_sorted WEBNN__DEFAULT, unique_indices WEBNN__DEFAULT;
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

/* ConvertElementType: floats become integers by truncation; PRED is "not 0". */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_convert_element_type(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_type type);
/* The same bits as another type; if the widths differ, a last dimension joins or splits
   elements. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_bitcast_convert(webnn_xla_builder *b, webnn_xla_value *x,
                                                         webnn_xla_type type);
/* ReducePrecision: rounded to nearest, ties to even. Numbers beyond the range of exponent_bits
   become infinite, and numbers below the normal numbers of that range become 0. NaN stays NaN,
   except that it becomes Infinity if mantissa_bits is 0, as in XLA. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_reduce_precision(webnn_xla_builder *b, webnn_xla_value *x,
                                                          uint32_t exponent_bits,
                                                          uint32_t mantissa_bits);
/* Uniform quantization: stored = clamp(round(x / scale) + zero point, storage_min, storage_max)
   with ties to even. One scale for all, or one for each index of `axis`; arrays are copied. */
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

/* Dot: vectors and matrices; contracts the last dimension of the left with the last but one of the
   right. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_dot(webnn_xla_builder *b, webnn_xla_value *left,
                                             webnn_xla_value *right);
typedef struct webnn_xla_dot_dimension_numbers {
  webnn_list left_batch, right_batch, left_contracting, right_contracting;
} webnn_xla_dot_dimension_numbers;
/* The result has the batch dimensions, then the other dimensions of the left, then those of the
   right. result_type 0: that of the operands; operands are converted to it first (int8 products to
   S32). */
WEBNN_XLA_API webnn_xla_value *webnn_xla_dot_general(webnn_xla_builder *b, webnn_xla_value *left,
                                                     webnn_xla_value *right,
                                                     webnn_xla_dot_dimension_numbers numbers,
                                                     webnn_xla_type result_type);

typedef enum webnn_xla_padding_kind {
  WEBNN_XLA_VALID, /* none */
  WEBNN_XLA_SAME   /* ceil(size / stride) results; an odd element of padding comes last */
} webnn_xla_padding_kind;
/* Conv: left is [batch, features, spatial ...], right [output features, input features, spatial
   ...]. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_conv(webnn_xla_builder *b, webnn_xla_value *left,
                                              webnn_xla_value *right, webnn_list window_strides,
                                              webnn_xla_padding_kind padding);
/* The same with all options; lists have an item for each spatial dimension. */
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
  webnn_xla_window window WEBNN__DEFAULT;
  uint32_t input_batch_dimension WEBNN__DEFAULT, input_feature_dimension WEBNN__DEFAULT;
  uint32_t kernel_input_feature_dimension WEBNN__DEFAULT,
      kernel_output_feature_dimension WEBNN__DEFAULT;
  uint32_t output_batch_dimension WEBNN__DEFAULT, output_feature_dimension WEBNN__DEFAULT;
  webnn_list input_spatial_dimensions WEBNN__DEFAULT, kernel_spatial_dimensions WEBNN__DEFAULT,
      output_spatial_dimensions WEBNN__DEFAULT;
  uint32_t feature_group_count WEBNN__DEFAULT, batch_group_count WEBNN__DEFAULT; /* 0: 1 */
  webnn_xla_type result_type WEBNN__DEFAULT; /* 0: that of the operands */
} webnn_xla_convolution_options;
WEBNN_XLA_API webnn_xla_value *webnn_xla_convolution(webnn_xla_builder *b, webnn_xla_value *left,
                                                     webnn_xla_value *right,
                                                     const webnn_xla_convolution_options *options);

typedef struct webnn_xla_triangular_solve_options {
  bool right_side WEBNN__DEFAULT; /* x a = y in place of a x = y */
  bool lower WEBNN__DEFAULT, unit_diagonal WEBNN__DEFAULT, transpose_a WEBNN__DEFAULT;
} webnn_xla_triangular_solve_options;
/* a is [..., n, n], y [..., n, k], or with right_side [..., k, n]. */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_triangular_solve(webnn_xla_builder *b, webnn_xla_value *a, webnn_xla_value *y,
                           webnn_xla_triangular_solve_options options);
/* The triangular factor of a symmetric matrix [..., n, n]; the other triangle is 0. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_cholesky(webnn_xla_builder *b, webnn_xla_value *a,
                                                  bool lower);

/* ---- Computations applied -------------------------------------------------------------------- */

/* Map: applies the scalar function to every element of arrays of equal shapes, over all dimensions;
   `static_operands` are further, scalar arguments. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_map(webnn_xla_builder *b, webnn_xla_value *const *operands,
                                             size_t count, const webnn_xla_computation *computation,
                                             webnn_list dimensions,
                                             webnn_xla_value *const *static_operands,
                                             size_t static_count);
/* Reduce: the function is associative; init is its neutral element or enters the result once. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_reduce(webnn_xla_builder *b, webnn_xla_value *x,
                                                webnn_xla_value *init_value,
                                                const webnn_xla_computation *computation,
                                                webnn_list dimensions);
/* Reduces several arrays at once: the function takes `count` results so far and `count` elements.
   The result is a tuple if count is not 1. */
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
/* Sort: in ascending order along the last dimension. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_sort(webnn_xla_builder *b, webnn_xla_value *x);
/* Sorts arrays together: the comparator takes two elements of each array in turn (a0, b0, a1, b1,
   ...) and returns PRED. The result is a tuple if count is not 1. The order is always stable. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_sort_many(webnn_xla_builder *b,
                                                   webnn_xla_value *const *operands, size_t count,
                                                   const webnn_xla_computation *comparator,
                                                   uint32_t dimension);
/* Call. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_call(webnn_xla_builder *b,
                                              const webnn_xla_computation *computation,
                                              webnn_xla_value *const *arguments, size_t count);
/* While: `condition` and `body` take the state; `condition` returns PRED, `body` the next state.
   The state is an array or a tuple. It is the only parameter of both functions; alternatively, both
   functions have the tuple's elements as parameters. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_while(webnn_xla_builder *b,
                                               const webnn_xla_computation *condition,
                                               const webnn_xla_computation *body,
                                               webnn_xla_value *init);
/* Conditional: applies branch `index` (S32; the last branch if the index is out of range) to its
   argument; if `index` is PRED, true takes the first branch and false the second. A branch takes a
   tuple as While's functions do. */
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
   tuple takes nothing. Infeeds run in the order in which they were recorded. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_infeed(webnn_xla_builder *b, webnn_xla_shape shape);
/* Outfeed: passes an array, or the arrays of a tuple, to webnn_xla_program_options.outfeed. The
   operation has no result; the function returns an empty tuple. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_outfeed(webnn_xla_builder *b, webnn_xla_value *x);
/* CustomCall: calls the function that the program has for `name`, when its arguments are computed.
   `shape` may be a tuple. If it is empty, there is no result: the function is called for its
   effect, in the order of recording. `configuration`, which may be NULL, is passed on. */
WEBNN_XLA_API webnn_xla_value *webnn_xla_custom_call(webnn_xla_builder *b, const char *name,
                                                     webnn_xla_value *const *arguments,
                                                     size_t count, webnn_xla_shape shape,
                                                     const char *configuration);
/* CrossReplicaSum: by webnn_xla_program_options.all_sum; with one replica the value itself. */
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
   the message that the function has written to `message`, at most message_size bytes. */
typedef bool (*webnn_xla_function)(void *user, const webnn_xla_array *arguments,
                                   size_t argument_count, webnn_xla_array *results,
                                   size_t result_count, const char *configuration, char *message,
                                   size_t message_size);
typedef struct webnn_xla_named_function {
  const char *name;
  webnn_xla_function function;
  void *user;
} webnn_xla_named_function;

/* Functions and data that a program needs from its user; all zero: none. */
typedef struct webnn_xla_program_options {
  const webnn_xla_named_function *functions WEBNN__DEFAULT; /* copied */
  size_t function_count WEBNN__DEFAULT;
  /* Read an item of the input queue, write one to the output queue. False: the run fails. */
  bool (*infeed)(void *user, webnn_xla_array *array) WEBNN__DEFAULT;
  bool (*outfeed)(void *user, const webnn_xla_array *array) WEBNN__DEFAULT;
  /* Adds the arrays of all replicas up, in place. */
  bool (*all_sum)(void *user, webnn_xla_array *array) WEBNN__DEFAULT;
  void *user WEBNN__DEFAULT;
  uint64_t seed WEBNN__DEFAULT; /* of RngUniform, RngNormal and RngBernoulli */
} webnn_xla_program_options;

/* Compiles a computation for a context, whose arithmetic and threads the program uses. A custom
   call without a function, or an operation that WebNN cannot express, is a NotSupportedError. The
   module may be freed afterwards; the context must stay. *program is NULL on failure. */
WEBNN_XLA_API webnn_status webnn_xla_compile(webnn_context *context,
                                             const webnn_xla_computation *computation,
                                             const webnn_xla_program_options *options,
                                             webnn_xla_program **program, webnn_error *error);
/* Runs it: one array for each parameter and each result; tuples are flattened, their elements in
   order. Each array's byte_length must be right; its shape is ignored. Results are written only on
   success. */
WEBNN_XLA_API webnn_status webnn_xla_run(webnn_xla_program *program, const webnn_xla_array *inputs,
                                         size_t input_count, webnn_xla_array *outputs,
                                         size_t output_count, webnn_error *error);
/* The shapes of the inputs and outputs of a run; data is NULL. As webnn_graph_inputs. */
WEBNN_XLA_API size_t webnn_xla_program_inputs(const webnn_xla_program *program,
                                              webnn_xla_array *inputs, size_t capacity);
WEBNN_XLA_API size_t webnn_xla_program_outputs(const webnn_xla_program *program,
                                               webnn_xla_array *outputs, size_t capacity);
/* A program's graphs name their inputs and outputs after slots of the program ("s7"). These
   functions return the number of the slot that holds the program's input or output `index`. Two
   outputs may share a slot, and an output may share an input's slot. UINT32_MAX for an index out of
   range. */
WEBNN_XLA_API uint32_t webnn_xla_input_slot(const webnn_xla_program *program, size_t index);
WEBNN_XLA_API uint32_t webnn_xla_output_slot(const webnn_xla_program *program, size_t index);

/* A step of a program, in order; a loop's condition and body, and a conditional's branches, are
   programs of their own. */
typedef enum webnn_xla_step_kind {
  WEBNN_XLA_STEP_GRAPH,
  WEBNN_XLA_STEP_LOOP,        /* While; Scatter with several updates of one element */
  WEBNN_XLA_STEP_CONDITIONAL, /* Conditional */
  WEBNN_XLA_STEP_SORT,
  WEBNN_XLA_STEP_BITS, /* and, or, xor, not, shifts, popcnt, clz, bitcasts, remainders of floats */
  WEBNN_XLA_STEP_RANDOM,
  WEBNN_XLA_STEP_CALL, /* CustomCall, Infeed, Outfeed, CrossReplicaSum */
  WEBNN_XLA_STEP_KIND_COUNT
} webnn_xla_step_kind;
typedef struct webnn_xla_step {
  webnn_xla_step_kind kind;
  const char *name;   /* of the operation, "sort", "check.expect_eq", ... */
  const char *place;  /* webnn_xla_set_place, or "" */
  webnn_graph *graph; /* of a graph: for printing, profiling and tapping */
  webnn_xla_program
      *parts[2]; /* of a loop: condition and body; of Scatter and Sort only the second,
                                  the function that they apply, if it is a program */
  webnn_xla_program *const *branches;
  size_t branch_count;
  uint64_t nanoseconds, calls; /* of all runs */
} webnn_xla_step;
/* As webnn_graph_inputs: returns the number of steps and copies the first `capacity` of them. */
WEBNN_XLA_API size_t webnn_xla_steps(const webnn_xla_program *program, webnn_xla_step *steps,
                                     size_t capacity);
/* "graph", "loop", "conditional", "sort", "bits", "random", "call". */
WEBNN_XLA_API const char *webnn_xla_step_kind_name(webnn_xla_step_kind kind);
/* Counts the steps of each kind, those of parts included. */
WEBNN_XLA_API void webnn_xla_count_steps(const webnn_xla_program *program,
                                         size_t counts[WEBNN_XLA_STEP_KIND_COUNT]);
/* NULL: nothing. */
WEBNN_XLA_API void webnn_xla_free_program(webnn_xla_program *program);

#ifdef __cplusplus
}
#endif
#endif /* WEBNN_XLA_H */

#if defined(WEBNN_XLA_IMPLEMENTATION) && !defined(WEBNN_XLA__IMPLEMENTED)
#define WEBNN_XLA__IMPLEMENTED

#include "webnn_extra.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ==============================================================================================
   1  memory and messages
   ============================================================================================== */

enum { WEBNN_XLA__MAX_DEPTH = 64, WEBNN_XLA__MESSAGE = 508 };
enum { WEBNN_XLA__MAX_INSTRUCTIONS = 10000000 }; /* of a program, calls written out */

static const char *webnn_xla__copy_text(webnn_extra__arena *arena, const char *text) {
  const char *copy =
      (const char *)webnn_extra__copied(arena, text ? text : "", text ? strlen(text) + 1 : 1);
  return copy ? copy : "";
}

/* ==============================================================================================
   2  types and shapes
   ============================================================================================== */

typedef struct webnn_xla__type_row {
  const char *name;
  uint32_t bits;
  uint8_t bytes;              /* in the caller's memory */
  webnn_data_type graph_type; /* that holds it in graphs */
  bool is_float, is_signed, is_widened;
} webnn_xla__type_row;

static const webnn_xla__type_row *webnn_xla__type_of(webnn_xla_type type) {
  static const webnn_xla__type_row rows[] = {
      {"unknown", 0, 0, (webnn_data_type)0, false, false, false},
      {"PRED", 1, 1, WEBNN_UINT8, false, false, false},
      {"S4", 4, 1, WEBNN_INT32, false, true, true},
      {"S8", 8, 1, WEBNN_INT8, false, true, false},
      {"S16", 16, 2, WEBNN_INT32, false, true, true},
      {"S32", 32, 4, WEBNN_INT32, false, true, false},
      {"S64", 64, 8, WEBNN_INT64, false, true, false},
      {"U4", 4, 1, WEBNN_UINT32, false, false, true},
      {"U8", 8, 1, WEBNN_UINT8, false, false, false},
      {"U16", 16, 2, WEBNN_UINT32, false, false, true},
      {"U32", 32, 4, WEBNN_UINT32, false, false, false},
      {"U64", 64, 8, WEBNN_UINT64, false, false, false},
      {"F16", 16, 2, WEBNN_FLOAT16, true, true, false},
      {"BF16", 16, 2, WEBNN_FLOAT32, true, true, true},
      {"F32", 32, 4, WEBNN_FLOAT32, true, true, false},
      {"tuple", 0, 0, (webnn_data_type)0, false, false, false}};
  return &rows[type >= WEBNN_XLA_PRED && type <= WEBNN_XLA_TUPLE ? type : 0];
}

static bool webnn_xla__is_array_type(webnn_xla_type type) {
  return type >= WEBNN_XLA_PRED && type < WEBNN_XLA_TUPLE;
}

static bool webnn_xla__is_float(webnn_xla_type type) {
  return webnn_xla__type_of(type)->is_float;
}

static bool webnn_xla__is_integer(webnn_xla_type type) {
  return webnn_xla__is_array_type(type) && type != WEBNN_XLA_PRED && !webnn_xla__is_float(type);
}

static webnn_data_type webnn_xla__graph_type(webnn_xla_type type) {
  return webnn_xla__type_of(type)->graph_type;
}

WEBNN_XLA_API const char *webnn_xla_type_name(webnn_xla_type type) {
  return webnn_xla__type_of(type)->name;
}

WEBNN_XLA_API size_t webnn_xla_type_bytes(webnn_xla_type type) {
  return webnn_xla__type_of(type)->bytes;
}

WEBNN_XLA_API webnn_xla_shape webnn_xla_shape_of(webnn_xla_type type, webnn_list dimensions) {
  webnn_xla_shape shape;
  memset(&shape, 0, sizeof shape);
  shape.type = type;
  shape.dimensions = dimensions;
  shape.dimensions.given = true;
  return shape;
}

WEBNN_XLA_API webnn_xla_shape webnn_xla_tuple_shape(const webnn_xla_shape *elements, size_t count) {
  webnn_xla_shape shape;
  memset(&shape, 0, sizeof shape);
  shape.type = WEBNN_XLA_TUPLE;
  shape.elements = elements;
  shape.element_count = elements ? count : 0;
  return shape;
}

/* The product of the dimensions, all of which are at least 1; 0 beyond WebNN's limits. */
static size_t webnn_xla__count(webnn_list dimensions) {
  uint64_t count = 1;
  uint32_t i;
  if (dimensions.count > WEBNN_MAX_RANK) {
    return 0;
  }
  for (i = 0; i < dimensions.count; i++) {
    if (dimensions.items[i] == 0 || dimensions.items[i] > INT32_MAX) {
      return 0;
    }
    count *= dimensions.items[i];
    if (count > INT32_MAX) {
      return 0;
    }
  }
  return (size_t)count;
}

WEBNN_XLA_API size_t webnn_xla_byte_length(const webnn_xla_shape *shape) {
  if (!shape || !webnn_xla__is_array_type(shape->type)) {
    return 0;
  }
  return webnn_xla__count(shape->dimensions) * webnn_xla_type_bytes(shape->type);
}

static bool webnn_xla__same_shape(const webnn_xla_shape *a, const webnn_xla_shape *b) {
  size_t i;
  if (a->type != b->type) {
    return false;
  }
  if (a->type != WEBNN_XLA_TUPLE) {
    return webnn_extra__same_list(a->dimensions, b->dimensions);
  }
  for (i = 0; i < a->element_count && i < b->element_count; i++) {
    if (!webnn_xla__same_shape(&a->elements[i], &b->elements[i])) {
      return false;
    }
  }
  return a->element_count == b->element_count;
}

/* 0, 1, ... count - 1 */
static webnn_list webnn_xla__counted(uint32_t count) {
  webnn_list list = webnn_extra__no_items();
  while (list.count < count) {
    webnn_extra__append(&list, list.count);
  }
  return list;
}

static bool webnn_xla__contains(webnn_list list, uint32_t item) {
  uint32_t i;
  for (i = 0; i < list.count; i++) {
    if (list.items[i] == item) {
      return true;
    }
  }
  return false;
}

/* Where in the list the item stands; list.count if nowhere. */
static uint32_t webnn_xla__position(webnn_list list, uint32_t item) {
  uint32_t i = 0;
  while (i < list.count && list.items[i] != item) {
    i++;
  }
  return i;
}

/* The items of 0 ... rank - 1 that are not in the list. */
static webnn_list webnn_xla__others(webnn_list list, uint32_t rank) {
  webnn_list others = webnn_extra__no_items();
  uint32_t i;
  for (i = 0; i < rank; i++) {
    if (!webnn_xla__contains(list, i)) {
      webnn_extra__append(&others, i);
    }
  }
  return others;
}

/* One list behind the other. */
static webnn_list webnn_xla__joined(webnn_list a, webnn_list b) {
  uint32_t i;
  for (i = 0; i < b.count; i++) {
    webnn_extra__append(&a, b.items[i]);
  }
  return a;
}

/* sizes[dims[0]], sizes[dims[1]], ... */
static webnn_list webnn_xla__picked(webnn_list sizes, webnn_list dims) {
  webnn_list picked = webnn_extra__no_items();
  uint32_t i;
  for (i = 0; i < dims.count; i++) {
    webnn_extra__append(&picked, sizes.items[dims.items[i]]);
  }
  return picked;
}

/* A default for a list that is not given. */
static webnn_list webnn_xla__or_ones(webnn_list list, uint32_t count) {
  return list.given ? list : webnn_extra__repeat(1, count);
}

/* ---- As text, for messages ------------------------------------------------------------------- */

typedef struct webnn_xla__text {
  char text[160];
} webnn_xla__text;

static void webnn_xla__put(webnn_xla__text *to, const char *format, ...) WEBNN_EXTRA__PRINTF(2, 3);
static void webnn_xla__put(webnn_xla__text *to, const char *format, ...) {
  const size_t used = strlen(to->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to->text + used, sizeof to->text - used, format, arguments);
  va_end(arguments);
}

static webnn_xla__text webnn_xla__list_text(webnn_list list) {
  webnn_xla__text t;
  uint32_t i;
  t.text[0] = 0;
  webnn_xla__put(&t, "[");
  for (i = 0; i < list.count && i < WEBNN_MAX_RANK; i++) {
    webnn_xla__put(&t, i ? ", %lu" : "%lu", (unsigned long)list.items[i]);
  }
  webnn_xla__put(&t, list.count > WEBNN_MAX_RANK ? ", ...]" : "]");
  return t;
}

static void webnn_xla__put_shape(webnn_xla__text *t, const webnn_xla_shape *shape) {
  size_t i;
  if (shape->type != WEBNN_XLA_TUPLE) {
    webnn_xla__put(t, "%s%s", webnn_xla_type_name(shape->type),
                   webnn_xla__list_text(shape->dimensions).text);
    return;
  }
  webnn_xla__put(t, "(");
  for (i = 0; i < shape->element_count && strlen(t->text) + 1 < sizeof t->text; i++) {
    webnn_xla__put(t, i ? ", " : "");
    webnn_xla__put_shape(t, &shape->elements[i]);
  }
  webnn_xla__put(t, ")");
}

static webnn_xla__text webnn_xla__shape_text(const webnn_xla_shape *shape) {
  webnn_xla__text t;
  t.text[0] = 0;
  webnn_xla__put_shape(&t, shape);
  return t;
}

/* ==============================================================================================
   3  recording

   A computation is a list of instructions in the order in which they were recorded. An instruction
   has arrays as operands and results; a tuple is only a list of such values, so that nothing below
   needs to know of tuples.
   ============================================================================================== */

/* Instructions besides webnn_xla_operation, and a parameter. X(enumerator, name in messages, what
   lowers it: webnn_xla__do_..., does that in a function of scalars that stand for all elements of
   arrays, too?). */
/* clang-format off */
#define WEBNN_XLA__INSTRUCTIONS(X)                                                                 \
  X(CONSTANT,             "constant",             constant,             true)                      \
  X(IOTA,                 "iota",                 iota,                 false)                     \
  X(COMPARE_TOTAL_ORDER,  "compare",              total_order,          true)                      \
  X(BROADCAST_IN_DIM,     "broadcast_in_dim",     broadcast_in_dim,     true)                      \
  X(RESHAPE,              "reshape",              reshape,              true)                      \
  X(TRANSPOSE,            "transpose",            transpose,            true)                      \
  X(REV,                  "reverse",              rev,                  false)                     \
  X(SLICE,                "slice",                slice,                false)                     \
  X(CONCATENATE,          "concatenate",          concatenate,          false)                     \
  X(PAD,                  "pad",                  pad,                  false)                     \
  X(DYNAMIC_SLICE,        "dynamic_slice",        dynamic_slice,        false)                     \
  X(DYNAMIC_UPDATE_SLICE, "dynamic_update_slice", dynamic_update_slice, false)                     \
  X(GATHER,               "gather",               gather,               false)                     \
  X(SCATTER,              "scatter",              scatter,              false)                     \
  X(CONVERT,              "convert",              convert,              true)                      \
  X(BITCAST_CONVERT,      "bitcast_convert",      bitcast_convert,      true)                      \
  X(REDUCE_PRECISION,     "reduce_precision",     reduce_precision,     true)                      \
  X(UNIFORM_QUANTIZE,     "uniform_quantize",     uniform_quantize,     true)                      \
  X(UNIFORM_DEQUANTIZE,   "uniform_dequantize",   uniform_dequantize,   true)                      \
  X(SELECT,               "select",               select,               true)                      \
  X(DOT_GENERAL,          "dot_general",          dot_general,          false)                     \
  X(CONVOLUTION,          "convolution",          convolution,          false)                     \
  X(TRIANGULAR_SOLVE,     "triangular_solve",     triangular_solve,     false)                     \
  X(CHOLESKY,             "cholesky",             cholesky,             false)                     \
  X(BATCH_NORM,           "batch_norm",           batch_norm,           false)                     \
  X(MAP,                  "map",                  map,                  true)                      \
  X(REDUCE,               "reduce",               reduce,               false)                     \
  X(REDUCE_WINDOW,        "reduce_window",        reduce_window,        false)                     \
  X(SELECT_AND_SCATTER,   "select_and_scatter",   select_and_scatter,   false)                     \
  X(SORT,                 "sort",                 sort,                 false)                     \
  X(CALL,                 "call",                 call,                 true)                      \
  X(WHILE,                "while",                loop,                 false)                     \
  X(CONDITIONAL,          "conditional",          conditional,          false)                     \
  X(RNG_UNIFORM,          "rng",                  rng_uniform,          false)                     \
  X(RNG_BIT_GENERATOR,    "rng_bit_generator",    rng_bit_generator,    false)                     \
  X(INFEED,               "infeed",               queue,                false)                     \
  X(OUTFEED,              "outfeed",              queue,                false)                     \
  X(CUSTOM_CALL,          "custom_call",          custom_call,          false)                     \
  X(CROSS_REPLICA_SUM,    "cross_replica_sum",    queue,                false)
/* clang-format on */

#define WEBNN_XLA__INSTRUCTION_ENUMERATOR(op, name, function, on_all) WEBNN_XLA__##op,
enum {
  WEBNN_XLA__PARAMETER = WEBNN_XLA_ELEMENTWISE_COUNT,
  WEBNN_XLA__INSTRUCTIONS(WEBNN_XLA__INSTRUCTION_ENUMERATOR)
      WEBNN_XLA__UNNAMED /* in messages of what is made of others */
};
#undef WEBNN_XLA__INSTRUCTION_ENUMERATOR

static const char *webnn_xla__instruction_name(uint32_t op) {
#define WEBNN_XLA__NAME(op, name, stablehlo, types) stablehlo,
#define WEBNN_XLA__COMPARISON_NAME(op, name, stablehlo) "compare " stablehlo,
#define WEBNN_XLA__INSTRUCTION_NAME(op, name, function, on_all) , name
  static const char *const names[] = {
      WEBNN_XLA_UNARY(WEBNN_XLA__NAME) WEBNN_XLA_BINARY(WEBNN_XLA__NAME)
          WEBNN_XLA_COMPARISONS(WEBNN_XLA__COMPARISON_NAME) "parameter" WEBNN_XLA__INSTRUCTIONS(
              WEBNN_XLA__INSTRUCTION_NAME)};
#undef WEBNN_XLA__NAME
#undef WEBNN_XLA__COMPARISON_NAME
#undef WEBNN_XLA__INSTRUCTION_NAME
  return names[op];
}

struct webnn_xla_module {
  webnn_extra__arena memory;
  webnn_status status;
  char message[WEBNN_XLA__MESSAGE];
  webnn_xla_builder *builders;
};

/* Elements as graphs have them, in the graph type of the type; one for all where `splat`. */
typedef struct webnn_xla__literal {
  const void *data;
  bool splat;
} webnn_xla__literal;

typedef struct webnn_xla__instruction {
  uint32_t op;
  const char *place;
  webnn_xla_value **operands;
  webnn_xla_value *results; /* arrays, one behind the other */
  size_t operand_count, result_count;
  const webnn_xla_computation **computations;
  size_t computation_count;
  const void *options; /* a struct of the operation's own */
  struct webnn_xla__instruction *next;
} webnn_xla__instruction;

struct webnn_xla_value {
  webnn_xla_shape shape;
  const webnn_xla_builder *builder;
  webnn_xla__instruction *source; /* of an array */
  size_t number;                  /* of an array: among all of the computation */
  webnn_xla_value **elements;     /* of a tuple */
};

struct webnn_xla_computation {
  const char *name;
  webnn_xla__instruction *first;
  size_t value_count; /* arrays */
  webnn_xla_value **parameters;
  const char **parameter_names;
  size_t parameter_count;
  webnn_xla_value **leaves; /* the arrays of the parameters */
  size_t leaf_count;
  webnn_xla_value **roots; /* the arrays of the result */
  size_t root_count;
  const webnn_xla_shape *result;
  bool has_effect; /* calls of the user's functions */
};

struct webnn_xla_builder {
  webnn_xla_module *module;
  webnn_xla_computation computation;
  webnn_xla__instruction **end; /* where the next instruction is linked */
  const char *place;
  size_t parameter_room;
  bool ended;
  webnn_xla_builder *next;
};

/* Keeps the first mistake: "place: operation: what is wrong". */
static void webnn_xla__mistake(webnn_xla_builder *b, uint32_t op, const char *format,
                               va_list arguments) {
  webnn_xla_module *m = b->module;
  int used = 0;
  if (m->status != WEBNN_OK) {
    return;
  }
  m->status = WEBNN_TYPE_ERROR;
  if (b->place[0]) {
    used = snprintf(m->message, sizeof m->message, "%s: ", b->place);
  }
  if (used >= 0 && (size_t)used < sizeof m->message && op != WEBNN_XLA__UNNAMED) {
    const int more = snprintf(m->message + used, sizeof m->message - (size_t)used,
                              "%s: ", webnn_xla__instruction_name(op));
    used = more < 0 ? more : used + more;
  }
  if (used >= 0 && (size_t)used < sizeof m->message) {
    vsnprintf(m->message + used, sizeof m->message - (size_t)used, format, arguments);
  }
}

static webnn_xla_value *webnn_xla__fail(webnn_xla_builder *b, uint32_t op, const char *format, ...)
    WEBNN_EXTRA__PRINTF(3, 4);
/* An argument is wrong. */
static webnn_xla_value *webnn_xla__fail(webnn_xla_builder *b, uint32_t op, const char *format,
                                        ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn_xla__mistake(b, op, format, arguments);
  va_end(arguments);
  return NULL;
}

static void *webnn_xla__no_memory(webnn_xla_builder *b) {
  if (b->module->status == WEBNN_OK) {
    b->module->status = WEBNN_UNKNOWN_ERROR;
    snprintf(b->module->message, sizeof b->module->message, "out of memory");
  }
  return NULL;
}

static webnn_xla_value *webnn_xla__no_value(webnn_xla_builder *b) {
  return (webnn_xla_value *)webnn_xla__no_memory(b);
}

WEBNN_XLA_API webnn_xla_module *webnn_xla_create_module(void) {
  return (webnn_xla_module *)calloc(1, sizeof(webnn_xla_module));
}

WEBNN_XLA_API void webnn_xla_free_module(webnn_xla_module *module) {
  if (module) {
    webnn_extra__free_arena(&module->memory);
    free(module);
  }
}

WEBNN_XLA_API webnn_status webnn_xla_module_status(const webnn_xla_module *module) {
  return module ? module->status : WEBNN_TYPE_ERROR;
}

WEBNN_XLA_API const char *webnn_xla_module_message(const webnn_xla_module *module) {
  return module ? module->message : "the module is NULL";
}

WEBNN_XLA_API void webnn_xla_module_clear_error(webnn_xla_module *module) {
  if (module) {
    module->status = WEBNN_OK;
    module->message[0] = 0;
  }
}

WEBNN_XLA_API webnn_xla_builder *webnn_xla_begin(webnn_xla_module *module, const char *name) {
  webnn_xla_builder *b;
  if (!module || module->status != WEBNN_OK) {
    return NULL;
  }
  b = (webnn_xla_builder *)webnn_extra__take(&module->memory, sizeof *b, 1);
  if (!b) {
    return NULL;
  }
  b->module = module;
  b->end = &b->computation.first;
  b->place = "";
  b->computation.name = webnn_xla__copy_text(&module->memory, name);
  return b;
}

WEBNN_XLA_API void webnn_xla_set_place(webnn_xla_builder *b, const char *place) {
  if (b && strcmp(b->place, place ? place : "") != 0) {
    b->place = webnn_xla__copy_text(&b->module->memory, place);
  }
}

/* Can this builder go on? */
static bool webnn_xla__ready(webnn_xla_builder *b, uint32_t op) {
  if (!b || b->module->status != WEBNN_OK) {
    return false;
  }
  return !b->ended || webnn_xla__fail(b, op, "the computation is complete");
}

static void *webnn_xla__keep(webnn_xla_builder *b, const void *data, size_t size) {
  void *copy = webnn_extra__copied(&b->module->memory, data, size);
  return copy ? copy : webnn_xla__no_memory(b);
}

/* ---- Instructions ---------------------------------------------------------------------------- */

/* Operands are in order: none is NULL or of another computation. */
static bool webnn_xla__operands_belong(webnn_xla_builder *b, uint32_t op,
                                       webnn_xla_value *const *operands, size_t count) {
  size_t i;
  if (!webnn_xla__ready(b, op)) {
    return false;
  }
  for (i = 0; i < count; i++) {
    if (!operands || !operands[i]) {
      webnn_xla__fail(b, op, "operand %lu is NULL", (unsigned long)i);
      return false;
    }
    if (operands[i]->builder != b) {
      webnn_xla__fail(b, op, "operand %lu belongs to another computation", (unsigned long)i);
      return false;
    }
  }
  return true;
}

/* And all are arrays. */
static bool webnn_xla__are_arrays(webnn_xla_builder *b, uint32_t op,
                                  webnn_xla_value *const *operands, size_t count) {
  size_t i;
  if (!webnn_xla__operands_belong(b, op, operands, count)) {
    return false;
  }
  for (i = 0; i < count; i++) {
    if (operands[i]->shape.type == WEBNN_XLA_TUPLE) {
      webnn_xla__fail(b, op, "operand %lu is a tuple", (unsigned long)i);
      return false;
    }
  }
  return true;
}

/* A shape that a result may have. */
static bool webnn_xla__check_array(webnn_xla_builder *b, uint32_t op,
                                   const webnn_xla_shape *shape) {
  if (!webnn_xla__is_array_type(shape->type)) {
    return webnn_xla__fail(b, op, "there is no element type %d", (int)shape->type);
  }
  if (shape->dimensions.count > WEBNN_MAX_RANK) {
    return webnn_xla__fail(b, op, "the result has %lu dimensions, but at most %d are possible",
                           (unsigned long)shape->dimensions.count, WEBNN_MAX_RANK);
  }
  if (webnn_xla__count(shape->dimensions) == 0) {
    return webnn_xla__fail(b, op, "%s is empty or has more than 2^31 - 1 elements",
                           webnn_xla__shape_text(shape).text);
  }
  return true;
}

/* Records an instruction with room for its operands, results and computations; NULL after a
   mistake. Results' shapes are set by the caller and checked by webnn_xla__finish. */
static webnn_xla__instruction *webnn_xla__record(webnn_xla_builder *b, uint32_t op,
                                                 webnn_xla_value *const *operands,
                                                 size_t operand_count, size_t result_count) {
  webnn_extra__arena *memory = &b->module->memory;
  webnn_xla__instruction *i = (webnn_xla__instruction *)webnn_extra__take(memory, sizeof *i, 1);
  size_t k;
  if (!i || operand_count > SIZE_MAX / sizeof *operands ||
      result_count > SIZE_MAX / sizeof(webnn_xla_value)) {
    return (webnn_xla__instruction *)webnn_xla__no_memory(b);
  }
  i->op = op;
  i->place = b->place;
  i->operands = (webnn_xla_value **)webnn_xla__keep(b, operands, operand_count * sizeof *operands);
  i->operand_count = operand_count;
  i->results =
      (webnn_xla_value *)webnn_extra__take(memory, (result_count + 1) * sizeof(webnn_xla_value), 1);
  i->result_count = result_count;
  if (!i->operands || !i->results) {
    return (webnn_xla__instruction *)webnn_xla__no_memory(b);
  }
  for (k = 0; k < result_count; k++) {
    i->results[k].builder = b;
    i->results[k].source = i;
  }
  return i;
}

static webnn_xla_value *webnn_xla__make_tuple(webnn_xla_builder *b,
                                              webnn_xla_value *const *elements, size_t count);

/* Room for a list of values; NULL: there is no memory, and the module has failed. */
static webnn_xla_value **webnn_xla__list_room(webnn_xla_builder *b, size_t count) {
  void *list = webnn_extra__take(&b->module->memory, count + 1, sizeof(webnn_xla_value *));
  return (webnn_xla_value **)(list ? list : webnn_xla__no_memory(b));
}

/* The results of an instruction as a list; NULL after a failure. */
static webnn_xla_value **webnn_xla__results_of(webnn_xla_builder *b, webnn_xla__instruction *i) {
  webnn_xla_value **list = webnn_xla__list_room(b, i->result_count);
  size_t k;
  for (k = 0; k < i->result_count && list; k++) {
    list[k] = &i->results[k];
  }
  return list;
}

/* Checks the results and puts the instruction at the end of the list. Its value: the one result,
   or a tuple of them. */
static webnn_xla_value *webnn_xla__finish(webnn_xla_builder *b, webnn_xla__instruction *i) {
  webnn_xla_value **elements;
  size_t k;
  if (!i || b->module->status != WEBNN_OK) {
    return NULL;
  }
  for (k = 0; k < i->result_count; k++) {
    if (!webnn_xla__check_array(b, i->op, &i->results[k].shape)) {
      return NULL;
    }
    i->results[k].shape.dimensions.given = true;
    i->results[k].number = b->computation.value_count++;
  }
  *b->end = i;
  b->end = &i->next;
  if (i->result_count == 1) {
    return &i->results[0];
  }
  elements = webnn_xla__results_of(b, i);
  return elements ? webnn_xla__make_tuple(b, elements, i->result_count) : NULL;
}

/* An instruction of one result, with options of `size` bytes. */
static webnn_xla_value *webnn_xla__record_one(webnn_xla_builder *b, uint32_t op,
                                              webnn_xla_value *const *operands,
                                              size_t operand_count, webnn_xla_type type,
                                              webnn_list dimensions, const void *options,
                                              size_t size) {
  webnn_xla__instruction *i = webnn_xla__record(b, op, operands, operand_count, 1);
  if (!i) {
    return NULL;
  }
  i->results[0].shape = webnn_xla_shape_of(type, dimensions);
  if (options) {
    i->options = webnn_xla__keep(b, options, size);
  }
  return webnn_xla__finish(b, i);
}

static bool webnn_xla__set_computations(webnn_xla_builder *b, webnn_xla__instruction *i,
                                        const webnn_xla_computation *const *computations,
                                        size_t count) {
  i->computations = (const webnn_xla_computation **)webnn_xla__keep(b, computations,
                                                                    count * sizeof *computations);
  i->computation_count = count;
  return i->computations != NULL;
}

/* ---- Tuples, and the arrays in them ---------------------------------------------------------- */

static webnn_xla_value *webnn_xla__make_tuple(webnn_xla_builder *b,
                                              webnn_xla_value *const *elements, size_t count) {
  webnn_extra__arena *memory = &b->module->memory;
  webnn_xla_value *tuple = (webnn_xla_value *)webnn_extra__take(memory, sizeof *tuple, 1);
  webnn_xla_shape *shapes =
      (webnn_xla_shape *)webnn_extra__take(memory, (count + 1) * sizeof *shapes, 1);
  size_t i;
  if (!tuple || !shapes) {
    return webnn_xla__no_value(b);
  }
  tuple->builder = b;
  tuple->elements = (webnn_xla_value **)webnn_xla__keep(b, elements, count * sizeof *elements);
  for (i = 0; i < count; i++) {
    shapes[i] = elements[i]->shape;
  }
  tuple->shape = webnn_xla_tuple_shape(shapes, count);
  return tuple->elements ? tuple : NULL;
}

static size_t webnn_xla__leaf_count(const webnn_xla_shape *shape) {
  size_t i, count = 0;
  if (shape->type != WEBNN_XLA_TUPLE) {
    return 1;
  }
  for (i = 0; i < shape->element_count; i++) {
    count += webnn_xla__leaf_count(&shape->elements[i]);
  }
  return count;
}

static size_t webnn_xla__put_leaves(webnn_xla_value *value, webnn_xla_value **leaves) {
  size_t i, count = 0;
  if (value->shape.type != WEBNN_XLA_TUPLE) {
    leaves[0] = value;
    return 1;
  }
  for (i = 0; i < value->shape.element_count; i++) {
    count += webnn_xla__put_leaves(value->elements[i], leaves + count);
  }
  return count;
}

/* The arrays of values, tuples flattened. NULL without memory. */
static webnn_xla_value **webnn_xla__leaves(webnn_xla_builder *b, webnn_xla_value *const *values,
                                           size_t count, size_t *leaf_count) {
  webnn_xla_value **leaves;
  size_t i, total = 0;
  for (i = 0; i < count; i++) {
    total += webnn_xla__leaf_count(&values[i]->shape);
  }
  leaves = webnn_xla__list_room(b, total);
  *leaf_count = total;
  for (i = 0, total = 0; i < count && leaves; i++) {
    total += webnn_xla__put_leaves(values[i], leaves + total);
  }
  return leaves;
}

/* A value of the shape, whose arrays are the next ones of `leaves`. */
static webnn_xla_value *webnn_xla__assemble(webnn_xla_builder *b, const webnn_xla_shape *shape,
                                            webnn_xla_value ***leaves) {
  webnn_xla_value **elements;
  size_t i;
  if (shape->type != WEBNN_XLA_TUPLE) {
    return *(*leaves)++;
  }
  elements = webnn_xla__list_room(b, shape->element_count);
  for (i = 0; i < shape->element_count && elements; i++) {
    elements[i] = webnn_xla__assemble(b, &shape->elements[i], leaves);
    if (!elements[i]) {
      return NULL;
    }
  }
  return elements ? webnn_xla__make_tuple(b, elements, shape->element_count) : NULL;
}

static size_t webnn_xla__put_leaf_shapes(const webnn_xla_shape *shape, webnn_xla_value *results) {
  size_t i, count = 0;
  if (shape->type != WEBNN_XLA_TUPLE) {
    results[0].shape = *shape;
    return 1;
  }
  for (i = 0; i < shape->element_count; i++) {
    count += webnn_xla__put_leaf_shapes(&shape->elements[i], results + count);
  }
  return count;
}

/* Finishes an instruction whose results are the arrays of `shape`, and gives a
   value of that shape. */
static webnn_xla_value *webnn_xla__finish_shape(webnn_xla_builder *b, webnn_xla__instruction *i,
                                                const webnn_xla_shape *shape) {
  webnn_xla_value **leaves;
  if (!i) {
    return NULL;
  }
  webnn_xla__put_leaf_shapes(shape, i->results);
  leaves = webnn_xla__finish(b, i) ? webnn_xla__results_of(b, i) : NULL;
  return leaves ? webnn_xla__assemble(b, shape, &leaves) : NULL;
}

/* Is a shape from the caller one that values can have? Copies it. */
static const webnn_xla_shape *webnn_xla__keep_shape(webnn_xla_builder *b, uint32_t op,
                                                    const webnn_xla_shape *shape, int depth) {
  webnn_xla_shape *copy = (webnn_xla_shape *)webnn_xla__keep(b, shape, sizeof *shape);
  webnn_xla_shape *elements;
  size_t i;
  if (!copy) {
    return NULL;
  }
  if (shape->type != WEBNN_XLA_TUPLE) {
    copy->dimensions.given = true;
    return webnn_xla__check_array(b, op, copy) ? copy : NULL;
  }
  if (depth >= WEBNN_XLA__MAX_DEPTH) {
    return (const webnn_xla_shape *)webnn_xla__fail(b, op, "tuples are nested more than %d deep",
                                                    WEBNN_XLA__MAX_DEPTH);
  }
  elements = (webnn_xla_shape *)webnn_extra__take(&b->module->memory,
                                                  (shape->element_count + 1) * sizeof *elements, 1);
  if (!elements) {
    return (const webnn_xla_shape *)webnn_xla__no_memory(b);
  }
  for (i = 0; i < shape->element_count; i++) {
    const webnn_xla_shape *element = webnn_xla__keep_shape(b, op, &shape->elements[i], depth + 1);
    if (!element) {
      return NULL;
    }
    elements[i] = *element;
  }
  copy->elements = elements;
  return copy;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_tuple(webnn_xla_builder *b, webnn_xla_value *const *values,
                                               size_t count) {
  return webnn_xla__operands_belong(b, WEBNN_XLA__UNNAMED, values, count)
             ? webnn_xla__make_tuple(b, values, count)
             : NULL;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_get_tuple_element(webnn_xla_builder *b,
                                                           webnn_xla_value *tuple, size_t index) {
  if (!webnn_xla__operands_belong(b, WEBNN_XLA__UNNAMED, &tuple, 1)) {
    return NULL;
  }
  if (tuple->shape.type != WEBNN_XLA_TUPLE || index >= tuple->shape.element_count) {
    return webnn_xla__fail(b, WEBNN_XLA__UNNAMED, "get_tuple_element: %s has no element %lu",
                           webnn_xla__shape_text(&tuple->shape).text, (unsigned long)index);
  }
  return tuple->elements[index];
}

WEBNN_XLA_API const webnn_xla_shape *webnn_xla_shape_of_value(const webnn_xla_value *value) {
  static const webnn_xla_shape none = WEBNN_ZERO;
  return value ? &value->shape : &none;
}

/* ---- Parameters and the end ------------------------------------------------------------------ */

static bool webnn_xla__make_room(webnn_xla_builder *b, size_t number) {
  webnn_xla_computation *c = &b->computation;
  size_t room = b->parameter_room ? b->parameter_room : 8;
  webnn_xla_value **parameters;
  const char **names;
  if (number < b->parameter_room) {
    return true;
  }
  if (number > 65535) {
    return webnn_xla__fail(b, WEBNN_XLA__PARAMETER, "%lu is more than 65535",
                           (unsigned long)number);
  }
  while (room <= number) {
    room *= 2;
  }
  parameters =
      (webnn_xla_value **)webnn_extra__take(&b->module->memory, room * sizeof *parameters, 1);
  names = (const char **)webnn_extra__take(&b->module->memory, room * sizeof *names, 1);
  if (!parameters || !names) {
    return webnn_xla__no_memory(b);
  }
  if (c->parameter_count) {
    memcpy(parameters, c->parameters, c->parameter_count * sizeof *parameters);
    memcpy(names, c->parameter_names, c->parameter_count * sizeof *names);
  }
  c->parameters = parameters;
  c->parameter_names = names;
  b->parameter_room = room;
  return true;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_parameter(webnn_xla_builder *b, size_t number,
                                                   webnn_xla_shape shape, const char *name) {
  webnn_xla_computation *c;
  const webnn_xla_shape *kept;
  webnn_xla_value *value;
  if (!webnn_xla__ready(b, WEBNN_XLA__PARAMETER) || !webnn_xla__make_room(b, number)) {
    return NULL;
  }
  c = &b->computation;
  if (c->parameters[number]) {
    return webnn_xla__fail(b, WEBNN_XLA__PARAMETER, "there are two of number %lu",
                           (unsigned long)number);
  }
  kept = webnn_xla__keep_shape(b, WEBNN_XLA__PARAMETER, &shape, 0);
  if (!kept) {
    return NULL;
  }
  value = webnn_xla__finish_shape(
      b, webnn_xla__record(b, WEBNN_XLA__PARAMETER, NULL, 0, webnn_xla__leaf_count(kept)), kept);
  c->parameters[number] = value;
  c->parameter_names[number] = webnn_xla__copy_text(&b->module->memory, name);
  if (number >= c->parameter_count) {
    c->parameter_count = number + 1;
  }
  return value;
}

/* Must it be done, even if nothing needs its results? */
static bool webnn_xla__has_effect(const webnn_xla__instruction *i) {
  size_t k;
  for (k = 0; k < i->computation_count; k++) {
    if (i->computations[k]->has_effect) {
      return true;
    }
  }
  return i->op == WEBNN_XLA__INFEED || i->op == WEBNN_XLA__OUTFEED ||
         i->op == WEBNN_XLA__CUSTOM_CALL;
}

WEBNN_XLA_API const webnn_xla_computation *webnn_xla_end(webnn_xla_builder *b,
                                                         webnn_xla_value *root) {
  webnn_xla_computation *c;
  const webnn_xla__instruction *instruction;
  size_t i;
  if (!webnn_xla__operands_belong(b, WEBNN_XLA__UNNAMED, &root, 1)) {
    return NULL;
  }
  c = &b->computation;
  for (i = 0; i < c->parameter_count; i++) {
    if (!c->parameters[i]) {
      return (const webnn_xla_computation *)webnn_xla__fail(
          b, WEBNN_XLA__PARAMETER, "there is none of number %lu", (unsigned long)i);
    }
  }
  c->leaves = webnn_xla__leaves(b, c->parameters, c->parameter_count, &c->leaf_count);
  c->roots = webnn_xla__leaves(b, &root, 1, &c->root_count);
  c->result = &root->shape;
  for (instruction = c->first; instruction; instruction = instruction->next) {
    c->has_effect = c->has_effect || webnn_xla__has_effect(instruction);
  }
  b->ended = true;
  return c->leaves && c->roots ? c : NULL;
}

WEBNN_XLA_API const char *webnn_xla_computation_name(const webnn_xla_computation *c) {
  return c ? c->name : "";
}

WEBNN_XLA_API const webnn_xla_shape *webnn_xla_result_shape(const webnn_xla_computation *c) {
  return c ? c->result : webnn_xla_shape_of_value(NULL);
}

WEBNN_XLA_API size_t webnn_xla_parameter_count(const webnn_xla_computation *c) {
  return c ? c->parameter_count : 0;
}

WEBNN_XLA_API const webnn_xla_shape *webnn_xla_parameter_shape(const webnn_xla_computation *c,
                                                               size_t index) {
  return webnn_xla_shape_of_value(c && index < c->parameter_count ? c->parameters[index] : NULL);
}

WEBNN_XLA_API const char *webnn_xla_parameter_name(const webnn_xla_computation *c, size_t index) {
  return c && index < c->parameter_count ? c->parameter_names[index] : "";
}

/* ---- Element by element ---------------------------------------------------------------------- */

static bool webnn_xla__type_fits(char kind, webnn_xla_type type) {
  const bool is_float = webnn_xla__is_float(type), is_integer = webnn_xla__is_integer(type);
  switch (kind) {
  case 'A':
    return is_float || is_integer;
  case 'F':
    return is_float;
  case 'I':
    return is_integer;
  case 'S':
    return is_float || (is_integer && webnn_xla__type_of(type)->is_signed);
  case 'B':
    return is_integer || type == WEBNN_XLA_PRED;
  default:
    return true;
  }
}

/* The kind of types that an operation takes: see WEBNN_XLA_UNARY. */
static char webnn_xla__types_of(webnn_xla_operation op) {
#define WEBNN_XLA__TYPES(op, name, stablehlo, types) #types
#define WEBNN_XLA__COMPARISON_TYPES(op, name, stablehlo) "V"
  static const char kinds[] = WEBNN_XLA_UNARY(WEBNN_XLA__TYPES) WEBNN_XLA_BINARY(WEBNN_XLA__TYPES)
      WEBNN_XLA_COMPARISONS(WEBNN_XLA__COMPARISON_TYPES);
#undef WEBNN_XLA__TYPES
#undef WEBNN_XLA__COMPARISON_TYPES
  return kinds[op];
}

static bool webnn_xla__check_type(webnn_xla_builder *b, webnn_xla_operation op,
                                  webnn_xla_type type) {
  const char kind = webnn_xla__types_of(op);
  if (webnn_xla__type_fits(kind, type)) {
    return true;
  }
  return webnn_xla__fail(b, op, "the operand must be %s, but is %s",
                         kind == 'F'   ? "of a float type"
                         : kind == 'I' ? "of an integer type"
                         : kind == 'S' ? "of a signed integer or float type"
                         : kind == 'B' ? "of an integer type or PRED"
                                       : "of an integer or float type",
                         webnn_xla_type_name(type));
}

static bool webnn_xla__is_comparison(uint32_t op) {
  return op >= WEBNN_XLA_EQ && op <= WEBNN_XLA_LT;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_unary(webnn_xla_builder *b, webnn_xla_operation op,
                                               webnn_xla_value *x) {
  if (!webnn_xla__are_arrays(b, op, &x, 1) || !webnn_xla__check_type(b, op, x->shape.type)) {
    return NULL;
  }
  return webnn_xla__record_one(b, op, &x, 1,
                               op == WEBNN_XLA_IS_FINITE ? WEBNN_XLA_PRED : x->shape.type,
                               x->shape.dimensions, NULL, 0);
}

/* The smaller operand as one of the larger one's rank: dimension i becomes dimensions[i],
   the others are 1. */
static webnn_xla_value *webnn_xla__placed(webnn_xla_builder *b, uint32_t op, webnn_xla_value *x,
                                          webnn_list dimensions, uint32_t rank) {
  webnn_list sizes = webnn_extra__repeat(1, rank), order = webnn_extra__no_items();
  const webnn_list from = x->shape.dimensions;
  uint32_t i;
  if (dimensions.count != from.count) {
    return webnn_xla__fail(
        b, op, "broadcast_dimensions %s must have an item for each dimension of %s",
        webnn_xla__list_text(dimensions).text, webnn_xla__shape_text(&x->shape).text);
  }
  for (i = 0; i < dimensions.count; i++) {
    if (dimensions.items[i] >= rank || webnn_xla__position(dimensions, dimensions.items[i]) != i) {
      return webnn_xla__fail(b, op,
                             "broadcast_dimensions %s must be different dimensions below %lu",
                             webnn_xla__list_text(dimensions).text, (unsigned long)rank);
    }
    sizes.items[dimensions.items[i]] = from.items[i];
  }
  for (i = 0; i < rank; i++) {
    if (webnn_xla__contains(dimensions, i)) {
      webnn_extra__append(&order, webnn_xla__position(dimensions, i));
    }
  }
  return webnn_xla_reshape(b, x, order, sizes);
}

/* The shape that two of equal rank broadcast to; false if there is none. */
static bool webnn_xla__stretched(webnn_list x, webnn_list y, webnn_list *out) {
  uint32_t i;
  *out = x;
  for (i = 0; i < x.count; i++) {
    if (x.items[i] == 1) {
      out->items[i] = y.items[i];
    } else if (y.items[i] != 1 && y.items[i] != x.items[i]) {
      return false;
    }
  }
  return x.count == y.count;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_binary(webnn_xla_builder *b, webnn_xla_operation op,
                                                webnn_xla_value *x, webnn_xla_value *y,
                                                webnn_list broadcast_dimensions) {
  webnn_xla_value *operands[] = {x, y};
  webnn_list sizes;
  if (!webnn_xla__are_arrays(b, op, operands, 2) || !webnn_xla__check_type(b, op, x->shape.type)) {
    return NULL;
  }
  if (x->shape.type != y->shape.type) {
    return webnn_xla__fail(b, op, "the operands must be of one type, but are %s and %s",
                           webnn_xla_type_name(x->shape.type), webnn_xla_type_name(y->shape.type));
  }
  if (broadcast_dimensions.given && x->shape.dimensions.count != y->shape.dimensions.count) {
    const bool first = x->shape.dimensions.count < y->shape.dimensions.count;
    operands[!first] = webnn_xla__placed(b, op, operands[!first], broadcast_dimensions,
                                         operands[first]->shape.dimensions.count);
    if (!operands[!first]) {
      return NULL;
    }
  }
  if (webnn_extra__same_list(operands[0]->shape.dimensions, operands[1]->shape.dimensions) ||
      operands[1]->shape.dimensions.count == 0) {
    sizes = operands[0]->shape.dimensions;
  } else if (operands[0]->shape.dimensions.count == 0) {
    sizes = operands[1]->shape.dimensions;
  } else if (!broadcast_dimensions.given ||
             !webnn_xla__stretched(operands[0]->shape.dimensions, operands[1]->shape.dimensions,
                                   &sizes)) {
    return webnn_xla__fail(
        b, op, "the operands must be of one shape, but are %s and %s%s",
        webnn_xla__shape_text(&x->shape).text, webnn_xla__shape_text(&y->shape).text,
        broadcast_dimensions.given ? "" : " (and broadcast_dimensions are not given)");
  }
  return webnn_xla__record_one(b, op, operands, 2,
                               webnn_xla__is_comparison(op) ? WEBNN_XLA_PRED : x->shape.type, sizes,
                               NULL, 0);
}

static webnn_list webnn_xla__not_given(void) {
  webnn_list list;
  memset(&list, 0, sizeof list);
  return list;
}

#define WEBNN_XLA__DEFINE_UNARY(op, name, stablehlo, types)                                        \
  WEBNN_XLA_API webnn_xla_value *webnn_xla_##name(webnn_xla_builder *b, webnn_xla_value *x) {      \
    return webnn_xla_unary(b, WEBNN_XLA_##op, x);                                                  \
  }
#define WEBNN_XLA__DEFINE_COMPARISON(op, name, stablehlo)                                          \
  WEBNN_XLA_API webnn_xla_value *webnn_xla_##name(webnn_xla_builder *b, webnn_xla_value *x,        \
                                                  webnn_xla_value *y) {                            \
    return webnn_xla_binary(b, WEBNN_XLA_##op, x, y, webnn_xla__not_given());                      \
  }
#define WEBNN_XLA__DEFINE_BINARY(op, name, stablehlo, types)                                       \
  WEBNN_XLA__DEFINE_COMPARISON(op, name, stablehlo)
WEBNN_XLA_UNARY(WEBNN_XLA__DEFINE_UNARY)
WEBNN_XLA_BINARY(WEBNN_XLA__DEFINE_BINARY)
WEBNN_XLA_COMPARISONS(WEBNN_XLA__DEFINE_COMPARISON)

WEBNN_XLA_API webnn_xla_value *webnn_xla_compare_total_order(webnn_xla_builder *b,
                                                             webnn_xla_operation op,
                                                             webnn_xla_value *x,
                                                             webnn_xla_value *y) {
  webnn_xla_value *operands[] = {x, y};
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__COMPARE_TOTAL_ORDER, operands, 2)) {
    return NULL;
  }
  if (!webnn_xla__is_comparison(op) || !webnn_xla__is_float(x->shape.type) ||
      !webnn_xla__same_shape(&x->shape, &y->shape)) {
    return webnn_xla__fail(b, WEBNN_XLA__COMPARE_TOTAL_ORDER,
                           "the total order compares floats of one shape, but they are %s and %s",
                           webnn_xla__shape_text(&x->shape).text,
                           webnn_xla__shape_text(&y->shape).text);
  }
  return webnn_xla__record_one(b, WEBNN_XLA__COMPARE_TOTAL_ORDER, operands, 2, WEBNN_XLA_PRED,
                               x->shape.dimensions, &op, sizeof op);
}

/* ---- Constants ------------------------------------------------------------------------------- */

/* One element from the caller's memory into a graph's. */
static void webnn_xla__to_graph_type(webnn_xla_type type, const void *from, void *to,
                                     size_t count) {
  const uint8_t *bytes = (const uint8_t *)from;
  size_t i;
  if (!webnn_xla__type_of(type)->is_widened) {
    memcpy(to, from, count * webnn_xla_type_bytes(type));
    return;
  }
  for (i = 0; i < count; i++) {
    uint16_t half;
    uint32_t word;
    if (webnn_xla_type_bytes(type) == 1) {
      word = type == WEBNN_XLA_S4 ? (uint32_t)(int32_t)(int8_t)bytes[i] : bytes[i];
    } else {
      memcpy(&half, bytes + 2 * i, 2);
      word = type == WEBNN_XLA_S16    ? (uint32_t)(int32_t)(int16_t)half
             : type == WEBNN_XLA_BF16 ? (uint32_t)half << 16
                                      : half;
    }
    memcpy((uint8_t *)to + 4 * i, &word, 4);
  }
}

/* And back. Values of graph types are always in the range of their type. */
static void webnn_xla__from_graph_type(webnn_xla_type type, const void *from, void *to,
                                       size_t count) {
  size_t i;
  if (!webnn_xla__type_of(type)->is_widened) {
    memcpy(to, from, count * webnn_xla_type_bytes(type));
    return;
  }
  for (i = 0; i < count; i++) {
    uint32_t word;
    uint16_t half;
    memcpy(&word, (const uint8_t *)from + 4 * i, 4);
    if (webnn_xla_type_bytes(type) == 1) {
      ((uint8_t *)to)[i] = (uint8_t)word;
    } else {
      half = (uint16_t)(type == WEBNN_XLA_BF16 ? word >> 16 : word);
      memcpy((uint8_t *)to + 2 * i, &half, 2);
    }
  }
}

static size_t webnn_xla__graph_bytes(webnn_xla_type type) {
  return webnn_data_type_bits(webnn_xla__graph_type(type)) / 8;
}

/* The constant of `count` elements in the caller's memory: 1 for a splat, or as many as the shape
   has. */
static webnn_xla_value *webnn_xla__record_constant(webnn_xla_builder *b, webnn_xla_shape shape,
                                                   const void *data, size_t count) {
  webnn_xla__literal literal;
  void *elements;
  size_t i;
  const size_t size = webnn_xla_type_bytes(shape.type);
  const uint8_t *bytes = (const uint8_t *)data;
  for (i = 1; i < count && memcmp(bytes, bytes + i * size, size) == 0; i++) {
  }
  literal.splat = i >= count;
  count = literal.splat ? 1 : count;
  elements = webnn_extra__take(&b->module->memory, count * webnn_xla__graph_bytes(shape.type), 1);
  if (!elements) {
    return webnn_xla__no_value(b);
  }
  webnn_xla__to_graph_type(shape.type, data, elements, count);
  literal.data = elements;
  return webnn_xla__record_one(b, WEBNN_XLA__CONSTANT, NULL, 0, shape.type, shape.dimensions,
                               &literal, sizeof literal);
}

/* Is each element one that the type has? PRED is 0 or 1, S4 is -8 to 7, U4 0 to 15. */
static bool webnn_xla__elements_fit(webnn_xla_type type, const uint8_t *data, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    const int value = type == WEBNN_XLA_S4 ? (int8_t)data[i] : data[i];
    if ((type == WEBNN_XLA_PRED && value > 1) || (type == WEBNN_XLA_U4 && value > 15) ||
        (type == WEBNN_XLA_S4 && (value < -8 || value > 7))) {
      return false;
    }
  }
  return true;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_constant(webnn_xla_builder *b, webnn_xla_shape shape,
                                                  const void *data, size_t byte_length) {
  if (!webnn_xla__ready(b, WEBNN_XLA__CONSTANT) ||
      !webnn_xla__check_array(b, WEBNN_XLA__CONSTANT, &shape)) {
    return NULL;
  }
  if (!data || byte_length != webnn_xla_byte_length(&shape)) {
    return webnn_xla__fail(b, WEBNN_XLA__CONSTANT, "%s has %lu bytes, but %lu are given",
                           webnn_xla__shape_text(&shape).text,
                           (unsigned long)webnn_xla_byte_length(&shape),
                           data ? (unsigned long)byte_length : 0);
  }
  if (webnn_xla_type_bytes(shape.type) == 1 && shape.type != WEBNN_XLA_S8 &&
      shape.type != WEBNN_XLA_U8 &&
      !webnn_xla__elements_fit(shape.type, (const uint8_t *)data, byte_length)) {
    return webnn_xla__fail(b, WEBNN_XLA__CONSTANT, "an element is outside of the range of %s",
                           webnn_xla_type_name(shape.type));
  }
  return webnn_xla__record_constant(b, shape, data, webnn_xla__count(shape.dimensions));
}

static float webnn_xla__float_of_bits(uint32_t bits) {
  float number;
  memcpy(&number, &bits, 4);
  return number;
}

static uint32_t webnn_xla__bits_of_float(float number) {
  uint32_t bits;
  memcpy(&bits, &number, 4);
  return bits;
}

/* A float32 rounded to bfloat16, to nearest, ties to even. */
static uint16_t webnn_xla__to_bfloat16(float number) {
  const uint32_t bits = webnn_xla__bits_of_float(number);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return (uint16_t)(bits >> 16 | 64);
  }
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

/* One element of the caller's memory from a number. */
static void webnn_xla__set_number(webnn_xla_type type, double number, uint8_t element[8]) {
  const float f = (float)number;
  const int64_t s = number >= -9223372036854775808.0 && number < 9223372036854775808.0
                        ? (int64_t)number
                        : (number > 0 ? INT64_MAX : INT64_MIN);
  const uint64_t u = number >= 9223372036854775808.0 && number < 18446744073709551616.0
                         ? (uint64_t)number
                         : (uint64_t)s;
  uint16_t half;
  switch (type) {
  case WEBNN_XLA_PRED:
    element[0] = number != 0;
    break;
  case WEBNN_XLA_F16:
    half = webnn_float32_to_float16(f);
    memcpy(element, &half, 2);
    break;
  case WEBNN_XLA_BF16:
    half = webnn_xla__to_bfloat16(f);
    memcpy(element, &half, 2);
    break;
  case WEBNN_XLA_F32:
    memcpy(element, &f, 4);
    break;
  default: /* integers: the low bytes */
    for (half = 0; half < 8; half++) {
      union {
        uint32_t word;
        uint8_t byte;
      } order;
      order.word = 1;
      element[half] = 0;
      if (half < webnn_xla_type_bytes(type)) {
        const uint32_t at = (uint32_t)(order.byte ? half : webnn_xla_type_bytes(type) - 1u - half);
        element[half] = (uint8_t)(u >> (8 * at));
      }
    }
    if (type == WEBNN_XLA_U4) {
      element[0] &= 15;
    } else if (type == WEBNN_XLA_S4) {
      element[0] = (uint8_t)(((element[0] & 15) ^ 8) - 8);
    }
  }
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_fill(webnn_xla_builder *b, webnn_xla_shape shape,
                                              double number) {
  uint8_t element[8];
  if (!webnn_xla__ready(b, WEBNN_XLA__CONSTANT) ||
      !webnn_xla__check_array(b, WEBNN_XLA__CONSTANT, &shape)) {
    return NULL;
  }
  webnn_xla__set_number(shape.type, number, element);
  return webnn_xla__record_constant(b, shape, element, 1);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_scalar(webnn_xla_builder *b, webnn_xla_type type,
                                                double number) {
  return webnn_xla_fill(b, webnn_xla_shape_of(type, webnn_extra__no_items()), number);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_iota(webnn_xla_builder *b, webnn_xla_shape shape,
                                              uint32_t dimension) {
  if (!webnn_xla__ready(b, WEBNN_XLA__IOTA)) {
    return NULL;
  }
  if (shape.type == WEBNN_XLA_PRED || dimension >= shape.dimensions.count) {
    return webnn_xla__fail(b, WEBNN_XLA__IOTA, "%s has no numbers along dimension %lu",
                           webnn_xla__shape_text(&shape).text, (unsigned long)dimension);
  }
  return webnn_xla__record_one(b, WEBNN_XLA__IOTA, NULL, 0, shape.type, shape.dimensions,
                               &dimension, sizeof dimension);
}

/* ---- Moving elements ------------------------------------------------------------------------- */

/* Are the items different, and below `rank`? */
static bool webnn_xla__check_dimensions(webnn_xla_builder *b, uint32_t op, const char *name,
                                        webnn_list list, uint32_t rank) {
  uint32_t i;
  for (i = 0; i < list.count && i < WEBNN_MAX_RANK; i++) {
    if (list.items[i] >= rank || webnn_xla__position(list, list.items[i]) != i) {
      break;
    }
  }
  if (i == list.count) {
    return true;
  }
  return webnn_xla__fail(b, op, "%s %s must be different dimensions below %lu", name,
                         webnn_xla__list_text(list).text, (unsigned long)rank);
}

static bool webnn_xla__check_length(webnn_xla_builder *b, uint32_t op, const char *name,
                                    webnn_list list, uint32_t count) {
  if (list.count == count) {
    return true;
  }
  return webnn_xla__fail(b, op, "%s %s must have %lu items", name, webnn_xla__list_text(list).text,
                         (unsigned long)count);
}

static bool webnn_xla__is_increasing(webnn_list list) {
  uint32_t i;
  for (i = 1; i < list.count; i++) {
    if (list.items[i] <= list.items[i - 1]) {
      return false;
    }
  }
  return true;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_broadcast_in_dim(webnn_xla_builder *b, webnn_xla_value *x,
                                                          webnn_list sizes,
                                                          webnn_list broadcast_dimensions) {
  const uint32_t op = WEBNN_XLA__BROADCAST_IN_DIM;
  uint32_t i;
  if (!webnn_xla__are_arrays(b, op, &x, 1) ||
      !webnn_xla__check_length(b, op, "broadcast_dimensions", broadcast_dimensions,
                               x->shape.dimensions.count) ||
      !webnn_xla__check_dimensions(b, op, "broadcast_dimensions", broadcast_dimensions,
                                   sizes.count)) {
    return NULL;
  }
  for (i = 0; i < broadcast_dimensions.count; i++) {
    const uint32_t from = x->shape.dimensions.items[i];
    if (from != 1 && from != sizes.items[broadcast_dimensions.items[i]]) {
      return webnn_xla__fail(
          b, op, "dimension %lu of %s must be 1 or the size of dimension %lu of the result %s",
          (unsigned long)i, webnn_xla__shape_text(&x->shape).text,
          (unsigned long)broadcast_dimensions.items[i], webnn_xla__list_text(sizes).text);
    }
  }
  return webnn_xla__record_one(b, op, &x, 1, x->shape.type, sizes, &broadcast_dimensions,
                               sizeof broadcast_dimensions);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_broadcast(webnn_xla_builder *b, webnn_xla_value *x,
                                                   webnn_list sizes) {
  webnn_list dimensions = webnn_extra__no_items();
  uint32_t i;
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__BROADCAST_IN_DIM, &x, 1)) {
    return NULL;
  }
  for (i = 0; i < x->shape.dimensions.count; i++) {
    webnn_extra__append(&dimensions, sizes.count + i);
  }
  return webnn_xla_broadcast_in_dim(b, x, webnn_xla__joined(sizes, x->shape.dimensions),
                                    dimensions);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_reshape(webnn_xla_builder *b, webnn_xla_value *x,
                                                 webnn_list dimensions, webnn_list new_sizes) {
  const uint32_t op = WEBNN_XLA__RESHAPE;
  if (!webnn_xla__are_arrays(b, op, &x, 1)) {
    return NULL;
  }
  if (dimensions.given) {
    if (!webnn_xla__check_length(b, op, "dimensions", dimensions, x->shape.dimensions.count) ||
        !webnn_xla__check_dimensions(b, op, "dimensions", dimensions, dimensions.count)) {
      return NULL;
    }
    x = webnn_xla__is_increasing(dimensions) ? x : webnn_xla_transpose(b, x, dimensions);
    if (!x) {
      return NULL;
    }
  }
  if (webnn_xla__count(new_sizes) != webnn_xla__count(x->shape.dimensions)) {
    return webnn_xla__fail(b, op, "%s has not as many elements as %s",
                           webnn_xla__list_text(new_sizes).text,
                           webnn_xla__shape_text(&x->shape).text);
  }
  return webnn_xla__record_one(b, op, &x, 1, x->shape.type, new_sizes, NULL, 0);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_collapse(webnn_xla_builder *b, webnn_xla_value *x,
                                                  webnn_list dimensions) {
  webnn_list sizes = webnn_extra__no_items();
  uint32_t i;
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__RESHAPE, &x, 1) ||
      !webnn_xla__check_dimensions(b, WEBNN_XLA__RESHAPE, "dimensions", dimensions,
                                   x->shape.dimensions.count)) {
    return NULL;
  }
  for (i = 1; i < dimensions.count; i++) {
    if (dimensions.items[i] != dimensions.items[0] + i) {
      return webnn_xla__fail(b, WEBNN_XLA__RESHAPE, "collapsed dimensions %s must be consecutive",
                             webnn_xla__list_text(dimensions).text);
    }
  }
  for (i = 0; i < x->shape.dimensions.count; i++) {
    if (dimensions.count && i > dimensions.items[0] && i < dimensions.items[0] + dimensions.count) {
      sizes.items[sizes.count - 1] *= x->shape.dimensions.items[i];
    } else {
      webnn_extra__append(&sizes, x->shape.dimensions.items[i]);
    }
  }
  return webnn_xla_reshape(b, x, webnn_xla__not_given(), sizes);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_transpose(webnn_xla_builder *b, webnn_xla_value *x,
                                                   webnn_list permutation) {
  const uint32_t op = WEBNN_XLA__TRANSPOSE;
  if (!webnn_xla__are_arrays(b, op, &x, 1) ||
      !webnn_xla__check_length(b, op, "permutation", permutation, x->shape.dimensions.count) ||
      !webnn_xla__check_dimensions(b, op, "permutation", permutation, permutation.count)) {
    return NULL;
  }
  return webnn_xla__record_one(b, op, &x, 1, x->shape.type,
                               webnn_xla__picked(x->shape.dimensions, permutation), &permutation,
                               sizeof permutation);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_rev(webnn_xla_builder *b, webnn_xla_value *x,
                                             webnn_list dimensions) {
  const uint32_t op = WEBNN_XLA__REV;
  if (!webnn_xla__are_arrays(b, op, &x, 1) ||
      !webnn_xla__check_dimensions(b, op, "dimensions", dimensions, x->shape.dimensions.count)) {
    return NULL;
  }
  return webnn_xla__record_one(b, op, &x, 1, x->shape.type, x->shape.dimensions, &dimensions,
                               sizeof dimensions);
}

typedef struct webnn_xla__slice_options {
  webnn_list starts, limits, strides;
} webnn_xla__slice_options;

WEBNN_XLA_API webnn_xla_value *webnn_xla_slice(webnn_xla_builder *b, webnn_xla_value *x,
                                               webnn_list start_indices, webnn_list limit_indices,
                                               webnn_list strides) {
  const uint32_t op = WEBNN_XLA__SLICE;
  webnn_xla__slice_options o;
  webnn_list sizes = webnn_extra__no_items();
  uint32_t i, rank;
  if (!webnn_xla__are_arrays(b, op, &x, 1)) {
    return NULL;
  }
  rank = x->shape.dimensions.count;
  o.starts = start_indices;
  o.limits = limit_indices;
  o.strides = webnn_xla__or_ones(strides, rank);
  if (!webnn_xla__check_length(b, op, "start_indices", o.starts, rank) ||
      !webnn_xla__check_length(b, op, "limit_indices", o.limits, rank) ||
      !webnn_xla__check_length(b, op, "strides", o.strides, rank)) {
    return NULL;
  }
  for (i = 0; i < rank; i++) {
    const uint32_t start = o.starts.items[i], limit = o.limits.items[i];
    if (start >= limit || limit > x->shape.dimensions.items[i] || o.strides.items[i] == 0) {
      return webnn_xla__fail(b, op, "dimension %lu: %lu to %lu by %lu is no slice of %s",
                             (unsigned long)i, (unsigned long)start, (unsigned long)limit,
                             (unsigned long)o.strides.items[i],
                             webnn_xla__shape_text(&x->shape).text);
    }
    webnn_extra__append(&sizes, (limit - start - 1) / o.strides.items[i] + 1);
  }
  return webnn_xla__record_one(b, op, &x, 1, x->shape.type, sizes, &o, sizeof o);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_concatenate(webnn_xla_builder *b,
                                                     webnn_xla_value *const *operands, size_t count,
                                                     uint32_t dimension) {
  const uint32_t op = WEBNN_XLA__CONCATENATE;
  webnn_list sizes;
  uint64_t sum = 0;
  size_t k;
  if (!webnn_xla__are_arrays(b, op, operands, count)) {
    return NULL;
  }
  if (count == 0 || dimension >= operands[0]->shape.dimensions.count) {
    return webnn_xla__fail(b, op, count ? "%s has no dimension %lu" : "%s",
                           count ? webnn_xla__shape_text(&operands[0]->shape).text
                                 : "there are no operands",
                           (unsigned long)dimension);
  }
  sizes = operands[0]->shape.dimensions;
  for (k = 0; k < count; k++) {
    webnn_list other = operands[k]->shape.dimensions;
    if (dimension < other.count) {
      sum += other.items[dimension];
      other.items[dimension] = sizes.items[dimension];
    }
    if (!webnn_extra__same_list(sizes, other) ||
        operands[k]->shape.type != operands[0]->shape.type) {
      return webnn_xla__fail(
          b, op, "operand %lu is %s and differs from %s in more than dimension %lu",
          (unsigned long)k, webnn_xla__shape_text(&operands[k]->shape).text,
          webnn_xla__shape_text(&operands[0]->shape).text, (unsigned long)dimension);
    }
  }
  sizes.items[dimension] = sum > INT32_MAX ? 0 : (uint32_t)sum;
  return webnn_xla__record_one(b, op, operands, count, operands[0]->shape.type, sizes, &dimension,
                               sizeof dimension);
}

/* A scalar operand of the element type of another. */
static bool webnn_xla__check_scalar(webnn_xla_builder *b, uint32_t op, const char *name,
                                    const webnn_xla_value *scalar, webnn_xla_type type) {
  if (scalar->shape.type == type && scalar->shape.dimensions.count == 0) {
    return true;
  }
  return webnn_xla__fail(b, op, "%s must be a scalar of type %s, but is %s", name,
                         webnn_xla_type_name(type), webnn_xla__shape_text(&scalar->shape).text);
}

/* The size of a dimension once it is padded; 0 if nothing is left or it is too large. */
static uint32_t webnn_xla__padded(uint32_t size, int64_t low, int64_t high, uint32_t interior) {
  int64_t padded;
  if (low > INT32_MAX || low < -INT32_MAX || high > INT32_MAX || high < -INT32_MAX) {
    return 0;
  }
  padded = (int64_t)size + (int64_t)(size - 1) * (int64_t)interior;
  if (padded > INT32_MAX) {
    return 0;
  }
  padded += low + high;
  return padded > 0 && padded <= INT32_MAX ? (uint32_t)padded : 0;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_pad(webnn_xla_builder *b, webnn_xla_value *x,
                                             webnn_xla_value *padding_value,
                                             webnn_xla_padding padding) {
  const uint32_t op = WEBNN_XLA__PAD;
  webnn_xla_value *operands[] = {x, padding_value};
  webnn_list sizes = webnn_extra__no_items();
  uint32_t i;
  if (!webnn_xla__are_arrays(b, op, operands, 2) ||
      !webnn_xla__check_scalar(b, op, "padding_value", padding_value, x->shape.type)) {
    return NULL;
  }
  for (i = 0; i < x->shape.dimensions.count; i++) {
    webnn_extra__append(&sizes, webnn_xla__padded(x->shape.dimensions.items[i], padding.low[i],
                                                  padding.high[i], padding.interior[i]));
  }
  return webnn_xla__record_one(b, op, operands, 2, x->shape.type, sizes, &padding, sizeof padding);
}

/* The operands of a slice that moves: x, perhaps an update, and the start indices. */
static webnn_xla_value **webnn_xla__with_starts(webnn_xla_builder *b, uint32_t op,
                                                webnn_xla_value *x, webnn_xla_value *update,
                                                webnn_xla_value *const *starts, size_t count) {
  const size_t before = update ? 2 : 1;
  webnn_xla_value **operands;
  size_t i, rank;
  if (!webnn_xla__are_arrays(b, op, &x, 1) || !webnn_xla__are_arrays(b, op, starts, count)) {
    return NULL;
  }
  rank = x->shape.dimensions.count;
  if (count == 1 && starts[0]->shape.dimensions.count == 1) {
    if (starts[0]->shape.dimensions.items[0] != rank) {
      webnn_xla__fail(b, op, "start_indices %s must have %lu elements",
                      webnn_xla__shape_text(&starts[0]->shape).text, (unsigned long)rank);
      return NULL;
    }
  } else if (count != rank) {
    webnn_xla__fail(b, op, "there must be %lu start_indices, but there are %lu",
                    (unsigned long)rank, (unsigned long)count);
    return NULL;
  }
  for (i = 0; i < count; i++) {
    if (!webnn_xla__is_integer(starts[i]->shape.type) ||
        starts[i]->shape.type != starts[0]->shape.type ||
        (starts[i]->shape.dimensions.count != 0 && !(count == 1 && rank > 0))) {
      webnn_xla__fail(b, op, "start index %lu must be an integer as the others, but is %s",
                      (unsigned long)i, webnn_xla__shape_text(&starts[i]->shape).text);
      return NULL;
    }
  }
  operands = (webnn_xla_value **)webnn_extra__take(&b->module->memory,
                                                   (before + count) * sizeof *operands, 1);
  if (!operands) {
    return (webnn_xla_value **)webnn_xla__no_memory(b);
  }
  operands[0] = x;
  operands[before - 1] = update ? update : x;
  for (i = 0; i < count; i++) {
    operands[before + i] = starts[i];
  }
  return operands;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_dynamic_slice(webnn_xla_builder *b, webnn_xla_value *x,
                                                       webnn_xla_value *const *start_indices,
                                                       size_t count, webnn_list size_indices) {
  const uint32_t op = WEBNN_XLA__DYNAMIC_SLICE;
  webnn_xla_value **operands = webnn_xla__with_starts(b, op, x, NULL, start_indices, count);
  uint32_t i;
  if (!operands ||
      !webnn_xla__check_length(b, op, "size_indices", size_indices, x->shape.dimensions.count)) {
    return NULL;
  }
  for (i = 0; i < size_indices.count; i++) {
    if (size_indices.items[i] > x->shape.dimensions.items[i]) {
      return webnn_xla__fail(b, op, "a slice of %s is larger than %s",
                             webnn_xla__list_text(size_indices).text,
                             webnn_xla__shape_text(&x->shape).text);
    }
  }
  return webnn_xla__record_one(b, op, operands, count + 1, x->shape.type, size_indices, NULL, 0);
}

WEBNN_XLA_API webnn_xla_value *
webnn_xla_dynamic_update_slice(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *update,
                               webnn_xla_value *const *start_indices, size_t count) {
  const uint32_t op = WEBNN_XLA__DYNAMIC_UPDATE_SLICE;
  webnn_xla_value **operands;
  uint32_t i;
  bool fits;
  if (!webnn_xla__are_arrays(b, op, &update, 1)) {
    return NULL;
  }
  operands = webnn_xla__with_starts(b, op, x, update, start_indices, count);
  if (!operands) {
    return NULL;
  }
  fits = update->shape.type == x->shape.type &&
         update->shape.dimensions.count == x->shape.dimensions.count;
  for (i = 0; fits && i < update->shape.dimensions.count; i++) {
    fits = update->shape.dimensions.items[i] <= x->shape.dimensions.items[i];
  }
  if (!fits) {
    return webnn_xla__fail(b, op, "the update %s is no part of %s",
                           webnn_xla__shape_text(&update->shape).text,
                           webnn_xla__shape_text(&x->shape).text);
  }
  return webnn_xla__record_one(b, op, operands, count + 2, x->shape.type, x->shape.dimensions, NULL,
                               0);
}

/* ---- Gather and Scatter ---------------------------------------------------------------------- */

/* The indices' dimensions without the one that holds index vectors. */
static webnn_list webnn_xla__batch_of_indices(webnn_list indices, uint32_t index_vector_dim) {
  webnn_list sizes = webnn_extra__no_items();
  uint32_t i;
  for (i = 0; i < indices.count; i++) {
    if (i != index_vector_dim) {
      webnn_extra__append(&sizes, indices.items[i]);
    }
  }
  return sizes;
}

/* What Gather and Scatter have in common: x's dimensions are in a slice, collapsed or batching, and
   the indices have vectors of as many items as `map`. */
static bool webnn_xla__check_index_map(webnn_xla_builder *b, uint32_t op, const webnn_xla_value *x,
                                       const webnn_xla_value *indices, uint32_t index_vector_dim,
                                       webnn_list map, webnn_list collapsed, webnn_list batching,
                                       webnn_list indices_batching) {
  const uint32_t rank = x->shape.dimensions.count, index_rank = indices->shape.dimensions.count;
  const uint32_t length =
      index_vector_dim < index_rank ? indices->shape.dimensions.items[index_vector_dim] : 1;
  uint32_t i;
  if (!webnn_xla__is_integer(indices->shape.type) || index_vector_dim > index_rank) {
    return webnn_xla__fail(b, op, "%s holds no indices along dimension %lu",
                           webnn_xla__shape_text(&indices->shape).text,
                           (unsigned long)index_vector_dim);
  }
  if (!webnn_xla__check_length(b, op, "the index map", map, length) ||
      !webnn_xla__check_dimensions(b, op, "the index map", map, rank) ||
      !webnn_xla__check_dimensions(b, op, "collapsed and batching dimensions",
                                   webnn_xla__joined(collapsed, batching), rank) ||
      !webnn_xla__check_dimensions(b, op, "index map and batching dimensions",
                                   webnn_xla__joined(map, batching), rank) ||
      !webnn_xla__check_length(b, op, "batching dimensions of the indices", indices_batching,
                               batching.count) ||
      !webnn_xla__check_dimensions(b, op, "batching dimensions of the indices", indices_batching,
                                   index_rank)) {
    return false;
  }
  for (i = 0; i < batching.count; i++) {
    if (indices_batching.items[i] == index_vector_dim ||
        x->shape.dimensions.items[batching.items[i]] !=
            indices->shape.dimensions.items[indices_batching.items[i]]) {
      return webnn_xla__fail(
          b, op, "batching dimensions %s of %s do not agree with %s of %s",
          webnn_xla__list_text(batching).text, webnn_xla__shape_text(&x->shape).text,
          webnn_xla__list_text(indices_batching).text, webnn_xla__shape_text(&indices->shape).text);
    }
  }
  return true;
}

/* A result of batch dimensions in order with window dimensions at the places `windows`. */
static bool webnn_xla__interleave(webnn_list batch, webnn_list windows, webnn_list window_sizes,
                                  webnn_list *sizes) {
  const uint32_t rank = batch.count + window_sizes.count;
  uint32_t i, next_batch = 0, next_window = 0;
  *sizes = webnn_extra__no_items();
  if (windows.count != window_sizes.count || !webnn_xla__is_increasing(windows) ||
      rank > WEBNN_MAX_RANK || (windows.count && windows.items[windows.count - 1] >= rank)) {
    return false;
  }
  for (i = 0; i < rank; i++) {
    webnn_extra__append(sizes, webnn_xla__contains(windows, i) ? window_sizes.items[next_window++]
                                                               : batch.items[next_batch++]);
  }
  return true;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_gather(webnn_xla_builder *b, webnn_xla_value *x,
                                                webnn_xla_value *start_indices,
                                                webnn_xla_gather_options options) {
  const uint32_t op = WEBNN_XLA__GATHER;
  webnn_xla_value *operands[] = {x, start_indices};
  webnn_list kept, gone, sizes;
  uint32_t i;
  if (!webnn_xla__are_arrays(b, op, operands, 2) ||
      !webnn_xla__check_length(b, op, "slice_sizes", options.slice_sizes,
                               x->shape.dimensions.count) ||
      !webnn_xla__check_index_map(b, op, x, start_indices, options.index_vector_dim,
                                  options.start_index_map, options.collapsed_slice_dims,
                                  options.operand_batching_dims,
                                  options.start_indices_batching_dims)) {
    return NULL;
  }
  gone = webnn_xla__joined(options.collapsed_slice_dims, options.operand_batching_dims);
  for (i = 0; i < options.slice_sizes.count; i++) {
    const uint32_t size = options.slice_sizes.items[i];
    if (size == 0 || size > x->shape.dimensions.items[i] ||
        (size != 1 && webnn_xla__contains(gone, i))) {
      return webnn_xla__fail(
          b, op, "slice_sizes %s do not fit %s, or a collapsed or batching dimension is not 1",
          webnn_xla__list_text(options.slice_sizes).text, webnn_xla__shape_text(&x->shape).text);
    }
  }
  kept = webnn_xla__picked(options.slice_sizes, webnn_xla__others(gone, x->shape.dimensions.count));
  if (!webnn_xla__interleave(
          webnn_xla__batch_of_indices(start_indices->shape.dimensions, options.index_vector_dim),
          options.offset_dims, kept, &sizes)) {
    return webnn_xla__fail(
        b, op, "offset_dims %s must be the increasing places of slices of %s in the result",
        webnn_xla__list_text(options.offset_dims).text, webnn_xla__list_text(kept).text);
  }
  return webnn_xla__record_one(b, op, operands, 2, x->shape.type, sizes, &options, sizeof options);
}

static webnn_list webnn_xla__without(webnn_list sizes, webnn_list dims) {
  return webnn_xla__picked(sizes, webnn_xla__others(dims, sizes.count));
}

/* Takes a computation as many scalars as `types` says, in this order, and gives `count` of
   them? The types of operands may be wider than the computation's (StableHLO promotes);
   only ours is taken. */
static bool webnn_xla__check_scalar_function(webnn_xla_builder *b, uint32_t op,
                                             const webnn_xla_computation *f,
                                             webnn_xla_value *const *values, size_t count,
                                             size_t repeats, bool interleaved) {
  size_t i;
  if (!f) {
    return webnn_xla__fail(b, op, "the computation is NULL");
  }
  if (f->leaf_count != count * repeats) {
    return webnn_xla__fail(b, op, "\"%s\" must take %lu scalars, but takes %lu", f->name,
                           (unsigned long)(count * repeats), (unsigned long)f->leaf_count);
  }
  for (i = 0; i < f->leaf_count; i++) {
    const webnn_xla_value *v = values[interleaved ? i / repeats : i % count];
    const webnn_xla_shape *s = &f->leaves[i]->shape;
    if (s->type != v->shape.type || s->dimensions.count != 0) {
      return webnn_xla__fail(
          b, op, "parameter %lu of \"%s\" must be a scalar of type %s, but is %s", (unsigned long)i,
          f->name, webnn_xla_type_name(v->shape.type), webnn_xla__shape_text(s).text);
    }
  }
  return true;
}

/* Does it give scalars of the types of `values`? */
static bool webnn_xla__check_scalar_results(webnn_xla_builder *b, uint32_t op,
                                            const webnn_xla_computation *f,
                                            webnn_xla_value *const *values, size_t count) {
  size_t i;
  bool fits = f->root_count == count;
  for (i = 0; fits && i < count; i++) {
    fits = f->roots[i]->shape.type == values[i]->shape.type &&
           f->roots[i]->shape.dimensions.count == 0;
  }
  return fits ||
         webnn_xla__fail(b, op,
                         "the result of \"%s\" is %s, but must be %lu scalars of the "
                         "operands' types",
                         f->name, webnn_xla__shape_text(f->result).text, (unsigned long)count);
}

/* Operands of a folding operation: arrays and initial values, or updates. */
static webnn_xla_value **webnn_xla__two_lists(webnn_xla_builder *b, webnn_xla_value *const *first,
                                              webnn_xla_value *const *second, size_t count,
                                              webnn_xla_value *last) {
  webnn_xla_value **all = (webnn_xla_value **)webnn_extra__take(
      &b->module->memory, (2 * count + 1) * sizeof(webnn_xla_value *), 1);
  if (!all) {
    return (webnn_xla_value **)webnn_xla__no_memory(b);
  }
  memcpy(all, first, count * sizeof *all);
  memcpy(all + count, second, count * sizeof *all);
  all[2 * count] = last;
  return all;
}

static bool webnn_xla__check_count(webnn_xla_builder *b, uint32_t op, size_t count) {
  return (count > 0 && count <= 65535) ||
         webnn_xla__fail(b, op, "%lu operands, but 1 to 65535 are possible", (unsigned long)count);
}

/* All of one shape, in dimensions? */
static bool webnn_xla__check_alike(webnn_xla_builder *b, uint32_t op,
                                   webnn_xla_value *const *values, size_t count) {
  size_t i;
  for (i = 1; i < count; i++) {
    if (!webnn_extra__same_list(values[i]->shape.dimensions, values[0]->shape.dimensions)) {
      return webnn_xla__fail(b, op, "the operands must have the same dimensions, but are %s and %s",
                             webnn_xla__shape_text(&values[0]->shape).text,
                             webnn_xla__shape_text(&values[i]->shape).text);
    }
  }
  return true;
}

static bool webnn_xla__check_updates(webnn_xla_builder *b, webnn_xla_value *x,
                                     webnn_xla_value *indices, webnn_xla_value *const *updates,
                                     size_t count, const webnn_xla_scatter_options *o) {
  const uint32_t op = WEBNN_XLA__SCATTER;
  const webnn_list batch =
      webnn_xla__batch_of_indices(indices->shape.dimensions, o->index_vector_dim);
  const webnn_list windows = o->update_window_dims, have = updates[0]->shape.dimensions;
  webnn_list whole, sizes = webnn_extra__no_items();
  uint32_t i;
  if (!webnn_xla__check_alike(b, op, updates, count) ||
      !webnn_xla__check_dimensions(b, op, "update_window_dims", windows, have.count)) {
    return false;
  }
  whole = webnn_xla__without(x->shape.dimensions,
                             webnn_xla__joined(o->inserted_window_dims, o->input_batching_dims));
  for (i = 0; i < windows.count && i < whole.count; i++) {
    const uint32_t size = have.items[windows.items[i]];
    webnn_extra__append(&sizes, size <= whole.items[i] ? size : whole.items[i]);
  }
  if (windows.count != whole.count || !webnn_xla__interleave(batch, windows, sizes, &whole) ||
      !webnn_extra__same_list(whole, have)) {
    return webnn_xla__fail(
        b, op, "updates %s must be windows of %s, at dimensions %s, for indices %s",
        webnn_xla__shape_text(&updates[0]->shape).text, webnn_xla__shape_text(&x->shape).text,
        webnn_xla__list_text(windows).text, webnn_xla__shape_text(&indices->shape).text);
  }
  return true;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_scatter(webnn_xla_builder *b,
                                                 webnn_xla_value *const *operands, size_t count,
                                                 webnn_xla_value *scatter_indices,
                                                 webnn_xla_value *const *updates,
                                                 const webnn_xla_computation *update_computation,
                                                 webnn_xla_scatter_options options) {
  const uint32_t op = WEBNN_XLA__SCATTER;
  webnn_xla__instruction *i;
  webnn_xla_value **all;
  size_t k;
  if (!webnn_xla__are_arrays(b, op, operands, count) ||
      !webnn_xla__are_arrays(b, op, updates, count) ||
      !webnn_xla__are_arrays(b, op, &scatter_indices, 1) || !webnn_xla__check_count(b, op, count) ||
      !webnn_xla__check_alike(b, op, operands, count) ||
      !webnn_xla__check_index_map(b, op, operands[0], scatter_indices, options.index_vector_dim,
                                  options.scatter_dims_to_operand_dims,
                                  options.inserted_window_dims, options.input_batching_dims,
                                  options.scatter_indices_batching_dims) ||
      !webnn_xla__check_updates(b, operands[0], scatter_indices, updates, count, &options) ||
      !webnn_xla__check_scalar_function(b, op, update_computation, operands, count, 2, false) ||
      !webnn_xla__check_scalar_results(b, op, update_computation, operands, count)) {
    return NULL;
  }
  for (k = 0; k < count; k++) {
    if (updates[k]->shape.type != operands[k]->shape.type) {
      return webnn_xla__fail(b, op, "updates %lu must be of type %s, but are %s", (unsigned long)k,
                             webnn_xla_type_name(operands[k]->shape.type),
                             webnn_xla_type_name(updates[k]->shape.type));
    }
  }
  all = webnn_xla__two_lists(b, operands, updates, count, scatter_indices);
  i = all ? webnn_xla__record(b, op, all, 2 * count + 1, count) : NULL;
  if (!i || !webnn_xla__set_computations(b, i, &update_computation, 1)) {
    return NULL;
  }
  for (k = 0; k < count; k++) {
    i->results[k].shape = operands[k]->shape;
  }
  i->options = webnn_xla__keep(b, &options, sizeof options);
  return webnn_xla__finish(b, i);
}

/* ---- Types ----------------------------------------------------------------------------------- */

WEBNN_XLA_API webnn_xla_value *
webnn_xla_convert_element_type(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_type type) {
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__CONVERT, &x, 1)) {
    return NULL;
  }
  return webnn_xla__record_one(b, WEBNN_XLA__CONVERT, &x, 1, type, x->shape.dimensions, NULL, 0);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_bitcast_convert(webnn_xla_builder *b, webnn_xla_value *x,
                                                         webnn_xla_type type) {
  const uint32_t op = WEBNN_XLA__BITCAST_CONVERT;
  uint32_t from, to;
  webnn_list sizes;
  if (!webnn_xla__are_arrays(b, op, &x, 1)) {
    return NULL;
  }
  from = webnn_xla__type_of(x->shape.type)->bits;
  to = webnn_xla__type_of(type)->bits;
  sizes = x->shape.dimensions;
  if (from > to && to > 0) {
    webnn_extra__append(&sizes, from / to);
  } else if (from < to && sizes.count && sizes.items[sizes.count - 1] == to / from) {
    sizes.count--;
  } else if (from != to) {
    return webnn_xla__fail(b, op,
                           "%s cannot become %s: the last dimension is "
                           "not the number of elements in one",
                           webnn_xla__shape_text(&x->shape).text, webnn_xla_type_name(type));
  }
  if ((x->shape.type == WEBNN_XLA_PRED) != (type == WEBNN_XLA_PRED)) {
    return webnn_xla__fail(b, op, "PRED has no bits of another type");
  }
  return webnn_xla__record_one(b, op, &x, 1, type, sizes, NULL, 0);
}

typedef struct webnn_xla__precision {
  uint32_t exponent_bits, mantissa_bits;
} webnn_xla__precision;

WEBNN_XLA_API webnn_xla_value *webnn_xla_reduce_precision(webnn_xla_builder *b, webnn_xla_value *x,
                                                          uint32_t exponent_bits,
                                                          uint32_t mantissa_bits) {
  const uint32_t op = WEBNN_XLA__REDUCE_PRECISION;
  webnn_xla__precision o;
  if (!webnn_xla__are_arrays(b, op, &x, 1)) {
    return NULL;
  }
  if (!webnn_xla__is_float(x->shape.type) || exponent_bits == 0) {
    return webnn_xla__fail(b, op,
                           "%s and %lu exponent bits: a float type and at least one bit are needed",
                           webnn_xla_type_name(x->shape.type), (unsigned long)exponent_bits);
  }
  o.exponent_bits = exponent_bits;
  o.mantissa_bits = mantissa_bits;
  return webnn_xla__record_one(b, op, &x, 1, x->shape.type, x->shape.dimensions, &o, sizeof o);
}

/* The range that an integer type has; of U64 the lower half. */
static void webnn_xla__range(webnn_xla_type type, int64_t *low, int64_t *high) {
  const webnn_xla__type_row *row = webnn_xla__type_of(type);
  const uint32_t bits = row->is_signed ? row->bits - 1 : row->bits;
  *high = bits >= 63 ? INT64_MAX : (int64_t)(((uint64_t)1 << bits) - 1);
  *low = row->is_signed ? -*high - 1 : 0;
}

/* A copy, with all checks. */
static const webnn_xla_quantization *webnn_xla__keep_quantization(webnn_xla_builder *b, uint32_t op,
                                                                  const webnn_xla_value *x,
                                                                  const webnn_xla_quantization *q) {
  webnn_xla_quantization *copy;
  int64_t low = 0, high = 0;
  size_t i;
  if (!q || !webnn_xla__is_integer(q->storage_type) || !webnn_xla__is_float(q->expressed_type) ||
      q->count == 0 || !q->scales || !q->zero_points) {
    return (const webnn_xla_quantization *)webnn_xla__fail(
        b, op, "the quantization needs an integer type, a float type, scales and zero points");
  }
  webnn_xla__range(q->storage_type, &low, &high);
  if (q->storage_min < low || q->storage_max > high || q->storage_min >= q->storage_max) {
    return (const webnn_xla_quantization *)webnn_xla__fail(
        b, op, "the range %lld to %lld is no part of %s", (long long)q->storage_min,
        (long long)q->storage_max, webnn_xla_type_name(q->storage_type));
  }
  if (q->count != 1 &&
      (q->axis >= x->shape.dimensions.count || q->count != x->shape.dimensions.items[q->axis])) {
    return (const webnn_xla_quantization *)webnn_xla__fail(
        b, op, "%lu scales do not fit dimension %lu of %s", (unsigned long)q->count,
        (unsigned long)q->axis, webnn_xla__shape_text(&x->shape).text);
  }
  for (i = 0; i < q->count; i++) {
    if (!(q->scales[i] > 0) || !(q->scales[i] <= 3.402823466e38f) ||
        q->zero_points[i] < q->storage_min || q->zero_points[i] > q->storage_max) {
      return (const webnn_xla_quantization *)webnn_xla__fail(
          b, op, "scale %lu must be positive and finite, and its zero point in the range",
          (unsigned long)i);
    }
  }
  copy = (webnn_xla_quantization *)webnn_xla__keep(b, q, sizeof *q);
  if (copy) {
    copy->scales = (const float *)webnn_xla__keep(b, q->scales, q->count * sizeof *q->scales);
    copy->zero_points =
        (const int64_t *)webnn_xla__keep(b, q->zero_points, q->count * sizeof *q->zero_points);
  }
  return copy && copy->scales && copy->zero_points ? copy : NULL;
}

static webnn_xla_value *webnn_xla__record_quantization(webnn_xla_builder *b, uint32_t op,
                                                       webnn_xla_value *x,
                                                       const webnn_xla_quantization *q) {
  const bool to_storage = op == WEBNN_XLA__UNIFORM_QUANTIZE;
  if (!webnn_xla__are_arrays(b, op, &x, 1)) {
    return NULL;
  }
  q = webnn_xla__keep_quantization(b, op, x, q);
  if (!q) {
    return NULL;
  }
  if (x->shape.type != (to_storage ? q->expressed_type : q->storage_type)) {
    return webnn_xla__fail(b, op, "the operand must be of type %s, but is %s",
                           webnn_xla_type_name(to_storage ? q->expressed_type : q->storage_type),
                           webnn_xla_type_name(x->shape.type));
  }
  return webnn_xla__record_one(b, op, &x, 1, to_storage ? q->storage_type : q->expressed_type,
                               x->shape.dimensions, q, sizeof *q);
}

WEBNN_XLA_API webnn_xla_value *
webnn_xla_uniform_quantize(webnn_xla_builder *b, webnn_xla_value *x,
                           const webnn_xla_quantization *quantization) {
  return webnn_xla__record_quantization(b, WEBNN_XLA__UNIFORM_QUANTIZE, x, quantization);
}

WEBNN_XLA_API webnn_xla_value *
webnn_xla_uniform_dequantize(webnn_xla_builder *b, webnn_xla_value *x,
                             const webnn_xla_quantization *quantization) {
  return webnn_xla__record_quantization(b, WEBNN_XLA__UNIFORM_DEQUANTIZE, x, quantization);
}

/* ---- Choices --------------------------------------------------------------------------------- */

WEBNN_XLA_API webnn_xla_value *webnn_xla_clamp(webnn_xla_builder *b, webnn_xla_value *x,
                                               webnn_xla_value *min, webnn_xla_value *max) {
  webnn_xla_value *operands[] = {x, min, max}, *result;
  if (!webnn_xla__are_arrays(b, WEBNN_XLA_MAX, operands, 3)) {
    return NULL;
  }
  result = webnn_xla_min(b, webnn_xla_max(b, x, min), max);
  if (result && !webnn_xla__same_shape(&result->shape, &x->shape)) {
    return webnn_xla__fail(b, WEBNN_XLA__UNNAMED,
                           "clamp: the bounds must be scalars or of the operand's shape %s",
                           webnn_xla__shape_text(&x->shape).text);
  }
  return result;
}

/* Select of tuples: one for each pair of elements. */
static webnn_xla_value *webnn_xla__select_tuple(webnn_xla_builder *b, webnn_xla_value *pred,
                                                webnn_xla_value *on_true,
                                                webnn_xla_value *on_false) {
  const size_t count = on_true->shape.element_count;
  webnn_xla_value **elements =
      (webnn_xla_value **)webnn_extra__take(&b->module->memory, (count + 1) * sizeof *elements, 1);
  size_t i;
  if (!elements) {
    return webnn_xla__no_value(b);
  }
  for (i = 0; i < count; i++) {
    elements[i] = webnn_xla_select(b, pred, on_true->elements[i], on_false->elements[i]);
    if (!elements[i]) {
      return NULL;
    }
  }
  return webnn_xla__make_tuple(b, elements, count);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_select(webnn_xla_builder *b, webnn_xla_value *pred,
                                                webnn_xla_value *on_true,
                                                webnn_xla_value *on_false) {
  const uint32_t op = WEBNN_XLA__SELECT;
  webnn_xla_value *operands[] = {pred, on_true, on_false};
  if (!webnn_xla__operands_belong(b, op, operands, 3)) {
    return NULL;
  }
  if (!webnn_xla__same_shape(&on_true->shape, &on_false->shape)) {
    return webnn_xla__fail(b, op, "the choices must be of one shape, but are %s and %s",
                           webnn_xla__shape_text(&on_true->shape).text,
                           webnn_xla__shape_text(&on_false->shape).text);
  }
  if (pred->shape.type != WEBNN_XLA_PRED ||
      (pred->shape.dimensions.count != 0 &&
       !webnn_extra__same_list(pred->shape.dimensions, on_true->shape.dimensions))) {
    return webnn_xla__fail(b, op, "pred must be PRED, a scalar or of the shape of %s, but is %s",
                           webnn_xla__shape_text(&on_true->shape).text,
                           webnn_xla__shape_text(&pred->shape).text);
  }
  if (on_true->shape.type == WEBNN_XLA_TUPLE) {
    return webnn_xla__select_tuple(b, pred, on_true, on_false);
  }
  return webnn_xla__record_one(b, op, operands, 3, on_true->shape.type, on_true->shape.dimensions,
                               NULL, 0);
}

/* ---- Products -------------------------------------------------------------------------------- */

static bool webnn_xla__check_dot(webnn_xla_builder *b, const webnn_xla_value *left,
                                 const webnn_xla_value *right,
                                 const webnn_xla_dot_dimension_numbers *n) {
  const uint32_t op = WEBNN_XLA__DOT_GENERAL;
  const webnn_list l = webnn_xla__joined(n->left_batch, n->left_contracting);
  const webnn_list r = webnn_xla__joined(n->right_batch, n->right_contracting);
  if (!webnn_xla__check_dimensions(b, op, "batching and contracting dimensions of the left", l,
                                   left->shape.dimensions.count) ||
      !webnn_xla__check_dimensions(b, op, "batching and contracting dimensions of the right", r,
                                   right->shape.dimensions.count)) {
    return false;
  }
  if (n->left_batch.count != n->right_batch.count || l.count != r.count ||
      !webnn_extra__same_list(webnn_xla__picked(left->shape.dimensions, l),
                              webnn_xla__picked(right->shape.dimensions, r))) {
    return webnn_xla__fail(b, op, "dimensions %s of %s must be as large as %s of %s",
                           webnn_xla__list_text(l).text, webnn_xla__shape_text(&left->shape).text,
                           webnn_xla__list_text(r).text, webnn_xla__shape_text(&right->shape).text);
  }
  return true;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_dot_general(webnn_xla_builder *b, webnn_xla_value *left,
                                                     webnn_xla_value *right,
                                                     webnn_xla_dot_dimension_numbers numbers,
                                                     webnn_xla_type result_type) {
  const uint32_t op = WEBNN_XLA__DOT_GENERAL;
  webnn_xla_value *operands[] = {left, right};
  webnn_list sizes;
  if (!webnn_xla__are_arrays(b, op, operands, 2) ||
      !webnn_xla__check_dot(b, left, right, &numbers)) {
    return NULL;
  }
  if (!result_type) {
    if (left->shape.type != right->shape.type) {
      return webnn_xla__fail(b, op, "the operands are %s and %s: the result's type must be given",
                             webnn_xla_type_name(left->shape.type),
                             webnn_xla_type_name(right->shape.type));
    }
    result_type = left->shape.type;
  }
  sizes = webnn_xla__picked(left->shape.dimensions, numbers.left_batch);
  sizes = webnn_xla__joined(
      sizes, webnn_xla__without(left->shape.dimensions,
                                webnn_xla__joined(numbers.left_batch, numbers.left_contracting)));
  sizes = webnn_xla__joined(
      sizes, webnn_xla__without(right->shape.dimensions,
                                webnn_xla__joined(numbers.right_batch, numbers.right_contracting)));
  return webnn_xla__record_one(b, op, operands, 2, result_type, sizes, &numbers, sizeof numbers);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_dot(webnn_xla_builder *b, webnn_xla_value *left,
                                             webnn_xla_value *right) {
  webnn_xla_value *operands[] = {left, right};
  webnn_xla_dot_dimension_numbers numbers;
  uint32_t l, r;
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__DOT_GENERAL, operands, 2)) {
    return NULL;
  }
  l = left->shape.dimensions.count;
  r = right->shape.dimensions.count;
  if (l < 1 || l > 2 || r < 1 || r > 2) {
    return webnn_xla__fail(
        b, WEBNN_XLA__UNNAMED, "dot: the operands must be vectors or matrices, but are %s and %s",
        webnn_xla__shape_text(&left->shape).text, webnn_xla__shape_text(&right->shape).text);
  }
  numbers.left_batch = numbers.right_batch = webnn_extra__no_items();
  numbers.left_contracting = webnn_extra__list1(l - 1);
  numbers.right_contracting = webnn_extra__list1(0);
  return webnn_xla_dot_general(b, left, right, numbers, (webnn_xla_type)0);
}

/* The elements that a window covers, and how many windows there are; 0 where none fits. */
static uint32_t webnn_xla__spread(uint32_t size, uint32_t dilation) {
  const uint64_t spread = (uint64_t)(size - 1) * dilation + 1;
  return size == 0 || dilation == 0 || spread > INT32_MAX ? 0 : (uint32_t)spread;
}

static uint32_t webnn_xla__window_count(uint32_t padded, uint32_t window, uint32_t stride) {
  return padded < window || window == 0 || stride == 0 ? 0 : (padded - window) / stride + 1;
}

/* The sizes of `windows` over `sizes`; 0 for a dimension where there is none. */
static webnn_list webnn_xla__windowed(webnn_list sizes, webnn_list windows,
                                      const webnn_xla_window *w) {
  webnn_list out = webnn_extra__no_items();
  uint32_t i;
  for (i = 0; i < sizes.count; i++) {
    const uint32_t base = webnn_xla__spread(sizes.items[i], w->base_dilations.items[i]);
    const uint32_t padded =
        base ? webnn_xla__padded(base, w->padding_low[i], w->padding_high[i], 0) : 0;
    webnn_extra__append(&out, webnn_xla__window_count(
                                  padded,
                                  webnn_xla__spread(windows.items[i], w->window_dilations.items[i]),
                                  w->strides.items[i]));
  }
  return out;
}

static bool webnn_xla__complete_window(webnn_xla_builder *b, uint32_t op, webnn_xla_window *w,
                                       uint32_t count) {
  w->strides = webnn_xla__or_ones(w->strides, count);
  w->base_dilations = webnn_xla__or_ones(w->base_dilations, count);
  w->window_dilations = webnn_xla__or_ones(w->window_dilations, count);
  return webnn_xla__check_length(b, op, "strides", w->strides, count) &&
         webnn_xla__check_length(b, op, "base dilations", w->base_dilations, count) &&
         webnn_xla__check_length(b, op, "window dilations", w->window_dilations, count);
}

/* The padding that SAME means: as many windows as ceil(size / stride), the odd element behind. */
static void webnn_xla__pad_same(webnn_xla_window *w, webnn_list sizes, webnn_list windows) {
  uint32_t i;
  for (i = 0; i < sizes.count && i < windows.count && i < w->strides.count; i++) {
    const int64_t stride = w->strides.items[i] ? w->strides.items[i] : 1;
    const int64_t count = ((int64_t)sizes.items[i] + stride - 1) / stride;
    const int64_t total =
        (count - 1) * stride + (int64_t)windows.items[i] - (int64_t)sizes.items[i];
    w->padding_low[i] = total > 0 ? total / 2 : 0;
    w->padding_high[i] = total > 0 ? total - total / 2 : 0;
  }
}

static uint32_t webnn_xla__group(uint32_t count) {
  return count ? count : 1;
}

static bool webnn_xla__check_channels(webnn_xla_builder *b, const webnn_xla_value *left,
                                      const webnn_xla_value *right,
                                      const webnn_xla_convolution_options *o) {
  const uint32_t features = left->shape.dimensions.items[o->input_feature_dimension];
  const uint32_t batch = left->shape.dimensions.items[o->input_batch_dimension];
  const uint32_t inputs = right->shape.dimensions.items[o->kernel_input_feature_dimension];
  const uint32_t outputs = right->shape.dimensions.items[o->kernel_output_feature_dimension];
  const uint32_t f = o->feature_group_count, g = o->batch_group_count;
  if ((f == 1 || g == 1) && (uint64_t)inputs * f == features && outputs % f == 0 &&
      batch % g == 0 && outputs % g == 0) {
    return true;
  }
  return webnn_xla__fail(b, WEBNN_XLA__CONVOLUTION,
                         "%lu features in, %lu in the kernel, %lu out and a batch of %lu do not go "
                         "with %lu feature groups and %lu batch groups",
                         (unsigned long)features, (unsigned long)inputs, (unsigned long)outputs,
                         (unsigned long)batch, (unsigned long)f, (unsigned long)g);
}

/* All of 0 ... rank - 1 are named, once. */
static bool webnn_xla__check_numbers(webnn_xla_builder *b, const char *name, uint32_t first,
                                     uint32_t second, webnn_list spatial, uint32_t rank) {
  webnn_list all = webnn_extra__no_items();
  webnn_extra__append(&all, first);
  webnn_extra__append(&all, second);
  all = webnn_xla__joined(all, spatial);
  return webnn_xla__check_length(b, WEBNN_XLA__CONVOLUTION, name, all, rank) &&
         webnn_xla__check_dimensions(b, WEBNN_XLA__CONVOLUTION, name, all, rank);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_convolution(webnn_xla_builder *b, webnn_xla_value *left,
                                                     webnn_xla_value *right,
                                                     const webnn_xla_convolution_options *options) {
  const uint32_t op = WEBNN_XLA__CONVOLUTION;
  webnn_xla_convolution_options o = *options;
  webnn_xla_value *operands[] = {left, right};
  webnn_list spatial, sizes;
  uint32_t i, rank;
  if (!webnn_xla__are_arrays(b, op, operands, 2)) {
    return NULL;
  }
  rank = left->shape.dimensions.count;
  o.feature_group_count = webnn_xla__group(o.feature_group_count);
  o.batch_group_count = webnn_xla__group(o.batch_group_count);
  if (rank < 2 ||
      !webnn_xla__check_length(b, op, "the right's dimensions", right->shape.dimensions, rank) ||
      !webnn_xla__check_numbers(b, "the left's dimension numbers", o.input_batch_dimension,
                                o.input_feature_dimension, o.input_spatial_dimensions, rank) ||
      !webnn_xla__check_numbers(b, "the right's dimension numbers",
                                o.kernel_input_feature_dimension, o.kernel_output_feature_dimension,
                                o.kernel_spatial_dimensions, rank) ||
      !webnn_xla__check_numbers(b, "the result's dimension numbers", o.output_batch_dimension,
                                o.output_feature_dimension, o.output_spatial_dimensions, rank) ||
      !webnn_xla__complete_window(b, op, &o.window, rank - 2) ||
      !webnn_xla__check_channels(b, left, right, &o)) {
    return rank < 2 ? webnn_xla__fail(b, op, "%s has no batch and features",
                                      webnn_xla__shape_text(&left->shape).text)
                    : NULL;
  }
  if (!o.result_type && left->shape.type != right->shape.type) {
    return webnn_xla__fail(b, op, "the operands are %s and %s: the result's type must be given",
                           webnn_xla_type_name(left->shape.type),
                           webnn_xla_type_name(right->shape.type));
  }
  o.result_type = o.result_type ? o.result_type : left->shape.type;
  spatial = webnn_xla__windowed(
      webnn_xla__picked(left->shape.dimensions, o.input_spatial_dimensions),
      webnn_xla__picked(right->shape.dimensions, o.kernel_spatial_dimensions), &o.window);
  sizes = webnn_extra__repeat(0, rank);
  sizes.items[o.output_batch_dimension] =
      left->shape.dimensions.items[o.input_batch_dimension] / o.batch_group_count;
  sizes.items[o.output_feature_dimension] =
      right->shape.dimensions.items[o.kernel_output_feature_dimension];
  for (i = 0; i < spatial.count; i++) {
    sizes.items[o.output_spatial_dimensions.items[i]] = spatial.items[i];
  }
  return webnn_xla__record_one(b, op, operands, 2, o.result_type, sizes, &o, sizeof o);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_conv_with_general_padding(webnn_xla_builder *b,
                                                                   webnn_xla_value *left,
                                                                   webnn_xla_value *right,
                                                                   webnn_xla_window window) {
  webnn_xla_convolution_options o = WEBNN_ZERO;
  webnn_list spatial = webnn_extra__no_items();
  uint32_t i;
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__CONVOLUTION, &left, 1)) {
    return NULL;
  }
  for (i = 2; i < left->shape.dimensions.count; i++) {
    webnn_extra__append(&spatial, i);
  }
  o.window = window;
  o.input_feature_dimension = o.output_feature_dimension = 1;
  o.kernel_input_feature_dimension = 1;
  o.input_spatial_dimensions = o.kernel_spatial_dimensions = o.output_spatial_dimensions = spatial;
  return webnn_xla_convolution(b, left, right, &o);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_conv(webnn_xla_builder *b, webnn_xla_value *left,
                                              webnn_xla_value *right, webnn_list window_strides,
                                              webnn_xla_padding_kind padding) {
  webnn_xla_window w;
  webnn_xla_value *operands[] = {left, right};
  webnn_list spatial;
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__CONVOLUTION, operands, 2)) {
    return NULL;
  }
  memset(&w, 0, sizeof w);
  w.strides = window_strides;
  if (padding == WEBNN_XLA_SAME && left->shape.dimensions.count >= 2 &&
      right->shape.dimensions.count == left->shape.dimensions.count) {
    spatial = webnn_extra__no_items();
    while (spatial.count + 2 < left->shape.dimensions.count) {
      webnn_extra__append(&spatial, spatial.count + 2);
    }
    w.strides = webnn_xla__or_ones(w.strides, spatial.count);
    webnn_xla__pad_same(&w, webnn_xla__picked(left->shape.dimensions, spatial),
                        webnn_xla__picked(right->shape.dimensions, spatial));
  }
  return webnn_xla_conv_with_general_padding(b, left, right, w);
}

/* Square matrices in the last two dimensions? */
static bool webnn_xla__check_square(webnn_xla_builder *b, uint32_t op, const webnn_xla_value *a) {
  const webnn_list sizes = a->shape.dimensions;
  return (sizes.count >= 2 && webnn_xla__is_float(a->shape.type) &&
          sizes.items[sizes.count - 1] == sizes.items[sizes.count - 2]) ||
         webnn_xla__fail(b, op, "%s holds no square matrices of floats",
                         webnn_xla__shape_text(&a->shape).text);
}

WEBNN_XLA_API webnn_xla_value *
webnn_xla_triangular_solve(webnn_xla_builder *b, webnn_xla_value *a, webnn_xla_value *y,
                           webnn_xla_triangular_solve_options options) {
  const uint32_t op = WEBNN_XLA__TRIANGULAR_SOLVE;
  webnn_xla_value *operands[] = {a, y};
  webnn_list as, ys;
  uint32_t n;
  if (!webnn_xla__are_arrays(b, op, operands, 2) || !webnn_xla__check_square(b, op, a)) {
    return NULL;
  }
  as = a->shape.dimensions;
  ys = y->shape.dimensions;
  n = as.items[as.count - 1];
  if (ys.count != as.count || y->shape.type != a->shape.type ||
      memcmp(as.items, ys.items, (as.count - 2) * sizeof as.items[0]) != 0 ||
      ys.items[ys.count - (options.right_side ? 1 : 2)] != n) {
    return webnn_xla__fail(b, op, "%s is no right-hand side of %s",
                           webnn_xla__shape_text(&y->shape).text,
                           webnn_xla__shape_text(&a->shape).text);
  }
  return webnn_xla__record_one(b, op, operands, 2, a->shape.type, ys, &options, sizeof options);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_cholesky(webnn_xla_builder *b, webnn_xla_value *a,
                                                  bool lower) {
  const uint32_t op = WEBNN_XLA__CHOLESKY;
  if (!webnn_xla__are_arrays(b, op, &a, 1) || !webnn_xla__check_square(b, op, a)) {
    return NULL;
  }
  return webnn_xla__record_one(b, op, &a, 1, a->shape.type, a->shape.dimensions, &lower,
                               sizeof lower);
}

/* ---- Computations applied -------------------------------------------------------------------- */

WEBNN_XLA_API webnn_xla_value *webnn_xla_map(webnn_xla_builder *b, webnn_xla_value *const *operands,
                                             size_t count, const webnn_xla_computation *computation,
                                             webnn_list dimensions,
                                             webnn_xla_value *const *static_operands,
                                             size_t static_count) {
  const uint32_t op = WEBNN_XLA__MAP;
  const size_t all_count = count + static_count;
  webnn_xla__instruction *i;
  webnn_xla_value **all;
  size_t k;
  if (!webnn_xla__are_arrays(b, op, operands, count) ||
      !webnn_xla__are_arrays(b, op, static_operands, static_count) ||
      !webnn_xla__check_count(b, op, count) || !webnn_xla__check_alike(b, op, operands, count)) {
    return NULL;
  }
  if (dimensions.given &&
      !webnn_extra__same_list(dimensions,
                              webnn_xla__counted(operands[0]->shape.dimensions.count))) {
    return webnn_xla__fail(b, op, "dimensions %s must be all of %s in order",
                           webnn_xla__list_text(dimensions).text,
                           webnn_xla__shape_text(&operands[0]->shape).text);
  }
  all = (webnn_xla_value **)webnn_extra__take(&b->module->memory, all_count * sizeof *all, 1);
  if (!all) {
    return webnn_xla__no_value(b);
  }
  memcpy(all, operands, count * sizeof *all);
  for (k = 0; k < static_count; k++) {
    all[count + k] = static_operands[k];
    if (static_operands[k]->shape.dimensions.count != 0) {
      return webnn_xla__fail(b, op, "static operand %lu is no scalar", (unsigned long)k);
    }
  }
  if (!webnn_xla__check_scalar_function(b, op, computation, all, all_count, 1, false)) {
    return NULL;
  }
  if (computation->root_count != 1 || computation->roots[0]->shape.dimensions.count != 0) {
    return webnn_xla__fail(b, op, "the result of \"%s\" is no scalar", computation->name);
  }
  i = webnn_xla__record(b, op, all, all_count, 1);
  if (!i || !webnn_xla__set_computations(b, i, &computation, 1)) {
    return NULL;
  }
  i->results[0].shape =
      webnn_xla_shape_of(computation->roots[0]->shape.type, operands[0]->shape.dimensions);
  return webnn_xla__finish(b, i);
}

/* Arrays of the same dimensions and, for each, an initial value; and a computation that folds. */
static bool webnn_xla__check_fold(webnn_xla_builder *b, uint32_t op,
                                  webnn_xla_value *const *operands,
                                  webnn_xla_value *const *init_values, size_t count,
                                  const webnn_xla_computation *f) {
  size_t k;
  if (!webnn_xla__are_arrays(b, op, operands, count) ||
      !webnn_xla__are_arrays(b, op, init_values, count) || !webnn_xla__check_count(b, op, count) ||
      !webnn_xla__check_alike(b, op, operands, count)) {
    return false;
  }
  for (k = 0; k < count; k++) {
    if (!webnn_xla__check_scalar(b, op, "the initial value", init_values[k],
                                 operands[k]->shape.type)) {
      return false;
    }
  }
  return webnn_xla__check_scalar_function(b, op, f, operands, count, 2, false) &&
         webnn_xla__check_scalar_results(b, op, f, operands, count);
}

/* The instruction of a fold, whose results have the operands' types and `sizes`. */
static webnn_xla_value *webnn_xla__record_fold(webnn_xla_builder *b, uint32_t op,
                                               webnn_xla_value *const *operands,
                                               webnn_xla_value *const *init_values, size_t count,
                                               const webnn_xla_computation *f, webnn_list sizes,
                                               const void *options, size_t size) {
  webnn_xla_value **all = webnn_xla__two_lists(b, operands, init_values, count, NULL);
  webnn_xla__instruction *i = all ? webnn_xla__record(b, op, all, 2 * count, count) : NULL;
  size_t k;
  if (!i || !webnn_xla__set_computations(b, i, &f, 1)) {
    return NULL;
  }
  for (k = 0; k < count; k++) {
    i->results[k].shape = webnn_xla_shape_of(operands[k]->shape.type, sizes);
  }
  i->options = webnn_xla__keep(b, options, size);
  return webnn_xla__finish(b, i);
}

WEBNN_XLA_API webnn_xla_value *
webnn_xla_reduce_many(webnn_xla_builder *b, webnn_xla_value *const *operands,
                      webnn_xla_value *const *init_values, size_t count,
                      const webnn_xla_computation *computation, webnn_list dimensions) {
  const uint32_t op = WEBNN_XLA__REDUCE;
  if (!webnn_xla__check_fold(b, op, operands, init_values, count, computation) ||
      !webnn_xla__check_dimensions(b, op, "dimensions", dimensions,
                                   operands[0]->shape.dimensions.count)) {
    return NULL;
  }
  return webnn_xla__record_fold(b, op, operands, init_values, count, computation,
                                webnn_xla__without(operands[0]->shape.dimensions, dimensions),
                                &dimensions, sizeof dimensions);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_reduce(webnn_xla_builder *b, webnn_xla_value *x,
                                                webnn_xla_value *init_value,
                                                const webnn_xla_computation *computation,
                                                webnn_list dimensions) {
  return webnn_xla_reduce_many(b, &x, &init_value, 1, computation, dimensions);
}

typedef struct webnn_xla__window_options {
  webnn_list dimensions;
  webnn_xla_window window;
} webnn_xla__window_options;

WEBNN_XLA_API webnn_xla_value *
webnn_xla_reduce_window_many(webnn_xla_builder *b, webnn_xla_value *const *operands,
                             webnn_xla_value *const *init_values, size_t count,
                             const webnn_xla_computation *computation, webnn_list window_dimensions,
                             webnn_xla_window window) {
  const uint32_t op = WEBNN_XLA__REDUCE_WINDOW;
  webnn_xla__window_options o;
  webnn_list sizes;
  o.dimensions = window_dimensions;
  o.window = window;
  if (!webnn_xla__check_fold(b, op, operands, init_values, count, computation)) {
    return NULL;
  }
  sizes = operands[0]->shape.dimensions;
  if (!webnn_xla__check_length(b, op, "window_dimensions", window_dimensions, sizes.count) ||
      !webnn_xla__complete_window(b, op, &o.window, sizes.count)) {
    return NULL;
  }
  return webnn_xla__record_fold(b, op, operands, init_values, count, computation,
                                webnn_xla__windowed(sizes, window_dimensions, &o.window), &o,
                                sizeof o);
}

/* The window of the operations that say VALID or SAME. */
static webnn_xla_window webnn_xla__window_of(webnn_list sizes, webnn_list window_dimensions,
                                             webnn_list strides, webnn_xla_padding_kind padding) {
  webnn_xla_window w;
  memset(&w, 0, sizeof w);
  w.strides = webnn_xla__or_ones(strides, sizes.count);
  if (padding == WEBNN_XLA_SAME) {
    webnn_xla__pad_same(&w, sizes, window_dimensions);
  }
  return w;
}

WEBNN_XLA_API webnn_xla_value *
webnn_xla_reduce_window(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *init_value,
                        const webnn_xla_computation *computation, webnn_list window_dimensions,
                        webnn_list window_strides, webnn_xla_padding_kind padding) {
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__REDUCE_WINDOW, &x, 1)) {
    return NULL;
  }
  return webnn_xla_reduce_window_many(
      b, &x, &init_value, 1, computation, window_dimensions,
      webnn_xla__window_of(x->shape.dimensions, window_dimensions, window_strides, padding));
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_select_and_scatter_padded(
    webnn_xla_builder *b, webnn_xla_value *x, const webnn_xla_computation *select,
    webnn_list window_dimensions, webnn_xla_window window, webnn_xla_value *source,
    webnn_xla_value *init_value, const webnn_xla_computation *scatter) {
  const uint32_t op = WEBNN_XLA__SELECT_AND_SCATTER;
  const webnn_xla_computation *computations[] = {select, scatter};
  webnn_xla_value *operands[] = {x, source, init_value};
  webnn_xla__window_options o;
  webnn_xla__instruction *i;
  webnn_list sizes;
  o.dimensions = window_dimensions;
  o.window = window;
  if (!webnn_xla__are_arrays(b, op, operands, 3) ||
      !webnn_xla__check_length(b, op, "window_dimensions", window_dimensions,
                               x->shape.dimensions.count) ||
      !webnn_xla__complete_window(b, op, &o.window, x->shape.dimensions.count) ||
      !webnn_xla__check_scalar(b, op, "the initial value", init_value, x->shape.type) ||
      !webnn_xla__check_scalar_function(b, op, select, &x, 1, 2, false) ||
      !webnn_xla__check_scalar_function(b, op, scatter, &x, 1, 2, false) ||
      !webnn_xla__check_scalar_results(b, op, scatter, &x, 1)) {
    return NULL;
  }
  if (select->root_count != 1 || select->roots[0]->shape.type != WEBNN_XLA_PRED) {
    return webnn_xla__fail(b, op, "the result of \"%s\" must be PRED", select->name);
  }
  sizes = webnn_xla__windowed(x->shape.dimensions, window_dimensions, &o.window);
  if (source->shape.type != x->shape.type ||
      !webnn_extra__same_list(source->shape.dimensions, sizes)) {
    return webnn_xla__fail(b, op, "the source must have the %s windows of %s, but is %s",
                           webnn_xla__list_text(sizes).text, webnn_xla__shape_text(&x->shape).text,
                           webnn_xla__shape_text(&source->shape).text);
  }
  i = webnn_xla__record(b, op, operands, 3, 1);
  if (!i || !webnn_xla__set_computations(b, i, computations, 2)) {
    return NULL;
  }
  i->results[0].shape = x->shape;
  i->options = webnn_xla__keep(b, &o, sizeof o);
  return webnn_xla__finish(b, i);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_select_and_scatter(
    webnn_xla_builder *b, webnn_xla_value *x, const webnn_xla_computation *select,
    webnn_list window_dimensions, webnn_list window_strides, webnn_xla_padding_kind padding,
    webnn_xla_value *source, webnn_xla_value *init_value, const webnn_xla_computation *scatter) {
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__SELECT_AND_SCATTER, &x, 1)) {
    return NULL;
  }
  return webnn_xla_select_and_scatter_padded(
      b, x, select, window_dimensions,
      webnn_xla__window_of(x->shape.dimensions, window_dimensions, window_strides, padding), source,
      init_value, scatter);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_sort_many(webnn_xla_builder *b,
                                                   webnn_xla_value *const *operands, size_t count,
                                                   const webnn_xla_computation *comparator,
                                                   uint32_t dimension) {
  const uint32_t op = WEBNN_XLA__SORT;
  webnn_xla__instruction *i;
  size_t k;
  if (!webnn_xla__are_arrays(b, op, operands, count) || !webnn_xla__check_count(b, op, count) ||
      !webnn_xla__check_alike(b, op, operands, count) ||
      !webnn_xla__check_scalar_function(b, op, comparator, operands, count, 2, true)) {
    return NULL;
  }
  if (comparator->root_count != 1 || comparator->roots[0]->shape.type != WEBNN_XLA_PRED) {
    return webnn_xla__fail(b, op, "the result of \"%s\" must be PRED", comparator->name);
  }
  if (dimension >= operands[0]->shape.dimensions.count) {
    return webnn_xla__fail(b, op, "%s has no dimension %lu",
                           webnn_xla__shape_text(&operands[0]->shape).text,
                           (unsigned long)dimension);
  }
  i = webnn_xla__record(b, op, operands, count, count);
  if (!i || !webnn_xla__set_computations(b, i, &comparator, 1)) {
    return NULL;
  }
  for (k = 0; k < count; k++) {
    i->results[k].shape = operands[k]->shape;
  }
  i->options = webnn_xla__keep(b, &dimension, sizeof dimension);
  return webnn_xla__finish(b, i);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_sort(webnn_xla_builder *b, webnn_xla_value *x) {
  webnn_xla_builder *less;
  webnn_xla_value *first, *second;
  webnn_xla_shape scalar;
  if (!webnn_xla__are_arrays(b, WEBNN_XLA__SORT, &x, 1)) {
    return NULL;
  }
  scalar = webnn_xla_shape_of(x->shape.type, webnn_extra__no_items());
  less = webnn_xla_begin(b->module, "ascending");
  first = webnn_xla_parameter(less, 0, scalar, "first");
  second = webnn_xla_parameter(less, 1, scalar, "second");
  return webnn_xla_sort_many(
      b, &x, 1,
      webnn_xla_end(less, webnn_xla__is_float(x->shape.type)
                              ? webnn_xla_compare_total_order(less, WEBNN_XLA_LT, first, second)
                              : webnn_xla_lt(less, first, second)),
      x->shape.dimensions.count - 1);
}

/* Do the arrays have the shapes of the computation's parameters? */
static bool webnn_xla__check_arguments(webnn_xla_builder *b, uint32_t op,
                                       const webnn_xla_computation *f,
                                       webnn_xla_value *const *leaves, size_t count) {
  size_t i;
  if (!f) {
    return webnn_xla__fail(b, op, "the computation is NULL");
  }
  if (f->leaf_count != count) {
    return webnn_xla__fail(b, op, "\"%s\" takes %lu arrays, but there are %lu", f->name,
                           (unsigned long)f->leaf_count, (unsigned long)count);
  }
  for (i = 0; i < count; i++) {
    if (!webnn_xla__same_shape(&f->leaves[i]->shape, &leaves[i]->shape)) {
      return webnn_xla__fail(b, op, "argument %lu of \"%s\" must be %s, but is %s",
                             (unsigned long)i, f->name,
                             webnn_xla__shape_text(&f->leaves[i]->shape).text,
                             webnn_xla__shape_text(&leaves[i]->shape).text);
    }
  }
  return true;
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_call(webnn_xla_builder *b,
                                              const webnn_xla_computation *computation,
                                              webnn_xla_value *const *arguments, size_t count) {
  const uint32_t op = WEBNN_XLA__CALL;
  webnn_xla__instruction *i;
  webnn_xla_value **leaves;
  size_t leaf_count = 0;
  if (!webnn_xla__operands_belong(b, op, arguments, count)) {
    return NULL;
  }
  leaves = webnn_xla__leaves(b, arguments, count, &leaf_count);
  if (!leaves || !webnn_xla__check_arguments(b, op, computation, leaves, leaf_count)) {
    return NULL;
  }
  i = webnn_xla__record(b, op, leaves, leaf_count, computation->root_count);
  if (!i || !webnn_xla__set_computations(b, i, &computation, 1)) {
    return NULL;
  }
  return webnn_xla__finish_shape(b, i, computation->result);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_while(webnn_xla_builder *b,
                                               const webnn_xla_computation *condition,
                                               const webnn_xla_computation *body,
                                               webnn_xla_value *init) {
  const uint32_t op = WEBNN_XLA__WHILE;
  const webnn_xla_computation *computations[] = {condition, body};
  webnn_xla__instruction *i;
  webnn_xla_value **leaves;
  size_t leaf_count = 0, k;
  if (!webnn_xla__operands_belong(b, op, &init, 1)) {
    return NULL;
  }
  leaves = webnn_xla__leaves(b, &init, 1, &leaf_count);
  if (!leaves || !webnn_xla__check_arguments(b, op, condition, leaves, leaf_count) ||
      !webnn_xla__check_arguments(b, op, body, leaves, leaf_count)) {
    return NULL;
  }
  if (condition->root_count != 1 || condition->roots[0]->shape.type != WEBNN_XLA_PRED ||
      condition->roots[0]->shape.dimensions.count != 0) {
    return webnn_xla__fail(b, op, "the condition must be a scalar PRED, but is %s",
                           webnn_xla__shape_text(condition->result).text);
  }
  for (k = 0; k < leaf_count && k < body->root_count; k++) {
    if (!webnn_xla__same_shape(&body->roots[k]->shape, &leaves[k]->shape)) {
      break;
    }
  }
  if (k != leaf_count || k != body->root_count) {
    return webnn_xla__fail(b, op, "the body must give the state %s, but gives %s",
                           webnn_xla__shape_text(&init->shape).text,
                           webnn_xla__shape_text(body->result).text);
  }
  i = webnn_xla__record(b, op, leaves, leaf_count, leaf_count);
  if (!i || !webnn_xla__set_computations(b, i, computations, 2)) {
    return NULL;
  }
  return webnn_xla__finish_shape(b, i, &init->shape);
}

/* How many arrays of the operands belong to each branch. */
typedef struct webnn_xla__conditional_options {
  const size_t *leaf_counts;
} webnn_xla__conditional_options;

WEBNN_XLA_API webnn_xla_value *webnn_xla_conditional(webnn_xla_builder *b, webnn_xla_value *index,
                                                     const webnn_xla_computation *const *branches,
                                                     webnn_xla_value *const *arguments,
                                                     size_t count) {
  const uint32_t op = WEBNN_XLA__CONDITIONAL;
  webnn_xla__conditional_options o;
  webnn_xla__instruction *i;
  webnn_xla_value **leaves, **operands;
  size_t total = 0, first = 0, k, *counts;
  if (!webnn_xla__are_arrays(b, op, &index, 1) ||
      !webnn_xla__operands_belong(b, op, arguments, count) ||
      !webnn_xla__check_count(b, op, count)) {
    return NULL;
  }
  if (index->shape.dimensions.count != 0 ||
      (index->shape.type != WEBNN_XLA_PRED && index->shape.type != WEBNN_XLA_S32) ||
      (index->shape.type == WEBNN_XLA_PRED && count != 2)) {
    return webnn_xla__fail(b, op,
                           "the index must be a scalar S32, or PRED with two branches, but is %s",
                           webnn_xla__shape_text(&index->shape).text);
  }
  leaves = webnn_xla__leaves(b, arguments, count, &total);
  operands =
      (webnn_xla_value **)webnn_extra__take(&b->module->memory, (total + 1) * sizeof *leaves, 1);
  counts = (size_t *)webnn_extra__take(&b->module->memory, count * sizeof *counts, 1);
  if (!leaves || !operands || !counts) {
    return webnn_xla__no_value(b);
  }
  for (k = 0; k < count; k++) {
    counts[k] = webnn_xla__leaf_count(&arguments[k]->shape);
    if (!webnn_xla__check_arguments(b, op, branches[k], leaves + first, counts[k])) {
      return NULL;
    }
    first += counts[k];
    if (!webnn_xla__same_shape(branches[k]->result, branches[0]->result)) {
      return webnn_xla__fail(b, op, "branch %lu gives %s, but the first gives %s", (unsigned long)k,
                             webnn_xla__shape_text(branches[k]->result).text,
                             webnn_xla__shape_text(branches[0]->result).text);
    }
  }
  operands[0] = index;
  memcpy(operands + 1, leaves, total * sizeof *leaves);
  o.leaf_counts = counts;
  i = webnn_xla__record(b, op, operands, total + 1, branches[0]->root_count);
  if (!i || !webnn_xla__set_computations(b, i, branches, count)) {
    return NULL;
  }
  i->options = webnn_xla__keep(b, &o, sizeof o);
  return webnn_xla__finish_shape(b, i, branches[0]->result);
}

/* ---- Normalization --------------------------------------------------------------------------- */

typedef struct webnn_xla__batch_norm_options {
  uint32_t feature_index;
  float epsilon;
} webnn_xla__batch_norm_options;

/* x is of floats, the others have an element for each of its features. */
static bool webnn_xla__check_features(webnn_xla_builder *b, webnn_xla_value *x,
                                      webnn_xla_value *const *others, size_t count,
                                      uint32_t feature_index) {
  const uint32_t op = WEBNN_XLA__BATCH_NORM;
  size_t i;
  if (!webnn_xla__are_arrays(b, op, &x, 1) || !webnn_xla__are_arrays(b, op, others, count)) {
    return false;
  }
  if (!webnn_xla__is_float(x->shape.type) || feature_index >= x->shape.dimensions.count) {
    return webnn_xla__fail(b, op, "%s has no features of floats along dimension %lu",
                           webnn_xla__shape_text(&x->shape).text, (unsigned long)feature_index);
  }
  for (i = 0; i < count; i++) {
    if (others[i]->shape.type != x->shape.type ||
        !webnn_extra__same_list(others[i]->shape.dimensions,
                                webnn_extra__list1(x->shape.dimensions.items[feature_index]))) {
      return webnn_xla__fail(b, op, "%s must have an element for each feature of %s",
                             webnn_xla__shape_text(&others[i]->shape).text,
                             webnn_xla__shape_text(&x->shape).text);
    }
  }
  return true;
}

WEBNN_XLA_API webnn_xla_value *
webnn_xla_batch_norm_inference(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *scale,
                               webnn_xla_value *offset, webnn_xla_value *mean,
                               webnn_xla_value *variance, float epsilon, uint32_t feature_index) {
  webnn_xla__batch_norm_options o;
  webnn_xla_value *operands[] = {x, scale, offset, mean, variance};
  o.feature_index = feature_index;
  o.epsilon = epsilon;
  if (!webnn_xla__check_features(b, x, operands + 1, 4, feature_index)) {
    return NULL;
  }
  return webnn_xla__record_one(b, WEBNN_XLA__BATCH_NORM, operands, 5, x->shape.type,
                               x->shape.dimensions, &o, sizeof o);
}

/* The computation a + b of a type. */
static const webnn_xla_computation *webnn_xla__addition(webnn_xla_module *m, webnn_xla_type type) {
  const webnn_xla_shape scalar = webnn_xla_shape_of(type, webnn_extra__no_items());
  webnn_xla_builder *b = webnn_xla_begin(m, "add");
  webnn_xla_value *x = webnn_xla_parameter(b, 0, scalar, "a");
  return webnn_xla_end(b, webnn_xla_add(b, x, webnn_xla_parameter(b, 1, scalar, "b")));
}

/* The sum over all dimensions but the feature's. */
static webnn_xla_value *webnn_xla__sum_features(webnn_xla_builder *b, webnn_xla_value *x,
                                                uint32_t feature_index) {
  return x ? webnn_xla_reduce(
                 b, x, webnn_xla_scalar(b, x->shape.type, 0),
                 webnn_xla__addition(b->module, x->shape.type),
                 webnn_xla__others(webnn_extra__list1(feature_index), x->shape.dimensions.count))
           : NULL;
}

/* An element for each feature, as x's shape. */
static webnn_xla_value *webnn_xla__each_feature(webnn_xla_builder *b, webnn_xla_value *per_feature,
                                                const webnn_xla_value *x, uint32_t feature_index) {
  return webnn_xla_broadcast_in_dim(b, per_feature, x->shape.dimensions,
                                    webnn_extra__list1(feature_index));
}

/* The number of elements of a feature. */
static webnn_xla_value *webnn_xla__feature_size(webnn_xla_builder *b, const webnn_xla_value *x,
                                                uint32_t feature_index) {
  return webnn_xla_scalar(b, x->shape.type,
                          (double)webnn_xla__count(x->shape.dimensions) /
                              x->shape.dimensions.items[feature_index]);
}

WEBNN_XLA_API webnn_xla_value *
webnn_xla_batch_norm_training(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *scale,
                              webnn_xla_value *offset, float epsilon, uint32_t feature_index) {
  webnn_xla_value *results[3], *n, *centered, *others[2];
  others[0] = scale;
  others[1] = offset;
  if (!webnn_xla__check_features(b, x, others, 2, feature_index)) {
    return NULL;
  }
  n = webnn_xla__feature_size(b, x, feature_index);
  results[1] = webnn_xla_div(b, webnn_xla__sum_features(b, x, feature_index), n);
  centered = webnn_xla_sub(b, x, webnn_xla__each_feature(b, results[1], x, feature_index));
  results[2] = webnn_xla_div(
      b, webnn_xla__sum_features(b, webnn_xla_mul(b, centered, centered), feature_index), n);
  results[0] = webnn_xla_batch_norm_inference(b, x, scale, offset, results[1], results[2], epsilon,
                                              feature_index);
  return results[0] ? webnn_xla_tuple(b, results, 3) : NULL;
}

/* With n elements in a feature, x^ = (x - mean) / sqrt(variance + epsilon) and g the gradient of
   the output: offset's is sum g, scale's is sum g x^, and x's is scale / sqrt(variance + epsilon)
   (g - sum g / n - x^ sum(g x^) / n). */
WEBNN_XLA_API webnn_xla_value *
webnn_xla_batch_norm_grad(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_value *scale,
                          webnn_xla_value *mean, webnn_xla_value *variance,
                          webnn_xla_value *grad_output, float epsilon, uint32_t feature_index) {
  webnn_xla_value *results[3], *others[3], *n, *rate, *normal, *inner;
  others[0] = scale;
  others[1] = mean;
  others[2] = variance;
  if (!webnn_xla__check_features(b, x, others, 3, feature_index)) {
    return NULL;
  }
  n = webnn_xla__feature_size(b, x, feature_index);
  rate = webnn_xla_rsqrt(
      b, webnn_xla_add(b, variance, webnn_xla_scalar(b, x->shape.type, (double)epsilon)));
  normal = webnn_xla_mul(b, webnn_xla_sub(b, x, webnn_xla__each_feature(b, mean, x, feature_index)),
                         webnn_xla__each_feature(b, rate, x, feature_index));
  results[1] = webnn_xla__sum_features(b, webnn_xla_mul(b, grad_output, normal), feature_index);
  results[2] = webnn_xla__sum_features(b, grad_output, feature_index);
  inner = webnn_xla_mul(
      b, normal, webnn_xla__each_feature(b, webnn_xla_div(b, results[1], n), x, feature_index));
  inner = webnn_xla_add(
      b, inner, webnn_xla__each_feature(b, webnn_xla_div(b, results[2], n), x, feature_index));
  results[0] =
      webnn_xla_mul(b, webnn_xla__each_feature(b, webnn_xla_mul(b, scale, rate), x, feature_index),
                    webnn_xla_sub(b, grad_output, inner));
  return results[0] ? webnn_xla_tuple(b, results, 3) : NULL;
}

/* ---- The host -------------------------------------------------------------------------------- */

WEBNN_XLA_API webnn_xla_value *webnn_xla_rng_uniform(webnn_xla_builder *b, webnn_xla_value *low,
                                                     webnn_xla_value *high, webnn_xla_shape shape) {
  const uint32_t op = WEBNN_XLA__RNG_UNIFORM;
  webnn_xla_value *operands[] = {low, high};
  if (!webnn_xla__are_arrays(b, op, operands, 2) ||
      !webnn_xla__check_scalar(b, op, "the lower bound", low, shape.type) ||
      !webnn_xla__check_scalar(b, op, "the upper bound", high, shape.type)) {
    return NULL;
  }
  return webnn_xla__record_one(b, op, operands, 2, shape.type, shape.dimensions, NULL, 0);
}

/* Uniform numbers of F32 on [0, 1). */
static webnn_xla_value *webnn_xla__uniform(webnn_xla_builder *b, webnn_list dimensions) {
  return webnn_xla_rng_uniform(b, webnn_xla_scalar(b, WEBNN_XLA_F32, 0),
                               webnn_xla_scalar(b, WEBNN_XLA_F32, 1),
                               webnn_xla_shape_of(WEBNN_XLA_F32, dimensions));
}

/* Box and Muller: mu + sigma sqrt(-2 ln(1 - u)) cos(2 pi v) of uniform u and v on [0, 1). */
WEBNN_XLA_API webnn_xla_value *webnn_xla_rng_normal(webnn_xla_builder *b, webnn_xla_value *mu,
                                                    webnn_xla_value *sigma, webnn_xla_shape shape) {
  const uint32_t op = WEBNN_XLA__RNG_UNIFORM;
  webnn_xla_value *operands[] = {mu, sigma}, *radius, *angle, *normal;
  if (!webnn_xla__are_arrays(b, op, operands, 2) ||
      !webnn_xla__check_scalar(b, op, "mu", mu, shape.type) ||
      !webnn_xla__check_scalar(b, op, "sigma", sigma, shape.type)) {
    return NULL;
  }
  if (!webnn_xla__is_float(shape.type)) {
    return webnn_xla__fail(b, op, "normal numbers are floats, but not %s",
                           webnn_xla_type_name(shape.type));
  }
  radius = webnn_xla_log1p(b, webnn_xla_neg(b, webnn_xla__uniform(b, shape.dimensions)));
  radius = webnn_xla_sqrt(b, webnn_xla_mul(b, radius, webnn_xla_scalar(b, WEBNN_XLA_F32, -2)));
  angle = webnn_xla_mul(b, webnn_xla__uniform(b, shape.dimensions),
                        webnn_xla_scalar(b, WEBNN_XLA_F32, 6.283185307179586));
  normal = webnn_xla_convert_element_type(b, webnn_xla_mul(b, radius, webnn_xla_cos(b, angle)),
                                          shape.type);
  return webnn_xla_add(b, webnn_xla_mul(b, normal, sigma), mu);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_rng_bernoulli(webnn_xla_builder *b, webnn_xla_value *mean,
                                                       webnn_xla_shape shape) {
  const uint32_t op = WEBNN_XLA__RNG_UNIFORM;
  if (!webnn_xla__are_arrays(b, op, &mean, 1) ||
      !webnn_xla__check_scalar(b, op, "mean", mean, WEBNN_XLA_F32)) {
    return NULL;
  }
  if (shape.type != WEBNN_XLA_U32) {
    return webnn_xla__fail(b, op, "RngBernoulli gives U32, but not %s",
                           webnn_xla_type_name(shape.type));
  }
  return webnn_xla_convert_element_type(
      b, webnn_xla_lt(b, webnn_xla__uniform(b, shape.dimensions), mean), WEBNN_XLA_U32);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_rng_bit_generator(webnn_xla_builder *b,
                                                           webnn_xla_rng_algorithm algorithm,
                                                           webnn_xla_value *state,
                                                           webnn_xla_shape shape) {
  const uint32_t op = WEBNN_XLA__RNG_BIT_GENERATOR;
  webnn_xla__instruction *i;
  uint32_t words;
  if (!webnn_xla__are_arrays(b, op, &state, 1)) {
    return NULL;
  }
  words = state->shape.dimensions.count == 1 ? state->shape.dimensions.items[0] : 0;
  if (state->shape.type != WEBNN_XLA_U64 ||
      !(words == 2 || (words == 3 && algorithm == WEBNN_XLA_RNG_PHILOX)) ||
      !webnn_xla__is_array_type(shape.type) || shape.type == WEBNN_XLA_PRED ||
      webnn_xla__type_of(shape.type)->bits < 8) {
    return webnn_xla__fail(
        b, op,
        "the state must be U64[2] (of Philox also U64[3]), and the result of 8 bits or more; "
        "they are %s and %s",
        webnn_xla__shape_text(&state->shape).text, webnn_xla__shape_text(&shape).text);
  }
  i = webnn_xla__record(b, op, &state, 1, 2);
  if (!i) {
    return NULL;
  }
  i->results[0].shape = state->shape;
  i->results[1].shape = shape;
  i->options = webnn_xla__keep(b, &algorithm, sizeof algorithm);
  return webnn_xla__finish(b, i);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_infeed(webnn_xla_builder *b, webnn_xla_shape shape) {
  const webnn_xla_shape *kept;
  if (!webnn_xla__ready(b, WEBNN_XLA__INFEED)) {
    return NULL;
  }
  kept = webnn_xla__keep_shape(b, WEBNN_XLA__INFEED, &shape, 0);
  if (!kept) {
    return NULL;
  }
  return webnn_xla__finish_shape(
      b, webnn_xla__record(b, WEBNN_XLA__INFEED, NULL, 0, webnn_xla__leaf_count(kept)), kept);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_outfeed(webnn_xla_builder *b, webnn_xla_value *x) {
  webnn_xla_value **leaves;
  size_t count = 0;
  if (!webnn_xla__operands_belong(b, WEBNN_XLA__OUTFEED, &x, 1)) {
    return NULL;
  }
  leaves = webnn_xla__leaves(b, &x, 1, &count);
  return leaves ? webnn_xla__finish(b, webnn_xla__record(b, WEBNN_XLA__OUTFEED, leaves, count, 0))
                : NULL;
}

typedef struct webnn_xla__call_options {
  const char *name, *configuration;
} webnn_xla__call_options;

WEBNN_XLA_API webnn_xla_value *webnn_xla_custom_call(webnn_xla_builder *b, const char *name,
                                                     webnn_xla_value *const *arguments,
                                                     size_t count, webnn_xla_shape shape,
                                                     const char *configuration) {
  const uint32_t op = WEBNN_XLA__CUSTOM_CALL;
  webnn_xla__call_options o;
  webnn_xla__instruction *i;
  webnn_xla_value **leaves;
  const webnn_xla_shape *kept;
  size_t leaf_count = 0;
  if (!webnn_xla__operands_belong(b, op, arguments, count)) {
    return NULL;
  }
  if (!name || !name[0]) {
    return webnn_xla__fail(b, op, "the name of the function is missing");
  }
  leaves = webnn_xla__leaves(b, arguments, count, &leaf_count);
  kept = leaves ? webnn_xla__keep_shape(b, op, &shape, 0) : NULL;
  if (!kept) {
    return NULL;
  }
  o.name = webnn_xla__copy_text(&b->module->memory, name);
  o.configuration = webnn_xla__copy_text(&b->module->memory, configuration);
  i = webnn_xla__record(b, op, leaves, leaf_count, webnn_xla__leaf_count(kept));
  if (!i) {
    return NULL;
  }
  i->options = webnn_xla__keep(b, &o, sizeof o);
  return webnn_xla__finish_shape(b, i, kept);
}

WEBNN_XLA_API webnn_xla_value *webnn_xla_cross_replica_sum(webnn_xla_builder *b,
                                                           webnn_xla_value *x) {
  const uint32_t op = WEBNN_XLA__CROSS_REPLICA_SUM;
  if (!webnn_xla__are_arrays(b, op, &x, 1)) {
    return NULL;
  }
  if (x->shape.type == WEBNN_XLA_PRED) {
    return webnn_xla__fail(b, op, "PRED has no sum");
  }
  return webnn_xla__record_one(b, op, &x, 1, x->shape.type, x->shape.dimensions, NULL, 0);
}

/* ==============================================================================================
   4  programs

   A program is a list of steps. What passes from one to another is in slots, each a tensor; within
   a graph it is an operand.
   ============================================================================================== */

typedef struct webnn_xla__step webnn_xla__step;

typedef struct webnn_xla__slot {
  webnn_xla_type type;
  webnn_operand_descriptor descriptor;
  size_t count, byte_length; /* as the graph has it */
  webnn_tensor *tensor;
  bool is_parameter, is_constant; /* not to be changed by steps */
} webnn_xla__slot;

/* A tensor of a graph: its name there, and the slot. */
typedef struct webnn_xla__port {
  char name[16];
  uint32_t slot;
} webnn_xla__port;

struct webnn_xla__step {
  webnn_xla_step shown;
  bool (*run)(webnn_xla_program *p, webnn_xla__step *step, webnn_error *error);
  uint32_t *inputs, *outputs; /* slots of a host step */
  size_t input_count, output_count;
  webnn_xla__port *in_ports, *out_ports; /* of a graph */
  webnn_named_tensor *tensors;           /* room for both */
  size_t in_count, out_count;
  const void *options;
};

struct webnn_xla_program {
  webnn_context *context;
  webnn_extra__arena memory;
  webnn_xla_program *root; /* of which this is a part; or itself */
  webnn_xla_program_options options;
  uint64_t random; /* state of the root */
  webnn_xla__slot *slots;
  webnn_xla__step *steps;
  uint32_t *inputs, *outputs; /* slots */
  webnn_xla_shape *input_shapes, *output_shapes;
  size_t slot_count, slot_room, step_count, step_room, input_count, output_count;
};

static bool webnn_xla__error(webnn_error *error, webnn_status status, const char *place,
                             const char *format, ...) WEBNN_EXTRA__PRINTF(4, 5);
static bool webnn_xla__error(webnn_error *error, webnn_status status, const char *place,
                             const char *format, ...) {
  if (error) {
    va_list arguments;
    int used = 0;
    error->status = status;
    if (place && place[0]) {
      used = snprintf(error->message, sizeof error->message, "%s: ", place);
    }
    if (used >= 0 && (size_t)used < sizeof error->message) {
      va_start(arguments, format);
      vsnprintf(error->message + used, sizeof error->message - (size_t)used, format, arguments);
      va_end(arguments);
    }
  }
  return false;
}

static bool webnn_xla__out_of_memory(webnn_error *error) {
  return webnn_xla__error(error, WEBNN_UNKNOWN_ERROR, NULL, "out of memory");
}

/* ---- The elements of slots, on the host ------------------------------------------------------ */

/* A copy of a slot's elements, in the type of the graph; the caller frees it. NULL on failure. */
static void *webnn_xla__fetch(webnn_xla_program *p, uint32_t slot, webnn_error *error) {
  const webnn_xla__slot *s = &p->slots[slot];
  void *data = malloc(s->byte_length);
  if (!data) {
    webnn_xla__out_of_memory(error);
    return NULL;
  }
  if (webnn_read_tensor(p->context, s->tensor, data, s->byte_length, error) != WEBNN_OK) {
    free(data);
    return NULL;
  }
  return data;
}

static bool webnn_xla__store(webnn_xla_program *p, uint32_t slot, const void *data,
                             webnn_error *error) {
  const webnn_xla__slot *s = &p->slots[slot];
  return webnn_write_tensor(p->context, s->tensor, data, s->byte_length, error) == WEBNN_OK;
}

static bool webnn_xla__copy_slot(webnn_xla_program *from, uint32_t source, webnn_xla_program *to,
                                 uint32_t target, webnn_error *error) {
  void *data = webnn_xla__fetch(from, source, error);
  const bool done = data && webnn_xla__store(to, target, data, error);
  free(data);
  return done;
}

/* A result of a part becomes a slot of the program that it is part of. The part gets the slot's old
   tensor in its place, unless its own is needed there. */
static bool webnn_xla__take_result(webnn_xla_program *part, size_t output, webnn_xla_program *to,
                                   uint32_t target, webnn_error *error) {
  const uint32_t source = part->outputs[output];
  size_t i;
  bool alone = !part->slots[source].is_parameter && !part->slots[source].is_constant;
  for (i = 0; i < part->output_count; i++) {
    alone = alone && (i == output || part->outputs[i] != source);
  }
  if (alone) {
    webnn_tensor *tensor = part->slots[source].tensor;
    part->slots[source].tensor = to->slots[target].tensor;
    to->slots[target].tensor = tensor;
    return true;
  }
  return webnn_xla__copy_slot(part, source, to, target, error);
}

/* ---- Running --------------------------------------------------------------------------------- */

static uint64_t webnn_xla__now(void) {
#ifdef TIME_UTC
  struct timespec t;
  if (timespec_get(&t, TIME_UTC)) {
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
  }
#endif
  return (uint64_t)((double)clock() * (1e9 / CLOCKS_PER_SEC));
}

static bool webnn_xla__run_graph(webnn_xla_program *p, webnn_xla__step *step, webnn_error *error) {
  size_t i;
  for (i = 0; i < step->in_count + step->out_count; i++) {
    const webnn_xla__port *port =
        i < step->in_count ? &step->in_ports[i] : &step->out_ports[i - step->in_count];
    step->tensors[i].name = port->name;
    step->tensors[i].tensor = p->slots[port->slot].tensor;
  }
  return webnn_dispatch(p->context, step->shown.graph, step->tensors, step->in_count,
                        step->tensors + step->in_count, step->out_count, error) == WEBNN_OK;
}

static bool webnn_xla__execute(webnn_xla_program *p, webnn_error *error) {
  size_t i;
  for (i = 0; i < p->step_count; i++) {
    webnn_xla__step *step = &p->steps[i];
    const uint64_t start = webnn_xla__now();
    if (!step->run(p, step, error)) {
      return false;
    }
    step->shown.nanoseconds += webnn_xla__now() - start;
    step->shown.calls++;
  }
  return true;
}

/* Runs a part on slots of the program. Its parameters' tensors are these slots' own. */
static bool webnn_xla__run_part(webnn_xla_program *p, webnn_xla_program *part,
                                const uint32_t *arguments, webnn_error *error) {
  size_t i;
  for (i = 0; i < part->input_count; i++) {
    part->slots[part->inputs[i]].tensor = p->slots[arguments[i]].tensor;
  }
  return webnn_xla__execute(part, error);
}

/* A handle that is missing: it says nothing new where an error is known. */
static webnn_status webnn_xla__missing(webnn_error *error, const char *what) {
  if (error && error->status == WEBNN_OK) {
    webnn_xla__error(error, WEBNN_TYPE_ERROR, NULL, "%s is NULL", what);
  }
  return WEBNN_TYPE_ERROR;
}

/* Are there as many arrays as the program has inputs or outputs, each of the right size? */
static bool webnn_xla__check_arrays(const char *what, const webnn_xla_array *arrays, size_t count,
                                    const webnn_xla_shape *shapes, size_t expected,
                                    webnn_error *error) {
  size_t i;
  if (count != expected || (count && !arrays)) {
    return webnn_xla__error(error, WEBNN_TYPE_ERROR, NULL,
                            "the program has %lu %ss, but %lu are given", (unsigned long)expected,
                            what, arrays ? (unsigned long)count : 0);
  }
  for (i = 0; i < count; i++) {
    const size_t bytes = webnn_xla_byte_length(&shapes[i]);
    if (!arrays[i].data || arrays[i].byte_length != bytes) {
      return webnn_xla__error(
          error, WEBNN_TYPE_ERROR, NULL, "%s %lu is %s and has %lu bytes, but %lu are given", what,
          (unsigned long)i, webnn_xla__shape_text(&shapes[i]).text, (unsigned long)bytes,
          arrays[i].data ? (unsigned long)arrays[i].byte_length : 0);
    }
  }
  return true;
}

static bool webnn_xla__write_slot(webnn_xla_program *p, uint32_t slot, const void *data,
                                  webnn_error *error) {
  const webnn_xla__slot *s = &p->slots[slot];
  void *elements = malloc(s->byte_length);
  bool done = elements != NULL || webnn_xla__out_of_memory(error);
  if (done) {
    webnn_xla__to_graph_type(s->type, data, elements, s->count);
    done = webnn_xla__store(p, slot, elements, error);
  }
  free(elements);
  return done;
}

/* All outputs are fetched before the first is written. */
static bool webnn_xla__read_outputs(webnn_xla_program *p, webnn_xla_array *outputs,
                                    webnn_error *error) {
  void **elements = (void **)calloc(p->output_count + 1, sizeof *elements);
  bool done = elements != NULL || webnn_xla__out_of_memory(error);
  size_t i;
  for (i = 0; done && i < p->output_count; i++) {
    elements[i] = webnn_xla__fetch(p, p->outputs[i], error);
    done = elements[i] != NULL;
  }
  for (i = 0; elements && i < p->output_count; i++) {
    if (done) {
      webnn_xla__from_graph_type(p->output_shapes[i].type, elements[i], outputs[i].data,
                                 p->slots[p->outputs[i]].count);
    }
    free(elements[i]);
  }
  free(elements);
  return done;
}

WEBNN_XLA_API webnn_status webnn_xla_run(webnn_xla_program *program, const webnn_xla_array *inputs,
                                         size_t input_count, webnn_xla_array *outputs,
                                         size_t output_count, webnn_error *error) {
  webnn_error own;
  size_t i;
  bool done;
  memset(&own, 0, sizeof own);
  if (!program) {
    return webnn_xla__missing(error, "the program");
  }
  done = webnn_xla__check_arrays("input", inputs, input_count, program->input_shapes,
                                 program->input_count, &own) &&
         webnn_xla__check_arrays("output", outputs, output_count, program->output_shapes,
                                 program->output_count, &own);
  for (i = 0; done && i < input_count; i++) {
    done = webnn_xla__write_slot(program, program->inputs[i], inputs[i].data, &own);
  }
  done =
      done && webnn_xla__execute(program, &own) && webnn_xla__read_outputs(program, outputs, &own);
  if (!done && error) {
    *error = own;
  }
  return done ? WEBNN_OK : own.status;
}

static size_t webnn_xla__show_arrays(const webnn_xla_shape *shapes, size_t count,
                                     webnn_xla_array *arrays, size_t capacity) {
  size_t i;
  for (i = 0; i < count && i < capacity && arrays; i++) {
    arrays[i].shape = shapes[i];
    arrays[i].data = NULL;
    arrays[i].byte_length = webnn_xla_byte_length(&shapes[i]);
  }
  return count;
}

WEBNN_XLA_API size_t webnn_xla_program_inputs(const webnn_xla_program *program,
                                              webnn_xla_array *inputs, size_t capacity) {
  return program
             ? webnn_xla__show_arrays(program->input_shapes, program->input_count, inputs, capacity)
             : 0;
}

WEBNN_XLA_API size_t webnn_xla_program_outputs(const webnn_xla_program *program,
                                               webnn_xla_array *outputs, size_t capacity) {
  return program ? webnn_xla__show_arrays(program->output_shapes, program->output_count, outputs,
                                          capacity)
                 : 0;
}

WEBNN_XLA_API uint32_t webnn_xla_input_slot(const webnn_xla_program *program, size_t index) {
  return program && index < program->input_count ? program->inputs[index] : UINT32_MAX;
}

WEBNN_XLA_API uint32_t webnn_xla_output_slot(const webnn_xla_program *program, size_t index) {
  return program && index < program->output_count ? program->outputs[index] : UINT32_MAX;
}

WEBNN_XLA_API size_t webnn_xla_steps(const webnn_xla_program *program, webnn_xla_step *steps,
                                     size_t capacity) {
  size_t i;
  for (i = 0; program && i < program->step_count && i < capacity && steps; i++) {
    steps[i] = program->steps[i].shown;
  }
  return program ? program->step_count : 0;
}

WEBNN_XLA_API const char *webnn_xla_step_kind_name(webnn_xla_step_kind kind) {
  static const char *const names[] = {"graph", "loop",   "conditional", "sort",
                                      "bits",  "random", "call",        "unknown"};
  return names[kind >= WEBNN_XLA_STEP_GRAPH && kind < WEBNN_XLA_STEP_KIND_COUNT
                   ? kind
                   : WEBNN_XLA_STEP_KIND_COUNT];
}

static void webnn_xla__add_counts(const webnn_xla_program *program,
                                  size_t counts[WEBNN_XLA_STEP_KIND_COUNT]) {
  size_t i, k;
  for (i = 0; program && i < program->step_count; i++) {
    const webnn_xla_step *step = &program->steps[i].shown;
    counts[step->kind]++;
    webnn_xla__add_counts(step->parts[0], counts);
    webnn_xla__add_counts(step->parts[1], counts);
    for (k = 0; k < step->branch_count; k++) {
      webnn_xla__add_counts(step->branches[k], counts);
    }
  }
}

WEBNN_XLA_API void webnn_xla_count_steps(const webnn_xla_program *program,
                                         size_t counts[WEBNN_XLA_STEP_KIND_COUNT]) {
  memset(counts, 0, WEBNN_XLA_STEP_KIND_COUNT * sizeof counts[0]);
  webnn_xla__add_counts(program, counts);
}

WEBNN_XLA_API void webnn_xla_free_program(webnn_xla_program *program) {
  size_t i, k;
  if (!program) {
    return;
  }
  for (i = 0; i < program->step_count; i++) {
    const webnn_xla_step *step = &program->steps[i].shown;
    webnn_free_graph(step->graph);
    webnn_xla_free_program(step->parts[0]);
    webnn_xla_free_program(step->parts[1]);
    for (k = 0; k < step->branch_count; k++) {
      webnn_xla_free_program(step->branches[k]);
    }
  }
  for (i = 0; i < program->slot_count; i++) {
    const bool borrowed = program->slots[i].is_parameter && program->root != program;
    webnn_free_tensor(borrowed ? NULL : program->slots[i].tensor);
  }
  webnn_extra__free_arena(&program->memory);
  free(program);
}

/* ==============================================================================================
   5  lowering

   Each value of a computation becomes a `webnn_xla__array`: an operand of a graph, a slot, a
   constant, or several of these, whatever has been asked for. A host step's results exist from the
   stage on that follows the latest of its arguments; graph operators belong to the latest stage of
   their operands. There is one builder for each stage. What an operator needs of an earlier stage
   becomes an output there and an input here, through a slot.
   ============================================================================================== */

typedef struct webnn_xla__place {
  uint32_t stage;
  webnn_operand *operand;
  struct webnn_xla__place *next;
} webnn_xla__place;

typedef struct webnn_xla__array {
  webnn_xla_type type;
  webnn_list shape;
  uint32_t stage;                    /* the first in which it exists */
  const webnn_xla__literal *literal; /* of a constant, which exists in all */
  webnn_xla__place *places;          /* operands, which may have 1 where the array repeats itself,
                                         or no dimensions if all its elements are equal */
  uint32_t slot;                     /* its number + 1; 0: none */
} webnn_xla__array;

/* An operand that is an input or output of a stage's graph, and its slot. */
typedef struct webnn_xla__passage {
  webnn_operand *operand;
  uint32_t slot;
} webnn_xla__passage;

typedef struct webnn_xla__stage {
  webnn_builder *builder;
  webnn_xla__passage *in, *out, *constants; /* these without slots */
  size_t in_count, in_room, out_count, out_room, constant_count, constant_room;
  webnn_xla__step *steps; /* of the host, after the graph */
  size_t step_count, step_room;
} webnn_xla__stage;

typedef struct webnn_xla__lowering {
  webnn_xla_program *program;
  webnn_extra__arena memory; /* of what is needed only now */
  webnn_error *error;
  const char *place; /* of the instruction */
  const char *name;
  webnn_xla__stage *stages;
  size_t stage_count, stage_room;
  uint32_t stage; /* where operators go now */
  webnn_builder *b;
  webnn_operator_options options; /* the label */
  uint32_t effects;               /* the stage of the latest step with an effect */
  webnn_list batch;               /* given: scalars stand for arrays of this shape */
  size_t budget;                  /* how many instructions may still be lowered */
  uint64_t most_bytes;            /* of a tensor in the context */
} webnn_xla__lowering;

/* An array that does not exist because of an error is NULL; functions pass it on. */
typedef webnn_xla__array *webnn_xla__handle;

static webnn_xla__handle webnn_xla__refuse(webnn_xla__lowering *l, const char *format, ...)
    WEBNN_EXTRA__PRINTF(2, 3);
static webnn_xla__handle webnn_xla__refuse(webnn_xla__lowering *l, const char *format, ...) {
  va_list arguments;
  char text[sizeof l->error->message];
  if (l->error->status == WEBNN_OK) {
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    webnn_xla__error(l->error, WEBNN_NOT_SUPPORTED_ERROR, l->place, "%s: %s", l->name, text);
  }
  return NULL;
}

static void *webnn_xla__temporary(webnn_xla__lowering *l, size_t size) {
  void *memory = webnn_extra__take(&l->memory, size, 1);
  if (!memory) {
    webnn_xla__out_of_memory(l->error);
  }
  return memory;
}

/* Memory that stays with the program. */
static void *webnn_xla__lasting(webnn_xla__lowering *l, const void *data, size_t size) {
  void *memory = webnn_extra__take(&l->program->memory, size + 1, 1);
  if (!memory) {
    webnn_xla__out_of_memory(l->error);
  } else if (data) {
    memcpy(memory, data, size);
  }
  return memory;
}

/* An array with room for one more item, twice as large where it was full. */
static void *webnn_xla__grown(webnn_extra__arena *arena, void *items, size_t count, size_t *room,
                              size_t size) {
  void *larger;
  if (count < *room) {
    return items;
  }
  larger = webnn_extra__take(arena, (*room ? 2 * *room : 8) * size, 1);
  if (larger) {
    if (count) {
      memcpy(larger, items, count * size);
    }
    *room = *room ? 2 * *room : 8;
  }
  return larger;
}

/* ---- Stages ---------------------------------------------------------------------------------- */

static webnn_xla__stage *webnn_xla__stage_at(webnn_xla__lowering *l, uint32_t stage) {
  while (l->stage_count <= stage) {
    webnn_xla__stage *stages = (webnn_xla__stage *)webnn_xla__grown(
        &l->memory, l->stages, l->stage_count, &l->stage_room, sizeof *stages);
    if (!stages) {
      webnn_xla__out_of_memory(l->error);
      return NULL;
    }
    l->stages = stages;
    memset(&stages[l->stage_count], 0, sizeof *stages);
    if (webnn_create_builder(l->program->context, &stages[l->stage_count].builder, l->error) !=
        WEBNN_OK) {
      return NULL;
    }
    l->stage_count++;
  }
  return &l->stages[stage];
}

/* Operators go to this stage from now on. */
static bool webnn_xla__enter(webnn_xla__lowering *l, uint32_t stage) {
  webnn_xla__stage *s = webnn_xla__stage_at(l, stage);
  l->stage = stage;
  l->b = s ? s->builder : NULL;
  l->options.label = l->place;
  return s != NULL;
}

static uint32_t webnn_xla__later(uint32_t stage, const webnn_xla__array *x) {
  return !x || x->literal || x->stage < stage ? stage : x->stage;
}

/* ... to the first stage that has all of these; false if one is NULL. */
static bool webnn_xla__meet(webnn_xla__lowering *l, webnn_xla__handle const *arrays, size_t count) {
  uint32_t stage = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    if (!arrays[i]) {
      return false;
    }
    stage = webnn_xla__later(stage, arrays[i]);
  }
  return l->error->status == WEBNN_OK && webnn_xla__enter(l, stage);
}

static uint32_t webnn_xla__new_slot(webnn_xla__lowering *l, webnn_xla_type type, webnn_list shape) {
  webnn_xla_program *p = l->program;
  webnn_xla__slot *slots = (webnn_xla__slot *)webnn_xla__grown(&p->memory, p->slots, p->slot_count,
                                                               &p->slot_room, sizeof *slots);
  webnn_xla__slot *s;
  if (!slots) {
    webnn_xla__out_of_memory(l->error);
    return 0;
  }
  p->slots = slots;
  s = &slots[p->slot_count++];
  memset(s, 0, sizeof *s);
  s->type = type;
  s->descriptor.data_type = webnn_xla__graph_type(type);
  s->descriptor.shape = shape;
  s->descriptor.shape.given = true;
  s->count = webnn_xla__count(shape);
  s->byte_length = s->count * webnn_xla__graph_bytes(type);
  return (uint32_t)p->slot_count; /* the number + 1 */
}

static bool webnn_xla__create_tensor(webnn_xla__lowering *l, webnn_xla__slot *slot) {
  webnn_tensor_descriptor d;
  d.data_type = slot->descriptor.data_type;
  d.shape = slot->descriptor.shape;
  d.readable = d.writable = true;
  return webnn_create_tensor(l->program->context, d, &slot->tensor, l->error) == WEBNN_OK;
}

static webnn_xla__handle webnn_xla__new_array(webnn_xla__lowering *l, webnn_xla_type type,
                                              webnn_list shape, uint32_t stage) {
  const size_t count = webnn_xla__count(shape);
  webnn_xla__handle x;
  if (count == 0 || (uint64_t)count * webnn_xla__graph_bytes(type) > l->most_bytes) {
    return webnn_xla__refuse(l, "%s has more bytes than the context allows",
                             webnn_xla__list_text(shape).text);
  }
  x = (webnn_xla__handle)webnn_xla__temporary(l, sizeof *x);
  if (x) {
    x->type = type;
    x->shape = shape;
    x->shape.given = true;
    x->stage = stage;
  }
  return x;
}

static bool webnn_xla__put_place(webnn_xla__lowering *l, webnn_xla__handle x, uint32_t stage,
                                 webnn_operand *operand) {
  webnn_xla__place *place;
  if (!operand) {
    if (l->error->status == WEBNN_OK) {
      const webnn_builder *b = l->stages[stage].builder;
      webnn_xla__error(l->error, webnn_builder_status(b), l->place, "%s: %s", l->name,
                       webnn_builder_message(b));
    }
    return false;
  }
  place = (webnn_xla__place *)webnn_xla__temporary(l, sizeof *place);
  if (place) {
    place->stage = stage;
    place->operand = operand;
    place->next = x->places;
    x->places = place;
  }
  return place != NULL;
}

/* The array that an operator of the present stage has made. */
static webnn_xla__handle webnn_xla__made(webnn_xla__lowering *l, webnn_xla_type type,
                                         webnn_list shape, webnn_operand *operand) {
  webnn_xla__handle x = webnn_xla__new_array(l, type, shape, l->stage);
  return x && webnn_xla__put_place(l, x, l->stage, operand) ? x : NULL;
}

static webnn_operand *webnn_xla__find_place(const webnn_xla__array *x, uint32_t stage) {
  const webnn_xla__place *place = x->places;
  while (place && place->stage != stage) {
    place = place->next;
  }
  return place ? place->operand : NULL;
}

static webnn_operand *webnn_xla__expanded(webnn_xla__lowering *l, webnn_operand *operand,
                                          webnn_list shape) {
  return !operand || webnn_extra__same_list(webnn_operand_shape(operand), shape)
             ? operand
             : webnn_expand(l->b, operand, shape, &l->options);
}

static bool webnn_xla__write_literal(webnn_xla__lowering *l, webnn_xla__slot *slot,
                                     const webnn_xla__literal *literal) {
  const size_t size = slot->byte_length / slot->count;
  char *elements;
  size_t i;
  bool written;
  if (!literal->splat) {
    return webnn_write_tensor(l->program->context, slot->tensor, literal->data, slot->byte_length,
                              l->error) == WEBNN_OK;
  }
  elements = (char *)malloc(slot->byte_length);
  if (!elements) {
    return webnn_xla__out_of_memory(l->error);
  }
  for (i = 0; i < slot->count; i++) {
    memcpy(elements + i * size, literal->data, size);
  }
  written = webnn_write_tensor(l->program->context, slot->tensor, elements, slot->byte_length,
                               l->error) == WEBNN_OK;
  free(elements);
  return written;
}

static bool webnn_xla__add_passage(webnn_xla__lowering *l, webnn_xla__passage **list, size_t *count,
                                   size_t *room, webnn_operand *operand, uint32_t slot) {
  webnn_xla__passage *grown =
      (webnn_xla__passage *)webnn_xla__grown(&l->memory, *list, *count, room, sizeof *grown);
  if (!grown) {
    return webnn_xla__out_of_memory(l->error);
  }
  grown[*count].operand = operand;
  grown[(*count)++].slot = slot;
  *list = grown;
  return true;
}

static bool webnn_xla__is_passage(const webnn_xla__passage *list, size_t count,
                                  const webnn_operand *operand) {
  size_t i;
  for (i = 0; i < count; i++) {
    if (list[i].operand == operand) {
      return true;
    }
  }
  return false;
}

/* Makes the array an output of the graph in which it was computed. An operand can be an output
   once, and inputs and constants cannot: a copy is. */
static bool webnn_xla__put_out(webnn_xla__lowering *l, webnn_xla__handle x) {
  webnn_xla__stage *s;
  webnn_operand *operand;
  if (!webnn_xla__enter(l, x->stage)) {
    return false;
  }
  s = &l->stages[x->stage];
  operand = webnn_xla__expanded(l, webnn_xla__find_place(x, x->stage), x->shape);
  if (webnn_xla__is_passage(s->in, s->in_count, operand) ||
      webnn_xla__is_passage(s->constants, s->constant_count, operand) ||
      webnn_xla__is_passage(s->out, s->out_count, operand)) {
    operand = webnn_identity(l->b, operand, &l->options);
  }
  return webnn_xla__put_place(l, x, x->stage, operand) &&
         webnn_xla__add_passage(l, &s->out, &s->out_count, &s->out_room, operand, x->slot - 1);
}

/* The number of the slot that holds the whole array, + 1; 0 on error. */
static uint32_t webnn_xla__slot_of(webnn_xla__lowering *l, webnn_xla__handle x) {
  const uint32_t stage = l->stage;
  if (!x || x->slot) {
    return x ? x->slot : 0;
  }
  x->slot = webnn_xla__new_slot(l, x->type, x->shape);
  if (!x->slot || !webnn_xla__create_tensor(l, &l->program->slots[x->slot - 1])) {
    return 0;
  }
  if (x->literal) {
    webnn_xla__slot *slot = &l->program->slots[x->slot - 1];
    slot->is_constant = true;
    return webnn_xla__write_literal(l, slot, x->literal) ? x->slot : 0;
  }
  return webnn_xla__put_out(l, x) && webnn_xla__enter(l, stage) ? x->slot : 0;
}

/* ---- Operands -------------------------------------------------------------------------------- */

static webnn_operand *webnn_xla__constant_operand(webnn_xla__lowering *l,
                                                  const webnn_xla__array *x) {
  webnn_xla__stage *s = &l->stages[l->stage];
  webnn_operand_descriptor d;
  webnn_operand *operand;
  d.data_type = webnn_xla__graph_type(x->type);
  d.shape = x->literal->splat ? webnn_extra__no_items() : x->shape;
  operand = webnn_constant(l->b, d, x->literal->data,
                           webnn_xla__count(d.shape) * webnn_xla__graph_bytes(x->type));
  return operand && webnn_xla__add_passage(l, &s->constants, &s->constant_count, &s->constant_room,
                                           operand, 0)
             ? operand
             : NULL;
}

/* A value of an earlier stage, as an input of the present one. */
static webnn_operand *webnn_xla__input_operand(webnn_xla__lowering *l, webnn_xla__handle x) {
  const uint32_t slot = webnn_xla__slot_of(l, x);
  webnn_xla__stage *s = &l->stages[l->stage];
  webnn_operand_descriptor d;
  webnn_operand *operand;
  char name[16];
  if (!slot) {
    return NULL;
  }
  d = l->program->slots[slot - 1].descriptor;
  snprintf(name, sizeof name, "s%lu", (unsigned long)slot - 1);
  operand = webnn_input(l->b, name, d);
  return operand && webnn_xla__add_passage(l, &s->in, &s->in_count, &s->in_room, operand, slot - 1)
             ? operand
             : NULL;
}

/* The array in the present stage, as it is held: with 1 where it repeats itself, or as a scalar. */
static webnn_operand *webnn_xla__held(webnn_xla__lowering *l, webnn_xla__handle x) {
  webnn_operand *operand;
  if (!x) {
    return NULL;
  }
  operand = webnn_xla__find_place(x, l->stage);
  if (!operand) {
    operand = x->literal ? webnn_xla__constant_operand(l, x) : webnn_xla__input_operand(l, x);
    if (!webnn_xla__put_place(l, x, l->stage, operand)) {
      return NULL;
    }
  }
  return operand;
}

/* ... with all its dimensions. */
static webnn_operand *webnn_xla__whole(webnn_xla__lowering *l, webnn_xla__handle x) {
  webnn_operand *operand = webnn_xla__held(l, x);
  return operand ? webnn_xla__expanded(l, operand, x->shape) : NULL;
}

/* The array as it is held, in the first stage from the present one on that has it; NULL after a
   failure, which goes through operators. */
static webnn_operand *webnn_xla__reach(webnn_xla__lowering *l, webnn_xla__handle x) {
  return webnn_xla__meet(l, &x, 1) ? webnn_xla__held(l, x) : NULL;
}

/* Its shape; that of a scalar after a failure. */
static webnn_list webnn_xla__sizes(const webnn_xla__array *x) {
  return x ? x->shape : webnn_extra__no_items();
}

/* ---- Steps of the host ----------------------------------------------------------------------- */

typedef bool (*webnn_xla__host_function)(webnn_xla_program *p, webnn_xla__step *step,
                                         webnn_error *error);

/* Adds a step that computes `results`, whose types and shapes are given, and which exist from the
   next stage on. Steps with an effect keep their order. The step, for what else it needs; it is
   valid until the next one is added. */
static webnn_xla__step *webnn_xla__add_step(webnn_xla__lowering *l, webnn_xla_step_kind kind,
                                            webnn_xla__host_function run,
                                            webnn_xla__handle const *arguments,
                                            size_t argument_count, webnn_xla__handle *results,
                                            size_t result_count, bool has_effect) {
  webnn_xla__stage *s;
  webnn_xla__step step, *steps;
  uint32_t stage = has_effect ? l->effects : 0;
  size_t i;
  memset(&step, 0, sizeof step);
  step.run = run;
  step.shown.kind = kind;
  step.shown.name = (const char *)webnn_xla__lasting(l, l->name, strlen(l->name));
  step.shown.place = (const char *)webnn_xla__lasting(l, l->place, strlen(l->place));
  step.input_count = argument_count;
  step.output_count = result_count;
  step.inputs = (uint32_t *)webnn_xla__lasting(l, NULL, argument_count * sizeof *step.inputs);
  step.outputs = (uint32_t *)webnn_xla__lasting(l, NULL, result_count * sizeof *step.outputs);
  if (!step.shown.name || !step.shown.place || !step.inputs || !step.outputs) {
    return NULL;
  }
  for (i = 0; i < argument_count; i++) {
    const uint32_t slot = webnn_xla__slot_of(l, arguments[i]);
    if (!slot) {
      return NULL;
    }
    step.inputs[i] = slot - 1;
    stage = webnn_xla__later(stage, arguments[i]);
  }
  for (i = 0; i < result_count; i++) {
    webnn_xla__handle r = results[i];
    if (!r || !(r->slot = webnn_xla__new_slot(l, r->type, r->shape)) ||
        !webnn_xla__create_tensor(l, &l->program->slots[r->slot - 1])) {
      return NULL;
    }
    r->stage = stage + 1;
    step.outputs[i] = r->slot - 1;
  }
  if (has_effect) {
    l->effects = stage;
  }
  s = webnn_xla__stage_at(l, stage);
  steps = s ? (webnn_xla__step *)webnn_xla__grown(&l->memory, s->steps, s->step_count,
                                                  &s->step_room, sizeof *steps)
            : NULL;
  if (!steps) {
    webnn_xla__out_of_memory(l->error);
    return NULL;
  }
  s->steps = steps;
  steps[s->step_count] = step;
  return &steps[s->step_count++];
}

/* ---- Constants, and arrays over other arrays' elements --------------------------------------- */

/* A constant whose elements, of the graph type, are copied: all of them, or one for a splat. */
static webnn_xla__handle webnn_xla__lower_constant(webnn_xla__lowering *l, webnn_xla_type type,
                                                   webnn_list shape, const void *elements,
                                                   bool splat) {
  const size_t count = splat ? 1 : webnn_xla__count(shape);
  webnn_xla__handle x = webnn_xla__new_array(l, type, shape, 0);
  webnn_xla__literal *literal = (webnn_xla__literal *)webnn_xla__temporary(l, sizeof *literal);
  void *copy = webnn_xla__temporary(l, count * webnn_xla__graph_bytes(type));
  if (!x || !literal || !copy) {
    return NULL;
  }
  memcpy(copy, elements, count * webnn_xla__graph_bytes(type));
  literal->data = copy;
  literal->splat = splat;
  x->literal = literal;
  return x;
}

/* A scalar. */
static webnn_xla__handle webnn_xla__lower_number(webnn_xla__lowering *l, webnn_xla_type type,
                                                 double number) {
  uint8_t element[8], graph_element[8];
  webnn_xla__set_number(type, number, element);
  webnn_xla__to_graph_type(type, element, graph_element, 1);
  return webnn_xla__lower_constant(l, type, webnn_extra__no_items(), graph_element, true);
}

/* Integers of type S32, S64 or U32 as a constant. */
static webnn_xla__handle webnn_xla__lower_integers(webnn_xla__lowering *l, webnn_xla_type type,
                                                   webnn_list shape, const int64_t *integers) {
  const size_t count = webnn_xla__count(shape), size = webnn_xla__graph_bytes(type);
  uint8_t *elements = (uint8_t *)webnn_xla__temporary(l, count * size);
  size_t i;
  if (!elements) {
    return NULL;
  }
  for (i = 0; i < count; i++) {
    const uint32_t word = (uint32_t)integers[i];
    memcpy(elements + i * size, size == 8 ? (const void *)&integers[i] : (const void *)&word, size);
  }
  return webnn_xla__lower_constant(l, type, shape, elements, false);
}

/* x as another type of its graph type, or in another shape of its memory: the operand stays. */
static webnn_xla__handle webnn_xla__relabel(webnn_xla__lowering *l, webnn_xla__handle x,
                                            webnn_xla_type type, webnn_list shape) {
  if (!x || (type == x->type && webnn_extra__same_list(shape, x->shape))) {
    return x;
  }
  if (x->literal && (x->literal->splat || webnn_xla__count(shape) == webnn_xla__count(x->shape))) {
    webnn_xla__handle y = webnn_xla__new_array(l, type, shape, 0);
    if (y) {
      y->literal = x->literal;
    }
    return y;
  }
  return webnn_xla__made(l, type, shape, webnn_xla__reach(l, x));
}

/* ---- Element by element ---------------------------------------------------------------------- */

/* For the functions of webnn_extra.h. */
static webnn_extra webnn_xla__extra(const webnn_xla__lowering *l) {
  webnn_extra e;
  e.builder = l->b;
  e.label = l->options.label;
  return e;
}

typedef webnn_operand *(*webnn_xla__unary_method)(webnn_builder *, webnn_operand *,
                                                  const webnn_operator_options *);
typedef webnn_operand *(*webnn_xla__binary_method)(webnn_builder *, webnn_operand *,
                                                   webnn_operand *, const webnn_operator_options *);

static webnn_xla__handle webnn_xla__apply1(webnn_xla__lowering *l, webnn_xla__unary_method method,
                                           webnn_xla_type type, webnn_xla__handle x) {
  webnn_operand *operand = webnn_xla__reach(l, x);
  return webnn_xla__made(l, type, webnn_xla__sizes(x), method(l->b, operand, &l->options));
}

/* The shape of what two arrays give element by element. */
static webnn_list webnn_xla__common(const webnn_xla__array *x, const webnn_xla__array *y) {
  webnn_list sizes;
  if (x->shape.count == 0) {
    return y->shape;
  }
  if (y->shape.count == 0 || !webnn_xla__stretched(x->shape, y->shape, &sizes)) {
    return x->shape;
  }
  return sizes;
}

static webnn_xla__handle webnn_xla__apply2(webnn_xla__lowering *l, webnn_xla__binary_method method,
                                           webnn_xla_type type, webnn_xla__handle x,
                                           webnn_xla__handle y) {
  webnn_xla__handle both[] = {x, y};
  if (!webnn_xla__meet(l, both, 2)) {
    return NULL;
  }
  return webnn_xla__made(l, type, webnn_xla__common(x, y),
                         method(l->b, webnn_xla__held(l, x), webnn_xla__held(l, y), &l->options));
}

static webnn_xla__handle webnn_xla__lower_select(webnn_xla__lowering *l, webnn_xla__handle pred,
                                                 webnn_xla__handle x, webnn_xla__handle y) {
  webnn_xla__handle all[] = {pred, x, y};
  webnn_xla__array shape;

  if (!webnn_xla__meet(l, all, 3)) {
    return NULL;
  }

  memset(&shape, 0, sizeof shape);
  shape.shape = webnn_xla__common(x, y);
  return webnn_xla__made(l, x->type, webnn_xla__common(pred, &shape),
                         webnn_where(l->b, webnn_xla__held(l, pred), webnn_xla__held(l, x),
                                     webnn_xla__held(l, y), &l->options));
}

static webnn_xla__handle webnn_xla__lower_binary(webnn_xla__lowering *l, webnn_xla_operation op,
                                                 webnn_xla__handle x, webnn_xla__handle y);
static webnn_xla__handle webnn_xla__lower_unary(webnn_xla__lowering *l, webnn_xla_operation op,
                                                webnn_xla__handle x);

/* x op number */
static webnn_xla__handle webnn_xla__lower_by(webnn_xla__lowering *l, webnn_xla_operation op,
                                             webnn_xla__handle x, double number) {
  return x ? webnn_xla__lower_binary(l, op, x, webnn_xla__lower_number(l, x->type, number)) : NULL;
}

/* The graph type's elements converted. */
static webnn_xla__handle webnn_xla__cast(webnn_xla__lowering *l, webnn_xla__handle x,
                                         webnn_xla_type type) {
  webnn_operand *operand = webnn_xla__reach(l, x);
  if (x && webnn_xla__graph_type(type) == webnn_xla__graph_type(x->type)) {
    return webnn_xla__relabel(l, x, type, x->shape);
  }
  return webnn_xla__made(l, type, webnn_xla__sizes(x),
                         webnn_cast(l->b, operand, webnn_xla__graph_type(type), &l->options));
}

/* Brings what an operation has left in a graph type into the range of its type: integers wrap,
   floats are rounded. Nothing to do where WebNN has the type. */
static webnn_xla__handle webnn_xla__settle(webnn_xla__lowering *l, webnn_xla__handle x);
/* Another type as one that WebNN lacks. */
static webnn_xla__handle webnn_xla__convert_widened(webnn_xla__lowering *l, webnn_xla__handle x,
                                                    webnn_xla_type type);

static webnn_xla__handle webnn_xla__lower_convert(webnn_xla__lowering *l, webnn_xla__handle x,
                                                  webnn_xla_type type) {
  if (!x || x->type == type) {
    return x;
  }
  if (type == WEBNN_XLA_PRED) {
    return webnn_xla__apply2(l, webnn_not_equal, type, x, webnn_xla__lower_number(l, x->type, 0));
  }
  return webnn_xla__type_of(type)->is_widened ? webnn_xla__convert_widened(l, x, type)
                                              : webnn_xla__cast(l, x, type);
}

/* ---- Moving elements ------------------------------------------------------------------------- */

static webnn_xla__handle webnn_xla__lower_reshape(webnn_xla__lowering *l, webnn_xla__handle x,
                                                  webnn_list sizes) {
  if (!webnn_xla__meet(l, &x, 1)) {
    return NULL;
  }
  if (webnn_extra__same_list(x->shape, sizes)) {
    return x;
  }
  if (x->literal || webnn_operand_shape(webnn_xla__held(l, x)).count == 0) {
    return webnn_xla__relabel(l, x, x->type, sizes); /* constant, or all elements are equal */
  }
  return webnn_xla__made(l, x->type, sizes,
                         webnn_reshape(l->b, webnn_xla__whole(l, x), sizes, &l->options));
}

/* Dimension i becomes dimension dims[i]; sizes of 1 repeat. Nothing is computed until an operator
   needs all elements. */
static webnn_xla__handle webnn_xla__lower_broadcast(webnn_xla__lowering *l, webnn_xla__handle x,
                                                    webnn_list sizes, webnn_list dims) {
  webnn_list placed = webnn_extra__repeat(1, sizes.count), order = webnn_extra__no_items();
  uint32_t i;
  if (!webnn_xla__meet(l, &x, 1)) {
    return NULL;
  }
  if (x->shape.count == 0) {
    return webnn_xla__relabel(l, x, x->type, sizes);
  }
  for (i = 0; i < dims.count; i++) {
    placed.items[dims.items[i]] = x->shape.items[i];
  }
  for (i = 0; i < sizes.count; i++) {
    if (webnn_xla__contains(dims, i)) {
      webnn_extra__append(&order, webnn_xla__position(dims, i));
    }
  }
  if (!webnn_xla__is_increasing(order)) {
    webnn_transpose_options o = WEBNN_ZERO;
    o.label = l->place;
    o.permutation = order;
    x = webnn_xla__made(l, x->type, webnn_xla__picked(x->shape, order),
                        webnn_transpose(l->b, webnn_xla__whole(l, x), &o));
  }
  x = webnn_xla__lower_reshape(l, x, placed);
  if (!x || webnn_extra__same_list(placed, sizes)) {
    return x;
  }
  return x->literal && !x->literal->splat
             ? webnn_xla__made(l, x->type, sizes, webnn_xla__held(l, x))
             : webnn_xla__relabel(l, x, x->type, sizes);
}

static webnn_xla__handle webnn_xla__lower_transpose(webnn_xla__lowering *l, webnn_xla__handle x,
                                                    webnn_list permutation) {
  webnn_transpose_options o = WEBNN_ZERO;
  if (!webnn_xla__meet(l, &x, 1) || webnn_xla__is_increasing(permutation)) {
    return x;
  }
  o.label = l->place;
  o.permutation = permutation;
  return webnn_xla__made(l, x->type, webnn_xla__picked(x->shape, permutation),
                         webnn_transpose(l->b, webnn_xla__whole(l, x), &o));
}

static webnn_xla__handle webnn_xla__lower_reverse(webnn_xla__lowering *l, webnn_xla__handle x,
                                                  webnn_list dims) {
  webnn_reverse_options o = WEBNN_ZERO;
  if (!webnn_xla__meet(l, &x, 1) || dims.count == 0) {
    return x;
  }
  o.label = l->place;
  o.axes = dims;
  return webnn_xla__made(l, x->type, x->shape, webnn_reverse(l->b, webnn_xla__whole(l, x), &o));
}

/* From starts on below limits. */
static webnn_xla__handle webnn_xla__lower_slice(webnn_xla__lowering *l, webnn_xla__handle x,
                                                webnn_list starts, webnn_list limits,
                                                webnn_list strides) {
  webnn_slice_options o = WEBNN_ZERO;
  webnn_list sizes = webnn_extra__no_items(), counts = webnn_extra__no_items();
  uint32_t i;
  if (!webnn_xla__meet(l, &x, 1)) {
    return NULL;
  }
  o.label = l->place;
  o.strides = webnn_xla__or_ones(strides, x->shape.count);
  for (i = 0; i < x->shape.count && i < WEBNN_MAX_RANK; i++) {
    webnn_extra__append(&sizes, limits.items[i] - starts.items[i]);
    webnn_extra__append(&counts, (sizes.items[i] - 1) / o.strides.items[i] + 1);
  }
  if (webnn_extra__same_list(counts, x->shape)) {
    return x;
  }
  return webnn_xla__made(l, x->type, counts,
                         webnn_slice(l->b, webnn_xla__whole(l, x), starts, sizes, &o));
}

/* start ... limit - 1 along one dimension */
static webnn_xla__handle webnn_xla__lower_part(webnn_xla__lowering *l, webnn_xla__handle x,
                                               uint32_t dimension, uint32_t start, uint32_t limit) {
  webnn_list starts, limits;
  if (!x) {
    return NULL;
  }
  starts = webnn_extra__repeat(0, x->shape.count);
  limits = x->shape;
  starts.items[dimension] = start;
  limits.items[dimension] = limit;
  return webnn_xla__lower_slice(l, x, starts, limits, webnn_xla__not_given());
}

static webnn_xla__handle webnn_xla__lower_concatenate(webnn_xla__lowering *l,
                                                      webnn_xla__handle const *arrays, size_t count,
                                                      uint32_t dimension) {
  webnn_operand **operands =
      (webnn_operand **)webnn_xla__temporary(l, count * sizeof(webnn_operand *));
  webnn_list sizes;
  size_t i;
  if (!operands || !webnn_xla__meet(l, arrays, count)) {
    return NULL;
  }
  if (count == 1) {
    return arrays[0];
  }
  sizes = arrays[0]->shape;
  sizes.items[dimension] = 0;
  for (i = 0; i < count; i++) {
    operands[i] = webnn_xla__whole(l, arrays[i]);
    sizes.items[dimension] += arrays[i]->shape.items[dimension];
    if (!operands[i]) {
      return webnn_xla__made(l, arrays[i]->type, sizes, NULL);
    }
  }
  return webnn_xla__made(l, arrays[0]->type, sizes,
                         webnn_concat(l->b, operands, count, dimension, &l->options));
}

/* n elements `fill` behind each one along a dimension, but the last: a new dimension is padded. */
static webnn_xla__handle webnn_xla__pad_between(webnn_xla__lowering *l, webnn_xla__handle x,
                                                uint32_t dimension, uint32_t n,
                                                const webnn_pad_options *fill) {
  const webnn_list shape = x->shape;
  const uint32_t size = shape.items[dimension];
  webnn_list flat = webnn_extra__no_items(), low = webnn_extra__repeat(0, 4), high = low;
  webnn_list spread = shape, limits;
  uint32_t i, before = 1, behind = 1;
  webnn_operand *operand;
  for (i = 0; i < shape.count; i++) {
    before *= i < dimension ? shape.items[i] : 1;
    behind *= i > dimension ? shape.items[i] : 1;
  }
  webnn_extra__append(&flat, before);
  webnn_extra__append(&flat, size);
  webnn_extra__append(&flat, 1);
  webnn_extra__append(&flat, behind);
  high.items[2] = n;
  operand = webnn_reshape(l->b, webnn_xla__whole(l, x), flat, &l->options);
  operand = webnn_pad(l->b, operand, low, high, fill);
  spread.items[dimension] = size * (n + 1);
  operand = webnn_reshape(l->b, operand, spread, &l->options);
  limits = spread;
  limits.items[dimension] = size * (n + 1) - n;
  operand = webnn_slice(l->b, operand, webnn_extra__repeat(0, shape.count), limits, NULL);
  return webnn_xla__made(l, x->type, limits, operand);
}

/* A number between, before and behind; negative edges remove. */
static webnn_xla__handle webnn_xla__pad_with(webnn_xla__lowering *l, webnn_xla__handle x,
                                             const webnn_xla_padding *p,
                                             const webnn_pad_options *fill) {
  webnn_list low = webnn_extra__no_items(), high = low, starts = low, limits = low, sizes = low;
  uint32_t i;
  bool any = false;
  for (i = 0; x && i < x->shape.count; i++) {
    if (p->interior[i] && x->shape.items[i] > 1) {
      x = webnn_xla__pad_between(l, x, i, p->interior[i], fill);
    }
  }
  if (!x) {
    return NULL;
  }
  for (i = 0; i < x->shape.count && i < WEBNN_MAX_RANK; i++) {
    const uint32_t size = x->shape.items[i];
    webnn_extra__append(&low, p->low[i] > 0 ? (uint32_t)p->low[i] : 0);
    webnn_extra__append(&high, p->high[i] > 0 ? (uint32_t)p->high[i] : 0);
    webnn_extra__append(&sizes, size + low.items[i] + high.items[i]);
    webnn_extra__append(&starts, p->low[i] < 0 ? (uint32_t)-p->low[i] : 0);
    webnn_extra__append(&limits,
                        p->high[i] < 0 ? sizes.items[i] - (uint32_t)-p->high[i] : sizes.items[i]);
    any = any || low.items[i] || high.items[i];
  }
  if (any) {
    x = webnn_xla__made(l, x->type, sizes,
                        webnn_pad(l->b, webnn_xla__whole(l, x), low, high, fill));
  }
  return webnn_xla__lower_slice(l, x, starts, limits, webnn_xla__not_given());
}

static webnn_xla__handle webnn_xla__pad_with_zeros(webnn_xla__lowering *l, webnn_xla__handle x,
                                                   const webnn_xla_padding *p) {
  return webnn_xla__pad_with(l, x, p, NULL);
}

static bool webnn_xla__is_padding(const webnn_xla_padding *p, uint32_t rank) {
  uint32_t i;
  for (i = 0; i < rank; i++) {
    if (p->low[i] || p->high[i] || p->interior[i]) {
      return true;
    }
  }
  return false;
}

/* Is it a constant with all bits 0? */
static bool webnn_xla__is_zero(const webnn_xla__array *x) {
  static const uint8_t zeros[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  return x->literal && x->literal->splat &&
         memcmp(x->literal->data, zeros, webnn_xla__graph_bytes(x->type)) == 0;
}

/* An integer in its graph type; one beyond int64 is the largest. */
static int64_t webnn_xla__integer_at(webnn_xla_type type, const uint8_t *element) {
  const size_t size = webnn_xla__graph_bytes(type);
  const bool is_signed = webnn_xla__type_of(type)->is_signed;
  int64_t wide;
  int32_t word;
  if (size == 1) {
    return is_signed ? (int64_t)(int8_t)element[0] : (int64_t)element[0];
  }
  if (size == 8) {
    memcpy(&wide, element, 8);
    return wide < 0 && !is_signed ? INT64_MAX : wide;
  }
  memcpy(&word, element, 4);
  return is_signed ? (int64_t)word : (int64_t)(uint32_t)word;
}

/* The number of a constant scalar; not that of NaN, whose bits a number does not hold. */
static bool webnn_xla__constant_number_of(const webnn_xla__array *x, webnn_number *number) {
  const uint8_t *element = x->literal ? (const uint8_t *)x->literal->data : NULL;
  float f = 0;
  uint16_t half;
  if (!element) {
    return false;
  }
  if (webnn_xla__is_float(x->type)) {
    memcpy(&half, element, 2);
    memcpy(&f, element, webnn_xla__graph_bytes(x->type) == 4 ? 4 : 2);
    f = x->type == WEBNN_XLA_F16 ? webnn_float16_to_float32(half) : f;
    *number = webnn_f64((double)f);
    return f == f;
  }
  if (x->type == WEBNN_XLA_U64) {
    uint64_t wide;
    memcpy(&wide, element, 8);
    *number = webnn_u64(wide);
  } else {
    *number = webnn_i64(webnn_xla__integer_at(x->type, element));
  }
  return true;
}

/* Padding by any value: by itself if it is a constant; else by 0, and then where a padded array of
   ones has none of them. */
static webnn_xla__handle webnn_xla__lower_pad(webnn_xla__lowering *l, webnn_xla__handle x,
                                              webnn_xla__handle value, const webnn_xla_padding *p) {
  webnn_xla__handle both[] = {x, value}, padded, mask;
  webnn_pad_options fill = WEBNN_ZERO;
  if (!webnn_xla__meet(l, both, 2) || !webnn_xla__is_padding(p, x->shape.count)) {
    return l->error->status == WEBNN_OK ? x : NULL;
  }
  fill.label = l->place;
  if (webnn_xla__constant_number_of(value, &fill.value)) {
    return webnn_xla__pad_with(l, x, p, &fill);
  }
  padded = webnn_xla__pad_with_zeros(l, x, p);
  mask = webnn_xla__relabel(l, webnn_xla__lower_number(l, WEBNN_XLA_PRED, 1), WEBNN_XLA_PRED,
                            x->shape);
  mask = webnn_xla__meet(l, both, 2) ? webnn_xla__pad_with_zeros(l, mask, p) : NULL;
  return webnn_xla__lower_select(l, mask, padded, value);
}

/* 0, 1, ... along a dimension. */
static webnn_xla__handle webnn_xla__lower_iota(webnn_xla__lowering *l, webnn_xla_type type,
                                               webnn_list shape, uint32_t dimension) {
  const uint32_t count = shape.items[dimension];
  const size_t size = webnn_xla__graph_bytes(type);
  uint8_t *elements = (uint8_t *)webnn_xla__temporary(l, count * size), element[8];
  uint32_t i;
  if (!elements) {
    return NULL;
  }
  for (i = 0; i < count; i++) {
    webnn_xla__set_number(type, i, element);
    webnn_xla__to_graph_type(type, element, elements + i * size, 1);
  }
  return webnn_xla__lower_broadcast(
      l, webnn_xla__lower_constant(l, type, webnn_extra__list1(count), elements, count == 1), shape,
      webnn_extra__list1(dimension));
}

/* The places of a dimension that `numbers` says; their dimensions stand in its stead. */
static webnn_xla__handle webnn_xla__lower_take(webnn_xla__lowering *l, webnn_xla__handle x,
                                               webnn_xla__handle numbers, uint32_t dimension) {
  webnn_xla__handle both[] = {x, numbers};
  webnn_gather_options o = WEBNN_ZERO;
  webnn_list sizes = webnn_extra__no_items();
  uint32_t i;
  if (!webnn_xla__meet(l, both, 2)) {
    return NULL;
  }
  o.label = l->place;
  o.axis = dimension;
  for (i = 0; i < x->shape.count; i++) {
    if (i == dimension) {
      sizes = webnn_xla__joined(sizes, numbers->shape);
    } else {
      webnn_extra__append(&sizes, x->shape.items[i]);
    }
  }
  return webnn_xla__made(
      l, x->type, sizes,
      webnn_gather(l->b, webnn_xla__whole(l, x), webnn_xla__whole(l, numbers), &o));
}

/* The rows of x [n, row], with updates [m, row] in place of those that numbers [m] names; of equal
   numbers the last counts. */
static webnn_xla__handle webnn_xla__lower_put(webnn_xla__lowering *l, webnn_xla__handle x,
                                              webnn_xla__handle numbers,
                                              webnn_xla__handle updates) {
  webnn_xla__handle all[3];
  webnn_list column;
  if (!x || !numbers || !updates) {
    return NULL;
  }
  column = numbers->shape;
  webnn_extra__append(&column, 1);
  all[0] = x;
  all[1] = webnn_xla__lower_reshape(l, numbers, column);
  all[2] = updates;
  if (!webnn_xla__meet(l, all, 3)) {
    return NULL;
  }
  return webnn_xla__made(l, x->type, x->shape,
                         webnn_scatter_nd(l->b, webnn_xla__whole(l, x), webnn_xla__whole(l, all[1]),
                                          webnn_xla__whole(l, updates), &l->options));
}

typedef webnn_operand *(*webnn_xla__reduce_method)(webnn_builder *, webnn_operand *,
                                                   const webnn_reduce_options *);

static webnn_xla__handle webnn_xla__lower_reduction(webnn_xla__lowering *l,
                                                    webnn_xla__reduce_method method,
                                                    webnn_xla__handle x, webnn_list dims) {
  webnn_reduce_options o = WEBNN_ZERO;
  if (!webnn_xla__meet(l, &x, 1)) {
    return NULL;
  }
  o.label = l->place;
  o.axes = dims;
  o.axes.given = true;
  return webnn_xla__made(l, x->type, webnn_xla__without(x->shape, dims),
                         method(l->b, webnn_xla__whole(l, x), &o));
}

/* a [..., m, k] times b [..., k, n], floats. */
static webnn_xla__handle webnn_xla__lower_matmul(webnn_xla__lowering *l, webnn_xla__handle a,
                                                 webnn_xla__handle b) {
  webnn_xla__handle both[] = {a, b};
  webnn_operand *operand;
  if (!webnn_xla__meet(l, both, 2)) {
    return NULL;
  }
  operand = webnn_matmul(l->b, webnn_xla__whole(l, a), webnn_xla__whole(l, b), &l->options);
  return webnn_xla__made(l, a->type, webnn_operand_shape(operand), operand);
}

/* ---- Applying a computation ------------------------------------------------------------------ */

static bool webnn_xla__lower_computation(webnn_xla__lowering *l, const webnn_xla_computation *c,
                                         webnn_xla__handle const *arguments,
                                         webnn_xla__handle *results);

/* Results that depend on no argument are scalars still: they stand for all elements, too. */
static bool webnn_xla__spread_results(webnn_xla__lowering *l, webnn_xla__handle *results,
                                      size_t count) {
  size_t i;
  bool done = true;
  for (i = 0; done && i < count; i++) {
    if (results[i]->shape.count == 0) {
      results[i] = webnn_xla__relabel(l, results[i], results[i]->type, l->batch);
    }
    done = results[i] != NULL;
  }
  return done;
}

/* A function of scalars on all elements at once: arguments are of one shape, or scalars. */
static bool webnn_xla__apply_to_all(webnn_xla__lowering *l, const webnn_xla_computation *f,
                                    webnn_xla__handle const *arguments,
                                    webnn_xla__handle *results) {
  const webnn_list batch = l->batch;
  size_t i;
  bool done;
  l->batch = webnn_extra__no_items();
  for (i = 0; i < f->leaf_count; i++) {
    if (!arguments[i]) {
      return false;
    }
    if (arguments[i]->shape.count) {
      l->batch = arguments[i]->shape;
    }
  }
  done = webnn_xla__lower_computation(l, f, arguments, results) &&
         webnn_xla__spread_results(l, results, f->root_count);
  l->batch = batch;
  return done;
}

/* What a function of scalars does, if that is one operation on its two parameters. */
typedef enum webnn_xla__simple {
  WEBNN_XLA__NOT_SIMPLE,
  WEBNN_XLA__IS_OPERATION, /* *op of the two parameters, in their order unless *swapped */
  WEBNN_XLA__IS_FIRST,     /* the first parameter */
  WEBNN_XLA__IS_SECOND
} webnn_xla__simple;

static webnn_xla__simple webnn_xla__recognize(const webnn_xla_computation *f, uint32_t *op,
                                              bool *swapped) {
  const webnn_xla_value *root = f->root_count == 1 ? f->roots[0] : NULL;
  if (!root || f->leaf_count != 2) {
    return WEBNN_XLA__NOT_SIMPLE;
  }
  if (root == f->leaves[0] || root == f->leaves[1]) {
    return root == f->leaves[0] ? WEBNN_XLA__IS_FIRST : WEBNN_XLA__IS_SECOND;
  }
  if (root->source->operand_count == 2 &&
      ((root->source->operands[0] == f->leaves[0] && root->source->operands[1] == f->leaves[1]) ||
       (root->source->operands[0] == f->leaves[1] && root->source->operands[1] == f->leaves[0]))) {
    *swapped = root->source->operands[0] == f->leaves[1];
    if (root->source->op < WEBNN_XLA_ELEMENTWISE_COUNT) {
      *op = root->source->op;
      return WEBNN_XLA__IS_OPERATION;
    }
    if (root->source->op == WEBNN_XLA__CALL && !*swapped) {
      return webnn_xla__recognize(root->source->computations[0], op, swapped);
    }
  }
  return WEBNN_XLA__NOT_SIMPLE;
}

/* ==============================================================================================
   6  operations element by element
   ============================================================================================== */

/* WebNN's methods of the same meaning for all types in the graph type; NULL: there is more to
   do. */
static webnn_xla__unary_method webnn_xla__unary_method_of(webnn_xla_operation op) {
  switch (op) {
  case WEBNN_XLA_ABS:
    return webnn_abs;
  case WEBNN_XLA_CEIL:
    return webnn_ceil;
  case WEBNN_XLA_COS:
    return webnn_cos;
  case WEBNN_XLA_ERF:
    return webnn_erf;
  case WEBNN_XLA_EXP:
    return webnn_exp;
  case WEBNN_XLA_FLOOR:
    return webnn_floor;
  case WEBNN_XLA_LOG:
    return webnn_log;
  case WEBNN_XLA_LOGISTIC:
    return webnn_sigmoid;
  case WEBNN_XLA_NEG:
    return webnn_neg;
  case WEBNN_XLA_ROUND_NEAREST_EVEN:
    return webnn_round_even;
  case WEBNN_XLA_SIN:
    return webnn_sin;
  case WEBNN_XLA_SQRT:
    return webnn_sqrt;
  case WEBNN_XLA_TAN:
    return webnn_tan;
  case WEBNN_XLA_TANH:
    return webnn_tanh;
  default:
    return NULL;
  }
}

static webnn_xla__binary_method webnn_xla__binary_method_of(webnn_xla_operation op) {
  switch (op) {
  case WEBNN_XLA_ADD:
    return webnn_add;
  case WEBNN_XLA_DIV:
    return webnn_div;
  case WEBNN_XLA_MAX:
    return webnn_max;
  case WEBNN_XLA_MIN:
    return webnn_min;
  case WEBNN_XLA_MUL:
    return webnn_mul;
  case WEBNN_XLA_SUB:
    return webnn_sub;
  case WEBNN_XLA_EQ:
    return webnn_equal;
  case WEBNN_XLA_NE:
    return webnn_not_equal;
  case WEBNN_XLA_GE:
    return webnn_greater_or_equal;
  case WEBNN_XLA_GT:
    return webnn_greater;
  case WEBNN_XLA_LE:
    return webnn_lesser_or_equal;
  case WEBNN_XLA_LT:
    return webnn_lesser;
  default:
    return NULL;
  }
}

/* Those that WebNN has no operator for: see chapter 9. */
static webnn_xla__handle webnn_xla__lower_function(webnn_xla__lowering *l, webnn_xla_operation op,
                                                   webnn_xla__handle x);
static webnn_xla__handle webnn_xla__lower_function2(webnn_xla__lowering *l, webnn_xla_operation op,
                                                    webnn_xla__handle x, webnn_xla__handle y);

static webnn_xla__handle webnn_xla__lower_unary(webnn_xla__lowering *l, webnn_xla_operation op,
                                                webnn_xla__handle x) {
  const webnn_xla__unary_method method = webnn_xla__unary_method_of(op);
  if (!x) {
    return NULL;
  }
  if (!webnn_xla__is_float(x->type) && !webnn_xla__type_of(x->type)->is_signed) {
    if (op == WEBNN_XLA_ABS) {
      return x;
    }
    if (op == WEBNN_XLA_NEG) {
      return webnn_xla__lower_binary(l, WEBNN_XLA_SUB, webnn_xla__lower_number(l, x->type, 0), x);
    }
  }
  if (op == WEBNN_XLA_NOT && x->type == WEBNN_XLA_PRED) {
    return webnn_xla__apply1(l, webnn_logical_not, x->type, x);
  }
  if (op == WEBNN_XLA_IS_FINITE) { /* neither infinite nor NaN: x - x is 0 */
    x = webnn_xla__apply2(l, webnn_sub, x->type, x, x);
    return x ? webnn_xla__apply2(l, webnn_equal, WEBNN_XLA_PRED, x,
                                 webnn_xla__lower_number(l, x->type, 0))
             : NULL;
  }
  return method ? webnn_xla__settle(l, webnn_xla__apply1(l, method, x->type, x))
                : webnn_xla__lower_function(l, op, x);
}

/* Operations on PRED: sums are or, products and. */
static webnn_xla__binary_method webnn_xla__predicate_method_of(webnn_xla_operation op) {
  switch (op) {
  case WEBNN_XLA_ADD:
  case WEBNN_XLA_MAX:
  case WEBNN_XLA_OR:
    return webnn_logical_or;
  case WEBNN_XLA_AND:
  case WEBNN_XLA_MIN:
  case WEBNN_XLA_MUL:
    return webnn_logical_and;
  case WEBNN_XLA_XOR:
    return webnn_logical_xor;
  default:
    return webnn_xla__binary_method_of(op);
  }
}

static bool webnn_xla__is_zero(const webnn_xla__array *x);

/* Is it max(x, 0) of floats, which other operators can take in as relu? */
static bool webnn_xla__is_relu(webnn_xla_operation op, const webnn_xla__array *x,
                               const webnn_xla__array *y) {
  return op == WEBNN_XLA_MAX && webnn_xla__is_float(x->type) && webnn_xla__is_zero(y) &&
         webnn_extra__same_list(webnn_xla__common(x, y), x->shape);
}

static webnn_xla__handle webnn_xla__lower_binary(webnn_xla__lowering *l, webnn_xla_operation op,
                                                 webnn_xla__handle x, webnn_xla__handle y) {
  webnn_xla__binary_method method;
  if (!x || !y) {
    return NULL;
  }
  if (webnn_xla__is_relu(op, x, y) || webnn_xla__is_relu(op, y, x)) {
    return webnn_xla__apply1(l, webnn_relu, x->type, webnn_xla__is_relu(op, x, y) ? x : y);
  }
  method = x->type == WEBNN_XLA_PRED ? webnn_xla__predicate_method_of(op)
                                     : webnn_xla__binary_method_of(op);
  if (!method || (op == WEBNN_XLA_DIV && webnn_xla__is_integer(x->type))) {
    return webnn_xla__lower_function2(l, op, x, y);
  }
  if (webnn_xla__is_comparison(op)) {
    return webnn_xla__apply2(l, method, WEBNN_XLA_PRED, x, y);
  }
  return webnn_xla__settle(l, webnn_xla__apply2(l, method, x->type, x, y));
}

/* ==============================================================================================
   7  control flow and calls
   ============================================================================================== */

/* The computation as a program of its own, a part of this one. */
static webnn_xla_program *webnn_xla__compile_part(webnn_xla__lowering *l,
                                                  const webnn_xla_computation *c,
                                                  webnn_xla_value *const *roots, size_t root_count);

/* The arguments of a part, each in a slot of its own: a graph takes a tensor only once. */
static webnn_xla__handle *webnn_xla__separate(webnn_xla__lowering *l,
                                              webnn_xla__handle const *arguments, size_t count) {
  webnn_xla__handle *all = (webnn_xla__handle *)webnn_xla__temporary(l, (count + 1) * sizeof *all);
  size_t i, k;
  for (i = 0; all && i < count; i++) {
    webnn_xla__handle x = arguments[i];
    for (k = 0; k < i && arguments[k] != x; k++) {
    }
    if (k < i && x->literal) {
      all[i] = webnn_xla__new_array(l, x->type, x->shape, 0);
      if (all[i]) {
        all[i]->literal = x->literal;
      }
    } else {
      all[i] = k < i ? webnn_xla__apply1(l, webnn_identity, x->type, x) : x;
    }
    if (!all[i]) {
      return NULL;
    }
  }
  return all;
}

/* A function of scalars as a part that takes and gives arrays of the shape `batch`. */
static webnn_xla_program *webnn_xla__compile_elementwise_part(webnn_xla__lowering *l,
                                                              const webnn_xla_computation *f,
                                                              webnn_list batch);

/* ---- Loops ----------------------------------------------------------------------------------- */

/* Which of the arguments a loop changes: outputs are these. */
typedef struct webnn_xla__loop {
  const uint32_t *changed;
} webnn_xla__loop;

static bool webnn_xla__read_pred(webnn_xla_program *part, bool *pred, webnn_error *error) {
  uint8_t byte = 0;
  const bool done = webnn_read_tensor(part->context, part->slots[part->outputs[0]].tensor, &byte, 1,
                                      error) == WEBNN_OK;
  *pred = byte != 0;
  return done;
}

/* The state is in the slots of the arguments first, and in those of the results once they have been
   computed; what the body leaves alone stays where it is. */
static bool webnn_xla__run_loop(webnn_xla_program *p, webnn_xla__step *step, webnn_error *error) {
  webnn_xla_program *condition = step->shown.parts[0], *body = step->shown.parts[1];
  const webnn_xla__loop *o = (const webnn_xla__loop *)step->options;
  uint32_t *state = (uint32_t *)malloc((step->input_count + 1) * sizeof *state);
  bool done = state != NULL || webnn_xla__out_of_memory(error), go_on = true, first = true;
  size_t k;
  if (done) {
    memcpy(state, step->inputs, step->input_count * sizeof *state);
  }
  while (done && go_on) {
    done = webnn_xla__run_part(p, condition, state, error) &&
           webnn_xla__read_pred(condition, &go_on, error);
    if (done && go_on) {
      done = webnn_xla__run_part(p, body, state, error);
      for (k = 0; done && k < step->output_count; k++) {
        done = webnn_xla__take_result(body, k, p, step->outputs[k], error);
        state[o->changed[k]] = step->outputs[k];
      }
      first = false;
    }
  }
  for (k = 0; done && first && k < step->output_count; k++) {
    done = webnn_xla__copy_slot(p, step->inputs[o->changed[k]], p, step->outputs[k], error);
  }
  free(state);
  return done;
}

/* A loop over `count` arrays; results[k] is arguments[k] where the body gives back what it gets. */
static bool webnn_xla__add_loop(webnn_xla__lowering *l, const webnn_xla_computation *condition,
                                const webnn_xla_computation *body,
                                webnn_xla__handle const *arguments, webnn_xla__handle *results) {
  const size_t count = body->leaf_count;
  webnn_xla_value **roots =
      (webnn_xla_value **)webnn_xla__temporary(l, (count + 1) * sizeof *roots);
  webnn_xla__handle *made =
      (webnn_xla__handle *)webnn_xla__temporary(l, (count + 1) * sizeof *made);
  uint32_t *changed = (uint32_t *)webnn_xla__lasting(l, NULL, (count + 1) * sizeof *changed);
  webnn_xla__loop *o = (webnn_xla__loop *)webnn_xla__lasting(l, NULL, sizeof *o);
  webnn_xla__handle *separate = webnn_xla__separate(l, arguments, count);
  webnn_xla_program *parts[2];
  webnn_xla__step *step;
  size_t changes = 0, k;
  if (!roots || !made || !changed || !o || !separate) {
    return false;
  }
  for (k = 0; k < count; k++) {
    results[k] = arguments[k];
    if (body->roots[k] != body->leaves[k]) {
      roots[changes] = body->roots[k];
      made[changes] =
          webnn_xla__new_array(l, body->roots[k]->shape.type, body->roots[k]->shape.dimensions, 0);
      results[k] = made[changes];
      changed[changes++] = (uint32_t)k;
    }
  }
  o->changed = changed;
  parts[0] = webnn_xla__compile_part(l, condition, condition->roots, 1);
  parts[1] = parts[0] ? webnn_xla__compile_part(l, body, roots, changes) : NULL;
  step = parts[1]
             ? webnn_xla__add_step(l, WEBNN_XLA_STEP_LOOP, webnn_xla__run_loop, separate, count,
                                   made, changes, condition->has_effect || body->has_effect)
             : NULL;
  if (!step) {
    webnn_xla_free_program(parts[0]);
    webnn_xla_free_program(parts[1]);
    return false;
  }
  step->options = o;
  step->shown.parts[0] = parts[0];
  step->shown.parts[1] = parts[1];
  return true;
}

/* ---- Conditionals ---------------------------------------------------------------------------- */

/* The first argument is the index; those of branch i begin at first[i]. */
static bool webnn_xla__run_conditional(webnn_xla_program *p, webnn_xla__step *step,
                                       webnn_error *error) {
  const size_t *first = (const size_t *)step->options;
  const webnn_xla__slot *slot = &p->slots[step->inputs[0]];
  webnn_xla_program *branch;
  int32_t index = 0;
  uint8_t pred = 0;
  size_t k;
  bool done;
  if (slot->type == WEBNN_XLA_PRED) {
    done = webnn_read_tensor(p->context, slot->tensor, &pred, 1, error) == WEBNN_OK;
    index = pred ? 0 : 1;
  } else {
    done = webnn_read_tensor(p->context, slot->tensor, &index, 4, error) == WEBNN_OK;
  }
  if (index < 0 || (size_t)index >= step->shown.branch_count) {
    index = (int32_t)step->shown.branch_count - 1;
  }
  branch = step->shown.branches[index];
  done = done && webnn_xla__run_part(p, branch, step->inputs + first[index], error);
  for (k = 0; done && k < step->output_count; k++) {
    done = webnn_xla__take_result(branch, k, p, step->outputs[k], error);
  }
  return done;
}

static bool webnn_xla__do_conditional(webnn_xla__lowering *l, const webnn_xla__instruction *i,
                                      webnn_xla__handle const *arguments,
                                      webnn_xla__handle *results) {
  const webnn_xla__conditional_options *o = (const webnn_xla__conditional_options *)i->options;
  const size_t count = i->computation_count;
  webnn_xla_program **branches =
      (webnn_xla_program **)webnn_xla__lasting(l, NULL, count * sizeof *branches);
  size_t *first = (size_t *)webnn_xla__lasting(l, NULL, count * sizeof *first), k, next = 1;
  webnn_xla__handle *all =
      (webnn_xla__handle *)webnn_xla__temporary(l, i->operand_count * sizeof *all);
  webnn_xla__step *step = NULL;
  bool has_effect = false, done = branches && first && all;
  if (done) {
    all[0] = arguments[0];
  }
  for (k = 0; done && k < count; k++) {
    webnn_xla__handle *separate = webnn_xla__separate(l, arguments + next, o->leaf_counts[k]);
    if (separate) {
      memcpy(all + next, separate, o->leaf_counts[k] * sizeof *all);
      branches[k] = webnn_xla__compile_part(l, i->computations[k], i->computations[k]->roots,
                                            i->computations[k]->root_count);
    }
    first[k] = next;
    next += o->leaf_counts[k];
    has_effect = has_effect || i->computations[k]->has_effect;
    done = branches[k] != NULL;
  }
  for (k = 0; done && k < i->result_count; k++) {
    results[k] =
        webnn_xla__new_array(l, i->results[k].shape.type, i->results[k].shape.dimensions, 0);
  }
  step = done ? webnn_xla__add_step(l, WEBNN_XLA_STEP_CONDITIONAL, webnn_xla__run_conditional, all,
                                    i->operand_count, results, i->result_count, has_effect)
              : NULL;
  if (!step) {
    for (k = 0; branches && k < count; k++) {
      webnn_xla_free_program(branches[k]);
    }
    return false;
  }
  step->options = first;
  step->shown.branches = branches;
  step->shown.branch_count = count;
  return true;
}

/* ---- Calls of the user's functions ----------------------------------------------------------- */

typedef struct webnn_xla__user_call {
  const webnn_xla_named_function *function;
  const char *configuration;
} webnn_xla__user_call;

/* Arrays in the caller's form over slots: of arguments with their elements. */
static bool webnn_xla__open_array(webnn_xla_program *p, uint32_t slot, bool filled,
                                  webnn_xla_array *array, webnn_error *error) {
  const webnn_xla__slot *s = &p->slots[slot];
  void *elements;
  array->shape = webnn_xla_shape_of(s->type, s->descriptor.shape);
  array->byte_length = webnn_xla_byte_length(&array->shape);
  array->data = calloc(1, array->byte_length);
  if (!array->data) {
    return webnn_xla__out_of_memory(error);
  }
  if (!filled) {
    return true;
  }
  elements = webnn_xla__fetch(p, slot, error);
  if (elements) {
    webnn_xla__from_graph_type(s->type, elements, array->data, s->count);
  }
  free(elements);
  return elements != NULL;
}

/* Calls `call` with the arguments and room for the results, as arrays in the caller's form. */
static bool webnn_xla__with_arrays(webnn_xla_program *p, webnn_xla__step *step,
                                   bool (*call)(webnn_xla_program *, webnn_xla__step *,
                                                webnn_xla_array *, webnn_error *),
                                   webnn_error *error) {
  const size_t count = step->input_count + step->output_count;
  webnn_xla_array *arrays = (webnn_xla_array *)calloc(count + 1, sizeof *arrays);
  bool done = arrays != NULL || webnn_xla__out_of_memory(error);
  size_t i;
  for (i = 0; done && i < count; i++) {
    const bool is_input = i < step->input_count;
    done =
        webnn_xla__open_array(p, is_input ? step->inputs[i] : step->outputs[i - step->input_count],
                              is_input, &arrays[i], error);
  }
  done = done && call(p, step, arrays, error);
  for (i = step->input_count; done && i < count; i++) {
    done = webnn_xla__write_slot(p, step->outputs[i - step->input_count], arrays[i].data, error);
  }
  for (i = 0; arrays && i < count; i++) {
    free(arrays[i].data);
  }
  free(arrays);
  return done;
}

static bool webnn_xla__call_function(webnn_xla_program *p, webnn_xla__step *step,
                                     webnn_xla_array *arrays, webnn_error *error) {
  const webnn_xla__user_call *c = (const webnn_xla__user_call *)step->options;
  char message[256];
  (void)p;
  message[0] = 0;
  if (c->function->function(c->function->user, arrays, step->input_count,
                            arrays + step->input_count, step->output_count, c->configuration,
                            message, sizeof message)) {
    return true;
  }
  message[sizeof message - 1] = 0;
  return webnn_xla__error(error, WEBNN_OPERATION_ERROR, step->shown.place, "%s: %s",
                          step->shown.name, message[0] ? message : "the function failed");
}

static bool webnn_xla__run_custom_call(webnn_xla_program *p, webnn_xla__step *step,
                                       webnn_error *error) {
  return webnn_xla__with_arrays(p, step, webnn_xla__call_function, error);
}

/* Infeed, Outfeed and CrossReplicaSum go through functions of the program's options. */
static bool webnn_xla__call_queue(webnn_xla_program *p, webnn_xla__step *step,
                                  webnn_xla_array *arrays, webnn_error *error) {
  const webnn_xla_program_options *o = &p->root->options;
  const uint32_t op = *(const uint32_t *)step->options;
  size_t i;
  bool done = true;
  for (i = 0; done && op == WEBNN_XLA__INFEED && i < step->output_count; i++) {
    done = o->infeed(o->user, &arrays[i]);
  }
  for (i = 0; done && op == WEBNN_XLA__OUTFEED && i < step->input_count; i++) {
    done = o->outfeed(o->user, &arrays[i]);
  }
  if (op == WEBNN_XLA__CROSS_REPLICA_SUM) {
    memcpy(arrays[1].data, arrays[0].data, arrays[0].byte_length);
    done = o->all_sum(o->user, &arrays[1]);
  }
  return done || webnn_xla__error(error, WEBNN_OPERATION_ERROR, step->shown.place,
                                  "%s: the function failed", step->shown.name);
}

static bool webnn_xla__run_queue(webnn_xla_program *p, webnn_xla__step *step, webnn_error *error) {
  return webnn_xla__with_arrays(p, step, webnn_xla__call_queue, error);
}

static bool webnn_xla__new_results(webnn_xla__lowering *l, const webnn_xla__instruction *i,
                                   webnn_xla__handle *results) {
  size_t k;
  for (k = 0; k < i->result_count; k++) {
    results[k] =
        webnn_xla__new_array(l, i->results[k].shape.type, i->results[k].shape.dimensions, 0);
    if (!results[k]) {
      return false;
    }
  }
  return true;
}

static bool webnn_xla__do_custom_call(webnn_xla__lowering *l, const webnn_xla__instruction *i,
                                      webnn_xla__handle const *arguments,
                                      webnn_xla__handle *results) {
  const webnn_xla__call_options *o = (const webnn_xla__call_options *)i->options;
  const webnn_xla_program_options *user = &l->program->root->options;
  webnn_xla__user_call c;
  webnn_xla__step *step;
  size_t k = 0;
  while (k < user->function_count && strcmp(user->functions[k].name, o->name) != 0) {
    k++;
  }
  if (k == user->function_count) {
    return webnn_xla__refuse(l, "there is no function \"%s\"", o->name);
  }
  l->name = o->name;
  c.function = &user->functions[k];
  c.configuration = (const char *)webnn_xla__lasting(l, o->configuration, strlen(o->configuration));
  if (!c.configuration || !webnn_xla__new_results(l, i, results)) {
    return false;
  }
  step = webnn_xla__add_step(l, WEBNN_XLA_STEP_CALL, webnn_xla__run_custom_call, arguments,
                             i->operand_count, results, i->result_count, true);
  if (step) {
    step->options = webnn_xla__lasting(l, &c, sizeof c);
  }
  return step && step->options;
}

static bool webnn_xla__do_queue(webnn_xla__lowering *l, const webnn_xla__instruction *i,
                                webnn_xla__handle const *arguments, webnn_xla__handle *results) {
  const webnn_xla_program_options *user = &l->program->root->options;
  webnn_xla__step *step;
  if (i->op == WEBNN_XLA__CROSS_REPLICA_SUM && !user->all_sum) {
    results[0] = arguments[0];
    return true;
  }
  if (i->operand_count + i->result_count == 0) {
    return true; /* an empty tuple takes nothing */
  }
  if ((i->op == WEBNN_XLA__INFEED && !user->infeed) ||
      (i->op == WEBNN_XLA__OUTFEED && !user->outfeed)) {
    return webnn_xla__refuse(l, "the program's options have no function for it");
  }
  if (!webnn_xla__new_results(l, i, results)) {
    return false;
  }
  step = webnn_xla__add_step(l, WEBNN_XLA_STEP_CALL, webnn_xla__run_queue, arguments,
                             i->operand_count, results, i->result_count, true);
  if (step) {
    step->options = webnn_xla__lasting(l, &i->op, sizeof i->op);
  }
  return step && step->options;
}

/* ==============================================================================================
   8  each instruction
   ============================================================================================== */

typedef bool (*webnn_xla__instruction_function)(webnn_xla__lowering *l,
                                                const webnn_xla__instruction *i,
                                                webnn_xla__handle const *arguments,
                                                webnn_xla__handle *results);

#define WEBNN_XLA__DO(name)                                                                        \
  static bool webnn_xla__do_##name(webnn_xla__lowering *l, const webnn_xla__instruction *i,        \
                                   webnn_xla__handle const *arguments, webnn_xla__handle *results)

/* Those of the chapters below. */
WEBNN_XLA__DO(total_order);
WEBNN_XLA__DO(dynamic_slice);
WEBNN_XLA__DO(dynamic_update_slice);
WEBNN_XLA__DO(gather);
WEBNN_XLA__DO(scatter);
WEBNN_XLA__DO(bitcast_convert);
WEBNN_XLA__DO(reduce_precision);
WEBNN_XLA__DO(uniform_quantize);
WEBNN_XLA__DO(uniform_dequantize);
WEBNN_XLA__DO(dot_general);
WEBNN_XLA__DO(convolution);
WEBNN_XLA__DO(triangular_solve);
WEBNN_XLA__DO(cholesky);
WEBNN_XLA__DO(batch_norm);
WEBNN_XLA__DO(reduce);
WEBNN_XLA__DO(reduce_window);
WEBNN_XLA__DO(select_and_scatter);
WEBNN_XLA__DO(sort);
WEBNN_XLA__DO(rng_uniform);
WEBNN_XLA__DO(rng_bit_generator);

WEBNN_XLA__DO(elementwise) {
  results[0] =
      i->operand_count == 1
          ? webnn_xla__lower_unary(l, (webnn_xla_operation)i->op, arguments[0])
          : webnn_xla__lower_binary(l, (webnn_xla_operation)i->op, arguments[0], arguments[1]);
  return results[0] != NULL;
}

WEBNN_XLA__DO(constant) {
  (void)arguments;
  results[0] = webnn_xla__new_array(l, i->results[0].shape.type, i->results[0].shape.dimensions, 0);
  if (results[0]) {
    results[0]->literal = (const webnn_xla__literal *)i->options;
  }
  return results[0] != NULL;
}

WEBNN_XLA__DO(iota) {
  (void)arguments;
  results[0] = webnn_xla__lower_iota(l, i->results[0].shape.type, i->results[0].shape.dimensions,
                                     *(const uint32_t *)i->options);
  return results[0] != NULL;
}

WEBNN_XLA__DO(broadcast_in_dim) {
  results[0] = l->batch.given
                   ? arguments[0]
                   : webnn_xla__lower_broadcast(l, arguments[0], i->results[0].shape.dimensions,
                                                *(const webnn_list *)i->options);
  return results[0] != NULL;
}

WEBNN_XLA__DO(reshape) {
  results[0] = l->batch.given
                   ? arguments[0]
                   : webnn_xla__lower_reshape(l, arguments[0], i->results[0].shape.dimensions);
  return results[0] != NULL;
}

WEBNN_XLA__DO(transpose) {
  results[0] = l->batch.given
                   ? arguments[0]
                   : webnn_xla__lower_transpose(l, arguments[0], *(const webnn_list *)i->options);
  return results[0] != NULL;
}

WEBNN_XLA__DO(rev) {
  results[0] = webnn_xla__lower_reverse(l, arguments[0], *(const webnn_list *)i->options);
  return results[0] != NULL;
}

WEBNN_XLA__DO(slice) {
  const webnn_xla__slice_options *o = (const webnn_xla__slice_options *)i->options;
  results[0] = webnn_xla__lower_slice(l, arguments[0], o->starts, o->limits, o->strides);
  return results[0] != NULL;
}

WEBNN_XLA__DO(concatenate) {
  results[0] =
      webnn_xla__lower_concatenate(l, arguments, i->operand_count, *(const uint32_t *)i->options);
  return results[0] != NULL;
}

WEBNN_XLA__DO(pad) {
  results[0] =
      webnn_xla__lower_pad(l, arguments[0], arguments[1], (const webnn_xla_padding *)i->options);
  return results[0] != NULL;
}

WEBNN_XLA__DO(convert) {
  results[0] = webnn_xla__lower_convert(l, arguments[0], i->results[0].shape.type);
  return results[0] != NULL;
}

WEBNN_XLA__DO(select) {
  (void)i;
  results[0] = webnn_xla__lower_select(l, arguments[0], arguments[1], arguments[2]);
  return results[0] != NULL;
}

WEBNN_XLA__DO(map) {
  return webnn_xla__apply_to_all(l, i->computations[0], arguments, results);
}

WEBNN_XLA__DO(call) {
  return webnn_xla__lower_computation(l, i->computations[0], arguments, results);
}

WEBNN_XLA__DO(loop) {
  return webnn_xla__add_loop(l, i->computations[0], i->computations[1], arguments, results);
}

typedef struct webnn_xla__instruction_row {
  webnn_xla__instruction_function function;
  bool works_on_all; /* in a function of scalars that stand for all elements of arrays */
} webnn_xla__instruction_row;

static const webnn_xla__instruction_row *webnn_xla__row_of(uint32_t op) {
#define WEBNN_XLA__INSTRUCTION_ROW(op, name, function, on_all) {webnn_xla__do_##function, on_all},
  static const webnn_xla__instruction_row elementwise = {webnn_xla__do_elementwise, true};
  static const webnn_xla__instruction_row rows[] = {
      WEBNN_XLA__INSTRUCTIONS(WEBNN_XLA__INSTRUCTION_ROW)};
#undef WEBNN_XLA__INSTRUCTION_ROW
  return op < WEBNN_XLA_ELEMENTWISE_COUNT ? &elementwise : &rows[op - WEBNN_XLA__CONSTANT];
}

/* ---- Computations ---------------------------------------------------------------------------- */

/* Marks the values that results and effects need, from the last instruction to the first. */
static bool webnn_xla__mark_needed(webnn_xla__lowering *l, const webnn_xla_computation *c,
                                   webnn_xla_value *const *roots, size_t root_count, bool *needed) {
  const webnn_xla__instruction *i, **list;
  size_t count = 0, k;
  for (i = c->first; i; i = i->next) {
    count++;
  }
  list = (const webnn_xla__instruction **)webnn_xla__temporary(l, (count + 1) * sizeof *list);
  if (!list) {
    return false;
  }
  for (i = c->first, count = 0; i; i = i->next) {
    list[count++] = i;
  }
  for (k = 0; k < root_count; k++) {
    needed[roots[k]->number] = true;
  }
  while (count > 0) {
    bool wanted;
    i = list[--count];
    wanted = webnn_xla__has_effect(i);
    for (k = 0; k < i->result_count; k++) {
      wanted = wanted || needed[i->results[k].number];
    }
    for (k = 0; wanted && k < i->operand_count; k++) {
      needed[i->operands[k]->number] = true;
    }
    for (k = 0; wanted && k < i->result_count; k++) {
      needed[i->results[k].number] = true;
    }
  }
  return true;
}

static bool webnn_xla__lower_instruction(webnn_xla__lowering *l, const webnn_xla__instruction *i,
                                         webnn_xla__handle *values) {
  const webnn_xla__instruction_row *row = webnn_xla__row_of(i->op);
  const char *place = l->place, *name = l->name;
  webnn_xla__handle *arguments = (webnn_xla__handle *)webnn_xla__temporary(
      l, (i->operand_count + i->result_count + 1) * sizeof *arguments);
  webnn_xla__handle *results = arguments ? arguments + i->operand_count : NULL;
  size_t k;
  bool done = arguments != NULL;
  if (done && l->budget-- == 0) {
    return webnn_xla__refuse(l, "there are more than %d instructions", WEBNN_XLA__MAX_INSTRUCTIONS);
  }
  l->place = i->place[0] ? i->place : l->place;
  l->name = webnn_xla__instruction_name(i->op);
  for (k = 0; done && k < i->operand_count; k++) {
    arguments[k] = values[i->operands[k]->number];
    done = arguments[k] != NULL;
  }
  if (done && l->batch.given && !row->works_on_all) {
    done = webnn_xla__refuse(l, "it cannot be in a function that is applied to each element");
  }
  done = done && row->function(l, i, arguments, results);
  for (k = 0; done && k < i->result_count; k++) {
    values[i->results[k].number] = results[k];
    done = results[k] != NULL;
  }
  l->place = place;
  l->name = name;
  return done;
}

/* Some results of a computation, of arguments that are its parameters' arrays. */
static bool webnn_xla__lower_roots(webnn_xla__lowering *l, const webnn_xla_computation *c,
                                   webnn_xla_value *const *roots, size_t root_count,
                                   webnn_xla__handle const *arguments, webnn_xla__handle *results) {
  const webnn_xla__instruction *i;
  bool *needed = (bool *)webnn_xla__temporary(l, (c->value_count + 1) * sizeof *needed);
  webnn_xla__handle *values =
      (webnn_xla__handle *)webnn_xla__temporary(l, (c->value_count + 1) * sizeof *values);
  size_t k;
  if (!needed || !values || !webnn_xla__mark_needed(l, c, roots, root_count, needed)) {
    return false;
  }
  for (k = 0; k < c->leaf_count; k++) {
    values[c->leaves[k]->number] = arguments[k];
  }
  for (i = c->first; i; i = i->next) {
    const bool wanted = i->result_count ? needed[i->results[0].number] : webnn_xla__has_effect(i);
    if (i->op != WEBNN_XLA__PARAMETER && wanted && !webnn_xla__lower_instruction(l, i, values)) {
      return false;
    }
  }
  for (k = 0; k < root_count; k++) {
    results[k] = values[roots[k]->number];
  }
  return true;
}

static bool webnn_xla__lower_computation(webnn_xla__lowering *l, const webnn_xla_computation *c,
                                         webnn_xla__handle const *arguments,
                                         webnn_xla__handle *results) {
  return webnn_xla__lower_roots(l, c, c->roots, c->root_count, arguments, results);
}

/* ---- Programs -------------------------------------------------------------------------------- */

static webnn_xla__step *webnn_xla__append_step(webnn_xla__lowering *l,
                                               const webnn_xla__step *step) {
  webnn_xla_program *p = l->program;
  webnn_xla__step *steps = (webnn_xla__step *)webnn_xla__grown(&p->memory, p->steps, p->step_count,
                                                               &p->step_room, sizeof *steps);
  if (!steps) {
    webnn_xla__out_of_memory(l->error);
    return NULL;
  }
  p->steps = steps;
  steps[p->step_count] = *step;
  return &steps[p->step_count++];
}

static webnn_xla__port *webnn_xla__ports_of(webnn_xla__lowering *l,
                                            const webnn_xla__passage *passages, size_t count) {
  webnn_xla__port *ports =
      (webnn_xla__port *)webnn_xla__lasting(l, NULL, (count + 1) * sizeof *ports);
  size_t i;
  for (i = 0; ports && i < count; i++) {
    ports[i].slot = passages[i].slot;
    snprintf(ports[i].name, sizeof ports[i].name, "s%lu", (unsigned long)passages[i].slot);
  }
  return ports;
}

/* Of the inputs only those that the outputs depend on: a graph has no others. Both are in order. */
static bool webnn_xla__keep_inputs(webnn_xla__lowering *l, webnn_xla__step *step) {
  const size_t count = webnn_graph_inputs(step->shown.graph, NULL, 0);
  webnn_graph_port *ports =
      (webnn_graph_port *)webnn_xla__temporary(l, (count + 1) * sizeof *ports);
  size_t i, kept = 0;
  if (!ports) {
    return false;
  }
  webnn_graph_inputs(step->shown.graph, ports, count);
  for (i = 0; i < step->in_count && kept < count; i++) {
    if (strcmp(ports[kept].name, step->in_ports[i].name) == 0) {
      step->in_ports[kept++] = step->in_ports[i];
    }
  }
  step->in_count = kept;
  return true;
}

/* The graph of a stage as a step, if there is anything that it gives. */
static bool webnn_xla__build_stage(webnn_xla__lowering *l, webnn_xla__stage *s) {
  webnn_named_operand *outputs;
  webnn_xla__step step;
  size_t i;
  if (s->out_count == 0) {
    return true;
  }
  memset(&step, 0, sizeof step);
  step.run = webnn_xla__run_graph;
  step.shown.kind = WEBNN_XLA_STEP_GRAPH;
  step.shown.name = "graph";
  step.shown.place = "";
  step.in_count = s->in_count;
  step.out_count = s->out_count;
  step.in_ports = webnn_xla__ports_of(l, s->in, s->in_count);
  step.out_ports = webnn_xla__ports_of(l, s->out, s->out_count);
  step.tensors = (webnn_named_tensor *)webnn_xla__lasting(
      l, NULL, (s->in_count + s->out_count) * sizeof *step.tensors);
  outputs = (webnn_named_operand *)webnn_xla__temporary(l, s->out_count * sizeof *outputs);
  if (!step.in_ports || !step.out_ports || !step.tensors || !outputs) {
    return false;
  }
  for (i = 0; i < s->out_count; i++) {
    outputs[i].name = step.out_ports[i].name;
    outputs[i].operand = s->out[i].operand;
  }
  if (webnn_build(s->builder, outputs, s->out_count, &step.shown.graph, l->error) != WEBNN_OK) {
    return false;
  }
  if (!webnn_xla__keep_inputs(l, &step) || !webnn_xla__append_step(l, &step)) {
    webnn_free_graph(step.shown.graph);
    return false;
  }
  return true;
}

/* Parameters' arrays. Those of a part get their tensors when it runs. */
static bool webnn_xla__make_inputs(webnn_xla__lowering *l, const webnn_xla_computation *c,
                                   webnn_xla__handle *arguments) {
  webnn_xla_program *p = l->program;
  size_t i;
  p->inputs = (uint32_t *)webnn_xla__lasting(l, NULL, c->leaf_count * sizeof *p->inputs);
  p->input_shapes =
      (webnn_xla_shape *)webnn_xla__lasting(l, NULL, c->leaf_count * sizeof *p->input_shapes);
  if (!p->inputs || !p->input_shapes) {
    return false;
  }
  for (i = 0; i < c->leaf_count; i++) {
    webnn_xla__handle x = webnn_xla__new_array(
        l, c->leaves[i]->shape.type, l->batch.given ? l->batch : c->leaves[i]->shape.dimensions, 0);
    if (!x || !(x->slot = webnn_xla__new_slot(l, x->type, x->shape))) {
      return false;
    }
    p->slots[x->slot - 1].is_parameter = true;
    if (p->root == p && !webnn_xla__create_tensor(l, &p->slots[x->slot - 1])) {
      return false;
    }
    p->inputs[i] = x->slot - 1;
    p->input_shapes[i] = c->leaves[i]->shape;
    p->input_count = i + 1;
    arguments[i] = x;
  }
  return true;
}

static bool webnn_xla__make_outputs(webnn_xla__lowering *l, webnn_xla_value *const *roots,
                                    size_t root_count, webnn_xla__handle const *results) {
  webnn_xla_program *p = l->program;
  size_t i;
  p->outputs = (uint32_t *)webnn_xla__lasting(l, NULL, root_count * sizeof *p->outputs);
  p->output_shapes =
      (webnn_xla_shape *)webnn_xla__lasting(l, NULL, root_count * sizeof *p->output_shapes);
  if (!p->outputs || !p->output_shapes) {
    return false;
  }
  for (i = 0; i < root_count; i++) {
    webnn_xla__handle x = results[i];
    uint32_t slot;
    /* A loop that changes places must not write where another result is still to be read. */
    if (p->root != p && x && x->slot && p->slots[x->slot - 1].is_parameter) {
      x = webnn_xla__apply1(l, webnn_identity, x->type, x);
    }
    slot = webnn_xla__slot_of(l, x);
    if (!slot) {
      return false;
    }
    p->outputs[i] = slot - 1;
    p->output_shapes[i] = roots[i]->shape;
    p->output_count = i + 1;
  }
  return true;
}

static bool webnn_xla__lower_program(webnn_xla__lowering *l, const webnn_xla_computation *c,
                                     webnn_xla_value *const *roots, size_t root_count) {
  webnn_xla__handle *arguments = (webnn_xla__handle *)webnn_xla__temporary(
      l, (c->leaf_count + root_count + 1) * sizeof *arguments);
  webnn_xla__handle *results = arguments ? arguments + c->leaf_count : NULL;
  return arguments && webnn_xla__make_inputs(l, c, arguments) &&
         webnn_xla__lower_roots(l, c, roots, root_count, arguments, results) &&
         (!l->batch.given || webnn_xla__spread_results(l, results, root_count)) &&
         webnn_xla__make_outputs(l, roots, root_count, results);
}

/* Frees what a step that was not appended has. */
static void webnn_xla__drop_steps(webnn_xla__stage *s, size_t first) {
  size_t i, k;
  for (i = first; i < s->step_count; i++) {
    webnn_xla_step *step = &s->steps[i].shown;
    webnn_xla_free_program(step->parts[0]);
    webnn_xla_free_program(step->parts[1]);
    for (k = 0; k < step->branch_count; k++) {
      webnn_xla_free_program(step->branches[k]);
    }
  }
}

/* Compiles into a program whose context, root and options are set. `batch`: as in a lowering. */
static bool webnn_xla__compile_into(webnn_xla_program *p, const webnn_xla_computation *c,
                                    webnn_xla_value *const *roots, size_t root_count,
                                    webnn_list batch, size_t *budget, webnn_error *error) {
  webnn_limits limits;
  webnn_xla__lowering l = WEBNN_ZERO;
  size_t i, k;
  bool done;
  l.program = p;
  l.error = error;
  l.place = "";
  l.name = "program";
  l.budget = *budget;
  webnn_context_limits(p->context, &limits);
  l.most_bytes = limits.max_tensor_byte_length;
  l.batch = batch;
  done = webnn_xla__lower_program(&l, c, roots, root_count);
  *budget = l.budget;
  for (i = 0; i < l.stage_count; i++) {
    webnn_xla__stage *s = &l.stages[i];
    done = done && webnn_xla__build_stage(&l, s);
    for (k = 0; done && k < s->step_count; k++) {
      done = webnn_xla__append_step(&l, &s->steps[k]) != NULL;
    }
    webnn_xla__drop_steps(s, done ? s->step_count : k ? k - 1 : 0);
    webnn_free_builder(s->builder);
  }
  webnn_extra__free_arena(&l.memory);
  if (!done && error->status == WEBNN_OK) {
    webnn_xla__error(error, WEBNN_UNKNOWN_ERROR, NULL, "the program cannot be compiled");
  }
  return done;
}

static webnn_xla_program *webnn_xla__compile_over(webnn_xla__lowering *l,
                                                  const webnn_xla_computation *c,
                                                  webnn_xla_value *const *roots, size_t root_count,
                                                  webnn_list batch) {
  webnn_xla_program *part = (webnn_xla_program *)calloc(1, sizeof *part);
  if (!part) {
    webnn_xla__out_of_memory(l->error);
    return NULL;
  }
  part->context = l->program->context;
  part->root = l->program->root;
  if (!webnn_xla__compile_into(part, c, roots, root_count, batch, &l->budget, l->error)) {
    webnn_xla_free_program(part);
    return NULL;
  }
  return part;
}

static webnn_xla_program *webnn_xla__compile_part(webnn_xla__lowering *l,
                                                  const webnn_xla_computation *c,
                                                  webnn_xla_value *const *roots,
                                                  size_t root_count) {
  return webnn_xla__compile_over(l, c, roots, root_count, webnn_xla__not_given());
}

static webnn_xla_program *webnn_xla__compile_elementwise_part(webnn_xla__lowering *l,
                                                              const webnn_xla_computation *f,
                                                              webnn_list batch) {
  return webnn_xla__compile_over(l, f, f->roots, f->root_count, batch);
}

/* The user's functions, with names of our own. */
static bool webnn_xla__copy_options(webnn_xla_program *p,
                                    const webnn_xla_program_options *options) {
  webnn_xla_named_function *functions;
  size_t i;
  if (!options) {
    return true;
  }
  p->options = *options;
  p->random = options->seed;
  functions = (webnn_xla_named_function *)webnn_extra__take(
      &p->memory, (options->function_count + 1) * sizeof *functions, 1);
  for (i = 0; functions && i < options->function_count; i++) {
    functions[i] = options->functions[i];
    functions[i].name = webnn_xla__copy_text(&p->memory, options->functions[i].name);
  }
  p->options.functions = functions;
  return functions != NULL;
}

WEBNN_XLA_API webnn_status webnn_xla_compile(webnn_context *context,
                                             const webnn_xla_computation *computation,
                                             const webnn_xla_program_options *options,
                                             webnn_xla_program **program, webnn_error *error) {
  size_t budget = WEBNN_XLA__MAX_INSTRUCTIONS;
  webnn_error own;
  webnn_xla_program *p;
  if (!program) {
    return webnn_xla__missing(error, "program");
  }
  *program = NULL;
  if (!context || !computation) {
    return webnn_xla__missing(error, context ? "the computation" : "the context");
  }
  memset(&own, 0, sizeof own);
  p = (webnn_xla_program *)calloc(1, sizeof *p);
  if (p) {
    p->context = context;
    p->root = p;
  }
  if (!p || !webnn_xla__copy_options(p, options)) {
    webnn_xla__out_of_memory(&own);
  } else if (webnn_xla__compile_into(p, computation, computation->roots, computation->root_count,
                                     webnn_xla__not_given(), &budget, &own)) {
    *program = p;
    return WEBNN_OK;
  }
  webnn_xla_free_program(p);
  if (error) {
    *error = own;
  }
  return own.status;
}

/* ==============================================================================================
   9  functions and bits
   ============================================================================================== */

static webnn_xla__handle webnn_xla__f32(webnn_xla__lowering *l, double number) {
  return webnn_xla__lower_number(l, WEBNN_XLA_F32, number);
}

/* x op number, in the graph type: nothing wraps or is rounded to the type. */
static webnn_xla__handle webnn_xla__apply_by(webnn_xla__lowering *l,
                                             webnn_xla__binary_method method, webnn_xla__handle x,
                                             webnn_xla__handle number) {
  return x ? webnn_xla__apply2(l, method, x->type, x, number) : NULL;
}

static webnn_xla__handle webnn_xla__compare(webnn_xla__lowering *l, webnn_xla__binary_method method,
                                            webnn_xla__handle x, webnn_xla__handle y) {
  return webnn_xla__apply2(l, method, WEBNN_XLA_PRED, x, y);
}

static webnn_xla__handle webnn_xla__compare_by(webnn_xla__lowering *l,
                                               webnn_xla__binary_method method, webnn_xla__handle x,
                                               double number) {
  return x ? webnn_xla__compare(l, method, x, webnn_xla__lower_number(l, x->type, number)) : NULL;
}

/* ---- Arithmetic in float32 that other operations are written in ------------------------------ */

/* Operations of float32, in which functions below are written: these are names as in a formula. */
static webnn_xla__handle webnn_xla__minus(webnn_xla__lowering *l, webnn_xla__handle x,
                                          webnn_xla__handle y) {
  return webnn_xla__apply2(l, webnn_sub, WEBNN_XLA_F32, x, y);
}

static webnn_xla__handle webnn_xla__times(webnn_xla__lowering *l, webnn_xla__handle x,
                                          webnn_xla__handle y) {
  return webnn_xla__apply2(l, webnn_mul, WEBNN_XLA_F32, x, y);
}

static webnn_xla__handle webnn_xla__over(webnn_xla__lowering *l, webnn_xla__handle x,
                                         webnn_xla__handle y) {
  return webnn_xla__apply2(l, webnn_div, WEBNN_XLA_F32, x, y);
}

static webnn_xla__handle webnn_xla__magnitude(webnn_xla__lowering *l, webnn_xla__handle x) {
  return webnn_xla__apply1(l, webnn_abs, WEBNN_XLA_F32, x);
}

/* ---- Rounding to fewer bits ------------------------------------------------------------------ */

/* A float32 with m bits behind the point, as a format whose smallest normal number
   is 2^least has it. */
static webnn_xla__handle webnn_xla__round_bits(webnn_xla__lowering *l, webnn_xla__handle x,
                                               uint32_t m, int least) {
  webnn_operand *operand = webnn_xla__reach(l, x);
  return webnn_xla__made(l, WEBNN_XLA_F32, webnn_xla__sizes(x),
                         webnn_extra_round_bits(webnn_xla__extra(l), operand, m, least));
}

/* Floats are rounded, and integers wrap. */
static webnn_xla__handle webnn_xla__settle(webnn_xla__lowering *l, webnn_xla__handle x) {
  const webnn_xla_type type = x ? x->type : WEBNN_XLA_F32;
  webnn_operand *operand;
  if (!x || !webnn_xla__type_of(type)->is_widened) {
    return x;
  }
  operand = webnn_xla__reach(l, x);
  operand = type == WEBNN_XLA_BF16
                ? webnn_extra_to_bfloat16(webnn_xla__extra(l), operand)
                : webnn_extra_wrapped(webnn_xla__extra(l), operand, webnn_xla__type_of(type)->bits);
  return webnn_xla__made(l, type, x->shape, operand);
}

/* ---- Conversions to widened types ------------------------------------------------------------ */

/* Integers without the bits that would be rounded twice on their way through
   float32 to bfloat16. */
static webnn_xla__handle webnn_xla__before_bfloat16(webnn_xla__lowering *l, webnn_xla__handle x) {
  const webnn_xla__type_row *row = webnn_xla__type_of(x->type);
  webnn_operand *operand = webnn_xla__reach(l, x);
  return webnn_xla__made(
      l, x->type, x->shape,
      webnn_extra_before_bfloat16(webnn_xla__extra(l), operand, row->bits, row->is_signed));
}

/* Floats as a widened integer type: what is outside becomes the nearest number inside. */
static webnn_xla__handle webnn_xla__saturate(webnn_xla__lowering *l, webnn_xla__handle x,
                                             webnn_xla_type type) {
  int64_t low = 0, high = 0;
  webnn_xla__range(type, &low, &high);
  x = webnn_xla__cast(l, x, WEBNN_XLA_S32);
  x = webnn_xla__apply_by(l, webnn_max, x, webnn_xla__lower_number(l, WEBNN_XLA_S32, (double)low));
  x = webnn_xla__apply_by(l, webnn_min, x, webnn_xla__lower_number(l, WEBNN_XLA_S32, (double)high));
  return webnn_xla__cast(l, x, type);
}

static webnn_xla__handle webnn_xla__convert_widened(webnn_xla__lowering *l, webnn_xla__handle x,
                                                    webnn_xla_type type) {
  if (webnn_xla__is_float(x->type) && !webnn_xla__is_float(type)) {
    return webnn_xla__saturate(l, x, type);
  }
  if (type == WEBNN_XLA_BF16 && webnn_xla__is_integer(x->type)) {
    x = webnn_xla__before_bfloat16(l, x);
  }
  return x ? webnn_xla__settle(l, webnn_xla__cast(l, x, type)) : NULL;
}

/* ---- Functions of one float ------------------------------------------------------------------ */

static webnn_operand *webnn_xla__rsqrt(webnn_extra e, webnn_operand *x) {
  return webnn_extra__1(e, webnn_reciprocal, webnn_extra__1(e, webnn_sqrt, x));
}

static webnn_xla__handle webnn_xla__float_function(webnn_xla__lowering *l, webnn_xla_operation op,
                                                   webnn_xla__handle x) {
  static const struct {
    webnn_xla_operation op;
    webnn_operand *(*function)(webnn_extra e, webnn_operand *x);
  } functions[] = {{WEBNN_XLA_ACOS, webnn_extra_acos},
                   {WEBNN_XLA_ACOSH, webnn_extra_acosh},
                   {WEBNN_XLA_ASIN, webnn_extra_asin},
                   {WEBNN_XLA_ASINH, webnn_extra_asinh},
                   {WEBNN_XLA_ATAN, webnn_extra_atan},
                   {WEBNN_XLA_ATANH, webnn_extra_atanh},
                   {WEBNN_XLA_BESSEL_I1E, webnn_extra_bessel_i1e},
                   {WEBNN_XLA_CBRT, webnn_extra_cbrt},
                   {WEBNN_XLA_COSH, webnn_extra_cosh},
                   {WEBNN_XLA_DIGAMMA, webnn_extra_digamma},
                   {WEBNN_XLA_ERF_INV, webnn_extra_erf_inv},
                   {WEBNN_XLA_ERFC, webnn_extra_erfc},
                   {WEBNN_XLA_EXPM1, webnn_extra_expm1},
                   {WEBNN_XLA_LGAMMA, webnn_extra_lgamma},
                   {WEBNN_XLA_LOG1P, webnn_extra_log1p},
                   {WEBNN_XLA_ROUND_NEAREST_AFZ, webnn_extra_round_away},
                   {WEBNN_XLA_RSQRT, webnn_xla__rsqrt},
                   {WEBNN_XLA_SIGN, webnn_extra_sign},
                   {WEBNN_XLA_SINH, webnn_extra_sinh}};
  webnn_operand *operand;
  size_t i = 0;
  while (i < sizeof functions / sizeof functions[0] && functions[i].op != op) {
    i++;
  }
  if (i == sizeof functions / sizeof functions[0]) {
    return webnn_xla__refuse(l, "it is no function of one float");
  }
  operand = webnn_xla__reach(l, x);
  return webnn_xla__made(l, WEBNN_XLA_F32, webnn_xla__sizes(x),
                         functions[i].function(webnn_xla__extra(l), operand));
}

/* The angle of the point (x, y). */
static webnn_xla__handle webnn_xla__angle(webnn_xla__lowering *l, webnn_xla__handle y,
                                          webnn_xla__handle x) {
  webnn_xla__handle both[] = {y, x};
  if (!webnn_xla__meet(l, both, 2)) {
    return NULL;
  }
  return webnn_xla__made(
      l, WEBNN_XLA_F32, webnn_xla__common(y, x),
      webnn_extra_atan2(webnn_xla__extra(l), webnn_xla__held(l, y), webnn_xla__held(l, x)));
}

/* ---- Bits on the host ------------------------------------------------------------------------ */

/* Element i of a graph type's memory: the bits of its type, and 0 above them. */
static uint64_t webnn_xla__load_bits(webnn_xla_type type, const void *data, size_t i) {
  const uint32_t bits = webnn_xla__type_of(type)->bits;
  uint64_t value = 0;
  uint32_t word;
  uint16_t half;
  switch (webnn_xla__graph_bytes(type)) {
  case 1:
    value = ((const uint8_t *)data)[i];
    break;
  case 2:
    memcpy(&half, (const char *)data + 2 * i, 2);
    value = half;
    break;
  case 4:
    memcpy(&word, (const char *)data + 4 * i, 4);
    value = type == WEBNN_XLA_BF16 ? word >> 16 : word;
    break;
  default:
    memcpy(&value, (const char *)data + 8 * i, 8);
  }
  return bits < 64 ? value & (((uint64_t)1 << bits) - 1) : value;
}

/* The number that the lowest bits are; a signed type's sign is repeated above them. */
static uint64_t webnn_xla__extended(webnn_xla_type type, uint64_t value) {
  const webnn_xla__type_row *row = webnn_xla__type_of(type);
  const uint64_t sign = (uint64_t)1 << (row->bits - 1);
  value &= sign | (sign - 1);
  return row->is_signed && !row->is_float ? (value ^ sign) - sign : value;
}

static void webnn_xla__store_bits(webnn_xla_type type, void *data, size_t i, uint64_t value) {
  const uint64_t number = webnn_xla__extended(type, value);
  const uint32_t word = (uint32_t)(type == WEBNN_XLA_BF16 ? number << 16 : number);
  const uint16_t half = (uint16_t)number;
  switch (webnn_xla__graph_bytes(type)) {
  case 1:
    ((uint8_t *)data)[i] = (uint8_t)number;
    break;
  case 2:
    memcpy((char *)data + 2 * i, &half, 2);
    break;
  case 4:
    memcpy((char *)data + 4 * i, &word, 4);
    break;
  default:
    memcpy((char *)data + 8 * i, &number, 8);
  }
}

static uint32_t webnn_xla__count_ones(uint64_t x) {
  uint32_t count = 0;
  for (; x; x &= x - 1) {
    count++;
  }
  return count;
}

static uint32_t webnn_xla__length(uint64_t x) {
  uint32_t length = 0;
  for (; x; x >>= 1) {
    length++;
  }
  return length;
}

/* ---- Exact remainders of floats -------------------------------------------------------------- */

/* A float format: the bits of the exponent and of the mantissa. */
typedef struct webnn_xla__format {
  uint32_t exponent, mantissa;
} webnn_xla__format;

static webnn_xla__format webnn_xla__format_of(webnn_xla_type type) {
  webnn_xla__format f;
  f.exponent = type == WEBNN_XLA_F16 ? 5 : 8;
  f.mantissa = webnn_xla__type_of(type)->bits - 1 - f.exponent;
  return f;
}

/* The remainder of x / y with the sign of x, of which nothing is lost: with x = p 2^i and y = q 2^k
   in integers, i >= k, it is (p 2^(i - k) mod q) 2^k. */
static uint64_t webnn_xla__float_remainder(webnn_xla__format f, uint64_t x, uint64_t y) {
  const uint64_t one = (uint64_t)1 << f.mantissa;
  const uint64_t infinity = (((uint64_t)1 << f.exponent) - 1) << f.mantissa;
  const uint64_t sign = x & (one << f.exponent), a = x ^ sign, b = y & ((one << f.exponent) - 1);
  uint64_t i = a >> f.mantissa, k = b >> f.mantissa, p = a & (one - 1), q = b & (one - 1);
  if (a >= infinity || b > infinity || b == 0) {
    return infinity | one >> 1; /* NaN */
  }
  if (a < b) {
    return x;
  }
  p = i ? p | one : p;
  q = k ? q | one : q;
  i = i ? i : 1;
  k = k ? k : 1;
  for (p %= q; i > k && p; p %= q) { /* p < q < 2^24, and 2^32 p fits */
    const uint64_t step = i - k < 32 ? i - k : 32;
    p <<= step;
    i -= step;
  }
  for (; p && p < one && k > 1; k--) {
    p <<= 1;
  }
  return sign | (p >= one ? k << f.mantissa | (p ^ one) : p);
}

/* The float next to x on the side of y; y itself where they are equal. */
static uint64_t webnn_xla__next_after(webnn_xla__format f, uint64_t x, uint64_t y) {
  const uint64_t sign = (uint64_t)1 << (f.exponent + f.mantissa);
  const uint64_t infinity = (((uint64_t)1 << f.exponent) - 1) << f.mantissa;
  const uint64_t a = x & ~sign, b = y & ~sign;
  if (a > infinity || b > infinity) {
    return a > infinity ? x : y; /* NaN */
  }
  if (x == y || (a | b) == 0) {
    return y;
  }
  if (a == 0) {
    return (y & sign) | 1;
  }
  return ((x ^ y) & sign) == 0 && b > a ? x + 1 : x - 1;
}

/* ---- Steps that look at bits ----------------------------------------------------------------- */

typedef struct webnn_xla__bits_options {
  uint32_t op;
  webnn_xla_operation comparison; /* of COMPARE_TOTAL_ORDER */
} webnn_xla__bits_options;

/* Bits that order floats as integers are: -NaN, -infinity, ... -0, 0, ... infinity, NaN. */
static uint64_t webnn_xla__total_order(uint32_t bits, uint64_t x) {
  const uint64_t sign = (uint64_t)1 << (bits - 1);
  return x & sign ? (sign | (sign - 1)) ^ x : x | sign;
}

static bool webnn_xla__holds(webnn_xla_operation comparison, uint64_t x, uint64_t y) {
  switch (comparison) {
  case WEBNN_XLA_EQ:
    return x == y;
  case WEBNN_XLA_NE:
    return x != y;
  case WEBNN_XLA_GE:
    return x >= y;
  case WEBNN_XLA_GT:
    return x > y;
  case WEBNN_XLA_LE:
    return x <= y;
  default:
    return x < y;
  }
}

/* Shifts by the width or more leave nothing, or the sign. */
static uint64_t webnn_xla__shifted(uint32_t op, uint32_t bits, uint64_t x, uint64_t y) {
  const uint64_t sign = x >> (bits - 1) & 1, all = ~(uint64_t)0;
  if (y >= bits) {
    return op == WEBNN_XLA_SHIFT_RIGHT_ARITHMETIC && sign ? all : 0;
  }
  if (op == WEBNN_XLA_SHIFT_LEFT) {
    return x << y;
  }
  x >>= y;
  return op == WEBNN_XLA_SHIFT_RIGHT_ARITHMETIC && sign && y ? x | all << (bits - y) : x;
}

static uint64_t webnn_xla__bits_result(const webnn_xla__bits_options *o, webnn_xla_type type,
                                       uint64_t x, uint64_t y) {
  const uint32_t bits = webnn_xla__type_of(type)->bits;
  switch (o->op) {
  case WEBNN_XLA_NOT:
    return ~x;
  case WEBNN_XLA_POPCNT:
    return webnn_xla__count_ones(x);
  case WEBNN_XLA_CLZ:
    return bits - webnn_xla__length(x);
  case WEBNN_XLA_AND:
    return x & y;
  case WEBNN_XLA_OR:
    return x | y;
  case WEBNN_XLA_XOR:
    return x ^ y;
  case WEBNN_XLA_NEXT_AFTER:
    return webnn_xla__next_after(webnn_xla__format_of(type), x, y);
  case WEBNN_XLA_REM:
    return webnn_xla__float_remainder(webnn_xla__format_of(type), x, y);
  case WEBNN_XLA__COMPARE_TOTAL_ORDER:
    return webnn_xla__holds(o->comparison, webnn_xla__total_order(bits, x),
                            webnn_xla__total_order(bits, y));
  default:
    return webnn_xla__shifted(o->op, bits, x, y);
  }
}

/* Arguments have as many elements as the result, or one for all. */
static bool webnn_xla__run_bits(webnn_xla_program *p, webnn_xla__step *step, webnn_error *error) {
  const webnn_xla__bits_options *o = (const webnn_xla__bits_options *)step->options;
  const webnn_xla__slot *out = &p->slots[step->outputs[0]], *in[2];
  void *arguments[2], *elements = malloc(out->byte_length);
  const size_t last = step->input_count - 1;
  size_t i;
  bool done = elements != NULL || webnn_xla__out_of_memory(error);
  in[0] = &p->slots[step->inputs[0]];
  in[1] = &p->slots[step->inputs[last]];
  arguments[0] = done ? webnn_xla__fetch(p, step->inputs[0], error) : NULL;
  arguments[1] = arguments[0] && last ? webnn_xla__fetch(p, step->inputs[1], error) : arguments[0];
  done = done && arguments[0] && arguments[1];
  for (i = 0; done && i < out->count; i++) {
    const uint64_t x = webnn_xla__load_bits(in[0]->type, arguments[0], in[0]->count > 1 ? i : 0);
    const uint64_t y = webnn_xla__load_bits(in[1]->type, arguments[1], in[1]->count > 1 ? i : 0);
    webnn_xla__store_bits(out->type, elements, i, webnn_xla__bits_result(o, in[0]->type, x, y));
  }
  done = done && webnn_xla__store(p, step->outputs[0], elements, error);
  if (last) {
    free(arguments[1]);
  }
  free(arguments[0]);
  free(elements);
  return done;
}

/* A step on one or two arrays, element by element; those of one element are for all. */
static webnn_xla__handle webnn_xla__add_bits_step(webnn_xla__lowering *l,
                                                  webnn_xla__bits_options options,
                                                  webnn_xla__handle x, webnn_xla__handle y,
                                                  webnn_xla_type type) {
  webnn_xla__handle arguments[] = {x, y}, result;
  webnn_xla__step *step;
  webnn_list shape;
  size_t i;
  shape = y ? webnn_xla__common(x, y) : x->shape;
  for (i = 0; i < (y ? 2u : 1u); i++) {
    if (webnn_xla__count(arguments[i]->shape) > 1) {
      arguments[i] =
          webnn_xla__lower_broadcast(l, arguments[i], shape, webnn_xla__counted(shape.count));
    }
  }
  result = webnn_xla__new_array(l, type, shape, 0);
  step = webnn_xla__add_step(l, WEBNN_XLA_STEP_BITS, webnn_xla__run_bits, arguments, y ? 2 : 1,
                             &result, 1, false);
  if (step) {
    step->options = webnn_xla__lasting(l, &options, sizeof options);
  }
  return step && step->options ? result : NULL;
}

/* ---- Integers -------------------------------------------------------------------------------- */

/* The quotient toward zero; of 0 as XLA has it, all bits set. (WebNN's is 0.) */
static webnn_xla__handle webnn_xla__integer_quotient(webnn_xla__lowering *l, webnn_xla__handle x,
                                                     webnn_xla__handle y) {
  webnn_xla__handle q = webnn_xla__apply2(l, webnn_div, x->type, x, y), zero, ones;
  if (y->literal && y->literal->splat && !webnn_xla__is_zero(y)) {
    return webnn_xla__settle(l, q);
  }
  zero = webnn_xla__lower_number(l, y->type, 0);
  ones = webnn_xla__apply_by(l, webnn_sub, zero, webnn_xla__lower_number(l, y->type, 1));
  return webnn_xla__settle(
      l, webnn_xla__lower_select(l, webnn_xla__compare(l, webnn_equal, y, zero), ones, q));
}

/* x - y (x / y): x itself for 0, since 0 times any quotient is 0. */
static webnn_xla__handle webnn_xla__integer_remainder(webnn_xla__lowering *l, webnn_xla__handle x,
                                                      webnn_xla__handle y) {
  webnn_xla__handle q = webnn_xla__apply2(l, webnn_div, x->type, x, y);
  q = q ? webnn_xla__apply2(l, webnn_mul, x->type, q, y) : NULL;
  return q ? webnn_xla__settle(l, webnn_xla__apply2(l, webnn_sub, x->type, x, q)) : NULL;
}

/* ---- The operations -------------------------------------------------------------------------- */

static webnn_xla__handle webnn_xla__lower_function(webnn_xla__lowering *l, webnn_xla_operation op,
                                                   webnn_xla__handle x) {
  webnn_xla__bits_options o;
  if (webnn_xla__is_float(x->type)) {
    return webnn_xla__lower_convert(
        l, webnn_xla__float_function(l, op, webnn_xla__cast(l, x, WEBNN_XLA_F32)), x->type);
  }
  if (op == WEBNN_XLA_SIGN) {
    return webnn_xla__apply1(l, webnn_sign, x->type, x);
  }
  o.op = op;
  o.comparison = op;
  return webnn_xla__add_bits_step(l, o, x, NULL, x->type);
}

static webnn_xla__handle webnn_xla__lower_function2(webnn_xla__lowering *l, webnn_xla_operation op,
                                                    webnn_xla__handle x, webnn_xla__handle y) {
  webnn_xla__bits_options o;
  if (op == WEBNN_XLA_POW) { /* of integers, too: WebNN's is modulo 2^bits, and 0 below 1 */
    return webnn_xla__settle(l, webnn_xla__apply2(l, webnn_pow, x->type, x, y));
  }
  if (op == WEBNN_XLA_ATAN2) {
    return webnn_xla__lower_convert(l,
                                    webnn_xla__angle(l, webnn_xla__cast(l, x, WEBNN_XLA_F32),
                                                     webnn_xla__cast(l, y, WEBNN_XLA_F32)),
                                    x->type);
  }
  if (op == WEBNN_XLA_DIV) {
    return webnn_xla__integer_quotient(l, x, y);
  }
  if (op == WEBNN_XLA_REM && !webnn_xla__is_float(x->type)) {
    return webnn_xla__integer_remainder(l, x, y);
  }
  o.op = op;
  o.comparison = op;
  return webnn_xla__add_bits_step(l, o, x, y, x->type);
}

WEBNN_XLA__DO(total_order) {
  webnn_xla__bits_options o;
  o.op = i->op;
  o.comparison = *(const webnn_xla_operation *)i->options;
  results[0] = webnn_xla__add_bits_step(l, o, arguments[0], arguments[1], WEBNN_XLA_PRED);
  return results[0] != NULL;
}

/* Elements of few bits are parts of those of many, the first the lowest. */
static bool webnn_xla__run_bitcast(webnn_xla_program *p, webnn_xla__step *step,
                                   webnn_error *error) {
  const webnn_xla__slot *in = &p->slots[step->inputs[0]], *out = &p->slots[step->outputs[0]];
  const uint32_t from = webnn_xla__type_of(in->type)->bits;
  const uint32_t to = webnn_xla__type_of(out->type)->bits;
  const uint32_t parts = from > to ? from / to : to / from;
  void *argument = webnn_xla__fetch(p, step->inputs[0], error);
  void *elements = argument ? malloc(out->byte_length) : NULL;
  bool done = elements != NULL || (argument && webnn_xla__out_of_memory(error));
  size_t i, k;
  for (i = 0; done && i < out->count; i++) {
    uint64_t bits = 0;
    if (from >= to) {
      bits = webnn_xla__load_bits(in->type, argument, i / parts) >> (to * (uint32_t)(i % parts));
    } else {
      for (k = 0; k < parts; k++) {
        bits |= webnn_xla__load_bits(in->type, argument, i * parts + k) << (from * k);
      }
    }
    webnn_xla__store_bits(out->type, elements, i, bits);
  }
  done = done && webnn_xla__store(p, step->outputs[0], elements, error);
  free(elements);
  free(argument);
  return done;
}

WEBNN_XLA__DO(bitcast_convert) {
  const webnn_xla_shape *shape = &i->results[0].shape;
  const uint32_t from = webnn_xla__type_of(arguments[0]->type)->bits;
  if (shape->type == arguments[0]->type) {
    results[0] = arguments[0];
    return true;
  }
  if (l->batch.given && webnn_xla__type_of(shape->type)->bits != from) {
    return webnn_xla__refuse(l, "it cannot be in a function that is applied to each element");
  }
  results[0] = webnn_xla__new_array(l, shape->type,
                                    l->batch.given ? arguments[0]->shape : shape->dimensions, 0);
  return webnn_xla__add_step(l, WEBNN_XLA_STEP_BITS, webnn_xla__run_bitcast, arguments, 1, results,
                             1, false) != NULL;
}

/* Beyond what e bits of exponent can say is infinity, and below their normal numbers is 0, with the
   sign: the limits are 2^(2^(e - 1)) and 2^(2 - 2^(e - 1)). */
static webnn_xla__handle webnn_xla__reduce_range(webnn_xla__lowering *l, webnn_xla__handle x,
                                                 uint32_t e) {
  const int limit = 1 << (e - 1);
  webnn_xla__handle magnitude = webnn_xla__magnitude(l, x), y;
  y = webnn_xla__lower_select(
      l,
      webnn_xla__compare_by(l, webnn_greater_or_equal, magnitude, webnn_extra__power_of_two(limit)),
      webnn_xla__times(l, x, webnn_xla__f32(l, webnn_extra__infinity())), x);
  return webnn_xla__lower_select(
      l, webnn_xla__compare_by(l, webnn_lesser, magnitude, webnn_extra__power_of_two(2 - limit)),
      webnn_xla__times(l, x, webnn_xla__f32(l, 0)), y);
}

/* As XLA has it: first the mantissa is rounded, in the operand's own format (below its
   normal numbers the point is fixed), then the range is cut. NaN stays, but for m = 0, where
   a format has none. */
WEBNN_XLA__DO(reduce_precision) {
  const webnn_xla__precision *o = (const webnn_xla__precision *)i->options;
  const webnn_xla_type type = arguments[0]->type;
  const webnn_xla__format f = webnn_xla__format_of(type);
  webnn_xla__handle x = webnn_xla__cast(l, arguments[0], WEBNN_XLA_F32);
  if (o->mantissa_bits < f.mantissa) {
    x = webnn_xla__round_bits(l, x, o->mantissa_bits, f.exponent == 5 ? -14 : -126);
    if (f.exponent == 5) { /* what has become 65536 is infinite before the range is looked at */
      x = webnn_xla__cast(l, webnn_xla__cast(l, x, WEBNN_XLA_F16), WEBNN_XLA_F32);
    }
  }
  if (o->exponent_bits < f.exponent && x) {
    x = webnn_xla__reduce_range(l, x, o->exponent_bits);
  }
  if (o->mantissa_bits == 0 && x) {
    x = webnn_xla__lower_select(l, webnn_xla__compare(l, webnn_equal, x, x), x,
                                webnn_xla__f32(l, webnn_extra__infinity()));
  }
  results[0] = webnn_xla__cast(l, x, type);
  return results[0] != NULL;
}

/* ---- Quantization ---------------------------------------------------------------------------- */

/* Scales or zero points of a type, one for all or along the axis, with as many dimensions as x. */
static webnn_xla__handle webnn_xla__quantization_numbers(webnn_xla__lowering *l,
                                                         const webnn_xla__array *x,
                                                         const webnn_xla_quantization *q,
                                                         webnn_xla_type type, bool scales) {
  const size_t size = webnn_xla__graph_bytes(type);
  webnn_list shape = webnn_extra__repeat(1, x->shape.count);
  uint8_t *elements = (uint8_t *)webnn_xla__temporary(l, q->count * size);
  size_t i;
  if (!elements) {
    return NULL;
  }
  if (q->count > 1 && q->axis < shape.count) {
    shape.items[q->axis] = (uint32_t)q->count;
  }
  for (i = 0; i < q->count; i++) {
    const uint64_t integer = (uint64_t)q->zero_points[i];
    if (scales) {
      memcpy(elements + i * size, &q->scales[i], sizeof q->scales[i]);
    } else {
      webnn_xla__store_bits(type, elements, i, integer);
    }
  }
  return webnn_xla__lower_constant(l, type, shape, elements, false);
}

/* Does WebNN's quantizeLinear or dequantizeLinear do it? It has float32's scales, and clamps to the
   whole range of the type. */
static bool webnn_xla__is_linear(const webnn_xla_quantization *q, bool clamps) {
  int64_t low = 0, high = 0;
  webnn_xla__range(q->storage_type, &low, &high);
  return q->expressed_type == WEBNN_XLA_F32 &&
         (q->storage_type == WEBNN_XLA_S8 || q->storage_type == WEBNN_XLA_U8 ||
          q->storage_type == WEBNN_XLA_S32) &&
         (!clamps || (q->storage_min == low && q->storage_max == high));
}

typedef webnn_operand *(*webnn_xla__linear_method)(webnn_builder *, webnn_operand *,
                                                   webnn_operand *, webnn_operand *,
                                                   const webnn_operator_options *);

static webnn_xla__handle
webnn_xla__apply_linear(webnn_xla__lowering *l, webnn_xla__linear_method method,
                        webnn_xla__handle x, const webnn_xla_quantization *q, webnn_xla_type type) {
  webnn_xla__handle all[3];
  webnn_operand *operands[3];
  size_t i;
  all[0] = x;
  all[1] = webnn_xla__quantization_numbers(l, x, q, WEBNN_XLA_F32, true);
  all[2] = webnn_xla__quantization_numbers(l, x, q, q->storage_type, false);
  if (!webnn_xla__meet(l, all, 3)) {
    return NULL;
  }
  for (i = 0; i < 3; i++) {
    operands[i] = webnn_xla__whole(l, all[i]);
  }
  return webnn_xla__made(l, type, x->shape,
                         method(l->b, operands[0], operands[1], operands[2], &l->options));
}

/* round(x / scale), in float32, and the rest in integers: of 64 bits, so that the sum cannot wrap
   once the quotient is between -2^62 and 2^62. */
static webnn_xla__handle webnn_xla__quantize_by_parts(webnn_xla__lowering *l, webnn_xla__handle x,
                                                      const webnn_xla_quantization *q) {
  const webnn_xla_type wide = WEBNN_XLA_S64;
  const double most = webnn_extra__power_of_two(62);
  int64_t range[2];
  webnn_xla__handle limits;
  x = webnn_xla__cast(l, x, WEBNN_XLA_F32);
  x = x ? webnn_xla__over(l, x, webnn_xla__quantization_numbers(l, x, q, WEBNN_XLA_F32, true))
        : NULL;
  x = webnn_xla__apply1(l, webnn_round_even, WEBNN_XLA_F32, x);
  x = webnn_xla__apply_by(l, webnn_max, x, webnn_xla__f32(l, -most));
  x = webnn_xla__apply_by(l, webnn_min, x, webnn_xla__f32(l, most));
  x = webnn_xla__cast(l, x, wide);
  x = x ? webnn_xla__apply2(l, webnn_add, wide, x,
                            webnn_xla__quantization_numbers(l, x, q, wide, false))
        : NULL;
  range[0] = q->storage_min;
  range[1] = q->storage_max;
  limits = webnn_xla__lower_constant(l, wide, webnn_extra__no_items(), &range[0], true);
  x = webnn_xla__apply_by(l, webnn_max, x, limits);
  limits = webnn_xla__lower_constant(l, wide, webnn_extra__no_items(), &range[1], true);
  return webnn_xla__cast(l, webnn_xla__apply_by(l, webnn_min, x, limits), q->storage_type);
}

static webnn_xla__handle webnn_xla__dequantize_by_parts(webnn_xla__lowering *l, webnn_xla__handle x,
                                                        const webnn_xla_quantization *q) {
  const webnn_xla_type wide = WEBNN_XLA_S64;
  x = webnn_xla__cast(l, x, wide);
  x = x ? webnn_xla__apply2(l, webnn_sub, wide, x,
                            webnn_xla__quantization_numbers(l, x, q, wide, false))
        : NULL;
  x = webnn_xla__cast(l, x, WEBNN_XLA_F32);
  x = x ? webnn_xla__times(l, x, webnn_xla__quantization_numbers(l, x, q, WEBNN_XLA_F32, true))
        : NULL;
  return webnn_xla__lower_convert(l, x, q->expressed_type);
}

/* In a function of scalars that stands for arrays there is no axis, but one scale. */
WEBNN_XLA__DO(uniform_quantize) {
  const webnn_xla_quantization *q = (const webnn_xla_quantization *)i->options;
  results[0] =
      webnn_xla__is_linear(q, true)
          ? webnn_xla__apply_linear(l, webnn_quantize_linear, arguments[0], q, q->storage_type)
          : webnn_xla__quantize_by_parts(l, arguments[0], q);
  return results[0] != NULL;
}

WEBNN_XLA__DO(uniform_dequantize) {
  const webnn_xla_quantization *q = (const webnn_xla_quantization *)i->options;
  results[0] =
      webnn_xla__is_linear(q, false)
          ? webnn_xla__apply_linear(l, webnn_dequantize_linear, arguments[0], q, q->expressed_type)
          : webnn_xla__dequantize_by_parts(l, arguments[0], q);
  return results[0] != NULL;
}

/* ---- Random numbers -------------------------------------------------------------------------- */

/* splitmix64: a counter, and a function that mixes its bits. */
static uint64_t webnn_xla__next_random(webnn_xla_program *p) {
  uint64_t x = p->root->random += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* An integer below `range`, all equally often: draws of an incomplete last turn are not taken. 0
   stands for 2^64. */
static uint64_t webnn_xla__random_below(webnn_xla_program *p, uint64_t range) {
  const uint64_t left = range ? (0 - range) % range : 0; /* 2^64 mod range */
  uint64_t draw = webnn_xla__next_random(p);
  while (draw < left) {
    draw = webnn_xla__next_random(p);
  }
  return range ? draw % range : draw;
}

static float webnn_xla__float_of(webnn_xla_type type, const void *data) {
  float number = 0;
  uint16_t half;
  if (type == WEBNN_XLA_F16) {
    memcpy(&half, data, 2);
    return webnn_float16_to_float32(half);
  }
  memcpy(&number, data, 4); /* the graph type of bfloat16 is float32 */
  return number;
}

/* A float of a type on [low, high); low where there is no other. A sum that is rounded up to
   high is drawn again. */
static float webnn_xla__random_float(webnn_xla_program *p, webnn_xla_type type, float low,
                                     float high) {
  int tries;
  for (tries = 0; tries < 100 && low < high; tries++) {
    const double u = (double)(webnn_xla__next_random(p) >> 11) * (1.0 / 9007199254740992.0);
    float number = (float)((double)low + u * ((double)high - (double)low));
    if (type == WEBNN_XLA_F16) {
      number = webnn_float16_to_float32(webnn_float32_to_float16(number));
    } else if (type == WEBNN_XLA_BF16) {
      number = webnn_xla__float_of_bits((uint32_t)webnn_xla__to_bfloat16(number) << 16);
    }
    if (number >= low && number < high) {
      return number;
    }
  }
  return low;
}

static void webnn_xla__fill_random(webnn_xla_program *p, const webnn_xla__slot *s, const void *low,
                                   const void *high, uint8_t *elements) {
  const size_t size = s->byte_length / s->count;
  const uint64_t first = webnn_xla__load_bits(s->type, low, 0);
  const uint64_t range = webnn_xla__extended(s->type, webnn_xla__load_bits(s->type, high, 0)) -
                         webnn_xla__extended(s->type, first);
  size_t i;
  for (i = 0; i < s->count; i++) {
    if (webnn_xla__is_float(s->type)) {
      const float number = webnn_xla__random_float(p, s->type, webnn_xla__float_of(s->type, low),
                                                   webnn_xla__float_of(s->type, high));
      const uint16_t half = webnn_float32_to_float16(number);
      memcpy(elements + i * size, size == 2 ? (const void *)&half : (const void *)&number, size);
    } else { /* an empty range gives its first number */
      webnn_xla__store_bits(s->type, elements, i,
                            first + (range ? webnn_xla__random_below(p, range) : 0));
    }
  }
}

static bool webnn_xla__run_uniform(webnn_xla_program *p, webnn_xla__step *step,
                                   webnn_error *error) {
  const webnn_xla__slot *s = &p->slots[step->outputs[0]];
  void *low = webnn_xla__fetch(p, step->inputs[0], error);
  void *high = low ? webnn_xla__fetch(p, step->inputs[1], error) : NULL;
  uint8_t *elements = high ? (uint8_t *)malloc(s->byte_length) : NULL;
  bool done = elements != NULL || (high && webnn_xla__out_of_memory(error));
  if (done) {
    webnn_xla__fill_random(p, s, low, high, elements);
    done = webnn_xla__store(p, step->outputs[0], elements, error);
  }
  free(elements);
  free(high);
  free(low);
  return done;
}

WEBNN_XLA__DO(rng_uniform) {
  return webnn_xla__new_results(l, i, results) &&
         webnn_xla__add_step(l, WEBNN_XLA_STEP_RANDOM, webnn_xla__run_uniform, arguments, 2,
                             results, 1, false) != NULL;
}

/* ---- Threefry and Philox --------------------------------------------------------------------- */

/* J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011). A key
   and a counter give a block of 32-bit words. */
typedef struct webnn_xla__block_words {
  uint32_t w[4];
} webnn_xla__block_words;

/* Threefry-2x32 with 20 rounds. */
static webnn_xla__block_words webnn_xla__threefry(uint64_t key, uint64_t counter) {
  static const uint32_t turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  webnn_xla__block_words b;
  uint32_t keys[3], round, i;
  keys[0] = (uint32_t)key;
  keys[1] = (uint32_t)(key >> 32);
  keys[2] = keys[0] ^ keys[1] ^ 0x1bd11bdau;
  memset(&b, 0, sizeof b);
  b.w[0] = (uint32_t)counter + keys[0];
  b.w[1] = (uint32_t)(counter >> 32) + keys[1];
  for (round = 1; round <= 5; round++) {
    for (i = 0; i < 4; i++) {
      const uint32_t turn = turns[(round - 1) % 2][i];
      b.w[0] += b.w[1];
      b.w[1] = (b.w[1] << turn | b.w[1] >> (32 - turn)) ^ b.w[0];
    }
    b.w[0] += keys[round % 3];
    b.w[1] += keys[(round + 1) % 3] + round;
  }
  return b;
}

/* Philox-4x32 with 10 rounds; the counter has 128 bits. */
static webnn_xla__block_words webnn_xla__philox(uint64_t key, uint64_t low, uint64_t high) {
  webnn_xla__block_words b;
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  int round;
  b.w[0] = (uint32_t)low;
  b.w[1] = (uint32_t)(low >> 32);
  b.w[2] = (uint32_t)high;
  b.w[3] = (uint32_t)(high >> 32);
  for (round = 0; round < 10; round++) {
    const uint64_t p = (uint64_t)b.w[0] * 0xd2511f53u, q = (uint64_t)b.w[2] * 0xcd9e8d57u;
    b.w[0] = (uint32_t)(q >> 32) ^ b.w[1] ^ k0;
    b.w[1] = (uint32_t)q;
    b.w[2] = (uint32_t)(p >> 32) ^ b.w[3] ^ k1;
    b.w[3] = (uint32_t)p;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return b;
}

/* Where Threefry's two words go, as XLA has it: an array of 64-bit elements takes a block each. One
   of less takes a block for two neighbours along a dimension: the first that is even, or the
   longest; blocks are numbered as the array with that dimension halved. */
typedef struct webnn_xla__halves {
  size_t size, half, behind; /* of that dimension; the elements behind it */
  size_t blocks;
} webnn_xla__halves;

static webnn_xla__halves webnn_xla__halves_of(webnn_list shape) {
  webnn_xla__halves h;
  uint32_t i, even = shape.count, longest = 0, split;
  for (i = shape.count; i > 0; i--) {
    even = shape.items[i - 1] % 2 == 0 ? i - 1 : even;
    longest = shape.items[i - 1] >= shape.items[longest] ? i - 1 : longest;
  }
  split = even < shape.count ? even : longest;
  h.size = shape.count ? shape.items[split] : 1;
  h.half = (h.size + 1) / 2;
  h.behind = 1;
  for (i = split + 1; i < shape.count; i++) {
    h.behind *= shape.items[i];
  }
  h.blocks = webnn_xla__count(shape) / h.size * h.half;
  return h;
}

static uint64_t webnn_xla__threefry_element(const webnn_xla__halves *h, bool wide, uint64_t key,
                                            uint64_t counter, size_t i) {
  const size_t j = i / h->behind % h->size, before = i / h->behind / h->size;
  webnn_xla__block_words b;
  if (wide) {
    b = webnn_xla__threefry(key, counter + i);
    return b.w[0] | (uint64_t)b.w[1] << 32;
  }
  b = webnn_xla__threefry(key, counter + (before * h->half + j / 2) * h->behind + i % h->behind);
  return b.w[j % 2];
}

/* state: the key and the counter. */
static void webnn_xla__fill_threefry(const webnn_xla__slot *s, uint64_t *state, void *elements) {
  const bool wide = webnn_xla__type_of(s->type)->bits == 64;
  const webnn_xla__halves h = webnn_xla__halves_of(s->descriptor.shape);
  size_t i;
  for (i = 0; i < s->count; i++) {
    webnn_xla__store_bits(s->type, elements, i,
                          webnn_xla__threefry_element(&h, wide, state[0], state[1], i));
  }
  state[1] += wide ? s->count : h.blocks;
}

/* state: the key and the counter, low bits first; where there are only two numbers the first is the
   counter's upper half, too. A block gives four elements, or two of 64 bits, which take four words'
   room of the counter. */
static void webnn_xla__fill_philox(const webnn_xla__slot *s, uint64_t *state, size_t state_count,
                                   void *elements) {
  const size_t each = webnn_xla__type_of(s->type)->bits == 64 ? 2 : 4;
  const uint64_t low = state[1], high = state[state_count == 3 ? 2 : 0];
  webnn_xla__block_words b;
  size_t i;
  memset(&b, 0, sizeof b);
  for (i = 0; i < s->count; i++) {
    const size_t k = i % each;
    if (k == 0) {
      const uint64_t number = low + i / each;
      b = webnn_xla__philox(state[0], number, high + (number < low));
    }
    webnn_xla__store_bits(s->type, elements, i,
                          each == 2 ? b.w[2 * k] | (uint64_t)b.w[2 * k + 1] << 32 : b.w[k]);
  }
  state[1] = low + (s->count + each - 1) / each;
  if (state_count == 3) {
    state[2] = high + (state[1] < low);
  }
}

static bool webnn_xla__run_generator(webnn_xla_program *p, webnn_xla__step *step,
                                     webnn_error *error) {
  const webnn_xla__slot *s = &p->slots[step->outputs[1]];
  const webnn_xla_rng_algorithm algorithm = *(const webnn_xla_rng_algorithm *)step->options;
  uint64_t *state = (uint64_t *)webnn_xla__fetch(p, step->inputs[0], error);
  void *elements = state ? malloc(s->byte_length) : NULL;
  bool done = elements != NULL || (state && webnn_xla__out_of_memory(error));
  if (done && algorithm == WEBNN_XLA_RNG_PHILOX) {
    webnn_xla__fill_philox(s, state, p->slots[step->inputs[0]].count, elements);
  } else if (done) {
    webnn_xla__fill_threefry(s, state, elements);
  }
  done = done && webnn_xla__store(p, step->outputs[0], state, error) &&
         webnn_xla__store(p, step->outputs[1], elements, error);
  free(elements);
  free(state);
  return done;
}

WEBNN_XLA__DO(rng_bit_generator) {
  webnn_xla__step *step;
  if (!webnn_xla__new_results(l, i, results)) {
    return false;
  }
  step = webnn_xla__add_step(l, WEBNN_XLA_STEP_RANDOM, webnn_xla__run_generator, arguments, 1,
                             results, 2, false);
  if (step) {
    step->options = webnn_xla__lasting(l, i->options, sizeof(webnn_xla_rng_algorithm));
  }
  return step && step->options;
}

/* ==============================================================================================
   10  gather and scatter

   All of these operations read or write slices of an array, which begin where index vectors say.
   The array is taken as [outer, cells, row]: the dimensions before `first` and those from `limit`
   on are whole in each slice, and those between are numbered in memory's order. With starts s[b, k]
   in the dimensions map[k], slice b has the cells

       number[b, o] = sum over k of s[b, k] stride[map[k]] + place[b] + offset[o]

   in which offset[o] is the number of cell o of a slice at the origin, and place[b] what batching
   dimensions add. Then gathering is a take, and scattering a put, along one dimension.
   ============================================================================================== */

typedef struct webnn_xla__slices {
  webnn_list shape, sizes;               /* of the array, and of a slice in the same dimensions */
  webnn_list map;                        /* the dimension of each start */
  webnn_list batch;                      /* dimensions of the set of slices */
  webnn_list batching, indices_batching; /* dimensions of the array that are those of `batch` */
  uint32_t first, limit;
  int64_t strides[WEBNN_MAX_RANK]; /* of first ... limit - 1, in cells */
  uint32_t outer, cells, row;      /* shape = outer cells row */
  uint32_t slice_count, slice_cells;
} webnn_xla__slices;

/* The product of items from ... to - 1. */
static uint32_t webnn_xla__product(webnn_list list, uint32_t from, uint32_t to) {
  uint32_t product = 1, i;
  for (i = from; i < to; i++) {
    product *= list.items[i];
  }
  return product;
}

/* Everything else from shape, sizes, map and batch: first and limit bound the dimensions that are
   not whole in a slice. `from_first`: dimensions before them are numbered, too. */
static void webnn_xla__measure(webnn_xla__slices *s, bool indexed_is_whole, bool from_first) {
  const uint32_t rank = s->shape.count;
  uint32_t d;
  s->first = rank;
  s->limit = 0;
  for (d = 0; d < rank; d++) {
    if (s->sizes.items[d] != s->shape.items[d] ||
        (!indexed_is_whole && webnn_xla__contains(s->map, d))) {
      s->first = s->first < d ? s->first : d;
      s->limit = d + 1;
    }
  }
  s->first = from_first || s->limit == 0 ? 0 : s->first;
  s->limit = s->limit ? s->limit : 1;
  for (d = 0; d < rank; d++) {
    s->strides[d] = d < s->limit ? webnn_xla__product(s->shape, d + 1, s->limit) : 0;
  }
  s->outer = webnn_xla__product(s->shape, 0, s->first);
  s->cells = webnn_xla__product(s->shape, s->first, s->limit);
  s->row = webnn_xla__product(s->shape, s->limit, rank);
  s->slice_count = webnn_xla__product(s->batch, 0, s->batch.count);
  s->slice_cells = webnn_xla__product(s->sizes, s->first, s->limit);
}

/* Is the dimension numbered? */
static bool webnn_xla__is_numbered(const webnn_xla__slices *s, uint32_t d) {
  return d >= s->first && d < s->limit;
}

/* The index in dimension d of cell `cell` of a slice at the origin. */
static int64_t webnn_xla__offset_in(const webnn_xla__slices *s, uint32_t d, uint32_t cell) {
  return cell / webnn_xla__product(s->sizes, d + 1, s->limit) % s->sizes.items[d];
}

/* offset[cell] of the formula. */
static int64_t webnn_xla__cell_offset(const webnn_xla__slices *s, uint32_t cell) {
  int64_t offset = 0;
  uint32_t d;
  for (d = s->first; d < s->limit; d++) {
    offset += webnn_xla__offset_in(s, d, cell) * s->strides[d];
  }
  return offset;
}

/* place[slice] of the formula. */
static int64_t webnn_xla__slice_place(const webnn_xla__slices *s, uint32_t slice) {
  int64_t place = 0;
  uint32_t i;
  for (i = 0; i < s->batching.count; i++) {
    const uint32_t d = s->batching.items[i], along = s->indices_batching.items[i];
    const uint32_t inner = webnn_xla__product(s->batch, along + 1, s->batch.count);
    if (webnn_xla__is_numbered(s, d)) {
      place += slice / inner % s->batch.items[along] * s->strides[d];
    }
  }
  return place;
}

/* ---- Where slices begin ---------------------------------------------------------------------- */

/* Index vectors as starts [slices, k]. */
static webnn_xla__handle webnn_xla__starts_of(webnn_xla__lowering *l, webnn_xla__handle indices,
                                              uint32_t index_vector_dim,
                                              const webnn_xla__slices *s) {
  const uint32_t rank = indices->shape.count;
  webnn_list matrix = webnn_extra__list1(s->slice_count);
  webnn_extra__append(&matrix, s->map.count);
  if (index_vector_dim + 1 < rank) {
    const webnn_list last = webnn_extra__list1(index_vector_dim);
    indices = webnn_xla__lower_transpose(l, indices,
                                         webnn_xla__joined(webnn_xla__others(last, rank), last));
  }
  return webnn_xla__lower_reshape(l, indices, matrix);
}

/* As one row [1, n]. */
static webnn_xla__handle webnn_xla__lower_row(webnn_xla__lowering *l, webnn_xla_type type,
                                              const int64_t *integers, uint32_t n) {
  webnn_list shape = webnn_extra__list1(1);
  webnn_extra__append(&shape, n);
  return webnn_xla__lower_integers(l, type, shape, integers);
}

/* Starts [slices, k] as S32, brought into low[k] ... high[k]. The comparison is made in the type of
   the indices unless the bounds may not fit it, so that no index is too large. */
static webnn_xla__handle webnn_xla__bounded_starts(webnn_xla__lowering *l, webnn_xla__handle starts,
                                                   const int64_t *low, const int64_t *high) {
  webnn_xla_type type;
  uint32_t n;
  if (!starts) {
    return NULL;
  }
  n = starts->shape.items[1];
  if (webnn_xla__type_of(starts->type)->bits < 32) {
    starts = webnn_xla__lower_convert(l, starts, WEBNN_XLA_S32);
  }
  type = starts ? starts->type : WEBNN_XLA_S32;
  if (webnn_xla__type_of(type)->is_signed) {
    starts =
        webnn_xla__lower_binary(l, WEBNN_XLA_MAX, starts, webnn_xla__lower_row(l, type, low, n));
  }
  starts =
      webnn_xla__lower_binary(l, WEBNN_XLA_MIN, starts, webnn_xla__lower_row(l, type, high, n));
  return webnn_xla__lower_convert(l, starts, WEBNN_XLA_S32);
}

/* ... so that each slice is inside. */
static webnn_xla__handle webnn_xla__clamped_starts(webnn_xla__lowering *l, webnn_xla__handle starts,
                                                   const webnn_xla__slices *s) {
  int64_t low[WEBNN_MAX_RANK], high[WEBNN_MAX_RANK];
  uint32_t k;
  for (k = 0; k < s->map.count; k++) {
    const uint32_t d = s->map.items[k];
    low[k] = 0;
    high[k] = (int64_t)s->shape.items[d] - s->sizes.items[d];
  }
  return webnn_xla__bounded_starts(l, starts, low, high);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* offset[1, cells of a slice] and place[slices, 1]. */
static webnn_xla__handle webnn_xla__lower_offsets(webnn_xla__lowering *l,
                                                  const webnn_xla__slices *s) {
  int64_t *offsets = (int64_t *)webnn_xla__temporary(l, s->slice_cells * sizeof *offsets);
  uint32_t o;
  for (o = 0; offsets && o < s->slice_cells; o++) {
    offsets[o] = webnn_xla__cell_offset(s, o);
  }
  return offsets ? webnn_xla__lower_row(l, WEBNN_XLA_S32, offsets, s->slice_cells) : NULL;
}

static webnn_xla__handle webnn_xla__lower_places(webnn_xla__lowering *l,
                                                 const webnn_xla__slices *s) {
  int64_t *places = (int64_t *)webnn_xla__temporary(l, s->slice_count * sizeof *places);
  webnn_list column = webnn_extra__list1(s->slice_count);
  uint32_t b;
  webnn_extra__append(&column, 1);
  for (b = 0; places && b < s->slice_count; b++) {
    places[b] = webnn_xla__slice_place(s, b);
  }
  return places ? webnn_xla__lower_integers(l, WEBNN_XLA_S32, column, places) : NULL;
}

/* number[slices cells of a slice] from starts of type S32. */
static webnn_xla__handle webnn_xla__lower_numbers(webnn_xla__lowering *l, webnn_xla__handle starts,
                                                  const webnn_xla__slices *s) {
  int64_t strides[WEBNN_MAX_RANK];
  webnn_list column = webnn_extra__list1(s->slice_count);
  uint32_t k;
  webnn_extra__append(&column, 1);
  for (k = 0; k < s->map.count; k++) {
    const uint32_t d = s->map.items[k];
    strides[k] = webnn_xla__is_numbered(s, d) ? s->strides[d] : 0;
  }
  starts = webnn_xla__lower_binary(l, WEBNN_XLA_MUL, starts,
                                   webnn_xla__lower_row(l, WEBNN_XLA_S32, strides, s->map.count));
  if (s->map.count > 1) {
    starts = webnn_xla__lower_reduction(l, webnn_reduce_sum, starts, webnn_extra__list1(1));
    starts = webnn_xla__lower_reshape(l, starts, column);
  }
  if (s->batching.count) {
    starts = webnn_xla__lower_binary(l, WEBNN_XLA_ADD, starts, webnn_xla__lower_places(l, s));
  }
  if (s->slice_cells > 1) {
    starts = webnn_xla__lower_binary(l, WEBNN_XLA_ADD, starts, webnn_xla__lower_offsets(l, s));
  }
  return webnn_xla__lower_reshape(l, starts, webnn_extra__list1(s->slice_count * s->slice_cells));
}

/* ---- Reading slices -------------------------------------------------------------------------- */

static webnn_list webnn_xla__three(uint32_t a, uint32_t b, uint32_t c) {
  webnn_list list = webnn_extra__list1(a);
  webnn_extra__append(&list, b);
  webnn_extra__append(&list, c);
  return list;
}

/* [outer, slices cells of a slice, row] of clamped slices. */
static webnn_xla__handle webnn_xla__lower_slices(webnn_xla__lowering *l, webnn_xla__handle x,
                                                 webnn_xla__handle starts,
                                                 const webnn_xla__slices *s) {
  webnn_xla__handle numbers =
      webnn_xla__lower_numbers(l, webnn_xla__clamped_starts(l, starts, s), s);
  x = webnn_xla__lower_reshape(l, x, webnn_xla__three(s->outer, s->cells, s->row));
  return webnn_xla__lower_take(l, x, numbers, 1);
}

/* The starts of a dynamic slice in the dimensions where it is not whole; the others' are 0. They
   are one array of all, or a scalar for each dimension. */
static webnn_xla__handle webnn_xla__partial_starts(webnn_xla__lowering *l,
                                                   webnn_xla__handle const *starts, size_t count,
                                                   const webnn_xla__slices *s) {
  webnn_xla__handle each[WEBNN_MAX_RANK];
  webnn_list one = webnn_extra__repeat(1, 2);
  uint32_t k;
  for (k = 0; k < s->map.count; k++) {
    const uint32_t d = s->map.items[k];
    each[k] = count == 1 && starts[0]->shape.count == 1
                  ? webnn_xla__lower_part(l, starts[0], 0, d, d + 1)
                  : starts[d];
    each[k] = webnn_xla__lower_reshape(l, each[k], one);
  }
  return webnn_xla__lower_concatenate(l, each, s->map.count, 1);
}

/* The slice of a dynamic slice or update. */
static webnn_xla__slices webnn_xla__dynamic_slices(webnn_list shape, webnn_list sizes,
                                                   bool from_first) {
  webnn_xla__slices s;
  uint32_t d;
  memset(&s, 0, sizeof s);
  s.shape = shape;
  s.sizes = sizes;
  s.batch = webnn_extra__list1(1);
  for (d = 0; d < shape.count; d++) {
    if (sizes.items[d] != shape.items[d]) {
      webnn_extra__append(&s.map, d);
    }
  }
  webnn_xla__measure(&s, true, from_first);
  return s;
}

static int64_t webnn_xla__literal_integer(const webnn_xla__array *x, size_t i);

/* Where all starts are constants: a slice. */
static bool webnn_xla__constant_limits(webnn_xla__handle const *starts, size_t count,
                                       const webnn_xla__slices *s, webnn_list *from,
                                       webnn_list *to) {
  const bool is_array = count == 1 && starts[0]->shape.count == 1;
  uint32_t d;
  *from = *to = webnn_extra__no_items();
  for (d = 0; d < s->shape.count; d++) {
    const webnn_xla__array *x = starts[is_array ? 0 : d];
    const int64_t high = (int64_t)s->shape.items[d] - s->sizes.items[d];
    int64_t start = 0;
    if (high > 0 && !x->literal) {
      return false;
    }
    if (high > 0) {
      start = webnn_xla__literal_integer(x, is_array ? d : 0);
    }
    start = start < 0 ? 0 : start > high ? high : start;
    webnn_extra__append(from, (uint32_t)start);
    webnn_extra__append(to, (uint32_t)start + s->sizes.items[d]);
  }
  return true;
}

WEBNN_XLA__DO(dynamic_slice) {
  const webnn_list sizes = i->results[0].shape.dimensions;
  const webnn_xla__slices s = webnn_xla__dynamic_slices(arguments[0]->shape, sizes, false);
  const size_t count = i->operand_count - 1;
  webnn_list from, to;
  if (webnn_xla__constant_limits(arguments + 1, count, &s, &from, &to)) {
    results[0] = webnn_xla__lower_slice(l, arguments[0], from, to, webnn_xla__not_given());
  } else {
    results[0] = webnn_xla__lower_slices(
        l, arguments[0], webnn_xla__partial_starts(l, arguments + 1, count, &s), &s);
    results[0] = webnn_xla__lower_reshape(l, results[0], sizes);
  }
  return results[0] != NULL;
}

/* Slices of dimensions [outer ones, batch, those of a slice] with each one at its place in the
   result: `offset_dims` are the places of the array's, of which `outer` come first. */
static webnn_xla__handle webnn_xla__place_dimensions(webnn_xla__lowering *l, webnn_xla__handle x,
                                                     webnn_list offset_dims, uint32_t outer) {
  const uint32_t batch = x ? x->shape.count - offset_dims.count : 0;
  webnn_list permutation = webnn_extra__no_items();
  uint32_t d, next = 0;
  for (d = 0; x && d < x->shape.count; d++) {
    const uint32_t k = webnn_xla__position(offset_dims, d);
    webnn_extra__append(&permutation, k == offset_dims.count ? outer + next++
                                      : k < outer            ? k
                                                             : k + batch);
  }
  return webnn_xla__lower_transpose(l, x, permutation);
}

/* Batching dimensions of the indices are counted without the one of index vectors. */
static webnn_list webnn_xla__batching_of(webnn_list indices_batching, uint32_t index_vector_dim) {
  uint32_t i;
  for (i = 0; i < indices_batching.count; i++) {
    indices_batching.items[i] -= indices_batching.items[i] > index_vector_dim ? 1 : 0;
  }
  return indices_batching;
}

WEBNN_XLA__DO(gather) {
  const webnn_xla_gather_options *o = (const webnn_xla_gather_options *)i->options;
  const webnn_list gone = webnn_xla__joined(o->collapsed_slice_dims, o->operand_batching_dims);
  webnn_xla__slices s;
  webnn_list sizes = webnn_extra__no_items();
  webnn_xla__handle x;
  uint32_t d, outer = 0;
  memset(&s, 0, sizeof s);
  s.shape = arguments[0]->shape;
  s.sizes = o->slice_sizes;
  s.map = o->start_index_map;
  s.batch = webnn_xla__batch_of_indices(arguments[1]->shape, o->index_vector_dim);
  s.batching = o->operand_batching_dims;
  s.indices_batching = webnn_xla__batching_of(o->start_indices_batching_dims, o->index_vector_dim);
  webnn_xla__measure(&s, true, false);
  x = webnn_xla__lower_slices(l, arguments[0],
                              webnn_xla__starts_of(l, arguments[1], o->index_vector_dim, &s), &s);
  for (d = 0; d <= s.shape.count; d++) {
    if (d == s.first) {
      outer = sizes.count;
      sizes = webnn_xla__joined(sizes, s.batch);
    }
    if (d < s.shape.count && !webnn_xla__contains(gone, d)) {
      webnn_extra__append(&sizes, s.sizes.items[d]);
    }
  }
  x = webnn_xla__lower_reshape(l, x, sizes);
  results[0] = webnn_xla__place_dimensions(l, x, o->offset_dims, outer);
  return results[0] != NULL;
}

/* ---- Functions of scalars as parts ----------------------------------------------------------- */

/* A function of scalars that a step of the host applies to `count` of each at a time: a part of the
   program, and the slots of its arguments. */
typedef struct webnn_xla__applied {
  uint32_t *slots;
  size_t count;
} webnn_xla__applied;

static webnn_xla_program *webnn_xla__compile_applied(webnn_xla__lowering *l,
                                                     const webnn_xla_computation *f, uint32_t count,
                                                     webnn_xla__applied *a) {
  size_t k;
  a->count = count;
  a->slots = (uint32_t *)webnn_xla__lasting(l, NULL, f->leaf_count * sizeof *a->slots);
  for (k = 0; a->slots && k < f->leaf_count; k++) {
    const uint32_t slot =
        webnn_xla__new_slot(l, f->leaves[k]->shape.type, webnn_extra__list1(count));
    if (!slot || !webnn_xla__create_tensor(l, &l->program->slots[slot - 1])) {
      return NULL;
    }
    a->slots[k] = slot - 1;
  }
  return a->slots ? webnn_xla__compile_elementwise_part(l, f, webnn_extra__list1(count)) : NULL;
}

/* Arguments and results are `count` elements of their graph types each. */
static bool webnn_xla__run_applied(webnn_xla_program *p, webnn_xla_program *part,
                                   const webnn_xla__applied *a, uint8_t *const *arguments,
                                   uint8_t *const *results, webnn_error *error) {
  size_t k;
  bool done = true;
  for (k = 0; done && k < part->input_count; k++) {
    done = webnn_xla__store(p, a->slots[k], arguments[k], error);
  }
  done = done && webnn_xla__run_part(p, part, a->slots, error);
  for (k = 0; done && k < part->output_count; k++) {
    const webnn_xla__slot *slot = &part->slots[part->outputs[k]];
    done = webnn_read_tensor(p->context, slot->tensor, results[k], slot->byte_length, error) ==
           WEBNN_OK;
  }
  return done;
}

static void webnn_xla__free_all(uint8_t **buffers, size_t count) {
  size_t k;
  for (k = 0; buffers && k < count; k++) {
    free(buffers[k]);
  }
  free(buffers);
}

/* ---- Updates in rounds ----------------------------------------------------------------------- */

/* Updates of cells of arrays. Those that name the same cell are in different rounds, in their
   order; within a round all are taken, computed and put at once. */
typedef struct webnn_xla__scattering {
  const webnn_xla_computation *f;
  size_t count;               /* of arrays */
  webnn_xla__handle *arrays;  /* [cells, row] each; in the end the results */
  webnn_xla__handle *updates; /* [updates, row] */
  webnn_xla__handle numbers;  /* S32 [updates]: each one's cell, or `cells` for none */
  uint32_t cells, row, update_count;
  bool is_outside; /* some numbers are, or may be, `cells` */
  int32_t *rounds; /* of each update; -1: it is left out; NULL: not known */
  int32_t round_count;
} webnn_xla__scattering;

enum { WEBNN_XLA__MAX_ROUNDS = 16 }; /* in a graph */

/* One round: of the updates at `positions`, or all if NULL. */
static bool webnn_xla__lower_round(webnn_xla__lowering *l, webnn_xla__scattering *s,
                                   webnn_xla__handle positions) {
  webnn_xla__handle numbers =
      positions ? webnn_xla__lower_take(l, s->numbers, positions, 0) : s->numbers;
  webnn_xla__handle *all = (webnn_xla__handle *)webnn_xla__temporary(l, 3 * s->count * sizeof *all);
  webnn_xla__handle *results = all + 2 * s->count;
  uint32_t op;
  bool swapped, done = all != NULL;
  const bool is_put = webnn_xla__recognize(s->f, &op, &swapped) == WEBNN_XLA__IS_SECOND;
  size_t k;
  for (k = 0; done && k < s->count; k++) {
    webnn_xla__handle update = s->updates[k];
    all[s->count + k] = positions ? webnn_xla__lower_take(l, update, positions, 0) : update;
    all[k] = is_put ? s->arrays[k] : webnn_xla__lower_take(l, s->arrays[k], numbers, 0);
    results[k] = all[s->count + k];
  }
  done = done && (is_put || webnn_xla__apply_to_all(l, s->f, all, results));
  for (k = 0; done && k < s->count; k++) {
    s->arrays[k] = webnn_xla__lower_put(l, s->arrays[k], numbers, results[k]);
    done = s->arrays[k] != NULL;
  }
  return done;
}

/* The positions of a round's updates as a constant; *all: it has all of them. */
static webnn_xla__handle webnn_xla__positions_of(webnn_xla__lowering *l,
                                                 const webnn_xla__scattering *s, int32_t round,
                                                 uint32_t *count) {
  int64_t *positions = (int64_t *)webnn_xla__temporary(l, s->update_count * sizeof *positions);
  uint32_t i;
  *count = 0;
  for (i = 0; positions && i < s->update_count; i++) {
    if (s->rounds[i] == round) {
      positions[(*count)++] = i;
    }
  }
  return positions && *count
             ? webnn_xla__lower_integers(l, WEBNN_XLA_S32, webnn_extra__list1(*count), positions)
             : NULL;
}

/* All rounds in graphs. What is outside goes to one more cell, which is cut off at the end. */
static bool webnn_xla__lower_rounds(webnn_xla__lowering *l, webnn_xla__scattering *s) {
  int32_t round;
  size_t k;
  bool done = true;
  for (k = 0; s->is_outside && k < s->count; k++) {
    webnn_xla__handle both[2];
    both[0] = s->arrays[k];
    both[1] = webnn_xla__lower_part(l, s->arrays[k], 0, 0, 1);
    s->arrays[k] = webnn_xla__lower_concatenate(l, both, 2, 0);
  }
  for (round = 0; done && round < s->round_count; round++) {
    uint32_t count = s->update_count;
    webnn_xla__handle positions = s->rounds ? webnn_xla__positions_of(l, s, round, &count) : NULL;
    done =
        count == 0 || ((positions || !s->rounds) &&
                       webnn_xla__lower_round(l, s, count == s->update_count ? NULL : positions));
  }
  for (k = 0; s->is_outside && k < s->count; k++) {
    s->arrays[k] = webnn_xla__lower_part(l, s->arrays[k], 0, 0, s->cells);
    done = done && s->arrays[k];
  }
  return done && l->error->status == WEBNN_OK;
}

/* ---- Rounds on the host ---------------------------------------------------------------------- */

typedef struct webnn_xla__host_rounds {
  webnn_xla__applied applied; /* to rows_at_once rows */
  size_t count, cells, row, update_count, rows_at_once;
} webnn_xla__host_rounds;

/* The updates inside in the order of their rounds: order[first[r]] ... order[first[r + 1] - 1] are
   of round r. The number of rounds is returned; -1: no memory. */
static int64_t webnn_xla__sort_rounds(const int32_t *numbers, const webnn_xla__host_rounds *o,
                                      uint32_t *order, uint32_t **first) {
  uint32_t *seen = (uint32_t *)calloc(o->cells, sizeof *seen), *starts, round_count = 0;
  size_t i, r;
  for (i = 0; seen && i < o->update_count; i++) {
    if (numbers[i] >= 0 && (size_t)numbers[i] < o->cells) {
      const uint32_t times = ++seen[numbers[i]];
      round_count = times > round_count ? times : round_count;
    }
  }
  starts = (uint32_t *)calloc((size_t)round_count + 2, sizeof *starts);
  if (!seen || !starts) {
    free(seen);
    free(starts);
    return -1;
  }
  for (i = 0; i < o->cells; i++) { /* a cell named t times is in rounds 0 ... t - 1 */
    for (r = 0; r < seen[i]; r++) {
      starts[r + 2]++;
    }
  }
  memset(seen, 0, o->cells * sizeof *seen);
  for (r = 2; r < (size_t)round_count + 2; r++) {
    starts[r] += starts[r - 1];
  }
  for (i = 0; i < o->update_count; i++) {
    if (numbers[i] >= 0 && (size_t)numbers[i] < o->cells) {
      order[starts[seen[numbers[i]]++ + 1]++] = (uint32_t)i;
    }
  }
  free(seen);
  *first = starts;
  return round_count;
}

/* Applies the function to `count` updates of different cells. arrays and updates are whole; buffers
   are the function's arguments, then its results. */
static bool webnn_xla__apply_updates(webnn_xla_program *p, webnn_xla__step *step,
                                     const int32_t *numbers, const uint32_t *order, size_t count,
                                     uint8_t *const *arrays, uint8_t *const *buffers,
                                     webnn_error *error) {
  const webnn_xla__host_rounds *o = (const webnn_xla__host_rounds *)step->options;
  size_t k, i;
  for (k = 0; k < 2 * o->count; k++) {
    const size_t size =
        p->slots[step->inputs[k]].byte_length / (k < o->count ? o->cells : o->update_count);
    for (i = 0; i < count; i++) {
      const size_t from = k < o->count ? (size_t)numbers[order[i]] : order[i];
      memcpy(buffers[k] + i * size, arrays[k] + from * size, size);
    }
  }
  if (!webnn_xla__run_applied(p, step->shown.parts[1], &o->applied, buffers, buffers + 2 * o->count,
                              error)) {
    return false;
  }
  for (k = 0; k < o->count; k++) {
    const size_t size = p->slots[step->inputs[k]].byte_length / o->cells;
    for (i = 0; i < count; i++) {
      memcpy(arrays[k] + (size_t)numbers[order[i]] * size, buffers[2 * o->count + k] + i * size,
             size);
    }
  }
  return true;
}

/* Copies of the arrays, of the updates and of the numbers; then room for the function's
   arguments and results. */
static uint8_t **webnn_xla__open_rounds(webnn_xla_program *p, webnn_xla__step *step,
                                        webnn_error *error) {
  const webnn_xla__host_rounds *o = (const webnn_xla__host_rounds *)step->options;
  const size_t count = step->input_count + 3 * o->count;
  uint8_t **all = (uint8_t **)calloc(count, sizeof *all);
  size_t k;
  bool done = all != NULL || webnn_xla__out_of_memory(error);
  for (k = 0; done && k < count; k++) {
    if (k < step->input_count) {
      all[k] = (uint8_t *)webnn_xla__fetch(p, step->inputs[k], error);
      done = all[k] != NULL;
    } else {
      const webnn_xla__slot *slot = &p->slots[o->applied.slots[(k - step->input_count) % o->count]];
      all[k] = (uint8_t *)calloc(1, slot->byte_length);
      done = all[k] != NULL || webnn_xla__out_of_memory(error);
    }
  }
  if (!done) {
    webnn_xla__free_all(all, count);
  }
  return done ? all : NULL;
}

static bool webnn_xla__run_rounds(webnn_xla_program *p, webnn_xla__step *step, webnn_error *error) {
  const webnn_xla__host_rounds *o = (const webnn_xla__host_rounds *)step->options;
  uint8_t **all = webnn_xla__open_rounds(p, step, error);
  const int32_t *numbers = all ? (const int32_t *)(void *)all[2 * o->count] : NULL;
  uint32_t *order = (uint32_t *)malloc(o->update_count * sizeof *order), *first = NULL;
  int64_t round_count = -1, r;
  size_t k, i;
  bool done = all != NULL;
  if (done) {
    round_count = order ? webnn_xla__sort_rounds(numbers, o, order, &first) : -1;
    done = round_count >= 0 || webnn_xla__out_of_memory(error);
  }
  for (r = 0; done && r < round_count; r++) {
    for (i = first[r]; done && i < first[r + 1]; i += o->rows_at_once) {
      const size_t left = first[r + 1] - i;
      done = webnn_xla__apply_updates(p, step, numbers, order + i,
                                      left < o->rows_at_once ? left : o->rows_at_once, all,
                                      all + step->input_count, error);
    }
  }
  for (k = 0; done && k < o->count; k++) {
    done = webnn_xla__store(p, step->outputs[k], all[k], error);
  }
  free(order);
  free(first);
  webnn_xla__free_all(all, step->input_count + 3 * o->count);
  return done;
}

/* A step that finds the rounds when it runs. So many updates are computed at once that the cost of
   a call does not matter, but few calls are mostly empty if each round is small. */
static bool webnn_xla__add_rounds(webnn_xla__lowering *l, webnn_xla__scattering *s) {
  const size_t count = s->count;
  const uint32_t at_once = s->row < 256 ? 256 / s->row : 1;
  webnn_xla__handle *all =
      (webnn_xla__handle *)webnn_xla__temporary(l, (2 * count + 1) * sizeof *all);
  webnn_xla__host_rounds *o = (webnn_xla__host_rounds *)webnn_xla__lasting(l, NULL, sizeof *o);
  webnn_xla_program *part;
  webnn_xla__step *step;
  size_t k;
  if (!all || !o) {
    return false;
  }
  o->count = count;
  o->cells = s->cells;
  o->row = s->row;
  o->update_count = s->update_count;
  o->rows_at_once = at_once < s->update_count ? at_once : s->update_count;
  memcpy(all, s->arrays, count * sizeof *all);
  memcpy(all + count, s->updates, count * sizeof *all);
  all[2 * count] = s->numbers;
  for (k = 0; k < 2 * count + 1; k++) {
    if (!all[k]) {
      return false;
    }
  }
  for (k = 0; k < count; k++) {
    s->arrays[k] = webnn_xla__new_array(l, all[k]->type, all[k]->shape, 0);
  }
  part = webnn_xla__compile_applied(l, s->f, (uint32_t)o->rows_at_once * s->row, &o->applied);
  step = part ? webnn_xla__add_step(l, WEBNN_XLA_STEP_LOOP, webnn_xla__run_rounds, all,
                                    2 * count + 1, s->arrays, count, false)
              : NULL;
  if (!step) {
    webnn_xla_free_program(part);
    return false;
  }
  step->options = o;
  step->shown.parts[1] = part;
  return true;
}

static bool webnn_xla__lower_scattering(webnn_xla__lowering *l, webnn_xla__scattering *s) {
  return s->round_count <= WEBNN_XLA__MAX_ROUNDS ? webnn_xla__lower_rounds(l, s)
                                                 : webnn_xla__add_rounds(l, s);
}

/* ---- Numbers of updates ---------------------------------------------------------------------- */

static int64_t webnn_xla__literal_integer(const webnn_xla__array *x, size_t i) {
  return webnn_xla__integer_at(x->type,
                               (const uint8_t *)x->literal->data +
                                   (x->literal->splat ? 0 : i * webnn_xla__graph_bytes(x->type)));
}

/* The number of a cell of a slice whose starts are constants; `cells` if it is outside. */
static int64_t webnn_xla__constant_number(const webnn_xla__slices *s,
                                          const webnn_xla__array *starts, uint32_t slice,
                                          uint32_t cell) {
  int64_t number = webnn_xla__slice_place(s, slice) + webnn_xla__cell_offset(s, cell);
  uint32_t k;
  for (k = 0; k < s->map.count; k++) {
    const uint32_t d = s->map.items[k];
    const int64_t start = webnn_xla__literal_integer(starts, (size_t)slice * s->map.count + k);
    const int64_t offset = webnn_xla__offset_in(s, d, cell), size = s->shape.items[d];
    if (start < -offset || start >= size - offset) {
      return s->cells;
    }
    number += start * s->strides[d];
  }
  return number;
}

/* Numbers that are constants, and the rounds: the k-th update of a cell is in round k. */
static bool webnn_xla__constant_numbers(webnn_xla__lowering *l, const webnn_xla__slices *s,
                                        const webnn_xla__array *starts, bool is_put,
                                        webnn_xla__scattering *to) {
  int64_t *numbers = (int64_t *)webnn_xla__temporary(l, to->update_count * sizeof *numbers);
  int32_t *times = (int32_t *)webnn_xla__temporary(l, ((size_t)s->cells + 1) * sizeof *times);
  uint32_t i;
  to->rounds = (int32_t *)webnn_xla__temporary(l, to->update_count * sizeof *to->rounds);
  if (!numbers || !times || !to->rounds) {
    return false;
  }
  to->round_count = 0;
  to->is_outside = false;
  for (i = 0; i < to->update_count; i++) {
    numbers[i] = webnn_xla__constant_number(s, starts, i / s->slice_cells, i % s->slice_cells);
    to->rounds[i] = numbers[i] == s->cells ? -1 : is_put ? 0 : times[numbers[i]]++;
    to->round_count = to->rounds[i] < to->round_count ? to->round_count : to->rounds[i] + 1;
  }
  to->numbers =
      webnn_xla__lower_integers(l, WEBNN_XLA_S32, webnn_extra__list1(to->update_count), numbers);
  return to->numbers != NULL;
}

/* Which cells of slices are inside: [slices, cells of a slice], or [slices, 1]. */
static webnn_xla__handle webnn_xla__lower_inside(webnn_xla__lowering *l, webnn_xla__handle starts,
                                                 const webnn_xla__slices *s) {
  const uint32_t n = s->map.count;
  uint32_t cells = 1, k, c;
  webnn_list matrix = webnn_extra__list1(s->slice_count);
  webnn_xla__handle at = starts, inside;
  int64_t *offsets, sizes[WEBNN_MAX_RANK];
  for (k = 0; k < n; k++) {
    sizes[k] = s->shape.items[s->map.items[k]];
    cells = s->sizes.items[s->map.items[k]] > 1 ? s->slice_cells : cells;
  }
  offsets = (int64_t *)webnn_xla__temporary(l, (size_t)cells * n * sizeof *offsets);
  for (c = 0; offsets && c < cells; c++) {
    for (k = 0; k < n; k++) {
      offsets[c * n + k] = webnn_xla__offset_in(s, s->map.items[k], c);
    }
  }
  at = offsets ? webnn_xla__lower_reshape(l, at, webnn_xla__three(s->slice_count, 1, n)) : NULL;
  if (cells > 1) {
    at = webnn_xla__lower_binary(
        l, WEBNN_XLA_ADD, at,
        webnn_xla__lower_integers(l, WEBNN_XLA_S32, webnn_xla__three(1, cells, n), offsets));
  }
  inside = webnn_xla__lower_binary(
      l, WEBNN_XLA_AND, at ? webnn_xla__lower_by(l, WEBNN_XLA_GE, at, 0) : NULL,
      webnn_xla__lower_binary(
          l, WEBNN_XLA_LT, at,
          webnn_xla__lower_integers(l, WEBNN_XLA_S32, webnn_xla__three(1, 1, n), sizes)));
  webnn_extra__append(&matrix, cells);
  return n == 1 ? webnn_xla__lower_reshape(l, inside, matrix)
                : webnn_xla__lower_reduction(l, webnn_reduce_min, inside, webnn_extra__list1(2));
}

/* Numbers of slices that may be partly or wholly outside. */
static webnn_xla__handle webnn_xla__checked_numbers(webnn_xla__lowering *l,
                                                    webnn_xla__handle starts,
                                                    const webnn_xla__slices *s) {
  int64_t low[WEBNN_MAX_RANK], high[WEBNN_MAX_RANK];
  webnn_list matrix = webnn_extra__list1(s->slice_count);
  webnn_xla__handle numbers, outside;
  uint32_t k;
  webnn_extra__append(&matrix, s->slice_cells);
  for (k = 0; k < s->map.count; k++) { /* from here on all of a slice is outside */
    high[k] = s->shape.items[s->map.items[k]];
    low[k] = -high[k];
  }
  starts = webnn_xla__bounded_starts(l, starts, low, high);
  numbers = webnn_xla__lower_reshape(l, webnn_xla__lower_numbers(l, starts, s), matrix);
  outside = webnn_xla__lower_number(l, WEBNN_XLA_S32, s->cells);
  numbers = webnn_xla__lower_select(l, webnn_xla__lower_inside(l, starts, s), numbers, outside);
  return webnn_xla__lower_reshape(l, numbers, webnn_extra__list1(s->slice_count * s->slice_cells));
}

/* The rounds where only it is known that the updates of one slice name different cells. */
static bool webnn_xla__rounds_of_slices(webnn_xla__lowering *l, const webnn_xla__slices *s,
                                        bool one_round, webnn_xla__scattering *to) {
  uint32_t i;
  to->round_count = WEBNN_XLA__MAX_ROUNDS + 1;
  if (one_round || s->slice_count == 1) {
    to->round_count = 1;
  } else if (s->slice_count <= WEBNN_XLA__MAX_ROUNDS) {
    to->round_count = (int32_t)s->slice_count;
    to->rounds = (int32_t *)webnn_xla__temporary(l, to->update_count * sizeof *to->rounds);
    for (i = 0; to->rounds && i < to->update_count; i++) {
      to->rounds[i] = (int32_t)(i / s->slice_cells);
    }
    return to->rounds != NULL;
  }
  return true;
}

/* Arrays as [cells, row], updates as [updates, row], numbers from starts [slices, k]. */
static bool webnn_xla__scatter_slices(webnn_xla__lowering *l, const webnn_xla__slices *s,
                                      webnn_xla__handle starts, bool one_round,
                                      webnn_xla__scattering *to) {
  webnn_list cells = webnn_extra__list1(s->cells), updates;
  size_t k;
  uint32_t op;
  bool swapped, done;
  const bool is_put = webnn_xla__recognize(to->f, &op, &swapped) == WEBNN_XLA__IS_SECOND;
  to->cells = s->cells;
  to->row = s->row;
  to->update_count = s->slice_count * s->slice_cells;
  webnn_extra__append(&cells, s->row);
  updates = cells;
  updates.items[0] = to->update_count;
  for (k = 0; k < to->count; k++) {
    to->arrays[k] = webnn_xla__lower_reshape(l, to->arrays[k], cells);
    to->updates[k] = webnn_xla__lower_reshape(l, to->updates[k], updates);
  }
  if (!starts) {
    return false;
  }
  to->is_outside = true;
  if (starts->literal) {
    done = webnn_xla__constant_numbers(l, s, starts, is_put, to);
  } else {
    to->numbers = webnn_xla__checked_numbers(l, starts, s);
    done = webnn_xla__rounds_of_slices(l, s, one_round || is_put, to);
  }
  done = done && webnn_xla__lower_scattering(l, to);
  for (k = 0; done && k < to->count; k++) {
    to->arrays[k] = webnn_xla__lower_reshape(l, to->arrays[k], s->shape);
    done = to->arrays[k] != NULL;
  }
  return done;
}

/* The windows of updates as slices of the array. */
static webnn_xla__slices webnn_xla__update_slices(webnn_list shape, webnn_list updates,
                                                  webnn_list indices,
                                                  const webnn_xla_scatter_options *o) {
  const webnn_list gone = webnn_xla__joined(o->inserted_window_dims, o->input_batching_dims);
  webnn_xla__slices s;
  uint32_t d, next = 0;
  memset(&s, 0, sizeof s);
  s.shape = shape;
  s.sizes = webnn_extra__no_items();
  for (d = 0; d < shape.count; d++) {
    webnn_extra__append(&s.sizes, webnn_xla__contains(gone, d)
                                      ? 1
                                      : updates.items[o->update_window_dims.items[next++]]);
  }
  s.map = o->scatter_dims_to_operand_dims;
  s.batch = webnn_xla__batch_of_indices(indices, o->index_vector_dim);
  s.batching = o->input_batching_dims;
  s.indices_batching =
      webnn_xla__batching_of(o->scatter_indices_batching_dims, o->index_vector_dim);
  webnn_xla__measure(&s, false, true);
  return s;
}

WEBNN_XLA__DO(scatter) {
  const webnn_xla_scatter_options *o = (const webnn_xla_scatter_options *)i->options;
  const size_t count = i->result_count;
  const webnn_list windows = o->update_window_dims;
  webnn_xla__handle indices = arguments[2 * count];
  const webnn_xla__slices s =
      webnn_xla__update_slices(arguments[0]->shape, arguments[count]->shape, indices->shape, o);
  webnn_xla__scattering to;
  webnn_xla__handle starts = webnn_xla__starts_of(l, indices, o->index_vector_dim, &s);
  size_t k;
  memset(&to, 0, sizeof to);
  to.f = i->computations[0];
  to.count = count;
  to.arrays = results;
  to.updates = (webnn_xla__handle *)webnn_xla__temporary(l, count * sizeof *to.updates);
  if (!to.updates) {
    return false;
  }
  for (k = 0; k < count; k++) {
    const uint32_t rank = arguments[count + k]->shape.count;
    results[k] = arguments[k];
    to.updates[k] = webnn_xla__lower_transpose(
        l, arguments[count + k], webnn_xla__joined(webnn_xla__others(windows, rank), windows));
  }
  return webnn_xla__scatter_slices(l, &s, starts, o->unique_indices, &to);
}

WEBNN_XLA__DO(dynamic_update_slice) {
  const size_t count = i->operand_count - 2;
  webnn_xla__handle x = arguments[0], update = arguments[1], numbers;
  const webnn_xla__slices s = webnn_xla__dynamic_slices(x->shape, update->shape, true);
  webnn_list cells = webnn_extra__list1(s.cells), updates = webnn_extra__list1(s.slice_cells);
  webnn_extra__append(&cells, s.row);
  webnn_extra__append(&updates, s.row);
  if (s.map.count == 0) {
    results[0] = update;
    return true;
  }
  numbers = webnn_xla__partial_starts(l, arguments + 2, count, &s);
  numbers = webnn_xla__lower_numbers(l, webnn_xla__clamped_starts(l, numbers, &s), &s);
  x = webnn_xla__lower_put(l, webnn_xla__lower_reshape(l, x, cells), numbers,
                           webnn_xla__lower_reshape(l, update, updates));
  results[0] = webnn_xla__lower_reshape(l, x, i->results[0].shape.dimensions);
  return results[0] != NULL;
}

/* ==============================================================================================
   11  folds and sorting
   ============================================================================================== */

/* ---- What is known of operations that fold --------------------------------------------------- */

/* An integer as a scalar; the low bytes of the graph type. */
static webnn_xla__handle webnn_xla__lower_integer(webnn_xla__lowering *l, webnn_xla_type type,
                                                  int64_t integer) {
  const size_t size = webnn_xla__graph_bytes(type);
  const uint8_t byte = (uint8_t)integer;
  const uint32_t word = (uint32_t)integer;
  return webnn_xla__lower_constant(l, type, webnn_extra__no_items(),
                                   size == 1   ? (const void *)&byte
                                   : size == 4 ? (const void *)&word
                                               : (const void *)&integer,
                                   true);
}

/* The operation of a function of two scalars, if the order of its parameters does not matter; else
   WEBNN_XLA_ELEMENTWISE_COUNT. */
static uint32_t webnn_xla__commutative(const webnn_xla_computation *f) {
  uint32_t op = WEBNN_XLA_ELEMENTWISE_COUNT;
  bool swapped;
  if (webnn_xla__recognize(f, &op, &swapped) != WEBNN_XLA__IS_OPERATION) {
    return WEBNN_XLA_ELEMENTWISE_COUNT;
  }
  switch (op) {
  case WEBNN_XLA_ADD:
  case WEBNN_XLA_MUL:
  case WEBNN_XLA_MAX:
  case WEBNN_XLA_MIN:
  case WEBNN_XLA_AND:
  case WEBNN_XLA_OR:
  case WEBNN_XLA_XOR:
    return op;
  default:
    return WEBNN_XLA_ELEMENTWISE_COUNT;
  }
}

/* The number that the operation leaves everything else as it is with; NULL: none is known. */
static webnn_xla__handle webnn_xla__neutral(webnn_xla__lowering *l, uint32_t op,
                                            webnn_xla_type type) {
  const bool is_max = op == WEBNN_XLA_MAX;
  const double infinity = (double)webnn_xla__float_of_bits(0x7F800000u);
  int64_t low, high;
  switch (op) {
  case WEBNN_XLA_ADD:
  case WEBNN_XLA_OR:
  case WEBNN_XLA_XOR:
    return webnn_xla__lower_number(l, type, 0);
  case WEBNN_XLA_MUL:
    return webnn_xla__lower_number(l, type, 1);
  case WEBNN_XLA_AND:
    return webnn_xla__lower_integer(l, type, type == WEBNN_XLA_PRED ? 1 : -1);
  case WEBNN_XLA_MAX:
  case WEBNN_XLA_MIN:
    if (webnn_xla__is_float(type)) {
      return webnn_xla__lower_number(l, type, is_max ? -infinity : infinity);
    }
    webnn_xla__range(type, &low, &high);
    high = type == WEBNN_XLA_U64 ? -1 : high;
    return webnn_xla__lower_integer(l, type, is_max ? low : high);
  default:
    return NULL;
  }
}

/* Are both scalars the same constant, bit for bit? */
static bool webnn_xla__is_same_constant(const webnn_xla__array *x, const webnn_xla__array *y) {
  return x && y && x->literal && y->literal && x->type == y->type &&
         memcmp(x->literal->data, y->literal->data, webnn_xla__graph_bytes(x->type)) == 0;
}

/* ---- Folds in general ------------------------------------------------------------------------ */

/* What makes one of two neighbours, of `count` arrays at once: `both` has the arrays of the first,
   then those of the second. */
typedef struct webnn_xla__fold {
  const webnn_xla_computation *f;
  size_t count;
  bool (*join)(webnn_xla__lowering *l, const struct webnn_xla__fold *fold,
               webnn_xla__handle const *both, webnn_xla__handle *results);
  bool is_padded; /* of SelectAndScatter */
} webnn_xla__fold;

static bool webnn_xla__join_by_function(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                        webnn_xla__handle const *both, webnn_xla__handle *results) {
  return webnn_xla__apply_to_all(l, fold->f, both, results);
}

static webnn_xla__fold webnn_xla__fold_by(const webnn_xla_computation *f, size_t count) {
  webnn_xla__fold fold;
  fold.f = f;
  fold.count = count;
  fold.join = webnn_xla__join_by_function;
  fold.is_padded = false;
  return fold;
}

/* start, start + stride, ... below limit along one dimension */
static webnn_xla__handle webnn_xla__lower_steps(webnn_xla__lowering *l, webnn_xla__handle x,
                                                uint32_t dimension, uint32_t start, uint32_t limit,
                                                uint32_t stride) {
  webnn_list starts, limits, strides;
  if (!x) {
    return NULL;
  }
  starts = webnn_extra__repeat(0, x->shape.count);
  strides = webnn_extra__repeat(1, x->shape.count);
  limits = x->shape;
  starts.items[dimension] = start;
  limits.items[dimension] = limit;
  strides.items[dimension] = stride;
  return webnn_xla__lower_slice(l, x, starts, limits, strides);
}

/* The initial values at the left of what has been folded. */
static bool webnn_xla__join_initial(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                    webnn_xla__handle const *initial, webnn_xla__handle *arrays) {
  webnn_xla__handle *both =
      (webnn_xla__handle *)webnn_xla__temporary(l, 2 * fold->count * sizeof *both);
  size_t k;
  for (k = 0; both && k < fold->count; k++) {
    both[k] = initial[k];
    both[fold->count + k] = arrays[k];
  }
  return both && fold->join(l, fold, both, arrays);
}

/* ---- Reduce ---------------------------------------------------------------------------------- */

/* Rows of [n, m] to one: neighbours are joined, so that their order stays, and with them half of
   the rows are left; an odd one waits. */
static bool webnn_xla__fold_rows(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                 webnn_xla__handle *arrays) {
  const size_t count = fold->count;
  webnn_xla__handle *both = (webnn_xla__handle *)webnn_xla__temporary(l, 3 * count * sizeof *both);
  webnn_xla__handle *joined = both + 2 * count, parts[2];
  uint32_t n;
  size_t k;
  bool done = both && arrays[0];
  while (done && (n = arrays[0]->shape.items[0]) > 1) {
    const uint32_t even = n / 2 * 2;
    for (k = 0; k < count; k++) {
      both[k] = webnn_xla__lower_steps(l, arrays[k], 0, 0, even, 2);
      both[count + k] = webnn_xla__lower_steps(l, arrays[k], 0, 1, even, 2);
    }
    done = fold->join(l, fold, both, joined);
    for (k = 0; done && k < count; k++) {
      parts[0] = joined[k];
      parts[1] = even < n ? webnn_xla__lower_part(l, arrays[k], 0, even, n) : NULL;
      arrays[k] = webnn_xla__lower_concatenate(l, parts, even < n ? 2 : 1, 0);
      done = arrays[k] != NULL;
    }
  }
  return done;
}

/* WebNN's reduction of this meaning, or NULL. A sum of PRED is whether there is any, a product
   whether it is all. */
static webnn_xla__reduce_method webnn_xla__reduce_method_of(uint32_t op, webnn_xla_type type) {
  const bool is_pred = type == WEBNN_XLA_PRED;
  if (op == WEBNN_XLA_MAX || (is_pred && (op == WEBNN_XLA_ADD || op == WEBNN_XLA_OR))) {
    return webnn_reduce_max;
  }
  if (op == WEBNN_XLA_MIN || (is_pred && (op == WEBNN_XLA_MUL || op == WEBNN_XLA_AND))) {
    return webnn_reduce_min;
  }
  if (op == WEBNN_XLA_ADD) {
    return webnn_reduce_sum;
  }
  if (op == WEBNN_XLA_MUL) {
    return webnn_reduce_product;
  }
  return NULL;
}

/* Sums and products of 8 bits are made in 32, and wrap in the end. */
static webnn_xla__handle webnn_xla__reduce_by(webnn_xla__lowering *l, uint32_t op,
                                              webnn_xla__handle x, webnn_list dims) {
  const webnn_xla_type type = x->type;
  const webnn_xla__reduce_method method = webnn_xla__reduce_method_of(op, type);
  if ((op == WEBNN_XLA_ADD || op == WEBNN_XLA_MUL) && webnn_xla__graph_bytes(type) == 1 &&
      type != WEBNN_XLA_PRED) {
    x = webnn_xla__lower_convert(l, x, WEBNN_XLA_S32);
    return webnn_xla__lower_convert(l, webnn_xla__lower_reduction(l, method, x, dims), type);
  }
  return webnn_xla__settle(l, webnn_xla__lower_reduction(l, method, x, dims));
}

/* The reduced dimensions first and in their order, as one: [n, others]. */
static webnn_xla__handle webnn_xla__fold_in_front(webnn_xla__lowering *l, webnn_xla__handle x,
                                                  webnn_list dims) {
  const webnn_list kept = webnn_xla__others(dims, x->shape.count);
  const webnn_list folded = webnn_xla__others(kept, x->shape.count);
  webnn_list matrix =
      webnn_extra__list1((uint32_t)webnn_xla__count(webnn_xla__picked(x->shape, folded)));
  webnn_extra__append(&matrix, (uint32_t)webnn_xla__count(webnn_xla__picked(x->shape, kept)));
  x = webnn_xla__lower_transpose(l, x, webnn_xla__joined(folded, kept));
  return webnn_xla__lower_reshape(l, x, matrix);
}

WEBNN_XLA__DO(reduce) {
  const webnn_list dims = *(const webnn_list *)i->options;
  const webnn_xla__fold fold = webnn_xla__fold_by(i->computations[0], i->result_count);
  const uint32_t op = webnn_xla__commutative(fold.f);
  webnn_xla__handle const *initial = arguments + fold.count;
  size_t k;
  bool done = true;
  if (webnn_xla__reduce_method_of(op, arguments[0]->type)) {
    results[0] = webnn_xla__reduce_by(l, op, arguments[0], dims);
    return results[0] && (webnn_xla__is_same_constant(
                              initial[0], webnn_xla__neutral(l, op, arguments[0]->type)) ||
                          webnn_xla__join_initial(l, &fold, initial, results));
  }
  for (k = 0; done && k < fold.count; k++) {
    results[k] = webnn_xla__fold_in_front(l, arguments[k], dims);
    done = results[k] != NULL;
  }
  done = done && webnn_xla__fold_rows(l, &fold, results);
  for (k = 0; done && k < fold.count; k++) {
    results[k] = webnn_xla__lower_reshape(l, results[k], i->results[k].shape.dimensions);
    done = results[k] != NULL;
  }
  return done && webnn_xla__join_initial(l, &fold, initial, results);
}

/* ---- Windows --------------------------------------------------------------------------------- */

/* a[i] joined with b[i + shift] along one dimension, for all i with such neighbours. */
static bool webnn_xla__join_shifted(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                    webnn_xla__handle const *a, webnn_xla__handle const *b,
                                    uint32_t dimension, uint32_t shift,
                                    webnn_xla__handle *results) {
  const size_t count = fold->count;
  webnn_xla__handle *both = (webnn_xla__handle *)webnn_xla__temporary(l, 2 * count * sizeof *both);
  size_t k;
  for (k = 0; both && k < count; k++) {
    const uint32_t limit = b[k] ? b[k]->shape.items[dimension] : 0;
    both[k] = webnn_xla__lower_part(l, a[k], dimension, 0, limit - shift);
    both[count + k] = webnn_xla__lower_part(l, b[k], dimension, shift, limit);
  }
  return both && fold->join(l, fold, both, results);
}

/* One dimension of windows. */
typedef struct webnn_xla__side {
  uint32_t dimension, size, dilation, stride, count; /* count: of windows */
} webnn_xla__side;

/* By doubling: W(n)[i] joins the n elements that begin at i, dilated, and
   W(m + n)[i] = W(m)[i] joined with W(n)[i + m dilation],
   so that a window takes at most 2 log2(size) joins of whole arrays. */
static bool webnn_xla__fold_by_doubling(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                        const webnn_xla__side *side, webnn_xla__handle *arrays) {
  const size_t count = fold->count;
  webnn_xla__handle *power = (webnn_xla__handle *)webnn_xla__temporary(l, count * sizeof *power);
  uint32_t left = side->size, size = 1, have = 0;
  size_t k;
  bool done = power != NULL;
  if (done) {
    memcpy(power, arrays, count * sizeof *power);
  }
  while (done && left) {
    if (left % 2 == 1) {
      if (have == 0) {
        memcpy(arrays, power, count * sizeof *power);
      } else {
        done = webnn_xla__join_shifted(l, fold, arrays, power, side->dimension,
                                       have * side->dilation, arrays);
      }
      have += size;
    }
    left /= 2;
    if (done && left) {
      done = webnn_xla__join_shifted(l, fold, power, power, side->dimension, size * side->dilation,
                                     power);
      size *= 2;
    }
  }
  for (k = 0; done && k < count; k++) {
    arrays[k] = webnn_xla__lower_steps(l, arrays[k], side->dimension, 0,
                                       (side->count - 1) * side->stride + 1, side->stride);
  }
  return done;
}

/* One after the other: element j of all windows is a slice with the windows' stride. */
static bool webnn_xla__fold_by_slices(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                      const webnn_xla__side *side, webnn_xla__handle *arrays) {
  const size_t count = fold->count;
  webnn_xla__handle *both = (webnn_xla__handle *)webnn_xla__temporary(l, 3 * count * sizeof *both);
  webnn_xla__handle *joined = both + 2 * count;
  uint32_t j;
  size_t k;
  bool done = both != NULL;
  for (j = 0; done && j < side->size; j++) {
    const uint32_t start = j * side->dilation;
    for (k = 0; k < count; k++) {
      both[count + k] =
          webnn_xla__lower_steps(l, arrays[k], side->dimension, start,
                                 start + (side->count - 1) * side->stride + 1, side->stride);
      both[k] = j ? joined[k] : both[count + k];
    }
    if (j == 0) {
      memcpy(joined, both, count * sizeof *joined);
    } else {
      done = fold->join(l, fold, both, joined);
    }
  }
  if (done) {
    memcpy(arrays, joined, count * sizeof *joined);
  }
  return done;
}

/* The way that computes fewer elements; an operator costs as much as some hundred of them. */
static bool webnn_xla__fold_side(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                 const webnn_xla__side *side, webnn_xla__handle *arrays) {
  const double elements = arrays[0] ? (double)webnn_xla__count(arrays[0]->shape) : 0;
  double doublings = -1, whole = elements + 500, strided;
  uint32_t size;
  if (!arrays[0]) {
    return false;
  }
  strided = elements / arrays[0]->shape.items[side->dimension] * side->count + 500;
  for (size = side->size; size; size /= 2) {
    doublings += size % 2 + (size > 1);
  }
  return doublings * whole < (side->size - 1.0) * strided
             ? webnn_xla__fold_by_doubling(l, fold, side, arrays)
             : webnn_xla__fold_by_slices(l, fold, side, arrays);
}

/* All dimensions, the last first, so that elements stay in their order. */
static bool webnn_xla__fold_windows(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                    const webnn_xla__window_options *o, webnn_list counts,
                                    webnn_xla__handle *arrays) {
  uint32_t d = counts.count;
  bool done = true;
  while (done && d-- > 0) {
    webnn_xla__side side;
    side.dimension = d;
    side.size = o->dimensions.items[d];
    side.dilation = o->window.window_dilations.items[d];
    side.stride = o->window.strides.items[d];
    side.count = counts.items[d];
    done = webnn_xla__fold_side(l, fold, &side, arrays);
  }
  return done;
}

/* Sums of floats over windows of one dimension, or of two neighbours: a convolution of each place
   of the dimensions behind them with ones, so that a sum is rounded once where the context computes
   exactly. x is [before, height, width, behind]. */
static webnn_xla__handle webnn_xla__sum_windows_at(webnn_xla__lowering *l, webnn_xla__handle x,
                                                   const webnn_xla__window_options *o,
                                                   uint32_t first, uint32_t limit) {
  webnn_conv2d_options conv = WEBNN_ZERO;
  webnn_list image = webnn_extra__repeat(1, 4), filter = image, sizes;
  webnn_operand *ones;
  uint32_t d;
  if (!webnn_xla__meet(l, &x, 1)) {
    return NULL;
  }
  conv.label = l->place;
  conv.input_layout = WEBNN_LAYOUT_NHWC;
  conv.filter_layout = WEBNN_CONV2D_IHWO;
  conv.strides = conv.dilations = webnn_extra__repeat(1, 2);
  sizes = x->shape;
  image.items[0] = webnn_xla__product(sizes, 0, first);
  image.items[3] = filter.items[3] = webnn_xla__product(sizes, limit, sizes.count);
  for (d = first; d < limit; d++) {
    const uint32_t window = o->dimensions.items[d];
    conv.strides.items[d - first] = o->window.strides.items[d];
    conv.dilations.items[d - first] = o->window.window_dilations.items[d];
    image.items[1 + d - first] = sizes.items[d];
    filter.items[1 + d - first] = window;
    sizes.items[d] = webnn_xla__window_count(
        sizes.items[d], webnn_xla__spread(window, o->window.window_dilations.items[d]),
        o->window.strides.items[d]);
  }
  conv.groups = image.items[3];
  ones = webnn_xla__whole(
      l, webnn_xla__relabel(l, webnn_xla__lower_number(l, x->type, 1), x->type, filter));
  ones = webnn_conv2d(l->b, webnn_reshape(l->b, webnn_xla__whole(l, x), image, &l->options), ones,
                      &conv);
  return webnn_xla__settle(
      l, webnn_xla__made(l, x->type, sizes, webnn_reshape(l->b, ones, sizes, &l->options)));
}

enum { WEBNN_XLA__LARGE_WINDOW = 1024 }; /* larger ones are folded, in logarithmic time */

static uint32_t webnn_xla__largest(webnn_list list) {
  uint32_t largest = 0, i;
  for (i = 0; i < list.count; i++) {
    largest = list.items[i] > largest ? list.items[i] : largest;
  }
  return largest;
}

static webnn_xla__handle webnn_xla__sum_windows(webnn_xla__lowering *l, webnn_xla__handle x,
                                                const webnn_xla__window_options *o) {
  uint32_t d = x ? x->shape.count : 0;
  while (x && d-- > 0) {
    const uint32_t limit = d + 1;
    if (o->dimensions.items[d] > 1 || o->window.strides.items[d] > 1) {
      d -= d > 0 && o->dimensions.items[d - 1] > 1;
      x = webnn_xla__sum_windows_at(l, x, o, d, limit);
    }
  }
  return x;
}

static webnn_xla_padding webnn_xla__padding_of(const webnn_xla_window *w, uint32_t rank) {
  webnn_xla_padding p;
  uint32_t d;
  memset(&p, 0, sizeof p);
  for (d = 0; d < rank; d++) {
    p.low[d] = w->padding_low[d];
    p.high[d] = w->padding_high[d];
    p.interior[d] = w->base_dilations.items[d] - 1;
  }
  return p;
}

/* Is a dimension left alone? */
static bool webnn_xla__is_untouched(const webnn_xla__window_options *o, uint32_t d) {
  return o->dimensions.items[d] == 1 && o->window.strides.items[d] == 1 &&
         o->window.base_dilations.items[d] == 1 && o->window.padding_low[d] == 0 &&
         o->window.padding_high[d] == 0;
}

enum { WEBNN_XLA__SMALL_WINDOW = 16 }; /* its sum is not taken from running sums, each rounded */

/* Sums of all elements up to each one, or from it on, are windows as large as the dimension that
   reach into the padding on one side. */
static bool webnn_xla__is_cumulative(const webnn_xla__window_options *o, webnn_list shape,
                                     webnn_cumulative_sum_options *options, uint32_t *axis) {
  const webnn_xla_window *w = &o->window;
  uint32_t d, touched = 0;
  for (d = 0; d < shape.count; d++) {
    if (!webnn_xla__is_untouched(o, d)) {
      *axis = d;
      touched++;
    }
  }
  if (touched != 1) {
    return false;
  }
  d = *axis;
  options->reversed = w->padding_high[d] != 0;
  return o->dimensions.items[d] == shape.items[d] && w->strides.items[d] == 1 &&
         w->base_dilations.items[d] == 1 && w->window_dilations.items[d] == 1 &&
         shape.items[d] > WEBNN_XLA__SMALL_WINDOW &&
         (options->reversed ? w->padding_low[d] : w->padding_high[d]) == 0 &&
         (options->reversed ? w->padding_high[d] : w->padding_low[d]) == shape.items[d] - 1;
}

static webnn_xla__handle webnn_xla__sum_up(webnn_xla__lowering *l, webnn_xla__handle x,
                                           const webnn_xla__window_options *o, bool *is_done) {
  webnn_cumulative_sum_options options = WEBNN_ZERO;
  uint32_t axis = 0;
  *is_done =
      webnn_xla__graph_bytes(x->type) > 1 && webnn_xla__is_cumulative(o, x->shape, &options, &axis);
  if (!*is_done || !webnn_xla__meet(l, &x, 1)) {
    return NULL;
  }
  options.label = l->place;
  return webnn_xla__settle(
      l, webnn_xla__made(l, x->type, x->shape,
                         webnn_cumulative_sum(l->b, webnn_xla__whole(l, x), axis, &options)));
}

/* The largest of windows over height and width, which are the last two dimensions, or
   those before the last. A window that is all padding has the graph type's lowest number,
   which must be the type's. */
static webnn_xla__handle webnn_xla__pool_largest(webnn_xla__lowering *l, webnn_xla__handle x,
                                                 const webnn_xla__window_options *o,
                                                 webnn_list counts, bool *is_done) {
  const webnn_xla_window *w = &o->window;
  webnn_pool2d_options options = WEBNN_ZERO;
  uint32_t first, d;
  *is_done = x->shape.count == 4 && webnn_xla__is_untouched(o, 0) &&
             (webnn_xla__is_float(x->type) || !webnn_xla__type_of(x->type)->is_widened);
  first = *is_done && webnn_xla__is_untouched(o, 1) ? 2 : 1;
  *is_done = *is_done && (first == 2 || webnn_xla__is_untouched(o, 3));
  for (d = first; *is_done && d < first + 2; d++) {
    *is_done = w->base_dilations.items[d] == 1 && w->padding_low[d] >= 0 && w->padding_high[d] >= 0;
  }
  if (!*is_done || !webnn_xla__meet(l, &x, 1)) {
    return NULL;
  }
  options.label = l->place;
  options.layout = first == 2 ? WEBNN_LAYOUT_NCHW : WEBNN_LAYOUT_NHWC;
  options.padding = options.window_dimensions = options.strides = options.dilations =
      webnn_extra__no_items();
  for (d = first; d < first + 2; d++) {
    webnn_extra__append(&options.window_dimensions, o->dimensions.items[d]);
    webnn_extra__append(&options.strides, w->strides.items[d]);
    webnn_extra__append(&options.dilations, w->window_dilations.items[d]);
    webnn_extra__append(&options.padding, (uint32_t)w->padding_low[d]);
    webnn_extra__append(&options.padding, (uint32_t)w->padding_high[d]);
  }
  return webnn_xla__made(l, x->type, counts,
                         webnn_max_pool2d(l->b, webnn_xla__whole(l, x), &options));
}

/* WebNN's operator for windows of this kind, if there is one: then *is_done. */
static webnn_xla__handle webnn_xla__windows_by(webnn_xla__lowering *l, uint32_t op,
                                               webnn_xla__handle x,
                                               const webnn_xla__window_options *o,
                                               webnn_list counts, bool *is_done) {
  *is_done = false;
  if (op == WEBNN_XLA_ADD) {
    return webnn_xla__sum_up(l, x, o, is_done);
  }
  return op == WEBNN_XLA_MAX ? webnn_xla__pool_largest(l, x, o, counts, is_done) : NULL;
}

/* Where the neutral element is known, the padding is that, so that it has no part in the windows,
   as in XLA; else it is the initial value, as StableHLO says. The initial value is joined once. */
WEBNN_XLA__DO(reduce_window) {
  const webnn_xla__window_options *o = (const webnn_xla__window_options *)i->options;
  webnn_xla__fold fold = webnn_xla__fold_by(i->computations[0], i->result_count);
  const webnn_list counts = i->results[0].shape.dimensions;
  const webnn_xla_padding p = webnn_xla__padding_of(&o->window, counts.count);
  webnn_xla__handle const *initial = arguments + fold.count;
  const uint32_t op = webnn_xla__commutative(fold.f);
  webnn_xla__handle neutral = webnn_xla__neutral(l, op, arguments[0]->type);
  bool is_done;
  size_t k;
  results[0] = webnn_xla__windows_by(l, op, arguments[0], o, counts, &is_done);
  for (k = 0; !is_done && k < fold.count; k++) {
    results[k] = webnn_xla__lower_pad(l, arguments[k], neutral ? neutral : initial[k], &p);
  }
  if (!is_done && op == WEBNN_XLA_ADD && webnn_xla__is_float(arguments[0]->type) &&
      webnn_xla__largest(o->dimensions) <= WEBNN_XLA__LARGE_WINDOW) {
    results[0] = webnn_xla__sum_windows(l, results[0], o);
  } else if (!is_done && !webnn_xla__fold_windows(l, &fold, o, counts, results)) {
    return false;
  }
  return results[0] && (webnn_xla__is_same_constant(initial[0], neutral) ||
                        webnn_xla__join_initial(l, &fold, initial, results));
}

/* ---- SelectAndScatter ------------------------------------------------------------------------ */

/* Of two elements with their numbers the chosen one: (a, number of a, b, number of b). Padding has
   the number -1 and is never chosen. */
static bool webnn_xla__join_chosen(webnn_xla__lowering *l, const webnn_xla__fold *fold,
                                   webnn_xla__handle const *both, webnn_xla__handle *results) {
  webnn_xla__handle values[] = {both[0], both[2]}, keep, first, second;
  if (!webnn_xla__apply_to_all(l, fold->f, values, &keep)) {
    return false;
  }
  if (fold->is_padded) {
    first = webnn_xla__lower_by(l, WEBNN_XLA_GE, both[1], 0);
    second = webnn_xla__lower_by(l, WEBNN_XLA_LT, both[3], 0);
    keep = webnn_xla__lower_binary(l, WEBNN_XLA_AND, first,
                                   webnn_xla__lower_binary(l, WEBNN_XLA_OR, keep, second));
  }
  first = webnn_xla__lower_select(l, keep, both[0], both[2]);
  second = webnn_xla__lower_select(l, keep, both[1], both[3]);
  results[0] = first;
  results[1] = second;
  return first && second;
}

/* The numbers of the chosen elements, S32 with the dimensions of the source. */
static webnn_xla__handle webnn_xla__chosen_numbers(webnn_xla__lowering *l, webnn_xla__handle x,
                                                   const webnn_xla_computation *select,
                                                   const webnn_xla__window_options *o,
                                                   webnn_list counts, bool is_padded) {
  const webnn_xla_padding p = webnn_xla__padding_of(&o->window, counts.count);
  const uint32_t count = (uint32_t)webnn_xla__count(x->shape);
  webnn_xla__fold fold = webnn_xla__fold_by(select, 2);
  webnn_xla__handle both[2];
  fold.join = webnn_xla__join_chosen;
  fold.is_padded = is_padded;
  both[1] = webnn_xla__lower_iota(l, WEBNN_XLA_S32, webnn_extra__list1(count), 0);
  both[1] = webnn_xla__lower_reshape(l, both[1], x->shape);
  both[1] = webnn_xla__lower_pad(l, both[1], webnn_xla__lower_number(l, WEBNN_XLA_S32, -1), &p);
  both[0] = webnn_xla__lower_pad(l, x, webnn_xla__lower_number(l, x->type, 0), &p);
  return webnn_xla__fold_windows(l, &fold, o, counts, both) ? both[1] : NULL;
}

/* Windows that are `apart` from each other in each dimension have no element in common: the window
   with the indices s is in the round that s mod apart numbers. */
static bool webnn_xla__rounds_of_windows(webnn_xla__lowering *l, const webnn_xla__window_options *o,
                                         webnn_list counts, bool in_any_order,
                                         webnn_xla__scattering *to) {
  uint32_t apart[WEBNN_MAX_RANK], d, i;
  double rounds = 1;
  for (d = 0; d < counts.count; d++) {
    const uint32_t spread =
        webnn_xla__spread(o->dimensions.items[d], o->window.window_dilations.items[d]);
    apart[d] = (spread - 1) / o->window.strides.items[d] + 1;
    apart[d] = apart[d] < counts.items[d] ? apart[d] : counts.items[d];
    rounds *= apart[d];
  }
  to->round_count = WEBNN_XLA__MAX_ROUNDS + 1;
  if (rounds > (double)WEBNN_XLA__MAX_ROUNDS || (rounds > 1 && !in_any_order)) {
    return true;
  }
  to->round_count = (int32_t)rounds;
  to->rounds = (int32_t *)webnn_xla__temporary(l, to->update_count * sizeof *to->rounds);
  for (i = 0; to->rounds && i < to->update_count; i++) {
    uint32_t rest = i, unit = 1;
    for (d = counts.count; d-- > 0;) {
      to->rounds[i] += (int32_t)(rest % counts.items[d] % apart[d] * unit);
      rest /= counts.items[d];
      unit *= apart[d];
    }
  }
  return to->rounds != NULL;
}

static bool webnn_xla__has_holes(const webnn_xla_window *w, uint32_t rank) {
  uint32_t d;
  for (d = 0; d < rank; d++) {
    if (w->padding_low[d] > 0 || w->padding_high[d] > 0 || w->base_dilations.items[d] > 1) {
      return true;
    }
  }
  return false;
}

/* One column [n, 1] of the elements. */
static webnn_list webnn_xla__column_of(webnn_list shape) {
  webnn_list column = webnn_extra__list1((uint32_t)webnn_xla__count(shape));
  webnn_extra__append(&column, 1);
  return column;
}

WEBNN_XLA__DO(select_and_scatter) {
  const webnn_xla__window_options *o = (const webnn_xla__window_options *)i->options;
  const webnn_list shape = arguments[0]->shape, counts = arguments[1]->shape;
  const bool in_any_order =
      webnn_xla__commutative(i->computations[1]) != WEBNN_XLA_ELEMENTWISE_COUNT;
  const bool is_padded = webnn_xla__has_holes(&o->window, shape.count);
  webnn_xla__handle source, numbers;
  webnn_xla__scattering to;
  memset(&to, 0, sizeof to);
  to.f = i->computations[1];
  to.count = 1;
  to.arrays = results;
  to.updates = &source;
  to.cells = (uint32_t)webnn_xla__count(shape);
  to.row = 1;
  to.update_count = (uint32_t)webnn_xla__count(counts);
  to.is_outside = is_padded;
  numbers = webnn_xla__chosen_numbers(l, arguments[0], i->computations[0], o, counts, is_padded);
  if (numbers && is_padded) {
    numbers = webnn_xla__lower_select(l, webnn_xla__lower_by(l, WEBNN_XLA_GE, numbers, 0), numbers,
                                      webnn_xla__lower_number(l, WEBNN_XLA_S32, to.cells));
  }
  to.numbers = webnn_xla__lower_reshape(l, numbers, webnn_extra__list1(to.update_count));
  source = webnn_xla__lower_reshape(l, arguments[1], webnn_xla__column_of(counts));
  results[0] = webnn_xla__lower_broadcast(l, arguments[2], webnn_xla__column_of(shape),
                                          webnn_extra__no_items());
  if (!source || !to.numbers || !results[0] ||
      !webnn_xla__rounds_of_windows(l, o, counts, in_any_order, &to) ||
      !webnn_xla__lower_scattering(l, &to)) {
    return false;
  }
  results[0] = webnn_xla__lower_reshape(l, results[0], shape);
  return results[0] != NULL;
}

/* ---- Keys of comparators --------------------------------------------------------------------- */

/* An operand that is compared; integers and floats become int64 in the same order. */
typedef struct webnn_xla__key {
  uint32_t operand;
  bool is_descending;
  bool zeros_equal, nans_equal; /* -0 is 0; NaN of either sign is the largest */
} webnn_xla__key;

enum { WEBNN_XLA__MAX_KEYS = 16 };
typedef struct webnn_xla__keys {
  webnn_xla__key items[WEBNN_XLA__MAX_KEYS];
  size_t count;
} webnn_xla__keys;

/* Is it a constant 0, or a positive NaN? */
static bool webnn_xla__is_constant_of(const webnn_xla_value *v, bool is_nan) {
  static const uint8_t zeros[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  const webnn_xla__literal *literal;
  uint32_t word;
  uint16_t half;
  if (v->source->op != WEBNN_XLA__CONSTANT) {
    return false;
  }
  literal = (const webnn_xla__literal *)v->source->options;
  if (!is_nan) {
    return memcmp(literal->data, zeros, webnn_xla__graph_bytes(v->shape.type)) == 0;
  }
  if (v->shape.type == WEBNN_XLA_F16) {
    memcpy(&half, literal->data, 2);
    return half > 0x7C00 && half < 0x8000;
  }
  memcpy(&word, literal->data, 4);
  return word > 0x7F800000u && word < 0x80000000u;
}

/* Which parameter an operand of a comparison is, seen through JAX's choices of one zero and one
   NaN: select(x != x, NaN, select(x == 0, 0, x)). -1: something else. */
static int64_t webnn_xla__compared_parameter(const webnn_xla_computation *f,
                                             const webnn_xla_value *v, webnn_xla__key *key) {
  const webnn_xla_value *choice, *x, *only = NULL;
  size_t p;
  key->zeros_equal = key->nans_equal = false;
  while (v->source->op == WEBNN_XLA__SELECT && webnn_xla__is_float(v->shape.type)) {
    choice = v->source->operands[0];
    x = choice->source->operand_count == 2 ? choice->source->operands[0] : NULL;
    if (x && x->source->op == WEBNN_XLA__PARAMETER && choice->source->op == WEBNN_XLA_NE &&
        choice->source->operands[1] == x &&
        webnn_xla__is_constant_of(v->source->operands[1], true)) {
      key->nans_equal = true;
    } else if (x && x->source->op == WEBNN_XLA__PARAMETER && choice->source->op == WEBNN_XLA_EQ &&
               webnn_xla__is_constant_of(choice->source->operands[1], false) &&
               webnn_xla__is_constant_of(v->source->operands[1], false)) {
      key->zeros_equal = true;
    } else {
      return -1;
    }
    if (only && x != only) {
      return -1;
    }
    only = x;
    v = v->source->operands[2];
  }
  for (p = 0; p < f->leaf_count && f->leaves[p] != v; p++) {
  }
  return p < f->leaf_count && (!only || v == only) ? (int64_t)p : -1;
}

/* The comparison of one operand's two elements; its direction, or 0. */
static uint32_t webnn_xla__compared_key(const webnn_xla_computation *f, const webnn_xla_value *v,
                                        webnn_xla__key *key) {
  const webnn_xla__instruction *i = v->source;
  const bool is_total = i->op == WEBNN_XLA__COMPARE_TOTAL_ORDER;
  const uint32_t op = is_total ? (uint32_t) * (const webnn_xla_operation *)i->options : i->op;
  webnn_xla__key other;
  int64_t p, q;
  memset(key, 0, sizeof *key);
  if (!webnn_xla__is_comparison(op)) {
    return 0;
  }
  p = webnn_xla__compared_parameter(f, i->operands[0], key);
  q = webnn_xla__compared_parameter(f, i->operands[1], &other);
  if (p < 0 || q < 0 || (p ^ 1) != q || key->zeros_equal != other.zeros_equal ||
      key->nans_equal != other.nans_equal) {
    return 0;
  }
  key->operand = (uint32_t)(p / 2);
  key->is_descending = (op == WEBNN_XLA_GT || op == WEBNN_XLA_GE) != (p % 2 == 1);
  if (!is_total && webnn_xla__is_float(i->operands[0]->shape.type)) {
    key->zeros_equal = key->nans_equal = true;
  }
  return op;
}

/* The keys of lt(a, b) or (eq(a, b) and (the same of the next ones)). */
static bool webnn_xla__find_keys(const webnn_xla_computation *f, const webnn_xla_value *v,
                                 webnn_xla__keys *keys) {
  webnn_xla__key *key = &keys->items[keys->count], equal;
  const webnn_xla_value *less, *rest;
  uint32_t op, k;
  if (keys->count == WEBNN_XLA__MAX_KEYS) {
    return false;
  }
  if (v->source->op != WEBNN_XLA_OR) {
    op = webnn_xla__compared_key(f, v, key);
    keys->count++;
    return op == WEBNN_XLA_LT || op == WEBNN_XLA_LE || op == WEBNN_XLA_GT || op == WEBNN_XLA_GE;
  }
  k = v->source->operands[0]->source->op == WEBNN_XLA_AND ? 0 : 1;
  rest = v->source->operands[k];
  less = v->source->operands[1 - k];
  op = webnn_xla__compared_key(f, less, key);
  if ((op != WEBNN_XLA_LT && op != WEBNN_XLA_GT) || rest->source->op != WEBNN_XLA_AND) {
    return false;
  }
  keys->count++;
  k = webnn_xla__compared_key(f, rest->source->operands[0], &equal) == WEBNN_XLA_EQ ? 0 : 1;
  return webnn_xla__compared_key(f, rest->source->operands[k], &equal) == WEBNN_XLA_EQ &&
         equal.operand == key->operand && equal.zeros_equal == key->zeros_equal &&
         equal.nans_equal == key->nans_equal &&
         webnn_xla__find_keys(f, rest->source->operands[1 - k], keys);
}

/* ---- Sorting by keys ------------------------------------------------------------------------- */

typedef struct webnn_xla__sorting {
  size_t lines, n, inner; /* arrays are [lines / inner, n, inner] */
  webnn_xla__keys keys;   /* none: the comparator is a part */
  webnn_xla__applied applied;
} webnn_xla__sorting;

/* Where element i of a line is. */
static size_t webnn_xla__line_element(const webnn_xla__sorting *o, size_t line, size_t i) {
  return (line / o->inner * o->n + i) * o->inner + line % o->inner;
}

/* A float as an integer in the total order: the magnitude's bits, or -1 less them. */
static int64_t webnn_xla__key_of_float(const webnn_xla__key *key, const uint8_t *element,
                                       size_t size) {
  uint32_t word, infinity = 0x7F800000u, sign = 0x80000000u, magnitude;
  uint16_t half;
  if (size == 2) {
    memcpy(&half, element, 2);
    word = half;
    infinity = 0x7C00;
    sign = 0x8000;
  } else {
    memcpy(&word, element, 4);
  }
  magnitude = word & (sign - 1);
  if ((key->zeros_equal && magnitude == 0) || (key->nans_equal && magnitude > infinity)) {
    return magnitude ? (int64_t)infinity + 1 : 0;
  }
  return word & sign ? -(int64_t)magnitude - 1 : (int64_t)magnitude;
}

/* An element as an integer in the order of its key. */
static int64_t webnn_xla__key_of(const webnn_xla__key *key, webnn_xla_type type,
                                 const uint8_t *element) {
  int64_t value;
  if (webnn_xla__is_float(type)) {
    value = webnn_xla__key_of_float(key, element, webnn_xla__graph_bytes(type));
  } else if (type == WEBNN_XLA_U64) { /* the upper half of the range comes behind */
    memcpy(&value, element, 8);
    value ^= INT64_MIN;
  } else {
    value = webnn_xla__integer_at(type, element);
  }
  return key->is_descending ? ~value : value;
}

/* Is a line's element a before b by keys[element * count ...]? */
static bool webnn_xla__is_before(const int64_t *keys, size_t count, uint32_t a, uint32_t b) {
  size_t k;
  for (k = 0; k < count; k++) {
    const int64_t x = keys[a * count + k], y = keys[b * count + k];
    if (x != y) {
      return x < y;
    }
  }
  return false;
}

/* Merges runs of 1, 2, 4, ...: order[0 ... n - 1] is 0 ... n - 1 at first; spare is as large. */
static void webnn_xla__merge_sort(const int64_t *keys, size_t count, size_t n, uint32_t *order,
                                  uint32_t *spare) {
  size_t run, start, i;
  for (run = 1; run < n; run *= 2) {
    for (start = 0; start < n; start += 2 * run) {
      const size_t middle = n - start < run ? n : start + run;
      const size_t end = n - middle < run ? n : middle + run;
      size_t left = start, right = middle;
      for (i = start; i < end; i++) {
        const bool from_right =
            right < end &&
            (left == middle || webnn_xla__is_before(keys, count, order[right], order[left]));
        spare[i] = order[from_right ? right++ : left++];
      }
    }
    memcpy(order, spare, n * sizeof *order);
  }
}

/* The order of each line, order[line n + ...]. */
static bool webnn_xla__sort_by_keys(webnn_xla_program *p, webnn_xla__step *step,
                                    uint8_t *const *arrays, uint32_t *order, webnn_error *error) {
  const webnn_xla__sorting *o = (const webnn_xla__sorting *)step->options;
  const size_t count = o->keys.count;
  int64_t *keys = o->n <= SIZE_MAX / 128 ? (int64_t *)malloc(o->n * count * sizeof *keys) : NULL;
  uint32_t *spare = (uint32_t *)malloc(o->n * sizeof *spare);
  size_t line, i, k;
  bool done;
  for (line = 0; keys && spare && line < o->lines; line++) {
    for (k = 0; k < count; k++) {
      const webnn_xla__key *key = &o->keys.items[k];
      const webnn_xla_type type = p->slots[step->inputs[key->operand]].type;
      const size_t size = webnn_xla__graph_bytes(type);
      for (i = 0; i < o->n; i++) {
        keys[i * count + k] = webnn_xla__key_of(
            key, type, arrays[key->operand] + webnn_xla__line_element(o, line, i) * size);
      }
    }
    webnn_xla__merge_sort(keys, count, o->n, order + line * o->n, spare);
  }
  done = (keys && spare) || webnn_xla__out_of_memory(error);
  free(spare);
  free(keys);
  return done;
}

/* ---- Sorting by any comparator --------------------------------------------------------------- */

/* A network of comparisons: of pairs of places whose comparisons do not depend on each other
   there are rounds, and those of a round are made all at once. It is Batcher's merge exchange,
   which Knuth describes as Algorithm 5.2.2M. It ends, and gives all elements back, whatever
   the comparator says. */
typedef struct webnn_xla__network {
  webnn_xla_program *program;
  webnn_xla__step *step;
  uint8_t *const *arrays;
  uint8_t **buffers; /* the comparator's arguments, and its result */
  uint32_t *order;
  size_t *places; /* of the pairs that wait: in `order`, where the first of the two is */
  bool *is_first; /* the later one of the pair is before the other */
  size_t waiting, distance;
} webnn_xla__network;

/* Compares the waiting pairs: is the one that was later in the beginning before the other? */
static bool webnn_xla__compare_waiting(webnn_xla__network *w, bool is_swapped, webnn_error *error) {
  const webnn_xla__sorting *o = (const webnn_xla__sorting *)w->step->options;
  const size_t count = w->step->input_count;
  size_t i, k;
  for (k = 0; k < count; k++) {
    const size_t size = webnn_xla__graph_bytes(w->program->slots[w->step->inputs[k]].type);
    for (i = 0; i < w->waiting; i++) {
      const size_t line = w->places[i] / o->n;
      const uint32_t a = w->order[w->places[i]], b = w->order[w->places[i] + w->distance];
      const uint32_t first = (a > b) != is_swapped ? a : b, second = first == a ? b : a;
      memcpy(w->buffers[2 * k] + i * size,
             w->arrays[k] + webnn_xla__line_element(o, line, first) * size, size);
      memcpy(w->buffers[2 * k + 1] + i * size,
             w->arrays[k] + webnn_xla__line_element(o, line, second) * size, size);
    }
  }
  return webnn_xla__run_applied(w->program, w->step->shown.parts[1], &o->applied, w->buffers,
                                w->buffers + 2 * count, error);
}

/* Orders the waiting pairs. Only one that is before the other, but not the other way round, passes
   it: thus the order is stable. */
static bool webnn_xla__exchange_waiting(webnn_xla__network *w, webnn_error *error) {
  const uint8_t *answers = w->buffers[2 * w->step->input_count];
  bool any = false;
  size_t i;
  if (w->waiting == 0) {
    return true;
  }
  if (!webnn_xla__compare_waiting(w, false, error)) {
    return false;
  }
  for (i = 0; i < w->waiting; i++) {
    w->is_first[i] = answers[i] != 0;
    any = any || w->is_first[i];
  }
  if (any && !webnn_xla__compare_waiting(w, true, error)) {
    return false;
  }
  for (i = 0; i < w->waiting; i++) {
    uint32_t *a = &w->order[w->places[i]], *b = a + w->distance;
    const uint32_t earlier = *a < *b ? *a : *b, later = *a < *b ? *b : *a;
    const bool passes = w->is_first[i] && !answers[i];
    *a = passes ? later : earlier;
    *b = passes ? earlier : later;
  }
  w->waiting = 0;
  return true;
}

/* One round: places i and i + distance with (i and bit) = residue, in all lines. */
static bool webnn_xla__network_round(webnn_xla__network *w, size_t distance, size_t bit,
                                     size_t residue, webnn_error *error) {
  const webnn_xla__sorting *o = (const webnn_xla__sorting *)w->step->options;
  size_t line, i;
  bool done = true;
  w->distance = distance;
  for (line = 0; done && line < o->lines; line++) {
    for (i = 0; done && i + distance < o->n; i++) {
      if ((i & bit) == residue) {
        w->places[w->waiting++] = line * o->n + i;
        done = w->waiting < o->applied.count || webnn_xla__exchange_waiting(w, error);
      }
    }
  }
  return done && webnn_xla__exchange_waiting(w, error);
}

static bool webnn_xla__run_network(webnn_xla__network *w, size_t n, webnn_error *error) {
  size_t top = 1, bit;
  bool done = true;
  while (2 * top < n) {
    top *= 2;
  }
  for (bit = top; done && bit > 0 && n > 1; bit /= 2) {
    size_t merge = top, residue = 0, distance = bit;
    done = webnn_xla__network_round(w, distance, bit, residue, error);
    while (done && merge != bit) {
      distance = merge - bit;
      merge /= 2;
      residue = bit;
      done = webnn_xla__network_round(w, distance, bit, residue, error);
    }
  }
  return done;
}

static bool webnn_xla__sort_by_comparator(webnn_xla_program *p, webnn_xla__step *step,
                                          uint8_t *const *arrays, uint32_t *order,
                                          webnn_error *error) {
  const webnn_xla__sorting *o = (const webnn_xla__sorting *)step->options;
  const size_t count = 2 * step->input_count + 1;
  webnn_xla__network w;
  size_t k;
  bool done;
  memset(&w, 0, sizeof w);
  w.program = p;
  w.step = step;
  w.arrays = arrays;
  w.order = order;
  w.buffers = (uint8_t **)calloc(count, sizeof *w.buffers);
  w.places = (size_t *)calloc(o->applied.count, sizeof *w.places);
  w.is_first = (bool *)calloc(o->applied.count, sizeof *w.is_first);
  done = w.buffers && w.places && w.is_first;
  for (k = 0; done && k < count; k++) { /* no element has more than 8 bytes */
    w.buffers[k] = (uint8_t *)calloc(o->applied.count, 8);
    done = w.buffers[k] != NULL;
  }
  done = done ? webnn_xla__run_network(&w, o->n, error) : webnn_xla__out_of_memory(error);
  webnn_xla__free_all(w.buffers, count);
  free(w.places);
  free(w.is_first);
  return done;
}

/* ---- Sort ------------------------------------------------------------------------------------ */

/* Operand k in its new order. */
static bool webnn_xla__store_sorted(webnn_xla_program *p, webnn_xla__step *step, size_t k,
                                    const uint8_t *array, const uint32_t *order,
                                    webnn_error *error) {
  const webnn_xla__sorting *o = (const webnn_xla__sorting *)step->options;
  const webnn_xla__slot *slot = &p->slots[step->inputs[k]];
  const size_t size = slot->byte_length / slot->count;
  uint8_t *sorted = (uint8_t *)malloc(slot->byte_length);
  size_t line, i;
  bool done = sorted != NULL || webnn_xla__out_of_memory(error);
  for (line = 0; done && line < o->lines; line++) {
    for (i = 0; i < o->n; i++) {
      memcpy(sorted + webnn_xla__line_element(o, line, i) * size,
             array + webnn_xla__line_element(o, line, order[line * o->n + i]) * size, size);
    }
  }
  done = done && webnn_xla__store(p, step->outputs[k], sorted, error);
  free(sorted);
  return done;
}

static bool webnn_xla__run_sort(webnn_xla_program *p, webnn_xla__step *step, webnn_error *error) {
  const webnn_xla__sorting *o = (const webnn_xla__sorting *)step->options;
  uint8_t **arrays = (uint8_t **)calloc(step->input_count, sizeof *arrays);
  uint32_t *order = (uint32_t *)malloc(o->lines * o->n * sizeof *order);
  size_t k, i;
  bool done = (arrays && order) || webnn_xla__out_of_memory(error);
  for (i = 0; done && i < o->lines * o->n; i++) {
    order[i] = (uint32_t)(i % o->n);
  }
  for (k = 0; done && k < step->input_count; k++) {
    arrays[k] = (uint8_t *)webnn_xla__fetch(p, step->inputs[k], error);
    done = arrays[k] != NULL;
  }
  done = done && (o->keys.count ? webnn_xla__sort_by_keys(p, step, arrays, order, error)
                                : webnn_xla__sort_by_comparator(p, step, arrays, order, error));
  for (k = 0; done && k < step->input_count; k++) {
    done = webnn_xla__store_sorted(p, step, k, arrays[k], order, error);
  }
  free(order);
  webnn_xla__free_all(arrays, step->input_count);
  return done;
}

/* The comparator as a part, if it does not compare keys only. */
static bool webnn_xla__prepare_comparator(webnn_xla__lowering *l, const webnn_xla_computation *f,
                                          webnn_xla__sorting *o, webnn_xla_program **part) {
  const size_t pairs = o->lines * (o->n / 2 + 1);
  const webnn_xla_computation *g = f;
  while (g->roots[0]->source->op == WEBNN_XLA__CALL &&
         g->roots[0]->source->operand_count == g->leaf_count &&
         memcmp(g->roots[0]->source->operands, g->leaves, g->leaf_count * sizeof *g->leaves) == 0 &&
         g->roots[0]->source->computations[0]->leaf_count == g->leaf_count) {
    g = g->roots[0]->source->computations[0];
  }
  if (webnn_xla__find_keys(g, g->roots[0], &o->keys)) {
    return true;
  }
  o->keys.count = 0;
  *part = webnn_xla__compile_applied(l, f, pairs < 4096 ? (uint32_t)pairs : 4096, &o->applied);
  return *part != NULL;
}

WEBNN_XLA__DO(sort) {
  const uint32_t dimension = *(const uint32_t *)i->options;
  const webnn_list shape = arguments[0]->shape;
  webnn_xla__sorting *o = (webnn_xla__sorting *)webnn_xla__lasting(l, NULL, sizeof *o);
  webnn_xla_program *part = NULL;
  webnn_xla__step *step;
  if (!o) {
    return false;
  }
  o->n = shape.items[dimension];
  o->inner = webnn_xla__product(shape, dimension + 1, shape.count);
  o->lines = webnn_xla__count(shape) / o->n;
  if (!webnn_xla__prepare_comparator(l, i->computations[0], o, &part)) {
    return false;
  }
  step = webnn_xla__new_results(l, i, results)
             ? webnn_xla__add_step(l, WEBNN_XLA_STEP_SORT, webnn_xla__run_sort, arguments,
                                   i->operand_count, results, i->result_count, false)
             : NULL;
  if (!step) {
    webnn_xla_free_program(part);
    return false;
  }
  step->options = o;
  step->shown.parts[1] = part;
  return true;
}

/* ==============================================================================================
   12  products
   ============================================================================================== */

/* ---- Products of integers -------------------------------------------------------------------- */

enum { WEBNN_XLA__SLICE_ELEMENTS = 1 << 24 }; /* of products that exist at once */

/* How many bits the magnitudes have: 8 of U8, whose elements are below 2^8, and 7 of S8, at most
   2^7. */
static uint32_t webnn_xla__magnitude_bits(webnn_xla_type type) {
  const webnn_xla__type_row *row = webnn_xla__type_of(type);
  return row->is_signed ? row->bits - 1 : row->bits;
}

/* The type in which sums are made: 32 or 64 bits, of which the result's are the lowest. */
static webnn_xla_type webnn_xla__wide_type(webnn_xla_type type) {
  const webnn_xla__type_row *row = webnn_xla__type_of(type);
  if (row->bits == 64) {
    return type;
  }
  return row->is_signed ? WEBNN_XLA_S32 : WEBNN_XLA_U32;
}

/* a [B, M, K] by b [B, K, N] of few bits: in float32 sums up to 2^24 are exact, so that K is cut
   where 2^bits K would be more. */
static webnn_xla__handle webnn_xla__small_products(webnn_xla__lowering *l, webnn_xla__handle a,
                                                   webnn_xla__handle b, uint32_t bits,
                                                   webnn_xla_type type) {
  const uint32_t k = a->shape.items[2], most = 1u << (24 - bits);
  webnn_xla__handle sum = NULL;
  uint32_t at;
  a = webnn_xla__cast(l, a, WEBNN_XLA_F32);
  b = webnn_xla__cast(l, b, WEBNN_XLA_F32);
  for (at = 0; at < k && a && b; at += most) {
    const uint32_t end = k - at < most ? k : at + most;
    webnn_xla__handle part = webnn_xla__lower_matmul(l, webnn_xla__lower_part(l, a, 2, at, end),
                                                     webnn_xla__lower_part(l, b, 1, at, end));
    part = webnn_xla__cast(l, part, type);
    sum = sum ? webnn_xla__apply2(l, webnn_add, type, sum, part) : part;
    if (!sum) {
      return NULL;
    }
  }
  return sum;
}

/* Rows of a by b, as sums of a [B, M, 1, K] b^T [B, 1, N, K]; K is cut, too, where a row's
   products are too many. */
static webnn_xla__handle webnn_xla__row_products(webnn_xla__lowering *l, webnn_xla__handle a,
                                                 webnn_xla__handle b, uint32_t step) {
  const uint32_t k = a->shape.items[3];
  webnn_xla__handle sum = NULL;
  uint32_t at;
  for (at = 0; at < k; at += step) {
    const uint32_t end = k - at < step ? k : at + step;
    webnn_xla__handle part = webnn_xla__lower_part(l, a, 3, at, end);
    part = part ? webnn_xla__apply2(l, webnn_mul, a->type, part,
                                    webnn_xla__lower_part(l, b, 3, at, end))
                : NULL;
    part = webnn_xla__lower_reduction(l, webnn_reduce_sum, part, webnn_extra__list1(3));
    sum = sum && part ? webnn_xla__apply2(l, webnn_add, a->type, sum, part) : part;
    if (!sum) {
      return NULL;
    }
  }
  return sum;
}

static webnn_xla__handle webnn_xla__large_products(webnn_xla__lowering *l, webnn_xla__handle a,
                                                   webnn_xla__handle b) {
  const webnn_list as = a->shape, bs = b->shape;
  const uint32_t m = as.items[1], k = as.items[2], n = bs.items[2];
  const uint64_t row = (uint64_t)as.items[0] * n * k;
  const uint64_t fit = WEBNN_XLA__SLICE_ELEMENTS / row,
                 each = WEBNN_XLA__SLICE_ELEMENTS / (row / k);
  const uint32_t rows = fit > m ? m : fit ? (uint32_t)fit : 1;
  const uint32_t columns = fit || each > k ? k : each ? (uint32_t)each : 1;
  const uint32_t count = (m + rows - 1) / rows;
  webnn_xla__handle *parts = (webnn_xla__handle *)webnn_xla__temporary(l, count * sizeof *parts);
  webnn_list shape = webnn_extra__list3(as.items[0], m, 1);
  uint32_t i;
  webnn_extra__append(&shape, k);
  a = parts ? webnn_xla__lower_reshape(l, a, shape) : NULL;
  b = webnn_xla__lower_transpose(l, b, webnn_extra__list3(0, 2, 1));
  shape = webnn_extra__list3(as.items[0], 1, n);
  webnn_extra__append(&shape, k);
  b = b ? webnn_xla__lower_reshape(l, b, shape) : NULL;
  for (i = 0; i < count && a && b; i++) {
    const uint32_t end = i + 1 == count ? m : (i + 1) * rows;
    parts[i] =
        webnn_xla__row_products(l, webnn_xla__lower_part(l, a, 1, i * rows, end), b, columns);
    if (!parts[i]) {
      return NULL;
    }
  }
  return a && b ? webnn_xla__lower_concatenate(l, parts, count, 1) : NULL;
}

/* a [B, M, K] by b [B, K, N], sums modulo 2^bits of the result's type. */
static webnn_xla__handle webnn_xla__integer_products(webnn_xla__lowering *l, webnn_xla__handle a,
                                                     webnn_xla__handle b, webnn_xla_type type) {
  const uint32_t bits = webnn_xla__magnitude_bits(a->type) + webnn_xla__magnitude_bits(b->type);
  const webnn_xla_type wide = webnn_xla__wide_type(type);
  webnn_xla__handle y;
  if (type == WEBNN_XLA_PRED) { /* is there a pair of ones? */
    y = webnn_xla__lower_matmul(l, webnn_xla__cast(l, a, WEBNN_XLA_F32),
                                webnn_xla__cast(l, b, WEBNN_XLA_F32));
    return webnn_xla__compare_by(l, webnn_greater, y, 0);
  }
  if (bits <= 16) {
    y = webnn_xla__small_products(l, a, b, bits, wide);
  } else {
    a = webnn_xla__cast(l, a, wide);
    b = webnn_xla__cast(l, b, wide);
    y = a && b ? webnn_xla__large_products(l, a, b) : NULL;
  }
  return webnn_xla__lower_convert(l, y, type);
}

/* a [B, M, K] by b [B, K, N] of any types; operands become the result's type first, but for
   integers that are narrower, whose products are its anyway. A single product of matrices has two
   dimensions, as it is known best. */
static webnn_xla__handle webnn_xla__products(webnn_xla__lowering *l, webnn_xla__handle a,
                                             webnn_xla__handle b, webnn_xla_type type) {
  if (!a || !b) {
    return NULL;
  }
  if (!webnn_xla__is_float(type)) {
    a = webnn_xla__is_float(a->type) ? webnn_xla__lower_convert(l, a, type) : a;
    b = webnn_xla__is_float(b->type) ? webnn_xla__lower_convert(l, b, type) : b;
    return a && b ? webnn_xla__integer_products(l, a, b, type) : NULL;
  }
  if (a->shape.items[0] == 1) {
    a = webnn_xla__lower_reshape(l, a, webnn_extra__list2(a->shape.items[1], a->shape.items[2]));
    b = webnn_xla__lower_reshape(l, b, webnn_extra__list2(b->shape.items[1], b->shape.items[2]));
  }
  a = webnn_xla__lower_convert(l, a, type);
  b = webnn_xla__lower_convert(l, b, type);
  return webnn_xla__settle(l, webnn_xla__lower_matmul(l, a, b));
}

/* ---- DotGeneral ------------------------------------------------------------------------------ */

/* Transposed to `order`, and its dimensions taken together in three groups of which the first two
   have `first` and `second` dimensions. */
static webnn_xla__handle webnn_xla__grouped(webnn_xla__lowering *l, webnn_xla__handle x,
                                            webnn_list order, uint32_t first, uint32_t second) {
  const webnn_list sizes = webnn_xla__picked(x->shape, order);
  x = webnn_xla__lower_transpose(l, x, order);
  return webnn_xla__lower_reshape(
      l, x,
      webnn_extra__list3((size_t)webnn_extra__product(sizes, 0, first),
                         (size_t)webnn_extra__product(sizes, first, first + second),
                         (size_t)webnn_extra__product(sizes, first + second, sizes.count)));
}

/* [batch, left's others, contracted] by [batch, contracted, right's others], each of these
   dimensions being a product of several. */
WEBNN_XLA__DO(dot_general) {
  const webnn_xla_dot_dimension_numbers *n = (const webnn_xla_dot_dimension_numbers *)i->options;
  const uint32_t batch = n->left_batch.count, contracted = n->left_contracting.count;
  const webnn_list l_gone = webnn_xla__joined(n->left_batch, n->left_contracting);
  const webnn_list r_gone = webnn_xla__joined(n->right_batch, n->right_contracting);
  const webnn_list l_free = webnn_xla__others(l_gone, arguments[0]->shape.count);
  const webnn_list r_free = webnn_xla__others(r_gone, arguments[1]->shape.count);
  webnn_xla__handle a, b, y;
  a = webnn_xla__grouped(
      l, arguments[0],
      webnn_xla__joined(webnn_xla__joined(n->left_batch, l_free), n->left_contracting), batch,
      l_free.count);
  b = webnn_xla__grouped(l, arguments[1], webnn_xla__joined(r_gone, r_free), batch, contracted);
  y = webnn_xla__products(l, a, b, i->results[0].shape.type);
  results[0] = webnn_xla__lower_reshape(l, y, i->results[0].shape.dimensions);
  return results[0] != NULL;
}

/* ---- Convolution ----------------------------------------------------------------------------- */

/* A convolution on its way: x [batch, features, spatial ...] and w [outputs, inputs, spatial ...].
   Spatial dimensions that are unfolded become part of the batch (their places) and of the inputs
   (the window's elements). */
typedef struct webnn_xla__convolved {
  webnn_xla__handle x, w;
  webnn_xla_window window;
  uint32_t groups, rank; /* of features; spatial dimensions */
  uint32_t unfolded;     /* how many of the first ones are */
  webnn_list out;        /* the result's spatial sizes */
  webnn_xla_type type;
} webnn_xla__convolved;

/* The groups of a batch as groups of features: [G n, C ...] becomes [n, G C ...]. */
static webnn_xla__handle webnn_xla__batch_to_features(webnn_xla__lowering *l, webnn_xla__handle x,
                                                      uint32_t groups) {
  webnn_list sizes;
  if (!x || groups == 1) {
    return x;
  }
  sizes = x->shape;
  sizes.items[0] /= groups;
  sizes.items[1] *= groups;
  x = webnn_xla__lower_reshape(
      l, x,
      webnn_extra__list3(groups, sizes.items[0],
                         (size_t)webnn_extra__product(sizes, 1, sizes.count) / groups));
  x = webnn_xla__lower_transpose(l, x, webnn_extra__list3(1, 0, 2));
  return webnn_xla__lower_reshape(l, x, sizes);
}

/* Dimension numbers as the order of a transpose. */
static webnn_list webnn_xla__numbers(uint32_t first, uint32_t second, webnn_list spatial) {
  webnn_list order = webnn_extra__list1(first);
  webnn_extra__append(&order, second);
  return webnn_xla__joined(order, spatial);
}

static webnn_xla__handle webnn_xla__reversed(webnn_xla__lowering *l, webnn_xla__handle w,
                                             const bool *reversed, uint32_t rank) {
  webnn_list dims = webnn_extra__no_items();
  uint32_t i;
  for (i = 0; i < rank; i++) {
    if (reversed[i]) {
      webnn_extra__append(&dims, i + 2);
    }
  }
  return webnn_xla__lower_reverse(l, w, dims);
}

/* Dilates and pads x where the operators below do not: dimensions that are unfolded, and those of
   which an edge is taken away. Positive edges of the others remain in the window. */
static void webnn_xla__pad_base(webnn_xla__lowering *l, webnn_xla__convolved *c) {
  webnn_xla_padding p;
  uint32_t i;
  memset(&p, 0, sizeof p);
  for (i = 0; i < c->rank; i++) {
    p.interior[i + 2] = c->window.base_dilations.items[i] - 1;
    if (i < c->unfolded || c->window.padding_low[i] < 0 || c->window.padding_high[i] < 0) {
      p.low[i + 2] = c->window.padding_low[i];
      p.high[i + 2] = c->window.padding_high[i];
      c->window.padding_low[i] = c->window.padding_high[i] = 0;
    }
  }
  if (webnn_xla__meet(l, &c->x, 1) && webnn_xla__is_padding(&p, c->rank + 2)) {
    c->x = webnn_xla__pad_with_zeros(l, c->x, &p);
  }
}

/* One slice for each element of the window along dimension 3 of x [batch, groups, features, size,
   rest], joined along the features; then [batch, places, groups, features, rest]. */
static webnn_xla__handle webnn_xla__window_slices(webnn_xla__lowering *l, webnn_xla__handle x,
                                                  uint32_t window, uint32_t dilation,
                                                  uint32_t stride, uint32_t places) {
  static const uint32_t order[] = {0, 3, 1, 2, 4};
  webnn_xla__handle *parts = (webnn_xla__handle *)webnn_xla__temporary(l, window * sizeof *parts);
  webnn_list starts = webnn_extra__repeat(0, 5), limits, strides = webnn_extra__repeat(1, 5);
  uint32_t i;
  if (!parts || !x) {
    return NULL;
  }
  limits = x->shape;
  strides.items[3] = stride;
  for (i = 0; i < window; i++) {
    starts.items[3] = i * dilation;
    limits.items[3] = starts.items[3] + (places - 1) * stride + 1;
    parts[i] = webnn_xla__lower_slice(l, x, starts, limits, strides);
  }
  return webnn_xla__lower_transpose(l, webnn_xla__lower_concatenate(l, parts, window, 2),
                                    webnn_list_of(order, 5));
}

/* x as [batch and places, groups features and window elements, spatial dimensions that are left].
   The window's last unfolded dimension varies slowest among features. */
static void webnn_xla__unfold_base(webnn_xla__lowering *l, webnn_xla__convolved *c) {
  webnn_list sizes = c->x ? c->x->shape : webnn_extra__no_items(), to;
  uint32_t i, batch = c->x ? sizes.items[0] : 0;
  uint32_t features = c->x ? sizes.items[1] / c->groups : 0;
  for (i = 0; i < c->unfolded && c->x; i++) {
    const uint32_t window = c->w->shape.items[i + 2];
    to = webnn_extra__list3(batch, c->groups, features);
    webnn_extra__append(&to, sizes.items[i + 2]);
    webnn_extra__append(&to, (uint32_t)webnn_extra__product(sizes, i + 3, sizes.count));
    c->x = webnn_xla__window_slices(l, webnn_xla__lower_reshape(l, c->x, to), window,
                                    c->window.window_dilations.items[i], c->window.strides.items[i],
                                    c->out.items[i]);
    batch *= c->out.items[i];
    features *= window;
  }
  if (c->x && c->unfolded) {
    to = webnn_extra__list1(batch);
    webnn_extra__append(&to, c->groups * features);
    for (i = c->unfolded; i < c->rank; i++) {
      webnn_extra__append(&to, sizes.items[i + 2]);
    }
    c->x = webnn_xla__lower_reshape(l, c->x, to);
  }
}

/* w as [outputs, window elements and inputs, spatial dimensions that are left]. */
static void webnn_xla__unfold_window(webnn_xla__lowering *l, webnn_xla__convolved *c) {
  webnn_list order = webnn_extra__list1(0), to;
  uint32_t i, inputs;
  if (!c->w || !c->unfolded) {
    return;
  }
  inputs = c->w->shape.items[1];
  for (i = c->unfolded; i > 0; i--) {
    webnn_extra__append(&order, i + 1);
    inputs *= c->w->shape.items[i + 1];
  }
  webnn_extra__append(&order, 1);
  to = webnn_extra__list1(c->w->shape.items[0]);
  webnn_extra__append(&to, inputs);
  for (i = c->unfolded; i < c->rank; i++) {
    webnn_extra__append(&order, i + 2);
    webnn_extra__append(&to, c->w->shape.items[i + 2]);
  }
  c->w = webnn_xla__lower_reshape(l, webnn_xla__lower_transpose(l, c->w, order), to);
}

/* Everything is unfolded: x [batch, groups, features] by w [groups, outputs, features], as products
   of matrices for each group. Gives [batch, outputs]. */
static webnn_xla__handle webnn_xla__convolve_integers(webnn_xla__lowering *l,
                                                      webnn_xla__convolved *c) {
  const uint32_t batch = c->x->shape.items[0], outputs = c->w->shape.items[0];
  const uint32_t features = c->w->shape.items[1];
  webnn_xla__handle a, b, y;
  webnn_list sizes = webnn_extra__list1(batch);
  webnn_extra__append(&sizes, outputs);
  a = webnn_xla__lower_reshape(l, c->x, webnn_extra__list3(batch, c->groups, features));
  a = webnn_xla__lower_transpose(l, a, webnn_extra__list3(1, 0, 2));
  b = webnn_xla__lower_reshape(l, c->w,
                               webnn_extra__list3(c->groups, outputs / c->groups, features));
  b = webnn_xla__lower_transpose(l, b, webnn_extra__list3(0, 2, 1));
  y = webnn_xla__products(l, a, b, c->type);
  y = webnn_xla__lower_transpose(l, y, webnn_extra__list3(1, 0, 2));
  return webnn_xla__lower_reshape(l, y, sizes);
}

/* The window of the two dimensions that are left, with 1 put before where there is only one. */
typedef struct webnn_xla__plane {
  webnn_list strides, base_dilations, window_dilations;
  int64_t low[2], high[2];
} webnn_xla__plane;

static webnn_xla__plane webnn_xla__plane_of(webnn_xla__lowering *l, webnn_xla__convolved *c) {
  const uint32_t left = c->rank - c->unfolded;
  webnn_xla__plane p;
  webnn_list xs = c->x->shape, ws = c->w->shape;
  uint32_t i;
  memset(&p, 0, sizeof p);
  p.strides = p.base_dilations = p.window_dilations = webnn_extra__repeat(1, 2);
  for (i = 0; i < left; i++) {
    const uint32_t to = 2 - left + i, from = c->unfolded + i;
    p.strides.items[to] = c->window.strides.items[from];
    p.base_dilations.items[to] = c->window.base_dilations.items[from];
    p.window_dilations.items[to] = c->window.window_dilations.items[from];
    p.low[to] = c->window.padding_low[from];
    p.high[to] = c->window.padding_high[from];
  }
  xs.count = ws.count = 2;
  for (i = 0; i < 2; i++) {
    const uint32_t from = i + left; /* of the last two of [batch, features, spatial ...] */
    webnn_extra__append(&xs, from < 2 ? 1 : c->x->shape.items[from]);
    webnn_extra__append(&ws, from < 2 ? 1 : c->w->shape.items[from]);
  }
  c->x = webnn_xla__lower_reshape(l, c->x, xs);
  c->w = webnn_xla__lower_reshape(l, c->w, ws);
  return p;
}

/* A dilated base under a window without strides is a transposed convolution by the reversed window,
   whose padding is the window's reach less this one, and must not be negative. */
static bool webnn_xla__is_transposed(const webnn_xla__convolved *c) {
  uint32_t i;
  bool dilated = false;
  for (i = c->unfolded; i < c->rank; i++) {
    const int64_t reach =
        (int64_t)(c->w->shape.items[i + 2] - 1) * c->window.window_dilations.items[i];
    dilated = dilated || c->window.base_dilations.items[i] > 1;
    if (c->window.strides.items[i] != 1 || c->window.padding_low[i] < 0 ||
        c->window.padding_high[i] < 0 || c->window.padding_low[i] > reach ||
        c->window.padding_high[i] > reach) {
      return false;
    }
  }
  return dilated && c->unfolded == 0;
}

static webnn_list webnn_xla__edges(const webnn_xla__plane *p) {
  webnn_list edges = webnn_extra__no_items();
  uint32_t i;
  for (i = 0; i < 2; i++) {
    webnn_extra__append(&edges, (uint32_t)p->low[i]);
    webnn_extra__append(&edges, (uint32_t)p->high[i]);
  }
  return edges;
}

static webnn_xla__handle webnn_xla__convolve_plane(webnn_xla__lowering *l,
                                                   webnn_xla__convolved *c) {
  const webnn_xla__plane p = webnn_xla__plane_of(l, c);
  webnn_xla__handle both[] = {c->x, c->w};
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_operand *y;
  if (!webnn_xla__meet(l, both, 2)) {
    return NULL;
  }
  o.label = l->place;
  o.padding = webnn_xla__edges(&p);
  o.strides = p.strides;
  o.dilations = p.window_dilations;
  o.groups = c->groups;
  y = webnn_conv2d(l->b, webnn_xla__whole(l, c->x), webnn_xla__whole(l, c->w), &o);
  return webnn_xla__made(l, c->type, y ? webnn_operand_shape(y) : c->out, y);
}

/* [outputs, inputs, h, w] as the filter of a transposed convolution, [groups inputs, outputs of a
   group, h, w], reversed. */
static webnn_xla__handle webnn_xla__transposed_window(webnn_xla__lowering *l, webnn_xla__handle w,
                                                      uint32_t groups) {
  const webnn_list sizes = w->shape;
  webnn_list split = webnn_extra__list3(groups, sizes.items[0] / groups, sizes.items[1]);
  webnn_list joined = webnn_extra__list1(groups * sizes.items[1]), order,
             dims = webnn_extra__list1(2);
  webnn_extra__append(&dims, 3);
  w = webnn_xla__lower_reverse(l, w, dims);
  webnn_extra__append(&split, sizes.items[2] * sizes.items[3]);
  webnn_extra__append(&joined, sizes.items[0] / groups);
  webnn_extra__append(&joined, sizes.items[2]);
  webnn_extra__append(&joined, sizes.items[3]);
  order = webnn_extra__list3(0, 2, 1);
  webnn_extra__append(&order, 3);
  w = webnn_xla__lower_transpose(l, webnn_xla__lower_reshape(l, w, split), order);
  return webnn_xla__lower_reshape(l, w, joined);
}

static webnn_xla__handle webnn_xla__convolve_transposed(webnn_xla__lowering *l,
                                                        webnn_xla__convolved *c) {
  webnn_xla__plane p = webnn_xla__plane_of(l, c);
  webnn_conv_transpose2d_options o = WEBNN_ZERO;
  webnn_xla__handle both[2];
  webnn_operand *y;
  uint32_t i;
  if (!c->w) {
    return NULL;
  }
  for (i = 0; i < 2; i++) {
    const int64_t reach = (int64_t)(c->w->shape.items[i + 2] - 1) * p.window_dilations.items[i];
    p.low[i] = reach - p.low[i];
    p.high[i] = reach - p.high[i];
  }
  both[0] = c->x;
  both[1] = webnn_xla__transposed_window(l, c->w, c->groups);
  if (!webnn_xla__meet(l, both, 2)) {
    return NULL;
  }
  o.label = l->place;
  o.padding = webnn_xla__edges(&p);
  o.strides = p.base_dilations;
  o.dilations = p.window_dilations;
  o.groups = c->groups;
  y = webnn_conv_transpose2d(l->b, webnn_xla__whole(l, both[0]), webnn_xla__whole(l, both[1]), &o);
  return webnn_xla__made(l, c->type, y ? webnn_operand_shape(y) : c->out, y);
}

/* One operator for what is left of the spatial dimensions. */
static webnn_xla__handle webnn_xla__convolve(webnn_xla__lowering *l, webnn_xla__convolved *c) {
  const bool is_float = webnn_xla__is_float(c->type);
  if (!c->x || !c->w) {
    return NULL;
  }
  c->unfolded = !is_float ? c->rank : c->rank > 2 ? c->rank - 2 : 0;
  if (is_float && webnn_xla__is_transposed(c)) {
    return webnn_xla__convolve_transposed(l, c);
  }
  webnn_xla__pad_base(l, c);
  webnn_xla__unfold_base(l, c);
  webnn_xla__unfold_window(l, c);
  if (!c->x || !c->w) {
    return NULL;
  }
  return is_float ? webnn_xla__convolve_plane(l, c) : webnn_xla__convolve_integers(l, c);
}

/* From [batch and places, outputs, spatial ...] to the result's dimensions. */
static webnn_xla__handle webnn_xla__place_result(webnn_xla__lowering *l, webnn_xla__handle y,
                                                 const webnn_xla__convolved *c,
                                                 const webnn_xla_convolution_options *o,
                                                 webnn_list shape) {
  webnn_list sizes = webnn_extra__list1(shape.items[o->output_batch_dimension]), order;
  uint32_t i;
  order = webnn_extra__repeat(0, shape.count);
  for (i = 0; i < c->rank; i++) {
    if (i == c->unfolded) {
      webnn_extra__append(&sizes, shape.items[o->output_feature_dimension]);
    }
    order.items[o->output_spatial_dimensions.items[i]] = sizes.count;
    webnn_extra__append(&sizes, c->out.items[i]);
  }
  if (c->unfolded == c->rank) {
    webnn_extra__append(&sizes, shape.items[o->output_feature_dimension]);
  }
  order.items[o->output_feature_dimension] = 1 + c->unfolded;
  return webnn_xla__lower_transpose(l, webnn_xla__lower_reshape(l, y, sizes), order);
}

WEBNN_XLA__DO(convolution) {
  const webnn_xla_convolution_options *o = (const webnn_xla_convolution_options *)i->options;
  const webnn_list shape = i->results[0].shape.dimensions;
  webnn_xla__convolved c;
  webnn_xla__handle x = arguments[0], w = arguments[1], y;
  c.window = o->window;
  c.rank = shape.count - 2;
  c.groups = o->feature_group_count > 1 ? o->feature_group_count : o->batch_group_count;
  c.type = i->results[0].shape.type;
  c.out = webnn_xla__picked(shape, o->output_spatial_dimensions);
  c.unfolded = 0;
  if (webnn_xla__is_float(c.type)) {
    x = webnn_xla__lower_convert(l, x, c.type);
    w = webnn_xla__lower_convert(l, w, c.type);
  }
  x = webnn_xla__lower_transpose(l, x,
                                 webnn_xla__numbers(o->input_batch_dimension,
                                                    o->input_feature_dimension,
                                                    o->input_spatial_dimensions));
  c.x = webnn_xla__batch_to_features(l, x, o->batch_group_count);
  w = webnn_xla__lower_transpose(l, w,
                                 webnn_xla__numbers(o->kernel_output_feature_dimension,
                                                    o->kernel_input_feature_dimension,
                                                    o->kernel_spatial_dimensions));
  c.w = webnn_xla__reversed(l, w, o->window.reversed, c.rank);
  y = webnn_xla__settle(l, webnn_xla__convolve(l, &c));
  results[0] = webnn_xla__place_result(l, y, &c, o, shape);
  return results[0] != NULL;
}

/* ---- Triangular systems ---------------------------------------------------------------------- */

/* The last two dimensions exchanged. */
static webnn_xla__handle webnn_xla__turned(webnn_xla__lowering *l, webnn_xla__handle x) {
  webnn_list order;
  if (!x) {
    return NULL;
  }
  order = webnn_xla__counted(x->shape.count);
  order.items[x->shape.count - 2] = x->shape.count - 1;
  order.items[x->shape.count - 1] = x->shape.count - 2;
  return webnn_xla__lower_transpose(l, x, order);
}

/* Rows first ... end - 1 and columns left ... right - 1 of matrices. */
static webnn_xla__handle webnn_xla__submatrix(webnn_xla__lowering *l, webnn_xla__handle x,
                                              uint32_t first, uint32_t end, uint32_t left,
                                              uint32_t right) {
  const uint32_t rank = x ? x->shape.count : 2;
  return webnn_xla__lower_part(l, webnn_xla__lower_part(l, x, rank - 2, first, end), rank - 1, left,
                               right);
}

/* One above the other, or side by side. */
static webnn_xla__handle webnn_xla__stacked(webnn_xla__lowering *l, webnn_xla__handle x,
                                            webnn_xla__handle y, bool side_by_side) {
  webnn_xla__handle both[] = {x, y};
  return x && y ? webnn_xla__lower_concatenate(l, both, 2, x->shape.count - (side_by_side ? 1 : 2))
                : NULL;
}

/* x of a x = b, in float32. With halves of a, [p 0; q r] of a lower triangle, p x1 = b1 and
   r x2 = b2 - q x1; an upper one is solved from below. */
static webnn_xla__handle webnn_xla__solve(webnn_xla__lowering *l, webnn_xla__handle a,
                                          webnn_xla__handle b, bool lower, bool unit) {
  webnn_xla__handle x[2], rest;
  uint32_t n, k, half, first[2], end[2], now, next;
  if (!a || !b) {
    return NULL;
  }
  n = a->shape.items[a->shape.count - 1];
  k = b->shape.items[b->shape.count - 1];
  if (n == 1) {
    return unit ? b : webnn_xla__over(l, b, a);
  }
  half = n / 2;
  first[0] = 0;
  end[0] = first[1] = half;
  end[1] = n;
  now = lower ? 0 : 1;
  next = 1 - now;
  x[now] =
      webnn_xla__solve(l, webnn_xla__submatrix(l, a, first[now], end[now], first[now], end[now]),
                       webnn_xla__submatrix(l, b, first[now], end[now], 0, k), lower, unit);
  rest = webnn_xla__lower_matmul(
      l, webnn_xla__submatrix(l, a, first[next], end[next], first[now], end[now]), x[now]);
  rest = webnn_xla__minus(l, webnn_xla__submatrix(l, b, first[next], end[next], 0, k), rest);
  x[next] = webnn_xla__solve(
      l, webnn_xla__submatrix(l, a, first[next], end[next], first[next], end[next]), rest, lower,
      unit);
  return webnn_xla__stacked(l, x[0], x[1], false);
}

/* x a = b is a^T x^T = b^T; a transposed lower triangle is an upper one. */
WEBNN_XLA__DO(triangular_solve) {
  const webnn_xla_triangular_solve_options *o =
      (const webnn_xla_triangular_solve_options *)i->options;
  const bool turns = o->transpose_a != o->right_side;
  webnn_xla__handle a = webnn_xla__cast(l, arguments[0], WEBNN_XLA_F32);
  webnn_xla__handle b = webnn_xla__cast(l, arguments[1], WEBNN_XLA_F32), x;
  a = turns ? webnn_xla__turned(l, a) : a;
  b = o->right_side ? webnn_xla__turned(l, b) : b;
  x = webnn_xla__solve(l, a, b, o->lower != turns, o->unit_diagonal);
  x = o->right_side ? webnn_xla__turned(l, x) : x;
  results[0] = webnn_xla__lower_convert(l, x, i->results[0].shape.type);
  return results[0] != NULL;
}

/* The lower factor of a, of which only the lower triangle is read. With halves, [p 0; q r] and its
   factor [s 0; t u]: s of p; t s^T = q, that is s t^T = q^T; and u of r - t t^T. */
static webnn_xla__handle webnn_xla__factor(webnn_xla__lowering *l, webnn_xla__handle a) {
  webnn_xla__handle s, t, u, zeros;
  webnn_list sizes;
  uint32_t n, half;
  if (!a) {
    return NULL;
  }
  sizes = a->shape;
  n = sizes.items[sizes.count - 1];
  if (n == 1) {
    return webnn_xla__apply1(l, webnn_sqrt, WEBNN_XLA_F32, a);
  }
  half = n / 2;
  s = webnn_xla__factor(l, webnn_xla__submatrix(l, a, 0, half, 0, half));
  t = webnn_xla__turned(l, webnn_xla__submatrix(l, a, half, n, 0, half));
  t = webnn_xla__turned(l, webnn_xla__solve(l, s, t, true, false));
  u = webnn_xla__minus(l, webnn_xla__submatrix(l, a, half, n, half, n),
                       webnn_xla__lower_matmul(l, t, webnn_xla__turned(l, t)));
  u = webnn_xla__factor(l, u);
  sizes.items[sizes.count - 2] = half;
  sizes.items[sizes.count - 1] = n - half;
  zeros = webnn_xla__relabel(l, webnn_xla__f32(l, 0), WEBNN_XLA_F32, sizes);
  return webnn_xla__stacked(l, webnn_xla__stacked(l, s, zeros, true),
                            webnn_xla__stacked(l, t, u, true), false);
}

WEBNN_XLA__DO(cholesky) {
  const bool lower = *(const bool *)i->options;
  webnn_xla__handle a = webnn_xla__cast(l, arguments[0], WEBNN_XLA_F32);
  a = webnn_xla__factor(l, lower ? a : webnn_xla__turned(l, a));
  results[0] =
      webnn_xla__lower_convert(l, lower ? a : webnn_xla__turned(l, a), i->results[0].shape.type);
  return results[0] != NULL;
}

/* ---- Normalization --------------------------------------------------------------------------- */

/* Operands are x, scale, offset, mean, variance. */
WEBNN_XLA__DO(batch_norm) {
  const webnn_xla__batch_norm_options *o = (const webnn_xla__batch_norm_options *)i->options;
  webnn_batch_normalization_options options = WEBNN_ZERO;
  webnn_operand *operands[5];
  size_t k;
  if (!webnn_xla__meet(l, arguments, 5)) {
    return false;
  }
  for (k = 0; k < 5; k++) {
    operands[k] = webnn_xla__whole(l, arguments[k]);
  }
  options.label = l->place;
  options.scale = operands[1];
  options.bias = operands[2];
  options.axis = webnn_u64(o->feature_index);
  options.epsilon = webnn_f64((double)o->epsilon);
  results[0] =
      webnn_xla__settle(l, webnn_xla__made(l, arguments[0]->type, arguments[0]->shape,
                                           webnn_batch_normalization(l->b, operands[0], operands[3],
                                                                     operands[4], &options)));
  return results[0] != NULL;
}

#endif /* WEBNN_XLA_IMPLEMENTATION */
