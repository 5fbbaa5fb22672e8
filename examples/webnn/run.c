/* The command run: outputs as files or text. */
#include "command.h"

/* ---- Outputs --------------------------------------------------------------------------------- */

/* The labels of the command line, of which some output must have as many classes. NULL after a
   complaint. */
static char **take_labels(const model *m, size_t *count) {
  const request *r = m->request;
  char **labels = read_labels(r, m->memory, count);
  const char *other = NULL;
  size_t classes = 0;
  for (size_t i = 0; labels && i < m->output_count; i++) {
    if (!has_classes(&m->outputs[i]))
      continue;
    other = m->output_names[i];
    classes = m->outputs[i].shape.dimensions.items[1];
    if (classes == *count)
      return labels;
  }
  if (labels && other)
    complain(
        NULL,
        "%s: there must be a label for each of the %lu classes of output \"%s\"; there are %lu",
        r->labels, (unsigned long)classes, other, (unsigned long)*count);
  else if (labels)
    complain(NULL, "--labels: %s has no output [1, N] of floats", m->path);
  return NULL;
}

/* As the exact results are written, so that judge reads them. */
static void write_tensors(const model *m, const webnn_xla_array *outputs, FILE *file) {
  fputs("{\"format\":\"webnn-oracle/1\",\n\"cases\":[\n{\"name\":", file);
  json_write_string(file, model_name(m));
  fputs(",\n\"outputs\":[", file);
  for (size_t i = 0; i < m->output_count; i++) {
    fputs(i ? ",\n" : "\n", file);
    write_array_json(file, m->memory, m->output_names[i], &outputs[i]);
  }
  fputs("]}\n]", file);
}

/* Is the output JSON, and where does it go? */
static bool is_json(const request *r) {
  return r->session.json || (r->session.out && ends_with(r->session.out, ".json"));
}

static bool close_json(const request *r, FILE *file) {
  bool right = fflush(file) == 0 && !ferror(file);
  if (file != stdout)
    right = fclose(file) == 0 && right;
  return right || cannot_write(r->session.out);
}

static bool write_json(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs) {
  const request *r = m->request;
  FILE *file = r->session.out ? fopen(r->session.out, "wb") : stdout;
  bool right = true;
  if (!file)
    return cannot_open(r->session.out);
  write_tensors(m, outputs, file);
  if (is_measured(r)) {
    fputs(",\n\"profile\":", file);
    right = profile_model(m, inputs, outputs, file);
  }
  fputs("}\n", file);
  return close_json(r, file) && right;
}

/* `labels` may be NULL. */
static bool write_outputs(const model *m, const webnn_xla_array *outputs, char **labels,
                          size_t label_count) {
  const request *r = m->request;
  if (r->session.out && !make_folder(m->memory, r->session.out))
    return false;
  for (size_t i = 0; i < m->output_count; i++) {
    const webnn_xla_array *a = &outputs[i];
    const bool classes = labels && has_classes(a) && a->shape.dimensions.items[1] == label_count;
    if (classes)
      print_classes(m->memory, m->output_names[i], a, labels);
    if (!r->session.out && !classes)
      print_array(r, m->memory, m->output_names[i], a);
    else if (r->session.out && !write_array(r, m->memory, m->output_names[i], a))
      return false;
  }
  return true;
}

/* ---- The command ----------------------------------------------------------------------------- */

int run_command(const request *r) {
  arena memory = {NULL, 0};
  webnn_xla_array *inputs, *outputs;
  char **labels = NULL;
  size_t label_count = 0;
  model m;
  int status = model_open(&m, r, &memory, r->models[0]);
  if (status == EXIT_RIGHT && r->labels && !(labels = take_labels(&m, &label_count)))
    status = EXIT_BAD_INPUT;
  if (status == EXIT_RIGHT) {
    inputs = new_arrays(&memory, m.inputs, m.input_count);
    outputs = new_arrays(&memory, m.outputs, m.output_count);
    if (!fill_inputs(&m, inputs) || !model_run(&m, inputs, outputs) ||
        !(is_json(r) ? write_json(&m, inputs, outputs)
                     : write_outputs(&m, outputs, labels, label_count) &&
                           (!is_measured(r) || profile_model(&m, inputs, outputs, NULL))))
      status = EXIT_BAD_INPUT;
    else if (m.reader->checks_hold && !m.reader->checks_hold(&m))
      status = EXIT_DIFFERS;
  }
  model_close(&m);
  release(&memory);
  return status;
}
