/* The commands info, check and dump: what a model is made of, what of it is not covered, and every
   value that a run computes. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

/* ---- info ------------------------------------------------------------------------------------ */

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

/* ---- check ----------------------------------------------------------------------------------- */

static void print_problem(void *user, const char *place, const char *message) {
  ++*(size_t *)user;
  say("%s: %s\n", place, message);
}

int check_command(const request *r) {
  int worst = EXIT_RIGHT;
  for (size_t i = 0; i < r->model_count; i++) {
    arena memory = {NULL, 0};
    size_t problems = 0;
    model m;
    int status;
    progress_of("file", i + 1, r->model_count);
    status = model_read(&m, r, &memory, r->models[i]);
    if (status == EXIT_RIGHT)
      status = m.reader->problems(&m, print_problem, &problems);
    progress_of("file", 0, 0);
    if (status == EXIT_RIGHT)
      say("%s: covered\n", m.path);
    else if (problems > 0)
      say("%s: %lu not covered\n", m.path, (unsigned long)problems);
    worst = graver(worst, status);
    model_close(&m);
    release(&memory);
  }
  return worst;
}

/* ---- dump ------------------------------------------------------------------------------------ */

typedef struct dumping {
  const model *m;
  FILE *index;
  const char *graph; /* whose values are tapped */
  size_t written;
  bool failed;
} dumping;

/* One for each graph, since a tap is not told which one it is of. */
typedef struct dumped_graph {
  dumping *d;
  const char *name;
  size_t runs; /* of the first operator: a graph in a loop runs many times */
} dumped_graph;

static void dump_array(dumping *d, const char *name, const webnn_xla_array *a, const char *op,
                       const char *label) {
  arena memory = {NULL, 0};
  if (!d->failed)
    d->failed = !write_array(d->m->request, &memory, name, a);
  fprintf(d->index, "%s\t%s\t%s\t%s\n", array_file(&memory, name), shape_text(&memory, &a->shape),
          op, label);
  d->written++;
  release(&memory);
}

/* Called while the context runs: it only writes. */
static void dump_value(void *user, const webnn_tapped_value *value) {
  dumped_graph *g = (dumped_graph *)user;
  arena memory = {NULL, 0};
  const char *name;
  webnn_xla_array a;
  if (value->operator_index == 0 && value->output_index == 0)
    g->runs++;
  name = take_text(&memory, "%s%s%04lu.%s", g->name, *g->name ? "." : "",
                   (unsigned long)value->operator_index, value->op_name);
  if (value->output_index > 0)
    name = take_text(&memory, "%s.%lu", name, (unsigned long)value->output_index);
  if (g->runs > 1)
    name = take_text(&memory, "%s.run%lu", name, (unsigned long)g->runs);
  a.shape = shape_of_descriptor(&value->descriptor);
  a.byte_length = webnn_xla_byte_length(&a.shape);
  a.data = take(&memory, a.byte_length + 1);
  if (webnn_data_type_bits(value->descriptor.data_type) == 4)
    for (size_t i = 0; i < a.byte_length; i++)
      ((unsigned char *)a.data)[i] = (unsigned char)(value->descriptor.data_type == WEBNN_INT4
                                                         ? (nibble_get(value->data, i) ^ 8u) - 8u
                                                         : nibble_get(value->data, i));
  else
    memcpy(a.data, value->data, a.byte_length);
  dump_array(g->d, name, &a, value->op_name, value->label);
  release(&memory);
}

static void tap(void *user, webnn_graph *graph, const char *name) {
  dumping *d = (dumping *)user;
  dumped_graph *g = (dumped_graph *)take(d->m->memory, sizeof(dumped_graph));
  webnn_error error = WEBNN_ZERO;
  g->d = d;
  g->name = take_text(d->m->memory, "%s", name);
  if (webnn_tap_graph(graph, dump_value, g, &error) != WEBNN_OK)
    d->failed = !complain(NULL, "%s", error.message);
}

static bool dump(model *m, dumping *d) {
  webnn_xla_array *inputs = new_arrays(m->memory, m->inputs, m->input_count);
  webnn_xla_array *outputs = new_arrays(m->memory, m->outputs, m->output_count);
  const char *path = take_text(m->memory, "%s/index.txt", m->request->out);
  if (!fill_inputs(m, inputs) || !make_folder(m->memory, m->request->out))
    return false;
  d->m = m;
  d->index = fopen(path, "wb");
  if (!d->index)
    return complain(NULL, "%s: cannot be written", path);
  fputs("file\ttype and shape\toperator\tlabel\n", d->index);
  model_graphs(m, tap, d);
  for (size_t i = 0; i < m->input_count && !d->failed; i++)
    dump_array(d, take_text(m->memory, "input.%s", m->input_names[i]), &inputs[i], "input", "");
  d->failed = d->failed || !model_run(m, inputs, outputs);
  for (size_t i = 0; i < m->output_count && !d->failed; i++)
    dump_array(d, take_text(m->memory, "output.%s", m->output_names[i]), &outputs[i], "output", "");
  d->failed = ferror(d->index) != 0 || d->failed;
  d->failed = fclose(d->index) != 0 || d->failed;
  if (!d->failed)
    say("%s: %lu values\n", m->request->out, (unsigned long)d->written);
  return !d->failed;
}

int dump_command(const request *r) {
  arena memory = {NULL, 0};
  dumping d;
  model m;
  int status = model_open(&m, r, &memory, r->models[0]);
  memset(&d, 0, sizeof d);
  if (status == EXIT_RIGHT && !dump(&m, &d))
    status = EXIT_BAD_INPUT;
  model_close(&m);
  release(&memory);
  return status;
}
