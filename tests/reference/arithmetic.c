/* Models of other arithmetic (webnn_arithmetic) against straightforward loops that compute in that
   arithmetic: sums in float32 and float16 in every order, every intermediate rounded to float16 or
   bfloat16, subnormals flushed. The inputs have few bits, so that a double holds every exact sum
   and product of the loops and only the rounding under test rounds. */
#include "test.h"

#include <math.h>

typedef struct format {
  int fraction_bits, least_exponent; /* of the smallest normal number */
  double largest;
} format;
static const format float16 = {10, -14, 65504.0}, float32 = {23, -126, 3.4028234663852886e38},
                    bfloat16 = {7, -126, 3.3895313892515355e38}, exact = {0, 0, 0};

static uint32_t state = 1;

static uint32_t next(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

/* x rounded to a format, ties to even; subnormals are made zero if `flush`. */
static double round_to(double x, const format *f, bool flush) {
  int exponent;
  double unit, rounded;
  if (f->fraction_bits == 0 || x == 0 || !isfinite(x)) {
    return x;
  }
  frexp(x, &exponent);
  exponent = exponent - 1 < f->least_exponent ? f->least_exponent : exponent - 1;
  unit = ldexp(1, exponent - f->fraction_bits);
  rounded = nearbyint(x / unit) * unit;
  if (fabs(rounded) > f->largest) {
    return rounded > 0 ? INFINITY : -INFINITY;
  }
  return flush && fabs(rounded) < ldexp(1, f->least_exponent) ? 0.0 : rounded;
}

/* The sum of terms in an order, each addition rounded. */
static double sum_of(const double *terms, size_t count, webnn_summation_order order, size_t block,
                     const format *f, bool flush) {
  double total = 0, part = 0;
  size_t i;
  if (order == WEBNN_ORDER_PAIRWISE && count > 1) {
    size_t half = 1; /* the largest power of two below count */
    while (half * 2 < count) {
      half *= 2;
    }
    return round_to(sum_of(terms, half, order, block, f, flush) +
                        sum_of(terms + half, count - half, order, block, f, flush),
                    f, flush);
  }
  for (i = 0; i < count; i++) {
    if (order == WEBNN_ORDER_BLOCKS && i % block == 0) {
      total = round_to(total + part, f, flush);
      part = 0;
    }
    part = round_to(part + terms[i], f, flush);
  }
  return round_to(total + part, f, flush);
}

/* Runs a graph of two inputs and one output in a context with that arithmetic. */
typedef webnn_operand *(*make_graph)(webnn_builder *builder, webnn_operand *a, webnn_operand *b);

static void run(const webnn_arithmetic *arithmetic, make_graph make, webnn_list shape_a,
                const float *a, size_t count_a, webnn_list shape_b, const float *b, size_t count_b,
                float *result, size_t count) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_tensor_descriptor da = {WEBNN_FLOAT32, shape_a, false, true}, db = da, dc = da;
  webnn_context *context;
  webnn_builder *builder;
  webnn_operand *in_a, *in_b, *out;
  webnn_graph *graph;
  webnn_tensor *ta, *tb, *tc;
  webnn_operand_descriptor oa, ob;
  webnn_error error = WEBNN_ZERO;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.arithmetic = *arithmetic;
  context = test_context(&options);
  builder = test_builder(context);
  oa.data_type = ob.data_type = WEBNN_FLOAT32;
  oa.shape = shape_a;
  ob.shape = db.shape = shape_b;
  in_a = webnn_input(builder, "a", oa);
  in_b = webnn_input(builder, "b", ob);
  out = make(builder, in_a, in_b);
  dc.shape = webnn_operand_shape(out);
  dc.readable = true;
  if (webnn_build(builder, WEBNN_NAMED_OPERANDS({"c", out}), &graph, &error) != WEBNN_OK ||
      webnn_create_tensor(context, da, &ta, &error) != WEBNN_OK ||
      webnn_create_tensor(context, db, &tb, &error) != WEBNN_OK ||
      webnn_create_tensor(context, dc, &tc, &error) != WEBNN_OK ||
      webnn_write_tensor(context, ta, a, count_a * sizeof *a, &error) != WEBNN_OK ||
      webnn_write_tensor(context, tb, b, count_b * sizeof *b, &error) != WEBNN_OK ||
      webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"a", ta}, {"b", tb}),
                     WEBNN_NAMED_TENSORS({"c", tc}), &error) != WEBNN_OK ||
      webnn_read_tensor(context, tc, result, count * sizeof *result, &error) != WEBNN_OK) {
    printf("%s\n", error.message);
    exit(1);
  }
  webnn_free_tensor(ta);
  webnn_free_tensor(tb);
  webnn_free_tensor(tc);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
}

static webnn_operand *matmul(webnn_builder *builder, webnn_operand *a, webnn_operand *b) {
  return webnn_matmul(builder, a, b, NULL);
}

/* a alone goes through the sum; b only has to be used. */
static webnn_operand *reduce_sum(webnn_builder *builder, webnn_operand *a, webnn_operand *b) {
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = WEBNN_LIST(1);
  options.keep_dimensions = true;
  return webnn_concat(
      builder,
      WEBNN_OPERANDS(webnn_reduce_sum(builder, a, &options),
                     webnn_slice(builder, b, WEBNN_LIST(0, 0), WEBNN_LIST(1, 1), NULL)),
      0, NULL);
}

/* A value with at most `bits` significant bits, of size about 2^-4 ... 2^4. */
static float small_value(int bits) {
  const float m = (float)next(1u << bits) - (float)(1u << (bits - 1));
  return m * (float)ldexp(1, (int)next(4) - bits);
}

/* [1, n] x [n, 1] and the sum of a row, in one arithmetic. */
static void check_sums(const webnn_arithmetic *arithmetic, uint32_t n, const char *name) {
  const format *sums = arithmetic->accumulate == WEBNN_ACCUMULATE_FLOAT16   ? &float16
                       : arithmetic->accumulate == WEBNN_ACCUMULATE_FLOAT32 ? &float32
                                                                            : &exact;
  const format *each = arithmetic->round_intermediates == WEBNN_INTERMEDIATES_FLOAT16    ? &float16
                       : arithmetic->round_intermediates == WEBNN_INTERMEDIATES_BFLOAT16 ? &bfloat16
                                                                                         : &exact;
  const bool flush = arithmetic->flush_subnormals;
  const webnn_list row = WEBNN_LIST(1, n), column = WEBNN_LIST(n, 1);
  uint32_t i;
  static float a[300], b[300];
  static double products[300], values[300];
  float dot, sum[2];
  double expected;
  for (i = 0; i < n; i++) {
    a[i] = small_value(10);
    b[i] = small_value(10);
    products[i] = round_to((double)a[i] * (double)b[i], each, flush);
    values[i] = (double)a[i];
  }
  run(arithmetic, matmul, row, a, n, column, b, n, &dot, 1);
  expected = round_to(sum_of(products, n, arithmetic->order, arithmetic->block_size, sums, flush),
                      each, flush);
  CHECK(name, (double)dot == (double)(float)expected, "matmul of %u: expected %.9g, got %.9g",
        (unsigned)n, expected, (double)dot);
  run(arithmetic, reduce_sum, row, a, n, column, b, n, sum, 2);
  expected = round_to(sum_of(values, n, arithmetic->order, arithmetic->block_size, sums, flush),
                      each, flush);
  CHECK(name, (double)sum[0] == (double)(float)expected, "reduceSum of %u: expected %.9g, got %.9g",
        (unsigned)n, expected, (double)sum[0]);
}

static void check_every_sum(void) {
  static const uint32_t lengths[] = {1, 2, 3, 7, 8, 9, 31, 64, 100, 255};
  static const uint32_t blocks[] = {1, 3, 8, 64};
  static const char *const orders[] = {"sequential", "pairwise", "blocks"};
  int accumulate, order, each;
  size_t i, j;
  for (accumulate = 0; accumulate < 3; accumulate++) {
    for (order = 0; order < 3; order++) {
      for (each = 0; each < 3; each++) {
        for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
          for (j = 0; j < (order == WEBNN_ORDER_BLOCKS ? sizeof blocks / sizeof *blocks : 1); j++) {
            webnn_arithmetic arithmetic = WEBNN_ZERO;
            char name[96];
            arithmetic.accumulate = (webnn_accumulation)accumulate;
            arithmetic.order = (webnn_summation_order)order;
            arithmetic.block_size = blocks[j];
            arithmetic.round_intermediates = (webnn_intermediates)each;
            snprintf(name, sizeof name, "accumulate %d, %s of %u, intermediates %d", accumulate,
                     orders[order], (unsigned)blocks[j], each);
            check_sums(&arithmetic, lengths[i], name);
          }
        }
      }
    }
  }
}

/* a x + b, x / (1 + |x|), and a sum of squares: every operation rounded. */
static webnn_operand *chain(webnn_builder *builder, webnn_operand *a, webnn_operand *b) {
  webnn_linear_options linear = WEBNN_ZERO;
  linear.alpha = webnn_f64(1.375);
  linear.beta = webnn_f64(-0.15625);
  return webnn_concat(
      builder, WEBNN_OPERANDS(webnn_linear(builder, a, &linear), webnn_softsign(builder, b, NULL)),
      0, NULL);
}

static void check_intermediates(const char *name, webnn_intermediates each, const format *f) {
  webnn_arithmetic arithmetic = WEBNN_ZERO;
  const webnn_list shape = WEBNN_LIST(200);
  static float a[200], b[200], result[400];
  int i;
  arithmetic.round_intermediates = each;
  for (i = 0; i < 200; i++) {
    a[i] = small_value(12);
    b[i] = small_value(12);
  }
  run(&arithmetic, chain, shape, a, 200, shape, b, 200, result, 400);
  for (i = 0; i < 200; i++) {
    const double y = round_to(round_to(1.375 * (double)a[i], f, false) - 0.15625, f, false);
    const double z =
        round_to((double)b[i] / round_to(1.0 + fabs((double)b[i]), f, false), f, false);
    CHECK(name, (double)result[i] == y, "linear(%.9g): expected %.9g, got %.9g", (double)a[i], y,
          (double)result[i]);
    CHECK(name, (double)result[200 + i] == z, "softsign(%.9g): expected %.9g, got %.9g",
          (double)b[i], z, (double)result[200 + i]);
  }
}

static webnn_operand *product(webnn_builder *builder, webnn_operand *a, webnn_operand *b) {
  return webnn_mul(builder, a, b, NULL);
}

/* Inputs that are subnormal count as zero; results that would be subnormal become zero. */
static void check_flushing(void) {
  webnn_arithmetic arithmetic = WEBNN_ZERO;
  const webnn_list shape = WEBNN_LIST(4);
  const float a[4] = {1e-40f, 1e-30f, -1e-30f, 2.0f}, b[4] = {1e20f, 1e-10f, 1e-10f, 3.0f};
  float kept[4], flushed[4];
  run(&arithmetic, product, shape, a, 4, shape, b, 4, kept, 4);
  arithmetic.flush_subnormals = true;
  run(&arithmetic, product, shape, a, 4, shape, b, 4, flushed, 4);
  CHECK("flush", kept[0] > 0 && flushed[0] == 0, "a subnormal input is kept, or made 0");
  CHECK("flush", kept[1] > 0 && flushed[1] == 0 && !signbit(flushed[1]), "a subnormal result");
  CHECK("flush", kept[2] < 0 && flushed[2] == 0 && signbit(flushed[2]), "it keeps its sign");
  CHECK("flush", kept[3] == 6.0f && flushed[3] == 6.0f, "normal numbers are left alone");
}

/* What a context refuses. */
static void check_options(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_error error = WEBNN_ZERO;
  options.arithmetic.accumulate = WEBNN_ACCUMULATE_FLOAT32;
  CHECK("options", webnn_create_context(&options, &context, &error) == WEBNN_TYPE_ERROR,
        "a fast context takes no arithmetic");
  CHECK("options", strstr(error.message, "reference") != NULL, "says why: %s", error.message);
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.arithmetic.order = WEBNN_ORDER_BLOCKS;
  CHECK("options", webnn_create_context(&options, &context, &error) == WEBNN_TYPE_ERROR,
        "blocks of 0");
  options.arithmetic.block_size = 4;
  CHECK("options", webnn_create_context(&options, &context, &error) == WEBNN_OK, "%s",
        error.message);
  webnn_free_context(context);
  options.arithmetic.accumulate = (webnn_accumulation)7;
  CHECK("options", webnn_create_context(&options, &context, &error) == WEBNN_TYPE_ERROR,
        "a value outside the enumeration");
}

int main(void) {
  check_every_sum();
  check_intermediates("float16 intermediates", WEBNN_INTERMEDIATES_FLOAT16, &float16);
  check_intermediates("bfloat16 intermediates", WEBNN_INTERMEDIATES_BFLOAT16, &bfloat16);
  check_flushing();
  check_options();
  return test_end();
}
