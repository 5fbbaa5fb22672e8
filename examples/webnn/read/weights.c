/* Files of weights beside a graph: those that webnn_weights.h reads, and .weights, whose tensors a
   manifest lists. Every entry is checked, also of tensors that the graph does not have. */
#include "read.h"

#include <stdlib.h>
#include <string.h>

/* ---- Paths ----------------------------------------------------------------------------------- */

bool file_exists(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file)
    fclose(file);
  return file != NULL;
}

static const char *name_part(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\')
      name = c + 1;
  return name;
}

const char *path_stem(arena *memory, const char *path) {
  const char *dot = strrchr(name_part(path), '.');
  return take_text(memory, "%.*s", (int)(dot ? (size_t)(dot - path) : strlen(path)), path);
}

static const char *first_existing(const char *const *paths, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (file_exists(paths[i]))
      return paths[i];
  return NULL;
}

static bool find_weights(const session *s, arena *memory, const char *graph, weights *w) {
  const char *stem = path_stem(memory, graph);
  const int folder = (int)(name_part(graph) - graph);
  const char *const paths[] = {take_text(memory, "%s.safetensors", stem),
                               take_text(memory, "%s.weights", stem),
                               take_text(memory, "%.*smodel.safetensors", folder, graph),
                               take_text(memory, "%.*smodel.weights", folder, graph)};
  w->path = s->weights ? s->weights : first_existing(paths, sizeof paths / sizeof *paths);
  return w->path != NULL;
}

static const char *find_manifest(const session *s, arena *memory, const char *graph,
                                 const weights *w) {
  const int folder = (int)(name_part(graph) - graph);
  const char *const paths[] = {take_text(memory, "%s.manifest.json", path_stem(memory, w->path)),
                               take_text(memory, "%s.manifest.json", path_stem(memory, graph)),
                               take_text(memory, "%.*smanifest.json", folder, graph)};
  return s->manifest ? s->manifest : first_existing(paths, sizeof paths / sizeof *paths);
}

/* ---- Manifests ------------------------------------------------------------------------------- */

typedef struct range {
  size_t from, to; /* in the file */
  const json *entry;
} range;

/* Where an entry says that its bytes are, if the file has these. */
static bool read_range(const weights *w, const json *entry, range *r) {
  uint64_t from, to;
  if (!json_u64(json_get(entry, "byteOffset"), &from) ||
      !json_u64(json_get(entry, "byteLength"), &to))
    return complain(entry, "\"%s\" must have \"byteOffset\" and \"byteLength\"", entry->name);
  to = to <= UINT64_MAX - from ? from + to : UINT64_MAX;
  if (to > w->length)
    return complain(entry, "the bytes of \"%s\" must lie in 0 to %lu of %s; they are %llu to %llu",
                    entry->name, (unsigned long)w->length, w->path, (unsigned long long)from,
                    (unsigned long long)to);
  if (from < 8 && w->length >= 8 && memcmp(w->bytes, "WGWT", 4) == 0)
    return complain(entry, "\"%s\" must begin after the 8 bytes of the header of %s", entry->name,
                    w->path);
  r->from = (size_t)from;
  r->to = (size_t)to;
  r->entry = entry;
  return true;
}

static int range_order(const void *first, const void *second) {
  const range *a = (const range *)first, *b = (const range *)second;
  return (a->from > b->from) - (a->from < b->from);
}

/* All have bytes in the file, and no two the same. */
static bool check_ranges(arena *memory, const weights *w) {
  range *ranges = (range *)take(memory, (w->count + 1) * sizeof *ranges);
  for (size_t i = 0; i < w->count; i++)
    if (!read_range(w, w->entries[i], &ranges[i]))
      return false;
  qsort(ranges, w->count, sizeof *ranges, range_order);
  for (size_t i = 1; i < w->count; i++)
    if (ranges[i].from < ranges[i - 1].to)
      return complain(ranges[i].entry, "\"%s\" and \"%s\" share bytes", ranges[i - 1].entry->name,
                      ranges[i].entry->name);
  return true;
}

static void take_entries(arena *memory, const json *tensors, weights *w) {
  const size_t count = json_count(tensors);
  w->entries = (const json **)take(memory, (count + 1) * sizeof *w->entries);
  w->names = (const char **)take(memory, (count + 1) * sizeof *w->names);
  for (const json *entry = tensors->first; entry; entry = entry->next) {
    w->entries[w->count] = entry;
    w->names[w->count++] = entry->name;
  }
}

/* A member that need not be there has one of two values. */
static bool says(const json *object, const char *name, const char *value, const char *other) {
  const json *member = json_get(object, name);
  const char *text = json_string(member);
  if (!member || (text && (strcmp(text, value) == 0 || strcmp(text, other) == 0)))
    return true;
  return text ? complain(member, "\"%s\" must be \"%s\"; it is \"%s\"", name, value, text)
              : must_have(object, member, name, "a string");
}

static bool open_manifest(const session *s, arena *memory, const char *graph, weights *w) {
  const char *path = find_manifest(s, memory, graph, w);
  const json *root = path ? json_read(memory, path) : NULL, *version, *tensors;
  uint32_t number;
  if (!root)
    return path ? false
                : complain(NULL, "%s: the file must have a manifest; name it with --manifest",
                           w->path);
  version = json_get(root, "version");
  if (!says(root, "format", "wg-weights-manifest", "webnn-weights-manifest") ||
      !says(root, "endianness", "little", "little"))
    return false;
  if (version && (!json_u32(version, &number) || number != 1))
    return complain(version, "\"version\" must be 1");
  tensors = json_get(root, "tensors");
  if (!tensors || tensors->kind != JSON_OBJECT)
    return must_have(root, tensors, "tensors", "an object");
  for (const json *entry = tensors->first; entry; entry = entry->next)
    if (!says(entry, "layout", "row-major", "row-major"))
      return false;
  if (w->length >= 8 && memcmp(w->bytes, "WGWT", 4) == 0 &&
      memcmp(w->bytes + 4, "\1\0\0\0", 4) != 0)
    return complain(NULL, "%s: byte 4: the version must be 1", w->path);
  take_entries(memory, tensors, w);
  return check_ranges(memory, w);
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Is it no file with a manifest? */
static bool is_described(const char *path) {
  static const char *const endings[] = {".safetensors", ".index.json", ".npz", ".npy"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (ends_with(path, endings[i]))
      return true;
  return false;
}

static bool open_described(arena *memory, weights *w) {
  webnn_error error = WEBNN_ZERO;
  webnn_weights_tensor *tensors;
  if (webnn_weights_open(w->path, &w->file, &error) != WEBNN_OK)
    return complain(NULL, "%s", error.message);
  w->count = webnn_weights_list(w->file, NULL, 0);
  w->names = (const char **)take(memory, (w->count + 1) * sizeof *w->names);
  tensors = (webnn_weights_tensor *)take(memory, (w->count + 1) * sizeof *tensors);
  webnn_weights_list(w->file, tensors, w->count);
  for (size_t i = 0; i < w->count; i++)
    w->names[i] = tensors[i].name;
  return true;
}

bool weights_open(const session *s, arena *memory, const char *graph_path, weights *w) {
  memset(w, 0, sizeof *w);
  if (!find_weights(s, memory, graph_path, w))
    return true;
  if (is_described(w->path))
    return open_described(memory, w);
  w->bytes = file_read(memory, w->path, &w->length);
  return w->bytes && open_manifest(s, memory, graph_path, w);
}

void weights_close(weights *w) {
  webnn_weights_free(w->file);
  w->file = NULL;
}

/* ---- Taking a tensor ------------------------------------------------------------------------- */

/* "a::b.c" is "a__b_c" to some writers. */
static char *plain_name(arena *memory, const char *name) {
  char *text = take_text(memory, "%s", name);
  for (char *c = text; *c; c++) {
    if (c[0] == ':' && c[1] == ':') {
      *c++ = '_';
      *c = '_';
    } else if (*c == '.') {
      *c = '_';
    }
  }
  return text;
}

/* The index of a tensor; w->count: there is none, or after a complaint. */
static size_t find_tensor(arena *memory, const weights *w, const json *name, bool *twice) {
  const char *plain = plain_name(memory, name->text);
  size_t found = w->count;
  for (size_t i = 0; i < w->count; i++)
    if (strcmp(w->names[i], name->text) == 0)
      return i;
  for (size_t i = 0; i < w->count; i++) {
    if (strcmp(plain_name(memory, w->names[i]), plain) != 0)
      continue;
    *twice = found < w->count;
    if (*twice) {
      complain(name, "\"%s\" may be \"%s\" or \"%s\" of %s", name->text, w->names[found],
               w->names[i], w->path);
      return w->count;
    }
    found = i;
  }
  return found;
}

static bool same_shape(const json *shape, const uint32_t *items, size_t count) {
  uint32_t size;
  if (shape->kind != JSON_ARRAY || shape->length != count)
    return false;
  for (const json *item = shape->first; item; item = item->next)
    if (!json_u32(item, &size) || size != *items++)
      return false;
  return true;
}

/* Does the entry of a manifest have the type and shape that the graph declares, or say none? */
static bool agrees(const json *entry, const webnn_operand_descriptor *d) {
  const json *shape = json_get(entry, "shape"), *type = json_get(entry, "dataType");
  return (!type ||
          (json_string(type) && strcmp(type->text, webnn_data_type_name(d->data_type)) == 0)) &&
         (!shape || same_shape(shape, d->shape.items, d->shape.count));
}

static json *take_of_manifest(arena *memory, const weights *w, const json *entry,
                              const tensor *declared) {
  json *bytes = json_new(memory, entry, JSON_BYTES);
  range r;
  if (!read_range(w, entry, &r))
    return NULL;
  if (!agrees(entry, &declared->descriptor)) {
    complain(entry, "\"%s\" must have the type and shape of the graph, %s", entry->name,
             descriptor_text(memory, &declared->descriptor));
    return NULL;
  }
  bytes->text = w->bytes + r.from;
  bytes->length = r.to - r.from;
  return bytes;
}

json *weights_take(const session *s, arena *memory, const weights *w, const json *name,
                   const tensor *declared) {
  bool twice = false;
  const size_t i = find_tensor(memory, w, name, &twice);
  tensor t = *declared;
  if (twice)
    return NULL;
  if (!w->file && i < w->count)
    return take_of_manifest(memory, w, w->entries[i], declared);
  if (!w->file) {
    complain(name, "%s has no tensor \"%s\"", w->path, name->text);
    return NULL;
  }
  return tensor_of_weights(s, memory, name, w->file, w->path,
                           i < w->count ? w->names[i] : name->text, &t, NULL)
             ? tensor_bytes(memory, name, &t)
             : NULL;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_shape(FILE *file, const webnn_list *shape) {
  fputc('[', file);
  for (size_t i = 0; i < shape->count; i++)
    fprintf(file, "%s%lu", i ? "," : "", (unsigned long)shape->items[i]);
  fputc(']', file);
}

static void write_little_endian(FILE *file, uint64_t number, int bytes) {
  for (; bytes > 0; bytes--, number >>= 8)
    fputc((int)(number & 255), file);
}

bool weights_write_safetensors(FILE *file, const stored_list *stored) {
  arena memory = {NULL, 0};
  webnn_weights_tensor *tensors =
      (webnn_weights_tensor *)take(&memory, (stored->count + 1) * sizeof *tensors);
  webnn_error error = WEBNN_ZERO;
  bool right;
  for (size_t i = 0; i < stored->count; i++)
    tensors[i] = weights_tensor(stored->names[i], NULL, &stored->values[i]->known);
  right = webnn_weights_write(WEBNN_WEIGHTS_SAFETENSORS, tensors, stored->count,
                              webnn_write_to_file, file, &error) == WEBNN_OK ||
          complain(NULL, "%s", error.message);
  release(&memory);
  return right;
}

bool weights_write_blob(FILE *file, const stored_list *stored) {
  fputs("WGWT", file);
  write_little_endian(file, 1, 4);
  for (size_t i = 0; i < stored->count; i++)
    tensor_write_bytes(file, &stored->values[i]->known);
  return true;
}

bool weights_write_manifest(FILE *file, const stored_list *stored) {
  uint64_t offset = 8;
  fputs("{\"format\":\"wg-weights-manifest\",\"version\":1,\"endianness\":\"little\",\"tensors\":{",
        file);
  for (size_t i = 0; i < stored->count; i++) {
    const tensor *t = &stored->values[i]->known;
    fputs(i ? ",\n" : "\n", file);
    json_write_string(file, stored->names[i]);
    fprintf(file,
            ":{\"dataType\":\"%s\",\"shape\":", webnn_data_type_name(t->descriptor.data_type));
    write_shape(file, &t->descriptor.shape);
    fprintf(file, ",\"byteOffset\":%llu,\"byteLength\":%lu,\"layout\":\"row-major\"}",
            (unsigned long long)offset, (unsigned long)t->byte_length);
    offset += t->byte_length;
  }
  fputs("\n}}\n", file);
  return true;
}
