/* A program that gets webnn.h and webnn_weights.h from a package: prints the version, and y = relu(x) of a file. */
#include "webnn.h"
#include "webnn_weights.h"

#include <stdio.h>

int main(void) {
  const float x[4] = {1, -2, 3, -4};
  float y[4] = {0};
  webnn_error error = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_weights *weights = NULL;
  webnn_create_context(NULL, &context, &error);
  webnn_create_builder(context, &builder, &error);
  webnn_operand *operand = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4));
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_relu(builder, operand, NULL)}), &graph,
              &error);
  webnn_compute(context, graph, WEBNN_INPUTS({"x", x, sizeof x}), WEBNN_OUTPUTS({"y", y, sizeof y}),
                &error);
  if (error.status != WEBNN_OK) {
    puts(error.message);
    return 1;
  }
  printf("%d.%d.%d: %g %g %g %g\n", WEBNN_VERSION_MAJOR, WEBNN_VERSION_MINOR, WEBNN_VERSION_PATCH,
         y[0], y[1], y[2], y[3]);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  return webnn_weights_open("no such file", &weights, NULL) == WEBNN_OK;
}
