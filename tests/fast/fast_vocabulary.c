/* Each operation of the vocabulary in which the fast kernels are written, by itself, against plain
   C, for every instruction set of this machine. This file is included once more in each stamped
   part of webnn.h, where the names v_add and so on have their meanings; there it makes a function
   for each operation of OPERATIONS and for those that cross lanes. Operands are special values in
   all pairs and triples, and random bits. Of NaNs it counts only that they are NaNs. */
#ifndef FAST_VOCABULARY_TYPES
#define FAST_VOCABULARY_TYPES

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_LANES = 16, DOT_BYTES = 4 * MOST_LANES };

/* A lane's operands: i and j are the bits of a and b. */
typedef struct test_lane {
  float a, b, c;
  int32_t i, j;
} test_lane;

/* name, result in lanes (int32 or bits), the same for one lane in plain C. Results of kind F are
   floats, of which any NaN is alike, of kind I bits. */
#define TRUE_LANES(m) i_select(m, i_set(-1), i_set(0))
#define INT_OF(u) ((int32_t)(u))
#define U(i) ((uint32_t)(i))
#define TOP 2147483520.0f
#define OPERATIONS(F, I)                                                                           \
  F(set, v_set(-0.0f), -0.0f)                                                                      \
  F(load, a, x.a)                                                                                  \
  F(add, v_add(a, b), x.a + x.b)                                                                   \
  F(sub, v_sub(a, b), x.a - x.b)                                                                   \
  F(mul, v_mul(a, b), product(x.a, x.b))                                                           \
  F(div, v_div(a, b), x.a / x.b)                                                                   \
  F(sqrt, v_sqrt(a), sqrtf(x.a))                                                                   \
  F(fma, v_fma(a, b, c), fused ? fmaf(x.a, x.b, x.c) : product(x.a, x.b) + x.c)                    \
  F(fnma, v_fnma(a, b, c), fused ? fmaf(-x.a, x.b, x.c) : x.c - product(x.a, x.b))                 \
  F(max, v_max(a, b), x.a > x.b ? x.a : x.b)                                                       \
  F(min, v_min(a, b), x.a < x.b ? x.a : x.b)                                                       \
  F(round, v_round(a), rintf(x.a))                                                                 \
  F(floor, v_floor(a), floorf(x.a))                                                                \
  F(ceil, v_ceil(a), ceilf(x.a))                                                                   \
  I(lt, TRUE_LANES(v_lt(a, b)), -(x.a < x.b))                                                      \
  I(le, TRUE_LANES(v_le(a, b)), -(x.a <= x.b))                                                     \
  I(eq, TRUE_LANES(v_eq(a, b)), -(x.a == x.b))                                                     \
  I(nan, TRUE_LANES(v_nan(a, b)), -(isnan(x.a) || isnan(x.b)))                                     \
  F(select, v_select(v_lt(a, b), b, c), x.a < x.b ? x.b : x.c)                                     \
  I(and_of_masks, TRUE_LANES(m_and(v_lt(a, b), v_le(b, c))), -(x.a < x.b && x.b <= x.c))           \
  I(or_of_masks, TRUE_LANES(m_or(v_lt(a, b), v_le(b, c))), -(x.a < x.b || x.b <= x.c))             \
  I(not_of_mask, TRUE_LANES(m_not(v_lt(a, b))), -!(x.a < x.b))                                     \
  I(masks_of_both, TRUE_LANES(m_and(i_gt(i, j), v_lt(a, b))), -(x.i > x.j && x.a < x.b))           \
  I(bits, v_bits(a), x.i)                                                                          \
  F(of_bits, v_of_bits(j), x.b)                                                                    \
  I(to_int, v_to_int(v_min(v_max(a, v_set(INT32_MIN)), v_set(TOP))), int_of(x.a))                  \
  F(from_int, v_from_int(i), (float)x.i)                                                           \
  F(low_4, v_from_low(4, i), (float)(U(x.i) & 15))                                                 \
  F(low_8, v_from_low(8, i), (float)(U(x.i) & 255))                                                \
  I(int_set, i_set(INT32_MIN), INT32_MIN)                                                          \
  I(int_add, i_add(i, j), INT_OF(U(x.i) + U(x.j)))                                                 \
  I(int_sub, i_sub(i, j), INT_OF(U(x.i) - U(x.j)))                                                 \
  I(int_and, i_and(i, j), INT_OF(U(x.i) & U(x.j)))                                                 \
  I(int_or, i_or(i, j), x.i | x.j)                                                                 \
  I(int_xor, i_xor(i, j), x.i ^ x.j)                                                               \
  I(shl_1, i_shl(i, 1), INT_OF(U(x.i) << 1))                                                       \
  I(shl_23, i_shl(i, 23), INT_OF(U(x.i) << 23))                                                    \
  I(shl_31, i_shl(i, 31), INT_OF(U(x.i) << 31))                                                    \
  I(shr_1, i_shr(i, 1), INT_OF(U(x.i) >> 1))                                                       \
  I(shr_23, i_shr(i, 23), INT_OF(U(x.i) >> 23))                                                    \
  I(shr_31, i_shr(i, 31), INT_OF(U(x.i) >> 31))                                                    \
  I(sar_1, i_sar(i, 1), INT_OF(quotient(x.i, 1)))                                                  \
  I(sar_23, i_sar(i, 23), INT_OF(quotient(x.i, 23)))                                               \
  I(sar_31, i_sar(i, 31), INT_OF(quotient(x.i, 31)))                                               \
  I(int_eq, TRUE_LANES(i_eq(i, j)), -(x.i == x.j))                                                 \
  I(int_gt, TRUE_LANES(i_gt(i, j)), -(x.i > x.j))                                                  \
  I(int_select, i_select(i_gt(i, j), j, i_set(7)), x.i > x.j ? x.j : 7)

#define ENTRY(name, lanes, plain) OPERATION_##name,
enum { OPERATIONS(ENTRY, ENTRY) OPERATION_COUNT };
#undef ENTRY

/* What a stamped part makes. */
typedef struct vocabulary {
  const char *name;
  size_t width;
  bool fused;
  void (*run)(int operation, const float *a, const float *b, const float *c, const int32_t *i,
              const int32_t *j, int32_t *to);
  bool (*any_less)(const float *a, const float *b);
  float (*sum)(const float *a);
  float (*largest)(const float *a);
  void (*copy_part)(float *to, const float *from, size_t n);
  void (*spread_part)(float *to, const float *from, size_t n);
  void (*load_half)(float *to, const uint16_t *from);
  void (*store_half)(uint16_t *to, const float *from);
  void (*zip)(unsigned bits, bool high, const int32_t *i, const int32_t *j, int32_t *to);
  void (*dot4)(const int32_t *s, const int32_t *x, const int32_t *w, int32_t *to);
  void (*dot4_small)(const int32_t *s, const int32_t *x, const int32_t *w, int32_t *to);
} vocabulary;
#endif

#ifdef WEBNN__STAMP

static void Q(try_dot4)(const int32_t *s, const int32_t *x, const int32_t *w, int32_t *to) {
  i_store(to, i_dot4(i_load(s), i_left(i_load(x)), i_right(i_load(w))));
}

static void Q(try_dot4_small)(const int32_t *s, const int32_t *x, const int32_t *w, int32_t *to) {
  i_store(to, i_dot4_small(i_load(s), i_load(x), i_load(w)));
}

#ifndef WEBNN__DOT4 /* has but its own i_dot4 */
static void Q(try_lanes)(int operation, const float *pa, const float *pb, const float *pc,
                         const int32_t *pi, const int32_t *pj, int32_t *to) {
  const v_float a = v_load(pa), b = v_load(pb), c = v_load(pc);
  const v_int i = i_load(pi), j = i_load(pj);
  switch (operation) {
#define FLOATS(name, lanes, plain)                                                                 \
  case OPERATION_##name: {                                                                         \
    float y[V_WIDTH];                                                                              \
    v_store(y, lanes);                                                                             \
    memcpy(to, y, sizeof y);                                                                       \
    break;                                                                                         \
  }
#define INTEGERS(name, lanes, plain)                                                               \
  case OPERATION_##name:                                                                           \
    i_store(to, lanes);                                                                            \
    break;
    OPERATIONS(FLOATS, INTEGERS)
#undef FLOATS
#undef INTEGERS
  default:
    break;
  }
}

static bool Q(try_any)(const float *a, const float *b) {
  return m_any(v_lt(v_load(a), v_load(b)));
}

static float Q(try_sum)(const float *a) {
  return v_sum(v_load(a));
}

static float Q(try_largest)(const float *a) {
  return v_largest(v_load(a));
}

static void Q(try_copy_part)(float *to, const float *from, size_t n) {
  v_store_part(to, n, v_load(from));
}

static void Q(try_spread_part)(float *to, const float *from, size_t n) {
  v_store(to, v_load_part(from, n));
  (void)from;
}

static void Q(try_load_half)(float *to, const uint16_t *from) {
  v_store(to, v_load_half(from));
}

static void Q(try_store_half)(uint16_t *to, const float *from) {
  v_store_half(to, v_load(from));
}

#if V_WIDTH > 1
static void Q(try_zip)(unsigned bits, bool high, const int32_t *pi, const int32_t *pj,
                       int32_t *to) {
  const v_int i = i_load(pi), j = i_load(pj);
  switch (bits) {
  case 8:
    i_store(to, high ? i_zip_high(8, i, j) : i_zip_low(8, i, j));
    break;
  case 16:
    i_store(to, high ? i_zip_high(16, i, j) : i_zip_low(16, i, j));
    break;
  case 32:
    i_store(to, high ? i_zip_high(32, i, j) : i_zip_low(32, i, j));
    break;
  default:
    i_store(to, high ? i_zip_high(64, i, j) : i_zip_low(64, i, j));
    break;
  }
}
#endif

static const vocabulary Q(vocabulary) = {
    WEBNN__NAME_OF(WEBNN__ISA),
    V_WIDTH,
    V_FUSED,
    Q(try_lanes),
    Q(try_any),
    Q(try_sum),
    Q(try_largest),
    Q(try_copy_part),
    Q(try_spread_part),
    Q(try_load_half),
    Q(try_store_half),
#if V_WIDTH > 1
    Q(try_zip),
#else
    NULL,
#endif
    Q(try_dot4),
    Q(try_dot4_small),
};
#endif

#else

#define WEBNN__STAMPED_TEST "tests/fast/fast_vocabulary.c"
#define WEBNN_IMPLEMENTATION
#include "test.h"

static uint64_t state = 88172645463325252u;

static int32_t bits_of(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float of_bits(int32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* ---- Plain C -----------------------------------------------------------------------------------
 */

/* Rounded, whatever the compiler likes to do with a sum of it. */
static float product(float a, float b) {
  volatile float y = a * b;
  return y;
}

/* i / 2^n, rounded down. */
static int64_t quotient(int32_t i, int n) {
  return (i - (int64_t)(U(i) & ((U(1) << n) - 1))) / ((int64_t)1 << n);
}

static int32_t int_of(float x) {
  return !(x > (float)INT32_MIN) ? INT32_MIN : (int32_t)rintf(x < TOP ? x : TOP);
}

static int32_t plain(int operation, test_lane x, bool fused) {
  switch (operation) {
#define FLOATS(name, lanes, expression)                                                            \
  case OPERATION_##name:                                                                           \
    return bits_of(expression);
#define INTEGERS(name, lanes, expression)                                                          \
  case OPERATION_##name:                                                                           \
    return expression;
    OPERATIONS(FLOATS, INTEGERS)
#undef FLOATS
#undef INTEGERS
  default:
    return 0;
  }
}

#define FLOATS(name, lanes, expression) {#name, true},
#define INTEGERS(name, lanes, expression) {#name, false},
static const struct {
  const char *name;
  bool is_float;
} operations[] = {OPERATIONS(FLOATS, INTEGERS)};
#undef FLOATS
#undef INTEGERS

/* The value of a float16: sign, five bits of exponent, ten of fraction. */
static float value_of_half(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double size = exponent == 31 ? fraction ? NAN : HUGE_VAL
                      : exponent > 0 ? ldexp(1024 + fraction, exponent - 25)
                                     : ldexp(fraction, -24);
  return (float)(half & 0x8000 ? -size : size);
}

/* Is it the float16 nearest to x, and the even one of two? The largest is 65504, the step there 32.
 */
static uint16_t half_of(float x) {
  const uint32_t sign = U(bits_of(x)) >> 16 & 0x8000;
  const double size = fabs((double)x);
  int exponent;
  double units;
  if (!(size < 65520)) {
    return (uint16_t)(sign | (isnan(x) ? 0x7e00 : 0x7c00));
  }
  (void)frexp(size, &exponent); /* size < 2^exponent */
  exponent = size == 0 || exponent < -13 ? -13 : exponent;
  units = rint(ldexp(size, 11 - exponent)); /* of 11 bits; 2^11 carries into the exponent */
  return (uint16_t)(sign | (uint32_t)((exponent + 13) * 1024 + (int)units));
}

/* ---- Operands ----------------------------------------------------------------------------------
 */

static const int32_t special[] = {
    0,          INT32_MIN,  1,          -1,         INT32_MAX,  /* NaNs, the smallest subnormal */
    0x007fffff, 0x00800000, 0x00800001, 0x7f7fffff, 0x7f800000, /* and largest, the normal ones */
    0x7fc00000, 0x7f800001, 0x3f800000, 0x3f800001, 0x3f7fffff, /* about 1 */
    0x3f000000, 0x3effffff, 0x3f000001, 0x3fc00000, 0x40200000, /* 0.5 1.5 2.5 */
    0x40600000, 0x4affffff, 0x4b000000, 0x4b000001, 0x4b7fffff, /* 3.5, about 2^23 and 2^24 */
    0x4a800001, 0x4affffff, 0x4b800000, 0x4effffff, 0x4f000000, /* and 2^31 */
    0x3e99999a, 0x40490fdb, 0x5f800000, 0x1f800000, 0x33800000, /* 0.3, pi, 2^64, 2^-64, 2^-24 */
};
enum { SPECIAL = 2 * (int)(sizeof special / sizeof *special) };

/* Special values of both signs, or random bits, a third of them near 1. */
static int32_t some_bits(size_t k) {
  if (k < SPECIAL) {
    return special[k / 2] ^ (k % 2 ? INT32_MIN : 0);
  } else {
    const uint64_t r = test_random(&state);
    const uint32_t bits = (uint32_t)(r >> 20);
    return INT_OF(r % 3 == 0 ? (bits & 0x80ffffff) | 0x3f000000 : bits);
  }
}

static test_lane some_lane(size_t k) {
  test_lane x;
  x.i = some_bits(k < SPECIAL * SPECIAL ? k / SPECIAL : SPECIAL);
  x.j = some_bits(k < SPECIAL * SPECIAL ? k % SPECIAL : SPECIAL);
  x.a = of_bits(x.i);
  x.b = of_bits(x.j);
  x.c = of_bits(some_bits((size_t)(test_random(&state) >> 33) % (2 * SPECIAL)));
  if (k % 7 == 0) { /* cancels */
    x.c = -product(x.a, x.b);
  }
  return x;
}

/* The scalar square root may be a unit off; NaNs are alike. */
static bool agrees(const vocabulary *v, int operation, int32_t y, int32_t expected) {
  if (y == expected) {
    return true;
  }
  if (!operations[operation].is_float) {
    return false;
  }
  if (isnan(of_bits(expected))) {
    return isnan(of_bits(y));
  }
  return operation == OPERATION_sqrt && v->width == 1 &&
         (U(y) - U(expected) == 1 || U(expected) - U(y) == 1);
}

/* ---- Lane by lane ------------------------------------------------------------------------------
 */

static void test_operation(const vocabulary *v, int operation) {
  size_t first, k, wrong = 0;
  test_lane x[MOST_LANES], bad;
  float a[MOST_LANES], b[MOST_LANES], c[MOST_LANES];
  int32_t i[MOST_LANES], j[MOST_LANES], y[MOST_LANES], got = 0;
  memset(&bad, 0, sizeof bad);
  for (first = 0; first < SPECIAL * SPECIAL + 20000; first += v->width) {
    for (k = 0; k < v->width; k++) {
      x[k] = some_lane(first + k);
      a[k] = x[k].a;
      b[k] = x[k].b;
      c[k] = x[k].c;
      i[k] = x[k].i;
      j[k] = x[k].j;
    }
    v->run(operation, a, b, c, i, j, y);
    for (k = 0; k < v->width; k++) {
      if (!agrees(v, operation, y[k], plain(operation, x[k], v->fused)) && wrong++ == 0) {
        bad = x[k];
        got = y[k];
      }
    }
  }
  CHECK(v->name, wrong == 0, "%s: %lu wrong, first of %08x %08x %08x: %08x, expected %08x",
        operations[operation].name, (unsigned long)wrong, U(bad.i), U(bad.j), U(bits_of(bad.c)),
        U(got), U(plain(operation, bad, v->fused)));
}

/* ---- Across lanes ------------------------------------------------------------------------------
 */

static void test_any(const vocabulary *v) {
  size_t set, k;
  bool right = true;
  for (set = 0; set < (size_t)1 << v->width; set++) {
    float a[MOST_LANES], b[MOST_LANES];
    for (k = 0; k < v->width; k++) {
      a[k] = (float)k;
      b[k] = (set >> k & 1) != 0 ? a[k] + 1 : k % 2 ? a[k] : NAN;
    }
    right = right && v->any_less(a, b) == (set != 0);
  }
  CHECK(v->name, right, "m_any");
}

static void test_folds(const vocabulary *v) {
  size_t round, k, half, wrong_sums = 0, wrong_tops = 0;
  for (round = 0; round < 20000; round++) {
    float a[MOST_LANES], s[MOST_LANES], top = -HUGE_VALF;
    for (k = 0; k < v->width; k++) {
      do {
        a[k] =
            of_bits(some_bits(round % 2 ? (size_t)(test_random(&state) >> 33) % SPECIAL : SPECIAL));
      } while (isnan(a[k]));
      s[k] = a[k];
      top = a[k] > top ? a[k] : top;
    }
    for (half = v->width / 2; half > 0; half /= 2) {
      for (k = 0; k < half; k++) {
        s[k] += s[k + half];
      }
    }
    wrong_sums += bits_of(v->sum(a)) != bits_of(s[0]) && !(isnan(v->sum(a)) && isnan(s[0]));
    wrong_tops += v->largest(a) != top; /* of two zeros either */
  }
  CHECK(v->name, wrong_sums == 0, "v_sum: %lu wrong", (unsigned long)wrong_sums);
  CHECK(v->name, wrong_tops == 0, "v_largest: %lu wrong", (unsigned long)wrong_tops);
}

/* In blocks of just n elements, whose ends the sanitizers watch, and with a mark behind. */
static void test_parts(const vocabulary *v) {
  size_t n, k;
  for (n = 0; n < v->width; n++) {
    float *block = (float *)test_allocate(n * sizeof *block), all[MOST_LANES], marked[MOST_LANES];
    bool right = true;
    for (k = 0; k < v->width; k++) {
      all[k] = (float)(k + 1);
      marked[k] = -5;
    }
    v->copy_part(block, all, n);
    v->copy_part(marked, all, n);
    for (k = 0; k < v->width; k++) {
      right = right && marked[k] == (k < n ? all[k] : -5) && (k >= n || block[k] == all[k]);
    }
    CHECK(v->name, right, "v_store_part of %lu", (unsigned long)n);
    v->spread_part(marked, block, n);
    for (k = 0, right = true; k < v->width; k++) {
      right = right && bits_of(marked[k]) == bits_of(k < n ? all[k] : 0);
    }
    CHECK(v->name, right, "v_load_part of %lu", (unsigned long)n);
    free(block);
  }
}

static void test_load_half(const vocabulary *v) {
  uint32_t h, k, wrong = 0;
  for (h = 0; h < 65536; h += (uint32_t)v->width) {
    uint16_t from[MOST_LANES];
    float y[MOST_LANES];
    for (k = 0; k < v->width; k++) {
      from[k] = (uint16_t)(h + k);
    }
    v->load_half(y, from);
    for (k = 0; k < v->width; k++) {
      const float expected = value_of_half(from[k]);
      wrong += bits_of(y[k]) != bits_of(expected) && !(isnan(y[k]) && isnan(expected));
    }
  }
  CHECK(v->name, wrong == 0, "v_load_half: %lu wrong", (unsigned long)wrong);
}

/* Every float16, every number between two of them, the floats about these, and others. */
static void test_store_half(const vocabulary *v) {
  uint32_t h, k, wrong = 0, near_by;
  float bad = 0;
  for (h = 0; h < 65536 * 4; h += (uint32_t)v->width) {
    for (near_by = 0; near_by < 3; near_by++) {
      float from[MOST_LANES];
      uint16_t y[MOST_LANES];
      for (k = 0; k < v->width; k++) {
        const uint32_t n = h + k, low = n / 4;
        const float x = value_of_half((uint16_t)low), next = value_of_half((uint16_t)(low + 1));
        from[k] = n % 4 == 0                                    ? x
                  : n % 4 == 1 && (low & 0x7fff) == 0x7bff      ? (low >> 15 ? -65520.0f : 65520.0f)
                  : n % 4 == 1 && isfinite(x) && isfinite(next) ? (x + next) / 2
                                                                : of_bits(some_bits(n / 4 % 400));
        if (near_by > 0 && isfinite(from[k])) {
          from[k] = of_bits(bits_of(from[k]) + (near_by == 1 ? 1 : (from[k] == 0 ? 0 : -1)));
        }
      }
      v->store_half(y, from);
      for (k = 0; k < v->width; k++) {
        const uint16_t expected = half_of(from[k]);
        if (isnan(from[k]) ? (y[k] & 0x7fff) <= 0x7c00 : y[k] != expected) {
          bad = wrong++ == 0 ? from[k] : bad;
        }
      }
    }
  }
  CHECK(v->name, wrong == 0, "v_store_half: %lu wrong, first %08x", (unsigned long)wrong,
        U(bits_of(bad)));
}

static void test_zip(const vocabulary *v, unsigned bits, bool high) {
  const size_t unit = bits / 8, half = 8 / unit; /* units of half 16 bytes */
  uint8_t i[DOT_BYTES], j[DOT_BYTES], y[DOT_BYTES], expected[DOT_BYTES];
  int32_t vi[MOST_LANES], vj[MOST_LANES], vy[MOST_LANES];
  size_t k, block;
  for (k = 0; k < DOT_BYTES; k++) {
    i[k] = (uint8_t)k;
    j[k] = (uint8_t)(128 + k);
  }
  for (block = 0; block < v->width * 4; block += 16) {
    for (k = 0; k < half; k++) {
      const size_t from = block + (k + (high ? half : 0)) * unit;
      memcpy(expected + block + 2 * k * unit, i + from, unit);
      memcpy(expected + block + (2 * k + 1) * unit, j + from, unit);
    }
  }
  memcpy(vi, i, sizeof i);
  memcpy(vj, j, sizeof j);
  v->zip(bits, high, vi, vj, vy);
  memcpy(y, vy, v->width * 4);
  CHECK(v->name, memcmp(y, expected, v->width * 4) == 0, "i_zip_%s of %u bits",
        high ? "high" : "low", bits);
}

static int32_t signed_byte(uint8_t byte) {
  return byte - (byte > 127 ? 256 : 0);
}

/* Quads of bytes whose pairs are x0, w0, x1, w1: in the first rounds all of them among extreme
   values, each in every lane and half, then any. Pairs of small weights are 128 in magnitude. */
static void make_quads(size_t round, bool small, uint8_t *x, uint8_t *w, size_t count) {
  enum { ENDS = 6, ALL = ENDS * ENDS * ENDS * ENDS };
  static const uint8_t ends[ENDS] = {0, 1, 127, 128, 129, 255};
  size_t k;
  for (k = 0; k < count; k++) {
    const uint32_t r = (uint32_t)(test_random(&state) >> 32);
    const size_t four = round < ALL ? (round + k / 2) % ALL : r % ALL;
    const size_t pair = k % 2 ? four / (ENDS * ENDS) : four % (ENDS * ENDS);
    const bool extreme = round < ALL || round % 2;
    x[k] = extreme ? ends[pair % ENDS] : (uint8_t)r;
    w[k] = extreme ? ends[pair / ENDS] : (uint8_t)(r >> 8);
    if (small && k % 2) {
      const int32_t before = signed_byte(w[k - 1]), rest = 128 - (before < 0 ? -before : before);
      w[k] = (uint8_t)(w[k] > 127 || rest == 128 ? -rest : rest);
    }
  }
}

/* x is unsigned, for NEON signed; w is signed. AVX2 takes from x unless weights are small, relaxed
   SIMD always, and has no weight of -128. */
static void test_dot4(const vocabulary *v, bool small) {
  const bool is_signed = strncmp(v->name, "neon", 4) == 0;
  const bool relaxed = strcmp(v->name, "wasm_dot4") == 0;
  const bool takes = (strcmp(v->name, "avx2") == 0 && !small) || relaxed;
  size_t round, k, n, wrong = 0;
  for (round = 0; round < 20000; round++) {
    uint8_t x[DOT_BYTES], w[DOT_BYTES];
    int32_t s[MOST_LANES], vx[MOST_LANES], vw[MOST_LANES], y[MOST_LANES];
    make_quads(round, small, x, w, 4 * v->width);
    for (k = 0; k < 4 * v->width && relaxed; k++) {
      w[k] = w[k] == 128 ? 129 : w[k];
    }
    for (k = 0; k < v->width; k++) {
      s[k] = (int32_t)(test_random(&state) >> 34) - (1 << 29);
    }
    memcpy(vx, x, 4 * v->width);
    memcpy(vw, w, 4 * v->width);
    (small ? v->dot4_small : v->dot4)(s, vx, vw, y);
    for (k = 0; k < v->width; k++) {
      int32_t expected = s[k];
      for (n = 4 * k; n < 4 * k + 4; n++) {
        const int32_t less = takes ? (w[n] > 127 ? 127 : 128) : 0;
        expected += ((is_signed ? signed_byte(x[n]) : x[n]) - less) * signed_byte(w[n]);
      }
      wrong += y[k] != expected;
    }
  }
  CHECK(v->name, wrong == 0, "i_dot4%s: %lu wrong", small ? "_small" : "", (unsigned long)wrong);
}

static void test_vocabulary(const vocabulary *v) {
  unsigned bits;
  int operation;
  for (operation = 0; operation < OPERATION_COUNT; operation++) {
    test_operation(v, operation);
  }
  test_any(v);
  test_folds(v);
  test_load_half(v);
  test_store_half(v);
  test_dot4(v, false);
  test_dot4(v, true);
  if (v->width > 1) {
    test_parts(v);
    for (bits = 8; bits <= 64; bits *= 2) {
      test_zip(v, bits, false);
      test_zip(v, bits, true);
    }
  }
}

/* The dot products of the second stamp of a set, if they are chosen here. */
#define test_second(name, set)                                                                     \
  test_second_dot4(webnn__kernels_of(set) == &webnn__##name##_dot4_kernels,                        \
                   &webnn__##name##_vocabulary, #name "_dot4", webnn__##name##_dot4_try_dot4,      \
                   webnn__##name##_dot4_try_dot4_small)

typedef void dot4_function(const int32_t *s, const int32_t *x, const int32_t *w, int32_t *to);

static void test_second_dot4(bool chosen, const vocabulary *first, const char *name,
                             dot4_function *dot4, dot4_function *dot4_small) {
  vocabulary second = *first;
  second.name = name;
  second.dot4 = dot4;
  second.dot4_small = dot4_small;
  if (!chosen) {
    test_skip(name, "not on this machine");
    return;
  }
  test_dot4(&second, false);
  test_dot4(&second, true);
}

#ifdef WEBNN__HAS_RELAXED_SIMD
/* The engine decides whether it fuses: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, or 0. */
static void test_relaxed_simd(void) {
  vocabulary v = webnn__wasm_vocabulary;
  const float a[4] = {1.000244140625f, 0, 0, 0}, c[4] = {-1.00048828125f, 0, 0, 0};
  const int32_t i[4] = {0, 0, 0, 0};
  int32_t y[4];
  v.run(OPERATION_fma, a, a, c, i, i, y);
  v.fused = y[0] != 0;
  printf("wasm: relaxed SIMD, %s\n", v.fused ? "fused" : "not fused");
  test_vocabulary(&v);
  test_second(wasm, WEBNN_ISA_WASM_SIMD);
}
#endif

int main(void) {
  test_vocabulary(&webnn__scalar_vocabulary);
#if (WEBNN__SETS & WEBNN_WITH_NEON) != 0
  test_vocabulary(&webnn__neon_vocabulary);
#endif
#ifdef WEBNN__HAS_RELAXED_SIMD
  test_relaxed_simd();
#elif (WEBNN__SETS & WEBNN_WITH_WASM_SIMD) != 0
  test_vocabulary(&webnn__wasm_vocabulary);
#endif
#ifdef WEBNN__X86
  test_vocabulary(&webnn__sse2_vocabulary);
  if (webnn__kernels_of(WEBNN_ISA_AVX2) != NULL) {
    test_vocabulary(&webnn__avx2_vocabulary);
  } else {
    test_skip("avx2", "not on this machine");
  }
  if (webnn__kernels_of(WEBNN_ISA_AVX512) != NULL) {
    test_vocabulary(&webnn__avx512_vocabulary);
  } else {
    test_skip("avx512", "not on this machine");
  }
#endif
#if (WEBNN__DOT4_SETS & WEBNN_WITH_AVX2) != 0
  test_second(avx2, WEBNN_ISA_AVX2);
#endif
#if (WEBNN__DOT4_SETS & WEBNN_WITH_AVX512) != 0
  test_second(avx512, WEBNN_ISA_AVX512);
#endif
#if (WEBNN__DOT4_SETS & WEBNN_WITH_NEON) != 0
  test_second_dot4(webnn__arm_has_dot4(), &webnn__neon_vocabulary, "neon_dot4",
                   webnn__neon_dot4_try_dot4, webnn__neon_dot4_try_dot4_small);
#endif
  return test_end();
}
#endif
