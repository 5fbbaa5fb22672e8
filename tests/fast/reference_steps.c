/* In a fast context no operator may fall to its reference kernel, which is exact and hundreds of
   times slower, without anybody being told. Graphs of one operator (and of a few that are merged)
   are built for every operator, every data type that it takes, all forms of its options, ranks 0 to
   8 and sizes around those of vectors and of the fast kernels' buffers; their profiles say which
   steps run a reference kernel. Nothing is computed. Then, in a context that lacks a kernel, how
   that is told. There are no exceptions. */
#include "test.h"

/* ---- One graph --------------------------------------------------------------------------------
 */

enum { MOST_INPUTS = 12, MOST_STEPS = 8, TYPES = WEBNN_UINT4 + 1 };

static webnn_context *contexts[2]; /* with all passes, and without */
static webnn_builder *b;
static char inputs[600]; /* of the graph that is being made, as text */
static int input_count;
static unsigned built[WEBNN_OP_COUNT][TYPES], lacking[WEBNN_OP_COUNT];

static void start(int context) {
  b = test_builder(contexts[context]);
  input_count = 0;
  inputs[0] = 0;
}

static webnn_operand *input(webnn_data_type type, webnn_list shape) {
  webnn_operand_descriptor descriptor;
  const size_t used = strlen(inputs);
  char name[8];
  descriptor.data_type = type;
  descriptor.shape = shape;
  snprintf(name, sizeof name, "x%d", input_count++);
  snprintf(inputs + used, sizeof inputs - used, " %s %s", webnn_data_type_name(type),
           test_shape_text(shape));
  return webnn_input(b, name, descriptor);
}

/* A graph that ends in one operator; `form` are its options as text. NULL operands: refused. */
static void finish_all(webnn_op op, webnn_data_type type, const char *form,
                       webnn_operand *const *outputs, size_t count) {
  static const char *const names[] = {"a", "b", "c", "d"};
  webnn_named_operand named[4];
  webnn_profiled_step steps[MOST_STEPS];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t i, n;
  for (i = 0; i < count; i++) {
    named[i].name = names[i];
    named[i].operand = outputs[i];
  }
  if (count > 0 && outputs[0] != NULL && webnn_build(b, named, count, &graph, &error) == WEBNN_OK) {
    built[op][type]++;
    (void)webnn_profile_graph(graph, true, NULL);
    n = webnn_graph_profile(graph, steps, MOST_STEPS);
    for (i = 0; i < n && i < MOST_STEPS; i++) {
      const bool bad = steps[i].reference_kernel;
      if (bad && lacking[op]++ >= 5) { /* five lines for an operator are enough */
        test_failed++;
        continue;
      }
      CHECK(webnn_op_name(op), !bad, "%s runs a reference kernel:%s %s", steps[i].op_name, inputs,
            form);
    }
    webnn_free_graph(graph);
  }
  webnn_free_builder(b);
}

static void finish_form(webnn_op op, webnn_data_type type, const char *form, webnn_operand *y) {
  finish_all(op, type, form, &y, 1);
}

/* ---- Shapes -----------------------------------------------------------------------------------
 */

static const uint32_t sizes[] = {1, 2, 3, 17, 64, 255, 257, 1025, 4094, 4095, 4096, 4097};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct form_shape {
  uint32_t rank, d[WEBNN_MAX_RANK];
} form_shape;

static webnn_list list_of(const form_shape *s) {
  return webnn_list_of(s->d, s->rank);
}

/* Each size as each dimension of each rank; the others are 1 to 3. The scalar is number 0; false
   after the last. */
static bool next_shape(form_shape *s, uint32_t least_rank, uint32_t most_rank, uint32_t number) {
  uint32_t rank, i;
  if (least_rank == 0 && number-- == 0) {
    s->rank = 0;
    return true;
  }
  for (rank = least_rank > 0 ? least_rank : 1; rank <= most_rank; rank++) {
    if (number < rank * SIZES) {
      s->rank = rank;
      for (i = 0; i < rank; i++) {
        s->d[i] = i == number / SIZES ? sizes[number % SIZES] : (i + rank) % 3 + 1;
      }
      return true;
    }
    number -= rank * SIZES;
  }
  return false;
}

#define EACH_TYPE(type)                                                                            \
  for ((type) = WEBNN_FLOAT32; (type) <= WEBNN_UINT4; (type) = (webnn_data_type)((type) + 1))
#define EACH_CONTEXT(c) for ((c) = 0; (c) < 2; (c)++)
#define EACH_SHAPE(s, least, most) for (number = 0; next_shape(&(s), least, most, number); number++)

/* ---- Element by element -----------------------------------------------------------------------
 */

typedef webnn_operand *(*unary)(webnn_builder *, webnn_operand *, const webnn_operator_options *);
typedef webnn_operand *(*binary)(webnn_builder *, webnn_operand *, webnn_operand *,
                                 const webnn_operator_options *);

static const struct {
  webnn_op op;
  unary make;
} unaries[] = {
    {WEBNN_OP_ABS, webnn_abs},
    {WEBNN_OP_CEIL, webnn_ceil},
    {WEBNN_OP_COS, webnn_cos},
    {WEBNN_OP_ERF, webnn_erf},
    {WEBNN_OP_EXP, webnn_exp},
    {WEBNN_OP_FLOOR, webnn_floor},
    {WEBNN_OP_GELU, webnn_gelu},
    {WEBNN_OP_HARD_SWISH, webnn_hard_swish},
    {WEBNN_OP_IDENTITY, webnn_identity},
    {WEBNN_OP_IS_INFINITE, webnn_is_infinite},
    {WEBNN_OP_IS_NAN, webnn_is_nan},
    {WEBNN_OP_LOG, webnn_log},
    {WEBNN_OP_LOGICAL_NOT, webnn_logical_not},
    {WEBNN_OP_NEG, webnn_neg},
    {WEBNN_OP_RECIPROCAL, webnn_reciprocal},
    {WEBNN_OP_RELU, webnn_relu},
    {WEBNN_OP_ROUND_EVEN, webnn_round_even},
    {WEBNN_OP_SIGMOID, webnn_sigmoid},
    {WEBNN_OP_SIGN, webnn_sign},
    {WEBNN_OP_SIN, webnn_sin},
    {WEBNN_OP_SOFTPLUS, webnn_softplus},
    {WEBNN_OP_SOFTSIGN, webnn_softsign},
    {WEBNN_OP_SQRT, webnn_sqrt},
    {WEBNN_OP_TAN, webnn_tan},
    {WEBNN_OP_TANH, webnn_tanh},
};

static const struct {
  webnn_op op;
  binary make;
} binaries[] = {
    {WEBNN_OP_ADD, webnn_add},
    {WEBNN_OP_SUB, webnn_sub},
    {WEBNN_OP_MUL, webnn_mul},
    {WEBNN_OP_DIV, webnn_div},
    {WEBNN_OP_MAX, webnn_max},
    {WEBNN_OP_MIN, webnn_min},
    {WEBNN_OP_POW, webnn_pow},
    {WEBNN_OP_PRELU, webnn_prelu},
    {WEBNN_OP_EQUAL, webnn_equal},
    {WEBNN_OP_NOT_EQUAL, webnn_not_equal},
    {WEBNN_OP_GREATER, webnn_greater},
    {WEBNN_OP_GREATER_OR_EQUAL, webnn_greater_or_equal},
    {WEBNN_OP_LESSER, webnn_lesser},
    {WEBNN_OP_LESSER_OR_EQUAL, webnn_lesser_or_equal},
    {WEBNN_OP_LOGICAL_AND, webnn_logical_and},
    {WEBNN_OP_LOGICAL_OR, webnn_logical_or},
    {WEBNN_OP_LOGICAL_XOR, webnn_logical_xor},
};

/* Operators with alpha, beta or bounds: given, one of them, none. */
static webnn_operand *with_numbers(webnn_op op, webnn_operand *x, int form) {
  const webnn_number absent = WEBNN_ZERO, one = webnn_f64(form == 1 ? 0.0 : -0.75);
  const webnn_number alpha = form > 0 ? one : absent, beta = form > 1 ? webnn_f64(2) : absent;
  const webnn_clamp_options clamp = {NULL, alpha, beta};
  const webnn_elu_options elu = {NULL, alpha};
  const webnn_hard_sigmoid_options hard_sigmoid = {NULL, alpha, beta};
  const webnn_leaky_relu_options leaky_relu = {NULL, alpha};
  const webnn_linear_options linear = {NULL, alpha, beta};
  switch (op) {
  case WEBNN_OP_CLAMP:
    return webnn_clamp(b, x, &clamp);
  case WEBNN_OP_ELU:
    return webnn_elu(b, x, &elu);
  case WEBNN_OP_HARD_SIGMOID:
    return webnn_hard_sigmoid(b, x, &hard_sigmoid);
  case WEBNN_OP_LEAKY_RELU:
    return webnn_leaky_relu(b, x, &leaky_relu);
  default:
    return webnn_linear(b, x, &linear);
  }
}

static void walk_unaries(void) {
  static const webnn_op numbered[] = {WEBNN_OP_CLAMP, WEBNN_OP_ELU, WEBNN_OP_HARD_SIGMOID,
                                      WEBNN_OP_LEAKY_RELU, WEBNN_OP_LINEAR};
  webnn_data_type type, to;
  form_shape s;
  uint32_t number;
  size_t i;
  int c, form;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  EACH_SHAPE(s, 0, 8) {
    for (i = 0; i < sizeof unaries / sizeof *unaries; i++) {
      start(c);
      finish_form(unaries[i].op, type, "", unaries[i].make(b, input(type, list_of(&s)), NULL));
    }
    if (s.rank < 3) {
      for (i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        for (form = 0; form < 3; form++) {
          start(c);
          finish_form(numbered[i], type, form == 0 ? "" : "alpha, beta",
                      with_numbers(numbered[i], input(type, list_of(&s)), form));
        }
      }
      EACH_TYPE(to) {
        start(c);
        finish_form(WEBNN_OP_CAST, type, webnn_data_type_name(to),
                    webnn_cast(b, input(type, list_of(&s)), to, NULL));
      }
    }
  }
}

/* The second operand: the same shape, a scalar, the last dimension, the first, and each other one
   of 1; both can take part in the result. */
static form_shape broadcast_of(const form_shape *s, int form) {
  form_shape t = *s;
  uint32_t i;
  if (form == 1) {
    t.rank = 0;
  } else if (form == 2 && s->rank > 0) {
    t.rank = 1;
    t.d[0] = s->d[s->rank - 1];
  } else if (form > 2) {
    for (i = 0; i < s->rank; i++) {
      t.d[i] = (form == 3 ? i > 0 : i % 2 == (uint32_t)form % 2) ? 1 : t.d[i];
    }
  }
  return t;
}

static void walk_binaries(void) {
  webnn_data_type type;
  form_shape s, t;
  uint32_t number;
  size_t i;
  int c, form;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  EACH_SHAPE(s, 0, 8) {
    if (s.rank > 4 && s.rank < 8) {
      continue;
    }
    for (form = 0; form < 6; form++) {
      t = broadcast_of(&s, form);
      for (i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        webnn_operand *x, *y;
        start(c);
        x = input(type, list_of(&s));
        y = input(type, list_of(&t));
        finish_form(binaries[i].op, type, "",
                    form % 2 == 0 ? binaries[i].make(b, x, y, NULL)
                                  : binaries[i].make(b, y, x, NULL));
      }
      start(c);
      {
        webnn_operand *condition = input(WEBNN_UINT8, list_of(form % 2 == 0 ? &s : &t));
        webnn_operand *x = input(type, list_of(form % 2 == 0 ? &t : &s));
        finish_form(WEBNN_OP_WHERE, type, "",
                    webnn_where(b, condition, x, input(type, list_of(&s)), NULL));
      }
    }
  }
}

/* ---- Quantization -----------------------------------------------------------------------------
 */

/* Blocks: one for all; each element its own; whole along every other dimension; two or three along
   each that can be cut so. */
static form_shape blocks_of(const form_shape *s, int form) {
  form_shape t = *s;
  uint32_t i;
  for (i = 0; i < s->rank; i++) {
    const uint32_t n = s->d[i];
    t.d[i] = form == 0                            ? 1
             : form == 1                          ? n
             : form < 4                           ? (i % 2 == (uint32_t)form % 2 ? 1 : n)
             : n % (uint32_t)(form - 2) == 0      ? n / (uint32_t)(form - 2)
             : n % (uint32_t)(form - 2 + 15) == 0 ? n / (uint32_t)(form - 2 + 15)
                                                  : n;
  }
  return t;
}

static void walk_quantization(void) {
  static const webnn_data_type floats[] = {WEBNN_FLOAT32, WEBNN_FLOAT16};
  webnn_data_type type;
  form_shape s, t;
  uint32_t number;
  int c, form, i;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  EACH_SHAPE(s, 0, 8) for (form = 0; form < 6; form++) {
    t = blocks_of(&s, form);
    for (i = 0; i < 2; i++) {
      webnn_operand *x, *scale, *zero;
      start(c);
      x = input(type, list_of(&s));
      scale = input(floats[i], list_of(&t));
      zero = input(type, list_of(&t));
      finish_form(WEBNN_OP_DEQUANTIZE_LINEAR, type, "",
                  webnn_dequantize_linear(b, x, scale, zero, NULL));
      start(c);
      x = input(floats[i], list_of(&s));
      scale = input(floats[i], list_of(&t));
      zero = input(type, list_of(&t));
      finish_form(WEBNN_OP_QUANTIZE_LINEAR, floats[i], "",
                  webnn_quantize_linear(b, x, scale, zero, NULL));
    }
  }
}

/* ---- Along axes -------------------------------------------------------------------------------
 */

static webnn_operand *reduce(webnn_op op, webnn_operand *x, const webnn_reduce_options *options) {
  switch (op) {
  case WEBNN_OP_REDUCE_L1:
    return webnn_reduce_l1(b, x, options);
  case WEBNN_OP_REDUCE_L2:
    return webnn_reduce_l2(b, x, options);
  case WEBNN_OP_REDUCE_LOG_SUM:
    return webnn_reduce_log_sum(b, x, options);
  case WEBNN_OP_REDUCE_LOG_SUM_EXP:
    return webnn_reduce_log_sum_exp(b, x, options);
  case WEBNN_OP_REDUCE_MAX:
    return webnn_reduce_max(b, x, options);
  case WEBNN_OP_REDUCE_MEAN:
    return webnn_reduce_mean(b, x, options);
  case WEBNN_OP_REDUCE_MIN:
    return webnn_reduce_min(b, x, options);
  case WEBNN_OP_REDUCE_PRODUCT:
    return webnn_reduce_product(b, x, options);
  case WEBNN_OP_REDUCE_SUM:
    return webnn_reduce_sum(b, x, options);
  default:
    return webnn_reduce_sum_square(b, x, options);
  }
}

/* The axes of a set of bits, some in falling order. */
static webnn_list axes_of(uint32_t set) {
  webnn_list list = WEBNN_EMPTY_LIST;
  uint32_t i;
  for (i = 0; i < WEBNN_MAX_RANK; i++) {
    const uint32_t axis = set % 3 == 0 ? WEBNN_MAX_RANK - 1 - i : i;
    if ((set >> axis & 1) != 0) {
      list.items[list.count++] = axis;
    }
  }
  return list;
}

static void walk_normalization(int c, webnn_data_type type, const form_shape *s, webnn_list axes,
                               int form) {
  webnn_layer_normalization_options options = WEBNN_ZERO;
  form_shape t;
  webnn_operand *x;
  uint32_t i;
  start(c);
  x = input(type, list_of(s));
  options.axes = axes;
  t.rank = (uint32_t)axes.count;
  for (i = 0; i < t.rank; i++) {
    t.d[i] = s->d[axes.items[i]];
  }
  options.scale = form % 2 != 0 ? input(type, list_of(&t)) : NULL;
  options.bias = form > 1 ? input(type, list_of(&t)) : NULL;
  finish_form(WEBNN_OP_LAYER_NORMALIZATION, type, "", webnn_layer_normalization(b, x, &options));
}

static void walk_axis_sets(int c, webnn_data_type type, const form_shape *s) {
  uint32_t set;
  int op, form;
  for (set = 0; set < (uint32_t)1 << s->rank; set++) {
    const webnn_list axes = axes_of(set);
    if (s->rank > 4 && set % 7 != 0) {
      continue;
    }
    for (op = WEBNN_OP_REDUCE_L1; op <= WEBNN_OP_REDUCE_SUM_SQUARE; op++) {
      webnn_reduce_options options = WEBNN_ZERO;
      options.axes = axes;
      options.keep_dimensions = set % 2 == 0;
      start(c);
      finish_form((webnn_op)op, type, "", reduce((webnn_op)op, input(type, list_of(s)), &options));
    }
    for (form = 0; form < 4; form++) {
      walk_normalization(c, type, s, axes, form);
    }
    start(c);
    {
      webnn_reverse_options options = WEBNN_ZERO;
      options.axes = axes;
      finish_form(WEBNN_OP_REVERSE, type, "", webnn_reverse(b, input(type, list_of(s)), &options));
    }
  }
}

static void walk_batch_normalization(int c, webnn_data_type type, const form_shape *s,
                                     uint32_t axis, int form) {
  webnn_batch_normalization_options options = WEBNN_ZERO;
  webnn_operand *x, *mean, *variance;
  form_shape channels;
  channels.rank = 1;
  channels.d[0] = s->d[axis];
  start(c);
  x = input(type, list_of(s));
  mean = input(type, list_of(&channels));
  variance = input(type, list_of(&channels));
  options.scale = form % 2 != 0 ? input(type, list_of(&channels)) : NULL;
  options.bias = form > 1 ? input(type, list_of(&channels)) : NULL;
  options.axis = webnn_u64(axis);
  finish_form(WEBNN_OP_BATCH_NORMALIZATION, type, "",
              webnn_batch_normalization(b, x, mean, variance, &options));
}

static void walk_one_axis(int c, webnn_data_type type, const form_shape *s, uint32_t axis) {
  webnn_arg_min_max_options best = WEBNN_ZERO;
  webnn_cumulative_sum_options sum = WEBNN_ZERO;
  int form;
  start(c);
  finish_form(WEBNN_OP_SOFTMAX, type, "", webnn_softmax(b, input(type, list_of(s)), axis, NULL));
  for (form = 0; form < 4; form++) {
    best.keep_dimensions = form % 2 != 0;
    best.output_data_type = form > 1 ? WEBNN_INT64 : WEBNN_INT32;
    start(c);
    finish_form(WEBNN_OP_ARG_MAX, type, "", webnn_arg_max(b, input(type, list_of(s)), axis, &best));
    start(c);
    finish_form(WEBNN_OP_ARG_MIN, type, "", webnn_arg_min(b, input(type, list_of(s)), axis, &best));
    sum.exclusive = form % 2 != 0;
    sum.reversed = form > 1;
    start(c);
    finish_form(WEBNN_OP_CUMULATIVE_SUM, type, "",
                webnn_cumulative_sum(b, input(type, list_of(s)), axis, &sum));
    walk_batch_normalization(c, type, s, axis, form);
  }
}

static void walk_axes(void) {
  webnn_data_type type;
  form_shape s;
  uint32_t number, axis;
  int c;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  EACH_SHAPE(s, 0, 8) {
    if ((s.rank > 4 && s.rank < 8) || (s.rank == 8 && number % 5 != 0)) {
      continue;
    }
    walk_axis_sets(c, type, &s);
    for (axis = 0; axis < s.rank; axis++) {
      walk_one_axis(c, type, &s, axis);
    }
  }
}

/* ---- Movement ---------------------------------------------------------------------------------
 */

static void walk_indices(int c, webnn_data_type type, const form_shape *s, uint32_t axis) {
  static const webnn_data_type index_types[] = {WEBNN_INT32, WEBNN_UINT32, WEBNN_INT64};
  const webnn_list few = WEBNN_LIST(3, 5), scalar = WEBNN_EMPTY_LIST, points = WEBNN_LIST(7, 1);
  webnn_gather_options gather = WEBNN_ZERO;
  webnn_scatter_options scatter = WEBNN_ZERO;
  form_shape rest = *s;
  webnn_operand *x, *index;
  size_t i;
  gather.axis = scatter.axis = axis;
  rest.d[0] = 7;
  for (i = 0; i < 3; i++) {
    start(c);
    x = input(type, list_of(s));
    finish_form(WEBNN_OP_GATHER, type, "",
                webnn_gather(b, x, input(index_types[i], i == 0 ? scalar : few), &gather));
    start(c);
    x = input(type, list_of(s));
    index = input(index_types[i], list_of(s));
    finish_form(WEBNN_OP_GATHER_ELEMENTS, type, "", webnn_gather_elements(b, x, index, &gather));
    start(c);
    x = input(type, list_of(s));
    index = input(index_types[i], list_of(s));
    finish_form(WEBNN_OP_SCATTER_ELEMENTS, type, "",
                webnn_scatter_elements(b, x, index, input(type, list_of(s)), &scatter));
    start(c);
    x = input(type, list_of(s));
    finish_form(WEBNN_OP_GATHER_ND, type, "",
                webnn_gather_nd(b, x, input(index_types[i], points), NULL));
    start(c);
    x = input(type, list_of(s));
    index = input(index_types[i], points);
    finish_form(WEBNN_OP_SCATTER_ND, type, "",
                webnn_scatter_nd(b, x, index, input(type, list_of(&rest)), NULL));
  }
}

static void walk_parts(int c, webnn_data_type type, const form_shape *s, uint32_t axis) {
  webnn_operand *list[3], *outputs[3] = {NULL, NULL, NULL};
  webnn_split_options options = WEBNN_ZERO;
  const uint32_t first = s->d[axis] / 3 + 1;
  size_t count;
  start(c);
  list[0] = input(type, list_of(s));
  list[1] = input(type, list_of(s));
  list[2] = list[0];
  finish_form(WEBNN_OP_CONCAT, type, "", webnn_concat(b, list, 3, axis, NULL));
  start(c);
  options.axis = axis;
  count = webnn_split_sizes(b, input(type, list_of(s)), WEBNN_SPLITS(first, s->d[axis] - first),
                            &options, outputs);
  finish_all(WEBNN_OP_SPLIT, type, "", outputs, count);
}

static void walk_pads(int c, webnn_data_type type, const form_shape *s) {
  static const webnn_padding_mode modes[] = {WEBNN_PADDING_CONSTANT, WEBNN_PADDING_EDGE,
                                             WEBNN_PADDING_REFLECTION, WEBNN_PADDING_SYMMETRIC};
  static const char *const names[] = {"constant", "edge", "reflection", "symmetric"};
  form_shape first, last;
  uint32_t i;
  size_t mode;
  first = last = *s;
  for (i = 0; i < s->rank; i++) {
    first.d[i] = s->d[i] > 3 ? 3 : i % 2;
    last.d[i] = s->d[i] > 3 ? 2 : 0;
  }
  for (mode = 0; mode < 4; mode++) {
    webnn_pad_options options = WEBNN_ZERO;
    options.mode = modes[mode];
    options.value = webnn_f64(mode == 0 ? 1 : 0);
    start(c);
    finish_form(WEBNN_OP_PAD, type, names[mode],
                webnn_pad(b, input(type, list_of(s)), list_of(&first), list_of(&last), &options));
  }
}

static void walk_boxes(int c, webnn_data_type type, const form_shape *s) {
  webnn_slice_options slice = WEBNN_ZERO;
  webnn_transpose_options transpose = WEBNN_ZERO;
  webnn_triangular_options triangular = WEBNN_ZERO;
  form_shape starts = *s, some = *s, steps = *s, turned = *s, larger = *s, flat;
  uint32_t i, turn;
  int form;
  flat.rank = 1;
  flat.d[0] = 1;
  for (i = 0; i < s->rank; i++) {
    starts.d[i] = s->d[i] / 3;
    some.d[i] = s->d[i] - s->d[i] / 3;
    steps.d[i] = 1 + i % 3;
    larger.d[i] = 1 + i % 2;
    flat.d[0] *= s->d[i];
  }
  for (form = 0; form < 2; form++) {
    slice.strides = list_of(&steps);
    start(c);
    finish_form(WEBNN_OP_SLICE, type, "",
                webnn_slice(b, input(type, list_of(s)), list_of(&starts), list_of(&some),
                            form == 0 ? NULL : &slice));
    triangular.lower = form != 0;
    triangular.diagonal = 1 - form;
    start(c);
    finish_form(WEBNN_OP_TRIANGULAR, type, "",
                webnn_triangular(b, input(type, list_of(s)), &triangular));
  }
  for (turn = 0; turn < s->rank; turn++) {
    for (i = 0; i < s->rank; i++) {
      turned.d[i] = turn % 2 == 0 ? (i + turn) % s->rank : (turn + s->rank - i) % s->rank;
    }
    transpose.permutation = list_of(&turned);
    start(c);
    finish_form(WEBNN_OP_TRANSPOSE, type, "",
                webnn_transpose(b, input(type, list_of(s)), &transpose));
  }
  start(c);
  finish_form(WEBNN_OP_TILE, type, "",
              webnn_tile(b, input(type, list_of(s)), list_of(&larger), NULL));
  start(c);
  finish_form(WEBNN_OP_RESHAPE, type, "",
              webnn_reshape(b, input(type, list_of(s)), list_of(&flat), NULL));
  for (form = 0; form < 6; form++) {
    const form_shape from = broadcast_of(s, form);
    start(c);
    finish_form(WEBNN_OP_EXPAND, type, "",
                webnn_expand(b, input(type, list_of(&from)), list_of(s), NULL));
  }
}

static void walk_movement(void) {
  webnn_data_type type;
  form_shape s;
  uint32_t number, axis;
  int c;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  EACH_SHAPE(s, 0, 8) {
    if ((s.rank > 4 && s.rank < 8) || (s.rank == 8 && number % 5 != 0)) {
      continue;
    }
    walk_boxes(c, type, &s);
    walk_pads(c, type, &s);
    for (axis = 0; axis < s.rank; axis++) {
      walk_parts(c, type, &s, axis);
      walk_indices(c, type, &s, axis);
    }
  }
}

/* ---- Products ---------------------------------------------------------------------------------
 */

static void walk_products(void) {
  static const uint32_t few[] = {1, 3, 17, 257};
  webnn_data_type type;
  uint32_t m, k, n, form;
  int c;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  for (m = 0; m < 4; m++)
    for (k = 0; k < 4; k++)
      for (n = 0; n < 4; n++)
        for (form = 0; form < 24; form++) {
          const uint32_t left[8] = {2, 1, 1, 3, 1, 1, few[m], few[k]};
          const uint32_t right[8] = {1, 2, 1, 1, 1, 2, few[k], few[n]};
          const uint32_t left_rank = 8 - form % 7, right_rank = 8 - form / 7 * 2;
          const webnn_list third = form / 4 % 3 == 1   ? WEBNN_LIST(few[m], 1)
                                   : form / 4 % 3 == 2 ? WEBNN_LIST(few[n])
                                                       : WEBNN_EMPTY_LIST;
          webnn_gemm_options options = WEBNN_ZERO;
          webnn_operand *x, *z;
          start(c);
          x = input(type, form % 2 != 0 ? WEBNN_LIST(few[k], few[m]) : WEBNN_LIST(few[m], few[k]));
          z = input(type, form % 4 > 1 ? WEBNN_LIST(few[n], few[k]) : WEBNN_LIST(few[k], few[n]));
          options.a_transpose = form % 2 != 0;
          options.b_transpose = form % 4 > 1;
          options.c = form / 4 > 0 ? input(type, third) : NULL;
          options.alpha = webnn_f64(form < 12 ? 1 : 0.5);
          options.beta = webnn_f64(form < 12 ? 1 : -2);
          finish_form(WEBNN_OP_GEMM, type, "", webnn_gemm(b, x, z, &options));
          start(c);
          x = input(type, webnn_list_of(left + 8 - left_rank, left_rank));
          z = input(type, webnn_list_of(right + 8 - right_rank, right_rank));
          finish_form(WEBNN_OP_MATMUL, type, "", webnn_matmul(b, x, z, NULL));
        }
}

/* ---- Windows over images ----------------------------------------------------------------------
 */

typedef struct window {
  uint32_t rows, columns, stride, dilation, padding;
} window;

static const window windows[] = {
    {1, 1, 1, 1, 0},     {1, 1, 2, 1, 0},     {3, 3, 1, 1, 1},    {3, 3, 2, 1, 1},
    {3, 3, 1, 2, 2},     {1, 7, 1, 1, 0},     {5, 5, 3, 1, 2},    {4, 4, 4, 1, 0},
    {16, 16, 1, 1, 8},   {1, 256, 1, 1, 130}, {17, 17, 1, 1, 8},  {17, 16, 17, 1, 0},
    {1, 400, 1, 1, 200}, {19, 23, 1, 1, 0},   {32, 32, 32, 1, 0}, {1, 1025, 1, 1, 600},
};

static webnn_list image_shape(bool nhwc, uint32_t channels, uint32_t rows, uint32_t columns) {
  return nhwc ? WEBNN_LIST(2, rows, columns, channels) : WEBNN_LIST(2, channels, rows, columns);
}

/* Of output channels, input channels, rows and columns: which stands where, in each layout. */
static const int conv2d_orders[4][4] = {{0, 1, 2, 3}, {2, 3, 1, 0}, {0, 2, 3, 1}, {1, 2, 3, 0}};
static const int transposed_orders[3][4] = {{1, 0, 2, 3}, {2, 3, 0, 1}, {0, 2, 3, 1}};

static webnn_list filter_shape(const int *order, uint32_t o, uint32_t i, const window *w) {
  const uint32_t all[4] = {o, i, w->rows, w->columns};
  return WEBNN_LIST(all[order[0]], all[order[1]], all[order[2]], all[order[3]]);
}

static void walk_convolution(int c, webnn_data_type type, bool nhwc,
                             webnn_conv2d_filter_operand_layout layout, const window *w,
                             uint32_t groups, uint32_t channels, uint32_t results, bool bias) {
  webnn_conv2d_options options = WEBNN_ZERO;
  webnn_operand *x, *filter;
  start(c);
  x = input(type, image_shape(nhwc, channels, 19, 23));
  filter = input(type, filter_shape(conv2d_orders[layout], results, channels / groups, w));
  options.padding = WEBNN_LIST(w->padding, w->padding, w->padding, w->padding);
  options.strides = WEBNN_LIST(w->stride, w->stride);
  options.dilations = WEBNN_LIST(w->dilation, w->dilation);
  options.groups = groups;
  options.input_layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  options.filter_layout = layout;
  options.bias = bias ? input(type, WEBNN_LIST(results)) : NULL;
  finish_form(WEBNN_OP_CONV2D, type, nhwc ? "nhwc" : "nchw", webnn_conv2d(b, x, filter, &options));
}

static void walk_transposed(int c, webnn_data_type type, bool nhwc,
                            webnn_conv_transpose2d_filter_operand_layout layout, const window *w,
                            uint32_t groups, uint32_t channels, uint32_t results, bool bias) {
  webnn_conv_transpose2d_options options = WEBNN_ZERO;
  webnn_operand *x, *weights;
  start(c);
  x = input(type, image_shape(nhwc, channels, 9, 11));
  weights = input(type, filter_shape(transposed_orders[layout], results / groups, channels, w));
  options.strides = WEBNN_LIST(w->stride, w->stride);
  options.dilations = WEBNN_LIST(w->dilation, w->dilation);
  options.output_padding = WEBNN_LIST(w->stride - 1, 0);
  options.groups = groups;
  options.input_layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  options.filter_layout = layout;
  options.bias = bias ? input(type, WEBNN_LIST(results)) : NULL;
  finish_form(WEBNN_OP_CONV_TRANSPOSE2D, type, nhwc ? "nhwc" : "nchw",
              webnn_conv_transpose2d(b, x, weights, &options));
}

static void walk_pool(int c, webnn_data_type type, bool nhwc, const window *w, uint32_t channels,
                      bool ceiling) {
  webnn_pool2d_options options = WEBNN_ZERO;
  int i;
  options.window_dimensions = WEBNN_LIST(w->rows, w->columns);
  options.strides = WEBNN_LIST(w->stride, w->stride);
  options.dilations = WEBNN_LIST(w->dilation, w->dilation);
  options.padding = WEBNN_LIST(w->padding, 0, w->padding, w->padding);
  options.layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  options.output_shape_rounding = ceiling ? WEBNN_ROUNDING_CEIL : WEBNN_ROUNDING_FLOOR;
  for (i = 0; i < 3; i++) {
    const webnn_op op = i == 0   ? WEBNN_OP_AVERAGE_POOL2D
                        : i == 1 ? WEBNN_OP_L2_POOL2D
                                 : WEBNN_OP_MAX_POOL2D;
    webnn_operand *x;
    start(c);
    x = input(type, image_shape(nhwc, channels, 19, 23));
    finish_form(op, type, nhwc ? "nhwc" : "nchw",
                i == 0   ? webnn_average_pool2d(b, x, ceiling ? NULL : &options)
                : i == 1 ? webnn_l2_pool2d(b, x, &options)
                         : webnn_max_pool2d(b, x, &options));
  }
}

static void walk_windows(void) {
  /* groups, channels, results */
  static const uint32_t forms[][3] = {{1, 3, 5},  {1, 64, 16}, {4, 8, 12},   {8, 8, 8},
                                      {8, 8, 16}, {1, 257, 3}, {17, 17, 17}, {1, 1, 1}};
  webnn_data_type type;
  size_t i, w, f;
  int c, layout;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  for (w = 0; w < sizeof windows / sizeof *windows; w++) {
    for (layout = 0; layout < 2; layout++) {
      for (f = 0; f < sizeof forms / sizeof *forms; f++) {
        const uint32_t *form = forms[f];
        walk_pool(c, type, layout != 0, &windows[w], form[1], f % 2 != 0);
        for (i = 0; i < 4; i++) {
          walk_convolution(c, type, layout != 0, (webnn_conv2d_filter_operand_layout)i, &windows[w],
                           form[0], form[1], form[2], i % 2 != 0);
        }
        for (i = 0; i < 3; i++) {
          walk_transposed(c, type, layout != 0, (webnn_conv_transpose2d_filter_operand_layout)i,
                          &windows[w], form[0], form[1], form[2], i % 2 != 0);
        }
      }
    }
  }
}

static void walk_instances(void) {
  webnn_data_type type;
  form_shape s;
  uint32_t number;
  int c, form;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  EACH_SHAPE(s, 4, 4) for (form = 0; form < 4; form++) {
    webnn_instance_normalization_options options = WEBNN_ZERO;
    webnn_operand *x;
    const webnn_list channels = WEBNN_LIST(s.d[form > 1 ? 3 : 1]);
    start(c);
    x = input(type, list_of(&s));
    options.layout = form > 1 ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
    options.scale = form % 2 != 0 ? input(type, channels) : NULL;
    options.bias = form % 3 != 0 ? input(type, channels) : NULL;
    finish_form(WEBNN_OP_INSTANCE_NORMALIZATION, type, form > 1 ? "nhwc" : "nchw",
                webnn_instance_normalization(b, x, &options));
  }
}

/* Both modes, every pair of axes, larger and smaller by whole and other factors. */
static void walk_resampling(void) {
  static const float factors[] = {2.0f, 0.5f, 1.0f, 1.7f, 0.3f, 3.0f};
  webnn_data_type type;
  form_shape s;
  uint32_t number, first, second;
  size_t factor;
  int c, mode;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  EACH_SHAPE(s, 4, 4)
  for (first = 0; first < 4; first++)
    for (second = 0; second < 4; second++)
      for (factor = 0; factor < 6; factor++)
        for (mode = 0; mode < 2; mode++) {
          webnn_resample2d_options options = WEBNN_ZERO;
          options.mode =
              mode == 0 ? WEBNN_INTERPOLATION_NEAREST_NEIGHBOR : WEBNN_INTERPOLATION_LINEAR;
          options.axes = WEBNN_LIST(first, second);
          options.sizes =
              WEBNN_LIST((uint32_t)((float)s.d[first] * factors[factor]) + 1,
                         (uint32_t)((float)s.d[second] * factors[factor]) + (factor > 2 ? 1 : 0));
          start(c);
          finish_form(WEBNN_OP_RESAMPLE2D, type, mode == 0 ? "nearest" : "linear",
                      webnn_resample2d(b, input(type, list_of(&s)), &options));
        }
}

/* ---- Recurrent networks -----------------------------------------------------------------------
 */

typedef struct network {
  uint32_t steps, batch, inputs, hidden, directions;
} network;

static webnn_operand *state(webnn_data_type type, uint32_t rank, uint32_t d0, uint32_t d1,
                            uint32_t d2) {
  const uint32_t shape[3] = {d0, d1, d2};
  return input(type, webnn_list_of(shape, rank));
}

static void walk_gru(int c, webnn_data_type type, const network *n, int form) {
  webnn_gru_options options = WEBNN_ZERO;
  webnn_gru_cell_options cell = WEBNN_ZERO;
  webnn_operand *x, *w, *r, *outputs[3] = {NULL, NULL, NULL};
  const uint32_t d = n->directions, h = n->hidden;
  size_t count;
  start(c);
  x = state(type, 3, n->steps, n->batch, n->inputs);
  w = state(type, 3, d, 3 * h, n->inputs);
  r = state(type, 3, d, 3 * h, h);
  options.reset_before = cell.reset_before = form % 2 == 0;
  options.bias = form > 1 ? state(type, 2, d, 3 * h, 0) : NULL;
  options.recurrent_bias = form % 3 == 0 ? state(type, 2, d, 3 * h, 0) : NULL;
  options.initial_hidden_state = form > 2 ? state(type, 3, d, n->batch, h) : NULL;
  options.return_sequence = form % 2 == 0;
  options.direction = d == 2     ? WEBNN_DIRECTION_BOTH
                      : form > 1 ? WEBNN_DIRECTION_BACKWARD
                                 : WEBNN_DIRECTION_FORWARD;
  options.layout = cell.layout = form > 1 ? WEBNN_GRU_RZN : WEBNN_GRU_ZRN;
  if (form > 2) {
    options.activations = cell.activations =
        WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_RELU, WEBNN_ACTIVATION_TANH);
  }
  count = webnn_gru(b, x, w, r, n->steps, h, &options, outputs);
  finish_all(WEBNN_OP_GRU, type, "", outputs, count);
  start(c);
  x = state(type, 2, n->batch, n->inputs, 0);
  w = state(type, 2, 3 * h, n->inputs, 0);
  r = state(type, 2, 3 * h, h, 0);
  cell.bias = form > 1 ? state(type, 1, 3 * h, 0, 0) : NULL;
  cell.recurrent_bias = form % 3 == 0 ? state(type, 1, 3 * h, 0, 0) : NULL;
  finish_form(WEBNN_OP_GRU_CELL, type, "",
              webnn_gru_cell(b, x, w, r, state(type, 2, n->batch, h, 0), h, &cell));
}

static void walk_lstm(int c, webnn_data_type type, const network *n, int form) {
  webnn_lstm_options options = WEBNN_ZERO;
  webnn_lstm_cell_options cell = WEBNN_ZERO;
  webnn_operand *x, *w, *r, *hidden, *outputs[3] = {NULL, NULL, NULL};
  const uint32_t d = n->directions, h = n->hidden;
  size_t count;
  start(c);
  x = state(type, 3, n->steps, n->batch, n->inputs);
  w = state(type, 3, d, 4 * h, n->inputs);
  r = state(type, 3, d, 4 * h, h);
  options.bias = form > 1 ? state(type, 2, d, 4 * h, 0) : NULL;
  options.recurrent_bias = form % 3 == 0 ? state(type, 2, d, 4 * h, 0) : NULL;
  options.peephole_weight = form % 2 != 0 ? state(type, 2, d, 3 * h, 0) : NULL;
  options.initial_hidden_state = form > 2 ? state(type, 3, d, n->batch, h) : NULL;
  options.initial_cell_state = form > 1 ? state(type, 3, d, n->batch, h) : NULL;
  options.return_sequence = form % 2 == 0;
  options.direction = d == 2     ? WEBNN_DIRECTION_BOTH
                      : form > 1 ? WEBNN_DIRECTION_BACKWARD
                                 : WEBNN_DIRECTION_FORWARD;
  options.layout = cell.layout = form > 1 ? WEBNN_LSTM_IFGO : WEBNN_LSTM_IOFG;
  if (form > 2) {
    options.activations = cell.activations =
        WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU, WEBNN_ACTIVATION_RELU);
  }
  count = webnn_lstm(b, x, w, r, n->steps, h, &options, outputs);
  finish_all(WEBNN_OP_LSTM, type, "", outputs, count);
  start(c);
  x = state(type, 2, n->batch, n->inputs, 0);
  w = state(type, 2, 4 * h, n->inputs, 0);
  r = state(type, 2, 4 * h, h, 0);
  hidden = state(type, 2, n->batch, h, 0);
  cell.bias = form > 1 ? state(type, 1, 4 * h, 0, 0) : NULL;
  cell.recurrent_bias = form % 3 == 0 ? state(type, 1, 4 * h, 0, 0) : NULL;
  cell.peephole_weight = form % 2 != 0 ? state(type, 1, 3 * h, 0, 0) : NULL;
  count = webnn_lstm_cell(b, x, w, r, hidden, state(type, 2, n->batch, h, 0), h, &cell, outputs);
  finish_all(WEBNN_OP_LSTM_CELL, type, "", outputs, count);
}

static void walk_recurrent(void) {
  static const network networks[] = {
      {1, 1, 1, 1, 1}, {2, 3, 17, 5, 2}, {3, 1, 64, 64, 1}, {2, 17, 3, 33, 2}, {1, 2, 257, 130, 1}};
  webnn_data_type type;
  size_t i;
  int c, form;
  EACH_CONTEXT(c)
  EACH_TYPE(type)
  for (i = 0; i < sizeof networks / sizeof *networks; i++) {
    for (form = 0; form < 4; form++) {
      walk_gru(c, type, &networks[i], form);
      walk_lstm(c, type, &networks[i], form);
    }
  }
}

/* ---- Operators that are merged ----------------------------------------------------------------
 */

/* Dequantizations and a quantization around something between: they run as one, or alone. */
static void walk_merged(void) {
  webnn_data_type type;
  form_shape s, t;
  uint32_t number;
  int form;
  EACH_TYPE(type)
  EACH_SHAPE(s, 2, 2) for (form = 0; form < 4; form++) {
    webnn_operand *x, *y, *scale, *zero;
    t = blocks_of(&s, form);
    start(0);
    x = input(type, list_of(&s));
    scale = input(WEBNN_FLOAT32, list_of(&t));
    zero = input(type, list_of(&t));
    y = webnn_dequantize_linear(b, x, scale, zero, NULL);
    y = webnn_relu(b, webnn_add(b, y, y, NULL), NULL);
    finish_form(WEBNN_OP_QUANTIZE_LINEAR, type, "after relu",
                webnn_quantize_linear(b, y, scale, zero, NULL));
    start(0);
    x = input(WEBNN_FLOAT32, list_of(&s));
    y = webnn_cast(b, webnn_exp(b, x, NULL), type, NULL);
    finish_form(WEBNN_OP_CAST, type, "and back", webnn_cast(b, y, WEBNN_FLOAT32, NULL));
  }
}

/* ---- How it is told ---------------------------------------------------------------------------
 */

/* A fast context that has no kernel for softmax. */
static const webnn__fast_kernel *const *choose_but_softmax(webnn_op op) {
  return op == WEBNN_OP_SOFTMAX ? &webnn__no_kernel : webnn__choices_for(op);
}

typedef struct text {
  char data[4096];
  size_t length;
} text;

static void append(void *user, const char *piece, size_t length) {
  text *t = (text *)user;
  if (t->length + length < sizeof t->data) {
    memcpy(t->data + t->length, piece, length);
    t->length += length;
  }
  t->data[t->length] = 0;
}

static size_t count_in(const text *t, const char *part) {
  const char *at = t->data;
  size_t count = 0;
  for (; (at = strstr(at, part)) != NULL; at++) {
    count++;
  }
  return count;
}

/* y = softmax(relu(x + softmax(a constant))), and that as a column: the softmax of the constant is
   computed when the graph is built, the column is a view or a copy. */
static void check_marks_in(webnn_context *in, size_t marks) {
  static const float data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const webnn_operator_options first = {"constant"}, last = {"last"};
  webnn_profiled_step steps[MOST_STEPS];
  text graph_text = {{0}, 0}, profile_text = {{0}, 0};
  webnn_operand *y, *constant;
  webnn_graph *graph = NULL;
  size_t i, n, flagged = 0;
  b = test_builder(in);
  input_count = 0;
  constant = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 8), data, sizeof data);
  y = webnn_add(b, input(WEBNN_FLOAT32, WEBNN_LIST(4, 8)), webnn_softmax(b, constant, 0, &first),
                NULL);
  y = webnn_softmax(b, webnn_relu(b, y, NULL), 1, &last);
  y = webnn_abs(b, webnn_reshape(b, y, WEBNN_LIST(32, 1), NULL), NULL);
  if (webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, NULL) != WEBNN_OK) {
    CHECK("marks", false, "no graph");
    return;
  }
  (void)webnn_profile_graph(graph, true, NULL);
  n = webnn_graph_profile(graph, steps, MOST_STEPS);
  for (i = 0; i < n; i++) {
    flagged += steps[i].reference_kernel ? 1 : 0;
    CHECK("marks", !steps[i].reference_kernel || strcmp(steps[i].label, "last") == 0,
          "%s has a mark", steps[i].op_name);
  }
  webnn_print_graph(graph, append, &graph_text);
  webnn_print_profile(graph, append, &profile_text);
  CHECK("marks", flagged == marks, "%u steps instead of %u", (unsigned)flagged, (unsigned)marks);
  CHECK("marks", count_in(&graph_text, "(reference kernel)") == marks, "%s", graph_text.data);
  CHECK("marks", count_in(&graph_text, "label=\"last\") (reference kernel)\n") == marks, "%s",
        graph_text.data);
  CHECK("marks", count_in(&profile_text, "(reference kernel)\n") == marks, "%s", profile_text.data);
  webnn_destroy_graph(graph);
  webnn_print_graph(graph, append, &graph_text);
  CHECK("marks", count_in(&graph_text, "(reference kernel)") == marks,
        "a destroyed graph has marks: %s", graph_text.data);
  webnn_free_graph(graph);
  webnn_free_builder(b);
}

static void check_marks(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *in = test_context(&options);
  check_marks_in(in, 0);
  ((webnn__cpu *)in->device)->machine.choices = choose_but_softmax;
  check_marks_in(in, 1);
  webnn_free_context(in);
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  in = test_context(&options);
  check_marks_in(in, 0);
  webnn_free_context(in);
}

/* ---- The lists --------------------------------------------------------------------------------
 */

/* Every operator was built with every type that its first operand takes. */
static void check_lists(void) {
  webnn_operator_limits limits;
  int op, type;
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    uint32_t types;
    (void)webnn_op_limits(contexts[0], (webnn_op)op, &limits);
    types = limits.operands[op == WEBNN_OP_WHERE ? 1 : 0].data_types;
    for (type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++) {
      CHECK("list", (types >> type & 1) == 0 || built[op][type] > 0, "%s of %s was never built",
            webnn_op_name((webnn_op)op), webnn_data_type_name((webnn_data_type)type));
    }
    CHECK("list", lacking[op] == 0, "%s: %u steps run a reference kernel",
          webnn_op_name((webnn_op)op), lacking[op]);
  }
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  options.threads = 1;
  contexts[0] = test_context(&options);
  options.disabled_passes = UINT32_MAX;
  contexts[1] = test_context(&options);
  walk_unaries();
  walk_binaries();
  walk_quantization();
  walk_axes();
  walk_movement();
  walk_products();
  walk_windows();
  walk_instances();
  walk_resampling();
  walk_recurrent();
  walk_merged();
  check_marks();
  check_lists();
  webnn_free_context(contexts[0]);
  webnn_free_context(contexts[1]);
  return test_end();
}
