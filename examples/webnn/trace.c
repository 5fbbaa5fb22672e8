/* The command trace: how a result comes about, as text, as JSON, or as a page (exact/html.c). */
#include "exact/trace.h"
#include "command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- As text --------------------------------------------------------------------------------- */

static void print_column(FILE *file, const char *text, size_t width) {
  fprintf(file, "%s", text);
  for (size_t i = strlen(text); i < width; i++)
    fputc(' ', file);
}

static void print_line(FILE *file, const char *word, const char *value, const char *source) {
  fputs("  ", file);
  print_column(file, word, 9);
  fputc(' ', file);
  if (*source) {
    print_column(file, value, 21);
    fprintf(file, " %s\n", source);
  } else {
    fprintf(file, "%s\n", value);
  }
}

/* "webnn__reference_conv2d; 5 of 9 taps lie outside of x" */
static const char *kernel_text(const trace *t, arena *memory, const trace_element *e) {
  const char *name = trace_kernel_name(t->op);
  if (e->inside == e->taps)
    return name;
  return take_text(memory, "%s; %lu of %lu taps lie outside of %s", name,
                   (unsigned long)(e->taps - e->inside), (unsigned long)e->taps,
                   t->operands[0].name);
}

static void print_element(FILE *file, const trace *t, arena *memory, const trace_element *e) {
  trace_place place = {e->operand, e->index};
  const char *formula = trace_formula_text(t, memory, e);
  fprintf(file, "%s = ", trace_place_text(t, memory, place));
  trace_print_call(file, t);
  fputs("\n", file);
  print_line(file, "kernel", webnn_op_section(t->op), kernel_text(t, memory, e));
  for (size_t i = 0; i < e->line_count; i++)
    print_line(file, trace_line_word(&e->lines[i]), trace_line_value(&e->lines[i], memory),
               trace_line_source(t, memory, &e->lines[i]));
  if (trace_shows_exact(t, e) || *formula)
    print_line(file, "exact", number_text(memory, &e->value->value), formula);
  print_line(file, "stored", trace_element_digits(t, memory, e), trace_stored_text(t, memory, e));
}

/* ---- As JSON --------------------------------------------------------------------------------- */

static void write_place(FILE *file, const trace *t, trace_place place) {
  const webnn_list *shape;
  uint64_t index = place.index, divisor = 1;
  if (place.operand < 0) {
    fputs("\"state\":true", file);
    return;
  }
  shape = &t->operands[place.operand].tensor.descriptor.shape;
  for (size_t i = 0; i < shape->count; i++)
    divisor *= shape->items[i];
  fputs("\"operand\":", file);
  json_write_string(file, t->operands[place.operand].name);
  fputs(",\"index\":[", file);
  for (size_t i = 0; i < shape->count; i++) {
    divisor /= shape->items[i];
    fprintf(file, "%s%lu", i ? "," : "", (unsigned long)(index / divisor));
    index %= divisor;
  }
  fputs("]", file);
}

static void write_read(FILE *file, const trace *t, arena *memory, const trace_event *e) {
  fputs("{", file);
  write_place(file, t, e->at);
  fprintf(file, ",\"value\":\"%s\"}", trace_bits_text(memory, e->type, e->bits));
}

static void write_line(FILE *file, const trace *t, arena *memory, const trace_line *line) {
  fputs("{\"what\":", file);
  json_write_string(file, trace_line_word(line));
  fprintf(file, ",\"value\":\"%s\"",
          line->kind == TRACE_READ ? trace_bits_text(memory, line->event->type, line->event->bits)
                                   : trace_line_value(line, memory));
  if (line->kind == TRACE_READ || line->kind == TRACE_INDEX) {
    fputs(",\"reads\":[", file);
    write_read(file, t, memory, line->event);
    fputs("]", file);
  } else if (line->read_count > 0) {
    fputs(",\"reads\":[", file);
    for (size_t i = 0; i < line->read_count; i++) {
      fputs(i ? "," : "", file);
      write_read(file, t, memory, line->reads[i]);
    }
    fputs("]", file);
  }
  fputs("}", file);
}

static void write_element(FILE *file, const trace *t, arena *memory, const trace_element *e) {
  const webnn_data_type type = t->operands[e->operand].tensor.descriptor.data_type;
  trace_place place = {e->operand, e->index};
  const char *formula = trace_formula_text(t, memory, e);
  fputs("{", file);
  write_place(file, t, place);
  fprintf(file, ",\"stored\":\"%s\",\"bits\":\"0x%llx\"", trace_element_text(t, memory, e),
          (unsigned long long)e->bits);
  if (e->value) {
    fprintf(file, ",\"exact\":\"%s\"", number_text(memory, &e->value->value));
    if (*formula) {
      fputs(",\"formula\":", file);
      json_write_string(file, formula);
    }
    if (is_float_type(type))
      fprintf(file, ",\"error\":\"%s\"", trace_error_text(memory, type, e));
  }
  fprintf(file, ",\"copied\":%s,\"sum\":%s,\"lines\":[", e->copied ? "true" : "false",
          e->is_sum ? "true" : "false");
  for (size_t i = 0; i < e->line_count; i++) {
    fputs(i ? ",\n  " : "\n  ", file);
    write_line(file, t, memory, &e->lines[i]);
  }
  fputs("]}", file);
}

static void write_all(FILE *file, const trace *t) {
  const char *separator = "";
  fprintf(file,
          "{\"format\":\"webnn-oracle-trace/1\",\"operator\":\"%s\",\"section\":\"%s\","
          "\"kernel\":\"%s\",\n\"elements\":[",
          webnn_op_name(t->op), webnn_op_section(t->op), trace_kernel_name(t->op));
  for (size_t o = t->input_count; o < t->operand_count; o++) {
    for (size_t i = 0; t->operands[o].name && i < t->operands[o].tensor.count; i++) {
      arena one = {NULL, 0};
      const trace_element e = trace_element_of(t, &one, (int)o, i);
      fprintf(file, "%s\n", separator);
      write_element(file, t, &one, &e);
      separator = ",";
      release(&one);
    }
  }
  fputs("\n]}\n", file);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* "0,0,0,1" of a tensor. */
static bool take_index(const char *text, const tensor *t, const char *name, size_t *index) {
  const webnn_list *shape = &t->descriptor.shape;
  const char *at = text;
  *index = 0;
  for (size_t i = 0; i < shape->count; i++) {
    char *end;
    const unsigned long c = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : ULONG_MAX;
    if (c >= shape->items[i] || *end != (i + 1 < shape->count ? ',' : 0))
      return complain(NULL, "--index %s: \"%s\" takes %lu numbers below its sizes", text, name,
                      (unsigned long)shape->count);
    *index = *index * shape->items[i] + c;
    at = end + 1;
  }
  return shape->count > 0 || *text == 0 ||
         complain(NULL, "--index %s: \"%s\" is a scalar, whose index is \"\"", text, name);
}

static void print_elements(const session *s, FILE *file, const trace *t, int operand) {
  const size_t count = t->operands[operand].tensor.count;
  for (size_t i = 0; i < count && i < s->show; i++) {
    arena one = {NULL, 0};
    const trace_element e = trace_element_of(t, &one, operand, i);
    print_element(file, t, &one, &e);
    release(&one);
  }
  if (count > s->show)
    fprintf(file, "and %lu more: --show N, or --index\n", (unsigned long)(count - s->show));
}

bool trace_print(FILE *file, network *n, size_t operation_index, size_t output, size_t index) {
  arena one = {NULL, 0};
  trace t;
  bool right;
  memset(&t, 0, sizeof t);
  t.only = true;
  t.wanted_output = output;
  t.wanted_index = index;
  right = trace_operator(n, operation_index, &t);
  if (right) {
    const trace_element e = trace_element_of(&t, &one, (int)(t.input_count + output), index);
    print_element(file, &t, &one, &e);
  }
  release(&one);
  trace_release(&t);
  return right;
}

static void print_trace(const session *s, FILE *file, const trace *t) {
  const int operand = (int)(t->input_count + t->wanted_output);
  if (s->html) {
    trace_write_html(file, t);
  } else if (s->all) {
    write_all(file, t);
  } else if (!t->only) {
    print_elements(s, file, t, operand);
  } else {
    arena one = {NULL, 0};
    const trace_element e = trace_element_of(t, &one, operand, t->wanted_index);
    print_element(file, t, &one, &e);
    release(&one);
  }
}

/* The result to trace: the one of this name, or else the operator's first, or the graph's. */
static const network_value *find_result(const network *n, const char *name,
                                        const char *operator_name) {
  const network_value *v = name ? network_find(n, name) : &n->values[n->outputs[0]];
  for (size_t i = 0; !name && operator_name && i < n->operation_count; i++) {
    if (strcmp(n->operations[i].name, operator_name) != 0)
      continue;
    v = &n->values[n->operations[i].first_output];
    break;
  }
  if (v && v->producer != NOBODY)
    return v;
  complain(n->node, "no operator makes \"%s\"", name);
  return NULL;
}

static bool trace_network(const session *s, network *n, const char *operator_name) {
  const network_value *v = find_result(n, s->output, operator_name);
  trace t;
  FILE *file = NULL;
  size_t index = 0;
  bool right;
  memset(&t, 0, sizeof t);
  if (!v || !network_compute(n, true) ||
      (s->index && !take_index(s->index, &v->exact, v->name, &index)))
    return false;
  t.only = s->index && !s->all;
  t.wanted_output = v->output_index;
  t.wanted_index = index;
  right = trace_operator(n, v->producer, &t);
  if (right)
    file = s->out ? fopen(s->out, "wb") : stdout;
  if (file)
    print_trace(s, file, &t);
  if (right && (!file || fflush(file) != 0 || ferror(file)))
    right = cannot_write(s->out);
  if (file && file != stdout)
    fclose(file);
  trace_release(&t);
  return right;
}

/* An example of an operator's entry in docs/operators.md. */
static bool trace_example(const session *s, arena *memory) {
  const char *page = read_docs(s, memory);
  example e;
  if (!page)
    return complain(NULL, "docs/operators.md, which has the examples, is not there: --docs PATH");
  return example_of_page(s, memory, "operators.md", page, s->graph, &e) &&
         trace_network(s, &e.network, s->graph);
}

/* An example of any page: its first result, or the one that --output names. */
static bool trace_page(const session *s, arena *memory) {
  size_t length;
  const char *page = text_read(memory, s->graph, &length);
  example e;
  return page && example_of_page(s, memory, s->graph, page, NULL, &e) &&
         trace_network(s, &e.network, NULL);
}

static bool trace_file(const session *s, arena *memory) {
  case_list list;
  tensor_source inputs;
  network n;
  if (!strpbrk(s->graph, "./\\") && !file_exists(s->graph))
    return complain(NULL, "there is no operator and no file of the name %s%s", s->graph,
                    near_operator(memory, s->graph));
  if (!source_open(memory, s->inputs, &inputs) || !cases_read(s, memory, s->graph, &list))
    return false;
  if (list.count > 1)
    return complain(list.root, "the file has %lu cases; --case NAME takes one of them",
                    (unsigned long)list.count);
  return network_read(s, memory, list.cases[0], &n) &&
         network_feed_inputs(&n, &inputs, false, true) && trace_network(s, &n, NULL);
}

int trace_command(const session *s) {
  arena memory = {NULL, 0};
  const bool named = method_find(s->graph) && !file_exists(s->graph);
  const bool page = ends_with(s->graph, ".md");
  const bool right =
      s->example > 0 && !named && !page
          ? complain(NULL, "--example is for a page or an operator, not for %s", s->graph)
      : (named || page) && s->inputs ? complain(NULL, "an example has its inputs: no --inputs")
      : named                        ? trace_example(s, &memory)
      : page                         ? trace_page(s, &memory)
                                     : trace_file(s, &memory);
  release(&memory);
  return right ? EXIT_RIGHT : EXIT_BAD_INPUT;
}
