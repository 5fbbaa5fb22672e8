/* ONNX models: the sizes of their dimensions, from the command line, from inputs, or 1. */
#include "onnx.h"
#include "model.h"

#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

webnn_onnx_port *onnx_list_ports(arena *memory, const webnn_onnx_model *from, onnx_port_lister of,
                                 size_t *count) {
  webnn_onnx_port *ports;
  *count = of(from, NULL, 0);
  ports = (webnn_onnx_port *)take(memory, (*count + 1) * sizeof(webnn_onnx_port));
  of(from, ports, *count);
  return ports;
}

webnn_onnx_port *onnx_ports(arena *memory, const webnn_onnx_model *from, bool outputs,
                            size_t *count) {
  return onnx_list_ports(memory, from, outputs ? webnn_onnx_outputs : webnn_onnx_inputs, count);
}

const char *onnx_dimension_name(arena *memory, const webnn_onnx_port *port, uint32_t dimension) {
  const char *name = port->dimension_names[dimension];
  return !name || *name ? name : take_text(memory, "%s[%lu]", port->name, (unsigned long)dimension);
}

/* The names of all dimensions of inputs, each once; or of those without a size. */
static const char **dimension_names(arena *memory, const webnn_onnx_model *from, bool without_size,
                                    size_t *count) {
  size_t port_count, room = 1;
  const webnn_onnx_port *ports = onnx_ports(memory, from, false, &port_count);
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

const char **onnx_open_dimensions(arena *memory, const webnn_onnx_model *from, size_t *count) {
  return dimension_names(memory, from, true, count);
}

bool onnx_dimensions_exist(const onnx_file *f) {
  size_t count;
  const char **names = dimension_names(f->memory, f->model, false, &count);
  for (size_t i = 0; i < f->options.dimension_count; i++) {
    size_t j = 0;
    while (j < count && strcmp(names[j], f->dimensions[i].name) != 0)
      j++;
    if (j == count)
      return complain(NULL, "--dim %s: no input of %s has a dimension of this name%s",
                      f->dimensions[i].name, f->path, names_text(f->memory, names, count));
  }
  return true;
}

/* float32[batch,3,224,224]: a dimension without a size has the name that --dim takes. */
const char *onnx_port_text(arena *memory, const webnn_onnx_port *port) {
  const webnn_list *shape = &port->descriptor.shape;
  const char *text = port->type ? webnn_onnx_type_name(port->type) : "no tensor";
  if (!shape->given)
    return port->type ? take_text(memory, "%s of any shape", text) : text;
  for (uint32_t d = 0; d < shape->count; d++) {
    const char *name = onnx_dimension_name(memory, port, d);
    text = take_text(memory, "%s%c%s", text, d ? ',' : '[',
                     name && shape->items[d] == 0 && !port->is_empty
                         ? name
                         : take_text(memory, "%lu", (unsigned long)shape->items[d]));
  }
  return shape->count > 0 ? take_text(memory, "%s]", text) : text;
}

const char *onnx_shape_text(arena *memory, const webnn_list *shape) {
  const char *text = "[";
  for (uint32_t d = 0; d < shape->count; d++)
    text = take_text(memory, "%s%s%lu", text, d ? "," : "", (unsigned long)shape->items[d]);
  return take_text(memory, "%s]", text);
}

/* ---- Shapes of what is given for inputs ------------------------------------------------------ */

/* Of the file's header; the elements are read later. */
static onnx_found npy_shape(const char *path, webnn_list *shape) {
  webnn_weights *file;
  webnn_weights_tensor found;
  webnn_error error = WEBNN_ZERO;
  size_t count;
  if (webnn_weights_open(path, &file, &error) != WEBNN_OK)
    return complain(NULL, "%s", error.message), ONNX_WRONG;
  count = webnn_weights_list(file, &found, 1);
  if (count == 1)
    *shape = found.descriptor.shape;
  webnn_weights_free(file);
  return count == 1 ? ONNX_FOUND : ONNX_NONE;
}

/* The size of the only dimension that is open, if the elements are a multiple of the others. */
static onnx_found only_open_size(const webnn_onnx_port *port, uint64_t elements,
                                 webnn_list *shape) {
  uint64_t others = 1;
  uint32_t open = 0, at = 0;
  *shape = port->descriptor.shape;
  for (uint32_t d = 0; d < shape->count; d++)
    if (shape->items[d] == 0) {
      open++;
      at = d;
    } else if (others <= UINT32_MAX)
      others *= shape->items[d];
  if (open != 1 || port->is_empty || elements == 0 || elements % others != 0 ||
      elements / others > INT32_MAX)
    return ONNX_NONE;
  shape->items[at] = (uint32_t)(elements / others);
  return ONNX_FOUND;
}

static onnx_found bytes_shape(const char *path, const webnn_onnx_port *port, size_t size,
                              webnn_list *shape) {
  FILE *file = fopen(path, "rb");
  long length = -1;
  if (file && fseek(file, 0, SEEK_END) == 0)
    length = ftell(file);
  if (file)
    fclose(file);
  return length < 0 || size == 0 || (uint64_t)length % size != 0
             ? ONNX_NONE
             : only_open_size(port, (uint64_t)length / size, shape);
}

/* A flat list of one number may fill an input of any size. */
static onnx_found numbers_shape(const char *text, const webnn_onnx_port *port, webnn_list *shape) {
  const webnn_list numbers = onnx_numbers_shape(text);
  *shape = numbers;
  if (numbers.count > 1 || port->descriptor.shape.count == 1)
    return ONNX_FOUND;
  return numbers.items[0] == 1 ? ONNX_NONE : only_open_size(port, numbers.items[0], shape);
}

/* Sizes that are known count before what the picture alone would say. */
static onnx_found picture_sizes(arena *memory, const char *path, const webnn_onnx_port *port,
                                webnn_list *shape) {
  picture_fit fit;
  *shape = port->descriptor.shape;
  fit = picture_shape(memory, path, shape);
  for (uint32_t d = 0; fit == PICTURE_DOES_NOT_FIT && d < shape->count; d++)
    if (port->dimension_names[d])
      shape->items[d] = 0;
  if (fit == PICTURE_DOES_NOT_FIT)
    fit = picture_shape(memory, path, shape);
  return fit == PICTURE_FITS ? ONNX_FOUND : fit == PICTURE_IS_NONE ? ONNX_WRONG : ONNX_NONE;
}

size_t onnx_element_bytes(const webnn_onnx_port *port) {
  const uint32_t bits = webnn_data_type_bits(webnn_onnx_graph_type(port->type));
  return bits == 4 ? 1 : bits / 8;
}

onnx_found onnx_read_shape(arena *memory, const char *text, const webnn_onnx_port *port,
                           size_t element_bytes, webnn_list *shape) {
  if (*text == '[' && !onnx_is_numbers(text) && !file_exists(text))
    return complain(NULL, "input \"%s\": %s must be a list of numbers or a file", port->name, text),
           ONNX_WRONG;
  return onnx_is_numbers(text)     ? numbers_shape(text, port, shape)
         : ends_with(text, ".npy") ? npy_shape(text, shape)
         : is_picture(text)        ? picture_sizes(memory, text, port, shape)
                                   : bytes_shape(text, port, element_bytes, shape);
}

/* ---- Sizes of inputs ------------------------------------------------------------------------- */

void onnx_add_dimension(onnx_file *f, const char *name, uint32_t size, const char *origin) {
  const size_t count = f->options.dimension_count;
  if (count == f->dimension_room) {
    webnn_onnx_dimension *larger =
        (webnn_onnx_dimension *)take(f->memory, (2 * count + 16) * sizeof(webnn_onnx_dimension));
    const char **origins = (const char **)take(f->memory, (2 * count + 16) * sizeof *origins);
    if (count > 0) {
      memcpy(larger, f->dimensions, count * sizeof *larger);
      memcpy(origins, f->origins, count * sizeof *origins);
    }
    f->dimensions = larger;
    f->origins = origins;
    f->dimension_room = 2 * count + 16;
  }
  f->dimensions[count].name = name;
  f->dimensions[count].size = size;
  f->origins[count] = origin;
  f->options.dimensions = f->dimensions;
  f->options.dimension_count = count + 1;
}

/* The size that dimension d of an input has, which must be that of the model, of the command line and of
   inputs before. `own` is the size that the command line alone gives it (0: none): arithmetic in names
   counts for that one only. False after a complaint. */
static bool take_size_of(onnx_file *f, const webnn_onnx_port *port, uint32_t d, uint32_t own,
                         uint32_t size, const char *what) {
  const char *name = onnx_dimension_name(f->memory, port, d);
  for (size_t i = 0; name && i < f->options.dimension_count; i++)
    if (strcmp(f->dimensions[i].name, name) == 0)
      return f->dimensions[i].size == size ||
             complain(NULL, "%s: dimension \"%s\" is %lu in %s and %lu in %s", f->path, name,
                      (unsigned long)f->dimensions[i].size, f->origins[i], (unsigned long)size,
                      what);
  if (name && own != 0 && own != size)
    return complain(NULL, "%s: dimension \"%s\" is %lu by --dim and %lu in %s", f->path, name,
                    (unsigned long)own, (unsigned long)size, what);
  if (!name)
    return own == size || complain(NULL, "%s: dimension %lu is %lu in %s; it must be %lu", f->path,
                                   (unsigned long)d, (unsigned long)size, what, (unsigned long)own);
  onnx_add_dimension(f, take_text(f->memory, "%s", name), size, what);
  return true;
}

/* The shape of what is given for an input, if it says one. `own` is the shape that the command line alone gives
   the input. */
static onnx_found take_shape(onnx_file *f, const onnx_values *values, const webnn_onnx_port *port,
                             const webnn_list *own) {
  const char *what = take_text(f->memory, "input \"%s\"", port->name);
  webnn_list shape;
  const onnx_found found = values->shape(values->user, port, &what, &shape);
  if (found != ONNX_FOUND)
    return found;
  if (shape.count != own->count)
    return complain(NULL, "%s: %s has %lu dimensions; the input is %s", f->path, what,
                    (unsigned long)shape.count, onnx_port_text(f->memory, port)),
           ONNX_WRONG;
  for (uint32_t d = 0; d < own->count; d++)
    if (!take_size_of(f, port, d, own->items[d], shape.items[d], what))
      return ONNX_WRONG;
  return ONNX_FOUND;
}

static bool has_names(const webnn_onnx_port *port) {
  for (uint32_t d = 0; d < port->descriptor.shape.count; d++)
    if (port->dimension_names[d])
      return true;
  return false;
}

/* Again while there are new sizes: with them bytes may say the size that is still open. */
webnn_status onnx_take_sizes(onnx_file *f, const onnx_values *values) {
  size_t count, before;
  const webnn_onnx_port *first = onnx_ports(f->memory, f->model, false, &count);
  bool *taken = (bool *)take(f->memory, count + 1);
  webnn_status status = WEBNN_OK;
  do {
    const webnn_onnx_port *now = onnx_ports(f->memory, f->model, false, &count);
    before = f->options.dimension_count;
    for (size_t i = 0; i < count; i++) {
      const onnx_found found = taken[i] || !has_names(&now[i])
                                   ? ONNX_NONE
                                   : take_shape(f, values, &now[i], &first[i].descriptor.shape);
      if (found == ONNX_WRONG)
        return WEBNN_TYPE_ERROR;
      taken[i] = taken[i] || found == ONNX_FOUND;
    }
    if (f->options.dimension_count > before)
      status = onnx_open_again(f);
  } while (status == WEBNN_OK && f->options.dimension_count > before);
  return status;
}

/* The options that give sizes to dimensions without one, NULL if all have one; *list gets their names. */
static const char *missing_sizes(const onnx_file *f, const char **list) {
  size_t count;
  const char **names = onnx_open_dimensions(f->memory, f->model, &count);
  const char *how = "";
  *list = "";
  for (size_t i = 0; i < count; i++) {
    *list = take_text(f->memory, "%s%s\"%s\"", *list, i ? ", " : "", names[i]);
    how = take_text(f->memory, strchr(names[i], ' ') ? "%s --dim \"%s=1\"" : "%s --dim %s=1", how,
                    names[i]);
  }
  return count > 0 ? how : NULL;
}

void onnx_tell_sizes(const onnx_file *f) {
  const char *list, *how = f->options.fixed ? NULL : missing_sizes(f, &list);
  if (how)
    complain(NULL,
             "%s: the graph has dynamic dimensions: %s; a graph for known sizes is made with%s",
             f->path, list, how);
}

webnn_status onnx_default_sizes(onnx_file *f) {
  const char *list, *how = f->options.fixed ? missing_sizes(f, &list) : NULL;
  if (!how)
    return WEBNN_OK;
  if (!f->session->default_sizes)
    return complain(
               NULL,
               "%s: each dimension must have a size; those without one are %s: give them with%s",
               f->path, list, how),
           WEBNN_TYPE_ERROR;
  onnx_note(take_text(f->memory, "%s: dimensions without a size are 1: %s; others by%s", f->path,
                      list, how));
  f->options.default_size = 1;
  return onnx_open_again(f);
}
