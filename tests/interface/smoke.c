/* The smallest program that uses the whole library: it is compiled every way the header must
   compile, so a feature macro or a system header before webnn.h must not matter. */
#include <stdio.h>
#include <string.h>
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#include "webnn.h" /* twice is allowed */

/* relu(a b) of two 2x2 matrices, computed on a context: once over tensors, once over memory. */
static int run(webnn_context *context) {
  static const float a[4] = {1, 2, 3, 4}, b[4] = {1, -1, 1, -1}, expected[4] = {3, 0, 7, 0};
  float result[4] = {0, 0, 0, 0}, again[4] = {0, 0, 0, 0};
  const webnn_operand_descriptor matrix = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 2);
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *x, *y, *z;
  webnn_builder *builder;
  webnn_operand *product;
  webnn_graph *graph;
  webnn_create_builder(context, &builder, &error);
  product = webnn_matmul(builder, webnn_input(builder, "a", matrix),
                         webnn_input(builder, "b", matrix), NULL);
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"c", webnn_relu(builder, product, NULL)}), &graph,
              &error);
  webnn_create_graph_tensor(graph, "a", &x, &error);
  webnn_create_graph_tensor(graph, "b", &y, &error);
  webnn_create_graph_tensor(graph, "c", &z, &error);
  webnn_write_tensor(context, x, a, sizeof a, &error);
  webnn_write_tensor(context, y, b, sizeof b, &error);
  webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"a", x}, {"b", y}),
                 WEBNN_NAMED_TENSORS({"c", z}), &error);
  webnn_read_tensor(context, z, result, sizeof result, &error);
  webnn_compute(context, graph, WEBNN_INPUTS({"a", a, sizeof a}, {"b", b, sizeof b}),
                WEBNN_OUTPUTS({"c", again, sizeof again}), &error);
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  webnn_free_tensor(z);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  if (error.status != WEBNN_OK) {
    printf("%s\n", error.message);
  }
  return error.status != WEBNN_OK || memcmp(result, expected, sizeof expected) != 0 ||
         memcmp(again, expected, sizeof expected) != 0;
}

int main(void) {
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  int failed;
  if (webnn_create_context(NULL, &context, &error) != WEBNN_OK) {
    printf("%s\n", error.message);
    return 1;
  }
  failed = run(context);
  webnn_free_context(context);
  if (failed) {
    printf("wrong result\n");
  }
  return failed;
}
