/* webnn_onnx_write.h: graphs written as ONNX models, read back by webnn_onnx.h and computed: the
   results are those of the graph itself, to the last bit or, where an operator becomes several that
   round each for themselves, within the distance that is stated here. The graphs are one with every
   operator, random ones, those of files/onnx_write.json, which have what these lack, and those of
   the conformance vectors ($WEBNN_WPT, or ../../shared/wpt).

     onnx_write [--out FOLDER] [FILE ...]

   With a folder the models of the files are written there, with their inputs and results as files
   of bytes and a list of all, for scripts/onnxruntime.js. FILEs are names of vectors: "conv2d". */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "every_operator.h"
#include "call_by_name.h"
#include "../../examples/headers/webnn_onnx.h"
#include "../../examples/headers/webnn_onnx_write.h"

#include <dirent.h>
#include <math.h>

enum { MAX_PORTS = 32, MAX_OPERANDS = 64 };

/* How far results may be apart, in units in the last place, because the model rounds more often. */
typedef struct distance {
  const char *op;
  double ulps;
  const char *why;
} distance;

static const distance distances[] = {
    {"linear", 2, "a product and a sum"},
    {"quantizeLinear", 1, "to 32 bits a quotient of float32"},
    {"dequantizeLinear", 1, "of 32 bits a difference and a product"},
    {"lstm", 64, "with peepholes the nodes of its steps"},
    {"lstmCell", 64, "with peepholes the nodes of its step"},
};

/* Is any operator of the graph allowed to differ? */
static double allowed_distance(const webnn_graph *graph) {
  const size_t count = webnn_graph_operators(graph, NULL, 0);
  webnn_graph_operator *all = (webnn_graph_operator *)test_allocate(count * sizeof *all);
  double allowed = 0;
  size_t i, j;
  webnn_graph_operators(graph, all, count);
  for (i = 0; i < count; i++)
    for (j = 0; j < sizeof distances / sizeof *distances; j++)
      if (strcmp(all[i].name, distances[j].op) == 0 && distances[j].ulps > allowed)
        allowed = distances[j].ulps;
  free(all);
  return allowed;
}

/* ---- Running -------------------------------------------------------------------------------- */

/* The inputs and outputs of a graph with their bytes. */
typedef struct run {
  webnn_graph_port in[MAX_PORTS], out[MAX_PORTS];
  size_t in_count, out_count;
  webnn_named_input inputs[MAX_PORTS];
  webnn_named_output outputs[MAX_PORTS];
} run;

static bool begin_run(run *r, const webnn_graph *graph) {
  size_t i;
  memset(r, 0, sizeof *r);
  r->in_count = webnn_graph_inputs(graph, r->in, MAX_PORTS);
  r->out_count = webnn_graph_outputs(graph, r->out, MAX_PORTS);
  if (r->in_count > MAX_PORTS || r->out_count > MAX_PORTS)
    return false;
  for (i = 0; i < r->in_count; i++) {
    r->inputs[i].name = r->in[i].name;
    r->inputs[i].byte_length = (size_t)r->in[i].byte_length;
  }
  for (i = 0; i < r->out_count; i++) {
    r->outputs[i].name = r->out[i].name;
    r->outputs[i].byte_length = (size_t)r->out[i].byte_length;
    r->outputs[i].data = test_allocate(r->outputs[i].byte_length);
    memset(r->outputs[i].data, 0xA5, r->outputs[i].byte_length);
  }
  return true;
}

static void end_run(run *r) {
  size_t i;
  for (i = 0; i < r->out_count && i < MAX_PORTS; i++)
    free(r->outputs[i].data);
}

static int64_t ordered(webnn_data_type type, const void *data, size_t i) {
  uint32_t bits;
  if (type == WEBNN_FLOAT16) {
    const uint16_t half = ((const uint16_t *)data)[i];
    return half >> 15 ? -(int64_t)(half & 0x7FFF) : half;
  }
  memcpy(&bits, (const char *)data + 4 * i, 4);
  return bits >> 31 ? -(int64_t)(bits & 0x7FFFFFFF) : bits;
}

/* The largest distance between elements of two outputs: of floats, and of integers of 32 bits as
   floats, units in the last place; infinite of others that are not equal. */
static double distance_of(const webnn_graph_port *port, const void *a, const void *b) {
  const webnn_data_type type = port->descriptor.data_type;
  const size_t count = test_element_count(port->descriptor.shape);
  double largest = 0;
  size_t i;
  if (type == WEBNN_INT32 || type == WEBNN_UINT32) {
    for (i = 0; i < count; i++) {
      const float x = (float)test_get(type, a, i), y = (float)test_get(type, b, i);
      double apart = fabs((double)(ordered(WEBNN_FLOAT32, &x, 0) - ordered(WEBNN_FLOAT32, &y, 0)));
      apart = test_get(type, a, i) != test_get(type, b, i) && apart < 1 ? 1 : apart;
      largest = apart > largest ? apart : largest;
    }
    return largest;
  }
  if (webnn_data_type_bits(type) == 4 && count % 2 == 1 && /* the upper half byte has no meaning */
      ((((const uint8_t *)a)[count / 2] ^ ((const uint8_t *)b)[count / 2]) & 15) != 0)
    return (double)INFINITY;
  if (!test_is_float(type))
    return memcmp(a, b, count * webnn_data_type_bits(type) / 8) == 0 ? 0 : (double)INFINITY;
  for (i = 0; i < count; i++) {
    const double x = test_get(type, a, i), y = test_get(type, b, i);
    const double apart = x != x && y != y ? 0
                         : x != x || y != y
                             ? (double)INFINITY
                             : fabs((double)(ordered(type, a, i) - ordered(type, b, i)));
    largest = apart > largest ? apart : largest;
  }
  return largest;
}

/* ---- Reading back ---------------------------------------------------------------------------- */

typedef struct tally {
  int exact, near_by, refused;
} tally;

/* The graph that the model in `text` is; NULL, with a failed check, if it is none. */
static webnn_graph *read_back(webnn_context *context, const char *name, const every_text *text,
                              webnn_onnx_model **model) {
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = NULL;
  if (CHECK(name, webnn_onnx_read(text->data, text->length, NULL, NULL, model, &error) == WEBNN_OK,
            "reading: %s", error.message))
    CHECK(name, webnn_onnx_build(*model, context, &graph, &error) == WEBNN_OK, "building: %s",
          error.message);
  return graph;
}

static bool same_ports(const webnn_graph_port *a, const webnn_graph_port *b, size_t count) {
  size_t i;
  for (i = 0; i < count; i++)
    if (strcmp(a[i].name, b[i].name) != 0 ||
        a[i].descriptor.data_type != b[i].descriptor.data_type ||
        !test_same_list(a[i].descriptor.shape, b[i].descriptor.shape))
      return false;
  return true;
}

/* Computes both graphs on the inputs of the first and compares. */
static void compare(webnn_context *context, const char *name, webnn_graph *graph,
                    webnn_graph *again, run *first, tally *t) {
  const double allowed = allowed_distance(graph);
  webnn_error error = WEBNN_ZERO;
  double apart = 0;
  run second;
  size_t i;
  begin_run(&second, again);
  if (!CHECK(name,
             first->in_count == second.in_count && first->out_count == second.out_count &&
                 same_ports(first->in, second.in, first->in_count) &&
                 same_ports(first->out, second.out, first->out_count),
             "the model has other inputs or outputs")) {
    end_run(&second);
    return;
  }
  CHECK(name,
        webnn_compute(context, again, first->inputs, first->in_count, second.outputs,
                      second.out_count, &error) == WEBNN_OK,
        "computing: %s", error.message);
  for (i = 0; i < first->out_count; i++) {
    const double d = distance_of(&first->out[i], first->outputs[i].data, second.outputs[i].data);
    if (CHECK(name, d <= allowed, "output %s is %g units apart, %g are allowed", first->out[i].name,
              d, allowed))
      apart = d > apart ? d : apart;
  }
  t->exact += apart == 0;
  t->near_by += apart > 0;
  end_run(&second);
}

/* ---- Names of nodes -------------------------------------------------------------------------- */

enum { MAX_NODES = 1000 };

/* A piece of a message of protobuf. */
typedef struct piece {
  const uint8_t *at, *end;
} piece;

static uint64_t next_varint(piece *p) {
  uint64_t number = 0;
  unsigned shift = 0;
  while (p->at<p->end && * p->at> 127 && shift < 63) {
    number |= (uint64_t)(*p->at++ & 127) << shift;
    shift += 7;
  }
  return p->at < p->end ? number | (uint64_t)*p->at++ << shift : number;
}

/* The next field with this number that is a message or a text; false: there is none. */
static bool next_field(piece *p, unsigned wanted, piece *field) {
  while (p->at < p->end) {
    const uint64_t head = next_varint(p);
    const size_t left = (size_t)(p->end - p->at);
    uint64_t length;
    if ((head & 7) == 0) {
      (void)next_varint(p);
      continue;
    }
    length = (head & 7) == 2 ? next_varint(p) : 4;
    field->at = p->at;
    p->at += length < left ? length : left;
    field->end = p->at;
    if (head >> 3 == wanted)
      return true;
  }
  return false;
}

/* No two nodes may have one name. */
static void check_node_names(const char *name, const every_text *text) {
  piece model, graph, node, names[MAX_NODES];
  size_t count = 0, i;
  model.at = (const uint8_t *)text->data;
  model.end = model.at + text->length;
  if (!CHECK(name, next_field(&model, 7, &graph), "the model has no graph"))
    return;
  while (count < MAX_NODES && next_field(&graph, 1, &node)) {
    const bool named = next_field(&node, 3, &names[count]);
    const size_t length = named ? (size_t)(names[count].end - names[count].at) : 0;
    for (i = 0; named && i < count; i++)
      CHECK(name,
            (size_t)(names[i].end - names[i].at) != length ||
                memcmp(names[i].at, names[count].at, length) != 0,
            "two nodes have the name %.*s", (int)length, (const char *)names[count].at);
    count += named;
  }
}

/* What ONNX cannot say. */
static const char *const refusals[] = {"ONNX has no MaxPool of ", "ONNX has no Pow of uint64"};

static bool is_refusal(const webnn_error *error) {
  size_t i;
  for (i = 0; i < sizeof refusals / sizeof *refusals; i++)
    if (error->status == WEBNN_NOT_SUPPORTED_ERROR && strstr(error->message, refusals[i]) != NULL)
      return true;
  return false;
}

/* The graph with its inputs: computed, written, read, computed again. `text` keeps the model, empty
   if there is none. */
static void play(webnn_context *context, const char *name, webnn_graph *graph, run *r,
                 every_text *text, tally *t) {
  webnn_error error = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *again;
  CHECK(name,
        webnn_compute(context, graph, r->inputs, r->in_count, r->outputs, r->out_count, &error) ==
            WEBNN_OK,
        "%s", error.message);
  if (webnn_onnx_write(graph, NULL, every_write, text, &error) != WEBNN_OK) {
    t->refused++;
    CHECK(name, is_refusal(&error) && text->length == 0, "writing: %s", error.message);
    return;
  }
  check_node_names(name, text);
  again = read_back(context, name, text, &model);
  if (again != NULL)
    compare(context, name, graph, again, r, t);
  webnn_free_graph(again);
  webnn_onnx_free(model);
}

/* ---- Every operator -------------------------------------------------------------------------- */

static void check_forms(void) {
  int op;
  for (op = 0; op < WEBNN_OP_COUNT; op++)
    CHECK("forms", webnn_onnx_write_form((webnn_op)op) != NULL, "%s has none",
          webnn_op_name((webnn_op)op));
  CHECK("forms", webnn_onnx_write_form((webnn_op)WEBNN_OP_COUNT) == NULL, "there is one too many");
}

static void check_every_operator(webnn_context *context) {
  static uint64_t data[EVERY_INPUT_COUNT][EVERY_INPUT_BYTES / 8];
  webnn_graph *graph = every_graph(context);
  every_text text = {NULL, 0, 0};
  tally t = {0, 0, 0};
  run r;
  size_t i;
  every_operator_check(graph);
  begin_run(&r, graph);
  for (i = 0; i < r.in_count; i++) {
    r.inputs[i].data = data[i];
    (void)every_input_data((int)i, data[i]);
  }
  play(context, "every operator", graph, &r, &text, &t);
  CHECK("every operator", t.exact + t.near_by == 1, "it has not been compared");
  end_run(&r);
  webnn_free_graph(graph);
  free(text.data);
}

/* ---- Random graphs --------------------------------------------------------------------------- */

enum { RANDOM_GRAPHS = 300, RANDOM_STEPS = 12 };

/* One more value from others of the same shape, by operators that are one node each. */
static webnn_operand *random_step(webnn_builder *b, uint64_t *state, webnn_operand *x,
                                  webnn_operand *y) {
  const webnn_transpose_options turn = {NULL, WEBNN_LIST(0, 2, 1)};
  const webnn_reverse_options back = {NULL, WEBNN_LIST(0, 2)};
  const webnn_reduce_options rows = {"sum of \"rows\"", WEBNN_LIST(1), true};
  const webnn_layer_normalization_options layer = {NULL, NULL, NULL, WEBNN_LIST(0, 2),
                                                   webnn_f64(0.01)};
  webnn_operand *parts[3] = {NULL, NULL, NULL};
  switch (test_random(state) % 16) {
  case 0:
    return webnn_add(b, x, y, NULL);
  case 1:
    return webnn_mul(b, x, y, NULL);
  case 2:
    return webnn_where(
        b, webnn_logical_and(b, webnn_greater(b, x, y, NULL), webnn_not_equal(b, x, y, NULL), NULL),
        x, y, NULL);
  case 3:
    return webnn_tanh(b, x, NULL);
  case 4:
    return webnn_matmul(b, x, y, NULL);
  case 5:
    return webnn_transpose(b, x, &turn);
  case 6:
    return webnn_reverse(b, x, &back);
  case 7:
    return webnn_sub(b, x, webnn_reduce_sum(b, x, &rows), NULL);
  case 8:
    return webnn_layer_normalization(b, x, &layer);
  case 9:
    return webnn_softmax(b, x, 1, NULL);
  case 10:
    (void)webnn_split(b, x, 3, &(webnn_split_options){NULL, 1}, parts);
    return webnn_concat(b, WEBNN_OPERANDS(parts[2], parts[0], parts[1]), 1, NULL);
  case 11:
    return webnn_cast(b, webnn_cast(b, x, WEBNN_FLOAT16, NULL), WEBNN_FLOAT32, NULL);
  case 12:
    return webnn_slice(b, webnn_pad(b, x, WEBNN_LIST(1, 0, 2), WEBNN_LIST(0, 3, 1), NULL),
                       WEBNN_LIST(1, 1, 1), WEBNN_LIST(2, 3, 3), NULL);
  case 13:
    return webnn_prelu(b, x, y, NULL);
  case 14:
    return webnn_triangular(b, webnn_max(b, x, y, NULL), NULL);
  default:
    return webnn_reshape(b, webnn_gelu(b, webnn_reshape(b, x, WEBNN_LIST(18), NULL), NULL),
                         WEBNN_LIST(2, 3, 3), NULL);
  }
}

static webnn_graph *random_graph(webnn_context *context, uint64_t *state, const float *weights) {
  webnn_builder *b = test_builder(context);
  webnn_operand *values[RANDOM_STEPS + 2];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t i;
  values[0] = webnn_input(b, "value_1", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3, 3));
  values[1] = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3, 3), weights, 72);
  for (i = 2; i < RANDOM_STEPS + 2; i++)
    values[i] = random_step(b, state, values[test_random(state) % i], values[i - 1]);
  CHECK("random",
        webnn_build(b,
                    WEBNN_NAMED_OPERANDS({"value_", values[RANDOM_STEPS + 1]}, {"half", values[7]}),
                    &graph, &error) == WEBNN_OK,
        "%s", error.message);
  webnn_free_builder(b);
  return graph;
}

static void check_random(webnn_context *context) {
  uint64_t state = 20;
  tally t = {0, 0, 0};
  int n;
  for (n = 0; n < RANDOM_GRAPHS; n++) {
    float data[18], weights[18];
    every_text text = {NULL, 0, 0};
    webnn_graph *graph;
    run r;
    size_t i;
    for (i = 0; i < 18; i++) {
      data[i] = (float)test_random_between(&state, -2, 2);
      weights[i] = (float)test_random_between(&state, -2, 2);
    }
    graph = random_graph(context, &state, weights);
    if (graph != NULL && begin_run(&r, graph)) {
      r.inputs[0].data = data;
      play(context, "random", graph, &r, &text, &t);
      end_run(&r);
    }
    webnn_free_graph(graph);
    free(text.data);
  }
  CHECK("random", t.exact == RANDOM_GRAPHS, "only %d of %d graphs agree", t.exact, RANDOM_GRAPHS);
}

/* ---- Files and errors ------------------------------------------------------------------------ */

/* A product with 4096 weights, and an output that is there twice. */
static webnn_graph *large_graph(webnn_context *context, const float *weights, const char *output) {
  webnn_builder *b = test_builder(context);
  webnn_graph *graph = NULL;
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 64));
  webnn_operand *y = webnn_matmul(
      b, x, webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 64, 64), weights, 16384), NULL);
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({output, y}, {"again", y}), &graph, NULL);
  webnn_free_builder(b);
  return graph;
}

static size_t file_size(const char *path) {
  FILE *file = fopen(path, "rb");
  long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (file != NULL)
    fclose(file);
  return size < 0 ? 0 : (size_t)size;
}

/* Weights inside and beside: the same results. */
static void check_files(webnn_context *context, const char *at) {
  static float weights[4096], data[64];
  char path[1024], beside[1040];
  int i;
  for (i = 0; i < 4096; i++)
    weights[i] = (float)(i % 97) / 16, data[i % 64] = (float)(i % 31) / 8;
  (void)snprintf(path, sizeof path, "%s/onnx_write_test.onnx", at);
  (void)snprintf(beside, sizeof beside, "%s.data", path);
  for (i = 0; i < 2; i++) {
    webnn_graph *graph = large_graph(context, weights, "y"), *again = NULL;
    webnn_onnx_model *model = NULL;
    webnn_error error = WEBNN_ZERO;
    tally t = {0, 0, 0};
    run r;
    begin_run(&r, graph);
    r.inputs[0].data = data;
    CHECK("files",
          webnn_compute(context, graph, r.inputs, 1, r.outputs, 2, &error) == WEBNN_OK &&
              webnn_onnx_write_file(graph, path, i == 1, &error) == WEBNN_OK &&
              webnn_onnx_open(path, NULL, &model, &error) == WEBNN_OK &&
              webnn_onnx_build(model, context, &again, &error) == WEBNN_OK,
          "%s", error.message);
    if (again != NULL)
      compare(context, "files", graph, again, &r, &t);
    CHECK("files", t.exact == 1, "the model differs");
    CHECK("files", i == 0 ? file_size(path) > 16384 : file_size(path) < 2048,
          "the model has %lu bytes", (unsigned long)file_size(path));
    CHECK("files", file_size(beside) == (i == 0 ? 0 : 16384), "the weights have %lu bytes",
          (unsigned long)file_size(beside));
    end_run(&r);
    webnn_free_graph(again);
    webnn_free_graph(graph);
    webnn_onnx_free(model);
    (void)remove(path);
    (void)remove(beside);
  }
}

static void check_error(const char *name, webnn_status got, webnn_status status,
                        const webnn_error *error, const char *text) {
  CHECK("errors", got == status && strstr(error->message, text) != NULL, "%s: %s: %s", name,
        webnn_status_name(got), error->message);
}

static void check_errors(webnn_context *context) {
  static float weights[4096];
  webnn_graph *graph = large_graph(context, weights, "y"),
              *same = large_graph(context, weights, "x");
  webnn_onnx_write_options options = WEBNN_ZERO;
  every_text text = {NULL, 0, 0};
  webnn_error e = WEBNN_ZERO;
  options.write_weights = every_write;
  options.weights_user = &text;
  check_error("no graph", webnn_onnx_write(NULL, NULL, every_write, &text, &e), WEBNN_TYPE_ERROR,
              &e, "the graph is missing");
  check_error("no writer", webnn_onnx_write(graph, NULL, NULL, NULL, &e), WEBNN_TYPE_ERROR, &e,
              "no writer");
  check_error("no name", webnn_onnx_write(graph, &options, every_write, &text, &e),
              WEBNN_TYPE_ERROR, &e, "weights_name");
  check_error("one name", webnn_onnx_write(same, NULL, every_write, &text, &e),
              WEBNN_NOT_SUPPORTED_ERROR, &e, "have the name \"x\"");
  check_error("no folder", webnn_onnx_write_file(graph, "no/such/folder/m.onnx", true, &e),
              WEBNN_OPERATION_ERROR, &e, "no/such/folder/m.onnx: cannot be opened");
  CHECK("errors", text.length == 0, "something has been written");
  webnn_free_graph(graph);
  webnn_free_graph(same);
  free(text.data);
}

/* A graph under other names: an output twice, and an output that is the input. */
static void check_names(webnn_context *context) {
  static const float x[2] = {-1, 2};
  webnn_builder *b = test_builder(context);
  webnn_operand *in = webnn_input(b, "s0", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  webnn_onnx_write_options options = WEBNN_ZERO;
  webnn_graph_port input = WEBNN_ZERO, outputs[3] = {WEBNN_ZERO};
  webnn_graph *graph = NULL, *again = NULL;
  webnn_onnx_model *model = NULL;
  webnn_error e = WEBNN_ZERO;
  every_text text = {NULL, 0, 0};
  float got[3][2] = {{0}};
  webnn_build(b, WEBNN_NAMED_OPERANDS({"s1", webnn_relu(b, in, NULL)}), &graph, &e);
  webnn_graph_inputs(graph, &input, 1);
  webnn_graph_outputs(graph, outputs, 1);
  outputs[1] = outputs[0];
  outputs[2] = input;
  input.name = "picture";
  outputs[0].name = "one", outputs[1].name = "two", outputs[2].name = "same";
  options.inputs = &input, options.input_count = 1;
  options.outputs = outputs, options.output_count = 3;
  CHECK("names",
        webnn_onnx_write(graph, &options, every_write, &text, &e) == WEBNN_OK &&
            webnn_onnx_read(text.data, text.length, NULL, NULL, &model, &e) == WEBNN_OK &&
            webnn_onnx_build(model, context, &again, &e) == WEBNN_OK &&
            webnn_compute(context, again, WEBNN_INPUTS({"picture", x, sizeof x}),
                          WEBNN_OUTPUTS({"one", got[0], sizeof x}, {"two", got[1], sizeof x},
                                        {"same", got[2], sizeof x}),
                          &e) == WEBNN_OK,
        "%s", e.message);
  CHECK("names",
        got[0][0] == 0 && got[0][1] == 2 && memcmp(got[0], got[1], sizeof x) == 0 &&
            memcmp(got[2], x, sizeof x) == 0,
        "%g %g %g %g", (double)got[0][1], (double)got[1][1], (double)got[2][0], (double)got[2][1]);
  text.length = 0;
  outputs[1].name = "one";
  check_error("a name twice", webnn_onnx_write(graph, &options, every_write, &text, &e),
              WEBNN_NOT_SUPPORTED_ERROR, &e, "have the name \"one\"");
  outputs[1].name = "";
  check_error("an empty name", webnn_onnx_write(graph, &options, every_write, &text, &e),
              WEBNN_TYPE_ERROR, &e, "output 1 has no name");
  outputs[1].name = "two", outputs[1].value = 99;
  check_error("no value", webnn_onnx_write(graph, &options, every_write, &text, &e),
              WEBNN_TYPE_ERROR, &e, "output 1 has no name, or no value");
  outputs[1].value = outputs[0].value, input.value = outputs[0].value;
  check_error("no input", webnn_onnx_write(graph, &options, every_write, &text, &e),
              WEBNN_TYPE_ERROR, &e, "\"picture\" is no further input");
  options.input_count = 0;
  check_error("few inputs", webnn_onnx_write(graph, &options, every_write, &text, &e),
              WEBNN_TYPE_ERROR, &e, "names for 0 inputs, and the graph has 1");
  CHECK("names", text.length == 0, "something has been written");
  webnn_free_graph(again);
  webnn_onnx_free(model);
  webnn_free_graph(graph);
  webnn_free_builder(b);
  free(text.data);
}

/* What cannot be written leaves what there was. */
static void check_old_file(webnn_context *context, const char *at) {
  static float weights[4096];
  webnn_graph *same = large_graph(context, weights, "x");
  char path[1024], part[1040];
  webnn_error e = WEBNN_ZERO;
  FILE *file;
  (void)snprintf(path, sizeof path, "%s/onnx_write_old.onnx", at);
  (void)snprintf(part, sizeof part, "%s.part", path);
  file = fopen(path, "wb");
  if (file != NULL) {
    fputs("older", file);
    fclose(file);
  }
  check_error("an older file", webnn_onnx_write_file(same, path, false, &e),
              WEBNN_NOT_SUPPORTED_ERROR, &e, "have the name");
  CHECK("errors", file_size(path) == 5 && file_size(part) == 0, "an older file is lost");
  (void)remove(path);
  webnn_free_graph(same);
}

static void count_bytes(void *user, const char *text, size_t length) {
  (void)text;
  *(uint64_t *)user += length;
}

/* Two constants over the same memory, of 1.2 GB each, which nobody touches unless it is written. */
static void check_large(webnn_context *context) {
  enum { ELEMENTS = 300000000 };
  const size_t bytes = (size_t)ELEMENTS * sizeof(float);
  float *memory = (float *)calloc(ELEMENTS, sizeof *memory);
  webnn_builder *b = test_builder(context);
  webnn_onnx_write_options options = WEBNN_ZERO;
  webnn_error e = WEBNN_ZERO;
  webnn_graph *graph = NULL;
  uint64_t model = 0, beside = 0;
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_INT32, 2)), *sum = NULL;
  int i;
  for (i = 0; i < 2 && memory != NULL; i++) {
    webnn_operand *large =
        webnn_constant_over_memory(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ELEMENTS), memory, bytes);
    webnn_operand *some = webnn_gather(b, large, x, NULL);
    sum = i == 0 ? some : webnn_add(b, sum, some, NULL);
  }
  if (memory == NULL || webnn_build(b, WEBNN_NAMED_OPERANDS({"y", sum}), &graph, &e) != WEBNN_OK) {
    test_skip("2 GB", memory == NULL ? "there is no memory" : e.message);
  } else {
    CHECK("2 GB",
          webnn_onnx_write(graph, NULL, count_bytes, &model, &e) == WEBNN_NOT_SUPPORTED_ERROR &&
              model == 0 && strstr(e.message, "the model would have 24000") != NULL,
          "%s, %lu bytes", e.message, (unsigned long)model);
    options.write_weights = count_bytes;
    options.weights_user = &beside;
    options.weights_name = "weights";
    CHECK("2 GB",
          webnn_onnx_write(graph, &options, count_bytes, &model, &e) == WEBNN_OK && model < 2000 &&
              beside == 2 * (uint64_t)bytes,
          "%s", e.message);
  }
  webnn_free_builder(b);
  webnn_free_graph(graph);
  free(memory);
}

/* ---- Vectors --------------------------------------------------------------------------------- */

typedef struct player {
  webnn_builder *builder;
  const char *names[MAX_OPERANDS];
  webnn_operand *operands[MAX_OPERANDS];
  size_t operand_count;
  void *data[MAX_OPERANDS]; /* of inputs and constants, by their place in `names` */
} player;

static webnn_operand *find_operand(void *user, const char *name) {
  const player *p = (const player *)user;
  size_t i;
  for (i = 0; i < p->operand_count; i++)
    if (strcmp(p->names[i], name) == 0)
      return p->operands[i];
  return NULL;
}

static bool add_operand(player *p, const json *name, webnn_operand *operand) {
  if (json_string(name) == NULL || operand == NULL || p->operand_count == MAX_OPERANDS)
    return false;
  p->names[p->operand_count] = json_string(name);
  p->operands[p->operand_count++] = operand;
  return true;
}

static bool add_input(player *p, const json *description) {
  webnn_operand_descriptor d;
  size_t count, bytes;
  void *data;
  if (!elements_descriptor(description, &d) || p->operand_count == MAX_OPERANDS)
    return false;
  count = test_element_count(d.shape);
  bytes = elements_byte_length(d.data_type, count);
  data = p->data[p->operand_count] = test_allocate(bytes);
  return elements_read(description, d.data_type, data, count) &&
         add_operand(p, json_get(description, "name"),
                     json_is_true(json_get(description, "constant"))
                         ? webnn_constant(p->builder, d, data, bytes)
                         : webnn_input(p->builder, json_string(json_get(description, "name")), d));
}

static bool add_operator(player *p, const json *description) {
  const json *name = json_first(json_get(description, "outputs"));
  bool good;
  size_t i;
  call c;
  memset(&c, 0, sizeof c);
  c.builder = p->builder;
  c.lookup = find_operand;
  c.user = p;
  good = call_by_name(&c, json_string(json_get(description, "name")),
                      json_get(description, "arguments")) &&
         c.count > 0 && c.count == json_count(json_get(description, "outputs"));
  for (i = 0; good && i < c.count; i++, name = name->next)
    good = c.outputs[i] != call_unset() && add_operand(p, name, c.outputs[i]);
  call_free(&c);
  return good;
}

static webnn_graph *build_case(player *p, const json *test_case) {
  webnn_named_operand outputs[MAX_PORTS];
  webnn_graph *graph = NULL;
  size_t count = 0;
  const json *item;
  for (item = json_first(json_get(test_case, "inputs")); item; item = item->next)
    if (!add_input(p, item))
      return NULL;
  for (item = json_first(json_get(test_case, "operators")); item; item = item->next)
    if (!add_operator(p, item))
      return NULL;
  for (item = json_first(json_get(test_case, "outputs")); item && count < MAX_PORTS;
       item = item->next, count++) {
    outputs[count].name = json_string(json_get(item, "name"));
    outputs[count].operand = find_operand(p, outputs[count].name);
  }
  (void)webnn_build(p->builder, outputs, count, &graph, NULL);
  return graph;
}

/* ---- For another runtime --------------------------------------------------------------------- */

static const char *folder; /* of --out; NULL: nothing is kept */
static FILE *list;         /* the file that names all models */
static int kept;

static bool keep_bytes(const char *kind, size_t number, const void *data, size_t length) {
  char path[1024];
  FILE *file;
  bool good;
  (void)snprintf(path, sizeof path, "%s/%d.%s%lu", folder, kept, kind, (unsigned long)number);
  file = fopen(path, "wb");
  good = file != NULL && fwrite(data, 1, length, file) == length;
  return file != NULL && fclose(file) == 0 && good;
}

static void list_port(const char *kind, size_t i, const webnn_graph_port *port) {
  uint32_t j;
  fprintf(list, "%s{\"file\": \"%d.%s%lu\", \"name\": \"%s\", \"type\": \"%s\", \"shape\": [",
          i ? ", " : "", kept, kind, (unsigned long)i, port->name,
          webnn_data_type_name(port->descriptor.data_type));
  for (j = 0; j < port->descriptor.shape.count; j++)
    fprintf(list, "%s%lu", j ? ", " : "", (unsigned long)port->descriptor.shape.items[j]);
  fprintf(list, "]}");
}

/* A line of the list, and the files that it names. Names of the vectors are plain. */
static void keep(const char *name, const run *r, const every_text *text) {
  bool good = keep_bytes("onnx", 0, text->data, text->length);
  const char *c;
  size_t i;
  fprintf(list, "{\"case\": \"");
  for (c = name; *c; c++)
    fputc(*c == '"' || *c == '\\' ? '\'' : *c, list);
  fprintf(list, "\", \"model\": \"%d.onnx0\", \"inputs\": [", kept);
  for (i = 0; i < r->in_count; i++) {
    good = good && keep_bytes("in", i, r->inputs[i].data, r->inputs[i].byte_length);
    list_port("in", i, &r->in[i]);
  }
  fprintf(list, "], \"outputs\": [");
  for (i = 0; i < r->out_count; i++) {
    good = good && keep_bytes("out", i, r->outputs[i].data, r->outputs[i].byte_length);
    list_port("out", i, &r->out[i]);
  }
  fprintf(list, "]}\n");
  CHECK(name, good, "its files cannot be written to %s", folder);
  kept++;
}

/* ---- All vectors ----------------------------------------------------------------------------- */

static int cases, unbuilt;

static void play_case(webnn_context *context, const char *file, const json *test_case, tally *t) {
  const char *title = json_string(json_get(test_case, "name"));
  char name[512];
  every_text text = {NULL, 0, 0};
  webnn_graph *graph;
  player p;
  run r;
  size_t i, j;
  memset(&p, 0, sizeof p);
  (void)snprintf(name, sizeof name, "%s: %s", file, title != NULL ? title : "a case");
  p.builder = test_builder(context);
  graph = build_case(&p, test_case);
  cases++;
  if (graph == NULL) {
    unbuilt++;
  } else if (begin_run(&r, graph)) {
    for (i = 0; i < r.in_count; i++)
      for (j = 0; j < p.operand_count; j++)
        if (strcmp(r.in[i].name, p.names[j]) == 0)
          r.inputs[i].data = p.data[j];
    play(context, name, graph, &r, &text, t);
    if (list != NULL && text.length > 0)
      keep(name, &r, &text);
    end_run(&r);
  }
  webnn_free_builder(p.builder);
  webnn_free_graph(graph);
  for (i = 0; i < MAX_OPERANDS; i++)
    free(p.data[i]);
  free(text.data);
}

static void play_file(webnn_context *context, const char *name, const char *path, tally *t) {
  json_document document;
  const json *item;
  if (CHECK(name, json_read_file(&document, path), "%s", document.error))
    for (item = json_first(json_get(document.root, "cases")); item; item = item->next)
      play_case(context, name, item, t);
  json_free(&document);
}

static void play_vectors(webnn_context *context, const char *name, tally *t) {
  char path[1024];
  vectors_path(path, sizeof path, "conformance", name);
  play_file(context, name, path, t);
}

static void play_all(webnn_context *context, tally *t) {
  char path[1024], name[256];
  struct dirent *entry;
  DIR *all;
  vectors_path(path, sizeof path, "conformance", "abs");
  *strrchr(path, '/') = 0;
  all = opendir(path);
  while (all != NULL && (entry = readdir(all)) != NULL) {
    const char *end = strrchr(entry->d_name, '.');
    vectors_name(name, sizeof name, entry->d_name);
    if (end != NULL && strcmp(end, ".json") == 0)
      play_vectors(context, name, t);
  }
  if (all != NULL)
    (void)closedir(all);
}

/* What the vectors lack: labels, rare options, large numbers. */
static void check_more(webnn_context *context) {
  tally t = {0, 0, 0};
  play_file(context, "more", "networks/files/onnx_write.json", &t);
  CHECK("more", cases > 0 && t.exact + t.near_by == cases, "%d of %d graphs have been compared",
        t.exact + t.near_by, cases);
}

/* Of the vectors only quantizations of an older rule cannot be built, 30 of them. */
static void check_vectors(webnn_context *context, int count, char **names) {
  tally t = {0, 0, 0};
  int i;
  cases = unbuilt = 0;
  if (!vectors_present("conformance", "abs")) {
    test_skip("vectors", "there are none in ../../shared/wpt or $WEBNN_WPT");
    return;
  }
  for (i = 0; i < count; i++)
    play_vectors(context, names[i], &t);
  if (count == 0) {
    play_all(context, &t);
    CHECK("vectors", unbuilt <= 30 && t.exact > 2300, "only %d graphs have been compared",
          t.exact + t.near_by);
  }
  printf("vectors: %d cases, %d to the last bit, %d within the distance, %d not expressible in "
         "ONNX, %d not built\n",
         cases, t.exact, t.near_by, t.refused, unbuilt);
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  char path[1024];
  int first = 1;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  context = test_context(&options);
  if (count > 2 && strcmp(arguments[1], "--out") == 0) {
    folder = arguments[2];
    (void)snprintf(path, sizeof path, "%s/list", folder);
    list = fopen(path, "w");
    CHECK("--out", list != NULL, "%s cannot be written", path);
    first = 3;
  }
  check_forms();
  check_every_operator(context);
  check_random(context);
  check_files(context, folder != NULL ? folder : ".");
  check_errors(context);
  check_names(context);
  check_old_file(context, folder != NULL ? folder : ".");
  check_large(context);
  check_more(context);
  check_vectors(context, count - first, arguments + first);
  if (list != NULL)
    CHECK("--out", fclose(list) == 0, "%s cannot be written", path);
  webnn_free_context(context);
  return test_end();
}
