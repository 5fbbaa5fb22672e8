/* What every command needs: messages, memory, the context that computes exactly. */
#include "read.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The one thing that the C standard library does not know: is the output a terminal? */
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
static bool on_terminal(void) {
  return isatty(2) == 1;
}
#else
static bool on_terminal(void) {
  return false;
}
#endif

/* ---- Messages -------------------------------------------------------------------------------- */

/* Names come from files; a terminal must not obey them. */
static void print_clean(FILE *file, char *text) {
  for (char *c = text; *c; c++)
    if (((unsigned char)*c < 0x20 && *c != '\n') || *c == 0x7F)
      *c = '?';
  fputs(text, file);
}

static bool complains_quietly;

bool complain_quietly(bool quiet) {
  const bool before = complains_quietly;
  complains_quietly = quiet;
  return before;
}

bool complain(const json *at, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (complains_quietly)
    return false;
  progress(0, 0);
  if (at)
    fprintf(stderr, "%s:%lu:%lu: ", at->file, (unsigned long)at->line, (unsigned long)at->column);
  print_clean(stderr, text);
  fputc('\n', stderr);
  return false;
}

/* What a value is, as messages say it. */
static const char *kind_of(const json *value) {
  static const char *const kinds[] = {"null",     "false", "true",   "a number",
                                      "a string", "bytes", "a list", "an object"};
  return value->kind == JSON_ARRAY && value->length == 0 ? "an empty list" : kinds[value->kind];
}

bool must_be(const json *value, const char *what) {
  return complain(value, "this value must be %s; it is %s", what, kind_of(value));
}

bool must_have(const json *node, const json *member, const char *name, const char *what) {
  return complain(member ? member : node, "\"%s\" must be %s; it is %s", name, what,
                  member ? kind_of(member) : "missing");
}

/* What stands at a place of a text, as messages say it: a word, a character, or a byte. */
static void show_here(const char *at, const char *end, char shown[32]) {
  const unsigned char c = at < end ? (unsigned char)*at : 0;
  const size_t character = at < end ? utf8_length(at, end) : 0;
  size_t word = 0;
  while (word < 20 && at + word < end && (isalnum((unsigned char)at[word]) || at[word] == '_'))
    word++;
  if (at >= end)
    snprintf(shown, 32, "the end");
  else if (c == '\n' || c == '\r')
    snprintf(shown, 32, "the end of the line");
  else if (c < 0x20 || character == 0)
    snprintf(shown, 32, "the byte %u", (unsigned)c);
  else
    snprintf(shown, 32, "'%.*s'", (int)(word > 0 ? word : character), at);
}

bool must_read(const json *place, const char *what, const char *at, const char *end) {
  char shown[32];
  show_here(at, end, shown);
  return complain(place, "this must be %s; it is %s", what, shown);
}

bool cannot_write(const char *path) {
  return path ? complain(NULL, "%s: the file cannot be written", path)
              : complain(NULL, "the standard output cannot be written");
}

bool cannot_open(const char *path) {
  return complain(NULL, "%s: the file cannot be written; is its folder there?", path);
}

static bool says_quietly;

void say_quietly(bool quiet) {
  says_quietly = quiet;
}

void say(const char *format, ...) {
  char text[2048];
  va_list arguments;
  if (says_quietly)
    return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  print_clean(stdout, text);
}

void progress(size_t index, size_t count) {
  progress_of("case", index, count);
}

void progress_of(const char *what, size_t index, size_t count) {
  enum { PAUSE = 200000000 }; /* nanoseconds before it is shown, and shown again */
  static bool shown;
  static uint64_t last;
  const uint64_t now = count > 1 ? nanoseconds() : 0;
  if (index == 1 && !shown)
    last = now;
  if (count > 1 && now - last < PAUSE)
    return;
  if (count > 1 && on_terminal()) {
    last = now;
    fprintf(stderr, "\r%s %lu of %lu  ", what, (unsigned long)index, (unsigned long)count);
    fflush(stderr);
    shown = true;
  } else if (shown) {
    fprintf(stderr, "\r                              \r");
    shown = false;
  }
}

/* ---- Text ------------------------------------------------------------------------------------ */

bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

const char *file_part(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\')
      name = c + 1;
  return name;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef union arena_block {
  struct {
    union arena_block *next;
    size_t size;
  } link;
  double alignment_of_doubles;
  long long alignment_of_integers;
} arena_block;

enum { BLOCK_SIZE = 1 << 16 };

void *take(arena *memory, size_t size) {
  const size_t unit = sizeof(arena_block);
  char *result;
  size = size < SIZE_MAX / 2 ? (size + unit - 1) / unit * unit : size;
  if (!memory->blocks || memory->blocks->link.size - memory->used < size) {
    const size_t block_size = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    arena_block *block =
        size < SIZE_MAX / 2 ? (arena_block *)calloc(1, sizeof *block + block_size) : NULL;
    if (!block) {
      fprintf(stderr, "out of memory\n");
      exit(EXIT_BAD_INPUT);
    }
    block->link.next = memory->blocks;
    block->link.size = block_size;
    memory->blocks = block;
    memory->used = 0;
  }
  result = (char *)(memory->blocks + 1) + memory->used;
  memory->used += size;
  return result;
}

char *take_text(arena *memory, const char *format, ...) {
  va_list arguments, again;
  char *text;
  int length;
  va_start(arguments, format);
  va_copy(again, arguments);
  length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  text = (char *)take(memory, (length < 0 ? 0 : (size_t)length) + 1);
  if (length >= 0)
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

void release(arena *memory) {
  while (memory->blocks) {
    arena_block *block = memory->blocks;
    memory->blocks = block->link.next;
    free(block);
  }
  memory->used = 0;
}

/* ---- The context ----------------------------------------------------------------------------- */

bool open_context(session *s) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.arithmetic = s->arithmetic;
  options.max_tensor_byte_length = s->max_bytes;
  options.disabled_passes = UINT32_MAX; /* so that every operator is seen */
  return webnn_create_context(&options, &s->context, &error) == WEBNN_OK ||
         complain(NULL, "%s", error.message);
}

/* ---- Values of options ----------------------------------------------------------------------- */

bool take_number(const char *option, const char *text, double *number) {
  char *end;
  *number = strtod(text, &end);
  return (end != text && *end == 0 && *number >= 0.0) ||
         complain(NULL, "%s takes a number from 0, not \"%s\"", option, text);
}

bool take_whole(const char *option, const char *text, uint64_t most, uint64_t *number) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 10);
  return (*text >= '0' && *text <= '9' && *end == 0 && errno == 0 && *number <= most) ||
         complain(NULL, "%s takes a whole number up to %llu, not \"%s\"", option,
                  (unsigned long long)most, text);
}

bool take_size(const char *option, const char *text, size_t most, size_t *size) {
  uint64_t number;
  const bool right = take_whole(option, text, most, &number);
  *size = right ? (size_t)number : 0;
  return right;
}

bool no_onnx_options(const session *s, const char *path) {
  return s->constant_count == 0 ||
         complain(NULL, "--constant is for ONNX models (.onnx), and not for %s", path);
}

bool has_named(const char *const *list, size_t count, const char *text, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(list[i], text, length) == 0 && list[i][length] == '=')
      return true;
  return false;
}

const char *given_for(const session *s, const char *name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i < s->given_count; i++)
    if (strncmp(s->given[i], name, length) == 0 && s->given[i][length] == '=')
      return s->given[i] + length + 1;
  return NULL;
}

const char *names_text(arena *memory, const char *const *names, size_t count) {
  const char *text = "";
  for (size_t i = 0; i < count && count < 8; i++)
    text = take_text(memory, "%s%s\"%s\"", text, i ? ", " : "; it has ", names[i]);
  return text;
}

bool take_dim(session *s, const char *text) {
  const char *equals = strrchr(text, '=');
  size_t size;
  if (!equals || equals == text)
    return complain(NULL, "--dim takes NAME=SIZE, not \"%s\"", text);
  if (has_named(s->dims, s->dim_count, text, (size_t)(equals - text)))
    return complain(NULL, "--dim %s: the dimension is given a size twice", text);
  if (s->dim_count == MOST_DIMS)
    return complain(NULL, "--dim may be given at most %d times", MOST_DIMS);
  s->dims[s->dim_count++] = text;
  return take_size("--dim NAME=", equals + 1, UINT32_MAX, &size);
}

bool take_constant(session *s, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return complain(NULL, "--constant takes NAME=FILE or NAME=NUMBER, not \"%s\"", text);
  if (has_named(s->constants, s->constant_count, text, (size_t)(equals - text)))
    return complain(NULL, "--constant %s: the input is given a value twice", text);
  if (s->constant_count == MOST_DIMS)
    return complain(NULL, "--constant may be given at most %d times", MOST_DIMS);
  s->constants[s->constant_count++] = text;
  return true;
}
