/* Models that are one WebNN graph: text (.webnn), webnn-graph's JSON, and cases as JSON. */
#include "model.h"
#include "onnx.h"

#include <string.h>

typedef struct graph_model {
  network network;
} graph_model;

/* What is left when no other kind has taken the file. */
static bool is_graph(const char *path, const char *text, size_t length) {
  (void)path, (void)text, (void)length;
  return true;
}

/* Other kinds of files come here, too, and are no JSON with a mistake in its first character. */
static bool begins_well(const model *m) {
  const char *text = m->text;
  if (ends_with(m->path, ".webnn") || ends_with(m->path, ".json"))
    return true;
  while (*text && strchr(" \t\r\n", *text))
    text++;
  return (*text && strchr("{[w", *text)) ||
         complain(NULL, "%s: a model is ONNX (.onnx), StableHLO (.mlir), .webnn text or JSON",
                  m->path);
}

/* The only case of the file, or the one of --case. */
static bool read_case(model *m, session *s, network *n) {
  case_list list;
  if (!cases_read(s, m->memory, m->path, &list))
    return false;
  if (list.count != 1)
    return complain(list.root, "%lu cases; --case NAME takes one of them",
                    (unsigned long)list.count);
  return network_read(s, m->memory, list.cases[0], n);
}

/* ---- Sizes of dynamic dimensions, from inputs or 1 -------------------------------------------- */

/* Sizes that the command line's data of an input say. */
static bool take_shape_given(model *m, network *n, network_value *v) {
  const char *given = input_given(m, v->name);
  return !given || network_take_given_shape(n, v, given);
}

/* A graph that is converted or described keeps its dynamic dimensions; one that runs has none. */
static bool settle_sizes(model *m, network *n) {
  const char *text;
  if (!m->request->session.default_sizes || strcmp(m->request->command, "convert") == 0)
    return true;
  for (size_t i = 0; i < n->value_count; i++)
    if (n->values[i].producer == NOBODY && is_dynamic_shape(json_get(n->values[i].node, "shape")) &&
        !take_shape_given(m, n, &n->values[i]))
      return false;
  text = network_settle_dimensions(n, 1);
  if (*text)
    complain(NULL, "note: %s: dimensions without a size are 1: %s; others by --dim or by inputs",
             m->path, text);
  return true;
}

/* A case may have data of its inputs. Elements of 4 bits take a byte each here. */
static void take_data(model *m, const network *n) {
  for (size_t i = 0; i < m->input_count; i++) {
    const network_value *v = network_find(n, m->input_names[i]);
    webnn_xla_array *a = &m->inputs[i];
    if (!v || !v->known.data)
      continue;
    a->data = take(m->memory, a->byte_length + 1);
    if (webnn_data_type_bits(v->known.descriptor.data_type) == 4)
      for (size_t j = 0; j < a->byte_length; j++)
        ((signed char *)a->data)[j] = (signed char)element_value(&v->known, j);
    else
      memcpy(a->data, v->known.data, a->byte_length);
  }
}

static int open_graph(model *m) {
  graph_model *g = (graph_model *)take(m->memory, sizeof(graph_model));
  session *s = (session *)take(m->memory, sizeof(session));
  *s = m->request->session;
  s->context = m->context;
  if (strcmp(m->request->command, "convert") == 0) /* there these are written */
    s->weights = s->manifest = NULL;
  if (m->request->function)
    return complain(NULL, "%s: --function is for StableHLO", m->path), EXIT_BAD_INPUT;
  m->own = g;
  if (!begins_well(m) || !read_case(m, s, &g->network) || !settle_sizes(m, &g->network) ||
      !network_build(&g->network, &m->graph))
    return EXIT_BAD_INPUT;
  model_take_ports(m);
  take_data(m, &g->network);
  return EXIT_RIGHT;
}

static const webnn_graph *only_graph(const model *m, port_names *ports) {
  (void)ports;
  return m->graph;
}

static void close_graph(model *m) {
  (void)m; /* all is in the arena */
}

/* What the reader and the builder refuse they have complained of. */
static int graph_problems(model *m, problem_callback call, void *user) {
  (void)call, (void)user;
  return open_graph(m);
}

static void graph_operations(const model *m, operation_callback call, void *user) {
  const graph_model *g = (const graph_model *)m->own;
  for (size_t i = 0; i < g->network.operation_count; i++)
    call(user, g->network.operations[i].name, 1);
}

const reader graph_reader = {
    "WebNN graph", is_graph, open_graph, close_graph, graph_problems, graph_operations,
    NULL,          NULL,     only_graph, NULL,        false,          NULL};
