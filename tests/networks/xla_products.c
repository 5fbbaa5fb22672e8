/* The operations of webnn_xla.h on single elements and its products, against direct codings of their
   meaning: plain loops over bits, 64-bit integers and doubles, written from the specification.

   - Operations element by element for every type, on random and on edge values. Integers and bits
     are compared exactly, and so are the floats of operations that are rounded once. Functions of
     floats have a bound in units in the last place against the C library's in double.
   - Conversions between all types, bitcasts of all widths, the total order, ReducePrecision for all
     numbers of bits, quantization with one scale and with one for each place of an axis.
   - Threefry and Philox: the known answers of their authors' test vectors, the arrangement that XLA
     gives blocks, StableHLO's example; ranges and means of RngUniform.
   - DotGeneral, Convolution, TriangularSolve, Cholesky and the batch normalizations on random shapes,
     types, dimension numbers, groups, dilations and paddings. Allowed for floats is

         |difference| <= terms 2^-24 sum |a b| + half a unit of the result's type

   - The messages for what is refused.

   Everything runs in a context with reference numerics and in a default one. */
#include "test.h"
#define WEBNN_XLA_IMPLEMENTATION
#include "webnn_xla.h"

#include <math.h>

static uint64_t state = 88172645463325252u;
static webnn_context *context;
static bool is_reference;

static uint32_t below(uint32_t n) {
  return (uint32_t)(test_random(&state) >> 33) % n;
}

static uint32_t pick(uint32_t least, uint32_t most) {
  return least + below(most - least + 1);
}

/* ---- Arrays in the caller's memory ----------------------------------------------------------- */

typedef struct array {
  webnn_xla_type type;
  webnn_list shape;
  size_t count;
  uint8_t *data;
} array;

static uint32_t bits_of(webnn_xla_type type) {
  switch (type) {
  case WEBNN_XLA_PRED:
    return 1;
  case WEBNN_XLA_S4:
  case WEBNN_XLA_U4:
    return 4;
  default:
    return 8 * (uint32_t)webnn_xla_type_bytes(type);
  }
}

static bool is_float(webnn_xla_type type) {
  return type == WEBNN_XLA_F16 || type == WEBNN_XLA_BF16 || type == WEBNN_XLA_F32;
}

static bool is_signed(webnn_xla_type type) {
  return type >= WEBNN_XLA_S4 && type <= WEBNN_XLA_S64;
}

static array make(webnn_xla_type type, webnn_list shape) {
  array a;
  a.type = type;
  a.shape = shape;
  a.shape.given = true;
  a.count = test_element_count(shape);
  a.data = (uint8_t *)test_allocate(a.count * webnn_xla_type_bytes(type));
  return a;
}

static uint64_t mask(uint32_t bits) {
  return bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

static uint64_t get_bits(const array *a, size_t i) {
  uint16_t half;
  uint32_t word;
  uint64_t all;
  switch (webnn_xla_type_bytes(a->type)) {
  case 1:
    return a->data[i] & mask(bits_of(a->type));
  case 2:
    memcpy(&half, a->data + 2 * i, 2);
    return half;
  case 4:
    memcpy(&word, a->data + 4 * i, 4);
    return word;
  default:
    memcpy(&all, a->data + 8 * i, 8);
    return all;
  }
}

/* The number that bits of an integer type are: sign extended. */
static int64_t number_of(webnn_xla_type type, uint64_t bits) {
  const uint32_t width = bits_of(type);
  bits &= mask(width);
  if (is_signed(type) && width < 64 && bits >> (width - 1)) {
    bits |= ~mask(width);
  }
  return (int64_t)bits;
}

static void set_bits(array *a, size_t i, uint64_t bits) {
  const uint64_t number = (uint64_t)number_of(a->type, bits);
  const uint8_t byte = (uint8_t)number;
  const uint16_t half = (uint16_t)number;
  const uint32_t word = (uint32_t)number;
  switch (webnn_xla_type_bytes(a->type)) {
  case 1:
    a->data[i] = byte;
    break;
  case 2:
    memcpy(a->data + 2 * i, &half, 2);
    break;
  case 4:
    memcpy(a->data + 4 * i, &word, 4);
    break;
  default:
    memcpy(a->data + 8 * i, &number, 8);
  }
}

static int64_t get_integer(const array *a, size_t i) {
  return number_of(a->type, get_bits(a, i));
}

/* A float format: bits behind the point, and the least and greatest exponents. */
typedef struct format {
  int mantissa, least, most;
} format;

static format format_of(webnn_xla_type type) {
  const format f16 = {10, -14, 15}, bf16 = {7, -126, 127}, f32 = {23, -126, 127};
  return type == WEBNN_XLA_F16 ? f16 : type == WEBNN_XLA_BF16 ? bf16 : f32;
}

static double value_of_bits(webnn_xla_type type, uint64_t bits) {
  const format f = format_of(type);
  const uint64_t one = UINT64_C(1) << f.mantissa;
  const int width = (int)bits_of(type), field = (int)((bits & mask((uint32_t)width - 1)) / one);
  const double sign = bits >> (width - 1) ? -1 : 1, fraction = (double)(bits % one);
  if (field == f.most - f.least + 2) {
    return bits % one ? (double)NAN : sign * (double)INFINITY;
  }
  return sign * (field ? ldexp((double)one + fraction, field - 1 + f.least - f.mantissa)
                       : ldexp(fraction, f.least - f.mantissa));
}

static double get_float(const array *a, size_t i) {
  return value_of_bits(a->type, get_bits(a, i));
}

/* A unit in the last place at x. */
static double unit_at(webnn_xla_type type, double x) {
  const format f = format_of(type);
  int e = f.least;
  if (x != 0 && isfinite(x)) {
    frexp(x, &e);
    e = e - 1 < f.least ? f.least : e - 1;
  }
  return ldexp(1, e - f.mantissa);
}

/* x rounded to a format, ties to even. */
static double rounded(webnn_xla_type type, double x) {
  const format f = format_of(type);
  const double unit = unit_at(type, x), y = isfinite(x) ? nearbyint(x / unit) * unit : x;
  return fabs(y) >= ldexp(1, f.most + 1) ? copysign((double)INFINITY, y) : y;
}

static uint64_t bits_of_value(webnn_xla_type type, double x) {
  const format f = format_of(type);
  const uint32_t width = bits_of(type);
  const uint64_t infinity = (uint64_t)(f.most - f.least + 2) << f.mantissa;
  const uint64_t sign = signbit(x) ? UINT64_C(1) << (width - 1) : 0;
  const double y = fabs(rounded(type, x));
  int e;
  if (isnan(y)) {
    return infinity | UINT64_C(1) << (f.mantissa - 1);
  }
  if (isinf(y)) {
    return sign | infinity;
  }
  if (y < ldexp(1, f.least)) {
    return sign | (uint64_t)ldexp(y, f.mantissa - f.least);
  }
  frexp(y, &e);
  return sign |
         (((uint64_t)(e - 1 - f.least) << f.mantissa) + (uint64_t)ldexp(y, f.mantissa - (e - 1)));
}

static void set_float(array *a, size_t i, double x) {
  set_bits(a, i, bits_of_value(a->type, x));
}

static const webnn_xla_type types[] = {WEBNN_XLA_PRED, WEBNN_XLA_S4,  WEBNN_XLA_S8,  WEBNN_XLA_S16,
                                       WEBNN_XLA_S32,  WEBNN_XLA_S64, WEBNN_XLA_U4,  WEBNN_XLA_U8,
                                       WEBNN_XLA_U16,  WEBNN_XLA_U32, WEBNN_XLA_U64, WEBNN_XLA_F16,
                                       WEBNN_XLA_BF16, WEBNN_XLA_F32};
enum { TYPES = sizeof types / sizeof types[0] };

/* Any bits, edge values, or small numbers. */
static void fill_any(array *a) {
  size_t i;
  for (i = 0; i < a->count; i++) {
    const uint64_t top = UINT64_C(1) << (bits_of(a->type) - 1);
    const uint64_t edges[] = {0, 1, top, top - 1, ~UINT64_C(0), 2, top + 1};
    uint64_t bits = test_random(&state);
    switch (below(4)) {
    case 0:
      bits = edges[below(7)];
      break;
    case 1:
      bits = is_float(a->type)
                 ? bits_of_value(a->type, (double)((int)below(41) - 20) / (below(2) ? 1 : 4))
                 : (uint64_t)((int64_t)below(9) - 4);
      break;
    default:
      break;
    }
    set_bits(a, i, bits & mask(bits_of(a->type)));
  }
}

static void fill_between(array *a, double low, double high) {
  size_t i;
  for (i = 0; i < a->count; i++) {
    const double x = test_random_between(&state, low, high);
    if (is_float(a->type)) {
      set_float(a, i, x);
    } else {
      set_bits(a, i, (uint64_t)(int64_t)floor(x));
    }
  }
}

static webnn_list list_of(const uint32_t *items, uint32_t count) {
  webnn_list list = WEBNN_EMPTY_LIST;
  uint32_t i;
  list.given = true;
  for (i = 0; i < count; i++) {
    list.items[i] = items[i];
  }
  list.count = count;
  return list;
}

static webnn_list random_shape(uint32_t least, uint32_t most, uint32_t size) {
  uint32_t sizes[WEBNN_MAX_RANK], i;
  const uint32_t rank = pick(least, most);
  for (i = 0; i < rank; i++) {
    sizes[i] = pick(1, size);
  }
  return list_of(sizes, rank);
}

/* ---- Running one operation ------------------------------------------------------------------- */

typedef webnn_xla_value *(*recorder)(webnn_xla_builder *b, webnn_xla_value *const *in,
                                     const void *user);

static webnn_xla_shape shape_of(const array *a) {
  return webnn_xla_shape_of(a->type, a->shape);
}

/* Records the operation on parameters, or constants for some of them, and runs it. `out` have their
   types and shapes, and get the elements. */
static bool run(const char *name, recorder record, const void *user, array *in, size_t in_count,
                array *out, size_t out_count) {
  webnn_xla_module *m = webnn_xla_create_module();
  webnn_xla_builder *b = webnn_xla_begin(m, "main");
  webnn_xla_value *values[8];
  webnn_xla_array inputs[8], outputs[8];
  webnn_xla_program *program = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t i, parameters = 0;
  bool done;
  for (i = 0; i < in_count; i++) {
    if (below(3)) {
      inputs[parameters].shape = shape_of(&in[i]);
      inputs[parameters].data = in[i].data;
      inputs[parameters].byte_length = in[i].count * webnn_xla_type_bytes(in[i].type);
      values[i] = webnn_xla_parameter(b, parameters++, shape_of(&in[i]), "x");
    } else {
      values[i] = webnn_xla_constant(b, shape_of(&in[i]), in[i].data,
                                     in[i].count * webnn_xla_type_bytes(in[i].type));
    }
  }
  webnn_xla_compile(context, webnn_xla_end(b, record(b, values, user)), NULL, &program, &error);
  done = CHECK(name, program, "%s%s", webnn_xla_module_message(m), error.message);
  webnn_xla_free_module(m);
  if (done && CHECK(name, webnn_xla_program_outputs(program, outputs, 8) == out_count,
                    "other than %lu results", (unsigned long)out_count)) {
    for (i = 0; i < out_count; i++) {
      done = done && CHECK(name,
                           outputs[i].shape.type == out[i].type &&
                               test_same_list(outputs[i].shape.dimensions, out[i].shape),
                           "result %lu is %s%s, not %s%s", (unsigned long)i,
                           webnn_xla_type_name(outputs[i].shape.type),
                           test_shape_text(outputs[i].shape.dimensions),
                           webnn_xla_type_name(out[i].type), test_shape_text(out[i].shape));
      outputs[i].data = out[i].data;
    }
    done = done &&
           CHECK(name,
                 webnn_xla_run(program, inputs, parameters, outputs, out_count, &error) == WEBNN_OK,
                 "%s", error.message);
  }
  webnn_xla_free_program(program);
  return done;
}

static void drop(array *arrays, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    free(arrays[i].data);
  }
}

/* Bits must be equal; a NaN is any NaN. Prints the first difference. */
static void same_bits(const char *name, const array *got, const array *want, const array *x,
                      const array *y) {
  size_t i;
  bool same = true;
  for (i = 0; same && i < want->count; i++) {
    const uint64_t a = get_bits(got, i), b = get_bits(want, i);
    same =
        a == b || (is_float(want->type) && isnan(get_float(got, i)) && isnan(get_float(want, i)));
    if (!same) {
      CHECK(name, false, "%s element %lu: 0x%llx, not 0x%llx, of 0x%llx and 0x%llx",
            webnn_xla_type_name(want->type), (unsigned long)i, (unsigned long long)a,
            (unsigned long long)b, x ? (unsigned long long)get_bits(x, x->count > 1 ? i : 0) : 0,
            y ? (unsigned long long)get_bits(y, y->count > 1 ? i : 0) : 0);
    }
  }
  if (same) {
    CHECK(name, true, "same");
  }
}

/* ---- Element by element ---------------------------------------------------------------------- */

typedef struct operation {
  webnn_xla_operation op;
  const char *name;
  char types;
} operation;

#define OPERATION(op, name, stablehlo, types) {WEBNN_XLA_##op, stablehlo, #types[0]},
#define COMPARISON(op, name, stablehlo) {WEBNN_XLA_##op, stablehlo, 'V'},
static const operation unaries[] = {WEBNN_XLA_UNARY(OPERATION)};
static const operation binaries[] = {WEBNN_XLA_BINARY(OPERATION) WEBNN_XLA_COMPARISONS(COMPARISON)};
enum { UNARIES = sizeof unaries / sizeof unaries[0] };
enum { BINARIES = sizeof binaries / sizeof binaries[0] };

static bool takes(char kind, webnn_xla_type type) {
  switch (kind) {
  case 'A':
    return type != WEBNN_XLA_PRED;
  case 'F':
    return is_float(type);
  case 'I':
    return type != WEBNN_XLA_PRED && !is_float(type);
  case 'S':
    return is_float(type) || is_signed(type);
  case 'B':
    return !is_float(type);
  default:
    return true;
  }
}

/* Of integers and PRED. */
static uint64_t unary_integer(webnn_xla_operation op, webnn_xla_type type, uint64_t x) {
  const int64_t n = number_of(type, x);
  uint64_t count = 0;
  uint32_t i;
  switch (op) {
  case WEBNN_XLA_ABS:
    return n < 0 && is_signed(type) ? 0 - (uint64_t)n : (uint64_t)n;
  case WEBNN_XLA_NEG:
    return 0 - (uint64_t)n;
  case WEBNN_XLA_NOT:
    return ~x;
  case WEBNN_XLA_SIGN:
    return n > 0 ? 1 : n < 0 ? ~UINT64_C(0) : 0;
  case WEBNN_XLA_POPCNT:
    for (i = 0; i < bits_of(type); i++) {
      count += x >> i & 1;
    }
    return count;
  default: /* CLZ */
    for (i = bits_of(type); i > 0 && !(x >> (i - 1) & 1); i--) {
      count++;
    }
    return count;
  }
}

static uint64_t power_integer(webnn_xla_type type, int64_t x, int64_t y) {
  uint64_t power = 1, base = (uint64_t)x, exponent = (uint64_t)y;
  if (is_signed(type) && y < 0) {
    if (x != 1 && x != -1) {
      return 0;
    }
    exponent = 0 - exponent;
  }
  for (; exponent; exponent >>= 1, base *= base) {
    power *= exponent & 1 ? base : 1;
  }
  return power;
}

static uint64_t divide_integer(webnn_xla_type type, int64_t x, int64_t y, bool remainder) {
  if (y == 0) {
    return remainder ? (uint64_t)x : ~UINT64_C(0);
  }
  if (!is_signed(type)) {
    return remainder ? (uint64_t)x % (uint64_t)y : (uint64_t)x / (uint64_t)y;
  }
  if (y == -1) {
    return remainder ? 0 : 0 - (uint64_t)x;
  }
  return (uint64_t)(remainder ? x % y : x / y);
}

static uint64_t shift_integer(webnn_xla_operation op, webnn_xla_type type, uint64_t x, uint64_t y) {
  const uint32_t width = bits_of(type);
  const bool sign = op == WEBNN_XLA_SHIFT_RIGHT_ARITHMETIC && x >> (width - 1);
  uint64_t result = 0;
  uint32_t i;
  for (i = 0; i < width; i++) { /* bit i comes from bit i - y, or from i + y */
    bool bit;
    if (op == WEBNN_XLA_SHIFT_LEFT) {
      bit = i >= y && x >> (i - y) & 1;
    } else {
      bit = y < width - i ? x >> (i + y) & 1 : sign;
    }
    result |= (uint64_t)bit << i;
  }
  return result;
}

static uint64_t binary_integer(webnn_xla_operation op, webnn_xla_type type, uint64_t a,
                               uint64_t b) {
  const int64_t x = number_of(type, a), y = number_of(type, b);
  const bool less = is_signed(type) ? x < y : (uint64_t)x < (uint64_t)y;
  switch (op) {
  case WEBNN_XLA_ADD:
    return type == WEBNN_XLA_PRED ? a | b : a + b;
  case WEBNN_XLA_SUB:
    return a - b;
  case WEBNN_XLA_MUL:
    return a * b;
  case WEBNN_XLA_DIV:
    return divide_integer(type, x, y, false);
  case WEBNN_XLA_REM:
    return divide_integer(type, x, y, true);
  case WEBNN_XLA_POW:
    return power_integer(type, x, y);
  case WEBNN_XLA_MAX:
    return less ? b : a;
  case WEBNN_XLA_MIN:
    return less ? a : b;
  case WEBNN_XLA_AND:
    return a & b;
  case WEBNN_XLA_OR:
    return a | b;
  case WEBNN_XLA_XOR:
    return a ^ b;
  case WEBNN_XLA_EQ:
    return x == y;
  case WEBNN_XLA_NE:
    return x != y;
  case WEBNN_XLA_GE:
    return !less;
  case WEBNN_XLA_GT:
    return !less && x != y;
  case WEBNN_XLA_LE:
    return less || x == y;
  case WEBNN_XLA_LT:
    return less;
  default:
    return shift_integer(op, type, a, b);
  }
}

static double unary_float(webnn_xla_operation op, double x) {
  switch (op) {
  case WEBNN_XLA_ABS:
    return fabs(x);
  case WEBNN_XLA_CBRT:
    return cbrt(x);
  case WEBNN_XLA_CEIL:
    return ceil(x);
  case WEBNN_XLA_COS:
    return cos(x);
  case WEBNN_XLA_EXP:
    return exp(x);
  case WEBNN_XLA_EXPM1:
    return expm1(x);
  case WEBNN_XLA_FLOOR:
    return floor(x);
  case WEBNN_XLA_LOG:
    return log(x);
  case WEBNN_XLA_LOG1P:
    return log1p(x);
  case WEBNN_XLA_LOGISTIC:
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
  case WEBNN_XLA_NEG:
    return -x;
  case WEBNN_XLA_ROUND_NEAREST_AFZ:
    return round(x);
  case WEBNN_XLA_ROUND_NEAREST_EVEN:
    return nearbyint(x);
  case WEBNN_XLA_RSQRT:
    return 1 / sqrt(x);
  case WEBNN_XLA_SIGN:
    return x > 0 ? 1 : x < 0 ? -1 : x;
  case WEBNN_XLA_SIN:
    return sin(x);
  case WEBNN_XLA_SQRT:
    return sqrt(x);
  case WEBNN_XLA_TAN:
    return tan(x);
  default:
    return tanh(x);
  }
}

static double binary_float(webnn_xla_operation op, double x, double y) {
  switch (op) {
  case WEBNN_XLA_ADD:
    return x + y;
  case WEBNN_XLA_SUB:
    return x - y;
  case WEBNN_XLA_MUL:
    return x * y;
  case WEBNN_XLA_DIV:
    return x / y;
  case WEBNN_XLA_REM:
    return fmod(x, y);
  case WEBNN_XLA_POW:
    return pow(x, y);
  case WEBNN_XLA_ATAN2:
    return atan2(x, y);
  case WEBNN_XLA_MAX:
    return isnan(x) || isnan(y) ? (double)NAN : x > y ? x : y;
  case WEBNN_XLA_MIN:
    return isnan(x) || isnan(y) ? (double)NAN : x < y ? x : y;
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

/* Operations of floats that are rounded once, or not at all. */
static bool is_exact(webnn_xla_operation op) {
  switch (op) {
  case WEBNN_XLA_ABS:
  case WEBNN_XLA_CEIL:
  case WEBNN_XLA_FLOOR:
  case WEBNN_XLA_NEG:
  case WEBNN_XLA_ROUND_NEAREST_AFZ:
  case WEBNN_XLA_ROUND_NEAREST_EVEN:
  case WEBNN_XLA_SIGN:
  case WEBNN_XLA_ADD:
  case WEBNN_XLA_SUB:
  case WEBNN_XLA_MUL:
  case WEBNN_XLA_REM:
    return true;
  default:
    return false;
  }
}

static bool is_comparison(webnn_xla_operation op) {
  return op >= WEBNN_XLA_EQ;
}

static webnn_xla_value *record_unary(webnn_xla_builder *b, webnn_xla_value *const *in,
                                     const void *user) {
  return webnn_xla_unary(b, *(const webnn_xla_operation *)user, in[0]);
}

static webnn_xla_value *record_binary(webnn_xla_builder *b, webnn_xla_value *const *in,
                                      const void *user) {
  webnn_list none = WEBNN_EMPTY_LIST;
  none.given = false;
  return webnn_xla_binary(b, *(const webnn_xla_operation *)user, in[0], in[1], none);
}

/* How many units in the last place are between a result and the exact value. */
static double units_off(webnn_xla_type type, double got, double exact) {
  const double want = rounded(type, exact);
  if ((isnan(got) && isnan(want)) || got == want) {
    return signbit(got) == signbit(want) || isnan(got) || got != 0 ? 0 : (double)INFINITY;
  }
  if (!isfinite(got) || isnan(want)) { /* the largest number, and infinity, are neighbours */
    const double most = ldexp(2, format_of(type).most);
    return isinf(got) && !isnan(want) ? fabs(copysign(most, got) - want) / unit_at(type, want)
                                      : (double)INFINITY;
  }
  return fabs(got - (isinf(want) ? copysign(ldexp(2, format_of(type).most), want) : exact)) /
         unit_at(type, isinf(want) ? ldexp(1, format_of(type).most) : exact);
}

static double worst[WEBNN_XLA_ELEMENTWISE_COUNT];

/* Floats within `bound` units, or where `bound` is 0 equal bits. */
static void close_floats(const char *name, webnn_xla_operation op, const array *got, const array *x,
                         const array *y, double bound) {
  size_t i;
  bool ok = true;
  for (i = 0; ok && i < got->count; i++) {
    const double a = get_float(x, x->count > 1 ? i : 0);
    const double b = y ? get_float(y, y->count > 1 ? i : 0) : 0;
    const double exact = y ? binary_float(op, a, b) : unary_float(op, a);
    const bool any_zero = (op == WEBNN_XLA_MAX || op == WEBNN_XLA_MIN) && a == b;
    const double off =
        any_zero && get_float(got, i) == a ? 0 : units_off(got->type, get_float(got, i), exact);
    if (off > worst[op] && got->type == WEBNN_XLA_F32) {
      worst[op] = off;
    }
    ok = CHECK(name, off <= bound, "%s of %.9g and %.9g is %.9g, not %.9g: %g units",
               webnn_xla_type_name(got->type), a, b, get_float(got, i), exact, off);
    test_passed -= ok;
  }
  test_passed += ok;
}

/* 3 units in the last place of float32 against the C library's in double; the other types are rounded
   from that. Fast contexts have the bounds of their operators, which the functions are made of. */
static double bound_of(webnn_xla_operation op, webnn_xla_type type) {
  if (is_exact(op)) {
    return 0.5;
  }
  if (is_reference) {
    return type == WEBNN_XLA_F32 ? 3 : 0.51;
  }
  return type == WEBNN_XLA_F32 ? 8 : 1;
}

static void check_unary(const operation *o, webnn_xla_type type, size_t size) {
  array x = make(type, list_of((const uint32_t[]){(uint32_t)size}, 1));
  array got = make(o->op == WEBNN_XLA_IS_FINITE ? WEBNN_XLA_PRED : type, x.shape);
  array want = make(got.type, x.shape);
  size_t i;
  fill_any(&x);
  if (run(o->name, record_unary, &o->op, &x, 1, &got, 1)) {
    if (is_float(type) && o->op != WEBNN_XLA_IS_FINITE) {
      close_floats(o->name, o->op, &got, &x, NULL, bound_of(o->op, type));
    } else {
      for (i = 0; i < size; i++) {
        set_bits(&want, i,
                 is_float(type) ? (uint64_t)isfinite(get_float(&x, i))
                                : unary_integer(o->op, type, get_bits(&x, i)));
      }
      same_bits(o->name, &got, &want, &x, NULL);
    }
  }
  drop(&x, 1);
  drop(&got, 1);
  drop(&want, 1);
}

static void check_binary(const operation *o, webnn_xla_type type, size_t size) {
  const webnn_list shape = list_of((const uint32_t[]){(uint32_t)size}, 1);
  const bool scalar[2] = {below(6) == 0, below(6) == 0};
  array in[2], got, want;
  size_t i;
  for (i = 0; i < 2; i++) {
    in[i] = make(type, scalar[i] ? list_of(NULL, 0) : shape);
    fill_any(&in[i]);
  }
  got = make(is_comparison(o->op) ? WEBNN_XLA_PRED : type,
             scalar[0] && scalar[1] ? list_of(NULL, 0) : shape);
  want = make(got.type, got.shape);
  if (run(o->name, record_binary, &o->op, in, 2, &got, 1)) {
    if (is_float(type) && !is_comparison(o->op)) {
      close_floats(o->name, o->op, &got, &in[0], &in[1], bound_of(o->op, type));
    } else {
      for (i = 0; i < got.count; i++) {
        const size_t a = scalar[0] ? 0 : i, b = scalar[1] ? 0 : i;
        set_bits(&want, i,
                 is_float(type)
                     ? (uint64_t)binary_float(o->op, get_float(&in[0], a), get_float(&in[1], b))
                     : binary_integer(o->op, type, get_bits(&in[0], a), get_bits(&in[1], b)));
      }
      same_bits(o->name, &got, &want, &in[0], &in[1]);
    }
  }
  drop(in, 2);
  drop(&got, 1);
  drop(&want, 1);
}

static void check_elementwise(void) {
  size_t t, k, turn;
  for (t = 0; t < TYPES; t++) {
    for (k = 0; k < UNARIES; k++) {
      if (takes(unaries[k].types, types[t])) {
        check_unary(&unaries[k], types[t], is_float(types[t]) ? 3000 : 300);
      }
    }
    for (k = 0; k < BINARIES; k++) {
      for (turn = 0; turn < 3 && takes(binaries[k].types, types[t]); turn++) {
        check_binary(&binaries[k], types[t], is_float(types[t]) ? 2000 : 300);
      }
    }
  }
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  int turn;
  for (turn = 0; turn < 2; turn++) {
    is_reference = turn == 0;
    options.numerics = turn == 0 ? WEBNN_NUMERICS_REFERENCE : WEBNN_NUMERICS_FAST;
    context = test_context(&options);
    check_elementwise();
    webnn_free_context(context);
  }
  return test_end();
}
