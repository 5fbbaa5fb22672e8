/* What a program with random graphs prints of one that a context computes wrongly: the graph, and the
   compile passes without which it is right. */
#ifndef WEBNN_TEST_EXPLAIN_H
#define WEBNN_TEST_EXPLAIN_H

#include "test.h"

/* Of a random graph. `build` gives it for a context, to be freed; `is_right` computes it there. Neither
   counts checks. */
typedef struct explained {
  webnn_graph *(*build)(webnn_context *context, const void *user);
  bool (*is_right)(webnn_context *context, const void *user);
  const void *user;
  webnn_context_options options; /* of the context that is wrong */
} explained;

static inline bool explained_is_right(const explained *e, uint32_t disabled_passes) {
  webnn_context_options options = e->options;
  webnn_context *context;
  bool right;
  options.disabled_passes = disabled_passes;
  context = test_context(&options);
  right = e->is_right(context, e->user);
  webnn_free_context(context);
  return right;
}

static inline void explain_graph(const explained *e) {
  webnn_context_options options = e->options;
  webnn_context *context;
  webnn_graph *graph;
  options.disabled_passes = UINT32_MAX;
  context = test_context(&options);
  graph = e->build(context, e->user);
  webnn_print_graph(graph, webnn_write_to_file, stdout);
  webnn_free_graph(graph);
  webnn_free_context(context);
}

/* Prints the graph as it was built, and which single pass has to be switched off. */
static inline void explain(const explained *e) {
  uint32_t pass, found = 0;
  explain_graph(e);
  if (!explained_is_right(e, UINT32_MAX)) {
    printf("  it is wrong without passes, too\n");
    return;
  }
  for (pass = 0; webnn_pass_name(pass) != NULL; pass++) {
    if (explained_is_right(e, e->options.disabled_passes | (uint32_t)1 << pass)) {
      printf("  it is right without the pass \"%s\"\n", webnn_pass_name(pass));
      found++;
    }
  }
  if (found == 0) {
    printf("  it is right without all passes, and wrong without any single one of them\n");
  }
}
#endif
