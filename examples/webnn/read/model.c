/* Models that have been read: names, running, and what they are made of. */
#include "model.h"

int graver(int a, int b) {
  static const int rank[] = {0, 2, 3, 1}; /* right, failed, bad input, not expressible */
  return rank[a] >= rank[b] ? a : b;
}

/* ---- Names ----------------------------------------------------------------------------------- */

const char *plain_word(arena *memory, const char *name) {
  const bool prefix = (*name >= '0' && *name <= '9') || *name == 0;
  char *word = take_text(memory, "%s%s", prefix ? "_" : "", name);
  for (char *c = word; *c; c++)
    if (!((*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')))
      *c = '_';
  return word;
}

const char *model_name(const model *m) {
  return path_stem(m->memory, file_part(m->path));
}

/* ---- Inputs and outputs ---------------------------------------------------------------------- */

static webnn_xla_array *take_ports(model *m, const webnn_graph_port *ports, size_t count,
                                   const char ***names) {
  webnn_xla_array *arrays =
      (webnn_xla_array *)take(m->memory, (count + 1) * sizeof(webnn_xla_array));
  *names = (const char **)take(m->memory, (count + 1) * sizeof **names);
  for (size_t i = 0; i < count; i++) {
    arrays[i].shape = shape_of_descriptor(&ports[i].descriptor);
    arrays[i].byte_length = webnn_xla_byte_length(&arrays[i].shape);
    (*names)[i] = ports[i].name;
  }
  return arrays;
}

void model_take_ports(model *m) {
  const size_t in = webnn_graph_inputs(m->graph, NULL, 0);
  const size_t out = webnn_graph_outputs(m->graph, NULL, 0);
  webnn_graph_port *ports =
      (webnn_graph_port *)take(m->memory, (in + out + 1) * sizeof(webnn_graph_port));
  webnn_graph_inputs(m->graph, ports, in);
  webnn_graph_outputs(m->graph, ports + in, out);
  m->inputs = take_ports(m, ports, in, &m->input_names);
  m->outputs = take_ports(m, ports + in, out, &m->output_names);
  m->input_count = in;
  m->output_count = out;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Elements of 4 bits take a byte each outside of graphs. */
static void pack(const webnn_xla_array *from, void *to) {
  for (size_t i = 0; i < from->byte_length; i++)
    nibble_set(to, i, ((const unsigned char *)from->data)[i]);
}

static void unpack(const void *from, webnn_xla_array *to) {
  for (size_t i = 0; i < to->byte_length; i++) {
    const uint32_t nibble = nibble_get(from, i);
    ((unsigned char *)to->data)[i] =
        (unsigned char)(to->shape.type == WEBNN_XLA_S4 ? (nibble ^ 8u) - 8u : nibble);
  }
}

static bool is_packed(const webnn_xla_array *a) {
  return a->shape.type == WEBNN_XLA_S4 || a->shape.type == WEBNN_XLA_U4;
}

/* The bytes that a graph has of an array. */
static size_t graph_bytes(const webnn_xla_array *a) {
  return is_packed(a) ? (a->byte_length + 1) / 2 : a->byte_length;
}

static bool run_graph(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs) {
  arena memory = {NULL, 0};
  webnn_named_input *in =
      (webnn_named_input *)take(&memory, (m->input_count + 1) * sizeof(webnn_named_input));
  webnn_named_output *out =
      (webnn_named_output *)take(&memory, (m->output_count + 1) * sizeof(webnn_named_output));
  webnn_error error = WEBNN_ZERO;
  size_t count = 0;
  for (size_t i = 0; i < m->input_count; i++) {
    void *packed = is_packed(&inputs[i]) ? take(&memory, graph_bytes(&inputs[i])) : NULL;
    if (packed)
      pack(&inputs[i], packed);
    in[i].name = m->input_names[i];
    in[i].data = packed ? packed : inputs[i].data;
    in[i].byte_length = graph_bytes(&inputs[i]);
  }
  for (size_t i = 0; i < m->output_count; i++) {
    if (outputs[i].byte_length == 0) /* the graph lacks it */
      continue;
    out[count].name = m->output_names[i];
    out[count].byte_length = graph_bytes(&outputs[i]);
    out[count].data =
        is_packed(&outputs[i]) ? take(&memory, out[count].byte_length) : outputs[i].data;
    count++;
  }
  if (count > 0)
    webnn_compute(m->context, m->graph, in, m->input_count, out, count, &error);
  for (size_t i = 0, k = 0; i<m->output_count; k += outputs[i++].byte_length> 0)
    if (is_packed(&outputs[i]) && outputs[i].byte_length > 0)
      unpack(out[k].data, &outputs[i]);
  release(&memory);
  return error.status == WEBNN_OK || complain(NULL, "%s: %s", m->path, error.message);
}

bool model_run(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs) {
  webnn_error error = WEBNN_ZERO;
  if (!m->program)
    return run_graph(m, inputs, outputs);
  return webnn_xla_run(m->program, inputs, m->input_count, outputs, m->output_count, &error) ==
             WEBNN_OK ||
         complain(NULL, "%s: %s", m->path, error.message);
}

/* ---- Graphs and steps ------------------------------------------------------------------------ */

typedef struct walk {
  graph_callback graph;
  step_callback step;
  void *user;
  arena memory;
} walk;

static void walk_program(walk *w, const webnn_xla_program *program, const char *prefix);

/* The programs in a loop or a conditional. */
static void walk_parts(walk *w, const webnn_xla_step *step, const char *name) {
  static const char *const parts[] = {"condition", "body"};
  for (int i = 0; i < 2; i++)
    if (step->parts[i])
      walk_program(w, step->parts[i], take_text(&w->memory, "%s.%s.", name, parts[i]));
  for (size_t i = 0; i < step->branch_count; i++)
    if (step->branches[i])
      walk_program(w, step->branches[i],
                   take_text(&w->memory, "%s.branch%lu.", name, (unsigned long)i));
}

static void walk_program(walk *w, const webnn_xla_program *program, const char *prefix) {
  const size_t count = webnn_xla_steps(program, NULL, 0);
  webnn_xla_step *steps = (webnn_xla_step *)take(&w->memory, (count + 1) * sizeof(webnn_xla_step));
  webnn_xla_steps(program, steps, count);
  for (size_t i = 0; i < count; i++) {
    const char *kind = webnn_xla_step_kind_name(steps[i].kind);
    const char *name = count == 1 && !*prefix && steps[i].kind == WEBNN_XLA_STEP_GRAPH
                           ? ""
                           : take_text(&w->memory, "%s%s%lu", prefix, kind, (unsigned long)i);
    if (steps[i].kind == WEBNN_XLA_STEP_GRAPH && w->graph && steps[i].graph)
      w->graph(w->user, steps[i].graph, name);
    if (steps[i].kind != WEBNN_XLA_STEP_GRAPH && w->step)
      w->step(w->user, &steps[i]);
    walk_parts(w, &steps[i], name);
  }
}

static void walk_model(const model *m, graph_callback graph, step_callback step, void *user) {
  walk w = {graph, step, user, {NULL, 0}};
  if (m->program)
    walk_program(&w, m->program, "");
  else if (graph && m->graph)
    graph(user, m->graph, "");
  release(&w.memory);
}

void model_graphs(const model *m, graph_callback call, void *user) {
  walk_model(m, call, NULL, user);
}

void model_steps(const model *m, step_callback call, void *user) {
  walk_model(m, NULL, call, user);
}
