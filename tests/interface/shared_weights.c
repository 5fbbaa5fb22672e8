/* Packed weights are shared: by the specializations of a graph, and by graphs of the same weights.
   What a graph keeps is packed once however many sizes come, and every result has the bits of a
   graph in another context, which shares nothing. */
#include "counting_allocator.h"
#include "failing_allocator.h"

#include <math.h>

enum { MOST_ELEMENTS = 1 << 14, NUMBERS = 1 << 12 };

static float numbers[NUMBERS];
static uint32_t first_number; /* of constants */
static uint16_t halves[NUMBERS];
static uint8_t bytes[NUMBERS];

/* ---- Layers, one for each way to pack ---------------------------------------------------------- */

static webnn_operand *constant(webnn_builder *b, webnn_data_type type, webnn_list shape) {
  const webnn_operand_descriptor descriptor = {type, shape};
  const void *data = type == WEBNN_FLOAT32   ? (const void *)(numbers + first_number)
                     : type == WEBNN_FLOAT16 ? (const void *)halves
                                             : (const void *)bytes;
  return webnn_constant(b, descriptor, data, (size_t)webnn_byte_length(descriptor));
}

static webnn_operand *floats(webnn_builder *b, webnn_list shape) {
  return constant(b, WEBNN_FLOAT32, shape);
}

/* One number for a whole matrix. */
static webnn_operand *scale(webnn_builder *b, float number) {
  return webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1), &number, sizeof number);
}

static webnn_operand *zero_point(webnn_builder *b, webnn_data_type type, uint8_t number) {
  return webnn_constant(b, WEBNN_DESCRIPTOR(type, 1, 1), &number, 1);
}

static webnn_operand *product(webnn_builder *b, webnn_operand *x) {
  return webnn_matmul(b, x, floats(b, WEBNN_LIST(12, 40)), NULL);
}

/* Few rows read halves, more rows floats. */
static webnn_operand *half_product(webnn_builder *b, webnn_operand *x) {
  webnn_gemm_options o = WEBNN_ZERO;
  o.b_transpose = true;
  return webnn_gemm(b, x, constant(b, WEBNN_FLOAT16, WEBNN_LIST(40, 12)), &o);
}

static webnn_operand *normalized(webnn_builder *b, webnn_operand *x) {
  webnn_conv2d_options o = WEBNN_ZERO;
  o.padding = WEBNN_LIST(1, 1, 1, 1);
  x = webnn_conv2d(b, x, floats(b, WEBNN_LIST(10, 6, 3, 3)), &o);
  x = webnn_batch_normalization(b, x, floats(b, WEBNN_LIST(10)),
                                webnn_abs(b, floats(b, WEBNN_LIST(10)), NULL), NULL);
  return webnn_relu(b, x, NULL);
}

static webnn_operand *depthwise(webnn_builder *b, webnn_operand *x) {
  webnn_conv2d_options o = WEBNN_ZERO;
  o.groups = 6;
  o.padding = WEBNN_LIST(1, 1, 1, 1);
  return webnn_conv2d(b, x, floats(b, WEBNN_LIST(6, 1, 3, 3)), &o);
}

static webnn_operand *depthwise_last(webnn_builder *b, webnn_operand *x) {
  webnn_conv2d_options o = WEBNN_ZERO;
  o.groups = 6;
  o.padding = WEBNN_LIST(1, 1, 1, 1);
  o.input_layout = WEBNN_LAYOUT_NHWC;
  o.filter_layout = WEBNN_CONV2D_IHWO;
  return webnn_conv2d(b, x, floats(b, WEBNN_LIST(1, 3, 3, 6)), &o);
}

/* With these strides images of 1 x 2 and 2 x 1 pack as many bytes, in another order: it is seen by
   the marks of the panels with infinite weights. */
static webnn_operand *transposed(webnn_builder *b, webnn_operand *x) {
  static float filter[6 * 20 * 4 * 2];
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(6, 20, 4, 2)};
  webnn_conv_transpose2d_options o = WEBNN_ZERO;
  uint32_t i;
  for (i = 0; i < sizeof filter / sizeof *filter; i++) {
    filter[i] = i % 8 == 7 ? HUGE_VALF : numbers[i]; /* in the last row and column of each window */
  }
  o.strides = WEBNN_LIST(3, 3);
  o.padding = WEBNN_LIST(1, 1, 0, 0);
  return webnn_conv_transpose2d(b, x, webnn_constant(b, descriptor, filter, sizeof filter), &o);
}

static webnn_operand *quantized(webnn_builder *b, webnn_operand *x) {
  webnn_operand *w = constant(b, WEBNN_INT8, WEBNN_LIST(12, 40));
  x = webnn_dequantize_linear(b, x, scale(b, 0.25f), zero_point(b, WEBNN_UINT8, 9), NULL);
  w = webnn_dequantize_linear(b, w, scale(b, 0.5f), zero_point(b, WEBNN_INT8, 0), NULL);
  return webnn_matmul(b, x, w, NULL);
}

static webnn_operand *four_bits(webnn_builder *b, webnn_operand *x) {
  webnn_operand *w = constant(b, WEBNN_UINT4, WEBNN_LIST(12, 40));
  w = webnn_dequantize_linear(b, w, scale(b, 0.5f), zero_point(b, WEBNN_UINT4, 3), NULL);
  return webnn_matmul(b, x, w, NULL);
}

static webnn_operand *gru(webnn_builder *b, webnn_operand *x) {
  webnn_operand *y[2] = {NULL, NULL};
  (void)webnn_gru(b, x, floats(b, WEBNN_LIST(1, 24, 12)), floats(b, WEBNN_LIST(1, 24, 8)), 3, 8,
                  NULL, y);
  return y[0];
}

static webnn_operand *lstm(webnn_builder *b, webnn_operand *x) {
  webnn_operand *y[3] = {NULL, NULL, NULL};
  (void)webnn_lstm(b, x, floats(b, WEBNN_LIST(1, 32, 12)), floats(b, WEBNN_LIST(1, 32, 8)), 3, 8,
                   NULL, y);
  return y[0];
}

typedef enum form { ROWS, STEPS, IMAGES, IMAGES_LAST } form;

typedef struct layer {
  const char *name;
  webnn_operand *(*make)(webnn_builder *b, webnn_operand *x);
  webnn_data_type type;
  form form;
  uint32_t forms; /* in how many ways sizes have it pack */
} layer;

static const layer layers[] = {{"product", product, WEBNN_FLOAT32, ROWS, 1},
                               {"product of halves", half_product, WEBNN_FLOAT16, ROWS, 2},
                               {"normalized convolution", normalized, WEBNN_FLOAT32, IMAGES, 1},
                               {"depthwise", depthwise, WEBNN_FLOAT32, IMAGES, 1},
                               {"depthwise nhwc", depthwise_last, WEBNN_FLOAT32, IMAGES_LAST, 1},
                               {"transposed convolution", transposed, WEBNN_FLOAT32, IMAGES, 4},
                               {"quantized product", quantized, WEBNN_UINT8, ROWS, 1},
                               {"weights of 4 bits", four_bits, WEBNN_FLOAT32, ROWS, 1},
                               {"gru", gru, WEBNN_FLOAT32, STEPS, 1},
                               {"lstm", lstm, WEBNN_FLOAT32, STEPS, 1}};
enum { LAYERS = sizeof layers / sizeof *layers };

static webnn_list shape_of(const layer *l, uint32_t n, uint32_t m) {
  return l->form == ROWS     ? WEBNN_LIST(n, 12)
         : l->form == STEPS  ? WEBNN_LIST(3, n, 12)
         : l->form == IMAGES ? WEBNN_LIST(1, 6, n, m)
                             : WEBNN_LIST(1, n, m, 6);
}

/* The layer for sizes n and m; 0 and 0: for all. */
static webnn_graph *build(webnn_context *context, const layer *l, uint32_t n, uint32_t m) {
  webnn_builder *b = test_builder(context);
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  descriptor.data_type = l->type;
  descriptor.shape = n > 0 ? shape_of(l, n, m)
                           : shape_of(l, webnn_dynamic_dimension(b, "n"), WEBNN_DYNAMIC_DIMENSION);
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", l->make(b, webnn_input(b, "x", descriptor))}),
                    &graph, &error);
  MUST(l->name, graph != NULL, "%s", error.message);
  webnn_free_builder(b);
  return graph;
}

/* What a run for some sizes reads and writes. */
typedef struct tensors {
  webnn_tensor *x, *y;
  size_t size; /* of y, in bytes */
} tensors;

static webnn_tensor *tensor_of(webnn_context *context, webnn_data_type type, webnn_list shape) {
  const webnn_tensor_descriptor descriptor = {type, shape, true, true};
  webnn_tensor *tensor = NULL;
  webnn_error error = WEBNN_ZERO;
  MUST("tensor", webnn_create_tensor(context, descriptor, &tensor, &error) == WEBNN_OK, "%s",
       error.message);
  return tensor;
}

static tensors make_tensors(webnn_context *context, webnn_graph *graph, const layer *l, uint32_t n,
                            uint32_t m) {
  const webnn_operand_descriptor x = {l->type, shape_of(l, n, m)};
  const void *data = l->type == WEBNN_UINT8     ? (const void *)bytes
                     : l->type == WEBNN_FLOAT16 ? (const void *)halves
                                                : (const void *)numbers;
  const webnn_data_type type = l->type == WEBNN_FLOAT16 ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
  webnn_named_shape in = {"x", x.shape}, out = {"", WEBNN_EMPTY_LIST};
  webnn_error error = WEBNN_ZERO;
  tensors t;
  MUST(l->name, webnn_compute_shapes(graph, &in, 1, &out, 1, &error) == WEBNN_OK, "%s",
       error.message);
  t.size = test_element_count(out.shape) * (type == WEBNN_FLOAT16 ? 2 : 4);
  MUST(l->name, t.size <= MOST_ELEMENTS * 4, "%lu bytes", (unsigned long)t.size);
  t.x = tensor_of(context, l->type, x.shape);
  t.y = tensor_of(context, type, out.shape);
  (void)webnn_write_tensor(context, t.x, data, (size_t)webnn_byte_length(x), NULL);
  return t;
}

static webnn_error dispatch(webnn_context *context, webnn_graph *graph, const tensors *t) {
  webnn_error error = WEBNN_ZERO;
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", t->x}),
                       WEBNN_NAMED_TENSORS({"y", t->y}), &error);
  return error;
}

static void free_tensors(const tensors *t) {
  webnn_free_tensor(t->x);
  webnn_free_tensor(t->y);
}

/* Returns how many bytes the result has. */
static size_t run(webnn_context *context, webnn_graph *graph, const layer *l, uint32_t n,
                  uint32_t m, void *y) {
  const tensors t = make_tensors(context, graph, l, n, m);
  const webnn_error error = dispatch(context, graph, &t);
  MUST(l->name, error.status == WEBNN_OK, "%s", error.message);
  (void)webnn_read_tensor(context, t.y, y, t.size, NULL);
  free_tensors(&t);
  return t.size;
}

/* ---- Specializations --------------------------------------------------------------------------- */

/* 100 sizes, of which `kept` are kept at a time: the bits are those of graphs that share nothing,
   and all that are kept have packed no more than each of their forms once. */
static void check_layer(const layer *l, uint32_t kept) {
  static float y[MOST_ELEMENTS], expected[MOST_ELEMENTS];
  webnn_context *context = counting_context(kept);
  webnn_graph *graph = build(context, l, 0, 0);
  test_group bits = test_group_begin(l->name), memory = test_group_begin(l->name);
  uint64_t one = 0;
  uint32_t i;
  for (i = 0; i < 100; i++) {
    const uint32_t n = 1 + i * 7 % 10, m = 1 + i * 3 % 4;
    webnn_context *alone = test_context(NULL);
    webnn_graph *fixed = build(alone, l, n, m);
    const uint64_t own = webnn_graph_memory(fixed).prepared;
    const size_t size = run(context, graph, l, n, m, y);
    SEE(&bits, run(alone, fixed, l, n, m, expected) == size && memcmp(y, expected, size) == 0,
        "%u x %u, %u kept: other bits", (unsigned)n, (unsigned)m, (unsigned)kept);
    one = own > one ? own : one;
    SEE(&memory, webnn_graph_memory(graph).prepared <= l->forms * one + kept * l->forms && own > 0,
        "%u x %u, %u kept: %lu bytes are packed, of a graph alone %lu", (unsigned)n, (unsigned)m,
        (unsigned)kept, (unsigned long)webnn_graph_memory(graph).prepared, (unsigned long)own);
    webnn_free_graph(fixed);
    webnn_free_context(alone);
  }
  test_group_end(&bits);
  test_group_end(&memory);
  webnn_free_graph(graph);
  webnn_free_context(context);
  CHECK(l->name, counted_bytes == 0, "%lu bytes are left", (unsigned long)counted_bytes);
}

/* Weights of 1 MB: eight sizes take the constant and what is packed of it, not that eight times. */
static void check_bytes(void) {
  enum { SIDE = 512, BYTES = SIDE * SIDE * 4 };
  float *weights = (float *)test_allocate(BYTES), *y = (float *)test_allocate(8 * SIDE * 4);
  webnn_context *context = counting_context(8);
  webnn_builder *b = test_builder(context);
  webnn_graph *graph = NULL;
  const uint32_t n = webnn_dynamic_dimension(b, "n");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, SIDE));
  webnn_operand *w = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, SIDE, SIDE), weights, BYTES);
  uint32_t i;
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", webnn_matmul(b, x, w, NULL)}), &graph, NULL);
  webnn_free_builder(b);
  for (i = 1; i <= 8; i++) {
    (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", numbers, i * SIDE * 4}),
                        WEBNN_OUTPUTS({"y", y, i * SIDE * 4}), NULL);
  }
  CHECK("bytes", counted_bytes > 2 * BYTES && counted_bytes < 2 * BYTES + BYTES / 2,
        "%lu bytes for %lu of weights", (unsigned long)counted_bytes, (unsigned long)BYTES);
  webnn_free_graph(graph);
  webnn_free_context(context);
  CHECK("bytes", counted_bytes == 0, "%lu bytes are left", (unsigned long)counted_bytes);
  free(weights);
  free(y);
}

/* ---- Graphs of the same weights ---------------------------------------------------------------- */

enum { SIDE = 24 };
static float weights[2][SIDE * SIDE];

/* y = x w0, and z = x w1 if `both`; from the caller's memory. */
static webnn_graph *build_over(webnn_context *context, uint32_t first, bool both) {
  webnn_builder *b = test_builder(context);
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  const webnn_operand_descriptor square = {WEBNN_FLOAT32, WEBNN_LIST(SIDE, SIDE)};
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 8, SIDE));
  const size_t size = sizeof *weights;
  webnn_operand *y =
      webnn_matmul(b, x, webnn_constant_over_memory(b, square, weights[first], size), NULL);
  if (both) {
    y = webnn_matmul(b, y, webnn_constant_over_memory(b, square, weights[1 - first], size), NULL);
  }
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  MUST("same weights", graph != NULL, "%s", error.message);
  webnn_free_builder(b);
  return graph;
}

static void fill_weights(uint32_t which, int factor) {
  int i;
  for (i = 0; i < SIDE * SIDE; i++) {
    weights[which][i] = (float)(i * factor % 17 - 8);
  }
}

/* Small integers: the result is exact. */
static void check_product(webnn_context *context, webnn_graph *graph, const char *what) {
  float y[8 * SIDE];
  test_group c = test_group_begin(what);
  uint32_t i, j, k;
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", numbers, sizeof y}),
                      WEBNN_OUTPUTS({"y", y, sizeof y}), NULL);
  for (i = 0; i < 8; i++) {
    for (j = 0; j < SIDE; j++) {
      double sum = 0;
      for (k = 0; k < SIDE; k++) {
        sum += (double)numbers[i * SIDE + k] * (double)weights[0][k * SIDE + j];
      }
      SEE(&c, (double)y[i * SIDE + j] == sum, "%u, %u: %g, not %g", (unsigned)i, (unsigned)j,
          (double)y[i * SIDE + j], sum);
    }
  }
  test_group_end(&c);
}

/* Two graphs share; what one leaves the other has; and memory of the caller's that no graph has any
   more may hold other weights, though other weights of the graph that had it are still used. */
static void check_graphs(void) {
  webnn_context *context = counting_context(0);
  webnn_graph *both, *one, *next;
  uint64_t alone, together;
  fill_weights(0, 3);
  fill_weights(1, 5);
  both = build_over(context, 0, true);
  alone = webnn_graph_memory(both).prepared;
  one = build_over(context, 0, false);
  together = webnn_graph_memory(both).prepared + webnn_graph_memory(one).prepared;
  CHECK("same weights", alone > 0 && together <= alone + 2, "%lu bytes packed, then %lu",
        (unsigned long)alone, (unsigned long)together);
  check_product(context, one, "shared");
  webnn_free_graph(both);
  check_product(context, one, "left by the other");
  fill_weights(1, 7);
  next = build_over(context, 1, false);
  webnn_free_graph(one);
  fill_weights(0, 11);
  one = build_over(context, 0, false);
  check_product(context, one, "other weights in the same place");
  memcpy(weights[0], weights[1], sizeof *weights);
  check_product(context, next, "other weights where an unused part was");
  webnn_free_graph(one);
  webnn_free_graph(next);
  webnn_free_context(context);
  CHECK("same weights", counted_bytes == 0, "%lu bytes are left", (unsigned long)counted_bytes);
}

/* Weights that are computed when a graph is built are those of their graph: two graphs of the same
   shapes do not share them. */
static void check_computed(const layer *l) {
  static float y[2][MOST_ELEMENTS], expected[MOST_ELEMENTS];
  webnn_context *context = counting_context(0), *alone = test_context(NULL);
  webnn_graph *graphs[2], *fixed;
  size_t size[2];
  uint32_t i;
  for (i = 0; i < 2; i++) {
    first_number = 7 * i;
    graphs[i] = build(context, l, 0, 0);
    size[i] = run(context, graphs[i], l, 5, 4, y[i]);
  }
  fixed = build(alone, l, 5, 4);
  CHECK(l->name,
        run(alone, fixed, l, 5, 4, expected) == size[1] && memcmp(y[1], expected, size[1]) == 0,
        "computed weights: other bits");
  CHECK(l->name, memcmp(y[0], y[1], size[1]) != 0, "both graphs have the same weights");
  first_number = 0;
  webnn_free_graph(graphs[0]);
  webnn_free_graph(graphs[1]);
  webnn_free_graph(fixed);
  webnn_free_context(context);
  webnn_free_context(alone);
}

/* ---- Every allocation fails -------------------------------------------------------------------- */

/* Of what new sizes need allocation n fails: what was there still runs, and so do the new sizes once
   there is memory. */
static void check_allocations(const layer *l) {
  static float y[MOST_ELEMENTS], old[MOST_ELEMENTS], expected[MOST_ELEMENTS];
  hook memory;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_graph *graph;
  size_t n, failed = 0, size;
  bool more = true;
  memset(&memory, 0, sizeof memory);
  options.allocator.allocate = hook_allocate;
  options.allocator.release = hook_release;
  options.allocator.user = &memory;
  options.threads = 1;
  options.specializations = 2;
  context = test_context(&options);
  graph = build(context, l, 2, 2);
  size = run(context, graph, l, 2, 2, old);
  webnn_free_graph(graph);
  graph = build(context, l, 6, 2);
  (void)run(context, graph, l, 6, 2, expected);
  webnn_free_graph(graph);
  for (n = 1; more; n++) {
    webnn_error error;
    tensors t;
    graph = build(context, l, 0, 0);
    (void)run(context, graph, l, 2, 2, y);
    t = make_tensors(context, graph, l, 6, 2);
    memory.fail_at = memory.calls + n;
    memory.failures = 0;
    error = dispatch(context, graph, &t);
    more = memory.failures > 0;
    memory.fail_at = 0;
    failed += more ? 1 : 0;
    CHECK("allocation", (error.status == WEBNN_OK) == !more, "%s %u: %s", l->name, (unsigned)n,
          error.message);
    CHECK("allocation", run(context, graph, l, 2, 2, y) == size && memcmp(y, old, size) == 0,
          "%s %u: the sizes that were there", l->name, (unsigned)n);
    CHECK("allocation",
          run(context, graph, l, 6, 2, y) == t.size && memcmp(y, expected, t.size) == 0,
          "%s %u: the new sizes", l->name, (unsigned)n);
    free_tensors(&t);
    webnn_free_graph(graph);
  }
  CHECK("allocation", failed > 10, "%s: only %u allocations", l->name, (unsigned)failed);
  webnn_free_context(context);
  CHECK("allocation", memory.live_count == 0 && memory.bad_release == 0, "%s: %u left, %u bad",
        l->name, (unsigned)memory.live_count, (unsigned)memory.bad_release);
}

/* ---- Eight threads ----------------------------------------------------------------------------- */

#if defined(WEBNN_NO_THREADS) || defined(_WIN32)

static void check_threads(void) {
  test_skip("threads", "the library is compiled without threads, or there is no pthread.h");
}

#else
#include <pthread.h>

enum { THREADS = 8 };

typedef struct worker {
  pthread_t thread;
  webnn_context *context;
  webnn_graph *graph;
  const float *w;
  uint32_t first, wrong;
} worker;

static void *work(void *user) {
  worker *t = (worker *)user;
  uint32_t i, k, j;
  for (i = 0; i < 40; i++) {
    const uint32_t rows = 1 + (t->first + i) % THREADS;
    float y[THREADS * SIDE];
    const bool ok =
        webnn_compute(t->context, t->graph,
                      WEBNN_INPUTS({"x", numbers, rows * SIDE * sizeof *numbers}),
                      WEBNN_OUTPUTS({"y", y, rows * SIDE * sizeof *y}), NULL) == WEBNN_OK;
    float sum[SIDE] = {0}; /* of the last row; exact */
    for (k = 0; k < SIDE; k++) {
      for (j = 0; j < SIDE; j++) {
        sum[j] += numbers[(rows - 1) * SIDE + k] * t->w[k * SIDE + j];
      }
    }
    t->wrong += !ok || memcmp(sum, y + (rows - 1) * SIDE, sizeof sum) != 0 ? 1 : 0;
  }
  return NULL;
}

/* One graph, whose sizes come on all threads at once; the weights, and zeros that are added, lie at
   odd addresses of the caller's. In the end the weights are packed once. */
static void check_threads(void) {
  static char odd[sizeof *weights + 1], odd_zeros[SIDE * 4 + 1];
  webnn_context *context = test_context(NULL);
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, SIDE)), *w, *y, *zeros;
  webnn_graph *graph = NULL;
  worker workers[THREADS];
  uint64_t prepared;
  uint32_t i;
  memcpy(odd + 1, weights[0], sizeof *weights);
  w = webnn_constant_over_memory(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, SIDE, SIDE), odd + 1,
                                 sizeof *weights);
  zeros =
      webnn_constant_over_memory(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, SIDE), odd_zeros + 1, SIDE * 4);
  y = webnn_sub(b, webnn_matmul(b, x, w, NULL), zeros, NULL);
  y = webnn_add(b, y, webnn_neg(b, zeros, NULL), NULL);
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, NULL);
  webnn_free_builder(b);
  for (i = 0; i < THREADS; i++) {
    memset(&workers[i], 0, sizeof workers[i]);
    workers[i].context = context;
    workers[i].graph = graph;
    workers[i].w = weights[0];
    workers[i].first = i;
    MUST("threads", pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "no thread");
  }
  for (i = 0; i < THREADS; i++) {
    pthread_join(workers[i].thread, NULL);
    CHECK("threads", workers[i].wrong == 0, "thread %u: %u of 40 are wrong", (unsigned)i,
          (unsigned)workers[i].wrong);
  }
  prepared = webnn_graph_memory(graph).prepared;
  CHECK("threads", prepared > 0 && prepared <= SIDE * 48 * sizeof **weights + THREADS,
        "%lu bytes are packed", (unsigned long)prepared);
  webnn_free_graph(graph);
  webnn_free_context(context);
}
#endif

int main(void) {
  uint32_t i;
  for (i = 0; i < NUMBERS; i++) {
    numbers[i] = (float)((int)(i * 37 % 64) - 32) / 8.0f;
    halves[i] = webnn_float32_to_float16(numbers[i]);
    bytes[i] = (uint8_t)(i * 53);
  }
  for (i = 0; i < LAYERS; i++) {
    check_layer(&layers[i], 1);
    check_layer(&layers[i], 9);
  }
  check_bytes();
  check_graphs();
  check_computed(&layers[2]);
  check_allocations(&layers[0]);
  check_allocations(&layers[1]);
  check_allocations(&layers[2]);
  check_threads();
  return test_end();
}
