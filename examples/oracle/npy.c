/* Tensors as bytes: NPY files, as numpy.save writes them, and raw little-endian elements. Errors in
   files are reported with the file and the byte offset. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

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
    complain(b->at, "%s: cannot be read", b->path);
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
    return complain(stored, "%lu bytes; %s has %lu", (unsigned long)stored->length,
                    descriptor_text(memory, &t->descriptor), (unsigned long)t->byte_length);
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
  return right || complain(NULL, "%s: cannot be written", path);
}

bool raw_write(const char *path, const tensor *t) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return complain(NULL, "%s: cannot be written; is the folder there?", path);
  tensor_write_bytes(file, t);
  return close_written(file, path);
}

/* ---- NPY: magic, version, length of the header, a Python dictionary, the elements ------------ */

typedef struct npy_type {
  const char *code; /* without the byte order; the number is the size */
  webnn_data_type type;
} npy_type;

static const npy_type npy_types[] = {
    {"f4", WEBNN_FLOAT32},      {"f2", WEBNN_FLOAT16},      {"i4", WEBNN_INT32},
    {"u4", WEBNN_UINT32},       {"i8", WEBNN_INT64},        {"u8", WEBNN_UINT64},
    {"i1", WEBNN_INT8},         {"u1", WEBNN_UINT8},        {"b1", WEBNN_UINT8},
    {"i2", (webnn_data_type)0}, {"u2", (webnn_data_type)0}, {"i1", WEBNN_INT4},
    {"u1", WEBNN_UINT4}};
enum { NPY_TYPES = sizeof npy_types / sizeof *npy_types, NPY_OWN_TYPES = 11 };

/* What a header says. */
typedef struct npy_header {
  webnn_data_type type; /* 0: WebNN does not have it */
  const char *code;
  size_t size; /* of an element */
  bool big_endian;
  uint32_t shape[WEBNN_MAX_RANK];
  size_t rank;
  size_t end; /* of the header: where the elements begin */
} npy_header;

/* What stands behind 'key': in the dictionary, NULL if it is not there. */
static const char *npy_entry(const char *header, const char *key) {
  const char *at = strstr(header, key);
  if (!at)
    return NULL;
  at += strlen(key);
  while (*at == ' ' || *at == ':')
    at++;
  return at;
}

#define NO_SUCH_TYPE "a data type that WebNN does not have (of float64: save it as float32)"

static bool npy_parse_type(const bytes *b, const char *text, size_t offset, npy_header *h) {
  size_t i;
  if (!text || *text != '\'' || !text[1] || !strchr("<>|=", text[1]))
    return bad(b, offset, "the header has no 'descr' of a simple type, such as '<f4'");
  h->big_endian = text[1] == '>';
  for (i = 0; i < NPY_OWN_TYPES; i++) {
    if (strncmp(text + 2, npy_types[i].code, 2) == 0 && text[4] == '\'') {
      h->type = npy_types[i].type;
      h->code = npy_types[i].code;
      h->size = (size_t)(h->code[1] - '0');
      return true;
    }
  }
  return bad(b, offset, NO_SUCH_TYPE);
}

static bool npy_parse_shape(const bytes *b, const char *text, size_t offset, npy_header *h) {
  if (!text || *text != '(')
    return bad(b, offset, "the header has no 'shape'");
  for (text++; *text != ')'; text += *text == ',' || *text == ' ') {
    char *end;
    unsigned long long size = strtoull(text, &end, 10);
    if (*text == ' ')
      continue;
    if (end == text || *text == '-' || *text == '+' || size == 0 || size > UINT32_MAX || !*end ||
        !strchr(",) L", *end))
      return bad(b, offset, "the header's shape is not one of dimensions above 0");
    if (h->rank == WEBNN_MAX_RANK)
      return bad(b, offset, "the header's shape has too many dimensions");
    h->shape[h->rank++] = (uint32_t)size;
    text = end;
    text += *text == 'L';
  }
  return true;
}

static bool npy_parse_dictionary(const bytes *b, const char *header, size_t begin, npy_header *h) {
  const char *type = npy_entry(header, "'descr'");
  const char *order = npy_entry(header, "'fortran_order'");
  const char *shape = npy_entry(header, "'shape'");
  const char *places[3];
  size_t offsets[3];
  places[0] = type;
  places[1] = order;
  places[2] = shape;
  for (int i = 0; i < 3; i++)
    offsets[i] = begin + (places[i] ? (size_t)(places[i] - header) : 0);
  if (!npy_parse_type(b, type, offsets[0], h) || !npy_parse_shape(b, shape, offsets[2], h))
    return false;
  return (order && strncmp(order, "False", 5) == 0) || h->rank < 2 ||
         bad(b, offsets[1], "the elements are in column-major order; save a C-ordered copy");
}

static bool npy_parse(const bytes *b, npy_header *h) {
  const unsigned char *d = b->data;
  size_t begin, length;
  char *header;
  bool right;
  memset(h, 0, sizeof *h);
  if (b->length < 10 || memcmp(d, "\x93NUMPY", 6) != 0)
    return bad(b, 0, "not an NPY file");
  if (d[6] < 1 || d[6] > 3 || (d[6] > 1 && b->length < 12))
    return bad(b, 6, "an unknown version of NPY");
  begin = d[6] == 1 ? 10 : 12;
  length = (size_t)d[8] | (size_t)d[9] << 8;
  if (d[6] > 1)
    length |= (size_t)d[10] << 16 | (size_t)d[11] << 24;
  if (length > b->length - begin)
    return bad(b, b->length, "the file ends inside of the header");
  header = (char *)malloc(length + 1);
  if (!header)
    return complain(b->at, "%s: out of memory", b->path);
  memcpy(header, d + begin, length);
  header[length] = 0;
  h->end = begin + length;
  right = npy_parse_dictionary(b, header, begin, h);
  free(header);
  return right;
}

/* The file's type and shape must be the tensor's, if it has one. */
static bool npy_agree(const bytes *b, arena *memory, const npy_header *h, tensor *t) {
  webnn_operand_descriptor found = {h->type, webnn_list_of(h->shape, h->rank)};
  const bool wants_4_bits = webnn_data_type_bits(t->descriptor.data_type) == 4;
  if (wants_4_bits && h->type == (t->descriptor.data_type == WEBNN_INT4 ? WEBNN_INT8 : WEBNN_UINT8))
    found.data_type = t->descriptor.data_type;
  if (h->type == 0)
    return bad(b, 0, NO_SUCH_TYPE);
  if (t->descriptor.data_type == 0)
    t->descriptor = found;
  if (!same_descriptor(&t->descriptor, &found))
    return complain(b->at, "%s: has %s, expected %s", b->path, descriptor_text(memory, &found),
                    descriptor_text(memory, &t->descriptor));
  return tensor_measure(b->session, b->at, t);
}

/* The bytes of `count` elements, in the byte order of the machine; NULL after a complaint. */
static unsigned char *npy_elements(const bytes *b, const npy_header *h, size_t count) {
  unsigned char *elements = b->data + h->end;
  const size_t length = b->length - h->end;
  if (length / h->size != count || length % h->size != 0) {
    bad(b, b->length,
        length / h->size < count ? "the file ends before the elements do"
                                 : "the file is longer than the elements");
    return NULL;
  }
  if (h->big_endian != machine_is_big_endian())
    swap_elements(elements, count, h->size);
  return elements;
}

static bool npy_take_elements(const bytes *b, arena *memory, const npy_header *h, tensor *t) {
  const unsigned char *elements = npy_elements(b, h, t->count);
  size_t wrong;
  if (!elements)
    return false;
  t->data = take(memory, t->byte_length);
  if (webnn_data_type_bits(t->descriptor.data_type) == 4)
    return pack_nibbles(elements, t, &wrong) ||
           bad(b, h->end + wrong, "the element does not fit into 4 bits");
  memcpy(t->data, elements, t->byte_length);
  return true;
}

/* Twice the bytes of the largest tensor: 4-bit elements take a byte each. */
static bool npy_load(bytes *b, npy_header *h) {
  const size_t most = b->session->max_bytes;
  return load(b, most < SIZE_MAX / 8 ? most * 2 + 65536 : SIZE_MAX / 2) && npy_parse(b, h);
}

bool npy_read(const session *s, arena *memory, const json *at, const char *path, tensor *t) {
  bytes b = {s, at, path, NULL, 0};
  npy_header header;
  bool right = npy_load(&b, &header) && npy_agree(&b, memory, &header, t) &&
               npy_take_elements(&b, memory, &header, t);
  free(b.data);
  return right;
}

bool npy_read_array(const session *s, arena *memory, const char *path, npy_array *a) {
  bytes b = {s, NULL, path, NULL, 0};
  npy_header h;
  unsigned char *elements = NULL, *data;
  if (npy_load(&b, &h)) {
    a->code = h.code;
    a->shape = webnn_list_of(h.shape, h.rank);
    a->count = 1;
    for (size_t i = 0; i < h.rank; i++)
      a->count = h.shape[i] <= SIZE_MAX / 8 / a->count ? a->count * h.shape[i] : SIZE_MAX / 8;
    elements = npy_elements(&b, &h, a->count);
  }
  if (elements) {
    a->data = data = (unsigned char *)take(memory, a->count * h.size);
    memcpy(data, elements, a->count * h.size);
  }
  free(b.data);
  return elements != NULL;
}

static const char *npy_code(webnn_data_type type) {
  size_t i = 0;
  while (i < NPY_TYPES - 1 && npy_types[i].type != type)
    i++;
  return npy_types[i].code;
}

/* Version 1.0, the header padded so that the elements begin at a multiple of 64. */
static FILE *npy_begin(const char *path, const char *code, const webnn_list *shape) {
  char header[320];
  int length, padded;
  FILE *file = fopen(path, "wb");
  if (!file) {
    complain(NULL, "%s: cannot be written; is the folder there?", path);
    return NULL;
  }
  length = snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                    code[1] > '1' ? '<' : '|', code);
  for (size_t i = 0; i < shape->count; i++)
    length += snprintf(header + length, sizeof header - (size_t)length, "%s%lu%s", i ? " " : "",
                       (unsigned long)shape->items[i],
                       shape->count == 1 || i + 1 < shape->count ? "," : "");
  length += snprintf(header + length, sizeof header - (size_t)length, "), }");
  padded = (10 + length + 1 + 63) / 64 * 64 - 10;
  fprintf(file, "\x93NUMPY%c%c%c%c%s%*s\n", 1, 0, padded & 255, padded >> 8, header,
          padded - length - 1, "");
  return file;
}

bool npy_write(const char *path, const tensor *t) {
  FILE *file = npy_begin(path, npy_code(t->descriptor.data_type), &t->descriptor.shape);
  if (!file)
    return false;
  if (webnn_data_type_bits(t->descriptor.data_type) == 4)
    for (size_t i = 0; i < t->count; i++)
      fputc((int)element_value(t, i) & 255, file);
  else
    tensor_write_bytes(file, t);
  return close_written(file, path);
}

bool npy_write_array(const char *path, const npy_array *a) {
  FILE *file = npy_begin(path, a->code, &a->shape);
  if (!file)
    return false;
  write_elements(file, a->data, a->count, (size_t)(a->code[1] - '0'));
  return close_written(file, path);
}
