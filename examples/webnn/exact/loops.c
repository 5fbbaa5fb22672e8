/* An interpreter of the loops of a page: declarations of numbers and arrays, for, while, if, break,
   continue, expressions of C on int32_t (int), float, double and the integers of stdint.h, functions
   of math.h, and memcpy of a whole array. There are no pointers, no functions of one's own and no
   strings.

   A text is read into a tree, names become variables, and the tree is run. Arithmetic is C's: small
   integers become int, float and float give float. A function with f rounds the result of the one
   of double, so that machines with other libraries agree. What is undefined in C is refused where it
   happens: an index outside of an array, an element without a value, an overflow of int, a division
   by 0. So is a program that does not end. */
#include "loops.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 100, MOST_ELEMENTS = 1 << 20, MOST_STEPS = 20000000, MOST_ARGUMENTS = 2 };

/* ---- Values ---------------------------------------------------------------------------------- */

/* The types in the order of their rank in conversions, which are those of C. */
typedef enum loop_type {
  LOOP_INT8,
  LOOP_UINT8,
  LOOP_INT32,
  LOOP_UINT32,
  LOOP_INT64,
  LOOP_UINT64,
  LOOP_FLOAT,
  LOOP_DOUBLE,
  LOOP_TYPES
} loop_type;

static const struct {
  const char *name;
  size_t size;
  webnn_data_type type;
} types[LOOP_TYPES] = {{"int8_t", 1, WEBNN_INT8},   {"uint8_t", 1, WEBNN_UINT8},
                       {"int32_t", 4, WEBNN_INT32}, {"uint32_t", 4, WEBNN_UINT32},
                       {"int64_t", 8, WEBNN_INT64}, {"uint64_t", 8, WEBNN_UINT64},
                       {"float", 4, WEBNN_FLOAT32}, {"double", 8, (webnn_data_type)0}};

typedef struct value {
  loop_type type;
  uint64_t whole; /* of integers, extended to 64 bits by their sign */
  double real;    /* of float and double */
} value;

static bool is_real(loop_type type) {
  return type >= LOOP_FLOAT;
}

static bool is_signed(loop_type type) {
  return type == LOOP_INT8 || type == LOOP_INT32 || type == LOOP_INT64;
}

static value whole_value(loop_type type, uint64_t bits) {
  value v = {type, bits, 0.0};
  switch (type) {
  case LOOP_INT8:
    v.whole = (uint64_t)(int64_t)(int8_t)(uint8_t)bits;
    break;
  case LOOP_UINT8:
    v.whole = (uint8_t)bits;
    break;
  case LOOP_INT32:
    v.whole = (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
    break;
  case LOOP_UINT32:
    v.whole = (uint32_t)bits;
    break;
  default:
    break;
  }
  return v;
}

static value real_value(loop_type type, double real) {
  value v = {type, 0, 0.0};
  v.real = type == LOOP_FLOAT ? (double)(float)real : real;
  return v;
}

static double real_of(value v) {
  return is_real(v.type) ? v.real : is_signed(v.type) ? (double)(int64_t)v.whole : (double)v.whole;
}

static bool is_true(value v) {
  return is_real(v.type) ? v.real != 0.0 : v.whole != 0;
}

/* ---- Trees ----------------------------------------------------------------------------------- */

typedef struct variable variable;
typedef struct node node;

struct variable {
  const char *name;
  loop_type type;
  bool constant;
  uint32_t rank;
  node *dims[WEBNN_MAX_RANK]; /* NULL: as many as there are initial values */
  uint32_t sizes[WEBNN_MAX_RANK];
  size_t count, room;
  unsigned char *elements;
  bool *given;
  node *initial;   /* an expression, or LIST; NULL: none */
  variable *outer; /* the one declared before, in this scope or an outer one */
};

typedef enum node_kind {
  NODE_NUMBER,
  NODE_ELEMENT, /* of `target` at `parts` */
  NODE_UNARY,
  NODE_BINARY,
  NODE_AND,
  NODE_OR,
  NODE_CONDITION,
  NODE_ASSIGN, /* parts: element, value; `sign`: 0 or the operator before = */
  NODE_STEP,   /* ++ and --; `late`: after the element */
  NODE_CAST,
  NODE_CALL,
  NODE_COMMA,
  NODE_LIST,
  NODE_DECLARE,
  NODE_COPY,
  NODE_FOR,
  NODE_IF,
  NODE_BLOCK,
  NODE_BREAK,
  NODE_CONTINUE,
  NODE_EMPTY
} node_kind;

/* Operators of two signs are these letters. */
enum {
  SAME = 'E',
  DIFFERENT = 'N',
  AT_MOST = 'L',
  AT_LEAST = 'G',
  AND = 'A',
  OR = 'O',
  INCREASE = 'I',
  DECREASE = 'D'
};

struct node {
  node_kind kind;
  uint32_t line, column;
  int sign;
  bool late;
  value number;
  loop_type type;
  size_t function;
  variable *target, *source;
  node *parts[4]; /* of FOR: initial, condition, step, body */
  size_t part_count;
  node *first, *next; /* of BLOCK, LIST and DECLARE, and of indices */
};

typedef struct token {
  enum { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_SIGN } kind;
  const char *text;
  size_t length;
  int sign;        /* a character, or a letter from above */
  bool assignment; /* += and so on */
  uint32_t line, column;
} token;

typedef enum leaving { LEAVING_NOT, LEAVING_BREAK, LEAVING_CONTINUE } leaving;

struct loops {
  arena *memory;
  const char *file;
  const char *at, *line_begin;
  uint32_t line, column_before;
  token token;
  variable *scope, *first_scope; /* the newest of the first text */
  variable *scope_begin;         /* names after it belong to outer scopes */
  bool failed, ran;
  uint32_t nested, loops_around;
  size_t steps;
  leaving leaving;
};

static bool fail(loops *l, uint32_t line, uint32_t column, const char *text) {
  json at;
  if (l->failed)
    return false;
  l->failed = true;
  memset(&at, 0, sizeof at);
  at.file = l->file;
  at.line = line;
  at.column = column;
  return complain(&at, "%s", text);
}

static bool fail_at(loops *l, const node *n, const char *text) {
  return fail(l, n->line, n->column, text);
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static void skip_space(loops *l) {
  while (*l->at) {
    if (*l->at == '\n') {
      l->line++;
      l->line_begin = ++l->at;
    } else if (isspace((unsigned char)*l->at)) {
      l->at++;
    } else if (strncmp(l->at, "//", 2) == 0) {
      l->at += strcspn(l->at, "\n");
    } else if (strncmp(l->at, "/*", 2) == 0) {
      const char *end = strstr(l->at + 2, "*/");
      const uint32_t line = l->line, column = (uint32_t)(l->at - l->line_begin) + 1;
      if (!end)
        fail(l, line, column, "a comment must end with */");
      for (end = end ? end + 2 : l->at + strlen(l->at); l->at < end; l->at++)
        if (*l->at == '\n') {
          l->line++;
          l->line_begin = l->at + 1;
        }
    } else {
      return;
    }
  }
}

/* "1e-5f" as a whole, and what must not be after a number, too. */
static size_t number_length(const char *text) {
  size_t i = 0;
  while (is_word(text[i]) || text[i] == '.' ||
         ((text[i] == '-' || text[i] == '+') && i > 0 && (text[i - 1] | 32) == 'e'))
    i++;
  return i;
}

static void next_sign(loops *l) {
  static const struct {
    const char *text;
    int sign;
    bool assignment;
  } two[] = {{"==", SAME, false},     {"!=", DIFFERENT, false}, {"<=", AT_MOST, false},
             {">=", AT_LEAST, false}, {"&&", AND, false},       {"||", OR, false},
             {"++", INCREASE, false}, {"--", DECREASE, false},  {"+=", '+', true},
             {"-=", '-', true},       {"*=", '*', true},        {"/=", '/', true},
             {"%=", '%', true}};
  token *t = &l->token;
  t->kind = TOKEN_SIGN;
  t->length = 1;
  t->sign = (unsigned char)*l->at;
  for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
    if (strncmp(l->at, two[i].text, 2) == 0) {
      t->length = 2;
      t->sign = two[i].sign;
      t->assignment = two[i].assignment;
      return;
    }
  }
  if (!strchr("+-*/%<>=!?:;,(){}[]", *l->at))
    fail(l, t->line, t->column,
         take_text(l->memory, "the loops have no \"%c\"", *l->at < 32 ? '?' : *l->at));
}

static void next_token(loops *l) {
  token *t = &l->token;
  skip_space(l);
  memset(t, 0, sizeof *t);
  t->line = l->line;
  t->column = (uint32_t)(l->at - l->line_begin) + 1;
  t->text = l->at;
  if (!*l->at || l->failed) {
    t->kind = TOKEN_END;
  } else if (isdigit((unsigned char)*l->at) ||
             (*l->at == '.' && isdigit((unsigned char)l->at[1]))) {
    t->kind = TOKEN_NUMBER;
    t->length = number_length(l->at);
  } else if (is_word(*l->at)) {
    t->kind = TOKEN_NAME;
    while (is_word(l->at[t->length]))
      t->length++;
  } else {
    next_sign(l);
  }
  l->at += t->length;
}

static bool is_sign(const loops *l, int sign) {
  return l->token.kind == TOKEN_SIGN && !l->token.assignment && l->token.sign == sign;
}

static bool is_name(const loops *l, const char *name) {
  return l->token.kind == TOKEN_NAME && strlen(name) == l->token.length &&
         strncmp(l->token.text, name, l->token.length) == 0;
}

static bool skip_sign(loops *l, int sign) {
  const bool is = is_sign(l, sign);
  if (is)
    next_token(l);
  return is;
}

static bool skip_name(loops *l, const char *name) {
  const bool is = is_name(l, name);
  if (is)
    next_token(l);
  return is;
}

/* `this must be a name; it is "3"`: of what stands at the token. */
static bool expected(loops *l, const char *what) {
  const token *t = &l->token;
  return fail(l, t->line, t->column,
              t->kind == TOKEN_END ? take_text(l->memory, "this must be %s; it is the end", what)
                                   : take_text(l->memory, "this must be %s; it is \"%.*s\"", what,
                                               (int)t->length, t->text));
}

static void expect_sign(loops *l, char sign) {
  const char text[] = {'"', sign, '"', 0};
  if (!skip_sign(l, sign))
    expected(l, text);
}

static node *make(loops *l, node_kind kind) {
  node *n = (node *)take(l->memory, sizeof *n);
  n->kind = kind;
  n->line = l->token.line;
  n->column = l->token.column;
  return n;
}

/* ---- Names ----------------------------------------------------------------------------------- */

typedef struct function_row {
  const char *name;
  size_t count; /* of arguments */
  double (*one)(double x);
  double (*two)(double x, double y);
} function_row;

/* Those of double; with an f after the name the result is rounded to float. */
static const function_row functions[] = {
    {"acos", 1, acos, NULL},   {"asin", 1, asin, NULL},   {"atan", 1, atan, NULL},
    {"ceil", 1, ceil, NULL},   {"cos", 1, cos, NULL},     {"cosh", 1, cosh, NULL},
    {"erf", 1, erf, NULL},     {"exp", 1, exp, NULL},     {"expm1", 1, expm1, NULL},
    {"fabs", 1, fabs, NULL},   {"floor", 1, floor, NULL}, {"fmax", 2, NULL, fmax},
    {"fmin", 2, NULL, fmin},   {"fmod", 2, NULL, fmod},   {"log", 1, log, NULL},
    {"log1p", 1, log1p, NULL}, {"pow", 2, NULL, pow},     {"rint", 1, rint, NULL},
    {"round", 1, round, NULL}, {"sin", 1, sin, NULL},     {"sinh", 1, sinh, NULL},
    {"sqrt", 1, sqrt, NULL},   {"tan", 1, tan, NULL},     {"tanh", 1, tanh, NULL},
    {"trunc", 1, trunc, NULL}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* FUNCTIONS: there is none. */
static size_t find_function(const token *t, loop_type *type) {
  for (size_t i = 0; i < FUNCTIONS; i++) {
    const size_t length = strlen(functions[i].name);
    if (strncmp(t->text, functions[i].name, length) != 0 || t->length > length + 1)
      continue;
    *type = t->length == length ? LOOP_DOUBLE : LOOP_FLOAT;
    if (t->length == length || t->text[length] == 'f')
      return i;
  }
  return FUNCTIONS;
}

static bool type_at(const loops *l, loop_type *type) {
  for (int i = 0; i < LOOP_TYPES; i++) {
    *type = (loop_type)i;
    if (is_name(l, types[i].name))
      return true;
  }
  *type = LOOP_INT32;
  return is_name(l, "int");
}

static variable *find_variable(const loops *l, const char *name, size_t length,
                               const variable *end) {
  variable *v = l->scope;
  while (v && v != end && !(strlen(v->name) == length && strncmp(v->name, name, length) == 0))
    v = v->outer;
  return v == end ? NULL : v;
}

static bool is_keyword(const loops *l) {
  static const char *const words[] = {"for",      "if",     "else",   "while",  "do",     "break",
                                      "continue", "const",  "return", "sizeof", "memcpy", "switch",
                                      "goto",     "struct", "void",   "char",   "long",   "short",
                                      "unsigned", "size_t", "static"};
  loop_type type;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_name(l, words[i]))
      return true;
  return type_at(l, &type);
}

/* ---- Reading expressions --------------------------------------------------------------------- */

static node *read_expression(loops *l);
static node *read_assignment(loops *l);
static node *read_condition(loops *l);

/* Trees are run by recursion: their depth is limited. */
static bool enter(loops *l) {
  return ++l->nested < MOST_NESTED ||
         fail(l, l->token.line, l->token.column,
              take_text(l->memory, "expressions and statements must be nested less than %d deep",
                        MOST_NESTED));
}

static node *read_number(loops *l) {
  node *n = make(l, NODE_NUMBER);
  const char *text = take_text(l->memory, "%.*s", (int)l->token.length, l->token.text);
  const bool hexadecimal = text[0] == '0' && (text[1] | 32) == 'x';
  char *end;
  if (!hexadecimal && strpbrk(text, ".eE")) {
    const double real = strtod(text, &end);
    const bool single = (*end | 32) == 'f';
    n->number =
        real_value(single ? LOOP_FLOAT : LOOP_DOUBLE, single ? (double)strtof(text, NULL) : real);
    end += single;
  } else {
    const uint64_t whole = strtoull(text, &end, 0);
    n->number = whole_value(whole <= INT32_MAX   ? LOOP_INT32
                            : whole <= INT64_MAX ? LOOP_INT64
                                                 : LOOP_UINT64,
                            whole);
  }
  if (*end)
    fail_at(l, n, take_text(l->memory, "\"%s\" must be a number", text));
  next_token(l);
  return n;
}

static node *named_number(loops *l, double real) {
  node *n = make(l, NODE_NUMBER);
  n->number = real_value(LOOP_FLOAT, real);
  next_token(l);
  return n;
}

/* INT64_C(1) is a cast here. */
static node *read_wide(loops *l, loop_type type) {
  node *n = make(l, NODE_CAST);
  n->type = type;
  next_token(l);
  expect_sign(l, '(');
  n->parts[0] = read_condition(l);
  expect_sign(l, ')');
  return n;
}

static node *read_call(loops *l, size_t function, loop_type type) {
  node *n = make(l, NODE_CALL);
  n->function = function;
  n->type = type;
  next_token(l);
  expect_sign(l, '(');
  while (!l->failed) {
    if (n->part_count == MOST_ARGUMENTS)
      break;
    n->parts[n->part_count++] = read_assignment(l);
    if (!skip_sign(l, ','))
      break;
  }
  if (!l->failed && n->part_count != functions[function].count)
    fail_at(l, n,
            take_text(l->memory, "%s takes %lu argument%s", functions[function].name,
                      (unsigned long)functions[function].count,
                      functions[function].count == 1 ? "" : "s"));
  expect_sign(l, ')');
  return n;
}

static node *read_element(loops *l) {
  const token name = l->token;
  node *n = make(l, NODE_ELEMENT), **last = &n->first;
  n->target = find_variable(l, name.text, name.length, NULL);
  if (!n->target) {
    fail_at(l, n, take_text(l->memory, "there is no \"%.*s\" here", (int)name.length, name.text));
    return n;
  }
  next_token(l);
  while (skip_sign(l, '[') && !l->failed) {
    *last = read_expression(l);
    (*last)->next = NULL;
    last = &(*last)->next;
    n->part_count++;
    expect_sign(l, ']');
  }
  if (!l->failed && n->part_count != n->target->rank)
    fail_at(l, n,
            take_text(l->memory, "%s takes %lu ind%s, not %lu", n->target->name,
                      (unsigned long)n->target->rank, n->target->rank == 1 ? "ex" : "ices",
                      (unsigned long)n->part_count));
  return n;
}

static node *read_primary(loops *l) {
  loop_type type;
  size_t function;
  node *n;
  if (l->token.kind == TOKEN_NUMBER)
    return read_number(l);
  if (skip_sign(l, '(')) {
    n = read_expression(l);
    expect_sign(l, ')');
    return n;
  }
  if (l->token.kind != TOKEN_NAME || is_keyword(l)) {
    expected(l, "a value");
    return make(l, NODE_EMPTY);
  }
  if (is_name(l, "INFINITY"))
    return named_number(l, (double)INFINITY);
  if (is_name(l, "NAN"))
    return named_number(l, (double)NAN);
  if (is_name(l, "INT64_C") || is_name(l, "UINT64_C"))
    return read_wide(l, is_name(l, "INT64_C") ? LOOP_INT64 : LOOP_UINT64);
  function = find_function(&l->token, &type);
  if (function < FUNCTIONS && !find_variable(l, l->token.text, l->token.length, NULL))
    return read_call(l, function, type);
  return read_element(l);
}

static bool can_change(loops *l, const node *at, const node *target) {
  if (target->kind != NODE_ELEMENT || !target->target)
    return fail_at(l, at, "only a variable or an element can be changed");
  if (target->target->constant)
    return fail_at(l, at, take_text(l->memory, "%s is constant", target->target->name));
  return true;
}

static node *step_node(loops *l, node *at, node *target, bool late) {
  at->sign = at->sign == INCREASE ? '+' : '-';
  at->late = late;
  at->parts[0] = target;
  if (!l->failed)
    can_change(l, at, target);
  return at;
}

static node *read_postfix(loops *l) {
  node *n = read_primary(l);
  while (!l->failed && (is_sign(l, INCREASE) || is_sign(l, DECREASE))) {
    node *step = make(l, NODE_STEP);
    step->sign = l->token.sign;
    next_token(l);
    n = step_node(l, step, n, true);
  }
  return n;
}

/* "(float)": a sign and a type after it. The reader goes back if it is something else. */
static bool skip_cast(loops *l, loop_type *type) {
  const loops before = *l;
  if (skip_sign(l, '(') && type_at(l, type)) {
    next_token(l);
    if (skip_sign(l, ')'))
      return true;
  }
  *l = before;
  return false;
}

static node *read_unary(loops *l) {
  node *n = make(l, NODE_UNARY);
  if (!enter(l))
    return n;
  n->sign = l->token.kind == TOKEN_SIGN && !l->token.assignment ? l->token.sign : 0;
  if (skip_cast(l, &n->type)) {
    n->kind = NODE_CAST;
    n->parts[0] = read_unary(l);
  } else if (skip_sign(l, '-') || skip_sign(l, '+') || skip_sign(l, '!')) {
    n->parts[0] = read_unary(l);
  } else if (skip_sign(l, INCREASE) || skip_sign(l, DECREASE)) {
    n->kind = NODE_STEP;
    n = step_node(l, n, read_unary(l), false);
  } else {
    n = read_postfix(l);
  }
  l->nested--;
  return n;
}

/* From the strongest, 6, to the weakest, 1. 0: no operator between two values. */
static int strength(const loops *l) {
  if (l->token.kind != TOKEN_SIGN || l->token.assignment)
    return 0;
  switch (l->token.sign) {
  case '*':
  case '/':
  case '%':
    return 6;
  case '+':
  case '-':
    return 5;
  case '<':
  case '>':
  case AT_MOST:
  case AT_LEAST:
    return 4;
  case SAME:
  case DIFFERENT:
    return 3;
  case AND:
    return 2;
  case OR:
    return 1;
  default:
    return 0;
  }
}

/* Chains of operators make the tree deep, too. */
static node *read_binary(loops *l, int weakest) {
  const uint32_t nested = l->nested;
  node *left = read_unary(l);
  for (int s = strength(l); s >= weakest && !l->failed; s = strength(l)) {
    node *n = make(l, s == 2 ? NODE_AND : s == 1 ? NODE_OR : NODE_BINARY);
    if (!enter(l))
      break;
    n->sign = l->token.sign;
    next_token(l);
    n->parts[0] = left;
    n->parts[1] = read_binary(l, s + 1);
    left = n;
  }
  l->nested = nested;
  return left;
}

static node *read_condition(loops *l) {
  node *condition, *n;
  if (!enter(l))
    return make(l, NODE_EMPTY);
  n = condition = read_binary(l, 1);
  if (is_sign(l, '?')) {
    n = make(l, NODE_CONDITION);
    next_token(l);
    n->parts[0] = condition;
    n->parts[1] = read_expression(l);
    expect_sign(l, ':');
    n->parts[2] = read_condition(l);
  }
  l->nested--;
  return n;
}

static node *read_assignment(loops *l) {
  node *target, *n;
  if (!enter(l))
    return make(l, NODE_EMPTY);
  n = target = read_condition(l);
  if (!l->failed && (is_sign(l, '=') || (l->token.kind == TOKEN_SIGN && l->token.assignment))) {
    n = make(l, NODE_ASSIGN);
    n->sign = l->token.assignment ? l->token.sign : 0;
    if (can_change(l, n, target)) {
      next_token(l);
      n->parts[0] = target;
      n->parts[1] = read_assignment(l);
    }
  }
  l->nested--;
  return n;
}

static node *read_expression(loops *l) {
  const uint32_t nested = l->nested;
  node *left = read_assignment(l);
  while (is_sign(l, ',') && !l->failed && enter(l)) {
    node *n = make(l, NODE_COMMA);
    next_token(l);
    n->parts[0] = left;
    n->parts[1] = read_assignment(l);
    left = n;
  }
  l->nested = nested;
  return left;
}

/* ---- Reading statements ---------------------------------------------------------------------- */

static node *read_statement(loops *l);

static node *read_list(loops *l) {
  node *n = make(l, NODE_LIST), **last = &n->first;
  next_token(l);
  while (!is_sign(l, '}') && !l->failed) {
    *last = read_assignment(l);
    (*last)->next = NULL;
    last = &(*last)->next;
    n->part_count++;
    if (!skip_sign(l, ','))
      break;
  }
  expect_sign(l, '}');
  return n;
}

static void read_dimensions(loops *l, variable *v) {
  while (skip_sign(l, '[') && !l->failed) {
    if (v->rank == WEBNN_MAX_RANK) {
      fail(l, l->token.line, l->token.column, "an array must have at most 8 dimensions");
      return;
    }
    v->dims[v->rank++] = is_sign(l, ']') ? NULL : read_assignment(l);
    expect_sign(l, ']');
  }
}

static node *read_declarator(loops *l, loop_type type, bool constant) {
  node *n = make(l, NODE_DECLARE);
  variable *v = (variable *)take(l->memory, sizeof *v);
  if (l->token.kind != TOKEN_NAME || is_keyword(l)) {
    expected(l, "a name");
    return n;
  }
  v->name = take_text(l->memory, "%.*s", (int)l->token.length, l->token.text);
  v->type = type;
  v->constant = constant;
  n->target = v;
  if (find_variable(l, v->name, strlen(v->name), l->scope_begin))
    fail_at(l, n, take_text(l->memory, "there is a \"%s\" here already", v->name));
  next_token(l);
  read_dimensions(l, v);
  v->outer = l->scope; /* C knows a name in its own initial value */
  l->scope = v;
  if (skip_sign(l, '=')) {
    if (is_sign(l, '{') != (v->rank > 0))
      expected(l, v->rank > 0 ? "\"{\"" : "a value");
    v->initial = is_sign(l, '{') ? read_list(l) : read_assignment(l);
  }
  return n;
}

static node *read_declaration(loops *l) {
  node *n = make(l, NODE_BLOCK), **last = &n->first;
  const bool constant = skip_name(l, "const");
  loop_type type;
  if (!type_at(l, &type))
    expected(l, "a type (int, float, double, int8_t ...)");
  next_token(l);
  while (!l->failed) {
    *last = read_declarator(l, type, constant);
    last = &(*last)->next;
    if (!skip_sign(l, ','))
      break;
  }
  expect_sign(l, ';');
  return n;
}

static variable *read_array_name(loops *l) {
  variable *v =
      l->token.kind == TOKEN_NAME ? find_variable(l, l->token.text, l->token.length, NULL) : NULL;
  if (!v || v->rank == 0)
    expected(l, "an array");
  next_token(l);
  return v;
}

/* memcpy(output, input, sizeof output) */
static node *read_copy(loops *l) {
  node *n = make(l, NODE_COPY);
  bool bracket;
  const variable *measured;
  next_token(l);
  expect_sign(l, '(');
  n->target = read_array_name(l);
  expect_sign(l, ',');
  n->source = read_array_name(l);
  expect_sign(l, ',');
  if (!skip_name(l, "sizeof"))
    expected(l, "sizeof");
  bracket = skip_sign(l, '(');
  measured = read_array_name(l);
  if (bracket)
    expect_sign(l, ')');
  expect_sign(l, ')');
  expect_sign(l, ';');
  if (!l->failed && (n->target->constant || (measured != n->target && measured != n->source)))
    fail_at(l, n, "memcpy takes two arrays and sizeof one of them");
  return n;
}

static node *read_block(loops *l) {
  variable *const scope = l->scope, *const begin = l->scope_begin;
  node *n = make(l, NODE_BLOCK), **last = &n->first;
  next_token(l);
  l->scope_begin = scope;
  while (!is_sign(l, '}') && l->token.kind != TOKEN_END && !l->failed) {
    *last = read_statement(l);
    last = &(*last)->next;
  }
  l->scope = scope;
  l->scope_begin = begin;
  expect_sign(l, '}');
  return n;
}

/* The statement after for, while, if and else is a scope of its own. */
static node *read_body(loops *l) {
  variable *const scope = l->scope, *const begin = l->scope_begin;
  node *n;
  l->scope_begin = scope;
  n = read_statement(l);
  l->scope = scope;
  l->scope_begin = begin;
  return n;
}

static node *read_for(loops *l) {
  variable *const scope = l->scope, *const begin = l->scope_begin;
  node *n = make(l, NODE_FOR);
  loop_type type;
  next_token(l);
  expect_sign(l, '(');
  l->scope_begin = scope;
  if (is_name(l, "const") || type_at(l, &type)) {
    n->parts[0] = read_declaration(l);
  } else {
    n->parts[0] = is_sign(l, ';') ? NULL : read_expression(l);
    expect_sign(l, ';');
  }
  n->parts[1] = is_sign(l, ';') ? NULL : read_expression(l);
  expect_sign(l, ';');
  n->parts[2] = is_sign(l, ')') ? NULL : read_expression(l);
  expect_sign(l, ')');
  l->loops_around++;
  n->parts[3] = read_body(l);
  l->loops_around--;
  l->scope = scope;
  l->scope_begin = begin;
  return n;
}

static node *read_while(loops *l) {
  node *n = make(l, NODE_FOR);
  next_token(l);
  expect_sign(l, '(');
  n->parts[1] = read_expression(l);
  expect_sign(l, ')');
  l->loops_around++;
  n->parts[3] = read_body(l);
  l->loops_around--;
  return n;
}

static node *read_if(loops *l) {
  node *n = make(l, NODE_IF);
  next_token(l);
  expect_sign(l, '(');
  n->parts[0] = read_expression(l);
  expect_sign(l, ')');
  n->parts[1] = read_body(l);
  if (skip_name(l, "else"))
    n->parts[2] = read_body(l);
  return n;
}

static node *read_leaving(loops *l) {
  node *n = make(l, is_name(l, "break") ? NODE_BREAK : NODE_CONTINUE);
  if (l->loops_around == 0)
    fail_at(l, n, "there is no loop around this");
  next_token(l);
  expect_sign(l, ';');
  return n;
}

static node *read_simple(loops *l) {
  node *n;
  if (skip_sign(l, ';'))
    return make(l, NODE_EMPTY);
  n = read_expression(l);
  n->next = NULL;
  expect_sign(l, ';');
  return n;
}

static node *read_statement(loops *l) {
  loop_type type;
  node *n;
  if (!enter(l))
    return make(l, NODE_EMPTY);
  if (is_name(l, "const") || type_at(l, &type))
    n = read_declaration(l);
  else if (is_sign(l, '{'))
    n = read_block(l);
  else if (is_name(l, "for"))
    n = read_for(l);
  else if (is_name(l, "while"))
    n = read_while(l);
  else if (is_name(l, "if"))
    n = read_if(l);
  else if (is_name(l, "break") || is_name(l, "continue"))
    n = read_leaving(l);
  else if (is_name(l, "memcpy"))
    n = read_copy(l);
  else
    n = read_simple(l);
  l->nested--;
  return n;
}

/* ---- Elements -------------------------------------------------------------------------------- */

static value load(const variable *v, size_t index) {
  const unsigned char *from = v->elements + index * types[v->type].size;
  if (v->type == LOOP_FLOAT) {
    float real;
    memcpy(&real, from, sizeof real);
    return real_value(LOOP_FLOAT, (double)real);
  }
  if (v->type == LOOP_DOUBLE) {
    double real;
    memcpy(&real, from, sizeof real);
    return real_value(LOOP_DOUBLE, real);
  }
  switch (types[v->type].size) {
  case 1:
    return whole_value(v->type, *from);
  case 4: {
    uint32_t whole;
    memcpy(&whole, from, sizeof whole);
    return whole_value(v->type, whole);
  }
  default: {
    uint64_t whole;
    memcpy(&whole, from, sizeof whole);
    return whole_value(v->type, whole);
  }
  }
}

static void store(variable *v, size_t index, value x) {
  unsigned char *to = v->elements + index * types[v->type].size;
  const float single = (float)x.real;
  const uint8_t byte = (uint8_t)x.whole;
  const uint32_t word = (uint32_t)x.whole;
  if (v->type == LOOP_FLOAT)
    memcpy(to, &single, sizeof single);
  else if (v->type == LOOP_DOUBLE)
    memcpy(to, &x.real, sizeof x.real);
  else if (types[v->type].size == 1)
    *to = byte;
  else if (types[v->type].size == 4)
    memcpy(to, &word, sizeof word);
  else
    memcpy(to, &x.whole, sizeof x.whole);
  v->given[index] = true;
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

/* To another type. A float to an integer is cut; one that does not fit is undefined in C. */
static value convert(loops *l, const node *at, value v, loop_type type) {
  static const double bounds[][2] = {{-129.0, 128.0},
                                     {-1.0, 256.0},
                                     {-2147483649.0, 2147483648.0},
                                     {-1.0, 4294967296.0},
                                     {-9223372036854777856.0, 9223372036854775808.0},
                                     {-1.0, 18446744073709551616.0}};
  if (is_real(type)) {
    if (type == LOOP_FLOAT && !is_real(v.type)) { /* not by way of double: rounded once */
      const float single = is_signed(v.type) ? (float)(int64_t)v.whole : (float)v.whole;
      return real_value(type, (double)single);
    }
    return real_value(type, real_of(v));
  }
  if (!is_real(v.type))
    return whole_value(type, v.whole);
  if (!(v.real > bounds[type][0] && v.real < bounds[type][1])) {
    fail_at(l, at, take_text(l->memory, "%g does not fit in %s", v.real, types[type].name));
    return whole_value(type, 0);
  }
  return whole_value(type, v.real < 0.0 ? (uint64_t)(int64_t)v.real : (uint64_t)v.real);
}

/* C's usual arithmetic conversions. */
static loop_type common_type(loop_type a, loop_type b) {
  const loop_type wider = a > b ? a : b;
  return wider < LOOP_INT32 ? LOOP_INT32 : wider;
}

static value compare(int sign, bool less, bool equal, bool greater) {
  const bool is = sign == '<'        ? less
                  : sign == '>'      ? greater
                  : sign == AT_MOST  ? less || equal
                  : sign == AT_LEAST ? greater || equal
                  : sign == SAME     ? equal
                                     : !equal;
  return whole_value(LOOP_INT32, is);
}

static bool is_comparison(int sign) {
  return sign == '<' || sign == '>' || sign == AT_MOST || sign == AT_LEAST || sign == SAME ||
         sign == DIFFERENT;
}

static value real_result(loops *l, const node *at, int sign, loop_type type, double a, double b) {
  if (is_comparison(sign))
    return compare(sign, a<b, a == b, a> b);
  switch (sign) { /* of two floats in double and rounded: the same as in float */
  case '+':
    return real_value(type, a + b);
  case '-':
    return real_value(type, a - b);
  case '*':
    return real_value(type, a * b);
  case '/':
    return real_value(type, a / b);
  default:
    fail_at(l, at, "% takes integers");
    return real_value(type, 0.0);
  }
}

static uint64_t quotient(loops *l, const node *at, int sign, bool with_sign, uint64_t a,
                         uint64_t b) {
  if (b == 0) {
    fail_at(l, at, "a divisor must not be 0");
    return 0;
  }
  if (!with_sign)
    return sign == '/' ? a / b : a % b;
  if (b == UINT64_MAX) /* -1, for which the smallest number has no quotient */
    return sign == '/' ? 0 - a : 0;
  return (uint64_t)(sign == '/' ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

static value whole_result(loops *l, const node *at, int sign, value a, value b) {
  const bool with_sign = is_signed(a.type);
  uint64_t bits;
  value v;
  if (is_comparison(sign))
    return with_sign
               ? compare(sign, (int64_t)
                                   a.whole<(int64_t)b.whole, a.whole == b.whole, (int64_t)a.whole>(
                                        int64_t) b.whole)
               : compare(sign, a.whole<b.whole, a.whole == b.whole, a.whole> b.whole);
  bits = sign == '+'   ? a.whole + b.whole
         : sign == '-' ? a.whole - b.whole
         : sign == '*' ? a.whole * b.whole
                       : quotient(l, at, sign, with_sign, a.whole, b.whole);
  v = whole_value(a.type, bits);
  if (a.type == LOOP_INT32 && v.whole != bits)
    fail_at(l, at, "an int overflows");
  return v;
}

static value calculate(loops *l, const node *at, int sign, value a, value b) {
  const loop_type type = common_type(a.type, b.type);
  a = convert(l, at, a, type);
  b = convert(l, at, b, type);
  return is_real(type) ? real_result(l, at, sign, type, a.real, b.real)
                       : whole_result(l, at, sign, a, b);
}

/* ---- Running expressions --------------------------------------------------------------------- */

static value evaluate(loops *l, const node *n);

/* Where an element lies; 0 after a complaint. */
static size_t element_index(loops *l, const node *n) {
  const variable *v = n->target;
  size_t index = 0;
  uint32_t axis = 0;
  for (const node *i = n->first; i && !l->failed; i = i->next, axis++) {
    const value x = evaluate(l, i);
    if (is_real(x.type))
      fail_at(l, i, "an index must be an integer");
    else if (x.whole >= v->sizes[axis])
      fail_at(l, i,
              take_text(l->memory,
                        "an index in dimension %lu of %s must be less than %lu; it is %lld",
                        (unsigned long)axis, v->name, (unsigned long)v->sizes[axis],
                        (long long)(int64_t)x.whole));
    else
      index = index * v->sizes[axis] + (size_t)x.whole;
  }
  return l->failed ? 0 : index;
}

static value read_value(loops *l, const node *n, size_t index) {
  if (l->failed)
    return whole_value(LOOP_INT32, 0);
  if (!n->target->given[index])
    fail_at(l, n,
            take_text(l->memory, "%s%s has no value yet", n->target->rank ? "this element of " : "",
                      n->target->name));
  return load(n->target, index);
}

static value evaluate_unary(loops *l, const node *n) {
  const value x = evaluate(l, n->parts[0]), zero = whole_value(LOOP_INT32, 0);
  if (n->sign == '!')
    return whole_value(LOOP_INT32, !is_true(x));
  if (is_real(x.type))
    return real_value(x.type, n->sign == '-' ? -x.real : x.real);
  return calculate(l, n, n->sign, zero, x);
}

static value evaluate_assignment(loops *l, const node *n) {
  const node *target = n->parts[0];
  const size_t index = element_index(l, target);
  value x = evaluate(l, n->parts[1]);
  if (l->failed)
    return x;
  if (n->sign)
    x = calculate(l, n, n->sign, read_value(l, target, index), x);
  x = convert(l, n, x, target->target->type);
  if (!l->failed)
    store(target->target, index, x);
  return x;
}

static value evaluate_step(loops *l, const node *n) {
  const node *target = n->parts[0];
  const size_t index = element_index(l, target);
  const value before = read_value(l, target, index);
  const value after = convert(l, n, calculate(l, n, n->sign, before, whole_value(LOOP_INT32, 1)),
                              target->target->type);
  if (!l->failed)
    store(target->target, index, after);
  return n->late ? before : after;
}

static value evaluate_call(loops *l, const node *n) {
  const function_row *f = &functions[n->function];
  const double x = real_of(convert(l, n, evaluate(l, n->parts[0]), n->type));
  if (f->count == 1)
    return real_value(n->type, f->one(x));
  return real_value(n->type, f->two(x, real_of(convert(l, n, evaluate(l, n->parts[1]), n->type))));
}

/* Both branches give their common type. */
static loop_type type_of(const node *n) {
  switch (n->kind) {
  case NODE_NUMBER:
    return n->number.type;
  case NODE_ELEMENT:
    return n->target->type;
  case NODE_UNARY:
    return n->sign == '!' ? LOOP_INT32 : common_type(type_of(n->parts[0]), LOOP_INT32);
  case NODE_BINARY:
    return is_comparison(n->sign) ? LOOP_INT32
                                  : common_type(type_of(n->parts[0]), type_of(n->parts[1]));
  case NODE_CONDITION:
    return common_type(type_of(n->parts[1]), type_of(n->parts[2]));
  case NODE_ASSIGN:
  case NODE_STEP:
    return type_of(n->parts[0]);
  case NODE_CAST:
  case NODE_CALL:
    return n->type;
  case NODE_COMMA:
    return type_of(n->parts[1]);
  default:
    return LOOP_INT32;
  }
}

/* && and ||, whose right side is computed only where the left one does not decide. */
static value evaluate_logic(loops *l, const node *n) {
  bool x = is_true(evaluate(l, n->parts[0]));
  if (x == (n->kind == NODE_AND))
    x = is_true(evaluate(l, n->parts[1]));
  return whole_value(LOOP_INT32, x);
}

static value evaluate(loops *l, const node *n) {
  value x = whole_value(LOOP_INT32, 0);
  if (l->failed || ++l->steps > MOST_STEPS) {
    fail_at(l, n, "the loops take too many steps; is one without an end?");
    return x;
  }
  switch (n->kind) {
  case NODE_NUMBER:
    return n->number;
  case NODE_ELEMENT:
    return read_value(l, n, element_index(l, n));
  case NODE_UNARY:
    return evaluate_unary(l, n);
  case NODE_BINARY: {
    const value left = evaluate(l, n->parts[0]);
    return calculate(l, n, n->sign, left, evaluate(l, n->parts[1]));
  }
  case NODE_AND:
  case NODE_OR:
    return evaluate_logic(l, n);
  case NODE_CONDITION:
    x = evaluate(l, n->parts[is_true(evaluate(l, n->parts[0])) ? 1 : 2]);
    return l->failed ? x : convert(l, n, x, type_of(n));
  case NODE_ASSIGN:
    return evaluate_assignment(l, n);
  case NODE_STEP:
    return evaluate_step(l, n);
  case NODE_CAST:
    x = evaluate(l, n->parts[0]);
    return convert(l, n, x, n->type);
  case NODE_CALL:
    return evaluate_call(l, n);
  case NODE_COMMA:
    evaluate(l, n->parts[0]);
    return evaluate(l, n->parts[1]);
  default:
    return x;
  }
}

/* ---- Running statements ---------------------------------------------------------------------- */

static void run(loops *l, const node *n);

/* Sizes of a declaration; memory is kept from one time to the next. */
static bool make_room(loops *l, const node *n) {
  variable *v = n->target;
  v->count = 1;
  for (uint32_t i = 0; i < v->rank && !l->failed; i++) {
    const value size = v->dims[i]
                           ? evaluate(l, v->dims[i])
                           : whole_value(LOOP_INT32, v->initial ? v->initial->part_count : 0);
    if (is_real(size.type) || size.whole < 1 || size.whole > MOST_ELEMENTS / v->count)
      return fail_at(l, n,
                     take_text(l->memory,
                               "the sizes of %s must be 1 or more, of at most %d elements", v->name,
                               MOST_ELEMENTS));
    v->sizes[i] = (uint32_t)size.whole;
    v->count *= (size_t)size.whole;
  }
  if (v->count > v->room && !l->failed) {
    v->room = v->count;
    v->elements = (unsigned char *)take(l->memory, v->count * types[v->type].size);
    v->given = (bool *)take(l->memory, v->count * sizeof *v->given);
  }
  return !l->failed;
}

static void run_declaration(loops *l, const node *n) {
  variable *v = n->target;
  const node *item = v->initial;
  if (!make_room(l, n))
    return;
  memset(v->given, 0, v->count * sizeof *v->given);
  if (!item)
    return;
  if (v->rank > 0 && item->part_count > v->count) {
    fail_at(l, item,
            take_text(l->memory, "%s has only %lu elements", v->name, (unsigned long)v->count));
    return;
  }
  if (v->rank > 0)
    item = item->first;
  for (size_t i = 0; i < v->count && !l->failed; i++, item = item ? item->next : NULL) {
    const value x = item ? evaluate(l, item) : whole_value(LOOP_INT32, 0); /* the rest is 0 */
    const value converted = convert(l, n, x, v->type);
    if (!l->failed)
      store(v, i, converted);
  }
}

static void run_copy(loops *l, const node *n) {
  variable *to = n->target;
  const variable *from = n->source;
  if (to->type != from->type || to->count != from->count) {
    fail_at(l, n, "memcpy takes two arrays of one size and type");
    return;
  }
  for (size_t i = 0; i < to->count; i++) {
    if (from->given[i])
      store(to, i, load(from, i));
    else
      to->given[i] = false;
  }
}

static void run_for(loops *l, const node *n) {
  if (n->parts[0])
    run(l, n->parts[0]);
  while (!l->failed && (!n->parts[1] || is_true(evaluate(l, n->parts[1]))) && !l->failed) {
    run(l, n->parts[3]);
    if (l->leaving == LEAVING_BREAK)
      break;
    l->leaving = LEAVING_NOT;
    if (n->parts[2])
      evaluate(l, n->parts[2]);
    if (++l->steps > MOST_STEPS)
      fail_at(l, n, "the loops take too many steps; is one without an end?");
  }
  l->leaving = LEAVING_NOT;
}

static void run(loops *l, const node *n) {
  if (l->failed)
    return;
  switch (n->kind) {
  case NODE_BLOCK:
    for (const node *i = n->first; i && !l->failed && l->leaving == LEAVING_NOT; i = i->next)
      run(l, i);
    break;
  case NODE_DECLARE:
    run_declaration(l, n);
    break;
  case NODE_COPY:
    run_copy(l, n);
    break;
  case NODE_FOR:
    run_for(l, n);
    break;
  case NODE_IF:
    if (is_true(evaluate(l, n->parts[0])))
      run(l, n->parts[1]);
    else if (n->parts[2])
      run(l, n->parts[2]);
    break;
  case NODE_BREAK:
    l->leaving = LEAVING_BREAK;
    break;
  case NODE_CONTINUE:
    l->leaving = LEAVING_CONTINUE;
    break;
  case NODE_EMPTY:
    break;
  default:
    evaluate(l, n);
  }
}

/* ---- Texts ----------------------------------------------------------------------------------- */

loops *loops_begin(arena *memory) {
  loops *l = (loops *)take(memory, sizeof *l);
  l->memory = memory;
  return l;
}

bool loops_run(loops *l, const char *file, uint32_t line, const char *text) {
  node *all, **last;
  l->file = file;
  l->at = l->line_begin = text;
  l->line = line;
  l->scope_begin = l->scope;
  next_token(l);
  all = make(l, NODE_BLOCK);
  last = &all->first;
  while (l->token.kind != TOKEN_END && !l->failed) {
    *last = read_statement(l);
    last = &(*last)->next;
  }
  if (!l->failed)
    run(l, all);
  if (!l->ran)
    l->first_scope = l->scope;
  l->ran = true;
  return !l->failed;
}

bool loops_find(const loops *l, const char *name, loops_array *a) {
  const variable *v = l->first_scope;
  while (v && strcmp(v->name, name) != 0)
    v = v->outer;
  if (!v)
    return false;
  a->type = types[v->type].type;
  a->count = v->count;
  a->elements = v->elements;
  a->given = v->given;
  return true;
}
