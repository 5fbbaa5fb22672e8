/* Every piece of memory fails in turn. Arenas take memory in large chunks, so that most of what a
   builder and the passes take never meets the caller's allocator. Here each piece is an allocation
   of its own, and what passes fill has room for one thing at first: while every operator is
   described, while graphs are built in which the passes find work, and while a profile is begun and
   printed. Each time the call must say so and give back all it took, and then work. */
#define WEBNN_IMPLEMENTATION
#define WEBNN__CHUNK_SIZE 1
#define WEBNN__REWRITE_ROOM(count) 1
#include "every_operator.h"
#include "failing_allocator.h"

#define main main_of_passes
#include "passes.c"
#undef main

static hook memory;

static webnn_context *context_of(webnn_numerics numerics) {
  webnn_context_options options = WEBNN_ZERO;
  options.numerics = numerics;
  options.threads = 1;
  options.allocator.allocate = hook_allocate;
  options.allocator.release = hook_release;
  options.allocator.user = &memory;
  return test_context(&options);
}

/* Each allocation from now on; the next call fails at the n-th. */
static void fail_at(size_t n) {
  memory.calls = 0;
  memory.fail_at = n;
}

/* Builds until no allocation fails. */
static webnn_graph *build_each(const char *name, webnn_builder *builder,
                               const webnn_named_operand *outputs, size_t output_count) {
  const size_t before = memory.live_count;
  size_t n;
  for (n = 1;; n++) {
    webnn_graph *graph = NULL;
    webnn_error error = WEBNN_ZERO;
    webnn_status status;
    fail_at(n);
    status = webnn_build(builder, outputs, output_count, &graph, &error);
    fail_at(0);
    if (status == WEBNN_OK) {
      CHECK(name, n > 10, "only %u allocations", (unsigned)n);
      return graph;
    }
    if (!CHECK(name, status == WEBNN_UNKNOWN_ERROR && graph == NULL && error.message[0] != 0,
               "allocation %u: %s: %s", (unsigned)n, webnn_status_name(status), error.message) ||
        !CHECK(name, memory.live_count == before, "allocation %u: %u pieces are held, %u before",
               (unsigned)n, (unsigned)memory.live_count, (unsigned)before)) {
      return NULL;
    }
  }
}

/* Switches the profile on, and prints it, until no allocation fails. */
static void profile_each(const char *name, webnn_graph *graph) {
  webnn_status status = WEBNN_UNKNOWN_ERROR;
  every_text text = {NULL, 0, 0};
  webnn_error error = WEBNN_ZERO;
  size_t n, steps;
  for (n = 1; status == WEBNN_UNKNOWN_ERROR; n++) {
    fail_at(n);
    status = webnn_profile_graph(graph, true, &error);
    fail_at(0);
    steps = webnn_graph_profile(graph, NULL, 0);
    CHECK(name, (steps > 0) == (status == WEBNN_OK), "allocation %u: %u steps after %s",
          (unsigned)n, (unsigned)steps, webnn_status_name(status));
  }
  CHECK(name, status == WEBNN_OK && n > 5, "%s after %u allocations", webnn_status_name(status),
        (unsigned)n);
  for (n = 1; text.data == NULL || strcmp(text.data, "out of memory\n") == 0; n++) {
    const size_t before = memory.live_count;
    text.length = 0;
    fail_at(n);
    webnn_print_profile(graph, every_write, &text);
    fail_at(0);
    CHECK(name, memory.live_count == before, "allocation %u is not released", (unsigned)n);
  }
  CHECK(name, n == 4 && strstr(text.data, "matmul") != NULL, "printed after %u: %s", (unsigned)n,
        text.data);
  text.length = 0;
  fail_at(1);
  webnn_print_steps(graph, every_write, &text);
  fail_at(0);
  CHECK(name, strcmp(text.data, "out of memory\n") == 0, "steps: %s", text.data);
  text.length = 0;
  webnn_print_steps(graph, every_write, &text);
  CHECK(name, strstr(text.data, ": kernel product") != NULL, "steps: %s", text.data);
  free(text.data);
}

/* The text of the graph of every operator, described under other names than before. */
static char *text_of_graph(webnn_builder *builder, webnn_tensor *constant) {
  static const char *const others[EVERY_INPUT_COUNT] = {"a", "b", "c", "d", "e", "f", "g",
                                                        "h", "i", "j", "k", "l", "m"};
  every_operator e;
  every_text text = {NULL, 0, 0};
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  every_describe(&e, builder, constant, others);
  CHECK("described again", every_build(&e, &graph, &error) == WEBNN_OK, "%s", error.message);
  webnn_print_graph(graph, every_write, &text);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  return text.data;
}

/* A method that fails for want of memory leaves nothing behind: the builder forgets it, and what is
   described then is the same graph as in a new builder. */
static void check_describing(webnn_context *context, webnn_tensor *constant) {
  char *expected = text_of_graph(test_builder(context), constant);
  webnn_status status = WEBNN_UNKNOWN_ERROR;
  size_t n;
  for (n = 1; status == WEBNN_UNKNOWN_ERROR; n++) {
    every_operator e;
    webnn_builder *builder = test_builder(context);
    char *text;
    fail_at(n);
    every_describe(&e, builder, constant, every_names);
    fail_at(0);
    status = webnn_builder_status(builder);
    webnn_builder_clear_error(builder);
    text = text_of_graph(builder, constant);
    CHECK("describing", text != NULL && expected != NULL && strcmp(text, expected) == 0,
          "allocation %u: another graph", (unsigned)n);
    free(text);
  }
  CHECK("describing", status == WEBNN_OK && n > 100, "%s after %u allocations",
        webnn_status_name(status), (unsigned)n);
  free(expected);
}

/* A method of three outputs on operands that are used again, once it has found its memory. */
static void check_connecting(webnn_context *context) {
  char *expected = NULL;
  size_t round;
  for (round = 0; round < 2; round++) { /* first without a failure */
    webnn_builder *builder = test_builder(context);
    webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3));
    webnn_operand *parts[3] = {NULL, NULL, NULL};
    webnn_graph *graph = NULL;
    webnn_error error = WEBNN_ZERO;
    every_text text = {NULL, 0, 0};
    size_t n, made = 0;
    for (n = round; made == 0; n++) {
      parts[0] = parts[1] = parts[2] = x;
      fail_at(n);
      made = webnn_split(builder, x, 3, NULL, parts);
      fail_at(0);
      CHECK("connecting",
            made == 3 || (parts[0] == NULL && parts[1] == NULL && parts[2] == NULL &&
                          webnn_builder_status(builder) == WEBNN_UNKNOWN_ERROR),
            "allocation %u", (unsigned)n);
      webnn_builder_clear_error(builder);
    }
    CHECK("connecting", round == 0 || n > 8, "only %u allocations", (unsigned)n);
    x = webnn_add(builder, webnn_add(builder, parts[2], parts[1], NULL), x, NULL);
    CHECK("connecting",
          webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", x}), &graph, &error) == WEBNN_OK, "%s",
          error.message);
    webnn_print_graph(graph, every_write, &text);
    CHECK("connecting", text.data != NULL && (expected == NULL || strcmp(text.data, expected) == 0),
          "not the graph of a builder without failures");
    free(expected);
    expected = text.data;
    webnn_free_graph(graph);
    webnn_free_builder(builder);
  }
  free(expected);
}

static void check_every(webnn_numerics numerics) {
  webnn_context *context = context_of(numerics);
  webnn_tensor *constant = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_builder *builder = test_builder(context);
  every_operator e;
  CHECK("every", every_constant_tensor(context, &constant, &error) == WEBNN_OK, "%s",
        error.message);
  check_describing(context, constant);
  check_connecting(context);
  every_describe(&e, builder, constant, every_names);
  webnn_free_graph(build_each("every operator", builder, e.outputs, e.output_count));
  webnn_free_builder(builder);
  webnn_free_tensor(constant);
  webnn_free_context(context);
  CHECK("every", memory.live_count == 0 && memory.bad_release == 0,
        "%u allocations were not released", (unsigned)memory.live_count);
}

static void check_recipe(uint32_t g) {
  const recipe made = recipe_of(g);
  webnn_context *context = context_of(WEBNN_NUMERICS_FAST);
  webnn_named_operand outputs[MOST_OUTPUTS];
  webnn_builder *builder;
  const size_t count = describe(context, &made, &builder, outputs);
  char name[32];
  snprintf(name, sizeof name, "graph %u", (unsigned)g);
  webnn_free_graph(build_each(name, builder, outputs, count));
  webnn_free_builder(builder);
  webnn_free_context(context);
  CHECK(name, memory.live_count == 0 && memory.bad_release == 0, "%u allocations were not released",
        (unsigned)memory.live_count);
}

static void check_profile(void) {
  webnn_context *context = context_of(WEBNN_NUMERICS_FAST);
  webnn_builder *builder = test_builder(context);
  webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3, 3));
  webnn_operand *y = webnn_softmax(builder, webnn_matmul(builder, x, x, NULL), 1, NULL);
  webnn_graph *graph = build_each("profile", builder, WEBNN_NAMED_OPERANDS({"y", y}));
  profile_each("profile", graph);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  CHECK("profile", memory.live_count == 0, "%u allocations were not released",
        (unsigned)memory.live_count);
}

/* A residual of another shape than the product. */
static void check_residual(void) {
  webnn_context *context = context_of(WEBNN_NUMERICS_FAST);
  webnn_builder *builder = test_builder(context);
  webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4, 4));
  webnn_operand *y =
      webnn_reshape(builder, webnn_matmul(builder, x, x, NULL), WEBNN_LIST(2, 8), NULL);
  y = webnn_add(builder, y, webnn_reshape(builder, x, WEBNN_LIST(2, 8), NULL), NULL);
  webnn_free_graph(build_each("residual", builder, WEBNN_NAMED_OPERANDS({"y", y})));
  webnn_free_builder(builder);
  webnn_free_context(context);
  CHECK("residual", memory.live_count == 0, "%u allocations were not released",
        (unsigned)memory.live_count);
}

int main(int argc, char **argv) {
  const uint32_t graphs = argc > 1 ? (uint32_t)atoi(argv[1]) : 100;
  uint32_t g;
  check_every(WEBNN_NUMERICS_FAST);
  check_every(WEBNN_NUMERICS_REFERENCE);
  check_profile();
  check_residual();
  for (g = 0; g < graphs; g++) {
    check_recipe(g);
  }
  return test_end();
}
