/* Arrays: as files, as text and as JSON. */
#include "model.h"

#include <ctype.h>
#include <string.h>

/* ---- Types ----------------------------------------------------------------------------------- */

/* How an element type is stored in NPY files. bfloat16, which these do not have, is float32 there. */
const char *stored_type(webnn_xla_type type) {
  static const char *const names[] = {"bool",   "int8",    "int8",    "int16",  "int32",
                                      "int64",  "uint8",   "uint8",   "uint16", "uint32",
                                      "uint64", "float16", "float32", "float32"};
  return names[type - WEBNN_XLA_PRED];
}

/* The tensor type that has the same numbers, and as many bytes or more. */
webnn_data_type wide_type(webnn_xla_type type) {
  static const webnn_data_type types[] = {WEBNN_UINT8,   WEBNN_INT8,   WEBNN_INT8,   WEBNN_INT32,
                                          WEBNN_INT32,   WEBNN_INT64,  WEBNN_UINT8,  WEBNN_UINT8,
                                          WEBNN_UINT32,  WEBNN_UINT32, WEBNN_UINT64, WEBNN_FLOAT16,
                                          WEBNN_FLOAT32, WEBNN_FLOAT32};
  return types[type - WEBNN_XLA_PRED];
}

const char *shape_text(arena *memory, const webnn_xla_shape *shape) {
  char *text = take_text(memory, "%s", webnn_xla_type_name(shape->type));
  for (char *c = text; *c; c++)
    *c = (char)tolower((unsigned char)*c);
  for (size_t i = 0; i < shape->dimensions.count; i++)
    text = shape->dimensions.items[i] >= WEBNN_DYNAMIC_DIMENSION
               ? take_text(memory, "%s%c?", text, i ? ',' : '[')
               : take_text(memory, "%s%c%lu", text, i ? ',' : '[',
                           (unsigned long)shape->dimensions.items[i]);
  return shape->dimensions.count > 0 ? take_text(memory, "%s]", text) : text;
}

size_t element_count(const webnn_xla_shape *shape) {
  const size_t size = webnn_xla_type_bytes(shape->type);
  return size > 0 ? webnn_xla_byte_length(shape) / size : 0;
}

webnn_xla_array *new_arrays(arena *memory, const webnn_xla_array *like, size_t count) {
  webnn_xla_array *arrays = (webnn_xla_array *)take(memory, (count + 1) * sizeof(webnn_xla_array));
  for (size_t i = 0; i < count; i++) {
    arrays[i].shape = like[i].shape;
    arrays[i].byte_length = webnn_xla_byte_length(&like[i].shape);
    arrays[i].data = take(memory, arrays[i].byte_length + 1);
  }
  return arrays;
}

/* The array as a tensor of the wide type. */
void widen(arena *memory, const webnn_xla_array *a, tensor *t) {
  const webnn_xla_type type = a->shape.type;
  memset(t, 0, sizeof *t);
  t->descriptor.data_type = wide_type(type);
  t->descriptor.shape = a->shape.dimensions;
  t->count = element_count(&a->shape);
  t->byte_length = t->count * webnn_data_type_bits(t->descriptor.data_type) / 8;
  t->data = a->data;
  if (t->byte_length == a->byte_length)
    return;
  t->data = take(memory, t->byte_length + 1);
  for (size_t i = 0; i < t->count; i++) {
    const uint16_t bits = ((const uint16_t *)a->data)[i];
    ((uint32_t *)t->data)[i] = type == WEBNN_XLA_BF16                     ? (uint32_t)bits << 16
                               : type == WEBNN_XLA_S16 && bits >= 0x8000u ? bits | 0xFFFF0000u
                                                                          : bits;
  }
}

webnn_xla_type type_of_data_type(webnn_data_type type) {
  switch (type) {
  case WEBNN_FLOAT32:
    return WEBNN_XLA_F32;
  case WEBNN_FLOAT16:
    return WEBNN_XLA_F16;
  case WEBNN_INT32:
    return WEBNN_XLA_S32;
  case WEBNN_UINT32:
    return WEBNN_XLA_U32;
  case WEBNN_INT64:
    return WEBNN_XLA_S64;
  case WEBNN_UINT64:
    return WEBNN_XLA_U64;
  case WEBNN_INT8:
    return WEBNN_XLA_S8;
  case WEBNN_UINT8:
    return WEBNN_XLA_U8;
  case WEBNN_INT4:
    return WEBNN_XLA_S4;
  default:
    return WEBNN_XLA_U4;
  }
}

webnn_xla_shape shape_of_descriptor(const webnn_operand_descriptor *descriptor) {
  return webnn_xla_shape_of(type_of_data_type(descriptor->data_type), descriptor->shape);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool write_bytes(const char *path, const webnn_xla_array *a) {
  FILE *file = fopen(path, "wb");
  bool right = file && fwrite(a->data, 1, a->byte_length, file) == a->byte_length;
  right = file && fclose(file) == 0 && right;
  return right || cannot_open(path);
}

const char *array_file(arena *memory, const char *name) {
  return file_part(tensor_path(memory, "", "", name, ""));
}

bool write_array(const request *r, arena *memory, const char *name, const webnn_xla_array *a) {
  const bool raw = r->session.format && strcmp(r->session.format, "raw") == 0;
  const char *path = tensor_path(memory, r->session.out, "", name, raw ? ".bin" : ".npy");
  tensor t;
  if (raw)
    return write_bytes(path, a);
  widen(memory, a, &t);
  return npy_write_type(path, &t, stored_type(a->shape.type));
}

const char *type_word(webnn_xla_type type) {
  return type == WEBNN_XLA_BF16 ? "bfloat16"
         : type == WEBNN_XLA_S4 ? "int4"
         : type == WEBNN_XLA_U4 ? "uint4"
                                : stored_type(type);
}

void write_array_json(FILE *file, arena *memory, const char *name, const webnn_xla_array *a) {
  const bool packed = a->shape.type == WEBNN_XLA_S4 || a->shape.type == WEBNN_XLA_U4;
  tensor t;
  widen(memory, a, &t);
  if (packed) {
    t.descriptor.data_type = a->shape.type == WEBNN_XLA_S4 ? WEBNN_INT4 : WEBNN_UINT4;
    t.data = take(memory, t.count / 2 + 1);
    for (size_t i = 0; i < t.count; i++)
      nibble_set(t.data, i, ((const unsigned char *)a->data)[i] & 15u);
  }
  tensor_write(file, name, &t);
}

/* Brackets that open before an element, or close after it. */
static void print_brackets(const webnn_list *shape, size_t index, bool open) {
  size_t size = 1;
  for (size_t i = shape->count; i-- > 0;) {
    size *= shape->items[i];
    if (index % size != (open ? 0 : size - 1))
      return;
    say(open ? "[" : "]");
  }
}

void print_array(const request *r, arena *memory, const char *name, const webnn_xla_array *a) {
  const webnn_list *shape = &a->shape.dimensions;
  const size_t row = shape->count > 0 ? shape->items[shape->count - 1] : 1;
  char text[ELEMENT_ROOM];
  size_t shown;
  tensor t;
  widen(memory, a, &t);
  shown = t.count < r->session.show ? t.count : r->session.show;
  say("%s: %s =%s", name, shape_text(memory, &a->shape),
      t.count == 0    ? " []\n"
      : t.count > row ? "\n"
                      : " ");
  for (size_t i = 0; i < shown; i++) {
    element_text(&t, i, text);
    print_brackets(shape, i, true);
    say("%s", a->shape.type != WEBNN_XLA_PRED ? text : *text == '0' ? "false" : "true");
    print_brackets(shape, i, false);
    say(i + 1 == t.count ? "\n" : (i + 1) % row == 0 ? ",\n" : ", ");
  }
  if (shown < t.count)
    say("... and %lu more elements (--show N, --out FOLDER)\n", (unsigned long)(t.count - shown));
}
