/* Pictures as inputs, PGM and PPM as bytes, and the labels of classes as outputs. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

enum { TOP = 5 };

typedef struct picture {
  const char *path;
  size_t width, height, channels;
  uint32_t largest;           /* value of a sample */
  const unsigned char *bytes; /* one of each sample, or two if largest > 255 */
} picture;

bool is_picture(const char *path) {
  return ends_with(path, ".ppm") || ends_with(path, ".pgm");
}

bool is_other_picture(const char *path) {
  static const char *const ends[] = {".png",  ".jpg", ".jpeg", ".gif", ".bmp",
                                     ".webp", ".tif", ".tiff", ".pnm", ".pbm",
                                     ".PPM",  ".PGM", ".PNG",  ".JPG", ".JPEG"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (ends_with(path, ends[i]))
      return true;
  return false;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* A number of the header, after blanks and comments. */
static bool next_number(const char **at, const char *end, uint32_t *number) {
  uint64_t value = 0;
  const char *c = *at;
  while (c < end && (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r' || *c == '#')) {
    if (*c == '#')
      while (c < end && *c != '\n')
        c++;
    else
      c++;
  }
  if (c == end || *c < '0' || *c > '9')
    return false;
  for (; c < end && *c >= '0' && *c <= '9' && value < 100000000u; c++)
    value = value * 10 + (uint64_t)(*c - '0');
  *at = c;
  *number = (uint32_t)value;
  return value <= 99999999u;
}

static bool picture_read(arena *memory, const char *path, picture *p) {
  size_t length;
  const char *text = file_read(memory, path, &length), *at = text;
  const char *end = text ? text + length : NULL;
  uint32_t width, height;
  uint64_t wanted;
  p->path = path;
  if (!text)
    return false;
  if (length < 3 || text[0] != 'P' || (text[1] != '5' && text[1] != '6'))
    return complain(NULL, "%s: a picture must begin with P5 (gray) or P6 (color)", path);
  at += 2;
  if (!next_number(&at, end, &width) || !next_number(&at, end, &height) ||
      !next_number(&at, end, &p->largest) || at == end)
    return complain(
        NULL, "%s: a picture must have a width, a height and a largest value after P5 or P6", path);
  if (width == 0 || height == 0 || p->largest == 0 || p->largest > 65535)
    return complain(NULL,
                    "%s: a picture must have a width and a height from 1 on and a largest value "
                    "from 1 to 65535; they are %lu, %lu and %lu",
                    path, (unsigned long)width, (unsigned long)height, (unsigned long)p->largest);
  at++; /* the blank before the pixels */
  p->width = width;
  p->height = height;
  p->channels = text[1] == '6' ? 3 : 1;
  p->bytes = (const unsigned char *)at;
  wanted = (uint64_t)width * height * p->channels * (p->largest > 255 ? 2 : 1);
  return (uint64_t)(end - at) >= wanted ||
         complain(NULL, "%s: a picture must have %llu bytes of pixels; it has %lu", path,
                  (unsigned long long)wanted, (unsigned long)(end - at));
}

static uint32_t sample_of(const picture *p, size_t index) {
  return p->largest > 255 ? (uint32_t)p->bytes[2 * index] << 8 | p->bytes[2 * index + 1]
                          : p->bytes[index];
}

/* ---- Numbers of the command line ------------------------------------------------------------- */

/* "0.5" for all channels, or "0.5,0.4,0.3". Without the option `otherwise`. */
static bool take_numbers(const char *option, const char *text, double otherwise, size_t channels,
                         double numbers[3]) {
  size_t count = 0;
  for (size_t i = 0; i < 3; i++)
    numbers[i] = otherwise;
  while (text) {
    char *end;
    const double number = strtod(text, &end);
    if (end == text || (*end != 0 && *end != ',') || number - number != 0 || count == 3)
      return complain(NULL, "%s takes 1 or 3 numbers with commas between them", option);
    numbers[count++] = number;
    text = *end == ',' ? end + 1 : NULL;
  }
  if (count == 1)
    numbers[1] = numbers[2] = numbers[0];
  return count <= 1 || count == channels ||
         complain(NULL, "%s has %lu numbers, and the picture %lu channels", option,
                  (unsigned long)count, (unsigned long)channels);
}

/* ---- As an array ----------------------------------------------------------------------------- */

/* Where a sample stands: the distances of channels, rows and columns. */
typedef struct layout {
  size_t channel, row, column;
} layout;

/* The layout of the picture in an array of this shape: [C,H,W] or [H,W,C], the latter also without
   C if that is 1, with any number of ones before it. */
static bool find_layout(const picture *p, const webnn_list *shape, layout *l) {
  const uint32_t *items = shape->items;
  size_t count = shape->count;
  while (count > 3 && items[0] == 1) {
    items++;
    count--;
  }
  if (count == 3 && items[0] == p->channels && items[1] == p->height && items[2] == p->width) {
    l->channel = p->height * p->width, l->row = p->width, l->column = 1;
    return true;
  }
  if ((count == 3 && items[0] == p->height && items[1] == p->width && items[2] == p->channels) ||
      (count == 2 && p->channels == 1 && items[0] == p->height && items[1] == p->width)) {
    l->channel = 1, l->row = p->width * p->channels, l->column = p->channels;
    return true;
  }
  return false;
}

/* The last dimensions of an array for the picture, and ones before them. */
static bool fits_sizes(const uint32_t *sizes, size_t size_count, webnn_list *shape) {
  webnn_list filled = *shape;
  if (shape->count < size_count)
    return false;
  for (size_t d = 0; d < shape->count; d++) {
    const size_t before = shape->count - size_count;
    const uint32_t size = d < before ? 1 : sizes[d - before];
    if (filled.items[d] != 0 && filled.items[d] != size)
      return false;
    filled.items[d] = size;
  }
  *shape = filled;
  return true;
}

static bool fits_picture(const picture *p, webnn_list *shape) {
  const uint32_t height = (uint32_t)p->height, width = (uint32_t)p->width;
  const uint32_t channels = (uint32_t)p->channels;
  const uint32_t first[] = {channels, height, width}, last[] = {height, width, channels};
  return fits_sizes(first, 3, shape) || fits_sizes(last, 3, shape) ||
         (p->channels == 1 && shape->count == 2 && fits_sizes(last, 2, shape));
}

picture_fit picture_shape(arena *memory, const char *path, webnn_list *shape) {
  picture p;
  if (!picture_read(memory, path, &p))
    return PICTURE_IS_NONE;
  return fits_picture(&p, shape) ? PICTURE_FITS : PICTURE_DOES_NOT_FIT;
}

static void put_element(webnn_xla_array *a, size_t index, double number, uint32_t sample) {
  if (a->shape.type == WEBNN_XLA_F32)
    ((float *)a->data)[index] = (float)number;
  else if (a->shape.type == WEBNN_XLA_F16)
    ((uint16_t *)a->data)[index] = webnn_float32_to_float16((float)number);
  else
    ((uint8_t *)a->data)[index] = (uint8_t)sample;
}

bool picture_take(const session *s, arena *memory, const char *path, webnn_xla_array *a) {
  const bool bytes = a->shape.type == WEBNN_XLA_U8;
  double mean[3], scale[3];
  picture p;
  layout l;
  if (!picture_read(memory, path, &p))
    return false;
  if (!bytes && a->shape.type != WEBNN_XLA_F32 && a->shape.type != WEBNN_XLA_F16)
    return complain(NULL, "%s: a picture can be an input of f32, f16 and u8, and not of %s", path,
                    shape_text(memory, &a->shape));
  if (bytes && (s->mean || s->scale || p.largest > 255))
    return complain(NULL,
                    "%s: an input of u8 takes bytes as they are: no --mean, no --scale, "
                    "values up to 255",
                    path);
  if (!find_layout(&p, &a->shape.dimensions, &l))
    return complain(NULL,
                    "%s: %lu x %lu pixels (width x height) of %lu channels are no %s: that takes "
                    "[..., channels, height, width] or [..., height, width, channels]; nothing "
                    "is resized",
                    path, (unsigned long)p.width, (unsigned long)p.height,
                    (unsigned long)p.channels, shape_text(memory, &a->shape));
  if (!take_numbers("--mean", s->mean, 0, p.channels, mean) ||
      !take_numbers("--scale", s->scale, 1, p.channels, scale))
    return false;
  if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0)
    return complain(NULL, "--scale divides, and cannot be 0");
  for (size_t y = 0; y < p.height; y++)
    for (size_t x = 0; x < p.width; x++)
      for (size_t c = 0; c < p.channels; c++) {
        const uint32_t sample = sample_of(&p, (y * p.width + x) * p.channels + c);
        put_element(a, c * l.channel + y * l.row + x * l.column,
                    ((double)sample / p.largest - mean[c]) / scale[c], sample);
      }
  return true;
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Empty lines at the end are none. */
char **read_labels(const request *r, arena *memory, size_t *count) {
  size_t length, room = 1;
  char *text = text_read(memory, r->labels, &length), **lines, *line = text;
  *count = 0;
  if (!text)
    return NULL;
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
    text[--length] = 0;
  for (const char *c = text; *c; c++)
    room += *c == '\n';
  lines = (char **)take(memory, room * sizeof *lines);
  for (; length > 0 && line; (*count)++) {
    char *end = strchr(line, '\n');
    lines[*count] = line;
    if (end)
      *end = 0;
    line[strcspn(line, "\r")] = 0;
    line = end ? end + 1 : NULL;
  }
  return lines;
}

bool has_classes(const webnn_xla_array *a) {
  const webnn_list *shape = &a->shape.dimensions;
  return (a->shape.type == WEBNN_XLA_F32 || a->shape.type == WEBNN_XLA_F16) && shape->count == 2 &&
         shape->items[0] == 1;
}

static float class_value(const webnn_xla_array *a, size_t index) {
  return a->shape.type == WEBNN_XLA_F32
             ? ((const float *)a->data)[index]
             : webnn_float16_to_float32(((const uint16_t *)a->data)[index]);
}

/* The classes of the largest values, the first of equal ones first; NaN is never one. */
static size_t find_top(const webnn_xla_array *a, size_t count, size_t top[TOP]) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    const float value = class_value(a, i);
    size_t at = found;
    if (value != value)
      continue;
    while (at > 0 && class_value(a, top[at - 1]) < value)
      at--;
    if (at == TOP)
      continue;
    found += found < TOP;
    for (size_t k = found - 1; k > at; k--)
      top[k] = top[k - 1];
    top[at] = i;
  }
  return found;
}

void print_classes(arena *memory, const char *name, const webnn_xla_array *a, char **labels) {
  const size_t classes = a->shape.dimensions.items[1];
  size_t found, top[TOP];
  found = find_top(a, classes, top);
  say("%s: %s, the largest of %lu classes:\n", name, shape_text(memory, &a->shape),
      (unsigned long)classes);
  for (size_t i = 0; i < found; i++)
    say("%12.4g  %s\n", (double)class_value(a, top[i]), labels[top[i]]);
}
