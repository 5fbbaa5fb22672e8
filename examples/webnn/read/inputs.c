/* The inputs of a model: from files, numbers of the command line, and random ones. */
#include "onnx.h"
#include "model.h"

#include <string.h>

/* ---- Reading --------------------------------------------------------------------------------- */

static bool fits_4_bits(const webnn_xla_array *a) {
  for (size_t i = 0; i < a->byte_length; i++) {
    const unsigned char byte = ((const unsigned char *)a->data)[i];
    if (a->shape.type == WEBNN_XLA_S4 ? ((byte + 8u) & 0xFFu) > 15u
                                      : byte > (a->shape.type == WEBNN_XLA_PRED ? 1u : 15u))
      return false;
  }
  return true;
}

/* The opposite of widen. */
static void narrow(const tensor *t, webnn_xla_array *a) {
  if (t->byte_length == a->byte_length) {
    memcpy(a->data, t->data, a->byte_length);
    return;
  }
  for (size_t i = 0; i < t->count; i++) {
    const uint32_t bits = ((const uint32_t *)t->data)[i];
    ((uint16_t *)a->data)[i] =
        a->shape.type == WEBNN_XLA_BF16 ? bfloat16_of(bits) : (uint16_t)(bits & 0xFFFF);
  }
}

/* May an array of this type come from a file of that one? 16-bit integers of models are in 32 bits
   here, and float64 in float32 if the command line says so. */
static bool may_come_from(const session *s, webnn_xla_type type, const char *found) {
  return strcmp(found, stored_type(type)) == 0 ||
         (type == WEBNN_XLA_PRED && strcmp(found, "uint8") == 0) ||
         (type == WEBNN_XLA_S32 && strcmp(found, "int16") == 0) ||
         (type == WEBNN_XLA_U32 && strcmp(found, "uint16") == 0) ||
         (type == WEBNN_XLA_F32 && strcmp(found, "float64") == 0 && s->float64_as_float32);
}

/* An NPY file, whose type must be one that such an array may come from. */
static bool read_npy(const session *s, arena *memory, const char *path, webnn_xla_array *a) {
  const webnn_xla_type type = a->shape.type;
  const char *found;
  tensor t;
  memset(&t, 0, sizeof t);
  t.descriptor.data_type = wide_type(type);
  t.descriptor.shape = a->shape.dimensions;
  if (!npy_read_type(s, memory, NULL, path, &t, &found))
    return false;
  if (!may_come_from(s, type, found))
    return complain(NULL, "%s: the file must have the type of the input, %s; it has %s", path,
                    shape_text(memory, &a->shape), found);
  narrow(&t, a);
  return (type != WEBNN_XLA_S4 && type != WEBNN_XLA_U4 && type != WEBNN_XLA_PRED) ||
         fits_4_bits(a) ||
         complain(NULL, "%s: an element does not fit into %s", path, shape_text(memory, &a->shape));
}

/* The array's bytes as they are. */
static bool read_bytes(arena *memory, const char *path, webnn_xla_array *a) {
  size_t length;
  const char *bytes = file_read(memory, path, &length);
  if (!bytes)
    return false;
  if (length != a->byte_length && is_other_picture(path))
    return complain(NULL, "%s: pictures are read as .ppm and .pgm; convert it to one of these",
                    path);
  if (length != a->byte_length)
    return complain(NULL, "%s: the file must have the %lu bytes of %s; it has %lu", path,
                    (unsigned long)a->byte_length, shape_text(memory, &a->shape),
                    (unsigned long)length);
  memcpy(a->data, bytes, length);
  return true;
}

/* The type of ONNX that has the array's elements as they are; of 4 bits each is in a byte. */
static webnn_onnx_type type_of_numbers(webnn_xla_type type) {
  static const webnn_onnx_type types[] = {
      WEBNN_ONNX_BOOL,     WEBNN_ONNX_INT8,   WEBNN_ONNX_INT8,   WEBNN_ONNX_INT16,
      WEBNN_ONNX_INT32,    WEBNN_ONNX_INT64,  WEBNN_ONNX_UINT8,  WEBNN_ONNX_UINT8,
      WEBNN_ONNX_UINT16,   WEBNN_ONNX_UINT32, WEBNN_ONNX_UINT64, WEBNN_ONNX_FLOAT16,
      WEBNN_ONNX_BFLOAT16, WEBNN_ONNX_FLOAT};
  return types[type - WEBNN_XLA_PRED];
}

/* 16000, or [1,2]: the elements themselves. */
static bool read_numbers(arena *memory, const char *name, const char *text, webnn_xla_array *a) {
  webnn_onnx_tensor t;
  memset(&t, 0, sizeof t);
  t.type = type_of_numbers(a->shape.type);
  t.shape = a->shape.dimensions;
  t.shape.given = true;
  if (!onnx_read_numbers(memory, take_text(memory, "--input %s=%s", name, text), text, &t))
    return false;
  memcpy(a->data, t.data, a->byte_length);
  return (a->shape.type != WEBNN_XLA_S4 && a->shape.type != WEBNN_XLA_U4) || fits_4_bits(a) ||
         complain(NULL, "--input %s=%s: an element does not fit into %s", name, text,
                  shape_text(memory, &a->shape));
}

bool input_read(const session *s, arena *memory, const char *name, const char *text,
                webnn_xla_array *a) {
  if (onnx_is_numbers(text))
    return read_numbers(memory, name, text, a);
  if (is_picture(text))
    return picture_take(s, memory, text, a);
  if (!ends_with(text, ".npy"))
    return read_bytes(memory, text, a);
  return read_npy(s, memory, text, a);
}

/* ---- Random numbers (SplitMix64) ------------------------------------------------------------- */

static uint32_t float_bits_of(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

/* Floats from -1 to below 1, multiples of 2^-7, which every float type has; integers 0 to 7, which
   every integer type has; PRED 0 or 1. */
static void fill_random(webnn_xla_array *a, uint64_t *state) {
  const size_t size = webnn_xla_type_bytes(a->shape.type), count = a->byte_length / size;
  for (size_t i = 0; i < count; i++) {
    const uint64_t random = next_random(state) >> 56;
    const float real = (float)((int)random - 128) / 128.0f;
    const uint64_t integer = a->shape.type == WEBNN_XLA_PRED ? random & 1 : random & 7;
    const uint32_t bits = float_bits_of(real);
    if (a->shape.type == WEBNN_XLA_F32)
      ((uint32_t *)a->data)[i] = bits;
    else if (a->shape.type == WEBNN_XLA_F16)
      ((uint16_t *)a->data)[i] = webnn_float32_to_float16(real);
    else if (a->shape.type == WEBNN_XLA_BF16)
      ((uint16_t *)a->data)[i] = (uint16_t)(bits >> 16);
    else if (size == 8)
      ((uint64_t *)a->data)[i] = integer;
    else if (size == 4)
      ((uint32_t *)a->data)[i] = (uint32_t)integer;
    else if (size == 2)
      ((uint16_t *)a->data)[i] = (uint16_t)integer;
    else
      ((uint8_t *)a->data)[i] = (uint8_t)integer;
  }
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

const char *input_given(const model *m, const char *name) {
  const request *r = m->request;
  const char *path = given_for(&r->session, name);
  if (path || !r->folder)
    return path;
  path = tensor_path(m->memory, r->folder, "", name, ".npy");
  if (file_exists(path))
    return path;
  path = tensor_path(m->memory, r->folder, "", name, ".bin");
  return file_exists(path) ? path : NULL;
}

/* Is it one of the model's that no result depends on? Then that is told. */
static bool is_unused(const model *m, const char *name, size_t length) {
  for (size_t i = 0; i < m->unused_count; i++)
    if (strncmp(m->unused[i], name, length) == 0 && m->unused[i][length] == 0) {
      complain(NULL, "note: no result depends on input \"%s\"", m->unused[i]);
      return true;
    }
  return false;
}

static bool is_among(const char *const *names, size_t count, const char *name, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(names[i], name, length) == 0 && names[i][length] == 0)
      return true;
  return false;
}

/* Is every --input of the command line one of the model's? */
static bool inputs_exist(const model *m) {
  for (size_t i = 0; i < m->request->session.given_count; i++) {
    const char *given = m->request->session.given[i];
    const size_t length = (size_t)(strchr(given, '=') - given);
    if (!is_among(m->input_names, m->input_count, given, length) &&
        !is_among(m->constants, m->constant_count, given, length) && !is_unused(m, given, length))
      return complain(NULL, "--input %s: %s has no input of this name%s", given, m->path,
                      names_text(m->memory, m->input_names, m->input_count));
  }
  return true;
}

/* The names that are files of an input in the folder. */
static bool is_file_of(const model *m, const char *const *names, size_t count, const char *file) {
  for (size_t i = 0; i < count; i++) {
    const char *stem = array_file(m->memory, names[i]);
    const size_t length = strlen(stem);
    if (strncmp(stem, file, length) == 0 &&
        (strcmp(file + length, ".npy") == 0 || strcmp(file + length, ".bin") == 0))
      return true;
  }
  return false;
}

enum { NAMED_FILES = 8 };

/* Notes the files of --inputs that would be an input's by their ending, and are not. */
static void tell_unused_files(const model *m) {
  size_t count = 0, more = 0, unused = 0;
  const char *text = "";
  const char **files =
      m->request->folder ? folder_names(m->memory, m->request->folder, &count) : NULL;
  for (size_t i = 0; i < count; i++) {
    if ((!ends_with(files[i], ".npy") && !ends_with(files[i], ".bin")) ||
        is_file_of(m, m->input_names, m->input_count, files[i]) ||
        is_file_of(m, m->constants, m->constant_count, files[i]) ||
        is_file_of(m, m->unused, m->unused_count, files[i]))
      continue;
    if (unused++ < NAMED_FILES)
      text = take_text(m->memory, "%s%s%s", text, *text ? ", " : "", files[i]);
    else
      more++;
  }
  if (more > 0)
    text = take_text(m->memory, "%s and %lu more", text, (unsigned long)more);
  if (unused > 0)
    complain(NULL, "note: --inputs %s: no input of %s uses %s%s", m->request->folder, m->path, text,
             names_text(m->memory, m->input_names, m->input_count));
}

bool fill_inputs(const model *m, webnn_xla_array *inputs) {
  const request *r = m->request;
  const bool random = r->random || (!r->folder && r->session.given_count == 0);
  uint64_t state = r->seed;
  size_t made = 0, missing = 0;
  const char *text = "";
  if (!inputs_exist(m))
    return false;
  tell_unused_files(m);
  for (size_t i = 0; i < m->input_count; i++) {
    const char *path = input_given(m, m->input_names[i]);
    if (path && !input_read(&r->session, m->memory, m->input_names[i], path, &inputs[i]))
      return false;
    if (path)
      continue;
    if (m->inputs[i].data && !r->random) {
      memcpy(inputs[i].data, m->inputs[i].data, inputs[i].byte_length);
      continue;
    }
    if (!random)
      text = take_text(m->memory, "%s%s\"%s\" %s", text, missing++ ? ", " : "", m->input_names[i],
                       shape_text(m->memory, &inputs[i].shape));
    fill_random(&inputs[i], &state);
    made++;
  }
  if (missing > 0)
    return complain(
        NULL,
        "%s: there are no data of input %s: give them with --input NAME=FILE, --inputs FOLDER "
        "or --random SEED",
        m->path, text);
  if (made > 0)
    complain(NULL, "note: %lu of %lu inputs are random, seed %llu: floats -1 to 1, integers 0 to 7",
             (unsigned long)made, (unsigned long)m->input_count, (unsigned long long)r->seed);
  return true;
}

/* ---- Inputs of a network --------------------------------------------------------------------- */

bool every_input_exists(const session *s, arena *memory, const char *path, const char *const *names,
                        size_t count) {
  for (size_t i = 0; i < s->given_count; i++)
    if (!is_among(names, count, s->given[i], strcspn(s->given[i], "=")))
      return complain(NULL, "--input %s: %s has no input of this name%s", s->given[i], path,
                      names_text(memory, names, count));
  return true;
}

static size_t element_bytes(webnn_data_type type) {
  return webnn_data_type_bits(type) == 4 ? 1 : webnn_data_type_bits(type) / 8;
}

bool network_take_given_shape(network *n, network_value *v, const char *given) {
  const webnn_list *shape = &v->known.descriptor.shape;
  webnn_onnx_port port;
  webnn_list sizes;
  onnx_found found;
  memset(&port, 0, sizeof port);
  port.name = v->name;
  port.descriptor = v->known.descriptor;
  for (uint32_t d = 0; d < shape->count; d++) {
    const bool open = shape->items[d] >= WEBNN_DYNAMIC_DIMENSION;
    port.descriptor.shape.items[d] = open ? 0 : shape->items[d];
    port.dimension_names[d] = open ? "" : NULL;
  }
  found = onnx_read_shape(n->memory, given, &port, element_bytes(v->known.descriptor.data_type),
                          &sizes);
  return found == ONNX_FOUND
             ? network_take_shape(n, v, &sizes, v->node,
                                  take_text(n->memory, "input \"%s\" (%s)", v->name, given))
             : found == ONNX_NONE;
}

/* The elements of an array as those of a tensor, which packs 4 bits. */
static bool take_elements(network *n, network_value *v, const webnn_xla_array *a) {
  tensor t = v->known;
  if (!tensor_measure(n->session, v->node, &t))
    return false;
  t.data = a->data;
  if (webnn_data_type_bits(t.descriptor.data_type) == 4) {
    t.data = take(n->memory, t.byte_length + 1);
    for (size_t i = 0; i < t.count; i++)
      nibble_set(t.data, i, ((const unsigned char *)a->data)[i] & 15u);
  }
  v->known = t;
  return true;
}

static bool feed_given(network *n, network_value *v, const char *given) {
  webnn_xla_array a = WEBNN_ZERO;
  if (is_dynamic_shape(json_get(v->node, "shape")) && !network_take_given_shape(n, v, given))
    return false;
  if (is_open_shape(&v->known.descriptor.shape))
    return complain(v->node,
                    "--input %s=%s does not say the sizes of the input: give them with --dim",
                    v->name, given);
  a.shape = shape_of_descriptor(&v->known.descriptor);
  a.byte_length = webnn_xla_byte_length(&a.shape);
  a.data = take(n->memory, a.byte_length + 1);
  return input_read(n->session, n->memory, v->name, given, &a) && take_elements(n, v, &a);
}

/* A graph that another program has built may lack inputs of its model, whose names it has checked. */
bool network_feed_given(network *n) {
  const session *s = n->session;
  const char **names = (const char **)take(n->memory, (n->value_count + 1) * sizeof *names);
  size_t count = 0;
  for (size_t i = 0; i < n->value_count; i++)
    if (n->values[i].producer == NOBODY && !n->values[i].constant)
      names[count++] = n->values[i].name;
  if (!json_get(n->node, "built") && !every_input_exists(s, n->memory, n->node->file, names, count))
    return false;
  for (size_t i = 0; i < count; i++) {
    const char *given = given_for(s, names[i]);
    if (given && !feed_given(n, network_find(n, names[i]), given))
      return false;
  }
  return true;
}
