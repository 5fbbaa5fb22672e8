/* webnn_ulp_distance and webnn_compare: NaN, infinities and zeros of both signs, every data type,
   and tolerances that a difference just meets and just misses. The distances of all float16 numbers
   are counted off along their order. */
#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Distances ---------------------------------------------------------------------------------
 */

/* An element of a row is this far from the row's first. */
static void expect_distances(const char *name, webnn_data_type type, const void *row,
                             const uint64_t *expected, size_t count) {
  unsigned char first[64 * 8];
  const size_t bytes = webnn_data_type_bits(type) / 8;
  size_t i;
  for (i = 0; i < count; i++) {
    memcpy(first + i * bytes, row, bytes);
  }
  for (i = 0; i < count; i++) {
    CHECK(name, webnn_ulp_distance(type, first, row, i) == expected[i],
          "element %u is %lx from the first, expected %lx", (unsigned)i,
          (unsigned long)webnn_ulp_distance(type, first, row, i), (unsigned long)expected[i]);
    CHECK(name, webnn_ulp_distance(type, row, first, i) == expected[i],
          "element %u is at another distance the other way around", (unsigned)i);
  }
}

static void check_float32_distances(void) {
  /* 1, its neighbours, 0 of both signs, the least subnormal, infinity, two NaNs. */
  static const uint32_t ones[] = {0x3f800000, 0x3f800001, 0x3f7fffff, 0,
                                  0x80000000, 0xbf800000, 0x7f800000, 0x7fc00000};
  static const uint64_t from_one[] = {0,          1,          1,          0x3f800000,
                                      0x3f800000, 0x7f000000, 0x40000000, UINT64_MAX};
  static const uint32_t zeros[] = {0x80000000, 0, 1, 0x80000001, 0x7f7fffff, 0xff800000};
  static const uint64_t from_zero[] = {0, 0, 1, 1, 0x7f7fffff, 0x7f800000};
  static const uint32_t infinities[] = {0x7f800000, 0x7f800000, 0x7f7fffff, 0xff800000, 0x7f800001};
  static const uint64_t from_infinity[] = {0, 0, 1, 0xff000000, UINT64_MAX};
  static const uint32_t nans[] = {0x7fc00000, 0xffc00001, 0x7f800001, 0x7f800000, 0};
  static const uint64_t from_nan[] = {0, 0, 0, UINT64_MAX, UINT64_MAX};
  expect_distances("from 1", WEBNN_FLOAT32, ones, from_one, COUNT(ones));
  expect_distances("from -0", WEBNN_FLOAT32, zeros, from_zero, COUNT(zeros));
  expect_distances("from infinity", WEBNN_FLOAT32, infinities, from_infinity, COUNT(infinities));
  expect_distances("from NaN", WEBNN_FLOAT32, nans, from_nan, COUNT(nans));
}

/* From -infinity up to infinity every float16 is one step from the last, but for -0 and 0. */
static void check_float16_distances(void) {
  uint16_t last = 0xfc00, next;
  uint64_t steps = 0, wrong = 0;
  const uint16_t lowest = last, nan = 0x7e00;
  while (last != 0x7c00) {
    next = (uint16_t)((last & 0x8000) != 0 && last != 0x8000 ? last - 1
                      : last == 0x8000                       ? 0
                                                             : last + 1);
    steps += last != 0x8000;
    wrong += webnn_ulp_distance(WEBNN_FLOAT16, &last, &next, 0) != (last == 0x8000 ? 0u : 1u);
    wrong += webnn_ulp_distance(WEBNN_FLOAT16, &next, &lowest, 0) != steps;
    wrong += webnn_ulp_distance(WEBNN_FLOAT16, &nan, &next, 0) != UINT64_MAX;
    last = next;
  }
  CHECK("float16", steps == 2 * 0x7c00, "%u steps", (unsigned)steps);
  CHECK("float16", wrong == 0, "%u distances are wrong", (unsigned)wrong);
}

static void check_integer_distances(void) {
  static const int8_t bytes[] = {-128, -128, 127, 0};
  static const uint64_t from_least[] = {0, 0, 255, 128};
  static const uint8_t unsigned_bytes[] = {200, 255, 0};
  static const uint64_t from_200[] = {0, 55, 200};
  static const int32_t ints[] = {INT32_MIN, INT32_MAX, -1};
  static const uint64_t from_int_min[] = {0, UINT32_MAX, INT32_MAX};
  static const uint32_t unsigned_ints[] = {0, UINT32_MAX, 7};
  static const uint64_t from_0[] = {0, UINT32_MAX, 7};
  static const int64_t longs[] = {INT64_MIN, INT64_MAX, 0};
  static const uint64_t from_long_min[] = {0, UINT64_MAX, UINT64_C(1) << 63};
  static const uint64_t unsigned_longs[] = {UINT64_MAX, 0, UINT64_C(1) << 63};
  static const uint64_t from_most[] = {0, UINT64_MAX, (UINT64_C(1) << 63) - 1};
  static const uint8_t nibbles[] = {0x78}, others[] = {0x87}; /* the low one is element 0 */
  expect_distances("int8", WEBNN_INT8, bytes, from_least, COUNT(bytes));
  expect_distances("uint8", WEBNN_UINT8, unsigned_bytes, from_200, COUNT(unsigned_bytes));
  expect_distances("int32", WEBNN_INT32, ints, from_int_min, COUNT(ints));
  expect_distances("uint32", WEBNN_UINT32, unsigned_ints, from_0, COUNT(unsigned_ints));
  expect_distances("int64", WEBNN_INT64, longs, from_long_min, COUNT(longs));
  expect_distances("uint64", WEBNN_UINT64, unsigned_longs, from_most, COUNT(unsigned_longs));
  CHECK("int4", webnn_ulp_distance(WEBNN_INT4, nibbles, others, 0) == 15, "-8 and 7");
  CHECK("int4", webnn_ulp_distance(WEBNN_INT4, nibbles, others, 1) == 15, "7 and -8");
  CHECK("uint4", webnn_ulp_distance(WEBNN_UINT4, nibbles, others, 0) == 1, "8 and 7");
}

/* What cannot be compared has failed, each element of it. */
static bool has_failed(const webnn_comparison *got, uint64_t count) {
  return got->count == count && got->different == count && got->failed == count &&
         got->first_failed == 0 && got->max_ulp == UINT64_MAX;
}

static void check_nothing_to_compare(void) {
  const float one = 1, two = 2;
  const webnn_tolerance none = WEBNN_ZERO;
  const webnn_data_type unknown = (webnn_data_type)1000;
  webnn_comparison got;
  CHECK("distance", webnn_ulp_distance(WEBNN_FLOAT32, NULL, &one, 0) == 0, "from NULL");
  CHECK("distance", webnn_ulp_distance(WEBNN_FLOAT32, &one, NULL, 0) == 0, "to NULL");
  CHECK("distance", webnn_ulp_distance(unknown, &one, &two, 0) == 0, "of an unknown type");
  got = webnn_compare(WEBNN_FLOAT32, NULL, &one, 1, none);
  CHECK("compare", has_failed(&got, 1), "NULL with something passes");
  got = webnn_compare(WEBNN_FLOAT32, &one, NULL, 1, none);
  CHECK("compare", has_failed(&got, 1), "something with NULL passes");
  got = webnn_compare(unknown, &one, &two, 1, none);
  CHECK("compare", has_failed(&got, 1), "an unknown type passes");
  got = webnn_compare(WEBNN_FLOAT32, &one, &two, 0, none);
  CHECK("compare",
        got.count == 0 && got.first_different == 0 && got.first_failed == 0 && got.failed == 0 &&
            got.mean_ulp == 0,
        "no elements");
}

/* ---- Tolerances --------------------------------------------------------------------------------
 */

static const float infinity = (float)(1e300 * 1e300);

static float not_a_number(void) {
  const uint32_t bits = 0x7fc00000;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* How many of the elements are outside of a tolerance. */
static uint64_t failures(const float *actual, const float *expected, uint64_t count,
                         webnn_tolerance_metric metric, double value) {
  webnn_tolerance tolerance;
  tolerance.metric = metric;
  tolerance.value = value;
  return webnn_compare(WEBNN_FLOAT32, actual, expected, count, tolerance).failed;
}

static void check_tolerances(void) {
  const float exact[] = {1, -0.0f, 8}, close[] = {1.0f + 3.0f / (1 << 23), 0, 8.25f};
  const float special[] = {infinity, -infinity, not_a_number(), infinity, 1, not_a_number()};
  const float others[] = {infinity, infinity, not_a_number(), 3e38f, infinity, 1};
  CHECK("ulp", failures(close, exact, 1, WEBNN_METRIC_ULP, 3) == 0, "3 ULP are within 3");
  CHECK("ulp", failures(close, exact, 1, WEBNN_METRIC_ULP, 2.5) == 1, "3 ULP are beyond 2.5");
  CHECK("ulp", failures(close, exact, 2, WEBNN_METRIC_ULP, 0) == 1, "zeros are equal");
  CHECK("atol", failures(close + 2, exact + 2, 1, WEBNN_METRIC_ATOL, 0.25) == 0,
        "0.25 is within 0.25");
  CHECK("atol", failures(exact + 2, close + 2, 1, WEBNN_METRIC_ATOL, 0.25) == 0, "-0.25 is, too");
  CHECK("atol", failures(close + 2, exact + 2, 1, WEBNN_METRIC_ATOL, 0.2499) == 1,
        "0.25 is beyond");
  CHECK("atol", failures(close, exact, 3, WEBNN_METRIC_ATOL, 0) == 2, "no difference is allowed");
  CHECK("special", failures(special, special, 6, WEBNN_METRIC_ULP, 0) == 0, "each equals itself");
  CHECK("special", failures(special, special, 6, WEBNN_METRIC_ATOL, 0) == 0, "each equals itself");
  CHECK("special", failures(special, others, 6, WEBNN_METRIC_ATOL, 1e300) == 4,
        "%u fail, expected 4", (unsigned)failures(special, others, 6, WEBNN_METRIC_ATOL, 1e300));
  /* Infinities are the neighbours of the largest numbers; NaN is beyond any distance. */
  CHECK("special", failures(special, others, 6, WEBNN_METRIC_ULP, 1e300) == 1,
        "%u fail, expected 1", (unsigned)failures(special, others, 6, WEBNN_METRIC_ULP, 1e300));
}

/* Indices, counts, largest and mean differences. */
static void check_report(void) {
  const float exact[] = {2, -0.0f, 1, 1, 4, not_a_number(), -infinity};
  const float actual[] = {2, 0, 1 + 2.0f / (1 << 23), 1 - 5.0f / (1 << 24), 4.5f, not_a_number(),
                          0};
  const double distances[] = {0, 0, 2, 5, 1 << 20, 0, 0x7f800000};
  const webnn_tolerance tolerance = {WEBNN_METRIC_ULP, 4};
  const webnn_comparison all = webnn_compare(WEBNN_FLOAT32, actual, exact, 7, tolerance);
  const webnn_comparison some = webnn_compare(WEBNN_FLOAT32, actual, exact, 2, tolerance);
  const webnn_comparison nan = webnn_compare(WEBNN_FLOAT32, actual, exact + 5, 1, tolerance);
  double sum = 0;
  size_t i;
  for (i = 0; i < COUNT(distances); i++) {
    sum += distances[i];
  }
  CHECK("report", all.count == 7 && all.different == 4 && all.failed == 3,
        "%u elements, %u different, %u failed", (unsigned)all.count, (unsigned)all.different,
        (unsigned)all.failed);
  CHECK("report", all.first_different == 2 && all.first_failed == 3, "first at %u and %u",
        (unsigned)all.first_different, (unsigned)all.first_failed);
  CHECK("report", all.max_ulp == 0x7f800000 && all.max_ulp_index == 6, "%lx at %u",
        (unsigned long)all.max_ulp, (unsigned)all.max_ulp_index);
  CHECK("report", all.mean_ulp == sum / 7, "mean %g, expected %g", all.mean_ulp, sum / 7);
  CHECK("report", all.max_absolute == 0.5, "largest difference %g", all.max_absolute);
  CHECK("report",
        some.different == 0 && some.first_different == 2 && some.first_failed == 2 &&
            some.max_ulp == 0 && some.mean_ulp == 0 && some.max_absolute == 0,
        "equal elements differ");
  CHECK("report",
        nan.failed == 1 && nan.max_ulp == UINT64_MAX && nan.mean_ulp == 0 && nan.max_absolute == 0,
        "a number that ought to be NaN");
}

/* Values of every type are told apart by their values, not by their bits. */
static void check_types(void) {
  const uint16_t halves[] = {0x3c00, 0xc000, 0x0001}, other_halves[] = {0x3c01, 0xc000, 0x8001};
  const int8_t bytes[] = {-128, 5}, other_bytes[] = {127, 5};
  const uint64_t longs[] = {UINT64_MAX, 1}, other_longs[] = {0, 1};
  const int64_t signed_longs[] = {-3, INT64_MIN}, other_signed_longs[] = {4, INT64_MIN};
  const uint8_t nibbles[] = {0x7f}, other_nibbles[] = {0x71};
  const webnn_tolerance two = {WEBNN_METRIC_ULP, 2}, small = {WEBNN_METRIC_ATOL, 0.0009765625};
  webnn_comparison got = webnn_compare(WEBNN_FLOAT16, halves, other_halves, 3, two);
  CHECK("float16", got.different == 2 && got.failed == 0 && got.max_ulp == 2, "%u different",
        (unsigned)got.different);
  CHECK("float16", got.max_absolute == 0.0009765625, "%g", got.max_absolute);
  got = webnn_compare(WEBNN_FLOAT16, halves, other_halves, 3, small);
  CHECK("float16", got.failed == 0, "the last place of 1 is 2^-10");
  got = webnn_compare(WEBNN_INT8, bytes, other_bytes, 2, two);
  CHECK("int8", got.failed == 1 && got.max_ulp == 255 && got.max_absolute == 255, "%g",
        got.max_absolute);
  got = webnn_compare(WEBNN_UINT64, longs, other_longs, 2, two);
  CHECK("uint64", got.failed == 1 && got.max_absolute == 18446744073709551616.0, "%g",
        got.max_absolute);
  got = webnn_compare(WEBNN_INT64, signed_longs, other_signed_longs, 2, small);
  CHECK("int64", got.failed == 1 && got.max_ulp == 7 && got.max_absolute == 7, "%g",
        got.max_absolute);
  got = webnn_compare(WEBNN_INT4, nibbles, other_nibbles, 2, two);
  CHECK("int4", got.failed == 0 && got.different == 1 && got.max_absolute == 2,
        "-1 and 1 are %g apart", got.max_absolute);
  got = webnn_compare(WEBNN_UINT4, nibbles, other_nibbles, 2, two);
  CHECK("uint4", got.failed == 1 && got.max_absolute == 14, "15 and 1 are %g apart",
        got.max_absolute);
}

int main(void) {
  check_float32_distances();
  check_float16_distances();
  check_integer_distances();
  check_nothing_to_compare();
  check_tolerances();
  check_report();
  check_types();
  return test_end();
}
