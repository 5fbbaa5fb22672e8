/* Writes ONNX models for tests: messages of protobuf, built from the inside out. */
#ifndef ONNX_WRITER_H
#define ONNX_WRITER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A message of protobuf in the making. */
typedef struct message {
  unsigned char bytes[131072];
  size_t length;
} message;

static inline void put_byte(message *m, unsigned byte) {
  if (m->length == sizeof m->bytes) {
    fputs("a test's message is too long\n", stderr);
    exit(2);
  }
  m->bytes[m->length++] = (unsigned char)byte;
}

static inline void put_varint(message *m, uint64_t value) {
  for (; value >= 128; value >>= 7) {
    put_byte(m, (unsigned)(value & 127) | 128);
  }
  put_byte(m, (unsigned)value);
}

static inline void put_integer(message *m, uint32_t field, uint64_t value) {
  put_varint(m, field << 3);
  put_varint(m, value);
}

static inline void put_bytes(message *m, uint32_t field, const void *bytes, size_t length) {
  size_t i;
  put_varint(m, field << 3 | 2);
  put_varint(m, length);
  for (i = 0; i < length; i++) {
    put_byte(m, ((const unsigned char *)bytes)[i]);
  }
}

static inline void put_text(message *m, uint32_t field, const char *text) {
  put_bytes(m, field, text, strlen(text));
}

static inline void put_message(message *m, uint32_t field, const message *inner) {
  put_bytes(m, field, inner->bytes, inner->length);
}

static inline void put_float(message *m, uint32_t field, float value) {
  unsigned char bytes[4];
  uint32_t bits;
  int i;
  memcpy(&bits, &value, 4);
  put_varint(m, field << 3 | 5);
  for (i = 0; i < 4; i++) {
    bytes[i] = (unsigned char)(bits >> (8 * i));
    put_byte(m, bytes[i]);
  }
}

static inline message *new_message(void) {
  message *m = (message *)calloc(1, sizeof *m);
  if (m == NULL) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return m;
}

/* Puts a message into another, and frees it. */
static inline void put_and_free(message *m, uint32_t field, message *inner) {
  put_message(m, field, inner);
  free(inner);
}

/* ValueInfoProto; dimensions are a text, "2,batch,3" ("" is a scalar). */
static inline message *value_info(const char *name, int type, const char *dims) {
  message *info = new_message(), *proto = new_message(), *tensor = new_message();
  message *shape = new_message();
  while (*dims != '\0') {
    const size_t length = strcspn(dims, ",");
    message *dim = new_message();
    if (*dims >= '0' && *dims <= '9') {
      put_integer(dim, 1, (uint64_t)strtol(dims, NULL, 10));
    } else {
      put_bytes(dim, 2, dims, length);
    }
    put_and_free(shape, 1, dim);
    dims += length;
    dims += *dims == ',';
  }
  put_integer(tensor, 1, (uint64_t)type);
  put_and_free(tensor, 2, shape);
  put_and_free(proto, 1, tensor);
  put_text(info, 1, name);
  put_and_free(info, 2, proto);
  return info;
}

/* The bytes of an element in raw data. */
static inline size_t element_size(int type) {
  static const unsigned char sizes[17] = {1, 4, 1, 1, 2, 2, 4, 8, 1, 1, 2, 8, 4, 8, 8, 16, 2};
  return type < 17 ? sizes[type] : 1;
}

/* Where byte i of little-endian elements is in this machine's. */
static inline size_t place_of_byte(size_t i, size_t size) {
  const uint16_t one = 1;
  return *(const unsigned char *)&one == 1 ? i : i / size * size + size - 1 - i % size;
}

static inline void put_raw(message *t, int type, const void *data, size_t length) {
  message *raw = new_message();
  size_t i;
  for (i = 0; i < length; i++) {
    put_byte(raw, ((const unsigned char *)data)[place_of_byte(i, element_size(type))]);
  }
  put_and_free(t, 9, raw);
}

/* TensorProto with raw data. */
static inline message *tensor(const char *name, int type, const char *dims, const void *data,
                              size_t length) {
  message *t = new_message();
  while (*dims != '\0') {
    put_integer(t, 1, (uint64_t)strtol(dims, NULL, 10));
    dims += strcspn(dims, ",");
    dims += *dims == ',';
  }
  put_integer(t, 2, (uint64_t)type);
  put_text(t, 8, name);
  put_raw(t, type, data, length);
  return t;
}

/* A field of texts separated by commas; "" between two commas is an empty name. */
static inline void put_names(message *m, uint32_t field, const char *names) {
  while (*names != '\0') {
    const size_t length = strcspn(names, ",");
    put_bytes(m, field, names, length);
    names += length;
    names += *names == ',';
  }
}

static inline message *node(const char *op, const char *name, const char *inputs,
                            const char *outputs) {
  message *n = new_message();
  put_names(n, 1, inputs);
  put_names(n, 2, outputs);
  if (name[0] != '\0') {
    put_text(n, 3, name);
  }
  put_text(n, 4, op);
  return n;
}

static inline void attribute_int(message *n, const char *name, int64_t value) {
  message *a = new_message();
  put_text(a, 1, name);
  put_integer(a, 3, (uint64_t)value);
  put_integer(a, 20, 2);
  put_and_free(n, 5, a);
}

static inline void attribute_float(message *n, const char *name, float value) {
  message *a = new_message();
  put_text(a, 1, name);
  put_float(a, 2, value);
  put_integer(a, 20, 1);
  put_and_free(n, 5, a);
}

static inline void attribute_ints(message *n, const char *name, const int64_t *values,
                                  size_t count) {
  message *a = new_message();
  size_t i;
  put_text(a, 1, name);
  for (i = 0; i < count; i++) {
    put_integer(a, 8, (uint64_t)values[i]);
  }
  put_integer(a, 20, 7);
  put_and_free(n, 5, a);
}

static inline void attribute_message(message *n, const char *name, uint32_t field, uint32_t type,
                                     message *value) {
  message *a = new_message();
  put_text(a, 1, name);
  put_and_free(a, field, value);
  put_integer(a, 20, type);
  put_and_free(n, 5, a);
}

static inline void attribute_graph(message *n, const char *name, message *graph) {
  attribute_message(n, name, 6, 5, graph);
}

static inline void attribute_tensor(message *n, const char *name, message *value) {
  attribute_message(n, name, 5, 4, value);
}

/* What a graph has: nodes, also such with an integer as attribute, tensors, inputs and outputs. */

static inline void put_node(message *graph, const char *op, const char *name, const char *inputs,
                            const char *outputs) {
  put_and_free(graph, 1, node(op, name, inputs, outputs));
}

static inline void put_node_int(message *graph, const char *op, const char *name,
                                const char *inputs, const char *outputs, const char *attribute,
                                int64_t value) {
  message *n = node(op, name, inputs, outputs);
  attribute_int(n, attribute, value);
  put_and_free(graph, 1, n);
}

static inline void put_tensor(message *graph, const char *name, int type, const char *dims,
                              const void *data, size_t length) {
  put_and_free(graph, 5, tensor(name, type, dims, data, length));
}

static inline void put_input(message *graph, const char *name, int type, const char *dims) {
  put_and_free(graph, 11, value_info(name, type, dims));
}

static inline void put_output(message *graph, const char *name, int type, const char *dims) {
  put_and_free(graph, 12, value_info(name, type, dims));
}

/* ModelProto of a graph, which it frees, importing a version of ai.onnx. */
static inline message *model_of(message *graph, int version) {
  message *m = new_message(), *opset = new_message();
  put_integer(m, 1, 8);
  put_and_free(m, 7, graph);
  put_text(opset, 1, "");
  put_integer(opset, 2, (uint64_t)version);
  put_and_free(m, 8, opset);
  return m;
}

/* Adds to a model the function F of the domain "local", whose nodes f has; frees f. */
static inline void put_function(message *model, message *f, const char *inputs, const char *outputs,
                                int version) {
  message *opset = new_message();
  put_text(f, 1, "F");
  put_names(f, 4, inputs);
  put_names(f, 5, outputs);
  put_text(opset, 1, "");
  put_integer(opset, 2, (uint64_t)version);
  put_and_free(f, 9, opset);
  put_and_free(model, 25, f);
}

static inline void import_domain(message *model, const char *domain, int version) {
  message *opset = new_message();
  put_text(opset, 1, domain);
  put_integer(opset, 2, (uint64_t)version);
  put_and_free(model, 8, opset);
}

#endif
