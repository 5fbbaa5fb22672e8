/* Scenes: examples with what was recorded of them; a canvas to draw on; layouts. */
#ifndef PICTURES_H
#define PICTURES_H

#include "../webnn/exact/trace.h"

/* ---- Scenes (pictures.c) --------------------------------------------------------------------- */

typedef struct scene {
  arena memory;
  network network;
  trace trace;
  int inputs; /* how many operands are inputs; then come the results */
} scene;

scene *open_scene(const char *name);
void close_scene(scene *s);
/* "conv2d(x, w, padding=[1, 1, 1, 1])" */
const char *scene_call(scene *s);
const tensor *scene_tensor(const scene *s, int operand);
/* A size of an operand, counted from the last dimension; 1 where there is none. */
uint32_t size_of(const scene *s, int operand, int from_last);
const char *value_of(scene *s, int operand, uint64_t index);
/* How an element of the first result came about. */
trace_element element_of(scene *s, uint64_t index);

enum { MOST_SOURCES = 256 };

/* An element that was read for a line; of a term with two factors also the other. */
typedef struct source {
  const trace_line *line;
  trace_place at;
  const trace_event *other;
} source;

size_t sources_of(const trace_element *e, source *sources, size_t room);
bool reads_element(const trace_element *e, int operand, uint64_t index);

/* ---- Drawing (draw.c) ------------------------------------------------------------------------ */

/* Shapes are collected, so that the size of the picture is known when it is written. */
void begin_drawing(void);
bool end_drawing(const char *path, const char *title);

enum { COLOURS = 6 };
/* A colour as a fill behind dark text, and as a line or text: told apart by all kinds of eyes. */
extern const char *const pale[COLOURS], *const ink[COLOURS];

typedef enum alignment { LEFT = 0, CENTRE = 1, RIGHT = 2 } alignment;
typedef struct style {
  alignment align;
  bool bold, small, dashed, thick;
  const char *fill, *stroke; /* NULL: none; of text: black */
} style;

void rectangle(double x, double y, double width, double height, style s);
/* Dark lines around columns x rows cells. */
void grid(double x, double y, uint32_t columns, uint32_t rows, double width, double height);
/* The shapes between the two are one group, of which a picture may have one and show it again
   elsewhere. */
void begin_group(void);
void end_group(void);
void group_again(double right_by, double down_by);
/* Two axes that cross at x, y, with a mark every unit. */
void axes(double x, double y, double unit, int along, int up);
/* A small circle: full, or white with a border. */
void dot(double x, double y, const char *colour, bool full);
void line(double x1, double y1, double x2, double y2, style s);
void arrow(double x1, double y1, double x2, double y2, style s);
void text_at(double x, double y, style s, const char *text);
/* A line through points: "x,y x,y ..." */
void polyline(const char *points, style s);
style text_style(alignment align, const char *fill, bool bold);
style fill_style(const char *fill);
style line_style(const char *stroke, bool thick);
style dashed_style(const char *stroke);

/* ---- Layouts (layouts.c) --------------------------------------------------------------------- */

typedef struct picture picture;
typedef void layout(const picture *p);

struct picture {
  const char *file;
  layout *layout;
  const char *title;
  const char
      *parts[28]; /* examples, "conv2d 2 y" or a case, of most layouts each with a caption; NULL */
};

bool draw_picture(const picture *p, const char *path);

layout windows, stamps, strips, links, slices, updates, rulers, threads, groups, blocks, products,
    batches, nibbles, cells, recurrences, curves, floats;
/* Of the guide (graphs.c): their parts are captions. */
layout object_lives, timelines, arenas;

#endif
