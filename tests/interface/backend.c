/* A backend that is not the CPU's (tiny_backend.h): does what a companion header may use suffice for
   one? Its results are those of the reference context, with a target that refuses everything and
   with one that takes chains; work is queued, constants are told, limits hold, entries that are
   missing are answered; whichever of its functions fails, the context is lost with the message or
   the call fails, and nothing is left; handles are freed in any order. At last, it uses only names
   that docs/internals.md lists.

     backend [GRAPHS]    so many random graphs, 300 by default */
#define WEBNN_IMPLEMENTATION
#include "every_operator.h"
#include "failing_allocator.h"
#include "tiny_backend.h"

#define main main_of_passes
#include "passes.c"
#undef main

static tiny_control control;

/* A target with room in its chains for less than webnn.h has. */
static webnn__target target_of_chains(void) {
  webnn__target target;
  memset(&target, 0, sizeof target);
  target.chain_ops = 8;
  target.chain_inputs = 4;
  target.chain_outputs = 2;
  target.chain_types = 1u << WEBNN_FLOAT32 | 1u << WEBNN_FLOAT16 | 1u << WEBNN_UINT8;
  return target;
}

/* A context of the backend; the control begins again. */
static webnn_context *tiny_context(bool chains, webnn_context_options options) {
  const tiny_options own = {&control};
  webnn_context *context;
  memset(&control, 0, sizeof control);
  if (chains) {
    control.target = target_of_chains();
  }
  options.backend = &tiny_backend;
  options.backend_options = &own;
  context = test_context(&options);
  return context;
}

static webnn_context *plain_context(void) {
  const webnn_context_options options = WEBNN_ZERO;
  return tiny_context(true, options);
}

/* After everything is freed. */
static void check_empty(const char *name) {
  CHECK(name, control.devices == 0 && control.storages == 0 && control.plans == 0,
        "%u devices, %u storages and %u plans are left", (unsigned)control.devices,
        (unsigned)control.storages, (unsigned)control.plans);
}

static uint32_t pass_bit(const char *name) {
  uint32_t i = 0;
  while (strcmp(webnn_pass_name(i), name) != 0) {
    i++;
  }
  return (uint32_t)1 << i;
}

/* ---- Results -------------------------------------------------------------------------------- */

/* Passes that compute something else than the formulas in the graph, within bounds. */
static uint32_t rounding_passes(void) {
  return pass_bit("recognition") | pass_bit("batch normalization");
}

static void check_every_operator(bool chains) {
  static unsigned char expected[EVERY_RESULT_BYTES], got[EVERY_RESULT_BYTES];
  webnn_context_options options = WEBNN_ZERO, reference = WEBNN_ZERO;
  const char *name = chains ? "every operator, chains" : "every operator, nothing fused";
  webnn_context *context, *oracle;
  webnn_graph *graph;
  size_t bytes;
  reference.numerics = WEBNN_NUMERICS_REFERENCE;
  oracle = test_context(&reference);
  graph = every_graph(oracle);
  bytes = every_run(oracle, graph, expected);
  webnn_free_graph(graph);
  webnn_free_context(oracle);
  options.disabled_passes = rounding_passes();
  context = tiny_context(chains, options);
  graph = every_graph(context);
  CHECK(name, every_run(context, graph, got) == bytes && memcmp(expected, got, bytes) == 0,
        "other bits than the reference context's");
  CHECK(name, chains ? control.chain_nodes > 0 : control.fused_nodes == 0,
        "%u chains, %u fused nodes", (unsigned)control.chain_nodes, (unsigned)control.fused_nodes);
  CHECK(name, control.exceeded == 0, "%u nodes are not for this target",
        (unsigned)control.exceeded);
  CHECK(name, control.views > 0 && control.constants > 0, "no views or no constants");
  CHECK(name, control.misplaced == 0, "%u values are not aligned", (unsigned)control.misplaced);
  webnn_free_graph(graph);
  webnn_free_context(context);
  check_empty(name);
}

/* The graphs of passes.c: bits where they are exact, else within bounds. */
static void check_random_graphs(uint32_t graphs) {
  static graph_results expected, got;
  webnn_context_options reference = WEBNN_ZERO;
  webnn_context *oracle;
  uint32_t g, way, fused = 0, overwritten = 0;
  reference.numerics = WEBNN_NUMERICS_REFERENCE;
  oracle = test_context(&reference);
  for (g = 0; g < graphs; g++) {
    const recipe made = recipe_of(g);
    const bool runs = run_recipe(oracle, &made, &expected);
    for (way = 0; way < 3 && runs; way++) {
      webnn_context_options options = WEBNN_ZERO;
      webnn_context *context;
      options.disabled_passes = way < 2 ? 0 : (uint32_t)1 << g % 12;
      context = tiny_context(way > 0, options);
      CHECK("graphs", run_recipe(context, &made, &got) && are_right(&made, &got, &expected, true),
            "seed %lu, way %u: not what the reference context computes", (unsigned long)made.seed,
            (unsigned)way);
      CHECK("graphs", way > 0 || control.fused_nodes == 0, "seed %lu: %u nodes are fused",
            (unsigned long)made.seed, (unsigned)control.fused_nodes);
      CHECK("graphs", control.exceeded == 0 && control.mixed_nodes == 0,
            "seed %lu: %u nodes are not for this target, %u are of mixed types",
            (unsigned long)made.seed, (unsigned)control.exceeded, (unsigned)control.mixed_nodes);
      CHECK("graphs", control.misplaced == 0, "seed %lu: %u values are not aligned",
            (unsigned long)made.seed, (unsigned)control.misplaced);
      fused += control.chain_nodes;
      overwritten += control.overwritten;
      webnn_free_context(context);
      check_empty("graphs");
    }
  }
  CHECK("graphs", graphs == 0 || (fused > graphs / 2 && overwritten > graphs / 10),
        "only %u chains, %u of them over an operand", (unsigned)fused, (unsigned)overwritten);
  webnn_free_context(oracle);
}

/* Two convolutions of nchw images, the first with a batch normalization behind it. */
static webnn_graph *image_graph(webnn_context *context, webnn_data_type type) {
  static const unsigned char data[256] = {0};
  webnn_builder *builder = test_builder(context);
  webnn_operand_descriptor filter = {type, WEBNN_LIST(3, 3, 2, 2)};
  webnn_operand_descriptor each = {type, WEBNN_LIST(3)}, image = {type, WEBNN_LIST(1, 3, 5, 5)};
  const size_t bytes = webnn_data_type_bits(type) / 8;
  webnn_operand *weights = webnn_constant(builder, filter, data, 36 * bytes);
  webnn_operand *vector = webnn_constant(builder, each, data, 3 * bytes);
  webnn_operand *x = webnn_conv2d(builder, webnn_input(builder, "x", image), weights, NULL);
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  x = webnn_batch_normalization(builder, x, vector, vector, NULL);
  x = webnn_conv2d(builder, webnn_relu(builder, x, NULL), weights, NULL);
  CHECK("images", webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", x}), &graph, &error) == WEBNN_OK,
        "%s", error.message);
  webnn_free_builder(builder);
  return graph;
}

/* The passes do what these wishes of a target are for, and only then. */
static void check_wishes(void) {
  int wish;
  for (wish = 0; wish < 24; wish++) {
    const bool nhwc = (wish & 1) != 0, mixed = (wish & 2) != 0, half = (wish & 4) != 0;
    const uint32_t ohwi = (uint32_t)wish / 8; /* filters have 3 inputs */
    const webnn_context_options options = WEBNN_ZERO;
    webnn_context *context = tiny_context(false, options);
    control.target.reads_nhwc = nhwc;
    control.target.mixes_weights = mixed;
    control.target.ohwi_inputs = ohwi == 2 ? 3 : 2 * ohwi;
    webnn_free_graph(image_graph(context, half ? WEBNN_FLOAT16 : WEBNN_FLOAT32));
    CHECK("wishes", control.nhwc_nodes == (nhwc ? 2u : 0u), "nhwc %d: %u convolutions over nhwc",
          nhwc, (unsigned)control.nhwc_nodes);
    CHECK("wishes", control.ohwi_nodes == (ohwi == 2 ? 2u : 0u),
          "by %u: %u convolutions with filters of ohwi", (unsigned)control.target.ohwi_inputs,
          (unsigned)control.ohwi_nodes);
    CHECK("wishes", control.mixed_nodes == (mixed && half ? 1u : 0u),
          "mixed %d, float16 %d: %u convolutions of mixed types", mixed, half,
          (unsigned)control.mixed_nodes);
    CHECK("wishes", control.exceeded == 0, "%u nodes are not for this target",
          (unsigned)control.exceeded);
    webnn_free_context(context);
    check_empty("wishes");
  }
}

/* More operators, and more operands, than one chain of the target takes, and a product of bytes as
   other targets take it. */
static webnn_graph *long_graph(webnn_context *context) {
  static const unsigned char bytes[16] = {1, 2, 3};
  static const float scale[1] = {0.5f};
  const webnn_operand_descriptor square = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4, 4);
  const webnn_operand_descriptor packed = WEBNN_DESCRIPTOR(WEBNN_INT8, 4, 4);
  webnn_builder *builder = test_builder(context);
  webnn_operand *x = webnn_input(builder, "x", square), *chain = x, *sum = x, *w, *s, *z;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  char name[2] = "a";
  int i;
  for (i = 0; i < 20; i++) {
    chain = i % 2 == 0 ? webnn_sin(builder, chain, NULL) : webnn_neg(builder, chain, NULL);
  }
  for (i = 0; i < 6; i++) {
    name[0] = (char)('a' + i);
    sum = webnn_mul(builder, sum, webnn_input(builder, name, square), NULL);
  }
  s = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1), scale, sizeof scale);
  z = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_INT8, 1, 1), bytes, 1);
  w = webnn_dequantize_linear(builder, webnn_constant(builder, packed, bytes, sizeof bytes), s, z,
                              NULL);
  x = webnn_dequantize_linear(builder, webnn_input(builder, "q", packed), s, z, NULL);
  x = webnn_matmul(builder, x, w, NULL);
  CHECK("long",
        webnn_build(builder, WEBNN_NAMED_OPERANDS({"u", chain}, {"v", sum}, {"w", x}), &graph,
                    &error) == WEBNN_OK,
        "%s", error.message);
  webnn_free_builder(builder);
  return graph;
}

static bool runs_nothing(void *user, const webnn__value *values, const webnn__node *node,
                         const webnn__value *results) {
  (void)user;
  (void)values;
  (void)node;
  (void)results;
  return false;
}

/* Weights stay packed for targets that read their type, and that do not refuse the product. */
static void check_packed(void) {
  static const unsigned char bytes[16] = {1, 2, 3};
  static const float scale[1] = {0.5f};
  int wish;
  for (wish = 0; wish < 4; wish++) {
    const webnn_context_options options = WEBNN_ZERO;
    webnn_context *context = tiny_context(false, options);
    webnn_builder *builder = test_builder(context);
    webnn_operand *w = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_INT8, 4, 4), bytes, 16);
    webnn_operand *s = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1), scale, 4);
    webnn_operand *z = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_INT8, 1, 1), bytes, 1);
    webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4, 4));
    webnn_graph *graph = NULL;
    webnn_error error = WEBNN_ZERO;
    control.target.packed_types = wish == 0   ? 0u
                                  : wish == 1 ? 1u << WEBNN_UINT8 | 1u << WEBNN_INT4
                                              : 1u << WEBNN_INT8;
    control.target.runs = wish == 2 ? runs_nothing : NULL;
    x = webnn_matmul(builder, x, webnn_dequantize_linear(builder, w, s, z, NULL), NULL);
    CHECK("packed",
          webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", x}), &graph, &error) == WEBNN_OK, "%s",
          error.message);
    webnn_free_builder(builder);
    webnn_free_graph(graph);
    CHECK("packed", control.packed_nodes == (wish == 3 ? 1u : 0u), "wish %d: %u products", wish,
          (unsigned)control.packed_nodes);
    CHECK("packed", control.exceeded == 0, "%u nodes are not for this target",
          (unsigned)control.exceeded);
    webnn_free_context(context);
    check_empty("packed");
  }
}

static void check_bounds(void) {
  webnn_context *context = plain_context();
  webnn_free_graph(long_graph(context));
  CHECK("bounds", control.chain_nodes >= 4, "only %u chains", (unsigned)control.chain_nodes);
  CHECK("bounds", control.exceeded == 0, "%u nodes are not for this target",
        (unsigned)control.exceeded);
  webnn_free_context(context);
  check_empty("bounds");
}

/* relu(x transposed times w + bias + residual), softmax(x w / 4) x, and a sum of exponentials. */
static webnn_graph *product_graph(webnn_context *context, webnn_data_type type) {
  webnn_builder *builder = test_builder(context);
  const webnn_operand_descriptor square = {type, WEBNN_LIST(4, 4)}, row = {type, WEBNN_LIST(4)};
  webnn_operand *x = webnn_input(builder, "x", square), *w = webnn_input(builder, "w", square);
  webnn_operand *b = webnn_input(builder, "b", row), *r = webnn_input(builder, "r", square);
  webnn_operand *y = webnn_matmul(builder, webnn_transpose(builder, x, NULL), w, NULL), *z, *sum;
  webnn_operand *quarter = webnn_constant_from_number(builder, type, webnn_f64(0.25));
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  y = webnn_add(builder, webnn_add(builder, y, b, NULL), r, NULL);
  y = webnn_relu(builder, y, NULL);
  z = webnn_mul(builder, webnn_matmul(builder, x, w, NULL), quarter, NULL);
  z = webnn_matmul(builder, webnn_softmax(builder, z, 1, NULL), x, NULL);
  sum = webnn_reduce_sum(builder, webnn_exp(builder, x, NULL), NULL);
  CHECK("products",
        webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", y}, {"z", z}, {"s", sum}), &graph,
                    &error) == WEBNN_OK,
        "%s", error.message);
  webnn_free_builder(builder);
  return graph;
}

/* Graphs are built, not run, for each set of what a target may fuse. */
static void check_fusing(void) {
  uint32_t set;
  for (set = 0; set < 512; set++) {
    const webnn_context_options options = WEBNN_ZERO;
    const webnn_data_type type = (set & 256) != 0 ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
    webnn_context *context = tiny_context(false, options);
    if ((set & 16) != 0) {
      control.target = target_of_chains();
      control.target.reduces_chains = (set & 32) != 0;
    }
    control.target.fuses = set & 15;
    control.target.product_types = 1u << WEBNN_FLOAT32;
    control.target.product_types |= (set & 128) != 0 ? 1u << WEBNN_FLOAT16 : 0u;
    control.target.attention_depth = (set & 64) != 0 ? 4 : 3;
    webnn_free_graph(product_graph(context, type));
    CHECK("fusing", control.exceeded == 0, "set %u: %u nodes are not for this target",
          (unsigned)set, (unsigned)control.exceeded);
    CHECK("fusing", set != 127 || control.fused_nodes == 3, "only %u of 3 nodes are fused",
          (unsigned)control.fused_nodes);
    webnn_free_context(context);
  }
}

/* ---- A small graph: y = relu(x + c) + 1 ------------------------------------------------------ */

static const float borrowed[4] = {1, -2, 3, -4};

typedef struct small {
  webnn_context *context;
  webnn_graph *graph;
  webnn_tensor *x, *y;
  webnn_error error;
} small;

static webnn_graph *small_graph(webnn_context *context, webnn_error *error) {
  const webnn_operand_descriptor four = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4);
  webnn_builder *builder = NULL;
  webnn_operand *c, *one, *x;
  webnn_graph *graph = NULL;
  (void)webnn_create_builder(context, &builder, error);
  c = webnn_constant_over_memory(builder, four, borrowed, sizeof borrowed);
  one = webnn_constant_from_number(builder, WEBNN_FLOAT32, webnn_f64(1));
  x = webnn_input(builder, "x", four);
  x = webnn_relu(builder, webnn_add(builder, x, c, NULL), NULL);
  x = webnn_add(builder, x, one, NULL);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", x}), &graph, error);
  webnn_free_builder(builder);
  return graph;
}

static small small_world(void) {
  static const webnn_error none = WEBNN_ZERO;
  const float data[4] = {1, 1, 1, 5};
  small s;
  s.error = none;
  s.context = plain_context();
  s.graph = small_graph(s.context, &s.error);
  s.x = s.y = NULL;
  (void)webnn_create_graph_tensor(s.graph, "x", &s.x, &s.error);
  (void)webnn_create_graph_tensor(s.graph, "y", &s.y, &s.error);
  CHECK("small", webnn_write_tensor(s.context, s.x, data, sizeof data, &s.error) == WEBNN_OK, "%s",
        s.error.message);
  return s;
}

static webnn_status small_dispatch(small *s) {
  return webnn_dispatch(s->context, s->graph, WEBNN_NAMED_TENSORS({"x", s->x}),
                        WEBNN_NAMED_TENSORS({"y", s->y}), &s->error);
}

static bool is_right(const float *y) {
  return y[0] == 3 && y[1] == 1 && y[2] == 5 && y[3] == 2;
}

/* What can be freed of a small world, by numbers. */
static void free_part(small *s, int part) {
  switch (part) {
  case 0:
    webnn_free_context(s->context);
    break;
  case 1:
    webnn_free_graph(s->graph);
    break;
  case 2:
    webnn_free_tensor(s->x);
    break;
  default:
    webnn_free_tensor(s->y);
    break;
  }
}

/* Every order, with work in the queue. */
static void check_orders(void) {
  int order;
  for (order = 0; order < 256; order++) {
    const int parts[4] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
    small s;
    int i;
    if (((1 << parts[0]) | (1 << parts[1]) | (1 << parts[2]) | (1 << parts[3])) != 15) {
      continue;
    }
    s = small_world();
    CHECK("orders", small_dispatch(&s) == WEBNN_OK && control.done == 0, "%s", s.error.message);
    for (i = 0; i < 4; i++) {
      free_part(&s, parts[i]);
    }
    CHECK("orders", control.queued == 1 && control.done == 1, "the work was not done");
    check_empty("orders");
  }
}

/* Work is queued, and done by waiting, reading, writing, or webnn_compute. */
static void check_time(void) {
  small s = small_world();
  float y[4] = {0}, x[4] = {1, 1, 1, 5};
  uint32_t waits;
  CHECK("time", small_dispatch(&s) == WEBNN_OK && small_dispatch(&s) == WEBNN_OK, "%s",
        s.error.message);
  CHECK("time", control.queued == 2 && control.done == 0, "%u of %u done at once",
        (unsigned)control.done, (unsigned)control.queued);
  waits = control.waits;
  CHECK("time", webnn_wait(s.context, &s.error) == WEBNN_OK, "%s", s.error.message);
  CHECK("time", control.done == 2 && control.waits == waits + 1, "%u done by %u waits",
        (unsigned)control.done, (unsigned)(control.waits - waits));
  (void)small_dispatch(&s);
  waits = control.waits;
  CHECK("time", webnn_read_tensor(s.context, s.y, y, sizeof y, &s.error) == WEBNN_OK && is_right(y),
        "%s: %g", s.error.message, (double)y[0]);
  CHECK("time", control.done == 3 && control.waits == waits + 1, "reading does not wait");
  memset(y, 0, sizeof y);
  CHECK("time",
        webnn_compute(s.context, s.graph, WEBNN_INPUTS({"x", x, sizeof x}),
                      WEBNN_OUTPUTS({"y", y, sizeof y}), &s.error) == WEBNN_OK &&
            is_right(y),
        "compute: %s: %g", s.error.message, (double)y[0]);
  /* A value written after a run that reads the tensor is not what that run sees. */
  (void)small_dispatch(&s);
  x[0] = 100;
  (void)webnn_write_tensor(s.context, s.x, x, sizeof x, &s.error);
  CHECK("time", webnn_read_tensor(s.context, s.y, y, sizeof y, &s.error) == WEBNN_OK && is_right(y),
        "a later write is seen: %g", (double)y[0]);
  free_part(&s, 1);
  free_part(&s, 2);
  free_part(&s, 3);
  free_part(&s, 0);
  check_empty("time");
}

/* ---- What fails ----------------------------------------------------------------------------- */

/* One call that meets a failing function of the backend on the timeline. */
typedef struct failure {
  const char *name;
  tiny_function fails;
  webnn_status (*call)(small *s);
  const char *message;
} failure;

static webnn_status call_write(small *s) {
  const float data[4] = {0};
  return webnn_write_tensor(s->context, s->x, data, sizeof data, &s->error);
}

static webnn_status call_read(small *s) {
  float data[4];
  return webnn_read_tensor(s->context, s->x, data, sizeof data, &s->error);
}

static webnn_status call_wait(small *s) {
  return webnn_wait(s->context, &s->error);
}

static webnn_status call_late(small *s) {
  const webnn_status status = small_dispatch(s);
  return status == WEBNN_OK ? webnn_wait(s->context, &s->error) : WEBNN_OK;
}

static webnn_status call_late_read(small *s) {
  const webnn_status status = small_dispatch(s);
  return status == WEBNN_OK ? call_read(s) : WEBNN_OK;
}

static webnn_status call_late_write(small *s) {
  const webnn_status status = small_dispatch(s);
  return status == WEBNN_OK ? call_write(s) : WEBNN_OK;
}

static webnn_status call_compute(small *s) {
  float x[4] = {0}, y[4];
  return webnn_compute(s->context, s->graph, WEBNN_INPUTS({"x", x, sizeof x}),
                       WEBNN_OUTPUTS({"y", y, sizeof y}), &s->error);
}

static const failure failures[] = {
    {"write", TINY_WRITE, call_write, "tiny: write fails"},
    {"read", TINY_READ, call_read, "tiny: read fails"},
    {"run", TINY_RUN, small_dispatch, "tiny: run fails"},
    {"wait", TINY_WAIT, call_wait, "tiny: wait fails"},
    {"wait before a read", TINY_WAIT, call_read, "tiny: wait fails"},
    {"work, waiting", TINY_WORK, call_late, "tiny: work fails"},
    {"work, reading", TINY_WORK, call_late_read, "tiny: work fails"},
    {"work, writing", TINY_WORK, call_late_write, "tiny: work fails"},
    {"compute", TINY_RUN, call_compute, "tiny: run fails"},
    {"compute's work", TINY_WORK, call_compute, "tiny: work fails"},
};

static void check_failure(const failure *f, bool silent) {
  const char *message = silent ? "the device failed" : f->message;
  small s = small_world();
  webnn_error lost = WEBNN_ZERO;
  webnn_status status;
  float data[4];
  control.fails = f->fails;
  control.silent = silent;
  status = f->call(&s);
  CHECK(f->name, status == WEBNN_OPERATION_ERROR && strcmp(s.error.message, message) == 0, "%s: %s",
        webnn_status_name(status), s.error.message);
  CHECK(f->name, webnn_context_lost(s.context, &lost) && strcmp(lost.message, message) == 0,
        "the context is not lost with the message: %s", lost.message);
  control.fails = TINY_NONE;
  CHECK(f->name, webnn_wait(s.context, NULL) == WEBNN_INVALID_STATE_ERROR, "waiting is possible");
  CHECK(f->name, small_dispatch(&s) == WEBNN_INVALID_STATE_ERROR, "dispatching is possible");
  CHECK(f->name, webnn_read_tensor(s.context, s.y, data, sizeof data, NULL) == WEBNN_TYPE_ERROR,
        "reading is possible");
  CHECK(f->name, control.storages == 0 && control.plans == 0, "%u storages and %u plans are left",
        (unsigned)control.storages, (unsigned)control.plans);
  webnn_destroy_context(s.context);
  CHECK(f->name, webnn_context_lost(s.context, &lost) && strcmp(lost.message, message) == 0,
        "the first cause is gone: %s", lost.message);
  free_part(&s, 0);
  free_part(&s, 3);
  free_part(&s, 2);
  free_part(&s, 1);
  check_empty(f->name);
}

/* What fails before there is anything on the timeline: the call, and no more. */
static void check_refusals(void) {
  const tiny_options own = {&control};
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_tensor *tensor = NULL;
  webnn_error error = WEBNN_ZERO;
  small s;
  memset(&control, 0, sizeof control);
  control.fails = TINY_OPEN;
  options.backend = &tiny_backend;
  options.backend_options = &own;
  CHECK("open",
        webnn_create_context(&options, &context, &error) == WEBNN_OPERATION_ERROR &&
            context == NULL && strcmp(error.message, "tiny: open fails") == 0,
        "%s", error.message);
  check_empty("open");
  s = small_world();
  control.fails = TINY_CREATE_STORAGE;
  CHECK("create_storage",
        webnn_create_graph_tensor(s.graph, "x", &tensor, &s.error) == WEBNN_OPERATION_ERROR &&
            tensor == NULL && strcmp(s.error.message, "tiny: create_storage fails") == 0,
        "%s", s.error.message);
  control.fails = TINY_COMPILE;
  CHECK("compile",
        small_graph(s.context, &s.error) == NULL && s.error.status == WEBNN_OPERATION_ERROR &&
            strcmp(s.error.message, "tiny: compile fails") == 0,
        "%s", s.error.message);
  CHECK("refusals", !webnn_context_lost(s.context, NULL), "the context is lost");
  control.fails = TINY_NONE;
  CHECK("refusals", webnn_create_graph_tensor(s.graph, "x", &tensor, &s.error) == WEBNN_OK, "%s",
        s.error.message);
  webnn_free_tensor(tensor);
  CHECK("refusals", small_dispatch(&s) == WEBNN_OK && webnn_wait(s.context, &s.error) == WEBNN_OK,
        "%s", s.error.message);
  free_part(&s, 0);
  free_part(&s, 1);
  free_part(&s, 2);
  free_part(&s, 3);
  check_empty("refusals");
}

/* Each allocation in turn, of a context, a graph and its run. */
static void check_allocations(void) {
  static hook memory;
  size_t n;
  bool done = false;
  for (n = 1; !done; n++) {
    const tiny_options own = {&control};
    const float x[4] = {1, 1, 1, 5};
    float y[4] = {0};
    webnn_context_options options = WEBNN_ZERO;
    webnn_error error = WEBNN_ZERO;
    webnn_status status;
    small s;
    memset(&s, 0, sizeof s);
    memset(&control, 0, sizeof control);
    if (n % 2 == 0) {
      control.target = target_of_chains();
    }
    options.backend = &tiny_backend;
    options.backend_options = &own;
    options.allocator.allocate = hook_allocate;
    options.allocator.release = hook_release;
    options.allocator.user = &memory;
    memory.calls = memory.failures = 0;
    memory.fail_at = n;
    status = webnn_create_context(&options, &s.context, &error);
    s.graph = status == WEBNN_OK ? small_graph(s.context, &error) : NULL;
    if (s.graph != NULL) {
      status = webnn_compute(s.context, s.graph, WEBNN_INPUTS({"x", x, sizeof x}),
                             WEBNN_OUTPUTS({"y", y, sizeof y}), &error);
    }
    done = memory.failures == 0;
    CHECK("allocations",
          done ? status == WEBNN_OK && is_right(y) : error.status == WEBNN_UNKNOWN_ERROR,
          "allocation %u: %s", (unsigned)n, error.message);
    webnn_free_graph(s.graph);
    webnn_free_context(s.context);
    CHECK("allocations", memory.live_count == 0 && memory.bad_release == 0,
          "allocation %u: %u are not released", (unsigned)n, (unsigned)memory.live_count);
    check_empty("allocations");
  }
  CHECK("allocations", n > 30, "only %u allocations", (unsigned)n);
}

/* A tensor over storage that the companion has made itself, which is released with it or after a
   failure. */
static void check_own_storage(void) {
  const float x[4] = {1, 1, 1, 5};
  const webnn_tensor_descriptor four = {WEBNN_FLOAT32, WEBNN_LIST(4), true, true};
  const webnn_tensor_descriptor wrong = {WEBNN_FLOAT32, WEBNN_LIST(0), true, true};
  small s = small_world();
  const uint32_t before = control.storages;
  webnn_tensor *tensor = NULL;
  void *storage = NULL;
  float y[4] = {0};
  int i;
  (void)tiny_create_storage(s.context->device, WEBNN_FLOAT32, 16, NULL, &storage, NULL);
  CHECK("own storage",
        webnn__create_tensor_over_storage(s.context, four, storage, 16, &tensor, &s.error) ==
                WEBNN_OK &&
            tensor->storage == storage && webnn_tensor_readable(tensor) &&
            webnn_tensor_writable(tensor),
        "%s", s.error.message);
  webnn_free_tensor(s.x);
  s.x = tensor;
  CHECK("own storage",
        webnn_write_tensor(s.context, tensor, x, sizeof x, &s.error) == WEBNN_OK &&
            small_dispatch(&s) == WEBNN_OK &&
            webnn_read_tensor(s.context, s.y, y, sizeof y, &s.error) == WEBNN_OK && is_right(y),
        "%s", s.error.message);
  for (i = 0; i < 3; i++) { /* too small, not a tensor, lost */
    tensor = NULL;
    if (i == 2) {
      webnn_destroy_context(s.context);
    }
    (void)tiny_create_storage(s.context->device, WEBNN_FLOAT32, 16, NULL, &storage, NULL);
    CHECK("own storage",
          webnn__create_tensor_over_storage(s.context, i == 1 ? wrong : four, storage,
                                            i == 0 ? 15 : 16, &tensor, &s.error) ==
                  (i < 2 ? WEBNN_TYPE_ERROR : WEBNN_INVALID_STATE_ERROR) &&
              tensor == NULL,
          "%d: %s", i, s.error.message);
    CHECK("own storage", control.storages == (i < 2 ? before : 0), "%d: %u storages, not %u", i,
          (unsigned)control.storages, (unsigned)before);
  }
  for (i = 0; i < 4; i++) {
    free_part(&s, i);
  }
  check_empty("own storage");
}

/* ---- Threads -------------------------------------------------------------------------------- */

#ifdef WEBNN__THREADS

typedef struct worker {
  small *shared;
  bool builds;
  uint32_t wrong;
} worker;

/* One run over tensors of its own, or a graph more. */
static bool work_once(worker *w) {
  const float x[4] = {1, 1, 1, 5};
  float y[4] = {0};
  small own = *w->shared;
  webnn_error error = WEBNN_ZERO;
  bool right;
  if (w->builds) {
    webnn_graph *graph = small_graph(own.context, &error);
    webnn_free_graph(graph);
    return graph != NULL;
  }
  right = webnn_create_graph_tensor(own.graph, "x", &own.x, &error) == WEBNN_OK &&
          webnn_create_graph_tensor(own.graph, "y", &own.y, &error) == WEBNN_OK &&
          webnn_write_tensor(own.context, own.x, x, sizeof x, &error) == WEBNN_OK &&
          small_dispatch(&own) == WEBNN_OK && webnn_wait(own.context, &error) == WEBNN_OK &&
          small_dispatch(&own) == WEBNN_OK &&
          webnn_read_tensor(own.context, own.y, y, sizeof y, &error) == WEBNN_OK && is_right(y);
  webnn_free_tensor(own.x);
  webnn_free_tensor(own.y);
  return right;
}

static void work(void *data) {
  worker *w = (worker *)data;
  int i;
  for (i = 0; i < 100; i++) {
    w->wrong += work_once(w) ? 0 : 1;
  }
}

static void check_threads(void) {
  small s = small_world();
  webnn__thread threads[3];
  worker workers[3];
  int i;
  for (i = 0; i < 3; i++) {
    workers[i].shared = &s;
    workers[i].builds = i == 2;
    workers[i].wrong = 0;
    if (!webnn__thread_create(&threads[i], work, &workers[i])) {
      printf("no thread\n");
      exit(1);
    }
  }
  for (i = 0; i < 3; i++) {
    webnn__thread_join(&threads[i]);
    CHECK("threads", workers[i].wrong == 0, "%u of 100 went wrong", (unsigned)workers[i].wrong);
  }
  for (i = 0; i < 4; i++) {
    free_part(&s, i);
  }
  check_empty("threads");
}

#else

static void check_threads(void) {
}

#endif

/* ---- What it says, and what it does not have ------------------------------------------------- */

static void ignore_value(void *user, const webnn_tapped_value *value) {
  (void)user;
  (void)value;
}

static void check_missing_entries(void) {
  small s = small_world();
  webnn_memory memory = webnn_graph_memory(s.graph);
  every_text text = {NULL, 0, 0};
  CHECK("tap",
        webnn_tap_graph(s.graph, ignore_value, NULL, &s.error) == WEBNN_NOT_SUPPORTED_ERROR &&
            strcmp(s.error.message, "tap: the backend \"tiny\" shows no values") == 0,
        "%s", s.error.message);
  CHECK("profile",
        webnn_profile_graph(s.graph, true, &s.error) == WEBNN_NOT_SUPPORTED_ERROR &&
            strcmp(s.error.message, "profile: the backend \"tiny\" measures nothing") == 0,
        "%s", s.error.message);
  CHECK("profile", webnn_graph_profile(s.graph, NULL, 0) == 0, "there are steps");
  webnn_print_profile(s.graph, every_write, &text);
  CHECK("memory", memory.arena == 0 && memory.prepared == 0 && memory.constants == 0, "not 0");
  CHECK("undecided", webnn_graph_undecided(s.graph) == 0, "not 0");
  text.length = 0;
  webnn_print_graph(s.graph, every_write, &text);
  CHECK("lacks_kernel", text.data != NULL && strstr(text.data, "reference kernel") == NULL,
        "steps are marked: %s", text.data);
  free(text.data);
  CHECK("accelerated", webnn_context_accelerated(s.context), "it is not");
  CHECK("missing", small_dispatch(&s) == WEBNN_OK && webnn_wait(s.context, &s.error) == WEBNN_OK,
        "%s", s.error.message);
  free_part(&s, 1);
  free_part(&s, 2);
  free_part(&s, 3);
  free_part(&s, 0);
  check_empty("missing");
}

/* Without `limits` and `wait` too; and what no context is made for. */
static void check_tables(void) {
  const tiny_options own = {&control};
  webnn_backend table = tiny_backend;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_limits limits;
  webnn_error error = WEBNN_ZERO;
  memset(&control, 0, sizeof control);
  options.backend = &table;
  options.backend_options = &own;
  table.limits = NULL;
  table.wait = NULL;
  context = test_context(&options);
  CHECK("tables",
        webnn_context_limits(context, &limits) &&
            limits.preferred_input_layout == WEBNN_LAYOUT_NCHW && limits.max_tensor_byte_length > 0,
        "limits of their own");
  CHECK("tables", webnn_wait(context, &error) == WEBNN_OK, "%s", error.message);
  webnn_free_context(context);
  table.version++;
  CHECK("version",
        webnn_create_context(&options, &context, &error) == WEBNN_NOT_SUPPORTED_ERROR &&
            context == NULL &&
            strcmp(error.message, "createContext: the backend is of version 5, not 4") == 0,
        "%s", error.message);
  table.version--;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  CHECK("reference",
        webnn_create_context(&options, &context, &error) == WEBNN_NOT_SUPPORTED_ERROR &&
            context == NULL &&
            strcmp(error.message,
                   "createContext: the backend \"tiny\" has no reference numerics") == 0,
        "%s", error.message);
  table.exact = true;
  CHECK("reference", webnn_create_context(&options, &context, &error) == WEBNN_OK, "%s",
        error.message);
  webnn_free_context(context);
  check_empty("tables");
}

static void check_limits(void) {
  const tiny_options own = {&control};
  webnn_context_options options = WEBNN_ZERO;
  webnn_tensor_descriptor long_one = {WEBNN_FLOAT32, WEBNN_LIST(17), false, false};
  webnn_tensor *tensor = NULL;
  webnn_builder *builder;
  webnn_context *context;
  webnn_limits limits;
  int chosen;
  for (chosen = 0; chosen < 3; chosen++) { /* by the device, by the caller as less, as more */
    memset(&control, 0, sizeof control);
    control.max_tensor_byte_length = 64;
    options.backend = &tiny_backend;
    options.backend_options = &own;
    options.max_tensor_byte_length = chosen == 0 ? 0 : chosen == 1 ? 32 : 1000;
    context = test_context(&options);
    CHECK("limits", webnn_context_limits(context, &limits), "there are none");
    CHECK("limits", limits.preferred_input_layout == WEBNN_LAYOUT_NHWC, "it prefers nchw");
    CHECK("limits", limits.max_tensor_byte_length == (chosen == 1 ? 32 : 64), "%lu bytes",
          (unsigned long)limits.max_tensor_byte_length);
    CHECK("limits", webnn_create_tensor(context, long_one, &tensor, NULL) == WEBNN_TYPE_ERROR,
          "too long a tensor");
    builder = test_builder(context);
    CHECK("limits", webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 17)) == NULL,
          "too long an input");
    webnn_free_builder(builder);
    webnn_free_context(context);
  }
}

typedef struct told {
  const void *data;
  size_t bytes;
  uint32_t calls;
} told;

static void note_told(void *user, const void *data, size_t byte_length) {
  told *t = (told *)user;
  t->data = data;
  t->bytes = byte_length;
  t->calls++;
}

static void check_told(void) {
  webnn_context_options options = WEBNN_ZERO;
  told t = {NULL, 0, 0};
  webnn_error error = WEBNN_ZERO;
  webnn_context *context;
  options.constant_packed = note_told;
  options.constant_packed_user = &t;
  context = tiny_context(true, options);
  webnn_free_graph(small_graph(context, &error));
  CHECK("constants", t.calls == 1 && t.data == (const void *)borrowed && t.bytes == sizeof borrowed,
        "%u calls, %u bytes", (unsigned)t.calls, (unsigned)t.bytes);
  webnn_free_context(context);
}

/* ---- Folding by a target's own function ------------------------------------------------------ */

static uint32_t computed;

static bool compute_one(void *user, const webnn__value *values, const webnn__node *node,
                        void *const *results) {
  const webnn__value *value = &values[node->outputs[0]];
  (void)user;
  computed++;
  memset(results[0], 0, (size_t)webnn__value_bytes(value));
  ((float *)results[0])[0] = 42;
  return node->op == WEBNN_OP_NEG;
}

/* A program of one operator of a constant, rewritten without any backend. */
static void check_folding(bool own) {
  static float data[1] = {5};
  const char *name = own ? "folding, own" : "folding, reference";
  webnn_allocator allocator = WEBNN_ZERO;
  webnn__block block;
  webnn__value values[2];
  uint32_t input = 0, output = 1;
  webnn__node node;
  webnn__port port;
  webnn__program program;
  webnn__target target;
  webnn__rewriting all;
  memset(&block, 0, sizeof block);
  memset(values, 0, sizeof values);
  memset(&node, 0, sizeof node);
  memset(&program, 0, sizeof program);
  memset(&target, 0, sizeof target);
  memset(&all, 0, sizeof all);
  block.memory = data;
  block.byte_length = sizeof data;
  values[0].data_type = values[1].data_type = WEBNN_FLOAT32;
  values[0].origin = WEBNN__ORIGIN_CONSTANT;
  values[0].constant = &block;
  values[1].origin = WEBNN__ORIGIN_NODE;
  node.op = WEBNN_OP_NEG;
  node.label = "";
  node.inputs = &input;
  node.outputs = &output;
  node.input_count = node.output_count = 1;
  port.name = "y";
  port.value = 1;
  program.values = values;
  program.value_count = 2;
  program.nodes = &node;
  program.node_count = 1;
  program.outputs = &port;
  program.output_count = 1;
  target.compute = own ? compute_one : NULL;
  allocator.allocate = webnn__default_allocate;
  allocator.release = webnn__default_release;
  all.allocator = &allocator;
  all.target = &target;
  all.program = &program;
  computed = 0;
  CHECK(name, webnn__run_passes(&all) && all.program->node_count == 0, "it is not folded");
  if (all.program->node_count == 0) {
    const webnn__value *y = &all.program->values[all.program->outputs[0].value];
    CHECK(name,
          y->origin == WEBNN__ORIGIN_CONSTANT &&
              ((const float *)y->constant->memory)[0] == (own ? 42.0f : -5.0f),
          "a wrong result");
  }
  CHECK(name, computed == (own ? 1u : 0u), "%u calls", (unsigned)computed);
  webnn__release_rewriting(&all);
}

/* The passes that are asked for by number stand in the table where their numbers say. */
static void check_passes(void) {
  CHECK("passes", pass_bit("clean-up") == 1u << WEBNN__PASS_CLEAN_UP, "clean-up");
  CHECK("passes", pass_bit("folding") == 1u << WEBNN__PASS_FOLDING, "folding");
  CHECK("passes", pass_bit("views") == 1u << WEBNN__PASS_VIEWS, "views");
  CHECK("passes", pass_bit("in place") == 1u << WEBNN__PASS_IN_PLACE, "in place");
  CHECK("passes", pass_bit("sharing") == 1u << WEBNN__PASS_SHARING, "sharing");
}

/* ---- Names ---------------------------------------------------------------------------------- */

static char *text_of(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text;
  long length;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    return NULL;
  }
  length = ftell(file);
  text = (char *)test_allocate((size_t)length + 1);
  rewind(file);
  length = (long)fread(text, 1, (size_t)length, file);
  text[length] = 0;
  fclose(file);
  return text;
}

static bool is_of_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Does the text have `name`, `length` characters long, as a whole word? */
static bool has_word(const char *text, const char *name, size_t length) {
  const char *at;
  for (at = strstr(text, "webnn__"); at != NULL; at = strstr(at + 1, "ebnn__")) {
    const char *start = *at == 'w' ? at : at - 1;
    if (strncmp(start, name, length) == 0 && !is_of_name(start[length])) {
      return true;
    }
  }
  for (at = strstr(text, "WEBNN__"); at != NULL; at = strstr(at + 1, "WEBNN__")) {
    if (strncmp(at, name, length) == 0 && !is_of_name(at[length])) {
      return true;
    }
  }
  return false;
}

/* Every private name that a backend uses stands in the list. */
static void check_names(const char *path) {
  char *source = text_of(path), *page = text_of("../docs/internals.md");
  const char *list = page != NULL ? strstr(page, "## Writing a backend") : NULL;
  const char *at;
  uint32_t count = 0;
  if (source == NULL || page == NULL) {
    test_skip("names", "the test does not run in its folder");
  } else if (CHECK("names", list != NULL, "docs/internals.md has no such section")) {
    char *end = strstr((char *)(uintptr_t)list + 4, "\n## ");
    if (end != NULL) {
      *end = 0;
    }
    for (at = source; *at != 0; at++) {
      size_t length = 0;
      if ((at > source && is_of_name(at[-1])) ||
          (strncmp(at, "webnn__", 7) != 0 && strncmp(at, "WEBNN__", 7) != 0)) {
        continue;
      }
      while (is_of_name(at[length])) {
        length++;
      }
      count++;
      CHECK(path, has_word(list, at, length), "%.*s is not listed in docs/internals.md",
            (int)length, at);
    }
    CHECK("names", count > 50, "only %u names", (unsigned)count);
  }
  free(source);
  free(page);
}

/* An input whose tensor is an output's, too, while another operator reads the old value; and one that
   nobody reads after it is written. */
static void check_donation(void) {
  static const int32_t at[1] = {1};
  const float old[4] = {1, 2, 3, 4}, row[2] = {8, 9}, expected[4] = {1, 2, 8, 9};
  const float sums[4] = {1, 2, 4, 6};
  int reads;
  for (reads = 0; reads < 2; reads++) {
    webnn_error error = WEBNN_ZERO;
    webnn_context *context = plain_context();
    webnn_builder *b = test_builder(context);
    webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 2));
    webnn_operand *r = webnn_input(b, "row", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2));
    webnn_operand *i = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_INT32, 1, 1), at, sizeof at);
    webnn_operand *y = webnn_donate(b, x, webnn_scatter_nd(b, x, i, r, NULL));
    webnn_operand *sum = webnn_cumulative_sum(b, reads ? x : webnn_relu(b, y, NULL), 0, NULL);
    webnn_tensor *tx = NULL, *tr = NULL, *ts = NULL;
    webnn_graph *graph = NULL;
    float result[4];
    (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}, {"sum", sum}), &graph, &error);
    (void)webnn_create_graph_tensor(graph, "x", &tx, &error);
    (void)webnn_create_graph_tensor(graph, "row", &tr, &error);
    (void)webnn_create_graph_tensor(graph, "sum", &ts, &error);
    (void)webnn_write_tensor(context, tx, old, sizeof old, &error);
    (void)webnn_write_tensor(context, tr, row, sizeof row, &error);
    CHECK("donation",
          webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", tx}, {"row", tr}),
                         WEBNN_NAMED_TENSORS({"y", tx}, {"sum", ts}), &error) == WEBNN_OK &&
              webnn_read_tensor(context, tx, result, sizeof result, &error) == WEBNN_OK &&
              memcmp(result, expected, sizeof result) == 0,
          "reads %d: %s", reads, error.message);
    CHECK("donation",
          webnn_read_tensor(context, ts, result, sizeof result, &error) == WEBNN_OK &&
              (!reads || memcmp(result, sums, sizeof result) == 0),
          "reads %d: the old value was %g %g", reads, (double)result[2], (double)result[3]);
    webnn_free_tensor(tx);
    webnn_free_tensor(tr);
    webnn_free_tensor(ts);
    webnn_free_graph(graph);
    webnn_free_builder(b);
    webnn_free_context(context);
    check_empty("donation");
  }
}

int main(int argc, char **argv) {
  const uint32_t graphs = argc > 1 ? (uint32_t)atoi(argv[1]) : 300;
  size_t i;
  check_every_operator(false);
  check_every_operator(true);
  check_wishes();
  check_bounds();
  check_packed();
  check_fusing();
  check_orders();
  check_time();
  for (i = 0; i < sizeof failures / sizeof *failures; i++) {
    check_failure(&failures[i], false);
    check_failure(&failures[i], true);
  }
  check_refusals();
  check_own_storage();
  check_allocations();
  check_threads();
  check_missing_entries();
  check_tables();
  check_limits();
  check_told();
  check_folding(false);
  check_folding(true);
  check_passes();
  check_donation();
  check_random_graphs(graphs);
  check_names("interface/tiny_backend.h");
  check_names("../webnn_vulkan.h");
  return test_end();
}
