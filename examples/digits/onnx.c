/* onnx.c - writes the network of digits.c as an ONNX model, which other runtimes run and Netron draws.

   Build and run:   cc -I../.. -pthread onnx.c -o onnx && ./onnx weights.bin digits.onnx
   The result:      digits.onnx beside this file, which README.md runs with the command `webnn`
   Read next:       ../headers/webnn_onnx_write.h: weights in a file of their own, other names. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#define WEBNN_ONNX_WRITE_IMPLEMENTATION
#include "../headers/webnn_onnx_write.h"

#include "network.h"

int main(int argc, char **argv) {
  webnn_error error = WEBNN_ZERO;
  if (argc != 3)
    fail("usage: onnx weights.bin digits.onnx");
  webnn_context *context = open_context(false);
  webnn_graph *graph = load_network(context, argv[1]);
  check(webnn_onnx_write_file(graph, argv[2], false, &error), &error);
  webnn_free_graph(graph);
  webnn_free_context(context);
  return 0;
}
