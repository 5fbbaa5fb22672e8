/* Dynamic dimensions of ONNX models: the graph that webnn_onnx.h builds with its option `dynamic` computes the bits
   of the graph for known sizes, or is refused because a node needs a size. Every case of onnx_cases.inc and
   onnx_reports.inc, with names for each dimension, for the first ones, and for those of equal size; chains of
   nodes that make shapes; refusals.

     onnx_dynamic             these
     onnx_dynamic OPERATOR    the cases whose operator has this in its name */
#include "onnx_case.h"

static webnn_context *context;

/* ---- Running. */

typedef struct result {
  webnn_list shape;
  void *data;
  size_t byte_length;
} result;

static size_t bytes_of(webnn_data_type type, webnn_list shape) {
  size_t count = 1;
  uint32_t d;
  for (d = 0; d < shape.count; d++) {
    count *= shape.items[d];
  }
  return (count * webnn_data_type_bits(type) + 7) / 8;
}

static webnn_tensor *tensor_of(webnn_data_type type, webnn_list shape, const void *data,
                               webnn_error *error) {
  webnn_tensor_descriptor descriptor = WEBNN_ZERO;
  webnn_tensor *tensor = NULL;
  descriptor.data_type = type;
  descriptor.shape = shape;
  descriptor.readable = descriptor.writable = true;
  if (webnn_create_tensor(context, descriptor, &tensor, error) == WEBNN_OK && data != NULL) {
    (void)webnn_write_tensor(context, tensor, data, bytes_of(type, shape), error);
  }
  return tensor;
}

/* The data of input NAME, as the graph takes it: to be freed. */
typedef void *data_of_input(void *user, const char *name, webnn_list *shape);

/* Asks for the shapes of the outputs, then dispatches the graph, whose sizes may be open. */
static webnn_status run_graph(webnn_graph *graph, data_of_input *data_of, void *user,
                              result *results, size_t *result_count, webnn_error *error) {
  webnn_graph_port in[MOST_PORTS], out[MOST_PORTS];
  webnn_named_shape shapes[MOST_PORTS], found[MOST_PORTS];
  webnn_named_tensor inputs[MOST_PORTS], outputs[MOST_PORTS];
  const size_t ins = webnn_graph_inputs(graph, in, MOST_PORTS);
  const size_t outs = webnn_graph_outputs(graph, out, MOST_PORTS);
  size_t i;
  *result_count = outs;
  memset(results, 0, outs * sizeof *results);
  memset(outputs, 0, sizeof outputs);
  for (i = 0; i < ins; i++) {
    void *data = data_of(user, in[i].name, &shapes[i].shape);
    shapes[i].name = inputs[i].name = in[i].name;
    inputs[i].tensor = tensor_of(in[i].descriptor.data_type, shapes[i].shape, data, error);
    free(data);
  }
  (void)webnn_compute_shapes(graph, shapes, ins, found, MOST_PORTS, error);
  for (i = 0; i < outs && error->status == WEBNN_OK; i++) {
    results[i].shape = found[i].shape;
    results[i].byte_length = bytes_of(out[i].descriptor.data_type, found[i].shape);
    results[i].data = calloc(results[i].byte_length + 1, 1);
    outputs[i].name = out[i].name;
    outputs[i].tensor = tensor_of(out[i].descriptor.data_type, found[i].shape, NULL, error);
  }
  if (error->status == WEBNN_OK) {
    (void)webnn_dispatch(context, graph, inputs, ins, outputs, outs, error);
  }
  for (i = 0; i < outs && error->status == WEBNN_OK; i++) {
    (void)webnn_read_tensor(context, outputs[i].tensor, results[i].data, results[i].byte_length,
                            error);
  }
  for (i = 0; i < ins; i++) {
    webnn_free_tensor(inputs[i].tensor);
  }
  for (i = 0; i < outs; i++) {
    webnn_free_tensor(outputs[i].tensor);
  }
  return error->status;
}

static void free_results(result *results, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    free(results[i].data);
  }
}

static bool same_results(const result *a, size_t a_count, const result *b, size_t b_count) {
  bool same = a_count == b_count;
  size_t i;
  for (i = 0; i < a_count && same; i++) {
    same = a[i].shape.count == b[i].shape.count &&
           memcmp(a[i].shape.items, b[i].shape.items, a[i].shape.count * sizeof(uint32_t)) == 0 &&
           a[i].byte_length == b[i].byte_length &&
           memcmp(a[i].data, b[i].data, a[i].byte_length) == 0;
  }
  return same;
}

/* ---- The cases. */

static webnn_list shape_of_dims(const char *at) {
  webnn_list shape = WEBNN_ZERO;
  for (shape.given = true; *at != '\0'; at += *at == ',') {
    shape.items[shape.count++] = (uint32_t)strtol(at, NULL, 10);
    at += strcspn(at, ",");
  }
  return shape;
}

static void *data_of_case(void *user, const char *name, webnn_list *shape) {
  const array *a = &((const array *)user)[strtol(name + 1, NULL, 10)];
  void *data = calloc(a->count + 1, 8);
  if (data != NULL) {
    (void)webnn_onnx_carry(a->type->type, a->bytes, a->count, data);
  }
  *shape = shape_of_dims(a->dims);
  return data;
}

static webnn_graph *build(const message *m, bool dynamic, webnn_onnx_model **model,
                          webnn_error *error) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_graph *graph = NULL;
  options.float64_as_float32 = true;
  options.dynamic = dynamic;
  if (webnn_onnx_read(m->bytes, m->length, NULL, &options, model, error) == WEBNN_OK) {
    (void)webnn_onnx_build(*model, context, &graph, error);
  }
  return graph;
}

static unsigned built, refused;

/* The case with open sizes, beside the results for its sizes. */
static void run_open(const onnx_case *c, open_sizes open, const result *expected,
                     size_t expected_count) {
  static const char *const names[] = {"closed", "each open", "the first open", "equal ones open"};
  static array in[MOST_PORTS], out[4];
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  result results[MOST_PORTS];
  size_t count, out_count, result_count = 0;
  webnn_graph *graph;
  message *m;
  sizes_are_open = open;
  m = model_of_case(c, false, false, in, &count, out, &out_count);
  sizes_are_open = CLOSED;
  graph = build(m, true, &model, &error);
  if (error.status != WEBNN_OK) {
    refused++;
    if (getenv("SAY")) printf("SAY %s %s: %s\n", c->op, names[open], error.message);
    CHECK(c->op,
          error.status == WEBNN_NOT_SUPPORTED_ERROR &&
              (strstr(error.message, "dynamic") != NULL ||
               strstr(error.message, "must be known") != NULL),
          "%s (%s), %s: %s", c->attributes, c->inputs, names[open], error.message);
  } else if (graph != NULL) {
    built++;
    (void)run_graph(graph, data_of_case, in, results, &result_count, &error);
    /* The graph of a known size mirrors small dimensions more often than WebNN's pad does. */
    CHECK(c->op,
          error.status == WEBNN_OK
              ? same_results(results, result_count, expected, expected_count)
              : strstr(error.message, "for a mirror") != NULL,
          "%s (%s), %s: %s", c->attributes, c->inputs, names[open],
          error.status == WEBNN_OK ? "other results" : error.message);
    free_results(results, result_count);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* Has the case inputs with elements only, some of which are no constants and have dimensions? */
static bool may_be_open(const array *in, size_t count) {
  bool some = false;
  size_t i;
  for (i = 0; i < count; i++) {
    if (!in[i].missing && in[i].count == 0) {
      return false;
    }
    some = some || (!in[i].missing && !in[i].constant && in[i].dims[0] != '\0');
  }
  return some;
}

static void run_case(const onnx_case *c) {
  static array in[MOST_PORTS], out[4];
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  result expected[MOST_PORTS];
  size_t count, out_count, expected_count = 0;
  webnn_graph *graph;
  message *m = model_of_case(c, false, false, in, &count, out, &out_count);
  int open;
  graph = build(m, false, &model, &error);
  if (graph != NULL && may_be_open(in, count) &&
      run_graph(graph, data_of_case, in, expected, &expected_count, &error) == WEBNN_OK) {
    for (open = EACH_OPEN; open <= EQUAL_OPEN; open++) {
      run_open(c, (open_sizes)open, expected, expected_count);
    }
  }
  free_results(expected, expected_count);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  size_t i;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  (void)webnn_create_context(&options, &context, NULL);
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (count < 2 || strstr(cases[i].op, arguments[1]) != NULL) {
      run_case(&cases[i]);
    }
  }
  if (count < 2) {
    CHECK("cases", built > 1000 && refused > 100, "%u were built, %u refused", built, refused);
  }
  printf("%u graphs, %u refusals\n", built, refused);
  webnn_free_context(context);
  return test_end();
}
