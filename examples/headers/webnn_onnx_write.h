/* webnn_onnx_write.h - graphs of webnn.h as ONNX - MIT No Attribution (at the end of webnn.h)
   SPDX-License-Identifier: MIT-0

   Writes a WebNN graph as a .onnx file, which Netron draws and other runtimes run. In ONE source
   file write

       #define WEBNN_IMPLEMENTATION
       #include "webnn.h"
       #define WEBNN_ONNX_WRITE_IMPLEMENTATION
       #include "webnn_onnx_write.h"

   and in the others only the #include. Then

       webnn_error error = WEBNN_ZERO;
       if (webnn_onnx_write_file(graph, "model.onnx", false, &error) != WEBNN_OK) {
         puts(error.message);
       }

   WHAT IS WRITTEN
   - Operator set 20 (version 9 of the format), or 21 (version 10) for elements of 4 bits or scales
     in blocks. Inputs and outputs keep their names. Labels become names of nodes; a suffix
     distinguishes nodes that would have the same name.
   - Most operators become one node; webnn_onnx_write_form returns what an operator becomes.
     Transpose nodes convert layouts that ONNX lacks; Split and Concat nodes convert the order of
     gates.
   - ONNX compares to bool, WebNN to uint8: Cast nodes convert between them. Runtimes lack
     arithmetic and comparisons of uint32, the type of sizes: the model does both in int64.
   - Constants are stored in the model, or as external data in a second file. A model of 2 GB or
     more is refused if its constants are inside, since protobuf cannot hold it.
   - Dynamic dimensions keep their names; those without names have none in the model either. The
     draft's operators of sizes become nodes of int64 sizes. Operators whose nodes need sizes that
     are dynamic are refused.

   WHAT DIFFERS IN A RUNTIME OF ONNX
   - linear, prelu of int8, some quantizations, averages with more padding than window, linear
     resample2d of integers and the LSTM with peepholes become several nodes, each of which rounds.
   - Indices outside of their dimension, which WebNN clamps, are errors. The runtime determines the
     result of a Cast of floats outside the range of an integer type, and of the division of an
     integer by 0.

   What ONNX cannot express is refused with the operator and the reason:

       operator 3 (maxPool2d, "pool"): ONNX has no MaxPool of int32 */
#ifndef WEBNN_ONNX_WRITE_H
#define WEBNN_ONNX_WRITE_H

#include "webnn.h"

#ifndef WEBNN_ONNX_WRITE_API
#ifdef WEBNN_ONNX_WRITE_STATIC
#if defined(__GNUC__) || defined(__clang__)
#define WEBNN_ONNX_WRITE_API static __attribute__((unused))
#else
#define WEBNN_ONNX_WRITE_API static
#endif
#else
#define WEBNN_ONNX_WRITE_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct webnn_onnx_write_options {
  const char *name WEBNN__DEFAULT; /* of the graph in the model; NULL: "graph" */
  /* The model's inputs (outputs), which replace the graph's own: each port names a value of the
     graph, and every input of the graph must occur exactly once. Only a port's name and value are
     read. NULL: the graph's own. */
  const webnn_graph_port *inputs WEBNN__DEFAULT, *outputs WEBNN__DEFAULT;
  size_t input_count WEBNN__DEFAULT, output_count WEBNN__DEFAULT;
  /* Larger constants go to this writer, as the bytes of a file that must lie in the model's folder
     under the name `weights_name`. NULL: they are in the model. */
  webnn_writer write_weights WEBNN__DEFAULT;
  void *weights_user WEBNN__DEFAULT;
  const char *weights_name WEBNN__DEFAULT;
  /* Constants of at most so many bytes stay in the model; 0: 1024. */
  size_t inline_bytes WEBNN__DEFAULT;
} webnn_onnx_write_options;

/* Writes the graph as a model: its bytes go to `write`, in pieces. Options may be NULL. Errors:
   NotSupportedError (ONNX cannot express it; more than 2 GB), TypeError (no graph, an option),
   UnknownError (memory); then nothing has been written. */
WEBNN_ONNX_WRITE_API webnn_status webnn_onnx_write(const webnn_graph *graph,
                                                   const webnn_onnx_write_options *options,
                                                   webnn_writer write, void *user,
                                                   webnn_error *error);
/* The same to a file; with `beside`, larger constants go to PATH.data. A file that cannot be
   written is an OperationError; then the files are as before, and nothing is half written. */
WEBNN_ONNX_WRITE_API webnn_status webnn_onnx_write_file(const webnn_graph *graph, const char *path,
                                                        bool beside, webnn_error *error);
/* The operators of ONNX that an operator becomes: "Equal, Not, Cast". NULL outside of the
   enumeration. Any thread. */
WEBNN_ONNX_WRITE_API const char *webnn_onnx_write_form(webnn_op op);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* WEBNN_ONNX_WRITE_H */

#if defined(WEBNN_ONNX_WRITE_IMPLEMENTATION) && !defined(WEBNN_ONNX_WRITE_IMPLEMENTATION_INCLUDED)
#define WEBNN_ONNX_WRITE_IMPLEMENTATION_INCLUDED

/* ==============================================================================================
   THE IMPLEMENTATION

      1  bytes      protobuf's wire format
      2  model      the graph's description, names of values, errors
      3  tensors    initializers
      4  nodes      attributes, nodes and their results
      5  - 11       the operators, family by family
      12 sizes      operators of the draft of dynamic shapes
      13 table      the operators, their functions and their forms
      14 interface  inputs, outputs, weights, the public functions

   Words: an id is the number of a value in the model: of a value of the graph its own, and behind
   these the numbers of values that only the model has. To make is to add a node whose result is
   such a value, to give is to add the node that has the result of the operator.
   ============================================================================================== */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEBNN_ONNX_WRITE__NONE WEBNN_NO_VALUE
/* The largest message of protobuf. */
#define WEBNN_ONNX_WRITE__MAX_BYTES 2147483647u
/* No operator has more options. */
#define WEBNN_ONNX_WRITE__MAX_OPTIONS 16
/* Weights beside the model begin at multiples of this. */
#define WEBNN_ONNX_WRITE__ALIGNMENT 64u

/* Element types of ONNX. */
enum {
  WEBNN_ONNX_WRITE__FLOAT = 1,
  WEBNN_ONNX_WRITE__UINT8 = 2,
  WEBNN_ONNX_WRITE__INT8 = 3,
  WEBNN_ONNX_WRITE__INT32 = 6,
  WEBNN_ONNX_WRITE__INT64 = 7,
  WEBNN_ONNX_WRITE__BOOL = 9,
  WEBNN_ONNX_WRITE__FLOAT16 = 10,
  WEBNN_ONNX_WRITE__UINT32 = 12,
  WEBNN_ONNX_WRITE__UINT64 = 13,
  WEBNN_ONNX_WRITE__UINT4 = 21,
  WEBNN_ONNX_WRITE__INT4 = 22
};

/* Fields of the messages of onnx.proto. */
enum {
  WEBNN_ONNX_WRITE__MODEL_IR_VERSION = 1,
  WEBNN_ONNX_WRITE__MODEL_PRODUCER = 2,
  WEBNN_ONNX_WRITE__MODEL_GRAPH = 7,
  WEBNN_ONNX_WRITE__MODEL_OPSET = 8,
  WEBNN_ONNX_WRITE__OPSET_VERSION = 2,
  WEBNN_ONNX_WRITE__GRAPH_NODE = 1,
  WEBNN_ONNX_WRITE__GRAPH_NAME = 2,
  WEBNN_ONNX_WRITE__GRAPH_INITIALIZER = 5,
  WEBNN_ONNX_WRITE__GRAPH_INPUT = 11,
  WEBNN_ONNX_WRITE__GRAPH_OUTPUT = 12,
  WEBNN_ONNX_WRITE__GRAPH_VALUE = 13,
  WEBNN_ONNX_WRITE__NODE_INPUT = 1,
  WEBNN_ONNX_WRITE__NODE_OUTPUT = 2,
  WEBNN_ONNX_WRITE__NODE_NAME = 3,
  WEBNN_ONNX_WRITE__NODE_TYPE = 4,
  WEBNN_ONNX_WRITE__NODE_ATTRIBUTE = 5,
  WEBNN_ONNX_WRITE__ATTRIBUTE_NAME = 1,
  WEBNN_ONNX_WRITE__ATTRIBUTE_FLOAT = 2,
  WEBNN_ONNX_WRITE__ATTRIBUTE_INT = 3,
  WEBNN_ONNX_WRITE__ATTRIBUTE_STRING = 4,
  WEBNN_ONNX_WRITE__ATTRIBUTE_INTS = 8,
  WEBNN_ONNX_WRITE__ATTRIBUTE_STRINGS = 9,
  WEBNN_ONNX_WRITE__ATTRIBUTE_TYPE = 20,
  WEBNN_ONNX_WRITE__TENSOR_DIMENSION = 1,
  WEBNN_ONNX_WRITE__TENSOR_TYPE = 2,
  WEBNN_ONNX_WRITE__TENSOR_NAME = 8,
  WEBNN_ONNX_WRITE__TENSOR_BYTES = 9,
  WEBNN_ONNX_WRITE__TENSOR_EXTERNAL = 13,
  WEBNN_ONNX_WRITE__TENSOR_LOCATION = 14,
  WEBNN_ONNX_WRITE__VALUE_NAME = 1,
  WEBNN_ONNX_WRITE__VALUE_TYPE = 2
};

/* ---- 1 bytes --------------------------------------------------------------------------------- */

typedef struct webnn_onnx_write__bytes {
  unsigned char *data;
  size_t length, capacity;
  bool failed; /* without memory; what was put is incomplete */
} webnn_onnx_write__bytes;

static void webnn_onnx_write__put(webnn_onnx_write__bytes *b, const void *data, size_t length) {
  if (b->failed || length > SIZE_MAX / 4 || b->length > SIZE_MAX / 4) {
    b->failed = true;
    return;
  }
  if (b->length + length > b->capacity) {
    const size_t capacity = 2 * (b->length + length) + 64;
    unsigned char *larger = (unsigned char *)realloc(b->data, capacity);
    if (larger == NULL) {
      b->failed = true;
      return;
    }
    b->data = larger;
    b->capacity = capacity;
  }
  if (length > 0) {
    memcpy(b->data + b->length, data, length);
  }
  b->length += length;
}

static void webnn_onnx_write__put_varint(webnn_onnx_write__bytes *b, uint64_t number) {
  unsigned char digits[10];
  size_t count = 0;
  for (; number > 127; number >>= 7) {
    digits[count++] = (unsigned char)(128 | (number & 127));
  }
  digits[count++] = (unsigned char)number;
  webnn_onnx_write__put(b, digits, count);
}

static void webnn_onnx_write__put_int(webnn_onnx_write__bytes *b, unsigned field, int64_t number) {
  webnn_onnx_write__put_varint(b, field << 3);
  webnn_onnx_write__put_varint(b, (uint64_t)number);
}

/* What stands before the `length` bytes of a field. */
static void webnn_onnx_write__put_head(webnn_onnx_write__bytes *b, unsigned field,
                                       uint64_t length) {
  webnn_onnx_write__put_varint(b, field << 3 | 2);
  webnn_onnx_write__put_varint(b, length);
}

static void webnn_onnx_write__put_text(webnn_onnx_write__bytes *b, unsigned field,
                                       const char *text) {
  webnn_onnx_write__put_head(b, field, strlen(text));
  webnn_onnx_write__put(b, text, strlen(text));
}

/* A message as a field of another; it is emptied. */
static void webnn_onnx_write__put_message(webnn_onnx_write__bytes *b, unsigned field,
                                          webnn_onnx_write__bytes *inner) {
  webnn_onnx_write__put_head(b, field, inner->length);
  webnn_onnx_write__put(b, inner->data, inner->length);
  b->failed = b->failed || inner->failed;
  inner->length = 0;
}

static void webnn_onnx_write__put_float(webnn_onnx_write__bytes *b, unsigned field, float number) {
  unsigned char digits[4];
  uint32_t bits;
  size_t i;
  memcpy(&bits, &number, sizeof bits);
  for (i = 0; i < sizeof digits; i++) {
    digits[i] = (unsigned char)(bits >> (8 * i) & 255);
  }
  webnn_onnx_write__put_varint(b, field << 3 | 5);
  webnn_onnx_write__put(b, digits, sizeof digits);
}

/* A set of texts. */
typedef struct webnn_onnx_write__set {
  webnn_onnx_write__bytes texts; /* with a zero behind each */
  size_t *table, room, count;    /* where a text begins, and 1; 0: there is none */
} webnn_onnx_write__set;

/* The place of a text in a table that has one left: where it is, or where it would be. */
static size_t webnn_onnx_write__place_of(const webnn_onnx_write__set *s, const size_t *table,
                                         size_t room, const char *text) {
  uint64_t hash = 14695981039346656037u;
  const char *c;
  size_t i;
  for (c = text; *c; c++) {
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  }
  i = (size_t)(hash % room);
  while (table[i] != 0 && strcmp((const char *)s->texts.data + table[i] - 1, text) != 0) {
    i = (i + 1) % room;
  }
  return i;
}

/* Moves the texts to a table with more places. */
static void webnn_onnx_write__enlarge_set(webnn_onnx_write__set *s) {
  const size_t room = 2 * s->room + 64;
  size_t *table = room < SIZE_MAX / 4 ? (size_t *)calloc(room, sizeof *table) : NULL, i;
  if (table == NULL) {
    s->texts.failed = true;
    return;
  }
  for (i = 0; i < s->room; i++) {
    if (s->table[i] != 0) {
      const char *text = (const char *)s->texts.data + s->table[i] - 1;
      table[webnn_onnx_write__place_of(s, table, room, text)] = s->table[i];
    }
  }
  free(s->table);
  s->table = table;
  s->room = room;
}

/* False: the text is there already. */
static bool webnn_onnx_write__add_to_set(webnn_onnx_write__set *s, const char *text) {
  size_t place;
  if (2 * s->count >= s->room) {
    webnn_onnx_write__enlarge_set(s);
  }
  if (s->texts.failed) {
    return true;
  }
  place = webnn_onnx_write__place_of(s, s->table, s->room, text);
  if (s->table[place] != 0) {
    return false;
  }
  s->table[place] = s->texts.length + 1;
  s->count++;
  webnn_onnx_write__put(&s->texts, text, strlen(text) + 1);
  return true;
}

/* ---- 2 model --------------------------------------------------------------------------------- */

typedef struct webnn_onnx_write__model {
  const webnn_graph *graph;
  const webnn_onnx_write_options *given; /* may be NULL */
  webnn_graph_value *values;
  webnn_graph_operator *operators;
  webnn_graph_port *inputs, *outputs;
  size_t value_count, operator_count, input_count, output_count;
  uint64_t *offsets; /* of values that are beside the model */
  bool *used;        /* of values: a node takes them */
  uint32_t *bools;   /* the value of a uint8 as bool; NONE: there is none yet */
  char prefix[80];   /* of names that the graph does not have */
  uint32_t next;     /* the next id */
  int opset;
  webnn_onnx_write__bytes nodes, initializers, ports;
  webnn_onnx_write__bytes node, attributes, attribute, tensor; /* messages in the making */
  webnn_onnx_write__set node_names;
  webnn_onnx_write__bytes node_name; /* in the making */
  size_t node_count;
  const webnn_graph_operator *o; /* the operator that is written */
  uint32_t operator_index;
  webnn_graph_option options[WEBNN_ONNX_WRITE__MAX_OPTIONS];
  size_t option_count;
  webnn_error error; /* the first one */
} webnn_onnx_write__model;

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 3, 4)))
#endif
static void
webnn_onnx_write__fail(webnn_onnx_write__model *m, webnn_status status, const char *format, ...) {
  va_list arguments;
  if (m->error.status != WEBNN_OK) {
    return;
  }
  m->error.status = status;
  va_start(arguments, format);
  (void)vsnprintf(m->error.message, sizeof m->error.message, format, arguments);
  va_end(arguments);
}

/* The operator cannot be said in ONNX. */
static void webnn_onnx_write__refuse(webnn_onnx_write__model *m, const char *reason) {
  const char *label = m->o->label;
  webnn_onnx_write__fail(m, WEBNN_NOT_SUPPORTED_ERROR, "operator %lu (%s%s%.100s%s): %.200s",
                         (unsigned long)m->operator_index, m->o->name, *label ? ", \"" : "", label,
                         *label ? "\"" : "", reason);
}

/* ---- Dynamic dimensions. */

static bool webnn_onnx_write__is_open(uint32_t size) {
  return size >= WEBNN_DYNAMIC_DIMENSION;
}

static bool webnn_onnx_write__has_open(const webnn_list *shape) {
  uint32_t i;
  for (i = 0; i < shape->count; i++) {
    if (webnn_onnx_write__is_open(shape->items[i])) {
      return true;
    }
  }
  return !shape->given; /* not even the rank is known */
}

/* The input from which the size comes: one that has this dimension by name, or any that has dynamic
   ones. */
static const char *webnn_onnx_write__source_of(const webnn_onnx_write__model *m, uint32_t size) {
  const char *source = "";
  size_t i;
  uint32_t d;
  for (i = m->input_count; i-- > 0;) {
    const webnn_list *shape = &m->inputs[i].descriptor.shape;
    for (d = 0; d < shape->count; d++) {
      if (shape->items[d] == size) {
        return m->inputs[i].name;
      }
    }
    source = webnn_onnx_write__has_open(shape) ? m->inputs[i].name : source;
  }
  return source;
}

/* The nodes of the operator would need this size. */
static void webnn_onnx_write__refuse_open(webnn_onnx_write__model *m, uint32_t size) {
  const char *name = webnn_graph_dimension_name(m->graph, size);
  const char *source = webnn_onnx_write__source_of(m, size);
  char reason[200];
  if (name != NULL && *name) {
    (void)snprintf(reason, sizeof reason, "it needs the size of \"%.50s\" of input \"%.70s\"", name,
                   source);
  } else {
    (void)snprintf(reason, sizeof reason,
                   "it needs a size that depends on the dynamic dimensions of input \"%.70s\"",
                   source);
  }
  webnn_onnx_write__refuse(m, reason);
}

/* False after a refusal: a size of the list is dynamic. */
static bool webnn_onnx_write__are_sizes(webnn_onnx_write__model *m, const webnn_list *list) {
  uint32_t i;
  for (i = 0; i < list->count; i++) {
    if (webnn_onnx_write__is_open(list->items[i])) {
      webnn_onnx_write__refuse_open(m, list->items[i]);
      return false;
    }
  }
  return true;
}

static uint32_t webnn_onnx_write__new(webnn_onnx_write__model *m) {
  if (m->next == WEBNN_ONNX_WRITE__NONE) {
    webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "the model has too many values");
    return 0;
  }
  return m->next++;
}

/* The name of a value; `room` has 120 bytes. */
static const char *webnn_onnx_write__name_of(const webnn_onnx_write__model *m, uint32_t id,
                                             char *room) {
  if (id == WEBNN_ONNX_WRITE__NONE) {
    return "";
  }
  if (id < m->value_count && *m->values[id].name) {
    return m->values[id].name;
  }
  (void)snprintf(room, 120, "%s%lu", m->prefix, (unsigned long)id);
  return room;
}

static int webnn_onnx_write__type_of(webnn_data_type type) {
  switch (type) {
  case WEBNN_FLOAT32:
    return WEBNN_ONNX_WRITE__FLOAT;
  case WEBNN_FLOAT16:
    return WEBNN_ONNX_WRITE__FLOAT16;
  case WEBNN_INT32:
    return WEBNN_ONNX_WRITE__INT32;
  case WEBNN_UINT32:
    return WEBNN_ONNX_WRITE__UINT32;
  case WEBNN_INT64:
    return WEBNN_ONNX_WRITE__INT64;
  case WEBNN_UINT64:
    return WEBNN_ONNX_WRITE__UINT64;
  case WEBNN_INT8:
    return WEBNN_ONNX_WRITE__INT8;
  case WEBNN_UINT8:
    return WEBNN_ONNX_WRITE__UINT8;
  case WEBNN_INT4:
    return WEBNN_ONNX_WRITE__INT4;
  default:
    return WEBNN_ONNX_WRITE__UINT4;
  }
}

/* Operand number `index` of the operator; NONE if it is not given. */
static uint32_t webnn_onnx_write__in(const webnn_onnx_write__model *m, size_t index) {
  return index < m->o->operand_count ? m->o->operands[index] : WEBNN_ONNX_WRITE__NONE;
}

static const webnn_operand_descriptor *webnn_onnx_write__about(const webnn_onnx_write__model *m,
                                                               uint32_t id) {
  return &m->values[id].descriptor;
}

/* The type and shape of operand 0, and of the first result. */
static const webnn_operand_descriptor *webnn_onnx_write__input(const webnn_onnx_write__model *m) {
  return webnn_onnx_write__about(m, m->o->operands[0]);
}
static const webnn_operand_descriptor *webnn_onnx_write__result(const webnn_onnx_write__model *m) {
  return webnn_onnx_write__about(m, m->o->results[0]);
}

/* An option of the operator by its name; all zero if it has none. */
static const webnn_graph_option *webnn_onnx_write__option(const webnn_onnx_write__model *m,
                                                          const char *name) {
  static const webnn_graph_option none = WEBNN_ZERO;
  size_t i;
  for (i = 0; i < m->option_count; i++) {
    if (strcmp(m->options[i].name, name) == 0) {
      return &m->options[i];
    }
  }
  return &none;
}

static int64_t webnn_onnx_write__integer(const webnn_onnx_write__model *m, const char *name) {
  return (int64_t)webnn_onnx_write__option(m, name)->number.integer;
}

static float webnn_onnx_write__real(const webnn_onnx_write__model *m, const char *name) {
  return (float)webnn_onnx_write__option(m, name)->number.f64;
}

static const webnn_list *webnn_onnx_write__list(const webnn_onnx_write__model *m,
                                                const char *name) {
  return &webnn_onnx_write__option(m, name)->list;
}

static bool webnn_onnx_write__flag(const webnn_onnx_write__model *m, const char *name) {
  return webnn_onnx_write__option(m, name)->boolean;
}

static const char *webnn_onnx_write__text(const webnn_onnx_write__model *m, const char *name) {
  const char *text = webnn_onnx_write__option(m, name)->texts[0];
  return text != NULL ? text : "";
}

static bool webnn_onnx_write__is(const webnn_onnx_write__model *m, const char *name,
                                 const char *text) {
  return strcmp(webnn_onnx_write__text(m, name), text) == 0;
}

static uint64_t webnn_onnx_write__count(const webnn_list *shape) {
  uint64_t count = 1;
  uint32_t i;
  for (i = 0; i < shape->count; i++) {
    count *= shape->items[i];
  }
  return count;
}

/* ---- 3 tensors ------------------------------------------------------------------------------- */

/* Elements, the lowest byte of each first. */
static void webnn_onnx_write__write_elements(const webnn_graph_value *v, webnn_writer write,
                                             void *user) {
  const uint16_t one = 1;
  const size_t bits = webnn_data_type_bits(v->descriptor.data_type), size = bits < 8 ? 1 : bits / 8;
  const unsigned char *data = (const unsigned char *)v->data;
  unsigned char turned[8];
  size_t i, j;
  if (*(const unsigned char *)(const void *)&one == 1 || size == 1) {
    write(user, (const char *)v->data, v->byte_length);
    return;
  }
  for (i = 0; i + size <= v->byte_length; i += size) {
    for (j = 0; j < size; j++) {
      turned[j] = data[i + size - 1 - j];
    }
    write(user, (const char *)turned, size);
  }
}

/* Everything of a tensor but its elements goes to m->tensor. */
static void webnn_onnx_write__begin_tensor(webnn_onnx_write__model *m, int type,
                                           const webnn_list *shape, const char *name) {
  uint32_t i;
  for (i = 0; i < shape->count; i++) {
    webnn_onnx_write__put_int(&m->tensor, WEBNN_ONNX_WRITE__TENSOR_DIMENSION, shape->items[i]);
  }
  webnn_onnx_write__put_int(&m->tensor, WEBNN_ONNX_WRITE__TENSOR_TYPE, type);
  webnn_onnx_write__put_text(&m->tensor, WEBNN_ONNX_WRITE__TENSOR_NAME, name);
}

/* A number as an element: `size` bytes, the lowest first. */
static void webnn_onnx_write__encode(webnn_data_type type, const webnn_number *number,
                                     unsigned char *to) {
  const size_t size = webnn_data_type_bits(type) / 8;
  const bool real = number->kind == WEBNN_NUMBER_DOUBLE;
  const bool negative = number->kind == WEBNN_NUMBER_INT64 && (int64_t)number->integer < 0;
  const double wide = real       ? number->f64
                      : negative ? (double)(int64_t)number->integer
                                 : (double)number->integer;
  const float narrow = (float)wide;
  uint64_t bits = number->integer;
  uint32_t word;
  size_t i;
  if (type == WEBNN_FLOAT32) {
    memcpy(&word, &narrow, sizeof word);
    bits = word;
  } else if (type == WEBNN_FLOAT16) {
    bits = webnn_float32_to_float16(narrow);
  } else if (real) {
    bits = (uint64_t)(int64_t)number->f64;
  }
  for (i = 0; i < size; i++) {
    to[i] = (unsigned char)(bits >> (8 * i) & 255);
  }
}

/* A tensor of `count` numbers, of which the last is repeated to fill the shape. */
static uint32_t webnn_onnx_write__tensor(webnn_onnx_write__model *m, webnn_data_type type,
                                         const webnn_list *shape, const webnn_number *numbers,
                                         size_t count) {
  const uint64_t size = webnn_data_type_bits(type) / 8, all = webnn_onnx_write__count(shape);
  const uint32_t id = webnn_onnx_write__new(m);
  unsigned char element[8];
  char room[120];
  uint64_t i;
  if (!webnn_onnx_write__are_sizes(m, shape)) {
    return id;
  }
  webnn_onnx_write__begin_tensor(m, webnn_onnx_write__type_of(type), shape,
                                 webnn_onnx_write__name_of(m, id, room));
  webnn_onnx_write__put_head(&m->tensor, WEBNN_ONNX_WRITE__TENSOR_BYTES, all * size);
  for (i = 0; i < all && !m->tensor.failed; i++) {
    webnn_onnx_write__encode(type, &numbers[i < count ? i : count - 1], element);
    webnn_onnx_write__put(&m->tensor, element, (size_t)size);
  }
  webnn_onnx_write__put_message(&m->initializers, WEBNN_ONNX_WRITE__GRAPH_INITIALIZER, &m->tensor);
  return id;
}

static void webnn_onnx_write__put_piece(void *bytes, const char *data, size_t length) {
  webnn_onnx_write__put((webnn_onnx_write__bytes *)bytes, data, length);
}

/* A constant of the graph in another shape, as a tensor of its own. */
static uint32_t webnn_onnx_write__constant_as(webnn_onnx_write__model *m, uint32_t value,
                                              const webnn_list *shape) {
  const webnn_graph_value *v = &m->values[value];
  const uint32_t id = webnn_onnx_write__new(m);
  char room[120];
  webnn_onnx_write__begin_tensor(m, webnn_onnx_write__type_of(v->descriptor.data_type), shape,
                                 webnn_onnx_write__name_of(m, id, room));
  webnn_onnx_write__put_head(&m->tensor, WEBNN_ONNX_WRITE__TENSOR_BYTES, v->byte_length);
  webnn_onnx_write__write_elements(v, webnn_onnx_write__put_piece, &m->tensor);
  webnn_onnx_write__put_message(&m->initializers, WEBNN_ONNX_WRITE__GRAPH_INITIALIZER, &m->tensor);
  return id;
}

static uint32_t webnn_onnx_write__filled(webnn_onnx_write__model *m, webnn_data_type type,
                                         double number, const webnn_list *shape) {
  const webnn_number one = webnn_f64(number);
  return webnn_onnx_write__tensor(m, type, shape, &one, 1);
}

static uint32_t webnn_onnx_write__scalar(webnn_onnx_write__model *m, webnn_data_type type,
                                         double number) {
  const webnn_list shape = WEBNN_ZERO;
  return webnn_onnx_write__filled(m, type, number, &shape);
}

/* An option as a scalar of a type. */
static uint32_t webnn_onnx_write__number(webnn_onnx_write__model *m, webnn_data_type type,
                                         const char *name) {
  const webnn_list shape = WEBNN_ZERO;
  return webnn_onnx_write__tensor(m, type, &shape, &webnn_onnx_write__option(m, name)->number, 1);
}

/* A list of 64-bit integers, as shapes, axes and starts are. */
static uint32_t webnn_onnx_write__integers(webnn_onnx_write__model *m, const int64_t *items,
                                           uint32_t count) {
  webnn_number numbers[WEBNN_MAX_RANK + 1] = {WEBNN_ZERO};
  webnn_list shape = WEBNN_ZERO;
  uint32_t i;
  shape.count = 1;
  shape.items[0] = count;
  for (i = 0; i < count && i < WEBNN_MAX_RANK + 1; i++) {
    numbers[i] = webnn_i64(items[i]);
  }
  return webnn_onnx_write__tensor(m, WEBNN_INT64, &shape, numbers, count);
}

static uint32_t webnn_onnx_write__sizes(webnn_onnx_write__model *m, const webnn_list *list) {
  int64_t items[WEBNN_MAX_RANK] = {0};
  uint32_t i;
  if (!webnn_onnx_write__are_sizes(m, list)) {
    return WEBNN_ONNX_WRITE__NONE;
  }
  for (i = 0; i < list->count; i++) {
    items[i] = list->items[i];
  }
  return webnn_onnx_write__integers(m, items, list->count);
}

/* ---- 4 nodes --------------------------------------------------------------------------------- */

/* Attributes of the next node. */
static void webnn_onnx_write__end_attribute(webnn_onnx_write__model *m, int type) {
  webnn_onnx_write__put_int(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_TYPE, type);
  webnn_onnx_write__put_message(&m->attributes, WEBNN_ONNX_WRITE__NODE_ATTRIBUTE, &m->attribute);
}

static void webnn_onnx_write__int(webnn_onnx_write__model *m, const char *name, int64_t number) {
  webnn_onnx_write__put_text(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_NAME, name);
  webnn_onnx_write__put_int(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_INT, number);
  webnn_onnx_write__end_attribute(m, 2);
}

static void webnn_onnx_write__float(webnn_onnx_write__model *m, const char *name, float number) {
  webnn_onnx_write__put_text(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_NAME, name);
  webnn_onnx_write__put_float(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_FLOAT, number);
  webnn_onnx_write__end_attribute(m, 1);
}

static void webnn_onnx_write__string(webnn_onnx_write__model *m, const char *name,
                                     const char *text) {
  webnn_onnx_write__put_text(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_NAME, name);
  webnn_onnx_write__put_text(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_STRING, text);
  webnn_onnx_write__end_attribute(m, 3);
}

static void webnn_onnx_write__ints(webnn_onnx_write__model *m, const char *name,
                                   const uint32_t *items, uint32_t count) {
  uint32_t i;
  webnn_onnx_write__put_text(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_NAME, name);
  for (i = 0; i < count; i++) {
    webnn_onnx_write__put_int(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_INTS, items[i]);
  }
  webnn_onnx_write__end_attribute(m, 7);
}

/* More of the name of a node, and whether no other has it then. */
static bool webnn_onnx_write__is_new_name(webnn_onnx_write__model *m, const char *more) {
  webnn_onnx_write__bytes *name = &m->node_name;
  webnn_onnx_write__put(name, more, strlen(more) + 1);
  if (name->failed) {
    return true;
  }
  name->length--;
  return webnn_onnx_write__add_to_set(&m->node_names, (const char *)name->data);
}

/* The name of the node that has the operator's result is the label; others of the operator have the
   type behind it. No two nodes have one name, which runtimes refuse: the number of the node comes
   behind a name that is taken. */
static void webnn_onnx_write__put_node_name(webnn_onnx_write__model *m, const char *type,
                                            bool last) {
  const char *label = m->o != NULL ? m->o->label : "";
  char number[32];
  if (!*label) {
    return;
  }
  m->node_name.length = 0;
  webnn_onnx_write__put(&m->node_name, label, strlen(label));
  webnn_onnx_write__put(&m->node_name, "/", last ? 0 : 1);
  if (!webnn_onnx_write__is_new_name(m, last ? "" : type)) {
    (void)snprintf(number, sizeof number, "_%lu", (unsigned long)m->node_count);
    while (!webnn_onnx_write__is_new_name(m, number)) {
    }
  }
  webnn_onnx_write__put_head(&m->node, WEBNN_ONNX_WRITE__NODE_NAME, m->node_name.length);
  webnn_onnx_write__put(&m->node, m->node_name.data, m->node_name.length);
}

/* Adds a node; its attributes have been put. Inputs and outputs may be NONE. */
static void webnn_onnx_write__node(webnn_onnx_write__model *m, const char *type, const uint32_t *in,
                                   size_t in_count, const uint32_t *out, size_t out_count) {
  char room[120];
  bool last = false;
  size_t i;
  while (in_count > 0 && in[in_count - 1] == WEBNN_ONNX_WRITE__NONE) {
    in_count--;
  }
  for (i = 0; i < in_count; i++) {
    webnn_onnx_write__put_text(&m->node, WEBNN_ONNX_WRITE__NODE_INPUT,
                               webnn_onnx_write__name_of(m, in[i], room));
    if (in[i] < m->value_count) {
      m->used[in[i]] = true;
    }
  }
  for (i = 0; i < out_count; i++) {
    webnn_onnx_write__put_text(&m->node, WEBNN_ONNX_WRITE__NODE_OUTPUT,
                               webnn_onnx_write__name_of(m, out[i], room));
  }
  for (i = 0; i < out_count && !last; i++) {
    last = m->o == NULL || out[i] == m->o->results[0];
  }
  webnn_onnx_write__put_node_name(m, type, last);
  m->node_count++;
  webnn_onnx_write__put_text(&m->node, WEBNN_ONNX_WRITE__NODE_TYPE, type);
  webnn_onnx_write__put(&m->node, m->attributes.data, m->attributes.length);
  m->attributes.length = 0;
  webnn_onnx_write__put_message(&m->nodes, WEBNN_ONNX_WRITE__GRAPH_NODE, &m->node);
}

static uint32_t webnn_onnx_write__make(webnn_onnx_write__model *m, const char *type,
                                       const uint32_t *in, size_t count) {
  const uint32_t id = webnn_onnx_write__new(m);
  webnn_onnx_write__node(m, type, in, count, &id, 1);
  return id;
}

static uint32_t webnn_onnx_write__make1(webnn_onnx_write__model *m, const char *type, uint32_t a) {
  return webnn_onnx_write__make(m, type, &a, 1);
}

static uint32_t webnn_onnx_write__make2(webnn_onnx_write__model *m, const char *type, uint32_t a,
                                        uint32_t b) {
  const uint32_t in[2] = {a, b};
  return webnn_onnx_write__make(m, type, in, 2);
}

static uint32_t webnn_onnx_write__make3(webnn_onnx_write__model *m, const char *type, uint32_t a,
                                        uint32_t b, uint32_t c) {
  const uint32_t in[3] = {a, b, c};
  return webnn_onnx_write__make(m, type, in, 3);
}

static void webnn_onnx_write__give(webnn_onnx_write__model *m, const char *type, const uint32_t *in,
                                   size_t count) {
  webnn_onnx_write__node(m, type, in, count, m->o->results, 1);
}

static void webnn_onnx_write__give1(webnn_onnx_write__model *m, const char *type, uint32_t a) {
  webnn_onnx_write__give(m, type, &a, 1);
}

static void webnn_onnx_write__give2(webnn_onnx_write__model *m, const char *type, uint32_t a,
                                    uint32_t b) {
  const uint32_t in[2] = {a, b};
  webnn_onnx_write__give(m, type, in, 2);
}

static void webnn_onnx_write__give3(webnn_onnx_write__model *m, const char *type, uint32_t a,
                                    uint32_t b, uint32_t c) {
  const uint32_t in[3] = {a, b, c};
  webnn_onnx_write__give(m, type, in, 3);
}

static uint32_t webnn_onnx_write__cast(webnn_onnx_write__model *m, uint32_t id, int type) {
  webnn_onnx_write__int(m, "to", type);
  return webnn_onnx_write__make1(m, "Cast", id);
}

static void webnn_onnx_write__give_cast(webnn_onnx_write__model *m, uint32_t id) {
  webnn_onnx_write__int(m, "to", webnn_onnx_write__type_of(webnn_onnx_write__result(m)->data_type));
  webnn_onnx_write__give1(m, "Cast", id);
}

/* A uint8 as bool; a comparison's is at hand. */
static uint32_t webnn_onnx_write__bool(webnn_onnx_write__model *m, uint32_t value) {
  if (m->bools[value] == WEBNN_ONNX_WRITE__NONE) {
    m->bools[value] = webnn_onnx_write__cast(m, value, WEBNN_ONNX_WRITE__BOOL);
  }
  return m->bools[value];
}

static void webnn_onnx_write__give_bool(webnn_onnx_write__model *m, uint32_t id) {
  m->bools[m->o->results[0]] = id;
  webnn_onnx_write__give_cast(m, id);
}

/* The attribute perm that brings the letters of one layout into the order of another, which is all
   that some runtimes can do: false if they are in order. */
static bool webnn_onnx_write__permute(webnn_onnx_write__model *m, const char *from,
                                      const char *to) {
  uint32_t order[WEBNN_MAX_RANK] = {0}, i;
  const uint32_t rank = (uint32_t)strlen(to);
  if (strcmp(from, to) == 0) {
    return false;
  }
  for (i = 0; i < rank; i++) {
    const char *at = strchr(from, to[i]);
    order[i] = at != NULL ? (uint32_t)(at - from) : 0;
  }
  webnn_onnx_write__ints(m, "perm", order, rank);
  return true;
}

static uint32_t webnn_onnx_write__arrange(webnn_onnx_write__model *m, uint32_t id, const char *from,
                                          const char *to) {
  return webnn_onnx_write__permute(m, from, to) ? webnn_onnx_write__make1(m, "Transpose", id) : id;
}

/* Gives the result of a node in nchw in the layout of the operator. */
static void webnn_onnx_write__give_image(webnn_onnx_write__model *m, const char *layout,
                                         const char *type, const uint32_t *in, size_t count) {
  uint32_t id;
  if (strcmp(layout, "nchw") == 0) {
    webnn_onnx_write__give(m, type, in, count);
    return;
  }
  id = webnn_onnx_write__make(m, type, in, count);
  (void)webnn_onnx_write__permute(m, "nchw", layout);
  webnn_onnx_write__give1(m, "Transpose", id);
}

static uint32_t webnn_onnx_write__reshape(webnn_onnx_write__model *m, uint32_t id,
                                          const webnn_list *shape) {
  return webnn_onnx_write__make2(m, "Reshape", id, webnn_onnx_write__sizes(m, shape));
}

static void webnn_onnx_write__give_reshape(webnn_onnx_write__model *m, uint32_t id) {
  webnn_onnx_write__give2(m, "Reshape", id,
                          webnn_onnx_write__sizes(m, &webnn_onnx_write__result(m)->shape));
}

/* ---- 5 elements ------------------------------------------------------------------------------ */

/* Which sizes the nodes of an operator need, so that these may not be dynamic. Nodes of lists and
   tensors of sizes refuse dynamic ones by themselves. */
typedef enum webnn_onnx_write__needs {
  WEBNN_ONNX_WRITE__NO_SIZE,
  WEBNN_ONNX_WRITE__SIDES, /* the height and width of an image */
  WEBNN_ONNX_WRITE__SIZES
} webnn_onnx_write__needs;

/* A row of the table: `type` is for the function. */
typedef struct webnn_onnx_write__row {
  uint32_t op; /* webnn_op, or an operator of the draft */
  void (*write)(webnn_onnx_write__model *m, const char *type);
  webnn_onnx_write__needs needs;
  const char *type, *form;
} webnn_onnx_write__row;

/* The operator `type` of ONNX with the operator's operands. */
static void webnn_onnx_write__plain(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__give(m, type, m->o->operands, m->o->operand_count);
}

static void webnn_onnx_write__with_alpha(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__float(m, "alpha", webnn_onnx_write__real(m, "alpha"));
  webnn_onnx_write__plain(m, type);
}

static void webnn_onnx_write__hard_sigmoid(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__float(m, "beta", webnn_onnx_write__real(m, "beta"));
  webnn_onnx_write__with_alpha(m, type);
}

static void webnn_onnx_write__linear(webnn_onnx_write__model *m, const char *type) {
  const webnn_data_type of = webnn_onnx_write__input(m)->data_type;
  const uint32_t product = webnn_onnx_write__make2(m, "Mul", webnn_onnx_write__in(m, 0),
                                                   webnn_onnx_write__number(m, of, "alpha"));
  webnn_onnx_write__give2(m, type, product, webnn_onnx_write__number(m, of, "beta"));
}

static void webnn_onnx_write__clamp(webnn_onnx_write__model *m, const char *type) {
  const webnn_data_type of = webnn_onnx_write__input(m)->data_type;
  const uint32_t low = webnn_onnx_write__number(m, of, "minValue"),
                 high = webnn_onnx_write__number(m, of, "maxValue");
  webnn_onnx_write__give3(m, type, webnn_onnx_write__in(m, 0), low, high);
}

/* The two operands as int64 if they are uint32, which sizes are and for which runtimes lack
   arithmetic and comparisons: the low bits of what int64 gives are the same, and so are
   quotients. */
static bool webnn_onnx_write__widen(webnn_onnx_write__model *m, uint32_t *wide) {
  size_t i;
  if (webnn_onnx_write__input(m)->data_type != WEBNN_UINT32) {
    return false;
  }
  for (i = 0; i < 2; i++) {
    wide[i] = webnn_onnx_write__cast(m, webnn_onnx_write__in(m, i), WEBNN_ONNX_WRITE__INT64);
  }
  return true;
}

static void webnn_onnx_write__arithmetic(webnn_onnx_write__model *m, const char *type) {
  uint32_t wide[2] = {0};
  if (webnn_onnx_write__widen(m, wide)) {
    webnn_onnx_write__give_cast(m, webnn_onnx_write__make(m, type, wide, 2));
  } else {
    webnn_onnx_write__plain(m, type);
  }
}

/* ONNX has powers of int32 and int64 only; narrower ones are the low bits of those of 64 bits. */
static void webnn_onnx_write__pow(webnn_onnx_write__model *m, const char *type) {
  switch (webnn_onnx_write__input(m)->data_type) {
  case WEBNN_UINT64:
    webnn_onnx_write__refuse(m, "ONNX has no Pow of uint64");
    break;
  case WEBNN_INT8:
  case WEBNN_UINT8:
  case WEBNN_UINT32: {
    const uint32_t base =
        webnn_onnx_write__cast(m, webnn_onnx_write__in(m, 0), WEBNN_ONNX_WRITE__INT64);
    const uint32_t exponent =
        webnn_onnx_write__cast(m, webnn_onnx_write__in(m, 1), WEBNN_ONNX_WRITE__INT64);
    webnn_onnx_write__give_cast(m, webnn_onnx_write__make2(m, type, base, exponent));
    break;
  }
  default:
    webnn_onnx_write__plain(m, type);
  }
}

/* PRelu broadcasts only its slope, and has no int8. */
static void webnn_onnx_write__prelu(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *shape = &webnn_onnx_write__input(m)->shape,
                   *all = &webnn_onnx_write__result(m)->shape;
  const webnn_data_type of = webnn_onnx_write__input(m)->data_type;
  uint32_t x = webnn_onnx_write__in(m, 0);
  if (of == WEBNN_INT8) {
    const uint32_t zero = webnn_onnx_write__scalar(m, of, 0);
    const uint32_t below = webnn_onnx_write__make2(
        m, "Mul", webnn_onnx_write__make2(m, "Min", x, zero), webnn_onnx_write__in(m, 1));
    webnn_onnx_write__give2(m, "Add", webnn_onnx_write__make2(m, "Max", x, zero), below);
    return;
  }
  if (webnn_onnx_write__count(shape) != webnn_onnx_write__count(all) ||
      shape->count != all->count) {
    x = webnn_onnx_write__make2(m, "Expand", x, webnn_onnx_write__sizes(m, all));
  }
  webnn_onnx_write__give2(m, type, x, webnn_onnx_write__in(m, 1));
}

static void webnn_onnx_write__compare(webnn_onnx_write__model *m, const char *type) {
  uint32_t wide[2] = {0};
  const bool widened = webnn_onnx_write__widen(m, wide);
  webnn_onnx_write__give_bool(
      m, webnn_onnx_write__make(m, type, widened ? wide : m->o->operands, m->o->operand_count));
}

static void webnn_onnx_write__not_equal(webnn_onnx_write__model *m, const char *type) {
  uint32_t wide[2] = {0};
  const bool widened = webnn_onnx_write__widen(m, wide);
  const uint32_t equal = webnn_onnx_write__make(m, "Equal", widened ? wide : m->o->operands, 2);
  webnn_onnx_write__give_bool(m, webnn_onnx_write__make1(m, type, equal));
}

static void webnn_onnx_write__logical(webnn_onnx_write__model *m, const char *type) {
  const uint32_t a = webnn_onnx_write__bool(m, webnn_onnx_write__in(m, 0));
  const uint32_t b = m->o->operand_count > 1 ? webnn_onnx_write__bool(m, webnn_onnx_write__in(m, 1))
                                             : WEBNN_ONNX_WRITE__NONE;
  webnn_onnx_write__give_bool(m, webnn_onnx_write__make2(m, type, a, b));
}

static void webnn_onnx_write__where(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__give3(m, type, webnn_onnx_write__bool(m, webnn_onnx_write__in(m, 0)),
                          webnn_onnx_write__in(m, 1), webnn_onnx_write__in(m, 2));
}

static void webnn_onnx_write__to_type(webnn_onnx_write__model *m, const char *type) {
  (void)type;
  webnn_onnx_write__give_cast(m, webnn_onnx_write__in(m, 0));
}

/* ---- 6 reductions ---------------------------------------------------------------------------- */

/* Without axes each element is reduced by itself, for which ONNX has no reduction. */
static void webnn_onnx_write__reduce_nothing(webnn_onnx_write__model *m) {
  const uint32_t x = webnn_onnx_write__in(m, 0);
  switch (m->o->op) {
  case WEBNN_OP_REDUCE_L1:
  case WEBNN_OP_REDUCE_L2:
    webnn_onnx_write__give1(m, "Abs", x);
    break;
  case WEBNN_OP_REDUCE_LOG_SUM:
    webnn_onnx_write__give1(m, "Log", x);
    break;
  case WEBNN_OP_REDUCE_SUM_SQUARE:
    webnn_onnx_write__give2(m, "Mul", x, x);
    break;
  default:
    webnn_onnx_write__give1(m, "Identity", x);
  }
}

static void webnn_onnx_write__reduce(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *axes = webnn_onnx_write__list(m, "axes");
  uint32_t axes_id;
  if (axes->count == 0) {
    webnn_onnx_write__reduce_nothing(m);
    return;
  }
  axes_id = webnn_onnx_write__sizes(m, axes);
  if (webnn_onnx_write__input(m)->data_type == WEBNN_UINT32) { /* see arithmetic */
    const uint32_t wide =
        webnn_onnx_write__cast(m, webnn_onnx_write__in(m, 0), WEBNN_ONNX_WRITE__INT64);
    webnn_onnx_write__int(m, "keepdims", webnn_onnx_write__flag(m, "keepDimensions"));
    webnn_onnx_write__give_cast(m, webnn_onnx_write__make2(m, type, wide, axes_id));
    return;
  }
  webnn_onnx_write__int(m, "keepdims", webnn_onnx_write__flag(m, "keepDimensions"));
  webnn_onnx_write__give2(m, type, webnn_onnx_write__in(m, 0), axes_id);
}

static void webnn_onnx_write__arg(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__int(m, "axis", webnn_onnx_write__integer(m, "axis"));
  webnn_onnx_write__int(m, "keepdims", webnn_onnx_write__flag(m, "keepDimensions"));
  if (webnn_onnx_write__result(m)->data_type == WEBNN_INT64) {
    webnn_onnx_write__give1(m, type, webnn_onnx_write__in(m, 0));
  } else {
    webnn_onnx_write__give_cast(m, webnn_onnx_write__make1(m, type, webnn_onnx_write__in(m, 0)));
  }
}

static void webnn_onnx_write__cumulative_sum(webnn_onnx_write__model *m, const char *type) {
  const uint32_t axis =
      webnn_onnx_write__scalar(m, WEBNN_INT64, (double)webnn_onnx_write__integer(m, "axis"));
  webnn_onnx_write__int(m, "exclusive", webnn_onnx_write__flag(m, "exclusive"));
  webnn_onnx_write__int(m, "reverse", webnn_onnx_write__flag(m, "reversed"));
  webnn_onnx_write__give2(m, type, webnn_onnx_write__in(m, 0), axis);
}

static void webnn_onnx_write__with_axis(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__int(m, "axis", webnn_onnx_write__integer(m, "axis"));
  webnn_onnx_write__plain(m, type);
}

/* ---- 7 normalizations ------------------------------------------------------------------------ */

/* An operand, or a tensor of one number if it is not given. */
static uint32_t webnn_onnx_write__given(webnn_onnx_write__model *m, size_t index, double number,
                                        const webnn_list *shape) {
  return webnn_onnx_write__in(m, index) != WEBNN_ONNX_WRITE__NONE
             ? webnn_onnx_write__in(m, index)
             : webnn_onnx_write__filled(m, webnn_onnx_write__input(m)->data_type, number, shape);
}

/* BatchNormalization is along axis 1; another one changes places with it, and a list is a batch. */
static void webnn_onnx_write__batch_normalization(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *shape = &webnn_onnx_write__input(m)->shape;
  const uint32_t axis = (uint32_t)webnn_onnx_write__integer(m, "axis"),
                 x = webnn_onnx_write__in(m, 0);
  uint32_t in[5], order[WEBNN_MAX_RANK] = {0}, i, id;
  const webnn_list channels = WEBNN_LIST(shape->items[axis]);
  const webnn_list batch = WEBNN_LIST(1, shape->items[0]);
  for (i = 0; i < shape->count; i++) {
    order[i] = i == 1 ? axis : i == axis ? 1 : i;
  }
  in[0] = x;
  in[1] = webnn_onnx_write__given(m, 3, 1, &channels);
  in[2] = webnn_onnx_write__given(m, 4, 0, &channels);
  in[3] = webnn_onnx_write__in(m, 1);
  in[4] = webnn_onnx_write__in(m, 2);
  if (shape->count == 1) {
    in[0] = webnn_onnx_write__reshape(m, x, &batch);
  } else if (axis != 1) {
    webnn_onnx_write__ints(m, "perm", order, shape->count);
    in[0] = webnn_onnx_write__make1(m, "Transpose", x);
  }
  webnn_onnx_write__float(m, "epsilon", webnn_onnx_write__real(m, "epsilon"));
  if (axis == 1) {
    webnn_onnx_write__give(m, type, in, 5);
    return;
  }
  id = webnn_onnx_write__make(m, type, in, 5);
  if (shape->count == 1) {
    webnn_onnx_write__give_reshape(m, id);
  } else {
    webnn_onnx_write__ints(m, "perm", order, shape->count);
    webnn_onnx_write__give1(m, "Transpose", id);
  }
}

static void webnn_onnx_write__instance_normalization(webnn_onnx_write__model *m, const char *type) {
  const char *layout = webnn_onnx_write__text(m, "layout");
  const bool last = strcmp(layout, "nhwc") == 0;
  const webnn_list channels = WEBNN_LIST(webnn_onnx_write__input(m)->shape.items[last ? 3 : 1]);
  uint32_t in[3];
  in[0] = webnn_onnx_write__arrange(m, webnn_onnx_write__in(m, 0), layout, "nchw");
  in[1] = webnn_onnx_write__given(m, 1, 1, &channels);
  in[2] = webnn_onnx_write__given(m, 2, 0, &channels);
  webnn_onnx_write__float(m, "epsilon", webnn_onnx_write__real(m, "epsilon"));
  webnn_onnx_write__give_image(m, layout, type, in, 3);
}

/* Without axes nothing is left of the input but its NaN; without an epsilon it is 0 / 0. */
static void webnn_onnx_write__normalize_nothing(webnn_onnx_write__model *m) {
  const webnn_list scalar = WEBNN_ZERO;
  uint32_t id =
      webnn_onnx_write__make2(m, "Sub", webnn_onnx_write__in(m, 0), webnn_onnx_write__in(m, 0));
  if (!(webnn_onnx_write__option(m, "epsilon")->number.f64 > 0)) {
    id = webnn_onnx_write__make2(m, "Div", id, id);
  }
  id = webnn_onnx_write__make2(m, "Mul", id, webnn_onnx_write__given(m, 1, 1, &scalar));
  webnn_onnx_write__give2(m, "Add", id, webnn_onnx_write__given(m, 2, 0, &scalar));
}

/* The dimensions in the order in which those of `axes` are last; true if that is as they are. */
static bool webnn_onnx_write__axes_last(const webnn_list *axes, uint32_t rank, uint32_t *order,
                                        uint32_t *inverse) {
  uint32_t i, j, used = 0;
  bool same = true;
  for (i = 0; i < rank; i++) {
    for (j = 0; j < axes->count && axes->items[j] != i; j++) {
    }
    if (j == axes->count) {
      order[used++] = i;
    }
  }
  for (j = 0; j < axes->count; j++) {
    order[used++] = axes->items[j];
  }
  for (i = 0; i < rank; i++) {
    inverse[order[i]] = i;
    same = same && order[i] == i;
  }
  return same;
}

/* LayerNormalization is over the last dimensions: others are brought there. */
static void webnn_onnx_write__layer_normalization(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *shape = &webnn_onnx_write__input(m)->shape,
                   *axes = webnn_onnx_write__list(m, "axes");
  uint32_t in[3], order[WEBNN_MAX_RANK] = {0}, inverse[WEBNN_MAX_RANK] = {0}, i;
  webnn_list sizes = WEBNN_ZERO;
  const bool same = webnn_onnx_write__axes_last(axes, shape->count, order, inverse);
  if (axes->count == 0) {
    webnn_onnx_write__normalize_nothing(m);
    return;
  }
  sizes.count = axes->count;
  for (i = 0; i < axes->count; i++) {
    sizes.items[i] = shape->items[axes->items[i]];
  }
  in[0] = webnn_onnx_write__in(m, 0);
  in[1] = webnn_onnx_write__given(m, 1, 1, &sizes);
  in[2] = webnn_onnx_write__in(m, 2);
  if (!same) {
    webnn_onnx_write__ints(m, "perm", order, shape->count);
    in[0] = webnn_onnx_write__make1(m, "Transpose", in[0]);
  }
  webnn_onnx_write__int(m, "axis", (int64_t)shape->count - (int64_t)axes->count);
  webnn_onnx_write__float(m, "epsilon", webnn_onnx_write__real(m, "epsilon"));
  if (same) {
    webnn_onnx_write__give(m, type, in, 3);
    return;
  }
  in[0] = webnn_onnx_write__make(m, type, in, 3);
  webnn_onnx_write__ints(m, "perm", inverse, shape->count);
  webnn_onnx_write__give1(m, "Transpose", in[0]);
}

/* ---- 8 windows and products ------------------------------------------------------------------ */

/* WebNN has the paddings of a dimension together, ONNX the beginnings of all. */
static void webnn_onnx_write__pads(webnn_onnx_write__model *m, uint32_t top, uint32_t bottom,
                                   uint32_t left, uint32_t right) {
  const uint32_t pads[4] = {top, left, bottom, right};
  webnn_onnx_write__ints(m, "pads", pads, 4);
}

/* What convolutions and pools have in common. */
static void webnn_onnx_write__steps(webnn_onnx_write__model *m) {
  webnn_onnx_write__ints(m, "strides", webnn_onnx_write__list(m, "strides")->items, 2);
  webnn_onnx_write__ints(m, "dilations", webnn_onnx_write__list(m, "dilations")->items, 2);
}

static void webnn_onnx_write__conv2d(webnn_onnx_write__model *m, const char *type) {
  const char *layout = webnn_onnx_write__text(m, "inputLayout");
  const uint32_t *p = webnn_onnx_write__list(m, "padding")->items;
  uint32_t in[3];
  in[0] = webnn_onnx_write__arrange(m, webnn_onnx_write__in(m, 0), layout, "nchw");
  in[1] = webnn_onnx_write__arrange(m, webnn_onnx_write__in(m, 1),
                                    webnn_onnx_write__text(m, "filterLayout"), "oihw");
  in[2] = webnn_onnx_write__in(m, 2);
  webnn_onnx_write__steps(m);
  webnn_onnx_write__pads(m, p[0], p[1], p[2], p[3]);
  webnn_onnx_write__int(m, "group", webnn_onnx_write__integer(m, "groups"));
  webnn_onnx_write__give_image(m, layout, type, in, 3);
}

/* The size of a dimension of an image: 0 is the height, 1 the width. */
static uint32_t webnn_onnx_write__side(const webnn_operand_descriptor *d, const char *layout,
                                       uint32_t side) {
  return d->shape.items[(strcmp(layout, "nhwc") == 0 ? 1 : 2) + side];
}

static void webnn_onnx_write__conv_transpose2d(webnn_onnx_write__model *m, const char *type) {
  const char *layout = webnn_onnx_write__text(m, "inputLayout"),
             *filter = webnn_onnx_write__text(m, "filterLayout");
  const uint32_t *p = webnn_onnx_write__list(m, "padding")->items,
                 *s = webnn_onnx_write__list(m, "strides")->items;
  const uint32_t *d = webnn_onnx_write__list(m, "dilations")->items,
                 *to = webnn_onnx_write__list(m, "outputSizes")->items;
  const webnn_operand_descriptor *weights = webnn_onnx_write__about(m, webnn_onnx_write__in(m, 1));
  const char *h = strchr(filter, 'h');
  const uint32_t first = h != NULL ? (uint32_t)(h - filter) : 2;
  uint32_t in[3], more[2], i;
  for (i = 0; i < 2; i++) { /* what the output has beyond the usual size */
    const int64_t window = ((int64_t)weights->shape.items[first + i] - 1) * d[i] + 1;
    const int64_t usual =
        ((int64_t)webnn_onnx_write__side(webnn_onnx_write__input(m), layout, i) - 1) * s[i] +
        window - p[2 * i] - p[2 * i + 1];
    more[i] = (uint32_t)(to[i] - usual);
  }
  in[0] = webnn_onnx_write__arrange(m, webnn_onnx_write__in(m, 0), layout, "nchw");
  in[1] = webnn_onnx_write__arrange(m, webnn_onnx_write__in(m, 1), filter, "iohw");
  in[2] = webnn_onnx_write__in(m, 2);
  webnn_onnx_write__steps(m);
  webnn_onnx_write__pads(m, p[0], p[1], p[2], p[3]);
  webnn_onnx_write__ints(m, "output_padding", more, 2);
  webnn_onnx_write__int(m, "group", webnn_onnx_write__integer(m, "groups"));
  webnn_onnx_write__give_image(m, layout, type, in, 3);
}

/* The padding of a pool. Sizes that are rounded up become padding at the end, which no pool counts:
   runtimes disagree on ceil_mode. */
static void webnn_onnx_write__pool_padding(const webnn_onnx_write__model *m, uint32_t *p) {
  const char *layout = webnn_onnx_write__text(m, "layout");
  const uint32_t *s = webnn_onnx_write__list(m, "strides")->items,
                 *d = webnn_onnx_write__list(m, "dilations")->items;
  const uint32_t *window = webnn_onnx_write__list(m, "windowDimensions")->items;
  const uint32_t *to = webnn_onnx_write__list(m, "outputSizes")->items;
  uint32_t i;
  memcpy(p, webnn_onnx_write__list(m, "padding")->items, 4 * sizeof *p);
  for (i = 0; i < 2; i++) {
    const int64_t reach = ((int64_t)to[i] - 1) * s[i] + ((int64_t)window[i] - 1) * d[i] + 1;
    const int64_t has = (int64_t)webnn_onnx_write__side(webnn_onnx_write__input(m), layout, i) +
                        p[2 * i] + p[2 * i + 1];
    p[2 * i + 1] += (uint32_t)(reach > has ? reach - has : 0);
  }
}

/* An image in nchw with padding that changes no result of a pool but an average. This is not Pad,
   which ONNX Runtime makes padding of the pool again. */
static uint32_t webnn_onnx_write__pad_image(webnn_onnx_write__model *m, uint32_t image,
                                            const uint32_t *p) {
  const webnn_operand_descriptor *d = webnn_onnx_write__input(m);
  const bool last = webnn_onnx_write__is(m, "layout", "nhwc");
  const bool largest = m->o->op == WEBNN_OP_MAX_POOL2D;
  const double least = d->data_type == WEBNN_UINT8  ? 0
                       : d->data_type == WEBNN_INT8 ? -128
                                                    : (double)-INFINITY;
  const uint32_t value = webnn_onnx_write__scalar(m, d->data_type, largest ? least : 0);
  webnn_list shape = WEBNN_LIST(d->shape.items[0], d->shape.items[last ? 3 : 1],
                                d->shape.items[last ? 1 : 2], d->shape.items[last ? 2 : 3]);
  uint32_t edge;
  for (edge = 0; edge < 4; edge++) { /* top, bottom, left, right */
    const uint32_t axis = 2 + edge / 2, size = shape.items[axis];
    uint32_t parts[2], more;
    shape.items[axis] = p[edge];
    if (p[edge] > 0) {
      more = webnn_onnx_write__make2(m, "Expand", value, webnn_onnx_write__sizes(m, &shape));
      parts[0] = edge % 2 == 0 ? more : image;
      parts[1] = edge % 2 == 0 ? image : more;
      webnn_onnx_write__int(m, "axis", axis);
      image = webnn_onnx_write__make(m, "Concat", parts, 2);
    }
    shape.items[axis] = size + p[edge];
  }
  return image;
}

/* How many elements of a window are in the image: of the one at `index` of a side. */
static uint32_t webnn_onnx_write__taps(const webnn_onnx_write__model *m, uint32_t side,
                                       const uint32_t *p, uint32_t index) {
  const int64_t size =
      webnn_onnx_write__side(webnn_onnx_write__input(m), webnn_onnx_write__text(m, "layout"), side);
  const int64_t dilation = webnn_onnx_write__list(m, "dilations")->items[side];
  const int64_t first =
      (int64_t)index * webnn_onnx_write__list(m, "strides")->items[side] - p[2 * side];
  uint32_t count = 0, i;
  for (i = 0; i < webnn_onnx_write__list(m, "windowDimensions")->items[side]; i++) {
    count += first + i * dilation >= 0 && first + i * dilation < size;
  }
  return count;
}

/* The factors that make averages with padding those of the elements in the image, or 0. */
static uint32_t webnn_onnx_write__average_factors(webnn_onnx_write__model *m, const uint32_t *p) {
  const uint32_t *window = webnn_onnx_write__list(m, "windowDimensions")->items;
  const uint32_t *to = webnn_onnx_write__list(m, "outputSizes")->items;
  const webnn_list shape = WEBNN_LIST(1, 1, to[0], to[1]);
  const size_t count = (size_t)to[0] * to[1];
  webnn_number *numbers = (webnn_number *)calloc(count, sizeof *numbers);
  uint32_t y, x, id;
  if (numbers == NULL) {
    webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
    return 0;
  }
  for (y = 0; y < to[0]; y++) {
    for (x = 0; x < to[1]; x++) {
      const double inside =
          (double)webnn_onnx_write__taps(m, 0, p, y) * (double)webnn_onnx_write__taps(m, 1, p, x);
      const double all = (double)window[0] * (double)window[1];
      numbers[(size_t)y * to[1] + x] = webnn_f64(inside > 0 ? all / inside : 0);
    }
  }
  id = webnn_onnx_write__tensor(m, webnn_onnx_write__input(m)->data_type, &shape, numbers, count);
  free(numbers);
  return id;
}

/* A pool. Padding as large as the window, which ONNX Runtime refuses, is added before. */
static void webnn_onnx_write__pool2d(webnn_onnx_write__model *m, const char *type) {
  const char *layout = webnn_onnx_write__text(m, "layout");
  const uint32_t *window = webnn_onnx_write__list(m, "windowDimensions")->items;
  const webnn_data_type of = webnn_onnx_write__input(m)->data_type;
  const bool averages = m->o->op == WEBNN_OP_AVERAGE_POOL2D;
  uint32_t p[4], in[2] = {0, 0};
  bool wide;
  if (webnn_data_type_bits(of) > 8 && of != WEBNN_FLOAT32 && of != WEBNN_FLOAT16) {
    char reason[80];
    (void)snprintf(reason, sizeof reason, "ONNX has no MaxPool of %s", webnn_data_type_name(of));
    webnn_onnx_write__refuse(m, reason);
    return;
  }
  webnn_onnx_write__pool_padding(m, p);
  wide = p[0] >= window[0] || p[1] >= window[0] || p[2] >= window[1] || p[3] >= window[1];
  in[0] = webnn_onnx_write__arrange(m, webnn_onnx_write__in(m, 0), layout, "nchw");
  if (wide) {
    in[0] = webnn_onnx_write__pad_image(m, in[0], p);
  }
  webnn_onnx_write__ints(m, "kernel_shape", window, 2);
  webnn_onnx_write__steps(m);
  if (!wide) {
    webnn_onnx_write__pads(m, p[0], p[1], p[2], p[3]);
  }
  if (m->o->op == WEBNN_OP_L2_POOL2D) {
    webnn_onnx_write__int(m, "p", 2);
  }
  if (wide && averages) {
    in[0] = webnn_onnx_write__make(m, type, in, 1);
    in[1] = webnn_onnx_write__average_factors(m, p);
    webnn_onnx_write__give_image(m, layout, "Mul", in, 2);
  } else {
    webnn_onnx_write__give_image(m, layout, type, in, 1);
  }
}

/* Gives what has been resized, its dimensions in another order, and rounded to integers. */
static void webnn_onnx_write__give_resized(webnn_onnx_write__model *m, uint32_t id,
                                           const uint32_t *order, bool rounds) {
  if (order != NULL) {
    webnn_onnx_write__ints(m, "perm", order, 4);
  }
  if (order != NULL && !rounds) {
    webnn_onnx_write__give1(m, "Transpose", id);
    return;
  }
  if (order != NULL) {
    id = webnn_onnx_write__make1(m, "Transpose", id);
  }
  webnn_onnx_write__give_cast(m, webnn_onnx_write__make1(m, "Round", id));
}

/* An image that is resized: its last two dimensions, which every runtime can do; others are brought
   there. Where ONNX interpolates integers it does not say how they are rounded, and runtimes cut
   off: floats are interpolated in their place. */
typedef struct webnn_onnx_write__resizing {
  uint32_t image, order[WEBNN_MAX_RANK], inverse[WEBNN_MAX_RANK];
  bool linear, rounds, same; /* the dimensions are in order */
} webnn_onnx_write__resizing;

static void webnn_onnx_write__begin_resize(webnn_onnx_write__model *m, const webnn_list *axes,
                                           webnn_onnx_write__resizing *r) {
  webnn_list ascending = *axes;
  r->linear = webnn_onnx_write__is(m, "mode", "linear");
  r->rounds = r->linear && webnn_data_type_bits(webnn_onnx_write__input(m)->data_type) == 8;
  if (ascending.items[0] > ascending.items[1]) {
    ascending.items[0] = axes->items[1];
    ascending.items[1] = axes->items[0];
  }
  r->same = webnn_onnx_write__axes_last(&ascending, 4, r->order, r->inverse);
  r->image = webnn_onnx_write__in(m, 0);
  if (r->rounds) {
    r->image = webnn_onnx_write__cast(m, r->image, WEBNN_ONNX_WRITE__FLOAT);
  }
  if (!r->same) {
    webnn_onnx_write__ints(m, "perm", r->order, 4);
    r->image = webnn_onnx_write__make1(m, "Transpose", r->image);
  }
}

static void webnn_onnx_write__end_resize(webnn_onnx_write__model *m, const char *type,
                                         const webnn_onnx_write__resizing *r, uint32_t sizes) {
  uint32_t in[4] = {0, WEBNN_ONNX_WRITE__NONE, WEBNN_ONNX_WRITE__NONE, 0};
  in[0] = r->image;
  in[3] = sizes;
  webnn_onnx_write__string(m, "mode", r->linear ? "linear" : "nearest");
  webnn_onnx_write__string(m, "coordinate_transformation_mode", "half_pixel");
  if (!r->linear) {
    webnn_onnx_write__string(m, "nearest_mode", "round_prefer_floor");
  }
  if (r->same && !r->rounds) {
    webnn_onnx_write__give(m, type, in, 4);
    return;
  }
  in[0] = webnn_onnx_write__make(m, type, in, 4);
  webnn_onnx_write__give_resized(m, in[0], r->same ? NULL : r->inverse, r->rounds);
}

static void webnn_onnx_write__resample2d(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *shape = &webnn_onnx_write__result(m)->shape;
  webnn_onnx_write__resizing r;
  webnn_list sizes = *shape;
  uint32_t i;
  webnn_onnx_write__begin_resize(m, webnn_onnx_write__list(m, "axes"), &r);
  for (i = 0; i < 4; i++) {
    sizes.items[i] = shape->items[r.order[i]];
  }
  webnn_onnx_write__end_resize(m, type, &r, webnn_onnx_write__sizes(m, &sizes));
}

static void webnn_onnx_write__gemm(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__float(m, "alpha", webnn_onnx_write__real(m, "alpha"));
  webnn_onnx_write__float(m, "beta", webnn_onnx_write__real(m, "beta"));
  webnn_onnx_write__int(m, "transA", webnn_onnx_write__flag(m, "aTranspose"));
  webnn_onnx_write__int(m, "transB", webnn_onnx_write__flag(m, "bTranspose"));
  webnn_onnx_write__plain(m, type);
}

/* ---- 9 movement ------------------------------------------------------------------------------ */

/* Of a dynamic size Reshape copies that of the input in the same place (0), and
   one it finds (-1). */
static void webnn_onnx_write__to_shape(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *from = &webnn_onnx_write__input(m)->shape,
                   *to = &webnn_onnx_write__result(m)->shape;
  int64_t items[WEBNN_MAX_RANK] = {0};
  bool found = false;
  uint32_t i;
  for (i = 0; i < to->count; i++) {
    const uint32_t size = to->items[i];
    const bool named = webnn_onnx_write__is_open(size) && size != WEBNN_DYNAMIC_DIMENSION;
    if (named && i < from->count && from->items[i] == size) {
      items[i] = 0;
    } else if (webnn_onnx_write__is_open(size) && found) {
      webnn_onnx_write__refuse_open(m, size);
    } else {
      items[i] = webnn_onnx_write__is_open(size) ? -1 : (int64_t)size;
      found = found || webnn_onnx_write__is_open(size);
    }
  }
  webnn_onnx_write__give2(m, type, webnn_onnx_write__in(m, 0),
                          webnn_onnx_write__integers(m, items, to->count));
}

/* A dynamic size that the input has in the same place stays if Expand has 1 there. */
static void webnn_onnx_write__expand(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *from = &webnn_onnx_write__input(m)->shape;
  webnn_list to = webnn_onnx_write__result(m)->shape;
  uint32_t i;
  for (i = 0; i < from->count; i++) {
    uint32_t *size = &to.items[to.count - 1 - i];
    if (webnn_onnx_write__is_open(*size) && *size != WEBNN_DYNAMIC_DIMENSION &&
        from->items[from->count - 1 - i] == *size) {
      *size = 1;
    }
  }
  webnn_onnx_write__give2(m, type, webnn_onnx_write__in(m, 0), webnn_onnx_write__sizes(m, &to));
}

/* Helpers of section 11, which graphs of dynamic sizes keep. */
static void webnn_onnx_write__squeeze(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *axes = webnn_onnx_write__list(m, "axes");
  webnn_onnx_write__give2(m, type, webnn_onnx_write__in(m, 0),
                          axes->given ? webnn_onnx_write__sizes(m, axes) : WEBNN_ONNX_WRITE__NONE);
}

static void webnn_onnx_write__tile(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__give2(m, type, webnn_onnx_write__in(m, 0),
                          webnn_onnx_write__sizes(m, webnn_onnx_write__list(m, "repetitions")));
}

/* Indices as ONNX has them: int64, or int32 where the operator takes it. */
static uint32_t webnn_onnx_write__indices(webnn_onnx_write__model *m, bool takes_int32) {
  const webnn_data_type type = webnn_onnx_write__about(m, webnn_onnx_write__in(m, 1))->data_type;
  return type == WEBNN_INT64 || (takes_int32 && type == WEBNN_INT32)
             ? webnn_onnx_write__in(m, 1)
             : webnn_onnx_write__cast(m, webnn_onnx_write__in(m, 1), WEBNN_ONNX_WRITE__INT64);
}

static void webnn_onnx_write__gather(webnn_onnx_write__model *m, const char *type) {
  const uint32_t indices = webnn_onnx_write__indices(m, true);
  webnn_onnx_write__int(m, "axis", webnn_onnx_write__integer(m, "axis"));
  webnn_onnx_write__give3(m, type, webnn_onnx_write__in(m, 0), indices, webnn_onnx_write__in(m, 2));
}

static void webnn_onnx_write__gather_nd(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__give3(m, type, webnn_onnx_write__in(m, 0), webnn_onnx_write__indices(m, false),
                          webnn_onnx_write__in(m, 2));
}

/* The border repeated: ONNX has no such padding, so each dimension is gathered. */
static void webnn_onnx_write__pad_symmetric(webnn_onnx_write__model *m) {
  const webnn_list *from = &webnn_onnx_write__input(m)->shape,
                   *to = &webnn_onnx_write__result(m)->shape;
  const webnn_list *starts = webnn_onnx_write__list(m, "beginningPadding");
  uint32_t id = webnn_onnx_write__in(m, 0), axis, i;
  for (axis = 0; axis < from->count; axis++) {
    const int64_t size = from->items[axis];
    const webnn_list count = WEBNN_LIST(to->items[axis]);
    webnn_number *numbers = (webnn_number *)calloc(to->items[axis], sizeof *numbers);
    if (numbers == NULL) {
      webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
      return;
    }
    for (i = 0; i < to->items[axis]; i++) {
      int64_t k = ((int64_t)i - starts->items[axis]) % (2 * size);
      k += k < 0 ? 2 * size : 0;
      numbers[i] = webnn_i64(k < size ? k : 2 * size - 1 - k);
    }
    i = webnn_onnx_write__tensor(m, WEBNN_INT64, &count, numbers, to->items[axis]);
    free(numbers);
    webnn_onnx_write__int(m, "axis", axis);
    id = webnn_onnx_write__make2(m, "Gather", id, i);
  }
  webnn_onnx_write__give1(m, "Identity", id);
}

static void webnn_onnx_write__pad(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *starts = webnn_onnx_write__list(m, "beginningPadding"),
                   *ends = webnn_onnx_write__list(m, "endingPadding");
  const uint32_t rank = starts->count;
  const bool constant = webnn_onnx_write__is(m, "mode", "constant");
  webnn_number numbers[2 * WEBNN_MAX_RANK] = {WEBNN_ZERO};
  const webnn_list count = WEBNN_LIST(2 * rank);
  uint32_t pads, value, i;
  if (rank == 0) {
    webnn_onnx_write__give1(m, "Identity", webnn_onnx_write__in(m, 0));
    return;
  }
  if (webnn_onnx_write__is(m, "mode", "symmetric")) {
    webnn_onnx_write__pad_symmetric(m);
    return;
  }
  for (i = 0; i < rank; i++) {
    numbers[i] = webnn_i64(starts->items[i]);
    numbers[rank + i] = webnn_i64(ends->items[i]);
  }
  pads = webnn_onnx_write__tensor(m, WEBNN_INT64, &count, numbers, 2 * (size_t)rank);
  value = constant ? webnn_onnx_write__number(m, webnn_onnx_write__input(m)->data_type, "value")
                   : WEBNN_ONNX_WRITE__NONE;
  webnn_onnx_write__string(m, "mode",
                           webnn_onnx_write__is(m, "mode", "reflection")
                               ? "reflect"
                               : webnn_onnx_write__text(m, "mode"));
  webnn_onnx_write__give3(m, type, webnn_onnx_write__in(m, 0), pads, value);
}

static void webnn_onnx_write__give_slice(webnn_onnx_write__model *m,
                                         const int64_t (*rows)[WEBNN_MAX_RANK], uint32_t count) {
  uint32_t in[5] = {0}, i;
  if (count == 0) {
    webnn_onnx_write__give1(m, "Identity", webnn_onnx_write__in(m, 0));
    return;
  }
  in[0] = webnn_onnx_write__in(m, 0);
  for (i = 0; i < 4; i++) {
    in[1 + i] = webnn_onnx_write__integers(m, rows[i], count);
  }
  webnn_onnx_write__give(m, "Slice", in, 5);
}

/* Slice has starts, ends, axes and steps. */
static void webnn_onnx_write__slice(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *starts = webnn_onnx_write__list(m, "starts"),
                   *sizes = webnn_onnx_write__list(m, "sizes");
  const webnn_list *strides = webnn_onnx_write__list(m, "strides");
  int64_t rows[4][WEBNN_MAX_RANK] = {{0}};
  uint32_t i;
  (void)type;
  for (i = 0; i < starts->count; i++) {
    rows[0][i] = starts->items[i];
    rows[1][i] = (int64_t)starts->items[i] + sizes->items[i];
    rows[2][i] = i;
    rows[3][i] = strides->count > i ? strides->items[i] : 1;
  }
  webnn_onnx_write__give_slice(m, (const int64_t(*)[WEBNN_MAX_RANK])rows, starts->count);
}

/* From the last element backwards; an end of -1 would be counted from the end. */
static void webnn_onnx_write__reverse(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *axes = webnn_onnx_write__list(m, "axes");
  int64_t rows[4][WEBNN_MAX_RANK] = {{0}};
  uint32_t i;
  (void)type;
  for (i = 0; i < axes->count; i++) {
    rows[0][i] = -1;
    rows[1][i] = INT64_MIN;
    rows[2][i] = axes->items[i];
    rows[3][i] = -1;
  }
  webnn_onnx_write__give_slice(m, (const int64_t(*)[WEBNN_MAX_RANK])rows, axes->count);
}

static void webnn_onnx_write__split(webnn_onnx_write__model *m, const char *type) {
  const uint32_t axis = (uint32_t)webnn_onnx_write__integer(m, "axis");
  const webnn_list count = WEBNN_LIST((uint32_t)m->o->result_count);
  webnn_number *sizes = (webnn_number *)calloc(m->o->result_count, sizeof *sizes);
  uint32_t in[2];
  size_t i;
  if (sizes == NULL) {
    webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
    return;
  }
  for (i = 0; i < m->o->result_count; i++) {
    const uint32_t size = webnn_onnx_write__about(m, m->o->results[i])->shape.items[axis];
    if (webnn_onnx_write__is_open(size)) {
      webnn_onnx_write__refuse_open(m, size);
    }
    sizes[i] = webnn_i64(size);
  }
  in[0] = webnn_onnx_write__in(m, 0);
  in[1] = webnn_onnx_write__tensor(m, WEBNN_INT64, &count, sizes, m->o->result_count);
  free(sizes);
  webnn_onnx_write__int(m, "axis", axis);
  webnn_onnx_write__node(m, type, in, 2, m->o->results, m->o->result_count);
}

static void webnn_onnx_write__transpose(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *order = webnn_onnx_write__list(m, "permutation");
  if (order->count == 0) {
    webnn_onnx_write__give1(m, "Identity", webnn_onnx_write__in(m, 0));
    return;
  }
  webnn_onnx_write__ints(m, "perm", order->items, order->count);
  webnn_onnx_write__give1(m, type, webnn_onnx_write__in(m, 0));
}

static void webnn_onnx_write__triangular(webnn_onnx_write__model *m, const char *type) {
  const uint32_t diagonal =
      webnn_onnx_write__scalar(m, WEBNN_INT64, (double)webnn_onnx_write__integer(m, "diagonal"));
  webnn_onnx_write__int(m, "upper", webnn_onnx_write__flag(m, "upper"));
  webnn_onnx_write__give2(m, type, webnn_onnx_write__in(m, 0), diagonal);
}

/* ---- 10 quantization ------------------------------------------------------------------------- */

/* How a scale lies over what it scales. */
typedef enum webnn_onnx_write__spread {
  WEBNN_ONNX_WRITE__ONE,    /* one for all */
  WEBNN_ONNX_WRITE__AXIS,   /* one for each index of an axis */
  WEBNN_ONNX_WRITE__BLOCKS, /* one for each block along an axis */
  WEBNN_ONNX_WRITE__GRID    /* blocks along several axes */
} webnn_onnx_write__spread;

static webnn_onnx_write__spread webnn_onnx_write__spread_of(const webnn_list *x,
                                                            const webnn_list *scale, uint32_t *axis,
                                                            uint32_t *block) {
  uint32_t larger = 0, divided = 0, i;
  *axis = 0;
  *block = 1;
  for (i = 0; i < x->count; i++) {
    if (scale->items[i] > 1) {
      larger++;
      *axis = i;
    }
  }
  if (larger == 0) {
    return WEBNN_ONNX_WRITE__ONE;
  }
  if (larger == 1 && scale->items[*axis] == x->items[*axis]) {
    return WEBNN_ONNX_WRITE__AXIS;
  }
  for (i = 0; i < x->count; i++) {
    if (scale->items[i] != x->items[i]) {
      divided++;
      *axis = i;
      *block = x->items[i] / scale->items[i];
    }
  }
  return divided <= 1 ? WEBNN_ONNX_WRITE__BLOCKS : WEBNN_ONNX_WRITE__GRID;
}

/* Repeats the blocks of a scale or zero point by gathering: along all axes or, if not `all`, those
   that broadcasting does not repeat. ONNX does not gather 4 bits: they are 8 meanwhile. */
static uint32_t webnn_onnx_write__repeat(webnn_onnx_write__model *m, uint32_t operand,
                                         const webnn_list *x, bool all) {
  const webnn_data_type type = webnn_onnx_write__about(m, operand)->data_type;
  const bool narrow = webnn_data_type_bits(type) == 4;
  const webnn_list *from = &webnn_onnx_write__about(m, operand)->shape;
  uint32_t id = operand, axis, i;
  if (narrow) {
    id = webnn_onnx_write__cast(
        m, operand, type == WEBNN_INT4 ? WEBNN_ONNX_WRITE__INT8 : WEBNN_ONNX_WRITE__UINT8);
  }
  for (axis = 0; axis < x->count; axis++) {
    const webnn_list count = WEBNN_LIST(x->items[axis]);
    const uint32_t block = x->items[axis] / from->items[axis];
    webnn_number *numbers;
    if (block == 1 || (from->items[axis] == 1 && !all)) {
      continue;
    }
    numbers = (webnn_number *)calloc(x->items[axis], sizeof *numbers);
    if (numbers == NULL) {
      webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
      return id;
    }
    for (i = 0; i < x->items[axis]; i++) {
      numbers[i] = webnn_i64(i / block);
    }
    i = webnn_onnx_write__tensor(m, WEBNN_INT64, &count, numbers, x->items[axis]);
    free(numbers);
    webnn_onnx_write__int(m, "axis", axis);
    id = webnn_onnx_write__make2(m, "Gather", id, i);
  }
  return narrow ? webnn_onnx_write__cast(m, id, webnn_onnx_write__type_of(type)) : id;
}

/* x, scale and zero point in the form that (De)QuantizeLinear takes; attributes are put. */
static void webnn_onnx_write__quantized(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *x = &webnn_onnx_write__input(m)->shape,
                   *scale = &webnn_onnx_write__about(m, webnn_onnx_write__in(m, 1))->shape;
  uint32_t in[3], axis, block, i;
  const webnn_onnx_write__spread spread = webnn_onnx_write__spread_of(x, scale, &axis, &block);
  webnn_list flat = WEBNN_ZERO;
  for (i = 0; i < 3; i++) {
    in[i] = webnn_onnx_write__in(m, i);
  }
  if (spread == WEBNN_ONNX_WRITE__ONE || spread == WEBNN_ONNX_WRITE__AXIS) {
    flat.count = spread == WEBNN_ONNX_WRITE__AXIS;
    flat.items[0] = x->count > 0 ? scale->items[axis] : 1;
    for (i = 1; i < 3 && x->count != flat.count; i++) {
      in[i] = m->values[in[i]].kind == WEBNN_VALUE_CONSTANT
                  ? webnn_onnx_write__constant_as(m, in[i], &flat)
                  : webnn_onnx_write__reshape(m, in[i], &flat);
    }
  }
  if (spread == WEBNN_ONNX_WRITE__GRID) {
    in[1] = webnn_onnx_write__repeat(m, in[1], x, true);
    in[2] = webnn_onnx_write__repeat(m, in[2], x, true);
    axis = x->count - 1;
    block = 1;
  }
  if (spread != WEBNN_ONNX_WRITE__ONE) {
    webnn_onnx_write__int(m, "axis", axis);
  }
  if (spread == WEBNN_ONNX_WRITE__BLOCKS || spread == WEBNN_ONNX_WRITE__GRID) {
    webnn_onnx_write__int(m, "block_size", block);
    m->opset = 21;
  }
  webnn_onnx_write__give(m, type, in, 3);
}

static bool webnn_onnx_write__is_wide(const webnn_onnx_write__model *m) {
  const webnn_data_type type = webnn_onnx_write__about(m, webnn_onnx_write__in(m, 2))->data_type;
  return type == WEBNN_INT32 || type == WEBNN_UINT32;
}

/* 32 bits have no zero point in ONNX: the difference is taken in 64. It may be larger than any
   float16, so that its product with a scale of float16 is one of float32. */
static void webnn_onnx_write__dequantize_linear(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *x = &webnn_onnx_write__input(m)->shape;
  const bool half = webnn_onnx_write__result(m)->data_type == WEBNN_FLOAT16;
  uint32_t scale, point, difference;
  if (!webnn_onnx_write__is_wide(m)) {
    webnn_onnx_write__quantized(m, type);
    return;
  }
  scale = webnn_onnx_write__repeat(m, webnn_onnx_write__in(m, 1), x, false);
  point =
      webnn_onnx_write__cast(m, webnn_onnx_write__repeat(m, webnn_onnx_write__in(m, 2), x, false),
                             WEBNN_ONNX_WRITE__INT64);
  difference = webnn_onnx_write__make2(
      m, "Sub", webnn_onnx_write__cast(m, webnn_onnx_write__in(m, 0), WEBNN_ONNX_WRITE__INT64),
      point);
  difference = webnn_onnx_write__cast(m, difference, WEBNN_ONNX_WRITE__FLOAT);
  if (half) {
    scale = webnn_onnx_write__cast(m, scale, WEBNN_ONNX_WRITE__FLOAT);
    webnn_onnx_write__give_cast(m, webnn_onnx_write__make2(m, "Mul", difference, scale));
  } else {
    webnn_onnx_write__give2(m, "Mul", difference, scale);
  }
}

/* Integers of 64 bits clamped to what a type has. This is not Clip, since ONNX Runtime's compares
   only 32 bits of them. */
static uint32_t webnn_onnx_write__saturate(webnn_onnx_write__model *m, uint32_t id, double low,
                                           double high) {
  const uint32_t least = webnn_onnx_write__scalar(m, WEBNN_INT64, low);
  const uint32_t most = webnn_onnx_write__scalar(m, WEBNN_INT64, high);
  uint32_t inside = webnn_onnx_write__make2(m, "Less", id, most);
  id = webnn_onnx_write__make3(m, "Where", inside, id, most);
  inside = webnn_onnx_write__make2(m, "Greater", id, least);
  return webnn_onnx_write__make3(m, "Where", inside, id, least);
}

/* The quotient is clipped to what a sum in 64 bits can hold, the sum to what the type can. */
static void webnn_onnx_write__quantize_linear(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *x = &webnn_onnx_write__input(m)->shape;
  const bool is_signed =
      webnn_onnx_write__about(m, webnn_onnx_write__in(m, 2))->data_type == WEBNN_INT32;
  const double wide = 8589934592.0;
  uint32_t scale, point, id, low, high;
  if (!webnn_onnx_write__is_wide(m)) {
    webnn_onnx_write__quantized(m, type);
    return;
  }
  scale = webnn_onnx_write__repeat(m, webnn_onnx_write__in(m, 1), x, false);
  point =
      webnn_onnx_write__cast(m, webnn_onnx_write__repeat(m, webnn_onnx_write__in(m, 2), x, false),
                             WEBNN_ONNX_WRITE__INT64);
  id = webnn_onnx_write__in(m, 0);
  if (webnn_onnx_write__input(m)->data_type == WEBNN_FLOAT16) {
    id = webnn_onnx_write__cast(m, id, WEBNN_ONNX_WRITE__FLOAT);
    scale = webnn_onnx_write__cast(m, scale, WEBNN_ONNX_WRITE__FLOAT);
  }
  id = webnn_onnx_write__make1(m, "Round", webnn_onnx_write__make2(m, "Div", id, scale));
  low = webnn_onnx_write__scalar(m, WEBNN_FLOAT32, -wide);
  high = webnn_onnx_write__scalar(m, WEBNN_FLOAT32, wide);
  id = webnn_onnx_write__cast(m, webnn_onnx_write__make3(m, "Clip", id, low, high),
                              WEBNN_ONNX_WRITE__INT64);
  id = webnn_onnx_write__make2(m, "Add", id, point);
  id = webnn_onnx_write__saturate(m, id, is_signed ? -2147483648.0 : 0,
                                  is_signed ? 2147483647.0 : 4294967295.0);
  webnn_onnx_write__give_cast(m, id);
}

/* ---- 11 recurrent networks ------------------------------------------------------------------- */

/* Operands with a leading dimension of directions, in ONNX's order of gates. */
typedef struct webnn_onnx_write__network {
  uint32_t x, weight, recurrent, bias, recurrent_bias, peephole, hidden, cell;
  uint32_t directions, batch, size, gates, steps;
  bool is_cell; /* one step, without these dimensions */
} webnn_onnx_write__network;

static bool webnn_onnx_write__is_lstm(const webnn_onnx_write__model *m) {
  return m->o->op == WEBNN_OP_LSTM || m->o->op == WEBNN_OP_LSTM_CELL;
}

/* A leading dimension of 1. */
static uint32_t webnn_onnx_write__unsqueeze(webnn_onnx_write__model *m, uint32_t operand) {
  webnn_list shape = WEBNN_ZERO;
  const webnn_list *from;
  uint32_t i;
  if (operand == WEBNN_ONNX_WRITE__NONE) {
    return operand;
  }
  from = &webnn_onnx_write__about(m, operand)->shape;
  shape.items[0] = 1;
  shape.count = from->count + 1;
  for (i = 0; i < from->count; i++) {
    shape.items[i + 1] = from->items[i];
  }
  return webnn_onnx_write__reshape(m, operand, &shape);
}

/* Parts of `size` along axis 1, in another order. */
static uint32_t webnn_onnx_write__reorder(webnn_onnx_write__model *m, uint32_t id,
                                          const webnn_onnx_write__network *n,
                                          const uint32_t *order) {
  int64_t sizes[4];
  uint32_t in[2], parts[4], sorted[4], i;
  if (id == WEBNN_ONNX_WRITE__NONE) {
    return id;
  }
  for (i = 0; i < n->gates; i++) {
    sizes[i] = n->size;
    parts[i] = webnn_onnx_write__new(m);
  }
  for (i = 0; i < n->gates; i++) {
    sorted[i] = parts[order[i]];
  }
  in[0] = id;
  in[1] = webnn_onnx_write__integers(m, sizes, n->gates);
  webnn_onnx_write__int(m, "axis", 1);
  webnn_onnx_write__node(m, "Split", in, 2, parts, n->gates);
  webnn_onnx_write__int(m, "axis", 1);
  return webnn_onnx_write__make(m, "Concat", sorted, n->gates);
}

static void webnn_onnx_write__order_gates(webnn_onnx_write__model *m,
                                          webnn_onnx_write__network *n) {
  static const uint32_t gru[3] = {1, 0, 2}, lstm[4] = {0, 3, 1, 2};
  const uint32_t *order = n->gates == 4 ? lstm : gru;
  if (webnn_onnx_write__is(m, "layout", "zrn") || webnn_onnx_write__is(m, "layout", "iofg")) {
    return;
  }
  n->weight = webnn_onnx_write__reorder(m, n->weight, n, order);
  n->recurrent = webnn_onnx_write__reorder(m, n->recurrent, n, order);
  n->bias = webnn_onnx_write__reorder(m, n->bias, n, order);
  n->recurrent_bias = webnn_onnx_write__reorder(m, n->recurrent_bias, n, order);
}

/* Which operand is which. */
static void webnn_onnx_write__name_operands(const webnn_onnx_write__model *m,
                                            webnn_onnx_write__network *n) {
  const bool lstm = webnn_onnx_write__is_lstm(m);
  const size_t states = lstm ? 2 : 1, optional = n->is_cell ? 3 + states : 3;
  n->x = webnn_onnx_write__in(m, 0);
  n->weight = webnn_onnx_write__in(m, 1);
  n->recurrent = webnn_onnx_write__in(m, 2);
  n->bias = webnn_onnx_write__in(m, optional);
  n->recurrent_bias = webnn_onnx_write__in(m, optional + 1);
  n->peephole = lstm ? webnn_onnx_write__in(m, optional + 2) : WEBNN_ONNX_WRITE__NONE;
  n->hidden = webnn_onnx_write__in(m, n->is_cell ? 3 : lstm ? 6 : 5);
  n->cell = !lstm ? WEBNN_ONNX_WRITE__NONE : webnn_onnx_write__in(m, n->is_cell ? 4 : 7);
}

static void webnn_onnx_write__read_network(webnn_onnx_write__model *m,
                                           webnn_onnx_write__network *n) {
  const webnn_list *shape = &webnn_onnx_write__input(m)->shape;
  memset(n, 0, sizeof *n);
  n->is_cell = m->o->op == WEBNN_OP_LSTM_CELL || m->o->op == WEBNN_OP_GRU_CELL;
  n->gates = webnn_onnx_write__is_lstm(m) ? 4 : 3;
  n->size = (uint32_t)webnn_onnx_write__integer(m, "hiddenSize");
  n->steps = n->is_cell ? 1 : shape->items[0];
  n->batch = shape->items[n->is_cell ? 0 : 1];
  n->directions = !n->is_cell && webnn_onnx_write__is(m, "direction", "both") ? 2 : 1;
  webnn_onnx_write__name_operands(m, n);
  if (n->is_cell) {
    n->x = webnn_onnx_write__unsqueeze(m, n->x);
    n->weight = webnn_onnx_write__unsqueeze(m, n->weight);
    n->recurrent = webnn_onnx_write__unsqueeze(m, n->recurrent);
    n->bias = webnn_onnx_write__unsqueeze(m, n->bias);
    n->recurrent_bias = webnn_onnx_write__unsqueeze(m, n->recurrent_bias);
    n->peephole = webnn_onnx_write__unsqueeze(m, n->peephole);
    n->hidden = webnn_onnx_write__unsqueeze(m, n->hidden);
    n->cell = webnn_onnx_write__unsqueeze(m, n->cell);
  }
  webnn_onnx_write__order_gates(m, n);
}

/* Both biases side by side, as ONNX has them; NONE if there is neither. */
static uint32_t webnn_onnx_write__biases(webnn_onnx_write__model *m,
                                         const webnn_onnx_write__network *n) {
  const webnn_list shape = WEBNN_LIST(n->directions, n->gates * n->size);
  uint32_t in[2] = {n->bias, n->recurrent_bias}, i;
  if (in[0] == WEBNN_ONNX_WRITE__NONE && in[1] == WEBNN_ONNX_WRITE__NONE) {
    return WEBNN_ONNX_WRITE__NONE;
  }
  for (i = 0; i < 2; i++) {
    if (in[i] == WEBNN_ONNX_WRITE__NONE) {
      in[i] = webnn_onnx_write__filled(m, webnn_onnx_write__input(m)->data_type, 0, &shape);
    }
  }
  webnn_onnx_write__int(m, "axis", 1);
  return webnn_onnx_write__make(m, "Concat", in, 2);
}

static const char *webnn_onnx_write__activation(const webnn_onnx_write__model *m, uint32_t index) {
  const char *name = webnn_onnx_write__option(m, "activations")->texts[index];
  return strcmp(name, "relu") == 0 ? "Relu" : strcmp(name, "tanh") == 0 ? "Tanh" : "Sigmoid";
}

static void webnn_onnx_write__put_activations(webnn_onnx_write__model *m,
                                              const webnn_onnx_write__network *n) {
  uint32_t i, j;
  webnn_onnx_write__put_text(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_NAME, "activations");
  for (i = 0; i < n->directions; i++) {
    for (j = 0; j < webnn_onnx_write__option(m, "activations")->text_count; j++) {
      webnn_onnx_write__put_text(&m->attribute, WEBNN_ONNX_WRITE__ATTRIBUTE_STRINGS,
                                 webnn_onnx_write__activation(m, j));
    }
  }
  webnn_onnx_write__end_attribute(m, 8);
}

/* ONNX has the sequence first and WebNN last; a cell's results lose the dimension of directions. */
static void webnn_onnx_write__network_node(webnn_onnx_write__model *m, const char *type,
                                           const webnn_onnx_write__network *n, const uint32_t *in,
                                           size_t count) {
  const uint32_t *results = m->o->results;
  const uint32_t states = n->gates == 4 ? 2 : 1;
  uint32_t out[3] = {WEBNN_ONNX_WRITE__NONE, WEBNN_ONNX_WRITE__NONE, WEBNN_ONNX_WRITE__NONE}, i;
  if (!n->is_cell && m->o->result_count > states) {
    out[0] = results[states];
  }
  for (i = 0; i < states; i++) {
    out[1 + i] = n->is_cell ? webnn_onnx_write__new(m) : results[i];
  }
  webnn_onnx_write__node(m, type, in, count, out, 1 + states);
  for (i = 0; i < states && n->is_cell; i++) {
    const uint32_t give[2] = {out[1 + i],
                              webnn_onnx_write__sizes(m, &webnn_onnx_write__result(m)->shape)};
    webnn_onnx_write__node(m, "Reshape", give, 2, &results[i], 1);
  }
}

static void webnn_onnx_write__put_network(webnn_onnx_write__model *m,
                                          const webnn_onnx_write__network *n) {
  webnn_onnx_write__int(m, "hidden_size", n->size);
  webnn_onnx_write__string(m, "direction",
                           n->directions == 2                                 ? "bidirectional"
                           : webnn_onnx_write__is(m, "direction", "backward") ? "reverse"
                                                                              : "forward");
  webnn_onnx_write__put_activations(m, n);
}

static void webnn_onnx_write__gru(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__network n;
  uint32_t in[6];
  webnn_onnx_write__read_network(m, &n);
  in[0] = n.x;
  in[1] = n.weight;
  in[2] = n.recurrent;
  in[3] = webnn_onnx_write__biases(m, &n);
  in[4] = WEBNN_ONNX_WRITE__NONE;
  in[5] = n.hidden;
  webnn_onnx_write__put_network(m, &n);
  webnn_onnx_write__int(m, "linear_before_reset", webnn_onnx_write__flag(m, "resetAfter"));
  webnn_onnx_write__network_node(m, type, &n, in, 6);
}

/* One direction of an LSTM with peepholes, node by node. */
typedef struct webnn_onnx_write__lane {
  uint32_t weight, recurrent, bias, peephole[3], hidden, cell;
} webnn_onnx_write__lane;

/* A gate: the activation of its sum and, with a peephole, of the old state. */
static uint32_t webnn_onnx_write__gate(webnn_onnx_write__model *m, uint32_t sum, uint32_t peephole,
                                       uint32_t cell, uint32_t activation) {
  if (peephole != WEBNN_ONNX_WRITE__NONE) {
    sum = webnn_onnx_write__make2(m, "Add", sum, webnn_onnx_write__make2(m, "Mul", peephole, cell));
  }
  return webnn_onnx_write__make1(m, webnn_onnx_write__activation(m, activation), sum);
}

static void webnn_onnx_write__parts(webnn_onnx_write__model *m, uint32_t id, uint32_t axis,
                                    uint32_t size, uint32_t count, uint32_t *parts) {
  int64_t sizes[4];
  uint32_t in[2], i;
  for (i = 0; i < count; i++) {
    sizes[i] = size;
    parts[i] = webnn_onnx_write__new(m);
  }
  in[0] = id;
  in[1] = webnn_onnx_write__integers(m, sizes, count);
  webnn_onnx_write__int(m, "axis", axis);
  webnn_onnx_write__node(m, "Split", in, 2, parts, count);
}

/* A step: the gates are i, o, f and g. */
static void webnn_onnx_write__lane_step(webnn_onnx_write__model *m,
                                        const webnn_onnx_write__network *n,
                                        webnn_onnx_write__lane *lane, uint32_t x) {
  uint32_t sum, gates[4], i, o, f, g;
  webnn_onnx_write__int(m, "transB", 1);
  sum = webnn_onnx_write__make3(m, "Gemm", x, lane->weight, lane->bias);
  webnn_onnx_write__int(m, "transB", 1);
  sum = webnn_onnx_write__make3(m, "Gemm", lane->hidden, lane->recurrent, sum);
  webnn_onnx_write__parts(m, sum, 1, n->size, 4, gates);
  i = webnn_onnx_write__gate(m, gates[0], lane->peephole[0], lane->cell, 0);
  o = webnn_onnx_write__gate(m, gates[1], lane->peephole[1], lane->cell, 0);
  f = webnn_onnx_write__gate(m, gates[2], lane->peephole[2], lane->cell, 0);
  g = webnn_onnx_write__gate(m, gates[3], WEBNN_ONNX_WRITE__NONE, lane->cell, 1);
  lane->cell = webnn_onnx_write__make2(m, "Add", webnn_onnx_write__make2(m, "Mul", f, lane->cell),
                                       webnn_onnx_write__make2(m, "Mul", i, g));
  lane->hidden = webnn_onnx_write__make2(
      m, "Mul", o, webnn_onnx_write__make1(m, webnn_onnx_write__activation(m, 2), lane->cell));
}

/* One of the first dimension's. */
static uint32_t webnn_onnx_write__pick(webnn_onnx_write__model *m, uint32_t id, uint32_t index) {
  if (id == WEBNN_ONNX_WRITE__NONE) {
    return id;
  }
  webnn_onnx_write__int(m, "axis", 0);
  return webnn_onnx_write__make2(m, "Gather", id, webnn_onnx_write__scalar(m, WEBNN_INT64, index));
}

static void webnn_onnx_write__begin_lane(webnn_onnx_write__model *m,
                                         const webnn_onnx_write__network *n, uint32_t direction,
                                         webnn_onnx_write__lane *lane) {
  const webnn_list state = WEBNN_LIST(n->batch, n->size);
  const webnn_data_type type = webnn_onnx_write__input(m)->data_type;
  uint32_t bias = webnn_onnx_write__pick(m, n->bias, direction);
  const uint32_t more = webnn_onnx_write__pick(m, n->recurrent_bias, direction);
  if (bias != WEBNN_ONNX_WRITE__NONE && more != WEBNN_ONNX_WRITE__NONE) {
    bias = webnn_onnx_write__make2(m, "Add", bias, more);
  }
  lane->bias = bias != WEBNN_ONNX_WRITE__NONE ? bias : more;
  lane->weight = webnn_onnx_write__pick(m, n->weight, direction);
  lane->recurrent = webnn_onnx_write__pick(m, n->recurrent, direction);
  lane->hidden = n->hidden != WEBNN_ONNX_WRITE__NONE
                     ? webnn_onnx_write__pick(m, n->hidden, direction)
                     : webnn_onnx_write__filled(m, type, 0, &state);
  lane->cell = n->cell != WEBNN_ONNX_WRITE__NONE ? webnn_onnx_write__pick(m, n->cell, direction)
                                                 : webnn_onnx_write__filled(m, type, 0, &state);
  webnn_onnx_write__parts(m, webnn_onnx_write__pick(m, n->peephole, direction), 0, n->size, 3,
                          lane->peephole);
}

/* Joins states, which get leading dimensions of 1, along one of these. */
static uint32_t webnn_onnx_write__join(webnn_onnx_write__model *m,
                                       const webnn_onnx_write__network *n, const uint32_t *ids,
                                       uint32_t count) {
  const webnn_list shape = WEBNN_LIST(1, n->batch, n->size);
  uint32_t parts[2], i;
  for (i = 0; i < count; i++) {
    parts[i] = webnn_onnx_write__reshape(m, ids[i], &shape);
  }
  webnn_onnx_write__int(m, "axis", 0);
  return webnn_onnx_write__make(m, "Concat", parts, count);
}

/* All steps of a direction; its states go to every second, or every, place of `sequence`. */
static void webnn_onnx_write__run_lane(webnn_onnx_write__model *m,
                                       const webnn_onnx_write__network *n, uint32_t direction,
                                       webnn_onnx_write__lane *lane, uint32_t *sequence) {
  const bool backward = direction == 1 || webnn_onnx_write__is(m, "direction", "backward");
  uint32_t t;
  webnn_onnx_write__begin_lane(m, n, direction, lane);
  for (t = 0; t < n->steps && m->error.status == WEBNN_OK; t++) {
    const uint32_t step = backward ? n->steps - 1 - t : t;
    webnn_onnx_write__lane_step(m, n, lane, webnn_onnx_write__pick(m, n->x, step));
    sequence[(size_t)step * n->directions + direction] = lane->hidden;
  }
}

/* ONNX's output gate sees the new state, WebNN's the old one. */
static void webnn_onnx_write__lstm_by_steps(webnn_onnx_write__model *m,
                                            const webnn_onnx_write__network *n) {
  const size_t places = (size_t)n->steps * n->directions;
  const webnn_list whole = WEBNN_LIST(1, n->directions, n->batch, n->size);
  uint32_t *sequence = (uint32_t *)calloc(places + 1, sizeof *sequence), d, hidden[2], cell[2];
  size_t t;
  if (sequence == NULL) {
    webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
    return;
  }
  for (d = 0; d < n->directions; d++) {
    webnn_onnx_write__lane lane;
    webnn_onnx_write__run_lane(m, n, d, &lane, sequence);
    hidden[d] = lane.hidden;
    cell[d] = lane.cell;
  }
  hidden[0] = webnn_onnx_write__join(m, n, hidden, n->directions);
  cell[0] = webnn_onnx_write__join(m, n, cell, n->directions);
  for (d = 0; d < 2; d++) {
    const webnn_list *shape = &webnn_onnx_write__about(m, m->o->results[d])->shape;
    const uint32_t in[2] = {d == 0 ? hidden[0] : cell[0], webnn_onnx_write__sizes(m, shape)};
    webnn_onnx_write__node(m, "Reshape", in, 2, &m->o->results[d], 1);
  }
  if (!n->is_cell && m->o->result_count > 2) {
    for (t = 0; t < n->steps; t++) { /* the place of a step is not read after it */
      sequence[t] = webnn_onnx_write__reshape(
          m, webnn_onnx_write__join(m, n, sequence + t * n->directions, n->directions), &whole);
    }
    webnn_onnx_write__int(m, "axis", 0);
    webnn_onnx_write__node(m, "Concat", sequence, n->steps, &m->o->results[2], 1);
  }
  free(sequence);
}

static void webnn_onnx_write__lstm(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__network n;
  uint32_t in[7];
  webnn_onnx_write__read_network(m, &n);
  if (n.peephole != WEBNN_ONNX_WRITE__NONE) {
    webnn_onnx_write__lstm_by_steps(m, &n);
    return;
  }
  in[0] = n.x;
  in[1] = n.weight;
  in[2] = n.recurrent;
  in[3] = webnn_onnx_write__biases(m, &n);
  in[4] = WEBNN_ONNX_WRITE__NONE;
  in[5] = n.hidden;
  in[6] = n.cell;
  webnn_onnx_write__put_network(m, &n);
  webnn_onnx_write__network_node(m, type, &n, in, 7);
}

/* ---- 12 sizes: operators of the draft of dynamic shapes -------------------------------------- */

/* Operand number `index` as int64, which sizes are in ONNX. */
static uint32_t webnn_onnx_write__wide(webnn_onnx_write__model *m, size_t index) {
  const uint32_t id = webnn_onnx_write__in(m, index);
  return webnn_onnx_write__about(m, id)->data_type == WEBNN_INT64
             ? id
             : webnn_onnx_write__cast(m, id, WEBNN_ONNX_WRITE__INT64);
}

static void webnn_onnx_write__shape(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__give_cast(m, webnn_onnx_write__make1(m, type, webnn_onnx_write__in(m, 0)));
}

static void webnn_onnx_write__range(webnn_onnx_write__model *m, const char *type) {
  uint32_t in[3] = {0};
  size_t i;
  for (i = 0; i < 3; i++) {
    in[i] = webnn_onnx_write__wide(m, i);
  }
  if (webnn_onnx_write__result(m)->data_type == WEBNN_INT64) {
    webnn_onnx_write__give(m, type, in, 3);
  } else {
    webnn_onnx_write__give_cast(m, webnn_onnx_write__make(m, type, in, 3));
  }
}

/* The rest has the sign of the divisor. */
static void webnn_onnx_write__modulus_floor(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__int(m, "fmod", 0);
  webnn_onnx_write__plain(m, type);
}

/* That of the dividend. */
static void webnn_onnx_write__modulus_truncate(webnn_onnx_write__model *m, const char *type) {
  webnn_onnx_write__int(m, "fmod", 1);
  webnn_onnx_write__plain(m, type);
}

/* Reshape, Expand, Tile: the sizes are a tensor, as here. */
static void webnn_onnx_write__by_sizes(webnn_onnx_write__model *m, const char *type) {
  const uint32_t sizes = webnn_onnx_write__wide(m, 1);
  webnn_onnx_write__give2(m, type, webnn_onnx_write__in(m, 0), sizes);
}

/* Slice ends before starts + sizes. */
static void webnn_onnx_write__slice_by_sizes(webnn_onnx_write__model *m, const char *type) {
  const webnn_list *strides = webnn_onnx_write__list(m, "strides");
  uint32_t in[5] = {0};
  in[0] = webnn_onnx_write__in(m, 0);
  in[1] = webnn_onnx_write__wide(m, 1);
  in[2] = webnn_onnx_write__make2(m, "Add", in[1], webnn_onnx_write__wide(m, 2));
  in[3] = WEBNN_ONNX_WRITE__NONE;
  in[4] = strides->given ? webnn_onnx_write__sizes(m, strides) : WEBNN_ONNX_WRITE__NONE;
  webnn_onnx_write__give(m, type, in, 5);
}

static void webnn_onnx_write__pad_by_sizes(webnn_onnx_write__model *m, const char *type) {
  const char *mode = webnn_onnx_write__text(m, "mode");
  const bool constant = !*mode || strcmp(mode, "constant") == 0;
  uint32_t in[3] = {0}, sides[2] = {0};
  if (strcmp(mode, "symmetric") == 0) {
    webnn_onnx_write__refuse(m, "ONNX has no symmetric padding by sizes that are not known");
    return;
  }
  sides[0] = webnn_onnx_write__wide(m, 1);
  sides[1] = webnn_onnx_write__wide(m, 2);
  in[0] = webnn_onnx_write__in(m, 0);
  webnn_onnx_write__int(m, "axis", 0);
  in[1] = webnn_onnx_write__make(m, "Concat", sides, 2);
  in[2] = constant ? webnn_onnx_write__number(m, webnn_onnx_write__input(m)->data_type, "value")
                   : WEBNN_ONNX_WRITE__NONE;
  webnn_onnx_write__string(m, "mode",
                           constant                          ? "constant"
                           : strcmp(mode, "reflection") == 0 ? "reflect"
                                                             : mode);
  webnn_onnx_write__give(m, type, in, 3);
}

static void webnn_onnx_write__split_by_sizes(webnn_onnx_write__model *m, const char *type) {
  uint32_t in[2] = {0};
  in[0] = webnn_onnx_write__in(m, 0);
  in[1] = webnn_onnx_write__wide(m, 1);
  webnn_onnx_write__int(m, "axis", webnn_onnx_write__integer(m, "axis"));
  webnn_onnx_write__node(m, type, in, 2, m->o->results, m->o->result_count);
}

/* Resize needs all four sizes: the first two are those of the image, whose sides are brought to the
   end. */
static void webnn_onnx_write__resample_by_sizes(webnn_onnx_write__model *m, const char *type) {
  static const uint32_t last[2] = {2, 3};
  static const int64_t swapped[2] = {1, 0};
  const webnn_list *given = webnn_onnx_write__list(m, "axes");
  const webnn_list axes = given->given ? *given : webnn_list_of(last, 2);
  webnn_onnx_write__resizing r;
  uint32_t sizes[2] = {0};
  webnn_onnx_write__begin_resize(m, &axes, &r);
  sizes[1] = webnn_onnx_write__wide(m, 1);
  if (axes.items[0] > axes.items[1]) {
    sizes[1] =
        webnn_onnx_write__make2(m, "Gather", sizes[1], webnn_onnx_write__integers(m, swapped, 2));
  }
  webnn_onnx_write__int(m, "start", 0);
  webnn_onnx_write__int(m, "end", 2);
  sizes[0] = webnn_onnx_write__make1(m, "Shape", r.image);
  webnn_onnx_write__int(m, "axis", 0);
  webnn_onnx_write__end_resize(m, type, &r, webnn_onnx_write__make(m, "Concat", sizes, 2));
}

/* ---- 13 table -------------------------------------------------------------------------------- */

#define WEBNN_ONNX_WRITE__ROW(op, write, needs, type, form)                                        \
  { WEBNN_OP_##op, webnn_onnx_write__##write, WEBNN_ONNX_WRITE__##needs, type, form }
#define WEBNN_ONNX_WRITE__DRAFT(op, write, type, form)                                             \
  { WEBNN_DRAFT_##op, webnn_onnx_write__##write, WEBNN_ONNX_WRITE__NO_SIZE, type, form }
static const webnn_onnx_write__row webnn_onnx_write__table[] = {
    WEBNN_ONNX_WRITE__ROW(ABS, plain, NO_SIZE, "Abs", "Abs"),
    WEBNN_ONNX_WRITE__ROW(ADD, arithmetic, NO_SIZE, "Add", "Add"),
    WEBNN_ONNX_WRITE__ROW(ARG_MAX, arg, NO_SIZE, "ArgMax", "ArgMax, Cast"),
    WEBNN_ONNX_WRITE__ROW(ARG_MIN, arg, NO_SIZE, "ArgMin", "ArgMin, Cast"),
    WEBNN_ONNX_WRITE__ROW(
        AVERAGE_POOL2D, pool2d, SIDES, "AveragePool",
        "AveragePool; with padding as large as the window Expand, Concat, AveragePool, Mul"),
    WEBNN_ONNX_WRITE__ROW(BATCH_NORMALIZATION, batch_normalization, NO_SIZE, "BatchNormalization",
                          "BatchNormalization"),
    WEBNN_ONNX_WRITE__ROW(CAST, to_type, NO_SIZE, "Cast", "Cast"),
    WEBNN_ONNX_WRITE__ROW(CEIL, plain, NO_SIZE, "Ceil", "Ceil"),
    WEBNN_ONNX_WRITE__ROW(CLAMP, clamp, NO_SIZE, "Clip", "Clip"),
    WEBNN_ONNX_WRITE__ROW(CONCAT, with_axis, NO_SIZE, "Concat", "Concat"),
    WEBNN_ONNX_WRITE__ROW(CONV2D, conv2d, NO_SIZE, "Conv", "Conv"),
    WEBNN_ONNX_WRITE__ROW(CONV_TRANSPOSE2D, conv_transpose2d, SIDES, "ConvTranspose",
                          "ConvTranspose"),
    WEBNN_ONNX_WRITE__ROW(COS, plain, NO_SIZE, "Cos", "Cos"),
    WEBNN_ONNX_WRITE__ROW(CUMULATIVE_SUM, cumulative_sum, NO_SIZE, "CumSum", "CumSum"),
    WEBNN_ONNX_WRITE__ROW(DEQUANTIZE_LINEAR, dequantize_linear, SIZES, "DequantizeLinear",
                          "DequantizeLinear; of 32 bits Cast, Sub, Cast, Mul"),
    WEBNN_ONNX_WRITE__ROW(DIV, arithmetic, NO_SIZE, "Div", "Div"),
    WEBNN_ONNX_WRITE__ROW(ELU, with_alpha, NO_SIZE, "Elu", "Elu"),
    WEBNN_ONNX_WRITE__ROW(EQUAL, compare, NO_SIZE, "Equal", "Equal, Cast"),
    WEBNN_ONNX_WRITE__ROW(ERF, plain, NO_SIZE, "Erf", "Erf"),
    WEBNN_ONNX_WRITE__ROW(EXP, plain, NO_SIZE, "Exp", "Exp"),
    WEBNN_ONNX_WRITE__ROW(EXPAND, expand, NO_SIZE, "Expand", "Expand"),
    WEBNN_ONNX_WRITE__ROW(FLOOR, plain, NO_SIZE, "Floor", "Floor"),
    WEBNN_ONNX_WRITE__ROW(GATHER, gather, NO_SIZE, "Gather", "Gather"),
    WEBNN_ONNX_WRITE__ROW(GATHER_ELEMENTS, gather, NO_SIZE, "GatherElements", "GatherElements"),
    WEBNN_ONNX_WRITE__ROW(GATHER_ND, gather_nd, NO_SIZE, "GatherND", "GatherND"),
    WEBNN_ONNX_WRITE__ROW(GELU, plain, NO_SIZE, "Gelu", "Gelu"),
    WEBNN_ONNX_WRITE__ROW(GEMM, gemm, NO_SIZE, "Gemm", "Gemm"),
    WEBNN_ONNX_WRITE__ROW(GREATER, compare, NO_SIZE, "Greater", "Greater, Cast"),
    WEBNN_ONNX_WRITE__ROW(GREATER_OR_EQUAL, compare, NO_SIZE, "GreaterOrEqual",
                          "GreaterOrEqual, Cast"),
    WEBNN_ONNX_WRITE__ROW(GRU, gru, SIZES, "GRU", "GRU"),
    WEBNN_ONNX_WRITE__ROW(GRU_CELL, gru, SIZES, "GRU", "Reshape, GRU, Reshape"),
    WEBNN_ONNX_WRITE__ROW(HARD_SIGMOID, hard_sigmoid, NO_SIZE, "HardSigmoid", "HardSigmoid"),
    WEBNN_ONNX_WRITE__ROW(HARD_SWISH, plain, NO_SIZE, "HardSwish", "HardSwish"),
    WEBNN_ONNX_WRITE__ROW(IDENTITY, plain, NO_SIZE, "Identity", "Identity"),
    WEBNN_ONNX_WRITE__ROW(INSTANCE_NORMALIZATION, instance_normalization, NO_SIZE,
                          "InstanceNormalization", "InstanceNormalization"),
    WEBNN_ONNX_WRITE__ROW(IS_INFINITE, compare, NO_SIZE, "IsInf", "IsInf, Cast"),
    WEBNN_ONNX_WRITE__ROW(IS_NAN, compare, NO_SIZE, "IsNaN", "IsNaN, Cast"),
    WEBNN_ONNX_WRITE__ROW(L2_POOL2D, pool2d, SIDES, "LpPool",
                          "LpPool; with padding as large as the window Expand, Concat, LpPool"),
    WEBNN_ONNX_WRITE__ROW(LAYER_NORMALIZATION, layer_normalization, NO_SIZE, "LayerNormalization",
                          "LayerNormalization"),
    WEBNN_ONNX_WRITE__ROW(LEAKY_RELU, with_alpha, NO_SIZE, "LeakyRelu", "LeakyRelu"),
    WEBNN_ONNX_WRITE__ROW(LESSER, compare, NO_SIZE, "Less", "Less, Cast"),
    WEBNN_ONNX_WRITE__ROW(LESSER_OR_EQUAL, compare, NO_SIZE, "LessOrEqual", "LessOrEqual, Cast"),
    WEBNN_ONNX_WRITE__ROW(LINEAR, linear, NO_SIZE, "Add", "Mul, Add"),
    WEBNN_ONNX_WRITE__ROW(LOG, plain, NO_SIZE, "Log", "Log"),
    WEBNN_ONNX_WRITE__ROW(LOGICAL_AND, logical, NO_SIZE, "And", "Cast, And, Cast"),
    WEBNN_ONNX_WRITE__ROW(LOGICAL_NOT, logical, NO_SIZE, "Not", "Cast, Not, Cast"),
    WEBNN_ONNX_WRITE__ROW(LOGICAL_OR, logical, NO_SIZE, "Or", "Cast, Or, Cast"),
    WEBNN_ONNX_WRITE__ROW(LOGICAL_XOR, logical, NO_SIZE, "Xor", "Cast, Xor, Cast"),
    WEBNN_ONNX_WRITE__ROW(LSTM, lstm, SIZES, "LSTM", "LSTM; with peepholes the nodes of its steps"),
    WEBNN_ONNX_WRITE__ROW(LSTM_CELL, lstm, SIZES, "LSTM",
                          "Reshape, LSTM, Reshape; with peepholes the nodes of its step"),
    WEBNN_ONNX_WRITE__ROW(MATMUL, plain, NO_SIZE, "MatMul", "MatMul"),
    WEBNN_ONNX_WRITE__ROW(MAX, plain, NO_SIZE, "Max", "Max"),
    WEBNN_ONNX_WRITE__ROW(MAX_POOL2D, pool2d, SIDES, "MaxPool",
                          "MaxPool; with padding as large as the window Expand, Concat, MaxPool"),
    WEBNN_ONNX_WRITE__ROW(MIN, plain, NO_SIZE, "Min", "Min"),
    WEBNN_ONNX_WRITE__ROW(MUL, arithmetic, NO_SIZE, "Mul", "Mul"),
    WEBNN_ONNX_WRITE__ROW(NEG, plain, NO_SIZE, "Neg", "Neg"),
    WEBNN_ONNX_WRITE__ROW(NOT_EQUAL, not_equal, NO_SIZE, "Not", "Equal, Not, Cast"),
    WEBNN_ONNX_WRITE__ROW(PAD, pad, NO_SIZE, "Pad", "Pad; symmetric Gather"),
    WEBNN_ONNX_WRITE__ROW(POW, pow, NO_SIZE, "Pow", "Pow"),
    WEBNN_ONNX_WRITE__ROW(PRELU, prelu, SIZES, "PRelu", "PRelu; of int8 Min, Mul, Max, Add"),
    WEBNN_ONNX_WRITE__ROW(QUANTIZE_LINEAR, quantize_linear, SIZES, "QuantizeLinear",
                          "QuantizeLinear; of 32 bits Div, Round, Clip, Cast, Add, Less, Where, "
                          "Greater, Where, Cast"),
    WEBNN_ONNX_WRITE__ROW(RECIPROCAL, plain, NO_SIZE, "Reciprocal", "Reciprocal"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_L1, reduce, NO_SIZE, "ReduceL1", "ReduceL1"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_L2, reduce, NO_SIZE, "ReduceL2", "ReduceL2"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_LOG_SUM, reduce, NO_SIZE, "ReduceLogSum", "ReduceLogSum"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_LOG_SUM_EXP, reduce, NO_SIZE, "ReduceLogSumExp",
                          "ReduceLogSumExp"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_MAX, reduce, NO_SIZE, "ReduceMax", "ReduceMax"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_MEAN, reduce, NO_SIZE, "ReduceMean", "ReduceMean"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_MIN, reduce, NO_SIZE, "ReduceMin", "ReduceMin"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_PRODUCT, reduce, NO_SIZE, "ReduceProd", "ReduceProd"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_SUM, reduce, NO_SIZE, "ReduceSum", "ReduceSum"),
    WEBNN_ONNX_WRITE__ROW(REDUCE_SUM_SQUARE, reduce, NO_SIZE, "ReduceSumSquare", "ReduceSumSquare"),
    WEBNN_ONNX_WRITE__ROW(RELU, plain, NO_SIZE, "Relu", "Relu"),
    WEBNN_ONNX_WRITE__ROW(RESAMPLE2D, resample2d, SIZES, "Resize",
                          "Resize; of integers, if linear, Cast, Resize, Round, Cast"),
    WEBNN_ONNX_WRITE__ROW(RESHAPE, to_shape, NO_SIZE, "Reshape", "Reshape"),
    WEBNN_ONNX_WRITE__ROW(REVERSE, reverse, NO_SIZE, "Slice", "Slice"),
    WEBNN_ONNX_WRITE__ROW(ROUND_EVEN, plain, NO_SIZE, "Round", "Round"),
    WEBNN_ONNX_WRITE__ROW(SCATTER_ELEMENTS, gather, NO_SIZE, "ScatterElements", "ScatterElements"),
    WEBNN_ONNX_WRITE__ROW(SCATTER_ND, gather_nd, NO_SIZE, "ScatterND", "ScatterND"),
    WEBNN_ONNX_WRITE__ROW(SIGMOID, plain, NO_SIZE, "Sigmoid", "Sigmoid"),
    WEBNN_ONNX_WRITE__ROW(SIGN, plain, NO_SIZE, "Sign", "Sign"),
    WEBNN_ONNX_WRITE__ROW(SIN, plain, NO_SIZE, "Sin", "Sin"),
    WEBNN_ONNX_WRITE__ROW(SLICE, slice, NO_SIZE, "Slice", "Slice"),
    WEBNN_ONNX_WRITE__ROW(SOFTMAX, with_axis, NO_SIZE, "Softmax", "Softmax"),
    WEBNN_ONNX_WRITE__ROW(SOFTPLUS, plain, NO_SIZE, "Softplus", "Softplus"),
    WEBNN_ONNX_WRITE__ROW(SOFTSIGN, plain, NO_SIZE, "Softsign", "Softsign"),
    WEBNN_ONNX_WRITE__ROW(SPLIT, split, NO_SIZE, "Split", "Split"),
    WEBNN_ONNX_WRITE__ROW(SQRT, plain, NO_SIZE, "Sqrt", "Sqrt"),
    WEBNN_ONNX_WRITE__ROW(SUB, arithmetic, NO_SIZE, "Sub", "Sub"),
    WEBNN_ONNX_WRITE__ROW(TAN, plain, NO_SIZE, "Tan", "Tan"),
    WEBNN_ONNX_WRITE__ROW(TANH, plain, NO_SIZE, "Tanh", "Tanh"),
    WEBNN_ONNX_WRITE__ROW(TILE, tile, NO_SIZE, "Tile", "Tile"),
    WEBNN_ONNX_WRITE__ROW(TRANSPOSE, transpose, NO_SIZE, "Transpose", "Transpose"),
    WEBNN_ONNX_WRITE__ROW(TRIANGULAR, triangular, NO_SIZE, "Trilu", "Trilu"),
    WEBNN_ONNX_WRITE__ROW(WHERE, where, NO_SIZE, "Where", "Cast, Where"),
    {WEBNN_DRAFT_SQUEEZE, webnn_onnx_write__squeeze, WEBNN_ONNX_WRITE__NO_SIZE, "Squeeze",
     "Squeeze"},
    {WEBNN_DRAFT_UNSQUEEZE, webnn_onnx_write__squeeze, WEBNN_ONNX_WRITE__NO_SIZE, "Unsqueeze",
     "Unsqueeze"},
    {WEBNN_DRAFT_RESHAPE_TO_2D, webnn_onnx_write__with_axis, WEBNN_ONNX_WRITE__NO_SIZE, "Flatten",
     "Flatten"},
    WEBNN_ONNX_WRITE__DRAFT(SHAPE, shape, "Shape", "Shape, Cast"),
    WEBNN_ONNX_WRITE__DRAFT(RANGE, range, "Range", "Cast, Range, Cast"),
    WEBNN_ONNX_WRITE__DRAFT(MODULUS_FLOOR, modulus_floor, "Mod", "Mod"),
    WEBNN_ONNX_WRITE__DRAFT(MODULUS_TRUNCATE, modulus_truncate, "Mod", "Mod"),
    WEBNN_ONNX_WRITE__DRAFT(RESHAPE, by_sizes, "Reshape", "Cast, Reshape"),
    WEBNN_ONNX_WRITE__DRAFT(EXPAND, by_sizes, "Expand", "Cast, Expand"),
    WEBNN_ONNX_WRITE__DRAFT(TILE, by_sizes, "Tile", "Cast, Tile"),
    WEBNN_ONNX_WRITE__DRAFT(SLICE, slice_by_sizes, "Slice", "Cast, Add, Slice"),
    WEBNN_ONNX_WRITE__DRAFT(PAD, pad_by_sizes, "Pad", "Cast, Concat, Pad"),
    WEBNN_ONNX_WRITE__DRAFT(SPLIT, split_by_sizes, "Split", "Cast, Split"),
    WEBNN_ONNX_WRITE__DRAFT(RESAMPLE2D, resample_by_sizes, "Resize", "Cast, Shape, Concat, Resize"),
};
#undef WEBNN_ONNX_WRITE__DRAFT
#undef WEBNN_ONNX_WRITE__ROW

static const webnn_onnx_write__row *webnn_onnx_write__row_of(uint32_t op) {
  size_t i;
  for (i = 0; i < sizeof webnn_onnx_write__table / sizeof *webnn_onnx_write__table; i++) {
    if (webnn_onnx_write__table[i].op == op) {
      return &webnn_onnx_write__table[i];
    }
  }
  return NULL;
}

WEBNN_ONNX_WRITE_API const char *webnn_onnx_write_form(webnn_op op) {
  const webnn_onnx_write__row *row = webnn_onnx_write__row_of(op);
  return row != NULL ? row->form : NULL;
}

/* ---- Operators of dynamic sizes. */

/* A size that the nodes of the operator need; 0 if none is dynamic. */
static uint32_t webnn_onnx_write__needed_size(const webnn_onnx_write__model *m,
                                              const webnn_onnx_write__row *row) {
  const bool sides = row->needs == WEBNN_ONNX_WRITE__SIDES;
  const char *layout = row->write == webnn_onnx_write__pool2d ? "layout" : "inputLayout";
  const bool last = strcmp(webnn_onnx_write__text(m, layout), "nhwc") == 0;
  const size_t count = m->o->operand_count + m->o->result_count;
  size_t i;
  uint32_t d;
  for (i = 0; i < count; i++) {
    const uint32_t id =
        i < m->o->operand_count ? m->o->operands[i] : m->o->results[i - m->o->operand_count];
    const webnn_list *shape =
        id != WEBNN_ONNX_WRITE__NONE ? &webnn_onnx_write__about(m, id)->shape : NULL;
    for (d = 0; shape != NULL && d < shape->count; d++) {
      const bool side = last ? d == 1 || d == 2 : d > 1;
      if (webnn_onnx_write__is_open(shape->items[d]) && (!sides || side)) {
        return shape->items[d];
      }
    }
    if (shape != NULL && !shape->given) {
      return WEBNN_DYNAMIC_DIMENSION;
    }
  }
  return 0;
}

/* Has every operand and result a rank that is known? */
static bool webnn_onnx_write__has_ranks(const webnn_onnx_write__model *m) {
  size_t i;
  for (i = 0; i < m->o->operand_count; i++) {
    if (m->o->operands[i] != WEBNN_ONNX_WRITE__NONE &&
        !webnn_onnx_write__about(m, m->o->operands[i])->shape.given) {
      return false;
    }
  }
  return webnn_onnx_write__result(m)->shape.given;
}

static bool webnn_onnx_write__can_be_open(webnn_onnx_write__model *m,
                                          const webnn_onnx_write__row *row) {
  const bool symmetric = row->write == webnn_onnx_write__pad &&
                         webnn_onnx_write__is(m, "mode", "symmetric"); /* gathers each size */
  const uint32_t size =
      row->needs == WEBNN_ONNX_WRITE__NO_SIZE && webnn_onnx_write__has_ranks(m) && !symmetric
          ? 0
          : webnn_onnx_write__needed_size(m, row);
  if (size != 0) {
    webnn_onnx_write__refuse_open(m, size);
  }
  return size == 0;
}

/* Of an operator of dynamic sizes a list that was not given is absent: its default. */
static void webnn_onnx_write__default_list(webnn_onnx_write__model *m, const char *name,
                                           const uint32_t *items, uint32_t count) {
  size_t i;
  for (i = 0; i < m->option_count && strcmp(m->options[i].name, name) != 0; i++) {
  }
  if (i == WEBNN_ONNX_WRITE__MAX_OPTIONS || (i < m->option_count && m->options[i].list.given)) {
    return;
  }
  memset(&m->options[i], 0, sizeof m->options[i]);
  m->options[i].name = name;
  m->options[i].list = webnn_list_of(items, count);
  m->option_count += i == m->option_count ? 1 : 0;
}

static void webnn_onnx_write__default_windows(webnn_onnx_write__model *m, const char *layout) {
  static const uint32_t ones[2] = {1, 1}, zeros[4] = {0, 0, 0, 0};
  const uint32_t first = webnn_onnx_write__is(m, layout, "nhwc") ? 1 : 2;
  webnn_onnx_write__default_list(m, "strides", ones, 2);
  webnn_onnx_write__default_list(m, "dilations", ones, 2);
  webnn_onnx_write__default_list(m, "padding", zeros, 4);
  webnn_onnx_write__default_list(m, "windowDimensions",
                                 webnn_onnx_write__input(m)->shape.items + first, 2);
  webnn_onnx_write__default_list(m, "outputSizes", webnn_onnx_write__result(m)->shape.items + first,
                                 2);
}

static void webnn_onnx_write__default_lists(webnn_onnx_write__model *m,
                                            const webnn_onnx_write__row *row) {
  const uint32_t rank = webnn_onnx_write__input(m)->shape.count;
  uint32_t up[WEBNN_MAX_RANK] = {0}, down[WEBNN_MAX_RANK] = {0}, i;
  for (i = 0; i < rank; i++) {
    up[i] = i;
    down[i] = rank - 1 - i;
  }
  if (row->write == webnn_onnx_write__reduce || row->write == webnn_onnx_write__reverse) {
    webnn_onnx_write__default_list(m, "axes", up, rank);
  } else if (row->write == webnn_onnx_write__layer_normalization) {
    webnn_onnx_write__default_list(m, "axes", up + 1, rank > 0 ? rank - 1 : 0);
  } else if (row->write == webnn_onnx_write__transpose) {
    webnn_onnx_write__default_list(m, "permutation", down, rank);
  } else if (row->write == webnn_onnx_write__pool2d) {
    webnn_onnx_write__default_windows(m, "layout");
  } else if (row->write == webnn_onnx_write__conv2d ||
             row->write == webnn_onnx_write__conv_transpose2d) {
    webnn_onnx_write__default_windows(m, "inputLayout");
  }
}

/* Has any value of the operator sizes that are not known? */
static bool webnn_onnx_write__is_dynamic(const webnn_onnx_write__model *m) {
  size_t i;
  for (i = 0; i < m->o->operand_count; i++) {
    if (m->o->operands[i] != WEBNN_ONNX_WRITE__NONE &&
        webnn_onnx_write__has_open(&webnn_onnx_write__about(m, m->o->operands[i])->shape)) {
      return true;
    }
  }
  return webnn_onnx_write__has_open(&webnn_onnx_write__result(m)->shape);
}

static void webnn_onnx_write__operator(webnn_onnx_write__model *m, uint32_t index) {
  const webnn_onnx_write__row *row;
  m->o = &m->operators[index];
  m->operator_index = index;
  m->option_count = webnn_graph_options(m->graph, index, m->options, WEBNN_ONNX_WRITE__MAX_OPTIONS);
  row = webnn_onnx_write__row_of(m->o->op);
  if (row == NULL) {
    webnn_onnx_write__refuse(m, "it is not known");
  } else if (!webnn_onnx_write__is_dynamic(m)) {
    row->write(m, row->type);
  } else if (webnn_onnx_write__can_be_open(m, row)) {
    webnn_onnx_write__default_lists(m, row);
    row->write(m, row->type);
  }
  m->o = NULL;
}

/* ---- 14 interface ---------------------------------------------------------------------------- */

static bool webnn_onnx_write__read_graph(webnn_onnx_write__model *m) {
  const size_t values = webnn_graph_values(m->graph, NULL, 0);
  size_t i;
  m->value_count = values;
  m->operator_count = webnn_graph_operators(m->graph, NULL, 0);
  m->input_count = webnn_graph_inputs(m->graph, NULL, 0);
  m->output_count = webnn_graph_outputs(m->graph, NULL, 0);
  m->values = (webnn_graph_value *)calloc(values + 1, sizeof *m->values);
  m->operators = (webnn_graph_operator *)calloc(m->operator_count + 1, sizeof *m->operators);
  m->inputs = (webnn_graph_port *)calloc(m->input_count + 1, sizeof *m->inputs);
  m->outputs = (webnn_graph_port *)calloc(m->output_count + 1, sizeof *m->outputs);
  m->offsets = (uint64_t *)calloc(values + 1, sizeof *m->offsets);
  m->used = (bool *)calloc(values + 1, sizeof *m->used);
  m->bools = (uint32_t *)calloc(values + 1, sizeof *m->bools);
  if (m->values == NULL || m->operators == NULL || m->inputs == NULL || m->outputs == NULL ||
      m->offsets == NULL || m->used == NULL || m->bools == NULL) {
    webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
    return false;
  }
  (void)webnn_graph_values(m->graph, m->values, values);
  (void)webnn_graph_operators(m->graph, m->operators, m->operator_count);
  (void)webnn_graph_inputs(m->graph, m->inputs, m->input_count);
  (void)webnn_graph_outputs(m->graph, m->outputs, m->output_count);
  for (i = 0; i < values; i++) {
    m->bools[i] = WEBNN_ONNX_WRITE__NONE;
  }
  m->next = (uint32_t)values;
  m->opset = 20;
  if (m->output_count == 0) {
    webnn_onnx_write__fail(m, WEBNN_TYPE_ERROR, "the graph is missing or destroyed");
  }
  return m->error.status == WEBNN_OK;
}

/* The caller's ports in place of the graph's. */
static void webnn_onnx_write__take_ports(webnn_onnx_write__model *m, const char *what,
                                         const webnn_graph_port *given, size_t given_count,
                                         webnn_graph_port **ports, size_t *count) {
  webnn_graph_port *copy =
      given_count < SIZE_MAX ? (webnn_graph_port *)calloc(given_count + 1, sizeof *copy) : NULL;
  size_t i;
  if (copy == NULL) {
    webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
    return;
  }
  free(*ports);
  *ports = copy;
  *count = given_count;
  for (i = 0; i < given_count; i++) {
    if (given[i].name == NULL || !*given[i].name || given[i].value >= m->value_count) {
      webnn_onnx_write__fail(m, WEBNN_TYPE_ERROR, "%s %lu has no name, or no value of the graph",
                             what, (unsigned long)i);
      return;
    }
    copy[i].name = given[i].name;
    copy[i].value = given[i].value;
    copy[i].descriptor = m->values[given[i].value].descriptor;
  }
}

static void webnn_onnx_write__take_inputs(webnn_onnx_write__model *m) {
  const size_t own = m->input_count;
  size_t i, j;
  webnn_onnx_write__take_ports(m, "input", m->given->inputs, m->given->input_count, &m->inputs,
                               &m->input_count);
  for (i = 0; i < m->input_count && m->error.status == WEBNN_OK; i++) {
    bool wrong = m->values[m->inputs[i].value].kind != WEBNN_VALUE_INPUT;
    for (j = 0; j < i; j++) {
      wrong = wrong || m->inputs[j].value == m->inputs[i].value;
    }
    if (wrong) {
      webnn_onnx_write__fail(m, WEBNN_TYPE_ERROR, "\"%.100s\" is no further input of the graph",
                             m->inputs[i].name);
    } else {
      m->values[m->inputs[i].value].name = m->inputs[i].name;
    }
  }
  if (m->input_count != own) {
    webnn_onnx_write__fail(m, WEBNN_TYPE_ERROR, "names for %lu inputs, and the graph has %lu",
                           (unsigned long)m->input_count, (unsigned long)own);
  }
}

/* A result has the name of the first output that it is. */
static void webnn_onnx_write__take_outputs(webnn_onnx_write__model *m) {
  size_t i;
  webnn_onnx_write__take_ports(m, "output", m->given->outputs, m->given->output_count, &m->outputs,
                               &m->output_count);
  if (m->error.status != WEBNN_OK) {
    return;
  }
  for (i = 0; i < m->value_count; i++) {
    if (m->values[i].kind == WEBNN_VALUE_RESULT) {
      m->values[i].name = "";
    }
  }
  for (i = m->output_count; i-- > 0;) {
    if (m->values[m->outputs[i].value].kind == WEBNN_VALUE_RESULT) {
      m->values[m->outputs[i].value].name = m->outputs[i].name;
    }
  }
}

static void webnn_onnx_write__free(webnn_onnx_write__model *m) {
  free(m->values);
  free(m->operators);
  free(m->inputs);
  free(m->outputs);
  free(m->offsets);
  free(m->used);
  free(m->bools);
  free(m->nodes.data);
  free(m->initializers.data);
  free(m->ports.data);
  free(m->node.data);
  free(m->attributes.data);
  free(m->attribute.data);
  free(m->tensor.data);
  free(m->node_names.texts.data);
  free(m->node_names.table);
  free(m->node_name.data);
}

/* A name that begins as made names do has to be shorter than their prefix. */
static void webnn_onnx_write__lengthen_prefix(webnn_onnx_write__model *m, const char *name) {
  size_t length = strlen(m->prefix);
  while (strncmp(name, m->prefix, length) == 0 && length + 1 < sizeof m->prefix) {
    m->prefix[length++] = '_';
    m->prefix[length] = 0;
  }
  if (strncmp(name, m->prefix, length) == 0) {
    webnn_onnx_write__fail(m, WEBNN_NOT_SUPPORTED_ERROR,
                           "the name \"%.100s...\" has too many underscores", name);
  }
}

/* In ONNX a name is one value, of an input or an output. */
static void webnn_onnx_write__check_names(webnn_onnx_write__model *m) {
  const size_t count = m->input_count + m->output_count;
  size_t i, j;
  (void)snprintf(m->prefix, sizeof m->prefix, "value_");
  for (i = 0; i < count; i++) {
    const char *name = i < m->input_count ? m->inputs[i].name : m->outputs[i - m->input_count].name;
    webnn_onnx_write__lengthen_prefix(m, name);
    for (j = 0; j < i; j++) {
      if (strcmp(j < m->input_count ? m->inputs[j].name : m->outputs[j - m->input_count].name,
                 name) == 0) {
        webnn_onnx_write__fail(
            m, WEBNN_NOT_SUPPORTED_ERROR,
            "two inputs or outputs have the name \"%.100s\", which in ONNX is one value", name);
      }
    }
  }
}

/* A value's name, type and shape, as a field of the graph. */
static void webnn_onnx_write__put_value(webnn_onnx_write__model *m, unsigned field,
                                        const char *name, const webnn_operand_descriptor *d) {
  webnn_onnx_write__bytes dimension = WEBNN_ZERO, shape = WEBNN_ZERO, tensor = WEBNN_ZERO,
                          type = WEBNN_ZERO;
  webnn_onnx_write__bytes value = WEBNN_ZERO;
  uint32_t i;
  for (i = 0; i < d->shape.count; i++) {
    const char *dynamic = webnn_graph_dimension_name(m->graph, d->shape.items[i]);
    if (dynamic == NULL) {
      webnn_onnx_write__put_int(&dimension, 1, d->shape.items[i]);
    } else if (*dynamic) {
      webnn_onnx_write__put_text(&dimension, 2, dynamic);
    }
    webnn_onnx_write__put_message(&shape, 1, &dimension);
  }
  webnn_onnx_write__put_int(&tensor, 1, webnn_onnx_write__type_of(d->data_type));
  if (d->shape.given) {
    webnn_onnx_write__put_message(&tensor, 2, &shape);
  }
  webnn_onnx_write__put_message(&type, 1, &tensor);
  webnn_onnx_write__put_text(&value, WEBNN_ONNX_WRITE__VALUE_NAME, name);
  webnn_onnx_write__put_message(&value, WEBNN_ONNX_WRITE__VALUE_TYPE, &type);
  webnn_onnx_write__put_message(&m->ports, field, &value);
  free(dimension.data);
  free(shape.data);
  free(tensor.data);
  free(type.data);
  free(value.data);
}

/* Inputs, outputs, and what lies between, so that programs that draw models know its shapes. */
static void webnn_onnx_write__put_values(webnn_onnx_write__model *m) {
  char room[120];
  size_t i;
  for (i = 0; i < m->input_count; i++) {
    webnn_onnx_write__put_value(m, WEBNN_ONNX_WRITE__GRAPH_INPUT, m->inputs[i].name,
                                &m->inputs[i].descriptor);
  }
  for (i = 0; i < m->output_count; i++) {
    webnn_onnx_write__put_value(m, WEBNN_ONNX_WRITE__GRAPH_OUTPUT, m->outputs[i].name,
                                &m->outputs[i].descriptor);
  }
  for (i = 0; i < m->value_count; i++) {
    const webnn_graph_value *v = &m->values[i];
    if (webnn_data_type_bits(v->descriptor.data_type) < 8) {
      m->opset = 21;
    }
    if (v->kind == WEBNN_VALUE_RESULT && !*v->name) {
      webnn_onnx_write__put_value(m, WEBNN_ONNX_WRITE__GRAPH_VALUE,
                                  webnn_onnx_write__name_of(m, (uint32_t)i, room), &v->descriptor);
    }
  }
}

/* A value that is an output under a further name, or that is a constant. */
static void webnn_onnx_write__put_further_names(webnn_onnx_write__model *m) {
  size_t i;
  for (i = 0; i < m->output_count; i++) {
    const uint32_t value = m->outputs[i].value;
    char room[120];
    webnn_onnx_write__bytes node = WEBNN_ZERO;
    if (strcmp(m->values[value].name, m->outputs[i].name) == 0) {
      continue;
    }
    m->used[value] = true;
    webnn_onnx_write__put_text(&node, WEBNN_ONNX_WRITE__NODE_INPUT,
                               webnn_onnx_write__name_of(m, value, room));
    webnn_onnx_write__put_text(&node, WEBNN_ONNX_WRITE__NODE_OUTPUT, m->outputs[i].name);
    webnn_onnx_write__put_text(&node, WEBNN_ONNX_WRITE__NODE_TYPE, "Identity");
    webnn_onnx_write__put_message(&m->nodes, WEBNN_ONNX_WRITE__GRAPH_NODE, &node);
    free(node.data);
  }
}

/* Is it a constant that the model needs? Some are there in another shape. */
static bool webnn_onnx_write__is_constant(const webnn_onnx_write__model *m, size_t index) {
  return m->values[index].kind == WEBNN_VALUE_CONSTANT && m->used[index];
}

static bool webnn_onnx_write__is_beside(const webnn_onnx_write__model *m,
                                        const webnn_graph_value *v) {
  const size_t few = m->given != NULL && m->given->inline_bytes > 0 ? m->given->inline_bytes : 1024;
  return m->given != NULL && m->given->write_weights != NULL && v->byte_length > few;
}

/* Gives each constant that is beside the model its place there. */
static void webnn_onnx_write__place_weights(webnn_onnx_write__model *m) {
  uint64_t end = 0;
  size_t i;
  for (i = 0; i < m->value_count; i++) {
    const webnn_graph_value *v = &m->values[i];
    if (webnn_onnx_write__is_constant(m, i) && webnn_onnx_write__is_beside(m, v)) {
      m->offsets[i] = (end + WEBNN_ONNX_WRITE__ALIGNMENT - 1) / WEBNN_ONNX_WRITE__ALIGNMENT *
                      WEBNN_ONNX_WRITE__ALIGNMENT;
      end = m->offsets[i] + v->byte_length;
    }
  }
}

static void webnn_onnx_write__put_external(webnn_onnx_write__model *m, const char *key,
                                           const char *text) {
  webnn_onnx_write__put_text(&m->attribute, 1, key);
  webnn_onnx_write__put_text(&m->attribute, 2, text);
  webnn_onnx_write__put_message(&m->tensor, WEBNN_ONNX_WRITE__TENSOR_EXTERNAL, &m->attribute);
}

/* m->tensor is a constant without the bytes that end it, if they are in the model. Returns how many
   these are. */
static uint64_t webnn_onnx_write__begin_constant(webnn_onnx_write__model *m, size_t index) {
  const webnn_graph_value *v = &m->values[index];
  char room[120], number[32];
  m->tensor.length = 0;
  m->attribute.length = 0;
  webnn_onnx_write__begin_tensor(m, webnn_onnx_write__type_of(v->descriptor.data_type),
                                 &v->descriptor.shape,
                                 webnn_onnx_write__name_of(m, (uint32_t)index, room));
  if (!webnn_onnx_write__is_beside(m, v)) {
    webnn_onnx_write__put_head(&m->tensor, WEBNN_ONNX_WRITE__TENSOR_BYTES, v->byte_length);
    return v->byte_length;
  }
  webnn_onnx_write__put_external(m, "location", m->given->weights_name);
  (void)snprintf(number, sizeof number, "%llu", (unsigned long long)m->offsets[index]);
  webnn_onnx_write__put_external(m, "offset", number);
  (void)snprintf(number, sizeof number, "%llu", (unsigned long long)v->byte_length);
  webnn_onnx_write__put_external(m, "length", number);
  webnn_onnx_write__put_int(&m->tensor, WEBNN_ONNX_WRITE__TENSOR_LOCATION, 1);
  return 0;
}

/* The bytes of all initializers that are constants of the graph. What writes them later needs no
   more memory than this. */
static uint64_t webnn_onnx_write__constants_length(webnn_onnx_write__model *m) {
  uint64_t total = 0;
  size_t i;
  for (i = 0; i < m->value_count; i++) {
    if (webnn_onnx_write__is_constant(m, i)) {
      const uint64_t data = webnn_onnx_write__begin_constant(m, i);
      m->attribute.length = 0; /* what stands before the tensor */
      webnn_onnx_write__put_head(&m->attribute, WEBNN_ONNX_WRITE__GRAPH_INITIALIZER,
                                 data + m->tensor.length);
      total += m->attribute.length + m->tensor.length + data;
    }
  }
  m->attribute.length = 0;
  return total;
}

static void webnn_onnx_write__write_bytes(const webnn_onnx_write__bytes *b, webnn_writer write,
                                          void *user) {
  if (b->length > 0) {
    write(user, (const char *)b->data, b->length);
  }
}

static void webnn_onnx_write__write_constants(webnn_onnx_write__model *m, webnn_writer write,
                                              void *user) {
  size_t i;
  for (i = 0; i < m->value_count; i++) {
    if (webnn_onnx_write__is_constant(m, i)) {
      const uint64_t data = webnn_onnx_write__begin_constant(m, i);
      m->attribute.length = 0; /* what stands before the tensor */
      webnn_onnx_write__put_head(&m->attribute, WEBNN_ONNX_WRITE__GRAPH_INITIALIZER,
                                 data + m->tensor.length);
      webnn_onnx_write__write_bytes(&m->attribute, write, user);
      webnn_onnx_write__write_bytes(&m->tensor, write, user);
      if (data > 0) {
        webnn_onnx_write__write_elements(&m->values[i], write, user);
      }
    }
  }
}

static void webnn_onnx_write__write_beside(const webnn_onnx_write__model *m) {
  static const char zeros[WEBNN_ONNX_WRITE__ALIGNMENT] = {0};
  uint64_t end = 0;
  size_t i;
  for (i = 0; i < m->value_count; i++) {
    const webnn_graph_value *v = &m->values[i];
    if (webnn_onnx_write__is_constant(m, i) && webnn_onnx_write__is_beside(m, v)) {
      if (m->offsets[i] > end) {
        m->given->write_weights(m->given->weights_user, zeros, (size_t)(m->offsets[i] - end));
      }
      webnn_onnx_write__write_elements(v, m->given->write_weights, m->given->weights_user);
      end = m->offsets[i] + v->byte_length;
    }
  }
}

/* Everything of the graph's message is known: the model as a whole. */
static void webnn_onnx_write__write_model(webnn_onnx_write__model *m, webnn_writer write,
                                          void *user) {
  const char *name = m->given != NULL && m->given->name != NULL ? m->given->name : "graph";
  webnn_onnx_write__bytes head = WEBNN_ZERO, graph_name = WEBNN_ZERO, opset = WEBNN_ZERO,
                          tail = WEBNN_ZERO;
  uint64_t total = webnn_onnx_write__constants_length(m);
  webnn_onnx_write__put_text(&graph_name, WEBNN_ONNX_WRITE__GRAPH_NAME, name);
  total += graph_name.length + m->nodes.length + m->initializers.length + m->ports.length;
  webnn_onnx_write__put_int(&head, WEBNN_ONNX_WRITE__MODEL_IR_VERSION, m->opset > 20 ? 10 : 9);
  webnn_onnx_write__put_text(&head, WEBNN_ONNX_WRITE__MODEL_PRODUCER, "webnn.h");
  webnn_onnx_write__put_head(&head, WEBNN_ONNX_WRITE__MODEL_GRAPH, total);
  webnn_onnx_write__put_int(&opset, WEBNN_ONNX_WRITE__OPSET_VERSION, m->opset);
  webnn_onnx_write__put_message(&tail, WEBNN_ONNX_WRITE__MODEL_OPSET, &opset);
  total += head.length + tail.length;
  if (total > WEBNN_ONNX_WRITE__MAX_BYTES) {
    webnn_onnx_write__fail(
        m, WEBNN_NOT_SUPPORTED_ERROR,
        "the model would have %llu bytes, and protobuf ends at %lu: write its weights beside it",
        (unsigned long long)total, (unsigned long)WEBNN_ONNX_WRITE__MAX_BYTES);
  }
  if (m->nodes.failed || m->initializers.failed || m->ports.failed || m->tensor.failed ||
      m->attributes.failed || m->attribute.failed || m->node_names.texts.failed ||
      m->node_name.failed || head.failed || graph_name.failed || opset.failed || tail.failed) {
    webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
  }
  if (m->error.status == WEBNN_OK) {
    webnn_onnx_write__write_bytes(&head, write, user);
    webnn_onnx_write__write_bytes(&graph_name, write, user);
    webnn_onnx_write__write_bytes(&m->nodes, write, user);
    webnn_onnx_write__write_bytes(&m->initializers, write, user);
    webnn_onnx_write__write_constants(m, write, user);
    webnn_onnx_write__write_bytes(&m->ports, write, user);
    webnn_onnx_write__write_bytes(&tail, write, user);
  }
  free(head.data);
  free(graph_name.data);
  free(opset.data);
  free(tail.data);
}

static webnn_status webnn_onnx_write__end(webnn_onnx_write__model *m, webnn_error *error) {
  if (m->error.status != WEBNN_OK && error != NULL) {
    *error = m->error;
  }
  webnn_onnx_write__free(m);
  return m->error.status;
}

/* The names of inputs and outputs. */
static void webnn_onnx_write__name_ports(webnn_onnx_write__model *m) {
  if (m->given != NULL && m->given->inputs != NULL) {
    webnn_onnx_write__take_inputs(m);
  }
  if (m->given != NULL && m->given->outputs != NULL) {
    webnn_onnx_write__take_outputs(m);
  }
  if (m->error.status == WEBNN_OK) {
    webnn_onnx_write__check_names(m);
  }
}

/* All parts of the graph's message but its constants. */
static void webnn_onnx_write__make_parts(webnn_onnx_write__model *m) {
  size_t i;
  for (i = 0; i < m->operator_count && m->error.status == WEBNN_OK; i++) {
    webnn_onnx_write__operator(m, (uint32_t)i);
  }
  if (m->error.status == WEBNN_OK) {
    webnn_onnx_write__put_further_names(m);
    webnn_onnx_write__put_values(m);
    webnn_onnx_write__place_weights(m);
  }
}

WEBNN_ONNX_WRITE_API webnn_status webnn_onnx_write(const webnn_graph *graph,
                                                   const webnn_onnx_write_options *options,
                                                   webnn_writer write, void *user,
                                                   webnn_error *error) {
  webnn_onnx_write__model m = WEBNN_ZERO;
  m.graph = graph;
  m.given = options;
  if (write == NULL) {
    webnn_onnx_write__fail(&m, WEBNN_TYPE_ERROR, "there is no writer");
  } else if (options != NULL && options->write_weights != NULL &&
             (options->weights_name == NULL || !*options->weights_name)) {
    webnn_onnx_write__fail(&m, WEBNN_TYPE_ERROR, "weights beside the model need weights_name");
  }
  if (m.error.status == WEBNN_OK && webnn_onnx_write__read_graph(&m)) {
    webnn_onnx_write__name_ports(&m);
    webnn_onnx_write__make_parts(&m);
  }
  if (m.error.status == WEBNN_OK) {
    webnn_onnx_write__write_model(&m, write, user);
  }
  if (m.error.status == WEBNN_OK && options != NULL && options->write_weights != NULL) {
    webnn_onnx_write__write_beside(&m);
  }
  return webnn_onnx_write__end(&m, error);
}

/* A file that gets its name when all of it has been written. */
typedef struct webnn_onnx_write__file {
  FILE *file;
  char *path, *part;
} webnn_onnx_write__file;

/* A text and another behind it; NULL without memory. */
static char *webnn_onnx_write__path(const char *text, const char *end) {
  const size_t length = strlen(text), more = strlen(end) + 1;
  char *joined = (char *)malloc(length + more);
  if (joined != NULL) {
    memcpy(joined, text, length);
    memcpy(joined + length, end, more);
  }
  return joined;
}

/* What stands behind the last separator of folders. */
static const char *webnn_onnx_write__file_name(const char *path) {
  const char *name = path, *c;
  for (c = path; *c; c++) {
    if (*c == '/' || *c == '\\') {
      name = c + 1;
    }
  }
  return name;
}

static void webnn_onnx_write__open(webnn_onnx_write__model *m, webnn_onnx_write__file *f,
                                   const char *path, const char *end) {
  f->path = webnn_onnx_write__path(path, end);
  f->part = f->path != NULL ? webnn_onnx_write__path(f->path, ".part") : NULL;
  if (f->part == NULL) {
    webnn_onnx_write__fail(m, WEBNN_UNKNOWN_ERROR, "out of memory");
    return;
  }
  f->file = fopen(f->part, "wb");
  if (f->file == NULL) {
    webnn_onnx_write__fail(m, WEBNN_OPERATION_ERROR, "%.200s: cannot be opened", f->path);
  }
}

/* webnn_write_to_file leaves it to the file to remember a failure. */
static void webnn_onnx_write__close(webnn_onnx_write__model *m, webnn_onnx_write__file *f) {
  if (f->file != NULL) {
    const bool wrong = ferror(f->file) != 0;
    if (fclose(f->file) != 0 || wrong) {
      webnn_onnx_write__fail(m, WEBNN_OPERATION_ERROR, "%.200s: cannot be written", f->path);
    }
  }
}

/* Under Windows a file does not get the name of another. */
static void webnn_onnx_write__rename(webnn_onnx_write__model *m, webnn_onnx_write__file *f) {
  if (f->file == NULL) {
    return;
  }
  if (m->error.status == WEBNN_OK && rename(f->part, f->path) != 0 &&
      (remove(f->path) != 0 || rename(f->part, f->path) != 0)) {
    webnn_onnx_write__fail(m, WEBNN_OPERATION_ERROR, "%.200s: cannot be written", f->path);
  }
  if (m->error.status != WEBNN_OK) {
    (void)remove(f->part);
  }
}

WEBNN_ONNX_WRITE_API webnn_status webnn_onnx_write_file(const webnn_graph *graph, const char *path,
                                                        bool beside, webnn_error *error) {
  webnn_onnx_write__model m = WEBNN_ZERO; /* only for its error */
  webnn_onnx_write_options options = WEBNN_ZERO;
  webnn_onnx_write__file file = WEBNN_ZERO, data = WEBNN_ZERO;
  if (path == NULL) {
    webnn_onnx_write__fail(&m, WEBNN_OPERATION_ERROR, "there is no path");
    return webnn_onnx_write__end(&m, error);
  }
  webnn_onnx_write__open(&m, &file, path, "");
  if (beside && m.error.status == WEBNN_OK) {
    webnn_onnx_write__open(&m, &data, path, ".data");
    options.write_weights = webnn_write_to_file;
    options.weights_user = data.file;
    options.weights_name = data.path != NULL ? webnn_onnx_write__file_name(data.path) : NULL;
  }
  if (m.error.status == WEBNN_OK) {
    (void)webnn_onnx_write(graph, &options, webnn_write_to_file, file.file, &m.error);
  }
  webnn_onnx_write__close(&m, &data);
  webnn_onnx_write__close(&m, &file);
  webnn_onnx_write__rename(&m, &data);
  webnn_onnx_write__rename(&m, &file);
  free(data.path);
  free(data.part);
  free(file.path);
  free(file.part);
  return webnn_onnx_write__end(&m, error);
}

#endif /* WEBNN_ONNX_WRITE_IMPLEMENTATION */
