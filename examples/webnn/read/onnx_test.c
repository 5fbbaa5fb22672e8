/* Tests in ONNX's form: beside model.onnx folders test_data_set_0, test_data_set_1, ..., each with
   the tensors input_0.pb, output_0.pb, ... in the order of the model's inputs and outputs. Floats are
   compared as ONNX compares them, integers exactly. */
#include "onnx_model.h"

#include <math.h>
#include <string.h>

/* Floats may differ by `relative` of the expected element and, where a network rounds to few bits after each
   operator, by `of_largest` of the largest expected element of the output: two steps of the type there. Older
   files have bfloat16 cut off where ONNX now says to round. */
typedef struct tolerance {
  double relative, absolute, of_largest;
} tolerance;

static const tolerance of_float32 = {1e-3, 1e-7, 0};
static const tolerance of_float16 = {1e-3, 1e-7, 1.0 / 512};
static const tolerance of_bfloat16 = {1.0 / 128, 1e-7, 1.0 / 64};

enum { MOST_TENSORS = 256 };

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
  const webnn_onnx_port *ports = onnx_ports(&d->memory, onnx_of(d->m), outputs, &port_count);
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

/* The test's tensor for an input of the model; NULL: there is none. */
static const webnn_onnx_tensor *tensor_of(data_set *d, const char *name) {
  size_t count;
  const webnn_onnx_port *ports = onnx_ports(&d->memory, onnx_of(d->m), false, &count);
  for (size_t i = 0; i < count && i < d->input_count; i++)
    if (strcmp(ports[i].name, name) == 0)
      return &d->inputs[i];
  return NULL;
}

/* The same for what is to be known when the graph is built: a shape, axes, a condition. */
static onnx_found value_of_test(void *user, const webnn_onnx_port *port, webnn_onnx_tensor *value) {
  const webnn_onnx_tensor *given = tensor_of((data_set *)user, port->name);
  if (!given || given->type != port->type)
    return ONNX_NONE;
  *value = *given;
  return ONNX_FOUND;
}

static onnx_found shape_of_test(void *user, const webnn_onnx_port *port, const char **what,
                                webnn_list *shape) {
  const webnn_onnx_tensor *given = tensor_of((data_set *)user, port->name);
  (void)what;
  if (!given || given->type != port->type || given->shape.count != port->descriptor.shape.count)
    return ONNX_NONE;
  *shape = given->shape;
  return ONNX_FOUND;
}

/* Builds the model with the sizes and values of the test. */
static webnn_status build_for(data_set *d, bool float64_as_float32, onnx_file *file,
                              webnn_graph **graph) {
  session *s = (session *)take(&d->memory, sizeof(session));
  const onnx_values values = {value_of_test, shape_of_test, d, true};
  webnn_status status;
  *s = d->m->request->session;
  s->float64_as_float32 = float64_as_float32;
  status = onnx_open(s, &d->memory, d->m->path, file);
  if (status == WEBNN_OK)
    status = onnx_settle(file, &values);
  return status == WEBNN_OK ? onnx_build_graph(file, &values, d->m->context, graph) : status;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static tolerance tolerance_of(const data_set *d, webnn_onnx_type type) {
  const request *r = d->m->request;
  tolerance t = type == WEBNN_ONNX_FLOAT16    ? of_float16
                : type == WEBNN_ONNX_BFLOAT16 ? of_bfloat16
                                              : of_float32;
  if (r->has_rtol)
    t.relative = r->rtol;
  if (r->session.has_atol) {
    t.absolute = r->session.atol;
    t.of_largest = 0;
  }
  return t;
}

/* The part in proportion to the largest element as an absolute one. */
static tolerance settled(tolerance t, const tensor *expected) {
  double largest = 0;
  for (size_t i = 0; i < expected->count && t.of_largest > 0; i++) {
    const double size = fabs(element_value(expected, i));
    largest = isfinite(size) && size > largest ? size : largest;
  }
  t.absolute += t.of_largest * largest;
  return t;
}

static bool is_near(double actual, double expected, tolerance t) {
  if (actual == expected || (isnan(actual) && isnan(expected)))
    return true;
  return fabs(actual - expected) <= t.absolute + t.relative * fabs(expected);
}

/* The elements as text are left in `a` and `e` where they differ. */
static bool same_element(const tensor *actual, const tensor *expected, size_t i, tolerance t,
                         char a[ELEMENT_ROOM], char e[ELEMENT_ROOM]) {
  if (is_float_type(actual->descriptor.data_type) &&
      is_near(element_value(actual, i), element_value(expected, i), t))
    return true;
  element_text(actual, i, a);
  element_text(expected, i, e);
  return strcmp(a, e) == 0;
}

static bool compare(data_set *d, const char *name, const tensor *actual, const tensor *expected,
                    tolerance t) {
  char a[ELEMENT_ROOM], e[ELEMENT_ROOM], first_a[ELEMENT_ROOM], first_e[ELEMENT_ROOM];
  size_t different = 0, first = 0;
  t = is_float_type(expected->descriptor.data_type) ? settled(t, expected) : t;
  if (!same_descriptor(&actual->descriptor, &expected->descriptor))
    return complain(NULL, "%s: output \"%s\" must be %s; it is %s", d->folder, name,
                    descriptor_text(&d->memory, &expected->descriptor),
                    descriptor_text(&d->memory, &actual->descriptor));
  for (size_t i = 0; i < actual->count; i++) {
    if (same_element(actual, expected, i, t, a, e))
      continue;
    if (different++ == 0) {
      first = i;
      memcpy(first_a, a, sizeof a);
      memcpy(first_e, e, sizeof e);
    }
  }
  return different == 0 ||
         complain(NULL, "%s: output \"%s\": element %s must be %s; it is %s; %lu of %lu differ",
                  d->folder, name, element_place(&d->memory, actual, first), first_e, first_a,
                  (unsigned long)different, (unsigned long)actual->count);
}

/* ---- Running --------------------------------------------------------------------------------- */

static bool take_input(data_set *d, const webnn_graph_port *port, webnn_named_input *in) {
  const webnn_onnx_tensor *given = tensor_of(d, port->name);
  tensor t;
  if (!given || !carry(&d->memory, given, &t))
    return complain(NULL, "%s: there is no tensor for the input \"%s\"", d->folder, port->name);
  if (!same_descriptor(&port->descriptor, &t.descriptor))
    return complain(NULL, "%s: the tensor of input \"%s\" must be %s; it is %s", d->folder,
                    port->name, descriptor_text(&d->memory, &port->descriptor),
                    descriptor_text(&d->memory, &t.descriptor));
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

/* The output of the model as the graph made it. An output without elements is none of the graph's. */
static tensor output_of(const webnn_onnx_port *port, const webnn_graph_port *ports,
                        const webnn_named_output *out, size_t count) {
  tensor t;
  memset(&t, 0, sizeof t);
  t.descriptor = port->descriptor;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(ports[i].name, port->name) != 0)
      continue;
    t.descriptor = ports[i].descriptor;
    t.data = out[i].data;
    t.count = 1;
    for (size_t k = 0; k < t.descriptor.shape.count; k++)
      t.count *= t.descriptor.shape.items[k];
  }
  return t;
}

/* `all` are the outputs of the model, `ports` those of its graph. */
static bool compare_all(data_set *d, const webnn_onnx_port *all, const webnn_graph_port *ports,
                        const webnn_named_output *out, size_t count) {
  bool right = true;
  for (size_t i = 0; i < d->output_count; i++) {
    const tensor actual = output_of(&all[i], ports, out, count);
    tensor expected;
    if (!carry(&d->memory, &d->outputs[i], &expected))
      right = complain(NULL, "%s/output_%lu.pb: its tensor must be of a type that a graph can have",
                       d->folder, (unsigned long)i);
    else
      right =
          compare(d, all[i].name, &actual, &expected, tolerance_of(d, d->outputs[i].type)) && right;
  }
  return right;
}

/* Without a graph all outputs are empty. */
static int run_and_compare(data_set *d, const webnn_onnx_model *built, webnn_graph *graph) {
  size_t in_count, out_count, all_count;
  const webnn_onnx_port *all = onnx_ports(&d->memory, built, true, &all_count);
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
  if (all_count != d->output_count)
    return complain(NULL, "%s: the model has %lu outputs, and the test data tensors for %lu",
                    d->folder, (unsigned long)all_count, (unsigned long)d->output_count),
           EXIT_BAD_INPUT;
  if (graph &&
      webnn_compute(d->m->context, graph, in, in_count, out, out_count, &error) != WEBNN_OK)
    return complain(NULL, "%s: %s", d->folder, error.message), EXIT_DIFFERS;
  return compare_all(d, all, out_ports, out, out_count) ? EXIT_RIGHT : EXIT_DIFFERS;
}

/* A model that cannot be built as it is may be one that computes in float64. */
static int test_set(data_set *d) {
  const bool asked = d->m->request->session.float64_as_float32;
  for (int as_float32 = asked; as_float32 < 2; as_float32++) {
    const bool quiet = complain_quietly(as_float32 == 0);
    webnn_graph *graph = NULL;
    onnx_file file;
    const webnn_status status = build_for(d, as_float32 != 0, &file, &graph);
    int result;
    complain_quietly(quiet);
    result = status == WEBNN_OK ? run_and_compare(d, file.model, graph) : onnx_exit_status(status);
    webnn_free_graph(graph);
    onnx_close_file(&file);
    if (status == WEBNN_OK || as_float32 != 0)
      return result;
  }
  return EXIT_NOT_EXPRESSIBLE;
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
  return count > 0 ? worst
                   : (complain(NULL, "%s: there is no folder test_data_set_0 beside it", m->path),
                      EXIT_DIFFERS);
}
