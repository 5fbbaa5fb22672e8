/* Functions of chlo, and those of webnn_extra.h, that are made of several operators, against MPFR:
   every exponent of float32 with both signs, random numbers where a function is hard, special
   values, and of chlo every float16 and bfloat16; in reference and in fast contexts.

       functions [--worst]

   --worst: prints the largest error of each, in units in the last place. */
#include <stdio.h>
#include <string.h>

#ifndef WEBNN_HAVE_MPFR

int main(void) {
  printf("functions: skipped: MPFR (libmpfr-dev) is not installed\n");
  printf("0 passed, 0 failed, 1 skipped\n");
  return 0;
}

#else

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include "webnn_extra.h"
#include "webnn_stablehlo.h"

enum { PRECISION = 160, MOST = 1 << 16 };

static size_t passed, failed;
static bool shows_worst;
static uint64_t state = 1;

static void check(bool good, const char *name, const char *what) {
  passed += good;
  failed += !good;
  if (!good)
    printf("%s: %s\n", name, what);
}

/* ---- Exact values ---------------------------------------------------------------------------- */

static int exact_erf_inv(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) {
  mpfr_t d, e;
  int i;
  mpfr_set_nan(y);
  if (mpfr_cmpabs_ui(x, 1) > 0 || mpfr_nan_p(x))
    return 0;
  if (mpfr_cmpabs_ui(x, 1) == 0)
    mpfr_set_inf(y, mpfr_sgn(x));
  else if (mpfr_zero_p(x))
    mpfr_set(y, x, mode);
  if (!mpfr_nan_p(y))
    return 0;
  mpfr_inits2(PRECISION, d, e, (mpfr_ptr)0);
  mpfr_ui_sub(d, 1, x, mode); /* a start: x, or sqrt(-ln(1 - |x|)), from which Newton converges */
  mpfr_set(y, x, mode);
  if (mpfr_cmpabs(x, d) > 0 && mpfr_cmp_d(d, 0.5) < 0) {
    mpfr_log(y, d, mode);
    mpfr_neg(y, y, mode);
    mpfr_sqrt(y, y, mode);
    mpfr_mul_d(y, y, 0.8, mode);
  }
  for (i = 0; i < 60; i++) { /* y -= (erf(y) - x) sqrt(pi) / 2 e^(y^2) */
    mpfr_erf(d, y, mode);
    mpfr_sub(d, d, x, mode);
    mpfr_const_pi(e, mode);
    mpfr_sqrt(e, e, mode);
    mpfr_mul(d, d, e, mode);
    mpfr_div_2ui(d, d, 1, mode);
    mpfr_sqr(e, y, mode);
    mpfr_exp(e, e, mode);
    mpfr_mul(d, d, e, mode);
    mpfr_sub(y, y, d, mode);
    if (mpfr_zero_p(d) || mpfr_get_exp(d) < mpfr_get_exp(y) - PRECISION / 2 - 8)
      break; /* the next step would double the digits, of which there are enough */
  }
  mpfr_clears(d, e, (mpfr_ptr)0);
  return 0;
}

/* Of negative numbers Newton would start too far away: the function is odd. */
static int erf_inv_odd(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) {
  mpfr_t a;
  mpfr_init2(a, PRECISION);
  mpfr_abs(a, x, mode);
  exact_erf_inv(y, a, mode);
  if (mpfr_signbit(x))
    mpfr_neg(y, y, mode);
  mpfr_clear(a);
  return 0;
}

/* I1(x) e^-|x|: the power series below 64, the asymptotic one beyond, whose terms fall below 2^-160
   there. */
static int bessel_i1e(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) {
  mpfr_t a, term, factor;
  long k;
  if (mpfr_nan_p(x) || mpfr_zero_p(x))
    return mpfr_set(y, x, mode);
  if (mpfr_inf_p(x)) {
    mpfr_set_zero(y, mpfr_sgn(x));
    return 0;
  }
  mpfr_inits2(PRECISION + 64, a, term, factor, (mpfr_ptr)0);
  mpfr_abs(a, x, mode);
  if (mpfr_cmp_ui(a, 64) < 0) {
    mpfr_div_2ui(term, a, 1, mode);
    mpfr_sqr(factor, term, mode);
    mpfr_set(y, term, mode);
    for (k = 1; k < 300; k++) {
      mpfr_mul(term, term, factor, mode);
      mpfr_div_ui(term, term, (unsigned long)(k * (k + 1)), mode);
      mpfr_add(y, y, term, mode);
    }
    mpfr_neg(a, a, mode);
    mpfr_exp(a, a, mode);
    mpfr_mul(y, y, a, mode);
  } else {
    mpfr_set_ui(term, 1, mode);
    mpfr_set_ui(y, 1, mode);
    for (k = 1; k < 60; k++) { /* terms (4 - 1)(4 - 9) ... / (k! (8 x)^k) with the sign (-1)^k */
      mpfr_mul_si(term, term, (2 * k - 1) * (2 * k - 1) - 4, mode);
      mpfr_div_si(term, term, 8 * k, mode);
      mpfr_div(term, term, a, mode);
      mpfr_add(y, y, term, mode);
    }
    mpfr_const_pi(factor, mode);
    mpfr_mul(factor, factor, a, mode);
    mpfr_mul_2ui(factor, factor, 1, mode);
    mpfr_sqrt(factor, factor, mode);
    mpfr_div(y, y, factor, mode);
  }
  if (mpfr_signbit(x))
    mpfr_neg(y, y, mode);
  mpfr_clears(a, term, factor, (mpfr_ptr)0);
  return 0;
}

static int log_gamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign;
  return mpfr_lgamma(y, &sign, x, mode);
}

/* As XLA has it NaN at 0, too. */
static int digamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) {
  mpfr_digamma(y, x, mode);
  if (mpfr_zero_p(x) || (mpfr_inf_p(x) && mpfr_signbit(x)))
    mpfr_set_nan(y);
  return 0;
}

static int square(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_sqr(y, x, mode);
}

/* ---- The functions --------------------------------------------------------------------------- */

/* `low` and `high`: where random numbers are drawn besides. `fast`: the units allowed in fast
   contexts. For numbers below 0 `absolute` 2^-24 times the larger of 1 and ln gamma(|x|) or
   psi(1 + |x|) are allowed instead, where terms cancel. */
static const struct function {
  const char *name;
  int (*exact)(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode);
  double low, high, fast, absolute;
} functions[] = {
    {"acos", mpfr_acos, -1, 1, 4, 0},          {"acosh", mpfr_acosh, 1, 4, 4, 0},
    {"asin", mpfr_asin, -1, 1, 4, 0},          {"asinh", mpfr_asinh, -4, 4, 4, 0},
    {"atan", mpfr_atan, -4, 4, 4, 0},          {"atanh", mpfr_atanh, -1, 1, 4, 0},
    {"bessel_i1e", bessel_i1e, -20, 20, 4, 0}, {"cosh", mpfr_cosh, -90, 90, 4, 0},
    {"digamma", digamma, -10, 20, 4, 16},      {"erf", mpfr_erf, -4, 4, 2, 0},
    {"erf_inv", erf_inv_odd, -1, 1, 4, 0},     {"erfc", mpfr_erfc, -4, 10.1, 4, 0},
    {"lgamma", log_gamma, -10, 20, 4, 8},      {"sinh", mpfr_sinh, -90, 90, 4, 0},
    {"square", square, -4, 4, 1, 0},           {"tan", mpfr_tan, -4, 4, 4, 0},
};

/* Those of webnn_extra.h, as webnn_onnx.h calls them. */
static const struct extra_function {
  struct function f;
  webnn_operand *(*build)(webnn_extra e, webnn_operand *x);
} extra_functions[] = {
    {{"extra acos", mpfr_acos, -1, 1, 4, 0}, webnn_extra_acos},
    {{"extra acosh", mpfr_acosh, 1, 4, 4, 0}, webnn_extra_acosh},
    {{"extra asin", mpfr_asin, -1, 1, 4, 0}, webnn_extra_asin},
    {{"extra asinh", mpfr_asinh, -4, 4, 4, 0}, webnn_extra_asinh},
    {{"extra atan", mpfr_atan, -4, 4, 4, 0}, webnn_extra_atan},
    {{"extra atanh", mpfr_atanh, -1, 1, 4, 0}, webnn_extra_atanh},
    {{"extra cbrt", mpfr_cbrt, -4, 4, 4, 0}, webnn_extra_cbrt},
    {{"extra cosh", mpfr_cosh, -90, 90, 4, 0}, webnn_extra_cosh},
    {{"extra digamma", digamma, -10, 20, 4, 16}, webnn_extra_digamma},
    {{"extra erfc", mpfr_erfc, -4, 10.1, 4, 0}, webnn_extra_erfc},
    {{"extra expm1", mpfr_expm1, -4, 4, 4, 0}, webnn_extra_expm1},
    {{"extra lgamma", log_gamma, -10, 20, 4, 8}, webnn_extra_lgamma},
    {{"extra log1p", mpfr_log1p, -1, 4, 4, 0}, webnn_extra_log1p},
    {{"extra sinh", mpfr_sinh, -90, 90, 4, 0}, webnn_extra_sinh},
};

/* ---- Arguments ------------------------------------------------------------------------------- */

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}

static uint32_t random_bits(void) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 32);
}

static void fill_arguments(const struct function *f, float *x, size_t count) {
  static const float special[] = {0, 1, 2, 0.5f, 1.5f, 3.5f, 8, 3, 4, 0.25f, 0.6f, 5, 1.46163213f};
  size_t i, k = 0;
  x[k++] = float_of(0x7F800000);
  x[k++] = float_of(0xFF800000);
  x[k++] = float_of(0x7FC00000);
  for (i = 0; i < sizeof special / sizeof special[0]; i++) {
    int step;
    for (step = special[i] > 0 ? -2 : 0; step <= 2; step++) {
      x[k++] = float_of(bits_of(special[i]) + (uint32_t)step);
      x[k] = -x[k - 1];
      k++;
    }
  }
  for (i = 0; i < 512 * 4; i++) /* each sign and exponent, its smallest number and three others */
    x[k++] = float_of((uint32_t)(i / 4) << 23 | (i % 4 ? random_bits() & 0x7FFFFF : 0));
  for (; k < count; k++)
    x[k] = (float)(f->low + (f->high - f->low) * random_bits() / 4294967296.0);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static webnn_xla_program *compile(webnn_context *context, const char *name, const char *type,
                                  size_t count, webnn_stablehlo **m) {
  char text[400];
  webnn_error error = WEBNN_ZERO;
  webnn_xla_program *program = NULL;
  const webnn_xla_computation *c;
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<%zux%s>) -> tensor<%zux%s> {\n"
           "  %%y = chlo.%s %%x : tensor<%zux%s> -> tensor<%zux%s>\n"
           "  return %%y : tensor<%zux%s>\n}\n",
           count, type, count, type, name, count, type, count, type, count, type);
  *m = webnn_stablehlo_read(text, strlen(text), "t.mlir", &error);
  c = *m ? webnn_stablehlo_function(*m, NULL, &error) : NULL;
  if (c)
    webnn_xla_compile(context, c, NULL, &program, &error);
  check(program != NULL, name, error.message);
  return program;
}

static bool run(webnn_context *context, const char *name, const char *type, size_t count,
                size_t element, void *in, void *out) {
  webnn_stablehlo *m;
  webnn_error error = WEBNN_ZERO;
  webnn_xla_array input = WEBNN_ZERO, output = WEBNN_ZERO;
  webnn_xla_program *program = compile(context, name, type, count, &m);
  bool good = program != NULL;
  input.data = in;
  output.data = out;
  input.byte_length = output.byte_length = count * element;
  if (good) {
    good = webnn_xla_run(program, &input, 1, &output, 1, &error) == WEBNN_OK;
    check(good, name, error.message);
  }
  webnn_xla_free_program(program);
  webnn_stablehlo_free(m);
  return good;
}

/* ---- Comparison ------------------------------------------------------------------------------ */

/* Bits behind the point, and exponents of the smallest and the largest numbers. */
typedef struct format {
  const char *type;
  int bits, least, most;
} format;

static const format single = {"f32", 23, -126, 127}, half = {"f16", 10, -14, 15},
                    brain = {"bf16", 7, -126, 127};

static double value_of(const format *f, const void *data, size_t i) {
  const uint32_t h = f == &single ? 0 : ((const uint16_t *)data)[i];
  const int e = (int)(h >> 10 & 31);
  const double m = (double)(h & 1023);
  if (f == &single)
    return (double)((const float *)data)[i];
  if (f == &brain)
    return (double)float_of(h << 16);
  return (h >> 15 ? -1 : 1) * (e == 31 ? (m != 0 ? (double)NAN : (double)INFINITY)
                                       : ldexp(e ? m + 1024 : m, (e ? e : 1) - 25));
}

/* The distance of a result from the exact value, in units in the last place of that; infinity counts
   as the power of two behind the largest number. */
static double units_off(const format *f, double got, mpfr_t exact) {
  mpfr_t d, most;
  double units;
  long e;
  if (mpfr_nan_p(exact) || isnan(got))
    return mpfr_nan_p(exact) && isnan(got) ? 0 : (double)INFINITY;
  mpfr_inits2(PRECISION, d, most, (mpfr_ptr)0);
  mpfr_set_ui_2exp(most, 1, f->most + 1, MPFR_RNDN);
  if (mpfr_cmpabs(exact, most) > 0)
    mpfr_mul_si(exact, most, mpfr_sgn(exact), MPFR_RNDN);
  mpfr_set_d(d, isinf(got) ? copysign(ldexp(1, f->most + 1), got) : got, MPFR_RNDN);
  mpfr_sub(d, d, exact, MPFR_RNDN);
  e = mpfr_zero_p(exact) ? f->least : mpfr_get_exp(exact) - 1;
  e = e < f->least ? f->least : e > f->most ? f->most : e;
  mpfr_div_2si(d, d, e - f->bits, MPFR_RNDN);
  units = fabs(mpfr_get_d(d, MPFR_RNDN));
  mpfr_clears(d, most, (mpfr_ptr)0);
  return units;
}

/* What is allowed below 0, in units in the last place of the exact value. */
static double cancelled(const struct function *f, double x, mpfr_t exact) {
  const double size = x < 0 && f->absolute > 0 && mpfr_number_p(exact)
                          ? fmax(1, f->exact == log_gamma ? fabs(lgamma(-x)) : log(1 - x))
                          : 0;
  const long e = mpfr_regular_p(exact) ? mpfr_get_exp(exact) - 1 : 0;
  return size > 0 ? f->absolute * size * ldexp(1, -24) / ldexp(1, (int)(e < -126 ? -126 : e) - 23)
                  : 0;
}

static void compare(const struct function *f, const format *format_, bool is_fast, size_t count,
                    const void *in, const void *out) {
  const double bound = format_ != &single ? 0.51 : is_fast ? f->fast : 3;
  double worst = 0, at = 0;
  char what[200] = "";
  mpfr_t x, y;
  size_t i;
  mpfr_inits2(PRECISION, x, y, (mpfr_ptr)0);
  for (i = 0; i < count; i++) {
    const double argument = value_of(format_, in, i), got = value_of(format_, out, i);
    double off;
    mpfr_set_d(x, argument, MPFR_RNDN);
    f->exact(y, x, MPFR_RNDN);
    off = units_off(format_, got, y);
    if (off > worst && argument >= (f->absolute > 0 ? 0 : (double)-INFINITY)) {
      worst = off;
      at = argument;
    }
    if (!what[0] && off > fmax(bound, cancelled(f, argument, y)))
      snprintf(what, sizeof what, "%s%s: of %.9g it is %.9g, not %.9g: %.3g units", format_->type,
               is_fast ? ", fast" : "", argument, got, mpfr_get_d(y, MPFR_RNDN), off);
    if (!what[0] && argument == 0 && got == 0 && signbit(argument) && !signbit(got) &&
        mpfr_signbit(y))
      snprintf(what, sizeof what, "%s: of -0 it is 0", format_->type);
  }
  mpfr_clears(x, y, (mpfr_ptr)0);
  check(!what[0], f->name, what);
  if (shows_worst)
    printf("%s %s%s: %.2f at %.9g\n", f->name, format_->type, is_fast ? ", fast" : "", worst, at);
}

static void check_function(webnn_context *context, const struct function *f, bool is_fast) {
  static float x[MOST], y[MOST];
  static uint16_t h[MOST], g[MOST];
  const size_t count = 12000;
  size_t i;
  fill_arguments(f, x, count);
  if (run(context, f->name, "f32", count, 4, x, y))
    compare(f, &single, is_fast, count, x, y);
  for (i = 0; i < MOST; i++)
    h[i] = (uint16_t)i;
  if (!is_fast && run(context, f->name, "f16", MOST, 2, h, g))
    compare(f, &half, is_fast, MOST, h, g);
  if (!is_fast && run(context, f->name, "bf16", MOST, 2, h, g))
    compare(f, &brain, is_fast, MOST, h, g);
}

static void check_extra(webnn_context *context, const struct extra_function *extra, bool is_fast) {
  static float x[MOST], y[MOST];
  const size_t count = 12000;
  const webnn_operand_descriptor descriptor = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 12000);
  webnn_error error = WEBNN_ZERO;
  webnn_extra e = WEBNN_ZERO;
  webnn_graph *graph = NULL;
  webnn_operand *result;
  webnn_named_input in = {"x", NULL, 0};
  webnn_named_output out = {"y", NULL, 0};
  in.data = x;
  out.data = y;
  in.byte_length = out.byte_length = count * sizeof *x;
  fill_arguments(&extra->f, x, count);
  webnn_create_builder(context, &e.builder, &error);
  result = extra->build(e, webnn_input(e.builder, "x", descriptor));
  webnn_build(e.builder, WEBNN_NAMED_OPERANDS({"y", result}), &graph, &error);
  webnn_compute(context, graph, &in, 1, &out, 1, &error);
  check(error.status == WEBNN_OK, extra->f.name, error.message);
  if (error.status == WEBNN_OK)
    compare(&extra->f, &single, is_fast, count, x, y);
  webnn_free_graph(graph);
  webnn_free_builder(e.builder);
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  size_t i;
  int fast;
  shows_worst = count > 1 && strcmp(arguments[1], "--worst") == 0;
  for (fast = 0; fast < 2; fast++) {
    webnn_context *context = NULL;
    options.numerics = fast ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
    if (webnn_create_context(&options, &context, &error) != WEBNN_OK) {
      check(false, "context", error.message);
      continue;
    }
    for (i = 0; i < sizeof functions / sizeof functions[0]; i++)
      check_function(context, &functions[i], fast != 0);
    for (i = 0; i < sizeof extra_functions / sizeof extra_functions[0]; i++)
      check_extra(context, &extra_functions[i], fast != 0);
    webnn_free_context(context);
  }
  mpfr_free_cache();
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed ? 1 : 0;
}

#endif
