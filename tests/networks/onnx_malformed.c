/* webnn_onnx.h and files that are no models: small models cut at every byte, with every bit turned
   round, with hostile lengths, nesting, cycles, names that are missing or there twice, and weights
   outside of the model's folder. Each must end with an error that has a place, or be read; under the
   sanitizers nothing else may happen. */
#include "onnx_writer.h"
#include "test.h"
#include "webnn_onnx.h"

static webnn_context *context;

/* What reading and building ended with; every failure has a message that begins with the model. */
static webnn_status outcome_of(const void *bytes, size_t length, const char *folder,
                               webnn_error *error, const char *what) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_onnx_dimension batch;
  webnn_onnx_operator operators[8];
  webnn_onnx_port ports[8];
  const char *problems[8];
  webnn_status status;
  void *copy = malloc(length + 1); /* of its own, so that the sanitizer sees its end */
  if (copy == NULL) {
    exit(2);
  }
  memcpy(copy, bytes, length);
  batch.name = "batch";
  batch.size = 2;
  options.dimensions = &batch;
  options.dimension_count = 1;
  options.max_iterations = 16;
  options.fixed = true;
  memset(error, 0, sizeof *error);
  status = webnn_onnx_read(copy, length, folder, &options, &model, error);
  if (status == WEBNN_OK) {
    (void)webnn_onnx_inputs(model, ports, 8);
    (void)webnn_onnx_outputs(model, ports, 8);
    (void)webnn_onnx_operators(model, operators, 8);
    status = webnn_onnx_build(model, context, &graph, error);
    if (status != WEBNN_OK) {
      (void)webnn_onnx_problems(model, problems, 8);
    }
  }
  if (status != WEBNN_OK && error->message[0] == '\0') {
    CHECK(what, false, "%s", "an error without a message");
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(copy);
  return status;
}

/* The model must be refused with a message that has `place` and `reason` in it. */
static void refused(const char *what, message *m, const char *place, const char *reason) {
  webnn_error error = WEBNN_ZERO;
  const webnn_status status = outcome_of(m->bytes, m->length, "no-such-folder", &error, what);
  char detail[700];
  (void)snprintf(detail, sizeof detail, "\"%s\" has no \"%s\" or \"%s\"",
                 status == WEBNN_OK ? "(no error)" : error.message, place, reason);
  CHECK(what,
        status != WEBNN_OK && strstr(error.message, place) != NULL &&
            strstr(error.message, reason) != NULL,
        "%s", detail);
  free(m);
}

static void accepted(const char *what, const message *m) {
  webnn_error error = WEBNN_ZERO;
  CHECK(what, outcome_of(m->bytes, m->length, "", &error, what) == WEBNN_OK, "%s", error.message);
}

/* ---- Models. */

static message *graph_of_relu(void) {
  message *g = new_message();
  put_node(g, "Relu", "relu", "x", "y");
  put_text(g, 2, "g");
  put_input(g, "x", 1, "batch,3");
  put_output(g, "y", 1, "batch,3");
  return g;
}

/* Shapes computed, weights, an attribute of each kind. */
static message *network(void) {
  static const float weights[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  static const int64_t minus[1] = {-1}, axis[1] = {0}, pads[4] = {0, 1, 0, 1};
  message *g = new_message(), *n;
  n = node("Gemm", "dense", "x,w", "a");
  attribute_int(n, "transB", 1);
  attribute_float(n, "alpha", 0.5f);
  put_and_free(g, 1, n);
  put_node(g, "Shape", "", "a", "s");
  n = node("Constant", "", "", "zero");
  attribute_tensor(n, "value", tensor("", 7, "1", axis, sizeof axis));
  put_and_free(g, 1, n);
  put_node(g, "Gather", "", "s,zero", "rows");
  put_node_int(g, "Concat", "both", "rows,rest", "to", "axis", 0);
  put_node(g, "Reshape", "flat", "a,to", "b");
  put_node(g, "Pad", "wide", "b,pads", "c");
  put_node(g, "Softmax", "soft", "c", "y");
  put_text(g, 2, "network");
  put_tensor(g, "w", 1, "4,3", weights, sizeof weights);
  put_tensor(g, "rest", 7, "1", minus, 8);
  put_tensor(g, "pads", 7, "4", pads, sizeof pads);
  put_input(g, "x", 1, "batch,3");
  put_output(g, "y", 1, "batch,6");
  return model_of(g, 13);
}

/* If in a Loop, whose body uses a name from outside, and a function. */
static message *bodies(void) {
  static const int64_t three = 3;
  static const unsigned char yes = 1;
  message *g = new_message(), *body = new_message(), *branch = new_message(), *n, *m, *f;
  put_node(branch, "Add", "", "h,w", "sum");
  put_output(branch, "sum", 1, "2");
  n = node("If", "choose", "on", "next");
  attribute_graph(n, "then_branch", branch);
  branch = new_message();
  put_node(branch, "Identity", "", "h", "same");
  put_output(branch, "same", 1, "2");
  attribute_graph(n, "else_branch", branch);
  put_and_free(body, 1, n);
  put_node(body, "Identity", "", "on", "on_again");
  put_input(body, "i", 7, "");
  put_input(body, "on", 9, "");
  put_input(body, "h", 1, "2");
  put_output(body, "on_again", 9, "");
  put_output(body, "next", 1, "2");
  n = node("Loop", "loop", "count,yes,x", "z");
  attribute_graph(n, "body", body);
  put_and_free(g, 1, n);
  n = node("F", "twice", "z", "y");
  put_text(n, 7, "local");
  put_and_free(g, 1, n);
  put_tensor(g, "count", 7, "", &three, 8);
  put_tensor(g, "yes", 9, "", &yes, 1);
  put_tensor(g, "w", 1, "2", "\0\0\200?\0\0\0@", 8);
  put_input(g, "x", 1, "2");
  put_output(g, "y", 1, "2");
  m = model_of(g, 16);
  import_domain(m, "local", 1);
  f = new_message();
  put_and_free(f, 7, node("Add", "", "a,a", "b"));
  put_text(f, 10, "local");
  put_function(m, f, "a", "b", 16);
  return m;
}

static void attribute_floats(message *n, const char *name, const float *values, size_t count) {
  message *a = new_message();
  size_t i;
  put_text(a, 1, name);
  for (i = 0; i < count; i++) {
    put_float(a, 7, values[i]);
  }
  put_integer(a, 20, 6);
  put_and_free(n, 5, a);
}

/* Two trees of one branch each as a regressor, and a classifier of two support vectors behind it. */
static message *learned(void) {
  static const int64_t trees[6] = {0, 0, 0, 1, 1, 1}, nodes[6] = {0, 1, 2, 0, 1, 2};
  static const int64_t features[6] = {0, 0, 0, 1, 0, 0}, yes[6] = {1, 0, 0, 2, 0, 0};
  static const int64_t no[6] = {2, 0, 0, 1, 0, 0}, leaf_trees[4] = {0, 0, 1, 1};
  static const int64_t leaves[4] = {1, 2, 1, 2}, targets[4] = {0, 1, 1, 0}, classes[2] = {5, 6};
  static const int64_t vectors[2] = {1, 1};
  static const float values[6] = {0.5f, 0, 0, 1, 0, 0}, weights[4] = {1, 2, -3, 4},
                     one[2] = {1, -1};
  static const char *const modes[6] = {"BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"};
  message *g = new_message(), *a = new_message(), *n, *m;
  size_t i;
  n = node("TreeEnsembleRegressor", "trees", "x", "s");
  put_text(n, 7, "ai.onnx.ml");
  put_text(a, 1, "nodes_modes");
  for (i = 0; i < 6; i++) {
    put_text(a, 9, modes[i]);
  }
  put_integer(a, 20, 8);
  put_and_free(n, 5, a);
  attribute_ints(n, "nodes_treeids", trees, 6);
  attribute_ints(n, "nodes_nodeids", nodes, 6);
  attribute_ints(n, "nodes_featureids", features, 6);
  attribute_ints(n, "nodes_truenodeids", yes, 6);
  attribute_ints(n, "nodes_falsenodeids", no, 6);
  attribute_floats(n, "nodes_values", values, 6);
  attribute_ints(n, "target_treeids", leaf_trees, 4);
  attribute_ints(n, "target_nodeids", leaves, 4);
  attribute_ints(n, "target_ids", targets, 4);
  attribute_floats(n, "target_weights", weights, 4);
  attribute_int(n, "n_targets", 2);
  put_and_free(g, 1, n);
  n = node("SVMClassifier", "vectors", "s", "label,y");
  put_text(n, 7, "ai.onnx.ml");
  attribute_ints(n, "classlabels_ints", classes, 2);
  attribute_ints(n, "vectors_per_class", vectors, 2);
  attribute_floats(n, "support_vectors", weights, 4);
  attribute_floats(n, "coefficients", one, 2);
  attribute_floats(n, "rho", one, 1);
  put_and_free(g, 1, n);
  put_input(g, "x", 1, "3,2");
  put_output(g, "y", 1, "3,2");
  put_output(g, "label", 7, "3");
  m = model_of(g, 17);
  import_domain(m, "ai.onnx.ml", 3);
  return m;
}

/* ---- Cut and turned. */

static void cut_everywhere(const char *what, const message *m) {
  webnn_error error = WEBNN_ZERO;
  size_t length, refusals = 0;
  for (length = 0; length < m->length; length++) {
    refusals += outcome_of(m->bytes, length, "", &error, what) != WEBNN_OK;
  }
  test_passed++;
  printf("%s: %u lengths, %u refused\n", what, (unsigned)m->length, (unsigned)refusals);
  CHECK(what, refusals > m->length / 2, "%s", "a cut model is seldom refused");
}

static void turn_every_bit(const char *what, const message *m) {
  message *turned = new_message();
  webnn_error error = WEBNN_ZERO;
  size_t i, refusals = 0;
  memcpy(turned, m, sizeof *m);
  for (i = 0; i < 8 * m->length; i++) {
    turned->bytes[i / 8] = (unsigned char)(turned->bytes[i / 8] ^ 1u << i % 8);
    refusals += outcome_of(turned->bytes, turned->length, "", &error, what) != WEBNN_OK;
    turned->bytes[i / 8] = (unsigned char)(turned->bytes[i / 8] ^ 1u << i % 8);
  }
  test_passed++;
  printf("%s: %u bits, %u refused\n", what, (unsigned)(8 * m->length), (unsigned)refusals);
  free(turned);
}

/* ---- Hostile. */

static void hostile_lengths(void) {
  message *m = new_message(), *g;
  put_varint(m, 7 << 3 | 2);
  put_varint(m, UINT64_MAX);
  refused("a graph of 2^64 bytes", m, "model: byte", "reaches beyond");
  m = new_message();
  put_varint(m, 7 << 3 | 2);
  put_varint(m, 1);
  refused("a graph that is cut off", m, "model: byte", "reaches beyond");
  m = new_message();
  memset(m->bytes, 255, 20);
  m->length = 20;
  refused("a number without end", m, "model: byte", "does not end");
  m = new_message();
  put_varint(m, 7 << 3 | 4);
  refused("a group that has not begun", m, "model: byte", "has not begun");
  m = new_message();
  put_varint(m, 99 << 3 | 3);
  refused("a group without end", m, "model: byte", "does not end");
  refused("nothing", new_message(), "model: byte 0 of 0", "not an ONNX model");
  m = new_message();
  put_text(m, 2, "not a model");
  refused("a message without a graph", m, "model: byte 13 of 13",
          "there is no graph: the file is not an ONNX model, or ends early");
  g = graph_of_relu();
  put_tensor(g, "w", 1, "4", "1234", 4);
  refused("weights with too few bytes", model_of(g, 13), "initializer \"w\"", "has 4 bytes");
  g = graph_of_relu();
  put_tensor(g, "w", 1, "2147483647,2147483647", "", 0);
  refused("2^62 weights", model_of(g, 13), "initializer \"w\"", "more than 2147483647 elements");
  g = graph_of_relu();
  put_tensor(g, "w", 1, "1,1,1,1,1,1,1,1,1", "1234", 4);
  refused("9 dimensions", model_of(g, 13), "initializer \"w\"", "more than 8 dimensions");
  g = graph_of_relu();
  put_tensor(g, "w", 8, "1", "", 0);
  refused("strings", model_of(g, 13), "initializer \"w\"", "type");
  g = graph_of_relu();
  put_tensor(g, "w", 11, "1", "\232\231\231\231\231\231\271?", 8);
  refused("float64 that is no float32", model_of(g, 13), "initializer \"w\"", "float64");
}

/* If in If in If ... */
static message *nested(int depth) {
  message *g = new_message(), *n;
  if (depth == 0) {
    put_node(g, "Relu", "", "x", "r");
    put_output(g, "r", 1, "2");
    return g;
  }
  n = node("If", "", "yes", "r");
  attribute_graph(n, "then_branch", nested(depth - 1));
  attribute_graph(n, "else_branch", nested(0));
  put_and_free(g, 1, n);
  put_output(g, "r", 1, "2");
  return g;
}

static message *nested_model(int depth) {
  static const unsigned char yes = 1;
  message *g = nested(depth);
  put_tensor(g, "yes", 9, "", &yes, 1);
  put_input(g, "x", 1, "2");
  return model_of(g, 13);
}

/* y = F(x) of that call, with the function F of a and low to b, whose nodes f has. */
static message *model_of_call(message *call, message *f) {
  message *g = new_message(), *m;
  put_and_free(g, 1, call);
  put_input(g, "x", 1, "2");
  put_output(g, "y", 1, "2");
  m = model_of(g, 16);
  import_domain(m, "local", 1);
  put_function(m, f, "a,low", "b", 16);
  return m;
}

static message *call_of(const char *domain, const char *in, const char *out) {
  message *n = node("F", "call", in, out);
  put_text(n, 7, domain);
  return n;
}

static message *recursive_model(void) {
  message *f = new_message();
  put_and_free(f, 7, call_of("local", "a", "b"));
  put_text(f, 10, "local");
  return model_of_call(call_of("local", "x", "y"), f);
}

/* A loop of so many iterations, or one whose condition is computed of its input. */
static message *loop_model(int64_t count, bool depends) {
  static const unsigned char yes = 1;
  message *g = new_message(), *body = new_message(), *n;
  put_node(body, "Relu", "", "h", "next");
  put_node(body, "Identity", "", "on", "again");
  put_node(body, "IsNaN", "", "h", "nans");
  put_node_int(body, "ReduceMax", "", "nans", "nan", "keepdims", 0);
  put_input(body, "i", 7, "");
  put_input(body, "on", 9, "");
  put_input(body, "h", 1, "2");
  put_output(body, depends ? "nan" : "again", 9, "");
  put_output(body, "next", 1, "2");
  n = node("Loop", "loop", "count,yes,x", "y");
  attribute_graph(n, "body", body);
  put_and_free(g, 1, n);
  put_tensor(g, "count", 7, "", &count, 8);
  put_tensor(g, "yes", 9, "", &yes, 1);
  put_input(g, "x", 1, "2");
  put_output(g, "y", 1, "2");
  return model_of(g, 20);
}

/* The call leaves out the second input of F, which is Clip(a, `name`), in a branch if so. */
static message *model_of_left_out(const char *name, bool in_branch) {
  static const unsigned char yes = 1;
  message *f = new_message(), *branch, *n;
  char inputs[16];
  (void)snprintf(inputs, sizeof inputs, "a,%s", name);
  put_text(f, 10, "local");
  if (!in_branch) {
    put_and_free(f, 7, node("Clip", "clip", inputs, "b"));
    return model_of_call(call_of("local", "x", "y"), f);
  }
  n = node("Constant", "", "", "on");
  attribute_tensor(n, "value", tensor("", 9, "", &yes, 1));
  put_and_free(f, 7, n);
  n = node("If", "choose", "on", "b");
  branch = new_message();
  put_node(branch, "Clip", "clip", inputs, "c");
  put_output(branch, "c", 1, "2");
  attribute_graph(n, "then_branch", branch);
  branch = new_message();
  put_node(branch, "Identity", "", "a", "d");
  put_output(branch, "d", 1, "2");
  attribute_graph(n, "else_branch", branch);
  put_and_free(f, 7, n);
  return model_of_call(call_of("local", "x", "y"), f);
}

/* A function of ONNX's own domain, in either way to write it, may have attributes of any type. */
static message *model_of_own_domain(void) {
  message *f = new_message(), *call = call_of("", "x", "y");
  attribute_float(call, "size", 0.5f);
  put_text(f, 10, "ai.onnx");
  put_and_free(f, 7, node("Relu", "relu", "a", "b"));
  return model_of_call(call, f);
}

static void names_in_functions(void) {
  message *own = model_of_own_domain();
  int in_branch;
  accepted("a function of ONNX's domain", own);
  free(own);
  for (in_branch = 0; in_branch < 2; in_branch++) {
    message *m = model_of_left_out("low", in_branch != 0);
    accepted("an input of a function that is left out", m);
    free(m);
    refused("a name that nothing makes, in a function", model_of_left_out("lwo", in_branch != 0),
            "(Clip)", "it uses \"lwo\"");
  }
}

static void hostile_structure(void) {
  message *m = nested_model(10);
  accepted("10 graphs deep", m);
  free(m);
  refused("40 graphs deep", nested_model(40), "model: byte", "nested deeper");
  names_in_functions();
  refused("a function that calls itself", recursive_model(), "\"call\" (F)", "nested deeper");
  m = loop_model(10, false);
  accepted("10 iterations", m);
  free(m);
  refused("17 iterations", loop_model(17, false), "node \"loop\" (Loop)", "max_iterations");
  refused("2^63 iterations", loop_model(INT64_MAX, false), "node \"loop\"", "max_iterations");
  m = loop_model(3, true);
  accepted("a condition of the input", m);
  free(m);
  refused("a condition of the input, and no count", loop_model(INT64_MAX, true), "node \"loop\"",
          "values of input \"x\"");
}

/* A graph of these nodes from x to y. */
static message *chain(message *a, message *b) {
  message *g = new_message();
  put_and_free(g, 1, a);
  if (b != NULL) {
    put_and_free(g, 1, b);
  }
  put_input(g, "x", 1, "2,3");
  put_output(g, "y", 1, "2,3");
  return g;
}

static void wrong_names(void) {
  static const int64_t ones[1] = {1};
  message *g, *n;
  refused("a cycle", model_of(chain(node("Add", "a", "x,y", "z"), node("Relu", "b", "z", "y")), 13),
          "node \"b\" (Relu): it uses \"z\"", "the cycle of node \"b\" (Relu), node \"a\" (Add)");
  refused("a name that nothing makes", model_of(chain(node("Add", "a", "x,q", "y"), NULL), 13),
          "node \"a\" (Add)", "uses \"q\"");
  refused("a name made twice",
          model_of(chain(node("Abs", "a", "x", "y"), node("Relu", "b", "x", "y")), 13),
          "node \"b\" (Relu)", "is there already");
  refused("an input made again", model_of(chain(node("Abs", "a", "x", "x"), NULL), 13),
          "node \"a\" (Abs)", "is there already");
  refused("an output that nothing makes", model_of(chain(node("Abs", "a", "x", "z"), NULL), 13),
          "model: ", "nothing makes the output \"y\"");
  g = chain(node("Abs", "a", "x", "y"), NULL);
  put_input(g, "x", 1, "2,3");
  refused("an input twice", model_of(g, 13), "model: input \"x\"", "twice");
  g = chain(node("Abs", "a", "x", "y"), NULL);
  put_output(g, "y", 1, "2,3");
  refused("an output twice", model_of(g, 13), "model: output \"y\"", "twice");
  g = chain(node("Abs", "a", "x", "y"), NULL);
  put_tensor(g, "w", 1, "1", "1234", 4);
  put_tensor(g, "w", 1, "1", "1234", 4);
  refused("an initializer twice", model_of(g, 13), "model: initializer \"w\"", "twice");
  n = node("Abs", "", "x", "y");
  put_bytes(n, 3, "a\0b", 3);
  refused("a name with a byte 0", model_of(chain(n, NULL), 13), "model: byte", "byte 0");
  n = node("Abs", "\033[31mred", "x", "y");
  put_text(n, 7, "nowhere");
  refused("a name with control characters", model_of(chain(n, NULL), 13), "node \"?[31mred\" (Abs)",
          "of nowhere is not known");
  refused("an operator that is none", model_of(chain(node("Abss", "a", "x", "y"), NULL), 13),
          "node \"a\" (Abss)", "not known");
  refused("an operator without inputs", model_of(chain(node("Conv", "a", "", "y"), NULL), 13),
          "node \"a\" (Conv)", "input 0 is missing");
  refused("a quantization without a scale",
          model_of(chain(node("QuantizeLinear", "a", "x", "y"), NULL), 13),
          "node \"a\" (QuantizeLinear)", "input 1 is missing");
  refused("a reshape of nothing", model_of(chain(node("Reshape", "a", ",x", "y"), NULL), 13),
          "node \"a\" (Reshape)", "must be known");
  refused("an operator without outputs", model_of(chain(node("Abs", "a", "x", ""), NULL), 13),
          "model: ", "nothing makes the output \"y\"");
  n = node("Reshape", "a", "", "y");
  attribute_ints(n, "shape", ones, 1);
  refused("a reshape of nothing to 1", model_of(chain(n, NULL), 1), "node \"a\" (Reshape)",
          "input 0 is missing");
  refused("an operator of a later version", model_of(chain(node("Gelu", "a", "x", "y"), NULL), 13),
          "node \"a\" (Gelu)", "from version 20 on");
  refused("version 29", model_of(chain(node("Abs", "a", "x", "y"), NULL), 29),
          "model: ", "version 29");
  refused("version 0", model_of(chain(node("Abs", "a", "x", "y"), NULL), 0),
          "model: ", "version 0");
  g = new_message();
  put_node(g, "Abs", "a", "x", "y");
  put_input(g, "x", 1, "rows,columns,rows");
  put_output(g, "y", 1, "rows");
  refused("sizes that are not given", model_of(g, 13), "model: ", "\"rows\", \"columns\"");
}

/* ---- Weights in another file. */

static message *external(const char *location, const char *offset, const char *length) {
  const char *const keys[] = {"location", "offset", "length"};
  const char *values[3];
  message *g = chain(node("Add", "a", "x,w", "y"), NULL), *t = new_message();
  int i;
  values[0] = location, values[1] = offset, values[2] = length;
  put_integer(t, 1, 3);
  put_integer(t, 2, 1);
  put_text(t, 8, "w");
  for (i = 0; i < 3; i++) {
    message *entry = new_message();
    put_text(entry, 1, keys[i]);
    put_text(entry, 2, values[i]);
    if (values[i][0] != '\0') {
      put_message(t, 13, entry);
    }
    free(entry);
  }
  put_integer(t, 14, 1);
  put_and_free(g, 5, t);
  return model_of(g, 13);
}

static void external_weights(void) {
  static const char *const outside[] = {"../weights",  "/etc/passwd", "a/../../weights",
                                        "C:\\weights", "..\\weights", "a/..",
                                        "..",          "C:/weights"};
  const float weights[4] = {1, 2, 3, 4};
  const char *path = "onnx_malformed.weights";
  FILE *file = fopen(path, "wb");
  webnn_error error = WEBNN_ZERO;
  message *m;
  size_t i;
  for (i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    refused(outside[i], external(outside[i], "", ""), "initializer \"w\"",
            "must be in the model's folder");
  }
  refused("a file that is not there", external("none", "", ""), "initializer \"w\"",
          "cannot be read");
  refused("no location", external("", "", ""), "initializer \"w\"", "lack the entry location");
  if (file == NULL || fwrite(weights, 1, sizeof weights, file) != sizeof weights ||
      fclose(file) != 0) {
    CHECK(path, false, "%s", "cannot be written");
    return;
  }
  m = external(path, "4", "12");
  CHECK(path, outcome_of(m->bytes, m->length, "", &error, path) == WEBNN_OK, "%s", error.message);
  free(m);
  m = external(path, "", "");
  CHECK(path, outcome_of(m->bytes, m->length, ".", &error, path) == WEBNN_OK, "%s", error.message);
  free(m);
  for (i = 0; i < 5; i++) {
    static const char *const offsets[] = {"8", "18446744073709551615", "-4", "0", "x"};
    static const char *const lengths[] = {"12", "12", "12", "8", ""};
    m = external(path, offsets[i], lengths[i]);
    CHECK(offsets[i],
          outcome_of(m->bytes, m->length, ".", &error, path) != WEBNN_OK &&
              strstr(error.message, "initializer \"w\"") != NULL,
          "%s", error.message);
    free(m);
  }
  (void)remove(path);
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  message *models[3];
  static const char *const names[] = {"a network", "bodies", "what was learned"};
  int i;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  options.max_tensor_byte_length = 1 << 20;
  if (webnn_create_context(&options, &context, &error) != WEBNN_OK) {
    puts(error.message);
    return 1;
  }
  models[0] = network();
  models[1] = bodies();
  models[2] = learned();
  for (i = 0; i < 3; i++) {
    accepted(names[i], models[i]);
    cut_everywhere(names[i], models[i]);
    turn_every_bit(names[i], models[i]);
    free(models[i]);
  }
  hostile_lengths();
  hostile_structure();
  wrong_names();
  external_weights();
  webnn_free_context(context);
  return test_end();
}
