/* Models of one node of ONNX from the texts of onnx_cases.inc and onnx_reports.inc. */
#ifndef ONNX_CASE_H
#define ONNX_CASE_H

#include "onnx_writer.h"
#include "test.h"
#include "webnn_onnx.h"

/* Operator and version of its domain; attributes, a tensor being one like value=i64[1]=5; inputs, those
   with "!" being constants in each case, "-" one that is missing; results, "-" being one without a name,
   or "refused: " and a part of the message. Results without elements are outputs of the model, and again
   what Shape makes of them. */
typedef struct onnx_case {
  const char *op, *attributes, *inputs, *outputs;
} onnx_case;

static const onnx_case cases[] = {
#include "onnx_cases.inc"
#include "onnx_reports.inc"
};

enum { MOST_ELEMENTS = 8192, MOST_PORTS = 20 };

/* Numbers from -1 to 1, the same in every run. */
static float number_of(size_t i) {
  return (float)((double)((i * 2654435761u + 12345u) % 10007u) / 5003.0 - 1.0);
}

/* ---- Tensors: "f32[2,3]=1,2,3,4,5,6"; of "=~3" the elements are made up, floats up to 3 or integers
   below 3; a single one is repeated. */

typedef struct type_name {
  const char *name;
  webnn_onnx_type type;
  size_t bits;
} type_name;

static const type_name type_names[] = {
    {"f32", WEBNN_ONNX_FLOAT, 32},     {"f16", WEBNN_ONNX_FLOAT16, 16},
    {"f64", WEBNN_ONNX_DOUBLE, 64},    {"u8", WEBNN_ONNX_UINT8, 8},
    {"i8", WEBNN_ONNX_INT8, 8},        {"i32", WEBNN_ONNX_INT32, 32},
    {"u32", WEBNN_ONNX_UINT32, 32},    {"i64", WEBNN_ONNX_INT64, 64},
    {"u64", WEBNN_ONNX_UINT64, 64},    {"b", WEBNN_ONNX_BOOL, 8},
    {"i16", WEBNN_ONNX_INT16, 16},     {"u16", WEBNN_ONNX_UINT16, 16},
    {"i4", WEBNN_ONNX_INT4, 4},        {"u4", WEBNN_ONNX_UINT4, 4},
    {"bf16", WEBNN_ONNX_BFLOAT16, 16}, {"f8", WEBNN_ONNX_FLOAT8E4M3FN, 8}};

typedef struct array {
  const type_name *type;
  char dims[64];
  size_t count;
  double numbers[MOST_ELEMENTS];
  unsigned char bytes[8 * MOST_ELEMENTS]; /* as ONNX has them */
  size_t length;
  bool constant, missing;
  bool shape; /* these are the dimensions of a result without elements */
} array;

static void bad_case(const char *text) {
  fprintf(stderr, "not a case: %.60s\n", text);
  exit(2);
}

/* Is it a type of floats? */
static bool is_floats(const array *a) {
  return a->type->type == WEBNN_ONNX_FLOAT || a->type->type == WEBNN_ONNX_FLOAT16 ||
         a->type->type == WEBNN_ONNX_DOUBLE || a->type->type == WEBNN_ONNX_BFLOAT16 ||
         a->type->type == WEBNN_ONNX_FLOAT8E4M3FN;
}

/* The byte of a float8, which the number is one of. */
static unsigned char float8_of(double number) {
  unsigned byte;
  float value = 0;
  for (byte = 0; byte < 255; byte++) {
    const unsigned char bytes[1] = {(unsigned char)byte};
    (void)webnn_onnx_to_graph_type(WEBNN_ONNX_FLOAT8E4M3FN, bytes, 1, &value);
    if ((double)value == number) {
      break;
    }
  }
  return (unsigned char)byte;
}

static void store(array *a, size_t i, uint64_t integer) {
  const double number = a->numbers[i];
  const float f32 = (float)number;
  const uint16_t f16 = webnn_float32_to_float16(f32);
  uint32_t bits;
  memcpy(&bits, &f32, 4);
  if (a->type->type == WEBNN_ONNX_FLOAT) {
    memcpy(a->bytes + 4 * i, &f32, 4);
  } else if (a->type->type == WEBNN_ONNX_FLOAT16) {
    memcpy(a->bytes + 2 * i, &f16, 2);
  } else if (a->type->type == WEBNN_ONNX_DOUBLE) {
    memcpy(a->bytes + 8 * i, &number, 8);
  } else if (a->type->type == WEBNN_ONNX_BFLOAT16) { /* the number is one of them */
    const uint16_t half = (uint16_t)(bits >> 16);
    memcpy(a->bytes + 2 * i, &half, 2);
  } else if (a->type->type == WEBNN_ONNX_FLOAT8E4M3FN) {
    a->bytes[i] = float8_of(number);
  } else if (a->type->bits == 4) {
    a->bytes[i / 2] = (unsigned char)(a->bytes[i / 2] | (integer & 15) << (i % 2 * 4));
  } else {
    const size_t size = a->type->bits / 8;
    size_t k;
    for (k = 0; k < size; k++) {
      a->bytes[place_of_byte(i * size + k, size)] = (unsigned char)(integer >> (8 * k));
    }
  }
}

static void fill(array *a, const char *text, size_t position) {
  const bool floats = is_floats(a);
  const double scale = text[0] == '~' && strchr(" ", text[1]) == NULL ? strtod(text + 1, NULL)
                       : floats                                       ? 1
                                                                      : 100;
  char *next = NULL;
  uint64_t integer;
  size_t i;
  for (i = 0; i < a->count; i++) {
    if (text[0] == '~') {
      a->numbers[i] = floats ? (double)(number_of(i + 1000 * position) * (float)scale)
                             : (double)((i * 37 + 11 * position + 5) % (size_t)scale);
      integer = floats ? 0 : (uint64_t)a->numbers[i];
    } else {
      integer = floats         ? 0
                : *text == '-' ? (uint64_t)strtoll(text, NULL, 10)
                               : strtoull(text, NULL, 10);
      a->numbers[i] = strtod(text, &next);
      if (next == text) {
        bad_case(text);
      }
      text = *next == ',' ? next + 1 : text;
    }
    store(a, i, integer);
  }
  a->length = (a->count * a->type->bits + 7) / 8;
}

/* Reads one tensor, and returns what is behind it. */
static const char *read_array(const char *text, array *a, size_t position) {
  const char *end = text + strcspn(text, " "), *at = text, *dims;
  size_t i;
  memset(a, 0, sizeof *a);
  a->missing = *at == '-';
  a->constant = *at == '!';
  at += a->constant;
  dims = strchr(text, '[');
  if (!a->missing && (dims == NULL || dims > end)) {
    bad_case(text);
  }
  for (i = 0; !a->missing && i < sizeof type_names / sizeof type_names[0]; i++) {
    if (strncmp(type_names[i].name, at, (size_t)(dims - at)) == 0 &&
        strlen(type_names[i].name) == (size_t)(dims - at)) {
      a->type = &type_names[i];
    }
  }
  if (!a->missing) {
    const size_t length = strcspn(dims + 1, "]");
    if (a->type == NULL || length >= sizeof a->dims) {
      bad_case(text);
    }
    memcpy(a->dims, dims + 1, length);
    a->count = 1;
    for (at = a->dims; *at != '\0'; at += at[strcspn(at, ",")] == ',') {
      a->count *= (size_t)strtol(at, NULL, 10);
      at += strcspn(at, ",");
      if (*at == '\0') {
        break;
      }
    }
    if (a->count > MOST_ELEMENTS) {
      bad_case(text);
    }
    fill(a, dims + length + 3, position);
  }
  return *end == ' ' ? end + 1 : end;
}

/* A result without elements cannot be one of a graph: a list of its dimensions instead. */
static void to_shape(array *a) {
  char text[64 + 16] = "";
  size_t rank = 1, i;
  if (a->missing || a->count != 0) {
    return;
  }
  for (i = 0; a->dims[i] != '\0'; i++) {
    rank += a->dims[i] == ',';
  }
  (void)snprintf(text, sizeof text, "i64[%u]=%s", (unsigned)rank, a->dims);
  (void)read_array(text, a, 0);
  a->shape = true;
}

/* ---- Models. */

static void attribute_text(message *n, const char *name, const char *value, size_t length) {
  message *a = new_message();
  put_text(a, 1, name);
  put_bytes(a, 4, value, length);
  put_integer(a, 20, 3);
  put_and_free(n, 5, a);
}

/* [1,2] or [1.5,2.5]. */
static void attribute_list(message *n, const char *name, const char *value) {
  const bool floats = strchr(value, '.') != NULL && strchr(value, '.') < strchr(value, ']');
  message *a = new_message();
  put_text(a, 1, name);
  for (value++; *value != ']'; value += *value == ',') {
    if (floats) {
      put_float(a, 7, (float)strtod(value, NULL));
    } else {
      put_integer(a, 8, (uint64_t)strtol(value, NULL, 10));
    }
    value += strcspn(value, ",]");
  }
  put_integer(a, 20, floats ? 6 : 7);
  put_and_free(n, 5, a);
}

/* ['a','b']. */
static void attribute_texts(message *n, const char *name, const char *value) {
  message *a = new_message();
  put_text(a, 1, name);
  for (value++; *value == '\''; value += *value == ',') {
    const size_t length = strcspn(value + 1, "'");
    put_bytes(a, 9, value + 1, length);
    value += length + 2;
  }
  put_integer(a, 20, 8);
  put_and_free(n, 5, a);
}

/* f32[2]=1,2. */
static void attribute_array(message *n, const char *name, const char *value) {
  static array a;
  (void)read_array(value, &a, 0);
  attribute_tensor(n, name, tensor("", (int)a.type->type, a.dims, a.bytes, a.length));
}

static void put_attributes(message *n, const char *text) {
  while (*text != '\0') {
    const size_t length = strcspn(text, " "), key = strcspn(text, "=");
    const char *value = text + key + 1;
    char name[64] = "";
    memcpy(name, text, key < sizeof name - 1 ? key : sizeof name - 1);
    if (*value == '\'') {
      attribute_text(n, name, value + 1, length - key - 3);
    } else if (value[0] == '[' && value[1] == '\'') {
      attribute_texts(n, name, value);
    } else if (*value == '[') {
      attribute_list(n, name, value);
    } else if (memchr(value, '=', length - key - 1) != NULL) {
      attribute_array(n, name, value);
    } else if (text[length - 1] == 'f' || memchr(value, '.', length - key - 1) != NULL) {
      attribute_float(n, name, (float)strtod(value, NULL));
    } else {
      attribute_int(n, name, strtol(value, NULL, 10));
    }
    text += length;
    text += *text == ' ';
  }
}

/* Do models leave sizes of their inputs open? Then each dimension has a name of its own, or only the first one
   of each input has one, or those of one size have one name. */
typedef enum open_sizes { CLOSED, EACH_OPEN, FIRST_OPEN, EQUAL_OPEN } open_sizes;
static open_sizes sizes_are_open;

static message *input_info(const char *name, const array *a) {
  char names[160] = "";
  const char *at = a->dims;
  size_t i;
  for (i = 0; *at != '\0'; i++) {
    const int length = (int)strcspn(at, ",");
    char *end = names + strlen(names);
    const size_t room = sizeof names - strlen(names);
    const char *comma = i == 0 ? "" : ",";
    if (sizes_are_open == CLOSED || (sizes_are_open == FIRST_OPEN && i > 0)) {
      (void)snprintf(end, room, "%s%.*s", comma, length, at);
    } else if (sizes_are_open == EACH_OPEN) {
      (void)snprintf(end, room, "%s%s_%u", comma, name, (unsigned)i);
    } else {
      (void)snprintf(end, room, "%sn%.*s", comma, length, at);
    }
    at += length;
    at += *at == ',';
  }
  return value_info(name, (int)a->type->type, names);
}

/* A model of one node with these inputs. */
static message *model_for(const onnx_case *c, const array *in, size_t count, const array *out,
                          size_t out_count, bool constant) {
  const char *dot = strrchr(c->op, '.'), *space = strchr(c->op, ' ');
  const int version = (int)strtol(space, NULL, 10);
  char op[64] = "", domain[64] = "", names[128] = "", outs[64] = "", name[16];
  message *g = new_message(), *n, *m;
  size_t i;
  memcpy(op, dot == NULL ? c->op : dot + 1, (size_t)(space - (dot == NULL ? c->op : dot + 1)));
  if (dot != NULL) {
    memcpy(domain, c->op, (size_t)(dot - c->op));
  }
  for (i = 0; i < count; i++) {
    (void)snprintf(name, sizeof name, "x%u", (unsigned)i);
    name[0] = in[i].missing ? '\0' : name[0];
    (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i == 0 ? "" : ",",
                   name);
    if (!in[i].missing && (constant || in[i].constant)) {
      put_and_free(g, 5,
                   tensor(name, (int)in[i].type->type, in[i].dims, in[i].bytes, in[i].length));
    } else if (!in[i].missing) {
      put_and_free(g, 11, input_info(name, &in[i]));
    }
  }
  for (i = 0; i < out_count; i++) {
    (void)snprintf(name, sizeof name, "y%u", (unsigned)i);
    name[0] = out[i].missing ? '\0' : name[0];
    if (!out[i].missing) {
      put_and_free(g, 12, value_info(name, 1, ""));
    }
    name[0] = out[i].shape ? 'e' : name[0]; /* whose shape is the result */
    (void)snprintf(outs + strlen(outs), sizeof outs - strlen(outs), "%s,", name);
  }
  n = node(op, "n", names, outs);
  put_attributes(n, c->attributes);
  if (dot != NULL) {
    put_text(n, 7, domain);
  }
  put_and_free(g, 1, n);
  for (i = 0; i < out_count; i++) {
    char of[16];
    (void)snprintf(of, sizeof of, "e%u", (unsigned)i);
    (void)snprintf(name, sizeof name, "y%u", (unsigned)i);
    if (out[i].shape) {
      put_and_free(g, 1, node("Shape", "", of, name));
    }
  }
  m = model_of(g, dot == NULL ? version : 17);
  if (dot != NULL) {
    import_domain(m, domain, version);
  }
  return m;
}

/* The model of a case without input `missing` (MOST_PORTS: with all), whose inputs and results are put into arrays; with `shapes`, results without elements
   become their shapes. A refused case has one result. */
static message *model_without(const onnx_case *c, size_t missing, bool constant, bool shapes,
                              array *in, size_t *count, array *out, size_t *out_count) {
  const bool refused = strncmp(c->outputs, "refused: ", 9) == 0;
  const char *text;
  *count = *out_count = 0;
  for (text = c->inputs; *text != '\0' && *count < MOST_PORTS; ++*count) {
    text = read_array(text, &in[*count], *count);
    in[*count].missing = in[*count].missing || *count == missing;
  }
  for (text = c->outputs; *text != '\0' && !refused; ++*out_count) {
    text = read_array(text, &out[*out_count], 0);
    if (shapes) {
      to_shape(&out[*out_count]);
    }
  }
  if (refused) {
    memset(&out[0], 0, sizeof out[0]);
    *out_count = 1;
  }
  return model_for(c, in, *count, out, *out_count, constant);
}

static message *model_of_case(const onnx_case *c, bool constant, bool shapes, array *in,
                              size_t *count, array *out, size_t *out_count) {
  return model_without(c, MOST_PORTS, constant, shapes, in, count, out, out_count);
}

#endif
