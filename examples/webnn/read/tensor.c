/* Tensors: their elements from JSON and to JSON, and single elements for reports. */
#include "read.h"

#include <string.h>

/* ---- Reading --------------------------------------------------------------------------------- */

static bool store_float(tensor *t, size_t index, const json *value) {
  double number;
  if (!json_double(value, &number))
    return must_be(value, "a number, or \"NaN\", \"Infinity\", \"-Infinity\" or \"-0\"");
  if (t->descriptor.data_type == WEBNN_FLOAT32)
    ((float *)t->data)[index] = (float)number;
  else
    ((uint16_t *)t->data)[index] = float16_of(number);
  return true;
}

static bool store_integer(tensor *t, size_t index, const json *value) {
  const webnn_data_type type = t->descriptor.data_type;
  const uint32_t bits = webnn_data_type_bits(type);
  int64_t number, lowest, highest;
  bool fits = type == WEBNN_UINT64 ? json_u64(value, (uint64_t *)t->data + index)
                                   : json_i64(value, &number);
  if (fits && type == WEBNN_UINT64)
    return true;
  highest = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - is_signed_type(type))) - 1;
  lowest = is_signed_type(type) ? -highest - 1 : 0;
  if (!fits || number < lowest || number > highest)
    return complain(value, "%.*s%s%s", value->kind >= JSON_NUMBER ? (int)value->length : 0,
                    value->text ? value->text : "",
                    value->text ? " must be of type " : "this value must be an integer of type ",
                    webnn_data_type_name(type));
  if (bits == 64)
    ((int64_t *)t->data)[index] = number;
  else if (bits == 32)
    ((uint32_t *)t->data)[index] = (uint32_t)(number & 0xFFFFFFFF);
  else if (bits == 8)
    ((uint8_t *)t->data)[index] = (uint8_t)(number & 0xFF);
  else
    nibble_set(t->data, index, (uint32_t)(number & 15));
  return true;
}

static bool store_bits(tensor *t, size_t index, const json *value) {
  const bool wide = t->descriptor.data_type == WEBNN_FLOAT32;
  uint32_t bits;
  if (!json_u32(value, &bits) || (!wide && bits > 0xFFFF))
    return must_be(value, wide ? "a bit pattern, 0 to 4294967295" : "a bit pattern, 0 to 65535");
  if (wide)
    memcpy((float *)t->data + index, &bits, sizeof bits);
  else
    ((uint16_t *)t->data)[index] = (uint16_t)bits;
  return true;
}

static bool store(tensor *t, size_t index, const json *value, bool bits) {
  return bits                                     ? store_bits(t, index, value)
         : is_float_type(t->descriptor.data_type) ? store_float(t, index, value)
                                                  : store_integer(t, index, value);
}

/* The first element is stored; all others become the same. */
static void repeat_first(tensor *t) {
  const size_t size = webnn_data_type_bits(t->descriptor.data_type) / 8;
  for (size_t i = 1; i < t->count; i++) {
    if (size == 0)
      nibble_set(t->data, i, nibble_get(t->data, 0));
    else
      memcpy((char *)t->data + i * size, t->data, size);
  }
}

/* Elements that stand in the JSON itself, one value or a list. */
static bool read_elements(const json *elements, bool fill, bool bits, tensor *t) {
  const json *item = elements->first;
  size_t i;
  if (fill) {
    if (!store(t, 0, elements, bits))
      return false;
    repeat_first(t);
    return true;
  }
  if (elements->kind != JSON_ARRAY)
    return must_be(elements, "a list of elements");
  if (elements->length != t->count)
    return complain(elements, "the number of elements (%lu) must be that of the shape (%lu)",
                    (unsigned long)elements->length, (unsigned long)t->count);
  for (i = 0; i < t->count; i++, item = item->next)
    if (!store(t, i, item, bits))
      return false;
  return true;
}

/* A path of a file that is named in another: relative to that one's folder. */
static const char *beside(arena *memory, const char *file, const char *path) {
  const char *slash = file + strlen(file);
  if (path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':'))
    return path;
  while (slash > file && slash[-1] != '/' && slash[-1] != '\\')
    slash--;
  return take_text(memory, "%.*s%s", (int)(slash - file), file, path);
}

static bool read_file_elements(const session *s, arena *memory, const json *file, tensor *t) {
  const char *path = json_string(file);
  if (!path || !*path)
    return must_be(file, "the path of a file");
  path = beside(memory, file->file, path);
  if (ends_with(path, ".npy"))
    return npy_read(s, memory, file, path, t);
  if (t->descriptor.data_type == 0)
    return complain(file, "%s: only an NPY file says its data type and shape itself", path);
  return raw_read(s, memory, file, path, t);
}

/* "dataType" and "shape"; with an NPY file both may be absent, and the type stays 0. */
static bool read_descriptor(arena *memory, const json *node, webnn_operand_descriptor *d) {
  const json *type = json_get(node, "dataType"), *shape = json_get(node, "shape"), *item;
  const json *file = json_get(node, "file");
  uint32_t *items, *next;
  if (!type && !shape && json_string(file) && ends_with(json_string(file), ".npy"))
    return true;
  if (!type || !data_type_named(json_string(type), &d->data_type))
    return must_have(node, type, "dataType", "a type: float32, float16, int32, ...");
  if (!shape || shape->kind != JSON_ARRAY)
    return must_have(node, shape, "shape", "a list of dimensions");
  items = next = (uint32_t *)take(memory, (shape->length + 1) * sizeof *items);
  for (item = shape->first; item; item = item->next)
    if (!json_u32(item, next++))
      return must_be(item, "a dimension");
  d->shape = webnn_list_of(items, shape->length);
  return true;
}

bool tensor_read(const session *s, arena *memory, const json *node, tensor *t) {
  const json *fill = json_get(node, "fill"), *file = json_get(node, "file");
  const json *bits = json_get(node, fill ? "fillBits" : "bits");
  const json *elements = fill ? fill : json_get(node, "data");
  memset(t, 0, sizeof *t);
  if (!node || node->kind != JSON_OBJECT)
    return must_be(node, "a tensor: {\"name\", \"dataType\", \"shape\", \"data\"}");
  if (!read_descriptor(memory, node, &t->descriptor))
    return false;
  if (t->descriptor.data_type != 0 && !tensor_measure(s, node, t))
    return false;
  if (file)
    return read_file_elements(s, memory, file, t);
  if (bits && !is_float_type(t->descriptor.data_type))
    return complain(bits, "only floats have bit patterns beside their numbers");
  if (!elements && !bits)
    return true;
  if (elements && elements->kind == JSON_BYTES)
    return tensor_take_bytes(memory, elements, t);
  t->data = take(memory, t->byte_length);
  return read_elements(bits ? bits : elements, fill != NULL, bits != NULL, t);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_element(FILE *file, const tensor *t, size_t index) {
  const webnn_data_type type = t->descriptor.data_type;
  const bool quoted = type == WEBNN_INT64 || type == WEBNN_UINT64;
  char text[ELEMENT_ROOM];
  element_text(t, index, text);
  if (quoted || text[0] == 'N' || text[0] == 'I' || text[1] == 'I' || strcmp(text, "-0") == 0)
    fprintf(file, "\"%s\"", text);
  else
    fputs(text, file);
}

static uint32_t float_bits(const tensor *t, size_t index) {
  uint32_t bits;
  if (t->descriptor.data_type == WEBNN_FLOAT16)
    return ((const uint16_t *)t->data)[index];
  memcpy(&bits, (const float *)t->data + index, sizeof bits);
  return bits;
}

/* Of float16 always; of float32 if the numbers do not say everything: there are many NaNs. */
static bool needs_bits(const tensor *t) {
  const webnn_data_type type = t->descriptor.data_type;
  bool needs = type == WEBNN_FLOAT16;
  for (size_t i = 0; type == WEBNN_FLOAT32 && i < t->count && !needs; i++)
    needs = (float_bits(t, i) & 0x7FFFFFFFu) > 0x7F800000u && float_bits(t, i) != 0x7FC00000u;
  return needs;
}

static void write_data(FILE *file, const tensor *t) {
  size_t i;
  fputs(",\"data\":[", file);
  for (i = 0; i < t->count; i++) {
    fputs(i ? "," : "", file);
    write_element(file, t, i);
  }
  fputs("]", file);
  if (needs_bits(t)) {
    fputs(",\"bits\":[", file);
    for (i = 0; i < t->count; i++)
      fprintf(file, "%s%lu", i ? "," : "", (unsigned long)float_bits(t, i));
    fputs("]", file);
  }
}

json *tensor_shape(arena *memory, const json *at, const tensor *t) {
  const webnn_list *sizes = &t->descriptor.shape;
  const json *item = json_items(t->shape, JSON_ARRAY);
  json_list l = json_start(memory, at, JSON_ARRAY);
  for (size_t i = 0; i < sizes->count; i++, item = item ? item->next : NULL)
    json_put(&l, NULL,
             item && sizes->items[i] >= WEBNN_DYNAMIC_DIMENSION
                 ? json_copy(memory, item)
                 : json_size(memory, at, sizes->items[i]));
  return l.list;
}

void tensor_write_open(FILE *file, const char *name, const tensor *t) {
  arena memory = {NULL, 0};
  fputs("{\"name\":", file);
  json_write_string(file, name);
  fprintf(file, ",\"dataType\":\"%s\",\"shape\":", webnn_data_type_name(t->descriptor.data_type));
  json_write(file, tensor_shape(&memory, NULL, t));
  release(&memory);
  if (t->data)
    write_data(file, t);
}

void tensor_write(FILE *file, const char *name, const tensor *t) {
  tensor_write_open(file, name, t);
  fputs("}", file);
}
