/* Networks: a case of JSON, which graphs as text become too, becomes values and operations, is
   built as a graph, or one operator of it alone, and computed exactly. */
#include "read.h"

#include <string.h>

/* ---- Cases of a file ------------------------------------------------------------------------- */

const char *case_name(const json *node) {
  const char *name = json_string(json_get(node, "name"));
  return name ? name : "";
}

const json *case_of(const json *root, const char *name) {
  const json *cases = json_get(root, "cases"), *item = json_items(cases, JSON_ARRAY);
  if (!cases)
    return root;
  if (item && !item->next)
    return item;
  while (item && strcmp(case_name(item), name) != 0)
    item = item->next;
  return item;
}

/* ---- Reading --------------------------------------------------------------------------------- */

network_value *network_find(const network *n, const char *name) {
  for (size_t i = 0; i < n->value_count; i++)
    if (strcmp(n->values[i].name, name) == 0)
      return &n->values[i];
  return NULL;
}

/* A new value; NULL after a complaint. The array has room for all. */
static network_value *add_value(network *n, const json *name) {
  network_value *v = &n->values[n->value_count];
  if (!json_string(name) || !*name->text) {
    must_have(n->node, name, "name", "a string of at least one character");
    return NULL;
  }
  if (network_find(n, name->text)) {
    complain(name, "\"%s\" is the name of two operands", name->text);
    return NULL;
  }
  n->value_count++;
  v->name = name->text;
  v->node = name;
  v->producer = NOBODY;
  return v;
}

static bool read_input(network *n, const json *node) {
  const json *name = json_get(node, "name");
  network_value *v = node->kind == JSON_OBJECT && name ? add_value(n, name) : NULL;
  if (!v)
    return name ? false : must_be(node, "an input with a \"name\"");
  v->constant = json_is_true(json_get(node, "constant"));
  v->node = node;
  if (!network_declare(n, node, v))
    return false;
  return v->known.descriptor.data_type != 0 ||
         must_have(node, NULL, "dataType", "a type: float32, float16, int32, ...");
}

static bool read_operator(network *n, const json *node) {
  operation *o = &n->operations[n->operation_count++];
  const json *name = json_get(node, "name"), *outputs = json_get(node, "outputs");
  o->node = node;
  o->name = json_string(name);
  if (!o->name)
    return must_be(node, "an operator with a \"name\"");
  o->method = method_find(o->name);
  if (!o->method)
    return complain(name, "MLGraphBuilder has no operator \"%s\"", o->name);
  if (json_count(outputs) == 0 || outputs->kind != JSON_ARRAY)
    return must_have(node, outputs, "outputs", "a list of names");
  o->first_output = n->value_count;
  o->output_count = outputs->length;
  for (const json *item = outputs->first; item; item = item->next) {
    network_value *v = add_value(n, item);
    if (!v)
      return false;
    v->producer = n->operation_count - 1;
    v->output_index = (size_t)(v - n->values) - o->first_output;
  }
  return !json_get(node, "arguments") || dimensions_of_arguments(n, json_get(node, "arguments"));
}

static void add_output(network *n, network_value *v) {
  v->is_output = true;
  n->outputs[n->output_count++] = (size_t)(v - n->values);
}

/* Without a list of outputs: what no operator takes. */
static void find_outputs(network *n) {
  bool *taken = (bool *)take(n->memory, n->value_count + 1);
  for (size_t i = 0; i < n->operation_count; i++) {
    const size_t count = method_operands(n->operations[i].node, NULL, 0);
    const json **names = (const json **)take(n->memory, (count + 1) * sizeof *names);
    method_operands(n->operations[i].node, names, count);
    for (size_t j = 0; j < count; j++) {
      const network_value *v = network_find(n, names[j]->text);
      if (v)
        taken[v - n->values] = true;
    }
  }
  for (size_t i = 0; i < n->value_count; i++)
    if (!taken[i] && n->values[i].producer != NOBODY)
      add_output(n, &n->values[i]);
}

static bool read_outputs(network *n) {
  const json *list = json_get(n->node, "outputs");
  if (json_count(list) == 0 || list->kind != JSON_ARRAY) {
    if (list && list->kind != JSON_ARRAY)
      return must_be(list, "a list of outputs");
    find_outputs(n);
    return true;
  }
  for (const json *item = list->first; item; item = item->next) {
    const json *name = json_name(item);
    network_value *v = json_string(name) ? network_find(n, name->text) : NULL;
    if (!json_string(name))
      return must_be(name ? name : item, "an output: a name, or a tensor with one");
    if (!v || v->producer == NOBODY)
      return complain(name, "an output must be the result of an operator; \"%s\" is none",
                      name->text);
    if (v->is_output)
      return complain(name, "\"%s\" is an output twice", v->name);
    add_output(n, v);
  }
  return true;
}

static size_t count_values(const json *inputs, const json *operators) {
  size_t count = json_count(inputs);
  for (const json *item = json_items(operators, JSON_ARRAY); item; item = item->next)
    count += json_count(json_get(item, "outputs"));
  return count;
}

bool network_read(const session *s, arena *memory, const json *node, network *n) {
  const json *inputs = json_get(node, "inputs"), *operators = json_get(node, "operators"), *item;
  const size_t count = count_values(inputs, operators);
  memset(n, 0, sizeof *n);
  n->session = s;
  n->memory = memory;
  n->node = node;
  n->name = case_name(node);
  n->exact_zeros = json_is_true(json_get(node, "exact"));
  if (inputs && inputs->kind != JSON_ARRAY)
    return must_be(inputs, "a list of inputs");
  if (!operators || operators->kind != JSON_ARRAY || operators->length == 0)
    return must_have(node, operators, "operators", "a list of operators");
  n->values = (network_value *)take(memory, (count + 1) * sizeof *n->values);
  n->operations = (operation *)take(memory, operators->length * sizeof *n->operations);
  n->outputs = (size_t *)take(memory, (count + 1) * sizeof *n->outputs);
  for (item = json_items(inputs, JSON_ARRAY); item; item = item->next)
    if (!read_input(n, item))
      return false;
  for (item = operators->first; item; item = item->next)
    if (!read_operator(n, item))
      return false;
  return read_outputs(n) && every_dim_is_used(n);
}

static bool feed_one(network *n, const json *node, bool cuts) {
  const json *name = json_name(node);
  network_value *v = json_string(name) ? network_find(n, name->text) : NULL;
  tensor t;
  if (!v)
    return complain(name ? name : node, "the graph has no operand of this name");
  if (v->producer != NOBODY && !cuts)
    return complain(name, "\"%s\" is made by an operator; only run takes it from outside", v->name);
  if (v->producer == NOBODY && given_for(n->session, v->name))
    return true; /* --input comes first */
  if (!tensor_read(n->session, n->memory, node, &t))
    return false;
  if (!t.data)
    return complain(node, "\"%s\" has no data", v->name);
  if (v->producer == NOBODY && is_dynamic_shape(json_get(v->node, "shape")) &&
      t.descriptor.data_type == v->known.descriptor.data_type) {
    if (!network_take_shape(n, v, &t.descriptor.shape, node,
                            take_text(n->memory, "\"%s\"", v->name)))
      return false;
  } else if (v->producer == NOBODY && !same_descriptor(&t.descriptor, &v->known.descriptor))
    return complain(node, "\"%s\" is %s; it must be %s", v->name,
                    descriptor_text(n->memory, &t.descriptor),
                    descriptor_text(n->memory, &v->known.descriptor));
  v->known = t;
  v->cut = v->producer != NOBODY;
  return true;
}

bool network_feed(network *n, const json *tensors, bool cuts) {
  if (!tensors || tensors->kind != JSON_ARRAY)
    return must_be(tensors, "a list of tensors");
  for (const json *item = tensors->first; item; item = item->next)
    if (!feed_one(n, item, cuts))
      return false;
  return true;
}

/* An NPY file says its type and shape; bytes say the size of one dimension. */
static bool feed_dynamic(network *n, tensor_source *from, bool many, network_value *v, tensor *t) {
  const char *raw = source_raw(n, from, many, v);
  const char *file =
      raw ? raw : tensor_path(n->memory, from->path, many ? n->name : "", v->name, ".npy");
  memset(t, 0, sizeof *t);
  if (raw && is_open_shape(&v->known.descriptor.shape) && !network_take_bytes(n, v, raw))
    return false;
  if (!source_take(n, from, many, v, &v->known, t) || !t->data)
    return !t->data;
  if (t->descriptor.data_type != v->known.descriptor.data_type)
    return complain(NULL, "%s: has %s, not %s as \"%s\"", file,
                    descriptor_text(n->memory, &t->descriptor),
                    webnn_data_type_name(v->known.descriptor.data_type), v->name);
  return network_take_shape(n, v, &t->descriptor.shape, NULL,
                            take_text(n->memory, "%s: \"%s\"", file, v->name));
}

/* NAME.npy or NAME.bin for each input. */
static bool feed_files(network *n, tensor_source *from, bool many) {
  for (size_t i = 0; i < n->value_count; i++) {
    network_value *v = &n->values[i];
    tensor t = v->known;
    if (v->producer != NOBODY || v->constant || given_for(n->session, v->name))
      continue;
    t.data = NULL;
    if (is_dynamic_shape(json_get(v->node, "shape"))
            ? !feed_dynamic(n, from, many, v, &t)
            : !source_take(n, from, many, v, &v->known, &t))
      return false;
    if (t.data)
      v->known = t;
  }
  return true;
}

bool network_feed_inputs(network *n, tensor_source *from, bool many, bool cuts) {
  const json *root = from->root, *list = root;
  if (n->session->given_count > 0 && many)
    return complain(root, "--input is for one graph: --case NAME takes one of several");
  if (!network_feed_given(n))
    return false;
  if (!from->path)
    return true;
  if (!root)
    return feed_files(n, from, many) && (many || source_close(n->memory, from));
  if (root->kind != JSON_ARRAY)
    list = json_get(case_of(root, n->name), "inputs");
  return list ? network_feed(n, list, cuts)
              : complain(root, "there are no \"inputs\" for case \"%s\"", n->name);
}

/* The values that operators take and that nothing gives. */
static void mark_unfed(const network *n, bool *marks) {
  for (size_t i = 0; i < n->operation_count; i++) {
    const size_t count = method_operands(n->operations[i].node, NULL, 0);
    const json **names = (const json **)take(n->memory, (count + 1) * sizeof *names);
    method_operands(n->operations[i].node, names, count);
    for (size_t j = 0; j < count; j++) {
      const network_value *v = network_find(n, names[j]->text);
      if (v && v->producer == NOBODY && !v->known.data)
        marks[v - n->values] = true;
    }
  }
}

/* All at once, so that they can be given all at once. */
static bool is_fed(const network *n) {
  bool *unfed = (bool *)take(n->memory, n->value_count + 1);
  const network_value *first = NULL;
  const char *text = "";
  size_t more = 0;
  mark_unfed(n, unfed);
  for (size_t i = 0; i < n->value_count; i++) {
    const network_value *v = &n->values[i];
    if (unfed[i] && v->constant)
      return complain(v->node, "constant \"%s\" has no data", v->name);
    if (!unfed[i])
      continue;
    if (strlen(text) < 1000)
      text = take_text(n->memory, "%s%s\"%s\" %s", text, first ? ", " : "", v->name,
                       descriptor_text(n->memory, &v->known.descriptor));
    else
      more++;
    first = first ? first : v;
  }
  if (more > 0)
    text = take_text(n->memory, "%s and %lu more", text, (unsigned long)more);
  return !first ||
         complain(first->node,
                  "there are no data of input %s: give them with --input NAME=FILE, with --inputs "
                  "FILE.json, or with --inputs FOLDER that has NAME.npy or NAME.bin",
                  text);
}

/* ---- Building -------------------------------------------------------------------------------- */

/* What a call of the builder needs. */
typedef struct building {
  network *network;
  size_t first, last; /* operators, without the last */
  webnn_builder *builder;
  webnn_operand **operands; /* of each value; NULL: not made yet */
  webnn_graph *graph;
  bool any_count, refused; /* as in a method_call */
} building;

/* Nothing is built yet. */
static building part_of(network *n, size_t first, size_t last) {
  building b;
  memset(&b, 0, sizeof b);
  b.network = n;
  b.first = first;
  b.last = last;
  return b;
}

static building whole_of(network *n) {
  return part_of(n, 0, n->operation_count);
}

/* Is it a result that an operator alone takes as sizes? These no input may hold. */
static bool holds_sizes(const building *b, const network_value *v) {
  const operation *o = &b->network->operations[b->first];
  const size_t count = b->last - b->first == 1 ? method_operands(o->node, NULL, 0) : 0;
  const json **names = (const json **)take(b->network->memory, (count + 1) * sizeof *names);
  if (count > 0)
    method_operands(o->node, names, count);
  for (size_t i = 0; i < count; i++)
    if (method_holds_sizes(o->method, i) && strcmp(names[i]->text, v->name) == 0)
      return v->producer != NOBODY && v->known.data;
  return false;
}

/* An input, a constant, or a result that is given: made when it is first taken. */
static webnn_operand *make_known(building *b, const json *at, const network_value *v) {
  const tensor *t = &v->known;
  webnn_operand_descriptor descriptor = t->descriptor;
  const json *item = json_items(t->shape, JSON_ARRAY);
  webnn_operand *operand;
  for (size_t i = 0; item && i < descriptor.shape.count; item = item->next, i++)
    if (descriptor.shape.items[i] == WEBNN_DYNAMIC_DIMENSION && json_get(item, "name"))
      descriptor.shape.items[i] = webnn_dynamic_dimension(b->builder, json_get(item, "name")->text);
  operand = v->constant || holds_sizes(b, v)
                ? webnn_constant_over_memory(b->builder, descriptor, t->data, t->byte_length)
                : webnn_input(b->builder, v->name, descriptor);
  if (!operand)
    complain(at, "%s", webnn_builder_message(b->builder));
  return operand;
}

static webnn_operand *lookup(void *user, const json *name) {
  building *b = (building *)user;
  const network_value *v = json_string(name) ? network_find(b->network, name->text) : NULL;
  const size_t index = v ? (size_t)(v - b->network->values) : 0;
  if (!v) {
    complain(name, "there is no operand \"%s\"", json_string(name) ? name->text : "");
    return NULL;
  }
  if (!b->operands[index]) {
    if (!v->known.data && v->producer != NOBODY && v->producer < b->first)
      complain(name, "\"%s\" follows from sizes, and no operator computes it", v->name);
    else if (!v->known.data && v->producer != NOBODY)
      complain(name, "\"%s\" is made by a later operator", v->name);
    else if (!v->known.data)
      complain(v->node, "input \"%s\" has no data", v->name);
    else
      b->operands[index] = make_known(b, v->node, v);
  }
  return b->operands[index];
}

/* A dynamic dimension in a list: its size, or the builder's number for its name. */
static bool list_dimension(void *user, const json *item, uint32_t *size) {
  building *b = (building *)user;
  if (!dimension_read(b->network, item, size))
    return false;
  if (*size == WEBNN_DYNAMIC_DIMENSION && json_get(item, "name"))
    *size = webnn_dynamic_dimension(b->builder, json_get(item, "name")->text);
  return true;
}

/* Whether what is given has the type and shape of the result in whose place it is. */
static bool fits_cut(const network *n, const network_value *v, const webnn_operand *operand) {
  webnn_operand_descriptor made;
  made.data_type = webnn_operand_data_type(operand);
  made.shape = webnn_operand_shape(operand);
  return same_descriptor(&made, &v->known.descriptor) ||
         complain(v->node, "\"%s\" is %s, but %s is given for it", v->name,
                  descriptor_text(n->memory, &made),
                  descriptor_text(n->memory, &v->known.descriptor));
}

/* Calls the builder's method. Results that are given from outside stay to be made as inputs. */
static bool build_operator(building *b, const operation *o) {
  const network_value *v = &b->network->values[o->first_output];
  method_call call;
  memset(&call, 0, sizeof call);
  call.operator_node = o->node;
  call.builder = b->builder;
  call.lookup = lookup;
  call.dimension = list_dimension;
  call.user = b;
  call.memory = b->network->memory;
  call.label = v->name;
  call.output_count = o->output_count;
  call.any_count = b->any_count;
  if (!method_make(o->method, &call)) {
    b->refused = call.refused;
    return false;
  }
  for (size_t i = 0; i < o->output_count; i++) {
    if (!v[i].cut)
      b->operands[o->first_output + i] = call.outputs[i];
    else if (!fits_cut(b->network, &v[i], call.outputs[i]))
      return false;
  }
  return true;
}

static bool build_graph(building *b, const size_t *outputs, size_t count) {
  network *n = b->network;
  webnn_named_operand *named = (webnn_named_operand *)take(n->memory, (count + 1) * sizeof *named);
  webnn_error error = WEBNN_ZERO;
  for (size_t i = 0; i < count; i++) {
    network_value *v = &n->values[outputs[i]];
    webnn_operand *operand = b->operands[outputs[i]];
    if (v->cut) /* no input can be an output */
      operand = webnn_identity(b->builder, lookup(b, v->node), NULL);
    named[i].name = v->name;
    named[i].operand = operand;
  }
  b->refused = webnn_build(b->builder, named, count, &b->graph, &error) != WEBNN_OK;
  if (b->refused)
    return complain(n->node, "%s: %s", webnn_status_name(error.status), error.message);
  return true;
}

/* A graph has its inputs in the order in which the JSON has them. */
static bool declare_inputs(building *b) {
  const network *n = b->network;
  for (size_t i = 0; i < n->value_count; i++) {
    const network_value *v = &n->values[i];
    if (v->producer != NOBODY || !v->known.data)
      continue;
    b->operands[i] = make_known(b, v->node, v);
    if (!b->operands[i])
      return false;
  }
  return true;
}

static bool build(building *b, const size_t *outputs, size_t output_count) {
  webnn_error error = WEBNN_ZERO;
  if (webnn_create_builder(b->network->session->context, &b->builder, &error) != WEBNN_OK)
    return complain(b->network->node, "%s", error.message);
  if (b->last - b->first == b->network->operation_count && !declare_inputs(b))
    return false;
  for (size_t i = b->first; i < b->last; i++)
    if (!build_operator(b, &b->network->operations[i]))
      return false;
  return build_graph(b, outputs, output_count);
}

/* ---- Computing ------------------------------------------------------------------------------- */

/* Keeps what an operator has just computed. Its label is the name of its first result. */
static void keep(void *user, const webnn_tapped_value *tapped) {
  network *n = (network *)user;
  network_value *v = network_find(n, tapped->label);
  if (!v || v->producer == NOBODY)
    return; /* an identity that build_graph put in */
  n->operations[v->producer].graph_index = tapped->operator_index;
  progress_of("operator", v->producer + 1, n->operation_count);
  v += tapped->output_index;
  v->exact.descriptor = tapped->descriptor;
  if (!tensor_measure(n->session, n->node, &v->exact))
    return;
  v->exact.data = take(n->memory, v->exact.byte_length);
  memcpy(v->exact.data, tapped->data, v->exact.byte_length);
}

/* Tensors for a graph's inputs or outputs over the values' own memory. */
static bool bind(network *n, const webnn_graph_port *ports, size_t count, bool outputs,
                 webnn_named_tensor *named) {
  webnn_error error = WEBNN_ZERO;
  for (size_t i = 0; i < count; i++) {
    network_value *v = network_find(n, ports[i].name);
    tensor *t = outputs ? &v->exact : &v->known;
    webnn_tensor_descriptor descriptor = {ports[i].descriptor.data_type, ports[i].descriptor.shape,
                                          true, true};
    if (outputs) {
      t->descriptor = ports[i].descriptor;
      if (!tensor_measure(n->session, v->node, t))
        return false;
      t->data = take(n->memory, t->byte_length);
    }
    named[i].name = v->name;
    if (webnn_create_tensor_over_memory(n->session->context, descriptor, t->data, t->byte_length,
                                        &named[i].tensor, &error) != WEBNN_OK)
      return complain(v->node, "%s", error.message);
  }
  return true;
}

static void free_tensors(webnn_named_tensor *named, size_t count) {
  for (size_t i = 0; i < count; i++)
    webnn_free_tensor(named[i].tensor);
}

static bool dispatch(building *b, bool all) {
  network *n = b->network;
  webnn_context *context = n->session->context;
  const size_t in = webnn_graph_inputs(b->graph, NULL, 0);
  const size_t out = webnn_graph_outputs(b->graph, NULL, 0);
  webnn_graph_port *ports = (webnn_graph_port *)take(n->memory, (in + out + 1) * sizeof *ports);
  webnn_named_tensor *named = (webnn_named_tensor *)take(n->memory, (in + out + 1) * sizeof *named);
  webnn_error error = WEBNN_ZERO;
  bool right;
  webnn_graph_inputs(b->graph, ports, in);
  webnn_graph_outputs(b->graph, ports + in, out);
  right = bind(n, ports, in, false, named) && bind(n, ports + in, out, true, named + in);
  if (right && ((all && webnn_tap_graph(b->graph, keep, n, &error) != WEBNN_OK) ||
                webnn_dispatch(context, b->graph, named, in, named + in, out, &error) != WEBNN_OK ||
                webnn_wait(context, &error) != WEBNN_OK))
    right = complain(n->node, "%s: %s", webnn_status_name(error.status), error.message);
  free_tensors(named, in + out);
  return right;
}

/* Each operator's tolerance, by the place in the graph that the tap has seen. */
static void take_limits(network *n, const webnn_graph *graph, size_t first, size_t last) {
  for (size_t i = first; i < last; i++) {
    const webnn_tolerance t = webnn_graph_tolerance(graph, n->operations[i].graph_index);
    n->operations[i].limit.ulp = t.metric == WEBNN_METRIC_ULP ? t.value : 0.0;
    n->operations[i].limit.atol = t.metric == WEBNN_METRIC_ATOL ? t.value : 0.0;
  }
}

/* What is given from outside is its own exact value. */
static void take_cuts(network *n) {
  for (size_t i = 0; i < n->value_count; i++)
    if (n->values[i].cut)
      n->values[i].exact = n->values[i].known;
}

static bool compute(building *b, const size_t *outputs, size_t count, bool all) {
  network *n = b->network;
  bool right;
  b->operands = (webnn_operand **)take(n->memory, (n->value_count + 1) * sizeof *b->operands);
  right = build(b, outputs, count) && dispatch(b, all);
  progress_of("operator", 0, 0);
  if (right && n->trace)
    right = n->trace_graph(n, b->graph);
  if (right && all)
    take_limits(n, b->graph, b->first, b->last);
  webnn_free_graph(b->graph);
  webnn_free_builder(b->builder);
  take_cuts(n);
  return right;
}

/* The operators whose results this one takes. In a graph that can be built they stand before it. */
static void mark_producers(const network *n, size_t index, bool given, bool *marks) {
  const size_t count = method_operands(n->operations[index].node, NULL, 0);
  const json **names = (const json **)take(n->memory, (count + 1) * sizeof *names);
  method_operands(n->operations[index].node, names, count);
  for (size_t i = 0; i < count; i++) {
    const network_value *v = network_find(n, names[i]->text);
    if (v && v->producer < index && !v->cut && !(given && v->theirs.data))
      marks[v->producer] = true;
  }
}

void network_mark_behind(const network *n, size_t index, bool given, bool *marks) {
  mark_producers(n, index, given, marks);
  for (size_t i = index; i-- > 0;)
    if (marks[i])
      mark_producers(n, i, given, marks);
}

/* A graph leaves out operators on which no output depends. To see these too, the last of them
   become outputs. */
static size_t add_unused(network *n, size_t *outputs, size_t count) {
  bool *needed = (bool *)take(n->memory, n->operation_count);
  for (size_t i = 0; i < count; i++)
    if (!n->values[outputs[i]].cut)
      needed[n->values[outputs[i]].producer] = true;
  for (size_t i = n->operation_count; i-- > 0;) {
    const operation *o = &n->operations[i];
    size_t j = 0;
    while (j < o->output_count && n->values[o->first_output + j].cut)
      j++;
    if (!needed[i] && j < o->output_count) {
      outputs[count++] = o->first_output + j;
      needed[i] = true;
    }
    if (needed[i])
      mark_producers(n, i, false, needed);
  }
  return count;
}

bool network_compute(network *n, bool all) {
  building b = whole_of(n);
  size_t *outputs = (size_t *)take(n->memory, (n->value_count + 1) * sizeof *outputs);
  if (!is_fed(n))
    return false;
  memcpy(outputs, n->outputs, n->output_count * sizeof *outputs);
  return compute(&b, outputs, all ? add_unused(n, outputs, n->output_count) : n->output_count, all);
}

bool network_compute_theirs(network *n, bool all) {
  const session *own = n->session;
  session other = *own;
  tensor *exact = (tensor *)take(n->memory, (n->value_count + 1) * sizeof *exact);
  bool right;
  for (size_t i = 0; i < n->value_count; i++) {
    exact[i] = n->values[i].exact;
    memset(&n->values[i].exact, 0, sizeof n->values[i].exact);
  }
  other.context = own->judged;
  n->session = &other;
  right = network_compute(n, all);
  n->session = own;
  for (size_t i = 0; i < n->value_count; i++) {
    network_value *v = &n->values[i];
    if (v->producer != NOBODY && v->exact.data)
      v->theirs = v->exact;
    v->exact = exact[i];
  }
  return right;
}

bool network_compute_operator(network *n, size_t index) {
  building b = part_of(n, index, index + 1);
  const operation *o = &n->operations[index];
  size_t *outputs = (size_t *)take(n->memory, o->output_count * sizeof *outputs);
  for (size_t i = 0; i < o->output_count; i++)
    outputs[i] = o->first_output + i;
  return compute(&b, outputs, o->output_count, true);
}

limit network_limit(network *n, const network_value *v, bool given) {
  bool *behind = (bool *)take(n->memory, n->operation_count);
  limit sum = n->operations[v->producer].limit;
  if (!is_float_type(v->exact.descriptor.data_type))
    return sum;
  network_mark_behind(n, v->producer, given, behind);
  for (size_t i = 0; i < n->operation_count; i++) {
    sum.ulp += behind[i] ? n->operations[i].limit.ulp : 0.0;
    sum.atol += behind[i] ? n->operations[i].limit.atol : 0.0;
  }
  return sum;
}

/* ---- The graph without data ------------------------------------------------------------------ */

static void write_text(void *user, const char *text, size_t length) {
  fwrite(text, 1, length, (FILE *)user);
}

/* Data that is not there does not show in the graph: for a while zeros stand for it. */
static bool build_alone(building *b) {
  network *n = b->network;
  tensor *known = (tensor *)take(n->memory, (n->value_count + 1) * sizeof *known);
  bool right;
  for (size_t i = 0; i < n->value_count; i++) {
    network_value *v = &n->values[i];
    known[i] = v->known;
    if (v->producer == NOBODY && !v->known.data)
      v->known.data = take(n->memory, v->constant ? v->known.byte_length + 1 : 1);
  }
  b->operands = (webnn_operand **)take(n->memory, (n->value_count + 1) * sizeof *b->operands);
  right = build(b, n->outputs, n->output_count);
  for (size_t i = 0; i < n->value_count; i++)
    n->values[i].known = known[i];
  return right;
}

bool network_print(network *n, bool dot) {
  building b = whole_of(n);
  const bool right = build_alone(&b);
  if (right && dot)
    webnn_print_graph_dot(b.graph, write_text, stdout);
  else if (right)
    webnn_print_graph(b.graph, write_text, stdout);
  webnn_free_graph(b.graph);
  webnn_free_builder(b.builder);
  return right;
}

bool network_builds(network *n) {
  building b = whole_of(n);
  const bool right = build_alone(&b);
  webnn_free_graph(b.graph);
  webnn_free_builder(b.builder);
  return right;
}

bool network_build(network *n, webnn_graph **graph) {
  building b = whole_of(n);
  bool right = true;
  for (size_t i = 0; right && i < n->value_count; i++)
    if (n->values[i].constant && !n->values[i].known.data)
      right = complain(n->values[i].node, "constant \"%s\" has no data", n->values[i].name);
  right = right && build_alone(&b);
  *graph = b.graph;
  webnn_free_builder(b.builder);
  return right;
}

bool network_refuses(network *n, bool *refuses) {
  building b = whole_of(n);
  bool right;
  b.any_count = true;
  right = build_alone(&b);
  *refuses = b.refused;
  webnn_free_graph(b.graph);
  webnn_free_builder(b.builder);
  return right || b.refused;
}

bool network_tolerance(network *n, webnn_tolerance *tolerance, webnn_data_type *type) {
  building b = whole_of(n);
  const bool right = build_alone(&b);
  if (right) {
    *tolerance = webnn_graph_tolerance(b.graph, 0);
    *type = webnn_operand_data_type(b.operands[n->outputs[0]]);
  }
  webnn_free_graph(b.graph);
  webnn_free_builder(b.builder);
  return right;
}
