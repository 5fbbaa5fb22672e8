/* Graphs with dynamic dimensions written as ONNX models by webnn_onnx_write.h: sessions of
   webnn_onnx.h compute with the models the bits that the graphs compute, at several sizes, and
   dimensions have their names in the models; what needs sizes is refused, with the input. */
#include "every_operator.h"
#include "webnn_onnx.h"
#include "webnn_onnx_write.h"

enum { MOST_ELEMENTS = 8192, MOST_PORTS = 4, SIZES = 4 };

static const webnn_list absent; /* all zero */
static webnn_context *context;
static float numbers[MOST_ELEMENTS];

/* ---- Operators of x, which is float32 [n, 3, m, 6], and of row, which is [m, 1] ----------------- */

static webnn_operand *constant(webnn_builder *b, webnn_list shape) {
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  descriptor.data_type = WEBNN_FLOAT32;
  descriptor.shape = shape;
  return webnn_constant(b, descriptor, numbers, 4 * test_element_count(shape));
}

static uint32_t n_of(webnn_operand *x) {
  return webnn_operand_shape(x).items[0];
}

static uint32_t m_of(webnn_operand *row) {
  return webnn_operand_shape(row).items[0];
}

#define LAYER(name, ...)                                                                           \
  static webnn_operand *name(webnn_builder *b, webnn_operand *x, webnn_operand *row) {             \
    (void)x, (void)row;                                                                            \
    return __VA_ARGS__;                                                                            \
  }
/* clang-format off */
LAYER(broadcast, webnn_add(b, x, row, NULL))
LAYER(clamped, webnn_clamp(b, webnn_linear(b, webnn_elu(b, x, NULL), NULL), NULL))
LAYER(compared, webnn_logical_not(b, webnn_greater(b, x, row, NULL), NULL))
LAYER(different, webnn_not_equal(b, x, row, NULL))
LAYER(chosen, webnn_where(b, webnn_equal(b, x, row, NULL), x, row, NULL))
LAYER(cast, webnn_cast(b, x, WEBNN_INT32, NULL))
LAYER(power, webnn_pow(b, webnn_abs(b, x, NULL), row, NULL))
LAYER(convolved, webnn_conv2d(b, x, constant(b, WEBNN_LIST(4, 3, 1, 3)), NULL))
LAYER(multiplied, webnn_matmul(b, x, constant(b, WEBNN_LIST(6, 4)), NULL))
LAYER(general, webnn_gemm(b, row, constant(b, WEBNN_LIST(1, 4)), NULL))
LAYER(reduced, webnn_reduce_sum(b, x, NULL))
LAYER(reversed, webnn_reverse(b, x, NULL))
LAYER(transposed, webnn_transpose(b, x, NULL))
LAYER(shares, webnn_softmax(b, x, 2, NULL))
LAYER(largest, webnn_arg_max(b, x, 2, NULL))
LAYER(summed, webnn_cumulative_sum(b, x, 0, NULL))
LAYER(joined, webnn_concat(b, WEBNN_OPERANDS(x, x), 2, NULL))
LAYER(sliced, webnn_slice(b, x, WEBNN_LIST(0, 1, 0, 2), WEBNN_LIST(1, 2, 1, 3), NULL))
LAYER(padded, webnn_pad(b, x, WEBNN_LIST(0, 0, 1, 0), WEBNN_LIST(0, 0, 0, 2), NULL))
LAYER(tiled, webnn_tile(b, x, WEBNN_LIST(1, 2, 3, 1), NULL))
LAYER(triangle, webnn_triangular(b, x, NULL))
LAYER(gathered, webnn_gather(b, x, webnn_cast(b, webnn_sub(b, row, row, NULL), WEBNN_INT32, NULL), NULL))
LAYER(batch_normalized, webnn_batch_normalization(b, x, constant(b, WEBNN_LIST(3)),
                                                  webnn_abs(b, constant(b, WEBNN_LIST(3)), NULL), NULL))
LAYER(instance_normalized, webnn_instance_normalization(b, x, NULL))
LAYER(reshaped, webnn_reshape(b, x, WEBNN_LIST(n_of(x), 18, m_of(row)), NULL))
LAYER(one_found, webnn_reshape(b, row, WEBNN_LIST(1, m_of(row)), NULL))
LAYER(expanded, webnn_expand(b, row, WEBNN_LIST(4, m_of(row), 5), NULL))
LAYER(unsqueezed, webnn_squeeze(b, webnn_unsqueeze(b, x, WEBNN_LIST(0, 2), NULL), WEBNN_LIST(2), NULL))
LAYER(flat, webnn_flatten(b, x, 1, NULL))
LAYER(layer_normalized, webnn_layer_normalization(b, row, NULL))
/* and what is refused */
LAYER(swapped, webnn_reshape(b, x, WEBNN_LIST(m_of(row), 18, n_of(x)), NULL))
LAYER(expanded_by_name, webnn_expand(b, constant(b, WEBNN_LIST(1, 3)), WEBNN_LIST(m_of(row), 3), NULL))
LAYER(without_scale, webnn_layer_normalization(b, x, NULL))
LAYER(of_no_rank, webnn_reduce_sum(b, webnn_squeeze(b, row, absent, NULL), NULL))
LAYER(pooled, webnn_max_pool2d(b, x, NULL))
LAYER(slope, webnn_prelu(b, x, row, NULL))
LAYER(resampled, webnn_resample2d(b, x, NULL))
/* clang-format on */
#undef LAYER

/* An image of which only the batch is dynamic. */
static webnn_operand *image(webnn_builder *b, webnn_operand *x) {
  webnn_operand *y = webnn_reshape(b, x, WEBNN_LIST(n_of(x), 3, 2, 6), NULL);
  return webnn_relu(b, y, NULL);
}

static webnn_operand *batch_pooled(webnn_builder *b, webnn_operand *x, webnn_operand *row) {
  webnn_pool2d_options o = WEBNN_ZERO;
  (void)row;
  o.window_dimensions = WEBNN_LIST(1, 2);
  o.output_shape_rounding = WEBNN_ROUNDING_CEIL;
  o.strides = WEBNN_LIST(1, 2);
  return webnn_max_pool2d(b, image(b, x), &o);
}

static webnn_operand *batch_averaged(webnn_builder *b, webnn_operand *x, webnn_operand *row) {
  (void)row;
  return webnn_average_pool2d(b, image(b, x), NULL);
}

static webnn_operand *batch_deconvolved(webnn_builder *b, webnn_operand *x, webnn_operand *row) {
  (void)row;
  return webnn_conv_transpose2d(b, image(b, x), constant(b, WEBNN_LIST(3, 2, 2, 2)), NULL);
}

static webnn_operand *symmetric(webnn_builder *b, webnn_operand *x, webnn_operand *row) {
  webnn_pad_options o = WEBNN_ZERO;
  (void)row;
  o.mode = WEBNN_PADDING_SYMMETRIC;
  return webnn_pad(b, x, WEBNN_LIST(0, 0, 0, 1), WEBNN_LIST(0, 0, 0, 0), &o);
}

typedef struct layer {
  const char *name;
  webnn_operand *(*make)(webnn_builder *b, webnn_operand *x, webnn_operand *row);
  const char *refusal; /* NULL: it is written */
  bool image;          /* m is 2 */
} layer;

#define WRITTEN(name)                                                                              \
  { #name, name, NULL, false }
#define IMAGE(name)                                                                                \
  { #name, name, NULL, true }
static const layer layers[] = {
    WRITTEN(broadcast),
    WRITTEN(clamped),
    WRITTEN(compared),
    WRITTEN(different),
    WRITTEN(chosen),
    WRITTEN(cast),
    WRITTEN(power),
    WRITTEN(convolved),
    WRITTEN(multiplied),
    WRITTEN(general),
    WRITTEN(reduced),
    WRITTEN(reversed),
    WRITTEN(transposed),
    WRITTEN(shares),
    WRITTEN(largest),
    WRITTEN(summed),
    WRITTEN(joined),
    WRITTEN(sliced),
    WRITTEN(padded),
    WRITTEN(tiled),
    WRITTEN(triangle),
    WRITTEN(gathered),
    WRITTEN(batch_normalized),
    WRITTEN(instance_normalized),
    WRITTEN(reshaped),
    WRITTEN(one_found),
    WRITTEN(expanded),
    WRITTEN(unsqueezed),
    WRITTEN(flat),
    WRITTEN(layer_normalized),
    IMAGE(batch_pooled),
    IMAGE(batch_averaged),
    IMAGE(batch_deconvolved),
    {"swapped", swapped, "(reshape): it needs the size of \"n\" of input \"x\"", false},
    {"expanded_by_name", expanded_by_name, "(expand): it needs the size of \"m\" of input \"row\"",
     false},
    {"without_scale", without_scale, "(layerNormalization): it needs the size of \"m\" of input",
     false},
    {"of_no_rank", of_no_rank, "(squeeze): it needs the size of \"m\" of input \"row\"", false},
    {"pooled", pooled, "(maxPool2d): it needs the size of \"m\" of input", false},
    {"slope", slope, "(prelu): it needs the size of \"n\" of input \"x\"", false},
    {"resampled", resampled, "(resample2d): it needs the size of \"n\" of input \"x\"", false},
    {"symmetric", symmetric, "(pad): it needs the size of \"n\" of input \"x\"", false}};

/* ---- The graph and the model beside it ---------------------------------------------------------- */

static webnn_graph *build(const layer *l) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n"), m = webnn_dynamic_dimension(b, "m");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 3, m, 6));
  webnn_operand *row = webnn_input(b, "row", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, m, 1));
  webnn_operand *zero = webnn_sub(b, row, row, NULL); /* so that both are inputs */
  webnn_operand *y = l->make(b, x, row);
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}, {"x too", webnn_add(b, x, zero, NULL)}),
                    &graph, &error);
  MUST(l->name, graph != NULL, "%s", error.message);
  webnn_free_builder(b);
  return graph;
}

/* The result of the graph for these inputs, whose shapes are known. */
static void dispatch(webnn_graph *graph, const webnn_onnx_feed *feeds, const webnn_onnx_port *y,
                     void *result, size_t bytes) {
  const webnn_onnx_port *const out[2] = {y, NULL};
  webnn_tensor *tensors[4] = {NULL, NULL, NULL, NULL};
  webnn_error error = WEBNN_ZERO;
  size_t i;
  for (i = 0; i < 4; i++) {
    webnn_tensor_descriptor descriptor = WEBNN_ZERO;
    const size_t of = i < 2 ? i : 0; /* "x too" is as x */
    descriptor.data_type = i == 2 ? out[0]->descriptor.data_type : WEBNN_FLOAT32;
    descriptor.shape = i == 2 ? out[0]->descriptor.shape : feeds[of].shape;
    descriptor.readable = descriptor.writable = true;
    (void)webnn_create_tensor(context, descriptor, &tensors[i], &error);
    if (i < 2)
      (void)webnn_write_tensor(context, tensors[i], feeds[i].data, feeds[i].byte_length, &error);
  }
  (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", tensors[0]}, {"row", tensors[1]}),
                       WEBNN_NAMED_TENSORS({"y", tensors[2]}, {"x too", tensors[3]}), &error);
  (void)webnn_read_tensor(context, tensors[2], result, bytes, &error);
  MUST("dispatch", error.status == WEBNN_OK, "%s", error.message);
  for (i = 0; i < 4; i++)
    webnn_free_tensor(tensors[i]);
}

static void compare(const layer *l, webnn_graph *graph, webnn_onnx_session *session, uint32_t n,
                    uint32_t m) {
  static uint64_t y[MOST_ELEMENTS], other[MOST_ELEMENTS], rest[MOST_ELEMENTS];
  webnn_onnx_feed feeds[2] = {{"x", WEBNN_LIST(n, 3, m, 6), numbers, 0},
                              {"row", WEBNN_LIST(m, 1), numbers, 0}};
  webnn_onnx_port ports[MOST_PORTS];
  webnn_named_output outputs[2];
  webnn_error error = WEBNN_ZERO;
  size_t bytes;
  feeds[0].byte_length = (size_t)n * 3 * m * 6 * 4;
  feeds[1].byte_length = (size_t)m * 4;
  if (!CHECK(l->name, webnn_onnx_compute_shapes(session, feeds, 2, ports, &error) == WEBNN_OK,
             "%u, %u: %s", (unsigned)n, (unsigned)m, error.message))
    return;
  bytes = (size_t)webnn_byte_length(ports[0].descriptor);
  MUST(l->name, bytes > 0 && bytes <= sizeof y, "%lu bytes", (unsigned long)bytes);
  memset(y, 0xA5, bytes);
  outputs[0].name = "y";
  outputs[0].data = y;
  outputs[0].byte_length = bytes;
  outputs[1].name = "x too";
  outputs[1].data = rest;
  outputs[1].byte_length = feeds[0].byte_length;
  CHECK(l->name, webnn_onnx_run(session, feeds, 2, outputs, 2, &error) == WEBNN_OK, "%s",
        error.message);
  dispatch(graph, feeds, &ports[0], other, bytes);
  CHECK(l->name, memcmp(y, other, bytes) == 0, "%u, %u: other bits", (unsigned)n, (unsigned)m);
}

/* The names of the model are those of the graph. */
static void check_names(const layer *l, const webnn_graph *graph, const webnn_onnx_model *model) {
  webnn_onnx_port ports[MOST_PORTS];
  webnn_graph_port own[2];
  uint32_t d;
  MUST(l->name, webnn_onnx_inputs(model, ports, MOST_PORTS) == 2, "other inputs");
  CHECK(l->name,
        strcmp(ports[0].dimension_names[0], "n") == 0 && ports[0].dimension_names[1] == NULL &&
            strcmp(ports[0].dimension_names[2], "m") == 0 &&
            strcmp(ports[1].dimension_names[0], "m") == 0,
        "names of inputs");
  (void)webnn_onnx_outputs(model, ports, MOST_PORTS);
  (void)webnn_graph_outputs(graph, own, 2);
  CHECK(l->name, ports[0].descriptor.shape.count == own[0].descriptor.shape.count, "another rank");
  for (d = 0; d < own[0].descriptor.shape.count; d++) {
    const char *name = webnn_graph_dimension_name(graph, own[0].descriptor.shape.items[d]);
    CHECK(l->name,
          name == NULL ? ports[0].descriptor.shape.items[d] == own[0].descriptor.shape.items[d]
                       : ports[0].dimension_names[d] != NULL &&
                             strcmp(ports[0].dimension_names[d], name) == 0,
          "dimension %u of y", (unsigned)d);
  }
}

static void check_layer(const layer *l) {
  static const uint32_t sizes[SIZES][2] = {{1, 1}, {2, 5}, {3, 2}, {1, 7}};
  webnn_graph *graph = build(l);
  every_text text = {NULL, 0, 0};
  webnn_error error = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_onnx_session *session = NULL;
  size_t i;
  const webnn_status status = webnn_onnx_write(graph, NULL, every_write, &text, &error);
  if (l->refusal != NULL) {
    CHECK(l->name,
          status == WEBNN_NOT_SUPPORTED_ERROR && text.length == 0 &&
              strstr(error.message, l->refusal) != NULL,
          "'%s' expected in '%s'", l->refusal, error.message);
  } else if (CHECK(l->name, status == WEBNN_OK, "%s", error.message)) {
    (void)webnn_onnx_read(text.data, text.length, NULL, NULL, &model, &error);
    (void)webnn_onnx_create_session(model, context, NULL, &session, &error);
    if (CHECK(l->name, session != NULL, "%s", error.message)) {
      check_names(l, graph, model);
      for (i = 0; i < SIZES; i++)
        compare(l, graph, session, sizes[i][0], l->image ? 2 : sizes[i][1]);
    }
    webnn_onnx_free_session(session);
    webnn_onnx_free(model);
  }
  webnn_free_graph(graph);
  free(text.data);
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  size_t i;
  for (i = 0; i < MOST_ELEMENTS; i++)
    numbers[i] = (float)((int)(i * 37 % 64) - 32) / 8.0f;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  context = test_context(&options);
  for (i = 0; i < sizeof layers / sizeof *layers; i++)
    check_layer(&layers[i]);
  webnn_free_context(context);
  return test_end();
}
