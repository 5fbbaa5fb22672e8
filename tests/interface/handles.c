/* Handles that have been freed: every function that takes one answers with an error that says so, or
   does nothing, and freeing twice does no harm. The allocator keeps released memory, so that looking at
   it is not an error of this program. Built with NDEBUG the library does not look. */
#include "test.h"

static void *released[4096];
static size_t released_count;

static void *keep_allocate(void *user, size_t size) {
  (void)user;
  return malloc(size);
}

static void keep_release(void *user, void *memory) {
  (void)user;
  if (released_count == sizeof released / sizeof *released) {
    printf("too many blocks\n");
    exit(1);
  }
  released[released_count++] = memory;
}

static webnn_context_options keeping(void) {
  webnn_context_options options = WEBNN_ZERO;
  options.allocator.allocate = keep_allocate;
  options.allocator.release = keep_release;
  options.threads = 1;
  return options;
}

static void expect(const char *name, webnn_status status, const webnn_error *error,
                   const char *message) {
  CHECK(name, status == WEBNN_TYPE_ERROR && strcmp(error->message, message) == 0, "%s: %s",
        webnn_status_name(status), error->message);
}

/* Everything there is, freed. */
typedef struct freed {
  webnn_context *live, *context;
  webnn_builder *builder;
  webnn_graph *graph;
  webnn_tensor *tensor;
} freed;

static freed free_everything(void) {
  const webnn_context_options options = keeping();
  webnn_error error = WEBNN_ZERO;
  webnn_operand *x;
  freed f;
  f.live = test_context(&options);
  f.context = test_context(&options);
  webnn_create_builder(f.live, &f.builder, &error);
  x = webnn_input(f.builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  webnn_build(f.builder, WEBNN_NAMED_OPERANDS({"y", webnn_relu(f.builder, x, NULL)}), &f.graph,
              &error);
  webnn_create_graph_tensor(f.graph, "x", &f.tensor, &error);
  CHECK("made", error.status == WEBNN_OK, "%s", error.message);
  webnn_free_builder(f.builder);
  webnn_free_graph(f.graph);
  webnn_free_tensor(f.tensor);
  webnn_free_context(f.context);
  return f;
}

static void free_twice(const freed *f) {
  webnn_free_builder(f->builder);
  webnn_free_graph(f->graph);
  webnn_free_tensor(f->tensor);
  webnn_free_context(f->context);
  webnn_destroy_graph(f->graph);
  webnn_destroy_tensor(f->tensor);
  webnn_destroy_context(f->context);
}

static void check_context(const freed *f) {
  webnn_error error = WEBNN_ZERO;
  webnn_builder *builder;
  webnn_tensor *tensor;
  webnn_limits limits;
  webnn_operator_limits of_operator;
  const webnn_tensor_descriptor type = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  expect("builder of a freed context", webnn_create_builder(f->context, &builder, &error), &error,
         "MLGraphBuilder: the context is freed");
  expect("tensor of a freed context", webnn_create_tensor(f->context, type, &tensor, &error),
         &error, "createTensor: the context is freed");
  expect("memory of a freed context",
         webnn_create_tensor_over_memory(f->context, type, &limits, 8, &tensor, &error), &error,
         "createTensor: the context is freed");
  expect("constant of a freed context",
         webnn_create_constant_tensor(f->context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), &limits, 8,
                                      &tensor, &error),
         &error, "createConstantTensor: the context is freed");
  CHECK("limits", !webnn_op_limits(f->context, WEBNN_OP_ADD, &of_operator), "given");
  expect("wait", webnn_wait(f->context, &error), &error, "wait: the context is freed");
  CHECK("lost", webnn_context_lost(f->context, &error), "not lost");
  CHECK("limits", !webnn_context_limits(f->context, &limits), "given");
  CHECK("accelerated", !webnn_context_accelerated(f->context), "accelerated");
}

static void check_builder(const freed *f) {
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph;
  CHECK("input of a freed builder",
        webnn_input(f->builder, "z", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2)) == NULL, "made");
  CHECK("operator of a freed builder", webnn_relu(f->builder, NULL, NULL) == NULL, "made");
  CHECK("status", webnn_builder_status(f->builder) == WEBNN_TYPE_ERROR, "other");
  CHECK("message", strcmp(webnn_builder_message(f->builder), "the builder is freed") == 0, "%s",
        webnn_builder_message(f->builder));
  webnn_builder_clear_error(f->builder);
  expect("build", webnn_build(f->builder, NULL, 0, &graph, &error), &error,
         "build: the builder is freed");
}

static void check_graph_and_tensor(const freed *f) {
  webnn_error error = WEBNN_ZERO;
  webnn_builder *builder = test_builder(f->live);
  webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  webnn_graph *graph;
  webnn_tensor *tensor;
  const webnn_operand_descriptor type = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2);
  float data[2] = {0, 0}, result[2] = {0, 0};
  expect("dispatch",
         webnn_dispatch(f->live, f->graph, WEBNN_NAMED_TENSORS({"x", f->tensor}),
                        WEBNN_NAMED_TENSORS({"y", f->tensor}), &error),
         &error, "dispatch: the graph is freed");
  expect("compute",
         webnn_compute(f->live, f->graph, WEBNN_INPUTS({"x", data, sizeof data}),
                       WEBNN_OUTPUTS({"y", result, sizeof result}), &error),
         &error, "compute: the graph is freed");
  expect("tensor for a graph", webnn_create_graph_tensor(f->graph, "x", &tensor, &error), &error,
         "createTensor: the graph is freed");
  expect("tap", webnn_tap_graph(f->graph, NULL, NULL, &error), &error, "tap: the graph is freed");
  expect("profile", webnn_profile_graph(f->graph, true, &error), &error,
         "profile: the graph is freed");
  expect("read", webnn_read_tensor(f->live, f->tensor, data, sizeof data, &error), &error,
         "readTensor: the tensor is freed");
  expect("write", webnn_write_tensor(f->live, f->tensor, data, sizeof data, &error), &error,
         "writeTensor: the tensor is freed");
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_neg(builder, x, NULL)}), &graph, &error);
  webnn_create_graph_tensor(graph, "y", &tensor, &error);
  expect("binding",
         webnn_dispatch(f->live, graph, WEBNN_NAMED_TENSORS({"x", f->tensor}),
                        WEBNN_NAMED_TENSORS({"y", tensor}), &error),
         &error, "dispatch: the tensor of \"x\" is freed");
  CHECK("constants of a freed builder",
        webnn_constant(f->builder, type, data, sizeof data) == NULL &&
            webnn_constant_over_memory(f->builder, type, data, sizeof data) == NULL &&
            webnn_constant_from_number(f->builder, WEBNN_FLOAT32, webnn_f64(1)) == NULL &&
            webnn_constant_from_tensor(f->builder, f->tensor) == NULL,
        "made");
  CHECK("nothing",
        webnn_graph_outputs(f->graph, NULL, 0) == 0 && webnn_graph_memory(f->graph).arena == 0 &&
            webnn_graph_undecided(f->graph) == 0 && webnn_graph_tolerance(f->graph, 0).value == 0 &&
            !webnn_tensor_writable(f->tensor) && !webnn_tensor_constant(f->tensor),
        "something");
  CHECK("the graph as data",
        webnn_graph_values(f->graph, NULL, 0) == 0 &&
            webnn_graph_operators(f->graph, NULL, 0) == 0 &&
            webnn_graph_options(f->graph, 0, NULL, 0) == 0,
        "some");
  webnn_print_graph_dot(f->graph, webnn_write_to_file, stdout);
  webnn_print_profile(f->graph, webnn_write_to_file, stdout);
  CHECK("ports",
        webnn_graph_inputs(f->graph, NULL, 0) == 0 && webnn_graph_profile(f->graph, NULL, 0) == 0,
        "some");
  CHECK("attributes",
        webnn_tensor_data_type(f->tensor) == 0 && !webnn_tensor_shape(f->tensor).given &&
            !webnn_tensor_readable(f->tensor),
        "some");
  webnn_print_graph(f->graph, webnn_write_to_file, stdout);
  webnn_free_builder(builder);
  builder = test_builder(f->live);
  CHECK("constant",
        webnn_constant_from_tensor(builder, f->tensor) == NULL &&
            strcmp(webnn_builder_message(builder), "constant: the tensor is freed") == 0,
        "%s", webnn_builder_message(builder));
  webnn_free_builder(builder);
  webnn_free_graph(graph);
  webnn_free_tensor(tensor);
}

/* A context whose handle is freed while a tensor keeps it: freed twice it still serves the tensor. */
static void check_kept_context(void) {
  webnn_error error = WEBNN_ZERO;
  webnn_context *context = test_context(NULL);
  webnn_tensor *tensor;
  webnn_tensor *more = NULL;
  webnn_builder *builder = test_builder(context);
  webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  webnn_graph *graph;
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_relu(builder, x, NULL)}), &graph, &error);
  webnn_create_graph_tensor(graph, "x", &tensor, &error);
  webnn_free_builder(builder);
  webnn_free_context(context);
  webnn_free_context(context);
  CHECK("kept", webnn_tensor_shape(tensor).count == 1, "no shape");
  CHECK("kept",
        webnn_create_graph_tensor(graph, "y", &more, &error) == WEBNN_INVALID_STATE_ERROR &&
            !more && strcmp(error.message, "createTensor: the context is lost") == 0,
        "%s", error.message);
  webnn_free_graph(graph);
  webnn_free_tensor(tensor);
}

int main(void) {
  freed f;
#ifdef NDEBUG
  test_skip("handles", "with NDEBUG the library does not look at freed handles");
  return test_end();
#endif
  f = free_everything();
  free_twice(&f);
  check_context(&f);
  check_builder(&f);
  check_graph_and_tensor(&f);
  check_kept_context();
  webnn_free_context(f.live);
  while (released_count > 0) {
    free(released[--released_count]);
  }
  return test_end();
}
