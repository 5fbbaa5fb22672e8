/* Every kernel against the reference: the cases of tests/reference/digest.c, for every operator and
   data type, run in a Vulkan context on each driver of WEBNN_VULKAN_DRIVERS (a list of icd files with
   absolute paths, separated by colons, or system: what the loader offers; lavapipe if it is not set) and in a reference context of the
   CPU. Integers and moved elements must be the same; floats keep to the tolerance of the graph. Then
   again on a device that binds no more than four buffers of 64 KB to a kernel, with the plans of a
   GPU, under the validation layer if it is there; and each case where no more can be bound than its
   largest operand has: it gives the same, or is an error that says so.

     kernels chains                      only chains of operators
     kernels pairs                       only chains of two functions
     kernels moves                       only transposes, copies of rows, and maps of all widths
     kernels long                        only reductions of long groups, and long running sums
     kernels wide                        only what needs more memory than its operands have
     kernels functions                   only the functions of float32 and how exact they are
     kernels halves                      only those of float16, and conversions to float16
     kernels hazards                     only whether the layer sees that barriers are missing
     kernels [OPERATOR [TYPE [CASE]]]    only these; CASES=n in the environment: so many of each */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#define WEBNN_IMPLEMENTATION
#include "test.h"
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#define DIGEST_CORPUS_ONLY
#include "digest.c"
#include "layer.h"
#include "limited_device.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define LEAST_RANGE 65536 /* what a device with small limits binds for an operand */

#define LAVAPIPE "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"

/* What a case gave in one context. */
typedef struct result {
  size_t count;
  webnn_data_type types[MAX_OUTPUTS];
  webnn_list shapes[MAX_OUTPUTS];
  void *data[MAX_OUTPUTS];
  webnn_tolerance tolerance;
  char problem[700];
} result;

static webnn_context *reference_context, *vulkan_context;
static bool is_limited; /* vulkan_context is on a device with small limits */
static bool is_tight;   /* it binds no more than the largest operand of each case has */
static unsigned limited_runs, refused; /* on it; of these, for more than can be bound */

static void release_result(result *r) {
  size_t i;
  for (i = 0; i < r->count; i++) {
    free(r->data[i]);
  }
}

static bool fails_with(result *to, const char *what, const char *message) {
  snprintf(to->problem, sizeof to->problem, "%s: %s", what, message);
  return false;
}

static uint64_t bytes_of_result(const webnn_operand *operand) {
  const size_t bits = webnn_data_type_bits(webnn_operand_data_type(operand));
  return (test_element_count(webnn_operand_shape(operand)) * bits + 7) / 8;
}

/* Runs the graph of a case; its outputs go to `to`. */
static bool run_in(webnn_context *context, run *r, webnn_graph *graph, result *to) {
  webnn_named_tensor inputs[MAX_INPUTS], outputs[MAX_OUTPUTS];
  digester d;
  webnn_error error = WEBNN_ZERO;
  bool ok;
  size_t i;
  memset(&d, 0, sizeof d);
  d.context = context;
  for (i = 0; i < r->input_count; i++) {
    inputs[i].name = r->inputs[i].name;
    inputs[i].tensor = new_tensor(&d, r->inputs[i].type, list_of(&r->inputs[i].dimensions));
  }
  for (i = 0; i < r->output_count; i++) {
    to->types[i] = webnn_operand_data_type(r->outputs[i]);
    to->shapes[i] = webnn_operand_shape(r->outputs[i]);
    outputs[i].name = output_names[i];
    outputs[i].tensor = new_tensor(&d, to->types[i], to->shapes[i]);
  }
  ok = write_and_dispatch(&d, r, graph, inputs, outputs) || fails_with(to, "run", d.problem);
  for (i = 0; i < r->output_count && ok; i++) {
    const size_t bytes =
        (test_element_count(to->shapes[i]) * webnn_data_type_bits(to->types[i]) + 7) / 8;
    to->data[to->count++] = test_allocate(bytes + 8);
    ok = webnn_read_tensor(context, outputs[i].tensor, to->data[i], bytes, &error) == WEBNN_OK ||
         fails_with(to, "read", error.message);
  }
  for (i = 0; i < r->input_count; i++) {
    webnn_free_tensor(inputs[i].tensor);
  }
  for (i = 0; i < r->output_count; i++) {
    webnn_free_tensor(outputs[i].tensor);
  }
  return ok;
}

/* From now on no more bytes can be bound for an operand. */
static void limit_range(uint64_t bytes) {
  ((webnn_vk__gpu *)vulkan_context->device)->traits.max_range = bytes;
  limited.range = (uint32_t)bytes;
}

/* Lets no more be bound than the largest input or output of a case has. */
static void tighten(const run *r) {
  uint64_t most = 16;
  size_t i;
  for (i = 0; i < r->input_count + r->output_count; i++) {
    const uint64_t bytes = i < r->input_count ? r->inputs[i].byte_length
                                              : bytes_of_result(r->outputs[i - r->input_count]);
    most = most < bytes ? (bytes + 15) / 16 * 16 : most;
  }
  limit_range(most);
}

static bool build_in(webnn_context *context, run *r, result *to) {
  webnn_named_operand named[MAX_OUTPUTS];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  bool ok;
  size_t i;
  if (r->output_count == 0) {
    return fails_with(to, "the method", webnn_builder_message(r->builder));
  }
  for (i = 0; i < r->output_count; i++) {
    named[i].name = output_names[i];
    named[i].operand = r->outputs[i];
  }
  if (is_tight && context == vulkan_context) {
    tighten(r);
  }
  if (webnn_build(r->builder, named, r->output_count, &graph, &error) != WEBNN_OK) {
    return fails_with(to, "build", error.message);
  }
  to->tolerance = webnn_graph_tolerance(graph, 0);
  ok = run_in(context, r, graph, to);
  webnn_free_graph(graph);
  return ok;
}

/* The case, made again in a context. */
static bool make_in(webnn_context *context, webnn_op op, webnn_data_type type, unsigned number,
                    result *to) {
  uint64_t random = digest_bytes(digest_text(DIGEST_OF_NOTHING, webnn_op_name(op)), number, 4);
  run r;
  bool ok;
  unsigned i;
  random = digest_text(random, webnn_data_type_name(type));
  memset(&r, 0, sizeof r);
  memset(to, 0, sizeof *to);
  r.context = context;
  r.builder = test_builder(context);
  r.type = type;
  r.number = number;
  r.filling = (style)(number % STYLE_COUNT);
  r.random = random;
  makers[op](&r);
  ok = build_in(context, &r, to);
  for (i = 0; i < r.input_count; i++) {
    free(r.inputs[i].data);
  }
  webnn_free_builder(r.builder);
  return ok;
}

static bool normalizes(webnn_op op) {
  return op == WEBNN_OP_LAYER_NORMALIZATION || op == WEBNN_OP_INSTANCE_NORMALIZATION;
}

/* Products have bounds of their own, in products.c; here they need only run. */
static bool multiplies(webnn_op op) {
  switch (op) {
  case WEBNN_OP_CONV2D:
  case WEBNN_OP_CONV_TRANSPOSE2D:
  case WEBNN_OP_GEMM:
  case WEBNN_OP_GRU:
  case WEBNN_OP_GRU_CELL:
  case WEBNN_OP_LSTM:
  case WEBNN_OP_LSTM_CELL:
  case WEBNN_OP_MATMUL:
    return true;
  default:
    return false;
  }
}

/* Where subnormal numbers are zeros, sums of what is hardly larger have no bound, and an epsilon may
   be 0. */
static bool is_beyond(webnn_op op, webnn_data_type type, unsigned number) {
  const unsigned filling = number % STYLE_COUNT;
  return without_subnormals && type == WEBNN_FLOAT32 &&
         (filling == TINY || (normalizes(op) && filling > HALVES));
}

static double value_of(webnn_data_type type, const void *data, size_t i) {
  return webnn_data_type_bits(type) == 4 ? (double)load_element(type, data, i)
                                         : test_get(type, data, i);
}

/* What both may take for zero becomes zero: subnormal numbers, and what rounds to them. */
static void flush_result(result *r, float least) {
  size_t i, j;
  for (i = 0; i < r->count && without_subnormals; i++) {
    const size_t count = test_element_count(r->shapes[i]);
    for (j = 0; j < count && r->types[i] == WEBNN_FLOAT32; j++) {
      float *const x = (float *)r->data[i] + j;
      if (*x<least && * x> - least) {
        *x = 0;
      }
    }
  }
}

/* Normalizations keep to bounds of their terms: what cancels is allowed more units. */
static webnn_tolerance tolerance_of(webnn_op op, const result *expected) {
  webnn_tolerance tolerance = expected->tolerance;
  if (normalizes(op) && tolerance.metric == WEBNN_METRIC_ULP && tolerance.value < 64.0) {
    tolerance.value = 64.0;
  }
  return tolerance;
}

/* Holds the outputs of a case against those of the reference. */
static void compare_results(const char *name, webnn_op op, result *expected, result *actual) {
  size_t i;
  flush_result(expected, normalizes(op) ? 1e-30f : 2.3509887e-38f);
  flush_result(actual, normalizes(op) ? 1e-30f : 2.3509887e-38f);
  for (i = 0; i < expected->count && !multiplies(op); i++) {
    const size_t count = test_element_count(expected->shapes[i]);
    const webnn_comparison c = webnn_compare(expected->types[i], actual->data[i], expected->data[i],
                                             count, tolerance_of(op, expected));
    const size_t at = (size_t)(c.first_failed < count ? c.first_failed : 0);
    CHECK(name, c.failed == 0,
          "output %u %s %s: %lu of %lu differ, the first at %lu: %.9g, expected %.9g (%lu units)",
          (unsigned)i, webnn_data_type_name(expected->types[i]),
          test_shape_text(expected->shapes[i]), (unsigned long)c.failed, (unsigned long)count,
          (unsigned long)at, value_of(expected->types[i], actual->data[i], at),
          value_of(expected->types[i], expected->data[i], at),
          (unsigned long)webnn_ulp_distance(expected->types[i], actual->data[i], expected->data[i],
                                            at));
  }
}

static bool is_network(webnn_op op) {
  return op == WEBNN_OP_GRU || op == WEBNN_OP_GRU_CELL || op == WEBNN_OP_LSTM ||
         op == WEBNN_OP_LSTM_CELL;
}

/* Has a case run, or been refused because more must be bound than can be? */
static bool has_run(const char *name, webnn_op op, bool ran, const result *actual) {
  const bool is_refusal = !ran && is_limited &&
                          strstr(actual->problem, webnn_op_name(op)) != NULL &&
                          strstr(actual->problem, "and this device binds no more than") != NULL;
  refused += is_refusal ? 1 : 0;
  limited_runs += is_limited ? 1 : 0;
  return CHECK(name, ran || is_refusal, "%s", actual->problem) && ran;
}

static void compare_case(webnn_op op, webnn_data_type type, unsigned number) {
  char name[96];
  result expected, actual;
  int again;
  snprintf(name, sizeof name, "%s %s %u", webnn_op_name(op), webnn_data_type_name(type), number);
  if (make_in(reference_context, op, type, number, &expected)) {
    for (again = 0; again < (is_limited ? 2 : 1); again++) {
      is_tight = again == 1;
      if (has_run(name, op, make_in(vulkan_context, op, type, number, &actual), &actual)) {
        compare_results(name, op, &expected, &actual);
        release_result(&actual);
      }
    }
    is_tight = false;
    if (is_limited) {
      limit_range(LEAST_RANGE);
    }
  }
  release_result(&expected);
}

/* Makes graphs for a device with so many storage buffers for a kernel, as far as this one has them,
   which is a GPU or is not. */
static void plan_for(uint32_t most, bool is_cpu) {
  webnn_vk__gpu *gpu = (webnn_vk__gpu *)vulkan_context->device;
  const uint32_t operands = most < limited.real_buffers ? most : limited.real_buffers;
  gpu->traits.max_operands = operands;
  gpu->traits.is_cpu = is_cpu;
  gpu->traits.converts_halves = gpu->traits.float16 && !is_cpu;
  limited.buffers = operands;
  webnn_vk__set_target(&gpu->traits, &gpu->target);
}

/* The same bits, but for the sign and payload of a NaN, which are a driver's to choose. */
static bool are_same_bits(webnn_data_type type, const void *a, const void *b, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    const double x = test_get(type, a, i), y = test_get(type, b, i);
    if ((x != y || signbit(x) != signbit(y)) && !(isnan(x) && isnan(y))) {
      return false;
    }
  }
  return true;
}

/* Recurrent networks give with four storage buffers for a kernel the bits that they give with
   sixteen. */
static void compare_few_buffers(webnn_op op, webnn_data_type type, unsigned number) {
  char name[96];
  result many, few;
  bool ok;
  size_t i;
  snprintf(name, sizeof name, "%s %s %u, four buffers", webnn_op_name(op),
           webnn_data_type_name(type), number);
  plan_for(16, false);
  ok = make_in(vulkan_context, op, type, number, &many);
  plan_for(4, false);
  if (ok && CHECK(name, make_in(vulkan_context, op, type, number, &few), "%s", few.problem)) {
    for (i = 0; i < many.count; i++) {
      CHECK(name,
            are_same_bits(many.types[i], few.data[i], many.data[i],
                          test_element_count(many.shapes[i])),
            "output %u has other bits", (unsigned)i);
    }
    release_result(&few);
  }
  release_result(&many);
}

static void compare_all(int argc, char **argv) {
  const char *cases = getenv("CASES");
  const unsigned count = cases != NULL ? (unsigned)atoi(cases) : STYLE_COUNT;
  webnn_operator_limits limits;
  int op, type;
  unsigned i;
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    if (argc > 1 && strcmp(argv[1], webnn_op_name((webnn_op)op)) != 0) {
      continue;
    }
    (void)webnn_op_limits(reference_context, (webnn_op)op, &limits);
    for (type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++) {
      if ((limits.operands[0].data_types >> type & 1) == 0 ||
          (argc > 2 && strcmp(argv[2], webnn_data_type_name((webnn_data_type)type)) != 0)) {
        continue;
      }
      for (i = 0; i < count; i++) {
        if ((argc <= 3 || (unsigned)atoi(argv[3]) == i) &&
            !is_beyond((webnn_op)op, (webnn_data_type)type, i)) {
          compare_case((webnn_op)op, (webnn_data_type)type, i);
          if (is_limited && is_network((webnn_op)op)) {
            compare_few_buffers((webnn_op)op, (webnn_data_type)type, i);
          }
        }
      }
    }
  }
}

/* Drivers of GPUs that cannot be asked for subnormal numbers keep them here and not there. */
static bool promises_subnormals(void) {
  const webnn_vk__gpu *gpu = (const webnn_vk__gpu *)vulkan_context->device;
  return gpu->traits.is_cpu || gpu->compile_options.subnormals_32;
}

/* Does the device take 2^-140 for zero? */
static bool flushes(void) {
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_EMPTY_LIST};
  const uint32_t tiny = 0x00000200;
  float x, y = 0;
  webnn_builder *builder = test_builder(vulkan_context);
  webnn_operand *input = webnn_input(builder, "x", descriptor);
  webnn_named_operand output;
  webnn_named_tensor in, out;
  webnn_graph *graph = NULL;
  digester d;
  memset(&d, 0, sizeof d);
  memcpy(&x, &tiny, sizeof x);
  d.context = vulkan_context;
  output.name = out.name = "y";
  in.name = "x";
  in.tensor = new_tensor(&d, WEBNN_FLOAT32, descriptor.shape);
  out.tensor = new_tensor(&d, WEBNN_FLOAT32, descriptor.shape);
  output.operand = webnn_add(builder, input, input, NULL);
  CHECK("flushing",
        webnn_build(builder, &output, 1, &graph, NULL) == WEBNN_OK &&
            webnn_write_tensor(vulkan_context, in.tensor, &x, sizeof x, NULL) == WEBNN_OK &&
            webnn_dispatch(vulkan_context, graph, &in, 1, &out, 1, NULL) == WEBNN_OK &&
            webnn_read_tensor(vulkan_context, out.tensor, &y, sizeof y, NULL) == WEBNN_OK,
        "an addition does not run");
  webnn_free_tensor(in.tensor);
  webnn_free_tensor(out.tensor);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  return y == 0;
}

/* A graph that `make` describes, the same for the same number. */
static bool make_with(webnn_context *context, maker make, webnn_data_type type, unsigned number,
                      result *to) {
  run r;
  bool ok;
  unsigned i;
  memset(&r, 0, sizeof r);
  memset(to, 0, sizeof *to);
  r.context = context;
  r.builder = test_builder(context);
  r.type = type;
  r.number = 1;
  r.random = digest_bytes(DIGEST_OF_NOTHING, number + 1, 4);
  make(&r);
  ok = build_in(context, &r, to);
  for (i = 0; i < r.input_count; i++) {
    free(r.inputs[i].data);
  }
  webnn_free_builder(r.builder);
  return ok;
}

/* ---- Chains: element-wise operators as one kernel, alone and before a reduction --------------- */

static const unary_method chain_unary[] = {
    webnn_abs,      webnn_ceil, webnn_erf,  webnn_exp,       webnn_neg,      webnn_relu,
    webnn_sigmoid,  webnn_sign, webnn_sqrt, webnn_tanh,      webnn_softplus, webnn_softsign,
    webnn_identity, webnn_gelu, webnn_sin,  webnn_hard_swish};
static const binary_method chain_binary[] = {webnn_add, webnn_sub, webnn_mul,  webnn_div,
                                             webnn_max, webnn_min, webnn_prelu};

/* Some operators one after the other, over [3, 4, 30] and what broadcasts to it; the same for the
   same number. */
static void make_chain(run *r) {
  webnn_operand *x = styled_operand(r, r->type, shape_3(3, 4, 30), ORDINARY);
  webnn_operand *row = styled_operand(r, r->type, shape_1(30), ORDINARY);
  webnn_operand *column = styled_operand(r, r->type, shape_3(3, 1, 1), ORDINARY);
  const uint32_t count = pick_between(r, 2, 12);
  webnn_operand *y = webnn_add(r->builder, webnn_mul(r->builder, x, row, NULL), column, NULL);
  webnn_clamp_options clamp = WEBNN_ZERO;
  webnn_linear_options linear = WEBNN_ZERO;
  webnn_reduce_options reduce = WEBNN_ZERO;
  uint32_t i;
  clamp.min_value = webnn_f64(-2);
  clamp.max_value = webnn_f64(3);
  linear.alpha = webnn_f64(0.75);
  linear.beta = webnn_f64(0.125);
  reduce.axes = pick_bool(r) ? WEBNN_LIST(2) : WEBNN_LIST(0, 1);
  for (i = 0; i < count; i++) {
    webnn_operand *other = pick_bool(r) ? row : pick_bool(r) ? column : x;
    switch (pick(r, 8)) {
    case 0:
      y = webnn_clamp(r->builder, y, &clamp);
      break;
    case 1:
      y = webnn_linear(r->builder, y, &linear);
      break;
    case 2:
      y = webnn_where(r->builder, webnn_greater(r->builder, y, other, NULL), y, other, NULL);
      break;
    case 3:
      y = webnn_cast(r->builder, webnn_cast(r->builder, y, WEBNN_INT8, NULL), r->type, NULL);
      break;
    case 4:
      y = webnn_cast(r->builder, webnn_cast(r->builder, y, WEBNN_FLOAT16, NULL), r->type, NULL);
      break;
    case 5:
      y = chain_unary[pick(r, sizeof chain_unary / sizeof *chain_unary)](r->builder, y, NULL);
      break;
    default:
      y = chain_binary[pick(r, sizeof chain_binary / sizeof *chain_binary)](r->builder, y, other,
                                                                            NULL);
    }
  }
  switch (pick(r, 5)) {
  case 0:
    y = webnn_reduce_mean(r->builder, y, &reduce);
    break;
  case 1:
    y = webnn_reduce_max(r->builder, y, &reduce);
    break;
  case 2:
    y = webnn_reduce_l2(r->builder, y, &reduce);
    break;
  default:
    break;
  }
  output(r, y);
}

/* Every value is rounded to its type: a chain gives the bits that its operators give one by one. */
static void compare_chains(unsigned count) {
  const webnn_tolerance none = WEBNN_ZERO;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *plain;
  unsigned i;
  options.backend = webnn_vulkan_backend();
  options.disabled_passes = UINT32_MAX;
  plain = test_context(&options);
  for (i = 0; i < count; i++) {
    const webnn_data_type type = i % 3 == 0 ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
    result expected, actual;
    char name[32];
    snprintf(name, sizeof name, "chain %u", i);
    if (CHECK(name, make_with(plain, make_chain, type, i, &expected), "%s", expected.problem) &&
        CHECK(name, make_with(vulkan_context, make_chain, type, i, &actual), "%s",
              actual.problem)) {
      const size_t elements = test_element_count(expected.shapes[0]);
      const webnn_comparison c =
          webnn_compare(type, actual.data[0], expected.data[0], elements, none);
      const size_t at = (size_t)(c.first_failed < elements ? c.first_failed : 0);
      CHECK(name, c.failed == 0, "%lu of %lu differ, the first at %lu: %.9g, expected %.9g",
            (unsigned long)c.failed, (unsigned long)elements, (unsigned long)at,
            value_of(type, actual.data[0], at), value_of(type, expected.data[0], at));
      release_result(&actual);
    }
    release_result(&expected);
  }
  webnn_free_context(plain);
}

/* ---- Long groups: those that are cut into parts, and running sums in blocks ------------------- */

static const webnn_op long_ops[] = {WEBNN_OP_REDUCE_L1,      WEBNN_OP_REDUCE_L2,
                                    WEBNN_OP_REDUCE_LOG_SUM, WEBNN_OP_REDUCE_LOG_SUM_EXP,
                                    WEBNN_OP_REDUCE_MAX,     WEBNN_OP_REDUCE_MEAN,
                                    WEBNN_OP_REDUCE_MIN,     WEBNN_OP_REDUCE_PRODUCT,
                                    WEBNN_OP_REDUCE_SUM,     WEBNN_OP_REDUCE_SUM_SQUARE,
                                    WEBNN_OP_ARG_MIN,        WEBNN_OP_ARG_MAX,
                                    WEBNN_OP_SOFTMAX,        WEBNN_OP_LAYER_NORMALIZATION,
                                    WEBNN_OP_CUMULATIVE_SUM};

static const reduce_method long_reductions[] = {
    webnn_reduce_l1,  webnn_reduce_l2,        webnn_reduce_log_sum, webnn_reduce_log_sum_exp,
    webnn_reduce_max, webnn_reduce_mean,      webnn_reduce_min,     webnn_reduce_product,
    webnn_reduce_sum, webnn_reduce_sum_square};

#define LONG_REDUCTIONS (sizeof long_reductions / sizeof *long_reductions)

static size_t long_number; /* of the operator in long_ops */
static style long_style;
static uint32_t long_axis; /* 0 or 1 of [long_size, long_count] or [long_count, long_size] */
static uint32_t long_size, long_count;
static float long_mean; /* of float32: is added to each element */

static webnn_operand *long_operand(run *r, shape s) {
  size_t byte_length, i;
  float *data = (float *)filled(r, r->type, &s, long_style, &byte_length);
  for (i = 0; i < count_of(&s) && long_mean > 0; i++) {
    data[i] += long_mean;
  }
  return operand_over(r, r->type, &s, data, byte_length);
}

static void make_long(run *r) {
  webnn_operand *x = long_operand(r, long_axis == 1 ? shape_2(long_count, long_size)
                                                    : shape_2(long_size, long_count));
  webnn_reduce_options reduce = WEBNN_ZERO;
  webnn_layer_normalization_options normalize = WEBNN_ZERO;
  webnn_cumulative_sum_options running = WEBNN_ZERO;
  reduce.axes = normalize.axes = WEBNN_LIST(long_axis);
  running.exclusive = pick_bool(r);
  running.reversed = pick_bool(r);
  if (long_ops[long_number] == WEBNN_OP_REDUCE_MAX) { /* after a chain of three operands */
    x = webnn_min(r->builder, x, styled_operand(r, r->type, shape_1(1), HUGE), NULL);
    x = webnn_max(r->builder, x, styled_operand(r, r->type, shape_1(1), ORDINARY), NULL);
  }
  if (long_number < LONG_REDUCTIONS) {
    output(r, long_reductions[long_number](r->builder, x, &reduce));
    return;
  }
  switch (long_ops[long_number]) {
  case WEBNN_OP_ARG_MIN:
    output(r, webnn_arg_min(r->builder, x, long_axis, NULL));
    break;
  case WEBNN_OP_ARG_MAX:
    output(r, webnn_arg_max(r->builder, x, long_axis, NULL));
    break;
  case WEBNN_OP_SOFTMAX:
    output(r, webnn_softmax(r->builder, x, long_axis, NULL));
    break;
  case WEBNN_OP_LAYER_NORMALIZATION:
    normalize.scale = styled_operand(r, r->type, shape_1(long_size), ORDINARY);
    output(r, webnn_layer_normalization(r->builder, x, &normalize));
    break;
  default:
    output(r, webnn_cumulative_sum(r->builder, x, long_axis, &running));
  }
}

/* Groups of so many elements, and so many of them, by all operators or by normalizations alone. */
static void compare_groups(uint32_t size, uint32_t count, bool normalized) {
  static const style styles[] = {ORDINARY, FINITE, SPARSE, HUGE};
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT32, WEBNN_UINT64};
  webnn_operator_limits limits;
  unsigned i;
  long_size = size;
  long_count = count;
  for (i = 0; i < sizeof long_ops / sizeof *long_ops * 32; i++) {
    const webnn_data_type type = types[i / 8 % 4];
    char name[96];
    result expected, actual;
    long_number = i / 32;
    long_style = styles[i / 2 % 4];
    long_axis = i % 2;
    (void)webnn_op_limits(reference_context, long_ops[long_number], &limits);
    if ((limits.operands[0].data_types >> type & 1) == 0 ||
        (long_mean > 0 && (type != WEBNN_FLOAT32 || long_style != ORDINARY)) ||
        (normalized && long_ops[long_number] != WEBNN_OP_SOFTMAX &&
         long_ops[long_number] != WEBNN_OP_LAYER_NORMALIZATION)) {
      continue;
    }
    snprintf(name, sizeof name, "%u of %u, %s %s %u", (unsigned)count, (unsigned)size,
             webnn_op_name(long_ops[long_number]), webnn_data_type_name(type), i % 8);
    if (CHECK(name, make_with(reference_context, make_long, type, i, &expected), "%s",
              expected.problem) &&
        CHECK(name, make_with(vulkan_context, make_long, type, i, &actual), "%s", actual.problem)) {
      compare_results(name, long_ops[long_number], &expected, &actual);
      release_result(&actual);
    }
    release_result(&expected);
  }
}

/* Where an invocation takes a column: on GPUs, if the groups' elements are neighbours of each other's. */
static void check_columns(void) {
  static const struct {
    uint32_t dimensions[3], axis;
    bool are;
  } cases[] = {{{701, 40, 1}, 0, true},  {{701, 31, 1}, 0, false}, {{40, 701, 1}, 1, false},
               {{5, 701, 40}, 1, true},  {{701, 5, 40}, 0, true},  {{40, 1, 701}, 2, false},
               {{701, 40, 2}, 1, false}, {{20011, 32, 1}, 0, true}};
  webnn_vk__traits traits = ((webnn_vk__gpu *)vulkan_context->device)->traits;
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases * 2; i++) {
    webnn__shape of = WEBNN_ZERO;
    webnn_vk__groups_of g;
    bool are = cases[i / 2].are && i % 2 == 1;
    of.rank = 3;
    memcpy(of.dimensions, cases[i / 2].dimensions, sizeof cases[i / 2].dimensions);
    traits.is_cpu = i % 2 == 0;
    g = webnn_vk__group(&traits, &of, &cases[i / 2].axis, 1);
    CHECK("columns",
          g.parallel == (!are && g.fibers.size > WEBNN_VK__SERIAL_SIZE) && (!are || g.parts > 1) &&
              (uint64_t)g.part_size * g.parts >= g.fibers.size &&
              (uint64_t)g.part_size * (g.parts - 1) < g.fibers.size,
          "case %u: %u parts of %u", (unsigned)i, (unsigned)g.parts, (unsigned)g.part_size);
  }
}

/* ---- Wide results: what would need more than can be bound, were it kept as words -------------- */

static unsigned wide_number;

/* Whole numbers of at most `most` in magnitude, so that sums are exact. */
static webnn_operand *whole_numbers(run *r, webnn_data_type type, shape s, uint32_t most) {
  const size_t count = count_of(&s);
  size_t byte_length, i;
  void *data = filled(r, type, &s, ORDINARY, &byte_length);
  for (i = 0; i < count; i++) {
    test_set(type, data, i, (double)pick(r, 2 * most + 1) - most);
  }
  return operand_over(r, type, &s, data, byte_length);
}

static void make_wide_scatter(run *r, webnn_data_type type, uint32_t places, uint32_t slice) {
  const shape s = slice == 1 ? shape_1(places) : shape_2(places, slice);
  webnn_operand *x = styled_operand(r, type, s, ORDINARY), *at, *updates;
  if (slice == 1) {
    at = indices(r, shape_1(700), s.items, 1);
    updates = styled_operand(r, type, shape_1(700), ORDINARY);
    output(r, webnn_scatter_elements(r->builder, x, at, updates, NULL));
  } else {
    at = indices(r, shape_2(700, 1), s.items, 1);
    updates = styled_operand(r, type, shape_2(700, slice), ORDINARY);
    output(r, webnn_scatter_nd(r->builder, x, at, updates, NULL));
  }
}

/* softmax(q k) v */
static void make_wide_attention(run *r) {
  webnn_operand *q = whole_numbers(r, WEBNN_FLOAT16, shape_4(1, 2, 243, 65), 1);
  webnn_operand *k = whole_numbers(r, WEBNN_FLOAT16, shape_4(1, 2, 65, 3), 1);
  webnn_operand *v = whole_numbers(r, WEBNN_FLOAT16, shape_4(1, 2, 3, 65), 2);
  webnn_operand *scores = webnn_softmax(r->builder, webnn_matmul(r->builder, q, k, NULL), 3, NULL);
  output(r, webnn_matmul(r->builder, scores, v, NULL));
}

static void make_wide_convolution(run *r, bool transposed) {
  webnn_conv2d_options ordinary = WEBNN_ZERO;
  webnn_conv_transpose2d_options other = WEBNN_ZERO;
  webnn_operand *x, *w;
  ordinary.bias = other.bias = whole_numbers(r, WEBNN_FLOAT16, shape_1(16), 2);
  other.strides = WEBNN_LIST(2, 2);
  if (transposed) {
    x = whole_numbers(r, WEBNN_FLOAT16, shape_4(1, 8, 22, 21), 2);
    w = whole_numbers(r, WEBNN_FLOAT16, shape_4(8, 16, 3, 3), 2);
    output(r, webnn_conv_transpose2d(r->builder, x, w, &other));
  } else {
    x = whole_numbers(r, WEBNN_FLOAT16, shape_4(1, 8, 45, 45), 2);
    w = whole_numbers(r, WEBNN_FLOAT16, shape_4(16, 8, 3, 3), 2);
    output(r, webnn_conv2d(r->builder, x, w, &ordinary));
  }
}

static void make_wide(run *r) {
  webnn_gemm_options gemm = WEBNN_ZERO;
  webnn_layer_normalization_options last = WEBNN_ZERO;
  last.axes = WEBNN_LIST(1);
  switch (wide_number) {
  case 0:
    make_wide_scatter(r, WEBNN_INT8, 40001, 1);
    break;
  case 1:
    make_wide_scatter(r, WEBNN_UINT8, 20001, 3);
    break;
  case 2:
    make_wide_scatter(r, WEBNN_FLOAT16, 30001, 1);
    break;
  case 3:
    output(r, webnn_matmul(r->builder, whole_numbers(r, WEBNN_FLOAT16, shape_2(201, 16), 2),
                           whole_numbers(r, WEBNN_FLOAT16, shape_2(16, 101), 2), NULL));
    break;
  case 4:
    gemm.c = whole_numbers(r, WEBNN_FLOAT16, shape_1(65), 2);
    output(r, webnn_gemm(r->builder, whole_numbers(r, WEBNN_FLOAT16, shape_2(128, 9), 2),
                         whole_numbers(r, WEBNN_FLOAT16, shape_2(9, 65), 2), &gemm));
    break;
  case 5:
    make_wide_attention(r);
    break;
  case 6:
    make_wide_convolution(r, false);
    break;
  case 7:
    make_wide_convolution(r, true);
    break;
  case 8:
    output(r, webnn_softmax(r->builder,
                            styled_operand(r, WEBNN_FLOAT16, shape_3(1, 2, 15001), ORDINARY), 1,
                            NULL));
    break;
  default:
    output(r,
           webnn_layer_normalization(
               r->builder, styled_operand(r, WEBNN_FLOAT16, shape_2(10001, 3), ORDINARY), &last));
  }
}

#define WIDE_CASES 10

/* As the plans of a software driver, of a small GPU and of a large one; none is refused. */
static void compare_wide(void) {
  unsigned i;
  for (i = 0; i < WIDE_CASES * 3; i++) {
    char name[32];
    result expected, actual;
    wide_number = i / 3;
    plan_for(i % 3 == 1 ? 4 : 16, i % 3 == 0);
    snprintf(name, sizeof name, "wide %u %u", wide_number, i % 3);
    if (CHECK(name, make_with(reference_context, make_wide, WEBNN_FLOAT16, i, &expected), "%s",
              expected.problem) &&
        CHECK(name, make_with(vulkan_context, make_wide, WEBNN_FLOAT16, i, &actual), "%s",
              actual.problem)) {
      compare_results(name, WEBNN_OP_ADD, &expected, &actual);
      release_result(&actual);
    }
    release_result(&expected);
  }
}

/* ---- Moves and maps: transposes in squares, units of neighbours, casts of all widths ---------- */

typedef struct transposition {
  uint32_t dimensions[4], rank, permutation[4];
  bool is_swap[4]; /* for elements of 64, 32, 16 and 8 bits */
} transposition;

static const transposition transpositions[] = {
    {{70, 65}, 2, {1, 0}, {true, true, false, false}},
    {{66, 130}, 2, {1, 0}, {true, true, true, false}},
    {{68, 64}, 2, {1, 0}, {true, true, true, true}},
    {{7, 100}, 2, {1, 0}, {false, false, false, false}},
    {{100, 7}, 2, {1, 0}, {false, false, false, false}},
    {{3, 64, 72}, 3, {0, 2, 1}, {true, true, true, true}},
    {{2, 9, 8, 16}, 4, {0, 3, 1, 2}, {true, true, true, true}},
    {{2, 16, 9, 8}, 4, {0, 2, 3, 1}, {true, true, true, true}},
    {{16, 9, 24}, 3, {2, 1, 0}, {true, true, true, true}},
    {{16, 3, 9, 24}, 4, {3, 2, 1, 0}, {true, true, true, true}},
    {{40, 24, 2}, 3, {1, 0, 2}, {false, true, true, true}},
    {{40, 24, 4}, 3, {1, 0, 2}, {false, false, true, true}},
    {{5, 12, 40}, 3, {1, 0, 2}, {false, false, false, false}}};

#define TRANSPOSITIONS (sizeof transpositions / sizeof *transpositions)

static unsigned move_number;

static shape shape_from(const uint32_t *dimensions, uint32_t rank) {
  shape s = WEBNN_ZERO;
  s.rank = rank;
  memcpy(s.items, dimensions, rank * sizeof *dimensions);
  return s;
}

static webnn_operand *transposed(run *r, webnn_operand *x, const transposition *t) {
  webnn_transpose_options o = WEBNN_ZERO;
  o.permutation = webnn_list_of(t->permutation, t->rank);
  return webnn_transpose(r->builder, x, &o);
}

/* A transpose; of a slice that does not begin at the first element; or what moves whole rows. */
static void make_move(run *r) {
  static const uint32_t starts[4] = {1, 1, 1, 1};
  const transposition *t = &transpositions[move_number % TRANSPOSITIONS];
  webnn_operand *x = styled_operand(r, r->type, shape_from(t->dimensions, t->rank), FINITE);
  webnn_pad_options pad = WEBNN_ZERO;
  uint32_t sizes[4], i;
  for (i = 0; i < t->rank; i++) {
    sizes[i] = t->dimensions[i] - (i == 0 || t->dimensions[i] < 4 ? 1 : 2);
  }
  switch (move_number / TRANSPOSITIONS) {
  case 0:
    output(r, transposed(r, x, t));
    break;
  case 1:
    x = webnn_slice(r->builder, x, webnn_list_of(starts, t->rank), webnn_list_of(sizes, t->rank),
                    NULL);
    output(r, transposed(r, x, t));
    break;
  case 2:
    output(r,
           webnn_concat(r->builder, (webnn_operand *[]){x, x, x}, 3, move_number % t->rank, NULL));
    break;
  default:
    pad.value = webnn_f64(3);
    memset(sizes, 0, sizeof sizes);
    sizes[0] = 1;
    sizes[1] = move_number % 2;
    output(r, webnn_pad(r->builder, x, webnn_list_of(sizes, t->rank),
                        webnn_list_of(starts, t->rank), &pad));
  }
}

/* Are transposes planned in squares where both sides have whole words? */
static void check_swaps(void) {
  static const webnn_data_type types[] = {WEBNN_INT64, WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT8};
  size_t i, j;
  uint32_t d;
  for (i = 0; i < TRANSPOSITIONS; i++) {
    const transposition *t = &transpositions[i];
    for (j = 0; j < 4; j++) {
      int64_t strides[4], own[4], all = 1;
      webnn__shape of = WEBNN_ZERO;
      webnn_vk__walk walk;
      webnn_vk__swap swap;
      uint32_t bits;
      of.rank = t->rank;
      for (d = t->rank; d-- > 0; all *= t->dimensions[d]) {
        own[d] = all;
      }
      for (d = 0; d < t->rank; d++) {
        of.dimensions[d] = t->dimensions[t->permutation[d]];
        strides[d] = own[t->permutation[d]];
      }
      walk = webnn_vk__walk_of(&of, strides, 0);
      bits = webnn_vk__unit_bits(&walk, types[j]);
      CHECK("swaps",
            (bits <= 64 && webnn_vk__is_swap(&walk, bits < 32 ? 32 / bits : 1, &swap)) ==
                t->is_swap[j],
            "case %u of %s is another plan", (unsigned)i, webnn_data_type_name(types[j]));
    }
  }
}

static const webnn_data_type map_types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT32, WEBNN_UINT32,
                                            WEBNN_INT64,   WEBNN_UINT64,  WEBNN_INT8,  WEBNN_UINT8};

/* Of x and operands that are broadcast in each way: as vectors, as one element, one by one. What is
   compared has bytes. */
static void make_wide_map(run *r) {
  static const uint32_t lasts[] = {32, 6, 5, 4, 16};
  const uint32_t last = lasts[move_number % 5];
  const uint32_t full[3] = {3, 4, last}, row[1] = {last}, column[2] = {4, 1},
                 face[3] = {3, 1, last};
  const webnn_data_type to = map_types[move_number / 5 % 8];
  webnn_operand *x = whole_numbers(r, r->type, shape_from(full, 3), 60);
  webnn_operand *others[3], *y = x, *greater;
  uint32_t i;
  others[0] = whole_numbers(r, r->type, shape_from(row, 1), 60);
  others[1] = whole_numbers(r, r->type, shape_from(column, 2), 60);
  others[2] = whole_numbers(r, r->type, shape_from(face, 3), 60);
  for (i = 0; i < 3; i++) {
    y = webnn_max(r->builder, y, others[i], NULL);
  }
  greater = webnn_greater(r->builder, x, others[move_number % 3], NULL);
  output(r, webnn_cast(r->builder, webnn_where(r->builder, greater, y, x, NULL), to, NULL));
  if (move_number % 2 == 0) {
    output(r, greater);
  }
}

static void compare_made(const char *name, maker make, webnn_data_type type, unsigned number) {
  result expected, actual;
  if (CHECK(name, make_with(reference_context, make, type, number, &expected), "%s",
            expected.problem) &&
      CHECK(name, make_with(vulkan_context, make, type, number, &actual), "%s", actual.problem)) {
    compare_results(name, WEBNN_OP_TRANSPOSE, &expected, &actual);
    release_result(&actual);
  }
  release_result(&expected);
}

static void compare_moves(void) {
  static const webnn_data_type types[] = {WEBNN_INT64, WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_UINT8};
  char name[64];
  unsigned i, j;
  check_swaps();
  for (i = 0; i < TRANSPOSITIONS * 4; i++) {
    for (j = 0; j < 4; j++) {
      move_number = i;
      snprintf(name, sizeof name, "move %u %s", i, webnn_data_type_name(types[j]));
      compare_made(name, make_move, types[j], i);
    }
  }
  for (i = 0; i < 40; i++) {
    for (j = 0; j < 8; j++) {
      move_number = i;
      snprintf(name, sizeof name, "map %u %s", i, webnn_data_type_name(map_types[j]));
      compare_made(name, make_wide_map, map_types[j], i);
    }
  }
}

/* ---- Functions: how far they are from the exact result --------------------------------------- */

#define ARGUMENTS 400000

static double exact_sigmoid(double x) {
  return 1 / (1 + exp(-x));
}

static double exact_softplus(double x) {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double exact_gelu(double x) {
  return 0.5 * x * erfc(-x / sqrt(2.0));
}

static double exact_softsign(double x) {
  return x / (1 + fabs(x));
}

static double exact_elu(double x) {
  return x > 0 ? x : expm1(x);
}

static double exact_reciprocal(double x) {
  return 1 / x;
}

static webnn_operand *plain_elu(webnn_builder *builder, webnn_operand *x,
                                const webnn_operator_options *options) {
  (void)options;
  return webnn_elu(builder, x, NULL);
}

/* How many units in the last place a result may be off; the greatest found are less. */
static const struct function {
  const char *name;
  unary_method method;
  double (*exact)(double);
  double units;
} functions[] = {{"exp", webnn_exp, exp, 1},
                 {"log", webnn_log, log, 1},
                 {"tanh", webnn_tanh, tanh, 2},
                 {"sigmoid", webnn_sigmoid, exact_sigmoid, 2.5},
                 {"erf", webnn_erf, erf, 2},
                 {"gelu", webnn_gelu, exact_gelu, 3},
                 {"softplus", webnn_softplus, exact_softplus, 2},
                 {"sin", webnn_sin, sin, 2},
                 {"cos", webnn_cos, cos, 2},
                 {"tan", webnn_tan, tan, 2},
                 {"softsign", webnn_softsign, exact_softsign, 2},
                 {"elu", plain_elu, exact_elu, 2},
                 {"sqrt", webnn_sqrt, sqrt, 1},
                 {"reciprocal", webnn_reciprocal, exact_reciprocal, 1}};

/* y = function(x), or x ^ other if there is no function. */
static bool evaluate(unary_method function, const float *x, const float *other, float *y) {
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(ARGUMENTS)};
  const size_t size = ARGUMENTS * sizeof *x, count = function != NULL ? 1 : 2;
  webnn_builder *builder = test_builder(vulkan_context);
  webnn_operand *a = webnn_input(builder, "x", descriptor);
  webnn_named_operand output;
  webnn_named_tensor in[2], out;
  webnn_graph *graph = NULL;
  digester d;
  bool ok;
  memset(&d, 0, sizeof d);
  d.context = vulkan_context;
  output.name = out.name = "y";
  in[0].name = "x";
  in[1].name = "other";
  in[0].tensor = new_tensor(&d, WEBNN_FLOAT32, descriptor.shape);
  in[1].tensor = new_tensor(&d, WEBNN_FLOAT32, descriptor.shape);
  out.tensor = new_tensor(&d, WEBNN_FLOAT32, descriptor.shape);
  output.operand = function != NULL
                       ? function(builder, a, NULL)
                       : webnn_pow(builder, a, webnn_input(builder, "other", descriptor), NULL);
  ok = webnn_build(builder, &output, 1, &graph, NULL) == WEBNN_OK &&
       webnn_write_tensor(vulkan_context, in[0].tensor, x, size, NULL) == WEBNN_OK &&
       webnn_write_tensor(vulkan_context, in[1].tensor, other, size, NULL) == WEBNN_OK &&
       webnn_dispatch(vulkan_context, graph, in, count, &out, 1, NULL) == WEBNN_OK &&
       webnn_read_tensor(vulkan_context, out.tensor, y, size, NULL) == WEBNN_OK;
  webnn_free_tensor(in[0].tensor);
  webnn_free_tensor(in[1].tensor);
  webnn_free_tensor(out.tensor);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  return ok;
}

/* Arguments: limits and where functions leave the range of floats, then in turn bit patterns from
   all of float32, and numbers from 2^-8 to 2^7. */
static void make_arguments(float *x, size_t arguments, uint64_t random) {
  static const uint32_t limits[] = {
      0,          1,          0x007fffff, 0x00800000, 0x00800001, 0x3f7fffff, 0x3f800000,
      0x3f800001, 0x3f000000, 0x42b17217, 0x42b17218, 0x42b17219, 0x42aeac4f, 0x42aeac50,
      0x42cff1b4, 0x42cff1b5, 0x3fc90fda, 0x3fc90fdb, 0x3fc90fdc, 0x40490fdb, 0x416f0000,
      0x7f7fffff, 0x7f800000, 0x7fc00000, 0x5cf9a7b5, 0x33000000, 0x33000001, 0x38800000,
      0x477fe000, 0x477fefff, 0x477ff000};
  const size_t count = sizeof limits / sizeof *limits;
  size_t i;
  for (i = 0; i < arguments; i++) {
    const uint64_t drawn = test_random(&random);
    uint32_t bits = (uint32_t)(drawn >> 32);
    if (i < 2 * count) {
      bits = limits[i / 2] | (uint32_t)(i % 2) << 31;
    } else if (i % 2 != 0) {
      bits = (bits & 0x80000000) | (0x3b800000 + (bits & 0x7fffffff) % 0x07800000);
    }
    if (without_subnormals && (bits & 0x7f800000) == 0) {
      bits &= 0x80000000;
    }
    memcpy(&x[i], &bits, sizeof bits);
  }
}

/* How far y is from the exact result, in units in the last place of that; -1: one is NaN and the
   other is not, or only one is infinite. Results that are subnormal count only where they exist. */
static double units_off(float y, double exact) {
  const double least = 1.17549435e-38;
  int exponent;
  if (isnan(y) || isnan(exact)) {
    return isnan(y) && isnan(exact) ? 0 : -1;
  }
  if (fabs(exact) >= 3.4028235677973366e38) { /* rounds to infinity */
    return y == (exact > 0 ? INFINITY : -INFINITY) ? 0 : -1;
  }
  if (isinf(y)) {
    return -1;
  }
  if (fabs(exact) < 1.0001 * least && without_subnormals) {
    return fabs(y) < 1.0001 * least ? 0 : -1;
  }
  (void)frexp(exact, &exponent);
  return fabs(y - exact) / ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

static void check_units(const char *name, const float *x, const float *other, const float *y,
                        double (*exact)(double), double units) {
  double worst = 0;
  size_t at = 0, wrong = ARGUMENTS, i;
  for (i = 0; i < ARGUMENTS; i++) {
    const double off = units_off(y[i], exact != NULL ? exact(x[i]) : pow(x[i], other[i]));
    if (off > worst) {
      worst = off;
      at = i;
    } else if (off < 0) {
      wrong = i;
    }
  }
  CHECK(name, wrong == ARGUMENTS, "(%.9g, %.9g) gives %.9g", x[wrong % ARGUMENTS],
        other[wrong % ARGUMENTS], y[wrong % ARGUMENTS]);
  CHECK(name, worst <= units, "(%.9g, %.9g) gives %.9g, %.3f units off", x[at], other[at], y[at],
        worst);
  printf("  %-10s %.2f units\n", name, worst);
}

static webnn_operand *some_linear(webnn_builder *builder, webnn_operand *x,
                                  const webnn_operator_options *options) {
  webnn_linear_options linear = WEBNN_ZERO;
  (void)options;
  linear.alpha = webnn_f64(0.7f);
  linear.beta = webnn_f64(-0.3f);
  return webnn_linear(builder, x, &linear);
}

static webnn_operand *some_leaky_relu(webnn_builder *builder, webnn_operand *x,
                                      const webnn_operator_options *options) {
  webnn_leaky_relu_options leaky = WEBNN_ZERO;
  (void)options;
  leaky.alpha = webnn_f64(0.7f);
  return webnn_leaky_relu(builder, x, &leaky);
}

static webnn_operand *some_hard_sigmoid(webnn_builder *builder, webnn_operand *x,
                                        const webnn_operator_options *options) {
  webnn_hard_sigmoid_options hard = WEBNN_ZERO;
  (void)options;
  hard.alpha = webnn_f64(0.7f);
  hard.beta = webnn_f64(-0.3f);
  return webnn_hard_sigmoid(builder, x, &hard);
}

/* The exact result, and the sum of the magnitudes of what is rounded on the way to it. */
static double exact_linear(double x, double *rounded) {
  *rounded = fabs(0.7f * x) + fabs(0.7f * x - (double)0.3f);
  return 0.7f * x - (double)0.3f;
}
static double exact_leaky_relu(double x, double *rounded) {
  *rounded = x < 0 ? fabs(0.7f * x) : 0;
  return x < 0 ? 0.7f * x : x;
}
static double exact_hard_sigmoid(double x, double *rounded) {
  const double y = exact_linear(x, rounded);
  return y > 1 ? 1 : y > 0 ? y : 0;
}
static double exact_hard_swish(double x, double *rounded) { /* x + 3, times x, by 6 */
  const double gate = x + 3 > 6 ? 6 : x + 3 > 0 ? x + 3 : 0;
  *rounded = 3 * fabs(x * gate / 6);
  return x * gate / 6;
}

/* The operators that round after each operation of their formula: 2^-24 of each value on the way.
   Where one of these overflows the result is infinite or NaN, though the exact one may be finite. */
static void check_roundings(const float *x, float *y) {
  static const struct {
    const char *name;
    webnn_operand *(*method)(webnn_builder *, webnn_operand *, const webnn_operator_options *);
    double (*exact)(double x, double *rounded);
    float most; /* beyond it something may overflow */
  } formulas[] = {{"linear", some_linear, exact_linear, FLT_MAX},
                  {"leakyRelu", some_leaky_relu, exact_leaky_relu, FLT_MAX},
                  {"hardSigmoid", some_hard_sigmoid, exact_hard_sigmoid, FLT_MAX},
                  {"hardSwish", webnn_hard_swish, exact_hard_swish, FLT_MAX / 6}};
  size_t f, i;
  for (f = 0; f < sizeof formulas / sizeof *formulas; f++) {
    size_t wrong = 0, at = 0;
    const bool ran = evaluate(formulas[f].method, x, x, y);
    for (i = 0; i < ARGUMENTS && ran; i++) {
      double rounded;
      const double exact = formulas[f].exact(x[i], &rounded);
      const bool near_enough = fabs(y[i] - exact) <= ldexp(rounded, -24) * (1 + 1e-6) + 1.2e-38;
      const bool overflowed = fabsf(x[i]) > formulas[f].most && !isfinite(y[i]);
      if (isnan(x[i]) ? !isnan(y[i])
                      : !near_enough && !overflowed && !((double)y[i] == exact) &&
                            !(isnan(exact) && isnan(y[i]))) {
        wrong++;
        at = i;
      }
    }
    CHECK(formulas[f].name, ran && wrong == 0, "%u are wrong: %.9g gives %.9g", (unsigned)wrong,
          x[at], y[at]);
  }
}

/* Sums of products begin with +0. */
static void check_sum_of_negative_zeros(void) {
  const float x[2] = {-0.0f, -0.0f}, w[2] = {1, 1};
  float y[1] = {-1};
  webnn_builder *builder = test_builder(vulkan_context);
  webnn_operand *a = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2));
  webnn_operand *b = webnn_input(builder, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 1));
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_matmul(builder, a, b, NULL)}), &graph,
                    &error);
  (void)webnn_compute(vulkan_context, graph, WEBNN_INPUTS({"x", x, sizeof x}, {"w", w, sizeof w}),
                      WEBNN_OUTPUTS({"y", y, sizeof y}), &error);
  CHECK("matmul of -0", error.status == WEBNN_OK && y[0] == 0 && !signbit(y[0]), "%g; %s", y[0],
        error.message);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
}

/* The functions of the header against those of the C library in double. */
static void compare_functions(void) {
  float *const x = (float *)test_allocate(ARGUMENTS * sizeof *x);
  float *const other = (float *)test_allocate(ARGUMENTS * sizeof *x);
  float *const y = (float *)test_allocate(ARGUMENTS * sizeof *x);
  size_t f, i;
  make_arguments(x, ARGUMENTS, 1);
  make_arguments(other, ARGUMENTS, 2);
  for (f = 0; f < sizeof functions / sizeof *functions; f++) {
    if (CHECK(functions[f].name, evaluate(functions[f].method, x, other, y), "does not run")) {
      check_units(functions[f].name, x, other, y, functions[f].exact, functions[f].units);
    }
  }
  check_roundings(x, y);
  check_sum_of_negative_zeros();
  for (i = 0; i < ARGUMENTS; i++) { /* powers that are neither 0 nor infinite */
    x[i] = i % 4 == 0 ? x[i] : fabsf(x[i]);
    other[i] = i % 4 == 1 ? other[i] / (log2f(x[i]) + 1e-3f) : other[i];
  }
  if (CHECK("pow", evaluate(NULL, x, other, y), "does not run")) {
    check_units("pow", x, other, y, NULL, 2);
  }
  free(x);
  free(other);
  free(y);
}

#define HALVES 65536

/* y of float16 = method(x), of every float16, or x of float32 rounded to float16. */
static bool evaluate_halves(webnn_context *context, unary_method method, const void *x,
                            size_t count, uint16_t *y) {
  const webnn_data_type type = method != NULL ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
  webnn_builder *builder = test_builder(context);
  webnn_operand *a = webnn_input(builder, "x", WEBNN_DESCRIPTOR(type, (uint32_t)count));
  webnn_operand *b =
      method != NULL ? method(builder, a, NULL) : webnn_cast(builder, a, WEBNN_FLOAT16, NULL);
  webnn_graph *graph = NULL;
  const bool ok =
      webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", b}), &graph, NULL) == WEBNN_OK &&
      webnn_compute(context, graph, WEBNN_INPUTS({"x", x, count * webnn_data_type_bits(type) / 8}),
                    WEBNN_OUTPUTS({"y", y, count * sizeof *y}), NULL) == WEBNN_OK;
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  return ok;
}

static bool is_half_nan(uint16_t x) {
  return (x & 0x7fff) > 0x7c00;
}

/* Every float32 that is a float16 or halfway between two, and its neighbours. */
static void check_rounding_to_halves(void) {
  const size_t count = (size_t)HALVES * 8;
  float *const x = (float *)test_allocate(count * sizeof *x);
  uint16_t *const y = (uint16_t *)test_allocate(count * sizeof *y);
  size_t i, wrong = 0, at = 0;
  for (i = 0; i < count; i++) {
    const float low = webnn_float16_to_float32((uint16_t)(i / 8));
    const float next = webnn_float16_to_float32((uint16_t)(i / 8 + 1));
    const float middle = i % 8 < 4 ? low : isinf(next) ? copysignf(65520, low) : (low + next) / 2;
    uint32_t bits;
    memcpy(&bits, &middle, sizeof bits);
    bits += (uint32_t)(i % 4) - 1;
    memcpy(&x[i], &bits, sizeof bits);
  }
  if (CHECK("to float16", evaluate_halves(vulkan_context, NULL, x, count, y), "does not run")) {
    for (i = 0; i < count; i++) {
      const uint16_t exact = webnn_float32_to_float16(x[i]);
      if (y[i] != exact && !(is_half_nan(y[i]) && is_half_nan(exact)) &&
          !(without_subnormals && fabsf(x[i]) < 1.2e-38f && (y[i] & 0x7fff) == 0)) {
        wrong++;
        at = i;
      }
    }
  }
  CHECK("to float16", wrong == 0, "%u are wrong: %.9g gives %04x", (unsigned)wrong, x[at], y[at]);
  free(x);
  free(y);
}

/* Results of float16 are the exact ones rounded, or one next to them, with the reference's signs. */
static void check_halves(const struct function *f, const uint16_t *x, uint16_t *y, uint16_t *z) {
  size_t i, off = 0, wrong = 0, at = 0;
  if (!CHECK(f->name,
             evaluate_halves(vulkan_context, f->method, x, HALVES, y) &&
                 evaluate_halves(reference_context, f->method, x, HALVES, z),
             "float16 does not run")) {
    return;
  }
  for (i = 0; i < HALVES; i++) {
    const double exact = f->exact(webnn_float16_to_float32(x[i]));
    const uint16_t rounded = webnn_float32_to_float16((float)exact);
    const int between = abs((y[i] & 0x7fff) - (rounded & 0x7fff));
    const bool nan = is_half_nan(y[i]) || isnan(exact);
    off += !nan && y[i] != rounded ? 1 : 0;
    if (nan ? !(is_half_nan(y[i]) && isnan(exact)) : between > 1 || ((y[i] ^ z[i]) & 0x8000) != 0) {
      wrong++;
      at = i;
    }
  }
  CHECK(f->name, wrong == 0, "%u of float16 are wrong: %04x gives %04x", (unsigned)wrong, x[at],
        y[at]);
  printf("  %-10s of float16: %u not the nearest\n", f->name, (unsigned)off);
}

/* The functions of float16, and what rounds to it. */
static void compare_halves(void) {
  uint16_t *const x = (uint16_t *)test_allocate(HALVES * sizeof *x);
  uint16_t *const y = (uint16_t *)test_allocate(HALVES * sizeof *y);
  uint16_t *const z = (uint16_t *)test_allocate(HALVES * sizeof *z);
  size_t i;
  for (i = 0; i < HALVES; i++) {
    x[i] = (uint16_t)i;
  }
  check_rounding_to_halves();
  for (i = 0; i < sizeof functions / sizeof *functions; i++) {
    check_halves(&functions[i], x, y, z);
  }
  free(x);
  free(y);
  free(z);
}

/* ---- Pairs: a function of a function, as one kernel ------------------------------------------

   A driver's compiler may compute wrong what two operators make together, though it computes each
   of them right. So every function follows every other in a kernel of these two, of float32 or
   float16, with one of five links between them. The results have the bits of the operators one by
   one, each of which is held against the reference. Small kernels meet more than long ones: LLVM
   of Mesa's lavapipe computed c ? x : y & ~m | x & m wrong on AVX-512, but only where it reads the
   mask from memory, as it does of one that nothing else needs. */

static webnn_operand *some_clamp(webnn_builder *builder, webnn_operand *x,
                                 const webnn_operator_options *options) {
  webnn_clamp_options clamp = WEBNN_ZERO;
  (void)options;
  clamp.min_value = webnn_f64(-2);
  clamp.max_value = webnn_f64(3);
  return webnn_clamp(builder, x, &clamp);
}

/* a x is exact. */
static webnn_operand *half_hard_sigmoid(webnn_builder *builder, webnn_operand *x,
                                        const webnn_operator_options *options) {
  webnn_hard_sigmoid_options hard = WEBNN_ZERO;
  (void)options;
  hard.alpha = webnn_f64(0.5);
  hard.beta = webnn_f64(0.25);
  return webnn_hard_sigmoid(builder, x, &hard);
}

static webnn_operand *self_pow(webnn_builder *builder, webnn_operand *x,
                               const webnn_operator_options *options) {
  return webnn_pow(builder, x, x, options);
}

static const struct paired {
  const char *name;
  unary_method method;
} paired[] = {{"abs", webnn_abs},
              {"ceil", webnn_ceil},
              {"clamp", some_clamp},
              {"cos", webnn_cos},
              {"elu", plain_elu},
              {"erf", webnn_erf},
              {"exp", webnn_exp},
              {"floor", webnn_floor},
              {"gelu", webnn_gelu},
              {"hardSigmoid", half_hard_sigmoid},
              {"hardSwish", webnn_hard_swish},
              {"identity", webnn_identity},
              {"leakyRelu", some_leaky_relu},
              {"linear", some_linear},
              {"log", webnn_log},
              {"neg", webnn_neg},
              {"pow", self_pow},
              {"reciprocal", webnn_reciprocal},
              {"relu", webnn_relu},
              {"roundEven", webnn_round_even},
              {"sigmoid", webnn_sigmoid},
              {"sign", webnn_sign},
              {"sin", webnn_sin},
              {"softplus", webnn_softplus},
              {"softsign", webnn_softsign},
              {"sqrt", webnn_sqrt},
              {"tan", webnn_tan},
              {"tanh", webnn_tanh}};

enum { PAIRED = sizeof paired / sizeof *paired, PAIRED_VALUES = 256 };

/* What is between the functions: nothing, a cast to the other type of floats, or an operator of the
   first one's result and its argument. */
enum { LINK_NOTHING, LINK_CAST, LINK_ADD, LINK_MAX, LINK_WHERE, LINKS };

static webnn_data_type linked_type(webnn_data_type type, unsigned link) {
  return link != LINK_CAST ? type : type == WEBNN_FLOAT16 ? WEBNN_FLOAT32 : WEBNN_FLOAT16;
}

static webnn_operand *write_link(webnn_builder *builder, unsigned link, webnn_operand *y,
                                 webnn_operand *x) {
  switch (link) {
  case LINK_CAST:
    return webnn_cast(builder, y, linked_type(webnn_operand_data_type(y), LINK_CAST), NULL);
  case LINK_ADD:
    return webnn_add(builder, y, x, NULL);
  case LINK_MAX:
    return webnn_max(builder, y, x, NULL);
  case LINK_WHERE:
    return webnn_where(builder, webnn_greater(builder, y, x, NULL), y, x, NULL);
  default:
    return y;
  }
}

/* A graph of x, or, where it is a link alone, of y and x. */
typedef struct pair_graph {
  webnn_context *context;
  webnn_graph *graph;
  webnn_data_type type, result_type;
  bool of_two;
} pair_graph;

/* first, link, second; NULL: no such function. */
static pair_graph build_pair(webnn_context *context, webnn_data_type type, unary_method first,
                             unsigned link, unary_method second) {
  const webnn_operand_descriptor descriptor = {type, WEBNN_LIST(PAIRED_VALUES)};
  webnn_builder *builder = test_builder(context);
  webnn_operand *x = webnn_input(builder, "x", descriptor), *y = x;
  pair_graph p = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  p.context = context;
  p.type = type;
  p.result_type = linked_type(type, link);
  p.of_two = first == NULL && link > LINK_CAST;
  y = p.of_two ? webnn_input(builder, "y", descriptor) : x;
  y = first != NULL ? first(builder, y, NULL) : y;
  y = write_link(builder, link, y, x);
  y = second != NULL ? second(builder, y, NULL) : y;
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"z", y}), &p.graph, &error);
  MUST("pairs", p.graph != NULL, "%s; %s", error.message, webnn_builder_message(builder));
  webnn_free_builder(builder);
  return p;
}

static void run_pair(const pair_graph *p, const void *x, const void *y, void *z) {
  const size_t size = PAIRED_VALUES * webnn_data_type_bits(p->type) / 8;
  const webnn_named_input in[2] = {{"x", x, size}, {"y", y, size}};
  const webnn_named_output out = {"z", z, PAIRED_VALUES * webnn_data_type_bits(p->result_type) / 8};
  webnn_error error = WEBNN_ZERO;
  MUST("pairs",
       p->graph != NULL &&
           webnn_compute(p->context, p->graph, in, p->of_two ? 2 : 1, &out, 1, &error) == WEBNN_OK,
       "%s", error.message);
}

/* Limits, bit patterns of the type, and numbers from 2^-8 to 2^7. */
static void fill_paired(webnn_data_type type, void *data) {
  float x[PAIRED_VALUES];
  uint64_t random = 5;
  size_t i;
  make_arguments(x, PAIRED_VALUES, 3);
  for (i = 0; i < PAIRED_VALUES; i++) {
    const uint16_t drawn = (uint16_t)(test_random(&random) >> 48);
    const bool is_drawn = i >= PAIRED_VALUES / 2 && i % 2 == 0;
    if (type == WEBNN_FLOAT32) {
      ((float *)data)[i] = x[i];
    } else {
      ((uint16_t *)data)[i] = is_drawn ? drawn : webnn_float32_to_float16(x[i]);
    }
  }
}

/* A function alone, and a link alone, on the device and in the reference. */
typedef struct step {
  pair_graph device, reference;
} step;

static step functions_alone[PAIRED][2], links_alone[LINKS][2]; /* by type */

static step build_step(webnn_context *plain, webnn_data_type type, unary_method method,
                       unsigned link) {
  step s;
  s.device = build_pair(plain, type, method, link, NULL);
  s.reference = build_pair(reference_context, type, method, link, NULL);
  return s;
}

static void free_step(step *s) {
  webnn_free_graph(s->device.graph);
  webnn_free_graph(s->reference.graph);
}

/* May the driver take this for zero? */
static bool is_flushed(webnn_data_type type, double x) {
  return without_subnormals && type == WEBNN_FLOAT32 && fabs(x) < 2.3509887e-38;
}

/* z as the device gives it, near that of the reference, zeros with their signs. */
static void run_step(const step *s, const char *name, const void *x, const void *y, void *z) {
  const webnn_data_type type = s->device.result_type;
  const webnn_tolerance tolerance = webnn_graph_tolerance(s->reference.graph, 0);
  float exact[PAIRED_VALUES];
  test_group c = test_group_begin(name);
  size_t i;
  run_pair(&s->device, x, y, z);
  run_pair(&s->reference, x, y, exact);
  for (i = 0; i < PAIRED_VALUES; i++) {
    const double a = test_get(type, z, i), b = test_get(type, exact, i);
    const size_t size = webnn_data_type_bits(type) / 8;
    const webnn_comparison one = webnn_compare(type, (const char *)z + i * size,
                                               (const char *)exact + i * size, 1, tolerance);
    SEE(&c,
        is_flushed(s->device.type, test_get(s->device.type, x, i)) ||
            (is_flushed(type, a) && is_flushed(type, b)) ||
            ((one.failed == 0 || one.max_ulp <= 2) &&
             (a != 0 || b != 0 || signbit(a) == signbit(b))),
        "of %.9g: %.9g, expected %.9g", test_get(s->device.type, x, i), a, b);
  }
  test_group_end(&c);
}

/* second(link(first(x), x)) in one kernel, and one by one. */
static void compare_pair(webnn_data_type type, unsigned first, unsigned link, unsigned second) {
  const webnn_data_type middle = linked_type(type, link);
  const step *const f = &functions_alone[first][type == WEBNN_FLOAT16];
  const step *const between = &links_alone[link][type == WEBNN_FLOAT16];
  const step *const g = &functions_alone[second][middle == WEBNN_FLOAT16];
  float x[PAIRED_VALUES], y[PAIRED_VALUES], linked[PAIRED_VALUES]; /* or float16 */
  float z[PAIRED_VALUES], whole[PAIRED_VALUES];
  pair_graph p =
      build_pair(vulkan_context, type, paired[first].method, link, paired[second].method);
  char name[96];
  test_group c = test_group_begin(name);
  size_t i;
  snprintf(name, sizeof name, "%s, link %u, %s of %s", paired[first].name, link,
           paired[second].name, webnn_data_type_name(type));
  fill_paired(type, x);
  run_step(f, paired[first].name, x, x, y);
  memcpy(linked, y, sizeof y);
  if (link != LINK_NOTHING) {
    run_step(between, name, link == LINK_CAST ? y : x, y, linked);
  }
  run_step(g, paired[second].name, linked, linked, z);
  p.result_type = middle;
  run_pair(&p, x, x, whole);
  for (i = 0; i < PAIRED_VALUES; i++) {
    const double a = test_get(middle, whole, i), b = test_get(middle, z, i);
    SEE(&c,
        (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)) ||
            (is_flushed(middle, a) && is_flushed(middle, b)),
        "of %.9g: %.9g, one by one %.9g", test_get(type, x, i), a, b);
  }
  test_group_end(&c);
  webnn_free_graph(p.graph);
}

static void compare_pairs(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *plain;
  unsigned type, i, j;
  options.backend = webnn_vulkan_backend();
  options.disabled_passes = UINT32_MAX;
  plain = test_context(&options);
  for (type = 0; type < 2; type++) {
    const webnn_data_type of = type == 0 ? WEBNN_FLOAT32 : WEBNN_FLOAT16;
    for (i = 0; i < PAIRED; i++) {
      functions_alone[i][type] = build_step(plain, of, paired[i].method, LINK_NOTHING);
    }
    for (i = 1; i < LINKS; i++) {
      links_alone[i][type] = build_step(plain, of, NULL, i);
    }
  }
  for (i = 0; i < PAIRED; i++) {
    for (j = 0; j < PAIRED; j++) {
      const bool is_half = ((i ^ j >> 1) & 1) != 0;
      compare_pair(is_half ? WEBNN_FLOAT16 : WEBNN_FLOAT32, i, (i + j) % LINKS, j);
    }
  }
  for (type = 0; type < 2; type++) {
    for (i = 0; i < PAIRED; i++) {
      free_step(&functions_alone[i][type]);
    }
    for (i = 1; i < LINKS; i++) {
      free_step(&links_alone[i][type]);
    }
  }
  webnn_free_context(plain);
}

static bool is_asked(int argc, char **argv, const char *name) {
  return argc == 1 || strcmp(argv[1], name) == 0;
}

/* Quotients by reciprocals, as the kernels have them, at multiples of divisors and beside them. */
static void check_quotients(void) {
  unsigned wrong = 0;
  uint32_t d, i, j;
  for (d = 2; d < UINT32_C(0x80000000); d = d < 5000 ? d + 1 : d + d / 3 + 1) {
    for (i = 0; i < 64; i++) {
      const uint32_t most = UINT32_C(0x7fffffff) / d, multiple = i < 32 ? i : most - (i - 32);
      uint32_t shift;
      const uint64_t reciprocal = webnn_vk__reciprocal_of(d, &shift);
      for (j = 0; j < 3 && multiple <= most; j++) {
        const uint32_t x = j < 2 ? multiple * d + j - 1 : UINT32_C(0x7fffffff) - i;
        wrong += x <= UINT32_C(0x7fffffff) && (uint32_t)(x * reciprocal >> 32) >> shift != x / d;
      }
    }
  }
  CHECK("quotients", wrong == 0, "%u are wrong", wrong);
}

static void compare_plans(int argc, char **argv) {
  if (is_asked(argc, argv, "quotients")) {
    check_quotients();
  }
  if (is_asked(argc, argv, "halves")) {
    compare_halves();
  }
  if (is_asked(argc, argv, "chains")) {
    compare_chains(40);
  }
  if (is_asked(argc, argv, "moves")) {
    compare_moves();
  }
  if (is_asked(argc, argv, "long")) {
    check_columns();
    compare_groups(20011, 3, false);
    compare_groups(701, 40, false); /* columns, along the first axis */
    compare_groups(8, 300, true);   /* rows that are held, by 1, 16, 64 and 128 lanes */
    compare_groups(136, 131, true);
    compare_groups(1000, 5, false);
    compare_groups(4096, 3, false);
    long_mean = 4e6f; /* far from 0, beside what the elements are away from it */
    compare_groups(65536, 1, false);
    compare_groups(1000, 5, true);
    long_mean = 0;
  }
}

static webnn_vulkan_device whole_device; /* as it is, without small limits */

static unsigned messages; /* of the validation layer */
static unsigned hazards;  /* likewise, where barriers are left out */

static void note_message(void *user, bool is_error, const char *text) {
  (void)user;
  if (is_about_the_name(is_error, text) || is_about_the_profile(text)) {
    return;
  }
  if (limited.no_barriers) {
    hazards += strstr(text, "SYNC-HAZARD") != NULL ? 1 : 0;
  } else if (messages++ < 5) {
    printf("validation%s: %s\n", is_error ? "" : " (warning)", text);
  }
}

/* A Vulkan context, under the validation layer if that is there, or NULL. */
static webnn_context *new_context(webnn_vulkan_options *own, webnn_error *error) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  options.backend = webnn_vulkan_backend();
  options.backend_options = own;
  if (webnn_create_context(&options, &context, error) != WEBNN_OK && own->validation) {
    test_skip("validation", error->message);
    memset(error, 0, sizeof *error);
    own->validation = false;
    messages = 0; /* of the loader, about that */
    (void)webnn_create_context(&options, &context, error);
  }
  if (context != NULL) {
    test_see_kernels(context);
  }
  return context;
}

/* The layer that is silent over all kernels sees those of an operator, one of which needs the results of
   another, without their barriers. */
static void check_hazards(void) {
  static const webnn_op several[] = {WEBNN_OP_LSTM, WEBNN_OP_SCATTER_ELEMENTS};
  size_t i;
  for (i = 0; i < sizeof several / sizeof *several; i++) {
    result r;
    hazards = 0;
    limited.no_barriers = true;
    (void)make_in(vulkan_context, several[i], WEBNN_FLOAT32, 0, &r);
    limited.no_barriers = false;
    release_result(&r);
    CHECK("hazards", hazards > 0, "the layer does not see that barriers of %s are missing",
          webnn_op_name(several[i]));
  }
}

/* Everything as the device is. */
static bool compare_whole(const char *driver, int argc, char **argv) {
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  vulkan_context = new_context(&own, &error);
  if (vulkan_context == NULL) {
    test_skip(driver, error.message);
    return false;
  }
  (void)webnn_vulkan_context_device(vulkan_context, &whole_device, &error);
  without_subnormals = flushes() || !promises_subnormals();
  printf("%s%s\n", driver, without_subnormals ? " (without subnormal numbers)" : "");
  if (is_asked(argc, argv, "functions")) {
    compare_functions();
  }
  if (is_asked(argc, argv, "pairs")) {
    compare_pairs();
  }
  compare_plans(argc, argv);
  compare_all(argc, argv);
  webnn_free_context(vulkan_context);
  return true;
}

/* On a device with small limits, with the plans of a GPU. Long groups are more than 64 KB. */
static void compare_limited(int argc, char **argv) {
  webnn_vulkan_options own = WEBNN_ZERO;
  webnn_vulkan_device device = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  own.get_instance_proc_addr = limited_instance_proc;
  own.validation = true;
  own.message = note_message;
  limited.range = 1 << 22;
  limited.buffers = 4;
  vulkan_context = new_context(&own, &error);
  if (!CHECK("limits", vulkan_context != NULL, "%s", error.message)) {
    return;
  }
  CHECK("limits",
        webnn_vulkan_context_device(vulkan_context, &device, &error) == WEBNN_OK &&
            strcmp(device.name, whole_device.name) == 0,
        "another device: %s, not %s", device.name, whole_device.name);
  is_limited = true;
  plan_for(4, false);
  compare_plans(argc, argv);
  limit_range(LEAST_RANGE);
  compare_all(argc, argv);
  CHECK("limits", limited.broken == 0, "%u operands are beyond the limits",
        (unsigned)limited.broken);
  if (is_asked(argc, argv, "wide")) {
    compare_wide();
  }
  if (own.validation && is_asked(argc, argv, "hazards")) {
    check_hazards();
  }
  webnn_free_context(vulkan_context);
  is_limited = false;
  CHECK("limits", argc > 1 || refused * 10 <= limited_runs, "%u of %u cases are refused", refused,
        limited_runs);
  printf("  %u of %u runs with small limits are refused\n", refused, limited_runs);
  CHECK("validation", messages == 0, "%u messages", messages);
  CHECK("limits", limited.broken == 0, "%u operands are beyond the limits",
        (unsigned)limited.broken);
}

/* Once used, the loader of Vulkan stays in the program, and with it the drivers. */
static void check_loaded(void) {
#if defined(__linux__) && defined(RTLD_NOLOAD)
  size_t count = 0;
  if (webnn_vulkan_devices(NULL, NULL, 0, &count, NULL) == WEBNN_OK && count > 0) {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    CHECK("loaded", library != NULL, "the loader of Vulkan is not there any more");
    if (library != NULL) {
      (void)dlclose(library);
    }
  }
#endif
}

static void compare_on(const char *driver, int argc, char **argv) {
  webnn_context_options options = WEBNN_ZERO;
  if (strcmp(driver, "system") != 0) {
    setenv("VK_ICD_FILENAMES", driver, 1);
    setenv("VK_DRIVER_FILES", driver, 1);
  }
  check_loaded();
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  reference_context = test_context(&options);
  if (compare_whole(driver, argc, argv)) {
    compare_limited(argc, argv);
  }
  webnn_free_context(reference_context);
}

int main(int argc, char **argv) {
  const char *drivers = getenv("WEBNN_VULKAN_DRIVERS");
  char list[1024], *at, *end;
  ask_for_order();
  snprintf(list, sizeof list, "%s", drivers != NULL ? drivers : LAVAPIPE);
  for (at = list; at != NULL && *at != 0; at = end) {
    end = strchr(at, ':');
    if (end != NULL) {
      *end++ = 0;
    }
    compare_on(at, argc, argv);
  }
  return test_end();
}
