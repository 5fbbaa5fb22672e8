/* ONNX models: one graph each. */
#include "onnx_model.h"

#include <string.h>

/* ---- Opening --------------------------------------------------------------------------------- */

int onnx_exit_status(webnn_status status) {
  return status == WEBNN_NOT_SUPPORTED_ERROR ? EXIT_NOT_EXPRESSIBLE : EXIT_BAD_INPUT;
}

onnx_file *onnx_file_of(const model *m) {
  return &((onnx_model *)m->own)->file;
}

const webnn_onnx_model *onnx_of(const model *m) {
  return onnx_file_of(m)->model;
}

int onnx_read(model *m) {
  webnn_status status;
  m->own = take(m->memory, sizeof(onnx_model));
  if (m->request->function)
    return complain(NULL, "%s: --function is for StableHLO", m->path), EXIT_BAD_INPUT;
  status = onnx_open(&m->request->session, m->memory, m->path, onnx_file_of(m));
  return status == WEBNN_OK ? EXIT_RIGHT : onnx_exit_status(status);
}

/* What the command line gives for an input. Pictures are no values that a graph is made of. */
static onnx_found value_given(void *user, const webnn_onnx_port *port, webnn_onnx_tensor *value) {
  const model *m = (const model *)user;
  const char *text = input_given(m, port->name);
  if (!text || is_picture(text))
    return ONNX_NONE;
  return onnx_read_value(&m->request->session, m->memory,
                         take_text(m->memory, "--input %s=%s", port->name, text), text, port,
                         value);
}

static onnx_found shape_given(void *user, const webnn_onnx_port *port, const char **what,
                              webnn_list *shape) {
  const model *m = (const model *)user;
  const char *text = input_given(m, port->name);
  if (!text)
    return ONNX_NONE;
  *what = take_text(m->memory, "input \"%s\" (%s)", port->name, text);
  return onnx_read_shape(m->memory, text, port, onnx_element_bytes(port), shape);
}

static onnx_values values_of(model *m) {
  onnx_values values;
  values.value = value_given;
  values.shape = shape_given;
  values.user = m;
  return values;
}

/* Sizes, and values in place of initializers. */
int onnx_model_settle(model *m) {
  const onnx_values values = values_of(m);
  const webnn_status status = onnx_settle(onnx_file_of(m), &values);
  return status == WEBNN_OK ? EXIT_RIGHT : onnx_exit_status(status);
}

/* A graph has bool in uint8; arrays here are PRED. */
static void mark_bools(webnn_xla_array *arrays, const char *const *names, size_t count,
                       const webnn_onnx_port *ports, size_t port_count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < port_count; j++)
      if (ports[j].type == WEBNN_ONNX_BOOL && strcmp(ports[j].name, names[i]) == 0)
        arrays[i].shape.type = WEBNN_XLA_PRED;
}

/* Inputs of the model that the graph does not have: constants of it, and what no result depends on. */
static void sort_inputs(model *m, const webnn_onnx_port *ports, size_t count) {
  const onnx_file *f = onnx_file_of(m);
  m->unused = (const char **)take(m->memory, (count + 1) * sizeof *m->unused);
  for (size_t i = 0; i < count; i++) {
    size_t j = 0;
    while (j < m->input_count && strcmp(m->input_names[j], ports[i].name) != 0)
      j++;
    if (j == m->input_count)
      m->unused[m->unused_count++] = ports[i].name;
  }
  m->constants =
      (const char **)take(m->memory, (f->options.known_count + 1) * sizeof *m->constants);
  for (size_t i = 0; i < f->options.known_count; i++)
    m->constants[m->constant_count++] = f->known[i].name;
}

static bool is_output(const model *m, const char *name, size_t *at) {
  for (*at = 0; *at < m->output_count; ++*at)
    if (strcmp(m->output_names[*at], name) == 0)
      return true;
  return false;
}

/* The outputs in the order of the model, with those without elements, which the graph lacks. */
static void take_empty_outputs(model *m, const webnn_onnx_port *ports, size_t count) {
  webnn_xla_array *all = (webnn_xla_array *)take(m->memory, (count + 1) * sizeof *all);
  const char **names = (const char **)take(m->memory, (count + 1) * sizeof *names);
  size_t taken = 0, at;
  for (size_t i = 0; i < count; i++) {
    const bool there = is_output(m, ports[i].name, &at);
    if (!there && !ports[i].is_empty)
      continue;
    names[taken] = ports[i].name;
    if (there)
      all[taken++] = m->outputs[at];
    else
      all[taken++].shape = shape_of_descriptor(&ports[i].descriptor);
  }
  m->outputs = all;
  m->output_names = names;
  m->output_count = taken;
}

int onnx_model_build(model *m) {
  const onnx_values values = values_of(m);
  const webnn_status status = onnx_build_graph(onnx_file_of(m), &values, m->context, &m->graph);
  size_t in, out;
  const webnn_onnx_port *inputs = onnx_ports(m->memory, onnx_of(m), false, &in);
  const webnn_onnx_port *outputs = onnx_ports(m->memory, onnx_of(m), true, &out);
  if (status != WEBNN_OK)
    return onnx_exit_status(status);
  model_take_ports(m);
  take_empty_outputs(m, outputs, out);
  sort_inputs(m, inputs, in);
  mark_bools(m->inputs, m->input_names, m->input_count, inputs, in);
  mark_bools(m->outputs, m->output_names, m->output_count, outputs, out);
  return EXIT_RIGHT;
}

int onnx_model_open(model *m) {
  int status = onnx_read(m);
  if (status == EXIT_RIGHT)
    status = onnx_model_settle(m);
  return status == EXIT_RIGHT ? onnx_model_build(m) : status;
}

/* The graph borrows the model's weights. */
void onnx_close(model *m) {
  webnn_free_graph(m->graph);
  m->graph = NULL;
  if (m->own)
    onnx_close_file(onnx_file_of(m));
  m->own = NULL;
}

void onnx_model_packed(model *m, const void *data, size_t byte_length) {
  if (m->own)
    webnn_onnx_packed(onnx_file_of(m)->model, data, byte_length);
}
