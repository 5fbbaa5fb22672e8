/* The command explain: what the library and docs/operators.md say of an operator. */
#include "command.h"

#include <ctype.h>
#include <string.h>

static void print_operand(const webnn_tensor_limits *l) {
  say("  %-20s %s rank %lu", l->name,
      l->output     ? "result, "
      : l->optional ? "optional,"
                    : "operand,",
      (unsigned long)l->min_rank);
  if (l->max_rank != l->min_rank)
    say(" to %lu", (unsigned long)l->max_rank);
  for (int type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++)
    if (l->data_types >> type & 1)
      say(" %s", webnn_data_type_name((webnn_data_type)type));
  say("\n");
}

static size_t heading_level(const char *line) {
  const size_t level = strspn(line, "#");
  return level >= 2 && line[level] == ' ' ? level : 0;
}

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

/* Where a section ends: at the next heading. */
static const char *section_end(const char *section) {
  const char *line = next_line(section);
  while (*line && !heading_level(line))
    line = next_line(line);
  return line;
}

/* "#gru-cell" of a link leads to "### Gru cell": letters and digits count, and spaces as -. */
static bool is_target(const char *heading, const char *anchor, size_t length) {
  const char *c = heading + strspn(heading, "# ");
  size_t i = 0;
  for (; *c && *c != '\n'; c++) {
    const bool letter = isalnum((unsigned char)*c) || *c == '_' || *c == '-';
    if (!letter && *c != ' ')
      continue;
    if (i == length || anchor[i++] != (letter ? (char)tolower((unsigned char)*c) : '-'))
      return false;
  }
  return i == length;
}

static const char *find_section(const char *page, const char *anchor, size_t length) {
  const char *line = page;
  while (*line && !(heading_level(line) > 2 && is_target(line, anchor, length)))
    line = next_line(line);
  return *line ? line : NULL;
}

static void print_section(const char *section) {
  fputc('\n', stdout);
  fwrite(section, 1, (size_t)(section_end(section) - section), stdout);
}

/* What follows an entry, each section once. */
typedef struct further {
  const char *page, *sections[32];
  size_t count;
} further;

static void add_section(further *f, const char *section) {
  size_t i = 0;
  while (i < f->count && f->sections[i] != section)
    i++;
  if (section && i == f->count && i < sizeof f->sections / sizeof *f->sections)
    f->sections[f->count++] = section;
}

/* The common rules that an entry means where it has these words. */
static void add_rules(further *f, const char *entry) {
  static const char *const rules[][2] = {{"broadcast", "broadcasting"},
                                         {"blockwise", "blockwise"},
                                         {" index, rank", "indices"},
                                         {"`axes`", "lists"},
                                         {"`padding`", "lists"},
                                         {"`alpha`", "numbers-cast-to-a-data-type"},
                                         {"`epsilon`", "numbers-cast-to-a-data-type"},
                                         {"`min_value`", "numbers-cast-to-a-data-type"}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (strstr(entry, rules[i][0]))
      add_section(f, find_section(f->page, rules[i][1], strlen(rules[i][1])));
}

static const char *find_entry(const char *page, const char *name) {
  const char *line = page;
  while (*line && !heading_has(line, name))
    line = next_line(line);
  return *line ? line : NULL;
}

/* The entry, then the cell of a network of steps, the rules that it names, and the sections to
   which it has links. */
static void print_entry(arena *memory, const char *page, const char *entry, const char *name) {
  const char *text = take_text(memory, "%.*s", (int)(section_end(entry) - entry), entry);
  further f = {page, {entry}, 1};
  add_section(&f, find_entry(page, take_text(memory, "%sCell", name)));
  add_rules(&f, text);
  for (const char *at = text; (at = strstr(at, "](#")) != NULL; at++)
    add_section(&f, find_section(page, at + 3, strcspn(at + 3, ")")));
  for (size_t i = 0; i < f.count; i++)
    print_section(f.sections[i]);
}

static void print_operator(const session *s, const method *m, webnn_op op, bool signature) {
  webnn_operator_limits o;
  webnn_op_limits(s->context, op, &o);
  say("%s, section %s\n\n", o.name, webnn_op_section(op));
  if (signature)
    say("  %s\n\n", method_signature(m));
  say("operands\n");
  for (uint32_t i = 0; i < o.operand_count; i++)
    print_operand(&o.operands[i]);
  say("options\n");
  method_print_options(m);
}

/* operators.md and opSupportLimits have those of the specification. */
static void print_draft(const session *s, const method *m) {
  say("%s, of the draft of dynamic shapes\n\n  %s\n\noptions\n", s->operator_name,
      method_signature(m));
  method_print_options(m);
}

int explain_command(const session *s) {
  const method *m = method_find(s->operator_name);
  arena memory = {NULL, 0};
  const char *page, *entry;
  int op = 0, status = EXIT_RIGHT;
  if (!m) {
    complain(NULL, "MLGraphBuilder has no operator \"%s\"%s; `limits` lists them", s->operator_name,
             near_operator(&memory, s->operator_name));
    release(&memory);
    return EXIT_BAD_INPUT;
  }
  if (method_is_draft(m)) {
    print_draft(s, m);
    return EXIT_RIGHT;
  }
  while (strcmp(webnn_op_name((webnn_op)op), s->operator_name) != 0)
    op++;
  page = read_docs(s, &memory);
  entry = page ? find_entry(page, s->operator_name) : NULL;
  print_operator(s, m, (webnn_op)op, !entry);
  if (entry) {
    print_entry(&memory, page, entry, s->operator_name);
  } else if (s->docs) {
    status = EXIT_BAD_INPUT;
    if (page)
      complain(NULL, "%s has no entry of %s", s->docs, s->operator_name);
  }
  release(&memory);
  return status;
}
