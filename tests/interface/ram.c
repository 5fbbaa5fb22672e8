/* How much memory a small graph takes, for switches.sh: three operators and ten weights in a build for a
   microcontroller. Prints the bytes while the graph is built and once its builder is freed, and
   fails if they are more than the guide says, or if webnn_graph_memory reports something else. */
#define WEBNN_ONLY_OPERATORS(X) X(MATMUL) X(ADD) X(RELU)
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct heap {
  size_t live, peak;
} heap;

typedef union block { /* what lies before each piece */
  size_t size;
  uint64_t alignment[2];
} block;

static void *allocate(void *user, size_t size) {
  heap *h = (heap *)user;
  block *b = (block *)malloc(sizeof *b + size);
  if (b == NULL) {
    return NULL;
  }
  b->size = size;
  h->live += size;
  h->peak = h->live > h->peak ? h->live : h->peak;
  return b + 1;
}

static void release(void *user, void *memory) {
  if (memory != NULL) {
    block *b = (block *)memory - 1;
    ((heap *)user)->live -= b->size;
    free(b);
  }
}

int main(void) {
  static const float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8}, bias[2] = {1, 2}, in[4] = {1, 2, 3, 4};
  float out[2] = {0, 0};
  heap h = {0, 0};
  webnn_error error = WEBNN_ZERO;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_builder *builder;
  webnn_graph *graph;
  webnn_operand *x, *w, *b;
  webnn_memory memory;
  size_t idle, built;
  uint64_t reported;
  bool good;
  options.allocator.allocate = allocate;
  options.allocator.release = release;
  options.allocator.user = &h;
  (void)webnn_create_context(&options, &context, &error);
  idle = h.live;
  (void)webnn_create_builder(context, &builder, &error);
  x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 4));
  w = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4, 2), weights, sizeof weights);
  b = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), bias, sizeof bias);
  x = webnn_relu(builder, webnn_add(builder, webnn_matmul(builder, x, w, NULL), b, NULL), NULL);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", x}), &graph, &error);
  webnn_free_builder(builder);
  built = h.live;
  memory = webnn_graph_memory(graph);
  reported = memory.constants + memory.prepared + memory.arena + memory.description;
  printf("%lu bytes, %lu while it is built; reported %lu of %lu\n", (unsigned long)built,
         (unsigned long)h.peak, (unsigned long)reported, (unsigned long)(built - idle));
  good = webnn_compute(context, graph, WEBNN_INPUTS({"x", in, sizeof in}),
                       WEBNN_OUTPUTS({"y", out, sizeof out}), &error) == WEBNN_OK &&
         out[0] == 51 && out[1] == 62;
  webnn_free_graph(graph);
  webnn_free_context(context);
  /* What is not reported are the handles of the graph and of its constants. */
  good = good && reported <= built - idle && reported + 1024 >= built - idle;
  return good && built <= 8000 && h.peak <= 11264 && h.live == 0 ? 0 : 1;
}
