/* Another implementation's numbers: those that stand in the graph's file, or that --actual names. */
#include "exact.h"

#include <string.h>

/* Or the tensor is only named, for its tolerance or as an output. */
static bool has_elements(const json *node) {
  return json_get(node, "data") || json_get(node, "bits") || json_get(node, "fill") ||
         json_get(node, "fillBits") || json_get(node, "file");
}

/* Their tensors of a list of JSON; what has no data in it is only a description. Without `numbers`
   the list is asked for tolerances alone. */
static bool take_list(network *n, const json *list, bool numbers) {
  if (list && list->kind != JSON_ARRAY)
    return must_be(list, "a list of tensors");
  for (const json *item = json_items(list, JSON_ARRAY); item; item = item->next) {
    const json *name = json_name(item);
    network_value *v = json_string(name) ? network_find(n, name->text) : NULL;
    tensor t;
    if (!v || v->producer == NOBODY)
      return complain(name ? name : item, "the graph has no operator result of this name");
    if (!v->theirs_node || has_elements(item))
      v->theirs_node = item;
    if (json_get(item, "tolerance"))
      v->tolerance = json_get(item, "tolerance");
    if (numbers && has_elements(item)) {
      if (!tensor_read(n->session, n->memory, item, &t))
        return false;
      v->theirs = t;
    }
  }
  return true;
}

static bool take_lists(network *n, const json *node, bool numbers) {
  return take_list(n, json_get(node, "outputs"), numbers) &&
         take_list(n, json_get(node, "intermediates"), numbers);
}

/* The case of a file that --actual names. */
static bool take_case(network *n, const json *root) {
  const json *node = case_of(root, n->name);
  if (!node)
    return complain(root, "there is nothing of case \"%s\"", n->name);
  if (!json_get(node, "outputs") && !json_get(node, "intermediates"))
    return must_have(node, NULL, "outputs", "a list of tensors");
  return take_lists(n, node, true);
}

static bool take_files(network *n, tensor_source *from, bool many) {
  for (size_t i = 0; i < n->value_count; i++) {
    network_value *v = &n->values[i];
    tensor t;
    memset(&t, 0, sizeof t);
    if (v->producer == NOBODY || !v->exact.data)
      continue;
    if (webnn_data_type_bits(v->exact.descriptor.data_type) == 4)
      t.descriptor = v->exact.descriptor; /* NPY has no type of 4 bits */
    if (!source_take(n, from, many, v, &v->exact, &t))
      return false;
    if (t.data)
      v->theirs = t;
  }
  return true;
}

/* What --actual names stands in place of all numbers that the graph has of its own. */
static bool take_theirs(network *n, tensor_source *actual, bool many) {
  if (!take_lists(n, n->node, !actual->path))
    return false;
  if (actual->root)
    return take_case(n, actual->root);
  return !actual->path || take_files(n, actual, many);
}

bool check_outputs_given(const network *n) {
  const char *names = "";
  const json *at = NULL;
  for (size_t i = 0; i < n->output_count; i++) {
    const network_value *v = &n->values[n->outputs[i]];
    if (v->theirs.data)
      continue;
    names = take_text(n->memory, "%s%s\"%s\"", names, at ? ", " : "", v->name);
    at = at ? at : v->theirs_node ? v->theirs_node : v->node;
  }
  return !at ||
         complain(at, "no numbers are given for output %s%s", names,
                  n->session->actual ? take_text(n->memory, " in %s", n->session->actual) : "");
}

bool check_read(const session *s, arena *memory, const json *node, check_sources *given, bool many,
                network *n) {
  return network_read(s, memory, node, n) && network_feed_inputs(n, &given->inputs, many, false) &&
         network_compute(n, true) && take_theirs(n, &given->actual, many) &&
         (!s->judged || network_compute_theirs(n, true));
}
