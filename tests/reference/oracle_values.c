/* The numbers of other implementations for tests/oracle.sh: a network whose sums cancel, with every
   value as a fast context gives it, as plain float32 loops do, forwards and backwards, and as loops
   do that count the padding of averagePool2d in its divisor. Writes FOLDER/graph.json, and
   fast.json, forwards.json, backwards.json and counted.json there. */
#ifndef WEBNN_TEST_LINKED
#define WEBNN_IMPLEMENTATION
#endif
#include "webnn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN = 2, OUT = 4, SIDE = 8, HALF = SIDE / 2, FEATURES = HALF * HALF, CLASSES = 5 };

/* Every value of the network, one after the other. */
typedef struct values {
  float x[IN * SIDE * SIDE], filter[OUT * IN * 9], weights[FEATURES * CLASSES];
  float conv[OUT * SIDE * SIDE], gelu[OUT * SIDE * SIDE], pool[OUT * FEATURES],
      matrix[OUT * FEATURES], product[OUT * CLASSES], prob[OUT * CLASSES];
} values;

static float next_random(void) { /* from -1 to 1 */
  static uint32_t state = 12345;
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / 8388608.0f - 1.0f;
}

/* The second channel is nearly the first, and the filters' second half nearly the first's negative:
   sums are some 10^-4 of their terms. So are the columns of the weights, of constant features. */
static void fill(values *v) {
  for (int i = 0; i < SIDE * SIDE; i++) {
    v->x[i] = next_random();
    v->x[SIDE * SIDE + i] = v->x[i] + 1e-4f * next_random();
  }
  for (int o = 0; o < OUT; o++)
    for (int i = 0; i < 9; i++) {
      v->filter[(2 * o) * 9 + i] = next_random();
      v->filter[(2 * o + 1) * 9 + i] = -v->filter[(2 * o) * 9 + i] + 1e-4f * next_random();
    }
  for (int i = 0; i < FEATURES * CLASSES; i++)
    v->weights[i] = 1e4f * next_random();
}

/* ---- Plain loops ------------------------------------------------------------------------------
 */

static bool backwards, counted;

/* The sum of terms in the one or the other order. */
static float sum(const float *terms, int count) {
  float s = 0;
  for (int i = 0; i < count; i++)
    s += terms[backwards ? count - 1 - i : i];
  return s;
}

static bool inside(int y, int x) {
  return y >= 0 && y < SIDE && x >= 0 && x < SIDE;
}

static void plain_conv(values *v) {
  for (int o = 0; o < OUT; o++)
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        float terms[IN * 9];
        int count = 0;
        for (int i = 0; i < IN; i++)
          for (int t = 0; t < 9; t++)
            if (inside(y + t / 3 - 1, x + t % 3 - 1))
              terms[count++] = v->filter[(o * IN + i) * 9 + t] *
                               v->x[(i * SIDE + y + t / 3 - 1) * SIDE + x + t % 3 - 1];
        v->conv[(o * SIDE + y) * SIDE + x] = sum(terms, count);
      }
}

static void plain_gelu(values *v) {
  for (int i = 0; i < OUT * SIDE * SIDE; i++)
    v->gelu[i] = 0.5f * v->conv[i] * (1.0f + erff(v->conv[i] * 0.70710678f));
}

static void plain_pool(values *v) {
  for (int o = 0; o < OUT; o++)
    for (int y = 0; y < HALF; y++)
      for (int x = 0; x < HALF; x++) {
        float terms[9];
        int count = 0;
        for (int t = 0; t < 9; t++)
          if (inside(2 * y + t / 3 - 1, 2 * x + t % 3 - 1))
            terms[count++] = v->gelu[(o * SIDE + 2 * y + t / 3 - 1) * SIDE + 2 * x + t % 3 - 1];
        v->pool[(o * HALF + y) * HALF + x] = sum(terms, count) / (float)(counted ? 9 : count);
      }
}

static void plain_product(values *v) {
  memcpy(v->matrix, v->pool, sizeof v->matrix);
  for (int r = 0; r < OUT; r++)
    for (int c = 0; c < CLASSES; c++) {
      float terms[FEATURES];
      for (int i = 0; i < FEATURES; i++)
        terms[i] = v->matrix[r * FEATURES + i] * v->weights[i * CLASSES + c];
      v->product[r * CLASSES + c] = sum(terms, FEATURES);
    }
}

static void plain_softmax(values *v) {
  for (int r = 0; r < OUT; r++) {
    const float *row = v->product + r * CLASSES;
    float largest = row[0], powers[CLASSES], total;
    for (int c = 1; c < CLASSES; c++)
      largest = row[c] > largest ? row[c] : largest;
    for (int c = 0; c < CLASSES; c++)
      powers[c] = expf(row[c] - largest);
    total = sum(powers, CLASSES);
    for (int c = 0; c < CLASSES; c++)
      v->prob[r * CLASSES + c] = powers[c] / total;
  }
}

/* ---- A fast context ----------------------------------------------------------------------------
 */

static void stop(const char *message) {
  fprintf(stderr, "oracle_values: %s\n", message);
  exit(1);
}

static webnn_tensor *tensor_over(webnn_context *context, const webnn_operand *operand, float *data,
                                 size_t size) {
  webnn_tensor_descriptor descriptor = WEBNN_ZERO;
  webnn_tensor *tensor;
  webnn_error error = WEBNN_ZERO;
  descriptor.data_type = WEBNN_FLOAT32;
  descriptor.shape = webnn_operand_shape(operand);
  descriptor.readable = descriptor.writable = true;
  if (webnn_create_tensor_over_memory(context, descriptor, data, size, &tensor, &error) != WEBNN_OK)
    stop(error.message);
  return tensor;
}

enum { RESULTS = 6 };

static void run_fast(values *v) {
  webnn_context *context;
  webnn_builder *b = NULL;
  webnn_graph *graph;
  webnn_error error = WEBNN_ZERO;
  webnn_conv2d_options conv_options = WEBNN_ZERO;
  webnn_pool2d_options pool_options = WEBNN_ZERO;
  webnn_operand *x, *filter, *weights, *results[RESULTS];
  static const char *const names[RESULTS] = {"conv", "gelu", "pool", "matrix", "product", "prob"};
  float *data[RESULTS] = {v->conv, v->gelu, v->pool, v->matrix, v->product, v->prob};
  const size_t sizes[RESULTS] = {sizeof v->conv,   sizeof v->gelu,    sizeof v->pool,
                                 sizeof v->matrix, sizeof v->product, sizeof v->prob};
  webnn_named_operand outputs[RESULTS];
  webnn_named_tensor in, out[RESULTS];
  if (webnn_create_context(NULL, &context, &error) != WEBNN_OK ||
      webnn_create_builder(context, &b, &error) != WEBNN_OK)
    stop(error.message);
  conv_options.padding = WEBNN_LIST(1, 1, 1, 1);
  pool_options.window_dimensions = WEBNN_LIST(3, 3);
  pool_options.strides = WEBNN_LIST(2, 2);
  pool_options.padding = WEBNN_LIST(1, 1, 1, 1);
  x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, IN, SIDE, SIDE));
  filter = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, OUT, IN, 3, 3), v->filter,
                          sizeof v->filter);
  weights = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, FEATURES, CLASSES), v->weights,
                           sizeof v->weights);
  results[0] = webnn_conv2d(b, x, filter, &conv_options);
  results[1] = webnn_gelu(b, results[0], NULL);
  results[2] = webnn_average_pool2d(b, results[1], &pool_options);
  results[3] = webnn_reshape(b, results[2], WEBNN_LIST(OUT, FEATURES), NULL);
  results[4] = webnn_matmul(b, results[3], weights, NULL);
  results[5] = webnn_softmax(b, results[4], 1, NULL);
  if (webnn_builder_status(b) != WEBNN_OK)
    stop(webnn_builder_message(b));
  in.name = "x";
  in.tensor = tensor_over(context, x, v->x, sizeof v->x);
  for (int i = 0; i < RESULTS; i++) {
    outputs[i].name = out[i].name = names[i];
    outputs[i].operand = results[i];
    out[i].tensor = tensor_over(context, results[i], data[i], sizes[i]);
  }
  if (webnn_build(b, outputs, RESULTS, &graph, &error) != WEBNN_OK ||
      webnn_dispatch(context, graph, &in, 1, out, RESULTS, &error) != WEBNN_OK ||
      webnn_wait(context, &error) != WEBNN_OK)
    stop(error.message);
  webnn_free_tensor(in.tensor);
  for (int i = 0; i < RESULTS; i++)
    webnn_free_tensor(out[i].tensor);
  webnn_free_graph(graph);
  webnn_free_builder(b);
  webnn_free_context(context);
}

/* ---- Writing -----------------------------------------------------------------------------------
 */

static FILE *file_in(const char *folder, const char *name) {
  char path[1024];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "w");
  if (!file)
    stop(path);
  return file;
}

static void write_tensor(FILE *file, const char *name, const char *shape, const float *data,
                         size_t size, const char *more) {
  fprintf(file, "{\"name\":\"%s\",\"dataType\":\"float32\",\"shape\":[%s],\"data\":[", name, shape);
  for (size_t i = 0; i < size / sizeof *data; i++)
    fprintf(file, "%s%.9g", i ? "," : "", (double)data[i]);
  fprintf(file, "]}%s", more);
}

static void write_graph(const char *folder, const values *v) {
  FILE *file = file_in(folder, "graph.json");
  fputs("{\"name\":\"sums that cancel\",\"inputs\":[\n", file);
  write_tensor(file, "x", "1,2,8,8", v->x, sizeof v->x, "");
  fputs(",\n", file);
  write_tensor(file, "filter", "4,2,3,3", v->filter, sizeof v->filter, "");
  fputs(",\n", file);
  write_tensor(file, "weights", "16,5", v->weights, sizeof v->weights, "");
  fputs("],\n\"operators\":[\n"
        "{\"name\":\"conv2d\",\"arguments\":[{\"operand\":\"x\"},{\"operand\":\"filter\"},"
        "{\"options\":{\"padding\":{\"numbers\":[1,1,1,1]}}}],\"outputs\":[\"conv\"]},\n"
        "{\"name\":\"gelu\",\"arguments\":[{\"operand\":\"conv\"}],\"outputs\":[\"gelu\"]},\n"
        "{\"name\":\"averagePool2d\",\"arguments\":[{\"operand\":\"gelu\"},{\"options\":{"
        "\"windowDimensions\":{\"numbers\":[3,3]},\"padding\":{\"numbers\":[1,1,1,1]},"
        "\"strides\":{\"numbers\":[2,2]}}}],\"outputs\":[\"pool\"]},\n"
        "{\"name\":\"reshape\",\"arguments\":[{\"operand\":\"pool\"},{\"numbers\":[4,16]}],"
        "\"outputs\":[\"matrix\"]},\n"
        "{\"name\":\"matmul\",\"arguments\":[{\"operand\":\"matrix\"},{\"operand\":\"weights\"}],"
        "\"outputs\":[\"product\"]},\n"
        "{\"name\":\"softmax\",\"arguments\":[{\"operand\":\"product\"},{\"number\":1}],"
        "\"outputs\":[\"prob\"]}],\n\"outputs\":[\"prob\"]}\n",
        file);
  fclose(file);
}

static void write_values(const char *folder, const char *name, const values *v) {
  FILE *file = file_in(folder, name);
  fputs("{\"intermediates\":[\n", file);
  write_tensor(file, "conv", "1,4,8,8", v->conv, sizeof v->conv, ",");
  fputs("\n", file);
  write_tensor(file, "gelu", "1,4,8,8", v->gelu, sizeof v->gelu, ",");
  fputs("\n", file);
  write_tensor(file, "pool", "1,4,4,4", v->pool, sizeof v->pool, ",");
  fputs("\n", file);
  write_tensor(file, "matrix", "4,16", v->matrix, sizeof v->matrix, ",");
  fputs("\n", file);
  write_tensor(file, "product", "4,5", v->product, sizeof v->product, "");
  fputs("],\n\"outputs\":[\n", file);
  write_tensor(file, "prob", "4,5", v->prob, sizeof v->prob, "");
  fputs("]}\n", file);
  fclose(file);
}

static void write_plain(const char *folder, const char *name, values *v) {
  plain_conv(v);
  plain_gelu(v);
  plain_pool(v);
  plain_product(v);
  plain_softmax(v);
  write_values(folder, name, v);
}

int main(int count, char **arguments) {
  static values v;
  const char *folder = count > 1 ? arguments[1] : ".";
  fill(&v);
  write_graph(folder, &v);
  run_fast(&v);
  write_values(folder, "fast.json", &v);
  write_plain(folder, "forwards.json", &v);
  backwards = true;
  write_plain(folder, "backwards.json", &v);
  counted = true;
  write_plain(folder, "counted.json", &v);
  return 0;
}
