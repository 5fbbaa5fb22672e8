/* ours.c - a graph by the calls of webnn.h. */
#include "bench.h"
#ifdef HAVE_VULKAN
#include "webnn_vulkan.h"
#endif

#include <sys/mman.h>
#include <unistd.h>

#include <stdlib.h>
#include <string.h>

typedef struct our_state {
  webnn_context *context;
  webnn_graph *graph;
  webnn_named_tensor inputs[MAX_PORTS], outputs[MAX_PORTS];
  char names[2 * MAX_PORTS][16];
  size_t input_count, output_count;
  void *results[MAX_PORTS]; /* where our_fetch brings those of a device */
  size_t result_bytes[MAX_PORTS];
  webnn_error error; /* one for all runs, since clearing it takes longer than a small one */
} our_state;

/* ---- Building ----------------------------------------------------------------------------------
 */

typedef struct emitter {
  webnn_builder *builder;
  const graph *g;
  webnn_operand **operands; /* one for each value, constants when first needed */
} emitter;

static webnn_list list_of(const shape *s) {
  return webnn_list_of(s->d, s->rank);
}

static webnn_operand *constant_of_shape(emitter *e, value v, const shape *s) {
  const value_info *info = &e->g->values[v];
  webnn_operand_descriptor descriptor = {info->type, list_of(s)};
  return webnn_constant_over_memory(e->builder, descriptor, info->data, info->bytes);
}

/* Input i of a node; NULL if it is not given. */
static webnn_operand *operand(emitter *e, const node *n, int i) {
  if (i >= n->input_count)
    return NULL;
  value v = n->inputs[i];
  if (!e->operands[v])
    e->operands[v] = constant_of_shape(e, v, &e->g->values[v].shape);
  return e->operands[v];
}

static webnn_operand *emit_conv2d(emitter *e, const node *n) {
  webnn_conv2d_options options = {.padding = webnn_list_of(n->padding, 4),
                                  .strides = webnn_list_of(n->strides, 2),
                                  .groups = n->groups,
                                  .input_layout = n->nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW,
                                  .bias = operand(e, n, 2)};
  return webnn_conv2d(e->builder, operand(e, n, 0), operand(e, n, 1), &options);
}

static webnn_operand *emit_conv_transpose2d(emitter *e, const node *n) {
  webnn_conv_transpose2d_options options = {.padding = webnn_list_of(n->padding, 4),
                                            .strides = webnn_list_of(n->strides, 2),
                                            .groups = n->groups,
                                            .input_layout =
                                                n->nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW,
                                            .bias = operand(e, n, 2)};
  return webnn_conv_transpose2d(e->builder, operand(e, n, 0), operand(e, n, 1), &options);
}

static webnn_operand *emit_pool(emitter *e, const node *n) {
  webnn_pool2d_options options = {.layout = n->nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW};
  if (n->window[0]) {
    options.window_dimensions = webnn_list_of(n->window, 2);
    options.padding = webnn_list_of(n->padding, 4);
    options.strides = webnn_list_of(n->strides, 2);
  }
  return n->op == MAX_POOL ? webnn_max_pool2d(e->builder, operand(e, n, 0), &options)
                           : webnn_average_pool2d(e->builder, operand(e, n, 0), &options);
}

static webnn_operand *emit_gemm(emitter *e, const node *n) {
  webnn_gemm_options options = {
      .c = operand(e, n, 2), .a_transpose = n->transpose_a, .b_transpose = n->transpose_b};
  return webnn_gemm(e->builder, operand(e, n, 0), operand(e, n, 1), &options);
}

static webnn_operand *emit_layer_normalization(emitter *e, const node *n) {
  webnn_layer_normalization_options options = {.scale = operand(e, n, 1),
                                               .bias = operand(e, n, 2),
                                               .axes = WEBNN_LIST(n->axis),
                                               .epsilon = webnn_f64(n->number)};
  return webnn_layer_normalization(e->builder, operand(e, n, 0), &options);
}

static webnn_operand *emit_batch_normalization(emitter *e, const node *n) {
  webnn_batch_normalization_options options = {.scale = operand(e, n, 1),
                                               .bias = operand(e, n, 2),
                                               .axis = webnn_u64(1),
                                               .epsilon = webnn_f64(n->number)};
  return webnn_batch_normalization(e->builder, operand(e, n, 0), operand(e, n, 3), operand(e, n, 4),
                                   &options);
}

/* Scales and zero points have the rank of what they serve: their elements along the axis, unless
   there is one for each block. */
static webnn_operand *emit_quantization(emitter *e, const node *n) {
  shape s = e->g->values[n->inputs[0]].shape, scales = e->g->values[n->inputs[1]].shape;
  for (uint32_t i = 0; i < s.rank && scales.rank != s.rank; i++)
    s.d[i] = i == n->axis ? (uint32_t)element_count(&scales) : 1;
  s = scales.rank == s.rank ? scales : s;
  webnn_operand *x = operand(e, n, 0);
  webnn_operand *scale = constant_of_shape(e, n->inputs[1], &s);
  webnn_operand *zero_point = constant_of_shape(e, n->inputs[2], &s);
  return n->op == QUANTIZE ? webnn_quantize_linear(e->builder, x, scale, zero_point, NULL)
                           : webnn_dequantize_linear(e->builder, x, scale, zero_point, NULL);
}

static webnn_operand *emit_lstm(emitter *e, const node *n, uint32_t steps, uint32_t hidden) {
  webnn_operand *outputs[3] = {NULL, NULL, NULL};
  webnn_lstm_options options = {
      .bias = operand(e, n, 3), .recurrent_bias = operand(e, n, 4), .return_sequence = true};
  webnn_lstm(e->builder, operand(e, n, 0), operand(e, n, 1), operand(e, n, 2), steps, hidden,
             &options, outputs);
  return outputs[2];
}

static webnn_operand *emit_gru(emitter *e, const node *n, uint32_t steps, uint32_t hidden) {
  webnn_operand *outputs[2] = {NULL, NULL};
  webnn_gru_options options = {
      .bias = operand(e, n, 3), .recurrent_bias = operand(e, n, 4), .return_sequence = true};
  webnn_gru(e->builder, operand(e, n, 0), operand(e, n, 1), operand(e, n, 2), steps, hidden,
            &options, outputs);
  return outputs[1];
}

static webnn_operand *emit_recurrent(emitter *e, const node *n) {
  uint32_t steps = e->g->values[n->inputs[0]].shape.d[0];
  uint32_t hidden = e->g->values[n->inputs[2]].shape.d[2];
  return n->op == LSTM ? emit_lstm(e, n, steps, hidden) : emit_gru(e, n, steps, hidden);
}

static webnn_operand *emit_resample(emitter *e, const node *n) {
  webnn_resample2d_options options = {.mode = n->linear ? WEBNN_INTERPOLATION_LINEAR
                                                        : WEBNN_INTERPOLATION_NEAREST_NEIGHBOR,
                                      .sizes = list_of(&n->sizes),
                                      .axes = list_of(&n->list)};
  return webnn_resample2d(e->builder, operand(e, n, 0), &options);
}

static webnn_operand *emit_movement(emitter *e, const node *n) {
  webnn_operand *x = operand(e, n, 0), *second = operand(e, n, 1);
  webnn_transpose_options permuted = {.permutation = list_of(&n->list)};
  webnn_gather_options along = {.axis = n->axis};
  switch (n->op) {
  case TRANSPOSE:
    return webnn_transpose(e->builder, x, &permuted);
  case RESHAPE:
    return webnn_reshape(e->builder, x, list_of(&e->g->values[n->outputs[0]].shape), NULL);
  case CONCAT:
    return webnn_concat(e->builder, WEBNN_OPERANDS(x, second), n->axis, NULL);
  case SLICE:
    return webnn_slice(e->builder, x, list_of(&n->list), list_of(&n->sizes), NULL);
  case PAD:
    return webnn_pad(e->builder, x, list_of(&n->list), list_of(&n->sizes), NULL);
  case GATHER:
    return webnn_gather(e->builder, x, second, &along);
  case GATHER_ELEMENTS:
    return webnn_gather_elements(e->builder, x, second, &along);
  case CAST:
    return webnn_cast(e->builder, x, e->g->values[n->outputs[0]].type, NULL);
  default:
    fail("an operator without a webnn.h call");
  }
}

static webnn_operand *emit(emitter *e, const node *n) {
  webnn_reduce_options reduction = {.axes = list_of(&n->list), .keep_dimensions = n->keep};
  webnn_clamp_options limits = {.min_value = webnn_f64(n->number),
                                .max_value = webnn_f64(n->maximum)};
  webnn_operand *x = operand(e, n, 0);
  switch (n->op) {
#define ONE(enumerator, function, onnx, domain)                                                    \
  case enumerator:                                                                                 \
    return function(e->builder, x, NULL);
    UNARY_OPERATIONS(ONE)
#undef ONE
#define TWO(enumerator, function, onnx, domain)                                                    \
  case enumerator:                                                                                 \
    return function(e->builder, x, operand(e, n, 1), NULL);
    BINARY_OPERATIONS(TWO)
    TWO(MATMUL, webnn_matmul, 0, 0)
#undef TWO
#define REDUCE(enumerator, function, onnx, domain)                                                 \
  case enumerator:                                                                                 \
    return function(e->builder, x, &reduction);
    REDUCE_OPERATIONS(REDUCE)
#undef REDUCE
  case CLAMP:
    return webnn_clamp(e->builder, x, &limits);
  case SOFTMAX:
    return webnn_softmax(e->builder, x, n->axis, NULL);
  case CUMULATIVE_SUM:
    return webnn_cumulative_sum(e->builder, x, n->axis, NULL);
  case CONV2D:
    return emit_conv2d(e, n);
  case CONV_TRANSPOSE2D:
    return emit_conv_transpose2d(e, n);
  case GEMM:
    return emit_gemm(e, n);
  case LAYER_NORMALIZATION:
    return emit_layer_normalization(e, n);
  case BATCH_NORMALIZATION:
    return emit_batch_normalization(e, n);
  case MAX_POOL:
  case AVERAGE_POOL:
    return emit_pool(e, n);
  case QUANTIZE:
  case DEQUANTIZE:
    return emit_quantization(e, n);
  case LSTM:
  case GRU:
    return emit_recurrent(e, n);
  case RESAMPLE:
    return emit_resample(e, n);
  default:
    return emit_movement(e, n);
  }
}

static void build(our_state *s, const graph *g) {
  webnn_error error = WEBNN_ZERO;
  webnn_named_operand outputs[MAX_PORTS];
  emitter e = {NULL, g,
               (webnn_operand **)allocate((size_t)g->value_count * sizeof(webnn_operand *))};
  if (webnn_create_builder(s->context, &e.builder, &error) != WEBNN_OK)
    fail("webnn.h: %s", error.message);
  for (int i = 0; i < g->input_count; i++) {
    const value_info *v = &g->values[g->inputs[i]];
    webnn_operand_descriptor descriptor = {v->type, list_of(&v->shape)};
    e.operands[g->inputs[i]] = webnn_input(e.builder, s->names[i], descriptor);
  }
  for (int i = 0; i < g->node_count; i++) {
    e.operands[g->nodes[i].outputs[0]] = emit(&e, &g->nodes[i]);
    if (!e.operands[g->nodes[i].outputs[0]])
      fail("webnn.h: %s", webnn_builder_message(e.builder));
  }
  for (int i = 0; i < g->output_count; i++)
    outputs[i] = (webnn_named_operand){s->names[MAX_PORTS + i], e.operands[g->outputs[i]]};
  if (webnn_build(e.builder, outputs, (size_t)g->output_count, &s->graph, &error) != WEBNN_OK)
    fail("webnn.h: %s", error.message);
  webnn_free_builder(e.builder);
  free(e.operands);
}

/* ---- Running -----------------------------------------------------------------------------------
 */

/* Children of the program look there, too. */
static const char backend_variable[] = "WEBNN_BENCH_BACKEND";

void choose_backend(const char *name) {
  if (strcmp(name, "cpu") != 0 && strcmp(name, "vulkan") != 0)
    fail("--backend takes cpu or vulkan, not %s", name);
  setenv(backend_variable, name, 1);
}

bool on_vulkan(void) {
  const char *name = getenv(backend_variable);
  return name && strcmp(name, "vulkan") == 0;
}

static const char numerics_variable[] = "WEBNN_BENCH_NUMERICS";

void choose_numerics(const char *name) {
  if (strcmp(name, "fast") != 0 && strcmp(name, "relaxed") != 0)
    fail("--numerics takes fast or relaxed, not %s", name);
  setenv(numerics_variable, name, 1);
}

bool is_relaxed(void) {
  const char *name = getenv(numerics_variable);
  return name && strcmp(name, "relaxed") == 0;
}

static const char instructions_variable[] = "WEBNN_BENCH_INSTRUCTIONS";

static webnn_instruction_set instruction_set_named(const char *name) {
  static const char *const names[] = {"best", "scalar", "sse2", "avx2", "avx512", "neon", "wasm"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0)
      return (webnn_instruction_set)i;
  fail("--instructions takes best, scalar, sse2, avx2, avx512, neon or wasm, not %s", name);
}

void choose_instructions(const char *name) {
  instruction_set_named(name);
  setenv(instructions_variable, name, 1);
}

double relaxed_tolerance(double tolerance) {
  return is_relaxed() && tolerance < 2e-2 ? 2e-2 : tolerance;
}

/* All graphs on a GPU share a context to the end of the process: it takes long to open. */
static webnn_context *on_gpu;

static void open_context(our_state *s, webnn_context_options *options) {
  webnn_error error = WEBNN_ZERO;
  const char *instructions = getenv(instructions_variable);
  options->numerics = is_relaxed() ? WEBNN_NUMERICS_RELAXED : WEBNN_NUMERICS_FAST;
  options->instruction_set = instructions ? instruction_set_named(instructions) : WEBNN_ISA_BEST;
#ifdef HAVE_VULKAN
  options->backend = on_vulkan() ? webnn_vulkan_backend() : NULL;
#else
  if (on_vulkan())
    fail("--backend vulkan: compiled without the headers of Vulkan (Debian: libvulkan-dev)");
#endif
  s->context = on_vulkan() ? on_gpu : NULL;
  if (!s->context && webnn_create_context(options, &s->context, &error) != WEBNN_OK)
    fail("webnn.h: %s", error.message);
  on_gpu = on_vulkan() ? s->context : on_gpu;
}

/* On a GPU tensors have memory of their own, which our_fetch reads. */
static webnn_tensor *tensor_on_device(webnn_context *context, const value_info *v,
                                      const void *data) {
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *tensor;
  webnn_tensor_descriptor descriptor = {v->type, list_of(&v->shape), true, true};
  if (webnn_create_tensor(context, descriptor, &tensor, &error) != WEBNN_OK ||
      (data && webnn_write_tensor(context, tensor, data, v->bytes, &error) != WEBNN_OK))
    fail("webnn.h: %s", error.message);
  return tensor;
}

static webnn_tensor *tensor_over(webnn_context *context, const value_info *v, void *memory) {
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *tensor;
  webnn_tensor_descriptor descriptor = {v->type, list_of(&v->shape), true, true};
  if (webnn_create_tensor_over_memory(context, descriptor, memory, v->bytes, &tensor, &error) !=
      WEBNN_OK)
    fail("webnn.h: %s", error.message);
  return tensor;
}

static void our_dispatch(void *state) {
  our_state *s = (our_state *)state;
  if (webnn_dispatch(s->context, s->graph, s->inputs, s->input_count, s->outputs, s->output_count,
                     &s->error) != WEBNN_OK)
    fail("webnn.h: %s", s->error.message);
}

static void our_wait(void *state) {
  our_state *s = (our_state *)state;
  if (webnn_wait(s->context, &s->error) != WEBNN_OK)
    fail("webnn.h: %s", s->error.message);
}

static void our_run(void *state) {
  our_dispatch(state);
  our_wait(state);
}

static void our_release(void *state) {
  our_state *s = (our_state *)state;
  for (size_t i = 0; i < s->input_count; i++)
    webnn_free_tensor(s->inputs[i].tensor);
  for (size_t i = 0; i < s->output_count; i++)
    webnn_free_tensor(s->outputs[i].tensor);
  webnn_free_graph(s->graph);
  if (s->context != on_gpu)
    webnn_free_context(s->context);
  free(s);
}

/* Brings results from the device. */
static void our_fetch(void *state) {
  our_state *s = (our_state *)state;
  for (size_t i = 0; i < s->output_count; i++)
    if (webnn_read_tensor(s->context, s->outputs[i].tensor, s->results[i], s->result_bytes[i],
                          &s->error) != WEBNN_OK)
      fail("webnn.h: %s", s->error.message);
}

static void bind(our_state *s, const graph *g, runner *r) {
  s->input_count = (size_t)g->input_count;
  s->output_count = (size_t)g->output_count;
  for (size_t i = 0; i < s->input_count; i++) {
    const value_info *v = &g->values[g->inputs[i]];
    s->inputs[i] =
        (webnn_named_tensor){s->names[i], on_vulkan() ? tensor_on_device(s->context, v, v->data)
                                                      : tensor_over(s->context, v, v->data)};
  }
  for (size_t i = 0; i < s->output_count; i++) {
    const value_info *v = &g->values[g->outputs[i]];
    r->outputs[i] = allocate(v->bytes);
    s->outputs[i].name = s->names[MAX_PORTS + i];
    s->outputs[i].tensor = on_vulkan() ? tensor_on_device(s->context, v, NULL)
                                       : tensor_over(s->context, v, r->outputs[i]);
    s->results[i] = r->outputs[i];
    s->result_bytes[i] = v->bytes;
  }
}

/* Weights that are packed now: the pages of the mapped file can go. */
static void drop_pages(void *user, const void *data, size_t bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t first = ((uintptr_t)data + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)data + bytes) / page * page;
  (void)user;
  if (end > first)
    madvise((void *)first, end - first, MADV_DONTNEED);
}

static bool our_create(const graph *g, uint32_t threads, runner *r) {
  our_state *s = (our_state *)allocate(sizeof *s);
  webnn_context_options options = {.threads = threads};
  if (g->weights_map)
    options.constant_packed = drop_pages;
  open_context(s, &options);
  for (int i = 0; i < g->input_count; i++)
    snprintf(s->names[i], sizeof s->names[i], "v%d", g->inputs[i]);
  for (int i = 0; i < g->output_count; i++)
    snprintf(s->names[MAX_PORTS + i], sizeof s->names[i], "v%d", g->outputs[i]);
  build(s, g);
  bind(s, g, r);
  r->state = s;
  r->run = on_vulkan() ? our_dispatch : our_run; /* a GPU is not to stand between two runs */
  r->finish = on_vulkan() ? our_wait : NULL;
  r->fetch = on_vulkan() ? our_fetch : NULL;
  r->release = our_release;
  return true;
}

/* " on NAME, DRIVER" */
static void name_device(char *text, size_t size) {
  *text = 0;
#ifdef HAVE_VULKAN
  webnn_vulkan_device device;
  our_state s;
  webnn_context_options options = WEBNN_ZERO;
  open_context(&s, &options);
  if (webnn_vulkan_context_device(s.context, &device, NULL) == WEBNN_OK)
    snprintf(text, size, " on %.90s, %.90s", device.name, device.driver);
#else
  (void)size;
#endif
}

static bool our_open(char *text, size_t size) {
  char device[200] = "";
  if (on_vulkan())
    name_device(device, sizeof device);
  snprintf(text, size, "webnn.h %d.%d.%d%.200s", WEBNN_VERSION_MAJOR, WEBNN_VERSION_MINOR,
           WEBNN_VERSION_PATCH, device);
  return true;
}

static void profile(our_state *s, int runs) {
  webnn_error error = WEBNN_ZERO;
  our_run(s);
  if (webnn_profile_graph(s->graph, true, &error) != WEBNN_OK)
    fail("webnn.h: %s", error.message);
  for (int i = 0; i < runs; i++)
    our_run(s);
}

void print_our_profile(const runner *r, int runs) {
  our_state *s = (our_state *)r->state;
  profile(s, runs);
  webnn_print_profile(s->graph, webnn_write_to_file, stdout);
}

phase_work *our_work(const runner *r, int runs, size_t *count) {
  our_state *s = (our_state *)r->state;
  if (runs > 0)
    profile(s, runs);
  return plan_work(s->graph, count);
}

const peer ours = {"ours", our_open, our_create, false, false};

/* What a GPU's results are compared with. */

static bool cpu_open(char *text, size_t size) {
  snprintf(text, size, "webnn.h on all processors");
  return on_vulkan();
}

static bool cpu_create(const graph *g, uint32_t threads, runner *r) {
  (void)threads;
  choose_backend("cpu");
  our_create(g, 0, r);
  choose_backend("vulkan");
  return true;
}

const peer ours_on_cpu = {"cpu", cpu_open, cpu_create, true, true};
