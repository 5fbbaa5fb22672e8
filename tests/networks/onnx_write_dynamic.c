/* Graphs with dynamic dimensions written as ONNX models by webnn_onnx_write.h: sessions of
   webnn_onnx.h compute with the models the bits that the graphs compute, at several sizes, and
   dimensions have their names in the models; what needs sizes is refused, with the input.

     onnx_write_dynamic [--out FOLDER]

   FOLDER gets the models with inputs and results, which scripts/onnxruntime.js runs elsewhere. */
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

/* ---- Sizes ------------------------------------------------------------------------------------- */

static const webnn_slice_options by_two = {NULL, {{2, 1, 2, 1}, 4, true}};
static webnn_pad_options edge, symmetrically;
static const webnn_resample2d_options across = {
    NULL, WEBNN_INTERPOLATION_LINEAR, {{0}, 0, false}, {{0}, 0, false}, {{1, 2}, 2, true}};

static webnn_operand *cast_to(webnn_builder *b, webnn_operand *x, webnn_data_type type) {
  return webnn_cast(b, x, type, NULL);
}

static webnn_operand *as_int64(webnn_builder *b, webnn_operand *x) {
  return cast_to(b, x, WEBNN_INT64);
}

static webnn_operand *scalar(webnn_builder *b, int64_t number) {
  return webnn_constant_from_number(b, WEBNN_INT64, webnn_i64(number));
}

static webnn_operand *whole(webnn_builder *b, int64_t number) {
  return scalar(b, number);
}

/* [first, then, then, ...] */
static webnn_operand *list(webnn_builder *b, uint32_t count, uint32_t first, uint32_t then) {
  const webnn_operand_descriptor descriptor = {WEBNN_UINT32, {{count}, 1, true}};
  uint32_t items[WEBNN_MAX_RANK], i;
  for (i = 0; i < count; i++)
    items[i] = i ? then : first;
  return webnn_constant(b, descriptor, items, count * sizeof *items);
}

/* [0, 1, 0, 1] */
static webnn_operand *corner(webnn_builder *b) {
  webnn_operand *two = list(b, 2, 0, 1);
  return webnn_concat(b, WEBNN_OPERANDS(two, two), 0, NULL);
}

/* Some of the sizes of x. */
static webnn_operand *part(webnn_builder *b, webnn_operand *x, uint32_t first, uint32_t count) {
  return webnn_slice(b, webnn_shape(b, x, NULL), WEBNN_LIST(first), WEBNN_LIST(count), NULL);
}

/* One of them as a scalar of int64. */
static webnn_operand *size(webnn_builder *b, webnn_operand *x, uint32_t axis) {
  return as_int64(b, webnn_reshape(b, part(b, x, axis, 1), WEBNN_EMPTY_LIST, NULL));
}

static webnn_operand *product(webnn_builder *b, webnn_operand *x) {
  webnn_reduce_options o = WEBNN_ZERO;
  o.keep_dimensions = true;
  return webnn_reduce_product(b, webnn_shape(b, x, NULL), &o);
}

/* The halves of the sizes, rounded up. */
static webnn_operand *halves(webnn_builder *b, webnn_operand *x) {
  webnn_operand *shape = webnn_shape(b, x, NULL);
  return webnn_div(b, webnn_add(b, shape, list(b, 4, 1, 1), NULL), list(b, 4, 2, 2), NULL);
}

static webnn_operand *list_of_sizes(webnn_builder *b, webnn_operand *x) {
  webnn_operand *n = part(b, x, 0, 1), *one = list(b, 1, 1, 1);
  return webnn_concat(b, WEBNN_OPERANDS(one, n, one, one), 0, NULL);
}

static webnn_operand *doubled(webnn_builder *b, webnn_operand *sizes) {
  return webnn_mul(b, sizes, list(b, 1, 2, 2), NULL);
}

/* Two parts of the first dimension, which the sum with itself has twice. */
static webnn_operand *last_part(webnn_builder *b, webnn_operand *x) {
  webnn_operand *n = part(b, x, 0, 1), *parts[2] = {NULL, NULL};
  webnn_operand *twice = webnn_concat(b, WEBNN_OPERANDS(x, x), 0, NULL);
  (void)webnn_split_dynamic(b, twice, webnn_concat(b, WEBNN_OPERANDS(n, n), 0, NULL), NULL, parts);
  return parts[1];
}

/* ---- Layers ------------------------------------------------------------------------------------ */

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
LAYER(shape, webnn_shape(b, x, NULL))
LAYER(counted, webnn_range(b, scalar(b, 0), size(b, x, 2), scalar(b, 1), NULL))
LAYER(counted_down, webnn_range(b, cast_to(b, size(b, x, 0), WEBNN_INT32),
                                cast_to(b, scalar(b, -4), WEBNN_INT32),
                                cast_to(b, scalar(b, -2), WEBNN_INT32), NULL))
LAYER(padding_of_8, webnn_modulus_floor(b, webnn_neg(b, as_int64(b, webnn_shape(b, x, NULL)), NULL),
                                        whole(b, 8), NULL))
LAYER(rest_of_8, webnn_modulus_truncate(b, webnn_neg(b, as_int64(b, webnn_shape(b, x, NULL)), NULL),
                                        whole(b, 8), NULL))
LAYER(reshaped_by, webnn_reshape_dynamic(b, x, webnn_concat(b, WEBNN_OPERANDS(part(b, x, 2, 1),
                                         list(b, 2, 3, 6), part(b, x, 0, 1)), 0, NULL), NULL))
LAYER(one_row, webnn_reshape_dynamic(b, x, webnn_concat(b, WEBNN_OPERANDS(list(b, 1, 1, 1),
                                     product(b, x)), 0, NULL), NULL))
LAYER(expanded_by, webnn_expand_dynamic(b, row, webnn_concat(b, WEBNN_OPERANDS(part(b, x, 0, 1),
                                        part(b, x, 2, 2)), 0, NULL), NULL))
LAYER(sliced_by, webnn_slice_dynamic(b, x, webnn_sub(b, webnn_shape(b, x, NULL),
                                     webnn_shape(b, x, NULL), NULL), halves(b, x), NULL))
LAYER(sliced_in_steps, webnn_slice_dynamic(b, x, corner(b), webnn_sub(b, webnn_shape(b, x, NULL),
                                           corner(b), NULL), &by_two))
LAYER(padded_by, webnn_pad_dynamic(b, x, list(b, 4, 1, 0), halves(b, x), NULL))
LAYER(padded_by_edge, webnn_pad_dynamic(b, x, list(b, 4, 1, 0), halves(b, x), &edge))
LAYER(compared_sizes, webnn_where(b, webnn_greater(b, webnn_shape(b, x, NULL), list(b, 4, 2, 2), NULL),
                                  as_int64(b, webnn_shape(b, x, NULL)), as_int64(b, webnn_max(b,
                                  webnn_shape(b, x, NULL), list(b, 4, 3, 4), NULL)), NULL))
LAYER(different_sizes, webnn_not_equal(b, webnn_shape(b, x, NULL), list(b, 4, 1, 3), NULL))
LAYER(tiled_by, webnn_tile_dynamic(b, x, list_of_sizes(b, x), NULL))
LAYER(split_by, last_part(b, x))
LAYER(resampled_by, webnn_resample2d_dynamic(b, x, doubled(b, part(b, x, 2, 2)), NULL))
LAYER(resampled_across, webnn_resample2d_dynamic(b, x, doubled(b, part(b, x, 1, 2)), &across))
/* and what is refused */
LAYER(swapped, webnn_reshape(b, x, WEBNN_LIST(m_of(row), 18, n_of(x)), NULL))
LAYER(expanded_by_name, webnn_expand(b, constant(b, WEBNN_LIST(1, 3)), WEBNN_LIST(m_of(row), 3), NULL))
LAYER(without_scale, webnn_layer_normalization(b, x, NULL))
LAYER(of_no_rank, webnn_reduce_sum(b, webnn_squeeze(b, row, absent, NULL), NULL))
LAYER(pooled, webnn_max_pool2d(b, x, NULL))
LAYER(slope, webnn_prelu(b, x, row, NULL))
LAYER(resampled, webnn_resample2d(b, x, NULL))
LAYER(symmetric_by, webnn_pad_dynamic(b, x, list(b, 4, 0, 0), halves(b, x), &symmetrically))
LAYER(shape_of_no_rank, webnn_shape(b, webnn_squeeze(b, row, absent, NULL), NULL))
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
    WRITTEN(shape),
    WRITTEN(counted),
    WRITTEN(counted_down),
    WRITTEN(padding_of_8),
    WRITTEN(rest_of_8),
    WRITTEN(reshaped_by),
    WRITTEN(one_row),
    WRITTEN(expanded_by),
    WRITTEN(sliced_by),
    WRITTEN(sliced_in_steps),
    WRITTEN(padded_by),
    WRITTEN(padded_by_edge),
    WRITTEN(compared_sizes),
    WRITTEN(different_sizes),
    WRITTEN(tiled_by),
    WRITTEN(split_by),
    WRITTEN(resampled_by),
    WRITTEN(resampled_across),
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
    {"symmetric_by", symmetric_by, "(padDynamic): ONNX has no symmetric padding by sizes", false},
    {"shape_of_no_rank", shape_of_no_rank, "(squeeze): it needs the size of \"m\"", false},
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

/* ---- What other runtimes get -------------------------------------------------------------------- */

static const char *folder; /* NULL: nothing is kept */
static FILE *kept_list;
static unsigned kept;

/* Bytes as FOLDER/NUMBER.NAME, and the value in the list. */
static void keep_value(const char *separator, const char *name, const webnn_operand_descriptor *d,
                       const void *data) {
  char path[300];
  uint32_t i;
  FILE *file;
  fprintf(kept_list, "%s{\"file\": \"%u.%s\", \"name\": \"%s\", \"type\": \"%s\", \"shape\": [",
          separator, kept, name, name, webnn_data_type_name(d->data_type));
  for (i = 0; i < d->shape.count; i++)
    fprintf(kept_list, "%s%lu", i ? ", " : "", (unsigned long)d->shape.items[i]);
  fprintf(kept_list, "]}");
  snprintf(path, sizeof path, "%s/%u.%s", folder, kept, name);
  file = fopen(path, "wb");
  MUST("--out", file != NULL, "%s cannot be written", path);
  fwrite(data, 1, (size_t)webnn_byte_length(*d), file);
  CHECK("--out", fclose(file) == 0, "%s cannot be written", path);
}

static void keep_model(const every_text *text) {
  char path[300];
  FILE *file;
  snprintf(path, sizeof path, "%s/%u.onnx", folder, kept);
  file = fopen(path, "wb");
  MUST("--out", file != NULL, "%s cannot be written", path);
  fwrite(text->data, 1, text->length, file);
  CHECK("--out", fclose(file) == 0, "%s cannot be written", path);
}

static void keep(const layer *l, const every_text *text, const webnn_onnx_feed *feeds,
                 const webnn_onnx_port *y, const void *result) {
  webnn_operand_descriptor d;
  if (folder == NULL)
    return;
  keep_model(text);
  fprintf(kept_list, "{\"case\": \"%s: %u\", \"model\": \"%u.onnx\", \"inputs\": [", l->name,
          (unsigned)feeds[0].shape.items[0], kept);
  d.data_type = WEBNN_FLOAT32;
  d.shape = feeds[0].shape;
  keep_value("", "x", &d, feeds[0].data);
  d.shape = feeds[1].shape;
  keep_value(", ", "row", &d, feeds[1].data);
  fprintf(kept_list, "], \"outputs\": [");
  keep_value("", "y", &y->descriptor, result);
  fprintf(kept_list, "]}\n");
  kept++;
}

/* ---- Comparing ---------------------------------------------------------------------------------- */

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

static void compare(const layer *l, webnn_graph *graph, const every_text *text,
                    webnn_onnx_session *session, uint32_t n, uint32_t m) {
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
  keep(l, text, feeds, &ports[0], y);
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
        compare(l, graph, &text, session, sizes[i][0], l->image ? 2 : sizes[i][1]);
    }
    webnn_onnx_free_session(session);
    webnn_onnx_free(model);
  }
  webnn_free_graph(graph);
  free(text.data);
}

static void open_list(const char *path) {
  char name[300];
  folder = path;
  snprintf(name, sizeof name, "%s/list", path);
  kept_list = fopen(name, "wb");
  MUST("--out", kept_list != NULL, "%s cannot be written", name);
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  size_t i;
  if (count == 3 && strcmp(arguments[1], "--out") == 0)
    open_list(arguments[2]);
  for (i = 0; i < MOST_ELEMENTS; i++)
    numbers[i] = (float)((int)(i * 37 % 64) - 32) / 8.0f;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  edge.mode = WEBNN_PADDING_EDGE;
  symmetrically.mode = WEBNN_PADDING_SYMMETRIC;
  context = test_context(&options);
  for (i = 0; i < sizeof layers / sizeof *layers; i++)
    check_layer(&layers[i]);
  webnn_free_context(context);
  CHECK("--out", kept_list == NULL || fclose(kept_list) == 0, "the list cannot be written");
  return test_end();
}
