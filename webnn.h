/* webnn.h - v0.1 - the W3C Web Neural Network API in one C file - MIT No Attribution (at the end)

   In ONE source file write

       #define WEBNN_IMPLEMENTATION
       #include "webnn.h"

   and in the others only the #include. Then `cc app.c` (with -pthread where the C library needs
   it) is the whole build. A network is written as in the specification's examples:

       webnn_error error;
       webnn_context *context;
       webnn_builder *builder;
       webnn_graph *graph;
       webnn_create_context(NULL, &context, &error);
       webnn_create_builder(context, &builder, &error);
       webnn_operand *a = webnn_input(builder, "a", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 2));
       webnn_operand *b = webnn_input(builder, "b", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 2));
       webnn_operand *c = webnn_relu(builder, webnn_matmul(builder, a, b, NULL), NULL);
       if (webnn_build(builder, WEBNN_NAMED_OPERANDS({"c", c}), &graph, &error) != WEBNN_OK)
         puts(error.message);

   examples/hello shows the rest: tensors, dispatch, reading the result.

   LIMITS, BEFORE THE PRAISE
   - Tensors have at most WEBNN_MAX_RANK dimensions, each 1 to 2^31 - 1; none may be empty.
   - Float results of the reference context are rounded once, from exact integers or from 128 bits
   with a bound of their error; webnn_graph_undecided counts what that leaves in doubt.
   - Operators without a fast kernel run the reference kernel in every context: reductions, pooling,
   normalizations, softmax, resample2d, gru, lstm and others (docs/internals.md has the list).
   - Memory passed in is trusted to be as long as its byte length says; everything else is checked.

   SWITCHES (define before including; they change no public type)

     macro                  where                  meaning
     WEBNN_IMPLEMENTATION   one source file        compile the implementation here
     WEBNN_STATIC           every file, the same   all functions static; several copies may coexist
     WEBNN_API              every file             linkage of the functions (dllexport, ...)
     WEBNN_ASSERT(x)        implementation         internal checks; default assert() unless NDEBUG
     WEBNN_NO_THREADS       implementation         no threads and no locks: one thread per context
     WEBNN_NO_SIMD          implementation         portable scalar code only
     WEBNN_HEADER           implementation         this file's name, if it is not "webnn.h"

   Words used below. "Any thread": may be called from any thread at any time. "Builder's thread":
   one thread at a time may use a builder and its operands. Section numbers (8.9.10) are those of
   the specification's text of May 2026. */
#ifndef WEBNN__STAMP /* the implementation includes this file again: chapter 13 */
#ifndef WEBNN_H
#define WEBNN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEBNN_VERSION_MAJOR 0
#define WEBNN_VERSION_MINOR 1
#define WEBNN_VERSION_PATCH 0

#ifndef WEBNN_API
#ifdef WEBNN_STATIC
#if defined(__GNUC__) || defined(__clang__)
#define WEBNN_API static __attribute__((unused))
#else
#define WEBNN_API static
#endif
#elif defined(__cplusplus)
#define WEBNN_API extern "C"
#else
#define WEBNN_API extern
#endif
#endif

/* ==============================================================================================
   Data types, numbers and lists
   ============================================================================================== */

/* The most dimensions a tensor can have. */
#define WEBNN_MAX_RANK 8

/* MLOperandDataType (8.4.1). There is no default: 0 is "not given" and is refused where a type is
   required. int4 and uint4 are an extension, packed two to a byte in row-major order, the first
   element in bits 0-3; they are taken by input, constant, tensors, dequantizeLinear (input,
   zeroPoint), quantizeLinear (zeroPoint, output) and reshape, and refused elsewhere. */
typedef enum webnn_data_type {
  WEBNN_FLOAT32 = 1,
  WEBNN_FLOAT16,
  WEBNN_INT32,
  WEBNN_UINT32,
  WEBNN_INT64,
  WEBNN_UINT64,
  WEBNN_INT8,
  WEBNN_UINT8,
  WEBNN_INT4,
  WEBNN_UINT4
} webnn_data_type;

/* What a function returns. The names are those of the specification's exceptions. */
typedef enum webnn_status {
  WEBNN_OK = 0,
  WEBNN_TYPE_ERROR,          /* an argument is wrong */
  WEBNN_INVALID_STATE_ERROR, /* the builder has built, the context is lost, the graph destroyed */
  WEBNN_NOT_SUPPORTED_ERROR, /* this context or backend cannot do it */
  WEBNN_OPERATION_ERROR,     /* build() could not make a graph */
  WEBNN_UNKNOWN_ERROR        /* out of memory, a failing device */
} webnn_status;

/* Filled on failure by every fallible function that takes one; NULL is allowed everywhere. After
   success status is WEBNN_OK and the message empty. A message longer than the buffer is cut at a
   whole UTF-8 character; webnn_builder_message has builder messages in full. */
typedef struct webnn_error {
  webnn_status status;
  char message[508];
} webnn_error;

/* A boolean whose default is true: 0 means "not given", that is true. */
typedef enum webnn_boolean { WEBNN_NOT_GIVEN = 0, WEBNN_TRUE, WEBNN_FALSE } webnn_boolean;

/* MLNumber and every other number whose absence matters. Make one with webnn_f64, webnn_i64 or
   webnn_u64; zero-initialized it is "not given". A value without a tag is refused. */
typedef enum webnn_number_kind {
  WEBNN_NUMBER_ABSENT = 0,
  WEBNN_NUMBER_DOUBLE,
  WEBNN_NUMBER_INT64,
  WEBNN_NUMBER_UINT64
} webnn_number_kind;

typedef struct webnn_number {
  union {
    double f64;
    int64_t i64;
    uint64_t u64;
  } value;
  webnn_number_kind kind;
} webnn_number;

/* A list: items may be NULL for "not given"; a given empty list is WEBNN_EMPTY_LIST. The items are
   read during the call that takes the list and never kept. */
typedef struct webnn_list {
  const uint32_t *items;
  size_t count;
} webnn_list;

typedef struct webnn_float_list {
  const float *items;
  size_t count;
} webnn_float_list;

/* Opaque objects. Pointers to them are the handles. */
typedef struct webnn_context webnn_context; /* MLContext */
typedef struct webnn_builder webnn_builder; /* MLGraphBuilder */
typedef struct webnn_operand webnn_operand; /* MLOperand */
typedef struct webnn_graph webnn_graph;     /* MLGraph */
typedef struct webnn_tensor webnn_tensor;   /* MLTensor */
typedef struct webnn_backend webnn_backend; /* where a context computes */

typedef struct webnn_operand_list {
  webnn_operand *const *items;
  size_t count;
} webnn_operand_list;

/* MLOperandDescriptor: shape is required (WEBNN_EMPTY_LIST for a scalar). */
typedef struct webnn_operand_descriptor {
  webnn_data_type data_type;
  webnn_list shape;
} webnn_operand_descriptor;

/* MLTensorDescriptor. */
typedef struct webnn_tensor_descriptor {
  webnn_data_type data_type;
  webnn_list shape;
  bool readable; /* webnn_read_tensor is allowed */
  bool writable; /* webnn_write_tensor is allowed */
} webnn_tensor_descriptor;

typedef struct webnn_named_operand {
  const char *name;
  webnn_operand *operand;
} webnn_named_operand;

typedef struct webnn_named_operand_list {
  const webnn_named_operand *items;
  size_t count;
} webnn_named_operand_list;

typedef struct webnn_named_tensor {
  const char *name;
  webnn_tensor *tensor;
} webnn_named_tensor;

typedef struct webnn_named_tensor_list {
  const webnn_named_tensor *items;
  size_t count;
} webnn_named_tensor_list;

/* ==============================================================================================
   Enumerations of the specification (the default is 0)
   ============================================================================================== */

typedef enum webnn_power_preference {
  WEBNN_DEFAULT = 0,
  WEBNN_HIGH_PERFORMANCE,
  WEBNN_LOW_POWER
} webnn_power_preference;

typedef enum webnn_input_operand_layout { WEBNN_NCHW = 0, WEBNN_NHWC } webnn_input_operand_layout;

/* The layouts of both convolutions' filters in one enumeration, because two share a name.
   conv2d takes oihw (its default), hwio, ohwi, ihwo; convTranspose2d takes iohw (its default),
   hwoi, ohwi. For convTranspose2d i and o are the channels of its own input and output. */
typedef enum webnn_filter_operand_layout {
  WEBNN_DEFAULT_FILTER_LAYOUT = 0,
  WEBNN_OIHW,
  WEBNN_HWIO,
  WEBNN_OHWI,
  WEBNN_IHWO,
  WEBNN_IOHW,
  WEBNN_HWOI
} webnn_filter_operand_layout;
typedef webnn_filter_operand_layout webnn_conv2d_filter_operand_layout;
typedef webnn_filter_operand_layout webnn_conv_transpose2d_filter_operand_layout;

typedef enum webnn_gru_weight_layout { WEBNN_ZRN = 0, WEBNN_RZN } webnn_gru_weight_layout;
typedef enum webnn_lstm_weight_layout { WEBNN_IOFG = 0, WEBNN_IFGO } webnn_lstm_weight_layout;

/* Only used in lists, so no default. */
typedef enum webnn_recurrent_network_activation {
  WEBNN_RELU = 0,
  WEBNN_SIGMOID,
  WEBNN_TANH
} webnn_recurrent_network_activation;

typedef struct webnn_activation_list {
  const webnn_recurrent_network_activation *items;
  size_t count;
} webnn_activation_list;

typedef enum webnn_recurrent_network_direction {
  WEBNN_FORWARD = 0,
  WEBNN_BACKWARD,
  WEBNN_BOTH
} webnn_recurrent_network_direction;

/* WEBNN_SYMMETRIC, from the text of 2024, is an extension: reflection with the border repeated. */
typedef enum webnn_padding_mode {
  WEBNN_CONSTANT = 0,
  WEBNN_EDGE,
  WEBNN_REFLECTION,
  WEBNN_SYMMETRIC
} webnn_padding_mode;

typedef enum webnn_rounding_type { WEBNN_FLOOR = 0, WEBNN_CEIL } webnn_rounding_type;

typedef enum webnn_interpolation_mode {
  WEBNN_NEAREST_NEIGHBOR = 0,
  WEBNN_LINEAR
} webnn_interpolation_mode;

/* How results are computed (not in the specification). */
typedef enum webnn_numerics {
  WEBNN_NUMERICS_FAST = 0, /* within stated bounds, at the speed of the machine */
  WEBNN_NUMERICS_REFERENCE /* the formula evaluated exactly and rounded once */
} webnn_numerics;

/* The arithmetic of another machine, for reference contexts: is a difference a choice of arithmetic
   or a bug? All zero: exact. One operation is +, -, x, /, a square root or one function of
   chapter 10. */
typedef enum webnn_accumulation {
  WEBNN_ACCUMULATE_EXACT = 0, /* sums are exact and rounded once */
  WEBNN_ACCUMULATE_FLOAT32,   /* each addition to a sum is rounded to float32 */
  WEBNN_ACCUMULATE_FLOAT16    /* ... to float16 */
} webnn_accumulation;

/* In which order the terms of a sum are added, if that is not exact. */
typedef enum webnn_summation_order {
  WEBNN_SEQUENTIAL = 0, /* one after the other */
  WEBNN_PAIRWISE,       /* neighbours, then neighbouring pairs, ... */
  WEBNN_BLOCKS          /* blocks of block_size terms, then the blocks, both one after the other */
} webnn_summation_order;

typedef enum webnn_intermediates {
  WEBNN_INTERMEDIATES_EXACT = 0, /* only results are rounded */
  WEBNN_INTERMEDIATES_FLOAT16,   /* the result of each operation is rounded to float16 */
  WEBNN_INTERMEDIATES_BFLOAT16   /* ... to bfloat16 */
} webnn_intermediates;

typedef struct webnn_arithmetic {
  webnn_accumulation accumulate;
  webnn_summation_order order;
  uint32_t block_size; /* of WEBNN_BLOCKS, at least 1 */
  webnn_intermediates round_intermediates;
  bool flush_subnormals; /* subnormal inputs and roundings become zeros of their sign */
} webnn_arithmetic;

/* ==============================================================================================
   Lists and numbers written in place

   In C these make compound literals, which live to the end of the enclosing block. In C++ they
   return objects that own the values to the end of the full expression: pass them directly to a
   function; for a list that an options variable keeps, declare an array and use WEBNN_LIST_OF.
   ============================================================================================== */

#ifdef __cplusplus
#include <initializer_list>

template <class Item, class List, size_t N> struct webnn_owned_list {
  Item items[N];
  operator List() const {
    return List{items, N};
  }
};
template <class Item, class List, class... T>
inline webnn_owned_list<Item, List, sizeof...(T)> webnn_list_of(T... values) {
  return {{static_cast<Item>(values)...}};
}
template <size_t N> struct webnn_owned_descriptor {
  uint32_t dimensions[N + 1];
  webnn_operand_descriptor descriptor;
  operator const webnn_operand_descriptor *() {
    descriptor.shape = webnn_list{dimensions, N};
    return &descriptor;
  }
};
template <class... T>
inline webnn_owned_descriptor<sizeof...(T)> webnn_descriptor_of(webnn_data_type type, T... values) {
  return {{static_cast<uint32_t>(values)..., 0}, {type, {nullptr, 0}}};
}
/* The array behind an initializer_list lives to the end of the full expression that holds it. */
inline webnn_named_operand_list
webnn_named_operands_of(std::initializer_list<webnn_named_operand> list) {
  return {list.begin(), list.size()};
}
inline webnn_named_tensor_list
webnn_named_tensors_of(std::initializer_list<webnn_named_tensor> list) {
  return {list.begin(), list.size()};
}
inline webnn_list webnn_empty_list() {
  static const uint32_t none = 0;
  return {&none, 0};
}
#define WEBNN_ZERO                                                                                 \
  {}
#define WEBNN_LIST(...) webnn_list_of<uint32_t, webnn_list>(__VA_ARGS__)
#define WEBNN_EMPTY_LIST webnn_empty_list()
#define WEBNN_FLOAT_LIST(...) webnn_list_of<float, webnn_float_list>(__VA_ARGS__)
#define WEBNN_OPERANDS(...) webnn_list_of<webnn_operand *, webnn_operand_list>(__VA_ARGS__)
#define WEBNN_ACTIVATIONS(...)                                                                     \
  webnn_list_of<webnn_recurrent_network_activation, webnn_activation_list>(__VA_ARGS__)
#define WEBNN_DESCRIPTOR(...) webnn_descriptor_of(__VA_ARGS__)
#define WEBNN_SCALAR(type) webnn_descriptor_of(type)
#define WEBNN_NAMED_OPERANDS(...) webnn_named_operands_of({__VA_ARGS__})
#define WEBNN_NAMED_TENSORS(...) webnn_named_tensors_of({__VA_ARGS__})
#else
#define WEBNN__LITERAL(list, item, ...)                                                            \
  ((list){(item[]){__VA_ARGS__}, sizeof((item[]){__VA_ARGS__}) / sizeof(item)})
#define WEBNN_ZERO                                                                                 \
  { 0 }
/* A list of uint32_t: WEBNN_LIST(1, 3, 224, 224). */
#define WEBNN_LIST(...) WEBNN__LITERAL(webnn_list, uint32_t, __VA_ARGS__)
/* A list that is given and has no items. */
#define WEBNN_EMPTY_LIST ((webnn_list){(const uint32_t[1]){0}, 0})
#define WEBNN_FLOAT_LIST(...) WEBNN__LITERAL(webnn_float_list, float, __VA_ARGS__)
#define WEBNN_OPERANDS(...) WEBNN__LITERAL(webnn_operand_list, webnn_operand *, __VA_ARGS__)
#define WEBNN_ACTIVATIONS(...)                                                                     \
  WEBNN__LITERAL(webnn_activation_list, webnn_recurrent_network_activation, __VA_ARGS__)
/* A descriptor of a type and the dimensions after it: WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3). */
#define WEBNN_DESCRIPTOR(type, ...)                                                                \
  ((const webnn_operand_descriptor *)&(webnn_operand_descriptor){(type), WEBNN_LIST(__VA_ARGS__)})
#define WEBNN_SCALAR(type)                                                                         \
  ((const webnn_operand_descriptor *)&(webnn_operand_descriptor){(type), WEBNN_EMPTY_LIST})
/* WEBNN_NAMED_OPERANDS({"y", y}, {"z", z}) */
#define WEBNN_NAMED_OPERANDS(...)                                                                  \
  WEBNN__LITERAL(webnn_named_operand_list, webnn_named_operand, __VA_ARGS__)
#define WEBNN_NAMED_TENSORS(...)                                                                   \
  WEBNN__LITERAL(webnn_named_tensor_list, webnn_named_tensor, __VA_ARGS__)
#endif

/* The list of a named array's items: uint32_t p[] = {1, 1}; o.strides = WEBNN_LIST_OF(p); */
#ifdef __cplusplus
template <size_t N> inline webnn_list webnn_list_of_array(const uint32_t (&items)[N]) {
  return {items, N};
}
#define WEBNN_LIST_OF(array) webnn_list_of_array(array)
#else
#define WEBNN_LIST_OF(array) ((webnn_list){(array), sizeof(array) / sizeof *(array)})
#endif

/* Numbers for options. Any thread. */
WEBNN_API webnn_number webnn_f64(double value);
WEBNN_API webnn_number webnn_i64(int64_t value);
WEBNN_API webnn_number webnn_u64(uint64_t value);

/* ==============================================================================================
   Names and sizes. Any thread.
   ============================================================================================== */

/* "TypeError", ...; "" for WEBNN_OK; never NULL. */
WEBNN_API const char *webnn_status_name(webnn_status status);
/* "float32", ...; "unknown" for a value outside the enumeration. */
WEBNN_API const char *webnn_data_type_name(webnn_data_type type);
/* The bits of one element: 4, 8, 16, 32 or 64; 0 for a value outside the enumeration. */
WEBNN_API uint32_t webnn_data_type_bits(webnn_data_type type);
/* The bytes of a tensor; 0 if the descriptor is not valid or they exceed 64 bits. */
WEBNN_API uint64_t webnn_byte_length(const webnn_operand_descriptor *descriptor);
/* Conversions of single float16 values, correctly rounded (nearest, ties to even). */
WEBNN_API uint16_t webnn_float32_to_float16(float value);
WEBNN_API float webnn_float16_to_float32(uint16_t bits);

/* ==============================================================================================
   Contexts (8.2, 8.3)
   ============================================================================================== */

/* Where the library takes its memory. allocate returns memory aligned for any standard type, or
   NULL; release gets each such pointer once. Both may be called from any thread. */
typedef struct webnn_allocator {
  void *(*allocate)(void *user, size_t size);
  void (*release)(void *user, void *memory);
  void *user;
} webnn_allocator;

/* The caller's own threads: run task(data, i) for each i in 0 ... count - 1, in any order and in
   parallel, and return when all have finished. */
typedef void (*webnn_task)(void *data, size_t index);
typedef void (*webnn_parallel_for)(void *user, size_t count, webnn_task task, void *data);

/* MLContextOptions, and what a C program can choose besides. */
/* The vector instructions of the fast kernels. The best that the processor has is chosen at run
   time; naming one is for tests. AVX2 includes FMA and F16C, AVX-512 F, BW, DQ and VL. */
typedef enum webnn_instruction_set {
  WEBNN_BEST_INSTRUCTIONS = 0,
  WEBNN_SCALAR,
  WEBNN_SSE2,
  WEBNN_AVX2,
  WEBNN_AVX512,
  WEBNN_NEON,
  WEBNN_WASM_SIMD
} webnn_instruction_set;

typedef struct webnn_context_options {
  webnn_power_preference power_preference;
  webnn_boolean accelerated;       /* default true; a hint, the CPU backend takes either */
  const webnn_backend *backend;    /* NULL: the CPU */
  webnn_numerics numerics;         /* default fast */
  webnn_arithmetic arithmetic;     /* of a reference context, default exact */
  uint32_t threads;                /* 0: one per processor; 1: only the calling thread */
  webnn_parallel_for parallel_for; /* in place of the context's own threads */
  void *parallel_for_user;
  webnn_allocator allocator;             /* zero: malloc and free */
  uint64_t max_tensor_byte_length;       /* 0: as much as the machine can address */
  uint32_t disabled_passes;              /* bit i switches off pass i, see webnn_pass_name */
  webnn_instruction_set instruction_set; /* of fast kernels, default the best there is */
} webnn_context_options;

/* createContext (8.2.1). *context is NULL on failure. Errors: TypeError (an enumeration out of
   range, half an allocator), NotSupportedError (an instruction set that this processor or program
   does not have), UnknownError (memory). Where the system gives
   fewer threads than asked for, the context works with those. Any thread. */
WEBNN_API webnn_status webnn_create_context(const webnn_context_options *options,
                                            webnn_context **context, webnn_error *error);
/* destroy() (8.3.8): the context is lost, its graphs and tensors are destroyed, work that has not
   begun is dropped. Twice, or on NULL: nothing. Any thread. */
WEBNN_API void webnn_destroy_context(webnn_context *context);
/* Destroys the context and gives the handle back. Builders, graphs and tensors of the context may
   be freed before or after. NULL: nothing. */
WEBNN_API void webnn_free_context(webnn_context *context);
/* The lost attribute: whether the context is lost, and why (info may be NULL). Any thread. */
WEBNN_API bool webnn_context_lost(webnn_context *context, webnn_error *info);
/* The accelerated attribute: false for the CPU backend. Any thread. */
WEBNN_API bool webnn_context_accelerated(webnn_context *context);
/* The name of compile pass i for disabled_passes, NULL after the last. Any thread. */
WEBNN_API const char *webnn_pass_name(uint32_t index);

/* ==============================================================================================
   Operators, in the specification's order

   One row for each: X(enumerator, C name, name, section, family, operands, options), where the
   operands are IN, OPT (optional), MANY (a list) and OUT, each with name, allowed data types,
   lowest and highest rank. AS(n) is the type of operand n, RANK is the rank of operand 0, MAX is
   WEBNN_MAX_RANK. Options name the members of the option structs below. Every table of the library
   is made from this one.
   ============================================================================================== */

/* clang-format off */
#define WEBNN_OPERATORS(X, IN, OPT, MANY, OUT, OPTION)                                             \
  X(ARG_MIN, arg_min, "argMin", "8.9.5", arg_min_max,                                              \
    IN(input, ANY, 1_N) OUT(output, INT32_INT64, N),                                               \
    OPTION(axis, U32, axis) OPTION(keepDimensions, BOOL, keep_dimensions)                          \
    OPTION(outputDataType, DATA_TYPE, data_type))                                                  \
  X(ARG_MAX, arg_max, "argMax", "8.9.5", arg_min_max,                                              \
    IN(input, ANY, 1_N) OUT(output, INT32_INT64, N),                                               \
    OPTION(axis, U32, axis) OPTION(keepDimensions, BOOL, keep_dimensions)                          \
    OPTION(outputDataType, DATA_TYPE, data_type))                                                  \
  X(BATCH_NORMALIZATION, batch_normalization, "batchNormalization", "8.9.6", batch_normalization,  \
    IN(input, FLOATS, 1_N) IN(mean, AS(0), 1) IN(variance, AS(0), 1) OPT(scale, AS(0), 1)          \
    OPT(bias, AS(0), 1) OUT(output, AS(0), SAME),                                                  \
    OPTION(axis, U32, axis) OPTION(epsilon, SCALAR, epsilon))                                      \
  X(CAST, cast, "cast", "8.9.7", cast,                                                             \
    IN(input, ANY, N) OUT(output, ANY, SAME),                                                      \
    OPTION(dataType, DATA_TYPE, data_type))                                                        \
  X(CLAMP, clamp, "clamp", "8.9.8", unary,                                                         \
    IN(input, ANY, N) OUT(output, AS(0), SAME),                                                    \
    OPTION(minValue, SCALAR, alpha) OPTION(maxValue, SCALAR, beta))                                \
  X(CONCAT, concat, "concat", "8.9.9", concat,                                                     \
    MANY(inputs, ANY, 1_N) OUT(output, AS(0), SAME),                                               \
    OPTION(axis, U32, axis))                                                                       \
  X(CONV2D, conv2d, "conv2d", "8.9.10", conv2d,                                                    \
    IN(input, FLOATS, 4) IN(filter, AS(0), 4) OPT(bias, AS(0), 1) OUT(output, AS(0), 4),           \
    OPTION(padding, LIST, padding) OPTION(strides, LIST, strides)                                  \
    OPTION(dilations, LIST, dilations) OPTION(groups, U32, groups)                                 \
    OPTION(inputLayout, INPUT_LAYOUT, input_layout)                                                \
    OPTION(filterLayout, FILTER_LAYOUT, filter_layout))                                            \
  X(CONV_TRANSPOSE2D, conv_transpose2d, "convTranspose2d", "8.9.11", conv_transpose2d,             \
    IN(input, FLOATS, 4) IN(filter, AS(0), 4) OPT(bias, AS(0), 1) OUT(output, AS(0), 4),           \
    OPTION(padding, LIST, padding) OPTION(strides, LIST, strides)                                  \
    OPTION(dilations, LIST, dilations) OPTION(outputSizes, LIST, sizes)                            \
    OPTION(groups, U32, groups) OPTION(inputLayout, INPUT_LAYOUT, input_layout)                    \
    OPTION(filterLayout, FILTER_LAYOUT, filter_layout))                                            \
  X(CUMULATIVE_SUM, cumulative_sum, "cumulativeSum", "8.9.12", cumulative_sum,                     \
    IN(input, FLOATS_INTS, 1_N) OUT(output, AS(0), SAME),                                          \
    OPTION(axis, U32, axis) OPTION(exclusive, BOOL, exclusive) OPTION(reversed, BOOL, reversed))   \
  X(ADD, add, "add", "8.9.13", binary, IN(a, ANY, N) IN(b, AS(0), N) OUT(output, AS(0), N), )      \
  X(SUB, sub, "sub", "8.9.13", binary, IN(a, ANY, N) IN(b, AS(0), N) OUT(output, AS(0), N), )      \
  X(MUL, mul, "mul", "8.9.13", binary, IN(a, ANY, N) IN(b, AS(0), N) OUT(output, AS(0), N), )      \
  X(DIV, div, "div", "8.9.13", binary, IN(a, ANY, N) IN(b, AS(0), N) OUT(output, AS(0), N), )      \
  X(MAX, max, "max", "8.9.13", binary, IN(a, ANY, N) IN(b, AS(0), N) OUT(output, AS(0), N), )      \
  X(MIN, min, "min", "8.9.13", binary, IN(a, ANY, N) IN(b, AS(0), N) OUT(output, AS(0), N), )      \
  X(POW, pow, "pow", "8.9.13", binary, IN(a, ANY, N) IN(b, AS(0), N) OUT(output, AS(0), N), )      \
  X(EQUAL, equal, "equal", "8.9.14", compare,                                                      \
    IN(a, ANY, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                           \
   )                                                                                               \
  X(NOT_EQUAL, not_equal, "notEqual", "8.9.14", compare,                                           \
    IN(a, ANY, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                           \
   )                                                                                               \
  X(GREATER, greater, "greater", "8.9.14", compare,                                                \
    IN(a, ANY, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                           \
   )                                                                                               \
  X(GREATER_OR_EQUAL, greater_or_equal, "greaterOrEqual", "8.9.14", compare,                       \
    IN(a, ANY, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                           \
   )                                                                                               \
  X(LESSER, lesser, "lesser", "8.9.14", compare,                                                   \
    IN(a, ANY, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                           \
   )                                                                                               \
  X(LESSER_OR_EQUAL, lesser_or_equal, "lesserOrEqual", "8.9.14", compare,                          \
    IN(a, ANY, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                           \
   )                                                                                               \
  X(LOGICAL_NOT, logical_not, "logicalNot", "8.9.14", predicate,                                   \
    IN(a, UINT8, N) OUT(output, UINT8, SAME),                                                      \
   )                                                                                               \
  X(LOGICAL_AND, logical_and, "logicalAnd", "8.9.14", compare,                                     \
    IN(a, UINT8, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                         \
   )                                                                                               \
  X(LOGICAL_OR, logical_or, "logicalOr", "8.9.14", compare,                                        \
    IN(a, UINT8, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                         \
   )                                                                                               \
  X(LOGICAL_XOR, logical_xor, "logicalXor", "8.9.14", compare,                                     \
    IN(a, UINT8, N) IN(b, AS(0), N) OUT(output, UINT8, N),                                         \
   )                                                                                               \
  X(IS_NAN, is_nan, "isNaN", "8.9.14", predicate, IN(a, FLOATS, N) OUT(output, UINT8, SAME), )     \
  X(IS_INFINITE, is_infinite, "isInfinite", "8.9.14", predicate,                                   \
    IN(a, FLOATS, N) OUT(output, UINT8, SAME),                                                     \
   )                                                                                               \
  X(ABS, abs, "abs", "8.9.15", unary, IN(input, SIGNED, N) OUT(output, AS(0), SAME), )             \
  X(CEIL, ceil, "ceil", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )          \
  X(COS, cos, "cos", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )             \
  X(ERF, erf, "erf", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )             \
  X(EXP, exp, "exp", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )             \
  X(FLOOR, floor, "floor", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )       \
  X(IDENTITY, identity, "identity", "8.9.15", identity,                                            \
    IN(input, ANY, N) OUT(output, AS(0), SAME),                                                    \
   )                                                                                               \
  X(LOG, log, "log", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )             \
  X(NEG, neg, "neg", "8.9.15", unary, IN(input, SIGNED, N) OUT(output, AS(0), SAME), )             \
  X(RECIPROCAL, reciprocal, "reciprocal", "8.9.15", unary,                                         \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
   )                                                                                               \
  X(ROUND_EVEN, round_even, "roundEven", "8.9.15", unary,                                          \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
   )                                                                                               \
  X(SIGN, sign, "sign", "8.9.15", unary, IN(input, SIGNED, N) OUT(output, AS(0), SAME), )          \
  X(SIN, sin, "sin", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )             \
  X(SQRT, sqrt, "sqrt", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )          \
  X(TAN, tan, "tan", "8.9.15", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )             \
  X(DEQUANTIZE_LINEAR, dequantize_linear, "dequantizeLinear", "8.9.16", dequantize_linear,         \
    IN(input, QUANTIZED, N) IN(scale, FLOATS, SAME) IN(zeroPoint, AS(0), SAME)                     \
    OUT(output, AS(1), SAME),                                                                      \
   )                                                                                               \
  X(QUANTIZE_LINEAR, quantize_linear, "quantizeLinear", "8.9.17", quantize_linear,                 \
    IN(input, FLOATS, N) IN(scale, AS(0), SAME) IN(zeroPoint, QUANTIZED, SAME)                     \
    OUT(output, AS(2), SAME),                                                                      \
   )                                                                                               \
  X(ELU, elu, "elu", "8.9.18", unary,                                                              \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
    OPTION(alpha, SCALAR, alpha))                                                                  \
  X(EXPAND, expand, "expand", "8.9.19", expand,                                                    \
    IN(input, ANY, N) OUT(output, AS(0), N),                                                       \
    OPTION(newShape, LIST, sizes))                                                                 \
  X(GATHER, gather, "gather", "8.9.20", gather,                                                    \
    IN(input, ANY, 1_N) IN(indices, INDICES, N) OUT(output, AS(0), N),                             \
    OPTION(axis, U32, axis))                                                                       \
  X(GATHER_ELEMENTS, gather_elements, "gatherElements", "8.9.21", gather_elements,                 \
    IN(input, ANY, 1_N) IN(indices, INDICES, SAME) OUT(output, AS(0), SAME),                       \
    OPTION(axis, U32, axis))                                                                       \
  X(GATHER_ND, gather_nd, "gatherND", "8.9.22", gather_nd,                                         \
    IN(input, ANY, 1_N) IN(indices, INDICES, 1_N) OUT(output, AS(0), N),                           \
   )                                                                                               \
  X(GELU, gelu, "gelu", "8.9.23", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )          \
  X(GEMM, gemm, "gemm", "8.9.24", gemm,                                                            \
    IN(a, FLOATS, 2) IN(b, AS(0), 2) OPT(c, AS(0), 0_2) OUT(output, AS(0), 2),                     \
    OPTION(alpha, SCALAR, alpha) OPTION(beta, SCALAR, beta)                                        \
    OPTION(aTranspose, BOOL, a_transpose) OPTION(bTranspose, BOOL, b_transpose))                   \
  X(GRU, gru, "gru", "8.9.25", gru,                                                                \
    IN(input, FLOATS, 3) IN(weight, AS(0), 3) IN(recurrentWeight, AS(0), 3) OPT(bias, AS(0), 2)    \
    OPT(recurrentBias, AS(0), 2) OPT(initialHiddenState, AS(0), 3) OUT(output0, AS(0), 3)          \
    OUT(output1, AS(0), 4),                                                                        \
    OPTION(steps, U32, steps) OPTION(hiddenSize, U32, hidden_size)                                 \
    OPTION(resetAfter, BOOL, reset_after) OPTION(returnSequence, BOOL, return_sequence)            \
    OPTION(direction, DIRECTION, direction) OPTION(layout, GRU_LAYOUT, gate_layout)                \
    OPTION(activations, ACTIVATIONS, activations))                                                 \
  X(GRU_CELL, gru_cell, "gruCell", "8.9.26", gru_cell,                                             \
    IN(input, FLOATS, 2) IN(weight, AS(0), 2) IN(recurrentWeight, AS(0), 2)                        \
    IN(hiddenState, AS(0), 2) OPT(bias, AS(0), 1) OPT(recurrentBias, AS(0), 1)                     \
    OUT(output, AS(0), 2),                                                                         \
    OPTION(hiddenSize, U32, hidden_size) OPTION(resetAfter, BOOL, reset_after)                     \
    OPTION(layout, GRU_LAYOUT, gate_layout) OPTION(activations, ACTIVATIONS, activations))         \
  X(HARD_SIGMOID, hard_sigmoid, "hardSigmoid", "8.9.27", unary,                                    \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
    OPTION(alpha, SCALAR, alpha) OPTION(beta, SCALAR, beta))                                       \
  X(HARD_SWISH, hard_swish, "hardSwish", "8.9.28", unary,                                          \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
   )                                                                                               \
  X(INSTANCE_NORMALIZATION, instance_normalization, "instanceNormalization", "8.9.29", instance_normalization, \
    IN(input, FLOATS, 4) OPT(scale, AS(0), 1) OPT(bias, AS(0), 1) OUT(output, AS(0), 4),           \
    OPTION(epsilon, SCALAR, epsilon) OPTION(layout, INPUT_LAYOUT, input_layout))                   \
  X(LAYER_NORMALIZATION, layer_normalization, "layerNormalization", "8.9.30", layer_normalization, \
    IN(input, FLOATS, N) OPT(scale, AS(0), N) OPT(bias, AS(0), N) OUT(output, AS(0), SAME),        \
    OPTION(axes, LIST, axes) OPTION(epsilon, SCALAR, epsilon))                                     \
  X(LEAKY_RELU, leaky_relu, "leakyRelu", "8.9.31", unary,                                          \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
    OPTION(alpha, SCALAR, alpha))                                                                  \
  X(LINEAR, linear, "linear", "8.9.32", unary,                                                     \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
    OPTION(alpha, SCALAR, alpha) OPTION(beta, SCALAR, beta))                                       \
  X(LSTM, lstm, "lstm", "8.9.33", lstm,                                                            \
    IN(input, FLOATS, 3) IN(weight, AS(0), 3) IN(recurrentWeight, AS(0), 3) OPT(bias, AS(0), 2)    \
    OPT(recurrentBias, AS(0), 2) OPT(peepholeWeight, AS(0), 2)                                     \
    OPT(initialHiddenState, AS(0), 3) OPT(initialCellState, AS(0), 3) OUT(output0, AS(0), 3)       \
    OUT(output1, AS(0), 3) OUT(output2, AS(0), 4),                                                 \
    OPTION(steps, U32, steps) OPTION(hiddenSize, U32, hidden_size)                                 \
    OPTION(returnSequence, BOOL, return_sequence) OPTION(direction, DIRECTION, direction)          \
    OPTION(layout, LSTM_LAYOUT, gate_layout) OPTION(activations, ACTIVATIONS, activations))        \
  X(LSTM_CELL, lstm_cell, "lstmCell", "8.9.34", lstm_cell,                                         \
    IN(input, FLOATS, 2) IN(weight, AS(0), 2) IN(recurrentWeight, AS(0), 2)                        \
    IN(hiddenState, AS(0), 2) IN(cellState, AS(0), 2) OPT(bias, AS(0), 1)                          \
    OPT(recurrentBias, AS(0), 1) OPT(peepholeWeight, AS(0), 1) OUT(output0, AS(0), 2)              \
    OUT(output1, AS(0), 2),                                                                        \
    OPTION(hiddenSize, U32, hidden_size) OPTION(layout, LSTM_LAYOUT, gate_layout)                  \
    OPTION(activations, ACTIVATIONS, activations))                                                 \
  X(MATMUL, matmul, "matmul", "8.9.35", matmul,                                                    \
    IN(a, FLOATS, 2_N) IN(b, AS(0), 2_N) OUT(output, AS(0), 2_N),                                  \
   )                                                                                               \
  X(PAD, pad, "pad", "8.9.36", pad,                                                                \
    IN(input, ANY, N) OUT(output, AS(0), SAME),                                                    \
    OPTION(beginningPadding, LIST, starts) OPTION(endingPadding, LIST, sizes)                      \
    OPTION(mode, PADDING_MODE, mode) OPTION(value, SCALAR, alpha))                                 \
  X(AVERAGE_POOL2D, average_pool2d, "averagePool2d", "8.9.37", pool2d,                             \
    IN(input, FLOATS, 4) OUT(output, AS(0), 4),                                                    \
    OPTION(windowDimensions, LIST, window) OPTION(padding, LIST, padding)                          \
    OPTION(strides, LIST, strides) OPTION(dilations, LIST, dilations)                              \
    OPTION(layout, INPUT_LAYOUT, input_layout) OPTION(outputSizes, LIST, sizes))                   \
  X(L2_POOL2D, l2_pool2d, "l2Pool2d", "8.9.37", pool2d,                                            \
    IN(input, FLOATS, 4) OUT(output, AS(0), 4),                                                    \
    OPTION(windowDimensions, LIST, window) OPTION(padding, LIST, padding)                          \
    OPTION(strides, LIST, strides) OPTION(dilations, LIST, dilations)                              \
    OPTION(layout, INPUT_LAYOUT, input_layout) OPTION(outputSizes, LIST, sizes))                   \
  X(MAX_POOL2D, max_pool2d, "maxPool2d", "8.9.37", pool2d,                                         \
    IN(input, ANY, 4) OUT(output, AS(0), 4),                                                       \
    OPTION(windowDimensions, LIST, window) OPTION(padding, LIST, padding)                          \
    OPTION(strides, LIST, strides) OPTION(dilations, LIST, dilations)                              \
    OPTION(layout, INPUT_LAYOUT, input_layout) OPTION(outputSizes, LIST, sizes))                   \
  X(PRELU, prelu, "prelu", "8.9.38", binary,                                                       \
    IN(input, SIGNED, N) IN(slope, AS(0), N) OUT(output, AS(0), N),                                \
   )                                                                                               \
  X(REDUCE_L1, reduce_l1, "reduceL1", "8.9.39", reduce,                                            \
    IN(input, FLOATS_INTS, N) OUT(output, AS(0), N),                                               \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_L2, reduce_l2, "reduceL2", "8.9.39", reduce,                                            \
    IN(input, FLOATS, N) OUT(output, AS(0), N),                                                    \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_LOG_SUM, reduce_log_sum, "reduceLogSum", "8.9.39", reduce,                              \
    IN(input, FLOATS, N) OUT(output, AS(0), N),                                                    \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_LOG_SUM_EXP, reduce_log_sum_exp, "reduceLogSumExp", "8.9.39", reduce,                   \
    IN(input, FLOATS, N) OUT(output, AS(0), N),                                                    \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_MAX, reduce_max, "reduceMax", "8.9.39", reduce,                                         \
    IN(input, ANY, N) OUT(output, AS(0), N),                                                       \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_MEAN, reduce_mean, "reduceMean", "8.9.39", reduce,                                      \
    IN(input, FLOATS, N) OUT(output, AS(0), N),                                                    \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_MIN, reduce_min, "reduceMin", "8.9.39", reduce,                                         \
    IN(input, ANY, N) OUT(output, AS(0), N),                                                       \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_PRODUCT, reduce_product, "reduceProduct", "8.9.39", reduce,                             \
    IN(input, FLOATS_INTS, N) OUT(output, AS(0), N),                                               \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_SUM, reduce_sum, "reduceSum", "8.9.39", reduce,                                         \
    IN(input, FLOATS_INTS, N) OUT(output, AS(0), N),                                               \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(REDUCE_SUM_SQUARE, reduce_sum_square, "reduceSumSquare", "8.9.39", reduce,                     \
    IN(input, FLOATS_INTS, N) OUT(output, AS(0), N),                                               \
    OPTION(axes, LIST, axes) OPTION(keepDimensions, BOOL, keep_dimensions))                        \
  X(RELU, relu, "relu", "8.9.40", unary, IN(input, SIGNED, N) OUT(output, AS(0), SAME), )          \
  X(RESAMPLE2D, resample2d, "resample2d", "8.9.41", resample2d,                                    \
    IN(input, FLOATS_BYTES, 4) OUT(output, AS(0), 4),                                              \
    OPTION(mode, INTERPOLATION_MODE, mode) OPTION(sizes, LIST, sizes) OPTION(axes, LIST, axes))    \
  X(RESHAPE, reshape, "reshape", "8.9.42", reshape,                                                \
    IN(input, ANY_AND_4BIT, N) OUT(output, AS(0), N),                                              \
    OPTION(newShape, LIST, sizes))                                                                 \
  X(REVERSE, reverse, "reverse", "8.9.43", reverse,                                                \
    IN(input, ANY, N) OUT(output, AS(0), SAME),                                                    \
    OPTION(axes, LIST, axes))                                                                      \
  X(SCATTER_ELEMENTS, scatter_elements, "scatterElements", "8.9.44", scatter_elements,             \
    IN(input, ANY, 1_N) IN(indices, INDICES, SAME) IN(updates, AS(0), SAME)                        \
    OUT(output, AS(0), SAME),                                                                      \
    OPTION(axis, U32, axis))                                                                       \
  X(SCATTER_ND, scatter_nd, "scatterND", "8.9.45", scatter_nd,                                     \
    IN(input, ANY, 1_N) IN(indices, INDICES, 1_N) IN(updates, AS(0), N)                            \
    OUT(output, AS(0), SAME),                                                                      \
   )                                                                                               \
  X(SIGMOID, sigmoid, "sigmoid", "8.9.46", unary,                                                  \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
   )                                                                                               \
  X(SLICE, slice, "slice", "8.9.47", slice,                                                        \
    IN(input, ANY, N) OUT(output, AS(0), SAME),                                                    \
    OPTION(starts, LIST, starts) OPTION(sizes, LIST, sizes) OPTION(strides, LIST, strides))        \
  X(SOFTMAX, softmax, "softmax", "8.9.48", softmax,                                                \
    IN(input, FLOATS, 1_N) OUT(output, AS(0), SAME),                                               \
    OPTION(axis, U32, axis))                                                                       \
  X(SOFTPLUS, softplus, "softplus", "8.9.49", unary,                                               \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
   )                                                                                               \
  X(SOFTSIGN, softsign, "softsign", "8.9.50", unary,                                               \
    IN(input, FLOATS, N) OUT(output, AS(0), SAME),                                                 \
   )                                                                                               \
  X(SPLIT, split, "split", "8.9.51", split,                                                        \
    IN(input, ANY, 1_N) OUT(outputs, AS(0), SAME),                                                 \
    OPTION(axis, U32, axis))                                                                       \
  X(TANH, tanh, "tanh", "8.9.52", unary, IN(input, FLOATS, N) OUT(output, AS(0), SAME), )          \
  X(TILE, tile, "tile", "8.9.53", tile,                                                            \
    IN(input, ANY, N) OUT(output, AS(0), SAME),                                                    \
    OPTION(repetitions, LIST, sizes))                                                              \
  X(TRANSPOSE, transpose, "transpose", "8.9.54", transpose,                                        \
    IN(input, ANY, N) OUT(output, AS(0), SAME),                                                    \
    OPTION(permutation, LIST, axes))                                                               \
  X(TRIANGULAR, triangular, "triangular", "8.9.55", triangular,                                    \
    IN(input, ANY, 2_N) OUT(output, AS(0), SAME),                                                  \
    OPTION(upper, BOOL, upper) OPTION(diagonal, I32, diagonal))                                    \
  X(WHERE, where, "where", "8.9.56", where,                                                        \
    IN(condition, UINT8, N) IN(trueValue, ANY, N) IN(falseValue, AS(1), N)                         \
    OUT(output, AS(1), N),                                                                         \
   )
/* clang-format on */

typedef enum webnn_op {
#define WEBNN__NOTHING(...)
#define WEBNN__ENUMERATOR(op, c_name, name, section, family, operands, options) WEBNN_OP_##op,
  WEBNN_OPERATORS(WEBNN__ENUMERATOR, WEBNN__NOTHING, WEBNN__NOTHING, WEBNN__NOTHING, WEBNN__NOTHING,
                  WEBNN__NOTHING)
#undef WEBNN__ENUMERATOR
#undef WEBNN__NOTHING
      WEBNN_OP_COUNT
} webnn_op;

/* The specification's name of an operator, "conv2d"; NULL outside the enumeration. Any thread. */
WEBNN_API const char *webnn_op_name(webnn_op op);
/* The section of the specification, "8.9.10"; NULL outside the enumeration. Any thread. */
WEBNN_API const char *webnn_op_section(webnn_op op);

/* MLTensorLimits of one operand of an operator: bit (1u << type) of data_types is set for each data
   type, ranks are inclusive. */
typedef struct webnn_tensor_limits {
  const char *name; /* the specification's: "input", "recurrentWeight", "output0" */
  uint32_t data_types;
  uint32_t min_rank, max_rank;
  bool optional, output;
} webnn_tensor_limits;

typedef struct webnn_operator_limits {
  const char *name;
  uint32_t operand_count; /* inputs, then outputs */
  webnn_tensor_limits operands[12];
} webnn_operator_limits;

/* MLOpSupportLimits. */
typedef struct webnn_support_limits {
  webnn_input_operand_layout preferred_input_layout;
  uint64_t max_tensor_byte_length;
  webnn_tensor_limits input, constant, output;
  webnn_operator_limits operators[WEBNN_OP_COUNT];
} webnn_support_limits;

/* opSupportLimits() (8.3.7). Any thread. */
WEBNN_API void webnn_op_support_limits(webnn_context *context, webnn_support_limits *limits);

/* ==============================================================================================
   Tensors (8.3.2-8.3.6, 8.7)
   ============================================================================================== */

/* createTensor: filled with zero bytes. Errors: InvalidStateError (context lost), TypeError (the
   descriptor), UnknownError (memory). *tensor is NULL on failure. Any thread. */
WEBNN_API webnn_status webnn_create_tensor(webnn_context *context,
                                           const webnn_tensor_descriptor *descriptor,
                                           webnn_tensor **tensor, webnn_error *error);
/* A tensor over the caller's memory, which must stay until the tensor is freed; while work that
   uses it is queued the caller leaves it alone (webnn_wait). byte_length must be the tensor's; the
   memory need not be aligned. */
WEBNN_API webnn_status webnn_create_tensor_over_memory(webnn_context *context,
                                                       const webnn_tensor_descriptor *descriptor,
                                                       void *memory, size_t byte_length,
                                                       webnn_tensor **tensor, webnn_error *error);
/* createConstantTensor: copies the data now; for webnn_constant_from_tensor. Errors as above, and
   TypeError if byte_length is not the descriptor's. Any thread. */
WEBNN_API webnn_status webnn_create_constant_tensor(webnn_context *context,
                                                    const webnn_operand_descriptor *descriptor,
                                                    const void *data, size_t byte_length,
                                                    webnn_tensor **tensor, webnn_error *error);
/* The attributes; the shape is valid until the tensor is freed. Any thread. */
WEBNN_API webnn_data_type webnn_tensor_data_type(const webnn_tensor *tensor);
WEBNN_API webnn_list webnn_tensor_shape(const webnn_tensor *tensor);
WEBNN_API bool webnn_tensor_readable(const webnn_tensor *tensor);
WEBNN_API bool webnn_tensor_writable(const webnn_tensor *tensor);
WEBNN_API bool webnn_tensor_constant(const webnn_tensor *tensor);
/* readTensor into the caller's buffer: waits for all earlier work on the tensor. Errors: TypeError
   (another context's, destroyed or unreadable tensor, wrong byte_length), InvalidStateError (tensor
   destroyed or context lost while waiting). The buffer is written only on success. Any thread. */
WEBNN_API webnn_status webnn_read_tensor(webnn_context *context, webnn_tensor *tensor, void *buffer,
                                         size_t byte_length, webnn_error *error);
/* writeTensor: copies the data before it returns. Errors: TypeError as for reading. Any thread. */
WEBNN_API webnn_status webnn_write_tensor(webnn_context *context, webnn_tensor *tensor,
                                          const void *data, size_t byte_length, webnn_error *error);
/* destroy(): queued work finishes, waiting reads fail; twice or NULL: nothing. Any thread. */
WEBNN_API void webnn_destroy_tensor(webnn_tensor *tensor);
/* Destroys and gives the handle back. NULL: nothing. */
WEBNN_API void webnn_free_tensor(webnn_tensor *tensor);

/* ==============================================================================================
   Graphs (8.3.1, 8.4)
   ============================================================================================== */

/* dispatch(): runs the graph after all earlier work of the context. Every input and output of the
   graph must be bound by name to a tensor of its type and shape, each tensor once. Errors:
   TypeError, InvalidStateError (graph destroyed or context lost). Nothing is changed on failure.
   Any thread. */
WEBNN_API webnn_status webnn_dispatch(webnn_context *context, webnn_graph *graph,
                                      webnn_named_tensor_list inputs,
                                      webnn_named_tensor_list outputs, webnn_error *error);
/* Waits until all work queued on the context so far has finished. InvalidStateError if it is lost.
   Any thread. */
WEBNN_API webnn_status webnn_wait(webnn_context *context, webnn_error *error);
/* destroy(): queued work finishes; twice or NULL: nothing. Any thread. */
WEBNN_API void webnn_destroy_graph(webnn_graph *graph);
/* Destroys and gives the handle back. NULL: nothing. */
WEBNN_API void webnn_free_graph(webnn_graph *graph);

/* An input or output of a graph; name and shape are valid until the graph is freed. */
typedef struct webnn_graph_port {
  const char *name;
  webnn_operand_descriptor descriptor;
} webnn_graph_port;
/* How many inputs (outputs) the graph has; the first `capacity` of them go to ports (may be NULL).
   Inputs come in the order they were declared, outputs in the order given to build. Any thread. */
WEBNN_API size_t webnn_graph_inputs(const webnn_graph *graph, webnn_graph_port *ports,
                                    size_t capacity);
WEBNN_API size_t webnn_graph_outputs(const webnn_graph *graph, webnn_graph_port *ports,
                                     size_t capacity);

/* The bytes a graph takes, known before it runs: constants (without borrowed ones), what fast
   kernels have prepared (packed weights), the arena for intermediate values, and what the
   intermediates would take without reuse. Any thread. */
typedef struct webnn_memory {
  uint64_t constants, prepared, arena, intermediates;
} webnn_memory;
WEBNN_API webnn_memory webnn_graph_memory(const webnn_graph *graph);

/* How many elements the graph's runs so far have rounded without being certain of the last bit: the
   exact value was so near to the middle of two floats that the reference arithmetic could not tell
   on which side. 0 is to be expected; docs/numerics.md says where more is possible. Any thread. */
WEBNN_API uint64_t webnn_graph_undecided(const webnn_graph *graph);

/* Text in pieces, each `length` bytes without a terminating zero. */
typedef void (*webnn_writer)(void *user, const char *text, size_t length);
/* The graph as text, one line for each operator, or for Graphviz's dot. Any thread. */
WEBNN_API void webnn_print_graph(const webnn_graph *graph, webnn_writer write, void *user);
WEBNN_API void webnn_print_graph_dot(const webnn_graph *graph, webnn_writer write, void *user);

/* One value that a run has just computed. */
typedef struct webnn_tapped_value {
  const char *name;        /* of a graph output, else "%N" as webnn_print_graph has it */
  const char *op_name;     /* the operator that made it, "conv2d" */
  const char *label;       /* the operator's label, never NULL */
  uint32_t operator_index; /* position in webnn_print_graph, from 0 */
  uint32_t output_index;
  webnn_operand_descriptor descriptor;
  const void *data;
  size_t byte_length;
} webnn_tapped_value;
/* Called for each operator's outputs in order of execution, on the thread that runs the graph; it
   must not call into the context. */
typedef void (*webnn_tap)(void *user, const webnn_tapped_value *value);
/* Taps every later dispatch of the graph, or no more with a NULL tap. UnknownError if there is no
   memory; a destroyed graph gives InvalidStateError. Any thread. */
WEBNN_API webnn_status webnn_tap_graph(webnn_graph *graph, webnn_tap tap, void *user,
                                       webnn_error *error);

/* ==============================================================================================
   Comparing results, for tests of other implementations. Any thread.
   ============================================================================================== */

typedef enum webnn_tolerance_metric {
  WEBNN_ULP = 0, /* units in the last place; for integers the difference */
  WEBNN_ATOL     /* absolute difference */
} webnn_tolerance_metric;

typedef struct webnn_tolerance {
  webnn_tolerance_metric metric;
  double value;
} webnn_tolerance;

/* What a comparison of two tensors found. */
typedef struct webnn_comparison {
  uint64_t count;           /* elements compared */
  uint64_t different;       /* whose bits differ in value (zeros of either sign are equal) */
  uint64_t failed;          /* outside the tolerance */
  uint64_t first_different; /* index; count if there is none */
  uint64_t first_failed;    /* index; count if there is none */
  uint64_t max_ulp;         /* largest distance; UINT64_MAX where only one side is NaN */
  uint64_t max_ulp_index;
  double mean_ulp;     /* over elements with a finite distance */
  double max_absolute; /* largest absolute difference of finite values */
} webnn_comparison;

/* Distance of element `index` of two tensors of a type: how many steps from one representable value
   to the next lie between. Zeros are equal, so are two NaNs; a NaN and a number are UINT64_MAX
   apart. */
WEBNN_API uint64_t webnn_ulp_distance(webnn_data_type type, const void *a, const void *b,
                                      uint64_t index);
/* Compares `count` elements; a tolerance of {0} allows no difference. With WEBNN_ATOL infinities
   must be equal. The result is all zero for an unknown type or NULL data. */
WEBNN_API webnn_comparison webnn_compare(webnn_data_type type, const void *actual,
                                         const void *expected, uint64_t count,
                                         webnn_tolerance tolerance);
/* The tolerance of web-platform-tests for operator `index` of a graph (as in webnn_print_graph),
   from its type, shapes and options. {0} for an index out of range. */
WEBNN_API webnn_tolerance webnn_graph_tolerance(const webnn_graph *graph, uint32_t index);

/* ==============================================================================================
   The builder (8.9). Everything from here on is for the builder's thread.

   A method that refuses its arguments returns NULL (0 for methods with several outputs), changes
   nothing and records status and message in the builder unless an earlier one is recorded. Passing
   that NULL on is a TypeError too, but the first cause is kept. So a network can be written as a
   straight run of calls and checked once, in webnn_build.
   ============================================================================================== */

/* new MLGraphBuilder(context) (8.9.1). InvalidStateError if the context is lost. */
WEBNN_API webnn_status webnn_create_builder(webnn_context *context, webnn_builder **builder,
                                            webnn_error *error);
/* Frees the builder and its operands; graphs it built live on. NULL: nothing. */
WEBNN_API void webnn_free_builder(webnn_builder *builder);
/* The first recorded error: its status (WEBNN_OK: none) and message ("": none), e.g.
     conv2d "stem": filter input channels (4) x groups (1) must equal input channels (3)
   Labels are shown whole, with control and bidirectional characters escaped. The message is valid
   until the next call with this builder. */
WEBNN_API webnn_status webnn_builder_status(const webnn_builder *builder);
WEBNN_API const char *webnn_builder_message(const webnn_builder *builder);
/* Forgets the recorded error, so that a program can probe and go on. */
WEBNN_API void webnn_builder_clear_error(webnn_builder *builder);

/* input(name, descriptor) (8.9.2): a graph input. Names are unique and not empty. */
WEBNN_API webnn_operand *webnn_input(webnn_builder *builder, const char *name,
                                     const webnn_operand_descriptor *descriptor);
/* constant(descriptor, buffer) (8.9.3.1): copies the data now; byte_length must be the
   descriptor's. */
WEBNN_API webnn_operand *webnn_constant(webnn_builder *builder,
                                        const webnn_operand_descriptor *descriptor,
                                        const void *data, size_t byte_length);
/* The same without a copy: the memory (a mapped weights file, say; aligned or not) must stay
   unchanged until the builder and every graph it built are freed. */
WEBNN_API webnn_operand *webnn_constant_over_memory(webnn_builder *builder,
                                                    const webnn_operand_descriptor *descriptor,
                                                    const void *data, size_t byte_length);
/* constant(tensor) (8.9.3.2): of a constant tensor of the same context. */
WEBNN_API webnn_operand *webnn_constant_from_tensor(webnn_builder *builder, webnn_tensor *tensor);
/* constant(dataType, value) (8.9.3.3): a scalar; the value is rounded (ties to even) and clamped to
   the type. An integer value for a float type, or a 4-bit type, is a TypeError. */
WEBNN_API webnn_operand *webnn_constant_from_number(webnn_builder *builder, webnn_data_type type,
                                                    webnn_number value);
/* build(outputs) (8.9.4). The recorded error comes first, then InvalidStateError (built already,
   context lost), TypeError (no outputs, an empty or repeated name, an input or constant as an
   output, a destroyed constant tensor), OperationError (no graph can be made). A builder builds
   once; after a failure it can go on. */
WEBNN_API webnn_status webnn_build(webnn_builder *builder, webnn_named_operand_list outputs,
                                   webnn_graph **graph, webnn_error *error);

/* An operand's attributes; the shape is valid until the builder is freed. 0 and an absent list for
   NULL. */
WEBNN_API webnn_data_type webnn_operand_data_type(const webnn_operand *operand);
WEBNN_API webnn_list webnn_operand_shape(const webnn_operand *operand);

/* ---- Options. NULL or {0} are the defaults everywhere. -------------------------------------- */

/* MLOperatorOptions: for operators without options of their own. Every options struct starts with
   the label, which shows up in messages, printed graphs and taps. */
typedef struct webnn_operator_options {
  const char *label; /* default "" */
} webnn_operator_options;

typedef struct webnn_arg_min_max_options {
  const char *label;
  bool keep_dimensions;             /* default false */
  webnn_data_type output_data_type; /* int32 (default) or int64 */
} webnn_arg_min_max_options;

typedef struct webnn_batch_normalization_options {
  const char *label;
  webnn_operand *scale; /* [C]; absent: 1 */
  webnn_operand *bias;  /* [C]; absent: 0 */
  webnn_number axis;    /* of the channels, default 1 */
  webnn_number epsilon; /* default 1e-5 */
} webnn_batch_normalization_options;

typedef struct webnn_clamp_options {
  const char *label;
  webnn_number min_value; /* absent: no lower bound */
  webnn_number max_value; /* absent: no upper bound */
} webnn_clamp_options;

typedef struct webnn_conv2d_options {
  const char *label;
  webnn_list padding;   /* begin height, end height, begin width, end width; default 0 */
  webnn_list strides;   /* height, width; default 1 */
  webnn_list dilations; /* height, width; default 1 */
  webnn_number groups;  /* default 1 */
  webnn_input_operand_layout input_layout;
  webnn_conv2d_filter_operand_layout filter_layout;
  webnn_operand *bias; /* [output channels]; absent: 0 */
} webnn_conv2d_options;

typedef struct webnn_conv_transpose2d_options {
  const char *label;
  webnn_list padding;        /* as conv2d's: rows and columns cut from the full output */
  webnn_list strides;        /* default 1 */
  webnn_list dilations;      /* default 1 */
  webnn_list output_padding; /* height, width added at the end; default 0 */
  webnn_list output_sizes;   /* height, width; then output_padding is ignored */
  webnn_number groups;       /* default 1 */
  webnn_input_operand_layout input_layout;
  webnn_conv_transpose2d_filter_operand_layout filter_layout;
  webnn_operand *bias; /* [output channels]; absent: 0 */
} webnn_conv_transpose2d_options;

typedef struct webnn_cumulative_sum_options {
  const char *label;
  bool exclusive; /* leave out the element itself */
  bool reversed;  /* sum from the end */
} webnn_cumulative_sum_options;

typedef struct webnn_elu_options {
  const char *label;
  webnn_number alpha; /* default 1 */
} webnn_elu_options;

typedef struct webnn_gather_options {
  const char *label;
  webnn_number axis; /* default 0 */
} webnn_gather_options;

typedef struct webnn_gemm_options {
  const char *label;
  webnn_operand *c;   /* rank 0 to 2, broadcast to [M, N]; absent: 0 */
  webnn_number alpha; /* of A B, default 1 */
  webnn_number beta;  /* of C, default 1 */
  bool a_transpose, b_transpose;
} webnn_gemm_options;

typedef struct webnn_gru_options {
  const char *label;
  webnn_operand *bias;                 /* [directions, 3 hidden]; absent: 0 */
  webnn_operand *recurrent_bias;       /* [directions, 3 hidden]; absent: 0 */
  webnn_operand *initial_hidden_state; /* [directions, batch, hidden]; absent: 0 */
  webnn_boolean reset_after;           /* default true */
  bool return_sequence;                /* also give every step's state */
  webnn_recurrent_network_direction direction;
  webnn_gru_weight_layout layout;
  webnn_activation_list activations; /* 2; default sigmoid, tanh */
} webnn_gru_options;

typedef struct webnn_gru_cell_options {
  const char *label;
  webnn_operand *bias;           /* [3 hidden] */
  webnn_operand *recurrent_bias; /* [3 hidden] */
  webnn_boolean reset_after;     /* default true */
  webnn_gru_weight_layout layout;
  webnn_activation_list activations; /* 2; default sigmoid, tanh */
} webnn_gru_cell_options;

typedef struct webnn_hard_sigmoid_options {
  const char *label;
  webnn_number alpha; /* default 0.2 */
  webnn_number beta;  /* default 0.5 */
} webnn_hard_sigmoid_options;

typedef struct webnn_instance_normalization_options {
  const char *label;
  webnn_operand *scale; /* [C]; absent: 1 */
  webnn_operand *bias;  /* [C]; absent: 0 */
  webnn_number epsilon; /* default 1e-5 */
  webnn_input_operand_layout layout;
} webnn_instance_normalization_options;

typedef struct webnn_layer_normalization_options {
  const char *label;
  webnn_operand *scale; /* dimension i is that of axes[i]; absent: 1 */
  webnn_operand *bias;  /* likewise; absent: 0 */
  webnn_list axes;      /* default: all but the first */
  webnn_number epsilon; /* default 1e-5 */
} webnn_layer_normalization_options;

typedef struct webnn_leaky_relu_options {
  const char *label;
  webnn_number alpha; /* default 0.01 */
} webnn_leaky_relu_options;

typedef struct webnn_linear_options {
  const char *label;
  webnn_number alpha; /* default 1 */
  webnn_number beta;  /* default 0 */
} webnn_linear_options;

typedef struct webnn_lstm_options {
  const char *label;
  webnn_operand *bias;                 /* [directions, 4 hidden] */
  webnn_operand *recurrent_bias;       /* [directions, 4 hidden] */
  webnn_operand *peephole_weight;      /* [directions, 3 hidden], gates i, o, f */
  webnn_operand *initial_hidden_state; /* [directions, batch, hidden] */
  webnn_operand *initial_cell_state;   /* [directions, batch, hidden] */
  bool return_sequence;
  webnn_recurrent_network_direction direction;
  webnn_lstm_weight_layout layout;
  webnn_activation_list activations; /* 3; default sigmoid, tanh, tanh */
} webnn_lstm_options;

typedef struct webnn_lstm_cell_options {
  const char *label;
  webnn_operand *bias;            /* [4 hidden] */
  webnn_operand *recurrent_bias;  /* [4 hidden] */
  webnn_operand *peephole_weight; /* [3 hidden], gates i, o, f */
  webnn_lstm_weight_layout layout;
  webnn_activation_list activations; /* 3; default sigmoid, tanh, tanh */
} webnn_lstm_cell_options;

typedef struct webnn_pad_options {
  const char *label;
  webnn_padding_mode mode;
  webnn_number value; /* for constant mode, default 0 */
} webnn_pad_options;

typedef struct webnn_pool2d_options {
  const char *label;
  webnn_list window_dimensions; /* height, width; absent: the whole height and width */
  webnn_list padding;           /* begin height, end height, begin width, end width; default 0 */
  webnn_list strides;           /* default 1 */
  webnn_list dilations;         /* default 1 */
  webnn_input_operand_layout layout;
  webnn_rounding_type output_shape_rounding; /* ignored with output_sizes */
  webnn_list output_sizes;                   /* height, width: both floors or both ceilings */
} webnn_pool2d_options;

typedef struct webnn_reduce_options {
  const char *label;
  webnn_list axes;      /* absent: all; empty: none */
  bool keep_dimensions; /* reduced dimensions stay as 1 */
} webnn_reduce_options;

typedef struct webnn_resample2d_options {
  const char *label;
  webnn_interpolation_mode mode;
  webnn_float_list scales; /* 2, default 1; ignored with sizes */
  webnn_list sizes;        /* 2 */
  webnn_list axes;         /* 2, default 2, 3 */
} webnn_resample2d_options;

typedef struct webnn_reverse_options {
  const char *label;
  webnn_list axes; /* absent: all; empty: none */
} webnn_reverse_options;

typedef struct webnn_scatter_options {
  const char *label;
  webnn_number axis; /* default 0 */
} webnn_scatter_options;

typedef struct webnn_slice_options {
  const char *label;
  webnn_list strides; /* one for each dimension; default 1 */
} webnn_slice_options;

typedef struct webnn_split_options {
  const char *label;
  webnn_number axis; /* default 0 */
} webnn_split_options;

typedef struct webnn_transpose_options {
  const char *label;
  webnn_list permutation; /* default: reversed */
} webnn_transpose_options;

typedef struct webnn_triangular_options {
  const char *label;
  webnn_boolean upper; /* default true */
  int32_t diagonal;    /* default 0 */
} webnn_triangular_options;

/* ---- Operators, 8.9.5 to 8.9.56. ---------------------------------------------------------------

   WEBNN_OPERATORS above has the data types and ranks. The result belongs to the builder; its type
   is the input's unless said otherwise. Every refusal is a TypeError, but InvalidStateError when
   the builder has built or the context is lost. docs/operators.md has formulas and the readings
   taken where the text is silent. Shapes below: x the input's shape, rank(x) its length. */

/* 8.9.5: the index along axis of the smallest (largest) element, the first of equals, the first NaN
   before all others. The axis is removed, or 1 with keep_dimensions; type int32 or int64. */
WEBNN_API webnn_operand *webnn_arg_min(webnn_builder *builder, webnn_operand *input, uint32_t axis,
                                       const webnn_arg_min_max_options *options);
WEBNN_API webnn_operand *webnn_arg_max(webnn_builder *builder, webnn_operand *input, uint32_t axis,
                                       const webnn_arg_min_max_options *options);
/* 8.9.6: scale (x - mean) / sqrt(variance + epsilon) + bias for each channel, all [channels]. */
WEBNN_API webnn_operand *
webnn_batch_normalization(webnn_builder *builder, webnn_operand *input, webnn_operand *mean,
                          webnn_operand *variance,
                          const webnn_batch_normalization_options *options);
/* 8.9.7: the values in another data type: floats are rounded to nearest, float to integer is
   truncated and saturates (NaN: 0), integer to integer keeps the low bits. */
WEBNN_API webnn_operand *webnn_cast(webnn_builder *builder, webnn_operand *input,
                                    webnn_data_type data_type,
                                    const webnn_operator_options *options);
/* 8.9.8: min(max(x, minValue), maxValue); NaN stays NaN. */
WEBNN_API webnn_operand *webnn_clamp(webnn_builder *builder, webnn_operand *input,
                                     const webnn_clamp_options *options);
/* 8.9.9: 1 to 8192 inputs one after the other along axis; other dimensions equal. */
WEBNN_API webnn_operand *webnn_concat(webnn_builder *builder, webnn_operand_list inputs,
                                      uint32_t axis, const webnn_operator_options *options);
/* 8.9.10: cross-correlation; [N, O, height, width] or [N, height, width, O], with
   floor((in - ((k - 1) dilation + 1) + begin + end) / stride) + 1 rows and columns. */
WEBNN_API webnn_operand *webnn_conv2d(webnn_builder *builder, webnn_operand *input,
                                      webnn_operand *filter, const webnn_conv2d_options *options);
/* 8.9.11: (in - 1) stride + (k - 1) dilation + 1 - begin - end + output padding rows, columns. */
WEBNN_API webnn_operand *webnn_conv_transpose2d(webnn_builder *builder, webnn_operand *input,
                                                webnn_operand *filter,
                                                const webnn_conv_transpose2d_options *options);
/* 8.9.12: running sums along axis; integers wrap. */
WEBNN_API webnn_operand *webnn_cumulative_sum(webnn_builder *builder, webnn_operand *input,
                                              uint32_t axis,
                                              const webnn_cumulative_sum_options *options);
/* 8.9.13: element by element over the broadcast shape. Integers wrap, div truncates (x / 0 = 0),
   max and min hand on NaN, pow is C's. */
WEBNN_API webnn_operand *webnn_add(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_sub(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_mul(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_div(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_max(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_min(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_pow(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                   const webnn_operator_options *options);
/* 8.9.14: 1 or 0 as uint8, over the broadcast shape. With NaN only notEqual is 1. */
WEBNN_API webnn_operand *webnn_equal(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                     const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_not_equal(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                         const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_greater(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                       const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_greater_or_equal(webnn_builder *builder, webnn_operand *a,
                                                webnn_operand *b,
                                                const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_lesser(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                      const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_lesser_or_equal(webnn_builder *builder, webnn_operand *a,
                                               webnn_operand *b,
                                               const webnn_operator_options *options);
/* 8.9.14: on uint8, where anything but 0 is true. */
WEBNN_API webnn_operand *webnn_logical_not(webnn_builder *builder, webnn_operand *a,
                                           const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_logical_and(webnn_builder *builder, webnn_operand *a,
                                           webnn_operand *b, const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_logical_or(webnn_builder *builder, webnn_operand *a,
                                          webnn_operand *b, const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_logical_xor(webnn_builder *builder, webnn_operand *a,
                                           webnn_operand *b, const webnn_operator_options *options);
/* 8.9.14: 1 or 0 as uint8. */
WEBNN_API webnn_operand *webnn_is_nan(webnn_builder *builder, webnn_operand *a,
                                      const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_is_infinite(webnn_builder *builder, webnn_operand *a,
                                           const webnn_operator_options *options);
/* 8.9.15: element by element; angles in radians; round_even: halves to even; sign(NaN) = 0. */
WEBNN_API webnn_operand *webnn_abs(webnn_builder *builder, webnn_operand *input,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_ceil(webnn_builder *builder, webnn_operand *input,
                                    const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_cos(webnn_builder *builder, webnn_operand *input,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_erf(webnn_builder *builder, webnn_operand *input,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_exp(webnn_builder *builder, webnn_operand *input,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_floor(webnn_builder *builder, webnn_operand *input,
                                     const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_identity(webnn_builder *builder, webnn_operand *input,
                                        const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_log(webnn_builder *builder, webnn_operand *input,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_neg(webnn_builder *builder, webnn_operand *input,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_reciprocal(webnn_builder *builder, webnn_operand *input,
                                          const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_round_even(webnn_builder *builder, webnn_operand *input,
                                          const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_sign(webnn_builder *builder, webnn_operand *input,
                                    const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_sin(webnn_builder *builder, webnn_operand *input,
                                   const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_sqrt(webnn_builder *builder, webnn_operand *input,
                                    const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_tan(webnn_builder *builder, webnn_operand *input,
                                   const webnn_operator_options *options);
/* 8.9.16: (x - zeroPoint) scale in scale's type; scale and zeroPoint (one shape) have the input's
   rank and divide its dimensions: each of their elements serves a block. */
WEBNN_API webnn_operand *webnn_dequantize_linear(webnn_builder *builder, webnn_operand *input,
                                                 webnn_operand *scale, webnn_operand *zero_point,
                                                 const webnn_operator_options *options);
/* 8.9.17: roundEven(x / scale) + zeroPoint, saturated to zeroPoint's type; blocks as above. */
WEBNN_API webnn_operand *webnn_quantize_linear(webnn_builder *builder, webnn_operand *input,
                                               webnn_operand *scale, webnn_operand *zero_point,
                                               const webnn_operator_options *options);
/* 8.9.18: max(0, x) + alpha (e^min(0, x) - 1). */
WEBNN_API webnn_operand *webnn_elu(webnn_builder *builder, webnn_operand *input,
                                   const webnn_elu_options *options);
/* 8.9.19: dimensions of 1, and missing ones in front, repeated to newShape. */
WEBNN_API webnn_operand *webnn_expand(webnn_builder *builder, webnn_operand *input,
                                      webnn_list new_shape, const webnn_operator_options *options);
/* 8.9.20: x[..., indices[i], ...] along axis; x before axis, then indices' shape, then x after. In
   all gathers and scatters a negative index counts from the end and others are clamped. */
WEBNN_API webnn_operand *webnn_gather(webnn_builder *builder, webnn_operand *input,
                                      webnn_operand *indices, const webnn_gather_options *options);
/* 8.9.21: y[c] = x[c with c[axis] = indices[c]]; indices has x's shape but along axis. */
WEBNN_API webnn_operand *webnn_gather_elements(webnn_builder *builder, webnn_operand *input,
                                               webnn_operand *indices,
                                               const webnn_gather_options *options);
/* 8.9.22: the last dimension of indices holds coordinates of slices of x. */
WEBNN_API webnn_operand *webnn_gather_nd(webnn_builder *builder, webnn_operand *input,
                                         webnn_operand *indices,
                                         const webnn_operator_options *options);
/* 8.9.23: x (1 + erf(x / sqrt 2)) / 2. */
WEBNN_API webnn_operand *webnn_gelu(webnn_builder *builder, webnn_operand *input,
                                    const webnn_operator_options *options);
/* 8.9.24: alpha A B + beta C, [M, N]. */
WEBNN_API webnn_operand *webnn_gemm(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                    const webnn_gemm_options *options);
/* 8.9.25: input [steps, batch, in], weight [directions, 3 hidden, in], recurrentWeight
   [directions, 3 hidden, hidden]. outputs[0] [directions, batch, hidden], the last state; with
   return_sequence outputs[1] [steps, directions, batch, hidden]. Returns 1 or 2; 0 on error. */
WEBNN_API size_t webnn_gru(webnn_builder *builder, webnn_operand *input, webnn_operand *weight,
                           webnn_operand *recurrent_weight, uint32_t steps, uint32_t hidden_size,
                           const webnn_gru_options *options, webnn_operand **outputs);
/* 8.9.26: one step: input [batch, in], weight [3 hidden, in], recurrentWeight [3 hidden, hidden],
   hiddenState [batch, hidden]; gives the new state. */
WEBNN_API webnn_operand *webnn_gru_cell(webnn_builder *builder, webnn_operand *input,
                                        webnn_operand *weight, webnn_operand *recurrent_weight,
                                        webnn_operand *hidden_state, uint32_t hidden_size,
                                        const webnn_gru_cell_options *options);
/* 8.9.27: max(0, min(1, alpha x + beta)). */
WEBNN_API webnn_operand *webnn_hard_sigmoid(webnn_builder *builder, webnn_operand *input,
                                            const webnn_hard_sigmoid_options *options);
/* 8.9.28: x max(0, min(6, x + 3)) / 6. */
WEBNN_API webnn_operand *webnn_hard_swish(webnn_builder *builder, webnn_operand *input,
                                          const webnn_operator_options *options);
/* 8.9.29: scale (x - mean) / sqrt(variance + epsilon) + bias over each image and channel. */
WEBNN_API webnn_operand *
webnn_instance_normalization(webnn_builder *builder, webnn_operand *input,
                             const webnn_instance_normalization_options *options);
/* 8.9.30: the same over axes together. */
WEBNN_API webnn_operand *
webnn_layer_normalization(webnn_builder *builder, webnn_operand *input,
                          const webnn_layer_normalization_options *options);
/* 8.9.31: max(0, x) + alpha min(0, x). */
WEBNN_API webnn_operand *webnn_leaky_relu(webnn_builder *builder, webnn_operand *input,
                                          const webnn_leaky_relu_options *options);
/* 8.9.32: alpha x + beta. */
WEBNN_API webnn_operand *webnn_linear(webnn_builder *builder, webnn_operand *input,
                                      const webnn_linear_options *options);
/* 8.9.33: as gru with four gates. outputs[0] the last hidden state, outputs[1] the last cell state
   [directions, batch, hidden]; with return_sequence outputs[2] the hidden states
   [steps, directions, batch, hidden]. Returns 2 or 3; 0 on error. */
WEBNN_API size_t webnn_lstm(webnn_builder *builder, webnn_operand *input, webnn_operand *weight,
                            webnn_operand *recurrent_weight, uint32_t steps, uint32_t hidden_size,
                            const webnn_lstm_options *options, webnn_operand **outputs);
/* 8.9.34: one step; outputs[0] the new hidden state, outputs[1] the new cell state [batch, hidden].
   Returns 2; 0 on error. */
WEBNN_API size_t webnn_lstm_cell(webnn_builder *builder, webnn_operand *input,
                                 webnn_operand *weight, webnn_operand *recurrent_weight,
                                 webnn_operand *hidden_state, webnn_operand *cell_state,
                                 uint32_t hidden_size, const webnn_lstm_cell_options *options,
                                 webnn_operand **outputs);
/* 8.9.35: matrix product over the last two dimensions, the others broadcast. */
WEBNN_API webnn_operand *webnn_matmul(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                      const webnn_operator_options *options);
/* 8.9.36: more elements before and after each dimension. */
WEBNN_API webnn_operand *webnn_pad(webnn_builder *builder, webnn_operand *input,
                                   webnn_list beginning_padding, webnn_list ending_padding,
                                   const webnn_pad_options *options);
/* 8.9.37: over the window's elements inside the input: mean, square root of the sum of squares,
   maximum. A window wholly in the padding gives 0, 0 and the smallest value. */
WEBNN_API webnn_operand *webnn_average_pool2d(webnn_builder *builder, webnn_operand *input,
                                              const webnn_pool2d_options *options);
WEBNN_API webnn_operand *webnn_l2_pool2d(webnn_builder *builder, webnn_operand *input,
                                         const webnn_pool2d_options *options);
WEBNN_API webnn_operand *webnn_max_pool2d(webnn_builder *builder, webnn_operand *input,
                                          const webnn_pool2d_options *options);
/* 8.9.38: max(0, x) + slope min(0, x) over the broadcast shape. */
WEBNN_API webnn_operand *webnn_prelu(webnn_builder *builder, webnn_operand *input,
                                     webnn_operand *slope, const webnn_operator_options *options);
/* 8.9.39: over the given axes: sum |x|, sqrt sum x^2, ln sum x, ln sum e^x, largest, mean,
   smallest, product, sum, sum x^2. Integers wrap. */
WEBNN_API webnn_operand *webnn_reduce_l1(webnn_builder *builder, webnn_operand *input,
                                         const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_l2(webnn_builder *builder, webnn_operand *input,
                                         const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_log_sum(webnn_builder *builder, webnn_operand *input,
                                              const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_log_sum_exp(webnn_builder *builder, webnn_operand *input,
                                                  const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_max(webnn_builder *builder, webnn_operand *input,
                                          const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_mean(webnn_builder *builder, webnn_operand *input,
                                           const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_min(webnn_builder *builder, webnn_operand *input,
                                          const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_product(webnn_builder *builder, webnn_operand *input,
                                              const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_sum(webnn_builder *builder, webnn_operand *input,
                                          const webnn_reduce_options *options);
WEBNN_API webnn_operand *webnn_reduce_sum_square(webnn_builder *builder, webnn_operand *input,
                                                 const webnn_reduce_options *options);
/* 8.9.40: max(0, x); NaN stays NaN. */
WEBNN_API webnn_operand *webnn_relu(webnn_builder *builder, webnn_operand *input,
                                    const webnn_operator_options *options);
/* 8.9.41: two dimensions resized, half-pixel centres. */
WEBNN_API webnn_operand *webnn_resample2d(webnn_builder *builder, webnn_operand *input,
                                          const webnn_resample2d_options *options);
/* 8.9.42: the same elements in another shape; no copy. */
WEBNN_API webnn_operand *webnn_reshape(webnn_builder *builder, webnn_operand *input,
                                       webnn_list new_shape, const webnn_operator_options *options);
/* 8.9.43: the order of elements turned round along axes. */
WEBNN_API webnn_operand *webnn_reverse(webnn_builder *builder, webnn_operand *input,
                                       const webnn_reverse_options *options);
/* 8.9.44: a copy of x with y[c with c[axis] = indices[c]] = updates[c]; the last of equals wins. */
WEBNN_API webnn_operand *webnn_scatter_elements(webnn_builder *builder, webnn_operand *input,
                                                webnn_operand *indices, webnn_operand *updates,
                                                const webnn_scatter_options *options);
/* 8.9.45: a copy of x with the slices named by indices' last dimension replaced. */
WEBNN_API webnn_operand *webnn_scatter_nd(webnn_builder *builder, webnn_operand *input,
                                          webnn_operand *indices, webnn_operand *updates,
                                          const webnn_operator_options *options);
/* 8.9.46: 1 / (1 + e^-x). */
WEBNN_API webnn_operand *webnn_sigmoid(webnn_builder *builder, webnn_operand *input,
                                       const webnn_operator_options *options);
/* 8.9.47: elements starts, starts + strides, ... below starts + sizes of each dimension. */
WEBNN_API webnn_operand *webnn_slice(webnn_builder *builder, webnn_operand *input,
                                     webnn_list starts, webnn_list sizes,
                                     const webnn_slice_options *options);
/* 8.9.48: e^x / sum e^x along axis. */
WEBNN_API webnn_operand *webnn_softmax(webnn_builder *builder, webnn_operand *input, uint32_t axis,
                                       const webnn_operator_options *options);
/* 8.9.49: ln(1 + e^x); 8.9.50: x / (1 + |x|). */
WEBNN_API webnn_operand *webnn_softplus(webnn_builder *builder, webnn_operand *input,
                                        const webnn_operator_options *options);
WEBNN_API webnn_operand *webnn_softsign(webnn_builder *builder, webnn_operand *input,
                                        const webnn_operator_options *options);
/* 8.9.51: x cut along axis into `splits` equal parts, or into parts of the given sizes; outputs has
   room for as many. Returns their number; 0 on error, with all outputs NULL (only the first where
   `splits` is above 8192, since nobody has room for four billion). */
WEBNN_API size_t webnn_split(webnn_builder *builder, webnn_operand *input, uint32_t splits,
                             const webnn_split_options *options, webnn_operand **outputs);
WEBNN_API size_t webnn_split_sizes(webnn_builder *builder, webnn_operand *input, webnn_list splits,
                                   const webnn_split_options *options, webnn_operand **outputs);
/* 8.9.52. */
WEBNN_API webnn_operand *webnn_tanh(webnn_builder *builder, webnn_operand *input,
                                    const webnn_operator_options *options);
/* 8.9.53: x repeated along each dimension. */
WEBNN_API webnn_operand *webnn_tile(webnn_builder *builder, webnn_operand *input,
                                    webnn_list repetitions, const webnn_operator_options *options);
/* 8.9.54: dimension j of the result is dimension permutation[j] of x. */
WEBNN_API webnn_operand *webnn_transpose(webnn_builder *builder, webnn_operand *input,
                                         const webnn_transpose_options *options);
/* 8.9.55: the upper (or lower) triangle of the last two dimensions, 0 elsewhere. */
WEBNN_API webnn_operand *webnn_triangular(webnn_builder *builder, webnn_operand *input,
                                          const webnn_triangular_options *options);
/* 8.9.56: trueValue where condition is not 0, else falseValue, over the broadcast shape. */
WEBNN_API webnn_operand *webnn_where(webnn_builder *builder, webnn_operand *condition,
                                     webnn_operand *true_value, webnn_operand *false_value,
                                     const webnn_operator_options *options);

/* ---- Helpers the specification builds from reshape (11). ------------------------------------ */

/* The listed dimensions, which must be 1, left out; an absent list means all that are 1. */
WEBNN_API webnn_operand *webnn_squeeze(webnn_builder *builder, webnn_operand *input,
                                       webnn_list axes, const webnn_operator_options *options);
/* Dimensions of 1 put in so that they stand at the listed positions of the result. */
WEBNN_API webnn_operand *webnn_unsqueeze(webnn_builder *builder, webnn_operand *input,
                                         webnn_list axes, const webnn_operator_options *options);
/* [product of the dimensions before axis, product of the others]; axis 0 to rank. */
WEBNN_API webnn_operand *webnn_flatten(webnn_builder *builder, webnn_operand *input, uint32_t axis,
                                       const webnn_operator_options *options);

#endif /* WEBNN_H: stop here if the interface is all you came for */

#if defined(__INTELLISENSE__) || defined(__JETBRAINS_IDE__) || defined(__CLION_IDE__)
#define WEBNN_IMPLEMENTATION /* so that editors understand the second half */
#endif

#if defined(WEBNN_IMPLEMENTATION) && !defined(WEBNN_IMPLEMENTATION_INCLUDED)
#define WEBNN__IMPLEMENTING
/* Companions test this marker; it is also what keeps a second include from defining things
   twice. */
#define WEBNN_IMPLEMENTATION_INCLUDED

/* ==============================================================================================
   THE IMPLEMENTATION

   Fifteen chapters; search for the tag to jump. A chapter calls only the chapters above it; calls
   in the other direction go through the backend's table of functions.

      1  platform        >>platform     compilers, threads, processors
      2  memory          >>memory       the caller's allocator, arenas, checked sizes
      3  data types      >>types        the type table, IEEE bit patterns, one element, numbers
      4  errors          >>errors       messages
      5  shapes          >>shapes       dimensions, broadcasting, windows, reductions
      6  operator table  >>operators    what is true of an operator
      7  backend         >>backend      validated graphs, and who computes them
      8  builder         >>builder      one function for each method: validate, infer, connect;
   build 9  context         >>context      contexts, tensors, the timeline, support limits, printing
     10  exact numerics  >>exact        128-bit numbers rounded to odd, exact sums
     11  reference       >>reference    one kernel for each operator, reading like its formula
     12  compile         >>compile      passes over a graph, memory plan
     13  kernels         >>kernels      the fast ones
     14  execution       >>execution    running a plan; the CPU backend
     15  creation        >>creation     functions that name a backend
   ============================================================================================== */

#if defined(__STDC_VERSION__) && __STDC_VERSION__ < 199901L
#error "webnn.h needs C99 or newer, or C++17 or newer"
#endif

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==============================================================================================
   1  platform                                                                          >>platform

   The only place with #ifdefs of compilers and systems: assertions, locks, condition variables,
   threads, the number of processors, shared counters. Calls nothing of ours.
   ============================================================================================== */

#ifndef WEBNN_ASSERT
#include <assert.h>
#define WEBNN_ASSERT(x) assert(x)
#endif

/* Multiply-adds are fused where a kernel says so by name and nowhere else. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#if defined(WEBNN_NO_THREADS)

typedef struct webnn__mutex {
  int unused;
} webnn__mutex;
typedef webnn__mutex webnn__condition;

static bool webnn__mutex_create(webnn__mutex *mutex) {
  mutex->unused = 0;
  return true;
}
static void webnn__mutex_destroy(webnn__mutex *mutex) {
  (void)mutex;
}
static void webnn__mutex_lock(webnn__mutex *mutex) {
  (void)mutex;
}
static void webnn__mutex_unlock(webnn__mutex *mutex) {
  (void)mutex;
}
static bool webnn__condition_create(webnn__condition *condition) {
  condition->unused = 0;
  return true;
}
static void webnn__condition_destroy(webnn__condition *condition) {
  (void)condition;
}
static void webnn__condition_wait(webnn__condition *condition, webnn__mutex *mutex) {
  (void)condition;
  (void)mutex;
}
static void webnn__condition_broadcast(webnn__condition *condition) {
  (void)condition;
}

#elif defined(_WIN32)

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

typedef SRWLOCK webnn__mutex;
typedef CONDITION_VARIABLE webnn__condition;

static bool webnn__mutex_create(webnn__mutex *mutex) {
  InitializeSRWLock(mutex);
  return true;
}
static void webnn__mutex_destroy(webnn__mutex *mutex) {
  (void)mutex;
}
static void webnn__mutex_lock(webnn__mutex *mutex) {
  AcquireSRWLockExclusive(mutex);
}
static void webnn__mutex_unlock(webnn__mutex *mutex) {
  ReleaseSRWLockExclusive(mutex);
}
static bool webnn__condition_create(webnn__condition *condition) {
  InitializeConditionVariable(condition);
  return true;
}
static void webnn__condition_destroy(webnn__condition *condition) {
  (void)condition;
}
static void webnn__condition_wait(webnn__condition *condition, webnn__mutex *mutex) {
  (void)SleepConditionVariableSRW(condition, mutex, INFINITE, 0);
}
static void webnn__condition_broadcast(webnn__condition *condition) {
  WakeAllConditionVariable(condition);
}

#define WEBNN__THREADS
typedef struct webnn__thread {
  HANDLE handle;
  void (*entry)(void *data);
  void *data;
} webnn__thread;

static DWORD WINAPI webnn__thread_main(LPVOID thread) {
  ((webnn__thread *)thread)->entry(((webnn__thread *)thread)->data);
  return 0;
}
/* The thread object must stay where it is until the join. */
static bool webnn__thread_create(webnn__thread *thread, void (*entry)(void *), void *data) {
  thread->entry = entry;
  thread->data = data;
  thread->handle = CreateThread(NULL, 0, webnn__thread_main, thread, 0, NULL);
  return thread->handle != NULL;
}
static void webnn__thread_join(webnn__thread *thread) {
  (void)WaitForSingleObject(thread->handle, INFINITE);
  (void)CloseHandle(thread->handle);
}
static uint32_t webnn__processor_count(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwNumberOfProcessors > 0 ? (uint32_t)info.dwNumberOfProcessors : 1;
}

#else

#include <pthread.h>
#include <unistd.h>

typedef pthread_mutex_t webnn__mutex;
typedef pthread_cond_t webnn__condition;

static bool webnn__mutex_create(webnn__mutex *mutex) {
  return pthread_mutex_init(mutex, NULL) == 0;
}
static void webnn__mutex_destroy(webnn__mutex *mutex) {
  (void)pthread_mutex_destroy(mutex);
}
static void webnn__mutex_lock(webnn__mutex *mutex) {
  (void)pthread_mutex_lock(mutex);
}
static void webnn__mutex_unlock(webnn__mutex *mutex) {
  (void)pthread_mutex_unlock(mutex);
}
static bool webnn__condition_create(webnn__condition *condition) {
  return pthread_cond_init(condition, NULL) == 0;
}
static void webnn__condition_destroy(webnn__condition *condition) {
  (void)pthread_cond_destroy(condition);
}
static void webnn__condition_wait(webnn__condition *condition, webnn__mutex *mutex) {
  (void)pthread_cond_wait(condition, mutex);
}
static void webnn__condition_broadcast(webnn__condition *condition) {
  (void)pthread_cond_broadcast(condition);
}

#define WEBNN__THREADS
typedef struct webnn__thread {
  pthread_t handle;
  void (*entry)(void *data);
  void *data;
} webnn__thread;

static void *webnn__thread_main(void *thread) {
  ((webnn__thread *)thread)->entry(((webnn__thread *)thread)->data);
  return NULL;
}
/* The thread object must stay where it is until the join. */
static bool webnn__thread_create(webnn__thread *thread, void (*entry)(void *), void *data) {
  thread->entry = entry;
  thread->data = data;
  return pthread_create(&thread->handle, NULL, webnn__thread_main, thread) == 0;
}
static void webnn__thread_join(webnn__thread *thread) {
  (void)pthread_join(thread->handle, NULL);
}
static uint32_t webnn__processor_count(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint32_t)count : 1;
}

#endif

/* A counter that any thread may add one to, or read. */
static void webnn__count_one(uint32_t *counter) {
#if defined(__GNUC__)
  (void)__atomic_fetch_add(counter, 1U, __ATOMIC_RELAXED);
#elif defined(_WIN32) && defined(WEBNN__THREADS)
  (void)InterlockedIncrement((volatile LONG *)counter);
#else
  *counter += 1;
#endif
}

static uint32_t webnn__count_so_far(const uint32_t *counter) {
#if defined(__GNUC__)
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
#else
  return *(const volatile uint32_t *)counter;
#endif
}

/* ==============================================================================================
   2  memory                                                                              >>memory

   Everything the library allocates goes through the functions here. An arena hands out pieces that
   are all freed together; sizes are 64 bits wide and every product is checked. Calls chapter 1.
   ============================================================================================== */

#define WEBNN__ALIGNMENT 64 /* of tensors: a cache line, and the widest vector */

static void *webnn__default_allocate(void *user, size_t size) {
  (void)user;
  return malloc(size);
}

static void webnn__default_release(void *user, void *memory) {
  (void)user;
  free(memory);
}

/* size bytes, or NULL. A size of 0 is allowed and gives a pointer that must be released too. */
static void *webnn__allocate(const webnn_allocator *allocator, uint64_t size) {
  if (size > SIZE_MAX - WEBNN__ALIGNMENT) {
    return NULL;
  }
  return allocator->allocate(allocator->user, size > 0 ? (size_t)size : 1);
}

static void webnn__release(const webnn_allocator *allocator, void *memory) {
  if (memory != NULL) {
    allocator->release(allocator->user, memory);
  }
}

static void *webnn__allocate_zeroed(const webnn_allocator *allocator, uint64_t size) {
  void *memory = webnn__allocate(allocator, size);
  if (memory != NULL) {
    memset(memory, 0, (size_t)size);
  }
  return memory;
}

/* Aligned, zeroed memory for tensors: the pointer that the allocator gave stands just before. */
static void *webnn__allocate_aligned(const webnn_allocator *allocator, uint64_t size) {
  const size_t extra = WEBNN__ALIGNMENT + sizeof(void *);
  char *base, *aligned;
  if (size > SIZE_MAX - 2 * extra) {
    return NULL;
  }
  base = (char *)webnn__allocate_zeroed(allocator, size + extra);
  if (base == NULL) {
    return NULL;
  }
  aligned = base + sizeof(void *);
  aligned += (WEBNN__ALIGNMENT - (uintptr_t)aligned % WEBNN__ALIGNMENT) % WEBNN__ALIGNMENT;
  memcpy(aligned - sizeof(void *), &base, sizeof(void *));
  return aligned;
}

static void webnn__release_aligned(const webnn_allocator *allocator, void *memory) {
  if (memory != NULL) {
    void *base;
    memcpy(&base, (char *)memory - sizeof(void *), sizeof(void *));
    webnn__release(allocator, base);
  }
}

static bool webnn__multiply(uint64_t a, uint64_t b, uint64_t *product) {
  *product = a * b;
  return a == 0 || *product / a == b;
}

/* Pieces of memory that live and die together: a builder's operands, a graph's nodes. */
typedef struct webnn__chunk {
  struct webnn__chunk *next;
  size_t used, size;
} webnn__chunk;

typedef struct webnn__arena {
  const webnn_allocator *allocator;
  webnn__chunk *chunks;
} webnn__arena;

#define WEBNN__CHUNK_SIZE 16384

/* Zeroed memory, or NULL; a failure leaves the arena as it was. */
static void *webnn__arena_take(webnn__arena *arena, uint64_t size) {
  const uint64_t unit = 2 * sizeof(uint64_t);
  const uint64_t header = (sizeof(webnn__chunk) + unit - 1) / unit * unit;
  webnn__chunk *chunk = arena->chunks;
  void *memory;
  if (size > SIZE_MAX / 2) {
    return NULL;
  }
  size = (size + unit - 1) / unit * unit;
  if (chunk == NULL || chunk->size - chunk->used < size) {
    const uint64_t space = size > WEBNN__CHUNK_SIZE ? size : (uint64_t)WEBNN__CHUNK_SIZE;
    chunk = (webnn__chunk *)webnn__allocate(arena->allocator, header + space);
    if (chunk == NULL) {
      return NULL;
    }
    chunk->used = 0;
    chunk->size = (size_t)space;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
  }
  memory = (char *)chunk + header + chunk->used;
  chunk->used += (size_t)size;
  memset(memory, 0, (size_t)size);
  return memory;
}

static void webnn__arena_release(webnn__arena *arena) {
  while (arena->chunks != NULL) {
    webnn__chunk *next = arena->chunks->next;
    webnn__release(arena->allocator, arena->chunks);
    arena->chunks = next;
  }
}

/* A copy of a string in the arena; "" for NULL. */
static const char *webnn__arena_string(webnn__arena *arena, const char *text) {
  const size_t length = text != NULL ? strlen(text) : 0;
  char *copy = (char *)webnn__arena_take(arena, (uint64_t)length + 1);
  if (copy != NULL && length > 0) {
    memcpy(copy, text, length);
  }
  return copy;
}

/* ==============================================================================================
   3  data types                                                                           >>types

   The type table; IEEE bit patterns taken apart and put together with integers only; reading and
   writing one element of a tensor; option numbers cast to a type. Calls chapter 2.
   ============================================================================================== */

typedef struct webnn__shape {
  uint32_t rank;
  uint32_t dimensions[WEBNN_MAX_RANK];
} webnn__shape;

typedef struct webnn__type_info {
  const char *name;
  uint32_t bits;
  int fraction_bits, exponent_bits; /* of floats; 0 for integers */
  bool is_signed;
} webnn__type_info;

/* Indexed by webnn_data_type. */
static const webnn__type_info webnn__types[] = {
    {"unknown", 0, 0, 0, false}, {"float32", 32, 23, 8, true}, {"float16", 16, 10, 5, true},
    {"int32", 32, 0, 0, true},   {"uint32", 32, 0, 0, false},  {"int64", 64, 0, 0, true},
    {"uint64", 64, 0, 0, false}, {"int8", 8, 0, 0, true},      {"uint8", 8, 0, 0, false},
    {"int4", 4, 0, 0, true},     {"uint4", 4, 0, 0, false},
};
#define WEBNN__TYPE_COUNT (sizeof webnn__types / sizeof *webnn__types)

static const webnn__type_info *webnn__type(webnn_data_type type) {
  return &webnn__types[(size_t)type < WEBNN__TYPE_COUNT ? (size_t)type : 0];
}

static bool webnn__is_float(webnn_data_type type) {
  return webnn__type(type)->exponent_bits > 0;
}

static bool webnn__is_4bit(webnn_data_type type) {
  return webnn__type(type)->bits == 4;
}

WEBNN_API const char *webnn_data_type_name(webnn_data_type type) {
  return webnn__type(type)->name;
}

WEBNN_API uint32_t webnn_data_type_bits(webnn_data_type type) {
  return webnn__type(type)->bits;
}

WEBNN_API webnn_number webnn_f64(double value) {
  webnn_number number;
  number.value.f64 = value;
  number.kind = WEBNN_NUMBER_DOUBLE;
  return number;
}

WEBNN_API webnn_number webnn_i64(int64_t value) {
  webnn_number number;
  number.value.i64 = value;
  number.kind = WEBNN_NUMBER_INT64;
  return number;
}

WEBNN_API webnn_number webnn_u64(uint64_t value) {
  webnn_number number;
  number.value.u64 = value;
  number.kind = WEBNN_NUMBER_UINT64;
  return number;
}

/* ---- IEEE bit patterns ---------------------------------------------------------------------- */

/* The three float formats of this library differ in two numbers only: how many bits hold the
 * fraction and how many hold the exponent.
 *
 *     format      fraction_bits  exponent_bits
 *     float32          23              8
 *     float16          10              5
 *     bfloat16          7              8
 *     float64          52             11        (can be read here, not written)
 *
 * A pattern is [sign][exponent field][fraction]. With bias = 2^(exponent_bits - 1) - 1:
 *
 *     field = 0          value = fraction * 2^(1 - bias - fraction_bits)   (subnormal or zero)
 *     field = all ones   infinity if fraction = 0, else NaN
 *     otherwise          value = (2^fraction_bits + fraction) * 2^(field - bias - fraction_bits)
 *
 * Reading and writing with integers alone gives the same bits on every machine, whatever its
 * floating-point unit or the compiler's options do. */
enum { WEBNN__ZERO, WEBNN__FINITE, WEBNN__INFINITE, WEBNN__NAN };

/* value = (-1)^negative * significand * 2^exponent; the significand is 0 unless kind is FINITE. */
typedef struct webnn__float_parts {
  uint64_t significand;
  int32_t exponent;
  uint8_t kind;
  uint8_t negative;
} webnn__float_parts;

/* The number of zero bits above the highest one bit. Method: halve the search window, 32 to 1.
   Exact. x must not be 0. */
static int webnn__leading_zeros(uint64_t x) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_clzll(x);
#else
  int count = 0;
  for (int width = 32; width != 0; width >>= 1) {
    if ((x >> (64 - width)) == 0) {
      x <<= width;
      count += width;
    }
  }
  return count;
#endif
}

/* parts = the number a bit pattern stands for. Method: the table above, field by field. Exact,
   because every finite pattern is an integer times a power of two. */
static webnn__float_parts webnn__decode_float(uint64_t bits, int fraction_bits, int exponent_bits) {
  const uint64_t hidden = (uint64_t)1 << fraction_bits;
  const uint64_t fraction = bits & (hidden - 1);
  const int32_t field_max = (int32_t)(((uint32_t)1 << exponent_bits) - 1);
  const int32_t field = (int32_t)((bits >> fraction_bits) & (uint64_t)field_max);
  const int32_t bias = field_max / 2;
  webnn__float_parts parts;
  parts.significand = 0;
  parts.exponent = 0;
  parts.negative = (uint8_t)((bits >> (fraction_bits + exponent_bits)) & 1);
  if (field == field_max) {
    parts.kind = (uint8_t)(fraction != 0 ? WEBNN__NAN : WEBNN__INFINITE);
  } else if (field == 0 && fraction == 0) {
    parts.kind = WEBNN__ZERO;
  } else {
    parts.kind = WEBNN__FINITE;
    parts.significand = field == 0 ? fraction : fraction | hidden;
    parts.exponent = (field == 0 ? 1 : field) - bias - fraction_bits;
  }
  return parts;
}

/* bits = round_to_nearest_even((significand + d) * 2^exponent), where d = 0, or, if sticky, some
   unknown 0 < d < 1. With sticky the significand must be at least 2^(fraction_bits + 2), so that
   the unknown part lies below the rounding position (or be 0: then the answer is a signed zero).

   Method: shift the significand up against bit 63; then `drop` low bits have to go: 63 -
   fraction_bits for a normal result and one more for every binade below the normal range. Compare
   what goes with one half. The kept part is added to the exponent field instead of being or-ed into
   it: a carry out of the fraction then moves to the next binade, from the subnormals to the normals
   and from the largest number to infinity, just as IEEE 754 wants.

   Error: at most half a unit in the last place, ties to even; this is the definition. */
static uint32_t webnn__encode_float(bool negative, uint64_t significand, int32_t exponent,
                                    bool sticky, int fraction_bits, int exponent_bits) {
  const uint32_t sign = (uint32_t)negative << (fraction_bits + exponent_bits);
  const uint32_t field_max = ((uint32_t)1 << exponent_bits) - 1;
  const int64_t bias = (int64_t)(field_max / 2);
  if (significand == 0)
    return sign;
  const int shift = webnn__leading_zeros(significand);
  const uint64_t top = significand << shift;             /* value = top * 2^(binade - 63) */
  const int64_t binade = (int64_t)exponent + 63 - shift; /* 2^binade <= value < 2^(binade + 1) */
  const int64_t below = binade < 1 - bias ? 1 - bias - binade : 0; /* binades below normal */
  const int64_t drop = 63 - fraction_bits + below;
  if (binade > bias)
    return sign | (field_max << fraction_bits);
  if (drop > 64)
    return sign; /* below half of the smallest subnormal */
  uint32_t kept = drop == 64 ? 0 : (uint32_t)(top >> drop);
  const uint64_t gone = drop == 64 ? top : top << (64 - drop); /* in units of 2^-64 of the last */
  const uint64_t half = (uint64_t)1 << 63;
  if (gone > half || (gone == half && (sticky || (kept & 1) != 0)))
    kept += 1;
  /* A normal `kept` has its hidden bit, which adds the one that the field lacks here. */
  const uint32_t field = below > 0 ? 0 : (uint32_t)(binade + bias - 1);
  return sign | ((field << fraction_bits) + kept);
}

/* float32 bits of a float16. Exact, because float32 has more of both kinds of bits. A subnormal
   float16 is a normal float32; a NaN keeps its payload in the high bits. */
static uint32_t webnn__f16_to_f32_bits(uint16_t bits) {
  const uint32_t sign = (uint32_t)(bits >> 15) << 31;
  const uint32_t field = (uint32_t)(bits >> 10) & 31;
  const uint32_t fraction = (uint32_t)bits & 1023;
  if (field == 31)
    return sign | 0x7f800000U | (fraction << 13);
  if (field != 0)
    return sign | ((field + 112) << 23) | (fraction << 13); /* 112 = 127 - 15 */
  return webnn__encode_float(sign != 0, fraction, -24, false, 23, 8);
}

WEBNN_API uint16_t webnn_float32_to_float16(float value) {
  uint32_t bits;
  webnn__float_parts parts;
  memcpy(&bits, &value, sizeof bits);
  parts = webnn__decode_float(bits, 23, 8);
  switch (parts.kind) {
  case WEBNN__NAN:
    return 0x7e00;
  case WEBNN__INFINITE:
    return (uint16_t)(parts.negative ? 0xfc00 : 0x7c00);
  default:
    return (uint16_t)webnn__encode_float(parts.negative != 0, parts.significand, parts.exponent,
                                         false, 10, 5);
  }
}

/* The same from and to bits, for kernels. */
static inline uint16_t webnn__f32_bits_to_f16(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return webnn_float32_to_float16(value);
}

WEBNN_API float webnn_float16_to_float32(uint16_t bits) {
  const uint32_t wide = webnn__f16_to_f32_bits(bits);
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

/* ---- One element ---------------------------------------------------------------------------- */

/* The bits of element `index`, in the low end of the result. Two 4-bit elements share a byte, the
   first in bits 0-3. */
static uint64_t webnn__get_bits(const void *data, webnn_data_type type, uint64_t index) {
  const unsigned char *bytes = (const unsigned char *)data;
  switch (webnn__type(type)->bits) {
  case 4:
    return (uint64_t)(bytes[index / 2] >> (index % 2 * 4) & 15);
  case 8:
    return bytes[index];
  case 16: {
    uint16_t value;
    memcpy(&value, bytes + 2 * index, 2);
    return value;
  }
  case 32: {
    uint32_t value;
    memcpy(&value, bytes + 4 * index, 4);
    return value;
  }
  default: {
    uint64_t value;
    memcpy(&value, bytes + 8 * index, 8);
    return value;
  }
  }
}

static void webnn__set_bits(void *data, webnn_data_type type, uint64_t index, uint64_t bits) {
  unsigned char *bytes = (unsigned char *)data;
  switch (webnn__type(type)->bits) {
  case 4: {
    const unsigned shift = (unsigned)(index % 2 * 4);
    bytes[index / 2] =
        (unsigned char)((bytes[index / 2] & ~(15u << shift)) | ((unsigned)bits & 15u) << shift);
    break;
  }
  case 8:
    bytes[index] = (unsigned char)bits;
    break;
  case 16: {
    const uint16_t value = (uint16_t)bits;
    memcpy(bytes + 2 * index, &value, 2);
    break;
  }
  case 32: {
    const uint32_t value = (uint32_t)bits;
    memcpy(bytes + 4 * index, &value, 4);
    break;
  }
  default:
    memcpy(bytes + 8 * index, &bits, 8);
  }
}

/* The low `bits` bits of a two's complement number, extended to 64. */
static int64_t webnn__sign_extend(uint64_t value, uint32_t bits) {
  const uint64_t sign = (uint64_t)1 << (bits - 1);
  value &= sign | (sign - 1);
  return (int64_t)((value ^ sign) - sign);
}

static int64_t webnn__get_int(const void *data, webnn_data_type type, uint64_t index) {
  const uint64_t bits = webnn__get_bits(data, type, index);
  const webnn__type_info *info = webnn__type(type);
  return info->is_signed ? webnn__sign_extend(bits, info->bits) : (int64_t)bits;
}

/* ---- Option numbers ------------------------------------------------------------------------- */

static webnn__float_parts webnn__number_parts(webnn_number number) {
  webnn__float_parts parts;
  uint64_t bits;
  if (number.kind == WEBNN_NUMBER_DOUBLE) {
    memcpy(&bits, &number.value.f64, sizeof bits);
    return webnn__decode_float(bits, 52, 11);
  }
  parts.negative = number.kind == WEBNN_NUMBER_INT64 && number.value.i64 < 0;
  parts.significand = parts.negative ? 0 - (uint64_t)number.value.i64 : number.value.u64;
  parts.exponent = 0;
  parts.kind = parts.significand == 0 ? WEBNN__ZERO : WEBNN__FINITE;
  return parts;
}

static webnn_number webnn__infinity(bool negative) {
  const uint64_t bits = (uint64_t)(negative ? 0xfff : 0x7ff) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return webnn_f64(value);
}

/* |value| rounded to an integer, halves to even; saturates at 2^64 - 1. */
static uint64_t webnn__rounded_magnitude(webnn__float_parts parts) {
  uint64_t whole, rest, half;
  if (parts.kind == WEBNN__INFINITE) {
    return UINT64_MAX;
  }
  if (parts.kind != WEBNN__FINITE || parts.exponent < -63 - 11) {
    return 0;
  }
  if (parts.exponent >= 0) {
    return parts.exponent >= 64 || parts.significand > UINT64_MAX >> parts.exponent
               ? UINT64_MAX
               : parts.significand << parts.exponent;
  }
  if (parts.exponent <= -64) {
    return 0;
  }
  whole = parts.significand >> -parts.exponent;
  rest = parts.significand - (whole << -parts.exponent);
  half = (uint64_t)1 << (-parts.exponent - 1);
  return whole + (rest > half || (rest == half && whole % 2 == 1) ? 1 : 0);
}

/* Casting a number to a data type (8.9.3.3 and every double or MLNumber option): floats to the
   nearest value, ties to even, overflowing to infinity; integers clamped to the type's range and
   rounded, ties to even, NaN to 0. Gives the bits of one element. */
static uint64_t webnn__cast_number(webnn_number number, webnn_data_type type) {
  const webnn__type_info *info = webnn__type(type);
  const webnn__float_parts parts = webnn__number_parts(number);
  uint64_t magnitude, limit;
  if (info->exponent_bits > 0) {
    const uint64_t infinity = (((uint64_t)1 << info->exponent_bits) - 1) << info->fraction_bits;
    const uint64_t sign = (uint64_t)(parts.negative != 0) << (info->bits - 1);
    if (parts.kind == WEBNN__NAN) {
      return infinity | (uint64_t)1 << (info->fraction_bits - 1);
    }
    return parts.kind == WEBNN__INFINITE
               ? sign | infinity
               : webnn__encode_float(parts.negative != 0, parts.significand, parts.exponent, false,
                                     info->fraction_bits, info->exponent_bits);
  }
  magnitude = parts.kind == WEBNN__NAN ? 0 : webnn__rounded_magnitude(parts);
  if (info->is_signed) {
    limit = ((uint64_t)1 << (info->bits - 1)) - (parts.negative ? 0 : 1);
  } else {
    limit = parts.negative ? 0 : UINT64_MAX >> (64 - info->bits);
  }
  magnitude = magnitude > limit ? limit : magnitude;
  return (parts.negative ? 0 - magnitude : magnitude) & UINT64_MAX >> (64 - info->bits);
}

/* a > b for two elements of a type; false with NaN. Floats are compared as sign and magnitude. */
static bool webnn__bits_greater(uint64_t a, uint64_t b, webnn_data_type type) {
  const webnn__type_info *info = webnn__type(type);
  const uint64_t sign = (uint64_t)1 << (info->bits - 1);
  if (info->exponent_bits > 0) {
    const uint64_t infinity = (((uint64_t)1 << info->exponent_bits) - 1) << info->fraction_bits;
    const uint64_t p = a & (sign - 1), q = b & (sign - 1);
    if (p > infinity || q > infinity) {
      return false;
    }
    return ((a & sign) != 0 ? -(int64_t)p : (int64_t)p) >
           ((b & sign) != 0 ? -(int64_t)q : (int64_t)q);
  }
  return info->is_signed ? webnn__sign_extend(a, info->bits) > webnn__sign_extend(b, info->bits)
                         : a > b;
}

/* ==============================================================================================
   4  errors                                                                              >>errors

   Messages are written by a formatter of our own: it knows shapes and data types, escapes what
   would disturb a terminal, and can count before it writes. Calls chapters 2 and 3.
   ============================================================================================== */

WEBNN_API const char *webnn_status_name(webnn_status status) {
  static const char *const names[] = {
      "", "TypeError", "InvalidStateError", "NotSupportedError", "OperationError", "UnknownError"};
  return (unsigned)status < sizeof names / sizeof *names ? names[status] : "";
}

/* Text as it is written: characters past the capacity are counted and dropped. */
typedef struct webnn__text {
  char *data;
  size_t capacity, length;
} webnn__text;

static void webnn__put(webnn__text *text, const char *bytes, size_t count) {
  size_t i;
  for (i = 0; i < count; i++, text->length++) {
    if (text->length < text->capacity) {
      text->data[text->length] = bytes[i];
    }
  }
}

static void webnn__put_string(webnn__text *text, const char *string) {
  webnn__put(text, string, strlen(string));
}

static void webnn__put_u64(webnn__text *text, uint64_t value) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  webnn__put(text, digits + at, sizeof digits - at);
}

static void webnn__put_shape(webnn__text *text, const uint32_t *dimensions, size_t rank) {
  size_t i;
  webnn__put_string(text, "[");
  for (i = 0; i < rank; i++) {
    if (i > 0) {
      webnn__put_string(text, ", ");
    }
    webnn__put_u64(text, dimensions[i]);
  }
  webnn__put_string(text, "]");
}

/* Control characters, and the bidirectional ones U+202A-202E and U+2066-2069 (E2 80 AA-AE and
   E2 81 A6-A9 in UTF-8), could make a message show what it does not say: they come out as \xNN. */
static bool webnn__is_dangerous(const unsigned char *s, size_t *length) {
  *length = 1;
  if (s[0] < 0x20 || s[0] == 0x7f) {
    return true;
  }
  if (s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f) {
    *length = 2;
    return true;
  }
  if (s[0] == 0xe2 && ((s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae) ||
                       (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9))) {
    *length = 3;
    return true;
  }
  return false;
}

static void webnn__put_quoted(webnn__text *text, const char *string) {
  static const char hex[] = "0123456789abcdef";
  const unsigned char *s = (const unsigned char *)string;
  webnn__put_string(text, "\"");
  while (*s != 0) {
    size_t length, i;
    if (webnn__is_dangerous(s, &length)) {
      for (i = 0; i < length; i++) {
        char escape[4];
        escape[0] = '\\';
        escape[1] = 'x';
        escape[2] = hex[s[i] >> 4];
        escape[3] = hex[s[i] & 15];
        webnn__put(text, escape, 4);
      }
    } else {
      webnn__put(text, (const char *)s, 1);
    }
    s += length;
  }
  webnn__put_string(text, "\"");
}

/* What snprintf wrote, whatever the program's locale has for a decimal point. */
static void webnn__put_digits(webnn__text *text, const char *digits) {
  for (; *digits != 0; digits++) {
    if (strchr("+-0123456789einfa", *digits) != NULL) {
      webnn__put(text, digits, 1);
    } else if (digits[1] >= '0' && digits[1] <= '9') { /* the last byte of the point */
      webnn__put(text, ".", 1);
    }
  }
}

/* The shortest digits that read back as the same number (float: as a float), found by trying. */
static void webnn__put_double(webnn__text *text, double value, bool single) {
  char digits[40];
  int precision;
  for (precision = 1; precision <= 17; precision++) {
    double back;
    (void)snprintf(digits, sizeof digits, "%.*g", precision, value);
    back = strtod(digits, NULL);
    if (back == value || (single && (float)back == (float)value)) {
      break;
    }
  }
  webnn__put_digits(text, digits);
}

static void webnn__put_i64(webnn__text *text, int64_t value) {
  webnn__put_string(text, value < 0 ? "-" : "");
  webnn__put_u64(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void webnn__put_number(webnn__text *text, const webnn_number *number) {
  if (number->kind == WEBNN_NUMBER_DOUBLE) {
    webnn__put_double(text, number->value.f64, false);
  } else if (number->kind == WEBNN_NUMBER_INT64) {
    webnn__put_i64(text, number->value.i64);
  } else {
    webnn__put_u64(text, number->value.u64);
  }
}

/* One element as a decimal: integers exactly, floats with the digits that tell them apart. */
static void webnn__put_element(webnn__text *text, uint64_t bits, webnn_data_type type) {
  const webnn__type_info *info = webnn__type(type);
  if (info->exponent_bits > 0) {
    const uint32_t single =
        type == WEBNN_FLOAT16 ? webnn__f16_to_f32_bits((uint16_t)bits) : (uint32_t)bits;
    float value;
    memcpy(&value, &single, sizeof value);
    webnn__put_double(text, (double)value, true);
  } else if (info->is_signed) {
    webnn__put_i64(text, webnn__sign_extend(bits, info->bits));
  } else {
    webnn__put_u64(text, bits);
  }
}

/* A list as it was given, cut after 16 items. */
static void webnn__put_list(webnn__text *text, const webnn_list *list) {
  const size_t shown = list->count < 16 ? list->count : 16;
  webnn__put_shape(text, list->items, shown);
  webnn__put_string(text, shown < list->count ? "..." : "");
}

/* Why a shape is refused: a text with room for what was found and for the limit. */
typedef struct webnn__reason {
  const char *format; /* NULL: nothing is wrong; else two %l or none */
  uint64_t found, limit;
} webnn__reason;

static void webnn__format(webnn__text *text, const char *format, va_list arguments);

static void webnn__put_formatted(webnn__text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn__format(text, format, arguments);
  va_end(arguments);
}

/* %s string, %q quoted and escaped string, %u uint32_t, %l uint64_t, %t webnn_data_type;
   by pointer %d webnn__shape, %a webnn_list, %n webnn_number, %r webnn__reason;
   %e an element: its bits and its data type. */
static void webnn__format(webnn__text *text, const char *format, va_list arguments) {
  for (; *format != 0; format++) {
    if (*format != '%') {
      webnn__put(text, format, 1);
      continue;
    }
    switch (*++format) {
    case '%':
      webnn__put_string(text, "%");
      break;
    case 's':
      webnn__put_string(text, va_arg(arguments, const char *));
      break;
    case 'q':
      webnn__put_quoted(text, va_arg(arguments, const char *));
      break;
    case 'u':
      webnn__put_u64(text, va_arg(arguments, uint32_t));
      break;
    case 'l':
      webnn__put_u64(text, va_arg(arguments, uint64_t));
      break;
    case 't':
      webnn__put_string(text, webnn_data_type_name((webnn_data_type)va_arg(arguments, int)));
      break;
    case 'a':
      webnn__put_list(text, va_arg(arguments, const webnn_list *));
      break;
    case 'n':
      webnn__put_number(text, va_arg(arguments, const webnn_number *));
      break;
    case 'r': {
      const webnn__reason *reason = va_arg(arguments, const webnn__reason *);
      webnn__put_formatted(text, reason->format, reason->found, reason->limit);
      break;
    }
    case 'e': {
      const uint64_t bits = va_arg(arguments, uint64_t);
      webnn__put_element(text, bits, (webnn_data_type)va_arg(arguments, int));
      break;
    }
    case 'd': {
      const webnn__shape *shape = va_arg(arguments, const webnn__shape *);
      webnn__put_shape(text, shape->dimensions, shape->rank);
      break;
    }
    default:
      WEBNN_ASSERT(false && "unknown directive");
    }
  }
}

/* Copies a message into the caller's error; cut, if it must be, between UTF-8 characters. */
static webnn_status webnn__set_error(webnn_error *error, webnn_status status, const char *message) {
  if (error != NULL) {
    size_t length = strlen(message);
    if (length >= sizeof error->message) {
      length = sizeof error->message - 1;
      while (length > 0 && ((unsigned char)message[length] & 0xc0) == 0x80) {
        length--;
      }
    }
    error->status = status;
    memcpy(error->message, message, length);
    error->message[length] = 0;
  }
  return status;
}

static webnn_status webnn__fail(webnn_error *error, webnn_status status, const char *format, ...) {
  char message[sizeof error->message * 2];
  webnn__text text;
  va_list arguments;
  text.data = message;
  text.capacity = sizeof message - 1;
  text.length = 0;
  va_start(arguments, format);
  webnn__format(&text, format, arguments);
  va_end(arguments);
  message[text.length < text.capacity ? text.length : text.capacity] = 0;
  return webnn__set_error(error, status, message);
}

static webnn_status webnn__succeed(webnn_error *error) {
  return webnn__set_error(error, WEBNN_OK, "");
}

static webnn_status webnn__out_of_memory(webnn_error *error, const char *method) {
  return webnn__fail(error, WEBNN_UNKNOWN_ERROR, "%s: out of memory", method);
}

/* ==============================================================================================
   5  shapes                                                                              >>shapes

   Sizes of results, all in 64 bits and checked; broadcasting (9.1); window and reduction sizes; the
   walk over coordinates that the reference kernels use. Calls chapters 2 and 3.
   ============================================================================================== */

#define WEBNN__MAX_DIMENSION 2147483647u /* 2^31 - 1: a valid dimension is 1 to this */
#define WEBNN__MAX_TENSOR_COUNT 8192u    /* inputs of concat, outputs of split */

/* The number of elements; 0 if there is a 0 among the dimensions or the product passes 64 bits. */
static uint64_t webnn__element_count(const webnn__shape *shape) {
  uint64_t count = 1;
  uint32_t i;
  for (i = 0; i < shape->rank; i++) {
    if (!webnn__multiply(count, shape->dimensions[i], &count)) {
      return 0;
    }
  }
  return count;
}

/* Rounded up to whole bytes, for 4-bit types. The count is at most 2^31 - 1. */
static uint64_t webnn__bytes_of(webnn_data_type type, uint64_t count) {
  return (count * webnn_data_type_bits(type) + 7) / 8;
}

static bool webnn__same_shape(const webnn__shape *a, const webnn__shape *b) {
  return a->rank == b->rank &&
         memcmp(a->dimensions, b->dimensions, a->rank * sizeof *a->dimensions) == 0;
}

static webnn__shape webnn__shape_1(uint32_t a) {
  webnn__shape shape;
  memset(&shape, 0, sizeof shape);
  shape.rank = 1;
  shape.dimensions[0] = a;
  return shape;
}

static webnn__shape webnn__shape_2(uint32_t a, uint32_t b) {
  webnn__shape shape = webnn__shape_1(a);
  shape.rank = 2;
  shape.dimensions[1] = b;
  return shape;
}

static webnn__shape webnn__shape_3(uint32_t a, uint32_t b, uint32_t c) {
  webnn__shape shape = webnn__shape_2(a, b);
  shape.rank = 3;
  shape.dimensions[2] = c;
  return shape;
}

static webnn__shape webnn__shape_4(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  webnn__shape shape = webnn__shape_3(a, b, c);
  shape.rank = 4;
  shape.dimensions[3] = d;
  return shape;
}

/* Dimension i of a shape seen with `rank` dimensions, aligned at the right, 1 in front. */
static uint32_t webnn__aligned_dimension(const webnn__shape *shape, uint32_t rank, uint32_t i) {
  return i + shape->rank < rank ? 1 : shape->dimensions[i + shape->rank - rank];
}

/* Bidirectional broadcasting (9.1.2): equal dimensions, or one of them is 1. */
static bool webnn__broadcast(const webnn__shape *a, const webnn__shape *b, webnn__shape *result) {
  webnn__shape shape;
  uint32_t i;
  memset(&shape, 0, sizeof shape);
  shape.rank = a->rank > b->rank ? a->rank : b->rank;
  for (i = 0; i < shape.rank; i++) {
    const uint32_t p = webnn__aligned_dimension(a, shape.rank, i);
    const uint32_t q = webnn__aligned_dimension(b, shape.rank, i);
    if (p != q && p != 1 && q != 1) {
      return false;
    }
    shape.dimensions[i] = p > q ? p : q;
  }
  *result = shape;
  return true;
}

/* Unidirectional broadcasting (9.1.1): can `from` be repeated to `to`? */
static bool webnn__broadcasts_to(const webnn__shape *from, const webnn__shape *to) {
  uint32_t i;
  if (from->rank > to->rank) {
    return false;
  }
  for (i = 0; i < to->rank; i++) {
    const uint32_t p = webnn__aligned_dimension(from, to->rank, i);
    if (p != to->dimensions[i] && p != 1) {
      return false;
    }
  }
  return true;
}

/* Blockwise broadcasting (9.1.3): each element of `from` serves a whole block of `to`. */
static bool webnn__blockwise_to(const webnn__shape *from, const webnn__shape *to) {
  uint32_t i;
  if (from->rank != to->rank) {
    return false;
  }
  for (i = 0; i < to->rank; i++) {
    if (from->dimensions[i] == 0 || to->dimensions[i] % from->dimensions[i] != 0) {
      return false;
    }
  }
  return true;
}

/* A list of axes as a set of bits; false for a repeated axis or one not below rank. An absent list
   is `absent`. */
static bool webnn__axis_set(webnn_list axes, uint32_t rank, uint32_t absent, uint32_t *set) {
  size_t i;
  *set = absent;
  if (axes.items == NULL) {
    return true;
  }
  *set = 0;
  for (i = 0; i < axes.count; i++) {
    if (axes.items[i] >= rank || (*set >> axes.items[i] & 1) != 0) {
      return false;
    }
    *set |= 1u << axes.items[i];
  }
  return true;
}

/* The shape after reducing a set of axes: removed, or kept as 1. */
static webnn__shape webnn__reduced_shape(const webnn__shape *shape, uint32_t axes, bool keep) {
  webnn__shape result;
  uint32_t i;
  memset(&result, 0, sizeof result);
  for (i = 0; i < shape->rank; i++) {
    if ((axes >> i & 1) == 0) {
      result.dimensions[result.rank++] = shape->dimensions[i];
    } else if (keep) {
      result.dimensions[result.rank++] = 1;
    }
  }
  return result;
}

/* Rows of a sliding window: floor or ceiling of (in - effective + begin + end) / stride, plus 1,
   with effective = (window - 1) dilation + 1 (8.9.10, 8.9.37). 0 if that is not positive or does
   not fit. All arguments are below 2^32, so the sums fit in 65 bits: (window - 1) dilation < 2^64
   is taken apart to stay within 64. */
static uint64_t webnn__window_size(uint32_t in, uint32_t window, uint32_t begin, uint32_t end,
                                   uint32_t stride, uint32_t dilation, bool ceiling) {
  const uint64_t padded = (uint64_t)in + begin + end;
  const uint64_t reach = (uint64_t)(window - 1) * dilation; /* effective - 1 */
  if (reach >= padded) {
    /* The window does not fit. Floor: nothing. Ceiling: one row while the shortfall < stride. */
    return ceiling && reach + 1 - padded < stride ? 1 : 0;
  }
  return ceiling ? (padded - reach - 1 + stride - 1) / stride + 1
                 : (padded - reach - 1) / stride + 1;
}

/* Rows of a transposed convolution: (in - 1) stride + effective - begin - end (8.9.11); may be
   negative or zero. Every term is below 2^64, so 128 bits would always do; saturating is enough,
   because anything above 2^31 - 1 is refused. */
static int64_t webnn__transposed_size(uint32_t in, uint32_t window, uint32_t begin, uint32_t end,
                                      uint32_t stride, uint32_t dilation) {
  const uint64_t limit = (uint64_t)1 << 61;
  uint64_t full = (uint64_t)(in - 1) * stride;
  uint64_t reach = (uint64_t)(window - 1) * dilation;
  full = full > limit ? limit : full;
  reach = reach > limit ? limit : reach;
  return (int64_t)(full + reach + 1) - (int64_t)begin - (int64_t)end;
}

/* ---- Walking over elements ------------------------------------------------------------------ */

/* Strides in elements of a row-major tensor. */
static void webnn__row_major(const webnn__shape *shape, int64_t *strides) {
  int64_t step = 1;
  uint32_t i;
  for (i = shape->rank; i-- > 0;) {
    strides[i] = step;
    step *= (int64_t)shape->dimensions[i];
  }
}

/* Strides with which a tensor is read when broadcast to `to`: 0 along repeated dimensions. */
static void webnn__broadcast_strides(const webnn__shape *from, const webnn__shape *to,
                                     int64_t *strides) {
  int64_t own[WEBNN_MAX_RANK];
  uint32_t i;
  webnn__row_major(from, own);
  for (i = 0; i < to->rank; i++) {
    const bool repeated = webnn__aligned_dimension(from, to->rank, i) == 1;
    strides[i] = repeated ? 0 : own[i + from->rank - to->rank];
  }
}

/* The coordinates of element `index` in row-major order. */
static void webnn__coordinates(const webnn__shape *shape, uint64_t index, uint32_t *coordinates) {
  uint32_t i;
  for (i = shape->rank; i-- > 0;) {
    coordinates[i] = (uint32_t)(index % shape->dimensions[i]);
    index /= shape->dimensions[i];
  }
}

/* The next coordinates in row-major order. */
static void webnn__advance(const webnn__shape *shape, uint32_t *coordinates) {
  uint32_t i;
  for (i = shape->rank; i-- > 0;) {
    if (++coordinates[i] < shape->dimensions[i]) {
      return;
    }
    coordinates[i] = 0;
  }
}

/* Sum of coordinate times stride. */
static int64_t webnn__offset(uint32_t rank, const uint32_t *coordinates, const int64_t *strides) {
  int64_t offset = 0;
  uint32_t i;
  for (i = 0; i < rank; i++) {
    offset += (int64_t)coordinates[i] * strides[i];
  }
  return offset;
}

/* ==============================================================================================
   6  operator table                                                                   >>operators

   WEBNN_OPERATORS from the interface, as data: operands with their types and ranks, and options
   with their place in webnn__attributes. Calls chapters 3 and 5.
   ============================================================================================== */

/* The options of one operator after validation: defaults filled in, numbers cast. One struct for
   all operators; each uses the members that its row of the table names. Numbers are the bits of an
   element of operand 0's type. */
typedef struct webnn__attributes {
  webnn__shape axes, padding, strides, dilations, window, sizes, starts;
  uint64_t alpha, beta, epsilon;
  uint32_t axis, groups, steps, hidden_size, direction;
  uint32_t input_layout, filter_layout, gate_layout, mode;
  uint32_t activations[3];
  int32_t diagonal;
  webnn_data_type data_type;
  bool keep_dimensions, exclusive, reversed, a_transpose, b_transpose, reset_after, return_sequence,
      upper;
} webnn__attributes;

/* How an attribute is printed. */
typedef enum webnn__option_kind {
  WEBNN__OPTION_BOOL = 1,
  WEBNN__OPTION_U32,
  WEBNN__OPTION_I32,
  WEBNN__OPTION_LIST,
  WEBNN__OPTION_SCALAR,
  WEBNN__OPTION_DATA_TYPE,
  WEBNN__OPTION_INPUT_LAYOUT,
  WEBNN__OPTION_FILTER_LAYOUT,
  WEBNN__OPTION_GRU_LAYOUT,
  WEBNN__OPTION_LSTM_LAYOUT,
  WEBNN__OPTION_DIRECTION,
  WEBNN__OPTION_PADDING_MODE,
  WEBNN__OPTION_INTERPOLATION_MODE,
  WEBNN__OPTION_ACTIVATIONS
} webnn__option_kind;

typedef struct webnn__option {
  const char *name;
  webnn__option_kind kind;
  size_t offset;
} webnn__option;

/* Sets of data types: one bit each. WEBNN__TYPES_AS(n) is the type of operand n. */
#define WEBNN__BIT(type) (1u << WEBNN_##type)
#define WEBNN__TYPES_AS(n) (0x80000000u | (uint32_t)(n))
#define WEBNN__TYPES_FLOATS (WEBNN__BIT(FLOAT32) | WEBNN__BIT(FLOAT16))
#define WEBNN__TYPES_UINT8 WEBNN__BIT(UINT8)
#define WEBNN__TYPES_INT32_INT64 (WEBNN__BIT(INT32) | WEBNN__BIT(INT64))
#define WEBNN__TYPES_INDICES (WEBNN__BIT(INT32) | WEBNN__BIT(UINT32) | WEBNN__BIT(INT64))
#define WEBNN__TYPES_SIGNED (WEBNN__TYPES_FLOATS | WEBNN__TYPES_INT32_INT64 | WEBNN__BIT(INT8))
#define WEBNN__TYPES_FLOATS_INTS                                                                   \
  (WEBNN__TYPES_FLOATS | WEBNN__TYPES_INT32_INT64 | WEBNN__BIT(UINT32) | WEBNN__BIT(UINT64))
#define WEBNN__TYPES_FLOATS_BYTES (WEBNN__TYPES_FLOATS | WEBNN__BIT(INT8) | WEBNN__BIT(UINT8))
#define WEBNN__TYPES_ANY (WEBNN__TYPES_FLOATS_INTS | WEBNN__BIT(INT8) | WEBNN__BIT(UINT8))
#define WEBNN__TYPES_4BIT (WEBNN__BIT(INT4) | WEBNN__BIT(UINT4))
#define WEBNN__TYPES_ANY_AND_4BIT (WEBNN__TYPES_ANY | WEBNN__TYPES_4BIT)
#define WEBNN__TYPES_QUANTIZED                                                                     \
  (WEBNN__BIT(INT8) | WEBNN__BIT(UINT8) | WEBNN__BIT(INT32) | WEBNN__BIT(UINT32) |                 \
   WEBNN__TYPES_4BIT)

/* Ranges of ranks: lowest, highest. SAME is the rank of operand 0. */
#define WEBNN__RANK_SAME 255
#define WEBNN__RANKS_SAME WEBNN__RANK_SAME, WEBNN__RANK_SAME
#define WEBNN__RANKS_N 0, WEBNN_MAX_RANK
#define WEBNN__RANKS_1_N 1, WEBNN_MAX_RANK
#define WEBNN__RANKS_2_N 2, WEBNN_MAX_RANK
#define WEBNN__RANKS_0_2 0, 2
#define WEBNN__RANKS_1 1, 1
#define WEBNN__RANKS_2 2, 2
#define WEBNN__RANKS_3 3, 3
#define WEBNN__RANKS_4 4, 4

typedef enum webnn__role {
  WEBNN__NO_ROLE,
  WEBNN__IN,
  WEBNN__OPT,
  WEBNN__MANY,
  WEBNN__OUT
} webnn__role;

typedef struct webnn__operand_rule {
  const char *name;
  webnn__role role;
  uint32_t types;
  uint8_t min_rank, max_rank;
} webnn__operand_rule;

#define WEBNN__MAX_OPERANDS 12 /* of a rule; lists count as one */
#define WEBNN__MAX_OPTIONS 8

typedef struct webnn__op_rule {
  const char *name, *section;
  webnn__operand_rule operands[WEBNN__MAX_OPERANDS];
  webnn__option options[WEBNN__MAX_OPTIONS];
} webnn__op_rule;

#define WEBNN__END_OPERANDS                                                                        \
  { NULL, WEBNN__NO_ROLE, 0, 0, 0 }
#define WEBNN__END_OPTIONS                                                                         \
  { NULL, WEBNN__OPTION_BOOL, 0 }
#define WEBNN__RULE_IN(name, types, ranks)                                                         \
  {#name, WEBNN__IN, WEBNN__TYPES_##types, WEBNN__RANKS_##ranks},
#define WEBNN__RULE_OPT(name, types, ranks)                                                        \
  {#name, WEBNN__OPT, WEBNN__TYPES_##types, WEBNN__RANKS_##ranks},
#define WEBNN__RULE_MANY(name, types, ranks)                                                       \
  {#name, WEBNN__MANY, WEBNN__TYPES_##types, WEBNN__RANKS_##ranks},
#define WEBNN__RULE_OUT(name, types, ranks)                                                        \
  {#name, WEBNN__OUT, WEBNN__TYPES_##types, WEBNN__RANKS_##ranks},
#define WEBNN__RULE_OPTION(name, kind, member)                                                     \
  {#name, WEBNN__OPTION_##kind, offsetof(webnn__attributes, member)},
#define WEBNN__RULE(op, c_name, name, section, family, operands, options)                          \
  {name, section, {operands WEBNN__END_OPERANDS}, {options WEBNN__END_OPTIONS}},

static const webnn__op_rule webnn__op_rules[WEBNN_OP_COUNT] = {
    WEBNN_OPERATORS(WEBNN__RULE, WEBNN__RULE_IN, WEBNN__RULE_OPT, WEBNN__RULE_MANY, WEBNN__RULE_OUT,
                    WEBNN__RULE_OPTION)};

WEBNN_API const char *webnn_op_name(webnn_op op) {
  return (unsigned)op < WEBNN_OP_COUNT ? webnn__op_rules[op].name : NULL;
}

WEBNN_API const char *webnn_op_section(webnn_op op) {
  return (unsigned)op < WEBNN_OP_COUNT ? webnn__op_rules[op].section : NULL;
}

/* The data types of an operand, "the type of operand n" resolved to that operand's set. */
static uint32_t webnn__allowed_types(const webnn__op_rule *rule, uint32_t operand) {
  const uint32_t types = rule->operands[operand].types;
  return (types & 0x80000000u) != 0 ? rule->operands[types & 0xff].types : types;
}

/* ==============================================================================================
   7  backend                                                                            >>backend

   What the builder hands over, and to whom: a program is a validated graph, a backend a table of
   functions that a context calls. The objects behind the handles are defined here, because chapters
   8 and 9 share them. Calls chapters 1 to 6.
   ============================================================================================== */

/* Bytes that several owners share: constants of builders and graphs. The count is guarded by the
   context's mutex. */
typedef struct webnn__block {
  uint32_t references;
  bool borrowed; /* the caller's memory, never released by us */
  void *memory;
  uint64_t byte_length;
} webnn__block;

typedef enum webnn__origin {
  WEBNN__ORIGIN_INPUT,
  WEBNN__ORIGIN_CONSTANT,
  WEBNN__ORIGIN_NODE
} webnn__origin;

/* A value of a program: a graph input, a constant or an operator's output. */
typedef struct webnn__value {
  webnn_data_type data_type;
  webnn__shape shape;
  webnn__origin origin;
  const char *name;       /* of inputs, and of outputs; else NULL */
  webnn__block *constant; /* of constants */
  uint32_t node;          /* which operator made it, and which of its outputs it is */
  uint32_t output_index;
} webnn__value;

#define WEBNN__NONE UINT32_MAX /* an optional operand that is absent */

/* What a pass of chapter 12 has merged into an operator. Of matmul, gemm and the convolutions:
   input 2 is the bias (for matmul, too: of one element or of the last dimension), input 3 a
   residual of the result's shape, either may be absent: y = clamp(product + bias + residual, low,
   high). */
typedef struct webnn__fused {
  float low, high; /* -infinity, infinity: no bound. NaN stays NaN. */
} webnn__fused;

typedef struct webnn__node {
  webnn_op op;
  const char *label;
  uint32_t input_count, output_count;
  uint32_t *inputs, *outputs; /* values; inputs in the order of the operator table */
  webnn__attributes attributes;
  const webnn__fused *fused; /* NULL in programs as the builder makes them */
} webnn__node;

typedef struct webnn__port {
  const char *name;
  uint32_t value;
} webnn__port;

/* A validated graph: nodes come after the nodes whose values they use. */
typedef struct webnn__program {
  webnn__arena arena; /* holds everything below */
  webnn__value *values;
  webnn__node *nodes;
  webnn__port *inputs, *outputs;
  uint32_t value_count, node_count, input_count, output_count;
} webnn__program;

static uint64_t webnn__value_bytes(const webnn__value *value) {
  return webnn__bytes_of(value->data_type, webnn__element_count(&value->shape));
}

/* What a backend fills. Functions that can fail return a status and fill the error. compile,
   storage and open may be called from any thread; run, read and write are called one at a time for
   a context, in the order of its timeline. */
struct webnn_backend {
  const char *name;
  bool accelerated;
  webnn_status (*open)(webnn_context *context, void **device, webnn_error *error);
  void (*close)(void *device);
  /* Zeroed storage for a tensor; or over `memory` of the caller, if that is not NULL. */
  webnn_status (*create_storage)(void *device, uint64_t byte_length, void *memory, void **storage,
                                 webnn_error *error);
  void (*release_storage)(void *device, void *storage, bool borrowed);
  webnn_status (*write)(void *device, void *storage, const void *data, uint64_t byte_length,
                        webnn_error *error);
  webnn_status (*read)(void *device, void *storage, void *data, uint64_t byte_length,
                       webnn_error *error);
  /* Makes a plan; the program stays alive as long as the plan. OperationError if it cannot. */
  webnn_status (*compile)(void *device, const webnn__program *program, void **plan,
                          webnn_error *error);
  void (*release_plan)(void *device, void *plan);
  /* inputs and outputs are storages in the program's order. */
  webnn_status (*run)(void *device, void *plan, void *const *inputs, void *const *outputs,
                      webnn_error *error);
  webnn_status (*tap)(void *device, void *plan, webnn_tap tap, void *user, webnn_error *error);
  webnn_memory (*memory)(void *device, const void *plan);
  uint64_t (*undecided)(void *device, const void *plan); /* webnn_graph_undecided */
};

/* What tensors and graphs have in common: a context, a place in its list until they are destroyed,
   and `uses`, which counts the work (and, for constant tensors, the operands) that still needs
   them. What a destroyed and unused one holds is released; the handle itself when it is also freed.
   All but `context` is guarded by the context's mutex. */
typedef struct webnn__resource {
  webnn_context *context;
  struct webnn__resource *next, **link;
  uint32_t uses;
  bool is_graph, destroyed, freed;
} webnn__resource;

/* The context's options with defaults filled in, and the timeline: one mutex guards every field
   below it and those of the context's tensors and graphs that are marked so. Work takes a ticket
   and runs when its number comes up, which is how it happens in call order. */
struct webnn_context {
  webnn_context_options options;
  const webnn_backend *backend;
  void *device;
  webnn__mutex mutex;
  webnn__condition turn;
  uint64_t next_ticket, now_serving;
  uint32_t references; /* the handle, and one for each builder, graph and tensor */
  bool lost;
  char lost_message[160];
  webnn__resource *resources; /* tensors and graphs that are not destroyed */
};

struct webnn_tensor {
  webnn__resource resource; /* first: a pointer to it is a pointer to the tensor */
  webnn_data_type data_type;
  webnn__shape shape;
  bool readable, writable, is_constant;
  bool is_borrowed;       /* over the caller's memory */
  webnn__block *constant; /* of a constant tensor; then there is no storage */
  void *storage;
};

struct webnn_graph {
  webnn__resource resource; /* first */
  webnn__program *program;
  void *plan;
};

static void webnn__lock(webnn_context *context) {
  webnn__mutex_lock(&context->mutex);
}

static void webnn__unlock(webnn_context *context) {
  webnn__mutex_unlock(&context->mutex);
}

static bool webnn__context_is_lost(webnn_context *context) {
  bool lost;
  webnn__lock(context);
  lost = context->lost;
  webnn__unlock(context);
  return lost;
}

static void webnn__context_retain(webnn_context *context) {
  webnn__lock(context);
  context->references++;
  webnn__unlock(context);
}

/* The last reference closes the device and frees the context. */
static void webnn__context_release(webnn_context *context) {
  bool last;
  webnn__lock(context);
  last = --context->references == 0;
  webnn__unlock(context);
  if (last) {
    const webnn_allocator allocator = context->options.allocator;
    context->backend->close(context->device);
    webnn__condition_destroy(&context->turn);
    webnn__mutex_destroy(&context->mutex);
    webnn__release(&allocator, context);
  }
}

static uint64_t webnn__max_byte_length(const webnn_context *context) {
  const uint64_t most = SIZE_MAX / 2;
  const uint64_t chosen = context->options.max_tensor_byte_length;
  return chosen == 0 || chosen > most ? most : chosen;
}

/* A block over borrowed memory, or with a copy of data; NULL without memory. */
static webnn__block *webnn__block_create(webnn_context *context, const void *data,
                                         uint64_t byte_length, bool borrowed) {
  const webnn_allocator *allocator = &context->options.allocator;
  webnn__block *block = (webnn__block *)webnn__allocate(allocator, sizeof *block);
  if (block == NULL) {
    return NULL;
  }
  block->references = 1;
  block->borrowed = borrowed;
  block->byte_length = byte_length;
  if (borrowed) {
    /* Nothing writes to a constant: the const is only lost in the common field. */
    memcpy(&block->memory, &data, sizeof data);
    return block;
  }
  block->memory = webnn__allocate_aligned(allocator, byte_length);
  if (block->memory == NULL) {
    webnn__release(allocator, block);
    return NULL;
  }
  memcpy(block->memory, data, (size_t)byte_length);
  return block;
}

static void webnn__block_retain(webnn_context *context, webnn__block *block) {
  webnn__lock(context);
  block->references++;
  webnn__unlock(context);
}

static void webnn__block_release(webnn_context *context, webnn__block *block) {
  bool last;
  if (block == NULL) {
    return;
  }
  webnn__lock(context);
  last = --block->references == 0;
  webnn__unlock(context);
  if (last) {
    if (!block->borrowed) {
      webnn__release_aligned(&context->options.allocator, block->memory);
    }
    webnn__release(&context->options.allocator, block);
  }
}

static webnn__reason webnn__because(const char *format, uint64_t found, uint64_t limit) {
  webnn__reason reason;
  reason.format = format;
  reason.found = found;
  reason.limit = limit;
  return reason;
}

/* Check dimensions (8.5): valid dimensions, rank, element count, byte length. */
static webnn__reason webnn__check_dimensions(const webnn_context *context, webnn_data_type type,
                                             const webnn__shape *shape) {
  const uint64_t count = webnn__element_count(shape), most = webnn__max_byte_length(context);
  uint32_t i;
  for (i = 0; i < shape->rank; i++) {
    if (shape->dimensions[i] == 0 || shape->dimensions[i] > WEBNN__MAX_DIMENSION) {
      return webnn__because("a dimension (%l) must be 1 to %l", shape->dimensions[i],
                            WEBNN__MAX_DIMENSION);
    }
  }
  if (count == 0) {
    return webnn__because("the number of elements is too large", 0, 0);
  }
  if (count > WEBNN__MAX_DIMENSION) {
    return webnn__because("the number of elements (%l) must be at most %l", count,
                          WEBNN__MAX_DIMENSION);
  }
  if (webnn__bytes_of(type, count) > most) {
    return webnn__because("the byte length (%l) must be at most maxTensorByteLength (%l)",
                          webnn__bytes_of(type, count), most);
  }
  return webnn__because(NULL, 0, 0);
}

/* The shape of a descriptor; without a context only its form is checked. */
static webnn__reason webnn__read_descriptor(const webnn_context *context, webnn_data_type type,
                                            webnn_list list, webnn__shape *shape) {
  memset(shape, 0, sizeof *shape);
  if (webnn_data_type_bits(type) == 0) {
    return webnn__because("dataType is not given or not a data type", 0, 0);
  }
  if (list.items == NULL) {
    return webnn__because("shape is not given (a scalar has WEBNN_EMPTY_LIST)", 0, 0);
  }
  if (list.count > WEBNN_MAX_RANK) {
    return webnn__because("the rank of shape (%l) must be at most %l", list.count, WEBNN_MAX_RANK);
  }
  shape->rank = (uint32_t)list.count;
  memcpy(shape->dimensions, list.items, list.count * sizeof *list.items);
  return context != NULL ? webnn__check_dimensions(context, type, shape)
                         : webnn__because(NULL, 0, 0);
}

/* Validate buffer (8.5): the caller's bytes must be as many as a tensor of this type and shape
   has. */
static webnn__reason webnn__check_buffer(webnn_data_type type, const webnn__shape *shape,
                                         const void *data, uint64_t byte_length) {
  const uint64_t expected = webnn__bytes_of(type, webnn__element_count(shape));
  if (data == NULL) {
    return webnn__because("the data buffer is NULL", 0, 0);
  }
  return byte_length == expected
             ? webnn__because(NULL, 0, 0)
             : webnn__because("the data has %l bytes, there must be %l", byte_length, expected);
}

WEBNN_API uint64_t webnn_byte_length(const webnn_operand_descriptor *descriptor) {
  webnn__shape shape;
  uint64_t count, bytes;
  uint32_t i;
  if (descriptor == NULL ||
      webnn__read_descriptor(NULL, descriptor->data_type, descriptor->shape, &shape).format !=
          NULL) {
    return 0;
  }
  for (i = 0; i < shape.rank; i++) {
    if (shape.dimensions[i] > WEBNN__MAX_DIMENSION) {
      return 0;
    }
  }
  count = webnn__element_count(&shape);
  if (webnn__is_4bit(descriptor->data_type)) {
    return count / 2 + count % 2;
  }
  return webnn__multiply(count, webnn_data_type_bits(descriptor->data_type) / 8, &bytes) ? bytes
                                                                                         : 0;
}

/* ---- The life of tensors and graphs --------------------------------------------------------- */

/* With everything its arena holds, and its constants. */
static void webnn__release_program(webnn_context *context, webnn__program *program) {
  uint32_t i;
  if (program == NULL) {
    return;
  }
  for (i = 0; i < program->value_count; i++) {
    webnn__block_release(context, program->values[i].constant);
  }
  webnn__arena_release(&program->arena);
  webnn__release(&context->options.allocator, program);
}

/* With the mutex held: puts a new tensor or graph into the context's list. */
static void webnn__list_resource(webnn__resource *resource) {
  webnn_context *context = resource->context;
  context->references++;
  resource->next = context->resources;
  resource->link = &context->resources;
  if (resource->next != NULL) {
    resource->next->link = &resource->next;
  }
  context->resources = resource;
}

/* With the mutex held: marks as destroyed and takes out of the list. */
static void webnn__mark_destroyed(webnn__resource *resource) {
  if (!resource->destroyed) {
    resource->destroyed = true;
    *resource->link = resource->next;
    if (resource->next != NULL) {
      resource->next->link = resource->link;
    }
  }
}

/* What is left to release once the mutex is given back. */
typedef struct webnn__remains {
  void *storage;
  bool borrowed;
  webnn__block *constant;
  void *plan;
  webnn__program *program;
  webnn__resource *handle;
} webnn__remains;

/* With the mutex held: takes from a resource what nobody needs any more. */
static void webnn__collect(webnn__resource *resource, webnn__remains *remains) {
  memset(remains, 0, sizeof *remains);
  if (resource->uses > 0 || !resource->destroyed) {
    return;
  }
  remains->handle = resource->freed ? resource : NULL;
  if (resource->is_graph) {
    webnn_graph *graph = (webnn_graph *)resource;
    remains->plan = graph->plan;
    remains->program = resource->freed ? graph->program : NULL; /* its names outlive destroy() */
    graph->plan = NULL;
  } else {
    webnn_tensor *tensor = (webnn_tensor *)resource;
    remains->storage = tensor->storage;
    remains->borrowed = tensor->is_borrowed;
    remains->constant = tensor->constant;
    tensor->storage = NULL;
    tensor->constant = NULL;
  }
}

/* Without the mutex. */
static void webnn__release_remains(webnn_context *context, const webnn__remains *remains) {
  if (remains->storage != NULL) {
    context->backend->release_storage(context->device, remains->storage, remains->borrowed);
  }
  webnn__block_release(context, remains->constant);
  if (remains->plan != NULL) {
    context->backend->release_plan(context->device, remains->plan);
  }
  webnn__release_program(context, remains->program);
  if (remains->handle != NULL) {
    webnn__release(&context->options.allocator, remains->handle);
    webnn__context_release(context);
  }
}

/* destroy(), and giving back the handle. */
static void webnn__end_resource(webnn__resource *resource, bool freed) {
  webnn_context *context = resource->context;
  webnn__remains remains;
  webnn__lock(context);
  webnn__mark_destroyed(resource);
  resource->freed = resource->freed || freed;
  webnn__collect(resource, &remains);
  webnn__unlock(context);
  webnn__release_remains(context, &remains);
}

/* One use less. */
static void webnn__unuse(webnn__resource *resource) {
  webnn_context *context = resource->context;
  webnn__remains remains;
  webnn__lock(context);
  resource->uses--;
  webnn__collect(resource, &remains);
  webnn__unlock(context);
  webnn__release_remains(context, &remains);
}

/* ==============================================================================================
   8  builder                                                                            >>builder

   One function for each method, in the specification's order. Each first does what the browser's
   interface layer would (NULL, numbers, lists, enumerations), then the specification's steps in
   their order, numbered in comments; [B] the builder can build, [V] operands are this builder's,
   [T] data type and [R] rank are allowed by the table. Last comes the check of the result's
   dimensions, which the text has only here and there. Calls chapters 2 to 7.
   ============================================================================================== */

/* An operator in the making or made. */
typedef struct webnn__operator {
  webnn_op op;
  const char *label;
  uint32_t input_count, output_count;
  webnn_operand **inputs, **outputs; /* NULL for an absent optional input */
  webnn__attributes attributes;
  struct webnn__operator *previous; /* the one made before */
  bool reached;                     /* by build's walk */
} webnn__operator;

struct webnn_operand {
  webnn_builder *builder;
  webnn_data_type data_type;
  webnn__shape shape;
  webnn__origin origin;
  const char *name;              /* of a graph input */
  webnn__block *constant;        /* of a constant */
  webnn_tensor *constant_tensor; /* of a constant made from a tensor */
  webnn__operator *maker;        /* of an operator's output */
  uint32_t output_index;
  webnn_operand *previous; /* the one made before */
  bool reached;
  uint32_t value; /* its place in the program */
};

struct webnn_builder {
  webnn_context *context;
  webnn__arena arena;
  webnn_operand *operands;    /* newest first */
  webnn__operator *operators; /* newest first */
  bool has_built;
  webnn_status status;
  char *message; /* of the recorded error; NULL when there was no memory for it */
};

/* ---- Recording errors ----------------------------------------------------------------------- */

/* Records `method "label": text` unless an error is recorded already. Measures, then writes. */
static void webnn__record(webnn_builder *builder, webnn_status status, const char *method,
                          const char *label, const char *format, va_list arguments) {
  webnn__text text;
  int pass;
  if (builder->status != WEBNN_OK) {
    return;
  }
  builder->status = status;
  text.data = NULL;
  text.capacity = 0;
  for (pass = 0; pass < 2; pass++) {
    va_list copy;
    text.length = 0;
    webnn__put_string(&text, method);
    if (label != NULL && *label != 0) {
      webnn__put_string(&text, " ");
      webnn__put_quoted(&text, label);
    }
    webnn__put_string(&text, ": ");
    va_copy(copy, arguments);
    webnn__format(&text, format, copy);
    va_end(copy);
    if (pass == 0) {
      builder->message =
          (char *)webnn__allocate(builder->arena.allocator, (uint64_t)text.length + 1);
      if (builder->message == NULL) {
        return;
      }
      text.data = builder->message;
      text.capacity = text.length;
    }
  }
  builder->message[text.length] = 0;
}

static void webnn__record_as(webnn_builder *builder, webnn_status status, const char *method,
                             const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn__record(builder, status, method, NULL, format, arguments);
  va_end(arguments);
}

WEBNN_API webnn_status webnn_builder_status(const webnn_builder *builder) {
  return builder != NULL ? builder->status : WEBNN_TYPE_ERROR;
}

WEBNN_API const char *webnn_builder_message(const webnn_builder *builder) {
  if (builder == NULL) {
    return "the builder is NULL";
  }
  if (builder->status == WEBNN_OK) {
    return "";
  }
  return builder->message != NULL ? builder->message : "out of memory";
}

WEBNN_API void webnn_builder_clear_error(webnn_builder *builder) {
  if (builder != NULL) {
    builder->status = WEBNN_OK;
    webnn__release(builder->arena.allocator, builder->message);
    builder->message = NULL;
  }
}

/* ---- A call of a method, from its arguments to its result ----------------------------------- */

typedef struct webnn__call {
  webnn_builder *builder;
  webnn_op op;
  const webnn__op_rule *rule;
  const char *method; /* as messages name it */
  const char *label;
  uint32_t input_count;
  webnn_operand *const *inputs; /* `fixed`, or concat's list */
  webnn_operand *fixed[WEBNN__MAX_OPERANDS];
  webnn__attributes attributes;
} webnn__call;

/* Every options struct starts with its label. NULL options have none. */
static bool webnn__open(webnn__call *call, webnn_builder *builder, webnn_op op,
                        const void *options) {
  memset(call, 0, sizeof *call);
  call->builder = builder;
  call->op = op;
  call->rule = &webnn__op_rules[op];
  call->method = call->rule->name;
  call->inputs = call->fixed;
  call->label = options != NULL ? *(const char *const *)options : NULL;
  return builder != NULL;
}

/* Refuses the call with a TypeError; always false, so that it can stand at the end of a chain. */
static bool webnn__refuse(webnn__call *call, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn__record(call->builder, WEBNN_TYPE_ERROR, call->method, call->label, format, arguments);
  va_end(arguments);
  return false;
}

static bool webnn__refuse_with(webnn__call *call, webnn_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn__record(call->builder, status, call->method, call->label, format, arguments);
  va_end(arguments);
  return false;
}

/* The operands of the call, `count` of webnn_operand *, in the order of the table. */
static bool webnn__take(webnn__call *call, uint32_t count, ...) {
  va_list arguments;
  uint32_t i;
  va_start(arguments, count);
  for (i = 0; i < count; i++) {
    call->fixed[i] = va_arg(arguments, webnn_operand *);
  }
  va_end(arguments);
  call->input_count = count;
  for (i = 0; i < count; i++) {
    if (call->fixed[i] == NULL && call->rule->operands[i].role != WEBNN__OPT) {
      return webnn__refuse(call, "%s is NULL", call->rule->operands[i].name);
    }
  }
  return true;
}

/* [B] and [V], which open every method. */
static bool webnn__start(webnn__call *call) {
  uint32_t i;
  if (call->builder->has_built) {
    return webnn__refuse_with(call, WEBNN_INVALID_STATE_ERROR, "the builder has built its graph");
  }
  if (webnn__context_is_lost(call->builder->context)) {
    return webnn__refuse_with(call, WEBNN_INVALID_STATE_ERROR, "the context is lost");
  }
  for (i = 0; i < call->input_count; i++) {
    if (call->inputs[i] != NULL && call->inputs[i]->builder != call->builder) {
      const bool list = call->rule->operands[0].role == WEBNN__MANY;
      return webnn__refuse(call, "%s belongs to another builder",
                           call->rule->operands[list ? 0 : i].name);
    }
  }
  return true;
}

/* [T x] */
static bool webnn__check_type(webnn__call *call, uint32_t i) {
  const webnn__operand_rule *operand = &call->rule->operands[i];
  webnn_data_type type;
  if (call->fixed[i] == NULL) {
    return true;
  }
  type = call->fixed[i]->data_type;
  if ((operand->types & 0x80000000u) != 0) {
    const uint32_t like = operand->types & 0xff;
    const webnn_data_type expected = call->fixed[like]->data_type;
    return type == expected ||
           webnn__refuse(call, "%s data type (%t) must be that of %s (%t)", operand->name,
                         (int)type, call->rule->operands[like].name, (int)expected);
  }
  return (operand->types >> type & 1) != 0 ||
         webnn__refuse(call, "%s data type (%t) is not allowed", operand->name, (int)type);
}

/* [R x] */
static bool webnn__check_rank(webnn__call *call, uint32_t i) {
  const webnn__operand_rule *operand = &call->rule->operands[i];
  uint32_t lowest = operand->min_rank, highest = operand->max_rank, rank;
  if (call->fixed[i] == NULL) {
    return true;
  }
  rank = call->fixed[i]->shape.rank;
  if (lowest == WEBNN__RANK_SAME) {
    lowest = highest = call->fixed[0]->shape.rank;
  }
  if (rank >= lowest && rank <= highest) {
    return true;
  }
  return lowest == highest
             ? webnn__refuse(call, "%s rank (%u) must be %u", operand->name, rank, lowest)
             : webnn__refuse(call, "%s rank (%u) must be %u to %u", operand->name, rank, lowest,
                             highest);
}

/* [T] or [R] of operands first ... last. */
static bool webnn__check_types(webnn__call *call, uint32_t first, uint32_t last) {
  for (; first <= last; first++) {
    if (!webnn__check_type(call, first)) {
      return false;
    }
  }
  return true;
}

static bool webnn__check_ranks(webnn__call *call, uint32_t first, uint32_t last) {
  for (; first <= last; first++) {
    if (!webnn__check_rank(call, first)) {
      return false;
    }
  }
  return true;
}

/* An operand, if given, must have this shape. */
static bool webnn__check_shape(webnn__call *call, uint32_t i, webnn__shape expected) {
  return call->fixed[i] == NULL || webnn__same_shape(&call->fixed[i]->shape, &expected) ||
         webnn__refuse(call, "%s shape %d must be %d", call->rule->operands[i].name,
                       &call->fixed[i]->shape, &expected);
}

/* An optional operand: [T], then its shape. */
static bool webnn__check_optional(webnn__call *call, uint32_t i, webnn__shape expected) {
  return webnn__check_type(call, i) && webnn__check_shape(call, i, expected);
}

static const webnn__shape *webnn__shape_of(const webnn__call *call, uint32_t i) {
  return &call->fixed[i]->shape;
}

static bool webnn__check_axis(webnn__call *call, uint32_t axis) {
  const uint32_t rank = call->inputs[0]->shape.rank;
  call->attributes.axis = axis;
  return axis < rank || webnn__refuse(call, "axis (%u) must be less than the rank of %s (%u)", axis,
                                      call->rule->operands[0].name, rank);
}

static bool webnn__check_enum(webnn__call *call, const char *name, int value, int count) {
  return (value >= 0 && value < count) ||
         webnn__refuse(call, "%s is not a value of its enumeration", name);
}

/* ---- Numbers and lists, as the browser's interface layer converts them ---------------------- */

static bool webnn__number_is_tagged(webnn__call *call, const char *name, webnn_number number) {
  uint64_t bits;
  memcpy(&bits, &number.value, sizeof bits);
  return (number.kind == WEBNN_NUMBER_ABSENT
              ? bits == 0
              : (unsigned)number.kind <= (unsigned)WEBNN_NUMBER_UINT64) ||
         webnn__refuse(call, "%s has no kind: use webnn_f64, webnn_i64 or webnn_u64", name);
}

/* A `double` option: NaN and infinities are refused. */
static bool webnn__convert_double(webnn__call *call, const char *name, webnn_number given,
                                  double fallback, webnn_number *number) {
  webnn__float_parts parts;
  if (!webnn__number_is_tagged(call, name, given)) {
    return false;
  }
  *number = given.kind == WEBNN_NUMBER_ABSENT ? webnn_f64(fallback) : given;
  parts = webnn__number_parts(*number);
  return (parts.kind != WEBNN__NAN && parts.kind != WEBNN__INFINITE) ||
         webnn__refuse(call, "%s (%n) must be finite", name, number);
}

/* An `unsigned long` option: truncated, 0 to 2^32 - 1. */
static bool webnn__convert_u32(webnn__call *call, const char *name, webnn_number given,
                               uint32_t fallback, uint32_t *number) {
  if (!webnn__number_is_tagged(call, name, given)) {
    return false;
  }
  *number = fallback;
  if (given.kind == WEBNN_NUMBER_DOUBLE) {
    const webnn__float_parts parts = webnn__number_parts(given);
    const double value = given.value.f64;
    if (parts.kind == WEBNN__NAN || parts.kind == WEBNN__INFINITE || value <= -1.0 ||
        value >= 4294967296.0) {
      return webnn__refuse(call, "%s (%n) must be 0 to 4294967295", name, &given);
    }
    *number = value > 0.0 ? (uint32_t)value : 0;
  } else if (given.kind != WEBNN_NUMBER_ABSENT) {
    if (given.value.u64 > UINT32_MAX) { /* a negative int64 is larger, too */
      return webnn__refuse(call, "%s (%n) must be 0 to 4294967295", name, &given);
    }
    *number = (uint32_t)given.value.u64;
  }
  return true;
}

/* An MLNumber option for an operand of the given type: integers may not be given for floats. */
static bool webnn__check_number(webnn__call *call, const char *name, webnn_number number,
                                webnn_data_type type) {
  return number.kind == WEBNN_NUMBER_ABSENT || number.kind == WEBNN_NUMBER_DOUBLE ||
         !webnn__is_float(type) ||
         webnn__refuse(call, "%s is an integer but the data type is %t: use webnn_f64", name,
                       (int)type);
}

/* A list of `count` items, all `fallback` when absent. */
static bool webnn__check_list(webnn__call *call, const char *name, webnn_list list, uint32_t count,
                              uint32_t fallback, webnn__shape *items) {
  uint32_t i;
  items->rank = count;
  if (list.items == NULL) {
    for (i = 0; i < count; i++) {
      items->dimensions[i] = fallback;
    }
    return true;
  }
  if (list.count != count) {
    return webnn__refuse(call, "%s must have %u items, not %l", name, count, (uint64_t)list.count);
  }
  memcpy(items->dimensions, list.items, list.count * sizeof *list.items);
  return true;
}

static bool webnn__check_not_zero(webnn__call *call, const char *name, const webnn__shape *items) {
  uint32_t i;
  for (i = 0; i < items->rank; i++) {
    if (items->dimensions[i] == 0) {
      return webnn__refuse(call, "%s %d must not contain 0", name, items);
    }
  }
  return true;
}

/* A list argument that must be given. */
static bool webnn__check_given(webnn__call *call, const char *name, webnn_list list) {
  return list.items != NULL || webnn__refuse(call, "%s is not given", name);
}

/* A list argument that becomes a shape. */
static bool webnn__check_new_shape(webnn__call *call, const char *name, webnn_list list,
                                   webnn__shape *shape) {
  return list.count <= WEBNN_MAX_RANK
             ? webnn__check_list(call, name, list, (uint32_t)list.count, 0, shape)
             : webnn__refuse(call, "%s has %l items, the rank must be at most 8", name,
                             (uint64_t)list.count);
}

static void webnn__list_axes(uint32_t set, webnn__shape *axes) {
  uint32_t i;
  axes->rank = 0;
  for (i = 0; i < WEBNN_MAX_RANK; i++) {
    if ((set >> i & 1) != 0) {
      axes->dimensions[axes->rank++] = i;
    }
  }
}

/* ---- Results -------------------------------------------------------------------------------- */

static webnn_operand *webnn__new_operand(webnn_builder *builder, webnn_data_type type,
                                         const webnn__shape *shape, webnn__origin origin) {
  webnn_operand *operand = (webnn_operand *)webnn__arena_take(&builder->arena, sizeof *operand);
  if (operand != NULL) {
    operand->builder = builder;
    operand->data_type = type;
    operand->shape = *shape;
    operand->origin = origin;
  }
  return operand;
}

static void webnn__link_operand(webnn_builder *builder, webnn_operand *operand) {
  operand->previous = builder->operands;
  builder->operands = operand;
}

/* The new operator with room for its operands; nothing is linked yet. */
static webnn__operator *webnn__new_operator(webnn__call *call, uint32_t output_count) {
  webnn__arena *arena = &call->builder->arena;
  webnn__operator *node = (webnn__operator *)webnn__arena_take(arena, sizeof *node);
  if (node == NULL) {
    return NULL;
  }
  node->op = call->op;
  node->label = webnn__arena_string(arena, call->label);
  node->attributes = call->attributes;
  node->input_count = call->input_count;
  node->output_count = output_count;
  node->inputs = (webnn_operand **)webnn__arena_take(
      arena, (uint64_t)(call->input_count + output_count) * sizeof *node->inputs);
  if (node->label == NULL || node->inputs == NULL) {
    return NULL;
  }
  memcpy(node->inputs, call->inputs, call->input_count * sizeof *node->inputs);
  node->outputs = node->inputs + call->input_count;
  return node;
}

/* Check dimensions for a shape that the call computes or was given. */
static bool webnn__check_valid(webnn__call *call, const char *name, webnn_data_type type,
                               const webnn__shape *shape) {
  const webnn__reason reason = webnn__check_dimensions(call->builder->context, type, shape);
  return reason.format == NULL || webnn__refuse(call, "%s %d: %r", name, shape, &reason);
}

static bool webnn__check_output(webnn__call *call, webnn_data_type type,
                                const webnn__shape *shape) {
  return webnn__check_valid(call, "output shape", type, shape);
}

/* Connects an operator with outputs of one type and the given shapes, which have been checked. The
   outputs are handed out only when all is made. */
static bool webnn__connect(webnn__call *call, uint32_t count, webnn_data_type type,
                           const webnn__shape *shapes, webnn_operand **outputs) {
  webnn__operator *node = webnn__new_operator(call, count);
  uint32_t i;
  for (i = 0; node != NULL && i < count; i++) {
    webnn_operand *output = webnn__new_operand(call->builder, type, &shapes[i], WEBNN__ORIGIN_NODE);
    if (output == NULL) {
      node = NULL;
      break;
    }
    output->maker = node;
    output->output_index = i;
    node->outputs[i] = output;
  }
  if (node == NULL) {
    return webnn__refuse_with(call, WEBNN_UNKNOWN_ERROR, "out of memory");
  }
  node->previous = call->builder->operators;
  call->builder->operators = node;
  for (i = 0; i < count; i++) {
    webnn__link_operand(call->builder, node->outputs[i]);
    outputs[i] = node->outputs[i];
  }
  return true;
}

static webnn_operand *webnn__result(webnn__call *call, webnn_data_type type, webnn__shape shape) {
  webnn_operand *output = NULL;
  if (webnn__check_output(call, type, &shape)) {
    (void)webnn__connect(call, 1, type, &shape, &output);
  }
  return output;
}

/* A result like operand 0. */
static webnn_operand *webnn__result_like_input(webnn__call *call) {
  return webnn__result(call, call->inputs[0]->data_type, call->inputs[0]->shape);
}

/* Declares `o`, the options or their defaults. */
#define WEBNN__OPTIONS(type)                                                                       \
  static const type webnn__defaults = WEBNN_ZERO;                                                  \
  const type *o = options != NULL ? options : &webnn__defaults

/* ---- 8.9.1 The builder ---------------------------------------------------------------------- */

WEBNN_API webnn_status webnn_create_builder(webnn_context *context, webnn_builder **builder,
                                            webnn_error *error) {
  if (builder == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "MLGraphBuilder: no place for the builder");
  }
  *builder = NULL;
  if (context == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "MLGraphBuilder: the context is NULL");
  }
  if (webnn__context_is_lost(context)) {
    return webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "MLGraphBuilder: the context is lost");
  }
  *builder = (webnn_builder *)webnn__allocate_zeroed(&context->options.allocator, sizeof **builder);
  if (*builder == NULL) {
    return webnn__out_of_memory(error, "MLGraphBuilder");
  }
  (*builder)->context = context;
  (*builder)->arena.allocator = &context->options.allocator;
  webnn__context_retain(context);
  return webnn__succeed(error);
}

WEBNN_API void webnn_free_builder(webnn_builder *builder) {
  webnn_context *context;
  webnn_operand *operand;
  if (builder == NULL) {
    return;
  }
  context = builder->context;
  for (operand = builder->operands; operand != NULL; operand = operand->previous) {
    webnn__block_release(context, operand->constant);
    if (operand->constant_tensor != NULL) {
      webnn__unuse(&operand->constant_tensor->resource);
    }
  }
  webnn_builder_clear_error(builder);
  webnn__arena_release(&builder->arena);
  webnn__release(&context->options.allocator, builder);
  webnn__context_release(context);
}

WEBNN_API webnn_data_type webnn_operand_data_type(const webnn_operand *operand) {
  return operand != NULL ? operand->data_type : (webnn_data_type)0;
}

WEBNN_API webnn_list webnn_operand_shape(const webnn_operand *operand) {
  webnn_list list;
  list.items = operand != NULL ? operand->shape.dimensions : NULL;
  list.count = operand != NULL ? operand->shape.rank : 0;
  return list;
}

/* [B] for the methods that are not operators; false after recording the error. */
static bool webnn__can_build(webnn_builder *builder, const char *method) {
  if (builder->has_built) {
    webnn__record_as(builder, WEBNN_INVALID_STATE_ERROR, method, "the builder has built its graph");
    return false;
  }
  if (webnn__context_is_lost(builder->context)) {
    webnn__record_as(builder, WEBNN_INVALID_STATE_ERROR, method, "the context is lost");
    return false;
  }
  return true;
}

/* ---- 8.9.2 input ---------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_input(webnn_builder *builder, const char *name,
                                     const webnn_operand_descriptor *descriptor) {
  webnn__shape shape;
  webnn__reason reason;
  webnn_operand *operand;
  if (builder == NULL) {
    return NULL;
  }
  if (name == NULL || descriptor == NULL) {
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "input", "the %s is NULL",
                     name == NULL ? "name" : "descriptor");
    return NULL;
  }
  if (!webnn__can_build(builder, "input")) { /* 1 */
    return NULL;
  }
  if (*name == 0) { /* 2 */
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "input", "the name is empty");
    return NULL;
  }
  for (operand = builder->operands; operand != NULL; operand = operand->previous) { /* 3 */
    if (operand->origin == WEBNN__ORIGIN_INPUT && strcmp(operand->name, name) == 0) {
      webnn__record_as(builder, WEBNN_TYPE_ERROR, "input", "there is an input named %q already",
                       name);
      return NULL;
    }
  }
  reason = webnn__read_descriptor(builder->context, descriptor->data_type, descriptor->shape,
                                  &shape); /* 4 */
  if (reason.format != NULL) {
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "input", "%q: %r", name, &reason);
    return NULL;
  }
  operand = webnn__new_operand(builder, descriptor->data_type, &shape, WEBNN__ORIGIN_INPUT);
  if (operand == NULL || (operand->name = webnn__arena_string(&builder->arena, name)) == NULL) {
    webnn__record_as(builder, WEBNN_UNKNOWN_ERROR, "input", "out of memory");
    return NULL;
  }
  webnn__link_operand(builder, operand);
  return operand;
}

/* ---- 8.9.3 constant ------------------------------------------------------------------------- */

/* A constant operand that takes over the block, releasing it on failure. */
static webnn_operand *webnn__constant_of(webnn_builder *builder, webnn_data_type type,
                                         const webnn__shape *shape, webnn__block *block) {
  webnn_operand *operand =
      block != NULL ? webnn__new_operand(builder, type, shape, WEBNN__ORIGIN_CONSTANT) : NULL;
  if (operand == NULL) {
    webnn__block_release(builder->context, block);
    webnn__record_as(builder, WEBNN_UNKNOWN_ERROR, "constant", "out of memory");
    return NULL;
  }
  operand->constant = block;
  webnn__link_operand(builder, operand);
  return operand;
}

static webnn_operand *webnn__constant_from_buffer(webnn_builder *builder,
                                                  const webnn_operand_descriptor *descriptor,
                                                  const void *data, size_t byte_length,
                                                  bool borrowed) {
  webnn__shape shape;
  webnn__reason reason;
  if (builder == NULL) {
    return NULL;
  }
  if (descriptor == NULL) {
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "constant", "the descriptor is NULL");
    return NULL;
  }
  if (!webnn__can_build(builder, "constant")) { /* 1 */
    return NULL;
  }
  reason = webnn__read_descriptor(builder->context, descriptor->data_type, descriptor->shape,
                                  &shape); /* 2 */
  if (reason.format != NULL) {
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "constant", "%r", &reason);
    return NULL;
  }
  reason = webnn__check_buffer(descriptor->data_type, &shape, data, byte_length); /* 3 */
  if (reason.format != NULL) {
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "constant", "%r", &reason);
    return NULL;
  }
  return webnn__constant_of(builder, descriptor->data_type, &shape,
                            webnn__block_create(builder->context, data, byte_length, borrowed));
}

WEBNN_API webnn_operand *webnn_constant(webnn_builder *builder,
                                        const webnn_operand_descriptor *descriptor,
                                        const void *data, size_t byte_length) {
  return webnn__constant_from_buffer(builder, descriptor, data, byte_length, false);
}

WEBNN_API webnn_operand *webnn_constant_over_memory(webnn_builder *builder,
                                                    const webnn_operand_descriptor *descriptor,
                                                    const void *data, size_t byte_length) {
  return webnn__constant_from_buffer(builder, descriptor, data, byte_length, true);
}

WEBNN_API webnn_operand *webnn_constant_from_tensor(webnn_builder *builder, webnn_tensor *tensor) {
  const char *reason = NULL;
  webnn_operand *operand;
  if (builder == NULL) {
    return NULL;
  }
  if (tensor == NULL || tensor->resource.context != builder->context) { /* 1 */
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "constant",
                     tensor == NULL ? "the tensor is NULL" : "the tensor is of another context");
    return NULL;
  }
  webnn__lock(builder->context);
  if (tensor->resource.destroyed) { /* 2 */
    reason = "the tensor is destroyed";
  } else if (tensor->constant == NULL) { /* 3 */
    reason = "the tensor is not constant";
  } else {
    tensor->resource.uses++; /* keeps the handle's memory for build's check */
    tensor->constant->references++;
  }
  webnn__unlock(builder->context);
  if (reason != NULL) {
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "constant", reason);
    return NULL;
  }
  if (!webnn__can_build(builder, "constant")) { /* 4 */
    webnn__block_release(builder->context, tensor->constant);
    webnn__unuse(&tensor->resource);
    return NULL;
  }
  operand = webnn__constant_of(builder, tensor->data_type, &tensor->shape, tensor->constant);
  if (operand == NULL) {
    webnn__unuse(&tensor->resource);
    return NULL;
  }
  operand->constant_tensor = tensor;
  return operand;
}

WEBNN_API webnn_operand *webnn_constant_from_number(webnn_builder *builder, webnn_data_type type,
                                                    webnn_number value) {
  webnn__shape scalar;
  unsigned char element[sizeof(uint64_t)] = {0};
  if (builder == NULL) {
    return NULL;
  }
  memset(&scalar, 0, sizeof scalar);
  if (webnn_data_type_bits(type) == 0 || webnn__is_4bit(type)) {
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "constant",
                     "dataType (%t) must be one of eight types", (int)type);
    return NULL;
  }
  if (value.kind == WEBNN_NUMBER_ABSENT || (unsigned)value.kind > (unsigned)WEBNN_NUMBER_UINT64 ||
      (webnn__is_float(type) && value.kind != WEBNN_NUMBER_DOUBLE)) {
    webnn__record_as(builder, WEBNN_TYPE_ERROR, "constant",
                     webnn__is_float(type) ? "the value of a %t must be made with webnn_f64"
                                           : "the value of a %t has no kind",
                     (int)type);
    return NULL;
  }
  if (!webnn__can_build(builder, "constant")) { /* 1 */
    return NULL;
  }
  webnn__set_bits(element, type, 0, webnn__cast_number(value, type)); /* 2 */
  return webnn__constant_of(
      builder, type, &scalar,
      webnn__block_create(builder->context, element, webnn__bytes_of(type, 1), false));
}

/* ---- 8.9.5 argMin, argMax ------------------------------------------------------------------- */

static webnn_operand *webnn__arg_min_max(webnn_builder *builder, webnn_op op, webnn_operand *input,
                                         uint32_t axis, const webnn_arg_min_max_options *options) {
  WEBNN__OPTIONS(webnn_arg_min_max_options);
  const webnn_data_type type =
      o->output_data_type == (webnn_data_type)0 ? WEBNN_INT32 : o->output_data_type;
  webnn__call call;
  if (!webnn__open(&call, builder, op, options) || !webnn__take(&call, 1, input) ||
      !(webnn_data_type_bits(type) > 0 ||
        webnn__refuse(&call, "outputDataType is not a data type")) ||
      !webnn__start(&call) ||            /* 1, 2 */
      !webnn__check_type(&call, 0) ||    /* 4-bit types */
      !webnn__check_axis(&call, axis) || /* 3 */
      !((WEBNN__TYPES_INT32_INT64 >> type & 1) != 0 ||
        webnn__refuse(&call, "outputDataType (%t) must be int32 or int64", (int)type))) { /* 4 */
    return NULL;
  }
  call.attributes.keep_dimensions = o->keep_dimensions;
  call.attributes.data_type = type;
  /* 5: every valid dimension fits in int32; 6: */
  return webnn__result(&call, type,
                       webnn__reduced_shape(&input->shape, 1u << axis, o->keep_dimensions));
}

WEBNN_API webnn_operand *webnn_arg_min(webnn_builder *builder, webnn_operand *input, uint32_t axis,
                                       const webnn_arg_min_max_options *options) {
  return webnn__arg_min_max(builder, WEBNN_OP_ARG_MIN, input, axis, options);
}

WEBNN_API webnn_operand *webnn_arg_max(webnn_builder *builder, webnn_operand *input, uint32_t axis,
                                       const webnn_arg_min_max_options *options) {
  return webnn__arg_min_max(builder, WEBNN_OP_ARG_MAX, input, axis, options);
}

/* ---- 8.9.6 batchNormalization --------------------------------------------------------------- */

WEBNN_API webnn_operand *
webnn_batch_normalization(webnn_builder *builder, webnn_operand *input, webnn_operand *mean,
                          webnn_operand *variance,
                          const webnn_batch_normalization_options *options) {
  WEBNN__OPTIONS(webnn_batch_normalization_options);
  webnn_number epsilon;
  webnn__shape channels;
  uint32_t axis;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_BATCH_NORMALIZATION, options) ||
      !webnn__take(&call, 5, input, mean, variance, o->scale, o->bias) ||
      !webnn__convert_u32(&call, "axis", o->axis, 1, &axis) ||
      !webnn__convert_double(&call, "epsilon", o->epsilon, 1e-5, &epsilon) ||
      !webnn__start(&call) ||            /* 1, 2 */
      !webnn__check_type(&call, 0) ||    /* 3 */
      !webnn__check_axis(&call, axis)) { /* 4 */
    return NULL;
  }
  channels = webnn__shape_1(input->shape.dimensions[axis]);
  if (!webnn__check_optional(&call, 1, channels) || /* 5, 6 */
      !webnn__check_optional(&call, 2, channels)) { /* 7, 8 */
    return NULL;
  }
  call.attributes.epsilon = webnn__cast_number(epsilon, input->data_type); /* 9 */
  if (!webnn__check_optional(&call, 3, channels) ||                        /* 10 */
      !webnn__check_optional(&call, 4, channels)) {                        /* 11 */
    return NULL;
  }
  return webnn__result_like_input(&call);
}

/* ---- 8.9.7 cast ----------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_cast(webnn_builder *builder, webnn_operand *input,
                                    webnn_data_type data_type,
                                    const webnn_operator_options *options) {
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_CAST, options) || !webnn__take(&call, 1, input) ||
      !(webnn_data_type_bits(data_type) > 0 ||
        webnn__refuse(&call, "dataType is not given or not a data type")) ||
      !webnn__start(&call) ||         /* 1, 2 */
      !webnn__check_type(&call, 0) || /* 4-bit types */
      !(!webnn__is_4bit(data_type) ||
        webnn__refuse(&call, "dataType (%t) is not allowed", (int)data_type))) { /* 3 */
    return NULL;
  }
  call.attributes.data_type = data_type;
  return webnn__result(&call, data_type, input->shape);
}

/* ---- 8.9.8 clamp ---------------------------------------------------------------------------- */

/* A bound cast to the type. An absent one is infinite, and so is NaN for floats: like C's fmax and
   fmin, the comparison then takes the other side. */
static uint64_t webnn__clamp_bound(webnn_number bound, webnn_data_type type, bool lower) {
  const bool none = bound.kind == WEBNN_NUMBER_ABSENT ||
                    (webnn__is_float(type) && webnn__number_parts(bound).kind == WEBNN__NAN);
  return webnn__cast_number(none ? webnn__infinity(lower) : bound, type);
}

WEBNN_API webnn_operand *webnn_clamp(webnn_builder *builder, webnn_operand *input,
                                     const webnn_clamp_options *options) {
  WEBNN__OPTIONS(webnn_clamp_options);
  webnn_number lowest = o->min_value, highest = o->max_value;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_CLAMP, options) || !webnn__take(&call, 1, input) ||
      !webnn__number_is_tagged(&call, "minValue", lowest) ||
      !webnn__number_is_tagged(&call, "maxValue", highest) ||
      !webnn__check_number(&call, "minValue", lowest, input->data_type) ||
      !webnn__check_number(&call, "maxValue", highest, input->data_type) ||
      !webnn__start(&call) ||         /* 1, 2 */
      !webnn__check_type(&call, 0)) { /* 4-bit types */
    return NULL;
  }
  call.attributes.alpha = webnn__clamp_bound(lowest, input->data_type, true);               /* 3 */
  call.attributes.beta = webnn__clamp_bound(highest, input->data_type, false);              /* 4 */
  if (webnn__bits_greater(call.attributes.alpha, call.attributes.beta, input->data_type)) { /* 5 */
    (void)webnn__refuse(&call, "minValue (%e) must not be greater than maxValue (%e)",
                        call.attributes.alpha, (int)input->data_type, call.attributes.beta,
                        (int)input->data_type);
    return NULL;
  }
  return webnn__result_like_input(&call);
}

/* ---- 8.9.9 concat --------------------------------------------------------------------------- */

/* Step 5 for one input: type, rank, and every dimension but that of the axis, which adds up. */
static bool webnn__check_concat_input(webnn__call *call, uint32_t i, uint32_t axis,
                                      webnn__shape *shape) {
  const webnn_operand *first = call->inputs[0], *input = call->inputs[i];
  uint32_t d;
  if (input->data_type != first->data_type) {
    return webnn__refuse(call, "the data type of inputs[%u] (%t) must be that of inputs[0] (%t)", i,
                         (int)input->data_type, (int)first->data_type);
  }
  if (input->shape.rank != first->shape.rank) {
    return webnn__refuse(call, "the rank of inputs[%u] (%u) must be that of inputs[0] (%u)", i,
                         input->shape.rank, first->shape.rank);
  }
  for (d = 0; d < shape->rank; d++) {
    if (d == axis) {
      const uint64_t sum = (uint64_t)shape->dimensions[d] + input->shape.dimensions[d];
      if (sum > WEBNN__MAX_DIMENSION) {
        return webnn__refuse(call,
                             "the sizes of inputs along axis %u add up to %l, more than 2147483647",
                             axis, sum);
      }
      shape->dimensions[d] = (uint32_t)sum;
    } else if (input->shape.dimensions[d] != shape->dimensions[d]) {
      return webnn__refuse(call, "inputs[%u] shape %d must agree with inputs[0] %d but for axis %u",
                           i, &input->shape, &first->shape, axis);
    }
  }
  return true;
}

WEBNN_API webnn_operand *webnn_concat(webnn_builder *builder, webnn_operand_list inputs,
                                      uint32_t axis, const webnn_operator_options *options) {
  webnn__shape shape;
  uint32_t i;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_CONCAT, options)) {
    return NULL;
  }
  if (inputs.items == NULL) {
    (void)webnn__refuse(&call, "inputs is not given");
    return NULL;
  }
  call.inputs = inputs.items;
  call.input_count = inputs.count <= WEBNN__MAX_TENSOR_COUNT ? (uint32_t)inputs.count : 0;
  for (i = 0; i < call.input_count; i++) {
    if (inputs.items[i] == NULL) {
      (void)webnn__refuse(&call, "inputs[%u] is NULL", i);
      return NULL;
    }
  }
  if (!webnn__start(&call) || /* 1, 2 */
      !(call.input_count > 0 || webnn__refuse(&call, "the number of inputs (%l) must be 1 to 8192",
                                              (uint64_t)inputs.count))) { /* 3 */
    return NULL;
  }
  call.fixed[0] = inputs.items[0]; /* where the checks of operand 0 look */
  if (!webnn__check_type(&call, 0) || !webnn__check_axis(&call, axis)) { /* 4-bit types, 4 */
    return NULL;
  }
  shape = inputs.items[0]->shape;
  for (i = 1; i < call.input_count; i++) { /* 5 */
    if (!webnn__check_concat_input(&call, i, axis, &shape)) {
      return NULL;
    }
  }
  return webnn__result(&call, inputs.items[0]->data_type, shape);
}

/* ---- 8.9.10 conv2d, 8.9.11 convTranspose2d -------------------------------------------------- */

/* Where batch, channels, height and width stand in an input or output. */
static const uint8_t webnn__input_axes[2][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}};
/* Where output channels, input channels, height and width stand in a filter. */
static const uint8_t webnn__filter_axes[7][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {3, 2, 0, 1},
                                                 {0, 3, 1, 2}, {3, 0, 1, 2}, {1, 0, 2, 3},
                                                 {2, 3, 0, 1}};

/* A 4-D shape of batch, channels, height, width in the given layout. */
static webnn__shape webnn__image_shape(uint32_t layout, uint32_t n, uint32_t c, uint32_t h,
                                       uint32_t w) {
  return layout == WEBNN_NCHW ? webnn__shape_4(n, c, h, w) : webnn__shape_4(n, h, w, c);
}

/* The lists that both convolutions share: padding, strides, dilations. */
static bool webnn__check_window_lists(webnn__call *call, webnn_list padding, webnn_list strides,
                                      webnn_list dilations) {
  webnn__attributes *a = &call->attributes;
  return webnn__check_list(call, "padding", padding, 4, 0, &a->padding) &&
         webnn__check_list(call, "strides", strides, 2, 1, &a->strides) &&
         webnn__check_not_zero(call, "strides", &a->strides) &&
         webnn__check_list(call, "dilations", dilations, 2, 1, &a->dilations) &&
         webnn__check_not_zero(call, "dilations", &a->dilations);
}

/* Output size along height (0) or width (1), with floor or ceiling. */
static uint64_t webnn__pooled_size(const webnn__attributes *a, uint32_t in, uint32_t window,
                                   uint32_t i, bool ceiling) {
  return webnn__window_size(in, window, a->padding.dimensions[2 * i],
                            a->padding.dimensions[2 * i + 1], a->strides.dimensions[i],
                            a->dilations.dimensions[i], ceiling);
}

static bool webnn__check_image_size(webnn__call *call, uint64_t height, uint64_t width) {
  return (height > 0 && height <= WEBNN__MAX_DIMENSION && width > 0 &&
          width <= WEBNN__MAX_DIMENSION) ||
         webnn__refuse(call, "output height (%l) and width (%l) must be 1 to 2147483647", height,
                       width);
}

WEBNN_API webnn_operand *webnn_conv2d(webnn_builder *builder, webnn_operand *input,
                                      webnn_operand *filter, const webnn_conv2d_options *options) {
  WEBNN__OPTIONS(webnn_conv2d_options);
  const uint32_t filter_layout =
      (uint32_t)(o->filter_layout == WEBNN_DEFAULT_FILTER_LAYOUT ? WEBNN_OIHW : o->filter_layout);
  uint32_t x[4], w[4], groups, i;
  uint64_t height, width;
  webnn__call call;
  webnn__attributes *a = &call.attributes;
  if (!webnn__open(&call, builder, WEBNN_OP_CONV2D, options) ||
      !webnn__take(&call, 3, input, filter, o->bias) ||
      !webnn__convert_u32(&call, "groups", o->groups, 1, &groups) ||
      !webnn__check_enum(&call, "inputLayout", (int)o->input_layout, 2) ||
      !webnn__check_enum(&call, "filterLayout", (int)filter_layout, WEBNN_IHWO + 1) ||
      !webnn__start(&call) ||                                                    /* 1, 2 */
      !webnn__check_type(&call, 0) ||                                            /* 3 */
      !webnn__check_rank(&call, 0) ||                                            /* 4 */
      !webnn__check_rank(&call, 1) ||                                            /* 5 */
      !webnn__check_type(&call, 1) ||                                            /* 6 */
      !webnn__check_window_lists(&call, o->padding, o->strides, o->dilations) || /* 7-11 */
      !(groups > 0 || webnn__refuse(&call, "groups must not be 0"))) {           /* 12 */
    return NULL;
  }
  a->groups = groups;
  a->input_layout = (uint32_t)o->input_layout;
  a->filter_layout = filter_layout;
  for (i = 0; i < 4; i++) { /* 13 */
    x[i] = input->shape.dimensions[webnn__input_axes[a->input_layout][i]];
    w[i] = filter->shape.dimensions[webnn__filter_axes[filter_layout][i]];
  }
  if (x[1] % groups != 0 || (uint64_t)w[1] * groups != x[1]) { /* 14, 15 */
    (void)webnn__refuse(&call,
                        "filter input channels (%u) x groups (%u) must equal input channels (%u)",
                        w[1], groups, x[1]);
    return NULL;
  }
  if (!(w[0] % groups == 0 ||
        webnn__refuse(&call, "output channels (%u) must be divisible by groups (%u)", w[0],
                      groups)) ||                            /* 16 */
      !webnn__check_shape(&call, 2, webnn__shape_1(w[0])) || /* 17 */
      !webnn__check_type(&call, 2)) {
    return NULL;
  }
  height = webnn__pooled_size(a, x[2], w[2], 0, false);
  width = webnn__pooled_size(a, x[3], w[3], 1, false);
  if (!webnn__check_image_size(&call, height, width)) { /* 18 */
    return NULL;
  }
  return webnn__result(
      &call, input->data_type,
      webnn__image_shape(a->input_layout, x[0], w[0], (uint32_t)height, (uint32_t)width));
}

/* Step 20: the output's rows (i = 0) or columns (i = 1). */
static bool webnn__transposed_output_size(webnn__call *call, const webnn__shape *output_padding,
                                          bool sizes_given, uint32_t in, uint32_t window,
                                          uint32_t i) {
  webnn__attributes *a = &call->attributes;
  const uint32_t stride = a->strides.dimensions[i];
  const int64_t least =
      webnn__transposed_size(in, window, a->padding.dimensions[2 * i],
                             a->padding.dimensions[2 * i + 1], stride, a->dilations.dimensions[i]);
  const char *name = i == 0 ? "height" : "width";
  if (sizes_given) {
    const int64_t size = (int64_t)a->sizes.dimensions[i];
    if (size < least || size > least + (int64_t)stride - 1) {
      return webnn__refuse(call, "outputSizes %s (%u) must be %s%l to %s%l", name, (uint32_t)size,
                           least < 0 ? "-" : "", (uint64_t)(least < 0 ? -least : least),
                           least + (int64_t)stride - 1 < 0 ? "-" : "",
                           (uint64_t)(least + (int64_t)stride - 1 < 0
                                          ? -(least + (int64_t)stride - 1)
                                          : least + (int64_t)stride - 1));
    }
  }
  {
    const int64_t size = sizes_given ? (int64_t)a->sizes.dimensions[i]
                                     : least + (int64_t)output_padding->dimensions[i];
    a->sizes.dimensions[i] = size > 0 && size <= (int64_t)WEBNN__MAX_DIMENSION ? (uint32_t)size : 0;
  }
  return true;
}

WEBNN_API webnn_operand *webnn_conv_transpose2d(webnn_builder *builder, webnn_operand *input,
                                                webnn_operand *filter,
                                                const webnn_conv_transpose2d_options *options) {
  WEBNN__OPTIONS(webnn_conv_transpose2d_options);
  const uint32_t filter_layout =
      (uint32_t)(o->filter_layout == WEBNN_DEFAULT_FILTER_LAYOUT ? WEBNN_IOHW : o->filter_layout);
  const bool sizes_given = o->output_sizes.items != NULL;
  webnn__shape extra;
  uint32_t x[4], w[4], groups, i;
  uint64_t channels;
  webnn__call call;
  webnn__attributes *a = &call.attributes;
  if (!webnn__open(&call, builder, WEBNN_OP_CONV_TRANSPOSE2D, options) ||
      !webnn__take(&call, 3, input, filter, o->bias) ||
      !webnn__convert_u32(&call, "groups", o->groups, 1, &groups) ||
      !webnn__check_enum(&call, "inputLayout", (int)o->input_layout, 2) ||
      !(filter_layout == WEBNN_IOHW || filter_layout == WEBNN_HWOI || filter_layout == WEBNN_OHWI ||
        webnn__refuse(&call, "filterLayout must be iohw, hwoi or ohwi")) ||
      !webnn__start(&call) ||                                                        /* 1, 2 */
      !webnn__check_rank(&call, 0) ||                                                /* 3 */
      !webnn__check_type(&call, 0) ||                                                /* 4 */
      !webnn__check_rank(&call, 1) ||                                                /* 5 */
      !webnn__check_type(&call, 1) ||                                                /* 6 */
      !webnn__check_window_lists(&call, o->padding, o->strides, o->dilations) ||     /* 7-11 */
      !webnn__check_list(&call, "outputPadding", o->output_padding, 2, 0, &extra) || /* 12 */
      !webnn__check_list(&call, "outputSizes", o->output_sizes, 2, 0, &a->sizes) ||  /* 13 */
      !(sizes_given ||
        (extra.dimensions[0] < a->strides.dimensions[0] &&
         extra.dimensions[1] < a->strides.dimensions[1]) ||
        webnn__refuse(&call, "outputPadding %d must be less than strides %d", &extra,
                      &a->strides)) ||
      !(groups > 0 || webnn__refuse(&call, "groups must not be 0"))) { /* 14 */
    return NULL;
  }
  a->groups = groups;
  a->input_layout = (uint32_t)o->input_layout;
  a->filter_layout = filter_layout;
  for (i = 0; i < 4; i++) { /* 15 */
    x[i] = input->shape.dimensions[webnn__input_axes[a->input_layout][i]];
    w[i] = filter->shape.dimensions[webnn__filter_axes[filter_layout][i]];
  }
  channels = (uint64_t)w[0] * groups;
  if (!(x[1] == w[1] ||
        webnn__refuse(&call, "filter input channels (%u) must equal input channels (%u)", w[1],
                      x[1])) || /* 16 */
      !(channels <= WEBNN__MAX_DIMENSION ||
        webnn__refuse(&call, "filter output channels (%u) x groups (%u) must be at most 2147483647",
                      w[0], groups)) ||                                    /* 17 */
      !webnn__check_shape(&call, 2, webnn__shape_1((uint32_t)channels)) || /* 18 */
      !webnn__check_type(&call, 2) ||
      !webnn__transposed_output_size(&call, &extra, sizes_given, x[2], w[2], 0) || /* 19, 20 */
      !webnn__transposed_output_size(&call, &extra, sizes_given, x[3], w[3], 1) ||
      !webnn__check_image_size(&call, a->sizes.dimensions[0], a->sizes.dimensions[1])) { /* 21 */
    return NULL;
  }
  return webnn__result(&call, input->data_type,
                       webnn__image_shape(a->input_layout, x[0], (uint32_t)channels,
                                          a->sizes.dimensions[0], a->sizes.dimensions[1]));
}

/* ---- 8.9.12 cumulativeSum ------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_cumulative_sum(webnn_builder *builder, webnn_operand *input,
                                              uint32_t axis,
                                              const webnn_cumulative_sum_options *options) {
  WEBNN__OPTIONS(webnn_cumulative_sum_options);
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_CUMULATIVE_SUM, options) ||
      !webnn__take(&call, 1, input) || !webnn__start(&call) ||           /* 1, 2 */
      !webnn__check_type(&call, 0) || !webnn__check_axis(&call, axis)) { /* 3, 4 */
    return NULL;
  }
  call.attributes.exclusive = o->exclusive;
  call.attributes.reversed = o->reversed;
  return webnn__result_like_input(&call);
}

/* ---- 8.9.13 arithmetic, 8.9.14 comparisons and logic, 8.9.38 prelu -------------------------- */

/* Operators of two operands of one type, broadcast against each other. */
static webnn_operand *webnn__two_operands(webnn_builder *builder, webnn_op op, webnn_operand *a,
                                          webnn_operand *b, const void *options) {
  webnn__shape shape;
  webnn__call call;
  const bool logical = webnn__op_rules[op].operands[2].types == WEBNN__TYPES_UINT8;
  if (!webnn__open(&call, builder, op, options) || !webnn__take(&call, 2, a, b) ||
      !webnn__start(&call) ||             /* 1, 2; of logic also 5 */
      !webnn__check_types(&call, 0, 1) || /* 3 */
      !(webnn__broadcast(&a->shape, &b->shape, &shape) ||
        webnn__refuse(&call, "%s shape %d and %s shape %d cannot be broadcast",
                      call.rule->operands[0].name, &a->shape, call.rule->operands[1].name,
                      &b->shape))) { /* 4 */
    return NULL;
  }
  return webnn__result(&call, logical ? WEBNN_UINT8 : a->data_type, shape);
}

#define WEBNN__TWO_OPERANDS(c_name, op)                                                            \
  WEBNN_API webnn_operand *webnn_##c_name(webnn_builder *builder, webnn_operand *a,                \
                                          webnn_operand *b,                                        \
                                          const webnn_operator_options *options) {                 \
    return webnn__two_operands(builder, op, a, b, options);                                        \
  }

WEBNN__TWO_OPERANDS(add, WEBNN_OP_ADD)
WEBNN__TWO_OPERANDS(sub, WEBNN_OP_SUB)
WEBNN__TWO_OPERANDS(mul, WEBNN_OP_MUL)
WEBNN__TWO_OPERANDS(div, WEBNN_OP_DIV)
WEBNN__TWO_OPERANDS(max, WEBNN_OP_MAX)
WEBNN__TWO_OPERANDS(min, WEBNN_OP_MIN)
WEBNN__TWO_OPERANDS(pow, WEBNN_OP_POW)
WEBNN__TWO_OPERANDS(equal, WEBNN_OP_EQUAL)
WEBNN__TWO_OPERANDS(not_equal, WEBNN_OP_NOT_EQUAL)
WEBNN__TWO_OPERANDS(greater, WEBNN_OP_GREATER)
WEBNN__TWO_OPERANDS(greater_or_equal, WEBNN_OP_GREATER_OR_EQUAL)
WEBNN__TWO_OPERANDS(lesser, WEBNN_OP_LESSER)
WEBNN__TWO_OPERANDS(lesser_or_equal, WEBNN_OP_LESSER_OR_EQUAL)
WEBNN__TWO_OPERANDS(logical_and, WEBNN_OP_LOGICAL_AND)
WEBNN__TWO_OPERANDS(logical_or, WEBNN_OP_LOGICAL_OR)
WEBNN__TWO_OPERANDS(logical_xor, WEBNN_OP_LOGICAL_XOR)
WEBNN__TWO_OPERANDS(prelu, WEBNN_OP_PRELU)
#undef WEBNN__TWO_OPERANDS

/* ---- 8.9.15 and all other operators of one operand and no options --------------------------- */

static webnn_operand *webnn__one_operand(webnn_builder *builder, webnn_op op, webnn_operand *input,
                                         const void *options) {
  webnn__call call;
  const bool logical = webnn__op_rules[op].operands[1].types == WEBNN__TYPES_UINT8;
  if (!webnn__open(&call, builder, op, options) || !webnn__take(&call, 1, input) ||
      !webnn__start(&call) ||         /* 1, 2 */
      !webnn__check_type(&call, 0)) { /* 3 */
    return NULL;
  }
  return webnn__result(&call, logical ? WEBNN_UINT8 : input->data_type, input->shape);
}

#define WEBNN__ONE_OPERAND(c_name, op)                                                             \
  WEBNN_API webnn_operand *webnn_##c_name(webnn_builder *builder, webnn_operand *input,            \
                                          const webnn_operator_options *options) {                 \
    return webnn__one_operand(builder, op, input, options);                                        \
  }

WEBNN__ONE_OPERAND(logical_not, WEBNN_OP_LOGICAL_NOT)
WEBNN__ONE_OPERAND(is_nan, WEBNN_OP_IS_NAN)
WEBNN__ONE_OPERAND(is_infinite, WEBNN_OP_IS_INFINITE)
WEBNN__ONE_OPERAND(abs, WEBNN_OP_ABS)
WEBNN__ONE_OPERAND(ceil, WEBNN_OP_CEIL)
WEBNN__ONE_OPERAND(cos, WEBNN_OP_COS)
WEBNN__ONE_OPERAND(erf, WEBNN_OP_ERF)
WEBNN__ONE_OPERAND(exp, WEBNN_OP_EXP)
WEBNN__ONE_OPERAND(floor, WEBNN_OP_FLOOR)
WEBNN__ONE_OPERAND(identity, WEBNN_OP_IDENTITY)
WEBNN__ONE_OPERAND(log, WEBNN_OP_LOG)
WEBNN__ONE_OPERAND(neg, WEBNN_OP_NEG)
WEBNN__ONE_OPERAND(reciprocal, WEBNN_OP_RECIPROCAL)
WEBNN__ONE_OPERAND(round_even, WEBNN_OP_ROUND_EVEN)
WEBNN__ONE_OPERAND(sign, WEBNN_OP_SIGN)
WEBNN__ONE_OPERAND(sin, WEBNN_OP_SIN)
WEBNN__ONE_OPERAND(sqrt, WEBNN_OP_SQRT)
WEBNN__ONE_OPERAND(tan, WEBNN_OP_TAN)
WEBNN__ONE_OPERAND(gelu, WEBNN_OP_GELU)
WEBNN__ONE_OPERAND(hard_swish, WEBNN_OP_HARD_SWISH)
WEBNN__ONE_OPERAND(relu, WEBNN_OP_RELU)
WEBNN__ONE_OPERAND(sigmoid, WEBNN_OP_SIGMOID)
WEBNN__ONE_OPERAND(softplus, WEBNN_OP_SOFTPLUS)
WEBNN__ONE_OPERAND(softsign, WEBNN_OP_SOFTSIGN)
WEBNN__ONE_OPERAND(tanh, WEBNN_OP_TANH)
#undef WEBNN__ONE_OPERAND

/* ---- 8.9.16 dequantizeLinear, 8.9.17 quantizeLinear ----------------------------------------- */

/* The steps both share; `like` is the operand that has the result's type. */
static webnn_operand *webnn__quantization(webnn_builder *builder, webnn_op op, webnn_operand *input,
                                          webnn_operand *scale, webnn_operand *zero_point,
                                          uint32_t like, const void *options) {
  webnn__call call;
  if (!webnn__open(&call, builder, op, options) ||
      !webnn__take(&call, 3, input, scale, zero_point) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_types(&call, 0, 2) ||                                         /* 3-6 */
      !webnn__check_rank(&call, 1) || !webnn__check_rank(&call, 2) ||             /* 7 */
      !(webnn__same_shape(&scale->shape, &zero_point->shape) ||
        webnn__refuse(&call, "scale shape %d must be that of zeroPoint %d", &scale->shape,
                      &zero_point->shape)) || /* 8 */
      !(webnn__blockwise_to(&scale->shape, &input->shape) ||
        webnn__refuse(&call,
                      "the dimensions of scale and zeroPoint %d must divide those of input %d",
                      &scale->shape, &input->shape))) { /* 9, 10 */
    return NULL;
  }
  return webnn__result(&call, call.fixed[like]->data_type, input->shape);
}

WEBNN_API webnn_operand *webnn_dequantize_linear(webnn_builder *builder, webnn_operand *input,
                                                 webnn_operand *scale, webnn_operand *zero_point,
                                                 const webnn_operator_options *options) {
  return webnn__quantization(builder, WEBNN_OP_DEQUANTIZE_LINEAR, input, scale, zero_point, 1,
                             options);
}

WEBNN_API webnn_operand *webnn_quantize_linear(webnn_builder *builder, webnn_operand *input,
                                               webnn_operand *scale, webnn_operand *zero_point,
                                               const webnn_operator_options *options) {
  return webnn__quantization(builder, WEBNN_OP_QUANTIZE_LINEAR, input, scale, zero_point, 2,
                             options);
}

/* ---- Operators of one operand with alpha and beta: elu, hardSigmoid, leakyRelu, linear ------- */

static webnn_operand *webnn__alpha_beta(webnn_builder *builder, webnn_op op, webnn_operand *input,
                                        webnn_number alpha, double default_alpha, webnn_number beta,
                                        double default_beta, const void *options) {
  webnn__call call;
  if (!webnn__open(&call, builder, op, options) || !webnn__take(&call, 1, input) ||
      !webnn__convert_double(&call, "alpha", alpha, default_alpha, &alpha) ||
      !webnn__convert_double(&call, "beta", beta, default_beta, &beta) ||
      !webnn__start(&call) ||         /* 1, 2 */
      !webnn__check_type(&call, 0)) { /* 3 */
    return NULL;
  }
  call.attributes.alpha = webnn__cast_number(alpha, input->data_type); /* 4 */
  call.attributes.beta = webnn__cast_number(beta, input->data_type);
  return webnn__result_like_input(&call);
}

WEBNN_API webnn_operand *webnn_elu(webnn_builder *builder, webnn_operand *input,
                                   const webnn_elu_options *options) {
  WEBNN__OPTIONS(webnn_elu_options);
  return webnn__alpha_beta(builder, WEBNN_OP_ELU, input, o->alpha, 1.0, webnn_f64(0.0), 0.0,
                           options);
}

/* ---- 8.9.19 expand -------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_expand(webnn_builder *builder, webnn_operand *input,
                                      webnn_list new_shape, const webnn_operator_options *options) {
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_EXPAND, options) || !webnn__take(&call, 1, input) ||
      !webnn__check_given(&call, "newShape", new_shape) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_type(&call, 0) ||                                              /* 4-bit types */
      !webnn__check_new_shape(&call, "newShape", new_shape, &call.attributes.sizes) || /* 4 */
      !webnn__check_valid(&call, "newShape", input->data_type, &call.attributes.sizes) ||
      !(webnn__broadcasts_to(&input->shape, &call.attributes.sizes) ||
        webnn__refuse(&call, "input shape %d cannot be broadcast to newShape %d", &input->shape,
                      &call.attributes.sizes))) { /* 3 */
    return NULL;
  }
  return webnn__result(&call, input->data_type, call.attributes.sizes);
}

/* ---- 8.9.20 gather, 8.9.21 gatherElements, 8.9.22 gatherND ---------------------------------- */

/* a's dimensions [0, a_end), then b's [b_from, b_end), then c's [c_from, ...). False past the
   largest rank. */
static bool webnn__join_shapes(webnn__call *call, const webnn__shape *a, uint32_t a_end,
                               const webnn__shape *b, uint32_t b_end, const webnn__shape *c,
                               uint32_t c_from, webnn__shape *shape) {
  const uint32_t rank = a_end + b_end + (c->rank - c_from);
  if (rank > WEBNN_MAX_RANK) {
    return webnn__refuse(call, "output rank (%u) must be at most 8", rank);
  }
  memset(shape, 0, sizeof *shape);
  shape->rank = rank;
  memcpy(shape->dimensions, a->dimensions, a_end * sizeof *shape->dimensions);
  memcpy(shape->dimensions + a_end, b->dimensions, b_end * sizeof *shape->dimensions);
  memcpy(shape->dimensions + a_end + b_end, c->dimensions + c_from,
         (c->rank - c_from) * sizeof *shape->dimensions);
  return true;
}

WEBNN_API webnn_operand *webnn_gather(webnn_builder *builder, webnn_operand *input,
                                      webnn_operand *indices, const webnn_gather_options *options) {
  WEBNN__OPTIONS(webnn_gather_options);
  webnn__shape shape;
  uint32_t axis;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_GATHER, options) ||
      !webnn__take(&call, 2, input, indices) ||
      !webnn__convert_u32(&call, "axis", o->axis, 0, &axis) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_types(&call, 0, 1) ||                                              /* 3 */
      !webnn__check_axis(&call, axis) ||                                               /* 4 */
      !webnn__join_shapes(&call, &input->shape, axis, &indices->shape, indices->shape.rank,
                          &input->shape, axis + 1, &shape)) {
    return NULL;
  }
  return webnn__result(&call, input->data_type, shape);
}

/* The indices of gatherElements and scatterElements: input's shape but along axis. */
static bool webnn__check_element_indices(webnn__call *call) {
  const uint32_t axis = call->attributes.axis;
  webnn__shape expected = *webnn__shape_of(call, 0);
  expected.dimensions[axis] = webnn__shape_of(call, 1)->dimensions[axis];
  return webnn__same_shape(webnn__shape_of(call, 1), &expected) ||
         webnn__refuse(call, "indices shape %d must be input shape %d but for axis %u",
                       webnn__shape_of(call, 1), webnn__shape_of(call, 0), axis);
}

WEBNN_API webnn_operand *webnn_gather_elements(webnn_builder *builder, webnn_operand *input,
                                               webnn_operand *indices,
                                               const webnn_gather_options *options) {
  WEBNN__OPTIONS(webnn_gather_options);
  uint32_t axis;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_GATHER_ELEMENTS, options) ||
      !webnn__take(&call, 2, input, indices) ||
      !webnn__convert_u32(&call, "axis", o->axis, 0, &axis) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_types(&call, 0, 1) ||                                              /* 3 */
      !webnn__check_ranks(&call, 0, 1) ||                                              /* 4 */
      !webnn__check_axis(&call, axis) ||                                               /* 5 */
      !webnn__check_element_indices(&call)) {                                          /* 6 */
    return NULL;
  }
  return webnn__result(&call, input->data_type, indices->shape);
}

/* The length of the coordinates in the last dimension of indices: at most the rank of the input. */
static bool webnn__check_coordinates(webnn__call *call, uint32_t *length) {
  const webnn__shape *indices = webnn__shape_of(call, 1);
  *length = indices->dimensions[indices->rank - 1];
  return *length <= webnn__shape_of(call, 0)->rank ||
         webnn__refuse(call,
                       "the last dimension of indices (%u) must be at most the rank of input (%u)",
                       *length, webnn__shape_of(call, 0)->rank);
}

WEBNN_API webnn_operand *webnn_gather_nd(webnn_builder *builder, webnn_operand *input,
                                         webnn_operand *indices,
                                         const webnn_operator_options *options) {
  webnn__shape shape;
  uint32_t length;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_GATHER_ND, options) ||
      !webnn__take(&call, 2, input, indices) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_types(&call, 0, 1) ||                               /* 3 */
      !webnn__check_ranks(&call, 0, 1) ||                               /* 4 */
      !webnn__check_coordinates(&call, &length) ||                      /* 5 */
      !webnn__join_shapes(&call, &indices->shape, indices->shape.rank - 1, &indices->shape, 0,
                          &input->shape, length, &shape)) {
    return NULL;
  }
  return webnn__result(&call, input->data_type, shape);
}

/* ---- 8.9.24 gemm ---------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_gemm(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                    const webnn_gemm_options *options) {
  WEBNN__OPTIONS(webnn_gemm_options);
  const uint32_t ta = o->a_transpose ? 1 : 0, tb = o->b_transpose ? 1 : 0;
  webnn_number alpha, beta;
  webnn__shape shape;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_GEMM, options) || !webnn__take(&call, 3, a, b, o->c) ||
      !webnn__convert_double(&call, "alpha", o->alpha, 1.0, &alpha) ||
      !webnn__convert_double(&call, "beta", o->beta, 1.0, &beta) ||
      !webnn__start(&call) ||             /* 1, 2 */
      !webnn__check_types(&call, 0, 1) || /* 3 */
      !webnn__check_ranks(&call, 0, 1)) { /* 4 */
    return NULL;
  }
  call.attributes.alpha = webnn__cast_number(alpha, a->data_type); /* 5 */
  call.attributes.beta = webnn__cast_number(beta, a->data_type);
  call.attributes.a_transpose = o->a_transpose;
  call.attributes.b_transpose = o->b_transpose;
  shape = webnn__shape_2(a->shape.dimensions[ta], b->shape.dimensions[1 - tb]);
  if (!(a->shape.dimensions[1 - ta] == b->shape.dimensions[tb] ||
        webnn__refuse(&call, "columns of a (%u) must equal rows of b (%u)",
                      a->shape.dimensions[1 - ta], b->shape.dimensions[tb])) || /* 6 */
      !(o->c == NULL || webnn__broadcasts_to(&o->c->shape, &shape) ||
        webnn__refuse(&call, "c shape %d cannot be broadcast to %d", &o->c->shape,
                      &shape)) || /* 7 */
      !webnn__check_type(&call, 2)) {
    return NULL;
  }
  return webnn__result(&call, a->data_type, shape);
}

/* ---- 8.9.25 gru, 8.9.26 gruCell, 8.9.33 lstm, 8.9.34 lstmCell ------------------------------- */

/* What the four recurrent operators have in common: `gates` blocks of H rows in weights and
   biases. */
static bool webnn__check_activations(webnn__call *call, webnn_activation_list list,
                                     uint32_t count) {
  uint32_t i;
  for (i = 0; i < 3; i++) {
    call->attributes.activations[i] = i == 0 ? (uint32_t)WEBNN_SIGMOID : (uint32_t)WEBNN_TANH;
  }
  if (list.items == NULL) {
    return true;
  }
  if (list.count != count) {
    return webnn__refuse(call, "activations must have %u items, not %l", count,
                         (uint64_t)list.count);
  }
  for (i = 0; i < count; i++) {
    if (!webnn__check_enum(call, "activations", (int)list.items[i], 3)) {
      return false;
    }
    call->attributes.activations[i] = (uint32_t)list.items[i];
  }
  return true;
}

/* The interface layer's part, shared by all four. */
static bool webnn__check_recurrent_enums(webnn__call *call, webnn_activation_list activations,
                                         int layout, webnn_recurrent_network_direction direction) {
  size_t i;
  for (i = 0; activations.items != NULL && i < activations.count; i++) {
    if (!webnn__check_enum(call, "activations", (int)activations.items[i], 3)) {
      return false;
    }
  }
  call->attributes.gate_layout = (uint32_t)layout;
  call->attributes.direction = (uint32_t)direction;
  return webnn__check_enum(call, "layout", layout, 2) &&
         webnn__check_enum(call, "direction", (int)direction, 3);
}

/* 2 gates H must be a valid dimension (6H for gru, 8H for lstm). */
static bool webnn__check_hidden_size(webnn__call *call, uint32_t gates, uint32_t hidden) {
  return (uint64_t)2 * gates * hidden <= WEBNN__MAX_DIMENSION ||
         webnn__refuse(call, "hiddenSize (%u) x %u must be at most 2147483647", hidden, 2 * gates);
}

/* gates x H, the rows of weight, must be a dimension at all. */
static bool webnn__gate_rows(webnn__call *call, uint32_t gates, uint32_t hidden, uint32_t *rows) {
  const uint64_t product = (uint64_t)gates * hidden;
  *rows = (uint32_t)product;
  return (product > 0 && product <= UINT32_MAX) ||
         webnn__refuse(call, "weight shape %d must have %u x hiddenSize (%u) rows",
                       webnn__shape_of(call, 1), gates, hidden);
}

/* Steps 3-9 of gru and lstm, and their biases: operands input, weight, recurrentWeight, bias,
   recurrentBias. */
static bool webnn__check_recurrent(webnn__call *call, uint32_t gates, uint32_t steps,
                                   uint32_t hidden) {
  const uint32_t directions = call->attributes.direction == WEBNN_BOTH ? 2 : 1;
  const webnn__shape *input = webnn__shape_of(call, 0);
  uint32_t rows;
  call->attributes.steps = steps;
  call->attributes.hidden_size = hidden;
  return webnn__check_types(call, 0, 2) && webnn__check_ranks(call, 0, 2) &&
         (steps != 0 || gates != 4 || webnn__refuse(call, "steps (0) must not be 0")) &&
         (input->dimensions[0] == steps ||
          webnn__refuse(call, "steps (%u) must be the first dimension of input %d", steps,
                        input)) &&
         webnn__gate_rows(call, gates, hidden, &rows) &&
         webnn__check_shape(call, 1, webnn__shape_3(directions, rows, input->dimensions[2])) &&
         webnn__check_shape(call, 2, webnn__shape_3(directions, rows, hidden)) &&
         webnn__check_hidden_size(call, gates, hidden) &&
         webnn__check_optional(call, 3, webnn__shape_2(directions, rows)) &&
         webnn__check_optional(call, 4, webnn__shape_2(directions, rows));
}

/* The shapes of the results: `states` times [D, B, H], then [steps, D, B, H] if asked for. */
static size_t webnn__recurrent_results(webnn__call *call, uint32_t states,
                                       webnn_operand **outputs) {
  const webnn__attributes *a = &call->attributes;
  const webnn__shape *input = webnn__shape_of(call, 0);
  const uint32_t directions = a->direction == WEBNN_BOTH ? 2 : 1;
  const webnn_data_type type = call->fixed[0]->data_type;
  const uint32_t count = states + (a->return_sequence ? 1 : 0);
  webnn__shape shapes[3];
  uint32_t i;
  for (i = 0; i < states; i++) {
    shapes[i] = webnn__shape_3(directions, input->dimensions[1], a->hidden_size);
  }
  shapes[states] = webnn__shape_4(a->steps, directions, input->dimensions[1], a->hidden_size);
  for (i = 0; i < count; i++) {
    if (!webnn__check_output(call, type, &shapes[i])) {
      return 0;
    }
  }
  return webnn__connect(call, count, type, shapes, outputs) ? count : 0;
}

/* Methods with several outputs: all NULL until they succeed, even without a builder. */
static bool webnn__clear_outputs_of(webnn__call *call, bool usable, webnn_operand **outputs,
                                    size_t count) {
  size_t i;
  for (i = 0; outputs != NULL && i < count; i++) {
    outputs[i] = NULL;
  }
  return usable && (outputs != NULL || webnn__refuse(call, "there is no place for the outputs"));
}

WEBNN_API size_t webnn_gru(webnn_builder *builder, webnn_operand *input, webnn_operand *weight,
                           webnn_operand *recurrent_weight, uint32_t steps, uint32_t hidden_size,
                           const webnn_gru_options *options, webnn_operand **outputs) {
  WEBNN__OPTIONS(webnn_gru_options);
  webnn__call call;
  const bool usable = webnn__open(&call, builder, WEBNN_OP_GRU, options);
  call.attributes.reset_after = o->reset_after != WEBNN_FALSE;
  call.attributes.return_sequence = o->return_sequence;
  if (!webnn__clear_outputs_of(&call, usable, outputs, o->return_sequence ? 2 : 1) ||
      !webnn__take(&call, 6, input, weight, recurrent_weight, o->bias, o->recurrent_bias,
                   o->initial_hidden_state) ||
      !webnn__check_recurrent_enums(&call, o->activations, (int)o->layout, o->direction) ||
      !webnn__check_enum(&call, "resetAfter", (int)o->reset_after, 3) ||
      !webnn__start(&call) ||                                  /* 1, 2 */
      !webnn__check_recurrent(&call, 3, steps, hidden_size) || /* 3-11 */
      !webnn__check_optional(&call, 5,
                             webnn__shape_3(weight->shape.dimensions[0], input->shape.dimensions[1],
                                            hidden_size)) || /* 12 */
      !webnn__check_activations(&call, o->activations, 2)) { /* 13 */
    return 0;
  }
  return webnn__recurrent_results(&call, 1, outputs);
}

/* Steps 3-9 of the cells, then their biases: operands input, weight, recurrentWeight, states ...,
   bias, recurrentBias. */
static bool webnn__check_cell(webnn__call *call, uint32_t gates, uint32_t hidden, uint32_t states) {
  webnn__shape state;
  uint32_t i, rows;
  call->attributes.hidden_size = hidden;
  if (!webnn__check_types(call, 0, 2 + states) || !webnn__check_ranks(call, 0, 2 + states) ||
      !webnn__gate_rows(call, gates, hidden, &rows) ||
      !webnn__check_shape(call, 1, webnn__shape_2(rows, webnn__shape_of(call, 0)->dimensions[1])) ||
      !webnn__check_shape(call, 2, webnn__shape_2(rows, hidden))) {
    return false;
  }
  state = webnn__shape_2(webnn__shape_of(call, 0)->dimensions[0], hidden);
  for (i = 0; i < states; i++) {
    if (!webnn__check_shape(call, 3 + i, state)) {
      return false;
    }
  }
  return webnn__check_hidden_size(call, gates, hidden) &&
         webnn__check_optional(call, 3 + states, webnn__shape_1(rows)) &&
         webnn__check_optional(call, 4 + states, webnn__shape_1(rows));
}

WEBNN_API webnn_operand *webnn_gru_cell(webnn_builder *builder, webnn_operand *input,
                                        webnn_operand *weight, webnn_operand *recurrent_weight,
                                        webnn_operand *hidden_state, uint32_t hidden_size,
                                        const webnn_gru_cell_options *options) {
  WEBNN__OPTIONS(webnn_gru_cell_options);
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_GRU_CELL, options) ||
      !webnn__take(&call, 6, input, weight, recurrent_weight, hidden_state, o->bias,
                   o->recurrent_bias) ||
      !webnn__check_recurrent_enums(&call, o->activations, (int)o->layout, WEBNN_FORWARD) ||
      !webnn__check_enum(&call, "resetAfter", (int)o->reset_after, 3) ||
      !webnn__start(&call) ||                                /* 1, 2 */
      !webnn__check_cell(&call, 3, hidden_size, 1) ||        /* 3-11 */
      !webnn__check_activations(&call, o->activations, 2)) { /* 12 */
    return NULL;
  }
  call.attributes.reset_after = o->reset_after != WEBNN_FALSE;
  return webnn__result(&call, input->data_type, hidden_state->shape);
}

WEBNN_API size_t webnn_lstm(webnn_builder *builder, webnn_operand *input, webnn_operand *weight,
                            webnn_operand *recurrent_weight, uint32_t steps, uint32_t hidden_size,
                            const webnn_lstm_options *options, webnn_operand **outputs) {
  WEBNN__OPTIONS(webnn_lstm_options);
  webnn__shape state;
  webnn__call call;
  const bool usable = webnn__open(&call, builder, WEBNN_OP_LSTM, options);
  call.attributes.return_sequence = o->return_sequence;
  if (!webnn__clear_outputs_of(&call, usable, outputs, o->return_sequence ? 3 : 2) ||
      !webnn__take(&call, 8, input, weight, recurrent_weight, o->bias, o->recurrent_bias,
                   o->peephole_weight, o->initial_hidden_state, o->initial_cell_state) ||
      !webnn__check_recurrent_enums(&call, o->activations, (int)o->layout, o->direction) ||
      !webnn__start(&call) ||                                  /* 1, 2 */
      !webnn__check_recurrent(&call, 4, steps, hidden_size)) { /* 3-11 */
    return 0;
  }
  state = webnn__shape_3(weight->shape.dimensions[0], input->shape.dimensions[1], hidden_size);
  if (!webnn__check_optional(
          &call, 5, webnn__shape_2(weight->shape.dimensions[0], 3 * hidden_size)) || /* 12 */
      !webnn__check_optional(&call, 6, state) ||                                     /* 13 */
      !webnn__check_optional(&call, 7, state) ||                                     /* 14 */
      !webnn__check_activations(&call, o->activations, 3)) {                         /* 15 */
    return 0;
  }
  return webnn__recurrent_results(&call, 2, outputs);
}

WEBNN_API size_t webnn_lstm_cell(webnn_builder *builder, webnn_operand *input,
                                 webnn_operand *weight, webnn_operand *recurrent_weight,
                                 webnn_operand *hidden_state, webnn_operand *cell_state,
                                 uint32_t hidden_size, const webnn_lstm_cell_options *options,
                                 webnn_operand **outputs) {
  WEBNN__OPTIONS(webnn_lstm_cell_options);
  webnn__shape shapes[2];
  webnn__call call;
  const bool usable = webnn__open(&call, builder, WEBNN_OP_LSTM_CELL, options);
  if (!webnn__clear_outputs_of(&call, usable, outputs, 2) ||
      !webnn__take(&call, 8, input, weight, recurrent_weight, hidden_state, cell_state, o->bias,
                   o->recurrent_bias, o->peephole_weight) ||
      !webnn__check_recurrent_enums(&call, o->activations, (int)o->layout, WEBNN_FORWARD) ||
      !webnn__start(&call) ||                                              /* 1, 2 */
      !webnn__check_cell(&call, 4, hidden_size, 2) ||                      /* 3-11 */
      !webnn__check_optional(&call, 7, webnn__shape_1(3 * hidden_size)) || /* 12 */
      !webnn__check_activations(&call, o->activations, 3)) {               /* 13 */
    return 0;
  }
  shapes[0] = shapes[1] = hidden_state->shape;
  return webnn__check_output(&call, input->data_type, &shapes[0]) &&
                 webnn__connect(&call, 2, input->data_type, shapes, outputs)
             ? 2
             : 0;
}

/* ---- 8.9.27 hardSigmoid, 8.9.31 leakyRelu, 8.9.32 linear ------------------------------------ */

WEBNN_API webnn_operand *webnn_hard_sigmoid(webnn_builder *builder, webnn_operand *input,
                                            const webnn_hard_sigmoid_options *options) {
  WEBNN__OPTIONS(webnn_hard_sigmoid_options);
  return webnn__alpha_beta(builder, WEBNN_OP_HARD_SIGMOID, input, o->alpha, 0.2, o->beta, 0.5,
                           options);
}

WEBNN_API webnn_operand *webnn_leaky_relu(webnn_builder *builder, webnn_operand *input,
                                          const webnn_leaky_relu_options *options) {
  WEBNN__OPTIONS(webnn_leaky_relu_options);
  return webnn__alpha_beta(builder, WEBNN_OP_LEAKY_RELU, input, o->alpha, 0.01, webnn_f64(0.0), 0.0,
                           options);
}

WEBNN_API webnn_operand *webnn_linear(webnn_builder *builder, webnn_operand *input,
                                      const webnn_linear_options *options) {
  WEBNN__OPTIONS(webnn_linear_options);
  return webnn__alpha_beta(builder, WEBNN_OP_LINEAR, input, o->alpha, 1.0, o->beta, 0.0, options);
}

/* ---- 8.9.29 instanceNormalization, 8.9.30 layerNormalization -------------------------------- */

WEBNN_API webnn_operand *
webnn_instance_normalization(webnn_builder *builder, webnn_operand *input,
                             const webnn_instance_normalization_options *options) {
  WEBNN__OPTIONS(webnn_instance_normalization_options);
  webnn_number epsilon;
  webnn__shape channels;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_INSTANCE_NORMALIZATION, options) ||
      !webnn__take(&call, 3, input, o->scale, o->bias) ||
      !webnn__convert_double(&call, "epsilon", o->epsilon, 1e-5, &epsilon) ||
      !webnn__check_enum(&call, "layout", (int)o->layout, 2) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_type(&call, 0) ||                                                   /* 3 */
      !webnn__check_rank(&call, 0)) {                                                   /* 4 */
    return NULL;
  }
  call.attributes.epsilon = webnn__cast_number(epsilon, input->data_type); /* 5 */
  call.attributes.input_layout = (uint32_t)o->layout;                      /* 6 */
  channels = webnn__shape_1(input->shape.dimensions[webnn__input_axes[o->layout][1]]);
  if (!webnn__check_optional(&call, 1, channels) || /* 7 */
      !webnn__check_optional(&call, 2, channels)) { /* 8 */
    return NULL;
  }
  return webnn__result_like_input(&call);
}

/* Axes in the caller's order; absent: 1 ... rank - 1. */
static bool webnn__check_axes_in_order(webnn__call *call, webnn_list axes, webnn__shape *list) {
  const uint32_t rank = webnn__shape_of(call, 0)->rank;
  uint32_t set;
  if (!webnn__axis_set(axes, rank, ((1u << rank) - 1u) & ~1u, &set)) {
    return webnn__refuse(call, "axes %a must be different and less than the rank of input (%u)",
                         &axes, rank);
  }
  if (axes.items != NULL) {
    return webnn__check_list(call, "axes", axes, (uint32_t)axes.count, 0, list);
  }
  webnn__list_axes(set, list);
  return true;
}

/* Scale and bias have the input's type and a dimension for each axis. */
static bool webnn__check_parameter_rank(webnn__call *call, uint32_t i) {
  const uint32_t axes = call->attributes.axes.rank;
  return webnn__check_type(call, i) &&
         (call->fixed[i] == NULL || call->fixed[i]->shape.rank == axes ||
          webnn__refuse(call, "%s rank (%u) must be the number of axes (%u)",
                        call->rule->operands[i].name, call->fixed[i]->shape.rank, axes));
}

WEBNN_API webnn_operand *
webnn_layer_normalization(webnn_builder *builder, webnn_operand *input,
                          const webnn_layer_normalization_options *options) {
  WEBNN__OPTIONS(webnn_layer_normalization_options);
  webnn_number epsilon;
  webnn__shape parameters;
  uint32_t i;
  webnn__call call;
  webnn__shape *axes = &call.attributes.axes;
  if (!webnn__open(&call, builder, WEBNN_OP_LAYER_NORMALIZATION, options) ||
      !webnn__take(&call, 3, input, o->scale, o->bias) ||
      !webnn__convert_double(&call, "epsilon", o->epsilon, 1e-5, &epsilon) ||
      !webnn__start(&call) ||                              /* 1, 2 */
      !webnn__check_type(&call, 0) ||                      /* 3 */
      !webnn__check_axes_in_order(&call, o->axes, axes)) { /* 4 */
    return NULL;
  }
  call.attributes.epsilon = webnn__cast_number(epsilon, input->data_type); /* 5 */
  memset(&parameters, 0, sizeof parameters);
  parameters.rank = axes->rank;
  for (i = 0; i < axes->rank; i++) {
    parameters.dimensions[i] = input->shape.dimensions[axes->dimensions[i]];
  }
  if (!webnn__check_parameter_rank(&call, 1) || !webnn__check_parameter_rank(&call, 2) || /* 6, 7 */
      !webnn__check_shape(&call, 1, parameters) ||                                        /* 8 */
      !webnn__check_shape(&call, 2, parameters)) {
    return NULL;
  }
  return webnn__result_like_input(&call);
}

/* ---- 8.9.35 matmul -------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_matmul(webnn_builder *builder, webnn_operand *a, webnn_operand *b,
                                      const webnn_operator_options *options) {
  webnn__shape batch_a, batch_b, shape;
  uint32_t columns, rows;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_MATMUL, options) || !webnn__take(&call, 2, a, b) ||
      !webnn__start(&call) ||             /* 1, 2 */
      !webnn__check_types(&call, 0, 1) || /* 3 */
      !webnn__check_ranks(&call, 0, 1)) { /* 4 */
    return NULL;
  }
  columns = a->shape.dimensions[a->shape.rank - 1];
  rows = b->shape.dimensions[b->shape.rank - 2];
  batch_a = a->shape;
  batch_a.rank -= 2;
  batch_b = b->shape;
  batch_b.rank -= 2;
  if (!(columns == rows || webnn__refuse(&call, "columns of a (%u) must equal rows of b (%u)",
                                         columns, rows)) || /* 5 */
      !(webnn__broadcast(&batch_a, &batch_b, &shape) ||
        webnn__refuse(&call, "the batch dimensions of a %d and b %d cannot be broadcast", &a->shape,
                      &b->shape))) { /* 6 */
    return NULL;
  }
  shape.dimensions[shape.rank++] = a->shape.dimensions[a->shape.rank - 2];
  shape.dimensions[shape.rank++] = b->shape.dimensions[b->shape.rank - 1];
  return webnn__result(&call, a->data_type, shape);
}

/* ---- 8.9.36 pad ----------------------------------------------------------------------------- */

/* Steps 4 and 5 for dimension d: a mirror has room for size - 1 elements (size, if the border is
   repeated); then the padded size. */
static bool webnn__check_padded_dimension(webnn__call *call, uint32_t d, webnn__shape *shape) {
  const webnn__attributes *a = &call->attributes;
  const uint64_t size = shape->dimensions[d];
  const uint64_t begin = a->starts.dimensions[d], end = a->sizes.dimensions[d];
  const uint64_t room = a->mode == WEBNN_REFLECTION ? size - 1 : size;
  const uint64_t padded = begin + size + end;
  if ((a->mode == WEBNN_REFLECTION || a->mode == WEBNN_SYMMETRIC) && (begin > room || end > room)) {
    return webnn__refuse(call, "%s (%l) of dimension %u must be at most %l for a mirror",
                         begin > room ? "beginningPadding" : "endingPadding",
                         begin > room ? begin : end, d, room);
  }
  if (padded > WEBNN__MAX_DIMENSION) {
    return webnn__refuse(call, "the padded size of dimension %u (%l) must be at most 2147483647", d,
                         padded);
  }
  shape->dimensions[d] = (uint32_t)padded;
  return true;
}

WEBNN_API webnn_operand *webnn_pad(webnn_builder *builder, webnn_operand *input,
                                   webnn_list beginning_padding, webnn_list ending_padding,
                                   const webnn_pad_options *options) {
  WEBNN__OPTIONS(webnn_pad_options);
  webnn__shape shape;
  uint32_t d;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_PAD, options) || !webnn__take(&call, 1, input) ||
      !webnn__check_given(&call, "beginningPadding", beginning_padding) ||
      !webnn__check_given(&call, "endingPadding", ending_padding) ||
      !webnn__check_enum(&call, "mode", (int)o->mode, 4) ||
      !webnn__number_is_tagged(&call, "value", o->value) ||
      !webnn__check_number(&call, "value", o->value, input->data_type) ||
      !webnn__start(&call) ||         /* 1, 2 */
      !webnn__check_type(&call, 0) || /* 4-bit types */
      !webnn__check_list(&call, "beginningPadding", beginning_padding, input->shape.rank, 0,
                         &call.attributes.starts) || /* 3 */
      !webnn__check_list(&call, "endingPadding", ending_padding, input->shape.rank, 0,
                         &call.attributes.sizes)) {
    return NULL;
  }
  call.attributes.mode = (uint32_t)o->mode;
  shape = input->shape;
  for (d = 0; d < shape.rank; d++) { /* 4, 5 */
    if (!webnn__check_padded_dimension(&call, d, &shape)) {
      return NULL;
    }
  }
  call.attributes.alpha = webnn__cast_number(
      o->value.kind == WEBNN_NUMBER_ABSENT ? webnn_f64(0.0) : o->value, input->data_type); /* 6 */
  return webnn__result(&call, input->data_type, shape);
}

/* ---- 8.9.37 averagePool2d, l2Pool2d, maxPool2d ---------------------------------------------- */

/* Step 14: the sizes, or those given if they are both the floors or both the ceilings. */
static bool webnn__check_pool_sizes(webnn__call *call, uint32_t height, uint32_t width,
                                    const webnn_pool2d_options *o) {
  webnn__attributes *a = &call->attributes;
  const uint32_t in[2] = {height, width};
  uint64_t size[2][2]; /* [floor, ceiling][height, width] */
  uint32_t i;
  for (i = 0; i < 2; i++) {
    size[0][i] = webnn__pooled_size(a, in[i], a->window.dimensions[i], i, false);
    size[1][i] = webnn__pooled_size(a, in[i], a->window.dimensions[i], i, true);
  }
  if (o->output_sizes.items != NULL) {
    const uint64_t h = a->sizes.dimensions[0], w = a->sizes.dimensions[1];
    if (!(h == size[0][0] && w == size[0][1]) && !(h == size[1][0] && w == size[1][1])) {
      return webnn__refuse(call, "outputSizes %d must be [%l, %l] or [%l, %l]", &a->sizes,
                           size[0][0], size[0][1], size[1][0], size[1][1]);
    }
    return webnn__check_image_size(call, h, w);
  }
  i = o->output_shape_rounding == WEBNN_CEIL ? 1 : 0;
  if (!webnn__check_image_size(call, size[i][0], size[i][1])) { /* 15 */
    return false;
  }
  a->sizes.dimensions[0] = (uint32_t)size[i][0];
  a->sizes.dimensions[1] = (uint32_t)size[i][1];
  return true;
}

static webnn_operand *webnn__pool2d(webnn_builder *builder, webnn_op op, webnn_operand *input,
                                    const webnn_pool2d_options *options) {
  WEBNN__OPTIONS(webnn_pool2d_options);
  uint32_t x[4], i;
  webnn__call call;
  webnn__attributes *a = &call.attributes;
  if (!webnn__open(&call, builder, op, options) || !webnn__take(&call, 1, input) ||
      !webnn__check_enum(&call, "layout", (int)o->layout, 2) ||
      !webnn__check_enum(&call, "outputShapeRounding", (int)o->output_shape_rounding, 2) ||
      !webnn__start(&call) ||         /* 1, 2 */
      !webnn__check_type(&call, 0) || /* 3 */
      !webnn__check_rank(&call, 0)) { /* 4 */
    return NULL;
  }
  a->input_layout = (uint32_t)o->layout;
  for (i = 0; i < 4; i++) {
    x[i] = input->shape.dimensions[webnn__input_axes[o->layout][i]];
  }
  if (!webnn__check_list(&call, "windowDimensions", o->window_dimensions, 2, 0,
                         &a->window)) { /* 6 */
    return NULL;
  }
  if (o->window_dimensions.items == NULL) { /* 5 */
    a->window = webnn__shape_2(x[2], x[3]);
  }
  if (!webnn__check_not_zero(&call, "windowDimensions", &a->window) ||              /* 7 */
      !webnn__check_window_lists(&call, o->padding, o->strides, o->dilations) ||    /* 8-13 */
      !webnn__check_list(&call, "outputSizes", o->output_sizes, 2, 0, &a->sizes) || /* 11 */
      !webnn__check_pool_sizes(&call, x[2], x[3], o)) {                             /* 14, 15 */
    return NULL;
  }
  return webnn__result(&call, input->data_type,
                       webnn__image_shape(a->input_layout, x[0], x[1], a->sizes.dimensions[0],
                                          a->sizes.dimensions[1]));
}

WEBNN_API webnn_operand *webnn_average_pool2d(webnn_builder *builder, webnn_operand *input,
                                              const webnn_pool2d_options *options) {
  return webnn__pool2d(builder, WEBNN_OP_AVERAGE_POOL2D, input, options);
}

WEBNN_API webnn_operand *webnn_l2_pool2d(webnn_builder *builder, webnn_operand *input,
                                         const webnn_pool2d_options *options) {
  return webnn__pool2d(builder, WEBNN_OP_L2_POOL2D, input, options);
}

WEBNN_API webnn_operand *webnn_max_pool2d(webnn_builder *builder, webnn_operand *input,
                                          const webnn_pool2d_options *options) {
  return webnn__pool2d(builder, WEBNN_OP_MAX_POOL2D, input, options);
}

/* ---- 8.9.39 reductions ---------------------------------------------------------------------- */

/* Axes as a set; absent: all. Kept in ascending order, since their order does not matter. */
static bool webnn__check_axes(webnn__call *call, webnn_list axes, uint32_t *set) {
  const uint32_t rank = webnn__shape_of(call, 0)->rank;
  if (!webnn__axis_set(axes, rank, (1u << rank) - 1u, set)) {
    return webnn__refuse(call, "axes %a must be different and less than the rank of input (%u)",
                         &axes, rank);
  }
  webnn__list_axes(*set, &call->attributes.axes);
  return true;
}

static webnn_operand *webnn__reduce(webnn_builder *builder, webnn_op op, webnn_operand *input,
                                    const webnn_reduce_options *options) {
  WEBNN__OPTIONS(webnn_reduce_options);
  uint32_t set;
  webnn__call call;
  if (!webnn__open(&call, builder, op, options) || !webnn__take(&call, 1, input) ||
      !webnn__start(&call) ||                     /* 1, 2 */
      !webnn__check_type(&call, 0) ||             /* 3 */
      !webnn__check_axes(&call, o->axes, &set)) { /* 4 */
    return NULL;
  }
  call.attributes.keep_dimensions = o->keep_dimensions;
  return webnn__result(&call, input->data_type,
                       webnn__reduced_shape(&input->shape, set, o->keep_dimensions));
}

#define WEBNN__REDUCE(c_name, op)                                                                  \
  WEBNN_API webnn_operand *webnn_reduce_##c_name(webnn_builder *builder, webnn_operand *input,     \
                                                 const webnn_reduce_options *options) {            \
    return webnn__reduce(builder, op, input, options);                                             \
  }

WEBNN__REDUCE(l1, WEBNN_OP_REDUCE_L1)
WEBNN__REDUCE(l2, WEBNN_OP_REDUCE_L2)
WEBNN__REDUCE(log_sum, WEBNN_OP_REDUCE_LOG_SUM)
WEBNN__REDUCE(log_sum_exp, WEBNN_OP_REDUCE_LOG_SUM_EXP)
WEBNN__REDUCE(max, WEBNN_OP_REDUCE_MAX)
WEBNN__REDUCE(mean, WEBNN_OP_REDUCE_MEAN)
WEBNN__REDUCE(min, WEBNN_OP_REDUCE_MIN)
WEBNN__REDUCE(product, WEBNN_OP_REDUCE_PRODUCT)
WEBNN__REDUCE(sum, WEBNN_OP_REDUCE_SUM)
WEBNN__REDUCE(sum_square, WEBNN_OP_REDUCE_SUM_SQUARE)
#undef WEBNN__REDUCE

/* ---- 8.9.41 resample2d ---------------------------------------------------------------------- */

/* floor(size x scale), exactly: the product of a 32-bit integer and a float32 significand fits in
   64 bits. Saturates at 2^32, which is refused. */
static uint64_t webnn__scaled_size(uint32_t size, float scale) {
  uint32_t bits;
  webnn__float_parts parts;
  memcpy(&bits, &scale, sizeof bits);
  parts = webnn__decode_float(bits, 23, 8);
  if (parts.exponent >= 0) {
    return parts.exponent > 8 ? (uint64_t)1 << 32 : size * parts.significand << parts.exponent;
  }
  return parts.exponent <= -64 ? 0 : size * parts.significand >> -parts.exponent;
}

/* Step 5: both scales positive and finite. */
static bool webnn__check_scales(webnn__call *call, webnn_float_list scales) {
  size_t i;
  if (scales.items == NULL) {
    return true;
  }
  for (i = 0; i < scales.count; i++) {
    uint32_t bits;
    webnn__float_parts parts;
    memcpy(&bits, &scales.items[i], sizeof bits);
    parts = webnn__decode_float(bits, 23, 8);
    if (parts.kind != WEBNN__FINITE || parts.negative) {
      return webnn__refuse(call, "scales must be finite and greater than 0");
    }
  }
  return scales.count == 2 ||
         webnn__refuse(call, "scales must have 2 items, not %l", (uint64_t)scales.count);
}

WEBNN_API webnn_operand *webnn_resample2d(webnn_builder *builder, webnn_operand *input,
                                          const webnn_resample2d_options *options) {
  static const uint32_t default_axes[2] = {2, 3};
  WEBNN__OPTIONS(webnn_resample2d_options);
  webnn__shape shape;
  uint32_t i, set;
  webnn__call call;
  webnn__attributes *a = &call.attributes;
  if (!webnn__open(&call, builder, WEBNN_OP_RESAMPLE2D, options) || !webnn__take(&call, 1, input) ||
      !webnn__check_enum(&call, "mode", (int)o->mode, 2) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_type(&call, 0) ||                                               /* 3 */
      !webnn__check_rank(&call, 0) ||                                               /* 4 */
      !webnn__check_scales(&call, o->scales) ||                                     /* 5 */
      !webnn__check_list(&call, "sizes", o->sizes, 2, 1, &a->sizes) ||              /* 6 */
      !webnn__check_not_zero(&call, "sizes", &a->sizes) ||
      !(webnn__axis_set(o->axes, 4, 0, &set) ||
        webnn__refuse(&call, "axes %a must be different and less than the rank of input (4)",
                      &o->axes)) || /* 7 */
      !webnn__check_list(&call, "axes", o->axes, 2, 0, &a->axes)) {
    return NULL;
  }
  if (o->axes.items == NULL) {
    memcpy(a->axes.dimensions, default_axes, sizeof default_axes);
  }
  a->mode = (uint32_t)o->mode;
  shape = input->shape;
  for (i = 0; i < 2; i++) { /* 8 */
    const uint32_t axis = a->axes.dimensions[i];
    const float scale = o->scales.items != NULL ? o->scales.items[i] : 1.0f;
    const uint64_t size = o->sizes.items != NULL
                              ? (uint64_t)a->sizes.dimensions[i]
                              : webnn__scaled_size(shape.dimensions[axis], scale);
    if (size == 0 || size > WEBNN__MAX_DIMENSION) {
      (void)webnn__refuse(&call, "%s: the new size of dimension %u (%l) must be 1 to 2147483647",
                          o->sizes.items != NULL ? "sizes" : "scales", axis, size);
      return NULL;
    }
    a->sizes.dimensions[i] = shape.dimensions[axis] = (uint32_t)size;
  }
  return webnn__result(&call, input->data_type, shape);
}

/* ---- 8.9.42 reshape ------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_reshape(webnn_builder *builder, webnn_operand *input,
                                       webnn_list new_shape,
                                       const webnn_operator_options *options) {
  webnn__call call;
  webnn__shape *shape = &call.attributes.sizes;
  if (!webnn__open(&call, builder, WEBNN_OP_RESHAPE, options) || !webnn__take(&call, 1, input) ||
      !webnn__check_given(&call, "newShape", new_shape) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_new_shape(&call, "newShape", new_shape, shape) ||              /* 3 */
      !webnn__check_valid(&call, "newShape", input->data_type, shape) ||           /* 4 */
      !(webnn__element_count(shape) == webnn__element_count(&input->shape) ||
        webnn__refuse(&call, "newShape %d has %l elements, input %d has %l", shape,
                      webnn__element_count(shape), &input->shape,
                      webnn__element_count(&input->shape)))) { /* 5 */
    return NULL;
  }
  return webnn__result(&call, input->data_type, *shape);
}

/* ---- 8.9.43 reverse ------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_reverse(webnn_builder *builder, webnn_operand *input,
                                       const webnn_reverse_options *options) {
  WEBNN__OPTIONS(webnn_reverse_options);
  uint32_t set;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_REVERSE, options) || !webnn__take(&call, 1, input) ||
      !webnn__start(&call) ||                     /* 1, 2 */
      !webnn__check_type(&call, 0) ||             /* 3 */
      !webnn__check_axes(&call, o->axes, &set)) { /* 4 */
    return NULL;
  }
  return webnn__result_like_input(&call);
}

/* ---- 8.9.44 scatterElements, 8.9.45 scatterND ----------------------------------------------- */

WEBNN_API webnn_operand *webnn_scatter_elements(webnn_builder *builder, webnn_operand *input,
                                                webnn_operand *indices, webnn_operand *updates,
                                                const webnn_scatter_options *options) {
  WEBNN__OPTIONS(webnn_scatter_options);
  uint32_t axis;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_SCATTER_ELEMENTS, options) ||
      !webnn__take(&call, 3, input, indices, updates) ||
      !webnn__convert_u32(&call, "axis", o->axis, 0, &axis) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_types(&call, 0, 2) ||                                              /* 3, 4 */
      !webnn__check_ranks(&call, 0, 2) ||                                              /* 5 */
      !webnn__check_axis(&call, axis) ||                                               /* 6 */
      !webnn__check_element_indices(&call) ||                                          /* 7 */
      !webnn__check_shape(&call, 2, indices->shape)) {                                 /* 8 */
    return NULL;
  }
  return webnn__result_like_input(&call);
}

WEBNN_API webnn_operand *webnn_scatter_nd(webnn_builder *builder, webnn_operand *input,
                                          webnn_operand *indices, webnn_operand *updates,
                                          const webnn_operator_options *options) {
  webnn__shape expected;
  uint32_t length;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_SCATTER_ND, options) ||
      !webnn__take(&call, 3, input, indices, updates) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_types(&call, 0, 2) ||                                        /* 3, 4 */
      !webnn__check_ranks(&call, 0, 2) ||                                        /* 5 */
      !webnn__check_coordinates(&call, &length) ||                               /* 6 */
      !webnn__join_shapes(&call, &indices->shape, indices->shape.rank - 1, &indices->shape, 0,
                          &input->shape, length, &expected) ||
      !webnn__check_shape(&call, 2, expected)) { /* 7 */
    return NULL;
  }
  return webnn__result_like_input(&call);
}

/* ---- 8.9.47 slice --------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_slice(webnn_builder *builder, webnn_operand *input,
                                     webnn_list starts, webnn_list sizes,
                                     const webnn_slice_options *options) {
  WEBNN__OPTIONS(webnn_slice_options);
  webnn__shape shape;
  uint32_t d;
  webnn__call call;
  webnn__attributes *a = &call.attributes;
  if (!webnn__open(&call, builder, WEBNN_OP_SLICE, options) || !webnn__take(&call, 1, input) ||
      !webnn__check_given(&call, "starts", starts) || !webnn__check_given(&call, "sizes", sizes) ||
      !webnn__start(&call) ||         /* 1, 2 */
      !webnn__check_type(&call, 0) || /* 4-bit types */
      !webnn__check_list(&call, "starts", starts, input->shape.rank, 0, &a->starts) || /* 4 */
      !webnn__check_list(&call, "sizes", sizes, input->shape.rank, 0, &a->sizes) ||
      !webnn__check_not_zero(&call, "sizes", &a->sizes) ||                                   /* 3 */
      !webnn__check_list(&call, "strides", o->strides, input->shape.rank, 1, &a->strides) || /* 5 */
      !webnn__check_not_zero(&call, "strides", &a->strides)) {                               /* 6 */
    return NULL;
  }
  shape = input->shape;
  for (d = 0; d < shape.rank; d++) { /* 6 */
    const uint32_t start = a->starts.dimensions[d], size = a->sizes.dimensions[d];
    if ((uint64_t)start + size > shape.dimensions[d]) {
      (void)webnn__refuse(&call, "starts (%u) + sizes (%u) of dimension %u must be at most %u",
                          start, size, d, shape.dimensions[d]);
      return NULL;
    }
    shape.dimensions[d] = (size - 1) / a->strides.dimensions[d] + 1;
  }
  return webnn__result(&call, input->data_type, shape);
}

/* ---- 8.9.48 softmax ------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_softmax(webnn_builder *builder, webnn_operand *input, uint32_t axis,
                                       const webnn_operator_options *options) {
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_SOFTMAX, options) || !webnn__take(&call, 1, input) ||
      !webnn__start(&call) ||            /* 1, 2 */
      !webnn__check_type(&call, 0) ||    /* 3 */
      !webnn__check_axis(&call, axis)) { /* 4 */
    return NULL;
  }
  return webnn__result_like_input(&call);
}

/* ---- 8.9.51 split --------------------------------------------------------------------------- */

/* The last step of both forms: one output for each size along the axis. sizes NULL: all `equal`. */
static size_t webnn__split_into(webnn__call *call, uint32_t count, const uint32_t *sizes,
                                uint32_t equal, webnn_operand **outputs) {
  const webnn_operand *input = call->fixed[0];
  webnn__shape *shapes =
      (webnn__shape *)webnn__arena_take(&call->builder->arena, (uint64_t)count * sizeof *shapes);
  uint32_t i;
  if (shapes == NULL) {
    (void)webnn__refuse_with(call, WEBNN_UNKNOWN_ERROR, "out of memory");
    return 0;
  }
  for (i = 0; i < count; i++) {
    shapes[i] = input->shape;
    shapes[i].dimensions[call->attributes.axis] = sizes != NULL ? sizes[i] : equal;
  }
  return webnn__connect(call, count, input->data_type, shapes, outputs) ? count : 0;
}

WEBNN_API size_t webnn_split(webnn_builder *builder, webnn_operand *input, uint32_t splits,
                             const webnn_split_options *options, webnn_operand **outputs) {
  WEBNN__OPTIONS(webnn_split_options);
  uint32_t axis;
  webnn__call call;
  const bool usable = webnn__open(&call, builder, WEBNN_OP_SPLIT, options);
  const uint32_t places = splits <= WEBNN__MAX_TENSOR_COUNT ? splits : 0;
  /* For a number out of range there is surely no room, but for one there is. */
  if (!webnn__clear_outputs_of(&call, usable, outputs, places == 0 && splits > 0 ? 1 : places) ||
      !webnn__take(&call, 1, input) || !webnn__convert_u32(&call, "axis", o->axis, 0, &axis) ||
      !webnn__start(&call) ||            /* 1, 2 */
      !webnn__check_type(&call, 0) ||    /* 4-bit types */
      !webnn__check_axis(&call, axis) || /* 3 */
      !(places > 0 || webnn__refuse(&call, "splits (%u) must be 1 to 8192", splits)) || /* 4 */
      !(input->shape.dimensions[axis] % splits == 0 ||
        webnn__refuse(&call, "dimension %u (%u) must be divisible by splits (%u)", axis,
                      input->shape.dimensions[axis], splits))) {
    return 0;
  }
  return webnn__split_into(&call, splits, NULL, input->shape.dimensions[axis] / splits, outputs);
}

WEBNN_API size_t webnn_split_sizes(webnn_builder *builder, webnn_operand *input, webnn_list splits,
                                   const webnn_split_options *options, webnn_operand **outputs) {
  WEBNN__OPTIONS(webnn_split_options);
  uint32_t axis, i;
  uint64_t sum = 0;
  webnn__call call;
  const bool usable = webnn__open(&call, builder, WEBNN_OP_SPLIT, options);
  const uint32_t places = splits.count <= WEBNN__MAX_TENSOR_COUNT ? (uint32_t)splits.count : 0;
  if (!webnn__clear_outputs_of(&call, usable, outputs, splits.count) ||
      !webnn__take(&call, 1, input) || !webnn__check_given(&call, "splits", splits) ||
      !webnn__convert_u32(&call, "axis", o->axis, 0, &axis) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_type(&call, 0) ||    /* 4-bit types */
      !webnn__check_axis(&call, axis) || /* 3 */
      !(places > 0 || webnn__refuse(&call, "the number of splits (%l) must be 1 to 8192",
                                    (uint64_t)splits.count))) { /* 5 */
    return 0;
  }
  for (i = 0; i < places; i++) {
    if (splits.items[i] == 0) {
      (void)webnn__refuse(&call, "splits[%u] must not be 0", i);
      return 0;
    }
    sum += splits.items[i];
  }
  if (sum != input->shape.dimensions[axis]) {
    (void)webnn__refuse(&call, "splits add up to %l, not to dimension %u (%u)", sum, axis,
                        input->shape.dimensions[axis]);
    return 0;
  }
  return webnn__split_into(&call, places, splits.items, 0, outputs);
}

/* ---- 8.9.53 tile ---------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_tile(webnn_builder *builder, webnn_operand *input,
                                    webnn_list repetitions, const webnn_operator_options *options) {
  webnn__shape shape;
  uint32_t d;
  webnn__call call;
  webnn__shape *times = &call.attributes.sizes;
  if (!webnn__open(&call, builder, WEBNN_OP_TILE, options) || !webnn__take(&call, 1, input) ||
      !webnn__check_given(&call, "repetitions", repetitions) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_type(&call, 0) || /* 4-bit types */
      !webnn__check_list(&call, "repetitions", repetitions, input->shape.rank, 1, times) || /* 3 */
      !webnn__check_not_zero(&call, "repetitions", times)) {                                /* 4 */
    return NULL;
  }
  shape = input->shape;
  for (d = 0; d < shape.rank; d++) { /* 5 */
    const uint64_t size = (uint64_t)shape.dimensions[d] * times->dimensions[d];
    if (size > WEBNN__MAX_DIMENSION) {
      (void)webnn__refuse(&call, "the size of dimension %u (%l) must be at most 2147483647", d,
                          size);
      return NULL;
    }
    shape.dimensions[d] = (uint32_t)size;
  }
  return webnn__result(&call, input->data_type, shape);
}

/* ---- 8.9.54 transpose ----------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_transpose(webnn_builder *builder, webnn_operand *input,
                                         const webnn_transpose_options *options) {
  WEBNN__OPTIONS(webnn_transpose_options);
  webnn__shape shape;
  uint32_t d, set;
  webnn__call call;
  webnn__shape *permutation = &call.attributes.axes;
  if (!webnn__open(&call, builder, WEBNN_OP_TRANSPOSE, options) || !webnn__take(&call, 1, input) ||
      !webnn__start(&call) ||         /* 1, 2 */
      !webnn__check_type(&call, 0) || /* 4-bit types */
      !webnn__check_list(&call, "permutation", o->permutation, input->shape.rank, 0, permutation) ||
      !(webnn__axis_set(o->permutation, input->shape.rank, 0, &set) ||
        webnn__refuse(&call, "permutation %d must have each of 0 to %u once", permutation,
                      input->shape.rank - 1))) { /* 3 */
    return NULL;
  }
  shape = input->shape;
  for (d = 0; d < shape.rank; d++) {
    if (o->permutation.items == NULL) {
      permutation->dimensions[d] = shape.rank - 1 - d;
    }
    shape.dimensions[d] = input->shape.dimensions[permutation->dimensions[d]];
  }
  return webnn__result(&call, input->data_type, shape);
}

/* ---- 8.9.55 triangular ---------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_triangular(webnn_builder *builder, webnn_operand *input,
                                          const webnn_triangular_options *options) {
  WEBNN__OPTIONS(webnn_triangular_options);
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_TRIANGULAR, options) || !webnn__take(&call, 1, input) ||
      !webnn__check_enum(&call, "upper", (int)o->upper, 3) || !webnn__start(&call) || /* 1, 2 */
      !webnn__check_type(&call, 0) || /* 4-bit types */
      !webnn__check_rank(&call, 0)) { /* 3 */
    return NULL;
  }
  call.attributes.upper = o->upper != WEBNN_FALSE;
  call.attributes.diagonal = o->diagonal;
  return webnn__result_like_input(&call);
}

/* ---- 8.9.56 where --------------------------------------------------------------------------- */

WEBNN_API webnn_operand *webnn_where(webnn_builder *builder, webnn_operand *condition,
                                     webnn_operand *true_value, webnn_operand *false_value,
                                     const webnn_operator_options *options) {
  webnn__shape shape;
  webnn__call call;
  if (!webnn__open(&call, builder, WEBNN_OP_WHERE, options) ||
      !webnn__take(&call, 3, condition, true_value, false_value) ||
      !webnn__start(&call) ||             /* 1, 2 */
      !webnn__check_types(&call, 0, 2) || /* 3 */
      !(webnn__broadcast(&true_value->shape, &false_value->shape, &shape) ||
        webnn__refuse(&call, "trueValue shape %d and falseValue shape %d cannot be broadcast",
                      &true_value->shape, &false_value->shape)) || /* 4 */
      !(webnn__broadcast(&condition->shape, &shape, &shape) ||
        webnn__refuse(&call, "condition shape %d cannot be broadcast with %d", &condition->shape,
                      &shape))) { /* 5 */
    return NULL;
  }
  return webnn__result(&call, true_value->data_type, shape);
}

/* ---- 11 squeeze, unsqueeze, flatten --------------------------------------------------------- */

/* Opens a reshape on behalf of a helper, which messages name. */
static bool webnn__open_helper(webnn__call *call, const char *method, webnn_builder *builder,
                               webnn_operand *input, const webnn_operator_options *options) {
  const bool usable = webnn__open(call, builder, WEBNN_OP_RESHAPE, options);
  call->method = method;
  return usable && webnn__take(call, 1, input) && webnn__start(call);
}

static webnn_list webnn__list_of(const webnn__shape *shape) {
  webnn_list list;
  list.items = shape->dimensions;
  list.count = shape->rank;
  return list;
}

WEBNN_API webnn_operand *webnn_squeeze(webnn_builder *builder, webnn_operand *input,
                                       webnn_list axes, const webnn_operator_options *options) {
  webnn__shape shape;
  uint32_t d, set;
  webnn__call call;
  if (!webnn__open_helper(&call, "squeeze", builder, input, options) ||
      !(webnn__axis_set(axes, input->shape.rank, 0, &set) ||
        webnn__refuse(&call, "axes %a must be different and less than the rank of input (%u)",
                      &axes, input->shape.rank))) {
    return NULL;
  }
  for (d = 0; d < input->shape.rank; d++) {
    if (axes.items == NULL && input->shape.dimensions[d] == 1) {
      set |= 1u << d;
    } else if ((set >> d & 1) != 0 && input->shape.dimensions[d] != 1) {
      (void)webnn__refuse(&call, "dimension %u of axes has size %u, not 1", d,
                          input->shape.dimensions[d]);
      return NULL;
    }
  }
  shape = webnn__reduced_shape(&input->shape, set, false);
  return webnn_reshape(builder, input, webnn__list_of(&shape), options);
}

WEBNN_API webnn_operand *webnn_unsqueeze(webnn_builder *builder, webnn_operand *input,
                                         webnn_list axes, const webnn_operator_options *options) {
  webnn__shape shape;
  uint32_t d, from = 0, set = 0;
  webnn__call call;
  memset(&shape, 0, sizeof shape);
  if (!webnn__open_helper(&call, "unsqueeze", builder, input, options) ||
      !webnn__check_given(&call, "axes", axes) ||
      !(axes.count <= (size_t)(WEBNN_MAX_RANK - input->shape.rank) ||
        webnn__refuse(&call, "the output rank (%l) must be at most 8",
                      (uint64_t)axes.count + input->shape.rank)) ||
      !(webnn__axis_set(axes, input->shape.rank + (uint32_t)axes.count, 0, &set) ||
        webnn__refuse(&call, "axes %a must be different and less than the output rank (%u)", &axes,
                      input->shape.rank + (uint32_t)axes.count))) {
    return NULL;
  }
  shape.rank = input->shape.rank + (uint32_t)axes.count;
  for (d = 0; d < shape.rank; d++) {
    shape.dimensions[d] = (set >> d & 1) != 0 ? 1 : input->shape.dimensions[from++];
  }
  return webnn_reshape(builder, input, webnn__list_of(&shape), options);
}

WEBNN_API webnn_operand *webnn_flatten(webnn_builder *builder, webnn_operand *input, uint32_t axis,
                                       const webnn_operator_options *options) {
  webnn__shape shape = webnn__shape_2(1, 1);
  uint32_t d;
  webnn__call call;
  if (!webnn__open_helper(&call, "flatten", builder, input, options) ||
      !(axis <= input->shape.rank ||
        webnn__refuse(&call, "axis (%u) must be at most the rank of input (%u)", axis,
                      input->shape.rank))) {
    return NULL;
  }
  for (d = 0; d < input->shape.rank; d++) { /* an input has at most 2^31 - 1 elements */
    shape.dimensions[d < axis ? 0 : 1] *= input->shape.dimensions[d];
  }
  return webnn_reshape(builder, input, webnn__list_of(&shape), options);
}

/* ---- 8.9.4 build ---------------------------------------------------------------------------- */

/* Steps 2 to 5 for the outputs. */
static webnn_status webnn__check_outputs(webnn_builder *builder, webnn_named_operand_list outputs,
                                         webnn_error *error) {
  size_t i, j;
  if (outputs.count == 0 || outputs.items == NULL) { /* 2 */
    return webnn__fail(error, WEBNN_TYPE_ERROR, "build: there are no outputs");
  }
  if (outputs.count >= WEBNN__NONE) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "build: too many outputs");
  }
  for (i = 0; i < outputs.count; i++) {
    const char *name = outputs.items[i].name;
    const webnn_operand *operand = outputs.items[i].operand;
    if (name == NULL || *name == 0) { /* 3 */
      return webnn__fail(error, WEBNN_TYPE_ERROR, "build: the name of output %l is empty",
                         (uint64_t)i);
    }
    for (j = 0; j < i; j++) {
      if (strcmp(outputs.items[j].name, name) == 0) {
        return webnn__fail(error, WEBNN_TYPE_ERROR, "build: there are two outputs named %q", name);
      }
    }
    if (operand == NULL || operand->builder != builder) { /* 4 */
      return webnn__fail(error, WEBNN_TYPE_ERROR, "build: output %q %s", name,
                         operand == NULL ? "is NULL" : "belongs to another builder");
    }
    if (operand->origin != WEBNN__ORIGIN_NODE) { /* 5 */
      return webnn__fail(error, WEBNN_TYPE_ERROR,
                         "build: output %q is an input or a constant (use identity)", name);
    }
  }
  return WEBNN_OK;
}

/* The walk from the outputs to what they need. Operators are visited newest first, so each is
   reached by all its users before it is looked at, and one pass does. */
static void webnn__reach(webnn_builder *builder, webnn_named_operand_list outputs) {
  webnn_operand *operand;
  webnn__operator *node;
  size_t i;
  for (operand = builder->operands; operand != NULL; operand = operand->previous) {
    operand->reached = false;
  }
  for (i = 0; i < outputs.count; i++) {
    outputs.items[i].operand->reached = true;
  }
  for (node = builder->operators; node != NULL; node = node->previous) {
    node->reached = false;
    for (i = 0; i < node->output_count; i++) {
      node->reached = node->reached || node->outputs[i]->reached;
    }
    for (i = 0; node->reached && i < node->output_count; i++) {
      node->outputs[i]->reached = true;
    }
    for (i = 0; node->reached && i < node->input_count; i++) {
      if (node->inputs[i] != NULL) {
        node->inputs[i]->reached = true;
      }
    }
  }
}

/* What only shows once it is known which operators the graph has: destroyed constants, and
   transposed convolutions whose input channels do not fall into their groups. */
static webnn_status webnn__check_reached(webnn_builder *builder, webnn_error *error) {
  const webnn_operand *operand;
  const webnn__operator *node;
  for (operand = builder->operands; operand != NULL; operand = operand->previous) {
    if (operand->reached && operand->constant_tensor != NULL) { /* 6 */
      bool destroyed;
      webnn__lock(builder->context);
      destroyed = operand->constant_tensor->resource.destroyed;
      webnn__unlock(builder->context);
      if (destroyed) {
        return webnn__fail(error, WEBNN_TYPE_ERROR, "build: the tensor of a constant is destroyed");
      }
    }
  }
  for (node = builder->operators; node != NULL; node = node->previous) {
    if (node->reached && node->op == WEBNN_OP_CONV_TRANSPOSE2D) {
      const uint32_t channels =
          node->inputs[0]->shape.dimensions[webnn__input_axes[node->attributes.input_layout][1]];
      if (channels % node->attributes.groups != 0) {
        return webnn__fail(
            error, WEBNN_OPERATION_ERROR,
            "build: convTranspose2d %q: input channels (%u) must be divisible by groups "
            "(%u)",
            node->label, channels, node->attributes.groups);
      }
    }
  }
  return WEBNN_OK;
}

/* Copies one operator into the program, in which its operands already have their places. */
static bool webnn__copy_operator(webnn__program *program, const webnn__operator *from,
                                 webnn__node *node) {
  uint32_t i;
  node->op = from->op;
  node->attributes = from->attributes;
  node->input_count = from->input_count;
  node->output_count = from->output_count;
  node->label = webnn__arena_string(&program->arena, from->label);
  node->inputs = (uint32_t *)webnn__arena_take(
      &program->arena, (uint64_t)(from->input_count + from->output_count) * sizeof *node->inputs);
  if (node->label == NULL || node->inputs == NULL) {
    return false;
  }
  node->outputs = node->inputs + node->input_count;
  for (i = 0; i < node->input_count; i++) {
    node->inputs[i] = from->inputs[i] != NULL ? from->inputs[i]->value : WEBNN__NONE;
  }
  for (i = 0; i < node->output_count; i++) {
    node->outputs[i] = from->outputs[i]->value;
  }
  return true;
}

/* Counts what is reached and numbers operands in the order they were made. */
static void webnn__number_operands(webnn_builder *builder, webnn__program *program) {
  webnn_operand *operand;
  webnn__operator *node;
  uint32_t at;
  for (operand = builder->operands; operand != NULL; operand = operand->previous) {
    program->value_count += operand->reached ? 1 : 0;
    program->input_count += operand->reached && operand->origin == WEBNN__ORIGIN_INPUT ? 1 : 0;
  }
  for (node = builder->operators; node != NULL; node = node->previous) {
    program->node_count += node->reached ? 1 : 0;
  }
  at = program->value_count;
  for (operand = builder->operands; operand != NULL; operand = operand->previous) {
    if (operand->reached) {
      operand->value = --at;
    }
  }
}

/* The values, newest first; inputs also become ports. */
static bool webnn__copy_operands(webnn_builder *builder, webnn__program *program) {
  const webnn_operand *operand;
  uint32_t input = program->input_count;
  for (operand = builder->operands; operand != NULL; operand = operand->previous) {
    webnn__value *value;
    if (!operand->reached) {
      continue;
    }
    value = &program->values[operand->value];
    value->data_type = operand->data_type;
    value->shape = operand->shape;
    value->origin = operand->origin;
    value->node = WEBNN__NONE;
    value->output_index = operand->output_index;
    if (operand->origin == WEBNN__ORIGIN_CONSTANT) {
      webnn__block_retain(builder->context, operand->constant);
      value->constant = operand->constant;
    }
    if (operand->origin == WEBNN__ORIGIN_INPUT) {
      value->name = webnn__arena_string(&program->arena, operand->name);
      if (value->name == NULL) {
        return false;
      }
      program->inputs[--input].name = value->name;
      program->inputs[input].value = operand->value;
    }
  }
  return true;
}

static bool webnn__copy_graph(webnn_builder *builder, webnn_named_operand_list outputs,
                              webnn__program *program) {
  const webnn__operator *node;
  uint32_t at = program->node_count, i;
  if (!webnn__copy_operands(builder, program)) {
    return false;
  }
  for (node = builder->operators; node != NULL; node = node->previous) {
    if (node->reached) {
      if (!webnn__copy_operator(program, node, &program->nodes[--at])) {
        return false;
      }
      for (i = 0; i < node->output_count; i++) {
        program->values[node->outputs[i]->value].node = at;
      }
    }
  }
  for (i = 0; i < program->output_count; i++) {
    const uint32_t value = outputs.items[i].operand->value;
    const char *name = webnn__arena_string(&program->arena, outputs.items[i].name);
    if (name == NULL) {
      return false;
    }
    program->outputs[i].name = name;
    program->outputs[i].value = value;
    if (program->values[value].name == NULL) {
      program->values[value].name = name;
    }
  }
  return true;
}

/* The reached part of the builder's graph as a program of its own; NULL without memory. */
static webnn__program *webnn__make_program(webnn_builder *builder,
                                           webnn_named_operand_list outputs) {
  const webnn_allocator *allocator = &builder->context->options.allocator;
  webnn__program *program = (webnn__program *)webnn__allocate_zeroed(allocator, sizeof *program);
  webnn__arena *arena;
  uint32_t values;
  if (program == NULL) {
    return NULL;
  }
  arena = &program->arena;
  arena->allocator = allocator;
  webnn__number_operands(builder, program);
  program->output_count = (uint32_t)outputs.count;
  values = program->value_count;
  program->value_count = 0; /* none to release until there is an array */
  program->nodes = (webnn__node *)webnn__arena_take(arena, (uint64_t)program->node_count *
                                                               sizeof *program->nodes);
  program->inputs = (webnn__port *)webnn__arena_take(arena, (uint64_t)program->input_count *
                                                                sizeof *program->inputs);
  program->outputs =
      (webnn__port *)webnn__arena_take(arena, (uint64_t)outputs.count * sizeof *program->outputs);
  program->values =
      (webnn__value *)webnn__arena_take(arena, (uint64_t)values * sizeof *program->values);
  if (program->nodes != NULL && program->inputs != NULL && program->outputs != NULL &&
      program->values != NULL) {
    program->value_count = values;
    if (webnn__copy_graph(builder, outputs, program)) {
      return program;
    }
  }
  webnn__release_program(builder->context, program);
  return NULL;
}

/* Compiles the program, which the graph takes over, and makes the handle. */
static webnn_status webnn__make_graph(webnn_context *context, webnn__program *program,
                                      webnn_graph **graph, webnn_error *error) {
  webnn_graph *made =
      (webnn_graph *)webnn__allocate_zeroed(&context->options.allocator, sizeof *made);
  webnn_status status;
  bool lost;
  if (made == NULL) {
    webnn__release_program(context, program);
    return webnn__out_of_memory(error, "build");
  }
  status = context->backend->compile(context->device, program, &made->plan, error);
  if (status != WEBNN_OK) {
    webnn__release_program(context, program);
    webnn__release(&context->options.allocator, made);
    return status;
  }
  made->resource.context = context;
  made->resource.is_graph = true;
  made->program = program;
  webnn__lock(context);
  webnn__list_resource(&made->resource);
  lost = context->lost;
  webnn__unlock(context);
  if (lost) { /* meanwhile */
    webnn__end_resource(&made->resource, true);
    return webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "build: the context is lost");
  }
  *graph = made;
  return WEBNN_OK;
}

WEBNN_API webnn_status webnn_build(webnn_builder *builder, webnn_named_operand_list outputs,
                                   webnn_graph **graph, webnn_error *error) {
  webnn__program *program;
  webnn_status status;
  if (graph != NULL) {
    *graph = NULL;
  }
  if (builder == NULL || graph == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "build: the %s is NULL",
                       builder == NULL ? "builder" : "place for the graph");
  }
  if (builder->status != WEBNN_OK) { /* what a method recorded */
    return webnn__set_error(error, builder->status, webnn_builder_message(builder));
  }
  if (!webnn__can_build(builder, "build")) { /* 1 */
    status = webnn__set_error(error, builder->status, webnn_builder_message(builder));
    webnn_builder_clear_error(builder);
    return status;
  }
  status = webnn__check_outputs(builder, outputs, error); /* 2-5 */
  if (status != WEBNN_OK) {
    return status;
  }
  webnn__reach(builder, outputs);
  status = webnn__check_reached(builder, error); /* 6 */
  if (status != WEBNN_OK) {
    return status;
  }
  program = webnn__make_program(builder, outputs);
  if (program == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  status = webnn__make_graph(builder->context, program, graph, error);
  if (status != WEBNN_OK) {
    return status;
  }
  builder->has_built = true;
  return webnn__succeed(error);
}

/* ==============================================================================================
   9  context                                                                            >>context

   The life of contexts, tensors and graphs; the timeline; support limits; graphs as text;
   comparing. Work runs on the calling thread when its turn comes: in the order in which the calls
   took their tickets. Calls chapters 1 to 8; computing goes through the backend's table.
   ============================================================================================== */

/* ---- The timeline --------------------------------------------------------------------------- */

/* Waits for the caller's turn. The mutex is held before and after, not while waiting. */
static void webnn__enter_timeline(webnn_context *context) {
  const uint64_t ticket = context->next_ticket++;
  while (context->now_serving != ticket) {
    webnn__condition_wait(&context->turn, &context->mutex);
  }
}

static void webnn__leave_timeline(webnn_context *context) {
  context->now_serving++;
  webnn__condition_broadcast(&context->turn);
}

WEBNN_API webnn_status webnn_wait(webnn_context *context, webnn_error *error) {
  bool lost;
  if (context == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "wait: the context is NULL");
  }
  webnn__lock(context);
  webnn__enter_timeline(context);
  lost = context->lost;
  webnn__leave_timeline(context);
  webnn__unlock(context);
  return lost ? webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "wait: the context is lost")
              : webnn__succeed(error);
}

/* ---- The end of tensors and graphs ---------------------------------------------------------- */

WEBNN_API void webnn_destroy_tensor(webnn_tensor *tensor) {
  if (tensor != NULL) {
    webnn__end_resource(&tensor->resource, false);
  }
}

WEBNN_API void webnn_free_tensor(webnn_tensor *tensor) {
  if (tensor != NULL) {
    webnn__end_resource(&tensor->resource, true);
  }
}

WEBNN_API void webnn_destroy_graph(webnn_graph *graph) {
  if (graph != NULL) {
    webnn__end_resource(&graph->resource, false);
  }
}

WEBNN_API void webnn_free_graph(webnn_graph *graph) {
  if (graph != NULL) {
    webnn__end_resource(&graph->resource, true);
  }
}

/* ---- Contexts ------------------------------------------------------------------------------- */

/* Lose (8.3.9): the state first, then every graph and tensor. */
static void webnn__lose_context(webnn_context *context, const char *message) {
  webnn__lock(context);
  if (!context->lost) {
    webnn__text text;
    context->lost = true;
    text.data = context->lost_message;
    text.capacity = sizeof context->lost_message - 1;
    text.length = 0;
    webnn__put_string(&text, message);
  }
  while (context->resources != NULL) { /* the mutex is given back for each release */
    webnn__resource *resource = context->resources;
    webnn__remains remains;
    webnn__mark_destroyed(resource);
    webnn__collect(resource, &remains);
    webnn__unlock(context);
    webnn__release_remains(context, &remains);
    webnn__lock(context);
  }
  webnn__unlock(context);
}

WEBNN_API void webnn_destroy_context(webnn_context *context) {
  if (context != NULL && !webnn__context_is_lost(context)) {
    webnn__lose_context(context, "destroy() was called");
  }
}

WEBNN_API void webnn_free_context(webnn_context *context) {
  if (context != NULL) {
    webnn_destroy_context(context);
    webnn__context_release(context);
  }
}

WEBNN_API bool webnn_context_lost(webnn_context *context, webnn_error *info) {
  bool lost;
  if (context == NULL) {
    (void)webnn__fail(info, WEBNN_TYPE_ERROR, "lost: the context is NULL");
    return true;
  }
  webnn__lock(context);
  lost = context->lost;
  if (lost) {
    (void)webnn__set_error(info, WEBNN_INVALID_STATE_ERROR, context->lost_message);
  } else {
    (void)webnn__succeed(info);
  }
  webnn__unlock(context);
  return lost;
}

WEBNN_API bool webnn_context_accelerated(webnn_context *context) {
  return context != NULL && context->backend->accelerated;
}

/* Is anything asked for but exact arithmetic? */
static bool webnn__is_modelled(const webnn_arithmetic *arithmetic) {
  return arithmetic->accumulate != WEBNN_ACCUMULATE_EXACT ||
         arithmetic->round_intermediates != WEBNN_INTERMEDIATES_EXACT ||
         arithmetic->flush_subnormals;
}

/* A hook must be given whole. */
static webnn_status webnn__check_context_options(const webnn_context_options *options,
                                                 webnn_error *error) {
  const webnn_allocator *allocator = &options->allocator;
  const webnn_arithmetic *arithmetic = &options->arithmetic;
  if ((int)options->power_preference < 0 || (int)options->power_preference > WEBNN_LOW_POWER ||
      (int)options->accelerated < 0 || (int)options->accelerated > WEBNN_FALSE ||
      (int)options->numerics < 0 || (int)options->numerics > WEBNN_NUMERICS_REFERENCE ||
      (int)options->instruction_set < 0 || (int)options->instruction_set > WEBNN_WASM_SIMD) {
    return webnn__fail(
        error, WEBNN_TYPE_ERROR,
        "createContext: powerPreference, accelerated, numerics or the instruction set is not a "
        "value of its enumeration");
  }
  if ((int)arithmetic->accumulate < 0 || arithmetic->accumulate > WEBNN_ACCUMULATE_FLOAT16 ||
      (int)arithmetic->order < 0 || arithmetic->order > WEBNN_BLOCKS ||
      (int)arithmetic->round_intermediates < 0 ||
      arithmetic->round_intermediates > WEBNN_INTERMEDIATES_BFLOAT16 ||
      (arithmetic->order == WEBNN_BLOCKS && arithmetic->block_size == 0)) {
    return webnn__fail(
        error, WEBNN_TYPE_ERROR,
        "createContext: arithmetic has a value outside its enumeration, or blocks of 0");
  }
  if (webnn__is_modelled(arithmetic) && options->numerics != WEBNN_NUMERICS_REFERENCE) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createContext: arithmetic is for contexts with reference numerics");
  }
  if ((allocator->allocate == NULL) != (allocator->release == NULL)) {
    return webnn__fail(error, WEBNN_TYPE_ERROR,
                       "createContext: an allocator needs both allocate and release");
  }
  return WEBNN_OK;
}

/* createContext for a backend: chapter 15 names one. */
static webnn_status webnn__create_context(const webnn_context_options *options,
                                          const webnn_backend *backend, webnn_context **context,
                                          webnn_error *error) {
  webnn_context *made;
  webnn_allocator allocator = options->allocator;
  webnn_status status = webnn__check_context_options(options, error);
  if (status != WEBNN_OK) {
    return status;
  }
  if (allocator.allocate == NULL) {
    allocator.allocate = webnn__default_allocate;
    allocator.release = webnn__default_release;
  }
  made = (webnn_context *)webnn__allocate_zeroed(&allocator, sizeof *made);
  if (made == NULL) {
    return webnn__out_of_memory(error, "createContext");
  }
  made->options = *options;
  made->options.allocator = allocator;
  made->backend = backend;
  made->references = 1;
  if (!webnn__mutex_create(&made->mutex)) {
    webnn__release(&allocator, made);
    return webnn__fail(error, WEBNN_UNKNOWN_ERROR, "createContext: no mutex");
  }
  if (!webnn__condition_create(&made->turn)) {
    webnn__mutex_destroy(&made->mutex);
    webnn__release(&allocator, made);
    return webnn__fail(error, WEBNN_UNKNOWN_ERROR, "createContext: no condition variable");
  }
  status = backend->open(made, &made->device, error);
  if (status != WEBNN_OK) {
    webnn__condition_destroy(&made->turn);
    webnn__mutex_destroy(&made->mutex);
    webnn__release(&allocator, made);
    return status;
  }
  *context = made;
  return webnn__succeed(error);
}

/* ---- Support limits (8.3.7) ----------------------------------------------------------------- */

static webnn_tensor_limits webnn__limits_of(const webnn__op_rule *rule, uint32_t i) {
  const webnn__operand_rule *operand = &rule->operands[i];
  const uint32_t source = operand->min_rank == WEBNN__RANK_SAME ? 0 : i;
  webnn_tensor_limits limits;
  limits.name = operand->name;
  limits.data_types = webnn__allowed_types(rule, i);
  limits.min_rank = rule->operands[source].min_rank;
  limits.max_rank = rule->operands[source].max_rank;
  limits.optional = operand->role == WEBNN__OPT;
  limits.output = operand->role == WEBNN__OUT;
  return limits;
}

WEBNN_API void webnn_op_support_limits(webnn_context *context, webnn_support_limits *limits) {
  webnn_tensor_limits any;
  uint32_t op, i;
  if (limits == NULL) {
    return;
  }
  memset(&any, 0, sizeof any);
  any.data_types = WEBNN__TYPES_ANY_AND_4BIT;
  any.max_rank = WEBNN_MAX_RANK;
  memset(limits, 0, sizeof *limits);
  limits->preferred_input_layout = WEBNN_NCHW;
  limits->max_tensor_byte_length = context != NULL ? webnn__max_byte_length(context) : 0;
  limits->input = limits->constant = limits->output = any;
  limits->input.name = "input";
  limits->constant.name = "constant";
  limits->output.name = "output";
  limits->output.output = true;
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    const webnn__op_rule *rule = &webnn__op_rules[op];
    limits->operators[op].name = rule->name;
    for (i = 0; rule->operands[i].role != WEBNN__NO_ROLE; i++) {
      limits->operators[op].operands[i] = webnn__limits_of(rule, i);
    }
    limits->operators[op].operand_count = i;
  }
}

/* ---- Tensors -------------------------------------------------------------------------------- */

/* The checks of createTensor and createConstantTensor, and a tensor without storage. */
static webnn_status webnn__new_tensor(webnn_context *context, const char *method,
                                      webnn_data_type type, webnn_list shape_list,
                                      webnn_tensor **tensor, webnn_error *error) {
  webnn__shape shape;
  webnn__reason reason;
  if (webnn__context_is_lost(context)) { /* 1 */
    return webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "%s: the context is lost", method);
  }
  reason = webnn__read_descriptor(context, type, shape_list, &shape); /* 2 */
  if (reason.format != NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "%s: %r", method, &reason);
  }
  *tensor = (webnn_tensor *)webnn__allocate_zeroed(&context->options.allocator, sizeof **tensor);
  if (*tensor == NULL) {
    return webnn__out_of_memory(error, method);
  }
  (*tensor)->resource.context = context;
  (*tensor)->data_type = type;
  (*tensor)->is_constant = strcmp(method, "createConstantTensor") == 0;
  (*tensor)->shape = shape;
  return WEBNN_OK;
}

static uint64_t webnn__tensor_bytes(const webnn_tensor *tensor) {
  return webnn__bytes_of(tensor->data_type, webnn__element_count(&tensor->shape));
}

/* Gives a finished tensor to the context; one lost meanwhile takes it back at once. */
static webnn_status webnn__adopt_tensor(webnn_context *context, webnn_tensor *made,
                                        const char *method, webnn_tensor **tensor,
                                        webnn_error *error) {
  bool lost;
  webnn__lock(context);
  webnn__list_resource(&made->resource);
  lost = context->lost;
  webnn__unlock(context);
  if (lost) {
    webnn_free_tensor(made);
    return webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "%s: the context is lost", method);
  }
  *tensor = made;
  return webnn__succeed(error);
}

static webnn_status webnn__create_tensor(webnn_context *context,
                                         const webnn_tensor_descriptor *descriptor, void *memory,
                                         size_t byte_length, webnn_tensor **tensor,
                                         webnn_error *error) {
  webnn_tensor *made;
  webnn__reason reason;
  webnn_status status;
  if (tensor != NULL) {
    *tensor = NULL;
  }
  if (context == NULL || descriptor == NULL || tensor == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "createTensor: the %s is NULL",
                       context == NULL      ? "context"
                       : descriptor == NULL ? "descriptor"
                                            : "place for the tensor");
  }
  status = webnn__new_tensor(context, "createTensor", descriptor->data_type, descriptor->shape,
                             &made, error);
  if (status != WEBNN_OK) {
    return status;
  }
  made->readable = descriptor->readable;
  made->writable = descriptor->writable;
  made->is_borrowed = memory != NULL;
  reason = webnn__check_buffer(made->data_type, &made->shape, memory, byte_length);
  if (memory != NULL && reason.format != NULL) {
    status = webnn__fail(error, WEBNN_TYPE_ERROR, "createTensor: %r", &reason);
  } else {
    status = context->backend->create_storage(context->device, webnn__tensor_bytes(made), memory,
                                              &made->storage, error);
  }
  if (status != WEBNN_OK) {
    webnn__release(&context->options.allocator, made);
    return status;
  }
  return webnn__adopt_tensor(context, made, "createTensor", tensor, error);
}

WEBNN_API webnn_status webnn_create_tensor(webnn_context *context,
                                           const webnn_tensor_descriptor *descriptor,
                                           webnn_tensor **tensor, webnn_error *error) {
  return webnn__create_tensor(context, descriptor, NULL, 0, tensor, error);
}

WEBNN_API webnn_status webnn_create_tensor_over_memory(webnn_context *context,
                                                       const webnn_tensor_descriptor *descriptor,
                                                       void *memory, size_t byte_length,
                                                       webnn_tensor **tensor, webnn_error *error) {
  if (memory == NULL) {
    if (tensor != NULL) {
      *tensor = NULL;
    }
    return webnn__fail(error, WEBNN_TYPE_ERROR, "createTensor: the memory is NULL");
  }
  return webnn__create_tensor(context, descriptor, memory, byte_length, tensor, error);
}

WEBNN_API webnn_status webnn_create_constant_tensor(webnn_context *context,
                                                    const webnn_operand_descriptor *descriptor,
                                                    const void *data, size_t byte_length,
                                                    webnn_tensor **tensor, webnn_error *error) {
  webnn_tensor *made;
  webnn__reason reason;
  webnn_status status;
  if (tensor != NULL) {
    *tensor = NULL;
  }
  if (context == NULL || descriptor == NULL || tensor == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "createConstantTensor: the %s is NULL",
                       context == NULL      ? "context"
                       : descriptor == NULL ? "descriptor"
                                            : "place for the tensor");
  }
  status = webnn__new_tensor(context, "createConstantTensor", descriptor->data_type,
                             descriptor->shape, &made, error);
  if (status != WEBNN_OK) {
    return status;
  }
  reason = webnn__check_buffer(made->data_type, &made->shape, data, byte_length); /* 3 */
  if (reason.format != NULL) {
    status = webnn__fail(error, WEBNN_TYPE_ERROR, "createConstantTensor: %r", &reason);
  } else {
    made->constant = webnn__block_create(context, data, byte_length, false); /* 4 */
    status =
        made->constant == NULL ? webnn__out_of_memory(error, "createConstantTensor") : WEBNN_OK;
  }
  if (status != WEBNN_OK) {
    webnn__release(&context->options.allocator, made);
    return status;
  }
  return webnn__adopt_tensor(context, made, "createConstantTensor", tensor, error);
}

WEBNN_API webnn_data_type webnn_tensor_data_type(const webnn_tensor *tensor) {
  return tensor != NULL ? tensor->data_type : (webnn_data_type)0;
}

WEBNN_API webnn_list webnn_tensor_shape(const webnn_tensor *tensor) {
  webnn_list list;
  list.items = tensor != NULL ? tensor->shape.dimensions : NULL;
  list.count = tensor != NULL ? tensor->shape.rank : 0;
  return list;
}

WEBNN_API bool webnn_tensor_readable(const webnn_tensor *tensor) {
  return tensor != NULL && tensor->readable;
}

WEBNN_API bool webnn_tensor_writable(const webnn_tensor *tensor) {
  return tensor != NULL && tensor->writable;
}

WEBNN_API bool webnn_tensor_constant(const webnn_tensor *tensor) {
  return tensor != NULL && tensor->is_constant;
}

/* Steps 1 to 4 of readTensor and writeTensor, with the mutex held. */
static webnn_status webnn__check_transfer(const webnn_context *context, const webnn_tensor *tensor,
                                          const char *method, bool able, const char *unable,
                                          const void *data, size_t byte_length,
                                          webnn_error *error) {
  const char *wrong = tensor->resource.context != context ? "of another context"
                      : tensor->resource.destroyed        ? "destroyed"
                      : able                              ? NULL
                                                          : unable;
  webnn__reason reason;
  if (wrong != NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "%s: the tensor is %s", method, wrong);
  }
  reason = webnn__check_buffer(tensor->data_type, &tensor->shape, data, byte_length);
  if (reason.format != NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "%s: %r", method, &reason);
  }
  return WEBNN_OK;
}

WEBNN_API webnn_status webnn_read_tensor(webnn_context *context, webnn_tensor *tensor, void *buffer,
                                         size_t byte_length, webnn_error *error) {
  webnn_status status;
  if (context == NULL || tensor == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "readTensor: the %s is NULL",
                       context == NULL ? "context" : "tensor");
  }
  webnn__lock(tensor->resource.context);
  status = webnn__check_transfer(context, tensor, "readTensor", tensor->readable, "not readable",
                                 buffer, byte_length, error);
  if (status != WEBNN_OK) {
    webnn__unlock(tensor->resource.context);
    return status;
  }
  tensor->resource.uses++;
  webnn__enter_timeline(context); /* 5 */
  if (tensor->resource.destroyed) {
    status = webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "readTensor: %s while waiting",
                         context->lost ? "the context was lost" : "the tensor was destroyed");
    webnn__leave_timeline(context);
    webnn__unlock(context);
  } else {
    webnn__unlock(context);
    status = context->backend->read(context->device, tensor->storage, buffer, byte_length, error);
    webnn__lock(context);
    webnn__leave_timeline(context);
    webnn__unlock(context);
  }
  webnn__unuse(&tensor->resource);
  return status == WEBNN_OK ? webnn__succeed(error) : status;
}

WEBNN_API webnn_status webnn_write_tensor(webnn_context *context, webnn_tensor *tensor,
                                          const void *data, size_t byte_length,
                                          webnn_error *error) {
  webnn_status status;
  if (context == NULL || tensor == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "writeTensor: the %s is NULL",
                       context == NULL ? "context" : "tensor");
  }
  webnn__lock(tensor->resource.context);
  status = webnn__check_transfer(context, tensor, "writeTensor", tensor->writable, "not writable",
                                 data, byte_length, error);
  if (status != WEBNN_OK) {
    webnn__unlock(tensor->resource.context);
    return status;
  }
  tensor->resource.uses++;
  webnn__enter_timeline(
      context); /* 5: destroyed meanwhile, it is still written, and nobody sees it */
  webnn__unlock(context);
  status = context->backend->write(context->device, tensor->storage, data, byte_length, error);
  webnn__lock(context);
  webnn__leave_timeline(context);
  webnn__unlock(context);
  webnn__unuse(&tensor->resource);
  return status == WEBNN_OK ? webnn__succeed(error) : status;
}

/* ---- Dispatch (8.3.1) ----------------------------------------------------------------------- */

/* The tensor bound to a name; NULL if there is none. */
static webnn_tensor *webnn__find_tensor(webnn_named_tensor_list list, const char *name) {
  size_t i;
  for (i = 0; i < list.count; i++) {
    if (list.items[i].name != NULL && strcmp(list.items[i].name, name) == 0) {
      return list.items[i].tensor;
    }
  }
  return NULL;
}

/* Steps 3 and 4 over inputs and outputs together: nothing twice, nothing foreign or destroyed. */
static webnn_status webnn__check_bound_tensors(const webnn_context *context,
                                               webnn_named_tensor_list inputs,
                                               webnn_named_tensor_list outputs,
                                               webnn_error *error) {
  const size_t count = inputs.count + outputs.count;
  size_t i, j;
  if ((inputs.count > 0 && inputs.items == NULL) || (outputs.count > 0 && outputs.items == NULL)) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: a list of bindings is NULL");
  }
  for (i = 0; i < count; i++) {
    const webnn_named_tensor *a =
        i < inputs.count ? &inputs.items[i] : &outputs.items[i - inputs.count];
    if (a->name == NULL) {
      return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: the name of binding %l is NULL",
                         (uint64_t)i);
    }
    if (a->tensor == NULL) {
      return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: the tensor of %q is NULL", a->name);
    }
    for (j = 0; j < i; j++) {
      const webnn_named_tensor *b =
          j < inputs.count ? &inputs.items[j] : &outputs.items[j - inputs.count];
      if (a->tensor == b->tensor) {
        return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: %q and %q are the same tensor",
                           b->name, a->name);
      }
    }
  }
  for (i = 0; i < count; i++) {
    const webnn_named_tensor *a =
        i < inputs.count ? &inputs.items[i] : &outputs.items[i - inputs.count];
    if (a->tensor->resource.context != context || a->tensor->resource.destroyed) {
      return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: tensor %q is %s", a->name,
                         a->tensor->resource.context != context ? "of another context"
                                                                : "destroyed");
    }
  }
  return WEBNN_OK;
}

/* Steps 5 and 6: exactly the graph's names, with its types and shapes; no constant tensors. */
static webnn_status webnn__check_bindings(const webnn__program *program, const webnn__port *ports,
                                          uint32_t port_count, webnn_named_tensor_list list,
                                          const char *kind, webnn_error *error) {
  uint32_t i;
  size_t j;
  for (j = 0; j < list.count; j++) {
    for (i = 0; i < port_count && strcmp(ports[i].name, list.items[j].name) != 0; i++) {
    }
    if (i == port_count) {
      return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: the graph has no %s %q", kind,
                         list.items[j].name);
    }
  }
  if (list.count != port_count) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: the graph has %u %ss, %l are bound",
                       port_count, kind, (uint64_t)list.count);
  }
  for (i = 0; i < port_count; i++) {
    const webnn__value *value = &program->values[ports[i].value];
    const webnn_tensor *tensor = webnn__find_tensor(list, ports[i].name);
    if (tensor == NULL) {
      return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: no tensor is bound to %s %q", kind,
                         ports[i].name);
    }
    if (tensor->is_constant) {
      return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: the tensor of %s %q is constant", kind,
                         ports[i].name);
    }
    if (tensor->data_type != value->data_type ||
        !webnn__same_shape(&tensor->shape, &value->shape)) {
      return webnn__fail(error, WEBNN_TYPE_ERROR,
                         "dispatch: the tensor of %s %q is %t %d, not %t %d", kind, ports[i].name,
                         (int)tensor->data_type, &tensor->shape, (int)value->data_type,
                         &value->shape);
    }
  }
  return WEBNN_OK;
}

/* All steps, with the mutex held. */
static webnn_status webnn__check_dispatch(const webnn_context *context, const webnn_graph *graph,
                                          webnn_named_tensor_list inputs,
                                          webnn_named_tensor_list outputs, webnn_error *error) {
  const webnn__program *program = graph->program;
  webnn_status status;
  if (graph->resource.context != context) { /* 1 */
    return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: the graph is of another context");
  }
  if (graph->resource.destroyed) { /* 2 */
    return webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "dispatch: the graph is destroyed");
  }
  status = webnn__check_bound_tensors(context, inputs, outputs, error); /* 3, 4 */
  if (status == WEBNN_OK) {
    status = webnn__check_bindings(program, program->inputs, program->input_count, inputs, "input",
                                   error); /* 5 */
  }
  if (status == WEBNN_OK) {
    status = webnn__check_bindings(program, program->outputs, program->output_count, outputs,
                                   "output", error); /* 6 */
  }
  return status;
}

/* Storages in the program's order; the tensors are in use until they are given back. */
static void webnn__use_bindings(const webnn__port *ports, uint32_t count,
                                webnn_named_tensor_list list, webnn_tensor **tensors,
                                void **storages) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    tensors[i] = webnn__find_tensor(list, ports[i].name);
    tensors[i]->resource.uses++;
    storages[i] = tensors[i]->storage;
  }
}

/* With the mutex held and all checks passed: waits for its turn and runs. */
static webnn_status webnn__run_in_turn(webnn_context *context, webnn_graph *graph,
                                       void *const *storages, webnn_error *error) {
  webnn_status status;
  graph->resource.uses++;
  webnn__enter_timeline(context);
  if (context->lost) {
    status = webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "dispatch: the context was lost");
  } else {
    webnn__unlock(context);
    status = context->backend->run(context->device, graph->plan, storages,
                                   storages + graph->program->input_count, error);
    webnn__lock(context);
  }
  webnn__leave_timeline(context);
  return status;
}

WEBNN_API webnn_status webnn_dispatch(webnn_context *context, webnn_graph *graph,
                                      webnn_named_tensor_list inputs,
                                      webnn_named_tensor_list outputs, webnn_error *error) {
  webnn_status status;
  const webnn__program *program;
  webnn_tensor **tensors;
  void **storages;
  uint32_t count, i;
  if (context == NULL || graph == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "dispatch: the %s is NULL",
                       context == NULL ? "context" : "graph");
  }
  program = graph->program;
  count = program->input_count + program->output_count;
  tensors = (webnn_tensor **)webnn__allocate(
      &context->options.allocator, (uint64_t)count * (sizeof *tensors + sizeof *storages));
  if (tensors == NULL) {
    return webnn__out_of_memory(error, "dispatch");
  }
  storages = (void **)(tensors + count);
  webnn__lock(graph->resource.context);
  status = webnn__check_dispatch(context, graph, inputs, outputs, error);
  if (status != WEBNN_OK) {
    webnn__unlock(graph->resource.context);
    webnn__release(&context->options.allocator, tensors);
    return status;
  }
  webnn__use_bindings(program->inputs, program->input_count, inputs, tensors, storages);
  webnn__use_bindings(program->outputs, program->output_count, outputs,
                      tensors + program->input_count, storages + program->input_count);
  status = webnn__run_in_turn(context, graph, storages, error);
  webnn__unlock(context);
  for (i = 0; i < count; i++) {
    webnn__unuse(&tensors[i]->resource);
  }
  webnn__release(&context->options.allocator, tensors);
  webnn__unuse(&graph->resource); /* last: the context may go with it */
  return status == WEBNN_OK ? webnn__succeed(error) : status;
}

/* ---- Looking into a graph ------------------------------------------------------------------- */

static size_t webnn__list_ports(const webnn_graph *graph, const webnn__port *ports, uint32_t count,
                                webnn_graph_port *list, size_t capacity) {
  size_t i;
  for (i = 0; list != NULL && i < count && i < capacity; i++) {
    const webnn__value *value = &graph->program->values[ports[i].value];
    list[i].name = ports[i].name;
    list[i].descriptor.data_type = value->data_type;
    list[i].descriptor.shape.items = value->shape.dimensions;
    list[i].descriptor.shape.count = value->shape.rank;
  }
  return count;
}

WEBNN_API size_t webnn_graph_inputs(const webnn_graph *graph, webnn_graph_port *ports,
                                    size_t capacity) {
  return graph == NULL ? 0
                       : webnn__list_ports(graph, graph->program->inputs,
                                           graph->program->input_count, ports, capacity);
}

WEBNN_API size_t webnn_graph_outputs(const webnn_graph *graph, webnn_graph_port *ports,
                                     size_t capacity) {
  return graph == NULL ? 0
                       : webnn__list_ports(graph, graph->program->outputs,
                                           graph->program->output_count, ports, capacity);
}

WEBNN_API webnn_memory webnn_graph_memory(const webnn_graph *graph) {
  webnn_memory memory;
  memset(&memory, 0, sizeof memory);
  if (graph != NULL) {
    webnn__lock(graph->resource.context);
    if (graph->plan != NULL) {
      memory =
          graph->resource.context->backend->memory(graph->resource.context->device, graph->plan);
    }
    webnn__unlock(graph->resource.context);
  }
  return memory;
}

WEBNN_API uint64_t webnn_graph_undecided(const webnn_graph *graph) {
  uint64_t count = 0;
  if (graph != NULL) {
    const webnn_context *context = graph->resource.context;
    webnn__lock(graph->resource.context);
    if (graph->plan != NULL) {
      count = context->backend->undecided(context->device, graph->plan);
    }
    webnn__unlock(graph->resource.context);
  }
  return count;
}

WEBNN_API webnn_status webnn_tap_graph(webnn_graph *graph, webnn_tap tap, void *user,
                                       webnn_error *error) {
  webnn_status status;
  webnn_context *context;
  if (graph == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "tap: the graph is NULL");
  }
  context = graph->resource.context;
  webnn__lock(context);
  webnn__enter_timeline(context); /* not while it runs */
  status = graph->resource.destroyed
               ? webnn__fail(error, WEBNN_INVALID_STATE_ERROR, "tap: the graph is destroyed")
               : context->backend->tap(context->device, graph->plan, tap, user, error);
  webnn__leave_timeline(context);
  webnn__unlock(context);
  return status == WEBNN_OK ? webnn__succeed(error) : status;
}

/* ---- Graphs as text ------------------------------------------------------------------------- */

/* A writer that gathers text into pieces. */
typedef struct webnn__printer {
  webnn_writer write;
  void *user;
  char buffer[512];
} webnn__printer;

static void webnn__print(webnn__printer *printer, const char *format, ...) {
  webnn__text text;
  va_list arguments;
  text.data = printer->buffer;
  text.capacity = sizeof printer->buffer;
  text.length = 0;
  va_start(arguments, format);
  webnn__format(&text, format, arguments);
  va_end(arguments);
  printer->write(printer->user, printer->buffer,
                 text.length < text.capacity ? text.length : text.capacity);
}

/* Names may be of any length and hold any character. */
static void webnn__print_quoted(webnn__printer *printer, const char *string) {
  char one[5] = {0};
  printer->write(printer->user, "\"", 1);
  while (*string != 0) {
    size_t length = 0, i, escape;
    webnn__text text;
    do { /* one whole UTF-8 character */
      one[length] = string[length];
      length++;
    } while (length < 4 && ((unsigned char)string[length] & 0xc0) == 0x80);
    one[length] = 0;
    text.data = printer->buffer;
    text.capacity = sizeof printer->buffer;
    text.length = 0;
    webnn__put_quoted(&text, one);
    escape = *string == '"' || *string == '\\' ? 1 : 0;
    for (i = 0; i < escape; i++) {
      printer->write(printer->user, "\\", 1);
    }
    printer->write(printer->user, printer->buffer + 1, text.length - 2);
    string += length;
  }
  printer->write(printer->user, "\"", 1);
}

static const char *webnn__enum_text(webnn__option_kind kind, uint32_t value) {
  static const char *const layouts[] = {"nchw", "nhwc"};
  static const char *const filters[] = {"default", "oihw", "hwio", "ohwi", "ihwo", "iohw", "hwoi"};
  static const char *const gru[] = {"zrn", "rzn"};
  static const char *const lstm[] = {"iofg", "ifgo"};
  static const char *const directions[] = {"forward", "backward", "both"};
  static const char *const modes[] = {"constant", "edge", "reflection", "symmetric"};
  static const char *const interpolations[] = {"nearest-neighbor", "linear"};
  static const char *const activations[] = {"relu", "sigmoid", "tanh"};
  switch (kind) {
  case WEBNN__OPTION_INPUT_LAYOUT:
    return layouts[value];
  case WEBNN__OPTION_FILTER_LAYOUT:
    return filters[value];
  case WEBNN__OPTION_GRU_LAYOUT:
    return gru[value];
  case WEBNN__OPTION_LSTM_LAYOUT:
    return lstm[value];
  case WEBNN__OPTION_DIRECTION:
    return directions[value];
  case WEBNN__OPTION_PADDING_MODE:
    return modes[value];
  case WEBNN__OPTION_INTERPOLATION_MODE:
    return interpolations[value];
  default:
    return activations[value];
  }
}

static void webnn__print_option(webnn__printer *printer, const webnn__option *option,
                                const webnn__node *node, webnn_data_type type) {
  const char *field = (const char *)&node->attributes + option->offset;
  webnn__print(printer, ", %s=", option->name);
  switch (option->kind) {
  case WEBNN__OPTION_BOOL:
    webnn__print(printer, "%s", *(const bool *)field ? "true" : "false");
    break;
  case WEBNN__OPTION_U32:
    webnn__print(printer, "%u", *(const uint32_t *)(const void *)field);
    break;
  case WEBNN__OPTION_I32:
    webnn__print(printer, "%e", (uint64_t)(uint32_t) * (const int32_t *)(const void *)field,
                 (int)WEBNN_INT32);
    break;
  case WEBNN__OPTION_LIST:
    webnn__print(printer, "%d", (const webnn__shape *)(const void *)field);
    break;
  case WEBNN__OPTION_SCALAR:
    webnn__print(printer, "%e", *(const uint64_t *)(const void *)field, (int)type);
    break;
  case WEBNN__OPTION_DATA_TYPE:
    webnn__print(printer, "%t", (int)node->attributes.data_type);
    break;
  case WEBNN__OPTION_ACTIVATIONS: {
    const bool lstm = node->op == WEBNN_OP_LSTM || node->op == WEBNN_OP_LSTM_CELL;
    uint32_t i;
    for (i = 0; i < (lstm ? 3u : 2u); i++) {
      webnn__print(printer, "%s%s", i == 0 ? "[" : ", ",
                   webnn__enum_text(option->kind, node->attributes.activations[i]));
    }
    webnn__print(printer, "]");
    break;
  }
  default:
    webnn__print(printer, "%s",
                 webnn__enum_text(option->kind, *(const uint32_t *)(const void *)field));
  }
}

/* %N, or the name of an input. */
static void webnn__print_value_name(webnn__printer *printer, const webnn__program *program,
                                    uint32_t value) {
  if (program->values[value].origin == WEBNN__ORIGIN_INPUT) {
    webnn__print_quoted(printer, program->values[value].name);
  } else {
    webnn__print(printer, "%%%u", value);
  }
}

/* conv2d("x", %1, bias=%2, padding=[0, 0, 0, 0], ...) */
static void webnn__print_node(webnn__printer *printer, const webnn__program *program,
                              const webnn__node *node) {
  const webnn__op_rule *rule = &webnn__op_rules[node->op];
  const bool list = rule->operands[0].role == WEBNN__MANY;
  const char *separator = "";
  uint32_t i;
  webnn__print(printer, "%s(", rule->name);
  for (i = 0; i < node->input_count; i++) {
    if (node->inputs[i] != WEBNN__NONE) {
      webnn__print(printer, "%s", separator);
      if (!list && rule->operands[i].role == WEBNN__OPT) {
        webnn__print(printer, "%s=", rule->operands[i].name);
      }
      webnn__print_value_name(printer, program, node->inputs[i]);
      separator = ", ";
    }
  }
  for (i = 0; i < WEBNN__MAX_OPTIONS && rule->options[i].name != NULL; i++) {
    webnn__print_option(printer, &rule->options[i], node,
                        program->values[node->inputs[0]].data_type);
  }
  if (*node->label != 0) {
    webnn__print(printer, ", label=");
    webnn__print_quoted(printer, node->label);
  }
  webnn__print(printer, ")");
}

WEBNN_API void webnn_print_graph(const webnn_graph *graph, webnn_writer write, void *user) {
  webnn__printer printer;
  const webnn__program *program;
  uint32_t i, j;
  if (graph == NULL || write == NULL) {
    return;
  }
  program = graph->program;
  printer.write = write;
  printer.user = user;
  for (i = 0; i < program->value_count; i++) {
    const webnn__value *value = &program->values[i];
    if (value->origin == WEBNN__ORIGIN_INPUT) {
      webnn__print(&printer, "input ");
      webnn__print_quoted(&printer, value->name);
      webnn__print(&printer, " %t %d\n", (int)value->data_type, &value->shape);
    } else if (value->origin == WEBNN__ORIGIN_CONSTANT) {
      webnn__print(&printer, "%%%u = constant %t %d\n", i, (int)value->data_type, &value->shape);
    }
  }
  for (i = 0; i < program->node_count; i++) {
    const webnn__node *node = &program->nodes[i];
    for (j = 0; j < node->output_count; j++) {
      const webnn__value *value = &program->values[node->outputs[j]];
      webnn__print(&printer, "%s%%%u %t %d", j == 0 ? "" : ", ", node->outputs[j],
                   (int)value->data_type, &value->shape);
    }
    webnn__print(&printer, " = ");
    webnn__print_node(&printer, program, node);
    webnn__print(&printer, "\n");
  }
  for (i = 0; i < program->output_count; i++) {
    webnn__print(&printer, "output ");
    webnn__print_quoted(&printer, program->outputs[i].name);
    webnn__print(&printer, " = %%%u\n", program->outputs[i].value);
  }
}

/* One box of the drawing: kind and name, type and shape. */
static void webnn__print_dot_ports(webnn__printer *printer, const webnn__program *program,
                                   const webnn__port *ports, uint32_t count, const char *prefix) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    webnn__print(printer, "  %s%u [shape=oval, label=", prefix, i);
    webnn__print_quoted(printer, ports[i].name);
    webnn__print(printer, ", tooltip=\"%t %d\"];\n", (int)program->values[ports[i].value].data_type,
                 &program->values[ports[i].value].shape);
  }
}

/* The arrow from whatever made a value; constants are left out. */
static void webnn__print_dot_edge(webnn__printer *printer, const webnn__program *program,
                                  uint32_t value, const char *target, uint32_t index) {
  const webnn__value *from = &program->values[value];
  uint32_t i;
  if (from->origin == WEBNN__ORIGIN_CONSTANT) {
    return;
  }
  if (from->origin == WEBNN__ORIGIN_NODE) {
    webnn__print(printer, "  n%u", from->node);
  } else {
    for (i = 0; program->inputs[i].value != value; i++) {
    }
    webnn__print(printer, "  i%u", i);
  }
  webnn__print(printer, " -> %s%u [label=\"%t %d\"];\n", target, index, (int)from->data_type,
               &from->shape);
}

WEBNN_API void webnn_print_graph_dot(const webnn_graph *graph, webnn_writer write, void *user) {
  webnn__printer printer;
  const webnn__program *program;
  uint32_t i, j;
  if (graph == NULL || write == NULL) {
    return;
  }
  program = graph->program;
  printer.write = write;
  printer.user = user;
  webnn__print(&printer, "digraph webnn {\n  node [shape=box];\n");
  webnn__print_dot_ports(&printer, program, program->inputs, program->input_count, "i");
  webnn__print_dot_ports(&printer, program, program->outputs, program->output_count, "o");
  for (i = 0; i < program->node_count; i++) {
    const webnn__node *node = &program->nodes[i];
    webnn__print(&printer, "  n%u [label=\"%s\", tooltip=", i, webnn__op_rules[node->op].name);
    webnn__print_quoted(&printer, node->label);
    webnn__print(&printer, "];\n");
    for (j = 0; j < node->input_count; j++) {
      if (node->inputs[j] != WEBNN__NONE) {
        webnn__print_dot_edge(&printer, program, node->inputs[j], "n", i);
      }
    }
  }
  for (i = 0; i < program->output_count; i++) {
    webnn__print_dot_edge(&printer, program, program->outputs[i].value, "o", i);
  }
  webnn__print(&printer, "}\n");
}
/* ---- Comparing results ---------------------------------------------------------------------- */

/* A float's place in the order of all floats of its type; both zeros are 0. */
static int64_t webnn__float_order(uint64_t bits, const webnn__type_info *info) {
  const uint64_t sign = (uint64_t)1 << (info->bits - 1);
  const int64_t magnitude = (int64_t)(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

static bool webnn__bits_are_nan(uint64_t bits, const webnn__type_info *info) {
  return info->exponent_bits > 0 &&
         webnn__decode_float(bits, info->fraction_bits, info->exponent_bits).kind == WEBNN__NAN;
}

WEBNN_API uint64_t webnn_ulp_distance(webnn_data_type type, const void *a, const void *b,
                                      uint64_t index) {
  const webnn__type_info *info = webnn__type(type);
  uint64_t p, q;
  int64_t i, j;
  if (info->bits == 0 || a == NULL || b == NULL) {
    return 0;
  }
  p = webnn__get_bits(a, type, index);
  q = webnn__get_bits(b, type, index);
  if (webnn__bits_are_nan(p, info) || webnn__bits_are_nan(q, info)) {
    return webnn__bits_are_nan(p, info) && webnn__bits_are_nan(q, info) ? 0 : UINT64_MAX;
  }
  if (!info->is_signed) {
    return p > q ? p - q : q - p;
  }
  i = info->exponent_bits > 0 ? webnn__float_order(p, info) : webnn__sign_extend(p, info->bits);
  j = info->exponent_bits > 0 ? webnn__float_order(q, info) : webnn__sign_extend(q, info->bits);
  return i > j ? (uint64_t)i - (uint64_t)j : (uint64_t)j - (uint64_t)i;
}

/* An element as a double, for reports: 64-bit integers are rounded. */
static double webnn__element_value(webnn_data_type type, const void *data, uint64_t index) {
  const uint64_t bits = webnn__get_bits(data, type, index);
  const webnn__type_info *info = webnn__type(type);
  if (info->exponent_bits > 0) {
    const uint32_t single =
        type == WEBNN_FLOAT16 ? webnn__f16_to_f32_bits((uint16_t)bits) : (uint32_t)bits;
    float value;
    memcpy(&value, &single, sizeof value);
    return (double)value;
  }
  return info->is_signed ? (double)webnn__sign_extend(bits, info->bits) : (double)bits;
}

/* |a - b|; -1 where one of them is not finite. */
static double webnn__absolute_difference(webnn_data_type type, const void *a, const void *b,
                                         uint64_t index) {
  const webnn__type_info *info = webnn__type(type);
  double difference;
  if (info->exponent_bits > 0) {
    const void *sides[2];
    int i;
    sides[0] = a;
    sides[1] = b;
    for (i = 0; i < 2; i++) {
      const uint8_t kind = webnn__decode_float(webnn__get_bits(sides[i], type, index),
                                               info->fraction_bits, info->exponent_bits)
                               .kind;
      if (kind == WEBNN__NAN || kind == WEBNN__INFINITE) {
        return -1.0;
      }
    }
  }
  difference = webnn__element_value(type, a, index) - webnn__element_value(type, b, index);
  return difference < 0.0 ? -difference : difference;
}

WEBNN_API webnn_comparison webnn_compare(webnn_data_type type, const void *actual,
                                         const void *expected, uint64_t count,
                                         webnn_tolerance tolerance) {
  webnn_comparison result;
  uint64_t i, finite = 0;
  memset(&result, 0, sizeof result);
  if (webnn_data_type_bits(type) == 0 || actual == NULL || expected == NULL) {
    return result;
  }
  result.count = result.first_different = result.first_failed = count;
  for (i = 0; i < count; i++) {
    const uint64_t ulp = webnn_ulp_distance(type, actual, expected, i);
    const double absolute = webnn__absolute_difference(type, actual, expected, i);
    const bool within = tolerance.metric == WEBNN_ATOL && absolute >= 0.0
                            ? absolute <= tolerance.value
                            : ulp == 0 || (tolerance.metric == WEBNN_ULP && ulp != UINT64_MAX &&
                                           (double)ulp <= tolerance.value);
    if (ulp > 0 && result.different++ == 0) {
      result.first_different = i;
    }
    if (!within && result.failed++ == 0) {
      result.first_failed = i;
    }
    if (ulp > result.max_ulp) {
      result.max_ulp = ulp;
      result.max_ulp_index = i;
    }
    if (ulp != UINT64_MAX) {
      result.mean_ulp += (double)ulp;
      finite++;
    }
    result.max_absolute = absolute > result.max_absolute ? absolute : result.max_absolute;
  }
  result.mean_ulp = finite > 0 ? result.mean_ulp / (double)finite : 0.0;
  return result;
}

/* Tolerances of web-platform-tests that depend on the data type only: ULP in float32 and float16,
   or, where an absolute one is set, that. What is not listed allows no difference. */
typedef struct webnn__fixed_tolerance {
  webnn_op op;
  uint16_t float32_ulp, float16_ulp;
  double float32_absolute, float16_absolute;
} webnn__fixed_tolerance;

static const webnn__fixed_tolerance webnn__fixed_tolerances[] = {
    {WEBNN_OP_ADD, 1, 1, 0, 0},
    {WEBNN_OP_SUB, 1, 1, 0, 0},
    {WEBNN_OP_MUL, 1, 1, 0, 0},
    {WEBNN_OP_MAX, 1, 1, 0, 0},
    {WEBNN_OP_SQRT, 1, 1, 0, 0},
    {WEBNN_OP_PRELU, 1, 1, 0, 0},
    {WEBNN_OP_CAST, 1, 1, 0, 0},
    {WEBNN_OP_LEAKY_RELU, 1, 2, 0, 0},
    {WEBNN_OP_DIV, 2, 2, 0, 0},
    {WEBNN_OP_RECIPROCAL, 2, 2, 0, 0},
    {WEBNN_OP_LINEAR, 2, 2, 0, 0},
    {WEBNN_OP_HARD_SIGMOID, 2, 2, 0, 0},
    {WEBNN_OP_SOFTSIGN, 3, 3, 0, 0},
    {WEBNN_OP_LOG, 8, 8, 0, 0},
    {WEBNN_OP_HARD_SWISH, 4, 4, 0, 0},
    {WEBNN_OP_BATCH_NORMALIZATION, 6, 6, 0, 0},
    {WEBNN_OP_LAYER_NORMALIZATION, 14, 14, 0, 0},
    {WEBNN_OP_ELU, 18, 18, 0, 0},
    {WEBNN_OP_GELU, 18, 18, 0, 0},
    {WEBNN_OP_SOFTPLUS, 18, 18, 0, 0},
    {WEBNN_OP_SIGMOID, 34, 10, 0, 0},
    {WEBNN_OP_EXP, 32, 1, 0, 0},
    {WEBNN_OP_POW, 32, 2, 0, 0},
    {WEBNN_OP_INSTANCE_NORMALIZATION, 840, 8400, 0, 0},
    {WEBNN_OP_GRU_CELL, 3, 3, 0, 0},
    {WEBNN_OP_GRU, 6, 6, 0, 0},
    {WEBNN_OP_LSTM_CELL, 1, 1, 0, 0},
    {WEBNN_OP_LSTM, 3, 3, 0, 0},
    {WEBNN_OP_DEQUANTIZE_LINEAR, 1, 1, 0, 0},
    {WEBNN_OP_COS, 0, 0, 1.0 / 1024, 1.0 / 512},
    {WEBNN_OP_SIN, 0, 0, 1.0 / 1024, 1.0 / 512},
    {WEBNN_OP_TAN, 0, 0, 1.0 / 1024, 1.0 / 512},
    {WEBNN_OP_TANH, 0, 0, 1.0 / 1024, 1.0 / 512},
    {WEBNN_OP_ERF, 0, 0, 1.0 / 1024, 1.0 / 512},

};

/* Elements that a reduction takes together. */
static uint64_t webnn__reduced_count(const webnn__shape *shape, const webnn__shape *axes) {
  uint64_t count = 1;
  uint32_t i;
  for (i = 0; i < axes->rank; i++) {
    count *= shape->dimensions[axes->dimensions[i]];
  }
  return count;
}

/* Tolerances in ULP that grow with the number of terms of a sum; false for other operators. */
static bool webnn__grown_tolerance(const webnn__program *program, const webnn__node *node,
                                   uint64_t *ulp) {
  const webnn__attributes *t = &node->attributes;
  const webnn__shape *x = &program->values[node->inputs[0]].shape;
  const uint64_t n = webnn__reduced_count(x, &t->axes);
  switch (node->op) {
  case WEBNN_OP_CONV2D:
  case WEBNN_OP_CONV_TRANSPOSE2D: {
    const webnn__shape *w = &program->values[node->inputs[1]].shape;
    const uint8_t *axes = webnn__filter_axes[t->filter_layout];
    *ulp = 2 * (uint64_t)w->dimensions[axes[1]] * w->dimensions[axes[2]] * w->dimensions[axes[3]];
    *ulp /= node->op == WEBNN_OP_CONV2D ? 1 : t->groups; /* its filter has all input channels */
    return true;
  }
  case WEBNN_OP_GEMM: {
    const webnn_data_type type = program->values[node->inputs[0]].data_type;
    const uint64_t one = webnn__cast_number(webnn_f64(1.0), type);
    *ulp = 2 * (uint64_t)x->dimensions[t->a_transpose ? 0 : 1] + (t->alpha != one ? 1 : 0);
    if (node->inputs[2] != WEBNN__NONE) {
      *ulp += t->beta != one ? 2 : 1;
    }
    return true;
  }
  case WEBNN_OP_MATMUL:
    *ulp = 2 * (uint64_t)x->dimensions[x->rank - 1];
    return true;
  case WEBNN_OP_AVERAGE_POOL2D:
  case WEBNN_OP_L2_POOL2D:
    *ulp = (uint64_t)t->window.dimensions[0] * t->window.dimensions[1] + 2;
    return true;
  case WEBNN_OP_SOFTMAX:
    *ulp = 3 * (uint64_t)x->dimensions[t->axis] + 3;
    return true;
  case WEBNN_OP_CUMULATIVE_SUM:
    *ulp = (uint64_t)x->dimensions[t->axis] - 1;
    return true;
  case WEBNN_OP_REDUCE_L1:
  case WEBNN_OP_REDUCE_SUM:
  case WEBNN_OP_REDUCE_PRODUCT:
    *ulp = n;
    return true;
  case WEBNN_OP_REDUCE_SUM_SQUARE:
    *ulp = 2 * n;
    return true;
  case WEBNN_OP_REDUCE_MEAN:
    *ulp = n + 2;
    return true;
  case WEBNN_OP_REDUCE_L2:
    *ulp = 2 * n + 1;
    return true;
  case WEBNN_OP_REDUCE_LOG_SUM:
    *ulp = n + 18;
    return true;
  case WEBNN_OP_REDUCE_LOG_SUM_EXP:
    *ulp = 2 * n + 18;
    return true;
  default:
    return false;
  }
}

WEBNN_API webnn_tolerance webnn_graph_tolerance(const webnn_graph *graph, uint32_t index) {
  webnn_tolerance tolerance;
  const webnn__node *node;
  webnn_data_type type;
  uint64_t ulp;
  size_t i;
  tolerance.metric = WEBNN_ULP;
  tolerance.value = 0.0;
  if (graph == NULL || index >= graph->program->node_count) {
    return tolerance;
  }
  node = &graph->program->nodes[index];
  type = graph->program->values[node->outputs[0]].data_type;
  if (node->op == WEBNN_OP_QUANTIZE_LINEAR) {
    tolerance.value = 1.0;
  } else if (node->op == WEBNN_OP_RESAMPLE2D && node->attributes.mode == WEBNN_LINEAR) {
    tolerance.value = type == WEBNN_FLOAT32 ? 84.0 : type == WEBNN_FLOAT16 ? 10.0 : 1.0;
  } else if ((webnn__is_float(type) || node->op != WEBNN_OP_CUMULATIVE_SUM) &&
             webnn__grown_tolerance(graph->program, node, &ulp)) {
    tolerance.value = (double)ulp;
  }
  for (i = 0; webnn__is_float(type) &&
              i < sizeof webnn__fixed_tolerances / sizeof *webnn__fixed_tolerances;
       i++) {
    const webnn__fixed_tolerance *fixed = &webnn__fixed_tolerances[i];
    const bool half = type == WEBNN_FLOAT16;
    if (fixed->op == node->op) {
      tolerance.metric = fixed->float32_absolute > 0.0 ? WEBNN_ATOL : WEBNN_ULP;
      tolerance.value = tolerance.metric == WEBNN_ULP
                            ? (double)(half ? fixed->float16_ulp : fixed->float32_ulp)
                        : half ? fixed->float16_absolute
                               : fixed->float32_absolute;
    }
  }
  return tolerance;
}

/* ==============================================================================================
   10  exact numerics                                                                      >>exact

   A reference result is only worth its name if nobody has to wonder about its last bit. This
   chapter computes in numbers with 128 significant bits, over 100 bits more than a float32 has, and
   rounds once, at the end, into the format that is wanted:

       value = (-1)^negative * (hi * 2^64 + lo) * 2^exponent,    2^63 <= hi < 2^64

   WHY ROUND TO ODD. Rounding twice can go wrong. Take the exact result 1.4999...9: to nearest it is
   1. But rounded to ten digits on the way it becomes 1.5, and then 2. So no operation here rounds
   to nearest. Each computes its exact result, cuts it off after 128 bits, and if anything that was
   cut off was not zero, sets the lowest bit ("round to odd"). Two facts follow:

     1. A result whose lowest bit is 0 is exact. An inexact one has all its 128 bits in use; it
        never looks like a number of 127 bits or fewer, so never like a float or a midpoint of two.
     2. The rounded result lies strictly between the same two neighbours of 127 bits as the exact
        one. So any comparison with a number of up to 127 bits comes out right.

   A final rounding to nearest asks only on which side of a midpoint of two floats (25 bits for
   float32, 12 for float16) a number lies. Fact 2 answers that. So +, -, *, / and sqrt followed by
   that rounding are correctly rounded. It carries through short chains: is (exact sum) / n above a
   midpoint M? Just when the sum is above n * M, and n * M has fewer than 25 + 64 bits, so the sum
   rounded to odd is on the right side of it, and so is the quotient.

   One rounding changes a value by less than 2^-127 of itself; call this one unit. The functions
   further down (exp, sin, ...) chain some ten or a hundred operations and lose a few bits of 128.
   Their exact results are irrational, apart from a handful of arguments treated on their own, and a
   float32 result that lies within 2^-105 of a midpoint would take a coincidence of 80 equal bits;
   over the 2^32 arguments of a function one expects about 32 + 24 such bits.

   Exponents are held to +-2^28, far outside any float format; a result outside is clamped there and
   made odd, and the final rounding gives zero or infinity from it.
   Calls chapter 3.
   ============================================================================================== */

typedef struct webnn__wide {
  uint64_t hi, lo;
  int32_t exponent;
  float error; /* in units; kept by the tracked operations below, 0 from all others */
  uint8_t kind;
  uint8_t negative;
  uint8_t model; /* for chapter 11; every operation of this chapter gives 0 */
} webnn__wide;

enum { WEBNN__WIDE_EXPONENT_MAX = 1 << 28 };

#define WEBNN__TOP_BIT ((uint64_t)1 << 63)

/* A number of the given kind without a significand: a zero, an infinity or a NaN. Exact. */
static webnn__wide webnn__wide_special(int kind, bool negative) {
  webnn__wide x;
  x.hi = 0;
  x.lo = 0;
  x.exponent = 0;
  x.error = 0;
  x.kind = (uint8_t)kind;
  x.negative = (uint8_t)negative;
  x.model = 0;
  return x;
}

static webnn__wide webnn__wide_zero(bool negative) {
  return webnn__wide_special(WEBNN__ZERO, negative);
}

static webnn__wide webnn__wide_infinity(bool negative) {
  return webnn__wide_special(WEBNN__INFINITE, negative);
}

static webnn__wide webnn__wide_nan(void) {
  return webnn__wide_special(WEBNN__NAN, false);
}

/* A finite number from a significand that is normalized already; `sticky` says that the exact one
   goes on below it, and makes it odd. Error: below one unit (2^-127), none if not sticky. */
static webnn__wide webnn__wide_make(bool negative, uint64_t hi, uint64_t lo, int32_t exponent,
                                    bool sticky) {
  webnn__wide x;
  x.hi = hi;
  x.lo = lo | (uint64_t)sticky;
  x.exponent = exponent;
  x.error = 0;
  x.kind = WEBNN__FINITE;
  x.negative = (uint8_t)negative;
  x.model = 0;
  if (exponent > WEBNN__WIDE_EXPONENT_MAX || exponent < -WEBNN__WIDE_EXPONENT_MAX) {
    x.exponent = exponent > 0 ? WEBNN__WIDE_EXPONENT_MAX : -WEBNN__WIDE_EXPONENT_MAX;
    x.lo |= 1;
  }
  return x;
}

/* (hi * 2^64 + lo + tail * 2^-64 [+ something below that if sticky]) * 2^exponent, rounded to odd.
   Method: move the three words up until the top bit is set; what then remains in the third word is
   sticky too. Error: below one unit, by round to odd. All words zero give +0. */
static webnn__wide webnn__wide_normalize(bool negative, uint64_t hi, uint64_t lo, uint64_t tail,
                                         bool sticky, int32_t exponent) {
  while (hi == 0) {
    if ((lo | tail) == 0)
      return webnn__wide_zero(false);
    hi = lo;
    lo = tail;
    tail = 0;
    exponent -= 64;
  }
  const int shift = webnn__leading_zeros(hi);
  if (shift != 0) {
    hi = (hi << shift) | (lo >> (64 - shift));
    lo = (lo << shift) | (tail >> (64 - shift));
    tail <<= shift;
  }
  return webnn__wide_make(negative, hi, lo, exponent - shift, sticky || tail != 0);
}

/* (-1)^negative * significand * 2^exponent; zero keeps its sign. Exact: 64 bits fit in 128. */
static webnn__wide webnn__wide_from_parts(bool negative, uint64_t significand, int32_t exponent) {
  if (significand == 0)
    return webnn__wide_zero(negative);
  const int shift = webnn__leading_zeros(significand);
  return webnn__wide_make(negative, significand << shift, 0, exponent - 64 - shift, false);
}

static webnn__wide webnn__wide_from_u64(uint64_t x) {
  return webnn__wide_from_parts(false, x, 0);
}

/* The magnitude is taken modulo 2^64, where negating INT64_MIN is no overflow. Exact. */
static webnn__wide webnn__wide_from_i64(int64_t x) {
  const uint64_t magnitude = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
  return webnn__wide_from_parts(x < 0, magnitude, 0);
}

/* The number a float's bit pattern stands for. Exact. */
static webnn__wide webnn__wide_from_float_bits(uint64_t bits, int fraction_bits,
                                               int exponent_bits) {
  const webnn__float_parts p = webnn__decode_float(bits, fraction_bits, exponent_bits);
  if (p.kind != WEBNN__FINITE)
    return webnn__wide_special(p.kind, p.negative != 0);
  return webnn__wide_from_parts(p.negative != 0, p.significand, p.exponent);
}

/* The float nearest to x, ties to even. Method: the low word only says whether anything lies below
   the high word. Error: half a unit in the last place of the float format. */
static uint32_t webnn__wide_to_float_bits(webnn__wide x, int fraction_bits, int exponent_bits) {
  const uint32_t infinity = (((uint32_t)1 << exponent_bits) - 1) << fraction_bits;
  const uint32_t sign = (uint32_t)x.negative << (fraction_bits + exponent_bits);
  if (x.kind == WEBNN__NAN)
    return infinity | ((uint32_t)1 << (fraction_bits - 1));
  if (x.kind == WEBNN__INFINITE)
    return sign | infinity;
  if (x.kind == WEBNN__ZERO)
    return sign;
  return webnn__encode_float(x.negative != 0, x.hi, x.exponent + 64, x.lo != 0, fraction_bits,
                             exponent_bits);
}

/* floor(|x|) mod 2^64. Method: shift the 128-bit significand to where its unit is bit 0 and keep
   the 64 bits that land there. Exact. */
static uint64_t webnn__wide_integer_bits(webnn__wide x) {
  if (x.kind != WEBNN__FINITE || x.exponent >= 64 || x.exponent <= -128)
    return 0;
  if (x.exponent >= 0)
    return x.lo << x.exponent;
  const int down = -x.exponent;
  if (down > 64)
    return x.hi >> (down - 64);
  if (down == 64)
    return x.hi;
  return (x.lo >> down) | (x.hi << (64 - down));
}

/* trunc(x) mod 2^64, negatives in two's complement; infinities and NaN give 0. Exact. */
static uint64_t webnn__wide_to_u64_wrapped(webnn__wide x) {
  const uint64_t magnitude = webnn__wide_integer_bits(x);
  return x.negative != 0 ? 0 - magnitude : magnitude;
}

/* trunc(x) brought into the range of an integer type of 1 to 64 bits, as 64 bits in two's
   complement (sign-extended); NaN gives 0. Exact. Method: a magnitude of 65 or more bits, 128 +
   exponent of them, exceeds every range; any other is compared with the range's end on its side of
   zero. */
static uint64_t webnn__wide_to_integer_saturated(webnn__wide x, int bits, bool is_signed) {
  const uint64_t all = ~(uint64_t)0 >> (64 - bits);
  const uint64_t most = is_signed ? all >> 1 : all;
  const uint64_t least = is_signed ? most + 1 : 0; /* the magnitude of the smallest value */
  const uint64_t limit = x.negative != 0 ? least : most;
  if (x.kind == WEBNN__NAN)
    return 0;
  uint64_t magnitude = webnn__wide_integer_bits(x);
  const bool huge = x.kind == WEBNN__INFINITE || (x.kind == WEBNN__FINITE && x.exponent > -64);
  if (huge || magnitude > limit)
    magnitude = limit;
  return x.negative != 0 ? 0 - magnitude : magnitude;
}

/* ---- Signs, comparison, powers of two ------------------------------------------------------- */

static webnn__wide webnn__wide_neg(webnn__wide x) {
  x.negative = (uint8_t)(x.negative == 0);
  return x;
}

static webnn__wide webnn__wide_abs(webnn__wide x) {
  x.negative = 0;
  return x;
}

/* True if a or b is a NaN, which no order relates to anything. */
static bool webnn__wide_unordered(webnn__wide a, webnn__wide b) {
  return a.kind == WEBNN__NAN || b.kind == WEBNN__NAN;
}

/* sign(|a| - |b|) for finite a, b. Method: normalized numbers compare like words in a dictionary:
   exponent first, then the high word, then the low one. Exact. */
static int webnn__wide_compare_magnitudes(const webnn__wide *a, const webnn__wide *b) {
  if (a->exponent != b->exponent)
    return a->exponent < b->exponent ? -1 : 1;
  if (a->hi != b->hi)
    return a->hi < b->hi ? -1 : 1;
  if (a->lo != b->lo)
    return a->lo < b->lo ? -1 : 1;
  return 0;
}

/* sign(a - b), neither being NaN; +0 equals -0. Exact. */
static int webnn__wide_compare(webnn__wide a, webnn__wide b) {
  const int sign_a = a.kind == WEBNN__ZERO ? 0 : (a.negative != 0 ? -1 : 1);
  const int sign_b = b.kind == WEBNN__ZERO ? 0 : (b.negative != 0 ? -1 : 1);
  if (sign_a != sign_b)
    return sign_a < sign_b ? -1 : 1;
  if (sign_a == 0)
    return 0;
  if (a.kind != b.kind)
    return a.kind == WEBNN__INFINITE ? sign_a : -sign_a;
  return a.kind == WEBNN__INFINITE ? 0 : sign_a * webnn__wide_compare_magnitudes(&a, &b);
}

/* x * 2^k. Exact, unless the exponent runs into its clamp. */
static webnn__wide webnn__wide_scale2(webnn__wide x, int32_t k) {
  const int32_t beyond = 2 * WEBNN__WIDE_EXPONENT_MAX + 1; /* moves any exponent to the clamp */
  if (x.kind != WEBNN__FINITE)
    return x;
  const int32_t step = k > beyond ? beyond : (k < -beyond ? -beyond : k);
  webnn__wide y = webnn__wide_make(x.negative != 0, x.hi, x.lo, x.exponent + step, false);
  y.error = x.error;
  return y;
}

/* The same number, marked as inexact: an irrational result must not look like a short number, even
   if the error of its computation happened to make it one. Error: below one unit. */
static webnn__wide webnn__wide_inexact(webnn__wide x) {
  if (x.kind == WEBNN__FINITE)
    x.lo |= 1;
  return x;
}

/* ---- Addition and subtraction --------------------------------------------------------------- */

typedef struct webnn__words {
  uint64_t hi, lo, tail;
  bool sticky;
} webnn__words;

/* floor((hi * 2^64 + lo) * 2^64 / 2^distance) as three words; sticky tells if that was not whole.
   Exact in this sense. Method: whole words first, then the bits that are left. */
static webnn__words webnn__shift_down(uint64_t hi, uint64_t lo, int32_t distance) {
  webnn__words w;
  w.hi = distance < 64 ? hi : 0;
  w.lo = distance < 64 ? lo : (distance < 128 ? hi : 0);
  w.tail = distance < 64 ? 0 : (distance < 128 ? lo : (distance < 192 ? hi : 0));
  uint64_t lost = distance < 128 ? 0 : (distance < 192 ? lo : hi | lo);
  const int bits = (int)(distance & 63);
  if (bits != 0) {
    lost |= w.tail << (64 - bits);
    w.tail = (w.tail >> bits) | (w.lo << (64 - bits));
    w.lo = (w.lo >> bits) | (w.hi << (64 - bits));
    w.hi >>= bits;
  }
  w.sticky = lost != 0;
  return w;
}

/* |a| + |b| with the sign of a, for finite |a| >= |b|. Method: shift b down to a's exponent and add
   two words; a carry out of the top shifts the sum down by one. Error: below one unit, by round to
   odd: every bit shifted out goes into the sticky bit. */
static webnn__wide webnn__wide_add_magnitudes(const webnn__wide *a, const webnn__wide *b) {
  const webnn__words w = webnn__shift_down(b->hi, b->lo, a->exponent - b->exponent);
  bool sticky = w.sticky || w.tail != 0;
  uint64_t lo = a->lo + w.lo;
  const uint64_t carry = (uint64_t)(lo < w.lo);
  uint64_t hi = a->hi + w.hi + carry;
  int32_t exponent = a->exponent;
  if (hi < a->hi || (carry != 0 && hi == a->hi)) {
    sticky = sticky || (lo & 1) != 0;
    lo = (lo >> 1) | (hi << 63);
    hi = (hi >> 1) | WEBNN__TOP_BIT;
    exponent += 1;
  }
  return webnn__wide_make(a->negative != 0, hi, lo, exponent, sticky);
}

/* |a| - |b| with the sign of a, for finite |a| >= |b|; an exact zero is +0. Method: subtract b,
   shifted down, in three words; bits of b below those make the difference smaller by a little, so
   borrow one and keep the sticky bit. Error: below one unit. If the exponents differ by two or
   more, at most one leading bit cancels and the third word refills it; if by less, nothing of b
   ever left the three words and the difference is exact. */
static webnn__wide webnn__wide_sub_magnitudes(const webnn__wide *a, const webnn__wide *b) {
  const webnn__words w = webnn__shift_down(b->hi, b->lo, a->exponent - b->exponent);
  const uint64_t tail = 0 - w.tail - (uint64_t)w.sticky;
  const uint64_t borrow_lo = (uint64_t)((w.tail != 0) || w.sticky);
  const uint64_t lo = a->lo - w.lo - borrow_lo;
  const uint64_t borrow_hi = (uint64_t)(a->lo < w.lo || (a->lo == w.lo && borrow_lo != 0));
  const uint64_t hi = a->hi - w.hi - borrow_hi;
  return webnn__wide_normalize(a->negative != 0, hi, lo, tail, w.sticky, a->exponent);
}

/* a + b where one of them is zero, infinite or NaN. Exact, by IEEE 754: inf - inf is NaN; the sum
   of two zeros is -0 only if both are. */
static webnn__wide webnn__wide_add_special(webnn__wide a, webnn__wide b) {
  if (webnn__wide_unordered(a, b))
    return webnn__wide_nan();
  if (a.kind == WEBNN__INFINITE) {
    const bool clash = b.kind == WEBNN__INFINITE && a.negative != b.negative;
    return clash ? webnn__wide_nan() : a;
  }
  if (b.kind == WEBNN__INFINITE)
    return b;
  if (a.kind == WEBNN__ZERO && b.kind == WEBNN__ZERO) {
    return webnn__wide_zero(a.negative != 0 && b.negative != 0);
  }
  return a.kind == WEBNN__ZERO ? b : a;
}

/* a + b. Error: below one unit (2^-127 of the result), by round to odd. */
static webnn__wide webnn__wide_add(webnn__wide a, webnn__wide b) {
  if (a.kind != WEBNN__FINITE || b.kind != WEBNN__FINITE)
    return webnn__wide_add_special(a, b);
  const bool swap = webnn__wide_compare_magnitudes(&a, &b) < 0;
  const webnn__wide *larger = swap ? &b : &a;
  const webnn__wide *smaller = swap ? &a : &b;
  if (a.negative == b.negative)
    return webnn__wide_add_magnitudes(larger, smaller);
  return webnn__wide_sub_magnitudes(larger, smaller);
}

/* a - b = a + (-b). Error: below one unit. */
static webnn__wide webnn__wide_sub(webnn__wide a, webnn__wide b) {
  return webnn__wide_add(a, webnn__wide_neg(b));
}

/* ---- Multiplication, division, square root -------------------------------------------------- */

/* a * b = *high * 2^64 + result. Exact: a product of two 64-bit numbers has at most 128 bits.
   Method: one machine instruction, or, where the compiler has no 128-bit type, long multiplication
   with 32-bit digits; its middle sum is below 3 * 2^32 and cannot overflow. */
static uint64_t webnn__mul64(uint64_t a, uint64_t b, uint64_t *high) {
#if defined(__SIZEOF_INT128__) && !defined(WEBNN__NO_INT128)
  __extension__ typedef unsigned __int128 uint128;
  const uint128 product = (uint128)a * b;
  *high = (uint64_t)(product >> 64);
  return (uint64_t)product;
#else
  const uint64_t mask = 0xffffffffU;
  const uint64_t ll = (a & mask) * (b & mask), lh = (a & mask) * (b >> 32);
  const uint64_t hl = (a >> 32) * (b & mask), hh = (a >> 32) * (b >> 32);
  const uint64_t middle = (ll >> 32) + (lh & mask) + (hl & mask);
  *high = hh + (lh >> 32) + (hl >> 32) + (middle >> 32);
  return (middle << 32) | (ll & mask);
#endif
}

/* a * b. Method: long multiplication with two 64-bit digits each; the 256-bit product p3 p2 p1 p0
   is at least 2^254, so it needs a shift by one at most. Error: below one unit, by round to odd. */
static webnn__wide webnn__wide_mul(webnn__wide a, webnn__wide b) {
  const bool negative = a.negative != b.negative;
  if (a.kind != WEBNN__FINITE || b.kind != WEBNN__FINITE) {
    const bool infinite = a.kind == WEBNN__INFINITE || b.kind == WEBNN__INFINITE;
    const bool zero = a.kind == WEBNN__ZERO || b.kind == WEBNN__ZERO;
    if (webnn__wide_unordered(a, b) || (infinite && zero))
      return webnn__wide_nan();
    return infinite ? webnn__wide_infinity(negative) : webnn__wide_zero(negative);
  }
  uint64_t p1, p2, p3, cross_high, cross2_high;
  const uint64_t p0 = webnn__mul64(a.lo, b.lo, &p1);
  const uint64_t cross = webnn__mul64(a.lo, b.hi, &cross_high);
  const uint64_t cross2 = webnn__mul64(a.hi, b.lo, &cross2_high);
  p2 = webnn__mul64(a.hi, b.hi, &p3);
  p1 += cross;
  cross_high += (uint64_t)(p1 < cross); /* cannot overflow: a high half is at most 2^64 - 2 */
  p1 += cross2;
  cross2_high += (uint64_t)(p1 < cross2);
  p2 += cross_high;
  p3 += (uint64_t)(p2 < cross_high);
  p2 += cross2_high;
  p3 += (uint64_t)(p2 < cross2_high);
  int32_t exponent = a.exponent + b.exponent + 128;
  if ((p3 & WEBNN__TOP_BIT) == 0) {
    p3 = (p3 << 1) | (p2 >> 63);
    p2 = (p2 << 1) | (p1 >> 63);
    p1 <<= 1;
    exponent -= 1;
  }
  return webnn__wide_make(negative, p3, p2, exponent, (p1 | p0) != 0);
}

/* One digit of long division in base 2^32. The remainder r has five digits (r[0] the lowest), the
   divisor d four, its top bit is set, and r < d * 2^32. Returns floor(r / d) and leaves r mod d.
   Method: estimate the digit from the two top digits of r and the top digit of d; the estimate is
   never too small and, d being normalized, at most two too large, which adding d back repairs. */
static uint32_t webnn__divide_digit(uint32_t r[5], const uint32_t d[4]) {
  const uint64_t mask = 0xffffffffU;
  const uint64_t head = ((uint64_t)r[4] << 32) | r[3];
  uint64_t digit = head / d[3];
  if (digit > mask)
    digit = mask;
  uint64_t borrow = 0;
  for (int i = 0; i < 4; ++i) {
    const uint64_t product = digit * d[i] + borrow; /* at most (2^32 - 1) * 2^32 */
    const uint32_t low = (uint32_t)(product & mask);
    borrow = (product >> 32) + (uint64_t)(r[i] < low);
    r[i] -= low;
  }
  r[4] -= (uint32_t)borrow;
  while (r[4] != 0) { /* below zero: the estimate was too large */
    uint64_t carry = 0;
    digit -= 1;
    for (int i = 0; i < 4; ++i) {
      carry += (uint64_t)r[i] + d[i];
      r[i] = (uint32_t)(carry & mask);
      carry >>= 32;
    }
    r[4] += (uint32_t)carry;
  }
  return (uint32_t)digit;
}

/* |a| / |b| for finite a, b. Method: long division with four digits in base 2^32. The dividend is
   a's significand, halved if it is not below b's, so that the quotient has exactly 128 bits. Error:
   below one unit, by round to odd: a remainder other than zero is the sticky bit. */
static webnn__wide webnn__wide_div_finite(bool negative, const webnn__wide *a,
                                          const webnn__wide *b) {
  const bool halve = a->hi > b->hi || (a->hi == b->hi && a->lo >= b->lo);
  const uint64_t hi = halve ? a->hi >> 1 : a->hi;
  const uint64_t lo = halve ? (a->lo >> 1) | (a->hi << 63) : a->lo;
  uint32_t next = halve ? (uint32_t)(a->lo & 1) << 31 : 0; /* the bit that halving pushed out */
  uint32_t d[4], r[5], q[4];
  d[3] = (uint32_t)(b->hi >> 32);
  d[2] = (uint32_t)(b->hi & 0xffffffffU);
  d[1] = (uint32_t)(b->lo >> 32);
  d[0] = (uint32_t)(b->lo & 0xffffffffU);
  r[3] = (uint32_t)(hi >> 32);
  r[2] = (uint32_t)(hi & 0xffffffffU);
  r[1] = (uint32_t)(lo >> 32);
  r[0] = (uint32_t)(lo & 0xffffffffU);
  for (int i = 3; i >= 0; --i) {
    for (int j = 4; j > 0; --j)
      r[j] = r[j - 1];
    r[0] = next;
    next = 0;
    q[i] = webnn__divide_digit(r, d);
  }
  const bool sticky = (r[0] | r[1] | r[2] | r[3]) != 0;
  return webnn__wide_make(negative, ((uint64_t)q[3] << 32) | q[2], ((uint64_t)q[1] << 32) | q[0],
                          a->exponent - b->exponent - 128 + (int32_t)halve, sticky);
}

/* a / b. Error: below one unit. By IEEE 754, x / 0 is infinite, 0 / 0 and inf / inf are NaN. */
static webnn__wide webnn__wide_div(webnn__wide a, webnn__wide b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == WEBNN__FINITE && b.kind == WEBNN__FINITE) {
    return webnn__wide_div_finite(negative, &a, &b);
  }
  if (webnn__wide_unordered(a, b))
    return webnn__wide_nan();
  if (a.kind == b.kind)
    return webnn__wide_nan();
  if (a.kind == WEBNN__ZERO || b.kind == WEBNN__INFINITE)
    return webnn__wide_zero(negative);
  return webnn__wide_infinity(negative);
}

/* x / n for 0 < n < 2^32, faster than the general division. Method: short division of the
   significand, followed by 64 zero bits, in base 2^32; remainders stay below n, so each step
   divides a 64-bit number. The quotient has 192 - 32 = 160 bits or more. Error: below one unit. */
static webnn__wide webnn__wide_div_small(webnn__wide x, uint32_t n) {
  const uint64_t mask = 0xffffffffU;
  if (x.kind != WEBNN__FINITE)
    return x;
  const uint64_t hi = x.hi / n;
  uint64_t rest = x.hi % n;
  uint64_t part = (rest << 32) | (x.lo >> 32);
  uint64_t lo = (part / n) << 32;
  rest = part % n;
  part = (rest << 32) | (x.lo & mask);
  lo |= part / n;
  rest = part % n;
  part = rest << 32;
  const uint64_t tail = (part / n) << 32;
  return webnn__wide_normalize(x.negative != 0, hi, lo, tail, part % n != 0, x.exponent);
}

/* sqrt(x); negative numbers give NaN, zeros themselves. Method: as taught for decimal digits, in
   base 2. With the root s of the bits read so far and the remainder r = read - s^2 <= 2s, bring
   down two bits, and the next bit of s is one if 4s + 1 fits into the remainder. 128 such steps
   give the floor of the root of a 256-bit number; the remainder needs 130 bits. Error: below one
   unit, by round to odd; and a root that is exact has at most 64 bits, so its low bit tells it
   apart. */
static webnn__wide webnn__wide_sqrt(webnn__wide x) {
  if (x.kind == WEBNN__NAN || x.kind == WEBNN__ZERO)
    return x;
  if (x.negative != 0)
    return webnn__wide_nan();
  if (x.kind == WEBNN__INFINITE)
    return x;
  /* x = (significand * 2^128 / 2^odd) * 2^(2 * half), the bracket's 256 bits are n3 n2 n1 0 */
  const bool odd = (x.exponent & 1) != 0;
  uint64_t n3 = odd ? x.hi >> 1 : x.hi;
  uint64_t n2 = odd ? (x.lo >> 1) | (x.hi << 63) : x.lo;
  uint64_t n1 = odd ? x.lo << 63 : 0;
  const int32_t half = (x.exponent + (int32_t)odd - 128) / 2;
  uint64_t s_hi = 0, s_lo = 0, r_top = 0, r_hi = 0, r_lo = 0;
  for (int step = 0; step < 128; ++step) {
    r_top = (r_top << 2) | (r_hi >> 62);
    r_hi = (r_hi << 2) | (r_lo >> 62);
    r_lo = (r_lo << 2) | (n3 >> 62);
    n3 = (n3 << 2) | (n2 >> 62);
    n2 = (n2 << 2) | (n1 >> 62);
    n1 <<= 2;
    const uint64_t t_top = s_hi >> 62, t_hi = (s_hi << 2) | (s_lo >> 62), t_lo = (s_lo << 2) | 1;
    const uint64_t d_lo = r_lo - t_lo, b_lo = (uint64_t)(r_lo < t_lo);
    const uint64_t d_hi = r_hi - t_hi - b_lo;
    const uint64_t b_hi = (uint64_t)(r_hi < t_hi || (r_hi == t_hi && b_lo != 0));
    const bool fits = r_top >= t_top + b_hi;
    r_top = fits ? r_top - t_top - b_hi : r_top;
    r_hi = fits ? d_hi : r_hi;
    r_lo = fits ? d_lo : r_lo;
    s_hi = (s_hi << 1) | (s_lo >> 63);
    s_lo = (s_lo << 1) | (uint64_t)fits;
  }
  return webnn__wide_make(false, s_hi, s_lo, half, (r_top | r_hi | r_lo) != 0);
}

/* ---- Rounding to an integer ----------------------------------------------------------------- */

/* x without its fraction, with the sign of x even if nothing is left. Method: clear the bits of the
   significand that weigh less than one. Exact. */
static webnn__wide webnn__wide_trunc(webnn__wide x) {
  if (x.kind != WEBNN__FINITE || x.exponent >= 0)
    return x;
  if (x.exponent <= -128)
    return webnn__wide_zero(x.negative != 0);
  const int fraction = -x.exponent; /* 1 to 127 bits */
  if (fraction < 64) {
    x.lo &= ~(uint64_t)0 << fraction;
  } else {
    x.lo = 0;
    x.hi &= ~(uint64_t)0 << (fraction - 64);
  }
  return x;
}

/* True if x is finite and has no fraction (zeros included). Exact. */
static bool webnn__wide_is_integer(webnn__wide x) {
  if (x.kind == WEBNN__ZERO)
    return true;
  const webnn__wide whole = webnn__wide_trunc(x);
  return x.kind == WEBNN__FINITE && whole.kind == WEBNN__FINITE && whole.hi == x.hi &&
         whole.lo == x.lo;
}

/* True if the finite x is an odd integer: its unit bit is set and nothing lies below. Exact. */
static bool webnn__wide_is_odd(webnn__wide x) {
  return x.kind == WEBNN__FINITE && webnn__wide_is_integer(x) &&
         (webnn__wide_integer_bits(x) & 1) != 0;
}

/* x rounded to an integer, away from zero if `away` and there is a fraction, else toward zero. The
   sign is kept, so that ceil(-0.5) = -0. Exact: trunc(x) has at most 127 bits, one more fits. */
static webnn__wide webnn__wide_round_directed(webnn__wide x, bool away) {
  const webnn__wide whole = webnn__wide_trunc(x);
  if (!away || x.kind != WEBNN__FINITE || webnn__wide_is_integer(x))
    return whole;
  return webnn__wide_add(whole, webnn__wide_from_parts(x.negative != 0, 1, 0));
}

static webnn__wide webnn__wide_floor(webnn__wide x) {
  return webnn__wide_round_directed(x, x.negative != 0);
}

static webnn__wide webnn__wide_ceil(webnn__wide x) {
  return webnn__wide_round_directed(x, x.negative == 0);
}

/* The integer nearest to x, ties to the even one; the sign is kept. Method: the fraction x -
   trunc(x) is exact (it is a part of x's bits); compare it with one half. Exact. */
static webnn__wide webnn__wide_round_even(webnn__wide x) {
  if (x.kind != WEBNN__FINITE || x.exponent >= 0)
    return x;
  const webnn__wide whole = webnn__wide_trunc(x);
  const webnn__wide fraction = webnn__wide_abs(webnn__wide_sub(x, whole));
  const int order = webnn__wide_compare(fraction, webnn__wide_from_parts(false, 1, -1));
  return webnn__wide_round_directed(x, order > 0 || (order == 0 && webnn__wide_is_odd(whole)));
}

/* ---- Exponential and logarithm -----------------------------------------------------------------

   Error bounds from here on are relative to the result, in units of 2^-127, and count one unit for
   every rounding that the result passes through. */

/* The integer n as a wide number, for short formulas. Exact. */
static webnn__wide webnn__wide_small(int32_t n) {
  return webnn__wide_from_i64(n);
}

/* Constants cut off after 128 bits and, all being irrational, made odd: error below one unit. */
static webnn__wide webnn__wide_constant(uint64_t hi, uint64_t lo, int32_t exponent) {
  return webnn__wide_make(false, hi, lo, exponent, true);
}

static webnn__wide webnn__wide_ln2(void) {
  return webnn__wide_constant(0xb17217f7d1cf79abU, 0xc9e3b39803f2f6afU, -128);
}

/* x - k ln2. Method: ln2 is split into its first 100 bits, and the next 128. k has at most 22 bits,
   so k times the first part is exact; so is subtracting that from x, because the difference is at
   most 0.35 and a multiple of 2^-129. Error: below 2^-100 |k| units of absolute size 2^-127. */
static webnn__wide webnn__wide_minus_k_ln2(webnn__wide x, int32_t k) {
  const webnn__wide first =
      webnn__wide_make(false, 0xb17217f7d1cf79abU, 0xc9e3b39800000000U, -128, false);
  const webnn__wide second = webnn__wide_constant(0xfcbdabd03cd0c99cU, 0xa62d8b628345d6e2U, -230);
  const webnn__wide factor = webnn__wide_small(k);
  x = webnn__wide_sub(x, webnn__wide_mul(factor, first));
  return webnn__wide_sub(x, webnn__wide_mul(factor, second));
}

/* E(r) = e^r - 1 for |r| < 0.36, r not 0. Method: let s = r / 256; the Taylor series
       E(s) = s (1 + s/2 (1 + s/3 (1 + ... s/11)))
   is cut off with a relative error of s^11 / 12! < 2^-132; then, eight times, E(2s) = E(s) (E(s) +
   2), which is e^2s - 1 = (e^s - 1)(e^s + 1). Error: below 2^-120. The series gives at most 6 units
   (errors further in are scaled by s), each doubling adds at most 4, and the growth of inherited
   errors over all doublings is that of r e^r / E(r), below 1.2. All factors (1 + ...) and (E + 2)
   stay on their side of 1 and 2, so even for the tiniest r the result lies on r's proper side. */
static webnn__wide webnn__expm1_reduced(webnn__wide r) {
  const webnn__wide one = webnn__wide_small(1), two = webnn__wide_small(2);
  const webnn__wide s = webnn__wide_scale2(r, -8);
  webnn__wide e = one;
  for (uint32_t n = 11; n >= 2; --n) {
    e = webnn__wide_add(one, webnn__wide_div_small(webnn__wide_mul(s, e), n));
  }
  e = webnn__wide_mul(s, e);
  for (int i = 0; i < 8; ++i)
    e = webnn__wide_mul(e, webnn__wide_add(e, two));
  return e;
}

/* The integer k nearest to x / ln2 (or next to nearest, at a tie) for |x| < 2^20. 64 bits of the
   quotient are plenty: the method works for any k that leaves |x - k ln2| < 0.36. */
static int32_t webnn__exp_binade(webnn__wide x) {
  const webnn__wide per_ln2 = webnn__wide_constant(0xb8aa3b295c17f0bbU, 0xbe87fed0691d3e88U, -127);
  const webnn__wide k = webnn__wide_round_even(webnn__wide_mul(x, per_ln2));
  const int32_t magnitude = (int32_t)webnn__wide_integer_bits(k);
  return k.negative != 0 ? -magnitude : magnitude;
}

/* e^x. Method: e^x = 2^k (1 + E(x - k ln2)). Error: below 2^-118: that of E, at most half as large
   in 1 + E, plus k 2^-227 from the reduction. e^0 is exact, nothing else is. From |x| = 2^20 on a
   stand-in far outside all formats, 2^(+-2^21), is returned. */
static webnn__wide webnn__wide_exp(webnn__wide x) {
  const webnn__wide one = webnn__wide_small(1);
  if (x.kind == WEBNN__NAN)
    return x;
  if (x.kind == WEBNN__ZERO)
    return one;
  if (x.kind == WEBNN__INFINITE)
    return x.negative != 0 ? webnn__wide_zero(false) : x;
  if (x.exponent > 20 - 128) {
    return webnn__wide_inexact(webnn__wide_scale2(one, x.negative != 0 ? -(1 << 21) : 1 << 21));
  }
  const int32_t k = webnn__exp_binade(x);
  const webnn__wide e = webnn__expm1_reduced(k == 0 ? x : webnn__wide_minus_k_ln2(x, k));
  return webnn__wide_inexact(webnn__wide_scale2(webnn__wide_add(one, e), k));
}

/* e^x - 1. Method: E(x) if |x| < 0.34; otherwise e^x and 1 differ by a factor of at least sqrt(2),
   and the subtraction magnifies the error of e^x at most 2.5 times (for x near ln2 / 2). Error:
   below 2^-116. */
static webnn__wide webnn__wide_expm1(webnn__wide x) {
  const webnn__wide one = webnn__wide_small(1);
  if (x.kind == WEBNN__NAN || x.kind == WEBNN__ZERO)
    return x;
  if (x.kind == WEBNN__FINITE && x.exponent <= -128 && webnn__exp_binade(x) == 0) {
    return webnn__wide_inexact(webnn__expm1_reduced(x));
  }
  return webnn__wide_sub(webnn__wide_exp(x), one);
}

/* log((1 + t) / (1 - t)) = 2 artanh(t) = 2 (t + t^3/3 + t^5/5 + ...) for 0 < |t| < 0.18. Method:
   add terms until one no longer reaches the 132nd bit (25 at most, the ratio being t^2 < 2^-4.9);
   the rest of the series is smaller still. Error: below 2^-120: term n carries 2n + 1 units, but is
   itself smaller than 2^-4.9n, and of the additions only the first few weigh full. */
static webnn__wide webnn__log_series(webnn__wide t) {
  const webnn__wide square = webnn__wide_mul(t, t);
  webnn__wide power = t, sum = t, term = t;
  for (uint32_t n = 3; term.exponent > sum.exponent - 132; n += 2) {
    power = webnn__wide_mul(power, square);
    term = webnn__wide_div_small(power, n);
    sum = webnn__wide_add(sum, term);
  }
  return webnn__wide_scale2(sum, 1);
}

/* log(x); log(0) = -inf, log(negative) is NaN, log(1) = +0 exactly. Method: x = 2^k m with m in
   [sqrt(1/2), sqrt(2)); log x = k ln2 + log m, log m from the series with t = (m - 1) / (m + 1),
   |t| < 0.1716. m - 1 is exact, so m near 1 loses nothing. Error: below 2^-118: if k is not 0,
   |log m| <= |log x|, and |k| ln2 <= 2 |log x|, so no error grows more than twofold. */
static webnn__wide webnn__wide_log(webnn__wide x) {
  const webnn__wide one = webnn__wide_small(1);
  if (x.kind == WEBNN__NAN)
    return x;
  if (x.kind == WEBNN__ZERO)
    return webnn__wide_infinity(true);
  if (x.negative != 0)
    return webnn__wide_nan();
  if (x.kind == WEBNN__INFINITE)
    return x;
  const bool low = x.hi < 0xb504f333f9de6484U; /* the significand of sqrt(1/2) */
  const int32_t k = x.exponent + 128 - (int32_t)low;
  const webnn__wide m = webnn__wide_scale2(x, -k);
  const webnn__wide above = webnn__wide_sub(m, one);
  const webnn__wide whole = webnn__wide_mul(webnn__wide_small(k), webnn__wide_ln2());
  if (above.kind == WEBNN__ZERO)
    return webnn__wide_add(whole, above);
  const webnn__wide t = webnn__wide_div(above, webnn__wide_add(m, one));
  return webnn__wide_inexact(webnn__wide_add(whole, webnn__log_series(t)));
}

/* log(1 + x), -inf at -1, NaN below. Method: for -1/4 <= x < 1/4 the series with t = x / (2 + x),
   |t| <= 1/7, that is without ever forming 1 + x; elsewhere log(1 + x), where rounding 1 + x shifts
   the logarithm by 2^-127 and its size is at least 0.22. Error: below 2^-116. */
static webnn__wide webnn__wide_log1p(webnn__wide x) {
  if (x.kind == WEBNN__NAN || x.kind == WEBNN__ZERO)
    return x;
  if (x.kind == WEBNN__FINITE && x.exponent < -129) { /* |x| < 1/4 */
    const webnn__wide t = webnn__wide_div(x, webnn__wide_add(webnn__wide_small(2), x));
    return webnn__wide_inexact(webnn__log_series(t));
  }
  return webnn__wide_inexact(webnn__wide_log(webnn__wide_add(webnn__wide_small(1), x)));
}

/* ---- Powers --------------------------------------------------------------------------------- */

/* x^n for 1 <= n <= 128. Method: by the bits of n from the top, square, and multiply by x where the
   bit is one. Exact if x^n has at most 128 bits, as then all powers on the way have; else the error
   is below 2n units < 2^-118, for squaring doubles an error and adds one unit. The inexact result
   stays odd: all products of an odd 128-bit significand and one of 2 bits or more are longer. */
static webnn__wide webnn__wide_power(webnn__wide x, uint32_t n) {
  webnn__wide result = x;
  uint32_t bit = 128;
  while ((n & bit) == 0)
    bit >>= 1;
  for (bit >>= 1; bit != 0; bit >>= 1) {
    result = webnn__wide_mul(result, result);
    if ((n & bit) != 0)
      result = webnn__wide_mul(result, x);
  }
  return result;
}

/* Tries the cases in which x^y can be a number of 128 bits or fewer, x > 0 finite and not 1, y
   finite and not 0. Write x = m 2^e with m odd.
     m = 1: x^y = 2^(e y), exact if e y is an integer.
     m > 1: y < 0 gives 1/m^|y|, a fraction that no binary number equals. If y = n / 2^j in lowest
       terms, x^y is rational only if x is a 2^j-th power: take exact square roots until y is an
       integer, and give up at the first that is inexact; for m < 2^128 that is after 7 at most. For
       n > 80, m^n has more than 128 bits; up to 128 multiply all the same, it is accurate too.
   Returns false if the result is not among these; it is then irrational or long. */
static bool webnn__pow_exact(webnn__wide x, webnn__wide y, webnn__wide *result) {
  if (x.hi == WEBNN__TOP_BIT && x.lo == 0) {
    const webnn__wide e = webnn__wide_mul(webnn__wide_small(x.exponent + 127), y);
    const uint64_t k = webnn__wide_to_integer_saturated(webnn__wide_abs(e), 31, false);
    if (!webnn__wide_is_integer(e))
      return false;
    *result = webnn__wide_scale2(webnn__wide_small(1), e.negative != 0 ? -(int32_t)k : (int32_t)k);
    return true;
  }
  if (y.negative != 0)
    return false;
  while (!webnn__wide_is_integer(y)) {
    x = webnn__wide_sqrt(x);
    if ((x.lo & 1) != 0)
      return false;
    y = webnn__wide_scale2(y, 1);
  }
  const uint64_t n = webnn__wide_to_integer_saturated(y, 32, false);
  if (n > 128)
    return false;
  *result = webnn__wide_power(x, (uint32_t)n);
  return true;
}

/* x^y where x or y is zero or infinite, neither is NaN, y is not 0 and x is not 1, by C's Annex F.
   Exact. Method: |x|^y is zero or infinite (or 1 for |x| = 1), by whether |x| is above 1 and the
   sign of y; the sign is x's if y is an odd integer. */
static webnn__wide webnn__pow_special(webnn__wide x, webnn__wide y) {
  const int size = webnn__wide_compare(webnn__wide_abs(x), webnn__wide_small(1));
  const bool negative = x.negative != 0 && webnn__wide_is_odd(y);
  if (size == 0)
    return webnn__wide_small(1); /* (-1)^(+-inf) */
  return (size > 0) == (y.negative == 0) ? webnn__wide_infinity(negative)
                                         : webnn__wide_zero(negative);
}

/* x^y. Method: special values by C's Annex F; then the exact cases; otherwise |x|^y = e^(y log|x|),
   with the sign of x for odd y. Error: below 2^-117 (1 + |y log x|), for the exponent's absolute
   error is the relative one of the result; below 2^-109 where float32 neither over- nor
   underflows. */
static webnn__wide webnn__wide_pow(webnn__wide x, webnn__wide y) {
  const webnn__wide one = webnn__wide_small(1);
  if (y.kind == WEBNN__ZERO)
    return one;
  if (x.kind == WEBNN__FINITE && webnn__wide_compare(x, one) == 0)
    return one;
  if (webnn__wide_unordered(x, y))
    return webnn__wide_nan();
  if (x.kind != WEBNN__FINITE || y.kind != WEBNN__FINITE)
    return webnn__pow_special(x, y);
  if (x.negative != 0 && !webnn__wide_is_integer(y))
    return webnn__wide_nan();
  const bool negative = x.negative != 0 && webnn__wide_is_odd(y);
  const webnn__wide base = webnn__wide_abs(x);
  webnn__wide result = one;
  if (webnn__wide_compare(base, one) != 0 && !webnn__pow_exact(base, y, &result)) {
    result = webnn__wide_exp(webnn__wide_mul(y, webnn__wide_log(base)));
  }
  return negative ? webnn__wide_neg(result) : result;
}

/* ---- Trigonometric functions ---------------------------------------------------------------- */

/* The number with the given base-2^32 digits (digits[0] the lowest) times 2^exponent, rounded to
   odd. Method: find the highest digit that is not zero, take six digits from there, the rest is
   sticky. Error: below one unit. All zeros give +0. */
static webnn__wide webnn__wide_from_digits(bool negative, const uint32_t *digits, int count,
                                           int32_t exponent) {
  uint64_t words[3];
  bool sticky = false;
  while (count > 0 && digits[count - 1] == 0)
    count -= 1;
  for (int i = 0; i < 3; ++i) {
    const int at = count - 1 - 2 * i;
    const uint64_t high = at >= 0 ? digits[at] : 0;
    const uint64_t low = at >= 1 ? digits[at - 1] : 0;
    words[i] = (high << 32) | low;
  }
  for (int i = 0; i < count - 6; ++i)
    sticky = sticky || digits[i] != 0;
  return webnn__wide_normalize(negative, words[0], words[1], words[2], sticky,
                               exponent + 32 * (count - 4));
}

/* Twelve 32-bit words, the highest first, of the bits of 2/pi from the one that weighs 2^-first on,
   -129 <= first <= -1 (bits before the binary point are zero). Exact in these 384 bits. */
static void webnn__two_over_pi(int32_t first, uint32_t window[12]) {
  static const uint32_t table[17] = {
      0,           0,           0,           0,           0, /* the first bit weighs 2^159 */
      0xa2f9836eU, 0x4e441529U, 0xfc2757d1U, 0xf534ddc0U, 0xdb629599U, 0x3c439041U,
      0xfe5163abU, 0xdebbc561U, 0xb7246e3aU, 0x424dd2e0U, 0x06492eeaU, 0x09d1921cU};
  const int offset = (int)first + 159;
  const int word = offset / 32, bits = offset % 32;
  for (int i = 0; i < 12; ++i) {
    uint64_t pair = (uint64_t)table[word + i] << 32;
    if (bits != 0)
      pair |= table[word + i + 1];
    window[i] = (uint32_t)((pair >> (32 - bits)) & 0xffffffffU);
  }
}

/* For 1/2 <= |x| < 2^128: y with |x| = (4 n + quadrant) pi/2 + y, |y| <= pi/4.

   Method (Payne and Hanek): z = |x| 2/pi is needed modulo 4 only. With |x| = M 2^e, M of 128 bits,
   those bits of 2/pi that weigh 2^(2-e) or more contribute multiples of 4; skip them. The next 384
   bits W give z = M W 2^-382 mod 4, and, reducing modulo 2^384, the top two bits are the quadrant
   and the rest the fraction. A fraction of one half or more counts as the next quadrant with a
   negative fraction. Then y = fraction * pi/2.

   Error: the bits of 2/pi beyond the window change the fraction by less than 2^128-382 = 2^-254.
   The fraction is at least about 2^-32 for a float32 argument (no float32 comes closer to a
   multiple of pi/2), and about 2^-136 for a typical worst case of 128 bits, so its relative error
   is below 2^-118; the roundings add 3 units. */
static webnn__wide webnn__reduce_angle(webnn__wide x, uint32_t *quadrant) {
  const webnn__wide half_pi = webnn__wide_constant(0xc90fdaa22168c234U, 0xc4c6628b80dc1cd1U, -127);
  const uint64_t mask = 0xffffffffU;
  uint32_t m[4], window[12], product[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  m[3] = (uint32_t)(x.hi >> 32);
  m[2] = (uint32_t)(x.hi & mask);
  m[1] = (uint32_t)(x.lo >> 32);
  m[0] = (uint32_t)(x.lo & mask);
  webnn__two_over_pi(x.exponent - 1, window);
  for (int i = 0; i < 4; ++i) {
    uint64_t carry = 0;
    for (int j = 0; i + j < 12; ++j) {
      carry += (uint64_t)m[i] * window[11 - j] + product[i + j];
      product[i + j] = (uint32_t)(carry & mask);
      carry >>= 32;
    }
  }
  *quadrant = product[11] >> 30;
  for (int i = 11; i > 0; --i)
    product[i] = (product[i] << 2) | (product[i - 1] >> 30);
  product[0] <<= 2;
  const bool negative = (product[11] >> 31) != 0; /* the fraction is one half or more */
  if (negative) {
    uint64_t carry = 1; /* two's complement: 1 - fraction */
    for (int i = 0; i < 12; ++i) {
      carry += ~product[i] & mask;
      product[i] = (uint32_t)(carry & mask);
      carry >>= 32;
    }
    *quadrant = (*quadrant + 1) & 3;
  }
  return webnn__wide_mul(webnn__wide_from_digits(negative, product, 12, -384), half_pi);
}

/* sin y (first = 2) or cos y (first = 1) for |y| <= pi/4, y not 0. Method: Taylor's series
       sin y = y (1 - y^2/(2*3) (1 - y^2/(4*5) (1 - ...)))
       cos y =    1 - y^2/(1*2) (1 - y^2/(3*4) (1 - ...))
   with 16 brackets; the cut-off error is below (pi/4)^32 / 32! < 2^-128. Error: below 2^-122: an
   error in an inner bracket is scaled by y^2/6 or y^2/2 < 0.31 at each step outward, so the sum of
   all is below 8 units relative to a bracket of at least 0.69. */
static webnn__wide webnn__sine_series(webnn__wide y, int32_t first) {
  const webnn__wide one = webnn__wide_small(1);
  const webnn__wide square = webnn__wide_mul(y, y);
  webnn__wide bracket = one;
  for (int32_t n = first + 30; n >= first; n -= 2) {
    const uint32_t divisor = (uint32_t)(n * (n + 1));
    const webnn__wide term = webnn__wide_div_small(webnn__wide_mul(square, bracket), divisor);
    bracket = webnn__wide_sub(one, term);
  }
  return first == 2 ? webnn__wide_mul(y, bracket) : bracket;
}

/* y and the quadrant for any finite x with |x| < 2^128: below 1/2 nothing is to be reduced, and
   quadrant is 0. The reduction works on |x|, and y gets the sign of x for sin; see the callers. */
static webnn__wide webnn__angle(webnn__wide x, uint32_t *quadrant) {
  *quadrant = 0;
  if (x.exponent < -128)
    return webnn__wide_abs(x);
  return webnn__reduce_angle(x, quadrant);
}

/* sin(y + quadrant pi/2): in turn sin y, cos y, -sin y, -cos y. Error: that of the series. */
static webnn__wide webnn__sine_of(webnn__wide y, uint32_t quadrant) {
  const webnn__wide value = webnn__sine_series(y, (quadrant & 1) != 0 ? 1 : 2);
  return webnn__wide_inexact((quadrant & 2) != 0 ? webnn__wide_neg(value) : value);
}

/* True for the arguments without a sine: NaN, infinities, and, since 2/pi is stored with 384 bits,
   numbers from 2^128 on, which no float32 is. */
static bool webnn__no_angle(webnn__wide x) {
  return x.kind == WEBNN__NAN || x.kind == WEBNN__INFINITE ||
         (x.kind == WEBNN__FINITE && x.exponent > 0);
}

/* sin x for |x| < 2^128 (NaN beyond). Error: below 2^-116 for float32 arguments: reduction 2^-118
   and series 2^-122. For tiny x the bracket is 1 - 2^-128: x - x^3/6 stays below x. */
static webnn__wide webnn__wide_sin(webnn__wide x) {
  uint32_t quadrant;
  if (webnn__no_angle(x))
    return webnn__wide_nan();
  if (x.kind == WEBNN__ZERO)
    return x;
  const webnn__wide y = webnn__angle(x, &quadrant);
  const webnn__wide sine = webnn__sine_of(y, quadrant);
  return x.negative != 0 ? webnn__wide_neg(sine) : sine;
}

/* cos x = sin(|x| + pi/2) for |x| < 2^128 (NaN beyond). Error: as for sin. */
static webnn__wide webnn__wide_cos(webnn__wide x) {
  uint32_t quadrant;
  if (webnn__no_angle(x))
    return webnn__wide_nan();
  if (x.kind == WEBNN__ZERO)
    return webnn__wide_small(1);
  const webnn__wide y = webnn__angle(x, &quadrant);
  return webnn__sine_of(y, quadrant + 1);
}

/* x + sign x^3/3 + 2 x^5/15 for |x| < 2^-20: tan x (sign = 1) and tanh x (sign = -1). Method: x (1
   + sign x^2/3 (1 + sign 2x^2/5)). Error: the next term is 17 x^7/315, that is 2^-124 of x. A
   quotient of two rounded numbers could come out as x itself; this form cannot. */
static webnn__wide webnn__tangent_near_zero(webnn__wide x, bool minus) {
  const webnn__wide one = webnn__wide_small(1);
  webnn__wide square = webnn__wide_mul(x, x);
  if (minus)
    square = webnn__wide_neg(square);
  webnn__wide inner = webnn__wide_div_small(webnn__wide_scale2(square, 1), 5);
  inner = webnn__wide_mul(square, webnn__wide_add(one, inner));
  inner = webnn__wide_add(one, webnn__wide_div_small(inner, 3));
  return webnn__wide_inexact(webnn__wide_mul(x, inner));
}

/* tan x for |x| < 2^128 (NaN beyond). Method: sin y / cos y, in odd quadrants -cos y / sin y.
   Error: below 2^-116 for float32 arguments, of reduction and two series. */
static webnn__wide webnn__wide_tan(webnn__wide x) {
  uint32_t quadrant;
  if (webnn__no_angle(x))
    return webnn__wide_nan();
  if (x.kind == WEBNN__ZERO)
    return x;
  if (x.exponent < -20 - 128)
    return webnn__tangent_near_zero(x, false);
  const webnn__wide y = webnn__angle(x, &quadrant);
  const webnn__wide sine = webnn__sine_series(y, 2), cosine = webnn__sine_series(y, 1);
  const webnn__wide tangent = (quadrant & 1) != 0 ? webnn__wide_neg(webnn__wide_div(cosine, sine))
                                                  : webnn__wide_div(sine, cosine);
  return webnn__wide_inexact(x.negative != 0 ? webnn__wide_neg(tangent) : tangent);
}

/* ---- Error function ------------------------------------------------------------------------- */

/* 2/sqrt(pi) x e^(-x^2), which both formulas below share. Error: e^(-x^2) passes on the rounding of
   x^2 magnified by x^2, so below 2^-117 + x^2 2^-127. */
static webnn__wide webnn__gauss(webnn__wide x, webnn__wide square) {
  const webnn__wide two_over_sqrt_pi =
      webnn__wide_constant(0x906eba8214db688dU, 0x71d48a7f6bfec344U, -127);
  const webnn__wide bell = webnn__wide_exp(webnn__wide_neg(square));
  return webnn__wide_mul(two_over_sqrt_pi, webnn__wide_mul(x, bell));
}

/* erf x for |x| < 4, x not 0. Method: the series without subtractions,
       erf x = 2/sqrt(pi) x e^(-x^2) (1 + 2x^2/3 + (2x^2)^2/(3*5) + (2x^2)^3/(3*5*7) + ...).
   Terms are added until one falls below 2^-132 of the sum; from then on each is at most half its
   predecessor. That is below 120 terms. Error: below 2^-116. A term's error, at most 2 units per
   step, is weighted with its share of the sum, and the terms that matter come before the 60th. */
static webnn__wide webnn__erf_series(webnn__wide x) {
  const webnn__wide square = webnn__wide_mul(x, x);
  const webnn__wide twice = webnn__wide_scale2(square, 1);
  webnn__wide sum = webnn__wide_small(1), term = sum;
  for (uint32_t n = 3; term.exponent > sum.exponent - 132; n += 2) {
    term = webnn__wide_div_small(webnn__wide_mul(term, twice), n);
    sum = webnn__wide_add(sum, term);
  }
  return webnn__wide_mul(webnn__gauss(x, square), sum);
}

/* erfc x for x >= 2. Method: the continued fraction, with z = 2x^2,
       erfc x = 2/sqrt(pi) x e^(-x^2) / (z + 1 - 1*2/(z + 5 - 3*4/(z + 9 - 5*6/(z + 13 - ...))))
   evaluated from its end. With 12 + 480/x^2 levels its cut-off error is below 2^-122 for all x >= 2
   (checked against 400-bit arithmetic; the levels needed fall like 420/x^2). Error: below 2^-116
   for x < 32: each level adds 3 units and passes on at most what it got; x^2 2^-127 comes from
   e^(-x^2). */
static webnn__wide webnn__erfc_fraction(webnn__wide x) {
  const webnn__wide square = webnn__wide_mul(x, x);
  const webnn__wide z = webnn__wide_scale2(square, 1);
  const webnn__wide count = webnn__wide_div(webnn__wide_small(480), square);
  const int32_t levels = 12 + (int32_t)webnn__wide_integer_bits(count);
  webnn__wide fraction = webnn__wide_add(z, webnn__wide_small(4 * levels + 1));
  for (int32_t k = levels; k > 0; --k) {
    const webnn__wide a = webnn__wide_small(2 * k * (2 * k - 1));
    const webnn__wide b = webnn__wide_add(z, webnn__wide_small(4 * k - 3));
    fraction = webnn__wide_sub(b, webnn__wide_div(a, fraction));
  }
  return webnn__wide_div(webnn__gauss(x, square), fraction);
}

/* erf x. Method: the series below 4, 1 - erfc|x| from there on. Error: below 2^-116. For large x
   the subtraction leaves 1 - 2^-128, below 1, as it should. */
static webnn__wide webnn__wide_erf(webnn__wide x) {
  const webnn__wide one = webnn__wide_small(1);
  if (x.kind == WEBNN__NAN || x.kind == WEBNN__ZERO)
    return x;
  webnn__wide value = one;
  if (x.kind == WEBNN__FINITE) {
    if (x.exponent < 2 - 127)
      return webnn__wide_inexact(webnn__erf_series(x));
    value = webnn__wide_sub(one, webnn__erfc_fraction(webnn__wide_abs(x)));
    value = webnn__wide_inexact(value);
  }
  return x.negative != 0 ? webnn__wide_neg(value) : value;
}

/* erfc x = 1 - erf x. Method: from 2 on the continued fraction, otherwise the difference, in which
   erfc 2 = 0.0047 costs at most 8 bits. Error: below 2^-108 for x < 2, 2^-116 for 2 <= x < 32. */
static webnn__wide webnn__wide_erfc(webnn__wide x) {
  if (x.kind == WEBNN__FINITE && x.negative == 0 && x.exponent >= 1 - 127) {
    return webnn__wide_inexact(webnn__erfc_fraction(x));
  }
  return webnn__wide_sub(webnn__wide_small(1), webnn__wide_erf(x));
}

/* ---- Activations ---------------------------------------------------------------------------- */

/* tanh x. Method: near 0 its series; to |x| = 1 E / (E + 2) with E = e^2x - 1; beyond, 1 - 2 / (E +
   2), which keeps below 1 where E + 2 cannot be told from E. Error: below 2^-114. */
static webnn__wide webnn__wide_tanh(webnn__wide x) {
  const webnn__wide two = webnn__wide_small(2);
  if (x.kind == WEBNN__NAN || x.kind == WEBNN__ZERO)
    return x;
  if (x.kind == WEBNN__INFINITE)
    return webnn__wide_from_parts(x.negative != 0, 1, 0);
  if (x.exponent < -20 - 128)
    return webnn__tangent_near_zero(x, true);
  const webnn__wide e = webnn__wide_expm1(webnn__wide_scale2(webnn__wide_abs(x), 1));
  webnn__wide value = webnn__wide_add(e, two);
  if (x.exponent < -127) {
    value = webnn__wide_div(e, value);
  } else {
    value = webnn__wide_sub(webnn__wide_small(1), webnn__wide_div(two, value));
  }
  return webnn__wide_inexact(x.negative != 0 ? webnn__wide_neg(value) : value);
}

/* 1 / (1 + e^-x); exactly 1/2 at 0. Error: below 2^-117: e^-x has 2^-118, of which 1 + e^-x takes
   over at most all. */
static webnn__wide webnn__wide_sigmoid(webnn__wide x) {
  const webnn__wide one = webnn__wide_small(1);
  return webnn__wide_div(one, webnn__wide_add(one, webnn__wide_exp(webnn__wide_neg(x))));
}

/* log(1 + e^x) = max(x, 0) + log1p(e^-|x|), which never overflows. Error: below 2^-114: both parts
   are positive and the exponential's 2^-118 is passed on at most once. */
static webnn__wide webnn__wide_softplus(webnn__wide x) {
  const webnn__wide decay = webnn__wide_exp(webnn__wide_neg(webnn__wide_abs(x)));
  const webnn__wide part = webnn__wide_log1p(decay);
  return x.negative != 0 ? part : webnn__wide_add(x, part);
}

/* ---- Exact sums --------------------------------------------------------------------------------

   A sum of floats in a naive loop depends on its order, and can lose everything to cancellation.
   This accumulator loses nothing: it is one long fixed-point number that covers every bit a float32
   product can have, from 2^-298 (the square of the smallest subnormal) to 2^256, with room above
   for 2^31 of them. Adding to it is integer addition, so the order cannot matter.

   The number is cut into bins of 32 bits: value = sum of bin[i] * 2^(32 i - 320). A bin is an
   int64, so that carries can wait: one addition puts less than 2^32 into a bin, hence 2^30 of them
   keep it within 2^62 + 2^32, and only then are the carries moved up. */

enum { WEBNN__SUM_BINS = 21, WEBNN__SUM_LOWEST = -320, WEBNN__SUM_PATIENCE = 1 << 30 };

typedef struct webnn__sum {
  int64_t bins[WEBNN__SUM_BINS];
  uint32_t pending;       /* additions since the carries were moved */
  uint8_t has_nan;        /* a NaN, or inf * 0, came in */
  uint8_t has_infinity;   /* bit 0: a +inf came in, bit 1: a -inf */
  uint8_t has_minus_zero; /* a term that is -0 came in */
  uint8_t has_other;      /* a term that is not -0 came in */
} webnn__sum;

/* sum = +0, with no terms. */
static void webnn__sum_clear(webnn__sum *sum) {
  for (int i = 0; i < WEBNN__SUM_BINS; ++i)
    sum->bins[i] = 0;
  sum->pending = 0;
  sum->has_nan = 0;
  sum->has_infinity = 0;
  sum->has_minus_zero = 0;
  sum->has_other = 0;
}

/* Moves carries up until all bins but the top one are in [0, 2^32); the value stays. Exact. The
   bits of a bin modulo 2^32 stay, the multiple of 2^32 (negative too) goes to the next. */
static void webnn__sum_carry(webnn__sum *sum) {
  const int64_t base = (int64_t)1 << 32;
  for (int i = 0; i + 1 < WEBNN__SUM_BINS; ++i) {
    const int64_t kept = (int64_t)((uint64_t)sum->bins[i] & 0xffffffffU);
    sum->bins[i + 1] += (sum->bins[i] - kept) / base;
    sum->bins[i] = kept;
  }
  sum->pending = 0;
}

/* Records a term that is zero, infinite or NaN. */
static void webnn__sum_add_special(webnn__sum *sum, int kind, bool negative) {
  const bool minus_zero = kind == WEBNN__ZERO && negative;
  if (kind == WEBNN__NAN)
    sum->has_nan = 1;
  if (kind == WEBNN__INFINITE) {
    sum->has_infinity = (uint8_t)(sum->has_infinity | (negative ? 2 : 1));
  }
  if (minus_zero)
    sum->has_minus_zero = 1;
  if (!minus_zero)
    sum->has_other = 1;
}

/* The special cases of a product: one factor is zero, infinite or NaN. inf * 0 is NaN. */
static void webnn__sum_add_product_special(webnn__sum *sum, uint32_t a_bits, uint32_t b_bits) {
  const webnn__wide a = webnn__wide_from_float_bits(a_bits, 23, 8);
  const webnn__wide b = webnn__wide_from_float_bits(b_bits, 23, 8);
  const webnn__wide product = webnn__wide_mul(a, b);
  webnn__sum_add_special(sum, product.kind, product.negative != 0);
}

/* sum += a * b, both float32 bit patterns. Exact. Method: the product of two 24-bit significands
   has 48 bits; shifted by up to 31 to where its exponent wants it, it has 79, and spreads over
   three neighbouring bins, 32 bits each. (v ^ m) - m is v for m = 0 and -v for m = -1. */
static void webnn__sum_add_product_f32(webnn__sum *sum, uint32_t a_bits, uint32_t b_bits) {
  uint32_t field_a = (a_bits >> 23) & 255, field_b = (b_bits >> 23) & 255;
  const uint32_t a = (a_bits & 0x7fffffU) | ((uint32_t)(field_a != 0) << 23);
  const uint32_t b = (b_bits & 0x7fffffU) | ((uint32_t)(field_b != 0) << 23);
  const uint64_t product = (uint64_t)a * b;
  if (product == 0 || field_a == 255 || field_b == 255) {
    webnn__sum_add_product_special(sum, a_bits, b_bits);
    return;
  }
  field_a += (uint32_t)(field_a == 0); /* subnormals have the exponent of field 1 */
  field_b += (uint32_t)(field_b == 0);
  /* the product's unit weighs 2^(field_a - 150 + field_b - 150); bin 0's unit 2^-320 */
  const uint32_t position = field_a + field_b + 20;
  int64_t *bins = sum->bins + (position >> 5);
  const uint32_t shift = position & 31;
  const uint64_t low = (product & 0xffffffffU) << shift;
  const uint64_t high = ((product >> 32) << shift) + (low >> 32);
  const int64_t mask = -(int64_t)((a_bits ^ b_bits) >> 31);
  bins[0] += ((int64_t)(low & 0xffffffffU) ^ mask) - mask;
  bins[1] += ((int64_t)(high & 0xffffffffU) ^ mask) - mask;
  bins[2] += ((int64_t)(high >> 32) ^ mask) - mask;
  sum->has_other = 1;
  if (++sum->pending >= WEBNN__SUM_PATIENCE)
    webnn__sum_carry(sum);
}

/* sum += a, a float32 bit pattern, as a * 1; this keeps even -0. Exact. */
static void webnn__sum_add_f32(webnn__sum *sum, uint32_t bits) {
  webnn__sum_add_product_f32(sum, bits, 0x3f800000U);
}

/* sum += x, which must be less than 2^288 in magnitude and have no bits below 2^-320. Exact.
   Method: the 128 bits, shifted by up to 31, lie in five neighbouring bins; trailing zeros of the
   significand may reach below bin 0 and are skipped. */
static void webnn__sum_add_wide(webnn__sum *sum, webnn__wide x) {
  if (x.kind != WEBNN__FINITE) {
    webnn__sum_add_special(sum, x.kind, x.negative != 0);
    return;
  }
  const int32_t position = x.exponent - WEBNN__SUM_LOWEST + 128; /* 128 more, to be positive */
  const int32_t shift = position & 31;
  uint32_t digits[4];
  digits[0] = (uint32_t)(x.lo & 0xffffffffU);
  digits[1] = (uint32_t)(x.lo >> 32);
  digits[2] = (uint32_t)(x.hi & 0xffffffffU);
  digits[3] = (uint32_t)(x.hi >> 32);
  uint64_t carry = 0;
  for (int32_t i = 0; i < 5; ++i) {
    const int32_t bin = position / 32 - 4 + i;
    carry += i < 4 ? (uint64_t)digits[i] << shift : 0;
    const int64_t part = (int64_t)(carry & 0xffffffffU);
    carry >>= 32;
    if (bin >= 0 && bin < WEBNN__SUM_BINS)
      sum->bins[bin] += x.negative != 0 ? -part : part;
  }
  sum->has_other = 1;
  if (++sum->pending >= WEBNN__SUM_PATIENCE)
    webnn__sum_carry(sum);
}

/* The digits of the sum's magnitude; returns whether it is negative. Method: move the carries; if
   the top bin is negative, so is the number: negate all bins and move them again. Exact. */
static bool webnn__sum_digits(const webnn__sum *sum, uint32_t *digits) {
  webnn__sum copy = *sum;
  webnn__sum_carry(&copy);
  const bool negative = copy.bins[WEBNN__SUM_BINS - 1] < 0;
  if (negative) {
    for (int i = 0; i < WEBNN__SUM_BINS; ++i)
      copy.bins[i] = -copy.bins[i];
    webnn__sum_carry(&copy);
  }
  for (int i = 0; i < WEBNN__SUM_BINS; ++i) {
    digits[i] = (uint32_t)((uint64_t)copy.bins[i] & 0xffffffffU);
  }
  return negative;
}

/* The value of the sum. NaN if one came in or both infinities did; else an infinity if one did. An
   exact zero is +0, unless there were terms and all were -0. Error: below one unit (2^-127), the
   only rounding of the whole sum. */
static webnn__wide webnn__sum_result(const webnn__sum *sum) {
  if (sum->has_nan != 0 || sum->has_infinity == 3)
    return webnn__wide_nan();
  if (sum->has_infinity != 0)
    return webnn__wide_infinity(sum->has_infinity == 2);
  if (sum->has_other == 0)
    return webnn__wide_zero(sum->has_minus_zero != 0);
  uint32_t digits[WEBNN__SUM_BINS];
  const bool negative = webnn__sum_digits(sum, digits);
  return webnn__wide_from_digits(negative, digits, WEBNN__SUM_BINS, WEBNN__SUM_LOWEST);
}

/* ---- Tracked errors ----------------------------------------------------------------------------

   One operation is correctly rounded, and a function's result comes nowhere near a midpoint. But a
   formula that chains many operations may cancel, and then most of 128 bits can be gone: in (x - y)
   - (x' - y') everything may hang on what the first two roundings cut off. So chapter 11 computes
   with operations that keep account. The error of a number is counted in units of 2^-127 of its own
   value, and is an upper bound:

       product, quotient        the sum of the operands' errors, and 1 if the result is inexact
       sum                      each operand's error times |operand / sum|, and 1
       square root              the operand's error, and 1
       a function f             2^22 (each function above has an error below 2^-105), and the
                                operand's error times |x f'(x) / f(x)|, or a bound of that

   An error of at most 1 is that of one rounding to odd, and safe. With any other, the final
   rounding is in doubt if the value less its error and the value plus its error round to different
   floats. Chapter 11 then decides by exact integers, or counts the result as undecided. The float
   that holds the error is an estimate upward, with room to spare for whatever rounds it. */

#define WEBNN__HOPELESS 1e30f
#define WEBNN__FUNCTION_ERROR 4194304.0f /* 2^22 */

/* 2^k as a float, k held to -126 ... 99. */
static float webnn__float_power(int32_t k) {
  const uint32_t field = (uint32_t)((k < -126 ? -126 : k > 99 ? 99 : k) + 127);
  const uint32_t bits = field << 23;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* The result y of an operation: it has this inherited error, and its own if it is inexact. */
static webnn__wide webnn__tracked(webnn__wide y, float inherited, float own) {
  if (y.kind == WEBNN__FINITE) {
    y.error = inherited > 0     ? (inherited + own) * 1.000001f /* upward */
              : (y.lo & 1) != 0 ? own
                                : 0;
    y.error = y.error < WEBNN__HOPELESS ? y.error : WEBNN__HOPELESS;
  } else if (y.kind == WEBNN__ZERO && inherited > 0) {
    y.error = WEBNN__HOPELESS; /* zero, only because all known bits cancelled */
  }
  return y;
}

/* The error that x brings into the sum y, in units of y; |x| <= |y| if the signs are `alike`. */
static float webnn__error_in_sum(const webnn__wide *x, const webnn__wide *y, bool alike) {
  const int32_t binades = x->exponent - y->exponent + 1;
  if (x->error <= 0) {
    return 0;
  }
  if (x->kind == WEBNN__ZERO || y->kind == WEBNN__ZERO) {
    return WEBNN__HOPELESS;
  }
  return x->error * webnn__float_power(alike && binades > 0 ? 0 : binades);
}

static webnn__wide webnn__tracked_add(webnn__wide a, webnn__wide b) {
  const webnn__wide y = webnn__wide_add(a, b);
  const bool alike = a.negative == b.negative;
  return webnn__tracked(y, webnn__error_in_sum(&a, &y, alike) + webnn__error_in_sum(&b, &y, alike),
                        1);
}

static webnn__wide webnn__tracked_sub(webnn__wide a, webnn__wide b) {
  return webnn__tracked_add(a, webnn__wide_neg(b));
}

/* A zero that is exact makes the product exact. */
static webnn__wide webnn__tracked_mul(webnn__wide a, webnn__wide b) {
  const bool exact_zero =
      (a.kind == WEBNN__ZERO && a.error <= 0) || (b.kind == WEBNN__ZERO && b.error <= 0);
  return webnn__tracked(webnn__wide_mul(a, b), exact_zero ? 0 : a.error + b.error, 1);
}

static webnn__wide webnn__tracked_div(webnn__wide a, webnn__wide b) {
  const bool exact_zero = (a.kind == WEBNN__ZERO && a.error <= 0) || b.kind == WEBNN__INFINITE;
  return webnn__tracked(webnn__wide_div(a, b), exact_zero ? 0 : a.error + b.error, 1);
}

static webnn__wide webnn__tracked_sqrt(webnn__wide x) {
  return webnn__tracked(webnn__wide_sqrt(x), x.error, 1);
}

/* |x| or 1, whichever is larger, or a little more: how exp and its kin pass on an error. From 2^20
   on they are stand-ins for what no format holds, and sure to be that. */
static float webnn__size(const webnn__wide *x) {
  const int32_t binade = x->exponent + 129;
  return binade > 20 ? 0 : webnn__float_power(binade > 0 ? binade : 0);
}

/* f(x), with the bound `growth` on |x f'(x) / f(x)|. */
#define WEBNN__TRACKED_FUNCTION(name, growth)                                                      \
  static webnn__wide webnn__tracked_##name(webnn__wide x) {                                        \
    return webnn__tracked(webnn__wide_##name(x), x.error * (growth), WEBNN__FUNCTION_ERROR);       \
  }
WEBNN__TRACKED_FUNCTION(exp, webnn__size(&x))
WEBNN__TRACKED_FUNCTION(expm1, 2 * webnn__size(&x))
WEBNN__TRACKED_FUNCTION(sigmoid, webnn__size(&x))
WEBNN__TRACKED_FUNCTION(softplus, webnn__size(&x))
WEBNN__TRACKED_FUNCTION(erfc, 2 * webnn__size(&x) * webnn__size(&x))
WEBNN__TRACKED_FUNCTION(erf, 1)
WEBNN__TRACKED_FUNCTION(tanh, 1)
WEBNN__TRACKED_FUNCTION(sin, WEBNN__HOPELESS)
WEBNN__TRACKED_FUNCTION(cos, WEBNN__HOPELESS)
WEBNN__TRACKED_FUNCTION(tan, WEBNN__HOPELESS)
#undef WEBNN__TRACKED_FUNCTION

/* log(1 + x) for x > -1/2. Of a tiny exact x it is x - x^2/2, and lies, being odd, just beside x.
 */
static webnn__wide webnn__tracked_log1p(webnn__wide x) {
  const bool tiny = x.kind == WEBNN__FINITE && x.error <= 0 && x.exponent + 128 < -90;
  return webnn__tracked(webnn__wide_log1p(x), 2 * x.error, tiny ? 1 : WEBNN__FUNCTION_ERROR);
}

/* The absolute error of log x is the relative one of x. */
static webnn__wide webnn__tracked_log(webnn__wide x) {
  const webnn__wide y = webnn__wide_log(x);
  return webnn__tracked(y, x.error * webnn__float_power(-y.exponent - 127), WEBNN__FUNCTION_ERROR);
}

static webnn__wide webnn__tracked_pow(webnn__wide x, webnn__wide y) {
  return webnn__tracked(webnn__wide_pow(x, y), (x.error + y.error) * WEBNN__HOPELESS,
                        WEBNN__FUNCTION_ERROR);
}

/* Could the exact value, within the error of x, round to another float than x does? */
static bool webnn__is_in_doubt(webnn__wide x, int fraction_bits, int exponent_bits) {
  webnn__wide error;
  if (x.error <= 1 || (x.kind != WEBNN__FINITE && x.kind != WEBNN__ZERO)) {
    return false;
  }
  if (x.kind == WEBNN__ZERO || x.error > 1e18f) {
    return true;
  }
  if (x.exponent > 1 << 20 || x.exponent < -(1 << 20)) {
    return false; /* infinity or zero, by far */
  }
  error = webnn__wide_from_parts(false, (uint64_t)x.error + 2, x.exponent + 1);
  return webnn__wide_to_float_bits(webnn__wide_sub(x, error), fraction_bits, exponent_bits) !=
         webnn__wide_to_float_bits(webnn__wide_add(x, error), fraction_bits, exponent_bits);
}

/* ---- Long numbers, for what is in doubt --------------------------------------------------------

   A formula of sums and products of floats has a finite binary value. A big number holds up to 4096
   bits of it: sum of digit[i] 2^(32 (i + exponent)). Its sums and products are exact; chapter 11
   says for each use why the digits suffice. Functions have no finite value. They are computed with
   LONG_DIGITS digits, 1984 bits, and what is cut off sets the lowest bit; after that there is no
   further doubt that anyone will meet. */

enum { WEBNN__BIG_DIGITS = 128, WEBNN__LONG_DIGITS = 62 };

typedef struct webnn__big {
  uint32_t digits[WEBNN__BIG_DIGITS];
  int32_t count; /* 0: the number is zero; else the lowest and the highest digit are not */
  int32_t exponent;
  bool negative;
} webnn__big;

/* Sets count and drops zero digits at both ends; digits[0 ... count - 1] are filled. */
static void webnn__big_trim(webnn__big *x, int32_t count) {
  int32_t zeros = 0;
  while (count > 0 && x->digits[count - 1] == 0)
    count -= 1;
  while (zeros < count && x->digits[zeros] == 0)
    zeros += 1;
  memmove(x->digits, x->digits + zeros, (size_t)(count - zeros) * sizeof *x->digits);
  x->count = count - zeros;
  x->exponent += zeros;
  x->negative = x->negative && x->count > 0;
}

/* A finite number of up to 128 bits. */
static webnn__big webnn__big_from_wide(webnn__wide x) {
  webnn__big y;
  int32_t shift, i;
  uint64_t carry = 0;
  uint32_t words[5];
  memset(&y, 0, sizeof y);
  if (x.kind != WEBNN__FINITE) {
    return y;
  }
  shift = (x.exponent % 32 + 32) % 32;
  y.exponent = (x.exponent - shift) / 32;
  y.negative = x.negative != 0;
  words[0] = (uint32_t)(x.lo & 0xffffffffU);
  words[1] = (uint32_t)(x.lo >> 32);
  words[2] = (uint32_t)(x.hi & 0xffffffffU);
  words[3] = (uint32_t)(x.hi >> 32);
  words[4] = 0;
  for (i = 0; i < 5; i++) {
    carry += (uint64_t)words[i] << shift;
    y.digits[i] = (uint32_t)(carry & 0xffffffffU);
    carry >>= 32;
  }
  webnn__big_trim(&y, 5);
  return y;
}

static webnn__big webnn__big_from_sum(const webnn__sum *sum) {
  webnn__big y;
  memset(&y, 0, sizeof y);
  y.negative = webnn__sum_digits(sum, y.digits);
  y.exponent = WEBNN__SUM_LOWEST / 32;
  webnn__big_trim(&y, WEBNN__SUM_BINS);
  return y;
}

static int webnn__big_sign(const webnn__big *x) {
  return x->count == 0 ? 0 : x->negative ? -1 : 1;
}

static webnn__big webnn__big_neg(webnn__big x) {
  x.negative = !x.negative && x.count > 0;
  return x;
}

static webnn__wide webnn__big_to_wide(const webnn__big *x) {
  return webnn__wide_from_digits(x->negative, x->digits, x->count, 32 * x->exponent);
}

/* Digit i (counted from 2^0) with the number's sign. */
static int64_t webnn__big_signed_digit(const webnn__big *x, int32_t i) {
  const int32_t at = i - x->exponent;
  const int64_t digit = at >= 0 && at < x->count ? (int64_t)x->digits[at] : 0;
  return x->negative ? -digit : digit;
}

/* a + b: digit by digit with carries of either sign; if the last carry is negative, so is the sum,
   and -a - b has the same digits with a positive one. */
static webnn__big webnn__big_add(const webnn__big *a, const webnn__big *b) {
  const int32_t low = a->exponent < b->exponent ? a->exponent : b->exponent;
  const int32_t end_a = a->exponent + a->count, end_b = b->exponent + b->count;
  const int32_t count = (end_a > end_b ? end_a : end_b) - low + 1;
  webnn__big y;
  int32_t i;
  int sign;
  if (a->count == 0 || b->count == 0) {
    return a->count == 0 ? *b : *a;
  }
  WEBNN_ASSERT(count <= WEBNN__BIG_DIGITS);
  for (sign = 1; sign >= -1; sign -= 2) {
    int64_t carry = 0;
    memset(&y, 0, sizeof y);
    y.exponent = low;
    y.negative = sign < 0;
    for (i = 0; i < count; i++) {
      const int64_t digit = carry + sign * (webnn__big_signed_digit(a, low + i) +
                                            webnn__big_signed_digit(b, low + i));
      const int64_t kept = (int64_t)((uint64_t)digit & 0xffffffffU);
      y.digits[i] = (uint32_t)kept;
      carry = (digit - kept) / ((int64_t)1 << 32);
    }
    if (carry == 0) {
      break;
    }
  }
  webnn__big_trim(&y, count);
  return y;
}

static webnn__big webnn__big_sub(const webnn__big *a, const webnn__big *b) {
  const webnn__big minus = webnn__big_neg(*b);
  return webnn__big_add(a, &minus);
}

/* a b, by long multiplication. */
static webnn__big webnn__big_mul(const webnn__big *a, const webnn__big *b) {
  webnn__big y;
  int32_t i, j;
  memset(&y, 0, sizeof y);
  y.exponent = a->exponent + b->exponent;
  y.negative = a->negative != b->negative;
  WEBNN_ASSERT(a->count + b->count <= WEBNN__BIG_DIGITS);
  for (i = 0; i < a->count; i++) {
    uint64_t carry = 0;
    for (j = 0; j < b->count; j++) {
      carry += (uint64_t)a->digits[i] * b->digits[j] + y.digits[i + j];
      y.digits[i + j] = (uint32_t)(carry & 0xffffffffU);
      carry >>= 32;
    }
    y.digits[i + b->count] = (uint32_t)carry;
  }
  webnn__big_trim(&y, a->count + b->count);
  return y;
}

/* Keeps the highest `count` digits; if others are dropped, the last kept bit is set. */
static void webnn__big_cut(webnn__big *x, int32_t count) {
  const int32_t dropped = x->count - count;
  if (dropped > 0) {
    memmove(x->digits, x->digits + dropped, (size_t)count * sizeof *x->digits);
    x->digits[0] |= 1;
    x->count = count;
    x->exponent += dropped;
  }
}

static webnn__big webnn__long_mul(const webnn__big *a, const webnn__big *b) {
  webnn__big y = webnn__big_mul(a, b);
  webnn__big_cut(&y, WEBNN__LONG_DIGITS);
  return y;
}

/* Drops the digits below 2^(32 lowest), a digit 1 standing for them. */
static void webnn__big_cut_below(webnn__big *x, int32_t lowest) {
  if (x->count > 0 && x->exponent + x->count <= lowest) {
    x->digits[0] = 1;
    x->count = 1;
    x->exponent = lowest;
  } else if (x->count > 0 && x->exponent < lowest) {
    webnn__big_cut(x, x->exponent + x->count - lowest);
  }
}

/* a + b, cut 120 digits below the larger. */
static webnn__big webnn__long_add(webnn__big a, webnn__big b) {
  const int32_t end_a = a.exponent + a.count, end_b = b.exponent + b.count;
  if (a.count > 0 && b.count > 0) {
    const int32_t lowest = (end_a > end_b ? end_a : end_b) - 120;
    webnn__big_cut_below(&a, lowest);
    webnn__big_cut_below(&b, lowest);
  }
  a = webnn__big_add(&a, &b);
  webnn__big_cut(&a, WEBNN__LONG_DIGITS);
  return a;
}

static webnn__big webnn__big_small(int32_t n) {
  return webnn__big_from_wide(webnn__wide_small(n));
}

/* x / n, digit by digit from the top, to LONG_DIGITS digits. */
static webnn__big webnn__long_div_small(const webnn__big *x, uint32_t n) {
  webnn__big y;
  uint64_t rest = 0;
  int32_t i;
  memset(&y, 0, sizeof y);
  y.negative = x->negative;
  y.exponent = x->exponent + x->count - WEBNN__LONG_DIGITS;
  for (i = WEBNN__LONG_DIGITS - 1; i >= 0; i--) {
    const int32_t at = i - WEBNN__LONG_DIGITS + x->count;
    rest = rest << 32 | (at >= 0 ? x->digits[at] : 0);
    y.digits[i] = (uint32_t)(rest / n);
    rest %= n;
  }
  y.digits[0] |= (uint32_t)(rest != 0);
  webnn__big_trim(&y, WEBNN__LONG_DIGITS);
  return y;
}

/* 1 / x. Method: Newton's y (2 - x y), from 128 bits on, doubles the bits five times. */
static webnn__big webnn__long_reciprocal(webnn__big x) {
  const int32_t end = x.exponent + x.count;
  const webnn__big two = webnn__big_small(2);
  webnn__big y;
  int i;
  x.exponent = -x.count; /* now 2^-32 <= x < 1 */
  y = webnn__big_from_wide(webnn__wide_div(webnn__wide_small(1), webnn__big_to_wide(&x)));
  for (i = 0; i < 5; i++) {
    const webnn__big product = webnn__long_mul(&x, &y);
    const webnn__big factor = webnn__long_add(two, webnn__big_neg(product));
    y = webnn__long_mul(&y, &factor);
  }
  y.exponent -= end;
  return y;
}

/* e^x. Method: s = x 2^-32m with |s| < 2^-64, 1 + s (1 + s/2 (1 + s/3 ...)) to the term s^31/31!,
   and 32m squarings, each of which costs a bit. From |x| = 2^26 on a stand-in. */
static webnn__big webnn__long_exp(webnn__big x) {
  const webnn__big one = webnn__big_small(1);
  const int32_t end = x.exponent + x.count, m = x.count > 0 && end > -2 ? end + 2 : 0;
  webnn__big y = one;
  int32_t i;
  if (x.count > 0 && (end > 1 || (end == 1 && x.digits[x.count - 1] >= 1U << 26))) {
    y.exponent = x.negative ? -(1 << 22) : 1 << 22;
    return y;
  }
  x.exponent -= m;
  for (i = 31; i >= 1; i--) {
    y = webnn__long_mul(&x, &y);
    y = webnn__long_div_small(&y, (uint32_t)i);
    y = webnn__long_add(one, y);
  }
  for (i = 0; i < 32 * m; i++) {
    y = webnn__long_mul(&y, &y);
  }
  return y;
}

static webnn__big webnn__long_sigmoid(webnn__big x) {
  return webnn__long_reciprocal(
      webnn__long_add(webnn__big_small(1), webnn__long_exp(webnn__big_neg(x))));
}

/* tanh x = 2 sigmoid(2x) - 1. */
static webnn__big webnn__long_tanh(webnn__big x) {
  x = webnn__long_sigmoid(webnn__long_add(x, x));
  return webnn__long_add(webnn__long_add(x, x), webnn__big_small(-1));
}

/* y = a / sqrt(r) + b with r > 0: the form of all normalizations. */
typedef struct webnn__root_quotient {
  webnn__big a, r, b;
} webnn__root_quotient;

/* The sign of y - m. Is a above t sqrt(r), t = m - b? If a and t have different signs, these tell;
   else compare a^2 with t^2 r, and turn the answer around if both are negative. */
static int webnn__compare_root_quotient(const webnn__root_quotient *y, const webnn__big *m) {
  const webnn__big t = webnn__big_sub(m, &y->b);
  const int sign_a = webnn__big_sign(&y->a), sign_t = webnn__big_sign(&t);
  webnn__big left, right;
  if (sign_a != sign_t) {
    return sign_a > sign_t ? 1 : -1;
  }
  left = webnn__big_mul(&y->a, &y->a);
  right = webnn__big_mul(&t, &t);
  right = webnn__big_mul(&right, &y->r);
  left = webnn__big_sub(&left, &right);
  return sign_a * webnn__big_sign(&left);
}

/* The pattern of the float nearest to y, ties to even. Method: bisect all patterns of y's sign for
   the first whose midpoint with the next one is not below |y|. */
static uint32_t webnn__round_root_quotient(const webnn__root_quotient *y, int fraction_bits,
                                           int exponent_bits) {
  const uint32_t infinity = (((uint32_t)1 << exponent_bits) - 1) << fraction_bits;
  webnn__big m;
  int sign;
  uint32_t low = 0, high = infinity;
  memset(&m, 0, sizeof m);
  sign = webnn__compare_root_quotient(y, &m);
  while (sign != 0 && low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const webnn__float_parts p =
        webnn__decode_float(middle == 0 ? 1 : middle, fraction_bits, exponent_bits);
    const uint64_t significand = middle == 0 ? 0 : p.significand;
    int order;
    m = webnn__big_from_wide(webnn__wide_from_parts(sign < 0, 2 * significand + 1, p.exponent - 1));
    order = sign * webnn__compare_root_quotient(y, &m);
    if (order == 0) {
      low = high = middle + (middle & 1);
    } else if (order > 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low | (uint32_t)(sign < 0) << (fraction_bits + exponent_bits);
}

/* ---- A first try in double precision -----------------------------------------------------------

   A function in 128 bits costs about a microsecond, and almost always the first 50 bits would have
   told how to round. So the functions of one operand are tried in double precision first. The try
   counts only if its whole neighbourhood, 2^-43 of the value to both sides, rounds to the same
   float; else, and for zeros, subnormals, infinities and NaN, the wide numbers decide. One try in
   a quarter of a million falls through.

   The functions here have errors below 2^-44, mostly from e^x where |x| is large. That
   leaves room for everything a compiler or a processor may do with plain sums and products: another
   rounding mode doubles an error of 2^-53, -ffast-math may reorder, x87 keeps more bits. Nothing
   here relies on an exact cancellation (the reduction of angles, which would, is done in integers),
   and no intermediate value is subnormal or infinite. So the bits that come out are those of the
   wide numbers in every environment. */

/* The double that a normal float of the given format stands for. Exact. False for all others. */
static bool webnn__normal_double(uint64_t bits, int fraction_bits, int exponent_bits, double *x) {
  const uint64_t most = ((uint64_t)1 << exponent_bits) - 1;
  const uint64_t field = bits >> fraction_bits & most;
  const uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
  const uint64_t sign = bits >> (fraction_bits + exponent_bits) & 1;
  const uint64_t pattern =
      sign << 63 | (field + 1023 - most / 2) << 52 | fraction << (52 - fraction_bits);
  memcpy(x, &pattern, sizeof pattern);
  return field != 0 && field != most;
}

/* Rounds y, which is within 2^-43 of the exact value, to a float. False if that is in doubt: if one
   of the numbers around y is a midpoint between two floats, or if y is near the subnormal floats.
   Above the largest float, and below half the smallest, there is no doubt again. */
static bool webnn__round_safely(double y, int fraction_bits, int exponent_bits, uint64_t *bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint64_t half = (uint64_t)1 << (51 - fraction_bits), margin = 1 << 10;
  uint64_t pattern, low;
  int exponent;
  memcpy(&pattern, &y, sizeof pattern);
  exponent = (int)(pattern >> 52 & 0x7ff) - 1023;
  low = pattern & (2 * half - 1);
  if (pattern << 1 == 0) { /* its sign depends on the rounding mode: ln 1 */
    return false;
  }
  if (exponent > -bias && exponent <= bias) {
    if ((low > half ? low - half : half - low) <= margin) {
      return false;
    }
  } else if (exponent <= bias && exponent >= -bias - fraction_bits - 1) {
    return false;
  }
  *bits = webnn__encode_float(pattern >> 63 != 0,
                              (pattern & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52,
                              exponent - 52, false, fraction_bits, exponent_bits);
  return true;
}

/* False where the program has set the x87 unit to compute with 24 bits. */
static bool webnn__double_is_double(void) {
  volatile double one = 1.0, little = 1.0 / 1125899906842624.0; /* 2^-50 */
  volatile double sum = one + little;
  return sum != one;
}

/* 2^k for -1022 <= k <= 1023. Exact. */
static double webnn__quick_power(int k) {
  const uint64_t pattern = (uint64_t)(k + 1023) << 52;
  double x;
  memcpy(&x, &pattern, sizeof x);
  return x;
}

/* (e^r - 1) / r = 1 + r/2! + r^2/3! + ..., 14 terms: for |r| < 0.36 the rest is below 2^-56. */
static double webnn__quick_expm1_series(double r) {
  static const double coefficients[] = {1.0 / 87178291200.0, 1.0 / 6227020800.0,
                                        1.0 / 479001600.0,   1.0 / 39916800.0,
                                        1.0 / 3628800.0,     1.0 / 362880.0,
                                        1.0 / 40320.0,       1.0 / 5040.0,
                                        1.0 / 720.0,         1.0 / 120.0,
                                        1.0 / 24.0,          1.0 / 6.0,
                                        1.0 / 2.0,           1.0};
  double sum = 0;
  size_t i;
  for (i = 0; i < sizeof coefficients / sizeof *coefficients; i++) {
    sum = sum * r + coefficients[i];
  }
  return sum;
}

/* e^x = 2^k e^r, r = x - k ln 2, for |x| < 700. The error of k ln 2 is below 2^-46 for |x| < 110.
 */
static double webnn__quick_exp(double x) {
  const double ln2 = 0.69314718055994530942;
  const int k = (int)(x * 1.4426950408889634074 + (x < 0 ? -0.5 : 0.5));
  const double r = x - (double)k * ln2;
  return (1.0 + r * webnn__quick_expm1_series(r)) * webnn__quick_power(k);
}

/* e^x - 1: from the series near 0; elsewhere at most two bits cancel. */
static double webnn__quick_expm1(double x) {
  return x > -0.35 && x < 0.35 ? x * webnn__quick_expm1_series(x) : webnn__quick_exp(x) - 1.0;
}

/* 2 atanh(f) = 2 (f + f^3/3 + f^5/5 + ...), 11 terms: for |f| < 0.1716 the rest is below 2^-56. */
static double webnn__quick_atanh2(double f) {
  const double square = f * f;
  double sum = 0;
  int n;
  for (n = 21; n >= 1; n -= 2) {
    sum = sum * square + 1.0 / (double)n;
  }
  return 2.0 * f * sum;
}

/* ln x = k ln 2 + ln m, x = 2^k m, sqrt(1/2) <= m < sqrt 2: near 1 k is 0 and m - 1 exact. */
static double webnn__quick_log(double x) {
  uint64_t pattern;
  double m;
  int k;
  memcpy(&pattern, &x, sizeof pattern);
  k = (int)(pattern >> 52) - 1023;
  pattern = (pattern & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52;
  memcpy(&m, &pattern, sizeof m);
  if (m > 1.4142135623730951) {
    m = m / 2;
    k = k + 1;
  }
  return (double)k * 0.69314718055994530942 + webnn__quick_atanh2((m - 1.0) / (m + 1.0));
}

/* ln(1 + u) for 0 <= u <= 1. */
static double webnn__quick_log1p(double u) {
  return u < 0.41 ? webnn__quick_atanh2(u / (2.0 + u)) : webnn__quick_log(1.0 + u);
}

/* |x| = quadrant pi/2 + y with |y| <= pi/4, by the exact reduction of the wide numbers: the high
   word of a wide t is enough. */
static bool webnn__quick_angle(uint64_t bits, int fraction_bits, int exponent_bits,
                               uint32_t *quadrant, double *y) {
  const webnn__wide angle =
      webnn__angle(webnn__wide_from_float_bits(bits, fraction_bits, exponent_bits), quadrant);
  if (angle.kind != WEBNN__FINITE || angle.exponent < -128 - 60) {
    return false;
  }
  *y = (double)(angle.hi >> 11) * webnn__quick_power(angle.exponent + 64 + 11);
  *y = angle.negative ? -*y : *y;
  return true;
}

/* sin y (odd) or cos y, |y| <= pi/4: Taylor to y^19 and y^18; the rest is below 2^-56. */
static double webnn__quick_sine(double y, bool cosine) {
  const double square = y * y;
  double sum = 1.0;
  int n;
  for (n = cosine ? 18 : 19; n >= 2; n -= 2) {
    sum = 1.0 - sum * square / (double)(n * (n - 1));
  }
  return cosine ? sum : sum * y;
}

static double webnn__quick_angle_function(webnn_op op, uint32_t quadrant, double y) {
  const double sine = webnn__quick_sine(y, false), cosine = webnn__quick_sine(y, true);
  const uint32_t turn = (op == WEBNN_OP_COS ? quadrant + 1 : quadrant) & 3;
  if (op == WEBNN_OP_TAN) {
    return (quadrant & 1) == 0 ? sine / cosine : -cosine / sine;
  }
  return turn == 0 ? sine : turn == 1 ? cosine : turn == 2 ? -sine : -cosine;
}

/* erf x = 2/sqrt(pi) x e^(-x^2) (1 + 2x^2/3 (1 + 2x^2/5 (1 + ...))), from the inside out; |x| < 5.
   After 20 + 4 x^2 factors the rest is below 2^-56. */
static double webnn__quick_erf(double x) {
  const double twice = 2.0 * x * x;
  double sum = 1.0;
  int n;
  for (n = 20 + (int)(2.0 * twice); n > 0; n--) {
    sum = 1.0 + sum * (twice * (1.0 / (double)(2 * n + 1)));
  }
  return 1.12837916709551257390 * webnn__quick_exp(-x * x) * (x * sum);
}

/* erfc x = e^(-x^2) / sqrt(pi) / (x + 1/2 / (x + 2/2 / (x + 3/2 / ...))), from the inside out, for
   x >= 1; below that 1 - erf x loses at most three bits. */
static double webnn__quick_erfc(double x) {
  double fraction = x;
  int n;
  if (x < 1.0) {
    return 1.0 - webnn__quick_erf(x);
  }
  for (n = 20 + (int)(240.0 / (x * x)); n > 0; n--) {
    fraction = x + 0.5 * (double)n / fraction;
  }
  return webnn__quick_exp(-x * x) / (1.77245385090551602730 * fraction);
}

/* Newton's y = (y + x / y) / 2; half the exponent gives a first y that is at most 2 times too large
   or small, and each round doubles the right bits. */
static double webnn__quick_sqrt(double x) {
  uint64_t pattern;
  double y;
  int round;
  memcpy(&pattern, &x, sizeof pattern);
  y = webnn__quick_power(((int)(pattern >> 52) - 1023) / 2);
  for (round = 0; round < 6; round++) {
    y = 0.5 * (y + x / y);
  }
  return y;
}

static double webnn__quick_tanh(double x) {
  const double e = webnn__quick_expm1(x < 0 ? -2.0 * x : 2.0 * x);
  return (x < 0 ? -e : e) / (e + 2.0);
}

/* Arguments beyond 700 give what 700 gives: 0, 1, infinity, or x itself. */
static double webnn__quick_clamp(double x) {
  return x < -700.0 ? -700.0 : x > 700.0 ? 700.0 : x;
}

/* ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|) */
static double webnn__quick_softplus(double x) {
  const double tail = webnn__quick_log1p(webnn__quick_exp(webnn__quick_clamp(x < 0 ? x : -x)));
  return x < 0 ? tail : x + tail;
}

/* x erfc(-x / sqrt 2) / 2; above 8 that is x but for 2^-50, below -36 it is nothing. */
static double webnn__quick_gelu(double x) {
  if (x > 8.0 || x < -36.0) {
    return x > 0 ? x : -1e-300;
  }
  return 0.5 * x * webnn__quick_erfc(x * -0.70710678118654752440);
}

/* erf of |x|, with the sign of x; above 6 it is 1 but for 2^-54. */
static double webnn__quick_signed_erf(double x) {
  const double size = x < 0 ? -x : x;
  const double y = size < 4.0   ? webnn__quick_erf(size)
                   : size < 6.0 ? 1.0 - webnn__quick_erfc(size)
                                : 1.0;
  return x < 0 ? -y : y;
}

/* sin, cos and tan; the reduction is of |x|, and needed above pi/4 = 0.785... */
static bool webnn__quick_trigonometry(webnn_op op, uint64_t bits, int fraction_bits,
                                      int exponent_bits, double x, double *y) {
  uint32_t quadrant = 0;
  double angle = x < 0 ? -x : x;
  if (angle > 0.78 && !webnn__quick_angle(bits, fraction_bits, exponent_bits, &quadrant, &angle)) {
    return false;
  }
  *y = webnn__quick_angle_function(op, quadrant, angle);
  *y = x < 0 && op != WEBNN_OP_COS ? -*y : *y;
  return true;
}

/* The function of a normal float with error below 2^-44. False where there is none. */
static bool webnn__quick_function(webnn_op op, uint64_t bits, int fraction_bits, int exponent_bits,
                                  double alpha, double *y) {
  double x;
  if (!webnn__normal_double(bits, fraction_bits, exponent_bits, &x)) {
    return false;
  }
  switch (op) {
  case WEBNN_OP_COS:
  case WEBNN_OP_SIN:
  case WEBNN_OP_TAN:
    return webnn__quick_trigonometry(op, bits, fraction_bits, exponent_bits, x, y);
  case WEBNN_OP_ELU:
    *y = alpha * webnn__quick_expm1(webnn__quick_clamp(x));
    return x < 0;
  case WEBNN_OP_ERF:
    *y = webnn__quick_signed_erf(x);
    return true;
  case WEBNN_OP_EXP:
    *y = webnn__quick_exp(webnn__quick_clamp(x));
    return true;
  case WEBNN_OP_GELU:
    *y = webnn__quick_gelu(x);
    return true;
  case WEBNN_OP_LOG:
    *y = x > 0 ? webnn__quick_log(x) : 0.0;
    return x > 0;
  case WEBNN_OP_SIGMOID:
    *y = 1.0 / (1.0 + webnn__quick_exp(webnn__quick_clamp(-x)));
    return true;
  case WEBNN_OP_SOFTPLUS:
    *y = webnn__quick_softplus(x);
    return true;
  case WEBNN_OP_SQRT:
    *y = x > 0 ? webnn__quick_sqrt(x) : 0.0;
    return x > 0;
  case WEBNN_OP_TANH:
    *y = x < -20.0 ? -1.0 : x > 20.0 ? 1.0 : webnn__quick_tanh(x);
    return true;
  default:
    return false;
  }
}

/* ==============================================================================================
   11  reference                                                                       >>reference

   One kernel for each operator, or for each family whose members differ in one formula. A kernel
   computes items begin ... end - 1 of its results, so that slices can run on different threads;
   what an item is, stands above it. Elements of every data type become wide numbers, exactly; the
   formula is evaluated on those; storing rounds once. Reading order is the formula's: x inputs, y
   outputs. Calls chapters 3, 5, 6, 7 and 10.
   ============================================================================================== */

/* A tensor as a kernel sees it. data is NULL for an absent optional operand. */
typedef struct webnn__view {
  void *data;
  webnn_data_type type;
  webnn__shape shape;
  uint64_t count;                     /* of elements */
  bool is_constant;                   /* the data is there when the graph is built, and stays */
  const webnn_arithmetic *arithmetic; /* NULL: exact */
  uint32_t *undecided;                /* counts results whose rounding is in doubt; or NULL */
} webnn__view;

typedef struct webnn__kernels webnn__kernels; /* vector functions: chapter 13 */

typedef struct webnn__kernel_call {
  const webnn__node *node;
  const webnn__attributes *attributes;
  webnn__view *x, *y;
  void *scratch;
  const webnn__kernels *kernels; /* these three are for fast kernels */
  void *packed;                  /* what `pack` has made */
  uint32_t phase;
} webnn__kernel_call;

/* items: how many there are, by default one for each element of y[0]. cost: rough nanoseconds
   for one item, to decide whether threads pay. scratch: bytes of memory that no other operator
   touches. */
typedef struct webnn__kernel {
  void (*run)(const webnn__kernel_call *call, uint64_t begin, uint64_t end);
  uint64_t (*items)(const webnn__kernel_call *call);
  uint64_t (*cost)(const webnn__kernel_call *call);
  uint64_t (*scratch)(const webnn__kernel_call *call);
} webnn__kernel;

/* ---- Models of other arithmetic ----------------------------------------------------------------

   An element loaded in a context with another arithmetic carries a mark (webnn__wide.model), and
   what is computed from marked numbers is rounded and marked in turn. So the kernels below read the
   same for every arithmetic; for the exact one the mark is 0 and costs a comparison. Sums follow
   the order and the rounding that the context asks for. */

enum { WEBNN__MODEL_FLOAT16 = 1, WEBNN__MODEL_BFLOAT16 = 2, WEBNN__MODEL_FLUSH = 4 };

static uint8_t webnn__model_of(const webnn_arithmetic *arithmetic) {
  if (arithmetic == NULL) {
    return 0;
  }
  return (uint8_t)((arithmetic->round_intermediates == WEBNN_INTERMEDIATES_FLOAT16
                        ? WEBNN__MODEL_FLOAT16
                    : arithmetic->round_intermediates == WEBNN_INTERMEDIATES_BFLOAT16
                        ? WEBNN__MODEL_BFLOAT16
                        : 0) |
                   (arithmetic->flush_subnormals ? WEBNN__MODEL_FLUSH : 0));
}

/* A pattern of a float format, a subnormal one made a zero if that is asked for. */
static uint64_t webnn__flush(uint64_t bits, int fraction_bits, int exponent_bits, bool flush) {
  const uint64_t field = (((uint64_t)1 << exponent_bits) - 1) << fraction_bits;
  return flush && (bits & field) == 0 ? bits & (uint64_t)1 << (fraction_bits + exponent_bits)
                                      : bits;
}

/* x rounded to a float format, as a wide number again. */
static webnn__wide webnn__rounded(webnn__wide x, int fraction_bits, int exponent_bits, bool flush) {
  const uint64_t bits = webnn__wide_to_float_bits(x, fraction_bits, exponent_bits);
  return webnn__wide_from_float_bits(webnn__flush(bits, fraction_bits, exponent_bits, flush),
                                     fraction_bits, exponent_bits);
}

/* The result x of an operation on numbers with this mark. */
static webnn__wide webnn__modelled(webnn__wide x, int model) {
  if (model == 0) {
    return x;
  }
  if ((model & WEBNN__MODEL_FLOAT16) != 0) {
    x = webnn__rounded(x, 10, 5, (model & WEBNN__MODEL_FLUSH) != 0);
  } else if ((model & WEBNN__MODEL_BFLOAT16) != 0) {
    x = webnn__rounded(x, 7, 8, (model & WEBNN__MODEL_FLUSH) != 0);
  }
  x.model = (uint8_t)model;
  return x;
}

#define WEBNN__OF_ONE(name)                                                                        \
  static webnn__wide webnn__##name(webnn__wide x) {                                                \
    return webnn__modelled(webnn__tracked_##name(x), x.model);                                     \
  }
#define WEBNN__OF_TWO(name)                                                                        \
  static webnn__wide webnn__##name(webnn__wide a, webnn__wide b) {                                 \
    return webnn__modelled(webnn__tracked_##name(a, b), a.model | b.model);                        \
  }
WEBNN__OF_TWO(add)
WEBNN__OF_TWO(sub)
WEBNN__OF_TWO(mul)
WEBNN__OF_TWO(div)
WEBNN__OF_TWO(pow)
WEBNN__OF_ONE(sqrt)
WEBNN__OF_ONE(exp)
WEBNN__OF_ONE(expm1)
WEBNN__OF_ONE(log)
WEBNN__OF_ONE(log1p)
WEBNN__OF_ONE(sin)
WEBNN__OF_ONE(cos)
WEBNN__OF_ONE(tan)
WEBNN__OF_ONE(erf)
WEBNN__OF_ONE(erfc)
WEBNN__OF_ONE(tanh)
WEBNN__OF_ONE(sigmoid)
WEBNN__OF_ONE(softplus)
#undef WEBNN__OF_ONE
#undef WEBNN__OF_TWO

/* A sum on its way. Exact: float terms in a fixed-point sum, others (which need more bits than that
   has) in a wide number beside it. Otherwise one partial sum (sequential), two (blocks: the total
   and the current block), or one for each power of two (pairwise: bit k of the number of terms says
   whether partial[k], a sum of 2^k terms, waits for its neighbour). */
typedef struct webnn__accumulator {
  const webnn_arithmetic *arithmetic; /* NULL unless additions are rounded */
  uint8_t model;
  webnn__sum exact;
  webnn__wide loose;
  uint64_t terms;
  webnn__wide partial[64];
} webnn__accumulator;

static void webnn__start_sum(webnn__accumulator *sum, const webnn__view *x) {
  sum->model = webnn__model_of(x->arithmetic);
  sum->arithmetic = x->arithmetic != NULL && x->arithmetic->accumulate != WEBNN_ACCUMULATE_EXACT
                        ? x->arithmetic
                        : NULL;
  sum->terms = 0;
  sum->loose = webnn__wide_zero(true);
  webnn__sum_clear(&sum->exact);
}

/* a + b in the accumulator's format. */
static webnn__wide webnn__partial_sum(const webnn__accumulator *sum, webnn__wide a, webnn__wide b) {
  const bool half = sum->arithmetic->accumulate == WEBNN_ACCUMULATE_FLOAT16;
  return webnn__rounded(webnn__wide_add(a, b), half ? 10 : 23, half ? 5 : 8,
                        sum->arithmetic->flush_subnormals);
}

/* One more term of a sum whose additions are rounded. */
static void webnn__add_rounded(webnn__accumulator *sum, webnn__wide term) {
  const webnn__wide nothing = webnn__wide_zero(true); /* -0 + x = x, also for x = -0 */
  const uint64_t n = sum->terms++;
  uint32_t level = 0;
  if (sum->arithmetic->order == WEBNN_PAIRWISE) {
    term = webnn__partial_sum(sum, nothing, term);
    for (; (n >> level & 1) != 0; level++) {
      term = webnn__partial_sum(sum, sum->partial[level], term);
    }
    sum->partial[level] = term;
    return;
  }
  if (sum->arithmetic->order == WEBNN_BLOCKS && n % sum->arithmetic->block_size == 0) {
    sum->partial[1] = n == 0 ? nothing : webnn__partial_sum(sum, sum->partial[1], sum->partial[0]);
    sum->partial[0] = nothing;
  } else if (n == 0) {
    sum->partial[0] = nothing;
  }
  sum->partial[0] = webnn__partial_sum(sum, sum->partial[0], term);
}

/* A term that fits the fixed-point sum: a float, a product of two, such a product with an integer.
 */
static void webnn__add_term(webnn__accumulator *sum, webnn__wide term) {
  if (sum->arithmetic != NULL) {
    webnn__add_rounded(sum, term);
  } else {
    webnn__sum_add_wide(&sum->exact, term);
  }
}

/* Any other term. */
static void webnn__add_loose(webnn__accumulator *sum, webnn__wide term) {
  if (sum->arithmetic != NULL) {
    webnn__add_rounded(sum, term);
  } else {
    sum->loose = webnn__tracked_add(sum->loose, term);
  }
}

/* A float32 element; a x b of two. */
static void webnn__add_element(webnn__accumulator *sum, uint32_t bits) {
  if (sum->arithmetic == NULL) {
    webnn__sum_add_f32(&sum->exact, bits);
  } else {
    webnn__add_rounded(sum, webnn__wide_from_float_bits(bits, 23, 8));
  }
}

static void webnn__add_product(webnn__accumulator *sum, uint32_t a, uint32_t b) {
  if (sum->arithmetic == NULL && sum->model == 0) {
    webnn__sum_add_product_f32(&sum->exact, a, b);
  } else {
    webnn__add_term(sum, webnn__modelled(webnn__wide_mul(webnn__wide_from_float_bits(a, 23, 8),
                                                         webnn__wide_from_float_bits(b, 23, 8)),
                                         sum->model));
  }
}

/* What the rounded sum is so far: pairs without a neighbour are added from the smallest up. */
static webnn__wide webnn__rounded_total(const webnn__accumulator *sum) {
  webnn__wide total = webnn__wide_zero(sum->terms > 0);
  uint32_t level;
  if (sum->terms == 0) {
    return total;
  }
  switch (sum->arithmetic->order) {
  case WEBNN_PAIRWISE:
    for (level = 0; sum->terms >> level != 0; level++) {
      if ((sum->terms >> level & 1) != 0) {
        total = webnn__partial_sum(sum, sum->partial[level], total);
      }
    }
    return total;
  case WEBNN_BLOCKS:
    return webnn__partial_sum(sum, sum->partial[1], sum->partial[0]);
  default:
    return sum->partial[0];
  }
}

static webnn__wide webnn__total(const webnn__accumulator *sum) {
  webnn__wide total;
  if (sum->arithmetic != NULL) {
    total = webnn__rounded_total(sum);
  } else {
    total = webnn__tracked(webnn__sum_result(&sum->exact), 0, 1);
    if (sum->loose.kind != WEBNN__ZERO || sum->loose.error > 0) {
      total = webnn__tracked_add(total, sum->loose);
    }
  }
  return webnn__modelled(total, sum->model);
}

/* S / n and sqrt(S) for the total S of an exact sum. That S is rounded to odd is no second error: S
   / n lies above the midpoint m just when S is above n m, sqrt(S) when S is above m^2, and both
   have fewer than 127 bits if n has up to 100. */
static webnn__wide webnn__total_over(webnn__wide total, webnn__wide n) {
  webnn__wide y = webnn__div(total, n);
  y.error = total.error <= 1 && y.error > 1 ? 1 : y.error;
  return y;
}

static webnn__wide webnn__root_of_total(webnn__wide total) {
  webnn__wide y = webnn__sqrt(total);
  y.error = total.error <= 1 && y.error > 1 ? 1 : y.error;
  return y;
}

/* ---- Elements ------------------------------------------------------------------------------- */

static webnn__wide webnn__wide_of(uint64_t bits, webnn_data_type type) {
  const webnn__type_info *info = webnn__type(type);
  if (info->exponent_bits > 0) {
    return webnn__wide_from_float_bits(bits, info->fraction_bits, info->exponent_bits);
  }
  return info->is_signed ? webnn__wide_from_i64(webnn__sign_extend(bits, info->bits))
                         : webnn__wide_from_u64(bits);
}

static webnn__wide webnn__load(const webnn__view *view, uint64_t index) {
  const uint8_t model = webnn__is_float(view->type) ? webnn__model_of(view->arithmetic) : 0;
  uint64_t bits = webnn__get_bits(view->data, view->type, index);
  webnn__wide x;
  if (model == 0) {
    return webnn__wide_of(bits, view->type);
  }
  bits = webnn__flush(bits, webnn__type(view->type)->fraction_bits,
                      webnn__type(view->type)->exponent_bits, (model & WEBNN__MODEL_FLUSH) != 0);
  x = webnn__wide_of(bits, view->type);
  x.model = model;
  return x;
}

/* Is it uncertain to which float of the view's type the value rounds? */
static bool webnn__in_doubt(const webnn__view *view, webnn__wide value) {
  const webnn__type_info *info = webnn__type(view->type);
  return value.error > 1 && view->arithmetic == NULL && info->exponent_bits > 0 &&
         webnn__is_in_doubt(value, info->fraction_bits, info->exponent_bits);
}

/* Rounds to the type: floats to nearest, ties to even; integers wrap modulo 2^bits. */
static void webnn__store(const webnn__view *view, uint64_t index, webnn__wide value) {
  const webnn__type_info *info = webnn__type(view->type);
  uint64_t bits;
  if (info->exponent_bits == 0) {
    bits = webnn__wide_to_u64_wrapped(value);
  } else {
    bits = webnn__wide_to_float_bits(value, info->fraction_bits, info->exponent_bits);
    if (webnn__in_doubt(view, value) && view->undecided != NULL) {
      webnn__count_one(view->undecided);
    }
    if (view->arithmetic != NULL) {
      bits = webnn__flush(bits, info->fraction_bits, info->exponent_bits,
                          view->arithmetic->flush_subnormals);
    }
  }
  webnn__set_bits(view->data, view->type, index, bits);
}

/* The same, but integers saturate and NaN becomes 0. */
static void webnn__store_saturated(const webnn__view *view, uint64_t index, webnn__wide value) {
  const webnn__type_info *info = webnn__type(view->type);
  if (info->exponent_bits > 0) {
    webnn__store(view, index, value);
  } else {
    webnn__set_bits(view->data, view->type, index,
                    webnn__wide_to_integer_saturated(value, (int)info->bits, info->is_signed));
  }
}

/* A float element as float32 bits, which exact sums take. */
static uint32_t webnn__float32_bits(const webnn__view *view, uint64_t index) {
  uint64_t bits = webnn__get_bits(view->data, view->type, index);
  if (view->arithmetic != NULL) {
    const webnn__type_info *info = webnn__type(view->type);
    bits = webnn__flush(bits, info->fraction_bits, info->exponent_bits,
                        view->arithmetic->flush_subnormals);
  }
  return view->type == WEBNN_FLOAT16 ? webnn__f16_to_f32_bits((uint16_t)bits) : (uint32_t)bits;
}

/* Copies count elements; not for 4-bit types. */
static void webnn__copy_elements(const webnn__view *to, uint64_t to_index, const webnn__view *from,
                                 uint64_t from_index, uint64_t count) {
  const uint64_t bytes = webnn__type(to->type)->bits / 8;
  memcpy((char *)to->data + to_index * bytes, (const char *)from->data + from_index * bytes,
         (size_t)(count * bytes));
}

/* Comparisons that hand on NaN. Of two zeros, max takes +0 and min takes -0. */
static webnn__wide webnn__wide_max(webnn__wide a, webnn__wide b) {
  int order;
  if (webnn__wide_unordered(a, b)) {
    return webnn__wide_nan();
  }
  order = webnn__wide_compare(a, b);
  return order > 0 || (order == 0 && !a.negative) ? a : b;
}

static webnn__wide webnn__wide_min(webnn__wide a, webnn__wide b) {
  int order;
  if (webnn__wide_unordered(a, b)) {
    return webnn__wide_nan();
  }
  order = webnn__wide_compare(a, b);
  return order < 0 || (order == 0 && a.negative) ? a : b;
}

/* ---- Walking along axes --------------------------------------------------------------------- */

/* A tensor seen as groups: one for each coordinate of the dimensions that are kept, each with
   the elements along the axes. Reductions, normalizations, softmax, argMin, cumulativeSum: all
   walk so. */
typedef struct webnn__groups {
  webnn__shape kept, inner;
  int64_t kept_strides[WEBNN_MAX_RANK], inner_strides[WEBNN_MAX_RANK];
  uint64_t size; /* elements of a group */
} webnn__groups;

/* The axes in the order in which a group's elements are numbered; -1 for none. */
static webnn__groups webnn__group(const webnn__shape *shape, const uint32_t *axes,
                                  uint32_t axis_count) {
  webnn__groups groups;
  int64_t strides[WEBNN_MAX_RANK] = {0};
  uint32_t set = 0, i;
  memset(&groups, 0, sizeof groups);
  webnn__row_major(shape, strides);
  for (i = 0; i < axis_count; i++) {
    set |= 1u << axes[i];
    groups.inner.dimensions[i] = shape->dimensions[axes[i]];
    groups.inner_strides[i] = strides[axes[i]];
  }
  groups.inner.rank = axis_count;
  for (i = 0; i < shape->rank; i++) {
    if ((set >> i & 1) == 0) {
      groups.kept.dimensions[groups.kept.rank] = shape->dimensions[i];
      groups.kept_strides[groups.kept.rank++] = strides[i];
    }
  }
  groups.size = webnn__element_count(&groups.inner);
  return groups;
}

/* Where a group starts, and its element j from there. */
static uint64_t webnn__group_start(const webnn__groups *groups, uint64_t group) {
  uint32_t c[WEBNN_MAX_RANK];
  webnn__coordinates(&groups->kept, group, c);
  return (uint64_t)webnn__offset(groups->kept.rank, c, groups->kept_strides);
}

static uint64_t webnn__group_element(const webnn__groups *groups, uint64_t j) {
  uint32_t c[WEBNN_MAX_RANK];
  webnn__coordinates(&groups->inner, j, c);
  return (uint64_t)webnn__offset(groups->inner.rank, c, groups->inner_strides);
}

/* ---- 8.9.5 argMin, argMax ------------------------------------------------------------------- */

/* An item is an element of y: the first index of the smallest (largest) x, or of the first NaN. */
static void webnn__run_arg_min_max(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__groups groups = webnn__group(&call->x->shape, &call->attributes->axis, 1);
  const int wanted = call->node->op == WEBNN_OP_ARG_MIN ? -1 : 1;
  uint64_t i, j;
  for (i = begin; i < end; i++) {
    const uint64_t start = webnn__group_start(&groups, i);
    const uint64_t step = (uint64_t)groups.inner_strides[0];
    webnn__wide best = webnn__load(call->x, start);
    uint64_t at = 0;
    for (j = 1; j < groups.size && best.kind != WEBNN__NAN; j++) {
      const webnn__wide x = webnn__load(call->x, start + j * step);
      if (x.kind == WEBNN__NAN || webnn__wide_compare(x, best) == wanted) {
        best = x;
        at = j;
      }
    }
    webnn__set_bits(call->y->data, call->y->type, i, at);
  }
}

static uint64_t webnn__cost_per_axis_element(const webnn__kernel_call *call) {
  return 30 * (uint64_t)call->x->shape.dimensions[call->attributes->axis];
}

static const webnn__kernel webnn__reference_arg_min_max = {webnn__run_arg_min_max, NULL,
                                                           webnn__cost_per_axis_element, NULL};

/* ---- 8.9.6 batchNormalization, 8.9.29 instanceNormalization, 8.9.30 layerNormalization ------- */

/* scale (x - mean) / deviation + bias, with scale and bias element k if there are such operands. */
static webnn__wide webnn__normalized(webnn__wide x, webnn__wide mean, webnn__wide deviation,
                                     const webnn__view *scale, const webnn__view *bias,
                                     uint64_t k) {
  webnn__wide y = webnn__div(webnn__sub(x, mean), deviation);
  if (scale->data != NULL) {
    y = webnn__mul(webnn__load(scale, k), y);
  }
  return bias->data != NULL ? webnn__add(y, webnn__load(bias, k)) : y;
}

/* Stores scale (a / sqrt(r)) + bias, which no number of fixed length can be sure to round. The
   digits suffice: a, r and bias of float32 operands lie between 2^-298 and 2^320, and the
   comparison of a^2 with (m - bias)^2 r between 2^-896 and 2^896. */
static void webnn__store_decided(const webnn__view *y, uint64_t at, webnn__big a, webnn__big r,
                                 const webnn__view *scale, const webnn__view *bias, uint64_t k) {
  const webnn__type_info *info = webnn__type(y->type);
  webnn__root_quotient exact;
  memset(&exact, 0, sizeof exact);
  exact.a = a;
  exact.r = r;
  if (scale->data != NULL) {
    const webnn__big factor = webnn__big_from_wide(webnn__load(scale, k));
    exact.a = webnn__big_mul(&factor, &exact.a);
  }
  if (bias->data != NULL) {
    exact.b = webnn__big_from_wide(webnn__load(bias, k));
  }
  webnn__set_bits(y->data, y->type, at,
                  webnn__round_root_quotient(&exact, info->fraction_bits, info->exponent_bits));
}

/* The sum of two elements as big numbers. */
static webnn__big webnn__big_sum(webnn__wide a, webnn__wide b) {
  const webnn__big big_a = webnn__big_from_wide(a), big_b = webnn__big_from_wide(b);
  return webnn__big_add(&big_a, &big_b);
}

/* An item is an element: y = scale (x - mean) / sqrt(variance + epsilon) + bias of its channel. */
static void webnn__run_batch_normalization(const webnn__kernel_call *call, uint64_t begin,
                                           uint64_t end) {
  const webnn__wide epsilon = webnn__wide_of(call->attributes->epsilon, call->x->type);
  const uint32_t axis = call->attributes->axis;
  uint32_t c[WEBNN_MAX_RANK];
  uint64_t i;
  for (i = begin; i < end; i++) {
    const webnn__wide x = webnn__load(call->x, i);
    webnn__wide mean, variance, y;
    webnn__coordinates(&call->x->shape, i, c);
    mean = webnn__load(&call->x[1], c[axis]);
    variance = webnn__load(&call->x[2], c[axis]);
    y = webnn__normalized(x, mean, webnn__sqrt(webnn__add(variance, epsilon)), &call->x[3],
                          &call->x[4], c[axis]);
    if (webnn__in_doubt(call->y, y)) {
      webnn__store_decided(call->y, i, webnn__big_sum(x, webnn__wide_neg(mean)),
                           webnn__big_sum(variance, epsilon), &call->x[3], &call->x[4], c[axis]);
    } else {
      webnn__store(call->y, i, y);
    }
  }
}

static uint64_t webnn__cost_500(const webnn__kernel_call *call) {
  (void)call;
  return 500;
}

static const webnn__kernel webnn__reference_batch_normalization = {webnn__run_batch_normalization,
                                                                   NULL, webnn__cost_500, NULL};

/* Mean and biased variance of a group: mu = sum x / n, exactly; sigma^2 = sum (x - mu)^2 / n. */
static void webnn__statistics(const webnn__view *x, const webnn__groups *groups, uint64_t start,
                              webnn__wide *mean, webnn__wide *variance) {
  const webnn__wide n = webnn__wide_from_u64(groups->size);

  webnn__accumulator sum;
  uint64_t j;
  webnn__start_sum(&sum, x);
  for (j = 0; j < groups->size; j++) {
    webnn__add_element(&sum, webnn__float32_bits(x, start + webnn__group_element(groups, j)));
  }
  *mean = webnn__div(webnn__total(&sum), n);
  webnn__start_sum(&sum, x);
  for (j = 0; j < groups->size; j++) {
    const webnn__wide d =
        webnn__sub(webnn__load(x, start + webnn__group_element(groups, j)), *mean);
    webnn__add_loose(&sum, webnn__mul(d, d));
  }
  *variance = webnn__div(webnn__total(&sum), n);
}

/* The same without division: n, S = n mu = sum x, and n^2 (sigma^2 + epsilon) = n sum x^2 - S^2 +
   n^2 epsilon. */
typedef struct webnn__exact_statistics {
  webnn__big n, sum, radicand;
} webnn__exact_statistics;

static webnn__exact_statistics webnn__exact_statistics_of(const webnn__view *x,
                                                          const webnn__groups *groups,
                                                          uint64_t start, webnn__wide epsilon) {
  webnn__exact_statistics s;
  webnn__sum sum, squares;
  webnn__big term, n_squared;
  uint64_t j;
  webnn__sum_clear(&sum);
  webnn__sum_clear(&squares);
  for (j = 0; j < groups->size; j++) {
    const uint32_t bits = webnn__float32_bits(x, start + webnn__group_element(groups, j));
    webnn__sum_add_f32(&sum, bits);
    webnn__sum_add_product_f32(&squares, bits, bits);
  }
  s.n = webnn__big_from_wide(webnn__wide_from_u64(groups->size));
  s.sum = webnn__big_from_sum(&sum);
  s.radicand = webnn__big_from_sum(&squares);
  s.radicand = webnn__big_mul(&s.n, &s.radicand);
  term = webnn__big_mul(&s.sum, &s.sum);
  s.radicand = webnn__big_sub(&s.radicand, &term);
  n_squared = webnn__big_mul(&s.n, &s.n);
  term = webnn__big_from_wide(epsilon);
  term = webnn__big_mul(&n_squared, &term);
  s.radicand = webnn__big_add(&s.radicand, &term);
  return s;
}

/* y = scale (n x - S) / sqrt(n^2 (sigma^2 + epsilon)) + bias. */
static void webnn__store_normalized_exactly(const webnn__view *y, uint64_t at, webnn__wide x,
                                            const webnn__exact_statistics *s,
                                            const webnn__view *scale, const webnn__view *bias,
                                            uint64_t k) {
  webnn__big a = webnn__big_from_wide(x);
  a = webnn__big_mul(&s->n, &a);
  a = webnn__big_sub(&a, &s->sum);
  webnn__store_decided(y, at, a, s->radicand, scale, bias, k);
}

/* An item is a group: y = scale (x - mu) / sqrt(sigma^2 + epsilon) + bias. Element j of a group has
   scale and bias j (layerNormalization) or those of the group's channel (instanceNormalization). */
static void webnn__normalize_groups(const webnn__kernel_call *call, const webnn__groups *groups,
                                    uint64_t channels, uint64_t begin, uint64_t end) {
  const webnn__wide epsilon = webnn__wide_of(call->attributes->epsilon, call->x->type);
  const webnn__view *scale = &call->x[1], *bias = &call->x[2];
  uint64_t i, j;
  for (i = begin; i < end; i++) {
    const uint64_t start = webnn__group_start(groups, i);
    webnn__wide mean, variance, deviation;
    webnn__exact_statistics exact;
    bool have_exact = false;
    webnn__statistics(call->x, groups, start, &mean, &variance);
    deviation = webnn__sqrt(webnn__add(variance, epsilon));
    for (j = 0; j < groups->size; j++) {
      const uint64_t at = start + webnn__group_element(groups, j);
      const uint64_t k = channels > 0 ? i % channels : j;
      const webnn__wide x = webnn__load(call->x, at);
      const webnn__wide y = webnn__normalized(x, mean, deviation, scale, bias, k);
      if (!webnn__in_doubt(call->y, y)) {
        webnn__store(call->y, at, y);
        continue;
      }
      if (!have_exact) {
        exact = webnn__exact_statistics_of(call->x, groups, start, epsilon);
        have_exact = true;
      }
      webnn__store_normalized_exactly(call->y, at, x, &exact, scale, bias, k);
    }
  }
}

/* An image and channel is a group; they are numbered with the channel running faster. */
static webnn__groups webnn__instance_groups(const webnn__kernel_call *call) {
  const uint8_t *axes = webnn__input_axes[call->attributes->input_layout];
  uint32_t spatial[2];
  spatial[0] = axes[2];
  spatial[1] = axes[3];
  return webnn__group(&call->x->shape, spatial, 2);
}

static uint64_t webnn__instance_count(const webnn__kernel_call *call) {
  const webnn__groups groups = webnn__instance_groups(call);
  return webnn__element_count(&groups.kept);
}

static uint64_t webnn__instance_cost(const webnn__kernel_call *call) {
  return 200 * webnn__instance_groups(call).size;
}

static void webnn__run_instance_normalization(const webnn__kernel_call *call, uint64_t begin,
                                              uint64_t end) {
  const webnn__groups groups = webnn__instance_groups(call);
  webnn__normalize_groups(call, &groups, groups.kept.dimensions[1], begin, end);
}

static const webnn__kernel webnn__reference_instance_normalization = {
    webnn__run_instance_normalization, webnn__instance_count, webnn__instance_cost, NULL};

/* Groups along the attribute `axes`, in its order. */
static webnn__groups webnn__axes_groups(const webnn__kernel_call *call) {
  return webnn__group(&call->x->shape, call->attributes->axes.dimensions,
                      call->attributes->axes.rank);
}

static uint64_t webnn__axes_group_count(const webnn__kernel_call *call) {
  const webnn__groups groups = webnn__axes_groups(call);
  return webnn__element_count(&groups.kept);
}

static uint64_t webnn__axes_group_cost(const webnn__kernel_call *call) {
  return 30 + 50 * webnn__axes_groups(call).size;
}

static void webnn__run_layer_normalization(const webnn__kernel_call *call, uint64_t begin,
                                           uint64_t end) {
  const webnn__groups groups = webnn__axes_groups(call);
  webnn__normalize_groups(call, &groups, 0, begin, end);
}

static const webnn__kernel webnn__reference_layer_normalization = {
    webnn__run_layer_normalization, webnn__axes_group_count, webnn__axes_group_cost, NULL};

/* ---- 8.9.7 cast ----------------------------------------------------------------------------- */

/* Integers to integers keep their low bits; floats to integers are truncated and saturate. */
static void webnn__run_cast(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const bool wrap = !webnn__is_float(call->x->type);
  uint64_t i;
  for (i = begin; i < end; i++) {
    const webnn__wide x = webnn__load(call->x, i);
    if (wrap) {
      webnn__store(call->y, i, x);
    } else {
      webnn__store_saturated(call->y, i, x);
    }
  }
}

static const webnn__kernel webnn__reference_cast = {webnn__run_cast, NULL, NULL, NULL};

/* ---- Operators of one operand, element by element ------------------------------------------- */

/* f(x) with the options alpha and beta: 8.9.8, 8.9.15, 8.9.18, 8.9.23, 8.9.27, 8.9.28, 8.9.31,
   8.9.32, 8.9.40, 8.9.46, 8.9.49, 8.9.50, 8.9.52. */
static webnn__wide webnn__function(webnn_op op, webnn__wide x, webnn__wide alpha,
                                   webnn__wide beta) {
  const webnn__wide zero = webnn__wide_zero(false), one = webnn__wide_small(1);
  switch (op) {
  case WEBNN_OP_ABS: /* |x| */
    return webnn__wide_abs(x);
  case WEBNN_OP_CEIL:
    return webnn__wide_ceil(x);
  case WEBNN_OP_CLAMP: /* min(max(x, minValue), maxValue) */
    return webnn__wide_min(webnn__wide_max(x, alpha), beta);
  case WEBNN_OP_COS:
    return webnn__cos(x);
  case WEBNN_OP_ELU: /* max(0, x) + alpha (e^min(0, x) - 1) */
    return webnn__add(webnn__wide_max(zero, x),
                      webnn__mul(alpha, webnn__expm1(webnn__wide_min(zero, x))));
  case WEBNN_OP_ERF:
    return webnn__erf(x);
  case WEBNN_OP_EXP:
    return webnn__exp(x);
  case WEBNN_OP_FLOOR:
    return webnn__wide_floor(x);
  case WEBNN_OP_GELU: /* x (1 + erf(x / sqrt 2)) / 2 = x erfc(-x / sqrt 2) / 2 */
    return webnn__wide_scale2(
        webnn__mul(x,
                   webnn__erfc(webnn__div(webnn__wide_neg(x), webnn__sqrt(webnn__wide_small(2))))),
        -1);
  case WEBNN_OP_HARD_SIGMOID: /* max(0, min(1, alpha x + beta)) */
    return webnn__wide_max(zero, webnn__wide_min(one, webnn__add(webnn__mul(alpha, x), beta)));
  case WEBNN_OP_HARD_SWISH: { /* x max(0, min(6, x + 3)) / 6 */
    const webnn__wide six = webnn__wide_small(6);
    const webnn__wide gate = webnn__wide_min(six, webnn__add(x, webnn__wide_small(3)));
    return webnn__div(webnn__mul(x, webnn__wide_max(zero, gate)), six);
  }
  case WEBNN_OP_LEAKY_RELU: /* max(0, x) + alpha min(0, x) */
    return webnn__add(webnn__wide_max(zero, x), webnn__mul(alpha, webnn__wide_min(zero, x)));
  case WEBNN_OP_LINEAR: /* alpha x + beta */
    return webnn__add(webnn__mul(alpha, x), beta);
  case WEBNN_OP_LOG:
    return webnn__log(x);
  case WEBNN_OP_NEG:
    return webnn__wide_neg(x);
  case WEBNN_OP_RECIPROCAL: /* 1 / x */
    return webnn__div(one, x);
  case WEBNN_OP_RELU: /* max(0, x) */
    return webnn__wide_max(zero, x);
  case WEBNN_OP_ROUND_EVEN:
    return webnn__wide_round_even(x);
  case WEBNN_OP_SIGMOID: /* 1 / (1 + e^-x) */
    return webnn__sigmoid(x);
  case WEBNN_OP_SIGN: /* 1, 0 or -1; 0 for NaN */
    return x.kind == WEBNN__ZERO || x.kind == WEBNN__NAN ? zero
                                                         : webnn__wide_small(x.negative ? -1 : 1);
  case WEBNN_OP_SIN:
    return webnn__sin(x);
  case WEBNN_OP_SOFTPLUS: /* ln(1 + e^x) */
    return webnn__softplus(x);
  case WEBNN_OP_SOFTSIGN: /* x / (1 + |x|) */
    return webnn__div(x, webnn__add(one, webnn__wide_abs(x)));
  case WEBNN_OP_SQRT:
    return webnn__sqrt(x);
  case WEBNN_OP_TAN:
    return webnn__tan(x);
  case WEBNN_OP_TANH:
    return webnn__tanh(x);
  default:
    WEBNN_ASSERT(false && "not an operator of one operand");
    return x;
  }
}

/* The first try for element i; false if the wide numbers have to do it. */
static bool webnn__try_unary(const webnn__kernel_call *call, uint64_t i, double alpha) {
  const webnn__type_info *info = webnn__type(call->x->type);
  uint64_t bits = webnn__get_bits(call->x->data, call->x->type, i);
  double y;
  if (!webnn__quick_function(call->node->op, bits, info->fraction_bits, info->exponent_bits, alpha,
                             &y) ||
      !webnn__round_safely(y, info->fraction_bits, info->exponent_bits, &bits)) {
    return false;
  }
  webnn__set_bits(call->y->data, call->y->type, i, bits);
  return true;
}

/* f(x) of a single float is nearer to a midpoint than the account of errors allows only in gelu,
   elu and hardSwish of the tiniest numbers, x / 2 or alpha x and a little more. That little is not
   lost: the factor that brings it in was rounded to odd, away from 1 or 3 to its proper side. */
static webnn__wide webnn__function_of_float(webnn_op op, webnn__wide x, webnn__wide alpha,
                                            webnn__wide beta) {
  webnn__wide y = webnn__function(op, x, alpha, beta);
  if ((op == WEBNN_OP_GELU || op == WEBNN_OP_ELU || op == WEBNN_OP_HARD_SWISH) &&
      x.kind == WEBNN__FINITE && x.exponent + 128 < -90) {
    y.error = y.error > 1 ? 1 : y.error;
  }
  return y;
}

static void webnn__run_unary(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__type_info *info = webnn__type(call->x->type);
  const webnn__wide alpha = webnn__wide_of(call->attributes->alpha, call->x->type);
  const webnn__wide beta = webnn__wide_of(call->attributes->beta, call->x->type);
  double quick_alpha = 0;
  bool quick = info->exponent_bits > 0 && call->x->arithmetic == NULL && webnn__double_is_double();
  uint64_t i;
  if (quick && call->node->op == WEBNN_OP_ELU) {
    quick = webnn__normal_double(call->attributes->alpha, info->fraction_bits, info->exponent_bits,
                                 &quick_alpha);
  }
  for (i = begin; i < end; i++) {
    if (!quick || !webnn__try_unary(call, i, quick_alpha)) {
      webnn__store(call->y, i,
                   webnn__function_of_float(call->node->op, webnn__load(call->x, i), alpha, beta));
    }
  }
}

static const webnn__kernel webnn__reference_unary = {webnn__run_unary, NULL, webnn__cost_500, NULL};

/* An item is a byte: identity, and reshape where it is not a view. */
static void webnn__run_copy(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  memcpy((char *)call->y->data + begin, (const char *)call->x->data + begin, (size_t)(end - begin));
}

static uint64_t webnn__byte_count(const webnn__kernel_call *call) {
  return webnn__bytes_of(call->y->type, call->y->count);
}

static uint64_t webnn__cost_1(const webnn__kernel_call *call) {
  (void)call;
  return 1;
}

static const webnn__kernel webnn__reference_identity = {webnn__run_copy, webnn__byte_count,
                                                        webnn__cost_1, NULL};
static const webnn__kernel webnn__reference_reshape = {webnn__run_copy, webnn__byte_count,
                                                       webnn__cost_1, NULL};

/* ---- 8.9.9 concat, 8.9.51 split ------------------------------------------------------------- */

/* Copies a part that stands at `at` along the axis of a whole: part[p, a, s] = whole[p, at + a, s],
   or the other way round. */
static void webnn__copy_part(const webnn__view *whole, const webnn__view *part, uint32_t axis,
                             uint64_t at, bool into_whole) {
  uint64_t outer = 1, inner = 1, p;
  uint32_t d;
  for (d = 0; d < whole->shape.rank; d++) {
    if (d != axis) {
      *(d < axis ? &outer : &inner) *= whole->shape.dimensions[d];
    }
  }
  for (p = 0; p < outer; p++) {
    const uint64_t run = part->shape.dimensions[axis] * inner;
    const uint64_t start = (p * whole->shape.dimensions[axis] + at) * inner;
    if (into_whole) {
      webnn__copy_elements(whole, start, part, p * run, run);
    } else {
      webnn__copy_elements(part, p * run, whole, start, run);
    }
  }
}

/* An item is an input (concat) or an output (split). */
static void webnn__run_parts(const webnn__kernel_call *call, const webnn__view *whole,
                             const webnn__view *parts, uint64_t begin, uint64_t end,
                             bool into_whole) {
  const uint32_t axis = call->attributes->axis;
  uint64_t at = 0, i;
  for (i = 0; i < end; i++) {
    if (i >= begin) {
      webnn__copy_part(whole, &parts[i], axis, at, into_whole);
    }
    at += parts[i].shape.dimensions[axis];
  }
}

static void webnn__run_concat(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  webnn__run_parts(call, call->y, call->x, begin, end, true);
}

static uint64_t webnn__input_count(const webnn__kernel_call *call) {
  return call->node->input_count;
}

static uint64_t webnn__cost_of_part(const webnn__kernel_call *call) {
  return call->x->count / 8;
}

static const webnn__kernel webnn__reference_concat = {webnn__run_concat, webnn__input_count,
                                                      webnn__cost_of_part, NULL};

static void webnn__run_split(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  webnn__run_parts(call, call->x, call->y, begin, end, false);
}

static uint64_t webnn__output_count(const webnn__kernel_call *call) {
  return call->node->output_count;
}

static const webnn__kernel webnn__reference_split = {webnn__run_split, webnn__output_count,
                                                     webnn__cost_of_part, NULL};

/* ---- 8.9.10 conv2d, 8.9.11 convTranspose2d -------------------------------------------------- */

/* Strides of batch, channel, height, width in an image; of output and input channel, height, width
   in a filter; and the sizes, in the same order. */
typedef struct webnn__axes4 {
  uint64_t stride[4];
  uint32_t size[4];
} webnn__axes4;

static webnn__axes4 webnn__axes_of(const webnn__view *view, const uint8_t *axes) {
  webnn__axes4 result;
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t i;
  webnn__row_major(&view->shape, strides);
  for (i = 0; i < 4; i++) {
    result.stride[i] = (uint64_t)strides[axes[i]];
    result.size[i] = view->shape.dimensions[axes[i]];
  }
  return result;
}

/* n, channel, row and column of element i of an image. */
static void webnn__image_coordinates(const webnn__view *view, const uint8_t *axes, uint64_t i,
                                     uint32_t *c) {
  uint32_t coordinates[WEBNN_MAX_RANK], k;
  webnn__coordinates(&view->shape, i, coordinates);
  for (k = 0; k < 4; k++) {
    c[k] = coordinates[axes[k]];
  }
}

/* The taps a of a window, first ... last - 1, for which start + a dilation lies in 0 ... in - 1. */
static void webnn__taps_inside(int64_t start, uint32_t dilation, uint32_t window, uint32_t in,
                               uint32_t *first, uint32_t *last) {
  const int64_t d = (int64_t)dilation;
  const int64_t from = start >= 0 ? 0 : (d - 1 - start) / d;
  const int64_t to = start >= (int64_t)in ? 0 : ((int64_t)in - 1 - start) / d + 1;
  *last = (uint32_t)(to < (int64_t)window ? to : (int64_t)window);
  *first = (uint32_t)(from < (int64_t)*last ? from : (int64_t)*last);
}

/* The input row (i = 0) or column (i = 1) under the first tap of the window of output position
   p. */
static int64_t webnn__window_start(const webnn__attributes *t, uint32_t i, uint32_t p) {
  return (int64_t)p * t->strides.dimensions[i] - t->padding.dimensions[2 * i];
}

/* y[n, o, p, q] = bias[o] + sum over i, a, b of
   x[n, g I + i, p strideH - top + a dilationH, q strideW - left + b dilationW] w[o, i, a, b],
   g = o / (outputs of a group), I = input channels of a group; 0 outside the input. */
static webnn__wide webnn__conv2d_element(const webnn__kernel_call *call, const webnn__axes4 *x,
                                         const webnn__axes4 *w, const uint32_t *y) {
  const webnn__attributes *t = call->attributes;
  const uint32_t group = y[1] / (w->size[0] / t->groups);
  const int64_t top = webnn__window_start(t, 0, y[2]), left = webnn__window_start(t, 1, y[3]);
  const uint64_t channel = (uint64_t)group * w->size[1];
  webnn__accumulator sum;
  uint32_t i, a, b, first[2], last[2];
  webnn__taps_inside(top, t->dilations.dimensions[0], w->size[2], x->size[2], &first[0], &last[0]);
  webnn__taps_inside(left, t->dilations.dimensions[1], w->size[3], x->size[3], &first[1], &last[1]);
  webnn__start_sum(&sum, call->x);
  for (a = first[0]; a < last[0]; a++) {
    for (b = first[1]; b < last[1]; b++) {
      const uint64_t row = (uint64_t)(top + (int64_t)a * t->dilations.dimensions[0]);
      const uint64_t column = (uint64_t)(left + (int64_t)b * t->dilations.dimensions[1]);
      uint64_t at_x =
          y[0] * x->stride[0] + channel * x->stride[1] + row * x->stride[2] + column * x->stride[3];
      uint64_t at_w = y[1] * w->stride[0] + a * w->stride[2] + b * w->stride[3];
      for (i = 0; i < w->size[1]; i++, at_x += x->stride[1], at_w += w->stride[1]) {
        webnn__add_product(&sum, webnn__float32_bits(&call->x[0], at_x),
                           webnn__float32_bits(&call->x[1], at_w));
      }
    }
  }
  if (call->x[2].data != NULL) {
    webnn__add_element(&sum, webnn__float32_bits(&call->x[2], y[1]));
  }
  return webnn__total(&sum);
}

/* x[n, i, h, v] reaches y[n, g O + o, h strideH - top + a dilationH, v strideW - left + b
   dilationW] with w[i, o, a, b], O = outputs of a group. Gathered: for each tap, the x that reaches
   this y. */
static webnn__wide webnn__conv_transpose2d_element(const webnn__kernel_call *call,
                                                   const webnn__axes4 *x, const webnn__axes4 *w,
                                                   const uint32_t *y) {
  const webnn__attributes *t = call->attributes;
  const uint32_t group = y[1] / w->size[0], inputs = x->size[1] / t->groups;
  webnn__accumulator sum;
  uint32_t i, a, b;
  webnn__start_sum(&sum, call->x);
  for (a = 0; a < w->size[2]; a++) {
    const int64_t down = (int64_t)y[2] + t->padding.dimensions[0] -
                         (int64_t)a * t->dilations.dimensions[0]; /* h strideH */
    const int64_t h = down / (int64_t)t->strides.dimensions[0];
    if (down < 0 || down % (int64_t)t->strides.dimensions[0] != 0 || h >= (int64_t)x->size[2]) {
      continue;
    }
    for (b = 0; b < w->size[3]; b++) {
      const int64_t right = (int64_t)y[3] + t->padding.dimensions[2] -
                            (int64_t)b * t->dilations.dimensions[1]; /* v strideW */
      const int64_t v = right / (int64_t)t->strides.dimensions[1];
      if (right < 0 || right % (int64_t)t->strides.dimensions[1] != 0 || v >= (int64_t)x->size[3]) {
        continue;
      }
      for (i = group * inputs; i < (group + 1) * inputs; i++) {
        webnn__add_product(
            &sum,
            webnn__float32_bits(&call->x[0], y[0] * x->stride[0] + i * x->stride[1] +
                                                 (uint64_t)h * x->stride[2] +
                                                 (uint64_t)v * x->stride[3]),
            webnn__float32_bits(&call->x[1], i * w->stride[1] + y[1] % w->size[0] * w->stride[0] +
                                                 a * w->stride[2] + b * w->stride[3]));
      }
    }
  }
  if (call->x[2].data != NULL) {
    webnn__add_element(&sum, webnn__float32_bits(&call->x[2], y[1]));
  }
  return webnn__total(&sum);
}

/* An item is an element of y. */
static void webnn__run_conv2d(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const uint8_t *axes = webnn__input_axes[call->attributes->input_layout];
  const webnn__axes4 x = webnn__axes_of(&call->x[0], axes);
  const webnn__axes4 w =
      webnn__axes_of(&call->x[1], webnn__filter_axes[call->attributes->filter_layout]);
  uint32_t c[4];
  uint64_t i;
  for (i = begin; i < end; i++) {
    webnn__image_coordinates(call->y, axes, i, c);
    webnn__store(call->y, i,
                 call->node->op == WEBNN_OP_CONV2D
                     ? webnn__conv2d_element(call, &x, &w, c)
                     : webnn__conv_transpose2d_element(call, &x, &w, c));
  }
}

static uint64_t webnn__conv2d_cost(const webnn__kernel_call *call) {
  const webnn__axes4 w =
      webnn__axes_of(&call->x[1], webnn__filter_axes[call->attributes->filter_layout]);
  return 100 + 6 * (uint64_t)w.size[1] * w.size[2] * w.size[3];
}

static const webnn__kernel webnn__reference_conv2d = {webnn__run_conv2d, NULL, webnn__conv2d_cost,
                                                      NULL};
static const webnn__kernel webnn__reference_conv_transpose2d = {webnn__run_conv2d, NULL,
                                                                webnn__conv2d_cost, NULL};

/* ---- 8.9.12 cumulativeSum ------------------------------------------------------------------- */

/* An item is a line along the axis: y[k] = sum of x[j], j <= k (j < k exclusive); from the end when
   reversed. */
static void webnn__run_cumulative_sum(const webnn__kernel_call *call, uint64_t begin,
                                      uint64_t end) {
  const webnn__attributes *t = call->attributes;
  const webnn__groups groups = webnn__group(&call->x->shape, &t->axis, 1);
  const bool is_float = webnn__is_float(call->x->type);
  uint64_t i, j;
  for (i = begin; i < end; i++) {
    const uint64_t start = webnn__group_start(&groups, i);
    uint64_t total = 0;
    webnn__accumulator sum;
    webnn__start_sum(&sum, call->x);
    for (j = 0; j < groups.size; j++) {
      const uint64_t k = t->reversed ? groups.size - 1 - j : j;
      const uint64_t at = start + k * (uint64_t)groups.inner_strides[0];
      int pass;
      for (pass = 0; pass < 2; pass++) { /* exclusive stores before it adds */
        if (pass == (t->exclusive ? 1 : 0)) {
          if (is_float) {
            webnn__add_element(&sum, webnn__float32_bits(call->x, at));
          } else {
            total += webnn__get_bits(call->x->data, call->x->type, at);
          }
        } else if (is_float) {
          webnn__store(call->y, at, webnn__total(&sum));
        } else {
          webnn__set_bits(call->y->data, call->y->type, at, total);
        }
      }
    }
  }
}

static uint64_t webnn__axis_group_count(const webnn__kernel_call *call) {
  return call->x->count / call->x->shape.dimensions[call->attributes->axis];
}

static const webnn__kernel webnn__reference_cumulative_sum = {
    webnn__run_cumulative_sum, webnn__axis_group_count, webnn__cost_per_axis_element, NULL};

/* ---- 8.9.13 arithmetic, 8.9.38 prelu -------------------------------------------------------- */

/* Exact power modulo 2^64 for exponents >= 0. A negative exponent leaves something only of 1 and
 * -1. */
static uint64_t webnn__integer_power(uint64_t base, uint64_t exponent, bool is_signed) {
  uint64_t power = 1;
  if (is_signed && (int64_t)exponent < 0) {
    if (base == 1) {
      return 1;
    }
    return base == UINT64_MAX ? (exponent % 2 == 0 ? 1 : UINT64_MAX) : 0;
  }
  for (; exponent > 0; exponent >>= 1, base *= base) {
    power *= exponent % 2 == 1 ? base : 1;
  }
  return power;
}

static webnn__wide webnn__integer_pow(const webnn__view *a, uint64_t i, const webnn__view *b,
                                      uint64_t j) {
  return webnn__wide_from_u64(webnn__integer_power((uint64_t)webnn__get_int(a->data, a->type, i),
                                                   (uint64_t)webnn__get_int(b->data, b->type, j),
                                                   webnn__type(a->type)->is_signed));
}

/* f(a, b); integers wrap when they are stored. Integer div truncates, and x / 0 is 0. */
static webnn__wide webnn__function_of_two(webnn_op op, webnn__wide a, webnn__wide b,
                                          bool is_float) {
  const webnn__wide zero = webnn__wide_zero(false);
  switch (op) {
  case WEBNN_OP_ADD:
    return webnn__add(a, b);
  case WEBNN_OP_SUB:
    return webnn__sub(a, b);
  case WEBNN_OP_MUL:
    return webnn__mul(a, b);
  case WEBNN_OP_DIV:
    if (is_float) {
      return webnn__div(a, b);
    }
    return b.kind == WEBNN__ZERO ? zero : webnn__wide_trunc(webnn__div(a, b));
  case WEBNN_OP_MAX:
    return webnn__wide_max(a, b);
  case WEBNN_OP_MIN:
    return webnn__wide_min(a, b);
  case WEBNN_OP_POW:
    return webnn__pow(a, b);
  default: /* prelu: max(0, x) + slope min(0, x) */
    return webnn__add(webnn__wide_max(zero, a), webnn__mul(b, webnn__wide_min(zero, a)));
  }
}

/* Two operands read over the shape they are broadcast to: offsets of both for one coordinate after
   the other. */
typedef struct webnn__pair {
  int64_t strides[2][WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK];
} webnn__pair;

static webnn__pair webnn__start_pair(const webnn__view *a, const webnn__view *b,
                                     const webnn__shape *shape, uint64_t begin) {
  webnn__pair pair;
  memset(&pair, 0, sizeof pair);
  webnn__broadcast_strides(&a->shape, shape, pair.strides[0]);
  webnn__broadcast_strides(&b->shape, shape, pair.strides[1]);
  webnn__coordinates(shape, begin, pair.c);
  return pair;
}

static uint64_t webnn__pair_offset(const webnn__pair *pair, uint32_t rank, int which) {
  return (uint64_t)webnn__offset(rank, pair->c, pair->strides[which]);
}

/* An item is an element of y. */
static void webnn__run_binary(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__shape *shape = &call->y->shape;
  const webnn__view *a = &call->x[0], *b = &call->x[1];
  const bool is_float = webnn__is_float(a->type);
  webnn__pair pair = webnn__start_pair(a, b, shape, begin);
  uint64_t i;
  for (i = begin; i < end; i++, webnn__advance(shape, pair.c)) {
    const uint64_t at_a = webnn__pair_offset(&pair, shape->rank, 0);
    const uint64_t at_b = webnn__pair_offset(&pair, shape->rank, 1);
    webnn__store(call->y, i,
                 call->node->op == WEBNN_OP_POW && !is_float
                     ? webnn__integer_pow(a, at_a, b, at_b)
                     : webnn__function_of_two(call->node->op, webnn__load(a, at_a),
                                              webnn__load(b, at_b), is_float));
  }
}

static const webnn__kernel webnn__reference_binary = {webnn__run_binary, NULL, NULL, NULL};

/* ---- 8.9.14 comparisons and logic ----------------------------------------------------------- */

static bool webnn__relation(webnn_op op, webnn__wide a, webnn__wide b) {
  const bool ordered = !webnn__wide_unordered(a, b);
  const int order = ordered ? webnn__wide_compare(a, b) : 0;
  const bool p = a.kind != WEBNN__ZERO, q = b.kind != WEBNN__ZERO; /* true, for logic */
  switch (op) {
  case WEBNN_OP_EQUAL:
    return ordered && order == 0;
  case WEBNN_OP_NOT_EQUAL:
    return !ordered || order != 0;
  case WEBNN_OP_GREATER:
    return ordered && order > 0;
  case WEBNN_OP_GREATER_OR_EQUAL:
    return ordered && order >= 0;
  case WEBNN_OP_LESSER:
    return ordered && order < 0;
  case WEBNN_OP_LESSER_OR_EQUAL:
    return ordered && order <= 0;
  case WEBNN_OP_LOGICAL_AND:
    return p && q;
  case WEBNN_OP_LOGICAL_OR:
    return p || q;
  default: /* logicalXor */
    return p != q;
  }
}

static void webnn__run_compare(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__shape *shape = &call->y->shape;
  webnn__pair pair = webnn__start_pair(&call->x[0], &call->x[1], shape, begin);
  uint64_t i;
  for (i = begin; i < end; i++, webnn__advance(shape, pair.c)) {
    const webnn__wide a = webnn__load(&call->x[0], webnn__pair_offset(&pair, shape->rank, 0));
    const webnn__wide b = webnn__load(&call->x[1], webnn__pair_offset(&pair, shape->rank, 1));
    webnn__set_bits(call->y->data, WEBNN_UINT8, i, webnn__relation(call->node->op, a, b) ? 1 : 0);
  }
}

static const webnn__kernel webnn__reference_compare = {webnn__run_compare, NULL, NULL, NULL};

/* logicalNot: x = 0; isNaN; isInfinite. */
static void webnn__run_predicate(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const uint8_t kind = call->node->op == WEBNN_OP_LOGICAL_NOT ? WEBNN__ZERO
                       : call->node->op == WEBNN_OP_IS_NAN    ? WEBNN__NAN
                                                              : WEBNN__INFINITE;
  uint64_t i;
  for (i = begin; i < end; i++) {
    webnn__set_bits(call->y->data, WEBNN_UINT8, i, webnn__load(call->x, i).kind == kind ? 1 : 0);
  }
}

static const webnn__kernel webnn__reference_predicate = {webnn__run_predicate, NULL, NULL, NULL};

/* ---- 8.9.16 dequantizeLinear, 8.9.17 quantizeLinear ----------------------------------------- */

/* Which element of scale and zeroPoint serves element i: coordinates divided by the block's
   sizes. */
static uint64_t webnn__block_of(const webnn__shape *shape, const webnn__shape *blocks, uint64_t i) {
  uint32_t c[WEBNN_MAX_RANK], d;
  uint64_t at = 0;
  webnn__coordinates(shape, i, c);
  for (d = 0; d < shape->rank; d++) {
    at = at * blocks->dimensions[d] + c[d] / (shape->dimensions[d] / blocks->dimensions[d]);
  }
  return at;
}

/* y = (x - zeroPoint) scale */
static void webnn__run_dequantize_linear(const webnn__kernel_call *call, uint64_t begin,
                                         uint64_t end) {
  uint64_t i;
  for (i = begin; i < end; i++) {
    const uint64_t block = webnn__block_of(&call->x[0].shape, &call->x[1].shape, i);
    const webnn__wide steps =
        webnn__sub(webnn__load(&call->x[0], i), webnn__load(&call->x[2], block));
    webnn__store(call->y, i, webnn__mul(steps, webnn__load(&call->x[1], block)));
  }
}

static const webnn__kernel webnn__reference_dequantize_linear = {webnn__run_dequantize_linear, NULL,
                                                                 NULL, NULL};

/* y = roundEven(x / scale) + zeroPoint, saturated */
static void webnn__run_quantize_linear(const webnn__kernel_call *call, uint64_t begin,
                                       uint64_t end) {
  uint64_t i;
  for (i = begin; i < end; i++) {
    const uint64_t block = webnn__block_of(&call->x[0].shape, &call->x[1].shape, i);
    const webnn__wide steps = webnn__wide_round_even(
        webnn__div(webnn__load(&call->x[0], i), webnn__load(&call->x[1], block)));
    webnn__store_saturated(call->y, i, webnn__add(steps, webnn__load(&call->x[2], block)));
  }
}

static const webnn__kernel webnn__reference_quantize_linear = {webnn__run_quantize_linear, NULL,
                                                               NULL, NULL};

/* ---- 8.9.19 expand, 8.9.43 reverse, 8.9.47 slice, 8.9.54 transpose -------------------------- */

/* All four are y[c] = x[start + sum of c[d] stride[d]] with strides of their own. */
static void webnn__run_strided(const webnn__kernel_call *call, int64_t start,
                               const int64_t *strides, uint64_t begin, uint64_t end) {
  const webnn__shape *shape = &call->y->shape;
  uint32_t c[WEBNN_MAX_RANK];
  uint64_t i;
  webnn__coordinates(shape, begin, c);
  for (i = begin; i < end; i++, webnn__advance(shape, c)) {
    webnn__copy_elements(call->y, i, call->x,
                         (uint64_t)(start + webnn__offset(shape->rank, c, strides)), 1);
  }
}

static uint64_t webnn__cost_8(const webnn__kernel_call *call) {
  (void)call;
  return 8;
}

/* expand: repeated dimensions do not move. */
static void webnn__run_expand(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  int64_t strides[WEBNN_MAX_RANK];
  webnn__broadcast_strides(&call->x->shape, &call->y->shape, strides);
  webnn__run_strided(call, 0, strides, begin, end);
}

/* reverse: along the axes, from the last element backwards. */
static void webnn__run_reverse(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__shape *axes = &call->attributes->axes;
  int64_t strides[WEBNN_MAX_RANK], start = 0;
  uint32_t i;
  webnn__row_major(&call->x->shape, strides);
  for (i = 0; i < axes->rank; i++) {
    const uint32_t axis = axes->dimensions[i];
    start += strides[axis] * ((int64_t)call->x->shape.dimensions[axis] - 1);
    strides[axis] = -strides[axis];
  }
  webnn__run_strided(call, start, strides, begin, end);
}

/* slice: x[starts + c strides] */
static void webnn__run_slice(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  int64_t strides[WEBNN_MAX_RANK], start = 0;
  uint32_t d;
  webnn__row_major(&call->x->shape, strides);
  for (d = 0; d < call->x->shape.rank; d++) {
    start += strides[d] * (int64_t)call->attributes->starts.dimensions[d];
    strides[d] *= (int64_t)call->attributes->strides.dimensions[d];
  }
  webnn__run_strided(call, start, strides, begin, end);
}

/* transpose: dimension j of y is dimension permutation[j] of x. */
static void webnn__run_transpose(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  int64_t own[WEBNN_MAX_RANK], strides[WEBNN_MAX_RANK];
  uint32_t d;
  webnn__row_major(&call->x->shape, own);
  for (d = 0; d < call->x->shape.rank; d++) {
    strides[d] = own[call->attributes->axes.dimensions[d]];
  }
  webnn__run_strided(call, 0, strides, begin, end);
}

static const webnn__kernel webnn__reference_expand = {webnn__run_expand, NULL, webnn__cost_8, NULL};
static const webnn__kernel webnn__reference_reverse = {webnn__run_reverse, NULL, webnn__cost_8,
                                                       NULL};
static const webnn__kernel webnn__reference_slice = {webnn__run_slice, NULL, webnn__cost_8, NULL};
static const webnn__kernel webnn__reference_transpose = {webnn__run_transpose, NULL, webnn__cost_8,
                                                         NULL};

/* ---- 8.9.20-22 gather, gatherElements, gatherND; 8.9.44-45 scatterElements, scatterND ------- */

/* Index i along a dimension of `size`: clamped to -size ... size - 1, negative ones from the
   end. */
static uint64_t webnn__index(const webnn__view *indices, uint64_t i, uint32_t size) {
  int64_t v = webnn__get_int(indices->data, indices->type, i);
  v = v < -(int64_t)size ? -(int64_t)size : v >= (int64_t)size ? (int64_t)size - 1 : v;
  return (uint64_t)(v < 0 ? v + (int64_t)size : v);
}

/* Elements of a slice: the dimensions from `first` on. */
static uint64_t webnn__slice_size(const webnn__shape *shape, uint32_t first) {
  uint64_t size = 1;
  for (; first < shape->rank; first++) {
    size *= shape->dimensions[first];
  }
  return size;
}

/* An item is a slice y[p, i] = x[p, indices[i]], p over the dimensions before the axis. */
static void webnn__run_gather(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const uint32_t axis = call->attributes->axis, size = call->x->shape.dimensions[axis];
  const uint64_t slice = webnn__slice_size(&call->x->shape, axis + 1);
  uint64_t k;
  for (k = begin; k < end; k++) {
    const uint64_t p = k / call->x[1].count, i = k % call->x[1].count;
    webnn__copy_elements(call->y, k * slice, call->x,
                         (p * size + webnn__index(&call->x[1], i, size)) * slice, slice);
  }
}

static uint64_t webnn__gather_count(const webnn__kernel_call *call) {
  return call->y->count / webnn__slice_size(&call->x->shape, call->attributes->axis + 1);
}

static uint64_t webnn__gather_cost(const webnn__kernel_call *call) {
  return 8 + webnn__slice_size(&call->x->shape, call->attributes->axis + 1) / 8;
}

static const webnn__kernel webnn__reference_gather = {webnn__run_gather, webnn__gather_count,
                                                      webnn__gather_cost, NULL};

/* Where coordinate c goes when c[axis] is replaced by indices[c]. */
static uint64_t webnn__replaced_offset(const webnn__kernel_call *call, const webnn__shape *shape,
                                       uint64_t i) {
  const uint32_t axis = call->attributes->axis;
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK];
  webnn__row_major(&call->x->shape, strides);
  webnn__coordinates(shape, i, c);
  c[axis] = (uint32_t)webnn__index(&call->x[1], i, call->x->shape.dimensions[axis]);
  return (uint64_t)webnn__offset(shape->rank, c, strides);
}

/* An item is an element: y[c] = x[c with c[axis] = indices[c]]. */
static void webnn__run_gather_elements(const webnn__kernel_call *call, uint64_t begin,
                                       uint64_t end) {
  uint64_t i;
  for (i = begin; i < end; i++) {
    webnn__copy_elements(call->y, i, call->x, webnn__replaced_offset(call, &call->y->shape, i), 1);
  }
}

static const webnn__kernel webnn__reference_gather_elements = {webnn__run_gather_elements, NULL,
                                                               webnn__cost_8, NULL};

/* The slice of x that the k-th coordinates of indices name: x[indices[k, 0], indices[k, 1],
   ...]. */
static uint64_t webnn__named_slice(const webnn__kernel_call *call, uint64_t k, uint64_t slice) {
  const webnn__shape *indices = &call->x[1].shape;
  const uint32_t length = indices->dimensions[indices->rank - 1];
  uint64_t at = 0;
  uint32_t d;
  for (d = 0; d < length; d++) {
    const uint32_t size = call->x->shape.dimensions[d];
    at = at * size + webnn__index(&call->x[1], k * length + d, size);
  }
  return at * slice;
}

/* Elements of the slices that gatherND and scatterND move, and how many slices there are. */
static uint64_t webnn__named_slice_size(const webnn__kernel_call *call) {
  const webnn__shape *indices = &call->x[1].shape;
  return webnn__slice_size(&call->x->shape, indices->dimensions[indices->rank - 1]);
}

static uint64_t webnn__named_slice_count(const webnn__kernel_call *call) {
  const webnn__shape *indices = &call->x[1].shape;
  return call->x[1].count / indices->dimensions[indices->rank - 1];
}

/* An item is a slice of y. */
static void webnn__run_gather_nd(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const uint64_t slice = webnn__named_slice_size(call);
  uint64_t k;
  for (k = begin; k < end; k++) {
    webnn__copy_elements(call->y, k * slice, call->x, webnn__named_slice(call, k, slice), slice);
  }
}

static const webnn__kernel webnn__reference_gather_nd = {
    webnn__run_gather_nd, webnn__named_slice_count, webnn__cost_8, NULL};

/* There is one item, the whole, because later updates win over earlier ones. */
static uint64_t webnn__one_item(const webnn__kernel_call *call) {
  (void)call;
  return 1;
}

/* y = x, then y[c with c[axis] = indices[c]] = updates[c], in order. */
static void webnn__run_scatter_elements(const webnn__kernel_call *call, uint64_t begin,
                                        uint64_t end) {
  uint64_t i;
  (void)begin;
  (void)end;
  webnn__copy_elements(call->y, 0, call->x, 0, call->y->count);
  for (i = 0; i < call->x[2].count; i++) {
    webnn__copy_elements(call->y, webnn__replaced_offset(call, &call->x[1].shape, i), &call->x[2],
                         i, 1);
  }
}

/* y = x, then the named slices of y are those of updates, in order. */
static void webnn__run_scatter_nd(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const uint64_t slice = webnn__named_slice_size(call), count = webnn__named_slice_count(call);
  uint64_t k;
  (void)begin;
  (void)end;
  webnn__copy_elements(call->y, 0, call->x, 0, call->y->count);
  for (k = 0; k < count; k++) {
    webnn__copy_elements(call->y, webnn__named_slice(call, k, slice), &call->x[2], k * slice,
                         slice);
  }
}

static const webnn__kernel webnn__reference_scatter_elements = {webnn__run_scatter_elements,
                                                                webnn__one_item, NULL, NULL};
static const webnn__kernel webnn__reference_scatter_nd = {webnn__run_scatter_nd, webnn__one_item,
                                                          NULL, NULL};

/* ---- 8.9.24 gemm, 8.9.35 matmul ------------------------------------------------------------- */

/* sum over k of a[at_a + k step_a] b[at_b + k step_b], exactly, on top of what is in the sum. */
static void webnn__add_dot(webnn__accumulator *sum, const webnn__view *a, uint64_t at_a,
                           uint64_t step_a, const webnn__view *b, uint64_t at_b, uint64_t step_b,
                           uint64_t count) {
  for (; count > 0; count--, at_a += step_a, at_b += step_b) {
    webnn__add_product(sum, webnn__float32_bits(a, at_a), webnn__float32_bits(b, at_b));
  }
}

/* alpha (a b) + beta c, from the exact sum of the products. Big numbers decide what is in doubt:
   the digits lie between 2^-447 and 2^416. */
static webnn__wide webnn__gemm_result(const webnn__view *y, const webnn__accumulator *sum,
                                      webnn__wide alpha, webnn__wide beta, webnn__wide c) {
  const webnn__wide result = webnn__add(webnn__mul(alpha, webnn__total(sum)), webnn__mul(beta, c));
  webnn__big product, addend, factor;
  if (!webnn__in_doubt(y, result)) {
    return result;
  }
  product = webnn__big_from_sum(&sum->exact);
  factor = webnn__big_from_wide(alpha);
  product = webnn__big_mul(&product, &factor);
  addend = webnn__big_from_wide(webnn__wide_mul(beta, c));
  product = webnn__big_add(&product, &addend);
  return webnn__big_to_wide(&product);
}

/* An item is an element: y[m, n] = alpha sum over k of a[m, k] b[k, n] + beta c[m, n]. With alpha 1
   all of it is one exact sum. */
static void webnn__run_gemm(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__attributes *t = call->attributes;
  const webnn__view *a = &call->x[0], *b = &call->x[1], *c = &call->x[2];
  const uint64_t columns_a = a->shape.dimensions[1], columns_b = b->shape.dimensions[1];
  const uint64_t depth = t->a_transpose ? a->shape.dimensions[0] : columns_a;
  const webnn__wide alpha = webnn__wide_of(t->alpha, a->type),
                    beta =
                        c->data != NULL ? webnn__wide_of(t->beta, a->type) : webnn__wide_small(1);
  const webnn__wide one = webnn__wide_small(1);
  int64_t strides[WEBNN_MAX_RANK] = {0};
  uint64_t i;
  if (c->data != NULL) {
    webnn__broadcast_strides(&c->shape, &call->y->shape, strides);
  }
  for (i = begin; i < end; i++) {
    const uint64_t m = i / call->y->shape.dimensions[1], n = i % call->y->shape.dimensions[1];
    webnn__wide addend = webnn__wide_zero(true);
    webnn__accumulator sum;
    webnn__start_sum(&sum, a);
    webnn__add_dot(&sum, a, t->a_transpose ? m : m * columns_a, t->a_transpose ? columns_a : 1, b,
                   t->b_transpose ? n * columns_b : n, t->b_transpose ? 1 : columns_b, depth);
    if (c->data != NULL) {
      addend = webnn__load(c, (uint64_t)((int64_t)m * strides[0] + (int64_t)n * strides[1]));
    }
    if (webnn__wide_compare(alpha, one) == 0) {
      webnn__add_term(&sum, webnn__mul(beta, addend));
      webnn__store(call->y, i, webnn__total(&sum));
    } else {
      webnn__store(call->y, i, webnn__gemm_result(call->y, &sum, alpha, beta, addend));
    }
  }
}

static uint64_t webnn__gemm_cost(const webnn__kernel_call *call) {
  return 100 + 6 * (uint64_t)call->x->shape.dimensions[call->attributes->a_transpose ? 0 : 1];
}

static const webnn__kernel webnn__reference_gemm = {webnn__run_gemm, NULL, webnn__gemm_cost, NULL};

/* An item is an element: y[..., m, n] = sum over k of a[..., m, k] b[..., k, n]. */
static void webnn__run_matmul(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__view *a = &call->x[0], *b = &call->x[1];
  const uint32_t rank = call->y->shape.rank;
  const uint64_t depth = a->shape.dimensions[a->shape.rank - 1];
  const uint64_t columns = b->shape.dimensions[b->shape.rank - 1];
  int64_t strides_a[WEBNN_MAX_RANK], strides_b[WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK];
  uint64_t i;
  /* The last two dimensions are not broadcast: they are given their strides below. */
  webnn__shape batch = call->y->shape;
  batch.dimensions[rank - 2] = a->shape.dimensions[a->shape.rank - 2];
  batch.dimensions[rank - 1] = (uint32_t)depth;
  webnn__broadcast_strides(&a->shape, &batch, strides_a);
  batch.dimensions[rank - 2] = (uint32_t)depth;
  batch.dimensions[rank - 1] = (uint32_t)columns;
  webnn__broadcast_strides(&b->shape, &batch, strides_b);
  strides_a[rank - 2] = (int64_t)depth;
  strides_a[rank - 1] = 0;
  strides_b[rank - 2] = 0;
  strides_b[rank - 1] = 1;
  webnn__coordinates(&call->y->shape, begin, c);
  for (i = begin; i < end; i++, webnn__advance(&call->y->shape, c)) {
    webnn__accumulator sum;
    webnn__start_sum(&sum, a);
    webnn__add_dot(&sum, a, (uint64_t)webnn__offset(rank, c, strides_a), 1, b,
                   (uint64_t)webnn__offset(rank, c, strides_b), columns, depth);
    webnn__store(call->y, i, webnn__total(&sum));
  }
}

static uint64_t webnn__matmul_cost(const webnn__kernel_call *call) {
  return 100 + 6 * (uint64_t)call->x->shape.dimensions[call->x->shape.rank - 1];
}

static const webnn__kernel webnn__reference_matmul = {webnn__run_matmul, NULL, webnn__matmul_cost,
                                                      NULL};

/* ---- 8.9.25-26 gru, gruCell; 8.9.33-34 lstm, lstmCell --------------------------------------- */

/* A recurrent network of any of the four operators; the cells are one step in one direction. */
typedef struct webnn__network {
  const webnn__kernel_call *call;
  const webnn__view *x, *weight, *recurrent_weight, *bias, *recurrent_bias, *peephole;
  const webnn__view *initial_hidden, *initial_cell;
  const webnn__view *sequence; /* NULL if not asked for */
  uint32_t gates, steps, directions, batch, inputs, hidden;
} webnn__network;

static webnn__network webnn__network_of(const webnn__kernel_call *call) {
  const webnn_op op = call->node->op;
  const bool lstm = op == WEBNN_OP_LSTM || op == WEBNN_OP_LSTM_CELL;
  const bool cell = op == WEBNN_OP_GRU_CELL || op == WEBNN_OP_LSTM_CELL;
  const webnn__view *x = call->x;
  const uint32_t states = lstm ? 2 : 1;
  webnn__network net;
  memset(&net, 0, sizeof net);
  net.call = call;
  net.gates = lstm ? 4 : 3;
  net.x = &x[0];
  net.weight = &x[1];
  net.recurrent_weight = &x[2];
  net.bias = &x[cell ? 3 + states : 3];
  net.recurrent_bias = net.bias + 1;
  net.peephole = lstm ? net.bias + 2 : NULL;
  net.initial_hidden = &x[cell ? 3 : lstm ? 6 : 5];
  net.initial_cell = lstm ? net.initial_hidden + 1 : NULL;
  net.sequence = call->attributes->return_sequence ? &call->y[states] : NULL;
  net.hidden = call->attributes->hidden_size;
  net.steps = cell ? 1 : x->shape.dimensions[0];
  net.directions = cell ? 1 : net.weight->shape.dimensions[0];
  net.batch = x->shape.dimensions[cell ? 0 : 1];
  net.inputs = x->shape.dimensions[cell ? 1 : 2];
  return net;
}

/* What one direction and batch entry needs: old and new hidden state, old and new cell state, as
   stored elements, and a wide number for each hidden unit. */
static uint64_t webnn__network_slot(const webnn__network *net) {
  const uint64_t states = 4 * (uint64_t)net->hidden * sizeof(uint32_t);
  return (states + net->hidden * sizeof(webnn__wide) + WEBNN__ALIGNMENT - 1) / WEBNN__ALIGNMENT *
         WEBNN__ALIGNMENT;
}

static uint64_t webnn__recurrent_items(const webnn__kernel_call *call) {
  const webnn__network net = webnn__network_of(call);
  return (uint64_t)net.directions * net.batch;
}

static uint64_t webnn__recurrent_scratch(const webnn__kernel_call *call) {
  const webnn__network net = webnn__network_of(call);
  return webnn__recurrent_items(call) * webnn__network_slot(&net);
}

static uint64_t webnn__recurrent_cost(const webnn__kernel_call *call) {
  const webnn__network net = webnn__network_of(call);
  return (uint64_t)net.steps * net.gates * net.hidden *
         (1500 + 6 * ((uint64_t)net.inputs + net.hidden));
}

static webnn__wide webnn__activation(const webnn__network *net, uint32_t which, webnn__wide x) {
  switch (net->call->attributes->activations[which]) {
  case WEBNN_RELU:
    return webnn__wide_max(webnn__wide_zero(false), x);
  case WEBNN_SIGMOID:
    return webnn__sigmoid(x);
  default:
    return webnn__tanh(x);
  }
}

/* Where in one step of one sequence the work is: row of x, direction, and the states. */
typedef struct webnn__step_state {
  uint64_t at_x; /* first element of this step's input */
  uint32_t direction;
  webnn__view h, c, new_h, new_c; /* [hidden] each */
  webnn__wide *reset;             /* gru: the reset gate */
} webnn__step_state;

/* The terms of the exact sum that make a gate's argument, for gate block q and hidden unit k. */
enum {
  WEBNN__INPUT_TERMS = 1,
  WEBNN__RECURRENT_TERMS = 2,
  WEBNN__RECURRENT_BIAS = 4,
  WEBNN__ALL_TERMS = 7
};

/* b_q + x W_q^T, then h R_q^T, then rb_q, as chosen. */
static void webnn__gate_sum(const webnn__network *net, const webnn__step_state *s, uint32_t q,
                            uint32_t k, int terms, webnn__accumulator *sum) {
  const uint64_t row = ((uint64_t)s->direction * net->gates + q) * net->hidden + k;
  webnn__start_sum(sum, net->x);
  if ((terms & WEBNN__INPUT_TERMS) != 0) {
    if (net->bias->data != NULL) {
      webnn__add_element(sum, webnn__float32_bits(net->bias, row));
    }
    webnn__add_dot(sum, net->x, s->at_x, 1, net->weight, row * net->inputs, 1, net->inputs);
  }
  if ((terms & WEBNN__RECURRENT_TERMS) != 0) {
    webnn__add_dot(sum, &s->h, 0, 1, net->recurrent_weight, row * net->hidden, 1, net->hidden);
  }
  if ((terms & WEBNN__RECURRENT_BIAS) != 0 && net->recurrent_bias->data != NULL) {
    webnn__add_element(sum, webnn__float32_bits(net->recurrent_bias, row));
  }
}

static webnn__wide webnn__gate(const webnn__network *net, const webnn__step_state *s, uint32_t q,
                               uint32_t k, int terms) {
  webnn__accumulator sum;
  webnn__gate_sum(net, s, q, k, terms, &sum);
  return webnn__total(&sum);
}

/* The same for what is in doubt: a finite number, or an infinity of this sign. *special is set
   where there is neither. */
typedef struct webnn__long_argument {
  webnn__big value;
  int infinite;
} webnn__long_argument;

static webnn__long_argument webnn__long_gate(const webnn__network *net, const webnn__step_state *s,
                                             uint32_t q, uint32_t k, int terms, bool *special) {
  webnn__accumulator sum;
  webnn__long_argument x;
  webnn__gate_sum(net, s, q, k, terms, &sum);
  *special = *special || sum.exact.has_nan != 0 || sum.exact.has_infinity == 3;
  x.infinite = sum.exact.has_infinity == 1 ? 1 : sum.exact.has_infinity == 2 ? -1 : 0;
  x.value = webnn__big_from_sum(&sum.exact);
  return x;
}

/* A sum's term that must be finite. */
static webnn__big webnn__long_finite(webnn__long_argument x, bool *special) {
  *special = *special || x.infinite != 0;
  return x.value;
}

static webnn__big webnn__long_activation(const webnn__network *net, uint32_t which,
                                         webnn__long_argument x, bool *special) {
  const uint32_t activation = net->call->attributes->activations[which];
  if (x.infinite != 0) {
    *special = *special || (activation == WEBNN_RELU && x.infinite > 0);
    return webnn__big_small(x.infinite > 0 ? 1 : activation == WEBNN_TANH ? -1 : 0);
  }
  switch (activation) {
  case WEBNN_RELU:
    return x.value.negative ? webnn__big_small(0) : x.value;
  case WEBNN_SIGMOID:
    return webnn__long_sigmoid(x.value);
  default:
    return webnn__long_tanh(x.value);
  }
}

/* 1 - activation(x): 1 - sigmoid(x) = sigmoid(-x) and 1 - tanh(x) = 2 sigmoid(-2x) lose nothing. */
static webnn__big webnn__long_complement(const webnn__network *net, webnn__long_argument x,
                                         bool *special) {
  const uint32_t activation = net->call->attributes->activations[0];
  const webnn__big minus = webnn__big_neg(x.value);
  webnn__big y;
  if (x.infinite != 0 || activation == WEBNN_RELU) {
    y = webnn__long_activation(net, 0, x, special);
    return webnn__long_add(webnn__big_small(1), webnn__big_neg(y));
  }
  if (activation == WEBNN_SIGMOID) {
    return webnn__long_sigmoid(minus);
  }
  y = webnn__long_sigmoid(webnn__long_add(minus, minus));
  return webnn__long_add(y, y);
}

/* a b + c d */
static webnn__big webnn__long_products(const webnn__big *a, const webnn__big *b,
                                       const webnn__big *c, const webnn__big *d) {
  return webnn__long_add(webnn__long_mul(a, b), webnn__long_mul(c, d));
}

/* Stores a new state; one in doubt is what `exactly` makes of it, unless that meets infinities. */
typedef webnn__big (*webnn__long_state)(const webnn__network *net, const webnn__step_state *s,
                                        uint32_t k, bool *special);

static void webnn__store_state(const webnn__network *net, const webnn__step_state *s,
                               const webnn__view *state, uint32_t k, webnn__wide value,
                               webnn__long_state exactly) {
  if (webnn__in_doubt(state, value)) {
    bool special = false;
    const webnn__big y = exactly(net, s, k, &special);
    value = special ? value : webnn__big_to_wide(&y);
  }
  webnn__store(state, k, value);
}

/* gru's candidate: reset after  n = g(b + x W^T + r (rb + h R^T))
                    reset before n = g(b + rb + x W^T + (r h) R^T) */
static webnn__wide webnn__gru_candidate(const webnn__network *net, const webnn__step_state *s,
                                        uint32_t k) {
  webnn__wide n;
  if (net->call->attributes->reset_after) {
    n = webnn__add(
        webnn__gate(net, s, 2, k, WEBNN__INPUT_TERMS),
        webnn__mul(s->reset[k],
                   webnn__gate(net, s, 2, k, WEBNN__RECURRENT_TERMS | WEBNN__RECURRENT_BIAS)));
  } else {
    const uint64_t row =
        (((uint64_t)s->direction * net->gates + 2) * net->hidden + k) * net->hidden;
    webnn__accumulator sum;
    uint32_t j;
    webnn__start_sum(&sum, net->x);
    webnn__add_loose(&sum, webnn__gate(net, s, 2, k, WEBNN__INPUT_TERMS | WEBNN__RECURRENT_BIAS));
    for (j = 0; j < net->hidden; j++) {
      webnn__add_loose(&sum, webnn__mul(webnn__mul(s->reset[j], webnn__load(&s->h, j)),
                                        webnn__load(net->recurrent_weight, row + j)));
    }
    n = webnn__total(&sum);
  }
  return webnn__activation(net, 1, n);
}

/* The reset gate of hidden unit k. */
static webnn__big webnn__long_reset(const webnn__network *net, const webnn__step_state *s,
                                    uint32_t k, bool *special) {
  const uint32_t r = net->call->attributes->gate_layout == WEBNN_ZRN ? 1 : 0;
  return webnn__long_activation(net, 0, webnn__long_gate(net, s, r, k, WEBNN__ALL_TERMS, special),
                                special);
}

static webnn__big webnn__long_candidate(const webnn__network *net, const webnn__step_state *s,
                                        uint32_t k, bool *special) {
  webnn__long_argument n;
  webnn__big product, reset;
  if (net->call->attributes->reset_after) {
    const int terms = WEBNN__RECURRENT_TERMS | WEBNN__RECURRENT_BIAS;
    n = webnn__long_gate(net, s, 2, k, WEBNN__INPUT_TERMS, special);
    product = webnn__long_finite(webnn__long_gate(net, s, 2, k, terms, special), special);
    reset = webnn__long_reset(net, s, k, special);
    product = webnn__long_mul(&reset, &product);
    n.value = webnn__long_add(n.value, product);
  } else {
    const uint64_t row =
        (((uint64_t)s->direction * net->gates + 2) * net->hidden + k) * net->hidden;
    uint32_t j;
    n = webnn__long_gate(net, s, 2, k, WEBNN__INPUT_TERMS | WEBNN__RECURRENT_BIAS, special);
    for (j = 0; j < net->hidden; j++) {
      const webnn__wide term =
          webnn__wide_mul(webnn__load(&s->h, j), webnn__load(net->recurrent_weight, row + j));
      *special = *special || term.kind == WEBNN__NAN || term.kind == WEBNN__INFINITE;
      product = webnn__big_from_wide(term);
      reset = webnn__long_reset(net, s, j, special);
      product = webnn__long_mul(&reset, &product);
      n.value = webnn__long_add(n.value, product);
    }
  }
  return webnn__long_activation(net, 1, n, special);
}

static webnn__big webnn__long_gru_state(const webnn__network *net, const webnn__step_state *s,
                                        uint32_t k, bool *special) {
  const uint32_t z = net->call->attributes->gate_layout == WEBNN_ZRN ? 0 : 1;
  const webnn__long_argument x = webnn__long_gate(net, s, z, k, WEBNN__ALL_TERMS, special);
  const webnn__big update = webnn__long_activation(net, 0, x, special);
  const webnn__big rest = webnn__long_complement(net, x, special);
  const webnn__big n = webnn__long_candidate(net, s, k, special);
  const webnn__big h = webnn__big_from_wide(webnn__load(&s->h, k));
  return webnn__long_products(&update, &h, &rest, &n);
}

/* z = f(...), r = f(...), h' = z h + (1 - z) n */
static void webnn__gru_step(const webnn__network *net, const webnn__step_state *s) {
  const uint32_t z = net->call->attributes->gate_layout == WEBNN_ZRN ? 0 : 1, r = 1 - z;
  uint32_t k;
  for (k = 0; k < net->hidden; k++) {
    s->reset[k] = webnn__activation(net, 0, webnn__gate(net, s, r, k, WEBNN__ALL_TERMS));
  }
  for (k = 0; k < net->hidden; k++) {
    const webnn__wide update =
        webnn__activation(net, 0, webnn__gate(net, s, z, k, WEBNN__ALL_TERMS));
    const webnn__wide n = webnn__gru_candidate(net, s, k);
    webnn__store_state(net, s, &s->new_h, k,
                       webnn__add(webnn__mul(update, webnn__load(&s->h, k)),
                                  webnn__mul(webnn__sub(webnn__wide_small(1), update), n)),
                       webnn__long_gru_state);
  }
}

/* A gate of lstm: activation of pre_q + p_q c, with the old cell state. Peephole blocks are i, o,
 * f. */
static webnn__wide webnn__lstm_gate(const webnn__network *net, const webnn__step_state *s,
                                    uint32_t q, uint32_t peephole, uint32_t k) {
  webnn__wide gate = webnn__gate(net, s, q, k, WEBNN__ALL_TERMS);
  if (net->peephole->data != NULL) {
    const uint64_t at = ((uint64_t)s->direction * 3 + peephole) * net->hidden + k;
    gate = webnn__add(gate, webnn__mul(webnn__load(net->peephole, at), webnn__load(&s->c, k)));
  }
  return webnn__activation(net, 0, gate);
}

static webnn__big webnn__long_lstm_gate(const webnn__network *net, const webnn__step_state *s,
                                        uint32_t q, uint32_t peephole, uint32_t k, bool *special) {
  webnn__long_argument gate = webnn__long_gate(net, s, q, k, WEBNN__ALL_TERMS, special);
  if (net->peephole->data != NULL) {
    const uint64_t at = ((uint64_t)s->direction * 3 + peephole) * net->hidden + k;
    const webnn__wide term = webnn__wide_mul(webnn__load(net->peephole, at), webnn__load(&s->c, k));
    *special = *special || term.kind == WEBNN__NAN || term.kind == WEBNN__INFINITE;
    gate.value = webnn__long_add(gate.value, webnn__big_from_wide(term));
  }
  return webnn__long_activation(net, 0, gate, special);
}

/* Gate blocks i, o, f, g of the two layouts. */
static const uint32_t webnn__lstm_blocks[2][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}};

static webnn__big webnn__long_lstm_cell(const webnn__network *net, const webnn__step_state *s,
                                        uint32_t k, bool *special) {
  const uint32_t *block = webnn__lstm_blocks[net->call->attributes->gate_layout];
  const webnn__big i = webnn__long_lstm_gate(net, s, block[0], 0, k, special);
  const webnn__big f = webnn__long_lstm_gate(net, s, block[2], 2, k, special);
  const webnn__big g = webnn__long_activation(
      net, 1, webnn__long_gate(net, s, block[3], k, WEBNN__ALL_TERMS, special), special);
  const webnn__big c = webnn__big_from_wide(webnn__load(&s->c, k));
  return webnn__long_products(&f, &c, &i, &g);
}

static webnn__big webnn__long_lstm_hidden(const webnn__network *net, const webnn__step_state *s,
                                          uint32_t k, bool *special) {
  const uint32_t *block = webnn__lstm_blocks[net->call->attributes->gate_layout];
  const webnn__big o = webnn__long_lstm_gate(net, s, block[1], 1, k, special);
  webnn__long_argument cell;
  webnn__big c;
  cell.infinite = 0;
  cell.value = webnn__long_lstm_cell(net, s, k, special);
  c = webnn__long_activation(net, 2, cell, special);
  return webnn__long_mul(&o, &c);
}

/* i, f, o gates; g = A1(pre_g); c' = f c + i g; h' = o A2(c'), with c' before it is rounded. */
static void webnn__lstm_step(const webnn__network *net, const webnn__step_state *s) {
  const uint32_t *block = webnn__lstm_blocks[net->call->attributes->gate_layout];
  uint32_t k;
  for (k = 0; k < net->hidden; k++) {
    const webnn__wide i = webnn__lstm_gate(net, s, block[0], 0, k);
    const webnn__wide o = webnn__lstm_gate(net, s, block[1], 1, k);
    const webnn__wide f = webnn__lstm_gate(net, s, block[2], 2, k);
    const webnn__wide g =
        webnn__activation(net, 1, webnn__gate(net, s, block[3], k, WEBNN__ALL_TERMS));
    const webnn__wide c = webnn__add(webnn__mul(f, webnn__load(&s->c, k)), webnn__mul(i, g));
    webnn__store_state(net, s, &s->new_c, k, c, webnn__long_lstm_cell);
    webnn__store_state(net, s, &s->new_h, k, webnn__mul(o, webnn__activation(net, 2, c)),
                       webnn__long_lstm_hidden);
  }
}

/* The state of direction d and batch entry b at the beginning: given, or 0. */
static void webnn__initial_state(const webnn__network *net, const webnn__view *initial,
                                 uint64_t entry, webnn__view *state) {
  if (initial != NULL && initial->data != NULL) {
    webnn__copy_elements(state, 0, initial, entry * net->hidden, net->hidden);
  } else {
    memset(state->data, 0, net->hidden * sizeof(uint32_t));
  }
}

static void webnn__swap_views(webnn__view *a, webnn__view *b) {
  const webnn__view other = *a;
  *a = *b;
  *b = other;
}

/* All steps of one direction and batch entry. Input time t goes to sequence index t, also
   backward. */
static void webnn__run_sequence(const webnn__network *net, uint64_t entry) {
  char *slot = (char *)net->call->scratch + entry * webnn__network_slot(net);
  const uint32_t direction = (uint32_t)(entry / net->batch), b = (uint32_t)(entry % net->batch);
  const bool backward = direction == 1 || net->call->attributes->direction == WEBNN_BACKWARD;
  const uint64_t state_bytes = net->hidden * sizeof(uint32_t);
  webnn__step_state s;
  uint32_t step;
  s.direction = direction;
  s.reset = (webnn__wide *)(void *)slot;
  s.h = s.c = s.new_h = s.new_c = *net->x;
  s.h.data = slot + net->hidden * sizeof(webnn__wide);
  s.c.data = (char *)s.h.data + state_bytes;
  s.new_h.data = (char *)s.h.data + 2 * state_bytes;
  s.new_c.data = (char *)s.h.data + 3 * state_bytes;
  webnn__initial_state(net, net->initial_hidden, entry, &s.h);
  webnn__initial_state(net, net->initial_cell, entry, &s.c);
  for (step = 0; step < net->steps; step++) {
    const uint32_t t = backward ? net->steps - 1 - step : step;
    s.at_x = ((uint64_t)t * net->batch + b) * net->inputs;
    if (net->gates == 4) {
      webnn__lstm_step(net, &s);
    } else {
      webnn__gru_step(net, &s);
    }
    webnn__swap_views(&s.h, &s.new_h);
    webnn__swap_views(&s.c, &s.new_c);
    if (net->sequence != NULL) {
      const uint64_t at =
          (((uint64_t)t * net->directions + direction) * net->batch + b) * net->hidden;
      webnn__copy_elements(net->sequence, at, &s.h, 0, net->hidden);
    }
  }
  webnn__copy_elements(&net->call->y[0], entry * net->hidden, &s.h, 0, net->hidden);
  if (net->gates == 4) {
    webnn__copy_elements(&net->call->y[1], entry * net->hidden, &s.c, 0, net->hidden);
  }
}

/* An item is a direction and batch entry. */
static void webnn__run_recurrent(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__network net = webnn__network_of(call);
  for (; begin < end; begin++) {
    webnn__run_sequence(&net, begin);
  }
}

static const webnn__kernel webnn__reference_gru = {webnn__run_recurrent, webnn__recurrent_items,
                                                   webnn__recurrent_cost, webnn__recurrent_scratch};
static const webnn__kernel webnn__reference_gru_cell = {
    webnn__run_recurrent, webnn__recurrent_items, webnn__recurrent_cost, webnn__recurrent_scratch};
static const webnn__kernel webnn__reference_lstm = {
    webnn__run_recurrent, webnn__recurrent_items, webnn__recurrent_cost, webnn__recurrent_scratch};
static const webnn__kernel webnn__reference_lstm_cell = {
    webnn__run_recurrent, webnn__recurrent_items, webnn__recurrent_cost, webnn__recurrent_scratch};

/* ---- 8.9.36 pad ----------------------------------------------------------------------------- */

/* The coordinate of x that coordinate k (from the beginning of x) of a size reads; -1: the
   value. */
static int64_t webnn__padded_coordinate(uint32_t mode, int64_t k, int64_t size) {
  if (k >= 0 && k < size) {
    return k;
  }
  switch (mode) {
  case WEBNN_EDGE:
    return k < 0 ? 0 : size - 1;
  case WEBNN_REFLECTION: /* ... 2 1 | 0 1 2 | 1 0 ... */
    return k < 0 ? -k : 2 * (size - 1) - k;
  case WEBNN_SYMMETRIC: /* ... 1 0 | 0 1 2 | 2 1 ... */
    return k < 0 ? -k - 1 : 2 * size - 1 - k;
  default:
    return -1;
  }
}

/* An item is an element. */
static void webnn__run_pad(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__attributes *t = call->attributes;
  const webnn__shape *shape = &call->y->shape;
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK], d;
  uint64_t i;
  webnn__row_major(&call->x->shape, strides);
  webnn__coordinates(shape, begin, c);
  for (i = begin; i < end; i++, webnn__advance(shape, c)) {
    int64_t at = 0;
    for (d = 0; d < shape->rank && at >= 0; d++) {
      const int64_t k = webnn__padded_coordinate(t->mode, (int64_t)c[d] - t->starts.dimensions[d],
                                                 (int64_t)call->x->shape.dimensions[d]);
      at = k < 0 ? -1 : at + k * strides[d];
    }
    if (at >= 0) {
      webnn__copy_elements(call->y, i, call->x, (uint64_t)at, 1);
    } else {
      webnn__set_bits(call->y->data, call->y->type, i, t->alpha);
    }
  }
}

static const webnn__kernel webnn__reference_pad = {webnn__run_pad, NULL, webnn__cost_8, NULL};

/* ---- 8.9.37 averagePool2d, l2Pool2d, maxPool2d ---------------------------------------------- */

/* The smallest value of a type: the maximum of nothing. */
static webnn__wide webnn__lowest(webnn_data_type type) {
  const webnn__type_info *info = webnn__type(type);
  if (info->exponent_bits > 0) {
    return webnn__wide_infinity(true);
  }
  return info->is_signed ? webnn__wide_of((uint64_t)1 << (info->bits - 1), type)
                         : webnn__wide_zero(false);
}

/* One element over the positions S of its window that lie inside x:
   average sum x / |S|, l2 sqrt(sum x^2), max. Of no position: 0, 0, the smallest value. */
static webnn__wide webnn__pool2d_element(const webnn__kernel_call *call, const webnn__axes4 *x,
                                         const uint32_t *y) {
  const webnn__attributes *t = call->attributes;
  const webnn_op op = call->node->op;
  webnn__wide highest = webnn__lowest(call->x->type);
  webnn__accumulator sum;
  const int64_t top = webnn__window_start(t, 0, y[2]), left = webnn__window_start(t, 1, y[3]);
  uint64_t count;
  uint32_t a, b, first[2], last[2];
  webnn__taps_inside(top, t->dilations.dimensions[0], t->window.dimensions[0], x->size[2],
                     &first[0], &last[0]);
  webnn__taps_inside(left, t->dilations.dimensions[1], t->window.dimensions[1], x->size[3],
                     &first[1], &last[1]);
  count = (uint64_t)(last[0] - first[0]) * (last[1] - first[1]);
  webnn__start_sum(&sum, call->x);
  for (a = first[0]; a < last[0]; a++) {
    for (b = first[1]; b < last[1]; b++) {
      const uint64_t row = (uint64_t)(top + (int64_t)a * t->dilations.dimensions[0]);
      const uint64_t column = (uint64_t)(left + (int64_t)b * t->dilations.dimensions[1]);
      const uint64_t at =
          y[0] * x->stride[0] + y[1] * x->stride[1] + row * x->stride[2] + column * x->stride[3];
      if (op == WEBNN_OP_MAX_POOL2D) {
        highest = webnn__wide_max(highest, webnn__load(call->x, at));
      } else {
        const uint32_t bits = webnn__float32_bits(call->x, at);
        webnn__add_product(&sum, bits, op == WEBNN_OP_L2_POOL2D ? bits : 0x3f800000u);
      }
    }
  }
  if (op == WEBNN_OP_MAX_POOL2D) {
    return highest;
  }
  return op == WEBNN_OP_L2_POOL2D
             ? webnn__root_of_total(webnn__total(&sum))
             : webnn__total_over(webnn__total(&sum), webnn__wide_from_u64(count > 0 ? count : 1));
}

/* An item is an element. */
static void webnn__run_pool2d(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const uint8_t *axes = webnn__input_axes[call->attributes->input_layout];
  const webnn__axes4 x = webnn__axes_of(call->x, axes);
  uint32_t c[4];
  uint64_t i;
  for (i = begin; i < end; i++) {
    webnn__image_coordinates(call->y, axes, i, c);
    webnn__store(call->y, i, webnn__pool2d_element(call, &x, c));
  }
}

static uint64_t webnn__pool2d_cost(const webnn__kernel_call *call) {
  const webnn__shape *window = &call->attributes->window;
  return 100 + 10 * (uint64_t)window->dimensions[0] * window->dimensions[1];
}

static const webnn__kernel webnn__reference_pool2d = {webnn__run_pool2d, NULL, webnn__pool2d_cost,
                                                      NULL};

/* ---- 8.9.39 reductions ---------------------------------------------------------------------- */

/* Integers: sum x, sum |x|, sum x^2, product x, all modulo 2^64; the low bits are kept. */
static uint64_t webnn__reduce_integers(const webnn__kernel_call *call, const webnn__groups *groups,
                                       uint64_t start) {
  const webnn_op op = call->node->op;
  uint64_t result = op == WEBNN_OP_REDUCE_PRODUCT ? 1 : 0, j;
  for (j = 0; j < groups->size; j++) {
    const int64_t value =
        webnn__get_int(call->x->data, call->x->type, start + webnn__group_element(groups, j));
    const uint64_t x = (uint64_t)value;
    if (op == WEBNN_OP_REDUCE_PRODUCT) {
      result *= x;
    } else if (op == WEBNN_OP_REDUCE_SUM_SQUARE) {
      result += x * x;
    } else if (op == WEBNN_OP_REDUCE_L1 && webnn__type(call->x->type)->is_signed && value < 0) {
      result += 0 - x;
    } else {
      result += x;
    }
  }
  return result;
}

/* max, min and product, which go from element to element. */
static webnn__wide webnn__reduce_in_turn(const webnn__kernel_call *call,
                                         const webnn__groups *groups, uint64_t start) {
  webnn__wide result = webnn__load(call->x, start);
  uint64_t j;
  for (j = 1; j < groups->size; j++) {
    const webnn__wide x = webnn__load(call->x, start + webnn__group_element(groups, j));
    switch (call->node->op) {
    case WEBNN_OP_REDUCE_MIN:
      result = webnn__wide_min(result, x);
      break;
    case WEBNN_OP_REDUCE_PRODUCT:
      result = webnn__mul(result, x);
      break;
    default: /* reduceMax, and the largest of reduceLogSumExp */
      result = webnn__wide_max(result, x);
    }
  }
  return result;
}

/* The product of a group as a long number. */
static webnn__wide webnn__long_product(const webnn__kernel_call *call, const webnn__groups *groups,
                                       uint64_t start) {
  webnn__big product = webnn__big_from_wide(webnn__load(call->x, start));
  uint64_t j;
  for (j = 1; j < groups->size; j++) {
    const webnn__big x =
        webnn__big_from_wide(webnn__load(call->x, start + webnn__group_element(groups, j)));
    product = webnn__long_mul(&product, &x);
  }
  return webnn__big_to_wide(&product);
}

static webnn__wide webnn__product(const webnn__kernel_call *call, const webnn__groups *groups,
                                  uint64_t start) {
  const webnn__wide product = webnn__reduce_in_turn(call, groups, start);
  return webnn__in_doubt(call->y, product) ? webnn__long_product(call, groups, start) : product;
}

/* ln sum e^x = m + ln sum e^(x - m), m the largest x. The first term with x = m is 1; adding it to
   the others could lose them, so ln(1 + the others) it is, unless another arithmetic is asked for.
 */
static webnn__wide webnn__log_sum_exp(const webnn__kernel_call *call, const webnn__groups *groups,
                                      uint64_t start) {
  const webnn__wide largest = webnn__reduce_in_turn(call, groups, start);
  bool leave_out = call->x->arithmetic == NULL;
  webnn__accumulator sum;
  uint64_t j;
  if (largest.kind == WEBNN__INFINITE || largest.kind == WEBNN__NAN) {
    return largest;
  }
  webnn__start_sum(&sum, call->x);
  for (j = 0; j < groups->size; j++) {
    const webnn__wide x = webnn__load(call->x, start + webnn__group_element(groups, j));
    if (leave_out && webnn__wide_compare(x, largest) == 0) {
      leave_out = false;
    } else {
      webnn__add_loose(&sum, webnn__exp(webnn__sub(x, largest)));
    }
  }
  return webnn__add(largest, call->x->arithmetic == NULL ? webnn__log1p(webnn__total(&sum))
                                                         : webnn__log(webnn__total(&sum)));
}

/* ln of a sum. If the sum is so close to 1 that its rounding weighs, ln(1 + (sum - 1)), with sum -
   1 exact. */
static webnn__wide webnn__log_of_sum(webnn__accumulator *sum) {
  const webnn__wide total = webnn__total(sum), y = webnn__log(total);
  if (total.error <= 0 || total.model != 0 || sum->arithmetic != NULL || total.exponent < -128 ||
      total.exponent > -127) {
    return y;
  }
  webnn__add_term(sum, webnn__wide_small(-1));
  return webnn__log1p(webnn__total(sum));
}

/* The exact sum of x, |x| or x^2, and what the operator makes of it. */
static webnn__wide webnn__reduce_sum_of(const webnn__kernel_call *call, const webnn__groups *groups,
                                        uint64_t start) {
  const webnn_op op = call->node->op;
  const bool square = op == WEBNN_OP_REDUCE_L2 || op == WEBNN_OP_REDUCE_SUM_SQUARE;
  webnn__wide total;
  webnn__accumulator sum;
  uint64_t j;
  webnn__start_sum(&sum, call->x);
  for (j = 0; j < groups->size; j++) {
    uint32_t x = webnn__float32_bits(call->x, start + webnn__group_element(groups, j));
    if (square) {
      webnn__add_product(&sum, x, x);
    } else {
      webnn__add_element(&sum, op == WEBNN_OP_REDUCE_L1 ? x & 0x7fffffffu : x);
    }
  }
  total = webnn__total(&sum);
  switch (op) {
  case WEBNN_OP_REDUCE_L2: /* sqrt sum x^2 */
    return webnn__root_of_total(total);
  case WEBNN_OP_REDUCE_LOG_SUM: /* ln sum x */
    return webnn__log_of_sum(&sum);
  case WEBNN_OP_REDUCE_MEAN: /* sum x / n */
    return webnn__total_over(total, webnn__wide_from_u64(groups->size));
  default: /* sum x, sum |x|, sum x^2 */
    return total;
  }
}

/* An item is an element of y, made from a group of x. */
static void webnn__run_reduce(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__groups groups = webnn__axes_groups(call);
  const webnn_op op = call->node->op;
  const bool extreme = op == WEBNN_OP_REDUCE_MAX || op == WEBNN_OP_REDUCE_MIN;
  uint64_t i;
  for (i = begin; i < end; i++) {
    const uint64_t start = webnn__group_start(&groups, i);
    if (!extreme && !webnn__is_float(call->x->type)) {
      webnn__set_bits(call->y->data, call->y->type, i,
                      webnn__reduce_integers(call, &groups, start));
    } else if (extreme) {
      webnn__store(call->y, i, webnn__reduce_in_turn(call, &groups, start));
    } else if (op == WEBNN_OP_REDUCE_PRODUCT) {
      webnn__store(call->y, i, webnn__product(call, &groups, start));
    } else if (op == WEBNN_OP_REDUCE_LOG_SUM_EXP) {
      webnn__store(call->y, i, webnn__log_sum_exp(call, &groups, start));
    } else {
      webnn__store(call->y, i, webnn__reduce_sum_of(call, &groups, start));
    }
  }
}

static const webnn__kernel webnn__reference_reduce = {webnn__run_reduce, NULL,
                                                      webnn__axes_group_cost, NULL};

/* ---- 8.9.41 resample2d ---------------------------------------------------------------------- */

/* Output coordinate o of `out` stands at u = clamp((o + 1/2) in / out - 1/2, 0, in - 1) of the
   input. In units of 1 / (2 out) that is the integer U = clamp((2 o + 1) in - out, 0, 2 out (in -
   1)). */
static uint64_t webnn__resample_position(uint32_t o, uint32_t in, uint32_t out) {
  const int64_t u = (2 * (int64_t)o + 1) * (int64_t)in - (int64_t)out;
  const int64_t most = 2 * (int64_t)out * ((int64_t)in - 1);
  return (uint64_t)(u < 0 ? 0 : u > most ? most : u);
}

/* The two neighbours of a position and the weight of the second, in units of 1 / (2 out). Nearest:
   ceil(u - 1/2), which takes the lower of two equally near ones. */
static void webnn__resample_taps(uint32_t mode, uint32_t o, uint32_t in, uint32_t out,
                                 uint32_t *index, uint64_t *weight) {
  const uint64_t unit = 2 * (uint64_t)out, u = webnn__resample_position(o, in, out);
  if (mode == WEBNN_NEAREST_NEIGHBOR) {
    index[0] = index[1] = (uint32_t)(u <= out ? 0 : (u - out + unit - 1) / unit);
    weight[0] = unit;
    weight[1] = 0;
    return;
  }
  index[0] = (uint32_t)(u / unit);
  index[1] = index[0] + 1 < in ? index[0] + 1 : index[0];
  weight[1] = u % unit;
  weight[0] = unit - weight[1];
}

/* y = sum of four neighbours times integer weights, exactly, over the product of the units. */
static webnn__wide webnn__resample_element(const webnn__kernel_call *call, const uint32_t *c,
                                           const int64_t *strides) {
  const webnn__attributes *t = call->attributes;
  uint32_t index[2][2], i, j;
  uint64_t weight[2][2];
  int64_t at = webnn__offset(call->x->shape.rank, c, strides);
  webnn__accumulator sum;
  for (i = 0; i < 2; i++) {
    const uint32_t axis = t->axes.dimensions[i];
    webnn__resample_taps(t->mode, c[axis], call->x->shape.dimensions[axis],
                         call->y->shape.dimensions[axis], index[i], weight[i]);
    at -= (int64_t)c[axis] * strides[axis];
  }
  if (t->mode == WEBNN_NEAREST_NEIGHBOR) {
    return webnn__load(call->x, (uint64_t)(at + index[0][0] * strides[t->axes.dimensions[0]] +
                                           index[1][0] * strides[t->axes.dimensions[1]]));
  }
  webnn__start_sum(&sum, call->x);
  for (i = 0; i < 2; i++) {
    for (j = 0; j < 2; j++) {
      const webnn__wide x =
          webnn__load(call->x, (uint64_t)(at + index[0][i] * strides[t->axes.dimensions[0]] +
                                          index[1][j] * strides[t->axes.dimensions[1]]));
      if (weight[0][i] != 0 && weight[1][j] != 0) { /* an infinity with weight 0 does not count */
        webnn__add_term(&sum, webnn__mul(x, webnn__mul(webnn__wide_from_u64(weight[0][i]),
                                                       webnn__wide_from_u64(weight[1][j]))));
      }
    }
  }
  return webnn__total_over(webnn__total(&sum),
                           webnn__mul(webnn__wide_from_u64(weight[0][0] + weight[0][1]),
                                      webnn__wide_from_u64(weight[1][0] + weight[1][1])));
}

/* An item is an element; integers are rounded to nearest, ties to even. */
static void webnn__run_resample2d(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__shape *shape = &call->y->shape;
  const bool is_float = webnn__is_float(call->x->type);
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK];
  uint64_t i;
  webnn__row_major(&call->x->shape, strides);
  webnn__coordinates(shape, begin, c);
  for (i = begin; i < end; i++, webnn__advance(shape, c)) {
    const webnn__wide y = webnn__resample_element(call, c, strides);
    webnn__store(call->y, i, is_float ? y : webnn__wide_round_even(y));
  }
}

static const webnn__kernel webnn__reference_resample2d = {webnn__run_resample2d, NULL,
                                                          webnn__cost_500, NULL};

/* ---- 8.9.48 softmax ------------------------------------------------------------------------- */

/* An item is a line along the axis: y = e^(x - m) / sum e^(x - m), m the largest x. */
static void webnn__run_softmax(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__groups groups = webnn__group(&call->x->shape, &call->attributes->axis, 1);
  const uint64_t step = (uint64_t)groups.inner_strides[0];
  uint64_t i, j;
  for (i = begin; i < end; i++) {
    const uint64_t start = webnn__group_start(&groups, i);
    const webnn__wide largest = webnn__reduce_in_turn(call, &groups, start);
    webnn__accumulator sum;
    webnn__wide total;
    webnn__start_sum(&sum, call->x);
    for (j = 0; j < groups.size; j++) {
      webnn__add_loose(&sum,
                       webnn__exp(webnn__sub(webnn__load(call->x, start + j * step), largest)));
    }
    total = webnn__total(&sum);
    for (j = 0; j < groups.size; j++) {
      const webnn__wide e = webnn__exp(webnn__sub(webnn__load(call->x, start + j * step), largest));
      webnn__store(call->y, start + j * step, webnn__div(e, total));
    }
  }
}

static uint64_t webnn__softmax_cost(const webnn__kernel_call *call) {
  return 2000 * (uint64_t)call->x->shape.dimensions[call->attributes->axis];
}

static const webnn__kernel webnn__reference_softmax = {webnn__run_softmax, webnn__axis_group_count,
                                                       webnn__softmax_cost, NULL};

/* ---- 8.9.53 tile ---------------------------------------------------------------------------- */

/* An item is an element: y[c] = x[c mod shape]. */
static void webnn__run_tile(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__shape *shape = &call->y->shape;
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK], d;
  uint64_t i;
  webnn__row_major(&call->x->shape, strides);
  webnn__coordinates(shape, begin, c);
  for (i = begin; i < end; i++, webnn__advance(shape, c)) {
    int64_t at = 0;
    for (d = 0; d < shape->rank; d++) {
      at += (int64_t)(c[d] % call->x->shape.dimensions[d]) * strides[d];
    }
    webnn__copy_elements(call->y, i, call->x, (uint64_t)at, 1);
  }
}

static const webnn__kernel webnn__reference_tile = {webnn__run_tile, NULL, webnn__cost_8, NULL};

/* ---- 8.9.55 triangular ---------------------------------------------------------------------- */

/* An item is an element: x where column >= row + diagonal (upper) or <= (lower), else 0. */
static void webnn__run_triangular(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__shape *shape = &call->x->shape;
  const uint64_t rows = shape->dimensions[shape->rank - 2],
                 columns = shape->dimensions[shape->rank - 1];
  uint64_t i;
  for (i = begin; i < end; i++) {
    const int64_t row = (int64_t)(i / columns % rows), column = (int64_t)(i % columns);
    const int64_t border = row + call->attributes->diagonal;
    if (call->attributes->upper ? column >= border : column <= border) {
      webnn__copy_elements(call->y, i, call->x, i, 1);
    } else {
      webnn__set_bits(call->y->data, call->y->type, i, 0);
    }
  }
}

static const webnn__kernel webnn__reference_triangular = {webnn__run_triangular, NULL,
                                                          webnn__cost_8, NULL};

/* ---- 8.9.56 where --------------------------------------------------------------------------- */

/* An item is an element: trueValue where condition is not 0, else falseValue. */
static void webnn__run_where(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__shape *shape = &call->y->shape;
  webnn__pair pair = webnn__start_pair(&call->x[1], &call->x[2], shape, begin);
  int64_t strides[WEBNN_MAX_RANK];
  uint64_t i;
  webnn__broadcast_strides(&call->x->shape, shape, strides);
  for (i = begin; i < end; i++, webnn__advance(shape, pair.c)) {
    const uint64_t at = (uint64_t)webnn__offset(shape->rank, pair.c, strides);
    const int chosen = webnn__get_bits(call->x->data, WEBNN_UINT8, at) != 0 ? 0 : 1;
    webnn__copy_elements(call->y, i, &call->x[1 + chosen],
                         webnn__pair_offset(&pair, shape->rank, chosen), 1);
  }
}

static const webnn__kernel webnn__reference_where = {webnn__run_where, NULL, webnn__cost_8, NULL};

/* ---- All of them ---------------------------------------------------------------------------- */

#define WEBNN__NOTHING(...)
#define WEBNN__REFERENCE(op, c_name, name, section, family, operands, options)                     \
  &webnn__reference_##family,

static const webnn__kernel *const webnn__reference_kernels[WEBNN_OP_COUNT] = {
    WEBNN_OPERATORS(WEBNN__REFERENCE, WEBNN__NOTHING, WEBNN__NOTHING, WEBNN__NOTHING,
                    WEBNN__NOTHING, WEBNN__NOTHING)};

#undef WEBNN__REFERENCE
#undef WEBNN__NOTHING

/* ==============================================================================================
   12  compile                                                                           >>compile

   From a program to a plan: each pass is a function of one shape in one table, and each can be
   switched off (webnn_context_options.disabled_passes). Then every value gets a place, with
   lifetimes deciding which may share memory. Calls chapters 2, 5, 7 and 11.
   ============================================================================================== */

typedef enum webnn__place_kind {
  WEBNN__PLACE_NOWHERE,
  WEBNN__PLACE_INPUT,    /* the tensor bound to an input */
  WEBNN__PLACE_OUTPUT,   /* the tensor bound to an output */
  WEBNN__PLACE_CONSTANT, /* the program's block */
  WEBNN__PLACE_ARENA,
  WEBNN__PLACE_VIEW /* that of another value */
} webnn__place_kind;

/* Where a value is while the plan runs. */
typedef struct webnn__place {
  webnn__place_kind kind;
  uint32_t index;       /* of the input, output or value it is a view of */
  uint64_t offset;      /* in the arena */
  uint64_t size;        /* in bytes, rounded up to WEBNN__ALIGNMENT */
  uint32_t first, last; /* steps that write and read it */
} webnn__place;

/* One operator, ready to run. */
/* A kernel of chapter 13. It runs in phases, one after another; before each, call->phase is set and
   items asked for. pack prepares constant operands when the graph is built, in packed_size bytes.
 */
typedef struct webnn__fast_kernel {
  webnn__kernel kernel;
  uint32_t phases;
  uint64_t (*packed_size)(const webnn__kernel_call *call);
  void (*pack)(const webnn__kernel_call *call);
} webnn__fast_kernel;

typedef struct webnn__step {
  const webnn__node *node;
  const webnn__kernel *kernel;
  const webnn__fast_kernel *fast; /* NULL: the kernel is the reference */
  bool is_view;                   /* nothing to do */
  uint64_t scratch_offset, scratch_size;
  webnn__kernel_call call; /* its views are filled before each run */
} webnn__step;

/* What is known of the processor: its vector functions, and which fast kernel runs a step (NULL:
   none; in reference contexts always). */
typedef struct webnn__machine {
  const webnn__kernels *kernels;
  const webnn__fast_kernel *(*choose)(const webnn__kernel_call *call);
} webnn__machine;

typedef struct webnn__cpu webnn__cpu;

typedef struct webnn__plan {
  webnn__cpu *cpu;
  const webnn__program *program;
  const webnn_arithmetic *arithmetic; /* NULL: exact */
  webnn__arena memory;                /* of everything below but the arena for values */
  webnn__place *places;
  webnn__step *steps;
  char *arena;
  uint64_t arena_size, unshared_size, packed_size;
  bool share; /* values whose lifetimes do not meet may share memory */
  uint32_t undecided;
  webnn_tap tap;
  void *tap_user;
} webnn__plan;

/* The value whose memory a value is in. */
static uint32_t webnn__root(const webnn__plan *plan, uint32_t value) {
  while (plan->places[value].kind == WEBNN__PLACE_VIEW) {
    value = plan->places[value].index;
  }
  return value;
}

/* Pass "views": a reshape whose result is not an output is its input under another shape. */
static void webnn__pass_views(webnn__plan *plan) {
  uint32_t i;
  for (i = 0; i < plan->program->node_count; i++) {
    webnn__step *step = &plan->steps[i];
    if (step->node->op == WEBNN_OP_RESHAPE &&
        plan->places[step->node->outputs[0]].kind == WEBNN__PLACE_ARENA) {
      webnn__place *place = &plan->places[step->node->outputs[0]];
      place->kind = WEBNN__PLACE_VIEW;
      place->index = step->node->inputs[0];
      step->is_view = true;
    }
  }
}

/* Pass "sharing": intermediate values share memory with others that live at other times. */
static void webnn__pass_sharing(webnn__plan *plan) {
  plan->share = true;
}

typedef struct webnn__pass {
  const char *name;
  void (*run)(webnn__plan *plan);
} webnn__pass;

static const webnn__pass webnn__passes[] = {{"views", webnn__pass_views},
                                            {"sharing", webnn__pass_sharing}};
#define WEBNN__PASS_COUNT (sizeof webnn__passes / sizeof *webnn__passes)

WEBNN_API const char *webnn_pass_name(uint32_t index) {
  return index < WEBNN__PASS_COUNT ? webnn__passes[index].name : NULL;
}

/* Inputs, outputs and constants have places of their own; all else is in the arena. */
static void webnn__first_places(webnn__plan *plan) {
  const webnn__program *program = plan->program;
  uint32_t i;
  for (i = 0; i < program->value_count; i++) {
    webnn__place *place = &plan->places[i];
    const uint64_t bytes = webnn__value_bytes(&program->values[i]);
    place->kind = program->values[i].origin == WEBNN__ORIGIN_CONSTANT ? WEBNN__PLACE_CONSTANT
                                                                      : WEBNN__PLACE_ARENA;
    place->size = (bytes + WEBNN__ALIGNMENT - 1) / WEBNN__ALIGNMENT * WEBNN__ALIGNMENT;
  }
  for (i = 0; i < program->input_count; i++) {
    plan->places[program->inputs[i].value].kind = WEBNN__PLACE_INPUT;
    plan->places[program->inputs[i].value].index = i;
  }
  for (i = program->output_count; i-- > 0;) { /* of several names for one value the first counts */
    plan->places[program->outputs[i].value].kind = WEBNN__PLACE_OUTPUT;
    plan->places[program->outputs[i].value].index = i;
  }
}

/* The first and last step that touch each value in the arena, through views too. */
static void webnn__find_lifetimes(webnn__plan *plan) {
  uint32_t i, j;
  for (i = 0; i < plan->program->node_count; i++) {
    const webnn__node *node = plan->steps[i].node;
    for (j = 0; j < node->output_count; j++) {
      webnn__place *place = &plan->places[webnn__root(plan, node->outputs[j])];
      if (!plan->steps[i].is_view) {
        place->first = i;
      }
      place->last = i > place->last ? i : place->last;
    }
    for (j = 0; j < node->input_count; j++) {
      if (node->inputs[j] != WEBNN__NONE) {
        plan->places[webnn__root(plan, node->inputs[j])].last = i;
      }
    }
  }
}

/* A piece of the arena and when it is in use. */
typedef struct webnn__piece {
  uint64_t offset, size;
  uint32_t first, last;
} webnn__piece;

/* The lowest place for a piece among those placed before, which are kept in the order of their
   offsets. With `share` only pieces alive at the same time are in the way. */
static uint64_t webnn__place_piece(webnn__piece *pieces, uint32_t *count, webnn__piece piece,
                                   bool share) {
  uint32_t i, at;
  piece.offset = 0;
  for (i = 0; i < *count; i++) {
    const bool meets = !share || (pieces[i].first <= piece.last && piece.first <= pieces[i].last);
    if (meets && pieces[i].offset < piece.offset + piece.size &&
        piece.offset < pieces[i].offset + pieces[i].size) {
      piece.offset = pieces[i].offset + pieces[i].size;
    }
  }
  for (at = *count; at > 0 && pieces[at - 1].offset > piece.offset; at--) {
    pieces[at] = pieces[at - 1];
  }
  pieces[at] = piece;
  (*count)++;
  return piece.offset;
}

/* Every value in the arena, and every step's scratch memory, gets an offset. */
static bool webnn__place_values(webnn__plan *plan) {
  const webnn__program *program = plan->program;
  const uint64_t most = (uint64_t)program->value_count + program->node_count;
  webnn__piece *pieces = (webnn__piece *)webnn__arena_take(&plan->memory, most * sizeof *pieces);
  webnn__piece piece;
  uint32_t count = 0, i, j;
  if (pieces == NULL) {
    return false;
  }
  for (i = 0; i < program->node_count; i++) {
    webnn__step *step = &plan->steps[i];
    for (j = 0; j < step->node->output_count; j++) {
      webnn__place *place = &plan->places[step->node->outputs[j]];
      if (place->kind == WEBNN__PLACE_ARENA) {
        piece.size = place->size;
        piece.first = place->first;
        piece.last = place->last;
        place->offset = webnn__place_piece(pieces, &count, piece, plan->share);
        plan->unshared_size += piece.size;
      }
    }
    if (step->scratch_size > 0) {
      piece.size = step->scratch_size;
      piece.first = piece.last = i;
      step->scratch_offset = webnn__place_piece(pieces, &count, piece, plan->share);
      plan->unshared_size += piece.size;
    }
  }
  for (i = 0; i < count; i++) {
    const uint64_t end = pieces[i].offset + pieces[i].size;
    plan->arena_size = end > plan->arena_size ? end : plan->arena_size;
  }
  return true;
}

/* The views of one step; their data comes with each run. */
static void webnn__describe(webnn__plan *plan, const uint32_t *values, uint32_t count,
                            webnn__view *views) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    if (values[i] != WEBNN__NONE) {
      const webnn__value *value = &plan->program->values[values[i]];
      views[i].arithmetic = plan->arithmetic;
      views[i].undecided = &plan->undecided;
      views[i].type = value->data_type;
      views[i].shape = value->shape;
      views[i].count = webnn__element_count(&value->shape);
      if (value->origin == WEBNN__ORIGIN_CONSTANT) {
        views[i].is_constant = true;
        views[i].data = value->constant->memory;
      }
    }
  }
}

/* Has the fast kernel prepare its constant operands. */
static bool webnn__pack_step(webnn__plan *plan, webnn__step *step) {
  const uint64_t bytes = step->fast->packed_size != NULL ? step->fast->packed_size(&step->call) : 0;
  char *memory;
  if (bytes == 0) {
    return true;
  }
  memory = (char *)webnn__arena_take(&plan->memory, bytes + WEBNN__ALIGNMENT);
  if (memory == NULL) {
    return false;
  }
  memory += (WEBNN__ALIGNMENT - (uintptr_t)memory % WEBNN__ALIGNMENT) % WEBNN__ALIGNMENT;
  plan->packed_size += bytes;
  step->call.packed = memory;
  step->fast->pack(&step->call);
  return true;
}

static bool webnn__make_step(webnn__plan *plan, const webnn__machine *machine,
                             const webnn__node *node, webnn__step *step) {
  webnn__view *views = (webnn__view *)webnn__arena_take(
      &plan->memory, ((uint64_t)node->input_count + node->output_count) * sizeof *views);
  if (views == NULL) {
    return false;
  }
  step->node = node;
  step->call.node = node;
  step->call.attributes = &node->attributes;
  step->call.kernels = machine->kernels;
  step->call.x = views;
  step->call.y = views + node->input_count;
  webnn__describe(plan, node->inputs, node->input_count, step->call.x);
  webnn__describe(plan, node->outputs, node->output_count, step->call.y);
  step->fast = machine->choose != NULL ? machine->choose(&step->call) : NULL;
  step->kernel = step->fast != NULL ? &step->fast->kernel : webnn__reference_kernels[node->op];
  if (step->kernel->scratch != NULL) {
    const uint64_t bytes = step->kernel->scratch(&step->call);
    step->scratch_size = (bytes + WEBNN__ALIGNMENT - 1) / WEBNN__ALIGNMENT * WEBNN__ALIGNMENT;
  }
  return step->fast == NULL || webnn__pack_step(plan, step);
}

static void webnn__release_plan(const webnn_allocator *allocator, webnn__plan *plan) {
  webnn__release_aligned(allocator, plan->arena);
  webnn__arena_release(&plan->memory);
  webnn__release(allocator, plan);
}

/* NULL without memory. */
static webnn__plan *webnn__make_plan(const webnn_context_options *options,
                                     const webnn__machine *machine, const webnn__program *program) {
  const webnn_allocator *allocator = &options->allocator;
  webnn__plan *plan = (webnn__plan *)webnn__allocate_zeroed(allocator, sizeof *plan);
  uint32_t i;
  if (plan == NULL) {
    return NULL;
  }
  plan->program = program;
  plan->arithmetic = webnn__is_modelled(&options->arithmetic) ? &options->arithmetic : NULL;
  plan->memory.allocator = allocator;
  plan->places = (webnn__place *)webnn__arena_take(&plan->memory, (uint64_t)program->value_count *
                                                                      sizeof *plan->places);
  plan->steps = (webnn__step *)webnn__arena_take(&plan->memory, (uint64_t)program->node_count *
                                                                    sizeof *plan->steps);
  for (i = 0; plan->places != NULL && plan->steps != NULL && i < program->node_count; i++) {
    if (!webnn__make_step(plan, machine, &program->nodes[i], &plan->steps[i])) {
      break;
    }
  }
  if (plan->places == NULL || plan->steps == NULL || i < program->node_count) {
    webnn__release_plan(allocator, plan);
    return NULL;
  }
  webnn__first_places(plan);
  for (i = 0; i < WEBNN__PASS_COUNT; i++) {
    if ((options->disabled_passes >> i & 1) == 0) {
      webnn__passes[i].run(plan);
    }
  }
  webnn__find_lifetimes(plan);
  if (webnn__place_values(plan)) {
    plan->arena = (char *)webnn__allocate_aligned(allocator, plan->arena_size);
  }
  if (plan->arena == NULL) {
    webnn__release_plan(allocator, plan);
    return NULL;
  }
  return plan;
}

/* ==============================================================================================
   13  kernels                                                                           >>kernels

   The fast kernels: float32 and float16 within the bounds of docs/numerics.md, integers exactly as
   chapter 11. A kernel is written once, over a vocabulary of vector operations, and compiled for
   each instruction set by letting this file include itself: WEBNN__STAMP is then one of the numbers
   below, and nothing but the part between the two lines "stamped" is seen. What a stamped part
   leaves behind is one table of functions (webnn__kernels_avx2, ...), all with the same members;
   chapter 14 takes the best one that the processor can run.

   A kernel that needs no vectors stands before or after the stamped part. Calls chapters 1 to 7, 10
   (sums of integers) and the structures of chapter 11.
   ============================================================================================== */

#define WEBNN__STAMP_SCALAR 1
#define WEBNN__STAMP_SSE2 2
#define WEBNN__STAMP_AVX2 3
#define WEBNN__STAMP_AVX512 4
#define WEBNN__STAMP_NEON 5
#define WEBNN__STAMP_WASM 6

#if !defined(WEBNN_NO_SIMD)
#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(_MSC_VER))
#define WEBNN__X86 /* SSE2 is always there, AVX2 and AVX-512 are asked for at run time */
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
#define WEBNN__NEON
#elif defined(__wasm_simd128__)
#define WEBNN__WASM
#endif
#endif

/* Loops whose trip count is a constant of the kernel, and whose variables are to be registers. */
#if defined(__clang__)
#define WEBNN__UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__) && __GNUC__ >= 8
#define WEBNN__UNROLL _Pragma("GCC unroll 32")
#else
#define WEBNN__UNROLL
#endif

#ifndef WEBNN__INLINE
#if defined(__GNUC__)
#define WEBNN__INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define WEBNN__INLINE static __forceinline
#else
#define WEBNN__INLINE static inline
#endif
#endif

/* ---- Matrix products and convolutions: what a tile is -------------------------------------------

   A tile of up to product_rows x product_columns results, all in registers:
       s[i][j] = sum over taps t, depth k of rows[t row_step + i][first + k] b[(t depth + k) columns
   + j] Rows are read in place, one element at a time, for all columns; b is a packed panel, read in
   order. For a matrix product there is one tap, and rows are rows of the left matrix. For a
   convolution over an nhwc image rows are pixels, one for each of the window's elements.

   A long sum is one of blocks: `sums` keeps what the tile has so far. After the last one
       y[i][j] = scale s[i][j] + bias[j] + start[i] + residual[i][j], within low ... high */
enum {
  WEBNN__MOST_ROWS = 14,
  WEBNN__MOST_COLUMNS = 32,
  WEBNN__MOST_TILES = 8, /* of a group, which share the set-up */
  WEBNN__MOST_GROUP = WEBNN__MOST_ROWS * WEBNN__MOST_TILES,
  WEBNN__MOST_TAPS = 256
};

typedef struct webnn__product_tile {
  const float *const *rows;
  uint64_t row_step, tap_count, first, depth;
  const float *b;
  float *sums;                  /* room for rows x columns */
  const float *bias, *start;    /* NULL: none */
  float *const *y;              /* rows, and the column of the tile's first one */
  const float *const *residual; /* the same, or NULL */
  uint64_t y_column, residual_column;
  float scale, low, high;
  bool begins, ends, clamped; /* the first block, the last one; are there low and high? */
  uint32_t row_count, column_count;
} webnn__product_tile;

/* A row of a depthwise convolution of an nhwc image, in vectors of channels:
       y[p y_step + c] = bias[c] + sum over the window's rows r and columns q that are inside of
         x[origin + p step + r tap_row + q tap_column + c] w[r w_row + q w_column + c]
   then + residual, at the places of y, and within low ... high. For the pixels of a span the same
   columns are inside. x, y and residual are float32 or float16. */
typedef struct webnn__depthwise_span {
  uint32_t begin, stop, first, end; /* pixels begin ... stop - 1, columns first ... end - 1 */
} webnn__depthwise_span;

enum { WEBNN__MOST_SPANS = 64 };

typedef struct webnn__depthwise_channels {
  const void *x, *residual;
  void *y;
  const float *w, *bias;
  ptrdiff_t origin, step, tap_row, tap_column, y_step;
  uint64_t w_row, w_column, channels;
  uint32_t first_row, end_row, span_count;
  float low, high;
  bool clamped, half;
  webnn__depthwise_span spans[WEBNN__MOST_SPANS];
} webnn__depthwise_channels;

/* A row of one channel of an nchw image, in vectors of pixels:
       y[p] = bias[0] + sum over t of x[taps[t] + p] w[t w_step], and so on. */
typedef struct webnn__depthwise_row {
  const float *x, *w, *bias, *residual;
  float *y;
  const ptrdiff_t *taps;
  ptrdiff_t w_step;
  uint64_t tap_count, pixels;
  float low, high;
  bool clamped;
} webnn__depthwise_row;

/* ---- Element by element ------------------------------------------------------------------------

   What works element by element is computed in tiles: some hundred elements at a time, which stay
   in the first-level cache, through functions of one shape. A tile function reads up to four arrays
   and writes one; arrays of float32 are read and written in place in the tensors, everything else
   (float16, bytes, what is broadcast) by way of buffers. So one function serves a single operator
   and a chain of them alike. The vector functions are listed here; those of integers stand behind
   the stamped part. */

#define WEBNN__TILE 1024 /* elements of at most 4 bytes; half as many of 8 */

typedef struct webnn__tile {
  void *y;
  const void *x[4];
  size_t n;
  const float *c;       /* constants of the function */
  const uint64_t *bits; /* the operator's alpha and beta, for integers */
} webnn__tile;

typedef void (*webnn__tile_function)(const webnn__tile *tile);

/* Functions of float32 that are operators. Comparisons, logic and where's condition are 0 and 1. */
#define WEBNN__TILE_OPERATORS(X)                                                                   \
  X(ABS, abs)                                                                                      \
  X(CEIL, ceil)                                                                                    \
  X(CLAMP, clamp)                                                                                  \
  X(COS, cos)                                                                                      \
  X(ELU, elu)                                                                                      \
  X(ERF, erf)                                                                                      \
  X(EXP, exp)                                                                                      \
  X(FLOOR, floor)                                                                                  \
  X(GELU, gelu)                                                                                    \
  X(HARD_SIGMOID, hard_sigmoid)                                                                    \
  X(HARD_SWISH, hard_swish)                                                                        \
  X(IS_INFINITE, is_infinite)                                                                      \
  X(IS_NAN, is_nan)                                                                                \
  X(LEAKY_RELU, leaky_relu)                                                                        \
  X(LINEAR, linear)                                                                                \
  X(LOG, log)                                                                                      \
  X(LOGICAL_NOT, logical_not)                                                                      \
  X(NEG, neg)                                                                                      \
  X(RECIPROCAL, reciprocal)                                                                        \
  X(RELU, relu)                                                                                    \
  X(ROUND_EVEN, round_even)                                                                        \
  X(SIGMOID, sigmoid)                                                                              \
  X(SIGN, sign)                                                                                    \
  X(SIN, sin)                                                                                      \
  X(SOFTPLUS, softplus)                                                                            \
  X(SOFTSIGN, softsign)                                                                            \
  X(SQRT, sqrt)                                                                                    \
  X(TAN, tan)                                                                                      \
  X(TANH, tanh)                                                                                    \
  X(ADD, add)                                                                                      \
  X(DIV, div)                                                                                      \
  X(EQUAL, equal)                                                                                  \
  X(GREATER, greater)                                                                              \
  X(GREATER_OR_EQUAL, greater_or_equal)                                                            \
  X(LESSER, lesser)                                                                                \
  X(LESSER_OR_EQUAL, lesser_or_equal)                                                              \
  X(LOGICAL_AND, logical_and)                                                                      \
  X(LOGICAL_OR, logical_or)                                                                        \
  X(LOGICAL_XOR, logical_xor)                                                                      \
  X(MAX, max)                                                                                      \
  X(MIN, min)                                                                                      \
  X(MUL, mul)                                                                                      \
  X(NOT_EQUAL, not_equal)                                                                          \
  X(POW, pow)                                                                                      \
  X(PRELU, prelu)                                                                                  \
  X(SUB, sub)                                                                                      \
  X(WHERE, where)

/* Parts of operators, and conversions from and to float32. */
#define WEBNN__TILE_PARTS(X)                                                                       \
  X(DEQUANTIZE, dequantize)                                                                        \
  X(DEVIATION, deviation)                                                                          \
  X(FLOAT_TO_BYTE, float_to_byte)                                                                  \
  X(FLOAT_TO_HALF, float_to_half)                                                                  \
  X(FLOAT_TO_INT32, float_to_int32)                                                                \
  X(HALF_TO_FLOAT, half_to_float)                                                                  \
  X(INT32_TO_FLOAT, int32_to_float)                                                                \
  X(INT8_TO_FLOAT, int8_to_float)                                                                  \
  X(NORMALIZE, normalize)                                                                          \
  X(QUANTIZE, quantize)                                                                            \
  X(ROOT, root)                                                                                    \
  X(TRUNCATE, truncate)                                                                            \
  X(UINT8_TO_FLOAT, uint8_to_float)

typedef enum webnn__tile_op {
#define WEBNN__TILE_NUMBER(upper, lower) WEBNN__TILE_##upper,
  WEBNN__TILE_OPERATORS(WEBNN__TILE_NUMBER) WEBNN__TILE_PARTS(WEBNN__TILE_NUMBER)
#undef WEBNN__TILE_NUMBER
      WEBNN__TILE_COUNT
} webnn__tile_op;

/* Beyond this size the reduction of an angle to pi/4 is done one by one, by chapter 10. */
#define WEBNN__LARGE_ANGLE 8192.0f

static uint32_t webnn__bits_of_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float webnn__float_of_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* sin, cos or tan of any float. */
static float webnn__large_angle(webnn_op op, float x) {
  const uint32_t bits = webnn__bits_of_float(x);
  double y;
  if (!(x - x == 0)) { /* infinite or NaN */
    return x - x;
  }
  if (!webnn__quick_trigonometry(op, bits, 23, 8, (double)x, &y)) {
    const webnn__wide wide = webnn__wide_from_float_bits(bits, 23, 8);
    return webnn__float_of_bits(webnn__wide_to_float_bits(
        webnn__function(op, wide, webnn__wide_zero(false), webnn__wide_zero(false)), 23, 8));
  }
  return (float)y;
}

/* x^y where one of them is infinite or NaN. */
static float webnn__special_power(float x, float y) {
  return webnn__float_of_bits(webnn__wide_to_float_bits(
      webnn__wide_pow(webnn__wide_from_float_bits(webnn__bits_of_float(x), 23, 8),
                      webnn__wide_from_float_bits(webnn__bits_of_float(y), 23, 8)),
      23, 8));
}
/* A box of units (runs of bytes) that moves: unit (r, c) from `from` + r from_row + c from_column
   to `to` + r to_row + c to_column; steps are in bytes and may be 0 or negative. */
typedef struct webnn__box {
  uint64_t rows, columns, unit;
  int64_t to_row, to_column, from_row, from_column;
} webnn__box;
/* What a stamped part leaves behind. */
struct webnn__kernels {
  const char *name;
  uint32_t width; /* float32 lanes */
  uint32_t product_rows, product_columns;
  void (*product_tile)(const webnn__product_tile *tile);
  void (*product_pack)(float *to, const float *from, uint64_t step, uint64_t rows, size_t count);
  void (*depthwise_channels)(const webnn__depthwise_channels *row);
  void (*depthwise_pixels)(const webnn__depthwise_row *row);
  webnn__tile_function tiles[WEBNN__TILE_COUNT];
  /* A transposed box, with units of 1, 2, 4 or 8 bytes that are neighbours along rows in the source
     and along columns in the result; false if it is too small for vectors. */
  bool (*move_tiles)(char *to, const char *from, const webnn__box *box, bool stream);
  /* memcpy past the caches, for results that are larger than these. */
  void (*move_stream)(char *to, const char *from, uint64_t bytes);
};

#define WEBNN__TEXT_OF(x) #x
#define WEBNN__NAME_OF(x) WEBNN__TEXT_OF(x)

#endif /* WEBNN_IMPLEMENTATION, first part */

#else /* WEBNN__STAMP: stamped from here */

/* ---- The vocabulary ----------------------------------------------------------------------------

   v_float is a vector of V_WIDTH float32, v_int one of as many int32, v_mask the result of a
   comparison. All operations work lane by lane. Names and meanings are the same for every
   instruction set:

     v_load v_store            unaligned
     v_load_part v_store_part  the first n lanes, n < V_WIDTH; the others load as 0
     v_set                     all lanes alike
     v_add v_sub v_mul v_div v_sqrt
     v_fma(a, b, c)            a b + c, rounded once where V_FUSED is 1, else twice
     v_fnma(a, b, c)           c - a b
     v_max v_min               the second operand if one is a NaN
     v_round                   to the nearest integer, ties to even; v_floor v_ceil
     v_lt v_le v_eq v_nan      comparisons; v_nan(a, b): is a or b a NaN?
     v_select(m, a, b)         a where m is true, else b
     m_and m_or m_not          of masks; m_any
     v_bits v_of_bits          the same bits as v_int, as v_float
     v_to_int v_from_int       int32 of a rounded value (it must fit), and back
     i_...                     the same for v_int; i_shl, i_shr (logical), i_sar: by a constant
     v_load_half v_store_half  float16 in memory, as uint16_t; to nearest, ties to even
     v_sum v_largest           of all lanes, in the fixed order of halves

   Without V_FUSED a product's low part is not known; kernels that need it say so. */

#undef WEBNN__ISA
#if WEBNN__STAMP == WEBNN__STAMP_SCALAR
#define WEBNN__ISA scalar
#define V_WIDTH 1
#define V_FUSED 0
typedef float webnn__scalar_float;
typedef int32_t webnn__scalar_int;
#define v_float float
#define v_int int32_t
#define v_mask bool
#define v_load(p) (*(p))
#define v_store(p, x) (*(p) = (x))
#define v_set(x) ((float)(x))
#define v_add(a, b) ((a) + (b))
#define v_sub(a, b) ((a) - (b))
#define v_mul(a, b) ((a) * (b))
#define v_div(a, b) ((a) / (b))
#define v_sqrt(a) webnn__scalar_sqrt(a)
#define v_fma(a, b, c) ((a) * (b) + (c))
#define v_fnma(a, b, c) ((c) - (a) * (b))
#define v_max(a, b) ((a) > (b) ? (a) : (b))
#define v_min(a, b) ((a) < (b) ? (a) : (b))
#define v_round(a) webnn__scalar_round(a)
#define v_floor(a) webnn__scalar_floor(a)
#define v_ceil(a) (-webnn__scalar_floor(-(a)))
#define v_lt(a, b) ((a) < (b))
#define v_le(a, b) ((a) <= (b))
#define v_eq(a, b) ((a) == (b))
#define v_nan(a, b) ((a) != (a) || (b) != (b))
#define v_select(m, a, b) ((m) ? (a) : (b))
#define m_and(a, b) ((a) && (b))
#define m_or(a, b) ((a) || (b))
#define m_not(a) (!(a))
#define m_any(a) (a)
#define v_bits(a) webnn__scalar_bits(a)
#define v_of_bits(a) webnn__scalar_of_bits(a)
#define v_to_int(a) ((int32_t)webnn__scalar_round(a))
#define v_from_int(a) ((float)(a))
#define i_load(p) (*(p))
#define i_store(p, x) (*(p) = (x))
#define i_set(x) ((int32_t)(x))
#define i_add(a, b) ((int32_t)((uint32_t)(a) + (uint32_t)(b)))
#define i_sub(a, b) ((int32_t)((uint32_t)(a) - (uint32_t)(b)))
#define i_and(a, b) ((a) & (b))
#define i_or(a, b) ((a) | (b))
#define i_xor(a, b) ((a) ^ (b))
#define i_shl(a, n) ((int32_t)((uint32_t)(a) << (n)))
#define i_shr(a, n) ((int32_t)((uint32_t)(a) >> (n)))
#define i_sar(a, n) ((a) >= 0 ? (a) >> (n) : ~(~(a) >> (n)))
#define i_eq(a, b) ((a) == (b))
#define i_gt(a, b) ((a) > (b))
#define i_select(m, a, b) ((m) ? (a) : (b))
#define v_load_half(p) webnn__scalar_of_bits((int32_t)webnn__f16_to_f32_bits(*(p)))
#define v_store_half(p, x) (*(p) = webnn__f32_bits_to_f16((uint32_t)webnn__scalar_bits(x)))
#define v_sum(a) (a)
#define v_largest(a) (a)
#define v_load_part(p, n) (0.0f * (float)(n))
#define v_store_part(p, n, x) ((void)(p), (void)(n), (void)(x))

#elif WEBNN__STAMP == WEBNN__STAMP_SSE2 || WEBNN__STAMP == WEBNN__STAMP_AVX2 ||                    \
    WEBNN__STAMP == WEBNN__STAMP_AVX512
#if WEBNN__STAMP == WEBNN__STAMP_SSE2
#define WEBNN__ISA sse2
#define V_WIDTH 4
#define V_FUSED 0
#define v_float __m128
#define v_int __m128i
#define v_mask __m128
#define WEBNN__MM(name) _mm_##name
#define WEBNN__SI(name) _mm_##name##_si128
#define WEBNN__CAST_TO_INT _mm_castps_si128
#define WEBNN__CAST_TO_FLOAT _mm_castsi128_ps
#elif WEBNN__STAMP == WEBNN__STAMP_AVX2
#define WEBNN__ISA avx2
#define V_WIDTH 8
#define V_FUSED 1
#define v_float __m256
#define v_int __m256i
#define v_mask __m256
#define WEBNN__MM(name) _mm256_##name
#define WEBNN__SI(name) _mm256_##name##_si256
#define WEBNN__CAST_TO_INT _mm256_castps_si256
#define WEBNN__CAST_TO_FLOAT _mm256_castsi256_ps
#else
#define WEBNN__ISA avx512
#define V_WIDTH 16
#define V_FUSED 1
#define v_float __m512
#define v_int __m512i
#define v_mask __mmask16
#define WEBNN__MM(name) _mm512_##name
#define WEBNN__SI(name) _mm512_##name##_si512
#define WEBNN__CAST_TO_INT _mm512_castps_si512
#define WEBNN__CAST_TO_FLOAT _mm512_castsi512_ps
#endif
#define v_load(p) WEBNN__MM(loadu_ps)(p)
#define v_store(p, x) WEBNN__MM(storeu_ps)(p, x)
#define v_set(x) WEBNN__MM(set1_ps)(x)
#define v_add(a, b) WEBNN__MM(add_ps)(a, b)
#define v_sub(a, b) WEBNN__MM(sub_ps)(a, b)
#define v_mul(a, b) WEBNN__MM(mul_ps)(a, b)
#define v_div(a, b) WEBNN__MM(div_ps)(a, b)
#define v_sqrt(a) WEBNN__MM(sqrt_ps)(a)
#define v_max(a, b) WEBNN__MM(max_ps)(a, b)
#define v_min(a, b) WEBNN__MM(min_ps)(a, b)
#define v_bits(a) WEBNN__CAST_TO_INT(a)
#define v_of_bits(a) WEBNN__CAST_TO_FLOAT(a)
#define v_to_int(a) WEBNN__MM(cvtps_epi32)(a)
#define v_from_int(a) WEBNN__MM(cvtepi32_ps)(a)
#define i_set(x) WEBNN__MM(set1_epi32)(x)
#define i_add(a, b) WEBNN__MM(add_epi32)(a, b)
#define i_sub(a, b) WEBNN__MM(sub_epi32)(a, b)
#define i_load(p) WEBNN__SI(loadu)((const v_int *)(const void *)(p))
#define i_store(p, x) WEBNN__SI(storeu)((v_int *)(void *)(p), x)
#define i_and(a, b) WEBNN__SI (and)(a, b)
#define i_or(a, b) WEBNN__SI(or)(a, b)
#define i_xor(a, b) WEBNN__SI (xor)(a, b)
#define i_shl(a, n) WEBNN__MM(slli_epi32)(a, n)
#define i_shr(a, n) WEBNN__MM(srli_epi32)(a, n)
#define i_sar(a, n) WEBNN__MM(srai_epi32)(a, n)
#if WEBNN__STAMP == WEBNN__STAMP_AVX512
#define v_fma(a, b, c) _mm512_fmadd_ps(a, b, c)
#define v_fnma(a, b, c) _mm512_fnmadd_ps(a, b, c)
#define v_round(a) _mm512_roundscale_ps(a, 8)
#define v_floor(a) _mm512_roundscale_ps(a, 9)
#define v_ceil(a) _mm512_roundscale_ps(a, 10)
#define v_lt(a, b) _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define v_le(a, b) _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ)
#define v_eq(a, b) _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ)
#define v_nan(a, b) _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q)
#define v_select(m, a, b) _mm512_mask_blend_ps(m, b, a)
#define m_and(a, b) ((__mmask16)((a) & (b)))
#define m_or(a, b) ((__mmask16)((a) | (b)))
#define m_not(a) ((__mmask16)(~(a)))
#define m_any(a) ((a) != 0)
#define i_eq(a, b) _mm512_cmpeq_epi32_mask(a, b)
#define i_gt(a, b) _mm512_cmpgt_epi32_mask(a, b)
#define i_select(m, a, b) _mm512_mask_blend_epi32(m, b, a)
#define WEBNN__FIRST(n) ((__mmask16)((1U << (n)) - 1U))
#define v_load_part(p, n) _mm512_maskz_loadu_ps(WEBNN__FIRST(n), p)
#define v_store_part(p, n, x) _mm512_mask_storeu_ps(p, WEBNN__FIRST(n), x)
#define v_load_half(p) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define v_store_half(p, x)                                                                         \
  _mm256_storeu_si256((__m256i *)(void *)(p), _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT))
#elif WEBNN__STAMP == WEBNN__STAMP_AVX2
#define v_fma(a, b, c) _mm256_fmadd_ps(a, b, c)
#define v_fnma(a, b, c) _mm256_fnmadd_ps(a, b, c)
#define v_round(a) _mm256_round_ps(a, 8)
#define v_floor(a) _mm256_round_ps(a, 9)
#define v_ceil(a) _mm256_round_ps(a, 10)
#define v_lt(a, b) _mm256_cmp_ps(a, b, _CMP_LT_OQ)
#define v_le(a, b) _mm256_cmp_ps(a, b, _CMP_LE_OQ)
#define v_eq(a, b) _mm256_cmp_ps(a, b, _CMP_EQ_OQ)
#define v_nan(a, b) _mm256_cmp_ps(a, b, _CMP_UNORD_Q)
#define v_select(m, a, b) _mm256_blendv_ps(b, a, m)
#define v_load_half(p) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define v_store_half(p, x)                                                                         \
  _mm_storeu_si128((__m128i *)(void *)(p), _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT))
#else
#define v_fma(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define v_fnma(a, b, c) _mm_sub_ps(c, _mm_mul_ps(a, b))
#define v_round(a) webnn__sse2_round(a)
#define v_floor(a) webnn__sse2_floor(a)
#define v_ceil(a) webnn__sse2_ceil(a)
#define v_lt(a, b) _mm_cmplt_ps(a, b)
#define v_le(a, b) _mm_cmple_ps(a, b)
#define v_eq(a, b) _mm_cmpeq_ps(a, b)
#define v_nan(a, b) _mm_cmpunord_ps(a, b)
#define v_select(m, a, b) _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b))
#endif
#if WEBNN__STAMP != WEBNN__STAMP_AVX512
#define m_and(a, b) WEBNN__MM(and_ps)(a, b)
#define m_or(a, b) WEBNN__MM(or_ps)(a, b)
#define m_not(a) WEBNN__MM(xor_ps)(a, v_of_bits(i_set(-1)))
#define m_any(a) (WEBNN__MM(movemask_ps)(a) != 0)
#define i_eq(a, b) v_of_bits(WEBNN__MM(cmpeq_epi32)(a, b))
#define i_gt(a, b) v_of_bits(WEBNN__MM(cmpgt_epi32)(a, b))
#define i_select(m, a, b) v_bits(v_select(m, v_of_bits(a), v_of_bits(b)))
#endif

#elif WEBNN__STAMP == WEBNN__STAMP_NEON
#define WEBNN__ISA neon
#define V_WIDTH 4
#define V_FUSED 1
#define v_float float32x4_t
#define v_int int32x4_t
#define v_mask uint32x4_t
#define v_load(p) vld1q_f32(p)
#define v_store(p, x) vst1q_f32(p, x)
#define v_set(x) vdupq_n_f32(x)
#define v_add(a, b) vaddq_f32(a, b)
#define v_sub(a, b) vsubq_f32(a, b)
#define v_mul(a, b) vmulq_f32(a, b)
#define v_div(a, b) vdivq_f32(a, b)
#define v_sqrt(a) vsqrtq_f32(a)
#define v_fma(a, b, c) vfmaq_f32(c, a, b)
#define v_fnma(a, b, c) vfmsq_f32(c, a, b)
#define v_max(a, b) vbslq_f32(vcgtq_f32(a, b), a, b)
#define v_min(a, b) vbslq_f32(vcltq_f32(a, b), a, b)
#define v_round(a) vrndnq_f32(a)
#define v_floor(a) vrndmq_f32(a)
#define v_ceil(a) vrndpq_f32(a)
#define v_lt(a, b) vcltq_f32(a, b)
#define v_le(a, b) vcleq_f32(a, b)
#define v_eq(a, b) vceqq_f32(a, b)
#define v_nan(a, b) vmvnq_u32(vandq_u32(vceqq_f32(a, a), vceqq_f32(b, b)))
#define v_select(m, a, b) vbslq_f32(m, a, b)
#define m_and(a, b) vandq_u32(a, b)
#define m_or(a, b) vorrq_u32(a, b)
#define m_not(a) vmvnq_u32(a)
#define m_any(a) (vmaxvq_u32(a) != 0)
#define v_bits(a) vreinterpretq_s32_f32(a)
#define v_of_bits(a) vreinterpretq_f32_s32(a)
#define v_to_int(a) vcvtnq_s32_f32(a)
#define v_from_int(a) vcvtq_f32_s32(a)
#define i_load(p) vld1q_s32(p)
#define i_store(p, x) vst1q_s32(p, x)
#define i_set(x) vdupq_n_s32(x)
#define i_add(a, b) vaddq_s32(a, b)
#define i_sub(a, b) vsubq_s32(a, b)
#define i_and(a, b) vandq_s32(a, b)
#define i_or(a, b) vorrq_s32(a, b)
#define i_xor(a, b) veorq_s32(a, b)
#define i_shl(a, n) vshlq_n_s32(a, n)
#define i_shr(a, n) vreinterpretq_s32_u32(vshrq_n_u32(vreinterpretq_u32_s32(a), n))
#define i_sar(a, n) vshrq_n_s32(a, n)
#define i_eq(a, b) vceqq_s32(a, b)
#define i_gt(a, b) vcgtq_s32(a, b)
#define i_select(m, a, b) vbslq_s32(m, a, b)
#define v_load_half(p) vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)))
#define v_store_half(p, x) vst1_u16(p, vreinterpret_u16_f16(vcvt_f16_f32(x)))

#elif WEBNN__STAMP == WEBNN__STAMP_WASM
#define WEBNN__ISA wasm
#define V_WIDTH 4
#define V_FUSED 0
#define v_float v128_t
#define v_int v128_t
#define v_mask v128_t
#define v_load(p) wasm_v128_load(p)
#define v_store(p, x) wasm_v128_store(p, x)
#define v_set(x) wasm_f32x4_splat(x)
#define v_add(a, b) wasm_f32x4_add(a, b)
#define v_sub(a, b) wasm_f32x4_sub(a, b)
#define v_mul(a, b) wasm_f32x4_mul(a, b)
#define v_div(a, b) wasm_f32x4_div(a, b)
#define v_sqrt(a) wasm_f32x4_sqrt(a)
#define v_fma(a, b, c) wasm_f32x4_add(wasm_f32x4_mul(a, b), c)
#define v_fnma(a, b, c) wasm_f32x4_sub(c, wasm_f32x4_mul(a, b))
#define v_max(a, b) wasm_f32x4_pmax(b, a)
#define v_min(a, b) wasm_f32x4_pmin(b, a)
#define v_round(a) wasm_f32x4_nearest(a)
#define v_floor(a) wasm_f32x4_floor(a)
#define v_ceil(a) wasm_f32x4_ceil(a)
#define v_lt(a, b) wasm_f32x4_lt(a, b)
#define v_le(a, b) wasm_f32x4_le(a, b)
#define v_eq(a, b) wasm_f32x4_eq(a, b)
#define v_nan(a, b) wasm_v128_or(wasm_f32x4_ne(a, a), wasm_f32x4_ne(b, b))
#define v_select(m, a, b) wasm_v128_bitselect(a, b, m)
#define m_and(a, b) wasm_v128_and(a, b)
#define m_or(a, b) wasm_v128_or(a, b)
#define m_not(a) wasm_v128_not(a)
#define m_any(a) wasm_v128_any_true(a)
#define v_bits(a) (a)
#define v_of_bits(a) (a)
#define v_to_int(a) wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(a))
#define v_from_int(a) wasm_f32x4_convert_i32x4(a)
#define i_load(p) wasm_v128_load(p)
#define i_store(p, x) wasm_v128_store(p, x)
#define i_set(x) wasm_i32x4_splat(x)
#define i_add(a, b) wasm_i32x4_add(a, b)
#define i_sub(a, b) wasm_i32x4_sub(a, b)
#define i_and(a, b) wasm_v128_and(a, b)
#define i_or(a, b) wasm_v128_or(a, b)
#define i_xor(a, b) wasm_v128_xor(a, b)
#define i_shl(a, n) wasm_i32x4_shl(a, n)
#define i_shr(a, n) wasm_u32x4_shr(a, n)
#define i_sar(a, n) wasm_i32x4_shr(a, n)
#define i_eq(a, b) wasm_i32x4_eq(a, b)
#define i_gt(a, b) wasm_i32x4_gt(a, b)
#define i_select(m, a, b) wasm_v128_bitselect(a, b, m)
#endif

/* A stamped function's name: K(sum) is webnn__avx2_sum. */
#define WEBNN__PASTE3(a, b, c) a##b##c
#define WEBNN__PASTE(a, b, c) WEBNN__PASTE3(a, b, c)
#define K(name) WEBNN__PASTE(webnn__, WEBNN__ISA, _##name)

/* What no instruction does, from the others. */

#if WEBNN__STAMP == WEBNN__STAMP_SCALAR

static inline int32_t webnn__scalar_bits(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float webnn__scalar_of_bits(int32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Beyond 2^23 every float is an integer. */
static inline float webnn__scalar_round(float x) {
  const float size = x < 0 ? -x : x;
  int32_t whole;
  float rest;
  if (!(size < 8388608.0f)) {
    return x;
  }
  whole = (int32_t)size;
  rest = size - (float)whole;
  whole += rest > 0.5f || (rest >= 0.5f && (whole & 1) != 0) ? 1 : 0;
  return webnn__scalar_of_bits(webnn__scalar_bits((float)whole) |
                               (webnn__scalar_bits(x) & INT32_MIN));
}

static inline float webnn__scalar_floor(float x) {
  const float whole = webnn__scalar_round(x);
  return whole > x ? whole - 1.0f : whole;
}

/* Newton's method in double precision; the last bit may differ from the nearest. */
static inline float webnn__scalar_sqrt(float x) {
  if (x > 0 && x <= 3.402823466e38f) {
    return (float)webnn__quick_sqrt((double)x);
  }
  return x >= 0 ? x : webnn__scalar_of_bits(0x7fc00000); /* zeros, infinity; negative, NaN */
}

#elif WEBNN__STAMP == WEBNN__STAMP_SSE2

/* Adding and taking away 2^23 rounds to an integer; the sign is put back for -0. */
static inline v_float webnn__sse2_round(v_float x) {
  const v_int sign = i_and(v_bits(x), i_set(INT32_MIN));
  const v_float size = v_of_bits(i_xor(v_bits(x), sign)), big = v_set(8388608.0f);
  const v_float whole = v_sub(v_add(size, big), big);
  return v_select(v_lt(size, big), v_of_bits(i_or(v_bits(whole), sign)), x);
}

static inline v_float webnn__sse2_floor(v_float x) {
  const v_float whole = webnn__sse2_round(x);
  return v_select(v_lt(x, whole), v_sub(whole, v_set(1.0f)), whole);
}

static inline v_float webnn__sse2_ceil(v_float x) {
  const v_int sign = i_set(INT32_MIN);
  return v_of_bits(i_xor(v_bits(webnn__sse2_floor(v_of_bits(i_xor(v_bits(x), sign)))), sign));
}
#endif

#if WEBNN__STAMP == WEBNN__STAMP_SSE2 || WEBNN__STAMP == WEBNN__STAMP_WASM

/* float16 without conversion instructions, one by one. */
static inline v_float K(load_half)(const uint16_t *p) {
  uint32_t bits[V_WIDTH];
  float x[V_WIDTH];
  int i;
  for (i = 0; i < V_WIDTH; i++) {
    bits[i] = webnn__f16_to_f32_bits(p[i]);
  }
  memcpy(x, bits, sizeof x);
  return v_load(x);
}

static inline void K(store_half)(uint16_t *p, v_float v) {
  uint32_t bits[V_WIDTH];
  float x[V_WIDTH];
  int i;
  v_store(x, v);
  memcpy(bits, x, sizeof bits);
  for (i = 0; i < V_WIDTH; i++) {
    p[i] = webnn__f32_bits_to_f16(bits[i]);
  }
}
#define v_load_half(p) K(load_half)(p)
#define v_store_half(p, x) K(store_half)(p, x)
#endif

#if V_WIDTH > 1
#ifndef v_load_part
static inline v_float K(load_part)(const float *p, size_t n) {
  float x[V_WIDTH] = {0};
  memcpy(x, p, n * sizeof *p);
  return v_load(x);
}

static inline void K(store_part)(float *p, size_t n, v_float v) {
  float x[V_WIDTH];
  v_store(x, v);
  memcpy(p, x, n * sizeof *p);
}
#define v_load_part(p, n) K(load_part)(p, n)
#define v_store_part(p, n, x) K(store_part)(p, n, x)
#endif

static inline float K(lanes_sum)(v_float v) {
  float x[V_WIDTH];
  int half, i;
  v_store(x, v);
  for (half = V_WIDTH / 2; half > 0; half /= 2) {
    for (i = 0; i < half; i++) {
      x[i] += x[i + half];
    }
  }
  return x[0];
}

/* The largest lane; NaN lanes count only where v_max hands them on. */
static inline float K(lanes_largest)(v_float v) {
  float x[V_WIDTH];
  int i;
  v_store(x, v);
  for (i = 1; i < V_WIDTH; i++) {
    x[0] = x[i] > x[0] ? x[i] : x[0];
  }
  return x[0];
}
#define v_sum(a) K(lanes_sum)(a)
#define v_largest(a) K(lanes_largest)(a)
#endif

/* ---- Matrix products and convolutions ----------------------------------------------------------

   WEBNN__ROWS x WEBNN__COLUMNS vectors of sums stay in registers while one row of b, in registers
   too, meets one element of each row: for 14 x 2 that is 28 fused multiply-adds for 16 loads, so
   the multipliers are the limit and not the loads. There is a function for each number of rows,
   for all columns and for one vector of them. Blocks have at most 256 terms, so that errors grow
   as those of sums of 256, and of one sum over the blocks:
   |error| <= (256 + terms / 128) 2^-24 sum |a b|, without V_FUSED twice that. */
#undef WEBNN__ROWS
#undef WEBNN__COLUMNS
#if V_WIDTH == 16
#define WEBNN__ROWS 14
#define WEBNN__COLUMNS 2
#elif V_WIDTH == 1
#define WEBNN__ROWS 4
#define WEBNN__COLUMNS 4
#elif WEBNN__STAMP == WEBNN__STAMP_NEON
#define WEBNN__ROWS 8
#define WEBNN__COLUMNS 3
#else
#define WEBNN__ROWS 6
#define WEBNN__COLUMNS 2
#endif

/* NaN stays. */
static inline v_float K(clamped)(v_float s, float low, float high) {
  return v_min(v_set(high), v_max(v_set(low), s));
}

/* The last steps where the columns are no whole vectors, from t->sums. */
static void K(product_edge)(const webnn__product_tile *t) {
  uint32_t i, j;
  for (i = 0; i < t->row_count; i++) {
    for (j = 0; j < t->column_count; j += V_WIDTH) {
      const size_t n = t->column_count - j < V_WIDTH ? t->column_count - j : V_WIDTH;
      v_float s = v_load(t->sums + i * WEBNN__COLUMNS * V_WIDTH + j);
      float *y = t->y[i] + t->y_column + j;
      if (t->residual != NULL) {
        const float *x = t->residual[i] + t->residual_column + j;
        s = v_add(s, n == V_WIDTH ? v_load(x) : v_load_part(x, n));
      }
      if (t->clamped) {
        s = K(clamped)(s, t->low, t->high);
      }
      if (n == V_WIDTH) {
        v_store(y, s);
      } else {
        v_store_part(y, n, s);
      }
    }
  }
}

#define WEBNN__EACH_ROW                                                                            \
  WEBNN__UNROLL                                                                                    \
  for (i = 0; i < rows; i++)
#define WEBNN__EACH_COLUMN                                                                         \
  WEBNN__UNROLL                                                                                    \
  for (j = 0; j < columns; j++)

/* The tile with `rows` rows and `columns` vectors, both constants. */
WEBNN__INLINE void K(product_of)(const webnn__product_tile *t, const int rows, const int columns) {
  v_float s[WEBNN__ROWS][WEBNN__COLUMNS];
  const float *r[WEBNN__ROWS], *b = t->b;
  uint64_t tap, k;
  int i, j;
  WEBNN__EACH_ROW WEBNN__EACH_COLUMN {
    s[i][j] = t->begins ? v_set(0.0f) : v_load(t->sums + (i * WEBNN__COLUMNS + j) * V_WIDTH);
  }
  for (tap = 0; tap < t->tap_count; tap++) {
    WEBNN__EACH_ROW {
      r[i] = t->rows[tap * t->row_step + (uint64_t)i] + t->first;
    }
    for (k = 0; k < t->depth; k++, b += WEBNN__COLUMNS * V_WIDTH) {
      v_float x[WEBNN__COLUMNS];
      WEBNN__EACH_COLUMN {
        x[j] = v_load(b + j * V_WIDTH);
      }
      WEBNN__EACH_ROW {
        const v_float a = v_set(r[i][k]);
        WEBNN__EACH_COLUMN {
          s[i][j] = v_fma(a, x[j], s[i][j]);
        }
      }
    }
  }
  if (t->ends) {
    if (t->scale != 1.0f) {
      WEBNN__EACH_ROW WEBNN__EACH_COLUMN {
        s[i][j] = v_mul(s[i][j], v_set(t->scale));
      }
    }
    if (t->bias != NULL) {
      WEBNN__EACH_ROW WEBNN__EACH_COLUMN {
        s[i][j] = v_add(s[i][j], v_load(t->bias + j * V_WIDTH));
      }
    }
    if (t->start != NULL) {
      WEBNN__EACH_ROW WEBNN__EACH_COLUMN {
        s[i][j] = v_add(s[i][j], v_set(t->start[i]));
      }
    }
  }
  if (!t->ends || t->column_count != (uint32_t)(columns * V_WIDTH)) {
    WEBNN__EACH_ROW WEBNN__EACH_COLUMN {
      v_store(t->sums + (i * WEBNN__COLUMNS + j) * V_WIDTH, s[i][j]);
    }
    if (t->ends) {
      K(product_edge)(t);
    }
    return;
  }
  if (t->residual != NULL) {
    WEBNN__EACH_ROW WEBNN__EACH_COLUMN {
      s[i][j] = v_add(s[i][j], v_load(t->residual[i] + t->residual_column + j * V_WIDTH));
    }
  }
  if (t->clamped) {
    WEBNN__EACH_ROW WEBNN__EACH_COLUMN {
      s[i][j] = K(clamped)(s[i][j], t->low, t->high);
    }
  }
  WEBNN__EACH_ROW WEBNN__EACH_COLUMN {
    v_store(t->y[i] + t->y_column + j * V_WIDTH, s[i][j]);
  }
}
#undef WEBNN__EACH_ROW
#undef WEBNN__EACH_COLUMN

#define WEBNN__PRODUCT_TILE(rows)                                                                  \
  static void K(product_tile_##rows)(const webnn__product_tile *t) {                               \
    if (t->column_count > V_WIDTH) {                                                               \
      K(product_of)(t, rows, WEBNN__COLUMNS);                                                      \
    } else {                                                                                       \
      K(product_of)(t, rows, 1);                                                                   \
    }                                                                                              \
  }
WEBNN__PRODUCT_TILE(1)
WEBNN__PRODUCT_TILE(2)
WEBNN__PRODUCT_TILE(3)
WEBNN__PRODUCT_TILE(4)
#if WEBNN__ROWS > 4
WEBNN__PRODUCT_TILE(5)
WEBNN__PRODUCT_TILE(6)
#endif
#if WEBNN__ROWS > 6
WEBNN__PRODUCT_TILE(7)
WEBNN__PRODUCT_TILE(8)
#endif
#if WEBNN__ROWS > 8
WEBNN__PRODUCT_TILE(9)
WEBNN__PRODUCT_TILE(10)
WEBNN__PRODUCT_TILE(11)
WEBNN__PRODUCT_TILE(12)
WEBNN__PRODUCT_TILE(13)
WEBNN__PRODUCT_TILE(14)
#endif
#undef WEBNN__PRODUCT_TILE

static void K(product_tile)(const webnn__product_tile *t) {
  static void (*const tiles[WEBNN__ROWS])(const webnn__product_tile *) = {
    K(product_tile_1),
    K(product_tile_2),
    K(product_tile_3),
    K(product_tile_4),
#if WEBNN__ROWS > 4
    K(product_tile_5),
    K(product_tile_6),
#endif
#if WEBNN__ROWS > 6
    K(product_tile_7),
    K(product_tile_8),
#endif
#if WEBNN__ROWS > 8
    K(product_tile_9),
    K(product_tile_10),
    K(product_tile_11),
    K(product_tile_12),
    K(product_tile_13),
    K(product_tile_14),
#endif
  };
  tiles[t->row_count - 1](t);
}

/* A panel: to[k][j] = from[k step + j], j < count <= all columns, and zeros. */
static void K(product_pack)(float *to, const float *from, uint64_t step, uint64_t rows,
                            size_t count) {
  uint64_t k;
  int j;
  for (k = 0; k < rows; k++, from += step, to += WEBNN__COLUMNS * V_WIDTH) {
    WEBNN__UNROLL
    for (j = 0; j < WEBNN__COLUMNS; j++) {
      const size_t n = count < (size_t)j * V_WIDTH ? 0 : count - (size_t)j * V_WIDTH;
      v_store(to + j * V_WIDTH, n >= V_WIDTH ? v_load(from + j * V_WIDTH)
                                : n > 0      ? v_load_part(from + j * V_WIDTH, n)
                                             : v_set(0.0f));
    }
  }
}

/* The first n lanes of what is at number `at` of float32 or float16. */
WEBNN__INLINE v_float K(load_as)(const void *x, ptrdiff_t at, size_t n, const bool half) {
  uint16_t part[V_WIDTH] = {0};
  if (!half) {
    return n == V_WIDTH ? v_load((const float *)x + at) : v_load_part((const float *)x + at, n);
  }
  if (n == V_WIDTH) {
    return v_load_half((const uint16_t *)x + at);
  }
  memcpy(part, (const uint16_t *)x + at, n * sizeof *part);
  return v_load_half(part);
}

WEBNN__INLINE void K(store_as)(void *y, ptrdiff_t at, size_t n, v_float s, const bool half) {
  uint16_t part[V_WIDTH];
  if (!half && n == V_WIDTH) {
    v_store((float *)y + at, s);
  } else if (!half) {
    v_store_part((float *)y + at, n, s);
  } else if (n == V_WIDTH) {
    v_store_half((uint16_t *)y + at, s);
  } else {
    v_store_half(part, s);
    memcpy((uint16_t *)y + at, part, n * sizeof *part);
  }
}

/* n <= V_WIDTH channels of `pixels` pixels. Each weight is loaded once for all of them. */
WEBNN__INLINE void K(depthwise_at)(const webnn__depthwise_channels *d,
                                   const webnn__depthwise_span *span, uint64_t p, uint64_t c,
                                   size_t n, const int pixels, const bool half) {
  v_float s[8];
  ptrdiff_t at = (ptrdiff_t)p * d->y_step + (ptrdiff_t)c;
  uint32_t row, column;
  int i;
  WEBNN__UNROLL
  for (i = 0; i < pixels; i++) {
    s[i] = K(load_as)(d->bias, (ptrdiff_t)c, n, false);
  }
  for (row = d->first_row; row < d->end_row; row++) {
    const float *w = d->w + row * d->w_row + span->first * d->w_column + c;
    ptrdiff_t x = d->origin + (ptrdiff_t)row * d->tap_row + (ptrdiff_t)p * d->step + (ptrdiff_t)c +
                  (ptrdiff_t)span->first * d->tap_column;
    for (column = span->first; column < span->end; column++) {
      const v_float f = K(load_as)(w, 0, n, false);
      WEBNN__UNROLL
      for (i = 0; i < pixels; i++) {
        s[i] = v_fma(K(load_as)(d->x, x + i * d->step, n, half), f, s[i]);
      }
      w += d->w_column;
      x += d->tap_column;
    }
  }
  WEBNN__UNROLL
  for (i = 0; i < pixels; i++, at += d->y_step) {
    if (d->residual != NULL) {
      s[i] = v_add(s[i], K(load_as)(d->residual, at, n, half));
    }
    if (d->clamped) {
      s[i] = K(clamped)(s[i], d->low, d->high);
    }
    K(store_as)(d->y, at, n, s[i], half);
  }
}

WEBNN__INLINE void K(depthwise_vector)(const webnn__depthwise_channels *d, uint64_t c, size_t n,
                                       const bool half) {
  uint32_t i;
  uint64_t p;
  for (i = 0; i < d->span_count; i++) {
    for (p = d->spans[i].begin; p + 8 <= d->spans[i].stop; p += 8) {
      K(depthwise_at)(d, &d->spans[i], p, c, n, 8, half);
    }
    for (; p + 2 <= d->spans[i].stop; p += 2) {
      K(depthwise_at)(d, &d->spans[i], p, c, n, 2, half);
    }
    if (p < d->spans[i].stop) {
      K(depthwise_at)(d, &d->spans[i], p, c, n, 1, half);
    }
  }
}

WEBNN__INLINE void K(depthwise_of)(const webnn__depthwise_channels *d, const bool half) {
  uint64_t c;
  for (c = 0; c + V_WIDTH <= d->channels; c += V_WIDTH) {
    K(depthwise_vector)(d, c, V_WIDTH, half);
  }
  if (c < d->channels) {
    K(depthwise_vector)(d, c, (size_t)(d->channels - c), half);
  }
}

static void K(depthwise_channels)(const webnn__depthwise_channels *d) {
  if (d->half) {
    K(depthwise_of)(d, true);
  } else {
    K(depthwise_of)(d, false);
  }
}

/* Vectors of pixels; `taps` is a constant, or 0 for any number. */
WEBNN__INLINE void K(depthwise_pixels_of)(const webnn__depthwise_row *d, const uint64_t taps) {
  const uint64_t count = taps > 0 ? taps : d->tap_count;
  const v_float bias = v_set(*d->bias);
  v_float w[9];
  uint64_t p, t;
  WEBNN__UNROLL
  for (t = 0; t < taps; t++) {
    w[t] = v_set(d->w[(ptrdiff_t)t * d->w_step]);
  }
  for (p = 0; p < d->pixels; p += V_WIDTH) {
    const size_t rest = (size_t)(d->pixels - p), n = rest < V_WIDTH ? rest : V_WIDTH;
    v_float s = bias;
    if (taps > 0 && n == V_WIDTH) {
      WEBNN__UNROLL
      for (t = 0; t < taps; t++) {
        s = v_fma(v_load(d->x + d->taps[t] + p), w[t], s);
      }
    } else {
      for (t = 0; t < count; t++) {
        const float *x = d->x + d->taps[t] + p;
        s = v_fma(n == V_WIDTH ? v_load(x) : v_load_part(x, n),
                  v_set(d->w[(ptrdiff_t)t * d->w_step]), s);
      }
    }
    if (d->residual != NULL) {
      s = v_add(s, K(load_as)(d->residual, (ptrdiff_t)p, n, false));
    }
    if (d->clamped) {
      s = K(clamped)(s, d->low, d->high);
    }
    K(store_as)(d->y, (ptrdiff_t)p, n, s, false);
  }
}

static void K(depthwise_pixels)(const webnn__depthwise_row *d) {
  if (d->tap_count == 9) {
    K(depthwise_pixels_of)(d, 9);
  } else {
    K(depthwise_pixels_of)(d, 0);
  }
}

/* ---- Functions of vectors ----------------------------------------------------------------------

   Each in the form that loses least: a result is a large part, exact or correctly rounded, plus a
   small one from a polynomial (minimax for the relative error of the function, its coefficients
   rounded to float32 one after the other and the rest fitted again). Nothing is looked up. Special
   values come out of the arithmetic itself where they can.

   Largest error found, in units of the result's last place (ULP), against double precision: float32
   arguments of all exponents, every 41st bit pattern (pow: three million pairs, half of them chosen
   for results in range), with fused multiply-add and without:

     exp       1.02  0.99      tanh      1.34  1.34      sin  1.32  1.53      sqrt        0.50  0.50
     e^x - 1   0.95  1.00      sigmoid   1.63  1.73      cos  1.27  1.48      reciprocal  0.50  0.50
     log       0.83  0.86      softplus  1.75  1.96      tan  1.74  1.74      softsign    1.50  1.50
     pow       0.91  1.16      erf       1.70  1.73      gelu 1.80  2.05

   Rounded to the nearest float, too, the reference is never more than two floats away. */

static inline v_float K(absolute)(v_float x) {
  return v_of_bits(i_and(v_bits(x), i_set(INT32_MAX)));
}

static inline v_int K(sign_bit)(v_float x) {
  return i_and(v_bits(x), i_set(INT32_MIN));
}

static inline v_float K(infinity)(void) {
  return v_of_bits(i_set(0x7f800000));
}

/* |y| with the sign of x. */
static inline v_float K(with_sign)(v_float y, v_float x) {
  return v_of_bits(i_or(v_bits(K(absolute)(y)), K(sign_bit)(x)));
}

/* The result is exactly a b = p + *error, as long as nothing underflows. */
static inline v_float K(product)(v_float a, v_float b, v_float *error) {
  const v_float p = v_mul(a, b);
#if V_FUSED
  *error = v_fma(a, b, v_sub(v_set(0.0f), p));
#else
  /* Dekker: halves of 12 bits, whose products are exact. */
  const v_float ca = v_mul(v_set(4097.0f), a), cb = v_mul(v_set(4097.0f), b);
  const v_float ah = v_sub(ca, v_sub(ca, a)), bh = v_sub(cb, v_sub(cb, b));
  const v_float al = v_sub(a, ah), bl = v_sub(b, bh);
  *error =
      v_add(v_add(v_add(v_sub(v_mul(ah, bh), p), v_mul(ah, bl)), v_mul(al, bh)), v_mul(al, bl));
#endif
  return p;
}

/* 2^n for whole -126 <= n <= 127. */
static inline v_float K(power_of_2)(v_float n) {
#if WEBNN__STAMP == WEBNN__STAMP_AVX512
  return _mm512_scalef_ps(v_set(1.0f), n);
#else
  return v_of_bits(i_shl(i_add(v_to_int(v_min(n, v_set(127.0f))), i_set(127)), 23));
#endif
}

/* x 2^n for whole -252 <= n <= 254, rounded once also where the result is subnormal: of the two
   halves of 2^n only the second can round. */
static inline v_float K(scale)(v_float x, v_float n) {
#if WEBNN__STAMP == WEBNN__STAMP_AVX512
  return _mm512_scalef_ps(x, n);
#else
  const v_int k = v_to_int(v_min(n, v_set(254.0f))), half = i_sar(k, 1);
  const v_float first = v_of_bits(i_shl(i_add(half, i_set(127)), 23));
  const v_float second = v_of_bits(i_shl(i_add(i_sub(k, half), i_set(127)), 23));
  return v_mul(v_mul(x, first), second);
#endif
}

/* (e^r - 1) for |r| <= 0.35: r + r^2 q(r), relative error of the polynomial 2^-26. */
static inline v_float K(small_expm1)(v_float r) {
  v_float q = v_set(0.00138662185f);
  q = v_fma(q, r, v_set(0.00836715009f));
  q = v_fma(q, r, v_set(0.0416674949f));
  q = v_fma(q, r, v_set(0.16666539f));
  q = v_fma(q, r, v_set(0.49999997f));
  return v_fma(v_mul(r, r), q, r);
}

/* x = n ln 2 + r. ln 2 in two parts, the first of 15 bits: its product with n is exact. */
static inline v_float K(minus_n_ln2)(v_float x, v_float *n) {
  *n = v_round(v_mul(x, v_set(1.44269504f)));
  return v_fnma(*n, v_set(1.42860677e-6f), v_fnma(*n, v_set(0.693145752f), x));
}

/* e^x = 2^n (1 + (e^r - 1)). 1 ULP. */
static inline v_float K(exp)(v_float x) {
  v_float n;
  x = v_max(v_set(-105.0f), v_min(v_set(89.0f), x));
  x = K(minus_n_ln2)(x, &n);
  return K(scale)(v_add(v_set(1.0f), K(small_expm1)(x)), n);
}

/* e^x - 1 = 2^n (e^r - 1) + (2^n - 1) for x <= 0. 1 ULP. */
static inline v_float K(expm1)(v_float x) {
  v_float n, p;
  x = K(minus_n_ln2)(v_max(v_set(-20.0f), x), &n);
  p = K(power_of_2)(n);
  return v_fma(p, K(small_expm1)(x), v_sub(p, v_set(1.0f)));
}

/* tanh |x| = 1 - 2 / (1 + e^(2|x|)) above 0.55, a polynomial below, relative error 2^-29. The sum
   in the divisor is rounded once. */
static inline v_float K(tanh)(v_float x) {
  const v_float one = v_set(1.0f), t = v_min(v_set(10.0f), K(absolute)(x)), q = v_mul(t, t);
  v_float n, p, e, s = v_set(-0.00618686387f);
  s = v_fma(s, q, v_set(0.0210109558f));
  s = v_fma(s, q, v_set(-0.0538377874f));
  s = v_fma(s, q, v_set(0.133324489f));
  s = v_fma(s, q, v_set(-0.333333135f));
  s = v_fma(v_mul(t, q), s, t);
  e = K(small_expm1)(K(minus_n_ln2)(v_add(t, t), &n));
  p = K(power_of_2)(n);
  e = v_sub(one, v_div(v_set(2.0f), v_fma(p, e, v_add(p, one))));
  return K(with_sign)(v_select(v_lt(t, v_set(0.55f)), s, e), x);
}

/* With e^-x = 2^n (1 + e) and p = 2^-|n|: for n > 0, p / (1 + (e + p)), else 1 / (1 + p + p e). The
   divisor's sum is rounded once where it counts; the numerator may make the result subnormal. */
static inline v_float K(sigmoid)(v_float x) {
  const v_float zero = v_set(0.0f), one = v_set(1.0f);
  v_mask negative;
  v_float n, p, e, y;
  x = v_max(v_set(-105.0f), v_min(v_set(105.0f), v_sub(zero, x)));
  e = K(small_expm1)(K(minus_n_ln2)(x, &n));
  p = K(power_of_2)(v_max(v_set(-30.0f), v_sub(zero, K(absolute)(n))));
  negative = v_lt(zero, n);
  y = v_fma(v_select(negative, one, p), v_select(negative, v_add(e, p), e),
            v_select(negative, one, v_add(one, p)));
  return K(scale)(v_div(one, y), v_min(zero, v_sub(zero, n)));
}

/* erf |x| = 1 - e^-z, z = -ln erfc |x| as a polynomial, relative error 2^-27.8 of the result, for
   0.6 and above; one in x^2 below, 2^-26.7, with 2 / sqrt(pi) in two parts. From 3.95 on erf is 1.
 */
static inline v_float K(erf)(v_float x) {
  const v_float one = v_set(1.0f), t = v_min(v_set(3.95f), K(absolute)(x)), q = v_mul(t, t);
  v_float n, p, s = v_set(0.00452928199f), z = v_set(0.000222203744f);
  s = v_fma(s, q, v_set(-0.0266606305f));
  s = v_fma(s, q, v_set(0.11281357f));
  s = v_fma(s, q, v_set(-0.376125485f));
  s = v_fma(s, q, v_set(-5.86353828e-8f));
  s = v_fma(s, t, v_mul(t, v_set(1.128379226f)));
  z = v_fma(z, t, v_set(-0.00328483037f));
  z = v_fma(z, t, v_set(0.0231266543f));
  z = v_fma(z, t, v_set(-0.105669171f));
  z = v_fma(z, t, v_set(-0.635344803f));
  z = v_fma(z, t, v_set(-1.12868583f));
  z = v_fma(z, t, v_set(3.02829758e-5f));
  z = K(small_expm1)(K(minus_n_ln2)(z, &n));
  p = K(power_of_2)(n);
  z = v_fnma(p, z, v_sub(one, p));
  return K(with_sign)(v_select(v_lt(t, v_set(0.6f)), s, z), x);
}

/* t erfc(t / sqrt 2) e^(t^2/2) / 2 = t / d + *low. Below 3, d is 2 + t s(t), relative error 2^-28,
   and *low the error of the quotient; above, the quotient is nearly 1 / sqrt(2 pi), and a
   polynomial in 1 / (t^2 + 3.5) gives it, 2^-26.7. */
static inline v_float K(gelu_quotient)(v_float t, v_float *low) {
  const v_mask tail = v_lt(v_set(3.0f), t);
  const v_float two = v_set(2.0f);
  v_float s = v_set(1.09258883e-6f), d, d_low, p, p_low, r, q;
  s = v_fma(s, t, v_set(-2.33338415e-5f));
  s = v_fma(s, t, v_set(0.000220590111f));
  s = v_fma(s, t, v_set(-0.00117784983f));
  s = v_fma(s, t, v_set(0.0034272701f));
  s = v_fma(s, t, v_set(-0.000598943327f));
  s = v_fma(s, t, v_set(-0.0479034856f));
  s = v_fma(s, t, v_set(0.273232341f));
  p = s;
  s = v_fma(p, t, v_set(1.59576952f));
  p = v_fma(p, t, v_sub(v_set(1.59576952f), s)); /* what s lacks */
  d_low = v_mul(p, t);
  p = K(product)(s, t, &p_low);
  d = v_add(p, two);
  d_low = v_add(v_sub(p, v_sub(d, two)), v_add(p_low, d_low));
  r = v_div(v_set(1.0f), d);
  q = v_mul(t, r);
  p = K(product)(q, d, &p_low);
  *low = v_mul(v_fnma(q, d_low, v_sub(v_sub(t, p), p_low)), r);
  if (m_any(tail)) {
    const v_float z = v_div(v_set(1.0f), v_fma(t, t, v_set(3.5f)));
    v_float v = v_set(-30.6813507f);
    v = v_fma(v, z, v_set(3.35539913f));
    v = v_fma(v, z, v_set(-2.41917586f));
    v = v_fma(v, z, v_set(-0.200619593f));
    v = v_fma(v, z, v_set(-0.398934215f));
    v = v_fma(v, z, v_set(0.398942262f));
    q = v_select(tail, v, q);
    *low = v_select(tail, v_set(0.0f), *low);
  }
  return q;
}

/* gelu x = max(x, 0) - q e^(-t^2/2), t = |x|, q = gelu_quotient(t). The exponent is taken with its
   rounding error, because it is large. -infinity gives NaN, as x erfc(-x / sqrt 2) / 2 does. */
static inline v_float K(gelu)(v_float x) {
  const v_float zero = v_set(0.0f), t = v_min(v_set(15.0f), K(absolute)(x));
  v_float low, n, r, q_low;
  const v_float high = K(product)(t, v_mul(t, v_set(0.5f)), &low);
  const v_float q = K(gelu_quotient)(t, &q_low);
  n = v_round(v_mul(high, v_set(-1.44269504f)));
  r = v_sub(v_fnma(n, v_set(0.693145752f), v_sub(zero, high)),
            v_fma(n, v_set(1.42860677e-6f), low));
  r = K(small_expm1)(r);
  r = K(scale)(v_add(q, v_fma(q, r, q_low)), n);
  r = v_fma(v_min(x, zero), zero, v_sub(v_max(x, zero), r));
  return K(with_sign)(r, x);
}

/* max(x, 0) + ln(1 + u), u = e^-|x|: u + u^2 q(u), relative error of the polynomial 2^-27.5. */
static inline v_float K(softplus)(v_float x) {
  const v_float zero = v_set(0.0f), u = K(exp)(v_sub(zero, K(absolute)(x)));
  v_float q = v_set(-0.00331055722f);
  q = v_fma(q, u, v_set(0.0201679971f));
  q = v_fma(q, u, v_set(-0.0575936884f));
  q = v_fma(q, u, v_set(0.1067314f));
  q = v_fma(q, u, v_set(-0.153508395f));
  q = v_fma(q, u, v_set(0.196937442f));
  q = v_fma(q, u, v_set(-0.249582469f));
  q = v_fma(q, u, v_set(0.333304763f));
  q = v_fma(q, u, v_set(-0.499999315f));
  return v_add(u, v_fma(v_mul(u, u), q, v_max(x, zero)));
}

/* x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt 2, for finite x > 0: the exponent field counts from
   the bits of sqrt(1/2). */
static inline v_float K(split)(v_float x, v_float *k) {
  const v_mask tiny = v_lt(x, v_set(1.17549435e-38f));
  const v_int offset =
      i_sub(v_bits(v_select(tiny, v_mul(x, v_set(33554432.0f)), x)), i_set(0x3f3504f3));
  const v_int exponent = i_sar(offset, 23);
  *k = v_sub(v_from_int(exponent), v_select(tiny, v_set(25.0f), v_set(0.0f)));
  return v_sub(v_of_bits(i_add(i_sub(offset, i_shl(exponent, 23)), i_set(0x3f3504f3))),
               v_set(1.0f));
}

/* ln x = k ln 2 + f - f^2/2 + f^3 p(f), smallest terms first. */
static inline v_float K(log)(v_float x) {
  v_float k, y, p = v_set(-0.0763603225f);
  const v_float f = K(split)(x, &k), square = v_mul(f, f), zero = v_set(0.0f);
  const v_mask positive = m_and(v_lt(zero, x), v_lt(x, K(infinity)()));
  const v_mask special = m_not(positive);
  p = v_fma(p, f, v_set(0.127631783f));
  p = v_fma(p, f, v_set(-0.131602481f));
  p = v_fma(p, f, v_set(0.142014667f));
  p = v_fma(p, f, v_set(-0.166233227f));
  p = v_fma(p, f, v_set(0.200012445f));
  p = v_fma(p, f, v_set(-0.250008225f));
  p = v_fma(p, f, v_set(0.333333313f));
  y = v_fma(v_mul(square, f), p, v_mul(k, v_set(1.42860677e-6f)));
  y = v_add(f, v_fnma(v_set(0.5f), square, y));
  y = v_fma(k, v_set(0.693145752f), y);
  if (m_any(special)) { /* 0, negative, infinite, NaN */
    const v_float other = v_select(v_eq(x, zero), v_of_bits(i_set(-0x00800000)), v_sqrt(x));
    y = v_select(positive, y, other);
  }
  return y;
}

/* |x| = quadrant pi/2 + r + *low, |r| <= pi/4, for |x| < WEBNN__LARGE_ANGLE; 0 for others. pi/2 is
   in parts of 11 bits, whose products with the quadrant are exact. The first two steps are exact,
   too, the third is rounded, and what it loses is in *low. */
static inline v_float K(angle)(v_float size, v_mask inside, v_float *low, v_int *quadrant) {
  const v_float x = v_select(inside, size, v_set(0.0f));
  const v_float n = v_round(v_mul(x, v_set(0.636619747f)));
  const v_float first = v_fnma(n, v_set(0.000483751297f), v_fnma(n, v_set(1.5703125f), x));
  const v_float next = v_set(7.54953362e-8f), last = v_set(2.56334407e-12f);
  const v_float r = v_fnma(n, next, first);
  *low = v_fnma(n, last, v_fnma(n, next, v_sub(first, r)));
  *quadrant = v_to_int(n);
  return r;
}

/* Replaces what angle() could not do. */
static v_float K(large_angles)(webnn_op op, v_float x, v_float y) {
  float from[V_WIDTH], to[V_WIDTH];
  int i;
  v_store(from, x);
  v_store(to, y);
  for (i = 0; i < V_WIDTH; i++) {
    if (!(from[i] < WEBNN__LARGE_ANGLE && from[i] > -WEBNN__LARGE_ANGLE)) {
      to[i] = webnn__large_angle(op, from[i]);
    }
  }
  return v_load(to);
}

/* sin x, or cos x = sin(|x| + pi/2): in odd quadrants the cosine of r, in the third and fourth with
   the other sign. Relative errors of the polynomials 2^-27.9 and 2^-33. */
static inline v_float K(sine)(webnn_op op, v_float x) {
  const v_float size = K(absolute)(x);
  const v_mask inside = v_lt(size, v_set(WEBNN__LARGE_ANGLE)), outside = m_not(inside);
  const bool is_cos = op == WEBNN_OP_COS;
  v_int quadrant;
  v_float low;
  const v_float r = K(angle)(size, inside, &low, &quadrant), q = v_mul(r, r);
  v_float s = v_set(-0.000195180721f), c = v_set(2.44323383e-5f), y;
  v_int sign;
  s = v_fma(s, q, v_set(0.00833218824f));
  s = v_fma(s, q, v_set(-0.166666552f));
  s = v_add(r, v_fma(v_mul(r, q), s, low));
  c = v_fma(c, q, v_set(-0.00138873095f));
  c = v_fma(c, q, v_set(0.0416666456f));
  c = v_fma(v_fma(c, q, v_set(-0.5f)), q, v_set(1.0f));
  quadrant = i_add(quadrant, i_set(is_cos ? 1 : 0));
  y = v_select(i_eq(i_and(quadrant, i_set(1)), i_set(0)), s, c);
  sign = i_shl(i_and(quadrant, i_set(2)), 30);
  y = v_of_bits(i_xor(v_bits(y), is_cos ? sign : i_xor(sign, K(sign_bit)(x))));
  return m_any(outside) ? K(large_angles)(op, x, y) : y;
}

/* tan r = r + r^3 p(r^2), relative error of the polynomial 2^-29.5; -1 / tan r in odd quadrants. */
static inline v_float K(tan)(v_float x) {
  const v_float size = K(absolute)(x);
  const v_mask inside = v_lt(size, v_set(WEBNN__LARGE_ANGLE)), outside = m_not(inside);
  v_int quadrant;
  v_float low;
  const v_float r = K(angle)(size, inside, &low, &quadrant), q = v_mul(r, r);
  v_float p = v_set(0.0043778792f), y;
  p = v_fma(p, q, v_set(8.88027207e-5f));
  p = v_fma(p, q, v_set(0.0108339321f));
  p = v_fma(p, q, v_set(0.0212841406f));
  p = v_fma(p, q, v_set(0.0540592112f));
  p = v_fma(p, q, v_set(0.133326739f));
  p = v_fma(p, q, v_set(0.333333492f));
  p = v_add(r, v_fma(v_mul(r, q), p, low));
  y = v_select(i_eq(i_and(quadrant, i_set(1)), i_set(0)), p, v_div(v_set(-1.0f), p));
  y = v_of_bits(i_xor(v_bits(y), K(sign_bit)(x)));
  return m_any(outside) ? K(large_angles)(WEBNN_OP_TAN, x, y) : y;
}

/* log2 x as the sum of the result and *low, relative error below 2^-33, for finite x > 0. With s =
   f / (2 + f), log2 x = k + 2/ln 2 (s + s u), u = s^2 (1/3 + s^2 p(s^2)). All but the polynomial is
   carried in two floats. */
static inline v_float K(log2_in_two)(v_float x, v_float *low) {
  const v_float third = v_set(0.333333343f), two_over_ln2 = v_set(2.88539004f);
  v_float k, p_low, q_low, t_low, u_low, v_low, l_low, g_low, p, q, t, u, v, l, g, h;
  const v_float f = K(split)(x, &k), d = v_add(v_set(2.0f), f);
  const v_float d_low = v_sub(f, v_sub(d, v_set(2.0f))), s = v_div(f, d);
  v_float s_low;
  p = K(product)(s, d, &p_low);
  s_low = v_div(v_fnma(s, d_low, v_sub(v_sub(f, p), p_low)), d);
  q = K(product)(s, s, &q_low);
  q_low = v_fma(v_add(s, s), s_low, q_low);
  t = v_fma(v_fma(v_set(0.117096946f), q, v_set(0.142735481f)), q, v_set(0.200000763f));
  t_low = v_fma(t, q, v_set(-9.93410776e-9f));
  t = v_add(third, t_low);
  t_low = v_sub(t_low, v_sub(t, third));
  u = K(product)(q, t, &u_low);
  u_low = v_add(u_low, v_fma(q, t_low, v_mul(q_low, t)));
  v = K(product)(s, u, &v_low);
  v_low = v_add(v_low, v_fma(s, u_low, v_mul(s_low, u)));
  l = v_add(s, v);
  l_low = v_add(v_sub(v, v_sub(l, s)), v_add(v_low, s_low));
  g = K(product)(l, two_over_ln2, &g_low);
  g_low = v_add(g_low, v_fma(l, v_set(3.85192607e-8f), v_mul(l_low, two_over_ln2)));
  h = v_add(k, g);
  *low = v_add(v_sub(g, v_sub(h, k)), g_low);
  return h;
}

/* |x|^y = 2^(y log2 |x|), with x's sign if y is odd. An exponent beyond 4e9 makes 0, 1 or infinity
   of every float. */
static inline v_float K(finite_power)(v_float x, v_float y) {
  const v_float zero = v_set(0.0f), size = K(absolute)(x), half = v_mul(y, v_set(0.5f));
  const v_float z = v_max(v_set(-4e9f), v_min(v_set(4e9f), y));
  const v_mask whole = v_eq(v_round(y), y), odd = m_and(whole, m_not(v_eq(v_round(half), half)));
  v_float log_low, e_low, f, n, g;
  const v_float log2 = K(log2_in_two)(size, &log_low);
  v_float e = K(product)(z, log2, &e_low);
  e_low = v_fma(z, log_low, e_low);
  e_low = v_select(v_lt(K(absolute)(e), v_set(160.0f)), e_low, zero);
  e = v_max(v_set(-160.0f), v_min(v_set(130.0f), e));
  n = v_round(e);
  f = v_add(v_sub(e, n), e_low);
  g = v_fma(f, v_set(0.000155034199f), v_set(0.00133920729f));
  g = v_fma(g, f, v_set(0.00961790327f));
  g = v_fma(g, f, v_set(0.0555035733f));
  g = v_fma(g, f, v_set(0.240226522f));
  g = v_fma(g, f, v_set(0.693147182f));
  g = K(scale)(v_fma(g, f, v_set(1.0f)), n);
  g = v_select(v_eq(size, zero),
               v_select(v_lt(y, zero), K(infinity)(), v_select(v_eq(y, zero), v_set(1.0f), zero)),
               g);
  g = v_select(odd, K(with_sign)(g, x), g);
  return v_select(m_and(v_lt(x, zero), m_not(whole)), v_of_bits(i_set(0x7fc00000)), g);
}

static v_float K(special_powers)(v_float x, v_float y, v_float power) {
  float a[V_WIDTH], b[V_WIDTH], to[V_WIDTH];
  int i;
  v_store(a, x);
  v_store(b, y);
  v_store(to, power);
  for (i = 0; i < V_WIDTH; i++) {
    if (!(a[i] - a[i] == 0 && b[i] - b[i] == 0)) {
      to[i] = webnn__special_power(a[i], b[i]);
    }
  }
  return v_load(to);
}

static inline v_float K(pow)(v_float x, v_float y) {
  const v_float infinity = K(infinity)();
  const v_mask finite = m_and(v_lt(K(absolute)(x), infinity), v_lt(K(absolute)(y), infinity));
  const v_mask special = m_not(finite);
  v_float a = x, b = y;
  if (m_any(special)) {
    a = v_select(finite, x, v_set(1.0f));
    b = v_select(finite, y, v_set(1.0f));
    return K(special_powers)(x, y, K(finite_power)(a, b));
  }
  return K(finite_power)(a, b);
}

/* sqrt x by pow's rules: pow(-0, 1/2) is 0 and pow(-infinity, 1/2) infinity. */
static inline v_float K(root)(v_float x) {
  const v_mask infinite = v_eq(K(absolute)(x), K(infinity)());
  return v_select(infinite, K(infinity)(), v_sqrt(v_add(x, v_set(0.0f))));
}

/* NaN if there is one; of two zeros max takes +0 and min takes -0: by and and or of their bits. */
static inline v_float K(max)(v_float x, v_float y) {
  const v_float larger = v_select(v_nan(x, y), v_add(x, y), v_max(x, y));
  return v_select(v_eq(x, y), v_of_bits(i_and(v_bits(x), v_bits(y))), larger);
}

static inline v_float K(min)(v_float x, v_float y) {
  const v_float smaller = v_select(v_nan(x, y), v_add(x, y), v_min(x, y));
  return v_select(v_eq(x, y), v_of_bits(i_or(v_bits(x), v_bits(y))), smaller);
}

/* min(max(x, c0), c1). c2 is added: 0 for a lower bound +0 (it makes +0 of -0), NaN for a bound
   that is NaN, else -0. c3 is or-ed: -0 if the upper bound is -0. */
static inline v_float K(clamp)(v_float x, v_float c0, v_float c1, v_float c2, v_float c3) {
  const v_float y = v_min(c1, v_add(v_max(c0, x), c2));
  return v_of_bits(i_or(v_bits(y), v_bits(c3)));
}

/* a x for x < 0, else x. zero_times is |a| 0: NaN for an infinite a. zero is +0 for a = 0, whose
   product with x must not be -0, else -0, which changes nothing. */
static inline v_float K(leaky)(v_float x, v_float a, v_float negative, v_float zero,
                               v_float zero_times) {
  return v_select(v_lt(x, v_set(0.0f)), v_fma(a, negative, zero), v_add(x, zero_times));
}

static inline v_float K(prelu)(v_float x, v_float slope) {
  const v_float zero = v_set(0.0f);
  return K(leaky)(x, slope, x, v_select(v_eq(slope, zero), zero, v_set(-0.0f)),
                  v_mul(K(absolute)(slope), zero));
}

/* c0 x + c1. Not fused, a product that underflows must keep its sign when it is added to c1 = +0:
   c2 is -0 in place of such a c1, and used where x is not 0. */
static inline v_float K(linear)(v_float x, v_float c0, v_float c1, v_float c2) {
#if V_FUSED
  (void)c2;
  return v_fma(c0, x, c1);
#else
  return v_fma(c0, x, v_select(v_eq(x, v_set(0.0f)), c1, c2));
#endif
}

/* max(0, v) is +0 for -0, and hands on NaN. */
static inline v_float K(relu)(v_float x) {
  return v_add(v_max(v_set(0.0f), x), v_set(0.0f));
}

static inline v_float K(hard_swish)(v_float x) {
  const v_float six = v_set(6.0f), gate = v_min(six, v_add(x, v_set(3.0f)));
  return v_mul(x, v_div(v_max(v_set(0.0f), gate), six));
}

static inline v_float K(sign)(v_float x) {
  const v_float zero = v_set(0.0f), one = v_set(1.0f);
  return v_select(v_lt(zero, x), one, v_select(v_lt(x, zero), v_set(-1.0f), zero));
}

static inline v_float K(truth)(v_mask m) {
  return v_select(m, v_set(1.0f), v_set(0.0f));
}

/* Truncated to an integer between c0 and c1; NaN gives 0. */
static inline v_float K(truncate)(v_float x, v_float c0, v_float c1) {
  const v_float zero = v_set(0.0f);
  const v_float y = v_select(v_lt(x, zero), v_ceil(x), v_floor(x));
  return v_select(v_nan(x, x), zero, v_max(c0, v_min(c1, y)));
}

/* roundEven(x / scale) + zero point, between c0 and c1; NaN gives 0. The rounded quotient tells the
   exact one's nearest integer unless it is just half an integer: then the sign of the exact x -
   quotient scale tells on which side the exact quotient is. */
static inline v_float K(quantize)(v_float x, v_float scale, v_float zero_point, v_float c0,
                                  v_float c1) {
  const v_float zero = v_set(0.0f), half = v_set(0.5f), limit = v_set(1024.0f);
  const v_float q = v_max(v_sub(zero, limit), v_min(limit, v_div(x, scale)));
  v_float k = v_round(q), y;
  const v_mask tie = v_eq(K(absolute)(v_sub(q, k)), half);
  if (m_any(tie)) {
    v_float low, rest, up;
    const v_float p = K(product)(q, scale, &low);
    rest = v_sub(v_sub(x, p), low);
    rest = v_of_bits(i_xor(v_bits(rest), K(sign_bit)(scale)));
    up = v_select(v_lt(zero, rest), v_ceil(q), v_floor(q));
    k = v_select(m_and(tie, m_not(v_eq(rest, zero))), up, k);
  }
  y = v_max(c0, v_min(c1, v_add(k, zero_point)));
  return v_select(v_nan(q, q), zero, y);
}

/* ---- Tile functions ---------------------------------------------------------------------------

   One loop around each expression of the vectors x, y, z, w and the constants c0 to c3. The last
   vector may be a part of one; the test for it is predicted and costs nothing beside the rest. */

#define WEBNN__TILE_LOOP(name, operands, expression)                                               \
  static void K(tile_##name)(const webnn__tile *tile) {                                            \
    const float *const px = (const float *)tile->x[0];                                             \
    const float *const py = (const float *)tile->x[(operands) > 1 ? 1 : 0];                        \
    const float *const pz = (const float *)tile->x[(operands) > 2 ? 2 : 0];                        \
    const float *const pw = (const float *)tile->x[(operands) > 3 ? 3 : 0];                        \
    const v_float c0 = v_set(tile->c[0]), c1 = v_set(tile->c[1]);                                  \
    const v_float c2 = v_set(tile->c[2]), c3 = v_set(tile->c[3]);                                  \
    float *const to = (float *)tile->y;                                                            \
    const size_t n = tile->n;                                                                      \
    size_t i;                                                                                      \
    (void)c0;                                                                                      \
    (void)c1;                                                                                      \
    (void)c2;                                                                                      \
    (void)c3;                                                                                      \
    for (i = 0; i < n; i += V_WIDTH) {                                                             \
      const size_t rest = n - i;                                                                   \
      const bool part = rest < V_WIDTH;                                                            \
      const v_float x = part ? v_load_part(px + i, rest) : v_load(px + i);                         \
      const v_float y = (operands) < 2 ? x : part ? v_load_part(py + i, rest) : v_load(py + i);    \
      const v_float z = (operands) < 3 ? x : part ? v_load_part(pz + i, rest) : v_load(pz + i);    \
      const v_float w = (operands) < 4 ? x : part ? v_load_part(pw + i, rest) : v_load(pw + i);    \
      const v_float result = (expression);                                                         \
      (void)y;                                                                                     \
      (void)z;                                                                                     \
      (void)w;                                                                                     \
      if (part) {                                                                                  \
        v_store_part(to + i, rest, result);                                                        \
      } else {                                                                                     \
        v_store(to + i, result);                                                                   \
      }                                                                                            \
    }                                                                                              \
  }

WEBNN__TILE_LOOP(abs, 1, K(absolute)(x))
WEBNN__TILE_LOOP(ceil, 1, v_ceil(x))
WEBNN__TILE_LOOP(clamp, 1, K(clamp)(x, c0, c1, c2, c3))
WEBNN__TILE_LOOP(cos, 1, K(sine)(WEBNN_OP_COS, x))
WEBNN__TILE_LOOP(elu, 1, K(leaky)(x, c0, K(expm1)(v_min(v_set(0.0f), x)), c1, c2))
WEBNN__TILE_LOOP(erf, 1, K(erf)(x))
WEBNN__TILE_LOOP(exp, 1, K(exp)(x))
WEBNN__TILE_LOOP(floor, 1, v_floor(x))
WEBNN__TILE_LOOP(gelu, 1, K(gelu)(x))
WEBNN__TILE_LOOP(hard_sigmoid, 1, K(relu)(v_min(v_set(1.0f), K(linear)(x, c0, c1, c2))))
WEBNN__TILE_LOOP(hard_swish, 1, K(hard_swish)(x))
WEBNN__TILE_LOOP(is_infinite, 1, K(truth)(v_eq(K(absolute)(x), K(infinity)())))
WEBNN__TILE_LOOP(is_nan, 1, K(truth)(v_nan(x, x)))
WEBNN__TILE_LOOP(leaky_relu, 1, K(leaky)(x, c0, x, c1, c2))
WEBNN__TILE_LOOP(linear, 1, K(linear)(x, c0, c1, c2))
WEBNN__TILE_LOOP(log, 1, K(log)(x))
WEBNN__TILE_LOOP(logical_not, 1, K(truth)(v_eq(x, v_set(0.0f))))
WEBNN__TILE_LOOP(neg, 1, v_of_bits(i_xor(v_bits(x), i_set(INT32_MIN))))
WEBNN__TILE_LOOP(reciprocal, 1, v_div(v_set(1.0f), x))
WEBNN__TILE_LOOP(relu, 1, K(relu)(x))
WEBNN__TILE_LOOP(root, 1, K(root)(x))
WEBNN__TILE_LOOP(round_even, 1, v_round(x))
WEBNN__TILE_LOOP(sigmoid, 1, K(sigmoid)(x))
WEBNN__TILE_LOOP(sign, 1, K(sign)(x))
WEBNN__TILE_LOOP(sin, 1, K(sine)(WEBNN_OP_SIN, x))
WEBNN__TILE_LOOP(softplus, 1, K(softplus)(x))
WEBNN__TILE_LOOP(softsign, 1, v_div(x, v_add(v_set(1.0f), K(absolute)(x))))
WEBNN__TILE_LOOP(sqrt, 1, v_sqrt(x))
WEBNN__TILE_LOOP(tan, 1, K(tan)(x))
WEBNN__TILE_LOOP(tanh, 1, K(tanh)(x))
WEBNN__TILE_LOOP(truncate, 1, K(truncate)(x, c0, c1))

WEBNN__TILE_LOOP(add, 2, v_add(x, y))
WEBNN__TILE_LOOP(deviation, 2, v_div(y, v_sqrt(v_add(x, c0)))) /* y / sqrt(x + c0) */
WEBNN__TILE_LOOP(div, 2, v_div(x, y))
WEBNN__TILE_LOOP(equal, 2, K(truth)(v_eq(x, y)))
WEBNN__TILE_LOOP(greater, 2, K(truth)(v_lt(y, x)))
WEBNN__TILE_LOOP(greater_or_equal, 2, K(truth)(v_le(y, x)))
WEBNN__TILE_LOOP(lesser, 2, K(truth)(v_lt(x, y)))
WEBNN__TILE_LOOP(lesser_or_equal, 2, K(truth)(v_le(x, y)))
WEBNN__TILE_LOOP(logical_and, 2, K(truth)(m_not(m_or(v_eq(x, v_set(0.0f)), v_eq(y, v_set(0.0f))))))
WEBNN__TILE_LOOP(logical_or, 2, K(truth)(m_not(m_and(v_eq(x, v_set(0.0f)), v_eq(y, v_set(0.0f))))))
WEBNN__TILE_LOOP(logical_xor, 2,
                 v_select(v_eq(x, v_set(0.0f)), K(truth)(m_not(v_eq(y, v_set(0.0f)))),
                          K(truth)(v_eq(y, v_set(0.0f)))))
WEBNN__TILE_LOOP(max, 2, K(max)(x, y))
WEBNN__TILE_LOOP(min, 2, K(min)(x, y))
WEBNN__TILE_LOOP(mul, 2, v_mul(x, y))
WEBNN__TILE_LOOP(not_equal, 2, K(truth)(m_not(v_eq(x, y))))
WEBNN__TILE_LOOP(pow, 2, K(pow)(x, y))
WEBNN__TILE_LOOP(prelu, 2, K(prelu)(x, y))
WEBNN__TILE_LOOP(sub, 2, v_sub(x, y))

WEBNN__TILE_LOOP(dequantize, 3, v_mul(v_sub(x, z), y))
WEBNN__TILE_LOOP(normalize, 4, v_fma(v_sub(x, y), z, w)) /* (x - mean) factor + bias */
WEBNN__TILE_LOOP(quantize, 3, K(quantize)(x, y, z, c0, c1))
#undef WEBNN__TILE_LOOP

/* The other functions convert from one type to another, or move bits: the last part of a vector
   goes through small buffers. `body` has from and to. */
#define WEBNN__TILE_CONVERSION(name, from_type, to_type, body)                                     \
  static void K(tile_##name)(const webnn__tile *tile) {                                            \
    const from_type *from = (const from_type *)tile->x[0];                                         \
    to_type *to = (to_type *)tile->y;                                                              \
    size_t n = tile->n;                                                                            \
    for (; n >= V_WIDTH; n -= V_WIDTH, from += V_WIDTH, to += V_WIDTH) {                           \
      body;                                                                                        \
    }                                                                                              \
    if (n > 0) {                                                                                   \
      from_type last_from[V_WIDTH] = {0};                                                          \
      to_type last_to[V_WIDTH];                                                                    \
      to_type *const end = to;                                                                     \
      memcpy(last_from, from, n * sizeof *from);                                                   \
      from = last_from;                                                                            \
      to = last_to;                                                                                \
      body;                                                                                        \
      memcpy(end, last_to, n * sizeof *to);                                                        \
    }                                                                                              \
  }

/* Bytes to int32 lanes and back; the lanes hold -128 to 255. */
static inline v_int K(load_bytes)(const uint8_t *p, bool is_signed) {
#if WEBNN__STAMP == WEBNN__STAMP_AVX512
  const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
  return is_signed ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes);
#elif WEBNN__STAMP == WEBNN__STAMP_AVX2
  const __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)p);
  return is_signed ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes);
#elif WEBNN__STAMP == WEBNN__STAMP_SSE2
  int32_t four;
  __m128i lanes; /* each byte four times */
  memcpy(&four, p, sizeof four);
  lanes = _mm_unpacklo_epi8(_mm_cvtsi32_si128(four), _mm_cvtsi32_si128(four));
  lanes = _mm_unpacklo_epi16(lanes, lanes);
  return is_signed ? _mm_srai_epi32(lanes, 24) : _mm_srli_epi32(lanes, 24);
#elif WEBNN__STAMP == WEBNN__STAMP_NEON
  uint32_t four;
  uint8x8_t bytes;
  memcpy(&four, p, sizeof four);
  bytes = vreinterpret_u8_u32(vdup_n_u32(four));
  return is_signed ? vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u8(bytes))))
                   : vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(bytes))));
#else
  int32_t lanes[V_WIDTH];
  int i;
  for (i = 0; i < V_WIDTH; i++) {
    lanes[i] = is_signed && p[i] > 127 ? (int32_t)p[i] - 256 : (int32_t)p[i];
  }
  return i_load(lanes);
#endif
}

static inline void K(store_bytes)(uint8_t *p, v_int v) {
#if WEBNN__STAMP == WEBNN__STAMP_AVX512
  _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(v));
#elif WEBNN__STAMP == WEBNN__STAMP_NEON
  const uint16x4_t halves = vmovn_u32(vreinterpretq_u32_s32(v));
  const uint8x8_t bytes = vmovn_u16(vcombine_u16(halves, halves));
  const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(bytes), 0);
  memcpy(p, &four, sizeof four);
#else
  int32_t lanes[V_WIDTH];
  int i;
  i_store(lanes, v);
  for (i = 0; i < V_WIDTH; i++) {
    p[i] = (uint8_t)lanes[i];
  }
#endif
}

/* Truncated and saturated; NaN gives 0. */
static inline v_int K(saturate)(v_float x) {
  const v_float whole = K(truncate)(x, v_set(-2147483648.0f), v_set(2147483648.0f));
  const v_mask large = v_le(v_set(2147483648.0f), whole);
  return i_select(large, i_set(INT32_MAX), v_to_int(v_select(large, v_set(0.0f), whole)));
}

WEBNN__TILE_CONVERSION(float_to_byte, float, uint8_t, K(store_bytes)(to, v_to_int(v_load(from))))
WEBNN__TILE_CONVERSION(float_to_half, float, uint16_t, v_store_half(to, v_load(from)))
WEBNN__TILE_CONVERSION(float_to_int32, float, int32_t, i_store(to, K(saturate)(v_load(from))))
WEBNN__TILE_CONVERSION(half_to_float, uint16_t, float, v_store(to, v_load_half(from)))
WEBNN__TILE_CONVERSION(int32_to_float, int32_t, float, v_store(to, v_from_int(i_load(from))))
WEBNN__TILE_CONVERSION(int8_to_float, uint8_t, float,
                       v_store(to, v_from_int(K(load_bytes)(from, true))))
WEBNN__TILE_CONVERSION(uint8_to_float, uint8_t, float,
                       v_store(to, v_from_int(K(load_bytes)(from, false))))
#undef WEBNN__TILE_CONVERSION

/* y where x is not 0, else z: elements of 32 bits of any type. */
static void K(tile_where)(const webnn__tile *tile) {
  const float *condition = (const float *)tile->x[0];
  const int32_t *a = (const int32_t *)tile->x[1], *b = (const int32_t *)tile->x[2];
  int32_t *to = (int32_t *)tile->y;
  size_t i = 0;
  for (; i + V_WIDTH <= tile->n; i += V_WIDTH) {
    const v_mask no = v_eq(v_load(condition + i), v_set(0.0f));
    i_store(to + i, i_select(no, i_load(b + i), i_load(a + i)));
  }
  for (; i < tile->n; i++) {
    to[i] = condition[i] != 0 ? a[i] : b[i];
  }
}
/* ---- Transposed tiles, copies past the caches ---------------------------------------------------

   A tile has T x T units of 16 / T bytes: T pieces of 16 bytes, whose first bytes are one stride
   apart. log2 T rounds of "zip register i with register i + T / 2" transpose it. A wide register is
   L lanes of 16 bytes, each with a tile of its own: the L tiles follow one another along a row of
   the result, so a store writes T L neighbours, and with the widest registers a whole cache line.
   2 log2 T zips move 16 L bytes T times: with 4-byte units 8 for 64 L bytes, faster than
   memory. What is left over at the ends is moved by tiles that overlap the last ones. */

#if WEBNN__STAMP == WEBNN__STAMP_SSE2
#define i_zip_low(bits, a, b) _mm_unpacklo_epi##bits(a, b)
#define i_zip_high(bits, a, b) _mm_unpackhi_epi##bits(a, b)
#elif WEBNN__STAMP == WEBNN__STAMP_AVX2
#define i_zip_low(bits, a, b) _mm256_unpacklo_epi##bits(a, b)
#define i_zip_high(bits, a, b) _mm256_unpackhi_epi##bits(a, b)
#elif WEBNN__STAMP == WEBNN__STAMP_AVX512
/* With a mask of all lanes, because gcc warns of the others' undefined operand. */
#define WEBNN__ALL_8 (~(__mmask64)0)
#define WEBNN__ALL_16 (~(__mmask32)0)
#define WEBNN__ALL_32 ((__mmask16)0xffff)
#define WEBNN__ALL_64 ((__mmask8)0xff)
#define i_zip_low(bits, a, b) _mm512_maskz_unpacklo_epi##bits(WEBNN__ALL_##bits, a, b)
#define i_zip_high(bits, a, b) _mm512_maskz_unpackhi_epi##bits(WEBNN__ALL_##bits, a, b)
#elif WEBNN__STAMP == WEBNN__STAMP_NEON
#define WEBNN__ZIP_AS(type, zip, a, b)                                                             \
  vreinterpretq_s32_##type(                                                                        \
      zip##q_##type(vreinterpretq_##type##_s32(a), vreinterpretq_##type##_s32(b)))
#define WEBNN__ZIP_8(zip, a, b) WEBNN__ZIP_AS(s8, zip, a, b)
#define WEBNN__ZIP_16(zip, a, b) WEBNN__ZIP_AS(s16, zip, a, b)
#define WEBNN__ZIP_32(zip, a, b) zip##q_s32(a, b)
#define WEBNN__ZIP_64(zip, a, b) WEBNN__ZIP_AS(s64, zip, a, b)
#define i_zip_low(bits, a, b) WEBNN__ZIP_##bits(vzip1, a, b)
#define i_zip_high(bits, a, b) WEBNN__ZIP_##bits(vzip2, a, b)
#elif WEBNN__STAMP == WEBNN__STAMP_WASM
#define WEBNN__ZIP_LOW_8 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define WEBNN__ZIP_HIGH_8 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define WEBNN__ZIP_LOW_16 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23
#define WEBNN__ZIP_HIGH_16 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31
#define WEBNN__ZIP_LOW_32 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23
#define WEBNN__ZIP_HIGH_32 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31
#define WEBNN__ZIP_LOW_64 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define WEBNN__ZIP_HIGH_64 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#define WEBNN__SHUFFLE(...) wasm_i8x16_shuffle(__VA_ARGS__)
#define i_zip_low(bits, a, b) WEBNN__SHUFFLE(a, b, WEBNN__ZIP_LOW_##bits)
#define i_zip_high(bits, a, b) WEBNN__SHUFFLE(a, b, WEBNN__ZIP_HIGH_##bits)
#endif

#if WEBNN__STAMP == WEBNN__STAMP_SSE2 || WEBNN__STAMP == WEBNN__STAMP_AVX2 ||                      \
    WEBNN__STAMP == WEBNN__STAMP_AVX512
/* p is aligned to the vector's size */
#define i_stream(p, x) WEBNN__MM(stream_ps)((float *)(void *)(p), v_of_bits(x))
#define i_stream_end() _mm_sfence()
#elif V_WIDTH > 1
#define i_stream(p, x) i_store((int32_t *)(void *)(p), x)
#define i_stream_end() (void)0
#endif

#if V_WIDTH > 1

/* The lanes are 16 bytes each, `step` apart. */
static inline v_int K(load_lanes)(const char *p, int64_t step) {
#if V_WIDTH == 4
  (void)step;
  return i_load((const int32_t *)(const void *)p);
#else
  const __m128i *a = (const __m128i *)(const void *)p;
  const __m128i *b = (const __m128i *)(const void *)(p + step);
  const __m256i low =
      _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(a)), _mm_loadu_si128(b), 1);
#if V_WIDTH == 8
  return low;
#else
  const __m128i *c = (const __m128i *)(const void *)(p + 2 * step);
  const __m128i *d = (const __m128i *)(const void *)(p + 3 * step);
  return _mm512_maskz_inserti64x4(
      WEBNN__ALL_64, _mm512_castsi256_si512(low),
      _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(c)), _mm_loadu_si128(d), 1),
      1);
#endif
#endif
}

/* One register's tiles: the first at `from`, the others T columns apart. A narrow store writes the
   first lane only. */
#define WEBNN__TILES(bits)                                                                         \
  static inline void K(tile_##bits)(char *to, const char *from, const webnn__box *box, bool wide,  \
                                    bool stream) {                                                 \
    enum { T = 128 / bits };                                                                       \
    const int64_t lane = wide ? T * box->from_column : 0;                                          \
    char out[V_WIDTH * 4];                                                                         \
    v_int x[T], y[T];                                                                              \
    int i, span;                                                                                   \
    WEBNN__UNROLL                                                                                  \
    for (i = 0; i < T; i++) {                                                                      \
      x[i] = K(load_lanes)(from + i * box->from_column, lane);                                     \
    }                                                                                              \
    WEBNN__UNROLL                                                                                  \
    for (span = 1; span < T; span *= 2) {                                                          \
      WEBNN__UNROLL                                                                                \
      for (i = 0; i < T / 2; i++) {                                                                \
        y[2 * i] = i_zip_low(bits, x[i], x[i + T / 2]);                                            \
        y[2 * i + 1] = i_zip_high(bits, x[i], x[i + T / 2]);                                       \
      }                                                                                            \
      WEBNN__UNROLL                                                                                \
      for (i = 0; i < T; i++) {                                                                    \
        x[i] = y[i];                                                                               \
      }                                                                                            \
    }                                                                                              \
    WEBNN__UNROLL                                                                                  \
    for (i = 0; i < T; i++) {                                                                      \
      if (wide && stream) {                                                                        \
        i_stream(to + i * box->to_row, x[i]);                                                      \
      } else if (wide) {                                                                           \
        i_store((int32_t *)(void *)(to + i * box->to_row), x[i]);                                  \
      } else {                                                                                     \
        i_store((int32_t *)(void *)out, x[i]);                                                     \
        memcpy(to + i * box->to_row, out, 16);                                                     \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
                                                                                                   \
  static bool K(tiles_##bits)(char *to, const char *from, const webnn__box *box, bool stream) {    \
    enum { T = 128 / bits, WIDE = T * V_WIDTH / 4 };                                               \
    uint64_t i, r, c;                                                                              \
    if (box->rows < T || box->columns < T) {                                                       \
      return false;                                                                                \
    }                                                                                              \
    for (i = 0; i < box->rows; i += T) {                                                           \
      r = i + T <= box->rows ? i : box->rows - T;                                                  \
      for (c = 0; c + WIDE <= box->columns; c += WIDE) {                                           \
        K(tile_##bits)                                                                             \
        (to + (int64_t)r * box->to_row + c * (bits / 8),                                           \
         from + r * (bits / 8) + (int64_t)c * box->from_column, box, true, stream);                \
      }                                                                                            \
      while (c < box->columns) {                                                                   \
        c = c + T <= box->columns ? c : box->columns - T;                                          \
        K(tile_##bits)                                                                             \
        (to + (int64_t)r * box->to_row + c * (bits / 8),                                           \
         from + r * (bits / 8) + (int64_t)c * box->from_column, box, V_WIDTH == 4, false);         \
        c += T;                                                                                    \
      }                                                                                            \
    }                                                                                              \
    return true;                                                                                   \
  }
WEBNN__TILES(8)
WEBNN__TILES(16)
WEBNN__TILES(32)
WEBNN__TILES(64)
#undef WEBNN__TILES

static bool K(move_tiles)(char *to, const char *from, const webnn__box *box, bool stream) {
  const uint64_t places = (uintptr_t)to | (uint64_t)box->to_row | box->columns * box->unit;
  bool moved;
  stream = stream && places % (V_WIDTH * 4) == 0;
  switch (box->unit) {
  case 1:
    moved = K(tiles_8)(to, from, box, stream);
    break;
  case 2:
    moved = K(tiles_16)(to, from, box, stream);
    break;
  case 4:
    moved = K(tiles_32)(to, from, box, stream);
    break;
  default:
    moved = K(tiles_64)(to, from, box, stream);
  }
  if (stream) {
    i_stream_end();
  }
  return moved;
}

#else

static bool K(move_tiles)(char *to, const char *from, const webnn__box *box, bool stream) {
  (void)to;
  (void)from;
  (void)box;
  (void)stream;
  return false;
}

#endif

#ifdef i_stream_end

static void K(move_stream)(char *to, const char *from, uint64_t bytes) {
  const uint64_t line = 64, ahead = (line - (uintptr_t)to % line) % line;
  uint64_t i = ahead < bytes ? ahead : bytes;
  memcpy(to, from, (size_t)i);
  for (; i + line <= bytes; i += line) {
    v_int x[16 / V_WIDTH];
    int j;
    WEBNN__UNROLL
    for (j = 0; j < 16 / V_WIDTH; j++) {
      x[j] = i_load((const int32_t *)(const void *)(from + i) + j * V_WIDTH);
    }
    WEBNN__UNROLL
    for (j = 0; j < 16 / V_WIDTH; j++) {
      i_stream(to + i + j * V_WIDTH * 4, x[j]);
    }
  }
  memcpy(to + i, from + i, (size_t)(bytes - i));
  i_stream_end();
}

#else

static void K(move_stream)(char *to, const char *from, uint64_t bytes) {
  memcpy(to, from, (size_t)bytes);
}

#endif

#undef WEBNN__ALL_16
#undef WEBNN__ALL_32
#undef WEBNN__ALL_64
#undef WEBNN__ALL_8
#undef WEBNN__SHUFFLE
#undef WEBNN__ZIP_16
#undef WEBNN__ZIP_32
#undef WEBNN__ZIP_64
#undef WEBNN__ZIP_8
#undef WEBNN__ZIP_AS
#undef WEBNN__ZIP_HIGH_16
#undef WEBNN__ZIP_HIGH_32
#undef WEBNN__ZIP_HIGH_64
#undef WEBNN__ZIP_HIGH_8
#undef WEBNN__ZIP_LOW_16
#undef WEBNN__ZIP_LOW_32
#undef WEBNN__ZIP_LOW_64
#undef WEBNN__ZIP_LOW_8
#undef i_stream
#undef i_stream_end
#undef i_zip_high
#undef i_zip_low
/* ---- What each instruction set has ---------------------------------------------------------- */

static const webnn__kernels K(kernels) = {
    WEBNN__NAME_OF(WEBNN__ISA),
    V_WIDTH,
    WEBNN__ROWS,
    WEBNN__COLUMNS *V_WIDTH,
    K(product_tile),
    K(product_pack),
    K(depthwise_channels),
    K(depthwise_pixels),
#define WEBNN__TILE_ENTRY(upper, lower) K(tile_##lower),
    {WEBNN__TILE_OPERATORS(WEBNN__TILE_ENTRY) WEBNN__TILE_PARTS(WEBNN__TILE_ENTRY)},
#undef WEBNN__TILE_ENTRY
    K(move_tiles),
    K(move_stream),
};

#ifdef WEBNN__STAMPED_TEST
#include WEBNN__STAMPED_TEST
#endif

#undef K
#undef V_FUSED
#undef V_WIDTH
#undef WEBNN__CAST_TO_FLOAT
#undef WEBNN__CAST_TO_INT
#undef WEBNN__FIRST
#undef WEBNN__ISA
#undef WEBNN__MM
#undef WEBNN__SI
#undef i_add
#undef i_and
#undef i_eq
#undef i_gt
#undef i_load
#undef i_or
#undef i_sar
#undef i_select
#undef i_set
#undef i_shl
#undef i_shr
#undef i_store
#undef i_sub
#undef i_xor
#undef m_and
#undef m_any
#undef m_not
#undef m_or
#undef v_add
#undef v_bits
#undef v_ceil
#undef v_div
#undef v_eq
#undef v_float
#undef v_floor
#undef v_fma
#undef v_fnma
#undef v_from_int
#undef v_int
#undef v_largest
#undef v_le
#undef v_load
#undef v_load_half
#undef v_load_part
#undef v_lt
#undef v_mask
#undef v_max
#undef v_min
#undef v_mul
#undef v_nan
#undef v_of_bits
#undef v_round
#undef v_select
#undef v_set
#undef v_sqrt
#undef v_store
#undef v_store_half
#undef v_store_part
#undef v_sub
#undef v_sum
#undef v_to_int
#endif /* WEBNN__STAMP: stamped to here */

#if !defined(WEBNN__STAMP) && defined(WEBNN__IMPLEMENTING)

#ifndef WEBNN_HEADER
#define WEBNN_HEADER "webnn.h"
#endif

#if defined(WEBNN__X86)
#include <immintrin.h>
#elif defined(WEBNN__NEON)
#include <arm_neon.h>
#elif defined(WEBNN__WASM)
#include <wasm_simd128.h>
#endif

/* A product and a sum are two roundings wherever the code says two operations. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized" /* in the compiler's own <immintrin.h> */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#ifndef __OPTIMIZE__
#pragma GCC diagnostic ignored "-Wsign-conversion" /* there, intrinsics are macros */
#endif
#endif

#define WEBNN__STAMP WEBNN__STAMP_SCALAR
#include WEBNN_HEADER
#undef WEBNN__STAMP
#ifdef WEBNN__NEON
#define WEBNN__STAMP WEBNN__STAMP_NEON
#include WEBNN_HEADER
#undef WEBNN__STAMP
#endif
#ifdef WEBNN__WASM
#define WEBNN__STAMP WEBNN__STAMP_WASM
#include WEBNN_HEADER
#undef WEBNN__STAMP
#endif
#ifdef WEBNN__X86
#define WEBNN__STAMP WEBNN__STAMP_SSE2
#include WEBNN_HEADER
#undef WEBNN__STAMP

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#endif
#define WEBNN__STAMP WEBNN__STAMP_AVX2
#include WEBNN_HEADER
#undef WEBNN__STAMP
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif

#if defined(__clang__)
#pragma clang attribute push(                                                                      \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))),                   \
    apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")
#endif
#define WEBNN__STAMP WEBNN__STAMP_AVX512
#include WEBNN_HEADER
#undef WEBNN__STAMP
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif

/* ---- The best of them ----------------------------------------------------------------------- */

#if defined(WEBNN__X86)
#if defined(_MSC_VER) && !defined(__clang__)
/* Has the processor all these features, and does the system keep the wide registers? */
static bool webnn__x86_has(bool avx512) {
  const int state = avx512 ? 0xe6 : 6;
  int first[4], seventh[4];
  __cpuidex(first, 1, 0);
  __cpuidex(seventh, 7, 0);
  if ((first[2] >> 27 & 1) == 0 || (_xgetbv(0) & (unsigned)state) != (unsigned)state) {
    return false;
  }
  return (first[2] >> 12 & 1) != 0 && (first[2] >> 29 & 1) != 0 && (seventh[1] >> 5 & 1) != 0 &&
         (!avx512 || ((seventh[1] >> 16 & 1) != 0 && (seventh[1] >> 17 & 1) != 0 &&
                      (seventh[1] >> 30 & 1) != 0 && (seventh[1] >> 31 & 1) != 0));
}
#else
static bool webnn__x86_has(bool avx512) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         (!avx512 || (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")));
}
#endif
#endif

/* The kernels of an instruction set; NULL if this program or processor has them not. */
static const webnn__kernels *webnn__kernels_of(webnn_instruction_set set) {
  switch (set) {
  case WEBNN_SCALAR:
    return &webnn__scalar_kernels;
#ifdef WEBNN__X86
  case WEBNN_SSE2:
    return &webnn__sse2_kernels;
  case WEBNN_AVX2:
    return webnn__x86_has(false) ? &webnn__avx2_kernels : NULL;
  case WEBNN_AVX512:
    return webnn__x86_has(true) ? &webnn__avx512_kernels : NULL;
#endif
#ifdef WEBNN__NEON
  case WEBNN_NEON:
    return &webnn__neon_kernels;
#endif
#ifdef WEBNN__WASM
  case WEBNN_WASM_SIMD:
    return &webnn__wasm_kernels;
#endif
  default:
    return NULL;
  }
}

/* NULL only for a set that is asked for by name and not there. */
static const webnn__kernels *webnn__choose_kernels(webnn_instruction_set set) {
  int i;
  if (set != WEBNN_BEST_INSTRUCTIONS) {
    return webnn__kernels_of(set);
  }
  for (i = WEBNN_WASM_SIMD; i > WEBNN_SCALAR && webnn__kernels_of((webnn_instruction_set)i) == NULL;
       i--) {
  }
  return webnn__kernels_of((webnn_instruction_set)i);
}

/* ---- Groups of tiles ---------------------------------------------------------------------------

   What products and convolutions share. Rows of results are cut into tiles of nearly equal sizes
   and these into groups, columns into panels and these into splits. An item is a group and a split:
   for each panel, for each block of the sums, for each tile. So a panel's block comes from the
   near caches for all tiles but the first, the group's rows from the second-level cache for all
   panels but the first, and what is to be known of the rows is worked out once. */

typedef struct webnn__tiling {
  uint64_t rows, columns, tiles, groups, panels, splits;
} webnn__tiling;

enum {
  WEBNN__MOST_POINTERS = WEBNN__MOST_TAPS * WEBNN__MOST_ROWS,
  WEBNN__GROUP_BYTES = 1 << 19,
  WEBNN__LEAST_ITEMS = 24, /* if there are panels enough: threads need something to share */
  WEBNN__BLOCK = 256       /* terms of a sum */
};

/* For each of `copies` matrices or images; row_bytes: what a row adds to the caches' content. */
static webnn__tiling webnn__tiling_of(const webnn__kernel_call *call, uint64_t rows,
                                      uint64_t columns, uint64_t copies, uint64_t taps,
                                      uint64_t row_bytes) {
  const uint64_t height = call->kernels->product_rows, width = call->kernels->product_columns;
  uint64_t most = WEBNN__GROUP_BYTES / (row_bytes * height + 1);
  webnn__tiling t;
  most = most < 2 ? 2 : most > WEBNN__MOST_TILES ? WEBNN__MOST_TILES : most;
  most =
      most * taps * height > WEBNN__MOST_POINTERS ? WEBNN__MOST_POINTERS / (taps * height) : most;
  t.rows = rows;
  t.columns = columns;
  t.tiles = (rows + height - 1) / height;
  t.groups = (t.tiles + most - 1) / most;
  t.panels = (columns + width - 1) / width;
  t.splits = (WEBNN__LEAST_ITEMS + copies * t.groups - 1) / (copies * t.groups);
  t.splits = t.splits < t.panels ? t.splits : t.panels;
  return t;
}

/* Where part `i` of `parts` begins. */
static uint64_t webnn__part(uint64_t whole, uint64_t parts, uint64_t i) {
  const uint64_t longer = whole % parts;
  return whole / parts * i + (i < longer ? i : longer);
}

typedef struct webnn__row_group {
  const webnn__kernel_call *call;
  webnn__product_tile tile;
  uint32_t tiles, rows, starts[WEBNN__MOST_TILES + 1]; /* where its tiles begin */
  uint64_t first_row, first_panel, end_panel, columns;
  uint64_t tap_count, depth;
  uint64_t y_step; /* from column to column of the result; rows are neighbours if it is not 1 */
  bool direct;     /* the results go where they belong, else by way of `sums` */
  const webnn__view *c; /* beta c is added, its elements c_row and c_column apart; or NULL */
  int64_t c_row, c_column;
  float beta;
  const webnn__view *residual;           /* or NULL */
  const float *in[WEBNN__MOST_POINTERS]; /* [tap][row] */
  uint64_t at[WEBNN__MOST_GROUP];        /* elements of y in column 0 */
  float *y[WEBNN__MOST_GROUP];
  const float *added[WEBNN__MOST_GROUP];
  float start[WEBNN__MOST_GROUP], bias[WEBNN__MOST_COLUMNS];
  float sums[WEBNN__MOST_GROUP * WEBNN__MOST_COLUMNS];
  float addends[WEBNN__MOST_GROUP * WEBNN__MOST_COLUMNS];
} webnn__row_group;

static const webnn__view *webnn__residual_of(const webnn__kernel_call *call) {
  return call->node->fused != NULL && call->node->input_count > 3 && call->x[3].data != NULL
             ? &call->x[3]
             : NULL;
}

/* Group and split number `item` of one matrix or image; what is left to fill in are the pointers
   and c. */
static void webnn__start_group(const webnn__kernel_call *call, const webnn__tiling *t,
                               uint64_t item, webnn__row_group *g) {
  const webnn__fused *fused = call->node->fused;
  const uint64_t group = item % t->groups, split = item / t->groups;
  const uint64_t tile = webnn__part(t->tiles, t->groups, group);
  uint32_t i;
  g->call = call;
  g->tiles = (uint32_t)(webnn__part(t->tiles, t->groups, group + 1) - tile);
  g->first_row = webnn__part(t->rows, t->tiles, tile);
  for (i = 0; i <= g->tiles; i++) {
    g->starts[i] = (uint32_t)(webnn__part(t->rows, t->tiles, tile + i) - g->first_row);
  }
  g->rows = g->starts[g->tiles];
  g->first_panel = webnn__part(t->panels, t->splits, split);
  g->end_panel = webnn__part(t->panels, t->splits, split + 1);
  g->columns = t->columns;
  g->tap_count = 1;
  g->y_step = 1;
  g->c = NULL;
  g->c_row = g->c_column = 0;
  g->beta = 1.0f;
  g->residual = webnn__residual_of(call);
  memset(&g->tile, 0, sizeof g->tile);
  g->tile.scale = 1.0f;
  if (fused != NULL) {
    g->tile.low = fused->low;
    g->tile.high = fused->high;
    g->tile.clamped = fused->low >= -3.402823466e38f || fused->high <= 3.402823466e38f;
  }
}

/* Element i of a float view as float32. */
static float webnn__float_at(const webnn__view *view, uint64_t i) {
  return view->type == WEBNN_FLOAT32
             ? ((const float *)view->data)[i]
             : webnn__float_of_bits(webnn__f16_to_f32_bits(((const uint16_t *)view->data)[i]));
}

/* An option that was cast to a float type, as float32. */
static float webnn__option_as_float(uint64_t bits, webnn_data_type type) {
  return webnn__float_of_bits(type == WEBNN_FLOAT16 ? webnn__f16_to_f32_bits((uint16_t)bits)
                                                    : (uint32_t)bits);
}

/* count elements from `at` on, `step` apart, as float32. */
static void webnn__floats_of(const webnn__kernels *kernels, const webnn__view *view, uint64_t at,
                             uint64_t step, uint64_t count, float *to) {
  uint64_t i;
  if (view->type == WEBNN_FLOAT32 && step == 1) {
    memcpy(to, (const float *)view->data + at, (size_t)count * sizeof *to);
  } else if (step == 1) {
    webnn__tile tile;
    memset(&tile, 0, sizeof tile);
    tile.y = to;
    tile.x[0] = (const uint16_t *)view->data + at;
    tile.n = (size_t)count;
    kernels->tiles[WEBNN__TILE_HALF_TO_FLOAT](&tile);
  } else {
    for (i = 0; i < count; i++) {
      to[i] = webnn__float_at(view, at + i * step);
    }
  }
}

/* The same to a float view; neighbours. */
static void webnn__store_floats(const webnn__kernels *kernels, const webnn__view *view, uint64_t at,
                                const float *from, uint64_t count) {
  webnn__tile tile;
  if (view->type == WEBNN_FLOAT32) {
    memcpy((float *)view->data + at, from, (size_t)count * sizeof *from);
    return;
  }
  memset(&tile, 0, sizeof tile);
  tile.y = (uint16_t *)view->data + at;
  tile.x[0] = from;
  tile.n = (size_t)count;
  kernels->tiles[WEBNN__TILE_FLOAT_TO_HALF](&tile);
}

/* to[r to_row + c] = from[r + c from_column] */
static void webnn__transpose_floats(const webnn__kernels *kernels, float *to, uint64_t to_row,
                                    const float *from, uint64_t from_column, uint64_t rows,
                                    uint64_t columns) {
  webnn__box box;
  uint64_t r, c;
  box.rows = rows;
  box.columns = columns;
  box.unit = sizeof *to;
  box.from_row = box.to_column = (int64_t)sizeof *to;
  box.to_row = (int64_t)(to_row * sizeof *to);
  box.from_column = (int64_t)(from_column * sizeof *to);
  if (kernels->move_tiles((char *)to, (const char *)from, &box, false)) {
    return;
  }
  for (c = 0; c < columns; c++) {
    for (r = 0; r < rows; r++) {
      to[r * to_row + c] = from[r + c * from_column];
    }
  }
}

/* Pointers to the rows of results and of what is added to them. */
static void webnn__point_rows(webnn__row_group *g) {
  const webnn__kernel_call *call = g->call;
  const uint32_t width = call->kernels->product_columns;
  const bool full = g->c != NULL && g->c_row != 0 && g->c_column != 0;
  uint32_t i;
  g->direct = call->y->type == WEBNN_FLOAT32 && g->y_step == 1;
  for (i = 0; i < g->rows; i++) {
    g->y[i] = g->direct ? (float *)call->y->data + g->at[i] : g->sums + i * width;
    g->added[i] = g->direct && g->residual != NULL && !full
                      ? (const float *)g->residual->data + g->at[i]
                      : g->addends + i * width;
    g->start[i] =
        g->c != NULL && g->c_row != 0 && g->c_column == 0
            ? g->beta * webnn__float_at(g->c, (uint64_t)((int64_t)(g->first_row + i) * g->c_row))
            : 0.0f;
  }
}

/* The residual of a panel, and all of beta c that is neither of rows nor of columns. */
static void webnn__gather_addends(webnn__row_group *g, uint64_t n, uint32_t count) {
  const webnn__kernels *kernels = g->call->kernels;
  const uint32_t width = kernels->product_columns;
  const bool full = g->c != NULL && g->c_row != 0 && g->c_column != 0;
  uint32_t i, j;
  if (g->residual == NULL) {
    memset(g->addends, 0, g->rows * width * sizeof *g->addends);
  } else if (g->y_step == 1) {
    for (i = 0; i < g->rows; i++) {
      webnn__floats_of(kernels, g->residual, g->at[i] + n, 1, count, g->addends + i * width);
    }
  } else if (g->residual->type == WEBNN_FLOAT32) {
    webnn__transpose_floats(kernels, g->addends, width,
                            (const float *)g->residual->data + g->at[0] + n * g->y_step, g->y_step,
                            g->rows, count);
  } else {
    for (i = 0; i < g->rows; i++) {
      webnn__floats_of(kernels, g->residual, g->at[i] + n * g->y_step, g->y_step, count,
                       g->addends + i * width);
    }
  }
  for (i = 0; full && i < g->rows; i++) {
    for (j = 0; j < count; j++) {
      const int64_t at = (int64_t)(g->first_row + i) * g->c_row + (int64_t)(n + j) * g->c_column;
      g->addends[i * width + j] += g->beta * webnn__float_at(g->c, (uint64_t)at);
    }
  }
}

/* What is added to a panel. */
static void webnn__add_to_panel(webnn__row_group *g, uint64_t n, uint32_t count) {
  const bool by_rows = g->c != NULL && g->c_row != 0;
  const bool full = by_rows && g->c_column != 0;
  webnn__product_tile *tile = &g->tile;
  uint32_t j;
  tile->y_column = g->direct ? n : 0;
  tile->residual_column = g->direct && !full ? n : 0;
  tile->bias = g->c != NULL && !by_rows ? g->bias : NULL;
  for (j = 0; tile->bias != NULL && j < g->call->kernels->product_columns; j++) {
    const int64_t at = (int64_t)(n + j) * g->c_column;
    g->bias[j] = j < count ? g->beta * webnn__float_at(g->c, (uint64_t)at) : 0.0f;
  }
  if (full || (g->residual != NULL && !g->direct)) {
    webnn__gather_addends(g, n, count);
  }
}

/* Results in `sums` to where they belong. */
static void webnn__store_panel(webnn__row_group *g, uint64_t n, uint32_t count) {
  const webnn__kernels *kernels = g->call->kernels;
  const webnn__view *y = g->call->y;
  const uint32_t width = kernels->product_columns;
  uint32_t i, j;
  if (g->y_step == 1) {
    for (i = 0; i < g->rows; i++) {
      webnn__store_floats(kernels, y, g->at[i] + n, g->sums + i * width, count);
    }
  } else if (y->type == WEBNN_FLOAT32) {
    webnn__transpose_floats(kernels, (float *)y->data + g->at[0] + n * g->y_step, g->y_step,
                            g->sums, width, count, g->rows);
  } else {
    for (j = 0; j < count; j++) {
      float column[WEBNN__MOST_GROUP];
      for (i = 0; i < g->rows; i++) {
        column[i] = g->sums[i * width + j];
      }
      webnn__store_floats(kernels, y, g->at[0] + (n + j) * g->y_step, column, g->rows);
    }
  }
}

/* One block of the sums of all tiles. */
static void webnn__run_block(webnn__row_group *g, uint64_t tap) {
  const uint32_t width = g->call->kernels->product_columns;
  const bool added = g->residual != NULL || (g->c != NULL && g->c_row != 0 && g->c_column != 0);
  webnn__product_tile *tile = &g->tile;
  uint32_t i;
  tile->row_step = g->rows;
  for (i = 0; i < g->tiles; i++) {
    const uint32_t row = g->starts[i];
    tile->rows = g->in + tap * g->rows + row;
    tile->row_count = g->starts[i + 1] - row;
    tile->sums = g->sums + row * width;
    tile->start = g->c != NULL && g->c_row != 0 && g->c_column == 0 ? g->start + row : NULL;
    tile->y = g->y + row;
    tile->residual = added ? g->added + row : NULL;
    g->call->kernels->product_tile(tile);
  }
}

/* Columns n, n + 1, ...: b is their panel. */
static void webnn__run_panel(webnn__row_group *g, const float *b, uint64_t n) {
  const uint32_t width = g->call->kernels->product_columns;
  const uint64_t pieces = (g->depth + WEBNN__BLOCK - 1) / WEBNN__BLOCK;
  const uint64_t run = ((g->depth + pieces - 1) / pieces + 7) / 8 * 8; /* at most a block */
  const uint64_t most_taps = pieces > 1 ? 1 : WEBNN__BLOCK / g->depth;
  webnn__product_tile *tile = &g->tile;
  uint64_t tap;
  tile->column_count = (uint32_t)(g->columns - n < width ? g->columns - n : width);
  webnn__add_to_panel(g, n, tile->column_count);
  for (tap = 0; tap < g->tap_count; tap += tile->tap_count) {
    tile->tap_count = most_taps < g->tap_count - tap ? most_taps : g->tap_count - tap;
    for (tile->first = 0; tile->first < g->depth; tile->first += tile->depth) {
      const uint64_t rest = g->depth - tile->first;
      tile->depth = run < rest ? run : rest;
      tile->b = b + (tap * g->depth + tile->first) * width;
      tile->begins = tap == 0 && tile->first == 0;
      tile->ends = tap + tile->tap_count == g->tap_count && tile->depth == rest;
      webnn__run_block(g, tap);
    }
  }
  if (!g->direct) {
    webnn__store_panel(g, n, tile->column_count);
  }
}

/* All panels of a group; they follow one another from b on. */
static void webnn__run_group(webnn__row_group *g, const float *b) {
  const uint64_t width = g->call->kernels->product_columns;
  uint64_t panel;
  webnn__point_rows(g);
  for (panel = g->first_panel; panel < g->end_panel; panel++) {
    webnn__run_panel(g, b + panel * g->tap_count * g->depth * width, panel * width);
  }
}

/* Rough nanoseconds of an item. */
static uint64_t webnn__group_cost(const webnn__kernel_call *call, const webnn__tiling *t,
                                  uint64_t terms) {
  const uint64_t rows = t->rows / t->groups + 1, panels = t->panels / t->splits + 1;
  return 50 +
         rows * terms * panels * call->kernels->product_columns / (3 * call->kernels->width + 1);
}

/* ---- Matrix products: matmul, gemm, and 1x1 convolutions of nchw images -------------------------

   y[m][n] = sum over k of a[m][k] b[k][n], for each matrix of a batch. Phase 0 brings the left
   matrices into rows of float32 (unless they are that already), phase 1 the right ones into panels
   of product_columns (unless they are constant: then it was done when the graph was built), phase 2
   computes. */

typedef struct webnn__matrix_product {
  uint64_t batch, m, n, k;          /* results: batch matrices of m x n */
  uint64_t left_count, right_count; /* different matrices among the operands */
  const webnn__view *left, *right;
  uint64_t left_row, left_step;   /* strides of the left matrix: of its rows, within a row */
  uint64_t right_row, right_step; /* of the right matrix: from k to k + 1, from n to n + 1 */
  bool prepare;                   /* the left matrices are not rows of float32 in good places */
  bool constant;                  /* the right ones are packed already */
  bool planes;                    /* the right ones are images, the bias belongs to rows */
  uint64_t row_length;            /* of prepared left rows */
  webnn__tiling tiling;
} webnn__matrix_product;

/* Completes what follows from the rest. Rows that are a multiple of 4 KB apart would all fall into
   the same few places of the cache. */
static void webnn__plan_product(const webnn__kernel_call *call, webnn__matrix_product *p) {
  p->prepare =
      p->left->type != WEBNN_FLOAT32 || p->left_step != 1 || (p->m > 4 && p->left_row % 1024 == 0);
  p->row_length = p->prepare ? (p->k + 15) / 16 * 16 + 16 : p->left_row;
  p->constant = p->right->is_constant;
  p->tiling = webnn__tiling_of(call, p->m, p->n, p->batch, 1, p->k * sizeof(float));
}

/* matmul: one right matrix for all makes one tall left matrix of the whole batch. */
static webnn__matrix_product webnn__matmul_product(const webnn__kernel_call *call) {
  const webnn__attributes *t = call->attributes;
  const webnn__view *a = &call->x[0], *b = &call->x[1];
  const uint32_t rank = call->y->shape.rank;
  webnn__matrix_product p;
  memset(&p, 0, sizeof p);
  p.left = a;
  p.right = b;
  p.k = a->shape.dimensions[a->shape.rank - (t->a_transpose ? 2 : 1)];
  p.m = call->y->shape.dimensions[rank - 2];
  p.n = call->y->shape.dimensions[rank - 1];
  p.batch = call->y->count / (p.m * p.n);
  p.left_count = a->count / (p.m * p.k);
  p.right_count = b->count / (p.k * p.n);
  p.left_row = t->a_transpose ? 1 : p.k;
  p.left_step = t->a_transpose ? p.m : 1;
  p.right_row = t->b_transpose ? 1 : p.n;
  p.right_step = t->b_transpose ? p.k : 1;
  if (p.right_count == 1 && p.left_count == p.batch && !t->a_transpose) {
    p.m *= p.batch;
    p.batch = p.left_count = 1;
  }
  webnn__plan_product(call, &p);
  return p;
}

static webnn__matrix_product webnn__gemm_product(const webnn__kernel_call *call) {
  const webnn__attributes *t = call->attributes;
  const webnn__view *a = &call->x[0], *b = &call->x[1];
  webnn__matrix_product p;
  memset(&p, 0, sizeof p);
  p.left = a;
  p.right = b;
  p.batch = p.left_count = p.right_count = 1;
  p.m = call->y->shape.dimensions[0];
  p.n = call->y->shape.dimensions[1];
  p.k = a->shape.dimensions[t->a_transpose ? 0 : 1];
  p.left_row = t->a_transpose ? 1 : p.k;
  p.left_step = t->a_transpose ? p.m : 1;
  p.right_row = t->b_transpose ? 1 : p.n;
  p.right_step = t->b_transpose ? p.k : 1;
  webnn__plan_product(call, &p);
  return p;
}

/* A 1x1 convolution of an nchw image: the filter times the image's planes. */
static webnn__matrix_product webnn__pointwise_product(const webnn__kernel_call *call) {
  const webnn__view *x = &call->x[0];
  webnn__matrix_product p;
  memset(&p, 0, sizeof p);
  p.left = &call->x[1];
  p.right = x;
  p.left_count = 1;
  p.batch = p.right_count = x->shape.dimensions[0];
  p.m = call->y->shape.dimensions[1];
  p.k = x->shape.dimensions[1];
  p.n = (uint64_t)x->shape.dimensions[2] * x->shape.dimensions[3];
  p.left_row = p.k;
  p.left_step = 1;
  p.right_row = p.n;
  p.right_step = 1;
  p.planes = true;
  webnn__plan_product(call, &p);
  return p;
}

static webnn__matrix_product webnn__product_of(const webnn__kernel_call *call) {
  switch (call->node->op) {
  case WEBNN_OP_MATMUL:
    return webnn__matmul_product(call);
  case WEBNN_OP_GEMM:
    return webnn__gemm_product(call);
  default:
    return webnn__pointwise_product(call);
  }
}

static uint64_t webnn__panel_floats(const webnn__kernel_call *call,
                                    const webnn__matrix_product *p) {
  return p->k * call->kernels->product_columns;
}

static uint64_t webnn__product_packed_size(const webnn__kernel_call *call) {
  const webnn__matrix_product p = webnn__product_of(call);
  return p.constant
             ? p.right_count * p.tiling.panels * webnn__panel_floats(call, &p) * sizeof(float)
             : 0;
}

static uint64_t webnn__product_scratch(const webnn__kernel_call *call) {
  const webnn__matrix_product p = webnn__product_of(call);
  const uint64_t rows = p.prepare ? p.left_count * p.m * p.row_length : 0;
  const uint64_t panels =
      p.constant ? 0 : p.right_count * p.tiling.panels * webnn__panel_floats(call, &p);
  return (rows + panels) * sizeof(float);
}

/* Panel number `panel` of right matrix `matrix`; columns beyond the last are 0. */
static void webnn__pack_panel(const webnn__kernel_call *call, const webnn__matrix_product *p,
                              uint64_t matrix, uint64_t panel, float *to) {
  const uint64_t width = call->kernels->product_columns, first = panel * width;
  const uint64_t count = p->n - first < width ? p->n - first : width;
  const uint64_t origin = matrix * p->k * p->n + first * p->right_step;
  const bool is_float = p->right->type == WEBNN_FLOAT32;
  uint64_t k;
  if (is_float && p->right_step == 1) {
    call->kernels->product_pack(to, (const float *)p->right->data + origin, p->right_row, p->k,
                                (size_t)count);
    return;
  }
  if (count < width) {
    memset(to, 0, (size_t)(p->k * width) * sizeof *to);
  }
  if (is_float && p->right_row == 1) {
    webnn__transpose_floats(call->kernels, to, width, (const float *)p->right->data + origin,
                            p->right_step, p->k, count);
    return;
  }
  for (k = 0; k < p->k; k++) {
    webnn__floats_of(call->kernels, p->right, origin + k * p->right_row, p->right_step, count,
                     to + k * width);
  }
}

static void webnn__pack_product(const webnn__kernel_call *call) {
  const webnn__matrix_product p = webnn__product_of(call);
  const uint64_t floats = webnn__panel_floats(call, &p), panels = p.tiling.panels;
  uint64_t i;
  for (i = 0; i < p.right_count * panels; i++) {
    webnn__pack_panel(call, &p, i / panels, i % panels, (float *)call->packed + i * floats);
  }
}

static uint64_t webnn__product_items(const webnn__kernel_call *call) {
  const webnn__matrix_product p = webnn__product_of(call);
  switch (call->phase) {
  case 0:
    return p.prepare ? p.left_count * p.m : 0;
  case 1:
    return p.constant ? 0 : p.right_count * p.tiling.panels;
  default:
    return p.batch * p.tiling.groups * p.tiling.splits;
  }
}

static uint64_t webnn__product_cost(const webnn__kernel_call *call) {
  const webnn__matrix_product p = webnn__product_of(call);
  return call->phase == 0   ? 20 + p.k / 4
         : call->phase == 1 ? 20 + p.k * call->kernels->product_columns / 8
                            : webnn__group_cost(call, &p.tiling, p.k);
}

/* Which matrix of a broadcast operand belongs to number `batch` of the results. */
static uint64_t webnn__matrix_of(const webnn__kernel_call *call, const webnn__view *x,
                                 uint64_t count, uint64_t batch) {
  webnn__shape outer = call->y->shape, own = x->shape;
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK];
  if (count <= 1) {
    return 0;
  }
  outer.rank -= 2;
  own.rank -= 2;
  webnn__broadcast_strides(&own, &outer, strides);
  webnn__coordinates(&outer, batch, c);
  return (uint64_t)webnn__offset(outer.rank, c, strides);
}

/* Where phase 2 finds row m of left matrix `matrix`. */
static const float *webnn__left_row(const webnn__kernel_call *call, const webnn__matrix_product *p,
                                    uint64_t matrix, uint64_t m) {
  return p->prepare ? (const float *)call->scratch + (matrix * p->m + m) * p->row_length
                    : (const float *)p->left->data + (matrix * p->m + m) * p->left_row;
}

static float *webnn__panels_in_scratch(const webnn__kernel_call *call,
                                       const webnn__matrix_product *p) {
  return (float *)call->scratch + (p->prepare ? p->left_count * p->m * p->row_length : 0);
}

/* The bias of a matmul (fused) or convolution, or alpha, beta and c of gemm. */
static void webnn__add_bias(const webnn__matrix_product *p, webnn__row_group *g) {
  const webnn__kernel_call *call = g->call;
  int64_t strides[WEBNN_MAX_RANK] = {0};
  if (call->node->op == WEBNN_OP_GEMM) {
    g->tile.scale = webnn__option_as_float(call->attributes->alpha, call->x->type);
    g->beta = webnn__option_as_float(call->attributes->beta, call->x->type);
  }
  if (call->node->input_count < 3 || call->x[2].data == NULL) {
    return;
  }
  g->c = &call->x[2];
  if (call->node->op == WEBNN_OP_GEMM) {
    webnn__broadcast_strides(&g->c->shape, &call->y->shape, strides);
    g->c_row = strides[0];
    g->c_column = strides[1];
  } else {
    g->c_row = p->planes ? 1 : 0;
    g->c_column = p->planes || g->c->count == 1 ? 0 : 1;
  }
}

static void webnn__run_product_item(const webnn__kernel_call *call, const webnn__matrix_product *p,
                                    uint64_t item) {
  const uint64_t items = p->tiling.groups * p->tiling.splits, batch = item / items;
  const uint64_t left = webnn__matrix_of(call, p->left, p->left_count, batch);
  const uint64_t right =
      p->planes ? batch : webnn__matrix_of(call, p->right, p->right_count, batch);
  const float *panels =
      p->constant ? (const float *)call->packed : webnn__panels_in_scratch(call, p);
  webnn__row_group g;
  uint32_t i;
  webnn__start_group(call, &p->tiling, item % items, &g);
  g.depth = p->k;
  webnn__add_bias(p, &g);
  for (i = 0; i < g.rows; i++) {
    g.in[i] = webnn__left_row(call, p, left, g.first_row + i);
    g.at[i] = (batch * p->m + g.first_row + i) * p->n;
  }
  webnn__run_group(&g, panels + right * p->tiling.panels * webnn__panel_floats(call, p));
}

static void webnn__run_product(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__matrix_product p = webnn__product_of(call);
  const uint64_t floats = webnn__panel_floats(call, &p), panels = p.tiling.panels;
  for (; begin < end; begin++) {
    if (call->phase == 0) {
      webnn__floats_of(call->kernels, p.left, begin / p.m * p.m * p.k + begin % p.m * p.left_row,
                       p.left_step, p.k, (float *)call->scratch + begin * p.row_length);
    } else if (call->phase == 1) {
      webnn__pack_panel(call, &p, begin / panels, begin % panels,
                        webnn__panels_in_scratch(call, &p) + begin * floats);
    } else {
      webnn__run_product_item(call, &p, begin);
    }
  }
}

static const webnn__fast_kernel webnn__fast_product = {
    {webnn__run_product, webnn__product_items, webnn__product_cost, webnn__product_scratch},
    3,
    webnn__product_packed_size,
    webnn__pack_product};

static const webnn__fast_kernel *webnn__choose_product(const webnn__kernel_call *call) {
  (void)call;
  return &webnn__fast_product;
}

/* ---- Convolutions ------------------------------------------------------------------------------

   As products of pixels and filters, nhwc images being read in place: a tile has for each element
   of the window a pointer to each pixel's channels there, which are zeros outside the image. Phase
   0 makes other images such (float16, nchw), with their borders of zeros; phase 1 packs the
   filters, unless they are constant; phase 2 computes. With few channels the elements of a row of
   the window are taken together, as so many more channels. */

typedef struct webnn__convolution {
  webnn__axes4 x, w, y;
  uint32_t groups, inputs, outputs; /* channels of a group */
  uint32_t rows, columns;           /* of the image, with borders if it has them */
  uint32_t top, left;               /* what is left to skip: 0 if the image has borders */
  bool prepare, constant, depthwise, merged;
  bool by_planes;                    /* depthwise of an nchw image: channel by channel */
  uint64_t phase_floats, row_floats; /* by planes: columns of one phase; of a prepared row */
  uint64_t pixel;                    /* from pixel to pixel */
  uint64_t taps, pixels;
  webnn__tiling tiling; /* for one image and group */
} webnn__convolution;

enum { WEBNN__MOST_ZEROS = 1024, WEBNN__FEW_CHANNELS = 12 };
static const float webnn__zeros[WEBNN__MOST_ZEROS] = {0};

/* Must the image be copied? Into nhwc; so that a window's row can be read in one go; so that the
   pixels of a tile do not all fall into the same few places of the cache. */
static bool webnn__copies_image(const webnn__kernel_call *call, const webnn__convolution *v) {
  const webnn__shape *padding = &call->attributes->padding;
  if (v->depthwise) {
    return v->by_planes;
  }
  return call->x->type != WEBNN_FLOAT32 || v->x.stride[1] != 1 ||
         (v->merged && (padding->dimensions[2] != 0 || padding->dimensions[3] != 0)) ||
         (v->merged ? v->w.size[3] : 1) * (uint64_t)v->inputs > WEBNN__MOST_ZEROS ||
         (v->x.size[1] % 1024 == 0 && v->taps < 4);
}

static void webnn__size_image(const webnn__kernel_call *call, webnn__convolution *v) {
  const webnn__attributes *t = call->attributes;
  const uint32_t stride = t->strides.dimensions[1];
  v->prepare = webnn__copies_image(call, v);
  v->rows = v->x.size[2];
  v->columns = v->x.size[3];
  v->pixel = v->x.size[1];
  if (v->prepare) {
    v->rows += t->padding.dimensions[0] + t->padding.dimensions[1];
    v->columns += t->padding.dimensions[2] + t->padding.dimensions[3];
    v->pixel += v->pixel % 1024 == 0 ? 16 : 0;
  } else {
    v->top = t->padding.dimensions[0];
    v->left = t->padding.dimensions[2];
  }
  v->phase_floats = (v->columns + stride - 1) / stride;
  v->row_floats = v->by_planes ? v->phase_floats * stride : v->columns * v->pixel;
}

static webnn__convolution webnn__convolution_of(const webnn__kernel_call *call) {
  const webnn__attributes *t = call->attributes;
  const uint8_t *axes = webnn__input_axes[t->input_layout];
  webnn__convolution v;
  uint64_t taps;
  memset(&v, 0, sizeof v);
  v.x = webnn__axes_of(&call->x[0], axes);
  v.w = webnn__axes_of(&call->x[1], webnn__filter_axes[t->filter_layout]);
  v.y = webnn__axes_of(call->y, axes);
  v.groups = t->groups;
  v.inputs = v.w.size[1];
  v.outputs = v.w.size[0] / t->groups;
  v.constant = call->x[1].is_constant;
  v.depthwise = v.inputs == 1 && v.outputs == 1 && v.groups > 1 &&
                (t->input_layout == WEBNN_NCHW || 2 * v.w.size[3] < WEBNN__MOST_SPANS);
  v.by_planes = v.depthwise && t->input_layout == WEBNN_NCHW;
  v.taps = (uint64_t)v.w.size[2] * v.w.size[3];
  v.merged = v.groups == 1 && v.inputs < WEBNN__FEW_CHANNELS && t->dilations.dimensions[1] == 1;
  v.pixels = (uint64_t)v.y.size[2] * v.y.size[3];
  webnn__size_image(call, &v);
  taps = v.merged ? v.w.size[2] : v.taps;
  v.tiling = webnn__tiling_of(call, v.pixels, v.outputs, (uint64_t)v.x.size[0] * v.groups, taps,
                              (v.taps < 4 ? v.taps : 4) * v.inputs * sizeof(float));
  return v;
}

/* Floats of one image with borders, and of one packed panel. */
static uint64_t webnn__image_floats(const webnn__convolution *v) {
  return v->prepare ? v->rows * v->row_floats * (v->by_planes ? v->x.size[1] : 1) : 0;
}

static uint64_t webnn__filter_floats(const webnn__kernel_call *call, const webnn__convolution *v) {
  return v->depthwise
             ? v->taps * v->groups
             : v->groups * v->tiling.panels * v->taps * v->inputs * call->kernels->product_columns;
}

static uint64_t webnn__convolution_packed_size(const webnn__kernel_call *call) {
  const webnn__convolution v = webnn__convolution_of(call);
  return v.constant ? webnn__filter_floats(call, &v) * sizeof(float) : 0;
}

static uint64_t webnn__convolution_scratch(const webnn__kernel_call *call) {
  const webnn__convolution v = webnn__convolution_of(call);
  return (webnn__image_floats(&v) * v.x.size[0] +
          (v.constant ? 0 : webnn__filter_floats(call, &v))) *
         sizeof(float);
}

/* Filters as panels [tap][input][column], or [tap][channel] if depthwise; item by panel of a group.
 */
static void webnn__pack_filters(const webnn__kernel_call *call, const webnn__convolution *v,
                                uint64_t item, float *to) {
  const uint64_t width = call->kernels->product_columns;
  const uint64_t group = item / v->tiling.panels, first = item % v->tiling.panels * width;
  uint64_t tap, k, j;
  for (tap = 0; tap < v->taps; tap++) {
    const uint64_t at = tap / v->w.size[3] * v->w.stride[2] + tap % v->w.size[3] * v->w.stride[3];
    for (k = 0; k < v->inputs; k++) {
      for (j = 0; j < width; j++) {
        const uint64_t output = first + j;
        *to++ =
            output >= v->outputs
                ? 0.0f
                : webnn__float_at(&call->x[1], at + k * v->w.stride[1] +
                                                   (group * v->outputs + output) * v->w.stride[0]);
      }
    }
  }
}

static void webnn__pack_depthwise(const webnn__kernel_call *call, const webnn__convolution *v,
                                  float *to) {
  uint64_t tap, c;
  for (tap = 0; tap < v->taps; tap++) {
    for (c = 0; c < v->groups; c++) {
      to[tap * v->groups + c] =
          webnn__float_at(&call->x[1], c * v->w.stride[0] + tap / v->w.size[3] * v->w.stride[2] +
                                           tap % v->w.size[3] * v->w.stride[3]);
    }
  }
}

static void webnn__pack_convolution(const webnn__kernel_call *call) {
  const webnn__convolution v = webnn__convolution_of(call);
  const uint64_t floats = v.taps * v.inputs * call->kernels->product_columns;
  uint64_t i;
  if (v.depthwise) {
    webnn__pack_depthwise(call, &v, (float *)call->packed);
    return;
  }
  for (i = 0; i < v.groups * v.tiling.panels; i++) {
    webnn__pack_filters(call, &v, i, (float *)call->packed + i * floats);
  }
}

/* A row of an nchw image as pixels of channels. */
static void webnn__gather_channels(const webnn__kernel_call *call, const webnn__convolution *v,
                                   uint64_t at, float *to) {
  const uint64_t channels = v->x.size[1], pixels = v->x.size[3];
  uint64_t c, i;
  if (call->x->type == WEBNN_FLOAT32 && channels >= 4) {
    webnn__transpose_floats(call->kernels, to, v->pixel, (const float *)call->x->data + at,
                            v->x.stride[1], pixels, channels);
    return;
  }
  for (c = 0; c < channels; c++, at += v->x.stride[1]) {
    if (call->x->type == WEBNN_FLOAT32) {
      const float *x = (const float *)call->x->data + at;
      for (i = 0; i < pixels; i++) {
        to[i * v->pixel + c] = x[i];
      }
    } else {
      for (i = 0; i < pixels; i++) {
        to[i * v->pixel + c] = webnn__float_at(call->x, at + i);
      }
    }
  }
}

/* A row of one channel: columns 0, s, 2s, ... of the row with borders, then 1, s + 1, ..., so that
   a stride of s is none. */
static void webnn__gather_columns(const webnn__kernel_call *call, const webnn__convolution *v,
                                  uint64_t at, float *to) {
  const webnn__attributes *t = call->attributes;
  const uint64_t s = t->strides.dimensions[1], left = t->padding.dimensions[2];
  const uint64_t end = left + v->x.size[3];
  uint64_t phase, i;
  memset(to, 0, (size_t)v->row_floats * sizeof *to);
  if (s == 1) {
    webnn__floats_of(call->kernels, call->x, at, 1, v->x.size[3], to + left);
    return;
  }
  for (phase = 0; phase < s; phase++, to += v->phase_floats) {
    for (i = (left + s - 1 - phase) / s; phase + i * s < end; i++) {
      to[i] = webnn__float_at(call->x, at + phase + i * s - left);
    }
  }
}

/* Row `item` of the images with borders. */
static void webnn__prepare_image_row(const webnn__kernel_call *call, const webnn__convolution *v,
                                     uint64_t item) {
  const uint64_t row = item % v->rows, image = item / v->rows; /* by planes: image and channel */
  const uint64_t top = call->attributes->padding.dimensions[0];
  const uint64_t left = call->attributes->padding.dimensions[2] * v->pixel;
  const uint64_t floats = v->x.size[3] * v->pixel;
  float *to = (float *)call->scratch + item * v->row_floats;
  const uint64_t at =
      (v->by_planes ? image / v->x.size[1] * v->x.stride[0] + image % v->x.size[1] * v->x.stride[1]
                    : image * v->x.stride[0]) +
      (row - top) * v->x.stride[2];
  uint64_t i;
  if (row < top || row >= top + v->x.size[2]) {
    memset(to, 0, (size_t)v->row_floats * sizeof *to);
    return;
  }
  if (v->by_planes) {
    webnn__gather_columns(call, v, at, to);
    return;
  }
  memset(to, 0, (size_t)left * sizeof *to);
  memset(to + left + floats, 0, (size_t)(v->row_floats - left - floats) * sizeof *to);
  to += left;
  if (v->x.stride[1] != 1) {
    webnn__gather_channels(call, v, at, to);
  } else if (v->pixel == v->x.size[1]) {
    webnn__floats_of(call->kernels, call->x, at, 1, floats, to);
  } else {
    for (i = 0; i < v->x.size[3]; i++) {
      webnn__floats_of(call->kernels, call->x, at + i * v->x.size[1], 1, v->x.size[1],
                       to + i * v->pixel);
    }
  }
}

/* Where the images with borders and the packed filters are in phase 2. */
static const float *webnn__images(const webnn__kernel_call *call, const webnn__convolution *v) {
  return v->prepare ? (const float *)call->scratch : (const float *)call->x->data;
}

static float *webnn__filters(const webnn__kernel_call *call, const webnn__convolution *v) {
  return v->constant ? (float *)call->packed
                     : (float *)call->scratch + webnn__image_floats(v) * v->x.size[0];
}

/* `from` is an image, at the group's first channel. */
static void webnn__point_pixels(const webnn__convolution *v, const float *from, uint64_t y,
                                webnn__row_group *g) {
  const webnn__attributes *t = g->call->attributes;
  const int64_t row_dilation = (int64_t)t->dilations.dimensions[0];
  const int64_t column_dilation = (int64_t)t->dilations.dimensions[1];
  const uint32_t columns = v->merged ? 1 : v->w.size[3];
  uint64_t row = g->first_row / v->y.size[3], column = g->first_row % v->y.size[3];
  uint32_t i, a, b;
  for (i = 0; i < g->rows; i++) {
    const int64_t top = (int64_t)(row * t->strides.dimensions[0]) - v->top;
    const int64_t left = (int64_t)(column * t->strides.dimensions[1]) - v->left;
    const float **in = g->in + i;
    for (a = 0; a < v->w.size[2]; a++) {
      const int64_t p = top + a * row_dilation;
      const bool outside = p < 0 || p >= (int64_t)v->rows;
      const float *x = from + (outside ? 0 : p) * (int64_t)v->row_floats;
      int64_t q = left;
      for (b = 0; b < columns; b++, q += column_dilation, in += g->rows) {
        *in =
            outside || q < 0 || q >= (int64_t)v->columns ? webnn__zeros : x + q * (int64_t)v->pixel;
      }
    }
    g->at[i] = y + row * v->y.stride[2] + column * v->y.stride[3];
    if (++column == v->y.size[3]) {
      column = 0;
      row++;
    }
  }
}

static void webnn__convolve_item(const webnn__kernel_call *call, const webnn__convolution *v,
                                 uint64_t item) {
  const uint64_t items = v->tiling.groups * v->tiling.splits;
  const uint64_t group = item / items % v->groups, image = item / items / v->groups;
  const uint64_t floats = v->taps * v->inputs * call->kernels->product_columns;
  webnn__view bias;
  webnn__row_group g;
  webnn__start_group(call, &v->tiling, item % items, &g);
  g.tap_count = v->merged ? v->w.size[2] : v->taps;
  g.depth = v->merged ? v->w.size[3] * v->inputs : v->inputs;
  g.y_step = v->y.stride[1];
  if (call->x[2].data != NULL) {
    bias = call->x[2];
    bias.data = (char *)bias.data + group * v->outputs * (webnn__type(bias.type)->bits / 8);
    g.c = &bias;
    g.c_column = 1;
  }
  webnn__point_pixels(v,
                      webnn__images(call, v) + image * v->rows * v->row_floats + group * v->inputs,
                      image * v->y.stride[0] + group * v->outputs * v->y.stride[1], &g);
  webnn__run_group(&g, webnn__filters(call, v) + group * v->tiling.panels * floats);
}

/* ---- Depthwise convolutions: of nhwc images a block of output rows and of channels, of nchw
   images a channel
   ------------------------------------------------------------------------------------ */

enum { WEBNN__DEPTHWISE_ROWS = 8, WEBNN__DEPTHWISE_CHANNELS = 32 };

static void webnn__channel_bias(const webnn__kernel_call *call, uint64_t first, uint64_t count,
                                float *bias) {
  memset(bias, 0, (size_t)count * sizeof *bias);
  if (call->x[2].data != NULL) {
    webnn__floats_of(call->kernels, &call->x[2], first, 1, count, bias);
  }
}

/* Runs of pixels under whose window the same columns are inside the image. */
static void webnn__find_spans(const webnn__kernel_call *call, const webnn__convolution *v,
                              webnn__depthwise_channels *d) {
  const webnn__attributes *t = call->attributes;
  uint32_t p, first, end;
  d->span_count = 0;
  for (p = 0; p < v->y.size[3]; p++) {
    webnn__depthwise_span *last = d->spans + d->span_count - 1;
    webnn__taps_inside(webnn__window_start(t, 1, p), t->dilations.dimensions[1], v->w.size[3],
                       v->x.size[3], &first, &end);
    if (p == 0 || last->first != first || last->end != end) {
      last = d->spans + d->span_count++;
      last->begin = p;
      last->first = first;
      last->end = end;
    }
    last->stop = p + 1;
  }
}

static uint64_t webnn__depthwise_blocks(const webnn__convolution *v) {
  return (v->y.size[2] + WEBNN__DEPTHWISE_ROWS - 1) / WEBNN__DEPTHWISE_ROWS;
}

static uint64_t webnn__depthwise_parts(const webnn__convolution *v) {
  return (v->groups + WEBNN__DEPTHWISE_CHANNELS - 1) / WEBNN__DEPTHWISE_CHANNELS;
}

/* d is filled but for what depends on the item. */
static void webnn__depthwise_item(const webnn__kernel_call *call, const webnn__convolution *v,
                                  webnn__depthwise_channels *d, uint64_t item) {
  const webnn__attributes *t = call->attributes;
  const uint64_t blocks = webnn__depthwise_blocks(v), parts = webnn__depthwise_parts(v);
  const uint64_t c = item % parts * WEBNN__DEPTHWISE_CHANNELS, left = v->groups - c;
  const uint64_t image = item / parts / blocks, block = item / parts % blocks;
  const uint32_t bytes = webnn__type(call->y->type)->bits / 8;
  const uint32_t end = (uint32_t)(block + 1) * WEBNN__DEPTHWISE_ROWS;
  const webnn__view *residual = webnn__residual_of(call);
  float bias[WEBNN__DEPTHWISE_CHANNELS];
  uint32_t row = (uint32_t)block * WEBNN__DEPTHWISE_ROWS;
  d->channels = left < WEBNN__DEPTHWISE_CHANNELS ? left : (uint64_t)WEBNN__DEPTHWISE_CHANNELS;
  d->w = webnn__filters(call, v) + c;
  d->bias = bias;
  webnn__channel_bias(call, c, d->channels, bias);
  for (; row < end && row < v->y.size[2]; row++) {
    const int64_t top = webnn__window_start(t, 0, row);
    const uint64_t at = (image * v->y.stride[0] + row * v->y.stride[2] + c) * bytes;
    webnn__taps_inside(top, t->dilations.dimensions[0], v->w.size[2], v->x.size[2], &d->first_row,
                       &d->end_row);
    d->origin = (ptrdiff_t)(image * v->x.stride[0] + c) +
                (ptrdiff_t)(top * (int64_t)v->x.stride[2]) - (ptrdiff_t)(v->left * v->x.stride[3]);
    d->y = (char *)call->y->data + at;
    d->residual = residual != NULL ? (const char *)residual->data + at : NULL;
    call->kernels->depthwise_channels(d);
  }
}

static void webnn__run_depthwise(const webnn__kernel_call *call, const webnn__convolution *v,
                                 uint64_t begin, uint64_t end) {
  const webnn__attributes *t = call->attributes;
  const webnn__fused *fused = call->node->fused;
  webnn__depthwise_channels d;
  d.x = call->x->data;
  d.step = (ptrdiff_t)(t->strides.dimensions[1] * v->x.stride[3]);
  d.tap_row = (ptrdiff_t)(t->dilations.dimensions[0] * v->x.stride[2]);
  d.tap_column = (ptrdiff_t)(t->dilations.dimensions[1] * v->x.stride[3]);
  d.y_step = (ptrdiff_t)v->y.stride[3];
  d.w_row = v->w.size[3] * (uint64_t)v->groups;
  d.w_column = v->groups;
  d.clamped = fused != NULL;
  d.low = fused != NULL ? fused->low : 0.0f;
  d.high = fused != NULL ? fused->high : 0.0f;
  d.half = call->x->type == WEBNN_FLOAT16;
  webnn__find_spans(call, v, &d);
  for (; begin < end; begin++) {
    webnn__depthwise_item(call, v, &d, begin);
  }
}

/* Offsets of the window's elements from its first. */
static void webnn__window_offsets(const webnn__kernel_call *call, const webnn__convolution *v,
                                  ptrdiff_t *taps) {
  const webnn__shape *dilations = &call->attributes->dilations;
  const uint64_t stride = call->attributes->strides.dimensions[1];
  uint64_t i;
  for (i = 0; i < v->taps; i++) {
    const uint64_t column = i % v->w.size[3] * dilations->dimensions[1];
    taps[i] = (ptrdiff_t)(i / v->w.size[3] * dilations->dimensions[0] * v->row_floats +
                          column % stride * v->phase_floats + column / stride);
  }
}

static void webnn__depthwise_plane(const webnn__kernel_call *call, const webnn__convolution *v,
                                   const ptrdiff_t *taps, uint64_t item) {
  enum { PIXELS = 512 };
  const webnn__fused *fused = call->node->fused;
  const webnn__view *residual = webnn__residual_of(call);
  const uint64_t channel = item % v->x.size[1], pixels = v->y.size[3];
  const uint64_t stride = call->attributes->strides.dimensions[0];
  const bool direct = call->y->type == WEBNN_FLOAT32;
  const uint64_t piece = direct ? pixels : (uint64_t)PIXELS;
  const float *x = webnn__images(call, v) + item * v->rows * v->row_floats;
  float results[PIXELS], added[PIXELS], bias[1];
  webnn__depthwise_row d;
  uint64_t row, p;
  webnn__channel_bias(call, channel, 1, bias);
  d.bias = bias;
  d.taps = taps;
  d.tap_count = v->taps;
  d.w = webnn__filters(call, v) + channel;
  d.w_step = (ptrdiff_t)v->groups;
  d.residual = NULL;
  d.clamped = fused != NULL;
  d.low = fused != NULL ? fused->low : 0.0f;
  d.high = fused != NULL ? fused->high : 0.0f;
  for (row = 0; row < v->y.size[2]; row++) {
    for (p = 0; p < pixels; p += piece) {
      const uint64_t at = item * v->pixels + row * pixels + p;
      d.pixels = pixels - p < piece ? pixels - p : piece;
      d.x = x + row * stride * v->row_floats + p;
      d.y = direct ? (float *)call->y->data + at : results;
      if (residual != NULL && !direct) {
        webnn__floats_of(call->kernels, residual, at, 1, d.pixels, added);
      }
      if (residual != NULL) {
        d.residual = direct ? (const float *)residual->data + at : added;
      }
      call->kernels->depthwise_pixels(&d);
      if (!direct) {
        webnn__store_floats(call->kernels, call->y, at, results, d.pixels);
      }
    }
  }
}

static void webnn__run_planes(const webnn__kernel_call *call, const webnn__convolution *v,
                              uint64_t begin, uint64_t end) {
  ptrdiff_t taps[WEBNN__MOST_TAPS];
  webnn__window_offsets(call, v, taps);
  for (; begin < end; begin++) {
    webnn__depthwise_plane(call, v, taps, begin);
  }
}

/* ---- All of them ----------------------------------------------------------------------------- */

static uint64_t webnn__convolution_items(const webnn__kernel_call *call) {
  const webnn__convolution v = webnn__convolution_of(call);
  switch (call->phase) {
  case 0:
    return v.prepare ? (uint64_t)v.x.size[0] * v.rows * (v.by_planes ? v.x.size[1] : 1) : 0;
  case 1:
    return v.constant ? 0 : v.depthwise ? 1 : v.groups * v.tiling.panels;
  default:
    return v.x.size[0] * (v.by_planes   ? v.x.size[1]
                          : v.depthwise ? webnn__depthwise_blocks(&v) * webnn__depthwise_parts(&v)
                                        : v.groups * v.tiling.groups * v.tiling.splits);
  }
}

static uint64_t webnn__convolution_cost(const webnn__kernel_call *call) {
  const webnn__convolution v = webnn__convolution_of(call);
  const uint64_t lanes = call->kernels->width;
  switch (call->phase) {
  case 0:
    return 20 + v.row_floats / 2;
  case 1:
    return 20 + v.taps * v.inputs * call->kernels->product_columns;
  default:
    return v.by_planes   ? 20 + v.pixels * v.taps / (lanes + 1)
           : v.depthwise ? 20 + v.y.size[3] * WEBNN__DEPTHWISE_ROWS * WEBNN__DEPTHWISE_CHANNELS *
                                    v.taps / (2 * lanes + 1)
                         : webnn__group_cost(call, &v.tiling, v.taps * v.inputs);
  }
}

static void webnn__run_convolution(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__convolution v = webnn__convolution_of(call);
  const uint64_t floats = v.taps * v.inputs * call->kernels->product_columns;
  if (call->phase == 2 && v.by_planes) {
    webnn__run_planes(call, &v, begin, end);
    return;
  }
  if (call->phase == 2 && v.depthwise) {
    webnn__run_depthwise(call, &v, begin, end);
    return;
  }
  for (; begin < end; begin++) {
    if (call->phase == 0) {
      webnn__prepare_image_row(call, &v, begin);
    } else if (call->phase == 2) {
      webnn__convolve_item(call, &v, begin);
    } else if (v.depthwise) {
      webnn__pack_depthwise(call, &v, webnn__filters(call, &v));
    } else {
      webnn__pack_filters(call, &v, begin, webnn__filters(call, &v) + begin * floats);
    }
  }
}

static const webnn__fast_kernel webnn__fast_convolution = {
    {webnn__run_convolution, webnn__convolution_items, webnn__convolution_cost,
     webnn__convolution_scratch},
    3,
    webnn__convolution_packed_size,
    webnn__pack_convolution};

/* Is it a product of the filter and the planes of an nchw image? */
static bool webnn__is_pointwise(const webnn__kernel_call *call) {
  const webnn__attributes *t = call->attributes;
  const webnn__convolution v = webnn__convolution_of(call);
  return t->input_layout == WEBNN_NCHW && v.taps == 1 && t->groups == 1 &&
         t->strides.dimensions[0] == 1 && t->strides.dimensions[1] == 1 &&
         v.y.size[2] == v.x.size[2] && v.y.size[3] == v.x.size[3] &&
         t->padding.dimensions[0] == 0 && t->padding.dimensions[2] == 0 &&
         v.w.stride[0] == v.w.size[1] && (v.w.stride[1] == 1 || v.w.size[1] == 1);
}

static const webnn__fast_kernel *webnn__choose_convolution(const webnn__kernel_call *call) {
  const webnn__convolution v = webnn__convolution_of(call);
  if (v.taps > WEBNN__MOST_TAPS) {
    return NULL;
  }
  return webnn__is_pointwise(call) ? &webnn__fast_product : &webnn__fast_convolution;
}

/* ---- Integers, tile by tile --------------------------------------------------------------------

   Plain loops, the same for six types: T, a wide unsigned type W in which it wraps, and whether it
   is signed, S. Operands of 8 bits are computed as float32 where the vector functions give the
   same. */

#define WEBNN__NEGATIVE(S, x) ((S) && (x) != 0 && !((x) > 0))

/* X(operator, T, result type, expression of x and y) */
#define WEBNN__INTEGER_OPERATORS(X, T, W, S)                                                       \
  X(ABS, T, T, WEBNN__NEGATIVE(S, x) ? (W)0 - (W)x : (W)x)                                         \
  X(ADD, T, T, (W)x + (W)y)                                                                        \
  X(CLAMP, T, T, (x > low ? x : low) < high ? (x > low ? x : low) : high)                          \
  X(DIV, T, T, y == 0 ? (W)0 : (S) && y == (T)-1 ? (W)0 - (W)x : (W)(T)(x / y))                    \
  X(EQUAL, T, uint8_t, x == y)                                                                     \
  X(GREATER, T, uint8_t, x > y)                                                                    \
  X(GREATER_OR_EQUAL, T, uint8_t, x >= y)                                                          \
  X(LESSER, T, uint8_t, x < y)                                                                     \
  X(LESSER_OR_EQUAL, T, uint8_t, x <= y)                                                           \
  X(MAX, T, T, x > y ? x : y)                                                                      \
  X(MIN, T, T, x < y ? x : y)                                                                      \
  X(MUL, T, T, (W)x *(W)y)                                                                         \
  X(NEG, T, T, (W)0 - (W)x)                                                                        \
  X(NOT_EQUAL, T, uint8_t, x != y)                                                                 \
  X(POW, T, T, webnn__integer_power((uint64_t)x, (uint64_t)y, S))                                  \
  X(PRELU, T, T, WEBNN__NEGATIVE(S, x) ? (W)x *(W)y : (W)x)                                        \
  X(RELU, T, T, WEBNN__NEGATIVE(S, x) ? 0 : x)                                                     \
  X(SIGN, T, T, WEBNN__NEGATIVE(S, x) ? -1 : x != 0 ? 1 : 0)                                       \
  X(SUB, T, T, (W)x - (W)y)                                                                        \
  X(CAST, T, int64_t, x)

/* One operand stands in for an absent second one. */
#define WEBNN__INTEGER_LOOP(upper, T, R, expression)                                               \
  static void webnn__tile_##upper##_##T(const webnn__tile *tile) {                                 \
    const T *const px = (const T *)tile->x[0], *const py = (const T *)tile->x[1];                  \
    const T low = (T)tile->bits[0], high = (T)tile->bits[1];                                       \
    R *const to = (R *)tile->y;                                                                    \
    const size_t n = tile->n;                                                                      \
    size_t i;                                                                                      \
    (void)low;                                                                                     \
    (void)high;                                                                                    \
    for (i = 0; i < n; i++) {                                                                      \
      const T x = px[i], y = py[i];                                                                \
      (void)y;                                                                                     \
      to[i] = (R)(expression);                                                                     \
    }                                                                                              \
  }

/* From the wide integer of a cast, keeping the low bits; and from float32, truncated and saturated,
   NaN to 0. */
#define WEBNN__NARROW_LOOP(T, least, most, above)                                                  \
  static void webnn__tile_narrow_##T(const webnn__tile *tile) {                                    \
    const int64_t *const px = (const int64_t *)tile->x[0];                                         \
    T *const to = (T *)tile->y;                                                                    \
    size_t i;                                                                                      \
    for (i = 0; i < tile->n; i++) {                                                                \
      to[i] = (T)px[i];                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void webnn__tile_saturate_##T(const webnn__tile *tile) {                                  \
    const float *const px = (const float *)tile->x[0];                                             \
    T *const to = (T *)tile->y;                                                                    \
    size_t i;                                                                                      \
    for (i = 0; i < tile->n; i++) {                                                                \
      const float x = px[i];                                                                       \
      to[i] = x >= (above) ? (most) : x > (float)(least) ? (T)x : x == x ? (least) : 0;            \
    }                                                                                              \
  }

#define WEBNN__FUNCTION_NAME(upper, T, R, expression) webnn__tile_##upper##_##T,
#define WEBNN__INTEGER_FUNCTIONS(T, W, S, least, most, above)                                      \
  WEBNN__INTEGER_OPERATORS(WEBNN__INTEGER_LOOP, T, W, S)                                           \
  WEBNN__NARROW_LOOP(T, least, most, above)                                                        \
  static const webnn__tile_function webnn__tiles_of_##T[] = {                                      \
      WEBNN__INTEGER_OPERATORS(WEBNN__FUNCTION_NAME, T, W, S) webnn__tile_narrow_##T,              \
      webnn__tile_saturate_##T};

WEBNN__INTEGER_FUNCTIONS(int32_t, uint32_t, true, INT32_MIN, INT32_MAX, 2147483648.0f)
WEBNN__INTEGER_FUNCTIONS(uint32_t, uint32_t, false, 0, UINT32_MAX, 4294967296.0f)
WEBNN__INTEGER_FUNCTIONS(int64_t, uint64_t, true, INT64_MIN, INT64_MAX, 9223372036854775808.0f)
WEBNN__INTEGER_FUNCTIONS(uint64_t, uint64_t, false, 0, UINT64_MAX, 18446744073709551616.0f)
WEBNN__INTEGER_FUNCTIONS(int8_t, uint32_t, true, INT8_MIN, INT8_MAX, 128.0f)
WEBNN__INTEGER_FUNCTIONS(uint8_t, uint32_t, false, 0, UINT8_MAX, 256.0f)

#define WEBNN__OP_NAME(upper, T, R, expression) WEBNN_OP_##upper,
static const webnn_op webnn__integer_operators[] = {
    WEBNN__INTEGER_OPERATORS(WEBNN__OP_NAME, 0, 0, 0)};
#define WEBNN__INTEGER_OPERATOR_COUNT                                                              \
  (sizeof webnn__integer_operators / sizeof *webnn__integer_operators)

#undef WEBNN__INTEGER_LOOP
#undef WEBNN__NARROW_LOOP
#undef WEBNN__FUNCTION_NAME
#undef WEBNN__INTEGER_FUNCTIONS
#undef WEBNN__OP_NAME

/* Further columns of the table beside the operators. */
enum {
  WEBNN__NARROW = WEBNN__INTEGER_OPERATOR_COUNT, /* from int64 */
  WEBNN__SATURATE                                /* from float32 */
};

static const webnn__tile_function *webnn__integer_tiles(webnn_data_type type) {
  static const webnn__tile_function *const tables[] = {
      webnn__tiles_of_int32_t,  webnn__tiles_of_uint32_t, webnn__tiles_of_int64_t,
      webnn__tiles_of_uint64_t, webnn__tiles_of_int8_t,   webnn__tiles_of_uint8_t};
  return tables[type - WEBNN_INT32];
}

static webnn__tile_function webnn__integer_tile(webnn_op op, webnn_data_type type) {
  size_t i;
  for (i = 0; i < WEBNN__INTEGER_OPERATOR_COUNT; i++) {
    if (webnn__integer_operators[i] == op) {
      return webnn__integer_tiles(type)[i];
    }
  }
  return NULL;
}

static void webnn__tile_int64_to_float(const webnn__tile *tile) {
  size_t i;
  for (i = 0; i < tile->n; i++) {
    ((float *)tile->y)[i] = (float)((const int64_t *)tile->x[0])[i];
  }
}

static void webnn__tile_uint64_to_float(const webnn__tile *tile) {
  size_t i;
  for (i = 0; i < tile->n; i++) {
    ((float *)tile->y)[i] = (float)((const uint64_t *)tile->x[0])[i];
  }
}

/* Two elements in a byte, the first in bits 0 to 3; a tile begins with a whole byte. */
static void webnn__tile_unpack_uint4(const webnn__tile *tile) {
  const uint8_t *from = (const uint8_t *)tile->x[0];
  uint8_t *to = (uint8_t *)tile->y;
  size_t i;
  for (i = 0; i < tile->n; i++) {
    to[i] = (uint8_t)(from[i / 2] >> (i % 2 * 4) & 15);
  }
}

static void webnn__tile_unpack_int4(const webnn__tile *tile) {
  uint8_t *to = (uint8_t *)tile->y;
  size_t i;
  webnn__tile_unpack_uint4(tile);
  for (i = 0; i < tile->n; i++) {
    to[i] = (uint8_t)(to[i] | (to[i] > 7 ? 0xf0 : 0));
  }
}

static void webnn__tile_pack_4bit(const webnn__tile *tile) {
  const uint8_t *from = (const uint8_t *)tile->x[0];
  uint8_t *to = (uint8_t *)tile->y;
  size_t i;
  for (i = 0; i + 1 < tile->n; i += 2) {
    to[i / 2] = (uint8_t)((from[i] & 15) | from[i + 1] << 4);
  }
  if (i < tile->n) {
    to[i / 2] = from[i] & 15;
  }
}

/* (x - zero point) scale for 32-bit x: the difference is exact in double precision. */
#define WEBNN__DEQUANTIZE_LOOP(T)                                                                  \
  static void webnn__tile_dequantize_##T(const webnn__tile *tile) {                                \
    const T *const px = (const T *)tile->x[0], *const zero = (const T *)tile->x[2];                \
    const float *const scale = (const float *)tile->x[1];                                          \
    float *const to = (float *)tile->y;                                                            \
    size_t i;                                                                                      \
    for (i = 0; i < tile->n; i++) {                                                                \
      to[i] = (float)(((double)px[i] - (double)zero[i]) * (double)scale[i]);                       \
    }                                                                                              \
  }
WEBNN__DEQUANTIZE_LOOP(int32_t)
WEBNN__DEQUANTIZE_LOOP(uint32_t)
#undef WEBNN__DEQUANTIZE_LOOP

/* where for elements of other sizes than 4 bytes, with a condition of bytes. */
#define WEBNN__WHERE_LOOP(T)                                                                       \
  static void webnn__tile_where_##T(const webnn__tile *tile) {                                     \
    const uint8_t *const condition = (const uint8_t *)tile->x[0];                                  \
    const T *const a = (const T *)tile->x[1], *const b = (const T *)tile->x[2];                    \
    T *const to = (T *)tile->y;                                                                    \
    size_t i;                                                                                      \
    for (i = 0; i < tile->n; i++) {                                                                \
      to[i] = condition[i] != 0 ? a[i] : b[i];                                                     \
    }                                                                                              \
  }
WEBNN__WHERE_LOOP(uint8_t)
WEBNN__WHERE_LOOP(uint16_t)
WEBNN__WHERE_LOOP(uint64_t)
#undef WEBNN__WHERE_LOOP

/* ---- Chains of tile functions ------------------------------------------------------------------

   A chain is a list of tile functions run one after the other on each tile of the result. Its
   values are numbered: first the inputs, then what each step makes. A step's value is a register, a
   buffer that later steps may use again, or an output. An input is read in place where its elements
   follow each other; else it is a stream that fills a register: once if it is a single element or a
   row that repeats, tile by tile otherwise. Indices into the result and into a stream are related
   by strides, after dimensions that can be seen as one have been merged. */

#define WEBNN__CHAIN_INPUTS 8
#define WEBNN__CHAIN_STEPS 24
#define WEBNN__CHAIN_VALUES (WEBNN__CHAIN_INPUTS + WEBNN__CHAIN_STEPS)
#define WEBNN__CHAIN_REGISTERS 12
#define WEBNN__REGISTER_BYTES (4 * WEBNN__TILE)
#define WEBNN__NO_VALUE 255
#define WEBNN__STREAM_RANK (2 * WEBNN_MAX_RANK)

typedef enum webnn__stream_kind {
  WEBNN__STREAM_WHOLE,    /* element i of the result needs element i */
  WEBNN__STREAM_ONE,      /* always the same */
  WEBNN__STREAM_PERIODIC, /* i modulo the last dimension, which is at most a tile */
  WEBNN__STREAM_RUNS      /* anything else */
} webnn__stream_kind;

typedef struct webnn__stream {
  webnn__stream_kind kind;
  uint32_t bits;    /* of an element */
  uint32_t operand; /* which of the operator's */
  uint32_t where;   /* the first register; for PERIODIC there are two */
  uint32_t rank;
  uint64_t dimensions[WEBNN__STREAM_RANK], strides[WEBNN__STREAM_RANK];
} webnn__stream;

typedef struct webnn__tile_step {
  webnn__tile_function f;
  uint8_t x[4];   /* values */
  uint8_t where;  /* register */
  uint8_t output; /* or output, if not WEBNN__NO_VALUE */
  uint8_t bits;   /* of an element of the result */
  float c[4];
  uint64_t alpha_beta[2];
} webnn__tile_step;

typedef struct webnn__chain {
  uint64_t count; /* elements of the result */
  uint64_t cost;  /* of a tile, in nanoseconds */
  uint32_t tile, input_count, step_count;
  webnn__stream *inputs;
  webnn__tile_step *steps;
} webnn__chain;

/* Repeats the first `size` bytes until there are `total`; each copy is as long as all before it. */
static void webnn__fill(char *to, const char *from, size_t size, size_t total) {
  size_t done = size < total ? size : total;
  memcpy(to, from, done);
  while (done < total) {
    const size_t more = done < total - done ? done : total - done;
    memcpy(to + done, to, more);
    done += more;
  }
}

/* What a stream needs to know while a chain runs. */
typedef struct webnn__stream_state {
  const char *data;
  char *buffer;
  uint64_t filled; /* the element that fills the whole buffer, or UINT64_MAX */
} webnn__stream_state;

/* Once for all tiles. */
static void webnn__start_stream(const webnn__chain *chain, const webnn__stream *stream,
                                webnn__stream_state *state) {
  const size_t size = stream->bits / 8;
  const uint64_t most = chain->count < chain->tile ? chain->count : chain->tile;
  state->filled = UINT64_MAX;
  if (stream->kind == WEBNN__STREAM_ONE) {
    webnn__fill(state->buffer, state->data, size, (size_t)most * size);
  } else if (stream->kind ==
             WEBNN__STREAM_PERIODIC) { /* a tile from any place of the first period */
    const size_t period = (size_t)stream->dimensions[1];
    webnn__fill(state->buffer, state->data, period * size, ((size_t)most + period - 1) * size);
  }
}

/* Elements i ... i + n - 1 of the result need these; the runs along the last dimension are elements
   in a row or one repeated. */
static const void *webnn__stream_runs(const webnn__chain *chain, const webnn__stream *stream,
                                      webnn__stream_state *state, uint64_t i, size_t n) {
  const uint32_t last = stream->rank - 1;
  const size_t size = stream->bits / 8;
  const uint64_t length = stream->dimensions[last], step = stream->strides[last];
  uint64_t c[WEBNN__STREAM_RANK], offset = 0, rest = i, d;
  size_t done = 0;
  for (d = stream->rank; d-- > 0;) {
    c[d] = rest % stream->dimensions[d];
    rest /= stream->dimensions[d];
    offset += c[d] * stream->strides[d];
  }
  if (n <= length - c[last]) {
    if (step == 1) {
      return state->data + offset * size;
    }
    if (state->filled != offset) {
      webnn__fill(state->buffer, state->data + offset * size, size,
                  (size_t)(chain->count < chain->tile ? chain->count : chain->tile) * size);
      state->filled = offset;
    }
    return state->buffer;
  }
  state->filled = UINT64_MAX;
  while (done < n) {
    const uint64_t run = length - c[last] < n - done ? length - c[last] : n - done;
    if (step == 1) {
      memcpy(state->buffer + done * size, state->data + offset * size, (size_t)run * size);
    } else {
      webnn__fill(state->buffer + done * size, state->data + offset * size, size,
                  (size_t)run * size);
    }
    done += (size_t)run;
    offset -= c[last] * step;
    c[last] = 0;
    for (d = last; d-- > 0;) {
      offset += stream->strides[d];
      if (++c[d] < stream->dimensions[d]) {
        break;
      }
      offset -= c[d] * stream->strides[d];
      c[d] = 0;
    }
  }
  return state->buffer;
}

static const void *webnn__stream_tile(const webnn__chain *chain, const webnn__stream *stream,
                                      webnn__stream_state *state, uint64_t i, size_t n) {
  switch (stream->kind) {
  case WEBNN__STREAM_WHOLE:
    return state->data + i * stream->bits / 8;
  case WEBNN__STREAM_ONE:
    return state->buffer;
  case WEBNN__STREAM_PERIODIC:
    return state->buffer + (size_t)(i % stream->dimensions[1]) * (stream->bits / 8);
  default:
    return webnn__stream_runs(chain, stream, state, i, n);
  }
}

/* Tiles begin ... end - 1. inputs: one for each stream. */
static void webnn__run_chain(const webnn__chain *chain, const void *const *inputs,
                             void *const *outputs, uint64_t begin, uint64_t end) {
  char memory[(WEBNN__CHAIN_REGISTERS)*WEBNN__REGISTER_BYTES + 64];
  char *const registers = memory + (64 - (uintptr_t)memory % 64) % 64;
  webnn__stream_state states[WEBNN__CHAIN_INPUTS];
  const void *values[WEBNN__CHAIN_VALUES];
  webnn__tile tile;
  uint32_t k, j;
  for (k = 0; k < chain->input_count; k++) {
    states[k].data = (const char *)inputs[k];
    states[k].buffer = registers + chain->inputs[k].where * (size_t)WEBNN__REGISTER_BYTES;
    webnn__start_stream(chain, &chain->inputs[k], &states[k]);
  }
  for (; begin < end; begin++) {
    const uint64_t i = begin * chain->tile;
    tile.n = (size_t)(chain->count - i < chain->tile ? chain->count - i : chain->tile);
    for (k = 0; k < chain->input_count; k++) {
      values[k] = webnn__stream_tile(chain, &chain->inputs[k], &states[k], i, tile.n);
    }
    for (k = 0; k < chain->step_count; k++) {
      const webnn__tile_step *step = &chain->steps[k];
      for (j = 0; j < 4; j++) {
        tile.x[j] = values[step->x[j]];
      }
      tile.c = step->c;
      tile.bits = step->alpha_beta;
      tile.y = step->output != WEBNN__NO_VALUE
                   ? (char *)outputs[step->output] + i * step->bits / 8
                   : registers + step->where * (size_t)WEBNN__REGISTER_BYTES;
      step->f(&tile);
      values[chain->input_count + k] = tile.y;
    }
  }
}

/* ---- Building chains ------------------------------------------------------------------------ */

/* A chain while it is made. All inputs come before the first step. */
typedef struct webnn__chain_builder {
  webnn__chain chain;
  webnn__stream inputs[WEBNN__CHAIN_INPUTS];
  webnn__tile_step steps[WEBNN__CHAIN_STEPS];
  const webnn__kernels *kernels;
  bool failed; /* too long, or not covered */
} webnn__chain_builder;

static void webnn__start_chain(webnn__chain_builder *b, const webnn__kernels *kernels,
                               uint64_t count) {
  memset(b, 0, sizeof *b);
  b->kernels = kernels;
  b->chain.count = count;
  b->chain.cost = 150;
}

/* Merges dimensions, and says what kind of stream it is. */
static uint8_t webnn__add_stream(webnn__chain_builder *b, uint32_t operand, uint32_t bits,
                                 uint32_t rank, const uint64_t *dimensions,
                                 const uint64_t *strides) {
  webnn__stream *stream = &b->inputs[b->chain.input_count];
  uint32_t d, n = 0;
  if (b->chain.input_count == WEBNN__CHAIN_INPUTS) {
    b->failed = true;
    return 0;
  }
  stream->operand = operand;
  stream->bits = bits;
  for (d = 0; d < rank; d++) {
    if (dimensions[d] == 1) {
      continue;
    }
    if (n > 0 && stream->strides[n - 1] == strides[d] * dimensions[d]) {
      stream->dimensions[n - 1] *= dimensions[d];
      stream->strides[n - 1] = strides[d];
    } else {
      stream->dimensions[n] = dimensions[d];
      stream->strides[n++] = strides[d];
    }
  }
  stream->rank = n;
  stream->kind = n == 0 || (n == 1 && stream->strides[0] == 0) ? WEBNN__STREAM_ONE
                 : n == 1                                      ? WEBNN__STREAM_WHOLE
                 : n == 2 && stream->strides[0] == 0 && stream->strides[1] == 1 &&
                         stream->dimensions[1] <= (bits == 64 ? WEBNN__TILE / 2 : WEBNN__TILE)
                     ? WEBNN__STREAM_PERIODIC
                     : WEBNN__STREAM_RUNS;
  if (bits == 4 && stream->kind != WEBNN__STREAM_WHOLE && b->chain.count > 1) {
    b->failed = true;
  }
  if (b->chain.count == 1) {
    stream->kind = WEBNN__STREAM_WHOLE;
  }
  return (uint8_t)b->chain.input_count++;
}

/* An operand that is broadcast to the result's shape. */
static uint8_t webnn__add_broadcast(webnn__chain_builder *b, const webnn__kernel_call *call,
                                    uint32_t operand, const webnn__shape *to) {
  const webnn__view *view = &call->x[operand];
  uint64_t dimensions[WEBNN_MAX_RANK], strides[WEBNN_MAX_RANK];
  int64_t signed_strides[WEBNN_MAX_RANK];
  uint32_t d;
  webnn__broadcast_strides(&view->shape, to, signed_strides);
  for (d = 0; d < to->rank; d++) {
    dimensions[d] = to->dimensions[d];
    strides[d] = (uint64_t)signed_strides[d];
  }
  return webnn__add_stream(b, operand, webnn__type(view->type)->bits, to->rank, dimensions,
                           strides);
}

/* One whose elements serve a block each: every dimension becomes two, which block and where in it.
 */
static uint8_t webnn__add_blocks(webnn__chain_builder *b, const webnn__kernel_call *call,
                                 uint32_t operand, const webnn__shape *to) {
  const webnn__view *view = &call->x[operand];
  uint64_t dimensions[WEBNN__STREAM_RANK], strides[WEBNN__STREAM_RANK];
  int64_t own[WEBNN_MAX_RANK];
  uint32_t d;
  webnn__row_major(&view->shape, own);
  for (d = 0; d < to->rank; d++) {
    dimensions[2 * d] = view->shape.dimensions[d];
    dimensions[2 * d + 1] = to->dimensions[d] / view->shape.dimensions[d];
    strides[2 * d] = (uint64_t)own[d];
    strides[2 * d + 1] = 0;
  }
  return webnn__add_stream(b, operand, webnn__type(view->type)->bits, 2 * to->rank, dimensions,
                           strides);
}

/* A step; absent operands are WEBNN__NO_VALUE. cost: nanoseconds for a tile. */
static uint8_t webnn__add_step(webnn__chain_builder *b, webnn__tile_function f, uint32_t bits,
                               uint32_t cost, uint8_t x0, uint8_t x1, uint8_t x2, uint8_t x3) {
  webnn__tile_step *step = &b->steps[b->chain.step_count];
  if (f == NULL || b->chain.step_count == WEBNN__CHAIN_STEPS || b->failed) {
    b->failed = true;
    return 0;
  }
  step->f = f;
  step->bits = (uint8_t)bits;
  step->output = WEBNN__NO_VALUE;
  step->x[0] = x0;
  step->x[1] = x1 != WEBNN__NO_VALUE ? x1 : x0;
  step->x[2] = x2 != WEBNN__NO_VALUE ? x2 : x0;
  step->x[3] = x3 != WEBNN__NO_VALUE ? x3 : x0;
  b->chain.cost += cost;
  return (uint8_t)(b->chain.input_count + b->chain.step_count++);
}

/* A vector function whose result is float32. */
static uint8_t webnn__add_tile(webnn__chain_builder *b, webnn__tile_op op, uint8_t x0, uint8_t x1,
                               uint8_t x2) {
  const bool is_slow = op == WEBNN__TILE_POW || op == WEBNN__TILE_SIN || op == WEBNN__TILE_COS ||
                       op == WEBNN__TILE_TAN;
  return webnn__add_step(b, b->kernels->tiles[op], 32, is_slow ? 1000 : 200, x0, x1, x2,
                         WEBNN__NO_VALUE);
}

static uint8_t webnn__add_conversion(webnn__chain_builder *b, webnn__tile_op op, uint32_t bits,
                                     uint8_t x) {
  return webnn__add_step(b, b->kernels->tiles[op], bits, 100, x, WEBNN__NO_VALUE, WEBNN__NO_VALUE,
                         WEBNN__NO_VALUE);
}

static uint8_t webnn__add_loop(webnn__chain_builder *b, webnn__tile_function f, uint32_t bits,
                               uint8_t x0, uint8_t x1, uint8_t x2) {
  return webnn__add_step(b, f, bits, 600, x0, x1, x2, WEBNN__NO_VALUE);
}

#define WEBNN__NO_VALUES WEBNN__NO_VALUE, WEBNN__NO_VALUE

/* As float32: exact for float16 and 8 bits, rounded once for others. 4 bits are unpacked. */
static uint8_t webnn__add_to_float(webnn__chain_builder *b, uint8_t x, webnn_data_type type) {
  switch (type) {
  case WEBNN_FLOAT32:
    return x;
  case WEBNN_FLOAT16:
    return webnn__add_conversion(b, WEBNN__TILE_HALF_TO_FLOAT, 32, x);
  case WEBNN_INT8:
    return webnn__add_conversion(b, WEBNN__TILE_INT8_TO_FLOAT, 32, x);
  case WEBNN_UINT8:
    return webnn__add_conversion(b, WEBNN__TILE_UINT8_TO_FLOAT, 32, x);
  case WEBNN_INT4:
    x = webnn__add_loop(b, webnn__tile_unpack_int4, 8, x, WEBNN__NO_VALUES);
    return webnn__add_conversion(b, WEBNN__TILE_INT8_TO_FLOAT, 32, x);
  case WEBNN_UINT4:
    x = webnn__add_loop(b, webnn__tile_unpack_uint4, 8, x, WEBNN__NO_VALUES);
    return webnn__add_conversion(b, WEBNN__TILE_UINT8_TO_FLOAT, 32, x);
  case WEBNN_INT32:
    return webnn__add_conversion(b, WEBNN__TILE_INT32_TO_FLOAT, 32, x);
  case WEBNN_UINT64:
    return webnn__add_loop(b, webnn__tile_uint64_to_float, 32, x, WEBNN__NO_VALUES);
  default:
    x = webnn__add_loop(b, webnn__integer_tile(WEBNN_OP_CAST, type), 64, x, WEBNN__NO_VALUES);
    return webnn__add_loop(b, webnn__tile_int64_to_float, 32, x, WEBNN__NO_VALUES);
  }
}

/* The smallest and largest value of an integer type of at most 8 bits. */
static void webnn__add_range(webnn__chain_builder *b, webnn_data_type type) {
  const webnn__type_info *info = webnn__type(type);
  float *c = b->steps[b->chain.step_count - 1].c;
  const int32_t values = (int32_t)1 << (info->bits & 15);
  c[0] = info->is_signed ? (float)(-values / 2) : 0.0f;
  c[1] = info->is_signed ? (float)(values / 2 - 1) : (float)(values - 1);
}

/* float32 to a type; 8 and 4 bits must be integers in range. */
static uint8_t webnn__add_from_float(webnn__chain_builder *b, uint8_t x, webnn_data_type type) {
  switch (type) {
  case WEBNN_FLOAT32:
    return x;
  case WEBNN_FLOAT16:
    return webnn__add_conversion(b, WEBNN__TILE_FLOAT_TO_HALF, 16, x);
  case WEBNN_INT32:
    return webnn__add_conversion(b, WEBNN__TILE_FLOAT_TO_INT32, 32, x);
  case WEBNN_INT8:
  case WEBNN_UINT8:
    return webnn__add_conversion(b, WEBNN__TILE_FLOAT_TO_BYTE, 8, x);
  case WEBNN_INT4:
  case WEBNN_UINT4:
    x = webnn__add_conversion(b, WEBNN__TILE_FLOAT_TO_BYTE, 8, x);
    return webnn__add_loop(b, webnn__tile_pack_4bit, 4, x, WEBNN__NO_VALUES);
  default:
    return webnn__add_loop(b, webnn__integer_tiles(type)[WEBNN__SATURATE], webnn__type(type)->bits,
                           x, WEBNN__NO_VALUES);
  }
}

/* An operator's function of float32 values: alpha and beta become its constants. */
static uint8_t webnn__add_operator(webnn__chain_builder *b, webnn_op op, float alpha, float beta,
                                   uint8_t x0, uint8_t x1, uint8_t x2) {
#define WEBNN__TILE_PAIR(upper, lower) {WEBNN_OP_##upper, WEBNN__TILE_##upper},
  static const struct {
    webnn_op op;
    webnn__tile_op tile;
  } pairs[] = {WEBNN__TILE_OPERATORS(WEBNN__TILE_PAIR)};
#undef WEBNN__TILE_PAIR
  const float nan = webnn__float_of_bits(0x7fc00000);
  float *c = b->steps[b->chain.step_count].c;
  uint8_t y;
  size_t i = 0;
  while (i < sizeof pairs / sizeof *pairs && pairs[i].op != op) {
    i++;
  }
  if (i == sizeof pairs / sizeof *pairs) {
    b->failed = true;
    return 0;
  }
  y = webnn__add_tile(b, pairs[i].tile, x0, x1, x2);
  if (b->failed) {
    return 0;
  }
  c[0] = alpha;
  c[1] = beta;
  if (op == WEBNN_OP_CLAMP) {
    const bool has_nan = alpha != alpha || beta != beta;
    c[2] = has_nan ? nan : webnn__bits_of_float(alpha) == 0 ? 0.0f : -0.0f;
    c[3] = webnn__bits_of_float(beta) == 0x80000000 ? -0.0f : 0.0f;
  } else if (op == WEBNN_OP_ELU || op == WEBNN_OP_LEAKY_RELU) {
    c[1] = alpha == 0 ? 0.0f : -0.0f;
    c[2] = alpha * (webnn__bits_of_float(alpha) >> 31 != 0 ? -0.0f : 0.0f); /* |alpha| 0 */
  } else if (op == WEBNN_OP_LINEAR || op == WEBNN_OP_HARD_SIGMOID) {
    c[2] = beta == 0 && alpha != 0 ? -0.0f : beta;
  }
  return y;
}

/* Makes a value an output, and gives the others registers: those of inputs stay, those of steps are
   free again after the last use. */
static bool webnn__finish_chain(webnn__chain_builder *b, uint8_t result) {
  webnn__chain *chain = &b->chain;
  uint32_t last[WEBNN__CHAIN_VALUES] = {0}, where[WEBNN__CHAIN_VALUES] = {0}, used = 0, k, j;
  uint32_t free_registers = 0; /* bits */
  if (b->failed || result < chain->input_count) {
    return false;
  }
  b->steps[result - chain->input_count].output = 0;
  chain->tile = WEBNN__TILE;
  for (k = 0; k < chain->input_count; k++) {
    const webnn__stream_kind kind = b->inputs[k].kind;
    b->inputs[k].where = used;
    used += kind == WEBNN__STREAM_WHOLE ? 0 : kind == WEBNN__STREAM_PERIODIC ? 2 : 1;
    chain->tile = b->inputs[k].bits == 64 ? WEBNN__TILE / 2 : chain->tile;
  }
  if (used > WEBNN__CHAIN_REGISTERS) {
    return false;
  }
  for (k = used; k < WEBNN__CHAIN_REGISTERS; k++) {
    free_registers |= (uint32_t)1 << k;
  }
  for (k = 0; k < chain->step_count; k++) {
    for (j = 0; j < 4; j++) {
      last[b->steps[k].x[j]] = k;
    }
    chain->tile = b->steps[k].bits == 64 ? WEBNN__TILE / 2 : chain->tile;
  }
  for (k = 0; k < chain->step_count; k++) {
    webnn__tile_step *step = &b->steps[k];
    if (step->output == WEBNN__NO_VALUE) {
      for (j = 0; j < WEBNN__CHAIN_REGISTERS && (free_registers >> j & 1) == 0; j++) {
      }
      if (j == WEBNN__CHAIN_REGISTERS) {
        return false;
      }
      step->where = (uint8_t)j;
      where[chain->input_count + k] = (uint32_t)1 << j;
      free_registers &= ~((uint32_t)1 << j);
    }
    for (j = 0; j < 4; j++) {
      if (last[step->x[j]] == k) {
        free_registers |= where[step->x[j]];
      }
    }
  }
  return true;
}

/* ---- Single operators as chains ------------------------------------------------------------- */

static float webnn__option_float(const webnn__kernel_call *call, uint64_t bits) {
  return call->x->type == WEBNN_FLOAT16 ? webnn_float16_to_float32((uint16_t)bits)
                                        : webnn__float_of_bits((uint32_t)bits);
}

/* Do the vector functions of float32 compute this operator exactly as for 8-bit integers? */
static bool webnn__is_same_in_float(webnn_op op) {
  switch (op) {
  case WEBNN_OP_CLAMP:
  case WEBNN_OP_EQUAL:
  case WEBNN_OP_GREATER:
  case WEBNN_OP_GREATER_OR_EQUAL:
  case WEBNN_OP_LESSER:
  case WEBNN_OP_LESSER_OR_EQUAL:
  case WEBNN_OP_LOGICAL_AND:
  case WEBNN_OP_LOGICAL_NOT:
  case WEBNN_OP_LOGICAL_OR:
  case WEBNN_OP_LOGICAL_XOR:
  case WEBNN_OP_MAX:
  case WEBNN_OP_MIN:
  case WEBNN_OP_NOT_EQUAL:
  case WEBNN_OP_RELU:
  case WEBNN_OP_SIGN:
    return true;
  default:
    return false;
  }
}

/* A power with a constant exponent that needs no logarithm. */
static uint8_t webnn__add_simple_power(webnn__chain_builder *b, const webnn__kernel_call *call,
                                       uint8_t x) {
  const webnn__view *y = &call->x[1];
  float exponent;
  uint8_t square;
  if (!y->is_constant || y->count != 1) {
    return WEBNN__NO_VALUE;
  }
  exponent = webnn__option_float(call, webnn__get_bits(y->data, y->type, 0));
  if (exponent == 0.5f) {
    return webnn__add_tile(b, WEBNN__TILE_ROOT, x, WEBNN__NO_VALUES);
  }
  if (exponent == -1.0f) {
    return webnn__add_tile(b, WEBNN__TILE_RECIPROCAL, x, WEBNN__NO_VALUES);
  }
  if (exponent == 2.0f || exponent == 3.0f) {
    square = webnn__add_tile(b, WEBNN__TILE_MUL, x, x, WEBNN__NO_VALUE);
    return exponent == 2.0f ? square
                            : webnn__add_tile(b, WEBNN__TILE_MUL, square, x, WEBNN__NO_VALUE);
  }
  return WEBNN__NO_VALUE;
}

/* Operators whose operands, one or two, are of one type. */
static bool webnn__chain_of_operator(webnn__chain_builder *b, const webnn__kernel_call *call) {
  const webnn_op op = call->node->op;
  const webnn_data_type type = call->x->type;
  const bool is_byte = type == WEBNN_INT8 || type == WEBNN_UINT8;
  const uint32_t count = call->node->input_count;
  float alpha = 0, beta = 0;
  uint8_t x = webnn__add_broadcast(b, call, 0, &call->y->shape), y = WEBNN__NO_VALUE, power;
  if (count > 1) {
    y = webnn__add_broadcast(b, call, 1, &call->y->shape);
  }
  if (!webnn__is_float(type) && !(is_byte && webnn__is_same_in_float(op))) {
    x = webnn__add_loop(b, webnn__integer_tile(op, type), webnn__type(call->y->type)->bits, x, y,
                        WEBNN__NO_VALUE);
    if (!b->failed) {
      b->steps[0].alpha_beta[0] = call->attributes->alpha;
      b->steps[0].alpha_beta[1] = call->attributes->beta;
    }
    return webnn__finish_chain(b, x);
  }
  if (webnn__is_float(type)) {
    alpha = webnn__option_float(call, call->attributes->alpha);
    beta = webnn__option_float(call, call->attributes->beta);
  } else {
    alpha = (float)(type == WEBNN_INT8 ? (int8_t)call->attributes->alpha
                                       : (uint8_t)call->attributes->alpha);
    beta = (float)(type == WEBNN_INT8 ? (int8_t)call->attributes->beta
                                      : (uint8_t)call->attributes->beta);
  }
  x = webnn__add_to_float(b, x, type);
  power = op == WEBNN_OP_POW ? webnn__add_simple_power(b, call, x) : WEBNN__NO_VALUE;
  if (power == WEBNN__NO_VALUE) {
    y = y != WEBNN__NO_VALUE ? webnn__add_to_float(b, y, type) : y;
    power = webnn__add_operator(b, op, alpha, beta, x, y, WEBNN__NO_VALUE);
  }
  return webnn__finish_chain(b, webnn__add_from_float(b, power, call->y->type));
}

static bool webnn__chain_of_cast(webnn__chain_builder *b, const webnn__kernel_call *call) {
  const webnn_data_type from = call->x->type, to = call->y->type;
  uint8_t x = webnn__add_broadcast(b, call, 0, &call->y->shape);
  if (from == to || webnn__is_4bit(from) || webnn__is_4bit(to)) {
    return false;
  }
  if (webnn__is_float(to)) {
    x = webnn__add_from_float(b, webnn__add_to_float(b, x, from), to);
  } else if (!webnn__is_float(from)) { /* keeps the low bits */
    x = webnn__add_loop(b, webnn__integer_tile(WEBNN_OP_CAST, from), 64, x, WEBNN__NO_VALUES);
    x = webnn__add_loop(b, webnn__integer_tiles(to)[WEBNN__NARROW], webnn__type(to)->bits, x,
                        WEBNN__NO_VALUES);
  } else {
    x = webnn__add_to_float(b, x, from);
    if (webnn__type(to)->bits == 8) {
      x = webnn__add_tile(b, WEBNN__TILE_TRUNCATE, x, WEBNN__NO_VALUES);
      webnn__add_range(b, to);
    }
    x = webnn__add_from_float(b, x, to);
  }
  return webnn__finish_chain(b, x);
}

static bool webnn__chain_of_where(webnn__chain_builder *b, const webnn__kernel_call *call) {
  const uint32_t bits = webnn__type(call->y->type)->bits;
  const webnn__shape *shape = &call->y->shape;
  uint8_t x = webnn__add_broadcast(b, call, 0, shape);
  const uint8_t yes = webnn__add_broadcast(b, call, 1, shape);
  const uint8_t no = webnn__add_broadcast(b, call, 2, shape);
  if (bits == 32) {
    x = webnn__add_to_float(b, x, WEBNN_UINT8);
    x = webnn__add_tile(b, WEBNN__TILE_WHERE, x, yes, no);
  } else {
    x = webnn__add_loop(b,
                        bits == 8    ? webnn__tile_where_uint8_t
                        : bits == 16 ? webnn__tile_where_uint16_t
                                     : webnn__tile_where_uint64_t,
                        bits, x, yes, no);
  }
  return webnn__finish_chain(b, x);
}

static bool webnn__chain_of_dequantize(webnn__chain_builder *b, const webnn__kernel_call *call) {
  const webnn_data_type type = call->x->type;
  uint8_t x = webnn__add_broadcast(b, call, 0, &call->y->shape);
  uint8_t scale = webnn__add_blocks(b, call, 1, &call->y->shape);
  uint8_t zero = webnn__add_blocks(b, call, 2, &call->y->shape);
  scale = webnn__add_to_float(b, scale, call->x[1].type);
  if (webnn__type(type)->bits == 32) {
    x = webnn__add_loop(
        b, type == WEBNN_INT32 ? webnn__tile_dequantize_int32_t : webnn__tile_dequantize_uint32_t,
        32, x, scale, zero);
  } else {
    x = webnn__add_to_float(b, x, type);
    zero = webnn__add_to_float(b, zero, type);
    x = webnn__add_tile(b, WEBNN__TILE_DEQUANTIZE, x, scale, zero);
  }
  return webnn__finish_chain(b, webnn__add_from_float(b, x, call->y->type));
}

static bool webnn__chain_of_quantize(webnn__chain_builder *b, const webnn__kernel_call *call) {
  const webnn_data_type type = call->y->type;
  uint8_t x = webnn__add_broadcast(b, call, 0, &call->y->shape);
  uint8_t scale = webnn__add_blocks(b, call, 1, &call->y->shape);
  uint8_t zero = webnn__add_blocks(b, call, 2, &call->y->shape);
  if (webnn__type(type)->bits > 8) { /* float32 is too narrow */
    return false;
  }
  x = webnn__add_to_float(b, x, call->x->type);
  scale = webnn__add_to_float(b, scale, call->x->type);
  zero = webnn__add_to_float(b, zero, type);
  x = webnn__add_tile(b, WEBNN__TILE_QUANTIZE, x, scale, zero);
  if (b->failed) {
    return false;
  }
  webnn__add_range(b, type);
  return webnn__finish_chain(b, webnn__add_from_float(b, x, type));
}

static bool webnn__chain_of(webnn__chain_builder *b, const webnn__kernel_call *call) {
  webnn__start_chain(b, call->kernels, call->y->count);
  switch (call->node->op) {
  case WEBNN_OP_CAST:
    return webnn__chain_of_cast(b, call);
  case WEBNN_OP_WHERE:
    return webnn__chain_of_where(b, call);
  case WEBNN_OP_DEQUANTIZE_LINEAR:
    return webnn__chain_of_dequantize(b, call);
  case WEBNN_OP_QUANTIZE_LINEAR:
    return webnn__chain_of_quantize(b, call);
  default:
    return webnn__chain_of_operator(b, call);
  }
}

/* The chain is made when the graph is built, and kept as what the kernel has packed. */
static uint64_t webnn__chain_bytes(const webnn__chain_builder *b) {
  return sizeof(webnn__chain) + b->chain.input_count * sizeof(webnn__stream) +
         b->chain.step_count * sizeof(webnn__tile_step);
}

static void webnn__keep_chain(const webnn__chain_builder *b, void *memory) {
  webnn__chain *chain = (webnn__chain *)memory;
  *chain = b->chain;
  chain->inputs = (webnn__stream *)(void *)(chain + 1);
  chain->steps = (webnn__tile_step *)(void *)(chain->inputs + chain->input_count);
  memcpy(chain->inputs, b->inputs, chain->input_count * sizeof *b->inputs);
  memcpy(chain->steps, b->steps, chain->step_count * sizeof *b->steps);
}

static uint64_t webnn__packed_chain_size(const webnn__kernel_call *call) {
  webnn__chain_builder b;
  return webnn__chain_of(&b, call) ? webnn__chain_bytes(&b) : 0;
}

static void webnn__pack_chain(const webnn__kernel_call *call) {
  webnn__chain_builder b;
  if (webnn__chain_of(&b, call)) {
    webnn__keep_chain(&b, call->packed);
  }
}

/* An item is a tile. */
static void webnn__run_operator_chain(const webnn__kernel_call *call, uint64_t begin,
                                      uint64_t end) {
  const webnn__chain *chain = (const webnn__chain *)call->packed;
  const void *inputs[WEBNN__CHAIN_INPUTS];
  uint32_t k;
  for (k = 0; k < chain->input_count; k++) {
    inputs[k] = call->x[chain->inputs[k].operand].data;
  }
  webnn__run_chain(chain, inputs, &call->y->data, begin, end);
}

static uint64_t webnn__chain_items(const webnn__kernel_call *call) {
  const webnn__chain *chain = (const webnn__chain *)call->packed;
  return (chain->count + chain->tile - 1) / chain->tile;
}

static uint64_t webnn__chain_cost(const webnn__kernel_call *call) {
  return ((const webnn__chain *)call->packed)->cost;
}

static const webnn__fast_kernel webnn__fast_chain = {
    {webnn__run_operator_chain, webnn__chain_items, webnn__chain_cost, NULL},
    1,
    webnn__packed_chain_size,
    webnn__pack_chain};

static const webnn__fast_kernel *webnn__choose_chain(const webnn__kernel_call *call) {
  webnn__chain_builder b;
  return webnn__chain_of(&b, call) ? &webnn__fast_chain : NULL;
}

/* ---- Batch normalization -----------------------------------------------------------------------

   Phase 0 computes for each channel, in scratch memory and float32: mean, scale / sqrt(variance +
   epsilon), bias. Phase 1 is a chain: (x - mean) factor + bias. */

static uint64_t webnn__batch_channels(const webnn__kernel_call *call) {
  return call->x->shape.dimensions[call->attributes->axis];
}

static bool webnn__chain_of_batch(webnn__chain_builder *b, const webnn__kernel_call *call) {
  const webnn__shape *shape = &call->x->shape;
  uint64_t dimensions[WEBNN_MAX_RANK], strides[WEBNN_MAX_RANK] = {0};
  uint8_t x, mean, factor, bias;
  uint32_t d;
  webnn__start_chain(b, call->kernels, call->y->count);
  for (d = 0; d < shape->rank; d++) {
    dimensions[d] = shape->dimensions[d];
  }
  strides[call->attributes->axis] = 1;
  x = webnn__add_broadcast(b, call, 0, shape);
  mean = webnn__add_stream(b, 1, 32, shape->rank, dimensions, strides);
  factor = webnn__add_stream(b, 2, 32, shape->rank, dimensions, strides);
  bias = webnn__add_stream(b, 3, 32, shape->rank, dimensions, strides);
  x = webnn__add_to_float(b, x, call->x->type);
  x = webnn__add_step(b, b->kernels->tiles[WEBNN__TILE_NORMALIZE], 32, 200, x, mean, factor, bias);
  return webnn__finish_chain(b, webnn__add_from_float(b, x, call->x->type));
}

static uint64_t webnn__packed_batch_size(const webnn__kernel_call *call) {
  webnn__chain_builder b;
  return webnn__chain_of_batch(&b, call) ? webnn__chain_bytes(&b) : 0;
}

static void webnn__pack_batch(const webnn__kernel_call *call) {
  webnn__chain_builder b;
  if (webnn__chain_of_batch(&b, call)) {
    webnn__keep_chain(&b, call->packed);
  }
}

static uint64_t webnn__batch_scratch(const webnn__kernel_call *call) {
  return 3 * sizeof(float) * webnn__batch_channels(call);
}

/* `count` float32 of an operand; all `absent` if there is none. */
static void webnn__load_floats(const webnn__view *view, float absent, uint64_t count, float *to) {
  uint64_t i;
  for (i = 0; i < count; i++) {
    to[i] =
        view->data == NULL ? absent : webnn__float_of_bits((uint32_t)webnn__float32_bits(view, i));
  }
}

static void webnn__run_batch(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const uint64_t channels = webnn__batch_channels(call);
  float *mean = (float *)call->scratch, *factor = mean + channels, *bias = factor + channels;
  const void *inputs[4];
  const float c[4] = {webnn__option_float(call, call->attributes->epsilon), 0, 0, 0};
  webnn__tile tile;
  inputs[0] = call->x->data;
  inputs[1] = mean;
  inputs[2] = factor;
  inputs[3] = bias;
  if (call->phase == 1) {
    webnn__run_chain((const webnn__chain *)call->packed, inputs, &call->y->data, begin, end);
    return;
  }
  webnn__load_floats(&call->x[2], 1.0f, channels, mean); /* the variance, for a moment */
  webnn__load_floats(&call->x[3], 1.0f, channels, factor);
  tile.y = factor;
  tile.x[0] = tile.x[2] = tile.x[3] = mean;
  tile.x[1] = factor;
  tile.n = (size_t)channels;
  tile.c = c;
  tile.bits = NULL;
  call->kernels->tiles[WEBNN__TILE_DEVIATION](&tile);
  webnn__load_floats(&call->x[1], 0.0f, channels, mean);
  webnn__load_floats(&call->x[4], 0.0f, channels, bias);
}

static uint64_t webnn__batch_items(const webnn__kernel_call *call) {
  return call->phase == 0 ? 1 : webnn__chain_items(call);
}

static const webnn__fast_kernel webnn__fast_batch = {
    {webnn__run_batch, webnn__batch_items, webnn__chain_cost, webnn__batch_scratch},
    2,
    webnn__packed_batch_size,
    webnn__pack_batch};

static const webnn__fast_kernel *webnn__choose_batch(const webnn__kernel_call *call) {
  webnn__chain_builder b;
  return webnn__chain_of_batch(&b, call) ? &webnn__fast_batch : NULL;
}
/* ---- Movement: 8.9.9, 19-22, 36, 42-45, 47, 51, 53-55 -------------------------------------------

   Elements are only moved, so nothing counts but their size and the order in which memory is
   touched. Nearly every operator here is a strided copy: a list of dimensions, each with a size and
   a step in bytes on both sides. Dimensions of one element are dropped, neighbours that stay
   together become one, and what is contiguous on both sides becomes the unit that moves. Then there
   are three cases: long units are runs for memcpy; units that are neighbours along different
   dimensions on the two sides are a transpose, which goes block by block so that the cache lines of
   both sides are used up while they are in the first cache; other short units are moved one by one,
   a switch over their size outside the loop. A plan is made when the graph is built. An item is a
   block of some 16 KB; blocks and not their order decide what is written, so threads share them. */

/* For each i < count: unit bytes from FROM to TO, two expressions of i. A size between two powers
   of two is covered by two overlapping moves. */
#define WEBNN__MOVE_EXACTLY(size, TO, FROM)                                                        \
  for (i = 0; i < count; i++) {                                                                    \
    memcpy(TO, FROM, size);                                                                        \
  }
#define WEBNN__MOVE_TWICE(size, TO, FROM)                                                          \
  for (i = 0; i < count; i++) {                                                                    \
    char *target = TO;                                                                             \
    const char *source = FROM;                                                                     \
    memcpy(target, source, size);                                                                  \
    memcpy(target + (unit - size), source + (unit - size), size);                                  \
  }
#define WEBNN__MOVE_EACH(TO, FROM)                                                                 \
  if (unit == 4) {                                                                                 \
    WEBNN__MOVE_EXACTLY(4, TO, FROM)                                                               \
  } else if (unit == 1) {                                                                          \
    WEBNN__MOVE_EXACTLY(1, TO, FROM)                                                               \
  } else if (unit == 2) {                                                                          \
    WEBNN__MOVE_EXACTLY(2, TO, FROM)                                                               \
  } else if (unit == 8) {                                                                          \
    WEBNN__MOVE_EXACTLY(8, TO, FROM)                                                               \
  } else if (unit < 4) {                                                                           \
    WEBNN__MOVE_TWICE(2, TO, FROM)                                                                 \
  } else if (unit < 8) {                                                                           \
    WEBNN__MOVE_TWICE(4, TO, FROM)                                                                 \
  } else if (unit <= 16) {                                                                         \
    WEBNN__MOVE_TWICE(8, TO, FROM)                                                                 \
  } else if (unit <= 32) {                                                                         \
    WEBNN__MOVE_TWICE(16, TO, FROM)                                                                \
  } else if (unit <= 64) {                                                                         \
    WEBNN__MOVE_TWICE(32, TO, FROM)                                                                \
  } else {                                                                                         \
    WEBNN__MOVE_EXACTLY((size_t)unit, TO, FROM)                                                    \
  }

/* The unit again and again; the unit divides 64. */
static void webnn__repeat(char *to, const char *from, uint64_t count, uint64_t unit) {
  char pattern[64];
  uint64_t i, bytes = count * unit;
  if (unit == 1) {
    memset(to, *from, (size_t)count);
    return;
  }
  for (i = 0; i < sizeof pattern; i += unit) {
    memcpy(pattern + i, from, (size_t)unit);
  }
  for (; bytes >= sizeof pattern; bytes -= sizeof pattern, to += sizeof pattern) {
    memcpy(to, pattern, sizeof pattern);
  }
  memcpy(to, pattern, (size_t)bytes);
}

static void webnn__move_line(char *to, int64_t to_step, const char *from, int64_t from_step,
                             uint64_t units, uint64_t unit) {
  const int64_t count = (int64_t)units, whole = (int64_t)unit;
  int64_t i;
  if (to_step == whole && from_step == whole) {
    memcpy(to, from, (size_t)(units * unit));
  } else if (to_step == whole && from_step == 0 && units > 4 && unit <= 64 && 64 % unit == 0) {
    webnn__repeat(to, from, units, unit);
  } else {
    WEBNN__MOVE_EACH(to + i * to_step, from + i * from_step)
  }
}

/* Along the longer side. */
static void webnn__move_box(char *to, const char *from, const webnn__box *box) {
  uint64_t i;
  if (box->columns >= box->rows) {
    for (i = 0; i < box->rows; i++, to += box->to_row, from += box->from_row) {
      webnn__move_line(to, box->to_column, from, box->from_column, box->columns, box->unit);
    }
  } else {
    for (i = 0; i < box->columns; i++, to += box->to_column, from += box->from_column) {
      webnn__move_line(to, box->to_row, from, box->from_row, box->rows, box->unit);
    }
  }
}

#define WEBNN__LONG_UNIT 64     /* bytes from which memcpy is good at runs */
#define WEBNN__MOVE_BLOCK 16384 /* bytes of an item, about */
#define WEBNN__TILE_COLUMNS 64  /* of a block of transposed units: some lines of the result */
#define WEBNN__TILE_ROWS 512    /* so many that a page of the source is used while it is known */
#define WEBNN__STREAM_SIZE 16777216 /* results as large as this would flush the caches */

typedef enum webnn__move_kind {
  WEBNN__MOVE_RUNS,  /* columns are the bytes of a run */
  WEBNN__MOVE_UNITS, /* columns are short units */
  WEBNN__MOVE_TILES  /* the same, transposed */
} webnn__move_kind;

/* A strided copy: dimensions, the outermost first, around a box that is cut into blocks. */
typedef struct webnn__move {
  webnn__move_kind kind;
  bool stream;
  uint32_t rank;
  uint64_t size[2 * WEBNN_MAX_RANK]; /* tile has two dimensions for each of the tensor's */
  int64_t to_step[2 * WEBNN_MAX_RANK], from_step[2 * WEBNN_MAX_RANK];
  int64_t start; /* of the source */
  webnn__box box;
  uint64_t rows, columns, row_blocks, column_blocks; /* of a block, of the box */
  uint64_t boxes;
} webnn__move;

/* One more dimension inside the others. */
static void webnn__move_along(webnn__move *move, uint64_t size, int64_t to_step,
                              int64_t from_step) {
  const uint32_t last = move->rank - 1;
  if (size == 1) {
    return;
  }
  if (move->rank > 0 && move->to_step[last] == (int64_t)size * to_step &&
      move->from_step[last] == (int64_t)size * from_step) {
    move->size[last] *= size;
    move->to_step[last] = to_step;
    move->from_step[last] = from_step;
    return;
  }
  move->size[move->rank] = size;
  move->to_step[move->rank] = to_step;
  move->from_step[move->rank++] = from_step;
}

/* Takes dimension d out, for the rows of the box. */
static void webnn__take_rows(webnn__move *move, uint32_t d) {
  move->box.rows = move->size[d];
  move->box.to_row = move->to_step[d];
  move->box.from_row = move->from_step[d];
  for (move->rank--; d < move->rank; d++) {
    move->size[d] = move->size[d + 1];
    move->to_step[d] = move->to_step[d + 1];
    move->from_step[d] = move->from_step[d + 1];
  }
}

/* The innermost dimension that is not very short, or else the longest. */
static uint32_t webnn__good_rows(const webnn__move *move) {
  uint32_t d, longest = move->rank - 1;
  for (d = move->rank; d-- > 0;) {
    longest = move->size[d] > move->size[longest] ? d : longest;
    if (move->size[longest] >= 16) {
      break;
    }
  }
  return longest;
}

/* Is there a dimension, not the innermost, along which units are neighbours in the source? */
static bool webnn__is_transposed(const webnn__move *move, uint32_t *d) {
  const uint64_t unit = move->box.unit;
  const uint32_t last = move->rank - 1;
  if (unit > WEBNN__LONG_UNIT || move->from_step[last] <= (int64_t)unit) {
    return false;
  }
  for (*d = last; (*d)-- > 0;) {
    if (move->from_step[*d] == (int64_t)unit) {
      return true;
    }
  }
  return false;
}

/* At least 1. */
static uint64_t webnn__at_most(uint64_t x, uint64_t most) {
  return x < 1 ? 1 : x < most ? x : most;
}

/* All dimensions are there: some of them become the box. */
static void webnn__choose_box(webnn__move *move) {
  webnn__box *box = &move->box;
  uint32_t d = 0;
  const int64_t unit = (int64_t)box->unit;
  box->rows = 1;
  if (move->rank > 0 && move->to_step[move->rank - 1] == unit &&
      move->from_step[move->rank - 1] == unit) {
    box->unit *= move->size[--move->rank];
  }
  if (move->rank == 0 || box->unit > WEBNN__LONG_UNIT) {
    move->kind = WEBNN__MOVE_RUNS;
    box->columns = box->unit;
    box->unit = 1;
    box->to_column = box->from_column = 1;
    if (move->rank > 0) {
      webnn__take_rows(move, webnn__good_rows(move));
    }
  } else {
    const bool transposed = webnn__is_transposed(move, &d);
    const uint32_t last = --move->rank;
    box->columns = move->size[last];
    box->to_column = move->to_step[last];
    box->from_column = move->from_step[last];
    move->kind = transposed ? WEBNN__MOVE_TILES : WEBNN__MOVE_UNITS;
    if (move->rank > 0) {
      webnn__take_rows(move, transposed ? d : webnn__good_rows(move));
    }
  }
}

static void webnn__choose_blocks(webnn__move *move) {
  const webnn__box *box = &move->box;
  uint32_t d;
  if (move->kind == WEBNN__MOVE_TILES) {
    move->columns = WEBNN__TILE_COLUMNS;
    move->rows = WEBNN__TILE_ROWS;
  } else {
    move->columns = webnn__at_most(WEBNN__MOVE_BLOCK / box->unit, box->columns);
    move->rows = webnn__at_most(WEBNN__MOVE_BLOCK / box->unit / move->columns, box->rows);
  }
  move->row_blocks = (box->rows + move->rows - 1) / move->rows;
  move->column_blocks = (box->columns + move->columns - 1) / move->columns;
  move->boxes = 1;
  for (d = 0; d < move->rank; d++) {
    move->boxes *= move->size[d];
  }
}

static bool webnn__has_tiles(uint64_t unit) {
  return unit == 1 || unit == 2 || unit == 4 || unit == 8;
}

/* A few rows at a time, so that a square or so is in the first cache. Columns of the source that
   are a multiple of 1 KB apart meet in the same few places of the caches, which cannot hold them:
   then they are brought together first. */
static void webnn__move_transposed(const webnn__kernel_call *call, char *to, const char *from,
                                   const webnn__box *all, bool stream) {
  char beside[WEBNN__MOVE_BLOCK];
  const uint64_t some = sizeof beside / WEBNN__TILE_COLUMNS / all->unit;
  uint64_t row, i;
  for (row = 0; row < all->rows; row += some) {
    const char *source = from;
    webnn__box box = *all;
    box.rows = webnn__at_most(some, all->rows - row);
    if (all->from_column % 1024 == 0) {
      box.from_column = (int64_t)(box.rows * box.unit);
      for (i = 0; i < box.columns; i++) {
        memcpy(beside + (int64_t)i * box.from_column, from + (int64_t)i * all->from_column,
               (size_t)box.from_column);
      }
      source = beside;
    }
    if (!webnn__has_tiles(box.unit) || !call->kernels->move_tiles(to, source, &box, stream)) {
      webnn__move_box(to, source, &box);
    }
    to += (int64_t)some * box.to_row;
    from += some * box.unit;
  }
}

/* Block number `block` of the box at `to` and `from`. */
static void webnn__move_block(const webnn__kernel_call *call, const webnn__move *move, char *to,
                              const char *from, uint64_t block) {
  const uint64_t row = block / move->column_blocks * move->rows;
  const uint64_t column = block % move->column_blocks * move->columns;
  webnn__box box = move->box;
  box.rows = webnn__at_most(move->rows, box.rows - row);
  box.columns = webnn__at_most(move->columns, box.columns - column);
  to += (int64_t)row * box.to_row + (int64_t)column * box.to_column;
  from += (int64_t)row * box.from_row + (int64_t)column * box.from_column;
  if (move->kind == WEBNN__MOVE_RUNS) {
    box.unit = box.columns;
    box.columns = 1;
    if (move->stream && box.rows == 1) {
      call->kernels->move_stream(to, from, box.unit);
      return;
    }
  }
  if (move->kind == WEBNN__MOVE_TILES) {
    webnn__move_transposed(call, to, from, &box, move->stream);
  } else {
    webnn__move_box(to, from, &box);
  }
}

static void webnn__run_move(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__move *move = (const webnn__move *)call->packed;
  const uint64_t blocks = move->row_blocks * move->column_blocks;
  uint64_t box = begin / blocks, block = begin % blocks;
  while (begin < end) {
    char *to = (char *)call->y->data;
    const char *from = (const char *)call->x->data + move->start;
    uint64_t left = box++;
    uint32_t d;
    for (d = move->rank; d-- > 0; left /= move->size[d]) {
      const int64_t c = (int64_t)(left % move->size[d]);
      to += c * move->to_step[d];
      from += c * move->from_step[d];
    }
    for (; block < blocks && begin < end; block++, begin++) {
      webnn__move_block(call, move, to, from, block);
    }
    block = 0;
  }
}

static uint64_t webnn__move_items(const webnn__kernel_call *call) {
  const webnn__move *move = (const webnn__move *)call->packed;
  return move->boxes * move->row_blocks * move->column_blocks;
}

static uint64_t webnn__move_cost(const webnn__kernel_call *call) {
  const webnn__move *move = (const webnn__move *)call->packed;
  const uint64_t units =
      webnn__at_most(move->rows, move->box.rows) * webnn__at_most(move->columns, move->box.columns);
  return 10 + (move->kind == WEBNN__MOVE_RUNS    ? units / 12
               : move->kind == WEBNN__MOVE_TILES ? units * move->box.unit / 8
                                                 : units / 2);
}

static uint64_t webnn__move_plan_size(const webnn__kernel_call *call) {
  (void)call;
  return sizeof(webnn__move);
}

/* How many elements of the source one step along each dimension of the result is; where it begins.
 */
static int64_t webnn__source_steps(const webnn__kernel_call *call, int64_t *from) {
  const webnn__attributes *t = call->attributes;
  const webnn__shape *shape = &call->x->shape;
  int64_t own[WEBNN_MAX_RANK], start = 0;
  uint32_t d;
  webnn__row_major(shape, own);
  webnn__row_major(shape, from);
  switch (call->node->op) {
  case WEBNN_OP_EXPAND:
    webnn__broadcast_strides(shape, &call->y->shape, from);
    break;
  case WEBNN_OP_TRANSPOSE:
    for (d = 0; d < shape->rank; d++) {
      from[d] = own[t->axes.dimensions[d]];
    }
    break;
  case WEBNN_OP_REVERSE:
    for (d = 0; d < t->axes.rank; d++) {
      const uint32_t axis = t->axes.dimensions[d];
      start += own[axis] * ((int64_t)shape->dimensions[axis] - 1);
      from[axis] = -own[axis];
    }
    break;
  case WEBNN_OP_SLICE:
    for (d = 0; d < shape->rank; d++) {
      start += own[d] * (int64_t)t->starts.dimensions[d];
      from[d] = own[d] * (int64_t)t->strides.dimensions[d];
    }
    break;
  default: /* tile */
    break;
  }
  return start;
}

static void webnn__plan_move(const webnn__kernel_call *call) {
  webnn__move *move = (webnn__move *)call->packed;
  const webnn__shape *shape = &call->y->shape;
  const int64_t bytes = (int64_t)(webnn__type(call->y->type)->bits / 8);
  int64_t to[WEBNN_MAX_RANK], from[WEBNN_MAX_RANK];
  uint32_t d;
  memset(move, 0, sizeof *move);
  move->box.unit = (uint64_t)bytes;
  move->stream = call->y->count * (uint64_t)bytes >= WEBNN__STREAM_SIZE;
  move->start = bytes * webnn__source_steps(call, from);
  webnn__row_major(shape, to);
  for (d = 0; d < shape->rank; d++) {
    uint32_t size = shape->dimensions[d];
    if (call->node->op == WEBNN_OP_TILE) { /* the whole input's dimension again and again */
      size = call->x->shape.dimensions[d];
      webnn__move_along(move, shape->dimensions[d] / size, bytes * to[d] * (int64_t)size, 0);
    }
    webnn__move_along(move, size, bytes * to[d], bytes * from[d]);
  }
  webnn__choose_box(move);
  webnn__choose_blocks(move);
}

static const webnn__fast_kernel webnn__fast_move = {
    {webnn__run_move, webnn__move_items, webnn__move_cost, NULL},
    1,
    webnn__move_plan_size,
    webnn__plan_move};

static const webnn__fast_kernel *webnn__choose_move(const webnn__kernel_call *call) {
  return webnn__is_4bit(call->y->type) ? NULL : &webnn__fast_move;
}

/* concat and split: a row of the whole has its part in each of the operands, one after the other.
   An item is a block of rows, or a piece of a row if that is long. */

static const webnn__view *webnn__whole(const webnn__kernel_call *call) {
  return call->node->op == WEBNN_OP_CONCAT ? call->y : call->x;
}

/* How many rows there are, the bytes of one, and of a block. */
typedef struct webnn__parts {
  uint64_t rows, bytes, block_rows, block_bytes, pieces;
} webnn__parts;

static webnn__parts webnn__parts_of(const webnn__kernel_call *call) {
  const webnn__view *whole = webnn__whole(call);
  webnn__parts parts;
  parts.bytes = webnn__slice_size(&whole->shape, call->attributes->axis);
  parts.rows = whole->count / parts.bytes;
  parts.bytes *= webnn__type(whole->type)->bits / 8;
  parts.block_bytes = webnn__at_most(4 * WEBNN__MOVE_BLOCK, parts.bytes);
  parts.block_rows = webnn__at_most(WEBNN__MOVE_BLOCK / parts.bytes, parts.rows);
  parts.pieces = (parts.bytes + parts.block_bytes - 1) / parts.block_bytes;
  return parts;
}

static void webnn__move_parts(const webnn__kernel_call *call, const webnn__parts *parts,
                              uint64_t item) {
  const bool joins = call->node->op == WEBNN_OP_CONCAT;
  const uint32_t count = joins ? call->node->input_count : call->node->output_count;
  const uint64_t row = item / parts->pieces * parts->block_rows;
  const uint64_t low = item % parts->pieces * parts->block_bytes, high = low + parts->block_bytes;
  uint64_t at = 0;
  uint32_t j;
  webnn__box box;
  memset(&box, 0, sizeof box);
  box.rows = webnn__at_most(parts->block_rows, parts->rows - row);
  box.columns = 1;
  for (j = 0; j < count && at < high; j++) {
    const webnn__view *part = joins ? &call->x[j] : &call->y[j];
    const uint64_t bytes = parts->bytes /
                           webnn__whole(call)->shape.dimensions[call->attributes->axis] *
                           part->shape.dimensions[call->attributes->axis];
    const uint64_t first = low > at ? low - at : 0;
    const uint64_t last = high - at < bytes ? high - at : bytes;
    if (first < last) {
      char *whole = (char *)webnn__whole(call)->data + row * parts->bytes + at + first;
      char *data = (char *)part->data + row * bytes + first;
      box.unit = last - first;
      box.to_row = (int64_t)(joins ? parts->bytes : bytes);
      box.from_row = (int64_t)(joins ? bytes : parts->bytes);
      webnn__move_box(joins ? whole : data, joins ? data : whole, &box);
    }
    at += bytes;
  }
}

static void webnn__run_fast_parts(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__parts parts = webnn__parts_of(call);
  for (; begin < end; begin++) {
    webnn__move_parts(call, &parts, begin);
  }
}

static uint64_t webnn__parts_items(const webnn__kernel_call *call) {
  const webnn__parts parts = webnn__parts_of(call);
  return (parts.rows + parts.block_rows - 1) / parts.block_rows * parts.pieces;
}

static uint64_t webnn__parts_cost(const webnn__kernel_call *call) {
  const webnn__parts parts = webnn__parts_of(call);
  return 20 + parts.block_rows * parts.block_bytes / 12;
}

static const webnn__fast_kernel webnn__fast_parts = {
    {webnn__run_fast_parts, webnn__parts_items, webnn__parts_cost, NULL}, 1, NULL, NULL};

static const webnn__fast_kernel *webnn__choose_parts(const webnn__kernel_call *call) {
  return webnn__is_4bit(call->y->type) ? NULL : &webnn__fast_parts;
}

/* ---- pad ----------------------------------------------------------------------------------------

   A row ends with the last padded dimension; its units are what lies inside. It comes from one row
   of the input, with units before and after that are the value, or the input's in some order. An
   item is a block of rows, or of units of one row. */

typedef struct webnn__padded {
  uint32_t axis; /* the last padded dimension */
  uint64_t unit, units, rows, block_rows, block_units, pieces;
} webnn__padded;

static webnn__padded webnn__padded_of(const webnn__kernel_call *call) {
  const webnn__shape *shape = &call->y->shape;
  webnn__padded p;
  p.axis = shape->rank - 1;
  while (p.axis > 0 && shape->dimensions[p.axis] == call->x->shape.dimensions[p.axis]) {
    p.axis--;
  }
  p.unit = webnn__slice_size(shape, p.axis + 1) * (webnn__type(call->y->type)->bits / 8);
  p.units = shape->dimensions[p.axis];
  p.rows = call->y->count / webnn__slice_size(shape, p.axis);
  p.block_rows = webnn__at_most(WEBNN__MOVE_BLOCK / (p.unit * p.units), p.rows);
  p.block_units = webnn__at_most(4 * WEBNN__MOVE_BLOCK / p.unit, p.units);
  p.pieces = (p.units + p.block_units - 1) / p.block_units;
  return p;
}

/* Units first ... last - 1 of a row, all on the same side of the input's row (NULL: a row of the
   value). */
static void webnn__pad_side(const webnn__kernel_call *call, const webnn__padded *p, char *to,
                            const char *from, uint64_t first, uint64_t last) {
  const int64_t size = (int64_t)call->x->shape.dimensions[p->axis], unit = (int64_t)p->unit;
  const uint64_t bytes = webnn__type(call->y->type)->bits / 8;
  const uint32_t mode = call->attributes->mode;
  const int64_t k = webnn__padded_coordinate(
      mode, (int64_t)first - call->attributes->starts.dimensions[p->axis], size);
  if (first >= last) {
    return;
  }
  to += first * p->unit;
  if (from == NULL || k < 0) {
    char value[8] = {0};
    webnn__set_bits(value, call->y->type, 0, call->attributes->alpha);
    webnn__move_line(to, (int64_t)bytes, value, 0, (last - first) * p->unit / bytes, bytes);
  } else {
    webnn__move_line(to, unit, from + k * unit, mode == WEBNN_EDGE ? 0 : -unit, last - first,
                     p->unit);
  }
}

/* The same, wherever they lie. */
static void webnn__pad_row(const webnn__kernel_call *call, const webnn__padded *p, char *to,
                           const char *from, uint64_t first, uint64_t last) {
  const uint64_t begin = call->attributes->starts.dimensions[p->axis];
  const uint64_t end = begin + call->x->shape.dimensions[p->axis];
  const uint64_t a = begin > first ? begin : first, b = end < last ? end : last;
  if (from == NULL || a >= b) {
    webnn__pad_side(call, p, to, from, first, last);
    return;
  }
  webnn__pad_side(call, p, to, from, first, a);
  memcpy(to + a * p->unit, from + (a - begin) * p->unit, (size_t)((b - a) * p->unit));
  webnn__pad_side(call, p, to, from, b, last);
}

/* The input's row that a row of the output shows; NULL: the value. */
static const char *webnn__padded_row(const webnn__kernel_call *call, const webnn__padded *p,
                                     const uint32_t *c) {
  const webnn__attributes *t = call->attributes;
  const webnn__shape *shape = &call->x->shape;
  int64_t at = 0;
  uint32_t d;
  for (d = 0; d < p->axis; d++) {
    const int64_t k = webnn__padded_coordinate(t->mode, (int64_t)c[d] - t->starts.dimensions[d],
                                               (int64_t)shape->dimensions[d]);
    if (k < 0) {
      return NULL;
    }
    at = at * (int64_t)shape->dimensions[d] + k;
  }
  return (const char *)call->x->data + at * (int64_t)(shape->dimensions[p->axis] * p->unit);
}

static void webnn__run_fast_pad(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__padded p = webnn__padded_of(call);
  webnn__shape outside = call->y->shape;
  uint32_t c[WEBNN_MAX_RANK];
  outside.rank = p.axis;
  for (; begin < end; begin++) {
    const uint64_t first = begin % p.pieces * p.block_units;
    const uint64_t last = first + webnn__at_most(p.block_units, p.units - first);
    uint64_t row = begin / p.pieces * p.block_rows;
    const uint64_t stop = row + webnn__at_most(p.block_rows, p.rows - row);
    webnn__coordinates(&outside, row, c);
    for (; row < stop; row++, webnn__advance(&outside, c)) {
      webnn__pad_row(call, &p, (char *)call->y->data + row * p.units * p.unit,
                     webnn__padded_row(call, &p, c), first, last);
    }
  }
}

static uint64_t webnn__pad_items(const webnn__kernel_call *call) {
  const webnn__padded p = webnn__padded_of(call);
  return (p.rows + p.block_rows - 1) / p.block_rows * p.pieces;
}

static uint64_t webnn__pad_cost(const webnn__kernel_call *call) {
  const webnn__padded p = webnn__padded_of(call);
  return 10 + p.block_rows * (20 + p.block_units * p.unit / 12);
}

static const webnn__fast_kernel webnn__fast_pad = {
    {webnn__run_fast_pad, webnn__pad_items, webnn__pad_cost, NULL}, 1, NULL, NULL};

static const webnn__fast_kernel *webnn__choose_pad(const webnn__kernel_call *call) {
  return webnn__is_4bit(call->y->type) || call->y->shape.rank == 0 ? NULL : &webnn__fast_pad;
}

/* ---- gather, gatherElements, gatherND, scatterElements, scatterND -------------------------------

   All five move slices (of one element in the two ...Elements) between a tensor where they lie one
   after the other and another where indices name them. For a few hundred at a time the named
   offsets are worked out first, in a loop over one type of indices; then the slices are moved in a
   loop over one size. An item of the gathering ones is a block of slices, or a piece of a long one.
   Scattering is a copy of the input, shared by the threads, then updates in order: those of
   scatterElements meet only where the coordinates before the axis are the same, which makes an
   item; those of scatterND may meet anywhere and are one item. */

enum { WEBNN__NAMED = 256 }; /* slices at a time */

#define WEBNN__ADD_INDICES(type)                                                                   \
  for (i = 0; i < count; i++) {                                                                    \
    type index;                                                                                    \
    int64_t v;                                                                                     \
    memcpy(&index, (const char *)indices->data + (first + i * step) * sizeof index, sizeof index); \
    v = (int64_t)index;                                                                            \
    v = v < -size ? -size : v >= size ? size - 1 : v;                                              \
    offsets[i] += (v < 0 ? v + size : v) * scale;                                                  \
  }

/* offsets[i] += scale x index number first + i step, as webnn__index has it. */
static void webnn__add_indices(const webnn__view *indices, uint64_t first, uint64_t step,
                               uint64_t count, int64_t size, int64_t scale, int64_t *offsets) {
  uint64_t i;
  switch (indices->type) {
  case WEBNN_INT32:
    WEBNN__ADD_INDICES(int32_t)
    break;
  case WEBNN_UINT32:
    WEBNN__ADD_INDICES(uint32_t)
    break;
  default:
    WEBNN__ADD_INDICES(int64_t)
  }
}
#undef WEBNN__ADD_INDICES

/* The bytes where slices k ... k + count - 1 lie in the tensor that indices name them in. */
static void webnn__name_slices_of_axis(const webnn__kernel_call *call, uint64_t k, uint64_t count,
                                       uint64_t slice, int64_t *offsets) {
  const int64_t size = (int64_t)call->x->shape.dimensions[call->attributes->axis];
  uint64_t i, some;
  for (; count > 0; count -= some, k += some, offsets += some) {
    const uint64_t first = k % call->x[1].count, left = call->x[1].count - first;
    const int64_t start = (int64_t)(k / call->x[1].count) * size * (int64_t)slice;
    some = count < left ? count : left;
    for (i = 0; i < some; i++) {
      offsets[i] = start;
    }
    webnn__add_indices(&call->x[1], first, 1, some, size, (int64_t)slice, offsets);
  }
}

static void webnn__name_elements(const webnn__kernel_call *call, uint64_t k, uint64_t count,
                                 uint64_t slice, int64_t *offsets) {
  const webnn__shape *shape = &call->x[1].shape;
  const uint32_t axis = call->attributes->axis, last = shape->rank - 1;
  int64_t strides[WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK];
  uint64_t i, some;
  webnn__row_major(&call->x->shape, strides);
  for (; count > 0; count -= some, k += some, offsets += some) {
    const int64_t bytes = (int64_t)slice;
    int64_t start;
    webnn__coordinates(shape, k, c);
    some = shape->dimensions[last] - c[last];
    some = count < some ? count : some;
    c[axis] = 0;
    start = webnn__offset(shape->rank, c, strides) * bytes;
    for (i = 0; i < some; i++) {
      offsets[i] = start + (axis == last ? 0 : (int64_t)i * bytes);
    }
    webnn__add_indices(&call->x[1], k, 1, some, (int64_t)call->x->shape.dimensions[axis],
                       strides[axis] * bytes, offsets);
  }
}

static void webnn__name_slices(const webnn__kernel_call *call, uint64_t k, uint64_t count,
                               uint64_t slice, int64_t *offsets) {
  const webnn__shape *indices = &call->x[1].shape;
  const uint32_t length = indices->dimensions[indices->rank - 1];
  int64_t scale = (int64_t)slice;
  uint32_t d;
  memset(offsets, 0, (size_t)count * sizeof *offsets);
  for (d = length; d-- > 0;) {
    const int64_t size = (int64_t)call->x->shape.dimensions[d];
    webnn__add_indices(&call->x[1], k * length + d, length, count, size, scale, offsets);
    scale *= size;
  }
}

static void webnn__name(const webnn__kernel_call *call, uint64_t k, uint64_t count, uint64_t slice,
                        int64_t *offsets) {
  switch (call->node->op) {
  case WEBNN_OP_GATHER:
    webnn__name_slices_of_axis(call, k, count, slice, offsets);
    break;
  case WEBNN_OP_GATHER_ND:
  case WEBNN_OP_SCATTER_ND:
    webnn__name_slices(call, k, count, slice, offsets);
    break;
  default:
    webnn__name_elements(call, k, count, slice, offsets);
  }
}

/* Bytes of a slice. */
static uint64_t webnn__named_bytes(const webnn__kernel_call *call) {
  const uint64_t bytes = webnn__type(call->x->type)->bits / 8;
  switch (call->node->op) {
  case WEBNN_OP_GATHER:
    return bytes * webnn__slice_size(&call->x->shape, call->attributes->axis + 1);
  case WEBNN_OP_GATHER_ND:
  case WEBNN_OP_SCATTER_ND:
    return bytes * webnn__named_slice_size(call);
  default:
    return bytes;
  }
}

static void webnn__gather_units(char *to, const char *from, const int64_t *offsets, uint64_t count,
                                uint64_t unit) {
  uint64_t i;
  WEBNN__MOVE_EACH(to + i * unit, from + offsets[i])
}

static void webnn__scatter_units(char *to, const char *from, const int64_t *offsets, uint64_t count,
                                 uint64_t unit) {
  uint64_t i;
  WEBNN__MOVE_EACH(to + offsets[i], from + i * unit)
}

/* Slices in an item, and pieces that a slice is cut into. */
typedef struct webnn__named {
  uint64_t slice, slices, block, piece, pieces;
} webnn__named;

static webnn__named webnn__named_of(const webnn__kernel_call *call) {
  webnn__named named;
  named.slice = webnn__named_bytes(call);
  named.slices = call->y->count * (webnn__type(call->y->type)->bits / 8) / named.slice;
  named.block = webnn__at_most(WEBNN__MOVE_BLOCK / named.slice, WEBNN__NAMED);
  named.piece = webnn__at_most(4 * WEBNN__MOVE_BLOCK, named.slice);
  named.pieces = (named.slice + named.piece - 1) / named.piece;
  return named;
}

static void webnn__run_fast_gather(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const webnn__named named = webnn__named_of(call);
  int64_t offsets[WEBNN__NAMED];
  for (; begin < end; begin++) {
    const uint64_t at = begin % named.pieces * named.piece, k = begin / named.pieces * named.block;
    const uint64_t count = webnn__at_most(named.block, named.slices - k);
    webnn__name(call, k, count, named.slice, offsets);
    webnn__gather_units((char *)call->y->data + k * named.slice + at,
                        (const char *)call->x->data + at, offsets, count,
                        webnn__at_most(named.piece, named.slice - at));
  }
}

static uint64_t webnn__gather_items(const webnn__kernel_call *call) {
  const webnn__named named = webnn__named_of(call);
  return (named.slices + named.block - 1) / named.block * named.pieces;
}

static uint64_t webnn__gather_item_cost(const webnn__kernel_call *call) {
  const webnn__named named = webnn__named_of(call);
  return 20 + named.block * (2 + named.piece / 12);
}

static const webnn__fast_kernel webnn__fast_gather = {
    {webnn__run_fast_gather, webnn__gather_items, webnn__gather_item_cost, NULL}, 1, NULL, NULL};

static const webnn__fast_kernel *webnn__choose_gather(const webnn__kernel_call *call) {
  return webnn__is_4bit(call->y->type) ? NULL : &webnn__fast_gather;
}

/* Updates of one item in phase 1. */
static uint64_t webnn__scattered(const webnn__kernel_call *call) {
  return call->node->op == WEBNN_OP_SCATTER_ND
             ? webnn__named_slice_count(call)
             : webnn__slice_size(&call->x[1].shape, call->attributes->axis);
}

static uint64_t webnn__copied_bytes(const webnn__kernel_call *call) {
  return call->y->count * (webnn__type(call->y->type)->bits / 8);
}

static void webnn__run_fast_scatter(const webnn__kernel_call *call, uint64_t begin, uint64_t end) {
  const uint64_t slice = webnn__named_bytes(call), block = WEBNN__MOVE_BLOCK;
  int64_t offsets[WEBNN__NAMED];
  uint64_t some;
  if (call->phase == 0) {
    end = webnn__at_most(end * block, webnn__copied_bytes(call));
    memcpy((char *)call->y->data + begin * block, (const char *)call->x->data + begin * block,
           (size_t)(end - begin * block));
    return;
  }
  begin *= webnn__scattered(call);
  end *= webnn__scattered(call);
  for (; begin < end; begin += some) {
    some = webnn__at_most(end - begin, WEBNN__NAMED);
    webnn__name(call, begin, some, slice, offsets);
    webnn__scatter_units((char *)call->y->data, (const char *)call->x[2].data + begin * slice,
                         offsets, some, slice);
  }
}

static uint64_t webnn__scatter_items(const webnn__kernel_call *call) {
  if (call->phase == 0) {
    return (webnn__copied_bytes(call) + WEBNN__MOVE_BLOCK - 1) / WEBNN__MOVE_BLOCK;
  }
  return call->node->op == WEBNN_OP_SCATTER_ND ? 1 : call->x[1].count / webnn__scattered(call);
}

static uint64_t webnn__scatter_cost(const webnn__kernel_call *call) {
  return call->phase == 0 ? WEBNN__MOVE_BLOCK / 12
                          : 10 + webnn__scattered(call) * (3 + webnn__named_bytes(call) / 12);
}

static const webnn__fast_kernel webnn__fast_scatter = {
    {webnn__run_fast_scatter, webnn__scatter_items, webnn__scatter_cost, NULL}, 2, NULL, NULL};

static const webnn__fast_kernel *webnn__choose_scatter(const webnn__kernel_call *call) {
  return webnn__is_4bit(call->y->type) ? NULL : &webnn__fast_scatter;
}

/* ---- triangular: an item is a row, which has a part to copy and a part of zeros -------------- */

static void webnn__run_fast_triangular(const webnn__kernel_call *call, uint64_t begin,
                                       uint64_t end) {
  const webnn__shape *shape = &call->x->shape;
  const uint64_t rows = shape->dimensions[shape->rank - 2];
  const uint64_t bytes = webnn__type(call->y->type)->bits / 8;
  const int64_t columns = (int64_t)shape->dimensions[shape->rank - 1];
  const bool upper = call->attributes->upper;
  for (; begin < end; begin++) {
    const int64_t border = (int64_t)(begin % rows) + call->attributes->diagonal + (upper ? 0 : 1);
    const uint64_t row = (uint64_t)columns * bytes;
    const uint64_t cut = (uint64_t)(border < 0 ? 0 : border < columns ? border : columns) * bytes;
    char *to = (char *)call->y->data + begin * row;
    const char *from = (const char *)call->x->data + begin * row;
    memset(upper ? to : to + cut, 0, (size_t)(upper ? cut : row - cut));
    memcpy(upper ? to + cut : to, upper ? from + cut : from, (size_t)(upper ? row - cut : cut));
  }
}

static uint64_t webnn__triangular_rows(const webnn__kernel_call *call) {
  return call->y->count / call->y->shape.dimensions[call->y->shape.rank - 1];
}

static uint64_t webnn__triangular_cost(const webnn__kernel_call *call) {
  return 15 + call->y->shape.dimensions[call->y->shape.rank - 1] *
                  (webnn__type(call->y->type)->bits / 8) / 16;
}

static const webnn__fast_kernel webnn__fast_triangular = {
    {webnn__run_fast_triangular, webnn__triangular_rows, webnn__triangular_cost, NULL},
    1,
    NULL,
    NULL};

static const webnn__fast_kernel *webnn__choose_triangular(const webnn__kernel_call *call) {
  return webnn__is_4bit(call->y->type) ? NULL : &webnn__fast_triangular;
}

#undef WEBNN__MOVE_EACH
#undef WEBNN__MOVE_EXACTLY
#undef WEBNN__MOVE_TWICE
/* ---- Fast kernels by operator --------------------------------------------------------------- */

typedef const webnn__fast_kernel *(*webnn__chooser)(const webnn__kernel_call *call);

static const webnn__fast_kernel *webnn__choose_fast_kernel(const webnn__kernel_call *call) {
  static const struct {
    webnn_op op;
    webnn__chooser choose;
  } choosers[] = {{WEBNN_OP_MATMUL, webnn__choose_product},
                  {WEBNN_OP_GEMM, webnn__choose_product},
                  {WEBNN_OP_CONV2D, webnn__choose_convolution},
                  {WEBNN_OP_ABS, webnn__choose_chain},
                  {WEBNN_OP_CEIL, webnn__choose_chain},
                  {WEBNN_OP_CLAMP, webnn__choose_chain},
                  {WEBNN_OP_COS, webnn__choose_chain},
                  {WEBNN_OP_ELU, webnn__choose_chain},
                  {WEBNN_OP_ERF, webnn__choose_chain},
                  {WEBNN_OP_EXP, webnn__choose_chain},
                  {WEBNN_OP_FLOOR, webnn__choose_chain},
                  {WEBNN_OP_GELU, webnn__choose_chain},
                  {WEBNN_OP_HARD_SIGMOID, webnn__choose_chain},
                  {WEBNN_OP_HARD_SWISH, webnn__choose_chain},
                  {WEBNN_OP_IS_INFINITE, webnn__choose_chain},
                  {WEBNN_OP_IS_NAN, webnn__choose_chain},
                  {WEBNN_OP_LEAKY_RELU, webnn__choose_chain},
                  {WEBNN_OP_LINEAR, webnn__choose_chain},
                  {WEBNN_OP_LOG, webnn__choose_chain},
                  {WEBNN_OP_LOGICAL_NOT, webnn__choose_chain},
                  {WEBNN_OP_NEG, webnn__choose_chain},
                  {WEBNN_OP_RECIPROCAL, webnn__choose_chain},
                  {WEBNN_OP_RELU, webnn__choose_chain},
                  {WEBNN_OP_ROUND_EVEN, webnn__choose_chain},
                  {WEBNN_OP_SIGMOID, webnn__choose_chain},
                  {WEBNN_OP_SIGN, webnn__choose_chain},
                  {WEBNN_OP_SIN, webnn__choose_chain},
                  {WEBNN_OP_SOFTPLUS, webnn__choose_chain},
                  {WEBNN_OP_SOFTSIGN, webnn__choose_chain},
                  {WEBNN_OP_SQRT, webnn__choose_chain},
                  {WEBNN_OP_TAN, webnn__choose_chain},
                  {WEBNN_OP_TANH, webnn__choose_chain},
                  {WEBNN_OP_ADD, webnn__choose_chain},
                  {WEBNN_OP_DIV, webnn__choose_chain},
                  {WEBNN_OP_EQUAL, webnn__choose_chain},
                  {WEBNN_OP_GREATER, webnn__choose_chain},
                  {WEBNN_OP_GREATER_OR_EQUAL, webnn__choose_chain},
                  {WEBNN_OP_LESSER, webnn__choose_chain},
                  {WEBNN_OP_LESSER_OR_EQUAL, webnn__choose_chain},
                  {WEBNN_OP_LOGICAL_AND, webnn__choose_chain},
                  {WEBNN_OP_LOGICAL_OR, webnn__choose_chain},
                  {WEBNN_OP_LOGICAL_XOR, webnn__choose_chain},
                  {WEBNN_OP_MAX, webnn__choose_chain},
                  {WEBNN_OP_MIN, webnn__choose_chain},
                  {WEBNN_OP_MUL, webnn__choose_chain},
                  {WEBNN_OP_NOT_EQUAL, webnn__choose_chain},
                  {WEBNN_OP_POW, webnn__choose_chain},
                  {WEBNN_OP_PRELU, webnn__choose_chain},
                  {WEBNN_OP_SUB, webnn__choose_chain},
                  {WEBNN_OP_WHERE, webnn__choose_chain},
                  {WEBNN_OP_CAST, webnn__choose_chain},
                  {WEBNN_OP_QUANTIZE_LINEAR, webnn__choose_chain},
                  {WEBNN_OP_DEQUANTIZE_LINEAR, webnn__choose_chain},
                  {WEBNN_OP_BATCH_NORMALIZATION, webnn__choose_batch},
                  {WEBNN_OP_CONCAT, webnn__choose_parts},
                  {WEBNN_OP_EXPAND, webnn__choose_move},
                  {WEBNN_OP_GATHER, webnn__choose_gather},
                  {WEBNN_OP_GATHER_ELEMENTS, webnn__choose_gather},
                  {WEBNN_OP_GATHER_ND, webnn__choose_gather},
                  {WEBNN_OP_PAD, webnn__choose_pad},
                  {WEBNN_OP_REVERSE, webnn__choose_move},
                  {WEBNN_OP_SCATTER_ELEMENTS, webnn__choose_scatter},
                  {WEBNN_OP_SCATTER_ND, webnn__choose_scatter},
                  {WEBNN_OP_SLICE, webnn__choose_move},
                  {WEBNN_OP_SPLIT, webnn__choose_parts},
                  {WEBNN_OP_TILE, webnn__choose_move},
                  {WEBNN_OP_TRANSPOSE, webnn__choose_move},
                  {WEBNN_OP_TRIANGULAR, webnn__choose_triangular},
                  {WEBNN_OP_COUNT, NULL}};
  size_t i;
  for (i = 0; i < sizeof choosers / sizeof *choosers; i++) {
    if (choosers[i].op == call->node->op) {
      return choosers[i].choose(call);
    }
  }
  return NULL;
}

/* ==============================================================================================
   14  execution                                                                       >>execution

   Running a plan on the processor: steps in order, each cut into slices of items that the context's
   threads share. A slice computes the same wherever it runs, so results do not depend on threads.
   At the end, the CPU backend's table. Calls chapters 1, 2, 7, 11 and 12.
   ============================================================================================== */

/* ---- Threads: one job at a time, whose slices are handed out in order ----------------------- */

typedef struct webnn__pool {
  webnn__mutex mutex; /* guards what follows */
  webnn__condition work, done;
  webnn_task task;
  void *data;
  size_t next, count, unfinished;
  bool stop;
  uint32_t thread_count;
#ifdef WEBNN__THREADS
  webnn__thread *threads;
#endif
} webnn__pool;

struct webnn__cpu {
  const webnn_context_options *options;
  webnn__machine machine;
  webnn__pool pool;
};

#ifdef WEBNN__THREADS

/* Takes slices as long as there are any; the mutex is held before and after. */
static void webnn__take_slices(webnn__pool *pool) {
  while (pool->next < pool->count) {
    const size_t index = pool->next++;
    webnn__mutex_unlock(&pool->mutex);
    pool->task(pool->data, index);
    webnn__mutex_lock(&pool->mutex);
    if (--pool->unfinished == 0) {
      webnn__condition_broadcast(&pool->done);
    }
  }
}

static void webnn__pool_thread(void *data) {
  webnn__pool *pool = (webnn__pool *)data;
  webnn__mutex_lock(&pool->mutex);
  while (!pool->stop) {
    webnn__take_slices(pool);
    if (!pool->stop) {
      webnn__condition_wait(&pool->work, &pool->mutex);
    }
  }
  webnn__mutex_unlock(&pool->mutex);
}

static void webnn__pool_run(webnn__pool *pool, size_t count, webnn_task task, void *data) {
  webnn__mutex_lock(&pool->mutex);
  pool->task = task;
  pool->data = data;
  pool->next = 0;
  pool->count = pool->unfinished = count;
  webnn__condition_broadcast(&pool->work);
  webnn__take_slices(pool);
  while (pool->unfinished > 0) {
    webnn__condition_wait(&pool->done, &pool->mutex);
  }
  pool->count = 0;
  webnn__mutex_unlock(&pool->mutex);
}

static void webnn__pool_stop(const webnn_allocator *allocator, webnn__pool *pool) {
  uint32_t i;
  webnn__mutex_lock(&pool->mutex);
  pool->stop = true;
  webnn__condition_broadcast(&pool->work);
  webnn__mutex_unlock(&pool->mutex);
  for (i = 0; i < pool->thread_count; i++) {
    webnn__thread_join(&pool->threads[i]);
  }
  webnn__release(allocator, pool->threads);
}

/* Starts `count` threads beside the caller's; fewer if the system gives fewer. */
static bool webnn__pool_start(const webnn_allocator *allocator, webnn__pool *pool, uint32_t count) {
  pool->threads =
      (webnn__thread *)webnn__allocate(allocator, (uint64_t)count * sizeof *pool->threads);
  if (pool->threads == NULL) {
    return false;
  }
  while (pool->thread_count < count &&
         webnn__thread_create(&pool->threads[pool->thread_count], webnn__pool_thread, pool)) {
    pool->thread_count++;
  }
  return true;
}

#else

static uint32_t webnn__processor_count(void) {
  return 1;
}

static void webnn__pool_run(webnn__pool *pool, size_t count, webnn_task task, void *data) {
  size_t i;
  (void)pool;
  for (i = 0; i < count; i++) {
    task(data, i);
  }
}

static void webnn__pool_stop(const webnn_allocator *allocator, webnn__pool *pool) {
  (void)allocator;
  (void)pool;
}

static bool webnn__pool_start(const webnn_allocator *allocator, webnn__pool *pool, uint32_t count) {
  (void)allocator;
  (void)pool;
  (void)count;
  return true;
}

#endif

/* ---- Steps ---------------------------------------------------------------------------------- */

#define WEBNN__SLICE_UNIT 64     /* items; even, because two 4-bit elements share a byte */
#define WEBNN__SLICE_COST 100000 /* nanoseconds that are worth waking a thread for */

typedef struct webnn__slices {
  const webnn__step *step;
  uint64_t items, per_slice;
} webnn__slices;

static void webnn__run_one_slice(void *data, size_t index) {
  const webnn__slices *slices = (const webnn__slices *)data;
  const uint64_t begin = index * slices->per_slice;
  const uint64_t end = begin + slices->per_slice;
  slices->step->kernel->run(&slices->step->call, begin, end < slices->items ? end : slices->items);
}

/* Several slices for each thread even out their different lengths. */
static void webnn__run_phase(webnn__cpu *cpu, const webnn__step *step) {
  const webnn__kernel *kernel = step->kernel;
  const uint64_t items = kernel->items != NULL ? kernel->items(&step->call) : step->call.y->count;
  const uint64_t cost = kernel->cost != NULL ? kernel->cost(&step->call) : 50;
  const uint64_t threads = (uint64_t)cpu->pool.thread_count + 1;
  const bool tiny = cost < WEBNN__SLICE_COST / WEBNN__SLICE_UNIT;
  const uint64_t unit = tiny || webnn__is_4bit(step->call.y->type) ? WEBNN__SLICE_UNIT : 1;
  webnn__slices slices;
  uint64_t count = items * cost / WEBNN__SLICE_COST;
  count = count > 8 * threads ? 8 * threads : count;
  if (count < 2 || (threads == 1 && cpu->options->parallel_for == NULL)) {
    kernel->run(&step->call, 0, items);
    return;
  }
  slices.step = step;
  slices.items = items;
  slices.per_slice = ((items + count - 1) / count + unit - 1) / unit * unit;
  count = (items + slices.per_slice - 1) / slices.per_slice;
  if (cpu->options->parallel_for != NULL) {
    cpu->options->parallel_for(cpu->options->parallel_for_user, (size_t)count, webnn__run_one_slice,
                               &slices);
  } else {
    webnn__pool_run(&cpu->pool, (size_t)count, webnn__run_one_slice, &slices);
  }
}

static void webnn__run_step(webnn__cpu *cpu, webnn__step *step) {
  const uint32_t phases = step->fast != NULL ? step->fast->phases : 1;
  for (step->call.phase = 0; step->call.phase < phases; step->call.phase++) {
    webnn__run_phase(cpu, step);
  }
}

/* The memory of a value in this run. */
static void *webnn__value_data(const webnn__plan *plan, uint32_t value, void *const *inputs,
                               void *const *outputs) {
  const webnn__place *place = &plan->places[webnn__root(plan, value)];
  switch (place->kind) {
  case WEBNN__PLACE_INPUT:
    return inputs[place->index];
  case WEBNN__PLACE_OUTPUT:
    return outputs[place->index];
  case WEBNN__PLACE_CONSTANT:
    return plan->program->values[webnn__root(plan, value)].constant->memory;
  default:
    return plan->arena + place->offset;
  }
}

static void webnn__bind_step(const webnn__plan *plan, webnn__step *step, void *const *inputs,
                             void *const *outputs) {
  const webnn__node *node = step->node;
  uint32_t i;
  for (i = 0; i < node->input_count; i++) {
    if (node->inputs[i] != WEBNN__NONE) {
      step->call.x[i].data = webnn__value_data(plan, node->inputs[i], inputs, outputs);
    }
  }
  for (i = 0; i < node->output_count; i++) {
    step->call.y[i].data = webnn__value_data(plan, node->outputs[i], inputs, outputs);
  }
  step->call.scratch = plan->arena + step->scratch_offset;
}

/* Shows each output of a step to the caller. */
static void webnn__tap_step(const webnn__plan *plan, uint32_t index) {
  const webnn__step *step = &plan->steps[index];
  uint32_t i;
  for (i = 0; i < step->node->output_count; i++) {
    const webnn__view *view = &step->call.y[i];
    const uint32_t number = step->node->outputs[i];
    const webnn__value *value = &plan->program->values[number];
    webnn_tapped_value tapped;
    char name[16];
    webnn__text text;
    text.data = name;
    text.capacity = sizeof name - 1;
    text.length = 0;
    webnn__put_string(&text, "%");
    webnn__put_u64(&text, number);
    name[text.length] = 0;
    tapped.name = value->name != NULL ? value->name : name;
    tapped.op_name = webnn_op_name(step->node->op);
    tapped.label = step->node->label;
    tapped.operator_index = index;
    tapped.output_index = i;
    tapped.descriptor.data_type = view->type;
    tapped.descriptor.shape.items = view->shape.dimensions;
    tapped.descriptor.shape.count = view->shape.rank;
    tapped.data = view->data;
    tapped.byte_length = (size_t)webnn__value_bytes(value);
    plan->tap(plan->tap_user, &tapped);
  }
}

/* ---- The CPU backend ------------------------------------------------------------------------ */

static webnn_status webnn__cpu_run(void *device, void *plan_pointer, void *const *inputs,
                                   void *const *outputs, webnn_error *error) {
  webnn__cpu *cpu = (webnn__cpu *)device;
  webnn__plan *plan = (webnn__plan *)plan_pointer;
  const webnn__program *program = plan->program;
  uint32_t i;
  (void)error;
  for (i = 0; i < program->node_count; i++) {
    webnn__bind_step(plan, &plan->steps[i], inputs, outputs);
    if (!plan->steps[i].is_view) {
      webnn__run_step(cpu, &plan->steps[i]);
    }
    if (plan->tap != NULL) {
      webnn__tap_step(plan, i);
    }
  }
  for (i = 0; i < program->output_count; i++) { /* further names of a value that has an output */
    const void *data = webnn__value_data(plan, program->outputs[i].value, inputs, outputs);
    if (data != outputs[i]) {
      memcpy(outputs[i], data,
             (size_t)webnn__value_bytes(&program->values[program->outputs[i].value]));
    }
  }
  return WEBNN_OK;
}

static webnn_status webnn__cpu_compile(void *device, const webnn__program *program, void **plan,
                                       webnn_error *error) {
  webnn__cpu *cpu = (webnn__cpu *)device;
  webnn__plan *made = webnn__make_plan(cpu->options, &cpu->machine, program);
  if (made == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  made->cpu = cpu;
  *plan = made;
  return WEBNN_OK;
}

static void webnn__cpu_release_plan(void *device, void *plan) {
  webnn__release_plan(&((webnn__cpu *)device)->options->allocator, (webnn__plan *)plan);
}

static webnn_status webnn__cpu_tap(void *device, void *plan, webnn_tap tap, void *user,
                                   webnn_error *error) {
  (void)device;
  (void)error;
  ((webnn__plan *)plan)->tap = tap;
  ((webnn__plan *)plan)->tap_user = user;
  return WEBNN_OK;
}

static uint64_t webnn__cpu_undecided(void *device, const void *plan) {
  (void)device;
  return webnn__count_so_far(&((const webnn__plan *)plan)->undecided);
}

static webnn_memory webnn__cpu_memory(void *device, const void *plan_pointer) {
  const webnn__plan *plan = (const webnn__plan *)plan_pointer;
  const webnn__value *values = plan->program->values;
  webnn_memory memory;
  uint32_t i, j;
  (void)device;
  memset(&memory, 0, sizeof memory);
  memory.arena = plan->arena_size;
  memory.prepared = plan->packed_size;
  memory.intermediates = plan->unshared_size;
  for (i = 0; i < plan->program->value_count; i++) {
    const webnn__block *constant = values[i].constant;
    for (j = 0; j < i && values[j].constant != constant; j++) {
    }
    if (constant != NULL && !constant->borrowed && j == i) { /* two constants of one tensor share */
      memory.constants += constant->byte_length;
    }
  }
  return memory;
}

static void webnn__cpu_close(void *device) {
  webnn__cpu *cpu = (webnn__cpu *)device;
  const webnn_allocator *allocator = &cpu->options->allocator;
  webnn__pool_stop(allocator, &cpu->pool);
  webnn__condition_destroy(&cpu->pool.done);
  webnn__condition_destroy(&cpu->pool.work);
  webnn__mutex_destroy(&cpu->pool.mutex);
  webnn__release(allocator, cpu);
}

static webnn_status webnn__cpu_open(webnn_context *context, void **device, webnn_error *error) {
  const webnn_allocator *allocator = &context->options.allocator;
  const uint32_t wanted = context->options.parallel_for != NULL ? 1
                          : context->options.threads > 0        ? context->options.threads
                                                                : webnn__processor_count();
  webnn__cpu *cpu = (webnn__cpu *)webnn__allocate_zeroed(allocator, sizeof *cpu);
  bool ready = false;
  if (cpu == NULL) {
    return webnn__out_of_memory(error, "createContext");
  }
  cpu->options = &context->options;
  cpu->machine.kernels = webnn__choose_kernels(context->options.instruction_set);
  cpu->machine.choose =
      context->options.numerics == WEBNN_NUMERICS_FAST ? webnn__choose_fast_kernel : NULL;
  if (cpu->machine.kernels == NULL) {
    webnn__release(allocator, cpu);
    return webnn__fail(
        error, WEBNN_NOT_SUPPORTED_ERROR,
        "createContext: this processor or program does not have the instruction set");
  }
  if (webnn__mutex_create(&cpu->pool.mutex)) {
    if (webnn__condition_create(&cpu->pool.work)) {
      ready = webnn__condition_create(&cpu->pool.done);
      if (!ready) {
        webnn__condition_destroy(&cpu->pool.work);
      }
    }
    if (!ready) {
      webnn__mutex_destroy(&cpu->pool.mutex);
    }
  }
  if (!ready) {
    webnn__release(allocator, cpu);
    return webnn__fail(error, WEBNN_UNKNOWN_ERROR, "createContext: no mutex or condition variable");
  }
  if (!webnn__pool_start(allocator, &cpu->pool, wanted - 1)) {
    webnn__cpu_close(cpu);
    return webnn__out_of_memory(error, "createContext");
  }
  *device = cpu;
  return WEBNN_OK;
}

static webnn_status webnn__cpu_create_storage(void *device, uint64_t byte_length, void *memory,
                                              void **storage, webnn_error *error) {
  const webnn_allocator *allocator = &((webnn__cpu *)device)->options->allocator;
  *storage = memory != NULL ? memory : webnn__allocate_aligned(allocator, byte_length);
  return *storage != NULL ? WEBNN_OK : webnn__out_of_memory(error, "createTensor");
}

static void webnn__cpu_release_storage(void *device, void *storage, bool borrowed) {
  if (!borrowed) {
    webnn__release_aligned(&((webnn__cpu *)device)->options->allocator, storage);
  }
}

static webnn_status webnn__cpu_write(void *device, void *storage, const void *data,
                                     uint64_t byte_length, webnn_error *error) {
  (void)device;
  (void)error;
  memmove(storage, data, (size_t)byte_length);
  return WEBNN_OK;
}

static webnn_status webnn__cpu_read(void *device, void *storage, void *data, uint64_t byte_length,
                                    webnn_error *error) {
  (void)device;
  (void)error;
  memmove(data, storage, (size_t)byte_length);
  return WEBNN_OK;
}

static const webnn_backend webnn__cpu_backend = {
    "cpu",
    false,
    webnn__cpu_open,
    webnn__cpu_close,
    webnn__cpu_create_storage,
    webnn__cpu_release_storage,
    webnn__cpu_write,
    webnn__cpu_read,
    webnn__cpu_compile,
    webnn__cpu_release_plan,
    webnn__cpu_run,
    webnn__cpu_tap,
    webnn__cpu_memory,
    webnn__cpu_undecided,
};

/* ==============================================================================================
   15  creation                                                                         >>creation

   The functions that name a backend. Calls chapters 9 and 14.
   ============================================================================================== */

WEBNN_API webnn_status webnn_create_context(const webnn_context_options *options,
                                            webnn_context **context, webnn_error *error) {
  static const webnn_context_options defaults = WEBNN_ZERO;
  if (context == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "createContext: there is no place for the context");
  }
  *context = NULL;
  options = options != NULL ? options : &defaults;
  return webnn__create_context(
      options, options->backend != NULL ? options->backend : &webnn__cpu_backend, context, error);
}

#undef WEBNN__IMPLEMENTING
#endif /* WEBNN_IMPLEMENTATION, second part */

/* MIT No Attribution

   Copyright 2026 the webnn.h authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
   associated documentation files (the "Software"), to deal in the Software without restriction,
   including without limitation the rights to use, copy, modify, merge, publish, distribute,
   sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
   furnished to do so.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
