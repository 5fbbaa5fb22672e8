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

static int compare_tallies(const void *left, const void *right) {
  const tally *a = (const tally *)left, *b = (const tally *)right;
  return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                              : strcmp(a->name, b->name);
}

static void print_ports(const model *m, const char *what, const char *const *names,
                        const webnn_xla_array *arrays, size_t count) {
  say("%s: %lu\n", what, (unsigned long)count);
  for (size_t i = 0; i < count; i++)
    say("  %-24s %s\n", names[i], shape_text(m->memory, &arrays[i].shape));
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
  memset(&s, 0, sizeof s);
  s.memory = &memory;
  if (status == EXIT_RIGHT)
    status = own ? m.reader->info(&m) : m.reader->open(&m);
  if (status == EXIT_RIGHT && !own) {
    s.operations = (tally *)take(&memory, sizeof(tally));
    m.reader->operations(&m, count_operation, &s);
    model_graphs(&m, count_graph, &s);
    print_summary(&m, &s);
  }
  model_close(&m);
  release(&memory);
  return status;
}
