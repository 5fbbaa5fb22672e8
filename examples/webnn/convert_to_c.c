/* A graph as C source that builds it again, made from what webnn.h reports of the graph. */
#include "command.h"

#include <math.h>
#include <string.h>

enum { MOST_OPTIONS = 16, STEPS_OF_PART = 100, ALIGNMENT = 64 };

typedef struct source {
  const session *session;
  arena memory;
  FILE *file;
  const graph_view *v;
  uint64_t *offsets; /* of constants in the file of weights */
  uint64_t weight_bytes;
} source;

/* ---- Weights --------------------------------------------------------------------------------- */

static bool is_stored(const session *s, const webnn_graph_value *v) {
  return v->kind == WEBNN_VALUE_CONSTANT && v->byte_length > s->inline_bytes;
}

static void place_weights(source *c) {
  c->offsets = (uint64_t *)take(&c->memory, (c->v->value_count + 1) * sizeof(uint64_t));
  for (size_t i = 0; i < c->v->value_count; i++) {
    if (!is_stored(c->session, &c->v->values[i]))
      continue;
    c->offsets[i] = (c->weight_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    c->weight_bytes = c->offsets[i] + c->v->values[i].byte_length;
  }
}

/* ---- Words of C ------------------------------------------------------------------------------ */

/* A string: bytes that are not plain as three octal digits, which cannot grow. */
static void put_string(const source *c, const char *text) {
  fputc('"', c->file);
  for (const unsigned char *b = (const unsigned char *)text; *b; b++) {
    if (*b < 0x20 || *b > 0x7E || *b == '"' || *b == '\\' || *b == '?')
      fprintf(c->file, "\\%03o", *b);
    else
      fputc(*b, c->file);
  }
  fputc('"', c->file);
}

/* A size, or a dynamic dimension by its name. */
static void put_size(const source *c, uint32_t size) {
  const char *name = webnn_graph_dimension_name(c->v->graph, size);
  if (!name)
    fprintf(c->file, "%luu", (unsigned long)size);
  else if (!*name)
    fputs("WEBNN_DYNAMIC_DIMENSION", c->file);
  else {
    fputs("webnn_dynamic_dimension(b, ", c->file);
    put_string(c, name);
    fputc(')', c->file);
  }
}

static void put_list(const source *c, const webnn_list *list) {
  if (list->count == 0) {
    fputs(list->given ? "WEBNN_EMPTY_LIST" : "none", c->file);
    return;
  }
  fputs("WEBNN_LIST(", c->file);
  for (size_t i = 0; i < list->count; i++) {
    fputs(i ? ", " : "", c->file);
    put_size(c, list->items[i]);
  }
  fputc(')', c->file);
}

static void put_descriptor(const source *c, const webnn_operand_descriptor *d) {
  const char *type =
      method_c_word(method_find("cast"), "dataType", webnn_data_type_name(d->data_type));
  fprintf(c->file, d->shape.count > 0 ? "WEBNN_DESCRIPTOR(%s" : "WEBNN_SCALAR(%s", type);
  for (size_t i = 0; i < d->shape.count; i++) {
    fputs(", ", c->file);
    put_size(c, d->shape.items[i]);
  }
  fputc(')', c->file);
}

static void put_real(const source *c, double number) {
  if (number != number)
    fputs("(double)NAN", c->file);
  else if (number - number != 0)
    fprintf(c->file, "%s(double)INFINITY", number < 0 ? "-" : "");
  else if (number == 0) /* -0 would be an integer */
    fputs(signbit(number) ? "-0.0" : "0", c->file);
  else
    fprintf(c->file, "%.17g", number);
}

static void put_number(const source *c, const webnn_number *number) {
  fprintf(c->file, "webnn_%s(",
          number->kind == WEBNN_NUMBER_DOUBLE  ? "f64"
          : number->kind == WEBNN_NUMBER_INT64 ? "i64"
                                               : "u64");
  if (number->kind == WEBNN_NUMBER_DOUBLE)
    put_real(c, number->f64);
  else if (number->kind == WEBNN_NUMBER_INT64)
    fprintf(c->file, "(int64_t)0x%llxu", (unsigned long long)number->integer);
  else
    fprintf(c->file, "%lluu", (unsigned long long)number->integer);
  fputc(')', c->file);
}

/* ---- Constants ------------------------------------------------------------------------------- */

static uint64_t element_of(const webnn_graph_value *v, size_t size, size_t index) {
  const unsigned char *from = (const unsigned char *)v->data + index * size;
  uint64_t wide;
  uint32_t word;
  uint16_t half;
  if (size == 1)
    return *from;
  memcpy(&half, from, sizeof half);
  if (size == 2)
    return half;
  memcpy(&word, from, sizeof word);
  if (size == 4)
    return word;
  memcpy(&wide, from, sizeof wide);
  return wide;
}

/* Small constants stand in the source as bits of their elements; of 4 bits two in a byte. */
static void put_constant(const source *c, size_t index) {
  const webnn_graph_value *v = &c->v->values[index];
  const uint32_t bits = webnn_data_type_bits(v->descriptor.data_type);
  const size_t size = bits < 8 ? 1 : bits / 8, count = v->byte_length / size;
  fprintf(c->file, "static const uint%lu_t constant_%lu[%lu] = {", (unsigned long)size * 8,
          (unsigned long)index, (unsigned long)count);
  for (size_t i = 0; i < count; i++)
    fprintf(c->file, "%s0x%llxu", i ? (i % 8 ? ", " : ",\n  ") : "",
            (unsigned long long)element_of(v, size, i));
  fputs("};\n", c->file);
}

static void put_constants(const source *c) {
  for (size_t i = 0; i < c->v->value_count; i++)
    if (c->v->values[i].kind == WEBNN_VALUE_CONSTANT && !is_stored(c->session, &c->v->values[i]))
      put_constant(c, i);
  fputc('\n', c->file);
}

/* An input or a constant. */
static void put_leaf(const source *c, size_t index) {
  const webnn_graph_value *v = &c->v->values[index];
  const unsigned long i = (unsigned long)index;
  if (v->kind == WEBNN_VALUE_INPUT) {
    fprintf(c->file, "  v[%lu] = webnn_input(b, ", i);
    put_string(c, v->name);
    fputs(", ", c->file);
    put_descriptor(c, &v->descriptor);
    fputs(");\n", c->file);
    return;
  }
  fprintf(c->file, "  v[%lu] = webnn_constant%s(b, ", i,
          is_stored(c->session, v) ? "_over_memory" : "");
  put_descriptor(c, &v->descriptor);
  if (is_stored(c->session, v))
    fprintf(c->file, ", weights + %lluu, %lluu);\n", (unsigned long long)c->offsets[index],
            (unsigned long long)v->byte_length);
  else
    fprintf(c->file, ", constant_%lu, sizeof constant_%lu);\n", i, i);
}

/* ---- Operators ------------------------------------------------------------------------------- */

typedef struct call {
  const webnn_graph_operator *o;
  const method *method;
  webnn_graph_option options[MOST_OPTIONS];
  bool taken[MOST_OPTIONS];      /* it is an argument */
  size_t option_count, required; /* operands that are arguments */
  bool many, splits;             /* the operands are a list; the parts are an argument */
  bool equal;                    /* parts of a dynamic dimension */
  bool all_ones;                 /* a list that is not given: squeeze takes them away */
} call;

static webnn_graph_option *option_named(call *k, const char *name) {
  for (size_t i = 0; i < k->option_count; i++)
    if (strcmp(k->options[i].name, name) == 0)
      return &k->options[i];
  return NULL;
}

static uint32_t part_of_split(const source *c, call *k, size_t index) {
  const webnn_graph_option *axis = option_named(k, "axis");
  return c->v->values[k->o->results[index]].descriptor.shape.items[axis ? axis->number.integer : 0];
}

/* Which options and operands are arguments of the method? */
static void read_call(source *c, size_t index, call *k) {
  const char *name, *kind;
  memset(k, 0, sizeof *k);
  k->o = &c->v->operators[index];
  k->method = method_find(k->o->name);
  k->option_count = webnn_graph_options(c->v->graph, index, k->options, MOST_OPTIONS);
  for (size_t i = 0; (name = method_argument(&c->memory, k->method, i, &kind)) != NULL; i++) {
    const webnn_graph_option *option = option_named(k, name);
    k->required += strcmp(kind, "operand") == 0;
    k->many = k->many || strcmp(kind, "operands") == 0;
    k->splits = k->splits || (strcmp(name, "splits") == 0 && strcmp(kind, "operand") != 0);
    if (option)
      k->taken[option - k->options] = true;
  }
  if (k->many)
    k->required = k->o->operand_count;
  if ((int)k->o->op == WEBNN_DRAFT_SQUEEZE) { /* whose axes are an argument in C */
    k->taken[0] = true;
    k->all_ones = !k->options[0].list.given;
  }
  k->equal = k->splits && part_of_split(c, k, 0) >= WEBNN_DYNAMIC_DIMENSION;
}

/* The value of an option, as an argument (of no member) or a member. */
static void put_value(const source *c, const call *k, const webnn_graph_option *o,
                      const method_member *m) {
  switch (o->kind) {
  case WEBNN_OPTION_BOOL:
    fputs(o->boolean != (m && m->opposite) ? "true" : "false", c->file);
    break;
  case WEBNN_OPTION_NUMBER:
    if (m && m->is_number)
      put_number(c, &o->number);
    else if (o->number.kind == WEBNN_NUMBER_INT64)
      fprintf(c->file, "%ld", (long)(int64_t)o->number.integer);
    else
      fprintf(c->file, "%luu", (unsigned long)o->number.integer);
    break;
  case WEBNN_OPTION_LIST:
    put_list(c, &o->list);
    break;
  case WEBNN_OPTION_FLOATS:
    fputs("WEBNN_FLOAT_LIST(", c->file);
    for (size_t i = 0; i < o->floats.count; i++) {
      fputs(i ? ", (float)" : "(float)", c->file);
      put_real(c, (double)o->floats.items[i]);
    }
    fputc(')', c->file);
    break;
  default:
    fputs(o->kind == WEBNN_OPTION_TEXTS ? "WEBNN_ACTIVATIONS(" : "", c->file);
    for (size_t i = 0; i < o->text_count; i++)
      fprintf(c->file, "%s%s", i ? ", " : "", method_c_word(k->method, o->name, o->texts[i]));
    fputs(o->kind == WEBNN_OPTION_TEXTS ? ")" : "", c->file);
  }
}

/* Operands after the arguments are options. */
static bool has_options(const call *k) {
  for (size_t i = 0; i < k->option_count; i++)
    if (!k->taken[i] && option_is_given(&k->options[i]))
      return true;
  for (size_t i = k->required; i < k->o->operand_count; i++)
    if (k->o->operands[i] != WEBNN_NO_VALUE)
      return true;
  return *k->o->label != 0;
}

static void put_options(const source *c, const call *k) {
  webnn_operator_limits limits;
  method_member m;
  webnn_op_limits(c->session->context, k->o->op, &limits);
  fprintf(c->file, "    webnn_%s_options o = WEBNN_ZERO;\n", method_c_options(k->method));
  if (*k->o->label) {
    fputs("    o.label = ", c->file);
    put_string(c, k->o->label);
    fputs(";\n", c->file);
  }
  for (size_t i = k->required; i < k->o->operand_count; i++)
    if (k->o->operands[i] != WEBNN_NO_VALUE &&
        method_c_option(k->method, limits.operands[i].name, &m))
      fprintf(c->file, "    o.%s = v[%lu];\n", m.name, (unsigned long)k->o->operands[i]);
  for (size_t i = 0; i < k->option_count; i++) {
    if (k->taken[i] || !option_is_given(&k->options[i]) ||
        !method_c_option(k->method, k->options[i].name, &m))
      continue;
    fprintf(c->file, "    o.%s = ", m.name);
    put_value(c, k, &k->options[i], &m);
    fputs(";\n", c->file);
  }
}

/* The arrays that some methods take: operands of concat, sizes of split's parts, several results. */
static void put_arrays(const source *c, call *k) {
  const char *separator = "{";
  if (k->many) {
    fprintf(c->file, "    webnn_operand *inputs[%lu];\n", (unsigned long)k->required);
  }
  if (k->all_ones)
    fputs("    const webnn_list none = WEBNN_ZERO;\n", c->file);
  if (method_gives_sequence(k->method))
    fprintf(c->file, "    webnn_operand *r[%lu] = {NULL};\n",
            (unsigned long)(k->o->result_count < 3 ? 3 : k->o->result_count));
  if (k->splits && !k->equal) {
    fprintf(c->file, "    static const uint32_t sizes[%lu] = ", (unsigned long)k->o->result_count);
    for (size_t i = 0; i < k->o->result_count; i++, separator = ", ")
      fprintf(c->file, "%s%luu", separator, (unsigned long)part_of_split(c, k, i));
    fputs("};\n", c->file);
  }
}

static void put_call(source *c, call *k, bool options) {
  const char *name, *kind;
  size_t operand = 0;
  fprintf(c->file, "webnn_%s%s(b", method_c_name(k->method),
          k->splits && !k->equal ? "_sizes" : "");
  for (size_t i = 0; (name = method_argument(&c->memory, k->method, i, &kind)) != NULL; i++) {
    const webnn_graph_option *option = option_named(k, name);
    fputs(", ", c->file);
    if (strcmp(kind, "operand") == 0)
      fprintf(c->file, "v[%lu]", (unsigned long)k->o->operands[operand++]);
    else if (strcmp(kind, "operands") == 0)
      fprintf(c->file, "inputs, %luu", (unsigned long)k->required);
    else if (option)
      put_value(c, k, option, NULL);
    else
      fprintf(c->file, "%s%luu", k->equal ? "" : "sizes, ", (unsigned long)k->o->result_count);
  }
  if ((int)k->o->op == WEBNN_DRAFT_SQUEEZE) {
    fputs(", ", c->file);
    put_list(c, &k->options[0].list);
  }
  fprintf(c->file, ", %s%s);\n", options ? "&o" : "NULL",
          method_gives_sequence(k->method) ? ", r" : "");
}

static void put_operator(source *c, size_t index) {
  call k;
  bool options;
  read_call(c, index, &k);
  options = has_options(&k);
  if (!options && !k.many && !k.all_ones && !method_gives_sequence(k.method)) {
    fprintf(c->file, "  v[%lu] = ", (unsigned long)*k.o->results);
    put_call(c, &k, false);
    return;
  }
  fputs("  {\n", c->file);
  put_arrays(c, &k);
  if (options)
    put_options(c, &k);
  for (size_t i = 0; k.many && i < k.required; i++)
    fprintf(c->file, "    inputs[%lu] = v[%lu];\n", (unsigned long)i,
            (unsigned long)k.o->operands[i]);
  if (method_gives_sequence(k.method))
    fputs("    (void)", c->file);
  else
    fprintf(c->file, "    v[%lu] = ", (unsigned long)*k.o->results);
  put_call(c, &k, options);
  for (size_t i = 0; method_gives_sequence(k.method) && i < k.o->result_count; i++)
    fprintf(c->file, "    v[%lu] = r[%lu];\n", (unsigned long)k.o->results[i], (unsigned long)i);
  fputs("  }\n", c->file);
}

/* ---- Functions ------------------------------------------------------------------------------- */

static const char part_head[] = "static void part_%lu(webnn_builder *b, const unsigned char "
                                "*weights, webnn_operand **v) {\n  (void)weights;\n";

/* Leaves, then operators, so many in each function. Returns how many functions there are. */
static size_t put_parts(source *c) {
  size_t parts = 0, in_part = 0;
  for (size_t i = 0; i < c->v->leaf_count + c->v->operator_count; i++) {
    if (in_part == 0)
      fprintf(c->file, part_head, (unsigned long)parts++);
    if (i < c->v->leaf_count)
      put_leaf(c, c->v->leaves[i]);
    else
      put_operator(c, i - c->v->leaf_count);
    in_part = (in_part + 1) % STEPS_OF_PART;
    fputs(in_part == 0 ? "}\n\n" : "", c->file);
  }
  fputs(in_part > 0 ? "}\n\n" : "", c->file);
  return parts;
}

static void put_weight_check(const source *c) {
  if (c->weight_bytes > 0)
    fprintf(c->file,
            "  if (weights == NULL || bytes != %lluu) {\n"
            "    refuse(error, WEBNN_TYPE_ERROR,\n"
            "           \"the weights must have %llu bytes: give them with --weights\");\n"
            "    free(v);\n"
            "    return NULL;\n"
            "  }\n",
            (unsigned long long)c->weight_bytes, (unsigned long long)c->weight_bytes);
  else
    fputs("  (void)bytes;\n", c->file);
}

static void put_build(const source *c, const char *name, size_t parts) {
  fprintf(c->file,
          "webnn_graph *build_%s(webnn_context *context, const void *weights, size_t bytes,\n"
          "    webnn_error *error) {\n"
          "  webnn_operand **v = (webnn_operand **)calloc(%lu, sizeof *v);\n"
          "  const unsigned char *w = (const unsigned char *)weights;\n"
          "  webnn_named_operand outputs[%lu];\n"
          "  webnn_builder *b = NULL;\n"
          "  webnn_graph *graph = NULL;\n",
          name, (unsigned long)c->v->value_count, (unsigned long)c->v->output_count);
  put_weight_check(c);
  fputs("  if (v == NULL) {\n"
        "    refuse(error, WEBNN_UNKNOWN_ERROR, \"out of memory\");\n"
        "    return NULL;\n"
        "  }\n"
        "  if (webnn_create_builder(context, &b, error) == WEBNN_OK) {\n",
        c->file);
  for (size_t i = 0; i < parts; i++)
    fprintf(c->file, "    part_%lu(b, w, v);\n", (unsigned long)i);
  for (size_t i = 0; i < c->v->output_count; i++) {
    fprintf(c->file, "    outputs[%lu].name = ", (unsigned long)i);
    put_string(c, c->v->outputs[i].name);
    fprintf(c->file,
            c->v->values[c->v->outputs[i].value].kind == WEBNN_VALUE_RESULT
                ? ";\n    outputs[%lu].operand = v[%lu];\n"
                : ";\n    outputs[%lu].operand = webnn_identity(b, v[%lu], NULL);\n",
            (unsigned long)i, (unsigned long)c->v->outputs[i].value);
  }
  fprintf(c->file,
          "    webnn_build(b, outputs, %lu, &graph, error);\n"
          "  }\n"
          "  webnn_free_builder(b);\n"
          "  free(v);\n"
          "  return graph;\n"
          "}\n",
          (unsigned long)c->v->output_count);
}

/* @ is the name, $ the option that is needed where there are weights. */
static const char *const head[] = {
    "/* @.c - a graph of webnn.h, written by `webnn convert`.",
    "",
    "   build_@ builds it. The weights, the bytes of the file that was written beside this one, "
    "are of",
    "   little-endian machines; they are borrowed, and stay as long as the graph. As a program, "
    "which",
    "   runs it on zeros or on files of bytes and prints the outputs:",
    "",
    "       cc -O2 -DWITH_MAIN -DWEBNN_IMPLEMENTATION -I FOLDER_OF_WEBNN_H @.c -pthread -o @",
    "       ./@ [--reference] $[--out FOLDER] [INPUT.bin ...] */",
    "#include \"webnn.h\"",
    "",
    "#include <math.h>",
    "#include <stdlib.h>",
    "#include <string.h>",
    "",
    "webnn_graph *build_@(webnn_context *context, const void *weights, size_t bytes,",
    "    webnn_error *error);",
    "",
    "static inline void refuse(webnn_error *error, webnn_status status, const char *message) {",
    "  if (error != NULL) {",
    "    error->status = status;",
    "    memcpy(error->message, message, strlen(message) + 1);",
    "  }",
    "}",
    ""};

static const char *const tail[] = {
    "",
    "#ifdef WITH_MAIN",
    "#include <stdio.h>",
    "",
    "/* The bytes of a file; NULL, with a message, if it cannot be read. */",
    "static unsigned char *read_file(const char *path, size_t *length) {",
    "  FILE *file = fopen(path, \"rb\");",
    "  unsigned char *data = NULL;",
    "  long end = -1;",
    "  if (file != NULL && fseek(file, 0, SEEK_END) == 0)",
    "    end = ftell(file);",
    "  if (end >= 0 && fseek(file, 0, SEEK_SET) == 0)",
    "    data = (unsigned char *)malloc((size_t)end + 1);",
    "  *length = data != NULL ? fread(data, 1, (size_t)end, file) : 0;",
    "  if (data == NULL)",
    "    fprintf(stderr, \"%s: cannot be read\\n\", path);",
    "  if (file != NULL)",
    "    fclose(file);",
    "  return data;",
    "}",
    "",
    "static void print_element(webnn_data_type type, const unsigned char *data, size_t i) {",
    "  float f32;",
    "  uint16_t f16;",
    "  int64_t i64;",
    "  int32_t i32;",
    "  switch (type) {",
    "  case WEBNN_FLOAT32:",
    "    memcpy(&f32, data + 4 * i, 4);",
    "    printf(\" %.9g\", (double)f32);",
    "    break;",
    "  case WEBNN_FLOAT16:",
    "    memcpy(&f16, data + 2 * i, 2);",
    "    printf(\" %.5g\", (double)webnn_float16_to_float32(f16));",
    "    break;",
    "  case WEBNN_INT64:",
    "  case WEBNN_UINT64:",
    "    memcpy(&i64, data + 8 * i, 8);",
    "    if (type == WEBNN_INT64)",
    "      printf(\" %lld\", (long long)i64);",
    "    else",
    "      printf(\" %llu\", (unsigned long long)i64);",
    "    break;",
    "  case WEBNN_INT32:",
    "  case WEBNN_UINT32:",
    "    memcpy(&i32, data + 4 * i, 4);",
    "    if (type == WEBNN_INT32)",
    "      printf(\" %ld\", (long)i32);",
    "    else",
    "      printf(\" %lu\", (unsigned long)(uint32_t)i32);",
    "    break;",
    "  case WEBNN_INT8:",
    "    printf(\" %d\", data[i] < 128 ? data[i] : data[i] - 256);",
    "    break;",
    "  case WEBNN_UINT8:",
    "    printf(\" %d\", data[i]);",
    "    break;",
    "  default: /* two to a byte */",
    "    i32 = data[i / 2] >> (i % 2 ? 4 : 0) & 15;",
    "    printf(\" %ld\", (long)(type == WEBNN_INT4 && i32 > 7 ? i32 - 16 : i32));",
    "  }",
    "}",
    "",
    "static void print_output(const webnn_graph_port *port, const unsigned char *data) {",
    "  const size_t bits = webnn_data_type_bits(port->descriptor.data_type);",
    "  size_t i, count = 1;",
    "  for (i = 0; i < port->descriptor.shape.count; i++)",
    "    count *= port->descriptor.shape.items[i];",
    "  printf(\"%s: %s, %lu elements of %lu bits:\", port->name,",
    "         webnn_data_type_name(port->descriptor.data_type), (unsigned long)count,",
    "         (unsigned long)bits);",
    "  for (i = 0; i < count && i < 1000; i++)",
    "    print_element(port->descriptor.data_type, data, i);",
    "  printf(i < count ? \" ...\\n\" : \"\\n\");",
    "}",
    "",
    "/* Output number i as FOLDER/i.bin. */",
    "static int write_output(const char *folder, size_t i, const webnn_named_output *output) {",
    "  char path[1000];",
    "  FILE *file;",
    "  int right;",
    "  snprintf(path, sizeof path, \"%s/%lu.bin\", folder, (unsigned long)i);",
    "  file = fopen(path, \"wb\");",
    "  right = file != NULL &&",
    "          fwrite(output->data, 1, output->byte_length, file) == output->byte_length;",
    "  if (file == NULL || fclose(file) != 0 || !right) {",
    "    fprintf(stderr, \"%s: cannot be written\\n\", path);",
    "    return 0;",
    "  }",
    "  return 1;",
    "}",
    "",
    "/* One size that is not known follows from the bytes; others are 1. */",
    "static void size_input(webnn_graph_port *port, size_t bytes) {",
    "  webnn_list *shape = &port->descriptor.shape;",
    "  uint32_t i, open = shape->count;",
    "  for (i = 0; i < shape->count; i++) {",
    "    if (shape->items[i] >= WEBNN_DYNAMIC_DIMENSION) {",
    "      shape->items[i] = 1;",
    "      open = i;",
    "    }",
    "  }",
    "  port->byte_length = webnn_byte_length(port->descriptor);",
    "  if (open < shape->count && bytes > port->byte_length)",
    "    shape->items[open] = (uint32_t)(bytes / port->byte_length);",
    "}",
    "",
    "/* The graph's inputs are the files, in its order, and zeros where there is none. */",
    "static int fill_input(webnn_graph_port *port, const char *path, webnn_named_input *input) {",
    "  size_t length = 0;",
    "  input->name = port->name;",
    "  input->data = path != NULL ? read_file(path, &length) : NULL;",
    "  if (path != NULL && input->data == NULL)",
    "    return 0;",
    "  size_input(port, length);",
    "  if (path == NULL) {",
    "    length = (size_t)port->byte_length;",
    "    input->data = calloc(length + 1, 1);",
    "  }",
    "  input->byte_length = length;",
    "  return input->data != NULL;",
    "}",
    "",
    "/* The shapes of the outputs, which may depend on those of the inputs. */",
    "static int size_outputs(webnn_graph *graph, webnn_graph_port *ports, size_t in, size_t out) {",
    "  webnn_named_shape *shapes = (webnn_named_shape *)calloc(in + out + 1, sizeof *shapes);",
    "  webnn_error error = WEBNN_ZERO;",
    "  size_t i;",
    "  for (i = 0; shapes != NULL && i < in; i++) {",
    "    shapes[i].name = ports[i].name;",
    "    shapes[i].shape = ports[i].descriptor.shape;",
    "  }",
    "  if (shapes == NULL || webnn_compute_shapes(graph, shapes, in, shapes + in, out, &error) != "
    "WEBNN_OK) {",
    "    fprintf(stderr, \"%s\\n\", shapes != NULL ? error.message : \"out of memory\");",
    "    free(shapes);",
    "    return 0;",
    "  }",
    "  for (i = in; i < in + out; i++) {",
    "    ports[i].descriptor.shape = shapes[i].shape;",
    "    ports[i].byte_length = webnn_byte_length(ports[i].descriptor);",
    "  }",
    "  free(shapes);",
    "  return 1;",
    "}",
    "",
    "static int run(webnn_context *context, webnn_graph *graph, const char *folder, int count,",
    "               char **files) {",
    "  const size_t in = webnn_graph_inputs(graph, NULL, 0), out = webnn_graph_outputs(graph, "
    "NULL, 0);",
    "  webnn_graph_port *ports = (webnn_graph_port *)calloc(in + out + 1, sizeof *ports);",
    "  webnn_named_input *inputs = (webnn_named_input *)calloc(in + 1, sizeof *inputs);",
    "  webnn_named_output *outputs = (webnn_named_output *)calloc(out + 1, sizeof *outputs);",
    "  webnn_error error = WEBNN_ZERO;",
    "  int right = ports != NULL && inputs != NULL && outputs != NULL;",
    "  size_t i;",
    "  if (right) {",
    "    webnn_graph_inputs(graph, ports, in);",
    "    webnn_graph_outputs(graph, ports + in, out);",
    "  }",
    "  for (i = 0; right && i < in; i++)",
    "    right = fill_input(&ports[i], (int)i < count ? files[i] : NULL, &inputs[i]);",
    "  right = right && size_outputs(graph, ports, in, out);",
    "  for (i = 0; right && i < out; i++) {",
    "    outputs[i].name = ports[in + i].name;",
    "    outputs[i].byte_length = (size_t)ports[in + i].byte_length;",
    "    outputs[i].data = calloc(outputs[i].byte_length + 1, 1);",
    "    right = outputs[i].data != NULL;",
    "  }",
    "  if (right && webnn_compute(context, graph, inputs, in, outputs, out, &error) != WEBNN_OK) {",
    "    fprintf(stderr, \"%s\\n\", error.message);",
    "    right = 0;",
    "  }",
    "  for (i = 0; right && i < out; i++) {",
    "    print_output(&ports[in + i], (const unsigned char *)outputs[i].data);",
    "    right = folder == NULL || write_output(folder, i, &outputs[i]);",
    "  }",
    "  return right ? 0 : 1; /* the process ends here, and its memory with it */",
    "}",
    "",
    "static int refuse_option(const char *option) {",
    "  fprintf(stderr, \"%s: the options are --reference, --weights FILE and --out FOLDER\\n\", "
    "option);",
    "  return 2;",
    "}",
    "",
    "int main(int count, char **arguments) {",
    "  webnn_context_options options = WEBNN_ZERO;",
    "  webnn_error error = WEBNN_ZERO;",
    "  webnn_context *context = NULL;",
    "  webnn_graph *graph = NULL;",
    "  unsigned char *weights = NULL;",
    "  const char *folder = NULL;",
    "  size_t bytes = 0;",
    "  int i;",
    "  for (i = 1; i < count && strncmp(arguments[i], \"--\", 2) == 0; i++) {",
    "    if (strcmp(arguments[i], \"--reference\") == 0)",
    "      options.numerics = WEBNN_NUMERICS_REFERENCE;",
    "    else if (strcmp(arguments[i], \"--weights\") == 0 && i + 1 < count)",
    "      weights = read_file(arguments[++i], &bytes);",
    "    else if (strcmp(arguments[i], \"--out\") == 0 && i + 1 < count)",
    "      folder = arguments[++i];",
    "    else",
    "      return refuse_option(arguments[i]);",
    "  }",
    "  if (webnn_create_context(&options, &context, &error) == WEBNN_OK)",
    "    graph = build_@(context, weights, bytes, &error);",
    "  if (graph == NULL) {",
    "    fprintf(stderr, \"%s\\n\", error.message);",
    "    return 2;",
    "  }",
    "  return run(context, graph, folder, count - i, arguments + i);",
    "}",
    "#endif"};

static void put_lines(const source *s, const char *const *lines, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    for (const char *c = lines[i]; *c; c++) {
      if (*c == '@')
        fputs(name, s->file);
      else if (*c == '$')
        fputs(s->weight_bytes > 0 ? "--weights FILE " : "", s->file);
      else
        fputc(*c, s->file);
    }
    fputc('\n', s->file);
  }
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void put_weights(const source *c, FILE *file) {
  uint64_t at = 0;
  for (size_t i = 0; i < c->v->value_count; i++) {
    const webnn_graph_value *v = &c->v->values[i];
    tensor t;
    if (!is_stored(c->session, v))
      continue;
    for (; at < c->offsets[i]; at++)
      fputc(0, file);
    memset(&t, 0, sizeof t);
    t.descriptor = v->descriptor;
    t.byte_length = v->byte_length;
    t.count = v->byte_length * 8 / webnn_data_type_bits(v->descriptor.data_type);
    memcpy(&t.data, &v->data, sizeof v->data); /* it is only read */
    tensor_write_bytes(file, &t);
    at += v->byte_length;
  }
}

bool source_has_weights(const session *s, const graph_view *v) {
  for (size_t i = 0; i < v->value_count; i++)
    if (is_stored(s, &v->values[i]))
      return true;
  return false;
}

bool source_write(const session *s, const graph_view *v, const char *name, FILE *file,
                  FILE *stored) {
  source c;
  memset(&c, 0, sizeof c);
  c.session = s;
  c.v = v;
  c.file = file;
  place_weights(&c);
  put_lines(&c, head, sizeof head / sizeof *head, name);
  put_constants(&c);
  put_build(&c, name, put_parts(&c));
  put_lines(&c, tail, sizeof tail / sizeof *tail, name);
  if (stored)
    put_weights(&c, stored);
  release(&c.memory);
  return !ferror(file) && (!stored || !ferror(stored));
}
