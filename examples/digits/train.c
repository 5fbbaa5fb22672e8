/* train.c - teaches the network of network.h to read digits, with webnn.h alone.

   It shows that a graph is not only for inference: one graph holds the network, the loss, the
   gradients of all weights and the step that improves them. Each run of it is one step of training.
   The digits to learn from are drawn by draw.h; no two are the same, so none needs to be learned by
   heart and each batch is also a fair test of what was learned before it.

   Build and run:   cc -O2 -I../.. -pthread train.c -o train && ./train weights.bin
   Other uses:      ./train weights.bin 20000     stop after about so many digits
                    ./train --draw images 7       draw a picture of each digit into a folder;
                                                  another number, other pictures
   Read next:       ../lenet/lenet.c, weights that somebody else has trained. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"

#include "draw.h"

enum { BATCH = 64, DEFAULT_DIGITS = 64000, WARM_UP = 20, TRAINING_SEED = 1 };

static const double learning_rate = 0.1, momentum = 0.9;

/* ---- The graph of one step ----------------------------------------------------------------------

   Gradients are of the batch's mean loss, named after what they belong to: d_dense1 is the gradient
   of dense1's output. The rule behind each line: if y = f(x), then d_x = d_y times f's derivative.
 */

typedef struct gradients {
  webnn_operand *of[PARAMETERS];
} gradients;

static webnn_operand *transposed(webnn_builder *b, webnn_operand *x) {
  webnn_transpose_options swap = {.permutation = WEBNN_LIST(1, 0, 2, 3)};
  return webnn_transpose(b, x, &swap);
}

/* relu passes the gradient on where its output y is not 0; there sign(y) is 1. */
static webnn_operand *relu_gradient(webnn_builder *b, webnn_operand *d_y, webnn_operand *y) {
  return webnn_mul(b, d_y, webnn_sign(b, y, NULL), NULL);
}

/* A bias is added at every place of its channel, so its gradient is the sum over them. */
static webnn_operand *bias_gradient(webnn_builder *b, webnn_operand *d_y) {
  webnn_reduce_options rows = {.axes = WEBNN_LIST(0)};
  webnn_reduce_options images_and_pixels = {.axes = WEBNN_LIST(0, 2, 3)};
  bool image = webnn_operand_shape(d_y).count == 4;
  return webnn_reduce_sum(b, d_y, image ? &images_and_pixels : &rows);
}

/* The gradient of the filter of conv2d with strides 2. Element [o, c, i, j] is the sum over images
   n and places (y, x) of x[n, c, 2y + i, 2x + j] d_y[n, o, y, x]: again a convolution, of the
   channels of x with those of d_y as filters. The images take the place of input channels, and the
   steps of 2 become holes of 2 in the filter. The result is [c, o, i, j]. */
static webnn_operand *filter_gradient(webnn_builder *b, webnn_operand *x, webnn_operand *d_y,
                                      webnn_list padding) {
  webnn_conv2d_options options = {.padding = padding, .dilations = WEBNN_LIST(2, 2)};
  return transposed(b, webnn_conv2d(b, transposed(b, x), transposed(b, d_y), &options));
}

/* The gradient of the input of conv2d: what conv2d gathered is scattered, with the same filter,
   whose [o, c, height, width] is what convTranspose2d calls [i, o, height, width]. */
static webnn_operand *input_gradient(webnn_builder *b, webnn_operand *d_y, webnn_operand *filter) {
  webnn_conv_transpose2d_options options = {.strides = WEBNN_LIST(2, 2)};
  return webnn_conv_transpose2d(b, d_y, filter, &options);
}

/* From the output back to the first layer. */
static gradients build_gradients(webnn_builder *b, webnn_operand *images, webnn_operand *targets,
                                 webnn_operand *const *parameters, const network_layers *n) {
  gradients d;
  const webnn_gemm_options a_t = {.a_transpose = true}, b_t = {.b_transpose = true};
  /* Softmax and the logarithm in the loss together have the simplest gradient of all. */
  webnn_linear_options mean = {.alpha = webnn_f64(1.0 / BATCH)};
  webnn_operand *d_dense2 = webnn_linear(b, webnn_sub(b, n->probabilities, targets, NULL), &mean);
  d.of[DENSE2_MATRIX] = webnn_gemm(b, n->dense1, d_dense2, &a_t);
  d.of[DENSE2_BIAS] = bias_gradient(b, d_dense2);

  webnn_operand *d_dense1 = webnn_gemm(b, d_dense2, parameters[DENSE2_MATRIX], &b_t);
  d_dense1 = relu_gradient(b, d_dense1, n->dense1);
  d.of[DENSE1_MATRIX] = webnn_gemm(b, n->flat, d_dense1, &a_t);
  d.of[DENSE1_BIAS] = bias_gradient(b, d_dense1);

  webnn_operand *d_flat = webnn_gemm(b, d_dense1, parameters[DENSE1_MATRIX], &b_t);
  webnn_operand *d_conv2 = webnn_reshape(b, d_flat, webnn_operand_shape(n->conv2), NULL);
  d_conv2 = relu_gradient(b, d_conv2, n->conv2);
  d.of[CONV2_FILTER] = filter_gradient(b, n->conv1, d_conv2, WEBNN_LIST(0, 0, 0, 0));
  d.of[CONV2_BIAS] = bias_gradient(b, d_conv2);

  webnn_operand *d_conv1 = input_gradient(b, d_conv2, parameters[CONV2_FILTER]);
  d_conv1 = relu_gradient(b, d_conv1, n->conv1);
  d.of[CONV1_FILTER] = filter_gradient(b, images, d_conv1, CONV1_PADDING);
  d.of[CONV1_BIAS] = bias_gradient(b, d_conv1);
  return d;
}

/* [BATCH, 10]: 1 in the column of the label, else 0. */
static webnn_operand *build_targets(webnn_builder *b, webnn_operand *labels) {
  static const int32_t digits[DIGITS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  webnn_operand *columns =
      webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_INT32, 1, DIGITS), digits, sizeof digits);
  return webnn_cast(b, webnn_equal(b, labels, columns, NULL), WEBNN_FLOAT32, NULL);
}

/* The mean over the batch of -ln(probability of the right digit). */
static webnn_operand *build_loss(webnn_builder *b, webnn_operand *probabilities,
                                 webnn_operand *targets) {
  webnn_clamp_options above_zero = {.min_value = webnn_f64(1e-10)};
  webnn_linear_options mean = {.alpha = webnn_f64(-1.0 / BATCH)};
  webnn_operand *logarithms = webnn_log(b, webnn_clamp(b, probabilities, &above_zero), NULL);
  webnn_operand *sum = webnn_reduce_sum(b, webnn_mul(b, logarithms, targets, NULL), NULL);
  return webnn_linear(b, sum, &mean);
}

/* How many of the batch were read rightly. */
static webnn_operand *build_right(webnn_builder *b, webnn_operand *probabilities,
                                  webnn_operand *labels) {
  webnn_arg_min_max_options keep = {.keep_dimensions = true};
  webnn_operand *read = webnn_arg_max(b, probabilities, 1, &keep);
  webnn_operand *right = webnn_cast(b, webnn_equal(b, read, labels, NULL), WEBNN_FLOAT32, NULL);
  return webnn_reduce_sum(b, right, NULL);
}

/* The graph's values for each parameter: the value itself and its velocity, before and after. */
enum { BEFORE_VALUE, BEFORE_SPEED, AFTER_VALUE, AFTER_SPEED, ROLES };

typedef struct parameter_names {
  char name[ROLES][PARAMETERS][32];
} parameter_names;

static void name_parameters(parameter_names *names) {
  static const char *const roles[ROLES] = {"%s", "%s speed", "new %s", "new %s speed"};
  for (int role = 0; role < ROLES; role++)
    for (int i = 0; i < PARAMETERS; i++)
      snprintf(names->name[role][i], sizeof names->name[role][i], roles[role],
               network_parameters[i].name);
}

/* Gradient descent with momentum: speed = momentum speed - rate gradient; value = value + speed. */
static void build_update(webnn_builder *b, webnn_operand *value, webnn_operand *speed,
                         webnn_operand *gradient, webnn_operand *rate, webnn_operand **new_value,
                         webnn_operand **new_speed) {
  webnn_linear_options slow_down = {.alpha = webnn_f64(momentum)};
  *new_speed =
      webnn_sub(b, webnn_linear(b, speed, &slow_down), webnn_mul(b, gradient, rate, NULL), NULL);
  *new_value = webnn_add(b, value, *new_speed, NULL);
}

static webnn_graph *build_step(webnn_context *context, const parameter_names *names) {
  webnn_error error = WEBNN_ZERO;
  webnn_builder *b;
  check(webnn_create_builder(context, &b, &error), &error);
  webnn_operand *images =
      webnn_input(b, "images", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, BATCH, 1, IMAGE_SIDE, IMAGE_SIDE));
  webnn_operand *labels = webnn_input(b, "labels", WEBNN_DESCRIPTOR(WEBNN_INT32, BATCH, 1));
  webnn_operand *rate = webnn_input(b, "rate", WEBNN_SCALAR(WEBNN_FLOAT32));
  webnn_operand *values[PARAMETERS], *speeds[PARAMETERS];
  for (int i = 0; i < PARAMETERS; i++) {
    webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, parameter_shape(i)};
    values[i] = webnn_input(b, names->name[BEFORE_VALUE][i], descriptor);
    speeds[i] = webnn_input(b, names->name[BEFORE_SPEED][i], descriptor);
  }

  network_layers layers = build_network(b, images, BATCH, values);
  webnn_operand *targets = build_targets(b, labels);
  gradients d = build_gradients(b, images, targets, values, &layers);

  webnn_named_operand outputs[2 + 2 * PARAMETERS] = {
      {"loss", build_loss(b, layers.probabilities, targets)},
      {"right", build_right(b, layers.probabilities, labels)}};
  for (int i = 0; i < PARAMETERS; i++) {
    webnn_named_operand *value = &outputs[2 + 2 * i], *speed = &outputs[3 + 2 * i];
    value->name = names->name[AFTER_VALUE][i];
    speed->name = names->name[AFTER_SPEED][i];
    build_update(b, values[i], speeds[i], d.of[i], rate, &value->operand, &speed->operand);
  }
  webnn_graph *graph;
  check(webnn_build(b, outputs, 2 + 2 * PARAMETERS, &graph, &error), &error);
  webnn_free_builder(b);
  return graph;
}

/* ---- Training -------------------------------------------------------------------------------- */

typedef struct trainer {
  webnn_context *context;
  webnn_graph *step;
  parameter_names names;
  webnn_tensor *images, *labels, *rate, *loss, *right;
  /* A step reads one set of parameters and writes the other, then the sets change places. */
  webnn_tensor *values[2][PARAMETERS], *speeds[2][PARAMETERS];
  int current;
} trainer;

static void write_floats(const trainer *t, webnn_tensor *tensor, const float *data, size_t count) {
  webnn_error error = WEBNN_ZERO;
  check(webnn_write_tensor(t->context, tensor, data, count * sizeof *data, &error), &error);
}

static float read_float(const trainer *t, webnn_tensor *tensor) {
  webnn_error error = WEBNN_ZERO;
  float value = 0;
  check(webnn_read_tensor(t->context, tensor, &value, sizeof value, &error), &error);
  return value;
}

/* Filters and matrices start at random, so large that numbers neither grow nor fade on their way
   through the layers (variance 2 / inputs); biases and speeds start at 0, as every tensor does. */
static void set_random_values(const trainer *t, random_state *r) {
  for (int i = 0; i < PARAMETERS; i++) {
    if (network_parameters[i].inputs == 0)
      continue;
    float deviation = (float)square_root(2.0 / network_parameters[i].inputs);
    size_t count = parameter_count(i);
    float *values = (float *)allocate(count, sizeof *values);
    for (size_t k = 0; k < count; k++)
      values[k] = random_normal(r, 0, deviation);
    write_floats(t, t->values[0][i], values, count);
    free(values);
  }
}

static void open_trainer(trainer *t) {
  webnn_error error = WEBNN_ZERO;
  webnn_tensor_descriptor labels = {WEBNN_INT32, WEBNN_LIST(BATCH, 1), false, true};
  check(webnn_create_context(NULL, &t->context, &error), &error);
  name_parameters(&t->names);
  t->step = build_step(t->context, &t->names);
  t->images = new_tensor(t->context, WEBNN_LIST(BATCH, 1, IMAGE_SIDE, IMAGE_SIDE));
  check(webnn_create_tensor(t->context, labels, &t->labels, &error), &error);
  t->rate = new_tensor(t->context, WEBNN_EMPTY_LIST);
  t->loss = new_tensor(t->context, WEBNN_EMPTY_LIST);
  t->right = new_tensor(t->context, WEBNN_EMPTY_LIST);
  for (int i = 0; i < PARAMETERS; i++)
    for (int set = 0; set < 2; set++) {
      t->values[set][i] = new_tensor(t->context, parameter_shape(i));
      t->speeds[set][i] = new_tensor(t->context, parameter_shape(i));
    }
  t->current = 0;
}

/* Starts one step and changes the sets. */
static void dispatch_step(trainer *t) {
  webnn_named_tensor inputs[3 + 2 * PARAMETERS] = {
      {"images", t->images}, {"labels", t->labels}, {"rate", t->rate}};
  webnn_named_tensor outputs[2 + 2 * PARAMETERS] = {{"loss", t->loss}, {"right", t->right}};
  int before = t->current, after = 1 - before;
  for (int i = 0; i < PARAMETERS; i++) {
    webnn_named_tensor roles[ROLES] = {
        {t->names.name[BEFORE_VALUE][i], t->values[before][i]},
        {t->names.name[BEFORE_SPEED][i], t->speeds[before][i]},
        {t->names.name[AFTER_VALUE][i], t->values[after][i]},
        {t->names.name[AFTER_SPEED][i], t->speeds[after][i]},
    };
    memcpy(&inputs[3 + 2 * i], &roles[BEFORE_VALUE], 2 * sizeof *roles);
    memcpy(&outputs[2 + 2 * i], &roles[AFTER_VALUE], 2 * sizeof *roles);
  }
  webnn_error error = WEBNN_ZERO;
  check(webnn_dispatch(t->context, t->step, inputs, 3 + 2 * PARAMETERS, outputs, 2 + 2 * PARAMETERS,
                       &error),
        &error);
  t->current = after;
}

typedef struct batch_of_digits {
  float pixels[BATCH * IMAGE_PIXELS];
  int32_t labels[BATCH];
} batch_of_digits;

static void draw_batch(batch_of_digits *batch, random_state *r) {
  for (int i = 0; i < BATCH; i++) {
    batch->labels[i] = (int32_t)(random_bits(r) % DIGITS);
    draw_digit(batch->labels[i], r, &batch->pixels[i * IMAGE_PIXELS]);
  }
}

/* Loss and accuracy are averages over about the last twenty batches. */
typedef struct progress {
  double loss, accuracy, start;
} progress;

static void show_progress(progress *p, int batch, int batches, double loss, double accuracy) {
  double part = batch < 20 ? 1.0 / (batch + 1) : 0.05;
  p->loss += (loss - p->loss) * part;
  p->accuracy += (accuracy - p->accuracy) * part;
  double left = (seconds() - p->start) / (batch + 1) * (batches - batch - 1);
  printf("\rbatch %4d of %d   loss %.4f   fresh digits read %5.1f%%   %3.0f s left ", batch + 1,
         batches, p->loss, p->accuracy * 100, left);
  if ((batch + 1) % 100 == 0 || batch + 1 == batches)
    putchar('\n');
  fflush(stdout);
}

/* Small at first, until the random values have found a direction; then down to 0 in a line. */
static float rate_of(int batch, int batches) {
  double rate = learning_rate * (1 - (double)batch / batches);
  return (float)(batch < WARM_UP ? rate * (batch + 1) / WARM_UP : rate);
}

static void train(trainer *t, int batches, random_state *r) {
  webnn_error error = WEBNN_ZERO;
  batch_of_digits *batch = (batch_of_digits *)allocate(1, sizeof *batch);
  progress p = {0, 0, seconds()};
  draw_batch(batch, r);
  for (int i = 0; i < batches; i++) {
    float rate = rate_of(i, batches);
    write_floats(t, t->images, batch->pixels, BATCH * IMAGE_PIXELS);
    check(webnn_write_tensor(t->context, t->labels, batch->labels, sizeof batch->labels, &error),
          &error);
    write_floats(t, t->rate, &rate, 1);
    dispatch_step(t);
    draw_batch(batch,
               r); /* while the context may still be working: reading waits, writing copies */
    show_progress(&p, i, batches, (double)read_float(t, t->loss),
                  (double)read_float(t, t->right) / BATCH);
  }
  free(batch);
}

static void save(const trainer *t, const char *path) {
  webnn_error error = WEBNN_ZERO;
  float *values[PARAMETERS];
  for (int i = 0; i < PARAMETERS; i++) {
    size_t count = parameter_count(i);
    values[i] = (float *)allocate(count, sizeof(float));
    check(webnn_read_tensor(t->context, t->values[t->current][i], values[i], count * sizeof(float),
                            &error),
          &error);
  }
  write_weights(path, values);
  for (int i = 0; i < PARAMETERS; i++)
    free(values[i]);
}

static void close_trainer(trainer *t) {
  for (int i = 0; i < PARAMETERS; i++)
    for (int set = 0; set < 2; set++) {
      webnn_free_tensor(t->values[set][i]);
      webnn_free_tensor(t->speeds[set][i]);
    }
  webnn_free_tensor(t->images);
  webnn_free_tensor(t->labels);
  webnn_free_tensor(t->rate);
  webnn_free_tensor(t->loss);
  webnn_free_tensor(t->right);
  webnn_free_graph(t->step);
  webnn_free_context(t->context);
}

/* ---- Drawing for the eye --------------------------------------------------------------------- */

/* folder/0.pgm ... folder/9.pgm. Training starts its random numbers from TRAINING_SEED. */
static void draw_pictures(const char *folder, uint64_t seed) {
  random_state r = random_from_seed(seed);
  for (int digit = 0; digit < DIGITS; digit++) {
    float pixels[IMAGE_PIXELS];
    char path[512];
    draw_digit(digit, &r, pixels);
    snprintf(path, sizeof path, "%.500s/%d.pgm", folder, digit);
    FILE *file = fopen(path, "wb");
    if (!file)
      fail("%s: cannot be written", path);
    fprintf(file, "P5\n%d %d\n255\n", IMAGE_SIDE, IMAGE_SIDE);
    for (int i = 0; i < IMAGE_PIXELS; i++)
      fputc((int)(pixels[i] * 255 + 0.5f), file);
    if (ferror(file) || fclose(file) != 0)
      fail("%s: cannot be written", path);
  }
}

int main(int argc, char **argv) {
  if (argc >= 3 && argc <= 4 && strcmp(argv[1], "--draw") == 0) {
    draw_pictures(argv[2], argc == 4 ? strtoul(argv[3], NULL, 10) : 7);
    return 0;
  }
  long digits = argc == 3 ? strtol(argv[2], NULL, 10) : DEFAULT_DIGITS;
  if (argc < 2 || argc > 3 || digits < BATCH || digits > 100000000)
    fail("usage: train weights.bin [digits to learn from], or train --draw folder [seed]");
  trainer t;
  random_state r = random_from_seed(TRAINING_SEED);
  open_trainer(&t);
  set_random_values(&t, &r);
  train(&t, (int)(digits / BATCH), &r);
  save(&t, argv[1]);
  close_trainer(&t);
  return 0;
}
