/* `trace --html`: every element of an operator's results as one page, without network or script. A
   click on an element of a result shows where it came from, by the style of the link's target. */
#include "trace.h"

static void write_escaped(FILE *file, const char *text) {
  for (; *text; text++) {
    if (*text == '<')
      fputs("&lt;", file);
    else if (*text == '>')
      fputs("&gt;", file);
    else if (*text == '&')
      fputs("&amp;", file);
    else if (*text == '"')
      fputs("&quot;", file);
    else
      fputc(*text, file);
  }
}

static const char style[] =
    "body{font:15px/1.4 sans-serif;color:#222;background:#fff;max-width:60em;margin:2em auto;"
    "padding:0 1em}\n"
    "table{border-collapse:collapse;margin:.3em 1em .8em 0;display:inline-table}\n"
    "td{border:1px solid #888;padding:.15em .5em;text-align:right}\n"
    "td a{color:#0050a0}\n"
    "section{display:none;border-left:4px solid #0050a0;padding-left:1em}\n"
    "section:target{display:block}\n"
    ".terms td{border:0;text-align:left;vertical-align:top;padding:.1em 1em .1em 0}\n"
    "mark{background:#fff;border:2px solid #b35900;font-weight:bold;padding:0 .2em}\n"
    "h2{font-size:1em;margin:1em 0 .2em}\n";

/* Was this element read for one of the lines? */
static bool is_read(const trace_element *e, int operand, uint64_t index) {
  for (size_t i = 0; e && i < e->line_count; i++) {
    const trace_line *line = &e->lines[i];
    if ((line->kind == TRACE_READ || line->kind == TRACE_INDEX) &&
        line->event->at.operand == operand && line->event->at.index == index)
      return true;
    for (size_t j = 0; j < line->read_count; j++)
      if (line->reads[j]->at.operand == operand && line->reads[j]->at.index == index)
        return true;
  }
  return false;
}

/* A tensor as tables of rows and columns; elements of results are links, and what `e` has read
   stands in a frame. */
static void write_tensor(FILE *file, const trace *t, int operand, const trace_element *e) {
  const trace_operand *o = &t->operands[operand];
  const webnn_list *shape = &o->tensor.descriptor.shape;
  const size_t columns = shape->count > 0 ? shape->items[shape->count - 1] : 1;
  const size_t rows = shape->count > 1 ? shape->items[shape->count - 2] : 1;
  fputs("<h2>", file);
  write_escaped(file, o->name);
  fputs(" ", file);
  for (size_t i = 0; i < o->tensor.count; i++) {
    char text[ELEMENT_ROOM];
    element_text(&o->tensor, i, text);
    if (i == 0) {
      arena one = {NULL, 0};
      fprintf(file, "%s</h2>", descriptor_text(&one, &o->tensor.descriptor));
      release(&one);
    }
    fputs(i % (rows * columns) == 0 ? "<table>" : "", file);
    fputs(i % columns == 0 ? "<tr><td>" : "<td>", file);
    if (operand >= (int)t->input_count && !e)
      fprintf(file, "<a href=\"#e%d_%lu\">%s</a>", operand, (unsigned long)i, text);
    else
      fprintf(file, is_read(e, operand, i) ? "<mark>%s</mark>" : "%s", text);
    fputs((i + 1) % columns == 0 ? "</td></tr>" : "</td>", file);
    fputs((i + 1) % (rows * columns) == 0 ? "</table>\n" : "", file);
  }
}

static void write_row(FILE *file, const char *word, const char *value, const char *source) {
  fputs("<tr><td>", file);
  write_escaped(file, word);
  fputs("</td><td>", file);
  write_escaped(file, value);
  fputs("</td><td>", file);
  write_escaped(file, source);
  fputs("</td></tr>\n", file);
}

static void write_section(FILE *file, const trace *t, int operand, uint64_t index) {
  arena memory = {NULL, 0};
  const trace_element e = trace_element_of(t, &memory, operand, index);
  trace_place place = {operand, index};
  const char *formula;
  fprintf(file, "<section id=\"e%d_%lu\"><h2>", operand, (unsigned long)index);
  write_escaped(file, trace_place_text(t, &memory, place));
  fputs("</h2>\n<table class=\"terms\">\n", file);
  for (size_t i = 0; i < e.line_count; i++)
    write_row(file, trace_line_word(&e.lines[i]), trace_line_value(&e.lines[i], &memory),
              trace_line_source(t, &memory, &e.lines[i]));
  formula = trace_formula_text(t, &memory, &e);
  if (trace_shows_exact(t, &e) || *formula)
    write_row(file, "exact", number_text(&memory, &e.value->value), formula);
  write_row(file, "stored", trace_element_digits(t, &memory, &e),
            trace_stored_text(t, &memory, &e));
  fputs("</table>\n", file);
  for (size_t i = 0; i < t->input_count; i++)
    if (t->operands[i].name)
      write_tensor(file, t, (int)i, &e);
  fputs("</section>\n", file);
  release(&memory);
}

void trace_write_html(FILE *file, const trace *t) {
  fprintf(file,
          "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n"
          "<style>\n%s</style></head><body>\n<h1>",
          webnn_op_name(t->op), style);
  write_escaped(file, t->operation->name);
  fprintf(file, ", %s</h1>\n<p>%s in webnn.h</p>\n<p><code>", webnn_op_section(t->op),
          trace_kernel_name(t->op));
  trace_print_call(file, t);
  fputs(
      "</code></p>\n<p>A click on an element of the result shows where it comes from; what it has "
      "read stands in a frame.</p>\n",
      file);
  for (size_t i = t->input_count; i < t->operand_count; i++)
    if (t->operands[i].name)
      write_tensor(file, t, (int)i, NULL);
  for (size_t i = t->input_count; i < t->operand_count; i++)
    for (size_t j = 0; t->operands[i].name && j < t->operands[i].tensor.count; j++)
      write_section(file, t, (int)i, j);
  fputs("</body></html>\n", file);
}
