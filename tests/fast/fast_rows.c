/* Softmax, reductions, normalizations, pooling, resampling, argMin, argMax and cumulativeSum: fast
   contexts against the reference, within the bounds of docs/numerics.md; every instruction set that
   the machine has; 1, 2 and 3 threads to the same bits. */
#include "sets.h"

#include <math.h>

/* ---- A case: one operator on one input --------------------------------------------------------
 */

enum data_kind {
  PLAIN,
  POSITIVE,
  FAR_FROM_ZERO,
  TINY,
  HUGE_SIZE,
  SPECIAL,
  CROWDED, /* one in four is NaN, infinite, a zero, subnormal, or equal to others */
  WIDE,
  ZEROS,
  KINDS,
  STEPS,
  STEEP, /* along axis 1 of 3: 2^24 and then ones, each of which is lost if added by itself */
  EQUAL, /* all 0.1: every rounding of a sum goes the same way for long */
  RISING /* from 0 to 1 */
};

typedef struct test_case {
  webnn_op op;
  webnn_data_type type;
  uint32_t rank, shape[5];
  uint32_t axis_count, axes[5]; /* of reductions and normalizations; axes[0] is `axis` */
  uint32_t window[2], strides[2], dilations[2], padding[4], sizes[2];
  bool nhwc, linear, affine, exclusive, reversed, ceiling;
  enum data_kind data;
  uint32_t chain; /* element-wise operators before a reduction: see chain_before */
  bool magnitudes;
} test_case;

static uint64_t test_state = 4711;

static uint32_t pick(uint32_t below) {
  return (uint32_t)(test_random(&test_state) >> 33) % below;
}

static webnn_list shape_of(const test_case *t) {
  return webnn_list_of(t->shape, t->rank);
}

static webnn_list axes_of(const test_case *t) {
  return webnn_list_of(t->axes, t->axis_count);
}

static const char *case_name(const test_case *t) {
  static char name[200];
  snprintf(name, sizeof name,
           "%s %s %s axes %s chain %lu window %lu,%lu strides %lu,%lu %s%s%s%s%s data %d",
           webnn_op_name(t->op), webnn_data_type_name(t->type), test_shape_text(shape_of(t)),
           test_shape_text(axes_of(t)), (unsigned long)t->chain, (unsigned long)t->window[0],
           (unsigned long)t->window[1], (unsigned long)t->strides[0], (unsigned long)t->strides[1],
           t->nhwc ? "nhwc " : "", t->linear ? "linear " : "", t->affine ? "affine " : "",
           t->exclusive ? "exclusive " : "", t->reversed ? "reversed" : "", (int)t->data);
  return name;
}

/* Rows far from each other, by less and by more than what softmax's guess of the largest allows. */
static double step_of(const test_case *t, size_t i) {
  static const double steps[] = {0,   13,  15,  -15, 17,  -17,  100,  190,  197, 199,
                                 201, 203, 240, 254, 258, -198, -202, -300, 0,   60000};
  return t->data == STEPS ? steps[i / t->shape[t->rank - 1] * 7 % (sizeof steps / sizeof *steps)]
                          : 0;
}

static double random_value(const test_case *t, bool absolute) {
  static const double special[8] = {0.0, -0.0, 1.0, -1.0, 65504.0, -2.0, 1e-7, 0.5};
  const uint32_t dice = pick(256);
  double value = test_random_between(&test_state, -2, 2);
  if (t->data == WIDE && webnn_data_type_bits(t->type) == 8) { /* all bytes, most often the ends */
    value = (double)(dice % 8 < 2 ? dice % 2 * 255 : dice);
    return t->type == WEBNN_INT8 ? value - 128 : value;
  }
  if (!test_is_float(t->type)) {
    value = (double)(int)test_random_between(&test_state, -100, 100);
    return webnn_data_type_bits(t->type) == 8 && t->type == WEBNN_UINT8 ? value + 100
           : t->type == WEBNN_UINT32 || t->type == WEBNN_UINT64         ? value + 100
                                                                        : value;
  }
  switch (t->data) {
  case POSITIVE:
    value = value < 0 ? 0.1 - value : value + 0.1;
    break;
  case FAR_FROM_ZERO:
    value = 1000 + value;
    break;
  case TINY:
    value *= t->type == WEBNN_FLOAT16 ? 1e-5 : 1e-30;
    break;
  case HUGE_SIZE:
    value *= t->type == WEBNN_FLOAT16 ? 3e4 : 1e38;
    break;
  case SPECIAL:
    value = dice < 8     ? special[dice]
            : dice == 9  ? 1e300 * 1e300
            : dice == 10 ? -1e300 * 1e300
                         : value;
    value = dice == 11 ? 0.0 * (1e300 * 1e300) : value;
    break;
  case CROWDED:
    if (dice % 4 == 0) {
      static const double crowd[8] = {0.0, -0.0, 2.0, 2.0, -2.0, 1e-40, -1e-7, 0.5};
      const uint32_t which = dice / 4 % 16;
      value = which < 8    ? crowd[which]
              : which < 11 ? 0.0 * (1e300 * 1e300)
              : which < 13 ? 1e300 * 1e300
              : which < 15 ? -1e300 * 1e300
                           : 65504.0;
    }
    break;
  case WIDE:
    value *= value * value * 50;
    break;
  case ZEROS:
    value = pick(2) ? -0.0 : 0.0;
    break;
  default:
    break;
  }
  return absolute && value < 0 ? -value : value;
}

/* ---- Building and running -----------------------------------------------------------------------
 */

static webnn_operand *affine_constant(webnn_builder *builder, const test_case *t, webnn_list shape,
                                      double low, uint64_t seed) {
  const size_t count = test_element_count(shape);
  webnn_operand_descriptor descriptor;
  void *data = test_allocate(count * 8);
  webnn_operand *operand;
  size_t i;
  descriptor.data_type = t->type;
  descriptor.shape = shape;
  for (i = 0; i < count; i++) {
    test_set(t->type, data, i, test_random_between(&seed, low, 2));
  }
  operand = webnn_constant(builder, descriptor, data, count * webnn_data_type_bits(t->type) / 8);
  free(data);
  return operand;
}

static webnn_operand *build_normalization(webnn_builder *builder, const test_case *t,
                                          webnn_operand *x) {
  webnn_layer_normalization_options layer;
  webnn_instance_normalization_options instance;
  webnn_batch_normalization_options batch;
  webnn_operand *scale = NULL, *bias = NULL;
  webnn_list shape = WEBNN_EMPTY_LIST;
  uint32_t i;
  memset(&layer, 0, sizeof layer);
  memset(&instance, 0, sizeof instance);
  memset(&batch, 0, sizeof batch);
  shape.count = t->op == WEBNN_OP_LAYER_NORMALIZATION ? t->axis_count : 1;
  for (i = 0; i < shape.count; i++) {
    shape.items[i] = t->shape[t->axes[i]];
  }
  if (t->op == WEBNN_OP_INSTANCE_NORMALIZATION) {
    shape.items[0] = t->shape[t->nhwc ? 3 : 1];
  }
  if (t->affine) {
    scale = affine_constant(builder, t, shape, -2, 5);
    bias = affine_constant(builder, t, shape, -2, 6);
  }
  if (t->op == WEBNN_OP_LAYER_NORMALIZATION) {
    layer.scale = scale;
    layer.bias = bias;
    layer.axes = axes_of(t);
    return webnn_layer_normalization(builder, x, &layer);
  }
  if (t->op == WEBNN_OP_INSTANCE_NORMALIZATION) {
    instance.scale = scale;
    instance.bias = bias;
    instance.layout = t->nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
    return webnn_instance_normalization(builder, x, &instance);
  }
  batch.scale = scale;
  batch.bias = bias;
  batch.axis = webnn_u64(t->axes[0]);
  return webnn_batch_normalization(builder, x, affine_constant(builder, t, shape, -2, 7),
                                   affine_constant(builder, t, shape, 0.01, 8), &batch);
}

static webnn_operand *build_window(webnn_builder *builder, const test_case *t, webnn_operand *x) {
  webnn_pool2d_options o;
  webnn_resample2d_options r;
  memset(&o, 0, sizeof o);
  memset(&r, 0, sizeof r);
  if (t->op == WEBNN_OP_RESAMPLE2D) {
    r.mode = t->linear ? WEBNN_INTERPOLATION_LINEAR : WEBNN_INTERPOLATION_NEAREST_NEIGHBOR;
    r.sizes = webnn_list_of(t->sizes, 2);
    r.axes = webnn_list_of(t->axes, 2);
    return webnn_resample2d(builder, x, &r);
  }
  if (t->window[0] > 0) {
    o.window_dimensions = webnn_list_of(t->window, 2);
  }
  o.strides = webnn_list_of(t->strides, 2);
  o.dilations = webnn_list_of(t->dilations, 2);
  o.padding = webnn_list_of(t->padding, 4);
  o.layout = t->nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  o.output_shape_rounding = t->ceiling ? WEBNN_ROUNDING_CEIL : WEBNN_ROUNDING_FLOOR;
  return t->op == WEBNN_OP_MAX_POOL2D  ? webnn_max_pool2d(builder, x, &o)
         : t->op == WEBNN_OP_L2_POOL2D ? webnn_l2_pool2d(builder, x, &o)
                                       : webnn_average_pool2d(builder, x, &o);
}

/* Element-wise operators that round as the reference does, so that what is reduced is the same in
   every context; what is added and multiplied has the shape of x, of its first or of its last axis.
 */
static webnn_operand *chain_before(webnn_builder *by, const test_case *t, webnn_operand *x) {
  const webnn_list whole = shape_of(t), last = WEBNN_LIST(t->shape[t->rank > 0 ? t->rank - 1 : 0]);
  const webnn_list number = WEBNN_EMPTY_LIST;
  webnn_list first = whole;
  uint32_t i;
  for (i = 1; i < t->rank; i++) {
    first.items[i] = 1;
  }
  switch (t->chain) {
  case 1:
    x = webnn_mul(by, x, x, NULL);
    break;
  case 2:
    x = webnn_abs(by, webnn_sub(by, x, affine_constant(by, t, last, -2, 11), NULL), NULL);
    x = webnn_mul(by, x, affine_constant(by, t, whole, 0.1, 12), NULL);
    break;
  case 3:
    x = webnn_where(by, webnn_greater(by, x, affine_constant(by, t, first, -2, 13), NULL), x,
                    affine_constant(by, t, number, 0.5, 14), NULL);
    x = webnn_max(by, x, affine_constant(by, t, whole, -1, 15), NULL);
    break;
  case 4:
    x = webnn_relu(by, webnn_cast(by, x, WEBNN_FLOAT32, NULL), NULL);
    x = webnn_add(by, webnn_cast(by, x, t->type, NULL), affine_constant(by, t, first, 0.5, 16),
                  NULL);
    break;
  default:
    break;
  }
  return t->magnitudes ? webnn_abs(by, x, NULL) : x;
}

static webnn_operand *build_operator(webnn_builder *builder, const test_case *t, webnn_operand *x) {
  webnn_reduce_options reduce;
  webnn_arg_min_max_options arg;
  webnn_cumulative_sum_options running;
  memset(&reduce, 0, sizeof reduce);
  memset(&arg, 0, sizeof arg);
  memset(&running, 0, sizeof running);
  reduce.axes = axes_of(t);
  running.exclusive = t->exclusive;
  running.reversed = t->reversed;
  arg.output_data_type = t->reversed ? WEBNN_INT64 : WEBNN_INT32;
  x = chain_before(builder, t, x);
  switch (t->op) {
#define REDUCE(OP, name)                                                                           \
  case WEBNN_OP_REDUCE_##OP:                                                                       \
    return webnn_reduce_##name(builder, x, &reduce);
    REDUCE(L1, l1)
    REDUCE(L2, l2)
    REDUCE(LOG_SUM, log_sum)
    REDUCE(LOG_SUM_EXP, log_sum_exp)
    REDUCE(MAX, max)
    REDUCE(MEAN, mean)
    REDUCE(MIN, min)
    REDUCE(PRODUCT, product)
    REDUCE(SUM, sum)
    REDUCE(SUM_SQUARE, sum_square)
  case WEBNN_OP_SOFTMAX:
    return webnn_softmax(builder, x, t->axes[0], NULL);
  case WEBNN_OP_ARG_MAX:
    return webnn_arg_max(builder, x, t->axes[0], &arg);
  case WEBNN_OP_ARG_MIN:
    return webnn_arg_min(builder, x, t->axes[0], &arg);
  case WEBNN_OP_CUMULATIVE_SUM:
    return webnn_cumulative_sum(builder, x, t->axes[0], &running);
  case WEBNN_OP_LAYER_NORMALIZATION:
  case WEBNN_OP_INSTANCE_NORMALIZATION:
  case WEBNN_OP_BATCH_NORMALIZATION:
    return build_normalization(builder, t, x);
  default:
    return build_window(builder, t, x);
  }
}

typedef struct test_result {
  webnn_data_type type;
  size_t count, bytes, steps;
  void *data;
} test_result;

static char first_step[256]; /* of the latest graph, as its profile calls it */

/* Every second case has its tensors in memory that is aligned to one element and to no more: sanitizers
   see where it is read through a wider type. */
static size_t element; /* that element's size, or 0 */

/* A tensor over memory that is to be freed after it. */
static bool tensor_over(webnn_context *context, webnn_tensor_descriptor descriptor, size_t bytes,
                        char **memory, webnn_tensor **tensor) {
  *memory = (char *)test_allocate(bytes + 8);
  return webnn_create_tensor_over_memory(context, descriptor, *memory + element, bytes, tensor,
                                         NULL) == WEBNN_OK;
}

/* False if the operator refuses the case. */
static bool run_case(webnn_context *context, const test_case *t, const void *input,
                     test_result *result) {
  webnn_builder *builder = test_builder(context);
  webnn_operand_descriptor descriptor;
  webnn_tensor_descriptor storage;
  webnn_named_operand output;
  webnn_named_tensor in, out;
  webnn_tensor *x = NULL, *y = NULL;
  webnn_profiled_step step;
  webnn_graph *graph = NULL;
  webnn_operand *operand;
  char *memory[2];
  const size_t input_bytes = test_element_count(shape_of(t)) * webnn_data_type_bits(t->type) / 8;
  bool ok;
  descriptor.data_type = t->type;
  descriptor.shape = shape_of(t);
  operand = build_operator(builder, t, webnn_input(builder, "x", descriptor));
  if (operand == NULL) {
    webnn_free_builder(builder);
    return false;
  }
  result->type = webnn_operand_data_type(operand);
  result->count = test_element_count(webnn_operand_shape(operand));
  result->bytes = result->count * webnn_data_type_bits(result->type) / 8;
  result->data = test_allocate(result->bytes);
  memset(&storage, 0, sizeof storage);
  storage.readable = storage.writable = true;
  storage.data_type = t->type;
  storage.shape = descriptor.shape;
  ok = tensor_over(context, storage, input_bytes, &memory[0], &x);
  storage.data_type = result->type;
  storage.shape = webnn_operand_shape(operand);
  ok = tensor_over(context, storage, result->bytes, &memory[1], &y) && ok;
  output.name = out.name = "y";
  output.operand = operand;
  in.name = "x";
  in.tensor = x;
  out.tensor = y;
  ok = ok && webnn_build(builder, &output, 1, &graph, NULL) == WEBNN_OK &&
       webnn_write_tensor(context, x, input, input_bytes, NULL) == WEBNN_OK &&
       webnn_dispatch(context, graph, &in, 1, &out, 1, NULL) == WEBNN_OK &&
       webnn_read_tensor(context, y, result->data, result->bytes, NULL) == WEBNN_OK;
  result->steps = ok && webnn_profile_graph(graph, true, NULL) == WEBNN_OK
                      ? webnn_graph_profile(graph, &step, 1)
                      : 0;
  snprintf(first_step, sizeof first_step, "%s", result->steps > 0 ? step.op_name : "");
  if (!ok) {
    printf("%s: cannot run\n", case_name(t));
    exit(1);
  }
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  free(memory[0]);
  free(memory[1]);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  return true;
}

/* ---- The bounds ---------------------------------------------------------------------------------

   |y - reference| <= relative 2^-24 size + a unit of float16 and of the smallest subnormal number,
   where size is |reference|, for sums with both signs the same operator of |x|, and for those whose
   terms cancel what `sizes_of` computes. */

typedef enum bound_kind { EXACT, OF_RESULT, OF_SIZES, OF_TERMS } bound_kind;

static bound_kind kind_of(const test_case *t, double *relative, double *absolute) {
  *relative = 70;
  *absolute = 0;
  if (!test_is_float(t->type)) {
    return EXACT;
  }
  switch (t->op) {
  case WEBNN_OP_REDUCE_MAX:
  case WEBNN_OP_REDUCE_MIN:
  case WEBNN_OP_MAX_POOL2D:
  case WEBNN_OP_ARG_MAX:
  case WEBNN_OP_ARG_MIN:
    return EXACT;
  case WEBNN_OP_RESAMPLE2D:
    *relative = 8;
    return t->linear ? OF_SIZES : EXACT;
  case WEBNN_OP_REDUCE_SUM:
  case WEBNN_OP_REDUCE_MEAN:
  case WEBNN_OP_AVERAGE_POOL2D:
    return OF_SIZES;
  case WEBNN_OP_CUMULATIVE_SUM:
    *relative = 2;
    return OF_SIZES;
  case WEBNN_OP_REDUCE_PRODUCT:
    *relative = 1.01;
    return OF_RESULT;
  case WEBNN_OP_REDUCE_LOG_SUM:
    return t->chain > 0 ? OF_RESULT : OF_TERMS;
  case WEBNN_OP_REDUCE_LOG_SUM_EXP:
    *relative = 1.01;
    *absolute = 70;
    return OF_RESULT;
  case WEBNN_OP_SOFTMAX: /* of one element exactly 1 */
    return t->shape[t->axes[0]] == 1 ? EXACT : OF_RESULT;
  case WEBNN_OP_LAYER_NORMALIZATION:
  case WEBNN_OP_INSTANCE_NORMALIZATION:
    *relative = 80;
    return OF_TERMS;
  case WEBNN_OP_BATCH_NORMALIZATION:
    *relative = 8;
    return OF_TERMS;
  default:
    return OF_RESULT;
  }
}

static double largest_error[WEBNN_OP_COUNT];

static bool within(const test_case *t, double y, double expected, double size) {
  double relative, absolute, error, bound;
  const bound_kind kind = kind_of(t, &relative, &absolute);
  if (expected != expected || y != y) {
    return expected != expected && y != y;
  }
  if (y == expected) {
    /* the zero that a sum rounds to may have either sign, a sum of zeros may not */
    return y != 0 || 1 / y == 1 / expected || (kind == OF_SIZES && t->data != ZEROS);
  }
  if (kind == EXACT || y - y != 0) {
    return false;
  }
  error = y > expected ? y - expected : expected - y;
  size = size < 0 ? -size : size;
  bound = (relative * size + absolute) / 16777216.0 + 2.9e-45;
  if (t->type == WEBNN_FLOAT16) {
    bound += (expected < 0 ? -expected : expected) / 1020.0 + 6.1e-8; /* both are rounded */
  } else if (size > 1e-30 && bound < 1e30) {
    const double used = error / bound;
    largest_error[t->op] = used > largest_error[t->op] ? used : largest_error[t->op];
  }
  return error <= bound;
}

/* ---- One case on all contexts
 * --------------------------------------------------------------------- */

#define CONTEXTS 8
static webnn_context *reference, *contexts[CONTEXTS];
static const char *context_names[CONTEXTS];
static int context_count;

static void open_contexts(void) {
  webnn_context_options options;
  int i;
  memset(&options, 0, sizeof options);
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  reference = test_context(&options);
  memset(&options, 0, sizeof options);
  for (i = 0; i < 2; i++) { /* the best with 2 and 3 threads */
    options.threads = (uint32_t)(i + 2);
    context_names[context_count] = i == 0 ? "2 threads" : "3 threads";
    contexts[context_count++] = test_context(&options);
  }
  options.threads = 1;
  for (i = WEBNN_ISA_SCALAR; i <= WEBNN_ISA_WASM_SIMD; i++) {
    options.instruction_set = (webnn_instruction_set)i;
    contexts[context_count] = test_set_context(&options);
    if (contexts[context_count] != NULL) {
      context_names[context_count++] = test_set_name(i);
    }
  }
}

static void compare(const test_case *t, const test_result *y, const test_result *expected,
                    const test_result *sizes, const double *terms, const char *context) {
  size_t i, wrong = 0, first = 0;
  for (i = 0; i < y->count; i++) {
    const double value = test_get(y->type, y->data, i), e = test_get(y->type, expected->data, i);
    double size = e;
    if (sizes->data != NULL) {
      size = test_get(y->type, sizes->data, i);
    } else if (terms != NULL) {
      size = terms[i];
    }
    if (!within(t, value, e, size)) {
      first = wrong++ == 0 ? i : first;
    }
  }
  CHECK(case_name(t), wrong == 0, "%s: %lu of %lu wrong; element %lu: expected %.9g, got %.9g",
        context, (unsigned long)wrong, (unsigned long)y->count, (unsigned long)first,
        test_get(y->type, expected->data, first), test_get(y->type, y->data, first));
}

/* The constants that affine_constant makes, as numbers. */
static double *affine_values(const test_case *t, size_t count, double low, uint64_t seed,
                             bool given) {
  double *values = (double *)test_allocate(count * sizeof *values);
  double stored[1];
  size_t i;
  for (i = 0; i < count; i++) {
    test_set(t->type, stored, 0, test_random_between(&seed, low, 2));
    values[i] = given ? test_get(t->type, stored, 0) : low < 0 ? 0 : 1;
  }
  return values;
}

/* Of element i: the place in the axes of `list`, in their order, or without one in all others. */
static size_t place_of(const test_case *t, size_t i, const uint32_t *list, size_t axes,
                       bool others) {
  size_t place = 0, at[5], a;
  uint32_t d;
  for (d = t->rank; d-- > 0; i /= t->shape[d]) {
    at[d] = i % t->shape[d];
  }
  for (a = 0; !others && a < axes; a++) {
    place = place * t->shape[list[a]] + at[list[a]];
  }
  for (d = 0; others && d < t->rank; d++) {
    for (a = 0; a < axes && list[a] != d; a++) {
    }
    place = a < axes ? place : place * t->shape[d] + at[d];
  }
  return place;
}

/* What the bounds of docs/numerics.md are relative to, in double precision: for normalizations
   |scale| (|x| + the mean of |x|) / deviation + |bias|, for batchNormalization, which computes no
   mean, |scale (x - mean)| / deviation + |bias|, for reduceLogSum 1 + sum |x| / |sum x| + |result|. */
static double *sizes_of(const test_case *t, const void *input) {
  static const uint32_t spatial[2][2] = {{2, 3}, {1, 2}};
  const bool batch = t->op == WEBNN_OP_BATCH_NORMALIZATION;
  const bool instance = t->op == WEBNN_OP_INSTANCE_NORMALIZATION;
  const uint32_t channel[1] = {t->nhwc ? 3 : 1};
  const uint32_t *reduced = instance ? spatial[t->nhwc] : t->axes;
  const uint32_t *weighed = instance ? channel : t->axes;
  const size_t reduced_count = instance ? 2 : t->axis_count,
               weighed_count = instance || batch ? 1 : t->axis_count;
  const size_t count = test_element_count(shape_of(t));
  double *scale = affine_values(t, count, -2, 5, t->affine),
         *bias = affine_values(t, count, -2, 6, t->affine);
  double *mean = batch ? affine_values(t, count, -2, 7, true) : (double *)test_allocate(count * 8);
  double *variance =
      batch ? affine_values(t, count, 0.01, 8, true) : (double *)test_allocate(count * 8);
  double *magnitude = (double *)test_allocate(count * 8),
         *size = (double *)test_allocate(count * 8);
  double *terms = (double *)test_allocate(count * 8);
  size_t i;
  for (i = 0; !batch && i < count; i++) {
    const size_t group = place_of(t, i, reduced, reduced_count, true);
    const double x = test_get(t->type, input, i);
    mean[group] += x;
    magnitude[group] += x < 0 ? -x : x;
    terms[group]++;
  }
  for (i = 0; !batch && i < count && t->op != WEBNN_OP_REDUCE_LOG_SUM; i++) {
    const size_t group = place_of(t, i, reduced, reduced_count, true);
    const double d = test_get(t->type, input, i) - mean[group] / terms[group];
    variance[group] += d * d / terms[group];
  }
  for (i = 0; i < count; i++) {
    const size_t group = place_of(t, i, reduced, reduced_count, !batch);
    const size_t weight = place_of(t, i, weighed, weighed_count, false);
    const double x = test_get(t->type, input, i),
                 m = batch ? mean[group] : mean[group] / terms[group];
    const double near = batch ? fabs(x - m) : fabs(x) + magnitude[group] / terms[group];
    if (t->op == WEBNN_OP_REDUCE_LOG_SUM) {
      size[group] = magnitude[group] / fabs(mean[group]) + fabs(log(fabs(mean[group])));
    } else {
      size[i] = fabs(t->affine ? scale[weight] : 1) * near / sqrt(variance[group] + 1e-5) +
                fabs(t->affine ? bias[weight] : 0);
    }
  }
  free(scale);
  free(bias);
  free(mean);
  free(variance);
  free(magnitude);
  free(terms);
  return size;
}

static size_t last_steps; /* of the latest case */

static const char *only = ""; /* the operator that is tried alone */

static void try_case(const test_case *t) {
  test_case t_of_sizes = *t;
  double relative, absolute;
  size_t count, i;
  void *input, *absolutes;
  test_result expected, sizes, results[CONTEXTS];
  count = test_element_count(shape_of(t));
  input = test_allocate(count * 8);
  absolutes = test_allocate(count * 8);
  for (i = 0; i < count; i++) {
    const double value = t->data == STEEP    ? (i / t->shape[2] % t->shape[1] == 0 ? 0x1p24 : 1)
                         : t->data == EQUAL  ? 0.1
                         : t->data == RISING ? (double)i / (double)count
                                             : random_value(t, false) + step_of(t, i);
    test_set(t->type, input, i, value);
    test_set(t->type, absolutes, i, value < 0 ? -value : value);
  }
  sizes.data = NULL;
  element = element > 0 ? 0 : webnn_data_type_bits(t->type) / 8;
  if ((*only == 0 || strcmp(only, webnn_op_name(t->op)) == 0) &&
      run_case(reference, t, input, &expected)) {
    double *terms = kind_of(t, &relative, &absolute) == OF_TERMS ? sizes_of(t, input) : NULL;
    if (kind_of(t, &relative, &absolute) != OF_SIZES) {
    } else if (t->chain == 0 && memcmp(input, absolutes, count * 8) == 0) {
      sizes = expected;
    } else {
      t_of_sizes.magnitudes = t->chain > 0;
      run_case(reference, &t_of_sizes, t->chain > 0 ? input : absolutes, &sizes);
    }
    for (i = 0; i < (size_t)context_count; i++) {
      run_case(contexts[i], t, input, &results[i]);
      compare(t, &results[i], &expected, &sizes, terms, context_names[i]);
      last_steps = results[i].steps;
    }
    CHECK(case_name(t),
          memcmp(results[0].data, results[1].data, expected.bytes) == 0 &&
              (context_count < 6 ||
               strcmp(context_names[5], test_set_name(WEBNN_ISA_AVX512)) != 0 ||
               memcmp(results[0].data, results[5].data, expected.bytes) == 0),
          "threads change bits");
    for (i = 0; i < (size_t)context_count; i++) {
      free(results[i].data);
    }
    if (sizes.data != expected.data) {
      free(sizes.data);
    }
    free(expected.data);
    free(terms);
  }
  free(input);
  free(absolutes);
}

/* ---- The cases ----------------------------------------------------------------------------------
 */

static test_case plain_case(webnn_op op, webnn_data_type type) {
  test_case t;
  memset(&t, 0, sizeof t);
  t.op = op;
  t.type = type;
  t.strides[0] = t.strides[1] = t.dilations[0] = t.dilations[1] = 1;
  return t;
}

static const webnn_op along_axes[] = {WEBNN_OP_SOFTMAX,
                                      WEBNN_OP_REDUCE_L1,
                                      WEBNN_OP_REDUCE_L2,
                                      WEBNN_OP_REDUCE_LOG_SUM,
                                      WEBNN_OP_REDUCE_LOG_SUM_EXP,
                                      WEBNN_OP_REDUCE_MAX,
                                      WEBNN_OP_REDUCE_MEAN,
                                      WEBNN_OP_REDUCE_MIN,
                                      WEBNN_OP_REDUCE_PRODUCT,
                                      WEBNN_OP_REDUCE_SUM,
                                      WEBNN_OP_REDUCE_SUM_SQUARE,
                                      WEBNN_OP_LAYER_NORMALIZATION,
                                      WEBNN_OP_BATCH_NORMALIZATION,
                                      WEBNN_OP_ARG_MAX,
                                      WEBNN_OP_ARG_MIN,
                                      WEBNN_OP_CUMULATIVE_SUM};

static enum data_kind data_for(webnn_op op, uint32_t number) {
  const enum data_kind kind = (enum data_kind)(number % KINDS);
  if (op == WEBNN_OP_REDUCE_LOG_SUM) {
    return number % 2 ? POSITIVE : PLAIN;
  }
  if (op == WEBNN_OP_BATCH_NORMALIZATION && kind == HUGE_SIZE) {
    return PLAIN; /* x - mean may overflow where the result does not */
  }
  return kind;
}

static void random_axes(test_case *t, bool one) {
  uint32_t i, j, k;
  t->axis_count = one ? 1 : pick(t->rank + 1);
  for (i = 0; i < t->rank; i++) {
    t->axes[i] = i;
  }
  for (i = 0; i < t->rank; i++) {
    j = pick(t->rank);
    k = t->axes[i];
    t->axes[i] = t->axes[j];
    t->axes[j] = k;
  }
}

static void test_along_axes(void) {
  static const uint32_t dims[] = {1, 2, 3, 5, 7, 8, 16, 17, 33, 70};
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT32, WEBNN_UINT32,
                                          WEBNN_INT64,   WEBNN_UINT64,  WEBNN_INT8,  WEBNN_UINT8};
  uint32_t i, k, d;
  for (i = 0; i < sizeof along_axes / sizeof *along_axes; i++) {
    const webnn_op op = along_axes[i];
    const bool one = op == WEBNN_OP_SOFTMAX || op >= WEBNN_OP_COUNT || op == WEBNN_OP_ARG_MAX ||
                     op == WEBNN_OP_ARG_MIN || op == WEBNN_OP_CUMULATIVE_SUM ||
                     op == WEBNN_OP_BATCH_NORMALIZATION;
    for (k = 0; k < 60; k++) {
      test_case t = plain_case(op, k < 48 ? types[k % 2] : types[2 + k % 6]);
      uint64_t count = 1;
      t.rank = 1 + pick(4);
      for (d = 0; d < t.rank; d++) {
        t.shape[d] = dims[pick(10)];
        t.shape[d] = count * t.shape[d] > 12000 ? 1 : t.shape[d];
        count *= t.shape[d];
      }
      random_axes(&t, one);
      t.affine = pick(2) != 0;
      t.exclusive = pick(2) != 0;
      t.reversed = pick(2) != 0;
      t.data = k % 4 == 3 && op != WEBNN_OP_REDUCE_LOG_SUM ? CROWDED : data_for(op, k / 2);
      try_case(&t);
    }
  }
}

/* Long rows, long columns, few wide columns: blocks, chunks and strips. */
static void test_long(void) {
  static const uint32_t shapes[][3] = {{1, 70001, 1}, {1, 70000, 3}, {2, 300, 700}, {1, 4099, 70}};
  uint32_t i, k;
  for (i = 0; i < sizeof along_axes / sizeof *along_axes; i++) {
    for (k = 0; k < 4; k++) {
      test_case t = plain_case(along_axes[i], WEBNN_FLOAT32);
      if (t.op == WEBNN_OP_REDUCE_PRODUCT || (k == 1 && i % 3 != 0)) {
        continue;
      }
      t.rank = 3;
      memcpy(t.shape, shapes[k], sizeof shapes[k]);
      t.axis_count = 1;
      t.axes[0] = 1;
      t.data = t.op == WEBNN_OP_REDUCE_LOG_SUM ? POSITIVE : PLAIN;
      t.affine = true;
      try_case(&t);
      if (t.op != WEBNN_OP_REDUCE_LOG_SUM_EXP && t.op != WEBNN_OP_BATCH_NORMALIZATION) {
        t.data = STEEP;
        try_case(&t);
      }
      if (k == 1 && (t.op == WEBNN_OP_REDUCE_LOG_SUM_EXP || t.op == WEBNN_OP_REDUCE_L2)) {
        t.data = WIDE;
        try_case(&t);
        t.data = SPECIAL;
        try_case(&t);
      }
    }
  }
}

/* Sums of 1,000 to 1,000,000 terms that all have one sign, along every axis: an error that grows
   with the number of terms shows in these, and hardly in random numbers. The reference takes long
   for the large shapes, of which each operator has half, and with `all` every one. */
static void test_many_terms(bool all) {
  static const uint32_t shapes[][3] = {{1, 1000, 17},  {5, 16384, 8},  {1000000, 1, 1},
                                       {1, 262144, 4}, {1, 65536, 17}, {2, 3, 100000}};
  uint32_t i, k;
  for (i = 0; i < sizeof along_axes / sizeof *along_axes; i++) {
    for (k = 0; k < 6 && along_axes[i] != WEBNN_OP_REDUCE_PRODUCT; k++) {
      const bool is_large = k > 1;
      test_case t = plain_case(along_axes[i], (i + k) % 6 == 3 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
      t.rank = 3;
      memcpy(t.shape, shapes[k], sizeof shapes[0]);
      t.axis_count = 1;
      t.axes[0] = k == 2 ? 0 : k == 5 ? 2 : 1;
      t.data = (i + k) % 2 ? EQUAL : RISING;
      t.reversed = k % 2 != 0;
      t.exclusive = k % 3 == 0;
      if (all || !is_large || (i + k / 2) % 2 == 0) {
        try_case(&t);
      }
    }
  }
}

/* The same of windows: as many as are added one after the other, one more, and very many; of nchw
   images windows that are few columns wide, dilated, and the whole image. */
static void test_many_taps(void) {
  static const webnn_op ops[] = {WEBNN_OP_AVERAGE_POOL2D, WEBNN_OP_L2_POOL2D,
                                 WEBNN_OP_INSTANCE_NORMALIZATION};
  static const uint32_t windows[][2] = {{8, 8},     {5, 13},  {24, 24},  {64, 64},
                                        {256, 256}, {1, 512}, {2000, 1}, {1000, 3},
                                        {300, 150}, {63, 2},  {61, 3},   {1, 60000}};
  const uint32_t count = sizeof windows / sizeof *windows;
  uint32_t k, i;
  for (k = 0; k < 4 * count; k++) {
    test_case t =
        plain_case(ops[k % 5 == 4 ? 2 : k / count / 2], k % 7 == 6 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
    const uint32_t *window = windows[k % count];
    const bool whole = k % 3 == 0, dilated = k % 7 == 3;
    t.rank = 4;
    t.nhwc = k / count % 2 != 0;
    t.shape[0] = 1;
    t.shape[t.nhwc ? 3 : 1] = k % 11 == 5 ? 19 : 3;
    for (i = 0; i < 2; i++) {
      t.dilations[i] = dilated ? 2 : 1;
      t.window[i] = whole ? 0 : window[i];
      t.shape[(t.nhwc ? 1 : 2) + i] = (window[i] - 1) * t.dilations[i] + (whole ? 1 : 1 + 3 * i);
      t.padding[2 * i] = !whole && window[i] > 3 ? k % 3 : 0;
    }
    t.data = k % 4 != 1 ? EQUAL : RISING;
    try_case(&t);
  }
}

static void test_steps(void) {
  test_case t = plain_case(WEBNN_OP_SOFTMAX, WEBNN_FLOAT32);
  t.rank = 2;
  t.axis_count = 1;
  t.axes[0] = 1;
  t.data = STEPS;
  t.shape[0] = 203;
  t.shape[1] = 384;
  try_case(&t);
  t.shape[1] = 75;
  try_case(&t);
  t.type = WEBNN_FLOAT16;
  try_case(&t);
  t.axes[0] = 0;
  try_case(&t);
}

static void test_images(void) {
  static const webnn_op ops[] = {WEBNN_OP_AVERAGE_POOL2D, WEBNN_OP_L2_POOL2D, WEBNN_OP_MAX_POOL2D,
                                 WEBNN_OP_INSTANCE_NORMALIZATION};
  static const uint32_t channels[] = {1, 3, 8, 17, 37, 70};
  uint32_t i, k;
  for (i = 0; i < 4; i++) {
    for (k = 0; k < 96; k++) {
      static const webnn_data_type integers[] = {WEBNN_INT8, WEBNN_UINT8, WEBNN_INT32,
                                                 WEBNN_UINT64};
      test_case t = plain_case(ops[i], k % 2 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
      if (ops[i] == WEBNN_OP_MAX_POOL2D && k % 4 == 3) {
        t.type = integers[k / 4 % 4];
      }
      t.rank = 4;
      t.nhwc = k / 2 % 2 != 0;
      t.shape[0] = 1 + pick(2);
      t.shape[1] = t.shape[2] = 1 + pick(19);
      t.shape[t.nhwc ? 2 : 3] = 1 + pick(50);
      t.shape[t.nhwc ? 3 : 1] = channels[pick(t.nhwc ? 6 : 3)];
      t.affine = pick(2) != 0;
      t.data = ops[i] == WEBNN_OP_INSTANCE_NORMALIZATION ? (enum data_kind)(k / 4 % KINDS)
                                                         : (enum data_kind)(k / 3 % KINDS);
      if (pick(6) != 0) {
        t.window[0] = 1 + pick(4);
        t.window[1] = 1 + pick(pick(3) == 0 ? 24 : 4);
        t.strides[0] = 1 + pick(3);
        t.strides[1] = 1 + pick(3);
        t.dilations[0] = 1 + pick(2);
        t.dilations[1] = 1 + pick(2);
        t.padding[0] = pick(3);
        t.padding[1] = pick(3);
        t.padding[2] = pick(3);
        t.padding[3] = pick(5);
        t.ceiling = pick(2) != 0;
      }
      try_case(&t);
    }
  }
}

/* Pools of large images: pieces of rows, bands, windows that are dilated beyond the image. */
static void test_large_images(void) {
  static const webnn_op ops[] = {WEBNN_OP_AVERAGE_POOL2D, WEBNN_OP_L2_POOL2D, WEBNN_OP_MAX_POOL2D};
  uint32_t k;
  for (k = 0; k < 72; k++) {
    test_case t = plain_case(ops[k % 3], k / 3 % 3 == 2 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
    const bool wide = k % 2 == 0;
    t.rank = 4;
    t.nhwc = k % 8 == 7;
    t.shape[0] = 1 + pick(2);
    t.shape[t.nhwc ? 3 : 1] = 1 + pick(3);
    t.shape[t.nhwc ? 1 : 2] = wide ? 1 + pick(9) : 30 + pick(60);
    t.shape[t.nhwc ? 2 : 3] = wide ? 100 + pick(900) : 1 + pick(40);
    t.window[0] = 1 + pick(4);
    t.window[1] = 1 + pick(6);
    t.strides[0] = 1 + pick(3);
    t.strides[1] = 1 + pick(3);
    t.dilations[0] = 1 + pick(3);
    t.dilations[1] = pick(8) == 0 ? 300 : 1 + pick(3);
    t.padding[0] = pick(6);
    t.padding[1] = pick(6);
    t.padding[2] = pick(2) ? 1 : pick(40);
    t.padding[3] = pick(2) ? 1 : pick(40);
    t.ceiling = pick(2) != 0;
    t.data = (enum data_kind)(pick(KINDS));
    try_case(&t);
  }
  for (k = 0; k < 30; k++) { /* a window that covers the image */
    test_case t = plain_case(ops[k % 3], k / 3 % 2 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
    t.rank = 4;
    t.nhwc = k % 5 == 4;
    t.shape[0] = 1 + pick(2);
    t.shape[1] = 1 + pick(40);
    t.shape[2] = 1 + pick(k % 10 == 0 ? 200 : 12);
    t.shape[3] = 1 + pick(20);
    t.data = (enum data_kind)(k / 3 % KINDS);
    try_case(&t);
  }
}

/* cumulativeSum of columns: 1 to 9 lines, four of which are taken together, more columns than one
   strip has, and both directions; 2^24 before ones, and NaN and infinities. */
static void test_running_sums(void) {
  static const uint32_t columns[] = {16, 37, 1024, 1061};
  uint32_t k;
  for (k = 0; k < 72; k++) {
    test_case t = plain_case(WEBNN_OP_CUMULATIVE_SUM, k % 8 == 5 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
    t.rank = 3;
    t.shape[0] = 1 + k % 2;
    t.shape[1] = 1 + k % 9;
    t.shape[2] = columns[k % 4];
    t.axis_count = 1;
    t.axes[0] = 1;
    t.exclusive = pick(2) != 0;
    t.reversed = pick(2) != 0;
    t.data = k % 8 == 5 || k % 3 == 0 ? PLAIN : k % 3 == 1 ? SPECIAL : STEEP;
    try_case(&t);
  }
}

/* Pools of nchw images whose windows lie one row below the other: of 1 to 14 rows, around four rows of
   results, few columns and about as many as vectors have, padding that fills whole windows, and a
   window as large as the image. */
static void test_running_windows(void) {
  static const webnn_op ops[] = {WEBNN_OP_MAX_POOL2D, WEBNN_OP_MAX_POOL2D, WEBNN_OP_AVERAGE_POOL2D};
  static const uint32_t columns[] = {2, 3, 15, 16, 17, 20, 31, 32, 33, 48, 60};
  uint32_t k;
  for (k = 0; k < 168; k++) {
    test_case t = plain_case(ops[k % 3], k / 3 % 5 == 4 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
    const uint32_t rows = 1 + k % 14;
    t.rank = 4;
    t.shape[0] = 1;
    t.shape[1] = 1 + pick(3);
    t.shape[2] = rows + pick(11);
    t.shape[3] = columns[pick(11)];
    t.window[0] = rows;
    t.window[1] = 1 + pick(t.shape[3] < 14 ? t.shape[3] : 14);
    t.strides[0] = pick(5) == 0 ? 2 : 1;
    t.strides[1] = 1 + pick(2);
    t.dilations[0] = t.dilations[1] = 1;
    if (pick(3) > 0) {
      t.padding[0] = pick(rows + 3);
      t.padding[1] = pick(rows + 3);
      t.padding[2] = pick(t.window[1] + 3);
      t.padding[3] = pick(t.window[1] + 3);
    }
    if (pick(4) == 0 && t.shape[2] == rows) {
      t.shape[3] = t.window[1]; /* the whole image */
    }
    t.data = k % 4 == 0 ? CROWDED : k % 4 == 1 ? SPECIAL : (enum data_kind)(pick(KINDS));
    try_case(&t);
  }
}

/* Pools with windows around 256, 512 and 1,024 elements; images of one row or column. */
static void test_large_windows(void) {
  static const webnn_op ops[] = {WEBNN_OP_AVERAGE_POOL2D, WEBNN_OP_L2_POOL2D, WEBNN_OP_MAX_POOL2D};
  static const uint16_t windows[][2] = {{16, 16}, {17, 17}, {31, 31}, {1, 255},  {1, 257},
                                        {257, 1}, {513, 1}, {1, 513}, {1, 1023}, {1, 1025},
                                        {3, 300}, {300, 3}, {1025, 1}};
  const uint32_t count = sizeof windows / sizeof *windows;
  uint32_t k, i;
  for (k = 0; k < 6 * count; k++) {
    test_case t = plain_case(ops[k % 3], k / 3 % 3 == 2 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
    t.rank = 4;
    t.nhwc = k / 9 % 2 != 0;
    t.shape[0] = 1 + pick(2);
    t.shape[t.nhwc ? 3 : 1] = 1 + pick(3);
    for (i = 0; i < 2; i++) {
      const uint32_t window = windows[k % count][i];
      const bool line = window == 1 && pick(2) == 0;
      t.window[i] = window;
      t.strides[i] = 1 + pick(3);
      t.dilations[i] = 1 + pick(2);
      t.padding[2 * i] = line ? 0 : pick(window);
      t.padding[2 * i + 1] = line ? 0 : pick(window);
      t.shape[(t.nhwc ? 1 : 2) + i] = line ? 1 : (window - 1) * t.dilations[i] + 1 + pick(5);
    }
    t.data = (enum data_kind)(pick(KINDS));
    try_case(&t);
  }
}

static void test_resampling(void) {
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_FLOAT32, WEBNN_UINT8};
  uint32_t k, i;
  for (k = 0; k < 120; k++) {
    test_case t = plain_case(WEBNN_OP_RESAMPLE2D, types[k % 4]);
    t.rank = 4;
    for (i = 0; i < 4; i++) {
      t.shape[i] = 1 + pick(i % 2 ? 9 : 21);
    }
    random_axes(&t, false);
    t.axis_count = 2;
    t.linear = k / 4 % 2 == 0;
    for (i = 0; i < 2; i++) {
      t.sizes[i] = k % 3 == 0 ? 2 * t.shape[t.axes[i]] : 1 + pick(40);
    }
    t.data = k % 5 == 4 ? SPECIAL : PLAIN;
    try_case(&t);
  }
  for (k = 0; k < 4; k++) { /* longer than a piece */
    test_case t = plain_case(WEBNN_OP_RESAMPLE2D, types[k % 2]);
    t.rank = 4;
    t.shape[0] = t.shape[1] = 1;
    t.shape[2] = 3;
    t.shape[3] = 5 + 600 * (k / 2);
    t.axis_count = t.sizes[0] = 2;
    t.axes[0] = 2;
    t.axes[1] = 3;
    t.sizes[1] = 1201;
    t.linear = true;
    try_case(&t);
  }
}

/* Images of bytes, which must have the bits of the reference: ties and sums next to them, weights
   whose numerators float32 holds and others, channels last, as many as there are buffers for and
   more. */
static void test_resampled_bytes(void) {
  static const uint32_t few[] = {1, 2, 3, 4, 7, 16, 19};
  static const uint32_t channels[] = {1, 3, 7, 8, 17, 64, 255, 511, 512, 513, 1030};
  uint32_t k, i;
  for (k = 0; k < 160; k++) {
    test_case t = plain_case(WEBNN_OP_RESAMPLE2D, k % 2 == 0 ? WEBNN_INT8 : WEBNN_UINT8);
    t.rank = 4;
    for (i = 0; i < 4; i++) {
      t.shape[i] = few[pick(7)];
    }
    random_axes(&t, false);
    for (i = 2; i < 4; i++) {
      t.shape[t.axes[i]] = few[pick(3)];
    }
    if (k % 6 == 0) {
      t.shape[0] = 1;
      t.shape[1] = t.shape[2] = few[pick(6)];
      t.shape[3] = channels[pick(11)];
      t.axes[0] = 2;
      t.axes[1] = 1;
    }
    t.axis_count = 2;
    t.linear = k % 8 != 7;
    for (i = 0; i < 2; i++) {
      const uint32_t size = t.shape[t.axes[i]];
      t.sizes[i] = k % 5 == 0   ? 2 * size
                   : k % 5 == 1 ? size + size / 2
                   : k % 5 == 2 ? 1 + pick(24)
                   : k % 5 == 3 ? (i == 0 ? 157 : 2 * size)
                                : 3 * size;
    }
    if (k % 10 == 8 && k % 6 != 0) {
      t.sizes[0] = 227; /* 4 times 227 times 311 are more than 2^24 / 255 */
      t.sizes[1] = 311;
    }
    t.data = WIDE;
    try_case(&t);
  }
}

/* Lines as long as the buffers, and longer, of one channel or few. */
static void test_long_lines(void) {
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT8, WEBNN_UINT8};
  static const uint32_t lines[] = {2047, 2048, 2049, 4093, 4094, 4095, 4096, 4097, 8193, 10001};
  uint32_t k;
  for (k = 0; k < 40; k++) {
    test_case t = plain_case(WEBNN_OP_RESAMPLE2D, types[k % 4]);
    const uint32_t line = lines[k / 4 % 10], form = (k / 4 + k) % 4;
    t.rank = 4;
    t.shape[0] = 1;
    t.shape[1] = 2;
    t.shape[2] = line;
    t.shape[3] = form == 3 ? 3 : 1;
    t.axis_count = 2;
    t.axes[0] = 1;
    t.axes[1] = 2;
    t.sizes[0] = form == 2 ? 3 : 1;
    t.sizes[1] = form == 0 ? 2 * line : form == 1 ? line + line / 3 : form == 2 ? 7 : line / 2;
    t.linear = true;
    t.data = WIDE;
    try_case(&t);
  }
}

/* Reductions of what element-wise operators make, and whether both run as one step. */
static void test_chains(void) {
  static const uint32_t dims[] = {1, 2, 3, 5, 8, 17, 33, 70, 200, 600, 1100};
  static const webnn_op ops[] = {WEBNN_OP_REDUCE_L1,      WEBNN_OP_REDUCE_L2,
                                 WEBNN_OP_REDUCE_LOG_SUM, WEBNN_OP_REDUCE_LOG_SUM_EXP,
                                 WEBNN_OP_REDUCE_MAX,     WEBNN_OP_REDUCE_MEAN,
                                 WEBNN_OP_REDUCE_MIN,     WEBNN_OP_REDUCE_PRODUCT,
                                 WEBNN_OP_REDUCE_SUM,     WEBNN_OP_REDUCE_SUM_SQUARE};
  uint32_t k, d;
  for (k = 0; k < 200; k++) {
    test_case t = plain_case(ops[k % 10], k / 10 % 3 == 2 ? WEBNN_FLOAT16 : WEBNN_FLOAT32);
    uint64_t count = 1, inner;
    const bool covered = t.op != WEBNN_OP_REDUCE_PRODUCT && t.op != WEBNN_OP_REDUCE_LOG_SUM_EXP;
    t.rank = 1 + pick(4);
    for (d = 0; d < t.rank; d++) {
      t.shape[d] = dims[pick(11)];
      t.shape[d] = count * t.shape[d] > 20000 ? 1 : t.shape[d];
      count *= t.shape[d];
    }
    random_axes(&t, false);
    t.chain = t.op == WEBNN_OP_REDUCE_LOG_SUM ? 4 : 1 + pick(4);
    t.data = k % 5 == 0                                              ? SPECIAL
             : k % 5 == 1                                            ? ZEROS
             : k % 5 == 2 && t.type == WEBNN_FLOAT32 && t.chain != 1 ? FAR_FROM_ZERO
                                                                     : PLAIN;
    try_case(&t);
    for (inner = 1, d = t.axes[0] + 1; d < t.rank; d++) {
      inner *= t.shape[d];
    }
    CHECK(case_name(&t),
          !covered || t.axis_count != 1 || t.shape[t.axes[0]] == 1 || inner > 512 ||
              last_steps == 1,
          "%lu steps", (unsigned long)last_steps);
    CHECK(case_name(&t),
          last_steps != 1 || (strstr(first_step, webnn_op_name(t.op)) != NULL &&
                              strchr(first_step, '+') < strstr(first_step, webnn_op_name(t.op))),
          "it is called %s", first_step);
    CHECK(case_name(&t), covered || last_steps > 1, "one step");
  }
  for (k = 0; k < 12; k++) { /* many segments, and chunks */
    static const uint32_t shapes[][3] = {{1, 70001, 1}, {1, 70000, 3}, {2, 300, 700}, {3, 9, 4099}};
    test_case t = plain_case(k < 4 ? WEBNN_OP_REDUCE_SUM : ops[k % 10], WEBNN_FLOAT32);
    t.rank = 3;
    memcpy(t.shape, shapes[k % 4], sizeof shapes[0]);
    t.axis_count = 1;
    t.axes[0] = k % 4 == 3 ? 2 : 1;
    t.chain = t.op == WEBNN_OP_REDUCE_LOG_SUM ? 4 : 1 + k % 3;
    try_case(&t);
  }
}

/* fast_rows [-v | few | all [OPERATOR]]: how near results come to their bounds; without the longest
   sums; of one operator, without chains before it. */
int main(int argc, char **argv) {
  int i;
  only = argc > 2 ? argv[2] : "";
  open_contexts();
  test_along_axes();
  if (*only == 0) {
    test_chains();
  }
  test_long();
  if (argc == 1 || strcmp(argv[1], "few") != 0) {
    test_many_terms(argc > 1 && strcmp(argv[1], "all") == 0);
    test_many_taps();
  }
  test_steps();
  test_images();
  test_large_images();
  test_running_sums();
  test_running_windows();
  test_large_windows();
  test_resampling();
  test_resampled_bytes();
  test_long_lines();
  if (argc > 1 && strcmp(argv[1], "-v") == 0) {
    for (i = 0; i < WEBNN_OP_COUNT; i++) {
      if (largest_error[i] > 0) {
        printf("%-24s %.3f of its bound\n", webnn_op_name((webnn_op)i), largest_error[i]);
      }
    }
  }
  for (i = 0; i < context_count; i++) {
    webnn_free_context(contexts[i]);
  }
  webnn_free_context(reference);
  return test_end();
}
