/* network.h - the network that digits.c runs and train.c trains, and the file of its weights.

   image  [N,  1, 28, 28]
   conv1  [N,  8, 13, 13]   5 x 5, every second pixel, relu
   conv2  [N, 16,  5,  5]   5 x 5, every second pixel, relu
   dense1 [N, 64]           relu
   dense2 [N, 10]           softmax makes these the probabilities of the digits 0 ... 9

   140 thousand multiply-adds an image, 29738 weights. */
#ifndef EXAMPLES_NETWORK_H
#define EXAMPLES_NETWORK_H

#include "../common.h"

enum {
  IMAGE_SIDE = 28,
  IMAGE_PIXELS = IMAGE_SIDE * IMAGE_SIDE,
  DIGITS = 10,
  FEATURES = 16 * 5 * 5 /* elements of conv2's output */
};

/* The trained values. A bias follows each filter or matrix; `inputs` is how many numbers one output
   is summed from, which says how large random starting values should be. */
typedef struct network_parameter {
  const char *name;
  uint32_t rank, shape[4], inputs;
} network_parameter;

enum {
  CONV1_FILTER,
  CONV1_BIAS,
  CONV2_FILTER,
  CONV2_BIAS,
  DENSE1_MATRIX,
  DENSE1_BIAS,
  DENSE2_MATRIX,
  DENSE2_BIAS,
  PARAMETERS
};

static const network_parameter network_parameters[PARAMETERS] = {
    {"conv1.filter", 4, {8, 1, 5, 5}, 25},        {"conv1.bias", 1, {8, 0, 0, 0}, 0},
    {"conv2.filter", 4, {16, 8, 5, 5}, 200},      {"conv2.bias", 1, {16, 0, 0, 0}, 0},
    {"dense1.matrix", 2, {400, 64, 0, 0}, 400},   {"dense1.bias", 1, {64, 0, 0, 0}, 0},
    {"dense2.matrix", 2, {64, DIGITS, 0, 0}, 64}, {"dense2.bias", 1, {DIGITS, 0, 0, 0}, 0},
};

static inline webnn_list parameter_shape(int i) {
  return webnn_list_of(network_parameters[i].shape, network_parameters[i].rank);
}

static inline size_t parameter_count(int i) {
  size_t count = 1;
  for (uint32_t k = 0; k < network_parameters[i].rank; k++)
    count *= network_parameters[i].shape[k];
  return count;
}

/* What each layer gives; training needs them all, reading digits only the last. */
typedef struct network_layers {
  webnn_operand *conv1, *conv2, *flat, *dense1, *probabilities;
} network_layers;

/* conv1 pads one row above and one column to the left, so that 5 x 5 windows at every second pixel
   fit exactly: (1 + 28 - 5) / 2 + 1 = 13. */
#define CONV1_PADDING WEBNN_LIST(1, 0, 1, 0)

static inline network_layers build_network(webnn_builder *b, webnn_operand *images,
                                           uint32_t image_count, webnn_operand *const *parameters) {
  network_layers n;
  webnn_conv2d_options conv1 = {.label = "conv1",
                                .padding = CONV1_PADDING,
                                .strides = WEBNN_LIST(2, 2),
                                .bias = parameters[CONV1_BIAS]};
  webnn_conv2d_options conv2 = {
      .label = "conv2", .strides = WEBNN_LIST(2, 2), .bias = parameters[CONV2_BIAS]};
  webnn_gemm_options dense1 = {.label = "dense1", .c = parameters[DENSE1_BIAS]};
  webnn_gemm_options dense2 = {.label = "dense2", .c = parameters[DENSE2_BIAS]};

  n.conv1 = webnn_relu(b, webnn_conv2d(b, images, parameters[CONV1_FILTER], &conv1), NULL);
  n.conv2 = webnn_relu(b, webnn_conv2d(b, n.conv1, parameters[CONV2_FILTER], &conv2), NULL);
  n.flat = webnn_reshape(b, n.conv2, WEBNN_LIST(image_count, FEATURES), NULL);
  n.dense1 = webnn_relu(b, webnn_gemm(b, n.flat, parameters[DENSE1_MATRIX], &dense1), NULL);
  webnn_operand *scores = webnn_gemm(b, n.dense1, parameters[DENSE2_MATRIX], &dense2);
  n.probabilities = webnn_softmax(b, scores, 1, NULL);
  return n;
}

/* ---- The file of weights ------------------------------------------------------------------------

   All little-endian: the 8 bytes "WNNDIGIT"; a uint32, the number of arrays; then for each array a
   uint32, its rank, that many uint32 dimensions, and its elements as float32 in row-major order. */

#define WEIGHTS_MAGIC "WNNDIGIT"

static inline void write_weights(const char *path, float *const *values) {
  FILE *file = fopen(path, "wb");
  if (!file)
    fail("%s: cannot be written", path);
  fputs(WEIGHTS_MAGIC, file);
  put_little_endian(file, PARAMETERS, 4);
  for (int i = 0; i < PARAMETERS; i++) {
    put_little_endian(file, network_parameters[i].rank, 4);
    for (uint32_t k = 0; k < network_parameters[i].rank; k++)
      put_little_endian(file, network_parameters[i].shape[k], 4);
    for (size_t k = 0; k < parameter_count(i); k++) {
      uint32_t bits;
      memcpy(&bits, &values[i][k], 4);
      put_little_endian(file, bits, 4);
    }
  }
  if (ferror(file) || fclose(file) != 0)
    fail("%s: cannot be written", path);
}

/* Reads the arrays into new memory; the file must hold exactly the shapes above. */
static inline void read_weights(const char *path, float **values) {
  file_reader r = read_file(path);
  if (r.size < 8 || memcmp(take(&r, 8), WEIGHTS_MAGIC, 8) != 0)
    fail("%s: not a file of weights written by train", path);
  if (little_endian(take(&r, 4), 4) != PARAMETERS)
    fail("%s: not the weights of this network: expected %d arrays", path, (int)PARAMETERS);
  for (int i = 0; i < PARAMETERS; i++) {
    bool same = little_endian(take(&r, 4), 4) == network_parameters[i].rank;
    for (uint32_t k = 0; same && k < network_parameters[i].rank; k++)
      same = little_endian(take(&r, 4), 4) == network_parameters[i].shape[k];
    if (!same)
      fail("%s: %s has another shape than this network", path, network_parameters[i].name);
    values[i] = take_floats(&r, parameter_count(i));
  }
  if (r.position != r.size)
    fail("%s: longer than the weights of this network", path);
  free(r.bytes);
}

/* ---- From the file to a graph ------------------------------------------------------------------ */

/* The network of one image: input "image" [1, 1, 28, 28], output "probabilities" [1, 10]. */
static inline webnn_graph *load_network(webnn_context *context, const char *weights_path) {
  webnn_error error = WEBNN_ZERO;
  webnn_builder *builder;
  webnn_graph *graph;
  float *values[PARAMETERS];
  webnn_operand *parameters[PARAMETERS];
  read_weights(weights_path, values);
  check(webnn_create_builder(context, &builder, &error), &error);
  for (int i = 0; i < PARAMETERS; i++) {
    webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, parameter_shape(i)};
    parameters[i] =
        webnn_constant(builder, descriptor, values[i], parameter_count(i) * sizeof(float));
    free(values[i]); /* the builder has its own copy */
  }
  webnn_operand *image =
      webnn_input(builder, "image", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1, IMAGE_SIDE, IMAGE_SIDE));
  network_layers layers = build_network(builder, image, 1, parameters);
  check(webnn_build(builder, WEBNN_NAMED_OPERANDS({"probabilities", layers.probabilities}), &graph,
                    &error),
        &error);
  webnn_free_builder(builder);
  return graph;
}

#endif
