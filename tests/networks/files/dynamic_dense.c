/* Runs the graph that `webnn convert` has written as C of the model dense.onnx (onnx_files.c) without sizes: for
   batches of two, one and three rows. The last one has other sizes in z, which does not fit. Prints y, a line
   each, or the error. */
#include "../dispatch.h"

#include <stdio.h>

webnn_graph *build_dynamic(webnn_context *context, const void *weights, size_t bytes,
                           webnn_error *error);

/* Rows of x and of z. */
static const uint32_t rows[3][2] = {{2, 2}, {1, 1}, {3, 2}};

static void *data_of(void *user, const char *name, webnn_list *shape) {
  static const float numbers[9] = {1, 0, 0, 0, 1, 1, 2, 3, 4};
  const uint32_t *sizes = (const uint32_t *)user;
  float *data = (float *)malloc(sizeof numbers);
  *shape = *name == 'x' ? WEBNN_LIST(sizes[0], 3) : WEBNN_LIST(sizes[1], 2);
  if (data != NULL) {
    memcpy(data, numbers, sizeof numbers);
  }
  return data;
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_graph *graph;
  dispatched results[2];
  size_t i, k, count;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  (void)webnn_create_context(&options, &context, NULL);
  graph = build_dynamic(context, NULL, 0, NULL);
  for (i = 0; i < 3 && graph != NULL; i++) {
    webnn_error error = WEBNN_ZERO;
    uint32_t sizes[2];
    memcpy(sizes, rows[i], sizeof sizes);
    if (dispatch_graph(context, graph, data_of, sizes, results, &count, &error) != WEBNN_OK) {
      puts(error.message);
    } else {
      for (k = 0; k < results[0].byte_length / 4; k++) {
        printf("%s%g", k > 0 ? " " : "", (double)((const float *)results[0].data)[k]);
      }
      putchar('\n');
    }
    free_results(results, count);
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
  return graph == NULL;
}
