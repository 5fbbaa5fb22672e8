/* Values and sizes that webnn_onnx.h is told: inputs on whose values a graph depends are named by
   webnn_onnx_wanted and become constants by webnn_onnx_known, initializers that are defaults of inputs give
   way to known values, and dimensions without a size have the default one. */
#include "onnx_writer.h"
#include "test.h"
#include "webnn_onnx.h"

static webnn_context *context;

enum { FLOAT = 1, INT64 = 7, BOOL = 9 };

typedef struct trial {
  webnn_onnx_model *model;
  webnn_graph *graph;
  webnn_error error;
  size_t wanted_count;
  const char *wanted[4];
} trial;

static void try_model(trial *t, const message *m, const webnn_onnx_options *options) {
  memset(t, 0, sizeof *t);
  if (webnn_onnx_read(m->bytes, m->length, NULL, options, &t->model, &t->error) == WEBNN_OK) {
    (void)webnn_onnx_build(t->model, context, &t->graph, &t->error);
  }
  t->wanted_count = webnn_onnx_wanted(t->model, t->wanted, 4);
}

static void end_trial(trial *t) {
  webnn_free_graph(t->graph);
  webnn_onnx_free(t->model);
}

static webnn_onnx_known known_of(const char *name, const void *data, size_t length) {
  webnn_onnx_known k = WEBNN_ZERO;
  k.name = name;
  k.data = data;
  k.byte_length = length;
  return k;
}

static webnn_onnx_options options_of(const webnn_onnx_known *known, size_t count) {
  webnn_onnx_options options = WEBNN_ZERO;
  options.known = known;
  options.known_count = count;
  return options;
}

/* ---- A network for two rates of samples, as detectors of voices are: the rate is an input, and the branch for
   the other rate does not fit the frame: it reshapes 6 elements to [4]. */

static message *rate_branch(const char *name, const int64_t *shape, size_t rank) {
  message *branch = new_message(), *n = node("Constant", "", "", "shape");
  attribute_tensor(n, "value", tensor("", INT64, rank == 1 ? "1" : "2", shape, rank * 8));
  put_and_free(branch, 1, n);
  put_node(branch, "Reshape", name, "x,shape", "shaped");
  put_node(branch, "Neg", "", "shaped", "result");
  put_output(branch, "result", FLOAT, rank == 1 ? "4" : "2,3");
  return branch;
}

static message *rate_model(void) {
  static const int64_t rate = 16000, four[1] = {4}, matrix[2] = {2, 3};
  message *g = new_message(), *n;
  put_tensor(g, "rate", INT64, "", &rate, 8);
  put_node(g, "Equal", "compare", "sr,rate", "is_16k");
  n = node("If", "by rate", "is_16k", "y");
  attribute_graph(n, "then_branch", rate_branch("first", matrix, 2));
  attribute_graph(n, "else_branch", rate_branch("second", four, 1));
  put_and_free(g, 1, n);
  put_input(g, "x", FLOAT, "6");
  put_input(g, "sr", INT64, "");
  put_output(g, "y", FLOAT, "2,3");
  return model_of(g, 17);
}

static void rates(void) {
  static const int64_t rates_of[2] = {16000, 8000};
  message *m = rate_model();
  webnn_onnx_known known = known_of("sr", &rates_of[0], 8);
  webnn_onnx_options options = options_of(&known, 1);
  webnn_graph_port in = WEBNN_ZERO;
  trial t;
  try_model(&t, m, NULL);
  CHECK("a rate that is not known", t.graph == NULL && t.error.status == WEBNN_NOT_SUPPORTED_ERROR,
        "%s", t.error.message);
  CHECK("the node is named", strstr(t.error.message, "node \"second\" (Reshape)") != NULL, "%s",
        t.error.message);
  CHECK("the condition is named",
        strstr(t.error.message, "by the value of input \"sr\" node \"by rate\" (If)") != NULL, "%s",
        t.error.message);
  CHECK("the way out is named", strstr(t.error.message, "webnn_onnx_known") != NULL, "%s",
        t.error.message);
  CHECK("it is wanted", t.wanted_count == 1 && strcmp(t.wanted[0], "sr") == 0, "%u",
        (unsigned)t.wanted_count);
  end_trial(&t);
  try_model(&t, m, &options);
  CHECK("a rate that is known", t.graph != NULL && t.wanted_count == 0, "%s", t.error.message);
  CHECK("it is no input",
        t.graph != NULL && webnn_graph_inputs(t.graph, &in, 1) == 1 && strcmp(in.name, "x") == 0,
        "%s", in.name != NULL ? in.name : "");
  end_trial(&t);
  known.data = &rates_of[1];
  try_model(&t, m, &options);
  CHECK("the other rate",
        t.graph == NULL && t.wanted_count == 0 &&
            strstr(t.error.message, "node \"second\"") != NULL &&
            strstr(t.error.message, "webnn_onnx_known") == NULL,
        "%s", t.error.message);
  end_trial(&t);
  free(m);
}

/* ---- What else must be known: shapes, ends of ranges, counts, conditions of loops. */

static message *graph_from(message *n, const char *more, int type, const char *dims) {
  message *g = new_message();
  put_and_free(g, 1, n);
  put_input(g, "x", FLOAT, "2,3");
  put_input(g, more, type, dims);
  put_output(g, "y", FLOAT, "");
  return g;
}

static message *endless_loop(void) {
  message *body = new_message(), *n = node("Loop", "loop", ",go,x", "y");
  put_node(body, "Neg", "", "h", "next");
  put_node(body, "Not", "", "on", "off");
  put_input(body, "i", INT64, "");
  put_input(body, "on", BOOL, "");
  put_input(body, "h", FLOAT, "2,3");
  put_output(body, "off", BOOL, "");
  put_output(body, "next", FLOAT, "2,3");
  attribute_graph(n, "body", body);
  return n;
}

static void one_wanted(const char *what, message *g, int version, const char *wanted,
                       const void *data, size_t length) {
  message *m = model_of(g, version);
  const webnn_onnx_known known = known_of(wanted, data, length);
  const webnn_onnx_options options = options_of(&known, 1);
  trial t;
  try_model(&t, m, NULL);
  CHECK(what, t.graph == NULL && t.wanted_count == 1 && strcmp(t.wanted[0], wanted) == 0,
        "%u wanted: %s", (unsigned)t.wanted_count, t.error.message);
  CHECK(what, strstr(t.error.message, "may be needed when the graph is built)") != NULL, "%s",
        t.error.message);
  end_trial(&t);
  try_model(&t, m, &options);
  CHECK(what, t.graph != NULL && t.wanted_count == 0, "with a value: %s", t.error.message);
  end_trial(&t);
  free(m);
}

static void values_wanted(void) {
  static const int64_t shape[2] = {3, 2}, k = 2, repeats[2] = {1, 2};
  static const unsigned char yes = 1, some[2] = {1, 0};
  one_wanted("a shape", graph_from(node("Reshape", "n", "x,s", "y"), "s", INT64, "2"), 13, "s",
             shape, sizeof shape);
  one_wanted("a count of the largest", graph_from(node("TopK", "n", "x,k", "y,i"), "k", INT64, "1"),
             13, "k", &k, sizeof k);
  one_wanted("repetitions", graph_from(node("Tile", "n", "x,r", "y"), "r", INT64, "2"), 13, "r",
             repeats, sizeof repeats);
  one_wanted("elements to keep", graph_from(node("Compress", "n", "x,c", "y"), "c", BOOL, "2"), 13,
             "c", some, sizeof some);
  one_wanted("a condition of a loop", graph_from(endless_loop(), "go", BOOL, ""), 17, "go", &yes,
             sizeof yes);
}

/* An operator that is not known wants nothing. */
static void nothing_wanted(void) {
  message *m = model_of(graph_from(node("Surprise", "n", "x,s", "y"), "s", INT64, "2"), 13);
  trial t;
  try_model(&t, m, NULL);
  CHECK("an unknown operator",
        t.graph == NULL && t.wanted_count == 0 &&
            strstr(t.error.message, "webnn_onnx_known") == NULL,
        "%s", t.error.message);
  end_trial(&t);
  CHECK("no model", webnn_onnx_wanted(NULL, NULL, 0) == 0, "%s", "");
  free(m);
}

/* ---- Initializers that are defaults. */

static void defaults(void) {
  static const float w[2] = {10, 20}, other[2] = {1, 2}, x[2] = {5, 7};
  message *g = new_message(), *m;
  const webnn_onnx_known known = known_of("w", other, sizeof other);
  const webnn_onnx_options options = options_of(&known, 1);
  webnn_onnx_port ports[2];
  float y[2] = {0, 0};
  trial t;
  int i;
  put_node(g, "Add", "", "x,w", "y");
  put_tensor(g, "w", FLOAT, "2", w, sizeof w);
  put_input(g, "x", FLOAT, "2");
  put_input(g, "w", FLOAT, "2");
  put_output(g, "y", FLOAT, "2");
  m = model_of(g, 13);
  for (i = 0; i < 2; i++) {
    try_model(&t, m, i == 0 ? NULL : &options);
    memset(ports, 0, sizeof ports);
    CHECK("inputs with defaults",
          webnn_onnx_defaults(t.model, ports, 2) == (i == 0) &&
              (i == 1 || strcmp(ports[0].name, "w") == 0) &&
              webnn_onnx_inputs(t.model, NULL, 0) == 1,
          "trial %d", i);
    if (t.graph != NULL) {
      (void)webnn_compute(context, t.graph, WEBNN_INPUTS({"x", x, sizeof x}),
                          WEBNN_OUTPUTS({"y", y, sizeof y}), &t.error);
    }
    CHECK("a default, and another value",
          t.error.status == WEBNN_OK && y[0] == (i == 0 ? 15.0f : 6.0f) &&
              y[1] == (i == 0 ? 27.0f : 9.0f),
          "%s: %g, %g", t.error.message, (double)y[0], (double)y[1]);
    end_trial(&t);
  }
  free(m);
}

/* ---- Sizes. */

static message *model_of_sizes(const char *dims, const char *op) {
  message *g = new_message();
  put_node(g, op, "n", "x", "y");
  put_input(g, "x", FLOAT, dims);
  put_output(g, "y", FLOAT, "");
  return model_of(g, 13);
}

static void sizes_are(const char *dims, uint32_t default_size, const char *named, uint32_t size,
                      uint32_t first, uint32_t second) {
  message *m = model_of_sizes(dims, "Abs");
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_dimension dimension = WEBNN_ZERO;
  webnn_graph_port in = WEBNN_ZERO;
  trial t;
  dimension.name = named;
  dimension.size = size;
  options.dimensions = &dimension;
  options.dimension_count = named != NULL;
  options.default_size = default_size;
  try_model(&t, m, &options);
  CHECK(dims,
        t.graph != NULL && webnn_graph_inputs(t.graph, &in, 1) == 1 &&
            in.descriptor.shape.items[0] == first && in.descriptor.shape.items[1] == second,
        "[%u,%u] %s", (unsigned)in.descriptor.shape.items[0],
        (unsigned)in.descriptor.shape.items[1], t.error.message);
  end_trial(&t);
  free(m);
}

static void sizes(void) {
  static const char *const parts[3] = {"the sizes of these dimensions are not given: \"n\"",
                                       "(Surprise)", "(Surprise)"};
  message *m = model_of_sizes("n,3", "Surprise");
  webnn_onnx_options options = WEBNN_ZERO;
  const char *problems[4];
  trial t;
  options.fixed = true;
  try_model(&t, m, &options);
  CHECK("no size and no default", t.graph == NULL && strstr(t.error.message, parts[0]) != NULL,
        "%s", t.error.message);
  CHECK("and what is not known",
        webnn_onnx_problems(t.model, problems, 4) == 2 && strstr(problems[0], parts[0]) != NULL &&
            strstr(problems[1], parts[1]) != NULL,
        "%s", "problems without sizes");
  end_trial(&t);
  free(m);
  sizes_are("n,3", 1, NULL, 0, 1, 3);
  sizes_are("n,n", 4, NULL, 0, 4, 4);
  sizes_are("n,3", 4, "n", 2, 2, 3);
  sizes_are("past + new,new", 1, NULL, 0, 2, 1);
  sizes_are("past + new,new", 1, "past", 5, 6, 1);
  sizes_are("width//2,width", 1, NULL, 0, 1, 1); /* and not 0 */
  sizes_are("width//2,width", 1, "width", 8, 4, 8);
  sizes_are("a name,3", 7, NULL, 0, 7, 3);
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  if (webnn_create_context(&options, &context, &error) != WEBNN_OK) {
    puts(error.message);
    return 1;
  }
  rates();
  values_wanted();
  nothing_wanted();
  defaults();
  sizes();
  webnn_free_context(context);
  return test_end();
}
