/* Tensors as bytes: NPY files, which webnn_weights.h reads and writes, and raw little-endian elements.
   Errors in files are reported with the file and the byte offset. */
#include "read.h"

#include <stdlib.h>
#include <string.h>

/* ---- Bytes ----------------------------------------------------------------------------------- */

typedef struct bytes {
  const session *session;
  const json *at; /* where the file is named, may be NULL */
  const char *path;
  unsigned char *data;
  size_t length;
} bytes;

static bool bad(const bytes *b, size_t offset, const char *what) {
  return complain(b->at, "%s: byte %lu: %s", b->path, (unsigned long)offset, what);
}

/* At most `most` bytes and one more, which shows that there are too many. */
static bool load(bytes *b, size_t most) {
  FILE *file = fopen(b->path, "rb");
  size_t room = 1 << 16;
  b->data = file ? (unsigned char *)malloc(room) : NULL;
  while (b->data) {
    unsigned char *larger;
    b->length += fread(b->data + b->length, 1, room - b->length, file);
    if (b->length < room || room > most)
      break;
    room *= 2;
    larger = (unsigned char *)realloc(b->data, room);
    if (!larger)
      free(b->data);
    b->data = larger;
  }
  if (!b->data || ferror(file)) {
    complain(b->at, "%s: the file cannot be read", b->path);
    free(b->data);
    b->data = NULL;
  }
  if (file)
    fclose(file);
  return b->data != NULL;
}

static bool machine_is_big_endian(void) {
  const uint16_t one = 1;
  return *(const unsigned char *)&one == 0;
}

/* Turns the bytes of each element round. */
static void swap_elements(unsigned char *data, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++, data += size) {
    for (size_t j = 0; j < size / 2; j++) {
      const unsigned char byte = data[j];
      data[j] = data[size - 1 - j];
      data[size - 1 - j] = byte;
    }
  }
}

/* One byte for each element to two elements in a byte. False: an element does not fit. */
static bool pack_nibbles(const unsigned char *from, tensor *t, size_t *wrong) {
  const bool is_signed = t->descriptor.data_type == WEBNN_INT4;
  for (size_t i = 0; i < t->count; i++) {
    *wrong = i;
    if (is_signed ? ((from[i] + 8u) & 0xFFu) > 15u : from[i] > 15u)
      return false;
    nibble_set(t->data, i, from[i]);
  }
  return true;
}

bool tensor_take_bytes(arena *memory, const json *stored, tensor *t) {
  const uint32_t bits = webnn_data_type_bits(t->descriptor.data_type);
  const unsigned char *from = (const unsigned char *)stored->text;
  size_t wrong;
  t->data = take(memory, t->byte_length);
  if (bits == 4 && stored->length == t->count && t->count != t->byte_length)
    return pack_nibbles(from, t, &wrong) ||
           complain(stored, "byte %lu: the element does not fit into 4 bits", (unsigned long)wrong);
  if (stored->length != t->byte_length)
    return complain(stored, "the data must have the %lu bytes of %s; they have %lu",
                    (unsigned long)t->byte_length, descriptor_text(memory, &t->descriptor),
                    (unsigned long)stored->length);
  memcpy(t->data, from, t->byte_length);
  if (bits == 4 && t->count % 2 == 1)
    nibble_set(t->data, t->count, 0);
  if (machine_is_big_endian())
    swap_elements((unsigned char *)t->data, t->count, bits / 8);
  return true;
}

json *tensor_bytes(arena *memory, const json *at, const tensor *t) {
  const size_t size = webnn_data_type_bits(t->descriptor.data_type) / 8;
  char *data = (char *)take(memory, t->byte_length);
  json *stored = json_new(memory, at, JSON_BYTES);
  memcpy(data, t->data, t->byte_length);
  if (machine_is_big_endian())
    swap_elements((unsigned char *)data, t->count, size);
  stored->text = data;
  stored->length = t->byte_length;
  return stored;
}

/* Little-endian. */
static void write_elements(FILE *file, const void *data, size_t count, size_t size) {
  if (size == 1 || !machine_is_big_endian()) {
    fwrite(data, size, count, file);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    unsigned char element[8];
    memcpy(element, (const char *)data + i * size, size);
    swap_elements(element, 1, size);
    fwrite(element, 1, size, file);
  }
}

void tensor_write_bytes(FILE *file, const tensor *t) {
  const size_t size = webnn_data_type_bits(t->descriptor.data_type) / 8;
  if (size > 0)
    write_elements(file, t->data, t->count, size);
  else
    fwrite(t->data, 1, t->byte_length, file);
}

/* ---- Raw ------------------------------------------------------------------------------------- */

bool raw_read(const session *s, arena *memory, const json *at, const char *path, tensor *t) {
  bytes b = {s, at, path, NULL, 0};
  bool right;
  if (!load(&b, t->byte_length))
    return false;
  right = b.length == t->byte_length ||
          bad(&b, b.length < t->byte_length ? b.length : t->byte_length,
              b.length < t->byte_length ? "the file ends before the tensor does"
                                        : "the file is longer than the tensor");
  if (right) {
    t->data = take(memory, t->byte_length);
    memcpy(t->data, b.data, t->byte_length);
    if (machine_is_big_endian())
      swap_elements((unsigned char *)t->data, t->count,
                    webnn_data_type_bits(t->descriptor.data_type) / 8);
  }
  free(b.data);
  return right;
}

static bool close_written(FILE *file, const char *path) {
  bool right = !ferror(file);
  right = fclose(file) == 0 && right;
  return right || cannot_write(path);
}

bool raw_write(const char *path, const tensor *t) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return cannot_open(path);
  tensor_write_bytes(file, t);
  return close_written(file, path);
}

/* ---- Tensors of files ------------------------------------------------------------------------ */

/* float64 is not rounded without a word. */
static bool may_be_taken(const session *s, const json *at, const char *path,
                         const webnn_weights_tensor *from) {
  return s->float64_as_float32 || strcmp(from->type, "float64") != 0 ||
         complain(at,
                  "%s: \"%s\" has float64, which WebNN does not have; save it as float32, or give "
                  "--float64-as-float32",
                  path, from->name);
}

bool tensor_of_weights(const session *s, arena *memory, const json *at, webnn_weights *from,
                       const char *path, const char *name, tensor *t, const char **type) {
  webnn_weights_tensor found;
  webnn_error error = WEBNN_ZERO;
  if (webnn_weights_get(from, name, t->descriptor, &found, &error) != WEBNN_OK)
    return complain(at, "%s", error.message);
  t->descriptor = found.descriptor;
  if (!may_be_taken(s, at, path, &found) || !tensor_measure(s, at, t))
    return false;
  t->data = take(memory, t->byte_length);
  memcpy(t->data, found.data, t->byte_length);
  if (type)
    *type = take_text(memory, "%s", found.type);
  return true;
}

bool npy_read_type(const session *s, arena *memory, const json *at, const char *path, tensor *t,
                   const char **type) {
  webnn_weights *file;
  webnn_error error = WEBNN_ZERO;
  bool right;
  if (webnn_weights_open(path, &file, &error) != WEBNN_OK)
    return complain(at, "%s", error.message);
  right = tensor_of_weights(s, memory, at, file, path, NULL, t, type);
  webnn_weights_free(file);
  return right;
}

bool npy_read(const session *s, arena *memory, const json *at, const char *path, tensor *t) {
  return npy_read_type(s, memory, at, path, t, NULL);
}

webnn_weights_tensor weights_tensor(const char *name, const char *type, const tensor *t) {
  webnn_weights_tensor to;
  to.name = name;
  to.type = type;
  to.descriptor = t->descriptor;
  to.data = t->data;
  to.byte_length = t->byte_length;
  return to;
}

bool npy_write_type(const char *path, const tensor *t, const char *type) {
  const webnn_weights_tensor to = weights_tensor(NULL, type, t);
  webnn_error error = WEBNN_ZERO;
  return webnn_weights_write_file(path, &to, 1, &error) == WEBNN_OK ||
         complain(NULL, "%s", error.message);
}

bool npy_write(const char *path, const tensor *t) {
  return npy_write_type(path, t, NULL);
}
