/* The chapter on exact numerics against MPFR: every float16 input of every function of one
   argument, random and structured float32 inputs, pairs for the functions of two, sums,
   conversions.

     exact [N]     N random and N structured inputs for each function (default 20000)
     exact bench   nanoseconds for one call of each function

   Tests of the implementation's own functions, so it is included here. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#ifndef WEBNN_HAVE_MPFR
#include <stdio.h>
int main(void) {
  printf("exact: skipped: MPFR (libmpfr-dev) is not installed\n");
  printf("0 passed, 0 failed, 1 skipped\n");
  return 0;
}
#else
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A line of the output is one case, whose results are compared with MPFR's. */
static long passed, failed, all_compared, line_right, line_wrong;
static uint64_t seed = 88172645463325252U;

static uint64_t rnd(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed * 2685821657736338717U;
}
static void check(bool ok, const char *name, uint64_t a, uint64_t b, uint64_t got, uint64_t want) {
  if (ok) {
    line_right++;
    return;
  }
  if (line_wrong++ < 5)
    printf("FAIL %s(%llx, %llx): got %llx want %llx\n", name, (unsigned long long)a,
           (unsigned long long)b, (unsigned long long)got, (unsigned long long)want);
}
static void line(const char *name) {
  const bool good = line_right > 0 && line_wrong == 0;
  printf("%-28s %9ld right %6ld wrong\n", name, line_right, line_wrong);
  fflush(stdout);
  passed += good;
  failed += !good;
  all_compared += line_right + line_wrong;
  line_right = line_wrong = 0;
}

typedef webnn__float_format format;
static const format F32 = {23, 8}, F16 = {10, 5}, BF16 = {7, 8};

/* Pattern of y (already exactly representable in the format), by the definition, through mpz. */
static uint32_t pattern(mpfr_t y, format f) {
  const uint32_t sign = (uint32_t)(mpfr_signbit(y) != 0) << (f.fraction_bits + f.exponent_bits);
  const uint32_t inf = ((1U << f.exponent_bits) - 1) << f.fraction_bits;
  if (mpfr_nan_p(y))
    return inf | (1U << (f.fraction_bits - 1));
  if (mpfr_inf_p(y))
    return sign | inf;
  if (mpfr_zero_p(y))
    return sign;
  const long bias = (1L << (f.exponent_bits - 1)) - 1, binade = mpfr_get_exp(y) - 1;
  const long unit = (binade < 1 - bias ? 1 - bias : binade) - f.fraction_bits;
  mpfr_t t;
  mpfr_init2(t, 64);
  mpfr_mul_2si(t, y, -unit, MPFR_RNDN);
  mpfr_abs(t, t, MPFR_RNDN);
  const uint32_t m = (uint32_t)mpfr_get_ui(t, MPFR_RNDN);
  mpfr_clear(t);
  if (binade < 1 - bias)
    return sign | m;
  return sign | (((uint32_t)(binade + bias) << f.fraction_bits) + m - (1U << f.fraction_bits));
}
/* Rounds y, of ternary t and computed at precision fb + 1, into the range of the format. */
static uint32_t finish(mpfr_t y, int t, format f) {
  const long bias = (1L << (f.exponent_bits - 1)) - 1;
  const mpfr_exp_t lo = mpfr_get_emin(), hi = mpfr_get_emax();
  mpfr_set_emin(1 - bias - f.fraction_bits + 1);
  mpfr_set_emax(bias + 1);
  t = mpfr_check_range(y, t, MPFR_RNDN);
  mpfr_subnormalize(y, t, MPFR_RNDN);
  const uint32_t r = pattern(y, f);
  mpfr_set_emin(lo);
  mpfr_set_emax(hi);
  return r;
}
static void load_bits(mpfr_t x, uint64_t bits, format f) {
  const uint64_t m = bits & ((1ULL << f.fraction_bits) - 1),
                 e = (bits >> f.fraction_bits) & ((1ULL << f.exponent_bits) - 1);
  const long bias = (1L << (f.exponent_bits - 1)) - 1;
  const int neg = (int)((bits >> (f.fraction_bits + f.exponent_bits)) & 1);
  if (e == (1ULL << f.exponent_bits) - 1) {
    if (m)
      mpfr_set_nan(x);
    else
      mpfr_set_inf(x, neg ? -1 : 1);
    return;
  }
  mpfr_set_ui_2exp(x, e ? m | (1ULL << f.fraction_bits) : m,
                   (long)(e ? e : 1) - bias - f.fraction_bits, MPFR_RNDN);
  mpfr_setsign(x, x, neg, MPFR_RNDN);
}
static void load_wide(mpfr_t x, webnn__wide w) {
  if (w.kind == WEBNN__KIND_NAN) {
    mpfr_set_nan(x);
    return;
  }
  if (w.kind == WEBNN__KIND_INFINITE) {
    mpfr_set_inf(x, w.negative ? -1 : 1);
    return;
  }
  if (w.kind == WEBNN__KIND_ZERO) {
    mpfr_set_zero(x, w.negative ? -1 : 1);
    return;
  }
  mpfr_t t;
  mpfr_init2(t, 64);
  mpfr_set_ui_2exp(x, w.hi, w.exponent + 64, MPFR_RNDN);
  mpfr_set_ui_2exp(t, w.lo, w.exponent, MPFR_RNDN);
  mpfr_add(x, x, t, MPFR_RNDN);
  mpfr_setsign(x, x, w.negative, MPFR_RNDN);
  mpfr_clear(t);
}

typedef int (*mp1)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*mp2)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef webnn__wide (*w1)(webnn__wide);
typedef webnn__wide (*w2)(webnn__wide, webnn__wide);

static int mp_sigmoid(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  mpfr_t t;
  mpfr_init2(t, 700);
  mpfr_neg(t, x, r);
  mpfr_exp(t, t, r);
  mpfr_add_ui(t, t, 1, r);
  mpfr_ui_div(t, 1, t, r);
  const int k = mpfr_set(y, t, r);
  mpfr_clear(t);
  return k;
}
static int mp_softplus(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  mpfr_t t;
  mpfr_init2(t, 700);
  mpfr_abs(t, x, r);
  mpfr_neg(t, t, r);
  mpfr_exp(t, t, r);
  mpfr_log1p(t, t, r);
  if (mpfr_nan_p(x) || !mpfr_signbit(x)) {
    mpfr_add(t, t, x, r);
    if (mpfr_number_p(t) && mpfr_equal_p(t, x))
      mpfr_nextabove(t);
  }
  const int k = mpfr_set(y, t, r);
  mpfr_clear(t);
  return k;
}
static int mp_abs(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  return mpfr_abs(y, x, r);
}
static int mp_neg(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  return mpfr_neg(y, x, r);
}
static int mp_floor(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  (void)r;
  return mpfr_rint_floor(y, x, r);
}
static int mp_ceil(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  return mpfr_rint_ceil(y, x, r);
}
static int mp_trunc(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  return mpfr_rint_trunc(y, x, r);
}
static int mp_even(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  return mpfr_rint_roundeven(y, x, r);
}
/* erfc far out: MPFR is slow and the result 0; below it, exact. */
static int mp_erfc(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  if (mpfr_number_p(x) && mpfr_cmp_ui(x, 20) > 0) {
    mpfr_set_ui_2exp(y, 1, -1000, r);
    return -1;
  }
  return mpfr_erfc(y, x, r);
}
/* pow: C99's special values are MPFR's; huge exponents are cut by MPFR itself. */
typedef struct func1 {
  const char *name;
  w1 wide;
  mp1 mp;
} func1;
static const func1 FUNCS[] = {{"abs", webnn__wide_abs, mp_abs},
                              {"neg", webnn__wide_neg, mp_neg},
                              {"floor", webnn__wide_floor, mp_floor},
                              {"ceil", webnn__wide_ceil, mp_ceil},
                              {"trunc", webnn__wide_trunc, mp_trunc},
                              {"round_even", webnn__wide_round_even, mp_even},
                              {"sqrt", webnn__wide_sqrt, mpfr_sqrt},
                              {"exp", webnn__wide_exp, mpfr_exp},
                              {"expm1", webnn__wide_expm1, mpfr_expm1},
                              {"log", webnn__wide_log, mpfr_log},
                              {"log1p", webnn__wide_log1p, mpfr_log1p},
                              {"sin", webnn__wide_sin, mpfr_sin},
                              {"cos", webnn__wide_cos, mpfr_cos},
                              {"tan", webnn__wide_tan, mpfr_tan},
                              {"erf", webnn__wide_erf, mpfr_erf},
                              {"erfc", webnn__wide_erfc, mp_erfc},
                              {"tanh", webnn__wide_tanh, mpfr_tanh},
                              {"sigmoid", webnn__wide_sigmoid, mp_sigmoid},
                              {"softplus", webnn__wide_softplus, mp_softplus}};
enum { COUNT1 = (int)(sizeof FUNCS / sizeof *FUNCS) };

static void one(const func1 *f, uint64_t bits, format in, format out, const char *name) {
  mpfr_t x, y;
  mpfr_init2(x, 53);
  mpfr_init2(y, out.fraction_bits + 1);
  load_bits(x, bits, in);
  const int t = f->mp(y, x, MPFR_RNDN);
  const uint32_t want = finish(y, t, out);
  const webnn__wide w = f->wide(webnn__wide_from_float_bits(bits, in));
  const uint32_t got = webnn__wide_to_float_bits(w, out);
  check(got == want, name, bits, 0, got, want);
  mpfr_clear(x);
  mpfr_clear(y);
}
static const uint32_t edge[] = {
    0x6f79be45, /* 16367173 * 2^72, close to a multiple of pi/2 */
    0xbf800000, 0x3f000000, 0x40400000, 0xc0400000, 0x7f800001, 0,          1,
    2,          0x7fffff,   0x800000,   0x800001,   0x3f800000, 0x3f7fffff, 0x3f800001,
    0x7f7fffff, 0x7f800000, 0x7fc00000, 0x40000000, 0x3f000000, 0x42b17217, 0x42b17218,
    0x42cff1b5, 0x33800000, 0x33000000, 0x3fc90fdb, 0x40490fdb, 0x4b800000, 0x4b000001};
static uint32_t structured(void) { /* a float32 pattern likely to be awkward */
  uint32_t b;
  switch (rnd() % 6) {
  case 0:
    b = edge[rnd() % (sizeof edge / 4)];
    break;
  case 1:
    b = 0x3f800000U + (uint32_t)(rnd() % 4096) - 2048;
    break;
  case 2:
    b = ((uint32_t)(rnd() % 255) << 23) | (((uint32_t)rnd() & 7) << 20);
    break;
  case 3:
    b = ((uint32_t)(rnd() % 24 + 115) << 23) | ((uint32_t)rnd() & 0x7fffff);
    break;
  case 4:
    b = ((uint32_t)(rnd() % 24 + 115) << 23) | ((uint32_t)(rnd() & 0xfff) << 11);
    break;
  default:
    b = ((uint32_t)(rnd() % 255) << 23) | ((uint32_t)(rnd() & 0xff) << 15);
    break;
  }
  return b ^ ((uint32_t)(rnd() & 1) << 31);
}

typedef struct func2 {
  const char *name;
  w2 wide;
  mp2 mp;
} func2;
static const func2 FUNCS2[] = {{"add", webnn__wide_add, mpfr_add},
                               {"sub", webnn__wide_sub, mpfr_sub},
                               {"mul", webnn__wide_mul, mpfr_mul},
                               {"div", webnn__wide_div, mpfr_div},
                               {"pow", webnn__wide_pow, mpfr_pow}};

static void two(const func2 *f, uint32_t a, uint32_t b, format in, format out) {
  mpfr_t x, y, z;
  mpfr_init2(x, 53);
  mpfr_init2(y, 53);
  mpfr_init2(z, out.fraction_bits + 1);
  load_bits(x, a, in);
  load_bits(y, b, in);
  const int t = f->mp(z, x, y, MPFR_RNDN);
  const uint32_t want = finish(z, t, out);
  const webnn__wide w =
      f->wide(webnn__wide_from_float_bits(a, in), webnn__wide_from_float_bits(b, in));
  const uint32_t got = webnn__wide_to_float_bits(w, out);
  check(got == want, f->name, a, b, got, want);
  mpfr_clear(x);
  mpfr_clear(y);
  mpfr_clear(z);
}
/* A pair on whose quotient, product, power, ... the rounding is exact or exactly halfway. */
static void midpoint_pair(int which, uint32_t *a, uint32_t *b) {
  const uint64_t m25 = (rnd() & 0xffffff) | 0x1000001; /* 25 bits, odd */
  float x = 1, y = 1;
  if (which == 0) { /* add: exponents 24 apart */
    *a = (100U << 23) | ((uint32_t)rnd() & 0x7fffff);
    *b = ((76U + (uint32_t)(rnd() % 3)) << 23) | ((uint32_t)rnd() % 3);
    return;
  }
  if (which == 1) {
    midpoint_pair(0, a, b);
    *b ^= 0x80000000U;
    return;
  }
  if (which == 2) { /* product of 12 and 13 bit numbers, down into the subnormals */
    x = (float)((rnd() & 0xfff) | 0x801);
    y = (float)((rnd() & 0x1fff) | 0x1001);
    uint32_t k;
    memcpy(&k, &x, 4);
    *a = k - ((uint32_t)(rnd() % 90) << 23);
    memcpy(&k, &y, 4);
    *b = k - ((uint32_t)(rnd() % 90) << 23);
    return;
  }
  if (which == 3) { /* x/y = 12-bit, or subnormal by a power of two */
    x = (float)((rnd() & 0xfff) * (rnd() & 0xfff));
    y = (float)((rnd() & 0xfff) | 1);
    if (rnd() & 1) {
      x = (float)(rnd() & 0xffffff);
      y = (float)(1ULL << (rnd() % 30));
    }
    memcpy(a, &x, 4);
    memcpy(b, &y, 4);
    if (x != 0 && (rnd() & 1)) {
      *a -= (uint32_t)(rnd() % 120) << 23;
      *b += (uint32_t)(rnd() % 90) << 23;
    }
    return;
  }
  switch (rnd() % 6) { /* pow */
  case 0:
    x = (float)(rnd() % 5000);
    y = (float)(rnd() % 4);
    break;
  case 1:
    x = (float)((rnd() % 64) * 0.25);
    y = (float)(rnd() % 12) * 0.5f;
    break;
  case 2: {
    const uint64_t r = rnd() % 60;
    x = (float)(r * r * r * r);
    y = (float)(rnd() % 40) * 0.25f;
    break;
  }
  case 3:
    x = (float)(1ULL << (rnd() % 40));
    y = ((float)(rnd() % 1000) - 500) * 0.125f;
    break;
  case 4: {
    const uint64_t r = rnd() % 4096;
    x = (float)(r * r);
    y = (float)(rnd() % 6) * 0.5f;
    if (rnd() & 1)
      x /= 65536;
    break;
  }
  default:
    x = 1.0f + (float)(m25 & 4095) / 4096.0f;
    y = 2;
    if (rnd() & 1)
      x = -x;
    break;
  }
  memcpy(a, &x, 4);
  memcpy(b, &y, 4);
}

static webnn__wide random_wide(int span) {
  return webnn__wide_make((rnd() & 1) != 0, rnd() | WEBNN__TOP_BIT, rnd(),
                          (int32_t)(rnd() % (uint64_t)(2 * span)) - span - 127, false);
}
static void test_wide_ops(void) { /* +, -, *, / and sqrt against MPFR, rounded to odd at 128 bits */
  mpfr_t x, y, z;
  mpfr_init2(x, 128);
  mpfr_init2(y, 128);
  mpfr_init2(z, 128);
  for (int i = 0; i < 400000; ++i) {
    const int k = i % 6;
    webnn__wide a = random_wide((i & 64) ? 3 : 200), b = random_wide((i & 64) ? 3 : 200), r, w;
    if (rnd() % 4 == 0) {
      b = a;
      b.lo += rnd() % 3 - 1;
      b.negative = (uint8_t)(rnd() & 1);
    }
    if (rnd() % 8 == 0)
      b.lo = 0;
    if (rnd() % 8 == 0)
      a.lo = 0, a.hi &= ~(uint64_t)0 << (rnd() % 64);
    if (rnd() % 8 == 0)
      b.hi = ~(uint64_t)0 << (rnd() % 64), b.lo = ~(uint64_t)0 << (rnd() % 64);
    const uint32_t n = (uint32_t)(rnd() >> (32 + rnd() % 31)) | 1;
    if (k == 4)
      a.negative = 0;
    load_wide(x, a);
    load_wide(y, b);
    int t;
    switch (k) {
    case 0:
      t = mpfr_add(z, x, y, MPFR_RNDZ);
      r = webnn__wide_add(a, b);
      break;
    case 1:
      t = mpfr_sub(z, x, y, MPFR_RNDZ);
      r = webnn__wide_sub(a, b);
      break;
    case 2:
      t = mpfr_mul(z, x, y, MPFR_RNDZ);
      r = webnn__wide_mul(a, b);
      break;
    case 3:
      t = mpfr_div(z, x, y, MPFR_RNDZ);
      r = webnn__wide_div(a, b);
      break;
    case 4:
      t = mpfr_sqrt(z, x, MPFR_RNDZ);
      r = webnn__wide_sqrt(a);
      break;
    default:
      t = mpfr_div_ui(z, x, n, MPFR_RNDZ);
      r = webnn__wide_div_small(a, n);
      break;
    }
    load_wide(x, r);
    if (t != 0 && mpfr_regular_p(z)) { /* make z odd */
      mpz_t m;
      mpz_init(m);
      const mpfr_exp_t e = mpfr_get_z_2exp(m, z);
      mpz_abs(m, m);
      mpz_setbit(m, 0);
      if (mpfr_sgn(z) < 0)
        mpz_neg(m, m);
      mpfr_set_z_2exp(z, m, e, MPFR_RNDN);
      mpz_clear(m);
    }
    load_wide(y, r);
    check(mpfr_equal_p(y, z) && mpfr_signbit(y) == mpfr_signbit(z), "wide op", (uint64_t)k, a.hi,
          r.hi, r.lo);
    w = b;
    load_wide(x, a);
    load_wide(y, b);
    const int c = mpfr_cmp(x, y);
    check(webnn__wide_compare(a, w) == (c > 0) - (c < 0), "compare", a.hi, b.hi, 0, 0);
  }
  line("wide ops at 128 bits");
  mpfr_clear(x);
  mpfr_clear(y);
  mpfr_clear(z);
}
static void accuracy(const func1 *f, int lo, int hi, long bound, int sign) { /* 128-bit arguments */
  mpfr_t x, y, z;
  mpfr_init2(x, 128);
  mpfr_init2(y, 400);
  mpfr_init2(z, 400);
  long worst = -1000;
  for (int i = 0; i < 2000; ++i) {
    webnn__wide a = random_wide(1);
    a.exponent = lo + (int32_t)(rnd() % (uint64_t)(hi - lo)) - 127;
    if (sign > 0)
      a.negative = 0;
    if (sign < 0)
      a.negative = 1;
    const webnn__wide r = f->wide(a);
    load_wide(x, a);
    f->mp(y, x, MPFR_RNDN);
    load_wide(z, r);
    mpfr_sub(z, z, y, MPFR_RNDN);
    mpfr_div(z, z, y, MPFR_RNDN);
    const long e = mpfr_zero_p(z) ? -400 : mpfr_get_exp(z);
    if (e > worst)
      worst = e;
    check(e <= bound, f->name, a.hi, (uint64_t)(int64_t)a.exponent, r.hi, (uint64_t)-e);
  }
  char text[80];
  snprintf(text, sizeof text, "%s 2^%d..2^%d: 2^%ld", f->name, lo, hi, worst);
  line(text);
  mpfr_clear(x);
  mpfr_clear(y);
  mpfr_clear(z);
}
static const func1 *find(const char *name) {
  for (int i = 0; i < COUNT1; ++i)
    if (strcmp(FUNCS[i].name, name) == 0)
      return &FUNCS[i];
  abort();
}
static void test_encode(void) {
  static const format formats[] = {{23, 8}, {10, 5}, {7, 8}};
  mpfr_t x, y;
  mpfr_init2(x, 200);
  for (int i = 0; i < 300000; ++i) {
    const format f = formats[i % 3];
    uint64_t m = rnd() >> (rnd() % 64);
    if (rnd() & 1)
      m &= ~(uint64_t)0 << (rnd() % 64);
    const int32_t e = (int32_t)(rnd() % 420) - 260;
    const bool sticky = (rnd() & 1) && (m >> (f.fraction_bits + 2)) != 0, neg = (rnd() & 1) != 0;
    mpfr_set_ui_2exp(x, m, e, MPFR_RNDN);
    if (sticky) {
      mpfr_t d;
      mpfr_init2(d, 2);
      mpfr_set_ui_2exp(d, 1, e - 100, MPFR_RNDN);
      mpfr_add(x, x, d, MPFR_RNDN);
      mpfr_clear(d);
    }
    mpfr_setsign(x, x, neg, MPFR_RNDN);
    mpfr_init2(y, f.fraction_bits + 1);
    const int t = mpfr_set(y, x, MPFR_RNDN);
    const uint32_t want = finish(y, t, f);
    const uint32_t got = webnn__encode_float(neg, m, e, sticky, f);
    check(got == want, "encode", m, (uint64_t)(int64_t)e, got, want);
    mpfr_clear(y);
  }
  mpfr_clear(x);
  line("encode");
  for (uint32_t i = 0; i < 65536; ++i) {
    const uint32_t w = webnn__f16_to_f32_bits((uint16_t)i);
    const webnn__wide a = webnn__wide_from_float_bits(i, webnn__float16_format),
                      b = webnn__wide_from_float_bits(w, webnn__float32_format);
    const bool same =
        a.kind == b.kind && a.hi == b.hi && a.exponent == b.exponent && (w >> 31) == (i >> 15);
    check(same, "f16_to_f32", i, 0, w, 0);
    const uint32_t back = webnn__wide_to_float_bits(a, webnn__float16_format);
    check(back == ((i & 0x7fff) > 0x7c00 ? 0x7e00 : i), "f16 round trip", i, 0, back, i);
  }
  for (int i = 0; i < 200000; ++i) {
    uint64_t b = rnd();
    if (i % 5 == 0)
      b &= 0x800fffffffffffffU;
    if (i % 17 == 0)
      b |= 0x7ff0000000000000U;
    double d;
    memcpy(&d, &b, 8);
    mpfr_t p, q;
    mpfr_init2(p, 53);
    mpfr_init2(q, 128);
#ifdef __FAST_MATH__ /* the processor then flushes subnormal doubles on MPFR's way in */
    load_bits(p, b, (format){52, 11});
#else
    mpfr_set_d(p, d, MPFR_RNDN);
#endif
    load_wide(q, webnn__wide_from_float_bits(b, webnn__float64_format));
    check((mpfr_nan_p(p) && mpfr_nan_p(q)) ||
              (mpfr_equal_p(p, q) && mpfr_signbit(p) == mpfr_signbit(q)),
          "decode double", b, 0, 0, 0);
    mpfr_clear(p);
    mpfr_clear(q);
  }
  line("decode, f16 widening");
}
static void test_integers(void) {
  mpfr_t x;
  mpz_t z, m, lo, hi;
  mpfr_init2(x, 128);
  mpz_inits(z, m, lo, hi, NULL);
  for (int i = 0; i < 200000; ++i) {
    webnn__wide a = random_wide(1);
    a.exponent = (int32_t)(rnd() % 210) - 140;
    if (rnd() % 3 == 0)
      a = webnn__wide_from_i64((int64_t)(rnd() >> (rnd() % 64)) - (int64_t)(rnd() >> 33));
    if (a.kind != WEBNN__KIND_FINITE)
      continue;
    load_wide(x, a);
    mpfr_get_z(z, x, MPFR_RNDZ);
    mpz_fdiv_r_2exp(m, z, 64);
    check(mpz_get_ui(m) == webnn__wide_to_u64_wrapped(a), "wrapped", a.hi, (uint64_t)a.exponent, 0,
          0);
    static const int widths[] = {4, 8, 16, 32, 64};
    const int bits = widths[rnd() % 5];
    const bool is_signed = (rnd() & 1) != 0;
    mpz_set_ui(hi, 1);
    mpz_mul_2exp(hi, hi, (unsigned)(bits - is_signed));
    if (is_signed)
      mpz_neg(lo, hi);
    else
      mpz_set_ui(lo, 0);
    mpz_sub_ui(hi, hi, 1);
    if (mpz_cmp(z, hi) > 0)
      mpz_set(z, hi);
    if (mpz_cmp(z, lo) < 0)
      mpz_set(z, lo);
    mpz_fdiv_r_2exp(m, z, 64);
    const uint64_t got = webnn__wide_to_integer_saturated(a, bits, is_signed);
    check(mpz_get_ui(m) == got, "saturated", a.hi, (uint64_t)bits, got, mpz_get_ui(m));
  }
  check(webnn__wide_to_integer_saturated(webnn__wide_nan(), 8, true) == 0, "sat nan", 0, 0, 0, 0);
  check(webnn__wide_to_integer_saturated(webnn__wide_infinity(true), 8, true) == (uint64_t)-128,
        "sat -inf", 0, 0, 0, 0);
  check(webnn__wide_to_integer_saturated(webnn__wide_infinity(false), 64, false) == ~(uint64_t)0,
        "sat inf", 0, 0, 0, 0);
  line("to integer");
  for (int i = 0; i < 200000; ++i) { /* rounding of wide numbers */
    webnn__wide a = random_wide(1), r;
    a.exponent = (int32_t)(rnd() % 150) - 140;
    if (rnd() & 1)
      a = webnn__wide_from_parts(rnd() & 1, rnd() >> (rnd() % 60), -(int32_t)(rnd() % 66));
    mpfr_t y, q;
    mpfr_init2(y, 130);
    mpfr_init2(q, 130);
    load_wide(x, a);
    switch (i & 3) {
    case 0:
      mpfr_rint_floor(y, x, MPFR_RNDN);
      r = webnn__wide_floor(a);
      break;
    case 1:
      mpfr_rint_ceil(y, x, MPFR_RNDN);
      r = webnn__wide_ceil(a);
      break;
    case 2:
      mpfr_rint_trunc(y, x, MPFR_RNDN);
      r = webnn__wide_trunc(a);
      break;
    default:
      mpfr_rint_roundeven(y, x, MPFR_RNDN);
      r = webnn__wide_round_even(a);
      break;
    }
    load_wide(q, r);
    check(mpfr_equal_p(y, q) && mpfr_signbit(y) == mpfr_signbit(q), "round", a.hi,
          (uint64_t)a.exponent, r.hi, (uint64_t)(i & 3));
    mpfr_clear(y);
    mpfr_clear(q);
  }
  line("rounding to integer, wide");
  mpz_clears(z, m, lo, hi, NULL);
  mpfr_clear(x);
}
static void test_sums(void) {
  mpfr_t s, a, b, p, y;
  mpfr_init2(s, 900);
  mpfr_init2(a, 128);
  mpfr_init2(b, 24);
  mpfr_init2(p, 150);
  for (int round = 0; round < 3000; ++round) {
    webnn__sum sum;
    webnn__sum_clear(&sum);
    mpfr_set_zero(s, 1);
    const int n = 1 + (int)(rnd() % 200), kind = round % 5;
    uint32_t xs[200], ys[200];
    for (int i = 0; i < n; ++i) {
      uint32_t u = (uint32_t)rnd(), v = (uint32_t)rnd();
      if (kind == 1)
        u = (u & 0x80ffffffU) | 0x3f000000U, v = (v & 0x80ffffffU) | 0x3f000000U;
      if (kind == 2 && i >= n / 2) { /* cancels what came before, but for a little */
        u = xs[i - n / 2] ^ 0x80000000U;
        v = ys[i - n / 2] + (uint32_t)(i == n - 1);
      }
      if (kind == 3)
        u &= 0x807fffffU;
      if (kind == 4)
        u |= 0x7f000000U, v |= 0x7f000000U;
      if ((u & 0x7f800000U) == 0x7f800000U)
        u ^= 0x00800000U;
      if ((v & 0x7f800000U) == 0x7f800000U)
        v ^= 0x00800000U;
      xs[i] = u, ys[i] = v;
      load_bits(a, u, F32);
      load_bits(b, v, F32);
      mpfr_mul(p, a, b, MPFR_RNDN);
      mpfr_add(s, s, p, MPFR_RNDN);
      webnn__sum_add_product_f32(&sum, u, v);
      if (i % 7 == 0 && kind != 2) {
        webnn__sum_add_f32(&sum, u);
        mpfr_add(s, s, a, MPFR_RNDN);
      }
      if (i % 11 == 0) {
        webnn__wide w = random_wide(1);
        w.exponent = (int32_t)(rnd() % 470) - 320;
        if (i % 3 == 0)
          w.lo = 0, w.hi &= (uint64_t)0xffff << 48, w.exponent = -320 - 112 + (int32_t)(rnd() % 80);
        load_wide(a, w);
        webnn__sum_add_wide(&sum, w);
        mpfr_add(s, s, a, MPFR_RNDN);
      }
      if (i % 50 == 49)
        webnn__sum_carry(&sum);
    }
    const webnn__wide r = webnn__sum_result(&sum);
    static const format formats[] = {{23, 8}, {10, 5}, {7, 8}};
    for (int f = 0; f < 3; ++f) {
      mpfr_init2(y, formats[f].fraction_bits + 1);
      uint32_t want = finish(y, mpfr_set(y, s, MPFR_RNDN), formats[f]);
      uint32_t got = webnn__wide_to_float_bits(r, formats[f]);
      check(got == want, "sum", (uint64_t)round, (uint64_t)n, got, want);
      /* the mean, as a chain: exact sum, then division */
      want = finish(y, mpfr_div_ui(y, s, (unsigned long)n, MPFR_RNDN), formats[f]);
      got = webnn__wide_to_float_bits(webnn__wide_div(r, webnn__wide_small(n)), formats[f]);
      check(got == want, "mean", (uint64_t)round, (uint64_t)n, got, want);
      mpfr_clear(y);
    }
    mpfr_init2(y, 128);
    const int t = mpfr_set(y, s, MPFR_RNDZ);
    webnn__wide trimmed = r;
    load_wide(a, trimmed);
    if (t == 0)
      check(mpfr_equal_p(a, y) != 0, "exact sum", (uint64_t)round, 0, r.hi, r.lo);
    else
      check((r.lo & 1) != 0 && mpfr_cmpabs(a, y) >= 0, "odd sum", (uint64_t)round, 0, r.hi, r.lo);
    mpfr_clear(y);
  }
  line("exact sums and means");
  static const struct {
    uint32_t terms[3][2];
    int n;
    uint32_t want;
  } cases[] = {
      {{{0, 0}, {0, 0}, {0, 0}}, 0, 0},
      {{{0x80000000U, 0x3f800000U}, {0, 0x80000000U}, {0, 0}}, 2, 0x80000000U},
      {{{0x80000000U, 0x3f800000U}, {0, 0}, {0, 0}}, 2, 0},
      {{{0x3f800000U, 0x3f800000U}, {0xbf800000U, 0x3f800000U}, {0x80000000U, 0x3f800000U}}, 3, 0},
      {{{0x7f800000U, 0}, {0, 0}, {0, 0}}, 1, 0x7fc00000U},
      {{{0x7f800000U, 1}, {0, 0}, {0, 0}}, 1, 0x7f800000U},
      {{{0x7f800000U, 0x80000001U}, {1, 1}, {0x7f7fffffU, 0x7f7fffffU}}, 3, 0xff800000U},
      {{{0x7f800000U, 1}, {0xff800000U, 1}, {0, 0}}, 2, 0x7fc00000U},
      {{{0x7fc00000U, 0}, {1, 1}, {0, 0}}, 2, 0x7fc00000U},
      {{{0x7f7fffffU, 0x3f800000U}, {0x7f7fffffU, 0x3f800000U}, {0, 0}}, 2, 0x7f800000U},
      {{{1, 0x3f000000U}, {0, 0}, {0, 0}}, 1, 0},
      {{{3, 0x3f000000U}, {0, 0}, {0, 0}}, 1, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    webnn__sum sum;
    webnn__sum_clear(&sum);
    for (int j = 0; j < cases[i].n; ++j)
      webnn__sum_add_product_f32(&sum, cases[i].terms[j][0], cases[i].terms[j][1]);
    const uint32_t got = webnn__wide_to_float_bits(webnn__sum_result(&sum), webnn__float32_format);
    check(got == cases[i].want, "sum special", i, 0, got, cases[i].want);
  }
  /* bins at their limit: force the waiting counter, sum of the largest products */
  webnn__sum sum;
  webnn__sum_clear(&sum);
  sum.pending = WEBNN__SUM_PATIENCE - 1000;
  for (int i = 0; i < 5000; ++i)
    webnn__sum_add_product_f32(&sum, 0x7f7fffffU, 0xff7fffffU);
  const webnn__wide r = webnn__sum_result(&sum);
  const webnn__wide m = webnn__wide_from_float_bits(0x7f7fffffU, webnn__float32_format);
  const webnn__wide e =
      webnn__wide_neg(webnn__wide_mul(webnn__wide_small(5000), webnn__wide_mul(m, m)));
  check(webnn__wide_compare(r, e) == 0, "sum of largest", 0, 0, r.hi, e.hi);
  line("sums, special values");
  mpfr_clears(s, a, b, p, (mpfr_ptr)0);
}
static bool same(webnn__wide a, webnn__wide b) {
  return a.hi == b.hi && a.lo == b.lo && a.exponent == b.exponent && a.kind == b.kind &&
         a.negative == b.negative;
}
static void test_specials(void) { /* wide results that are exact */
  const webnn__wide one = webnn__wide_small(1), zero = webnn__wide_zero(false);
  const struct {
    const char *name;
    webnn__wide got, want;
  } c[] = {
      {"exp 0", webnn__wide_exp(zero), one},
      {"exp -0", webnn__wide_exp(webnn__wide_zero(true)), one},
      {"log 1", webnn__wide_log(one), zero},
      {"cos 0", webnn__wide_cos(zero), one},
      {"expm1 -inf", webnn__wide_expm1(webnn__wide_infinity(true)), webnn__wide_small(-1)},
      {"erfc 0", webnn__wide_erfc(zero), one},
      {"erfc -inf", webnn__wide_erfc(webnn__wide_infinity(true)), webnn__wide_small(2)},
      {"sigmoid 0", webnn__wide_sigmoid(zero), webnn__wide_from_parts(false, 1, -1)},
      {"erfc inf", webnn__wide_erfc(webnn__wide_infinity(false)), zero},
      {"erf inf", webnn__wide_erf(webnn__wide_infinity(false)), one},
      {"tanh -inf", webnn__wide_tanh(webnn__wide_infinity(true)), webnn__wide_small(-1)},
      {"sigmoid inf", webnn__wide_sigmoid(webnn__wide_infinity(false)), one},
      {"sigmoid -inf", webnn__wide_sigmoid(webnn__wide_infinity(true)), zero},
      {"softplus -inf", webnn__wide_softplus(webnn__wide_infinity(true)), zero},
      {"pow 3 80", webnn__wide_sqrt(webnn__wide_pow(webnn__wide_small(3), webnn__wide_small(80))),
       webnn__wide_pow(webnn__wide_small(3), webnn__wide_small(40))},
      {"pow 81 .25", webnn__wide_pow(webnn__wide_small(81), webnn__wide_from_parts(false, 1, -2)),
       webnn__wide_small(3)},
      {"log1p(-1)", webnn__wide_log1p(webnn__wide_small(-1)), webnn__wide_infinity(true)}};
  for (size_t i = 0; i < sizeof c / sizeof *c; ++i)
    check(same(c[i].got, c[i].want), c[i].name, i, 0, c[i].got.hi, c[i].want.hi);
  /* huge and tiny 128-bit arguments end quickly and are on the proper side */
  const webnn__wide huge = webnn__wide_scale2(one, 1000000);
  check(webnn__wide_to_float_bits(webnn__wide_exp(huge), webnn__float32_format) == 0x7f800000U,
        "exp huge", 0, 0, 0, 0);
  check(webnn__wide_to_float_bits(webnn__wide_exp(webnn__wide_neg(huge)), webnn__float32_format) ==
            0,
        "exp -huge", 0, 0, 0, 0);
  check(webnn__wide_compare(webnn__wide_erf(huge), one) < 0, "erf huge", 0, 0, 0, 0);
  check(webnn__wide_compare(webnn__wide_tanh(huge), one) < 0, "tanh huge", 0, 0, 0, 0);
  check(webnn__wide_compare(webnn__wide_tanh(webnn__wide_scale2(one, 19)), one) < 0, "tanh 2^19", 0,
        0, 0, 0);
  check(webnn__wide_compare(webnn__wide_sigmoid(huge), one) < 0, "sigmoid huge", 0, 0, 0, 0);
  check(webnn__wide_compare(webnn__wide_expm1(webnn__wide_neg(huge)), webnn__wide_small(-1)) > 0,
        "expm1 -huge", 0, 0, 0, 0);
  check(webnn__wide_compare(webnn__wide_softplus(huge), huge) > 0, "softplus huge", 0, 0, 0, 0);
  const struct {
    const char *name;
    webnn__wide (*f)(webnn__wide);
    int side;
  } s[] = {{"sin", webnn__wide_sin, -1},
           {"tan", webnn__wide_tan, 1},
           {"tanh", webnn__wide_tanh, -1},
           {"expm1", webnn__wide_expm1, 1},
           {"log1p", webnn__wide_log1p, -1}};
  for (int i = 0; i < 5; ++i)
    for (int e = -1; e >= -400; --e)
      for (int neg = 0; neg < 2; ++neg) {
        const webnn__wide x = webnn__wide_from_parts(neg != 0, (rnd() & 0xffffff) | 1, e - 24);
        int side = s[i].side; /* of magnitude, for the odd functions; of value for the others */
        if (i < 3 && neg)
          side = -side;
        check(webnn__wide_compare(s[i].f(x), x) == side, s[i].name, (uint64_t)-e, (uint64_t)neg, 0,
              0);
      }
  for (int e = -1; e >= -400; --e)
    for (int neg = 0; neg < 2; ++neg) {
      const webnn__wide x = webnn__wide_from_parts(neg != 0, (rnd() & 0xffffff) | 1, e - 24),
                        half = webnn__wide_scale2(one, -1);
      const int side = neg ? -1 : 1;
      check(webnn__wide_compare(webnn__wide_exp(x), one) == side, "exp side", (uint64_t)-e, 0, 0,
            0);
      check(webnn__wide_compare(webnn__wide_sigmoid(x), half) == side, "sigmoid side", (uint64_t)-e,
            0, 0, 0);
      check(webnn__wide_compare(webnn__wide_erfc(x), one) == -side, "erfc side", (uint64_t)-e, 0, 0,
            0);
      check(webnn__wide_compare(webnn__wide_cos(x), one) == -1, "cos side", (uint64_t)-e, 0, 0, 0);
    }
  check(webnn__wide_unordered(one, webnn__wide_nan()) && !webnn__wide_unordered(one, one),
        "unordered", 0, 0, 0, 0);
  check(webnn__wide_to_u64_wrapped(webnn__wide_from_u64(77)) == 77, "from_u64", 0, 0, 0, 0);
  line("exact values and sides");
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static void bench(void) {
  enum { N = 256 };
  static webnn__wide v[N], u[N];
  static uint32_t fb[N];
  volatile uint64_t sink = 0;
  for (int i = 0; i < N; ++i) {
    fb[i] = (uint32_t)(0x3e800000U + rnd() % 0x02000000U); /* 0.25 .. 4 */
    v[i] = webnn__wide_from_float_bits(fb[i], webnn__float32_format);
    u[i] = webnn__wide_inexact(webnn__wide_div_small(v[i], 3));
  }
#define BENCH(name, reps, expr)                                                                    \
  do {                                                                                             \
    uint64_t acc = 0;                                                                              \
    const double t0 = now();                                                                       \
    for (int r = 0; r < (reps); ++r)                                                               \
      for (int i = 0; i < N; ++i)                                                                  \
        acc += (expr).lo;                                                                          \
    printf("%-12s %9.1f ns\n", name, (now() - t0) / (reps) / N);                                   \
    sink += acc;                                                                                   \
  } while (0)
  BENCH("add", 4000, webnn__wide_add(u[i], u[(i + 7) & 255]));
  BENCH("sub", 4000, webnn__wide_sub(u[i], u[(i + 7) & 255]));
  BENCH("mul", 4000, webnn__wide_mul(u[i], u[(i + 7) & 255]));
  BENCH("div_small", 4000, webnn__wide_div_small(u[i], (uint32_t)i + 3));
  BENCH("div", 1000, webnn__wide_div(u[i], u[(i + 7) & 255]));
  BENCH("sqrt", 300, webnn__wide_sqrt(u[i]));
  for (int f = 7; f < COUNT1; ++f)
    BENCH(FUNCS[f].name, 30, FUNCS[f].wide(v[i]));
  BENCH("pow", 30, webnn__wide_pow(v[i], v[(i + 7) & 255]));
  webnn__sum s;
  webnn__sum_clear(&s);
  const double t0 = now();
  for (int r = 0; r < 40000; ++r)
    for (int i = 0; i < N; ++i)
      webnn__sum_add_product_f32(&s, fb[i], fb[(i + r) & 255]);
  printf("%-12s %9.1f ns\n", "sum_product", (now() - t0) / 40000 / N);
  sink += webnn__sum_result(&s).lo;
  BENCH("sum_result", 1000, webnn__sum_result(&s));
  for (int i = 0; i < 1000; ++i)
    fb[i & 255] ^= (uint32_t)(rnd() & 0x8fffffff);
  const double t1 = now();
  for (int r = 0; r < 40000; ++r)
    for (int i = 0; i < N; ++i)
      webnn__sum_add_product_f32(&s, fb[i], fb[(i + r) & 255]);
  printf("%-12s %9.1f ns\n", "sum_mixed", (now() - t1) / 40000 / N);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "bench") == 0) {
    bench();
    return 0;
  }
  const long n = argc > 1 ? atol(argv[1]) : 20000;
  test_encode();
  test_integers();
  test_wide_ops();
  test_specials();
  test_sums();
  for (int i = 0; i < COUNT1; ++i) {
    char text[64];
    for (uint32_t b = 0; b < 65536; b += n < 20000 ? 7 : 1)
      one(&FUNCS[i], b, F16, F16, FUNCS[i].name);
    snprintf(text, sizeof text, "%s, float16", FUNCS[i].name);
    line(text);
    for (long k = 0; k < n; ++k) {
      one(&FUNCS[i], (uint32_t)rnd(), F32, F32, FUNCS[i].name);
      one(&FUNCS[i], structured(), F32, F32, FUNCS[i].name);
    }
    snprintf(text, sizeof text, "%s, float32", FUNCS[i].name);
    line(text);
    for (long k = 0; k < n / 20; ++k) {
      one(&FUNCS[i], structured(), F32, F16, FUNCS[i].name);
      one(&FUNCS[i], structured(), F32, BF16, FUNCS[i].name);
    }
    snprintf(text, sizeof text, "%s, mixed formats", FUNCS[i].name);
    line(text);
  }
  for (int i = 0; i < 5; ++i) {
    const uint32_t edges = sizeof edge / sizeof *edge;
    for (uint32_t k = 0; k < 4 * edges * edges; ++k) { /* all pairs of edges, with all signs */
      const uint32_t a = edge[k / 4 / edges] ^ (k & 1) << 31, b = edge[k / 4 % edges] ^ (k & 2)
                                                                                            << 30;
      two(&FUNCS2[i], a, b, F32, F32);
    }
    for (long k = 0; k < n; ++k) {
      uint32_t a = (uint32_t)rnd(), b = (uint32_t)rnd();
      two(&FUNCS2[i], a, b, F32, F32);
      two(&FUNCS2[i], a & 0xffff, b & 0xffff, F16, F16);
      a = structured(), b = structured();
      two(&FUNCS2[i], a, b, F32, F32);
      two(&FUNCS2[i], a, b, F32, F16);
      midpoint_pair(i, &a, &b);
      two(&FUNCS2[i], a, b, F32, F32);
      if (i == 4)
        two(&FUNCS2[i], a, b, F32, F16);
      if (k % 8 == 0)
        two(&FUNCS2[i], a, b, F32, BF16);
    }
    line(FUNCS2[i].name);
  }
  accuracy(find("exp"), -200, 13, -118, 0);
  accuracy(find("expm1"), -200, 13, -116, 0);
  accuracy(find("expm1"), -4, 3, -116, 0);
  accuracy(find("log"), -200, 200, -118, 1);
  accuracy(find("log"), -2, 1, -118, 1);
  accuracy(find("log1p"), -200, 200, -116, 1);
  accuracy(find("log1p"), -4, 2, -116, 1);
  accuracy(find("log1p"), -200, 0, -116, -1);
  accuracy(find("sin"), -100, 128, -110, 0);
  accuracy(find("cos"), -100, 128, -110, 0);
  accuracy(find("tan"), -100, 128, -110, 0);
  accuracy(find("erf"), -100, 5, -116, 0);
  accuracy(find("erf"), -3, 3, -116, 0);
  accuracy(find("erfc"), 1, 4, -116, 1);
  accuracy(find("erfc"), -100, 1, -108, 0);
  accuracy(find("tanh"), -30, 6, -114, 0);
  accuracy(find("sigmoid"), -30, 10, -117, 0);
  accuracy(find("softplus"), -30, 10, -114, 0);
  printf("%ld results compared\n", all_compared);
  printf("%ld passed, %ld failed, 0 skipped\n", passed, failed);
  mpfr_free_cache();
  return failed != 0;
}
#endif /* WEBNN_HAVE_MPFR */
