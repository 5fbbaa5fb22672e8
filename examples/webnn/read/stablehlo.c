/* Modules in StableHLO's text: the graph that a function of one becomes, as a case of JSON. */
#include "stablehlo.h"
#include "onnx.h"

#include <stdlib.h>
#include <string.h>

/* ---- Is it one? ------------------------------------------------------------------------------ */

/* After blanks, comments and the aliases that may stand before a module ("#loc = ...", "!t"). */
static const char *first_word(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "//", 2) != 0 && *text != '#' && *text != '!')
      return text;
    text += strcspn(text, "\n");
  }
}

bool stablehlo_is(const char *path, const char *text) {
  static const char *const words[] = {"module", "func.func", "\"builtin.module\"", "\"func.func\""};
  if (ends_with(path, ".mlir"))
    return true;
  text = first_word(text);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(text, words[i], strlen(words[i])) == 0)
      return true;
  return false;
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* The function that webnn_stablehlo_function means. */
static size_t function_index(const webnn_stablehlo *module, const char *name) {
  const size_t count = webnn_stablehlo_function_count(module);
  const char *wanted = name ? name : "main";
  size_t i = 0;
  while (i < count && strcmp(webnn_stablehlo_function_name(module, i), wanted) != 0)
    i++;
  if (i < count || name)
    return i;
  for (i = 0; i < count && !webnn_stablehlo_function_is_public(module, i); i++)
    ;
  return i;
}

/* Tuples are several arrays, whose names then are numbers. */
static const char **different_names(arena *memory, const webnn_stablehlo_value_info *infos,
                                    size_t info_count, size_t count, const char *otherwise) {
  const char **names = (const char **)take(memory, (count + 1) * sizeof *names);
  for (size_t i = 0; i < count; i++) {
    const char *name = info_count == count && infos[i].name ? infos[i].name : "";
    bool taken = *name == 0;
    for (size_t j = 0; j < i && !taken; j++)
      taken = strcmp(names[j], name) == 0;
    names[i] = taken ? take_text(memory, "%s%lu", otherwise, (unsigned long)i)
                     : take_text(memory, "%s", name);
  }
  return names;
}

void stablehlo_take_names(arena *memory, const webnn_stablehlo *module, const char *function,
                          const webnn_xla_program *program, stablehlo_names *names) {
  const size_t index = function_index(module, function);
  const size_t in = webnn_stablehlo_arguments(module, index, NULL, 0);
  const size_t out = webnn_stablehlo_results(module, index, NULL, 0);
  webnn_stablehlo_value_info *infos = (webnn_stablehlo_value_info *)take(
      memory, (in + out + 1) * sizeof(webnn_stablehlo_value_info));
  webnn_stablehlo_arguments(module, index, infos, in);
  webnn_stablehlo_results(module, index, infos + in, out);
  names->input_count = webnn_xla_program_inputs(program, NULL, 0);
  names->output_count = webnn_xla_program_outputs(program, NULL, 0);
  names->inputs = different_names(memory, infos, in, names->input_count, "arg");
  names->outputs = different_names(memory, infos + in, out, names->output_count, "result");
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

static bool has_open_size(const webnn_stablehlo_value_info *info) {
  for (uint32_t d = 0; info->shape.type && d < info->shape.dimensions.count; d++)
    if (info->shape.dimensions.items[d] == 0)
      return true;
  return false;
}

/* The argument as what reads shapes for ONNX takes it. */
static webnn_onnx_port port_of(const webnn_stablehlo_value_info *info, const char *name) {
  webnn_onnx_port port = WEBNN_ZERO;
  port.name = name;
  port.descriptor.shape = info->shape.dimensions;
  for (uint32_t d = 0; d < port.descriptor.shape.count; d++)
    if (port.descriptor.shape.items[d] == 0)
      port.dimension_names[d] = "";
  return port;
}

/* Sizes that are missing are 1; returns their names, after those that are missing before. */
static const char *fill_sizes(arena *memory, const char *name, webnn_list *shape,
                              const char *missing) {
  for (uint32_t d = 0; d < shape->count; d++)
    if (shape->items[d] == 0) {
      missing =
          take_text(memory, "%s%s%s[%lu]", missing, *missing ? ", " : "", name, (unsigned long)d);
      shape->items[d] = 1;
    }
  return missing;
}

/* The sizes of --dim x[0]=2, which is the first dimension of argument x. `used` has a flag for each --dim. */
static bool take_dims(const session *s, arena *memory, const char *name, webnn_list *shape,
                      bool *used) {
  for (uint32_t d = 0; d < shape->count; d++) {
    const char *dimension = take_text(memory, "%s[%lu]=", name, (unsigned long)d);
    const size_t length = strlen(dimension);
    for (size_t i = 0; i < s->dim_count && shape->items[d] == 0; i++) {
      if (strncmp(s->dims[i], dimension, length) != 0)
        continue;
      used[i] = true;
      shape->items[d] = (uint32_t)strtoul(s->dims[i] + length, NULL, 10);
      if (shape->items[d] == 0)
        return complain(NULL, "--dim %s: a size of StableHLO is 1 or more here", s->dims[i]);
    }
  }
  return true;
}

/* Has what is given for the argument the sizes of --dim, where its type has none? */
static bool has_sizes(const char *path, const char *name, const webnn_list *shape,
                      const webnn_list *stated, const webnn_list *wanted) {
  for (uint32_t d = 0; d < wanted->count && d < shape->count; d++)
    if (stated->items[d] == 0 && wanted->items[d] != 0 && wanted->items[d] != shape->items[d])
      return complain(NULL, "%s: dimension \"%s[%lu]\" is %lu by --dim and %lu in input \"%s\"",
                      path, name, (unsigned long)d, (unsigned long)wanted->items[d],
                      (unsigned long)shape->items[d], name);
  return true;
}

static bool all_used(const session *s, const char *path, const bool *used) {
  for (size_t i = 0; i < s->dim_count; i++)
    if (!used[i])
      return complain(NULL,
                      "--dim %s: no argument of %s has an open dimension of this name; "
                      "x[0]=2 is the first one of argument x",
                      s->dims[i], path);
  return true;
}

/* What the shapes of a function's arguments come from. */
typedef struct argument_sizes {
  const session *s;
  arena *memory;
  const char *path;
  stablehlo_given given;
  void *user;
  bool *used;          /* the options --dim that named a dimension */
  const char *missing; /* the dimensions that have become 1, for a note */
} argument_sizes;

/* The shape of an argument with sizes that the module leaves open: those of --dim and of its input,
   else 1. False after a complaint. */
static bool open_argument_shape(argument_sizes *a, webnn_stablehlo_value_info *info,
                                const char *name, webnn_list *shape) {
  const webnn_list stated = info->shape.dimensions;
  onnx_found found;
  webnn_onnx_port port;
  if (!take_dims(a->s, a->memory, name, &info->shape.dimensions, a->used))
    return false;
  port = port_of(info, name);
  found = a->given(a->user, &port, webnn_xla_type_bytes(info->shape.type), shape);
  if (found == ONNX_WRONG ||
      (found == ONNX_FOUND && !has_sizes(a->path, name, shape, &stated, &info->shape.dimensions)))
    return false;
  if (found == ONNX_NONE) {
    *shape = info->shape.dimensions;
    a->missing = fill_sizes(a->memory, name, shape, a->missing);
  }
  shape->given = true;
  return true;
}

const webnn_xla_computation *stablehlo_computation(const session *s, arena *memory,
                                                   const char *path, webnn_stablehlo *module,
                                                   const char *function, stablehlo_given given,
                                                   void *user, webnn_error *error) {
  const size_t index = function_index(module, function);
  const size_t count = webnn_stablehlo_arguments(module, index, NULL, 0);
  webnn_stablehlo_value_info *infos =
      (webnn_stablehlo_value_info *)take(memory, (count + 1) * sizeof(webnn_stablehlo_value_info));
  webnn_list *shapes = (webnn_list *)take(memory, (count + 1) * sizeof(webnn_list));
  argument_sizes a = {s, memory, path, given, user, (bool *)take(memory, s->dim_count + 1), ""};
  const char **names;
  webnn_stablehlo_arguments(module, index, infos, count);
  names = different_names(memory, infos, count, count, "arg");
  for (size_t i = 0; i < count; i++)
    if (has_open_size(&infos[i]) && !open_argument_shape(&a, &infos[i], names[i], &shapes[i]))
      return NULL;
  if (!all_used(s, path, a.used))
    return NULL;
  if (*a.missing)
    complain(NULL,
             "note: %s: open sizes are 1: %s; an input of another size sets them, or --dim NAME=N",
             path, a.missing);
  return webnn_stablehlo_function_for(module, function, shapes, count, error);
}

/* ---- The only graph -------------------------------------------------------------------------- */

static void name_ports(arena *memory, const webnn_xla_program *program,
                       const stablehlo_names *names, port_names *ports) {
  ports->inputs = (port_name *)take(memory, (names->input_count + 1) * sizeof(port_name));
  ports->outputs = (port_name *)take(memory, (names->output_count + 1) * sizeof(port_name));
  ports->input_count = names->input_count;
  ports->output_count = names->output_count;
  for (size_t i = 0; i < names->input_count; i++) {
    ports->inputs[i].port =
        take_text(memory, "s%lu", (unsigned long)webnn_xla_input_slot(program, i));
    ports->inputs[i].name = names->inputs[i];
  }
  for (size_t i = 0; i < names->output_count; i++) {
    ports->outputs[i].port =
        take_text(memory, "s%lu", (unsigned long)webnn_xla_output_slot(program, i));
    ports->outputs[i].name = names->outputs[i];
  }
}

const webnn_graph *stablehlo_graph(arena *memory, const char *path,
                                   const webnn_xla_program *program, const stablehlo_names *names,
                                   port_names *ports) {
  const size_t count = webnn_xla_steps(program, NULL, 0);
  webnn_xla_step *steps = (webnn_xla_step *)take(memory, (count + 1) * sizeof(webnn_xla_step));
  const webnn_graph *graph = NULL;
  size_t graphs = 0;
  webnn_xla_steps(program, steps, count);
  for (size_t i = 0; i < count; i++) {
    if (steps[i].kind != WEBNN_XLA_STEP_GRAPH)
      complain(NULL, "%s: %s is a step of the host (%s), which a graph cannot have",
               *steps[i].place ? steps[i].place : path, steps[i].name,
               webnn_xla_step_kind_name(steps[i].kind));
    else if (graphs++ == 0)
      graph = steps[i].graph;
  }
  if (count == 0)
    complain(NULL, "%s: the results are constants or inputs; there is nothing for a graph to do",
             path);
  if (graphs == count && count > 1)
    complain(NULL, "%s: the program must be one graph; it is %lu", path, (unsigned long)count);
  name_ports(memory, program, names, ports);
  return graphs == 1 && count == 1 ? graph : NULL;
}

/* ---- The case -------------------------------------------------------------------------------- */

static const json *case_of_program(const session *s, arena *memory, const char *path,
                                   const webnn_stablehlo *module,
                                   const webnn_xla_program *program) {
  const char *name = path_stem(memory, path);
  stablehlo_names names;
  port_names ports;
  const webnn_graph *graph;
  for (const char *c = name; *c; c++)
    if (*c == '/' || *c == '\\')
      name = c + 1;
  stablehlo_take_names(memory, module, NULL, program, &names);
  if (!every_input_exists(s, memory, path, names.inputs, names.input_count))
    return NULL;
  graph = stablehlo_graph(memory, path, program, &names, &ports);
  return graph ? described_case(s, memory, path, name, graph, &ports) : NULL;
}

/* What --input and --inputs give for the arguments. */
typedef struct argument_source {
  const session *session;
  arena *memory;
  const json *tensors; /* of --inputs FILE.json; NULL: none */
} argument_source;

/* False after a complaint. */
static bool open_arguments(argument_source *a, const char *path) {
  const char *inputs = a->session->inputs;
  const json *root = inputs && ends_with(inputs, ".json") ? json_read(a->memory, inputs) : NULL;
  a->tensors = root && root->kind != JSON_ARRAY
                   ? json_get(case_of(root, file_part(path_stem(a->memory, path))), "inputs")
                   : root;
  return root || !inputs || !ends_with(inputs, ".json");
}

static onnx_found shape_in_json(const argument_source *a, const char *name, webnn_list *shape) {
  tensor t;
  for (const json *item = json_items(a->tensors, JSON_ARRAY); item; item = item->next)
    if (json_string(json_name(item)) && strcmp(json_name(item)->text, name) == 0) {
      if (!tensor_read(a->session, a->memory, item, &t))
        return ONNX_WRONG;
      *shape = t.descriptor.shape;
      return ONNX_FOUND;
    }
  return ONNX_NONE;
}

static onnx_found shape_of_argument(void *user, const webnn_onnx_port *port, size_t element_bytes,
                                    webnn_list *shape) {
  static const char *const ends[] = {".npy", ".bin"};
  const argument_source *a = (const argument_source *)user;
  const char *text = given_for(a->session, port->name);
  if (!text && a->tensors)
    return shape_in_json(a, port->name, shape);
  for (size_t i = 0; i < 2 && !text && a->session->inputs; i++) {
    text = tensor_path(a->memory, a->session->inputs, "", port->name, ends[i]);
    text = file_exists(text) ? text : NULL;
  }
  return text ? onnx_read_shape(a->memory, text, port, element_bytes, shape) : ONNX_NONE;
}

const json *stablehlo_case(const session *s, arena *memory, const char *path, const char *text,
                           size_t length) {
  webnn_stablehlo_checks checks = WEBNN_ZERO;
  webnn_xla_named_function functions[16];
  webnn_xla_program_options options = WEBNN_ZERO;
  webnn_xla_program *program = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_stablehlo *module = webnn_stablehlo_read(text, length, path, &error);
  argument_source arguments = {s, memory, NULL};
  const webnn_xla_computation *main_function =
      module && open_arguments(&arguments, path)
          ? stablehlo_computation(s, memory, path, module, NULL, shape_of_argument, &arguments,
                                  &error)
          : NULL;
  const json *found = NULL;
  options.functions = functions; /* so that they are steps of the host, and not unknown */
  options.function_count = webnn_stablehlo_check_functions(&checks, functions, 16);
  if (main_function &&
      webnn_xla_compile(s->context, main_function, &options, &program, &error) == WEBNN_OK)
    found = case_of_program(s, memory, path, module, program);
  else if (error.status != WEBNN_OK)
    complain(NULL, "%s%s%s", strncmp(error.message, path, strlen(path)) == 0 ? "" : path,
             strncmp(error.message, path, strlen(path)) == 0 ? "" : ": ", error.message);
  webnn_xla_free_program(program);
  webnn_stablehlo_free(module);
  return found;
}
