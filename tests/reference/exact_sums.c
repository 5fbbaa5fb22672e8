/* Sums, means, products and dot products of a reference context, through the public interface,
   against exact sums in MPFR. Every result has to have the very bits of the exact value rounded
   once, for every order of the terms and every number of threads.

     exact_sums [N]     N rounds over all kinds of data, operators and lengths (default 60)

   The referee adds whole terms into a number so long that MPFR reports no rounding; that is checked
   at each addition. It shares nothing with the library but the bit patterns. */
#include "test.h"
#ifndef WEBNN_HAVE_MPFR
int main(void) {
  test_skip("exact_sums", "MPFR (libmpfr-dev) is not installed");
  return test_end();
}
#else
#include <mpfr.h>

/* A sum of 2^20 products of two float32 lies between 2^-298 and 2^276. */
enum { SUM_BITS = 640, LONG_BITS = 2048, PRODUCT_BITS = 4096 };

static uint64_t seed = UINT64_C(88172645463325252);

static uint64_t below(uint64_t n) {
  return (test_random(&seed) >> 16) % n;
}
/* From low to high, both included. */
static int between(int low, int high) {
  return low + (int)below((uint64_t)(high - low) + 1);
}
static bool coin(void) {
  return below(2) == 0;
}
static int clamped(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}

/* ---- Float formats -------------------------------------------------------------------------- */

typedef struct format {
  webnn_data_type type;
  int fraction_bits, exponent_bits;
} format;
static const format FORMATS[2] = {{WEBNN_FLOAT32, 23, 8}, {WEBNN_FLOAT16, 10, 5}};

static int highest(format f) { /* 2^highest is the largest power of two */
  return (1 << (f.exponent_bits - 1)) - 1;
}
static int lowest(format f) { /* 2^lowest is the smallest number */
  return 1 - highest(f) - f.fraction_bits;
}
static uint32_t infinity_of(format f) {
  return (((uint32_t)1 << f.exponent_bits) - 1) << f.fraction_bits;
}
static uint32_t nan_of(format f) {
  return infinity_of(f) | (uint32_t)1 << (f.fraction_bits - 1);
}
static uint32_t sign_of(format f) {
  return (uint32_t)1 << (f.fraction_bits + f.exponent_bits);
}
static uint64_t undecided; /* webnn_graph_undecided of all graphs */

/* 2^e (1 + fraction / 2^fraction_bits); below the normal numbers only the leading bits remain. */
static uint32_t encoded(format f, int e, uint32_t fraction) {
  const int least = 1 - highest(f);
  if (e >= least)
    return (uint32_t)(e + highest(f)) << f.fraction_bits | fraction;
  return (fraction | (uint32_t)1 << f.fraction_bits) >> (least - e);
}
static uint32_t random_fraction(format f) {
  return (uint32_t)below((uint64_t)1 << f.fraction_bits);
}
static uint32_t random_sign(format f) {
  return coin() ? sign_of(f) : 0;
}
static uint32_t random_at(format f, int e) {
  return encoded(f, e, random_fraction(f)) | random_sign(f);
}
static uint32_t random_finite(format f) {
  return (uint32_t)below(infinity_of(f)) | random_sign(f);
}
/* The number a pattern stands for. */
static void load(mpfr_t x, uint32_t bits, format f) {
  const uint32_t magnitude = bits & (sign_of(f) - 1);
  const uint32_t fraction = magnitude & (((uint32_t)1 << f.fraction_bits) - 1);
  const int field = (int)(magnitude >> f.fraction_bits);
  if (magnitude > infinity_of(f))
    mpfr_set_nan(x);
  else if (magnitude == infinity_of(f))
    mpfr_set_inf(x, 1);
  else if (field == 0)
    mpfr_set_ui_2exp(x, fraction, lowest(f), MPFR_RNDN);
  else
    mpfr_set_ui_2exp(x, fraction | (uint32_t)1 << f.fraction_bits, lowest(f) + field - 1,
                     MPFR_RNDN);
  mpfr_setsign(x, x, (bits & sign_of(f)) != 0, MPFR_RNDN);
}
/* The pattern nearest to x, ties to even, by the definition: x in units of the last place becomes
   an integer. x is exact, or so long that its own rounding cannot matter. */
static uint32_t rounded(const mpfr_t x, format f) {
  const uint32_t sign = mpfr_signbit(x) != 0 ? sign_of(f) : 0;
  mpfr_t units;
  uint32_t magnitude;
  long binade;
  if (mpfr_nan_p(x))
    return nan_of(f);
  if (mpfr_inf_p(x))
    return sign | infinity_of(f);
  if (mpfr_zero_p(x))
    return sign;
  binade = (long)mpfr_get_exp(x) - 1;
  if (binade > highest(f))
    return sign | infinity_of(f);
  binade = binade < 1 - highest(f) ? 1 - highest(f) : binade;
  mpfr_init2(units, mpfr_get_prec(x));
  mpfr_mul_2si(units, x, f.fraction_bits - binade, MPFR_RNDN);
  mpfr_abs(units, units, MPFR_RNDN);
  mpfr_roundeven(units, units);
  magnitude = (uint32_t)mpfr_get_ui(units, MPFR_RNDN);
  mpfr_clear(units);
  /* the leading bit of a normal number adds one to the exponent field; so does a carry */
  return sign | (((uint32_t)(binade + highest(f) - 1) << f.fraction_bits) + magnitude);
}
static double value_of(uint32_t bits, format f) {
  mpfr_t x;
  double value;
  mpfr_init2(x, 53);
  load(x, bits, f);
  value = mpfr_get_d(x, MPFR_RNDN);
  mpfr_clear(x);
  return value;
}

/* ---- Rows of terms and their exact sums ------------------------------------------------------ */

/* n terms: a[i], or a[i] b[i] where b is not NULL. */
typedef struct row {
  format f;
  uint32_t *a, *b, n;
} row;

/* sum += x; the sum has to be long enough for that to be exact. */
static void add_exactly(mpfr_t sum, const mpfr_t x) {
  if (mpfr_add(sum, sum, x, MPFR_RNDN) != 0) {
    printf("the referee's sum is too short\n");
    exit(1);
  }
}
/* Adds terms first ... end - 1, or their sizes. */
static void add_terms(mpfr_t sum, const row *r, uint32_t first, uint32_t end, bool sizes) {
  mpfr_t x, y;
  uint32_t i;
  mpfr_init2(x, 64);
  mpfr_init2(y, 24);
  for (i = first; i < end; i++) {
    load(x, r->a[i], r->f);
    if (r->b != NULL) {
      load(y, r->b[i], r->f);
      mpfr_mul(x, x, y, MPFR_RNDN);
    }
    if (sizes)
      mpfr_abs(x, x, MPFR_RNDN);
    add_exactly(sum, x);
  }
  mpfr_clears(x, y, (mpfr_ptr)0);
}
/* The sum of the first `count` terms. Starting from -0, which changes nothing, -0 is what terms
   that are all -0 add up to; the sum of none is +0. */
static void exact_sum(mpfr_t sum, const row *r, uint32_t count) {
  mpfr_set_zero(sum, count > 0 ? -1 : 1);
  add_terms(sum, r, 0, count, false);
}
static void swap_bits(uint32_t *x, uint32_t i, uint32_t j) {
  const uint32_t kept = x[i];
  x[i] = x[j];
  x[j] = kept;
}
static void shuffle(const row *r) {
  uint32_t i;
  for (i = r->n; i > 1; i--) {
    const uint32_t j = (uint32_t)below(i);
    swap_bits(r->a, i - 1, j);
    if (r->b != NULL)
      swap_bits(r->b, i - 1, j);
  }
}

/* ---- Making terms ---------------------------------------------------------------------------- */

static void fill(const row *r, uint32_t i, uint32_t a, uint32_t b) {
  r->a[i] = a;
  if (r->b != NULL)
    r->b[i] = b;
}
/* The smallest and largest exponents of a term. */
static int lowest_term(const row *r) {
  return r->b != NULL ? 2 * lowest(r->f) : lowest(r->f);
}
static int highest_term(const row *r) {
  return r->b != NULL ? 2 * highest(r->f) : highest(r->f);
}
/* Term i becomes about x: exactly x where that has few enough bits. Of a product, b is a power of
   two if `exact`, else any number, and a the rounded quotient. */
static void set_near(const row *r, uint32_t i, const mpfr_t x, bool exact) {
  const format f = r->f;
  const uint32_t most = infinity_of(f) - 1;
  mpfr_t t, b;
  uint32_t bits;
  if (mpfr_zero_p(x)) {
    fill(r, i, 0, 0);
    return;
  }
  mpfr_init2(t, SUM_BITS);
  mpfr_init2(b, 24);
  mpfr_set_ui(b, 1, MPFR_RNDN);
  if (r->b != NULL) {
    const int binade = (int)mpfr_get_exp(x) - 1;
    const int e =
        clamped(between(binade - highest(f), binade + highest(f) - 1), lowest(f), highest(f));
    r->b[i] = exact ? encoded(f, e, 0) | random_sign(f) : random_at(f, e);
    load(b, r->b[i], f);
  }
  mpfr_div(t, x, b, MPFR_RNDN);
  bits = rounded(t, f);
  r->a[i] = (bits & ~sign_of(f)) > most ? (bits & sign_of(f)) | most : bits;
  mpfr_clears(t, b, (mpfr_ptr)0);
}
/* A random term of about 2^e. */
static void set_random(const row *r, uint32_t i, int e) {
  const format f = r->f;
  if (r->b == NULL) {
    r->a[i] = random_at(f, e);
  } else {
    const int low = clamped(e - highest(f), lowest(f), highest(f));
    const int high = clamped(e - lowest(f), lowest(f), highest(f));
    const int part = between(low, high);
    fill(r, i, random_at(f, part), random_at(f, clamped(e - part, lowest(f), highest(f))));
  }
}
/* Makes the terms from `first` on bring the sum to the target, greedily; what is then left of the
   row is pairs that cancel. The target may be out of reach. */
static void complete(const row *r, uint32_t first, const mpfr_t target) {
  mpfr_t rest, term;
  uint32_t i;
  mpfr_init2(rest, SUM_BITS);
  mpfr_init2(term, SUM_BITS);
  exact_sum(term, r, first);
  mpfr_sub(rest, target, term, MPFR_RNDN);
  for (i = first; i < r->n && !mpfr_zero_p(rest); i++) {
    set_near(r, i, rest, true);
    mpfr_set_zero(term, 1);
    add_terms(term, r, i, i + 1, false);
    mpfr_sub(rest, rest, term, MPFR_RNDN);
  }
  for (; i + 1 < r->n; i += 2) {
    set_random(r, i, between(lowest_term(r), highest_term(r)));
    fill(r, i + 1, r->a[i] ^ sign_of(r->f), r->b != NULL ? r->b[i] : 0);
  }
  if (i < r->n)
    fill(r, i, 0, 0);
  mpfr_clears(rest, term, (mpfr_ptr)0);
}

/* ---- Kinds of sums --------------------------------------------------------------------------- */

/* A multiple of 2^-fraction_bits in (-1, 1). */
static uint32_t uniform(format f) {
  mpfr_t x;
  uint32_t bits;
  mpfr_init2(x, 64);
  mpfr_set_ui_2exp(x, random_fraction(f), -f.fraction_bits, MPFR_RNDN);
  bits = rounded(x, f) | random_sign(f);
  mpfr_clear(x);
  return bits;
}
static void make_uniform(const row *r) {
  uint32_t i;
  for (i = 0; i < r->n; i++)
    fill(r, i, uniform(r->f), uniform(r->f));
}
static void make_all_exponents(const row *r) {
  uint32_t i;
  for (i = 0; i < r->n; i++)
    fill(r, i, random_finite(r->f), random_finite(r->f));
}
/* Of a condition number of about 2^c: the first half of the terms is random, with exponents over c
   bits; the second half goes down through the same exponents, each term chosen so that it cancels
   the exact sum so far down to its own exponent (after Ogita, Rump and Oishi, 2005). */
static void make_ill_conditioned(const row *r) {
  static const int bits[] = {13, 27, 40, 53, 66, 80, 100, 133, 200, 276, 400, 520, 554};
  const int span = highest_term(r) - lowest_term(r), n = (int)r->n, half = n / 2;
  const int c = clamped(bits[below(sizeof bits / sizeof *bits)], 0, span);
  const int top = between(lowest_term(r) + c, highest_term(r)), bottom = top - c;
  mpfr_t sum, goal;
  int i;
  mpfr_init2(sum, SUM_BITS);
  mpfr_init2(goal, SUM_BITS);
  for (i = 0; i < half; i++)
    set_random(r, (uint32_t)i, i == 0 ? top : i == 1 ? bottom : between(bottom, top));
  exact_sum(sum, r, (uint32_t)half);
  for (; i < n; i++) {
    const int steps = n - half - 1, left = n - 1 - i;
    const int e = bottom + (steps > 0 ? (int)((int64_t)c * left / steps) : 0);
    mpfr_set_ui_2exp(goal, 1 + (unsigned long)random_fraction(r->f), e - r->f.fraction_bits,
                     MPFR_RNDN);
    mpfr_sub(goal, goal, sum, MPFR_RNDN);
    set_near(r, (uint32_t)i, goal, left == 0);
    add_terms(sum, r, (uint32_t)i, (uint32_t)i + 1, false);
  }
  shuffle(r);
  mpfr_clears(sum, goal, (mpfr_ptr)0);
}
/* x and -x of all sizes, shuffled, and one term that survives. */
static void make_survivor(const row *r) {
  uint32_t i;
  for (i = 0; i + 1 < r->n; i += 2) {
    fill(r, i, random_finite(r->f), random_finite(r->f));
    fill(r, i + 1, r->a[i] ^ sign_of(r->f), r->b != NULL ? r->b[i] : 0);
  }
  i = r->n % 2 != 0 ? r->n - 1 : (uint32_t)below(r->n);
  if (coin())
    fill(r, i, 1 | random_sign(r->f), 1 | random_sign(r->f));
  else
    set_random(r, i, between(lowest_term(r), highest_term(r)));
  shuffle(r);
}
/* A number at which rounding turns: a midpoint of two floats, among the normal or the subnormal
   ones, between the two, at overflow, half the smallest; or a float, or 0. */
static void turning_point(mpfr_t x, format f) {
  const unsigned long whole = 1UL << (f.fraction_bits + 1);
  switch (below(8)) {
  case 0:
    mpfr_set_ui_2exp(x, 2 * whole - 1, highest(f) - f.fraction_bits - 1, MPFR_RNDN);
    break;
  case 1:
    mpfr_set_ui_2exp(x, whole - 1, lowest(f) - 1, MPFR_RNDN);
    break;
  case 2:
    mpfr_set_ui_2exp(x, 2 * (unsigned long)random_fraction(f) + 1, lowest(f) - 1, MPFR_RNDN);
    break;
  case 3:
    mpfr_set_ui_2exp(x, (unsigned long)below(3), lowest(f) - 1, MPFR_RNDN);
    break;
  case 4:
    load(x, random_finite(f), f);
    break;
  default:
    mpfr_set_ui_2exp(x, whole + 2 * (unsigned long)random_fraction(f) + 1,
                     between(1 - highest(f), highest(f)) - f.fraction_bits - 1, MPFR_RNDN);
  }
  mpfr_setsign(x, x, coin(), MPFR_RNDN);
}
/* The sum, or n times the mean, is a turning point, or next to one by a tiny term. */
static void make_turning_point(const row *r) {
  const int tiny = coin() ? lowest_term(r) : between(lowest_term(r), highest_term(r));
  row start = *r;
  mpfr_t target, step;
  mpfr_init2(target, SUM_BITS);
  mpfr_init2(step, SUM_BITS);
  turning_point(target, r->f);
  if (r->b == NULL && coin())
    mpfr_mul_ui(target, target, r->n, MPFR_RNDN);
  if (below(3) != 0) {
    mpfr_set_si_2exp(step, coin() ? 1 : -1, tiny, MPFR_RNDN);
    mpfr_add(target, target, step, MPFR_RNDN);
  }
  start.n = r->n < 100 ? 0 : r->n / 2;
  make_all_exponents(&start);
  complete(r, start.n, target);
  shuffle(r);
  mpfr_clears(target, step, (mpfr_ptr)0);
}
/* The largest numbers, which overflow on the way, and come back or nearly so. */
static void make_overflow(const row *r) {
  const format f = r->f;
  const uint32_t largest = infinity_of(f) - 1;
  const bool moderate = coin();
  uint32_t i;
  for (i = 0; i < r->n; i++) {
    const uint32_t sign = i % 2 != 0 ? sign_of(f) : 0;
    fill(r, i, (largest - (uint32_t)below(3)) | sign,
         moderate ? encoded(f, between(-1, 0), 0) : largest);
  }
  shuffle(r);
}
static void make_subnormal(const row *r) {
  const format f = r->f;
  uint32_t i;
  for (i = 0; i < r->n; i++)
    fill(r, i, random_fraction(f) | random_sign(f),
         i % 4 == 0 ? random_fraction(f) : random_at(f, between(highest(f) / 2, highest(f))));
}
static void make_special(const row *r) {
  const format f = r->f;
  const uint32_t inf = infinity_of(f),
                 special[] = {inf, inf | sign_of(f), nan_of(f), 0, sign_of(f)};
  uint32_t count = 1 + (uint32_t)below(3);
  make_all_exponents(r);
  while (count-- > 0) {
    uint32_t *side = r->b == NULL || coin() ? r->a : r->b;
    side[below(r->n)] = special[below(5)];
  }
}
/* Terms of zero, all negative half of the time; in a product, beside any finite number. */
static void make_zeros(const row *r) {
  const bool all = coin();
  uint32_t i;
  for (i = 0; i < r->n; i++) {
    const uint32_t sign = all || below(r->n) != 0 ? sign_of(r->f) : 0;
    const uint32_t factor = r->b != NULL ? random_finite(r->f) : 0;
    fill(r, i, sign ^ (factor & sign_of(r->f)), factor);
  }
}
/* The largest float whose square is at most x > 0, and x less that square. */
static uint32_t take_square(mpfr_t x, format f) {
  mpfr_t root;
  uint32_t bits;
  mpfr_init2(root, SUM_BITS);
  mpfr_sqrt(root, x, MPFR_RNDZ);
  bits = rounded(root, f);
  bits = bits < infinity_of(f) ? bits : infinity_of(f) - 1;
  load(root, bits, f);
  mpfr_sqr(root, root, MPFR_RNDN);
  if (mpfr_cmp(root, x) > 0) {
    load(root, --bits, f);
    mpfr_sqr(root, root, MPFR_RNDN);
  }
  mpfr_sub(x, x, root, MPFR_RNDN);
  mpfr_clear(root);
  return bits;
}
/* The squares of a add up to a turning point or to the square of one, or nearly: greedily. */
static void make_squares(const row *r) {
  const format f = r->f;
  mpfr_t rest, step;
  uint32_t i;
  mpfr_init2(rest, SUM_BITS);
  mpfr_init2(step, SUM_BITS);
  turning_point(rest, f);
  if (coin())
    mpfr_sqr(rest, rest, MPFR_RNDN);
  mpfr_abs(rest, rest, MPFR_RNDN);
  if (coin()) {
    mpfr_set_si_2exp(step, coin() ? 1 : -1, 2 * lowest(f), MPFR_RNDN);
    mpfr_add(rest, rest, step, MPFR_RNDN);
  }
  for (i = 0; i < r->n; i++)
    r->a[i] = (mpfr_sgn(rest) > 0 ? take_square(rest, f) : 0) | random_sign(f);
  shuffle(r);
  mpfr_clears(rest, step, (mpfr_ptr)0);
}
/* x^2 + y^2 + z^2 = s^2 with s the midpoint of two floats, by Lebesgue's identity: s = p^2 + q^2 +
   u^2 + v^2. Half of the time there is one more square, the smallest. */
static void make_square_of_midpoint(const row *r) {
  const format f = r->f;
  const int64_t low = (int64_t)2 << f.fraction_bits;
  const uint64_t side = f.fraction_bits > 20 ? 5000 : 56;
  const int e = between(lowest(f) / 2 + 2, highest(f) - f.fraction_bits - 2);
  int64_t p, q, u, v, s, part[3];
  mpfr_t x;
  int i;
  do {
    p = (int64_t)below(side), q = (int64_t)below(side);
    u = (int64_t)below(side), v = (int64_t)below(side);
    s = p * p + q * q + u * u + v * v;
    part[0] = p * p + q * q - u * u - v * v;
    part[1] = 2 * (p * v + q * u);
    part[2] = 2 * (q * v - p * u);
  } while (s % 2 == 0 || s < low || s >= 2 * low || part[0] >= low || part[0] <= -low);
  make_zeros(r);
  mpfr_init2(x, 64);
  for (i = 0; i < 3 && r->n >= 3; i++) {
    mpfr_set_si_2exp(x, (long)part[i], e, MPFR_RNDN);
    r->a[i] = rounded(x, f);
  }
  if (r->n > 3 && coin())
    r->a[3] = 1;
  shuffle(r);
  mpfr_clear(x);
}

/* ---- Kinds of products, and of exponents ------------------------------------------------------
 */

/* Integers below 2^24 whose product is m^d 2^j - c^d: short of the midpoint m^d 2^j by less than
   2^-118 of it. They are factors of t^d - c^d = (t - c)(t + c)(t^2 + c^2), t = m 2^s, for d = 4,
   and the like for d = 6. */
static const uint32_t NEAR_MIDPOINT[][9] = {
    {11664019, 10353963, 13371823, 10577379, 12750043, 14218463, 42439, 1, 1},
    {13960843, 14183489, 14403387, 6220103, 11109035, 9211269, 4633191, 1, 1},
    {8713009, 11094035, 13977613, 12160307, 14302867, 1907777, 16831, 4565591, 1},
    {16419191, 11516221, 14203085, 6368383, 10271683, 62017, 15621721, 12954421, 1},
    {9875933, 6391009, 9800893, 6841493, 9015009, 8759197, 71, 1, 1},
    {7520951, 5802993, 168261, 10656937, 18181, 14533, 12373, 10613, 2237},
    {10767417, 11764945, 14699693, 173795, 9351929, 6899, 5011, 1, 1},
    {12381029, 3121333, 13314059, 11191459, 7313177, 12980831, 49, 1, 1},
    {10391809, 12490143, 16485965, 10016117, 6418111, 6636691, 37, 1, 1},
    {16250957, 15736745, 14580579, 11222443, 4919149, 1012783, 2897, 1, 1}};

static void make_near_midpoint(const row *r) {
  const uint32_t which = (uint32_t)below(sizeof NEAR_MIDPOINT / sizeof *NEAR_MIDPOINT);
  mpfr_t x;
  uint32_t i;
  mpfr_init2(x, 64);
  for (i = 0; i < r->n; i++) {
    mpfr_set_ui(x, i < 9 ? NEAR_MIDPOINT[which][i] : 1, MPFR_RNDN);
    if (i < 9) /* near 1, so that nothing overflows */
      mpfr_mul_2si(x, x, -(long)mpfr_get_exp(x) + between(0, 1), MPFR_RNDN);
    r->a[i] = rounded(x, r->f) | random_sign(r->f);
  }
  mpfr_clear(x);
  shuffle(r);
}
/* Factors of all sizes, each with one near its reciprocal somewhere. */
static void make_reciprocals(const row *r) {
  const int most = highest(r->f) - 1;
  uint32_t i;
  for (i = 0; i + 1 < r->n; i += 2) {
    const int e = between(-most, most);
    r->a[i] = random_at(r->f, e);
    r->a[i + 1] = random_at(r->f, clamped(-e - 1, -most, most));
  }
  if (i < r->n)
    r->a[i] = random_at(r->f, 0);
  shuffle(r);
}
/* Midpoints: two short odd factors and powers of two, which take it anywhere, down to the
   subnormals. */
static void make_product_midpoint(const row *r) {
  const format f = r->f;
  const int half = f.fraction_bits / 2;
  int left = between(lowest(f), highest(f)) - f.fraction_bits;
  mpfr_t x;
  uint32_t i;
  mpfr_init2(x, 64);
  for (i = 0; i < r->n; i++) {
    const bool last = i + 1 == r->n;
    const int e = last ? clamped(left, lowest(f), highest(f) - half - 2)
                       : between(lowest(f) / 2, highest(f) / 2 - half);
    const unsigned long odd =
        (1UL << (half + (int)(i & 1))) + 2 * (unsigned long)below(1UL << (half - 1)) + 1;
    mpfr_set_ui_2exp(x, i < 2 ? odd : 1, e, MPFR_RNDN);
    left -= e;
    r->a[i] = rounded(x, f) | random_sign(f);
  }
  mpfr_clear(x);
  shuffle(r);
}
/* Moderate exponents, some far apart; or -ln n throughout, so that the result is nearly 0; or 0 and
   what lies far below, which the result consists of. */
static void make_exponents(const row *r) {
  const format f = r->f;
  const int spread = between(0, f.type == WEBNN_FLOAT16 ? 10 : 13);
  const uint64_t which = below(4);
  mpfr_t x;
  uint32_t i;
  mpfr_init2(x, 64);
  mpfr_set_ui(x, r->n, MPFR_RNDN);
  mpfr_log(x, x, MPFR_RNDN);
  mpfr_neg(x, x, MPFR_RNDN);
  for (i = 0; i < r->n; i++)
    r->a[i] = which == 0 ? rounded(x, f) : random_at(f, between(spread - 12, spread));
  for (i = 0; i < r->n && which == 1; i++)
    r->a[i] = i == 0 ? 0 : random_at(f, between(4, 6)) | sign_of(f);
  mpfr_clear(x);
}

/* ---- Operators ------------------------------------------------------------------------------- */

typedef enum operation {
  SUM,
  MEAN,
  SUM_SQUARE,
  L1,
  L2,
  LOG_SUM,
  AVERAGE_POOL,
  L2_POOL,
  CUMULATIVE_SUM,
  LAYER_NORMALIZATION,
  MATMUL,
  GEMM,
  GEMM_ADDEND,
  GEMM_SCALED,
  CONV,
  CONV_WINDOW,
  CONV_TRANSPOSE,
  CONV_TRANSPOSE_WINDOW,
  PRODUCT,
  LOG_SUM_EXP,
  OPERATIONS
} operation;
static const char *const NAMES[OPERATIONS] = {"reduceSum",
                                              "reduceMean",
                                              "reduceSumSquare",
                                              "reduceL1",
                                              "reduceL2",
                                              "reduceLogSum",
                                              "averagePool2d",
                                              "l2Pool2d",
                                              "cumulativeSum",
                                              "layerNormalization",
                                              "matmul",
                                              "gemm",
                                              "gemm, beta C",
                                              "gemm, alpha and beta C",
                                              "conv2d 1x1",
                                              "conv2d, large window",
                                              "convTranspose2d 1x1",
                                              "convTranspose2d, large",
                                              "reduceProduct",
                                              "reduceLogSumExp"};

/* Rows of the same length, and what an operator needs besides. */
typedef struct batch {
  const char *kind;
  format f;
  uint32_t rows, n;
  uint32_t *a, *b, *c; /* c: an addend for each row */
  uint32_t alpha, beta, epsilon;
  bool exclusive, reversed, a_transpose, b_transpose;
} batch;

static row row_of(const batch *t, uint32_t i) {
  const size_t at = (size_t)i * t->n;
  row r;
  r.f = t->f;
  r.a = t->a + at;
  r.b = t->b != NULL ? t->b + at : NULL;
  r.n = t->n;
  return r;
}

static bool is_gemm(operation op) {
  return op >= GEMM && op <= GEMM_SCALED;
}
static bool is_convolution(operation op) {
  return op >= CONV && op <= CONV_TRANSPOSE_WINDOW;
}
static bool has_addend(operation op) {
  return op == GEMM_ADDEND || op == GEMM_SCALED || is_convolution(op);
}

/* The height of a window of n positions: the largest divisor up to the root. */
static uint32_t height_of(uint32_t n) {
  uint32_t h, best = 1;
  for (h = 2; h * h <= n; h++)
    best = n % h == 0 ? h : best;
  return best;
}

/* The shapes of a, b, c and the result. */
typedef struct shapes {
  uint32_t rank[4], size[4][4];
} shapes;

static void set_shape(shapes *s, int which, uint32_t rank, uint32_t d0, uint32_t d1, uint32_t d2,
                      uint32_t d3) {
  s->rank[which] = rank;
  s->size[which][0] = d0;
  s->size[which][1] = d1;
  s->size[which][2] = d2;
  s->size[which][3] = d3;
}
/* Each row is a group of its own. */
static void set_convolution_shapes(shapes *s, operation op, uint32_t rows, uint32_t n) {
  const uint32_t h = height_of(n), w = n / h;
  if (op == CONV || op == CONV_TRANSPOSE) {
    set_shape(s, 0, 4, 1, rows * n, 1, 1);
    set_shape(s, 1, 4, op == CONV ? rows : rows * n, op == CONV ? n : 1, 1, 1);
  } else {
    set_shape(s, 0, 4, 1, rows, h, w);
    set_shape(s, 1, 4, rows, 1, h, w);
  }
  set_shape(s, 2, 1, rows, 0, 0, 0);
  set_shape(s, 3, 4, 1, rows, 1, 1);
}
static shapes shapes_of(operation op, const batch *t) {
  const uint32_t rows = t->rows, n = t->n, h = height_of(n), w = n / h;
  shapes s;
  memset(&s, 0, sizeof s);
  set_shape(&s, 0, 2, rows, n, 0, 0);
  set_shape(&s, 3, 1, rows, 0, 0, 0);
  if (is_convolution(op)) {
    set_convolution_shapes(&s, op, rows, n);
  } else if (is_gemm(op)) { /* of one row */
    set_shape(&s, 0, 2, t->a_transpose ? n : 1, t->a_transpose ? 1 : n, 0, 0);
    set_shape(&s, 1, 2, t->b_transpose ? 1 : n, t->b_transpose ? n : 1, 0, 0);
    set_shape(&s, 2, 1, 1, 0, 0, 0);
    set_shape(&s, 3, 2, 1, 1, 0, 0);
  } else if (op == MATMUL) {
    set_shape(&s, 0, 3, rows, 1, n, 0);
    set_shape(&s, 1, 3, rows, n, 1, 0);
    set_shape(&s, 3, 3, rows, 1, 1, 0);
  } else if (op == AVERAGE_POOL || op == L2_POOL) {
    set_shape(&s, 0, 4, 1, rows, h, w);
    set_shape(&s, 3, 4, 1, rows, 1, 1);
  } else if (op == CUMULATIVE_SUM || op == LAYER_NORMALIZATION) {
    set_shape(&s, 3, 2, rows, n, 0, 0);
  }
  return s;
}

static webnn_operand *reduced(webnn_builder *builder, operation op, webnn_operand *a) {
  webnn_reduce_options o = {0};
  o.axes = WEBNN_LIST(1);
  switch (op) {
  case SUM:
    return webnn_reduce_sum(builder, a, &o);
  case MEAN:
    return webnn_reduce_mean(builder, a, &o);
  case SUM_SQUARE:
    return webnn_reduce_sum_square(builder, a, &o);
  case L1:
    return webnn_reduce_l1(builder, a, &o);
  case L2:
    return webnn_reduce_l2(builder, a, &o);
  case LOG_SUM:
    return webnn_reduce_log_sum(builder, a, &o);
  case PRODUCT:
    return webnn_reduce_product(builder, a, &o);
  default:
    return webnn_reduce_log_sum_exp(builder, a, &o);
  }
}
static webnn_operand *convolved(webnn_builder *builder, operation op, const batch *t,
                                webnn_operand *a, webnn_operand *b, webnn_operand *c) {
  const uint32_t h = height_of(t->n), w = t->n / h;
  webnn_conv_transpose2d_options transposed = {0};
  webnn_conv2d_options o = {0};
  if (op == CONV || op == CONV_WINDOW) {
    o.groups = t->rows;
    o.bias = c;
    return webnn_conv2d(builder, a, b, &o);
  }
  transposed.groups = t->rows;
  transposed.bias = c;
  if (op == CONV_TRANSPOSE_WINDOW)
    /* leaves the one position that all taps reach */
    transposed.padding = WEBNN_LIST(h - 1, h - 1, w - 1, w - 1);
  return webnn_conv_transpose2d(builder, a, b, &transposed);
}
static webnn_operand *multiplied(webnn_builder *builder, operation op, const batch *t,
                                 webnn_operand *a, webnn_operand *b, webnn_operand *c) {
  webnn_gemm_options o = {0};
  o.a_transpose = t->a_transpose;
  o.b_transpose = t->b_transpose;
  o.c = c;
  if (op != GEMM)
    o.beta = webnn_f64(value_of(t->beta, t->f));
  if (op == GEMM_SCALED)
    o.alpha = webnn_f64(value_of(t->alpha, t->f));
  return webnn_gemm(builder, a, b, &o);
}
static webnn_operand *connect(webnn_builder *builder, operation op, const batch *t,
                              webnn_operand *a, webnn_operand *b, webnn_operand *c) {
  webnn_cumulative_sum_options running = {0};
  webnn_layer_normalization_options normal = {0};
  if (is_convolution(op))
    return convolved(builder, op, t, a, b, c);
  if (is_gemm(op))
    return multiplied(builder, op, t, a, b, c);
  switch (op) {
  case MATMUL:
    return webnn_matmul(builder, a, b, NULL);
  case AVERAGE_POOL:
    return webnn_average_pool2d(builder, a, NULL);
  case L2_POOL:
    return webnn_l2_pool2d(builder, a, NULL);
  case CUMULATIVE_SUM:
    running.exclusive = t->exclusive;
    running.reversed = t->reversed;
    return webnn_cumulative_sum(builder, a, 1, &running);
  case LAYER_NORMALIZATION:
    normal.axes = WEBNN_LIST(1);
    normal.epsilon = webnn_f64(value_of(t->epsilon, t->f));
    return webnn_layer_normalization(builder, a, &normal);
  default:
    return reduced(builder, op, a);
  }
}

/* ---- Running an operator ----------------------------------------------------------------------
 */

static webnn_context *contexts[3]; /* with 1, 2 and 3 threads */

static webnn_context *next_context(void) {
  static unsigned turn;
  return contexts[turn++ % 3];
}
static void must(webnn_status status, const webnn_error *error, operation op) {
  if (status != WEBNN_OK) {
    printf("%s: %s\n", NAMES[op], error->message);
    exit(1);
  }
}
static size_t count_of(const shapes *s, int which) {
  size_t count = 1, d;
  for (d = 0; d < s->rank[which]; d++)
    count *= s->size[which][d];
  return count;
}
static webnn_operand_descriptor descriptor_of(const shapes *s, int which, format f) {
  webnn_operand_descriptor d;
  d.data_type = f.type;
  d.shape = webnn_list_of(s->size[which], s->rank[which]);
  return d;
}
/* A tensor with these patterns; NULL: for the result. */
static webnn_tensor *tensor_of(webnn_context *context, operation op, const shapes *s, int which,
                               format f, const uint32_t *bits) {
  const size_t count = count_of(s, which);
  const webnn_operand_descriptor shape = descriptor_of(s, which, f);
  webnn_tensor_descriptor d;
  webnn_tensor *tensor;
  webnn_error error = WEBNN_ZERO;
  memset(&d, 0, sizeof d);
  d.data_type = shape.data_type;
  d.shape = shape.shape;
  d.readable = d.writable = true;
  must(webnn_create_tensor(context, d, &tensor, &error), &error, op);
  if (bits != NULL && f.type == WEBNN_FLOAT32) {
    must(webnn_write_tensor(context, tensor, bits, 4 * count, &error), &error, op);
  } else if (bits != NULL) {
    uint16_t *halves = (uint16_t *)test_allocate(2 * count);
    size_t i;
    for (i = 0; i < count; i++)
      halves[i] = (uint16_t)bits[i];
    must(webnn_write_tensor(context, tensor, halves, 2 * count, &error), &error, op);
    free(halves);
  }
  return tensor;
}
static void read_bits(webnn_context *context, operation op, webnn_tensor *tensor, format f,
                      uint32_t *bits, size_t count) {
  webnn_error error = WEBNN_ZERO;
  uint16_t *halves;
  if (f.type == WEBNN_FLOAT32) {
    must(webnn_read_tensor(context, tensor, bits, 4 * count, &error), &error, op);
    return;
  }
  halves = (uint16_t *)test_allocate(2 * count);
  must(webnn_read_tensor(context, tensor, halves, 2 * count, &error), &error, op);
  while (count-- > 0)
    bits[count] = halves[count];
  free(halves);
}
/* y = the operator on all rows of the batch. */
static void run(operation op, const batch *t, uint32_t *y) {
  static const char *const names[4] = {"a", "b", "c", "y"};
  webnn_context *context = next_context();
  webnn_builder *builder = test_builder(context);
  const shapes s = shapes_of(op, t);
  const uint32_t *data[3];
  webnn_operand *operands[3] = {NULL, NULL, NULL};
  webnn_named_tensor bound[4];
  webnn_named_operand output;
  webnn_graph *graph;
  webnn_error error = WEBNN_ZERO;
  size_t i, count = 0;
  data[0] = t->a;
  data[1] = s.rank[1] > 0 ? t->b : NULL;
  data[2] = has_addend(op) ? t->c : NULL;
  for (i = 0; i < 3; i++) {
    if (data[i] != NULL) {
      const webnn_operand_descriptor d = descriptor_of(&s, (int)i, t->f);
      operands[i] = webnn_input(builder, names[i], d);
      bound[count].name = names[i];
      bound[count++].tensor = tensor_of(context, op, &s, (int)i, t->f, data[i]);
    }
  }
  bound[count].name = output.name = names[3];
  bound[count].tensor = tensor_of(context, op, &s, 3, t->f, NULL);
  output.operand = connect(builder, op, t, operands[0], operands[1], operands[2]);
  must(webnn_build(builder, &output, 1, &graph, &error), &error, op);
  webnn_free_builder(builder);
  must(webnn_dispatch(context, graph, bound, count, bound + count, 1, &error), &error, op);
  read_bits(context, op, bound[count].tensor, t->f, y, count_of(&s, 3));
  undecided += webnn_graph_undecided(graph);
  for (i = 0; i <= count; i++)
    webnn_free_tensor(bound[i].tensor);
  webnn_free_graph(graph);
}

/* ---- What has to come -------------------------------------------------------------------------
 */

typedef struct facts { /* exact sums of a row */
  mpfr_t sum, size, squares;
} facts;

static facts facts_of(const row *r) {
  row squares = *r;
  facts known;
  squares.b = r->a;
  mpfr_init2(known.sum, SUM_BITS);
  mpfr_init2(known.size, SUM_BITS);
  mpfr_init2(known.squares, SUM_BITS);
  exact_sum(known.sum, r, r->n);
  mpfr_set_zero(known.size, 1);
  add_terms(known.size, r, 0, r->n, true);
  exact_sum(known.squares, &squares, r->n);
  return known;
}
/* sum, sum / n, root of squares, ...: exact sums, then at most one function in 2,048 bits. A root
   or a quotient that is no midpoint differs from each by more than 2^-1000 of itself. */
static uint32_t expected_of_row(operation op, const facts *known, uint32_t n, format f) {
  mpfr_t x;
  uint32_t bits;
  mpfr_init2(x, op == LOG_SUM ? 400 : LONG_BITS);
  switch (op) {
  case SUM:
    mpfr_set(x, known->sum, MPFR_RNDN);
    break;
  case MEAN:
  case AVERAGE_POOL:
    mpfr_div_ui(x, known->sum, n, MPFR_RNDN);
    break;
  case SUM_SQUARE:
    mpfr_set(x, known->squares, MPFR_RNDN);
    break;
  case L1:
    mpfr_set(x, known->size, MPFR_RNDN);
    break;
  case LOG_SUM:
    mpfr_log(x, known->sum, MPFR_RNDN);
    break;
  default:
    mpfr_sqrt(x, known->squares, MPFR_RNDN);
  }
  bits = rounded(x, f);
  mpfr_clear(x);
  return bits;
}
/* Longer than any midpoint, and exact up to 170 factors. */
static uint32_t expected_product(const row *r) {
  mpfr_t product, x;
  uint32_t i, bits;
  mpfr_init2(product, PRODUCT_BITS);
  mpfr_init2(x, 24);
  mpfr_set_ui(product, 1, MPFR_RNDN);
  for (i = 0; i < r->n; i++) {
    load(x, r->a[i], r->f);
    mpfr_mul(product, product, x, MPFR_RNDN);
  }
  bits = rounded(product, r->f);
  mpfr_clears(product, x, (mpfr_ptr)0);
  return bits;
}
/* m + ln(1 + sum of e^(x - m) over the others), m the largest: the part beyond m keeps its digits
   however small it is. */
static uint32_t expected_log_sum_exp(const row *r) {
  uint32_t i, largest = 0, bits;
  mpfr_t sum, m, x;
  mpfr_init2(sum, 400);
  mpfr_init2(m, LONG_BITS);
  mpfr_init2(x, 400);
  for (i = 0; i < r->n; i++) {
    load(m, r->a[largest], r->f);
    load(x, r->a[i], r->f);
    if (mpfr_nan_p(x) || (!mpfr_nan_p(m) && mpfr_cmp(x, m) > 0))
      largest = i;
  }
  load(m, r->a[largest], r->f);
  mpfr_set_zero(sum, 1);
  for (i = 0; i < r->n && mpfr_number_p(m); i++) {
    load(x, r->a[i], r->f);
    mpfr_sub(x, x, m, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
    if (i != largest)
      mpfr_add(sum, sum, x, MPFR_RNDN);
  }
  mpfr_log1p(sum, sum, MPFR_RNDN);
  mpfr_add(m, m, sum, MPFR_RNDN);
  bits = rounded(m, r->f);
  mpfr_clears(sum, m, x, (mpfr_ptr)0);
  return bits;
}
/* (x - S/n) / sqrt((Q - S^2/n) / n + epsilon) = (n x - S) / sqrt(n Q - S^2 + n^2 epsilon), S the
   sum and Q that of the squares: nothing is rounded before the root. */
static uint32_t expected_normalized(const facts *known, uint32_t n, uint32_t x_bits,
                                    uint32_t epsilon, format f) {
  mpfr_t under, over, t;
  uint32_t bits;
  mpfr_init2(under, LONG_BITS);
  mpfr_init2(over, LONG_BITS);
  mpfr_init2(t, LONG_BITS);
  mpfr_mul_ui(under, known->squares, n, MPFR_RNDN);
  mpfr_sqr(t, known->sum, MPFR_RNDN);
  mpfr_sub(under, under, t, MPFR_RNDN);
  load(t, epsilon, f);
  mpfr_mul_ui(t, t, n, MPFR_RNDN);
  mpfr_mul_ui(t, t, n, MPFR_RNDN);
  mpfr_add(under, under, t, MPFR_RNDN);
  load(over, x_bits, f);
  mpfr_mul_ui(over, over, n, MPFR_RNDN);
  mpfr_sub(over, over, known->sum, MPFR_RNDN);
  mpfr_sqrt(under, under, MPFR_RNDN);
  mpfr_div(over, over, under, MPFR_RNDN);
  bits = rounded(over, f);
  mpfr_clears(under, over, t, (mpfr_ptr)0);
  return bits;
}

/* ---- Checks -----------------------------------------------------------------------------------
 */

static long right[OPERATIONS], wrong[OPERATIONS];

static void check(operation op, const batch *t, const char *how, size_t index, uint32_t got,
                  uint32_t want) {
  if (got == want)
    right[op]++;
  else if (wrong[op]++ < 5)
    printf("%s, %s, %s, %s, %lu terms, element %lu: expected %lx, got %lx\n", NAMES[op],
           webnn_data_type_name(t->f.type), t->kind, how, (unsigned long)t->n, (unsigned long)index,
           (unsigned long)want, (unsigned long)got);
}
/* Results of one call of the operator are one case; `wrong_before` is wrong[op] before it. */
static void count_case(operation op, long wrong_before) {
  if (wrong[op] == wrong_before)
    test_passed++;
  else
    test_failed++;
}
static uint32_t *copied(const uint32_t *bits, size_t count) {
  uint32_t *copy = (uint32_t *)test_allocate(4 * count);
  memcpy(copy, bits, 4 * count);
  return copy;
}
/* Compares the operator with want, then once more with the terms in another order and another
   number of threads. */
static void compare_rows(operation op, const batch *t, const uint32_t *want, uint32_t *y) {
  const size_t count = (size_t)t->rows * t->n;
  batch other = *t;
  long before = wrong[op];
  uint32_t i;
  run(op, t, y);
  for (i = 0; i < t->rows; i++)
    check(op, t, "as made", i, y[i], want[i]);
  count_case(op, before);
  other.a = copied(t->a, count);
  other.b = t->b != NULL ? copied(t->b, count) : NULL;
  for (i = 0; i < t->rows; i++) {
    const row r = row_of(&other, i);
    shuffle(&r);
  }
  before = wrong[op];
  run(op, &other, y);
  for (i = 0; i < t->rows; i++)
    check(op, t, "shuffled", i, y[i], want[i]);
  count_case(op, before);
  free(other.a);
  free(other.b);
}
/* Every prefix. */
static void test_cumulative_sum(const batch *t, uint32_t *y) {
  const char *how = t->reversed ? "reversed" : "forward";
  const long wrong_before = wrong[CUMULATIVE_SUM];
  mpfr_t sum, x;
  uint32_t i, j;
  mpfr_init2(sum, SUM_BITS);
  mpfr_init2(x, 24);
  run(CUMULATIVE_SUM, t, y);
  for (i = 0; i < t->rows; i++) {
    uint32_t before = 0; /* the sum of nothing is +0 */
    mpfr_set_zero(sum, -1);
    for (j = 0; j < t->n; j++) {
      const size_t at = (size_t)i * t->n + (t->reversed ? t->n - 1 - j : j);
      uint32_t after;
      load(x, t->a[at], t->f);
      add_exactly(sum, x);
      after = rounded(sum, t->f);
      check(CUMULATIVE_SUM, t, how, at, y[at], t->exclusive ? before : after);
      before = after;
    }
  }
  count_case(CUMULATIVE_SUM, wrong_before);
  mpfr_clears(sum, x, (mpfr_ptr)0);
}
/* All elements of short rows, a thousand or so of long ones. */
static void test_layer_normalization(const batch *t, const facts *known, uint32_t *y) {
  const uint32_t step = t->n > 2000 ? t->n / 1000 + 1 : 1;
  const long before = wrong[LAYER_NORMALIZATION];
  uint32_t i, j;
  run(LAYER_NORMALIZATION, t, y);
  for (i = 0; i < t->rows; i++)
    for (j = i % step; j < t->n; j += step) {
      const size_t at = (size_t)i * t->n + j;
      check(LAYER_NORMALIZATION, t, "as made", at, y[at],
            expected_normalized(&known[i], t->n, t->a[at], t->epsilon, t->f));
    }
  count_case(LAYER_NORMALIZATION, before);
}

/* ---- The condition numbers met: sum of sizes over size of the sum ------------------------------
 */

enum { DECADES = 20, COLUMNS = 9 };
static long worst_condition[2][2], conditions[2][2][COLUMNS], cancelled[2][2];

static void note_condition(format f, bool dot, const mpfr_t sum, const mpfr_t size) {
  const int type = f.type == WEBNN_FLOAT16;
  long decimals;
  if (!mpfr_number_p(sum) || !mpfr_number_p(size) || mpfr_zero_p(size))
    return;
  if (mpfr_zero_p(sum)) {
    cancelled[type][dot]++;
    return;
  }
  /* twice that for the dot product; rounded down */
  decimals = (long)((double)(mpfr_get_exp(size) - mpfr_get_exp(sum) - 1 + dot) * 0.30102999566);
  worst_condition[type][dot] =
      decimals > worst_condition[type][dot] ? decimals : worst_condition[type][dot];
  conditions[type][dot][clamped((int)decimals / DECADES, 0, COLUMNS - 1)]++;
}
static void print_conditions(void) {
  static const char *const names[2][2] = {{"float32 sums", "float32 dot products"},
                                          {"float16 sums", "float16 dot products"}};
  int type, dot, k;
  printf("rows by condition number    ");
  for (k = 1; k <= COLUMNS; k++)
    printf(" <1e%-4d", DECADES * k);
  printf(" infinite largest\n");
  for (type = 0; type < 2; type++)
    for (dot = 0; dot < 2; dot++) {
      printf("%-28s", names[type][dot]);
      for (k = 0; k < COLUMNS; k++)
        printf(" %7ld", conditions[type][dot][k]);
      printf(" %8ld 1e%ld\n", cancelled[type][dot], worst_condition[type][dot]);
    }
}

/* ---- Batches ----------------------------------------------------------------------------------
 */

static void test_sums(batch *t) {
  static const operation operations[] = {SUM, MEAN,    SUM_SQUARE,   L1,
                                         L2,  LOG_SUM, AVERAGE_POOL, L2_POOL};
  uint32_t *want = (uint32_t *)test_allocate(4 * (size_t)t->rows);
  uint32_t *y = (uint32_t *)test_allocate(4 * (size_t)t->rows * t->n);
  facts *known = (facts *)test_allocate(t->rows * sizeof *known);
  uint32_t i;
  size_t k;
  for (i = 0; i < t->rows; i++) {
    const row r = row_of(t, i);
    known[i] = facts_of(&r);
    note_condition(t->f, false, known[i].sum, known[i].size);
  }
  for (k = 0; k < sizeof operations / sizeof *operations; k++) {
    for (i = 0; i < t->rows; i++)
      want[i] = expected_of_row(operations[k], &known[i], t->n, t->f);
    compare_rows(operations[k], t, want, y);
  }
  t->exclusive = coin();
  t->reversed = coin();
  test_cumulative_sum(t, y);
  t->epsilon = below(3) == 0 ? 0 : encoded(t->f, coin() ? 0 : -9, random_fraction(t->f));
  test_layer_normalization(t, known, y);
  for (i = 0; i < t->rows; i++)
    mpfr_clears(known[i].sum, known[i].size, known[i].squares, (mpfr_ptr)0);
  free(known);
  free(y);
  free(want);
}
/* An addend for alpha dot + beta c that takes away nearly all, or any; and what has to come. */
static uint32_t choose_addend(const batch *t, operation op, const mpfr_t dot, uint32_t *want) {
  mpfr_t x, factor, all;
  uint32_t c;
  mpfr_init2(x, LONG_BITS);
  mpfr_init2(all, LONG_BITS);
  mpfr_init2(factor, 24);
  mpfr_set_ui(factor, 1, MPFR_RNDN);
  if (op == GEMM_SCALED)
    load(factor, t->alpha, t->f);
  mpfr_mul(all, dot, factor, MPFR_RNDN);
  mpfr_set_ui(factor, 1, MPFR_RNDN);
  if (is_gemm(op))
    load(factor, t->beta, t->f);
  mpfr_div(x, all, factor, MPFR_RNDN);
  mpfr_neg(x, x, MPFR_RNDN);
  c = below(3) != 0 ? rounded(x, t->f) : coin() ? random_finite(t->f) : random_sign(t->f);
  load(x, c, t->f);
  mpfr_mul(x, x, factor, MPFR_RNDN);
  mpfr_add(all, all, x, MPFR_RNDN);
  *want = rounded(all, t->f);
  mpfr_clears(x, factor, all, (mpfr_ptr)0);
  return c;
}
/* gemm takes a few rows one by one, transposed in all ways. */
static void test_gemm(operation op, const batch *t, const uint32_t *want, uint32_t *y) {
  const uint32_t step = t->rows > 6 ? t->rows / 6 : 1;
  uint32_t i;
  for (i = 0; i < t->rows; i += step) {
    batch one = *t;
    one.rows = 1;
    one.a += (size_t)i * t->n;
    one.b += (size_t)i * t->n;
    one.c += i;
    one.a_transpose = coin();
    one.b_transpose = coin();
    compare_rows(op, &one, want + i, y);
  }
}
/* The taps of a transposed convolution meet the input backwards. */
static void test_transposed_window(const batch *t, const uint32_t *want, uint32_t *y) {
  const long before = wrong[CONV_TRANSPOSE_WINDOW];
  batch other = *t;
  uint32_t i, j;
  other.b = copied(t->b, (size_t)t->rows * t->n);
  for (i = 0; i < t->rows; i++)
    for (j = 0; j < t->n / 2; j++)
      swap_bits(other.b + (size_t)i * t->n, j, t->n - 1 - j);
  run(CONV_TRANSPOSE_WINDOW, &other, y);
  for (i = 0; i < t->rows; i++)
    check(CONV_TRANSPOSE_WINDOW, t, "as made", i, y[i], want[i]);
  count_case(CONV_TRANSPOSE_WINDOW, before);
  free(other.b);
}
static void test_dot_operation(operation op, batch *t, mpfr_t *dots, uint32_t *want, uint32_t *y) {
  uint32_t i;
  for (i = 0; i < t->rows; i++) {
    if (has_addend(op))
      t->c[i] = choose_addend(t, op, dots[i], &want[i]);
    else
      want[i] = rounded(dots[i], t->f);
  }
  if (is_gemm(op))
    test_gemm(op, t, want, y);
  else if (op == CONV_TRANSPOSE_WINDOW)
    test_transposed_window(t, want, y);
  else
    compare_rows(op, t, want, y);
}
static void test_dots(batch *t) {
  uint32_t *want = (uint32_t *)test_allocate(4 * (size_t)t->rows);
  uint32_t *y = (uint32_t *)test_allocate(4 * (size_t)t->rows);
  mpfr_t *dots = (mpfr_t *)test_allocate(t->rows * sizeof *dots), size;
  uint32_t i;
  int op;
  mpfr_init2(size, SUM_BITS);
  t->c = (uint32_t *)test_allocate(4 * (size_t)t->rows);
  t->alpha = coin() ? random_finite(t->f) : random_at(t->f, between(-2, 2));
  t->beta = coin() ? t->alpha : random_finite(t->f); /* the same: c can cancel the dot product */
  for (i = 0; i < t->rows; i++) {
    const row r = row_of(t, i);
    mpfr_init2(dots[i], SUM_BITS);
    exact_sum(dots[i], &r, t->n);
    mpfr_set_zero(size, 1);
    add_terms(size, &r, 0, t->n, true);
    note_condition(t->f, true, dots[i], size);
  }
  for (op = MATMUL; op <= CONV_TRANSPOSE_WINDOW; op++)
    test_dot_operation((operation)op, t, dots, want, y);
  for (i = 0; i < t->rows; i++)
    mpfr_clear(dots[i]);
  mpfr_clear(size);
  free(dots);
  free(t->c);
  free(y);
  free(want);
}
static void test_one(operation op, batch *t) {
  uint32_t *want = (uint32_t *)test_allocate(4 * (size_t)t->rows);
  uint32_t *y = (uint32_t *)test_allocate(4 * (size_t)t->rows);
  uint32_t i;
  for (i = 0; i < t->rows; i++) {
    const row r = row_of(t, i);
    want[i] = op == PRODUCT ? expected_product(&r) : expected_log_sum_exp(&r);
  }
  compare_rows(op, t, want, y);
  free(y);
  free(want);
}

/* ---- All kinds of data ------------------------------------------------------------------------
 */

enum { OF_SUMS = 1, OF_DOTS = 2, OF_PRODUCTS = 4, OF_EXPONENTS = 8 };

typedef struct kind {
  const char *name;
  void (*make)(const row *);
  int use;
  bool long_rows; /* worth a million terms */
} kind;
static const kind KINDS[] = {
    {"uniform", make_uniform, OF_SUMS | OF_DOTS, true},
    {"all exponents", make_all_exponents, OF_SUMS | OF_DOTS | OF_PRODUCTS, true},
    {"ill-conditioned", make_ill_conditioned, OF_SUMS | OF_DOTS, true},
    {"one survivor", make_survivor, OF_SUMS | OF_DOTS, false},
    {"turning point", make_turning_point, OF_SUMS | OF_DOTS, true},
    {"overflow on the way", make_overflow, OF_SUMS | OF_DOTS, false},
    {"subnormal", make_subnormal, OF_SUMS | OF_DOTS, false},
    {"NaN and infinity", make_special, OF_SUMS | OF_DOTS | OF_PRODUCTS | OF_EXPONENTS, false},
    {"zeros", make_zeros, OF_SUMS | OF_DOTS | OF_PRODUCTS, false},
    {"squares", make_squares, OF_SUMS, false},
    {"square of a midpoint", make_square_of_midpoint, OF_SUMS, false},
    {"reciprocals", make_reciprocals, OF_PRODUCTS, true},
    {"product at a midpoint", make_product_midpoint, OF_PRODUCTS, false},
    {"product next to a midpoint", make_near_midpoint, OF_PRODUCTS, false},
    {"exponents", make_exponents, OF_EXPONENTS, false}};
enum { KIND_COUNT = (int)(sizeof KINDS / sizeof *KINDS) };

static void test_kind(const kind *k, int use, format f, uint32_t rows, uint32_t n) {
  const size_t count = (size_t)rows * n;
  batch t;
  uint32_t i;
  if ((k->use & use) == 0)
    return;
  memset(&t, 0, sizeof t);
  t.kind = k->name;
  t.f = f;
  t.rows = rows;
  t.n = n;
  t.a = (uint32_t *)test_allocate(4 * count);
  t.b = use == OF_DOTS ? (uint32_t *)test_allocate(4 * count) : NULL;
  for (i = 0; i < rows; i++) {
    const row r = row_of(&t, i);
    k->make(&r);
  }
  if (use == OF_SUMS)
    test_sums(&t);
  else if (use == OF_DOTS)
    test_dots(&t);
  else
    test_one(use == OF_PRODUCTS ? PRODUCT : LOG_SUM_EXP, &t);
  free(t.a);
  free(t.b);
}
static void test_length(uint32_t n, uint32_t rows) {
  int i, type;
  for (i = 0; i < KIND_COUNT; i++)
    for (type = 0; type < 2; type++) {
      test_kind(&KINDS[i], OF_SUMS, FORMATS[type], rows, n);
      test_kind(&KINDS[i], OF_DOTS, FORMATS[type], rows, n);
      test_kind(&KINDS[i], OF_PRODUCTS, FORMATS[type], rows, n);
      test_kind(&KINDS[i], OF_EXPONENTS, FORMATS[type], n > 10 ? 1 : rows, n);
    }
}
/* One row of each kind that is worth it; float16 of the ill-conditioned kind. */
static void test_long(uint32_t n) {
  int i;
  for (i = 0; i < KIND_COUNT; i++) {
    if (KINDS[i].long_rows || n <= 10000) {
      test_kind(&KINDS[i], OF_SUMS, FORMATS[0], 1, n);
      test_kind(&KINDS[i], OF_DOTS, FORMATS[0], 1, n);
      test_kind(&KINDS[i], OF_PRODUCTS, FORMATS[0], 1, n);
    }
    if (KINDS[i].make == make_ill_conditioned) {
      test_kind(&KINDS[i], OF_SUMS, FORMATS[1], 1, n);
      test_kind(&KINDS[i], OF_DOTS, FORMATS[1], 1, n);
    }
  }
}

/* ---- Cases worked out by hand -----------------------------------------------------------------
 */

static void test_sums_by_hand(void) {
  static const struct {
    uint32_t n, terms[6], want;
  } cases[] = {{3, {0x7f61b1e6, 0x7f61b1e6, 0xff61b1e6}, 0x7f61b1e6}, /* 3e38 + 3e38 - 3e38 */
               {2, {0x7f7fffff, 0x73000000}, 0x7f800000}, /* a tie above the largest float */
               {3, {0x7f7fffff, 0x73000000, 0x80000001}, 0x7f7fffff},    /* and just below it */
               {3, {0x4b800000, 0x3f800000, 0x00000001}, 0x4b800001},    /* 2^24 + 1 + 2^-149 */
               {3, {0x4b800000, 0x3f800000, 0x80000001}, 0x4b800000},    /* 2^24 + 1 - 2^-149 */
               {2, {0x4b800000, 0x3f800000}, 0x4b800000},                /* 2^24 + 1: to even */
               {2, {0x80000000, 0x80000000}, 0x80000000},                /* -0 - 0 = -0 */
               {2, {0x80000000, 0x00000000}, 0x00000000},                /* -0 + 0 = 0 */
               {2, {0x3f800000, 0xbf800000}, 0x00000000},                /* 1 - 1 = 0 */
               {3, {0x7f800000, 0xff800000, 0x3f800000}, 0x7fc00000},    /* inf - inf + 1 */
               {4, {0x7149f2ca, 0x3f800000, 0xf149f2ca, 0}, 0x3f800000}, /* 1e30 + 1 - 1e30 + 0 */
               {1, {0x7f800001}, 0x7fc00000}};
  uint32_t a[6], y[1];
  size_t i;
  batch t;
  memset(&t, 0, sizeof t);
  t.kind = "by hand";
  t.f = FORMATS[0];
  t.rows = 1;
  t.a = a;
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    t.n = cases[i].n;
    memcpy(a, cases[i].terms, sizeof a);
    compare_rows(SUM, &t, &cases[i].want, y);
  }
}
/* a[0] is the mean but for 2^-149 / 4: the rest of the row is 1/2, 5/2 and that little. */
static void test_mean_by_hand(void) {
  uint32_t a[4] = {0x3f800000, 0x3f000000, 0x40200000, 1}, y[4];
  facts known;
  batch t;
  row r;
  memset(&t, 0, sizeof t);
  t.kind = "an element at the mean";
  t.f = FORMATS[0];
  t.rows = 1;
  t.n = 4;
  t.a = a;
  r = row_of(&t, 0);
  known = facts_of(&r);
  test_layer_normalization(&t, &known, y);
  mpfr_clears(known.sum, known.size, known.squares, (mpfr_ptr)0);
}

int main(int argc, char **argv) {
  static const uint32_t lengths[][2] = {{1, 40}, {2, 40}, {3, 40}, {10, 24}, {100, 6}, {1000, 1}};
  const int rounds = argc > 1 ? atoi(argv[1]) : 60;
  long all = 0;
  int i, round;
  size_t k;
  for (i = 0; i < 3; i++) {
    webnn_context_options o = {0};
    o.numerics = WEBNN_NUMERICS_REFERENCE;
    o.threads = (uint32_t)i + 1;
    contexts[i] = test_context(&o);
  }
  test_sums_by_hand();
  test_mean_by_hand();
  for (round = 0; round < rounds; round++) {
    for (k = 0; k < sizeof lengths / sizeof *lengths; k++)
      test_length(lengths[k][0], lengths[k][1]);
    if (round % 100 == 0) {
      test_long(10000);
      test_long(100000);
      test_long(1000000);
    }
  }
  for (i = 0; i < OPERATIONS; i++) {
    printf("%-28s %9ld right %6ld wrong\n", NAMES[i], right[i], wrong[i]);
    all += right[i] + wrong[i];
  }
  printf("%ld results compared\n", all);
  print_conditions();
  CHECK("undecided", undecided == 0, "%llu results were rounded in doubt",
        (unsigned long long)undecided);
  for (i = 0; i < 3; i++)
    webnn_free_context(contexts[i]);
  mpfr_free_cache();
  return test_end();
}
#endif /* WEBNN_HAVE_MPFR */
