/* Operators on elements one by one: unary and binary arithmetic, comparisons, logic, cast, clamp,
   where, activation functions, quantization. */
#ifndef WEBNN_EXACT_OPERATORS_ELEMENTWISE_H
#define WEBNN_EXACT_OPERATORS_ELEMENTWISE_H

#include "exact_operators_values.h"

/* y from up to three elements and now.alpha, now.beta; y has DEEP bits and is not among them. */
typedef void (*formula)(mpfr_ptr y, mpfr_srcptr const *x);

#define FORMULA(name) static void name(mpfr_ptr y, mpfr_srcptr const *x)

FORMULA(sum_formula) {
  add(y, x[0], x[1]);
}
FORMULA(difference_formula) {
  subtract(y, x[0], x[1]);
}
FORMULA(product_formula) {
  multiply(y, x[0], x[1]);
}
FORMULA(quotient_formula) {
  if (test_is_float(now.type)) {
    divide(y, x[0], x[1]);
  } else if (mpfr_zero_p(x[1])) {
    mpfr_set_zero(y, 1);
  } else {
    divide(y, x[0], x[1]);
    mpfr_trunc(y, y);
  }
}
FORMULA(max_formula) {
  larger(y, x[0], x[1]);
}
FORMULA(min_formula) {
  smaller(y, x[0], x[1]);
}
/* Of integers: modulo 2^64, which every width divides. */
static void integer_power(mpfr_ptr y, mpfr_srcptr base, mpfr_srcptr exponent) {
  mpz_t b, e, modulus;
  mpz_inits(b, e, modulus, NULL);
  mpfr_get_z(b, base, MPFR_RNDZ);
  mpfr_get_z(e, exponent, MPFR_RNDZ);
  if (mpz_sgn(e) >= 0) {
    mpz_setbit(modulus, 64);
    mpz_powm(b, b, e, modulus);
  } else if (mpz_cmpabs_ui(b, 1) != 0) {
    mpz_set_ui(b, 0);
  } else if (mpz_even_p(e)) {
    mpz_set_ui(b, 1);
  }
  mpfr_set_z(y, b, MPFR_RNDZ);
  mpz_clears(b, e, modulus, NULL);
}
FORMULA(power_formula) {
  mpfr_t t;
  if (!test_is_float(now.type)) {
    integer_power(y, x[0], x[1]);
    return;
  }
  mpfr_init2(t, ELEMENT);
  odd(t, mpfr_pow(t, x[0], x[1], MPFR_RNDZ));
  mpfr_set(y, t, MPFR_RNDZ);
  mpfr_clear(t);
}
/* max(0, x) + slope min(0, x) */
FORMULA(prelu_formula) {
  mpfr_t zero, below_zero;
  mpfr_init2(zero, ELEMENT);
  mpfr_init2(below_zero, 2 * ELEMENT);
  mpfr_set_zero(zero, 1);
  smaller(below_zero, zero, x[0]);
  multiply(below_zero, below_zero, x[1]);
  larger(y, zero, x[0]);
  add(y, y, below_zero);
  mpfr_clears(zero, below_zero, NULL);
}
FORMULA(leaky_formula) {
  mpfr_srcptr const with_slope[2] = {x[0], now.alpha};
  prelu_formula(y, with_slope);
}

FORMULA(equal_formula) {
  mpfr_set_ui(y, mpfr_equal_p(x[0], x[1]) != 0, MPFR_RNDZ);
}
FORMULA(not_equal_formula) {
  mpfr_set_ui(y, mpfr_equal_p(x[0], x[1]) == 0, MPFR_RNDZ);
}
FORMULA(greater_formula) {
  mpfr_set_ui(y, mpfr_greater_p(x[0], x[1]) != 0, MPFR_RNDZ);
}
FORMULA(greater_or_equal_formula) {
  mpfr_set_ui(y, mpfr_greaterequal_p(x[0], x[1]) != 0, MPFR_RNDZ);
}
FORMULA(lesser_formula) {
  mpfr_set_ui(y, mpfr_less_p(x[0], x[1]) != 0, MPFR_RNDZ);
}
FORMULA(lesser_or_equal_formula) {
  mpfr_set_ui(y, mpfr_lessequal_p(x[0], x[1]) != 0, MPFR_RNDZ);
}
FORMULA(not_formula) {
  mpfr_set_ui(y, mpfr_zero_p(x[0]) != 0, MPFR_RNDZ);
}
FORMULA(and_formula) {
  mpfr_set_ui(y, !mpfr_zero_p(x[0]) && !mpfr_zero_p(x[1]), MPFR_RNDZ);
}
FORMULA(or_formula) {
  mpfr_set_ui(y, !mpfr_zero_p(x[0]) || !mpfr_zero_p(x[1]), MPFR_RNDZ);
}
FORMULA(xor_formula) {
  mpfr_set_ui(y, !mpfr_zero_p(x[0]) != !mpfr_zero_p(x[1]), MPFR_RNDZ);
}
FORMULA(is_nan_formula) {
  mpfr_set_ui(y, mpfr_nan_p(x[0]) != 0, MPFR_RNDZ);
}
FORMULA(is_infinite_formula) {
  mpfr_set_ui(y, mpfr_inf_p(x[0]) != 0, MPFR_RNDZ);
}

FORMULA(abs_formula) {
  mpfr_abs(y, x[0], MPFR_RNDZ);
}
FORMULA(neg_formula) {
  mpfr_neg(y, x[0], MPFR_RNDZ);
}
FORMULA(sign_formula) {
  mpfr_set_si(y, mpfr_nan_p(x[0]) ? 0 : mpfr_sgn(x[0]), MPFR_RNDZ);
}
FORMULA(ceil_formula) {
  mpfr_rint_ceil(y, x[0], MPFR_RNDZ);
}
FORMULA(floor_formula) {
  mpfr_rint_floor(y, x[0], MPFR_RNDZ);
}
FORMULA(round_even_formula) {
  mpfr_rint_roundeven(y, x[0], MPFR_RNDZ);
}
FORMULA(cos_formula) {
  apply(mpfr_cos, y, x[0]);
}
FORMULA(sin_formula) {
  apply(mpfr_sin, y, x[0]);
}
FORMULA(tan_formula) {
  apply(mpfr_tan, y, x[0]);
}
FORMULA(erf_formula) {
  apply(mpfr_erf, y, x[0]);
}
FORMULA(exp_formula) {
  apply(mpfr_exp, y, x[0]);
}
FORMULA(log_formula) {
  apply(mpfr_log, y, x[0]);
}
FORMULA(tanh_formula) {
  apply(mpfr_tanh, y, x[0]);
}
FORMULA(sqrt_formula) {
  square_root(y, x[0]);
}
FORMULA(reciprocal_formula) {
  odd(y, mpfr_ui_div(y, 1, x[0], MPFR_RNDZ));
}
FORMULA(relu_formula) {
  mpfr_t zero;
  mpfr_init2(zero, ELEMENT);
  mpfr_set_zero(zero, 1);
  larger(y, zero, x[0]);
  mpfr_clear(zero);
}
/* 1 / (1 + e^-x) */
FORMULA(sigmoid_formula) {
  mpfr_t t;
  mpfr_init2(t, DEEP);
  mpfr_neg(t, x[0], MPFR_RNDZ);
  apply(mpfr_exp, y, t);
  odd(t, mpfr_add_ui(t, y, 1, MPFR_RNDZ));
  odd(y, mpfr_ui_div(y, 1, t, MPFR_RNDZ));
  mpfr_clear(t);
}
/* max(x, 0) + ln(1 + e^-|x|) */
FORMULA(softplus_formula) {
  mpfr_t t;
  mpfr_init2(t, DEEP);
  mpfr_abs(t, x[0], MPFR_RNDZ);
  mpfr_neg(t, t, MPFR_RNDZ);
  apply(mpfr_exp, y, t);
  apply(mpfr_log1p, t, y);
  relu_formula(y, x);
  add(y, y, t);
  mpfr_clear(t);
}
FORMULA(softsign_formula) {
  mpfr_t t;
  mpfr_init2(t, DEEP);
  mpfr_abs(t, x[0], MPFR_RNDZ);
  odd(t, mpfr_add_ui(t, t, 1, MPFR_RNDZ));
  divide(y, x[0], t);
  mpfr_clear(t);
}
/* 0.5 x erfc(-x / sqrt 2); below -64 it is negative and smaller than every float. */
FORMULA(gelu_formula) {
  mpfr_t t;
  if (mpfr_number_p(x[0]) && mpfr_cmp_si(x[0], -64) < 0) {
    mpfr_set_si_2exp(y, -1, -2000, MPFR_RNDZ);
    return;
  }
  mpfr_init2(t, FINE);
  mpfr_sqrt_ui(t, 2, MPFR_RNDZ);
  divide(t, x[0], t);
  mpfr_neg(t, t, MPFR_RNDZ);
  apply(mpfr_erfc, y, t);
  multiply(y, y, x[0]);
  mpfr_div_2ui(y, y, 1, MPFR_RNDZ);
  mpfr_clear(t);
}
/* max(0, x) + alpha (e^min(0, x) - 1) */
FORMULA(elu_formula) {
  mpfr_t t;
  mpfr_init2(t, DEEP);
  mpfr_set_zero(t, 1);
  smaller(t, t, x[0]);
  apply(mpfr_expm1, t, t);
  multiply(t, t, now.alpha);
  relu_formula(y, x);
  add(y, y, t);
  mpfr_clear(t);
}
FORMULA(linear_formula) {
  multiply(y, x[0], now.alpha);
  add(y, y, now.beta);
}
/* max(0, min(top, y)) in place */
static void limit(mpfr_ptr y, unsigned long top) {
  mpfr_t bound;
  mpfr_init2(bound, ELEMENT);
  mpfr_set_ui(bound, top, MPFR_RNDZ);
  smaller(y, bound, y);
  mpfr_set_zero(bound, 1);
  larger(y, bound, y);
  mpfr_clear(bound);
}
FORMULA(hard_sigmoid_formula) {
  linear_formula(y, x);
  limit(y, 1);
}
FORMULA(hard_swish_formula) {
  odd(y, mpfr_add_ui(y, x[0], 3, MPFR_RNDZ));
  limit(y, 6);
  multiply(y, x[0], y);
  odd(y, mpfr_div_ui(y, y, 6, MPFR_RNDZ));
}

/* ---- One operand ----------------------------------------------------------------------------- */

/* An operand of any shape and the type at hand. */
static tensor *any_input(const char *name, uint32_t least_rank) {
  uint32_t shape[5], rank = between(least_rank, 5);
  random_shape(shape, rank, MOST_ELEMENTS);
  return input(name, now.type, shape, rank);
}
static tensor *output_like(const tensor *t, webnn_operand *operand, webnn_data_type type) {
  return output(operand, type, t->shape, t->rank);
}
static void expect_formula(const tensor *x, webnn_operand *operand, webnn_data_type type,
                           formula f) {
  tensor *y = output_like(x, operand, type);
  mpfr_t value;
  size_t i;
  mpfr_init2(value, DEEP);
  for (i = 0; i < y->count; i++) {
    mpfr_srcptr const arguments[1] = {x->values[i]};
    f(value, arguments);
    y->bits[i] = round_to(type, value);
  }
  mpfr_clear(value);
}

typedef webnn_operand *(*call_one)(webnn_builder *, webnn_operand *,
                                   const webnn_operator_options *);

typedef struct one_operand {
  webnn_op op;
  call_one call;
  formula f;
} one_operand;

static const one_operand one_operand_table[] = {
    {WEBNN_OP_LOGICAL_NOT, webnn_logical_not, not_formula},
    {WEBNN_OP_IS_NAN, webnn_is_nan, is_nan_formula},
    {WEBNN_OP_IS_INFINITE, webnn_is_infinite, is_infinite_formula},
    {WEBNN_OP_ABS, webnn_abs, abs_formula},
    {WEBNN_OP_CEIL, webnn_ceil, ceil_formula},
    {WEBNN_OP_COS, webnn_cos, cos_formula},
    {WEBNN_OP_ERF, webnn_erf, erf_formula},
    {WEBNN_OP_EXP, webnn_exp, exp_formula},
    {WEBNN_OP_FLOOR, webnn_floor, floor_formula},
    {WEBNN_OP_LOG, webnn_log, log_formula},
    {WEBNN_OP_NEG, webnn_neg, neg_formula},
    {WEBNN_OP_RECIPROCAL, webnn_reciprocal, reciprocal_formula},
    {WEBNN_OP_ROUND_EVEN, webnn_round_even, round_even_formula},
    {WEBNN_OP_SIGN, webnn_sign, sign_formula},
    {WEBNN_OP_SIN, webnn_sin, sin_formula},
    {WEBNN_OP_SQRT, webnn_sqrt, sqrt_formula},
    {WEBNN_OP_TAN, webnn_tan, tan_formula},
    {WEBNN_OP_GELU, webnn_gelu, gelu_formula},
    {WEBNN_OP_HARD_SWISH, webnn_hard_swish, hard_swish_formula},
    {WEBNN_OP_RELU, webnn_relu, relu_formula},
    {WEBNN_OP_SIGMOID, webnn_sigmoid, sigmoid_formula},
    {WEBNN_OP_SOFTPLUS, webnn_softplus, softplus_formula},
    {WEBNN_OP_SOFTSIGN, webnn_softsign, softsign_formula},
    {WEBNN_OP_TANH, webnn_tanh, tanh_formula},
};

static void unary_case(void) {
  const bool yes_or_no =
      now.op == WEBNN_OP_IS_NAN || now.op == WEBNN_OP_IS_INFINITE || now.op == WEBNN_OP_LOGICAL_NOT;
  const one_operand *row = one_operand_table;
  tensor *x = any_input("input", 0);
  while (row->op != now.op)
    row++;
  expect_formula(x, row->call(now.builder, x->operand, NULL), yes_or_no ? WEBNN_UINT8 : now.type,
                 row->f);
}
static void elu_case(void) {
  tensor *x = any_input("input", 0);
  const webnn_elu_options o = {NULL, random_option("alpha", now.alpha, 1)};
  expect_formula(x, webnn_elu(now.builder, x->operand, &o), now.type, elu_formula);
}
static void leaky_relu_case(void) {
  tensor *x = any_input("input", 0);
  const webnn_leaky_relu_options o = {NULL, random_option("alpha", now.alpha, 0.01)};
  expect_formula(x, webnn_leaky_relu(now.builder, x->operand, &o), now.type, leaky_formula);
}
static void linear_case(void) {
  tensor *x = any_input("input", 0);
  webnn_linear_options o = WEBNN_ZERO;
  o.alpha = random_option("alpha", now.alpha, 1);
  o.beta = random_option("beta", now.beta, 0);
  expect_formula(x, webnn_linear(now.builder, x->operand, &o), now.type, linear_formula);
}
static void hard_sigmoid_case(void) {
  tensor *x = any_input("input", 0);
  webnn_hard_sigmoid_options o = WEBNN_ZERO;
  o.alpha = random_option("alpha", now.alpha, 0.2);
  o.beta = random_option("beta", now.beta, 0.5);
  expect_formula(x, webnn_hard_sigmoid(now.builder, x->operand, &o), now.type,
                 hard_sigmoid_formula);
}

/* ---- Numbers for integer operands: bounds and padding values ----------------------------------
 */

/* The value of a number in the type at hand. */
static uint64_t cast_number(webnn_number number) {
  uint64_t pattern;
  mpfr_t value;
  mpfr_init2(value, ELEMENT);
  if (number.kind == WEBNN_NUMBER_INT64)
    mpfr_set_sj(value, number.integer, MPFR_RNDZ);
  else if (number.kind == WEBNN_NUMBER_UINT64)
    mpfr_set_uj(value, number.integer, MPFR_RNDZ);
  else
    mpfr_set_d(value, number.f64, MPFR_RNDZ);
  if (!test_is_float(now.type)) {
    mpfr_rint_roundeven(value, value, MPFR_RNDZ);
    pattern = saturate_to(now.type, value);
  } else {
    pattern = round_to(now.type, value);
  }
  mpfr_clear(value);
  return pattern;
}
static webnn_number random_number(void) {
  mpfr_t value;
  double number;
  const uint64_t random = test_random(&now.random);
  if (!test_is_float(now.type) && one_in(2))
    return one_in(2) ? webnn_i64((int64_t)random >> below(64)) : webnn_u64(random >> below(64));
  mpfr_init2(value, ELEMENT);
  load_float(value, format_of(WEBNN_FLOAT32),
             random_float(format_of(WEBNN_FLOAT32), one_in(2) ? (int)below(SPECIAL + 1) : HALVES));
  number = mpfr_get_d(value, MPFR_RNDN);
  mpfr_clear(value);
  return webnn_f64(one_in(3) ? number + number / 54321 : number);
}
static void note_number(const char *name, webnn_number n) {
  if (n.kind == WEBNN_NUMBER_INT64)
    note(" %s=%lld", name, (long long)n.integer);
  else if (n.kind == WEBNN_NUMBER_UINT64)
    note(" %s=%lluu", name, (unsigned long long)n.integer);
  else if (n.kind == WEBNN_NUMBER_DOUBLE)
    note(" %s=%.17g", name, n.f64);
}

/* A bound that is NaN, or absent, bounds nothing. */
FORMULA(clamp_formula) {
  mpfr_set(y, x[0], MPFR_RNDZ);
  if (!mpfr_nan_p(now.alpha))
    larger(y, y, now.alpha);
  if (!mpfr_nan_p(now.beta))
    smaller(y, y, now.beta);
}
static webnn_number random_bound(const char *name, mpfr_ptr value) {
  webnn_number number = WEBNN_ZERO;
  mpfr_set_nan(value);
  if (!one_in(4)) {
    number = random_number();
    if (!(number.kind == WEBNN_NUMBER_DOUBLE && number.f64 != number.f64 &&
          test_is_float(now.type)))
      load(value, now.type, cast_number(number));
    note_number(name, number);
  }
  return number;
}
static void clamp_case(void) {
  tensor *x = any_input("input", 0);
  webnn_clamp_options o = WEBNN_ZERO;
  o.min_value = random_bound("minValue", now.alpha);
  o.max_value = random_bound("maxValue", now.beta);
  if (mpfr_greater_p(now.alpha, now.beta)) {
    const webnn_number number = o.min_value;
    o.min_value = o.max_value;
    o.max_value = number;
    mpfr_swap(now.alpha, now.beta);
    note(" swapped");
  }
  expect_formula(x, webnn_clamp(now.builder, x->operand, &o), now.type, clamp_formula);
}

static webnn_data_type random_type(uint32_t allowed) {
  webnn_data_type type;
  do {
    type = (webnn_data_type)between(WEBNN_FLOAT32, WEBNN_UINT4);
  } while (!(allowed >> type & 1));
  return type;
}
static const uint32_t eight_types = (1u << (WEBNN_UINT8 + 1)) - 2;

static void cast_case(void) {
  tensor *x = any_input("input", 0), *y;
  const webnn_data_type to = random_type(eight_types);
  mpfr_t value;
  size_t i;
  note(" dataType=%s", webnn_data_type_name(to));
  y = output_like(x, webnn_cast(now.builder, x->operand, to, NULL), to);
  mpfr_init2(value, ELEMENT);
  for (i = 0; i < y->count; i++) {
    mpfr_set(value, x->values[i], MPFR_RNDZ);
    if (test_is_float(now.type) && !test_is_float(to)) {
      mpfr_rint_trunc(value, value, MPFR_RNDZ);
      y->bits[i] = saturate_to(to, value);
    } else {
      y->bits[i] = round_to(to, value);
    }
  }
  mpfr_clear(value);
}

/* ---- Two operands -----------------------------------------------------------------------------
 */

typedef webnn_operand *(*call_two)(webnn_builder *, webnn_operand *, webnn_operand *,
                                   const webnn_operator_options *);
typedef struct two_operands {
  webnn_op op;
  call_two call;
  formula f;
} two_operands;

static const two_operands two_operands_table[] = {
    {WEBNN_OP_ADD, webnn_add, sum_formula},
    {WEBNN_OP_SUB, webnn_sub, difference_formula},
    {WEBNN_OP_MUL, webnn_mul, product_formula},
    {WEBNN_OP_DIV, webnn_div, quotient_formula},
    {WEBNN_OP_MAX, webnn_max, max_formula},
    {WEBNN_OP_MIN, webnn_min, min_formula},
    {WEBNN_OP_POW, webnn_pow, power_formula},
    {WEBNN_OP_PRELU, webnn_prelu, prelu_formula},
    {WEBNN_OP_EQUAL, webnn_equal, equal_formula},
    {WEBNN_OP_NOT_EQUAL, webnn_not_equal, not_equal_formula},
    {WEBNN_OP_GREATER, webnn_greater, greater_formula},
    {WEBNN_OP_GREATER_OR_EQUAL, webnn_greater_or_equal, greater_or_equal_formula},
    {WEBNN_OP_LESSER, webnn_lesser, lesser_formula},
    {WEBNN_OP_LESSER_OR_EQUAL, webnn_lesser_or_equal, lesser_or_equal_formula},
    {WEBNN_OP_LOGICAL_AND, webnn_logical_and, and_formula},
    {WEBNN_OP_LOGICAL_OR, webnn_logical_or, or_formula},
    {WEBNN_OP_LOGICAL_XOR, webnn_logical_xor, xor_formula},
};

static bool gives_boolean(webnn_op op) {
  return op >= WEBNN_OP_EQUAL && op <= WEBNN_OP_LOGICAL_XOR;
}
/* The shape that tensors broadcast to, both ways. */
static uint32_t joined_shape(uint32_t *shape, tensor *const *parts, int count) {
  uint32_t rank = 0, d;
  int i;
  for (i = 0; i < count; i++)
    rank = parts[i]->rank > rank ? parts[i]->rank : rank;
  for (d = 0; d < rank; d++) {
    shape[d] = 1;
    for (i = 0; i < count; i++)
      if (d + parts[i]->rank >= rank && parts[i]->shape[d + parts[i]->rank - rank] != 1)
        shape[d] = parts[i]->shape[d + parts[i]->rank - rank];
  }
  return rank;
}
/* Pairs for powers: whole and half exponents of small numbers are often exact or ties. */
static void make_powers(tensor *base, tensor *exponent) {
  size_t i;
  fill(base, COARSE);
  for (i = 0; i < exponent->count; i++) {
    mpfr_t value;
    mpfr_init2(value, ELEMENT);
    mpfr_set_si_2exp(value, (long)below(49) - 24, -(long)below(3), MPFR_RNDZ);
    exponent->bits[i] = round_to(exponent->type, value);
    mpfr_clear(value);
  }
}
static void binary_case(void) {
  const two_operands *row = two_operands_table;
  const webnn_data_type type = gives_boolean(now.op) ? WEBNN_UINT8 : now.type;
  const uint32_t large_rank = below(6);
  uint32_t large[5], shape[5], rank;
  tensor *x[2], *y;
  mpfr_t value;
  size_t i;
  while (row->op != now.op)
    row++;
  random_shape(large, large_rank, MOST_ELEMENTS);
  rank = random_part(shape, large, large_rank);
  x[0] = unconnected(now.op == WEBNN_OP_PRELU ? "input" : "a", now.type, shape, rank);
  rank = random_part(shape, large, large_rank);
  x[1] = unconnected(now.op == WEBNN_OP_PRELU ? "slope" : "b", now.type, shape, rank);
  if (now.op == WEBNN_OP_POW && one_in(2))
    make_powers(x[0], x[1]);
  if (gives_boolean(now.op) && x[0]->count == x[1]->count && one_in(2))
    for (i = 0; i < x[0]->count; i += 2)
      x[1]->bits[i] = x[0]->bits[i];
  connect(x[0]);
  connect(x[1]);
  rank = joined_shape(shape, x, 2);
  y = output(row->call(now.builder, x[0]->operand, x[1]->operand, NULL), type, shape, rank);
  mpfr_init2(value, DEEP);
  for (i = 0; i < y->count; i++) {
    mpfr_srcptr const arguments[2] = {x[0]->values[broadcast_index(x[0], y, i)],
                                      x[1]->values[broadcast_index(x[1], y, i)]};
    row->f(value, arguments);
    y->bits[i] = round_to(type, value);
  }
  mpfr_clear(value);
}

static void where_case(void) {
  const uint32_t large_rank = below(6);
  uint32_t large[5], shape[5], rank;
  tensor *x[3], *y;
  size_t i;
  int k;
  random_shape(large, large_rank, MOST_ELEMENTS);
  for (k = 0; k < 3; k++) {
    static const char *const names[] = {"condition", "trueValue", "falseValue"};
    rank = random_part(shape, large, large_rank);
    x[k] = input(names[k], k ? now.type : WEBNN_UINT8, shape, rank);
  }
  rank = joined_shape(shape, x, 3);
  y = output(webnn_where(now.builder, x[0]->operand, x[1]->operand, x[2]->operand, NULL), now.type,
             shape, rank);
  for (i = 0; i < y->count; i++) {
    const tensor *chosen = x[0]->bits[broadcast_index(x[0], y, i)] ? x[1] : x[2];
    y->bits[i] = chosen->bits[broadcast_index(chosen, y, i)];
  }
}

/* ---- Quantization ------------------------------------------------------------------------------
 */

static const uint32_t quantized_types = 1u << WEBNN_INT8 | 1u << WEBNN_UINT8 | 1u << WEBNN_INT32 |
                                        1u << WEBNN_UINT32 | 1u << WEBNN_INT4 | 1u << WEBNN_UINT4;

static void random_blocks(const tensor *x, uint32_t *shape) {
  uint32_t d;
  for (d = 0; d < x->rank; d++)
    do {
      shape[d] = between(1, x->shape[d]);
    } while (x->shape[d] % shape[d] != 0);
}
static size_t block_index(const tensor *part, const tensor *x, size_t index) {
  uint32_t c[WEBNN_MAX_RANK], d;
  unravel(x, index, c);
  for (d = 0; d < x->rank; d++)
    c[d] /= x->shape[d] / part->shape[d];
  return ravel(part, c);
}
/* Input and scale whose product lies beside the middle of two floats by 2^-55 of it: with an odd
   scale s there is an x for which x s is 2^31 + 1 or 2^31 - 1 modulo 2^32. */
static void make_near_tie(tensor *x, tensor *scale, tensor *zero) {
  const uint64_t s = UINT64_C(0xC00001) + 2 * below(0x1FFFFF);
  uint64_t inverse = s;
  size_t i;
  for (i = 0; i < 5; i++) /* Newton: each step doubles the bits that are right, first three */
    inverse *= 2 - s * inverse;
  for (i = 0; i < scale->count; i++) {
    scale->bits[i] = UINT64_C(0x4B000000) | (s & 0x7FFFFF);
    zero->bits[i] = 0;
  }
  for (i = 0; i < x->count; i++) {
    const uint64_t odd_one = one_in(2) ? UINT64_C(0x80000001) : UINT64_C(0x7FFFFFFF);
    x->bits[i] = inverse * (odd_one + ((uint64_t)below(1u << 24) << 32)) & low_bits(32);
  }
}
static void quantization_case(void) {
  const bool quantize = now.op == WEBNN_OP_QUANTIZE_LINEAR;
  tensor *x, *scale, *zero, *y;
  const webnn_data_type floats = quantize ? now.type : one_in(2) ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
  const webnn_data_type integers = quantize ? random_type(quantized_types) : now.type;
  uint32_t shape[WEBNN_MAX_RANK], rank = below(6);
  mpfr_t value;
  size_t i;
  random_shape(shape, rank, MOST_ELEMENTS);
  x = unconnected("input", now.type, shape, rank);
  random_blocks(x, shape);
  scale = unconnected("scale", floats, shape, rank);
  zero = unconnected("zeroPoint", integers, shape, rank);
  if (!quantize && webnn_data_type_bits(integers) == 32 && floats == WEBNN_FLOAT32 && one_in(4))
    make_near_tie(x, scale, zero);
  connect(x);
  connect(scale);
  connect(zero);
  y = output_like(x,
                  (quantize ? webnn_quantize_linear : webnn_dequantize_linear)(
                      now.builder, x->operand, scale->operand, zero->operand, NULL),
                  quantize ? integers : floats);
  mpfr_init2(value, DEEP);
  for (i = 0; i < y->count; i++) {
    const size_t j = block_index(scale, x, i);
    if (quantize) {
      divide(value, x->values[i], scale->values[j]);
      mpfr_rint_roundeven(value, value, MPFR_RNDZ);
      add(value, value, zero->values[j]);
      y->bits[i] = saturate_to(integers, value);
    } else {
      subtract(value, x->values[i], zero->values[j]);
      multiply(value, value, scale->values[j]);
      y->bits[i] = round_to(floats, value);
    }
  }
  mpfr_clear(value);
}

#endif
