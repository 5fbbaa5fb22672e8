/* mobilenetv2.c - describes a photo by the 1280 numbers of MobileNetV2.

   It shows a deep network built by loops from one file for each array, depthwise convolutions (as
   many groups as channels), residual additions, and preprocessing that is part of the graph: the
   graph's input is the photo as it is, of any size; resizing, cropping and normalizing are
   operators too.

   Build and run:   cc -O2 -I../.. -pthread mobilenetv2.c -o mobilenetv2 && ./mobilenetv2 FOLDER
                    FOLDER has conv_N_weight.npy and conv_N_bias.npy
                    ./mobilenetv2 FOLDER photo.ppm   for another photo than FOLDER/test.ppm
   Read next:       ../nsnet2/nsnet2.c, a recurrent network for sound. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

#include "../common.h"

enum { CROP = 224, SHORT_SIDE = 256, FEATURES = 1280 };

/* ---- The photo as the network wants it ------------------------------------------------------- */

/* From [1, height, width, 3] of 0 ... 1 to [1, 3, 224, 224]: the short side becomes 256 pixels, the
   middle is cut out, and each colour gets mean 0 and deviation 1 over all of ImageNet. */
static webnn_operand *preprocess(webnn_builder *b, webnn_operand *photo, size_t width,
                                 size_t height) {
  static const float mean[3] = {0.485f, 0.456f, 0.406f}, deviation[3] = {0.229f, 0.224f, 0.225f};
  size_t shorter = width < height ? width : height;
  uint32_t w = (uint32_t)((width * SHORT_SIDE + shorter / 2) / shorter);
  uint32_t h = (uint32_t)((height * SHORT_SIDE + shorter / 2) / shorter);
  webnn_resample2d_options bilinear = {
      .mode = WEBNN_INTERPOLATION_LINEAR, .sizes = WEBNN_LIST(h, w), .axes = WEBNN_LIST(1, 2)};
  webnn_transpose_options channels_first = {.permutation = WEBNN_LIST(0, 3, 1, 2)};
  const webnn_operand_descriptor colour = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3);

  webnn_operand *x = webnn_resample2d(b, photo, &bilinear);
  x = webnn_slice(b, x, WEBNN_LIST(0, (h - CROP) / 2, (w - CROP) / 2, 0),
                  WEBNN_LIST(1, CROP, CROP, 3), NULL);
  x = webnn_sub(b, x, webnn_constant(b, colour, mean, sizeof mean), NULL);
  x = webnn_div(b, x, webnn_constant(b, colour, deviation, sizeof deviation), NULL);
  return webnn_transpose(b, x, &channels_first);
}

/* ---- The network ----------------------------------------------------------------------------- */

/* The files are numbered by the place of the convolution among all convolutions, clamps and
   additions, so the counter here counts those. */
typedef struct model {
  webnn_builder *builder;
  const char *folder;
  int operators;
} model;

static webnn_operand *conv(model *m, webnn_operand *x, uint32_t padding, uint32_t stride,
                           uint32_t groups) {
  char weight[32], bias[32];
  snprintf(weight, sizeof weight, "conv_%d_weight.npy", m->operators);
  snprintf(bias, sizeof bias, "conv_%d_bias.npy", m->operators);
  m->operators++;
  webnn_conv2d_options options = {.label = weight,
                                  .padding = WEBNN_LIST(padding, padding, padding, padding),
                                  .strides = WEBNN_LIST(stride, stride),
                                  .groups = groups,
                                  .bias = npy_constant(m->builder, m->folder, bias)};
  return webnn_conv2d(m->builder, x, npy_constant(m->builder, m->folder, weight), &options);
}

static webnn_operand *clamp(model *m, webnn_operand *x) {
  webnn_clamp_options relu6 = {.min_value = webnn_f64(0), .max_value = webnn_f64(6)};
  m->operators++;
  return webnn_clamp(m->builder, x, &relu6);
}

static uint32_t channels_of(const webnn_operand *x) {
  webnn_list shape = webnn_operand_shape(x); /* empty after an error, which build will report */
  return shape.count == 4 ? shape.items[1] : 1;
}

/* More channels, each filtered by itself, fewer channels: an inverted residual block. */
static webnn_operand *block(model *m, webnn_operand *input, bool expand, uint32_t stride,
                            uint32_t channels) {
  webnn_operand *x = input;
  if (expand)
    x = clamp(m, conv(m, x, 0, 1, 1));
  x = clamp(m, conv(m, x, 1, stride, channels_of(x)));
  x = conv(m, x, 0, 1, 1);
  if (stride == 1 && channels_of(input) == channels) {
    m->operators++;
    x = webnn_add(m->builder, x, input, NULL);
  }
  return x;
}

static webnn_operand *mobilenetv2(model *m, webnn_operand *x) {
  static const struct {
    uint32_t channels, repeats, stride;
  } stages[] = {{16, 1, 1}, {24, 2, 2},  {32, 3, 2}, {64, 4, 2},
                {96, 3, 1}, {160, 3, 2}, {320, 1, 1}};
  x = clamp(m, conv(m, x, 1, 2, 1));
  for (size_t s = 0; s < sizeof stages / sizeof stages[0]; s++)
    for (uint32_t i = 0; i < stages[s].repeats; i++)
      x = block(m, x, s > 0, i == 0 ? stages[s].stride : 1, stages[s].channels);
  x = clamp(m, conv(m, x, 0, 1, 1));
  webnn_reduce_options pixels = {.axes = WEBNN_LIST(2, 3)};
  return webnn_reduce_mean(m->builder, x, &pixels);
}

static webnn_graph *build_model(webnn_context *context, const char *folder, const picture *photo) {
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph;
  model m = {NULL, folder, 0};
  check(webnn_create_builder(context, &m.builder, &error), &error);
  webnn_operand *input = webnn_input(
      m.builder, "photo",
      WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, (uint32_t)photo->height, (uint32_t)photo->width, 3));
  webnn_operand *x = preprocess(m.builder, input, photo->width, photo->height);
  x = mobilenetv2(&m, x);
  check(webnn_build(m.builder, WEBNN_NAMED_OPERANDS({"features", x}), &graph, &error), &error);
  webnn_free_builder(m.builder);
  return graph;
}

/* ---- The program ----------------------------------------------------------------------------- */

static void run(webnn_context *context, webnn_graph *graph, const picture *photo, float *features) {
  webnn_error error = WEBNN_ZERO;
  size_t bytes = photo->width * photo->height * 3 * sizeof *photo->pixels;
  check(webnn_compute(context, graph, WEBNN_INPUTS({"photo", photo->pixels, bytes}),
                      WEBNN_OUTPUTS({"features", features, FEATURES * sizeof *features}), &error),
        &error);
}

/* The five largest features, and two sums by which runs can be compared. */
static void print_features(const float *features) {
  double sum = 0, weighted = 0;
  bool shown[FEATURES] = {false};
  for (int k = 0; k < 5; k++) {
    int best = -1;
    for (int i = 0; i < FEATURES; i++)
      if (!shown[i] && (best < 0 || features[i] > features[best]))
        best = i;
    shown[best] = true;
    printf("feature %4d: %.4f\n", best, (double)features[best]);
  }
  for (int i = 0; i < FEATURES; i++) {
    sum += (double)features[i];
    weighted += (double)features[i] * (i + 1);
  }
  printf("checksums: sum %.3f, sum weighted by position %.1f\n", sum, weighted);
}

int main(int argc, char **argv) {
  bool on_gpu = takes_vulkan(&argc, argv);
  if (argc < 2 || argc > 3)
    fail("usage: mobilenetv2 [--vulkan] FOLDER [photo.ppm]");
  char path[512];
  snprintf(path, sizeof path, argc == 3 ? "%.500s" : "%.500s/test.ppm", argv[argc - 1]);
  picture photo = read_pnm(path);
  if (photo.channels != 3)
    fail("%s: not in colour", path);

  float features[FEATURES];
  double start = seconds();
  webnn_context *context = open_context(on_gpu);
  webnn_graph *graph = build_model(context, argv[1], &photo);
  double built = seconds();
  run(context, graph, &photo, features);
  double done = seconds();
  print_features(features);
  printf("built in %.2f s, run in %.2f s\n", built - start, done - built);

  webnn_free_graph(graph);
  webnn_free_context(context);
  free(photo.pixels);
  return 0;
}
