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

/* The model, and a session in which its data sets run: one keeps the graphs of all. */
typedef struct tested {
  model *m;
  onnx_file *file;
  webnn_onnx_session *session;
  const webnn_onnx_port *inputs, *outputs; /* inputs are those without initializers */
  size_t input_count, output_count;
} tested;

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
static void correct_types(const webnn_onnx_port *ports, size_t port_count,
                          webnn_onnx_tensor *tensors, size_t count) {
  for (size_t i = 0; i < count && i < port_count; i++)
    if (ports[i].type == WEBNN_ONNX_BFLOAT16 && tensors[i].type == WEBNN_ONNX_UINT16)
      tensors[i].type = WEBNN_ONNX_BFLOAT16;
}

/* The tensor as a graph has it. False: its type has no graph type. */
static bool to_graph_type(arena *memory, const webnn_onnx_tensor *from, tensor *to) {
  memset(to, 0, sizeof *to);
  to->descriptor.data_type = webnn_onnx_graph_type(from->type);
  to->descriptor.shape = from->shape;
  to->count = (size_t)from->count;
  to->byte_length = (size_t)webnn_byte_length(to->descriptor);
  to->data = take(memory, to->count * sizeof(uint64_t) + 1);
  return webnn_onnx_to_graph_type(from->type, from->data, to->count, to->data);
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* The file stays open as long as the session. */
static webnn_status start_session(tested *t, model *m, onnx_file *file) {
  webnn_error error = WEBNN_ZERO;
  t->m = m;
  t->inputs = onnx_ports(m->memory, file->model, false, &t->input_count);
  t->outputs = onnx_ports(m->memory, file->model, true, &t->output_count);
  if (webnn_onnx_create_session(file->model, m->context, NULL, &t->session, &error) != WEBNN_OK)
    complain(NULL, "%s", onnx_message(m->memory, m->path, error.message));
  else
    t->file = file;
  return error.status;
}

/* The model once more, which computes float64 in float32. */
static webnn_status open_in_float32(tested *t, model *m) {
  session *s = (session *)take(m->memory, sizeof(session));
  onnx_file *file = (onnx_file *)take(m->memory, sizeof(onnx_file));
  webnn_status status;
  *s = m->request->session;
  s->float64_as_float32 = true;
  status = onnx_open(s, m->memory, m->path, file);
  if (status == WEBNN_OK)
    status = start_session(t, m, file);
  if (status != WEBNN_OK)
    onnx_close_file(file);
  return status;
}

/* A tensor of the test for an input of the model. Of a type that no graph has, or of another rank
   than the model's, it is none: the input is what the model says, and data are missed only where
   the graph has it. */
static bool take_feed(data_set *d, const webnn_onnx_port *port, const webnn_onnx_tensor *given,
                      webnn_onnx_feed *feed) {
  const webnn_list *own = &port->descriptor.shape;
  tensor t;
  feed->name = port->name;
  feed->shape.given = !own->given;
  if (!to_graph_type(&d->memory, given, &t) ||
      (own->given && own->count != t.descriptor.shape.count))
    return true;
  if (t.descriptor.data_type != webnn_onnx_graph_type(port->type))
    return complain(NULL, "%s: the tensor of input \"%s\" must be of %s; it is of %s", d->folder,
                    port->name, webnn_onnx_type_name(port->type),
                    webnn_onnx_type_name(given->type));
  feed->shape = t.descriptor.shape;
  feed->shape.given = true;
  feed->data = t.data;
  feed->byte_length = t.byte_length;
  return true;
}

/* One for each input of the model; NULL after a complaint. */
static webnn_onnx_feed *take_feeds(data_set *d, const tested *t) {
  webnn_onnx_feed *feeds =
      (webnn_onnx_feed *)take(&d->memory, (t->input_count + 1) * sizeof(webnn_onnx_feed));
  webnn_onnx_tensor none;
  memset(&none, 0, sizeof none);
  for (size_t i = 0; i < t->input_count; i++)
    if (!take_feed(d, &t->inputs[i], i < d->input_count ? &d->inputs[i] : &none, &feeds[i]))
      return NULL;
  return feeds;
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

/* The memory of an output of the model, whose sizes are known. One without elements has none. */
static tensor new_output(data_set *d, const webnn_onnx_port *port) {
  tensor t;
  memset(&t, 0, sizeof t);
  t.descriptor = port->descriptor;
  if (port->is_empty)
    return t;
  t.count = 1;
  for (size_t k = 0; k < t.descriptor.shape.count; k++)
    t.count *= t.descriptor.shape.items[k];
  t.byte_length = (size_t)webnn_byte_length(t.descriptor);
  t.data = take(&d->memory, t.byte_length + 1);
  return t;
}

static bool compare_all(data_set *d, const webnn_onnx_port *ports, const tensor *actual) {
  bool right = true;
  for (size_t i = 0; i < d->output_count; i++) {
    tensor expected;
    if (!to_graph_type(&d->memory, &d->outputs[i], &expected))
      right = complain(NULL, "%s/output_%lu.pb: its tensor must be of a type that a graph can have",
                       d->folder, (unsigned long)i);
    else
      right =
          compare(d, ports[i].name, &actual[i], &expected, tolerance_of(d, d->outputs[i].type)) &&
          right;
  }
  return right;
}

/* Builds the graph for the data set, whose outputs have these shapes then. */
static int run_and_compare(data_set *d, const tested *t, const webnn_onnx_feed *feeds,
                           const webnn_onnx_port *ports) {
  const size_t count = t->output_count;
  webnn_named_output *out =
      (webnn_named_output *)take(&d->memory, (count + 1) * sizeof(webnn_named_output));
  tensor *actual = (tensor *)take(&d->memory, (count + 1) * sizeof(tensor));
  webnn_error error = WEBNN_ZERO;
  if (count != d->output_count)
    return complain(NULL, "%s: the model has %lu outputs, and the test data tensors for %lu",
                    d->folder, (unsigned long)count, (unsigned long)d->output_count),
           EXIT_BAD_INPUT;
  for (size_t i = 0; i < count; i++) {
    actual[i] = new_output(d, &ports[i]);
    out[i].name = ports[i].name;
    out[i].data = actual[i].data;
    out[i].byte_length = actual[i].byte_length;
  }
  if (webnn_onnx_run(t->session, feeds, t->input_count, out, count, &error) != WEBNN_OK) {
    complain(NULL, "%s: %s", d->folder, error.message); /* a TypeError: data are missing */
    return error.status == WEBNN_TYPE_ERROR ? EXIT_BAD_INPUT : EXIT_DIFFERS;
  }
  return compare_all(d, ports, actual) ? EXIT_RIGHT : EXIT_DIFFERS;
}

/* *built: could the graph be built? */
static int try_set(data_set *d, const tested *t, bool quietly, bool *built) {
  const bool quiet = complain_quietly(quietly);
  webnn_onnx_port *ports =
      (webnn_onnx_port *)take(&d->memory, (t->output_count + 1) * sizeof(webnn_onnx_port));
  webnn_error error = WEBNN_ZERO;
  const webnn_onnx_feed *feeds = take_feeds(d, t);
  *built = feeds &&
           webnn_onnx_compute_shapes(t->session, feeds, t->input_count, ports, &error) == WEBNN_OK;
  if (feeds && !*built)
    complain(NULL, "%s", onnx_message(&d->memory, d->m->path, error.message));
  complain_quietly(quiet);
  return *built  ? run_and_compare(d, t, feeds, ports)
         : feeds ? onnx_exit_status(error.status)
                 : EXIT_BAD_INPUT;
}

/* A model that cannot be built as it is may be one that computes in float64. `asked` has the
   options of the command line, `other` computes float64 in float32 and is opened when needed. */
static int test_set(data_set *d, const tested *asked, tested *other) {
  const bool as_float32 = d->m->request->session.float64_as_float32;
  bool built;
  const int result = try_set(d, asked, !as_float32, &built);
  webnn_status status = WEBNN_OK;
  if (built || as_float32)
    return result;
  if (!other->session)
    status = open_in_float32(other, d->m);
  return status == WEBNN_OK ? try_set(d, other, false, &built) : onnx_exit_status(status);
}

static int test_folder_of(tested *asked, tested *other, const char *folder) {
  data_set *d = (data_set *)take(asked->m->memory, sizeof(data_set));
  int result;
  d->m = asked->m;
  d->folder = folder;
  d->input_count = read_tensors(d, "input", d->inputs);
  d->output_count = read_tensors(d, "output", d->outputs);
  correct_types(asked->inputs, asked->input_count, d->inputs, d->input_count);
  correct_types(asked->outputs, asked->output_count, d->outputs, d->output_count);
  result = test_set(d, asked, other);
  free_tensors(d->inputs, d->input_count);
  free_tensors(d->outputs, d->output_count);
  release(&d->memory);
  return result;
}

/* Runs the data sets, as many as there are, and counts them. */
static int test_sets(tested *asked, tested *other, size_t *count) {
  model *m = asked->m;
  const char *beside = take_text(m->memory, "%.*s", (int)(file_part(m->path) - m->path), m->path);
  int worst = EXIT_RIGHT;
  for (*count = 0;; ++*count) {
    const char *folder = take_text(m->memory, "%stest_data_set_%lu", beside, (unsigned long)*count);
    if (!is_folder(folder))
      return worst;
    worst = graver(worst, test_folder_of(asked, other, folder));
  }
}

int onnx_test(model *m) {
  tested asked, other;
  size_t count = 0;
  int status = onnx_read(m);
  if (status != EXIT_RIGHT)
    return status;
  memset(&asked, 0, sizeof asked);
  memset(&other, 0, sizeof other);
  if (start_session(&asked, m, onnx_file_of(m)) != WEBNN_OK)
    return EXIT_BAD_INPUT;
  status = test_sets(&asked, &other, &count);
  webnn_onnx_free_session(asked.session);
  webnn_onnx_free_session(other.session);
  if (other.file)
    onnx_close_file(other.file);
  return count > 0 ? status
                   : (complain(NULL, "%s: there is no folder test_data_set_0 beside it", m->path),
                      EXIT_DIFFERS);
}
