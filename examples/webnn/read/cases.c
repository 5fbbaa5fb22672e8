/* The cases of a file: of JSON, of a graph as text, of StableHLO, of ONNX. */
#include "read.h"

#include <string.h>

/* The JSON of a file; of a graph as text, and of its interchange form, the case it becomes. */
static const json *read_root(const session *s, arena *memory, const char *path) {
  size_t length;
  const json *root = NULL;
  char *text;
  if (onnx_is(path))
    return onnx_case(s, memory, path);
  if (!no_onnx_options(s, path))
    return NULL;
  text = text_read(memory, path, &length);
  if (text && stablehlo_is(path, text)) {
    root = stablehlo_case(s, memory, path, text, length);
    if (!s->weights && !s->manifest)
      return root;
  } else if (text)
    root = text_is(path, text) ? text_parse(memory, path, text, length)
                               : json_parse(memory, path, text, text, length);
  if (!root || interchange_is(root))
    return root ? interchange_case(s, memory, path, root) : NULL;
  if (!s->weights && !s->manifest)
    return root;
  complain(root, "--weights and --manifest are for graphs as text");
  return NULL;
}

bool cases_read(const session *s, arena *memory, const char *path, case_list *list) {
  const json *cases, *item;
  list->count = 0;
  list->root = read_root(s, memory, path);
  if (!list->root)
    return false;
  cases = json_get(list->root, "cases");
  if (list->root->kind != JSON_OBJECT || (cases && cases->kind != JSON_ARRAY))
    return must_be(cases ? cases : list->root, "a case, or an object with a list of \"cases\"");
  list->cases = (const json **)take(memory, (json_count(cases) + 1) * sizeof *list->cases);
  for (item = cases ? cases->first : list->root; item; item = item->next)
    if (!s->case_name || strcmp(s->case_name, case_name(item)) == 0)
      list->cases[list->count++] = item;
  return list->count > 0 ||
         complain(list->root, s->case_name ? "there is no case \"%s\"" : "no case%s",
                  s->case_name ? s->case_name : "");
}
