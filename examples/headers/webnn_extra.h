/* webnn_extra.h - what WebNN lacks, of its operators - MIT No Attribution (at the end of webnn.h)
   SPDX-License-Identifier: MIT-0

   Functions over a builder: inverse and hyperbolic functions, log1p, expm1, erfc, lgamma,
   remainders, bits of integers, floats of 16, 8 and 4 bits in float32, integers of fewer bits in
   wider ones. webnn_onnx.h and webnn_xla.h include this header: copy it with them. All functions
   are static, so there is no implementation macro to define. Programs that build graphs can use
   this header on its own:

       webnn_extra e = {builder, "angle"};
       webnn_operand *y = webnn_extra_atan(e, x);

   Operands are float32 unless stated otherwise. As with the methods of webnn.h, a function returns
   NULL if an operand is NULL; the builder has the error. Functions are within 4 units in
   the last place of float32 (lgamma and digamma below 0: of their largest term), and zeros keep
   their sign. Rounding, remainders and integers are exact. */
#ifndef WEBNN_EXTRA_H
#define WEBNN_EXTRA_H

#include "webnn.h"

#include <stdio.h> /* defines __MINGW_PRINTF_FORMAT */
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define WEBNN_EXTRA_API static __attribute__((unused))
#else
#define WEBNN_EXTRA_API static inline
#endif

/* The compiler checks a message's arguments: argument `text` is the format, those from `first`
   on are shown. */
#if defined(__MINGW_PRINTF_FORMAT)
#define WEBNN_EXTRA__PRINTF(text, first) __attribute__((format(__MINGW_PRINTF_FORMAT, text, first)))
#elif defined(__GNUC__) || defined(__clang__)
#define WEBNN_EXTRA__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define WEBNN_EXTRA__PRINTF(text, first)
#endif

/* ---- Memory that is freed all at once -------------------------------------------------------- */

typedef struct webnn_extra__block {
  struct webnn_extra__block *next;
  size_t used, size;
  uint64_t align_;
} webnn_extra__block;

typedef struct webnn_extra__arena {
  webnn_extra__block *blocks;
} webnn_extra__arena;

/* `count` elements of `size` bytes, zero; NULL without memory. */
WEBNN_EXTRA_API void *webnn_extra__take(webnn_extra__arena *arena, size_t count, size_t size) {
  webnn_extra__block *block = arena->blocks;
  size_t bytes, capacity = 16384;
  if (size != 0 && count > (SIZE_MAX - 65536) / size) {
    return NULL;
  }
  bytes = (count * size + 15) / 16 * 16;
  if (block == NULL || block->size - block->used < bytes) {
    capacity = bytes > capacity / 2 ? bytes : capacity;
    block = (webnn_extra__block *)calloc(1, sizeof *block + capacity);
    if (block == NULL) {
      return NULL;
    }
    block->size = capacity;
    /* A block for one large piece goes behind the one that still has room. */
    if (arena->blocks != NULL && capacity == bytes) {
      block->next = arena->blocks->next;
      arena->blocks->next = block;
    } else {
      block->next = arena->blocks;
      arena->blocks = block;
    }
  }
  block->used += bytes;
  return (char *)(block + 1) + block->used - bytes;
}

WEBNN_EXTRA_API void webnn_extra__free_arena(webnn_extra__arena *arena) {
  while (arena->blocks != NULL) {
    webnn_extra__block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
}

/* `size` bytes and a zero after them. */
WEBNN_EXTRA_API void *webnn_extra__copied(webnn_extra__arena *arena, const void *data,
                                          size_t size) {
  void *copy = size < SIZE_MAX ? webnn_extra__take(arena, size + 1, 1) : NULL;
  if (copy != NULL && size != 0) {
    memcpy(copy, data, size);
  }
  return copy;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Lists that are built item by item. */
WEBNN_EXTRA_API webnn_list webnn_extra__no_items(void) {
  webnn_list list = WEBNN_ZERO;
  list.given = true;
  return list;
}

/* One with more than WEBNN_MAX_RANK items counts them, and webnn.h refuses it. */
WEBNN_EXTRA_API void webnn_extra__append(webnn_list *list, uint32_t item) {
  if (list->count < WEBNN_MAX_RANK) {
    list->items[list->count] = item;
  }
  list->count++;
}

WEBNN_EXTRA_API webnn_list webnn_extra__repeat(uint32_t item, uint32_t count) {
  webnn_list list = webnn_extra__no_items();
  while (list.count < count && list.count < WEBNN_MAX_RANK) {
    webnn_extra__append(&list, item);
  }
  list.count = count;
  return list;
}

WEBNN_EXTRA_API webnn_list webnn_extra__list1(uint64_t a) {
  return webnn_extra__repeat((uint32_t)a, 1);
}

WEBNN_EXTRA_API webnn_list webnn_extra__list2(uint64_t a, uint64_t b) {
  webnn_list list = webnn_extra__list1(a);
  webnn_extra__append(&list, (uint32_t)b);
  return list;
}

WEBNN_EXTRA_API webnn_list webnn_extra__list3(uint64_t a, uint64_t b, uint64_t c) {
  webnn_list list = webnn_extra__list2(a, b);
  webnn_extra__append(&list, (uint32_t)c);
  return list;
}

WEBNN_EXTRA_API webnn_list webnn_extra__list4(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  webnn_list list = webnn_extra__list3(a, b, c);
  webnn_extra__append(&list, (uint32_t)d);
  return list;
}

WEBNN_EXTRA_API bool webnn_extra__same_list(webnn_list a, webnn_list b) {
  return a.count == b.count && a.count <= WEBNN_MAX_RANK &&
         memcmp(a.items, b.items, a.count * sizeof a.items[0]) == 0;
}

/* The product of items from `begin` to before `end`. */
WEBNN_EXTRA_API uint64_t webnn_extra__product(webnn_list list, uint32_t begin, uint32_t end) {
  uint64_t product = 1;
  for (; begin < end && begin < list.count && begin < WEBNN_MAX_RANK; begin++) {
    product *= list.items[begin];
  }
  return product;
}

/* The list with an item put in, or taken out. */
WEBNN_EXTRA_API webnn_list webnn_extra__inserted(webnn_list list, uint32_t at, uint32_t item) {
  uint32_t i;
  if (list.count >= WEBNN_MAX_RANK) {
    list.count = WEBNN_MAX_RANK + 1;
    return list;
  }
  for (i = list.count; i > at; i--) {
    list.items[i] = list.items[i - 1];
  }
  list.items[at] = item;
  list.count++;
  return list;
}

WEBNN_EXTRA_API webnn_list webnn_extra__removed(webnn_list list, uint32_t at) {
  for (; at + 1 < list.count; at++) {
    list.items[at] = list.items[at + 1];
  }
  list.count--;
  return list;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

WEBNN_EXTRA_API double webnn_extra__infinity(void) {
  const uint64_t bits = (uint64_t)0x7FF << 52;
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

/* 2^n, of a float32's n. */
WEBNN_EXTRA_API double webnn_extra__power_of_two(int n) {
  double power = 1;
  for (; n > 0; n--) {
    power *= 2;
  }
  for (; n < 0; n++) {
    power /= 2;
  }
  return power;
}

/* ---- Operators, as in a formula -------------------------------------------------------------- */

/* Where operators go, and their label. */
typedef struct webnn_extra {
  webnn_builder *builder;
  const char *label;
} webnn_extra;

typedef webnn_operand *(*webnn_extra__method1)(webnn_builder *, webnn_operand *,
                                               const webnn_operator_options *);
typedef webnn_operand *(*webnn_extra__method2)(webnn_builder *, webnn_operand *, webnn_operand *,
                                               const webnn_operator_options *);

WEBNN_EXTRA_API webnn_operator_options webnn_extra__options(webnn_extra e) {
  webnn_operator_options options = WEBNN_ZERO;
  options.label = e.label;
  return options;
}

WEBNN_EXTRA_API webnn_operand *webnn_extra__1(webnn_extra e, webnn_extra__method1 method,
                                              webnn_operand *x) {
  const webnn_operator_options o = webnn_extra__options(e);
  return method(e.builder, x, &o);
}

WEBNN_EXTRA_API webnn_operand *webnn_extra__2(webnn_extra e, webnn_extra__method2 method,
                                              webnn_operand *x, webnn_operand *y) {
  const webnn_operator_options o = webnn_extra__options(e);
  return method(e.builder, x, y, &o);
}

#define WEBNN_EXTRA__BINARY(name)                                                                  \
  WEBNN_EXTRA_API webnn_operand *webnn_extra__##name(webnn_extra e, webnn_operand *x,              \
                                                     webnn_operand *y) {                           \
    return webnn_extra__2(e, webnn_##name, x, y);                                                  \
  }
WEBNN_EXTRA__BINARY(add)
WEBNN_EXTRA__BINARY(sub)
WEBNN_EXTRA__BINARY(mul)
WEBNN_EXTRA__BINARY(div)
WEBNN_EXTRA__BINARY(max)
WEBNN_EXTRA__BINARY(min)
#undef WEBNN_EXTRA__BINARY

WEBNN_EXTRA_API webnn_operand *webnn_extra__select(webnn_extra e, webnn_operand *condition,
                                                   webnn_operand *x, webnn_operand *y) {
  const webnn_operator_options o = webnn_extra__options(e);
  return webnn_where(e.builder, condition, x, y, &o);
}

WEBNN_EXTRA_API webnn_operand *webnn_extra__cast(webnn_extra e, webnn_operand *x,
                                                 webnn_data_type type) {
  const webnn_operator_options o = webnn_extra__options(e);
  return webnn_operand_data_type(x) == type ? x : webnn_cast(e.builder, x, type, &o);
}

WEBNN_EXTRA_API webnn_operand *webnn_extra__reshape(webnn_extra e, webnn_operand *x,
                                                    webnn_list shape) {
  const webnn_operator_options o = webnn_extra__options(e);
  return webnn_reshape(e.builder, x, shape, &o);
}

WEBNN_EXTRA_API bool webnn_extra__floating(const webnn_operand *x) {
  const webnn_data_type type = webnn_operand_data_type(x);
  return type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16;
}

/* A scalar of that type. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__number(webnn_extra e, webnn_data_type type,
                                                   double value) {
  const bool floating = type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16;
  if (!floating) { /* so that the conversion is defined; the type's bounds are within */
    value = value >= 9e18 ? 9e18 : value <= -9e18 ? -9e18 : value;
  }
  return webnn_constant_from_number(e.builder, type,
                                    floating ? webnn_f64(value) : webnn_i64((int64_t)value));
}

/* A scalar of x's type, and one of float32. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__like(webnn_extra e, webnn_operand *x, double value) {
  return webnn_extra__number(e, webnn_operand_data_type(x), value);
}

WEBNN_EXTRA_API webnn_operand *webnn_extra__f32(webnn_extra e, double value) {
  return webnn_extra__number(e, WEBNN_FLOAT32, value);
}

/* x op number */
WEBNN_EXTRA_API webnn_operand *webnn_extra__by(webnn_extra e, webnn_extra__method2 method,
                                               webnn_operand *x, double number) {
  return webnn_extra__2(e, method, x, webnn_extra__like(e, x, number));
}

WEBNN_EXTRA_API webnn_operand *webnn_extra__scaled(webnn_extra e, webnn_operand *x, double factor) {
  return factor == 1 ? x : webnn_extra__by(e, webnn_mul, x, factor);
}

/* ---- Rounding to fewer bits ------------------------------------------------------------------ */

/* x rounded to m < 23 bits behind the point of 1.xxx, to nearest, ties to even, for normal numbers.
   With s = 23 - m and t = 2^s x + x, t - (t - x) is that (Veltkamp's splitting; checked for all
   mantissas and all m). 2^s x is exact: whether the product and the sum are fused does not matter.
   From 2^100 on x is made smaller by 2^24 meanwhile, so that t does not overflow. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__round_mantissa(webnn_extra e, webnn_operand *x,
                                                           webnn_operand *magnitude, uint32_t m) {
  webnn_operand *large =
      webnn_extra__by(e, webnn_greater_or_equal, magnitude, webnn_extra__power_of_two(100));
  webnn_operand *one = webnn_extra__f32(e, 1), *v, *t;
  v = webnn_extra__mul(
      e, x,
      webnn_extra__select(e, large, webnn_extra__f32(e, webnn_extra__power_of_two(-24)), one));
  t = webnn_extra__add(
      e, webnn_extra__mul(e, v, webnn_extra__f32(e, webnn_extra__power_of_two(23 - (int)m))), v);
  v = webnn_extra__sub(e, t, webnn_extra__sub(e, t, v));
  return webnn_extra__mul(
      e, v, webnn_extra__select(e, large, webnn_extra__f32(e, webnn_extra__power_of_two(24)), one));
}

/* x rounded to a multiple of 2^-n for n of 24 to 149: numbers below the normal ones, which have a
   fixed point. 2^n is no float32 where n > 127. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__round_fixed(webnn_extra e, webnn_operand *x, int n) {
  const int first = n > 100 ? 100 : n;
  x = webnn_extra__mul(e, x, webnn_extra__f32(e, webnn_extra__power_of_two(first)));
  x = webnn_extra__mul(e, x, webnn_extra__f32(e, webnn_extra__power_of_two(n - first)));
  x = webnn_extra__1(e, webnn_round_even, x);
  x = webnn_extra__mul(e, x, webnn_extra__f32(e, webnn_extra__power_of_two(first - n)));
  return webnn_extra__mul(e, x, webnn_extra__f32(e, webnn_extra__power_of_two(-first)));
}

/* A float32 of which m bits behind the point are kept, as if its format had them; `least` is the
   exponent of the format's smallest normal number. Infinities and NaN stay. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_round_bits(webnn_extra e, webnn_operand *x, uint32_t m,
                                                      int least) {
  webnn_operand *magnitude = webnn_extra__1(e, webnn_abs, x), *y, *small;
  y = webnn_extra__round_mantissa(e, x, magnitude, m);
  small = webnn_extra__round_fixed(e, x, (int)m - least);
  y = webnn_extra__select(
      e, webnn_extra__by(e, webnn_lesser, magnitude, webnn_extra__power_of_two(least)), small, y);
  return webnn_extra__select(
      e, webnn_extra__by(e, webnn_lesser, magnitude, webnn_extra__infinity()), y, x);
}

/* x cut to a multiple of 2^k, and 2^(k - 1) more, away from zero, if that has left anything out: it
   is on the same side of everything that has fewer bits. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__sticky(webnn_extra e, webnn_operand *x, int k) {
  webnn_operand *power = webnn_extra__like(e, x, webnn_extra__power_of_two(k));
  webnn_operand *half = webnn_extra__like(e, x, webnn_extra__power_of_two(k - 1));
  webnn_operand *zero = webnn_extra__like(e, x, 0), *cut, *rest;
  cut = webnn_extra__mul(e, webnn_extra__div(e, x, power), power);
  rest = webnn_extra__sub(e, x, cut);
  rest = webnn_extra__select(e, webnn_extra__2(e, webnn_greater, rest, zero), half,
                             webnn_extra__select(e, webnn_extra__2(e, webnn_lesser, rest, zero),
                                                 webnn_extra__sub(e, zero, half), zero));
  return webnn_extra__add(e, cut, rest);
}

/* Integers of more than 24 bits would be rounded twice on their way through float32 to bfloat16.
   Of a number of 2^24 or more the lowest 15 bits are below half a unit of bfloat16, and only
   matter as a whole; from 2^38 on 29 bits, from 2^52 on 43. Without them float32 has room for
   the others. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_before_bfloat16(webnn_extra e, webnn_operand *x,
                                                           uint32_t bits, bool is_signed) {
  webnn_operand *y = x;
  int from, cut = 15;
  for (from = 24; from < (int)bits; from += 14, cut += 14) {
    const double limit = webnn_extra__power_of_two(from);
    webnn_operand *large = webnn_extra__by(e, webnn_greater_or_equal, x, limit);
    if (is_signed) {
      large = webnn_extra__2(e, webnn_logical_or, large,
                             webnn_extra__by(e, webnn_lesser_or_equal, x, -limit));
    }
    y = webnn_extra__select(e, large, webnn_extra__sticky(e, x, cut), y);
  }
  return y;
}

/* float32 rounded to the numbers of bfloat16. Double rounding does no harm: a sum, difference,
   product, quotient or square root of bfloat16 numbers, which have 8 bits, rounded to float32's
   24 and then to 8 is that rounded to 8 at once, since 24 >= 2 * 8 + 2. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_to_bfloat16(webnn_extra e, webnn_operand *x) {
  return webnn_extra_round_bits(e, x, 7, -126);
}

/* Floats of 8 and 4 bits, which are a sign, an exponent and a fraction; without a fraction an
   exponent only. */
typedef struct webnn_extra_minifloat {
  uint32_t bits, fraction; /* of all, and of the fraction */
  int bias;
  uint32_t infinity; /* its code without the sign; 0: none */
  uint32_t nan;      /* the first code of NaN; 0: none */
  double most;       /* the largest finite number */
} webnn_extra_minifloat;

/* Types whose NaN is a zero with a sign have no such zero. */
WEBNN_EXTRA_API bool webnn_extra_has_one_zero(const webnn_extra_minifloat *f) {
  return f->nan == 0x80;
}

/* What comes of numbers beyond the largest one, with the sign of x. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__beyond(webnn_extra e, webnn_operand *x,
                                                   const webnn_extra_minifloat *f, bool saturate) {
  const double infinity = webnn_extra__infinity();
  const double most = saturate || f->nan == 0 ? f->most
                      : f->infinity != 0      ? infinity
                                              : infinity - infinity;
  return webnn_extra__select(e, webnn_extra__2(e, webnn_lesser, x, webnn_extra__like(e, x, 0)),
                             webnn_extra__like(e, x, -most), webnn_extra__like(e, x, most));
}

/* Rounds float32 to a float of 8 or 4 bits. What is beyond the largest number becomes that one with
   `saturate`, or where the format has no NaN; else infinity or NaN. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_to_minifloat(webnn_extra e, webnn_operand *x,
                                                        const webnn_extra_minifloat *f,
                                                        bool saturate) {
  webnn_operand *zero = webnn_extra__like(e, x, 0),
                *y = webnn_extra_round_bits(e, x, f->fraction, 1 - f->bias);
  y = webnn_extra__select(e,
                          webnn_extra__2(e, webnn_lesser, webnn_extra__like(e, x, f->most),
                                         webnn_extra__1(e, webnn_abs, y)),
                          webnn_extra__beyond(e, x, f, saturate), y);
  if (webnn_extra_has_one_zero(f)) {
    y = webnn_extra__select(e, webnn_extra__2(e, webnn_equal, y, zero), zero, y);
  }
  if (f->nan == 0) {
    y = webnn_extra__select(e, webnn_extra__1(e, webnn_is_nan, x), webnn_extra__like(e, x, f->most),
                            y);
  }
  return y;
}

/* Rounds float32 to a power of two: up (direction 1), down (-1), or to nearest, ties up (0).
   Very large and very small numbers are brought near 1 before. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_to_power_of_two(webnn_extra e, webnn_operand *x,
                                                           const webnn_extra_minifloat *f,
                                                           bool saturate, int direction) {
  const double scale = 1099511627776.0, least = webnn_extra__power_of_two(-f->bias);
  webnn_operand *large = webnn_extra__2(e, webnn_lesser, webnn_extra__like(e, x, 1e18), x);
  webnn_operand *factor = webnn_extra__select(e, large, webnn_extra__like(e, x, 1 / scale),
                                              webnn_extra__like(e, x, scale));
  webnn_operand *back = webnn_extra__select(e, large, webnn_extra__like(e, x, scale),
                                            webnn_extra__like(e, x, 1 / scale));
  webnn_operand *moved = webnn_extra__mul(e, x, factor),
                *y = webnn_extra__round_mantissa(e, moved, moved, 0), *nan;
  webnn_operand *none = webnn_extra__like(e, x, webnn_extra__infinity() - webnn_extra__infinity());
  if (direction > 0) {
    y = webnn_extra__select(e, webnn_extra__2(e, webnn_lesser, y, moved),
                            webnn_extra__scaled(e, y, 2), y);
  } else if (direction < 0) {
    y = webnn_extra__select(e, webnn_extra__2(e, webnn_lesser, moved, y),
                            webnn_extra__scaled(e, y, 0.5), y);
  }
  y = webnn_extra__mul(e, y, back);
  y = webnn_extra__select(
      e, webnn_extra__2(e, webnn_equal, x, webnn_extra__like(e, x, webnn_extra__infinity())), x, y);
  nan = webnn_extra__1(e, webnn_is_nan, x);
  if (!saturate) {
    nan = webnn_extra__2(e, webnn_logical_or, nan,
                         webnn_extra__2(e, webnn_lesser, y, webnn_extra__like(e, x, least)));
    nan = webnn_extra__2(e, webnn_logical_or, nan,
                         webnn_extra__2(e, webnn_lesser, webnn_extra__like(e, x, f->most), y));
  }
  y = webnn_extra__min(e, webnn_extra__max(e, y, webnn_extra__like(e, x, least)),
                       webnn_extra__like(e, x, f->most));
  return webnn_extra__select(e, nan, none, y);
}

/* ---- Integers -------------------------------------------------------------------------------- */

/* Numbers as the lowest `bits` of their integers, up to 16: floats are rounded to even before,
   and infinities and NaN are 0. `count`, a power of two, divides exactly in integers and in
   floats. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_low_bits(webnn_extra e, webnn_operand *x, uint32_t bits,
                                                    bool is_signed) {
  const bool floating = webnn_extra__floating(x);
  const double count = (double)(1u << bits);
  webnn_operand *whole, *quotient, *rest, *wrong;
  whole = floating ? webnn_extra__1(e, webnn_round_even, x) : webnn_extra__cast(e, x, WEBNN_INT64);
  quotient = webnn_extra__div(e, whole, webnn_extra__like(e, whole, count));
  quotient = floating ? webnn_extra__1(e, webnn_floor, quotient) : quotient;
  rest = webnn_extra__sub(e, whole, webnn_extra__scaled(e, quotient, count));
  if (floating) {
    wrong = webnn_extra__2(e, webnn_lesser, webnn_extra__1(e, webnn_abs, x),
                           webnn_extra__like(e, x, webnn_extra__infinity()));
    rest = webnn_extra__select(e, wrong, rest, webnn_extra__like(e, rest, 0));
  } else { /* quotients of integers are cut towards zero */
    wrong = webnn_extra__2(e, webnn_lesser, rest, webnn_extra__like(e, rest, 0));
    rest = webnn_extra__select(e, wrong, webnn_extra__by(e, webnn_add, rest, count), rest);
  }
  if (is_signed) {
    wrong = webnn_extra__2(e, webnn_lesser, rest, webnn_extra__like(e, rest, count / 2));
    rest = webnn_extra__select(e, wrong, rest, webnn_extra__by(e, webnn_add, rest, -count));
  }
  return rest;
}

/* 4-bit integers as float32, which only dequantizing makes of them. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_widened(webnn_extra e, webnn_operand *x) {
  const webnn_data_type type = webnn_operand_data_type(x);
  const webnn_operator_options o = webnn_extra__options(e);
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  const uint8_t zero[1] = {0};
  webnn_operand *one, *none;
  if (x == NULL || webnn_data_type_bits(type) >= 8) {
    return x;
  }
  descriptor.shape = webnn_extra__repeat(1, webnn_operand_shape(x).count);
  descriptor.data_type = type;
  none = webnn_constant(e.builder, descriptor, zero, 1);
  one = webnn_extra__number(e, WEBNN_FLOAT32, 1);
  one = webnn_expand(e.builder, one, descriptor.shape, &o);
  return webnn_dequantize_linear(e.builder, x, one, none, &o);
}

/* Whole numbers within the bounds of a 4-bit type as that type, which only quantizing makes. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_narrowed(webnn_extra e, webnn_operand *x,
                                                    webnn_data_type type) {
  const webnn_operator_options o = webnn_extra__options(e);
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  const uint8_t zero[1] = {0};
  webnn_operand *one, *none;
  x = webnn_extra__cast(e, x, WEBNN_FLOAT32);
  descriptor.shape = webnn_extra__repeat(1, webnn_operand_shape(x).count);
  descriptor.data_type = type;
  none = webnn_constant(e.builder, descriptor, zero, 1);
  one = webnn_expand(e.builder, webnn_extra__number(e, WEBNN_FLOAT32, 1), descriptor.shape, &o);
  return webnn_quantize_linear(e.builder, x, one, none, &o);
}

/* x without its bits above the lowest `bits`, of integers that 32 bits hold: multiplied by
   2^(32 - bits), what is too much is lost at the top, and the quotient by the same brings the sign
   back. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_wrapped(webnn_extra e, webnn_operand *x, uint32_t bits) {
  webnn_operand *power = webnn_extra__like(e, x, webnn_extra__power_of_two(32 - (int)bits));
  return webnn_extra__div(e, webnn_extra__mul(e, x, power), power);
}

/* Bits as a dimension of their own, the last one, which WebNN's integers of 8 to 64 bits are
   taken apart into. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__bits_of(webnn_extra e, webnn_operand *x,
                                                    webnn_operand *powers) {
  const webnn_list shape = webnn_operand_shape(x);
  webnn_operand *two = webnn_extra__like(e, powers, 2), *half;
  x = webnn_extra__cast(e, x, webnn_operand_data_type(powers));
  x = webnn_extra__reshape(e, x, webnn_extra__inserted(shape, shape.count, 1));
  x = webnn_extra__div(e, x, powers);
  half = webnn_extra__mul(e, webnn_extra__div(e, x, two), two);
  return webnn_extra__sub(e, x, half);
}

/* The powers of 2 that bits stand for. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__powers(webnn_extra e, uint32_t bits) {
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  uint64_t items[64];
  uint32_t i, words[64];
  for (i = 0; i < bits && i < 64; i++) {
    items[i] = (uint64_t)1 << i;
    words[i] = i < 32 ? (uint32_t)1 << i : 0;
  }
  descriptor.data_type = bits == 64 ? WEBNN_UINT64 : WEBNN_UINT32;
  descriptor.shape = webnn_extra__list1(bits);
  return webnn_constant(e.builder, descriptor,
                        bits == 64 ? (const void *)items : (const void *)words,
                        bits * (size_t)(bits == 64 ? 8 : 4));
}

typedef enum webnn_extra_bitwise {
  WEBNN_EXTRA_AND,
  WEBNN_EXTRA_OR,
  WEBNN_EXTRA_XOR
} webnn_extra_bitwise;

/* And, or, exclusive or of integers of 8 to 64 bits with fewer than WEBNN_MAX_RANK dimensions:
   the least, the largest and the difference of bits. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_bits(webnn_extra e, webnn_extra_bitwise op,
                                                webnn_operand *x, webnn_operand *y) {
  const webnn_data_type type = webnn_operand_data_type(x);
  webnn_operand *powers = webnn_extra__powers(e, (uint32_t)webnn_data_type_bits(type)), *z;
  webnn_reduce_options o = WEBNN_ZERO;
  x = webnn_extra__bits_of(e, x, powers);
  y = webnn_extra__bits_of(e, y, powers);
  z = op == WEBNN_EXTRA_AND ? webnn_extra__min(e, x, y) : webnn_extra__max(e, x, y);
  z = op == WEBNN_EXTRA_XOR ? webnn_extra__sub(e, z, webnn_extra__min(e, x, y)) : z;
  z = webnn_extra__mul(e, z, powers);
  o.label = e.label;
  o.axes = webnn_extra__list1((uint64_t)webnn_operand_shape(z).count - 1);
  return webnn_extra__cast(e, webnn_reduce_sum(e.builder, z, &o), type);
}

/* All bits the other way: -x - 1. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_not(webnn_extra e, webnn_operand *x) {
  x = webnn_extra__sub(e, webnn_extra__like(e, x, 0), x);
  return webnn_extra__sub(e, x, webnn_extra__like(e, x, 1));
}

/* x shifted by y bits. Bits shifted out are lost: products wrap, and 2 to the number of bits is
   0, by which quotients are 0. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_shift(webnn_extra e, webnn_operand *x, webnn_operand *y,
                                                 bool left) {
  y = webnn_extra__2(e, webnn_pow, webnn_extra__like(e, y, 2), y);
  return left ? webnn_extra__mul(e, x, y) : webnn_extra__div(e, x, y);
}

/* ---- Functions of one float, written in float32 ---------------------------------------------- */

/* y with a correction: r = |x| / y / y - y is 3 (the root - y), to first order. 0 and infinity,
   where r is NaN, have no need of it. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_cbrt(webnn_extra e, webnn_operand *x) {
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *y, *r;
  y = webnn_extra__2(e, webnn_pow, a, webnn_extra__f32(e, 1.0 / 3));
  r = webnn_extra__sub(e, webnn_extra__div(e, webnn_extra__div(e, a, y), y), y);
  r = webnn_extra__select(
      e, webnn_extra__2(e, webnn_equal, r, r),
      webnn_extra__add(e, y, webnn_extra__mul(e, r, webnn_extra__f32(e, 1.0 / 3))), y);
  r = webnn_extra__mul(e, r, webnn_extra__1(e, webnn_sign, x));
  return webnn_extra__select(e, webnn_extra__by(e, webnn_greater, a, 0), r, x);
}

/* With u = e^x, rounded, (u - 1) x / ln u is as good as u and ln u are: the error of u is in both.
   Where u is 1 it is x; and beyond 1/2 nothing is lost in u - 1. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_expm1(webnn_extra e, webnn_operand *x) {
  webnn_operand *u = webnn_extra__1(e, webnn_exp, x);
  webnn_operand *y = webnn_extra__sub(e, u, webnn_extra__f32(e, 1)), *inner;
  inner = webnn_extra__div(e, x, webnn_extra__1(e, webnn_log, u));
  inner = webnn_extra__select(e, webnn_extra__by(e, webnn_equal, u, 1), x,
                              webnn_extra__mul(e, y, inner));
  return webnn_extra__select(
      e, webnn_extra__by(e, webnn_lesser, webnn_extra__1(e, webnn_abs, x), 0.5), inner, y);
}

/* With u = 1 + x, rounded, ln u x / (u - 1), where u - 1 is exact; and ln u beyond 1/2. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_log1p(webnn_extra e, webnn_operand *x) {
  webnn_operand *u = webnn_extra__add(e, x, webnn_extra__f32(e, 1)), *y, *inner;
  y = webnn_extra__1(e, webnn_log, u);
  inner = webnn_extra__div(e, x, webnn_extra__sub(e, u, webnn_extra__f32(e, 1)));
  inner = webnn_extra__select(e, webnn_extra__by(e, webnn_equal, u, 1), x,
                              webnn_extra__mul(e, y, inner));
  return webnn_extra__select(
      e, webnn_extra__by(e, webnn_lesser, webnn_extra__1(e, webnn_abs, x), 0.5), inner, y);
}

/* floor(|x|), and 1 more if at least 1/2 is left; the sign of x, also of its zero. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_round_away(webnn_extra e, webnn_operand *x) {
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *y, *rest;
  y = webnn_extra__1(e, webnn_floor, a);
  rest = webnn_extra__by(e, webnn_greater_or_equal, webnn_extra__sub(e, a, y), 0.5);
  y = webnn_extra__add(e, y, webnn_extra__cast(e, rest, WEBNN_FLOAT32));
  y = webnn_extra__mul(e, y, webnn_extra__1(e, webnn_sign, x));
  return webnn_extra__select(e, webnn_extra__by(e, webnn_greater, a, 0), y, x);
}

/* WebNN's sign of NaN and -0 is 0; here they stay. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_sign(webnn_extra e, webnn_operand *x) {
  return webnn_extra__select(e,
                             webnn_extra__by(e, webnn_greater, webnn_extra__1(e, webnn_abs, x), 0),
                             webnn_extra__1(e, webnn_sign, x), x);
}

/* ---- Functions by polynomials ---------------------------------------------------------------- */

/* The factors of the polynomials below, the highest power's first, minimize the largest relative
   error (Remez's exchange on 400 Chebyshev nodes against values of 80 bits and more); that error
   is given with each as a power of 2. 2^-24 is half a unit in the last place of float32. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__polynomial(webnn_extra e, webnn_operand *x,
                                                       const double *factors, size_t count) {
  webnn_operand *p = webnn_extra__f32(e, factors[0]);
  size_t i;
  for (i = 1; i < count; i++) {
    p = webnn_extra__add(e, webnn_extra__mul(e, p, x), webnn_extra__f32(e, factors[i]));
  }
  return p;
}

#define WEBNN_EXTRA__POLYNOMIAL(e, x, factors)                                                     \
  webnn_extra__polynomial(e, x, factors, sizeof factors / sizeof factors[0])

/* The rounded sum of x and y, and exactly what rounding leaves out, for |x| >= |y| (Dekker). */
WEBNN_EXTRA_API webnn_operand *webnn_extra__sum_and_rest(webnn_extra e, webnn_operand *x,
                                                         webnn_operand *y, webnn_operand **rest) {
  webnn_operand *s = webnn_extra__add(e, x, y);
  *rest = webnn_extra__sub(e, y, webnn_extra__sub(e, s, x));
  return s;
}

/* e^d - 1 for |d| below 1/16, by the first terms of its series. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__small_exponential(webnn_extra e, webnn_operand *d) {
  static const double factors[] = {1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1};
  return webnn_extra__mul(e, d, WEBNN_EXTRA__POLYNOMIAL(e, d, factors));
}

/* (v + 1/4) e^(v^2) erfc(v) for v from 1/2 to 11, and what rounding its last sum leaves out: a
   polynomial in (v - 1) / (v + 1), 2^-31. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__scaled_erfc(webnn_extra e, webnn_operand *v,
                                                        webnn_operand **rest) {
  static const double factors[] = {-0.00107895748828, 0.00365794735455,  -0.00188434056011,
                                   -0.00139893710629, -0.00222026460856, -0.00285016501263,
                                   0.00274978868546,  0.0155029222914,   0.0210912641529,
                                   -0.0271411496584,  -0.148853168835,   0.172137121233};
  const double first = 0.534479470299;
  webnn_operand *one = webnn_extra__f32(e, 1), *q, *p;
  q = webnn_extra__div(e, webnn_extra__sub(e, v, one), webnn_extra__add(e, v, one));
  p = webnn_extra__mul(e, q, WEBNN_EXTRA__POLYNOMIAL(e, q, factors));
  p = webnn_extra__add(e, p, webnn_extra__f32(e, first - (double)(float)first));
  return webnn_extra__sum_and_rest(e, webnn_extra__f32(e, first), p, rest);
}

/* erfc(v) for v from 1/2 to 11. With h, v rounded to 12 bits, -v^2 = -h^2 + d, where h^2 is
   exact and d = (h - v)(h + v) is small. Beyond 8, where the result is too small for its
   factors, these are 2^92 times as large: 92 ln 2 is 63.7695... and a rest, of which the first
   is a multiple of 2^-16, as h^2 is there, so that their difference is exact. What rounding has
   left out of two sums is added in the end. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__erfc_of_large(webnn_extra e, webnn_operand *v) {
  webnn_operand *zero = webnn_extra__f32(e, 0), *large, *h, *d, *y, *p, *p_rest, *q, *q_rest;
  large = webnn_extra__by(e, webnn_greater, v, 8);
  h = webnn_extra__add(e, webnn_extra__mul(e, v, webnn_extra__f32(e, 4096)), v);
  h = webnn_extra__sub(e, h, webnn_extra__sub(e, h, v));
  d = webnn_extra__mul(e, webnn_extra__sub(e, h, v), webnn_extra__add(e, h, v));
  d = webnn_extra__add(
      e, d, webnn_extra__select(e, large, webnn_extra__f32(e, -5.89727409403361e-6), zero));
  y = webnn_extra__select(e, large, webnn_extra__f32(e, 63.7695465087890625), zero);
  y = webnn_extra__1(e, webnn_exp, webnn_extra__sub(e, y, webnn_extra__mul(e, h, h)));
  p = webnn_extra__scaled_erfc(e, v, &p_rest);
  q = webnn_extra__sum_and_rest(e, v, webnn_extra__f32(e, 0.25), &q_rest);
  y = webnn_extra__mul(e, y, webnn_extra__div(e, p, q));
  d = webnn_extra__add(
      e, webnn_extra__small_exponential(e, d),
      webnn_extra__sub(e, webnn_extra__div(e, p_rest, p), webnn_extra__div(e, q_rest, q)));
  y = webnn_extra__add(e, y, webnn_extra__mul(e, y, d));
  return webnn_extra__mul(e, y,
                          webnn_extra__select(e, large,
                                              webnn_extra__f32(e, webnn_extra__power_of_two(-92)),
                                              webnn_extra__f32(e, 1)));
}

/* 1 - erf(x) below 1/2, where little cancels. Beyond 11 erfc is 0 as it is at 11. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_erfc(webnn_extra e, webnn_operand *x) {
  webnn_operand *small = webnn_extra__by(e, webnn_lesser, x, 0.5), *v, *inner;
  inner = webnn_extra__sub(e, webnn_extra__f32(e, 1), webnn_extra__1(e, webnn_erf, x));
  v = webnn_extra__select(e, small, webnn_extra__f32(e, 0.5), x);
  v = webnn_extra__select(e, webnn_extra__by(e, webnn_greater, v, 11), webnn_extra__f32(e, 11), v);
  return webnn_extra__select(e, small, inner, webnn_extra__erfc_of_large(e, v));
}

/* x P(x^2) for |x| below 0.6, 2^-29; then s Q((s - 1) / (s + 1)) with s = sqrt(-ln(1 - |x|)), where
   1 - |x| is exact, 2^-31. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_erf_inv(webnn_extra e, webnn_operand *x) {
  static const double center[] = {0.158296367561,  -0.0492976115494, 0.0837190109356,
                                  0.0590971637696, 0.0871217968413,  0.12752935272,
                                  0.232014143901,  0.886226924065};
  static const double tail[] = {
      -0.0357823811903, 0.0811430298683, -0.0216915394978, -0.126886382413, 0.116006558872,
      0.128226005656,   -0.257620913744, -0.202515936918,  0.682602901764,  0.636716137432};
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *one = webnn_extra__f32(e, 1), *inner, *outer,
                *s;
  inner = webnn_extra__mul(e, x, WEBNN_EXTRA__POLYNOMIAL(e, webnn_extra__mul(e, x, x), center));
  s = webnn_extra__1(e, webnn_log, webnn_extra__sub(e, one, a));
  s = webnn_extra__1(e, webnn_sqrt, webnn_extra__1(e, webnn_neg, s));
  outer = webnn_extra__div(e, webnn_extra__sub(e, s, one), webnn_extra__add(e, s, one));
  outer = webnn_extra__mul(e, s, WEBNN_EXTRA__POLYNOMIAL(e, outer, tail));
  outer = webnn_extra__select(e, webnn_extra__2(e, webnn_equal, a, one), s, outer);
  outer = webnn_extra__mul(e, outer, webnn_extra__1(e, webnn_sign, x));
  return webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 0.6), inner, outer);
}

/* I1(x) e^-|x| is x e^-|x| P(x^2) for |x| below 5/2, 2^-36; with the sign of x and divided by
   sqrt(|x|) P(|x| - 19/4) below 7, 2^-30, and P(1 / |x|) beyond, 2^-29. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_bessel_i1e(webnn_extra e, webnn_operand *x) {
  static const double low[] = {3.69939796775e-11, 5.62298826095e-09, 6.78286137638e-07,
                               5.4253224577e-05,  0.00260416691159,  0.0624999999107,
                               0.500000000005};
  static const double middle[] = {1.43975246613e-10,  -2.30310714966e-10, -3.92624227173e-09,
                                  2.84605065924e-08,  -1.70333185098e-07, 1.01197637402e-06,
                                  -5.31310287893e-06, 2.50064417851e-05,  -0.000109417037505,
                                  0.00045846499225,   -0.00189792630387,  0.00796066457487,
                                  0.364774830614};
  static const double high[] = {-2.3265514941,    0.426527393423,  -0.115155452384, -0.037948860115,
                                -0.0468210773207, -0.149602742092, 0.398942279524};
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *inner, *outer, *r;
  inner = webnn_extra__mul(e, x, webnn_extra__1(e, webnn_exp, webnn_extra__1(e, webnn_neg, a)));
  inner = webnn_extra__mul(e, inner, WEBNN_EXTRA__POLYNOMIAL(e, webnn_extra__mul(e, x, x), low));
  r = webnn_extra__1(e, webnn_reciprocal, a);
  outer = webnn_extra__sub(e, a, webnn_extra__f32(e, 4.75));
  outer = webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 7),
                              WEBNN_EXTRA__POLYNOMIAL(e, outer, middle),
                              WEBNN_EXTRA__POLYNOMIAL(e, r, high));
  outer = webnn_extra__div(e, outer, webnn_extra__1(e, webnn_sqrt, a));
  outer = webnn_extra__mul(e, outer, webnn_extra__1(e, webnn_sign, x));
  return webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 2.5), inner, outer);
}

/* ---- The logarithm of the gamma function, and its derivative --------------------------------- */

/* (a - 1/2)(ln a - 1), where ln a - 1 is exact, and the rest of Stirling's series, for a from 8;
   the series' polynomial in 1 / a^2, 2^-30. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__stirling(webnn_extra e, webnn_operand *a) {
  static const double factors[] = {0.000780057636115, -0.00277769890289, 0.0833333332653};
  webnn_operand *r = webnn_extra__1(e, webnn_reciprocal, a), *y;
  y = webnn_extra__sub(e, webnn_extra__1(e, webnn_log, a), webnn_extra__f32(e, 1));
  y = webnn_extra__mul(e, y, webnn_extra__sub(e, a, webnn_extra__f32(e, 0.5)));
  r = webnn_extra__mul(e, r, WEBNN_EXTRA__POLYNOMIAL(e, webnn_extra__mul(e, r, r), factors));
  return webnn_extra__add(e, y, webnn_extra__add(e, r, webnn_extra__f32(e, 0.418938533204673)));
}

/* ln gamma(a) for a >= 1/2: (1 - a)(2 - a) P(1 - a) below 3/2, 2^-32, (a - 2) P(a - 2) below
   7/2, 2^-30, (a - 2) P(a - 23/4) below 8, 2^-29: the zeros at 1 and 2 are factors. Below 1/2 it
   is that of 1 + x for x from -1/2 to 1/2, of which `a` is the magnitude. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__log_gamma_right(webnn_extra e, webnn_operand *x,
                                                            webnn_operand *a) {
  static const double at_1[] = {0.0867336024415, 0.085938053266,  0.0102547844993, 0.0170462206934,
                                0.0496579545413, 0.0523059166334, 0.0517743173826, 0.058264596686,
                                0.0667840608152, 0.077346107492,  0.0922373016675, 0.115145878336,
                                0.155434287014,  0.245251373066,  0.577215664858};
  static const double at_2[] = {3.25400750704e-06,  -2.52058610497e-05, 9.18614196929e-05,
                                -0.000231230662551, 0.000518408374898,  -0.00119318764365,
                                0.00288840723561,   -0.00738515793926,  0.020581001651,
                                -0.0673523325653,   0.322467027798,     0.422784335394};
  static const double above[] = {-1.93082465594e-09, 1.09615591862e-08,  -4.48296688829e-08,
                                 3.21321134947e-07,  -2.36082683462e-06, 1.68221497276e-05,
                                 -0.000126810667809, 0.00104136919031,   -0.00989842380299,
                                 0.13207274583,      1.1644576112};
  webnn_operand *w = webnn_extra__sub(e, a, webnn_extra__f32(e, 2)), *v, *y;
  v = webnn_extra__sub(e, a, webnn_extra__f32(e, 5.75));
  y = webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 3.5),
                          WEBNN_EXTRA__POLYNOMIAL(e, w, at_2),
                          WEBNN_EXTRA__POLYNOMIAL(e, v, above));
  y = webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 8), webnn_extra__mul(e, w, y),
                          webnn_extra__stirling(e, a));
  v = webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 0.5),
                          webnn_extra__1(e, webnn_neg, x),
                          webnn_extra__sub(e, webnn_extra__f32(e, 1), a));
  w = webnn_extra__mul(e, webnn_extra__add(e, webnn_extra__f32(e, 1), v),
                       WEBNN_EXTRA__POLYNOMIAL(e, v, at_1));
  return webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 1.5), webnn_extra__mul(e, v, w),
                             y);
}

/* How far x is from the nearest integer, from -1/2 to 1/2, times pi: exact but for that
   product. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__angle_of_period(webnn_extra e, webnn_operand *x) {
  x = webnn_extra__sub(e, x, webnn_extra__1(e, webnn_round_even, x));
  return webnn_extra__mul(e, x, webnn_extra__f32(e, 3.14159265358979324));
}

/* Within 1/2 of 0 it is ln gamma(1 + x) - ln |x|, and at the left of that
   ln(pi / |x sin(pi x)|) - ln gamma(|x|): infinite at integers, as all numbers from 2^23 on are. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_lgamma(webnn_extra e, webnn_operand *x) {
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *y = webnn_extra__log_gamma_right(e, x, a),
                *left;
  left = webnn_extra__1(e, webnn_sin, webnn_extra__angle_of_period(e, a));
  left = webnn_extra__mul(e, a, webnn_extra__1(e, webnn_abs, left));
  left = webnn_extra__div(e, webnn_extra__f32(e, 3.14159265358979324), left);
  left = webnn_extra__sub(e, webnn_extra__1(e, webnn_log, left), y);
  left = webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 8388608), left,
                             webnn_extra__f32(e, webnn_extra__infinity()));
  left = webnn_extra__select(e, webnn_extra__by(e, webnn_lesser_or_equal, x, -0.5), left, y);
  return webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, a, 0.5),
                             webnn_extra__sub(e, y, webnn_extra__1(e, webnn_log, a)), left);
}

/* psi(1 + z) for z from 0 to 1: (z - its zero) P(z - 1/2), 2^-30; the zero is in two parts. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__digamma_at_1(webnn_extra e, webnn_operand *z) {
  static const double factors[] = {-0.00762520950045, 0.0112303899156,  -0.0111453600228,
                                   0.0169107034751,   -0.0270895763559, 0.040894548843,
                                   -0.0619141085653,  0.0949807294471,  -0.148405159016,
                                   0.240542657782,    -0.423627419374,  0.951055875424};
  const double zero = 0.461632144968362341;
  webnn_operand *d = webnn_extra__sub(e, z, webnn_extra__f32(e, zero)), *t;
  d = webnn_extra__sub(e, d, webnn_extra__f32(e, zero - (double)(float)zero));
  t = webnn_extra__sub(e, z, webnn_extra__f32(e, 0.5));
  return webnn_extra__mul(e, d, WEBNN_EXTRA__POLYNOMIAL(e, t, factors));
}

/* psi(t) for t >= 2: ln t - 1 / (2 t) - P(1 / t^2) / t^2; 2^-27 of the last term. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__digamma_of_large(webnn_extra e, webnn_operand *t) {
  static const double factors[] = {-0.00368751181095, 0.0047361903659,   -0.0038867743578,
                                   0.00395435147848,  -0.00833306897743, 0.083333332507};
  webnn_operand *r = webnn_extra__1(e, webnn_reciprocal, t), *p;
  p = WEBNN_EXTRA__POLYNOMIAL(e, webnn_extra__mul(e, r, r), factors);
  p = webnn_extra__add(e, webnn_extra__f32(e, 0.5), webnn_extra__mul(e, r, p));
  return webnn_extra__sub(e, webnn_extra__1(e, webnn_log, t), webnn_extra__mul(e, r, p));
}

/* psi(x) is psi(1 + x) - 1 / x below 1, and psi(1 - x) - pi / tan(pi x) below 0; NaN at 0, -1,
   ... */
WEBNN_EXTRA_API webnn_operand *webnn_extra_digamma(webnn_extra e, webnn_operand *x) {
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *one = webnn_extra__f32(e, 1), *y, *z, *pole;
  webnn_operand *right = webnn_extra__by(e, webnn_greater, x, 0);
  webnn_operand *angle = webnn_extra__angle_of_period(e, x);
  y = webnn_extra__select(e, right, x, webnn_extra__sub(e, one, x));
  z = webnn_extra__select(e, webnn_extra__2(e, webnn_lesser, a, one), a,
                          webnn_extra__sub(e, x, one));
  y = webnn_extra__select(e,
                          webnn_extra__2(e, webnn_logical_and,
                                         webnn_extra__by(e, webnn_greater, x, -1),
                                         webnn_extra__by(e, webnn_lesser, x, 2)),
                          webnn_extra__digamma_at_1(e, z), webnn_extra__digamma_of_large(e, y));
  pole = webnn_extra__div(e, webnn_extra__f32(e, 3.14159265358979324),
                          webnn_extra__1(e, webnn_tan, angle));
  pole = webnn_extra__select(e, webnn_extra__by(e, webnn_equal, angle, 0),
                             webnn_extra__div(e, angle, angle), pole);
  pole = webnn_extra__select(e, right, webnn_extra__div(e, one, x), pole);
  return webnn_extra__select(e, webnn_extra__by(e, webnn_greater_or_equal, x, 1), y,
                             webnn_extra__sub(e, y, pole));
}

/* ---- The arc tangent of two numbers ---------------------------------------------------------- */

/* atan(t) - t for |t| up to sqrt(2) - 1: t z P(z), with z = t^2 and a polynomial P, off by less
   than 2^-33 t. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__arc_tangent_rest(webnn_extra e, webnn_operand *t) {
  static const double factors[] = {0.0504793743204, -0.086245982152, 0.110713545712,
                                   -0.142841506297, 0.199999772482,  -0.333333332792};
  webnn_operand *z = webnn_extra__mul(e, t, t);
  return webnn_extra__mul(e, webnn_extra__mul(e, t, z), WEBNN_EXTRA__POLYNOMIAL(e, z, factors));
}

/* Is the sign set? Of -0, too, whose reciprocal is -infinity. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__is_negative(webnn_extra e, webnn_operand *x) {
  webnn_operand *r = webnn_extra__1(e, webnn_reciprocal, x);
  return webnn_extra__2(e, webnn_logical_or, webnn_extra__by(e, webnn_lesser, x, 0),
                        webnn_extra__by(e, webnn_lesser, r, 0));
}

/* An angle k pi/4 + s atan(t) is turned where `where` is true: subtracted from n pi/4. */
WEBNN_EXTRA_API void webnn_extra__turn(webnn_extra e, webnn_operand *where, double n,
                                       webnn_operand **k, webnn_operand **s) {
  *k = webnn_extra__select(e, where, webnn_extra__sub(e, webnn_extra__f32(e, n), *k), *k);
  *s = webnn_extra__mul(
      e, *s, webnn_extra__select(e, where, webnn_extra__f32(e, -1), webnn_extra__f32(e, 1)));
}

/* k pi/4 + s atan(t). pi/4 is in two parts, of which the first has 20 bits, so that k times it is
   exact; small parts are added first. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__turned_angle(webnn_extra e, webnn_operand *k,
                                                         webnn_operand *s, webnn_operand *t) {
  const double high = 823549.0 / 1048576, low = 0.785398163397448310 - high;
  webnn_operand *r = webnn_extra__mul(e, s, webnn_extra__arc_tangent_rest(e, t));
  r = webnn_extra__add(e, r, webnn_extra__mul(e, k, webnn_extra__f32(e, low)));
  r = webnn_extra__add(e, webnn_extra__mul(e, s, t), r);
  return webnn_extra__add(e, webnn_extra__mul(e, k, webnn_extra__f32(e, high)), r);
}

/* The angle of the point (x, y): of the quotient q of the smaller and the larger coordinate,
   which for two zeros is 0 and for two infinities 1, turned to its octant. Above sqrt(2) - 1
   atan(q) is pi/4 + atan((q - 1) / (q + 1)). */
WEBNN_EXTRA_API webnn_operand *webnn_extra_atan2(webnn_extra e, webnn_operand *y,
                                                 webnn_operand *x) {
  webnn_operand *ax = webnn_extra__1(e, webnn_abs, x), *ay = webnn_extra__1(e, webnn_abs, y);
  webnn_operand *small = webnn_extra__2(e, webnn_min, ax, ay);
  webnn_operand *large = webnn_extra__2(e, webnn_max, ax, ay);
  webnn_operand *one = webnn_extra__f32(e, 1), *s = one, *high, *k, *q, *t;
  q = webnn_extra__select(e, webnn_extra__2(e, webnn_equal, small, large),
                          webnn_extra__1(e, webnn_sign, large), webnn_extra__div(e, small, large));
  high = webnn_extra__by(e, webnn_greater, q, 0.41421357);
  t = webnn_extra__div(e, webnn_extra__sub(e, q, one), webnn_extra__add(e, q, one));
  t = webnn_extra__select(e, high, t, q);
  k = webnn_extra__cast(e, high, WEBNN_FLOAT32);
  webnn_extra__turn(e, webnn_extra__2(e, webnn_greater, ay, ax), 2, &k, &s);
  webnn_extra__turn(e, webnn_extra__is_negative(e, x), 4, &k, &s);
  t = webnn_extra__turned_angle(e, k, s, t);
  return webnn_extra__select(e, webnn_extra__is_negative(e, y), webnn_extra__1(e, webnn_neg, t), t);
}

/* A polynomial up to tan(pi / 8), to which larger |x| are reduced: pi/4 and pi/2 are added then. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_atan(webnn_extra e, webnn_operand *x) {
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *one = webnn_extra__f32(e, 1), *k, *t;
  webnn_operand *large = webnn_extra__by(e, webnn_greater, a, 2.414213562373095);
  webnn_operand *middle = webnn_extra__by(e, webnn_greater, a, 0.4142135623730951);
  k = webnn_extra__select(e, large, webnn_extra__f32(e, 2),
                          webnn_extra__cast(e, middle, WEBNN_FLOAT32));
  t = webnn_extra__div(e, webnn_extra__sub(e, a, one), webnn_extra__add(e, a, one));
  t = webnn_extra__select(e, middle, t, a);
  t = webnn_extra__select(e, large, webnn_extra__div(e, webnn_extra__f32(e, -1), a), t);
  t = webnn_extra__turned_angle(e, k, one, t);
  return webnn_extra__mul(e, webnn_extra_sign(e, x), t);
}

/* The product of the roots keeps what 1 - x^2 would round away. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__cosine_of(webnn_extra e, webnn_operand *x) {
  webnn_operand *one = webnn_extra__like(e, x, 1);
  return webnn_extra__mul(e, webnn_extra__1(e, webnn_sqrt, webnn_extra__sub(e, one, x)),
                          webnn_extra__1(e, webnn_sqrt, webnn_extra__add(e, one, x)));
}

WEBNN_EXTRA_API webnn_operand *webnn_extra_asin(webnn_extra e, webnn_operand *x) {
  webnn_operand *y = webnn_extra__by(e, webnn_add, webnn_extra__cosine_of(e, x), 1);
  return webnn_extra__scaled(e, webnn_extra_atan(e, webnn_extra__div(e, x, y)), 2);
}

WEBNN_EXTRA_API webnn_operand *webnn_extra_acos(webnn_extra e, webnn_operand *x) {
  webnn_operand *one = webnn_extra__f32(e, 1), *y;
  y = webnn_extra__div(e, webnn_extra__sub(e, one, x), webnn_extra__add(e, one, x));
  return webnn_extra__scaled(e, webnn_extra_atan(e, webnn_extra__1(e, webnn_sqrt, y)), 2);
}

/* ---- Hyperbolic functions and their inverses ------------------------------------------------- */

WEBNN_EXTRA_API webnn_operand *webnn_extra_asinh(webnn_extra e, webnn_operand *x) {
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *square = webnn_extra__mul(e, x, x), *y,
                *large;
  y = webnn_extra__1(e, webnn_sqrt, webnn_extra__by(e, webnn_add, square, 1));
  y = webnn_extra__div(e, square, webnn_extra__by(e, webnn_add, y, 1));
  y = webnn_extra_log1p(e, webnn_extra__add(e, a, y));
  large = webnn_extra__by(e, webnn_add, webnn_extra__1(e, webnn_log, a), 0.6931471805599453);
  y = webnn_extra__select(e, webnn_extra__2(e, webnn_lesser, webnn_extra__like(e, x, 1e9), a),
                          large, y);
  return webnn_extra__mul(e, webnn_extra_sign(e, x), y);
}

/* log1p(t + sqrt(2 t + t^2)) with t = x - 1, of which the root is NaN below 1. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_acosh(webnn_extra e, webnn_operand *x) {
  webnn_operand *t = webnn_extra__by(e, webnn_add, x, -1), *y, *large;
  y = webnn_extra__add(e, webnn_extra__add(e, t, t), webnn_extra__mul(e, t, t));
  y = webnn_extra_log1p(e, webnn_extra__add(e, t, webnn_extra__1(e, webnn_sqrt, y)));
  y = webnn_extra__select(e, webnn_extra__by(e, webnn_lesser, x, 1),
                          webnn_extra__1(e, webnn_sqrt, t), y);
  large = webnn_extra__by(e, webnn_add, webnn_extra__1(e, webnn_log, x), 0.6931471805599453);
  return webnn_extra__select(e, webnn_extra__2(e, webnn_lesser, webnn_extra__like(e, x, 1e9), x),
                             large, y);
}

/* Of |x|: near -1 the quotient would lose what it is apart from -1. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_atanh(webnn_extra e, webnn_operand *x) {
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *one = webnn_extra__like(e, x, 1), *y;
  y = webnn_extra__div(e, webnn_extra__scaled(e, a, 2), webnn_extra__sub(e, one, a));
  y = webnn_extra__scaled(e, webnn_extra_log1p(e, y), 0.5);
  return webnn_extra__mul(e, webnn_extra_sign(e, x), y);
}

WEBNN_EXTRA_API webnn_operand *webnn_extra_cosh(webnn_extra e, webnn_operand *x) {
  webnn_operand *u =
      webnn_extra__1(e, webnn_exp, webnn_extra__scaled(e, webnn_extra__1(e, webnn_abs, x), 0.5));
  webnn_operand *half =
      webnn_extra__scaled(e, u, 0.5); /* e^(|x| / 2) squared: no overflow before */
  webnn_operand *rest =
      webnn_extra__div(e, webnn_extra__like(e, x, 0.5), webnn_extra__mul(e, u, u));
  return webnn_extra__add(e, webnn_extra__mul(e, u, half), rest);
}

WEBNN_EXTRA_API webnn_operand *webnn_extra_sinh(webnn_extra e, webnn_operand *x) {
  return webnn_extra__mul(e, webnn_extra__1(e, webnn_tanh, x), webnn_extra_cosh(e, x));
}

/* ---- Remainders ------------------------------------------------------------------------------ */

/* a less q m, where q is a whole number below 2^24, without any rounding: the product is made of
   those of halves, each of 12 bits. */
WEBNN_EXTRA_API webnn_operand *webnn_extra__reduced_by(webnn_extra e, webnn_operand *a,
                                                       webnn_operand *m) {
  webnn_operand *q = webnn_extra__1(e, webnn_floor, webnn_extra__div(e, a, m));
  webnn_operand *parts[2][2], *product = webnn_extra__mul(e, q, m), *rest, *none;
  int i;
  for (i = 0; i < 2; i++) {
    webnn_operand *x = i == 0 ? q : m, *big = webnn_extra__scaled(e, x, 4097);
    parts[i][0] = webnn_extra__sub(e, big, webnn_extra__sub(e, big, x));
    parts[i][1] = webnn_extra__sub(e, x, parts[i][0]);
  }
  rest = webnn_extra__sub(e, webnn_extra__mul(e, parts[0][0], parts[1][0]), product);
  rest = webnn_extra__add(e, rest, webnn_extra__mul(e, parts[0][0], parts[1][1]));
  rest = webnn_extra__add(e, rest, webnn_extra__mul(e, parts[0][1], parts[1][0]));
  rest = webnn_extra__add(e, rest, webnn_extra__mul(e, parts[0][1], parts[1][1]));
  rest = webnn_extra__sub(e, webnn_extra__sub(e, a, product), rest);
  /* The quotient may have been rounded up to the next whole number. */
  rest =
      webnn_extra__select(e, webnn_extra__2(e, webnn_lesser, rest, webnn_extra__like(e, rest, 0)),
                          webnn_extra__add(e, rest, m), rest);
  none = webnn_extra__2(e, webnn_logical_or, webnn_extra__2(e, webnn_lesser, a, m),
                        webnn_extra__1(e, webnn_is_infinite, m));
  none = webnn_extra__2(
      e, webnn_logical_and, none,
      webnn_extra__2(e, webnn_lesser, a, webnn_extra__like(e, a, webnn_extra__infinity())));
  return webnn_extra__select(e, none, a, rest);
}

/* The remainder of float32 numbers, exact for quotients below 2^72. */
WEBNN_EXTRA_API webnn_operand *webnn_extra_remainder(webnn_extra e, webnn_operand *x,
                                                     webnn_operand *y) {
  static const double steps[] = {281474976710656.0, 16777216.0, 1}; /* 2^48, 2^24, 1 */
  webnn_operand *a = webnn_extra__1(e, webnn_abs, x), *m = webnn_extra__1(e, webnn_abs, y), *scale,
                *back, *side;
  int i;
  /* Both are brought to where nothing overflows or underflows. */
  side = webnn_extra__2(e, webnn_lesser, webnn_extra__like(e, a, 1e30), a);
  scale = webnn_extra__select(e, side, webnn_extra__like(e, a, 9.094947017729282379e-13),
                              webnn_extra__like(e, a, 1)); /* 2^-40 */
  back = webnn_extra__select(e, side, webnn_extra__like(e, a, 1099511627776.0),
                             webnn_extra__like(e, a, 1));
  side = webnn_extra__2(e, webnn_lesser, a, webnn_extra__like(e, a, 1e-18));
  scale = webnn_extra__select(e, side, webnn_extra__like(e, a, 1152921504606846976.0), scale);
  back = webnn_extra__select(e, side, webnn_extra__like(e, a, 8.6736173798840354721e-19), back);
  a = webnn_extra__mul(e, a, scale); /* 2^60, 2^-60 */
  m = webnn_extra__mul(e, m, scale);
  for (i = 0; i < 3; i++) {
    a = webnn_extra__reduced_by(e, a, webnn_extra__scaled(e, m, steps[i]));
  }
  a = webnn_extra__mul(e, a, back);
  return webnn_extra__mul(e, a, webnn_extra__1(e, webnn_sign, x));
}

#endif /* WEBNN_EXTRA_H */
