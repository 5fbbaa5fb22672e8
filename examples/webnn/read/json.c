/* A strict JSON reader (RFC 8259) whose nodes know where they stand, for messages an editor can
   jump to, and the writer of strings. Numbers keep their source text: each reader chooses how
   exactly to convert them. */
#include "read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

typedef struct parser {
  arena *memory;
  const char *file;
  char *at;
  const char *end, *line_start;
  uint32_t line;
  int depth;
} parser;

static uint32_t column(const parser *p) {
  return (uint32_t)(p->at - p->line_start) + 1;
}

static bool fail(const parser *p, const char *what) {
  json here = {JSON_NULL, p->line, column(p), p->file, NULL, NULL, 0, NULL, NULL};
  return complain(&here, "%s", p->at >= p->end ? "the file ends in the middle" : what);
}

static bool expected(const parser *p, const char *what) {
  json here = {JSON_NULL, p->line, column(p), p->file, NULL, NULL, 0, NULL, NULL};
  return p->at >= p->end ? fail(p, what) : must_read(&here, what, p->at, p->end);
}

/* Line ends are counted here: strings cannot contain any. */
static void skip_space(parser *p) {
  for (;; p->at++) {
    if (*p->at == '\n') {
      p->line++;
      p->line_start = p->at + 1;
    } else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r') {
      return;
    }
  }
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool skip_digits(parser *p) {
  if (!is_digit(*p->at))
    return expected(p, "a digit");
  while (is_digit(*p->at))
    p->at++;
  return true;
}

static bool parse_number(parser *p, json *number) {
  number->kind = JSON_NUMBER;
  number->text = p->at;
  if (*p->at == '-')
    p->at++;
  if (*p->at == '0' && is_digit(p->at[1]))
    return fail(p, "a number must not begin with zeros");
  if (!skip_digits(p))
    return false;
  if (*p->at == '.') {
    p->at++;
    if (!skip_digits(p))
      return false;
  }
  if (*p->at == 'e' || *p->at == 'E') {
    p->at++;
    if (*p->at == '+' || *p->at == '-')
      p->at++;
    if (!skip_digits(p))
      return false;
  }
  number->length = (size_t)(p->at - number->text);
  return true;
}

size_t utf8_length(const char *text, const char *end) {
  const unsigned char *c = (const unsigned char *)text;
  size_t length = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
  if (length == 0 || c[0] > 0xF4 || length > (size_t)(end - text))
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((c[i] & 0xC0) != 0x80)
      return 0;
  if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
      (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F))
    return 0; /* longer than needed, a surrogate, or beyond the last character */
  return length;
}

static char *put_utf8(char *to, uint32_t code) {
  int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
  *to++ = (char)(first[more] | code >> (6 * more));
  while (more-- > 0)
    *to++ = (char)(0x80 | (code >> (6 * more) & 0x3F));
  return to;
}

static bool parse_hex4(parser *p, uint32_t *code) {
  *code = 0;
  for (int i = 0; i < 4; i++, p->at++) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *digit = *p->at ? strchr(digits, *p->at) : NULL;
    if (!digit)
      return expected(p, "a hexadecimal digit");
    *code = *code * 16 + (uint32_t)((digit - digits) % 16);
  }
  return true;
}

/* After \u. */
static bool parse_code_point(parser *p, uint32_t *code) {
  uint32_t low;
  if (!parse_hex4(p, code))
    return false;
  if (*code < 0xD800 || *code > 0xDFFF)
    return true;
  if (*code > 0xDBFF || p->at[0] != '\\' || p->at[1] != 'u')
    return fail(p, "a surrogate must be half of a pair");
  p->at += 2;
  if (!parse_hex4(p, &low))
    return false;
  if (low < 0xDC00 || low > 0xDFFF)
    return fail(p, "a surrogate must be half of a pair");
  *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
  return true;
}

/* After the backslash. What is written is never longer than what was read. */
static bool parse_escape(parser *p, char **to) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char *letter = *p->at ? strchr(letters, *p->at) : NULL;
  uint32_t code;
  if (letter) {
    *(*to)++ = meanings[letter - letters];
    p->at++;
    return true;
  }
  if (*p->at != 'u')
    return fail(p, "an escape must be one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
  p->at++;
  if (!parse_code_point(p, &code))
    return false;
  if (code == 0)
    return fail(p, "a string must not have a character 0");
  *to = put_utf8(*to, code);
  return true;
}

/* Decodes in place: the text ends where its closing quote was, or before. */
static bool parse_string(parser *p, const char **text, size_t *length) {
  char *to;
  if (*p->at != '"')
    return expected(p, "a string");
  to = ++p->at;
  *text = to;
  while (*p->at != '"') {
    size_t bytes = utf8_length(p->at, p->end);
    if ((unsigned char)*p->at < 0x20)
      return fail(p, "a string must not have control characters");
    if (bytes == 0)
      return fail(p, "a string must be UTF-8");
    if (*p->at == '\\') {
      p->at++;
      if (!parse_escape(p, &to))
        return false;
    } else {
      memmove(to, p->at, bytes);
      to += bytes;
      p->at += bytes;
    }
  }
  p->at++;
  *length = (size_t)(to - *text);
  *to = 0;
  return true;
}

static bool parse_word(parser *p, json *value, const char *word, json_kind kind) {
  if (strncmp(p->at, word, strlen(word)) != 0)
    return expected(p, "a value");
  value->kind = kind;
  p->at += strlen(word);
  return true;
}

static bool parse_value(parser *p, json *value);

static bool parse_member_name(parser *p, json *member) {
  size_t length;
  if (!parse_string(p, &member->name, &length))
    return false;
  skip_space(p);
  if (*p->at != ':')
    return expected(p, "':'");
  p->at++;
  skip_space(p);
  return true;
}

/* By name, and of one name as they stand in the file. */
static int member_order(const void *first, const void *second) {
  const json *a = *(const json *const *)first, *b = *(const json *const *)second;
  const int order = strcmp(a->name, b->name);
  return order != 0           ? order
         : a->line != b->line ? (a->line > b->line ? 1 : -1)
                              : (a->column > b->column) - (a->column < b->column);
}

bool json_names_differ(arena *memory, const json *object) {
  const json **members = (const json **)take(memory, (object->length + 1) * sizeof *members);
  size_t count = 0;
  for (const json *m = object->first; m; m = m->next)
    members[count++] = m;
  qsort(members, count, sizeof *members, member_order);
  for (size_t i = 1; i < count; i++)
    if (strcmp(members[i]->name, members[i - 1]->name) == 0)
      return complain(members[i], "member \"%s\" is given twice in an object", members[i]->name);
  return true;
}

/* The items of an array or the members of an object, up to the closing bracket. */
static bool parse_items(parser *p, json *list, json_kind kind) {
  const char close = kind == JSON_ARRAY ? ']' : '}';
  const json **link = &list->first;
  list->kind = kind;
  if (++p->depth > MAX_DEPTH)
    return fail(
        p, take_text(p->memory, "lists and objects must be nested at most %d deep", MAX_DEPTH));
  p->at++;
  skip_space(p);
  while (list->length > 0 || *p->at != close) {
    json *item = (json *)take(p->memory, sizeof *item);
    if ((kind == JSON_OBJECT && !parse_member_name(p, item)) || !parse_value(p, item))
      return false;
    *link = item;
    link = &item->next;
    list->length++;
    skip_space(p);
    if (*p->at == close)
      break;
    if (*p->at != ',')
      return expected(p, kind == JSON_ARRAY ? "',' or ']'" : "',' or '}'");
    p->at++;
    skip_space(p);
  }
  p->at++;
  p->depth--;
  return kind == JSON_ARRAY || json_names_differ(p->memory, list);
}

static bool parse_value(parser *p, json *value) {
  value->file = p->file;
  value->line = p->line;
  value->column = column(p);
  switch (*p->at) {
  case '{':
    return parse_items(p, value, JSON_OBJECT);
  case '[':
    return parse_items(p, value, JSON_ARRAY);
  case '"':
    value->kind = JSON_STRING;
    return parse_string(p, &value->text, &value->length);
  case 't':
    return parse_word(p, value, "true", JSON_TRUE);
  case 'f':
    return parse_word(p, value, "false", JSON_FALSE);
  case 'n':
    return parse_word(p, value, "null", JSON_NULL);
  default:
    return *p->at == '-' || is_digit(*p->at) ? parse_number(p, value) : expected(p, "a value");
  }
}

/* As file_read, but in memory that may move while it grows. */
static char *read_growing(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  size_t room = 1 << 16;
  char *text = (char *)malloc(room);
  *length = 0;
  while (file && text) {
    char *larger;
    *length += fread(text + *length, 1, room - *length, file);
    if (*length < room)
      break;
    room *= 2;
    larger = (char *)realloc(text, room);
    if (!larger)
      free(text);
    text = larger;
  }
  if (!file || !text || ferror(file)) {
    complain(NULL, "%s: the file cannot be read%s", path, text ? "" : ": out of memory");
    free(text);
    text = NULL;
  }
  if (file)
    fclose(file);
  return text;
}

char *file_read(arena *memory, const char *path, size_t *length) {
  char *growing = read_growing(path, length), *text;
  if (!growing)
    return NULL;
  text = (char *)take(memory, *length + 1);
  memcpy(text, growing, *length);
  free(growing);
  return text;
}

char *text_read(arena *memory, const char *path, size_t *length) {
  const json start = {JSON_NULL, 1, 1, path, NULL, NULL, 0, NULL, NULL};
  char *text = file_read(memory, path, length);
  if (text && (strncmp(text, "\xFF\xFE", 2) == 0 || strncmp(text, "\xFE\xFF", 2) == 0)) {
    complain(&start, "the file must be UTF-8; it is UTF-16");
    return NULL;
  }
  if (!text || strncmp(text, BYTE_ORDER_MARK, 3) != 0)
    return text;
  *length -= 3;
  return text + 3;
}

const json *json_parse(arena *memory, const char *file, const char *line_start, char *text,
                       size_t length) {
  json *root = (json *)take(memory, sizeof *root);
  parser p = {memory, take_text(memory, "%s", file), text, text + length, line_start, 1, 0};
  skip_space(&p);
  if (!parse_value(&p, root))
    return NULL;
  skip_space(&p);
  if (p.at != p.end) {
    expected(&p, "the end of the file");
    return NULL;
  }
  return root;
}

const json *json_read(arena *memory, const char *path) {
  size_t length;
  char *text = text_read(memory, path, &length);
  return text ? json_parse(memory, path, text, text, length) : NULL;
}

/* ---- Looking at the tree --------------------------------------------------------------------- */

const json *json_get(const json *object, const char *name) {
  const json *member = object && object->kind == JSON_OBJECT ? object->first : NULL;
  while (member && strcmp(member->name, name) != 0)
    member = member->next;
  return member;
}

const json *json_name(const json *node) {
  return json_string(node) ? node : json_get(node, "name");
}

const char *json_string(const json *value) {
  return value && value->kind == JSON_STRING ? value->text : NULL;
}

bool json_is_true(const json *value) {
  return value && value->kind == JSON_TRUE;
}

size_t json_count(const json *list) {
  return list && list->kind >= JSON_ARRAY ? list->length : 0;
}

const json *json_items(const json *list, json_kind kind) {
  return list && list->kind == kind ? list->first : NULL;
}

bool json_double(const json *value, double *number) {
  const char *text = json_string(value);
  char *end;
  if (text && strcmp(text, "NaN") == 0)
    *number = (double)NAN;
  else if (text && strcmp(text, "Infinity") == 0)
    *number = (double)INFINITY;
  else if (text && strcmp(text, "-Infinity") == 0)
    *number = -(double)INFINITY;
  else if (text && strcmp(text, "-0") == 0)
    *number = -0.0;
  else if (value && value->kind == JSON_NUMBER)
    *number = strtod(value->text, &end);
  else
    return false;
  return true;
}

/* A string or number that starts with a digit, or with a minus sign where that is allowed. */
static bool starts_integer(const json *value, bool negative) {
  return value && (value->kind == JSON_NUMBER || value->kind == JSON_STRING) && value->length > 0 &&
         (is_digit(value->text[0]) || (negative && value->text[0] == '-'));
}

bool json_i64(const json *value, int64_t *number) {
  char *end;
  if (!starts_integer(value, true))
    return false;
  errno = 0;
  *number = (int64_t)strtoll(value->text, &end, 10);
  return errno == 0 && end == value->text + value->length;
}

bool json_u64(const json *value, uint64_t *number) {
  char *end;
  if (!starts_integer(value, false))
    return false;
  errno = 0;
  *number = (uint64_t)strtoull(value->text, &end, 10);
  return errno == 0 && end == value->text + value->length;
}

bool json_u32(const json *value, uint32_t *number) {
  uint64_t wide;
  if (!value || value->kind != JSON_NUMBER || !json_u64(value, &wide) || wide > UINT32_MAX)
    return false;
  *number = (uint32_t)wide;
  return true;
}

/* ---- Making trees ---------------------------------------------------------------------------- */

json *json_new(arena *memory, const json *at, json_kind kind) {
  json *value = (json *)take(memory, sizeof *value);
  value->kind = kind;
  value->file = at ? at->file : "";
  value->line = at ? at->line : 0;
  value->column = at ? at->column : 0;
  return value;
}

json *json_text(arena *memory, const json *at, json_kind kind, const char *text) {
  json *value = json_new(memory, at, kind);
  value->text = text;
  value->length = strlen(text);
  return value;
}

json *json_size(arena *memory, const json *at, size_t number) {
  return json_text(memory, at, JSON_NUMBER, take_text(memory, "%lu", (unsigned long)number));
}

json *json_copy(arena *memory, const json *value) {
  json *copy = (json *)take(memory, sizeof *copy);
  *copy = *value;
  copy->name = NULL;
  copy->next = NULL;
  return copy;
}

json_list json_start(arena *memory, const json *at, json_kind kind) {
  json_list l;
  l.list = json_new(memory, at, kind);
  l.end = &l.list->first;
  return l;
}

void json_put(json_list *l, const char *name, json *item) {
  item->name = name;
  *l->end = item;
  l->end = &item->next;
  l->list->length++;
}

void json_put_text(arena *memory, json_list *l, const char *name, const char *text) {
  json_put(l, name, json_text(memory, NULL, JSON_STRING, text));
}

void json_put_count(arena *memory, json_list *l, const char *name, uint64_t count) {
  const char *text = take_text(memory, "%llu", (unsigned long long)count);
  json_put(l, name, json_text(memory, NULL, JSON_NUMBER, text));
}

void json_put_number(arena *memory, json_list *l, const char *name, double number) {
  if (number - number == 0.0)
    json_put(l, name, json_text(memory, NULL, JSON_NUMBER, take_text(memory, "%.9g", number)));
  else
    json_put_text(memory, l, name,
                  number != number ? "NaN"
                  : number > 0.0   ? "Infinity"
                                   : "-Infinity");
}

void json_put_bool(arena *memory, json_list *l, const char *name, bool value) {
  json_put(l, name, json_new(memory, NULL, value ? JSON_TRUE : JSON_FALSE));
}

void json_put_sizes(arena *memory, json_list *l, const char *name, const webnn_list *sizes) {
  json_list list = json_start(memory, NULL, JSON_ARRAY);
  for (uint32_t i = 0; i < sizes->count; i++)
    json_put_count(memory, &list, NULL, sizes->items[i]);
  json_put(l, name, list.list);
}

/* ---- Writing --------------------------------------------------------------------------------- */

void json_write_string(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(file, "\\%c", c);
    else if (c < 0x20)
      fprintf(file, "\\u%04x", (unsigned)c);
    else
      fputc(c, file);
  }
  fputc('"', file);
}

static void write_bytes(FILE *file, const json *bytes) {
  fputc('[', file);
  for (size_t i = 0; i < bytes->length; i++)
    fprintf(file, "%s%u", i ? "," : "", (unsigned)(unsigned char)bytes->text[i]);
  fputc(']', file);
}

static void write_items(FILE *file, const json *list) {
  const bool object = list->kind == JSON_OBJECT;
  fputc(object ? '{' : '[', file);
  for (const json *item = list->first; item; item = item->next) {
    if (object) {
      json_write_string(file, item->name);
      fputc(':', file);
    }
    json_write(file, item);
    if (item->next)
      fputc(',', file);
  }
  fputc(object ? '}' : ']', file);
}

void json_write(FILE *file, const json *value) {
  static const char *const words[] = {"null", "false", "true"};
  if (value->kind == JSON_NUMBER)
    fwrite(value->text, 1, value->length, file);
  else if (value->kind == JSON_STRING)
    json_write_string(file, value->text);
  else if (value->kind == JSON_BYTES)
    write_bytes(file, value);
  else if (value->kind < JSON_NUMBER)
    fputs(words[value->kind], file);
  else
    write_items(file, value);
}
