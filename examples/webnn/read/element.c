/* The types and elements of tensors: names, sizes, values, and texts for reports. */
#include "read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Types and shapes ------------------------------------------------------------------------ */

bool data_type_named(const char *name, webnn_data_type *type) {
  for (int i = WEBNN_FLOAT32; name && i <= WEBNN_UINT4; i++) {
    if (strcmp(webnn_data_type_name((webnn_data_type)i), name) == 0) {
      *type = (webnn_data_type)i;
      return true;
    }
  }
  return false;
}

bool is_float_type(webnn_data_type type) {
  return type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16;
}

bool is_signed_type(webnn_data_type type) {
  return type == WEBNN_INT64 || type == WEBNN_INT32 || type == WEBNN_INT8 || type == WEBNN_INT4;
}

const char *descriptor_text(arena *memory, const webnn_operand_descriptor *descriptor) {
  const webnn_list *shape = &descriptor->shape;
  const char *text = take_text(memory, "%s [", webnn_data_type_name(descriptor->data_type));
  for (size_t i = 0; i < shape->count; i++)
    text = shape->items[i] >= WEBNN_DYNAMIC_DIMENSION
               ? take_text(memory, "%s%s?", text, i ? "," : "")
               : take_text(memory, "%s%s%lu", text, i ? "," : "", (unsigned long)shape->items[i]);
  return take_text(memory, "%s]", text);
}

bool is_open_shape(const webnn_list *shape) {
  for (size_t i = 0; i < shape->count && i < WEBNN_MAX_RANK; i++)
    if (shape->items[i] >= WEBNN_DYNAMIC_DIMENSION)
      return true;
  return false;
}

bool same_descriptor(const webnn_operand_descriptor *a, const webnn_operand_descriptor *b) {
  return a->data_type == b->data_type && a->shape.count == b->shape.count &&
         (a->shape.count == 0 ||
          memcmp(a->shape.items, b->shape.items, a->shape.count * sizeof *a->shape.items) == 0);
}

bool tensor_measure(const session *s, const json *at, tensor *t) {
  const size_t bits = webnn_data_type_bits(t->descriptor.data_type);
  const size_t most = s->max_bytes < SIZE_MAX / 16 ? s->max_bytes * 8 / bits : SIZE_MAX / 128;
  if (t->descriptor.shape.count > WEBNN_MAX_RANK)
    return complain(at, "the number of dimensions (%lu) must be at most %d",
                    (unsigned long)t->descriptor.shape.count, WEBNN_MAX_RANK);
  t->count = 1;
  for (size_t i = 0; i < t->descriptor.shape.count; i++) {
    const uint32_t size = t->descriptor.shape.items[i];
    if (size == 0)
      return complain(at, "a dimension must be at least 1; it is 0");
    if (size > most / t->count)
      return complain(at, "the tensor has more than %lu bytes (--max-bytes)",
                      (unsigned long)s->max_bytes);
    t->count *= size;
  }
  t->byte_length = (t->count * bits + 7) / 8;
  return true;
}

/* ---- Elements -------------------------------------------------------------------------------- */

void nibble_set(void *data, size_t index, uint32_t nibble) {
  uint8_t *byte = (uint8_t *)data + index / 2;
  const uint32_t shift = index % 2 ? 4 : 0;
  *byte = (uint8_t)((*byte & ~(15u << shift)) | (nibble & 15u) << shift);
}

uint32_t nibble_get(const void *data, size_t index) {
  return (uint32_t)((const uint8_t *)data)[index / 2] >> (index % 2 ? 4 : 0) & 15u;
}

/* The nearest float16, ties to even. By way of a float32 rounded to odd, so that rounding twice
   does no harm. */
uint16_t float16_of(double number) {
  float narrow = (float)number;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  if ((double)narrow != number && number == number && (bits & 1) == 0)
    bits = fabs((double)narrow) > fabs(number) ? bits - 1 : bits | 1;
  memcpy(&narrow, &bits, sizeof bits);
  return webnn_float32_to_float16(narrow);
}

uint16_t bfloat16_of(uint32_t bits) {
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
    return (uint16_t)(bits >> 16 | 0x40u);
  return (uint16_t)((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

double element_value(const tensor *t, size_t index) {
  switch (t->descriptor.data_type) {
  case WEBNN_FLOAT32:
    return (double)((const float *)t->data)[index];
  case WEBNN_FLOAT16:
    return (double)webnn_float16_to_float32(((const uint16_t *)t->data)[index]);
  case WEBNN_INT32:
    return (double)((const int32_t *)t->data)[index];
  case WEBNN_UINT32:
    return (double)((const uint32_t *)t->data)[index];
  case WEBNN_INT64:
    return (double)((const int64_t *)t->data)[index];
  case WEBNN_UINT64:
    return (double)((const uint64_t *)t->data)[index];
  case WEBNN_INT8:
    return (double)((const int8_t *)t->data)[index];
  case WEBNN_UINT8:
    return (double)((const uint8_t *)t->data)[index];
  case WEBNN_INT4:
    return (double)((int)(nibble_get(t->data, index) ^ 8u) - 8);
  default:
    return (double)nibble_get(t->data, index);
  }
}

bool element_negative_zero(const tensor *t, size_t index) {
  if (t->descriptor.data_type == WEBNN_FLOAT16)
    return ((const uint16_t *)t->data)[index] == 0x8000;
  if (t->descriptor.data_type == WEBNN_FLOAT32) {
    uint32_t bits;
    memcpy(&bits, (const float *)t->data + index, sizeof bits);
    return bits == 0x80000000u;
  }
  return false;
}

static void float_text(const tensor *t, size_t index, char text[ELEMENT_ROOM]) {
  const double number = element_value(t, index);
  const int digits = t->descriptor.data_type == WEBNN_FLOAT32 ? 9 : 5;
  int precision = t->descriptor.data_type == WEBNN_FLOAT32 ? 6 : 3;
  if (number != number) {
    strcpy(text, "NaN");
  } else if (number - number != 0) {
    strcpy(text, number > 0 ? "Infinity" : "-Infinity");
  } else {
    do
      snprintf(text, ELEMENT_ROOM, "%.*g", precision, number);
    while (precision++ < digits &&
           (digits == 9 ? (double)(float)strtod(text, NULL) != number
                        : float16_of(strtod(text, NULL)) != float16_of(number)));
  }
}

void element_text(const tensor *t, size_t index, char text[ELEMENT_ROOM]) {
  const webnn_data_type type = t->descriptor.data_type;
  if (is_float_type(type))
    float_text(t, index, text);
  else if (type == WEBNN_INT64)
    snprintf(text, ELEMENT_ROOM, "%lld", (long long)((const int64_t *)t->data)[index]);
  else if (type == WEBNN_UINT64)
    snprintf(text, ELEMENT_ROOM, "%llu", (unsigned long long)((const uint64_t *)t->data)[index]);
  else
    snprintf(text, ELEMENT_ROOM, "%.0f", element_value(t, index));
}

const char *element_place(arena *memory, const tensor *t, size_t index) {
  const webnn_list *shape = &t->descriptor.shape;
  const char *text = "]";
  for (size_t i = shape->count; i-- > 0; index /= shape->items[i])
    text =
        take_text(memory, "%s%lu%s", i ? "," : "", (unsigned long)(index % shape->items[i]), text);
  return take_text(memory, "[%s", text);
}
