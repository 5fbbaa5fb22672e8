/* What exact_operators.c computes with: numbers of MPFR, elements of every data type as their bit
   patterns, random shapes and values, and the case at hand. Nothing here is the library's: patterns
   are taken apart and put together by the definition of the formats.

   Numbers that formulas meet on the way have DEEP bits. Sums and products of elements fit in them
   exactly. What does not fit is rounded to odd: cut off, with the last bit set, so that it stays on
   the same side of every number of fewer bits. A quotient or root of such numbers is further from a
   midpoint of two floats than the error, or is that midpoint: two algebraic numbers made from so
   few bits cannot be closer than 2^-3000 of their size. Functions that are not algebraic have FINE
   bits; none of their values at a float other than 0, 1 and infinities is a midpoint. */
#ifndef WEBNN_EXACT_OPERATORS_VALUES_H
#define WEBNN_EXACT_OPERATORS_VALUES_H

#include "test.h"
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

enum { DEEP = 4096, FINE = 512, ELEMENT = 64 };

/* ---- Numbers --------------------------------------------------------------------------------- */

/* y was computed toward zero with this ternary value: makes it odd unless it is exact. */
static void odd(mpfr_ptr y, int ternary) {
  if (ternary == 0 || mpfr_nan_p(y))
    return;
  if (mpfr_zero_p(y)) {
    if (ternary < 0)
      mpfr_nextabove(y);
    else
      mpfr_nextbelow(y);
  } else if (mpfr_min_prec(y) < mpfr_get_prec(y)) {
    if (mpfr_sgn(y) > 0)
      mpfr_nextabove(y);
    else
      mpfr_nextbelow(y);
  }
}
static void add(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b) {
  odd(y, mpfr_add(y, a, b, MPFR_RNDZ));
}
static void subtract(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b) {
  odd(y, mpfr_sub(y, a, b, MPFR_RNDZ));
}
static void multiply(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b) {
  odd(y, mpfr_mul(y, a, b, MPFR_RNDZ));
}
static void divide(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b) {
  odd(y, mpfr_div(y, a, b, MPFR_RNDZ));
}
static void square_root(mpfr_ptr y, mpfr_srcptr a) {
  odd(y, mpfr_sqrt(y, a, MPFR_RNDZ));
}

typedef int (*mpfr_function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/* One function of a number. */
static void apply(mpfr_function function, mpfr_ptr y, mpfr_srcptr x) {
  mpfr_t t;
  mpfr_init2(t, FINE);
  odd(t, function(t, x, MPFR_RNDZ));
  mpfr_set(y, t, MPFR_RNDZ);
  mpfr_clear(t);
}

/* NaN if either is; of two zeros +0 (for the smaller: -0). */
static void larger(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b) {
  if (mpfr_nan_p(a) || mpfr_nan_p(b))
    mpfr_set_nan(y);
  else if (mpfr_zero_p(a) && mpfr_zero_p(b))
    mpfr_set_zero(y, mpfr_signbit(a) && mpfr_signbit(b) ? -1 : 1);
  else
    mpfr_set(y, mpfr_greater_p(a, b) ? a : b, MPFR_RNDZ);
}
static void smaller(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b) {
  if (mpfr_nan_p(a) || mpfr_nan_p(b))
    mpfr_set_nan(y);
  else if (mpfr_zero_p(a) && mpfr_zero_p(b))
    mpfr_set_zero(y, mpfr_signbit(a) || mpfr_signbit(b) ? -1 : 1);
  else
    mpfr_set(y, mpfr_less_p(a, b) ? a : b, MPFR_RNDZ);
}

/* A sum of terms: -0 if all are, else +0 where it is zero; +0 without terms. */
typedef struct total {
  mpfr_t value, product;
  bool any;
} total;

static void total_begin(total *s) {
  mpfr_init2(s->value, DEEP);
  mpfr_init2(s->product, 2 * ELEMENT);
  mpfr_set_zero(s->value, 1);
  s->any = false;
}
static void total_end(total *s) {
  mpfr_clear(s->value);
  mpfr_clear(s->product);
}
static void total_add(total *s, mpfr_srcptr x) {
  if (s->any)
    add(s->value, s->value, x);
  else
    odd(s->value, mpfr_set(s->value, x, MPFR_RNDZ));
  s->any = true;
}
static void total_add_product(total *s, mpfr_srcptr a, mpfr_srcptr b) {
  mpfr_set_prec(s->product, mpfr_get_prec(a) + mpfr_get_prec(b));
  multiply(s->product, a, b);
  total_add(s, s->product);
}

/* ---- Data types ------------------------------------------------------------------------------ */

typedef struct format {
  int fraction, exponent; /* bits */
} format;

static format format_of(webnn_data_type type) {
  static const format single = {23, 8}, half = {10, 5};
  return type == WEBNN_FLOAT32 ? single : half;
}
static bool is_signed(webnn_data_type type) {
  return type == WEBNN_INT64 || type == WEBNN_INT32 || type == WEBNN_INT8 || type == WEBNN_INT4;
}
static uint64_t low_bits(uint32_t bits) {
  return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}
static uint64_t sign_bit(webnn_data_type type) {
  return UINT64_C(1) << (webnn_data_type_bits(type) - 1);
}
static int64_t as_integer(webnn_data_type type, uint64_t pattern) {
  const uint64_t top = sign_bit(type);
  return is_signed(type) ? (int64_t)((pattern ^ top) - top) : (int64_t)pattern;
}
static uint64_t infinity_pattern(format f) {
  return low_bits((uint32_t)f.exponent) << f.fraction;
}
static bool is_nan_pattern(webnn_data_type type, uint64_t pattern) {
  return test_is_float(type) && (pattern & ~sign_bit(type)) > infinity_pattern(format_of(type));
}

static void load_float(mpfr_ptr x, format f, uint64_t pattern) {
  const uint64_t fraction = pattern & low_bits((uint32_t)f.fraction);
  const uint64_t exponent = pattern >> f.fraction & low_bits((uint32_t)f.exponent);
  const bool negative = (pattern >> (f.fraction + f.exponent) & 1) != 0;
  const int bias = (1 << (f.exponent - 1)) - 1;
  if (exponent == low_bits((uint32_t)f.exponent)) {
    if (fraction)
      mpfr_set_nan(x);
    else
      mpfr_set_inf(x, negative ? -1 : 1);
    return;
  }
  mpfr_set_uj_2exp(x, exponent ? fraction | UINT64_C(1) << f.fraction : fraction,
                   (exponent ? (int)exponent : 1) - bias - f.fraction, MPFR_RNDZ);
  mpfr_setsign(x, x, negative, MPFR_RNDZ);
}
/* x has at least ELEMENT bits. */
static void load(mpfr_ptr x, webnn_data_type type, uint64_t pattern) {
  if (test_is_float(type))
    load_float(x, format_of(type), pattern);
  else if (is_signed(type))
    mpfr_set_sj(x, as_integer(type, pattern), MPFR_RNDZ);
  else
    mpfr_set_uj(x, pattern, MPFR_RNDZ);
}

static uint64_t pattern_of_integer(webnn_data_type type, mpz_srcptr integer) {
  uint64_t pattern = 0;
  mpz_t wrapped;
  mpz_init(wrapped);
  mpz_fdiv_r_2exp(wrapped, integer, webnn_data_type_bits(type));
  mpz_export(&pattern, NULL, -1, sizeof pattern, 0, 0, wrapped);
  mpz_clear(wrapped);
  return pattern;
}
/* Roundings whose exact value was the middle of two floats. */
static long tie_count;

/* y in units of the last place there, to nearest, ties to even. */
static uint64_t round_float(format f, mpfr_srcptr y) {
  const uint64_t sign = (uint64_t)(mpfr_signbit(y) != 0) << (f.fraction + f.exponent);
  const uint64_t infinity = infinity_pattern(f);
  const mpfr_exp_t lowest = 2 - (1 << (f.exponent - 1)), highest = 1 - lowest;
  mpfr_exp_t binade;
  uint64_t pattern;
  mpfr_t units;
  mpz_t significand;
  if (mpfr_nan_p(y))
    return infinity | UINT64_C(1) << (f.fraction - 1);
  if (mpfr_zero_p(y))
    return sign;
  if (mpfr_inf_p(y) || mpfr_get_exp(y) - 1 > highest)
    return sign | infinity;
  binade = mpfr_get_exp(y) - 1 < lowest ? lowest : mpfr_get_exp(y) - 1;
  mpfr_init2(units, mpfr_get_prec(y));
  mpz_init(significand);
  mpfr_mul_2si(units, y, (long)(f.fraction - binade), MPFR_RNDZ);
  mpfr_abs(units, units, MPFR_RNDZ);
  tie_count += mpfr_min_prec(units) == mpfr_get_exp(units) + 1;
  mpfr_get_z(significand, units, MPFR_RNDN);
  pattern = mpz_get_ui(significand);
  pattern += (uint64_t)(binade - lowest) << f.fraction; /* a carry raises the exponent */
  mpz_clear(significand);
  mpfr_clear(units);
  return sign | (pattern > infinity ? infinity : pattern);
}
/* The element for y: a float rounded once, an integer wrapped. */
static uint64_t round_to(webnn_data_type type, mpfr_srcptr y) {
  uint64_t pattern;
  mpz_t integer;
  if (test_is_float(type))
    return round_float(format_of(type), y);
  mpz_init(integer);
  mpfr_get_z(integer, y, MPFR_RNDZ);
  pattern = pattern_of_integer(type, integer);
  mpz_clear(integer);
  return pattern;
}
static uint64_t smallest_integer(webnn_data_type type) {
  return is_signed(type) ? sign_bit(type) : 0;
}
static uint64_t largest_integer(webnn_data_type type) {
  return low_bits(webnn_data_type_bits(type) - (is_signed(type) ? 1 : 0));
}
/* An integer, an infinity or NaN (0) in the type's range. */
static uint64_t saturate_to(webnn_data_type type, mpfr_srcptr integer) {
  uint64_t pattern = smallest_integer(type);
  mpfr_t bound;
  if (mpfr_nan_p(integer))
    return 0;
  mpfr_init2(bound, ELEMENT);
  load(bound, type, pattern);
  if (mpfr_greater_p(integer, bound)) {
    load(bound, type, largest_integer(type));
    pattern = mpfr_less_p(integer, bound) ? round_to(type, integer) : largest_integer(type);
  }
  mpfr_clear(bound);
  return pattern;
}

/* ---- The case at hand ------------------------------------------------------------------------ */

typedef struct tensor {
  const char *name;
  webnn_data_type type;
  uint32_t rank, shape[WEBNN_MAX_RANK];
  size_t count;
  uint64_t *bits; /* one pattern each */
  mpfr_t *values; /* the same as numbers; of inputs only */
  webnn_operand *operand;
  bool constant;
} tensor;

enum { MOST_INPUTS = 12, MOST_OUTPUTS = 16, MOST_ELEMENTS = 400 };

static struct {
  webnn_context *context;
  webnn_builder *builder;
  webnn_op op;
  webnn_data_type type; /* the one that the loop over types is at */
  uint64_t random;
  int style; /* of all inputs, or a negative number: each its own */
  tensor inputs[MOST_INPUTS], outputs[MOST_OUTPUTS];
  int input_count, output_count;
  char options[512];
  mpfr_t alpha, beta; /* options that formulas need */
  bool undecided;     /* the evaluation itself cannot tell */
} now;

static void note(const char *text, ...) {
  const size_t used = strlen(now.options);
  va_list arguments;
  va_start(arguments, text);
  vsnprintf(now.options + used, sizeof now.options - used, text, arguments);
  va_end(arguments);
}
static void note_list(const char *name, webnn_list list) {
  note(" %s=%s", name, test_shape_text(list));
}

static uint32_t below(uint32_t n) {
  return (uint32_t)((test_random(&now.random) >> 32) % n);
}
static uint32_t between(uint32_t low, uint32_t high) {
  return low + below(high - low + 1);
}
static bool one_in(uint32_t n) {
  return below(n) == 0;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static size_t count_of(const uint32_t *shape, uint32_t rank) {
  return test_element_count(webnn_list_of(shape, rank));
}
/* Dimensions whose product is at most `most`. */
static void random_shape(uint32_t *shape, uint32_t rank, size_t most) {
  uint32_t d;
  for (d = 0; d < rank; d++) {
    const uint32_t room = (uint32_t)(most / count_of(shape, d));
    const uint32_t usual = rank < 3 ? 24 : 6;
    shape[d] = one_in(4) ? 1 : between(1, one_in(8) || room < usual ? room : usual);
  }
  for (d = 0; d + 1 < rank; d++) { /* the large one not always the first */
    const uint32_t e = between(d, rank - 1), s = shape[d];
    shape[d] = shape[e];
    shape[e] = s;
  }
}
static void unravel(const tensor *t, size_t index, uint32_t *c) {
  uint32_t d;
  for (d = t->rank; d-- > 0;) {
    c[d] = (uint32_t)(index % t->shape[d]);
    index /= t->shape[d];
  }
}
static size_t ravel(const tensor *t, const uint32_t *c) {
  size_t index = 0;
  uint32_t d;
  for (d = 0; d < t->rank; d++)
    index = index * t->shape[d] + c[d];
  return index;
}
/* The element of t that element `index` of the larger tensor reads. */
static size_t broadcast_index(const tensor *t, const tensor *large, size_t index) {
  uint32_t c[WEBNN_MAX_RANK], own[WEBNN_MAX_RANK], d;
  unravel(large, index, c);
  for (d = 0; d < t->rank; d++)
    own[d] = t->shape[d] == 1 ? 0 : c[d + large->rank - t->rank];
  return ravel(t, own);
}
/* A shape that broadcasts to the larger one. */
static uint32_t random_part(uint32_t *shape, const uint32_t *large, uint32_t large_rank) {
  const uint32_t rank = one_in(3) ? below(large_rank + 1) : large_rank;
  uint32_t d;
  for (d = 0; d < rank; d++)
    shape[d] = one_in(4) ? 1 : large[d + large_rank - rank];
  return rank;
}
/* Some of 0 ... rank - 1, in any order. */
static uint32_t random_axes(uint32_t *axes, uint32_t rank) {
  uint32_t d, count = 0;
  for (d = 0; d < rank; d++)
    if (one_in(2)) {
      const uint32_t place = below(count + 1);
      axes[count] = axes[place];
      axes[place] = d;
      count++;
    }
  return count;
}

/* ---- Values ---------------------------------------------------------------------------------- */

enum {
  ORDINARY,  /* all bits of the significand, near 1 */
  COARSE,    /* small multiples of powers of two: much is exact, much is a tie */
  HALVES,    /* significands of half the bits: products are ties */
  SCATTERED, /* few bits, exponents far apart: nothing fits, everything cancels */
  TINY,      /* products at the border of the subnormal numbers */
  WIDE,      /* every finite exponent */
  SUBNORMAL, /* and a little above */
  ANYTHING,  /* every pattern */
  SPECIAL    /* zeros, infinities, NaN, the ends of the range */
};

static int random_style(void) {
  static const int usual[] = {ORDINARY,  ORDINARY,  COARSE, COARSE, HALVES,    HALVES,   SCATTERED,
                              SCATTERED, SCATTERED, TINY,   WIDE,   SUBNORMAL, ANYTHING, SPECIAL};
  return usual[below(sizeof usual / sizeof *usual)];
}
static uint64_t random_fraction(format f, int bits) {
  const uint64_t all = test_random(&now.random) >> 8 & low_bits((uint32_t)f.fraction);
  return bits >= f.fraction ? all : all >> (f.fraction - bits) << (f.fraction - bits);
}
static uint64_t special_float(format f) {
  const uint64_t unit = UINT64_C(1) << f.fraction;
  const uint64_t one = low_bits((uint32_t)f.exponent - 1) << f.fraction;
  const uint64_t infinity = infinity_pattern(f);
  const uint64_t list[] = {
      0,       0,       1,        2,        unit,     unit - 1,     one,
      one + 1, one - 1, infinity, infinity, infinity, infinity + 1, infinity - 1};
  return list[below(sizeof list / sizeof *list)];
}
static int random_exponent(format f, int style) {
  const int bias = (1 << (f.exponent - 1)) - 1;
  int reach;
  switch (style) {
  case ORDINARY:
    return bias + (int)below(9) - 5;
  case COARSE:
    return bias + (int)below(6) - 3;
  case HALVES:
    return bias + (int)below((uint32_t)f.fraction) - f.fraction / 2;
  case SCATTERED: /* steps as wide as the significand: a sum is a midpoint, or just beside one */
    reach = bias * 3 / 4 / (f.fraction + 1);
    return bias + ((int)below((uint32_t)(2 * reach + 1)) - reach) * (f.fraction + 1);
  case TINY:
    return bias - (bias + f.fraction) / 2 + (int)below(10) - 5;
  case SUBNORMAL:
    return (int)below(3);
  case WIDE:
    return (int)below((uint32_t)(2 * bias + 1));
  default:
    return (int)below((uint32_t)(2 * bias + 2));
  }
}
static uint64_t random_float(format f, int style) {
  const uint64_t sign = (uint64_t)below(2) << (f.fraction + f.exponent);
  int bits = f.fraction, exponent = random_exponent(f, style);
  if (style == SPECIAL)
    return sign | special_float(f);
  if ((style == COARSE || style == SCATTERED) && one_in(8))
    return sign;
  if (style == COARSE || style == SCATTERED || (style == WIDE && one_in(2)))
    bits = one_in(2) ? 3 : 0;
  if (style == HALVES || style == TINY)
    bits = f.fraction / 2;
  return sign | (uint64_t)(exponent < 0 ? 0 : exponent) << f.fraction | random_fraction(f, bits);
}
static uint64_t random_integer(webnn_data_type type, int style) {
  const uint32_t bits = webnn_data_type_bits(type);
  const uint64_t all = test_random(&now.random) >> (64 - bits);
  switch (style) {
  case ORDINARY:
  case COARSE:
    return (is_signed(type) ? all % 11 - 5 : all % 6) & low_bits(bits);
  case HALVES:
    return (uint64_t)(as_integer(type, all) / (INT64_C(1) << bits / 2)) & low_bits(bits);
  case SUBNORMAL:
    return all & 1;
  case SPECIAL:
    return ((one_in(2) ? smallest_integer(type) : largest_integer(type)) ^ below(2)) &
           low_bits(bits);
  default:
    return all;
  }
}
static uint64_t random_element(webnn_data_type type, int style) {
  return test_is_float(type) ? random_float(format_of(type), style) : random_integer(type, style);
}
static void fill(tensor *t, int style) {
  const bool mixed = one_in(6), sprinkled = one_in(12), cancelling = one_in(3);
  size_t i;
  for (i = 0; i < t->count; i++) {
    t->bits[i] = random_element(t->type, mixed ? (int)below(ANYTHING) : style);
    if (sprinkled && one_in(4))
      t->bits[i] = random_element(t->type, SPECIAL);
  }
  if (cancelling && test_is_float(t->type))
    for (i = 0; i < t->count; i += 2)
      t->bits[below((uint32_t)t->count)] = t->bits[i] ^ sign_bit(t->type);
}

/* ---- Inputs and outputs of the case ---------------------------------------------------------- */

static void tensor_begin(tensor *t, const char *name, webnn_data_type type, const uint32_t *shape,
                         uint32_t rank) {
  memset(t, 0, sizeof *t);
  t->name = name;
  t->type = type;
  t->rank = rank;
  if (rank)
    memcpy(t->shape, shape, rank * sizeof *shape);
  t->count = count_of(shape, rank);
  t->bits = test_allocate(t->count * sizeof *t->bits);
}
static size_t tensor_bytes(const tensor *t) {
  return (t->count * webnn_data_type_bits(t->type) + 7) / 8;
}
/* The elements as the library wants them, in the machine's byte order. */
static void *tensor_pack(const tensor *t) {
  const uint32_t bits = webnn_data_type_bits(t->type);
  uint8_t *bytes = test_allocate(tensor_bytes(t));
  size_t i;
  for (i = 0; i < t->count; i++) {
    const uint16_t half = (uint16_t)t->bits[i];
    const uint32_t word = (uint32_t)t->bits[i];
    if (bits == 4)
      bytes[i / 2] = (uint8_t)(bytes[i / 2] | t->bits[i] << (i % 2 * 4));
    else if (bits == 8)
      bytes[i] = (uint8_t)t->bits[i];
    else if (bits == 16)
      memcpy(bytes + i * 2, &half, 2);
    else if (bits == 32)
      memcpy(bytes + i * 4, &word, 4);
    else
      memcpy(bytes + i * 8, &t->bits[i], 8);
  }
  return bytes;
}
static uint64_t packed_element(const uint8_t *bytes, uint32_t bits, size_t i) {
  uint16_t half;
  uint32_t word;
  uint64_t both;
  switch (bits) {
  case 4:
    return bytes[i / 2] >> (i % 2 * 4) & 15;
  case 8:
    return bytes[i];
  case 16:
    memcpy(&half, bytes + i * 2, 2);
    return half;
  case 32:
    memcpy(&word, bytes + i * 4, 4);
    return word;
  default:
    memcpy(&both, bytes + i * 8, 8);
    return both;
  }
}
static void tensor_end(tensor *t) {
  size_t i;
  if (t->values)
    for (i = 0; i < t->count; i++)
      mpfr_clear(t->values[i]);
  free(t->values);
  free(t->bits);
}

/* A new operand with random elements; `connect` makes it known to the builder. */
static tensor *unconnected(const char *name, webnn_data_type type, const uint32_t *shape,
                           uint32_t rank) {
  tensor *t = &now.inputs[now.input_count++];
  tensor_begin(t, name, type, shape, rank);
  fill(t, now.style < 0 ? random_style() : now.style);
  return t;
}
static tensor *connect(tensor *t) {
  const webnn_operand_descriptor descriptor = {t->type, webnn_list_of(t->shape, t->rank)};
  size_t i;
  t->values = test_allocate(t->count * sizeof *t->values);
  for (i = 0; i < t->count; i++) {
    mpfr_init2(t->values[i], ELEMENT);
    load(t->values[i], t->type, t->bits[i]);
  }
  t->constant = one_in(6);
  if (t->constant) {
    void *bytes = tensor_pack(t);
    t->operand = webnn_constant(now.builder, descriptor, bytes, tensor_bytes(t));
    free(bytes);
  } else {
    t->operand = webnn_input(now.builder, t->name, descriptor);
  }
  return t;
}
static tensor *input(const char *name, webnn_data_type type, const uint32_t *shape, uint32_t rank) {
  return connect(unconnected(name, type, shape, rank));
}
/* An operand that half the cases do without: NULL then. */
static tensor *optional_input(const char *name, webnn_data_type type, const uint32_t *shape,
                              uint32_t rank) {
  return one_in(2) ? input(name, type, shape, rank) : NULL;
}
static webnn_operand *operand_of(const tensor *t) {
  return t ? t->operand : NULL;
}

/* Where the expected elements of an output go. */
static tensor *output(webnn_operand *operand, webnn_data_type type, const uint32_t *shape,
                      uint32_t rank) {
  tensor *t = &now.outputs[now.output_count++];
  tensor_begin(t, "output", type, shape, rank);
  t->operand = operand;
  return t;
}

/* ---- Options --------------------------------------------------------------------------------- */

static void take_number(mpfr_ptr value, double number) {
  mpfr_t exact;
  mpfr_init2(exact, ELEMENT);
  mpfr_set_d(exact, number, MPFR_RNDN);
  load_float(value, format_of(now.type), round_float(format_of(now.type), exact));
  mpfr_clear(exact);
}
/* A finite double for an option, and in `value` what it is in the type of the input. */
static webnn_number random_option(const char *name, mpfr_ptr value, double absent) {
  const bool given = !one_in(4);
  double number = absent;
  if (given) {
    load_float(value, format_of(now.type), random_float(format_of(now.type), (int)below(ANYTHING)));
    number = mpfr_get_d(value, MPFR_RNDN);
    if (one_in(4)) /* not a float of the type, and sometimes beyond its range */
      number = (number + number / 12345) * (one_in(8) ? 1e6 : 1);
    note(" %s=%.17g", name, number);
  }
  take_number(value, number);
  return given || one_in(2) ? webnn_f64(number) : (webnn_number)WEBNN_ZERO;
}

#endif
