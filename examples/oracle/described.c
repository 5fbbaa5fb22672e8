/* A graph that somebody has built, as a case of JSON: from what webnn_graph_values,
   webnn_graph_operators and webnn_graph_options tell of it. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

typedef struct describing {
  const session *session;
  arena *memory;
  const char *file;
  const webnn_graph *graph;
  webnn_graph_value *values;
  webnn_graph_operator *operators;
  webnn_graph_port *outputs;
  const char **names; /* of each value */
  size_t value_count, operator_count, output_count;
  json at; /* where what is made stands */
} describing;

static json *text_of(const describing *d, const char *text) {
  return json_text(d->memory, &d->at, JSON_STRING, take_text(d->memory, "%s", text));
}

/* {NAME: VALUE} */
static json *object_of(const describing *d, const char *name, json *value) {
  json_list l = json_start(d->memory, &d->at, JSON_OBJECT);
  json_put(&l, name, value);
  return l.list;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool is_taken(const describing *d, const char *name, size_t outputs) {
  for (size_t i = 0; i < d->value_count; i++)
    if (d->values[i].kind == WEBNN_VALUE_INPUT && strcmp(d->values[i].name, name) == 0)
      return true;
  for (size_t i = 0; i < outputs; i++)
    if (strcmp(d->outputs[i].name, name) == 0)
      return true;
  return false;
}

static const char *free_name(const describing *d, const char *name, size_t outputs) {
  const char *wanted = name;
  while (is_taken(d, name, outputs))
    name = take_text(d->memory, "%s_", name);
  if (outputs == 0 && name != wanted)
    complain(NULL, "note: output \"%s\" is called as an input is; here it is \"%s\"", wanted, name);
  return name;
}

/* Inputs and outputs have theirs; an operator's result is called "matmul_7". */
static void name_values(describing *d) {
  for (size_t i = 0; i < d->output_count; i++)
    d->outputs[i].name = free_name(d, d->outputs[i].name, 0);
  for (size_t i = 0; i < d->value_count; i++) {
    const webnn_graph_value *v = &d->values[i];
    const char *made = v->kind == WEBNN_VALUE_RESULT ? d->operators[v->operator_index].name : "c";
    d->names[i] = v->kind == WEBNN_VALUE_INPUT
                      ? take_text(d->memory, "%s", v->name)
                      : take_text(d->memory, "%s_%lu", made, (unsigned long)i);
    if (v->kind != WEBNN_VALUE_INPUT)
      d->names[i] = free_name(d, d->names[i], d->output_count);
  }
  for (size_t i = d->output_count; i-- > 0;)
    if (d->values[d->outputs[i].value].kind == WEBNN_VALUE_RESULT)
      d->names[d->outputs[i].value] = d->outputs[i].name;
}

/* "file:line:column" of a label. */
static void take_place(describing *d, const char *label) {
  const char *column = strrchr(label, ':'), *line = column;
  d->at.file = d->file;
  d->at.line = d->at.column = 1;
  while (line > label && line[-1] != ':')
    line--;
  if (!column || line <= label + 1 || column[1] < '0' || column[1] > '9' || *line < '0' ||
      *line > '9')
    return;
  d->at.file = take_text(d->memory, "%.*s", (int)(line - 1 - label), label);
  d->at.line = (uint32_t)strtoul(line, NULL, 10);
  d->at.column = (uint32_t)strtoul(column + 1, NULL, 10);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static json *list_of(const describing *d, const webnn_list *list) {
  json_list l = json_start(d->memory, &d->at, JSON_ARRAY);
  for (size_t i = 0; i < list->count; i++)
    json_put(&l, NULL, json_size(d->memory, &d->at, list->items[i]));
  return l.list;
}

static json *leaf_of(const describing *d, size_t index) {
  const webnn_graph_value *v = &d->values[index];
  json_list l = json_start(d->memory, &d->at, JSON_OBJECT);
  tensor t;
  json_put(&l, "name", text_of(d, d->names[index]));
  json_put(&l, "dataType", text_of(d, webnn_data_type_name(v->descriptor.data_type)));
  json_put(&l, "shape", list_of(d, &v->descriptor.shape));
  if (v->kind != WEBNN_VALUE_CONSTANT)
    return l.list;
  memset(&t, 0, sizeof t);
  t.descriptor = v->descriptor;
  t.byte_length = v->byte_length;
  t.count = 1;
  for (size_t i = 0; i < v->descriptor.shape.count; i++)
    t.count *= v->descriptor.shape.items[i];
  memcpy(&t.data, &v->data, sizeof v->data); /* nothing writes to it */
  json_put(&l, "data", tensor_bytes(d->memory, &d->at, &t));
  json_put(&l, "constant", json_new(d->memory, &d->at, JSON_TRUE));
  return l.list;
}

/* ---- Options --------------------------------------------------------------------------------- */

static json *real_of(const describing *d, double number) {
  char text[ELEMENT_ROOM];
  if (number != number)
    return text_of(d, "NaN");
  if (number - number != 0)
    return text_of(d, number > 0 ? "Infinity" : "-Infinity");
  snprintf(text, sizeof text, "%.17g", number);
  return json_text(d->memory, &d->at, JSON_NUMBER, take_text(d->memory, "%s", text));
}

/* Of more than a double has exactly, a BigInt. */
static json *number_of(const describing *d, const webnn_number *number) {
  const bool negative = number->kind == WEBNN_NUMBER_INT64 && number->integer >> 63 != 0;
  const uint64_t magnitude = negative ? 0 - number->integer : number->integer;
  const char *text;
  if (number->kind == WEBNN_NUMBER_DOUBLE)
    return object_of(d, "number", real_of(d, number->f64));
  text = take_text(d->memory, "%s%llu", negative ? "-" : "", (unsigned long long)magnitude);
  if (magnitude > 9007199254740992u)
    return object_of(d, "bigint", json_text(d->memory, &d->at, JSON_STRING, text));
  return object_of(d, "number", json_text(d->memory, &d->at, JSON_NUMBER, text));
}

static json *option_of(const describing *d, const webnn_graph_option *option) {
  json_list l;
  switch (option->kind) {
  case WEBNN_OPTION_BOOL:
    return object_of(d, "bool",
                     json_new(d->memory, &d->at, option->boolean ? JSON_TRUE : JSON_FALSE));
  case WEBNN_OPTION_NUMBER:
    return number_of(d, &option->number);
  case WEBNN_OPTION_LIST:
    return object_of(d, "numbers", list_of(d, &option->list));
  case WEBNN_OPTION_TEXT:
    return object_of(d, "string", text_of(d, option->texts[0]));
  default:
    l = json_start(d->memory, &d->at, JSON_ARRAY);
    for (size_t i = 0; i < option->text_count; i++)
      json_put(&l, NULL, text_of(d, option->texts[i]));
    return object_of(d, "strings", l.list);
  }
}

/* ---- Operators ------------------------------------------------------------------------------- */

enum { MOST_OPTIONS = 16 };

typedef struct description {
  const webnn_graph_operator *o;
  const method *method;
  webnn_graph_option options[MOST_OPTIONS];
  bool taken[MOST_OPTIONS];
  size_t option_count, operand; /* the next that is not taken yet */
} description;

/* Sizes of the parts of a split; all other arguments are among the options. */
static json *splits_of(const describing *d, const description *c) {
  json_list l = json_start(d->memory, &d->at, JSON_ARRAY);
  uint32_t axis = 0;
  for (size_t i = 0; i < c->option_count; i++)
    if (strcmp(c->options[i].name, "axis") == 0)
      axis = (uint32_t)c->options[i].number.integer;
  for (size_t i = 0; i < c->o->result_count; i++)
    json_put(
        &l, NULL,
        json_size(d->memory, &d->at, d->values[c->o->results[i]].descriptor.shape.items[axis]));
  return object_of(d, "numbers", l.list);
}

static json *argument_of(const describing *d, description *c, const char *name, const char *kind) {
  if (strcmp(kind, "operand") == 0)
    return object_of(d, kind, text_of(d, d->names[c->o->operands[c->operand++]]));
  if (strcmp(kind, "operands") == 0) {
    json_list l = json_start(d->memory, &d->at, JSON_ARRAY);
    while (c->operand < c->o->operand_count)
      json_put(&l, NULL, text_of(d, d->names[c->o->operands[c->operand++]]));
    return object_of(d, kind, l.list);
  }
  for (size_t i = 0; i < c->option_count; i++) {
    if (strcmp(c->options[i].name, name) == 0) {
      c->taken[i] = true;
      return option_of(d, &c->options[i]);
    }
  }
  return splits_of(d, c);
}

/* Optional operands by the names that webnn_op_limits has; then what is no argument. */
static json *options_of(const describing *d, description *c) {
  json_list l = json_start(d->memory, &d->at, JSON_OBJECT);
  webnn_operator_limits limits;
  memset(&limits, 0, sizeof limits);
  webnn_op_limits(d->session->context, c->o->op, &limits);
  for (; c->operand < c->o->operand_count; c->operand++)
    if (c->o->operands[c->operand] != WEBNN_NO_VALUE)
      json_put(&l, limits.operands[c->operand].name,
               object_of(d, "operand", text_of(d, d->names[c->o->operands[c->operand]])));
  for (size_t i = 0; i < c->option_count; i++)
    if (!c->taken[i])
      json_put(&l, c->options[i].name, option_of(d, &c->options[i]));
  if (*c->o->label)
    json_put(&l, "label", object_of(d, "string", text_of(d, c->o->label)));
  return l.list;
}

static json *operator_of(describing *d, size_t index) {
  json_list l, arguments, outputs;
  const char *name, *kind;
  description c;
  memset(&c, 0, sizeof c);
  c.o = &d->operators[index];
  c.method = method_find(c.o->name);
  c.option_count = webnn_graph_options(d->graph, index, c.options, MOST_OPTIONS);
  take_place(d, c.o->label);
  l = json_start(d->memory, &d->at, JSON_OBJECT);
  arguments = json_start(d->memory, &d->at, JSON_ARRAY);
  outputs = json_start(d->memory, &d->at, JSON_ARRAY);
  for (size_t i = 0; (name = method_argument(d->memory, c.method, i, &kind)) != NULL; i++)
    json_put(&arguments, NULL, argument_of(d, &c, name, kind));
  json_put(&arguments, NULL, object_of(d, "options", options_of(d, &c)));
  for (size_t i = 0; i < c.o->result_count; i++)
    json_put(&outputs, NULL, text_of(d, d->names[c.o->results[i]]));
  json_put(&l, "name", text_of(d, c.o->name));
  json_put(&l, "arguments", arguments.list);
  json_put(&l, "outputs", outputs.list);
  return l.list;
}

/* A second name of a value. */
static json *identity_of(const describing *d, const webnn_graph_port *output) {
  json_list l = json_start(d->memory, &d->at, JSON_OBJECT);
  json_list arguments = json_start(d->memory, &d->at, JSON_ARRAY);
  json_list outputs = json_start(d->memory, &d->at, JSON_ARRAY);
  json_put(&arguments, NULL, object_of(d, "operand", text_of(d, d->names[output->value])));
  json_put(&outputs, NULL, text_of(d, output->name));
  json_put(&l, "name", text_of(d, "identity"));
  json_put(&l, "arguments", arguments.list);
  json_put(&l, "outputs", outputs.list);
  return l.list;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void look(describing *d) {
  d->value_count = webnn_graph_values(d->graph, NULL, 0);
  d->operator_count = webnn_graph_operators(d->graph, NULL, 0);
  d->output_count = webnn_graph_outputs(d->graph, NULL, 0);
  d->values = (webnn_graph_value *)take(d->memory, (d->value_count + 1) * sizeof *d->values);
  d->operators =
      (webnn_graph_operator *)take(d->memory, (d->operator_count + 1) * sizeof *d->operators);
  d->outputs = (webnn_graph_port *)take(d->memory, (d->output_count + 1) * sizeof *d->outputs);
  d->names = (const char **)take(d->memory, (d->value_count + 1) * sizeof *d->names);
  webnn_graph_values(d->graph, d->values, d->value_count);
  webnn_graph_operators(d->graph, d->operators, d->operator_count);
  webnn_graph_outputs(d->graph, d->outputs, d->output_count);
}

const json *described_case(const session *s, arena *memory, const char *file, const char *name,
                           const webnn_graph *graph) {
  describing d;
  json_list root, inputs, operators, outputs;
  memset(&d, 0, sizeof d);
  d.session = s;
  d.memory = memory;
  d.file = file;
  d.graph = graph;
  look(&d);
  name_values(&d);
  take_place(&d, "");
  root = json_start(memory, &d.at, JSON_OBJECT);
  inputs = json_start(memory, &d.at, JSON_ARRAY);
  operators = json_start(memory, &d.at, JSON_ARRAY);
  outputs = json_start(memory, &d.at, JSON_ARRAY);
  for (size_t i = 0; i < d.value_count; i++)
    if (d.values[i].kind != WEBNN_VALUE_RESULT)
      json_put(&inputs, NULL, leaf_of(&d, i));
  for (size_t i = 0; i < d.operator_count; i++)
    json_put(&operators, NULL, operator_of(&d, i));
  take_place(&d, "");
  for (size_t i = 0; i < d.output_count; i++) {
    if (strcmp(d.names[d.outputs[i].value], d.outputs[i].name) != 0)
      json_put(&operators, NULL, identity_of(&d, &d.outputs[i]));
    json_put(&outputs, NULL, object_of(&d, "name", text_of(&d, d.outputs[i].name)));
  }
  json_put(&root, "name", text_of(&d, name));
  json_put(&root, "inputs", inputs.list);
  json_put(&root, "operators", operators.list);
  json_put(&root, "outputs", outputs.list);
  return root.list;
}
