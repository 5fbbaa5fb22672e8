/* Graphs with dynamic dimensions: their results are the bits of static graphs of the same sizes, in
   both contexts; what is certainly wrong is refused when the graph is built, the rest when sizes are
   known; what is kept stays level however many sizes come. */
#include "test.h"

enum { MOST = 16 };

static float data[MOST * MOST];

/* relu(x w + x w), with a row in front; dimensions 0: by name. */
static webnn_graph *build(webnn_context *context, uint32_t rows, uint32_t terms) {
  webnn_builder *b = test_builder(context);
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  const uint32_t n = rows ? rows : webnn_dynamic_dimension(b, "rows");
  const uint32_t k = terms ? terms : webnn_dynamic_dimension(b, "terms");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, k));
  webnn_operand *w = webnn_input(b, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, k, 3));
  webnn_operand *product = webnn_matmul(b, x, w, NULL);
  webnn_operand *y = webnn_relu(b, webnn_add(b, product, product, NULL), NULL);
  y = webnn_unsqueeze(b, y, WEBNN_LIST(0), NULL);
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  CHECK("build", graph != NULL, "%s", error.message);
  webnn_free_builder(b);
  return graph;
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

/* Certain, left for later and refused, left for later and fitting. */
static void check_refusals(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n"), again = webnn_dynamic_dimension(b, "n");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 3));
  webnn_operand *two = webnn_input(b, "two", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 2));
  webnn_operand *five = webnn_input(b, "five", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 5, 3));
  webnn_operand *y;
  webnn_graph *graph = NULL;
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
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  CHECK("build", graph != NULL, "%s", error.message);
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
  webnn_free_builder(b);
}

static size_t taken;
static void *count_allocate(void *user, size_t size) {
  size_t *memory = (size_t *)malloc(size + 16);
  (void)user;
  if (memory) {
    memory[0] = size;
    taken += size;
    memory += 16 / sizeof *memory;
  }
  return memory;
}
static void count_release(void *user, void *memory) {
  size_t *base = (size_t *)memory - 16 / sizeof *base;
  (void)user;
  taken -= base[0];
  free(base);
}

/* After 1,000 sizes a graph that keeps two takes no more than after the first ten. */
static void check_memory(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_graph *graph;
  size_t level = 0;
  uint32_t i;
  float y[MOST * 3];
  options.allocator.allocate = count_allocate;
  options.allocator.release = count_release;
  options.threads = 1;
  options.specializations = 2;
  context = test_context(&options);
  graph = build(context, 0, 0);
  for (i = 0; i < 1000; i++) {
    run(context, graph, 1 + i % MOST, 1 + i / MOST % (MOST / 3), y);
    level = i % (MOST * (MOST / 3)) == 0 && i > 0 && !level ? taken : level;
  }
  run(context, graph, 1, 1, y);
  CHECK("memory", taken <= level + 4096, "%u bytes, then %u", (unsigned)level, (unsigned)taken);
  webnn_free_graph(graph);
  webnn_free_context(context);
  CHECK("memory", taken == 0, "%u bytes are left", (unsigned)taken);
}

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
    check_refusals(context);
    webnn_free_context(context);
  }
  check_memory();
  return test_end();
}
