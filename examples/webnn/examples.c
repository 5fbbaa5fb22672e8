/* The command `examples`: the blocks of a page, and the worked lines in comments of a source file,
   computed exactly and held against what they say. */
#include "command.h"

#include <ctype.h>
#include <string.h>

/* ---- One example ----------------------------------------------------------------------------- */

/* Elements as people write them: at most some hundred characters. */
static const char *elements_text(arena *memory, const tensor *t) {
  const char *text = "[";
  size_t i;
  for (i = 0; i < t->count && strlen(text) < 400; i++) {
    char element[ELEMENT_ROOM];
    element_text(t, i, element);
    text = take_text(memory, "%s%s%s", text, i ? ", " : "", element);
  }
  return take_text(memory, "%s%s]", text, i < t->count ? ", ..." : "");
}

static bool is_nan(const tensor *t, size_t index) {
  const double number = is_float_type(t->descriptor.data_type) ? element_value(t, index) : 0.0;
  return number != number;
}

/* Bit by bit, but one NaN is as good as another. */
static bool same_elements(const tensor *a, const tensor *b) {
  const size_t size = webnn_data_type_bits(a->descriptor.data_type) / 8;
  if (size == 0)
    return memcmp(a->data, b->data, a->byte_length) == 0;
  for (size_t i = 0; i < a->count; i++)
    if (memcmp((const char *)a->data + i * size, (const char *)b->data + i * size, size) != 0 &&
        !(is_nan(a, i) && is_nan(b, i)))
      return false;
  return true;
}

/* What is expected as a tensor; type and shape are those of the result where it says none. */
static bool read_expected(const network *n, const json *expected, const tensor *came, tensor *t) {
  json_list l = json_start(n->memory, expected, JSON_OBJECT);
  json_list shape = json_start(n->memory, expected, JSON_ARRAY);
  const webnn_operand_descriptor *d = &came->descriptor;
  const json *type = json_get(expected, "dataType"), *data = json_get(expected, "data");
  const char *name = webnn_data_type_name(d->data_type);
  for (size_t i = 0; i < d->shape.count; i++)
    json_put(&shape, NULL, json_size(n->memory, expected, d->shape.items[i]));
  json_put(&l, "dataType",
           type ? json_copy(n->memory, type) : json_text(n->memory, expected, JSON_STRING, name));
  json_put(&l, "shape", type ? json_copy(n->memory, json_get(expected, "shape")) : shape.list);
  json_put(&l, data ? "data" : "fill",
           json_copy(n->memory, data ? data : json_get(expected, "fill")));
  return tensor_read(n->session, n->memory, l.list, t);
}

static bool result_is_right(const network *n, const json *expected) {
  const json *name = json_get(expected, "name");
  const network_value *v = network_find(n, name->text);
  tensor t;
  if (!v || v->producer == NOBODY)
    return complain(name, "no operator of the example makes \"%s\"", name->text);
  if (!read_expected(n, expected, &v->exact, &t)) /* with the numbers that would do */
    return complain(name, "%s is %s", name->text, elements_text(n->memory, &v->exact));
  if (!same_descriptor(&t.descriptor, &v->exact.descriptor))
    return complain(name, "%s is %s, not %s", name->text,
                    descriptor_text(n->memory, &v->exact.descriptor),
                    descriptor_text(n->memory, &t.descriptor));
  return same_elements(&t, &v->exact) ||
         complain(name, "%s is %s, not %s", name->text, elements_text(n->memory, &v->exact),
                  elements_text(n->memory, &t));
}

/* Compares what came with what is expected. False after a complaint. */
static bool example_is_right(const example *e) {
  bool right = true;
  for (const json *item = e->expected->first; item; item = item->next)
    right = result_is_right(&e->network, item) && right;
  return right;
}

/* ---- Worked lines in comments ---------------------------------------------------------------- */

/* Operands of a call that are lists become inputs of the graph, which are called a, b, c ... */
typedef struct equation {
  const session *session;
  arena *memory;
  webnn_operator_limits limits;
  json_list inputs; /* by name */
} equation;

static const webnn_tensor_limits *limits_named(const webnn_operator_limits *o, const char *name) {
  for (uint32_t i = 0; i < o->operand_count; i++)
    if (strcmp(o->operands[i].name, name) == 0)
      return &o->operands[i];
  return NULL;
}

/* A shape from the nesting of lists, dimensions of 1 before it up to the least rank. */
static json *shape_of_lists(arena *memory, const json *value, uint32_t least) {
  json_list shape = json_start(memory, value, JSON_ARRAY);
  uint32_t depth = 0;
  for (const json *v = value; v && v->kind == JSON_ARRAY; v = v->first)
    depth++;
  for (; depth < least; least--)
    json_put(&shape, NULL, json_size(memory, value, 1));
  for (const json *v = value; v && v->kind == JSON_ARRAY; v = v->first)
    json_put(&shape, NULL, json_size(memory, value, v->length));
  return shape.list;
}

/* float32 where it may be, else the first type. */
static const char *first_type(const webnn_tensor_limits *l) {
  int type = WEBNN_FLOAT32;
  while (type < WEBNN_UINT4 && !(l->data_types >> type & 1))
    type++;
  return webnn_data_type_name((webnn_data_type)type);
}

/* The name of the new input; NULL after a complaint. */
static json *declare_operand(equation *e, const char *operand, const json *value) {
  const webnn_tensor_limits *l = limits_named(&e->limits, operand);
  json_list d = json_start(e->memory, value, JSON_OBJECT);
  const char *name = take_text(e->memory, "%c", 'a' + (int)(e->inputs.list->length % 26));
  if (!l || e->inputs.list->length >= 26) {
    complain(value, "the call must not have an operand here");
    return NULL;
  }
  json_put(&d, "dataType", json_text(e->memory, value, JSON_STRING, first_type(l)));
  json_put(&d, "shape", shape_of_lists(e->memory, value, l->min_rank));
  json_put(&d, "data", text_flatten(e->memory, value));
  json_put(&e->inputs, name, d.list);
  return json_text(e->memory, value, JSON_STRING, name);
}

/* The operand that a positional value is, by its place; NULL: it is none. */
static const char *operand_at(const equation *e, const method *m, size_t index) {
  const char *kind, *name;
  size_t count = 0;
  for (; (name = method_argument(e->memory, m, count, &kind)) != NULL; count++) {
    if (strcmp(kind, "operands") == 0 && index >= count)
      return name;
    if (count == index)
      return strcmp(kind, "operand") == 0 ? name : NULL;
  }
  return method_optional_operand(e->session, m, index - count);
}

/* The node with names in place of lists; NULL after a complaint. */
static json *name_operands(equation *e, const method *m, const json *node) {
  json_list l = json_start(e->memory, node, JSON_OBJECT);
  json_list inputs = json_start(e->memory, node, JSON_ARRAY);
  json_list options = json_start(e->memory, node, JSON_OBJECT);
  size_t index = 0;
  for (const json *v = json_get(node, "inputs")->first; v; v = v->next, index++) {
    const char *operand = operand_at(e, m, index);
    json *name = operand ? declare_operand(e, operand, v) : json_copy(e->memory, v);
    if (!name)
      return NULL;
    json_put(&inputs, NULL, name);
  }
  for (const json *v = json_get(node, "options")->first; v; v = v->next) {
    const char *kind = method_option(m, v->name);
    json *name = kind && strcmp(kind, "operand") == 0 ? declare_operand(e, v->name, v)
                                                      : json_copy(e->memory, v);
    if (!name)
      return NULL;
    json_put(&options, v->name, name);
  }
  json_put(&l, "op", json_copy(e->memory, json_get(node, "op")));
  json_put(&l, "inputs", inputs.list);
  json_put(&l, "options", options.list);
  return l.list;
}

/* Results are called r0, r1, ... */
static const json *expected_results(arena *memory, const json *results, json *node) {
  json_list outputs = json_start(memory, node, JSON_ARRAY);
  json_list expected = json_start(memory, node, JSON_ARRAY);
  json_list members = {node, NULL};
  const json *last = node->first;
  for (const json *v = results->first; v; v = v->next) {
    const bool list = v->kind == JSON_ARRAY;
    json_list l = json_start(memory, v, JSON_OBJECT);
    const char *name = take_text(memory, "r%lu", (unsigned long)expected.list->length);
    json_put(&l, "name", json_text(memory, v, JSON_STRING, name));
    json_put(&l, list ? "data" : "fill", list ? text_flatten(memory, v) : json_copy(memory, v));
    json_put(&expected, NULL, l.list);
    json_put(&outputs, NULL, json_text(memory, v, JSON_STRING, name));
  }
  while (last->next)
    last = last->next;
  members.end = (const json **)&last->next;
  json_put(&members, "id", json_copy(memory, outputs.list->first));
  if (outputs.list->length > 1)
    json_put(&members, "outputs", outputs.list);
  return expected.list;
}

static bool equation_read(const session *s, arena *memory, const char *path, const char *text,
                          uint32_t line, example *out) {
  const json *node, *results, *one;
  const method *m;
  json_list graph, nodes;
  json *named;
  equation e;
  memset(out, 0, sizeof *out);
  memset(&e, 0, sizeof e);
  out->line = line;
  if (!text_parse_equation(memory, path, text, strlen(text), line, &node, &results))
    return false;
  m = method_find(json_string(json_get(node, "op")));
  if (!m)
    return complain(node, "MLGraphBuilder has no operator \"%s\"",
                    json_string(json_get(node, "op")));
  e.session = s;
  e.memory = memory;
  for (int op = 0; op < WEBNN_OP_COUNT && !e.limits.name; op++)
    if (strcmp(webnn_op_name((webnn_op)op), json_string(json_get(node, "op"))) == 0)
      webnn_op_limits(s->context, (webnn_op)op, &e.limits);
  e.inputs = json_start(memory, node, JSON_OBJECT);
  named = name_operands(&e, m, node);
  if (!named)
    return false;
  graph = json_start(memory, node, JSON_OBJECT);
  nodes = json_start(memory, node, JSON_ARRAY);
  out->expected = expected_results(memory, results, named);
  json_put(&nodes, NULL, named);
  json_put(&graph, "inputs", e.inputs.list);
  json_put(&graph, "nodes", nodes.list);
  one = interchange_case(s, memory, path, graph.list);
  return one && network_read(s, memory, one, &out->network) && network_compute(&out->network, true);
}

/* "[1] == relu(" after the signs of a comment: what begins so is an example. */
static bool begins_equation(const char *line) {
  const char *end = line + strcspn(line, "\n"), *at = line + strspn(line, " */"), *name;
  char word[64];
  if (!strchr("[-0123456789", *at))
    return false;
  for (; at + 4 < end && strncmp(at, " == ", 4) != 0; at++) {
  }
  for (name = at += at + 4 < end ? 4 : 0; isalnum((unsigned char)*at); at++) {
  }
  if (*at != '(' || at >= end || at == name || (size_t)(at - name) >= sizeof word)
    return false;
  memcpy(word, name, (size_t)(at - name));
  word[at - name] = 0;
  return method_find(word) != NULL;
}

/* ---- Pages ----------------------------------------------------------------------------------- */

typedef struct page {
  const session *session;
  arena *memory; /* of what lasts */
  const char *path;
  FILE *plain;                          /* the program of the loops, or NULL */
  size_t right, wrong, blocks;          /* blocks: loops in plain C */
  char *heading;                        /* of the entry that is read; NULL: none */
  uint32_t heading_line, example_count; /* of that entry */
  uint32_t plain_count;
  example *examples;
  plain_block *plains;
} page;

enum { MOST_IN_ENTRY = 64 };

static json place(const page *p, uint32_t line) {
  json at;
  memset(&at, 0, sizeof at);
  at.line = line;
  at.column = 1;
  at.file = p->path;
  return at;
}

/* Every operator of the heading is in an example, and loops compute what examples say. */
static void finish_entry(page *p) {
  const json at = place(p, p->heading_line);
  for (int op = 0; p->heading && op < WEBNN_OP_COUNT; op++) {
    const char *name = webnn_op_name((webnn_op)op);
    uint32_t i = 0;
    if (!strstr(p->heading, "(8.9.") || !heading_has(p->heading, name))
      continue;
    while (i < p->example_count && !example_calls(&p->examples[i], name))
      i++;
    if (i == p->example_count)
      p->wrong += !complain(&at, "the entry has no example of %s", name);
  }
  for (uint32_t i = 0; p->plain && i < p->plain_count; i++) {
    if (plain_write(p->session, p->plain, p->memory, &p->plains[i], p->examples, p->example_count))
      p->blocks++;
    else
      p->wrong++;
  }
  p->example_count = p->plain_count = 0;
  p->heading = NULL;
}

static void run_example(page *p, const char *text, uint32_t line) {
  const json at = place(p, line);
  example *e = &p->examples[p->example_count];
  if (p->example_count == MOST_IN_ENTRY) {
    p->wrong += !complain(&at, "an entry must have at most %d examples", MOST_IN_ENTRY);
  } else if (!example_read(p->session, p->memory, p->path, text, line, e)) {
    p->wrong++;
  } else if (e->expected->length == 0) {
    p->wrong += !complain(&at, "an example must have a result, as y == [...]");
  } else {
    p->example_count++;
    if (example_is_right(e))
      p->right++;
    else
      p->wrong++;
  }
}

static void keep_plain(page *p, const char *text, uint32_t line) {
  const json at = place(p, line);
  plain_block *b = &p->plains[p->plain_count];
  if (p->plain_count == MOST_IN_ENTRY) {
    p->wrong += !complain(&at, "an entry must have at most %d blocks of C", MOST_IN_ENTRY);
    return;
  }
  p->plain_count++;
  b->at = at;
  b->text = text;
  b->heading = p->heading ? p->heading : "";
}

/* Runs the fenced block that begins at `line`; returns the line of its end, or NULL. */
static char *take_block(page *p, char *line, uint32_t *number) {
  const bool is_example = strncmp(line, "```webnn\n", 9) == 0;
  const bool is_plain = strncmp(line, "```c\n/* plain:", 14) == 0;
  const json at = place(p, *number);
  char *begin = strchr(line, '\n'), *end = begin ? strstr(begin, "\n```") : NULL;
  if (!end) {
    p->wrong += !complain(&at, "a block must end with ```");
    return NULL;
  }
  if (is_example || is_plain) {
    const char *text = take_text(p->memory, "%.*s", (int)(end - begin), begin + 1);
    (is_example ? run_example : keep_plain)(p, text, *number + 1);
  }
  for (char *c = line; c <= end; c++)
    *number += *c == '\n';
  return end + 1;
}

static void run_markdown(page *p, char *text) {
  uint32_t number = 1;
  for (char *line = text; line && *line; number++) {
    if (strncmp(line, "```", 3) == 0) {
      line = take_block(p, line, &number);
    } else if (strncmp(line, "##", 2) == 0) {
      finish_entry(p);
      p->heading_line = number;
      p->heading = take_text(p->memory, "%.*s", (int)strcspn(line, "\n"), line);
    }
    line = line ? strchr(line, '\n') : NULL;
    line = line ? line + 1 : NULL;
  }
  finish_entry(p);
}

/* Is the text after the line inside of a comment? */
static bool comment_goes_on(const char *line, bool inside) {
  for (const char *c = line; *c && *c != '\n'; c++) {
    if (c[0] == (inside ? '*' : '/') && c[1] == (inside ? '/' : '*')) {
      inside = !inside;
      c++;
    }
  }
  return inside;
}

/* The rest of the comment from a line on; the signs before it become spaces, for the columns. */
static const char *rest_of_comment(arena *memory, const char *line) {
  const size_t before = strspn(line, " */");
  const char *from = line + before, *close = strstr(from, "*/");
  const size_t length = close ? (size_t)(close - from) : strlen(from);
  return take_text(memory, "%*s%.*s", (int)before, "", (int)length, from);
}

static void run_comments(page *p, char *text) {
  uint32_t number = 1;
  bool inside = false;
  for (const char *line = text; line && *line; number++) {
    if ((inside || strncmp(line + strspn(line, " "), "/*", 2) == 0) && begins_equation(line)) {
      arena memory = {NULL, 0};
      example e;
      if (equation_read(p->session, &memory, p->path, rest_of_comment(&memory, line), number, &e) &&
          example_is_right(&e))
        p->right++;
      else
        p->wrong++;
      release(&memory);
    }
    inside = comment_goes_on(line, inside);
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
}

/* The exit status. */
static int say_counts(const page *p) {
  if (p->right + p->wrong + p->blocks == 0) {
    complain(NULL, "%s: there are no examples", p->path);
    return EXIT_BAD_INPUT;
  }
  say("%s: %lu examples right, %lu wrong", p->path, (unsigned long)p->right,
      (unsigned long)p->wrong);
  if (p->plain)
    say(", %lu loops in plain C", (unsigned long)p->blocks);
  say("\n");
  return p->wrong > 0 ? EXIT_DIFFERS : EXIT_RIGHT;
}

int examples_command(const session *s) {
  arena memory = {NULL, 0};
  page p;
  size_t length;
  char *text = text_read(&memory, s->graph, &length);
  bool written = true;
  int status = EXIT_BAD_INPUT;
  memset(&p, 0, sizeof p);
  p.session = s;
  p.memory = &memory;
  p.path = s->graph;
  p.examples = (example *)take(&memory, MOST_IN_ENTRY * sizeof *p.examples);
  p.plains = (plain_block *)take(&memory, MOST_IN_ENTRY * sizeof *p.plains);
  if (text && s->out) {
    p.plain = fopen(s->out, "wb");
    written = p.plain || cannot_write(s->out);
  }
  if (text && written) {
    if (p.plain)
      plain_begin(p.plain);
    (ends_with(s->graph, ".md") ? run_markdown : run_comments)(&p, text);
    status = say_counts(&p);
  }
  if (p.plain) {
    plain_end(p.plain);
    written = fclose(p.plain) == 0 || cannot_write(s->out);
  }
  release(&memory);
  return written ? status : EXIT_BAD_INPUT;
}
