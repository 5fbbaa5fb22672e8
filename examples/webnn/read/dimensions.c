/* Dynamic dimensions of graphs as text and as JSON. {"name": "batch"} is a dimension with a name,
   {"name": "batch", "maxSize": 8} one with a largest size as well, and {} one without a name. --dim
   or an input gives them their sizes. */
#include "read.h"

#include <stdlib.h>
#include <string.h>

/* The graph's dimension of that name, which is made when it is first asked for; its size is that of
   --dim, or not known yet (0). */
static network_dimension *dimension_named(network *n, const char *name) {
  const session *s = n->session;
  network_dimension *d = n->dimensions;
  const size_t length = strlen(name);
  while (d && strcmp(d->name, name) != 0)
    d = d->next;
  if (d)
    return d;
  d = (network_dimension *)take(n->memory, sizeof *d);
  d->name = name;
  d->next = n->dimensions;
  n->dimensions = d;
  for (size_t i = 0; i < s->dim_count; i++)
    if (strncmp(s->dims[i], name, length) == 0 && s->dims[i][length] == '=') {
      d->size = (uint32_t)strtoul(s->dims[i] + length + 1, NULL, 10);
      d->by_dim = true;
    }
  return d;
}

/* The size of a dimension: a number as it is. A dynamic one has the size that --dim or an input has
   given it, else its largest, else none (WEBNN_DYNAMIC_DIMENSION). */
bool dimension_read(network *n, const json *item, uint32_t *size) {
  const json *name = json_get(item, "name"), *largest = json_get(item, "maxSize");
  const network_dimension *d;
  uint32_t most = 0;
  if (item->kind != JSON_OBJECT)
    return json_u32(item, size) || must_be(item, "a dimension");
  if (item->length != (size_t)(name != NULL) + (size_t)(largest != NULL) ||
      (name && (!json_string(name) || !*name->text)) || (largest && !name) ||
      (largest && (!json_u32(largest, &most) || most == 0)))
    return must_be(item, "a dimension: a size, {\"name\"}, {\"name\", \"maxSize\"} or {}");
  d = name ? dimension_named(n, name->text) : NULL;
  if (d && d->by_dim && d->size == 0 && most == 0)
    return complain(item, "dimension \"%s\" must be at least 1, not 0", name->text);
  if (d && most > 0 && (d->size > most || (d->by_dim && d->size == 0)))
    return complain(item, "dimension \"%s\" is 1 to %lu, not %lu", name->text, (unsigned long)most,
                    (unsigned long)d->size);
  *size = d && d->size > 0 ? d->size : most > 0 ? most : WEBNN_DYNAMIC_DIMENSION;
  return true;
}

bool is_dynamic_shape(const json *shape) {
  const json *item = json_items(shape, JSON_ARRAY);
  while (item && item->kind != JSON_OBJECT)
    item = item->next;
  return item != NULL;
}

/* A copy of the declaration in which each size that is known now is a number. */
static json *with_sizes(network *n, const json *node) {
  const json *shape = json_get(node, "shape");
  json_list l = json_start(n->memory, node, JSON_OBJECT);
  json_list sizes = json_start(n->memory, shape, JSON_ARRAY);
  uint32_t size;
  for (const json *item = shape->first; item; item = item->next) {
    if (!dimension_read(n, item, &size))
      return NULL;
    json_put(&sizes, NULL, json_size(n->memory, item, size));
  }
  for (const json *member = node->first; member; member = member->next)
    json_put(&l, member->name, member == shape ? sizes.list : json_copy(n->memory, member));
  return l.list;
}

/* An input with a dimension that has no size yet. It cannot have data: the number of its elements
   is not known. */
static bool read_open(network *n, const json *node, network_value *v) {
  static const char *const members[] = {"data", "bits", "fill", "fillBits", "file"};
  const json *item = json_get(node, "shape")->first;
  uint32_t *items =
      (uint32_t *)take(n->memory, (json_count(json_get(node, "shape")) + 1) * sizeof *items);
  size_t count = 0;
  if (!data_type_named(json_string(json_get(node, "dataType")), &v->known.descriptor.data_type))
    return must_have(node, json_get(node, "dataType"), "dataType",
                     "a type: float32, float16, int32, ...");
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (json_get(node, members[i]))
      return complain(json_get(node, members[i]),
                      "\"%s\" has dimensions without a size, and so no data here: --inputs has it, "
                      "or --dim gives the size",
                      v->name);
  for (; item; item = item->next)
    if (!dimension_read(n, item, &items[count++]))
      return false;
  v->known.shape = json_get(node, "shape");
  v->known.descriptor.shape = webnn_list_of(items, count);
  return count <= WEBNN_MAX_RANK ||
         complain(node, "the number of dimensions (%lu) must be at most %d", (unsigned long)count,
                  WEBNN_MAX_RANK);
}

/* Replaces dimension number `index` of an input, which has no name, by a size in its
   declaration. */
static void fix_size(network *n, network_value *v, size_t index, uint32_t size) {
  json_list l = json_start(n->memory, v->node, JSON_OBJECT);
  json_list sizes = json_start(n->memory, v->node, JSON_ARRAY);
  size_t i = 0;
  for (const json *item = json_get(v->node, "shape")->first; item; item = item->next, i++)
    json_put(&sizes, NULL,
             i == index ? json_size(n->memory, item, size) : json_copy(n->memory, item));
  for (const json *member = v->node->first; member; member = member->next)
    json_put(&l, member->name,
             strcmp(member->name, "shape") == 0 ? sizes.list : json_copy(n->memory, member));
  v->node = l.list;
}

/* --dim u[0]=3 is the size of the first dimension of u, which has no name. */
static bool take_dims_without_names(network *n, network_value *v) {
  const session *s = n->session;
  const json *item = json_get(v->node, "shape")->first;
  for (size_t i = 0; item; item = item->next, i++) {
    const char *name = take_text(n->memory, "%s[%lu]", v->name, (unsigned long)i);
    const network_dimension *d;
    if (item->kind != JSON_OBJECT || item->length > 0 ||
        !has_named(s->dims, s->dim_count, name, strlen(name)))
      continue;
    d = dimension_named(n, name);
    if (d->size == 0)
      return complain(item, "dimension \"%s\" must be at least 1, not 0", name);
    fix_size(n, v, i, d->size);
  }
  return true;
}

bool network_declare(network *n, const json *node, network_value *v) {
  const json *sized = node;
  uint32_t size;
  if (!is_dynamic_shape(json_get(node, "shape")))
    return tensor_read(n->session, n->memory, node, &v->known);
  if (v->constant)
    return complain(json_get(node, "shape"), "a constant has no dimension that varies");
  if (!take_dims_without_names(n, v))
    return false;
  node = v->node;
  if (!is_dynamic_shape(json_get(node, "shape")))
    return tensor_read(n->session, n->memory, node, &v->known);
  for (const json *item = json_get(node, "shape")->first; item; item = item->next) {
    if (!dimension_read(n, item, &size))
      return false;
    if (size == WEBNN_DYNAMIC_DIMENSION)
      return read_open(n, node, v);
  }
  sized = with_sizes(n, node);
  return sized && tensor_read(n->session, n->memory, sized, &v->known);
}

/* Finds the dimensions that only arguments of operators name, so that --dim can give them sizes. */
bool dimensions_of_arguments(network *n, const json *value) {
  uint32_t size;
  if (value->name && strcmp(value->name, "numbers") == 0) {
    for (const json *item = json_items(value, JSON_ARRAY); item; item = item->next)
      if (item->kind == JSON_OBJECT && !dimension_read(n, item, &size))
        return false;
    return true;
  }
  for (const json *item = value->kind >= JSON_ARRAY ? value->first : NULL; item; item = item->next)
    if (!dimensions_of_arguments(n, item))
      return false;
  return true;
}

/* A copy of a list in which each dynamic dimension of known size is a number. */
static json *sized_list(network *n, const json *list) {
  json_list l = json_start(n->memory, list, JSON_ARRAY);
  uint32_t size;
  for (const json *item = list->first; item; item = item->next)
    json_put(&l, NULL,
             item->kind == JSON_OBJECT && dimension_read(n, item, &size) &&
                     size != WEBNN_DYNAMIC_DIMENSION
                 ? json_size(n->memory, item, size)
                 : json_copy(n->memory, item));
  return l.list;
}

json *sized_arguments(network *n, const json *value) {
  json_list l = json_start(n->memory, value, value->kind);
  if (value->kind < JSON_ARRAY)
    return json_copy(n->memory, value);
  if (value->kind == JSON_ARRAY && value->name && strcmp(value->name, "numbers") == 0)
    return sized_list(n, value);
  for (const json *item = value->first; item; item = item->next)
    json_put(&l, item->name, sized_arguments(n, item));
  return l.list;
}

bool every_dim_is_used(const network *n) {
  const session *s = n->session;
  for (size_t i = 0; i < s->dim_count && !json_get(n->node, "built"); i++) {
    const network_dimension *d = n->dimensions;
    while (d && (strncmp(s->dims[i], d->name, strlen(d->name)) != 0 ||
                 s->dims[i][strlen(d->name)] != '='))
      d = d->next;
    if (!d)
      return complain(NULL, "--dim %s: %s has no such dimension", s->dims[i], n->node->file);
  }
  return true;
}

/* Compares one size of an input with its declaration, and gives it to a dynamic dimension that has
   none yet. False: it does not fit. */
static bool take_dimension(network *n, const json *item, uint32_t size) {
  const json *name = json_get(item, "name"), *most = json_get(item, "maxSize");
  network_dimension *d = name ? dimension_named(n, name->text) : NULL;
  uint32_t own;
  if (size == 0 || size >= WEBNN_DYNAMIC_DIMENSION)
    return false;
  if (item->kind != JSON_OBJECT)
    return json_u32(item, &own) && own == size;
  if (d && d->size == 0 && (!most || (json_u32(most, &own) && size <= own)))
    d->size = size;
  return !d || d->size == size;
}

/* Declares again the inputs without data whose dimensions may have got sizes since. */
static bool size_inputs(network *n) {
  for (size_t i = 0; i < n->value_count; i++) {
    network_value *v = &n->values[i];
    const bool dynamic =
        is_dynamic_shape(json_get(v->node, "shape")) || is_open_shape(&v->known.descriptor.shape);
    if (v->producer == NOBODY && !v->known.data && dynamic && !network_declare(n, v->node, v))
      return false;
  }
  return true;
}

static const char *declared_text(network *n, const network_value *v) {
  const json *item = json_items(json_get(v->node, "shape"), JSON_ARRAY);
  const char *text = webnn_data_type_name(v->known.descriptor.data_type);
  uint32_t size;
  text = take_text(n->memory, "%s [", text);
  for (size_t i = 0; item; item = item->next, i++) {
    const char *name = json_string(json_get(item, "name"));
    text = !dimension_read(n, item, &size) || size == WEBNN_DYNAMIC_DIMENSION
               ? take_text(n->memory, "%s%s%s", text, i ? "," : "", name ? name : "?")
               : take_text(n->memory, "%s%s%lu", text, i ? "," : "", (unsigned long)size);
  }
  return take_text(n->memory, "%s]", text);
}

bool network_take_shape(network *n, network_value *v, const webnn_list *sizes, const json *at,
                        const char *what) {
  const json *shape = json_get(v->node, "shape");
  const json *item = json_items(shape, JSON_ARRAY);
  webnn_operand_descriptor given = v->known.descriptor;
  const char *declared = declared_text(n, v);
  bool fits = json_count(shape) == sizes->count;
  given.shape = *sizes;
  for (size_t i = 0; fits && item; item = item->next, i++)
    fits = take_dimension(n, item, sizes->items[i]);
  if (!fits)
    return complain(at, "%s is %s; it must be %s", what, descriptor_text(n->memory, &given),
                    declared);
  item = json_items(shape, JSON_ARRAY);
  for (size_t i = 0; item; item = item->next, i++)
    if (item->kind == JSON_OBJECT && item->length == 0)
      fix_size(n, v, i, sizes->items[i]);
  return size_inputs(n);
}

bool network_take_bytes(network *n, network_value *v, const char *path) {
  const uint64_t bits = webnn_data_type_bits(v->known.descriptor.data_type);
  webnn_list sizes = v->known.descriptor.shape;
  uint64_t others = bits;
  uint32_t open = 0, at = 0;
  size_t length;
  const char *bytes = file_read(n->memory, path, &length);
  if (!bytes)
    return false;
  for (uint32_t d = 0; d < sizes.count; d++) {
    const bool is_open = sizes.items[d] >= WEBNN_DYNAMIC_DIMENSION;
    open += is_open;
    at = is_open ? d : at;
    others *= is_open || others > UINT32_MAX ? 1 : sizes.items[d];
  }
  if (open != 1 || (uint64_t)length * 8 / others > INT32_MAX)
    return complain(NULL, "%s: its bytes do not say the sizes of \"%s\" %s: give them with --dim",
                    path, v->name, declared_text(n, v));
  sizes.items[at] = (uint32_t)((uint64_t)length * 8 / others);
  return network_take_shape(n, v, &sizes, v->node, path);
}

/* Does an input give it a largest size? That is its size while nothing else is known. */
static bool has_largest(const network *n, const network_dimension *d) {
  for (size_t i = 0; i < n->value_count; i++) {
    const json *item = json_items(json_get(n->values[i].node, "shape"), JSON_ARRAY);
    for (; item; item = item->next) {
      const char *name = json_string(json_get(item, "name"));
      if (name && json_get(item, "maxSize") && strcmp(name, d->name) == 0)
        return true;
    }
  }
  return false;
}

/* Gives `size` to the dimensions of one input that have no name, and adds them to the list in
   `text`. */
static const char *settle_unnamed(network *n, network_value *v, const char *text, uint32_t size) {
  const json *item = json_items(json_get(v->node, "shape"), JSON_ARRAY);
  for (size_t i = 0; item; item = item->next, i++) {
    if (item->kind != JSON_OBJECT || item->length > 0)
      continue;
    text =
        take_text(n->memory, "%s%s\"%s[%lu]\"", text, *text ? ", " : "", v->name, (unsigned long)i);
    fix_size(n, v, i, size);
  }
  return text;
}

const char *network_settle_dimensions(network *n, uint32_t size) {
  const char *text = "";
  for (network_dimension *d = n->dimensions; d; d = d->next) {
    if (d->size > 0 || has_largest(n, d))
      continue;
    text = take_text(n->memory, "%s%s\"%s\"", text, *text ? ", " : "", d->name);
    d->size = size;
  }
  for (size_t i = 0; i < n->value_count; i++)
    if (n->values[i].producer == NOBODY && !n->values[i].known.data)
      text = settle_unnamed(n, &n->values[i], text, size);
  size_inputs(n);
  return text;
}
