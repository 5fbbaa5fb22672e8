/* `trace --html`: a result's elements as one page, without network or script. The first element's
   lines are shown, or those of the element that was chosen last by a link. Beside them stands the
   operator's picture: its tensors, with a frame around each element that was read. A line and its
   frames have a number in common, and light up together. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

/* ---- Text ------------------------------------------------------------------------------------ */

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
    "body{font:15px/1.4 sans-serif;color:#222;background:#fff;margin:2em auto;max-width:90em;"
    "padding:0 1em}\n"
    "table{border-collapse:collapse;margin:.3em 1em .8em 0;display:inline-table}\n"
    "td{border:1px solid #888;padding:.15em .5em;text-align:right}\n"
    "a{color:#0050a0}\n"
    "section{display:none;border-left:4px solid #0050a0;padding-left:1em}\n"
    "section:target,section.first{display:block}\n"
    "section:target~section.first{display:none}\n"
    ".beside{display:flex;gap:2em;align-items:flex-start}\n"
    ".terms{flex:0 1 auto}\n"
    ".picture{flex:1 1 45%;min-width:45%;overflow:auto;position:sticky;top:0;max-height:100vh}\n"
    "@media(max-width:50em){.beside{display:block}.picture{position:static}}\n"
    ".terms td{border:0;text-align:left;vertical-align:top;padding:.1em 1em .1em 0}\n"
    "tr[class]{background:var(--row,none)}\n"
    "svg{font:12px sans-serif;display:block}\n"
    "text{text-anchor:middle;pointer-events:none}\n"
    ".name{text-anchor:start;font-weight:bold}\n"
    ".grid{fill:none;stroke:#999}\n"
    "g[class] rect{fill:#ffb000;fill-opacity:var(--fill,0);stroke:#b35900;stroke-width:2}\n"
    "g[class] text{font-size:8px;fill:#b35900;text-anchor:start}\n"
    "g[class] path{stroke:var(--way,none);pointer-events:none}\n"
    ".result{fill:none;stroke:#0050a0;stroke-width:3}\n"
    ".outside{fill:none;stroke:#b35900;stroke-dasharray:3 2}\n"
    "h2{font-size:1em;margin:1em 0 .2em}\n";

/* Lines beyond these do not light up. */
enum { MOST_LIT = 512 };

static void write_lit_lines(FILE *file, size_t count) {
  for (size_t i = 1; i <= count && i <= MOST_LIT; i++)
    fprintf(file,
            "section:has(.k%lu:is(:hover,:focus)) .k%lu{--row:#ffe08a;--fill:.35;--way:#b35900}\n",
            (unsigned long)i, (unsigned long)i);
}

/* ---- Where the tensors lie in the picture ---------------------------------------------------- */

enum { HEIGHT = 28, GAP = 22, NAME = 20, WIDE = 760, MOST_RING = 64 };

/* The planes of a tensor, its last two dimensions, from left to right and in rows. A ring of cells
   around each is the padding that windows reach. */
typedef struct drawn_tensor {
  double x, y, cell; /* of its name; the width of a cell */
  double name;       /* its width */
  size_t rows, columns, planes, in_row;
  size_t above, left, below, right; /* of the ring */
} drawn_tensor;

typedef struct drawing {
  const trace *t;
  arena memory;
  drawn_tensor *tensors;
  double width, height;
  bool has_ring; /* around the planes of the first tensor */
} drawing;

static double plane_width(const drawn_tensor *d) {
  return (double)(d->left + d->columns + d->right) * d->cell;
}

static double plane_height(const drawn_tensor *d) {
  return (double)(d->above + d->rows + d->below) * HEIGHT;
}

static double tensor_width(const drawn_tensor *d) {
  const double planes = (double)d->in_row * (plane_width(d) + GAP) - GAP;
  return planes > d->name ? planes : d->name;
}

static double tensor_height(const drawn_tensor *d) {
  const size_t down = (d->planes + d->in_row - 1) / d->in_row;
  return NAME + (double)down * (plane_height(d) + GAP);
}

/* The upper left corner of a cell, which may lie in the ring. */
static double cell_x(const drawn_tensor *d, size_t plane, int64_t column) {
  return d->x + (double)(plane % d->in_row) * (plane_width(d) + GAP) +
         ((double)d->left + (double)column) * d->cell;
}

static double cell_y(const drawn_tensor *d, size_t plane, int64_t row) {
  return d->y + NAME + (double)(plane / d->in_row) * (plane_height(d) + GAP) +
         ((double)d->above + (double)row) * HEIGHT;
}

static double element_x(const drawn_tensor *d, uint64_t index) {
  return cell_x(d, (size_t)(index / (d->rows * d->columns)), (int64_t)(index % d->columns));
}

static double element_y(const drawn_tensor *d, uint64_t index) {
  return cell_y(d, (size_t)(index / (d->rows * d->columns)),
                (int64_t)(index / d->columns % d->rows));
}

static size_t cells_outside(int64_t count) {
  return count > 0 ? (size_t)count : 0;
}

/* The ring of an image over which a window of `taps` moves once for each row and column of y.
   False: there is none, or it is too large to be drawn. */
static bool measure_ring(drawn_tensor *d, const drawn_tensor *y, const uint32_t taps[2]) {
  drawn_tensor with = *d;
  const int64_t bottom =
      trace_window_start(0, (uint32_t)y->rows - 1) + (int64_t)(taps[0] - 1) * trace_window_step(0);
  const int64_t end = trace_window_start(1, (uint32_t)y->columns - 1) +
                      (int64_t)(taps[1] - 1) * trace_window_step(1);
  with.above = cells_outside(-trace_window_start(0, 0));
  with.left = cells_outside(-trace_window_start(1, 0));
  with.below = cells_outside(bottom + 1 - (int64_t)d->rows);
  with.right = cells_outside(end + 1 - (int64_t)d->columns);
  if (with.above > MOST_RING || with.left > MOST_RING || with.below > MOST_RING ||
      with.right > MOST_RING)
    return false;
  *d = with;
  return d->above + d->left + d->below + d->right > 0;
}

static void measure_tensor(const trace *t, int operand, drawn_tensor *d) {
  const tensor *values = &t->operands[operand].tensor;
  const webnn_list *shape = &values->descriptor.shape;
  arena memory = {NULL, 0};
  size_t longest = 0;
  for (size_t i = 0; i < values->count; i++) {
    char text[ELEMENT_ROOM];
    element_text(values, i, text);
    longest = strlen(text) > longest ? strlen(text) : longest;
  }
  d->columns = shape->count > 0 ? shape->items[shape->count - 1] : 1;
  d->rows = shape->count > 1 ? shape->items[shape->count - 2] : 1;
  d->planes = values->count / (d->rows * d->columns);
  d->name = 7 * (double)(strlen(t->operands[operand].name) + 1 +
                         strlen(descriptor_text(&memory, &values->descriptor)));
  release(&memory);
  d->cell = longest < 3 ? 28 : 10 + 7 * (double)longest;
}

/* Inputs from left to right as long as they fit; results begin a new row. */
static void place_tensors(drawing *d) {
  const trace *t = d->t;
  double x = 8, y = 8, lowest = y;
  for (size_t i = 0; i < t->operand_count; i++) {
    drawn_tensor *one = &d->tensors[i];
    if (!t->operands[i].name)
      continue;
    one->in_row = (size_t)(WIDE / (plane_width(one) + GAP));
    one->in_row = one->in_row < 1 ? 1 : one->in_row;
    one->in_row = one->in_row > one->planes ? one->planes : one->in_row;
    if (x > 8 && (x + tensor_width(one) > WIDE || i == t->input_count)) {
      x = 8;
      y = lowest;
    }
    one->x = x;
    one->y = y;
    x += tensor_width(one) + GAP;
    lowest = y + tensor_height(one) > lowest ? y + tensor_height(one) : lowest;
    d->width = x > d->width ? x : d->width;
  }
  d->height = lowest;
}

static void open_drawing(drawing *d, const trace *t, const trace_element *first) {
  memset(d, 0, sizeof *d);
  d->t = t;
  d->tensors = (drawn_tensor *)take(&d->memory, t->operand_count * sizeof *d->tensors);
  for (size_t i = 0; i < t->operand_count; i++)
    if (t->operands[i].name)
      measure_tensor(t, (int)i, &d->tensors[i]);
  d->has_ring = first->taps > 0 && trace_image_is_last() &&
                measure_ring(&d->tensors[0], &d->tensors[t->input_count], first->window);
  place_tensors(d);
}

/* ---- The tensors ----------------------------------------------------------------------------- */

static void write_plane(FILE *file, const drawn_tensor *d, size_t plane) {
  const double x = cell_x(d, plane, 0), y = cell_y(d, plane, 0);
  if (d->above + d->left + d->below + d->right > 0)
    fprintf(file, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#eee\"/>",
            x - (double)d->left * d->cell, y - (double)d->above * HEIGHT, plane_width(d),
            plane_height(d));
  fprintf(file, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%d\" fill=\"#fff\"/>", x, y,
          (double)d->columns * d->cell, (int)d->rows * HEIGHT);
  fputs("<path class=\"grid\" d=\"", file);
  for (size_t i = 0; i <= d->columns; i++)
    fprintf(file, "M%g %gv%d", x + (double)i * d->cell, y, (int)d->rows * HEIGHT);
  for (size_t i = 0; i <= d->rows; i++)
    fprintf(file, "M%g %gh%g", x, y + (double)i * HEIGHT, (double)d->columns * d->cell);
  fputs("\"/>\n", file);
}

static void write_tensor(FILE *file, const drawing *d, int operand) {
  const trace_operand *o = &d->t->operands[operand];
  const drawn_tensor *at = &d->tensors[operand];
  arena one = {NULL, 0};
  fprintf(file, "<text class=\"name\" x=\"%g\" y=\"%g\">", at->x, at->y + 12);
  write_escaped(file, o->name);
  fprintf(file, " %s</text>\n", descriptor_text(&one, &o->tensor.descriptor));
  release(&one);
  for (size_t i = 0; i < at->planes; i++)
    write_plane(file, at, i);
  for (size_t i = 0; i < o->tensor.count; i++) {
    char text[ELEMENT_ROOM];
    element_text(&o->tensor, i, text);
    fprintf(file, "<text x=\"%g\" y=\"%g\">%s</text>\n", element_x(at, i) + at->cell / 2,
            element_y(at, i) + 20, text);
  }
}

/* All tensors, once: each element's picture shows them by a reference. Styles of these must not
   name what they stand in, which is another thing where they are shown. */
static void write_tensors(FILE *file, const drawing *d) {
  fputs("<svg width=\"0\" height=\"0\" style=\"position:absolute\"><defs><g id=\"tensors\">\n",
        file);
  for (size_t i = 0; i < d->t->operand_count; i++)
    if (d->t->operands[i].name)
      write_tensor(file, d, (int)i);
  fputs("</g></defs></svg>\n", file);
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* The number of a line that has read an element. */
typedef struct frame {
  trace_place at;
  size_t line;
} frame;

static int by_place(const void *a, const void *b) {
  const frame *f = (const frame *)a, *g = (const frame *)b;
  if (f->at.operand != g->at.operand)
    return f->at.operand < g->at.operand ? -1 : 1;
  if (f->at.index != g->at.index)
    return f->at.index < g->at.index ? -1 : 1;
  return f->line < g->line ? -1 : f->line > g->line;
}

static size_t reads_of(const trace_line *line) {
  return line->kind == TRACE_READ || line->kind == TRACE_INDEX ? 1 : line->read_count;
}

static trace_place read_of(const trace_line *line, size_t i) {
  return line->kind == TRACE_READ || line->kind == TRACE_INDEX ? line->event->at
                                                               : line->reads[i]->at;
}

/* Has the line read an element that the picture shows? A state between steps is none. */
static bool has_frame(const trace_line *line) {
  for (size_t i = 0; i < reads_of(line); i++)
    if (read_of(line, i).operand >= 0)
      return true;
  return false;
}

static frame *frames_of(const trace_element *e, arena *memory, size_t *count) {
  frame *frames;
  size_t room = 0;
  for (size_t i = 0; i < e->line_count; i++)
    room += reads_of(&e->lines[i]);
  frames = (frame *)take(memory, (room + 1) * sizeof *frames);
  *count = 0;
  for (size_t i = 0; i < e->line_count; i++)
    for (size_t j = 0; j < reads_of(&e->lines[i]); j++) {
      const frame f = {read_of(&e->lines[i], j), i + 1};
      if (f.at.operand >= 0)
        frames[(*count)++] = f;
    }
  qsort(frames, *count, sizeof *frames, by_place);
  return frames;
}

/* One frame of `count` lines, with the first one's number, and a way from it to the result. */
static void write_frame(FILE *file, const drawing *d, const trace_element *e, const frame *f,
                        size_t count) {
  const drawn_tensor *at = &d->tensors[f->at.operand], *y = &d->tensors[e->operand];
  const double left = element_x(at, f->at.index), top = element_y(at, f->at.index);
  fputs("<g tabindex=\"-1\" class=\"", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%sk%lu", i ? " " : "", (unsigned long)f[i].line);
  fprintf(file,
          "\"><path d=\"M%g %gL%g %g\"/><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%d\"/>"
          "<text x=\"%g\" y=\"%g\">",
          left + at->cell / 2, top + HEIGHT, element_x(y, e->index) + y->cell / 2,
          element_y(y, e->index), left, top, at->cell, HEIGHT, left + 2, top + 8);
  fprintf(file, "%lu%s</text></g>\n", (unsigned long)f->line, count > 1 ? "+" : "");
}

/* Taps of the element's window on padding, in each plane of the image that has others inside. */
static void write_outside(FILE *file, const drawing *d, const trace_element *e, size_t plane) {
  const drawn_tensor *x = &d->tensors[0], *y = &d->tensors[e->operand];
  const uint32_t p = (uint32_t)(e->index / y->columns % y->rows);
  const uint32_t q = (uint32_t)(e->index % y->columns);
  for (uint32_t a = 0; a < e->window[0]; a++)
    for (uint32_t b = 0; b < e->window[1]; b++) {
      const int64_t row = trace_window_start(0, p) + (int64_t)a * trace_window_step(0);
      const int64_t column = trace_window_start(1, q) + (int64_t)b * trace_window_step(1);
      if (row < 0 || column < 0 || row >= (int64_t)x->rows || column >= (int64_t)x->columns)
        fprintf(file, "<rect class=\"outside\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%d\"/>\n",
                cell_x(x, plane, column) + 4, cell_y(x, plane, row) + 4, x->cell - 8, HEIGHT - 8);
    }
}

static void write_windows(FILE *file, const drawing *d, const trace_element *e, const frame *frames,
                          size_t count) {
  const size_t elements = d->tensors[0].rows * d->tensors[0].columns;
  size_t last = SIZE_MAX;
  for (size_t i = 0; i < count; i++) {
    const size_t plane = (size_t)(frames[i].at.index / elements);
    if (frames[i].at.operand == 0 && plane != last)
      write_outside(file, d, e, last = plane);
  }
}

static void write_picture(FILE *file, const drawing *d, const trace_element *e) {
  const drawn_tensor *y = &d->tensors[e->operand];
  arena memory = {NULL, 0};
  size_t count, next;
  const frame *frames = frames_of(e, &memory, &count);
  fprintf(file,
          "<div class=\"picture\"><svg width=\"%.0f\" height=\"%.0f\"><use href=\"#tensors\"/>\n"
          "<rect class=\"result\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%d\"/>\n",
          d->width, d->height, element_x(y, e->index), element_y(y, e->index), y->cell, HEIGHT);
  if (d->has_ring)
    write_windows(file, d, e, frames, count);
  for (size_t i = 0; i < count; i = next) {
    for (next = i + 1; next < count && frames[next].at.operand == frames[i].at.operand &&
                       frames[next].at.index == frames[i].at.index;)
      next++;
    write_frame(file, d, e, &frames[i], next - i);
  }
  fputs("</svg></div>\n", file);
  release(&memory);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* A row; `number` is that of its frames, 0: it has none. */
static void write_row(FILE *file, size_t number, const char *word, const char *value,
                      const char *source) {
  if (number > 0)
    fprintf(file, "<tr tabindex=\"0\" class=\"k%lu\"><td>%lu</td><td>", (unsigned long)number,
            (unsigned long)number);
  else
    fputs("<tr><td></td><td>", file);
  write_escaped(file, word);
  fputs("</td><td>", file);
  write_escaped(file, value);
  fputs("</td><td>", file);
  write_escaped(file, source);
  fputs("</td></tr>\n", file);
}

static void write_rows(FILE *file, const trace *t, arena *memory, const trace_element *e) {
  const char *formula = trace_formula_text(t, memory, e);
  fputs("<table class=\"terms\">\n", file);
  for (size_t i = 0; i < e->line_count; i++)
    write_row(file, has_frame(&e->lines[i]) ? i + 1 : 0, trace_line_word(&e->lines[i]),
              trace_line_value(&e->lines[i], memory), trace_line_source(t, memory, &e->lines[i]));
  if (trace_shows_exact(t, e) || *formula)
    write_row(file, 0, "exact", number_text(memory, &e->value->value), formula);
  write_row(file, 0, "stored", trace_element_digits(t, memory, e), trace_stored_text(t, memory, e));
  fputs("</table>\n", file);
}

/* ---- The page -------------------------------------------------------------------------------- */

/* A result as tables of rows and columns, whose elements are links. */
static void write_result(FILE *file, const trace *t, int operand) {
  const trace_operand *o = &t->operands[operand];
  const webnn_list *shape = &o->tensor.descriptor.shape;
  const size_t columns = shape->count > 0 ? shape->items[shape->count - 1] : 1;
  const size_t rows = shape->count > 1 ? shape->items[shape->count - 2] : 1;
  fputs("<h2>", file);
  write_escaped(file, o->name);
  fputs("</h2>", file);
  for (size_t i = 0; i < o->tensor.count; i++) {
    char text[ELEMENT_ROOM];
    element_text(&o->tensor, i, text);
    fputs(i % (rows * columns) == 0 ? "<table>" : "", file);
    fputs(i % columns == 0 ? "<tr><td>" : "<td>", file);
    fprintf(file, "<a href=\"#e%d_%lu\">%s</a>", operand, (unsigned long)i, text);
    fputs((i + 1) % columns == 0 ? "</td></tr>" : "</td>", file);
    fputs((i + 1) % (rows * columns) == 0 ? "</table>\n" : "", file);
  }
}

/* One element: a heading with the ways to the elements before and after it, lines, picture. */
static void write_section(FILE *file, const drawing *d, int operand, uint64_t index, bool first) {
  const trace *t = d->t;
  arena memory = {NULL, 0};
  const trace_element e = trace_element_of(t, &memory, operand, index);
  trace_place place = {operand, index};
  fprintf(file, "<section id=\"e%d_%lu\"%s><h2>", operand, (unsigned long)index,
          first ? " class=\"first\"" : "");
  write_escaped(file, trace_place_text(t, &memory, place));
  if (!t->only && index > 0)
    fprintf(file, " <a href=\"#e%d_%lu\">before</a>", operand, (unsigned long)(index - 1));
  if (!t->only && index + 1 < t->operands[operand].tensor.count)
    fprintf(file, " <a href=\"#e%d_%lu\">after</a>", operand, (unsigned long)(index + 1));
  fputs("</h2>\n<div class=\"beside\">\n", file);
  write_rows(file, t, &memory, &e);
  write_picture(file, d, &e);
  fputs("</div></section>\n", file);
  release(&memory);
}

/* The first element comes last, so that a style can hide it when a link has chosen another. */
static void write_sections(FILE *file, const drawing *d, int first, uint64_t first_index) {
  const trace *t = d->t;
  for (size_t i = t->input_count; i < t->operand_count && !t->only; i++)
    for (size_t j = 0; t->operands[i].name && j < t->operands[i].tensor.count; j++)
      if ((int)i != first || j != first_index)
        write_section(file, d, (int)i, j, false);
  write_section(file, d, first, first_index, true);
}

/* The longest list of lines that the page shows. */
static size_t most_lines(const trace *t, const trace_element *first) {
  size_t most = first->line_count;
  for (size_t i = t->input_count; i < t->operand_count && !t->only; i++)
    for (size_t j = 0; t->operands[i].name && j < t->operands[i].tensor.count; j++) {
      arena one = {NULL, 0};
      const trace_element e = trace_element_of(t, &one, (int)i, j);
      most = e.line_count > most ? e.line_count : most;
      release(&one);
    }
  return most;
}

static void write_head(FILE *file, const drawing *d, size_t lines) {
  const trace *t = d->t;
  fprintf(file,
          "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n"
          "<style>\n%s",
          webnn_op_name(t->op), style);
  write_lit_lines(file, lines);
  fputs("</style></head><body>\n<h1>", file);
  write_escaped(file, t->operation->name);
  fprintf(file, ", %s</h1>\n<p>%s in webnn.h</p>\n<p><code>", webnn_op_section(t->op),
          trace_kernel_name(t->op));
  trace_print_call(file, t);
  fprintf(
      file,
      "</code></p>\n<p>%sA frame stands around each element that was read, with the "
      "number of the line that has read it (+: of several)%s. Point at a line or at a frame: what "
      "belongs together lights up.</p>\n",
      t->only ? ""
              : "An element of the result is a link to the lines that show where it comes from. ",
      d->has_ring ? "; dashed: taps on padding, which are not read" : "");
}

void trace_write_html(FILE *file, const trace *t) {
  const int first = (int)(t->input_count + t->wanted_output);
  arena memory = {NULL, 0};
  const trace_element e = trace_element_of(t, &memory, first, t->wanted_index);
  drawing d;
  open_drawing(&d, t, &e);
  write_head(file, &d, most_lines(t, &e));
  for (size_t i = t->input_count; i < t->operand_count && !t->only; i++)
    if (t->operands[i].name)
      write_result(file, t, (int)i);
  write_tensors(file, &d);
  write_sections(file, &d, first, t->wanted_index);
  fputs("</body></html>\n", file);
  release(&d.memory);
  release(&memory);
}
