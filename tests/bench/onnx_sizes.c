/* onnx_sizes.c - ONNX models whose inputs have another size in each call, by sessions of webnn_onnx.h and by ONNX
   Runtime with dynamic axes.

     onnx_sizes [--threads N] [--calls N] [--longest N] [--fixed 1] FOLDER NAME...

   FOLDER/NAME/model.onnx is what networks/networks.py writes. A model with a past has a token in each call, and
   one more behind it each time (256 calls); a model of pictures has sides of 64 to 352 (10 calls); any other has
   lengths from 1 to --longest (512) at random, the same in every run (100 calls). One batch. Both run in one
   process and take turns, each when the other one's threads sleep; what is measured is a call with all that a
   new size takes, from the first one on, but no loading, in which both libraries pack weights. Outputs are
   compared. With --fixed 1 sessions have a graph for each size, not one for all. */
#include "bench.h"
#include "ort.h"

#include "../../examples/headers/webnn_onnx.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PORTS = 64, MOST_CALLS = 10000, LEAST_SIDE = 64, SIDE_STEP = 32 };
#define TOLERANCE 1e-4

typedef struct options {
  uint32_t threads, calls, longest, fixed;
} options;

typedef struct subject {
  webnn_onnx_model *model;
  webnn_onnx_session *session;
  void *theirs;
  webnn_onnx_port inputs[MOST_PORTS], outputs[MOST_PORTS];
  size_t input_count, output_count;
  bool grows, is_picture;
} subject;

/* The memory of one call: inputs, and outputs of both. */
typedef struct call {
  webnn_onnx_feed feeds[MOST_PORTS];
  void *inputs[MOST_PORTS], *outputs[2][MOST_PORTS];
  size_t bytes[MOST_PORTS];
} call;

static void require(const webnn_error *error) {
  if (error->status != WEBNN_OK)
    fail("webnn: %s", error->message);
}

/* ---- Sizes ------------------------------------------------------------------------------------- */

static bool has_dimension(const subject *n, const char *name) {
  for (size_t i = 0; i < n->input_count; i++)
    for (uint32_t d = 0; d < n->inputs[i].descriptor.shape.count; d++)
      if (n->inputs[i].dimension_names[d] && strcmp(n->inputs[i].dimension_names[d], name) == 0)
        return true;
  return false;
}

/* From 1 to `most`, the same for a call in every run. */
static uint32_t random_length(uint32_t number, uint32_t most) {
  uint64_t state = (number + 1) * 0x9E3779B97F4A7C15u;
  state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
  state = (state ^ state >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)((state ^ state >> 31) % most) + 1;
}

static uint32_t size_of(const subject *n, const options *o, const char *name, uint32_t number) {
  if (strncmp(name, "batch", 5) == 0)
    return 1;
  if (n->is_picture)
    return LEAST_SIDE + SIDE_STEP * (number % 10);
  if (!n->grows)
    return random_length(number, o->longest);
  if (strcmp(name, "past_sequence_length") == 0)
    return number;
  return strcmp(name, "sequence_length") == 0 ? 1 : number + 1;
}

/* ---- A call ------------------------------------------------------------------------------------ */

static size_t count_of(webnn_list of) {
  size_t count = 1;
  for (uint32_t d = 0; d < of.count; d++)
    count *= of.items[d];
  return count;
}

static bool is_wide(const webnn_onnx_port *p) {
  return p->type == WEBNN_ONNX_INT64;
}

/* Masks are ones, other integers 0 and 1, which are tokens, kinds and places. */
static void fill_input(const webnn_onnx_port *p, void *data, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (is_wide(p))
      ((int64_t *)data)[i] = strstr(p->name, "mask") ? 1 : (int64_t)(i % 2);
    else
      ((float *)data)[i] = (float)((i * 37 + 11) % 29) / 8.0f - 1.5f;
  }
}

static void make_inputs(const subject *n, const options *o, uint32_t number, call *c) {
  memset(c, 0, sizeof *c);
  for (size_t i = 0; i < n->input_count; i++) {
    const webnn_onnx_port *p = &n->inputs[i];
    webnn_onnx_feed *feed = &c->feeds[i];
    feed->name = p->name;
    feed->shape = p->descriptor.shape;
    for (uint32_t d = 0; d < feed->shape.count; d++)
      if (p->dimension_names[d])
        feed->shape.items[d] = size_of(n, o, p->dimension_names[d], number);
    feed->byte_length = count_of(feed->shape) * (is_wide(p) ? 8 : 4);
    feed->data = c->inputs[i] = allocate(feed->byte_length);
    fill_input(p, c->inputs[i], count_of(feed->shape));
  }
}

static void free_call(const subject *n, call *c) {
  for (size_t i = 0; i < n->input_count; i++)
    free(c->inputs[i]);
  for (size_t i = 0; i < n->output_count; i++) {
    free(c->outputs[0][i]);
    free(c->outputs[1][i]);
  }
}

/* Seconds of a call; the memory of outputs is made when their shapes are known, which is not counted. */
static double run_ours(subject *n, call *c) {
  webnn_named_output outputs[MOST_PORTS];
  webnn_error error = WEBNN_ZERO;
  double begin = seconds(), time;
  webnn_onnx_compute_shapes(n->session, c->feeds, n->input_count, n->outputs, &error);
  require(&error);
  time = seconds() - begin;
  for (size_t i = 0; i < n->output_count; i++) {
    c->bytes[i] = count_of(n->outputs[i].descriptor.shape) * 4;
    for (int k = 0; k < 2; k++)
      c->outputs[k][i] = allocate(c->bytes[i]);
    outputs[i].name = n->outputs[i].name;
    outputs[i].data = c->outputs[0][i];
    outputs[i].byte_length = c->bytes[i];
  }
  begin = seconds();
  webnn_onnx_run(n->session, c->feeds, n->input_count, outputs, n->output_count, &error);
  require(&error);
  return time + seconds() - begin;
}

/* What loading is to a session: a graph and packed weights, by the shapes of another call. */
static void prepare(subject *n, const options *o, uint32_t number) {
  static call c;
  webnn_error error = WEBNN_ZERO;
  make_inputs(n, o, number, &c);
  webnn_onnx_compute_shapes(n->session, c.feeds, n->input_count, n->outputs, &error);
  require(&error);
  free_call(n, &c);
}

static void *tensor_over(void *data, size_t bytes, webnn_list of, int type) {
  int64_t dimensions[WEBNN_MAX_RANK];
  void *tensor;
  for (uint32_t d = 0; d < of.count; d++)
    dimensions[d] = of.items[d];
  ort_check(ort.create_tensor_with_data(ort.memory_info, data, bytes, dimensions, of.count, type,
                                        &tensor));
  return tensor;
}

static double run_theirs(subject *n, call *c) {
  const char *input_names[MOST_PORTS], *output_names[MOST_PORTS];
  void *inputs[MOST_PORTS], *outputs[MOST_PORTS];
  const double begin = seconds();
  for (size_t i = 0; i < n->input_count; i++) {
    input_names[i] = n->inputs[i].name;
    inputs[i] = tensor_over(c->inputs[i], c->feeds[i].byte_length, c->feeds[i].shape,
                            (int)n->inputs[i].type);
  }
  for (size_t i = 0; i < n->output_count; i++) {
    output_names[i] = n->outputs[i].name;
    outputs[i] = tensor_over(c->outputs[1][i], c->bytes[i], n->outputs[i].descriptor.shape,
                             WEBNN_ONNX_FLOAT);
  }
  ort_check(ort.run(n->theirs, NULL, input_names, inputs, n->input_count, output_names,
                    n->output_count, outputs));
  for (size_t i = 0; i < n->input_count; i++)
    ort.release_value(inputs[i]);
  for (size_t i = 0; i < n->output_count; i++)
    ort.release_value(outputs[i]);
  return seconds() - begin;
}

/* The largest difference of the outputs, relative to their largest magnitude. */
static double difference(const subject *n, const call *c) {
  double worst = 0;
  for (size_t i = 0; i < n->output_count; i++) {
    const float *a = (const float *)c->outputs[0][i], *b = (const float *)c->outputs[1][i];
    double largest = 0, scale = 0;
    for (size_t k = 0; k < c->bytes[i] / 4; k++) {
      const double apart = fabs((double)a[k] - (double)b[k]);
      largest = apart <= largest ? largest : apart; /* NaN counts */
      scale = fmax(scale, fabs((double)b[k]));
    }
    worst = largest <= worst * scale ? worst : largest / (scale > 0 ? scale : 1);
  }
  return worst;
}

/* ---- A network --------------------------------------------------------------------------------- */

static void open_network(subject *n, webnn_context *context, const char *folder, const char *name,
                         const options *o) {
  char path[1024];
  webnn_onnx_session_options with = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  snprintf(path, sizeof path, "%s/%s/model.onnx", folder, name);
  webnn_onnx_open(path, NULL, &n->model, &error);
  require(&error);
  n->input_count = webnn_onnx_inputs(n->model, n->inputs, MOST_PORTS);
  n->output_count = webnn_onnx_outputs(n->model, n->outputs, MOST_PORTS);
  if (n->input_count > MOST_PORTS || n->output_count > MOST_PORTS)
    fail("%s: too many inputs or outputs", path);
  with.fixed = o->fixed > 0;
  webnn_onnx_create_session(n->model, context, &with, &n->session, &error);
  require(&error);
  ort_check(ort.create_session(ort.env, path, ort_options(o->threads), &n->theirs));
  n->grows = has_dimension(n, "past_sequence_length");
  n->is_picture = has_dimension(n, "height");
}

static void close_network(subject *n) {
  webnn_onnx_free_session(n->session);
  webnn_onnx_free(n->model);
  ort.release_session(n->theirs);
}

/* Returns whether all outputs agree. */
static bool measure_network(webnn_context *context, const char *folder, const char *name,
                            const options *o) {
  static subject n;
  double total[2] = {0, 0}, slowest[2] = {0, 0}, worst = 0;
  uint32_t calls;
  memset(&n, 0, sizeof n);
  open_network(&n, context, folder, name, o);
  calls = o->calls ? o->calls : n.grows ? 256 : n.is_picture ? 10 : 100;
  prepare(&n, o, calls);
  for (uint32_t i = 0; i < calls; i++) {
    static call c;
    double times[2], apart;
    make_inputs(&n, o, i, &c);
    settle(o->threads); /* ONNX Runtime's threads spin for longer than a step of GPT-2 takes */
    times[0] = run_ours(&n, &c); /* first, since it says the shapes */
    settle(o->threads);
    times[1] = run_theirs(&n, &c);
    apart = difference(&n, &c);
    worst = apart <= worst ? worst : apart;
    for (int k = 0; k < 2; k++) {
      total[k] += times[k];
      slowest[k] = fmax(slowest[k], times[k]);
    }
    free_call(&n, &c);
  }
  close_network(&n);
  printf("| %s | %u | %.1f | %.1f | %.2f | %.2f | %.2f | %.2f |\n", name, calls, total[0] * 1e3,
         total[1] * 1e3, total[1] / total[0], slowest[0] * 1e3, slowest[1] * 1e3,
         slowest[1] / slowest[0]);
  if (!(worst <= TOLERANCE))
    printf("MISMATCH %s: outputs differ by %.1e of their largest\n", name, worst);
  fflush(stdout);
  return worst <= TOLERANCE;
}

static void print_head(const options *o) {
  char text[256];
  print_machine();
  if (!open_ort(text, sizeof text))
    fail("%s", text);
  printf("beside %s with dynamic axes, %u threads; ratios are its times divided by those of "
         "webnn.h\n\n"
         "| network | calls | all of them, ms | theirs | ratio | the slowest, ms | theirs | ratio "
         "|\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
         text, o->threads);
}

int main(int count, char **arguments) {
  options o = {2, 0, 512, 0};
  webnn_context_options with = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  int i = 1, passed = 0, failed = 0;
  for (; i + 1 < count && strncmp(arguments[i], "--", 2) == 0; i += 2) {
    const int number = atoi(arguments[i + 1]);
    if (number < 1 || number > MOST_CALLS)
      fail("%s takes a number from 1 to %d", arguments[i], MOST_CALLS);
    if (strcmp(arguments[i], "--threads") == 0)
      o.threads = (uint32_t)number;
    else if (strcmp(arguments[i], "--calls") == 0)
      o.calls = (uint32_t)number;
    else if (strcmp(arguments[i], "--longest") == 0)
      o.longest = (uint32_t)number;
    else if (strcmp(arguments[i], "--fixed") == 0)
      o.fixed = (uint32_t)number;
    else
      fail("%s: an unknown option", arguments[i]);
  }
  if (i + 1 >= count)
    fail("usage: onnx_sizes [--threads N] [--calls N] [--longest N] [--fixed 1] FOLDER NAME...");
  print_head(&o);
  with.numerics = WEBNN_NUMERICS_FAST;
  with.threads = o.threads;
  webnn_create_context(&with, &context, &error);
  require(&error);
  for (int n = i + 1; n < count; n++) {
    const bool right = measure_network(context, arguments[i], arguments[n], &o);
    passed += right;
    failed += !right;
  }
  webnn_free_context(context);
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed > 0;
}
