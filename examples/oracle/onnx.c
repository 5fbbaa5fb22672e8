/* ONNX models: sizes of their dimensions, and the graph that one becomes, as a case of JSON. */
#include "onnx.h"

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
  const char *name = file_name(path);
  const size_t length = strlen(name);
  if (strncmp(message, path, strlen(path)) == 0)
    return message;
  if (strncmp(message, name, length) == 0 && message[length] == ':')
    message += length + 1 + (message[length + 1] == ' ');
  return take_text(memory, "%s: %s", path, message);
}

/* ---- Dimensions ------------------------------------------------------------------------------ */

webnn_onnx_port *onnx_ports(arena *memory, const webnn_onnx_model *model, bool outputs,
                            size_t *count) {
  size_t (*of)(const webnn_onnx_model *, webnn_onnx_port *, size_t) =
      outputs ? webnn_onnx_outputs : webnn_onnx_inputs;
  webnn_onnx_port *ports;
  *count = of(model, NULL, 0);
  ports = (webnn_onnx_port *)take(memory, (*count + 1) * sizeof(webnn_onnx_port));
  of(model, ports, *count);
  return ports;
}

const char *onnx_dimension_name(arena *memory, const webnn_onnx_port *port, uint32_t dimension) {
  const char *name = port->dimension_names[dimension];
  return !name || *name ? name : take_text(memory, "%s[%lu]", port->name, (unsigned long)dimension);
}

webnn_onnx_options onnx_options(const session *s, arena *memory) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_dimension *dimensions =
      (webnn_onnx_dimension *)take(memory, (s->dim_count + 1) * sizeof(webnn_onnx_dimension));
  for (size_t i = 0; i < s->dim_count; i++) {
    const char *equals = strrchr(s->dims[i], '=');
    dimensions[i].name = take_text(memory, "%.*s", (int)(equals - s->dims[i]), s->dims[i]);
    dimensions[i].size = (uint32_t)strtoul(equals + 1, NULL, 10);
  }
  options.dimensions = dimensions;
  options.dimension_count = s->dim_count;
  options.float64_as_float32 = s->float64_as_float32;
  return options;
}

/* The names of all dimensions of inputs, each once; or of those without a size. */
static const char **dimension_names(arena *memory, const webnn_onnx_model *model, bool without_size,
                                    size_t *count) {
  size_t port_count, room = 1;
  const webnn_onnx_port *ports = onnx_ports(memory, model, false, &port_count);
  const char **names;
  *count = 0;
  for (size_t i = 0; i < port_count; i++)
    room += ports[i].descriptor.shape.count;
  names = (const char **)take(memory, room * sizeof *names);
  for (size_t i = 0; i < port_count; i++)
    for (uint32_t d = 0; d < ports[i].descriptor.shape.count; d++) {
      const char *name = onnx_dimension_name(memory, &ports[i], d);
      size_t j = 0;
      if (!name || (without_size && (ports[i].is_empty || ports[i].descriptor.shape.items[d] != 0)))
        continue;
      while (j < *count && strcmp(names[j], name) != 0)
        j++;
      names[j] = name;
      *count += j == *count;
    }
  return names;
}

bool onnx_sizes_given(arena *memory, const char *path, const webnn_onnx_model *model) {
  size_t count;
  const char **names = dimension_names(memory, model, true, &count);
  const char *list = "", *how = "";
  for (size_t i = 0; i < count; i++) {
    list = take_text(memory, "%s%s\"%s\"", list, i ? ", " : "", names[i]);
    how = take_text(memory, strchr(names[i], ' ') ? "%s --dim \"%s=N\"" : "%s --dim %s=N", how,
                    names[i]);
  }
  return count == 0 || complain(NULL, "%s: dimensions without a size: %s; give%s", path, list, how);
}

/* Has the model a dimension for each size of the command line? */
static bool dimensions_exist(const session *s, arena *memory, const char *path,
                             const webnn_onnx_model *model) {
  const webnn_onnx_options options = onnx_options(s, memory);
  size_t count;
  const char **names = dimension_names(memory, model, false, &count);
  for (size_t i = 0; i < options.dimension_count; i++) {
    const webnn_onnx_dimension *d = &options.dimensions[i];
    size_t j = 0;
    while (j < count && strcmp(names[j], d->name) != 0)
      j++;
    if (j == count)
      return complain(NULL, "--dim %s: no input of %s has a dimension of this name", d->name, path);
  }
  return true;
}

webnn_status onnx_open(const session *s, arena *memory, const char *path,
                       webnn_onnx_model **model) {
  const webnn_onnx_options options = onnx_options(s, memory);
  webnn_error error = WEBNN_ZERO;
  if (webnn_onnx_open(path, &options, model, &error) != WEBNN_OK) {
    complain(NULL, "%s", onnx_message(memory, path, error.message));
    return error.status;
  }
  if (dimensions_exist(s, memory, path, *model))
    return WEBNN_OK;
  webnn_onnx_free(*model);
  *model = NULL;
  return WEBNN_TYPE_ERROR;
}

/* ---- The case -------------------------------------------------------------------------------- */

const json *onnx_case(const session *s, arena *memory, const char *path) {
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  const json *found = NULL;
  if (onnx_open(s, memory, path, &model) != WEBNN_OK)
    return NULL;
  if (!onnx_sizes_given(memory, path, model))
    found = NULL;
  else if (webnn_onnx_build(model, s->context, &graph, &error) == WEBNN_OK)
    found = described_case(s, memory, path, path_stem(memory, file_name(path)), graph, NULL);
  else
    complain(NULL, "%s", onnx_message(memory, path, error.message));
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  return found;
}
