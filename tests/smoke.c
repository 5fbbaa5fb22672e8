/* The smallest program that uses the whole library: it is compiled every way the header must
   compile, so a feature macro or a system header before webnn.h must not matter. */
#include <stdio.h>
#include <string.h>
#define WEBNN_IMPLEMENTATION
#include "../webnn.h"
#include "../webnn.h" /* twice is allowed */

/* relu(a b) of two 2x2 matrices, computed on a context. */
static int run(webnn_context *context) {
  static const float a[4] = {1, 2, 3, 4}, b[4] = {1, -1, 1, -1}, expected[4] = {3, 0, 7, 0};
  const uint32_t dimensions[2] = {2, 2};
  float result[4] = {0, 0, 0, 0};
  webnn_operand_descriptor matrix;
  webnn_tensor_descriptor storage;
  webnn_named_operand output;
  webnn_named_operand_list outputs;
  webnn_named_tensor in[2], out[1];
  webnn_named_tensor_list ins, outs;
  webnn_tensor *tensors[3] = {NULL, NULL, NULL};
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  int i, ok;
  matrix.data_type = WEBNN_FLOAT32;
  matrix.shape.items = dimensions;
  matrix.shape.count = 2;
  storage.data_type = WEBNN_FLOAT32;
  storage.shape = matrix.shape;
  storage.readable = storage.writable = true;
  if (webnn_create_builder(context, &builder, NULL) != WEBNN_OK) {
    return 1;
  }
  output.name = "c";
  output.operand = webnn_relu(builder,
                              webnn_matmul(builder, webnn_input(builder, "a", &matrix),
                                           webnn_input(builder, "b", &matrix), NULL),
                              NULL);
  outputs.items = &output;
  outputs.count = 1;
  ok = webnn_build(builder, outputs, &graph, NULL) == WEBNN_OK;
  webnn_free_builder(builder);
  for (i = 0; ok && i < 3; i++) {
    ok = webnn_create_tensor(context, &storage, &tensors[i], NULL) == WEBNN_OK;
  }
  in[0].name = "a";
  in[0].tensor = tensors[0];
  in[1].name = "b";
  in[1].tensor = tensors[1];
  out[0].name = "c";
  out[0].tensor = tensors[2];
  ins.items = in;
  ins.count = 2;
  outs.items = out;
  outs.count = 1;
  ok = ok && webnn_write_tensor(context, tensors[0], a, sizeof a, NULL) == WEBNN_OK &&
       webnn_write_tensor(context, tensors[1], b, sizeof b, NULL) == WEBNN_OK &&
       webnn_dispatch(context, graph, ins, outs, NULL) == WEBNN_OK &&
       webnn_read_tensor(context, tensors[2], result, sizeof result, NULL) == WEBNN_OK &&
       memcmp(result, expected, sizeof expected) == 0;
  for (i = 0; i < 3; i++) {
    webnn_free_tensor(tensors[i]);
  }
  webnn_free_graph(graph);
  return ok ? 0 : 1;
}

int main(void) {
  webnn_context *context = NULL;
  webnn_error error;
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
