/* What the interface has beside the specification's names: webnn_compute, tensors that fit a graph,
   the writer for files, and the options of a context that change how it computes but not what. */
#include "test.h"

/* y = x + x and z = relu(x) of 3 floats, and a second input that only z needs. */
static webnn_graph *build(webnn_context *context) {
  webnn_error error = WEBNN_ZERO;
  webnn_builder *builder = test_builder(context);
  webnn_graph *graph;
  webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3));
  webnn_operand *w = webnn_input(builder, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1));
  webnn_operand *y = webnn_add(builder, x, x, NULL);
  webnn_operand *z = webnn_relu(builder, webnn_mul(builder, x, w, NULL), NULL);
  if (webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", y}, {"z", z}), &graph, &error) != WEBNN_OK) {
    printf("no graph: %s\n", error.message);
    exit(1);
  }
  webnn_free_builder(builder);
  return graph;
}

/* Arguments of webnn_compute that a case changes. */
typedef struct arguments {
  webnn_context *context;
  webnn_graph *graph;
  webnn_named_input inputs[3];
  webnn_named_output outputs[3];
  size_t input_count, output_count;
} arguments;

static const float x_data[3] = {1, -2, 3}, w_data[1] = {-1};
static float y_data[3], z_data[3];

static arguments good(webnn_context *context, webnn_graph *graph) {
  arguments a;
  memset(&a, 0, sizeof a);
  a.context = context;
  a.graph = graph;
  a.inputs[0].name = "x";
  a.inputs[0].data = x_data;
  a.inputs[0].byte_length = sizeof x_data;
  a.inputs[1].name = "w";
  a.inputs[1].data = w_data;
  a.inputs[1].byte_length = sizeof w_data;
  a.inputs[2] = a.inputs[0];
  a.outputs[0].name = "y";
  a.outputs[0].data = y_data;
  a.outputs[0].byte_length = sizeof y_data;
  a.outputs[1].name = "z";
  a.outputs[1].data = z_data;
  a.outputs[1].byte_length = sizeof z_data;
  a.outputs[2] = a.outputs[0];
  a.input_count = a.output_count = 2;
  return a;
}

static webnn_status run(const arguments *a, webnn_error *error) {
  memset(y_data, 0, sizeof y_data);
  memset(z_data, 0, sizeof z_data);
  return webnn_compute(a->context, a->graph, a->inputs, a->input_count, a->outputs, a->output_count,
                       error);
}

static bool is_computed(void) {
  return y_data[0] == 2 && y_data[1] == -4 && y_data[2] == 6 && z_data[0] == 0 && z_data[1] == 2 &&
         z_data[2] == 0;
}

static void accept(const char *name, const arguments *a) {
  webnn_error error = WEBNN_ZERO;
  const webnn_status status = run(a, &error);
  CHECK(name, status == WEBNN_OK && is_computed(), "%s", error.message);
}

static void refuse(const char *name, const arguments *a, webnn_status status, const char *message) {
  webnn_error error = WEBNN_ZERO;
  const webnn_status found = run(a, &error);
  CHECK(name, found == status && error.status == status && strcmp(error.message, message) == 0,
        "%s: %s", webnn_status_name(found), error.message);
  CHECK(name, y_data[0] == 0 && z_data[1] == 0, "outputs are written");
}

static void check_compute(void) {
  webnn_context *context = test_context(NULL), *other = test_context(NULL);
  webnn_graph *graph = build(context);
  char odd[sizeof x_data + 1];
  arguments a = good(context, graph);
  accept("as declared", &a);
  a.inputs[2] = a.inputs[0];
  a.inputs[0] = a.inputs[1];
  a.inputs[1] = a.inputs[2];
  a.outputs[2] = a.outputs[0];
  a.outputs[0] = a.outputs[1];
  a.outputs[1] = a.outputs[2];
  accept("in another order", &a);
  a = good(context, graph);
  memcpy(odd + 1, x_data, sizeof x_data);
  a.inputs[0].data = odd + 1;
  accept("at an odd address", &a);
  a = good(context, graph);
  a.input_count = 1;
  refuse("one input", &a, WEBNN_TYPE_ERROR, "compute: input \"w\" is not given");
  a.input_count = 0;
  refuse("no input", &a, WEBNN_TYPE_ERROR, "compute: input \"x\" is not given");
  a.input_count = 3;
  refuse("three inputs", &a, WEBNN_TYPE_ERROR, "compute: input \"x\" is given twice");
  a.inputs[2].name = "bias";
  refuse("one too many", &a, WEBNN_TYPE_ERROR, "compute: the graph has no input \"bias\"");
  a = good(context, graph);
  a.output_count = 1;
  refuse("one output", &a, WEBNN_TYPE_ERROR, "compute: output \"z\" is not given");
  a = good(context, graph);
  a.output_count = 3;
  refuse("three outputs", &a, WEBNN_TYPE_ERROR, "compute: output \"y\" is given twice");
  a = good(context, graph);
  a.inputs[1].name = "y";
  refuse("an output as input", &a, WEBNN_TYPE_ERROR, "compute: the graph has no input \"y\"");
  a.inputs[1].name = NULL;
  refuse("no name", &a, WEBNN_TYPE_ERROR, "compute: the graph has no input \"\"");
  a.inputs[1] = a.inputs[0];
  refuse("twice", &a, WEBNN_TYPE_ERROR, "compute: input \"x\" is given twice");
  a = good(context, graph);
  a.outputs[0].byte_length--;
  refuse("too short", &a, WEBNN_TYPE_ERROR,
         "compute: output \"y\": the data has 11 bytes, there must be 12");
  a = good(context, graph);
  a.inputs[1].byte_length = sizeof x_data;
  refuse("too long", &a, WEBNN_TYPE_ERROR,
         "compute: input \"w\": the data has 12 bytes, there must be 4");
  a = good(context, graph);
  a.outputs[1].data = NULL;
  refuse("no memory", &a, WEBNN_TYPE_ERROR, "compute: output \"z\": the data buffer is NULL");
  a = good(other, graph);
  refuse("another context", &a, WEBNN_TYPE_ERROR, "compute: the graph is of another context");
  a = good(NULL, graph);
  refuse("no context", &a, WEBNN_TYPE_ERROR, "compute: the context is NULL");
  a = good(context, NULL);
  refuse("no graph", &a, WEBNN_TYPE_ERROR, "compute: the graph is NULL");
  CHECK("lists", webnn_compute(context, graph, NULL, 2, NULL, 2, NULL) == WEBNN_TYPE_ERROR,
        "accepted");
  webnn_destroy_graph(graph);
  a = good(context, graph);
  refuse("destroyed", &a, WEBNN_INVALID_STATE_ERROR, "dispatch: the graph is destroyed");
  webnn_free_graph(graph);
  graph = build(context);
  webnn_destroy_context(context);
  a = good(context, graph);
  refuse("lost", &a, WEBNN_INVALID_STATE_ERROR, "compute: the context is lost");
  webnn_free_graph(graph);
  webnn_free_context(other);
  webnn_free_context(context);
}

/* ---- Memory that overlaps -------------------------------------------------------------------- */

/* Bytes from and to of each of x, w, y, z within one block: does compute take them? */
static void check_overlaps(void) {
  static const struct overlap {
    const char *name;
    size_t x, w, y, z; /* begins, in floats; x, y and z have 3, w has 1 */
    const char *message;
  } rows[] = {
      {"apart", 0, 3, 4, 7, NULL},
      {"touching, backwards", 7, 6, 3, 0, NULL},
      {"two inputs", 0, 1, 3, 6, NULL},
      {"in place", 0, 3, 0, 4, "compute: the memory of input \"x\" and output \"y\" overlaps"},
      {"the last float", 0, 8, 2, 5,
       "compute: the memory of input \"x\" and output \"y\" overlaps"},
      {"the first float", 4, 8, 2, 10,
       "compute: the memory of output \"y\" and input \"x\" overlaps"},
      {"within", 0, 8, 4, 7, "compute: the memory of output \"z\" and input \"w\" overlaps"},
      {"two outputs", 0, 3, 4, 5, "compute: the memory of output \"y\" and output \"z\" overlaps"},
      {"behind a longer one", 0, 1, 4, 2,
       "compute: the memory of input \"x\" and output \"z\" overlaps"}};
  webnn_context *context = test_context(NULL);
  webnn_graph *graph = build(context);
  float block[16];
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct overlap *row = &rows[i];
    arguments a = good(context, graph);
    webnn_error error = WEBNN_ZERO;
    memset(block, 0, sizeof block);
    memcpy(block + row->x, x_data, sizeof x_data);
    if (row->w < row->x || row->w >= row->x + 3) {
      memcpy(block + row->w, w_data, sizeof w_data);
    }
    a.inputs[0].data = block + row->x;
    a.inputs[1].data = block + row->w;
    a.outputs[0].data = block + row->y;
    a.outputs[1].data = block + row->z;
    (void)run(&a, &error);
    CHECK(row->name, strcmp(error.message, row->message ? row->message : "") == 0, "%s",
          error.message);
    CHECK(row->name, row->message || (block[row->y] == 2 && block[row->y + 1] == -4), "%g %g",
          (double)block[row->y], (double)block[row->y + 1]);
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
}

/* ---- Tensors that fit ------------------------------------------------------------------------ */

static void check_graph_tensors(void) {
  webnn_error error = WEBNN_ZERO;
  webnn_context *context = test_context(NULL);
  webnn_graph *graph = build(context);
  webnn_tensor *tensor = NULL;
  CHECK("fits", webnn_create_graph_tensor(graph, "z", &tensor, &error) == WEBNN_OK, "%s",
        error.message);
  CHECK("fits",
        webnn_tensor_data_type(tensor) == WEBNN_FLOAT32 &&
            test_same_list(webnn_tensor_shape(tensor), WEBNN_LIST(3)) &&
            webnn_tensor_readable(tensor) && webnn_tensor_writable(tensor),
        "another tensor");
  webnn_free_tensor(tensor);
  CHECK("no such port",
        webnn_create_graph_tensor(graph, "q", &tensor, &error) == WEBNN_TYPE_ERROR && !tensor &&
            strcmp(error.message, "createTensor: the graph has no input or output \"q\"") == 0,
        "%s", error.message);
  CHECK("no name", webnn_create_graph_tensor(graph, NULL, &tensor, NULL) == WEBNN_TYPE_ERROR,
        "accepted");
  CHECK("no place", webnn_create_graph_tensor(graph, "x", NULL, NULL) == WEBNN_TYPE_ERROR,
        "accepted");
  CHECK("no graph", webnn_create_graph_tensor(NULL, "x", &tensor, NULL) == WEBNN_TYPE_ERROR,
        "accepted");
  webnn_free_graph(graph);
  webnn_free_context(context);
}

static void check_writer(void) {
  webnn_context *context = test_context(NULL);
  webnn_graph *graph = build(context);
  FILE *file = tmpfile();
  char text[64] = "";
  if (!file) {
    test_skip("writer", "no temporary file");
  } else {
    webnn_print_graph(graph, webnn_write_to_file, file);
    rewind(file);
    CHECK("writer", fgets(text, sizeof text, file) != NULL && strchr(text, '\n') != NULL, "\"%s\"",
          text);
    fclose(file);
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
}

/* ---- Options that leave results as they are --------------------------------------------------- */

static void check_same_results(const char *name, const webnn_context_options *options) {
  webnn_context *context = test_context(options);
  webnn_graph *graph = build(context);
  const arguments a = good(context, graph);
  accept(name, &a);
  webnn_free_graph(graph);
  webnn_free_context(context);
}

/* A thread that stays awake for half an hour does not keep a context from ending: this would not. */
static void check_awake(void) {
  static float a[256 * 256], y[256 * 256];
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  webnn_context *context;
  webnn_builder *builder;
  webnn_operand *x;
  webnn_graph *graph;
  options.threads = 2;
  options.spin_microseconds = INT32_MAX;
  context = test_context(&options);
  builder = test_builder(context);
  x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 256, 256));
  webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_matmul(builder, x, x, NULL)}), &graph,
              &error);
  a[0] = 2;
  webnn_compute(context, graph, WEBNN_INPUTS({"x", a, sizeof a}), WEBNN_OUTPUTS({"y", y, sizeof y}),
                &error);
  CHECK("awake", error.status == WEBNN_OK && y[0] == 4 && y[1] == 0, "%s", error.message);
  webnn_free_builder(builder);
  webnn_free_graph(graph);
  webnn_free_context(context);
}

static void check_options(void) {
  static const int32_t spins[] = {-1, 0, 1, 1000, INT32_MAX, INT32_MIN};
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t i;
  options.threads = 2;
  for (i = 0; i < sizeof spins / sizeof *spins; i++) {
    options.spin_microseconds = spins[i];
    check_same_results("spin", &options);
  }
  options.spin_microseconds = 0;
  options.power_preference = WEBNN_POWER_LOW_POWER;
  check_same_results("low power", &options);
  options.numerics = WEBNN_NUMERICS_RELAXED;
  options.not_accelerated = true;
  check_same_results("relaxed", &options);
  options.numerics = (webnn_numerics)(WEBNN_NUMERICS_RELAXED + 1);
  CHECK("numerics", webnn_create_context(&options, &context, &error) == WEBNN_TYPE_ERROR,
        "accepted");
  options.numerics = WEBNN_NUMERICS_FAST;
  options.backend_options = &options;
  CHECK("options of the CPU",
        webnn_create_context(&options, &context, &error) == WEBNN_TYPE_ERROR && !context &&
            strstr(error.message, "backend_options"),
        "%s", error.message);
}

/* Five elements of 4 bits fill two and a half bytes: the other half is 0, whatever the memory had. */
static void check_half_byte(webnn_numerics numerics) {
  static const float x_values[5] = {1, 2, 3, 4, 9};
  static const unsigned char expected[3] = {0x21, 0x43, 0x09};
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  webnn_graph *graph = NULL;
  webnn_builder *builder;
  webnn_operand *x, *q, *zero;
  webnn_named_input input = {"x", NULL, sizeof x_values};
  webnn_named_output outputs[2] = {{"q", NULL, 3}, {"r", NULL, 3}};
  unsigned char bytes[2][3];
  webnn_error error = WEBNN_ZERO;
  options.numerics = numerics;
  context = test_context(&options);
  builder = test_builder(context);
  memset(bytes, 0xff, sizeof bytes);
  x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 5));
  zero = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_UINT4, 1), "", 1);
  q = webnn_quantize_linear(
      builder, x,
      webnn_expand(builder, webnn_constant_from_number(builder, WEBNN_FLOAT32, webnn_f64(1)),
                   WEBNN_LIST(1), NULL),
      zero, NULL);
  (void)webnn_build(
      builder,
      WEBNN_NAMED_OPERANDS({"q", q}, {"r", webnn_reshape(builder, q, WEBNN_LIST(5, 1), NULL)}),
      &graph, &error);
  input.data = x_values;
  outputs[0].data = bytes[0];
  outputs[1].data = bytes[1];
  CHECK("half a byte",
        webnn_compute(context, graph, &input, 1, outputs, 2, &error) == WEBNN_OK &&
            memcmp(bytes[0], expected, 3) == 0 && memcmp(bytes[1], expected, 3) == 0,
        "%s %02x %02x", error.message, bytes[0][2], bytes[1][2]);
  webnn_free_builder(builder);
  webnn_free_graph(graph);
  webnn_free_context(context);
}

/* ---- Memory that is aligned to one element ------------------------------------------------------

   Pixels of 1, 2 and 4 channels, of every type that can be resampled: a kernel that moves them
   through a wider type reads and writes where that must not lie, which a sanitizer sees. */

enum {
  PIXEL_ROWS = 2,
  PIXEL_COLUMNS = 3,
  PIXEL_BYTES = 4 * 4 * 5 * 7,
  PIXEL_ROOM = PIXEL_BYTES + 8
};

/* x to other sizes, in one context. */
static void resample(webnn_numerics numerics, webnn_data_type type, uint32_t channels,
                     const uint32_t *sizes, const char *x, char *y) {
  const size_t element = webnn_data_type_bits(type) / 8;
  webnn_context_options options = WEBNN_ZERO;
  webnn_resample2d_options resampling = WEBNN_ZERO;
  webnn_context *context;
  webnn_builder *builder;
  webnn_graph *graph = NULL;
  webnn_operand *operand;
  webnn_error error = WEBNN_ZERO;
  webnn_named_input in = WEBNN_ZERO;
  webnn_named_output out = WEBNN_ZERO;
  options.numerics = numerics;
  options.threads = 1;
  context = test_context(&options);
  builder = test_builder(context);
  resampling.sizes = webnn_list_of(sizes, 2);
  resampling.axes = WEBNN_LIST(1, 2);
  operand = webnn_resample2d(
      builder,
      webnn_input(builder, "x", WEBNN_DESCRIPTOR(type, 1, PIXEL_ROWS, PIXEL_COLUMNS, channels)),
      &resampling);
  in.name = "x";
  in.data = x;
  in.byte_length = PIXEL_ROWS * PIXEL_COLUMNS * channels * element;
  out.name = "y";
  out.data = y;
  out.byte_length = (size_t)sizes[0] * sizes[1] * channels * element;
  CHECK("pixels",
        webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", operand}), &graph, &error) == WEBNN_OK &&
            webnn_compute(context, graph, &in, 1, &out, 1, &error) == WEBNN_OK,
        "%s", error.message);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_free_context(context);
}

static void check_pixels(void) {
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT8, WEBNN_UINT8};
  static const uint32_t sizes[][2] = {{5, 7}, {4, 6}, {1, 2}};
  char *const x = (char *)test_allocate(4 * PIXEL_ROOM), *const y = x + PIXEL_ROOM;
  uint32_t t, channels, s, i;
  for (i = 0; i < PIXEL_BYTES; i++) {
    x[i] = (char)(i + 1);
  }
  for (t = 0; t < 4; t++) {
    const size_t element = webnn_data_type_bits(types[t]) / 8;
    char *const near_x = x + 2 * PIXEL_ROOM + element, *const near_y = near_x + PIXEL_ROOM;
    memcpy(near_x, x, PIXEL_BYTES);
    for (channels = 1; channels <= 4; channels *= 2) {
      for (s = 0; s < 3; s++) {
        memset(y, 0, PIXEL_BYTES);
        memset(near_y, 1, PIXEL_BYTES);
        resample(WEBNN_NUMERICS_REFERENCE, types[t], channels, sizes[s], x, y);
        resample(WEBNN_NUMERICS_FAST, types[t], channels, sizes[s], near_x, near_y);
        CHECK("pixels",
              memcmp(y, near_y, (size_t)sizes[s][0] * sizes[s][1] * channels * element) == 0,
              "%s, %u channels, to %u x %u", webnn_data_type_name(types[t]), (unsigned)channels,
              (unsigned)sizes[s][0], (unsigned)sizes[s][1]);
      }
    }
  }
  free(x);
}

int main(void) {
  check_pixels();
  check_half_byte(WEBNN_NUMERICS_REFERENCE);
  check_half_byte(WEBNN_NUMERICS_FAST);
  check_compute();
  check_overlaps();
  check_graph_tensors();
  check_writer();
  check_options();
  check_awake();
  return test_end();
}
