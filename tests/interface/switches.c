/* A program of three operators, for switches.sh, which compiles it with each switch that leaves
   something out. It prints its result, and which instruction sets its build has. SWITCHES_FOURTH
   uses an operator that is not listed. Where nothing can be printed (SWITCHES_SILENT) its exit
   status says whether it worked. */
#ifdef SWITCHES_LISTED
#define WEBNN_ONLY_OPERATORS(X) X(MATMUL) X(ADD) X(RELU)
#endif
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

#ifndef SWITCHES_SILENT
#include <stdio.h>
#endif

/* y = relu(x w + b) */
static const float x[2] = {1, 2}, w[6] = {1, -2, 0.5f, 0.25f, -3, 4}, b[3] = {0.5f, 1, -1};
static const float expected[3] = {2, 0, 7.5f};

static webnn_operand *constant(webnn_builder *builder, webnn_list shape, const float *data,
                               size_t bytes) {
  webnn_operand_descriptor descriptor;
  descriptor.data_type = WEBNN_FLOAT32;
  descriptor.shape = shape;
  return webnn_constant(builder, descriptor, data, bytes);
}

static webnn_operand *describe(webnn_builder *builder) {
  webnn_operand_descriptor descriptor;
  webnn_operand *v;
  descriptor.data_type = WEBNN_FLOAT32;
  descriptor.shape = WEBNN_LIST(1, 2);
  v = webnn_input(builder, "x", descriptor);
  v = webnn_matmul(builder, v, constant(builder, WEBNN_LIST(2, 3), w, sizeof w), NULL);
  v = webnn_add(builder, v, constant(builder, WEBNN_LIST(3), b, sizeof b), NULL);
#ifdef SWITCHES_FOURTH
  v = webnn_softplus(builder, v, NULL);
#endif
  return webnn_relu(builder, v, NULL);
}

static bool run(const webnn_context_options *options, float *y, webnn_error *error) {
  webnn_context *context;
  webnn_builder *builder;
  webnn_graph *graph;
  webnn_named_operand result;
  webnn_named_input in;
  webnn_named_output out;
  webnn_create_context(options, &context, error);
  webnn_create_builder(context, &builder, error);
  result.name = "y";
  result.operand = describe(builder);
  webnn_build(builder, &result, 1, &graph, error);
  in.name = "x";
  in.data = x;
  in.byte_length = sizeof x;
  out.name = "y";
  out.data = y;
  out.byte_length = 3 * sizeof *y;
  webnn_compute(context, graph, &in, 1, &out, 1, error);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
  return error->status == WEBNN_OK && y[0] == expected[0] && y[1] == expected[1] &&
         y[2] == expected[2];
}

/* Are dynamic dimensions there, or refused with a message, as the switch has it? */
static bool dynamic_as_asked(void) {
#ifdef WEBNN_NO_DYNAMIC_SHAPES
  const bool wanted = false;
#else
  const bool wanted = true;
#endif
  webnn_context *context = NULL;
  webnn_builder *builder = NULL;
  webnn_operand_descriptor descriptor;
  bool named, unnamed;
  webnn_create_context(NULL, &context, NULL);
  webnn_create_builder(context, &builder, NULL);
  named = webnn_dynamic_dimension(builder, "n") != 0;
  named = named == wanted && (wanted || *webnn_builder_message(builder) != 0);
  webnn_builder_clear_error(builder);
  descriptor.data_type = WEBNN_FLOAT32;
  descriptor.shape = WEBNN_LIST(WEBNN_DYNAMIC_DIMENSION);
  unnamed = (webnn_input(builder, "x", descriptor) != NULL) == wanted;
  unnamed = unnamed && (wanted || *webnn_builder_message(builder) != 0);
  webnn_free_builder(builder);
  webnn_free_context(context);
  return named && unnamed;
}

int main(void) {
  float y[3] = {0, 0, 0};
  webnn_error error = WEBNN_ZERO;
  const bool works = run(NULL, y, &error) && dynamic_as_asked();
#ifndef SWITCHES_SILENT
  static const char *const names[] = {"best", "scalar", "SSE2", "AVX2", "AVX-512", "NEON", "WASM"};
  int set;
  printf("%s %s\n", works ? "works" : "fails", error.message);
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_error refused = WEBNN_ZERO;
    options.instruction_set = (webnn_instruction_set)set;
    if (run(&options, y, &refused)) {
      printf("has %s\n", names[set]);
    } else if (refused.status != WEBNN_NOT_SUPPORTED_ERROR) {
      printf("fails with %s: %s\n", names[set], refused.message);
    }
  }
#endif
  return works ? 0 : 1;
}
