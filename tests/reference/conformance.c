/* Plays each case of the conformance vectors through the public API and compares as the suite does.

     conformance [fast | reference | unaligned] [file ...]

   `unaligned` is a fast context with constants and tensors over memory at odd addresses. Without
   files all are played. The vectors are looked for in $WEBNN_WPT, or ../../shared/wpt. */
#include "call_by_name.h"

/* clang-format off */
static const char *const all_files[] = {
  "abs", "add", "arg_min_max", "batch_normalization", "cast", "cast-storage", "cast_rounding",
  "ceil", "clamp", "comparison-select", "concat", "constant-reshape-optimization", "conv2d",
  "conv_transpose2d", "cos", "cumulative_sum", "dequantizeLinear", "div", "elu", "equal", "erf",
  "exp", "expand", "float16-transport", "floor", "gather", "gatherElements", "gatherND", "gelu",
  "gemm", "greater", "greater_or_equal", "gru", "gru_cell", "hard_sigmoid", "hard_swish",
  "identity", "instance-normalization-affine-layout", "instance-normalization-zero-epsilon",
  "instance_normalization", "is_infinite", "is_nan", "layer_normalization", "leaky_relu",
  "lesser", "lesser_or_equal", "linear", "log", "logical_and", "logical_not", "logical_or",
  "logical_xor", "lstm", "lstm_cell", "matmul", "max", "min", "mlNumber", "mul", "neg",
  "not_equal", "optimize_graph", "pad", "pooling", "pow", "prelu", "qdq_subgraph",
  "quantizeLinear", "reciprocal", "reduce-log-sum-small-values", "reduce_l1", "reduce_l2",
  "reduce_log_sum", "reduce_log_sum_exp", "reduce_max", "reduce_mean", "reduce_min",
  "reduce_product", "reduce_sum", "reduce_sum_square", "relu", "resample2d",
  "resample2d-nearest-half-pixel", "reshape", "reverse", "round_even", "scatterElements",
  "scatterND", "sigmoid", "sign", "sin", "slice", "softmax", "softplus", "softsign", "split",
  "sqrt", "sub", "subgraph", "tan", "tanh", "tile", "transpose", "triangular", "where"};
/* clang-format on */

/* Constants and tensors lie at odd addresses of the test's own memory. */
static bool unaligned;
/* Prints the bits of every output, for bindings to compare with. */
static bool with_bits;

/* Vectors that are wrong by the suite's own fault: the element that must come instead, and why. */
typedef struct fault {
  const char *file, *name, *output;
  size_t index;
  const char *expected; /* a number as the vectors have it */
  const char *reason;
} fault;

#define CLAMP_CASE "mlNumber", "cast fractional float to integer", "clampOutput"
#define CLAMP_REASON                                                                               \
  "section 9.2 makes minValue 3.9 an int64 by rounding to nearest, that is 4; the suite truncates"
static const fault faults[] = {
    {CLAMP_CASE, 0, "4", CLAMP_REASON},
    {CLAMP_CASE, 3, "4", CLAMP_REASON},
    {CLAMP_CASE, 4, "4", CLAMP_REASON},
    {"subgraph", "batchNormalization options.axis=0 + gelu", "output", 4, "-0.03595130432700635",
     "x = (3 - 6) / sqrt(2 + 1e-5) = -2.121315040278805; 0.5 x (1 + erf(x / sqrt 2)) with 50 digits"
     " is this value; the suite's is 34 ULP beside it, where it allows 24"},
};

/* Vectors of quantizeLinear and dequantizeLinear older than the rule that scale and zeroPoint have
   the input's rank (steps 7): in so many cases of a file they have fewer dimensions. The operator
   must refuse them as they are, with a TypeError, and give what is expected once they are reshaped
   to the input's rank with ones in front. */
typedef struct rank_exception {
  const char *file;
  int cases;
} rank_exception;

static const rank_exception rank_exceptions[] = {
    {"dequantizeLinear", 5}, {"qdq_subgraph", 18}, {"quantizeLinear", 7}};

/* ---- Elements to compare --------------------------------------------------------------------- */

/* One element, exactly: `number` of floats and `bits` they have, sign and magnitude of integers. */
typedef struct element {
  double number;
  uint32_t bits;
  bool negative;
  uint64_t magnitude;
} element;

static element element_of_float32(float value) {
  element e = {0.0, 0, false, 0};
  memcpy(&e.bits, &value, sizeof e.bits);
  e.number = (double)value;
  e.negative = e.bits >> 31 != 0;
  return e;
}

static element element_of_float16(uint16_t bits) {
  element e = {0.0, 0, false, 0};
  e.bits = bits;
  e.number = (double)webnn_float16_to_float32(bits);
  e.negative = bits >> 15 != 0;
  return e;
}

static element element_of_integer(bool negative, uint64_t magnitude) {
  element e = {0.0, 0, false, 0};
  e.negative = negative && magnitude != 0;
  e.magnitude = magnitude;
  e.number = e.negative ? -(double)magnitude : (double)magnitude;
  return e;
}

static element element_of_i64(int64_t value) {
  return element_of_integer(value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static element element_of_nibble(webnn_data_type type, uint8_t byte, size_t index) {
  const int nibble = index % 2 ? byte >> 4 : byte & 15;
  return element_of_i64(type == WEBNN_INT4 && nibble > 7 ? nibble - 16 : nibble);
}

static element element_at(webnn_data_type type, const void *bytes, size_t index) {
  switch (type) {
  case WEBNN_FLOAT32:
    return element_of_float32(((const float *)bytes)[index]);
  case WEBNN_FLOAT16:
    return element_of_float16(((const uint16_t *)bytes)[index]);
  case WEBNN_INT32:
    return element_of_i64(((const int32_t *)bytes)[index]);
  case WEBNN_UINT32:
    return element_of_i64(((const uint32_t *)bytes)[index]);
  case WEBNN_INT64:
    return element_of_i64(((const int64_t *)bytes)[index]);
  case WEBNN_UINT64:
    return element_of_integer(false, ((const uint64_t *)bytes)[index]);
  case WEBNN_INT8:
    return element_of_i64(((const int8_t *)bytes)[index]);
  case WEBNN_UINT8:
    return element_of_i64(((const uint8_t *)bytes)[index]);
  default:
    return element_of_nibble(type, ((const uint8_t *)bytes)[index / 2], index);
  }
}

/* What is expected may lie outside of an integer type's range (a tolerance brings it back). */
static bool element_expected(webnn_data_type type, const json *value, bool is_bits, element *e) {
  double number = 0;
  float narrow = 0;
  uint16_t bits = 0;
  int64_t integer;
  uint64_t magnitude;
  if (type == WEBNN_FLOAT32) {
    if (is_bits || !elements_store_float(type, &narrow, 0, value))
      return false;
    *e = element_of_float32(narrow);
    return true;
  }
  if (type == WEBNN_FLOAT16) {
    if (!(is_bits ? elements_store_bits(&bits, 0, value)
                  : elements_store_float(type, &bits, 0, value)))
      return false;
    *e = element_of_float16(bits);
    return true;
  }
  if (call_double(value, &number) && number == 0) { /* "-0" too */
    *e = element_of_integer(false, 0);
    return true;
  }
  if (json_i64(value, &integer))
    *e = element_of_i64(integer);
  else if (json_u64(value, &magnitude))
    *e = element_of_integer(false, magnitude);
  else
    return false;
  return true;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef struct tolerance {
  bool is_ulp; /* else the absolute difference */
  double value;
  bool exact_zeros;
} tolerance;

/* A float32 as an integer that counts the floats in order; both zeros are 0. */
static int64_t ordered(uint32_t bits) {
  const int64_t magnitude = (int64_t)(bits & 0x7FFFFFFFu);
  return bits >> 31 ? -magnitude : magnitude;
}

/* In units in the last place. Of float16 the raw patterns are subtracted, as the suite does. */
static double ulp_distance(webnn_data_type type, element a, element b) {
  int64_t distance;
  if (!test_is_float(type)) {
    if (a.negative != b.negative)
      return (double)a.magnitude + (double)b.magnitude;
    return (double)(a.magnitude > b.magnitude ? a.magnitude - b.magnitude
                                              : b.magnitude - a.magnitude);
  }
  if (type == WEBNN_FLOAT32)
    distance = ordered(a.bits) - ordered(b.bits);
  else
    distance = (int64_t)a.bits - (int64_t)b.bits;
  return (double)(distance < 0 ? -distance : distance);
}

static bool element_equal(webnn_data_type type, element a, element b) {
  if (test_is_float(type))
    return a.number == b.number;
  return a.negative == b.negative && a.magnitude == b.magnitude;
}

static bool element_right(webnn_data_type type, element expected, element actual, tolerance t) {
  const bool is_nan = expected.number != expected.number;
  double distance;
  if (is_nan || actual.number != actual.number)
    return is_nan && actual.number != actual.number;
  if (t.exact_zeros && expected.number == 0 && expected.negative != actual.negative)
    return false;
  if (element_equal(type, expected, actual))
    return true;
  if (t.is_ulp)
    return ulp_distance(type, expected, actual) <= t.value;
  distance = expected.number - actual.number;
  return (distance < 0 ? -distance : distance) <= t.value; /* infinite if one of them is */
}

static bool read_tolerance(const json *test_case, const json *output, tolerance *t) {
  const json *source = json_get(output, "tolerance");
  const char *metric = json_string(json_get(source, "metric"));
  if (!metric || !json_double(json_get(source, "value"), &t->value))
    return false;
  t->is_ulp = strcmp(metric, "ULP") == 0;
  t->exact_zeros = json_is_true(json_get(test_case, "exact"));
  return t->is_ulp || strcmp(metric, "ATOL") == 0;
}

/* ---- One case -------------------------------------------------------------------------------- */

typedef struct operand_entry {
  const char *name;
  webnn_operand *operand;
} operand_entry;

/* A tensor of the case that is bound at dispatch. */
typedef struct bound_tensor {
  const json *description;
  const char *name;
  webnn_operand_descriptor descriptor;
  size_t count, byte_length;
  void *bytes;
  webnn_tensor *tensor;
} bound_tensor;

typedef struct player {
  webnn_context *context;
  const char *file;
  const json *test_case;
  webnn_builder *builder;
  webnn_graph *graph;
  operand_entry *operands;
  size_t operand_count;
  bound_tensor *inputs, *outputs;
  size_t input_count, output_count;
  operand_entry reshaped[2]; /* found in place of operands of the same name */
  bool has_older_rank;
  json_arena arena;
  char failure[400]; /* "" while all goes well */
} player;

/* The first failure is kept; always false. */
static bool fail(player *p, const char *format, ...) {
  va_list arguments;
  if (!p->failure[0]) {
    va_start(arguments, format);
    vsnprintf(p->failure, sizeof p->failure, format, arguments);
    va_end(arguments);
  }
  return false;
}

static webnn_operand *find_operand(void *user, const char *name) {
  const player *p = (const player *)user;
  size_t i;
  for (i = 0; i < 2; i++)
    if (p->reshaped[i].name && strcmp(p->reshaped[i].name, name) == 0)
      return p->reshaped[i].operand;
  for (i = 0; i < p->operand_count; i++)
    if (strcmp(p->operands[i].name, name) == 0)
      return p->operands[i].operand;
  return NULL;
}

static bool add_operand(player *p, const json *name, webnn_operand *operand) {
  if (!json_string(name) || find_operand(p, json_string(name)))
    return fail(p, "the case has a nameless operand or two of one name");
  p->operands[p->operand_count].name = json_string(name);
  p->operands[p->operand_count++].operand = operand;
  return true;
}

/* Reads descriptor and elements; the bytes of outputs are only made room for. */
static bool read_tensor(player *p, const json *description, bool with_elements, bound_tensor *t) {
  t->description = description;
  t->name = json_string(json_get(description, "name"));
  if (!t->name || !elements_descriptor(description, &t->descriptor))
    return fail(p, "the test cannot read the descriptor of %s", t->name ? t->name : "a tensor");
  t->count = test_element_count(t->descriptor.shape);
  t->byte_length = elements_byte_length(t->descriptor.data_type, t->count);
  t->bytes = test_allocate(t->byte_length);
  if (with_elements && !elements_read(description, t->descriptor.data_type, t->bytes, t->count))
    return fail(p, "the test cannot read the elements of %s", t->name);
  return true;
}

/* Memory at an odd address that lives as long as the case. */
static char *odd_memory(player *p, size_t byte_length) {
  return (char *)json_allocate(&p->arena, byte_length + 1) + 1;
}

static bool make_input(player *p, const json *description) {
  bound_tensor *t = &p->inputs[p->input_count];
  const bool is_constant = json_is_true(json_get(description, "constant"));
  webnn_operand *operand;
  p->input_count++;
  if (!read_tensor(p, description, true, t))
    return false;
  if (is_constant && unaligned)
    operand = webnn_constant_over_memory(
        p->builder, t->descriptor, memcpy(odd_memory(p, t->byte_length), t->bytes, t->byte_length),
        t->byte_length);
  else if (is_constant)
    operand = webnn_constant(p->builder, t->descriptor, t->bytes, t->byte_length);
  else
    operand = webnn_input(p->builder, t->name, t->descriptor);
  if (!operand)
    return fail(p, "%s: %s", t->name, webnn_builder_message(p->builder));
  if (is_constant)
    memset(t->bytes, 0xA5, t->byte_length);
  return add_operand(p, json_get(description, "name"), operand);
}

static bool take_outputs(player *p, const char *method, const call *c, const json *names) {
  const json *name = json_first(names);
  size_t i;
  if (c->count == 0)
    return fail(p, "refused: %s", c->refusal[0] ? c->refusal : webnn_builder_message(p->builder));
  if (c->count != c->room || c->count != json_count(names))
    return fail(p, "%s gives %d outputs, expected %d", method, (int)c->count,
                (int)json_count(names));
  for (i = 0; i < c->count; i++, name = name->next)
    if (!c->outputs[i] || c->outputs[i] == call_unset())
      return fail(p, "%s does not set output %d", method, (int)i);
    else if (!add_operand(p, name, c->outputs[i]))
      return false;
  return true;
}

static void start_call(player *p, call *c) {
  memset(c, 0, sizeof *c);
  c->builder = p->builder;
  c->lookup = find_operand;
  c->user = p;
}

static webnn_operand *operand_argument(player *p, const json *argument, const char **name) {
  *name = json_string(json_get(argument, "operand"));
  return *name ? find_operand(p, *name) : NULL;
}

/* As it stands the call must be refused. */
static bool expect_refusal(player *p, const char *method, const json *arguments) {
  call c;
  webnn_status status;
  start_call(p, &c);
  if (!call_by_name(&c, method, arguments))
    fail(p, "%s: %s", method, c.problem);
  call_free(&c);
  status = webnn_builder_status(p->builder);
  webnn_builder_clear_error(p->builder);
  if (status != WEBNN_TYPE_ERROR)
    return fail(p, "%s: scale and zeroPoint of another rank than the input's: expected %s, got %s",
                method, webnn_status_name(WEBNN_TYPE_ERROR),
                status == WEBNN_OK ? "a result" : webnn_status_name(status));
  return !p->failure[0];
}

/* From here on the operand of that name is found with ones in front of its dimensions. */
static bool raise_rank(player *p, operand_entry *entry, uint32_t rank) {
  const webnn_list shape = webnn_operand_shape(entry->operand);
  webnn_list raised = WEBNN_EMPTY_LIST;
  uint32_t i;
  if (rank > WEBNN_MAX_RANK || shape.count > rank)
    return fail(p, "%s has more dimensions than the input", entry->name);
  for (i = 0; i < rank; i++)
    raised.items[i] = i < rank - shape.count ? 1 : shape.items[i - (rank - shape.count)];
  raised.count = rank;
  entry->operand = webnn_reshape(p->builder, entry->operand, raised, NULL);
  if (!entry->operand)
    return fail(p, "reshape of %s: %s", entry->name, webnn_builder_message(p->builder));
  return true;
}

/* What rank_exceptions says, for an operator of a case. Whether it applies is seen in the vectors
   alone, never in what the library does. */
static bool adapt_ranks(player *p, const char *method, const json *arguments) {
  const json *input_argument = json_first(arguments);
  operand_entry scale, zero_point;
  const char *input_name;
  webnn_operand *input;
  uint32_t rank;
  if (strcmp(method, "quantizeLinear") != 0 && strcmp(method, "dequantizeLinear") != 0)
    return true;
  if (json_count(arguments) < 3)
    return fail(p, "%s without scale and zeroPoint", method);
  input = operand_argument(p, input_argument, &input_name);
  scale.operand = operand_argument(p, input_argument->next, &scale.name);
  zero_point.operand = operand_argument(p, input_argument->next->next, &zero_point.name);
  if (!input || !scale.operand || !zero_point.operand)
    return fail(p, "%s needs an operand that there is not", method);
  rank = webnn_operand_shape(input).count;
  if (webnn_operand_shape(scale.operand).count == rank &&
      webnn_operand_shape(zero_point.operand).count == rank)
    return true;
  p->has_older_rank = true;
  if (!expect_refusal(p, method, arguments) || !raise_rank(p, &scale, rank) ||
      !raise_rank(p, &zero_point, rank))
    return false;
  p->reshaped[0] = scale;
  p->reshaped[1] = zero_point;
  return true;
}

static bool make_operator(player *p, const json *description) {
  const char *method = json_string(json_get(description, "name"));
  const json *arguments = json_get(description, "arguments");
  call c;
  bool ok;
  if (!method || !arguments)
    return fail(p, "an operator without name or arguments");
  if (!adapt_ranks(p, method, arguments))
    return false;
  start_call(p, &c);
  if (!call_by_name(&c, method, arguments)) {
    ok = fail(p, "%s: %s", method, c.problem);
  } else {
    memset(p->reshaped, 0, sizeof p->reshaped);
    ok = take_outputs(p, method, &c, json_get(description, "outputs"));
  }
  call_free(&c);
  return ok;
}

/* The output's operand must have the type and the shape that are expected of the tensor. */
static bool check_output_operand(player *p, const bound_tensor *t, webnn_operand *operand) {
  const webnn_data_type type = webnn_operand_data_type(operand);
  if (!operand)
    return fail(p, "no operator gives the output %s", t->name);
  if (type != t->descriptor.data_type)
    return fail(p, "%s: expected %s, got %s", t->name,
                webnn_data_type_name(t->descriptor.data_type), webnn_data_type_name(type));
  if (!test_same_list(webnn_operand_shape(operand), t->descriptor.shape))
    return fail(p, "%s: expected shape %s, got %s", t->name, test_shape_text(t->descriptor.shape),
                test_shape_text(webnn_operand_shape(operand)));
  return true;
}

/* The first step of a graph that runs a reference kernel in a fast context, as text; or NULL. */
static const char *slow_step(webnn_graph *graph) {
  webnn_profiled_step steps[16];
  size_t count, i;
  (void)webnn_profile_graph(graph, true, NULL);
  count = webnn_graph_profile(graph, steps, 16);
  (void)webnn_profile_graph(graph, false, NULL);
  for (i = 0; i < count && i < 16; i++) {
    if (steps[i].reference_kernel)
      return steps[i].op_name;
  }
  return NULL;
}

static bool build_graph(player *p) {
  webnn_named_operand *named =
      (webnn_named_operand *)json_allocate(&p->arena, (p->output_count + 1) * sizeof *named);
  webnn_error error = WEBNN_ZERO;
  size_t i;
  for (i = 0; i < p->output_count; i++) {
    named[i].name = p->outputs[i].name;
    named[i].operand = find_operand(p, p->outputs[i].name);
    if (!check_output_operand(p, &p->outputs[i], named[i].operand))
      return false;
  }
  if (webnn_build(p->builder, named, p->output_count, &p->graph, &error) != WEBNN_OK)
    return fail(p, "build: %s: %s", webnn_status_name(error.status), error.message);
  if (slow_step(p->graph) != NULL)
    return fail(p, "%s runs a reference kernel", slow_step(p->graph));
  return true;
}

static bool construct(player *p) {
  const json *item;
  for (item = json_first(json_get(p->test_case, "inputs")); item; item = item->next)
    if (!make_input(p, item))
      return false;
  for (item = json_first(json_get(p->test_case, "operators")); item; item = item->next)
    if (!make_operator(p, item))
      return false;
  for (item = json_first(json_get(p->test_case, "outputs")); item; item = item->next)
    if (!read_tensor(p, item, false, &p->outputs[p->output_count++]))
      return false;
  return build_graph(p);
}

static webnn_status create_tensor(player *p, const bound_tensor *t,
                                  webnn_tensor_descriptor descriptor, webnn_tensor **tensor,
                                  webnn_error *error) {
  if (unaligned)
    return webnn_create_tensor_over_memory(p->context, descriptor, odd_memory(p, t->byte_length),
                                           t->byte_length, tensor, error);
  return webnn_create_tensor(p->context, descriptor, tensor, error);
}

/* Outputs are first filled with bytes that no result has, so that nothing is right by accident. */
static bool make_tensor(player *p, bound_tensor *t, bool is_output) {
  webnn_tensor_descriptor descriptor;
  webnn_error error = WEBNN_ZERO;
  descriptor.data_type = t->descriptor.data_type;
  descriptor.shape = t->descriptor.shape;
  descriptor.readable = is_output;
  descriptor.writable = true;
  if (is_output)
    memset(t->bytes, 0xA5, t->byte_length);
  if (create_tensor(p, t, descriptor, &t->tensor, &error) != WEBNN_OK ||
      webnn_write_tensor(p->context, t->tensor, t->bytes, t->byte_length, &error) != WEBNN_OK)
    return fail(p, "tensor %s: %s", t->name, error.message);
  memset(t->bytes, 0xA5, t->byte_length);
  return true;
}

static bound_tensor *find_input(player *p, const char *name) {
  size_t i;
  for (i = 0; i < p->input_count; i++)
    if (strcmp(p->inputs[i].name, name) == 0)
      return &p->inputs[i];
  return NULL;
}

typedef struct bindings {
  webnn_named_tensor *items;
  size_t count;
} bindings;

static bindings allocate_bindings(player *p, size_t count) {
  bindings list;
  list.items = (webnn_named_tensor *)json_allocate(&p->arena, (count + 1) * sizeof *list.items);
  list.count = count;
  return list;
}

/* The graph's inputs are those that its outputs need, which may be fewer than the case's. */
static bool bind_inputs(player *p, bindings *list) {
  const size_t count = webnn_graph_inputs(p->graph, NULL, 0);
  webnn_graph_port *ports =
      (webnn_graph_port *)json_allocate(&p->arena, (count + 1) * sizeof *ports);
  size_t i;
  *list = allocate_bindings(p, count);
  webnn_graph_inputs(p->graph, ports, count);
  for (i = 0; i < count; i++) {
    bound_tensor *t = find_input(p, ports[i].name);
    if (!t || json_is_true(json_get(t->description, "constant")))
      return fail(p, "the graph has an input %s", ports[i].name);
    if (!make_tensor(p, t, false))
      return false;
    list->items[i].name = t->name;
    list->items[i].tensor = t->tensor;
  }
  return true;
}

static bool bind_outputs(player *p, bindings *list) {
  size_t i;
  *list = allocate_bindings(p, p->output_count);
  for (i = 0; i < p->output_count; i++) {
    if (!make_tensor(p, &p->outputs[i], true))
      return false;
    list->items[i].name = p->outputs[i].name;
    list->items[i].tensor = p->outputs[i].tensor;
  }
  return true;
}

static bool compute(player *p) {
  bindings inputs, outputs;
  webnn_error error = WEBNN_ZERO;
  size_t i;
  if (!bind_inputs(p, &inputs) || !bind_outputs(p, &outputs))
    return false;
  if (webnn_dispatch(p->context, p->graph, inputs.items, inputs.count, outputs.items, outputs.count,
                     &error) != WEBNN_OK)
    return fail(p, "dispatch: %s: %s", webnn_status_name(error.status), error.message);
  for (i = 0; i < p->output_count; i++) {
    bound_tensor *t = &p->outputs[i];
    if (webnn_read_tensor(p->context, t->tensor, t->bytes, t->byte_length, &error) != WEBNN_OK)
      return fail(p, "read %s: %s: %s", t->name, webnn_status_name(error.status), error.message);
  }
  return true;
}

/* The element that replaces a wrong vector's, if this is one. */
static void correct(const player *p, const bound_tensor *t, size_t index, element *expected) {
  const char *name = json_string(json_get(p->test_case, "name"));
  size_t i;
  for (i = 0; i < sizeof faults / sizeof *faults; i++) {
    const fault *f = &faults[i];
    json_document number;
    if (f->index != index || strcmp(f->file, p->file) != 0 || strcmp(f->name, name) != 0 ||
        strcmp(f->output, t->name) != 0)
      continue;
    if (!json_parse(&number, f->expected, strlen(f->expected)) ||
        !element_expected(t->descriptor.data_type, number.root, false, expected)) {
      printf("the table of faults: %s is not an element\n", f->expected);
      exit(1);
    }
    json_free(&number);
  }
}

static bool fail_elements(player *p, const bound_tensor *t, size_t index, element expected,
                          element actual, const tolerance *limit, size_t wrong) {
  return fail(p, "%s[%lu]: expected %.9g, got %.9g: %s distance %.9g, allowed %g; %lu of %lu wrong",
              t->name, (unsigned long)index, expected.number, actual.number,
              limit->is_ulp ? "ULP" : "absolute",
              limit->is_ulp ? ulp_distance(t->descriptor.data_type, expected, actual)
                            : expected.number - actual.number,
              limit->value, (unsigned long)wrong, (unsigned long)t->count);
}

/* The tolerance of a case with a single operator is the one that webnn_graph_tolerance gives. Where
   rank_exceptions apply, one or two reshapes stand in front of it. Newer cases of cast ask for more
   than the suite's own tolerance of cast. */
static bool tolerance_agrees(player *p, const tolerance *limit) {
  const json *operators = json_get(p->test_case, "operators");
  const bool is_cast = strcmp(json_string(json_get(json_first(operators), "name")), "cast") == 0;
  webnn_tolerance own = webnn_graph_tolerance(p->graph, 0);
  if (json_count(operators) != 1)
    return true;
  if (p->has_older_rank) {
    own = webnn_graph_tolerance(p->graph, 2);
    if (own.value == 0)
      own = webnn_graph_tolerance(p->graph, 1);
  }
  return (own.metric == WEBNN_METRIC_ULP) == limit->is_ulp &&
         (own.value == limit->value || (is_cast && own.value > limit->value));
}

static bool compare_output(player *p, const bound_tensor *t) {
  const elements_source source = elements_find(t->description);
  const json *item = source.is_fill ? source.value : json_first(source.value);
  const size_t count = source.is_fill && t->count > 1000 ? 1000 : t->count;
  element first_expected = element_of_i64(0), first_actual = first_expected;
  size_t i, first = 0, wrong = 0;
  tolerance limit;
  if (!source.value || (!source.is_fill && json_count(source.value) != t->count) ||
      !read_tolerance(p->test_case, t->description, &limit))
    return fail(p, "the test cannot read what is expected of %s", t->name);
  if (!tolerance_agrees(p, &limit)) {
    const webnn_tolerance own = webnn_graph_tolerance(p->graph, 0);
    return fail(p, "webnn_graph_tolerance gives %s %g, the suite %s %g",
                own.metric == WEBNN_METRIC_ULP ? "ULP" : "ATOL", own.value,
                limit.is_ulp ? "ULP" : "ATOL", limit.value);
  }
  for (i = 0; i < count; i++) {
    element actual = element_at(t->descriptor.data_type, t->bytes, i), expected;
    if (!element_expected(t->descriptor.data_type, item, source.is_bits, &expected))
      return fail(p, "the test cannot read %s[%lu]", t->name, (unsigned long)i);
    correct(p, t, i, &expected);
    if (!element_right(t->descriptor.data_type, expected, actual, limit) && wrong++ == 0) {
      first = i;
      first_expected = expected;
      first_actual = actual;
    }
    if (!source.is_fill)
      item = item->next;
  }
  return wrong == 0 || fail_elements(p, t, first, first_expected, first_actual, &limit, wrong);
}

static void release_tensors(bound_tensor *tensors, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    webnn_free_tensor(tensors[i].tensor);
    free(tensors[i].bytes);
  }
  free(tensors);
}

/* Four bits a step. */
static uint32_t crc32_of(const unsigned char *bytes, size_t length) {
  static const uint32_t steps[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                     0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                     0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                     0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
  uint32_t crc = UINT32_MAX;
  size_t i;
  for (i = 0; i < length; i++) {
    crc ^= bytes[i];
    crc = crc >> 4 ^ steps[crc & 15];
    crc = crc >> 4 ^ steps[crc & 15];
  }
  return ~crc;
}

/* A line: file, case, output and the CRC-32 of its bytes, or "adapted" for a case that was changed. */
static void print_bits(const player *p, const bound_tensor *t) {
  const char *name = json_string(json_get(p->test_case, "name"));
  printf("bits\t%s\t%s\t%s\t", p->file, name ? name : "", t->name);
  if (p->has_older_rank)
    printf("adapted\n");
  else
    printf("%08lx\n", (unsigned long)crc32_of((const unsigned char *)t->bytes, t->byte_length));
}

static void play_parts(player *p) {
  size_t i;
  if (!construct(p))
    return;
  if (p->output_count == 0) {
    fail(p, "the case has no outputs");
    return;
  }
  if (!compute(p))
    return;
  for (i = 0; i < p->output_count; i++) {
    compare_output(p, &p->outputs[i]);
    if (with_bits)
      print_bits(p, &p->outputs[i]);
  }
}

static size_t count_operands(const json *test_case) {
  size_t count = json_count(json_get(test_case, "inputs"));
  const json *operator_ = json_first(json_get(test_case, "operators"));
  for (; operator_; operator_ = operator_->next)
    count += json_count(json_get(operator_, "outputs"));
  return count;
}

typedef struct tally {
  int cases, passed, older_ranks;
} tally;

/* Is the case larger than what the context takes, or than the memory of a device that is only described? */
static bool is_too_large(webnn_context *context, const player *p) {
  webnn_limits limits;
  return (webnn_context_limits(context, &limits) && limits.max_tensor_byte_length < INT32_MAX &&
          strstr(p->failure, "maxTensorByteLength") != NULL) ||
         (getenv("WEBNN_PROFILE") != NULL && strstr(p->failure, "no memory for ") != NULL);
}

static void play_case(webnn_context *context, const char *file, const json *test_case, tally *t) {
  const char *name = json_string(json_get(test_case, "name"));
  player p;
  memset(&p, 0, sizeof p);
  p.context = context;
  p.file = file;
  p.test_case = test_case;
  p.builder = test_builder(context);
  p.operands =
      (operand_entry *)test_allocate((count_operands(test_case) + 16) * sizeof *p.operands);
  p.inputs =
      (bound_tensor *)test_allocate(json_count(json_get(test_case, "inputs")) * sizeof *p.inputs);
  p.outputs =
      (bound_tensor *)test_allocate(json_count(json_get(test_case, "outputs")) * sizeof *p.outputs);
  play_parts(&p);
  t->cases++;
  t->older_ranks += p.has_older_rank ? 1 : 0;
  if (is_too_large(context, &p))
    test_skip(file, p.failure);
  else if (test_check(!p.failure[0], file, "%s: %s", name ? name : "(no name)", p.failure))
    t->passed++;
  webnn_free_builder(p.builder);
  webnn_free_graph(p.graph);
  release_tensors(p.inputs, p.input_count);
  release_tensors(p.outputs, p.output_count);
  free(p.operands);
  json_release(&p.arena, false);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Exactly the cases that rank_exceptions counts may have needed it. */
static void check_rank_exceptions(const char *name, const tally *t) {
  int expected = 0;
  size_t i;
  for (i = 0; i < sizeof rank_exceptions / sizeof *rank_exceptions; i++)
    if (strcmp(rank_exceptions[i].file, name) == 0)
      expected = rank_exceptions[i].cases;
  if (t->older_ranks != expected)
    CHECK(name, false, "%d cases have scales of another rank, expected %d", t->older_ranks,
          expected);
}

static tally play_file(webnn_context *context, const char *name) {
  static const char format[] = "wpt-webnn-conformance/1";
  char path[1024];
  const json *test_case;
  json_document document;
  tally t = {0, 0, 0};
  vectors_path(path, sizeof path, "conformance", name);
  if (!json_read_file(&document, path)) {
    CHECK(name, false, "%s", document.error);
  } else {
    const char *found = json_string(json_get(document.root, "format"));
    if (!found || strcmp(found, format) != 0)
      CHECK(name, false, "the format is not %s", format);
    for (test_case = json_first(json_get(document.root, "cases")); test_case;
         test_case = test_case->next)
      play_case(context, name, test_case, &t);
    if (t.cases == 0)
      CHECK(name, false, "the file has no cases");
    check_rank_exceptions(name, &t);
  }
  json_free(&document);
  return t;
}

/* The caller's table must know every operator of the library. */
static void check_methods(void) {
  int op;
  for (op = 0; op < WEBNN_OP_COUNT; op++)
    if (!call_find_method(webnn_op_name((webnn_op)op)))
      CHECK(webnn_op_name((webnn_op)op), false, "the test cannot call it");
}

int main(int argument_count, char **arguments) {
  const size_t all_count = sizeof all_files / sizeof *all_files;
  webnn_context_options options = {0};
  webnn_context *context;
  tally total = {0, 0, 0};
  size_t i, count;
  int first = 1;
  if (first < argument_count && strcmp(arguments[first], "reference") == 0) {
    options.numerics = WEBNN_NUMERICS_REFERENCE;
    first++;
  } else if (first < argument_count && strcmp(arguments[first], "unaligned") == 0) {
    unaligned = true;
    first++;
  } else if (first < argument_count && strcmp(arguments[first], "fast") == 0) {
    first++;
  }
  if (first < argument_count && strcmp(arguments[first], "bits") == 0) {
    with_bits = true;
    first++;
  }
  if (!vectors_present("conformance", all_files[0])) {
    test_skip("conformance", "no vectors in ../../shared/wpt or $WEBNN_WPT");
    return test_end();
  }
  check_methods();
  context = test_context(&options);
  count = first < argument_count ? (size_t)(argument_count - first) : all_count;
  printf("%-40s %5s %6s\n", "file", "cases", "passed");
  for (i = 0; i < count; i++) {
    char name[256];
    tally t;
    vectors_name(name, sizeof name,
                 first < argument_count ? arguments[(size_t)first + i] : all_files[i]);
    t = play_file(context, name);
    printf("%-40s %5d %6d\n", name, t.cases, t.passed);
    total.cases += t.cases;
    total.passed += t.passed;
  }
  printf("%-40s %5d %6d\n", "all", total.cases, total.passed);
  webnn_free_context(context);
  return test_end();
}
