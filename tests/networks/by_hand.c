/* The modules of examples/webnn/modules beside the same in plain C: a loop on values, attention, a
   convolution with its gradients, and a sort. */
#include "test.h"

#include "webnn_stablehlo.h"

#include <math.h>

/* The arrays of a run, all inputs and then all results. */
typedef struct scene {
  webnn_xla_program *program;
  webnn_xla_array arrays[8];
  size_t input_count, output_count;
} scene;

static uint64_t seed = 1;

static double random_number(void) {
  return test_random_between(&seed, -1, 1);
}

static char *read_file(const char *name, size_t *length) {
  char path[256], *text;
  FILE *file;
  snprintf(path, sizeof path, "../examples/webnn/modules/%s.mlir", name);
  file = fopen(path, "rb");
  if (!CHECK(name, file != NULL, "%s cannot be read", path)) {
    exit(test_end());
  }
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  text = (char *)test_allocate(*length + 1);
  *length = fread(text, 1, *length, file);
  fclose(file);
  return text;
}

static scene open_scene(webnn_context *context, const char *name) {
  webnn_error error = WEBNN_ZERO;
  size_t length, i;
  char *text = read_file(name, &length);
  webnn_stablehlo *module = webnn_stablehlo_read(text, length, name, &error);
  scene s;
  memset(&s, 0, sizeof s);
  if (!CHECK(name,
             webnn_xla_compile(context, webnn_stablehlo_function(module, NULL, &error), NULL,
                               &s.program, &error) == WEBNN_OK,
             "%s", error.message)) {
    exit(test_end());
  }
  s.input_count = webnn_xla_program_inputs(s.program, s.arrays, 8);
  s.output_count =
      webnn_xla_program_outputs(s.program, s.arrays + s.input_count, 8 - s.input_count);
  for (i = 0; i < s.input_count + s.output_count; i++) {
    size_t k;
    s.arrays[i].data = test_allocate(s.arrays[i].byte_length);
    for (k = 0; i < s.input_count && k < s.arrays[i].byte_length / 4; k++) {
      ((float *)s.arrays[i].data)[k] = (float)random_number();
    }
  }
  webnn_stablehlo_free(module);
  free(text);
  return s;
}

static void run_scene(scene *s, const char *name) {
  webnn_error error = WEBNN_ZERO;
  CHECK(name,
        webnn_xla_run(s->program, s->arrays, s->input_count, s->arrays + s->input_count,
                      s->output_count, &error) == WEBNN_OK,
        "%s", error.message);
}

static void close_scene(scene *s) {
  size_t i;
  for (i = 0; i < s->input_count + s->output_count; i++) {
    free(s->arrays[i].data);
  }
  webnn_xla_free_program(s->program);
}

static const float *input(const scene *s, size_t index) {
  return (const float *)s->arrays[index].data;
}

static const float *output(const scene *s, size_t index) {
  return (const float *)s->arrays[s->input_count + index].data;
}

static void compare(const char *name, const float *got, const double *expected, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    if (fabs((double)got[i] - expected[i]) > 1e-5 * (1 + fabs(expected[i]))) {
      break;
    }
  }
  CHECK(name, i == count, "element %u is %g, not %g", (unsigned)i, i < count ? (double)got[i] : 0,
        i < count ? expected[i] : 0);
}

/* ---- Newton's square roots ------------------------------------------------------------------- */

static void check_newton(webnn_context *context) {
  scene s = open_scene(context, "newton");
  float *x = (float *)s.arrays[0].data, y[8], change = INFINITY;
  double roots[8];
  int32_t steps = 0, i;
  for (i = 0; i < 8; i++) {
    x[i] = (float)(i * i + 1) * 0.37f;
    y[i] = 1;
    roots[i] = sqrt((double)x[i]);
  }
  for (; change > 1e-6f && steps < 50; steps++) {
    change = 0;
    for (i = 0; i < 8; i++) {
      const float next = (y[i] + x[i] / y[i]) * 0.5f, by = fabsf((next - y[i]) / y[i]);
      change = by > change ? by : change;
      y[i] = next;
    }
  }
  run_scene(&s, "newton");
  compare("newton", output(&s, 0), roots, 8);
  CHECK("newton", *(const int32_t *)s.arrays[2].data == steps, "%d steps, not %d",
        (int)*(const int32_t *)s.arrays[2].data, (int)steps);
  close_scene(&s);
}

/* ---- Attention ------------------------------------------------------------------------------- */

/* Where [b][t][h][d] of [2][6][2][4] stands. */
static int at(int b, int t, int h, int d) {
  return ((b * 6 + t) * 2 + h) * 4 + d;
}

static void check_attention(webnn_context *context) {
  scene s = open_scene(context, "attention");
  const float *q = input(&s, 0), *k = input(&s, 1), *v = input(&s, 2);
  double expected[2 * 6 * 2 * 4] = {0};
  int b, h, t, u, d;
  for (b = 0; b < 2; b++) {
    for (h = 0; h < 2; h++) {
      for (t = 0; t < 6; t++) {
        double weight[6], sum = 0;
        for (u = 0; u <= t; u++) {
          double score = 0;
          for (d = 0; d < 4; d++) {
            score += (double)q[at(b, t, h, d)] * (double)k[at(b, u, h, d)];
          }
          weight[u] = exp(score / 2);
          sum += weight[u];
        }
        for (u = 0; u <= t; u++) {
          for (d = 0; d < 4; d++) {
            expected[at(b, t, h, d)] += weight[u] / sum * (double)v[at(b, u, h, d)];
          }
        }
      }
    }
  }
  run_scene(&s, "attention");
  compare("attention", output(&s, 0), expected, sizeof expected / sizeof *expected);
  close_scene(&s);
}

/* ---- A convolution and its gradients --------------------------------------------------------- */

/* Where [b][y][x][c] of [2][6][6][channels] stands. */
static int pixel(int b, int y, int x, int c, int channels) {
  return ((b * 6 + y) * 6 + x) * channels + c;
}

static int tap(int i, int j, int c, int o) {
  return ((i * 3 + j) * 3 + c) * 4 + o;
}

/* Visits every product image * filter -> result of the padded convolution: the result, or with the
   gradient of the result those of image and filter. */
static void convolve(const float *image, const float *filter, double *result,
                     const double *gradient, double *image_gradient, double *filter_gradient) {
  int b, y, x, o, c, i, j;
  for (b = 0; b < 2; b++) {
    for (y = 0; y < 6; y++) {
      for (x = 0; x < 6; x++) {
        for (i = 0; i < 9; i++) {
          const int from_y = y + i / 3 - 1, from_x = x + i % 3 - 1;
          for (j = 0; from_y >= 0 && from_y < 6 && from_x >= 0 && from_x < 6 && j < 12; j++) {
            const int from = pixel(b, from_y, from_x, j / 4, 3), to = pixel(b, y, x, j % 4, 4);
            c = j / 4;
            o = tap(i / 3, i % 3, c, j % 4);
            if (result) {
              result[to] += (double)image[from] * (double)filter[o];
            } else {
              image_gradient[from] += gradient[to] * (double)filter[o];
              filter_gradient[o] += gradient[to] * (double)image[from];
            }
          }
        }
      }
    }
  }
}

/* The gradient of sum of squares of the largest of each window: 2 max, at the first largest. */
static double pool_gradient(const double *convolved, double *gradient) {
  double loss = 0;
  int window, k;
  for (window = 0; window < 2 * 3 * 3 * 4; window++) {
    const int o = window % 4, x = window / 4 % 3, y = window / 12 % 3, b = window / 36;
    double best = -1;
    int where = 0;
    for (k = 0; k < 4; k++) {
      const int place = pixel(b, 2 * y + k / 2, 2 * x + k % 2, o, 4);
      const double value = convolved[place] > 0 ? convolved[place] : 0;
      if (value > best) {
        best = value;
        where = place;
      }
    }
    loss += best * best;
    gradient[where] = convolved[where] > 0 ? 2 * best : 0;
  }
  return loss;
}

static void check_gradient(webnn_context *context) {
  static double convolved[288], gradient[288], image_gradient[216], filter_gradient[108];
  scene s = open_scene(context, "gradient");
  double loss;
  memset(convolved, 0, sizeof convolved);
  memset(gradient, 0, sizeof gradient);
  memset(image_gradient, 0, sizeof image_gradient);
  memset(filter_gradient, 0, sizeof filter_gradient);
  convolve(input(&s, 0), input(&s, 1), convolved, NULL, NULL, NULL);
  loss = pool_gradient(convolved, gradient);
  convolve(input(&s, 0), input(&s, 1), NULL, gradient, image_gradient, filter_gradient);
  run_scene(&s, "gradient");
  compare("loss", output(&s, 0), &loss, 1);
  compare("gradient of the image", output(&s, 1), image_gradient, 216);
  compare("gradient of the filter", output(&s, 2), filter_gradient, 108);
  close_scene(&s);
}

/* ---- The largest of each row ----------------------------------------------------------------- */

static void check_largest(webnn_context *context) {
  scene s = open_scene(context, "largest");
  float *x = (float *)s.arrays[0].data;
  const int32_t *places = (const int32_t *)s.arrays[2].data;
  int row, i, k;
  for (i = 0; i < 40; i++) {
    x[i] = floorf(x[i] * 4); /* equal ones */
  }
  run_scene(&s, "largest");
  for (row = 0; row < 4; row++) {
    bool taken[10] = {false};
    for (k = 0; k < 3; k++) {
      int best = -1;
      for (i = 0; i < 10; i++) {
        if (!taken[i] && (best < 0 || x[row * 10 + i] > x[row * 10 + best])) {
          best = i;
        }
      }
      taken[best] = true;
      CHECK("largest",
            places[row * 3 + k] == best && !(output(&s, 0)[row * 3 + k] < x[row * 10 + best]) &&
                !(output(&s, 0)[row * 3 + k] > x[row * 10 + best]),
            "row %d: number %d is at %d, not %d", row, k, (int)places[row * 3 + k], best);
    }
  }
  close_scene(&s);
}

int main(void) {
  int numerics;
  for (numerics = WEBNN_NUMERICS_FAST; numerics <= WEBNN_NUMERICS_REFERENCE; numerics++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context;
    options.numerics = (webnn_numerics)numerics;
    context = test_context(&options);
    check_newton(context);
    check_attention(context);
    check_gradient(context);
    check_largest(context);
    webnn_free_context(context);
  }
  return test_end();
}
