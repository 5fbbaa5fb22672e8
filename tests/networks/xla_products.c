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
#include "webnn_xla.h"
#include "random.h"

#include <math.h>

static webnn_context *context;
static bool is_reference;

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

/* Zeros, infinities, NaN, ends of the range and of the normal numbers, halves, of both signs. */
enum { SPECIALS = 20 };
static uint64_t special(webnn_xla_type type, size_t i) {
  const format f = format_of(type);
  const double most = ldexp(2 - ldexp(1, -f.mantissa), f.most), least = ldexp(1, f.least);
  const double numbers[SPECIALS / 2] = {
      0, 1, (double)INFINITY, (double)NAN, most, least, ldexp(1, f.least - f.mantissa), 0.5, 2, 3};
  const uint64_t sign = i % 2 ? UINT64_C(1) << (bits_of(type) - 1) : 0;
  return sign | bits_of_value(type, numbers[i / 2]);
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
    uint64_t bits = test_random(&random_state);
    switch (below(4)) {
    case 0:
      bits = is_float(a->type) && below(2) ? special(a->type, below(SPECIALS)) : edges[below(7)];
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
    const double x = test_random_between(&random_state, low, high);
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

/* Coordinates of element i. */
static void coordinates(webnn_list shape, size_t i, uint32_t *at) {
  uint32_t d;
  for (d = shape.count; d-- > 0;) {
    at[d] = (uint32_t)(i % shape.items[d]);
    i /= shape.items[d];
  }
}

static size_t offset(webnn_list shape, const uint32_t *at) {
  size_t i = 0;
  uint32_t d;
  for (d = 0; d < shape.count; d++) {
    i = i * shape.items[d] + at[d];
  }
  return i;
}

/* ---- Running one operation ------------------------------------------------------------------- */

static webnn_xla_module *running; /* the module of the operation that `run` records */

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
  running = m;
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

/* psi(x): by reflection, recurrence up to 20, and the asymptotic series; NaN at its poles. */
static double digamma(double x) {
  const double pi = 3.14159265358979323846;
  double sum = 0, u;
  if (x <= 0) {
    return x == floor(x) ? (double)NAN : digamma(1 - x) - pi / tan(pi * (x - nearbyint(x)));
  }
  for (; x < 20; x += 1) {
    sum -= 1 / x;
  }
  u = 1 / x / x;
  return sum + log(x) - 0.5 / x - u * (1.0 / 12 - u * (1.0 / 120 - u * (1.0 / 252 - u / 240)));
}

/* By bisection; of small numbers by its series. */
static double erf_inverse(double x) {
  const double a = fabs(x), pi = 3.14159265358979323846;
  double low = 0, high = 6;
  int i;
  if (!(a < 1)) {
    return a > 1 || isnan(x) ? (double)NAN : copysign((double)INFINITY, x);
  }
  if (a < 1e-3) {
    return x * sqrt(pi) / 2 * (1 + pi / 12 * a * a * (1 + 7 * pi / 40 * a * a));
  }
  for (i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    if (a < 0.5 ? erf(middle) < a : erfc(middle) > 1 - a) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return copysign(low, x);
}

/* I1(x) e^-|x|: the power series, or the asymptotic one. */
static double bessel_i1e(double x) {
  const double a = fabs(x);
  double term = 1, sum = 1;
  int k;
  if (isinf(a)) {
    return copysign(0, x);
  }
  for (k = 1; k < (a < 40 ? 200 : 20); k++) {
    term *= a < 40 ? a * a / 4 / k / (k + 1) : (4.0 * k * (k - 1) - 3) / (8 * k) / a;
    sum += term;
  }
  return a < 40 ? x / 2 * exp(-a) * sum : copysign(sum / sqrt(6.28318530717958648 * a), x);
}

static double unary_float(webnn_xla_operation op, double x) {
  switch (op) {
  case WEBNN_XLA_ACOS:
    return acos(x);
  case WEBNN_XLA_ACOSH:
    return acosh(x);
  case WEBNN_XLA_ASIN:
    return asin(x);
  case WEBNN_XLA_ASINH:
    return asinh(x);
  case WEBNN_XLA_ATAN:
    return atan(x);
  case WEBNN_XLA_ATANH:
    return atanh(x);
  case WEBNN_XLA_COSH:
    return cosh(x);
  case WEBNN_XLA_SINH:
    return sinh(x);
  case WEBNN_XLA_BESSEL_I1E:
    return bessel_i1e(x);
  case WEBNN_XLA_DIGAMMA:
    return digamma(x);
  case WEBNN_XLA_ERF_INV:
    return erf_inverse(x);
  case WEBNN_XLA_ERFC:
    return erfc(x);
  case WEBNN_XLA_LGAMMA:
    return lgamma(x);
  case WEBNN_XLA_ABS:
    return fabs(x);
  case WEBNN_XLA_CBRT:
    return cbrt(x);
  case WEBNN_XLA_CEIL:
    return ceil(x);
  case WEBNN_XLA_COS:
    return cos(x);
  case WEBNN_XLA_ERF:
    return erf(x);
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
  case WEBNN_XLA_NEXT_AFTER:
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

/* The number of the type next to x on the side of y. */
static double next_number(webnn_xla_type type, double x, double y) {
  const double most = ldexp(1, format_of(type).most), unit = unit_at(type, x);
  int exponent;
  if (isnan(x) || isnan(y) || x == y) {
    return x == y ? y : (double)NAN;
  }
  if (isinf(x)) {
    return copysign(2 * most - unit_at(type, most), x);
  }
  if (x == 0) {
    return copysign(unit, y);
  }
  if ((y > x) != (x > 0) && frexp(fabs(x), &exponent) == 0.5 && unit > unit_at(type, 0)) {
    return copysign(fabs(x) - unit_at(type, fabs(x) / 2), x);
  }
  return copysign(fabs(x) + ((y > x) == (x > 0) ? unit : -unit), x);
}

/* Units in the last place that are allowed below 0, where the terms of these two cancel. */
static double cancelled(webnn_xla_operation op, webnn_xla_type type, double x, double exact) {
  const double size = op == WEBNN_XLA_LGAMMA ? lgamma(-x) : log(1 - x);
  return x < 0 && isfinite(exact) && (op == WEBNN_XLA_LGAMMA || op == WEBNN_XLA_DIGAMMA)
             ? ldexp(op == WEBNN_XLA_DIGAMMA ? 16 : 8, -24) * fmax(1, fabs(size)) /
                   unit_at(type, exact)
             : 0;
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
    const double exact = op == WEBNN_XLA_NEXT_AFTER ? next_number(got->type, a, b)
                         : y                        ? binary_float(op, a, b)
                                                    : unary_float(op, a);
    const bool any_zero = (op == WEBNN_XLA_MAX || op == WEBNN_XLA_MIN) && a == b;
    const double off =
        any_zero && get_float(got, i) == a ? 0 : units_off(got->type, get_float(got, i), exact);
    if (off > worst[op] && got->type == WEBNN_XLA_F32) {
      worst[op] = off;
    }
    ok = CHECK(name, off <= fmax(bound, cancelled(op, got->type, a, exact)),
               "%s of %.9g and %.9g is %.9g, not %.9g: %g units", webnn_xla_type_name(got->type), a,
               b, get_float(got, i), exact, off);
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

/* Random bits, and numbers where functions are hard: around 0, 1 and -1, and those whose results
   are near the ends of the range. */
static void fill_hard(array *a) {
  size_t i;
  for (i = 0; i < a->count; i++) {
    const double tiny = ldexp(test_random_between(&random_state, -1, 1), -(int)below(30));
    switch (below(5)) {
    case 0:
      set_float(a, i, tiny);
      break;
    case 1:
      set_float(a, i, 1 + tiny);
      break;
    case 2:
      set_float(a, i, -1 + tiny);
      break;
    case 3:
      set_float(a, i, test_random_between(&random_state, -110, 110));
      break;
    default:
      set_bits(a, i, test_random(&random_state));
    }
  }
}

/* The functions that are made of several operators, on many values. */
static void check_functions(void) {
  static const webnn_xla_operation functions[] = {
      WEBNN_XLA_ACOS,    WEBNN_XLA_ACOSH,      WEBNN_XLA_ASIN,  WEBNN_XLA_ASINH,  WEBNN_XLA_ATAN,
      WEBNN_XLA_ATANH,   WEBNN_XLA_BESSEL_I1E, WEBNN_XLA_CBRT,  WEBNN_XLA_COSH,   WEBNN_XLA_DIGAMMA,
      WEBNN_XLA_ERF_INV, WEBNN_XLA_ERFC,       WEBNN_XLA_EXPM1, WEBNN_XLA_LGAMMA, WEBNN_XLA_LOG1P,
      WEBNN_XLA_RSQRT,   WEBNN_XLA_SINH,       WEBNN_XLA_ATAN2};
  const webnn_list shape = list_of((const uint32_t[]){40000}, 1);
  size_t k;
  for (k = 0; k < sizeof functions / sizeof functions[0]; k++) {
    const bool two = functions[k] == WEBNN_XLA_ATAN2;
    array in[2] = {make(WEBNN_XLA_F32, shape), make(WEBNN_XLA_F32, shape)};
    array got = make(WEBNN_XLA_F32, shape);
    fill_hard(&in[0]);
    fill_hard(&in[1]);
    if (run("functions", two ? record_binary : record_unary, &functions[k], in, two ? 2 : 1, &got,
            1)) {
      close_floats("functions", functions[k], &got, &in[0], two ? &in[1] : NULL,
                   bound_of(functions[k], WEBNN_XLA_F32));
    }
    drop(in, 2);
    drop(&got, 1);
  }
}

/* Every pair of special numbers. */
static void check_specials(webnn_xla_type type) {
  const webnn_list shape = list_of((const uint32_t[]){SPECIALS, SPECIALS}, 2);
  array in[2] = {make(type, shape), make(type, shape)}, got = make(type, shape);
  size_t i, k;
  for (i = 0; i < got.count; i++) {
    set_bits(&in[0], i, special(type, i / SPECIALS));
    set_bits(&in[1], i, special(type, i % SPECIALS));
  }
  for (k = 0; k < BINARIES; k++) {
    if (takes(binaries[k].types, type) && !is_comparison(binaries[k].op) &&
        run(binaries[k].name, record_binary, &binaries[k].op, in, 2, &got, 1)) {
      close_floats(binaries[k].name, binaries[k].op, &got, &in[0], &in[1],
                   bound_of(binaries[k].op, type));
    }
  }
  drop(in, 2);
  drop(&got, 1);
}

/* ---- Bits, broadcast and in functions of scalars --------------------------------------------- */

static webnn_xla_value *record_broadcast(webnn_xla_builder *b, webnn_xla_value *const *in,
                                         const void *user) {
  return webnn_xla_binary(b, *(const webnn_xla_operation *)user, in[0], in[1], WEBNN_LIST(1, 2));
}

/* [2, 1, 3] and [5, 1]: both stretch. */
static void check_broadcast(webnn_xla_operation op, webnn_xla_type type) {
  array in[2] = {make(type, list_of((const uint32_t[]){2, 1, 3}, 3)),
                 make(type, list_of((const uint32_t[]){5, 1}, 2))};
  array got = make(type, list_of((const uint32_t[]){2, 5, 3}, 3)), want = make(type, got.shape);
  size_t i;
  fill_any(&in[0]);
  fill_any(&in[1]);
  for (i = 0; i < want.count; i++) {
    const size_t a = i / 15 * 3 + i % 3, b = i / 3 % 5;
    set_bits(&want, i, binary_integer(op, type, get_bits(&in[0], a), get_bits(&in[1], b)));
  }
  if (run("broadcast", record_broadcast, &op, in, 2, &got, 1)) {
    same_bits("broadcast", &got, &want, NULL, NULL);
  }
  drop(in, 2);
  drop(&got, 1);
  drop(&want, 1);
}

/* popcnt((x xor s) << (y and 3)) + clz(bits of (float) y). */
static webnn_xla_value *record_map(webnn_xla_builder *b, webnn_xla_value *const *in,
                                   const void *user) {
  const webnn_xla_shape scalar = webnn_xla_shape_of(WEBNN_XLA_S32, WEBNN_EMPTY_LIST);
  webnn_xla_builder *f = webnn_xla_begin(*(webnn_xla_module *const *)user, "bits");
  webnn_xla_value *x = webnn_xla_parameter(f, 0, scalar, "x"), *v, *z;
  webnn_xla_value *y = webnn_xla_parameter(f, 1, scalar, "y");
  v = webnn_xla_xor_(f, x, webnn_xla_parameter(f, 2, scalar, "s"));
  v = webnn_xla_shift_left(f, v, webnn_xla_and_(f, y, webnn_xla_scalar(f, WEBNN_XLA_S32, 3)));
  z = webnn_xla_bitcast_convert(f, webnn_xla_convert_element_type(f, y, WEBNN_XLA_F32),
                                WEBNN_XLA_S32);
  v = webnn_xla_add(f, webnn_xla_popcnt(f, v), webnn_xla_clz(f, z));
  return webnn_xla_map(b, in, 2, webnn_xla_end(f, v), WEBNN_LIST(0, 1), &in[2], 1);
}

static void check_map(void) {
  webnn_list none = WEBNN_EMPTY_LIST;
  const webnn_list shape = list_of((const uint32_t[]){4, 5}, 2);
  const webnn_xla_type type = WEBNN_XLA_S32;
  array in[3] = {make(type, shape), make(type, shape), make(type, none)};
  array got = make(type, shape), want = make(type, shape);
  size_t i;
  for (i = 0; i < 3; i++) {
    fill_any(&in[i]);
  }
  for (i = 0; i < want.count; i++) {
    const uint64_t x = (get_bits(&in[0], i) ^ get_bits(&in[2], 0)) << (get_bits(&in[1], i) & 3);
    const float y = (float)get_integer(&in[1], i);
    uint32_t word;
    memcpy(&word, &y, 4);
    set_bits(&want, i,
             unary_integer(WEBNN_XLA_POPCNT, type, x & mask(32)) +
                 unary_integer(WEBNN_XLA_CLZ, type, word));
  }
  if (run("map", record_map, &running, in, 3, &got, 1)) {
    same_bits("map", &got, &want, &in[0], &in[1]);
  }
  drop(in, 3);
  drop(&got, 1);
  drop(&want, 1);
}

static void check_bits(void) {
  size_t t;
  check_specials(WEBNN_XLA_F16);
  check_specials(WEBNN_XLA_BF16);
  check_specials(WEBNN_XLA_F32);
  for (t = 1; t < TYPES && !is_float(types[t]); t++) {
    check_broadcast(WEBNN_XLA_AND, types[t]);
    check_broadcast(WEBNN_XLA_SHIFT_LEFT, types[t]);
    check_broadcast(WEBNN_XLA_REM, types[t]);
    check_broadcast(WEBNN_XLA_DIV, types[t]);
  }
  check_map();
}

/* ---- Types ----------------------------------------------------------------------------------- */

static webnn_xla_value *record_convert(webnn_xla_builder *b, webnn_xla_value *const *in,
                                       const void *user) {
  return webnn_xla_convert_element_type(b, in[0], *(const webnn_xla_type *)user);
}

/* Floats are cut toward zero and saturate, NaN is 0; integers wrap; to PRED is "not 0". */
static uint64_t converted(webnn_xla_type from, webnn_xla_type to, uint64_t bits) {
  const uint32_t width = bits_of(to);
  const double x = is_float(from) ? value_of_bits(from, bits) : 0, cut = trunc(x);
  const double high = ldexp(1, (int)width - is_signed(to)), low = is_signed(to) ? -high : 0;
  if (to == WEBNN_XLA_PRED) {
    return is_float(from) ? x != 0 : bits != 0;
  }
  if (!is_float(from)) {
    return (uint64_t)number_of(from, bits);
  }
  if (isnan(x)) {
    return 0;
  }
  if (cut >= high) {
    return is_signed(to) ? mask(width - 1) : mask(width);
  }
  return cut <= low ? (uint64_t)(is_signed(to) ? INT64_MIN >> (64 - width) : 0)
         : cut < 0  ? (uint64_t)(int64_t)cut
                    : (uint64_t)cut;
}

/* An integer as a float, rounded once: what is too much for a double is put into its last bit. */
static double float_of_integer(webnn_xla_type from, uint64_t bits) {
  const int64_t n = number_of(from, bits);
  const bool negative = is_signed(from) && n < 0;
  const uint64_t a = negative ? 0 - (uint64_t)n : (uint64_t)n;
  const uint64_t sticky = a >> 53 ? a >> 12 << 12 | (uint64_t)(a << 52 != 0) << 12 : a;
  return negative ? -(double)sticky : (double)sticky;
}

static void check_conversion(webnn_xla_type from, webnn_xla_type to) {
  array x = make(from, list_of((const uint32_t[]){500}, 1)), got = make(to, x.shape);
  array want = make(to, x.shape);
  size_t i;
  fill_any(&x);
  for (i = 0; i < x.count; i++) {
    if (!is_float(to)) {
      set_bits(&want, i, converted(from, to, get_bits(&x, i)));
    } else if (is_float(from)) {
      set_float(&want, i, get_float(&x, i));
    } else {
      set_float(&want, i, float_of_integer(from, get_bits(&x, i)));
    }
  }
  if (run("convert", record_convert, &to, &x, 1, &got, 1)) {
    char name[64];
    snprintf(name, sizeof name, "convert %s to %s", webnn_xla_type_name(from),
             webnn_xla_type_name(to));
    same_bits(name, &got, &want, &x, NULL);
  }
  drop(&x, 1);
  drop(&got, 1);
  drop(&want, 1);
}

static webnn_xla_value *record_bitcast(webnn_xla_builder *b, webnn_xla_value *const *in,
                                       const void *user) {
  return webnn_xla_bitcast_convert(b, in[0], *(const webnn_xla_type *)user);
}

/* All elements as one row of bits, the lowest first. */
static void check_bitcast(webnn_xla_type from, webnn_xla_type to) {
  const uint32_t a = bits_of(from), b = bits_of(to);
  uint32_t sizes[3] = {3, 2, a < b ? b / a : a / b};
  array x = make(from, list_of(sizes, a < b ? 3 : 2));
  array got = make(to, list_of(sizes, a > b ? 3 : 2)), want = make(to, got.shape);
  size_t i;
  fill_any(&x);
  for (i = 0; i < want.count * b; i++) {
    const uint64_t bit = get_bits(&x, i / a) >> (i % a) & 1;
    set_bits(&want, i / b, get_bits(&want, i / b) | bit << (i % b));
  }
  if (run("bitcast_convert", record_bitcast, &to, &x, 1, &got, 1)) {
    for (i = 0; i < want.count; i++) {
      if (!CHECK("bitcast_convert", get_bits(&got, i) == get_bits(&want, i),
                 "%s to %s element %lu: 0x%llx, not 0x%llx", webnn_xla_type_name(from),
                 webnn_xla_type_name(to), (unsigned long)i, (unsigned long long)get_bits(&got, i),
                 (unsigned long long)get_bits(&want, i))) {
        break;
      }
    }
  }
  drop(&x, 1);
  drop(&got, 1);
  drop(&want, 1);
}

static webnn_xla_value *record_total_order(webnn_xla_builder *b, webnn_xla_value *const *in,
                                           const void *user) {
  return webnn_xla_compare_total_order(b, *(const webnn_xla_operation *)user, in[0], in[1]);
}

/* Sign and magnitude as a signed integer; of -0 that is -1, below 0. */
static void check_total_order(webnn_xla_type type, webnn_xla_operation op) {
  array in[2], got = make(WEBNN_XLA_PRED, list_of((const uint32_t[]){20, 50}, 2));
  array want = make(WEBNN_XLA_PRED, got.shape);
  size_t i, k;
  for (k = 0; k < 2; k++) {
    in[k] = make(type, got.shape);
    fill_any(&in[k]);
  }
  for (i = 0; i < want.count; i++) {
    int64_t key[2];
    for (k = 0; k < 2; k++) {
      const uint64_t bits = get_bits(&in[k], i), sign = bits >> (bits_of(type) - 1);
      const int64_t magnitude = (int64_t)(bits & mask(bits_of(type) - 1));
      key[k] = sign ? -1 - magnitude : magnitude;
    }
    set_bits(&want, i, binary_integer(op, WEBNN_XLA_S64, (uint64_t)key[0], (uint64_t)key[1]));
  }
  if (run("total order", record_total_order, &op, in, 2, &got, 1)) {
    same_bits("total order", &got, &want, &in[0], &in[1]);
  }
  drop(in, 2);
  drop(&got, 1);
  drop(&want, 1);
}

static webnn_xla_value *record_precision(webnn_xla_builder *b, webnn_xla_value *const *in,
                                         const void *user) {
  const uint32_t *bits = (const uint32_t *)user;
  return webnn_xla_reduce_precision(b, in[0], bits[0], bits[1]);
}

/* The mantissa is rounded in the type's own format, then exponents outside of 1 - bias to bias, of
   the narrow format, are infinity and 0. */
static double reduced(webnn_xla_type type, double x, int e, int m) {
  const format f = format_of(type);
  const int bias = e < 30 ? (1 << (e - 1)) - 1 : 1 << 30;
  double unit, y;
  if (isnan(x) || isinf(x) || x == 0) {
    return isnan(x) && m == 0 ? (double)INFINITY : x;
  }
  unit = unit_at(type, x) * (m < f.mantissa ? ldexp(1, f.mantissa - m) : 1);
  y = rounded(type, nearbyint(x / unit) * unit);
  if (bias < f.most && fabs(y) >= ldexp(1, bias + 1)) {
    return copysign((double)INFINITY, x);
  }
  return bias < f.most && fabs(y) < ldexp(1, 1 - bias) ? copysign(0, x) : y;
}

static void check_precision(webnn_xla_type type, uint32_t e, uint32_t m) {
  const uint32_t bits[2] = {e, m};
  array x = make(type, list_of((const uint32_t[]){1200}, 1)), got = make(type, x.shape);
  array want = make(type, x.shape);
  const int hidden = format_of(type).mantissa - (int)m;
  size_t i;
  fill_any(&x);
  for (i = 0; i < x.count / 2 && hidden > 0; i++) { /* ties, and their neighbours */
    const uint64_t half = UINT64_C(1) << (hidden - 1);
    const uint64_t any = test_random(&random_state) >> hidden << hidden;
    set_bits(&x, i, (any | half) + below(3) - 1);
  }
  for (i = 0; i < x.count; i++) {
    set_float(&want, i, reduced(type, get_float(&x, i), (int)e, (int)m));
  }
  if (run("reduce_precision", record_precision, bits, &x, 1, &got, 1)) {
    char name[64];
    snprintf(name, sizeof name, "reduce_precision e%um%u", e, m);
    same_bits(name, &got, &want, &x, NULL);
  }
  drop(&x, 1);
  drop(&got, 1);
  drop(&want, 1);
}

static void check_types(void) {
  static const webnn_xla_type floats[] = {WEBNN_XLA_F16, WEBNN_XLA_BF16, WEBNN_XLA_F32};
  size_t a, b;
  uint32_t e, m;
  for (a = 0; a < TYPES; a++) {
    for (b = 0; b < TYPES; b++) {
      check_conversion(types[a], types[b]);
      if ((types[a] == WEBNN_XLA_PRED) == (types[b] == WEBNN_XLA_PRED)) {
        check_bitcast(types[a], types[b]);
      }
    }
  }
  for (a = 0; a < 3; a++) {
    for (b = WEBNN_XLA_EQ; b <= WEBNN_XLA_LT; b++) {
      check_total_order(floats[a], (webnn_xla_operation)b);
    }
    for (e = 1; e <= 11; e += e == 8 ? 3 : 1) {
      for (m = 0; m <= 24; m++) {
        check_precision(floats[a], e, m);
      }
    }
  }
}

/* ---- Quantization ---------------------------------------------------------------------------- */

static webnn_xla_value *record_quantize(webnn_xla_builder *b, webnn_xla_value *const *in,
                                        const void *user) {
  return webnn_xla_uniform_quantize(b, in[0], (const webnn_xla_quantization *)user);
}

static webnn_xla_value *record_dequantize(webnn_xla_builder *b, webnn_xla_value *const *in,
                                          const void *user) {
  return webnn_xla_uniform_dequantize(b, in[0], (const webnn_xla_quantization *)user);
}

/* A random quantization of arrays of a shape; with `narrow` one number is not used. */
static void make_quantization(webnn_xla_quantization *q, webnn_list shape, bool narrow,
                              float scales[5], int64_t zero_points[5]) {
  const webnn_xla_type storage = q->storage_type;
  const uint32_t width = bits_of(storage) > 31 ? 31 : bits_of(storage);
  size_t i;
  q->storage_max = (int64_t)mask(is_signed(storage) ? width - 1 : width);
  q->storage_min = is_signed(storage) ? -q->storage_max - 1 : 0;
  q->storage_min += narrow;
  q->axis = below(shape.count);
  q->count = below(2) ? shape.items[q->axis] : 1;
  q->scales = scales;
  q->zero_points = zero_points;
  for (i = 0; i < q->count; i++) {
    scales[i] = (float)test_random_between(&random_state, 0.01, 3);
    zero_points[i] = (int64_t)below(5) + (is_signed(storage) ? -2 : 1);
  }
}

/* round(x / scale) + zero point, clamped; the quotient is rounded to float32 first. */
static double quantized(const webnn_xla_quantization *q, size_t k, double x) {
  const double low = (double)q->storage_min, high = (double)q->storage_max;
  const double y = nearbyint((double)((float)x / q->scales[k])) + (double)q->zero_points[k];
  return y < low ? low : y > high ? high : y;
}

/* That, and (x - zero point) scale. */
static void check_quantization(webnn_xla_type storage, webnn_xla_type expressed, bool narrow) {
  const webnn_list shape = random_shape(1, 4, 5);
  webnn_xla_quantization q;
  float scales[5];
  int64_t zero_points[5];
  array x = make(expressed, shape), stored = make(storage, shape), got[2];
  size_t i, k;
  memset(&q, 0, sizeof q);
  q.storage_type = storage;
  q.expressed_type = expressed;
  make_quantization(&q, shape, narrow, scales, zero_points);
  fill_between(&x, -30, 30);
  fill_between(&stored, is_signed(storage) ? -7 : 0, 8);
  got[0] = make(storage, shape);
  got[1] = make(expressed, shape);
  if (run("quantize", record_quantize, &q, &x, 1, &got[0], 1) &&
      run("dequantize", record_dequantize, &q, &stored, 1, &got[1], 1)) {
    for (i = 0; i < x.count; i++) {
      uint32_t at[WEBNN_MAX_RANK];
      double want, back;
      coordinates(shape, i, at);
      k = q.count == 1 ? 0 : at[q.axis];
      want = quantized(&q, k, get_float(&x, i));
      back = (double)((float)(get_integer(&stored, i) - zero_points[k]) * scales[k]);
      CHECK("quantize", (double)get_integer(&got[0], i) == want, "%s of %g by %g: %lld, not %g",
            webnn_xla_type_name(storage), get_float(&x, i), (double)scales[k],
            (long long)get_integer(&got[0], i), want);
      CHECK("dequantize", get_float(&got[1], i) == rounded(expressed, back), "%g, not %g",
            get_float(&got[1], i), back);
    }
  }
  drop(&x, 1);
  drop(&stored, 1);
  drop(got, 2);
}

static void check_quantizations(void) {
  static const webnn_xla_type floats[] = {WEBNN_XLA_F32, WEBNN_XLA_F16, WEBNN_XLA_BF16};
  size_t t;
  int turn;
  for (t = 0; t < TYPES; t++) {
    for (turn = 0; turn < 18 && takes('I', types[t]); turn++) {
      check_quantization(types[t], floats[turn % 3], turn % 2);
    }
  }
}

/* ---- Random numbers -------------------------------------------------------------------------- */

typedef struct generator {
  webnn_xla_rng_algorithm algorithm;
  webnn_xla_shape shape;
} generator;

static webnn_xla_value *record_generator(webnn_xla_builder *b, webnn_xla_value *const *in,
                                         const void *user) {
  const generator *g = (const generator *)user;
  return webnn_xla_rng_bit_generator(b, g->algorithm, in[0], g->shape);
}

/* Runs a generator; `bits` gets the elements and `state_out` the next state. */
static void generate(webnn_xla_rng_algorithm algorithm, const uint64_t *state_in, uint32_t words,
                     array *bits, uint64_t *state_out) {
  array in = make(WEBNN_XLA_U64, list_of(&words, 1)), out[2];
  generator g;
  g.algorithm = algorithm;
  g.shape = shape_of(bits);
  memcpy(in.data, state_in, words * sizeof *state_in);
  out[0] = make(WEBNN_XLA_U64, in.shape);
  out[1] = *bits;
  run("rng_bit_generator", record_generator, &g, &in, 1, out, 2);
  memcpy(state_out, out[0].data, words * sizeof *state_in);
  drop(&in, 1);
  drop(out, 1);
}

/* Random123's known answers: a counter and a key, and the block. */
static void check_known_answers(void) {
  static const uint64_t threefry[3][3] = {
      {0, 0, 0x99ba4efe6b200159}, /* key, counter, block */
      {0xffffffffffffffff, 0xffffffffffffffff, 0xbb002be71cb996fc},
      {0x0370734413198a2e, 0x85a308d3243f6a88, 0x483df7a0c4923a9c}};
  static const uint64_t philox[3][5] = {
      {0, 0, 0, 0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c}, /* key, counter, block */
      {0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0x41c83b0e408f276d,
       0x6d5451fda20bc7c6},
      {0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e, 0x94fdccebd16cfe09,
       0x24126ea15001e420}};
  array bits = make(WEBNN_XLA_U64, list_of((const uint32_t[]){2}, 1));
  uint64_t next[3];
  int i;
  for (i = 0; i < 3; i++) {
    generate(i == 0 ? WEBNN_XLA_RNG_DEFAULT : WEBNN_XLA_RNG_THREE_FRY, threefry[i], 2, &bits, next);
    CHECK("threefry", get_bits(&bits, 0) == threefry[i][2], "case %d: 0x%llx", i,
          (unsigned long long)get_bits(&bits, 0));
    CHECK("threefry", next[0] == threefry[i][0] && next[1] == threefry[i][1] + 2, "state %d", i);
    generate(WEBNN_XLA_RNG_PHILOX, philox[i], 3, &bits, next);
    CHECK("philox", get_bits(&bits, 0) == philox[i][3] && get_bits(&bits, 1) == philox[i][4],
          "case %d: 0x%llx 0x%llx", i, (unsigned long long)get_bits(&bits, 0),
          (unsigned long long)get_bits(&bits, 1));
    CHECK("philox",
          next[0] == philox[i][0] && next[1] == philox[i][1] + 1 &&
              next[2] == philox[i][2] + (next[1] == 0),
          "state %d", i);
  }
  drop(&bits, 1);
}

/* StableHLO's example of the operation. */
static void check_example_of_generator(void) {
  static const uint64_t want[] = {UINT64_C(9236835810183407956), UINT64_C(16087790271692313299),
                                  UINT64_C(18212823393184779219), UINT64_C(2658481902456610144)};
  static const uint64_t start[] = {1, 2};
  array bits = make(WEBNN_XLA_U64, list_of((const uint32_t[]){2, 2}, 2));
  uint64_t next[2];
  size_t i;
  generate(WEBNN_XLA_RNG_THREE_FRY, start, 2, &bits, next);
  for (i = 0; i < 4; i++) {
    CHECK("rng example", get_bits(&bits, i) == want[i], "element %lu", (unsigned long)i);
  }
  CHECK("rng example", next[0] == 1 && next[1] == 6, "the state");
  drop(&bits, 1);
}

/* Elements of 32 bits and less against those of 64, which are whole blocks. Of Threefry neighbours
   along the first even dimension (else the longest) share a block; of Philox four elements do. */
static void check_arrangement(webnn_xla_rng_algorithm algorithm, webnn_xla_type type) {
  const webnn_list shape = random_shape(0, 4, 5);
  const uint64_t start[2] = {test_random(&random_state), test_random(&random_state)};
  array bits = make(type, shape);
  array blocks = make(WEBNN_XLA_U64, list_of((const uint32_t[]){(uint32_t)bits.count + 8}, 1));
  uint64_t next[2];
  uint32_t d = 0, i;
  size_t behind = 1, size, k, used = 0;
  for (i = 0; i < shape.count; i++) {
    d = shape.items[i] > shape.items[d] ? i : d;
  }
  for (i = shape.count; i-- > 0;) {
    d = shape.items[i] % 2 == 0 ? i : d;
  }
  size = shape.count ? shape.items[d] : 1;
  for (i = d + 1; i < shape.count; i++) {
    behind *= shape.items[i];
  }
  generate(algorithm, start, 2, &blocks, next);
  generate(algorithm, start, 2, &bits, next);
  for (k = 0; k < bits.count; k++) {
    const size_t j = k / behind % size;
    const size_t block = (k / behind / size * ((size + 1) / 2) + j / 2) * behind + k % behind;
    const bool upper = algorithm == WEBNN_XLA_RNG_PHILOX ? k % 2 : j % 2;
    const uint64_t whole =
        get_bits(&blocks, algorithm == WEBNN_XLA_RNG_PHILOX ? k / 2 : block) >> (upper ? 32 : 0);
    CHECK("arrangement", get_bits(&bits, k) == (whole & mask(bits_of(type))), "%s%s element %lu",
          webnn_xla_type_name(type), test_shape_text(shape), (unsigned long)k);
    used = block + 1 > used ? block + 1 : used;
  }
  used = algorithm == WEBNN_XLA_RNG_PHILOX ? (bits.count + 3) / 4 : used;
  CHECK("arrangement", next[0] == start[0] && next[1] == start[1] + used, "state of %s",
        test_shape_text(shape));
  drop(&bits, 1);
  drop(&blocks, 1);
}

static webnn_xla_value *record_uniform(webnn_xla_builder *b, webnn_xla_value *const *in,
                                       const void *user) {
  return webnn_xla_rng_uniform(b, in[0], in[1], shape_of((const array *)user));
}

/* All within the range, with the mean and the variance of a uniform distribution: (b - a)^2 / 12. */
static void check_uniform(webnn_xla_type type, double low, double high) {
  array in[2], got = make(type, list_of((const uint32_t[]){200, 100}, 2));
  double sum = 0, squares = 0, mean, span = high - low;
  size_t i;
  bool inside = true;
  for (i = 0; i < 2; i++) {
    in[i] = make(type, list_of(NULL, 0));
    fill_between(&in[i], i ? high : low, i ? high : low);
  }
  if (run("rng_uniform", record_uniform, &got, in, 2, &got, 1)) {
    for (i = 0; i < got.count; i++) {
      const double x = is_float(type) ? get_float(&got, i) : (double)get_integer(&got, i);
      inside = inside && x >= low && x < high;
      sum += (x - low) / span;
      squares += (x - low) / span * ((x - low) / span);
    }
    mean = sum / (double)got.count;
    CHECK("rng_uniform", inside, "%s: outside of the range", webnn_xla_type_name(type));
    if (span < 1) { /* few floats, the first of which has half as much to stand for */
      drop(in, 2);
      drop(&got, 1);
      return;
    }
    CHECK("rng_uniform", fabs(mean - (is_float(type) ? 0.5 : 0.5 - 0.5 / span)) < 0.012,
          "%s: the mean is %g", webnn_xla_type_name(type), mean);
    CHECK("rng_uniform",
          fabs(squares / (double)got.count - mean * mean -
               (is_float(type) ? 1 / 12.0 : 1 / 12.0 - 1 / (12 * span * span))) < 0.006,
          "%s: the variance", webnn_xla_type_name(type));
  }
  drop(in, 2);
  drop(&got, 1);
}

static void check_random(void) {
  static const webnn_xla_type narrow[] = {WEBNN_XLA_U8,   WEBNN_XLA_S16, WEBNN_XLA_F16,
                                          WEBNN_XLA_BF16, WEBNN_XLA_S32, WEBNN_XLA_F32};
  int turn;
  size_t t;
  check_known_answers();
  check_example_of_generator();
  for (turn = 0; turn < 60; turn++) {
    check_arrangement(turn % 2 ? WEBNN_XLA_RNG_PHILOX : WEBNN_XLA_RNG_THREE_FRY, narrow[turn % 6]);
  }
  for (t = 1; t < TYPES; t++) {
    check_uniform(types[t], is_signed(types[t]) || is_float(types[t]) ? -5 : 1, 6);
  }
  check_uniform(WEBNN_XLA_S64, -4e18, 4e18);
  check_uniform(WEBNN_XLA_U32, 0, 4e9);
  check_uniform(WEBNN_XLA_F32, 1, 1.0000012);
}

/* ---- Products -------------------------------------------------------------------------------- */

/* A sum of products in the type of a result: exact modulo 2^64, or in double with its magnitude. */
typedef struct sum {
  uint64_t integer;
  double number, magnitude, terms;
} sum;

static void add_product(sum *s, webnn_xla_type type, const array *a, size_t i, const array *b,
                        size_t k) {
  if (is_float(type)) {
    const double x = rounded(type, is_float(a->type) ? get_float(a, i) : (double)get_integer(a, i));
    const double y = rounded(type, is_float(b->type) ? get_float(b, k) : (double)get_integer(b, k));
    s->number += x * y;
    s->magnitude += fabs(x * y);
  } else if (type == WEBNN_XLA_PRED) {
    s->integer |= get_bits(a, i) & get_bits(b, k);
  } else {
    s->integer += (uint64_t)get_integer(a, i) * (uint64_t)get_integer(b, k);
  }
  s->terms++;
}

static bool is_sum(const char *name, const array *got, size_t i, const sum *s) {
  double off, bound;
  if (!is_float(got->type)) {
    return CHECK(name, get_bits(got, i) == (s->integer & mask(bits_of(got->type))),
                 "%s%s element %lu: %lld, not %lld", webnn_xla_type_name(got->type),
                 test_shape_text(got->shape), (unsigned long)i, (long long)get_integer(got, i),
                 (long long)number_of(got->type, s->integer));
  }
  off = fabs(get_float(got, i) - s->number);
  bound = s->terms * ldexp(s->magnitude, is_reference ? -40 : -24) +
          unit_at(got->type, s->number) * 0.501;
  return CHECK(name, off <= bound, "%s%s element %lu: %.9g, not %.9g",
               webnn_xla_type_name(got->type), test_shape_text(got->shape), (unsigned long)i,
               get_float(got, i), s->number);
}

/* The types of a product: two operands and a result. */
static void pick_types(webnn_xla_type out[3]) {
  static const webnn_xla_type wider[][3] = {{WEBNN_XLA_S8, WEBNN_XLA_S8, WEBNN_XLA_S32},
                                            {WEBNN_XLA_U8, WEBNN_XLA_S8, WEBNN_XLA_S32},
                                            {WEBNN_XLA_S8, WEBNN_XLA_S8, WEBNN_XLA_S64},
                                            {WEBNN_XLA_F16, WEBNN_XLA_F16, WEBNN_XLA_F32},
                                            {WEBNN_XLA_S4, WEBNN_XLA_S4, WEBNN_XLA_S8},
                                            {WEBNN_XLA_S16, WEBNN_XLA_S16, WEBNN_XLA_S64},
                                            {WEBNN_XLA_BF16, WEBNN_XLA_BF16, WEBNN_XLA_F32},
                                            {WEBNN_XLA_U8, WEBNN_XLA_U8, WEBNN_XLA_F32}};
  const uint32_t row = below(20);
  if (row < 8) {
    memcpy(out, wider[row], sizeof wider[row]);
  } else if (row < 12) {
    out[0] = out[1] = out[2] = WEBNN_XLA_F32;
  } else {
    out[0] = out[1] = out[2] = types[below(TYPES)];
  }
}

static void fill_factor(array *a) {
  if (is_float(a->type)) {
    fill_between(a, -2, 2);
  } else {
    fill_any(a);
  }
}

static void shuffle(uint32_t *items, uint32_t count) {
  uint32_t i;
  for (i = count; i > 1; i--) {
    const uint32_t k = below(i), item = items[i - 1];
    items[i - 1] = items[k];
    items[k] = item;
  }
}

/* 0 ... count - 1 in any order. */
static void permutation(uint32_t *items, uint32_t count) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    items[i] = i;
  }
  shuffle(items, count);
}

typedef struct dot {
  webnn_xla_dot_dimension_numbers n;
  webnn_xla_type type;
} dot;

static webnn_xla_value *record_dot(webnn_xla_builder *b, webnn_xla_value *const *in,
                                   const void *user) {
  const dot *d = (const dot *)user;
  return webnn_xla_dot_general(b, in[0], in[1], d->n, d->type);
}

/* Operands of `rank` dimensions, of which some are batching and contracting, in any order. The
   result is summed over all pairs of elements that agree in these. */
static void make_dot(dot *d, array in[2], array *out, webnn_xla_type const types_of[3],
                     uint32_t most) {
  const uint32_t batch = below(3), contracted = below(3);
  uint32_t order[2][WEBNN_MAX_RANK], sizes[2][WEBNN_MAX_RANK], shape[WEBNN_MAX_RANK], rank[2], k, s;
  uint32_t out_rank = batch;
  webnn_list *lists[2][2] = {{&d->n.left_batch, &d->n.left_contracting},
                             {&d->n.right_batch, &d->n.right_contracting}};
  for (s = 0; s < 2; s++) {
    rank[s] = batch + contracted + below(3);
    permutation(order[s], rank[s]);
    for (k = 0; k < rank[s]; k++) {
      sizes[s][order[s][k]] =
          s == 1 && k < batch + contracted ? sizes[0][order[0][k]] : pick(1, most);
      if (k < batch) {
        shape[k] = sizes[s][order[s][k]];
      }
    }
    *lists[s][0] = list_of(order[s], batch);
    *lists[s][1] = list_of(order[s] + batch, contracted);
    in[s] = make(types_of[s], list_of(sizes[s], rank[s]));
    fill_factor(&in[s]);
  }
  for (s = 0; s < 2; s++) { /* the others keep the order that they have in the operand */
    uint32_t dimension;
    for (dimension = 0; dimension < rank[s]; dimension++) {
      for (k = 0; k < batch + contracted && order[s][k] != dimension; k++) {
      }
      if (k == batch + contracted) {
        shape[out_rank++] = sizes[s][dimension];
      }
    }
  }
  d->type = types_of[2];
  *out = make(types_of[2], list_of(shape, out_rank));
}

static bool is_in(webnn_list list, uint32_t item) {
  uint32_t i;
  for (i = 0; i < list.count; i++) {
    if (list.items[i] == item) {
      return true;
    }
  }
  return false;
}

/* Places of the operands' elements for element `at` of the result and the contracted coordinates. */
static size_t place_of(const array *x, webnn_list batch, webnn_list contracted, const uint32_t *at,
                       uint32_t first_free, const uint32_t *inner) {
  uint32_t place[WEBNN_MAX_RANK], d;
  for (d = 0; d < batch.count; d++) {
    place[batch.items[d]] = at[d];
  }
  for (d = 0; d < contracted.count; d++) {
    place[contracted.items[d]] = inner[d];
  }
  for (d = 0; d < x->shape.count; d++) {
    if (!is_in(batch, d) && !is_in(contracted, d)) {
      place[d] = at[first_free++];
    }
  }
  return offset(x->shape, place);
}

static void check_dot(webnn_xla_type const types_of[3], uint32_t most) {
  dot d;
  array in[2], got;
  webnn_list contracted = WEBNN_EMPTY_LIST;
  uint32_t at[WEBNN_MAX_RANK], inner[WEBNN_MAX_RANK], k, left_free;
  size_t i, j, terms;
  make_dot(&d, in, &got, types_of, most);
  contracted.count = d.n.left_contracting.count;
  for (k = 0; k < contracted.count; k++) {
    contracted.items[k] = in[0].shape.items[d.n.left_contracting.items[k]];
  }
  terms = test_element_count(contracted);
  left_free = in[0].shape.count - d.n.left_batch.count - contracted.count;
  if (run("dot_general", record_dot, &d, in, 2, &got, 1)) {
    for (i = 0; i < got.count; i++) {
      sum s;
      memset(&s, 0, sizeof s);
      coordinates(got.shape, i, at);
      for (j = 0; j < terms; j++) {
        coordinates(contracted, j, inner);
        add_product(
            &s, got.type, &in[0],
            place_of(&in[0], d.n.left_batch, d.n.left_contracting, at, d.n.left_batch.count, inner),
            &in[1],
            place_of(&in[1], d.n.right_batch, d.n.right_contracting, at,
                     d.n.left_batch.count + left_free, inner));
      }
      if (!is_sum("dot_general", &got, i, &s)) {
        break;
      }
    }
  }
  drop(in, 2);
  drop(&got, 1);
}

/* Matrices with long sums: of 8-bit integers beyond what float32 holds at once, and products of wide
   integers in slices. */
static void check_long_dot(webnn_xla_type a, webnn_xla_type b, webnn_xla_type to, uint32_t m,
                           uint32_t k, uint32_t n) {
  const uint32_t left[2] = {m, k}, right[2] = {k, n}, out[2] = {m, n};
  array in[2], got = make(to, list_of(out, 2));
  dot d;
  size_t i, j;
  memset(&d, 0, sizeof d);
  d.n.left_contracting = list_of((const uint32_t[]){1}, 1);
  d.n.right_contracting = list_of((const uint32_t[]){0}, 1);
  d.type = to;
  in[0] = make(a, list_of(left, 2));
  in[1] = make(b, list_of(right, 2));
  for (i = 0; i < 2; i++) { /* the largest products there are */
    for (j = 0; j < in[i].count; j++) {
      const uint64_t top = UINT64_C(1) << (bits_of(in[i].type) - 1);
      set_bits(&in[i], j,
               below(8) == 0  ? test_random(&random_state)
               : is_signed(a) ? top
                              : ~UINT64_C(0));
    }
  }
  if (run("long dot", record_dot, &d, in, 2, &got, 1)) {
    for (i = 0; i < got.count; i++) {
      sum s;
      memset(&s, 0, sizeof s);
      for (j = 0; j < k; j++) {
        add_product(&s, to, &in[0], i / n * k + j, &in[1], j * n + i % n);
      }
      if (!is_sum("long dot", &got, i, &s)) {
        break;
      }
    }
  }
  drop(in, 2);
  drop(&got, 1);
}

static void check_dots(void) {
  webnn_xla_type types_of[3];
  int turn;
  for (turn = 0; turn < 250; turn++) {
    pick_types(types_of);
    check_dot(types_of, pick(1, 6));
  }
  check_long_dot(WEBNN_XLA_S8, WEBNN_XLA_S8, WEBNN_XLA_S32, 3, 5000, 2);
  check_long_dot(WEBNN_XLA_U8, WEBNN_XLA_U8, WEBNN_XLA_U32, 2, 1025, 3);
  check_long_dot(WEBNN_XLA_U8, WEBNN_XLA_U8, WEBNN_XLA_U8, 2, 700, 3);
  check_long_dot(WEBNN_XLA_S32, WEBNN_XLA_S32, WEBNN_XLA_S32, 70, 1000, 300);
  check_long_dot(WEBNN_XLA_S64, WEBNN_XLA_S64, WEBNN_XLA_S64, 1, 9000, 1900);
}

/* ---- Convolution ----------------------------------------------------------------------------- */

static webnn_xla_value *record_convolution(webnn_xla_builder *b, webnn_xla_value *const *in,
                                           const void *user) {
  return webnn_xla_convolution(b, in[0], in[1], (const webnn_xla_convolution_options *)user);
}

/* A random window along dimension k over `size` elements: how many places it has. */
static uint32_t make_window(webnn_xla_window *w, uint32_t k, uint32_t size, uint32_t window) {
  int64_t covered, padded;
  w->strides.items[k] = below(2) ? 1 : pick(1, 3);
  w->base_dilations.items[k] = below(3) ? 1 : pick(1, 3);
  w->window_dilations.items[k] = below(3) ? 1 : pick(1, 3);
  w->padding_low[k] = below(2) ? 0 : (int64_t)below(5) - 1;
  w->padding_high[k] = below(2) ? 0 : (int64_t)below(5) - 1;
  w->reversed[k] = below(4) == 0;
  padded =
      (int64_t)(size - 1) * w->base_dilations.items[k] + 1 + w->padding_low[k] + w->padding_high[k];
  covered = (int64_t)(window - 1) * w->window_dilations.items[k] + 1;
  return padded < covered ? 0 : (uint32_t)((padded - covered) / w->strides.items[k]) + 1;
}

/* Dimension numbers in any order: of the input, the kernel and the output. */
static void make_numbers(webnn_xla_convolution_options *o, uint32_t order[3][WEBNN_MAX_RANK],
                         uint32_t spatial) {
  uint32_t k;
  for (k = 0; k < 3; k++) {
    permutation(order[k], spatial + 2);
  }
  o->input_batch_dimension = order[0][0];
  o->input_feature_dimension = order[0][1];
  o->input_spatial_dimensions = list_of(order[0] + 2, spatial);
  o->kernel_output_feature_dimension = order[1][0];
  o->kernel_input_feature_dimension = order[1][1];
  o->kernel_spatial_dimensions = list_of(order[1] + 2, spatial);
  o->output_batch_dimension = order[2][0];
  o->output_feature_dimension = order[2][1];
  o->output_spatial_dimensions = list_of(order[2] + 2, spatial);
}

/* A random convolution of `spatial` dimensions; false if no window fits. */
static bool make_convolution(webnn_xla_convolution_options *o, array in[2], array *out,
                             webnn_xla_type const types_of[3], uint32_t spatial) {
  const uint32_t groups = pick(1, 3), by = below(3), each = pick(1, 3);
  uint32_t order[3][WEBNN_MAX_RANK], sizes[3][WEBNN_MAX_RANK], k;
  webnn_xla_window *w = &o->window;
  memset(o, 0, sizeof *o);
  o->feature_group_count = by == 1 ? groups : below(2);
  o->batch_group_count = by == 2 ? groups : below(2);
  make_numbers(o, order, spatial);
  o->result_type = types_of[2];
  sizes[2][order[2][0]] = pick(1, 3);
  sizes[0][order[0][0]] = sizes[2][order[2][0]] * (by == 2 ? groups : 1);
  sizes[0][order[0][1]] = each * (by == 1 ? groups : 1);
  sizes[1][order[1][1]] = each;
  sizes[1][order[1][0]] = sizes[2][order[2][1]] = pick(1, 3) * (by ? groups : 1);
  w->strides = w->base_dilations = w->window_dilations = list_of(order[0], spatial);
  for (k = 0; k < spatial; k++) {
    const uint32_t size = pick(1, spatial > 2 ? 5 : 9), window = pick(1, 3);
    sizes[0][order[0][k + 2]] = size;
    sizes[1][order[1][k + 2]] = window;
    sizes[2][order[2][k + 2]] = make_window(w, k, size, window);
    if (sizes[2][order[2][k + 2]] == 0) {
      return false;
    }
  }
  for (k = 0; k < 2; k++) {
    in[k] = make(types_of[k], list_of(sizes[k], spatial + 2));
    fill_factor(&in[k]);
  }
  *out = make(types_of[2], list_of(sizes[2], spatial + 2));
  return true;
}

/* One element of the result: over the inputs of its group and the window's places, where they meet an
   element of the base between holes and edges. */
static sum convolved(const webnn_xla_convolution_options *o, const array in[2], const array *out,
                     size_t i) {
  const uint32_t spatial = o->input_spatial_dimensions.count;
  const uint32_t features = in[1].shape.items[o->kernel_input_feature_dimension];
  const uint32_t outputs = in[1].shape.items[o->kernel_output_feature_dimension];
  const uint32_t f = o->feature_group_count ? o->feature_group_count : 1;
  const uint32_t g = o->batch_group_count ? o->batch_group_count : 1;
  uint32_t at[WEBNN_MAX_RANK], x[WEBNN_MAX_RANK], w[WEBNN_MAX_RANK], k;
  size_t j;
  sum s;
  memset(&s, 0, sizeof s);
  coordinates(out->shape, i, at);
  for (j = 0; j < in[1].count; j++) {
    const uint32_t output = at[o->output_feature_dimension];
    bool meets = true;
    coordinates(in[1].shape, j, w);
    if (w[o->kernel_output_feature_dimension] != output) {
      continue;
    }
    x[o->input_batch_dimension] =
        output / (outputs / g) * out->shape.items[o->output_batch_dimension] +
        at[o->output_batch_dimension];
    x[o->input_feature_dimension] =
        output / (outputs / f) * features + w[o->kernel_input_feature_dimension];
    for (k = 0; k < spatial; k++) {
      const uint32_t window = in[1].shape.items[o->kernel_spatial_dimensions.items[k]];
      const uint32_t own = w[o->kernel_spatial_dimensions.items[k]];
      const uint32_t tap = o->window.reversed[k] ? window - 1 - own : own;
      const int64_t place =
          (int64_t)at[o->output_spatial_dimensions.items[k]] * o->window.strides.items[k] +
          (int64_t)tap * o->window.window_dilations.items[k] - o->window.padding_low[k];
      const int64_t dilation = o->window.base_dilations.items[k];
      const int64_t size = in[0].shape.items[o->input_spatial_dimensions.items[k]];
      meets = meets && place >= 0 && place % dilation == 0 && place / dilation < size;
      x[o->input_spatial_dimensions.items[k]] = meets ? (uint32_t)(place / dilation) : 0;
    }
    if (meets) {
      add_product(&s, out->type, &in[0], offset(in[0].shape, x), &in[1], j);
    }
  }
  return s;
}

static void check_convolution(uint32_t spatial) {
  webnn_xla_convolution_options o;
  webnn_xla_type types_of[3];
  array in[2], got;
  size_t i;
  pick_types(types_of);
  if (!make_convolution(&o, in, &got, types_of, spatial)) {
    return;
  }
  if (run("convolution", record_convolution, &o, in, 2, &got, 1)) {
    for (i = 0; i < got.count; i++) {
      const sum s = convolved(&o, in, &got, i);
      if (!is_sum("convolution", &got, i, &s)) {
        break;
      }
    }
  }
  drop(in, 2);
  drop(&got, 1);
}

/* ConvWithGeneralPadding and Conv by the text's own formula. */
typedef struct text_convolution {
  webnn_list strides;
  webnn_xla_padding_kind kind;
} text_convolution;

static webnn_xla_value *record_conv(webnn_xla_builder *b, webnn_xla_value *const *in,
                                    const void *user) {
  const text_convolution *t = (const text_convolution *)user;
  return webnn_xla_conv(b, in[0], in[1], t->strides, t->kind);
}

/* out(b, oz, oy, ox) = sum of in(b, iz, oy sy + ky - low y, ox sx + kx - low x) w(oz, iz, ky, kx). */
static sum convolved_by_text(const array in[2], const array *out, size_t i,
                             const text_convolution *t, const int64_t low[2]) {
  const webnn_list x = in[0].shape, w = in[1].shape;
  uint32_t at[4], tap[4], place[4];
  size_t j;
  sum s;
  memset(&s, 0, sizeof s);
  coordinates(out->shape, i, at);
  for (j = 0; j < in[1].count; j++) {
    int64_t row, column;
    coordinates(w, j, tap);
    row = (int64_t)at[2] * t->strides.items[0] + tap[2] - low[0];
    column = (int64_t)at[3] * t->strides.items[1] + tap[3] - low[1];
    if (tap[0] == at[1] && row >= 0 && row < x.items[2] && column >= 0 && column < x.items[3]) {
      place[0] = at[0];
      place[1] = tap[1];
      place[2] = (uint32_t)row;
      place[3] = (uint32_t)column;
      add_product(&s, out->type, &in[0], offset(x, place), &in[1], j);
    }
  }
  return s;
}

static void check_conv(webnn_xla_padding_kind kind) {
  text_convolution t;
  uint32_t x[4] = {2, 3, pick(3, 9), pick(3, 9)}, w[4] = {4, 3, pick(1, 3), pick(1, 3)};
  uint32_t y[4] = {2, 4, 0, 0}, stride[2] = {pick(1, 3), pick(1, 3)}, k;
  int64_t low[2] = {0, 0};
  array in[2], got;
  size_t i;
  for (k = 0; k < 2; k++) {
    if (kind == WEBNN_XLA_SAME) {
      const int64_t size = (x[k + 2] + stride[k] - 1) / stride[k];
      const int64_t total = (size - 1) * stride[k] + w[k + 2] - x[k + 2];
      y[k + 2] = (uint32_t)size;
      low[k] = total > 0 ? total / 2 : 0;
    } else {
      y[k + 2] = (x[k + 2] - w[k + 2]) / stride[k] + 1;
    }
  }
  t.strides = list_of(stride, 2);
  t.kind = kind;
  in[0] = make(WEBNN_XLA_F32, list_of(x, 4));
  in[1] = make(WEBNN_XLA_F32, list_of(w, 4));
  got = make(WEBNN_XLA_F32, list_of(y, 4));
  fill_factor(&in[0]);
  fill_factor(&in[1]);
  if (run("conv", record_conv, &t, in, 2, &got, 1)) {
    for (i = 0; i < got.count; i++) {
      const sum s = convolved_by_text(in, &got, i, &t, low);
      if (!is_sum("conv", &got, i, &s)) {
        break;
      }
    }
  }
  drop(in, 2);
  drop(&got, 1);
}

static void check_convolutions(void) {
  int turn;
  for (turn = 0; turn < 500; turn++) {
    check_convolution(turn % 3 ? pick(0, 2) : pick(0, 4));
  }
  for (turn = 0; turn < 20; turn++) {
    check_conv(turn % 2 ? WEBNN_XLA_SAME : WEBNN_XLA_VALID);
  }
}

/* ---- Triangular systems ---------------------------------------------------------------------- */

static webnn_xla_value *record_solve(webnn_xla_builder *b, webnn_xla_value *const *in,
                                     const void *user) {
  return webnn_xla_triangular_solve(b, in[0], in[1],
                                    *(const webnn_xla_triangular_solve_options *)user);
}

/* A triangle of small numbers. The other one, and of a unit diagonal that, too, must not be read. */
static void fill_triangle(array *a, uint32_t n, webnn_xla_triangular_solve_options o) {
  size_t i;
  for (i = 0; i < a->count; i++) {
    const size_t row = i / n % n, column = i % n;
    const bool inside = o.lower ? column < row : column > row;
    set_float(a, i, inside ? (double)below(3) - 1 : (double)NAN);
    if (row == column && !o.unit_diagonal) {
      set_float(a, i, below(2) ? 2 : -1);
    }
  }
}

/* Element i of op(a) x, or of x op(a). */
static double right_hand_side(const array *a, const array *x, size_t i,
                              webnn_xla_triangular_solve_options o) {
  const uint32_t n = a->shape.items[2], rows = x->shape.items[1], columns = x->shape.items[2];
  const size_t matrix = i / rows / columns, row = i / columns % rows, column = i % columns;
  double total = 0;
  size_t j;
  for (j = 0; j < n; j++) {
    const size_t first = o.right_side ? j : row, second = o.right_side ? column : j;
    const size_t at = o.transpose_a ? second * n + first : first * n + second;
    const double factor =
        first == second && o.unit_diagonal ? 1 : get_float(a, matrix * n * n + at);
    const size_t from = o.right_side ? row * n + j : j * columns + column;
    total += isnan(factor) ? 0 : factor * get_float(x, matrix * rows * columns + from);
  }
  return total;
}

/* The right-hand side for known x, in numbers of which all products are exact. */
static void check_solve(webnn_xla_type type, uint32_t n, uint32_t k,
                        webnn_xla_triangular_solve_options o) {
  const uint32_t batch = pick(1, 3);
  const uint32_t as[3] = {batch, n, n}, bs[3] = {batch, o.right_side ? k : n, o.right_side ? n : k};
  array in[2], got, want;
  size_t i;
  in[0] = make(type, list_of(as, 3));
  in[1] = make(type, list_of(bs, 3));
  got = make(type, in[1].shape);
  want = make(type, in[1].shape);
  fill_triangle(&in[0], n, o);
  for (i = 0; i < want.count; i++) {
    set_float(&want, i, (double)below(5) - 2);
  }
  for (i = 0; i < want.count; i++) {
    set_float(&in[1], i, right_hand_side(&in[0], &want, i, o));
  }
  if (run("triangular_solve", record_solve, &o, in, 2, &got, 1)) {
    for (i = 0; i < want.count; i++) {
      if (!CHECK("triangular_solve", get_float(&got, i) == get_float(&want, i),
                 "%s n %u%s%s%s%s: %g, not %g", webnn_xla_type_name(type), n,
                 o.right_side ? " right" : "", o.lower ? " lower" : "",
                 o.unit_diagonal ? " unit" : "", o.transpose_a ? " transposed" : "",
                 get_float(&got, i), get_float(&want, i))) {
        break;
      }
    }
  }
  drop(in, 2);
  drop(&got, 1);
  drop(&want, 1);
}

static webnn_xla_value *record_cholesky(webnn_xla_builder *b, webnn_xla_value *const *in,
                                        const void *user) {
  return webnn_xla_cholesky(b, in[0], *(const bool *)user);
}

/* a = f f^T for a known factor of small integers, so that it comes back exactly. Only one triangle of
   a is there. */
static void check_cholesky(webnn_xla_type type, uint32_t n, bool lower) {
  const uint32_t sizes[3] = {pick(1, 3), n, n};
  array a = make(type, list_of(sizes, 3)), got = make(type, a.shape), want = make(type, a.shape);
  size_t i, j;
  for (i = 0; i < want.count; i++) {
    const size_t row = i / n % n, column = i % n;
    const bool inside = lower ? column < row : column > row;
    set_float(&want, i, row == column ? 1 + below(2) : inside ? (double)below(3) - 1 : 0);
  }
  for (i = 0; i < a.count; i++) {
    const size_t matrix = i / (n * n) * n * n, row = i / n % n, column = i % n;
    double total = 0;
    for (j = 0; j < n; j++) {
      total +=
          lower
              ? get_float(&want, matrix + row * n + j) * get_float(&want, matrix + column * n + j)
              : get_float(&want, matrix + j * n + row) * get_float(&want, matrix + j * n + column);
    }
    set_float(&a, i, (lower ? column > row : column < row) ? (double)NAN : total);
  }
  if (run("cholesky", record_cholesky, &lower, &a, 1, &got, 1)) {
    for (i = 0; i < want.count; i++) {
      if (!CHECK("cholesky", get_float(&got, i) == get_float(&want, i), "%s n %u: %g, not %g",
                 webnn_xla_type_name(type), n, get_float(&got, i), get_float(&want, i))) {
        break;
      }
    }
  }
  drop(&a, 1);
  drop(&got, 1);
  drop(&want, 1);
}

static void check_systems(void) {
  static const webnn_xla_type floats[] = {WEBNN_XLA_F32, WEBNN_XLA_F16, WEBNN_XLA_BF16};
  uint32_t n;
  int bits;
  for (n = 1; n <= 7; n++) {
    for (bits = 0; bits < 16; bits++) {
      webnn_xla_triangular_solve_options o;
      o.right_side = bits & 1;
      o.lower = bits >> 1 & 1;
      o.unit_diagonal = bits >> 2 & 1;
      o.transpose_a = bits >> 3 & 1;
      check_solve(n < 4 ? floats[bits % 3] : WEBNN_XLA_F32, n, pick(1, 3), o);
    }
    check_cholesky(floats[n % 3], n, true);
    check_cholesky(floats[n % 3], n, false);
  }
}

/* ---- Normalization --------------------------------------------------------------------------- */

static const float epsilon = 0.01f;

typedef struct normalization {
  uint32_t feature;
} normalization;

static webnn_xla_value *record_inference(webnn_xla_builder *b, webnn_xla_value *const *in,
                                         const void *user) {
  return webnn_xla_batch_norm_inference(b, in[0], in[1], in[2], in[3], in[4], epsilon,
                                        ((const normalization *)user)->feature);
}

static webnn_xla_value *record_training(webnn_xla_builder *b, webnn_xla_value *const *in,
                                        const void *user) {
  return webnn_xla_batch_norm_training(b, in[0], in[1], in[2], epsilon,
                                       ((const normalization *)user)->feature);
}

static webnn_xla_value *record_grad(webnn_xla_builder *b, webnn_xla_value *const *in,
                                    const void *user) {
  return webnn_xla_batch_norm_grad(b, in[0], in[1], in[2], in[3], in[4], epsilon,
                                   ((const normalization *)user)->feature);
}

/* Which feature element i is of. */
static size_t feature_of(const array *x, uint32_t feature, size_t i) {
  uint32_t at[WEBNN_MAX_RANK];
  coordinates(x->shape, i, at);
  return at[feature];
}

static void moments(const array *x, uint32_t feature, size_t f, double *mean, double *variance) {
  double sum_of = 0, squares = 0, n = 0;
  size_t i;
  for (i = 0; i < x->count; i++) {
    if (feature_of(x, feature, i) == f) {
      sum_of += get_float(x, i);
      n++;
    }
  }
  *mean = sum_of / n;
  for (i = 0; i < x->count; i++) {
    const double d = get_float(x, i) - *mean;
    squares += feature_of(x, feature, i) == f ? d * d : 0;
  }
  *variance = squares / n;
}

/* sum of g y, with y the training's result: what the gradients are of. */
static double loss(const array *x, const array *scale, const array *offset_of, const array *g,
                   uint32_t feature) {
  double total = 0, mean[8], variance[8];
  size_t i, f;
  for (f = 0; f < scale->count; f++) {
    moments(x, feature, f, &mean[f], &variance[f]);
  }
  for (i = 0; i < x->count; i++) {
    f = feature_of(x, feature, i);
    total += get_float(g, i) * (get_float(scale, f) * (get_float(x, i) - mean[f]) /
                                    sqrt(variance[f] + (double)epsilon) +
                                get_float(offset_of, f));
  }
  return total;
}

static void is_near(const char *name, const array *got, size_t i, double want, double bound) {
  const double half = unit_at(got->type, want) / 2;
  CHECK(name, fabs(get_float(got, i) - want) <= bound + 1.01 * half, "%s element %lu: %g, not %g",
        webnn_xla_type_name(got->type), (unsigned long)i, get_float(got, i), want);
}

/* The gradient along element i of one of the operands, by the quotient of finite differences: in
   float32, whose neighbours 2^-6 apart are exact for these operands. */
static double slope(array *operand, size_t i, const array *x, const array *scale,
                    const array *offset_of, const array *g, uint32_t feature) {
  const double old = get_float(operand, i), step = ldexp(1, -7);
  double above, low;
  set_float(operand, i, old + step);
  above = loss(x, scale, offset_of, g, feature);
  set_float(operand, i, old - step);
  low = loss(x, scale, offset_of, g, feature);
  set_float(operand, i, old);
  return (above - low) / (2 * step);
}

static void check_normalization(webnn_xla_type type) {
  const webnn_list shape = random_shape(2, 4, 4);
  const double much = type == WEBNN_XLA_F32 ? 2e-5 : type == WEBNN_XLA_F16 ? 2e-2 : 2e-1;
  normalization o;
  array in[5], out[3], g = make(type, shape);
  size_t i;
  o.feature = below(shape.count);
  for (i = 0; i < 5; i++) {
    in[i] = make(type, i ? list_of(&shape.items[o.feature], 1) : shape);
    fill_between(&in[i], i == 4 ? 0.5 : -2, 2);
  }
  fill_between(&g, -1, 1);
  out[0] = make(type, shape);
  out[1] = make(type, in[1].shape);
  out[2] = make(type, in[1].shape);
  if (run("batch_norm_inference", record_inference, &o, in, 5, out, 1)) {
    for (i = 0; i < g.count; i++) {
      const size_t f = feature_of(&g, o.feature, i);
      is_near("batch_norm_inference", &out[0], i,
              get_float(&in[1], f) * (get_float(&in[0], i) - get_float(&in[3], f)) /
                      sqrt(get_float(&in[4], f) + (double)epsilon) +
                  get_float(&in[2], f),
              1e-5);
    }
  }
  if (run("batch_norm_training", record_training, &o, in, 3, out, 3)) {
    for (i = 0; i < g.count; i++) {
      const size_t f = feature_of(&g, o.feature, i);
      double mean, variance;
      moments(&in[0], o.feature, f, &mean, &variance);
      is_near("batch_norm_training", &out[1], f, mean, much);
      is_near("batch_norm_training", &out[2], f, variance, much);
      is_near("batch_norm_training", &out[0], i,
              get_float(&in[1], f) * (get_float(&in[0], i) - mean) /
                      sqrt(variance + (double)epsilon) +
                  get_float(&in[2], f),
              much * 20);
    }
  }
  drop(in, 5);
  drop(out, 3);
  drop(&g, 1);
}

/* Gradients in float32, against finite differences in double. */
static void check_gradient(void) {
  const webnn_list shape = random_shape(2, 4, 4);
  normalization o;
  array in[5], out[3], offset_of;
  size_t i, f;
  o.feature = below(shape.count);
  for (i = 0; i < 5; i++) { /* x, scale, mean, variance, the gradient of the output */
    in[i] = make(WEBNN_XLA_F32, i && i < 4 ? list_of(&shape.items[o.feature], 1) : shape);
    fill_between(&in[i], -2, 2);
  }
  for (i = 0; i < in[0].count; i++) { /* well apart, so that no variance is small */
    set_float(&in[0], i, (double)(i * 7 % 11) / 2 - 3);
  }
  offset_of = make(WEBNN_XLA_F32, in[1].shape);
  for (f = 0; f < in[1].count; f++) {
    double mean, variance;
    moments(&in[0], o.feature, f, &mean, &variance);
    set_float(&in[2], f, mean);
    set_float(&in[3], f, variance);
  }
  out[0] = make(WEBNN_XLA_F32, shape);
  out[1] = make(WEBNN_XLA_F32, in[1].shape);
  out[2] = make(WEBNN_XLA_F32, in[1].shape);
  if (run("batch_norm_grad", record_grad, &o, in, 5, out, 3)) {
    for (i = 0; i < in[0].count; i++) {
      is_near("gradient of x", &out[0], i,
              slope(&in[0], i, &in[0], &in[1], &offset_of, &in[4], o.feature), 4e-3);
    }
    for (f = 0; f < in[1].count; f++) {
      is_near("gradient of scale", &out[1], f,
              slope(&in[1], f, &in[0], &in[1], &offset_of, &in[4], o.feature), 1e-4);
      is_near("gradient of offset", &out[2], f,
              slope(&offset_of, f, &in[0], &in[1], &offset_of, &in[4], o.feature), 1e-4);
    }
  }
  drop(in, 5);
  drop(out, 3);
  drop(&offset_of, 1);
}

static void check_normalizations(void) {
  int turn;
  for (turn = 0; turn < 10; turn++) {
    check_normalization(WEBNN_XLA_F32);
    check_normalization(WEBNN_XLA_F16);
    check_normalization(WEBNN_XLA_BF16);
    check_gradient();
  }
}

/* ---- What is refused ------------------------------------------------------------------------- */

static webnn_xla_module *module;
static webnn_xla_builder *builder;

static webnn_xla_value *operand(webnn_xla_type type, webnn_list shape) {
  return webnn_xla_fill(builder, webnn_xla_shape_of(type, shape), 1);
}

/* The value is NULL, the module has a TypeError whose message holds the text; it is forgotten. */
static void refused(const char *name, const webnn_xla_value *value, const char *text) {
  CHECK(name,
        !value && webnn_xla_module_status(module) == WEBNN_TYPE_ERROR &&
            strstr(webnn_xla_module_message(module), text),
        "\"%s\" does not say \"%s\"", webnn_xla_module_message(module), text);
  webnn_xla_module_clear_error(module);
}

static void refuse_products(void) {
  webnn_xla_value *m = operand(WEBNN_XLA_F32, WEBNN_LIST(2, 3));
  webnn_xla_value *v = operand(WEBNN_XLA_F32, WEBNN_LIST(3)),
                  *n = operand(WEBNN_XLA_S32, WEBNN_LIST(3));
  webnn_xla_value *x = operand(WEBNN_XLA_F32, WEBNN_LIST(1, 3, 8, 8));
  webnn_xla_value *w = operand(WEBNN_XLA_F32, WEBNN_LIST(4, 3, 3, 3));
  webnn_xla_value *square = operand(WEBNN_XLA_F32, WEBNN_LIST(3, 3));
  webnn_xla_dot_dimension_numbers d;
  webnn_xla_triangular_solve_options o;
  webnn_xla_window window;
  memset(&d, 0, sizeof d);
  memset(&o, 0, sizeof o);
  memset(&window, 0, sizeof window);
  refused("dot", webnn_xla_dot(builder, m, m), "[1] of F32[2, 3] must be as large as [0]");
  refused("dot", webnn_xla_dot(builder, v, x), "vectors or matrices");
  refused("dot", webnn_xla_dot(builder, v, n), "the result's type must be given");
  d.left_contracting = WEBNN_LIST(5);
  d.right_contracting = WEBNN_LIST(0);
  refused("dot", webnn_xla_dot_general(builder, m, v, d, (webnn_xla_type)0), "below 2");
  d.left_contracting = WEBNN_LIST(0, 0);
  refused("dot", webnn_xla_dot_general(builder, m, v, d, (webnn_xla_type)0), "different");
  refused("conv", webnn_xla_conv(builder, x, m, WEBNN_LIST(1, 1), WEBNN_XLA_VALID), "4 items");
  refused("conv", webnn_xla_conv(builder, w, x, WEBNN_LIST(1, 1), WEBNN_XLA_VALID), "empty");
  refused("conv", webnn_xla_conv(builder, w, w, WEBNN_LIST(1), WEBNN_XLA_VALID), "strides");
  refused("conv", webnn_xla_conv(builder, v, v, WEBNN_LIST(1), WEBNN_XLA_VALID), "no batch");
  window.padding_low[0] = -9;
  refused("conv", webnn_xla_conv_with_general_padding(builder, x, w, window), "empty");
  refused("solve", webnn_xla_triangular_solve(builder, m, m, o), "no square");
  refused("solve", webnn_xla_triangular_solve(builder, square, m, o), "no right-hand side");
  refused("cholesky", webnn_xla_cholesky(builder, m, true), "no square");
  refused("norm", webnn_xla_batch_norm_training(builder, x, v, v, 0, 4), "no features");
  refused("norm", webnn_xla_batch_norm_training(builder, x, v, v, 0, 2), "each feature");
}

static void refuse_functions(void) {
  webnn_xla_value *f = operand(WEBNN_XLA_F32, WEBNN_LIST(3)),
                  *n = operand(WEBNN_XLA_S32, WEBNN_LIST(3));
  webnn_xla_value *eight = operand(WEBNN_XLA_PRED, WEBNN_LIST(8)),
                  *u = operand(WEBNN_XLA_U64, WEBNN_LIST(3));
  webnn_xla_quantization q;
  const float scale = -1;
  const int64_t zero = 0;
  memset(&q, 0, sizeof q);
  q.storage_type = WEBNN_XLA_S8;
  q.expressed_type = WEBNN_XLA_F32;
  q.storage_max = 200;
  q.scales = &scale;
  q.zero_points = &zero;
  q.count = 1;
  refused("cbrt", webnn_xla_cbrt(builder, n), "of a float type, but is S32");
  refused("popcnt", webnn_xla_popcnt(builder, f), "of an integer type, but is F32");
  refused("and", webnn_xla_and_(builder, f, f), "integer type or PRED");
  refused("shift_left", webnn_xla_shift_left(builder, n, u), "S32 and U64");
  refused("sign", webnn_xla_sign(builder, u), "signed");
  refused("total order", webnn_xla_compare_total_order(builder, WEBNN_XLA_LT, n, n), "floats");
  refused("bitcast", webnn_xla_bitcast_convert(builder, n, WEBNN_XLA_U64), "last dimension");
  refused("bitcast", webnn_xla_bitcast_convert(builder, eight, WEBNN_XLA_U8), "PRED has no bits");
  refused("precision", webnn_xla_reduce_precision(builder, n, 5, 10), "a float type");
  refused("precision", webnn_xla_reduce_precision(builder, f, 0, 10), "at least one");
  refused("quantize", webnn_xla_uniform_quantize(builder, f, &q), "0 to 200 is no part of S8");
  q.storage_max = 100;
  refused("quantize", webnn_xla_uniform_quantize(builder, f, &q), "positive");
  refused("rng",
          webnn_xla_rng_uniform(builder, f, f, webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_LIST(2))),
          "a scalar");
  refused("rng",
          webnn_xla_rng_bit_generator(builder, WEBNN_XLA_RNG_THREE_FRY, u,
                                      webnn_xla_shape_of(WEBNN_XLA_U32, WEBNN_LIST(2))),
          "U64[3]");
}

static void check_refusals(void) {
  module = webnn_xla_create_module();
  builder = webnn_xla_begin(module, "refused");
  refuse_products();
  refuse_functions();
  webnn_xla_free_module(module);
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  int turn;
  for (turn = 0; turn < 2; turn++) {
    is_reference = turn == 0;
    options.numerics = turn == 0 ? WEBNN_NUMERICS_REFERENCE : WEBNN_NUMERICS_FAST;
    context = test_context(&options);
    check_elementwise();
    check_functions();
    check_bits();
    check_types();
    check_quantizations();
    check_random();
    check_dots();
    check_convolutions();
    check_systems();
    check_normalizations();
    webnn_free_context(context);
  }
  check_refusals();
  return test_end();
}
