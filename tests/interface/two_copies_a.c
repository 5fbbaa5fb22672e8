/* Two source files of one program, each with a whole copy of the library that is its own: all
   functions are static, and unused ones must not warn. */
#define WEBNN_STATIC
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

int other_copy(float value, float *result);

/* The same in both files: relu(value) in a context of this file's copy. */
static int this_copy(float value, float *result) {
  webnn_tensor_descriptor scalar = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_tensor *x = NULL, *y = NULL;
  int ok;
  scalar.data_type = WEBNN_FLOAT32;
  scalar.shape = WEBNN_EMPTY_LIST;
  scalar.readable = scalar.writable = true;
  ok = webnn_create_context(NULL, &context, NULL) == WEBNN_OK &&
       webnn_create_builder(context, &builder, NULL) == WEBNN_OK &&
       webnn_build(
           builder,
           WEBNN_NAMED_OPERANDS(
               {"y",
                webnn_relu(builder, webnn_input(builder, "x", WEBNN_SCALAR(WEBNN_FLOAT32)), NULL)}),
           &graph, NULL) == WEBNN_OK &&
       webnn_create_tensor(context, scalar, &x, NULL) == WEBNN_OK &&
       webnn_create_tensor(context, scalar, &y, NULL) == WEBNN_OK &&
       webnn_write_tensor(context, x, &value, sizeof value, NULL) == WEBNN_OK &&
       webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"y", y}),
                      NULL) == WEBNN_OK &&
       webnn_read_tensor(context, y, result, sizeof *result, NULL) == WEBNN_OK;
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  return ok;
}

#ifndef TWO_COPIES_B
#include <stdio.h>

int main(void) {
  float mine = -1, others = -1;
  const int passed =
      (this_copy(3, &mine) && mine == 3.0f) + (other_copy(-3, &others) && others == 0.0f);
  if (passed != 2) {
    printf("expected 3 and 0, got %g and %g\n", (double)mine, (double)others);
  }
  printf("%d passed, %d failed, 0 skipped\n", passed, 2 - passed);
  return passed != 2;
}
#else
int other_copy(float value, float *result) {
  return this_copy(value, result);
}
#endif
