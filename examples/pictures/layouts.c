/* The layouts: each draws the examples of a picture from what was recorded of them. */
#include "pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_BOTTOM 40
static const char grey[] = "#555", dim[] = "#f1f1f1";

static style small_text(alignment a, const char *fill) {
  style s = text_style(a, fill, false);
  s.small = true;
  return s;
}

/* What the example shows, and its call with all options that it gives; moves y below both. */
static void caption(scene *s, double x, double *y, const char *words) {
  text_at(x, *y - 6, text_style(LEFT, NULL, false), words);
  text_at(x, *y + 10, small_text(LEFT, grey), scene_call(s));
  *y += 16;
}

bool draw_picture(const picture *p, const char *path) {
  begin_drawing();
  text_at(16, 26, text_style(LEFT, NULL, true), p->title);
  p->layout(p);
  return end_drawing(path, p->title);
}

/* The value of a line without digits that only say that more follow. */
static const char *short_value(scene *s, const trace_line *line) {
  const char *text = trace_line_value(line, &s->memory);
  const size_t length = strlen(text);
  if (length < 8)
    return text;
  return take_text(&s->memory, "%.4g", number_double(&line->event->value));
}

/* "7·5 + 9·6 = 89" */
static const char *sum_text(scene *s, const trace_element *e) {
  const char *text = "";
  for (size_t i = 0; i < e->line_count; i++) {
    const trace_line *line = &e->lines[i];
    const char *term = short_value(s, line);
    if (line->kind != TRACE_TERM)
      continue;
    if (line->factors == FACTOR_PRODUCT)
      term = take_text(&s->memory, "%s\302\267%s",
                       value_of(s, line->reads[0]->at.operand, line->reads[0]->at.index),
                       value_of(s, line->reads[1]->at.operand, line->reads[1]->at.index));
    else if (line->factors == FACTOR_SQUARE)
      term = take_text(&s->memory, "%s\302\262",
                       value_of(s, line->reads[0]->at.operand, line->reads[0]->at.index));
    text = take_text(&s->memory, "%s%s%s", text, *text ? " + " : "", term);
  }
  if (*text && s->trace.op == WEBNN_OP_AVERAGE_POOL2D)
    text = take_text(&s->memory, e->inside > 1 ? "(%s) / %lu" : "%s / %lu", text,
                     (unsigned long)e->inside);
  if (*text && s->trace.op == WEBNN_OP_L2_POOL2D)
    text = take_text(&s->memory, "sqrt(%s)", text);
  return take_text(&s->memory, "%s%s= %s", text, *text ? " " : "",
                   trace_element_text(&s->trace, &s->memory, e));
}

/* ---- Windows: conv2d and pools over images --------------------------------------------------- */

/* The rows and columns that windows reach, beyond the image too. */
typedef struct extent {
  int64_t top, left;
  uint32_t rows, columns; /* with the ring of padding */
  uint32_t taps[2], positions[2], image[2];
  int filter; /* its operand; -1: none */
} extent;

/* Windows lie over the operand `image`, one for each position of the operand `over`. */
static extent extent_of(scene *s, int image, int over) {
  extent e;
  int64_t first[2], last[2];
  e.filter = s->inputs > 1 && s->trace.operands[1].name ? 1 : -1;
  for (uint32_t axis = 0; axis < 2; axis++) {
    const int64_t size = size_of(s, image, 1 - (int)axis);
    e.image[axis] = (uint32_t)size;
    e.positions[axis] = size_of(s, over, 1 - (int)axis);
    e.taps[axis] = e.filter < 0 ? trace_window_taps(axis) : size_of(s, 1, 1 - (int)axis);
    first[axis] = trace_window_start(axis, 0);
    last[axis] = trace_window_start(axis, e.positions[axis] - 1) +
                 (int64_t)(e.taps[axis] - 1) * trace_window_step(axis);
    first[axis] = first[axis] < 0 ? first[axis] : 0;
    last[axis] = last[axis] >= size ? last[axis] : size - 1;
  }
  e.top = first[0];
  e.left = first[1];
  e.rows = (uint32_t)(last[0] - first[0] + 1);
  e.columns = (uint32_t)(last[1] - first[1] + 1);
  return e;
}

enum { CELL = 24 };

/* The image in its ring; with `values` its elements, and numbers of rows and columns around it. */
static void draw_image(scene *s, const extent *e, double x, double y, int image, bool values) {
  const double inner_x = x - (double)e->left * CELL, inner_y = y - (double)e->top * CELL;
  if (e->rows > e->image[0] || e->columns > e->image[1])
    rectangle(x, y, e->columns * CELL, e->rows * CELL, fill_style(dim));
  rectangle(inner_x, inner_y, e->image[1] * CELL, e->image[0] * CELL, fill_style("#fff"));
  grid(x, y, e->columns, e->rows, CELL, CELL);
  rectangle(inner_x, inner_y, e->image[1] * CELL, e->image[0] * CELL, line_style("#222", false));
  for (uint32_t i = 0; values && i < e->image[0] * e->image[1]; i++)
    text_at(inner_x + (i % e->image[1] + 0.5) * CELL, inner_y + (i / e->image[1] + 0.7) * CELL,
            text_style(CENTRE, NULL, false), value_of(s, image, i));
  for (uint32_t i = 0; values && i < e->columns; i++)
    text_at(x + (i + 0.5) * CELL, y - 4, small_text(CENTRE, grey),
            take_text(&s->memory, "%ld", (long)(e->left + i)));
  for (uint32_t i = 0; values && i < e->rows; i++)
    text_at(x - 5, y + (i + 0.7) * CELL, small_text(RIGHT, grey),
            take_text(&s->memory, "%ld", (long)(e->top + i)));
}

/* Taps of this output element's window that lie on padding. */
static void draw_taps_outside(const extent *e, double x, double y, uint32_t p, uint32_t q,
                              const char *colour) {
  for (uint32_t a = 0; a < e->taps[0]; a++) {
    for (uint32_t b = 0; b < e->taps[1]; b++) {
      const int64_t row = trace_window_start(0, p) + (int64_t)a * trace_window_step(0);
      const int64_t column = trace_window_start(1, q) + (int64_t)b * trace_window_step(1);
      if (row < 0 || column < 0 || row >= e->image[0] || column >= e->image[1])
        rectangle(x + (double)(column - e->left) * CELL + 5, y + (double)(row - e->top) * CELL + 5,
                  CELL - 10, CELL - 10, dashed_style(colour));
    }
  }
}

/* A sum that would be wider than its window goes on in a second line. */
static void two_lines(scene *s, double x, double y, style look, const char *text) {
  const char *cut = text, *next = text;
  while (strlen(text) > 26 && (next = strstr(next + 1, " + ")) != NULL && next - text <= 22)
    cut = next;
  if (cut == text && strlen(text) > 26 && strstr(text, ": ")) { /* a caption */
    text_at(x, y, look, take_text(&s->memory, "%.*s", (int)(strstr(text, ": ") - text), text));
    text_at(x, y + 16, look, strstr(text, ": ") + 2);
    return;
  }
  text_at(x, y, look, cut > text ? take_text(&s->memory, "%.*s +", (int)(cut - text), text) : text);
  if (cut > text)
    text_at(x, y + 16, look, cut + 3);
}

/* Where one output element has looked, and with which factors. */
static void draw_window(scene *s, const extent *e, double x, double y, uint64_t index) {
  const char *colour = ink[index % COLOURS];
  const uint32_t p = (uint32_t)index / e->positions[1], q = (uint32_t)index % e->positions[1];
  const trace_element element = element_of(s, index);
  source sources[MOST_SOURCES];
  const size_t count = sources_of(&element, sources, MOST_SOURCES);
  text_at(x, y - 8, text_style(LEFT, colour, true),
          take_text(&s->memory, "y[%u,%u]", (unsigned)p, (unsigned)q));
  draw_image(s, e, x, y, 0, false);
  draw_taps_outside(e, x, y, p, q, colour);
  for (size_t i = 0; i < count; i++) {
    const source *read = &sources[i];
    const double cx = x + ((double)(read->at.index % e->image[1]) - (double)e->left) * CELL;
    const double cy = y + ((double)(read->at.index / e->image[1]) - (double)e->top) * CELL;
    style cell = fill_style(pale[index % COLOURS]);
    if (read->at.operand != 0)
      continue;
    cell.stroke = colour;
    rectangle(cx, cy, CELL, CELL, cell);
    text_at(cx + CELL / 2, cy + (read->other ? 11 : 16.5), small_text(CENTRE, NULL),
            value_of(s, 0, read->at.index));
    if (read->other)
      text_at(cx + CELL / 2, cy + 22, small_text(CENTRE, colour),
              take_text(&s->memory, "\302\267%s", value_of(s, 1, read->other->at.index)));
  }
  two_lines(s, x, y + e->rows * CELL + 17, small_text(LEFT, colour), sum_text(s, &element));
}

/* The filter as far apart as its taps are. */
static double draw_filter(scene *s, const extent *e, double x, double y) {
  const uint32_t down = trace_window_step(0), along = trace_window_step(1);
  for (uint32_t i = 0; i < e->taps[0] * e->taps[1]; i++) {
    const double cx = x + (i % e->taps[1]) * along * (double)CELL;
    const double cy = y + (i / e->taps[1]) * down * (double)CELL;
    style cell = fill_style("#fff");
    cell.stroke = "#222";
    rectangle(cx, cy, CELL, CELL, cell);
    text_at(cx + CELL / 2, cy + 17, text_style(CENTRE, NULL, true), value_of(s, 1, i));
  }
  return x + ((e->taps[1] - 1) * along + 1) * (double)CELL;
}

static void draw_results(scene *s, double x, double y, uint32_t columns, uint64_t count) {
  const double width = 48, height = 34;
  for (uint64_t i = 0; i < count; i++) {
    style cell = fill_style(pale[i % COLOURS]);
    cell.stroke = ink[i % COLOURS];
    rectangle(x + (double)(i % columns) * width, y + (double)(i / columns) * height, width, height,
              cell);
    text_at(x + ((double)(i % columns) + 0.5) * width, y + ((double)(i / columns) + 0.65) * height,
            text_style(CENTRE, ink[i % COLOURS], true), value_of(s, s->inputs, i));
  }
}

static uint64_t result_count(const scene *s) {
  return scene_tensor(s, s->inputs)->count;
}

void windows(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    const extent e = extent_of(s, 0, s->inputs);
    const uint32_t row = 752 / (e.columns * CELL + 18);
    const uint64_t count = result_count(s);
    double x = 36, lowest = y + e.rows * CELL + 56;
    caption(s, 16, &y, p->parts[i + 1]);
    y += 36;
    text_at(x, y - 20, small_text(LEFT, grey), "x");
    draw_image(s, &e, x, y, 0, true);
    x += e.columns * CELL + 40;
    if (e.filter > 0) {
      text_at(x, y - 20, small_text(LEFT, grey), "w, its taps as they lie");
      x = draw_filter(s, &e, x, y) + 48;
    }
    text_at(x, y - 20, small_text(LEFT, grey), "y");
    draw_results(s, x, y, e.positions[1], count);
    y = lowest + 30;
    for (uint64_t j = 0; j < count; j++)
      draw_window(s, &e, 16 + (double)(j % row) * (e.columns * CELL + 18),
                  y + (double)(j / row) * (e.rows * CELL + 66), j);
    y += (double)((count + row - 1) / row) * (e.rows * CELL + 66) + 6;
    close_scene(s);
  }
}

/* ---- Stamps: convTranspose2d ----------------------------------------------------------------- */

/* What one pixel of x puts into y; its stamp may reach beyond. */
static void draw_stamp(scene *s, const extent *e, double x, double y, uint64_t pixel) {
  const char *colour = ink[pixel % COLOURS];
  const uint32_t p = (uint32_t)pixel / e->positions[1], q = (uint32_t)pixel % e->positions[1];
  text_at(x, y - 8, text_style(LEFT, colour, true),
          take_text(&s->memory, "x[%u,%u] = %s", (unsigned)p, (unsigned)q, value_of(s, 0, pixel)));
  draw_image(s, e, x, y, s->inputs, false);
  for (uint64_t i = 0; i < result_count(s); i++) {
    const trace_element element = element_of(s, i);
    source sources[MOST_SOURCES];
    const size_t count = sources_of(&element, sources, MOST_SOURCES);
    const double cx = x + ((double)(i % e->image[1]) - (double)e->left) * CELL;
    const double cy = y + ((double)(i / e->image[1]) - (double)e->top) * CELL;
    for (size_t j = 0; j < count; j++) {
      style cell = fill_style(pale[pixel % COLOURS]);
      if (sources[j].at.operand != 0 || sources[j].at.index != pixel)
        continue;
      cell.stroke = colour;
      rectangle(cx, cy, CELL, CELL, cell);
      text_at(cx + CELL / 2, cy + 18, small_text(CENTRE, NULL), short_value(s, sources[j].line));
    }
  }
  draw_taps_outside(e, x, y, p, q, colour);
}

void stamps(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    const extent e = extent_of(s, s->inputs, 0);
    const double step = e.columns * CELL + 28;
    const uint64_t pixels = scene_tensor(s, 0)->count;
    const uint32_t row = (uint32_t)(740 / step);
    caption(s, 16, &y, p->parts[i + 1]);
    y += 36;
    text_at(16, y - 20, small_text(LEFT, grey), "x");
    for (uint64_t j = 0; j < pixels; j++) {
      style cell = fill_style(pale[j % COLOURS]);
      const double cx = 16 + (double)(j % e.positions[1]) * CELL,
                   cy = y + (double)(j / e.positions[1]) * CELL;
      cell.stroke = ink[j % COLOURS];
      rectangle(cx, cy, CELL, CELL, cell);
      text_at(cx + CELL / 2, cy + 18, text_style(CENTRE, ink[j % COLOURS], true),
              value_of(s, 0, j));
    }
    text_at(132, y - 20, small_text(LEFT, grey), "w");
    draw_filter(s, &e, 132, y);
    text_at(290, y - 20, small_text(LEFT, grey), "y, the sum of all stamps");
    draw_image(s, &e, 290, y, s->inputs, true);
    y += e.rows * CELL + 50;
    for (uint64_t j = 0; j < pixels; j++)
      draw_stamp(s, &e, 16 + (double)(j % row) * step, y + (double)(j / row) * (e.rows * CELL + 40),
                 j);
    y += (double)((pixels + row - 1) / row) * (e.rows * CELL + 40) + 6;
    close_scene(s);
  }
}

/* ---- Strips: one line for each result, over a row of inputs ---------------------------------- */

enum { WIDE = 40 };

/* Taps of a pool's window that lie beyond the image, if that is one row. */
static void draw_taps_beyond(scene *s, double x, double y, uint64_t index) {
  const webnn_op op = s->trace.op;
  const uint64_t inputs = scene_tensor(s, 0)->count;
  if (inputs != size_of(s, 0, 0) ||
      (op != WEBNN_OP_AVERAGE_POOL2D && op != WEBNN_OP_L2_POOL2D && op != WEBNN_OP_MAX_POOL2D))
    return;
  for (uint32_t a = 0; a < trace_window_taps(1); a++) {
    const int64_t at = trace_window_start(1, (uint32_t)index) + (int64_t)a * trace_window_step(1);
    if (at < 0 || at >= (int64_t)inputs)
      rectangle(x + (double)at * WIDE + 5, y + 3, WIDE - 10, 18,
                dashed_style(ink[index % COLOURS]));
  }
}

static void draw_strip(scene *s, double x, double y, uint64_t index) {
  const trace_element e = element_of(s, index);
  source sources[MOST_SOURCES];
  const size_t count = sources_of(&e, sources, MOST_SOURCES);
  const uint64_t inputs = scene_tensor(s, 0)->count;
  const char *colour = ink[index % COLOURS];
  text_at(x - 8, y + 17, text_style(RIGHT, colour, true),
          take_text(&s->memory, "y[%lu]", (unsigned long)index));
  for (size_t i = 0; i < count; i++) {
    style cell = fill_style(pale[index % COLOURS]);
    if (sources[i].at.operand != 0)
      continue;
    cell.stroke = colour;
    rectangle(x + (double)sources[i].at.index * WIDE + 1, y, WIDE - 2, 24, cell);
    text_at(x + ((double)sources[i].at.index + 0.5) * WIDE, y + 17, text_style(CENTRE, NULL, false),
            value_of(s, 0, sources[i].at.index));
  }
  draw_taps_beyond(s, x, y, index);
  text_at(x + (inputs < 6 ? 6 : (double)inputs) * WIDE + 12, y + 17, text_style(LEFT, colour, true),
          count > 0 ? sum_text(s, &e)
                    : take_text(&s->memory, "%s: nothing is read", sum_text(s, &e)));
}

void strips(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    const uint64_t inputs = scene_tensor(s, 0)->count;
    const double x = 60;
    caption(s, 16, &y, p->parts[i + 1]);
    y += 6;
    text_at(x - 8, y + 18, text_style(RIGHT, NULL, true), "x");
    grid(x, y, (uint32_t)inputs, 1, WIDE, 26);
    for (uint64_t j = 0; j < inputs; j++)
      text_at(x + ((double)j + 0.5) * WIDE, y + 18, text_style(CENTRE, NULL, true),
              value_of(s, 0, j));
    y += 34;
    for (uint64_t j = 0; j < result_count(s); j++, y += 28)
      draw_strip(s, x, y, j);
    y += 32;
    close_scene(s);
  }
}

/* ---- Links: an arrow from each element to where it is copied --------------------------------- */

static void draw_links(scene *s, double x, double y, const char *words) {
  const uint64_t inputs = scene_tensor(s, 0)->count, outputs = result_count(s);
  const double shift = outputs > inputs ? (double)(outputs - inputs) / 2 * 32 : 0;
  const double back = inputs > outputs ? (double)(inputs - outputs) / 2 * 32 : 0;
  caption(s, x, &y, words);
  y += 2;
  x += 26;
  text_at(x - 8, y + 18, text_style(RIGHT, NULL, true), "x");
  text_at(x - 8, y + 96, text_style(RIGHT, NULL, true), "y");
  grid(x + shift, y, (uint32_t)inputs, 1, 32, 26);
  for (uint64_t i = 0; i < inputs; i++)
    text_at(x + shift + ((double)i + 0.5) * 32, y + 18, text_style(CENTRE, ink[i % COLOURS], true),
            value_of(s, 0, i));
  for (uint64_t i = 0; i < outputs; i++) {
    const trace_element e = element_of(s, i);
    source sources[MOST_SOURCES];
    const size_t count = sources_of(&e, sources, MOST_SOURCES);
    const uint64_t from = count > 0 ? sources[count - 1].at.index : 0;
    const double cx = x + back + ((double)i + 0.5) * 32;
    style cell = fill_style(count > 0 ? pale[from % COLOURS] : NULL);
    cell.stroke = count > 0 ? ink[from % COLOURS] : grey;
    cell.dashed = count == 0;
    rectangle(cx - 15, y + 78, 30, 26, cell);
    text_at(cx, y + 96, text_style(CENTRE, NULL, true), value_of(s, s->inputs, i));
    if (count > 0)
      arrow(x + shift + ((double)from + 0.5) * 32, y + 28, cx, y + 76,
            line_style(ink[from % COLOURS], false));
  }
}

void links(const picture *p) {
  double x = 16, y = TITLE_BOTTOM + 24;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    draw_links(s, x, y, p->parts[i + 1]);
    x = x > 300 ? 16 : 392;
    y += x < 300 ? 168 : 0;
    close_scene(s);
  }
}

/* ---- Tensors as grids with marks ------------------------------------------------------------- */

/* Rows are all dimensions but the last; more than two dimensions have coordinates before them. */
static uint32_t columns_of(const scene *s, int operand) {
  return size_of(s, operand, 0);
}

static uint32_t rows_of(const scene *s, int operand) {
  return (uint32_t)(scene_tensor(s, operand)->count / columns_of(s, operand));
}

enum { SLOT = 43, MOST_OPERANDS = 16 };

/* Colour and letter of each element: 0: none; 1, 2, ...: a, b, ... */
typedef struct marks {
  unsigned char of[MOST_SOURCES];
  bool crossed[MOST_SOURCES];
  bool framed; /* in place of letters */
} marks;

static const double slot_height = 28;

static void draw_cells(scene *s, double x, double y, int operand, const marks *m) {
  const tensor *t = scene_tensor(s, operand);
  const uint32_t columns = columns_of(s, operand);
  for (uint64_t i = 0; i < t->count && i < MOST_SOURCES; i++) {
    const int mark = m->of[i] - 1;
    style cell = fill_style(mark >= 0 ? pale[mark % COLOURS] : NULL);
    if (mark < 0)
      continue;
    cell.stroke = m->framed ? ink[mark % COLOURS] : NULL;
    cell.thick = m->framed;
    rectangle(x + (double)(i % columns) * SLOT, y + (double)(i / columns) * slot_height, SLOT,
              slot_height, cell);
  }
  grid(x, y, columns, rows_of(s, operand), SLOT, slot_height);
  text_at(x, y - 7, text_style(LEFT, NULL, true), s->trace.operands[operand].name);
}

/* A marked value is bold and leaves room for its letter; a long one is small. */
static void draw_value(double x, double y, const char *value, bool marked, bool framed) {
  const size_t length = strlen(value);
  const bool lettered = marked && !framed, small = length > 3 && lettered;
  text_at(x + (small                     ? 25
               : length == 3 && lettered ? 27
                                         : 24),
          y + (small ? 23 : 20),
          small ? small_text(CENTRE, NULL) : text_style(CENTRE, NULL, marked && length < 4), value);
}

static void draw_values(scene *s, double x, double y, int operand, const marks *m) {
  const tensor *t = scene_tensor(s, operand);
  const uint32_t columns = columns_of(s, operand);
  for (uint64_t i = 0; i < t->count && i < MOST_SOURCES; i++) {
    const double cx = x + (double)(i % columns) * SLOT;
    const double cy = y + (double)(i / columns) * slot_height;
    const int mark = m->of[i] - 1;
    const char letter[2] = {(char)('a' + mark), 0};
    const char *value = value_of(s, operand, i);
    if (strlen(value) > 6)
      value = take_text(&s->memory, "%.2f", element_value(t, (size_t)i));
    if (mark >= 0 && !m->framed)
      text_at(cx + 3, cy + 12, small_text(LEFT, ink[mark % COLOURS]), letter);
    draw_value(cx, cy, value, mark >= 0, m->framed);
    if (m->crossed[i]) {
      line(cx + 3, cy + 3, cx + SLOT - 3, cy + 25, line_style("#222", false));
      line(cx + 3, cy + 25, cx + SLOT - 3, cy + 3, line_style("#222", false));
    }
  }
  for (uint32_t i = 0; t->descriptor.shape.count > 2 && i < rows_of(s, operand); i++)
    text_at(x - 5, y + (i + 0.7) * slot_height, small_text(RIGHT, grey),
            take_text(&s->memory, "%u,%u", (unsigned)(i / size_of(s, operand, 1)),
                      (unsigned)(i % size_of(s, operand, 1))));
}

static void draw_tensor(scene *s, double x, double y, int operand, const marks *m) {
  draw_cells(s, x, y, operand, m);
  draw_values(s, x, y, operand, m);
}

/* Room for the coordinates before the rows of more than two dimensions. */
static double label_width(const scene *s, int operand) {
  return scene_tensor(s, operand)->descriptor.shape.count > 2 ? 28 : 0;
}

static double width_of(const scene *s, int operand) {
  return columns_of(s, operand) * SLOT + label_width(s, operand);
}

/* Tensors side by side; returns how far down they reach. */
static double draw_tensors(scene *s, double x, double y, const int *operands, size_t count,
                           const marks *m) {
  double lowest = y;
  for (size_t i = 0; i < count; i++) {
    const double label = label_width(s, operands[i]);
    const double reach = y + rows_of(s, operands[i]) * 28.0;
    draw_tensor(s, x + label, y, operands[i], &m[operands[i]]);
    x += width_of(s, operands[i]) + 44;
    lowest = reach > lowest ? reach : lowest;
  }
  return lowest;
}

/* The gather family: each index, or row of indices, what it names and where that goes. */
void slices(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    static marks m[MOST_OPERANDS];
    scene *s = open_scene(p->parts[i]);
    const int order[] = {1, 0, 2};
    unsigned char next = 1;
    memset(m, 0, sizeof m);
    for (uint64_t j = 0; j < result_count(s); j++) {
      const trace_element e = element_of(s, j);
      source sources[MOST_SOURCES];
      const size_t count = sources_of(&e, sources, MOST_SOURCES);
      unsigned char *mark = &m[1].of[sources[0].at.index];
      *mark = *mark ? *mark : next++;
      for (size_t k = 0; k < count; k++)
        if (!m[sources[k].at.operand].of[sources[k].at.index])
          m[sources[k].at.operand].of[sources[k].at.index] = *mark;
      m[2].of[j] = *mark;
    }
    caption(s, 16, &y, p->parts[i + 1]);
    y = draw_tensors(s, 16, y + 28, order, 3, m) + 44;
    close_scene(s);
  }
}

/* The scatter family: what each update writes; those that no result shows are crossed out. */
void updates(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    static marks m[MOST_OPERANDS];
    scene *s = open_scene(p->parts[i]);
    const int order[] = {0, 1, 2, 3};
    const uint64_t share = scene_tensor(s, 2)->count / rows_of(s, 1);
    const bool rows = s->trace.op == WEBNN_OP_SCATTER_ND;
    memset(m, 0, sizeof m);
    for (uint64_t j = 0; j < scene_tensor(s, 2)->count; j++) {
      m[2].crossed[j] = true;
      m[2].of[j] = (unsigned char)(1 + (rows ? j / share : j));
    }
    for (uint64_t j = 0; j < scene_tensor(s, 1)->count; j++)
      m[1].of[j] = (unsigned char)(1 + (rows ? j / columns_of(s, 1) : j));
    for (uint64_t j = 0; j < result_count(s); j++) {
      const trace_element e = element_of(s, j);
      source sources[MOST_SOURCES];
      const size_t count = sources_of(&e, sources, MOST_SOURCES);
      const trace_place from = sources[count - 1].at;
      if (from.operand == 2) {
        m[2].crossed[from.index] = false;
        m[3].of[j] = m[2].of[from.index];
      }
    }
    caption(s, 16, &y, p->parts[i + 1]);
    y = draw_tensors(s, 16, y + 28, order, 4, m) + 44;
    close_scene(s);
  }
}

/* ---- Rulers: resample2d ---------------------------------------------------------------------- */

/* "u = 0.25: 3/4 · 10 + 1/4 · 20" beneath an element of the result. */
static void draw_place(scene *s, double x, double y, uint32_t index, const trace_element *e) {
  const trace_resampled r = trace_resample(&s->trace, 1, index);
  const char *text = "";
  for (size_t i = 0; i < e->line_count; i++) {
    const trace_line *line = &e->lines[i];
    if (line->kind == TRACE_TERM && line->factors == FACTOR_WEIGHT &&
        line->weight[0] < line->weight[1])
      text = take_text(&s->memory, "%s%s%lu/%lu \302\267 %s", text, *text ? " + " : "",
                       (unsigned long)line->weight[0], (unsigned long)line->weight[1],
                       value_of(s, 0, line->reads[0]->at.index));
  }
  text_at(x, y, small_text(CENTRE, NULL),
          take_text(&s->memory, "u = %g%s", (double)r.u / (double)r.unit,
                    r.clamped ? ", clamped" : ""));
  text_at(x, y + 15, small_text(CENTRE, grey), text);
}

/* A row of elements that have width, with their middles. */
static void draw_ruler(scene *s, double x, double y, double width, int operand, bool coloured) {
  const uint32_t count = columns_of(s, operand);
  for (uint32_t i = 0; i < count; i++) {
    const double middle = x + (i + 0.5) * width / count;
    if (coloured)
      rectangle(x + i * width / count, y, width / count, 32, fill_style(pale[i % COLOURS]));
    text_at(middle, y + (coloured ? 18 : 26),
            text_style(CENTRE, coloured ? ink[i % COLOURS] : NULL, true), value_of(s, operand, i));
    dot(middle, coloured ? y + 32 : y, coloured ? ink[i % COLOURS] : "#222", true);
  }
  grid(x, y, count, 1, width / count, 32);
}

/* Both images are as wide; what each element of the result has taken of its neighbours. */
void rulers(const picture *p) {
  double y = TITLE_BOTTOM + 24;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    const double width = 640, x = 60;
    const uint32_t in = columns_of(s, 0), out = columns_of(s, s->inputs);
    caption(s, 16, &y, p->parts[i + 1]);
    y += 16;
    for (uint32_t j = 0; j < in; j++)
      text_at(x + (j + 0.5) * width / in, y - 4, small_text(CENTRE, grey),
              take_text(&s->memory, "%u", (unsigned)j));
    text_at(x - 8, y - 4, small_text(RIGHT, grey), "u");
    text_at(x - 8, y + 22, text_style(RIGHT, NULL, true), "x");
    text_at(x - 8, y + 114, text_style(RIGHT, NULL, true), "y");
    draw_ruler(s, x, y, width, 0, true);
    draw_ruler(s, x, y + 92, width, s->inputs, false);
    for (uint32_t j = 0; j < out; j++) {
      const trace_element e = element_of(s, j);
      source sources[MOST_SOURCES];
      const size_t count = sources_of(&e, sources, MOST_SOURCES);
      for (size_t k = 0; k < count; k++) {
        const trace_line *l = sources[k].line;
        const uint64_t from = sources[k].at.index;
        const bool most = l->kind != TRACE_TERM || 2 * l->weight[0] > l->weight[1];
        arrow(x + ((double)from + 0.5) * width / in, y + 36, x + (j + 0.5) * width / out, y + 88,
              line_style(ink[from % COLOURS], most));
      }
      draw_place(s, x + (j + 0.5) * width / out, y + 140, j, &e);
    }
    y += 196;
    close_scene(s);
  }
}

/* ---- Threads: memory before and after -------------------------------------------------------- */

static trace_place copied_place(scene *s, int operand, uint64_t index) {
  const trace_element e = trace_element_of(&s->trace, &s->memory, operand, index);
  trace_place none = {-1, 0};
  return e.line_count > 0 ? e.lines[e.line_count - 1].event->at : none;
}

/* A thread through a tensor's elements as they lie in memory, below their values. */
static void draw_thread(scene *s, double x, double y, int operand) {
  const char *points = "";
  const uint32_t columns = columns_of(s, operand);
  for (uint64_t i = 0; i < scene_tensor(s, operand)->count; i++)
    points = take_text(&s->memory, "%s%g,%g ", points, x + ((double)(i % columns) + 0.5) * SLOT,
                       y + (double)(i / columns) * slot_height + 24);
  polyline(points, line_style("#8aa", false));
}

enum { BYTE = 22 };

/* The same elements side by side, as memory has them. */
static void draw_memory(scene *s, double x, double y, int operand, const marks *m) {
  const uint64_t count = scene_tensor(s, operand)->count;
  double left = x;
  for (size_t o = 0; o < s->trace.operand_count; o++) {
    const double behind = x + 10 + 9 * (double)strlen(s->trace.operands[o].name);
    left = behind > left ? behind : left;
  }
  text_at(x, y + 15, text_style(LEFT, NULL, true), s->trace.operands[operand].name);
  for (uint64_t i = 0; i < count; i++) {
    const int mark = m->of[i] - 1;
    if (mark >= 0)
      rectangle(left + (double)i * BYTE, y, BYTE, 20, fill_style(pale[mark % COLOURS]));
    text_at(left + ((double)i + 0.5) * BYTE, y + 15, small_text(CENTRE, NULL),
            value_of(s, operand, i));
  }
  grid(left, y, (uint32_t)count, 1, BYTE, 20);
}

/* Each element has the colour and the letter of its row in the input that it came from. */
static void mark_rows(scene *s, marks *m) {
  for (int o = 0; o < (int)s->trace.operand_count; o++)
    for (uint64_t j = 0; j < scene_tensor(s, o)->count; j++) {
      const trace_place from = o < s->inputs ? (trace_place){o, j} : copied_place(s, o, j);
      if (from.operand >= 0)
        m[o].of[j] =
            (unsigned char)(1 + from.operand * 2 + (int)(from.index / columns_of(s, from.operand)));
    }
}

void threads(const picture *p) {
  double x = 16, y = TITLE_BOTTOM + 20, lowest = y;
  for (size_t i = 0; p->parts[i]; i += 2) {
    static marks m[MOST_OPERANDS];
    scene *s = open_scene(p->parts[i]);
    double at = x, height = 0, top = y;
    memset(m, 0, sizeof m);
    mark_rows(s, m);
    caption(s, x, &top, p->parts[i + 1]);
    for (int o = 0; o < (int)s->trace.operand_count; o++) {
      at += label_width(s, o);
      draw_cells(s, at, top + 24, o, &m[o]);
      draw_thread(s, at, top + 24, o);
      draw_values(s, at, top + 24, o, &m[o]);
      height = rows_of(s, o) * slot_height > height ? rows_of(s, o) * slot_height : height;
      at += columns_of(s, o) * SLOT + 26;
    }
    top += 24 + height + 14;
    for (int o = 0; o < (int)s->trace.operand_count; o++, top += 25)
      draw_memory(s, x, top, o, &m[o]);
    lowest = top > lowest ? top : lowest;
    x = x > 300 ? 16 : 400;
    if (x < 300) {
      y = lowest + 40;
      lowest = y;
    }
    close_scene(s);
  }
}

/* ---- Groups: elements that share something --------------------------------------------------- */

/* What the elements of a group have in common is the first element that was read for all of them,
   of the operand `by`. */
static uint64_t group_key(const trace_element *e, int by) {
  source sources[MOST_SOURCES];
  const size_t count = sources_of(e, sources, MOST_SOURCES);
  uint64_t key = UINT64_MAX;
  for (size_t i = 0; i < count; i++)
    if (sources[i].at.operand == by && sources[i].at.index < key)
      key = sources[i].at.index;
  return key;
}

static void mark_groups(scene *s, marks *m) {
  const bool scaled = s->trace.op == WEBNN_OP_QUANTIZE_LINEAR ||
                      s->trace.op == WEBNN_OP_BATCH_NORMALIZATION ||
                      s->trace.op == WEBNN_OP_DEQUANTIZE_LINEAR;
  uint64_t keys[64];
  unsigned char count = 0;
  for (uint64_t i = 0; i < result_count(s); i++) {
    const trace_element e = element_of(s, i);
    const uint64_t key = group_key(&e, scaled ? 1 : 0);
    source sources[MOST_SOURCES];
    const size_t reads = sources_of(&e, sources, MOST_SOURCES);
    unsigned char k = 0;
    while (k < count && keys[k] != key)
      k++;
    if (k == count && count < 26)
      keys[count++] = key;
    m[s->inputs].of[i] = (unsigned char)(k + 1);
    for (size_t j = 0; j < reads; j++)
      m[sources[j].at.operand].of[sources[j].at.index] = (unsigned char)(k + 1);
  }
}

void groups(const picture *p) {
  double x = 16, y = TITLE_BOTTOM + 20, lowest = y;
  for (size_t i = 0; p->parts[i]; i += 2) {
    static marks m[MOST_OPERANDS];
    scene *s = open_scene(p->parts[i]);
    int order[MOST_OPERANDS];
    size_t count = 0;
    double width = -44, reach, top;
    memset(m, 0, sizeof m);
    mark_groups(s, m);
    for (int o = 0; o <= s->inputs; o++) {
      if (s->trace.operands[o].name) {
        order[count++] = o;
        width += width_of(s, o) + 44;
      }
    }
    if (x > 16 && x + width > 770) {
      x = 16;
      y = lowest + 44;
    }
    top = y;
    caption(s, x, &top, p->parts[i + 1]);
    reach = draw_tensors(s, x, top + 28, order, count, m);
    lowest = reach > lowest ? reach : lowest;
    x += width + 60;
    close_scene(s);
  }
}

enum { BLOCK = 34 };

/* An image for each row, a channel for each column: which elements share a mean. */
static void draw_blocks(scene *s, double x, double y, const marks *m) {
  const uint32_t block = size_of(s, 0, 0) * size_of(s, 0, 1), channels = size_of(s, 0, 2);
  const double step = size_of(s, 0, 0) * BLOCK + 8, down = size_of(s, 0, 1) * 24 + 8;
  for (uint64_t i = 0; i < scene_tensor(s, 0)->count; i++) {
    const uint64_t n = i / block / channels, c = i / block % channels, at = i % block;
    const double cx = x + (double)c * step + (double)(at % size_of(s, 0, 0)) * BLOCK;
    const double cy = y + (double)n * down + (double)(at / size_of(s, 0, 0)) * 24;
    const int mark = m->of[i] - 1;
    const char letter[2] = {(char)('a' + mark), 0};
    style cell = fill_style(pale[mark % COLOURS]);
    cell.stroke = "#777";
    rectangle(cx, cy, BLOCK, 24, cell);
    text_at(cx + 2, cy + 10, small_text(LEFT, ink[mark % COLOURS]), letter);
    text_at(cx + 22, cy + 18, text_style(CENTRE, NULL, false), value_of(s, 0, i));
    if (at == 0 && n == 0)
      text_at(cx + step / 2 - 4, y - 5, small_text(CENTRE, grey),
              take_text(&s->memory, "channel %lu", (unsigned long)c));
  }
}

void blocks(const picture *p) {
  double x = 16;
  const double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    static marks m[MOST_OPERANDS];
    scene *s = open_scene(p->parts[i]);
    memset(m, 0, sizeof m);
    mark_groups(s, m);
    two_lines(s, x, y, text_style(LEFT, NULL, false), p->parts[i + 1]);
    text_at(x, y + 32, small_text(LEFT, grey), scene_call(s));
    draw_blocks(s, x, y + 62, &m[s->inputs]);
    x += size_of(s, 0, 2) * (size_of(s, 0, 0) * BLOCK + 8) + 40;
    close_scene(s);
  }
}

/* ---- Products: row, column, cell ------------------------------------------------------------- */

/* An option of the picture's operator that is a number; false: it is not given. */
static bool number_option(const scene *s, const char *name, double *number) {
  const json *arguments = json_get(s->trace.operation->node, "arguments");
  for (const json *a = json_items(arguments, JSON_ARRAY); a; a = a->next)
    if (json_double(json_get(json_get(json_get(a, "options"), name), "number"), number))
      return true;
  return false;
}

/* "a[1,2] · b[2,1] = 6 · 10 = 60"; "sum = 65"; "c[1] = 200" */
static const char *equation_text(scene *s, const trace_line *l) {
  const char *value = short_value(s, l);
  if (l->kind == TRACE_TERM && l->factors == FACTOR_PRODUCT) {
    const trace_place a = l->reads[0]->at, b = l->reads[1]->at;
    return take_text(&s->memory, "%s \302\267 %s = %s \302\267 %s = %s",
                     trace_place_text(&s->trace, &s->memory, a),
                     trace_place_text(&s->trace, &s->memory, b), value_of(s, a.operand, a.index),
                     value_of(s, b.operand, b.index), value);
  }
  return take_text(&s->memory, "%s = %s",
                   l->kind == TRACE_READ ? trace_line_source(&s->trace, &s->memory, l)
                                         : trace_line_word(l),
                   value);
}

/* "alpha · sum + beta · c[1] = 2 · 65 + 1 · 200 = " of gemm, from its last two lines; else the
   formula, or "". */
static const char *scaled_text(scene *s, const trace_element *e) {
  const char *formula = trace_formula_text(&s->trace, &s->memory, e);
  double alpha = 1, beta = 1;
  if (!*formula || e->line_count < 2)
    return "";
  if (s->trace.op != WEBNN_OP_GEMM)
    return take_text(&s->memory, "%s = ", formula);
  number_option(s, "alpha", &alpha);
  number_option(s, "beta", &beta);
  return take_text(&s->memory, "%s = %g \302\267 %s + %g \302\267 %s = ", formula, alpha,
                   short_value(s, &e->lines[e->line_count - 2]), beta,
                   short_value(s, &e->lines[e->line_count - 1]));
}

void products(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    static marks m[MOST_OPERANDS];
    scene *s = open_scene(p->parts[i]);
    const uint64_t shown = result_count(s) - 1;
    const double right = 60 + columns_of(s, 0) * (double)SLOT, down = rows_of(s, 1) * 28.0 + 40;
    const trace_element e = element_of(s, shown);
    source sources[MOST_SOURCES];
    const size_t count = sources_of(&e, sources, MOST_SOURCES);
    double note;
    memset(m, 0, sizeof m);
    for (size_t j = 0; j < count; j++)
      m[sources[j].at.operand].of[sources[j].at.index] = (unsigned char)(sources[j].at.operand + 1);
    m[s->inputs].of[shown] = 4;
    for (int o = 0; o <= s->inputs; o++)
      m[o].framed = true;
    caption(s, 16, &y, p->parts[i + 1]);
    note = y + 24 + down + rows_of(s, 0) * 28.0 + 24;
    draw_tensor(s, right, y + 24, 1, &m[1]);
    draw_tensor(s, 16, y + 24 + down, 0, &m[0]);
    draw_tensor(s, right, y + 24 + down, s->inputs, &m[s->inputs]);
    if (s->inputs > 2 && s->trace.operands[2].name)
      draw_tensor(s, right + columns_of(s, 1) * SLOT + 40, y + 24 + down, 2, &m[2]);
    for (size_t j = 0; j < e.line_count; j++, note += 19)
      text_at(16, note, small_text(LEFT, NULL), equation_text(s, &e.lines[j]));
    text_at(16, note, text_style(LEFT, ink[3], true),
            take_text(&s->memory, "%s = %s%s",
                      trace_place_text(&s->trace, &s->memory, (trace_place){s->inputs, shown}),
                      scaled_text(s, &e), trace_element_text(&s->trace, &s->memory, &e)));
    y = note + 48;
    close_scene(s);
  }
}

/* ---- Batches: which matrices are multiplied with which --------------------------------------- */

enum { SMALL_WIDTH = 27, SMALL_HEIGHT = 20 };

static uint64_t matrix_size(const scene *s, int operand) {
  return (uint64_t)size_of(s, operand, 0) * size_of(s, operand, 1);
}

/* The coordinates of a matrix: "a[1,0]". */
static const char *matrix_name(scene *s, int operand, uint64_t batch) {
  const char *text = "";
  const int rank = (int)scene_tensor(s, operand)->descriptor.shape.count;
  for (int from_last = 2; from_last < rank; from_last++) {
    const uint32_t size = size_of(s, operand, from_last);
    text = take_text(&s->memory, "%lu%s%s", (unsigned long)(batch % size), *text ? "," : "", text);
    batch /= size;
  }
  return take_text(&s->memory, *text ? "%s[%s]" : "%s", s->trace.operands[operand].name, text);
}

static void draw_matrix(scene *s, double x, double y, int operand, uint64_t batch, int colour) {
  const uint32_t columns = size_of(s, operand, 0), rows = size_of(s, operand, 1);
  const uint64_t size = matrix_size(s, operand);
  rectangle(x, y, columns * SMALL_WIDTH, rows * SMALL_HEIGHT,
            fill_style(colour < 0 ? "#fff" : pale[colour % COLOURS]));
  grid(x, y, columns, rows, SMALL_WIDTH, SMALL_HEIGHT);
  for (uint64_t i = 0; i < size; i++)
    text_at(x + ((double)(i % columns) + 0.5) * SMALL_WIDTH,
            y + (double)(i / columns) * SMALL_HEIGHT + 14.5, small_text(CENTRE, NULL),
            value_of(s, operand, batch * size + i));
  text_at(x, y - 5, small_text(LEFT, colour < 0 ? "#222" : ink[colour % COLOURS]),
          matrix_name(s, operand, batch));
}

/* Matrices of a at the left, of b at the top; each of y where the two that it was made of meet. */
void batches(const picture *p) {
  const double y = TITLE_BOTTOM + 20;
  double x = 16;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    const double width = size_of(s, 1, 0) * SMALL_WIDTH + 14.0;
    const double height = size_of(s, 0, 1) * SMALL_HEIGHT + 28.0;
    const double left = x + size_of(s, 0, 0) * SMALL_WIDTH + 26, top = y + 60 + height;
    const uint64_t lefts = scene_tensor(s, 0)->count / matrix_size(s, 0);
    const uint64_t tops = scene_tensor(s, 1)->count / matrix_size(s, 1);
    two_lines(s, x, y - 14, text_style(LEFT, NULL, false), p->parts[i + 1]);
    text_at(x, y + 18, small_text(LEFT, grey), scene_call(s));
    for (uint64_t j = 0; j < lefts; j++)
      draw_matrix(s, x, top + (double)j * height, 0, j, -1);
    for (uint64_t j = 0; j < tops; j++)
      draw_matrix(s, left + (double)j * width, y + 48, 1, j, -1);
    line(left - 13, y + 36, left - 13, top + (double)lefts * height - 22,
         line_style("#999", false));
    line(x, top - 22, left + (double)tops * width - 14, top - 22, line_style("#999", false));
    for (uint64_t j = 0; j < result_count(s); j += matrix_size(s, s->inputs)) {
      const trace_element e = element_of(s, j);
      const uint64_t row = group_key(&e, 0) / matrix_size(s, 0);
      const uint64_t column = group_key(&e, 1) / matrix_size(s, 1);
      const uint64_t batch = j / matrix_size(s, s->inputs);
      draw_matrix(s, left + (double)column * width, top + (double)row * height, s->inputs, batch,
                  (int)batch);
    }
    x = left + (double)(tops > 2 ? tops : 2) * width + 40;
    close_scene(s);
  }
}

/* ---- Nibbles: two elements of 4 bits in a byte ----------------------------------------------- */

enum { BIT = 30 };

/* Half a byte as a number of the operand's type is the element that lies there. */
static bool holds_element(const scene *s, uint64_t index, unsigned nibble) {
  const tensor *t = scene_tensor(s, 0);
  const bool negative = t->descriptor.data_type == WEBNN_INT4 && nibble >= 8;
  return element_value(t, (size_t)index) == (double)nibble - (negative ? 16 : 0);
}

/* One half, the upper one at the left; an arrow to the result that has read the element. */
static void draw_nibble(scene *s, double x, double y, uint64_t index) {
  const bool upper = index % 2 == 1, used = index < scene_tensor(s, 0)->count;
  const unsigned byte = ((const unsigned char *)scene_tensor(s, 0)->data)[index / 2];
  const unsigned nibble = upper ? byte >> 4 : byte & 15;
  const char *colour = used ? ink[index % COLOURS] : grey;
  const double left = x + (double)(index / 2) * (8 * BIT + 12) + (upper ? 0 : 4 * BIT);
  style cell = fill_style(used ? pale[index % COLOURS] : "#fff");
  cell.stroke = colour;
  cell.dashed = !used;
  rectangle(left, y, 4 * BIT, 28, cell);
  for (int bit = 3; bit >= 0; bit--) {
    const double middle = left + (3 - bit + 0.5) * BIT;
    text_at(middle, y - 5, small_text(CENTRE, grey),
            take_text(&s->memory, "%d", bit + (upper ? 4 : 0)));
    text_at(middle, y + 19, text_style(CENTRE, NULL, false), nibble >> bit & 1 ? "1" : "0");
  }
  if (!used) {
    text_at(left + 2 * BIT, y + 48, small_text(CENTRE, grey), "no element");
    return;
  }
  if (!holds_element(s, index, nibble)) {
    fprintf(stderr, "pictures: element %lu lies elsewhere\n", (unsigned long)index);
    exit(1);
  }
  text_at(left + 2 * BIT, y + 48, text_style(CENTRE, colour, true),
          take_text(&s->memory, "x[%lu] = %s", (unsigned long)index, value_of(s, 0, index)));
}

void nibbles(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    const uint64_t count = scene_tensor(s, 0)->count, results = result_count(s);
    const double x = 16, width = (double)(count + 1) / 2 * (8 * BIT + 12) / (double)results;
    caption(s, 16, &y, p->parts[i + 1]);
    y += 44;
    for (uint64_t j = 0; j < (count + 1) / 2; j++)
      text_at(x + (double)j * (8 * BIT + 12) + 4 * BIT, y - 22, text_style(CENTRE, NULL, true),
              take_text(&s->memory, "byte %lu: 0x%02x", (unsigned long)j,
                        ((const unsigned char *)scene_tensor(s, 0)->data)[j]));
    for (uint64_t j = 0; j < (count + 1) / 2 * 2; j++)
      draw_nibble(s, x, y, j);
    for (uint64_t j = 0; j < results; j++) {
      const trace_element e = element_of(s, j);
      const uint64_t from = group_key(&e, 0);
      const double begin = x + (double)(from / 2) * (8 * BIT + 12) + (from % 2 ? 2 : 6) * BIT;
      style cell = fill_style(pale[from % COLOURS]);
      cell.stroke = ink[from % COLOURS];
      rectangle(x + (double)j * width, y + 116, width - 8, 28, cell);
      arrow(begin, y + 56, x + ((double)j + 0.5) * width - 4, y + 113,
            line_style(ink[from % COLOURS], true));
      text_at(x + ((double)j + 0.5) * width - 4, y + 135, text_style(CENTRE, NULL, true),
              take_text(&s->memory, "y[%lu] = %s", (unsigned long)j, value_of(s, s->inputs, j)));
    }
    y += 196;
    close_scene(s);
  }
}

/* ---- Curves ---------------------------------------------------------------------------------- */

/* "alpha 0.01": what a function has for options. */
static const char *number_options_text(scene *s) {
  const char *text = "";
  for (const char *const *name = (const char *const[]){"alpha", "beta", NULL}; *name; name++) {
    double number;
    if (number_option(s, *name, &number))
      text = take_text(&s->memory, "%s%s%s %g", text, *text ? ", " : "", *name, number);
  }
  return text;
}

static const double curve_unit = 17, curve_limit = 2.2;

/* Axes with a mark for each whole number, and a number on each. */
static void draw_axes(double x, double y) {
  const double width = 8 * curve_unit, height = 2 * curve_limit * curve_unit;
  const double across = y + height / 2, down = x + width / 2;
  rectangle(x, y, width, height, fill_style("#f7f7f7"));
  axes(down, across, curve_unit, 4, 2);
  text_at(x + width - 2, across - 4, small_text(RIGHT, grey), "4");
  text_at(down - 4, across - 2 * curve_unit + 7, small_text(RIGHT, grey), "2");
}

static bool is_whole(double v) {
  return v == floor(v) && v >= -curve_limit && v <= curve_limit;
}

typedef struct curve_point {
  double x, y, u, v; /* where it is drawn, and its numbers */
} curve_point;

static curve_point point_of(scene *s, double x, double y, uint64_t i) {
  curve_point at;
  at.u = element_value(scene_tensor(s, 0), i);
  at.v = element_value(scene_tensor(s, s->inputs), i);
  at.x = x + (at.u + 4) * curve_unit;
  at.y = y + (curve_limit - at.v) * curve_unit;
  return at;
}

/* A step of ceil, floor, roundEven or sign is at the one of two neighbouring points that is a
   multiple of 1/2; that point's own value has the full dot, and the end of the other part is
   open. */
static void draw_step(curve_point before, curve_point after) {
  const bool first = before.u * 2 == floor(before.u * 2);
  const curve_point at = first ? before : after, other = first ? after : before;
  line(other.x, other.y, at.x, other.y, line_style(ink[0], true));
  dot(at.x, at.y, ink[0], true);
  dot(at.x, other.y, ink[0], false);
}

static void draw_part_of_curve(const char **points) {
  if (**points)
    polyline(*points, line_style(ink[0], true));
  *points = "";
}

/* y over x, from the first x to the last; what lies outside of the limits is left out. */
static void draw_curve(scene *s, double x, double y, const char *words) {
  const double height = 2 * curve_limit * curve_unit;
  const char *points = "";
  curve_point before = point_of(s, x, y, 0);
  text_at(x, y - 5, text_style(LEFT, NULL, true), words);
  text_at(x + 2, y + height + 12, small_text(LEFT, grey), number_options_text(s));
  for (uint64_t i = 0; i < result_count(s); i++) {
    const curve_point at = point_of(s, x, y, i);
    const bool jumps = at.v - before.v >= 0.9 || before.v - at.v >= 0.9;
    const bool inside = at.v >= -curve_limit && at.v <= curve_limit;
    if (jumps || !inside)
      draw_part_of_curve(&points);
    if (jumps && is_whole(before.v) && is_whole(at.v))
      draw_step(before, at);
    if (inside)
      points = take_text(&s->memory, "%s%.1f,%.1f ", points, at.x, at.y);
    before = at;
  }
  draw_part_of_curve(&points);
}

void curves(const picture *p) {
  const double left = 16, top = TITLE_BOTTOM + 22;
  double x = left, y = top;
  begin_group();
  draw_axes(left, top);
  end_group();
  for (size_t i = 0; p->parts[i]; i++) {
    scene *s = open_scene(p->parts[i]);
    if (i > 0)
      group_again(x - left, y - top);
    draw_curve(s, x, y, webnn_op_name(s->trace.op));
    x += 150;
    if (x > 700) {
      x = left;
      y += 114;
    }
    close_scene(s);
  }
}

/* ---- The line of floats ---------------------------------------------------------------------- */

/* What is between two neighbouring floats of the type, of this size. */
static double unit_of(webnn_data_type type, double value) {
  int exponent;
  frexp(value, &exponent);
  return ldexp(1, exponent - (type == WEBNN_FLOAT16 ? 11 : 24));
}

/* Marks for the floats around an exact result, which goes to the nearest, or in the middle to the
   even one. */
static void draw_marks(scene *s, double x, double y, const trace_element *e) {
  const tensor *t = scene_tensor(s, s->inputs);
  const double stored = element_value(t, (size_t)e->index);
  const double exact = number_double(&e->value->value);
  const double unit = unit_of(t->descriptor.data_type, stored), step = 190;
  const int first = exact > stored ? -1 : -2; /* of four marks */
  const double origin = x - first * step, at = origin + (exact - stored) / unit * step;
  line(x - 50, y, x + 3 * step + 50, y, line_style("#222", false));
  for (int i = first; i < first + 4; i++) {
    const double mark = origin + i * step;
    line(mark, y - 8, mark, y + 8, line_style("#222", i == 0));
    text_at(mark, y + 24, text_style(CENTRE, i == 0 ? ink[0] : NULL, i == 0),
            take_text(&s->memory, "%.13g", stored + i * unit));
    text_at(mark, y + 40, small_text(CENTRE, grey),
            (e->bits + (uint64_t)(int64_t)i) % 2 ? "last bit 1" : "last bit 0, even");
  }
  dot(at, y, ink[1], true);
  text_at(at, y - 32, small_text(CENTRE, ink[1]), take_text(&s->memory, "exact: %.13g", exact));
  line(at, y - 4, at, y - 20, line_style(ink[1], false));
  arrow(at, y - 20, origin + (at > origin ? 3 : -3), y - 6, line_style(ink[1], false));
}

void floats(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    const trace_element e = element_of(s, 0);
    caption(s, 16, &y, p->parts[i + 1]);
    if (e.value && e.value->value.kind == NUMBER_FINITE)
      draw_marks(s, 90, y + 56, &e);
    y += 136;
    close_scene(s);
  }
}

/* ---- Cells: sums, gates, and what the formula makes of them ----------------------------------- */

static const char *rounded(scene *s, double value) {
  return take_text(&s->memory, "%.4g", value);
}

static void frame(double x, double y, double width, double height, const char *colour) {
  style look = fill_style("#fff");
  look.stroke = colour;
  look.thick = true;
  rectangle(x, y, width, height, look);
}

static void box(double x, double y, double width, const char *colour, const char *text) {
  frame(x, y, width, 26, colour);
  text_at(x + width / 2, y + 18, text_style(CENTRE, colour, true), text);
}

enum { MOST_SUMS = 2, MOST_PARTS = 12, BOX_LEFT = 456, BOX_WIDTH = 270, LANE = 12 };

/* A value of the formula: a gate with its sums, a state that was read, or what is made of them. */
typedef struct cell_part {
  const char *letter;
  double value;
  const char *sums[MOST_SUMS]; /* their terms */
  double totals[MOST_SUMS];
  size_t sum_count;
  const char *meaning;
  double from; /* where its wire begins */
} cell_part;

typedef struct cell {
  scene *scene;
  cell_part parts[MOST_PARTS];
  size_t count;
} cell;

static const cell_part *part_of(const cell *c, const char *letter) {
  for (size_t i = 0; i < c->count; i++)
    if (strcmp(c->parts[i].letter, letter) == 0)
      return &c->parts[i];
  fprintf(stderr, "pictures: the cell has no %s\n", letter);
  exit(1);
}

/* "from x: 1·20 + 2·0" of the terms of lines begin ... end - 1 in which x has a part, or h. */
static const char *terms_of(scene *s, const trace_element *e, size_t begin, size_t end, bool of_x) {
  const char *text = "";
  for (; begin < end; begin++) {
    const trace_line *line = &e->lines[begin];
    if (line->kind != TRACE_TERM || line->factors != FACTOR_PRODUCT ||
        (line->reads[0]->at.operand == 0) != of_x)
      continue;
    text = take_text(&s->memory, "%s%s%s\302\267%s", text, *text ? " + " : "",
                     value_of(s, line->reads[0]->at.operand, line->reads[0]->at.index),
                     value_of(s, line->reads[1]->at.operand, line->reads[1]->at.index));
  }
  return *text ? take_text(&s->memory, "from %s: %s", of_x ? "x" : "h", text) : "";
}

static void add_sum(scene *s, cell_part *p, const trace_element *e, size_t begin, size_t end) {
  const char *x = terms_of(s, e, begin, end, true), *h = terms_of(s, e, begin, end, false);
  p->sums[p->sum_count] = take_text(&s->memory, "%s%s%s", x, *x && *h ? ";  " : "", h);
  p->totals[p->sum_count++] = number_double(&e->lines[end].event->value);
}

/* The reset gates of all units are computed before an element's own lines: only its own counts. */
static void take_parts(cell *c, const trace_element *e) {
  const uint64_t units = size_of(c->scene, c->scene->inputs, 0);
  size_t begin = 0, resets = 0;
  cell_part next;
  memset(&next, 0, sizeof next);
  for (size_t i = 0; i < e->line_count && c->count < MOST_PARTS; i++) {
    const trace_line *line = &e->lines[i];
    if (line->kind == TRACE_TOTAL && next.sum_count < MOST_SUMS)
      add_sum(c->scene, &next, e, begin, i);
    if (line->kind == TRACE_TOTAL)
      begin = i + 1;
    if (line->kind != TRACE_NAME && line->kind != TRACE_READ)
      continue;
    next.letter = line->kind == TRACE_READ ? "h" : line->event->name;
    next.value = number_double(&line->event->value);
    next.meaning = line->kind == TRACE_READ
                       ? "the old state"
                       : trace_line_source(&c->scene->trace, &c->scene->memory, line);
    if (strcmp(next.letter, "c'") == 0) {
      c->parts[c->count].letter = "c";
      c->parts[c->count].meaning = "the old cell state";
      c->parts[c->count++].value = number_double(&line->reads[0]->value);
      next.meaning = "the new cell state";
    }
    if (strcmp(next.letter, "r") != 0 || resets++ % units == e->index % units)
      c->parts[c->count++] = next;
    memset(&next, 0, sizeof next);
    begin = i + 1;
  }
}

/* What the formula makes of other parts: the wires of its picture. */
typedef struct cell_rule {
  webnn_op op;
  const char *letter, *text;
  const char *from[5]; /* letters; NULL */
} cell_rule;

static const cell_rule cell_rules[] = {
    {WEBNN_OP_GRU_CELL, "n", "n = tanh(from x + r \302\267 from h)", {"r", NULL}},
    {WEBNN_OP_GRU_CELL, "y", "y = z \302\267 h + (1 - z) \302\267 n", {"z", "n", "h", NULL}},
    {WEBNN_OP_LSTM_CELL, "c'", "c' = f \302\267 c + i \302\267 g", {"i", "f", "g", "c", NULL}},
    {WEBNN_OP_LSTM_CELL, "y", "y = o \302\267 tanh(c')", {"c'", "o", NULL}}};

static const cell_rule *rule_of(const cell *c, const char *letter) {
  for (size_t i = 0; i < sizeof cell_rules / sizeof *cell_rules; i++)
    if (cell_rules[i].op == c->scene->trace.op && strcmp(cell_rules[i].letter, letter) == 0)
      return &cell_rules[i];
  return NULL;
}

static double sigmoid(double x) {
  return 1 / (1 + exp(-x));
}

/* The value by its formula, and that formula in numbers. */
static double value_by_rule(const cell *c, const cell_part *p, const char **text) {
  arena *memory = &c->scene->memory;
  double a, b, d;
  if (strcmp(p->letter, "n") == 0) {
    a = part_of(c, "r")->value;
    *text = take_text(memory, "tanh(%.4g + %.4g \302\267 %.4g)", p->totals[0], a, p->totals[1]);
    return tanh(p->totals[0] + a * p->totals[1]);
  }
  if (strcmp(p->letter, "c'") == 0) {
    a = part_of(c, "f")->value, b = part_of(c, "i")->value, d = part_of(c, "g")->value;
    *text = take_text(memory, "%.4g \302\267 %.4g + %.4g \302\267 %.4g", a, part_of(c, "c")->value,
                      b, d);
    return a * part_of(c, "c")->value + b * d;
  }
  if (c->scene->trace.op == WEBNN_OP_GRU_CELL) {
    a = part_of(c, "z")->value, b = part_of(c, "h")->value, d = part_of(c, "n")->value;
    *text = take_text(memory, "%.4g \302\267 %.4g + %.4g \302\267 %.4g", a, b, 1 - a, d);
    return a * b + (1 - a) * d;
  }
  a = part_of(c, "o")->value, b = part_of(c, "c'")->value;
  *text = take_text(memory, "%.4g \302\267 tanh(%.4g)", a, b);
  return a * tanh(b);
}

/* No wire is drawn along a formula that does not give what was recorded. */
static void agree(const cell_part *p, double value) {
  const double distance = value > p->value ? value - p->value : p->value - value;
  if (distance > 1e-9 * (1 + (value < 0 ? -value : value))) {
    fprintf(stderr, "pictures: %s is %.17g, by its formula %.17g\n", p->letter, p->value, value);
    exit(1);
  }
}

static const char *colour_of(const cell *c, const char *letter) {
  return strcmp(letter, "y") == 0 ? "#222" : ink[(size_t)(part_of(c, letter) - c->parts) % COLOURS];
}

/* A value made of others, each with a wire of its own from where that stands, along its lane. */
static void draw_rule(const cell *c, const cell_rule *rule, const cell_part *p, double y) {
  const char *colour = colour_of(c, p->letter), *numbers;
  size_t count = 0;
  agree(p, value_by_rule(c, p, &numbers));
  frame(BOX_LEFT, y, BOX_WIDTH, 46, colour);
  text_at(BOX_LEFT + 10, y + 18, text_style(LEFT, colour, true), rule->text);
  text_at(BOX_LEFT + 10, y + 38, small_text(LEFT, colour),
          take_text(&c->scene->memory, "%s = %s", numbers, rounded(c->scene, p->value)));
  while (rule->from[count])
    count++;
  for (size_t i = 0; i < count; i++) {
    const cell_part *from = part_of(c, rule->from[i]);
    const double lane = BOX_LEFT + BOX_WIDTH + 14 + (double)(from - c->parts) * LANE;
    const double end = y + 38 * ((double)i + 1) / ((double)count + 1);
    const style look = line_style(colour_of(c, from->letter), false);
    line(BOX_LEFT + BOX_WIDTH, from->from, lane, from->from, look);
    line(lane, from->from, lane, end, look);
    arrow(lane, end, BOX_LEFT + BOX_WIDTH + 1, end, look);
  }
}

/* Returns how far down it reaches. */
static double draw_part(const cell *c, cell_part *p, double y) {
  const cell_rule *rule = rule_of(c, p->letter);
  const char *colour = colour_of(c, p->letter),
             *name = strchr("gn", *p->letter) ? "tanh" : "sigmoid";
  const double height = rule ? 46 : 26;
  const double below = p->sum_count > 1 ? 34 : 0, top = rule ? y + (below - 12) / 2 : y;
  for (size_t i = 0; i < p->sum_count; i++) {
    const double middle = y + 13 + (double)i * 34;
    text_at(16, middle + 5, small_text(LEFT, NULL), p->sums[i]);
    box(348, middle - 13, 70, grey, rounded(c->scene, p->totals[i]));
    arrow(420, middle, BOX_LEFT - 2, middle, line_style(colour, false));
  }
  text_at(16, y + (p->sum_count > 0 ? below + 38 : 18), small_text(LEFT, colour), p->meaning);
  p->from = rule ? top + height - 4 : top + height / 2; /* wires come in above */
  if (rule) {
    draw_rule(c, rule, p, top);
  } else if (p->sum_count > 0) {
    agree(p, *name == 't' ? tanh(p->totals[0]) : sigmoid(p->totals[0]));
    box(BOX_LEFT, y, BOX_WIDTH, colour,
        take_text(&c->scene->memory, "%s = %s(%s) = %s", p->letter, name,
                  rounded(c->scene, p->totals[0]), rounded(c->scene, p->value)));
  } else {
    box(BOX_LEFT, y, BOX_WIDTH, colour,
        take_text(&c->scene->memory, "%s = %s", p->letter, rounded(c->scene, p->value)));
  }
  return y + (p->sum_count > 0 ? below + 54 : rule ? 58 : 40);
}

void cells(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    const trace_element e = element_of(s, s->trace.op == WEBNN_OP_GRU_CELL ? 1 : 0);
    cell c;
    cell_part result;
    memset(&c, 0, sizeof c);
    memset(&result, 0, sizeof result);
    c.scene = s;
    take_parts(&c, &e);
    result.letter = "y";
    result.value = number_double(&e.value->value);
    result.meaning = trace_place_text(&s->trace, &s->memory, (trace_place){s->inputs, e.index});
    caption(s, 16, &y, p->parts[i + 1]);
    y += 14;
    for (size_t j = 0; j < c.count; j++)
      y = draw_part(&c, &c.parts[j], y);
    y = draw_part(&c, &result, y) + 10;
    close_scene(s);
  }
}

/* ---- Steps of a recurrent network ------------------------------------------------------------ */

enum { STEP = 170, STATE = 90 };

static double step_x(uint64_t step) {
  return 120 + (double)step * STEP;
}

/* From the input of its step, beside the box of the other direction, and from another state. */
static void draw_origins(scene *s, double y, double row, uint32_t t, uint32_t d) {
  const int sequence = (int)s->trace.operand_count - 1;
  const uint32_t directions = size_of(s, sequence, 2), hidden = size_of(s, sequence, 0);
  const trace_element e =
      trace_element_of(&s->trace, &s->memory, sequence, (uint64_t)(t * directions + d) * hidden);
  source sources[MOST_SOURCES];
  const size_t count = sources_of(&e, sources, MOST_SOURCES);
  const double shift = d == 0 ? 20 : 70, x = step_x(t);
  bool from_x = false, from_state = false;
  for (size_t i = 0; i < count; i++) {
    const trace_place at = sources[i].at;
    if (at.operand == 0 && !from_x) {
      from_x = true;
      arrow(step_x(at.index / size_of(s, 0, 0)) + shift, y + 28, x + shift, row - 2,
            line_style(ink[d], false));
    } else if (at.operand == sequence && !from_state) {
      const double from = step_x(at.index / hidden / directions);
      from_state = true;
      arrow(from < x ? from + STATE + 2 : from - 2, row + 13, from < x ? x - 2 : x + STATE + 2,
            row + 13, line_style(ink[d], true));
    }
  }
}

/* Rows: the input, then the states of each direction; columns: the steps. */
static void draw_steps(scene *s, double y) {
  const int sequence = (int)s->trace.operand_count - 1;
  const uint32_t directions = size_of(s, sequence, 2), steps = size_of(s, sequence, 3);
  for (uint32_t d = directions; d-- > 0;) { /* arrows to lower rows pass behind the boxes */
    const double row = y + 76 + d * 66;
    text_at(16, row + 18, text_style(LEFT, ink[d], true), d == 0 ? "forward" : "backward");
    for (uint32_t t = 0; t < steps; t++)
      draw_origins(s, y, row, t, d);
    for (uint32_t t = 0; t < steps; t++)
      box(step_x(t), row, STATE, ink[d],
          rounded(s, element_value(scene_tensor(s, sequence),
                                   (size_t)(t * directions + d) * size_of(s, sequence, 0))));
  }
  for (uint32_t t = 0; t < steps; t++)
    box(step_x(t), y, STATE, grey,
        take_text(&s->memory, "x[%u] = %s", (unsigned)t, value_of(s, 0, t * size_of(s, 0, 0))));
}

void recurrences(const picture *p) {
  double y = TITLE_BOTTOM + 20;
  for (size_t i = 0; p->parts[i]; i += 2) {
    scene *s = open_scene(p->parts[i]);
    caption(s, 16, &y, p->parts[i + 1]);
    draw_steps(s, y + 8);
    y += 120 + size_of(s, (int)s->trace.operand_count - 1, 2) * 66.0;
    close_scene(s);
  }
}
