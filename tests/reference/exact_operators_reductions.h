/* Operators along axes: the ten reductions, argMin and argMax, cumulativeSum, softmax, and the
   normalizations. */
#ifndef WEBNN_EXACT_OPERATORS_REDUCTIONS_H
#define WEBNN_EXACT_OPERATORS_REDUCTIONS_H

#include "exact_operators_elementwise.h"

/* ---- Groups of elements that agree outside of axes ---------------------------------------------
 */

typedef struct group {
  size_t count, items[MOST_ELEMENTS]; /* indices, the last axis fastest */
} group;

static bool holds(const uint32_t *list, uint32_t count, uint32_t item) {
  uint32_t i;
  for (i = 0; i < count; i++)
    if (list[i] == item)
      return true;
  return false;
}
/* The elements of x with the coordinates c but along the axes. */
static void gather_group(const tensor *x, const uint32_t *c, const uint32_t *axes,
                         uint32_t axis_count, group *g) {
  uint32_t other[WEBNN_MAX_RANK], d;
  size_t i;
  g->count = 0;
  for (i = 0; i < x->count; i++) {
    bool same = true;
    unravel(x, i, other);
    for (d = 0; d < x->rank; d++)
      same = same && (other[d] == c[d] || holds(axes, axis_count, d));
    if (same)
      g->items[g->count++] = i;
  }
}
static uint32_t reduced_shape(const tensor *x, const uint32_t *axes, uint32_t axis_count, bool keep,
                              uint32_t *shape) {
  uint32_t rank = 0, d;
  for (d = 0; d < x->rank; d++)
    if (!holds(axes, axis_count, d))
      shape[rank++] = x->shape[d];
    else if (keep)
      shape[rank++] = 1;
  return rank;
}
/* The group behind element `index` of the reduced tensor y. */
static void reduced_group(const tensor *x, const tensor *y, size_t index, const uint32_t *axes,
                          uint32_t axis_count, bool keep, group *g) {
  uint32_t c[WEBNN_MAX_RANK] = {0}, own[WEBNN_MAX_RANK] = {0}, k = 0, d;
  unravel(y, index, c);
  for (d = 0; d < x->rank; d++)
    if (!holds(axes, axis_count, d))
      own[d] = c[k++];
    else if (keep)
      k++;
  gather_group(x, own, axes, axis_count, g);
}

/* ---- The ten reductions ------------------------------------------------------------------------
 */

static void sum_of(const tensor *x, const group *g, bool absolute, bool square, mpfr_ptr y) {
  total s;
  size_t i;
  mpfr_t term;
  mpfr_init2(term, ELEMENT);
  total_begin(&s);
  for (i = 0; i < g->count; i++) {
    mpfr_set(term, x->values[g->items[i]], MPFR_RNDZ);
    if (absolute)
      mpfr_abs(term, term, MPFR_RNDZ);
    if (square)
      total_add_product(&s, term, term);
    else
      total_add(&s, term);
  }
  mpfr_set(y, s.value, MPFR_RNDZ);
  total_end(&s);
  mpfr_clear(term);
}
static void extreme_of(const tensor *x, const group *g, bool smallest, mpfr_ptr y) {
  size_t i;
  mpfr_set(y, x->values[g->items[0]], MPFR_RNDZ);
  for (i = 1; i < g->count; i++)
    (smallest ? smaller : larger)(y, y, x->values[g->items[i]]);
}
/* Exact, of however many bits. */
static void product_of(const tensor *x, const group *g, mpfr_ptr y) {
  size_t i;
  mpfr_t product;
  mpfr_init2(product, (mpfr_prec_t)(ELEMENT * (g->count + 1)));
  mpfr_set_ui(product, 1, MPFR_RNDZ);
  for (i = 0; i < g->count; i++)
    multiply(product, product, x->values[g->items[i]]);
  mpfr_set_prec(y, mpfr_get_prec(product));
  mpfr_set(y, product, MPFR_RNDZ);
  mpfr_clear(product);
}
/* e^(x - m) of each, m the largest: sum and, if asked for, one of them. */
static void exponentials_of(const tensor *x, const group *g, mpfr_srcptr m, mpfr_ptr sum) {
  mpfr_t t;
  size_t i;
  mpfr_init2(t, DEEP);
  mpfr_set_zero(sum, 1);
  for (i = 0; i < g->count; i++) {
    subtract(t, x->values[g->items[i]], m);
    apply(mpfr_exp, t, t);
    add(sum, sum, t);
  }
  mpfr_clear(t);
}
/* m + ln sum e^(x - m), where m is finite. */
static void log_sum_exp_of(const tensor *x, const group *g, mpfr_ptr y) {
  mpfr_t m;
  mpfr_init2(m, ELEMENT);
  extreme_of(x, g, false, y);
  if (mpfr_number_p(y)) {
    mpfr_set(m, y, MPFR_RNDZ);
    exponentials_of(x, g, m, y);
    apply(mpfr_log, y, y);
    add(y, y, m);
  }
  mpfr_clear(m);
}

typedef webnn_operand *(*call_reduce)(webnn_builder *, webnn_operand *,
                                      const webnn_reduce_options *);
static call_reduce reduce_function(webnn_op op) {
  static const call_reduce functions[] = {
      webnn_reduce_l1,  webnn_reduce_l2,        webnn_reduce_log_sum, webnn_reduce_log_sum_exp,
      webnn_reduce_max, webnn_reduce_mean,      webnn_reduce_min,     webnn_reduce_product,
      webnn_reduce_sum, webnn_reduce_sum_square};
  return functions[op - WEBNN_OP_REDUCE_L1];
}
static void reduce_group(const tensor *x, const group *g, mpfr_ptr y) {
  switch (now.op) {
  case WEBNN_OP_REDUCE_L1:
    sum_of(x, g, true, false, y);
    break;
  case WEBNN_OP_REDUCE_L2:
    sum_of(x, g, false, true, y);
    square_root(y, y);
    break;
  case WEBNN_OP_REDUCE_LOG_SUM:
    sum_of(x, g, false, false, y);
    apply(mpfr_log, y, y);
    break;
  case WEBNN_OP_REDUCE_LOG_SUM_EXP:
    log_sum_exp_of(x, g, y);
    break;
  case WEBNN_OP_REDUCE_MEAN:
    sum_of(x, g, false, false, y);
    odd(y, mpfr_div_ui(y, y, g->count, MPFR_RNDZ));
    break;
  case WEBNN_OP_REDUCE_PRODUCT:
    product_of(x, g, y);
    break;
  case WEBNN_OP_REDUCE_SUM:
    sum_of(x, g, false, false, y);
    break;
  case WEBNN_OP_REDUCE_SUM_SQUARE:
    sum_of(x, g, false, true, y);
    break;
  default:
    extreme_of(x, g, now.op == WEBNN_OP_REDUCE_MIN, y);
    break;
  }
}

/* ---- Values for which a reduction is a tie, or all but one -------------------------------------
 */

static uint64_t float_of(webnn_data_type type, long significand, long exponent) {
  uint64_t pattern;
  mpfr_t value;
  mpfr_init2(value, ELEMENT);
  mpfr_set_si_2exp(value, significand, exponent, MPFR_RNDZ);
  pattern = round_to(type, value);
  mpfr_clear(value);
  return pattern;
}
/* a^2 + b^2 = c^2, c with one bit more than a float has: p^2 - q^2, 2 p q, p^2 + q^2. */
static void make_hypotenuse(tensor *x) {
  const uint32_t bits = (uint32_t)format_of(x->type).fraction + 1;
  const long exponent = (long)below(9) - 4;
  long p, q;
  size_t i;
  if (x->count < 2)
    return;
  do {
    p = (long)below(1u << (bits / 2 + 1));
    q = (long)below((uint32_t)p + 1);
  } while (p * p + q * q < 1L << bits || p * p + q * q >= 2L << bits || (p + q) % 2 == 0 ||
           p * p - q * q >= 1L << bits || p * q >= 1L << bits);
  for (i = 0; i < x->count; i++)
    x->bits[i] = 0;
  x->bits[below((uint32_t)x->count / 2)] = float_of(x->type, p * p - q * q, exponent);
  x->bits[x->count - 1] = float_of(x->type, 2 * p * q, exponent);
}
/* Factors of 2^132 - 1 and 3, which together lie below the middle of two subnormal numbers by
   2^-132 of their product. */
static void make_product(tensor *x) {
  static const long factors[] = {9, 7,  23,  67,   89,     683,     20857, 599479,
                                 5, 13, 397, 2113, 312709, 4327489, 3};
  enum { COUNT = sizeof factors / sizeof *factors };
  size_t i;
  if (x->count < COUNT || x->type != WEBNN_FLOAT32)
    return;
  for (i = 0; i < x->count; i++)
    x->bits[i] = float_of(x->type, 1, 0);
  for (i = 0; i < COUNT; i++) /* 2^(-150 - 132) in pieces */
    x->bits[i] = float_of(x->type, factors[i], i < 12 ? -19 : -18);
  for (i = 0; i < COUNT; i++) {
    const size_t j = i + below((uint32_t)(x->count - i));
    const uint64_t pattern = x->bits[i];
    x->bits[i] = x->bits[j];
    x->bits[j] = pattern;
  }
}
static void reduce_case(void) {
  uint32_t shape[WEBNN_MAX_RANK], axes[WEBNN_MAX_RANK], rank = below(6), count;
  webnn_reduce_options o = WEBNN_ZERO;
  static group g;
  tensor *x, *y;
  mpfr_t value;
  size_t i;
  random_shape(shape, rank, MOST_ELEMENTS);
  x = unconnected("input", now.type, shape, rank);
  count = random_axes(axes, rank);
  if (one_in(3)) {
    for (count = 0; count < rank; count++)
      axes[count] = count;
  } else {
    o.axes = webnn_list_of(axes, count);
    note_list("axes", o.axes);
  }
  o.keep_dimensions = one_in(2);
  note(" keepDimensions=%d", o.keep_dimensions);
  if (now.op == WEBNN_OP_REDUCE_L2 && one_in(3))
    make_hypotenuse(x);
  if (now.op == WEBNN_OP_REDUCE_PRODUCT && one_in(3))
    make_product(x);
  connect(x);
  rank = reduced_shape(x, axes, count, o.keep_dimensions, shape);
  y = output(reduce_function(now.op)(now.builder, x->operand, &o), now.type, shape, rank);
  mpfr_init2(value, DEEP);
  for (i = 0; i < y->count; i++) {
    reduced_group(x, y, i, axes, count, o.keep_dimensions, &g);
    reduce_group(x, &g, value);
    y->bits[i] = round_to(now.type, value);
  }
  mpfr_clear(value);
}

/* The first NaN, or the first of the smallest (largest). */
static size_t extreme_place(const tensor *x, const group *g, bool smallest) {
  size_t i, best = 0;
  for (i = 0; i < g->count; i++) {
    const mpfr_srcptr a = x->values[g->items[i]], b = x->values[g->items[best]];
    if (mpfr_nan_p(a))
      return i;
    if (smallest ? mpfr_less_p(a, b) : mpfr_greater_p(a, b))
      best = i;
  }
  return best;
}
static void arg_case(void) {
  tensor *x = any_input("input", 1), *y;
  const uint32_t axis = below(x->rank);
  uint32_t shape[WEBNN_MAX_RANK], rank;
  webnn_arg_min_max_options o = WEBNN_ZERO;
  static group g;
  size_t i;
  o.keep_dimensions = one_in(2);
  o.output_data_type = one_in(3) ? 0 : one_in(2) ? WEBNN_INT32 : WEBNN_INT64;
  note(" axis=%u keepDimensions=%d outputDataType=%d", (unsigned)axis, o.keep_dimensions,
       (int)o.output_data_type);
  rank = reduced_shape(x, &axis, 1, o.keep_dimensions, shape);
  y = output((now.op == WEBNN_OP_ARG_MIN ? webnn_arg_min : webnn_arg_max)(now.builder, x->operand,
                                                                          axis, &o),
             o.output_data_type ? o.output_data_type : WEBNN_INT32, shape, rank);
  for (i = 0; i < y->count; i++) {
    reduced_group(x, y, i, &axis, 1, o.keep_dimensions, &g);
    y->bits[i] = extreme_place(x, &g, now.op == WEBNN_OP_ARG_MIN);
  }
}

/* ---- Along one axis
 * ------------------------------------------------------------------------------ */

static void cumulative_sum_case(void) {
  tensor *x = any_input("input", 1), *y;
  const uint32_t axis = below(x->rank);
  uint32_t c[WEBNN_MAX_RANK];
  webnn_cumulative_sum_options o = WEBNN_ZERO;
  size_t i, j;
  o.exclusive = one_in(2);
  o.reversed = one_in(2);
  note(" axis=%u exclusive=%d reversed=%d", (unsigned)axis, o.exclusive, o.reversed);
  y = output_like(x, webnn_cumulative_sum(now.builder, x->operand, axis, &o), now.type);
  for (i = 0; i < y->count; i++) {
    static group g;
    total s;
    uint32_t k;
    unravel(y, i, c);
    k = c[axis];
    gather_group(x, c, &axis, 1, &g);
    total_begin(&s);
    for (j = 0; j < g.count; j++)
      if (j == k ? !o.exclusive : (j < k) != o.reversed)
        total_add(&s, x->values[g.items[j]]);
    y->bits[i] = round_to(now.type, s.value);
    total_end(&s);
  }
}

static void softmax_case(void) {
  tensor *x = any_input("input", 1), *y;
  const uint32_t axis = below(x->rank);
  static group g;
  mpfr_t m, sum, value;
  size_t i, j;
  note(" axis=%u", (unsigned)axis);
  y = output_like(x, webnn_softmax(now.builder, x->operand, axis, NULL), now.type);
  mpfr_init2(m, ELEMENT);
  mpfr_inits2(DEEP, sum, value, NULL);
  for (i = 0; i < y->count; i++) {
    uint32_t c[WEBNN_MAX_RANK];
    unravel(y, i, c);
    if (c[axis] != 0)
      continue;
    gather_group(x, c, &axis, 1, &g);
    extreme_of(x, &g, false, m);
    exponentials_of(x, &g, m, sum);
    for (j = 0; j < g.count; j++) {
      subtract(value, x->values[g.items[j]], m);
      apply(mpfr_exp, value, value);
      divide(value, value, sum);
      y->bits[g.items[j]] = round_to(now.type, value);
    }
  }
  mpfr_clears(m, sum, value, NULL);
}

/* ---- Normalizations
 * ------------------------------------------------------------------------------ */

/* scale a / sqrt(b) + bias; a scale or bias of NULL is left out. */
static void normalized(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr scale,
                       mpfr_srcptr bias) {
  mpfr_t root;
  mpfr_init2(root, DEEP);
  square_root(root, b);
  if (scale)
    multiply(y, a, scale);
  else
    mpfr_set(y, a, MPFR_RNDZ);
  divide(y, y, root);
  if (bias)
    add(y, y, bias);
  mpfr_clear(root);
}
static mpfr_srcptr value_at(const tensor *t, size_t i) {
  return t ? t->values[i] : NULL;
}

/* A scale with all its bits and a bias of the next binade: scale + bias is a tie. */
static void make_tie(tensor *scale, tensor *bias) {
  const int fraction = format_of(now.type).fraction;
  const long exponent = (long)below(5) - 2 - fraction;
  size_t i;
  for (i = 0; scale && i < scale->count; i++)
    scale->bits[i] =
        float_of(now.type, (1L << fraction) + 1 + 2 * (long)below(1u << (fraction - 1)), exponent) |
        (uint64_t)below(2) * sign_bit(now.type);
  for (i = 0; bias && i < bias->count; i++)
    bias->bits[i] = float_of(
        now.type, (one_in(2) ? 1 : -1) * (2L << fraction) * (1 + (long)below(2)), exponent);
}
/* Elements m - a and m + a, so that variance + epsilon is a square if that is a^2 more or less. */
static void make_two_values(tensor *x) {
  const uint64_t high = random_float(format_of(x->type), COARSE);
  const uint64_t low =
      one_in(2) ? high ^ sign_bit(x->type) : random_float(format_of(x->type), COARSE);
  size_t i;
  for (i = 0; i < x->count; i++)
    x->bits[i] = i % 2 ? high : low;
}
/* mean and variance of a group times its count and count squared, which are exact:
   D = n x - S and Q = n sum x^2 - S^2 + n^2 epsilon, (x - mean) / sqrt(variance + epsilon) being
   D / sqrt(Q). */
typedef struct moments {
  mpfr_t sum, q;
  size_t count;
} moments;

static void moments_begin(moments *m, const tensor *x, const group *g, mpfr_srcptr epsilon) {
  mpfr_t t;
  mpfr_init2(t, DEEP);
  mpfr_inits2(DEEP, m->sum, m->q, NULL);
  m->count = g->count;
  sum_of(x, g, false, false, m->sum);
  sum_of(x, g, false, true, m->q);
  odd(m->q, mpfr_mul_ui(m->q, m->q, m->count, MPFR_RNDZ));
  multiply(t, m->sum, m->sum);
  subtract(m->q, m->q, t);
  odd(t, mpfr_mul_ui(t, epsilon, m->count * m->count, MPFR_RNDZ));
  add(m->q, m->q, t);
  mpfr_clear(t);
}
static void moments_end(moments *m) {
  mpfr_clears(m->sum, m->q, NULL);
}
static void deviation(mpfr_ptr d, const moments *m, mpfr_srcptr x) {
  odd(d, mpfr_mul_ui(d, x, m->count, MPFR_RNDZ));
  subtract(d, d, m->sum);
}
static void normalize_group(const tensor *x, const group *g, const tensor *scale,
                            const tensor *bias, const size_t *place, tensor *y) {
  moments m;
  mpfr_t d, value;
  size_t i;
  mpfr_inits2(DEEP, d, value, NULL);
  moments_begin(&m, x, g, now.alpha);
  for (i = 0; i < g->count; i++) {
    const size_t item = g->items[i];
    deviation(d, &m, x->values[item]);
    normalized(value, d, m.q, value_at(scale, place[item]), value_at(bias, place[item]));
    y->bits[item] = round_to(now.type, value);
  }
  moments_end(&m);
  mpfr_clears(d, value, NULL);
}
/* Any, for a case with ties a small whole number, for one with one_hot 0. */
static webnn_number random_epsilon(bool ties, bool one_hot) {
  webnn_number number;
  if (!ties && !one_hot)
    return random_option("epsilon", now.alpha, 1e-5);
  number = webnn_f64(one_hot || one_in(2) ? 0 : one_in(2) ? 1 : 3);
  take_number(now.alpha, number.f64);
  note(" epsilon=%g", number.f64);
  return number;
}

/* Whether the case is made to end in ties. */
static bool prepare_normalization(tensor *x, tensor *scale, tensor *bias) {
  if (one_in(2))
    return false;
  make_tie(scale, bias);
  if (one_in(2))
    make_two_values(x);
  else
    fill(x, COARSE);
  return true;
}
/* Group sizes n for which one element unlike the others is sqrt(n - 1) deviations off, the others
   -1 / sqrt(n - 1): whole, although mean and variance are not binary fractions. */
static uint32_t one_hot_size(void) {
  static const uint32_t sizes[] = {5, 10, 17, 26, 37, 65};
  return sizes[below(6)];
}
/* x of groups of this size: element i is the hot one if its place in the group is. */
static void make_one_hot(tensor *x, const size_t *place_in_group, uint32_t size) {
  const uint64_t low = one_in(2) ? 0 : random_float(format_of(x->type), COARSE);
  const uint64_t high = random_float(format_of(x->type), COARSE);
  const uint32_t hot = below(size);
  size_t i;
  for (i = 0; i < x->count; i++)
    x->bits[i] = place_in_group[i] == hot ? high : low;
}
/* Biases that cancel what comes of one element, as far as they can. */
static void cancel_one(const tensor *x, const size_t *place, const tensor *scale, tensor *bias) {
  size_t i, item;
  for (i = 0; bias && i < x->count; i++) {
    mpfr_t a, b;
    item = below((uint32_t)x->count);
    mpfr_inits2(2 * ELEMENT, a, b, NULL);
    load(a, x->type, x->bits[item]);
    mpfr_set_ui(b, 1, MPFR_RNDZ);
    if (scale)
      load(b, x->type, scale->bits[place[item]]);
    multiply(a, a, b);
    mpfr_neg(a, a, MPFR_RNDZ);
    bias->bits[place[item]] = round_to(x->type, a);
    mpfr_clears(a, b, NULL);
  }
}
static tensor *maybe_unconnected(const char *name, const uint32_t *shape, uint32_t rank) {
  return one_in(3) ? NULL : unconnected(name, now.type, shape, rank);
}
static void connect_normalization(tensor *x, tensor *scale, tensor *bias) {
  connect(x);
  if (scale)
    connect(scale);
  if (bias)
    connect(bias);
}

static void batch_normalization_case(void) {
  uint32_t shape[5], rank = between(1, 5), axis, c[WEBNN_MAX_RANK] = {0};
  webnn_batch_normalization_options o = WEBNN_ZERO;
  tensor *x, *mean, *variance, *scale, *bias, *y;
  size_t place[MOST_ELEMENTS], i;
  mpfr_t a, b, value;
  bool ties;
  random_shape(shape, rank, MOST_ELEMENTS);
  axis = below(rank);
  x = unconnected("input", now.type, shape, rank);
  mean = unconnected("mean", now.type, &shape[axis], 1);
  variance = unconnected("variance", now.type, &shape[axis], 1);
  scale = maybe_unconnected("scale", &shape[axis], 1);
  bias = maybe_unconnected("bias", &shape[axis], 1);
  ties = prepare_normalization(x, scale, bias);
  for (i = 0; i < variance->count; i++)
    if (ties)
      variance->bits[i] = float_of(now.type, one_in(2) ? 1 : 9, -2 * (long)below(2));
    else if (!one_in(4))
      variance->bits[i] &= ~sign_bit(now.type);
  if (ties)
    fill(mean, one_in(2) ? COARSE : SCATTERED);
  if (ties && one_in(2)) {
    fill(x, SCATTERED);
    for (i = 0; i < x->count; i++) {
      unravel(x, i, c);
      place[i] = c[axis];
    }
    cancel_one(x, place, scale, bias);
  }
  connect_normalization(x, scale, bias);
  connect(mean);
  connect(variance);
  o.scale = operand_of(scale);
  o.bias = operand_of(bias);
  o.epsilon = random_epsilon(ties, false);
  if (axis != 1 || one_in(2))
    o.axis = webnn_u64(axis);
  note(" axis=%u", (unsigned)axis);
  y = output_like(
      x, webnn_batch_normalization(now.builder, x->operand, mean->operand, variance->operand, &o),
      now.type);
  mpfr_inits2(DEEP, a, b, value, NULL);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    subtract(a, x->values[i], mean->values[c[axis]]);
    add(b, variance->values[c[axis]], now.alpha);
    normalized(value, a, b, value_at(scale, c[axis]), value_at(bias, c[axis]));
    y->bits[i] = round_to(now.type, value);
  }
  mpfr_clears(a, b, value, NULL);
}

static void instance_normalization_case(void) {
  uint32_t shape[4], c[WEBNN_MAX_RANK], spatial[2] = {2, 3};
  size_t place[MOST_ELEMENTS], in_group[MOST_ELEMENTS], i;
  webnn_instance_normalization_options o = WEBNN_ZERO;
  tensor *x, *scale, *bias, *y;
  const uint32_t hot = one_in(3) ? one_hot_size() : 0;
  bool ties;
  uint32_t axis;
  static group g;
  random_shape(shape, 4, hot ? MOST_ELEMENTS / hot : MOST_ELEMENTS);
  o.layout = one_in(2) ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  axis = o.layout == WEBNN_LAYOUT_NHWC ? 3 : 1;
  if (o.layout == WEBNN_LAYOUT_NHWC) {
    spatial[0] = 1;
    spatial[1] = 2;
  }
  if (hot) {
    shape[spatial[0]] = hot % 5 == 0 && one_in(2) ? 5 : 1;
    shape[spatial[1]] = hot / shape[spatial[0]];
  }
  x = unconnected("input", now.type, shape, 4);
  scale = maybe_unconnected("scale", &shape[axis], 1);
  bias = maybe_unconnected("bias", &shape[axis], 1);
  ties = prepare_normalization(x, scale, bias);
  for (i = 0; i < x->count; i++) {
    unravel(x, i, c);
    place[i] = c[axis];
    in_group[i] = (size_t)c[spatial[0]] * shape[spatial[1]] + c[spatial[1]];
  }
  if (hot)
    make_one_hot(x, in_group, hot);
  o.epsilon = random_epsilon(ties, hot != 0);
  connect_normalization(x, scale, bias);
  o.scale = operand_of(scale);
  o.bias = operand_of(bias);
  note(" layout=%s", o.layout == WEBNN_LAYOUT_NHWC ? "nhwc" : "nchw");
  y = output_like(x, webnn_instance_normalization(now.builder, x->operand, &o), now.type);
  for (i = 0; i < x->count; i++) {
    unravel(x, i, c);
    if (c[spatial[0]] == 0 && c[spatial[1]] == 0) {
      gather_group(x, c, spatial, 2, &g);
      normalize_group(x, &g, scale, bias, place, y);
    }
  }
}

static void layer_normalization_case(void) {
  uint32_t shape[5], rank = below(6), axes[WEBNN_MAX_RANK], own[WEBNN_MAX_RANK], c[WEBNN_MAX_RANK];
  uint32_t count = random_axes(axes, rank), d;
  const uint32_t hot = count == 1 && one_in(2) ? one_hot_size() : 0;
  size_t place[MOST_ELEMENTS], i;
  webnn_layer_normalization_options o = WEBNN_ZERO;
  tensor *x, *scale, *bias, *y;
  bool ties;
  static group g;
  random_shape(shape, rank, hot ? MOST_ELEMENTS / hot : MOST_ELEMENTS);
  if (hot)
    shape[axes[0]] = hot;
  if (!hot && one_in(3))
    for (count = 0; count + 1 < rank; count++)
      axes[count] = count + 1;
  else
    o.axes = webnn_list_of(axes, count);
  note_list("axes", webnn_list_of(axes, count));
  for (d = 0; d < count; d++)
    own[d] = shape[axes[d]];
  x = unconnected("input", now.type, shape, rank);
  scale = maybe_unconnected("scale", own, count);
  bias = maybe_unconnected("bias", own, count);
  ties = prepare_normalization(x, scale, bias);
  for (i = 0; i < x->count; i++) {
    unravel(x, i, c);
    place[i] = 0;
    for (d = 0; d < count; d++)
      place[i] = place[i] * own[d] + c[axes[d]];
  }
  if (hot)
    make_one_hot(x, place, hot);
  o.epsilon = random_epsilon(ties, hot != 0);
  connect_normalization(x, scale, bias);
  o.scale = operand_of(scale);
  o.bias = operand_of(bias);
  y = output_like(x, webnn_layer_normalization(now.builder, x->operand, &o), now.type);
  for (i = 0; i < x->count; i++) {
    unravel(x, i, c);
    gather_group(x, c, axes, count, &g);
    if (g.items[0] == i)
      normalize_group(x, &g, scale, bias, place, y);
  }
}

#endif
