/* The command run --exact: the exact results of each case. */
#include "command.h"

#include <string.h>

static bool folder_format(const session *s) {
  return s->format && strcmp(s->format, "json") != 0;
}

/* Where the results of `run` go. */
typedef struct sink {
  FILE *file; /* of JSON */
  size_t written;
  bool many;
} sink;

/* A list of tensors, one on each line. */
static void write_list(FILE *file, const network *n, const char *name, bool outputs) {
  const char *separator = "";
  fprintf(file, ",\n\"%s\":[", name);
  for (size_t i = 0; i < n->value_count; i++) {
    const network_value *v = &n->values[i];
    if (v->producer == NOBODY || v->is_output != outputs || !v->exact.data)
      continue;
    fprintf(file, "%s\n", separator);
    tensor_write(file, v->name, &v->exact);
    separator = ",";
  }
  fputs("]", file);
}

static void write_case(const session *s, sink *to, const network *n) {
  fputs(to->written++ ? ",\n{\"name\":" : "\n{\"name\":", to->file);
  json_write_string(to->file, n->name);
  write_list(to->file, n, "outputs", true);
  if (s->all)
    write_list(to->file, n, "intermediates", false);
  fputs("}", to->file);
}

static bool write_files(const session *s, const sink *to, const network *n) {
  const bool npy = strcmp(s->format, "npy") == 0;
  for (size_t i = 0; i < n->value_count; i++) {
    const network_value *v = &n->values[i];
    const char *path;
    if (v->producer == NOBODY || !v->exact.data || (!s->all && !v->is_output))
      continue;
    path = tensor_path(n->memory, s->out, to->many ? n->name : "", v->name, npy ? ".npy" : ".bin");
    if (!(npy ? npy_write(path, &v->exact) : raw_write(path, &v->exact)))
      return false;
  }
  return true;
}

static bool run_case(const session *s, arena *memory, const json *node, tensor_source *inputs,
                     sink *to) {
  network n;
  if (!network_read(s, memory, node, &n))
    return false;
  if (!network_feed_inputs(&n, inputs, to->many, true) || !network_compute(&n, s->all))
    return false;
  if (folder_format(s))
    return write_files(s, to, &n);
  write_case(s, to, &n);
  return true;
}

static void write_head(const session *s, FILE *file) {
  arena memory = {NULL, 0};
  fputs("{\"format\":\"webnn-oracle/1\",\n", file);
  if (!arithmetic_is_exact(&s->arithmetic))
    fprintf(file, "\"arithmetic\":\"%s\",\n", arithmetic_text(&memory, &s->arithmetic));
  fputs("\"cases\":[", file);
  release(&memory);
}

static bool open_sink(const session *s, arena *memory, sink *to) {
  if (folder_format(s) && !make_folder(memory, s->out))
    return false;
  to->file = s->out && !folder_format(s) ? fopen(s->out, "wb") : stdout;
  if (!to->file)
    return cannot_write(s->out);
  if (!folder_format(s))
    write_head(s, to->file);
  return true;
}

static bool close_sink(const session *s, sink *to) {
  bool right;
  if (!folder_format(s))
    fputs("\n]}\n", to->file);
  right = fflush(to->file) == 0 && !ferror(to->file);
  if (to->file != stdout)
    right = fclose(to->file) == 0 && right;
  return right || cannot_write(s->out);
}

static int run_cases(const session *s, const case_list *list, tensor_source *inputs) {
  arena memory = {NULL, 0};
  sink to = {NULL, 0, false};
  size_t bad = 0;
  to.many = list->count > 1;
  if (!open_sink(s, &memory, &to)) {
    release(&memory);
    return EXIT_BAD_INPUT;
  }
  for (size_t i = 0; i < list->count; i++) {
    arena one = {NULL, 0};
    progress(i + 1, list->count);
    bad += !run_case(s, &one, list->cases[i], inputs, &to);
    release(&one);
  }
  progress(0, 0);
  bad += to.many && !source_close(&memory, inputs);
  release(&memory);
  return close_sink(s, &to) && bad == 0 ? EXIT_RIGHT : EXIT_BAD_INPUT;
}

int run_exact_command(const session *s) {
  arena memory = {NULL, 0};
  case_list list;
  tensor_source inputs;
  int status = EXIT_BAD_INPUT;
  if (folder_format(s) && !s->out)
    complain(NULL, "run --format %s needs --out FOLDER", s->format);
  else if (source_open(&memory, s->inputs, &inputs) && cases_read(s, &memory, s->graph, &list))
    status = run_cases(s, &list, &inputs);
  release(&memory);
  return status;
}
