/* Tests in ONNX's form: beside model.onnx folders test_data_set_0, test_data_set_1, ..., each with
   the tensors input_0.pb, output_0.pb, ... in the order of the model's inputs and outputs. Floats are
   compared as ONNX compares them, integers exactly. */
#include "onnx_model.h"

#include <math.h>
#include <string.h>

/* Older files have bfloat16 cut off where ONNX now says to round. */
#define RELATIVE_TOLERANCE 1e-3
#define RELATIVE_TOLERANCE_BFLOAT16 (1.0 / 128)
#define ABSOLUTE_TOLERANCE 1e-7

enum { MOST_TENSORS = 256 };

/* What a test gives as an input may have to be known when the graph is built: a shape, axes, a
   condition. These are tried one after the other. */
typedef enum way {
  AS_THEY_ARE,
  LISTS_KNOWN, /* integers of at most one dimension */
  FLOAT64_AS_FLOAT32,
  INTEGERS_KNOWN,
  ALL_KNOWN,
  WAY_COUNT
} way;

typedef struct data_set {
  model *m;
  const char *folder;
  webnn_onnx_tensor inputs[MOST_TENSORS], outputs[MOST_TENSORS];
  size_t input_count, output_count;
  arena memory;
} data_set;

/* ---- Tensors --------------------------------------------------------------------------------- */

/* A file without a tensor, which may hold a sequence, has the type 0. */
static size_t read_tensors(data_set *d, const char *kind, webnn_onnx_tensor *tensors) {
  size_t count = 0;
  for (; count < MOST_TENSORS; count++) {
    const char *path = take_text(&d->memory, "%s/%s_%lu.pb", d->folder, kind, (unsigned long)count);
    const char *bytes;
    size_t length;
    if (!file_exists(path))
      break;
    bytes = file_read(&d->memory, path, &length);
    memset(&tensors[count], 0, sizeof tensors[count]);
    if (bytes)
      webnn_onnx_read_tensor(bytes, length, &tensors[count], NULL);
  }
  return count;
}

static void free_tensors(webnn_onnx_tensor *tensors, size_t count) {
  for (size_t i = 0; i < count; i++)
    webnn_onnx_free_tensor(&tensors[i]);
}

/* ONNX 1.12 wrote bfloat16 as the uint16 of its bits. */
static void correct_types(data_set *d, bool outputs, webnn_onnx_tensor *tensors, size_t count) {
  size_t port_count;
  const webnn_onnx_port *ports =
      onnx_ports(&d->memory, ((onnx_model *)d->m->own)->model, outputs, &port_count);
  for (size_t i = 0; i < count && i < port_count; i++)
    if (ports[i].type == WEBNN_ONNX_BFLOAT16 && tensors[i].type == WEBNN_ONNX_UINT16)
      tensors[i].type = WEBNN_ONNX_BFLOAT16;
}

/* The tensor as a graph has it. False: its type has no carrier. */
static bool carry(arena *memory, const webnn_onnx_tensor *from, tensor *to) {
  memset(to, 0, sizeof *to);
  to->descriptor.data_type = webnn_onnx_carrier(from->type);
  to->descriptor.shape = from->shape;
  to->count = (size_t)from->count;
  to->data = take(memory, to->count * sizeof(uint64_t) + 1);
  return webnn_onnx_carry(from->type, from->data, to->count, to->data);
}

/* ---- Building -------------------------------------------------------------------------------- */

static bool is_float(webnn_onnx_type type) {
  return type == WEBNN_ONNX_FLOAT || type == WEBNN_ONNX_FLOAT16 || type == WEBNN_ONNX_DOUBLE ||
         type == WEBNN_ONNX_BFLOAT16;
}

static bool is_known(way how, const webnn_onnx_tensor *t) {
  if (how == ALL_KNOWN)
    return true;
  return !is_float(t->type) &&
         (how == INTEGERS_KNOWN || (how != AS_THEY_ARE && t->shape.count <= 1));
}

/* Adds the sizes that the test's inputs have. */
static void take_sizes(data_set *d, const webnn_onnx_port *port, const webnn_onnx_tensor *t,
                       webnn_onnx_options *options, webnn_onnx_dimension *sizes) {
  if (port->descriptor.shape.count != t->shape.count)
    return;
  for (uint32_t i = 0; i < t->shape.count; i++) {
    const char *name = onnx_dimension_name(&d->memory, port, i);
    if (!name)
      continue;
    sizes[options->dimension_count].name = name;
    sizes[options->dimension_count++].size = t->shape.items[i];
  }
}

static webnn_onnx_options options_of(data_set *d, way how) {
  const webnn_onnx_model *onnx = ((onnx_model *)d->m->own)->model;
  webnn_onnx_options options = onnx_options(&d->m->request->session, &d->memory);
  size_t count;
  const webnn_onnx_port *ports = onnx_ports(&d->memory, onnx, false, &count);
  const size_t room = options.dimension_count + count * WEBNN_MAX_RANK + 1;
  webnn_onnx_dimension *sizes =
      (webnn_onnx_dimension *)take(&d->memory, room * sizeof(webnn_onnx_dimension));
  webnn_onnx_known *known =
      (webnn_onnx_known *)take(&d->memory, (count + 1) * sizeof(webnn_onnx_known));
  memcpy(sizes, options.dimensions, options.dimension_count * sizeof *sizes);
  options.dimensions = sizes;
  options.known = known;
  options.float64_as_float32 = options.float64_as_float32 || how >= FLOAT64_AS_FLOAT32;
  for (size_t i = 0; i < count && i < d->input_count; i++) {
    const webnn_onnx_tensor *t = &d->inputs[i];
    take_sizes(d, &ports[i], t, &options, sizes);
    if (!is_known(how, t))
      continue;
    known[options.known_count].name = ports[i].name;
    known[options.known_count].shape = t->shape;
    known[options.known_count].data = t->data;
    known[options.known_count++].byte_length = t->byte_length;
  }
  return options;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool is_near(double actual, double expected, double relative) {
  if (actual == expected || (isnan(actual) && isnan(expected)))
    return true;
  return fabs(actual - expected) <= ABSOLUTE_TOLERANCE + relative * fabs(expected);
}

/* The elements as text are left in `a` and `e` where they differ. */
static bool same_element(const tensor *actual, const tensor *expected, size_t i, double relative,
                         char a[ELEMENT_ROOM], char e[ELEMENT_ROOM]) {
  if (is_float_type(actual->descriptor.data_type) &&
      is_near(element_value(actual, i), element_value(expected, i), relative))
    return true;
  element_text(actual, i, a);
  element_text(expected, i, e);
  return strcmp(a, e) == 0;
}

static bool compare(data_set *d, const webnn_graph_port *port, const tensor *actual,
                    const tensor *expected, double relative) {
  char a[ELEMENT_ROOM], e[ELEMENT_ROOM], first_a[ELEMENT_ROOM], first_e[ELEMENT_ROOM];
  size_t different = 0, first = 0;
  if (!same_descriptor(&actual->descriptor, &expected->descriptor))
    return complain(NULL, "%s: output \"%s\" is %s, expected %s", d->folder, port->name,
                    descriptor_text(&d->memory, &actual->descriptor),
                    descriptor_text(&d->memory, &expected->descriptor));
  for (size_t i = 0; i < actual->count; i++) {
    if (same_element(actual, expected, i, relative, a, e))
      continue;
    if (different++ == 0) {
      first = i;
      memcpy(first_a, a, sizeof a);
      memcpy(first_e, e, sizeof e);
    }
  }
  return different == 0 ||
         complain(NULL, "%s: output \"%s\": element %s is %s, expected %s; %lu of %lu differ",
                  d->folder, port->name, element_place(&d->memory, actual, first), first_a, first_e,
                  (unsigned long)different, (unsigned long)actual->count);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* The test's tensor for an input of the graph. */
static const webnn_onnx_tensor *tensor_of(data_set *d, const char *name) {
  size_t count;
  const webnn_onnx_port *ports =
      onnx_ports(&d->memory, ((onnx_model *)d->m->own)->model, false, &count);
  for (size_t i = 0; i < count && i < d->input_count; i++)
    if (strcmp(ports[i].name, name) == 0)
      return &d->inputs[i];
  return NULL;
}

static bool take_input(data_set *d, const webnn_graph_port *port, webnn_named_input *in) {
  const webnn_onnx_tensor *given = tensor_of(d, port->name);
  tensor t;
  if (!given || !carry(&d->memory, given, &t))
    return complain(NULL, "%s: there is no tensor for the input \"%s\"", d->folder, port->name);
  if (!same_descriptor(&port->descriptor, &t.descriptor))
    return complain(NULL, "%s: the tensor of input \"%s\" is %s, and not %s", d->folder, port->name,
                    descriptor_text(&d->memory, &t.descriptor),
                    descriptor_text(&d->memory, &port->descriptor));
  in->name = port->name;
  in->data = t.data;
  in->byte_length = (size_t)port->byte_length;
  return true;
}

static webnn_graph_port *ports_of(data_set *d, const webnn_graph *graph, bool outputs,
                                  size_t *count) {
  size_t (*of)(const webnn_graph *, webnn_graph_port *, size_t) =
      outputs ? webnn_graph_outputs : webnn_graph_inputs;
  webnn_graph_port *ports;
  *count = of(graph, NULL, 0);
  ports = (webnn_graph_port *)take(&d->memory, (*count + 1) * sizeof(webnn_graph_port));
  of(graph, ports, *count);
  return ports;
}

static bool compare_all(data_set *d, const webnn_graph_port *ports, const webnn_named_output *out,
                        size_t count) {
  bool right = true;
  for (size_t i = 0; i < count; i++) {
    tensor actual, expected;
    memset(&actual, 0, sizeof actual);
    actual.descriptor = ports[i].descriptor;
    actual.data = out[i].data;
    actual.count = 1;
    for (size_t k = 0; k < ports[i].descriptor.shape.count; k++)
      actual.count *= ports[i].descriptor.shape.items[k];
    if (!carry(&d->memory, &d->outputs[i], &expected))
      right = complain(NULL, "%s/output_%lu.pb: not a tensor that a graph can have", d->folder,
                       (unsigned long)i);
    else
      right = compare(d, &ports[i], &actual, &expected,
                      d->outputs[i].type == WEBNN_ONNX_BFLOAT16 ? RELATIVE_TOLERANCE_BFLOAT16
                                                                : RELATIVE_TOLERANCE) &&
              right;
  }
  return right;
}

static int run_and_compare(data_set *d, webnn_graph *graph) {
  size_t in_count, out_count;
  const webnn_graph_port *in_ports = ports_of(d, graph, false, &in_count);
  const webnn_graph_port *out_ports = ports_of(d, graph, true, &out_count);
  webnn_named_input *in =
      (webnn_named_input *)take(&d->memory, (in_count + 1) * sizeof(webnn_named_input));
  webnn_named_output *out =
      (webnn_named_output *)take(&d->memory, (out_count + 1) * sizeof(webnn_named_output));
  webnn_error error = WEBNN_ZERO;
  for (size_t i = 0; i < in_count; i++)
    if (!take_input(d, &in_ports[i], &in[i]))
      return EXIT_BAD_INPUT;
  for (size_t i = 0; i < out_count; i++) {
    out[i].name = out_ports[i].name;
    out[i].byte_length = (size_t)out_ports[i].byte_length;
    out[i].data = take(&d->memory, out[i].byte_length + 1);
  }
  if (out_count != d->output_count)
    return complain(NULL, "%s: %lu outputs, and tensors for %lu", d->folder,
                    (unsigned long)out_count, (unsigned long)d->output_count),
           EXIT_BAD_INPUT;
  if (webnn_compute(d->m->context, graph, in, in_count, out, out_count, &error) != WEBNN_OK)
    return complain(NULL, "%s: %s", d->folder, error.message), EXIT_DIFFERS;
  return compare_all(d, out_ports, out, out_count) ? EXIT_RIGHT : EXIT_DIFFERS;
}

/* The first way in which the graph can be built counts. */
static int test_set(data_set *d) {
  webnn_error error = WEBNN_ZERO;
  for (int how = AS_THEY_ARE; how < WAY_COUNT; how++) {
    const webnn_onnx_options options = options_of(d, (way)how);
    webnn_onnx_model *onnx = NULL;
    webnn_graph *graph = NULL;
    int status = EXIT_NOT_EXPRESSIBLE;
    bool built;
    memset(&error, 0, sizeof error);
    built = webnn_onnx_open(d->m->path, &options, &onnx, &error) == WEBNN_OK &&
            webnn_onnx_build(onnx, d->m->context, &graph, &error) == WEBNN_OK;
    if (built)
      status = run_and_compare(d, graph);
    webnn_free_graph(graph);
    webnn_onnx_free(onnx);
    if (built)
      return status;
  }
  complain(NULL, "%s", onnx_message(&d->memory, d->m->path, error.message));
  return onnx_exit_status(error.status);
}

int onnx_test(model *m) {
  const char *beside = take_text(m->memory, "%.*s", (int)(file_part(m->path) - m->path), m->path);
  int status = onnx_read(m), worst = EXIT_RIGHT;
  size_t count = 0;
  if (status != EXIT_RIGHT)
    return status;
  for (;; count++) {
    data_set *d = (data_set *)take(m->memory, sizeof(data_set));
    d->m = m;
    d->folder = take_text(m->memory, "%stest_data_set_%lu", beside, (unsigned long)count);
    if (!is_folder(d->folder))
      break;
    d->input_count = read_tensors(d, "input", d->inputs);
    d->output_count = read_tensors(d, "output", d->outputs);
    correct_types(d, false, d->inputs, d->input_count);
    correct_types(d, true, d->outputs, d->output_count);
    worst = graver(worst, test_set(d));
    free_tensors(d->inputs, d->input_count);
    free_tensors(d->outputs, d->output_count);
    release(&d->memory);
  }
  return count > 0
             ? worst
             : (complain(NULL, "%s: no folder test_data_set_0 beside it", m->path), EXIT_DIFFERS);
}
