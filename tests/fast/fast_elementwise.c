/* The fast kernels of operators that work element by element against a reference context: every
   operator, type, option that matters, way of broadcasting and instruction set; special values,
   subnormal numbers, all float16 patterns. Exact where the operator is a single operation or its
   operands are integers; functions within two units in the last place of float32. Results must have
   the same bits with 1, 2 and 3 threads. */
#include "sets.h"

static uint64_t seed = UINT64_C(88172645463325252);

enum { MAX_OPERANDS = 5, MAX_RANK = 4 };

typedef webnn_operand *(*one_operand)(webnn_builder *, webnn_operand *,
                                      const webnn_operator_options *);
typedef webnn_operand *(*two_operands)(webnn_builder *, webnn_operand *, webnn_operand *,
                                       const webnn_operator_options *);

/* An operand: its data is kept, and given as an input or as a constant. */
typedef struct operand {
  webnn_data_type type;
  uint32_t rank, shape[MAX_RANK];
  bool constant;
  unsigned char *data;
} operand;

typedef struct graph_case {
  webnn_op op;
  operand x[MAX_OPERANDS];
  int count;
  double alpha, beta; /* options */
  uint32_t axis;
  webnn_data_type to; /* of cast */
} graph_case;

static webnn_list shape_of(const operand *x) {
  return webnn_list_of(x->shape, x->rank);
}

static size_t count_of(const operand *x) {
  return test_element_count(shape_of(x));
}

static size_t bytes_of(webnn_data_type type, size_t count) {
  return (count * webnn_data_type_bits(type) + 7) / 8;
}

/* ---- Running one operator ------------------------------------------------------------------- */

static const struct {
  webnn_op op;
  one_operand f;
} ones[] = {
    {WEBNN_OP_ABS, webnn_abs},
    {WEBNN_OP_CEIL, webnn_ceil},
    {WEBNN_OP_COS, webnn_cos},
    {WEBNN_OP_ERF, webnn_erf},
    {WEBNN_OP_EXP, webnn_exp},
    {WEBNN_OP_FLOOR, webnn_floor},
    {WEBNN_OP_LOG, webnn_log},
    {WEBNN_OP_NEG, webnn_neg},
    {WEBNN_OP_RECIPROCAL, webnn_reciprocal},
    {WEBNN_OP_ROUND_EVEN, webnn_round_even},
    {WEBNN_OP_SIGN, webnn_sign},
    {WEBNN_OP_SIN, webnn_sin},
    {WEBNN_OP_SQRT, webnn_sqrt},
    {WEBNN_OP_TAN, webnn_tan},
    {WEBNN_OP_RELU, webnn_relu},
    {WEBNN_OP_SIGMOID, webnn_sigmoid},
    {WEBNN_OP_TANH, webnn_tanh},
    {WEBNN_OP_SOFTPLUS, webnn_softplus},
    {WEBNN_OP_SOFTSIGN, webnn_softsign},
    {WEBNN_OP_GELU, webnn_gelu},
    {WEBNN_OP_HARD_SWISH, webnn_hard_swish},
    {WEBNN_OP_IS_NAN, webnn_is_nan},
    {WEBNN_OP_IS_INFINITE, webnn_is_infinite},
    {WEBNN_OP_LOGICAL_NOT, webnn_logical_not},
};

static const struct {
  webnn_op op;
  two_operands f;
} twos[] = {
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

/* Options are rounded to the operand's type; integers are given exactly. */
static webnn_number number_of(webnn_data_type type, double value) {
  return test_is_float(type) ? webnn_f64(value) : webnn_i64((int64_t)value);
}

static webnn_operand *apply_with_options(webnn_builder *b, const graph_case *c,
                                         webnn_operand *const *x) {
  const webnn_number alpha = number_of(c->x->type, c->alpha), beta = number_of(c->x->type, c->beta);
  switch (c->op) {
  case WEBNN_OP_CLAMP: {
    webnn_clamp_options options = {0};
    options.min_value = alpha;
    options.max_value = beta;
    return webnn_clamp(b, x[0], &options);
  }
  case WEBNN_OP_ELU: {
    webnn_elu_options options = {0};
    options.alpha = alpha;
    return webnn_elu(b, x[0], &options);
  }
  case WEBNN_OP_LEAKY_RELU: {
    webnn_leaky_relu_options options = {0};
    options.alpha = alpha;
    return webnn_leaky_relu(b, x[0], &options);
  }
  case WEBNN_OP_LINEAR: {
    webnn_linear_options options = {0};
    options.alpha = alpha;
    options.beta = beta;
    return webnn_linear(b, x[0], &options);
  }
  case WEBNN_OP_HARD_SIGMOID: {
    webnn_hard_sigmoid_options options = {0};
    options.alpha = alpha;
    options.beta = beta;
    return webnn_hard_sigmoid(b, x[0], &options);
  }
  case WEBNN_OP_CAST:
    return webnn_cast(b, x[0], c->to, NULL);
  case WEBNN_OP_WHERE:
    return webnn_where(b, x[0], x[1], x[2], NULL);
  case WEBNN_OP_QUANTIZE_LINEAR:
    return webnn_quantize_linear(b, x[0], x[1], x[2], NULL);
  case WEBNN_OP_DEQUANTIZE_LINEAR:
    return webnn_dequantize_linear(b, x[0], x[1], x[2], NULL);
  case WEBNN_OP_BATCH_NORMALIZATION: {
    webnn_batch_normalization_options options = {0};
    options.axis = webnn_u64(c->axis);
    options.scale = c->count > 3 ? x[3] : NULL;
    options.bias = c->count > 4 ? x[4] : NULL;
    return webnn_batch_normalization(b, x[0], x[1], x[2], &options);
  }
  default:
    return NULL;
  }
}

static webnn_operand *apply(webnn_builder *b, const graph_case *c, webnn_operand *const *x) {
  size_t i;
  for (i = 0; i < sizeof ones / sizeof *ones; i++) {
    if (ones[i].op == c->op) {
      return ones[i].f(b, x[0], NULL);
    }
  }
  for (i = 0; i < sizeof twos / sizeof *twos; i++) {
    if (twos[i].op == c->op) {
      return twos[i].f(b, x[0], x[1], NULL);
    }
  }
  return apply_with_options(b, c, x);
}

/* The result of a case in a context: elements in new memory, their type and number. */
static void *run(webnn_context *context, const graph_case *c, webnn_data_type *type,
                 size_t *count) {
  static const char *const names[MAX_OPERANDS] = {"a", "b", "c", "d", "e"};
  webnn_builder *b = test_builder(context);
  webnn_operand *x[MAX_OPERANDS], *y;
  webnn_tensor *tensors[MAX_OPERANDS + 1];
  webnn_named_tensor inputs[MAX_OPERANDS], output;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  void *result;
  webnn_tensor_descriptor descriptor = WEBNN_ZERO;
  size_t used = 0, k;
  int i;
  descriptor.readable = descriptor.writable = true;
  for (i = 0; i < c->count; i++) {
    webnn_operand_descriptor d;
    d.data_type = c->x[i].type;
    d.shape = shape_of(&c->x[i]);
    if (c->x[i].constant) {
      x[i] = webnn_constant(b, d, c->x[i].data, bytes_of(d.data_type, count_of(&c->x[i])));
      continue;
    }
    x[i] = webnn_input(b, names[i], d);
    descriptor.data_type = d.data_type;
    descriptor.shape = d.shape;
    if (webnn_create_tensor(context, descriptor, &tensors[used], &error) != WEBNN_OK ||
        webnn_write_tensor(context, tensors[used], c->x[i].data,
                           bytes_of(d.data_type, count_of(&c->x[i])), &error) != WEBNN_OK) {
      printf("%s\n", error.message);
      exit(1);
    }
    inputs[used].name = names[i];
    inputs[used].tensor = tensors[used];
    used++;
  }
  y = apply(b, c, x);
  error.message[0] = 0;
  if (y == NULL || webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error) != WEBNN_OK) {
    printf("%s: %s\n", webnn_op_name(c->op), error.message);
    exit(1);
  }
  *type = descriptor.data_type = webnn_operand_data_type(y);
  descriptor.shape = webnn_operand_shape(y);
  *count = test_element_count(descriptor.shape);
  result = test_allocate(bytes_of(*type, *count) + 1);
  output.name = "y";
  if (webnn_create_tensor(context, descriptor, &tensors[used], &error) != WEBNN_OK) {
    exit(1);
  }
  output.tensor = tensors[used];
  if (webnn_dispatch(context, graph, inputs, used, &output, 1, &error) != WEBNN_OK ||
      webnn_read_tensor(context, output.tensor, result, bytes_of(*type, *count), &error) !=
          WEBNN_OK) {
    printf("%s\n", error.message);
    exit(1);
  }
  for (k = 0; k <= used; k++) {
    webnn_free_tensor(tensors[k]);
  }
  webnn_free_graph(graph);
  webnn_free_builder(b);
  return result;
}

/* ---- Comparing ------------------------------------------------------------------------------ */

static uint32_t float_bits(webnn_data_type type, const void *data, size_t i) {
  return type == WEBNN_FLOAT32 ? ((const uint32_t *)data)[i] : ((const uint16_t *)data)[i];
}

/* Units in the last place between two floats, as bits; of opposite signs, or one a NaN: huge. */
static uint64_t float_distance(webnn_data_type type, uint32_t a, uint32_t b) {
  const uint32_t sign = type == WEBNN_FLOAT32 ? 0x80000000 : 0x8000;
  const uint32_t infinity = type == WEBNN_FLOAT32 ? 0x7f800000 : 0x7c00;
  const uint32_t p = a & (sign - 1), q = b & (sign - 1);
  if (p > infinity || q > infinity) {
    return p > infinity && q > infinity ? 0 : UINT64_MAX;
  }
  if ((a & sign) != (b & sign)) {
    return UINT64_MAX;
  }
  return p > q ? p - q : q - p;
}

/* What a function may differ from the reference, in units of the last place. UINT64_MAX: the error
   is relative to the terms of a sum. */
static uint64_t allowed(const graph_case *c, webnn_data_type type, webnn_instruction_set set) {
  const bool fused = set != WEBNN_ISA_SCALAR && set != WEBNN_ISA_SSE2 && set != WEBNN_ISA_WASM_SIMD;
  switch (c->op) {
  case WEBNN_OP_COS:
  case WEBNN_OP_ERF:
  case WEBNN_OP_EXP:
  case WEBNN_OP_LOG:
  case WEBNN_OP_SIN:
  case WEBNN_OP_TAN:
  case WEBNN_OP_SIGMOID:
  case WEBNN_OP_TANH:
  case WEBNN_OP_SOFTPLUS:
  case WEBNN_OP_SOFTSIGN:
  case WEBNN_OP_GELU:
  case WEBNN_OP_ELU:
  case WEBNN_OP_HARD_SWISH:
  case WEBNN_OP_POW:
    return type == WEBNN_FLOAT16 ? 1 : 2;
  case WEBNN_OP_DEQUANTIZE_LINEAR:
    return c->x->type == WEBNN_INT32 || c->x->type == WEBNN_UINT32 ? 1 : 0;
  case WEBNN_OP_SQRT:
    return set == WEBNN_ISA_SCALAR && type == WEBNN_FLOAT32 ? 1 : 0;
  case WEBNN_OP_LINEAR:
  case WEBNN_OP_HARD_SIGMOID:
    return fused && type == WEBNN_FLOAT32 ? 0 : UINT64_MAX;
  case WEBNN_OP_BATCH_NORMALIZATION:
    return UINT64_MAX;
  default:
    return 0;
  }
}

/* The size of the terms of sums whose error is measured by it. */
static double term_size(const graph_case *c, size_t i) {
  const double x = test_get(c->x->type, c->x->data, i);
  double size, mean, variance, scale = 1, bias = 0, root = 1;
  size_t channel = i, d;
  int round;
  if (c->op != WEBNN_OP_BATCH_NORMALIZATION) {
    size = x * c->alpha;
    return (size < 0 ? -size : size) + (c->beta < 0 ? -c->beta : c->beta);
  }
  for (d = c->x->rank; d-- > c->axis + 1;) {
    channel /= c->x->shape[d];
  }
  channel %= c->x->shape[c->axis];
  mean = test_get(c->x->type, c->x[1].data, channel);
  variance = test_get(c->x->type, c->x[2].data, channel) + 1e-5;
  scale = c->count > 3 ? test_get(c->x->type, c->x[3].data, channel) : 1;
  bias = c->count > 4 ? test_get(c->x->type, c->x[4].data, channel) : 0;
  for (round = 0; round < 40; round++) {
    root = (root + variance / root) / 2;
  }
  size = (x - mean) * scale / root;
  return (size < 0 ? -size : size) + (bias < 0 ? -bias : bias);
}

static bool is_near(const graph_case *c, webnn_data_type type, const void *got, const void *want,
                    size_t i) {
  const double unit = type == WEBNN_FLOAT16 ? 1.0 / 1024 : 1.0 / 8388608;
  const double a = test_get(type, got, i), b = test_get(type, want, i);
  const double d = a < b ? b - a : a - b;
  return float_distance(type, float_bits(type, got, i), float_bits(type, want, i)) <= 1 ||
         d <= 3 * unit * term_size(c, i);
}

static void print_operands(const graph_case *c, char *text, size_t size) {
  size_t used = 0;
  int k;
  text[0] = 0;
  for (k = 0; k < c->count && used + 40 < size; k++) {
    used += (size_t)snprintf(text + used, size - used, " %s%s", webnn_data_type_name(c->x[k].type),
                             test_shape_text(shape_of(&c->x[k])));
  }
}

static void compare(const graph_case *c, webnn_instruction_set set, webnn_data_type type,
                    size_t count, const void *got, const void *want) {
  const uint64_t limit = allowed(c, type, set);
  char operands[200];
  size_t i, bad = count;
  if (test_is_float(type)) {
    for (i = 0; i < count && bad == count; i++) {
      const uint32_t a = float_bits(type, got, i), b = float_bits(type, want, i);
      if (limit == UINT64_MAX ? !is_near(c, type, got, want, i)
                              : float_distance(type, a, b) > limit) {
        bad = i;
      }
    }
  } else if (memcmp(got, want, bytes_of(type, count)) != 0) {
    const size_t size = webnn_data_type_bits(type) / 8 > 0 ? webnn_data_type_bits(type) / 8 : 1;
    for (bad = 0;
         memcmp((const char *)got + bad * size, (const char *)want + bad * size, size) == 0;
         bad++) {
    }
  }
  print_operands(c, operands, sizeof operands);
  if (bad == count) {
    CHECK(webnn_op_name(c->op), true, " ");
  } else {
    const double x = webnn_data_type_bits(c->x->type) < 8 || count_of(c->x) <= bad
                         ? 0
                         : test_get(c->x->type, c->x->data, bad);
    const bool narrow = webnn_data_type_bits(type) < 8;
    CHECK(webnn_op_name(c->op), false,
          "%s, alpha %g, beta %g, instruction set %d: element %lu (x = %.9g): expected %.9g, got "
          "%.9g",
          operands, c->alpha, c->beta, (int)set, (unsigned long)bad, x,
          narrow ? 0 : test_get(type, want, bad), narrow ? 0 : test_get(type, got, bad));
  }
}

/* ---- Contexts ------------------------------------------------------------------------------- */

static webnn_context *reference, *fast[8];
static webnn_instruction_set sets[8];
static int set_count;

static void make_contexts(void) {
  webnn_context_options options = WEBNN_ZERO;
  int set;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  reference = test_context(&options);
  options.numerics = WEBNN_NUMERICS_FAST;
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    options.instruction_set = (webnn_instruction_set)set;
    fast[set_count] = test_set_context(&options);
    if (fast[set_count] != NULL) {
      sets[set_count++] = options.instruction_set;
    }
  }
}

static void check(const graph_case *c) {
  webnn_data_type type;
  size_t count;
  void *want = run(reference, c, &type, &count);
  int i;
  for (i = 0; i < set_count; i++) {
    void *got = run(fast[i], c, &type, &count);
    compare(c, sets[i], type, count, got, want);
    free(got);
  }
  free(want);
}

/* ---- Data ----------------------------------------------------------------------------------- */

static float float_of_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Special values, any bits, numbers around 1, around 0 and of moderate size. */
static float random_float(void) {
  static const uint32_t special[] = {
      0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x80000001,
      0x007fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000,
      0x3f7fffff, 0x3f800001, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0400000,
      0x40400000, 0x40c00000, 0x42b17217, 0x42b17218, 0xc2aeac50, 0xc2cff1b5, 0x4b000000,
      0x4afffffe, 0xcb800000, 0x4f000000, 0xcf000000, 0x5f000000, 0x5f800000, 0x46000000,
      0x45ffffff, 0x3fc90fdb, 0x40490fdb, 0x461c4000, 0x7149f2ca};
  const uint64_t r = test_random(&seed);
  switch (r >> 8 & 7) {
  case 0:
    return float_of_bits(special[(r >> 16) % (sizeof special / sizeof *special)]);
  case 1:
    return float_of_bits((uint32_t)(r >> 20));
  case 2:
    return (float)test_random_between(&seed, -100, 100);
  case 3:
    return (float)test_random_between(&seed, -1e-3, 1e-3);
  case 4:
    return (float)(int)test_random_between(&seed, -20, 20) * 0.5f;
  default:
    return (float)test_random_between(&seed, -10, 10);
  }
}

static void fill_operand(operand *x) {
  const size_t count = count_of(x), bytes = bytes_of(x->type, count);
  size_t i;
  x->data = (unsigned char *)test_allocate(bytes + 1);
  for (i = 0; i < bytes; i++) {
    x->data[i] = (unsigned char)(test_random(&seed) >> 24);
  }
  if (test_is_float(x->type)) {
    for (i = 0; i < count; i++) {
      test_set(x->type, x->data, i, (double)random_float());
    }
  } else if (webnn_data_type_bits(x->type) >= 32) { /* small numbers, too */
    for (i = 0; i < count; i += 2) {
      test_set(x->type, x->data, i, test_random_between(&seed, 0, 9));
    }
  }
}

static void free_operands(graph_case *c) {
  int i;
  for (i = 0; i < c->count; i++) {
    free(c->x[i].data);
  }
}

static operand make_operand(webnn_data_type type, uint32_t rank, uint32_t a, uint32_t b, uint32_t c,
                            uint32_t d) {
  operand x;
  memset(&x, 0, sizeof x);
  x.type = type;
  x.rank = rank;
  x.shape[0] = a;
  x.shape[1] = b;
  x.shape[2] = c;
  x.shape[3] = d;
  return x;
}

static bool takes(webnn_op op, webnn_data_type type) {
  if (test_is_float(type)) {
    return op != WEBNN_OP_LOGICAL_NOT && op != WEBNN_OP_LOGICAL_AND && op != WEBNN_OP_LOGICAL_OR &&
           op != WEBNN_OP_LOGICAL_XOR;
  }
  switch (op) {
  case WEBNN_OP_ABS:
  case WEBNN_OP_NEG:
  case WEBNN_OP_SIGN:
  case WEBNN_OP_RELU:
  case WEBNN_OP_PRELU:
    return type == WEBNN_INT32 || type == WEBNN_INT64 || type == WEBNN_INT8;
  case WEBNN_OP_LOGICAL_NOT:
  case WEBNN_OP_LOGICAL_AND:
  case WEBNN_OP_LOGICAL_OR:
  case WEBNN_OP_LOGICAL_XOR:
    return type == WEBNN_UINT8;
  case WEBNN_OP_ADD:
  case WEBNN_OP_SUB:
  case WEBNN_OP_MUL:
  case WEBNN_OP_DIV:
  case WEBNN_OP_MAX:
  case WEBNN_OP_MIN:
  case WEBNN_OP_POW:
  case WEBNN_OP_EQUAL:
  case WEBNN_OP_NOT_EQUAL:
  case WEBNN_OP_GREATER:
  case WEBNN_OP_GREATER_OR_EQUAL:
  case WEBNN_OP_LESSER:
  case WEBNN_OP_LESSER_OR_EQUAL:
  case WEBNN_OP_CLAMP:
    return true;
  default:
    return false;
  }
}

static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT32, WEBNN_UINT32,
                                        WEBNN_INT64,   WEBNN_UINT64,  WEBNN_INT8,  WEBNN_UINT8};
enum { TYPE_COUNT = sizeof types / sizeof *types };

/* ---- The cases ------------------------------------------------------------------------------ */

static void check_one(webnn_op op, webnn_data_type type, uint32_t count, double alpha,
                      double beta) {
  graph_case c;
  uint32_t i;
  memset(&c, 0, sizeof c);
  c.op = op;
  c.count = 1;
  c.alpha = alpha;
  c.beta = beta;
  c.x[0] = make_operand(type, 1, count, 0, 0, 0);
  fill_operand(&c.x[0]);
  if (type == WEBNN_FLOAT16 && count == 65536) {
    for (i = 0; i < count; i++) {
      ((uint16_t *)(void *)c.x[0].data)[i] = (uint16_t)i;
    }
  }
  check(&c);
  free_operands(&c);
}

static void test_ones(void) {
  static const double bounds[][2] = {{-1, 1}, {0, 6}, {-0.0, 0.0}, {0.0, 0.0}, {-6, -0.0}};
  static const double alphas[] = {1, 0.01, 0, -0.0, -0.5, 1e-30, 1e30};
  static const double lines[][2] = {{1, 0}, {0.2, 0.5}, {0, 0}, {-3, 7}, {1e-30, 0}, {2, -0.0}};
  size_t i, k, j;
  for (k = 0; k < TYPE_COUNT; k++) {
    const uint32_t count = types[k] == WEBNN_FLOAT16   ? 65536
                           : types[k] == WEBNN_FLOAT32 ? 5003
                                                       : 1029;
    for (i = 0; i < sizeof ones / sizeof *ones; i++) {
      if (takes(ones[i].op, types[k])) {
        check_one(ones[i].op, types[k], count, 0, 0);
      }
    }
    for (j = 0; j < sizeof bounds / sizeof *bounds; j++) {
      if (types[k] == WEBNN_FLOAT32 || types[k] == WEBNN_FLOAT16 || bounds[j][0] >= 0 ||
          (types[k] != WEBNN_UINT8 && types[k] != WEBNN_UINT32 && types[k] != WEBNN_UINT64)) {
        check_one(WEBNN_OP_CLAMP, types[k], 2050, bounds[j][0], bounds[j][1]);
      }
    }
    if (!test_is_float(types[k])) {
      continue;
    }
    for (j = 0; j < sizeof alphas / sizeof *alphas; j++) {
      check_one(WEBNN_OP_ELU, types[k], 4099, alphas[j], 0);
      check_one(WEBNN_OP_LEAKY_RELU, types[k], 4099, alphas[j], 0);
    }
    for (j = 0; j < sizeof lines / sizeof *lines; j++) {
      check_one(WEBNN_OP_LINEAR, types[k], 4099, lines[j][0], lines[j][1]);
      check_one(WEBNN_OP_HARD_SIGMOID, types[k], 4099, lines[j][0], lines[j][1]);
    }
  }
}

typedef struct shape_pair {
  uint32_t rank_a, a[MAX_RANK], rank_b, b[MAX_RANK];
} shape_pair;

static const shape_pair pairs[] = {
    {1, {1}, 1, {1}},
    {0, {0}, 0, {0}},
    {1, {17}, 1, {17}},
    {2, {3, 700}, 2, {3, 700}},
    {2, {3, 700}, 0, {0}},
    {0, {0}, 2, {5, 300}},
    {2, {41, 57}, 1, {57}},
    {2, {700, 3}, 1, {3}},
    {2, {3, 1100}, 2, {1, 1100}},
    {2, {4, 1000}, 1, {1000}},
    {2, {5, 510}, 1, {510}},
    {2, {3, 1100}, 2, {3, 1}},
    {2, {60, 40}, 2, {60, 1}},
    {4, {2, 5, 17, 13}, 4, {1, 5, 1, 1}},
    {4, {2, 3, 33, 31}, 4, {2, 1, 33, 31}},
    {4, {3, 1, 7, 1}, 4, {1, 5, 1, 9}},
    {3, {1, 64, 1}, 3, {4, 1, 9}},
};
enum { PAIR_COUNT = sizeof pairs / sizeof *pairs };

static operand operand_of(webnn_data_type type, uint32_t rank, const uint32_t *shape) {
  operand x = make_operand(type, rank, shape[0], shape[1], shape[2], shape[3]);
  fill_operand(&x);
  return x;
}

static void test_twos(void) {
  size_t i, k, j;
  for (k = 0; k < TYPE_COUNT; k++) {
    for (i = 0; i < sizeof twos / sizeof *twos; i++) {
      for (j = 0; j < PAIR_COUNT; j++) {
        graph_case c;
        if (!takes(twos[i].op, types[k]) ||
            (twos[i].op == WEBNN_OP_PRELU && pairs[j].rank_a == 0)) {
          continue;
        }
        /* all shapes for one operator of a type, one shape for the others */
        if (i != k % 3 && j != (i + k) % PAIR_COUNT && j != 3) {
          continue;
        }
        memset(&c, 0, sizeof c);
        c.op = twos[i].op;
        c.count = 2;
        c.x[0] = operand_of(types[k], pairs[j].rank_a, pairs[j].a);
        c.x[1] = operand_of(types[k], pairs[j].rank_b, pairs[j].b);
        if (c.op == WEBNN_OP_PRELU && j > 10 && j != 11 && j != 12 && j != 13) {
          free_operands(&c);
          continue;
        }
        check(&c);
        free_operands(&c);
      }
    }
  }
}

/* Constant exponents that have a way of their own. */
static void test_powers(void) {
  static const double exponents[] = {0, 0.5, 1, 2, 3, -1, -0.5, 1.5, -2, 100};
  size_t i, k;
  for (k = 0; k < 2; k++) {
    for (i = 0; i < sizeof exponents / sizeof *exponents; i++) {
      graph_case c;
      memset(&c, 0, sizeof c);
      c.op = WEBNN_OP_POW;
      c.count = 2;
      c.x[0] = make_operand(types[k], 1, 3001, 0, 0, 0);
      fill_operand(&c.x[0]);
      c.x[1] = make_operand(types[k], 0, 0, 0, 0, 0);
      c.x[1].constant = true;
      fill_operand(&c.x[1]);
      test_set(types[k], c.x[1].data, 0, exponents[i]);
      check(&c);
      free_operands(&c);
    }
  }
}

static void test_casts(void) {
  size_t i, k;
  for (i = 0; i < TYPE_COUNT; i++) {
    for (k = 0; k < TYPE_COUNT; k++) {
      graph_case c;
      memset(&c, 0, sizeof c);
      c.op = WEBNN_OP_CAST;
      c.count = 1;
      c.to = types[k];
      c.x[0] = make_operand(types[i], 2, 3, 1111, 0, 0);
      fill_operand(&c.x[0]);
      check(&c);
      free_operands(&c);
    }
  }
}

static void test_where(void) {
  size_t i, j;
  for (i = 0; i < TYPE_COUNT; i++) {
    for (j = 0; j < PAIR_COUNT; j++) {
      graph_case c;
      memset(&c, 0, sizeof c);
      c.op = WEBNN_OP_WHERE;
      c.count = 3;
      c.x[0] = operand_of(WEBNN_UINT8, pairs[j].rank_a, pairs[j].a);
      c.x[1] = operand_of(types[i], pairs[j].rank_b, pairs[j].b);
      c.x[2] = operand_of(types[i], pairs[j].rank_a, pairs[j].a);
      check(&c);
      free_operands(&c);
    }
  }
}

/* Scales are positive, some of them powers of two, so that quotients are often halves. */
static void test_quantization(void) {
  static const webnn_data_type integers[] = {WEBNN_INT8,  WEBNN_UINT8, WEBNN_INT4,
                                             WEBNN_UINT4, WEBNN_INT32, WEBNN_UINT32};
  static const uint32_t blocks[][3] = {{1, 1, 1},  {1, 6, 1}, {2, 6, 44},
                                       {1, 3, 11}, {2, 1, 1}, {1, 1, 44}};
  size_t i, j, k, e, way;
  for (way = 0; way < 2; way++) {
    for (k = 0; k < 2; k++) {
      for (i = 0; i < sizeof integers / sizeof *integers; i++) {
        for (j = 0; j < sizeof blocks / sizeof *blocks; j++) {
          const uint32_t *b = blocks[j];
          graph_case c;
          memset(&c, 0, sizeof c);
          c.op = way == 0 ? WEBNN_OP_QUANTIZE_LINEAR : WEBNN_OP_DEQUANTIZE_LINEAR;
          c.count = 3;
          c.x[0] = make_operand(way == 0 ? types[k] : integers[i], 3, 2, 6, 44 * 3, 0);
          c.x[1] = make_operand(types[k], 3, b[0], b[1], b[2], 0);
          c.x[2] = make_operand(integers[i], 3, b[0], b[1], b[2], 0);
          c.x[1].constant = c.x[2].constant = j % 2 == 0;
          for (e = 0; e < 3; e++) {
            fill_operand(&c.x[e]);
          }
          for (e = 0; e < count_of(&c.x[1]); e++) {
            test_set(types[k], c.x[1].data, e,
                     e % 2 == 0 ? 0.25 : test_random_between(&seed, 0.01, 2));
          }
          check(&c);
          free_operands(&c);
        }
      }
    }
  }
}

/* A size, and into how many blocks it is cut. */
static uint32_t random_size(uint32_t *blocks) {
  static const uint32_t sizes[] = {1, 2, 3, 5, 8, 9, 16, 17, 31, 32, 64, 65, 96, 255, 257, 1025};
  const uint32_t size = sizes[test_random(&seed) % (sizeof sizes / sizeof *sizes)];
  do {
    *blocks = 1 + (uint32_t)(test_random(&seed) % size);
  } while (size % *blocks != 0);
  return size;
}

/* Scales of any kind: zeros, infinities, NaN, subnormal and negative ones; and, so that quotients
   are halves, powers of two. */
static float random_scale(void) {
  const uint64_t r = test_random(&seed);
  return (r >> 8) % 4 == 0   ? random_float()
         : (r >> 8) % 4 == 1 ? 0.25f
         : (r >> 8) % 4 == 2 ? (float)test_random_between(&seed, 1e-8, 1e-6)
                             : (float)test_random_between(&seed, 0.01, 2);
}

/* Blocks of every size along several axes, in all types; elements of 4 bits begin in the middle of
   bytes. */
static void random_quantization(graph_case *c, uint32_t most) {
  static const webnn_data_type integers[] = {WEBNN_INT8,  WEBNN_UINT8, WEBNN_INT4,
                                             WEBNN_UINT4, WEBNN_INT32, WEBNN_UINT32};
  const webnn_data_type of = types[test_random(&seed) % 2], to = integers[test_random(&seed) % 6];
  uint32_t i, blocks[MAX_RANK];
  size_t e;
  memset(c, 0, sizeof *c);
  c->op = test_random(&seed) % 2 == 0 ? WEBNN_OP_QUANTIZE_LINEAR : WEBNN_OP_DEQUANTIZE_LINEAR;
  c->count = 3;
  do {
    c->x[0].rank = (uint32_t)(test_random(&seed) % (MAX_RANK + 1));
    for (i = 0; i < c->x[0].rank; i++) {
      c->x[0].shape[i] = random_size(&blocks[i]);
    }
  } while (count_of(&c->x[0]) > most);
  c->x[1] = c->x[2] = c->x[0];
  memcpy(c->x[1].shape, blocks, sizeof blocks);
  memcpy(c->x[2].shape, blocks, sizeof blocks);
  c->x[0].type = c->op == WEBNN_OP_QUANTIZE_LINEAR ? of : to;
  c->x[1].type = of;
  c->x[2].type = to;
  c->x[1].constant = test_random(&seed) % 2 == 0;
  c->x[2].constant = test_random(&seed) % 2 == 0;
  for (i = 0; i < 3; i++) {
    fill_operand(&c->x[i]);
  }
  for (e = 0; e < count_of(&c->x[1]); e++) {
    test_set(of, c->x[1].data, e, (double)random_scale());
  }
}

static void test_blocks(void) {
  int round;
  for (round = 0; round < 400; round++) {
    graph_case c;
    random_quantization(&c, 9000);
    check(&c);
    free_operands(&c);
  }
}

/* a^n modulo m, for the inverse of a modulo a power of two or a prime. */
static uint64_t power_modulo(uint64_t a, uint64_t n, uint64_t m) {
  uint64_t y = 1;
  for (a %= m; n > 0; n >>= 1, a = a * a % m) {
    y = (n & 1) != 0 ? y * a % m : y;
  }
  return y;
}

/* Quotients so close to the middle of two integers of 32 bits that double precision takes them for
   it: x = a 2^32 p, scale = b p, a 2^33 = b m + r with m odd and r = 1 or -1 (or 0, a true middle).
   b is a prime, so that a can be r times the inverse of 2^33. */
static void test_close_quotients(void) {
  static const uint32_t primes[] = {16777213, 16777199, 8388617, 9999991, 12582917};
  enum { EACH = 2, COUNT = 5 * EACH * 2 };
  graph_case c;
  size_t i, k;
  uint32_t found = 0;
  for (k = 0; k < 4; k++) {
    memset(&c, 0, sizeof c);
    c.op = WEBNN_OP_QUANTIZE_LINEAR;
    c.count = 3;
    c.x[0] = make_operand(WEBNN_FLOAT32, 1, COUNT, 0, 0, 0);
    c.x[1] = make_operand(WEBNN_FLOAT32, 1, COUNT, 0, 0, 0);
    c.x[2] = make_operand(k % 2 == 0 ? WEBNN_UINT32 : WEBNN_INT32, 1, COUNT, 0, 0, 0);
    for (i = 0; i < 3; i++) {
      fill_operand(&c.x[i]);
    }
    for (i = 0; i < COUNT; i++) {
      const uint64_t b = primes[i / (2 * EACH)], shift = i % 4 < 2 ? 33 : 32;
      const uint64_t inverse = power_modulo(power_modulo(2, shift, b), b - 2, b);
      const uint64_t a = i % 2 == 0 ? inverse : b - inverse; /* r = 1, r = -1 */
      const uint64_t m = ((a << shift) - (i % 2 == 0 ? 1 : 0) + (i % 2 != 0 ? 1 : 0)) / b;
      const double sign = k > 1 ? -1 : 1, size = (double)((uint64_t)1 << (shift - 1));
      found += (m & 1) != 0 ? 1u : 0u;
      test_set(WEBNN_FLOAT32, c.x[0].data, i, sign * (double)a * size);
      test_set(WEBNN_FLOAT32, c.x[1].data, i, (double)b);
      test_set(c.x[2].type, c.x[2].data, i, k % 2 == 0 ? (double)(k / 2 * 4294967295u) : 0);
    }
    check(&c);
    free_operands(&c);
  }
  CHECK("close quotients", found > 4, "only %lu are next to a middle", (unsigned long)found);
}

static void test_batch_normalization(void) {
  static const uint32_t shapes[][5] = {/* rank, then the shape */
                                       {1, 7, 0, 0, 0},  {2, 9, 33, 0, 0},  {4, 2, 5, 19, 13},
                                       {4, 2, 9, 7, 48}, {4, 1, 3, 40, 40}, {3, 1, 1, 1, 0}};
  size_t s, k, axis;
  int optional;
  for (s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    for (k = 0; k < 2; k++) {
      for (axis = 0; axis < shapes[s][0]; axis++) {
        for (optional = 3; optional <= 5; optional++) {
          graph_case c;
          size_t i, e;
          memset(&c, 0, sizeof c);
          c.op = WEBNN_OP_BATCH_NORMALIZATION;
          c.count = optional;
          c.axis = (uint32_t)axis;
          c.x[0] = make_operand(types[k], shapes[s][0], shapes[s][1], shapes[s][2], shapes[s][3],
                                shapes[s][4]);
          for (i = 0; i < (size_t)optional; i++) {
            if (i > 0) {
              c.x[i] = make_operand(types[k], 1, c.x[0].shape[axis], 0, 0, 0);
            }
            c.x[i].data = (unsigned char *)test_allocate(bytes_of(types[k], count_of(&c.x[i])));
            for (e = 0; e < count_of(&c.x[i]); e++) {
              test_set(types[k], c.x[i].data, e, test_random_between(&seed, i == 2 ? 0.01 : -3, 3));
            }
          }
          check(&c);
          free_operands(&c);
        }
      }
    }
  }
}

/* The same bits with 1, 2 and 3 threads, for sizes that are cut. */
static void test_threads(void) {
  static const webnn_op ops[] = {WEBNN_OP_GELU, WEBNN_OP_SIN, WEBNN_OP_POW, WEBNN_OP_ADD};
  webnn_context *contexts[3];
  webnn_context_options options = {0};
  size_t i;
  uint32_t k;
  for (k = 0; k < 3; k++) {
    options.threads = k + 1;
    contexts[k] = test_context(&options);
  }
  for (i = 0; i < sizeof ops / sizeof *ops; i++) {
    graph_case c;
    webnn_data_type type;
    size_t count;
    void *want;
    memset(&c, 0, sizeof c);
    c.op = ops[i];
    c.count = ops[i] == WEBNN_OP_POW || ops[i] == WEBNN_OP_ADD ? 2 : 1;
    c.x[0] = make_operand(WEBNN_FLOAT32, 2, 1201, 1033, 0, 0);
    c.x[1] = make_operand(WEBNN_FLOAT32, 1, 1033, 0, 0, 0);
    fill_operand(&c.x[0]);
    if (c.count == 2) {
      fill_operand(&c.x[1]);
    }
    want = run(contexts[0], &c, &type, &count);
    for (k = 1; k < 3; k++) {
      void *got = run(contexts[k], &c, &type, &count);
      CHECK(webnn_op_name(c.op), memcmp(got, want, count * sizeof(float)) == 0,
            "other bits with %lu threads than with one", (unsigned long)k + 1);
      free(got);
    }
    free(want);
    free_operands(&c);
  }
  for (i = 0; i < 40; i++) {
    graph_case c;
    webnn_data_type type;
    size_t count;
    void *want;
    do {
      random_quantization(&c, 300000);
    } while (count_of(&c.x[0]) < 20000 && (free_operands(&c), true));
    want = run(contexts[0], &c, &type, &count);
    for (k = 1; k < 3; k++) {
      void *got = run(contexts[k], &c, &type, &count);
      CHECK(webnn_op_name(c.op), memcmp(got, want, bytes_of(type, count)) == 0,
            "other bits with %lu threads than with one", (unsigned long)k + 1);
      free(got);
    }
    free(want);
    free_operands(&c);
  }
  for (k = 0; k < 3; k++) {
    webnn_free_context(contexts[k]);
  }
}

/* Results larger than the caches, which are written past them, in rows that are not aligned; sums
   of integers, which are exact. The second operand is whole, one for each row, one for each column.
 */
static void test_large(void) {
  enum { ROWS = 4099, COLUMNS = 1031 };
  static const uint32_t shapes[3][2] = {{ROWS, COLUMNS}, {ROWS, 1}, {1, COLUMNS}};
  webnn_context_options options = {0};
  webnn_context *three;
  size_t i;
  int j, k;
  options.threads = 3;
  three = test_context(&options);
  for (j = 0; j < 3; j++) {
    graph_case c;
    float *a, *b;
    size_t rows = shapes[j][0] == 1 ? 0 : shapes[j][1], columns = shapes[j][1] == 1 ? 0 : 1;
    memset(&c, 0, sizeof c);
    c.op = WEBNN_OP_ADD;
    c.count = 2;
    c.x[0] = make_operand(WEBNN_FLOAT32, 2, ROWS, COLUMNS, 0, 0);
    c.x[1] = make_operand(WEBNN_FLOAT32, 2, shapes[j][0], shapes[j][1], 0, 0);
    fill_operand(&c.x[0]);
    fill_operand(&c.x[1]);
    a = (float *)(void *)c.x[0].data;
    b = (float *)(void *)c.x[1].data;
    for (i = 0; i < count_of(&c.x[0]); i++) {
      a[i] = (float)(i % 4093);
    }
    for (i = 0; i < count_of(&c.x[1]); i++) {
      b[i] = (float)(i % 1021) * 4096;
    }
    for (k = 0; k <= set_count; k++) {
      webnn_data_type type;
      size_t count, wrong = 0;
      float *y = (float *)run(k < set_count ? fast[k] : three, &c, &type, &count);
      for (i = 0; i < count; i++) {
        wrong += y[i] != a[i] + b[i / COLUMNS * rows + i % COLUMNS * columns];
      }
      CHECK("a large sum", count == (size_t)ROWS * COLUMNS && wrong == 0, "%lu wrong, %s",
            (unsigned long)wrong, k < set_count ? "one thread" : "three threads");
      free(y);
    }
    free_operands(&c);
  }
  webnn_free_context(three);
}

int main(void) {
  int i;
  make_contexts();
  test_ones();
  test_twos();
  test_powers();
  test_casts();
  test_where();
  test_quantization();
  test_blocks();
  test_close_quotients();
  test_batch_normalization();
  test_threads();
  test_large();
  webnn_free_context(reference);
  for (i = 0; i < set_count; i++) {
    webnn_free_context(fast[i]);
  }
  return test_end();
}
