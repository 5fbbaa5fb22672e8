/* The command info: what a model is made of. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef struct tally {
  const char *name;
  size_t count;
} tally;

typedef struct summary {
  arena *memory;
  tally *operations;
  size_t operation_count, room, total;
  size_t graphs, operators, parameters;
  uint64_t parameter_bytes;
} summary;

static void count_operation(void *user, const char *name, size_t count) {
  summary *s = (summary *)user;
  size_t i = 0;
  while (i < s->operation_count && strcmp(s->operations[i].name, name) != 0)
    i++;
  if (i == s->room) {
    tally *larger = (tally *)take(s->memory, (2 * s->room + 64) * sizeof(tally));
    if (s->room > 0)
      memcpy(larger, s->operations, s->room * sizeof *larger);
    s->operations = larger;
    s->room = 2 * s->room + 64;
  }
  if (i == s->operation_count) {
    s->operations[i].name = take_text(s->memory, "%s", name);
    s->operation_count++;
  }
  s->operations[i].count += count;
  s->total += count;
}

static void count_graph(void *user, webnn_graph *graph, const char *name) {
  summary *s = (summary *)user;
  const size_t count = webnn_graph_values(graph, NULL, 0);
  webnn_graph_value *values =
      (webnn_graph_value *)take(s->memory, (count + 1) * sizeof(webnn_graph_value));
  (void)name;
  webnn_graph_values(graph, values, count);
  for (size_t i = 0; i < count; i++) {
    s->parameters += values[i].kind == WEBNN_VALUE_CONSTANT;
    s->parameter_bytes += values[i].kind == WEBNN_VALUE_CONSTANT ? values[i].byte_length : 0;
  }
  s->graphs++;
  s->operators += webnn_graph_operators(graph, NULL, 0);
}

/* ---- The steps of --steps: what webnn_print_steps writes ---------------------------------------- */

typedef struct step_lines {
  arena *memory;
  json_list *list; /* NULL: they are said as they come */
  char *line;
  size_t length, room;
} step_lines;

static void take_steps(void *user, const char *text, size_t length) {
  step_lines *l = (step_lines *)user;
  for (size_t i = 0; i < length; i++) {
    if (l->length + 1 >= l->room) {
      char *larger = (char *)take(l->memory, 2 * l->room + 256);
      if (l->length > 0)
        memcpy(larger, l->line, l->length);
      l->line = larger;
      l->room = 2 * l->room + 256;
    }
    if (text[i] != '\n') {
      l->line[l->length++] = text[i];
      continue;
    }
    l->line[l->length] = 0;
    l->length = 0;
    if (l->list)
      json_put_text(l->memory, l->list, NULL, take_text(l->memory, "%s", l->line));
    else
      say("  %s\n", l->line);
  }
}

static void take_graph_steps(void *user, webnn_graph *graph, const char *name) {
  step_lines *l = (step_lines *)user;
  if (!l->list)
    say("steps%s%s:\n", *name ? " of " : "", name);
  webnn_print_steps(graph, take_steps, l);
}

/* To the tree, or said if there is none. */
static void add_steps(const model *m, json_list *tree) {
  json_list list = json_start(m->memory, NULL, JSON_ARRAY);
  step_lines lines = {m->memory, tree ? &list : NULL, NULL, 0, 0};
  model_graphs(m, take_graph_steps, &lines);
  if (tree)
    json_put(tree, "steps", list.list);
}

static int compare_tallies(const void *left, const void *right) {
  const tally *a = (const tally *)left, *b = (const tally *)right;
  return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                              : strcmp(a->name, b->name);
}

/* f32[n,3]: a dynamic dimension by its name, or ?. */
static const char *dynamic_shape_text(const model *m, const webnn_xla_shape *shape) {
  webnn_xla_shape scalar = *shape;
  const char *text;
  if (!m->graph || !is_open_shape(&shape->dimensions))
    return shape_text(m->memory, shape);
  scalar.dimensions.count = 0;
  text = shape_text(m->memory, &scalar);
  for (size_t i = 0; i < shape->dimensions.count; i++) {
    const uint32_t size = shape->dimensions.items[i];
    const char *name = webnn_graph_dimension_name(m->graph, size);
    text = take_text(m->memory, "%s%c%s", text, i ? ',' : '[',
                     !name   ? take_text(m->memory, "%lu", (unsigned long)size)
                     : *name ? name
                             : "?");
  }
  return take_text(m->memory, "%s]", text);
}

static void print_ports(const model *m, const char *what, const char *const *names,
                        const webnn_xla_array *arrays, size_t count) {
  say("%s: %lu\n", what, (unsigned long)count);
  for (size_t i = 0; i < count; i++)
    say("  %-24s %s\n", names[i], dynamic_shape_text(m, &arrays[i].shape));
}

static void print_steps(const model *m) {
  size_t counts[WEBNN_XLA_STEP_KIND_COUNT] = {0};
  const char *separator = "";
  if (!m->program)
    return;
  webnn_xla_count_steps(m->program, counts);
  say("host steps: ");
  for (int i = WEBNN_XLA_STEP_GRAPH + 1; i < WEBNN_XLA_STEP_KIND_COUNT; i++) {
    if (counts[i] == 0)
      continue;
    say("%s%lu %s", separator, (unsigned long)counts[i],
        webnn_xla_step_kind_name((webnn_xla_step_kind)i));
    separator = ", ";
  }
  say(*separator ? "\n" : "none\n");
}

/* A dimension is a size, the name of a dynamic one, or null. */
static void put_shape(const model *m, json_list *port, const webnn_list *sizes) {
  json_list list = json_start(m->memory, NULL, JSON_ARRAY);
  for (size_t i = 0; i < sizes->count; i++) {
    const char *name = m->graph ? webnn_graph_dimension_name(m->graph, sizes->items[i]) : NULL;
    if (!name)
      json_put_count(m->memory, &list, NULL, sizes->items[i]);
    else if (*name)
      json_put_text(m->memory, &list, NULL, name);
    else
      json_put(&list, NULL, json_new(m->memory, NULL, JSON_NULL));
  }
  json_put(port, "shape", list.list);
}

static void put_ports(const model *m, json_list *tree, const char *what, const char *const *names,
                      const webnn_xla_array *arrays, size_t count) {
  arena *memory = m->memory;
  json_list ports = json_start(memory, NULL, JSON_ARRAY);
  for (size_t i = 0; i < count; i++) {
    json_list port = json_start(memory, NULL, JSON_OBJECT);
    json_put_text(memory, &port, "name", names[i]);
    json_put_text(memory, &port, "dataType", type_word(arrays[i].shape.type));
    put_shape(m, &port, &arrays[i].shape.dimensions);
    json_put(&ports, NULL, port.list);
  }
  json_put(tree, what, ports.list);
}

static void put_tally(arena *memory, json_list *list, const char *name, size_t count) {
  json_list item = json_start(memory, NULL, JSON_OBJECT);
  json_put_text(memory, &item, "name", name);
  json_put_count(memory, &item, "count", count);
  json_put(list, NULL, item.list);
}

static void put_steps(const model *m, json_list *tree) {
  size_t counts[WEBNN_XLA_STEP_KIND_COUNT] = {0};
  json_list steps = json_start(m->memory, NULL, JSON_ARRAY);
  if (m->program)
    webnn_xla_count_steps(m->program, counts);
  for (int i = WEBNN_XLA_STEP_GRAPH + 1; i < WEBNN_XLA_STEP_KIND_COUNT; i++)
    if (counts[i] > 0)
      put_tally(m->memory, &steps, webnn_xla_step_kind_name((webnn_xla_step_kind)i), counts[i]);
  json_put(tree, "hostSteps", steps.list);
}

/* What print_summary says, as JSON. */
static void put_summary(const model *m, summary *s, json_list *tree) {
  json_list operations = json_start(m->memory, NULL, JSON_ARRAY);
  json_list parameters = json_start(m->memory, NULL, JSON_OBJECT);
  qsort(s->operations, s->operation_count, sizeof *s->operations, compare_tallies);
  put_ports(m, tree, "inputs", m->input_names, m->inputs, m->input_count);
  put_ports(m, tree, "outputs", m->output_names, m->outputs, m->output_count);
  for (size_t i = 0; i < s->operation_count; i++)
    put_tally(m->memory, &operations, s->operations[i].name, s->operations[i].count);
  json_put(tree, "operations", operations.list);
  json_put_count(m->memory, tree, "graphs", s->graphs);
  json_put_count(m->memory, tree, "operators", s->operators);
  put_steps(m, tree);
  json_put_count(m->memory, &parameters, "count", s->parameters);
  json_put_count(m->memory, &parameters, "bytes", s->parameter_bytes);
  json_put(tree, "parameters", parameters.list);
}

/* The tree with what all models have. */
static json_list start_tree(const model *m) {
  json_list tree = json_start(m->memory, NULL, JSON_OBJECT);
  json_put_text(m->memory, &tree, "format", "webnn-info/1");
  json_put_text(m->memory, &tree, "model", m->path);
  json_put_text(m->memory, &tree, "kind", m->reader->name);
  return tree;
}

static void print_summary(const model *m, summary *s) {
  qsort(s->operations, s->operation_count, sizeof *s->operations, compare_tallies);
  say("%s: %s\n", m->path, m->reader->name);
  print_ports(m, "inputs", m->input_names, m->inputs, m->input_count);
  print_ports(m, "outputs", m->output_names, m->outputs, m->output_count);
  say("operations: %lu\n", (unsigned long)s->total);
  for (size_t i = 0; i < s->operation_count; i++)
    say("%8lu %s\n", (unsigned long)s->operations[i].count, s->operations[i].name);
  say("graphs: %lu, of %lu operators\n", (unsigned long)s->graphs, (unsigned long)s->operators);
  print_steps(m);
  say("parameters: %lu, of %llu bytes\n", (unsigned long)s->parameters,
      (unsigned long long)s->parameter_bytes);
}

int info_command(const request *r) {
  arena memory = {NULL, 0};
  summary s;
  model m;
  int status = model_read(&m, r, &memory, r->models[0]);
  const bool own = status == EXIT_RIGHT && m.reader->info;
  json_list tree;
  memset(&s, 0, sizeof s);
  s.memory = &memory;
  if (status == EXIT_RIGHT) {
    tree = start_tree(&m);
    status = own ? m.reader->info(&m, r->session.json ? &tree : NULL) : m.reader->open(&m);
  }
  if (status == EXIT_RIGHT && !own) {
    s.operations = (tally *)take(&memory, sizeof(tally));
    m.reader->operations(&m, count_operation, &s);
    model_graphs(&m, count_graph, &s);
    if (r->session.json)
      put_summary(&m, &s, &tree);
    else
      print_summary(&m, &s);
  }
  if (status == EXIT_RIGHT && r->steps)
    add_steps(&m, r->session.json ? &tree : NULL);
  if (status == EXIT_RIGHT && r->session.json) {
    json_write(stdout, tree.list);
    fputc('\n', stdout);
  }
  model_close(&m);
  release(&memory);
  return status;
}
