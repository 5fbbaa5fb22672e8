/* Graphs as text (.webnn): a reader and a writer of the interchange tree. What the words mean is
   interchange.c's business; here is only how they are written. */
#include "read.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

typedef struct reader {
  arena *memory;
  const char *file, *at, *end, *line_start;
  uint32_t line;
  int depth;
} reader;

/* ---- Characters and words -------------------------------------------------------------------- */

static json here(const reader *r) {
  json place = {JSON_NULL, r->line, (uint32_t)(r->at - r->line_start) + 1, r->file, NULL, NULL, 0,
                NULL,      NULL};
  return place;
}

static bool fail(const reader *r, const char *what) {
  const json place = here(r);
  return complain(&place, "%s", r->at >= r->end ? "the file ends in the middle" : what);
}

static bool expected(const reader *r, const char *what) {
  const json place = here(r);
  return r->at >= r->end ? fail(r, what) : must_read(&place, what, r->at, r->end);
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool starts_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '/' || c == '$';
}

static bool is_in_name(char c) {
  return starts_name(c) || is_digit(c) || c == '.';
}

static void step(reader *r) {
  if (*r->at++ == '\n') {
    r->line++;
    r->line_start = r->at;
  }
}

/* White space, and comments from # to the end of the line. */
static void skip_space(reader *r) {
  for (;;) {
    if (*r->at == '#')
      while (r->at < r->end && *r->at != '\n')
        r->at++;
    if (!*r->at || !strchr(" \t\r\n", *r->at))
      return;
    step(r);
  }
}

/* A character that may be there, with the space after it. */
static bool accept(reader *r, char c) {
  if (*r->at != c || r->at >= r->end)
    return false;
  r->at++;
  skip_space(r);
  return true;
}

static bool expect(reader *r, char c) {
  char what[] = "'?'";
  what[1] = c;
  return accept(r, c) || expected(r, what);
}

static bool accept_word(reader *r, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(r->at, word, length) != 0 || is_in_name(r->at[length]))
    return false;
  r->at += length;
  skip_space(r);
  return true;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Text of the source, as a value that stands at its beginning. */
static json *make(reader *r, json_kind kind, const char *from, const json *at) {
  json *value = json_new(r->memory, at, kind);
  value->length = (size_t)(r->at - from);
  value->text = take_text(r->memory, "%.*s", (int)value->length, from);
  skip_space(r);
  return value;
}

static json *read_name(reader *r) {
  const char *from = r->at;
  const json at = here(r);
  if (!starts_name(*r->at)) {
    expected(r, "a name");
    return NULL;
  }
  while (is_in_name(*r->at))
    r->at++;
  return make(r, JSON_STRING, from, &at);
}

/* Only the quote and the backslash can be escaped; any other backslash is one. */
static json *read_string(reader *r) {
  const json at = here(r);
  const char *from;
  json *value;
  char *to;
  if (*r->at != '"') {
    expected(r, "a string");
    return NULL;
  }
  for (from = ++r->at; r->at < r->end && *r->at != '"'; step(r))
    r->at += *r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\');
  if (r->at >= r->end) {
    fail(r, "");
    return NULL;
  }
  value = json_new(r->memory, &at, JSON_STRING);
  to = (char *)take(r->memory, (size_t)(r->at - from) + 1);
  value->text = to;
  for (; from < r->at; from++) {
    from += *from == '\\' && (from[1] == '"' || from[1] == '\\');
    *to++ = *from;
  }
  value->length = (size_t)(to - value->text);
  r->at++;
  skip_space(r);
  return value;
}

static bool skip_digits(reader *r) {
  if (!is_digit(*r->at))
    return expected(r, "a digit");
  while (is_digit(*r->at))
    r->at++;
  return true;
}

/* Zeros before a number are dropped, as JSON does not have them. */
static json *read_number(reader *r) {
  const json at = here(r);
  const char *from = r->at, *digits;
  json *value;
  r->at += *r->at == '-';
  digits = r->at;
  if (!skip_digits(r))
    return NULL;
  while (*digits == '0' && is_digit(digits[1]))
    digits++;
  if (*r->at == '.' && (r->at++, !skip_digits(r)))
    return NULL;
  if (*r->at == 'e' || *r->at == 'E') {
    r->at++;
    r->at += *r->at == '+' || *r->at == '-';
    if (!skip_digits(r))
      return NULL;
  }
  if (is_in_name(*r->at)) {
    fail(r, "a number ends here, but other characters follow");
    return NULL;
  }
  value = make(r, JSON_NUMBER, digits, &at);
  if (*from == '-') {
    value->text = take_text(r->memory, "-%s", value->text);
    value->length++;
  }
  return value;
}

static json *read_value(reader *r);

static json *read_array(reader *r) {
  const json at = here(r);
  json_list l = json_start(r->memory, &at, JSON_ARRAY);
  if (!expect(r, '['))
    return NULL;
  while (!accept(r, ']')) {
    json *item = l.list->length == 0 || expect(r, ',') ? read_value(r) : NULL;
    if (!item)
      return NULL;
    json_put(&l, NULL, item);
  }
  return l.list;
}

static json *read_object(reader *r) {
  const json at = here(r);
  json_list l = json_start(r->memory, &at, JSON_OBJECT);
  if (!expect(r, '{'))
    return NULL;
  while (!accept(r, '}')) {
    json *name = NULL, *item;
    if (l.list->length == 0 || expect(r, ','))
      name = *r->at == '"' ? read_string(r) : read_name(r);
    item = name && expect(r, ':') ? read_value(r) : NULL;
    if (!item)
      return NULL;
    json_put(&l, name->text, item);
  }
  return json_names_differ(r->memory, l.list) ? l.list : NULL;
}

/* A name stands for itself, as a string; three of them are values of their own. */
static json *read_word(reader *r) {
  static const char *const words[] = {"null", "false", "true"};
  json *name = read_name(r);
  for (int i = 0; name && i < 3; i++)
    if (strcmp(name->text, words[i]) == 0)
      name->kind = (json_kind)i;
  return name;
}

/* "-Infinity" without quotes is the string. */
static json *read_minus_infinity(reader *r) {
  static const char word[] = "-Infinity";
  const json at = here(r);
  const char *from = r->at;
  if (strncmp(from, word, sizeof word - 1) != 0 || is_in_name(from[sizeof word - 1]))
    return read_number(r);
  r->at += sizeof word - 1;
  return make(r, JSON_STRING, from, &at);
}

static json *read_value(reader *r) {
  json *value = NULL;
  if (++r->depth > MAX_DEPTH)
    fail(r, take_text(r->memory, "lists and objects must be nested at most %d deep", MAX_DEPTH));
  else if (*r->at == '-' && r->at[1] == 'I')
    value = read_minus_infinity(r);
  else if (*r->at == '[')
    value = read_array(r);
  else if (*r->at == '{')
    value = read_object(r);
  else if (*r->at == '"')
    value = read_string(r);
  else if (*r->at == '-' || is_digit(*r->at))
    value = read_number(r);
  else if (starts_name(*r->at))
    value = read_word(r);
  else
    expected(r, "a value");
  r->depth--;
  return value;
}

/* ---- Types ----------------------------------------------------------------------------------- */

static const struct {
  const char *text, *name;
} types[] = {{"f32", "float32"}, {"f16", "float16"}, {"i64", "int64"}, {"u64", "uint64"},
             {"i32", "int32"},   {"u32", "uint32"},  {"i8", "int8"},   {"u8", "uint8"},
             {"i4", "int4"},     {"u4", "uint4"}};
enum { TYPES = sizeof types / sizeof *types };

/* dyn("batch", 8): a size with a name, and the largest that it can be. dyn("batch") can have any
   size, and so can dyn(), whose size no other one has to have. */
static json *read_dynamic(reader *r) {
  const json at = here(r);
  json_list l = json_start(r->memory, &at, JSON_OBJECT);
  json *name, *most;
  if (!accept_word(r, "dyn")) {
    expected(r, "a dimension");
    return NULL;
  }
  if (!expect(r, '('))
    return NULL;
  if (accept(r, ')'))
    return l.list;
  name = read_string(r);
  if (!name)
    return NULL;
  json_put(&l, "name", name);
  if (accept(r, ')'))
    return l.list;
  most = expect(r, ',') ? read_number(r) : NULL;
  if (!most || !expect(r, ')'))
    return NULL;
  json_put(&l, "maxSize", most);
  return l.list;
}

static json *read_shape(reader *r) {
  const json at = here(r);
  json_list l = json_start(r->memory, &at, JSON_ARRAY);
  if (!expect(r, '['))
    return NULL;
  while (!accept(r, ']')) {
    json *size = NULL;
    if (l.list->length == 0 || expect(r, ','))
      size = is_digit(*r->at) ? read_number(r) : read_dynamic(r);
    if (!size)
      return NULL;
    json_put(&l, NULL, size);
  }
  return l.list;
}

/* "f32[2, 3]" as two members. */
static bool read_type(reader *r, json_list *to) {
  const json at = here(r);
  json *shape;
  int i = 0;
  while (i < TYPES && !accept_word(r, types[i].text))
    i++;
  if (i == TYPES)
    return expected(r, "a type, f32, f16, i64, u64, i32, u32, i8, u8, i4 or u4");
  json_put(to, "dataType", json_text(r->memory, &at, JSON_STRING, types[i].name));
  shape = read_shape(r);
  if (!shape)
    return false;
  json_put(to, "shape", shape);
  return true;
}

/* ---- Declarations ---------------------------------------------------------------------------- */

/* The list of numbers in brackets, which has at most a number for every second character. */
static json *read_bytes(reader *r) {
  const json at = here(r);
  const char *close = (const char *)memchr(r->at, ']', (size_t)(r->end - r->at));
  json *bytes = json_new(r->memory, &at, JSON_BYTES);
  char *to = (char *)take(r->memory, close ? (size_t)(close - r->at) / 2 + 1 : 1);
  bytes->text = to;
  if (!expect(r, '['))
    return NULL;
  while (!accept(r, ']')) {
    const json *number = bytes->length == 0 || expect(r, ',') ? read_number(r) : NULL;
    uint32_t byte;
    if (!number)
      return NULL;
    if (!json_u32(number, &byte) || byte > 255) {
      must_be(number, "a byte, 0 to 255");
      return NULL;
    }
    to[bytes->length++] = (char)(unsigned char)byte;
  }
  return bytes;
}

/* After @: where the elements of a constant are. */
static json *read_annotation(reader *r) {
  static const struct {
    const char *word, *kind, *member;
    json *(*read)(reader *r);
  } forms[] = {{"weights", "weights", "ref", read_string},
               {"scalar", "scalar", "value", read_number},
               {"bytes", "inlineBytes", "bytes", read_bytes}};
  const json at = here(r);
  json_list l = json_start(r->memory, &at, JSON_OBJECT);
  json *value;
  int i = 0;
  while (i < 3 && !accept_word(r, forms[i].word))
    i++;
  if (i == 3) {
    expected(r, "weights, scalar or bytes");
    return NULL;
  }
  value = expect(r, '(') ? forms[i].read(r) : NULL;
  if (!value || !expect(r, ')'))
    return NULL;
  json_put(&l, "kind", json_text(r->memory, &at, JSON_STRING, forms[i].kind));
  json_put(&l, forms[i].member, value);
  return l.list;
}

/* "x: f32[2, 3];", of a constant with an annotation before the semicolon. */
static bool read_declaration(reader *r, json_list *to, bool constant) {
  json *name = read_name(r), *init;
  json_list l;
  if (!name || !expect(r, ':'))
    return false;
  l = json_start(r->memory, name, JSON_OBJECT);
  if (!read_type(r, &l))
    return false;
  if (constant && *r->at == '@') {
    r->at++;
    init = read_annotation(r);
    if (!init)
      return false;
    json_put(&l, "init", init);
  }
  json_put(to, name->text, l.list);
  return expect(r, ';');
}

static bool read_input(reader *r, json_list *to) {
  return read_declaration(r, to, false);
}

static bool read_constant(reader *r, json_list *to) {
  return read_declaration(r, to, true);
}

/* "a;" or "a, b;" */
static bool read_output(reader *r, json_list *to) {
  do {
    json *name = read_name(r);
    if (!name)
      return false;
    json_put(to, name->text, name);
  } while (accept(r, ','));
  accept(r, ';');
  return true;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* "key=value" into the one list, "value" into the other. */
static bool read_argument(reader *r, json_list *inputs, json_list *options) {
  const reader start = *r;
  json *name = starts_name(*r->at) ? read_name(r) : NULL, *value;
  const bool keyword = name && accept(r, '=');
  if (!keyword)
    *r = start;
  value = read_value(r);
  if (!value)
    return false;
  if (!keyword && options->list->length > 0)
    return complain(value, "an argument without a name must come before those with names");
  json_put(keyword ? options : inputs, keyword ? name->text : NULL, value);
  return true;
}

/* "relu(x)", or only "x", which has an empty operator. */
static bool read_call(reader *r, json_list *node) {
  const json at = here(r);
  json_list inputs = json_start(r->memory, &at, JSON_ARRAY);
  json_list options = json_start(r->memory, &at, JSON_OBJECT);
  json *op = starts_name(*r->at) ? read_name(r) : NULL;
  if (!op)
    return expected(r, "an operator or a name");
  if (!accept(r, '(')) {
    json_put(&inputs, NULL, op);
    op = json_text(r->memory, &at, JSON_STRING, "");
  } else if (!accept(r, ')')) {
    do
      if (!read_argument(r, &inputs, &options))
        return false;
    while (accept(r, ','));
    if (!expect(r, ')'))
      return false;
  }
  json_put(node, "op", op);
  json_put(node, "inputs", inputs.list);
  json_put(node, "options", options.list);
  return true;
}

/* "y = relu(x);" or "[a, b] = split(x, splits=2);" */
static bool read_node(reader *r, json_list *to) {
  const json at = here(r);
  json_list node = json_start(r->memory, &at, JSON_OBJECT);
  json_list outputs = json_start(r->memory, &at, JSON_ARRAY);
  const bool several = accept(r, '[');
  do {
    json *name = read_name(r);
    if (!name)
      return false;
    json_put(&outputs, NULL, name);
  } while (several && accept(r, ','));
  if ((several && !expect(r, ']')) || !expect(r, '='))
    return false;
  json_put(&node, "id", json_copy(r->memory, outputs.list->first));
  if (!read_call(r, &node))
    return false;
  if (several)
    json_put(&node, "outputs", outputs.list);
  json_put(to, NULL, node.list);
  return expect(r, ';');
}

/* ---- The file -------------------------------------------------------------------------------- */

/* What the file has, in the order of the tree; the blocks may stand in any order and repeatedly. */
typedef struct block {
  const char *name;
  json_kind kind;
  bool (*read)(reader *r, json_list *to);
} block;

static const block blocks[] = {{"inputs", JSON_OBJECT, read_input},
                               {"consts", JSON_OBJECT, read_constant},
                               {"nodes", JSON_ARRAY, read_node},
                               {"outputs", JSON_OBJECT, read_output}};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static bool read_block(reader *r, json_list *lists) {
  int i = 0;
  while (i < BLOCKS && !accept_word(r, blocks[i].name))
    i++;
  if (i == BLOCKS)
    return expected(r, "inputs, consts, nodes, outputs or '}'");
  if (!expect(r, '{'))
    return false;
  while (!accept(r, '}'))
    if (!blocks[i].read(r, &lists[i]))
      return false;
  return true;
}

/* webnn_graph "name" v1 @quantized { */
static bool read_header(reader *r, json_list *graph) {
  json *name, *version;
  uint32_t number;
  if (!accept_word(r, "webnn_graph"))
    return expected(r, "webnn_graph");
  name = read_string(r);
  if (!name || !expect(r, 'v'))
    return false;
  version = is_digit(*r->at) ? read_number(r) : NULL;
  if (!version)
    return expected(r, "a version, v1 or v2");
  if (!json_u32(version, &number) || number < 1 || number > 2)
    return complain(version, "the version must be 1 or 2; it is %s", version->text);
  json_put(graph, "format", json_text(r->memory, name, JSON_STRING, "webnn-graph-json"));
  json_put(graph, "version", version);
  json_put(graph, "name", name);
  if (accept(r, '@')) {
    if (!accept_word(r, "quantized"))
      return expected(r, "quantized");
    json_put(graph, "quantized", json_new(r->memory, name, JSON_TRUE));
  }
  return expect(r, '{');
}

/* A zero would end the text, and names become those of JSON files. */
static bool is_clean(reader *r) {
  reader c = *r;
  while (c.at < c.end) {
    const size_t length = *c.at ? utf8_length(c.at, c.end) : 0;
    if (length == 0)
      return fail(&c, *c.at ? "the file must be UTF-8" : "the file must not have a character 0");
    for (size_t i = 0; i < length; i++)
      step(&c);
  }
  return true;
}

const json *text_parse(arena *memory, const char *file, const char *text, size_t length) {
  reader r = {memory, take_text(memory, "%s", file), text, text + length, text, 1, 0};
  const json at = here(&r);
  json_list graph = json_start(memory, &at, JSON_OBJECT), lists[BLOCKS];
  for (int i = 0; i < BLOCKS; i++)
    lists[i] = json_start(memory, &at, blocks[i].kind);
  if (!is_clean(&r))
    return NULL;
  skip_space(&r);
  if (!read_header(&r, &graph))
    return NULL;
  while (!accept(&r, '}'))
    if (!read_block(&r, lists))
      return NULL;
  if (r.at < r.end) {
    expected(&r, "the end of the file");
    return NULL;
  }
  for (int i = 0; i < BLOCKS; i++)
    json_put(&graph, blocks[i].name, lists[i].list);
  return graph.list;
}

bool text_is(const char *path, const char *text) {
  reader r = {NULL, path, text, text + strlen(text), text, 1, 0};
  skip_space(&r);
  return ends_with(path, ".webnn") || strncmp(r.at, "webnn_graph", 11) == 0;
}

/* ---- Examples -------------------------------------------------------------------------------- */

enum { MOST_COUNTED = 1 << 16 };

/* "1..25", 1 to 25 one after the other; NULL after a complaint. */
static json *read_count(reader *r) {
  const json at = here(r);
  json_list l = json_start(r->memory, &at, JSON_ARRAY);
  char *dots, *end;
  const long long first = strtoll(r->at, &dots, 10), last = strtoll(dots + 2, &end, 10);
  const long long step = first <= last ? 1 : -1;
  if (end == dots + 2 || first < -MOST_COUNTED || first > MOST_COUNTED || last < -MOST_COUNTED ||
      last > MOST_COUNTED) {
    fail(r, "a count must be two integers of at most 65536, as in 1..25");
    return NULL;
  }
  for (long long i = first;; i += step) {
    json_put(&l, NULL, json_text(r->memory, &at, JSON_NUMBER, take_text(r->memory, "%lld", i)));
    if (i == last)
      break;
  }
  r->at = end;
  skip_space(r);
  return l.list;
}

static bool is_count(const reader *r) {
  const char *c = r->at + (*r->at == '-');
  const char *digits = c;
  while (is_digit(*c))
    c++;
  return c > digits && c[0] == '.' && c[1] == '.';
}

/* Lists in lists are one list. */
static void put_flat(arena *memory, json_list *to, const json *value) {
  if (value->kind != JSON_ARRAY) {
    json_put(to, NULL, json_copy(memory, value));
    return;
  }
  for (const json *item = value->first; item; item = item->next)
    put_flat(memory, to, item);
}

json *text_flatten(arena *memory, const json *value) {
  json_list l = json_start(memory, value, JSON_ARRAY);
  put_flat(memory, &l, value);
  return l.list;
}

/* The elements of a tensor as "data" of a list, or as "fill" of one value for all. */
static bool read_elements(reader *r, json_list *to) {
  json *value = is_count(r) ? read_count(r) : read_value(r);
  if (!value)
    return false;
  if (value->kind == JSON_ARRAY)
    json_put(to, "data", text_flatten(r->memory, value));
  else
    json_put(to, "fill", value);
  return true;
}

static bool accept_equal(reader *r) {
  if (r->at[0] != '=' || r->at[1] != '=')
    return false;
  r->at += 2;
  skip_space(r);
  return true;
}

/* "x: f32[2] = [1, 2];", "y == [3, 4];", "y: f32[2] == [3, 4];" or an operator's call. */
static bool read_statement(reader *r, json_list *inputs, json_list *nodes, json_list *expected) {
  const reader start = *r;
  json *name = *r->at == '[' ? NULL : read_name(r);
  json_list l;
  bool typed;
  if (!name)
    return *r->at == '[' && read_node(r, nodes);
  l = json_start(r->memory, name, JSON_OBJECT);
  typed = accept(r, ':');
  if (typed && !read_type(r, &l))
    return false;
  if (accept_equal(r)) {
    json_put(&l, "name", name);
    if (!read_elements(r, &l))
      return false;
    json_put(expected, NULL, l.list);
    return expect(r, ';');
  }
  if (!typed) {
    *r = start;
    return read_node(r, nodes);
  }
  if (!expect(r, '=') || !read_elements(r, &l))
    return false;
  json_put(inputs, name->text, l.list);
  return expect(r, ';');
}

/* "refused expand(x, newShape=[4]);": a call that the builder refuses. */
static bool read_refused(reader *r, json_list *refused) {
  const json at = here(r);
  json_list node = json_start(r->memory, &at, JSON_OBJECT);
  if (!read_call(r, &node))
    return false;
  json_put(&node, "id", json_text(r->memory, &at, JSON_STRING, "refused"));
  json_put(refused, NULL, node.list);
  return expect(r, ';');
}

/* A reader that begins on a line of a longer file; false after a complaint. */
static bool start_inside(arena *memory, const char *file, const char *text, size_t length,
                         uint32_t line, reader *r) {
  memset(r, 0, sizeof *r);
  r->memory = memory;
  r->file = take_text(memory, "%s", file);
  r->at = r->line_start = text;
  r->end = text + length;
  r->line = line;
  if (!is_clean(r))
    return false;
  skip_space(r);
  return true;
}

bool text_parse_example(arena *memory, const char *file, const char *text, size_t length,
                        uint32_t line, const json **graph, const json **expected) {
  reader r;
  json at;
  json_list tree, inputs, nodes, refused, results;
  if (!start_inside(memory, file, text, length, line, &r))
    return false;
  at = here(&r);
  tree = json_start(memory, &at, JSON_OBJECT);
  inputs = json_start(memory, &at, JSON_OBJECT);
  nodes = json_start(memory, &at, JSON_ARRAY);
  refused = json_start(memory, &at, JSON_ARRAY);
  results = json_start(memory, &at, JSON_ARRAY);
  while (r.at < r.end)
    if (!(accept_word(&r, "refused") ? read_refused(&r, &refused)
                                     : read_statement(&r, &inputs, &nodes, &results)))
      return false;
  json_put(&tree, "inputs", inputs.list);
  json_put(&tree, "nodes", nodes.list);
  json_put(&tree, "refused", refused.list);
  *graph = tree.list;
  *expected = results.list;
  return true;
}

bool text_parse_equation(arena *memory, const char *file, const char *text, size_t length,
                         uint32_t line, const json **node, const json **results) {
  reader r;
  json at;
  json_list call, values;
  if (!start_inside(memory, file, text, length, line, &r))
    return false;
  at = here(&r);
  call = json_start(memory, &at, JSON_OBJECT);
  values = json_start(memory, &at, JSON_ARRAY);
  do {
    json *value = read_value(&r);
    if (!value)
      return false;
    json_put(&values, NULL, value);
  } while (accept(&r, ','));
  if (!accept_equal(&r))
    return expected(&r, "'=='");
  *results = values.list;
  *node = call.list;
  return read_call(&r, &call);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_string(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

static void write_value(FILE *file, const json *value) {
  const bool object = value->kind == JSON_OBJECT;
  if (value->kind == JSON_STRING) {
    write_string(file, value->text);
  } else if (value->kind < JSON_ARRAY) {
    json_write(file, value);
  } else {
    fputc(object ? '{' : '[', file);
    for (const json *item = value->first; item; item = item->next) {
      if (object)
        fprintf(file, "%s: ", item->name);
      write_value(file, item);
      fputs(item->next ? ", " : "", file);
    }
    fputc(object ? '}' : ']', file);
  }
}

static void write_size(FILE *file, const json *size) {
  const json *name = json_get(size, "name"), *most = json_get(size, "maxSize");
  if (size->kind != JSON_OBJECT) {
    json_write(file, size);
    return;
  }
  fputs("dyn(", file);
  if (name)
    write_string(file, name->text);
  if (most) {
    fputs(", ", file);
    json_write(file, most);
  }
  fputc(')', file);
}

static void write_type(FILE *file, const json *declaration) {
  const char *name = json_string(json_get(declaration, "dataType"));
  int i = 0;
  while (strcmp(types[i].name, name) != 0)
    i++;
  fprintf(file, "%s[", types[i].text);
  for (const json *size = json_get(declaration, "shape")->first; size; size = size->next) {
    write_size(file, size);
    fputs(size->next ? ", " : "", file);
  }
  fputc(']', file);
}

static void write_annotation(FILE *file, const json *init) {
  const json *ref = json_get(init, "ref"), *value = json_get(init, "value");
  const json *bytes = json_get(init, "bytes");
  fprintf(file, " @%s(", ref ? "weights" : value ? "scalar" : "bytes");
  write_value(file, ref ? ref : value ? value : bytes);
  fputc(')', file);
}

static void write_declarations(FILE *file, const char *name, const json *list) {
  if (json_count(list) == 0)
    return;
  fprintf(file, "  %s {\n", name);
  for (const json *item = list->first; item; item = item->next) {
    fprintf(file, "    %s: ", item->name);
    write_type(file, item);
    if (json_get(item, "init"))
      write_annotation(file, json_get(item, "init"));
    fputs(";\n", file);
  }
  fputs("  }\n\n", file);
}

/* Operands are names, not strings. */
static void write_option(FILE *file, const method *m, const json *option) {
  const char *kind = method_option(m, option->name);
  fprintf(file, "%s=", option->name);
  if (kind && strcmp(kind, "operand") == 0)
    fputs(option->text, file);
  else
    write_value(file, option);
}

static void write_names(FILE *file, const json *list) {
  for (const json *item = list->first; item; item = item->next)
    fprintf(file, "%s%s", item->text, item->next ? ", " : "");
}

static void write_node(FILE *file, const json *node) {
  const json *outputs = json_get(node, "outputs"), *inputs = json_get(node, "inputs");
  const char *op = json_string(json_get(node, "op")), *separator = json_count(inputs) ? ", " : "";
  fputs("    ", file);
  if (outputs) {
    fputc('[', file);
    write_names(file, outputs);
    fputc(']', file);
  } else {
    fputs(json_string(json_get(node, "id")), file);
  }
  fprintf(file, " = %s(", op);
  write_names(file, inputs);
  for (const json *o = json_get(node, "options")->first; o; o = o->next) {
    fputs(separator, file);
    write_option(file, method_find(op), o);
    separator = ", ";
  }
  fputs(");\n", file);
}

void text_write(FILE *file, const json *graph) {
  fputs("webnn_graph ", file);
  write_string(file, json_string(json_get(graph, "name")));
  fprintf(file, " v1%s {\n", json_is_true(json_get(graph, "quantized")) ? " @quantized" : "");
  write_declarations(file, "inputs", json_get(graph, "inputs"));
  write_declarations(file, "consts", json_get(graph, "consts"));
  fputs("  nodes {\n", file);
  for (const json *node = json_get(graph, "nodes")->first; node; node = node->next)
    write_node(file, node);
  fputs("  }\n\n  outputs {", file);
  for (const json *item = json_get(graph, "outputs")->first; item; item = item->next)
    fprintf(file, " %s;", item->name);
  fputs(" }\n}\n", file);
}
