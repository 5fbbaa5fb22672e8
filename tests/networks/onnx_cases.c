/* Operators of ONNX, one node each: what webnn_onnx.h makes of it gives the results that
   onnx_cases.inc and onnx_reports.inc list, with the inputs as inputs of the graph, and with all of them as constants,
   which folds the node, and with sizes that a session takes from the inputs. Refusals are listed there, too, with
   what their message says. */
#include "onnx_case.h"

#include <math.h>

static void expect(bool good, const onnx_case *c, bool constant, const char *detail) {
  CHECK(c->op, good, "%s (%s)%s: %s", c->attributes, c->inputs, constant ? ", of constants" : "",
        detail);
}

static bool same_shape(webnn_list shape, const char *dims) {
  char text[64] = "";
  uint32_t i;
  for (i = 0; i < shape.count; i++) {
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i == 0 ? "" : ",",
                   (unsigned)shape.items[i]);
  }
  return strcmp(text, dims) == 0;
}

/* The first element that is another one; -1: none. Floats may differ by their order of summation. */
static long difference(const array *expected, const void *converted, const void *actual) {
  const webnn_data_type type = webnn_onnx_graph_type(expected->type->type);
  const double relative = type == WEBNN_FLOAT16 ? 2e-3 : 1e-5;
  size_t i;
  if (type != WEBNN_FLOAT32 && type != WEBNN_FLOAT16) {
    return memcmp(converted, actual, (expected->count * webnn_data_type_bits(type) + 7) / 8) == 0
               ? -1
               : 0;
  }
  for (i = 0; i < expected->count; i++) {
    const double e = type == WEBNN_FLOAT32
                         ? (double)((const float *)converted)[i]
                         : (double)webnn_float16_to_float32(((const uint16_t *)converted)[i]);
    const double a = type == WEBNN_FLOAT32
                         ? (double)((const float *)actual)[i]
                         : (double)webnn_float16_to_float32(((const uint16_t *)actual)[i]);
    if (!(a == e || (isnan(a) && isnan(e)) || fabs(a - e) <= relative * (1 + fabs(e)))) {
      return (long)i;
    }
  }
  return -1;
}

static void compare(const onnx_case *c, bool constant, const webnn_graph_port *port,
                    const void *actual, const array *expected) {
  const webnn_data_type type = webnn_onnx_graph_type(expected->type->type);
  char detail[160], text[200] = "";
  void *converted = calloc(expected->count + 1, 8);
  long at;
  if (port->descriptor.data_type != type || !same_shape(port->descriptor.shape, expected->dims)) {
    uint32_t i;
    for (i = 0; i < port->descriptor.shape.count; i++) {
      (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%u,",
                     (unsigned)port->descriptor.shape.items[i]);
    }
    (void)snprintf(detail, sizeof detail, "%s is %s[%.60s], not %s[%s]", port->name,
                   webnn_data_type_name(port->descriptor.data_type), text, expected->type->name,
                   expected->dims);
    expect(false, c, constant, detail);
  } else if (converted != NULL) {
    (void)webnn_onnx_to_graph_type(expected->type->type, expected->bytes, expected->count,
                                   converted);
    at = difference(expected, converted, actual);
    (void)snprintf(detail, sizeof detail, "element %ld of %s is another one, not %g", at,
                   port->name, at < 0 ? 0 : expected->numbers[at]);
    if (at >= 0 && (type == WEBNN_INT8 || type == WEBNN_UINT8)) {
      (void)snprintf(detail, sizeof detail, "element %ld of %s is byte %u, not %g", at, port->name,
                     ((const unsigned char *)actual)[at], expected->numbers[at]);
    }
    if (at >= 0 && type == WEBNN_FLOAT32) {
      (void)snprintf(detail, sizeof detail, "element %ld of %s is %.9g, not %.9g", at, port->name,
                     (double)((const float *)actual)[at], expected->numbers[at]);
    }
    expect(at < 0, c, constant, detail);
  }
  free(converted);
}

static void run_graph(const onnx_case *c, bool constant, webnn_context *context, webnn_graph *graph,
                      const array *in, const array *out, size_t out_count, size_t empty) {
  webnn_graph_port ports[MOST_PORTS];
  webnn_named_input inputs[MOST_PORTS];
  webnn_named_output outputs[MOST_PORTS];
  webnn_error error = WEBNN_ZERO;
  const size_t ins = webnn_graph_inputs(graph, ports, MOST_PORTS);
  size_t i, outs, named = 0;
  for (i = 0; i < ins; i++) {
    const array *a = &in[strtol(ports[i].name + 1, NULL, 10)];
    void *data = calloc(a->count + 1, 8);
    if (data != NULL) {
      (void)webnn_onnx_to_graph_type(a->type->type, a->bytes, a->count, data);
    }
    inputs[i].name = ports[i].name;
    inputs[i].data = data;
    inputs[i].byte_length = (size_t)ports[i].byte_length;
  }
  outs = webnn_graph_outputs(graph, ports, MOST_PORTS);
  for (i = 0; i < outs; i++) {
    outputs[i].name = ports[i].name;
    outputs[i].byte_length = (size_t)ports[i].byte_length;
    outputs[i].data = calloc(outputs[i].byte_length + 8, 1);
  }
  for (i = 0; i < out_count; i++) {
    named += !out[i].missing;
  }
  expect(outs + empty == named, c, constant, "another number of results");
  expect((graph == NULL) == (named == empty), c, constant,
         "a graph is missing, or there without need");
  expect(graph == NULL ||
             webnn_compute(context, graph, inputs, ins, outputs, outs, &error) == WEBNN_OK,
         c, constant, error.message);
  for (i = 0; i < outs; i++) {
    compare(c, constant, &ports[i], outputs[i].data, &out[strtol(ports[i].name + 1, NULL, 10)]);
  }
  for (i = 0; i < ins; i++) {
    free((void *)(uintptr_t)inputs[i].data);
  }
  for (i = 0; i < outs; i++) {
    free(outputs[i].data);
  }
}

/* Outputs without elements, which the graph lacks, are ports of the model: type and shape are compared.
   Returns how many there are. */
static size_t check_empty(const onnx_case *c, bool constant, const webnn_onnx_model *model,
                          const array *out) {
  webnn_onnx_port ports[4];
  const size_t count = webnn_onnx_outputs(model, ports, 4);
  size_t i, empty = 0;
  for (i = 0; i < count; i++) {
    const array *expected = &out[strtol(ports[i].name + 1, NULL, 10)];
    expect(ports[i].is_empty == (expected->count == 0), c, constant,
           ports[i].is_empty ? "an output is said to be empty" : "no output is said to be empty");
    if (ports[i].is_empty && expected->count == 0) {
      const webnn_data_type type = webnn_onnx_graph_type(expected->type->type);
      expect(same_shape(ports[i].descriptor.shape, expected->dims), c, constant,
             "an empty output has another shape");
      expect(ports[i].descriptor.data_type == type && ports[i].type == expected->type->type, c,
             constant, webnn_onnx_type_name(ports[i].type));
      empty++;
    }
  }
  return empty;
}

static void run_case(const onnx_case *c, bool constant, bool shapes, webnn_context *context) {
  static array in[MOST_PORTS], out[4];
  const bool refused = strncmp(c->outputs, "refused: ", 9) == 0;
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t count, out_count, empty = 0;
  message *m = model_of_case(c, constant, shapes, in, &count, out, &out_count);
  options.float64_as_float32 = true;
  (void)webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &error);
  (void)webnn_onnx_build(model, context, &graph, &error);
  if (refused) {
    expect(error.status != WEBNN_OK && strstr(error.message, c->outputs + 9) != NULL, c, constant,
           error.message);
  } else {
    expect(error.status == WEBNN_OK, c, constant, error.message);
  }
  if (error.status == WEBNN_OK && !refused) {
    empty = shapes ? 0 : check_empty(c, constant, model, out);
    run_graph(c, constant, context, graph, in, out, out_count, empty);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

static webnn_onnx_feed feed_of(const array *a, const char *name, bool with_data) {
  webnn_onnx_feed feed = WEBNN_ZERO;
  const char *at = a->dims;
  const uint32_t bits = webnn_data_type_bits(webnn_onnx_graph_type(a->type->type));
  void *data = with_data ? calloc(a->count + 1, 8) : NULL;
  if (data != NULL) {
    (void)webnn_onnx_to_graph_type(a->type->type, a->bytes, a->count, data);
  }
  feed.name = name;
  feed.data = data;
  feed.byte_length = (a->count * bits + 7) / 8;
  for (feed.shape.given = true; *at != '\0'; at += *at == ',') {
    feed.shape.items[feed.shape.count++] = (uint32_t)strtol(at, NULL, 10);
    at += strcspn(at, ",");
  }
  return feed;
}

/* A session asks for the shapes of the outputs, then runs. */
static void run_feeds(const onnx_case *c, webnn_onnx_session *session, const webnn_onnx_feed *feeds,
                      size_t count, const array *out, size_t out_count) {
  webnn_onnx_port ports[4];
  webnn_named_output outputs[4];
  webnn_error error = WEBNN_ZERO;
  size_t i, named = 0;
  for (i = 0; i < out_count; i++) {
    named += !out[i].missing;
  }
  (void)webnn_onnx_compute_shapes(session, feeds, count, ports, &error);
  for (i = 0; i < named && error.status == WEBNN_OK; i++) {
    outputs[i].name = ports[i].name;
    outputs[i].byte_length = ports[i].is_empty ? 0 : (size_t)webnn_byte_length(ports[i].descriptor);
    outputs[i].data = calloc(outputs[i].byte_length + 8, 1);
  }
  expect(error.status == WEBNN_OK &&
             webnn_onnx_run(session, feeds, count, outputs, named, &error) == WEBNN_OK,
         c, false, error.message);
  named = i;
  for (i = 0; i < named; i++) {
    webnn_graph_port port = WEBNN_ZERO;
    port.name = ports[i].name;
    port.descriptor = ports[i].descriptor;
    if (error.status == WEBNN_OK) {
      compare(c, false, &port, outputs[i].data, &out[strtol(ports[i].name + 1, NULL, 10)]);
    }
    free(outputs[i].data);
  }
}

/* The same by a session of a model without sizes, which may have one graph for all sizes, or has one for each. What
   is refused is so without data, too: with them the session may know what the node must know. */
static void run_open_case(const onnx_case *c, webnn_context *context, bool fixed) {
  static array in[MOST_PORTS], out[4];
  static char names[MOST_PORTS][8];
  const bool refused = strncmp(c->outputs, "refused: ", 9) == 0;
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_onnx_session *session = NULL;
  webnn_onnx_session_options wanted = WEBNN_ZERO;
  webnn_onnx_feed feeds[MOST_PORTS];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t count, out_count, i, fed = 0;
  message *m;
  sizes_are_open = EACH_OPEN;
  m = model_of_case(c, false, true, in, &count, out, &out_count);
  sizes_are_open = CLOSED;
  options.float64_as_float32 = true;
  (void)webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &error);
  wanted.fixed = fixed;
  (void)webnn_onnx_create_session(model, context, &wanted, &session, &error);
  for (i = 0; i < count; i++) {
    (void)snprintf(names[i], sizeof names[i], "x%u", (unsigned)i);
    if (!in[i].missing && !in[i].constant) {
      feeds[fed++] = feed_of(&in[i], names[i], !refused);
    }
  }
  (void)webnn_onnx_borrow_graph(session, feeds, fed, &graph, &error);
  if (refused) {
    expect(error.status != WEBNN_OK && strstr(error.message, c->outputs + 9) != NULL, c, false,
           error.message);
  } else {
    expect(error.status == WEBNN_OK, c, false, error.message);
  }
  if (error.status == WEBNN_OK && !refused) {
    run_feeds(c, session, feeds, fed, out, out_count);
  }
  webnn_onnx_return_graph(session, graph);
  webnn_onnx_free_session(session);
  webnn_onnx_free(model);
  for (i = 0; i < fed; i++) {
    free((void *)(uintptr_t)feeds[i].data);
  }
  free(m);
}

/* How many there are, without notes. */
static size_t problems_of(webnn_onnx_model *model) {
  const char *problems[8];
  const size_t count = webnn_onnx_problems(model, problems, 8);
  size_t i, found = 0;
  for (i = 0; i < count && i < 8; i++) {
    found += strncmp(problems[i], "note: ", 6) != 0;
  }
  return found;
}

/* A model without something that its node takes is built, or refused with its node and a reason, and
   webnn_onnx_problems, which goes on after each failure, says so, too. The message is freed. */
static void check_part(const onnx_case *c, bool constant, webnn_context *context, message *m) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  options.float64_as_float32 = true;
  (void)webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &error);
  (void)webnn_onnx_build(model, context, &graph, &error);
  expect(graph == NULL || error.status == WEBNN_OK, c, constant, "a graph and an error");
  expect(error.status == WEBNN_OK || strstr(error.message, "node \"n\"") != NULL, c, constant,
         error.message);
  expect((error.status == WEBNN_OK) == (problems_of(model) == 0), c, constant,
         "without an input: it is built and has problems, or neither");
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* Leaves out each input in turn, then each attribute. */
static void run_without_parts(const onnx_case *c, bool constant, webnn_context *context) {
  static array in[MOST_PORTS], out[4];
  char attributes[2000];
  const char *at, *next;
  size_t count = 1, out_count, missing;
  onnx_case part = *c;
  for (missing = 0; missing < count; missing++) {
    check_part(c, constant, context,
               model_without(c, missing, constant, true, in, &count, out, &out_count));
  }
  for (at = c->attributes; *at != '\0'; at = next) {
    next = at + strcspn(at, " ");
    next += *next == ' ';
    (void)snprintf(attributes, sizeof attributes, "%.*s%s", (int)(at - c->attributes),
                   c->attributes, next);
    if (attributes[0] != '\0' && attributes[strlen(attributes) - 1] == ' ') {
      attributes[strlen(attributes) - 1] = '\0';
    }
    part.attributes = attributes;
    check_part(&part, constant, context,
               model_of_case(&part, constant, true, in, &count, out, &out_count));
  }
}

/* Has the case a result without elements? */
static bool has_empty_result(const onnx_case *c) {
  static array out;
  const char *text = c->outputs;
  while (*text != '\0' && strncmp(c->outputs, "refused: ", 9) != 0) {
    text = read_array(text, &out, 0);
    if (!out.missing && out.count == 0) {
      return true;
    }
  }
  return false;
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  size_t i;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  (void)webnn_create_context(&options, &context, NULL);
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (count < 2 || strstr(cases[i].op, arguments[1]) != NULL) {
      run_case(&cases[i], false, true, context);
      if (strncmp(cases[i].outputs, "refused: ", 9) != 0) {
        run_case(&cases[i], true, true, context);
      }
      run_open_case(&cases[i], context, true);
      run_open_case(&cases[i], context, false);
      run_without_parts(&cases[i], i % 2 == 0, context);
      if (has_empty_result(&cases[i])) {
        run_case(&cases[i], false, false, context);
        run_case(&cases[i], true, false, context);
      }
    }
  }
  webnn_free_context(context);
  return test_end();
}
