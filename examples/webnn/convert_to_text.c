/* The command `convert`: a graph from JSON to text and back, with its weights. Nothing is written
   under its name before everything is. */
#include "command.h"

#include <string.h>

typedef struct conversion {
  const session *session;
  arena *memory;
  network network;
  const json *graph; /* in the interchange form */
  stored_list stored;
} conversion;

/* ---- What is written ------------------------------------------------------------------------- */

static void write_inputs(FILE *file, const network *n) {
  const char *separator = "";
  for (size_t i = 0; i < n->value_count; i++) {
    const network_value *v = &n->values[i];
    if (v->producer != NOBODY)
      continue;
    fprintf(file, "%s\n", separator);
    tensor_write_open(file, v->name, &v->known);
    fputs(v->constant ? ",\"constant\":true}" : "}", file);
    separator = ",";
  }
}

static bool write_case(FILE *file, conversion *c) {
  network *n = &c->network;
  fputs("{\"name\":", file);
  json_write_string(file, n->name);
  fputs(n->exact_zeros ? ",\"exact\":true" : "", file);
  fputs(json_is_true(json_get(n->node, "quantized")) ? ",\"quantized\":true" : "", file);
  fputs(",\n\"inputs\":[", file);
  write_inputs(file, n);
  fputs("],\n\"operators\":[", file);
  for (size_t i = 0; i < n->operation_count; i++) {
    fputs(i ? ",\n" : "\n", file);
    json_write(file, sized_arguments(n, n->operations[i].node));
  }
  fputs("],\n\"outputs\":[", file);
  for (size_t i = 0; i < n->output_count; i++) {
    fputs(i ? ",\n{\"name\":" : "\n{\"name\":", file);
    json_write_string(file, n->values[n->outputs[i]].name);
    fputc('}', file);
  }
  fputs("]}\n", file);
  return true;
}

static bool write_text(FILE *file, conversion *c) {
  text_write(file, c->graph);
  return true;
}

static bool write_graph_json(FILE *file, conversion *c) {
  json_write(file, c->graph);
  fputc('\n', file);
  return true;
}

static bool write_safetensors(FILE *file, conversion *c) {
  return weights_write_safetensors(file, &c->stored);
}

static bool write_blob(FILE *file, conversion *c) {
  return weights_write_blob(file, &c->stored);
}

static bool write_manifest(FILE *file, conversion *c) {
  return weights_write_manifest(file, &c->stored);
}

/* ---- Files ----------------------------------------------------------------------------------- */

typedef struct result {
  const char *path, *temporary;
  bool (*write)(FILE *file, conversion *c);
} result;

enum { MOST_RESULTS = 3 };

static bool write_result(conversion *c, const result *r) {
  FILE *file = fopen(r->temporary, "wb");
  bool right = file && r->write(file, c) && !ferror(file);
  right = file && fclose(file) == 0 && right;
  return right || cannot_write(r->temporary);
}

/* On some systems a file does not take the place of another. */
static bool rename_result(const result *r) {
  return rename(r->temporary, r->path) == 0 ||
         (remove(r->path) == 0 && rename(r->temporary, r->path) == 0) || cannot_write(r->path);
}

static bool write_results(conversion *c, result *results, size_t count) {
  bool right = true;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++)
      if (strcmp(results[i].path, results[j].path) == 0)
        return complain(NULL, "%s: two files of this name", results[i].path);
    results[i].temporary = take_text(c->memory, "%s.part", results[i].path);
  }
  for (size_t i = 0; i < count && right; i++)
    right = write_result(c, &results[i]);
  for (size_t i = 0; i < count && right; i++)
    right = rename_result(&results[i]);
  for (size_t i = 0; i < count && !right; i++)
    remove(results[i].temporary);
  return right;
}

/* The weights first: a graph without them is of no use. */
static size_t add_weights(const conversion *c, result *results) {
  const session *s = c->session;
  const char *path = s->weights
                         ? s->weights
                         : take_text(c->memory, "%s.safetensors", path_stem(c->memory, s->out));
  if (c->stored.count == 0)
    return 0;
  results[0].path = path;
  results[0].write = ends_with(path, ".safetensors") ? write_safetensors : write_blob;
  if (results[0].write == write_safetensors)
    return 1;
  results[1].path = s->manifest
                        ? s->manifest
                        : take_text(c->memory, "%s.manifest.json", path_stem(c->memory, path));
  results[1].write = write_manifest;
  return 2;
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool has_constants(const network *n) {
  for (size_t i = 0; i < n->value_count; i++)
    if (n->values[i].constant && !n->values[i].known.data)
      return complain(n->values[i].node, "constant \"%s\" has no data", n->values[i].name);
  return true;
}

static void say_what_is_lost(const network *n) {
  for (size_t i = 0; i < n->value_count; i++) {
    const network_value *v = &n->values[i];
    if (v->producer != NOBODY || v->constant || !v->known.data)
      continue;
    complain(NULL, "note: the text has no data of inputs; run and judge take it with --inputs");
    return;
  }
}

static bool convert(conversion *c, const json *node) {
  const session *s = c->session;
  const bool as_case = strcmp(s->format, "json") == 0;
  result results[MOST_RESULTS];
  size_t count = 0;
  if (!network_read(s, c->memory, node, &c->network) || !has_constants(&c->network) ||
      !network_builds(&c->network))
    return false;
  if (!as_case) {
    c->graph = interchange_of(s, c->memory, &c->network, &c->stored);
    count = add_weights(c, results);
    say_what_is_lost(&c->network);
  }
  results[count].path = s->out;
  results[count].write = as_case                           ? write_case
                         : strcmp(s->format, "webnn") == 0 ? write_text
                                                           : write_graph_json;
  return write_results(c, results, count + 1);
}

/* --weights and --manifest are those that are written, if the graph that is written has such. */
static session reading_session(const session *s) {
  session reading = *s;
  if (strcmp(s->format, "json") != 0)
    reading.weights = reading.manifest = NULL;
  return reading;
}

int convert_to_text_command(const session *s) {
  arena memory = {NULL, 0};
  const session reading = reading_session(s);
  bool right = s->out || complain(NULL, "convert needs --out FILE");
  case_list list;
  conversion c;
  memset(&c, 0, sizeof c);
  c.session = s;
  c.memory = &memory;
  right = right && cases_read(&reading, &memory, s->graph, &list) &&
          (list.count == 1 || complain(list.root, "%lu cases; --case NAME takes one of them",
                                       (unsigned long)list.count)) &&
          convert(&c, list.cases[0]);
  release(&memory);
  return right ? EXIT_RIGHT : EXIT_BAD_INPUT;
}
