/* The draft's operators that take sizes as operands: what the draft says of them, what follows from
   data is refused, elements that the builder works out are those that kernels compute, and sizes
   that came before change nothing.
   (dynamic_operators plays each of them at many sizes.) */
#include "dynamic_table.h"
#include "every_operator.h"
#include "failing_allocator.h"

static webnn_graph *finish(webnn_builder *b, webnn_operand *y) {
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  CHECK("build", graph != NULL, "%s", error.message);
  webnn_free_builder(b);
  return graph;
}

static void expect_text(const char *name, const char *expected, const char *text) {
  CHECK(name, text != NULL && strstr(text, expected) != NULL, "\"%s\" expected in\n%s", expected,
        text);
}

static void expect_refusal(webnn_builder *b, const webnn_operand *made, const char *expected) {
  CHECK("refusal", made == NULL, "%s", expected);
  expect_text("refusal", expected, webnn_builder_message(b));
  webnn_builder_clear_error(b);
}

static char *printed(const webnn_graph *graph) {
  every_text text = WEBNN_ZERO;
  webnn_print_graph(graph, every_write, &text);
  return text.data;
}

/* ---- The draft's example ---------------------------------------------------------------------- */

/* x [1, seqlen, 512] as heads: [1, seqlen, 8, 64]. A rest is inferred, too. */
static webnn_operand *split_heads(webnn_builder *b, webnn_operand *x) {
  webnn_operand *first =
      webnn_slice(b, webnn_shape(b, x, NULL), WEBNN_LIST(0), WEBNN_LIST(2), NULL);
  return webnn_reshape_dynamic(
      b, x, webnn_concat(b, WEBNN_OPERANDS(first, NUMBERS(WEBNN_UINT32, 8, 64)), 0, NULL), NULL);
}

static void check_example(webnn_context *context) {
  static float data[3 * 512], heads[3 * 512];
  webnn_builder *b = test_builder(context);
  const uint32_t length = webnn_dynamic_dimension(b, "seqlen");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, length, 512));
  webnn_operand *y = split_heads(b, x);
  const webnn_list shape = webnn_operand_shape(y);
  webnn_named_shape named = {"x", WEBNN_LIST(1, 3, 512)}, result;
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph;
  char *text;
  uint32_t i;
  CHECK("example",
        shape.count == 4 && shape.items[0] == 1 && shape.items[1] == length &&
            shape.items[2] == 8 && shape.items[3] == 64,
        "%s: %s", test_shape_text(shape), webnn_builder_message(b));
  graph = finish(b, y);
  text = printed(graph);
  expect_text("example", "float32 [1, \"seqlen\", 8, 64] = reshapeDynamic(\"x\", ", text);
  expect_text("example", "uint32 [3] = shape(\"x\")", text);
  free(text);
  CHECK("example",
        webnn_compute_shapes(graph, &named, 1, &result, 1, &error) == WEBNN_OK &&
            test_same_list(result.shape, WEBNN_LIST(1, 3, 8, 64)),
        "%s", error.message);
  for (i = 0; i < 3 * 512; i++) {
    data[i] = (float)i;
  }
  CHECK("example",
        webnn_compute(context, graph, WEBNN_INPUTS({"x", data, sizeof data}),
                      WEBNN_OUTPUTS({"y", heads, sizeof heads}), &error) == WEBNN_OK &&
            memcmp(data, heads, sizeof data) == 0,
        "%s", error.message);
  webnn_free_graph(graph);
}

/* Where sizes are known the graph is the one of the fixed operators. */
static void check_folding(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  webnn_graph *fixed, *folded;
  char *texts[2];
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 3, 512));
  fixed = finish(b, webnn_reshape(b, x, WEBNN_LIST(1, 3, 8, 64), NULL));
  b = test_builder(context);
  x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 3, 512));
  folded = finish(b, split_heads(b, x));
  texts[0] = printed(fixed);
  texts[1] = printed(folded);
  CHECK("folding", strcmp(texts[0], texts[1]) == 0, "%s\nin place of\n%s", texts[1], texts[0]);
  free(texts[0]);
  free(texts[1]);
  webnn_free_graph(fixed);
  webnn_free_graph(folded);
}

/* A graph has the inputs of which only sizes are needed, however much is known when it is built. */
static void check_ports(webnn_context *context) {
  int open;
  for (open = 0; open < 2; open++) {
    webnn_builder *b = test_builder(context);
    const uint32_t n = open ? webnn_dynamic_dimension(b, "n") : 4;
    webnn_operand *like = webnn_input(b, "like", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 3));
    webnn_operand *unused = webnn_input(b, "unused", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 3));
    webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 3));
    webnn_operand *sizes = webnn_shape(b, webnn_relu(b, webnn_abs(b, like, NULL), NULL), NULL);
    webnn_graph *graph;
    webnn_graph_port ports[3];
    const float data[3] = {1, 2, 3}, other[12] = {0};
    float y[12] = {0};
    webnn_error error = WEBNN_ZERO;
    int i;
    (void)webnn_shape(b, unused, NULL);
    graph = finish(b, webnn_expand_dynamic(b, x, sizes, NULL));
    CHECK("ports",
          webnn_graph_inputs(graph, ports, 3) == 2 && strcmp(ports[0].name, "like") == 0 &&
              strcmp(ports[1].name, "x") == 0,
          "open %d: %u inputs", open, (unsigned)webnn_graph_inputs(graph, NULL, 0));
    CHECK("ports",
          webnn_compute(context, graph,
                        WEBNN_INPUTS({"x", data, sizeof data}, {"like", other, sizeof other}),
                        WEBNN_OUTPUTS({"y", y, sizeof y}), &error) == WEBNN_OK,
          "open %d: %s", open, error.message);
    for (i = 0; i < 12; i++) {
      CHECK("ports", y[i] == data[i % 3], "open %d: element %d is %g", open, i, (double)y[i]);
    }
    webnn_free_graph(graph);
  }
}

/* ---- What is refused -------------------------------------------------------------------------- */

static void check_refusals(webnn_context *context) {
  static const char from_data[] =
      "must follow from sizes and integer constants, not from data, and have at most 4096 elements";
  webnn_builder *b = test_builder(context), *other = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n");
  const webnn_operand_descriptor four = WEBNN_DESCRIPTOR(WEBNN_INT32, 4);
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 3));
  webnn_operand *s = webnn_input(b, "s", WEBNN_DESCRIPTOR(WEBNN_INT32, 2));
  webnn_operand *foreign = webnn_input(other, "s", WEBNN_DESCRIPTOR(WEBNN_INT32, 2));
  webnn_operand *sizes = webnn_shape(b, x, NULL);
  webnn_operand *floats = webnn_cast(b, sizes, WEBNN_FLOAT32, NULL);
  webnn_operand *scalar = webnn_constant_from_number(b, WEBNN_INT32, webnn_i64(2));
  webnn_operand *many = webnn_expand(b, scalar, WEBNN_LIST(4097), NULL), *parts[4];
  webnn_resample2d_options options = WEBNN_ZERO;
  webnn_operator_options label = {"here"};
  CHECK("refusals", webnn_shape(NULL, x, NULL) == NULL, "no builder");
  expect_refusal(b, webnn_shape(b, NULL, NULL), "shape: input is NULL");
  expect_refusal(b, webnn_shape(b, scalar, &label), "shape \"here\": the input is a scalar");
  expect_refusal(b, webnn_reshape_dynamic(b, x, NULL, NULL), "reshapeDynamic: newShape is NULL");
  expect_refusal(b, webnn_reshape_dynamic(b, x, foreign, NULL),
                 "reshapeDynamic: newShape belongs to another builder");
  expect_refusal(b, webnn_reshape_dynamic(b, x, s, &label), "reshapeDynamic \"here\": newShape ");
  expect_refusal(b, webnn_reshape_dynamic(b, x, s, NULL), from_data);
  expect_refusal(b,
                 webnn_reshape_dynamic(
                     b, x, webnn_add(b, webnn_cast(b, sizes, WEBNN_INT32, NULL), s, NULL), NULL),
                 from_data);
  expect_refusal(b, webnn_tile_dynamic(b, x, webnn_cast(b, floats, WEBNN_INT32, NULL), NULL),
                 from_data);
  expect_refusal(b, webnn_expand_dynamic(b, x, floats, NULL),
                 "newShape data type (float32) must be int32, uint32 or int64");
  expect_refusal(b, webnn_range(b, scalar, s, scalar, NULL), from_data);
  expect_refusal(
      b,
      webnn_reshape_dynamic(b, x, webnn_slice(b, many, WEBNN_LIST(0), WEBNN_LIST(2), NULL), NULL),
      from_data);
  expect_refusal(b, webnn_reshape_dynamic(b, x, scalar, NULL), "newShape rank (0) must be 1");
  expect_refusal(b, webnn_tile_dynamic(b, x, NUMBERS(WEBNN_INT32, 1, -2), NULL),
                 "tileDynamic: repetitions[1] (-2) must be 0 to 2147483647");
  expect_refusal(b, webnn_tile_dynamic(b, x, NUMBERS(WEBNN_INT32, 1), NULL),
                 "tileDynamic: repetitions must have 2 items, not 1");
  expect_refusal(b, webnn_tile_dynamic(b, x, NUMBERS(WEBNN_INT32, 1, 1, 1, 1, 1, 1, 1, 1, 1), NULL),
                 "repetitions has 9 elements, at most 8 are possible");
  /* certain, though n is open: 3 columns */
  expect_refusal(b, webnn_reshape_dynamic(b, x, NUMBERS(WEBNN_INT32, 7), NULL),
                 "reshapeDynamic: newShape [7] has 7 elements, input [\"n\", 3] has");
  expect_refusal(
      b, webnn_slice_dynamic(b, x, NUMBERS(WEBNN_INT32, 0, 2), NUMBERS(WEBNN_INT32, 1, 2), NULL),
      "sliceDynamic: starts (2) + sizes (2) of dimension 1 must be at most 3");
  expect_refusal(b, webnn_expand_dynamic(b, x, NUMBERS(WEBNN_INT32, 2, 4), NULL),
                 "expandDynamic: input shape [\"n\", 3] cannot be broadcast to newShape [2, 4]");
  expect_refusal(
      b, webnn_modulus_floor(b, floats, floats, NULL),
      "modulusFloor: a data type (float32) must be int32, uint32, int64, uint64, int8 or "
      "uint8");
  expect_refusal(b, webnn_modulus_truncate(b, sizes, s, NULL),
                 "modulusTruncate: b data type (int32) must be that of a (uint32)");
  expect_refusal(
      b, webnn_modulus_truncate(b, s, webnn_constant(b, four, "0123456789abcdef", 16), NULL),
      "modulusTruncate: a shape [2] and b shape [4] cannot be broadcast");
  expect_refusal(b, webnn_range(b, scalar, scalar, sizes, NULL),
                 "range: delta data type (uint32) must be that of start (int32)");
  CHECK("refusals",
        webnn_split_dynamic(b, x, webnn_squeeze(b, sizes, dynamic_no_list, NULL), NULL, parts) == 2,
        "%s", webnn_builder_message(b));
  webnn_builder_clear_error(b);
  options.sizes = WEBNN_LIST(2, 2);
  x = webnn_input(b, "image", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1, n, 3));
  expect_refusal(b, webnn_resample2d_dynamic(b, x, NUMBERS(WEBNN_INT32, 2, 2), &options),
                 "resample2dDynamic: sizes is given beside the operand sizes");
  webnn_free_builder(b);
  webnn_free_builder(other);
}

/* ---- Numbers ---------------------------------------------------------------------------------- */

static int64_t floored(int64_t a, int64_t b) {
  const int64_t rest = b == 0 ? a : a % b;
  return rest != 0 && b != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static void check_modulus(webnn_context *context, webnn_data_type type, int low) {
  enum { MOST = 19 };
  unsigned char a[MOST * 8], d[MOST * 8], rest[MOST * MOST * 8], floors[MOST * MOST * 8];
  const uint32_t count = (uint32_t)(9 - low + 1), bytes = webnn_data_type_bits(type) / 8;
  webnn_builder *b = test_builder(context);
  webnn_operand *x = webnn_input(b, "a", WEBNN_DESCRIPTOR(type, count, 1));
  webnn_operand *y = webnn_input(b, "b", WEBNN_DESCRIPTOR(type, count));
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  uint32_t i;
  for (i = 0; i < count; i++) {
    test_set(type, a, i, low + (int)i);
    test_set(type, d, i, low + (int)i);
  }
  (void)webnn_build(b,
                    WEBNN_NAMED_OPERANDS({"rest", webnn_modulus_truncate(b, x, y, NULL)},
                                         {"floor", webnn_modulus_floor(b, x, y, NULL)}),
                    &graph, &error);
  webnn_free_builder(b);
  CHECK(
      "modulus",
      webnn_compute(context, graph,
                    WEBNN_INPUTS({"a", a, (size_t)count * bytes}, {"b", d, (size_t)count * bytes}),
                    WEBNN_OUTPUTS({"rest", rest, (size_t)count * count * bytes},
                                  {"floor", floors, (size_t)count * count * bytes}),
                    &error) == WEBNN_OK,
      "%s", error.message);
  for (i = 0; i < count * count; i++) {
    const int64_t p = low + (int)(i / count), q = low + (int)(i % count);
    const double truncated = (double)(q == 0 ? p : p % q);
    CHECK("modulus", test_get(type, rest, i) == truncated, "%s: %d truncate %d is %g, not %g",
          webnn_data_type_name(type), (int)p, (int)q, test_get(type, rest, i), truncated);
    CHECK("modulus", test_get(type, floors, i) == (double)floored(p, q),
          "%s: %d floor %d is %g, not %g", webnn_data_type_name(type), (int)p, (int)q,
          test_get(type, floors, i), (double)floored(p, q));
  }
  webnn_free_graph(graph);
}

static void check_range(webnn_context *context, webnn_data_type type, int start, int limit,
                        int delta) {
  webnn_builder *b = test_builder(context);
  webnn_operand *y = webnn_range(b, dynamic_number(b, type, start), dynamic_number(b, type, limit),
                                 dynamic_number(b, type, delta), NULL);
  const webnn_list shape = webnn_operand_shape(y);
  unsigned char numbers[64 * 8];
  webnn_graph *graph;
  webnn_error error = WEBNN_ZERO;
  int number = start;
  uint32_t i;
  if (delta == 0 || (delta > 0 ? start >= limit : start <= limit)) {
    expect_refusal(b, y, delta == 0 ? "range: delta is 0" : "range: there are no numbers");
    webnn_free_builder(b);
    return;
  }
  graph = finish(b, y);
  (void)webnn_compute(
      context, graph, NULL, 0,
      WEBNN_OUTPUTS({"y", numbers, shape.items[0] * (webnn_data_type_bits(type) / 8)}), &error);
  for (i = 0; delta > 0 ? number < limit : number > limit; i++, number += delta) {
    CHECK("range", i < shape.items[0] && test_get(type, numbers, i) == number,
          "%d to %d by %d: element %u: %s", start, limit, delta, (unsigned)i, error.message);
  }
  CHECK("range", i == shape.items[0], "%d to %d by %d: %u elements, not %u", start, limit, delta,
        (unsigned)shape.items[0], (unsigned)i);
  webnn_free_graph(graph);
}

static void check_ranges(webnn_context *context) {
  int start, limit, delta;
  for (start = -3; start < 4; start++) {
    for (limit = -4; limit < 6; limit++) {
      for (delta = -3; delta < 4; delta++) {
        check_range(context, WEBNN_INT32, start, limit, delta);
        check_range(context, WEBNN_INT64, start, limit, delta);
        if (start >= 0 && limit >= 0 && delta >= 0) {
          check_range(context, WEBNN_UINT32, start, limit, delta);
        }
      }
    }
  }
}

/* ---- Random arithmetic of sizes --------------------------------------------------------------- */

enum { CHAIN = 14, LENGTH = 3 };

static webnn_operand *some(uint64_t *state, webnn_operand *const *made, int count) {
  return made[test_random(state) % (uint64_t)count];
}

/* One more list of LENGTH elements of int32, made of those before. */
static webnn_operand *next_of_chain(webnn_builder *b, uint64_t *state, webnn_operand *const *made,
                                    int count) {
  static const int indices[LENGTH] = {2, -3, 1};
  webnn_operand *p = some(state, made, count), *q = some(state, made, count);
  webnn_operand *r = some(state, made, count), *parts[2];
  webnn_reduce_options reduce = WEBNN_ZERO;
  reduce.keep_dimensions = true;
  switch (test_random(state) % 22) {
  case 0:
    return webnn_add(b, p, q, NULL);
  case 1:
    return webnn_sub(b, p, q, NULL);
  case 2:
    return webnn_mul(b, p, q, NULL);
  case 3:
    return webnn_div(b, p, q, NULL);
  case 4:
    return webnn_max(b, p, q, NULL);
  case 5:
    return webnn_min(b, p, q, NULL);
  case 6:
    return webnn_neg(b, p, NULL);
  case 7:
    return webnn_abs(b, p, NULL);
  case 8:
    return webnn_sign(b, p, NULL);
  case 9:
    return webnn_where(b, webnn_lesser(b, p, q, NULL), q, r, NULL);
  case 10:
    return webnn_where(
        b,
        webnn_logical_xor(b, webnn_equal(b, p, q, NULL),
                          webnn_logical_not(b, webnn_greater_or_equal(b, q, r, NULL), NULL), NULL),
        q, r, NULL);
  case 11:
    return webnn_cast(b, webnn_cast(b, p, WEBNN_INT8, NULL), WEBNN_INT32, NULL);
  case 12:
    return webnn_cast(b, webnn_cast(b, p, WEBNN_UINT8, NULL), WEBNN_INT32, NULL);
  case 13:
    return webnn_gather(b, p, NUMBERS(WEBNN_INT32, indices[0], indices[1], indices[2]), NULL);
  case 14:
    return webnn_gather(b, p, webnn_cast(b, q, WEBNN_INT64, NULL), NULL);
  case 15:
    return webnn_concat(b,
                        WEBNN_OPERANDS(webnn_slice(b, p, WEBNN_LIST(1), WEBNN_LIST(2), NULL),
                                       webnn_slice(b, q, WEBNN_LIST(2), WEBNN_LIST(1), NULL)),
                        0, NULL);
  case 16:
    return webnn_expand(b, webnn_reduce_product(b, p, &reduce), WEBNN_LIST(LENGTH), NULL);
  case 17:
    return webnn_add(b, p, webnn_reduce_sum(b, q, NULL), NULL);
  case 18:
    p = webnn_unsqueeze(b, p, WEBNN_LIST(0), NULL);
    q = webnn_unsqueeze(b, q, WEBNN_LIST(0), NULL);
    reduce.axes = WEBNN_LIST(0);
    reduce.keep_dimensions = false;
    return webnn_reduce_max(b, webnn_concat(b, WEBNN_OPERANDS(p, q), 0, NULL), &reduce);
  case 19:
    if (webnn_split_sizes(b, p, (const uint32_t[]){1, 2}, 2, NULL, parts) != 2) {
      return NULL;
    }
    return webnn_concat(b, WEBNN_OPERANDS(parts[1], parts[0]), 0, NULL);
  case 20:
    return webnn_modulus_floor(b, p, q, NULL);
  default:
    return webnn_modulus_truncate(b, p, q, NULL);
  }
}

/* Sizes that fit: 1 to 5, of any numbers. */
static webnn_operand *as_sizes(webnn_builder *b, webnn_operand *x) {
  webnn_operand *five = dynamic_number(b, WEBNN_INT32, 5), *one = dynamic_number(b, WEBNN_INT32, 1);
  return webnn_add(b, webnn_modulus_floor(b, x, five, NULL), one, NULL);
}

/* The numbers as an output, which kernels compute, and as sizes, which the builder works out. */
static void check_chain(webnn_context *context, unsigned long seed, bool open) {
  uint64_t state = seed * 77 + 5;
  webnn_builder *b = test_builder(context);
  webnn_operand *made[CHAIN], *one, *sizes, *y;
  webnn_graph *graph = NULL;
  webnn_named_shape shapes[1], results[2];
  webnn_error error = WEBNN_ZERO;
  const float zero[2 * 5 * 3] = {0};
  int32_t numbers[LENGTH];
  float filled[125];
  int i;
  made[0] = webnn_cast(
      b,
      webnn_shape(
          b,
          webnn_input(b, "x",
                      WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, open ? webnn_dynamic_dimension(b, "n") : 5,
                                       open ? WEBNN_DYNAMIC_DIMENSION : 3)),
          NULL),
      WEBNN_INT32, NULL);
  made[1] = NUMBERS(WEBNN_INT32, -7, 0, 130);
  for (i = 2; i < CHAIN; i++) {
    made[i] = next_of_chain(b, &state, made, i);
  }
  one = webnn_constant_from_number(b, WEBNN_FLOAT32, webnn_f64(1));
  sizes = as_sizes(b, webnn_add(b, made[CHAIN - 1], made[0], NULL));
  y = webnn_expand_dynamic(b, one, sizes, NULL);
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"sizes", sizes}, {"y", y}), &graph, &error);
  webnn_free_builder(b);
  shapes[0].name = "x";
  shapes[0].shape = WEBNN_LIST(2, 5, 3);
  if (!MUST("chain", graph != NULL, "seed %lu: %s", seed, error.message) ||
      !MUST("chain", webnn_compute_shapes(graph, shapes, 1, results, 2, &error) == WEBNN_OK,
            "seed %lu: %s", seed, error.message)) {
    webnn_free_graph(graph);
    return;
  }
  {
    webnn_tensor_descriptor d = {WEBNN_FLOAT32, shapes[0].shape, true, true};
    webnn_tensor *t[3] = {NULL};
    (void)webnn_create_tensor(context, d, &t[0], &error);
    (void)webnn_write_tensor(context, t[0], zero, sizeof zero, &error);
    d.shape = results[1].shape;
    (void)webnn_create_tensor(context, d, &t[1], &error);
    d.data_type = WEBNN_INT32;
    d.shape = results[0].shape;
    (void)webnn_create_tensor(context, d, &t[2], &error);
    CHECK("chain",
          webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", t[0]}),
                         WEBNN_NAMED_TENSORS({"sizes", t[2]}, {"y", t[1]}), &error) == WEBNN_OK &&
              webnn_read_tensor(context, t[2], numbers, sizeof numbers, &error) == WEBNN_OK &&
              webnn_read_tensor(context, t[1], filled,
                                test_element_count(results[1].shape) * sizeof *filled,
                                &error) == WEBNN_OK,
          "seed %lu: %s", seed, error.message);
    for (i = 0; i < LENGTH; i++) {
      CHECK("chain", results[1].shape.items[i] == (uint32_t)numbers[i],
            "seed %lu, open %d: size %d is %u, a kernel computes %d", seed, open, i,
            (unsigned)results[1].shape.items[i], (int)numbers[i]);
      webnn_free_tensor(t[i]);
    }
  }
  webnn_free_graph(graph);
}

/* ---- Every allocation fails ------------------------------------------------------------------- */

static webnn_graph *build_all(webnn_context *context, webnn_error *error) {
  webnn_builder *b = NULL;
  webnn_graph *graph = NULL;
  webnn_operand *x, *y, *parts[2];
  (void)webnn_create_builder(context, &b, error);
  x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 3, webnn_dynamic_dimension(b, "n")));
  y = webnn_reshape_dynamic(b, x, dynamic_inferred(b, x, NUMBERS(WEBNN_INT64, 1, -1, 3)), NULL);
  y = webnn_slice_dynamic(b, y, NUMBERS(WEBNN_INT64, 0, 0, 0), dynamic_sizes(b, y), NULL);
  y = webnn_pad_dynamic(b, y, NUMBERS(WEBNN_INT64, 0, 0, 0),
                        webnn_modulus_floor(b, dynamic_sizes(b, x), NUMBERS(WEBNN_INT64, 2), NULL),
                        NULL);
  y = webnn_expand_dynamic(
      b, y, webnn_add(b, webnn_shape(b, y, NULL), NUMBERS(WEBNN_UINT32, 0), NULL), NULL);
  y = webnn_tile_dynamic(b, y, NUMBERS(WEBNN_INT64, 1, 2, 1), NULL);
  (void)webnn_split_dynamic(b, y,
                            webnn_concat(b,
                                         WEBNN_OPERANDS(NUMBERS(WEBNN_INT64, 1),
                                                        webnn_sub(b, dynamic_size(b, y, 1),
                                                                  NUMBERS(WEBNN_INT64, 1), NULL)),
                                         0, NULL),
                            &(webnn_split_options){.axis = 1}, parts);
  y = webnn_add(
      b, parts[0],
      webnn_cast(b,
                 webnn_range(b, dynamic_number(b, WEBNN_INT64, 0), dynamic_scalar(b, parts[0], -1),
                             dynamic_number(b, WEBNN_INT64, 1), NULL),
                 WEBNN_FLOAT32, NULL),
      NULL);
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, error);
  webnn_free_builder(b);
  return graph;
}

/* As text, for Graphviz and as data, while sizes are open. */
static void check_looks(webnn_context *context) {
  static const char *const expected[] = {
      " = reshapeDynamic(", " = sliceDynamic(", " = padDynamic(", " = expandDynamic(",
      " = tileDynamic(",    " = splitDynamic(", "axis=1)",        " = range(",
      " = shape("};
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = build_all(context, &error);
  char *text = printed(graph);
  every_text dot = WEBNN_ZERO;
  webnn_graph_operator operators[64];
  const size_t count = webnn_graph_operators(graph, operators, 64);
  size_t i, found = 0;
  for (i = 0; i < sizeof expected / sizeof *expected; i++) {
    expect_text("looks", expected[i], text);
  }
  webnn_print_graph_dot(graph, every_write, &dot);
  expect_text("looks", "splitDynamic", dot.data);
  for (i = 0; i < count && i < 64; i++) {
    webnn_graph_option options[16];
    (void)webnn_graph_options(graph, i, options, 16);
    found += (int)operators[i].op == WEBNN_DRAFT_RESHAPE ? 1 : 0;
    CHECK("looks", webnn_op_name(operators[i].op) != NULL, "operator %u", (unsigned)i);
  }
  CHECK("looks", found == 1, "%u of reshapeDynamic among %u", (unsigned)found, (unsigned)count);
  free(text);
  free(dot.data);
  webnn_free_graph(graph);
}

/* While it is built, then while its sizes come. */
static void check_allocations(void) {
  hook memory;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  size_t n, failed = 0;
  int phase;
  memset(&memory, 0, sizeof memory);
  options.allocator.allocate = hook_allocate;
  options.allocator.release = hook_release;
  options.allocator.user = &memory;
  options.threads = 1;
  context = test_context(&options);
  for (phase = 0; phase < 2; phase++) {
    bool more = true;
    for (n = 1; more; n++) {
      webnn_error error = WEBNN_ZERO;
      webnn_named_shape shape = {"x", WEBNN_LIST(1, 3, 4)}, result;
      webnn_graph *graph = NULL;
      if (phase == 1) {
        graph = build_all(context, &error);
      }
      memory.fail_at = memory.calls + n;
      memory.failures = 0;
      if (phase == 0) {
        graph = build_all(context, &error);
      } else {
        (void)webnn_compute_shapes(graph, &shape, 1, &result, 1, &error);
      }
      more = memory.failures > 0;
      memory.fail_at = 0;
      failed += more ? 1 : 0;
      CHECK("allocation",
            more ? error.status == WEBNN_UNKNOWN_ERROR || error.status == WEBNN_OK
                 : error.status == WEBNN_OK,
            "phase %d, %u: %s", phase, (unsigned)n, error.message);
      webnn_free_graph(graph);
    }
  }
  CHECK("allocation", failed > 20, "only %u allocations", (unsigned)failed);
  webnn_free_context(context);
  CHECK("allocation", memory.live_count == 0 && memory.bad_release == 0, "%u left, %u bad",
        (unsigned)memory.live_count, (unsigned)memory.bad_release);
}

/* ---- Sizes after other sizes ------------------------------------------------------------------

   A graph keeps what rules gave for the last sizes and applies again only those whose operands have
   changed. What comes out must be what a graph of fixed sizes gives, whichever sizes came before.
   */

enum { SIZED_OUTPUTS = 8, MOST_SIZED = 6400 };

/* Element-wise operators and products whose shapes follow from sizes in many ways; sizes 0: by
   name. NULL: refused. */
static webnn_graph *build_sized(webnn_context *context, uint32_t rows, uint32_t columns) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = rows > 0 ? rows : webnn_dynamic_dimension(b, "n");
  const uint32_t m = columns > 0 ? columns : webnn_dynamic_dimension(b, "m");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, m));
  webnn_operand *row = webnn_input(b, "row", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, m));
  webnn_operand *shape = webnn_cast(b, webnn_shape(b, x, NULL), WEBNN_INT64, NULL);
  webnn_operand *first = webnn_slice(b, shape, WEBNN_LIST(0), WEBNN_LIST(1), NULL);
  webnn_operand *second = webnn_slice(b, shape, WEBNN_LIST(1), WEBNN_LIST(1), NULL);
  webnn_operand *zero = NUMBERS(WEBNN_INT64, 0), *one = NUMBERS(WEBNN_INT64, 1);
  webnn_operand *two = NUMBERS(WEBNN_INT64, 2), *three = NUMBERS(WEBNN_INT64, 3);
  webnn_operand *half = webnn_max(b, webnn_div(b, first, two, NULL), one, NULL);
  webnn_operand *width = webnn_where(b, webnn_greater(b, second, three, NULL), second, one, NULL);
  webnn_operand *left = webnn_min(
      b, webnn_abs(b, webnn_sub(b, first, NUMBERS(WEBNN_INT64, 7), NULL), NULL), first, NULL);
  webnn_operand *turned =
      webnn_reshape_dynamic(b, x, webnn_concat(b, WEBNN_OPERANDS(second, first), 0, NULL), NULL);
  webnn_operand *sizes = webnn_concat(b, WEBNN_OPERANDS(first, width), 0, NULL);
  webnn_operand *filled = webnn_expand_dynamic(
      b, webnn_constant_from_number(b, WEBNN_FLOAT32, webnn_f64(0.5)), sizes, NULL);
  webnn_operand *named = webnn_expand(
      b, webnn_constant_from_number(b, WEBNN_FLOAT32, webnn_f64(0.25)), WEBNN_LIST(n, 1), NULL);
  webnn_operand *end = webnn_mul(b, webnn_reshape(b, first, WEBNN_EMPTY_LIST, NULL),
                                 webnn_reshape(b, second, WEBNN_EMPTY_LIST, NULL), NULL);
  webnn_operand *all = webnn_range(b, webnn_reshape(b, zero, WEBNN_EMPTY_LIST, NULL), end,
                                   webnn_reshape(b, one, WEBNN_EMPTY_LIST, NULL), NULL);
  webnn_operand *numbers = webnn_cast(b, all, WEBNN_FLOAT32, NULL);
  webnn_operand *gated =
      webnn_mul(b, webnn_add(b, x, filled, NULL), webnn_sigmoid(b, row, NULL), NULL);
  webnn_operand *product =
      webnn_gelu(b,
                 webnn_add(b, webnn_matmul(b, x, turned, NULL),
                           webnn_matmul(b, filled, webnn_transpose(b, filled, NULL), NULL), NULL),
                 NULL);
  webnn_named_operand y[SIZED_OUTPUTS] = {{"turned", webnn_relu(b, turned, NULL)},
                                          {"filled", webnn_add(b, filled, named, NULL)},
                                          {"numbers", numbers},
                                          {"product", webnn_softmax(b, product, 1, NULL)},
                                          {"gated", webnn_layer_normalization(b, gated, NULL)},
                                          {"half", NULL},
                                          {"left", NULL},
                                          {"rest", NULL}};
  webnn_graph *graph = NULL;
  y[5].operand = webnn_slice_dynamic(
      b, x, webnn_concat(b, WEBNN_OPERANDS(webnn_sub(b, first, half, NULL), zero), 0, NULL),
      webnn_concat(b, WEBNN_OPERANDS(half, second), 0, NULL), NULL);
  y[6].operand = webnn_slice_dynamic(b, x, NUMBERS(WEBNN_INT64, 0, 0),
                                     webnn_concat(b, WEBNN_OPERANDS(left, second), 0, NULL), NULL);
  y[7].operand = webnn_cast(b, webnn_modulus_floor(b, all, webnn_neg(b, three, NULL), NULL),
                            WEBNN_FLOAT32, NULL);
  (void)webnn_build(b, y, SIZED_OUTPUTS, &graph, NULL);
  webnn_free_builder(b);
  return graph;
}

typedef struct sized_results {
  webnn_named_shape shapes[SIZED_OUTPUTS];
  float data[SIZED_OUTPUTS][MOST_SIZED];
} sized_results;

/* Returns whether the sizes are taken. */
static bool run_sized(webnn_context *context, webnn_graph *graph, uint32_t n, uint32_t m,
                      sized_results *results) {
  static float x[MOST_SIZED];
  webnn_named_shape inputs[2] = {{"x", WEBNN_LIST(n, m)}, {"row", WEBNN_LIST(m)}};
  webnn_named_output outputs[SIZED_OUTPUTS];
  webnn_error error = WEBNN_ZERO;
  uint32_t i;
  memset(results, 0, sizeof *results);
  if (webnn_compute_shapes(graph, inputs, 2, results->shapes, SIZED_OUTPUTS, &error) != WEBNN_OK) {
    return false;
  }
  for (i = 0; i < MOST_SIZED; i++) {
    x[i] = (float)(i * 37 % 29) / 8 - 1.5f;
  }
  for (i = 0; i < SIZED_OUTPUTS; i++) {
    const webnn_list shape = results->shapes[i].shape;
    outputs[i].name = results->shapes[i].name;
    outputs[i].data = results->data[i];
    outputs[i].byte_length = 4 * (size_t)shape.items[0] * (shape.count > 1 ? shape.items[1] : 1);
  }
  (void)webnn_compute(context, graph,
                      WEBNN_INPUTS({"x", x, (size_t)n * m * 4}, {"row", x, (size_t)m * 4}), outputs,
                      SIZED_OUTPUTS, &error);
  CHECK("sizes", error.status == WEBNN_OK, "%u x %u: %s", (unsigned)n, (unsigned)m, error.message);
  return true;
}

/* The graph, after other sizes, against one of these sizes: shapes, bits and steps. */
static void check_sized(webnn_context *context, webnn_graph *graph, uint32_t n, uint32_t m) {
  static sized_results results, expected;
  webnn_graph *fixed = build_sized(context, n, m);
  const bool taken = run_sized(context, graph, n, m, &results);
  CHECK("sizes", taken == (n != 7) && taken == (fixed != NULL), "%u x %u", (unsigned)n,
        (unsigned)m);
  if (taken && fixed != NULL && run_sized(context, fixed, n, m, &expected)) {
    every_text texts[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    uint32_t i;
    for (i = 0; i < SIZED_OUTPUTS; i++) {
      CHECK("sizes",
            test_same_list(results.shapes[i].shape, expected.shapes[i].shape) &&
                memcmp(results.data[i], expected.data[i], sizeof results.data[i]) == 0,
            "%u x %u: %s %s", (unsigned)n, (unsigned)m, results.shapes[i].name,
            test_shape_text(results.shapes[i].shape));
    }
    webnn_print_steps(graph, every_write, &texts[0]);
    webnn_print_steps(fixed, every_write, &texts[1]);
    CHECK("sizes", strstr(texts[0].data, texts[1].data) != NULL, "%u x %u:\n%s, not\n%s",
          (unsigned)n, (unsigned)m, texts[0].data, texts[1].data);
    free(texts[0].data);
    free(texts[1].data);
  }
  webnn_free_graph(fixed);
}

/* Sizes again, turned, of as many elements, of one, with more numbers than are worked out of an
   operand, and some that are refused between them; then at random. */
static void check_sizes(webnn_numerics numerics) {
  static const uint32_t sizes[][2] = {
      {3, 4},   {3, 4},   {4, 3}, {12, 1}, {1, 12}, {7, 4},  {1, 1},   {2, 6},   {2, 2},   {70, 80},
      {70, 80}, {80, 70}, {7, 7}, {3, 3},  {4, 4},  {3, 4},  {64, 64}, {64, 65}, {64, 63}, {5, 1},
      {5, 4},   {1, 4},   {8, 6}, {6, 8},  {7, 1},  {16, 3}, {3, 16},  {4, 12}};
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_graph *graph;
  uint32_t i, state = 1;
  options.numerics = numerics;
  options.specializations = 1;
  context = test_context(&options);
  graph = build_sized(context, 0, 0);
  CHECK("sizes", graph != NULL, "no graph");
  for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_sized(context, graph, sizes[i][0], sizes[i][1]);
  }
  for (i = 0; i < 60; i++) {
    state = state * 1664525u + 1013904223u;
    check_sized(context, graph, 1 + (state >> 8) % 9, 1 + (state >> 16) % 9);
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
}

/* ---- Operators that are there several times ---------------------------------------------------

   Where operands have become the same for some sizes, an operator takes what an earlier one of the
   same rule has given. So here are layers of the same operators, on inputs whose sizes are the same
   always, or by chance, with other constants here and there, splits into other sizes, and what reads
   one operand twice beside what reads two of the same size. */

enum { LAYERS = 9, LAYER_OUTPUTS = 4, MOST_LAYERED = 128 };

static webnn_operand *one_of(webnn_builder *b, webnn_operand *list, uint32_t i) {
  return webnn_slice(b, list, webnn_list_of(&i, 1), WEBNN_LIST(1), NULL);
}

static void build_layer(webnn_builder *b, webnn_operand *x, webnn_operand *like, uint32_t layer,
                        webnn_named_operand *outputs) {
  static const uint32_t sizes[][2] = {{1, 3}, {3, 1}};
  webnn_operand *shape = webnn_cast(b, webnn_shape(b, x, NULL), WEBNN_INT64, NULL);
  webnn_operand *other = webnn_cast(b, webnn_shape(b, like, NULL), WEBNN_INT64, NULL);
  webnn_operand *rows = one_of(b, shape, 0), *columns = one_of(b, shape, 1), *parts[2];
  webnn_operand *size = one_of(b, other, 1), *one = NUMBERS(WEBNN_INT64, 1);
  webnn_operand *part =
      webnn_div(b, rows, layer % 2 == 0 ? NUMBERS(WEBNN_INT64, 2) : NUMBERS(WEBNN_INT64, 3), NULL);
  webnn_operand *pair =
      webnn_concat(b, WEBNN_OPERANDS(rows, layer % 3 == 0 ? rows : size), 0, NULL);
  webnn_operand *end = webnn_add(b, webnn_reduce_product(b, pair, NULL),
                                 dynamic_number(b, WEBNN_INT64, (int)layer % 4), NULL);
  webnn_operand *range = webnn_range(b, dynamic_number(b, WEBNN_INT64, (int)layer % 4), end,
                                     dynamic_number(b, WEBNN_INT64, 1), NULL);
  webnn_operand *filled = webnn_expand_dynamic(
      b, webnn_constant_from_number(b, WEBNN_FLOAT32, webnn_f64(layer)), pair, NULL);
  webnn_operand *less =
      webnn_sub(b, layer % 2 == 0 ? size : rows, layer % 2 == 0 ? rows : size, NULL);
  (void)webnn_split_sizes(b, webnn_concat(b, WEBNN_OPERANDS(shape, other), 0, NULL),
                          sizes[layer % 2], 2, NULL, parts);
  outputs[0].operand = webnn_cast(b, range, WEBNN_FLOAT32, NULL);
  outputs[1].operand = webnn_add(b, filled, webnn_cast(b, less, WEBNN_FLOAT32, NULL), NULL);
  outputs[2].operand = webnn_relu(
      b,
      webnn_slice_dynamic(
          b, x, NUMBERS(WEBNN_INT64, 0, 0),
          webnn_concat(b, WEBNN_OPERANDS(webnn_max(b, part, one, NULL), columns), 0, NULL), NULL),
      NULL);
  outputs[3].operand = webnn_expand_dynamic(
      b, webnn_constant_from_number(b, WEBNN_FLOAT32, webnn_f64(layer)),
      webnn_min(b, parts[layer % 3 == 1 ? 1 : 0], NUMBERS(WEBNN_INT64, 3), NULL), NULL);
}

/* x, y with the sizes of x turned, and z, of which one has no name; NULL: open sizes. */
static webnn_graph *build_layers(webnn_context *context, const uint32_t *sizes) {
  static char names[LAYERS * LAYER_OUTPUTS][16];
  webnn_named_operand outputs[LAYERS * LAYER_OUTPUTS];
  webnn_builder *b = test_builder(context);
  const uint32_t n = sizes != NULL ? sizes[0] : webnn_dynamic_dimension(b, "n");
  const uint32_t m = sizes != NULL ? sizes[1] : webnn_dynamic_dimension(b, "m");
  const uint32_t p = sizes != NULL ? sizes[2] : WEBNN_DYNAMIC_DIMENSION;
  webnn_operand *inputs[3];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  uint32_t i;
  inputs[0] = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, m));
  inputs[1] = webnn_input(b, "y", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, m, n));
  inputs[2] = webnn_input(b, "z", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, p, 2));
  for (i = 0; i < LAYERS; i++) {
    build_layer(b, inputs[i % 3], inputs[i / 3], i, &outputs[i * LAYER_OUTPUTS]);
  }
  for (i = 0; i < LAYERS * LAYER_OUTPUTS; i++) {
    (void)snprintf(names[i], sizeof *names, "y%u", (unsigned)i);
    outputs[i].name = names[i];
  }
  CHECK("layers", webnn_build(b, outputs, LAYERS * LAYER_OUTPUTS, &graph, &error) == WEBNN_OK, "%s",
        error.message);
  webnn_free_builder(b);
  return graph;
}

static webnn_tensor *layered_tensor(webnn_context *context, webnn_list shape, const float *data,
                                    webnn_error *error) {
  const webnn_tensor_descriptor d = {WEBNN_FLOAT32, shape, true, true};
  webnn_tensor *tensor = NULL;
  (void)webnn_create_tensor(context, d, &tensor, error);
  if (data != NULL) {
    (void)webnn_write_tensor(context, tensor, data, test_element_count(shape) * 4, error);
  }
  return tensor;
}

static void run_layers(webnn_context *context, webnn_graph *graph, const uint32_t *sizes,
                       webnn_named_shape *shapes, float (*data)[MOST_LAYERED]) {
  static const float x[MOST_LAYERED] = {-2, 3, 0.5f, 4, -1, 6, 7, 8, 9, 10, 11, 12, 13};
  const webnn_named_shape given[] = {{"x", WEBNN_LIST(sizes[0], sizes[1])},
                                     {"y", WEBNN_LIST(sizes[1], sizes[0])},
                                     {"z", WEBNN_LIST(sizes[2], 2)}};
  webnn_named_tensor inputs[3], outputs[LAYERS * LAYER_OUTPUTS];
  webnn_error error = WEBNN_ZERO;
  uint32_t i;
  (void)webnn_compute_shapes(graph, given, 3, shapes, LAYERS * LAYER_OUTPUTS, &error);
  for (i = 0; i < 3; i++) {
    inputs[i].name = given[i].name;
    inputs[i].tensor = layered_tensor(context, given[i].shape, x, &error);
  }
  for (i = 0; i < LAYERS * LAYER_OUTPUTS; i++) {
    outputs[i].name = shapes[i].name;
    outputs[i].tensor = layered_tensor(context, shapes[i].shape, NULL, &error);
  }
  (void)webnn_dispatch(context, graph, inputs, 3, outputs, LAYERS * LAYER_OUTPUTS, &error);
  for (i = 0; i < LAYERS * LAYER_OUTPUTS; i++) {
    (void)webnn_read_tensor(context, outputs[i].tensor, data[i],
                            test_element_count(shapes[i].shape) * 4, &error);
    webnn_free_tensor(outputs[i].tensor);
  }
  for (i = 0; i < 3; i++) {
    webnn_free_tensor(inputs[i].tensor);
  }
  CHECK("layers", error.status == WEBNN_OK, "%s", error.message);
}

static void check_layers(webnn_context *context) {
  static webnn_named_shape shapes[2][LAYERS * LAYER_OUTPUTS];
  static float data[2][LAYERS * LAYER_OUTPUTS][MOST_LAYERED];
  webnn_graph *graph = build_layers(context, NULL);
  uint32_t round, i, sizes[3], state = 7;
  for (round = 0; round < 60; round++) {
    webnn_graph *fixed;
    for (i = 0; i < 3; i++) {
      state = state * 1664525u + 1013904223u;
      sizes[i] = 1 + (state >> 16) % (round % 3 == 0 ? 2 : 7);
    }
    fixed = build_layers(context, sizes);
    memset(data, 0, sizeof data);
    run_layers(context, graph, sizes, shapes[0], data[0]);
    run_layers(context, fixed, sizes, shapes[1], data[1]);
    for (i = 0; i < LAYERS * LAYER_OUTPUTS; i++) {
      CHECK("layers",
            test_same_list(shapes[0][i].shape, shapes[1][i].shape) &&
                memcmp(data[0][i], data[1][i], sizeof data[0][i]) == 0,
            "round %u, %u x %u and %u x 2: %s", (unsigned)round, (unsigned)sizes[0],
            (unsigned)sizes[1], (unsigned)sizes[2], shapes[0][i].name);
    }
    webnn_free_graph(fixed);
  }
  webnn_free_graph(graph);
}

int main(void) {
  static const webnn_data_type signed_types[] = {WEBNN_INT32, WEBNN_INT64, WEBNN_INT8};
  static const webnn_data_type unsigned_types[] = {WEBNN_UINT32, WEBNN_UINT64, WEBNN_UINT8};
  unsigned long seed;
  int i, j;
  for (i = 0; i < 2; i++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context;
    options.numerics = i == 0 ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
    context = test_context(&options);
    check_example(context);
    check_folding(context);
    check_ports(context);
    check_refusals(context);
    check_looks(context);
    for (j = 0; j < 3; j++) {
      check_modulus(context, signed_types[j], -9);
      check_modulus(context, unsigned_types[j], 0);
    }
    check_ranges(context);
    for (seed = 1; seed <= 300; seed++) {
      check_chain(context, seed, seed % 2 == 0);
    }
    check_layers(context);
    webnn_free_context(context);
    check_sizes(options.numerics);
  }
  check_allocations();
  return test_end();
}
