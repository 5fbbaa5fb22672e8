/* Files of weights beside a graph: .safetensors, whose header lists the tensors, and .weights, for
   which a manifest does. Both are read as a whole, and every entry is checked, also of tensors that
   the graph does not have. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

/* rustnn's mark in the header of a file whose tensors of 4 bits are packed. */
#define PACKED_KEY "rustnn.webnn.packed4"

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

/* ---- Entries --------------------------------------------------------------------------------- */

static bool is_entry(const json *entry) {
  return strcmp(entry->name, "__metadata__") != 0;
}

typedef struct range {
  size_t from, to; /* in the file */
  const json *entry;
} range;

/* Where an entry says that its bytes are, if the file has these. */
static bool read_range(const weights *w, const json *entry, range *r) {
  const json *offsets = json_items(json_get(entry, "data_offsets"), JSON_ARRAY);
  const json *begin = w->safetensors ? offsets : json_get(entry, "byteOffset");
  const json *end =
      w->safetensors ? (offsets ? offsets->next : NULL) : json_get(entry, "byteLength");
  const uint64_t room = w->length - w->begin;
  uint64_t from, to;
  if (!json_u64(begin, &from) || !json_u64(end, &to) || (w->safetensors && end->next))
    return complain(entry,
                    w->safetensors ? "\"data_offsets\" of \"%s\" expected: two of them"
                                   : "\"byteOffset\" and \"byteLength\" of \"%s\" expected",
                    entry->name);
  if (!w->safetensors)
    to = to <= UINT64_MAX - from ? from + to : UINT64_MAX;
  if (from > to || to > room)
    return complain(entry, "\"%s\" has the bytes %llu to %llu of %llu in %s", entry->name,
                    (unsigned long long)from, (unsigned long long)to, (unsigned long long)room,
                    w->path);
  if (!w->safetensors && from < 8 && w->length >= 8 && memcmp(w->bytes, "WGWT", 4) == 0)
    return complain(entry, "\"%s\" begins inside of the header of %s", entry->name, w->path);
  r->from = w->begin + (size_t)from;
  r->to = w->begin + (size_t)to;
  r->entry = entry;
  return true;
}

static int range_order(const void *first, const void *second) {
  const range *a = (const range *)first, *b = (const range *)second;
  return (a->from > b->from) - (a->from < b->from);
}

/* All have bytes in the file, and no two the same. */
static bool check_ranges(arena *memory, const weights *w) {
  range *ranges = (range *)take(memory, (json_count(w->tensors) + 1) * sizeof *ranges);
  size_t count = 0;
  for (const json *entry = w->tensors->first; entry; entry = entry->next)
    if (is_entry(entry) && !read_range(w, entry, &ranges[count++]))
      return false;
  qsort(ranges, count, sizeof *ranges, range_order);
  for (size_t i = 1; i < count; i++)
    if (ranges[i].from < ranges[i - 1].to)
      return complain(ranges[i].entry, "\"%s\" and \"%s\" share bytes", ranges[i - 1].entry->name,
                      ranges[i].entry->name);
  return true;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static bool bad(const weights *w, size_t offset, const char *what) {
  return complain(NULL, "%s: byte %lu: %s", w->path, (unsigned long)offset, what);
}

/* The length of the header, the header, the tensors. */
static bool open_safetensors(arena *memory, weights *w) {
  uint64_t length = 0;
  char *header;
  w->safetensors = true;
  if (w->length < 8)
    return bad(w, w->length, "the file ends before its header");
  for (int i = 7; i >= 0; i--)
    length = length << 8 | (unsigned char)w->bytes[i];
  if (length > w->length - 8)
    return bad(w, 0, "the header is longer than the file");
  if (strncmp(w->bytes + 8, BYTE_ORDER_MARK, 3) == 0) /* file_read puts a zero behind the file */
    return bad(w, 8, "a byte order mark, which a safetensors header must not have");
  w->begin = 8 + (size_t)length;
  header = (char *)take(memory, w->begin + 1); /* strings are decoded in place */
  memcpy(header, w->bytes, w->begin);
  w->tensors = json_parse(memory, w->path, header, header + 8, (size_t)length);
  if (!w->tensors)
    return false;
  if (w->tensors->kind != JSON_OBJECT)
    return complain(w->tensors, "an object of tensors expected");
  w->packed = json_get(json_get(w->tensors, "__metadata__"), PACKED_KEY) != NULL;
  return true;
}

/* A member that need not be there has one of two values. */
static bool says(const json *object, const char *name, const char *value, const char *other) {
  const json *member = json_get(object, name);
  return !member ||
         (json_string(member) &&
          (strcmp(member->text, value) == 0 || strcmp(member->text, other) == 0)) ||
         complain(member, "%s other than \"%s\"", name, value);
}

static bool open_manifest(const session *s, arena *memory, const char *graph, weights *w) {
  const char *path = find_manifest(s, memory, graph, w);
  const json *root = path ? json_read(memory, path) : NULL, *version;
  uint32_t number;
  if (!root)
    return path ? false : complain(NULL, "%s: no manifest (name it with --manifest)", w->path);
  version = json_get(root, "version");
  if (!says(root, "format", "wg-weights-manifest", "webnn-weights-manifest") ||
      !says(root, "endianness", "little", "little"))
    return false;
  if (version && (!json_u32(version, &number) || number != 1))
    return complain(version, "a version other than 1");
  w->tensors = json_get(root, "tensors");
  if (!w->tensors || w->tensors->kind != JSON_OBJECT)
    return complain(w->tensors ? w->tensors : root, "\"tensors\" expected: an object");
  for (const json *entry = w->tensors->first; entry; entry = entry->next)
    if (!says(entry, "layout", "row-major", "row-major"))
      return false;
  if (w->length >= 8 && memcmp(w->bytes, "WGWT", 4) == 0 &&
      memcmp(w->bytes + 4, "\1\0\0\0", 4) != 0)
    return bad(w, 4, "a version other than 1");
  return true;
}

bool weights_open(const session *s, arena *memory, const char *graph_path, weights *w) {
  memset(w, 0, sizeof *w);
  if (!find_weights(s, memory, graph_path, w))
    return true;
  w->bytes = file_read(memory, w->path, &w->length);
  return w->bytes &&
         (ends_with(w->path, ".safetensors") ? open_safetensors(memory, w)
                                             : open_manifest(s, memory, graph_path, w)) &&
         check_ranges(memory, w);
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

static const json *find_entry(arena *memory, const weights *w, const json *name) {
  const char *plain = plain_name(memory, name->text);
  const json *found = json_get(w->tensors, name->text);
  if (found && is_entry(found))
    return found;
  found = NULL;
  for (const json *entry = w->tensors->first; entry; entry = entry->next) {
    if (!is_entry(entry) || strcmp(plain_name(memory, entry->name), plain) != 0)
      continue;
    if (found) {
      complain(name, "\"%s\" may be \"%s\" or \"%s\" of %s", name->text, found->name, entry->name,
               w->path);
      return NULL;
    }
    found = entry;
  }
  if (!found)
    complain(name, "%s has no tensor \"%s\"", w->path, name->text);
  return found;
}

static const struct {
  const char *name;
  webnn_data_type type;
} stored_types[] = {{"F32", WEBNN_FLOAT32}, {"F16", WEBNN_FLOAT16}, {"I64", WEBNN_INT64},
                    {"U64", WEBNN_UINT64},  {"I32", WEBNN_INT32},   {"U32", WEBNN_UINT32},
                    {"I8", WEBNN_INT8},     {"U8", WEBNN_UINT8},    {"U8", WEBNN_INT4},
                    {"U8", WEBNN_UINT4},    {"BF16", WEBNN_FLOAT32}};
enum { STORED_TYPES = sizeof stored_types / sizeof *stored_types };

static bool same_shape(const json *shape, const uint32_t *items, size_t count) {
  uint32_t size;
  if (!shape || shape->kind != JSON_ARRAY || shape->length != count)
    return false;
  for (const json *item = shape->first; item; item = item->next)
    if (!json_u32(item, &size) || size != *items++)
      return false;
  return true;
}

/* Does the entry have the type and shape that the graph declares? In a manifest it may say none. */
static bool agrees(const weights *w, const json *entry, const tensor *declared) {
  const webnn_operand_descriptor *d = &declared->descriptor;
  const bool packed = w->packed && webnn_data_type_bits(d->data_type) == 4;
  const json *shape = json_get(entry, "shape");
  const json *type = json_get(entry, w->safetensors ? "dtype" : "dataType");
  const uint32_t bytes = (uint32_t)declared->byte_length;
  int i = 0;
  while (w->safetensors && i < STORED_TYPES &&
         !(stored_types[i].type == d->data_type && json_string(type) &&
           strcmp(stored_types[i].name, type->text) == 0))
    i++;
  if (!w->safetensors && type &&
      !(json_string(type) && strcmp(type->text, webnn_data_type_name(d->data_type)) == 0))
    return false;
  return i < STORED_TYPES && ((!w->safetensors && !shape) ||
                              (packed ? same_shape(shape, &bytes, 1)
                                      : same_shape(shape, d->shape.items, d->shape.count)));
}

/* bfloat16 is the upper half of float32. */
static json *widen(arena *memory, const json *entry, const char *bytes, size_t length) {
  json *wide = json_new(memory, entry, JSON_BYTES);
  char *to = (char *)take(memory, length * 2 + 1);
  wide->text = to;
  wide->length = length / 2 * 4;
  for (size_t i = 0; i + 1 < length; i += 2)
    memcpy(to + i * 2 + 2, bytes + i, 2);
  return wide;
}

json *weights_take(arena *memory, const weights *w, const json *name, const tensor *declared) {
  const json *entry = find_entry(memory, w, name), *type = json_get(entry, "dtype");
  json *bytes;
  range r;
  if (!entry || !read_range(w, entry, &r))
    return NULL;
  if (!agrees(w, entry, declared)) {
    complain(entry, "\"%s\" has not the type and shape of the graph, %s", entry->name,
             descriptor_text(memory, &declared->descriptor));
    return NULL;
  }
  if (json_string(type) && strcmp(type->text, "BF16") == 0)
    return widen(memory, entry, w->bytes + r.from, r.to - r.from);
  bytes = json_new(memory, entry, JSON_BYTES);
  bytes->text = w->bytes + r.from;
  bytes->length = r.to - r.from;
  return bytes;
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

static void write_entry(FILE *file, const char *name, const tensor *t, uint64_t from) {
  int i = 0;
  while (stored_types[i].type != t->descriptor.data_type)
    i++;
  json_write_string(file, name);
  fprintf(file, ":{\"dtype\":\"%s\",\"shape\":", stored_types[i].name);
  if (webnn_data_type_bits(t->descriptor.data_type) == 4)
    fprintf(file, "[%lu]", (unsigned long)t->byte_length);
  else
    write_shape(file, &t->descriptor.shape);
  fprintf(file, ",\"data_offsets\":[%llu,%llu]}", (unsigned long long)from,
          (unsigned long long)(from + t->byte_length));
}

static void write_header(FILE *file, const stored_list *stored) {
  const char *separator = "{";
  uint64_t from = 0;
  size_t i = 0;
  while (i < stored->count &&
         webnn_data_type_bits(stored->values[i]->known.descriptor.data_type) > 4)
    i++;
  if (i < stored->count) {
    fputs("{\"__metadata__\":{\"" PACKED_KEY "\":\"1\"}", file);
    separator = ",";
  }
  for (i = 0; i < stored->count; i++) {
    fputs(separator, file);
    write_entry(file, stored->names[i], &stored->values[i]->known, from);
    from += stored->values[i]->known.byte_length;
    separator = ",";
  }
  fputc('}', file);
}

/* The header's length stands before it: it is filled in when it is known. The header ends at a
   multiple of 8. */
bool weights_write_safetensors(FILE *file, const stored_list *stored) {
  long end;
  write_little_endian(file, 0, 8);
  write_header(file, stored);
  end = ftell(file);
  for (; end >= 0 && end % 8 != 0; end++)
    fputc(' ', file);
  if (end < 0 || fseek(file, 0, SEEK_SET) != 0)
    return false;
  write_little_endian(file, (uint64_t)end - 8, 8);
  if (fseek(file, 0, SEEK_END) != 0)
    return false;
  for (size_t i = 0; i < stored->count; i++)
    tensor_write_bytes(file, &stored->values[i]->known);
  return true;
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
