/* A graph that somebody has built, as a case of JSON: from what webnn_graph_values,
   webnn_graph_operators and webnn_graph_options tell of it. */
#include "read.h"

#include <stdlib.h>
#include <string.h>

/* ---- What a graph reports -------------------------------------------------------------------- */

static void look(arena *memory, graph_view *v) {
  v->value_count = webnn_graph_values(v->graph, NULL, 0);
  v->operator_count = webnn_graph_operators(v->graph, NULL, 0);
  v->output_count = webnn_graph_outputs(v->graph, NULL, 0);
  v->values = (webnn_graph_value *)take(memory, (v->value_count + 1) * sizeof(webnn_graph_value));
  v->operators =
      (webnn_graph_operator *)take(memory, (v->operator_count + 1) * sizeof(webnn_graph_operator));
  v->outputs = (webnn_graph_port *)take(memory, (v->output_count + 1) * sizeof(webnn_graph_port));
  v->leaves = (uint32_t *)take(memory, (v->value_count + 1) * sizeof *v->leaves);
  webnn_graph_values(v->graph, v->values, v->value_count);
  webnn_graph_operators(v->graph, v->operators, v->operator_count);
  webnn_graph_outputs(v->graph, v->outputs, v->output_count);
}

static void add_leaves(graph_view *v, webnn_value_kind kind) {
  for (size_t i = 0; i < v->value_count; i++)
    if (v->values[i].kind == kind)
      v->leaves[v->leaf_count++] = (uint32_t)i;
}

/* The graph has those inputs that something depends on. */
static void rename_inputs(graph_view *v, const port_names *names) {
  const size_t count = webnn_graph_inputs(v->graph, NULL, 0);
  for (size_t i = 0; i < names->input_count; i++) {
    size_t j = 0;
    while (j < v->value_count && (v->values[j].kind != WEBNN_VALUE_INPUT ||
                                  strcmp(v->values[j].name, names->inputs[i].port) != 0))
      j++;
    if (j < v->value_count && v->leaf_count < count)
      v->leaves[v->leaf_count++] = (uint32_t)j;
  }
}

/* Which value is called so as an output of the graph, or as an input? */
static uint32_t value_of_port(const graph_view *v, const webnn_graph_port *outputs, size_t count,
                              const char *port) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(outputs[i].name, port) == 0)
      return outputs[i].value;
  for (size_t i = 0; i < v->value_count; i++)
    if (v->values[i].kind == WEBNN_VALUE_INPUT && strcmp(v->values[i].name, port) == 0)
      return (uint32_t)i;
  return WEBNN_NO_VALUE;
}

static bool rename_outputs(arena *memory, graph_view *v, const port_names *names) {
  const webnn_graph_port *own = v->outputs;
  const size_t count = v->output_count;
  v->output_count = names->output_count;
  v->outputs = (webnn_graph_port *)take(memory, (v->output_count + 1) * sizeof(webnn_graph_port));
  for (size_t i = 0; i < v->output_count; i++) {
    v->outputs[i].name = names->outputs[i].name;
    v->outputs[i].value = value_of_port(v, own, count, names->outputs[i].port);
    if (v->outputs[i].value == WEBNN_NO_VALUE)
      return complain(NULL,
                      "output \"%s\" is a constant, or an input that no operator takes, which "
                      "a graph cannot give",
                      names->outputs[i].name);
  }
  return true;
}

bool graph_view_take(arena *memory, const webnn_graph *graph, const port_names *names,
                     graph_view *v) {
  bool right = true;
  memset(v, 0, sizeof *v);
  v->graph = graph;
  look(memory, v);
  if (!names) {
    add_leaves(v, WEBNN_VALUE_INPUT);
  } else {
    rename_inputs(v, names);
    right = rename_outputs(memory, v, names);
    for (size_t i = 0; i < v->leaf_count; i++)
      for (size_t j = 0; j < names->input_count; j++)
        if (strcmp(v->values[v->leaves[i]].name, names->inputs[j].port) == 0) {
          v->values[v->leaves[i]].name = names->inputs[j].name;
          break;
        }
  }
  add_leaves(v, WEBNN_VALUE_CONSTANT);
  return right;
}

/* ---- The case -------------------------------------------------------------------------------- */

typedef struct describing {
  const session *session;
  arena *memory;
  const char *file;
  graph_view v;
  const char **names; /* of each value */
  json at;            /* where what is made stands */
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
  for (size_t i = 0; i < d->v.value_count; i++)
    if (d->v.values[i].kind == WEBNN_VALUE_INPUT && strcmp(d->v.values[i].name, name) == 0)
      return true;
  for (size_t i = 0; i < outputs; i++)
    if (strcmp(d->v.outputs[i].name, name) == 0)
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
  for (size_t i = 0; i < d->v.output_count; i++)
    d->v.outputs[i].name = free_name(d, d->v.outputs[i].name, 0);
  for (size_t i = 0; i < d->v.value_count; i++) {
    const webnn_graph_value *v = &d->v.values[i];
    const char *made = v->kind == WEBNN_VALUE_RESULT ? d->v.operators[v->operator_index].name : "c";
    d->names[i] = v->kind == WEBNN_VALUE_INPUT
                      ? take_text(d->memory, "%s", v->name)
                      : take_text(d->memory, "%s_%lu", made, (unsigned long)i);
    if (v->kind != WEBNN_VALUE_INPUT)
      d->names[i] = free_name(d, d->names[i], d->v.output_count);
  }
  for (size_t i = d->v.output_count; i-- > 0;)
    if (d->v.values[d->v.outputs[i].value].kind == WEBNN_VALUE_RESULT)
      d->names[d->v.outputs[i].value] = d->v.outputs[i].name;
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

/* A number, or a dynamic dimension by its name. */
static json *size_of(const describing *d, uint32_t size) {
  const char *name = webnn_graph_dimension_name(d->v.graph, size);
  json_list l = json_start(d->memory, &d->at, JSON_OBJECT);
  if (!name)
    return json_size(d->memory, &d->at, size);
  if (*name)
    json_put(&l, "name", text_of(d, name));
  return l.list;
}

static json *list_of(const describing *d, const webnn_list *list) {
  json_list l = json_start(d->memory, &d->at, JSON_ARRAY);
  for (size_t i = 0; i < list->count; i++)
    json_put(&l, NULL, size_of(d, list->items[i]));
  return l.list;
}

static json *leaf_of(const describing *d, size_t index) {
  const webnn_graph_value *v = &d->v.values[index];
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
  case WEBNN_OPTION_FLOATS:
    l = json_start(d->memory, &d->at, JSON_ARRAY);
    for (size_t i = 0; i < option->floats.count; i++)
      json_put(&l, NULL, real_of(d, (double)option->floats.items[i]));
    return object_of(d, "numbers", l.list);
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

/* Sizes of the parts of a split, of a dynamic dimension how many equal ones; all other arguments are
   among the options. */
static json *splits_of(const describing *d, const description *c) {
  json_list l = json_start(d->memory, &d->at, JSON_ARRAY);
  uint32_t axis = 0;
  for (size_t i = 0; i < c->option_count; i++)
    if (strcmp(c->options[i].name, "axis") == 0)
      axis = (uint32_t)c->options[i].number.integer;
  for (size_t i = 0; i < c->o->result_count; i++) {
    const uint32_t size = d->v.values[c->o->results[i]].descriptor.shape.items[axis];
    if (size >= WEBNN_DYNAMIC_DIMENSION)
      return object_of(d, "number", json_size(d->memory, &d->at, c->o->result_count));
    json_put(&l, NULL, json_size(d->memory, &d->at, size));
  }
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
    if (!c->taken[i] && option_is_given(&c->options[i]))
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
  c.o = &d->v.operators[index];
  c.method = method_find(c.o->name);
  c.option_count = webnn_graph_options(d->v.graph, index, c.options, MOST_OPTIONS);
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

static void put_outputs(describing *d, json_list *operators, json_list *outputs) {
  for (size_t i = 0; i < d->v.output_count; i++) {
    const webnn_graph_port *output = &d->v.outputs[i];
    if (strcmp(d->names[output->value], output->name) != 0)
      json_put(operators, NULL, identity_of(d, output));
    json_put(outputs, NULL, object_of(d, "name", text_of(d, output->name)));
  }
}

const json *described_case(const session *s, arena *memory, const char *file, const char *name,
                           const webnn_graph *graph, const port_names *names) {
  describing d;
  json_list root, inputs, operators, outputs;
  memset(&d, 0, sizeof d);
  d.session = s;
  d.memory = memory;
  d.file = file;
  if (!graph_view_take(memory, graph, names, &d.v))
    return NULL;
  d.names = (const char **)take(memory, (d.v.value_count + 1) * sizeof *d.names);
  name_values(&d);
  take_place(&d, "");
  root = json_start(memory, &d.at, JSON_OBJECT);
  inputs = json_start(memory, &d.at, JSON_ARRAY);
  operators = json_start(memory, &d.at, JSON_ARRAY);
  outputs = json_start(memory, &d.at, JSON_ARRAY);
  for (size_t i = 0; i < d.v.leaf_count; i++)
    json_put(&inputs, NULL, leaf_of(&d, d.v.leaves[i]));
  for (size_t i = 0; i < d.v.operator_count; i++)
    json_put(&operators, NULL, operator_of(&d, i));
  take_place(&d, "");
  put_outputs(&d, &operators, &outputs);
  json_put(&root, "name", text_of(&d, name));
  json_put(&root, "built", json_new(memory, &d.at, JSON_TRUE)); /* its reader has taken --dim */
  json_put(&root, "inputs", inputs.list);
  json_put(&root, "operators", operators.list);
  json_put(&root, "outputs", outputs.list);
  return root.list;
}
