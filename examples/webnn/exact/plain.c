/* Loops in plain C of a page, as functions of a program in C99 that runs them on the numbers of
   examples and compares what comes with the exact results. */
#include "exact.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 16, MOST_SIZES = 32 };

/* "input [I][H][W]" of the block's comment. */
typedef struct plain_array {
  const char *name, *dims[WEBNN_MAX_RANK];
  uint32_t rank;
  const tensor *t; /* its elements; NULL: an optional operand that the example does not have */
  bool result;
  uint32_t sizes[WEBNN_MAX_RANK];
} plain_array;

/* The letters that are sizes. */
typedef struct plain_size {
  const char *name;
  uint32_t size;
} plain_size;

typedef struct plain {
  arena *memory;
  char *text; /* the declarations, as far as they are written */
  size_t length, room;
  const plain_block *block;
  const char *op, *comment;
  const example *example;
  const operation *operation;
  webnn_operator_limits limits;
  plain_array arrays[MOST_ARRAYS];
  plain_size sizes[MOST_SIZES];
  size_t array_count, size_count;
} plain;

/* ---- The comment ----------------------------------------------------------------------------- */

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const char *word_end(const char *c) {
  while (is_letter(*c))
    c++;
  return c;
}

static bool has_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
    if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
      return true;
  return false;
}

/* "[I][H]" after the name; false if there is none. */
static bool read_dims(plain *p, const char **at, plain_array *a) {
  const char *c = *at + strspn(*at, " \n");
  while (*c == '[' && a->rank < WEBNN_MAX_RANK) {
    const char *end = word_end(c + 1);
    if (*end != ']')
      break;
    a->dims[a->rank++] = take_text(p->memory, "%.*s", (int)(end - c - 1), c + 1);
    c = end + 1;
  }
  if (a->rank == 0)
    return false;
  *at = c;
  return true;
}

static void read_arrays(plain *p) {
  for (const char *c = p->comment; *c;) {
    const char *end = word_end(c);
    plain_array *a = &p->arrays[p->array_count];
    if (end == c) {
      c++;
      continue;
    }
    memset(a, 0, sizeof *a);
    a->name = take_text(p->memory, "%.*s", (int)(end - c), c);
    c = end;
    if (p->array_count + 1 < MOST_ARRAYS && read_dims(p, &c, a))
      p->array_count++;
  }
}

/* The operator that the block computes: the first word after "plain:" if it is one, else the first
   of the heading. */
static const char *block_operator(plain *p) {
  const char *c = p->comment + strspn(p->comment, " ");
  const char *word = take_text(p->memory, "%.*s", (int)(word_end(c) - c), c);
  if (method_find(word))
    return word;
  c = strncmp(p->block->heading, "### ", 4) == 0 ? p->block->heading + 4 : "";
  return take_text(p->memory, "%.*s", (int)(word_end(c) - c), c);
}

/* ---- What an example has --------------------------------------------------------------------- */

/* keepDimensions becomes keep_dimensions. */
static const char *snake_case(arena *memory, const char *name) {
  char *text = (char *)take(memory, 2 * strlen(name) + 1), *to = text;
  for (; *name; name++) {
    if (isupper((unsigned char)*name))
      *to++ = '_';
    *to++ = (char)tolower((unsigned char)*name);
  }
  return text;
}

static const json *call_options(const operation *o) {
  const json *item = json_get(o->node, "arguments")->first;
  while (item && !json_get(item, "options"))
    item = item->next;
  return json_items(json_get(item, "options"), JSON_OBJECT);
}

static const network_value *value_of(const plain *p, const json *operand) {
  return json_string(operand) ? network_find(&p->example->network, operand->text) : NULL;
}

/* The operand or result of this name, in the specification's words or in the example's. */
static const network_value *find_value(const plain *p, const char *name, bool *known) {
  const network *n = &p->example->network;
  const json *item = json_get(p->operation->node, "arguments")->first, *option;
  const char *kind, *argument;
  *known = true;
  if (strcmp(name, "output") == 0)
    return &n->values[p->operation->first_output];
  if (strncmp(name, "output", 6) == 0 && isdigit((unsigned char)name[6]) && !name[7] &&
      (size_t)(name[6] - '0') < p->operation->output_count)
    return &n->values[p->operation->first_output + (size_t)(name[6] - '0')];
  for (size_t i = 0; (argument = method_argument(p->memory, p->operation->method, i, &kind));
       i++, item = item->next)
    if (strcmp(snake_case(p->memory, argument), name) == 0 && strcmp(kind, "operand") == 0)
      return value_of(p, json_get(item, "operand"));
  for (option = call_options(p->operation); option; option = option->next)
    if (strcmp(snake_case(p->memory, option->name), name) == 0)
      return value_of(p, json_get(option, "operand"));
  for (uint32_t i = 0; i < p->limits.operand_count; i++)
    if (strcmp(snake_case(p->memory, p->limits.operands[i].name), name) == 0)
      return NULL; /* optional, and absent */
  *known = network_find(n, name) != NULL;
  return network_find(n, name);
}

/* ---- Does the block fit the example? --------------------------------------------------------- */

/* Sets a letter to a size, or sees that it has it. A number stands for itself. */
static bool set_size(plain *p, const char *name, uint32_t size) {
  if (isdigit((unsigned char)*name))
    return strtoul(name, NULL, 10) == size;
  for (size_t i = 0; i < p->size_count; i++)
    if (strcmp(p->sizes[i].name, name) == 0)
      return p->sizes[i].size == size;
  if (p->size_count == MOST_SIZES)
    return false;
  p->sizes[p->size_count].name = name;
  p->sizes[p->size_count++].size = size;
  return true;
}

/* Dimensions that the block has no bracket for count in its first. */
static bool fit_array(plain *p, plain_array *a) {
  const webnn_list *shape = &a->t->descriptor.shape;
  const size_t extra = shape->count > a->rank ? shape->count - a->rank : 0;
  if (shape->count < a->rank || webnn_data_type_bits(a->t->descriptor.data_type) < 8 ||
      a->t->descriptor.data_type == WEBNN_FLOAT16)
    return false;
  for (uint32_t i = 0; i < a->rank; i++)
    a->sizes[i] = shape->items[i + extra];
  for (size_t i = 0; i < extra; i++)
    a->sizes[0] *= shape->items[i];
  for (uint32_t i = 0; i < a->rank; i++)
    if (!set_size(p, a->dims[i], a->sizes[i]))
      return false;
  return true;
}

/* An operand that is absent has its sizes from the letters of the others. */
static bool fit_absent(plain *p, plain_array *a) {
  for (uint32_t i = 0; i < a->rank; i++) {
    size_t j = 0;
    while (j < p->size_count && strcmp(p->sizes[j].name, a->dims[i]) != 0)
      j++;
    if (j == p->size_count)
      return false;
    a->sizes[i] = p->sizes[j].size;
  }
  return true;
}

/* False after a complaint about a name without a meaning. `fits` checks the rest. */
static bool fit_arrays(plain *p, bool *fits) {
  *fits = true;
  for (size_t i = 0; i < p->array_count; i++) {
    plain_array *a = &p->arrays[i];
    bool known;
    const network_value *v = find_value(p, a->name, &known);
    if (!known)
      return complain(&p->block->at, "%s must be an operand of %s or a value of the example",
                      a->name, p->op);
    a->result =
        v && v->producer != NOBODY && &p->example->network.operations[v->producer] == p->operation;
    a->t = !v ? NULL : v->producer == NOBODY ? &v->known : &v->exact;
    *fits = *fits && (!a->t || (a->t->data && fit_array(p, a)));
  }
  for (size_t i = 0; i < p->array_count; i++)
    *fits = *fits && (p->arrays[i].t || fit_absent(p, &p->arrays[i]));
  return true;
}

/* The variables of a list for height and width. */
static const struct {
  const char *option, *names[4];
} pairs[] = {{"padding", {"begin_h", "end_h", "begin_w", "end_w"}},
             {"strides", {"stride_h", "stride_w", NULL, NULL}},
             {"dilations", {"dilation_h", "dilation_w", NULL, NULL}},
             {"outputPadding", {"output_padding_h", "output_padding_w", NULL, NULL}},
             {"windowDimensions", {"window_h", "window_w", NULL, NULL}}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* A given operand must be one of the arrays. */
static bool minds_operand(const plain *p, const char *name, const json *operand) {
  for (size_t i = 0; i < p->array_count; i++)
    if (strcmp(p->arrays[i].name, name) == 0 || strcmp(p->arrays[i].name, operand->text) == 0)
      return true;
  return false;
}

/* Any other option or argument that is given must be a variable of the block, or its comment must
   have the value, as in "axis 1". */
static bool minds_value(const plain *p, const char *option, const json *value) {
  const char *code = p->block->text + strlen("/* plain:") + strlen(p->comment);
  const char *name = snake_case(p->memory, option);
  if (strcmp(value->name, "operand") == 0)
    return minds_operand(p, name, value);
  for (int i = 0; i < PAIRS; i++)
    for (int j = 0; j < 4 && strcmp(pairs[i].option, option) == 0 && pairs[i].names[j]; j++)
      if (has_word(code, pairs[i].names[j]))
        return true;
  if (has_word(code, name))
    return true;
  if (value->kind == JSON_STRING && has_word(p->comment, value->text))
    return true;
  return value->kind == JSON_NUMBER &&
         strstr(p->comment, take_text(p->memory, "%s %.*s", name, (int)value->length, value->text));
}

static const json *given_option(const plain *p, const char *name) {
  const json *o = call_options(p->operation);
  while (o && strcmp(o->name, name) != 0)
    o = o->next;
  return o;
}

/* Options whose default is no number must be given where the loops use them, or the comment has a
   value, as in "axis 1". */
static bool has_what_it_uses(const plain *p) {
  static const char *const names[] = {"axes", "permutation", "sizes", "scales"};
  const char *axis = strcmp(p->op, "batchNormalization") == 0 ? "axis 1" : "axis 0";
  if (method_option(p->operation->method, "axis") && !given_option(p, "axis") &&
      has_word(p->comment, "axis") && !strstr(p->comment, axis))
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (method_option(p->operation->method, names[i]) && !given_option(p, names[i]) &&
        has_word(p->block->text, names[i]))
      return false;
  return true;
}

/* A list that the loops use has an item for each bracket. */
static bool has_brackets(const plain *p, const char *name, const json *value) {
  return value->kind != JSON_ARRAY || value->length <= p->arrays[0].rank ||
         !has_word(p->block->text, snake_case(p->memory, name));
}

/* Shapes show what other arguments are. */
static bool minds_call(const plain *p) {
  const json *item = json_get(p->operation->node, "arguments")->first;
  const char *kind, *name;
  bool minds = has_what_it_uses(p);
  for (size_t i = 0; (name = method_argument(p->memory, p->operation->method, i, &kind));
       i++, item = item->next)
    minds = minds && (strcmp(name, "axis") != 0 || minds_value(p, name, item->first)) &&
            has_brackets(p, name, item->first);
  for (const json *o = call_options(p->operation); o; o = o->next)
    minds = minds && (!o->first ||
                      (minds_value(p, o->name, o->first) && has_brackets(p, o->name, o->first)));
  return minds;
}

static bool fit(plain *p, bool *fits) {
  p->size_count = 0;
  if (!fit_arrays(p, fits))
    return false;
  *fits = *fits && minds_call(p);
  return true;
}

/* ---- Declarations ---------------------------------------------------------------------------- */

static const char *c_type(webnn_data_type type) {
  switch (type) {
  case WEBNN_INT32:
    return "int32_t";
  case WEBNN_UINT32:
    return "uint32_t";
  case WEBNN_INT64:
    return "int64_t";
  case WEBNN_UINT64:
    return "uint64_t";
  case WEBNN_INT8:
    return "int8_t";
  case WEBNN_UINT8:
    return "uint8_t";
  default:
    return "float";
  }
}

/* Appends to the declarations. */
static void put(plain *p, const char *format, ...) {
  va_list arguments, again;
  int length;
  va_start(arguments, format);
  va_copy(again, arguments);
  length = vsnprintf(NULL, 0, format, arguments);
  if (length > 0 && p->length + (size_t)length >= p->room) {
    char *text;
    p->room = 2 * (p->length + (size_t)length + 1);
    text = (char *)take(p->memory, p->room);
    memcpy(text, p->text ? p->text : "", p->length);
    p->text = text;
  }
  if (length > 0)
    p->length += (size_t)vsnprintf(p->text + p->length, p->room - p->length, format, again);
  va_end(again);
  va_end(arguments);
}

static void write_number(plain *p, const tensor *t, size_t index) {
  char text[ELEMENT_ROOM];
  element_text(t, index, text);
  if (t->descriptor.data_type == WEBNN_INT64)
    put(p, "INT64_C(%s)", text);
  else if (t->descriptor.data_type == WEBNN_UINT64)
    put(p, "UINT64_C(%s)", text);
  else if (strcmp(text, "NaN") == 0)
    put(p, "NAN");
  else if (text[strlen(text) - 1] == 'y')
    put(p, "%s", text[0] == '-' ? "-INFINITY" : "INFINITY");
  else
    put(p, "%s%s", text, strcmp(text, "-0") == 0 ? ".0" : "");
}

/* "float input[2][3] = {...};", of results without elements. */
static void write_array(plain *p, const plain_array *a) {
  const char *type = a->t ? c_type(a->t->descriptor.data_type) : "float";
  size_t count = 1;
  put(p, "  %s %s", type, a->name);
  for (uint32_t i = 0; i < a->rank; i++) {
    put(p, "[%lu]", (unsigned long)a->sizes[i]);
    count *= a->sizes[i];
  }
  if (a->result) {
    put(p, ";\n");
    return;
  }
  put(p, " = {");
  for (size_t i = 0; i < count; i++) {
    put(p, "%s", i ? ", " : "");
    if (a->t)
      write_number(p, a->t, i);
    else
      put(p, "%s", strcmp(a->name, "scale") == 0 ? "1" : "0");
  }
  put(p, "};\n");
}

static void write_list(plain *p, const char *name, const json *list) {
  put(p, "  const int %s[] = {", name);
  for (const json *item = list->first; item; item = item->next)
    put(p, "%.*s%s", (int)item->length, item->text, item->next ? ", " : "");
  put(p, "};\n");
}

/* An option, or an argument that is no operand, by its name in C. */
static void write_option(plain *p, const char *name, const json *value) {
  static const char *const reals[] = {"alpha", "beta",      "epsilon",
                                      "value", "min_value", "max_value"};
  const char *type = "int";
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    if (strcmp(name, reals[i]) == 0)
      type = "float";
  if (value->kind == JSON_NUMBER)
    put(p, "  const %s %s = %.*s;\n", type, name, (int)value->length, value->text);
  else if (value->kind == JSON_TRUE || value->kind == JSON_FALSE)
    put(p, "  const int %s = %d;\n", name, value->kind == JSON_TRUE);
  else if (value->kind == JSON_ARRAY && value->length > 0)
    write_list(p, name, value);
}

static void write_pairs(plain *p) {
  for (int i = 0; i < PAIRS; i++) {
    const json *option = given_option(p, pairs[i].option), *item;
    const bool ones =
        strcmp(pairs[i].option, "strides") == 0 || strcmp(pairs[i].option, "dilations") == 0;
    item = option && option->first ? option->first->first : NULL;
    for (int j = 0; j < 4 && pairs[i].names[j]; j++, item = item ? item->next : NULL)
      put(p, "  const int %s = %.*s;\n", pairs[i].names[j], item ? (int)item->length : 1,
          item   ? item->text
          : ones ? "1"
                 : "0");
  }
}

/* What an option is that is not given. */
static void write_defaults(plain *p) {
  static const struct {
    const char *op, *name, *text;
  } defaults[] = {{"", "groups", "int groups = 1"},
                  {"", "epsilon", "float epsilon = 1e-5f"},
                  {"", "exclusive", "int exclusive = 0"},
                  {"", "reversed", "int reversed = 0"},
                  {"", "diagonal", "int diagonal = 0"},
                  {"", "returnSequence", "int return_sequence = 0"},
                  {"slice", "strides", "int strides[] = {1, 1, 1, 1, 1, 1, 1, 1}"},
                  {"batchNormalization", "axis", "int axis = 1"},
                  {"gather", "axis", "int axis = 0"},
                  {"gatherElements", "axis", "int axis = 0"},
                  {"scatterElements", "axis", "int axis = 0"},
                  {"split", "axis", "int axis = 0"},
                  {"elu", "alpha", "float alpha = 1"},
                  {"gemm", "alpha", "float alpha = 1"},
                  {"gemm", "beta", "float beta = 1"},
                  {"linear", "alpha", "float alpha = 1"},
                  {"linear", "beta", "float beta = 0"},
                  {"leakyRelu", "alpha", "float alpha = 0.01f"},
                  {"hardSigmoid", "alpha", "float alpha = 0.2f"},
                  {"hardSigmoid", "beta", "float beta = 0.5f"}};
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
    if (!given_option(p, defaults[i].name) &&
        (!*defaults[i].op || strcmp(defaults[i].op, p->op) == 0))
      put(p, "  const %s;\n", defaults[i].text);
  }
}

static void write_options(plain *p) {
  const json *item = json_get(p->operation->node, "arguments")->first;
  const char *kind, *name;
  for (size_t i = 0; (name = method_argument(p->memory, p->operation->method, i, &kind));
       i++, item = item->next)
    if (strncmp(kind, "operand", 7) != 0)
      write_option(p, snake_case(p->memory, name), item->first);
  for (const json *o = call_options(p->operation); o; o = o->next)
    if (o->first && strcmp(o->first->name, "operand") != 0)
      write_option(p, snake_case(p->memory, o->name), o->first);
  write_pairs(p);
  write_defaults(p);
}

static void write_declarations(plain *p) {
  p->text = NULL;
  p->length = p->room = 0;
  for (size_t i = 0; i < p->size_count; i++)
    put(p, "  const int %s = %lu;\n", p->sizes[i].name, (unsigned long)p->sizes[i].size);
  for (size_t i = 0; i < p->array_count; i++)
    write_array(p, &p->arrays[i]);
  write_options(p);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void take_run(plain *p, size_t operation_index, plain_run *run) {
  write_declarations(p);
  run->example = p->example;
  run->operation = operation_index;
  run->declarations = p->text;
  run->result_count = 0;
  for (size_t i = 0; i < p->array_count; i++) {
    if (p->arrays[i].result && run->result_count < MOST_PLAIN_RESULTS) {
      run->results[run->result_count].name = p->arrays[i].name;
      run->results[run->result_count++].exact = p->arrays[i].t;
    }
  }
}

static void read_block(const session *s, arena *memory, const plain_block *b, plain *p) {
  const char *begin = b->text + strlen("/* plain:"), *end = strstr(begin, "*/");
  memset(p, 0, sizeof *p);
  p->memory = memory;
  p->block = b;
  p->comment = take_text(memory, "%.*s", end ? (int)(end - begin) : 0, begin);
  p->op = block_operator(p);
  for (int op = 0; op < WEBNN_OP_COUNT; op++)
    if (strcmp(webnn_op_name((webnn_op)op), p->op) == 0)
      webnn_op_limits(s->context, (webnn_op)op, &p->limits);
  read_arrays(p);
}

const char *plain_operator(const session *s, arena *memory, const plain_block *b) {
  plain p;
  read_block(s, memory, b, &p);
  return p.op;
}

bool plain_runs(const session *s, arena *memory, const plain_block *b, const example *examples,
                size_t count, plain_run *runs, size_t room, size_t *run_count) {
  bool fits;
  plain p;
  read_block(s, memory, b, &p);
  *run_count = 0;
  for (size_t i = 0; i < count && examples[i].line < b->at.line; i++) {
    p.example = &examples[i];
    for (size_t j = 0; j < examples[i].network.operation_count; j++) {
      p.operation = &examples[i].network.operations[j];
      if (strcmp(p.operation->name, p.op) != 0)
        continue;
      if (!fit(&p, &fits))
        return false;
      if (fits && *run_count < room)
        take_run(&p, j, &runs[(*run_count)++]);
    }
  }
  return *run_count > 0 ||
         complain(&b->at, "no example of %s before has the shapes and options of these loops",
                  p.op);
}

/* ---- The program ----------------------------------------------------------------------------- */

static void write_expected(FILE *file, const plain_result *r) {
  plain p;
  arena memory = {NULL, 0};
  memset(&p, 0, sizeof p);
  p.memory = &memory;
  put(&p, "  const %s expected_%s[] = {", c_type(r->exact->descriptor.data_type), r->name);
  for (size_t i = 0; i < r->exact->count; i++) {
    put(&p, "%s", i ? ", " : "");
    write_number(&p, r->exact, i);
  }
  fprintf(file, "%s};\n", p.text);
  release(&memory);
}

/* Equal elements: 0 and -0 are, and a NaN is as good as another. */
static void write_comparison(FILE *file, const plain_block *b, const plain_run *run,
                             const plain_result *r) {
  const char *type = c_type(r->exact->descriptor.data_type), *name = r->name;
  fprintf(
      file,
      "  {\n    const %s *came = (const %s *)%s, *expected = expected_%s;\n"
      "    size_t i, first = 0, wrong = 0;\n"
      "    for (i = sizeof %s / sizeof *came; i-- > 0;)\n"
      "      if (came[i] != expected[i] && (came[i] == came[i] || expected[i] == expected[i]))\n"
      "        wrong++, first = i;\n"
      "    report(\"%s:%lu\", %lu, \"%s\", wrong, (double)came[first], (double)expected[first]);\n"
      "  }\n",
      type, type, name, name, name, b->at.file, (unsigned long)b->at.line,
      (unsigned long)run->example->line, name);
}

/* Returns its name. Results are filled with what no computation leaves. */
static const char *write_function(FILE *file, arena *memory, const plain_block *b,
                                  const plain_run *run) {
  const unsigned long block = b->at.line, line = run->example->line;
  const char *function =
      take_text(memory, "block_%lu_example_%lu_%lu", block, line, (unsigned long)run->operation);
  fprintf(file, "static void %s(void) {\n%s", function, run->declarations);
  for (size_t i = 0; i < run->result_count; i++) {
    write_expected(file, &run->results[i]);
    fprintf(file, "  memset(%s, 0xFF, sizeof %s);\n", run->results[i].name, run->results[i].name);
  }
  fprintf(file, "  {\n#line %lu \"%s\"\n%s\n#line 1 \"generated\"\n  }\n", block, b->at.file,
          b->text);
  for (size_t i = 0; i < run->result_count; i++)
    write_comparison(file, b, run, &run->results[i]);
  fputs("}\n\n", file);
  return function;
}

/* The functions of the program by their names; memory is the page's. */
enum { MOST_FUNCTIONS = 1024 };
static size_t written_count;
static const char *written[MOST_FUNCTIONS];

bool plain_write(const session *s, FILE *file, arena *memory, const plain_block *b,
                 const example *examples, size_t count) {
  plain_run runs[MOST_PLAIN_RUNS];
  size_t run_count;
  if (!plain_runs(s, memory, b, examples, count, runs, MOST_PLAIN_RUNS, &run_count))
    return false;
  for (size_t i = 0; i < run_count && written_count < MOST_FUNCTIONS; i++)
    written[written_count++] = write_function(file, memory, b, &runs[i]);
  return true;
}

void plain_begin(FILE *file) {
  fputs("#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "#include <string.h>\n\n"
        "static int passed, failed;\n\n"
        "static void report(const char *block, int example, const char *name, size_t wrong,\n"
        "                   double came, double expected) {\n"
        "  if (!wrong) {\n    passed++;\n    return;\n  }\n"
        "  failed++;\n"
        "  printf(\"%s: on the example in line %d: %lu elements of %s are wrong, the first is\"\n"
        "         \" %.9g, not %.9g\\n\", block, example, (unsigned long)wrong, name, came, "
        "expected);\n"
        "}\n\n",
        file);
  written_count = 0;
}

void plain_end(FILE *file) {
  fputs("int main(void) {\n", file);
  for (size_t i = 0; i < written_count; i++)
    fprintf(file, "  %s();\n", written[i]);
  fputs("  printf(\"%d passed, %d failed, 0 skipped\\n\", passed, failed);\n"
        "  return failed > 0;\n}\n",
        file);
}
