/* The commands `limits` and `explain`: what the library says of its operators. */
#include "oracle.h"

#include <string.h>

/* ---- limits: opSupportLimits() as JSON, and tolerances --------------------------------------- */

static void print_limits(const char *indent, const webnn_tensor_limits *l, bool last) {
  const char *separator = "";
  printf("%s\"%s\": {\"dataTypes\": [", indent, l->name);
  for (int type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++) {
    if (l->data_types >> type & 1) {
      printf("%s\"%s\"", separator, webnn_data_type_name((webnn_data_type)type));
      separator = ", ";
    }
  }
  printf("], \"rankRange\": {\"min\": %lu, \"max\": %lu}%s%s}%s\n", (unsigned long)l->min_rank,
         (unsigned long)l->max_rank, l->optional ? ", \"optional\": true" : "",
         l->output ? ", \"output\": true" : "", last ? "" : ",");
}

int command_limits(const session *s) {
  webnn_limits limits;
  webnn_context_limits(s->context, &limits);
  printf("{\n  \"preferredInputLayout\": \"%s\",\n  \"maxTensorByteLength\": %llu,\n",
         limits.preferred_input_layout == WEBNN_LAYOUT_NHWC ? "nhwc" : "nchw",
         (unsigned long long)limits.max_tensor_byte_length);
  limits.input.name = "input";
  limits.constant.name = "constant";
  limits.output.name = "output";
  print_limits("  ", &limits.input, false);
  print_limits("  ", &limits.constant, false);
  print_limits("  ", &limits.output, false);
  for (int op = 0; op < WEBNN_OP_COUNT; op++) {
    webnn_operator_limits o;
    webnn_op_limits(s->context, (webnn_op)op, &o);
    printf("  \"%s\": {\n", o.name);
    for (uint32_t i = 0; i < o.operand_count; i++)
      print_limits("    ", &o.operands[i], false);
    print_tolerance(s, o.name);
    printf("  }%s\n", op + 1 == WEBNN_OP_COUNT ? "" : ",");
  }
  printf("}\n");
  return EXIT_RIGHT;
}

/* ---- explain --------------------------------------------------------------------------------- */

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

/* "### add, sub, mul (8.9.13)" is a heading of `sub`. */
static bool is_heading_of(const char *line, const char *name) {
  const size_t length = strlen(name);
  const char *at = strncmp(line, "### ", 4) == 0 ? line + 4 : NULL;
  while (at) {
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == ' '))
      return true;
    at = strstr(at, ", ");
    at = at ? at + 2 : NULL;
  }
  return false;
}

/* Copies the operator's entry of the page; false if there is none. */
static bool print_entry(FILE *page, const char *name) {
  char line[2048];
  bool inside = false, found = false;
  while (fgets(line, sizeof line, page)) {
    if (line[0] == '#')
      inside = is_heading_of(line, name);
    if (inside && !found)
      printf("\n");
    found = found || inside;
    if (inside)
      fputs(line, stdout);
  }
  return found;
}

/* docs/operators.md: where the command line says, or beside the program as the project has it. */
static FILE *open_docs(const session *s, arena *memory) {
  const char *slash = strrchr(s->program, '/');
  const char *folder =
      take_text(memory, "%.*s", slash ? (int)(slash - s->program) + 1 : 0, s->program);
  const char *const places[] = {"../../docs/operators.md", "../docs/operators.md",
                                "docs/operators.md", "operators.md"};
  FILE *page = NULL;
  if (s->docs) {
    const bool is_page = ends_with(s->docs, ".md");
    page = fopen(is_page ? s->docs : take_text(memory, "%s/operators.md", s->docs), "rb");
    if (!page)
      complain(NULL, "%s: cannot be read", s->docs);
    return page;
  }
  for (size_t i = 0; i < sizeof places / sizeof *places && !page; i++)
    page = fopen(take_text(memory, "%s%s", folder, places[i]), "rb");
  return page;
}

static void print_operator(const session *s, const method *m, webnn_op op) {
  webnn_operator_limits o;
  webnn_op_limits(s->context, op, &o);
  say("%s, section %s\n\n  %s\n\noperands\n", o.name, webnn_op_section(op), method_signature(m));
  for (uint32_t i = 0; i < o.operand_count; i++)
    print_operand(&o.operands[i]);
  say("options\n");
  method_print_options(m);
}

int command_explain(const session *s) {
  const method *m = method_find(s->operator_name);
  arena memory = {NULL, 0};
  int op = 0, status = EXIT_RIGHT;
  FILE *page;
  if (!m) {
    complain(NULL, "MLGraphBuilder has no operator \"%s\"; `limits` lists them", s->operator_name);
    return EXIT_BAD_INPUT;
  }
  while (strcmp(webnn_op_name((webnn_op)op), s->operator_name) != 0)
    op++;
  print_operator(s, m, (webnn_op)op);
  page = open_docs(s, &memory);
  if (page) {
    if (!print_entry(page, s->operator_name) && s->docs)
      status = complain(NULL, "%s: no entry of %s", s->docs, s->operator_name) + EXIT_BAD_INPUT;
    fclose(page);
  } else if (s->docs) {
    status = EXIT_BAD_INPUT;
  }
  release(&memory);
  return status;
}
