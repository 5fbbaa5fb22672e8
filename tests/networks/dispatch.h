/* Graphs dispatched over tensors, whose sizes may be open. */
#ifndef NETWORKS_DISPATCH_H
#define NETWORKS_DISPATCH_H

#include "webnn.h"

#include <stdlib.h>
#include <string.h>

enum { DISPATCH_PORTS = 80 };

typedef struct dispatched {
  webnn_list shape;
  void *data;
  size_t byte_length;
} dispatched;

static inline size_t bytes_of(webnn_data_type type, webnn_list shape) {
  size_t count = 1;
  uint32_t d;
  for (d = 0; d < shape.count; d++) {
    count *= shape.items[d];
  }
  return (count * webnn_data_type_bits(type) + 7) / 8;
}

static inline webnn_tensor *tensor_of(webnn_context *context, webnn_data_type type,
                                      webnn_list shape, const void *data, webnn_error *error) {
  webnn_tensor_descriptor descriptor = WEBNN_ZERO;
  webnn_tensor *tensor = NULL;
  descriptor.data_type = type;
  descriptor.shape = shape;
  descriptor.readable = descriptor.writable = true;
  if (webnn_create_tensor(context, descriptor, &tensor, error) == WEBNN_OK && data != NULL) {
    (void)webnn_write_tensor(context, tensor, data, bytes_of(type, shape), error);
  }
  return tensor;
}

/* The data of input NAME, as the graph takes it: to be freed. */
typedef void *data_of_input(void *user, const char *name, webnn_list *shape);

/* Asks for the shapes of the outputs, then dispatches the graph, whose sizes may be open. */
static inline webnn_status dispatch_graph(webnn_context *context, webnn_graph *graph,
                                          data_of_input *data_of, void *user, dispatched *results,
                                          size_t *result_count, webnn_error *error) {
  webnn_graph_port in[DISPATCH_PORTS], out[DISPATCH_PORTS];
  webnn_named_shape shapes[DISPATCH_PORTS], found[DISPATCH_PORTS];
  webnn_named_tensor inputs[DISPATCH_PORTS], outputs[DISPATCH_PORTS];
  const size_t ins = webnn_graph_inputs(graph, in, DISPATCH_PORTS);
  const size_t outs = webnn_graph_outputs(graph, out, DISPATCH_PORTS);
  size_t i;
  *result_count = outs;
  memset(results, 0, outs * sizeof *results);
  memset(outputs, 0, sizeof outputs);
  for (i = 0; i < ins; i++) {
    void *data = data_of(user, in[i].name, &shapes[i].shape);
    shapes[i].name = inputs[i].name = in[i].name;
    inputs[i].tensor = tensor_of(context, in[i].descriptor.data_type, shapes[i].shape, data, error);
    free(data);
  }
  (void)webnn_compute_shapes(graph, shapes, ins, found, DISPATCH_PORTS, error);
  for (i = 0; i < outs && error->status == WEBNN_OK; i++) {
    results[i].shape = found[i].shape;
    results[i].byte_length = bytes_of(out[i].descriptor.data_type, found[i].shape);
    results[i].data = calloc(results[i].byte_length + 1, 1);
    outputs[i].name = out[i].name;
    outputs[i].tensor =
        tensor_of(context, out[i].descriptor.data_type, found[i].shape, NULL, error);
  }
  if (error->status == WEBNN_OK) {
    (void)webnn_dispatch(context, graph, inputs, ins, outputs, outs, error);
  }
  for (i = 0; i < outs && error->status == WEBNN_OK; i++) {
    (void)webnn_read_tensor(context, outputs[i].tensor, results[i].data, results[i].byte_length,
                            error);
  }
  for (i = 0; i < ins; i++) {
    webnn_free_tensor(inputs[i].tensor);
  }
  for (i = 0; i < outs; i++) {
    webnn_free_tensor(outputs[i].tensor);
  }
  return error->status;
}

static inline void free_results(dispatched *results, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    free(results[i].data);
  }
}

static inline bool equal_results(const dispatched *a, size_t a_count, const dispatched *b,
                                 size_t b_count) {
  bool same = a_count == b_count;
  size_t i;
  for (i = 0; i < a_count && same; i++) {
    same = a[i].shape.count == b[i].shape.count &&
           memcmp(a[i].shape.items, b[i].shape.items, a[i].shape.count * sizeof(uint32_t)) == 0 &&
           a[i].byte_length == b[i].byte_length &&
           memcmp(a[i].data, b[i].data, a[i].byte_length) == 0;
  }
  return same;
}

#endif
