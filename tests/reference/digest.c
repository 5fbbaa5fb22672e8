/* A reference context gives the same bits on every machine. A fixed corpus of some ten thousand
   outputs is computed through the public interface: every operator of WEBNN_OPERATORS, every data
   type of its first operand, many shapes and options, inputs from an integer generator. The bits of
   all outputs of one operator and type are drawn together into one digest, which must be that of
   digest.txt, written once and committed. Nothing here computes with floating-point numbers: the
   corpus deals in bit patterns (only `environment` adds numbers, to see whether a mode is in
   force).

     digest                 compares with digest.txt
     digest print           prints the lines of digest.txt
     digest write           writes digest.txt
     digest outputs NAME    each output of the operator NAME, one line each, to find a difference
     digest threads N       compares, in a context of N threads
     digest slices          compares; work is cut into slices that run last to first
     digest passes          compares; every compile pass is switched off
     digest environment     compares under each rounding mode, flush-to-zero and x87 precision */
#include "test.h"

#include <fenv.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/* ---- A run: one case of one operator and type. ------------------------------------------------*/

#define CASES 26 /* for each operator and type */
#define MAX_INPUTS 12
#define MAX_OUTPUTS 4

typedef struct shape {
  uint32_t items[WEBNN_MAX_RANK];
  uint32_t rank;
} shape;

/* What a tensor is filled with. */
typedef enum style {
  ORDINARY, /* between 2^-8 and 2^4 in magnitude; integers -8 to 8 */
  HALVES,   /* -16 to 16 in steps of a half: ties, equal elements */
  FINITE,   /* every finite bit pattern alike; every integer alike */
  MIXED,    /* all of the others, element by element */
  SPARSE,   /* ordinary, now and then an extreme */
  TINY,     /* subnormals and the smallest normal numbers; integers 0, 1 and -1 */
  HUGE,     /* near the largest numbers */
  EXTREME,  /* zeros, infinities, NaNs, the ends of the ranges */
  STYLE_COUNT,
  POSITIVE /* as ordinary */
} style;

typedef struct filled_input {
  webnn_data_type type;
  shape dimensions;
  void *data;
  size_t byte_length;
  char name[4];
  webnn_tensor *tensor;
} filled_input;

typedef struct run {
  webnn_context *context;
  webnn_builder *builder;
  webnn_data_type type; /* of the operator's first operand */
  unsigned number;      /* of the case */
  style filling;        /* of most operands */
  uint64_t random;
  filled_input inputs[MAX_INPUTS];
  unsigned input_count;
  webnn_operand *outputs[MAX_OUTPUTS];
  size_t output_count;
} run;

/* One case in each line is large enough to be cut into slices for the threads. */
static bool is_large(const run *r) {
  return r->number == 0;
}

/* The upper bits are the good ones. Called once in an expression, since C leaves the order open. */
static uint32_t pick(run *r, uint32_t count) {
  return (uint32_t)((test_random(&r->random) >> 33) % count);
}

static uint32_t pick_between(run *r, uint32_t low, uint32_t high) {
  return low + pick(r, high - low + 1);
}

static bool pick_bool(run *r) {
  return pick(r, 2) == 1;
}

/* A size; the upper end is larger in the large case. */
static uint32_t pick_size(run *r, uint32_t high, uint32_t large) {
  return is_large(r) ? large : pick_between(r, 1, high);
}

/* ---- Elements as bit patterns. ----------------------------------------------------------------*/

typedef struct float_format {
  unsigned fraction_bits, exponent_bits;
} float_format;

static float_format format_of(webnn_data_type type) {
  const float_format single = {23, 8}, half = {10, 5};
  return type == WEBNN_FLOAT32 ? single : half;
}

static uint64_t float_from(float_format format, uint64_t sign, uint64_t exponent,
                           uint64_t fraction) {
  const uint64_t mask = ((uint64_t)1 << format.fraction_bits) - 1;
  return sign << (format.fraction_bits + format.exponent_bits) | exponent << format.fraction_bits |
         (fraction & mask);
}

/* halves / 2 */
static uint64_t float_from_halves(float_format format, uint64_t sign, uint32_t halves) {
  const uint64_t bias = ((uint64_t)1 << (format.exponent_bits - 1)) - 1;
  unsigned top = 0;
  if (halves == 0)
    return float_from(format, sign, 0, 0);
  while (halves >> top > 1)
    top++;
  return float_from(format, sign, bias + top - 1, (uint64_t)halves << (format.fraction_bits - top));
}

static uint64_t extreme_float(run *r, float_format format, uint64_t sign) {
  const uint64_t infinite = ((uint64_t)1 << format.exponent_bits) - 1, bias = infinite >> 1;
  switch (pick(r, 11)) {
  case 0:
    return float_from(format, sign, 0, 0);
  case 1:
    return float_from(format, sign, 0, 1);
  case 2:
    return float_from(format, sign, 0, ~(uint64_t)0);
  case 3:
    return float_from(format, sign, 1, 0);
  case 4:
    return float_from(format, sign, infinite - 1, ~(uint64_t)0);
  case 5:
    return float_from(format, sign, infinite, 0);
  case 6: /* a quiet NaN */
    return float_from(format, sign, infinite, (uint64_t)1 << (format.fraction_bits - 1));
  case 7: /* a signalling NaN */
    return float_from(format, sign, infinite, 1);
  case 8:
    return float_from(format, sign, bias, 1);
  case 9:
    return float_from(format, sign, bias, 0);
  default:
    return float_from(format, sign, bias - 1, ~(uint64_t)0);
  }
}

/* Half of the fractions are short, so that sums and products meet ties. */
static uint64_t some_fraction(run *r, float_format format) {
  const uint64_t fraction = test_random(&r->random) >> 20;
  return pick_bool(r) ? fraction : fraction << pick_between(r, 1, format.fraction_bits);
}

static uint64_t some_float(run *r, float_format format, style how) {
  const uint32_t infinite = ((uint32_t)1 << format.exponent_bits) - 1;
  const uint64_t sign = how == POSITIVE ? 0 : pick(r, 2);
  uint32_t exponent;
  switch (how) {
  case ORDINARY:
  case POSITIVE:
  case SPARSE:
    exponent = (infinite >> 1) - 8 + pick(r, 12);
    break;
  case HALVES:
    return float_from_halves(format, sign, pick(r, 33));
  case TINY:
    exponent = pick(r, 3);
    break;
  case HUGE:
    exponent = infinite - 1 - pick(r, 3);
    break;
  case EXTREME:
    return extreme_float(r, format, sign);
  default:
    exponent = pick(r, infinite);
    break;
  }
  return float_from(format, sign, exponent, some_fraction(r, format));
}

static bool is_signed(webnn_data_type type) {
  return type == WEBNN_INT64 || type == WEBNN_INT32 || type == WEBNN_INT8 || type == WEBNN_INT4;
}

/* One of the numbers next to the largest and the smallest. */
static uint64_t integer_near_an_end(run *r, webnn_data_type type, uint32_t distance) {
  const unsigned bits = webnn_data_type_bits(type);
  const uint64_t low = is_signed(type) ? (uint64_t)1 << (bits - 1) : 0;
  return pick_bool(r) ? low + distance : low - 1 - distance;
}

static uint64_t some_integer(run *r, webnn_data_type type, style how) {
  switch (how) {
  case ORDINARY:
  case HALVES:
    return is_signed(type) ? (uint64_t)pick(r, 17) - 8 : (uint64_t)pick(r, 17);
  case POSITIVE:
    return 1 + (uint64_t)pick(r, 7);
  case SPARSE: {
    const uint64_t bits = test_random(&r->random);
    return bits >> pick(r, 64);
  }
  case TINY:
    return (uint64_t)pick(r, 3) - 1;
  case HUGE:
    return integer_near_an_end(r, type, pick(r, 5));
  case EXTREME:
    return integer_near_an_end(r, type, 0);
  default:
    return test_random(&r->random);
  }
}

static uint64_t some_element(run *r, webnn_data_type type, style how) {
  if (how == MIXED)
    how = (style)pick(r, STYLE_COUNT);
  if (how == SPARSE && pick(r, 12) == 0)
    how = EXTREME;
  return test_is_float(type) ? some_float(r, format_of(type), how) : some_integer(r, type, how);
}

/* For devices that take subnormal float32 numbers for zeros: there are none then. */
static bool without_subnormals;

static void store_element(webnn_data_type type, void *data, size_t i, uint64_t bits) {
  uint8_t *bytes = (uint8_t *)data;
  if (without_subnormals && type == WEBNN_FLOAT32 && (bits & 0x7F800000) == 0)
    bits = bits & 0x80000000;
  switch (webnn_data_type_bits(type)) {
  case 4:
    bytes[i / 2] = (uint8_t)(bytes[i / 2] | (bits & 15) << (i % 2 * 4));
    break;
  case 8:
    bytes[i] = (uint8_t)(bits & 0xFF);
    break;
  case 16: {
    const uint16_t half = (uint16_t)(bits & 0xFFFF);
    memcpy(bytes + 2 * i, &half, sizeof half);
    break;
  }
  case 32: {
    const uint32_t word = (uint32_t)(bits & 0xFFFFFFFF);
    memcpy(bytes + 4 * i, &word, sizeof word);
    break;
  }
  default:
    memcpy(bytes + 8 * i, &bits, sizeof bits);
    break;
  }
}

static uint64_t load_element(webnn_data_type type, const void *data, size_t i) {
  const uint8_t *bytes = (const uint8_t *)data;
  switch (webnn_data_type_bits(type)) {
  case 4:
    return bytes[i / 2] >> (i % 2 * 4) & 15;
  case 8:
    return bytes[i];
  case 16: {
    uint16_t half;
    memcpy(&half, bytes + 2 * i, sizeof half);
    return half;
  }
  case 32: {
    uint32_t word;
    memcpy(&word, bytes + 4 * i, sizeof word);
    return word;
  }
  default: {
    uint64_t bits;
    memcpy(&bits, bytes + 8 * i, sizeof bits);
    return bits;
  }
  }
}

/* ---- Shapes. ----------------------------------------------------------------------------------*/

static webnn_list list_of(const shape *s) {
  return webnn_list_of(s->items, s->rank);
}

static size_t count_of(const shape *s) {
  return test_element_count(list_of(s));
}

static webnn_operand_descriptor descriptor_of(webnn_data_type type, const shape *s) {
  webnn_operand_descriptor descriptor;
  descriptor.data_type = type;
  descriptor.shape = list_of(s);
  return descriptor;
}

static shape no_dimensions(void) {
  shape s;
  memset(&s, 0, sizeof s);
  return s;
}

static void append(shape *s, uint32_t item) {
  s->items[s->rank++] = item;
}

static shape shape_1(uint32_t a) {
  shape s = no_dimensions();
  append(&s, a);
  return s;
}

static shape shape_2(uint32_t a, uint32_t b) {
  shape s = shape_1(a);
  append(&s, b);
  return s;
}

static shape shape_3(uint32_t a, uint32_t b, uint32_t c) {
  shape s = shape_2(a, b);
  append(&s, c);
  return s;
}

static shape shape_4(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  shape s = shape_3(a, b, c);
  append(&s, d);
  return s;
}

/* A shape of some ten elements, sometimes of the highest rank; about 4000 in the large case. */
static shape some_shape(run *r, uint32_t lowest_rank, uint32_t highest_rank) {
  shape s = no_dimensions();
  uint32_t rank, room = 48;
  if (is_large(r)) {
    s = shape_4(3, 21, 8, 9);
    while (s.rank > highest_rank)
      s.rank--, s.items[s.rank - 1] *= s.items[s.rank];
    return s;
  }
  rank = pick_between(r, lowest_rank, pick(r, 4) == 0 || highest_rank < 4 ? highest_rank : 4);
  while (s.rank < rank) {
    const uint32_t size = pick_between(r, 1, rank < 3 ? 13 : 5);
    append(&s, size < room ? size : room);
    room /= s.items[s.rank - 1];
  }
  return s;
}

/* A shape that broadcasts to s: leading dimensions left out, others 1. */
static shape some_narrower_shape(run *r, const shape *s) {
  shape narrow = no_dimensions();
  uint32_t i;
  if (pick(r, 3) == 0)
    return *s;
  for (i = pick(r, 3) == 0 ? pick(r, s->rank + 1) : 0; i < s->rank; i++)
    append(&narrow, pick(r, 3) == 0 ? 1 : s->items[i]);
  return narrow;
}

/* The numbers below `count` in some order. */
static shape some_order(run *r, uint32_t count) {
  shape order = no_dimensions();
  uint32_t i;
  for (i = 0; i < count; i++) {
    const uint32_t place = pick(r, i + 1);
    append(&order, order.items[place]);
    order.items[place] = i;
  }
  return order;
}

/* Some axes in some order; absent, empty or a list. */
static webnn_list some_axes(run *r, uint32_t rank) {
  const webnn_list absent = WEBNN_ZERO;
  shape axes = some_order(r, rank);
  if (pick(r, 4) == 0)
    return absent;
  axes.rank = pick(r, rank + 1);
  return list_of(&axes);
}

/* ---- Operands and numbers. --------------------------------------------------------------------*/

static void *filled(run *r, webnn_data_type type, const shape *s, style how, size_t *byte_length) {
  const webnn_operand_descriptor descriptor = descriptor_of(type, s);
  const size_t count = count_of(s);
  void *data;
  size_t i;
  *byte_length = (size_t)webnn_byte_length(descriptor);
  data = test_allocate(*byte_length);
  for (i = 0; i < count; i++)
    store_element(type, data, i, some_element(r, type, how));
  return data;
}

/* Every fourth operand is a constant, the others are inputs. */
static webnn_operand *operand_over(run *r, webnn_data_type type, const shape *s, void *data,
                                   size_t byte_length) {
  const webnn_operand_descriptor descriptor = descriptor_of(type, s);
  filled_input *input = &r->inputs[r->input_count];
  if (pick(r, 4) == 0) {
    webnn_operand *constant = webnn_constant(r->builder, descriptor, data, byte_length);
    free(data);
    return constant;
  }
  input->type = type;
  input->dimensions = *s;
  input->data = data;
  input->byte_length = byte_length;
  input->name[0] = (char)('a' + (int)r->input_count++);
  return webnn_input(r->builder, input->name, descriptor);
}

static webnn_operand *styled_operand(run *r, webnn_data_type type, shape s, style how) {
  size_t byte_length;
  void *data = filled(r, type, &s, how, &byte_length);
  return operand_over(r, type, &s, data, byte_length);
}

/* Operands have the case's style, every fourth one another. */
static webnn_operand *operand(run *r, webnn_data_type type, shape s) {
  return styled_operand(r, type, s, pick(r, 4) == 0 ? (style)pick(r, STYLE_COUNT) : r->filling);
}

static webnn_operand *maybe_operand(run *r, shape s) {
  return pick_bool(r) ? operand(r, r->type, s) : NULL;
}

static webnn_data_type some_index_type(run *r) {
  static const webnn_data_type types[3] = {WEBNN_INT32, WEBNN_UINT32, WEBNN_INT64};
  return types[pick(r, 3)];
}

/* Indices of a dimension, most in range, from the front or from the end. With coordinates, those of
   the dimensions of `of` in turn, the last dimension of s being their number. */
static webnn_operand *indices(run *r, shape s, const uint32_t *sizes, uint32_t coordinates) {
  const webnn_data_type type = some_index_type(r);
  size_t byte_length, i;
  const size_t count = count_of(&s);
  void *data = filled(r, type, &s, POSITIVE, &byte_length);
  for (i = 0; i < count; i++) {
    const uint32_t size = sizes[i % coordinates];
    uint64_t index = pick(r, 2 * size);
    if (type != WEBNN_UINT32 || index >= size)
      index -= size; /* may be negative */
    if (pick(r, 10) == 0)
      index = some_element(r, type, (style)pick(r, STYLE_COUNT));
    memset((uint8_t *)data + i * byte_length / count, 0, byte_length / count);
    store_element(type, data, i, index);
  }
  return operand_over(r, type, &s, data, byte_length);
}

static webnn_number number_of_bits(uint64_t bits) {
  webnn_number number;
  memset(&number, 0, sizeof number);
  memcpy(&number.f64, &bits, sizeof bits);
  number.kind = WEBNN_NUMBER_DOUBLE;
  return number;
}

/* Finite doubles in ascending order. */
static const uint64_t doubles[] = {
    0xFE37E43C8800759C, /* -1e300 */
    0xC004000000000000, /* -2.5 */
    0xBFF0000000000000, /* -1 */
    0xBFB999999999999A, /* -0.1 */
    0x8000000000000000, /* -0 */
    0x0000000000000000, /* 0 */
    0x0000000000000001, /* the smallest double */
    0x36A0000000000000, /* the smallest float32 */
    0x3E78000000000000, /* a tie of float16's subnormals */
    0x3EE4F8B588E368F1, /* 1e-5 */
    0x3FB999999999999A, /* 0.1 */
    0x3FD5555555555555, /* a third */
    0x3FE0000000000000, /* 0.5 */
    0x3FF0000000000000, /* 1 */
    0x3FF0000010000000, /* a tie of float32 */
    0x3FF8000000000000, /* 1.5 */
    0x4018000000000000, /* 6 */
    0x40EFFC0000000000, /* 65504, float16's largest */
    0x4170000010000000, /* 2^24 + 1 */
    0x7E37E43C8800759C  /* 1e300 */
};
#define DOUBLE_COUNT ((uint32_t)(sizeof doubles / sizeof *doubles))

/* A floating-point option: absent, plain or odd. */
static webnn_number some_number(run *r) {
  webnn_number number;
  memset(&number, 0, sizeof number);
  switch (pick(r, 4)) {
  case 0:
    return number;
  case 1:
    return number_of_bits(doubles[pick_between(r, 10, 16)]);
  default:
    return number_of_bits(doubles[pick(r, DOUBLE_COUNT)]);
  }
}

static webnn_number some_epsilon(run *r) {
  return number_of_bits(doubles[pick_between(r, 5, 13)]);
}

/* An unsigned option as an integer or as a double that is cut down to it. */
static webnn_number small_count(run *r, uint32_t value) {
  static const uint64_t doubles_of[5] = {1, 0x3FFE666666666666, 0x4007333333333333,
                                         0x400F333333333333, 0x4013999999999999};
  if (value < 5 && pick_bool(r))
    return number_of_bits(doubles_of[value]);
  return pick_bool(r) ? webnn_u64(value) : webnn_i64((int64_t)value);
}

/* As an option that is an integer. It draws what small_count draws: the digests depend on that. */
static uint32_t plain_count(run *r, uint32_t value) {
  (void)small_count(r, value);
  return value;
}

static void output(run *r, webnn_operand *operand_or_null) {
  if (operand_or_null != NULL)
    r->outputs[r->output_count++] = operand_or_null;
}

/* ---- The cases of each operator: make_NAME for every NAME of WEBNN_OPERATORS. -----------------*/

typedef webnn_operand *(*unary_method)(webnn_builder *, webnn_operand *,
                                       const webnn_operator_options *);
typedef webnn_operand *(*binary_method)(webnn_builder *, webnn_operand *, webnn_operand *,
                                        const webnn_operator_options *);
typedef webnn_operand *(*reduce_method)(webnn_builder *, webnn_operand *,
                                        const webnn_reduce_options *);
typedef webnn_operand *(*pool_method)(webnn_builder *, webnn_operand *,
                                      const webnn_pool2d_options *);
typedef webnn_operand *(*arg_method)(webnn_builder *, webnn_operand *, uint32_t,
                                     const webnn_arg_min_max_options *);

/* All 65536 float16 numbers. */
static webnn_operand *every_float16(run *r) {
  const shape s = shape_1(65536);
  size_t byte_length, i;
  void *data = filled(r, WEBNN_FLOAT16, &s, ORDINARY, &byte_length);
  for (i = 0; i < 65536; i++)
    store_element(WEBNN_FLOAT16, data, i, i);
  return operand_over(r, WEBNN_FLOAT16, &s, data, byte_length);
}

static webnn_operand *unary_operand(run *r) {
  return is_large(r) && r->type == WEBNN_FLOAT16
             ? every_float16(r)
             : operand(r, r->type, some_shape(r, 0, WEBNN_MAX_RANK));
}

static void make_unary(run *r, unary_method method) {
  webnn_operand *x = unary_operand(r);
  output(r, method(r->builder, x, NULL));
}

/* Two shapes that broadcast to a common one: one of them is that, or both are narrower. */
static void make_binary(run *r, binary_method method) {
  const shape wide = some_shape(r, 0, WEBNN_MAX_RANK);
  const shape narrow = some_narrower_shape(r, &wide);
  const bool swapped = pick_bool(r);
  webnn_operand *a = operand(r, r->type, swapped ? narrow : wide);
  webnn_operand *b = operand(r, r->type, swapped ? wide : narrow);
  output(r, method(r->builder, a, b, NULL));
}

static void make_arg(run *r, arg_method method) {
  const shape s = some_shape(r, 1, WEBNN_MAX_RANK);
  const uint32_t axis = pick(r, s.rank);
  webnn_operand *x = operand(r, r->type, s);
  webnn_arg_min_max_options options = WEBNN_ZERO;
  options.keep_dimensions = pick_bool(r);
  options.output_data_type = pick_bool(r) ? WEBNN_INT64 : WEBNN_INT32;
  output(r, method(r->builder, x, axis, &options));
}

static void make_reduction(run *r, reduce_method method) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK);
  webnn_operand *x = operand(r, r->type, s);
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = some_axes(r, s.rank);
  options.keep_dimensions = pick_bool(r);
  output(r, method(r->builder, x, &options));
}

/* clang-format off */
#define UNARY(X)                                                                                   \
  X(logical_not) X(is_nan) X(is_infinite) X(abs) X(ceil) X(cos) X(erf) X(exp) X(floor) X(identity) \
  X(log) X(neg) X(reciprocal) X(round_even) X(sign) X(sin) X(sqrt) X(tan) X(gelu) X(hard_swish)    \
  X(relu) X(sigmoid) X(softplus) X(softsign) X(tanh)
#define BINARY(X)                                                                                  \
  X(add) X(sub) X(mul) X(div) X(max) X(min) X(pow) X(equal) X(not_equal) X(greater)                \
  X(greater_or_equal) X(lesser) X(lesser_or_equal) X(logical_and) X(logical_or) X(logical_xor)     \
  X(prelu)
#define REDUCTION(X)                                                                               \
  X(reduce_l1) X(reduce_l2) X(reduce_log_sum) X(reduce_log_sum_exp) X(reduce_max) X(reduce_mean)   \
  X(reduce_min) X(reduce_product) X(reduce_sum) X(reduce_sum_square)
#define POOL(X) X(average_pool2d) X(l2_pool2d) X(max_pool2d)
#define ARG(X) X(arg_min) X(arg_max)
/* clang-format on */

#define MAKE(family, name)                                                                         \
  static void make_##name(run *r) {                                                                \
    make_##family(r, webnn_##name);                                                                \
  }
#define MAKE_UNARY(name) MAKE(unary, name)
#define MAKE_BINARY(name) MAKE(binary, name)
#define MAKE_REDUCTION(name) MAKE(reduction, name)
#define MAKE_ARG(name) MAKE(arg, name)
UNARY(MAKE_UNARY)
BINARY(MAKE_BINARY)
REDUCTION(MAKE_REDUCTION)
ARG(MAKE_ARG)

#define MAKE_WITH_NUMBERS(name, statements)                                                        \
  static void make_##name(run *r) {                                                                \
    webnn_operand *x = unary_operand(r);                                                           \
    webnn_##name##_options options = WEBNN_ZERO;                                                   \
    statements;                                                                                    \
    output(r, webnn_##name(r->builder, x, &options));                                              \
  }
MAKE_WITH_NUMBERS(elu, options.alpha = some_number(r))
MAKE_WITH_NUMBERS(leaky_relu, options.alpha = some_number(r))
MAKE_WITH_NUMBERS(hard_sigmoid, options.alpha = some_number(r); options.beta = some_number(r))
MAKE_WITH_NUMBERS(linear, options.alpha = some_number(r); options.beta = some_number(r))

/* Bounds in ascending order, of doubles or, for integers, also of integers; one may be absent. */
static void make_clamp(run *r) {
  webnn_operand *x = unary_operand(r);
  webnn_clamp_options options = WEBNN_ZERO;
  const uint32_t low = pick(r, DOUBLE_COUNT), high = pick_between(r, low, DOUBLE_COUNT - 1);
  const uint32_t bounds = pick(r, 4);
  if (bounds == 3 && !test_is_float(r->type)) {
    options.min_value = webnn_i64(-(int64_t)pick(r, 5));
    options.max_value = webnn_u64(UINT64_MAX - pick(r, 5));
  } else {
    if (bounds != 0)
      options.min_value = number_of_bits(doubles[low]);
    if (bounds != 1)
      options.max_value = number_of_bits(doubles[high]);
  }
  output(r, webnn_clamp(r->builder, x, &options));
}

static void make_cast(run *r) {
  webnn_operand *x = unary_operand(r);
  uint32_t to;
  for (to = WEBNN_FLOAT32 + r->number % 2; to <= WEBNN_UINT8; to += 2)
    output(r, webnn_cast(r->builder, x, (webnn_data_type)to, NULL));
}

static void make_batch_normalization(run *r) {
  const shape s = some_shape(r, 1, WEBNN_MAX_RANK);
  const uint32_t axis = s.rank > 1 && pick_bool(r) ? 1 : pick(r, s.rank);
  const shape channels = shape_1(s.items[axis]);
  webnn_operand *x = operand(r, r->type, s);
  webnn_operand *mean = operand(r, r->type, channels);
  webnn_operand *variance = styled_operand(r, r->type, channels, pick(r, 4) ? POSITIVE : MIXED);
  webnn_batch_normalization_options options = WEBNN_ZERO;
  options.scale = maybe_operand(r, channels);
  options.bias = maybe_operand(r, channels);
  if (axis != 1 || pick_bool(r))
    options.axis = small_count(r, axis);
  if (pick_bool(r))
    options.epsilon = some_epsilon(r);
  output(r, webnn_batch_normalization(r->builder, x, mean, variance, &options));
}

static void make_instance_normalization(run *r) {
  webnn_instance_normalization_options options = WEBNN_ZERO;
  const uint32_t n = pick_size(r, 2, 2), c = pick_size(r, 4, 9), h = pick_size(r, 4, 12),
                 w = pick_size(r, 4, 12);
  webnn_operand *x;
  options.layout = pick_bool(r) ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  x = operand(r, r->type,
              options.layout == WEBNN_LAYOUT_NHWC ? shape_4(n, h, w, c) : shape_4(n, c, h, w));
  options.scale = maybe_operand(r, shape_1(c));
  options.bias = maybe_operand(r, shape_1(c));
  if (pick_bool(r))
    options.epsilon = some_epsilon(r);
  output(r, webnn_instance_normalization(r->builder, x, &options));
}

static void make_layer_normalization(run *r) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK);
  webnn_operand *x = operand(r, r->type, s);
  webnn_layer_normalization_options options = WEBNN_ZERO;
  shape sizes = no_dimensions();
  uint32_t i;
  options.axes = some_axes(r, s.rank);
  if (!options.axes.given) {
    for (i = 1; i < s.rank; i++)
      append(&sizes, s.items[i]);
  } else {
    for (i = 0; i < options.axes.count; i++)
      append(&sizes, s.items[options.axes.items[i]]);
  }
  options.scale = maybe_operand(r, sizes);
  options.bias = maybe_operand(r, sizes);
  if (pick_bool(r))
    options.epsilon = some_epsilon(r);
  output(r, webnn_layer_normalization(r->builder, x, &options));
}

static void make_concat(run *r) {
  shape s = some_shape(r, 1, WEBNN_MAX_RANK);
  const uint32_t axis = pick(r, s.rank), count = pick_between(r, 1, 4);
  webnn_operand *inputs[4];
  uint32_t i;
  for (i = 0; i < count; i++) {
    inputs[i] = operand(r, r->type, s);
    s.items[axis] = pick_between(r, 1, 4);
  }
  output(r, webnn_concat(r->builder, inputs, count, axis, NULL));
}

/* ---- Windows. */

/* The settings of a two-dimensional window, each absent or given. */
typedef struct window {
  uint32_t sizes[2], strides[2], dilations[2], padding[4];
  webnn_list strides_list, dilations_list, padding_list;
} window;

static webnn_list given(bool is_given, const uint32_t *items, size_t count) {
  const webnn_list absent = WEBNN_ZERO;
  return is_given ? webnn_list_of(items, count) : absent;
}

static void some_window(run *r, window *w) {
  const bool has_strides = pick_bool(r), has_dilations = pick(r, 3) == 0,
             has_padding = pick_bool(r);
  unsigned i;
  for (i = 0; i < 2; i++) {
    w->sizes[i] = pick_between(r, 1, 3);
    w->strides[i] = has_strides ? pick_between(r, 1, 3) : 1;
    w->dilations[i] = has_dilations ? pick_between(r, 1, 2) : 1;
    w->padding[2 * i] = has_padding ? pick(r, 3) : 0;
    w->padding[2 * i + 1] = has_padding ? pick(r, 3) : 0;
  }
  w->strides_list = given(has_strides, w->strides, 2);
  w->dilations_list = given(has_dilations, w->dilations, 2);
  w->padding_list = given(has_padding, w->padding, 4);
}

static uint32_t window_extent(const window *w, unsigned i) {
  return (w->sizes[i] - 1) * w->dilations[i] + 1;
}

/* A size of the input at least as large as the window without the padding. */
static uint32_t some_input_size(run *r, const window *w, unsigned i, uint32_t large) {
  const uint32_t size = pick_size(r, 6, large), extent = window_extent(w, i),
                 padding = w->padding[2 * i] + w->padding[2 * i + 1];
  return size + padding >= extent ? size : extent - padding;
}

static void make_conv2d(run *r) {
  static const webnn_conv2d_filter_operand_layout layouts[5] = {
      WEBNN_CONV2D_OIHW, WEBNN_CONV2D_OIHW, WEBNN_CONV2D_HWIO, WEBNN_CONV2D_OHWI,
      WEBNN_CONV2D_IHWO};
  const uint32_t groups = pick_between(r, 1, 3), i = pick_size(r, 3, 3), o = pick_size(r, 3, 3),
                 n = pick_between(r, 1, 2);
  window w;
  uint32_t height, width;
  webnn_operand *x, *filter;
  webnn_conv2d_options options = WEBNN_ZERO;
  some_window(r, &w);
  height = some_input_size(r, &w, 0, 13);
  width = some_input_size(r, &w, 1, 13);
  options.input_layout = pick_bool(r) ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  options.filter_layout = layouts[pick(r, 5)];
  x = operand(r, r->type,
              options.input_layout == WEBNN_LAYOUT_NHWC ? shape_4(n, height, width, groups * i)
                                                        : shape_4(n, groups * i, height, width));
  switch (options.filter_layout) {
  case WEBNN_CONV2D_HWIO:
    filter = operand(r, r->type, shape_4(w.sizes[0], w.sizes[1], i, groups * o));
    break;
  case WEBNN_CONV2D_OHWI:
    filter = operand(r, r->type, shape_4(groups * o, w.sizes[0], w.sizes[1], i));
    break;
  case WEBNN_CONV2D_IHWO:
    filter = operand(r, r->type, shape_4(i, w.sizes[0], w.sizes[1], groups * o));
    break;
  default:
    filter = operand(r, r->type, shape_4(groups * o, i, w.sizes[0], w.sizes[1]));
    break;
  }
  options.padding = w.padding_list;
  options.strides = w.strides_list;
  options.dilations = w.dilations_list;
  if (groups > 1 || pick_bool(r))
    options.groups = plain_count(r, groups);
  options.bias = maybe_operand(r, shape_1(groups * o));
  output(r, webnn_conv2d(r->builder, x, filter, &options));
}

static void make_conv_transpose2d(run *r) {
  static const webnn_conv_transpose2d_filter_operand_layout layouts[4] = {
      WEBNN_CONV_TRANSPOSE2D_IOHW, WEBNN_CONV_TRANSPOSE2D_IOHW, WEBNN_CONV_TRANSPOSE2D_HWOI,
      WEBNN_CONV_TRANSPOSE2D_OHWI};
  const uint32_t groups = pick_between(r, 1, 3), i = pick_size(r, 3, 3), o = pick_size(r, 3, 3),
                 n = pick_between(r, 1, 2), how = pick(r, 3);
  uint32_t sizes[2], extra[2], output_sizes[2];
  window w;
  unsigned k;
  webnn_operand *x, *filter;
  webnn_conv_transpose2d_options options = WEBNN_ZERO;
  some_window(r, &w);
  for (k = 0; k < 2; k++) {
    const uint32_t padding = w.padding[2 * k] + w.padding[2 * k + 1];
    sizes[k] = pick_size(r, 4, 9);
    while ((sizes[k] - 1) * w.strides[k] + window_extent(&w, k) <= padding)
      sizes[k]++;
    extra[k] = pick(r, w.strides[k]);
    output_sizes[k] = (sizes[k] - 1) * w.strides[k] + window_extent(&w, k) - padding + extra[k];
  }
  options.input_layout = pick_bool(r) ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  options.filter_layout = layouts[pick(r, 4)];
  x = operand(r, r->type,
              options.input_layout == WEBNN_LAYOUT_NHWC
                  ? shape_4(n, sizes[0], sizes[1], groups * i)
                  : shape_4(n, groups * i, sizes[0], sizes[1]));
  switch (options.filter_layout) {
  case WEBNN_CONV_TRANSPOSE2D_HWOI:
    filter = operand(r, r->type, shape_4(w.sizes[0], w.sizes[1], o, groups * i));
    break;
  case WEBNN_CONV_TRANSPOSE2D_OHWI:
    filter = operand(r, r->type, shape_4(o, w.sizes[0], w.sizes[1], groups * i));
    break;
  default:
    filter = operand(r, r->type, shape_4(groups * i, o, w.sizes[0], w.sizes[1]));
    break;
  }
  options.padding = w.padding_list;
  options.strides = w.strides_list;
  options.dilations = w.dilations_list;
  options.output_padding = given(how == 1, extra, 2);
  options.output_sizes = given(how == 2, output_sizes, 2);
  if (groups > 1 || pick_bool(r))
    options.groups = plain_count(r, groups);
  options.bias = maybe_operand(r, shape_1(groups * o));
  output(r, webnn_conv_transpose2d(r->builder, x, filter, &options));
}

static void make_pool(run *r, pool_method method) {
  const uint32_t n = pick_between(r, 1, 2), c = pick_size(r, 3, 12);
  const bool has_window = pick(r, 4) != 0;
  const uint32_t rounding = pick(r, 3); /* floor, ceiling, ceiling's sizes given */
  uint32_t sizes[2], output_sizes[2];
  window w;
  unsigned i;
  webnn_operand *x;
  webnn_pool2d_options options = WEBNN_ZERO;
  some_window(r, &w);
  for (i = 0; i < 2; i++)
    sizes[i] = some_input_size(r, &w, i, 14);
  if (!has_window) { /* the window is the input, so that it must not be dilated */
    w.dilations_list = given(false, NULL, 0);
    w.dilations[0] = w.dilations[1] = 1;
    memcpy(w.sizes, sizes, sizeof sizes);
  }
  for (i = 0; i < 2; i++)
    output_sizes[i] = (sizes[i] + w.padding[2 * i] + w.padding[2 * i + 1] - window_extent(&w, i) +
                       w.strides[i] - 1) /
                          w.strides[i] +
                      1;
  options.layout = pick_bool(r) ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  x = operand(r, r->type,
              options.layout == WEBNN_LAYOUT_NHWC ? shape_4(n, sizes[0], sizes[1], c)
                                                  : shape_4(n, c, sizes[0], sizes[1]));
  options.window_dimensions = given(has_window, w.sizes, 2);
  options.padding = w.padding_list;
  options.strides = w.strides_list;
  options.dilations = w.dilations_list;
  options.output_shape_rounding = rounding == 1 ? WEBNN_ROUNDING_CEIL : WEBNN_ROUNDING_FLOOR;
  options.output_sizes = given(rounding == 2, output_sizes, 2);
  output(r, method(r->builder, x, &options));
}
#define MAKE_POOL(name) MAKE(pool, name)
POOL(MAKE_POOL)

static void make_resample2d(run *r) {
  static const uint32_t bits[6] = {0x3F000000 /* 0.5 */, 0x3F800000 /* 1 */,   0x3FC00000 /* 1.5 */,
                                   0x3F333333 /* 0.7 */, 0x40533333 /* 3.3 */, 0x40000000 /* 2 */};
  float scales[2];
  shape s = no_dimensions();
  shape axes = some_order(r, 4);
  uint32_t sizes[2], i;
  const uint32_t how = pick(r, 3);
  webnn_operand *x;
  webnn_resample2d_options options = WEBNN_ZERO;
  for (i = 0; i < 4; i++)
    append(&s, pick_size(r, 3, 6) + (i > 1 ? 1 : 0));
  axes.rank = 2;
  if (pick_bool(r)) {
    axes = shape_2(2, 3);
  } else {
    options.axes = list_of(&axes);
    s.items[axes.items[0]]++;
    s.items[axes.items[1]]++;
  }
  for (i = 0; i < 2; i++) {
    memcpy(&scales[i], &bits[pick(r, 6)], sizeof *scales);
    sizes[i] = pick_between(r, 1, 9);
  }
  x = operand(r, r->type, s);
  options.mode = pick(r, 3) ? WEBNN_INTERPOLATION_LINEAR : WEBNN_INTERPOLATION_NEAREST_NEIGHBOR;
  if (how > 0)
    options.scales = WEBNN_FLOAT_LIST(scales[0], scales[1]);
  if (how == 2)
    options.sizes = given(true, sizes, 2);
  output(r, webnn_resample2d(r->builder, x, &options));
}

/* ---- Running sums and products. */

static void make_cumulative_sum(run *r) {
  const shape s = some_shape(r, 1, WEBNN_MAX_RANK);
  const uint32_t axis = pick(r, s.rank);
  webnn_operand *x = operand(r, r->type, s);
  webnn_cumulative_sum_options options = WEBNN_ZERO;
  options.exclusive = pick_bool(r);
  options.reversed = pick_bool(r);
  output(r, webnn_cumulative_sum(r->builder, x, axis, &options));
}

static void make_softmax(run *r) {
  const shape s = some_shape(r, 1, WEBNN_MAX_RANK);
  const uint32_t axis = pick(r, s.rank);
  webnn_operand *x = operand(r, r->type, s);
  output(r, webnn_softmax(r->builder, x, axis, NULL));
}

static void make_gemm(run *r) {
  const uint32_t m = pick_size(r, 5, 24), n = pick_size(r, 5, 24), k = pick_size(r, 9, 24);
  webnn_operand *a, *b;
  webnn_gemm_options options = WEBNN_ZERO;
  options.a_transpose = pick_bool(r);
  options.b_transpose = pick_bool(r);
  a = operand(r, r->type, options.a_transpose ? shape_2(k, m) : shape_2(m, k));
  b = operand(r, r->type, options.b_transpose ? shape_2(n, k) : shape_2(k, n));
  if (pick_bool(r)) {
    const shape whole = shape_2(m, n);
    options.c = operand(r, r->type, some_narrower_shape(r, &whole));
  }
  options.alpha = some_number(r);
  options.beta = some_number(r);
  output(r, webnn_gemm(r->builder, a, b, &options));
}

static void make_matmul(run *r) {
  const shape batch = is_large(r) ? shape_1(2) : some_shape(r, 0, 3);
  shape left = batch, right = some_narrower_shape(r, &batch);
  const uint32_t m = pick_size(r, 3, 16), n = pick_size(r, 3, 16), k = pick_size(r, 9, 24);
  webnn_operand *a, *b;
  if (pick_bool(r)) {
    left = right;
    right = batch;
  }
  append(&left, m);
  append(&left, k);
  append(&right, k);
  append(&right, n);
  a = operand(r, r->type, left);
  b = operand(r, r->type, right);
  output(r, webnn_matmul(r->builder, a, b, NULL));
}

/* ---- Quantization. */

/* Dimensions that divide those of s. */
static shape some_blocks(run *r, const shape *s) {
  shape blocks = no_dimensions();
  while (blocks.rank < s->rank) {
    const uint32_t size = s->items[blocks.rank];
    uint32_t block = pick_between(r, 1, size);
    while (size % block != 0)
      block--;
    append(&blocks, block);
  }
  return blocks;
}

static void make_dequantize_linear(run *r) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK), blocks = some_blocks(r, &s);
  webnn_operand *x = operand(r, r->type, s);
  webnn_operand *scale = operand(r, pick_bool(r) ? WEBNN_FLOAT16 : WEBNN_FLOAT32, blocks);
  webnn_operand *zero_point = operand(r, r->type, blocks);
  output(r, webnn_dequantize_linear(r->builder, x, scale, zero_point, NULL));
}

static void make_quantize_linear(run *r) {
  static const webnn_data_type types[6] = {WEBNN_INT8,   WEBNN_UINT8, WEBNN_INT32,
                                           WEBNN_UINT32, WEBNN_INT4,  WEBNN_UINT4};
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK), blocks = some_blocks(r, &s);
  webnn_operand *x = operand(r, r->type, s);
  webnn_operand *scale = operand(r, r->type, blocks);
  webnn_operand *zero_point = operand(r, types[r->number % 6], blocks);
  output(r, webnn_quantize_linear(r->builder, x, scale, zero_point, NULL));
}

/* ---- Gathering and scattering. */

static void make_gather(run *r) {
  const shape s = some_shape(r, 1, 6);
  const uint32_t axis = pick(r, s.rank);
  webnn_operand *x = operand(r, r->type, s);
  webnn_operand *at = indices(r, is_large(r) ? shape_1(5) : some_shape(r, 0, 2), &s.items[axis], 1);
  webnn_gather_options options = WEBNN_ZERO;
  if (axis > 0 || pick_bool(r))
    options.axis = plain_count(r, axis);
  output(r, webnn_gather(r->builder, x, at, &options));
}

/* The shape of s with another size along axis. */
static shape some_shape_along(run *r, shape s, uint32_t axis) {
  s.items[axis] = pick_size(r, 6, 8);
  return s;
}

static void make_gather_elements(run *r) {
  const shape s = some_shape(r, 1, WEBNN_MAX_RANK);
  const uint32_t axis = pick(r, s.rank);
  webnn_operand *x = operand(r, r->type, s);
  webnn_operand *at = indices(r, some_shape_along(r, s, axis), &s.items[axis], 1);
  webnn_gather_options options = WEBNN_ZERO;
  options.axis = plain_count(r, axis);
  output(r, webnn_gather_elements(r->builder, x, at, &options));
}

/* Shapes of indices with coordinates, and of the slices that they name. */
static void some_coordinates(run *r, const shape *s, shape *at, shape *slices) {
  const uint32_t coordinates = pick_between(r, 1, s->rank);
  uint32_t i;
  *at = is_large(r) ? shape_1(40) : some_shape(r, 0, 2);
  *slices = *at;
  append(at, coordinates);
  for (i = coordinates; i < s->rank; i++)
    append(slices, s->items[i]);
}

static void make_gather_nd(run *r) {
  const shape s = some_shape(r, 1, 6);
  shape at, slices;
  webnn_operand *x = operand(r, r->type, s), *where;
  some_coordinates(r, &s, &at, &slices);
  where = indices(r, at, s.items, at.items[at.rank - 1]);
  output(r, webnn_gather_nd(r->builder, x, where, NULL));
}

static void make_scatter_elements(run *r) {
  const shape s = some_shape(r, 1, WEBNN_MAX_RANK);
  const uint32_t axis = pick(r, s.rank);
  const shape along = some_shape_along(r, s, axis);
  webnn_operand *x = operand(r, r->type, s);
  webnn_operand *at = indices(r, along, &s.items[axis], 1);
  webnn_operand *updates = operand(r, r->type, along);
  webnn_scatter_options options = WEBNN_ZERO;
  options.axis = plain_count(r, axis);
  output(r, webnn_scatter_elements(r->builder, x, at, updates, &options));
}

static void make_scatter_nd(run *r) {
  const shape s = some_shape(r, 1, 6);
  shape at, slices;
  webnn_operand *x = operand(r, r->type, s), *where, *updates;
  some_coordinates(r, &s, &at, &slices);
  where = indices(r, at, s.items, at.items[at.rank - 1]);
  updates = operand(r, r->type, slices);
  output(r, webnn_scatter_nd(r->builder, x, where, updates, NULL));
}

/* ---- Moving elements. */

static void make_expand(run *r) {
  const shape wide = some_shape(r, 0, WEBNN_MAX_RANK), narrow = some_narrower_shape(r, &wide);
  webnn_operand *x = operand(r, r->type, narrow);
  output(r, webnn_expand(r->builder, x, list_of(&wide), NULL));
}

static void make_pad(run *r) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK);
  webnn_operand *x = operand(r, r->type, s);
  webnn_pad_options options = WEBNN_ZERO;
  shape begin = no_dimensions(), end = no_dimensions();
  uint32_t i;
  options.mode = (webnn_padding_mode)pick(r, 4);
  for (i = 0; i < s.rank; i++) {
    const uint32_t highest = options.mode == WEBNN_PADDING_REFLECTION  ? s.items[i] - 1
                             : options.mode == WEBNN_PADDING_SYMMETRIC ? s.items[i]
                                                                       : 3;
    const uint32_t most = s.rank > 4 ? 1 : 3;
    append(&begin, pick(r, (highest < most ? highest : most) + 1));
    append(&end, pick(r, (highest < most ? highest : most) + 1));
  }
  options.value = some_number(r);
  if (!test_is_float(r->type) && pick_bool(r))
    options.value = webnn_i64((int64_t)some_element(r, WEBNN_INT64, MIXED));
  output(r, webnn_pad(r->builder, x, list_of(&begin), list_of(&end), &options));
}

/* The same elements, two neighbouring dimensions multiplied, one cut off, or a 1 put in. */
static void make_reshape(run *r) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK - 1);
  webnn_operand *x = operand(r, r->type, s);
  shape other = no_dimensions();
  const uint32_t place = pick(r, s.rank + 1);
  uint32_t i;
  if (pick(r, 3) == 0) {
    append(&other, (uint32_t)count_of(&s));
  } else {
    for (i = 0; i < s.rank; i++) {
      if (i == place)
        append(&other, 1);
      append(&other, s.items[s.rank - 1 - i]);
    }
  }
  output(r, webnn_reshape(r->builder, x, list_of(&other), NULL));
}

static void make_reverse(run *r) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK);
  webnn_operand *x = operand(r, r->type, s);
  webnn_reverse_options options = WEBNN_ZERO;
  options.axes = some_axes(r, s.rank);
  output(r, webnn_reverse(r->builder, x, &options));
}

static void make_slice(run *r) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK);
  webnn_operand *x = operand(r, r->type, s);
  shape starts = no_dimensions(), sizes = no_dimensions(), strides = no_dimensions();
  webnn_slice_options options = WEBNN_ZERO;
  uint32_t i;
  for (i = 0; i < s.rank; i++) {
    append(&starts, is_large(r) ? 0 : pick(r, s.items[i]));
    append(&sizes, is_large(r) ? s.items[i] : pick_between(r, 1, s.items[i] - starts.items[i]));
    append(&strides, is_large(r) ? 1 : pick_between(r, 1, 3));
  }
  if (pick_bool(r))
    options.strides = list_of(&strides);
  output(r, webnn_slice(r->builder, x, list_of(&starts), list_of(&sizes), &options));
}

static void make_split(run *r) {
  shape s = some_shape(r, 1, WEBNN_MAX_RANK);
  const uint32_t axis = pick(r, s.rank), count = pick_between(r, 1, MAX_OUTPUTS);
  const bool equal = pick_bool(r);
  uint32_t i;
  webnn_operand *x;
  shape sizes = no_dimensions();
  webnn_split_options options = WEBNN_ZERO;
  s.items[axis] = 0;
  for (i = 0; i < count; i++) {
    append(&sizes, equal ? 2 : pick_size(r, 3, 40));
    s.items[axis] += sizes.items[i];
  }
  x = operand(r, r->type, s);
  if (axis > 0 || pick_bool(r))
    options.axis = plain_count(r, axis);
  r->output_count =
      equal ? webnn_split(r->builder, x, count, &options, r->outputs)
            : webnn_split_sizes(r->builder, x, sizes.items, sizes.rank, &options, r->outputs);
}

static void make_tile(run *r) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK);
  webnn_operand *x = operand(r, r->type, s);
  shape repetitions = no_dimensions();
  while (repetitions.rank < s.rank)
    append(&repetitions, pick_between(r, 1, s.rank > 4 ? 2 : 3));
  output(r, webnn_tile(r->builder, x, list_of(&repetitions), NULL));
}

static void make_transpose(run *r) {
  const shape s = some_shape(r, 0, WEBNN_MAX_RANK);
  const shape order = some_order(r, s.rank);
  webnn_operand *x = operand(r, r->type, s);
  webnn_transpose_options options = WEBNN_ZERO;
  if (pick(r, 4) != 0)
    options.permutation = list_of(&order);
  output(r, webnn_transpose(r->builder, x, &options));
}

static void make_triangular(run *r) {
  webnn_operand *x = operand(r, r->type, some_shape(r, 2, WEBNN_MAX_RANK));
  webnn_triangular_options options = WEBNN_ZERO;
  options.lower = pick(r, 3) == 2;
  options.diagonal = (int32_t)pick(r, 9) - 4;
  output(r, webnn_triangular(r->builder, x, &options));
}

/* The first operand is uint8, so the values' types take turns. */
static void make_where(run *r) {
  const webnn_data_type type = (webnn_data_type)(WEBNN_FLOAT32 + r->number % 8);
  const shape wide = some_shape(r, 0, WEBNN_MAX_RANK);
  const shape a = some_narrower_shape(r, &wide), b = some_narrower_shape(r, &wide);
  webnn_operand *condition = operand(r, r->type, wide);
  webnn_operand *true_value = operand(r, type, a);
  webnn_operand *false_value = operand(r, type, b);
  output(r, webnn_where(r->builder, condition, true_value, false_value, NULL));
}

/* ---- Recurrent operators. */

static webnn_activation_list some_activations(run *r, uint32_t count) {
  webnn_activation_list list = WEBNN_ZERO;
  if (pick_bool(r))
    return list;
  list.given = true;
  while (list.count < count)
    list.items[list.count++] = (webnn_recurrent_network_activation)pick(r, 3);
  return list;
}

typedef struct recurrent_sizes {
  uint32_t steps, directions, batch, input, hidden;
  webnn_recurrent_network_direction direction;
} recurrent_sizes;

static recurrent_sizes some_recurrent_sizes(run *r) {
  recurrent_sizes sizes;
  sizes.direction = (webnn_recurrent_network_direction)pick(r, 3);
  sizes.directions = sizes.direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
  sizes.steps = pick_between(r, 1, 3);
  sizes.batch = pick_size(r, 2, 8);
  sizes.input = pick_size(r, 3, 7);
  sizes.hidden = pick_size(r, 3, 8);
  return sizes;
}

static void make_gru(run *r) {
  const recurrent_sizes n = some_recurrent_sizes(r);
  const uint32_t d = n.directions, h = n.hidden;
  webnn_operand *x = operand(r, r->type, shape_3(n.steps, n.batch, n.input));
  webnn_operand *weight = operand(r, r->type, shape_3(d, 3 * h, n.input));
  webnn_operand *recurrent_weight = operand(r, r->type, shape_3(d, 3 * h, h));
  webnn_gru_options options = WEBNN_ZERO;
  options.bias = maybe_operand(r, shape_2(d, 3 * h));
  options.recurrent_bias = maybe_operand(r, shape_2(d, 3 * h));
  options.initial_hidden_state = maybe_operand(r, shape_3(d, n.batch, h));
  options.reset_before = pick(r, 3) == 2;
  options.return_sequence = pick_bool(r);
  options.direction = n.direction;
  options.layout = pick_bool(r) ? WEBNN_GRU_RZN : WEBNN_GRU_ZRN;
  options.activations = some_activations(r, 2);
  r->output_count =
      webnn_gru(r->builder, x, weight, recurrent_weight, n.steps, h, &options, r->outputs);
}

static void make_gru_cell(run *r) {
  const recurrent_sizes n = some_recurrent_sizes(r);
  const uint32_t h = n.hidden;
  webnn_operand *x = operand(r, r->type, shape_2(n.batch, n.input));
  webnn_operand *weight = operand(r, r->type, shape_2(3 * h, n.input));
  webnn_operand *recurrent_weight = operand(r, r->type, shape_2(3 * h, h));
  webnn_operand *state = operand(r, r->type, shape_2(n.batch, h));
  webnn_gru_cell_options options = WEBNN_ZERO;
  options.bias = maybe_operand(r, shape_1(3 * h));
  options.recurrent_bias = maybe_operand(r, shape_1(3 * h));
  options.reset_before = pick(r, 3) == 2;
  options.layout = pick_bool(r) ? WEBNN_GRU_RZN : WEBNN_GRU_ZRN;
  options.activations = some_activations(r, 2);
  output(r, webnn_gru_cell(r->builder, x, weight, recurrent_weight, state, h, &options));
}

static void make_lstm(run *r) {
  const recurrent_sizes n = some_recurrent_sizes(r);
  const uint32_t d = n.directions, h = n.hidden;
  webnn_operand *x = operand(r, r->type, shape_3(n.steps, n.batch, n.input));
  webnn_operand *weight = operand(r, r->type, shape_3(d, 4 * h, n.input));
  webnn_operand *recurrent_weight = operand(r, r->type, shape_3(d, 4 * h, h));
  webnn_lstm_options options = WEBNN_ZERO;
  options.bias = maybe_operand(r, shape_2(d, 4 * h));
  options.recurrent_bias = maybe_operand(r, shape_2(d, 4 * h));
  options.peephole_weight = maybe_operand(r, shape_2(d, 3 * h));
  options.initial_hidden_state = maybe_operand(r, shape_3(d, n.batch, h));
  options.initial_cell_state = maybe_operand(r, shape_3(d, n.batch, h));
  options.return_sequence = pick_bool(r);
  options.direction = n.direction;
  options.layout = pick_bool(r) ? WEBNN_LSTM_IFGO : WEBNN_LSTM_IOFG;
  options.activations = some_activations(r, 3);
  r->output_count =
      webnn_lstm(r->builder, x, weight, recurrent_weight, n.steps, h, &options, r->outputs);
}

static void make_lstm_cell(run *r) {
  const recurrent_sizes n = some_recurrent_sizes(r);
  const uint32_t h = n.hidden;
  webnn_operand *x = operand(r, r->type, shape_2(n.batch, n.input));
  webnn_operand *weight = operand(r, r->type, shape_2(4 * h, n.input));
  webnn_operand *recurrent_weight = operand(r, r->type, shape_2(4 * h, h));
  webnn_operand *state = operand(r, r->type, shape_2(n.batch, h));
  webnn_operand *cell = operand(r, r->type, shape_2(n.batch, h));
  webnn_lstm_cell_options options = WEBNN_ZERO;
  options.bias = maybe_operand(r, shape_1(4 * h));
  options.recurrent_bias = maybe_operand(r, shape_1(4 * h));
  options.peephole_weight = maybe_operand(r, shape_1(3 * h));
  options.layout = pick_bool(r) ? WEBNN_LSTM_IFGO : WEBNN_LSTM_IOFG;
  options.activations = some_activations(r, 3);
  r->output_count = webnn_lstm_cell(r->builder, x, weight, recurrent_weight, state, cell, h,
                                    &options, r->outputs);
}

/* Every operator of the list has its cases here, or this does not compile. */
typedef void (*maker)(run *r);
static const maker makers[WEBNN_OP_COUNT] = {
#define NOTHING(...)
#define MAKER(op, c_name, name, section, family, operands, options) make_##c_name,
    WEBNN_OPERATORS(MAKER, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
#undef MAKER
#undef NOTHING
};

/* ---- Digests: FNV-1a of 64 bits over type, shape and elements. --------------------------------*/

#define DIGEST_OF_NOTHING UINT64_C(0xCBF29CE484222325)

static uint64_t digest_bytes(uint64_t digest, uint64_t value, unsigned bytes) {
  for (; bytes > 0; bytes--, value >>= 8)
    digest = (digest ^ (value & 0xFF)) * UINT64_C(0x100000001B3);
  return digest;
}

static uint64_t digest_text(uint64_t digest, const char *text) {
  for (; *text; text++)
    digest = digest_bytes(digest, (uint64_t)(unsigned char)*text, 1);
  return digest;
}

/* Which of the NaNs comes out is free: they all count as the quiet one without a payload. */
static uint64_t one_nan(webnn_data_type type, uint64_t bits) {
  const float_format format = format_of(type);
  const uint64_t infinite = float_from(format, 0, ((uint64_t)1 << format.exponent_bits) - 1, 0);
  const uint64_t magnitude = bits & ~float_from(format, 1, 0, 0);
  return magnitude > infinite ? infinite | (uint64_t)1 << (format.fraction_bits - 1) : bits;
}

static uint64_t digest_tensor(uint64_t digest, webnn_data_type type, webnn_list dimensions,
                              const void *data) {
  const size_t count = test_element_count(dimensions);
  const unsigned bytes = (webnn_data_type_bits(type) + 7) / 8;
  size_t i;
  digest = digest_text(digest, webnn_data_type_name(type));
  digest = digest_bytes(digest, dimensions.count, 1);
  for (i = 0; i < dimensions.count; i++)
    digest = digest_bytes(digest, dimensions.items[i], 4);
  for (i = 0; i < count; i++) {
    const uint64_t bits = load_element(type, data, i);
    digest = digest_bytes(digest, test_is_float(type) ? one_nan(type, bits) : bits, bytes);
  }
  return digest;
}

/* ---- Running a case. --------------------------------------------------------------------------*/

typedef struct digester {
  webnn_context *context;
  uint64_t digest;           /* of the line so far */
  const char *shown;         /* the operator whose outputs are printed, or NULL */
  unsigned outputs;          /* of the line */
  unsigned long all_outputs; /* of the corpus */
  unsigned long all_elements;
  char problem[600]; /* why a case could not run; "" if it could */
} digester;

static bool problem(digester *d, const run *r, const char *what, const char *message) {
  snprintf(d->problem, sizeof d->problem, "case %u: %s: %s", r->number, what, message);
  return false;
}

static webnn_tensor *new_tensor(digester *d, webnn_data_type type, webnn_list dimensions) {
  webnn_tensor_descriptor descriptor = WEBNN_ZERO;
  webnn_tensor *tensor = NULL;
  descriptor.data_type = type;
  descriptor.shape = dimensions;
  descriptor.readable = descriptor.writable = true;
  webnn_create_tensor(d->context, descriptor, &tensor, NULL);
  return tensor;
}

/* Digests the tensors of the outputs. */
static bool read_outputs(digester *d, const run *r, const char *op_name,
                         const webnn_named_tensor *outputs) {
  size_t i;
  for (i = 0; i < r->output_count; i++) {
    webnn_tensor *tensor = outputs[i].tensor;
    webnn_operand_descriptor descriptor;
    webnn_error error = WEBNN_ZERO;
    size_t byte_length;
    void *data;
    descriptor.data_type = webnn_tensor_data_type(tensor);
    descriptor.shape = webnn_tensor_shape(tensor);
    byte_length = (size_t)webnn_byte_length(descriptor);
    data = test_allocate(byte_length);
    if (webnn_read_tensor(d->context, tensor, data, byte_length, &error) != WEBNN_OK) {
      free(data);
      return problem(d, r, "read", error.message);
    }
    d->digest = digest_tensor(d->digest, descriptor.data_type, descriptor.shape, data);
    if (d->shown != NULL && strcmp(d->shown, op_name) == 0) {
      const uint64_t one =
          digest_tensor(DIGEST_OF_NOTHING, descriptor.data_type, descriptor.shape, data);
      printf("%s %s case %u output %u: %s %s %08lx%08lx\n", op_name, webnn_data_type_name(r->type),
             r->number, (unsigned)i, webnn_data_type_name(descriptor.data_type),
             test_shape_text(descriptor.shape), (unsigned long)(one >> 32),
             (unsigned long)(one & 0xFFFFFFFF));
    }
    d->outputs++;
    d->all_outputs++;
    d->all_elements += (unsigned long)test_element_count(descriptor.shape);
    free(data);
  }
  return true;
}

static bool write_and_dispatch(digester *d, const run *r, webnn_graph *graph,
                               const webnn_named_tensor *inputs,
                               const webnn_named_tensor *outputs) {
  webnn_error error = WEBNN_ZERO;
  unsigned i;
  for (i = 0; i < r->input_count; i++) {
    if (webnn_write_tensor(d->context, inputs[i].tensor, r->inputs[i].data,
                           r->inputs[i].byte_length, &error) != WEBNN_OK)
      return problem(d, r, "write", error.message);
  }
  return webnn_dispatch(d->context, graph, inputs, r->input_count, outputs, r->output_count,
                        &error) == WEBNN_OK ||
         problem(d, r, "dispatch", error.message);
}

static const char *const output_names[MAX_OUTPUTS] = {"0", "1", "2", "3"};

static bool run_graph(digester *d, const run *r, const char *op_name, webnn_graph *graph) {
  webnn_named_tensor inputs[MAX_INPUTS], outputs[MAX_OUTPUTS];
  bool ok;
  size_t i;
  for (i = 0; i < r->input_count; i++) {
    inputs[i].name = r->inputs[i].name;
    inputs[i].tensor = new_tensor(d, r->inputs[i].type, list_of(&r->inputs[i].dimensions));
  }
  for (i = 0; i < r->output_count; i++) {
    outputs[i].name = output_names[i];
    outputs[i].tensor =
        new_tensor(d, webnn_operand_data_type(r->outputs[i]), webnn_operand_shape(r->outputs[i]));
  }
  ok = write_and_dispatch(d, r, graph, inputs, outputs) && read_outputs(d, r, op_name, outputs);
  for (i = 0; i < r->input_count; i++)
    webnn_free_tensor(inputs[i].tensor);
  for (i = 0; i < r->output_count; i++)
    webnn_free_tensor(outputs[i].tensor);
  return ok;
}

static bool build_and_run(digester *d, const run *r, const char *op_name) {
  webnn_named_operand named[MAX_OUTPUTS];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  bool ok;
  size_t i;
  if (r->output_count == 0)
    return problem(d, r, "the method", webnn_builder_message(r->builder));
  for (i = 0; i < r->output_count; i++) {
    named[i].name = output_names[i];
    named[i].operand = r->outputs[i];
  }
  if (webnn_build(r->builder, named, r->output_count, &graph, &error) != WEBNN_OK)
    return problem(d, r, "build", error.message);
  ok = run_graph(d, r, op_name, graph);
  webnn_free_graph(graph);
  return ok;
}

/* The generator starts at `random` in each case, so that one operator's cases do not depend on
   others'. */
static bool run_made(digester *d, maker make, const char *name, webnn_data_type type,
                     unsigned number, uint64_t random) {
  run r;
  bool ok;
  unsigned i;
  memset(&r, 0, sizeof r);
  r.context = d->context;
  r.builder = test_builder(d->context);
  r.type = type;
  r.number = number;
  r.filling = (style)(number % STYLE_COUNT);
  r.random = random;
  make(&r);
  ok = build_and_run(d, &r, name);
  for (i = 0; i < r.input_count; i++)
    free(r.inputs[i].data);
  webnn_free_builder(r.builder);
  return ok;
}

static bool run_case(digester *d, webnn_op op, webnn_data_type type, unsigned number) {
  uint64_t random = digest_bytes(digest_text(DIGEST_OF_NOTHING, webnn_op_name(op)), number, 4);
  random = digest_text(random, webnn_data_type_name(type));
  return run_made(d, makers[op], webnn_op_name(op), type, number, random);
}

/* ---- The whole corpus. ------------------------------------------------------------------------*/

/* Gives the text of each line to `take`. */
typedef struct taker {
  void (*take)(const struct taker *taker, const char *name, const char *text);
  const char *where; /* for messages */
  FILE *file;
} taker;

static void run_line(digester *d, webnn_op op, webnn_data_type type, const taker *t) {
  char name[48], text[80];
  unsigned number;
  snprintf(name, sizeof name, "%s %s", webnn_op_name(op), webnn_data_type_name(type));
  d->digest = DIGEST_OF_NOTHING;
  d->outputs = 0;
  for (number = 0; number < CASES; number++) {
    if (!run_case(d, op, type, number)) {
      CHECK(name, false, "%s", d->problem);
      return;
    }
  }
  snprintf(text, sizeof text, "%s %08lx%08lx", name, (unsigned long)(d->digest >> 32),
           (unsigned long)(d->digest & 0xFFFFFFFF));
  t->take(t, name, text);
}

/* Each operator with each data type that opSupportLimits has for its first operand. */
static inline void run_corpus(digester *d, const webnn_context_options *options, const taker *t) {
  webnn_operator_limits limits;
  int op, type;
  d->context = test_context(options);
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    (void)webnn_op_limits(d->context, (webnn_op)op, &limits);
    for (type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++) {
      if (limits.operands[0].data_types >> type & 1)
        run_line(d, (webnn_op)op, (webnn_data_type)type, t);
    }
  }
  webnn_free_context(d->context);
}

#ifndef DIGEST_CORPUS_ONLY /* another program uses the corpus */

/* ---- The committed lines. ---------------------------------------------------------------------*/

#define FILE_NAME "reference/digest.txt"
#define MAX_LINES 1000

typedef struct line {
  char text[80]; /* "operator type digest" */
  bool seen;
} line;

static line lines[MAX_LINES];
static size_t line_count;

static bool read_lines(void) {
  FILE *file = fopen(FILE_NAME, "r");
  if (file == NULL)
    return false;
  while (line_count < MAX_LINES &&
         fgets(lines[line_count].text, sizeof lines->text, file) != NULL) {
    char *end = strpbrk(lines[line_count].text, "\r\n");
    if (end != NULL)
      *end = 0;
    line_count++;
  }
  fclose(file);
  return true;
}

/* The line that begins with `name ` ("operator type"). */
static line *find_line(const char *name) {
  const size_t length = strlen(name);
  size_t i;
  for (i = 0; i < line_count; i++) {
    if (strncmp(lines[i].text, name, length) == 0 && lines[i].text[length] == ' ')
      return &lines[i];
  }
  return NULL;
}

static void compare_line(const char *where, const char *name, const char *text) {
  line *expected = find_line(name);
  if (expected == NULL) {
    CHECK(where, false, "%s: no line for it in " FILE_NAME, text);
    return;
  }
  expected->seen = true;
  CHECK(where, strcmp(expected->text, text) == 0, "expected %s, got %s", expected->text, text);
}

static void take_compare(const taker *t, const char *name, const char *text) {
  compare_line(t->where, name, text);
}

static void take_print(const taker *t, const char *name, const char *text) {
  (void)name;
  fprintf(t->file, "%s\n", text);
}

static void take_nothing(const taker *t, const char *name, const char *text) {
  (void)t;
  (void)name;
  (void)text;
}

static webnn_context_options reference(void) {
  webnn_context_options options = WEBNN_ZERO;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  return options;
}

/* Compares, and finds the lines of the file that no operator has any more. */
static void compare_corpus(const webnn_context_options *options, const char *where) {
  digester d;
  taker t;
  size_t i;
  memset(&d, 0, sizeof d);
  memset(&t, 0, sizeof t);
  t.take = take_compare;
  t.where = where;
  for (i = 0; i < line_count; i++)
    lines[i].seen = false;
  run_corpus(&d, options, &t);
  for (i = 0; i < line_count; i++) {
    if (!lines[i].seen)
      CHECK(where, false, FILE_NAME " has \"%s\", which is not in the corpus", lines[i].text);
  }
}

static int print_corpus(FILE *file, const char *shown) {
  const webnn_context_options options = reference();
  digester d;
  taker t;
  memset(&d, 0, sizeof d);
  memset(&t, 0, sizeof t);
  d.shown = shown;
  t.take = shown ? take_nothing : take_print;
  t.file = file;
  run_corpus(&d, &options, &t);
  if (shown == NULL && file != stdout)
    printf("%lu outputs, %lu elements\n", d.all_outputs, d.all_elements);
  return test_failed != 0;
}

static int write_lines(void) {
  FILE *file = fopen(FILE_NAME, "w");
  int status;
  if (file == NULL) {
    printf(FILE_NAME " cannot be written\n");
    return 1;
  }
  status = print_corpus(file, NULL);
  return fclose(file) != 0 || status;
}

/* ---- Slices in an unusual order. --------------------------------------------------------------*/

static void last_to_first(void *user, size_t count, webnn_task task, void *data) {
  size_t *slices = (size_t *)user;
  *slices += count;
  while (count > 0)
    task(data, --count);
}

/* Also proves that the corpus has work large enough to be cut, for this and for the threads. */
static void compare_slices(void) {
  webnn_context_options options = reference();
  size_t slices = 0;
  options.parallel_for = last_to_first;
  options.parallel_for_user = &slices;
  compare_corpus(&options, "slices");
  CHECK("slices", slices > line_count, "only %lu slices: the corpus is too small",
        (unsigned long)slices);
}

/* ---- Floating-point environments. -------------------------------------------------------------

   Each is entered for the whole life of a context, so that its threads have it, too. */

typedef struct environment {
  const char *name;
  bool (*enter)(void);
  bool (*is_in_force)(void);
} environment;

/* 1 + 2^-30, 1 - 2^-30, -1 - 2^-30, each compared with +-1: three signs that name the mode. The
   only floating-point arithmetic of this program. */
static int rounding_mark(void) {
  volatile float one = 1.0f, minus_one = -1.0f, small = 9.31322574615478515625e-10f;
  volatile float up, down, below;
  up = one + small;
  down = one - small;
  below = minus_one - small;
  return (up > one ? 1 : 0) + (down < one ? 2 : 0) + (below < minus_one ? 4 : 0);
}

static bool is_upward(void) {
  return rounding_mark() == 1;
}
static bool is_downward(void) {
  return rounding_mark() == (2 | 4);
}
static bool is_toward_zero(void) {
  return rounding_mark() == 2;
}

#if defined(FE_UPWARD) && defined(FE_DOWNWARD) && defined(FE_TOWARDZERO)
static bool enter_upward(void) {
  return fesetround(FE_UPWARD) == 0;
}
static bool enter_downward(void) {
  return fesetround(FE_DOWNWARD) == 0;
}
static bool enter_toward_zero(void) {
  return fesetround(FE_TOWARDZERO) == 0;
}
#else
static bool enter_nothing(void) {
  return false;
}
#define enter_upward enter_nothing
#define enter_downward enter_nothing
#define enter_toward_zero enter_nothing
#endif

static bool flushes(void) {
  volatile float smallest = 1.17549435082228750797e-38f, half = 0.5f, product;
  uint32_t bits;
  float value;
  product = smallest * half;
  value = product;
  memcpy(&bits, &value, sizeof bits);
  return bits == 0;
}

static bool enter_flush(void) {
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040u); /* flush to zero, denormals are zero */
  return true;
#elif defined(__aarch64__) && defined(__GNUC__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  control |= (uint64_t)1 << 24;
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
  return true;
#elif defined(__arm__) && defined(__ARM_FP) && defined(__GNUC__)
  uint32_t control;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(control));
  control |= (uint32_t)1 << 24;
  __asm__ volatile("vmsr fpscr, %0" : : "r"(control));
  return true;
#else
  return false;
#endif
}

static bool x87_is_short(void) {
#if (defined(__i386__) || defined(__x86_64__)) && defined(__GNUC__)
  uint16_t control;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  return (control & 0x0300) == 0;
#else
  return false;
#endif
}

/* Processors round what they compute; emulators (QEMU 7.2) also what they only load, so that numbers
   change on their way from the test to the library: they are taken for machines that do not have it. */
static bool enter_x87_short(void) {
#if (defined(__i386__) || defined(__x86_64__)) && defined(__GNUC__)
  const double loaded = 1.0 + 0x1p-52;
  double stored;
  uint16_t control;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  control = (uint16_t)(control & ~0x0300);
  __asm__ volatile("fldcw %0" : : "m"(control));
  __asm__ volatile("fldl %1\n\tfstpl %0" : "=m"(stored) : "m"(loaded));
  return memcmp(&stored, &loaded, sizeof loaded) == 0;
#else
  return false;
#endif
}

static void compare_environment(const environment *e) {
  const webnn_context_options options = reference();
  fenv_t before;
  bool entered, kept;
  fegetenv(&before);
  entered = e->enter() && e->is_in_force();
  if (entered) {
    compare_corpus(&options, e->name);
    kept = e->is_in_force();
  }
  fesetenv(&before);
  if (entered)
    CHECK(e->name, kept, "the library has changed the caller's floating-point environment");
  else
    test_skip(e->name, "this machine or build does not have it");
}

static void compare_environments(void) {
  static const environment environments[] = {
      {"rounding upward", enter_upward, is_upward},
      {"rounding downward", enter_downward, is_downward},
      {"rounding toward zero", enter_toward_zero, is_toward_zero},
      {"flush to zero", enter_flush, flushes},
      {"x87 with 24 bits", enter_x87_short, x87_is_short},
  };
  size_t i;
  for (i = 0; i < sizeof environments / sizeof *environments; i++)
    compare_environment(&environments[i]);
}

/* ---- The command. -----------------------------------------------------------------------------*/

static int usage(void) {
  printf("digest [print | write | outputs OPERATOR | threads N | slices | passes | environment]\n");
  return 2;
}

static int compare(const char *what, const char *argument) {
  webnn_context_options options = reference();
  if (!read_lines())
    CHECK(FILE_NAME, false, "cannot be read: `digest write` makes it");
  if (strcmp(what, "environment") == 0) {
    compare_environments();
  } else if (strcmp(what, "slices") == 0) {
    compare_slices();
  } else {
    if (strcmp(what, "threads") == 0)
      options.threads = (uint32_t)strtoul(argument, NULL, 10);
    if (strcmp(what, "passes") == 0)
      options.disabled_passes = UINT32_MAX;
    compare_corpus(&options, what);
  }
  return test_end();
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "digest";
  if (argc == 1 || (argc == 2 && (strcmp(what, "environment") == 0 || strcmp(what, "slices") == 0 ||
                                  strcmp(what, "passes") == 0)))
    return compare(what, NULL);
  if (argc == 3 && strcmp(what, "threads") == 0)
    return compare(what, argv[2]);
  if (argc == 3 && strcmp(what, "outputs") == 0)
    return print_corpus(stdout, argv[2]);
  if (argc == 2 && strcmp(what, "print") == 0)
    return print_corpus(stdout, NULL);
  if (argc == 2 && strcmp(what, "write") == 0)
    return write_lines();
  return usage();
}
#endif
