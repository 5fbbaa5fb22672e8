/* Graphs of many thousand inputs, operators and outputs: every call must take time in proportion,
   which a version that looks through everything for each of them would make felt here, and what is
   wrong at any place of a long list must be found and named. No time is measured. */
#include "test.h"

enum { MANY = 32000 };

static char names[MANY][16];
static webnn_tensor *tensors[2][MANY];
static webnn_named_tensor bound[2][MANY];
static webnn_named_operand results[MANY];
static webnn_error error = WEBNN_ZERO;

static webnn_status dispatch(webnn_context *context, webnn_graph *graph) {
  error = (webnn_error)WEBNN_ZERO;
  return webnn_dispatch(context, graph, bound[0], MANY, bound[1], MANY, &error);
}

static void count_writes(void *user, const char *text, size_t length) {
  (void)text;
  (void)length;
  ++*(size_t *)user;
}

/* Names of every pattern: short, long, alike at the beginning or the end. */
static void make_names(void) {
  int i;
  for (i = 0; i < MANY; i++) {
    snprintf(names[i], sizeof names[i], i % 3 == 0 ? "%d" : i % 3 == 1 ? "input %d" : "%dth", i);
  }
}

/* ---- Many inputs and outputs: outputs[i] = -inputs[i] ------------------------------------------
 */

static const int places[] = {0, 1, 2, MANY / 2, MANY - 2, MANY - 1};
enum { PLACES = (int)(sizeof places / sizeof *places) };

static void describe(webnn_builder *builder) {
  int i;
  for (i = 0; i < MANY; i++) {
    webnn_operand *x = webnn_input(builder, names[i], WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
    results[i].name = names[i];
    results[i].operand = webnn_neg(builder, x, NULL);
  }
}

/* A name that an input has is refused, and a new one is not, wherever they stand. */
static void check_input_names(webnn_builder *builder) {
  int p;
  for (p = 0; p < PLACES; p++) {
    const char *name = names[places[p]];
    char expected[64];
    snprintf(expected, sizeof expected, "input: there is an input named \"%s\" already", name);
    CHECK("input names", webnn_input(builder, name, WEBNN_SCALAR(WEBNN_FLOAT32)) == NULL,
          "a second input %s", name);
    CHECK("input names", strcmp(webnn_builder_message(builder), expected) == 0, "\"%s\"",
          webnn_builder_message(builder));
    webnn_builder_clear_error(builder);
  }
  CHECK("input names", webnn_input(builder, "another", WEBNN_SCALAR(WEBNN_FLOAT32)) != NULL, "%s",
        webnn_builder_message(builder));
}

static webnn_status build(webnn_builder *builder, size_t count, webnn_graph **graph) {
  error = (webnn_error)WEBNN_ZERO;
  return webnn_build(builder, results, count, graph, &error);
}

static void check_output_names(webnn_builder *builder) {
  webnn_graph *graph;
  char expected[64];
  int p;
  for (p = 1; p < PLACES; p++) {
    results[places[p]].name = names[places[p - 1]];
    snprintf(expected, sizeof expected, "build: there are two outputs named \"%s\"",
             names[places[p - 1]]);
    CHECK("output names", build(builder, MANY, &graph) == WEBNN_TYPE_ERROR, "two of them");
    CHECK("output names", strcmp(error.message, expected) == 0, "\"%s\"", error.message);
    results[places[p]].name = "";
    (void)build(builder, MANY, &graph);
    snprintf(expected, sizeof expected, "build: the name of output %d is empty", places[p]);
    CHECK("output names", strcmp(error.message, expected) == 0, "\"%s\"", error.message);
    results[places[p]].name = names[places[p]];
  }
}

static void bind(webnn_context *context) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  int i, k;
  for (i = 0; i < MANY; i++) {
    for (k = 0; k < 2; k++) {
      if (webnn_create_tensor(context, descriptor, &tensors[k][i], &error) != WEBNN_OK) {
        printf("no tensor: %s\n", error.message);
        exit(1);
      }
      bound[k][i].name = names[i];
      bound[k][i].tensor = tensors[k][i];
    }
  }
}

static void expect(webnn_context *context, webnn_graph *graph, const char *message) {
  CHECK("bindings", dispatch(context, graph) == WEBNN_TYPE_ERROR, "not refused: %s", message);
  CHECK("bindings", strcmp(error.message, message) == 0, "\"%s\" instead of \"%s\"", error.message,
        message);
}

/* One thing wrong at a time, at each place. */
static void check_bindings(webnn_context *context, webnn_graph *graph) {
  char message[128];
  int p;
  for (p = 1; p < PLACES; p++) {
    const int i = places[p], before = places[p - 1];
    webnn_named_tensor *binding = &bound[0][i];
    const webnn_named_tensor kept = *binding;
    binding->tensor = bound[0][before].tensor;
    snprintf(message, sizeof message, "dispatch: \"%s\" and \"%s\" are the same tensor",
             bound[0][before].name, binding->name);
    expect(context, graph, message);
    binding->tensor = NULL;
    snprintf(message, sizeof message, "dispatch: the tensor of \"%s\" is NULL", binding->name);
    expect(context, graph, message);
    *binding = kept;
    binding->name = "nothing";
    expect(context, graph, "dispatch: the graph has no input \"nothing\"");
    binding->name = bound[0][before].name;
    snprintf(message, sizeof message, "dispatch: no tensor is bound to input \"%s\"", kept.name);
    expect(context, graph, message);
    binding->name = NULL;
    snprintf(message, sizeof message, "dispatch: the name of binding %d is NULL", i);
    expect(context, graph, message);
    *binding = kept;
    bound[1][i].tensor = bound[0][before].tensor;
    snprintf(message, sizeof message, "dispatch: \"%s\" and \"%s\" are the same tensor",
             bound[0][before].name, bound[1][i].name);
    expect(context, graph, message);
    bound[1][i].tensor = tensors[1][bound[1][i].name == names[i] ? i : MANY - 1 - i];
  }
}

static void turn_around(webnn_named_tensor *list) {
  int i;
  for (i = 0; i < MANY / 2; i++) {
    const webnn_named_tensor one = list[i];
    list[i] = list[MANY - 1 - i];
    list[MANY - 1 - i] = one;
  }
}

static void check_results(webnn_context *context) {
  int i, wrong = 0;
  for (i = 0; i < MANY; i++) {
    float data[2];
    wrong += webnn_read_tensor(context, tensors[1][i], data, sizeof data, &error) != WEBNN_OK ||
             data[0] != (float)-i || data[1] != -1;
  }
  CHECK("results", wrong == 0, "%d of %d", wrong, (int)MANY);
}

static void check_many_ports(void) {
  webnn_context *context = test_context(NULL);
  webnn_builder *builder = test_builder(context);
  webnn_graph *graph;
  size_t writes = 0;
  int i, k;
  describe(builder);
  check_input_names(builder);
  check_output_names(builder);
  CHECK("build", build(builder, MANY, &graph) == WEBNN_OK, "%s", error.message);
  bind(context);
  for (i = 0; i < MANY; i++) {
    const float data[2] = {(float)i, 1};
    (void)webnn_write_tensor(context, tensors[0][i], data, sizeof data, &error);
  }
  CHECK("dispatch", dispatch(context, graph) == WEBNN_OK, "%s", error.message);
  check_results(context);
  check_bindings(context, graph);
  turn_around(bound[0]);
  turn_around(bound[1]);
  CHECK("dispatch", webnn_profile_graph(graph, true, &error) == WEBNN_OK, "%s", error.message);
  CHECK("dispatch", dispatch(context, graph) == WEBNN_OK, "%s", error.message);
  check_results(context);
  webnn_print_profile(graph, count_writes, &writes);
  CHECK("profile", writes > MANY, "%u writes", (unsigned)writes);
  writes = 0;
  webnn_print_graph_dot(graph, count_writes, &writes);
  CHECK("dot", writes > MANY, "%u writes", (unsigned)writes);
  webnn_free_builder(builder);
  webnn_free_graph(graph);
  for (i = 0; i < MANY; i++) {
    for (k = 0; k < 2; k++) {
      webnn_free_tensor(tensors[k][i]);
    }
  }
  webnn_free_context(context);
}

/* ---- Many operators and constants --------------------------------------------------------------

   x + 1 + 1 + ..., now and then a transposition or a convolution of one element between, so that
   passes have something to look at; each constant is its own and made by an operator. */

static void check_many_operators(uint32_t disabled_passes, int count) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(1, 1, 1, 1), true, true};
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_builder *builder;
  webnn_operand *x;
  webnn_graph *graph = NULL;
  webnn_tensor *in = NULL, *out = NULL;
  webnn_memory memory;
  float data = 5, expected = 5;
  int i;
  options.disabled_passes = disabled_passes;
  context = test_context(&options);
  builder = test_builder(context);
  x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1, 1, 1));
  for (i = 0; i < count; i++) {
    const float value = i % 2 == 0 ? 1.0f : -1.0f;
    webnn_operand *constant =
        webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1, 1, 1), &value, sizeof value);
    if (i % 4 == 3) {
      x = webnn_conv2d(builder, x, constant, NULL); /* times -1 */
      expected = -expected;
    } else {
      x = webnn_add(builder, x, webnn_neg(builder, constant, NULL), NULL);
      expected -= value;
    }
  }
  CHECK("operators",
        webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", x}), &graph, &error) == WEBNN_OK, "%s",
        error.message);
  memory = webnn_graph_memory(graph);
  CHECK("operators",
        memory.constants >= (uint64_t)count && (disabled_passes != 0 || memory.arena < 4096),
        "%u and %u bytes", (unsigned)memory.constants, (unsigned)memory.arena);
  (void)webnn_create_tensor(context, descriptor, &in, &error);
  (void)webnn_create_tensor(context, descriptor, &out, &error);
  (void)webnn_write_tensor(context, in, &data, sizeof data, &error);
  CHECK("operators",
        webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", in}),
                       WEBNN_NAMED_TENSORS({"y", out}), &error) == WEBNN_OK,
        "%s", error.message);
  (void)webnn_read_tensor(context, out, &data, sizeof data, &error);
  CHECK("operators", data == expected, "%g instead of %g", (double)data, (double)expected);
  webnn_free_tensor(in);
  webnn_free_tensor(out);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
}

int main(void) {
  make_names();
  check_many_ports();
  check_many_operators(0, 20000);
  check_many_operators(UINT32_MAX, 20000);
  return test_end();
}
