/* Pages of operators: where docs/operators.md is, headings, and the examples in blocks. */
#include "exact.h"

#include <string.h>

/* ---- The page -------------------------------------------------------------------------------- */

/* docs/operators.md, where the Makefile has put it into the program. */
#ifdef ORACLE_PAGE
static const char *const page_lines[] = {
#include ORACLE_PAGE
};

static const char *page_inside(arena *memory) {
  size_t length = 1, count = sizeof page_lines / sizeof *page_lines;
  char *text, *to;
  for (size_t i = 0; i < count; i++)
    length += strlen(page_lines[i]);
  text = to = (char *)take(memory, length);
  for (size_t i = 0; i < count; i++) {
    strcpy(to, page_lines[i]);
    to += strlen(to);
  }
  return text;
}
#else
static const char *page_inside(arena *memory) {
  (void)memory;
  return NULL;
}
#endif

const char *read_docs(const session *s, arena *memory) {
  const char *slash = strrchr(s->program, '/'), *page = s->docs ? NULL : page_inside(memory);
  const char *folder =
      take_text(memory, "%.*s", slash ? (int)(slash - s->program) + 1 : 0, s->program);
  const char *const places[] = {"../../docs/operators.md", "../docs/operators.md",
                                "docs/operators.md", "operators.md"};
  size_t length;
  if (s->docs && ends_with(s->docs, ".md"))
    return text_read(memory, s->docs, &length);
  if (s->docs)
    return text_read(memory, take_text(memory, "%s/operators.md", s->docs), &length);
  for (size_t i = 0; i < sizeof places / sizeof *places && !page; i++) {
    const char *path = take_text(memory, "%s%s", folder, places[i]);
    page = file_exists(path) ? text_read(memory, path, &length) : NULL;
  }
  return page;
}

bool heading_has(const char *line, const char *name) {
  const size_t length = strlen(name);
  const char *at = line + 4, *end = line + strcspn(line, "\n");
  if (strncmp(line, "### ", 4) != 0)
    return false;
  while (at && at < end) {
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || strncmp(at + length, " (", 2) == 0))
      return true;
    at = strstr(at, ", ");
    at = at ? at + 2 : NULL;
  }
  return false;
}

/* ---- Examples -------------------------------------------------------------------------------- */

/* Sees that the builder refuses a call on the operands of the graph. */
static bool is_refused(const session *s, arena *memory, const char *path, const json *graph,
                       const json *node) {
  json_list one = json_start(memory, node, JSON_OBJECT);
  json_list nodes = json_start(memory, node, JSON_ARRAY);
  const json *made;
  network n;
  bool quiet, told, refuses;
  json_put(&nodes, NULL, json_copy(memory, node));
  json_put(&one, "inputs", json_copy(memory, json_get(graph, "inputs")));
  json_put(&one, "nodes", nodes.list);
  made = interchange_case(s, memory, path, one.list);
  if (!made || !network_read(s, memory, made, &n))
    return false;
  quiet = complain_quietly(true);
  told = network_refuses(&n, &refuses);
  complain_quietly(quiet);
  if (!told) /* again, for the complaint */
    return network_refuses(&n, &refuses) && refuses;
  return refuses || complain(node, "the builder does not refuse this");
}

bool example_read(const session *s, arena *memory, const char *path, const char *text,
                  uint32_t line, example *e) {
  const json *graph, *node, *refused;
  memset(e, 0, sizeof *e);
  e->line = line;
  if (!text_parse_example(memory, path, text, strlen(text), line, &graph, &e->expected))
    return false;
  for (refused = json_get(graph, "refused")->first; refused; refused = refused->next)
    if (!is_refused(s, memory, path, graph, refused))
      return false;
  node = interchange_case(s, memory, path, graph);
  return node && network_read(s, memory, node, &e->network) && network_compute(&e->network, true);
}

bool example_calls(const example *e, const char *name) {
  for (size_t i = 0; i < e->network.operation_count; i++)
    if (strcmp(e->network.operations[i].name, name) == 0)
      return true;
  return false;
}

bool example_of_page(const session *s, arena *memory, const char *path, const char *markdown,
                     const char *name, example *e) {
  uint32_t number = 1;
  size_t left = s->example > 0 ? s->example : 1;
  bool inside = name == NULL;
  for (const char *line = markdown; line && *line; number++) {
    if (name && strncmp(line, "##", 2) == 0)
      inside = heading_has(line, name);
    if (inside && strncmp(line, "```webnn\n", 9) == 0) {
      const char *begin = line + 9, *end = strstr(begin, "\n```");
      const char *text = end ? take_text(memory, "%.*s", (int)(end + 1 - begin), begin) : "";
      if ((name || left == 1) && !example_read(s, memory, path, text, number + 1, e))
        return false;
      if ((!name || example_calls(e, name)) && --left == 0)
        return true;
    }
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
  return complain(NULL, "%s has no example%s%s%s", path,
                  s->example > 0 ? take_text(memory, " %lu", (unsigned long)s->example) : "",
                  name ? " of " : "", name ? name : "");
}
