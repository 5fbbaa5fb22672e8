/* The command convert: a model that is one graph as text with weights, as a drawing, or as C. */
#include "command.h"

#include <string.h>

enum { MOST_FILES = 3 };

typedef struct conversion {
  const model *m;
  const session *session;
  const webnn_graph *graph;
  port_names ports;
  graph_view view;
  network network; /* for text */
  const json *tree;
  stored_list stored;
} conversion;

/* ---- Files, which appear under their names only when all of them are complete ---------------- */

typedef struct result {
  const char *path, *temporary;
  FILE *file;
} result;

static bool open_results(arena *memory, result *results, size_t count) {
  for (size_t i = 0; i < count; i++) {
    results[i].temporary = take_text(memory, "%s.part", results[i].path);
    results[i].file = fopen(results[i].temporary, "wb");
    if (!results[i].file)
      return complain(NULL, "%s: cannot be written; is the folder there?", results[i].path);
  }
  return true;
}

static bool close_results(result *results, size_t count, bool right) {
  for (size_t i = 0; i < count; i++) {
    if (!results[i].file)
      continue;
    if (ferror(results[i].file) || fclose(results[i].file) != 0)
      right = complain(NULL, "%s: cannot be written", results[i].path);
  }
  for (size_t i = 0; i < count && right; i++)
    if (rename(results[i].temporary, results[i].path) != 0 &&
        (remove(results[i].path) != 0 || rename(results[i].temporary, results[i].path) != 0))
      right = complain(NULL, "%s: cannot be written", results[i].path);
  for (size_t i = 0; i < count && !right; i++)
    if (results[i].file)
      remove(results[i].temporary);
  return right;
}

/* ---- Forms ----------------------------------------------------------------------------------- */

static const port_names *names_of(const conversion *c) {
  return c->ports.inputs ? &c->ports : NULL;
}

static bool to_source(conversion *c) {
  arena *memory = c->m->memory;
  const char *stem = path_stem(memory, c->m->request->out);
  const bool stored = source_has_weights(c->session, &c->view);
  result files[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
  bool right;
  files[0].path = c->m->request->out;
  files[1].path = c->session->weights ? c->session->weights : take_text(memory, "%s.weights", stem);
  right = open_results(memory, files, stored ? 2 : 1) &&
          source_write(c->session, &c->view, plain_word(memory, file_part(stem)), files[0].file,
                       files[1].file);
  return close_results(files, stored ? 2 : 1, right);
}

static bool to_drawing(conversion *c) {
  result file = {c->m->request->out, NULL, NULL};
  bool right = open_results(c->m->memory, &file, 1);
  if (right)
    webnn_print_graph_dot(c->graph, webnn_write_to_file, file.file);
  return close_results(&file, 1, right);
}

/* The tree of the text: a case as the graph describes itself, then as webnn-oracle converts it. */
static bool to_text(conversion *c) {
  arena *memory = c->m->memory;
  const char *out = c->m->request->out;
  result files[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
  const json *node =
      described_case(c->session, memory, c->m->path, model_name(c->m), c->graph, names_of(c));
  size_t count;
  bool right;
  if (!node || !network_read(c->session, memory, node, &c->network))
    return false;
  c->tree = interchange_of(c->session, memory, &c->network, &c->stored);
  count = c->stored.count > 0 ? 2 : 1;
  files[0].path = out;
  files[1].path = c->session->weights ? c->session->weights
                                      : take_text(memory, "%s.safetensors", path_stem(memory, out));
  if (!ends_with(files[1].path, ".safetensors"))
    return complain(NULL, "--weights of a .webnn file must be a .safetensors file here, not \"%s\"",
                    files[1].path);
  right = open_results(memory, files, count);
  if (right)
    text_write(files[0].file, c->tree);
  right = right && (count == 1 || weights_write_safetensors(files[1].file, &c->stored));
  return close_results(files, count, right);
}

static bool convert(conversion *c) {
  const char *out = c->m->request->out;
  if (ends_with(out, ".c"))
    return to_source(c);
  if (ends_with(out, ".dot"))
    return to_drawing(c);
  return ends_with(out, ".webnn")
             ? to_text(c)
             : complain(NULL, "--out %s: convert writes .webnn, .dot and .c", out);
}

/* What a graph has in a wider type is neither rounded nor wrapped where it comes in. */
static void tell_wider_types(const model *m, const char *const *names,
                             const webnn_xla_array *arrays, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const webnn_xla_type type = arrays[i].shape.type;
    if (type == WEBNN_XLA_PRED || type == WEBNN_XLA_BF16 || type == WEBNN_XLA_S16 ||
        type == WEBNN_XLA_U16 || (m->program && (type == WEBNN_XLA_S4 || type == WEBNN_XLA_U4)))
      complain(NULL, "note: \"%s\" is %s, which a graph has in a wider type", names[i],
               shape_text(m->memory, &arrays[i].shape));
  }
}

int convert_command(const request *r) {
  arena memory = {NULL, 0};
  session *s = (session *)take(&memory, sizeof(session));
  conversion c;
  model m;
  int status = model_open(&m, r, &memory, r->models[0]);
  memset(&c, 0, sizeof c);
  *s = r->session;
  s->context = m.context;
  c.m = &m;
  c.session = s;
  if (status == EXIT_RIGHT) {
    c.graph = m.reader->only_graph(&m, &c.ports);
    if (!c.graph || !graph_view_take(&memory, c.graph, names_of(&c), &c.view))
      status = EXIT_NOT_EXPRESSIBLE;
    else if (!convert(&c))
      status = EXIT_BAD_INPUT;
    tell_wider_types(&m, m.input_names, m.inputs, m.input_count);
    tell_wider_types(&m, m.output_names, m.outputs, m.output_count);
  }
  model_close(&m);
  release(&memory);
  return status;
}
