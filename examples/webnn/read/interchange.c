/* Between cases and the interchange tree of webnn-graph, {"inputs", "consts", "nodes", "outputs"}.
   There an operator has its operands in a list and everything else as options by name, numbers and
   lists that are arguments of the method too. Other writers' ways of saying it are understood. */
#include "read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- From the tree to a case ----------------------------------------------------------------- */

typedef struct translation {
  const session *session;
  arena *memory;
  const char *path;
  weights weights;
  bool weights_open;
  json_list inputs, operators, outputs; /* of the case */
} translation;

static bool is_text(const json *value, const char *text) {
  return json_string(value) && strcmp(value->text, text) == 0;
}

bool interchange_is(const json *root) {
  return is_text(json_get(root, "format"), "webnn-graph-json");
}

/* An object of one member. */
static json *wrap(translation *t, const char *name, json *value) {
  json_list l = json_start(t->memory, value, JSON_OBJECT);
  json_put(&l, name, value);
  return l.list;
}

/* "name", "dataType" and "shape" of a declaration. */
static void start_tensor(translation *t, const json *declaration, json_list *l) {
  const json *type = json_get(declaration, "dataType"), *shape = json_get(declaration, "shape");
  *l = json_start(t->memory, declaration, JSON_OBJECT);
  json_put(l, "name", json_text(t->memory, declaration, JSON_STRING, declaration->name));
  if (type)
    json_put(l, "dataType", json_copy(t->memory, type));
  if (shape)
    json_put(l, "shape", json_copy(t->memory, shape));
}

/* The elements that an example has. */
static bool translate_input(translation *t, const json *declaration) {
  static const char *const members[] = {"data", "fill"};
  json_list l;
  start_tensor(t, declaration, &l);
  for (int i = 0; i < 2; i++)
    if (json_get(declaration, members[i]))
      json_put(&l, members[i], json_copy(t->memory, json_get(declaration, members[i])));
  json_put(&t->inputs, NULL, l.list);
  return true;
}

/* ---- Constants ------------------------------------------------------------------------------- */

static bool take_weights(translation *t, const json *ref, const tensor *declared, json_list *l) {
  json *elements;
  if (!t->weights_open && !weights_open(t->session, t->memory, t->path, &t->weights))
    return false;
  t->weights_open = true;
  if (!t->weights.path)
    return t->session->weights_absent ||
           complain(ref, "there is no file of weights beside %s (name it with --weights)", t->path);
  elements = weights_take(t->session, t->memory, &t->weights, ref, declared);
  if (elements)
    json_put(l, "data", elements);
  return elements != NULL;
}

/* "1.0" and "1e3" are integers too, where one is needed. */
static json *whole_number(translation *t, const json *value, webnn_data_type type) {
  json *number = json_copy(t->memory, value);
  double real;
  if (is_float_type(type) || value->kind != JSON_NUMBER || !json_double(value, &real) ||
      !memchr(value->text, '.', value->length) == !memchr(value->text, 'e', value->length))
    return number;
  if (real >= -9007199254740992.0 && real <= 9007199254740992.0 && real == (double)(int64_t)real) {
    number->text = take_text(t->memory, "%.0f", real);
    number->length = strlen(number->text);
  }
  return number;
}

/* A list of numbers as bytes; bytes as they are. NULL after a complaint. */
static json *take_inline_bytes(translation *t, const json *list) {
  json *bytes = json_new(t->memory, list, JSON_BYTES);
  char *to = (char *)take(t->memory, json_count(list) + 1);
  uint32_t byte;
  if (list->kind == JSON_BYTES)
    return json_copy(t->memory, list);
  bytes->text = to;
  bytes->length = json_count(list);
  for (const json *item = json_items(list, JSON_ARRAY); item; item = item->next) {
    if (!json_u32(item, &byte) || byte > 255) {
      must_be(item, "a byte, 0 to 255");
      return NULL;
    }
    *to++ = (char)(unsigned char)byte;
  }
  return bytes;
}

static bool translate_init(translation *t, const json *constant, const tensor *declared,
                           json_list *l) {
  const json *init = json_get(constant, "init"), *kind = json_get(init, "kind");
  const json *ref = json_get(init, "ref"), *value = json_get(init, "value");
  const json *list = json_get(init, "bytes");
  json *bytes;
  if (!init)
    return take_weights(t, json_text(t->memory, constant, JSON_STRING, constant->name), declared,
                        l);
  if (is_text(kind, "weights") && json_string(ref))
    return take_weights(t, ref, declared, l);
  if (is_text(kind, "scalar") && value) {
    json_put(l, "fill", whole_number(t, value, declared->descriptor.data_type));
    return true;
  }
  if (!is_text(kind, "inlineBytes") || !list)
    return must_be(init,
                   "\"weights\" with \"ref\", \"scalar\" with \"value\" or \"inlineBytes\" with "
                   "\"bytes\"");
  bytes = take_inline_bytes(t, list);
  if (bytes)
    json_put(l, "data", bytes);
  return bytes != NULL;
}

static bool translate_constant(translation *t, const json *declaration) {
  const json *size = json_items(json_get(declaration, "shape"), JSON_ARRAY);
  tensor declared;
  json_list l;
  for (; size; size = size->next)
    if (size->kind == JSON_OBJECT)
      return complain(size, "a constant has no dimension that varies");
  start_tensor(t, declaration, &l);
  if (!tensor_read(t->session, t->memory, l.list, &declared) ||
      !translate_init(t, declaration, &declared, &l))
    return false;
  json_put(&l, "constant", json_new(t->memory, declaration, JSON_TRUE));
  json_put(&t->inputs, NULL, l.list);
  return true;
}

/* ---- Operators ------------------------------------------------------------------------------- */

typedef struct call {
  translation *translation;
  const json *node, *options;
  const json *positional; /* the next that is not taken yet */
  const method *method;
  const char *op;
  json_list arguments, chosen; /* of the case */
} call;

/* Other names of arguments and options; an operator may be "" for all. */
static const char *canonical_name(const call *c, const char *name) {
  static const struct {
    const char *op, *from, *to;
  } aliases[] = {{"cast", "to", "dataType"},
                 {"cast", "type", "dataType"},
                 {"triangular", "k", "diagonal"},
                 {"", "roundingType", "outputShapeRounding"}};
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (strcmp(aliases[i].from, name) == 0 && (!*aliases[i].op || !strcmp(aliases[i].op, c->op)))
      return aliases[i].to;
  return name;
}

/* What other writers add for their own purposes. */
static bool says_nothing(const call *c, const char *name) {
  return strcmp(name, "metadata") == 0 || strcmp(name, "hasScale") == 0 ||
         strcmp(name, "hasBias") == 0 || (strcmp(name, "shape") == 0 && !strcmp(c->op, "gather"));
}

static const json *option_named(const call *c, const char *name) {
  const json *o = json_items(c->options, JSON_OBJECT);
  while (o && strcmp(canonical_name(c, o->name), name) != 0)
    o = o->next;
  return o && o->kind != JSON_NULL ? o : NULL;
}

static const json *next_positional(call *c) {
  const json *value = c->positional;
  c->positional = value ? value->next : NULL;
  return value;
}

static bool is_integer(const json *value) {
  const char *text = value->text;
  size_t i = value->length > 0 && *text == '-';
  while (i < value->length && text[i] >= '0' && text[i] <= '9')
    i++;
  return i == value->length && i > 0 && text[i - 1] != '-';
}

/* An integer of more than a double has exactly, or in a string: "-0" is a double. */
static bool is_bigint(const json *value) {
  unsigned long long magnitude;
  if (value->kind == JSON_STRING)
    return is_integer(value) && !is_text(value, "-0");
  if (value->kind != JSON_NUMBER || !is_integer(value))
    return false;
  errno = 0;
  magnitude = strtoull(value->text + (*value->text == '-'), NULL, 10);
  return errno != 0 || magnitude > 9007199254740992u;
}

/* "Float32" of some writers is float32. */
static json *lower_case(arena *memory, const json *value) {
  char *text = take_text(memory, "%s", value->text);
  for (char *c = text; *c; c++)
    *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
  return json_text(memory, value, JSON_STRING, text);
}

/* {KIND: value} of the case; NULL after a complaint. */
static json *translate_value(call *c, const char *name, const char *kind, const json *value) {
  translation *t = c->translation;
  const bool type = strcmp(name, "dataType") == 0 || strcmp(name, "outputDataType") == 0;
  const bool sizes = strcmp(name, "splits") == 0 && value->kind == JSON_ARRAY;
  json *copy;
  if (sizes || strcmp(kind, "numbers") == 0)
    return wrap(t, "numbers", json_copy(t->memory, value));
  if (strcmp(kind, "number") == 0 && method_option(c->method, name) && is_bigint(value))
    return wrap(t, "bigint",
                json_text(t->memory, value, JSON_STRING,
                          take_text(t->memory, "%.*s", (int)value->length, value->text)));
  copy = type && json_string(value) ? lower_case(t->memory, value) : json_copy(t->memory, value);
  return wrap(t, kind, copy);
}

/* All operands that are left, or a list of them. */
static json *translate_operands(call *c) {
  translation *t = c->translation;
  json_list l = json_start(t->memory, c->node, JSON_ARRAY);
  if (c->positional && c->positional->kind == JSON_ARRAY)
    return json_copy(t->memory, next_positional(c));
  while (c->positional && c->positional->kind == JSON_STRING)
    json_put(&l, NULL, json_copy(t->memory, next_positional(c)));
  return l.list;
}

/* By its name or by its place; without sizes a split is into as many parts as there are names. */
static bool translate_argument(call *c, const char *name, const char *kind, size_t output_count) {
  translation *t = c->translation;
  const json *value = option_named(c, name);
  const bool operand = strcmp(kind, "operand") == 0 || strcmp(kind, "string") == 0;
  json *argument = NULL;
  if (!value && strcmp(kind, "operands") == 0)
    argument = wrap(t, kind, translate_operands(c));
  else if (!value && c->positional && (c->positional->kind == JSON_STRING) == operand)
    value = next_positional(c);
  if (!argument && !value && strcmp(name, "splits") == 0)
    value = json_size(t->memory, c->node, output_count);
  if (!argument && !value)
    return complain(c->node, "%s needs %s", c->op, name);
  if (!argument)
    argument = translate_value(c, name, kind, value);
  if (argument)
    json_put(&c->arguments, NULL, argument);
  return argument != NULL;
}

static bool translate_arguments(call *c, size_t output_count) {
  const char *kind, *name;
  arena *memory = c->translation->memory;
  for (size_t i = 0; (name = method_argument(memory, c->method, i, &kind)) != NULL; i++)
    if (!translate_argument(c, name, kind, output_count))
      return false;
  return true;
}

static bool is_argument(const call *c, const char *name) {
  const char *kind, *argument;
  for (size_t i = 0;
       (argument = method_argument(c->translation->memory, c->method, i, &kind)) != NULL; i++)
    if (strcmp(argument, name) == 0)
      return true;
  return false;
}

/* Defaults that are spelled out: no text, no items where some are needed; and an operand's number
   in the writer's memory, with the operand itself among the positional arguments. */
static bool is_default(const call *c, const char *name, const char *kind, const json *value) {
  const bool axes = strcmp(name, "axes") == 0 && strcmp(c->op, "resample2d") != 0;
  return value->kind == JSON_NULL || (value->kind == JSON_STRING && !*value->text) ||
         (value->kind == JSON_ARRAY && value->length == 0 && !axes) ||
         (value->kind == JSON_NUMBER && strcmp(kind, "operand") == 0);
}

static bool translate_option(call *c, const json *o) {
  const char *name = canonical_name(c, o->name), *kind = method_option(c->method, name);
  const json *earlier = c->options->first;
  json *value;
  while (earlier != o && strcmp(canonical_name(c, earlier->name), name) != 0)
    earlier = earlier->next;
  if (earlier != o)
    return complain(o, "\"%s\" is given twice", name);
  if (is_argument(c, name) || o->kind == JSON_NULL || says_nothing(c, name))
    return true;
  if (!kind)
    return complain(o, "%s has no option \"%s\"", c->op, o->name);
  if (is_default(c, name, kind, o))
    return true;
  value = translate_value(c, name, kind, o);
  if (value)
    json_put(&c->chosen, name, value);
  return value != NULL;
}

/* Is this optional operand one of the positional arguments that are left? */
static bool may_be_positional(const call *c, const char *name, bool numbered) {
  const json *given = option_named(c, name);
  char flag[32];
  snprintf(flag, sizeof flag, "has%c%s", *name - 'a' + 'A', name + 1);
  if (json_get(c->options, flag) && !json_is_true(json_get(c->options, flag)))
    return false;
  return numbered ? given && given->kind == JSON_NUMBER : !given;
}

/* Operands after the arguments are the optional ones, in the specification's order. */
static bool translate_optional_operands(call *c) {
  translation *t = c->translation;
  bool numbered = false;
  const char *name;
  for (size_t i = 0; (name = method_optional_operand(t->session, c->method, i)) != NULL; i++) {
    const json *given = option_named(c, name);
    numbered = numbered || (given && given->kind == JSON_NUMBER);
  }
  for (size_t i = 0; (name = method_optional_operand(t->session, c->method, i)) != NULL; i++) {
    if (!may_be_positional(c, name, numbered))
      continue;
    if (c->positional && c->positional->kind == JSON_STRING)
      json_put(&c->chosen, name, wrap(t, "operand", json_copy(t->memory, next_positional(c))));
    else if (numbered)
      return must_be(option_named(c, name), "the name of an operand");
  }
  return !c->positional || complain(c->positional, "there are more arguments than %s takes", c->op);
}

static bool translate_options(call *c) {
  for (const json *o = json_items(c->options, JSON_OBJECT); o; o = o->next)
    if (!translate_option(c, o))
      return false;
  return translate_optional_operands(c);
}

static bool translate_call(call *c, json *outputs) {
  translation *t = c->translation;
  json_list made = json_start(t->memory, c->node, JSON_OBJECT);
  c->arguments = json_start(t->memory, c->node, JSON_ARRAY);
  c->chosen = json_start(t->memory, c->node, JSON_OBJECT);
  if (!translate_arguments(c, outputs->length) || !translate_options(c))
    return false;
  if (c->chosen.list->length > 0)
    json_put(&c->arguments, NULL, wrap(t, "options", c->chosen.list));
  json_put(&made, "name", json_text(t->memory, c->node, JSON_STRING, c->op));
  json_put(&made, "arguments", c->arguments.list);
  json_put(&made, "outputs", outputs);
  json_put(&t->operators, NULL, made.list);
  return true;
}

/* ---- Nodes that are no operators ------------------------------------------------------------- */

static int base64_digit(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *digit = c ? strchr(digits, c) : NULL;
  return digit ? (int)(digit - digits) : -1;
}

/* NULL after a complaint. */
static json *decode_base64(arena *memory, const json *data) {
  json *bytes = json_new(memory, data, JSON_BYTES);
  char *to = (char *)take(memory, data->length + 1);
  uint32_t bits = 0;
  size_t i;
  bytes->text = to;
  for (i = 0; i < data->length && base64_digit(data->text[i]) >= 0; i++) {
    bits = bits << 6 | (uint32_t)base64_digit(data->text[i]);
    if (i % 4 > 0)
      to[bytes->length++] = (char)(unsigned char)(bits >> (6 - 2 * (i % 4)) & 255);
  }
  if (data->length % 4 == 0 && strspn(data->text + i, "=") == data->length - i &&
      data->length - i <= 2)
    return bytes;
  complain(data, "\"data\" must be base64");
  return NULL;
}

/* y = constant(dataType="Float32", shape=[1], data="AACAPw==") */
static bool translate_constant_node(translation *t, const json *node, const json *name) {
  const json *options = json_get(node, "options"), *type = json_get(options, "dataType");
  const json *shape = json_get(options, "shape"), *data = json_get(options, "data");
  json_list l = json_start(t->memory, node, JSON_OBJECT);
  json *bytes;
  if (!json_string(type) || !shape || !json_string(data))
    return complain(node, "a constant must have dataType, shape and data");
  bytes = decode_base64(t->memory, data);
  if (!bytes)
    return false;
  json_put(&l, "name", json_copy(t->memory, name));
  json_put(&l, "dataType", lower_case(t->memory, type));
  json_put(&l, "shape", json_copy(t->memory, shape));
  json_put(&l, "data", bytes);
  json_put(&l, "constant", json_new(t->memory, node, JSON_TRUE));
  json_put(&t->inputs, NULL, l.list);
  return true;
}

/* Another name for a value: what has two names in a graph is made by an operator. */
static void put_identity(translation *t, const json *from, const json *name) {
  json_list l = json_start(t->memory, name, JSON_OBJECT);
  json_list arguments = json_start(t->memory, name, JSON_ARRAY);
  json_list outputs = json_start(t->memory, name, JSON_ARRAY);
  json_put(&arguments, NULL, wrap(t, "operand", json_copy(t->memory, from)));
  json_put(&outputs, NULL, json_copy(t->memory, name));
  json_put(&l, "name", json_text(t->memory, name, JSON_STRING, "identity"));
  json_put(&l, "arguments", arguments.list);
  json_put(&l, "outputs", outputs.list);
  json_put(&t->operators, NULL, l.list);
}

/* The names that a node gives to its results; NULL after a complaint. */
static json *take_outputs(translation *t, const json *node) {
  const json *id = json_get(node, "id"), *several = json_get(node, "outputs");
  json_list outputs = json_start(t->memory, node, JSON_ARRAY);
  if (json_items(several, JSON_ARRAY))
    return json_copy(t->memory, several);
  if (!json_string(id)) {
    must_be(node, "a node with \"id\" or \"outputs\"");
    return NULL;
  }
  json_put(&outputs, NULL, json_copy(t->memory, id));
  return outputs.list;
}

static bool translate_node(translation *t, const json *node) {
  const json *op = json_get(node, "op"), *inputs = json_get(node, "inputs");
  json *outputs = take_outputs(t, node);
  call c;
  memset(&c, 0, sizeof c);
  c.translation = t;
  c.node = node;
  c.options = json_get(node, "options");
  c.positional = json_items(inputs, JSON_ARRAY);
  if (!outputs || !json_string(op))
    return outputs ? must_be(node, "a node with \"op\"") : false;
  if (!*op->text && c.positional) {
    put_identity(t, c.positional, outputs->first);
    return true;
  }
  if (strcmp(op->text, "constant") == 0)
    return translate_constant_node(t, node, outputs->first);
  c.op = op->text;
  c.method = method_find(op->text);
  return c.method ? translate_call(&c, outputs)
                  : complain(op, "MLGraphBuilder has no operator \"%s\"", op->text);
}

/* ---- The whole tree -------------------------------------------------------------------------- */

static bool translate_output(translation *t, const json *output) {
  const json *name = json_text(t->memory, output, JSON_STRING, output->name);
  if (!json_string(output))
    return must_be(output, "the name of an operand");
  if (strcmp(output->text, output->name) != 0)
    put_identity(t, output, name);
  json_put(&t->outputs, NULL, wrap(t, "name", json_copy(t->memory, name)));
  return true;
}

static bool translate_members(translation *t, const json *graph, const char *name, json_kind kind,
                              bool (*translate)(translation *t, const json *item)) {
  const json *list = json_get(graph, name);
  if (list && list->kind != kind)
    return must_be(list, kind == JSON_ARRAY ? "a list" : "an object");
  for (const json *item = json_items(list, kind); item; item = item->next)
    if (!translate(t, item))
      return false;
  return true;
}

static bool translate(translation *t, const json *graph) {
  return translate_members(t, graph, "inputs", JSON_OBJECT, translate_input) &&
         translate_members(t, graph, "consts", JSON_OBJECT, translate_constant) &&
         translate_members(t, graph, "nodes", JSON_ARRAY, translate_node) &&
         translate_members(t, graph, "outputs", JSON_OBJECT, translate_output) &&
         (t->operators.list->length > 0 ||
          complain(graph, "the graph must have at least one node"));
}

const json *interchange_case(const session *s, arena *memory, const char *path, const json *graph) {
  json_list root = json_start(memory, graph, JSON_OBJECT);
  translation t;
  bool right;
  memset(&t, 0, sizeof t);
  t.session = s;
  t.memory = memory;
  t.path = path;
  t.inputs = json_start(memory, graph, JSON_ARRAY);
  t.operators = json_start(memory, graph, JSON_ARRAY);
  t.outputs = json_start(memory, graph, JSON_ARRAY);
  right = translate(&t, graph);
  weights_close(&t.weights);
  if (!right)
    return NULL;
  if (json_get(graph, "name"))
    json_put(&root, "name", json_copy(memory, json_get(graph, "name")));
  if (json_get(graph, "quantized"))
    json_put(&root, "quantized", json_copy(memory, json_get(graph, "quantized")));
  json_put(&root, "inputs", t.inputs.list);
  json_put(&root, "operators", t.operators.list);
  json_put(&root, "outputs", t.outputs.list);
  return root.list;
}

/* ---- From a network to the tree -------------------------------------------------------------- */

typedef struct writing {
  const session *session;
  arena *memory;
  network *network;
  const char **names; /* of each value */
  stored_list *stored;
} writing;

/* The text has names of letters, digits and _; some of its readers take the beginning of a name
   for true, false or null. */
static const char *make_identifier(arena *memory, const char *name) {
  char *text = take_text(memory, "_%s", name), *to = text + 1;
  for (const char *c = text + 1; *c; c++) {
    const bool good = (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
                      (*c >= '0' && *c <= '9') || *c == '_';
    if (good || ((unsigned char)*c & 0xC0) != 0x80) /* one for each character */
      *to++ = (char)(good ? *c : '_');
  }
  *to = 0;
  return (text[1] >= '0' && text[1] <= '9') || !text[1] || strncmp(text + 1, "true", 4) == 0 ||
                 strncmp(text + 1, "false", 5) == 0 || strncmp(text + 1, "null", 4) == 0
             ? text
             : text + 1;
}

static bool is_taken(const writing *w, const char *name) {
  for (size_t i = 0; i < w->network->value_count; i++)
    if ((w->names[i] && strcmp(w->names[i], name) == 0) ||
        strcmp(w->network->values[i].name, name) == 0)
      return true;
  return false;
}

/* Names that are identifiers stay; the others become new ones, and that is said. */
static void name_values(writing *w) {
  const network *n = w->network;
  w->names = (const char **)take(w->memory, (n->value_count + 1) * sizeof *w->names);
  for (size_t i = 0; i < n->value_count; i++) {
    const char *name = n->values[i].name, *base = make_identifier(w->memory, name);
    const char *candidate = base;
    for (unsigned long k = 2; strcmp(base, name) != 0 && is_taken(w, candidate); k++)
      candidate = take_text(w->memory, "%s_%lu", base, k);
    w->names[i] = candidate;
    if (strcmp(candidate, name) != 0)
      complain(n->values[i].node, "note: \"%s\" is written as %s", name, candidate);
  }
}

static json *name_node(const writing *w, const json *name) {
  const network_value *v = network_find(w->network, name->text);
  return json_text(w->memory, name, JSON_STRING, w->names[v - w->network->values]);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* BigInts are integers, doubles beyond those that are exact have a point, NaN and infinities are
   strings. */
static json *number_node(arena *memory, const json *value) {
  const bool bigint = value->name && strcmp(value->name, "bigint") == 0;
  const char *text = value->text, *digits = text + (*text == '-');
  json *number = json_copy(memory, value);
  if (is_text(value, "-0") || (!bigint && is_integer(value) && *text == '-' && digits[0] == '0'))
    return json_text(memory, value, JSON_NUMBER, bigint ? "0" : "-0.0");
  if (bigint) {
    while (*digits == '0' && digits[1])
      digits++;
    return json_text(memory, value, JSON_NUMBER,
                     take_text(memory, "%s%s", *text == '-' ? "-" : "", digits));
  }
  if (value->kind == JSON_NUMBER && is_bigint(value))
    return json_text(memory, value, JSON_NUMBER,
                     take_text(memory, "%.*s.0", (int)value->length, text));
  return number;
}

static json *value_node(const writing *w, const json *value) {
  json_list l = json_start(w->memory, value, JSON_ARRAY);
  if (strcmp(value->name, "operand") == 0)
    return name_node(w, value);
  if (strcmp(value->name, "number") == 0 || strcmp(value->name, "bigint") == 0)
    return number_node(w->memory, value);
  if (strcmp(value->name, "numbers") != 0)
    return json_copy(w->memory, value);
  value = sized_arguments(w->network, value);
  for (const json *item = value->first; item; item = item->next)
    json_put(&l, NULL,
             item->kind == JSON_OBJECT ? json_copy(w->memory, item) : number_node(w->memory, item));
  return l.list;
}

/* ---- Declarations and nodes ------------------------------------------------------------------ */

static json_list declaration(const writing *w, const network_value *v) {
  const webnn_operand_descriptor *d = &v->known.descriptor;
  json_list l = json_start(w->memory, v->node, JSON_OBJECT);
  json_put(&l, "dataType",
           json_text(w->memory, v->node, JSON_STRING, webnn_data_type_name(d->data_type)));
  json_put(&l, "shape", tensor_shape(w->memory, v->node, &v->known));
  return l;
}

/* A number that every reader of the text has exactly: some go by way of float32. */
static bool is_plain_scalar(const tensor *t) {
  const double number = element_value(t, 0);
  return t->descriptor.shape.count == 0 && webnn_data_type_bits(t->descriptor.data_type) > 4 &&
         number - number == 0 && !element_negative_zero(t, 0) &&
         (is_float_type(t->descriptor.data_type) || (number >= -16777216 && number <= 16777216));
}

static json *init_node(const writing *w, const network_value *v, const char *name) {
  const tensor *t = &v->known;
  json_list l = json_start(w->memory, v->node, JSON_OBJECT);
  const bool inside = t->byte_length <= w->session->inline_bytes;
  const bool scalar = inside && is_plain_scalar(t);
  char *number = (char *)take(w->memory, ELEMENT_ROOM);
  json_put(&l, "kind",
           json_text(w->memory, v->node, JSON_STRING,
                     scalar   ? "scalar"
                     : inside ? "inlineBytes"
                              : "weights"));
  if (scalar) {
    element_text(t, 0, number);
    json_put(&l, "value", json_text(w->memory, v->node, JSON_NUMBER, number));
  } else if (inside) {
    json_put(&l, "bytes", tensor_bytes(w->memory, v->node, t));
  } else {
    json_put(&l, "ref", json_text(w->memory, v->node, JSON_STRING, name));
    w->stored->names[w->stored->count] = name;
    w->stored->values[w->stored->count++] = v;
  }
  return l.list;
}

static json *declarations(const writing *w, bool constant) {
  const network *n = w->network;
  json_list l = json_start(w->memory, n->node, JSON_OBJECT);
  for (size_t i = 0; i < n->value_count; i++) {
    const network_value *v = &n->values[i];
    json_list d;
    if (v->producer != NOBODY || v->constant != constant)
      continue;
    d = declaration(w, v);
    if (constant)
      json_put(&d, "init", init_node(w, v, w->names[i]));
    json_put(&l, w->names[i], d.list);
  }
  return l.list;
}

/* The value of an argument {KIND: value}, or of an option. */
static const json *kind_and_value(const json *argument) {
  const json *kind = argument->first;
  return strcmp(kind->name, "name") == 0 ? kind->next : kind;
}

/* Operands into the one list, all else by name into the other. */
static void write_arguments(const writing *w, const operation *o, json_list *inputs,
                            json_list *options) {
  const json *item = json_get(o->node, "arguments")->first;
  const char *name, *kind;
  for (size_t i = 0; (name = method_argument(w->memory, o->method, i, &kind)); i++) {
    const json *value = kind_and_value(item);
    item = item->next;
    if (strcmp(kind, "operand") == 0)
      json_put(inputs, NULL, name_node(w, value));
    else if (strcmp(kind, "operands") == 0)
      for (const json *one = value->first; one; one = one->next)
        json_put(inputs, NULL, name_node(w, one));
    else
      json_put(options, strcmp(o->name, "cast") == 0 ? "to" : name, value_node(w, value));
  }
  if (item)
    for (const json *option = json_get(item, "options")->first; option; option = option->next)
      json_put(options, option->name, value_node(w, kind_and_value(option)));
}

static json *operation_node(const writing *w, const operation *o) {
  const char **names = w->names + o->first_output;
  json_list node = json_start(w->memory, o->node, JSON_OBJECT);
  json_list inputs = json_start(w->memory, o->node, JSON_ARRAY);
  json_list outputs = json_start(w->memory, o->node, JSON_ARRAY);
  json_list options = json_start(w->memory, o->node, JSON_OBJECT);
  write_arguments(w, o, &inputs, &options);
  for (size_t i = 0; i < o->output_count; i++)
    json_put(&outputs, NULL, json_text(w->memory, o->node, JSON_STRING, names[i]));
  json_put(&node, "id", json_text(w->memory, o->node, JSON_STRING, names[0]));
  json_put(&node, "op", json_text(w->memory, o->node, JSON_STRING, o->name));
  json_put(&node, "inputs", inputs.list);
  json_put(&node, "options", options.list);
  if (method_gives_sequence(o->method))
    json_put(&node, "outputs", outputs.list);
  return node.list;
}

const json *interchange_of(const session *s, arena *memory, network *n, stored_list *stored) {
  writing w = {s, memory, n, NULL, stored};
  json_list graph = json_start(memory, n->node, JSON_OBJECT);
  json_list nodes = json_start(memory, n->node, JSON_ARRAY);
  json_list outputs = json_start(memory, n->node, JSON_OBJECT);
  stored->values = (const network_value **)take(memory, (n->value_count + 1) * sizeof n->values);
  stored->names = (const char **)take(memory, (n->value_count + 1) * sizeof *stored->names);
  stored->count = 0;
  name_values(&w);
  for (size_t i = 0; i < n->operation_count; i++)
    json_put(&nodes, NULL, operation_node(&w, &n->operations[i]));
  for (size_t i = 0; i < n->output_count; i++) {
    const char *name = w.names[n->outputs[i]];
    json_put(&outputs, name, json_text(memory, n->node, JSON_STRING, name));
  }
  json_put(&graph, "format", json_text(memory, n->node, JSON_STRING, "webnn-graph-json"));
  json_put(&graph, "version", json_size(memory, n->node, 1));
  json_put(&graph, "name", json_text(memory, n->node, JSON_STRING, *n->name ? n->name : "graph"));
  if (json_is_true(json_get(n->node, "quantized")))
    json_put(&graph, "quantized", json_new(memory, n->node, JSON_TRUE));
  json_put(&graph, "inputs", declarations(&w, false));
  json_put(&graph, "consts", declarations(&w, true));
  json_put(&graph, "nodes", nodes.list);
  json_put(&graph, "outputs", outputs.list);
  return graph.list;
}
