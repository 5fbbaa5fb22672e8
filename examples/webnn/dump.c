/* The command dump: every value that a run computes. */
#include "command.h"

#include <string.h>

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
  size_t operators;
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
  progress_of("operator", value->operator_index + 1, g->operators);
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
  g->operators = webnn_graph_operators(graph, NULL, 0);
  g->name = take_text(d->m->memory, "%s", name);
  if (webnn_tap_graph(graph, dump_value, g, &error) != WEBNN_OK)
    d->failed = !complain(NULL, "%s", error.message);
}

static bool dump(model *m, dumping *d) {
  webnn_xla_array *inputs = new_arrays(m->memory, m->inputs, m->input_count);
  webnn_xla_array *outputs = new_arrays(m->memory, m->outputs, m->output_count);
  const char *path = take_text(m->memory, "%s/index.txt", m->request->session.out);
  if (!fill_inputs(m, inputs) || !make_folder(m->memory, m->request->session.out))
    return false;
  d->m = m;
  d->index = fopen(path, "wb");
  if (!d->index)
    return cannot_write(path);
  fputs("file\ttype and shape\toperator\tlabel\n", d->index);
  model_graphs(m, tap, d);
  for (size_t i = 0; i < m->input_count && !d->failed; i++)
    dump_array(d, take_text(m->memory, "input.%s", m->input_names[i]), &inputs[i], "input", "");
  if (!d->failed && !model_run(m, inputs, outputs)) /* which may fail in a tap, too */
    d->failed = true;
  progress_of("operator", 0, 0);
  for (size_t i = 0; i < m->output_count && !d->failed; i++)
    dump_array(d, take_text(m->memory, "output.%s", m->output_names[i]), &outputs[i], "output", "");
  d->failed = ferror(d->index) != 0 || d->failed;
  d->failed = fclose(d->index) != 0 || d->failed;
  if (!d->failed)
    say("%s: %lu values\n", m->request->session.out, (unsigned long)d->written);
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
