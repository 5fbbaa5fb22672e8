/* A strict JSON reader for tests (RFC 8259): the whole file becomes a tree whose nodes live in an
   arena. Numbers keep their source text, so that each reader chooses how exactly to convert them;
   objects keep their members in order, duplicates too. */
#ifndef WEBNN_TEST_JSON_H
#define WEBNN_TEST_JSON_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arena ----------------------------------------------------------------------------------- */

typedef union json_block_header {
  struct {
    union json_block_header *next;
    size_t size;
  } link;
  double alignment_of_doubles;
  long long alignment_of_integers;
} json_block_header;

/* Memory that is released all at once. {0} is an empty arena. */
typedef struct json_arena {
  json_block_header *blocks;
  size_t used; /* bytes of the newest block that are given away */
  size_t block_size;
} json_arena;

/* Never NULL: a test without memory ends. */
static inline void *json_allocate(json_arena *arena, size_t size) {
  const size_t unit = sizeof(json_block_header);
  char *memory;
  size = (size + unit - 1) / unit * unit;
  if (!arena->blocks || arena->blocks->link.size - arena->used < size) {
    size_t block_size = arena->block_size ? arena->block_size : 4096;
    json_block_header *block;
    if (block_size < size)
      block_size = size;
    block = (json_block_header *)malloc(sizeof *block + block_size);
    if (!block) {
      printf("out of memory\n");
      exit(1);
    }
    block->link.next = arena->blocks;
    block->link.size = block_size;
    arena->blocks = block;
    arena->used = 0;
  }
  memory = (char *)(arena->blocks + 1) + arena->used;
  arena->used += size;
  return memory;
}

/* Overwrites what was given away before releasing it, so that whoever kept a pointer notices. */
static inline void json_release(json_arena *arena, bool overwrite) {
  while (arena->blocks) {
    json_block_header *block = arena->blocks;
    arena->blocks = block->link.next;
    if (overwrite)
      memset(block + 1, 0xA5, block->link.size);
    free(block);
  }
  arena->used = 0;
}

/* ---- The tree -------------------------------------------------------------------------------- */

typedef enum json_kind {
  JSON_NULL,
  JSON_FALSE,
  JSON_TRUE,
  JSON_NUMBER,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT
} json_kind;

typedef struct json json;
struct json {
  json_kind kind;
  const char *name;  /* of a member of an object; NULL in arrays */
  const char *text;  /* string: decoded, ends with a zero; number: its source, ends with no zero */
  size_t length;     /* of text */
  size_t count;      /* of items or members */
  const json *first; /* item or member, in the order of the source */
  const json *next;  /* in the same array or object */
};

typedef struct json_document {
  const json *root; /* NULL after an error */
  bool missing;     /* the file could not be opened */
  char error[160];  /* "line:column: what is wrong" */
  char *source;
  json_arena arena;
} json_document;

/* ---- Reading --------------------------------------------------------------------------------- */

#define JSON_MAX_DEPTH 64

typedef struct json_parser {
  json_document *document;
  char *at;
  const char *end;
  const char *line_start;
  size_t line;
  int depth;
} json_parser;

static inline bool json_fail(json_parser *parser, const char *what) {
  snprintf(parser->document->error, sizeof parser->document->error, "%lu:%lu: %s",
           (unsigned long)parser->line, (unsigned long)(parser->at - parser->line_start) + 1, what);
  return false;
}

/* Line ends are counted here: strings cannot contain any. */
static inline void json_skip_space(json_parser *parser) {
  for (;; parser->at++) {
    if (*parser->at == '\n') {
      parser->line++;
      parser->line_start = parser->at + 1;
    } else if (*parser->at != ' ' && *parser->at != '\t' && *parser->at != '\r')
      return;
  }
}

static inline bool json_is_digit(char c) {
  return c >= '0' && c <= '9';
}

static inline char *json_skip_digits(char *at) {
  while (json_is_digit(*at))
    at++;
  return at;
}

static inline bool json_parse_number(json_parser *parser, json *value) {
  char *start = parser->at, *at = start;
  if (*at == '-')
    at++;
  if (!json_is_digit(*at))
    return json_fail(parser, "a digit expected");
  at = *at == '0' ? at + 1 : json_skip_digits(at);
  if (json_is_digit(*at))
    return json_fail(parser, "a number with a leading zero");
  if (*at == '.') {
    if (!json_is_digit(*++at))
      return json_fail(parser, "a digit expected after the point");
    at = json_skip_digits(at);
  }
  if (*at == 'e' || *at == 'E') {
    at++;
    if (*at == '+' || *at == '-')
      at++;
    if (!json_is_digit(*at))
      return json_fail(parser, "a digit expected in the exponent");
    at = json_skip_digits(at);
  }
  value->kind = JSON_NUMBER;
  value->text = start;
  value->length = (size_t)(at - start);
  parser->at = at;
  return true;
}

/* The length of the well-formed UTF-8 sequence at `at`, 0 if there is none. */
static inline size_t json_utf8_length(const char *text, const char *end) {
  const unsigned char *at = (const unsigned char *)text;
  const size_t left = (size_t)(end - text);
  size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
  size_t i;
  if (length == 0 || at[0] > 0xF4 || length > left)
    return 0;
  for (i = 1; i < length; i++)
    if ((at[i] & 0xC0) != 0x80)
      return 0;
  if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
      (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F))
    return 0;
  return length;
}

static inline char *json_put_utf8(char *to, unsigned long code) {
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xC0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *to++ = (char)(0xE0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    *to++ = (char)(0x80 | (code & 0x3F));
  } else {
    *to++ = (char)(0xF0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 0x3F));
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    *to++ = (char)(0x80 | (code & 0x3F));
  }
  return to;
}

/* The four digits after \u; stops at the first that is none. */
static inline bool json_parse_hex4(json_parser *parser, unsigned long *code) {
  int i;
  *code = 0;
  for (i = 0; i < 4; i++, parser->at++) {
    const char c = *parser->at;
    unsigned long digit;
    if (json_is_digit(c))
      digit = (unsigned long)(c - '0');
    else if (c >= 'a' && c <= 'f')
      digit = (unsigned long)(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F')
      digit = (unsigned long)(c - 'A') + 10;
    else
      return json_fail(parser, "a hexadecimal digit expected");
    *code = *code * 16 + digit;
  }
  return true;
}

static inline bool json_parse_code_point(json_parser *parser, unsigned long *code) {
  unsigned long low;
  if (!json_parse_hex4(parser, code))
    return false;
  if (*code >= 0xDC00 && *code <= 0xDFFF)
    return json_fail(parser, "a low surrogate alone");
  if (*code < 0xD800 || *code > 0xDBFF)
    return true;
  if (parser->at[0] != '\\' || parser->at[1] != 'u')
    return json_fail(parser, "a high surrogate alone");
  parser->at += 2;
  if (!json_parse_hex4(parser, &low))
    return false;
  if (low < 0xDC00 || low > 0xDFFF)
    return json_fail(parser, "a high surrogate alone");
  *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
  return true;
}

/* parser->at is behind the backslash. What is written is never longer than what was read. */
static inline bool json_parse_escape(json_parser *parser, char **to) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char *letter;
  unsigned long code;
  if (*parser->at == 'u') {
    parser->at++;
    if (!json_parse_code_point(parser, &code))
      return false;
    *to = json_put_utf8(*to, code);
    return true;
  }
  letter = *parser->at ? strchr(letters, *parser->at) : NULL;
  if (!letter)
    return json_fail(parser, "an unknown escape");
  *(*to)++ = meanings[letter - letters];
  parser->at++;
  return true;
}

/* Decodes in place: the text ends where its closing quote was, or before. */
static inline bool json_parse_string(json_parser *parser, const char **text, size_t *length) {
  char *to;
  if (*parser->at != '"')
    return json_fail(parser, "a string expected");
  to = ++parser->at;
  *text = to;
  while (*parser->at != '"') {
    if (*parser->at == '\\') {
      parser->at++;
      if (!json_parse_escape(parser, &to))
        return false;
    } else {
      const size_t bytes = json_utf8_length(parser->at, parser->end);
      if ((unsigned char)*parser->at < 0x20)
        return json_fail(parser, parser->at == parser->end ? "the string does not end"
                                                           : "a control character in a string");
      if (bytes == 0)
        return json_fail(parser, "not UTF-8");
      memmove(to, parser->at, bytes);
      to += bytes;
      parser->at += bytes;
    }
  }
  parser->at++;
  *length = (size_t)(to - *text);
  *to = 0;
  return true;
}

static inline bool json_parse_word(json_parser *parser, json *value, const char *word,
                                   json_kind kind) {
  const size_t length = strlen(word);
  if ((size_t)(parser->end - parser->at) < length || memcmp(parser->at, word, length) != 0)
    return json_fail(parser, "a value expected");
  value->kind = kind;
  parser->at += length;
  return true;
}

static inline bool json_parse_value(json_parser *parser, json *value);

/* "name" : before an object's value. */
static inline bool json_parse_name(json_parser *parser, json *item) {
  size_t length;
  if (!json_parse_string(parser, &item->name, &length))
    return false;
  if (strlen(item->name) != length)
    return json_fail(parser, "a zero in a name");
  json_skip_space(parser);
  if (*parser->at != ':')
    return json_fail(parser, "':' expected");
  parser->at++;
  json_skip_space(parser);
  return true;
}

/* The items of an array or the members of an object, up to the closing bracket. */
static inline bool json_parse_items(json_parser *parser, json *value, json_kind kind) {
  const char close = kind == JSON_ARRAY ? ']' : '}';
  const json **link = &value->first;
  value->kind = kind;
  if (++parser->depth > JSON_MAX_DEPTH)
    return json_fail(parser, "nested too deeply");
  parser->at++;
  json_skip_space(parser);
  while (value->count > 0 || *parser->at != close) {
    json *item = (json *)json_allocate(&parser->document->arena, sizeof *item);
    memset(item, 0, sizeof *item);
    if (kind == JSON_OBJECT && !json_parse_name(parser, item))
      return false;
    if (!json_parse_value(parser, item))
      return false;
    *link = item;
    link = &item->next;
    value->count++;
    json_skip_space(parser);
    if (*parser->at == close)
      break;
    if (*parser->at != ',')
      return json_fail(parser, kind == JSON_ARRAY ? "',' or ']' expected" : "',' or '}' expected");
    parser->at++;
    json_skip_space(parser);
  }
  parser->at++;
  parser->depth--;
  return true;
}

static inline bool json_parse_value(json_parser *parser, json *value) {
  switch (*parser->at) {
  case '{':
    return json_parse_items(parser, value, JSON_OBJECT);
  case '[':
    return json_parse_items(parser, value, JSON_ARRAY);
  case '"':
    value->kind = JSON_STRING;
    return json_parse_string(parser, &value->text, &value->length);
  case 't':
    return json_parse_word(parser, value, "true", JSON_TRUE);
  case 'f':
    return json_parse_word(parser, value, "false", JSON_FALSE);
  case 'n':
    return json_parse_word(parser, value, "null", JSON_NULL);
  default:
    if (*parser->at != '-' && !json_is_digit(*parser->at))
      return json_fail(parser, "a value expected");
    return json_parse_number(parser, value);
  }
}

/* Parses document->source, whose byte number `length` is zero. */
static inline bool json_parse_source(json_document *document, size_t length) {
  json *root;
  json_parser parser = {NULL, NULL, NULL, NULL, 1, 0};
  parser.document = document;
  parser.at = document->source;
  parser.end = document->source + length;
  parser.line_start = document->source;
  document->arena.block_size = 1 << 18;
  root = (json *)json_allocate(&document->arena, sizeof *root);
  memset(root, 0, sizeof *root);
  json_skip_space(&parser);
  if (!json_parse_value(&parser, root))
    return false;
  json_skip_space(&parser);
  if (parser.at != parser.end)
    return json_fail(&parser, "more text after the value");
  document->root = root;
  return true;
}

static inline void json_free(json_document *document) {
  json_release(&document->arena, false);
  free(document->source);
  memset(document, 0, sizeof *document);
}

/* Both start a new document; json_free it also after a failure. */
static inline bool json_parse(json_document *document, const char *text, size_t length) {
  memset(document, 0, sizeof *document);
  document->source = (char *)malloc(length + 1);
  if (!document->source) {
    snprintf(document->error, sizeof document->error, "out of memory");
    return false;
  }
  memcpy(document->source, text, length);
  document->source[length] = 0;
  return json_parse_source(document, length);
}

static inline bool json_read_file(json_document *document, const char *path) {
  size_t length = 0, room = 1 << 16;
  FILE *file = fopen(path, "rb");
  memset(document, 0, sizeof *document);
  if (!file) {
    document->missing = true;
    snprintf(document->error, sizeof document->error, "cannot be opened");
    return false;
  }
  for (;;) {
    char *larger = (char *)realloc(document->source, room + 1);
    if (!larger)
      break;
    document->source = larger;
    length += fread(document->source + length, 1, room - length, file);
    if (length < room)
      break;
    room *= 2;
  }
  if (ferror(file) || !feof(file) || !document->source) {
    snprintf(document->error, sizeof document->error, "cannot be read");
    fclose(file);
    return false;
  }
  fclose(file);
  document->source[length] = 0;
  return json_parse_source(document, length);
}

/* ---- Looking at the tree. NULL may be passed everywhere and has nothing in it. --------------- */

/* The first member of that name, NULL if there is none. */
static inline const json *json_get(const json *object, const char *name) {
  const json *member = object && object->kind == JSON_OBJECT ? object->first : NULL;
  while (member && strcmp(member->name, name) != 0)
    member = member->next;
  return member;
}

static inline const json *json_first(const json *list) {
  return list ? list->first : NULL;
}

static inline size_t json_count(const json *list) {
  return list ? list->count : 0;
}

static inline bool json_is_true(const json *value) {
  return value && value->kind == JSON_TRUE;
}

/* The text of a string, else NULL. */
static inline const char *json_string(const json *value) {
  return value && value->kind == JSON_STRING ? value->text : NULL;
}

static inline bool json_has_text(const json *value) {
  return value && (value->kind == JSON_NUMBER || value->kind == JSON_STRING) && value->length > 0;
}

/* A number as the nearest double. */
static inline bool json_double(const json *value, double *number) {
  char *end;
  if (!value || value->kind != JSON_NUMBER)
    return false;
  *number = strtod(value->text, &end);
  return end == value->text + value->length;
}

/* An integer written as a number or as a string of decimal digits; false if it has another form or
   does not fit. */
static inline bool json_i64(const json *value, int64_t *number) {
  char *end;
  if (!json_has_text(value) || (value->text[0] != '-' && !json_is_digit(value->text[0])))
    return false;
  errno = 0;
  *number = (int64_t)strtoll(value->text, &end, 10);
  return errno == 0 && end == value->text + value->length;
}

static inline bool json_u64(const json *value, uint64_t *number) {
  char *end;
  if (!json_has_text(value) || !json_is_digit(value->text[0]))
    return false;
  errno = 0;
  *number = (uint64_t)strtoull(value->text, &end, 10);
  return errno == 0 && end == value->text + value->length;
}

#endif
