/* hello.c - the specification's first example, step by step.

   Two inputs are each added to a constant, and the sums are multiplied:

       constant1 --+
                   +-- add --> sum1 --+
       input1 -----+                  |
                                      +-- mul --> output
       constant2 --+                  |
                   +-- add --> sum2 --+
       input2 -----+

   Build and run:   cc -I../.. -pthread hello.c -o hello && ./hello
   Read next:       ../digits/digits.c, a network that reads handwritten digits. */
#define WEBNN_IMPLEMENTATION /* in one source file of a program */
#include "webnn.h"

#include <stdio.h>

enum { SIZE = 2 * 2 * 2 };

/* Describes the computation and compiles it. Nothing is computed yet. */
static webnn_status build_graph(webnn_context *context, webnn_graph **graph, webnn_error *error) {
  /* Step 1: a builder makes operands; each belongs to it and needs no freeing. */
  webnn_builder *builder;
  webnn_status status = webnn_create_builder(context, &builder, error);
  if (status != WEBNN_OK)
    return status;

  /* Step 2: every value in a graph has a type and a shape. These are all float32 [1, 2, 2, 2]. */
  const webnn_operand_descriptor *type = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2, 2, 2);

  /* Step 3: constants are part of the graph, inputs are named and come with each run. */
  float halves[SIZE] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
  webnn_operand *constant1 = webnn_constant(builder, type, halves, sizeof halves);
  webnn_operand *constant2 = webnn_constant(builder, type, halves, sizeof halves);
  webnn_operand *input1 = webnn_input(builder, "input1", type);
  webnn_operand *input2 = webnn_input(builder, "input2", type);

  /* Step 4: operators make new operands of old ones. NULL stands for "default options". There is no
     error to check here: a wrong call is remembered and comes out of webnn_build. */
  webnn_operand *sum1 = webnn_add(builder, constant1, input1, NULL);
  webnn_operand *sum2 = webnn_add(builder, constant2, input2, NULL);
  webnn_operand *output = webnn_mul(builder, sum1, sum2, NULL);

  /* Step 5: name the results and build. The graph no longer needs its builder. */
  status = webnn_build(builder, WEBNN_NAMED_OPERANDS({"output", output}), graph, error);
  webnn_free_builder(builder);
  return status;
}

/* Tensors are the memory that graphs read and write. This one is also read or written by us. */
static webnn_status create_tensor(webnn_context *context, webnn_tensor **tensor,
                                  webnn_error *error) {
  webnn_tensor_descriptor descriptor = {.data_type = WEBNN_FLOAT32,
                                        .shape = WEBNN_LIST(1, 2, 2, 2),
                                        .readable = true,
                                        .writable = true};
  return webnn_create_tensor(context, &descriptor, tensor, error);
}

/* Fills the inputs, runs the graph once and reads what came out. */
static webnn_status run_graph(webnn_context *context, webnn_graph *graph, webnn_tensor *in1,
                              webnn_tensor *in2, webnn_tensor *out, float *result,
                              webnn_error *error) {
  /* Step 6: bring the inputs. The data is copied before the call returns. */
  float ones[SIZE] = {1, 1, 1, 1, 1, 1, 1, 1};
  webnn_status status = webnn_write_tensor(context, in1, ones, sizeof ones, error);
  if (status == WEBNN_OK)
    status = webnn_write_tensor(context, in2, ones, sizeof ones, error);

  /* Step 7: dispatch binds tensors to the names of inputs and outputs, and starts the work. */
  if (status == WEBNN_OK)
    status = webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"input1", in1}, {"input2", in2}),
                            WEBNN_NAMED_TENSORS({"output", out}), error);

  /* Step 8: reading waits until the work is done. */
  if (status == WEBNN_OK)
    status = webnn_read_tensor(context, out, result, SIZE * sizeof *result, error);
  return status;
}

int main(void) {
  webnn_error error = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_graph *graph = NULL;
  webnn_tensor *in1 = NULL, *in2 = NULL, *out = NULL;
  float result[SIZE] = {0};

  /* A context is the place where work is done; NULL options mean this computer's processor. */
  webnn_status status = webnn_create_context(NULL, &context, &error);
  if (status == WEBNN_OK)
    status = build_graph(context, &graph, &error);
  if (status == WEBNN_OK)
    status = create_tensor(context, &in1, &error);
  if (status == WEBNN_OK)
    status = create_tensor(context, &in2, &error);
  if (status == WEBNN_OK)
    status = create_tensor(context, &out, &error);
  if (status == WEBNN_OK)
    status = run_graph(context, graph, in1, in2, out, result, &error);

  if (status != WEBNN_OK) {
    printf("%s: %s\n", webnn_status_name(status), error.message);
  } else {
    printf("output:"); /* (1 + 0.5) * (1 + 0.5) = 2.25, eight times */
    for (int i = 0; i < SIZE; i++)
      printf(" %g", result[i]);
    printf("\n");
  }

  /* Handles may be freed in any order, and freeing NULL does nothing. */
  webnn_free_tensor(out);
  webnn_free_tensor(in2);
  webnn_free_tensor(in1);
  webnn_free_graph(graph);
  webnn_free_context(context);
  return status == WEBNN_OK ? 0 : 1;
}
