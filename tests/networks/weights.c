/* webnn_weights.h: files made here byte by byte, of every type, byte order and order of elements, whose
   tensors are compared with numbers computed here; files that are written, byte for byte and read back;
   constants of graphs; and malformed files: cut at every byte, with every bit turned round, with hostile
   sizes and names that are there twice. Each must be read, or end with an error that has a place.

     weights [FOLDER]

   In the folder are files of scripts/weights.py, which numpy has written, and files for numpy to read
   come there. Without one they are skipped. */
#include "test.h"
#include "../../examples/headers/webnn_weights.h"

#include <math.h>

#define OUT "build/networks/"

static webnn_context *context;

static bool machine_is_big_endian(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one == 0;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

typedef struct bytes {
  uint8_t data[8192];
  size_t length;
} bytes;

static void put(bytes *b, const void *data, size_t length) {
  if (b->length + length > sizeof b->data) {
    printf("a test file is too long\n");
    exit(1);
  }
  memcpy(b->data + b->length, data, length);
  b->length += length;
}

static void put_number(bytes *b, uint64_t number, size_t size, bool big_endian) {
  uint8_t digits[8];
  for (size_t i = 0; i < size; i++)
    digits[i] = (uint8_t)(number >> 8 * (big_endian ? size - 1 - i : i));
  put(b, digits, size);
}

/* An NPY file with this dictionary, without the elements. */
static bytes npy_of(int version, const char *header) {
  bytes b;
  b.length = 0;
  put(&b, "\x93NUMPY", 6);
  put_number(&b, (uint64_t)version, 2, false);
  put_number(&b, strlen(header), version == 1 ? 2 : 4, false);
  put(&b, header, strlen(header));
  return b;
}

static bytes safetensors_of(const char *header, const void *data, size_t length) {
  bytes b;
  b.length = 0;
  put_number(&b, strlen(header), 8, false);
  put(&b, header, strlen(header));
  put(&b, data, length);
  return b;
}

/* An archive: members, the directory, the end. */
typedef struct archive {
  bytes file, directory;
  int count;
} archive;

static void add_member(archive *a, const char *name, const bytes *b, int method, bool wide) {
  const uint64_t offset = a->file.length, length = b->length;
  put_number(&a->file, 0x04034B50, 4, false);
  put_number(&a->file, 20, 2, false);
  put_number(&a->file, 0, 2, false);
  put_number(&a->file, (uint64_t)method, 2, false);
  put_number(&a->file, 0, 8, false);
  put_number(&a->file, length, 4, false);
  put_number(&a->file, length, 4, false);
  put_number(&a->file, strlen(name), 2, false);
  put_number(&a->file, 3, 2, false);
  put(&a->file, name, strlen(name));
  put(&a->file, "\1\2\3", 3);
  put(&a->file, b->data, b->length);
  put_number(&a->directory, 0x02014B50, 4, false);
  put_number(&a->directory, 20, 4, false);
  put_number(&a->directory, 0, 2, false);
  put_number(&a->directory, (uint64_t)method, 2, false);
  put_number(&a->directory, 0, 8, false);
  put_number(&a->directory, wide ? 0xFFFFFFFF : length, 4, false);
  put_number(&a->directory, wide ? 0xFFFFFFFF : length, 4, false);
  put_number(&a->directory, strlen(name), 2, false);
  put_number(&a->directory, wide ? 32 : 0, 2, false);
  put_number(&a->directory, 0, 8, false);
  put_number(&a->directory, 0, 2, false);
  put_number(&a->directory, wide ? 0xFFFFFFFF : offset, 4, false);
  put(&a->directory, name, strlen(name));
  if (wide) { /* another field, then that of ZIP64 */
    put_number(&a->directory, 0x7777 | 0 << 16, 4, false);
    put_number(&a->directory, 1 | 24 << 16, 4, false);
    put_number(&a->directory, length, 8, false);
    put_number(&a->directory, length, 8, false);
    put_number(&a->directory, offset, 8, false);
  }
  a->count++;
}

static bytes finish_archive(const archive *a, const char *comment, bool wide) {
  bytes b = a->file;
  const uint64_t begin = b.length;
  put(&b, a->directory.data, a->directory.length);
  if (wide) {
    const uint64_t record = b.length;
    put_number(&b, 0x06064B50, 4, false);
    put_number(&b, 44, 8, false);
    put_number(&b, 0, 8, false);
    put_number(&b, 0, 4, false);
    put_number(&b, (uint64_t)a->count, 8, false);
    put_number(&b, (uint64_t)a->count, 8, false);
    put_number(&b, a->directory.length, 8, false);
    put_number(&b, begin, 8, false);
    put_number(&b, 0x07064B50, 4, false);
    put_number(&b, 0, 4, false);
    put_number(&b, record, 8, false);
    put_number(&b, 1, 4, false);
  }
  put_number(&b, 0x06054B50, 4, false);
  put_number(&b, 0, 4, false);
  put_number(&b, wide ? 0xFFFF : (uint64_t)a->count, 2, false);
  put_number(&b, wide ? 0xFFFF : (uint64_t)a->count, 2, false);
  put_number(&b, a->directory.length, 4, false);
  put_number(&b, wide ? 0xFFFFFFFF : begin, 4, false);
  put_number(&b, strlen(comment), 2, false);
  put(&b, comment, strlen(comment));
  return b;
}

static void write_file(const char *path, const void *data, size_t length) {
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(data, 1, length, file) != length || fclose(file) != 0) {
    printf("%s: cannot be written\n", path);
    exit(1);
  }
}

static bytes file_bytes(const char *path) {
  FILE *file = fopen(path, "rb");
  bytes b;
  b.length = file != NULL ? fread(b.data, 1, sizeof b.data, file) : 0;
  if (file != NULL)
    fclose(file);
  return b;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* The memory is the test's own, so that the sanitizer sees its end; `offset` makes it unaligned. */
typedef struct opened {
  webnn_weights *weights;
  webnn_error error;
  uint8_t *memory;
} opened;

static opened open_at(const bytes *b, const char *name, size_t offset) {
  opened o;
  memset(&o, 0, sizeof o);
  o.memory = (uint8_t *)malloc(b->length + offset + (b->length + offset == 0));
  if (o.memory == NULL)
    exit(1);
  memcpy(o.memory + offset, b->data, b->length);
  webnn_weights_read(o.memory + offset, b->length, name, &o.weights, &o.error);
  CHECK(name, (o.weights == NULL) == (o.error.status != WEBNN_OK), "handle and status: %s",
        o.error.message);
  return o;
}

static void close_opened(opened *o) {
  webnn_weights_free(o->weights);
  free(o->memory);
}

static void refused(const char *title, const bytes *b, const char *name, const char *message) {
  opened o = open_at(b, name, 0);
  CHECK(title, o.error.status != WEBNN_OK && strstr(o.error.message, message) != NULL,
        "\"%s\" expected, got \"%s\"", message, o.error.message);
  close_opened(&o);
}

/* Asks for everything that a file has. Each failure must have a message. */
static void ask_for_all(webnn_weights *w, const char *title) {
  static const webnn_data_type types[] = {(webnn_data_type)0, WEBNN_FLOAT32, WEBNN_INT4,
                                          WEBNN_UINT4};
  webnn_weights_tensor tensors[8], t;
  const size_t count = webnn_weights_list(w, tensors, 8);
  volatile uint8_t sum = 0;
  for (size_t i = 0; i < count && i < 8; i++)
    for (size_t j = 0; j < sizeof types / sizeof *types; j++) {
      webnn_operand_descriptor d = tensors[i].descriptor;
      webnn_error error = WEBNN_ZERO;
      if (j > 0)
        d.data_type = types[j];
      if (webnn_weights_get(w, tensors[i].name, d, &t, &error) == WEBNN_OK) {
        for (size_t k = 0; k < t.byte_length; k++)
          sum = (uint8_t)(sum + ((const uint8_t *)t.data)[k]);
      } else if (error.message[0] == 0) {
        CHECK(title, false, "an error without a message");
      }
    }
}

static webnn_operand_descriptor any_of(webnn_data_type type) {
  webnn_operand_descriptor d = WEBNN_ZERO;
  d.data_type = type;
  return d;
}

/* ---- Types ----------------------------------------------------------------------------------- */

typedef struct kind {
  const char *name, *npy, *safetensors;
  size_t size;
  webnn_data_type graph_type;
  bool converted;
} kind;

static const kind kinds[] = {{"float32", "f4", "F32", 4, WEBNN_FLOAT32, false},
                             {"float16", "f2", "F16", 2, WEBNN_FLOAT16, false},
                             {"int32", "i4", "I32", 4, WEBNN_INT32, false},
                             {"uint32", "u4", "U32", 4, WEBNN_UINT32, false},
                             {"int64", "i8", "I64", 8, WEBNN_INT64, false},
                             {"uint64", "u8", "U64", 8, WEBNN_UINT64, false},
                             {"int8", "i1", "I8", 1, WEBNN_INT8, false},
                             {"uint8", "u1", "U8", 1, WEBNN_UINT8, false},
                             {"bool", "b1", "BOOL", 1, WEBNN_UINT8, false},
                             {"bfloat16", NULL, "BF16", 2, WEBNN_FLOAT32, true},
                             {"float64", "f8", "F64", 8, WEBNN_FLOAT32, true},
                             {"int16", "i2", "I16", 2, WEBNN_INT32, true},
                             {"uint16", "u2", "U16", 2, WEBNN_UINT32, true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Element i of a tensor of the tests, which every type has. */
static double value_of(const kind *k, size_t i) {
  const double v = (double)((i * 37 + 11) % 101);
  return k->graph_type == WEBNN_FLOAT32 || k->graph_type == WEBNN_FLOAT16 ? v / 4 - 12
         : strcmp(k->name, "bool") == 0                                   ? (double)(i % 3 == 0)
         : k->name[0] == 'u'                                              ? v
                                                                          : v - 50;
}

/* Its bits in the file. */
static uint64_t bits_of(const kind *k, double value) {
  const float narrow = (float)value;
  uint32_t bits32;
  uint64_t bits64;
  memcpy(&bits32, &narrow, 4);
  memcpy(&bits64, &value, 8);
  return strcmp(k->name, "float32") == 0    ? bits32
         : strcmp(k->name, "bfloat16") == 0 ? bits32 >> 16
         : strcmp(k->name, "float64") == 0  ? bits64
         : strcmp(k->name, "float16") == 0  ? webnn_float32_to_float16(narrow)
                                            : (uint64_t)(int64_t)value;
}

/* Are the elements those of value_of, in row-major order? */
static bool has_values(const kind *k, const webnn_weights_tensor *t, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (test_get(k->graph_type, t->data, i) != value_of(k, i))
      return false;
  return t->descriptor.data_type == k->graph_type && strcmp(t->type, k->name) == 0 &&
         t->byte_length == count * webnn_data_type_bits(k->graph_type) / 8 &&
         (uintptr_t)t->data % (webnn_data_type_bits(k->graph_type) / 8) == 0;
}

/* The row-major index of the element that stands at `place` in columns of [2, 3, 4]. */
static size_t in_columns(size_t place) {
  return place % 2 * 12 + place / 2 % 3 * 4 + place / 6;
}

static void test_npy_type(const kind *k, bool big_endian, bool columns, int version) {
  char header[160], title[80];
  webnn_weights_tensor t;
  webnn_error error = WEBNN_ZERO;
  bytes b;
  snprintf(title, sizeof title, "npy %s%s%s", k->name, big_endian ? ", big endian" : "",
           columns ? ", columns" : "");
  snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (2, 3, 4), }\n",
           k->size == 1 ? '|'
           : big_endian ? '>'
                        : '<',
           k->npy, columns ? "True" : "False");
  b = npy_of(version, header);
  for (size_t i = 0; i < 24; i++)
    put_number(&b, bits_of(k, value_of(k, columns ? in_columns(i) : i)), k->size, big_endian);
  for (size_t offset = 0; offset < 3; offset++) {
    opened o = open_at(&b, "folder/w.npy", offset);
    CHECK(title,
          webnn_weights_get(o.weights, "w", any_of(k->graph_type), &t, &error) == WEBNN_OK &&
              has_values(k, &t, 24) && test_same_list(t.descriptor.shape, WEBNN_LIST(2, 3, 4)),
          "%s%s", o.error.message, error.message);
    if (k->converted) {
      CHECK(title,
            webnn_weights_get(o.weights, NULL, WEBNN_WEIGHTS_ANY, &t, &error) ==
                    WEBNN_NOT_SUPPORTED_ERROR &&
                strstr(error.message, k->name) != NULL && t.data == NULL,
            "converted without being asked: %s", error.message);
      error.status = WEBNN_OK;
    }
    close_opened(&o);
  }
}

static void test_npy_types(void) {
  for (size_t i = 0; i < KINDS; i++)
    for (int way = 0; kinds[i].npy != NULL && way < 4; way++)
      test_npy_type(&kinds[i], way % 2 == 1, way > 1, way % 3 + 1);
}

/* All types in one file, of which not all elements are aligned. */
static void test_safetensors_types(void) {
  char header[4096] = "{", data[1024];
  size_t length = 0, used = 1;
  bytes b, elements;
  elements.length = 0;
  put(&elements, "x", 1);
  used += (size_t)snprintf(header + used, sizeof header - used,
                           "\"odd\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}");
  for (size_t i = 0; i < KINDS; i++) {
    const size_t from = elements.length;
    for (size_t j = 0; j < 6; j++)
      put_number(&elements, bits_of(&kinds[i], value_of(&kinds[i], j)), kinds[i].size, false);
    used += (size_t)snprintf(
        header + used, sizeof header - used,
        ",\"t.%s\":{\"shape\":[2,3],\"data_offsets\":[%lu, %lu],\"dtype\":\"%s\"}", kinds[i].name,
        (unsigned long)from, (unsigned long)elements.length, kinds[i].safetensors);
  }
  length = elements.length;
  memcpy(data, elements.data, length);
  snprintf(header + used, sizeof header - used, "}   ");
  b = safetensors_of(header, data, length);
  for (size_t offset = 0; offset < 2; offset++) {
    opened o = open_at(&b, "all.safetensors", offset);
    CHECK("safetensors", webnn_weights_list(o.weights, NULL, 0) == KINDS + 1, "%s",
          o.error.message);
    for (size_t i = 0; i < KINDS; i++) {
      char name[32];
      webnn_weights_tensor t;
      webnn_error error = WEBNN_ZERO;
      snprintf(name, sizeof name, "t.%s", kinds[i].name);
      CHECK(name,
            webnn_weights_get(o.weights, name, any_of(kinds[i].graph_type), &t, &error) ==
                    WEBNN_OK &&
                has_values(&kinds[i], &t, 6) && strcmp(t.name, name) == 0,
            "%s", error.message);
    }
    close_opened(&o);
  }
}

/* float64 is rounded to nearest, ties to even; a NaN stays one. */
static void test_rounding(void) {
  static const double from[] = {0.1, 16777217.0, 16777219.0, 1e300, -1e-300, 1e-40};
  static const uint32_t to[] = {0x3DCCCCCD, 0x4B800000, 0x4B800002,
                                0x7F800000, 0x80000000, 0x000116C2};
  bytes b = npy_of(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (7,), }");
  webnn_weights_tensor t;
  webnn_error error = WEBNN_ZERO;
  opened o;
  uint64_t bits;
  for (size_t i = 0; i < 6; i++) {
    memcpy(&bits, &from[i], 8);
    put_number(&b, bits, 8, false);
  }
  put_number(&b, UINT64_C(0x7FF8000000000001), 8, false);
  o = open_at(&b, "f.npy", 0);
  if (CHECK("float64",
            webnn_weights_get(o.weights, NULL, any_of(WEBNN_FLOAT32), &t, &error) == WEBNN_OK, "%s",
            error.message)) {
    CHECK("float64", memcmp(t.data, to, sizeof to) == 0, "not rounded to nearest");
    CHECK("float64", isnan(((const float *)t.data)[6]), "a NaN is lost");
  }
  close_opened(&o);
}

static void test_shapes(void) {
  static const struct {
    const char *shape;
    uint32_t rank;
  } shapes[] = {{"()", 0},       {"(1,)", 1},     {"(1, 1)", 2},
                {"(1L, 1L)", 2}, {"(1,1,1,)", 3}, {"( 1 , )", 1}};
  webnn_weights_tensor t;
  webnn_error error = WEBNN_ZERO;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    char header[128];
    bytes b;
    opened o;
    snprintf(header, sizeof header, "{ \"shape\" :%s,'fortran_order':True , 'descr':'<f4'} \n",
             shapes[i].shape);
    b = npy_of(1, header);
    put_number(&b, 0x40000000, 4, false);
    o = open_at(&b, "s.npy", 0);
    CHECK(shapes[i].shape,
          webnn_weights_get(o.weights, "s", WEBNN_WEIGHTS_ANY, &t, &error) == WEBNN_OK &&
              t.descriptor.shape.count == shapes[i].rank && t.descriptor.shape.given &&
              ((const float *)t.data)[0] == 2 && t.byte_length == 4,
          "%s%s", o.error.message, error.message);
    close_opened(&o);
  }
}

/* ---- Elements of 4 bits ---------------------------------------------------------------------- */

static void get_4_bits(const bytes *b, const char *name, webnn_operand_descriptor d,
                       const char *expected) {
  opened o = open_at(b, name, 0);
  webnn_weights_tensor t;
  webnn_error error = WEBNN_ZERO;
  webnn_weights_get(o.weights, NULL, d, &t, &error);
  if (expected[0] == '"')
    CHECK(name, strstr(error.message, expected + 1) != NULL, "\"%s\" is not \"%s\"", error.message,
          expected + 1);
  else
    CHECK(name,
          error.status == WEBNN_OK && t.byte_length == 2 && memcmp(t.data, expected, 2) == 0 &&
              t.descriptor.data_type == d.data_type,
          "4 bits: %s%s", o.error.message, error.message);
  close_opened(&o);
}

static void test_4_bits(void) {
  const webnn_operand_descriptor i4 = WEBNN_DESCRIPTOR(WEBNN_INT4, 3),
                                 u4 = WEBNN_DESCRIPTOR(WEBNN_UINT4, 3, 1);
  bytes b = npy_of(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }");
  put(&b, "\7\370\377", 3);
  get_4_bits(&b, "a.npy", i4, "\207\17");
  get_4_bits(&b, "a.npy", WEBNN_DESCRIPTOR(WEBNN_UINT4, 3),
             "\"a.npy: the tensor must be uint4 [3]; it is int8 [3]");
  b.data[b.length - 2] = 8;
  get_4_bits(&b, "a.npy", i4, "\"byte 68: the element does not fit into 4 bits");
  b = npy_of(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 1), }");
  put(&b, "\7\17\2", 3);
  get_4_bits(&b, "a.npy", u4, "\367\2");
  get_4_bits(&b, "a.npy", WEBNN_DESCRIPTOR(WEBNN_INT4, 3, 1),
             "\"must be int4 [3,1]; it is uint8 [3,1]");
  b = safetensors_of("{\"w\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}",
                     "\7\370\377", 3);
  get_4_bits(&b, "a.safetensors", i4, "\207\17");
  get_4_bits(&b, "a.safetensors", u4, "\"\"w\" must be uint4 [3,1]; it is uint8 [3]");
  b = safetensors_of("{\"w\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", "\207\4",
                     2);
  get_4_bits(&b, "a.safetensors", i4, "\207\4");
  get_4_bits(&b, "a.safetensors", u4, "\207\4");
  b = safetensors_of("{\"__metadata__\":{\"rustnn.webnn.packed4\":\"1\"},"
                     "\"w\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}",
                     "\207\4", 2);
  get_4_bits(&b, "a.safetensors", u4, "\207\4");
  get_4_bits(&b, "a.safetensors", WEBNN_DESCRIPTOR(WEBNN_INT4, 2),
             "\"must be int4 [2]; it is uint8 [2]");
  b = safetensors_of("{\"w\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", "", 0);
  get_4_bits(&b, "a.safetensors", WEBNN_DESCRIPTOR(WEBNN_INT4, 0, 1),
             "\"\"w\" must be int4 [0,1]; it is uint8 [0]");
}

/* ---- NPZ ------------------------------------------------------------------------------------- */

static bytes small_npy(uint8_t element) {
  bytes b = npy_of(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }\n");
  put(&b, &element, 1);
  return b;
}

static bytes small_npz(const char *second, int method, const char *comment, bool wide) {
  static archive a;
  const bytes one = small_npy(1), two = small_npy(2), text = safetensors_of("{}", "", 0);
  memset(&a, 0, sizeof a);
  add_member(&a, "one.npy", &one, 0, wide);
  add_member(&a, "readme.txt", &text, 8, false);
  add_member(&a, second, &two, method, wide);
  return finish_archive(&a, comment, wide);
}

static void test_npz(void) {
  webnn_weights_tensor t[2];
  webnn_error error = WEBNN_ZERO;
  for (int way = 0; way < 4; way++) {
    const bytes b = small_npz("f/two.npy", 0, way % 2 ? "PK\5\6 of an archive" : "", way > 1);
    opened o = open_at(&b, way == 3 ? "archive" : "a.npz", 0);
    CHECK("npz",
          webnn_weights_list(o.weights, t, 2) == 2 && strcmp(t[0].name, "one") == 0 &&
              strcmp(t[1].name, "f/two") == 0,
          "%d: %s", way, o.error.message);
    CHECK("npz",
          webnn_weights_get(o.weights, "f/two", WEBNN_WEIGHTS_ANY, t, &error) == WEBNN_OK &&
              *(const uint8_t *)t->data == 2,
          "%d: %s", way, error.message);
    close_opened(&o);
  }
  bytes b = small_npz("two.npy", 8, "", false);
  refused("npz", &b, "a.npz",
          "a.npz: \"two.npy\" must be stored as it is; it is compressed (deflate); numpy.savez");
  b = small_npz("two.npy", 12, "", false);
  refused("npz", &b, "a.npz", "\"two.npy\" must be stored as it is; it is compressed; ");
  b = small_npz("one.npy", 0, "", false);
  refused("npz", &b, "a.npz", "tensor \"one\" is there twice");
  b = small_npz("\377.npy", 0, "", false);
  refused("npz", &b, "a.npz", "the name of a member must be UTF-8");
  b = npy_of(1, "");
  refused("npz", &b, "a.npz", "byte 10: an NPZ file must end as an archive does");
}

/* ---- Malformed headers ------------------------------------------------------------------------ */

static void test_npy_mistakes(void) {
  static const struct {
    const char *header, *message;
  } mistakes[] = {
      {"", "byte 10: this must be '{'; it is the end"},
      {"{}", "byte 0: \"w\" has no \"descr\""},
      {"{'descr': '<f4'}", "\"w\" has no \"fortran_order\""},
      {"{'descr': '<f4', 'fortran_order': False}", "\"w\" has no \"shape\""},
      {"{'descr': '<f4', 'descr': '<f4'}", "byte 27: \"descr\" is there twice"},
      {"{'what': 1}",
       "byte 11: a member must be \"descr\", \"fortran_order\" or \"shape\"; it is \"what\""},
      {"{'descr': [('a', '<f4')]}", "byte 20: the type must be simple"},
      {"{'descr': 'f4'}", "byte 20: the type must begin with its byte order"},
      {"{'descr': '|f4'}", "byte 20: the type must begin with its byte order"},
      {"{'descr': <f4}", "byte 20: this must be '\"'"},
      {"{'descr': '<f4}", "byte 25: this must be '''"},
      {"{'descr': '<\\x664'}", "byte 23: a string of this header must not have escapes"},
      {"{'fortran_order': None}", "byte 28: this must be True or False"},
      {"{'shape': 3}", "byte 20: this must be '('"},
      {"{'shape': (3)}", "this must be ','"},
      {"{'shape': (-3,)}", "byte 21: this must be a whole number"},
      {"{'shape': (03,)}", "a whole number must not begin with zeros"},
      {"{'shape': (4294967296,)}", "a dimension must be less than 2^32"},
      {"{'shape': (99999999999999999999,)}", "a number must be less than 2^64"},
      {"{'shape': (2 3)}", "this must be ','"},
      {"{'shape': (2, 3 4)}", "byte 26: this must be ','; it is '4'"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x", "the end of the header"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
       "byte 71: the file ends before"},
      {"{'descr': '<i2', 'fortran_order': False, 'shape': (1,), }", "byte 71: the file is longer"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967295, 4294967295, 4294967295), }",
       "the file ends before"},
  };
  bytes b;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    b = npy_of(1, mistakes[i].header);
    put(&b, "1234", 4);
    refused(mistakes[i].header, &b, "w.npy", mistakes[i].message);
  }
  b = npy_of(4, "{}");
  refused("version 4", &b, "w.npy",
          "w.npy: byte 6: the version of NPY must be 1.0 to 3.0; it is 4.0");
  b = npy_of(2, "{}");
  memcpy(b.data + 8, "\377\377\377\377", 4);
  refused("a long header", &b, "w.npy", "byte 14: the file ends inside of the header");
}

static void test_safetensors_mistakes(void) {
#define ENTRY "\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}"
#define WITH(shape, offsets)                                                                       \
  "{\"w\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
  static const struct {
    const char *header, *message;
  } mistakes[] = {
      {"", "byte 8: this must be '{'"},
      {" {}", "byte 8: this must be '{'"},
      {"\xEF\xBB\xBF{}", "byte 8: this must be '{'; it is the byte 239"},
      {"[]", "byte 8: this must be '{'"},
      {"{", "this must be '\"'"},
      {"{w:1}", "byte 9: this must be '\"'"},
      {"{\"w\"}", "this must be ':'"},
      {"{\"w\":[]}", "this must be '{'"},
      {"{\"w\":{}}", "byte 9: \"w\" has no \"dtype\""},
      {"{\"w\":{\"dtype\":\"F32\"}}", "\"w\" has no \"shape\""},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[1]}}", "\"w\" has no \"data_offsets\""},
      {"{\"w\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", "\"dtype\" is there twice"},
      {"{\"w\":{\"type\":\"F32\"}}",
       "byte 14: a member must be \"dtype\", \"shape\" or \"data_offsets\"; it is \"type\""},
      {"{\"w\":{\"dtype\":1}}", "this must be '\"'"},
      {"{" ENTRY "," ENTRY "}", "byte 62: tensor \"w\" is there twice"},
      {"{" ENTRY ",\"w\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[4,4]}}",
       "byte 62: tensor \"w\" is there twice"},
      {"{" ENTRY ",}", "this must be '\"'"},
      {"{" ENTRY "} x", "this must be the end of the header"},
      {"{" ENTRY "}{", "this must be the end of the header"},
      {"{\"v\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[3,5]}," ENTRY "}",
       "the bytes of \"v\" must lie in 0 to 4; they are 3 to 5"},
      {"{\"v\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[3,4]}," ENTRY "}",
       "byte 61: \"w\" and \"v\" share bytes"},
      {"{}", "byte 10: each byte must belong to a tensor"},
      {"{\"v\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,4]}}",
       "each byte must belong to a tensor"},
      {"{\"v\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}",
       "each byte must belong to a tensor"},
      {WITH("[1]", "[4,0]"), "the bytes of \"w\" must lie in 0 to 4; they are 4 to 0"},
      {WITH("[1]", "[0,18446744073709551615]"),
       "must lie in 0 to 4; they are 0 to 18446744073709551615"},
      {WITH("[1]", "[0,18446744073709551616]"), "a number must be less than 2^64"},
      {WITH("[1]", "[0,4,4]"), "this must be ']'"},
      {WITH("[1]", "[0]"), "this must be ','"},
      {WITH("[1]", "[-1,4]"), "this must be a whole number"},
      {WITH("[1]", "[0.0,4]"), "this must be ','"},
      {WITH("[1]", "[00,4]"), "a whole number must not begin with zeros"},
      {WITH("[2]", "[0,4]"), "byte 9: \"w\" must have the 8 bytes of its type and shape; it has 4"},
      {WITH("[0]", "[0,4]"), "\"w\" must have the 0 bytes of its type and shape; it has 4"},
      {WITH("[4294967295,4294967295,4294967295]", "[0,4]"),
       "must have the 18446744073709551615 bytes of its type and shape; it has 4"},
      {WITH("[4294967296,0]", "[0,4]"), "a dimension must be less than 2^32"},
      {WITH("1", "[0,4]"), "this must be '['"},
      {WITH("[[1]]", "[0,4]"), "this must be a whole number"},
      {"{\"__metadata__\":{\"a\":1}," ENTRY "}", "this must be '\"'"},
      {"{\"__metadata__\":{\"a\":\"b\"},\"__metadata__\":{}," ENTRY "}",
       "\"__metadata__\" is there twice"},
      {"{\"\\u0000\":{}}", "a string must not have a character 0"},
      {"{\"\\ud800\":{}}", "a surrogate must be half of a pair"},
      {"{\"\\ud800\\u0041\":{}}", "a surrogate must be half of a pair"},
      {"{\"\\ud83d \\ude00\":{}}", "a surrogate must be half of a pair"},
      {"{\"\\udc00\":{}}", "a surrogate must be half of a pair"},
      {"{\"\\u12g4\":{}}", "this must be a hexadecimal digit"},
      {"{\"\\x\":{}}", "an escape must be one of"},
      {"{\"\377\":{}}", "byte 10: a string must be UTF-8"},
      {"{\"\300\200\":{}}", "byte 10: a string must be UTF-8"},
      {"{\"\355\240\200\":{}}", "byte 10: a string must be UTF-8"},
      {"{\"\n\":{}}", "a string must not have control characters"},
      {"{\"w", "this must be '\"'"},
      {"{\"w\\", "an escape must be one of"}};
  bytes b;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    b = safetensors_of(mistakes[i].header, "1234", 4);
    refused(mistakes[i].header, &b, "w.safetensors", mistakes[i].message);
  }
  b = safetensors_of("{}", "", 0);
  memset(b.data, 0xFF, 8);
  refused("a huge header", &b, "w.safetensors",
          "w.safetensors: byte 0: the header is longer than the file");
  b.length = 3;
  refused("no header", &b, "w.safetensors", "byte 3: the file ends before its header");
}

/* Names in JSON, decoded; an object without tensors; tensors that a graph cannot have. */
static void test_safetensors_forms(void) {
  static const char header[] =
      "{ \"\\u00e9\\ud83d\\ude00\\n\\/\\\\\" : { \"dtype\" : \"F32\", \"shape\" : [ 1 ] , "
      "\"data_offsets\" : [ 0 , 4 ] },"
      "\"none\":{\"dtype\":\"F32\",\"shape\":[2,0],\"data_offsets\":[4,4]},"
      "\"deep\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1,1],\"data_offsets\":[4,5]},"
      "\"small\":{\"dtype\":\"F8_E4M3\",\"shape\":[3],\"data_offsets\":[5,8]}} \n";
  bytes b = safetensors_of(header, "\0\0\200\77xyyy", 8);
  opened o = open_at(&b, "w.safetensors", 0);
  webnn_weights_tensor t[4];
  webnn_error error = WEBNN_ZERO;
  CHECK("names",
        webnn_weights_list(o.weights, t, 4) == 4 &&
            strcmp(t[0].name, "\303\251\360\237\230\200\n/\\") == 0 &&
            t[1].descriptor.shape.count == 2 && t[2].descriptor.shape.count == 10 &&
            strcmp(t[3].type, "F8_E4M3") == 0 && t[3].descriptor.data_type == (webnn_data_type)0,
        "%s", o.error.message);
  CHECK("names",
        webnn_weights_get(o.weights, t[0].name, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1), t, &error) ==
                WEBNN_OK &&
            *(const float *)t->data == 1,
        "%s", error.message);
  webnn_weights_get(o.weights, "none", WEBNN_WEIGHTS_ANY, t, &error);
  CHECK("no elements",
        strcmp(error.message, "w.safetensors: \"none\" is float32 [2,0], which has no elements") ==
            0,
        "%s", error.message);
  webnn_weights_get(o.weights, "deep", WEBNN_WEIGHTS_ANY, t, &error);
  CHECK("10 dimensions",
        error.status == WEBNN_NOT_SUPPORTED_ERROR &&
            strstr(error.message, "[1,1,1,1,1,1,1,1,...], which has more than 8"),
        "%s", error.message);
  webnn_weights_get(o.weights, "small", WEBNN_WEIGHTS_ANY, t, &error);
  CHECK("float8",
        error.status == WEBNN_NOT_SUPPORTED_ERROR &&
            strstr(error.message, "has the type F8_E4M3, which is not read"),
        "%s", error.message);
  close_opened(&o);
  b = safetensors_of("{}", "", 0);
  o = open_at(&b, "w.safetensors", 0);
  CHECK("no tensors", o.weights != NULL && webnn_weights_list(o.weights, NULL, 0) == 0, "%s",
        o.error.message);
  webnn_weights_get(o.weights, NULL, WEBNN_WEIGHTS_ANY, t, &error);
  CHECK("no tensors", strstr(error.message, "0 tensors are there; the name is NULL") != NULL, "%s",
        error.message);
  close_opened(&o);
}

/* Files cut at every byte are refused; files with a bit turned round are refused or read. */
static void damage(const char *title, const char *name, const bytes *whole) {
  bytes b = *whole;
  opened o = open_at(&b, name, 0);
  CHECK(title, o.weights != NULL, "%s", o.error.message);
  close_opened(&o);
  for (b.length = 0; b.length < whole->length; b.length++) {
    o = open_at(&b, name, 0);
    CHECK(title, o.weights == NULL && strstr(o.error.message, ": byte ") != NULL,
          "cut at %lu: \"%s\"", (unsigned long)b.length, o.error.message);
    close_opened(&o);
  }
  for (size_t bit = 0; bit < whole->length * 8; bit++) {
    b.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    o = open_at(&b, name, bit % 3);
    if (o.weights != NULL)
      ask_for_all(o.weights, title);
    else
      CHECK(title, strncmp(o.error.message, name, strlen(name)) == 0, "bit %lu: \"%s\"",
            (unsigned long)bit, o.error.message);
    close_opened(&o);
    b.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
}

static void test_damage(void) {
  bytes b;
  for (int version = 1; version <= 3; version++) {
    b = npy_of(version, "{'descr': '>f4', 'fortran_order': True, 'shape': (2, 1), }\n");
    put(&b, "12345678", 8);
    damage("a damaged NPY file", "w.npy", &b);
  }
  b = small_npz("two.npy", 0, "", false);
  damage("a damaged NPZ file", "w.npz", &b);
  b = small_npz("two.npy", 0, "", true);
  damage("a damaged NPZ file with ZIP64", "w.npz", &b);
  b = safetensors_of("{\"__metadata__\":{\"format\":\"pt\"},"
                     "\"a.b\":{\"dtype\":\"I16\",\"shape\":[2,2],\"data_offsets\":[0,8]},"
                     "\"c\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[8,11]}}",
                     "12345678\1\2\3", 11);
  damage("a damaged safetensors file", "w.safetensors", &b);
}

/* ---- Several files ---------------------------------------------------------------------------- */

static const char one_tensor[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
static const char two_tensors[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                                  "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}";

static const char index_path[] = OUT "weights.safetensors.index.json";

static void write_index(const char *text) {
  write_file(index_path, text, strlen(text));
}

static void test_index(void) {
  static const struct {
    const char *text, *message;
  } mistakes[] = {
      {"[]", "index.json: byte 0: this must be '{'"},
      {"{}", "the index must have a \"weight_map\""},
      {"{\"metadata\":{}}", "the index must have a \"weight_map\""},
      {"{\"weight_map\":{},\"weight_map\":{}}", "\"weight_map\" is there twice"},
      {"{\"weight_map\":{\"a\":\"weights-1.safetensors\",\"a\":\"weights-1.safetensors\"}}",
       "byte 43: tensor \"a\" is there twice"},
      {"{\"weight_map\":{\"a\":\"weights-1.safetensors\",\"a\":\"weights-2.safetensors\"}}",
       "byte 43: tensor \"a\" is there twice"},
      {"{\"weight_map\":{\"b\":\"weights-1.safetensors\"}}",
       "byte 15: weights-1.safetensors has no tensor \"b\""},
      {"{\"weight_map\":{\"a\":\"weights-3.safetensors\"}}",
       "weights-3.safetensors: the file cannot be read"},
      {"{\"weight_map\":{\"a\":\"../networks/weights-1.safetensors\"}}",
       "a file must be a .safetensors file beside the index"},
      {"{\"weight_map\":{\"a\":\"C:weights-1.safetensors\"}}",
       "a file must be a .safetensors file beside the index"},
      {"{\"weight_map\":{\"a\":\"\"}}", "a file must be a .safetensors file beside the index"},
      {"{\"weight_map\":{\"a\":1}}", "this must be '\"'"},
      {"{\"weight_map\":{}} 1", "this must be the end of the header"},
      {"{\"m\":01,\"weight_map\":{}}", "byte 5: a value of JSON must begin here"},
      {"{\"m\":1.e5,\"weight_map\":{}}", "a value of JSON must begin here"},
      {"{\"m\":nul}", "a value of JSON must begin here"},
      {"{\"m\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
       "lists and objects must be nested at most 32 deep"},
  };
  static const char whole[] =
      "{\"metadata\": {\"total_size\": 1.5e+3, \"x\": [1, [], {}, {\"y\": null}, true, false, "
      "-2]},\n"
      "\"weight_map\": {\"b\": \"weights-2.safetensors\", \"a\": \"weights-1.safetensors\"}}\n";
  bytes b = safetensors_of(one_tensor, "\1", 1);
  webnn_weights *w = NULL;
  webnn_weights_tensor t[3];
  webnn_error error = WEBNN_ZERO;
  char cut[sizeof whole];
  write_file(OUT "weights-1.safetensors", b.data, b.length);
  b = safetensors_of(two_tensors, "\2\3", 2);
  write_file(OUT "weights-2.safetensors", b.data, b.length);
  write_index(whole);
  CHECK("index", webnn_weights_open(index_path, &w, &error) == WEBNN_OK, "%s", error.message);
  CHECK("index", webnn_weights_list(w, t, 3) == 2, "not two tensors");
  CHECK("index",
        webnn_weights_get(w, "a", WEBNN_WEIGHTS_ANY, t, &error) == WEBNN_OK &&
            *(const uint8_t *)t->data == 1,
        "a is not that of the first file: %s", error.message);
  CHECK("index",
        webnn_weights_get(w, "b", WEBNN_WEIGHTS_ANY, t, &error) == WEBNN_OK &&
            *(const uint8_t *)t->data == 3,
        "b: %s", error.message);
  webnn_weights_get(w, "b", any_of(WEBNN_INT8), t, &error);
  CHECK("index",
        strstr(error.message, "weights-2.safetensors: \"b\" must be int8 [1]; it is uint8 [1]"),
        "%s", error.message);
  webnn_weights_free(w);
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    write_index(mistakes[i].text);
    CHECK(mistakes[i].text,
          webnn_weights_open(index_path, &w, &error) != WEBNN_OK && w == NULL &&
              strstr(error.message, mistakes[i].message) != NULL,
          "\"%s\" expected, got \"%s\"", mistakes[i].message, error.message);
  }
  for (size_t length = 0; length < sizeof whole - 2; length++) {
    memcpy(cut, whole, length);
    cut[length] = 0;
    write_index(cut);
    CHECK("index cut",
          webnn_weights_open(index_path, &w, &error) != WEBNN_OK &&
              strstr(error.message, ": byte ") != NULL,
          "at %lu: %s", (unsigned long)length, error.message);
  }
  CHECK("index in memory", webnn_weights_read("{}", 2, "x.json", &w, &error) == WEBNN_TYPE_ERROR,
        "is read");
}

/* ---- Asking, constants ------------------------------------------------------------------------ */

/* Elements of a dimension that no descriptor has, which would be as many bytes when they are converted;
   nobody touches them. */
static void test_large(void) {
  const uint64_t elements = (uint64_t)1 << 31;
  bytes head = npy_of(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2147483648,), }\n");
  webnn_weights *w = NULL;
  webnn_weights_tensor t;
  webnn_error error = WEBNN_ZERO;
  uint8_t *file = (uint8_t *)calloc(1, (size_t)elements + head.length);
  if (file == NULL) {
    test_skip("large", "there is no memory");
    return;
  }
  memcpy(file, head.data, head.length);
  CHECK("large",
        webnn_weights_read(file, (size_t)elements + head.length, "x.npy", &w, &error) == WEBNN_OK,
        "%s", error.message);
  for (int i = 0; i < 2; i++) {
    webnn_operand_descriptor d = WEBNN_WEIGHTS_ANY;
    d.data_type = i == 0 ? WEBNN_INT4 : WEBNN_INT8;
    CHECK("large",
          webnn_weights_get(w, NULL, d, &t, &error) == WEBNN_NOT_SUPPORTED_ERROR &&
              strcmp(error.message,
                     "x.npy: the tensor is int8 [2147483648], and a dimension of WebNN has at "
                     "most 2^31 - 1 elements") == 0,
          "%s", error.message);
  }
  webnn_weights_free(w);
  free(file);
}

static void test_names(void) {
  static const struct {
    const char *name, *message;
  } asked[] = {{"conv1.wieght", "w.safetensors: there is no tensor \"conv1.wieght\" among 4; is "
                                "\"conv1.weight\" or \"conv2.weight\" meant?"},
               {"fc.bias", "there is no tensor \"fc.bias\" among 4; is \"model.fc.bias\" meant?"},
               {"prefix.conv1.bias", "is \"conv1.bias\" meant?"},
               {"something else", "there is no tensor \"something else\" among 4"},
               {"", "there is no tensor \"\" among 4"},
               {"\1\n", "there is no tensor \"??\" among 4"}};
  bytes b =
      safetensors_of("{\"conv1.weight\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                     "\"conv2.weight\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]},"
                     "\"conv1.bias\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,3]},"
                     "\"model.fc.bias\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[3,4]}}",
                     "\1\2\3\4", 4);
  opened o = open_at(&b, "w.safetensors", 0);
  webnn_weights_tensor t;
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    webnn_error error = WEBNN_ZERO;
    const size_t length = strlen(asked[i].message);
    CHECK(asked[i].name,
          webnn_weights_get(o.weights, asked[i].name, WEBNN_WEIGHTS_ANY, &t, &error) ==
                  WEBNN_TYPE_ERROR &&
              strlen(error.message) >= length && strstr(error.message, asked[i].message) != NULL &&
              (strstr(asked[i].message, "near") != NULL || strstr(error.message, "near") == NULL),
          "%s", error.message);
  }
  close_opened(&o);
}

/* A graph's constants are the bytes of the file where they can be. */
static void test_constants(void) {
  bytes b =
      safetensors_of("{\"matrix\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
                     "\"bias\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[24,30]}}       ",
                     "", 0);
  const size_t begin = b.length;
  webnn_error error = WEBNN_ZERO;
  webnn_builder *builder = test_builder(context);
  webnn_graph *graph = NULL;
  webnn_graph_value values[8];
  webnn_operand *x, *y;
  opened o;
  float in[2] = {1, 10}, out[3] = {0, 0, 0};
  size_t borrowed = 0;
  CHECK("constants", begin % 8 == 0, "the test's data are not aligned");
  for (int i = 0; i < 6; i++)
    put_number(&b, bits_of(&kinds[0], i + 1), 4, false);
  for (int i = 0; i < 3; i++)
    put_number(&b, bits_of(&kinds[9], 0.5 * i), 2, false);
  o = open_at(&b, "w.safetensors", 0);
  x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2));
  y = webnn_matmul(builder, x,
                   webnn_weights_constant(o.weights, builder, "matrix",
                                          WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3), &error),
                   NULL);
  y = webnn_add(builder, y,
                webnn_weights_constant(o.weights, builder, "bias", any_of(WEBNN_FLOAT32), &error),
                NULL);
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  webnn_compute(context, graph, WEBNN_INPUTS({"x", in, sizeof in}),
                WEBNN_OUTPUTS({"y", out, sizeof out}), &error);
  CHECK("constants", error.status == WEBNN_OK && out[0] == 41 && out[1] == 52.5f && out[2] == 64,
        "%s", error.message);
  for (size_t i = webnn_graph_values(graph, values, 8); i-- > 0;)
    borrowed += values[i].data == (const void *)(o.memory + begin);
  CHECK("constants", borrowed == 1 || machine_is_big_endian(), "the matrix is copied");
  webnn_free_graph(graph);
  webnn_free_builder(builder);

  /* The first failure is told by webnn_build, too. */
  builder = test_builder(context);
  x = webnn_weights_constant(o.weights, builder, "matrx", WEBNN_WEIGHTS_ANY, &error);
  y = webnn_weights_constant(o.weights, builder, "bias", WEBNN_WEIGHTS_ANY, &error);
  y = webnn_add(builder, x, y, NULL);
  CHECK("a run of calls",
        webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error) != WEBNN_OK &&
            strstr(error.message, "there is no tensor \"matrx\" among 2; is \"matrix\" meant?") !=
                NULL,
        "%s", error.message);
  webnn_free_builder(builder);
  memset(&error, 0, sizeof error);
  CHECK("no builder",
        webnn_weights_constant(o.weights, NULL, "matrix", WEBNN_WEIGHTS_ANY, &error) == NULL &&
            error.status == WEBNN_TYPE_ERROR,
        "%s", error.message);
  memset(&error, 0, sizeof error);
  CHECK("no weights",
        webnn_weights_constant(NULL, NULL, "matrix", WEBNN_WEIGHTS_ANY, &error) == NULL &&
            strstr(error.message, "the weights are NULL") != NULL,
        "%s", error.message);
  close_opened(&o);
}

static void test_expectations(void) {
  bytes b = small_npy(7);
  opened o = open_at(&b, "w.npy", 0);
  webnn_weights_tensor t;
  webnn_error error = WEBNN_ZERO;
  webnn_operand_descriptor d = WEBNN_ZERO;
  d.shape = WEBNN_LIST(1);
  CHECK("a shape", webnn_weights_get(o.weights, "w", d, &t, &error) == WEBNN_OK, "%s",
        error.message);
  d.shape = WEBNN_EMPTY_LIST;
  webnn_weights_get(o.weights, "w", d, &t, &error);
  CHECK("a shape",
        strcmp(error.message, "w.npy: the tensor must be uint8 []; it is uint8 [1]") == 0, "%s",
        error.message);
  webnn_weights_get(o.weights, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1), &t, &error);
  CHECK("a type",
        strcmp(error.message, "w.npy: the tensor must be float32 [1]; it is uint8 [1]") == 0, "%s",
        error.message);
  webnn_weights_get(o.weights, "w", any_of((webnn_data_type)77), &t, &error);
  CHECK("a type", strstr(error.message, "must be unknown [1]") != NULL, "%s", error.message);
  CHECK("no place",
        webnn_weights_get(o.weights, "w", WEBNN_WEIGHTS_ANY, NULL, NULL) == WEBNN_TYPE_ERROR,
        "is right");
  close_opened(&o);
  CHECK("no file",
        webnn_weights_open(OUT "nothing.npy", &o.weights, &error) == WEBNN_OPERATION_ERROR &&
            strstr(error.message, "nothing.npy: the file cannot be read") != NULL,
        "%s", error.message);
  CHECK("a folder", webnn_weights_open("networks", &o.weights, &error) == WEBNN_OPERATION_ERROR,
        "%s", error.message);
  write_file(OUT "empty.npy", "", 0);
  CHECK("an empty file",
        webnn_weights_open(OUT "empty.npy", &o.weights, &error) == WEBNN_TYPE_ERROR &&
            strstr(error.message, "byte 0: an NPY file must begin") != NULL,
        "%s", error.message);
  CHECK("no path", webnn_weights_open(NULL, &o.weights, NULL) == WEBNN_TYPE_ERROR, "is right");
  webnn_weights_free(NULL);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static void collect(void *user, const char *text, size_t length) {
  put((bytes *)user, text, length);
}

static bytes written(webnn_weights_format format, const webnn_weights_tensor *t, size_t count,
                     webnn_error *error) {
  bytes b;
  b.length = 0;
  webnn_weights_write(format, t, count, collect, &b, error);
  return b;
}

static webnn_weights_tensor tensor_of(const char *name, const char *type,
                                      webnn_operand_descriptor d, const void *data) {
  webnn_weights_tensor t;
  t.name = name;
  t.type = type;
  t.descriptor = d;
  t.data = data;
  t.byte_length = (size_t)webnn_byte_length(d);
  return t;
}

/* Expected: `text`, in which '~' are blanks up to a multiple of 64 or 8, then the data. */
static void same_bytes(const char *title, const bytes *b, const char *head, size_t head_length,
                       const char *text, size_t padded, const void *data, size_t length) {
  bytes e;
  e.length = 0;
  put(&e, head, head_length);
  put(&e, text, strlen(text));
  while (e.length < padded)
    put(&e, e.length + 1 == padded && head_length == 10 ? "\n" : " ", 1);
  put(&e, data, length);
  CHECK(title, e.length == b->length && memcmp(e.data, b->data, e.length) == 0,
        "other bytes, %lu of %lu", (unsigned long)b->length, (unsigned long)e.length);
}

static void test_written_bytes(void) {
  static const float floats[2] = {1, -2};
  static const uint8_t nibbles[2] = {0x87, 0x0F}, bools[3] = {1, 0, 1};
  static const int32_t words[2] = {-2, 32767};
  const webnn_weights_tensor f = tensor_of("f", NULL, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), floats),
                             scalar = tensor_of("a \"\\\n", "bfloat16", WEBNN_SCALAR(WEBNN_FLOAT32),
                                                floats),
                             i4 = tensor_of("n", NULL, WEBNN_DESCRIPTOR(WEBNN_INT4, 3), nibbles),
                             flags =
                                 tensor_of("b", "bool", WEBNN_DESCRIPTOR(WEBNN_UINT8, 1, 3), bools),
                             shorts = tensor_of("s", "int16", WEBNN_DESCRIPTOR(WEBNN_INT32, 1, 2),
                                                words);
  webnn_weights_tensor all[4], none = flags;
  webnn_error error = WEBNN_ZERO;
  bytes b = written(WEBNN_WEIGHTS_NPY, &f, 1, &error);
  same_bytes("npy", &b, "\x93NUMPY\1\0v\0", 10,
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 128,
             "\0\0\200\77\0\0\0\300", 8);
  b = written(WEBNN_WEIGHTS_NPY, &i4, 1, &error);
  same_bytes("npy of int4", &b, "\x93NUMPY\1\0v\0", 10,
             "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }", 128, "\7\370\377", 3);
  b = written(WEBNN_WEIGHTS_NPY, &flags, 1, &error);
  same_bytes("npy of bool", &b, "\x93NUMPY\1\0v\0", 10,
             "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 3), }", 128, "\1\0\1", 3);
  b = written(WEBNN_WEIGHTS_NPY, &shorts, 1, &error);
  same_bytes("npy of int16", &b, "\x93NUMPY\1\0v\0", 10,
             "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }", 128, "\376\377\377\177",
             4);
  all[0] = i4, all[1] = scalar, all[2] = flags, all[3] = f;
  b = written(WEBNN_WEIGHTS_SAFETENSORS, all, 4, &error);
  same_bytes("safetensors", &b, "\30\1\0\0\0\0\0\0", 8,
             "{\"__metadata__\":{\"rustnn.webnn.packed4\":\"1\"},"
             "\"f\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
             "\"a \\\"\\\\\\u000a\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[8,10]},"
             "\"n\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[10,12]},"
             "\"b\":{\"dtype\":\"BOOL\",\"shape\":[1,3],\"data_offsets\":[12,15]}}",
             288, "\0\0\200\77\0\0\0\300\200\77\207\17\1\0\1", 15);
  none.descriptor.shape.items[1] = 0;
  none.byte_length = 0;
  b = written(WEBNN_WEIGHTS_NPY, &none, 1, &error);
  same_bytes("npy without elements", &b, "\x93NUMPY\1\0v\0", 10,
             "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 0), }", 128, "", 0);
  b = written(WEBNN_WEIGHTS_SAFETENSORS, NULL, 0, &error);
  same_bytes("no tensors", &b, "\10\0\0\0\0\0\0\0", 8, "{}", 16, "", 0);
  CHECK("writing", error.status == WEBNN_OK, "%s", error.message);
}

static void not_written(const char *title, webnn_weights_format format,
                        const webnn_weights_tensor *t, size_t count, const char *message) {
  webnn_error error = WEBNN_ZERO;
  const bytes b = written(format, t, count, &error);
  CHECK(title, error.status != WEBNN_OK && b.length == 0 && strstr(error.message, message) != NULL,
        "\"%s\" expected, got \"%s\"", message, error.message);
}

static void test_not_written(void) {
  static const int32_t words[2] = {1, 32768};
  static const uint8_t two[2] = {1, 2};
  const webnn_operand_descriptor i32 = WEBNN_DESCRIPTOR(WEBNN_INT32, 2),
                                 u8 = WEBNN_DESCRIPTOR(WEBNN_UINT8, 2);
  webnn_weights_tensor t = tensor_of("w", NULL, i32, words), pair[2];
  t.byte_length = 4;
  not_written("a length", WEBNN_WEIGHTS_NPY, &t, 1,
              "tensor \"w\": the descriptor must be valid and have");
  t = tensor_of(NULL, NULL, WEBNN_DESCRIPTOR((webnn_data_type)0, 2), words);
  t.byte_length = 0;
  not_written("no type", WEBNN_WEIGHTS_NPY, &t, 1, "tensor \"\": the descriptor must be valid");
  t.descriptor = WEBNN_DESCRIPTOR((webnn_data_type)0, 2, 0);
  not_written("no type, and no elements", WEBNN_WEIGHTS_NPY, &t, 1, "cannot be written as");
  t = tensor_of("w", NULL, i32, NULL);
  not_written("no data", WEBNN_WEIGHTS_NPY, &t, 1, "the data are NULL");
  t = tensor_of(NULL, NULL, i32, words);
  not_written("no name", WEBNN_WEIGHTS_SAFETENSORS, &t, 1, "the name is NULL");
  CHECK("no name", written(WEBNN_WEIGHTS_NPY, &t, 1, NULL).length == 136, "NPY needs none");
  t = tensor_of("w", "int16", i32, words);
  not_written("an element", WEBNN_WEIGHTS_NPY, &t, 1,
              "tensor \"w\": an element is not one of int16");
  t = tensor_of("w", "bool", u8, two);
  not_written("an element", WEBNN_WEIGHTS_NPY, &t, 1, "an element is not one of bool");
  t = tensor_of("w", "float64", i32, words);
  not_written("a type", WEBNN_WEIGHTS_NPY, &t, 1, "int32 cannot be written as float64");
  t = tensor_of("w", "complex64", i32, words);
  not_written("a type", WEBNN_WEIGHTS_NPY, &t, 1, "int32 cannot be written as complex64");
  t = tensor_of("w", "bfloat16", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), words);
  not_written("bfloat16", WEBNN_WEIGHTS_NPY, &t, 1, "NPY has no bfloat16");
  pair[0] = pair[1] = tensor_of("w", NULL, i32, words);
  not_written("two of a name", WEBNN_WEIGHTS_SAFETENSORS, pair, 2, "tensor \"w\" is there twice");
  not_written("two in NPY", WEBNN_WEIGHTS_NPY, pair, 2, "an NPY file must have one tensor");
  pair[0].name = "__metadata__";
  not_written("metadata", WEBNN_WEIGHTS_SAFETENSORS, pair, 1, "cannot be the name");
  pair[0].name = "\377";
  not_written("UTF-8", WEBNN_WEIGHTS_SAFETENSORS, pair, 1, "cannot be the name");
  not_written("a format", (webnn_weights_format)9, pair, 1,
              "the format must be safetensors or NPY");
}

/* Every type there and back: what was read is written, and has the same bytes again. */
static void test_round_trips(void) {
  for (size_t i = 0; i < KINDS; i++)
    for (int way = 0; way < 2; way++) {
      const kind *k = &kinds[i];
      const webnn_weights_format format = way == 0 ? WEBNN_WEIGHTS_NPY : WEBNN_WEIGHTS_SAFETENSORS;
      const char *name = way == 0 ? "t.npy" : "t.safetensors";
      uint64_t memory[15];
      webnn_weights_tensor t = tensor_of("t", k->name, WEBNN_DESCRIPTOR(k->graph_type, 3, 5),
                                         memory),
                           back;
      webnn_error error = WEBNN_ZERO;
      bytes first, second;
      opened o;
      if (way == 0 && k->npy == NULL)
        continue;
      for (size_t j = 0; j < 15; j++)
        test_set(k->graph_type, memory, j, value_of(k, j));
      first = written(format, &t, 1, &error);
      o = open_at(&first, name, 0);
      CHECK(k->name,
            webnn_weights_get(o.weights, "t", t.descriptor, &back, &error) == WEBNN_OK &&
                has_values(k, &back, 15),
            "%s: %s%s", name, o.error.message, error.message);
      second = written(format, &back, 1, &error);
      CHECK(k->name,
            first.length == second.length && memcmp(first.data, second.data, first.length) == 0,
            "%s: the bytes differ: %s", name, error.message);
      close_opened(&o);
    }
}

static bool is_there(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file != NULL)
    fclose(file);
  return file != NULL;
}

/* A file is replaced while it is mapped; one that cannot be written stays as it was. */
static void test_files(void) {
  static const char path[] = OUT "written.safetensors";
  static const float one[1] = {1}, two[1] = {2};
  webnn_weights_tensor t = tensor_of("w", NULL, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1), one), read;
  webnn_weights *w = NULL;
  webnn_error error = WEBNN_ZERO;
  bytes before, after;
  CHECK("a file", webnn_weights_write_file(path, &t, 1, &error) == WEBNN_OK, "%s", error.message);
  CHECK("a file",
        webnn_weights_open(path, &w, &error) == WEBNN_OK &&
            webnn_weights_get(w, "w", t.descriptor, &read, &error) == WEBNN_OK,
        "%s", error.message);
  t.data = two;
  CHECK("a file again", webnn_weights_write_file(path, &t, 1, &error) == WEBNN_OK, "%s",
        error.message);
  CHECK("a file again", *(const float *)read.data == 1, "what is mapped has changed");
  webnn_weights_free(w);
  before = file_bytes(path);
  t.type = "int8";
  CHECK("a failure",
        webnn_weights_write_file(path, &t, 1, &error) == WEBNN_TYPE_ERROR &&
            strncmp(error.message, path, strlen(path)) == 0,
        "%s", error.message);
  after = file_bytes(path);
  CHECK("a failure",
        before.length == after.length && memcmp(before.data, after.data, before.length) == 0 &&
            memcmp(after.data + after.length - 4, "\0\0\0\100", 4) == 0,
        "the file is another");
  CHECK("a failure", !is_there(OUT "written.safetensors.part0"), "something is left");
  t.type = NULL;
  CHECK("no folder",
        webnn_weights_write_file(OUT "none/w.npy", &t, 1, &error) == WEBNN_OPERATION_ERROR &&
            strstr(error.message, "none/w.npy: the file cannot be written") != NULL,
        "%s", error.message);
  CHECK("an ending",
        webnn_weights_write_file(OUT "w.bin", &t, 1, &error) == WEBNN_TYPE_ERROR &&
            strstr(error.message, "must end in .npy or .safetensors") != NULL,
        "%s", error.message);
}

/* ---- numpy ----------------------------------------------------------------------------------- */

/* The tensor of a kind that weights.py has written as [3, 5]. */
static void check_array(const char *file, webnn_weights *w, const char *name, const kind *k) {
  webnn_weights_tensor t;
  webnn_error error = WEBNN_ZERO;
  CHECK(file,
        webnn_weights_get(w, name, WEBNN_DESCRIPTOR(k->graph_type, 3, 5), &t, &error) == WEBNN_OK &&
            has_values(k, &t, 15),
        "%s: %s", k->name, error.message);
}

static webnn_weights *open_in(const char *folder, const char *name, webnn_error *error) {
  char path[512];
  webnn_weights *w;
  snprintf(path, sizeof path, "%.400s/%s", folder, name);
  webnn_weights_open(path, &w, error);
  return w;
}

static void test_numpy(const char *folder) {
  static const char *const ways[] = {"little", "big", "columns", "view", "version2", "version3"};
  webnn_error error = WEBNN_ZERO;
  webnn_weights_tensor t;
  webnn_weights *w;
  for (size_t i = 0; i < KINDS; i++) {
    uint64_t memory[15];
    char name[64], path[512];
    t = tensor_of("t", kinds[i].name, WEBNN_DESCRIPTOR(kinds[i].graph_type, 3, 5), memory);
    if (kinds[i].npy == NULL)
      continue;
    for (size_t j = 0; j < sizeof ways / sizeof *ways; j++) {
      snprintf(name, sizeof name, "%s_%s.npy", kinds[i].name, ways[j]);
      w = open_in(folder, name, &error);
      check_array(name, w, NULL, &kinds[i]);
      webnn_weights_free(w);
    }
    for (size_t j = 0; j < 15; j++)
      test_set(kinds[i].graph_type, memory, j, value_of(&kinds[i], j));
    snprintf(path, sizeof path, "%.400s/ours_%s.npy", folder, kinds[i].name);
    CHECK(path, webnn_weights_write_file(path, &t, 1, &error) == WEBNN_OK, "%s", error.message);
  }
  w = open_in(folder, "all.npz", &error);
  for (size_t i = 0; i < KINDS; i++)
    if (kinds[i].npy != NULL)
      check_array("all.npz", w, kinds[i].name, &kinds[i]);
  webnn_weights_free(w);
  CHECK("compressed.npz",
        open_in(folder, "compressed.npz", &error) == NULL &&
            strstr(error.message, "(deflate)") != NULL,
        "%s", error.message);
  w = open_in(folder, "scalar.npy", &error);
  CHECK("scalar.npy",
        webnn_weights_get(w, NULL, WEBNN_SCALAR(WEBNN_FLOAT32), &t, &error) == WEBNN_OK &&
            *(const float *)t.data == 2.5f,
        "%s", error.message);
  webnn_weights_free(w);
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  options.threads = 1;
  context = test_context(&options);
  test_npy_types();
  test_safetensors_types();
  test_rounding();
  test_shapes();
  test_4_bits();
  test_npz();
  test_npy_mistakes();
  test_safetensors_mistakes();
  test_safetensors_forms();
  test_damage();
  test_index();
  test_large();
  test_names();
  test_constants();
  test_expectations();
  test_written_bytes();
  test_not_written();
  test_round_trips();
  test_files();
  if (count > 1)
    test_numpy(arguments[1]);
  else
    test_skip("numpy",
              "it is not installed (Debian: python3-numpy), or no folder with its files is given");
  webnn_free_context(context);
  return test_end();
}
