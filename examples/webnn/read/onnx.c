/* ONNX models: sizes of their dimensions, values of their inputs, and the graph that one becomes, as a
   case of JSON. */
#include "onnx.h"
#include "model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool onnx_is(const char *path) {
  return ends_with(path, ".onnx");
}

static const char *file_name(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\')
      name = c + 1;
  return name;
}

const char *onnx_message(arena *memory, const char *path, const char *message) {
  const char *advice = strstr(message, " (webnn_onnx_known "); /* for programs, not for the shell */
  const char *name = file_name(path);
  const size_t length = strlen(name);
  const char *text = take_text(
      memory, "%.*s", (int)(advice ? (size_t)(advice - message) : strlen(message)), message);
  if (strncmp(text, path, strlen(path)) == 0)
    return text;
  if (strncmp(text, name, length) == 0 && text[length] == ':')
    text += length + 1 + (text[length + 1] == ' ');
  return take_text(memory, "%s: %s", path, text);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static const char *after_spaces(const char *text) {
  while (*text == ' ')
    text++;
  return text;
}

/* The end of the number at the beginning of the text, which is not longer than it; NULL: there is none. */
static const char *number_end(const char *text) {
  char *end;
  if (strncmp(text, "true", 4) == 0)
    return text + 4;
  if (strncmp(text, "false", 5) == 0)
    return text + 5;
  (void)strtod(text, &end);
  return end == text ? NULL : end;
}

/* Numbers while they are read, in lists or in lists of lists. */
typedef struct number_reader {
  bool (*call)(void *user, const char *number, size_t length); /* NULL: they are only counted */
  void *user;
  webnn_list shape; /* absent where there is no list */
  uint32_t leaf;    /* how deep the numbers stand, once there was one */
  bool has_leaf;
} number_reader;

/* The items of the list at a depth, up to its end, "]" or that of the text. Returns what is after
   it; NULL: it is no list of numbers, or has another number of items than those beside it. */
static const char *read_items(number_reader *r, const char *at, uint32_t depth) {
  const bool first = r->shape.count <= depth;
  const char end = depth == 0 && !r->shape.given ? 0 : ']';
  uint32_t count = 0;
  if (depth == WEBNN_MAX_RANK)
    return NULL;
  r->shape.count = first ? depth + 1 : r->shape.count;
  for (at = after_spaces(at);; at = after_spaces(at + 1)) {
    const char *behind = *at == '[' ? read_items(r, at + 1, depth + 1) : number_end(at);
    if (*at != '[') {
      if (!behind || (r->has_leaf && r->leaf != depth))
        return NULL;
      r->has_leaf = true;
      r->leaf = depth;
    }
    if (!behind || (*at != '[' && r->call && !r->call(r->user, at, (size_t)(behind - at))))
      return NULL;
    count++;
    at = after_spaces(behind);
    if (*at != ',')
      break;
  }
  if (*at != end || (!first && r->shape.items[depth] != count))
    return NULL;
  r->shape.items[depth] = count;
  return at + (end != 0);
}

/* Reads all numbers; false where there is anything else, or a call returns false. */
static bool read_list(number_reader *r, const char *text) {
  const char *at = after_spaces(text);
  r->shape.given = *at == '[';
  at = read_items(r, at + (*at == '['), 0);
  return at && !*at && r->shape.count == r->leaf + 1;
}

bool onnx_is_numbers(const char *text) {
  number_reader r;
  memset(&r, 0, sizeof r);
  return read_list(&r, text);
}

/* Numbers while they are read. */
typedef struct number_list {
  const char *what;
  webnn_onnx_type type;
  unsigned char *bytes; /* of the elements */
  size_t size, count;   /* of an element; of the elements */
} number_list;

/* The bytes of an element in ONNX's form; 0: numbers cannot be given of this type. */
static size_t number_size(webnn_onnx_type type) {
  switch (type) {
  case WEBNN_ONNX_BOOL:
  case WEBNN_ONNX_INT8:
  case WEBNN_ONNX_UINT8:
    return 1;
  case WEBNN_ONNX_FLOAT16:
  case WEBNN_ONNX_BFLOAT16:
  case WEBNN_ONNX_INT16:
  case WEBNN_ONNX_UINT16:
    return 2;
  case WEBNN_ONNX_FLOAT:
  case WEBNN_ONNX_INT32:
  case WEBNN_ONNX_UINT32:
    return 4;
  case WEBNN_ONNX_DOUBLE:
  case WEBNN_ONNX_INT64:
  case WEBNN_ONNX_UINT64:
    return 8;
  default:
    return 0;
  }
}

/* A float of a type. */
static void put_float(webnn_onnx_type type, double number, unsigned char *to) {
  const float single = (float)number;
  uint32_t bits;
  uint16_t half;
  memcpy(&bits, &single, sizeof bits);
  half = type == WEBNN_ONNX_FLOAT16 ? webnn_float32_to_float16(single) : bfloat16_of(bits);
  if (type == WEBNN_ONNX_DOUBLE)
    memcpy(to, &number, sizeof number);
  else if (type == WEBNN_ONNX_FLOAT)
    memcpy(to, &single, sizeof single);
  else
    memcpy(to, &half, sizeof half);
}

static bool is_float(webnn_onnx_type type) {
  return type == WEBNN_ONNX_FLOAT || type == WEBNN_ONNX_FLOAT16 || type == WEBNN_ONNX_BFLOAT16 ||
         type == WEBNN_ONNX_DOUBLE;
}

static bool is_signed(webnn_onnx_type type) {
  return type == WEBNN_ONNX_INT8 || type == WEBNN_ONNX_INT16 || type == WEBNN_ONNX_INT32 ||
         type == WEBNN_ONNX_INT64;
}

/* The integer that a text begins with. False: it is none, or the type does not have it. */
static bool read_integer(const char *text, size_t length, webnn_onnx_type type, size_t size,
                         uint64_t *number) {
  const uint64_t most = UINT64_MAX >> (64 - 8 * size);
  char *end = NULL;
  bool fits;
  errno = 0;
  if (*text == 't' || *text == 'f') {
    *number = *text == 't';
    return type == WEBNN_ONNX_BOOL;
  }
  if (*text == '-') {
    const int64_t negative = strtoll(text, &end, 10);
    *number = (uint64_t)negative;
    fits = negative == 0 || (is_signed(type) && negative >= -(int64_t)(most / 2) - 1);
  } else {
    *number = strtoull(text, &end, 10);
    fits = *number <= (type == WEBNN_ONNX_BOOL ? 1 : is_signed(type) ? most / 2 : most);
  }
  return fits && errno == 0 && end == text + length;
}

static bool put_number(void *user, const char *text, size_t length) {
  number_list *l = (number_list *)user;
  unsigned char *to = l->bytes + l->count++ * l->size;
  uint64_t integer;
  uint32_t word;
  uint16_t half;
  if (is_float(l->type) && *text != 't' && *text != 'f') {
    put_float(l->type, strtod(text, NULL), to);
    return true;
  }
  if (is_float(l->type) || !read_integer(text, length, l->type, l->size, &integer))
    return complain(NULL, "%s: %.*s must be a number of %s", l->what, (int)length, text,
                    webnn_onnx_type_name(l->type));
  word = (uint32_t)integer;
  half = (uint16_t)integer;
  if (l->size == 8)
    memcpy(to, &integer, sizeof integer);
  else if (l->size == 4)
    memcpy(to, &word, sizeof word);
  else if (l->size == 2)
    memcpy(to, &half, sizeof half);
  else
    *to = (unsigned char)integer;
  return true;
}

webnn_list onnx_numbers_shape(const char *text) {
  number_reader r;
  memset(&r, 0, sizeof r);
  r.shape.given = read_list(&r, text);
  return r.shape;
}

static bool same_sizes(const webnn_list *a, const webnn_list *b) {
  return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

static uint64_t shape_count(const webnn_list *shape) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < shape->count; i++)
    count = count > UINT32_MAX ? count : count * shape->items[i];
  return count;
}

/* The list's only number for each of `count` elements. */
static void repeat_number(arena *memory, number_list *l, uint64_t count) {
  unsigned char *all = (unsigned char *)take(memory, (size_t)count * l->size + 1);
  for (size_t i = 0; i < count; i++)
    memcpy(all + i * l->size, l->bytes, l->size);
  l->bytes = all;
}

bool onnx_read_numbers(arena *memory, const char *what, const char *text, webnn_onnx_tensor *t) {
  number_list l = {what, t->type, NULL, number_size(t->type), 0};
  const webnn_list shape = onnx_numbers_shape(text);
  number_reader r;
  uint64_t count;
  if (l.size == 0)
    return complain(NULL, "%s: numbers cannot be given for elements of %s", what,
                    webnn_onnx_type_name(t->type));
  l.bytes = (unsigned char *)take(memory, (strlen(text) + 1) * l.size);
  memset(&r, 0, sizeof r);
  r.call = put_number;
  r.user = &l;
  if (!read_list(&r, text))
    return false;
  if (shape.count > 1 && t->shape.given && !same_sizes(&shape, &t->shape))
    return complain(NULL, "%s: the lists must be %s; they are %s", what,
                    onnx_shape_text(memory, &t->shape), onnx_shape_text(memory, &shape));
  if (shape.count > 1)
    t->shape = shape;
  if (!t->shape.given) {
    t->shape.given = true;
    t->shape.count = 1;
    t->shape.items[0] = (uint32_t)l.count;
  }
  count = shape_count(&t->shape);
  if (l.count != 1 && l.count != count)
    return complain(NULL, "%s: there must be a number for each of %lu elements; there are %lu",
                    what, (unsigned long)count, (unsigned long)l.count);
  if (count > UINT32_MAX / 2)
    return complain(NULL, "%s: the input has too many elements", what);
  t->count = count;
  t->byte_length = (size_t)count * l.size;
  if (l.count == 1 && count != 1)
    repeat_number(memory, &l, count);
  t->data = l.bytes;
  return true;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* The shape of a port, not given where one of its sizes is not known. */
static webnn_list known_shape(const webnn_onnx_port *port) {
  webnn_list shape = port->descriptor.shape;
  for (uint32_t i = 0; i < shape.count; i++)
    shape.given = shape.given && (shape.items[i] != 0 || port->is_empty);
  return shape;
}

/* May a tensor be the value of a port? */
static bool shape_fits(const webnn_onnx_port *port, const webnn_list *shape) {
  const webnn_list *own = &port->descriptor.shape;
  bool fits = !own->given || own->count == shape->count;
  for (uint32_t i = 0; fits && own->given && i < own->count; i++)
    fits = own->items[i] == shape->items[i] || (own->items[i] == 0 && !port->is_empty);
  return fits;
}

/* Where NPY files of a type come from: types that they lack are in others. */
static bool may_be_stored(webnn_onnx_type type, const char *found) {
  return strcmp(found, webnn_onnx_type_name(type)) == 0 ||
         (type == WEBNN_ONNX_BOOL && strcmp(found, "uint8") == 0) ||
         (type == WEBNN_ONNX_BFLOAT16 && strcmp(found, "float32") == 0);
}

/* The elements of a graph's type in ONNX's form. */
static void take_elements(arena *memory, const tensor *from, webnn_onnx_tensor *t) {
  const size_t size = number_size(t->type);
  unsigned char *to = (unsigned char *)take(memory, from->count * size + 1);
  t->data = from->data;
  t->byte_length = from->byte_length;
  if (size == webnn_data_type_bits(from->descriptor.data_type) / 8)
    return;
  t->data = to;
  t->byte_length = from->count * size;
  for (size_t i = 0; i < from->count; i++) {
    const uint16_t half = (uint16_t)((const uint32_t *)from->data)[i];
    if (is_float(t->type))
      put_float(t->type, (double)((const float *)from->data)[i], to + i * size);
    else
      memcpy(to + i * size, &half, sizeof half);
  }
}

static bool read_npy_value(const session *s, arena *memory, const char *path,
                           const webnn_onnx_port *port, webnn_onnx_tensor *t) {
  const char *found;
  tensor read;
  memset(&read, 0, sizeof read);
  read.descriptor.data_type = webnn_onnx_graph_type(port->type);
  if (number_size(port->type) == 0)
    return complain(NULL, "%s: a value of %s is not read from a file", path,
                    webnn_onnx_type_name(port->type));
  if (!npy_read_type(s, memory, NULL, path, &read, &found))
    return false;
  if (!may_be_stored(port->type, found))
    return complain(NULL, "%s: the file must have %s for input \"%s\"; it has %s", path,
                    webnn_onnx_type_name(port->type), port->name, found);
  t->shape = read.descriptor.shape;
  t->count = read.count;
  take_elements(memory, &read, t);
  return true;
}

/* The bytes of a file, little-endian, as raw_read takes them. */
static bool read_raw_value(const session *s, arena *memory, const char *path,
                           const webnn_onnx_port *port, webnn_onnx_tensor *t) {
  tensor read;
  memset(&read, 0, sizeof read);
  read.descriptor.data_type = webnn_onnx_graph_type(port->type);
  read.descriptor.shape = t->shape;
  if (number_size(port->type) * 8 != webnn_data_type_bits(read.descriptor.data_type))
    return complain(NULL, "%s: a value of %s is read from .npy files only", path,
                    webnn_onnx_type_name(port->type));
  if (!tensor_measure(s, NULL, &read) || !raw_read(s, memory, NULL, path, &read))
    return false;
  t->count = read.count;
  t->data = read.data;
  t->byte_length = read.byte_length;
  return true;
}

/* Does the value say what shape it has, where sizes of the port are not known? Bytes do not, and numbers only
   as a list. */
static bool says_shape(const webnn_onnx_port *port, const char *text) {
  const webnn_list *shape = &port->descriptor.shape;
  return ends_with(text, ".npy") || onnx_numbers_shape(text).count > 1 ||
         (onnx_is_numbers(text) && (!shape->given || shape->count == 1));
}

onnx_found onnx_read_value(const session *s, arena *memory, const char *what, const char *text,
                           const webnn_onnx_port *port, webnn_onnx_tensor *t) {
  bool right;
  memset(t, 0, sizeof *t);
  t->name = port->name;
  t->type = port->type;
  t->shape = known_shape(port);
  if (!t->shape.given && !says_shape(port, text))
    return ONNX_NONE;
  right = onnx_is_numbers(text)     ? onnx_read_numbers(memory, what, text, t)
          : ends_with(text, ".npy") ? read_npy_value(s, memory, text, port, t)
                                    : read_raw_value(s, memory, text, port, t);
  if (right && !shape_fits(port, &t->shape))
    right = complain(NULL, "%s: the shape is not that of input \"%s\"", what, port->name);
  return right ? ONNX_FOUND : ONNX_WRONG;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static webnn_status told(const onnx_file *f, const webnn_error *error) {
  complain(NULL, "%s", onnx_message(f->memory, f->path, error->message));
  return error->status;
}

webnn_status onnx_open_again(onnx_file *f) {
  webnn_error error = WEBNN_ZERO;
  webnn_onnx_free(f->model);
  f->model = NULL;
  return webnn_onnx_open(f->path, &f->options, &f->model, &error) == WEBNN_OK ? WEBNN_OK
                                                                              : told(f, &error);
}

static void add_known(onnx_file *f, const char *name, const webnn_onnx_tensor *value) {
  const size_t count = f->options.known_count;
  if (count == f->known_room) {
    webnn_onnx_known *larger =
        (webnn_onnx_known *)take(f->memory, (2 * count + 16) * sizeof(webnn_onnx_known));
    if (count > 0)
      memcpy(larger, f->known, count * sizeof *larger);
    f->known = larger;
    f->known_room = 2 * count + 16;
  }
  f->known[count].name = take_text(f->memory, "%s", name);
  f->known[count].shape = value->shape;
  f->known[count].data = value->data;
  f->known[count].byte_length = value->byte_length;
  f->options.known = f->known;
  f->options.known_count = count + 1;
}

/* The input of a name: those that have initializers, too. NULL: there is none. */
static const webnn_onnx_port *find_port(const onnx_file *f, const char *name, size_t length) {
  static const onnx_port_lister listers[] = {webnn_onnx_inputs, webnn_onnx_defaults};
  for (size_t k = 0; k < 2; k++) {
    size_t count;
    const webnn_onnx_port *ports = onnx_list_ports(f->memory, f->model, listers[k], &count);
    for (size_t i = 0; i < count; i++)
      if (strncmp(ports[i].name, name, length) == 0 && ports[i].name[length] == 0)
        return &ports[i];
  }
  return NULL;
}

static bool no_such_input(const onnx_file *f, const char *constant) {
  size_t count;
  const webnn_onnx_port *ports = onnx_ports(f->memory, f->model, false, &count);
  const char **names = (const char **)take(f->memory, (count + 1) * sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = ports[i].name;
  return complain(NULL, "--constant %s: %s has no input of this name%s", constant, f->path,
                  names_text(f->memory, names, count));
}

/* The values of --constant. */
static bool take_constants(onnx_file *f) {
  const session *s = f->session;
  for (size_t i = 0; i < s->constant_count; i++) {
    const size_t length = (size_t)(strchr(s->constants[i], '=') - s->constants[i]);
    const char *what = take_text(f->memory, "--constant %s", s->constants[i]);
    const webnn_onnx_port *port = find_port(f, s->constants[i], length);
    webnn_onnx_tensor value;
    onnx_found found;
    if (!port)
      return no_such_input(f, s->constants[i]);
    found = onnx_read_value(s, f->memory, what, s->constants[i] + length + 1, port, &value);
    if (found == ONNX_NONE)
      complain(NULL, "%s: the sizes of the input are not known", what);
    if (found != ONNX_FOUND)
      return false;
    add_known(f, port->name, &value);
  }
  return true;
}

webnn_status onnx_open(const session *s, arena *memory, const char *path, onnx_file *f) {
  webnn_status status;
  memset(f, 0, sizeof *f);
  f->session = s;
  f->memory = memory;
  f->path = path;
  f->options.float64_as_float32 = s->float64_as_float32;
  f->options.fixed = !s->dynamic_sizes;
  for (size_t i = 0; i < s->dim_count; i++) {
    const char *equals = strrchr(s->dims[i], '=');
    onnx_add_dimension(f, take_text(memory, "%.*s", (int)(equals - s->dims[i]), s->dims[i]),
                       (uint32_t)strtoul(equals + 1, NULL, 10),
                       take_text(memory, "--dim %s", s->dims[i]));
  }
  status = onnx_open_again(f);
  if (status != WEBNN_OK)
    return status;
  if (!onnx_dimensions_exist(f) || !take_constants(f))
    return WEBNN_TYPE_ERROR;
  return s->constant_count > 0 ? onnx_open_again(f) : WEBNN_OK;
}

void onnx_close_file(onnx_file *f) {
  webnn_onnx_free(f->model);
  f->model = NULL;
}

/* ---- Settling -------------------------------------------------------------------------------- */

/* Complaints that are no failures are shown while others are not. */
void onnx_note(const char *text) {
  const bool quiet = complain_quietly(false);
  complain(NULL, "note: %s", text);
  complain_quietly(quiet);
}

/* Values that are given for inputs with initializers. */
static webnn_status take_defaults(onnx_file *f, const onnx_values *values) {
  const size_t before = f->options.known_count;
  size_t count;
  const webnn_onnx_port *ports = onnx_list_ports(f->memory, f->model, webnn_onnx_defaults, &count);
  for (size_t i = 0; i < count; i++) {
    webnn_onnx_tensor value;
    const onnx_found found = values->value(values->user, &ports[i], &value);
    if (found == ONNX_WRONG)
      return WEBNN_TYPE_ERROR;
    if (found == ONNX_FOUND)
      add_known(f, ports[i].name, &value);
  }
  return f->options.known_count > before ? onnx_open_again(f) : WEBNN_OK;
}

webnn_status onnx_settle(onnx_file *f, const onnx_values *values) {
  webnn_status status = values ? onnx_take_sizes(f, values) : WEBNN_OK;
  if (status == WEBNN_OK)
    status = onnx_default_sizes(f);
  return status == WEBNN_OK && values ? take_defaults(f, values) : status;
}

/* ---- Building -------------------------------------------------------------------------------- */

/* The inputs whose values the failed build asks for. */
static const char **wanted(const onnx_file *f, size_t *count) {
  const char **names;
  *count = webnn_onnx_wanted(f->model, NULL, 0);
  names = (const char **)take(f->memory, (*count + 1) * sizeof *names);
  webnn_onnx_wanted(f->model, names, *count);
  return names;
}

/* Makes one of them a constant. ONNX_NONE: no value is given. */
static onnx_found settle_wanted(onnx_file *f, const onnx_values *values) {
  size_t count;
  const char **names = wanted(f, &count);
  for (size_t i = 0; i < count && values; i++) {
    const webnn_onnx_port *port = find_port(f, names[i], strlen(names[i]));
    webnn_onnx_tensor value;
    const onnx_found found = port ? values->value(values->user, port, &value) : ONNX_NONE;
    if (found == ONNX_NONE)
      continue;
    if (found == ONNX_FOUND) {
      add_known(f, names[i], &value);
      onnx_note(
          take_text(f->memory,
                    "%s: the graph depends on the value of input \"%s\", which is a constant of it",
                    f->path, names[i]));
    }
    return found;
  }
  return ONNX_NONE;
}

/* What gives the value that a failed build asks for. */
void onnx_tell_way_out(const onnx_file *f) {
  size_t count;
  const char **names = wanted(f, &count);
  if (count > 0)
    complain(NULL,
             "%s: the graph depends on the value of input \"%s\": give it with --constant "
             "%s=NUMBER or --constant %s=FILE",
             f->path, names[0], names[0], names[0]);
}

webnn_status onnx_build_graph(onnx_file *f, const onnx_values *values, webnn_context *context,
                              webnn_graph **graph) {
  for (;;) {
    webnn_error error = WEBNN_ZERO;
    onnx_found found;
    if (webnn_onnx_build(f->model, context, graph, &error) == WEBNN_OK)
      return WEBNN_OK;
    found = settle_wanted(f, values);
    if (found == ONNX_WRONG)
      return WEBNN_TYPE_ERROR;
    if (found == ONNX_NONE) {
      told(f, &error);
      onnx_tell_way_out(f);
      onnx_tell_sizes(f);
      return error.status;
    }
    if (onnx_open_again(f) != WEBNN_OK)
      return WEBNN_TYPE_ERROR;
  }
}

bool onnx_has_graph(const char *path, const webnn_graph *graph) {
  return graph || complain(NULL, "%s: all its outputs are empty tensors; there is no graph", path);
}

/* ---- The case -------------------------------------------------------------------------------- */

/* What --inputs names: a folder, or the tensors of a file of JSON. */
typedef struct onnx_inputs {
  onnx_file *file;
  const json *tensors; /* NULL: none */
} onnx_inputs;

/* False after a complaint. */
static bool open_inputs(onnx_inputs *in, onnx_file *f) {
  const char *path = f->session->inputs;
  const json *root = path && ends_with(path, ".json") ? json_read(f->memory, path) : NULL;
  in->file = f;
  in->tensors = NULL;
  if (path && ends_with(path, ".json") && !root)
    return false;
  if (root)
    in->tensors = root->kind == JSON_ARRAY
                      ? root
                      : json_get(case_of(root, path_stem(f->memory, file_name(f->path))), "inputs");
  return true;
}

/* The input's file in the folder of --inputs; NULL: there is none. */
static const char *file_in_folder(const onnx_file *f, const char *name) {
  static const char *const ends[] = {".npy", ".bin"};
  for (size_t i = 0; i < 2 && f->session->inputs; i++) {
    const char *path = tensor_path(f->memory, f->session->inputs, "", name, ends[i]);
    if (file_exists(path))
      return path;
  }
  return NULL;
}

/* The input's tensor in the JSON. */
static onnx_found tensor_in_json(const onnx_inputs *in, const char *name, tensor *t) {
  const json *item = json_items(in->tensors, JSON_ARRAY);
  while (item && !(json_string(json_name(item)) && strcmp(json_name(item)->text, name) == 0))
    item = item->next;
  if (!item)
    return ONNX_NONE;
  if (!tensor_read(in->file->session, in->file->memory, item, t))
    return ONNX_WRONG;
  return t->data ? ONNX_FOUND : ONNX_NONE;
}

/* JSON gives no values: its tensors are for inputs that the graph has. */
static onnx_found value_of_inputs(void *user, const webnn_onnx_port *port,
                                  webnn_onnx_tensor *value) {
  const onnx_inputs *in = (const onnx_inputs *)user;
  const onnx_file *f = in->file;
  const char *given = given_for(f->session, port->name);
  const char *path = given || in->tensors ? NULL : file_in_folder(f, port->name);
  if (given && !is_picture(given))
    return onnx_read_value(f->session, f->memory,
                           take_text(f->memory, "--input %s=%s", port->name, given), given, port,
                           value);
  return path ? onnx_read_value(f->session, f->memory, path, path, port, value) : ONNX_NONE;
}

static onnx_found shape_of_inputs(void *user, const webnn_onnx_port *port, const char **what,
                                  webnn_list *shape) {
  const onnx_inputs *in = (const onnx_inputs *)user;
  const onnx_file *f = in->file;
  const char *given = given_for(f->session, port->name);
  const char *path = given ? given : in->tensors ? NULL : file_in_folder(f, port->name);
  onnx_found found = ONNX_NONE;
  tensor t;
  if (in->tensors && !given) {
    found = tensor_in_json(in, port->name, &t);
    *what = take_text(f->memory, "input \"%s\" (%s)", port->name, f->session->inputs);
  }
  if (found == ONNX_FOUND)
    *shape = t.descriptor.shape;
  if (path)
    *what = given ? take_text(f->memory, "input \"%s\" (%s)", port->name, given) : path;
  return path ? onnx_read_shape(f->memory, path, port, onnx_element_bytes(port), shape) : found;
}

/* Are all --input those of inputs of the model, of which some may have initializers? */
static bool inputs_exist(const onnx_file *f) {
  size_t inputs, defaults;
  const webnn_onnx_port *ports = onnx_ports(f->memory, f->model, false, &inputs);
  const webnn_onnx_port *more =
      onnx_list_ports(f->memory, f->model, webnn_onnx_defaults, &defaults);
  const char **names = (const char **)take(f->memory, (inputs + defaults + 1) * sizeof *names);
  for (size_t i = 0; i < inputs + defaults; i++)
    names[i] = i < inputs ? ports[i].name : more[i - inputs].name;
  return every_input_exists(f->session, f->memory, f->path, names, inputs + defaults);
}

const json *onnx_case(const session *s, arena *memory, const char *path) {
  onnx_file file;
  onnx_inputs inputs;
  const onnx_values values = {value_of_inputs, shape_of_inputs, &inputs};
  webnn_graph *graph = NULL;
  const json *found = NULL;
  if (onnx_open(s, memory, path, &file) == WEBNN_OK && open_inputs(&inputs, &file) &&
      inputs_exist(&file) && onnx_settle(&file, &values) == WEBNN_OK &&
      onnx_build_graph(&file, &values, s->context, &graph) == WEBNN_OK &&
      onnx_has_graph(path, graph))
    found = described_case(s, memory, path, path_stem(memory, file_name(path)), graph, NULL);
  webnn_free_graph(graph);
  onnx_close_file(&file);
  return found;
}
