/* The interface as a generator of bindings sees it, from the text of webnn.h alone: typedefs of enums,
   structs, handles and functions, and functions of those. Each must be plain: no unions, bit-fields,
   variable arguments or types that are not declared before, and no function that needs a macro for
   its arguments. `bindings FILE` writes what was found as one line each. */
#include "test.h"

#include <ctype.h>

enum { MAX_NAMES = 512, MAX_TEXT = 1 << 17 };

static char text[MAX_TEXT]; /* the interface without comments and preprocessor lines */
static char names[MAX_NAMES][64];
static size_t name_count;
static FILE *dump;

/* The declarations between `extern "C" {` and its end. */
static bool read_interface(void) {
  FILE *file = fopen("../webnn.h", "rb");
  char line[512];
  size_t length = 0;
  bool inside = false, comment = false, cpp = false, continued = false;
  if (!file) {
    return false;
  }
  while (fgets(line, sizeof line, file)) {
    const char *at = line;
    if (strncmp(line, "} /* extern \"C\" */", 18) == 0) {
      break;
    }
    if (strncmp(line, "extern \"C\" {", 12) == 0) {
      inside = true;
      continue;
    }
    if (strncmp(line, "#ifdef __cplusplus", 18) == 0) {
      cpp = true;
    } else if (line[0] == '#' &&
               (strncmp(line, "#endif", 6) == 0 || strncmp(line, "#else", 5) == 0)) {
      cpp = false;
    }
    if (line[0] == '#' || continued) { /* a macro may go on in the next line */
      const size_t end = strcspn(line, "\n");
      continued = end > 0 && line[end - 1] == '\\';
      continue;
    }
    if (!inside || cpp) {
      continue;
    }
    for (; *at && length < MAX_TEXT - 1; at++) {
      if (!comment && at[0] == '/' && at[1] == '*') {
        comment = true;
      } else if (comment && at[0] == '*' && at[1] == '/') {
        comment = false;
        at++;
      } else if (!comment) {
        text[length++] = isspace((unsigned char)*at) ? ' ' : *at;
      }
    }
  }
  fclose(file);
  return length > 0 && length < MAX_TEXT - 1;
}

static bool is_known(const char *name) {
  static const char *const basic[] = {"void",    "char",     "bool",    "float",
                                      "double",  "size_t",   "int32_t", "uint32_t",
                                      "int64_t", "uint64_t", "uint16_t"};
  size_t i;
  for (i = 0; i < sizeof basic / sizeof *basic; i++) {
    if (strcmp(name, basic[i]) == 0) {
      return true;
    }
  }
  for (i = 0; i < name_count; i++) {
    if (strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

static void know(const char *name) {
  if (name_count < MAX_NAMES) {
    snprintf(names[name_count++], sizeof names[0], "%s", name);
  }
}

/* The next word or sign of a declaration. */
static const char *next(const char *at, char *token, size_t size) {
  size_t length = 0;
  while (*at == ' ') {
    at++;
  }
  while ((isalnum((unsigned char)*at) || *at == '_') && length + 1 < size) {
    token[length++] = *at++;
  }
  if (length == 0 && *at) {
    token[length++] = *at++;
  }
  token[length] = 0;
  return at;
}

/* "const TYPE *name[N]", of a member or a parameter: the type must be known, and nothing else may
   stand there. The name may be absent. */
static bool is_plain(const char *from, const char *to, char *type) {
  char token[64];
  int words = 0;
  bool array = false;
  *type = 0;
  for (;;) {
    while (from < to && *from == ' ') {
      from++;
    }
    if (from >= to) {
      break;
    }
    from = next(from, token, sizeof token);
    if (strcmp(token, "const") == 0 || strcmp(token, "*") == 0 || *token == 0) {
      continue;
    }
    if (strcmp(token, "[") == 0) {
      array = true;
    } else if (strcmp(token, "]") == 0) {
      array = false;
    } else if (isalpha((unsigned char)*token) && !array) {
      if (words++ == 0) {
        snprintf(type, 64, "%s", token);
      }
    } else if (!array && strcmp(token, ",") != 0) {
      return false; /* ':' of a bit-field, '.' of "...", '(' of a function in place */
    }
  }
  return words >= 1 && is_known(type);
}

/* Parameters from '(' to the ')' that closes it; those that are pointers to functions have none of
   their own in this interface. */
static bool are_plain(const char *open, const char *close, char *type) {
  const char *from = open + 1;
  while (from < close) {
    const char *comma = from;
    while (comma < close && *comma != ',') {
      comma++;
    }
    if (!is_plain(from, comma, type)) {
      return false;
    }
    from = comma + 1;
  }
  return true;
}

/* Members of a struct, each ended by ';'. A pointer to a function is void (*name)(parameters). */
static void check_members(const char *name, const char *from, const char *to) {
  char type[64];
  while (from < to) {
    const char *end = memchr(from, ';', (size_t)(to - from));
    const char *open = end ? memchr(from, '(', (size_t)(end - from)) : NULL;
    bool plain;
    if (!end) {
      break;
    }
    if (open) {
      const char *second = strchr(open + 1, '(');
      plain = open[1] == '*' && second && second < end && is_plain(from, open, type) &&
              are_plain(second, strchr(second, ')'), type);
    } else {
      plain = is_plain(from, end, type);
    }
    CHECK(name, plain, "not plain: %.*s", (int)(end - from), from);
    from = end + 1;
  }
}

static void check_declaration(const char *from, const char *to) {
  char token[64], name[64], type[64];
  const char *at = next(from, token, sizeof token);
  const char *open = memchr(from, '{', (size_t)(to - from));
  if (dump) {
    fprintf(dump, "%.*s;\n", (int)(to - from), from);
  }
  if (strcmp(token, "typedef") == 0) {
    at = next(at, token, sizeof token);
    if (strcmp(token, "enum") == 0 || strcmp(token, "struct") == 0) {
      const bool is_struct = token[0] == 's';
      next(at, name, sizeof name);
      know(name);
      CHECK(name, strncmp(name, "webnn_", 6) == 0 && name[6] != '_', "the name");
      if (is_struct && open) {
        const char *close = to;
        while (*close != '}') {
          close--;
        }
        check_members(name, open + 1, close);
      }
    } else { /* a function of the caller: typedef void (*webnn_x)(...) */
      const char *star = strstr(at, "(*");
      CHECK("typedef", star && star < to, "neither enum nor struct nor function: %.*s",
            (int)(to - from), from);
      if (star && star < to) {
        const char *parameters;
        next(star + 2, name, sizeof name);
        know(name);
        parameters = strchr(star + 1, '(');
        CHECK(name, are_plain(parameters, to - 1, type), "a parameter of type %s", type);
      }
    }
    return;
  }
  if (strcmp(token, "WEBNN_API") == 0) {
    const char *parameters = memchr(from, '(', (size_t)(to - from));
    CHECK("function", parameters != NULL, "no parameters: %.*s", (int)(to - from), from);
    if (parameters) {
      const char *end = parameters;
      while (end > from && (isalnum((unsigned char)end[-1]) || end[-1] == '_')) {
        end--;
      }
      snprintf(name, sizeof name, "%.*s", (int)(parameters - end), end);
      CHECK(name, is_plain(at, end, type), "returns %s", type);
      CHECK(name, are_plain(parameters, to - 1, type), "a parameter of type %s", type);
    }
    return;
  }
  CHECK("declaration", false, "neither a type nor a function: %.*s", (int)(to - from), from);
}

int main(int argc, char **argv) {
  const char *from = text, *at;
  int depth = 0;
  if (!read_interface()) {
    CHECK("webnn.h", false, "cannot be read");
    return test_end();
  }
  dump = argc > 1 ? fopen(argv[1], "w") : NULL;
  for (at = text; *at; at++) {
    depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    if (*at == ';' && depth == 0) {
      while (*from == ' ') {
        from++;
      }
      check_declaration(from, at);
      from = at + 1;
    }
  }
  CHECK("union", strstr(text, "union") == NULL, "there is one");
  CHECK("all", name_count > 60, "only %lu types", (unsigned long)name_count);
  if (dump) {
    fclose(dump);
  }
  return test_end();
}
