/* Drawing as SVG: shapes are collected as text, then written with the size that they need. */
#include "pictures.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const pale[COLOURS] = {"#cfe5f3", "#fbe0c2", "#c9ebe0",
                                   "#f3d6e7", "#f6f0b8", "#dcdcdc"};
const char *const ink[COLOURS] = {"#005f96", "#9a4c00", "#006b4f", "#8c2f6b", "#6b6200", "#444444"};

static char *drawing;
static size_t drawn, room;
static double right, bottom, group_right, group_bottom;

static void emit(const char *format, ...) {
  va_list arguments;
  int length;
  if (room - drawn < 4096) {
    room = 2 * room + 65536;
    drawing = (char *)realloc(drawing, room);
    if (!drawing) {
      fprintf(stderr, "out of memory\n");
      exit(1);
    }
  }
  va_start(arguments, format);
  length = vsnprintf(drawing + drawn, room - drawn, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= room - drawn) {
    fprintf(stderr, "a shape is too long\n");
    exit(1);
  }
  drawn += (size_t)length;
}

static void reach(double x, double y) {
  right = x > right ? x : right;
  bottom = y > bottom ? y : bottom;
}

void begin_drawing(void) {
  drawn = 0;
  right = bottom = 0;
}

bool end_drawing(const char *path, const char *title) {
  FILE *file = fopen(path, "wb");
  const double width = right + 16, height = bottom + 16;
  bool written;
  if (!file) {
    fprintf(stderr, "%s: cannot be written\n", path);
    return false;
  }
  fprintf(
      file,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
      "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"14\">\n<title>%s</title>\n"
      "<style>.m{text-anchor:middle}.e{text-anchor:end}.b{font-weight:bold}.s{font-size:12px}"
      ".d{stroke-dasharray:3 2}.w{stroke-width:2.5}.g{fill:none;stroke:#777}</style>\n"
      "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n",
      width, height, width, height, title, width, height);
  written = fwrite(drawing, 1, drawn, file) == drawn && fputs("</svg>\n", file) >= 0;
  return fclose(file) == 0 && written;
}

/* " class=..." of a style, with the letters that the style sheet of the picture has. */
static const char *class_of(style s) {
  static char text[32];
  char letters[16] = "";
  const char *separator = "";
  const char *const words[] = {s.align == CENTRE  ? "m"
                               : s.align == RIGHT ? "e"
                                                  : "",
                               s.bold ? "b" : "", s.small ? "s" : "", s.dashed ? "d" : "",
                               s.thick ? "w" : ""};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!*words[i])
      continue;
    strcat(letters, separator);
    strcat(letters, words[i]);
    separator = " ";
  }
  snprintf(text, sizeof text, " class=\"%s\"", letters);
  return *letters ? text : "";
}

void rectangle(double x, double y, double width, double height, style s) {
  reach(x + width, y + height);
  emit("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\"", x, y, width, height,
       s.fill ? s.fill : "none");
  if (s.stroke)
    emit(" stroke=\"%s\"", s.stroke);
  emit("%s/>\n", class_of(s));
}

void grid(double x, double y, uint32_t columns, uint32_t rows, double width, double height) {
  reach(x + columns * width, y + rows * height);
  emit("<path class=\"g\" d=\"");
  for (uint32_t i = 0; i <= columns; i++)
    emit("M%g %gv%g", x + i * width, y, rows * height);
  for (uint32_t i = 0; i <= rows; i++)
    emit("M%g %gh%g", x, y + i * height, columns * width);
  emit("\"/>\n");
}

void begin_group(void) {
  group_right = right;
  group_bottom = bottom;
  right = bottom = 0;
  emit("<g id=\"g\">\n");
}

void end_group(void) {
  const double outer_right = group_right, outer_bottom = group_bottom;
  group_right = right;
  group_bottom = bottom;
  reach(outer_right, outer_bottom);
  emit("</g>\n");
}

void group_again(double right_by, double down_by) {
  reach(group_right + right_by, group_bottom + down_by);
  emit("<use href=\"#g\" x=\"%g\" y=\"%g\"/>\n", right_by, down_by);
}

void axes(double x, double y, double unit, int along, int up) {
  emit("<path class=\"g\" d=\"M%g %gh%gM%g %gv%g", x - along * unit, y, 2 * along * unit, x,
       y - (up + 0.2) * unit, 2 * (up + 0.2) * unit);
  for (int i = -along; i <= along; i++)
    emit("M%g %gv4", x + i * unit, y - 2);
  for (int i = -up; i <= up; i++)
    emit("M%g %gh4", x - 2, y - i * unit);
  emit("\"/>\n");
}

void dot(double x, double y, const char *colour, bool full) {
  reach(x + 3, y + 3);
  emit("<circle cx=\"%g\" cy=\"%g\" r=\"2.8\" fill=\"%s\" stroke=\"%s\"/>\n", x, y,
       full ? colour : "#fff", colour);
}

void line(double x1, double y1, double x2, double y2, style s) {
  reach(x1, y1);
  reach(x2, y2);
  emit("<path d=\"M%g %gL%g %g\" stroke=\"%s\"%s/>\n", x1, y1, x2, y2, s.stroke, class_of(s));
}

/* The root without the mathematical library: three steps of Newton's method are enough to draw. */
static double root(double x) {
  double y = x > 1 ? x : 1;
  for (int i = 0; i < 40; i++)
    y = (y + x / y) / 2;
  return y;
}

void arrow(double x1, double y1, double x2, double y2, style s) {
  const double length = root((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1)) + 1e-9;
  const double u = (x2 - x1) / length, v = (y2 - y1) / length, size = 7;
  const double bx = x2 - u * size, by = y2 - v * size;
  line(x1, y1, bx, by, s);
  emit("<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" fill=\"%s\"/>\n", x2, y2, bx - v * 3.5,
       by + u * 3.5, bx + v * 3.5, by - u * 3.5, s.stroke);
}

void text_at(double x, double y, style s, const char *text) {
  const double width = (s.bold ? 8.8 : s.small ? 6.6 : 7.4) * (double)strlen(text);
  reach(x + (s.align == LEFT ? width : s.align == CENTRE ? width / 2 : 0), y + 4);
  emit("<text x=\"%g\" y=\"%g\"%s", x, y, class_of(s));
  if (s.fill)
    emit(" fill=\"%s\"", s.fill);
  emit(">");
  for (; *text; text++)
    emit(*text == '<' ? "&lt;" : *text == '&' ? "&amp;" : "%c", *text);
  emit("</text>\n");
}

void polyline(const char *points, style s) {
  emit("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"%s/>\n", points, s.stroke, class_of(s));
}

style text_style(alignment align, const char *fill, bool bold) {
  style s;
  memset(&s, 0, sizeof s);
  s.align = align;
  s.fill = fill;
  s.bold = bold;
  return s;
}

style fill_style(const char *fill) {
  return text_style(LEFT, fill, false);
}

style line_style(const char *stroke, bool thick) {
  style s = fill_style(NULL);
  s.stroke = stroke;
  s.thick = thick;
  return s;
}

style dashed_style(const char *stroke) {
  style s = line_style(stroke, false);
  s.dashed = true;
  return s;
}
