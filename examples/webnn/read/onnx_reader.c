/* ONNX models as one of the kinds of models: what is covered, and what info says of them. */
#include "onnx_model.h"

#include <string.h>

static bool is_onnx(const char *path, const char *text, size_t length) {
  (void)text, (void)length;
  return onnx_is(path);
}

static const webnn_graph *only_graph(const model *m, port_names *ports) {
  (void)ports;
  return onnx_has_graph(m->path, m->graph) ? m->graph : NULL;
}

/* ---- What is covered ------------------------------------------------------------------------- */

/* The graph is built before, since values that are given may make it another one. */
static int onnx_problems(model *m, problem_callback call, void *user) {
  const char **messages;
  size_t count, problems = 0;
  int status = onnx_read(m);
  bool quiet;
  if (status == EXIT_RIGHT)
    status = onnx_model_settle(m);
  if (status != EXIT_RIGHT)
    return status;
  quiet = complain_quietly(true);
  status = onnx_model_build(m);
  complain_quietly(quiet);
  count = webnn_onnx_problems(onnx_file_of(m)->model, NULL, 0);
  messages = (const char **)take(m->memory, (count + 1) * sizeof *messages);
  webnn_onnx_problems(onnx_file_of(m)->model, messages, count);
  for (size_t i = 0; i < count; i++) {
    const bool note = strncmp(messages[i], "note:", 5) == 0;
    const char *text = onnx_message(m->memory, m->path, messages[i]);
    if (note)
      complain(NULL, "%s", text);
    else
      call(user, m->path, text + strlen(m->path) + 2);
    problems += !note;
  }
  if (problems == 0)
    return status == EXIT_RIGHT ? status : onnx_model_build(m); /* which says why */
  onnx_tell_way_out(onnx_file_of(m));
  return EXIT_NOT_EXPRESSIBLE;
}

static webnn_onnx_operator *operators_of(const model *m, size_t *count) {
  webnn_onnx_model *onnx = onnx_file_of(m)->model;
  webnn_onnx_operator *list;
  *count = webnn_onnx_operators(onnx, NULL, 0);
  list = (webnn_onnx_operator *)take(m->memory, (*count + 1) * sizeof(webnn_onnx_operator));
  webnn_onnx_operators(onnx, list, *count);
  return list;
}

static void onnx_operations(const model *m, operation_callback call, void *user) {
  size_t count;
  const webnn_onnx_operator *list = operators_of(m, &count);
  for (size_t i = 0; i < count; i++)
    call(user, list[i].name, list[i].count);
}

/* ---- info ------------------------------------------------------------------------------------ */

static void print_ports(const model *m, const char *what, bool outputs) {
  size_t count;
  const webnn_onnx_port *ports = onnx_ports(m->memory, onnx_of(m), outputs, &count);
  say("%s: %lu\n", what, (unsigned long)count);
  for (size_t i = 0; i < count; i++)
    say("  %-24s %s\n", ports[i].name, onnx_port_text(m->memory, &ports[i]));
}

static void print_operators(const model *m) {
  size_t count, total = 0;
  const webnn_onnx_operator *list = operators_of(m, &count);
  for (size_t i = 0; i < count; i++)
    total += list[i].count;
  say("operations: %lu\n", (unsigned long)total);
  for (size_t i = 0; i < count; i++)
    say("%8lu %s%s%s%s\n", (unsigned long)list[i].count, list[i].domain, *list[i].domain ? "." : "",
        list[i].name, list[i].since == 0 ? " (not known, or WebNN cannot express it)" : "");
}

/* Can the graph be built with the sizes that are given? Counts those that are missing. */
static bool builds(model *m, size_t *missing) {
  const bool quiet = complain_quietly(true);
  bool built;
  onnx_open_dimensions(m->memory, onnx_of(m), missing);
  built = onnx_model_settle(m) == EXIT_RIGHT && onnx_model_build(m) == EXIT_RIGHT;
  complain_quietly(quiet);
  return built;
}

static void print_graph(model *m) {
  size_t missing;
  if (builds(m, &missing) && !m->graph)
    say("graphs: 0, since all outputs are empty tensors\n");
  else if (m->graph)
    say("graphs: 1, of %lu operators\n", (unsigned long)webnn_graph_operators(m->graph, NULL, 0));
  else
    say("graphs: %s\n", missing == 0
                            ? "0, since not all is covered: webnn check lists it"
                            : "not built, since dimensions are open: --dim NAME=N, or webnn graph");
}

/* version 12 of ai.onnx, 1 of com.microsoft */
static void print_versions(const webnn_onnx_facts *k) {
  say("operator sets: ");
  for (size_t i = 0; i < k->opset_count; i++)
    say("%s%lld of %s", i ? ", " : "version ", (long long)k->opsets[i].version,
        *k->opsets[i].domain ? k->opsets[i].domain : "ai.onnx");
  say("\n");
}

/* ---- The same as JSON ------------------------------------------------------------------------ */

/* A dimension is a size, the name that --dim takes, or null. */
static void put_dimensions(arena *memory, json_list *tree, const webnn_onnx_port *port) {
  json_list list = json_start(memory, NULL, JSON_ARRAY);
  for (uint32_t d = 0; d < port->descriptor.shape.count; d++) {
    const char *name = onnx_dimension_name(memory, port, d);
    const uint32_t size = port->descriptor.shape.items[d];
    if (size != 0 || port->is_empty)
      json_put_count(memory, &list, NULL, size);
    else if (name)
      json_put_text(memory, &list, NULL, name);
    else
      json_put(&list, NULL, json_new(memory, NULL, JSON_NULL));
  }
  json_put(tree, "shape", list.list);
}

static void put_ports(const model *m, json_list *tree, const char *what, bool outputs) {
  json_list list = json_start(m->memory, NULL, JSON_ARRAY);
  size_t count;
  const webnn_onnx_port *ports = onnx_ports(m->memory, onnx_of(m), outputs, &count);
  for (size_t i = 0; i < count; i++) {
    json_list port = json_start(m->memory, NULL, JSON_OBJECT);
    json_put_text(m->memory, &port, "name", ports[i].name);
    json_put_text(m->memory, &port, "dataType",
                  ports[i].type ? webnn_onnx_type_name(ports[i].type) : "no tensor");
    if (ports[i].descriptor.shape.given)
      put_dimensions(m->memory, &port, &ports[i]);
    json_put(&list, NULL, port.list);
  }
  json_put(tree, what, list.list);
}

static void put_operators(const model *m, json_list *tree) {
  json_list list = json_start(m->memory, NULL, JSON_ARRAY);
  size_t count;
  const webnn_onnx_operator *operators = operators_of(m, &count);
  for (size_t i = 0; i < count; i++) {
    json_list item = json_start(m->memory, NULL, JSON_OBJECT);
    json_put_text(m->memory, &item, "name", operators[i].name);
    json_put_text(m->memory, &item, "domain",
                  *operators[i].domain ? operators[i].domain : "ai.onnx");
    json_put_count(m->memory, &item, "count", operators[i].count);
    json_put_bool(m->memory, &item, "known", operators[i].since != 0);
    json_put(&list, NULL, item.list);
  }
  json_put(tree, "operations", list.list);
}

static void put_versions(arena *memory, json_list *tree, const webnn_onnx_facts *k) {
  json_list list = json_start(memory, NULL, JSON_ARRAY);
  for (size_t i = 0; i < k->opset_count; i++) {
    json_list item = json_start(memory, NULL, JSON_OBJECT);
    json_put_text(memory, &item, "domain", *k->opsets[i].domain ? k->opsets[i].domain : "ai.onnx");
    json_put_number(memory, &item, "version", (double)k->opsets[i].version);
    json_put(&list, NULL, item.list);
  }
  json_put_number(memory, tree, "formatVersion", (double)k->format);
  json_put_text(memory, tree, "producer", k->producer);
  json_put_text(memory, tree, "producerVersion", k->producer_version);
  json_put(tree, "operatorSets", list.list);
}

static void put_info(model *m, const webnn_onnx_facts *k, json_list *tree) {
  json_list parameters = json_start(m->memory, NULL, JSON_OBJECT);
  size_t missing;
  put_versions(m->memory, tree, k);
  put_ports(m, tree, "inputs", false);
  put_ports(m, tree, "outputs", true);
  put_operators(m, tree);
  builds(m, &missing);
  json_put_count(m->memory, tree, "graphs", m->graph != NULL);
  json_put_count(m->memory, tree, "operators",
                 m->graph ? webnn_graph_operators(m->graph, NULL, 0) : 0);
  json_put_count(m->memory, tree, "missingSizes", missing);
  json_put_count(m->memory, &parameters, "count", k->initializer_count);
  json_put_count(m->memory, &parameters, "bytes", k->initializer_bytes);
  json_put(tree, "parameters", parameters.list);
}

static int onnx_info(model *m, json_list *tree) {
  webnn_onnx_facts k;
  const int status = onnx_read(m);
  if (status != EXIT_RIGHT)
    return status;
  webnn_onnx_describe(onnx_of(m), &k);
  if (tree) {
    put_info(m, &k, tree);
    return EXIT_RIGHT;
  }
  say("%s: %s\n", m->path, m->reader->name);
  say("format: version %lld%s%s%s%s\n", (long long)k.format, *k.producer ? ", by " : "", k.producer,
      *k.producer_version ? " " : "", k.producer_version);
  print_versions(&k);
  print_ports(m, "inputs", false);
  print_ports(m, "outputs", true);
  print_operators(m);
  print_graph(m);
  say("parameters: %lu, of %llu bytes\n", (unsigned long)k.initializer_count,
      (unsigned long long)k.initializer_bytes);
  return EXIT_RIGHT;
}

const reader onnx_reader = {
    "ONNX",    is_onnx, onnx_model_open, onnx_close, onnx_problems, onnx_operations,
    onnx_test, NULL,    only_graph,      onnx_info,  true,          onnx_model_packed};
