/* ONNX's own backend tests (Debian's package libonnx-testdata) through webnn_onnx.h, in reference
   contexts: folders with model.onnx and test_data_set_N/input_i.pb, output_i.pb. Results are compared
   as ONNX compares them, floats within rtol 1e-3 and atol 1e-7, integers exactly. Prints how many
   passed, how many cannot be expressed and why; fails if any result is wrong that is not known to be
   a fault of the data, or if fewer pass than are known to.

   What passes is run again with all dimensions of inputs left open: by a session, which takes the sizes from the
   data, and as one graph with dynamic dimensions, unless a node needs a size.

     onnx_backend [-v] [-f] [-o ONE_FOLDER] [DATA]        default: /usr/share/libonnx-testdata/data

   -v lists what cannot be expressed, -f uses fast contexts. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "webnn.h"
#include "../../examples/headers/webnn_onnx.h"
#include "dispatch.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PORTS 64

/* At least so many of the 1072 models of ONNX 1.12 pass. */
#define KNOWN_TO_PASS 1010
/* With open sizes so many of them by sessions, and so many as a graph with dynamic dimensions. */
#define KNOWN_BY_SESSION 1006
#define KNOWN_DYNAMIC 563

typedef struct file {
  unsigned char *bytes;
  size_t length;
} file;

/* Data that contradict their model: Adam's epsilon, which the model leaves out, is 1e-6 by the text of
   ONNX, and the expected results are of 1e-2. */
static const char faulty[] = "test_adam_multiple";

/* In fast contexts? */
static bool fast;

static bool read_file(const char *path, file *f) {
  FILE *stream = fopen(path, "rb");
  long size;
  f->bytes = NULL;
  if (stream == NULL) {
    return false;
  }
  (void)fseek(stream, 0, SEEK_END);
  size = ftell(stream);
  rewind(stream);
  f->length = size < 0 ? 0 : (size_t)size;
  f->bytes = (unsigned char *)malloc(f->length + 1);
  if (f->bytes != NULL && fread(f->bytes, 1, f->length, stream) != f->length) {
    free(f->bytes);
    f->bytes = NULL;
  }
  (void)fclose(stream);
  return f->bytes != NULL;
}

/* The tensors of a test's data set, input_0.pb and so on. */
typedef struct tensors {
  file files[MAX_PORTS];
  webnn_onnx_tensor items[MAX_PORTS];
  size_t count;
} tensors;

static void free_tensors(tensors *t) {
  size_t i;
  for (i = 0; i < t->count; i++) {
    webnn_onnx_free_tensor(&t->items[i]);
    free(t->files[i].bytes);
  }
}

/* A file that holds no tensor counts as one without a type. */
static void read_tensors(const char *folder, const char *kind, tensors *t) {
  char path[1024];
  memset(t, 0, sizeof *t);
  for (; t->count < MAX_PORTS; t->count++) {
    (void)snprintf(path, sizeof path, "%s/%s_%u.pb", folder, kind, (unsigned)t->count);
    if (!read_file(path, &t->files[t->count])) {
      return;
    }
    (void)webnn_onnx_read_tensor(t->files[t->count].bytes, t->files[t->count].length,
                                 &t->items[t->count], NULL);
  }
}

/* What a run of a test ended with. */
typedef enum outcome { PASSED, NOT_EXPRESSIBLE, WRONG } outcome;

static double number_at(webnn_data_type type, const void *data, size_t i) {
  switch (type) {
  case WEBNN_FLOAT32:
    return ((const float *)data)[i];
  case WEBNN_FLOAT16:
    return webnn_float16_to_float32(((const uint16_t *)data)[i]);
  default:
    return 0;
  }
}

static bool near_enough(double actual, double expected, double relative) {
  if (actual == expected || (isnan(actual) && isnan(expected))) {
    return true;
  }
  return fabs(actual - expected) <= 1e-7 + relative * fabs(expected);
}

/* Compares an output of a graph with what the test has; `why` says the first difference. */
static bool matches(const webnn_graph_port *port, const void *actual,
                    const webnn_onnx_tensor *expected, char *why, size_t room) {
  const webnn_data_type type = port->descriptor.data_type;
  void *converted = calloc((size_t)expected->count + 1, 8);
  bool good = converted != NULL && webnn_onnx_graph_type(expected->type) == type &&
              port->descriptor.shape.count == expected->shape.count;
  size_t i;
  for (i = 0; good && i < expected->shape.count; i++) {
    good = port->descriptor.shape.items[i] == expected->shape.items[i];
  }
  if (!good) {
    (void)snprintf(why, room, "output \"%s\" has another type or shape", port->name);
    free(converted);
    return false;
  }
  (void)webnn_onnx_to_graph_type(expected->type, expected->data, (size_t)expected->count,
                                 converted);
  if (type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16) {
    for (i = 0; good && i < expected->count; i++) {
      const double a = number_at(type, actual, i), e = number_at(type, converted, i);
      /* The data of ONNX 1.12 cut float32 off to bfloat16, where the text now says to round. */
      if (!near_enough(a, e, expected->type == WEBNN_ONNX_BFLOAT16 ? 1.0 / 128 : 1e-3)) {
        (void)snprintf(why, room, "output \"%s\"[%u] is %.9g, not %.9g", port->name, (unsigned)i, a,
                       e);
        good = false;
      }
    }
  } else if (memcmp(actual, converted, (size_t)port->byte_length) != 0) {
    (void)snprintf(why, room, "output \"%s\" has other integers", port->name);
    good = false;
  }
  free(converted);
  return good;
}

/* The tensors of a run, as webnn_compute takes them. */
typedef struct memory {
  webnn_graph_port ports[MAX_PORTS];
  void *data[MAX_PORTS];
  size_t count;
} memory;

static void free_memory(memory *m) {
  size_t i;
  for (i = 0; i < m->count; i++) {
    free(m->data[i]);
  }
}

/* The test's tensor for an input: its position among the inputs of the model. */
static const webnn_onnx_tensor *tensor_for(const char *name, const webnn_onnx_port *ports,
                                           size_t count, const tensors *t) {
  size_t i;
  for (i = 0; i < count && i < t->count; i++) {
    if (strcmp(ports[i].name, name) == 0) {
      return &t->items[i];
    }
  }
  return NULL;
}

/* The outputs of the model in its order: those of the graph with their data, and the empty ones, which the
   graph lacks. Without a graph (NULL) all are empty. */
static bool outputs_match(const webnn_onnx_model *model, const memory *o, const tensors *out,
                          char *why, size_t room) {
  static webnn_onnx_port all[MAX_PORTS];
  const size_t count = webnn_onnx_outputs(model, all, MAX_PORTS);
  size_t i, k;
  if (count != out->count) {
    (void)snprintf(why, room, "%u outputs, not %u", (unsigned)count, (unsigned)out->count);
    return false;
  }
  for (i = 0; i < count; i++) {
    webnn_graph_port port = WEBNN_ZERO;
    port.name = all[i].name;
    port.descriptor = all[i].descriptor;
    for (k = 0; k < o->count && strcmp(o->ports[k].name, port.name) != 0; k++) {
    }
    if (k == o->count && !all[i].is_empty) {
      (void)snprintf(why, room, "output \"%s\" is missing", port.name);
      return false;
    }
    if (!matches(k < o->count ? &o->ports[k] : &port, k < o->count ? o->data[k] : "",
                 &out->items[i], why, room)) {
      return false;
    }
  }
  return true;
}

static outcome run_graph(webnn_context *context, webnn_graph *graph, const webnn_onnx_model *model,
                         const webnn_onnx_port *ports, size_t port_count, const tensors *in,
                         const tensors *out, char *why, size_t room) {
  webnn_named_input inputs[MAX_PORTS];
  webnn_named_output outputs[MAX_PORTS];
  memory i, o;
  webnn_error error = WEBNN_ZERO;
  outcome result = PASSED;
  size_t k;
  memset(&i, 0, sizeof i);
  memset(&o, 0, sizeof o);
  i.count = webnn_graph_inputs(graph, i.ports, MAX_PORTS);
  o.count = webnn_graph_outputs(graph, o.ports, MAX_PORTS);
  for (k = 0; k < i.count; k++) {
    const webnn_onnx_tensor *t = tensor_for(i.ports[k].name, ports, port_count, in);
    i.data[k] = calloc((size_t)i.ports[k].byte_length + 8, 1);
    if (t != NULL && i.data[k] != NULL &&
        webnn_onnx_graph_type(t->type) == i.ports[k].descriptor.data_type) {
      (void)webnn_onnx_to_graph_type(t->type, t->data, (size_t)t->count, i.data[k]);
    }
    inputs[k].name = i.ports[k].name;
    inputs[k].data = i.data[k];
    inputs[k].byte_length = (size_t)i.ports[k].byte_length;
  }
  for (k = 0; k < o.count; k++) {
    o.data[k] = calloc((size_t)o.ports[k].byte_length + 8, 1);
    outputs[k].name = o.ports[k].name;
    outputs[k].data = o.data[k];
    outputs[k].byte_length = (size_t)o.ports[k].byte_length;
  }
  if (graph != NULL &&
      webnn_compute(context, graph, inputs, i.count, outputs, o.count, &error) != WEBNN_OK) {
    (void)snprintf(why, room, "%s", error.message);
    result = WRONG;
  }
  if (result == PASSED && !outputs_match(model, &o, out, why, room)) {
    result = WRONG;
  }
  free_memory(&i);
  free_memory(&o);
  return result;
}

/* How a test's inputs are given: as they are, then integers as known values (shapes, axes, ...),
   then with float64 as float32, then all as known values. */
enum { WAYS = 5 };
static const char *const way_names[WAYS] = {"as they are", "lists of integers known",
                                            "also float64 as float32", "all integers known",
                                            "all inputs known"};

static bool is_known(int way, const webnn_onnx_tensor *t) {
  const bool integer = t->type != WEBNN_ONNX_FLOAT && t->type != WEBNN_ONNX_FLOAT16 &&
                       t->type != WEBNN_ONNX_DOUBLE && t->type != WEBNN_ONNX_BFLOAT16;
  return way == 4 || (way == 3 && integer) || (way >= 1 && integer && t->shape.count <= 1);
}

/* ONNX 1.12 wrote bfloat16 as the uint16 of its bits. */
static void correct_types(const webnn_onnx_port *ports, size_t count, tensors *t) {
  size_t i;
  for (i = 0; i < count && i < t->count; i++) {
    if (ports[i].type == WEBNN_ONNX_BFLOAT16 && t->items[i].type == WEBNN_ONNX_UINT16) {
      t->items[i].type = WEBNN_ONNX_BFLOAT16;
    }
  }
}

static outcome run_way(const char *path, int way, tensors *in, tensors *out, char *why,
                       size_t room) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_port ports[MAX_PORTS];
  webnn_onnx_dimension dimensions[MAX_PORTS];
  webnn_onnx_known known[MAX_PORTS];
  char names[MAX_PORTS][64];
  webnn_context_options reference = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_context *context = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  outcome result = NOT_EXPRESSIBLE;
  size_t count, i;
  uint32_t d;
  if (webnn_onnx_open(path, NULL, &model, &error) != WEBNN_OK) {
    (void)snprintf(why, room, "%s", error.message);
    return NOT_EXPRESSIBLE;
  }
  count = webnn_onnx_outputs(model, ports, MAX_PORTS);
  correct_types(ports, count, out);
  count = webnn_onnx_inputs(model, ports, MAX_PORTS);
  correct_types(ports, count, in);
  options.dimensions = dimensions;
  options.known = known;
  options.float64_as_float32 = way >= 2;
  for (i = 0; i < count && i < in->count; i++) {
    for (d = 0; d < in->items[i].shape.count && options.dimension_count < MAX_PORTS; d++) {
      if (ports[i].dimension_names[d] != NULL) {
        char *name = names[options.dimension_count];
        if (ports[i].dimension_names[d][0] != '\0') {
          (void)snprintf(name, 64, "%s", ports[i].dimension_names[d]);
        } else {
          (void)snprintf(name, 64, "%s[%u]", ports[i].name, d);
        }
        dimensions[options.dimension_count].name = name;
        dimensions[options.dimension_count++].size = in->items[i].shape.items[d];
      }
    }
    if (is_known(way, &in->items[i])) {
      known[options.known_count].name = ports[i].name;
      known[options.known_count].shape = in->items[i].shape;
      known[options.known_count].data = in->items[i].data;
      known[options.known_count++].byte_length = in->items[i].byte_length;
    }
  }
  reference.numerics = fast ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
  reference.threads = 1;
  (void)webnn_create_context(&reference, &context, &error);
  {
    webnn_onnx_model *again = NULL;
    if (webnn_onnx_open(path, &options, &again, &error) == WEBNN_OK &&
        webnn_onnx_build(again, context, &graph, &error) == WEBNN_OK) {
      result = run_graph(context, graph, again, ports, count, in, out, why, room);
    } else {
      (void)snprintf(why, room, "%s", error.message);
    }
    webnn_free_graph(graph);
    webnn_onnx_free(again);
  }
  webnn_onnx_free(model);
  webnn_free_context(context);
  return result;
}

/* ---- With open sizes. */

/* A varint and where it ends, or NULL. */
static unsigned char *read_varint(unsigned char *at, const unsigned char *end, uint64_t *value) {
  int shift = 0;
  for (*value = 0; at < end && shift < 64; shift += 7) {
    *value |= (uint64_t)(*at & 127) << shift;
    if ((*at++ & 128) == 0) {
      return at;
    }
  }
  return NULL;
}

/* A size becomes a name in as many bytes: none, or letters that differ each time. */
static void open_size(unsigned char *field, const unsigned char *end, unsigned *count) {
  size_t length = (size_t)(end - field) - 2, i;
  field[0] = 2 << 3 | 2;
  field[1] = (unsigned char)length;
  for (i = 0; i < length; i++) {
    field[2 + i] = (unsigned char)('A' + *count % 26 + (i > 0 ? 32 : 0));
  }
  *count += length > 0;
}

/* Goes along a path of fields: ModelProto.graph, input, type, tensor_type, shape, dim, dim_value. */
static void open_sizes(unsigned char *at, unsigned char *end, int depth, unsigned *count) {
  static const uint64_t path[] = {7, 11, 2, 1, 2, 1, 1};
  while (at != NULL && at < end) {
    unsigned char *field = at;
    uint64_t tag, value = 0;
    at = read_varint(at, end, &tag);
    if (at == NULL) {
      return;
    }
    if ((tag & 7) == 5 || (tag & 7) == 1) {
      at += (tag & 7) == 5 ? 4 : 8;
      continue;
    }
    at = read_varint(at, end, &value);
    if (at != NULL && (tag & 7) == 2 && value > (uint64_t)(end - at)) {
      return;
    }
    if (at != NULL && depth == 6 && tag == path[6] << 3) {
      open_size(field, at, count);
    } else if (at != NULL && (tag & 7) == 2 && depth < 6 && tag >> 3 == path[depth]) {
      open_sizes(at, at + value, depth + 1, count);
    }
    at = at != NULL && (tag & 7) == 2 ? at + value : at;
  }
}

/* The model of a test without sizes, its inputs, and the tensors for them. */
typedef struct open_test {
  file bytes;
  webnn_onnx_model *model;
  webnn_onnx_port ports[MAX_PORTS];
  size_t count;
  const tensors *in, *out;
} open_test;

static bool open_model(const char *path, bool dynamic, const tensors *in, const tensors *out,
                       open_test *t, webnn_error *error) {
  webnn_onnx_options options = WEBNN_ZERO;
  unsigned count = 0;
  memset(t, 0, sizeof *t);
  options.fixed = !dynamic;
  options.float64_as_float32 = true;
  if (!read_file(path, &t->bytes)) {
    return false;
  }
  open_sizes(t->bytes.bytes, t->bytes.bytes + t->bytes.length, 0, &count);
  t->in = in;
  t->out = out;
  (void)webnn_onnx_read(t->bytes.bytes, t->bytes.length, NULL, &options, &t->model, error);
  t->count = webnn_onnx_inputs(t->model, t->ports, MAX_PORTS);
  return t->model != NULL;
}

static void close_model(open_test *t) {
  webnn_onnx_free(t->model);
  free(t->bytes.bytes);
}

/* The elements as a graph takes them: to be freed. */
static void *in_graph_type(const webnn_onnx_tensor *t) {
  void *data = calloc((size_t)t->count + 1, 8);
  if (data != NULL) {
    (void)webnn_onnx_to_graph_type(t->type, t->data, (size_t)t->count, data);
  }
  return data;
}

/* The shapes of the outputs, then a run, beside the tensors of the test. */
static outcome run_feeds(webnn_onnx_session *session, const webnn_onnx_feed *feeds, size_t count,
                         const tensors *out, size_t outputs, char *why, size_t room) {
  static webnn_onnx_port ports[MAX_PORTS];
  webnn_named_output bound[MAX_PORTS];
  webnn_error error = WEBNN_ZERO;
  memory o;
  outcome found = NOT_EXPRESSIBLE;
  size_t k;
  memset(&o, 0, sizeof o);
  if (webnn_onnx_compute_shapes(session, feeds, count, ports, &error) == WEBNN_OK) {
    for (o.count = 0; o.count < outputs; o.count++) {
      o.ports[o.count].name = ports[o.count].name;
      o.ports[o.count].descriptor = ports[o.count].descriptor;
      o.ports[o.count].byte_length =
          ports[o.count].is_empty ? 0 : webnn_byte_length(ports[o.count].descriptor);
      o.data[o.count] = calloc((size_t)o.ports[o.count].byte_length + 8, 1);
      bound[o.count].name = ports[o.count].name;
      bound[o.count].data = o.data[o.count];
      bound[o.count].byte_length = (size_t)o.ports[o.count].byte_length;
    }
    found =
        webnn_onnx_run(session, feeds, count, bound, outputs, &error) == WEBNN_OK ? PASSED : WRONG;
  }
  (void)snprintf(why, room, "%s", error.message);
  for (k = 0; k < o.count && found == PASSED; k++) {
    found = k < out->count && matches(&o.ports[k], o.data[k], &out->items[k], why, room) ? PASSED
                                                                                         : WRONG;
  }
  free_memory(&o);
  return found;
}

/* Of a session that may have one graph for all sizes, and of one that has a graph for each. */
static outcome run_session(webnn_context *context, const char *path, const tensors *in,
                           const tensors *out, char *why, size_t room) {
  webnn_onnx_feed feeds[MAX_PORTS];
  webnn_onnx_session *session = NULL;
  webnn_onnx_session_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  outcome found = NOT_EXPRESSIBLE;
  unsigned kind;
  open_test t;
  size_t i;
  if (open_model(path, false, in, out, &t, &error)) {
    found = t.count <= in->count ? PASSED : NOT_EXPRESSIBLE;
  } else {
    (void)snprintf(why, room, "%s", error.message);
  }
  for (i = 0; i < t.count && i < in->count; i++) {
    memset(&feeds[i], 0, sizeof feeds[i]);
    feeds[i].name = t.ports[i].name;
    feeds[i].shape = in->items[i].shape;
    feeds[i].data = in_graph_type(&in->items[i]);
    feeds[i].byte_length =
        (size_t)((in->items[i].count *
                      webnn_data_type_bits(webnn_onnx_graph_type(in->items[i].type)) +
                  7) /
                 8);
  }
  for (kind = 0; kind < 2 && found == PASSED; kind++) {
    options.fixed = kind > 0;
    (void)webnn_onnx_create_session(t.model, context, &options, &session, &error);
    found =
        run_feeds(session, feeds, t.count, out, webnn_onnx_outputs(t.model, NULL, 0), why, room);
    webnn_onnx_free_session(session);
  }
  for (i = 0; i < t.count && i < in->count; i++) {
    free((void *)(uintptr_t)feeds[i].data);
  }
  close_model(&t);
  return found;
}

static void *data_of_test(void *user, const char *name, webnn_list *shape) {
  const open_test *t = (const open_test *)user;
  const webnn_onnx_tensor *tensor = tensor_for(name, t->ports, t->count, t->in);
  memset(shape, 0, sizeof *shape);
  if (tensor == NULL) {
    return NULL;
  }
  *shape = tensor->shape;
  return in_graph_type(tensor);
}

static outcome run_dynamic(webnn_context *context, const char *path, const tensors *in,
                           const tensors *out, char *why, size_t room) {
  static dispatched results[MAX_PORTS];
  webnn_graph_port ports[MAX_PORTS];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  outcome found = NOT_EXPRESSIBLE;
  open_test t;
  size_t i, count = 0;
  for (i = 0; i < in->count; i++) {
    if (in->items[i].count == 0) {
      return NOT_EXPRESSIBLE; /* a dynamic dimension is never 0 */
    }
  }
  if (open_model(path, true, in, out, &t, &error) &&
      webnn_onnx_build(t.model, context, &graph, &error) == WEBNN_OK && graph != NULL) {
    found = PASSED;
    (void)webnn_graph_outputs(graph, ports, MAX_PORTS);
    if (dispatch_graph(context, graph, data_of_test, &t, results, &count, &error) != WEBNN_OK) {
      (void)snprintf(why, room, "%s", error.message);
      found = WRONG;
    }
    for (i = 0; i < count && found == PASSED; i++) {
      ports[i].descriptor.shape = results[i].shape;
      ports[i].byte_length = results[i].byte_length;
      found = i < out->count && matches(&ports[i], results[i].data, &out->items[i], why, room)
                  ? PASSED
                  : WRONG;
    }
    free_results(results, count);
  }
  webnn_free_graph(graph);
  close_model(&t);
  return found;
}

typedef struct totals {
  size_t outcomes[3], ways[WAYS], faults;
  size_t open[2][3]; /* by sessions, and dynamic */
  bool verbose;
} totals;

/* The first data set of a test that passes, with open sizes. */
static void run_open(const char *path, const tensors *in, const tensors *out, totals *t) {
  static const char *const names[2] = {"by a session", "dynamic"};
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  char why[600] = "";
  int i;
  options.numerics = fast ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  (void)webnn_create_context(&options, &context, NULL);
  for (i = 0; i < 2; i++) {
    const outcome found =
        (i == 0 ? run_session : run_dynamic)(context, path, in, out, why, sizeof why);
    t->open[i][found]++;
    t->faults += found == WRONG;
    if (found == WRONG || (t->verbose && found == NOT_EXPRESSIBLE && i == 0)) {
      printf("%s %s, %s: %s\n", found == WRONG ? "WRONG" : "not expressible", path, names[i], why);
    }
  }
  webnn_free_context(context);
}

static void run_test(const char *data, const char *kind, const char *name, totals *t) {
  char path[1024], folder[1200], why[600] = "", first[600] = "";
  tensors in, out;
  outcome result = NOT_EXPRESSIBLE;
  struct stat status;
  int way = 0, set;
  for (set = 0; set < 8; set++) {
    (void)snprintf(path, sizeof path, "%s/%s/%s/model.onnx", data, kind, name);
    (void)snprintf(folder, sizeof folder, "%s/%s/%s/test_data_set_%d", data, kind, name, set);
    if (stat(folder, &status) != 0) {
      break;
    }
    read_tensors(folder, "input", &in);
    read_tensors(folder, "output", &out);
    result = NOT_EXPRESSIBLE;
    for (way = 0; way < WAYS && result == NOT_EXPRESSIBLE; way++) {
      result = run_way(path, way, &in, &out, why, sizeof why);
      if (way == 0) {
        memcpy(first, why, sizeof first);
      }
    }
    if (result == PASSED && set == 0) {
      run_open(path, &in, &out, t);
    }
    free_tensors(&in);
    free_tensors(&out);
    if (result != PASSED) {
      break;
    }
  }
  t->outcomes[result]++;
  t->faults += result == WRONG && strcmp(name, faulty) != 0;
  if (result == PASSED && way > 0) {
    t->ways[way - 1]++;
  }
  if (result == WRONG || (t->verbose && result == NOT_EXPRESSIBLE)) {
    printf("%s %s/%s: %s\n", result == WRONG ? "WRONG" : "not expressible", kind, name, why);
  }
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, sorted. */
static size_t list_folder(const char *path, char **names, size_t room) {
  DIR *stream = opendir(path);
  struct dirent *entry;
  size_t count = 0;
  while (stream != NULL && count < room && (entry = readdir(stream)) != NULL) {
    if (entry->d_name[0] != '.') {
      names[count] = (char *)malloc(strlen(entry->d_name) + 1);
      if (names[count] != NULL) {
        strcpy(names[count++], entry->d_name);
      }
    }
  }
  if (stream != NULL) {
    (void)closedir(stream);
  }
  qsort(names, count, sizeof *names, by_name);
  return count;
}

int main(int argc, char **argv) {
  static const char *const kinds[] = {"node", "simple", "pytorch-converted", "pytorch-operator"};
  static char *names[4096];
  const char *data = "/usr/share/libonnx-testdata/data", *only = NULL;
  char path[1024];
  totals all;
  size_t i, k;
  int a;
  memset(&all, 0, sizeof all);
  for (a = 1; a < argc; a++) {
    if (strcmp(argv[a], "-v") == 0) {
      all.verbose = true;
    } else if (strcmp(argv[a], "-f") == 0) {
      fast = true;
    } else if (strcmp(argv[a], "-o") == 0 && a + 1 < argc) {
      only = argv[++a];
    } else {
      data = argv[a];
    }
  }
  printf("%-18s %6s %15s %5s\n", "", "passed", "not expressible", "wrong");
  for (k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    totals t;
    size_t count;
    memset(&t, 0, sizeof t);
    t.verbose = all.verbose;
    (void)snprintf(path, sizeof path, "%s/%s", data, kinds[k]);
    count = list_folder(path, names, sizeof names / sizeof names[0]);
    for (i = 0; i < count; i++) {
      if (only == NULL || strcmp(only, names[i]) == 0) {
        run_test(data, kinds[k], names[i], &t);
      }
      free(names[i]);
    }
    all.faults += t.faults;
    printf("%-18s %6u %15u %5u\n", kinds[k], (unsigned)t.outcomes[PASSED],
           (unsigned)t.outcomes[NOT_EXPRESSIBLE], (unsigned)t.outcomes[WRONG]);
    for (i = 0; i < 3; i++) {
      all.outcomes[i] += t.outcomes[i];
    }
    for (i = 0; i < WAYS; i++) {
      all.ways[i] += t.ways[i];
    }
    for (i = 0; i < 6; i++) {
      all.open[i / 3][i % 3] += t.open[i / 3][i % 3];
    }
  }
  printf("%-18s %6u %15u %5u\n", "all", (unsigned)all.outcomes[PASSED],
         (unsigned)all.outcomes[NOT_EXPRESSIBLE], (unsigned)all.outcomes[WRONG]);
  for (i = 0; i < WAYS; i++) {
    printf("  %5u passed with inputs given %s\n", (unsigned)all.ways[i], way_names[i]);
  }
  printf("  with open sizes %u passed by sessions and %u as graphs with dynamic dimensions\n",
         (unsigned)all.open[0][PASSED], (unsigned)all.open[1][PASSED]);
  if (all.outcomes[PASSED] + all.outcomes[NOT_EXPRESSIBLE] + all.outcomes[WRONG] == 0) {
    printf("no tests in %s: install libonnx-testdata\n", data);
    return 77;
  }
  return all.faults != 0 || (only == NULL && (all.outcomes[PASSED] < KNOWN_TO_PASS ||
                                              all.open[0][PASSED] < KNOWN_BY_SESSION ||
                                              all.open[1][PASSED] < KNOWN_DYNAMIC));
}
