/* Graphs with dynamic dimensions: their results are the bits of static graphs of the same sizes, in
   both contexts; what is certainly wrong is refused when the graph is built, the rest when sizes are
   known; what is kept stays level however many sizes come. */
#include "counting_allocator.h"
#include "every_operator.h"
#include "failing_allocator.h"

enum { MOST = 16 };

static float data[MOST * MOST];

/* A size, or for 0 the dimension of that name. */
static uint32_t size_or_name(webnn_builder *b, uint32_t size, const char *name) {
  return size > 0 ? size : webnn_dynamic_dimension(b, name);
}

/* The graph of output "y"; frees the builder. */
static webnn_graph *finish(webnn_builder *b, webnn_operand *y) {
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  CHECK("build", graph != NULL, "%s", error.message);
  webnn_free_builder(b);
  return graph;
}

/* relu(x w + x w), with a row in front; sizes 0: by name. */
static webnn_graph *build(webnn_context *context, uint32_t rows, uint32_t terms) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = size_or_name(b, rows, "rows"), k = size_or_name(b, terms, "terms");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, k));
  webnn_operand *w = webnn_input(b, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, k, 3));
  webnn_operand *product = webnn_matmul(b, x, w, NULL);
  webnn_operand *y = webnn_relu(b, webnn_add(b, product, product, NULL), NULL);
  return finish(b, webnn_unsqueeze(b, y, WEBNN_LIST(0), NULL));
}

static void run(webnn_context *context, webnn_graph *graph, uint32_t rows, uint32_t terms,
                float *y) {
  webnn_error error = WEBNN_ZERO;
  const webnn_status status =
      webnn_compute(context, graph,
                    WEBNN_INPUTS({"x", data, (size_t)rows * terms * sizeof *data},
                                 {"w", data, (size_t)terms * 3 * sizeof *data}),
                    WEBNN_OUTPUTS({"y", y, (size_t)rows * 3 * sizeof *y}), &error);
  CHECK("compute", status == WEBNN_OK, "%s", error.message);
}

static void check_bits(webnn_context *context) {
  uint32_t rows, terms;
  webnn_graph *graph = build(context, 0, 0);
  for (rows = 1; rows <= MOST; rows += 3) {
    for (terms = 1; terms <= MOST / 3; terms++) {
      float y[MOST * 3], expected[MOST * 3];
      webnn_graph *fixed = build(context, rows, terms);
      run(context, graph, rows, terms, y);
      run(context, fixed, rows, terms, expected);
      CHECK("bits", memcmp(y, expected, (size_t)rows * 3 * sizeof *y) == 0, "%u x %u",
            (unsigned)rows, (unsigned)terms);
      webnn_free_graph(fixed);
    }
  }
  webnn_free_graph(graph);
}

/* Specializations take turns in one arena, which is as large as the largest of them needs, whichever
   comes first. On a device each of the four has its own. */
static void check_arena(webnn_context *context) {
#ifdef WEBNN_TEST_VULKAN
  const uint64_t arenas = 4;
#else
  const uint64_t arenas = 1;
#endif
  webnn_graph *fixed = build(context, MOST, 5);
  const uint64_t least = webnn_graph_memory(fixed).arena;
  uint32_t falling, turn, i;
  for (falling = 0; falling < 2; falling++) {
    webnn_graph *graph = build(context, 0, 0);
    for (turn = 0; turn < 2; turn++) {
      for (i = 0; i < 4; i++) {
        const uint32_t rows = MOST >> (falling ? i : 3 - i);
        float y[MOST * 3], expected[MOST * 3];
        uint64_t arena;
        run(context, graph, rows, 5, y);
        run(context, fixed, MOST, 5, expected); /* the first rows are the same */
        CHECK("arena", memcmp(y, expected, rows * 3 * sizeof *y) == 0, "%u rows in turn %u: bits",
              (unsigned)rows, (unsigned)turn);
        arena = webnn_graph_memory(graph).arena;
        CHECK("arena", least > 0 && arena < arenas * (2 * least + 4),
              "%u bytes, where %u are enough", (unsigned)arena, (unsigned)least);
      }
    }
    CHECK("arena", webnn_graph_memory(graph).arena >= least, "less than one needs");
    webnn_free_graph(graph);
  }
  webnn_free_graph(fixed);
}

/* The first sizes whose shapes are computed are specialized, and no others. */
static void check_first_shapes(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "rows");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, MOST));
  webnn_operand *w =
      webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, MOST, MOST), data, sizeof data);
  webnn_operand *product = webnn_matmul(b, x, w, NULL);
  webnn_graph *graph = finish(b, webnn_matmul(b, product, w, NULL));
  webnn_memory first = WEBNN_ZERO, second = WEBNN_ZERO;
  webnn_named_shape in, out;
  webnn_error error = WEBNN_ZERO;
  uint32_t rows;
  in.name = "x";
  for (rows = MOST; rows >= MOST / 2; rows /= 2) {
    in.shape = WEBNN_LIST(rows, MOST);
    CHECK("first shapes", webnn_compute_shapes(graph, &in, 1, &out, 1, &error) == WEBNN_OK, "%s",
          error.message);
    CHECK("first shapes", out.shape.count == 2 && out.shape.items[0] == rows, "not %u rows",
          (unsigned)rows);
    second = webnn_graph_memory(graph);
    first = rows == MOST ? second : first;
  }
  CHECK("first shapes", first.intermediates > 0, "no specialization");
  CHECK("first shapes", second.intermediates == first.intermediates, "two specializations");
  webnn_free_graph(graph);
}

/* A builder that has built, and one of a lost context, has no names to give. */
static void check_too_late(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  webnn_named_operand y = {"y", NULL};
  webnn_graph *graph = NULL;
  y.operand = webnn_relu(b, webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2)), NULL);
  CHECK("too late", webnn_build(b, &y, 1, &graph, NULL) == WEBNN_OK, "no graph");
  CHECK("too late",
        webnn_dynamic_dimension(b, "n") == 0 &&
            strstr(webnn_builder_message(b), "dynamicDimension: the builder has built") != NULL,
        "%s", webnn_builder_message(b));
  webnn_free_graph(graph);
  webnn_free_builder(b);
  context = test_context(NULL);
  b = test_builder(context);
  webnn_destroy_context(context);
  CHECK("too late",
        webnn_dynamic_dimension(b, "n") == 0 &&
            strstr(webnn_builder_message(b), "dynamicDimension: the context is lost") != NULL,
        "%s", webnn_builder_message(b));
  webnn_free_builder(b);
  webnn_free_context(context);
}

/* Certain, left for later and refused, left for later and fitting. */
static void check_refusals(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n"), again = webnn_dynamic_dimension(b, "n");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 3));
  webnn_operand *two = webnn_input(b, "two", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 2));
  webnn_operand *five = webnn_input(b, "five", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 5, 3));
  webnn_operand *y;
  webnn_graph *graph;
  webnn_named_shape shapes[2] = {{"x", WEBNN_LIST(4, 3)}, {"five", WEBNN_LIST(5, 3)}}, result;
  webnn_error error = WEBNN_ZERO;
  webnn_list list;
  CHECK("names", n == again && strcmp(webnn_dimension_name(b, n), "n") == 0, "%u, %u", (unsigned)n,
        (unsigned)again);
  list = webnn_operand_shape(webnn_relu(b, x, NULL));
  CHECK("passed through", list.items[0] == n && list.items[1] == 3, "%u", (unsigned)list.items[0]);
  CHECK("certain", !webnn_matmul(b, x, two, NULL), "3 columns by 2 rows");
  CHECK("certain", strstr(webnn_builder_message(b), "columns of a (3)") != NULL, "%s",
        webnn_builder_message(b));
  webnn_builder_clear_error(b);
  CHECK("certain", !webnn_reshape(b, x, WEBNN_LIST(7), NULL), "7 elements in rows of 3");
  webnn_builder_clear_error(b);
  y = webnn_add(b, x, five, NULL);
  list = webnn_operand_shape(y);
  CHECK("broadcast", list.items[0] == 5, "%u", (unsigned)list.items[0]);
  graph = finish(b, y);
  CHECK("later", webnn_compute_shapes(graph, shapes, 2, &result, 1, &error) == WEBNN_TYPE_ERROR,
        "4 rows and 5");
  CHECK("later",
        strstr(error.message, "computeShapes: add: ") != NULL &&
            strstr(error.message, "[4, 3]") != NULL,
        "%s", error.message);
  shapes[0].shape = WEBNN_LIST(1, 3);
  CHECK("later",
        webnn_compute_shapes(graph, shapes, 2, &result, 1, &error) == WEBNN_OK &&
            result.shape.items[0] == 5,
        "%s", error.message);
  webnn_free_graph(graph);
}

/* After 1,000 runs a graph that keeps two specializations takes no more than once each of 80 sizes
   has come. */
static void check_memory(void) {
  webnn_context *context = counting_context(2);
  webnn_graph *graph = build(context, 0, 0);
  size_t level = 0;
  uint32_t i;
  float y[MOST * 3];
  for (i = 0; i < 1000; i++) {
    run(context, graph, 1 + i % MOST, 1 + i / MOST % (MOST / 3), y);
    if (i == MOST * (MOST / 3)) { /* each size came once */
      level = counted_bytes;
    }
  }
  run(context, graph, 1, 1, y);
  CHECK("memory", counted_bytes <= level + 4096, "%u bytes, then %u", (unsigned)level,
        (unsigned)counted_bytes);
  webnn_free_graph(graph);
  webnn_free_context(context);
  CHECK("memory", counted_bytes == 0, "%u bytes are left", (unsigned)counted_bytes);
}

/* ---- Names in newShape ------------------------------------------------------------------------ */

/* expand(reshape(x, [n, 2, m]) + w, [3, n, 2, m]); sizes 0: by name. */
static webnn_graph *build_reshape(webnn_context *context, uint32_t rows, uint32_t columns) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = size_or_name(b, rows, "n"), m = size_or_name(b, columns, "m");
  const uint32_t twice = columns ? 2 * columns : WEBNN_DYNAMIC_DIMENSION;
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, twice));
  webnn_operand *w = webnn_input(b, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, m));
  webnn_operand *y = webnn_add(b, webnn_reshape(b, x, WEBNN_LIST(n, 2, m), NULL), w, NULL);
  return finish(b, webnn_expand(b, y, WEBNN_LIST(3, n, 2, m), NULL));
}

static webnn_tensor *tensor_of(webnn_context *context, webnn_data_type type, webnn_list shape) {
  webnn_tensor_descriptor descriptor = WEBNN_ZERO;
  webnn_tensor *tensor = NULL;
  descriptor.data_type = type;
  descriptor.shape = shape;
  descriptor.readable = descriptor.writable = true;
  (void)webnn_create_tensor(context, descriptor, &tensor, NULL);
  return tensor;
}

/* ---- A refused dispatch does not keep the graph ------------------------------------------------ */

/* x x is refused unless x is square, and an output has to have its shape. */
static void check_refused(void) {
  static const uint32_t sizes[][3] = {{2, 3, 2}, {2, 2, 3}, {2, 2, 2}}; /* of x, of y */
  webnn_context *context = counting_context(2);
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n"), m = webnn_dynamic_dimension(b, "m");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, m));
  webnn_graph *graph = finish(b, webnn_matmul(b, x, x, NULL));
  size_t i;
  for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    webnn_tensor *in = tensor_of(context, WEBNN_FLOAT32, WEBNN_LIST(sizes[i][0], sizes[i][1]));
    webnn_tensor *out = tensor_of(context, WEBNN_FLOAT32, WEBNN_LIST(sizes[i][2], sizes[i][2]));
    const webnn_status status = webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", in}),
                                               WEBNN_NAMED_TENSORS({"y", out}), NULL);
    CHECK("refused", (status == WEBNN_OK) == (i == 2), "%s", webnn_status_name(status));
    webnn_free_tensor(in);
    webnn_free_tensor(out);
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
  CHECK("refused", counted_bytes == 0, "%u bytes are left", (unsigned)counted_bytes);
}

/* ---- A size that fits what is there takes no memory ------------------------------------------- */

enum { CALL_INPUTS = 40 };

static webnn_operand *int_of(webnn_builder *b, int64_t number) {
  return webnn_constant_from_number(b, WEBNN_INT32, webnn_i64(number));
}

/* Products with weights, arithmetic of sizes, constants that follow from it, and many inputs. */
static webnn_graph *build_calls(webnn_context *context, char (*names)[8]) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n");
  const webnn_operand_descriptor d = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, MOST);
  webnn_operand *x = webnn_input(b, names[0], d), *y = x;
  webnn_operand *w =
      webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, MOST, MOST), data, sizeof data);
  webnn_operand *size = webnn_cast(b, webnn_gather(b, webnn_shape(b, x, NULL), int_of(b, 0), NULL),
                                   WEBNN_INT32, NULL);
  webnn_operand *places = webnn_range(b, int_of(b, 0), size, int_of(b, 1), NULL);
  uint32_t i;
  for (i = 1; i < CALL_INPUTS; i++) {
    y = webnn_add(b, y, webnn_input(b, names[i], d), NULL);
  }
  for (i = 0; i < 3; i++) {
    webnn_operand *scores =
        webnn_softmax(b, webnn_matmul(b, y, webnn_transpose(b, x, NULL), NULL), 1, NULL);
    scores = webnn_add(b, scores, webnn_cast(b, places, WEBNN_FLOAT32, NULL), NULL);
    y = webnn_gelu(b, webnn_matmul(b, webnn_matmul(b, scores, x, NULL), w, NULL), NULL);
    y = webnn_add(b, y, webnn_gather(b, w, places, NULL), NULL);
  }
  return finish(b, y);
}

/* Each of many sizes is new, since one specialization is kept. Once the largest were there, neither
   computeShapes nor dispatch allocates. (A device's plans take memory of their own.) */
static void check_calls(void) {
  static char names[CALL_INPUTS][8];
  webnn_context *context = counting_context(1);
  webnn_named_tensor inputs[CALL_INPUTS], y = {"y", NULL};
  webnn_named_shape shapes[CALL_INPUTS], result;
  webnn_graph *graph;
  size_t calls[2] = {0, 0}, before;
  uint32_t i, turn, n;
  for (i = 0; i < CALL_INPUTS; i++) {
    (void)snprintf(names[i], sizeof *names, "x%u", (unsigned)i);
    inputs[i].name = shapes[i].name = names[i];
  }
  graph = build_calls(context, names);
  for (turn = 0; turn < 4; turn++) {
    for (n = MOST; n > 0; n--) {
      webnn_error error = WEBNN_ZERO;
      for (i = 0; i < CALL_INPUTS; i++) {
        shapes[i].shape = WEBNN_LIST(n, MOST);
        inputs[i].tensor = tensor_of(context, WEBNN_FLOAT32, shapes[i].shape);
      }
      y.tensor = tensor_of(context, WEBNN_FLOAT32, shapes[0].shape);
      before = counted_calls;
      (void)webnn_compute_shapes(graph, shapes, CALL_INPUTS, &result, 1, &error);
      calls[0] = counted_calls - before;
      (void)webnn_dispatch(context, graph, inputs, CALL_INPUTS, &y, 1, &error);
#ifndef WEBNN_TEST_VULKAN
      calls[1] = counted_calls - before - calls[0];
#endif
      CHECK("calls", error.status == WEBNN_OK, "%s", error.message);
      CHECK("calls", turn < 2 || calls[0] + calls[1] == 0,
            "turn %u, %u rows: computeShapes allocates %u times, dispatch %u", (unsigned)turn,
            (unsigned)n, (unsigned)calls[0], (unsigned)calls[1]);
      for (i = 0; i < CALL_INPUTS; i++) {
        webnn_free_tensor(inputs[i].tensor);
      }
      webnn_free_tensor(y.tensor);
    }
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
  CHECK("calls", counted_bytes == 0, "%u bytes are left", (unsigned)counted_bytes);
}

static void run_reshape(webnn_context *context, webnn_graph *graph, uint32_t rows, uint32_t columns,
                        float *y) {
  webnn_error error = WEBNN_ZERO;
  const size_t count = (size_t)rows * 2 * columns;
  webnn_tensor *x = tensor_of(context, WEBNN_FLOAT32, WEBNN_LIST(rows, 2 * columns));
  webnn_tensor *w = tensor_of(context, WEBNN_FLOAT32, WEBNN_LIST(columns));
  webnn_tensor *out = tensor_of(context, WEBNN_FLOAT32, WEBNN_LIST(3, rows, 2, columns));
  webnn_write_tensor(context, x, data, count * sizeof *data, &error);
  webnn_write_tensor(context, w, data, columns * sizeof *data, &error);
  webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}, {"w", w}),
                 WEBNN_NAMED_TENSORS({"y", out}), &error);
  webnn_read_tensor(context, out, y, 3 * count * sizeof *y, &error);
  CHECK("newShape", error.status == WEBNN_OK, "%s", error.message);
  webnn_free_tensor(x);
  webnn_free_tensor(w);
  webnn_free_tensor(out);
}

static void check_new_shapes(webnn_context *context) {
  webnn_graph *graph = build_reshape(context, 0, 0);
  uint32_t rows, columns;
  for (rows = 1; rows <= 5; rows++) {
    for (columns = 1; columns <= 5; columns++) {
      float y[3 * 5 * 2 * 5] = {0}, expected[3 * 5 * 2 * 5] = {0};
      webnn_graph *fixed = build_reshape(context, rows, columns);
      run_reshape(context, graph, rows, columns, y);
      run_reshape(context, fixed, rows, columns, expected);
      CHECK("newShape", memcmp(y, expected, sizeof y) == 0, "%u, %u", (unsigned)rows,
            (unsigned)columns);
      webnn_free_graph(fixed);
    }
  }
  webnn_free_graph(graph);
}

/* x [n] as [m, n], where inputs from which nothing is computed have m: the first of them gives the
   size, and is an input of the graph; others that have n, too, nothing that is named, or what only an
   operator names that no output needs, are not. */
static void check_named_inputs(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n"), m = webnn_dynamic_dimension(b, "m");
  const uint32_t k = webnn_dynamic_dimension(b, "k");
  webnn_operand *also = webnn_input(b, "also", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n));
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n));
  webnn_operand *mask = webnn_input(b, "mask", WEBNN_DESCRIPTOR(WEBNN_UINT8, 2, m));
  webnn_operand *second = webnn_input(b, "second", WEBNN_DESCRIPTOR(WEBNN_UINT8, m, n));
  webnn_operand *idle = webnn_input(b, "idle", WEBNN_DESCRIPTOR(WEBNN_UINT8, k));
  webnn_operand *unused = webnn_expand(b, x, WEBNN_LIST(k, n), NULL);
  webnn_graph *graph = finish(b, webnn_expand(b, webnn_relu(b, x, NULL), WEBNN_LIST(m, n), NULL));
  webnn_named_shape in[2] = {{"x", WEBNN_LIST(3)}, {"mask", WEBNN_LIST(2, 4)}}, out = WEBNN_ZERO;
  const uint8_t bytes[8] = {0};
  webnn_error error = WEBNN_ZERO;
  float y[12] = {0};
  CHECK("named inputs",
        also && mask && second && idle && unused && webnn_graph_inputs(graph, NULL, 0) == 2,
        "%u inputs", (unsigned)webnn_graph_inputs(graph, NULL, 0));
  CHECK("named inputs",
        webnn_compute_shapes(graph, in, 2, &out, 1, &error) == WEBNN_OK && out.shape.count == 2 &&
            out.shape.items[0] == 4 && out.shape.items[1] == 3,
        "%s", error.message);
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", data, 12}, {"mask", bytes, sizeof bytes}),
                      WEBNN_OUTPUTS({"y", y, sizeof y}), &error);
  CHECK("named inputs",
        error.status == WEBNN_OK && y[1] == (data[1] > 0 ? data[1] : 0) && y[10] == y[1], "%s",
        error.message);
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", data, 12}),
                      WEBNN_OUTPUTS({"y", y, sizeof y}), &error);
  CHECK("named inputs", error.status == WEBNN_TYPE_ERROR && strstr(error.message, "mask") != NULL,
        "%s", error.message);
  webnn_free_graph(graph);
}

/* ---- What is refused -------------------------------------------------------------------------- */

#define SAYS(words)                                                                                \
  CHECK("refused", error.status == WEBNN_TYPE_ERROR && strstr(error.message, words) != NULL,       \
        "'%s' expected in '%s'", words, error.message)

static void check_descriptors(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n");
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(n), true, true};
  webnn_tensor *tensor = NULL;
  webnn_error error = WEBNN_ZERO;
  char name[2000];
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 2));
#define REFUSED(call, words)                                                                       \
  do {                                                                                             \
    const bool none = !(call);                                                                     \
    CHECK("refused", none &&strstr(webnn_builder_message(b), words) != NULL,                       \
          "'%s' expected in '%s'", words, webnn_builder_message(b));                               \
    webnn_builder_clear_error(b);                                                                  \
  } while (0)
  REFUSED(webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n), data, 4), "must be 1 to");
  REFUSED(webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, WEBNN_DYNAMIC_DIMENSION), data, 4),
          "must be 1 to");
  REFUSED(webnn_input(b, "y", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n + 1)), "must be 1 to");
  REFUSED(webnn_input(b, "y", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, UINT32_MAX)), "must be 1 to");
  REFUSED(webnn_dynamic_dimension(b, ""), "the name is empty");
  REFUSED(webnn_dynamic_dimension(b, NULL), "the name is NULL");
  REFUSED(webnn_reshape(b, x, WEBNN_LIST(WEBNN_DYNAMIC_DIMENSION), NULL), "without a name");
  REFUSED(webnn_expand(b, x, WEBNN_LIST(WEBNN_DYNAMIC_DIMENSION, 2), NULL), "without a name");
  REFUSED(webnn_reshape(b, x, WEBNN_LIST(n + 1), NULL), "must be 1 to");
  REFUSED(webnn_slice(b, x, WEBNN_LIST(0, 0), WEBNN_LIST(n, 1), NULL), "slice: starts (0)");
  CHECK("no builder", webnn_dynamic_dimension(NULL, "n") == 0, "a dimension of no builder");
  (void)webnn_create_tensor(context, descriptor, &tensor, &error);
  CHECK("tensor", tensor == NULL && error.status == WEBNN_TYPE_ERROR, "%s", error.message);
  CHECK("names",
        webnn_dimension_name(b, 3) == NULL && webnn_dimension_name(b, n + 1) == NULL &&
            strcmp(webnn_dimension_name(b, WEBNN_DYNAMIC_DIMENSION), "") == 0 &&
            webnn_dimension_name(NULL, n) == NULL && webnn_graph_dimension_name(NULL, n) == NULL,
        "names of what has none");
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  CHECK("names", strcmp(webnn_dimension_name(b, webnn_dynamic_dimension(b, name)), name) == 0,
        "a long name");
  webnn_free_builder(b);
#undef REFUSED
}

/* One dispatch of `build`'s graph with tensors of these shapes. */
static webnn_error dispatched(webnn_context *context, webnn_graph *graph, webnn_list x,
                              webnn_list w, webnn_list y, webnn_data_type type) {
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *a = tensor_of(context, type, x), *b = tensor_of(context, WEBNN_FLOAT32, w);
  webnn_tensor *c = tensor_of(context, WEBNN_FLOAT32, y);
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", a}, {"w", b}),
                       WEBNN_NAMED_TENSORS({"y", c}), &error);
  webnn_free_tensor(a);
  webnn_free_tensor(b);
  webnn_free_tensor(c);
  return error;
}

/* Tensors that do not fit: each refusal says what does not, and the graph stays usable. */
static void check_wrong_tensors(webnn_context *context) {
  webnn_graph *graph = build(context, 0, 0);
  webnn_error error;
  webnn_tensor *tensor = NULL;
#define TRY(x, w, y, type) error = dispatched(context, graph, x, w, y, type)
  TRY(WEBNN_LIST(2, 4), WEBNN_LIST(5, 3), WEBNN_LIST(1, 2, 3), WEBNN_FLOAT32);
  SAYS("dimension 0 of \"w\" is 5, but \"terms\" is 4 in another dimension");
  TRY(WEBNN_LIST(2, 4), WEBNN_LIST(4, 2), WEBNN_LIST(1, 2, 3), WEBNN_FLOAT32);
  SAYS("dispatch: the tensor of input \"w\" is float32 [4, 2], not float32 [\"terms\", 3]");
  TRY(WEBNN_LIST(8), WEBNN_LIST(4, 3), WEBNN_LIST(1, 2, 3), WEBNN_FLOAT32);
  SAYS("dispatch: the tensor of input \"x\" is float32 [8], not float32 [\"rows\", \"terms\"]");
  TRY(WEBNN_LIST(2, 4), WEBNN_LIST(4, 3), WEBNN_LIST(1, 2, 3), WEBNN_INT32);
  SAYS("is int32 [2, 4], not float32");
  TRY(WEBNN_LIST(2, 4), WEBNN_LIST(4, 3), WEBNN_LIST(1, 3, 3), WEBNN_FLOAT32);
  SAYS("dispatch: the tensor of output \"y\" is float32 [1, 3, 3], not float32 [1, 2, 3]");
  TRY(WEBNN_LIST(2, 4), WEBNN_LIST(4, 3), WEBNN_LIST(2, 2, 3), WEBNN_FLOAT32);
  SAYS("not float32 [1, \"rows\", 3]");
  TRY(WEBNN_LIST(2, 4), WEBNN_LIST(4, 3), WEBNN_LIST(1, 2, 3), WEBNN_FLOAT32);
  CHECK("usable", error.status == WEBNN_OK, "%s", error.message);
  memset(&error, 0, sizeof error);
  (void)webnn_create_graph_tensor(graph, "x", &tensor, &error);
  SAYS("\"x\" has dynamic dimensions [\"rows\", \"terms\"]");
  webnn_destroy_graph(graph);
  TRY(WEBNN_LIST(2, 4), WEBNN_LIST(4, 3), WEBNN_LIST(1, 2, 3), WEBNN_FLOAT32);
  CHECK("destroyed", error.status == WEBNN_INVALID_STATE_ERROR, "%s", error.message);
  webnn_free_graph(graph);
#undef TRY
}

static void check_wrong_shapes(webnn_context *context) {
  webnn_graph *graph = build(context, 0, 0);
  webnn_named_shape shapes[3] = {
      {"x", WEBNN_LIST(4, 3)}, {"w", WEBNN_LIST(3, 3)}, {"x", WEBNN_LIST(4, 3)}};
  webnn_named_shape result;
  webnn_error error = WEBNN_ZERO;
#define TRY(count)                                                                                 \
  memset(&error, 0, sizeof error);                                                                 \
  (void)webnn_compute_shapes(graph, shapes, count, &result, 1, &error)
  TRY(2);
  CHECK("shapes",
        error.status == WEBNN_OK && test_same_list(result.shape, WEBNN_LIST(1, 4, 3)) &&
            strcmp(result.name, "y") == 0,
        "%s", error.message);
  TRY(1);
  SAYS("computeShapes: input \"w\" is not given");
  TRY(3);
  SAYS("computeShapes: input \"x\" is given twice");
  shapes[0].name = "z";
  TRY(2);
  SAYS("computeShapes: the graph has no input \"z\"");
  shapes[0].name = NULL;
  TRY(2);
  SAYS("computeShapes: the graph has no input \"\"");
  shapes[0].name = "x";
  shapes[0].shape = WEBNN_LIST(4);
  TRY(2);
  SAYS("computeShapes: input \"x\" [4] must be [\"rows\", \"terms\"]");
  shapes[0].shape = WEBNN_LIST(0, 3);
  TRY(2);
  SAYS("a dimension (0) must be 1 to 2147483647");
  shapes[0].shape = WEBNN_LIST(WEBNN_DYNAMIC_DIMENSION, 3);
  TRY(2);
  SAYS("must be 1 to 2147483647");
  shapes[0].shape = WEBNN_LIST(4, 2);
  TRY(2);
  SAYS("dimension 0 of \"w\" is 3, but \"terms\" is 2 in another dimension");
  memset(&error, 0, sizeof error);
  (void)webnn_compute_shapes(graph, NULL, 2, &result, 1, &error);
  SAYS("the list of inputs is NULL");
  shapes[0].shape = WEBNN_LIST(4, 3);
  CHECK("shapes", webnn_compute_shapes(graph, shapes, 2, NULL, 0, NULL) == WEBNN_OK, "no outputs");
  webnn_destroy_graph(graph);
  TRY(2);
  CHECK("destroyed", error.status == WEBNN_INVALID_STATE_ERROR, "%s", error.message);
  webnn_free_graph(graph);
#undef TRY
}

/* Sizes that do not follow from bytes, or not to the end. */
static void check_wrong_bytes(webnn_context *context) {
  webnn_graph *graph = build(context, 0, 0);
  float y[6];
  webnn_error error;
#define TRY(x_bytes, w_bytes, y_bytes)                                                             \
  memset(&error, 0, sizeof error);                                                                 \
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", data, x_bytes}, {"w", data, w_bytes}),    \
                      WEBNN_OUTPUTS({"y", y, y_bytes}), &error)
  TRY(2 * 4 * 4, 4 * 3 * 4, sizeof y);
  CHECK("compute", error.status == WEBNN_OK, "%s", error.message);
  TRY(2 * 4 * 4, 4 * 3 * 4, sizeof y - 4);
  SAYS("compute: output \"y\": the data has 20 bytes, there must be 24");
  TRY(2 * 4 * 4 + 4, 4 * 3 * 4, sizeof y);
  SAYS("compute: input \"x\": the data has 36 bytes, there must be 32");
  TRY(2 * 4 * 4, 4 * 3 * 4 + 1, sizeof y);
  SAYS("compute: input \"w\": the data has 49 bytes, there must be 48");
  TRY(0, 4 * 3 * 4, sizeof y);
  SAYS("compute: the sizes of input \"x\" [\"rows\", \"terms\"] do not follow from its bytes: use "
       "webnn_dispatch");
  TRY(2 * 4 * 4, 0, sizeof y);
  SAYS("compute: the sizes of input \"w\" [\"terms\", 3] do not follow from its bytes: use "
       "webnn_dispatch");
  memset(&error, 0, sizeof error);
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", data, 32}), WEBNN_OUTPUTS({"y", y, 24}),
                      &error);
  SAYS("compute: input \"w\" is not given");
  webnn_free_graph(graph);
#undef TRY
}

/* ---- What is to be seen of it ----------------------------------------------------------------- */

static void count_values(void *user, const webnn_tapped_value *value) {
  uint32_t *rows = (uint32_t *)user;
  if (strcmp(value->op_name, "matmul") == 0) {
    *rows = *rows * 100 + value->descriptor.shape.items[0];
  }
}

static void check_looks(webnn_context *context) {
  static const char expected[] =
      "input \"x\" float32 [\"rows\", \"terms\"]\ninput \"w\" float32 [\"terms\", 3]\n"
      "%2 float32 [\"rows\", 3] = matmul(\"x\", \"w\")\n"
      "%3 float32 [\"rows\", 3] = add(%2, %2)\n%4 float32 [\"rows\", 3] = relu(%3)\n"
      "%5 float32 [1, \"rows\", 3] = unsqueeze(%4, axes=[0])\noutput \"y\" = %5\n";
  webnn_graph *graph = build(context, 0, 0);
  every_text text = {NULL, 0, 0};
  webnn_graph_port ports[2];
  webnn_graph_value values[8];
  webnn_profiled_step steps[16];
  webnn_error error = WEBNN_ZERO;
  uint32_t tapped = 0;
  float y[6];
  webnn_print_graph(graph, every_write, &text);
  CHECK("text", strcmp(text.data, expected) == 0, "%s", text.data);
  text.length = 0;
  webnn_print_graph_dot(graph, every_write, &text);
  CHECK("drawing", strstr(text.data, "[label=\"float32 [rows, 3]\"]") != NULL, "%s", text.data);
  CHECK("ports",
        webnn_graph_inputs(graph, ports, 2) == 2 && ports[0].byte_length == 0 &&
            strcmp(webnn_graph_dimension_name(graph, ports[0].descriptor.shape.items[0]), "rows") ==
                0 &&
            webnn_graph_dimension_name(graph, ports[1].descriptor.shape.items[1]) == NULL,
        "ports");
  CHECK("values", webnn_graph_values(graph, values, 8) == 6 && values[2].byte_length == 0,
        "values");
  CHECK("tolerance", webnn_graph_tolerance(graph, 0).value <= 0, "of unknown sizes");
  CHECK("steps", webnn_graph_profile(graph, steps, 16) == 0, "before the first run");
  run(context, graph, 2, 4, y);
  CHECK("tap", webnn_tap_graph(graph, count_values, &tapped, &error) == WEBNN_OK, "%s",
        error.message);
  run(context, graph, 2, 4, y);
  run(context, graph, 1, 4, y); /* sizes that are new */
  CHECK("tap", tapped == 201, "%u", (unsigned)tapped);
  CHECK("tap", webnn_tap_graph(graph, NULL, NULL, &error) == WEBNN_OK, "%s", error.message);
  CHECK("profile", webnn_profile_graph(graph, true, &error) == WEBNN_OK, "%s", error.message);
  run(context, graph, 2, 4, y);
  run(context, graph, 2, 5, y);
  CHECK("profile", webnn_graph_profile(graph, steps, 16) > 0 && steps[0].calls == 1, "%u",
        (unsigned)steps[0].calls);
  CHECK("tap", tapped == 201, "%u", (unsigned)tapped);
  text.length = 0;
  webnn_print_steps(graph, every_write, &text);
  CHECK("steps",
        strstr(text.data, "sizes \"x\" [2, 4], \"w\" [4, 3]\n") != NULL ||
            strstr(text.data, "prints no steps") != NULL,
        "%s", text.data);
  text.length = 0;
  webnn_print_profile(graph, every_write, &text);
  CHECK("profile", strstr(text.data, "matmul") != NULL, "%s", text.data);
  free(text.data);
  webnn_free_graph(graph);
}

static void keep_name(void *user, const webnn_tapped_value *value) {
  every_text *text = (every_text *)user;
  every_write(text, value->name, strlen(value->name));
  every_write(text, " ", 1);
}

/* The names of all values of a run; rows 0: by name. */
static void tap_names(webnn_context *context, uint32_t rows, every_text *text) {
  webnn_builder *b = test_builder(context);
  webnn_error error = WEBNN_ZERO;
  const uint32_t n = size_or_name(b, rows, "rows");
  webnn_operand *x = webnn_relu(b, webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n)), NULL);
  webnn_operand *c = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1), data, 4);
  webnn_operand *y = webnn_mul(b, webnn_add(b, x, c, NULL),
                               webnn_input(b, "z", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n)), NULL);
  webnn_graph *graph = finish(b, webnn_neg(b, y, NULL));
  float result[2];
  (void)webnn_tap_graph(graph, keep_name, text, &error);
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", data, 8}, {"z", data, 8}),
                      WEBNN_OUTPUTS({"y", result, 8}), &error);
  CHECK("numbers", error.status == WEBNN_OK, "%s", error.message);
  webnn_free_graph(graph);
}

/* Values have the numbers of the printed graph, wherever inputs and constants stand. */
static void check_numbers(webnn_context *context) {
  every_text text = {NULL, 0, 0}, expected = {NULL, 0, 0};
  tap_names(context, 0, &text);
  tap_names(context, 2, &expected);
  CHECK("numbers", strcmp(text.data, expected.data) == 0, "%s, not %s", text.data, expected.data);
  free(text.data);
  free(expected.data);
}

/* Options of operators whose sizes are not known are those that were given. */
static void check_options(webnn_context *context) {
  static const char *const expected[] = {
      "averagePool2d(\"x\", windowDimensions=[2, 2], layout=nchw, outputShapeRounding=ceil)",
      "maxPool2d(\"x\", layout=nchw, outputShapeRounding=floor)",
      "resample2d(\"x\", mode=nearest-neighbor, scales=[2, 1.5])",
      "reduceSum(\"x\", keepDimensions=false)",
      "slice(\"x\", starts=[0, 0, 0, 0], sizes=[1, 1, 1, 1])"};
  webnn_builder *b = test_builder(context);
  webnn_pool2d_options pool = WEBNN_ZERO;
  webnn_resample2d_options resample = WEBNN_ZERO;
  const uint32_t any = WEBNN_DYNAMIC_DIMENSION;
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, any, any, any));
  webnn_operand *y[5];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  every_text text = {NULL, 0, 0};
  size_t i;
  pool.window_dimensions = WEBNN_LIST(2, 2);
  pool.output_shape_rounding = WEBNN_ROUNDING_CEIL;
  resample.scales = WEBNN_FLOAT_LIST(2, 1.5f);
  y[0] = webnn_average_pool2d(b, x, &pool);
  y[1] = webnn_max_pool2d(b, x, NULL);
  y[2] = webnn_resample2d(b, x, &resample);
  y[3] = webnn_reduce_sum(b, x, NULL);
  y[4] = webnn_slice(b, x, WEBNN_LIST(0, 0, 0, 0), WEBNN_LIST(1, 1, 1, 1), NULL);
  (void)webnn_build(
      b, WEBNN_NAMED_OPERANDS({"0", y[0]}, {"1", y[1]}, {"2", y[2]}, {"3", y[3]}, {"4", y[4]}),
      &graph, &error);
  CHECK("options", graph != NULL, "%s", error.message);
  webnn_print_graph(graph, every_write, &text);
  for (i = 0; i < sizeof expected / sizeof *expected; i++) {
    CHECK("options", text.data != NULL && strstr(text.data, expected[i]) != NULL,
          "%s expected in\n%s", expected[i], text.data);
  }
  free(text.data);
  webnn_free_graph(graph);
  webnn_free_builder(b);
}

/* ---- Every allocation fails ------------------------------------------------------------------- */

#ifndef WEBNN_TEST_VULKAN
/* Allocation n of what new sizes need fails: the call says so, what was there still runs, and once
   there is memory the new sizes do. */
static void check_allocations(webnn_numerics numerics) {
  hook memory;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_graph *graph;
  float old[6], y[15], expected[15];
  size_t n, failed = 0;
  bool more = true;
  memset(&memory, 0, sizeof memory);
  options.allocator.allocate = hook_allocate;
  options.allocator.release = hook_release;
  options.allocator.user = &memory;
  options.threads = 1;
  options.specializations = 2;
  options.numerics = numerics;
  context = test_context(&options);
  graph = build(context, 0, 0);
  run(context, graph, 5, 4, expected);
  webnn_free_graph(graph);
  for (n = 1; more; n++) {
    webnn_error error = WEBNN_ZERO;
    graph = build(context, 0, 0);
    run(context, graph, 2, 4, old);
    memory.fail_at = memory.calls + n;
    memory.failures = 0;
    (void)webnn_compute(context, graph,
                        WEBNN_INPUTS({"x", data, 5 * 4 * 4}, {"w", data, 4 * 3 * 4}),
                        WEBNN_OUTPUTS({"y", y, sizeof y}), &error);
    more = memory.failures > 0;
    memory.fail_at = 0;
    failed += more ? 1 : 0;
    CHECK("allocation",
          (error.status == WEBNN_OK) == !more && (!more || error.status == WEBNN_UNKNOWN_ERROR ||
                                                  error.status == WEBNN_OPERATION_ERROR),
          "%u: %s", (unsigned)n, error.message);
    run(context, graph, 2, 4, y);
    CHECK("allocation", memcmp(y, old, sizeof old) == 0, "%u: the sizes that were there",
          (unsigned)n);
    run(context, graph, 5, 4, y);
    CHECK("allocation", memcmp(y, expected, sizeof y) == 0, "%u: the new sizes", (unsigned)n);
    webnn_free_graph(graph);
  }
  CHECK("allocation", failed > 10, "only %u allocations", (unsigned)failed);
  webnn_free_context(context);
  CHECK("allocation", memory.live_count == 0 && memory.bad_release == 0, "%u left, %u bad",
        (unsigned)memory.live_count, (unsigned)memory.bad_release);
}
#endif

/* ---- Eight threads ---------------------------------------------------------------------------- */

#if defined(WEBNN_NO_THREADS) || defined(_WIN32)

static void check_threads(void) {
  test_skip("threads", "the library is compiled without threads, or there is no pthread.h");
}

#else
#include <pthread.h>

typedef struct worker {
  pthread_t thread;
  webnn_context *context;
  webnn_graph *graph;
  const float (*expected)[MOST * 3];
  uint32_t first, wrong;
} worker;

/* Counters of CHECK are not for threads: the worker counts what is wrong. */
static void *work(void *user) {
  worker *w = (worker *)user;
  uint32_t i;
  for (i = 0; i < 60; i++) {
    const uint32_t rows = 1 + (w->first + i * (1 + w->first % 3)) % MOST;
    float y[MOST * 3];
    webnn_named_shape shapes[2] = {{"x", WEBNN_LIST(rows, 4)}, {"w", WEBNN_LIST(4, 3)}}, result;
    const bool ok =
        webnn_compute(
            w->context, w->graph,
            WEBNN_INPUTS({"x", data, rows * 4 * sizeof *data}, {"w", data, 4 * 3 * sizeof *data}),
            WEBNN_OUTPUTS({"y", y, rows * 3 * sizeof *y}), NULL) == WEBNN_OK &&
        webnn_compute_shapes(w->graph, shapes, 2, &result, 1, NULL) == WEBNN_OK &&
        result.shape.items[1] == rows;
    w->wrong += !ok || memcmp(y, w->expected[rows - 1], rows * 3 * sizeof *y) != 0 ? 1 : 0;
  }
  return NULL;
}

/* One graph that keeps fewer specializations than there are sizes at a time. */
static void check_threads(void) {
  static float expected[MOST][MOST * 3];
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  worker workers[8];
  webnn_graph *graph;
  uint32_t i;
  options.specializations = 3;
  context = test_context(&options);
  graph = build(context, 0, 0);
  for (i = 0; i < MOST; i++) {
    run(context, graph, i + 1, 4, expected[i]);
  }
  for (i = 0; i < 8; i++) {
    memset(&workers[i], 0, sizeof workers[i]);
    workers[i].context = context;
    workers[i].graph = graph;
    workers[i].expected = (const float(*)[MOST * 3]) expected;
    workers[i].first = i * 5;
    MUST("threads", pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "no thread");
  }
  for (i = 0; i < 8; i++) {
    pthread_join(workers[i].thread, NULL);
    CHECK("threads", workers[i].wrong == 0, "thread %u: %u of 60 are wrong", (unsigned)i,
          (unsigned)workers[i].wrong);
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
}
#endif

#if defined(WEBNN_NO_THREADS) || defined(_WIN32) || defined(WEBNN_TEST_VULKAN)

static void check_growing(void) {
  test_skip("growing", "without threads, pthread.h or an arena that is shared");
}

#else

/* While a graph runs, another thread makes it a specialization with a larger arena, which must leave
   the arena of the run alone until that ends. */
enum { WIDE = 256, FEWER = 64, MORE = 128 };

static float wide[MORE * WIDE], wide_weights[WIDE * WIDE];

typedef struct growth {
  webnn_context *context;
  webnn_graph *graph;
  pthread_t thread;
  int calls_left; /* of parallel_for, until the other thread starts; 0: it has */
  float other[MORE * WIDE];
} growth;

static bool run_wide(growth *g, uint32_t rows, float *y) {
  const size_t bytes = (size_t)rows * WIDE * sizeof *y;
  return webnn_compute(g->context, g->graph, WEBNN_INPUTS({"x", wide, bytes}),
                       WEBNN_OUTPUTS({"y", y, bytes}), NULL) == WEBNN_OK;
}

static void *run_more(void *user) {
  growth *g = (growth *)user;
  return run_wide(g, MORE, g->other) ? user : NULL;
}

/* The tasks one after another; before them, once, the other thread comes as far as to its turn. */
static void grow_between(void *user, size_t count, webnn_task task, void *tasks) {
  growth *g = (growth *)user;
  size_t i;
  if (g->calls_left > 0 && --g->calls_left == 0) {
    const uint64_t before = webnn_graph_memory(g->graph).arena;
    MUST("growing", pthread_create(&g->thread, NULL, run_more, g) == 0, "no thread");
    while (webnn_graph_memory(g->graph).arena <= before) {
    }
  }
  for (i = 0; i < count; i++) {
    task(tasks, i);
  }
}

static void *plain_allocate(void *user, size_t size) {
  char *memory = (char *)malloc(size + COUNTED_HEADER);
  (void)user;
  if (memory == NULL) {
    return NULL;
  }
  memcpy(memory, &size, sizeof size);
  return memory + COUNTED_HEADER;
}

/* What is released is overwritten, so that whoever still reads it is seen. */
static void overwriting_release(void *user, void *memory) {
  char *base = (char *)memory - COUNTED_HEADER;
  size_t size;
  (void)user;
  memcpy(&size, base, sizeof size);
  memset(memory, 0xff, size);
  free(base);
}

/* x w w */
static webnn_graph *build_wide(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  const uint32_t rows = webnn_dynamic_dimension(b, "rows");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, rows, WIDE));
  webnn_operand *w = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, WIDE, WIDE), wide_weights,
                                    sizeof wide_weights);
  return finish(b, webnn_matmul(b, webnn_matmul(b, x, w, NULL), w, NULL));
}

static void check_growing(void) {
  static growth g;
  static float expected[FEWER * WIDE], y[FEWER * WIDE];
  webnn_context_options options = WEBNN_ZERO;
  void *done = NULL;
  uint32_t i;
  for (i = 0; i < WIDE * WIDE; i++) {
    wide_weights[i] = (float)(i * 37 % 19) / 16;
    wide[i % (MORE * WIDE)] = (float)(i * 53 % 23) / 16;
  }
  options.numerics = WEBNN_NUMERICS_FAST;
  options.threads = 2;
  options.parallel_for = grow_between;
  options.parallel_for_user = &g;
  options.allocator.allocate = plain_allocate;
  options.allocator.release = overwriting_release;
  g.context = test_context(&options);
  g.graph = build_wide(g.context);
  CHECK("growing", run_wide(&g, FEWER, expected), "the first sizes");
  for (i = 0; i < 2; i++) { /* while the arena is replaced, and afterwards */
    g.calls_left = i == 0 ? 2 : 0;
    CHECK("growing", run_wide(&g, FEWER, y) && memcmp(y, expected, sizeof y) == 0, "run %u",
          (unsigned)i);
    CHECK("growing", g.calls_left == 0, "parallel_for is called once at most");
    if (i == 0 && g.calls_left == 0) {
      pthread_join(g.thread, &done);
      CHECK("growing", done == &g && memcmp(g.other, expected, sizeof expected) == 0,
            "the larger sizes");
    }
  }
  webnn_free_graph(g.graph);
  webnn_free_context(g.context);
}
#endif

int main(void) {
  uint32_t i;
  for (i = 0; i < MOST * MOST; i++) {
    data[i] = (float)((int)(i * 37 % 64) - 32) / 8.0f;
  }
  for (i = 0; i < 2; i++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context;
    options.numerics = i == 0 ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
    context = test_context(&options);
    check_bits(context);
    check_arena(context);
    check_first_shapes(context);
    check_too_late(context);
    check_refusals(context);
    check_new_shapes(context);
    check_named_inputs(context);
    check_descriptors(context);
    check_wrong_tensors(context);
    check_wrong_shapes(context);
    check_wrong_bytes(context);
    check_looks(context);
    check_numbers(context);
    check_options(context);
    webnn_free_context(context);
#ifndef WEBNN_TEST_VULKAN /* there a failure loses the context */
    check_allocations(options.numerics);
#endif
  }
  check_memory();
  check_refused();
  check_calls();
  check_threads();
  check_growing();
  return test_end();
}
