/* hello.c - the specification's first example, in fourteen calls.

   Two inputs are each added to a constant, and the sums are multiplied:

       constant1 --+
                   +-- add --> sum1 --+
       input1 -----+                  |
                                      +-- mul --> output
       constant2 --+                  |
                   +-- add --> sum2 --+
       input2 -----+

   Build and run:   cc -O2 -I../.. -pthread hello.c -o hello && ./hello
   Read next:       ../digits/digits.c, a network that reads handwritten digits. */
#define WEBNN_IMPLEMENTATION /* in one source file of a program */
#include "webnn.h"

#include <stdio.h>

int main(void) {
  /* A context is the place where work is done; NULL options mean this computer's processor. A
     builder describes one computation. */
  webnn_error error = WEBNN_ZERO;
  webnn_context *context;
  webnn_builder *builder;
  webnn_create_context(NULL, &context, &error);
  webnn_create_builder(context, &builder, &error);

  /* Every value has a type and a shape. Constants are part of the computation, inputs are named and
     come with each run. The builder owns the operands, which need no freeing. */
  const float halves[8] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
  const webnn_operand_descriptor type = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2, 2, 2);
  webnn_operand *constant1 = webnn_constant(builder, type, halves, sizeof halves);
  webnn_operand *constant2 = webnn_constant(builder, type, halves, sizeof halves);
  webnn_operand *input1 = webnn_input(builder, "input1", type);
  webnn_operand *input2 = webnn_input(builder, "input2", type);

  /* Operators make new operands of old ones. NULL stands for "default options". */
  webnn_operand *sum1 = webnn_add(builder, constant1, input1, NULL);
  webnn_operand *sum2 = webnn_add(builder, constant2, input2, NULL);
  webnn_operand *output = webnn_mul(builder, sum1, sum2, NULL);

  /* Building checks and compiles what was described into a graph, which can run any number of
     times, here once over our own memory. */
  const float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  float result[8] = {0};
  webnn_graph *graph;
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"output", output}), &graph, &error);
  webnn_compute(context, graph,
                WEBNN_INPUTS({"input1", ones, sizeof ones}, {"input2", ones, sizeof ones}),
                WEBNN_OUTPUTS({"output", result, sizeof result}), &error);

  /* One look is enough: whatever failed first, the calls after it failed, too, and `error` has kept
     the first cause. */
  if (error.status != WEBNN_OK) {
    printf("%s: %s\n", webnn_status_name(error.status), error.message);
  } else {
    printf("output:"); /* (1 + 0.5) * (1 + 0.5) = 2.25, eight times */
    for (int i = 0; i < 8; i++)
      printf(" %g", (double)result[i]);
    printf("\n");
  }

  /* Handles may be freed in any order, and freeing NULL does nothing. */
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  return error.status != WEBNN_OK;
}
