/* The printed graphs' options, also beside the same as data: every value of every enumeration by the specification's name, all
   activations, numbers of each data type as that type has them, lists, and both signs. */
#include "described.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static webnn_context *context;
static webnn_builder *b;

static webnn_operand *input(webnn_data_type type, webnn_list shape) {
  const webnn_operand_descriptor descriptor = {type, shape};
  return webnn_input(b, "x", descriptor);
}

static webnn_operand *floats(webnn_list shape) {
  return input(WEBNN_FLOAT32, shape);
}

static webnn_operand *zeros(webnn_list shape) {
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, shape};
  const size_t bytes = (size_t)webnn_byte_length(descriptor);
  void *data = test_allocate(bytes);
  webnn_operand *made = webnn_constant(b, descriptor, data, bytes);
  free(data);
  return made;
}

static void take_text(void *user, const char *text, size_t length) {
  strncat((char *)user, text, length);
}

/* The graph of an operand, in which a part must stand. */
static void expect_printed(webnn_operand *y, const char *part) {
  char text[4000] = "";
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  if (CHECK(part, graph != NULL, "%s", error.message)) {
    webnn_print_graph(graph, take_text, text);
    CHECK(part, strstr(text, part) != NULL, "is not in\n%s", text);
    described_check(context, graph);
  }
  webnn_free_graph(graph);
  webnn_free_builder(b);
}

static void begin(void) {
  b = test_builder(context);
}

static void check_filters(void) {
  static const struct {
    int layout;
    bool transposed;
    const char *name;
  } rows[] = {
      {0, false, "filterLayout=oihw"},
      {WEBNN_CONV2D_OIHW, false, "filterLayout=oihw"},
      {WEBNN_CONV2D_HWIO, false, "filterLayout=hwio"},
      {WEBNN_CONV2D_OHWI, false, "filterLayout=ohwi"},
      {WEBNN_CONV2D_IHWO, false, "filterLayout=ihwo"},
      {0, true, "filterLayout=iohw"},
      {WEBNN_CONV_TRANSPOSE2D_IOHW, true, "filterLayout=iohw"},
      {WEBNN_CONV_TRANSPOSE2D_HWOI, true, "filterLayout=hwoi"},
      {WEBNN_CONV_TRANSPOSE2D_OHWI, true, "filterLayout=ohwi"},
  };
  size_t i;
  for (i = 0; i < COUNT(rows); i++) {
    webnn_conv2d_options conv2d = WEBNN_ZERO;
    webnn_conv_transpose2d_options transposed = WEBNN_ZERO;
    webnn_operand *x, *w;
    begin();
    x = floats(WEBNN_LIST(1, 2, 2, 2));
    w = zeros(WEBNN_LIST(2, 2, 2, 2));
    if (rows[i].transposed) {
      transposed.filter_layout = (webnn_conv_transpose2d_filter_operand_layout)rows[i].layout;
      expect_printed(webnn_conv_transpose2d(b, x, w, &transposed), rows[i].name);
    } else {
      conv2d.filter_layout = (webnn_conv2d_filter_operand_layout)rows[i].layout;
      expect_printed(webnn_conv2d(b, x, w, &conv2d), rows[i].name);
    }
  }
}

static void check_windows(void) {
  static const char *const layouts[] = {"layout=nchw", "layout=nhwc"};
  webnn_pool2d_options pool = WEBNN_ZERO;
  webnn_conv2d_options conv2d = WEBNN_ZERO;
  int i;
  for (i = 0; i < 2; i++) {
    pool.layout = (webnn_input_operand_layout)i;
    begin();
    expect_printed(webnn_max_pool2d(b, floats(WEBNN_LIST(1, 4, 4, 4)), &pool), layouts[i]);
  }
  begin();
  conv2d.strides = WEBNN_LIST(3, 1);
  conv2d.padding = WEBNN_LIST(0, 1, 2, 3);
  expect_printed(
      webnn_conv2d(b, floats(WEBNN_LIST(1, 2, 9, 9)), zeros(WEBNN_LIST(4, 2, 3, 3)), &conv2d),
      "padding=[0, 1, 2, 3], strides=[3, 1], dilations=[1, 1], groups=1, inputLayout=nchw");
}

static void check_modes(void) {
  static const char *const pads[] = {"mode=constant", "mode=edge", "mode=reflection",
                                     "mode=symmetric"};
  static const char *const samplings[] = {"mode=nearest-neighbor", "mode=linear"};
  int i;
  for (i = 0; i < 4; i++) {
    webnn_pad_options options = WEBNN_ZERO;
    options.mode = (webnn_padding_mode)i;
    begin();
    expect_printed(webnn_pad(b, floats(WEBNN_LIST(4)), WEBNN_LIST(1), WEBNN_LIST(2), &options),
                   pads[i]);
  }
  for (i = 0; i < 2; i++) {
    webnn_resample2d_options options = WEBNN_ZERO;
    options.mode = (webnn_interpolation_mode)i;
    begin();
    expect_printed(webnn_resample2d(b, floats(WEBNN_LIST(1, 1, 4, 4)), &options), samplings[i]);
  }
}

static void check_recurrent(void) {
  static const char *const directions[] = {"direction=forward", "direction=backward",
                                           "direction=both"};
  webnn_operand *outputs[4];
  uint32_t i;
  for (i = 0; i < 3; i++) {
    webnn_gru_options options = WEBNN_ZERO;
    const uint32_t both = i == 2 ? 2 : 1;
    options.direction = (webnn_recurrent_network_direction)i;
    begin();
    (void)webnn_gru(b, floats(WEBNN_LIST(1, 2, 3)), zeros(WEBNN_LIST(both, 12, 3)),
                    zeros(WEBNN_LIST(both, 12, 4)), 1, 4, &options, outputs);
    expect_printed(outputs[0], directions[i]);
  }
  for (i = 0; i < 2; i++) {
    webnn_gru_cell_options gru = WEBNN_ZERO;
    webnn_lstm_cell_options lstm = WEBNN_ZERO;
    gru.layout = (webnn_gru_weight_layout)i;
    if (i == 1) {
      gru.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU);
      lstm.activations =
          WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU, WEBNN_ACTIVATION_SIGMOID);
    }
    begin();
    expect_printed(webnn_gru_cell(b, floats(WEBNN_LIST(2, 3)), zeros(WEBNN_LIST(12, 3)),
                                  zeros(WEBNN_LIST(12, 4)), zeros(WEBNN_LIST(2, 4)), 4, &gru),
                   i == 0 ? "layout=zrn, activations=[sigmoid, tanh])"
                          : "layout=rzn, activations=[tanh, relu])");
    lstm.layout = (webnn_lstm_weight_layout)i;
    begin();
    (void)webnn_lstm_cell(b, floats(WEBNN_LIST(2, 3)), zeros(WEBNN_LIST(16, 3)),
                          zeros(WEBNN_LIST(16, 4)), zeros(WEBNN_LIST(2, 4)),
                          zeros(WEBNN_LIST(2, 4)), 4, &lstm, outputs);
    expect_printed(outputs[0], i == 0 ? "layout=iofg, activations=[sigmoid, tanh, tanh])"
                                      : "layout=ifgo, activations=[tanh, relu, sigmoid])");
  }
  begin();
  (void)webnn_lstm(b, floats(WEBNN_LIST(1, 2, 3)), zeros(WEBNN_LIST(1, 16, 3)),
                   zeros(WEBNN_LIST(1, 16, 4)), 1, 4, NULL, outputs);
  expect_printed(outputs[0], "layout=iofg, activations=[sigmoid, tanh, tanh])");
}

/* Numbers have the type of the operator's first operand, whether there are others or not. */
static void check_numbers(void) {
  static const struct {
    webnn_data_type type;
    double low, high;
    const char *text;
  } rows[] = {
      {WEBNN_FLOAT32, -0.1, 1e30, "minValue=-0.1, maxValue=1e+30"},
      {WEBNN_FLOAT16, -0.1, 1e30, "minValue=-0.099975586, maxValue=inf"},
      {WEBNN_INT8, -128, 127, "minValue=-128, maxValue=127"},
      {WEBNN_UINT8, 0, 255, "minValue=0, maxValue=255"},
      {WEBNN_INT32, -5, 2147483647, "minValue=-5, maxValue=2147483647"},
      {WEBNN_UINT32, 1, 4294967295.0, "minValue=1, maxValue=4294967295"},
      {WEBNN_INT64, -5, 1e15, "minValue=-5, maxValue=1000000000000000"},
      {WEBNN_UINT64, 1, 1e15, "minValue=1, maxValue=1000000000000000"},
  };
  webnn_layer_normalization_options layer = WEBNN_ZERO;
  webnn_triangular_options triangular = WEBNN_ZERO;
  webnn_cumulative_sum_options sum = WEBNN_ZERO;
  size_t i;
  for (i = 0; i < COUNT(rows); i++) {
    webnn_clamp_options options = WEBNN_ZERO;
    options.min_value = webnn_f64(rows[i].low);
    options.max_value = webnn_f64(rows[i].high);
    begin();
    expect_printed(webnn_clamp(b, input(rows[i].type, WEBNN_LIST(3)), &options), rows[i].text);
  }
  begin();
  layer.epsilon = webnn_f64(0.25);
  expect_printed(webnn_layer_normalization(b, input(WEBNN_FLOAT16, WEBNN_LIST(2, 3)), &layer),
                 "layerNormalization(\"x\", axes=[1], epsilon=0.25)");
  begin();
  triangular.diagonal = -2;
  expect_printed(webnn_triangular(b, floats(WEBNN_LIST(4, 4)), &triangular), "diagonal=-2)");
  begin();
  triangular.diagonal = 3;
  expect_printed(webnn_triangular(b, floats(WEBNN_LIST(4, 4)), &triangular), "diagonal=3)");
  begin();
  sum.reversed = true;
  expect_printed(webnn_cumulative_sum(b, floats(WEBNN_LIST(4, 4)), 1, &sum),
                 "axis=1, exclusive=false, reversed=true)");
  begin();
  expect_printed(webnn_cast(b, floats(WEBNN_LIST(2)), WEBNN_UINT64, NULL), "dataType=uint64)");
}

/* ---- Steps: the kernel that runs each, and why others do not --------------------------------- */

static void print_steps(const webnn_graph *graph, char *text) {
  *text = 0;
  webnn_print_steps(graph, take_text, text);
}

/* The steps of the graph with this result, in which all parts must stand; a run changes nothing. */
static void expect_steps(webnn_operand *y, const void *x, size_t x_bytes,
                         const char *const *parts) {
  char before[4000], after[4000];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  float *result = (float *)test_allocate(1 << 16);
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
  if (CHECK(*parts, graph != NULL, "%s", error.message)) {
    webnn_graph_value values[16];
    const size_t count = webnn_graph_values(graph, values, 16);
    print_steps(graph, before);
    for (; *parts != NULL; parts++)
      CHECK(*parts, strstr(before, *parts) != NULL, "is not in\n%s", before);
    if (x != NULL && CHECK("values", count <= 16, "%u", (unsigned)count)) {
      const webnn_named_input in = {"x", x, x_bytes};
      const webnn_named_output out = {"y", result, values[count - 1].byte_length};
      CHECK("run", webnn_compute(context, graph, &in, 1, &out, 1, &error) == WEBNN_OK, "%s",
            error.message);
      print_steps(graph, after);
      CHECK("steps after a run", strcmp(before, after) == 0, "%s\nwas\n%s", after, before);
    }
    webnn_destroy_graph(graph);
    print_steps(graph, after);
    CHECK("steps of a destroyed graph", strcmp(after, "the graph is destroyed\n") == 0, "%s",
          after);
  }
  free(result);
  webnn_free_graph(graph);
  webnn_free_builder(b);
}

#define EXPECT_STEPS(y, x, ...)                                                                    \
  do {                                                                                             \
    const char *const parts[] = {__VA_ARGS__, NULL};                                               \
    expect_steps(y, x, sizeof(x), parts);                                                          \
  } while (0)

static void check_convolution_steps(void) {
  static const float x[8 * 14 * 14] = {1, 2, 3};
  webnn_conv2d_options depthwise = WEBNN_ZERO, nhwc = WEBNN_ZERO;
  depthwise.groups = nhwc.groups = 8;
  nhwc.input_layout = WEBNN_LAYOUT_NHWC;
  nhwc.filter_layout = WEBNN_CONV2D_IHWO;
  begin();
  EXPECT_STEPS(webnn_relu(b,
                          webnn_conv2d(b, floats(WEBNN_LIST(1, 8, 14, 14)),
                                       zeros(WEBNN_LIST(8, 1, 5, 5)), &depthwise),
                          NULL),
               x, "conv2d + relu float32 [1, 8, 10, 10]: kernel planes (the whole window); bands ",
               "; packed 800, scratch 0 bytes; not quantized: no operand is dequantized; not "
               "product: it is not a 1x1 convolution of an nchw image whose pixels fill panels\n");
  begin();
  EXPECT_STEPS(
      webnn_conv2d(b, floats(WEBNN_LIST(1, 14, 14, 8)), zeros(WEBNN_LIST(1, 3, 3, 8)), &nhwc), x,
      "kernel depthwise; rows ", "; packed 288, scratch 0 bytes",
      "not planes: it is not a depthwise convolution of an nchw image\n");
  begin();
  EXPECT_STEPS(
      webnn_conv2d(b, floats(WEBNN_LIST(1, 8, 14, 14)), zeros(WEBNN_LIST(16, 8, 3, 3)), NULL), x,
      "kernel convolution", "products ", "not depthwise: it is not a depthwise");
  begin();
  EXPECT_STEPS(
      webnn_conv2d(b, floats(WEBNN_LIST(1, 8, 14, 14)), zeros(WEBNN_LIST(16, 8, 1, 1)), NULL), x,
      "kernel product (float32 panels)", "not quantized");
}

static void check_other_steps(void) {
  static const float x[4 * 4] = {1, 2, 3};
  static const uint8_t bytes[16] = {1, 2, 3};
  webnn_operand *h[2] = {NULL, NULL};
  begin();
  EXPECT_STEPS(webnn_matmul(b, floats(WEBNN_LIST(4, 4)), zeros(WEBNN_LIST(4, 3)), NULL), x,
               "matmul float32 [4, 3]: kernel product (float32 panels); products 1; packed ");
  begin();
  EXPECT_STEPS(webnn_reduce_product(b, floats(WEBNN_LIST(4, 4)), NULL), x,
               "kernel scalar reduce; fibers ", "not reduce: it is a product, or not of floats");
  begin();
  EXPECT_STEPS(webnn_max_pool2d(b, input(WEBNN_UINT8, WEBNN_LIST(1, 1, 4, 4)), NULL), bytes,
               "kernel integer pool", "not pool: it is a pooling of integers");
  begin();
  EXPECT_STEPS(webnn_reshape(b, floats(WEBNN_LIST(4, 4)), WEBNN_LIST(2, 8), NULL), x,
               "kernel copy; bytes 64;");
  begin();
  (void)webnn_gru(b, floats(WEBNN_LIST(4, 2, 2)), zeros(WEBNN_LIST(1, 9, 2)),
                  zeros(WEBNN_LIST(1, 9, 3)), 4, 3, NULL, h);
  EXPECT_STEPS(h[0], x, "kernel recurrent network; weights 3, sequences 2, inputs 1, steps 1; ");
  begin(); /* one so large that threads share each step */
  (void)webnn_gru(b, floats(WEBNN_LIST(4, 2, 2)), zeros(WEBNN_LIST(1, 900, 2)),
                  zeros(WEBNN_LIST(1, 900, 300)), 4, 300, NULL, h);
  EXPECT_STEPS(h[0], x, "kernel recurrent network", "steps ", " in 4 phases; ");
}

/* Weights that passes have computed are released once they are packed, and asking reads none. */
static void check_packed_steps(void) {
  static const float x[8 * 14 * 14] = {1, 2, 3};
  webnn_conv2d_options depthwise = WEBNN_ZERO;
  webnn_operand *means, *y, *weights, *scale, *zero;
  static const float rows[24 * 64] = {1, 2, 3};
  static const uint8_t bytes[64 * 64] = {1, 2, 3};
  begin();
  depthwise.groups = 8;
  means = zeros(WEBNN_LIST(8));
  y = webnn_conv2d(b, floats(WEBNN_LIST(1, 8, 14, 14)), zeros(WEBNN_LIST(8, 1, 3, 3)), &depthwise);
  EXPECT_STEPS(webnn_batch_normalization(b, y, means, means, NULL), x, "kernel planes",
               "packed 288");
  begin();
  weights = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_INT8, 64, 64), bytes, sizeof bytes);
  scale = zeros(WEBNN_LIST(1, 64));
  zero = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_INT8, 1, 64), bytes, 64);
  y = webnn_dequantize_linear(b, weights, scale, zero, NULL);
  EXPECT_STEPS(webnn_matmul(b, floats(WEBNN_LIST(24, 64)), y, NULL), rows,
               "kernel product (packed weights)", "not quantized");
}

static void check_reference_steps(void) {
  static const float x[4] = {1, 2, 3};
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *fast = context;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  context = test_context(&options);
  begin();
  EXPECT_STEPS(webnn_relu(b, floats(WEBNN_LIST(2, 2)), NULL), x,
               "relu float32 [2, 2]: reference kernel; results 4; packed 0, scratch 0 bytes\n");
  webnn_free_context(context);
  context = fast;
  webnn_print_steps(NULL, take_text, NULL);
}

int main(void) {
  context = test_context(NULL);
  check_filters();
  check_windows();
  check_modes();
  check_recurrent();
  check_numbers();
  check_convolution_steps();
  check_other_steps();
  check_packed_steps();
  check_reference_steps();
  webnn_free_context(context);
  return test_end();
}
