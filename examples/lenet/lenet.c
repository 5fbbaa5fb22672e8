/* lenet.c - reads ten handwritten digits with LeNet, a classic network with published weights.

   It shows weights that stay where the file was read (webnn_constant_over_memory), pooling, and a
   network whose file has no description: the order and shapes of its arrays stand in this program.

   Build and run:   cc -O2 -I../.. -pthread lenet.c -o lenet && ./lenet FOLDER
                    FOLDER has lenet.bin and digits/0.idx ... digits/9.idx
   Read next:       ../mobilenetv2/mobilenetv2.c, a deep network for photos. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

#include "../common.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, DIGITS = 10 };

/* The next array of the file as a constant. The graph uses `values` in place, so they must stay
   until the graph is freed. *values moves on to the next array. */
static webnn_operand *next_constant(webnn_builder *b, const float **values, webnn_list shape) {
  webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, shape};
  size_t bytes = (size_t)webnn_byte_length(descriptor);
  webnn_operand *constant = webnn_constant_over_memory(b, descriptor, *values, bytes);
  *values += bytes / sizeof **values;
  return constant;
}

/* 5 x 5 convolution, then the largest of each 2 x 2 pixels. */
static webnn_operand *conv_and_pool(webnn_builder *b, webnn_operand *x, uint32_t channels_in,
                                    uint32_t channels_out, const float **values) {
  webnn_operand *filter = next_constant(b, values, WEBNN_LIST(channels_out, channels_in, 5, 5));
  webnn_conv2d_options conv = {.bias = next_constant(b, values, WEBNN_LIST(channels_out))};
  webnn_pool2d_options pool = {.window_dimensions = WEBNN_LIST(2, 2), .strides = WEBNN_LIST(2, 2)};
  return webnn_max_pool2d(b, webnn_conv2d(b, x, filter, &conv), &pool);
}

/* x times the transposed matrix [to, from], plus a bias. */
static webnn_operand *dense(webnn_builder *b, webnn_operand *x, uint32_t from, uint32_t to,
                            const float **values) {
  webnn_operand *matrix = next_constant(b, values, WEBNN_LIST(to, from));
  webnn_gemm_options options = {.c = next_constant(b, values, WEBNN_LIST(to)), .b_transpose = true};
  return webnn_gemm(b, x, matrix, &options);
}

static webnn_graph *build_lenet(webnn_context *context, const float *values) {
  webnn_error error = WEBNN_ZERO;
  webnn_builder *b;
  webnn_graph *graph;
  check(webnn_create_builder(context, &b, &error), &error);
  webnn_operand *x = webnn_input(b, "image", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1, SIDE, SIDE));
  x = conv_and_pool(b, x, 1, 20, &values);  /* [1, 20, 12, 12] */
  x = conv_and_pool(b, x, 20, 50, &values); /* [1, 50, 4, 4] */
  x = webnn_reshape(b, x, WEBNN_LIST(1, 800), NULL);
  values += 4; /* the file has two 64-bit integers here */
  x = webnn_relu(b, dense(b, x, 800, 500, &values), NULL);
  x = webnn_softmax(b, dense(b, x, 500, DIGITS, &values), 1, NULL);
  check(webnn_build(b, WEBNN_NAMED_OPERANDS({"probabilities", x}), &graph, &error), &error);
  webnn_free_builder(b);
  return graph;
}

/* Both convolutions with their biases, the two integers, both matrices with theirs. */
enum { VALUES = 500 + 20 + 25000 + 50 + 4 + 400000 + 500 + 5000 + 10 };

static void load_digit(const char *folder, int digit, float *pixels) {
  char path[512];
  snprintf(path, sizeof path, "%.450s/digits/%d.idx", folder, digit);
  idx_images images = read_idx(path);
  if (images.width != SIDE || images.height != SIDE)
    fail("%s: the images are not 28 x 28", path);
  for (int i = 0; i < PIXELS; i++)
    pixels[i] = (float)images.bytes[i] / 255.0f;
  free(images.bytes);
}

static int largest(const float *values, int count) {
  int best = 0;
  for (int i = 1; i < count; i++)
    if (values[i] > values[best])
      best = i;
  return best;
}

int main(int argc, char **argv) {
  if (argc != 2)
    fail("usage: lenet FOLDER");
  webnn_error error = WEBNN_ZERO;
  webnn_context *context;
  file_reader file = read_file_in(argv[1], "lenet.bin");
  float *values = take_floats(&file, VALUES);
  double start = seconds();
  check(webnn_create_context(NULL, &context, &error), &error);
  webnn_graph *graph = build_lenet(context, values);
  printf("built in %.1f ms\n", (seconds() - start) * 1000);

  int right = 0;
  for (int digit = 0; digit < DIGITS; digit++) {
    float pixels[PIXELS], probabilities[DIGITS];
    load_digit(argv[1], digit, pixels);
    start = seconds();
    check(webnn_compute(context, graph, WEBNN_INPUTS({"image", pixels, sizeof pixels}),
                        WEBNN_OUTPUTS({"probabilities", probabilities, sizeof probabilities}),
                        &error),
          &error);
    double time = seconds() - start;
    int best = largest(probabilities, DIGITS);
    printf("digits/%d.idx: %d (%.2f %%, %.2f ms)\n", digit, best, (double)probabilities[best] * 100,
           time * 1000);
    right += best == digit;
  }
  printf("%d of %d right\n", right, (int)DIGITS);

  webnn_free_graph(graph);
  webnn_free_context(context);
  free(values);
  free(file.bytes);
  return right == DIGITS ? 0 : 1;
}
