/* Each operator against the same value built from other operators, both in one graph, over random
   inputs of every data type the operator takes, in a reference and in a fast context.

   How far the two may differ. With u = 2^-24 (float32) or 2^-11 (float16), one rounding changes a
   value of magnitude m by at most u m. A case says within(r, m): the formula and its emulation
   differ by at most r roundings of values up to m, where r counts every operator of the emulation
   (in float16 each of them rounds) and how much later ones enlarge it. Where all steps but the last
   are exact, because the inputs are small multiples of a power of two, both sides round the same
   exact value once and must agree to the bit: rounded_once(r, m) asks that of the reference
   context, and within(r, m) of the fast one. Integers, and operators that only select, move or
   compare, must agree exactly in both: exact(). In the fast context an operator may be several ULP
   off by itself, in float32 more than in float16, whose sums and functions are taken in float32:
   SLACK below. */
#include "test.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BIT(type) (1u << WEBNN_##type)
enum {
  FLOATS = BIT(FLOAT32) | BIT(FLOAT16),
  SIGNED = FLOATS | BIT(INT64) | BIT(INT32) | BIT(INT8),
  SUMS = FLOATS | BIT(INT32) | BIT(UINT32) | BIT(INT64) | BIT(UINT64),
  ANY = SUMS | BIT(INT8) | BIT(UINT8)
};
enum { MAX_FEEDS = 96, MAX_PAIRS = 64 };
#define SLACK(type) ((type) == WEBNN_FLOAT32 ? 8.0 : 2.0)

/* ---- the graph of one case ------------------------------------------------------------------- */

typedef struct feed {
  char name[16];
  webnn_data_type type;
  webnn_list shape;
  void *data;
  size_t bytes;
} feed;

/* The operator's own value, its emulation, and how far they may differ. */
typedef struct pair {
  webnn_op op;
  const char *what;
  webnn_operand *actual, *emulated;
  double roundings, magnitude;
  bool exact_in_reference;
} pair;

static webnn_builder *by;
static webnn_data_type type; /* of the current run */
static uint64_t random_state;
static feed feeds[MAX_FEEDS];
static pair pairs[MAX_PAIRS];
static size_t feed_count, pair_count;
static int pairs_of[WEBNN_OP_COUNT + 1];

static size_t bytes_of(webnn_data_type of, webnn_list shape) {
  return test_element_count(shape) * (webnn_data_type_bits(of) / 8);
}

/* An input whose data the caller fills next. */
static webnn_operand *new_feed(webnn_data_type of, webnn_list shape, feed **made) {
  feed *f = &feeds[feed_count];
  if (feed_count == MAX_FEEDS) {
    printf("too many inputs in one case\n");
    exit(1);
  }
  snprintf(f->name, sizeof f->name, "x%d", (int)feed_count++);
  f->type = of;
  f->shape = shape;
  f->bytes = bytes_of(of, shape);
  f->data = test_allocate(f->bytes);
  *made = f;
  return webnn_input(by, f->name, (webnn_operand_descriptor){of, f->shape});
}

/* Evenly from [low, high]; integers and unsigned types only get what they can hold. */
static webnn_operand *uniform_as(webnn_data_type of, double low, double high, webnn_list shape) {
  feed *f;
  webnn_operand *x = new_feed(of, shape, &f);
  size_t i, n = test_element_count(shape);
  bool is_unsigned = of == WEBNN_UINT8 || of == WEBNN_UINT32 || of == WEBNN_UINT64;
  if (is_unsigned && low < 0)
    low = 0;
  for (i = 0; i < n; i++) {
    double v = test_random_between(&random_state, low, high);
    if (!test_is_float(of))
      v = (double)(int64_t)test_random_between(&random_state, low, high + 0.999);
    test_set(of, f->data, i, v);
  }
  return x;
}
#define UNIFORM(low, high, ...) uniform_as(type, low, high, WEBNN_LIST(__VA_ARGS__))

/* Whole multiples of 1 / parts from [-limit, limit]: sums and products of few are exact. */
static webnn_operand *grid_list(double parts, int limit, webnn_list shape) {
  feed *f;
  webnn_operand *x = new_feed(type, shape, &f);
  size_t i, n = test_element_count(shape);
  bool is_unsigned = type == WEBNN_UINT8 || type == WEBNN_UINT32 || type == WEBNN_UINT64;
  for (i = 0; i < n; i++) {
    uint64_t range = (uint64_t)((is_unsigned ? 1 : 2) * limit * (int)parts + 1);
    int k = (int)(test_random(&random_state) % range) - (is_unsigned ? 0 : limit * (int)parts);
    test_set(type, f->data, i, test_is_float(type) ? k / parts : (double)(k / (int)parts));
  }
  return x;
}
#define GRID(parts, limit, ...) grid_list(parts, limit, WEBNN_LIST(__VA_ARGS__))

/* Any bits for integers; for floats also NaN, infinities, zeros, the largest and subnormal values.
 */
static webnn_operand *anything_as(webnn_data_type of, webnn_list shape) {
  static const float special[] = {NAN,   INFINITY, -INFINITY, 0.0f,   -0.0f, 65504.0f,
                                  -1.0f, 1.0f,     6.0e-8f,   -1e-7f, 0.5f,  -0.5f};
  feed *f;
  webnn_operand *x = new_feed(of, shape, &f);
  size_t i, n = test_element_count(shape);
  for (i = 0; i < f->bytes && !test_is_float(of); i++)
    ((uint8_t *)f->data)[i] = (uint8_t)(test_random(&random_state) >> 32);
  for (i = 0; i < n && test_is_float(of); i++) {
    uint64_t r = test_random(&random_state) >> 20;
    double v = r % 4 == 0 ? (double)special[r / 4 % COUNT(special)]
                          : test_random_between(&random_state, -10, 10);
    test_set(of, f->data, i, v);
  }
  return x;
}
#define ANYTHING(...) anything_as(type, WEBNN_LIST(__VA_ARGS__))

/* Given whole numbers as an input of an integer type (indices). */
static webnn_operand *given_numbers(webnn_data_type of, const int *values, webnn_list shape) {
  feed *f;
  webnn_operand *x = new_feed(of, shape, &f);
  size_t i, n = test_element_count(shape);
  for (i = 0; i < n; i++)
    test_set(of, f->data, i, values[i]);
  return x;
}
static webnn_operand *fixed_numbers(webnn_data_type of, const double *values, webnn_list shape) {
  size_t i, n = test_element_count(shape), bytes = bytes_of(of, shape);
  void *data = test_allocate(bytes);
  webnn_operand *x;
  for (i = 0; i < n; i++)
    test_set(of, data, i, values[i]);
  x = webnn_constant(by, (webnn_operand_descriptor){of, shape}, data, bytes);
  free(data);
  return x;
}

static void add_pair(webnn_op op, const char *what, webnn_operand *actual, webnn_operand *emulated,
                     double roundings, double magnitude, bool exact_in_reference) {
  pair *p = &pairs[pair_count];
  if (!CHECK("pairs", pair_count < MAX_PAIRS, "too many in one case"))
    return;
  pair_count++;
  p->op = op;
  p->what = what;
  p->actual = actual;
  p->emulated = emulated;
  p->roundings = roundings;
  p->magnitude = magnitude;
  p->exact_in_reference = exact_in_reference;
  pairs_of[op]++;
}
#define EXACT(op, what, actual, emulated)                                                          \
  add_pair(WEBNN_OP_##op, what, actual, emulated, 0, 0, true)
#define WITHIN(op, what, roundings, magnitude, actual, emulated)                                   \
  add_pair(WEBNN_OP_##op, what, actual, emulated, roundings, magnitude, false)
#define ROUNDED_ONCE(op, what, roundings, magnitude, actual, emulated)                             \
  add_pair(WEBNN_OP_##op, what, actual, emulated, roundings, magnitude, true)

/* ---- running and comparing ------------------------------------------------------------------- */

static double absolute(double x) {
  return x < 0 ? -x : x;
}

static bool close_enough(double a, double b, double tolerance) {
  if (a != a || b != b)
    return a != a && b != b;
  return a == b || absolute(a - b) <= tolerance;
}

static void compare(const pair *p, webnn_numerics numerics, const void *actual,
                    const void *emulated) {
  webnn_data_type of = webnn_operand_data_type(p->actual);
  size_t i, n = test_element_count(webnn_operand_shape(p->actual)), wrong = 0, first = 0;
  double unit = of == WEBNN_FLOAT32 ? 1 / 16777216.0 : 1 / 2048.0;
  double least = of == WEBNN_FLOAT32 ? 1.5e-45 : 1 / 16777216.0; /* the smallest subnormal */
  double tolerance = test_is_float(of) ? p->roundings * (unit * p->magnitude + least) : 0;
  char name[128];
  if (numerics == WEBNN_NUMERICS_REFERENCE && p->exact_in_reference)
    tolerance = 0;
  if (numerics == WEBNN_NUMERICS_FAST && p->roundings > 0)
    tolerance *= SLACK(of);
  if (test_is_float(of)) {
    for (i = 0; i < n; i++)
      if (!close_enough(test_get(of, actual, i), test_get(of, emulated, i), tolerance) && !wrong++)
        first = i;
  } else {
    size_t bytes = webnn_data_type_bits(of) / 8;
    for (i = 0; i < n; i++)
      if (memcmp((const char *)actual + i * bytes, (const char *)emulated + i * bytes, bytes) &&
          !wrong++)
        first = i;
  }
  snprintf(name, sizeof name, "%s %s, %s, %s", webnn_op_name(p->op), p->what,
           webnn_data_type_name(type), numerics ? "reference" : "fast");
  CHECK(name, wrong == 0, "%d of %d differ, first [%d]: %.9g, emulation %.9g, tolerance %.3g",
        (int)wrong, (int)n, (int)first, test_get(of, actual, first), test_get(of, emulated, first),
        tolerance);
}

static webnn_tensor *new_tensor(webnn_context *context, webnn_data_type of, webnn_list shape) {
  webnn_tensor *tensor = NULL;
  webnn_error error = WEBNN_ZERO;
  if (webnn_create_tensor(context, (webnn_tensor_descriptor){of, shape, true, true}, &tensor,
                          &error) != WEBNN_OK)
    CHECK("createTensor", false, "%s", error.message);
  return tensor;
}

static void read_and_compare(webnn_context *context, webnn_numerics numerics,
                             webnn_tensor *const *results) {
  size_t i;
  for (i = 0; i < pair_count; i++) {
    webnn_data_type of = webnn_operand_data_type(pairs[i].actual);
    size_t bytes = bytes_of(of, webnn_operand_shape(pairs[i].actual));
    void *actual = test_allocate(bytes), *emulated = test_allocate(bytes);
    if (webnn_read_tensor(context, results[2 * i], actual, bytes, NULL) == WEBNN_OK &&
        webnn_read_tensor(context, results[2 * i + 1], emulated, bytes, NULL) == WEBNN_OK)
      compare(&pairs[i], numerics, actual, emulated);
    else
      CHECK(pairs[i].what, false, "reading failed");
    free(actual);
    free(emulated);
  }
}

static void run_graph(webnn_context *context, webnn_numerics numerics, webnn_graph *graph) {
  webnn_named_tensor in[MAX_FEEDS], out[2 * MAX_PAIRS];
  webnn_tensor *results[2 * MAX_PAIRS];
  char names[2 * MAX_PAIRS][16];
  webnn_graph_port ports[MAX_FEEDS];
  webnn_error error = WEBNN_ZERO;
  size_t i, j, used = webnn_graph_inputs(graph, ports, MAX_FEEDS);
  for (i = 0; i < used; i++) {
    for (j = 0; strcmp(feeds[j].name, ports[i].name) != 0;)
      j++;
    in[i].name = feeds[j].name;
    in[i].tensor = new_tensor(context, feeds[j].type, feeds[j].shape);
    webnn_write_tensor(context, in[i].tensor, feeds[j].data, feeds[j].bytes, NULL);
  }
  for (i = 0; i < 2 * pair_count; i++) {
    const webnn_operand *x = i % 2 ? pairs[i / 2].emulated : pairs[i / 2].actual;
    snprintf(names[i], sizeof names[i], "y%d", (int)i);
    results[i] = new_tensor(context, webnn_operand_data_type(x), webnn_operand_shape(x));
    out[i].name = names[i];
    out[i].tensor = results[i];
  }
  if (CHECK(pairs[0].what,
            webnn_dispatch(context, graph, in, used, out, 2 * pair_count, &error) == WEBNN_OK,
            "dispatch: %s", error.message))
    read_and_compare(context, numerics, results);
  for (i = 0; i < used; i++)
    webnn_free_tensor(in[i].tensor);
  for (i = 0; i < 2 * pair_count; i++)
    webnn_free_tensor(results[i]);
}

static bool pairs_match(const char *name) {
  bool ok = CHECK(name, webnn_builder_status(by) == WEBNN_OK, "%s %s", webnn_data_type_name(type),
                  webnn_builder_message(by));
  size_t i;
  for (i = 0; ok && i < pair_count; i++)
    ok = CHECK(name,
               test_same_list(webnn_operand_shape(pairs[i].actual),
                              webnn_operand_shape(pairs[i].emulated)) &&
                   webnn_operand_data_type(pairs[i].actual) ==
                       webnn_operand_data_type(pairs[i].emulated),
               "%s: %s %s, emulation %s %s", pairs[i].what,
               webnn_data_type_name(webnn_operand_data_type(pairs[i].actual)),
               test_shape_text(webnn_operand_shape(pairs[i].actual)),
               webnn_data_type_name(webnn_operand_data_type(pairs[i].emulated)),
               test_shape_text(webnn_operand_shape(pairs[i].emulated)));
  return ok;
}

static void run_once(const char *name, webnn_context *context, webnn_numerics numerics,
                     void (*build)(void)) {
  webnn_named_operand out[2 * MAX_PAIRS];
  char names[2 * MAX_PAIRS][16];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t i;
  by = test_builder(context);
  feed_count = pair_count = 0;
  random_state = UINT64_C(0x9E3779B97F4A7C15);
  build();
  if (pairs_match(name)) {
    for (i = 0; i < 2 * pair_count; i++) {
      snprintf(names[i], sizeof names[i], "y%d", (int)i);
      out[i].name = names[i];
      out[i].operand = i % 2 ? pairs[i / 2].emulated : pairs[i / 2].actual;
    }
    if (CHECK(name, webnn_build(by, out, 2 * pair_count, &graph, &error) == WEBNN_OK, "build: %s",
              error.message))
      run_graph(context, numerics, graph);
  }
  for (i = 0; i < feed_count; i++)
    free(feeds[i].data);
  webnn_free_graph(graph);
  webnn_free_builder(by);
}

static webnn_context *contexts[2]; /* by webnn_numerics */

static void run(const char *name, unsigned types, void (*build)(void)) {
  int numerics, t;
  for (numerics = 0; numerics < 2; numerics++)
    for (t = WEBNN_FLOAT32; t <= WEBNN_UINT8; t++)
      if (types >> t & 1u) {
        type = (webnn_data_type)t;
        run_once(name, contexts[numerics], (webnn_numerics)numerics, build);
      }
}

/* ---- the operators, written short ------------------------------------------------------------ */

#define L(...) WEBNN_LIST(__VA_ARGS__)
#define WITH(name, ...) (&(webnn_##name##_options){__VA_ARGS__})
#define ADD(a, b) webnn_add(by, a, b, NULL)
#define SUB(a, b) webnn_sub(by, a, b, NULL)
#define MUL(a, b) webnn_mul(by, a, b, NULL)
#define DIV(a, b) webnn_div(by, a, b, NULL)
#define MAX(a, b) webnn_max(by, a, b, NULL)
#define MIN(a, b) webnn_min(by, a, b, NULL)
#define EXP(x) webnn_exp(by, x, NULL)
#define LOG(x) webnn_log(by, x, NULL)
#define NEG(x) webnn_neg(by, x, NULL)
#define ABS(x) webnn_abs(by, x, NULL)
#define SQRT(x) webnn_sqrt(by, x, NULL)
#define NOT(x) webnn_logical_not(by, x, NULL)
#define EQUAL(a, b) webnn_equal(by, a, b, NULL)
#define NOT_EQUAL(a, b) webnn_not_equal(by, a, b, NULL)
#define GREATER(a, b) webnn_greater(by, a, b, NULL)
#define LESSER(a, b) webnn_lesser(by, a, b, NULL)
#define WHERE(c, t, f) webnn_where(by, c, t, f, NULL)
#define CAST(x, to) webnn_cast(by, x, to, NULL)
#define MATMUL(a, b) webnn_matmul(by, a, b, NULL)
#define RESHAPE(x, ...) webnn_reshape(by, x, L(__VA_ARGS__), NULL)
#define TURN(x, ...) webnn_transpose(by, x, WITH(transpose, .permutation = L(__VA_ARGS__)))
#define CONCAT(axis, ...) webnn_concat(by, WEBNN_OPERANDS(__VA_ARGS__), axis, NULL)
#define SUM_KEPT(x, ...)                                                                           \
  webnn_reduce_sum(by, x, WITH(reduce, .axes = L(__VA_ARGS__), .keep_dimensions = true))
#define MEAN_KEPT(x, list)                                                                         \
  webnn_reduce_mean(by, x, WITH(reduce, .axes = list, .keep_dimensions = true))

/* A scalar of the current type. */
static webnn_operand *number(double value) {
  return webnn_constant_from_number(by, type, webnn_f64(value));
}

static uint32_t size_at(const webnn_operand *x, uint32_t axis) {
  return webnn_operand_shape(x).items[axis];
}

/* Elements first, first + 1, ... first + count - 1 along axis. */
static webnn_operand *part(webnn_operand *x, uint32_t axis, uint32_t first, uint32_t count) {
  webnn_list starts = {.given = true}, sizes = webnn_operand_shape(x);
  starts.count = sizes.count;
  starts.items[axis] = first;
  sizes.items[axis] = count;
  return webnn_slice(by, x, starts, sizes, NULL);
}

static webnn_operand *reshape_like(webnn_operand *x, const webnn_operand *like) {
  return webnn_reshape(by, x, webnn_operand_shape(like), NULL);
}

/* ---- 8.9.13 - 8.9.15 ------------------------------------------------------------------------- */

static void arithmetic(void) {
  webnn_operand *a = ANYTHING(3, 1, 5), *b = ANYTHING(4, 5), *zero = number(0);
  webnn_operand *small = GRID(4, 9, 3, 7), *lead = UNIFORM(-9, 9, 2, 3, 5);
  EXACT(ADD, "as sub", ADD(a, b), SUB(a, SUB(zero, b)));
  EXACT(SUB, "as add", SUB(a, b), ADD(a, SUB(zero, b)));
  EXACT(MUL, "by 3 as sums", MUL(small, number(3)), ADD(ADD(small, small), small));
  EXACT(DIV, "undoes mul", DIV(MUL(small, number(4)), number(4)), ADD(small, zero));
  small = UNIFORM(-9, 9, 3, 1);
  EXACT(MAX, "as where", MAX(lead, small), WHERE(GREATER(lead, small), lead, small));
  EXACT(MIN, "as where", MIN(small, lead), WHERE(LESSER(small, lead), small, lead));
  lead = UNIFORM(-11, 11, 4, 5);
  ROUNDED_ONCE(POW, "2 as mul", 4, 121, webnn_pow(by, lead, number(2), NULL), MUL(lead, lead));
  EXACT(POW, "1", webnn_pow(by, lead, number(1), NULL), ADD(lead, zero));
  EXACT(POW, "0", webnn_pow(by, lead, zero, NULL), ADD(MUL(zero, lead), number(1)));
}

static void integer_powers(void) {
  webnn_operand *x = ANYTHING(5, 9);
  EXACT(POW, "3 as mul, wrapping", webnn_pow(by, x, number(3), NULL), MUL(MUL(x, x), x));
  EXACT(MUL, "anything by 3", MUL(x, number(3)), ADD(ADD(x, x), x));
}

static void negative_integer_powers(void) {
  webnn_operand *x = UNIFORM(-3, 3, 5, 9), *zero = number(0), *one = number(1);
  webnn_operand *is_one = EQUAL(x, one), *is_minus_one = EQUAL(x, number(-1));
  EXACT(POW, "-1 as where", webnn_pow(by, x, number(-1), NULL),
        WHERE(is_one, one, WHERE(is_minus_one, number(-1), zero)));
  EXACT(POW, "-2 as where", webnn_pow(by, x, number(-2), NULL),
        WHERE(is_one, one, WHERE(is_minus_one, one, zero)));
}

static void float_division(void) {
  webnn_operand *a = UNIFORM(-4, 4, 6, 7), *b = UNIFORM(0.5, 2, 6, 7);
  /* a (1 / b): the reciprocal is at most 2, a / b at most 8. */
  WITHIN(DIV, "as mul of the reciprocal", 3, 8, DIV(a, b), MUL(a, webnn_reciprocal(by, b, NULL)));
  ROUNDED_ONCE(RECIPROCAL, "as div", 2, 2, webnn_reciprocal(by, b, NULL), DIV(number(1), b));
  WITHIN(SQRT, "as pow", 3, 2, SQRT(b), webnn_pow(by, b, number(0.5), NULL));
}

static void comparisons(void) {
  webnn_operand *a = ANYTHING(3, 40), *b = ANYTHING(3, 40);
  b = WHERE(uniform_as(WEBNN_UINT8, 0, 2, L(3, 40)), b, a); /* some equal ones */
  EXACT(EQUAL, "as not notEqual", EQUAL(a, b), NOT(NOT_EQUAL(a, b)));
  EXACT(NOT_EQUAL, "as not equal", NOT_EQUAL(a, b), NOT(EQUAL(a, b)));
  EXACT(GREATER, "as lesser", GREATER(a, b), LESSER(b, a));
  EXACT(LESSER, "as greater", LESSER(a, b), GREATER(b, a));
  EXACT(GREATER_OR_EQUAL, "as or", webnn_greater_or_equal(by, a, b, NULL),
        webnn_logical_or(by, GREATER(a, b), EQUAL(a, b), NULL));
  EXACT(LESSER_OR_EQUAL, "as or", webnn_lesser_or_equal(by, a, b, NULL),
        webnn_logical_or(by, LESSER(a, b), EQUAL(a, b), NULL));
}

static void logic(void) {
  webnn_operand *a = UNIFORM(0, 2, 5, 8), *b = UNIFORM(0, 2, 8), *zero = number(0),
                *one = number(1);
  EXACT(LOGICAL_NOT, "as equal", NOT(a), EQUAL(a, zero));
  EXACT(LOGICAL_AND, "as where", webnn_logical_and(by, a, b, NULL),
        WHERE(a, NOT_EQUAL(b, zero), zero));
  EXACT(LOGICAL_OR, "as where", webnn_logical_or(by, a, b, NULL),
        WHERE(a, one, NOT_EQUAL(b, zero)));
  EXACT(LOGICAL_XOR, "as notEqual", webnn_logical_xor(by, a, b, NULL),
        NOT_EQUAL(NOT_EQUAL(a, zero), NOT_EQUAL(b, zero)));
}

static void float_predicates_and_rounding(void) {
  webnn_operand *x = ANYTHING(4, 30), *y = UNIFORM(-200, 200, 4, 30);
  /* Adding 1.5 2^23 (2^10) pushes the fraction out of the significand, ties to even. */
  webnn_operand *push = number(type == WEBNN_FLOAT32 ? 12582912.0 : 1536.0);
  EXACT(IS_NAN, "as notEqual", webnn_is_nan(by, x, NULL), NOT_EQUAL(x, x));
  EXACT(IS_INFINITE, "as equal", webnn_is_infinite(by, x, NULL),
        EQUAL(ABS(x), number((double)INFINITY)));
  EXACT(CEIL, "as floor", webnn_ceil(by, x, NULL), NEG(webnn_floor(by, NEG(x), NULL)));
  EXACT(FLOOR, "as ceil", webnn_floor(by, x, NULL), NEG(webnn_ceil(by, NEG(x), NULL)));
  EXACT(ROUND_EVEN, "by pushing", webnn_round_even(by, y, NULL), SUB(ADD(y, push), push));
  y = GRID(2, 20, 50);
  EXACT(ROUND_EVEN, "halves", webnn_round_even(by, y, NULL), SUB(ADD(y, push), push));
  /* The truncation that cast does, as sign(x) floor(|x|). */
  EXACT(CAST, "to int32 and back", CAST(CAST(y, WEBNN_INT32), type),
        MUL(webnn_sign(by, y, NULL), webnn_floor(by, ABS(y), NULL)));
}

static void integer_casts(void) {
  webnn_operand *x = ANYTHING(60), *wide = CAST(x, WEBNN_INT64);
  webnn_operand *modulus = webnn_constant_from_number(by, WEBNN_INT64, webnn_i64(256)), *low;
  /* The low byte by arithmetic: x - 256 (x / 256), made positive. */
  low = SUB(wide, MUL(modulus, DIV(wide, modulus)));
  low = WHERE(LESSER(low, webnn_constant_from_number(by, WEBNN_INT64, webnn_i64(0))),
              ADD(low, modulus), low);
  EXACT(CAST, "to uint8", CAST(CAST(x, WEBNN_UINT8), WEBNN_INT64), low);
}

static void signs(void) {
  webnn_operand *x = ANYTHING(5, 20), *zero = number(0), *slope = ANYTHING(20);
  EXACT(ABS, "as max", ABS(x), MAX(x, NEG(x)));
  EXACT(NEG, "as sub", NEG(x), SUB(zero, x));
  EXACT(SIGN, "as where", webnn_sign(by, x, NULL),
        WHERE(GREATER(x, zero), number(1), WHERE(LESSER(x, zero), number(-1), zero)));
  EXACT(RELU, "as max", webnn_relu(by, x, NULL), MAX(zero, x));
  x = GRID(4, 15, 5, 20);
  slope = GRID(4, 7, 3, 1, 20);
  EXACT(PRELU, "of max and min", webnn_prelu(by, x, slope, NULL),
        ADD(MAX(zero, x), MUL(slope, MIN(zero, x))));
}

static void wrapping_prelu(void) {
  webnn_operand *x = ANYTHING(5, 20), *slope = ANYTHING(20), *zero = number(0);
  EXACT(PRELU, "wrapping", webnn_prelu(by, x, slope, NULL),
        ADD(MAX(zero, x), MUL(slope, MIN(zero, x))));
}

static void functions(void) {
  webnn_operand *x = UNIFORM(-1.2, 1.2, 9, 11), *y = UNIFORM(0.25, 4, 9, 11);
  webnn_operand *cosine = webnn_cos(by, x, NULL), *sine = webnn_sin(by, x, NULL);
  WITHIN(COS, "cos^2 = 1 - sin^2", 6, 1, MUL(cosine, cosine), SUB(number(1), MUL(sine, sine)));
  WITHIN(SIN, "sin^2 = 1 - cos^2", 6, 1, MUL(sine, sine), SUB(number(1), MUL(cosine, cosine)));
  /* tan is at most 2.6, cos at least 0.36. */
  WITHIN(TAN, "sin / cos", 4, 2.6, webnn_tan(by, x, NULL), DIV(sine, cosine));
  WITHIN(EXP, "1 / e^-x", 3, 3.4, EXP(x), webnn_reciprocal(by, EXP(NEG(x)), NULL));
  /* ln is at most 1.4; the reciprocal's rounding moves it by u. */
  WITHIN(LOG, "-ln 1/x", 3, 1.4, LOG(y), NEG(LOG(webnn_reciprocal(by, y, NULL))));
  EXACT(ERF, "is odd", webnn_erf(by, x, NULL), NEG(webnn_erf(by, NEG(x), NULL)));
}

/* ---- activations ----------------------------------------------------------------------------- */

static void clamping(void) {
  webnn_operand *x = ANYTHING(6, 20), *low = number(3), *high = number(7);
#define CLAMP(...) webnn_clamp(by, x, WITH(clamp, __VA_ARGS__))
  EXACT(CLAMP, "of min and max", CLAMP(.min_value = webnn_f64(3), .max_value = webnn_f64(7)),
        MIN(MAX(x, low), high));
  EXACT(CLAMP, "below", CLAMP(.min_value = webnn_f64(3)), MAX(x, low));
  EXACT(CLAMP, "above", CLAMP(.max_value = webnn_f64(7)), MIN(x, high));
  EXACT(CLAMP, "nothing", CLAMP(.label = ""), webnn_identity(by, x, NULL));
  EXACT(CLAMP, "to one value", CLAMP(.min_value = webnn_f64(7), .max_value = webnn_f64(7)),
        MIN(MAX(x, high), high));
#undef CLAMP
}

static void piecewise_activations(void) {
  webnn_operand *x = GRID(16, 8, 4, 50), *zero = number(0), *y = UNIFORM(-8, 8, 4, 50);
  webnn_operand *one = number(1), *six = number(6);
  /* With powers of two every step is exact. */
  EXACT(LEAKY_RELU, "alpha 1/8",
        webnn_leaky_relu(by, x, WITH(leaky_relu, .alpha = webnn_f64(0.125))),
        ADD(MAX(zero, x), MUL(number(0.125), MIN(zero, x))));
  EXACT(LINEAR, "alpha 1/4, beta -3",
        webnn_linear(by, x, WITH(linear, .alpha = webnn_f64(0.25), .beta = webnn_f64(-3))),
        ADD(MUL(x, number(0.25)), number(-3)));
  EXACT(HARD_SIGMOID, "alpha 1/4, beta 1/2",
        webnn_hard_sigmoid(by, x, WITH(hard_sigmoid, .alpha = webnn_f64(0.25))),
        MAX(MIN(ADD(MUL(number(0.25), x), number(0.5)), one), zero));
  /* With other numbers the product is rounded before the sum. */
  ROUNDED_ONCE(LEAKY_RELU, "default", 2, 8, webnn_leaky_relu(by, y, NULL),
               ADD(MAX(zero, y), MUL(number(0.01), MIN(zero, y))));
  WITHIN(LINEAR, "alpha 0.7, beta 0.3", 3, 6,
         webnn_linear(by, y, WITH(linear, .alpha = webnn_f64(0.7), .beta = webnn_f64(0.3))),
         ADD(MUL(y, number(0.7)), number(0.3)));
  EXACT(LINEAR, "default", webnn_linear(by, y, NULL), ADD(y, zero));
  WITHIN(HARD_SIGMOID, "default", 3, 2, webnn_hard_sigmoid(by, y, NULL),
         MAX(MIN(ADD(MUL(number(0.2), y), number(0.5)), one), zero));
  /* x max(0, min(6, x + 3)) is at most 48 and rounded before the division by 6. */
  WITHIN(HARD_SWISH, "of min and max", 4, 8, webnn_hard_swish(by, y, NULL),
         DIV(MUL(y, MAX(zero, MIN(six, ADD(y, number(3))))), six));
  /* Multiples of 1/16 up to 8: the product is exact in float32, so only the division rounds. */
  WITHIN(HARD_SWISH, "on a grid", 4, 8, webnn_hard_swish(by, x, NULL),
         DIV(MUL(x, MAX(zero, MIN(six, ADD(x, number(3))))), six));
  ROUNDED_ONCE(SOFTSIGN, "on a grid", 4, 1, webnn_softsign(by, x, NULL), DIV(x, ADD(one, ABS(x))));
  WITHIN(SOFTSIGN, "of div and abs", 3, 1, webnn_softsign(by, y, NULL), DIV(y, ADD(one, ABS(y))));
}

static void smooth_activations(void) {
  webnn_operand *x = UNIFORM(-4, 4, 4, 50), *zero = number(0), *one = number(1), *e;
  /* e^x - 1 is taken from values up to 1. */
  WITHIN(ELU, "default", 4, 4, webnn_elu(by, x, NULL),
         ADD(MAX(zero, x), SUB(EXP(MIN(zero, x)), one)));
  WITHIN(ELU, "alpha 1.5", 6, 4, webnn_elu(by, x, WITH(elu, .alpha = webnn_f64(1.5))),
         ADD(MAX(zero, x), MUL(number(1.5), SUB(EXP(MIN(zero, x)), one))));
  WITHIN(ELU, "alpha -2", 6, 4, webnn_elu(by, x, WITH(elu, .alpha = webnn_f64(-2))),
         ADD(MAX(zero, x), MUL(number(-2), SUB(EXP(MIN(zero, x)), one))));
  /* x / sqrt 2 has two roundings, which erf' times x/2 shrinks to less than one. */
  WITHIN(GELU, "of erf", 8, 4, webnn_gelu(by, x, NULL),
         MUL(MUL(x, number(0.5)), ADD(one, webnn_erf(by, DIV(x, SQRT(number(2))), NULL))));
  WITHIN(SIGMOID, "of exp", 5, 1, webnn_sigmoid(by, x, NULL), DIV(one, ADD(EXP(NEG(x)), one)));
  WITHIN(SOFTPLUS, "of log", 4, 4, webnn_softplus(by, x, NULL), LOG(ADD(EXP(x), one)));
  x = UNIFORM(-2, 2, 4, 50);
  e = EXP(MUL(x, number(2)));
  WITHIN(TANH, "of exp", 6, 1, webnn_tanh(by, x, NULL), DIV(SUB(e, one), ADD(e, one)));
}

static void softmaxes(void) {
  uint32_t axis;
  for (axis = 0; axis < 3; axis++) {
    webnn_operand *x = uniform_as(type, -4, 4, L(3, 5, 4)), *e;
    const webnn_reduce_options kept = {NULL, L(axis), true};
    e = EXP(SUB(x, webnn_reduce_max(by, x, &kept)));
    /* x - max is up to 8 and its rounding becomes relative; up to 5 terms are summed. */
    WITHIN(SOFTMAX, "of exp", 20, 1, webnn_softmax(by, x, axis, NULL),
           DIV(e, webnn_reduce_sum(by, e, &kept)));
  }
}

/* ---- reductions ------------------------------------------------------------------------------ */

typedef webnn_operand *(*binary)(webnn_builder *, webnn_operand *, webnn_operand *,
                                 const webnn_operator_options *);
typedef webnn_operand *(*reduction)(webnn_builder *, webnn_operand *, const webnn_reduce_options *);

/* a op b op c ... of the slices along axis, which stays with size 1. */
static webnn_operand *fold(binary op, webnn_operand *x, uint32_t axis) {
  webnn_operand *y = part(x, axis, 0, 1);
  uint32_t i;
  for (i = 1; i < size_at(x, axis); i++)
    y = op(by, y, part(x, axis, i, 1), NULL);
  return y;
}

static void fold_each_axis(webnn_op op, reduction reduce, binary step, webnn_operand *x) {
  webnn_operand *all = x;
  uint32_t axis;
  for (axis = 0; axis < 3; axis++) {
    add_pair(op, "one axis", reduce(by, x, WITH(reduce, .axes = L(axis), .keep_dimensions = true)),
             fold(step, x, axis), 0, 0, true);
    all = fold(step, all, axis);
  }
  add_pair(op, "two axes", reduce(by, x, WITH(reduce, .axes = L(2, 0))),
           webnn_reshape(by, fold(step, fold(step, x, 0), 2), L(size_at(x, 1)), NULL), 0, 0, true);
  add_pair(op, "all", reduce(by, x, NULL), webnn_reshape(by, all, WEBNN_EMPTY_LIST, NULL), 0, 0,
           true);
  add_pair(op, "no axes", reduce(by, x, WITH(reduce, .axes = WEBNN_EMPTY_LIST)),
           webnn_identity(by, x, NULL), 0, 0, true);
}

static void extremes(void) {
  fold_each_axis(WEBNN_OP_REDUCE_MAX, webnn_reduce_max, webnn_max, ANYTHING(3, 4, 5));
  fold_each_axis(WEBNN_OP_REDUCE_MIN, webnn_reduce_min, webnn_min, ANYTHING(3, 4, 5));
}

/* Floats from a grid on which all sums and products are exact; integers wrap. */
static webnn_operand *summable(void) {
  return test_is_float(type) ? GRID(2, 4, 3, 4, 5) : ANYTHING(3, 4, 5);
}

/* All, one, two and no axes. */
static webnn_list axes_of(int turn) {
  const webnn_list lists[] = {WEBNN_ZERO, L(1), L(2, 0), WEBNN_EMPTY_LIST};
  return lists[turn];
}

static void sums_and_products(void) {
  webnn_operand *x = summable(), *powers = GRID(1, 2, 3, 2, 2);
  webnn_reduce_options o = WEBNN_ZERO;
  int turn;
  fold_each_axis(WEBNN_OP_REDUCE_SUM, webnn_reduce_sum, webnn_add, x);
  fold_each_axis(WEBNN_OP_REDUCE_PRODUCT, webnn_reduce_product, webnn_mul,
                 test_is_float(type) ? powers : x);
  for (turn = 0; turn < 4; turn++) {
    o.axes = axes_of(turn);
    o.keep_dimensions = turn == 2;
    EXACT(REDUCE_SUM_SQUARE, "as sum of products", webnn_reduce_sum_square(by, x, &o),
          webnn_reduce_sum(by, MUL(x, x), &o));
    EXACT(REDUCE_L1, "as sum", webnn_reduce_l1(by, x, &o),
          webnn_reduce_sum(by, type == WEBNN_UINT32 || type == WEBNN_UINT64 ? x : ABS(x), &o));
  }
}

static void float_reductions(void) {
  webnn_operand *x = GRID(1, 4, 3, 4, 5), *y = UNIFORM(0.5, 2, 3, 4, 5);
  webnn_reduce_options o = WEBNN_ZERO;
  double n;
  int turn;
  for (turn = 0; turn < 4; turn++) {
    o.axes = axes_of(turn);
    o.keep_dimensions = turn % 2 == 1;
    n = turn == 0 ? 60 : turn == 1 ? 4 : turn == 2 ? 15 : 1;
    ROUNDED_ONCE(REDUCE_L2, "root of the squares", 3, 4 * n, webnn_reduce_l2(by, x, &o),
                 SQRT(webnn_reduce_sum_square(by, x, &o)));
    ROUNDED_ONCE(REDUCE_MEAN, "sum / n", 3, 4, webnn_reduce_mean(by, x, &o),
                 DIV(webnn_reduce_sum(by, x, &o), number(n)));
    /* The sum's relative rounding is an absolute one of the logarithm, which is at most ln 120. */
    WITHIN(REDUCE_LOG_SUM, "log of the sum", 3, 4.8, webnn_reduce_log_sum(by, y, &o),
           LOG(webnn_reduce_sum(by, y, &o)));
    WITHIN(REDUCE_LOG_SUM_EXP, "log of the sum of exp", 4, 6.1, webnn_reduce_log_sum_exp(by, y, &o),
           LOG(webnn_reduce_sum(by, EXP(y), &o)));
  }
}

/* Every position where x is extreme, the others replaced by a large number; the least wins. */
static void positions(void) {
  static const double iota[] = {0, 1, 2, 3, 4, 5, 6};
  uint32_t axis;
  for (axis = 0; axis < 2; axis++) {
    /* few values, so that many are equal */
    webnn_operand *x = webnn_clamp(
        by, UNIFORM(0, 3, 7, 7), WITH(clamp, .min_value = webnn_f64(1), .max_value = webnn_f64(2)));
    const webnn_list shape = axis ? L(1, 7) : L(7, 1);
    webnn_operand *index = fixed_numbers(WEBNN_INT32, iota, shape);
    webnn_operand *far = webnn_constant_from_number(by, WEBNN_INT32, webnn_f64(99));
    const webnn_reduce_options kept = {NULL, L(axis), true}, removed = {NULL, L(axis), false};
    EXACT(ARG_MAX, "the first of the largest", webnn_arg_max(by, x, axis, NULL),
          webnn_reduce_min(by, WHERE(EQUAL(x, webnn_reduce_max(by, x, &kept)), index, far),
                           &removed));
    EXACT(ARG_MIN, "the first of the smallest", webnn_arg_min(by, x, axis, NULL),
          webnn_reduce_min(by, WHERE(EQUAL(x, webnn_reduce_min(by, x, &kept)), index, far),
                           &removed));
  }
}

/* Element k is the sum of a slice; exclusive sums start with zeros. */
static webnn_operand *running_sums(webnn_operand *x, uint32_t axis, bool exclusive, bool reversed) {
  webnn_operand *y = NULL;
  uint32_t n = size_at(x, axis), k;
  for (k = 0; k < n; k++) {
    uint32_t first = reversed ? k + exclusive : 0, end = reversed ? n : k + 1 - exclusive;
    webnn_operand *element = end > first ? SUM_KEPT(part(x, axis, first, end - first), axis)
                                         : SUB(part(x, axis, k, 1), part(x, axis, k, 1));
    y = y ? CONCAT(axis, y, element) : element;
  }
  return y;
}

static void cumulative_sums(void) {
  webnn_operand *x = summable();
  uint32_t axis;
  int turn;
  for (axis = 0; axis < 3; axis++)
    for (turn = 0; turn < 4; turn++)
      EXACT(CUMULATIVE_SUM, "as sums of slices",
            webnn_cumulative_sum(by, x, axis,
                                 WITH(cumulative_sum, .exclusive = turn & 1, .reversed = turn & 2)),
            running_sums(x, axis, turn & 1, (turn & 2) != 0));
}

/* ---- products -------------------------------------------------------------------------------- */

static void products(void) {
  webnn_operand *a = GRID(2, 3, 5, 4), *b = GRID(2, 3, 4, 6), *c = GRID(2, 8, 6), *ab;
  webnn_operand *batch = GRID(2, 3, 3, 1, 5, 4), *other = GRID(2, 3, 2, 4, 6);
  webnn_operand *x = UNIFORM(-1, 1, 3, 7, 9), *y = UNIFORM(-1, 1, 9, 5);
  webnn_operand *at = GRID(2, 3, 4, 5), *bt = GRID(2, 3, 6, 4);
#define PRODUCT(p, q, rows, inner, columns)                                                        \
  webnn_reshape(by, SUM_KEPT(MUL(RESHAPE(p, rows, inner, 1), RESHAPE(q, 1, inner, columns)), 1),   \
                L(rows, columns), NULL)
  ab = PRODUCT(a, b, 5, 4, 6);
  ROUNDED_ONCE(MATMUL, "as products and a sum", 8, 36, MATMUL(a, b), ab);
  ROUNDED_ONCE(
      MATMUL, "batches broadcast", 8, 36, MATMUL(batch, other),
      RESHAPE(SUM_KEPT(MUL(RESHAPE(batch, 3, 1, 5, 4, 1), RESHAPE(other, 1, 2, 1, 4, 6)), 3), 3, 2,
              5, 6));
  /* Nine products up to 1: each is rounded in the emulation, and their sum once. */
  WITHIN(MATMUL, "random", 10, 4, MATMUL(x, y),
         RESHAPE(SUM_KEPT(MUL(RESHAPE(x, 3, 7, 9, 1), RESHAPE(y, 1, 1, 9, 5)), 2), 3, 7, 5));
#define GEMM(p, q, ...) webnn_gemm(by, p, q, WITH(gemm, __VA_ARGS__))
  ROUNDED_ONCE(GEMM, "plain", 8, 36, webnn_gemm(by, a, b, NULL), ab);
  ROUNDED_ONCE(GEMM, "alpha, beta, c of a row", 8, 80,
               GEMM(a, b, .alpha = webnn_f64(0.5), .beta = webnn_f64(-2), .c = c),
               ADD(MUL(number(0.5), ab), MUL(number(-2), c)));
  ROUNDED_ONCE(
      GEMM, "both transposed, c of a column", 8, 80,
      GEMM(at, bt, .a_transpose = true, .b_transpose = true, .c = RESHAPE(part(c, 0, 0, 5), 5, 1)),
      ADD(MATMUL(TURN(at, 1, 0), TURN(bt, 1, 0)), RESHAPE(part(c, 0, 0, 5), 5, 1)));
  ROUNDED_ONCE(GEMM, "c of a scalar", 8, 80,
               GEMM(a, bt, .b_transpose = true,
                    .c = webnn_reshape(by, part(c, 0, 0, 1), WEBNN_EMPTY_LIST, NULL)),
               ADD(MATMUL(a, TURN(bt, 1, 0)), part(c, 0, 0, 1)));
  a = UNIFORM(-1, 1, 5, 4);
  c = UNIFORM(-1, 1, 9, 4);
  WITHIN(GEMM, "random alpha and beta", 16, 6,
         GEMM(y, a, .alpha = webnn_f64(0.3), .beta = webnn_f64(0.7), .c = c),
         ADD(MATMUL(MUL(number(0.3), y), a), MUL(number(0.7), c)));
#undef GEMM
#undef PRODUCT
}

/* ---- convolutions and pooling ---------------------------------------------------------------- */

typedef struct window {
  uint32_t padding[4], strides[2], dilations[2], groups, extra[2]; /* extra: output padding */
} window;

static uint32_t effective(uint32_t k, uint32_t dilation) {
  return (k - 1) * dilation + 1;
}

static webnn_operand *pad_plane(webnn_operand *x, const uint32_t *padding, double value) {
  return webnn_pad(by, x, L(0, 0, padding[0], padding[2]), L(0, 0, padding[1], padding[3]),
                   WITH(pad, .value = webnn_f64(value)));
}

/* What the tap (a, b) of a window sees: every stride-th element of the padded [N, C, H, W]. */
static webnn_operand *tap(webnn_operand *padded, const window *w, uint32_t a, uint32_t b,
                          uint32_t rows, uint32_t columns) {
  return webnn_slice(by, padded, L(0, 0, a * w->dilations[0], b * w->dilations[1]),
                     L(size_at(padded, 0), size_at(padded, 1), (rows - 1) * w->strides[0] + 1,
                       (columns - 1) * w->strides[1] + 1),
                     WITH(slice, .strides = L(1, 1, w->strides[0], w->strides[1])));
}

/* sum over i of x[n, i] w[o, i] for one tap; x [N, I, h, w], filter [O, I, 1, 1]. */
static webnn_operand *mix_channels(webnn_operand *x, webnn_operand *filter) {
  uint32_t n = size_at(x, 0), i = size_at(x, 1), h = size_at(x, 2), w = size_at(x, 3);
  uint32_t o = size_at(filter, 0);
  return RESHAPE(SUM_KEPT(MUL(RESHAPE(x, n, 1, i, h, w), RESHAPE(filter, 1, o, i, 1, 1)), 2), n, o,
                 h, w);
}

/* x [N, I, H, W], filter [O, I / groups, kH, kW] */
static webnn_operand *conv_by_hand(webnn_operand *x, webnn_operand *filter, const window *w) {
  uint32_t kh = size_at(filter, 2), kw = size_at(filter, 3), a, b, g;
  uint32_t ig = size_at(filter, 1), og = size_at(filter, 0) / w->groups;
  webnn_operand *padded = pad_plane(x, w->padding, 0), *y = NULL;
  uint32_t rows = (size_at(padded, 2) - effective(kh, w->dilations[0])) / w->strides[0] + 1;
  uint32_t columns = (size_at(padded, 3) - effective(kw, w->dilations[1])) / w->strides[1] + 1;
  for (a = 0; a < kh; a++)
    for (b = 0; b < kw; b++) {
      webnn_operand *seen = tap(padded, w, a, b, rows, columns), *all = NULL;
      webnn_operand *weights = part(part(filter, 2, a, 1), 3, b, 1);
      for (g = 0; g < w->groups; g++) {
        webnn_operand *one = mix_channels(part(seen, 1, g * ig, ig), part(weights, 0, g * og, og));
        all = all ? CONCAT(1, all, one) : one;
      }
      y = y ? ADD(y, all) : all;
    }
  return y;
}

/* [N, C, H, W] with strides - 1 zeros between neighbours. */
static webnn_operand *spread(webnn_operand *x, const window *w) {
  uint32_t n = size_at(x, 0), c = size_at(x, 1), h = size_at(x, 2), v = size_at(x, 3);
  uint32_t s = w->strides[0], t = w->strides[1];
  x = webnn_pad(by, RESHAPE(x, n, c, h, 1, v, 1), L(0, 0, 0, 0, 0, 0), L(0, 0, 0, s - 1, 0, t - 1),
                NULL);
  return webnn_slice(by, RESHAPE(x, n, c, h * s, v * t), L(0, 0, 0, 0),
                     L(n, c, (h - 1) * s + 1, (v - 1) * t + 1), NULL);
}

/* Each tap adds the spread input, shifted, to the full output; padding then cuts it.
   x [N, I, H, W], filter [I, O / groups, kH, kW] */
static webnn_operand *conv_transpose_by_hand(webnn_operand *x, webnn_operand *filter,
                                             const window *w) {
  uint32_t kh = size_at(filter, 2), kw = size_at(filter, 3), a, b, g;
  uint32_t ig = size_at(x, 1) / w->groups, dh = w->dilations[0], dw = w->dilations[1];
  webnn_operand *wide = spread(x, w), *y = NULL, *turned = TURN(filter, 1, 0, 2, 3);
  for (a = 0; a < kh; a++)
    for (b = 0; b < kw; b++) {
      const uint32_t shift[4] = {a * dh, (kh - 1 - a) * dh + w->extra[0], b * dw,
                                 (kw - 1 - b) * dw + w->extra[1]};
      webnn_operand *moved = pad_plane(wide, shift, 0), *all = NULL;
      webnn_operand *weights = part(part(turned, 2, a, 1), 3, b, 1);
      for (g = 0; g < w->groups; g++) {
        webnn_operand *one = mix_channels(part(moved, 1, g * ig, ig), part(weights, 1, g * ig, ig));
        all = all ? CONCAT(1, all, one) : one;
      }
      y = y ? ADD(y, all) : all;
    }
  y = part(y, 2, w->padding[0], size_at(y, 2) - w->padding[0] - w->padding[1]);
  return part(y, 3, w->padding[2], size_at(y, 3) - w->padding[2] - w->padding[3]);
}

static void convolutions(void) {
  static const window windows[] = {
      {{0, 0, 0, 0}, {1, 1}, {1, 1}, 1, {0, 0}}, {{1, 1, 1, 1}, {1, 1}, {1, 1}, 1, {0, 0}},
      {{1, 0, 2, 1}, {2, 3}, {1, 1}, 1, {0, 0}}, {{2, 2, 1, 1}, {1, 2}, {2, 1}, 1, {0, 0}},
      {{1, 1, 1, 1}, {1, 1}, {1, 1}, 2, {0, 0}}, {{0, 1, 0, 1}, {2, 2}, {1, 1}, 4, {0, 0}},
  };
  size_t i;
  for (i = 0; i < COUNT(windows); i++) {
    const window *w = &windows[i];
    const webnn_list padding = webnn_list_of(w->padding, 4), strides = webnn_list_of(w->strides, 2);
    const webnn_list dilations = webnn_list_of(w->dilations, 2);
    webnn_operand *x = GRID(1, 3, 2, 4, 7, 8), *bias = GRID(1, 9, 8);
    webnn_operand *filter = GRID(1, 3, 8, 4 / w->groups, 3, 3);
    webnn_operand *y = ADD(conv_by_hand(x, filter, w), RESHAPE(bias, 1, 8, 1, 1));
    webnn_operand *last = TURN(x, 0, 2, 3, 1), *y_last = TURN(y, 0, 2, 3, 1);
#define CONV(input, weights, ...)                                                                  \
  webnn_conv2d(by, input, weights,                                                                 \
               WITH(conv2d, .padding = padding, .strides = strides, .dilations = dilations,        \
                    .groups = w->groups, .bias = bias, __VA_ARGS__))
    /* 36 products up to 9 and the bias: 333 at most. */
    ROUNDED_ONCE(CONV2D, "taps, nchw oihw", 36, 333, CONV(x, filter, .label = ""), y);
    ROUNDED_ONCE(CONV2D, "taps, nhwc ohwi", 36, 333,
                 CONV(last, TURN(filter, 0, 2, 3, 1), .input_layout = WEBNN_LAYOUT_NHWC,
                      .filter_layout = WEBNN_CONV2D_OHWI),
                 y_last);
    ROUNDED_ONCE(CONV2D, "taps, nhwc hwio", 36, 333,
                 CONV(last, TURN(filter, 2, 3, 1, 0), .input_layout = WEBNN_LAYOUT_NHWC,
                      .filter_layout = WEBNN_CONV2D_HWIO),
                 y_last);
    ROUNDED_ONCE(CONV2D, "taps, nchw ihwo", 36, 333,
                 CONV(x, TURN(filter, 1, 2, 3, 0), .filter_layout = WEBNN_CONV2D_IHWO), y);
#undef CONV
  }
}

static void transposed_convolutions(void) {
  static const window windows[] = {
      {{0, 0, 0, 0}, {1, 1}, {1, 1}, 1, {0, 0}}, {{1, 1, 1, 1}, {1, 1}, {1, 1}, 1, {0, 0}},
      {{1, 0, 2, 1}, {2, 3}, {1, 1}, 1, {0, 0}}, {{0, 2, 1, 1}, {3, 2}, {2, 1}, 1, {2, 1}},
      {{0, 0, 1, 0}, {2, 2}, {1, 2}, 2, {1, 0}}, {{0, 1, 0, 1}, {2, 2}, {1, 1}, 4, {0, 1}},
  };
  size_t i;
  for (i = 0; i < COUNT(windows); i++) {
    const window *w = &windows[i];
    const webnn_list padding = webnn_list_of(w->padding, 4), strides = webnn_list_of(w->strides, 2);
    const webnn_list dilations = webnn_list_of(w->dilations, 2), extra = webnn_list_of(w->extra, 2);
    webnn_operand *x = GRID(1, 3, 2, 4, 4, 5), *filter = GRID(1, 3, 4, 2, 3, 3);
    webnn_operand *bias = GRID(1, 9, 2 * w->groups), *y, *last, *y_last;
    y = ADD(conv_transpose_by_hand(x, filter, w), RESHAPE(bias, 1, 2 * w->groups, 1, 1));
    last = TURN(x, 0, 2, 3, 1);
    y_last = TURN(y, 0, 2, 3, 1);
#define CONV(input, weights, ...)                                                                  \
  webnn_conv_transpose2d(by, input, weights,                                                       \
                         WITH(conv_transpose2d, .padding = padding, .strides = strides,            \
                              .dilations = dilations, .groups = w->groups, .bias = bias,           \
                              __VA_ARGS__))
    ROUNDED_ONCE(CONV_TRANSPOSE2D, "taps, nchw iohw", 36, 333,
                 CONV(x, filter, .output_padding = extra), y);
    ROUNDED_ONCE(CONV_TRANSPOSE2D, "taps, by sizes", 36, 333,
                 CONV(x, filter, .output_sizes = L(size_at(y, 2), size_at(y, 3))), y);
    ROUNDED_ONCE(CONV_TRANSPOSE2D, "taps, nhwc hwoi", 36, 333,
                 CONV(last, TURN(filter, 2, 3, 1, 0), .output_padding = extra,
                      .input_layout = WEBNN_LAYOUT_NHWC,
                      .filter_layout = WEBNN_CONV_TRANSPOSE2D_HWOI),
                 y_last);
    ROUNDED_ONCE(CONV_TRANSPOSE2D, "taps, nhwc ohwi", 36, 333,
                 CONV(last, TURN(filter, 1, 2, 3, 0), .output_padding = extra,
                      .input_layout = WEBNN_LAYOUT_NHWC,
                      .filter_layout = WEBNN_CONV_TRANSPOSE2D_OHWI),
                 y_last);
#undef CONV
  }
}

/* The taps of a kH x kW window put together by `op`, over `x` padded with `value`. */
static webnn_operand *pool_by_hand(webnn_operand *x, uint32_t kh, uint32_t kw, const window *w,
                                   double value, binary op) {
  webnn_operand *padded = pad_plane(x, w->padding, value), *y = NULL;
  uint32_t rows = (size_at(padded, 2) - effective(kh, w->dilations[0])) / w->strides[0] + 1;
  uint32_t columns = (size_at(padded, 3) - effective(kw, w->dilations[1])) / w->strides[1] + 1;
  uint32_t a, b;
  for (a = 0; a < kh; a++)
    for (b = 0; b < kw; b++) {
      webnn_operand *seen = tap(padded, w, a, b, rows, columns);
      y = y ? op(by, y, seen, NULL) : seen;
    }
  return y;
}

static const window pool_windows[] = {
    {{0, 0, 0, 0}, {1, 1}, {1, 1}, 1, {0, 0}},
    {{1, 1, 0, 1}, {2, 1}, {1, 1}, 1, {0, 0}},
    {{1, 2, 2, 1}, {1, 3}, {2, 3}, 1, {0, 0}},
};
#define POOL(name, input, w, ...)                                                                  \
  webnn_##name##_pool2d(by, input,                                                                 \
                        WITH(pool2d, .window_dimensions = L(3, 2),                                 \
                             .padding = webnn_list_of((w)->padding, 4),                            \
                             .strides = webnn_list_of((w)->strides, 2),                            \
                             .dilations = webnn_list_of((w)->dilations, 2), __VA_ARGS__))

static void max_pools(void) {
  size_t i;
  for (i = 0; i < COUNT(pool_windows); i++) {
    const window *w = &pool_windows[i];
    webnn_operand *x = ANYTHING(2, 3, 7, 8), *y;
    y = pool_by_hand(x, 3, 2, w, -(double)INFINITY, webnn_max);
    EXACT(MAX_POOL2D, "taps", POOL(max, x, w, .label = ""), y);
    EXACT(MAX_POOL2D, "taps, nhwc", POOL(max, TURN(x, 0, 2, 3, 1), w, .layout = WEBNN_LAYOUT_NHWC),
          TURN(y, 0, 2, 3, 1));
    EXACT(MAX_POOL2D, "global", webnn_max_pool2d(by, x, NULL),
          webnn_reduce_max(by, x, WITH(reduce, .axes = L(2, 3), .keep_dimensions = true)));
  }
}

static void float_pools(void) {
  size_t i;
  for (i = 0; i < COUNT(pool_windows); i++) {
    const window *w = &pool_windows[i];
    webnn_operand *x = GRID(2, 4, 2, 3, 7, 8), *last = TURN(x, 0, 2, 3, 1), *sum, *count, *root;
    webnn_operand *ones = webnn_expand(by, number(1), L(2, 3, 7, 8), NULL);
    sum = pool_by_hand(x, 3, 2, w, 0, webnn_add);
    count = pool_by_hand(ones, 3, 2, w, 0, webnn_add); /* elements inside the input */
    root = SQRT(pool_by_hand(MUL(x, x), 3, 2, w, 0, webnn_add));
    ROUNDED_ONCE(AVERAGE_POOL2D, "taps", 8, 4, POOL(average, x, w, .label = ""), DIV(sum, count));
    ROUNDED_ONCE(AVERAGE_POOL2D, "taps, nhwc", 8, 4,
                 POOL(average, last, w, .layout = WEBNN_LAYOUT_NHWC),
                 TURN(DIV(sum, count), 0, 2, 3, 1));
    ROUNDED_ONCE(L2_POOL2D, "taps", 8, 10, POOL(l2, x, w, .label = ""), root);
    ROUNDED_ONCE(L2_POOL2D, "taps, nhwc", 8, 10, POOL(l2, last, w, .layout = WEBNN_LAYOUT_NHWC),
                 TURN(root, 0, 2, 3, 1));
    ROUNDED_ONCE(AVERAGE_POOL2D, "global", 8, 4, webnn_average_pool2d(by, x, NULL),
                 MEAN_KEPT(x, L(2, 3)));
    ROUNDED_ONCE(L2_POOL2D, "global", 8, 30, webnn_l2_pool2d(by, x, NULL),
                 webnn_reduce_l2(by, x, WITH(reduce, .axes = L(2, 3), .keep_dimensions = true)));
  }
}

/* Rounding up: the window that runs past the input sees what padding at the end would be, which for
   the last column is nothing else. */
static void pools_rounded_up(void) {
  static const window plain = {{0, 0, 0, 0}, {3, 3}, {1, 1}, 1, {0, 0}};
  static const window more = {{0, 2, 0, 3}, {3, 3}, {1, 1}, 1, {0, 0}};
  webnn_operand *x = ANYTHING(1, 2, 7, 9), *y;
  y = pool_by_hand(x, 3, 2, &more, -(double)INFINITY, webnn_max);
  /* rows: (7 - 3) / 3 + 1 = 2.3 -> 3; columns: (9 - 2) / 3 + 1 = 3.3 -> 4 */
  EXACT(MAX_POOL2D, "rounded up",
        POOL(max, x, &plain, .output_shape_rounding = WEBNN_ROUNDING_CEIL), y);
  EXACT(MAX_POOL2D, "sizes rounded up", POOL(max, x, &plain, .output_sizes = L(3, 4)), y);
}

/* ---- resampling ------------------------------------------------------------------------------ */

/* The matrix [out, in] of one axis: which inputs an output mixes. */
static webnn_operand *resampling_matrix(webnn_data_type of, uint32_t in, uint32_t out,
                                        bool linear) {
  double values[32 * 32] = {0};
  uint32_t o;
  for (o = 0; o < out; o++) {
    double u = (o + 0.5) * in / out - 0.5, t;
    uint32_t low;
    if (u < 0)
      u = 0;
    if (u > in - 1)
      u = in - 1;
    low = (uint32_t)u;
    t = u - low;
    if (!linear)
      t = t > 0.5 ? 1 : 0; /* halves go down */
    values[o * in + low] += 1 - t;
    if (t > 0)
      values[o * in + low + 1] += t;
  }
  return fixed_numbers(of, values, L(out, in));
}

static void resamplings(void) {
  static const uint32_t sizes[][2] = {{8, 10}, {16, 20}, {2, 5}, {4, 1}, {7, 9}, {3, 13}};
  const bool bytes = !test_is_float(type);
  const webnn_data_type of = bytes ? WEBNN_FLOAT32 : type;
  size_t i;
  for (i = 0; i < COUNT(sizes); i++) {
    uint32_t h = sizes[i][0], w = sizes[i][1];
    /* Doubling, quadrupling and halving weigh by multiples of 1/8, which is exact. */
    bool dyadic = i < 4;
    int linear;
    for (linear = 0; linear < 2; linear++) {
      webnn_operand *x = bytes ? ANYTHING(2, 3, 4, 5) : GRID(2, 8, 2, 3, 4, 5), *y, *rows, *columns;
      webnn_operand *actual = webnn_resample2d(
          by, x,
          WITH(resample2d,
               .mode = linear ? WEBNN_INTERPOLATION_LINEAR : WEBNN_INTERPOLATION_NEAREST_NEIGHBOR,
               .sizes = L(h, w)));
      if (bytes && linear && !dyadic)
        continue; /* the matrices' rounding could decide a tie */
      rows = resampling_matrix(of, 4, h, linear);
      columns = TURN(resampling_matrix(of, 5, w, linear), 1, 0);
      y = MATMUL(MATMUL(rows, bytes ? CAST(x, of) : x), columns);
      if (bytes)
        y = CAST(webnn_round_even(by, y, NULL), type);
      if (dyadic || !linear)
        ROUNDED_ONCE(RESAMPLE2D, linear ? "linear, dyadic" : "nearest", linear ? 6 : 0, 8, actual,
                     y);
      else
        WITHIN(RESAMPLE2D, "linear", 6, 8, actual, y);
    }
  }
}

static void resampled_axes(void) {
  webnn_operand *x = GRID(2, 8, 4, 3, 2, 5), *turned = TURN(x, 1, 2, 3, 0);
  /* axes 3, 0 of x are axes 2, 3 of the turned one. */
  EXACT(RESAMPLE2D, "axes 3, 0",
        webnn_resample2d(by, x, WITH(resample2d, .axes = L(3, 0), .sizes = L(10, 8))),
        TURN(webnn_resample2d(by, turned, WITH(resample2d, .sizes = L(10, 8))), 3, 0, 1, 2));
  EXACT(RESAMPLE2D, "doubled",
        webnn_resample2d(by, x, WITH(resample2d, .scales = WEBNN_FLOAT_LIST(2, 2))),
        RESHAPE(webnn_expand(by, RESHAPE(x, 4, 3, 2, 1, 5, 1), L(4, 3, 2, 2, 5, 2), NULL), 4, 3, 4,
                10));
}

/* ---- normalizations -------------------------------------------------------------------------- */

/* (x - mean) / sqrt(variance + epsilon) over axes. */
static webnn_operand *normalize(webnn_operand *x, webnn_list axes, double epsilon) {
  webnn_operand *centred = SUB(x, MEAN_KEPT(x, axes));
  return DIV(centred, SQRT(ADD(MEAN_KEPT(MUL(centred, centred), axes), number(epsilon))));
}

/* The inputs lie in [-2, 2] and their deviation is well over 1/2, so a rounding of the mean or of a
   difference (values up to 4) at most doubles; results are below 4, scale and bias below 2. */
static void normalizations(void) {
  webnn_operand *x = UNIFORM(-2, 2, 2, 3, 4, 5), *c3 = UNIFORM(-2, 2, 3), *d3 = UNIFORM(-2, 2, 3);
  webnn_operand *c5 = UNIFORM(-2, 2, 5), *d5 = UNIFORM(-2, 2, 5), *v3 = UNIFORM(0.5, 2, 3);
  webnn_operand *v5 = UNIFORM(0.5, 2, 5), *a345 = UNIFORM(-2, 2, 3, 4, 5), *y;
  webnn_operand *b345 = UNIFORM(-2, 2, 3, 4, 5), *a253 = UNIFORM(-2, 2, 2, 5, 3);
#define COLUMN(v) RESHAPE(v, 1, 3, 1, 1)
#define BATCH(mean, variance, ...)                                                                 \
  webnn_batch_normalization(by, x, mean, variance, WITH(batch_normalization, __VA_ARGS__))
  /* (x - mean) / sqrt(variance) is at most 4 / sqrt 0.5 = 5.7, times 2 plus 2. */
  y = DIV(SUB(x, COLUMN(d3)), SQRT(ADD(COLUMN(v3), number(1e-5))));
  WITHIN(BATCH_NORMALIZATION, "plain", 6, 6, BATCH(d3, v3, .label = ""), y);
  WITHIN(BATCH_NORMALIZATION, "scale and bias", 8, 14, BATCH(d3, v3, .scale = c3, .bias = d3),
         ADD(MUL(COLUMN(c3), y), COLUMN(d3)));
  WITHIN(BATCH_NORMALIZATION, "bias", 8, 8, BATCH(d3, v3, .bias = c3), ADD(y, COLUMN(c3)));
  y = DIV(SUB(x, d5), SQRT(ADD(v5, number(0.125))));
  WITHIN(BATCH_NORMALIZATION, "axis 3, epsilon", 8, 14,
         BATCH(d5, v5, .scale = c5, .bias = d5, .axis = webnn_u64(3), .epsilon = webnn_f64(0.125)),
         ADD(MUL(c5, y), d5));
#define INSTANCE(...) webnn_instance_normalization(by, x, WITH(instance_normalization, __VA_ARGS__))
  y = normalize(x, L(2, 3), 1e-5);
  WITHIN(INSTANCE_NORMALIZATION, "plain", 12, 4, INSTANCE(.label = ""), y);
  WITHIN(INSTANCE_NORMALIZATION, "scale and bias", 14, 8, INSTANCE(.scale = c3, .bias = d3),
         ADD(MUL(COLUMN(c3), y), COLUMN(d3)));
  WITHIN(INSTANCE_NORMALIZATION, "nhwc", 14, 8,
         INSTANCE(.scale = c5, .bias = d5, .layout = WEBNN_LAYOUT_NHWC, .epsilon = webnn_f64(0.25)),
         ADD(MUL(c5, normalize(x, L(1, 2), 0.25)), d5));
#define LAYER(...) webnn_layer_normalization(by, x, WITH(layer_normalization, __VA_ARGS__))
  y = normalize(x, L(1, 2, 3), 1e-5);
  WITHIN(LAYER_NORMALIZATION, "plain", 12, 4, LAYER(.label = ""), y);
  WITHIN(LAYER_NORMALIZATION, "scale and bias", 14, 8, LAYER(.scale = a345, .bias = b345),
         ADD(MUL(a345, y), b345));
  WITHIN(LAYER_NORMALIZATION, "axes 0, 3, 1", 14, 8,
         LAYER(.scale = a253, .axes = L(0, 3, 1), .epsilon = webnn_f64(0.5)),
         MUL(RESHAPE(TURN(a253, 0, 2, 1), 2, 3, 1, 5), normalize(x, L(0, 3, 1), 0.5)));
  WITHIN(LAYER_NORMALIZATION, "axes 0, 1, 2, 3", 14, 8, LAYER(.axes = L(0, 1, 2, 3)),
         normalize(x, L(0, 1, 2, 3), 1e-5));
  EXACT(LAYER_NORMALIZATION, "no axes", LAYER(.axes = WEBNN_EMPTY_LIST), SUB(x, x));
#undef COLUMN
#undef BATCH
#undef INSTANCE
#undef LAYER
}

/* ---- quantization ---------------------------------------------------------------------------- */

/* Each element of x as often as the blocks of `to` are long. */
static webnn_operand *repeat_blocks(webnn_operand *x, const uint32_t *to) {
  uint32_t a = size_at(x, 0), b = size_at(x, 1);
  return RESHAPE(webnn_expand(by, RESHAPE(x, a, 1, b, 1), L(a, to[0] / a, b, to[1] / b), NULL),
                 to[0], to[1]);
}

static webnn_operand *powers_of_two(webnn_list shape) {
  static const double powers[] = {0.25, 0.5, 1, 2, 4};
  feed *f;
  webnn_operand *x = new_feed(type, shape, &f);
  size_t i, n = test_element_count(shape);
  for (i = 0; i < n; i++)
    test_set(type, f->data, i, powers[(test_random(&random_state) >> 20) % COUNT(powers)]);
  return x;
}

static void quantizations(void) {
  static const struct {
    webnn_data_type of;
    double low, high; /* of the quantized type, as far as every step is exact in float16 too */
  } quantized[] = {{WEBNN_UINT8, 0, 255},
                   {WEBNN_INT8, -128, 127},
                   {WEBNN_INT32, -1000, 1000},
                   {WEBNN_UINT32, 0, 1000}};
  static const uint32_t whole[2] = {4, 6}, blocks[][2] = {{4, 6}, {2, 3}, {1, 6}, {1, 1}};
  size_t i, j;
  for (i = 0; i < COUNT(quantized); i++)
    for (j = 0; j < COUNT(blocks); j++) {
      const webnn_list block = webnn_list_of(blocks[j], 2);
      webnn_data_type of = quantized[i].of;
      webnn_operand *x = uniform_as(of, quantized[i].low, quantized[i].high, L(4, 6));
      webnn_operand *zero = uniform_as(of, quantized[i].low / 8, quantized[i].high / 8, block);
      webnn_operand *scale = uniform_as(type, 0.01, 0.1, block), *f, *y, *powers;
      webnn_operand *wide_zero = repeat_blocks(CAST(zero, type), whole);
      /* Both differences are exact, so both sides round one product. */
      ROUNDED_ONCE(DEQUANTIZE_LINEAR, "of cast, sub, mul", 2, 120,
                   webnn_dequantize_linear(by, x, scale, zero, NULL),
                   MUL(SUB(CAST(x, type), wide_zero), repeat_blocks(scale, whole)));
      /* Scales that are powers of two, and halves among the quotients. Clamping to the type's own
         range (the text's emulation has 0 to 255 for all). */
      powers = powers_of_two(block);
      f = GRID(2, 150, 4, 6);
      y = ADD(webnn_round_even(by, DIV(f, repeat_blocks(powers, whole)), NULL), wide_zero);
      if (of == WEBNN_UINT8 || of == WEBNN_INT8)
        y = webnn_clamp(by, y,
                        WITH(clamp, .min_value = webnn_f64(quantized[i].low),
                             .max_value = webnn_f64(quantized[i].high)));
      if (of == WEBNN_UINT32)
        y = MAX(y, number(0));
      EXACT(QUANTIZE_LINEAR, "of div, roundEven, add, clamp",
            webnn_quantize_linear(by, f, powers, zero, NULL), CAST(y, of));
    }
}

/* ---- recurrent networks ---------------------------------------------------------------------- */

enum { BATCH = 3, IN = 4, HIDDEN = 3, STEPS = 3 };
typedef webnn_recurrent_network_activation activation;

static webnn_operand *activate(activation with, webnn_operand *x) {
  return with == WEBNN_ACTIVATION_RELU      ? webnn_relu(by, x, NULL)
         : with == WEBNN_ACTIVATION_SIGMOID ? webnn_sigmoid(by, x, NULL)
                                            : webnn_tanh(by, x, NULL);
}

static webnn_operand *gate_rows(webnn_operand *x, uint32_t gate) {
  return part(x, 0, gate * HIDDEN, HIDDEN);
}

/* x W^T for the block of one gate. */
static webnn_operand *gate_product(webnn_operand *x, webnn_operand *w, uint32_t gate) {
  return MATMUL(x, TURN(gate_rows(w, gate), 1, 0));
}

/* b + x W^T, b NULL: no bias */
static webnn_operand *biased(webnn_operand *x, webnn_operand *b, uint32_t gate) {
  return b ? ADD(x, gate_rows(b, gate)) : x;
}

typedef struct cell {
  webnn_operand *w, *r, *bias, *recurrent_bias, *peephole;
  bool reset_after;
  int layout;
  activation activations[3];
} cell;

static webnn_operand *gru_by_hand(const cell *c, webnn_operand *x, webnn_operand *h) {
  uint32_t z_block = c->layout == WEBNN_GRU_ZRN ? 0 : 1, r_block = 1 - z_block;
  webnn_operand *z, *r, *n, *one = number(1);
  z = activate(c->activations[0],
               ADD(biased(gate_product(x, c->w, z_block), c->bias, z_block),
                   biased(gate_product(h, c->r, z_block), c->recurrent_bias, z_block)));
  r = activate(c->activations[0],
               ADD(biased(gate_product(x, c->w, r_block), c->bias, r_block),
                   biased(gate_product(h, c->r, r_block), c->recurrent_bias, r_block)));
  if (c->reset_after)
    n = MUL(r, biased(gate_product(h, c->r, 2), c->recurrent_bias, 2));
  else
    n = biased(gate_product(MUL(r, h), c->r, 2), c->recurrent_bias, 2);
  n = activate(c->activations[1], ADD(biased(gate_product(x, c->w, 2), c->bias, 2), n));
  return ADD(MUL(z, h), MUL(SUB(one, z), n));
}

/* The new hidden state; *c_state becomes the new cell state. */
static webnn_operand *lstm_by_hand(const cell *c, webnn_operand *x, webnn_operand *h,
                                   webnn_operand **c_state) {
  static const uint32_t iofg[4] = {0, 1, 2, 3}, ifgo[4] = {0, 3, 1, 2}; /* blocks of i, o, f, g */
  const uint32_t *block = c->layout == WEBNN_LSTM_IOFG ? iofg : ifgo;
  webnn_operand *gate[4];
  uint32_t q;
  for (q = 0; q < 4; q++) {
    gate[q] = ADD(biased(gate_product(x, c->w, block[q]), c->bias, block[q]),
                  biased(gate_product(h, c->r, block[q]), c->recurrent_bias, block[q]));
    if (c->peephole && q < 3)
      gate[q] = ADD(gate[q], MUL(*c_state, gate_rows(c->peephole, q)));
    gate[q] = activate(c->activations[q == 3 ? 1 : 0], gate[q]);
  }
  *c_state = ADD(MUL(gate[2], *c_state), MUL(gate[0], gate[3]));
  return MUL(gate[1], activate(c->activations[2], *c_state));
}

/* Weights in [-1/4, 1/4], states and inputs in [-1, 1]: a gate's sum is at most 4/4 + 3/4 + 1/2
   = 2.3, made with 6 roundings (14 u). A sigmoid divides that by 4, tanh and relu keep it; the sums
   and products of gates and states double it at most: 32 u. With relu for the gates, values up
   to 2.3 multiply errors again: 128 u. */
static double cell_roundings(const cell *c) {
  return c->activations[0] == WEBNN_ACTIVATION_RELU || c->activations[1] == WEBNN_ACTIVATION_RELU
             ? 32
             : 8;
}

static const activation gru_activations[][2] = {{WEBNN_ACTIVATION_SIGMOID, WEBNN_ACTIVATION_TANH},
                                                {WEBNN_ACTIVATION_RELU, WEBNN_ACTIVATION_SIGMOID},
                                                {WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU}};
static const activation lstm_activations[][3] = {
    {WEBNN_ACTIVATION_SIGMOID, WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_TANH},
    {WEBNN_ACTIVATION_RELU, WEBNN_ACTIVATION_SIGMOID, WEBNN_ACTIVATION_TANH},
    {WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU, WEBNN_ACTIVATION_SIGMOID}};

static webnn_activation_list activation_list(const activation *items, uint32_t count) {
  webnn_activation_list list = WEBNN_ZERO;
  memcpy(list.items, items, count * sizeof *items);
  list.count = count;
  list.given = true;
  return list;
}

static void gru_cells(void) {
  webnn_operand *x = UNIFORM(-1, 1, BATCH, IN), *h = UNIFORM(-1, 1, BATCH, HIDDEN);
  cell c = {0};
  int layout, after, biases;
  size_t a;
  c.w = UNIFORM(-0.25, 0.25, 3 * HIDDEN, IN);
  c.r = UNIFORM(-0.25, 0.25, 3 * HIDDEN, HIDDEN);
  for (layout = 0; layout < 2; layout++)
    for (after = 0; after < 2; after++)
      for (biases = 0; biases < 2; biases++)
        for (a = 0; a < COUNT(gru_activations); a++) {
          webnn_gru_cell_options o = {0};
          if (biases && a == 0) {
            c.bias = UNIFORM(-0.25, 0.25, 3 * HIDDEN);
            c.recurrent_bias = UNIFORM(-0.25, 0.25, 3 * HIDDEN);
          }
          if (!biases)
            c.bias = c.recurrent_bias = NULL;
          c.layout = layout;
          c.reset_after = after == 0;
          memcpy(c.activations, gru_activations[a], sizeof gru_activations[a]);
          o.bias = c.bias;
          o.recurrent_bias = c.recurrent_bias;
          o.layout = (webnn_gru_weight_layout)layout;
          o.reset_before = after != 0;
          if (a)
            o.activations = activation_list(c.activations, 2);
          WITHIN(GRU_CELL, o.layout == WEBNN_GRU_ZRN ? "zrn" : "rzn", cell_roundings(&c), 4,
                 webnn_gru_cell(by, x, c.w, c.r, h, HIDDEN, &o), gru_by_hand(&c, x, h));
        }
}

static void lstm_cells(void) {
  webnn_operand *x = UNIFORM(-1, 1, BATCH, IN), *h = UNIFORM(-1, 1, BATCH, HIDDEN);
  webnn_operand *state = UNIFORM(-1, 1, BATCH, HIDDEN), *out[2];
  cell c = {0};
  int layout, given;
  size_t a;
  c.w = UNIFORM(-0.25, 0.25, 4 * HIDDEN, IN);
  c.r = UNIFORM(-0.25, 0.25, 4 * HIDDEN, HIDDEN);
  for (given = 0; given < 3; given++) {
    if (given == 1) {
      c.bias = UNIFORM(-0.25, 0.25, 4 * HIDDEN);
      c.recurrent_bias = UNIFORM(-0.25, 0.25, 4 * HIDDEN);
    }
    if (given == 2)
      c.peephole = UNIFORM(-0.25, 0.25, 3 * HIDDEN);
    for (layout = 0; layout < 2; layout++)
      for (a = 0; a < COUNT(lstm_activations); a++) {
        webnn_lstm_cell_options o = {0};
        webnn_operand *new_state = state, *new_hidden;
        c.layout = layout;
        memcpy(c.activations, lstm_activations[a], sizeof lstm_activations[a]);
        o.bias = c.bias;
        o.recurrent_bias = c.recurrent_bias;
        o.peephole_weight = c.peephole;
        o.layout = (webnn_lstm_weight_layout)layout;
        if (a)
          o.activations = activation_list(c.activations, 3);
        out[0] = out[1] = NULL;
        webnn_lstm_cell(by, x, c.w, c.r, h, state, HIDDEN, &o, out);
        new_hidden = lstm_by_hand(&c, x, h, &new_state);
        WITHIN(LSTM_CELL, layout ? "ifgo, hidden" : "iofg, hidden", cell_roundings(&c), 4, out[0],
               new_hidden);
        WITHIN(LSTM_CELL, layout ? "ifgo, cell" : "iofg, cell", cell_roundings(&c), 4, out[1],
               new_state);
      }
  }
}

/* x [steps, batch, in] or [directions, ...] at index i, without that dimension. */
static webnn_operand *at_index(webnn_operand *x, uint32_t i) {
  webnn_list shape;
  if (!x)
    return NULL;
  x = part(x, 0, i, 1);
  shape = webnn_operand_shape(x);
  return webnn_reshape(by, x, webnn_list_of(shape.items + 1, shape.count - 1), NULL);
}

typedef struct network {
  webnn_operand *x, *w, *r, *bias, *recurrent_bias, *peephole, *hidden, *state;
  uint32_t directions;
  webnn_recurrent_network_direction direction;
} network;

static network make_network(int gates, webnn_recurrent_network_direction direction, bool all) {
  network n = {0};
  uint32_t d = direction == WEBNN_DIRECTION_BOTH ? 2 : 1, rows = (uint32_t)gates * HIDDEN;
  n.directions = d;
  n.direction = direction;
  n.x = UNIFORM(-1, 1, STEPS, BATCH, IN);
  n.w = UNIFORM(-0.25, 0.25, d, rows, IN);
  n.r = UNIFORM(-0.25, 0.25, d, rows, HIDDEN);
  if (all) {
    n.bias = UNIFORM(-0.25, 0.25, d, rows);
    n.recurrent_bias = UNIFORM(-0.25, 0.25, d, rows);
    n.hidden = UNIFORM(-1, 1, d, BATCH, HIDDEN);
    if (gates == 4) {
      n.peephole = UNIFORM(-0.25, 0.25, d, 3 * HIDDEN);
      n.state = UNIFORM(-1, 1, d, BATCH, HIDDEN);
    }
  }
  return n;
}

/* The cells one after the other; last hidden (and cell) states and the sequence, as the network has
   them. The zeros of an absent state have the input's type. */
static void unroll(const network *n, bool lstm, webnn_operand *result[3]) {
  webnn_operand *steps[STEPS], *sequence[2], *hidden[2], *state[2];
  uint32_t d, k;
  for (d = 0; d < n->directions; d++) {
    bool backward = d == 1 || n->direction == WEBNN_DIRECTION_BACKWARD;
    webnn_operand *zeros = webnn_expand(by, number(0), L(BATCH, HIDDEN), NULL), *pair_of[2];
    webnn_operand *w = at_index(n->w, d), *r = at_index(n->r, d), *p = at_index(n->peephole, d);
    webnn_operand *b = at_index(n->bias, d), *rb = at_index(n->recurrent_bias, d);
    hidden[d] = n->hidden ? at_index(n->hidden, d) : zeros;
    state[d] = n->state ? at_index(n->state, d) : zeros;
    for (k = 0; k < STEPS; k++) {
      uint32_t t = backward ? STEPS - 1 - k : k;
      webnn_operand *x = at_index(n->x, t);
      if (lstm) {
        webnn_lstm_cell(by, x, w, r, hidden[d], state[d], HIDDEN,
                        WITH(lstm_cell, .bias = b, .recurrent_bias = rb, .peephole_weight = p),
                        pair_of);
        hidden[d] = pair_of[0];
        state[d] = pair_of[1];
      } else
        hidden[d] = webnn_gru_cell(by, x, w, r, hidden[d], HIDDEN,
                                   WITH(gru_cell, .bias = b, .recurrent_bias = rb));
      steps[t] = RESHAPE(hidden[d], 1, 1, BATCH, HIDDEN);
    }
    sequence[d] = CONCAT(0, steps[0], steps[1], steps[2]);
    hidden[d] = RESHAPE(hidden[d], 1, BATCH, HIDDEN);
    state[d] = RESHAPE(state[d], 1, BATCH, HIDDEN);
  }
  result[0] = d == 2 ? CONCAT(0, hidden[0], hidden[1]) : hidden[0];
  result[1] = d == 2 ? CONCAT(0, state[0], state[1]) : state[0];
  result[2] = d == 2 ? CONCAT(1, sequence[0], sequence[1]) : sequence[0];
}

static void networks(void) {
  static const char *const directions[] = {"forward", "backward", "both"};
  int d, all;
  for (d = WEBNN_DIRECTION_FORWARD; d <= WEBNN_DIRECTION_BOTH; d++)
    for (all = 0; all < 2; all++) {
      webnn_recurrent_network_direction direction = (webnn_recurrent_network_direction)d;
      webnn_operand *out[3] = {NULL, NULL, NULL}, *by_cells[3];
      network n = make_network(3, direction, all == 1);
      unroll(&n, false, by_cells);
      webnn_gru(by, n.x, n.w, n.r, STEPS, HIDDEN,
                WITH(gru, .bias = n.bias, .recurrent_bias = n.recurrent_bias,
                     .initial_hidden_state = n.hidden, .return_sequence = true,
                     .direction = direction),
                out);
      /* A cell's outputs are rounded where they are stored: the same bits in the reference. */
      ROUNDED_ONCE(GRU, directions[d], 24, 4, out[0], by_cells[0]);
      ROUNDED_ONCE(GRU, directions[d], 24, 4, out[1], by_cells[2]);
      n = make_network(4, direction, all == 1);
      unroll(&n, true, by_cells);
      webnn_lstm(by, n.x, n.w, n.r, STEPS, HIDDEN,
                 WITH(lstm, .bias = n.bias, .recurrent_bias = n.recurrent_bias,
                      .peephole_weight = n.peephole, .initial_hidden_state = n.hidden,
                      .initial_cell_state = n.state, .return_sequence = true,
                      .direction = direction),
                 out);
      ROUNDED_ONCE(LSTM, directions[d], 24, 4, out[0], by_cells[0]);
      ROUNDED_ONCE(LSTM, directions[d], 24, 4, out[1], by_cells[1]);
      ROUNDED_ONCE(LSTM, directions[d], 24, 4, out[2], by_cells[2]);
    }
}

/* ---- movement of data ------------------------------------------------------------------------ */

/* The slices at the given places along axis, one after the other. */
static webnn_operand *collect(webnn_operand *x, uint32_t axis, const int *places, size_t count) {
  webnn_operand *slices[64];
  size_t i;
  for (i = 0; i < count; i++)
    slices[i] = part(x, axis, (uint32_t)places[i], 1);
  return webnn_concat(by, slices, count, axis, NULL);
}

static void joining(void) {
  webnn_operand *a = ANYTHING(2, 3), *b = ANYTHING(2, 4), *out[4], *c = ANYTHING(6, 2, 4);
  size_t i;
  static const uint32_t sizes[] = {1, 3, 2};
  uint32_t first = 0;
  EXACT(CONCAT, "as padded sums", CONCAT(1, a, b),
        ADD(webnn_pad(by, a, L(0, 0), L(0, 4), NULL), webnn_pad(by, b, L(0, 3), L(0, 0), NULL)));
  EXACT(CONCAT, "of the halves", CONCAT(1, part(c, 1, 0, 1), part(c, 1, 1, 1)),
        webnn_identity(by, c, NULL));
  webnn_split(by, c, 2, WITH(split, .axis = 2), out);
  EXACT(SPLIT, "as slices", out[0], part(c, 2, 0, 2));
  EXACT(SPLIT, "as slices", out[1], part(c, 2, 2, 2));
  webnn_split_sizes(by, c, sizes, COUNT(sizes), NULL, out);
  for (i = 0; i < 3; i++) {
    EXACT(SPLIT, "sizes as slices", out[i], part(c, 0, first, sizes[i]));
    first += sizes[i];
  }
  EXACT(IDENTITY, "as reshape", webnn_identity(by, c, NULL), reshape_like(c, c));
}

static void reshaping(void) {
  webnn_operand *x = ANYTHING(2, 1, 3, 1), *row_of = ANYTHING(1, 12), *y = ANYTHING(2, 3, 4);
  EXACT(RESHAPE, "a row to a column, as transpose", RESHAPE(row_of, 12, 1), TURN(row_of, 1, 0));
  EXACT(RESHAPE, "cut in rows", RESHAPE(row_of, 3, 4),
        CONCAT(0, part(row_of, 1, 0, 4), part(row_of, 1, 4, 4), part(row_of, 1, 8, 4)));
  EXACT(RESHAPE, "squeeze", webnn_squeeze(by, x, (webnn_list)WEBNN_ZERO, NULL), RESHAPE(x, 2, 3));
  EXACT(RESHAPE, "squeeze 1", webnn_squeeze(by, x, L(1), NULL), RESHAPE(x, 2, 3, 1));
  EXACT(RESHAPE, "unsqueeze", webnn_unsqueeze(by, y, L(1, 4), NULL), RESHAPE(y, 2, 1, 3, 4, 1));
  EXACT(RESHAPE, "flatten", webnn_flatten(by, y, 1, NULL), RESHAPE(y, 2, 12));
  EXACT(RESHAPE, "flatten 3", webnn_flatten(by, y, 3, NULL), RESHAPE(y, 24, 1));
}

static void turning(void) {
  static const int backwards[] = {3, 2, 1, 0};
  webnn_operand *x = ANYTHING(4, 3), *y = ANYTHING(2, 3, 4);
  EXACT(TRANSPOSE, "as columns", webnn_transpose(by, x, NULL),
        CONCAT(0, RESHAPE(part(x, 1, 0, 1), 1, 4), RESHAPE(part(x, 1, 1, 1), 1, 4),
               RESHAPE(part(x, 1, 2, 1), 1, 4)));
  /* [2, 3, 4] -> [4, 2, 3]: the slices of the last dimension one after the other. */
  EXACT(TRANSPOSE, "2, 0, 1", TURN(y, 2, 0, 1),
        CONCAT(0, RESHAPE(part(y, 2, 0, 1), 1, 2, 3), RESHAPE(part(y, 2, 1, 1), 1, 2, 3),
               RESHAPE(part(y, 2, 2, 1), 1, 2, 3), RESHAPE(part(y, 2, 3, 1), 1, 2, 3)));
  EXACT(REVERSE, "one axis", webnn_reverse(by, y, WITH(reverse, .axes = L(2))),
        collect(y, 2, backwards, 4));
  EXACT(REVERSE, "all", webnn_reverse(by, y, NULL),
        collect(collect(collect(y, 2, backwards, 4), 1, backwards + 1, 3), 0, backwards + 2, 2));
  EXACT(REVERSE, "none", webnn_reverse(by, y, WITH(reverse, .axes = WEBNN_EMPTY_LIST)),
        webnn_identity(by, y, NULL));
}

static void repeating(void) {
  webnn_operand *x = ANYTHING(2, 3), *column = ANYTHING(2, 1, 3), *scalar;
  scalar = webnn_reshape(by, part(part(x, 0, 0, 1), 1, 0, 1), WEBNN_EMPTY_LIST, NULL);
  EXACT(TILE, "as concat", webnn_tile(by, x, L(3, 2), NULL),
        CONCAT(0, CONCAT(1, x, x), CONCAT(1, x, x), CONCAT(1, x, x)));
  EXACT(TILE, "once", webnn_tile(by, x, L(1, 1), NULL), webnn_identity(by, x, NULL));
  EXACT(EXPAND, "as concat", webnn_expand(by, column, L(2, 4, 3), NULL),
        CONCAT(1, column, column, column, column));
  EXACT(EXPAND, "in front", webnn_expand(by, x, L(2, 2, 3), NULL),
        CONCAT(0, RESHAPE(x, 1, 2, 3), RESHAPE(x, 1, 2, 3)));
  EXACT(EXPAND, "a scalar as tile", webnn_expand(by, scalar, L(3, 4), NULL),
        webnn_tile(by, RESHAPE(scalar, 1, 1), L(3, 4), NULL));
}

static void slicing(void) {
  static const int strided[] = {1, 4, 7}, middle[] = {2, 3, 4};
  webnn_operand *x = ANYTHING(3, 9);
  EXACT(SLICE, "as gather", webnn_slice(by, x, L(0, 2), L(3, 3), NULL),
        webnn_gather(by, x, given_numbers(WEBNN_INT32, middle, L(3)), WITH(gather, .axis = 1)));
  EXACT(SLICE, "strides as gather",
        webnn_slice(by, x, L(0, 1), L(3, 8), WITH(slice, .strides = L(1, 3))),
        webnn_gather(by, x, given_numbers(WEBNN_INT64, strided, L(3)), WITH(gather, .axis = 1)));
}

static void padding(void) {
  static const int edge[] = {0, 0, 0, 1, 2, 3, 3}, mirror[] = {2, 1, 0, 1, 2, 3, 2};
  static const int twice[] = {1, 0, 0, 1, 2, 3, 3}, rows[] = {0, 0, 1, 2, 2};
  static const int mirrored_rows[] = {1, 0, 1, 2, 1};
  webnn_operand *x = ANYTHING(3, 4), *seven;
  seven = webnn_expand(by, number(7), L(1, 1), NULL);
#define PAD(mode_, ...)                                                                            \
  webnn_pad(by, x, L(1, 2), L(1, 1), WITH(pad, .mode = WEBNN_PADDING_##mode_, __VA_ARGS__))
  EXACT(PAD, "constant as concat", PAD(CONSTANT, .value = webnn_f64(7)),
        CONCAT(0, webnn_tile(by, seven, L(1, 7), NULL),
               CONCAT(1, webnn_tile(by, seven, L(3, 2), NULL), x,
                      webnn_tile(by, seven, L(3, 1), NULL)),
               webnn_tile(by, seven, L(1, 7), NULL)));
  EXACT(PAD, "edge as slices", PAD(EDGE, .label = ""), collect(collect(x, 0, rows, 5), 1, edge, 7));
  EXACT(PAD, "reflection as slices", PAD(REFLECTION, .label = ""),
        collect(collect(x, 0, mirrored_rows, 5), 1, mirror, 7));
  EXACT(PAD, "symmetric as slices", PAD(SYMMETRIC, .label = ""),
        collect(collect(x, 0, rows, 5), 1, twice, 7));
#undef PAD
}

static void selecting(void) {
  static const double upper[] = {1, 1, 1, 0, 1, 1}, upper_1[] = {0, 1, 1, 0, 0, 1};
  static const double lower[] = {1, 0, 0, 1, 1, 0}, lower_m1[] = {0, 0, 0, 1, 0, 0};
  webnn_operand *x = ANYTHING(4, 2, 3), *zero = number(0), *t = UNIFORM(-9, 9, 3, 1, 4);
  webnn_operand *f = UNIFORM(-9, 9, 2, 1), *c = uniform_as(WEBNN_UINT8, 0, 2, L(2, 4)), *truth;
#define MASKED(mask) WHERE(fixed_numbers(WEBNN_UINT8, mask, L(2, 3)), x, zero)
#define TRIANGLE(...) webnn_triangular(by, x, WITH(triangular, __VA_ARGS__))
  EXACT(TRIANGULAR, "upper", webnn_triangular(by, x, NULL), MASKED(upper));
  EXACT(TRIANGULAR, "upper, 1", TRIANGLE(.diagonal = 1), MASKED(upper_1));
  EXACT(TRIANGULAR, "lower", TRIANGLE(.lower = true), MASKED(lower));
  EXACT(TRIANGULAR, "lower, -1", TRIANGLE(.lower = true, .diagonal = -1), MASKED(lower_m1));
  EXACT(TRIANGULAR, "far", TRIANGLE(.diagonal = INT32_MIN), webnn_identity(by, x, NULL));
  /* Finite values, so that 0 times the unselected one is 0. */
  truth = CAST(webnn_clamp(by, c, WITH(clamp, .max_value = webnn_f64(1))), type);
  EXACT(WHERE, "as products", WHERE(c, t, f), ADD(MUL(t, truth), MUL(f, SUB(number(1), truth))));
#undef MASKED
#undef TRIANGLE
}

/* ---- gathers and scatters
 * ------------------------------------------------------------------------ */

/* Negative indices count from the end, others are clamped. */
static int place(int index, int size) {
  if (index < -size)
    index = -size;
  if (index > size - 1)
    index = size - 1;
  return index < 0 ? index + size : index;
}

/* The elements of x, taken as one row, at `map`. */
static webnn_operand *by_map(webnn_operand *x, const int *map, webnn_list shape) {
  size_t n = test_element_count(shape);
  uint32_t total = (uint32_t)test_element_count(webnn_operand_shape(x)), length = (uint32_t)n;
  webnn_operand *picked =
      webnn_gather(by, RESHAPE(x, total), given_numbers(WEBNN_INT32, map, L(length)), NULL);
  return webnn_reshape(by, picked, shape, NULL);
}

static void gathers(void) {
  static const int indices[] = {3, 0, -1, 2, -4, 9}, row_places[] = {3, 0, 3, 2, 0, 3};
  static const int columns[] = {2, 0, -3, 2, 1, 7}, column_places[] = {2, 0, 0, 2, 1, 2};
  static const int coordinates[] = {0, 1, 3, -1, -2, 0, 9, -9};
  webnn_operand *x = ANYTHING(4, 3), *deep = ANYTHING(4, 3, 2);
  int map[64], i, k;
  EXACT(GATHER, "axis 0 as slices",
        webnn_gather(by, x, given_numbers(WEBNN_INT32, indices, L(6)), NULL),
        collect(x, 0, row_places, 6));
  EXACT(
      GATHER, "axis 1, indices of rank 2",
      webnn_gather(by, deep, given_numbers(WEBNN_INT64, columns, L(2, 3)), WITH(gather, .axis = 1)),
      RESHAPE(collect(deep, 1, column_places, 6), 4, 2, 3, 2));
  EXACT(GATHER, "uint32", webnn_gather(by, x, given_numbers(WEBNN_UINT32, row_places, L(6)), NULL),
        collect(x, 0, row_places, 6));
  /* y[i, j] = x[indices[i, j], j] */
  for (i = 0; i < 6; i++)
    map[i] = place(indices[i], 4) * 3 + i % 3;
  EXACT(GATHER_ELEMENTS, "axis 0",
        webnn_gather_elements(by, x, given_numbers(WEBNN_INT32, indices, L(2, 3)), NULL),
        by_map(x, map, L(2, 3)));
  for (i = 0; i < 8; i++)
    map[i] = i / 2 * 3 + place(i < 6 ? columns[i] : i - 7, 3);
  {
    int eight[8];
    memcpy(eight, columns, sizeof columns);
    eight[6] = -1;
    eight[7] = 0;
    EXACT(GATHER_ELEMENTS, "axis 1",
          webnn_gather_elements(by, x, given_numbers(WEBNN_INT64, eight, L(4, 2)),
                                WITH(gather, .axis = 1)),
          by_map(x, map, L(4, 2)));
  }
  for (i = 0; i < 4; i++)
    for (k = 0; k < 2; k++)
      map[2 * i + k] =
          (place(coordinates[2 * i], 4) * 3 + place(coordinates[2 * i + 1], 3)) * 2 + k;
  EXACT(GATHER_ND, "two coordinates",
        webnn_gather_nd(by, deep, given_numbers(WEBNN_INT32, coordinates, L(4, 2)), NULL),
        by_map(deep, map, L(4, 2)));
  for (i = 0; i < 6; i++)
    for (k = 0; k < 3; k++)
      map[3 * i + k] = row_places[i] * 3 + k;
  EXACT(GATHER_ND, "one coordinate",
        webnn_gather_nd(by, x, given_numbers(WEBNN_INT64, indices, L(2, 3, 1)), NULL),
        by_map(x, map, L(2, 3, 3)));
}

/* A scatter is a gather from the input followed by the updates, at a map made here: the last update
   of an element wins. */
static webnn_operand *scattered(webnn_operand *x, webnn_operand *updates, const int *targets) {
  int map[64];
  uint32_t n = (uint32_t)test_element_count(webnn_operand_shape(x)), i;
  uint32_t m = (uint32_t)test_element_count(webnn_operand_shape(updates));
  for (i = 0; i < n; i++)
    map[i] = (int)i;
  for (i = 0; i < m; i++)
    map[targets[i]] = (int)(n + i);
  return by_map(CONCAT(0, RESHAPE(x, n), RESHAPE(updates, m)), map, webnn_operand_shape(x));
}

static void scatters(void) {
  static const int indices[] = {3, 0, -1, 3, -4, 9}, columns[] = {2, 0, -3, 2, 1, 7, -1, 0};
  static const int coordinates[] = {0, 1, 3, -1, 0, 1, 9, -9};
  webnn_operand *x = ANYTHING(4, 3), *u = ANYTHING(2, 3), *v = ANYTHING(4, 2), *deep, *slices;
  int targets[64], i, k;
  for (i = 0; i < 6; i++)
    targets[i] = place(indices[i], 4) * 3 + i % 3;
  EXACT(SCATTER_ELEMENTS, "axis 0",
        webnn_scatter_elements(by, x, given_numbers(WEBNN_INT32, indices, L(2, 3)), u, NULL),
        scattered(x, u, targets));
  for (i = 0; i < 8; i++)
    targets[i] = i / 2 * 3 + place(columns[i], 3);
  EXACT(SCATTER_ELEMENTS, "axis 1",
        webnn_scatter_elements(by, x, given_numbers(WEBNN_INT64, columns, L(4, 2)), v,
                               WITH(scatter, .axis = 1)),
        scattered(x, v, targets));
  deep = ANYTHING(4, 3, 2);
  slices = ANYTHING(4, 2);
  for (i = 0; i < 4; i++)
    for (k = 0; k < 2; k++)
      targets[2 * i + k] =
          (place(coordinates[2 * i], 4) * 3 + place(coordinates[2 * i + 1], 3)) * 2 + k;
  EXACT(SCATTER_ND, "slices of 2",
        webnn_scatter_nd(by, deep, given_numbers(WEBNN_INT32, coordinates, L(4, 2)), slices, NULL),
        scattered(deep, slices, targets));
  slices = ANYTHING(2, 3);
  for (i = 0; i < 2; i++)
    for (k = 0; k < 3; k++)
      targets[3 * i + k] = place(indices[i], 4) * 3 + k;
  EXACT(SCATTER_ND, "rows",
        webnn_scatter_nd(by, x, given_numbers(WEBNN_INT64, indices, L(2, 1)), slices, NULL),
        scattered(x, slices, targets));
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void check_list(void) {
  int op;
  for (op = 0; op < WEBNN_OP_COUNT; op++)
    CHECK(webnn_op_name((webnn_op)op), pairs_of[op] > 0, "no emulation of this operator");
}

int main(void) {
  static const struct {
    const char *name;
    unsigned types;
    void (*build)(void);
  } cases[] = {
      {"arithmetic", ANY, arithmetic},
      {"integer powers", ANY & ~(unsigned)FLOATS, integer_powers},
      {"negative integer powers", SIGNED & ~(unsigned)FLOATS, negative_integer_powers},
      {"float division", FLOATS, float_division},
      {"comparisons", ANY, comparisons},
      {"logic", BIT(UINT8), logic},
      {"predicates and rounding", FLOATS, float_predicates_and_rounding},
      {"integer casts", ANY & ~(unsigned)FLOATS, integer_casts},
      {"signs", SIGNED, signs},
      {"wrapping prelu", SIGNED & ~(unsigned)FLOATS, wrapping_prelu},
      {"functions", FLOATS, functions},
      {"clamp", ANY, clamping},
      {"piecewise activations", FLOATS, piecewise_activations},
      {"smooth activations", FLOATS, smooth_activations},
      {"softmax", FLOATS, softmaxes},
      {"extremes", ANY, extremes},
      {"sums and products", SUMS, sums_and_products},
      {"float reductions", FLOATS, float_reductions},
      {"positions", ANY, positions},
      {"cumulative sums", SUMS, cumulative_sums},
      {"products", FLOATS, products},
      {"convolutions", FLOATS, convolutions},
      {"transposed convolutions", FLOATS, transposed_convolutions},
      {"max pools", ANY, max_pools},
      {"float pools", FLOATS, float_pools},
      {"pools rounded up", ANY, pools_rounded_up},
      {"resampling", FLOATS | BIT(UINT8) | BIT(INT8), resamplings},
      {"resampled axes", FLOATS | BIT(UINT8) | BIT(INT8), resampled_axes},
      {"normalizations", FLOATS, normalizations},
      {"quantizations", FLOATS, quantizations},
      {"gru cells", FLOATS, gru_cells},
      {"lstm cells", FLOATS, lstm_cells},
      {"networks", FLOATS, networks},
      {"joining", ANY, joining},
      {"reshaping", ANY, reshaping},
      {"turning", ANY, turning},
      {"repeating", ANY, repeating},
      {"slicing", ANY, slicing},
      {"padding", ANY, padding},
      {"selecting", ANY, selecting},
      {"gathers", ANY, gathers},
      {"scatters", ANY, scatters},
  };
  size_t i;
  contexts[WEBNN_NUMERICS_FAST] = test_context(NULL);
  contexts[WEBNN_NUMERICS_REFERENCE] =
      test_context(&(webnn_context_options){.numerics = WEBNN_NUMERICS_REFERENCE});
  for (i = 0; i < COUNT(cases); i++)
    run(cases[i].name, cases[i].types, cases[i].build);
  check_list();
  webnn_free_context(contexts[0]);
  webnn_free_context(contexts[1]);
  return test_end();
}
