/* The command convert: a model that is one graph as text with weights, as ONNX, as a drawing, or as
   C. */
#include "command.h"
#include "../headers/webnn_onnx_write.h"

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
  bool not_expressible; /* ONNX cannot say it */
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
      return cannot_open(results[i].path);
  }
  return true;
}

static bool close_results(result *results, size_t count, bool right) {
  for (size_t i = 0; i < count; i++) {
    if (!results[i].file)
      continue;
    if (ferror(results[i].file) || fclose(results[i].file) != 0)
      right = cannot_write(results[i].path);
  }
  for (size_t i = 0; i < count && right; i++)
    if (rename(results[i].temporary, results[i].path) != 0 &&
        (remove(results[i].path) != 0 || rename(results[i].temporary, results[i].path) != 0))
      right = cannot_write(results[i].path);
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
  const char *stem = path_stem(memory, c->m->request->session.out);
  const bool stored = source_has_weights(c->session, &c->view);
  result files[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
  bool right;
  files[0].path = c->m->request->session.out;
  files[1].path = c->session->weights ? c->session->weights : take_text(memory, "%s.weights", stem);
  if (strcmp(files[0].path, files[1].path) == 0)
    return complain(NULL, "--weights of a .c file must be another file, not \"%s\"", files[1].path);
  right = open_results(memory, files, stored ? 2 : 1) &&
          source_write(c->session, &c->view, plain_word(memory, file_part(stem)), files[0].file,
                       files[1].file);
  return close_results(files, stored ? 2 : 1, right);
}

static bool to_drawing(conversion *c) {
  result file = {c->m->request->session.out, NULL, NULL};
  bool right = open_results(c->m->memory, &file, 1);
  if (right)
    webnn_print_graph_dot(c->graph, webnn_write_to_file, file.file);
  return close_results(&file, 1, right);
}

/* The tree of the text: a case as the graph describes itself, then as convert_to_text.c converts it. */
static bool to_text(conversion *c) {
  arena *memory = c->m->memory;
  const char *out = c->m->request->session.out;
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

/* Where the folder of a path ends. */
static size_t folder_length(const char *path) {
  return (size_t)(file_part(path) - path);
}

/* A model of ONNX finds its weights in its own folder. */
static bool may_lie_beside(const char *path, const char *out) {
  const size_t length = folder_length(out);
  return (folder_length(path) == length && strncmp(path, out, length) == 0 &&
          strcmp(path, out) != 0) ||
         complain(NULL, "--weights of an .onnx file must be another file in its folder, not \"%s\"",
                  path);
}

/* The inputs are the first of the leaves. */
static void name_ports(const conversion *c, webnn_onnx_write_options *options) {
  const graph_view *v = &c->view;
  webnn_graph_port *inputs =
      (webnn_graph_port *)take(c->m->memory, (v->leaf_count + 1) * sizeof(webnn_graph_port));
  size_t count = 0;
  while (count < v->leaf_count && v->values[v->leaves[count]].kind == WEBNN_VALUE_INPUT) {
    inputs[count].value = v->leaves[count];
    inputs[count].name = v->values[v->leaves[count]].name;
    count++;
  }
  options->inputs = inputs;
  options->input_count = count;
  options->outputs = v->outputs;
  options->output_count = v->output_count;
}

static bool to_onnx(conversion *c) {
  const char *out = c->m->request->session.out, *beside = c->session->weights;
  result files[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
  const size_t count = beside ? 2 : 1;
  webnn_onnx_write_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  bool right;
  files[0].path = out;
  files[1].path = beside;
  if (beside && !may_lie_beside(beside, out))
    return false;
  name_ports(c, &options);
  options.name = model_name(c->m);
  right = open_results(c->m->memory, files, count);
  if (beside) {
    options.write_weights = webnn_write_to_file;
    options.weights_user = files[1].file;
    options.weights_name = file_part(beside);
  }
  if (right && webnn_onnx_write(c->graph, &options, webnn_write_to_file, files[0].file, &error) !=
                   WEBNN_OK) {
    c->not_expressible = error.status == WEBNN_NOT_SUPPORTED_ERROR;
    right = complain(NULL, "%s: %s", out, error.message);
  }
  return close_results(files, count, right);
}

static const struct {
  const char *end;
  bool (*to)(conversion *c);
  bool dynamic; /* it has dynamic dimensions */
} forms[] = {{".webnn", to_text, true},
             {".onnx", to_onnx, true},
             {".dot", to_drawing, true},
             {".c", to_source, true}};

bool says_dynamic_sizes(const char *out) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (ends_with(out, forms[i].end))
      return forms[i].dynamic;
  return false;
}

static bool convert(conversion *c) {
  const char *out = c->m->request->session.out;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (ends_with(out, forms[i].end))
      return forms[i].to(c);
  return complain(NULL, "--out %s: convert writes .webnn, .json, .onnx, .dot and .c", out);
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
      status = c.not_expressible ? EXIT_NOT_EXPRESSIBLE : EXIT_BAD_INPUT;
    if (c.graph) {
      tell_wider_types(&m, m.input_names, m.inputs, m.input_count);
      tell_wider_types(&m, m.output_names, m.outputs, m.output_count);
    }
  }
  model_close(&m);
  release(&memory);
  return status;
}
