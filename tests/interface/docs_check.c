/* Holds the documentation to the header: every public function is mentioned in the contents of
   webnn.h and in the pages, every name mentioned exists, operators.md has the signatures, data
   types, ranks and options of webnn.h, links lead to pages and headings that exist, and lines of
   README and guide are short. With "--programs FOLDER" the complete programs of the pages are written
   there, for docs.sh to compile and run:

     PAGE_N.c          complete program                C and C++
     PAGE_N.only.c     complete program, C
     PAGE_N.17.cpp     complete program (```cpp)       C++17
     PAGE_N.20.cpp     complete program, C++20
     header_1.c        the program in the comment at the top of webnn.h

   Then pages may be given as arguments; without any, the project's own, those not written being
   skipped. */
#include "test.h"

#include <ctype.h>
#include <math.h>

/* ---- Text --------------------------------------------------------------------------------------
 */

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t length = 0, capacity = 0, count;
  if (!file)
    return NULL;
  do {
    if (length + 4096 > capacity) {
      capacity = 2 * capacity + 8192;
      text = (char *)realloc(text, capacity);
      if (!text) {
        printf("out of memory\n");
        exit(1);
      }
    }
    count = fread(text + length, 1, 4095, file);
    length += count;
  } while (count > 0);
  text[length] = 0;
  fclose(file);
  return text;
}

static char *copy_range(const char *begin, const char *end) {
  const size_t length = (size_t)(end - begin);
  char *copy = (char *)test_allocate(length + 1);
  memcpy(copy, begin, length);
  return copy;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Where `word` stands by itself in the text, or NULL. */
static const char *find_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  const char *at = text;
  while ((at = strstr(at, word)) != NULL) {
    if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
      return at;
    at++;
  }
  return NULL;
}

/* The end of the line at `text`: its newline, or the end of the text. */
static const char *line_end(const char *text) {
  return text + strcspn(text, "\n");
}

static const char *next_line(const char *text) {
  const char *end = line_end(text);
  return *end ? end + 1 : NULL;
}

static bool starts(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Takes out white space: all of it, or (keep_words) all but one space between two words. */
static void squeeze_spaces(char *text, bool keep_words) {
  char *to = text;
  const char *from = text;
  while (*from) {
    if (!isspace((unsigned char)*from)) {
      *to++ = *from++;
      continue;
    }
    while (isspace((unsigned char)*from))
      from++;
    if (to > text && *from && (keep_words || (is_word(to[-1]) && is_word(*from))))
      *to++ = ' ';
  }
  *to = 0;
}

static void blank_comments(char *text) {
  char *begin;
  while ((begin = strstr(text, "/*")) != NULL) {
    const char *end = strstr(begin, "*/");
    const size_t length = end ? (size_t)(end + 2 - begin) : strlen(begin);
    memset(begin, ' ', length);
    text = begin + length;
  }
}

/* ---- Declarations of webnn.h -------------------------------------------------------------------
 */

enum { MAX_DECLARATIONS = 400 };

/* `text` is the declaration without WEBNN_API and needless spaces; `shape` the same without the
   function's name. */
typedef struct declaration {
  char name[64];
  char *text, *shape;
} declaration;

static declaration declarations[MAX_DECLARATIONS];
static size_t declaration_count;

/* Splits "type name(parameters)" into a declaration. */
static declaration make_declaration(const char *begin, const char *end) {
  declaration made;
  char *text = copy_range(begin, end);
  char *name, *open;
  memset(&made, 0, sizeof made);
  blank_comments(text);
  squeeze_spaces(text, false);
  open = strchr(text, '(');
  made.text = text;
  if (!open)
    return made;
  for (name = open; name > text && is_word(name[-1]); name--) {
  }
  if ((size_t)(open - name) < sizeof made.name)
    memcpy(made.name, name, (size_t)(open - name));
  made.shape = (char *)test_allocate(strlen(text) + 1);
  memcpy(made.shape, text, (size_t)(name - text));
  strcpy(made.shape + (name - text), open);
  return made;
}

static void free_declaration(declaration *made) {
  free(made->text);
  free(made->shape);
}

/* Up to the end of the interface; after it WEBNN_API begins definitions. */
static void read_declarations(const char *header) {
  const char *line;
  for (line = header; line && !starts(line, "#endif /* WEBNN_H"); line = next_line(line)) {
    if (starts(line, "WEBNN_API ") && declaration_count < MAX_DECLARATIONS)
      declarations[declaration_count++] =
          make_declaration(line + strlen("WEBNN_API "), line + strcspn(line, ";"));
  }
}

static const declaration *find_declaration(const char *name) {
  size_t i;
  for (i = 0; i < declaration_count; i++) {
    if (strcmp(declarations[i].name, name) == 0)
      return &declarations[i];
  }
  return NULL;
}

/* ---- The operator table in the words of operators.md -------------------------------------------
 */

typedef struct operand_words {
  const char *name, *mark, *types, *ranks;
  int like; /* the operand whose type it has, or -1 */
} operand_words;

typedef struct operator_words {
  const char *c_name, *name, *section;
  operand_words operands[13];
  const char *options[9];
} operator_words;

#define TYPES_ANY "any", -1
#define TYPES_ANY_AND_4BIT "any or 4-bit", -1
#define TYPES_FLOATS "float", -1
#define TYPES_SIGNED "signed", -1
#define TYPES_FLOATS_INTS "float or wide integer", -1
#define TYPES_FLOATS_BYTES "float or byte", -1
#define TYPES_QUANTIZED "quantized", -1
#define TYPES_INDICES "index", -1
#define TYPES_INT32_INT64 "int32 or int64", -1
#define TYPES_UINT8 "uint8", -1
#define TYPES_AS(n) NULL, n
#define RANKS_N "rank N"
#define RANKS_1_N "rank 1 to N"
#define RANKS_2_N "rank 2 to N"
#define RANKS_0_2 "rank 0 to 2"
#define RANKS_1 "rank 1"
#define RANKS_2 "rank 2"
#define RANKS_3 "rank 3"
#define RANKS_4 "rank 4"
#define RANKS_SAME "same rank"
#define WORDS(name, mark, ranks, ...) WORDS_OF(name, mark, ranks, __VA_ARGS__)
#define WORDS_OF(name, mark, ranks, types, like) {name, mark, types, ranks, like},
#define WORDS_IN(name, types, ranks) WORDS(#name, "", RANKS_##ranks, TYPES_##types)
#define WORDS_OPT(name, types, ranks) WORDS(#name, "?", RANKS_##ranks, TYPES_##types)
#define WORDS_MANY(name, types, ranks) WORDS(#name, "\xe2\x80\xa6", RANKS_##ranks, TYPES_##types)
#define WORDS_OPTION(name, kind, member) #name,
#define OPERATOR_WORDS(op, c_name, name, section, family, operands, options)                       \
  {"webnn_" #c_name, name, section, {operands{NULL, NULL, NULL, NULL, 0}}, {options NULL}},

static const operator_words operators[WEBNN_OP_COUNT] = {
    WEBNN_OPERATORS(OPERATOR_WORDS, WORDS_IN, WORDS_OPT, WORDS_MANY, WORDS_IN, WORDS_OPTION)};

/* "`a` float, rank 2; `b` as `a`, rank 2; ..." */
static void describe_operands(const operator_words *op, char *text, size_t size) {
  size_t used = 0, i;
  text[0] = 0;
  for (i = 0; op->operands[i].name && used < size; i++) {
    const operand_words *operand = &op->operands[i];
    const char *separator = i ? "; " : "";
    if (operand->types)
      used += (size_t)snprintf(text + used, size - used, "%s`%s`%s %s, %s", separator,
                               operand->name, operand->mark, operand->types, operand->ranks);
    else
      used += (size_t)snprintf(text + used, size - used, "%s`%s`%s as `%s`, %s", separator,
                               operand->name, operand->mark, op->operands[operand->like].name,
                               operand->ranks);
  }
}

/* aTranspose becomes `a_transpose`. */
static void quote_snake_case(const char *name, char *text, size_t size) {
  size_t used = 0;
  text[used++] = '`';
  for (; *name && used + 4 < size; name++) {
    if (isupper((unsigned char)*name))
      text[used++] = '_';
    text[used++] = (char)tolower((unsigned char)*name);
  }
  text[used++] = '`';
  text[used] = 0;
}

/* ---- Entries of operators.md -------------------------------------------------------------------
 */

/* Whether a heading, "### add, sub (8.9.13)", lists the name. */
static bool heading_lists(const char *heading, const char *name, const char *section) {
  char *line = copy_range(heading, line_end(heading));
  char *number = strstr(line, " (");
  bool listed = false;
  if (number && starts(line, "### ") && starts(number + 2, section) &&
      number[2 + strlen(section)] == ')') {
    *number = 0;
    listed = find_word(line, name) != NULL;
  }
  free(line);
  return listed;
}

/* The operator's entry, from its heading to the next; NULL if there is none. The caller frees it.
 */
static char *find_entry(const char *page, const char *name, const char *section) {
  const char *line, *end;
  for (line = page; line; line = next_line(line)) {
    if (heading_lists(line, name, section)) {
      for (end = next_line(line); end && !starts(end, "##"); end = next_line(end)) {
      }
      return end ? copy_range(line, end) : copy_range(line, line + strlen(line));
    }
  }
  return NULL;
}

/* What follows "- operands: ", or "- operands of `x`, `y`: " with the name among them. */
static char *find_operands(const char *entry, const char *name) {
  char quoted[64];
  const char *line;
  snprintf(quoted, sizeof quoted, "`%s`", name);
  for (line = entry; line; line = next_line(line)) {
    const char *colon = strchr(line, ':'), *end;
    char *list, *words;
    if (!starts(line, "- operands") || !colon)
      continue;
    list = copy_range(line, colon);
    words = starts(line, "- operands of ") ? strstr(list, quoted) : list;
    free(list);
    if (!words)
      continue;
    for (end = line_end(line); starts(end, "\n  "); end = line_end(end + 1)) {
    }
    list = copy_range(colon + 1, end);
    squeeze_spaces(list, true);
    return list;
  }
  return NULL;
}

/* The first code block of the entry, without its fences; NULL if there is none. */
static char *find_code(const char *entry) {
  const char *begin = strstr(entry, "```c\n");
  const char *end = begin ? strstr(begin + 5, "```") : NULL;
  return end ? copy_range(begin + 5, end) : NULL;
}

/* Whether the code declares a function of this shape. */
static bool code_has_shape(const char *code, const char *shape) {
  const char *at = code, *end;
  bool found = false;
  while (!found && (end = strchr(at, ';')) != NULL) {
    declaration made = make_declaration(at, end);
    found = made.shape && strcmp(made.shape, shape) == 0;
    free_declaration(&made);
    at = end + 1;
  }
  return found;
}

static void check_signature(const operator_words *op, const char *entry) {
  const declaration *declared = find_declaration(op->c_name);
  char *code = find_code(entry);
  CHECK(op->name, declared != NULL, "%s is not declared in webnn.h", op->c_name);
  CHECK(op->name, code && find_word(code, op->c_name), "the entry's signature lacks %s",
        op->c_name);
  if (declared && code)
    CHECK(op->name, code_has_shape(code, declared->shape),
          "the entry has no signature like that of webnn.h: %s", declared->text);
  free(code);
}

/* In C's spelling, or where the member has another name (`lower`) in the specification's. */
static void check_options(const operator_words *op, const char *entry) {
  char quoted[64], specified[64];
  size_t i;
  for (i = 0; op->options[i]; i++) {
    quote_snake_case(op->options[i], quoted, sizeof quoted);
    snprintf(specified, sizeof specified, "`%s`", op->options[i]);
    CHECK(op->name, strstr(entry, quoted) != NULL || strstr(entry, specified) != NULL,
          "the entry lacks the option %s", quoted);
  }
}

/* "- kernel: `webnn__run_cast`, search 8.9.7": names are checked with all others of the page. */
static void check_kernel(const operator_words *op, const char *entry, const char *header) {
  const char *line = strstr(entry, "\n- kernel"), *number = line ? strstr(line, "search ") : NULL;
  char sought[32];
  size_t length;
  if (!CHECK(op->name, number != NULL, "the entry does not say where its kernel is"))
    return;
  number += strlen("search ");
  number += *number == '`';
  length = strcspn(number, " ,;:`\n");
  snprintf(sought, sizeof sought, "%.*s", (int)(length < 31 ? length : 31), number);
  CHECK(op->name, length > 0 && strstr(header, sought) != NULL, "webnn.h has no \"%s\"", sought);
}

/* Reads the number at `at`, without its sign, and its unit in the last written place: 0 of a whole
   number, which is meant as it stands. Returns what follows, or NULL where no number begins. */
static const char *read_number(const char *at, double *number, double *unit) {
  char *end;
  if (!isdigit((unsigned char)*at))
    return NULL;
  *number = strtod(at, &end);
  *unit = 0;
  for (at += strspn(at, "0123456789"); at < end && *at == '.'; at = end) {
    *unit = 1;
    for (at++; isdigit((unsigned char)*at); at++)
      *unit /= 10;
  }
  return end;
}

/* Whether a block marked webnn expects the number, which may be written with fewer digits:
   "y == [0.30151135];". */
static bool is_computed(const char *entry, double number, double unit) {
  const char *at = entry, *equals, *end;
  while ((at = strstr(at, "\n```webnn\n")) != NULL) {
    const char *block_end = strstr(at + 1, "\n```\n");
    for (equals = strstr(at, "=="); equals && equals < block_end; equals = strstr(end, "=="))
      for (end = equals + 2; *end && *end != ';';) {
        double result, ignored;
        const char *after = read_number(end, &result, &ignored);
        if (after && fabs(result - number) <= unit / 2)
          return true;
        end = after ? after : end + 1;
      }
    at = block_end ? block_end : at + 1;
  }
  return false;
}

/* The numbers of a Why, which ends with its item, that the entry's blocks compute; those in words
   and code, as in float32 and 0.5e, do not count. */
static int count_computed(const char *entry, const char *why, double *seen, int count) {
  const char *at = why, *after;
  for (; *at && !starts(at, "\n\n") && !starts(at, "\n- "); at = after ? after : at + 1) {
    double number, unit;
    int i = 0;
    after = is_word(at[-1]) ? NULL : read_number(at, &number, &unit);
    while (after && i < count && seen[i] != number)
      i++;
    if (after && count < 2 && i == count && is_computed(entry, number, unit))
      seen[count++] = number;
  }
  return count;
}

/* An entry says why something is as it is, with two numbers that its own blocks compute. */
static void check_why(const operator_words *op, const char *entry) {
  const char *why = strstr(entry, "**Why**");
  double seen[2] = {0, 0};
  int count = 0;
  if (!CHECK(op->name, why != NULL, "the entry has no **Why**"))
    return;
  for (; why; why = strstr(why + 1, "**Why**"))
    count = count_computed(entry, why, seen, count);
  CHECK(op->name, count == 2,
        "of the numbers in the entry's **Why** its blocks compute %d, not two", count);
}

static void check_operator(const char *page, const char *header, const operator_words *op) {
  char expected[1024];
  char *entry = find_entry(page, op->name, op->section), *operands;
  if (!CHECK(op->name, entry != NULL, "operators.md has no entry with (%s)", op->section))
    return;
  check_signature(op, entry);
  check_options(op, entry);
  check_kernel(op, entry, header);
  check_why(op, entry);
  describe_operands(op, expected, sizeof expected);
  operands = find_operands(entry, op->name);
  CHECK(op->name, operands && strcmp(operands, expected) == 0,
        "operands\n  expected %s\n  got      %s", expected, operands ? operands : "none");
  free(operands);
  free(entry);
}

/* ---- Option structs: every member stands in the entries that take the struct -------------------
 */

static void check_member(const char *page, const char *type, const char *member) {
  char quoted[80];
  const char *entry = page, *use;
  bool used = false;
  snprintf(quoted, sizeof quoted, "`%s`", member);
  while ((use = find_word(entry, type)) != NULL) {
    const char *end = strstr(use, "\n#");
    char *text = end ? copy_range(use, end) : copy_range(use, use + strlen(use));
    used = true;
    CHECK(type, strstr(text, quoted) != NULL, "operators.md lacks the member %s", quoted);
    free(text);
    if (!end)
      break;
    entry = end;
  }
  CHECK(type, used, "no signature of operators.md takes it");
}

/* The identifiers before each , and ; of a struct's body, without the word for C++'s default. */
static void check_members(const char *page, const char *type, char *body) {
  char *at, *end;
  blank_comments(body);
  while ((at = strstr(body, "WEBNN__DEFAULT")) != NULL)
    memset(at, ' ', strlen("WEBNN__DEFAULT"));
  for (at = body; (end = at + strcspn(at, ",;")) && *end; at = end + 1) {
    char member[64] = "";
    const char *name, *last = end;
    while (last > at && last[-1] == ' ')
      last--;
    name = last;
    while (name > at && is_word(name[-1]))
      name--;
    if ((size_t)(last - name) < sizeof member)
      memcpy(member, name, (size_t)(last - name));
    if (strcmp(member, "label") != 0)
      check_member(page, type, member);
  }
}

static void check_option_structs(const char *header, const char *page) {
  const char *line;
  for (line = header; line; line = next_line(line)) {
    char type[64], *body;
    const char *end;
    if (sscanf(line, "typedef struct %63[a-z0-9_] {", type) != 1 || !strstr(type, "_options") ||
        strcmp(type, "webnn_context_options") == 0)
      continue;
    end = strchr(line, '}');
    if (end) {
      body = copy_range(line_end(line), end);
      check_members(page, type, body);
      free(body);
    }
  }
}

/* Every declaration in a code block of operators.md is one of webnn.h; loops in plain C have none. */
static void check_documented_signatures(const char *page) {
  const char *block = page, *end;
  while ((block = strstr(block, "```c\n")) != NULL && (end = strstr(block + 5, "```")) != NULL) {
    const char *at = starts(block + 5, "/* plain:") ? end : block + 5, *semicolon;
    while ((semicolon = strchr(at, ';')) != NULL && semicolon < end) {
      declaration made = make_declaration(at, semicolon);
      const declaration *declared = find_declaration(made.name);
      CHECK("operators.md", declared && strcmp(declared->text, made.text) == 0,
            "webnn.h has no declaration %s", made.text);
      free_declaration(&made);
      at = semicolon + 1;
    }
    block = end + 3;
  }
}

/* ---- Complete programs -------------------------------------------------------------------------
 */

/* "../docs/guide.md" gives "guide". */
static void page_stem(const char *path, char *stem, size_t size) {
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  snprintf(stem, size, "%.*s", (int)strcspn(name, "."), name);
}

static const char *program_folder; /* NULL: programs are not written */

static void write_program(const char *name, const char *begin, const char *end) {
  char path[256];
  const size_t length = (size_t)(end - begin);
  FILE *file;
  bool written;
  if (!program_folder) {
    return;
  }
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  file = fopen(path, "wb");
  written = file && fwrite(begin, 1, length, file) == length;
  if (file)
    written = fclose(file) == 0 && written;
  CHECK(path, written, "cannot be written");
}

/* What the file of a program is called behind its number; NULL if the block is no complete program. */
static const char *program_ending(const char *block, bool cpp) {
  if (starts(block, "/* complete program */\n")) {
    return cpp ? "17.cpp" : "c";
  }
  if (starts(block, "/* complete program, C */\n")) {
    return cpp ? NULL : "only.c";
  }
  return cpp && starts(block, "/* complete program, C++20 */\n") ? "20.cpp" : NULL;
}

/* Returns how many there are. */
static int extract_programs(const char *path, const char *page) {
  char stem[64], program[128];
  const char *line, *begin, *end;
  int count = 0;
  page_stem(path, stem, sizeof stem);
  for (line = page; line; line = next_line(line)) {
    const bool c = starts(line, "```c\n"), cpp = starts(line, "```cpp\n");
    const char *ending;
    if (!c && !cpp)
      continue;
    begin = next_line(line);
    end = begin ? strstr(begin, "\n```") : NULL;
    if (!CHECK(path, end != NULL, "a code block does not end"))
      break;
    ending = program_ending(begin, cpp);
    if (ending) {
      snprintf(program, sizeof program, "%s_%d.%s", stem, ++count, ending);
      write_program(program, begin, end + 1);
    } else {
      CHECK(path, !begin || strstr(begin, "int main(") == NULL || strstr(begin, "int main(") > end,
            "a block with a main is not marked as a complete program");
    }
    line = end + 1;
  }
  return count;
}

/* The program in the comment at the top of webnn.h, which has seven spaces before each line. */
static void extract_header_program(const char *header) {
  static const char before[] =
      "#include <stdio.h>\n#define WEBNN_IMPLEMENTATION\n#include \"webnn.h\"\n";
  const char *begin = strstr(header, "\n       int main(void) {\n");
  const char *end = begin ? strstr(begin, "\n       }\n") : NULL;
  char *program;
  if (!CHECK("webnn.h", end != NULL, "has no program at its top"))
    return;
  program = (char *)test_allocate(sizeof before + (size_t)(end - begin) + 16);
  strcpy(program, before);
  strncat(program, begin, (size_t)(end - begin));
  strcat(program, "\n}\n");
  write_program("header_1.c", program, program + strlen(program));
  free(program);
}

/* ---- Lines and links ---------------------------------------------------------------------------
 */

enum { LONGEST_LINE = 120 };

static void check_lines(const char *path, const char *page) {
  const char *line;
  int number = 1;
  for (line = page; line; line = next_line(line), number++) {
    const char *end = line_end(line), *at;
    int characters = 0;
    for (at = line; at < end; at++)
      characters += ((unsigned char)*at & 0xc0) != 0x80; /* of UTF-8 */
    CHECK(path, characters <= LONGEST_LINE, "line %d has %d characters", number, characters);
  }
}

/* A formatter that takes a dot of multiplication for the sign of a list breaks a sentence: "the
   sum: 1.1" and, as an item of its own, "- 3 - 3.3". */
static void check_items(const char *path, const char *page) {
  bool code = false;
  int number = 1;
  char before = '.';
  for (const char *line = page; line; line = next_line(line), number++) {
    const char *end = line_end(line), *at = line;
    code = code != starts(line, "```");
    while (*at == ' ')
      at++;
    if (!code && starts(at, "- ") && isdigit((unsigned char)at[2]))
      CHECK(path, !is_word(before),
            "line %d: an item begins with a digit, the line before ends without punctuation",
            number);
    before = end > line ? end[-1] : '.';
  }
}

/* What comes behind the code block or the code in a line that begins at `at`, or `at` itself. */
static const char *skip_code(const char *at, bool line_begins) {
  const char *end;
  if (line_begins && starts(at, "```")) {
    end = strstr(at + 3, "\n```");
    return end ? line_end(end + 1) : at + strlen(at);
  }
  if (*at != '`')
    return at;
  for (end = at + 1; *end && *end != '`' && *end != '\n'; end++) {
  }
  return *end ? end + 1 : end;
}

/* The anchor of a heading: small letters, digits, - and _ stay, a space is -, all else goes. */
static void heading_anchor(const char *heading, char *anchor, size_t size) {
  size_t used = 0;
  while (*heading == '#')
    heading++;
  while (*heading == ' ')
    heading++;
  for (; *heading && *heading != '\n' && used + 1 < size; heading++) {
    const char c = *heading;
    if (is_word(c) || c == '-')
      anchor[used++] = (char)tolower((unsigned char)c);
    else if (c == ' ')
      anchor[used++] = '-';
  }
  anchor[used] = 0;
}

static bool has_anchor(const char *page, const char *anchor) {
  const char *at = page;
  bool line_begins = true;
  char made[128];
  while (*at) {
    const char *behind = line_begins ? skip_code(at, true) : at;
    if (behind == at && line_begins && *at == '#') {
      heading_anchor(at, made, sizeof made);
      if (strcmp(made, anchor) == 0)
        return true;
    }
    at = line_end(behind);
    line_begins = *at == '\n';
    at += line_begins;
  }
  return false;
}

/* `target` is what stands in the parentheses: a file beside the page, #anchor, or both. */
static void check_link(const char *path, const char *page, const char *target) {
  const char *slash = strrchr(path, '/'), *anchor = strchr(target, '#');
  const size_t name_length = anchor ? (size_t)(anchor - target) : strlen(target);
  char file[256], *text = NULL;
  FILE *opened;
  if (strstr(target, "://") != NULL)
    return;
  if (name_length > 0) {
    snprintf(file, sizeof file, "%.*s%.*s", slash ? (int)(slash + 1 - path) : 0, path,
             (int)name_length, target);
    opened = fopen(file, "rb");
    if (!CHECK(path, opened != NULL, "the link to %s leads nowhere", target))
      return;
    fclose(opened);
    text = anchor ? read_text(file) : NULL;
  }
  if (anchor)
    CHECK(path, has_anchor(text ? text : page, anchor + 1), "the link to %s has no such heading",
          target);
  free(text);
}

static void check_links(const char *path, const char *page) {
  const char *at = page, *end;
  bool line_begins = true;
  while (*at) {
    const char *behind = skip_code(at, line_begins);
    line_begins = false;
    if (behind > at) {
      at = behind;
    } else if (starts(at, "](") && (end = strpbrk(at + 2, ")\n")) != NULL && *end == ')') {
      char *target = copy_range(at + 2, end);
      check_link(path, page, target);
      free(target);
      at = end;
    } else {
      line_begins = *at++ == '\n';
    }
  }
}

/* ---- Names -------------------------------------------------------------------------------------
 */

static struct {
  const char *prefix, *macro_prefix, *path;
  char *text;
} companions[] = {
    {"webnn_vulkan", "WEBNN_VULKAN", "../webnn_vulkan.h", NULL},
    {"webnn_extra", "WEBNN_EXTRA", "../examples/headers/webnn_extra.h", NULL},
    {"webnn_xla", "WEBNN_XLA", "../examples/headers/webnn_xla.h", NULL},
    {"webnn_onnx", "WEBNN_ONNX", "../examples/headers/webnn_onnx.h", NULL},
    {"webnn_onnx_write", "WEBNN_ONNX_WRITE", "../examples/headers/webnn_onnx_write.h", NULL},
    {"webnn_weights", "WEBNN_WEIGHTS", "../examples/headers/webnn_weights.h", NULL},
    {"webnn_stablehlo", "WEBNN_STABLEHLO", "../examples/headers/webnn_stablehlo.h", NULL}};
enum { COMPANIONS = sizeof companions / sizeof *companions };

/* Is it in the text, or the prefix and a row of a list of functions: "X(CEIL, ceil, ..."? */
static bool is_of_companion(const char *name, const char *prefix, const char *text) {
  char row[96];
  snprintf(row, sizeof row, " %s,", name + strlen(prefix) + 1);
  return find_word(text, name) != NULL ||
         (name[strlen(prefix)] == '_' && strstr(text, row) != NULL);
}

/* Names that stand in pages and not in webnn.h: environment variables, and the companions'. */
static bool is_known_elsewhere(const char *name) {
  static const char *const variables[] = {
      "WEBNN_WPT",     "WEBNN_MODELS",         "WEBNN_STABLEHLO", "WEBNN_ONNXRUNTIME",
      "WEBNN_PROFILE", "WEBNN_PROFILE_LOADER", "WEBNN_ONNX"}; /* the last is CMake's */
  size_t i;
  for (i = 0; i < sizeof variables / sizeof *variables; i++)
    if (strcmp(name, variables[i]) == 0)
      return true;
  for (i = 0; i < COMPANIONS; i++)
    if ((starts(name, companions[i].prefix) || starts(name, companions[i].macro_prefix)) &&
        companions[i].text != NULL &&
        (strcmp(name, companions[i].prefix) == 0 ||
         is_of_companion(name, companions[i].prefix, companions[i].text)))
      return true;
  return false;
}

/* Every webnn_... and WEBNN_... of a page is a name of webnn.h; "webnn_gather..." and "webnn__*"
   are beginnings of names. */
static void check_names(const char *path, const char *page, const char *header) {
  const char *at = page, *end;
  for (; *at; at = end) {
    char name[96];
    bool known;
    end = at + 1;
    if ((at > page && is_word(at[-1])) || (!starts(at, "webnn_") && !starts(at, "WEBNN_")))
      continue;
    while (is_word(*end))
      end++;
    snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
    known = is_known_elsewhere(name) || find_word(header, name) != NULL;
    if (!known && (starts(end, "...") || *end == '*' || end[-1] == '_'))
      known = strstr(header, name) != NULL;
    CHECK(path, known, "webnn.h has no %s", name);
  }
}

/* ---- The contents at the top of webnn.h --------------------------------------------------------
 */

/* Operators and helpers built from them are not in the contents. */
static bool is_operator(const char *name) {
  static const char *const others[] = {"webnn_split_sizes", "webnn_squeeze", "webnn_unsqueeze",
                                       "webnn_flatten"};
  size_t i;
  for (i = 0; i < WEBNN_OP_COUNT; i++) {
    if (strcmp(operators[i].c_name, name) == 0)
      return true;
  }
  for (i = 0; i < sizeof others / sizeof *others; i++) {
    if (strcmp(others[i], name) == 0)
      return true;
  }
  return false;
}

static void check_contents(const char *header) {
  const char *begin = strstr(header, "   CONTENTS"), *end = begin ? strstr(begin, "*/") : NULL;
  char *contents;
  const char *at;
  size_t i;
  if (!CHECK("webnn.h", end != NULL, "has no CONTENTS at its top"))
    return;
  contents = copy_range(begin, end);
  for (i = 0; i < declaration_count; i++) {
    if (!is_operator(declarations[i].name))
      CHECK(declarations[i].name, find_word(contents, declarations[i].name) != NULL,
            "is not in the CONTENTS of webnn.h");
  }
  for (at = contents; (at = strstr(at, "webnn_")) != NULL;) {
    char name[64];
    for (end = at; is_word(*end); end++) {
    }
    snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
    CHECK(name, find_declaration(name) != NULL, "stands in the CONTENTS and is not declared");
    at = end;
  }
  free(contents);
}

/* ---- All pages ---------------------------------------------------------------------------------
 */

static const char *const own_pages[] = {
    "../README.md",        "../docs/guide.md",       "../docs/operators.md", "../docs/numerics.md",
    "../docs/testing.md",  "../docs/internals.md",   "../docs/oracle.md",    "../docs/CHANGELOG.md",
    "../docs/policies.md", "../docs/performance.md", "../docs/vulkan.md",    "../docs/command.md",
    "../docs/onnx.md",     "../docs/stablehlo.md",   "../docs/bindings.md",  "../docs/together.md"};
enum { OWN_PAGES = sizeof own_pages / sizeof *own_pages };

/* Adds the pages in which every function must stand to `all`. */
static void check_page(const char *path, const char *header, char **all, int *programs) {
  char *page = read_text(path);
  const bool guide = strstr(path, "guide") != NULL, readme = strstr(path, "README") != NULL;
  const bool reference = strstr(path, "operators") != NULL;
  size_t used = *all ? strlen(*all) : 0;
  if (!page) {
    if (guide || readme || reference)
      CHECK(path, false, "cannot be read");
    else
      test_skip(path, "not written");
    return;
  }
  *programs += extract_programs(path, page);
  check_links(path, page);
  check_items(path, page);
  if (guide || readme)
    check_lines(path, page);
  if (strstr(path, "CHANGELOG") == NULL) /* which has old names */
    check_names(path, page, header ? header : "");
  if (guide || reference) {
    *all = (char *)realloc(*all, used + strlen(page) + 1);
    if (!*all)
      exit(1);
    strcpy(*all + used, page);
  }
  free(page);
}

/* Above its kernel stands a smallest example, which `docs` computes with the others. */
static void check_worked_line(const char *header, const char *name) {
  char begin[64];
  snprintf(begin, sizeof begin, " == %s(", name);
  CHECK(name, strstr(header, begin) != NULL, "webnn.h has no worked line for it: [1] == %s(...)",
        name);
}

static void check_functions(const char *all) {
  size_t i;
  CHECK("webnn.h", declaration_count > WEBNN_OP_COUNT, "%d declarations found",
        (int)declaration_count);
  for (i = 0; i < declaration_count; i++)
    CHECK(declarations[i].name, find_word(all, declarations[i].name) != NULL,
          "neither guide.md nor operators.md mentions it");
}

int main(int argc, char **argv) {
  char *header = read_text("../webnn.h"), *operators_page = read_text("../docs/operators.md");
  char *all = NULL;
  int programs = 0, i;
  if (CHECK("webnn.h", header != NULL, "cannot be read"))
    read_declarations(header);
  for (i = 0; i < COMPANIONS; i++)
    companions[i].text = read_text(companions[i].path);
  if (argc > 2 && strcmp(argv[1], "--programs") == 0) {
    program_folder = argv[2];
    argc -= 2, argv += 2;
  }
  for (i = 1; i < argc; i++)
    check_page(argv[i], header, &all, &programs);
  for (i = 0; argc < 2 && i < OWN_PAGES; i++)
    check_page(own_pages[i], header, &all, &programs);
  CHECK("docs", programs > 0, "there is no complete program");
  check_functions(all ? all : "");
  if (header) {
    check_contents(header);
    extract_header_program(header);
    for (i = 0; i < WEBNN_OP_COUNT; i++)
      check_worked_line(header, operators[i].name);
  }
  if (header && operators_page) {
    for (i = 0; i < WEBNN_OP_COUNT; i++)
      check_operator(operators_page, header, &operators[i]);
    check_option_structs(header, operators_page);
    check_documented_signatures(operators_page);
  }
  while (declaration_count > 0)
    free_declaration(&declarations[--declaration_count]);
  free(all);
  free(operators_page);
  for (i = 0; i < COMPANIONS; i++)
    free(companions[i].text);
  free(header);
  return test_end();
}
