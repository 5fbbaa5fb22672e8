/* Every numbered validation step of every method: a call that the step refuses, and the nearest
   call that passes. A refused call must give NULL (0 for several outputs), record its status and a
   message that names the method, the label, the operand or option and what was found, and leave the
   builder usable. "conv2d/7" is step 7 of conv2d; step 0 is an argument check that C needs and the
   specification's types have already made.

     1  coverage        which steps have been seen refused and accepted
     2  one call        refuse, accept, fails
     3  the methods     a table of operands, and one valid call of each operator
     4  for all         [B], [V], [T] and [R] of every operator from the table
     5  by hand         the other steps of each operator
     6  options         numbers, enumerations, labels
     7  builder         constructor, input, constant, build
     8  context         tensors, dispatch, destroy, lost contexts
     9  the list check  no step and no operator is missing */
#include "test.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- 1 coverage ------------------------------------------------------------------------------ */

enum { REFUSED = 1, ACCEPTED = 2 };

typedef struct step_seen {
  const char *method;
  int step, how;
} step_seen;
static step_seen steps_seen[1024];
static size_t steps_seen_count;

static int how_seen(const char *method, int step) {
  size_t i;
  for (i = 0; i < steps_seen_count; i++)
    if (steps_seen[i].step == step && strcmp(steps_seen[i].method, method) == 0)
      return steps_seen[i].how;
  return 0;
}

static void cover(const char *method, int step, int how) {
  size_t i;
  for (i = 0; i < steps_seen_count; i++)
    if (steps_seen[i].step == step && strcmp(steps_seen[i].method, method) == 0) {
      steps_seen[i].how |= how;
      return;
    }
  if (steps_seen_count < COUNT(steps_seen)) {
    steps_seen[i].method = method;
    steps_seen[i].step = step;
    steps_seen[steps_seen_count++].how = how;
  }
}

/* A reading of a defect of the text (D1 ...) that the checks just made have exercised. */
static void reading(int number) {
  cover("D", number, REFUSED | ACCEPTED);
}

/* ---- 2 one call ------------------------------------------------------------------------------ */

#define LABEL "the label"

static webnn_context *context;
static webnn_builder *builder; /* of nearly all calls */
static webnn_builder *foreign; /* of operands that do not belong */
static webnn_operand *probe;   /* float32 [2, 3] of `builder` */

/* Whether text has the word, not as part of a longer word or number. */
static bool has_word(const char *text, const char *word) {
  size_t length = strlen(word);
  const char *at;
  for (at = strstr(text, word); at; at = strstr(at + 1, word)) {
    char before = at == text ? ' ' : at[-1], after = at[length];
    bool left = (before >= '0' && before <= '9') || (before >= 'a' && before <= 'z') ||
                (before >= 'A' && before <= 'Z') || before == '_';
    bool right = (after >= '0' && after <= '9') || (after >= 'a' && after <= 'z') ||
                 (after >= 'A' && after <= 'Z') || after == '_';
    if (!left && !right)
      return true;
  }
  return false;
}

/* "conv2d" of "conv2d", "constant" of "constant(tensor)". */
static void method_name(const char *method, char *name, size_t size) {
  size_t length = strcspn(method, "(");
  snprintf(name, size, "%.*s", (int)length, method);
}

static void check_message(const char *name, const char *method, const char *label,
                          const char *message, const char *const *words) {
  char start[128], bare[64];
  size_t i;
  method_name(method, bare, sizeof bare);
  if (label)
    snprintf(start, sizeof start, "%s \"%s\": ", bare, label);
  else
    snprintf(start, sizeof start, "%s", bare);
  CHECK(name, strncmp(message, start, strlen(start)) == 0, "expected '%s...', got '%s'", start,
        message);
  for (i = 0; words[i]; i++)
    CHECK(name, has_word(message, words[i]), "expected '%s' in '%s'", words[i], message);
}

/* The builder's last call gave `result` and should have been refused with `status`. */
static void refuse_status(webnn_builder *by, webnn_status status, const char *method,
                          const char *label, int step, const webnn_operand *result,
                          const char *const *words) {
  char name[64];
  webnn_status got = webnn_builder_status(by);
  snprintf(name, sizeof name, "%s/%d", method, step);
  cover(method, step, REFUSED);
  if (CHECK(name, result == NULL && got == status,
            "expected NULL and %s, got %s and %s (words: %s)", webnn_status_name(status),
            result ? "a result" : "NULL", got == WEBNN_OK ? "no error" : webnn_status_name(got),
            words[0]))
    check_message(name, method, label, webnn_builder_message(by), words);
  webnn_builder_clear_error(by);
  CHECK(name, webnn_builder_status(by) == WEBNN_OK && webnn_builder_message(by)[0] == 0,
        "the error stayed after webnn_builder_clear_error");
  if (status == WEBNN_TYPE_ERROR && by == builder)
    CHECK(name, webnn_identity(by, probe, NULL) != NULL, "the builder was not usable afterwards");
}

static void refuse(const char *method, int step, const webnn_operand *result,
                   const char *const *words) {
  refuse_status(builder, WEBNN_TYPE_ERROR, method, LABEL, step, result, words);
}

static void accept_by(webnn_builder *by, const char *method, int step,
                      const webnn_operand *result) {
  char name[64];
  snprintf(name, sizeof name, "%s/%d", method, step);
  cover(method, step, ACCEPTED);
  CHECK(name, result != NULL && webnn_builder_status(by) == WEBNN_OK, "expected a result, got '%s'",
        webnn_builder_message(by));
  webnn_builder_clear_error(by);
}

static void accept(const char *method, int step, const webnn_operand *result) {
  accept_by(builder, method, step, result);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
/* REFUSE("conv2d", 7, call, "padding"): the call is refused, its message has these words. */
#define REFUSE(method, step, call, ...) refuse(method, step, call, WORDS(__VA_ARGS__))
#define ACCEPT(method, step, call) accept(method, step, call)

/* Methods with several outputs: `outputs` starts with something that is not NULL. */
static webnn_operand *outputs[9000];

static void spoil_outputs(void) {
  size_t i;
  for (i = 0; i < COUNT(outputs); i++)
    outputs[i] = probe;
}

/* The first output of a call that gave `count` of them; on error all `expected` must be NULL, and
   outputs that are NULL must not be counted. */
static webnn_operand *first_output(size_t count, size_t expected) {
  size_t i;
  if (count)
    return outputs[0] ? outputs[0] : probe;
  for (i = 0; i < expected && i < COUNT(outputs); i++)
    if (outputs[i])
      return outputs[i];
  return NULL;
}
#define FIRST(expected, call) (spoil_outputs(), first_output(call, expected))

/* A function that returns a status failed (expected == WEBNN_OK: did not fail). */
static void status_is(const char *method, int step, webnn_status got, const webnn_error *error,
                      webnn_status expected, const char *const *words) {
  char name[64];
  snprintf(name, sizeof name, "%s/%d", method, step);
  cover(method, step, expected == WEBNN_OK ? ACCEPTED : REFUSED);
  CHECK(name, got == expected && error->status == (got == WEBNN_OK ? WEBNN_UNKNOWN_ERROR : got),
        "expected %d, got %d (%s), error.status %d", (int)expected, (int)got, error->message,
        (int)error->status);
  if (got == expected && got != WEBNN_OK)
    check_message(name, method, NULL, error->message, words);
  if (got == WEBNN_OK)
    CHECK(name, strcmp(error->message, "old") == 0, "success has written a message: '%s'",
          error->message);
}

/* Before a call that fails the error is empty, before one that passes it has a message that must
   stay. */
static webnn_error the_error = WEBNN_ZERO;
static const webnn_error no_error = WEBNN_ZERO, old_error = {WEBNN_UNKNOWN_ERROR, "old"};
#define FAILS(method, step, status, call, ...)                                                     \
  status_is(method, step, (the_error = no_error, call), &the_error, status, WORDS(__VA_ARGS__))
#define PASSES(method, step, call)                                                                 \
  status_is(method, step, (the_error = old_error, call), &the_error, WEBNN_OK, WORDS(""))

/* A graph input of some builder under a name of its own. */
static webnn_operand *make(webnn_builder *by, webnn_data_type type, webnn_list shape) {
  static unsigned counter;
  char name[32];
  webnn_operand_descriptor descriptor;
  webnn_operand *operand;
  snprintf(name, sizeof name, "input %u", counter++);
  descriptor.data_type = type;
  descriptor.shape = shape;
  operand = webnn_input(by, name, descriptor);
  if (!operand) {
    CHECK("input", false, "%s %s: %s", webnn_data_type_name(type), test_shape_text(shape),
          webnn_builder_message(by));
    webnn_builder_clear_error(by);
  }
  return operand;
}
#define F32(...) make(builder, WEBNN_FLOAT32, WEBNN_LIST(__VA_ARGS__))
#define F16(...) make(builder, WEBNN_FLOAT16, WEBNN_LIST(__VA_ARGS__))
#define I32(...) make(builder, WEBNN_INT32, WEBNN_LIST(__VA_ARGS__))
#define U8(...) make(builder, WEBNN_UINT8, WEBNN_LIST(__VA_ARGS__))
#define I8(...) make(builder, WEBNN_INT8, WEBNN_LIST(__VA_ARGS__))
/* A list of any length, so of one that is too long, too. */
#define LONG_LIST(...)                                                                             \
  webnn_list_of((const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})))
#define ABSENT ((webnn_list)WEBNN_ZERO)
#define SCALAR_OF(type) make(builder, type, WEBNN_EMPTY_LIST)
/* &OPTIONS(conv2d, .groups = n): options with the label. */
#define OPTIONS(name, ...) ((webnn_##name##_options){.label = LABEL, __VA_ARGS__})
#define PLAIN (&(webnn_operator_options){.label = LABEL})
#define PAD_OPTIONS (&(webnn_pad_options){.label = LABEL})
#define SLICE_OPTIONS (&(webnn_slice_options){.label = LABEL})

/* ---- 3 the methods --------------------------------------------------------------------------- */

#define BIT(type) (1u << WEBNN_##type)
enum {
  FLOATS = BIT(FLOAT32) | BIT(FLOAT16),
  SIGNED = FLOATS | BIT(INT64) | BIT(INT32) | BIT(INT8),
  SUMS = FLOATS | BIT(INT32) | BIT(UINT32) | BIT(INT64) | BIT(UINT64),
  BYTES = BIT(INT8) | BIT(UINT8),
  ANY = SUMS | BYTES,
  FOUR_BITS = BIT(INT4) | BIT(UINT4),
  INDICES = BIT(INT32) | BIT(UINT32) | BIT(INT64),
  QUANTIZED = BYTES | BIT(INT32) | BIT(UINT32) | FOUR_BITS
};
#define NONE (-1)

/* An operand of the valid call below: which types it may have (0: whatever `same` has), the operand
   whose type it must share, the step that says so, the ranks at which that call stays valid and the
   step that refuses others. Step 0: the text has no such step. */
typedef struct operand_row {
  const char *name;
  unsigned types;
  int same, type_step;
  uint32_t low, high;
  int rank_step;
  bool optional;
  size_t rank;
  uint32_t shape[4];
} operand_row;

typedef struct method_row {
  webnn_op op;
  const char *name;
  int steps; /* numbered validation steps of the text */
  operand_row operands[9];
} method_row;

#define SHAPE(...)                                                                                 \
  sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), {                                          \
    __VA_ARGS__                                                                                    \
  }
#define IN(name, types, same, type_step, low, high, rank_step, ...)                                \
  { name, types, same, type_step, low, high, rank_step, false, SHAPE(__VA_ARGS__) }
#define OPT(name, same, type_step, low, high, rank_step, ...)                                      \
  { name, 0, same, type_step, low, high, rank_step, true, SHAPE(__VA_ARGS__) }
#define ONE_INPUT(op, name, steps, types, type_step, low, rank_step, ...)                          \
  {                                                                                                \
    WEBNN_OP_##op, name, steps, {                                                                  \
      IN("input", types, NONE, type_step, low, 8, rank_step, __VA_ARGS__)                          \
    }                                                                                              \
  }
#define UNARY(op, name, types) ONE_INPUT(op, name, 3, types, 3, 0, 0, 2, 3)
#define UNARY_WITH_NUMBERS(op, name) ONE_INPUT(op, name, 4, FLOATS, 3, 0, 0, 2, 3)
#define REDUCTION(op, name, types) ONE_INPUT(op, name, 4, types, 3, 0, 0, 2, 3)
#define BINARY(op, name)                                                                           \
  {                                                                                                \
    WEBNN_OP_##op, name, 4, {                                                                      \
      IN("a", ANY, NONE, 0, 0, 8, 0, 2, 3), IN("b", 0, 0, 3, 0, 8, 0, 2, 3)                        \
    }                                                                                              \
  }
#define COMPARISON(op, name, types, type_step)                                                     \
  {                                                                                                \
    WEBNN_OP_##op, name, 5, {                                                                      \
      IN("a", types, NONE, type_step, 0, 8, 0, 2, 3), IN("b", 0, 0, 5, 0, 8, 0, 2, 3)              \
    }                                                                                              \
  }
#define PREDICATE(op, name, types, type_step)                                                      \
  {                                                                                                \
    WEBNN_OP_##op, name, 5, {                                                                      \
      IN("a", types, NONE, type_step, 0, 8, 0, 2, 3)                                               \
    }                                                                                              \
  }
#define POOL(op, name, types)                                                                      \
  {                                                                                                \
    WEBNN_OP_##op, name, 15, {                                                                     \
      IN("input", types, NONE, 3, 4, 4, 4, 1, 2, 5, 5)                                             \
    }                                                                                              \
  }

static const method_row methods[] = {
    ONE_INPUT(ARG_MIN, "argMin", 6, ANY, 0, 1, 3, 2, 3),
    ONE_INPUT(ARG_MAX, "argMax", 6, ANY, 0, 1, 3, 2, 3),
    {WEBNN_OP_BATCH_NORMALIZATION,
     "batchNormalization",
     11,
     {IN("input", FLOATS, NONE, 3, 2, 8, 4, 2, 3, 4), IN("mean", 0, 0, 5, 1, 1, 6, 3),
      IN("variance", 0, 0, 7, 1, 1, 8, 3), OPT("scale", 0, 10, 1, 1, 10, 3),
      OPT("bias", 0, 11, 1, 1, 11, 3)}},
    ONE_INPUT(CAST, "cast", 3, ANY, 0, 0, 0, 2, 3),
    ONE_INPUT(CLAMP, "clamp", 5, ANY, 0, 0, 0, 2, 3),
    {WEBNN_OP_CONCAT,
     "concat",
     5,
     {IN("inputs", ANY, NONE, 0, 1, 8, 4, 2, 3), IN("inputs", 0, 0, 5, 2, 2, 5, 2, 3)}},
    {WEBNN_OP_CONV2D,
     "conv2d",
     18,
     {IN("input", FLOATS, NONE, 3, 4, 4, 4, 1, 4, 5, 5), IN("filter", 0, 0, 6, 4, 4, 5, 6, 4, 3, 3),
      OPT("bias", 0, 17, 1, 1, 17, 6)}},
    {WEBNN_OP_CONV_TRANSPOSE2D,
     "convTranspose2d",
     21,
     {IN("input", FLOATS, NONE, 4, 4, 4, 3, 1, 4, 5, 5), IN("filter", 0, 0, 6, 4, 4, 5, 4, 6, 3, 3),
      OPT("bias", 0, 18, 1, 1, 18, 6)}},
    ONE_INPUT(CUMULATIVE_SUM, "cumulativeSum", 4, SUMS, 3, 1, 4, 2, 3),
    BINARY(ADD, "add"),
    BINARY(SUB, "sub"),
    BINARY(MUL, "mul"),
    BINARY(DIV, "div"),
    BINARY(MAX, "max"),
    BINARY(MIN, "min"),
    BINARY(POW, "pow"),
    COMPARISON(EQUAL, "equal", ANY, 0),
    COMPARISON(NOT_EQUAL, "notEqual", ANY, 0),
    COMPARISON(GREATER, "greater", ANY, 0),
    COMPARISON(GREATER_OR_EQUAL, "greaterOrEqual", ANY, 0),
    COMPARISON(LESSER, "lesser", ANY, 0),
    COMPARISON(LESSER_OR_EQUAL, "lesserOrEqual", ANY, 0),
    PREDICATE(LOGICAL_NOT, "logicalNot", BIT(UINT8), 3),
    COMPARISON(LOGICAL_AND, "logicalAnd", BIT(UINT8), 3),
    COMPARISON(LOGICAL_OR, "logicalOr", BIT(UINT8), 3),
    COMPARISON(LOGICAL_XOR, "logicalXor", BIT(UINT8), 3),
    PREDICATE(IS_NAN, "isNaN", FLOATS, 4),
    PREDICATE(IS_INFINITE, "isInfinite", FLOATS, 4),
    UNARY(ABS, "abs", SIGNED),
    UNARY(CEIL, "ceil", FLOATS),
    UNARY(COS, "cos", FLOATS),
    UNARY(ERF, "erf", FLOATS),
    UNARY(EXP, "exp", FLOATS),
    UNARY(FLOOR, "floor", FLOATS),
    UNARY(IDENTITY, "identity", ANY),
    UNARY(LOG, "log", FLOATS),
    UNARY(NEG, "neg", SIGNED),
    UNARY(RECIPROCAL, "reciprocal", FLOATS),
    UNARY(ROUND_EVEN, "roundEven", FLOATS),
    UNARY(SIGN, "sign", SIGNED),
    UNARY(SIN, "sin", FLOATS),
    UNARY(SQRT, "sqrt", FLOATS),
    UNARY(TAN, "tan", FLOATS),
    {WEBNN_OP_DEQUANTIZE_LINEAR,
     "dequantizeLinear",
     10,
     {IN("input", QUANTIZED, NONE, 3, 2, 2, 7, 4, 6), IN("scale", FLOATS, NONE, 4, 2, 2, 7, 2, 3),
      IN("zeroPoint", QUANTIZED, 0, 5, 2, 2, 7, 2, 3)}},
    {WEBNN_OP_QUANTIZE_LINEAR,
     "quantizeLinear",
     10,
     {IN("input", FLOATS, NONE, 3, 2, 2, 7, 4, 6), IN("scale", FLOATS, 0, 4, 2, 2, 7, 2, 3),
      IN("zeroPoint", QUANTIZED, NONE, 6, 2, 2, 7, 2, 3)}},
    UNARY_WITH_NUMBERS(ELU, "elu"),
    ONE_INPUT(EXPAND, "expand", 4, ANY, 0, 0, 0, 1, 3),
    {WEBNN_OP_GATHER,
     "gather",
     4,
     {IN("input", ANY, NONE, 0, 1, 8, 4, 4, 3), IN("indices", INDICES, NONE, 3, 0, 8, 0, 2)}},
    {WEBNN_OP_GATHER_ELEMENTS,
     "gatherElements",
     6,
     {IN("input", ANY, NONE, 0, 2, 2, 4, 4, 3), IN("indices", INDICES, NONE, 3, 2, 2, 4, 2, 3)}},
    {WEBNN_OP_GATHER_ND,
     "gatherND",
     5,
     {IN("input", ANY, NONE, 0, 1, 8, 4, 2, 2), IN("indices", INDICES, NONE, 3, 1, 8, 4, 3, 2)}},
    UNARY(GELU, "gelu", FLOATS),
    {WEBNN_OP_GEMM,
     "gemm",
     7,
     {IN("a", FLOATS, NONE, 3, 2, 2, 4, 2, 3), IN("b", 0, 0, 3, 2, 2, 4, 3, 4),
      OPT("c", 0, 7, 0, 2, 7, 2, 4)}},
    {WEBNN_OP_GRU,
     "gru",
     13,
     {IN("input", FLOATS, NONE, 3, 3, 3, 4, 3, 2, 4), IN("weight", 0, 0, 3, 3, 3, 4, 1, 15, 4),
      IN("recurrentWeight", 0, 0, 3, 3, 3, 4, 1, 15, 5), OPT("bias", 0, 10, 2, 2, 10, 1, 15),
      OPT("recurrentBias", 0, 11, 2, 2, 11, 1, 15),
      OPT("initialHiddenState", 0, 12, 3, 3, 12, 1, 2, 5)}},
    {WEBNN_OP_GRU_CELL,
     "gruCell",
     12,
     {IN("input", FLOATS, NONE, 3, 2, 2, 4, 2, 4), IN("weight", 0, 0, 3, 2, 2, 4, 15, 4),
      IN("recurrentWeight", 0, 0, 3, 2, 2, 4, 15, 5), IN("hiddenState", 0, 0, 3, 2, 2, 4, 2, 5),
      OPT("bias", 0, 10, 1, 1, 10, 15), OPT("recurrentBias", 0, 11, 1, 1, 11, 15)}},
    UNARY_WITH_NUMBERS(HARD_SIGMOID, "hardSigmoid"),
    UNARY(HARD_SWISH, "hardSwish", FLOATS),
    {WEBNN_OP_INSTANCE_NORMALIZATION,
     "instanceNormalization",
     8,
     {IN("input", FLOATS, NONE, 3, 4, 4, 4, 2, 3, 4, 5), OPT("scale", 0, 7, 1, 1, 7, 3),
      OPT("bias", 0, 8, 1, 1, 8, 3)}},
    {WEBNN_OP_LAYER_NORMALIZATION,
     "layerNormalization",
     8,
     {IN("input", FLOATS, NONE, 3, 0, 8, 0, 2, 3, 4), OPT("scale", 0, 6, 2, 2, 6, 3, 4),
      OPT("bias", 0, 7, 2, 2, 7, 3, 4)}},
    UNARY_WITH_NUMBERS(LEAKY_RELU, "leakyRelu"),
    UNARY_WITH_NUMBERS(LINEAR, "linear"),
    {WEBNN_OP_LSTM,
     "lstm",
     15,
     {IN("input", FLOATS, NONE, 3, 3, 3, 4, 3, 2, 4), IN("weight", 0, 0, 3, 3, 3, 4, 1, 20, 4),
      IN("recurrentWeight", 0, 0, 3, 3, 3, 4, 1, 20, 5), OPT("bias", 0, 10, 2, 2, 10, 1, 20),
      OPT("recurrentBias", 0, 11, 2, 2, 11, 1, 20), OPT("peepholeWeight", 0, 12, 2, 2, 12, 1, 15),
      OPT("initialHiddenState", 0, 13, 3, 3, 13, 1, 2, 5),
      OPT("initialCellState", 0, 14, 3, 3, 14, 1, 2, 5)}},
    {WEBNN_OP_LSTM_CELL,
     "lstmCell",
     13,
     {IN("input", FLOATS, NONE, 3, 2, 2, 4, 2, 4), IN("weight", 0, 0, 3, 2, 2, 4, 20, 4),
      IN("recurrentWeight", 0, 0, 3, 2, 2, 4, 20, 5), IN("hiddenState", 0, 0, 3, 2, 2, 4, 2, 5),
      IN("cellState", 0, 0, 3, 2, 2, 4, 2, 5), OPT("bias", 0, 10, 1, 1, 10, 20),
      OPT("recurrentBias", 0, 11, 1, 1, 11, 20), OPT("peepholeWeight", 0, 12, 1, 1, 12, 15)}},
    {WEBNN_OP_MATMUL,
     "matmul",
     6,
     {IN("a", FLOATS, NONE, 3, 2, 8, 4, 2, 3), IN("b", 0, 0, 3, 2, 8, 4, 3, 4)}},
    ONE_INPUT(PAD, "pad", 6, ANY, 0, 2, 3, 2, 3),
    POOL(AVERAGE_POOL2D, "averagePool2d", FLOATS),
    POOL(L2_POOL2D, "l2Pool2d", FLOATS),
    POOL(MAX_POOL2D, "maxPool2d", ANY),
    {WEBNN_OP_PRELU,
     "prelu",
     4,
     {IN("input", SIGNED, NONE, 3, 0, 8, 0, 2, 3), IN("slope", 0, 0, 3, 0, 8, 0, 2, 3)}},
    REDUCTION(REDUCE_L1, "reduceL1", SUMS),
    REDUCTION(REDUCE_L2, "reduceL2", FLOATS),
    REDUCTION(REDUCE_LOG_SUM, "reduceLogSum", FLOATS),
    REDUCTION(REDUCE_LOG_SUM_EXP, "reduceLogSumExp", FLOATS),
    REDUCTION(REDUCE_MAX, "reduceMax", ANY),
    REDUCTION(REDUCE_MEAN, "reduceMean", FLOATS),
    REDUCTION(REDUCE_MIN, "reduceMin", ANY),
    REDUCTION(REDUCE_PRODUCT, "reduceProduct", SUMS),
    REDUCTION(REDUCE_SUM, "reduceSum", SUMS),
    REDUCTION(REDUCE_SUM_SQUARE, "reduceSumSquare", SUMS),
    UNARY(RELU, "relu", SIGNED),
    {WEBNN_OP_RESAMPLE2D,
     "resample2d",
     8,
     {IN("input", FLOATS | BYTES, NONE, 3, 4, 4, 4, 1, 2, 4, 4)}},
    ONE_INPUT(RESHAPE, "reshape", 5, ANY | FOUR_BITS, 0, 0, 0, 2, 3),
    ONE_INPUT(REVERSE, "reverse", 4, ANY, 3, 0, 0, 2, 3),
    {WEBNN_OP_SCATTER_ELEMENTS,
     "scatterElements",
     8,
     {IN("input", ANY, NONE, 0, 2, 2, 5, 4, 3), IN("indices", INDICES, NONE, 3, 2, 2, 5, 2, 3),
      IN("updates", 0, 0, 4, 2, 2, 5, 2, 3)}},
    {WEBNN_OP_SCATTER_ND,
     "scatterND",
     7,
     {IN("input", ANY, NONE, 0, 1, 8, 5, 4, 3), IN("indices", INDICES, NONE, 3, 1, 8, 5, 2, 1),
      IN("updates", 0, 0, 4, 2, 2, 7, 2, 3)}},
    UNARY(SIGMOID, "sigmoid", FLOATS),
    ONE_INPUT(SLICE, "slice", 6, ANY, 0, 2, 4, 2, 3),
    ONE_INPUT(SOFTMAX, "softmax", 4, FLOATS, 3, 1, 4, 2, 3),
    UNARY(SOFTPLUS, "softplus", FLOATS),
    UNARY(SOFTSIGN, "softsign", FLOATS),
    ONE_INPUT(SPLIT, "split", 5, ANY, 0, 1, 3, 4, 3),
    UNARY(TANH, "tanh", FLOATS),
    ONE_INPUT(TILE, "tile", 5, ANY, 0, 2, 3, 2, 3),
    ONE_INPUT(TRANSPOSE, "transpose", 3, ANY, 0, 0, 0, 2, 3),
    ONE_INPUT(TRIANGULAR, "triangular", 3, ANY, 0, 2, 3, 2, 3),
    {WEBNN_OP_WHERE,
     "where",
     5,
     {IN("condition", BIT(UINT8), NONE, 3, 0, 8, 0, 2, 3),
      IN("trueValue", ANY, NONE, 3, 0, 8, 0, 2, 3), IN("falseValue", 0, 1, 3, 0, 8, 0, 2, 3)}},
};

/* What is not an operator, with its number of steps; D: the readings of defects of the text. */
static const struct {
  const char *name;
  int steps;
} other_methods[] = {
    {"MLGraphBuilder", 3},
    {"input", 4},
    {"constant(descriptor)", 3},
    {"constant(tensor)", 4},
    {"constant(number)", 2},
    {"build", 6},
    {"createTensor", 4},
    {"createConstantTensor", 6},
    {"readTensor", 5},
    {"writeTensor", 5},
    {"dispatch", 6},
    {"D", 41},
};

static size_t operand_count(const method_row *method) {
  size_t count = 0;
  while (count < COUNT(method->operands) && method->operands[count].name)
    count++;
  return count;
}

/* A call with the operands x, in the table's order, and otherwise valid arguments for its shapes;
   the options with the label, or (not given) a null pointer for them. */
static webnn_operand *call(webnn_builder *by, webnn_op op, webnn_operand *const *x, bool given) {
#define GIVEN(name, ...) (given ? &(webnn_##name##_options){.label = LABEL, __VA_ARGS__} : NULL)
#define LABELLED(name) (given ? &(webnn_##name##_options){.label = LABEL} : NULL)
#define CASE(OP, expression)                                                                       \
  case WEBNN_OP_##OP:                                                                              \
    return expression
#define CASE1(OP, name) CASE(OP, webnn_##name(by, x[0], LABELLED(operator)))
#define CASE2(OP, name) CASE(OP, webnn_##name(by, x[0], x[1], LABELLED(operator)))
#define CASE3(OP, name) CASE(OP, webnn_##name(by, x[0], x[1], x[2], LABELLED(operator)))
  switch (op) {
    CASE(ARG_MIN, webnn_arg_min(by, x[0], 0, LABELLED(arg_min_max)));
    CASE(ARG_MAX, webnn_arg_max(by, x[0], 0, LABELLED(arg_min_max)));
    CASE(BATCH_NORMALIZATION,
         webnn_batch_normalization(by, x[0], x[1], x[2],
                                   GIVEN(batch_normalization, .scale = x[3], .bias = x[4])));
    CASE(CAST, webnn_cast(by, x[0], WEBNN_FLOAT16, LABELLED(operator)));
    CASE(CLAMP, webnn_clamp(by, x[0], LABELLED(clamp)));
    CASE(CONCAT, webnn_concat(by, WEBNN_OPERANDS(x[0], x[1]), 0, LABELLED(operator)));
    CASE(CONV2D, webnn_conv2d(by, x[0], x[1], GIVEN(conv2d, .bias = x[2])));
    CASE(CONV_TRANSPOSE2D,
         webnn_conv_transpose2d(by, x[0], x[1], GIVEN(conv_transpose2d, .bias = x[2])));
    CASE(CUMULATIVE_SUM, webnn_cumulative_sum(by, x[0], 0, LABELLED(cumulative_sum)));
    CASE2(ADD, add);
    CASE2(SUB, sub);
    CASE2(MUL, mul);
    CASE2(DIV, div);
    CASE2(MAX, max);
    CASE2(MIN, min);
    CASE2(POW, pow);
    CASE2(EQUAL, equal);
    CASE2(NOT_EQUAL, not_equal);
    CASE2(GREATER, greater);
    CASE2(GREATER_OR_EQUAL, greater_or_equal);
    CASE2(LESSER, lesser);
    CASE2(LESSER_OR_EQUAL, lesser_or_equal);
    CASE1(LOGICAL_NOT, logical_not);
    CASE2(LOGICAL_AND, logical_and);
    CASE2(LOGICAL_OR, logical_or);
    CASE2(LOGICAL_XOR, logical_xor);
    CASE1(IS_NAN, is_nan);
    CASE1(IS_INFINITE, is_infinite);
    CASE1(ABS, abs);
    CASE1(CEIL, ceil);
    CASE1(COS, cos);
    CASE1(ERF, erf);
    CASE1(EXP, exp);
    CASE1(FLOOR, floor);
    CASE1(IDENTITY, identity);
    CASE1(LOG, log);
    CASE1(NEG, neg);
    CASE1(RECIPROCAL, reciprocal);
    CASE1(ROUND_EVEN, round_even);
    CASE1(SIGN, sign);
    CASE1(SIN, sin);
    CASE1(SQRT, sqrt);
    CASE1(TAN, tan);
    CASE3(DEQUANTIZE_LINEAR, dequantize_linear);
    CASE3(QUANTIZE_LINEAR, quantize_linear);
    CASE(ELU, webnn_elu(by, x[0], LABELLED(elu)));
    CASE(EXPAND, webnn_expand(by, x[0], WEBNN_LIST(1, 1, 1, 1, 1, 1, 2, 3), LABELLED(operator)));
    CASE(GATHER, webnn_gather(by, x[0], x[1], LABELLED(gather)));
    CASE(GATHER_ELEMENTS, webnn_gather_elements(by, x[0], x[1], LABELLED(gather)));
    CASE2(GATHER_ND, gather_nd);
    CASE1(GELU, gelu);
    CASE(GEMM, webnn_gemm(by, x[0], x[1], GIVEN(gemm, .c = x[2])));
    CASE(GRU, FIRST(1, webnn_gru(by, x[0], x[1], x[2], 3, 5,
                                 GIVEN(gru, .bias = x[3], .recurrent_bias = x[4],
                                       .initial_hidden_state = x[5]),
                                 outputs)));
    CASE(GRU_CELL, webnn_gru_cell(by, x[0], x[1], x[2], x[3], 5,
                                  GIVEN(gru_cell, .bias = x[4], .recurrent_bias = x[5])));
    CASE(HARD_SIGMOID, webnn_hard_sigmoid(by, x[0], LABELLED(hard_sigmoid)));
    CASE1(HARD_SWISH, hard_swish);
    CASE(INSTANCE_NORMALIZATION,
         webnn_instance_normalization(by, x[0],
                                      GIVEN(instance_normalization, .scale = x[1], .bias = x[2])));
    CASE(LAYER_NORMALIZATION,
         webnn_layer_normalization(by, x[0],
                                   GIVEN(layer_normalization, .scale = x[1], .bias = x[2])));
    CASE(LEAKY_RELU, webnn_leaky_relu(by, x[0], LABELLED(leaky_relu)));
    CASE(LINEAR, webnn_linear(by, x[0], LABELLED(linear)));
    CASE(LSTM, FIRST(2, webnn_lstm(by, x[0], x[1], x[2], 3, 5,
                                   GIVEN(lstm, .bias = x[3], .recurrent_bias = x[4],
                                         .peephole_weight = x[5], .initial_hidden_state = x[6],
                                         .initial_cell_state = x[7]),
                                   outputs)));
    CASE(LSTM_CELL, FIRST(2, webnn_lstm_cell(by, x[0], x[1], x[2], x[3], x[4], 5,
                                             GIVEN(lstm_cell, .bias = x[5], .recurrent_bias = x[6],
                                                   .peephole_weight = x[7]),
                                             outputs)));
    CASE2(MATMUL, matmul);
    CASE(PAD, webnn_pad(by, x[0], WEBNN_LIST(1, 1), WEBNN_LIST(1, 1), LABELLED(pad)));
    CASE(AVERAGE_POOL2D, webnn_average_pool2d(by, x[0], LABELLED(pool2d)));
    CASE(L2_POOL2D, webnn_l2_pool2d(by, x[0], LABELLED(pool2d)));
    CASE(MAX_POOL2D, webnn_max_pool2d(by, x[0], LABELLED(pool2d)));
    CASE2(PRELU, prelu);
    CASE(REDUCE_L1, webnn_reduce_l1(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_L2, webnn_reduce_l2(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_LOG_SUM, webnn_reduce_log_sum(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_LOG_SUM_EXP, webnn_reduce_log_sum_exp(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_MAX, webnn_reduce_max(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_MEAN, webnn_reduce_mean(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_MIN, webnn_reduce_min(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_PRODUCT, webnn_reduce_product(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_SUM, webnn_reduce_sum(by, x[0], LABELLED(reduce)));
    CASE(REDUCE_SUM_SQUARE, webnn_reduce_sum_square(by, x[0], LABELLED(reduce)));
    CASE1(RELU, relu);
    CASE(RESAMPLE2D, webnn_resample2d(by, x[0], LABELLED(resample2d)));
    CASE(RESHAPE, webnn_reshape(by, x[0], WEBNN_LIST(3, 2), LABELLED(operator)));
    CASE(REVERSE, webnn_reverse(by, x[0], LABELLED(reverse)));
    CASE(SCATTER_ELEMENTS, webnn_scatter_elements(by, x[0], x[1], x[2], LABELLED(scatter)));
    CASE3(SCATTER_ND, scatter_nd);
    CASE1(SIGMOID, sigmoid);
    CASE(SLICE, webnn_slice(by, x[0], WEBNN_LIST(0, 1), WEBNN_LIST(1, 2), LABELLED(slice)));
    CASE(SOFTMAX, webnn_softmax(by, x[0], 0, LABELLED(operator)));
    CASE1(SOFTPLUS, softplus);
    CASE1(SOFTSIGN, softsign);
    CASE(SPLIT, FIRST(2, webnn_split(by, x[0], 2, LABELLED(split), outputs)));
    CASE1(TANH, tanh);
    CASE(TILE, webnn_tile(by, x[0], WEBNN_LIST(2, 3), LABELLED(operator)));
    CASE(TRANSPOSE, webnn_transpose(by, x[0], LABELLED(transpose)));
    CASE(TRIANGULAR, webnn_triangular(by, x[0], LABELLED(triangular)));
    CASE3(WHERE, where);
  default:
    return NULL;
  }
#undef GIVEN
#undef LABELLED
}

/* ---- 4 for all ------------------------------------------------------------------------------- */

static bool allows(const operand_row *operand, webnn_data_type type) {
  return (operand->types >> type & 1u) != 0;
}

/* A type that the operand may have, the same for operands that must share it. */
static webnn_data_type base_type(const method_row *method, size_t j) {
  const operand_row *operand = &method->operands[j];
  while (operand->same != NONE)
    operand = &method->operands[operand->same];
  if (allows(operand, WEBNN_FLOAT32))
    return WEBNN_FLOAT32;
  return allows(operand, WEBNN_UINT8) ? WEBNN_UINT8 : WEBNN_INT32;
}

static void make_operands(webnn_builder *by, const method_row *method, webnn_operand **x) {
  size_t j, count = operand_count(method);
  for (j = 0; j < count; j++)
    x[j] = make(by, base_type(method, j),
                webnn_list_of(method->operands[j].shape, method->operands[j].rank));
  for (; j < COUNT(method->operands); j++)
    x[j] = NULL;
}

/* Step 2, but two-operand comparisons test b only in step 5. */
static int builder_step(const method_row *method, size_t j) {
  return j == 1 && method->op >= WEBNN_OP_EQUAL && method->op <= WEBNN_OP_LOGICAL_XOR ? 5 : 2;
}

/* [B]: after a build, and when the context is lost. A foreign operand besides must not hide it. */
static void check_builder_state(const method_row *method) {
  webnn_context *lost = test_context(&(webnn_context_options){.threads = 1});
  webnn_builder *by = test_builder(lost), *orphan = test_builder(lost);
  webnn_graph *graph = NULL;
  webnn_operand *x[9], *y[9], *result;
  char name[64];
  snprintf(name, sizeof name, "%s/1", method->name);
  make_operands(by, method, x);
  make_operands(orphan, method, y);
  accept_by(by, method->name, 2, call(by, method->op, x, false));
  result = call(by, method->op, x, true);
  accept_by(by, method->name, 1, result);
  if (CHECK(name,
            webnn_build(by, WEBNN_NAMED_OPERANDS({"y", result}), &graph, &the_error) == WEBNN_OK,
            "build: %s", the_error.message)) {
    refuse_status(by, WEBNN_INVALID_STATE_ERROR, method->name, LABEL, 1,
                  call(by, method->op, x, true), WORDS("built"));
    refuse_status(by, WEBNN_INVALID_STATE_ERROR, method->name, LABEL, 1,
                  call(by, method->op, y, true), WORDS("built"));
  }
  webnn_destroy_context(lost);
  refuse_status(orphan, WEBNN_INVALID_STATE_ERROR, method->name, LABEL, 1,
                call(orphan, method->op, y, true), WORDS("lost"));
  webnn_free_graph(graph);
  webnn_free_builder(by);
  webnn_free_builder(orphan);
  webnn_free_context(lost);
}

/* [V]: an operand of another builder, and none at all where one is required. */
static void check_foreign_operands(const method_row *method) {
  webnn_operand *x[9], *y[9], *kept;
  size_t j, count = operand_count(method);
  make_operands(builder, method, x);
  make_operands(foreign, method, y);
  for (j = 0; j < count; j++) {
    const operand_row *operand = &method->operands[j];
    int step = builder_step(method, j);
    kept = x[j];
    x[j] = y[j];
    REFUSE(method->name, step, call(builder, method->op, x, true), operand->name, "builder");
    x[j] = NULL;
    if (operand->optional)
      ACCEPT(method->name, step, call(builder, method->op, x, true));
    else
      REFUSE(method->name, step, call(builder, method->op, x, true), operand->name);
    x[j] = kept;
    ACCEPT(method->name, step, call(builder, method->op, x, true));
  }
}

/* Without a builder there is nobody to tell, and no result. */
static void check_no_builder(const method_row *method) {
  webnn_operand *x[9];
  char name[64];
  snprintf(name, sizeof name, "%s/0", method->name);
  make_operands(builder, method, x);
  CHECK(name, call(NULL, method->op, x, true) == NULL, "a result of no builder");
}

/* [T]: every data type for operand j; operands that must share it follow. */
static void check_types(const method_row *method, size_t j) {
  const operand_row *operand = &method->operands[j];
  webnn_operand *x[9];
  size_t k, count = operand_count(method);
  int t;
  for (t = WEBNN_FLOAT32; t <= WEBNN_UINT4; t++) {
    webnn_data_type type = (webnn_data_type)t;
    bool shares = operand->same == NONE || type == base_type(method, j);
    /* A type it may have but the operand it must share with has not: a step of its own. */
    if (operand->same != NONE && operand->types && allows(operand, type) && !shares)
      continue;
    make_operands(builder, method, x);
    for (k = 0; k < count; k++)
      if (k == j || method->operands[k].same == (int)j)
        x[k] = make(builder, type, webnn_operand_shape(x[k]));
    if (shares && (allows(operand, type) || operand->same != NONE))
      ACCEPT(method->name, operand->type_step, call(builder, method->op, x, true));
    else
      REFUSE(method->name, operand->type_step, call(builder, method->op, x, true), operand->name,
             webnn_data_type_name(type));
  }
}

/* [R]: every rank at which the call cannot be valid. */
static void check_ranks(const method_row *method, size_t j) {
  const operand_row *operand = &method->operands[j];
  webnn_operand *x[9];
  uint32_t rank, i, shape[WEBNN_MAX_RANK];
  char number[16];
  make_operands(builder, method, x);
  if (operand->low > 0 || operand->high < WEBNN_MAX_RANK)
    ACCEPT(method->name, operand->rank_step, call(builder, method->op, x, true));
  for (rank = 0; rank <= WEBNN_MAX_RANK; rank++) {
    if (rank >= operand->low && rank <= operand->high)
      continue;
    for (i = 0; i < rank; i++)
      shape[i] = i < operand->rank ? operand->shape[i] : 1;
    x[j] = make(builder, base_type(method, j), webnn_list_of(shape, rank));
    snprintf(number, sizeof number, "%lu", (unsigned long)rank);
    REFUSE(method->name, operand->rank_step, call(builder, method->op, x, true),
           j ? operand->name : number);
  }
}

static void check_all_methods(void) {
  size_t i, j;
  for (i = 0; i < COUNT(methods); i++) {
    check_builder_state(&methods[i]);
    check_foreign_operands(&methods[i]);
    check_no_builder(&methods[i]);
    for (j = 0; j < operand_count(&methods[i]); j++) {
      check_types(&methods[i], j);
      check_ranks(&methods[i], j);
    }
  }
  reading(7);  /* isNaN and isInfinite refuse integers */
  reading(8);  /* quantizeLinear and dequantizeLinear see a lost context */
  reading(14); /* gemm's c of another builder */
}

/* ---- 5 by hand ------------------------------------------------------------------------------- */

typedef webnn_operand *(*arg_function)(webnn_builder *, webnn_operand *, uint32_t,
                                       const webnn_arg_min_max_options *);

static void check_arg(const char *method, arg_function arg) {
  webnn_operand *x = F32(2, 3);
#define ARG(axis, ...) arg(builder, x, axis, &OPTIONS(arg_min_max, __VA_ARGS__))
  REFUSE(method, 3, ARG(2, .keep_dimensions = true), "axis", "2");
  REFUSE(method, 3, ARG(4294967295u, .keep_dimensions = true), "axis", "4294967295",
         "; 4294967295 is -1, which neither counts from the end nor stands for a size here");
  REFUSE(method, 3, ARG(4294967288u, .keep_dimensions = true), "; 4294967288 is -8, which");
  (void)ARG(4294967287u, .keep_dimensions = true);
  CHECK(method, strstr(webnn_builder_message(builder), " is -") == NULL, "%s",
        webnn_builder_message(builder));
  webnn_builder_clear_error(builder);
  ACCEPT(method, 3, ARG(1, .keep_dimensions = true));
  REFUSE(method, 4, ARG(1, .output_data_type = WEBNN_UINT32), "outputDataType", "uint32");
  REFUSE(method, 4, ARG(1, .output_data_type = WEBNN_FLOAT32), "outputDataType", "float32");
  REFUSE(method, 4, ARG(1, .output_data_type = WEBNN_INT8), "outputDataType", "int8");
  REFUSE(method, 4, ARG(1, .output_data_type = (webnn_data_type)99), "outputDataType");
  REFUSE(method, 4, ARG(1, .output_data_type = (webnn_data_type)-1), "outputDataType");
  ACCEPT(method, 4, ARG(1, .output_data_type = WEBNN_INT64));
  ACCEPT(method, 4, ARG(1, .output_data_type = WEBNN_INT32));
  /* The longest dimension is still an index of int32. */
  x = U8(2147483647);
  ACCEPT(method, 5, ARG(0, .output_data_type = WEBNN_INT32));
  ACCEPT(method, 6, ARG(0, .keep_dimensions = false));
#undef ARG
}

static void check_batch_normalization(void) {
  webnn_operand *x = F32(2, 3, 4), *v3 = F32(3), *v4 = F32(4), *line = F32(3);
#define BATCH(input, mean, variance, ...)                                                          \
  webnn_batch_normalization(builder, input, mean, variance,                                        \
                            &OPTIONS(batch_normalization, __VA_ARGS__))
  REFUSE("batchNormalization", 4, BATCH(x, v3, v3, .axis = webnn_f64(3)), "axis", "3");
  ACCEPT("batchNormalization", 4, BATCH(x, v4, v4, .axis = webnn_f64(2)));
  REFUSE("batchNormalization", 4, BATCH(line, v3, v3, .scale = NULL), "axis", "1");
  ACCEPT("batchNormalization", 4, BATCH(line, v3, v3, .axis = webnn_f64(0)));
  REFUSE("batchNormalization", 6, BATCH(x, v4, v3, .scale = NULL), "mean", "3", "4");
  ACCEPT("batchNormalization", 6, BATCH(x, v3, v3, .scale = NULL));
  REFUSE("batchNormalization", 8, BATCH(x, v3, v4, .scale = NULL), "variance", "3", "4");
  ACCEPT("batchNormalization", 8, BATCH(x, v3, v3, .scale = v3));
  REFUSE("batchNormalization", 10, BATCH(x, v3, v3, .scale = v4), "scale", "3", "4");
  ACCEPT("batchNormalization", 10, BATCH(x, v3, v3, .scale = v3));
  REFUSE("batchNormalization", 11, BATCH(x, v3, v3, .bias = v4), "bias", "3", "4");
  ACCEPT("batchNormalization", 11, BATCH(x, v3, v3, .scale = v3, .bias = v3));
#undef BATCH
}

static void check_cast(void) {
  static const int refused[] = {0, -1, 11, 99, WEBNN_INT4, WEBNN_UINT4};
  webnn_operand *x = F32(2, 3);
  size_t i;
  int t;
  for (i = 0; i < COUNT(refused); i++)
    REFUSE("cast", 3, webnn_cast(builder, x, (webnn_data_type)refused[i], PLAIN), "dataType");
  for (t = WEBNN_FLOAT32; t <= WEBNN_UINT8; t++) {
    webnn_operand *y = webnn_cast(builder, x, (webnn_data_type)t, PLAIN);
    ACCEPT("cast", 3, y);
    CHECK("D/4", webnn_operand_data_type(y) == (webnn_data_type)t, "cast kept the input's type");
  }
  reading(4);
}

static void check_clamp(void) {
  webnn_operand *f = F32(2, 3), *h = F16(2, 3), *u = U8(2, 3), *i = I8(2, 3);
#define CLAMP(x, low, high)                                                                        \
  webnn_clamp(builder, x, &OPTIONS(clamp, .min_value = low, .max_value = high))
  REFUSE("clamp", 5, CLAMP(f, webnn_f64(2), webnn_f64(1)), "minValue", "maxValue", "2", "1");
  ACCEPT("clamp", 5, CLAMP(f, webnn_f64(1), webnn_f64(1)));
  ACCEPT("clamp", 5, CLAMP(f, webnn_f64((double)NAN), webnn_f64(1)));
  ACCEPT("clamp", 5, CLAMP(f, webnn_f64(1), webnn_f64((double)NAN)));
  ACCEPT("clamp", 5, CLAMP(f, webnn_f64(-(double)INFINITY), webnn_f64((double)INFINITY)));
  REFUSE("clamp", 5, CLAMP(f, webnn_f64((double)INFINITY), webnn_f64(-(double)INFINITY)),
         "minValue", "maxValue");
  /* The comparison comes after the cast: equal as float32, both Infinity as float16, both 255 as
     uint8, both 0 as int8. */
  ACCEPT("clamp", 3, CLAMP(f, webnn_f64(1.0000000001), webnn_f64(1)));
  REFUSE("clamp", 3, CLAMP(f, webnn_f64(1.000001), webnn_f64(1)), "minValue", "maxValue");
  ACCEPT("clamp", 3, CLAMP(h, webnn_f64(1e6), webnn_f64(1e5)));
  REFUSE("clamp", 3, CLAMP(h, webnn_f64(1e6), webnn_f64(6e4)), "minValue", "maxValue");
  ACCEPT("clamp", 4, CLAMP(u, webnn_f64(300), webnn_f64(256)));
  REFUSE("clamp", 4, CLAMP(u, webnn_f64(300), webnn_f64(254)), "minValue", "maxValue", "255",
         "254");
  ACCEPT("clamp", 4, CLAMP(u, webnn_i64(-3), webnn_f64(-7)));
  ACCEPT("clamp", 4, CLAMP(i, webnn_f64(0.5), webnn_f64(0.4)));
  REFUSE("clamp", 4, CLAMP(i, webnn_f64(0.6), webnn_f64(0.5)), "minValue", "maxValue");
  ACCEPT("clamp", 4, CLAMP(i, webnn_u64(UINT64_MAX), webnn_i64(127)));
#undef CLAMP
  ACCEPT("clamp", 5, webnn_clamp(builder, f, NULL));
  ACCEPT("clamp", 5, webnn_clamp(builder, u, &OPTIONS(clamp, .min_value = {.kind = 0})));
  reading(5);
}

static void check_concat(void) {
  webnn_operand *x = F32(2, 3), *line = F32(2), *scalar = SCALAR_OF(WEBNN_FLOAT32);
  webnn_operand *half = U8(1073741824), *less = U8(1073741823), **many;
  size_t i;
#define CONCAT(axis, ...) webnn_concat(builder, WEBNN_OPERANDS(__VA_ARGS__), axis, PLAIN)
  many = test_allocate(8193 * sizeof *many);
  for (i = 0; i < 8193; i++)
    many[i] = line;
  REFUSE("concat", 3, webnn_concat(builder, many, 8193, 0, PLAIN), "inputs", "8193", "8192");
  ACCEPT("concat", 3, webnn_concat(builder, many, 8192, 0, PLAIN));
  REFUSE("concat", 3, webnn_concat(builder, many, 0, 0, PLAIN), "inputs");
  REFUSE("concat", 3, webnn_concat(builder, NULL, 0, 0, PLAIN), "inputs");
  REFUSE("concat", 3, webnn_concat(builder, NULL, 2, 0, PLAIN), "inputs");
  ACCEPT("concat", 3, webnn_concat(builder, many, 1, 0, PLAIN));
  free(many);
  REFUSE("concat", 4, CONCAT(2, x, x), "axis", "2");
  REFUSE("concat", 4, CONCAT(0, scalar, scalar), "axis", "0");
  ACCEPT("concat", 4, CONCAT(1, x, x));
  REFUSE("concat", 5, CONCAT(0, x, F16(2, 3)), "inputs", "float16", "float32");
  REFUSE("concat", 5, CONCAT(0, x, line), "inputs", "2", "1");
  REFUSE("concat", 5, CONCAT(0, x, x, F32(2, 4)), "inputs", "3", "4");
  ACCEPT("concat", 5, CONCAT(1, x, x, F32(2, 4)));
  REFUSE("concat", 5, CONCAT(0, half, half), "inputs");
  ACCEPT("concat", 5, CONCAT(0, half, less));
  /* Each dimension is valid, the number of elements is not. */
  REFUSE("concat", 5, CONCAT(0, U8(1, 1073741824), U8(1, 1073741824)), "concat");
#undef CONCAT
}

static void check_conv2d(void) {
  webnn_operand *x = F32(1, 4, 5, 5), *w = F32(6, 4, 3, 3), *pairs = F32(6, 2, 3, 3);
  webnn_operand *ones = F32(6, 1, 3, 3), *last = F32(1, 5, 5, 4), *w_ohwi = F32(6, 3, 3, 4);
#define CONV(...) webnn_conv2d(builder, x, w, &OPTIONS(conv2d, __VA_ARGS__))
#define CONV_WITH(filter, ...) webnn_conv2d(builder, x, filter, &OPTIONS(conv2d, __VA_ARGS__))
  REFUSE("conv2d", 7, CONV(.padding = WEBNN_LIST(1, 1, 1)), "padding", "4", "3");
  REFUSE("conv2d", 7, CONV(.padding = WEBNN_EMPTY_LIST), "padding", "4", "0");
  ACCEPT("conv2d", 7, CONV(.padding = WEBNN_LIST(1, 1, 1, 1)));
  ACCEPT("conv2d", 7, CONV(.padding = WEBNN_LIST(9, 8, 7, 6)));
  REFUSE("conv2d", 8, CONV(.strides = WEBNN_LIST(1)), "strides", "2", "1");
  REFUSE("conv2d", 8, CONV(.strides = WEBNN_EMPTY_LIST), "strides", "2", "0");
  ACCEPT("conv2d", 8, CONV(.strides = WEBNN_LIST(1, 2)));
  REFUSE("conv2d", 9, CONV(.strides = WEBNN_LIST(0, 1)), "strides", "0");
  REFUSE("conv2d", 9, CONV(.strides = WEBNN_LIST(1, 0)), "strides", "0");
  ACCEPT("conv2d", 9, CONV(.strides = WEBNN_LIST(4294967295u, 1)));
  REFUSE("conv2d", 10, CONV(.dilations = WEBNN_LIST(1, 1, 1)), "dilations", "2", "3");
  ACCEPT("conv2d", 10, CONV(.dilations = WEBNN_LIST(1, 2)));
  REFUSE("conv2d", 11, CONV(.dilations = WEBNN_LIST(0, 1)), "dilations", "0");
  ACCEPT("conv2d", 11, CONV(.dilations = WEBNN_LIST(1, 1)));
  ACCEPT("conv2d", 12, CONV(.groups = 0)); /* the default, as 1 is */
  ACCEPT("conv2d", 12, CONV(.groups = 1));
  REFUSE("conv2d", 14, CONV_WITH(ones, .groups = 4294967295u), "groups", "4294967295", "4");
  REFUSE("conv2d", 14, CONV_WITH(ones, .groups = 3), "groups", "3", "4");
  ACCEPT("conv2d", 14, CONV_WITH(pairs, .groups = 2));
  REFUSE("conv2d", 15, CONV(.groups = 2), "filter", "2", "4");
  REFUSE("conv2d", 15, CONV_WITH(F32(6, 3, 3, 3), .groups = 1), "filter", "3", "4");
  ACCEPT("conv2d", 15, CONV_WITH(w, .groups = 1));
  REFUSE("conv2d", 16, CONV_WITH(ones, .groups = 4), "groups", "6", "4");
  ACCEPT("conv2d", 16, CONV_WITH(F32(8, 1, 3, 3), .groups = 4));
  REFUSE("conv2d", 17, CONV(.bias = F32(5)), "bias", "5", "6");
  REFUSE("conv2d", 17, CONV(.bias = F16(6)), "bias", "float16");
  ACCEPT("conv2d", 17, CONV(.bias = F32(6)));
  REFUSE("conv2d", 18, CONV(.dilations = WEBNN_LIST(3, 1)), "conv2d");
  REFUSE("conv2d", 18, CONV(.dilations = WEBNN_LIST(1, 3)), "conv2d");
  ACCEPT("conv2d", 18, CONV(.dilations = WEBNN_LIST(2, 2)));
  REFUSE("conv2d", 18, CONV(.dilations = WEBNN_LIST(2147483648u, 1)), "conv2d");
  REFUSE("conv2d", 18, CONV(.padding = WEBNN_LIST(4294967295u, 4294967295u, 0, 0)), "conv2d");
  REFUSE("conv2d", 18, CONV(.padding = WEBNN_LIST(0, 0, 4294967295u, 0)), "width", "4294967298");
  ACCEPT("conv2d", 18,
         CONV(.padding = WEBNN_LIST(4294967295u, 0, 0, 0), .strides = WEBNN_LIST(2147483648u, 1)));
  /* Each dimension is valid, the number of elements is not. */
  REFUSE("conv2d", 18, CONV(.padding = WEBNN_LIST(65535, 0, 65535, 0)), "conv2d");
  ACCEPT("conv2d", 18, CONV(.padding = WEBNN_LIST(65535, 0, 999, 0)));
  /* The layouts say which dimensions are the channels. */
  x = last;
  REFUSE("conv2d", 13, CONV(.groups = 1), "filter", "4", "5");
  REFUSE("conv2d", 13, CONV_WITH(w_ohwi, .input_layout = WEBNN_LAYOUT_NHWC), "filter", "3", "4");
  ACCEPT("conv2d", 13,
         CONV_WITH(w_ohwi, .input_layout = WEBNN_LAYOUT_NHWC, .filter_layout = WEBNN_CONV2D_OHWI));
#undef CONV
#undef CONV_WITH
}

static void check_conv_transpose2d(void) {
  const char *m = "convTranspose2d";
  webnn_operand *x = F32(1, 4, 5, 5), *w = F32(4, 6, 3, 3), *single = F16(1, 1, 1, 1);
#define CONV_T(...) webnn_conv_transpose2d(builder, x, w, &OPTIONS(conv_transpose2d, __VA_ARGS__))
#define CONV_T_WITH(input, filter, ...)                                                            \
  webnn_conv_transpose2d(builder, input, filter, &OPTIONS(conv_transpose2d, __VA_ARGS__))
  REFUSE(m, 7, CONV_T(.padding = WEBNN_LIST(1, 1)), "padding", "4", "2");
  ACCEPT(m, 7, CONV_T(.padding = WEBNN_LIST(1, 1, 1, 1)));
  REFUSE(m, 8, CONV_T(.strides = WEBNN_LIST(1, 1, 1)), "strides", "2", "3");
  ACCEPT(m, 8, CONV_T(.strides = WEBNN_LIST(1, 2)));
  REFUSE(m, 9, CONV_T(.strides = WEBNN_LIST(1, 0)), "strides", "0");
  ACCEPT(m, 9, CONV_T(.strides = WEBNN_LIST(1, 1)));
  REFUSE(m, 10, CONV_T(.dilations = WEBNN_EMPTY_LIST), "dilations", "2", "0");
  ACCEPT(m, 10, CONV_T(.dilations = WEBNN_LIST(2, 1)));
  REFUSE(m, 11, CONV_T(.dilations = WEBNN_LIST(0, 1)), "dilations", "0");
  ACCEPT(m, 11, CONV_T(.dilations = WEBNN_LIST(1, 1)));
  REFUSE(m, 12, CONV_T(.output_padding = WEBNN_LIST(0)), "outputPadding", "2", "1");
  ACCEPT(m, 12, CONV_T(.output_padding = WEBNN_LIST(0, 0)));
  REFUSE(m, 13, CONV_T(.output_sizes = WEBNN_LIST(7)), "outputSizes", "2", "1");
  REFUSE(m, 13, CONV_T(.output_padding = WEBNN_LIST(1, 0)), "outputPadding", "1");
  REFUSE(m, 13, CONV_T(.output_padding = WEBNN_LIST(1, 2), .strides = WEBNN_LIST(2, 2)),
         "outputPadding", "2");
  ACCEPT(m, 13, CONV_T(.output_padding = WEBNN_LIST(1, 1), .strides = WEBNN_LIST(2, 2)));
  ACCEPT(m, 13, CONV_T(.output_sizes = WEBNN_LIST(7, 7), .output_padding = WEBNN_LIST(9, 9)));
  ACCEPT(m, 14, CONV_T(.groups = 0)); /* the default, as 1 is */
  ACCEPT(m, 14, CONV_T(.groups = 2));
  REFUSE(m, 15, CONV_T_WITH(F32(1, 5, 5, 4), w, .groups = 1), "filter", "4", "5");
  ACCEPT(m, 15,
         CONV_T_WITH(F32(1, 5, 5, 4), F32(3, 3, 6, 4), .input_layout = WEBNN_LAYOUT_NHWC,
                     .filter_layout = WEBNN_CONV_TRANSPOSE2D_HWOI));
  REFUSE(m, 16, CONV_T_WITH(x, F32(5, 6, 3, 3), .groups = 1), "filter", "5", "4");
  ACCEPT(m, 16, CONV_T_WITH(x, F32(4, 7, 3, 3), .groups = 1));
  REFUSE(m, 17, CONV_T_WITH(single, F16(1, 1073741824, 1, 1), .groups = 2), "groups");
  REFUSE(m, 17, CONV_T_WITH(single, F16(1, 1, 1, 1), .groups = 4294967295u), "groups");
  ACCEPT(m, 17, CONV_T_WITH(single, F16(1, 1, 1, 1), .groups = 1));
  REFUSE(m, 18, CONV_T(.bias = F32(4)), "bias", "6", "4");
  REFUSE(m, 18, CONV_T(.bias = F32(6), .groups = 2), "bias", "12", "6");
  ACCEPT(m, 18, CONV_T(.bias = F32(12), .groups = 2));
  /* (5 - 1) 2 + 3 = 11 rows and columns, one more with the stride. */
#define SIZED(h, w_) CONV_T(.strides = WEBNN_LIST(2, 2), .output_sizes = WEBNN_LIST(h, w_))
  REFUSE(m, 20, SIZED(10, 11), "outputSizes", "10", "11", "12");
  REFUSE(m, 20, SIZED(13, 11), "outputSizes", "13", "11", "12");
  REFUSE(m, 20, SIZED(11, 10), "outputSizes", "10", "11", "12");
  REFUSE(m, 20, SIZED(11, 13), "outputSizes", "13", "11", "12");
  /* Padding may be more than all rows: these are (5 - 1) 2 + 3 - 100, one more with the stride, and
     (5 - 1) 200 + 3 - 900, 199 more. */
  REFUSE(m, 20,
         CONV_T(.strides = WEBNN_LIST(2, 2), .padding = WEBNN_LIST(90, 10, 0, 0),
                .output_sizes = WEBNN_LIST(1, 11)),
         "outputSizes", "1", "-89", "-88");
  REFUSE(m, 20,
         CONV_T(.strides = WEBNN_LIST(200, 1), .padding = WEBNN_LIST(900, 0, 0, 0),
                .output_sizes = WEBNN_LIST(103, 7)),
         "outputSizes", "103", "-97", "102");
  ACCEPT(m, 20,
         CONV_T(.strides = WEBNN_LIST(200, 1), .padding = WEBNN_LIST(900, 0, 0, 0),
                .output_sizes = WEBNN_LIST(102, 7)));
  ACCEPT(m, 20, SIZED(11, 12));
  ACCEPT(m, 19, SIZED(12, 11));
#undef SIZED
  REFUSE(m, 21, CONV_T(.padding = WEBNN_LIST(4, 3, 0, 0)), m);
  REFUSE(m, 21, CONV_T(.padding = WEBNN_LIST(0, 0, 9, 9)), m);
  ACCEPT(m, 21, CONV_T(.padding = WEBNN_LIST(3, 3, 0, 0)));
  REFUSE(m, 21, CONV_T(.strides = WEBNN_LIST(4294967295u, 4294967295u)), m);
  REFUSE(m, 21, CONV_T(.dilations = WEBNN_LIST(1073741824, 1)), m);
  REFUSE(m, 21, CONV_T(.padding = WEBNN_LIST(4294967295u, 4294967295u, 0, 0)), m);
  REFUSE(m, 21, CONV_T(.strides = WEBNN_LIST(65536, 65536)), m);
  ACCEPT(m, 21, CONV_T(.strides = WEBNN_LIST(2048, 2048)));
  /* D6: one channel in three groups is accepted here; build() refuses it (see there). */
  ACCEPT(m, 16, CONV_T_WITH(F32(1, 1, 5, 5), F32(1, 2, 3, 3), .groups = 3));
#undef CONV_T
#undef CONV_T_WITH
}

static void check_cumulative_sum(void) {
  webnn_operand *x = F32(2, 3);
#define SUM(axis) webnn_cumulative_sum(builder, x, axis, &OPTIONS(cumulative_sum, .reversed = true))
  REFUSE("cumulativeSum", 4, SUM(2), "axis", "2");
  REFUSE("cumulativeSum", 4, SUM(4294967295u), "axis");
  ACCEPT("cumulativeSum", 4, SUM(1));
#undef SUM
}

/* Two operands that are broadcast: the step, and the number of elements of the result. */
static void check_broadcast(webnn_op op, int step) {
  const char *m = webnn_op_name(op);
  webnn_data_type small = op == WEBNN_OP_PRELU ? WEBNN_INT8 : WEBNN_UINT8;
#define TWO(type, a, b)                                                                            \
  call(builder, op,                                                                                \
       (webnn_operand *[]){make(builder, type, WEBNN_LIST a), make(builder, type, WEBNN_LIST b)},  \
       true)
  REFUSE(m, step, TWO(small, (2, 3), (2, 4)), "3", "4");
  REFUSE(m, step, TWO(small, (2, 3), (2)), "3", "2");
  REFUSE(m, step, TWO(small, (5, 1, 3), (4, 2, 1)), "5", "4");
  ACCEPT(m, step, TWO(small, (2, 3), (1, 3)));
  ACCEPT(m, step, TWO(small, (3), (2, 3)));
  ACCEPT(m, step, TWO(small, (5, 1, 3), (1, 2, 1)));
  REFUSE(m, step, TWO(small, (65536, 1), (1, 32768)), m);
  REFUSE(m, step, TWO(small, (65536, 65536 / 4, 1), (1, 1, 262144)), m);
  ACCEPT(m, step, TWO(small, (65536, 1), (1, 32767)));
#undef TWO
}

static void check_dequantize_and_quantize(void) {
  webnn_operand *x = U8(4, 6), *s = F32(2, 3), *z = U8(2, 3), *f = F32(4, 6);
  const char *d = "dequantizeLinear", *q = "quantizeLinear";
#define DEQUANTIZE(a, b, c) webnn_dequantize_linear(builder, a, b, c, PLAIN)
#define QUANTIZE(a, b, c) webnn_quantize_linear(builder, a, b, c, PLAIN)
  REFUSE(d, 6, DEQUANTIZE(x, s, I8(2, 3)), "zeroPoint", "int8", "uint8");
  REFUSE(d, 6, DEQUANTIZE(x, s, make(builder, WEBNN_UINT4, WEBNN_LIST(2, 3))), "zeroPoint", "uint4",
         "uint8");
  ACCEPT(d, 6, DEQUANTIZE(x, s, z));
  REFUSE(d, 7, DEQUANTIZE(x, F32(3), U8(3)), "scale", "rank", "1", "2");
  REFUSE(d, 7, DEQUANTIZE(x, s, U8(1, 2, 3)), "zeroPoint", "rank", "3", "2");
  REFUSE(q, 7, QUANTIZE(f, F32(3), U8(3)), "scale", "rank", "1", "2");
  REFUSE(q, 7, QUANTIZE(f, s, U8(1, 2, 3)), "zeroPoint", "rank", "3", "2");
  REFUSE(d, 8, DEQUANTIZE(x, s, U8(2, 6)), "zeroPoint", "scale");
  ACCEPT(d, 8, DEQUANTIZE(x, F32(2, 6), U8(2, 6)));
  REFUSE(d, 9, DEQUANTIZE(x, F32(3, 3), U8(3, 3)), "scale", "3", "4");
  REFUSE(d, 9, DEQUANTIZE(x, F32(2, 4), U8(2, 4)), "scale", "4", "6");
  REFUSE(d, 9, DEQUANTIZE(x, F32(4, 12), U8(4, 12)), "scale", "12", "6");
  ACCEPT(d, 9, DEQUANTIZE(x, F32(4, 2), U8(4, 2)));
  ACCEPT(d, 10, DEQUANTIZE(x, F32(1, 1), U8(1, 1)));
  REFUSE(q, 5, QUANTIZE(f, F16(2, 3), z), "scale", "float16", "float32");
  ACCEPT(q, 5, QUANTIZE(f, s, z));
  REFUSE(q, 8, QUANTIZE(f, s, U8(2, 6)), "zeroPoint", "scale");
  ACCEPT(q, 8, QUANTIZE(f, F32(2, 6), U8(2, 6)));
  REFUSE(q, 9, QUANTIZE(f, F32(3, 3), U8(3, 3)), "scale", "3", "4");
  ACCEPT(q, 9, QUANTIZE(f, F32(4, 2), U8(4, 2)));
  ACCEPT(q, 10, QUANTIZE(f, F32(1, 1), U8(1, 1)));
#undef DEQUANTIZE
#undef QUANTIZE
}

static void check_expand(void) {
  webnn_operand *x = U8(2, 3), *one = U8(1), *scalar = SCALAR_OF(WEBNN_UINT8);
#define EXPAND(input, ...) webnn_expand(builder, input, LONG_LIST(__VA_ARGS__), PLAIN)
  REFUSE("expand", 3, EXPAND(x, 2, 4), "newShape", "3", "4");
  REFUSE("expand", 3, EXPAND(x, 1, 3), "newShape", "2", "1");
  REFUSE("expand", 3, EXPAND(x, 3), "newShape");
  REFUSE("expand", 3, webnn_expand(builder, x, WEBNN_EMPTY_LIST, PLAIN), "newShape");
  REFUSE("expand", 3, webnn_expand(builder, x, ABSENT, PLAIN), "newShape");
  REFUSE("expand", 3, webnn_expand(builder, one, webnn_list_of(NULL, 2), PLAIN), "newShape");
  REFUSE("expand", 3, webnn_expand(builder, scalar, ABSENT, PLAIN), "newShape");
  ACCEPT("expand", 3, EXPAND(x, 5, 2, 3));
  ACCEPT("expand", 3, webnn_expand(builder, scalar, WEBNN_EMPTY_LIST, PLAIN));
  REFUSE("expand", 4, EXPAND(scalar, 1, 1, 1, 1, 1, 1, 1, 1, 1), "newShape", "9", "8");
  ACCEPT("expand", 4, EXPAND(scalar, 1, 1, 1, 1, 1, 1, 1, 2));
  REFUSE("expand", 4, EXPAND(one, 0), "newShape", "0");
  REFUSE("expand", 4, EXPAND(one, 2147483648u), "newShape", "2147483648");
  REFUSE("expand", 4, EXPAND(one, 4294967295u), "newShape", "4294967295 is -1");
  REFUSE("expand", 4, EXPAND(one, 65536, 32768), "newShape");
  REFUSE("expand", 4, EXPAND(one, 65536, 65536, 65536, 65536), "newShape");
  ACCEPT("expand", 4, EXPAND(one, 2147483647));
#undef EXPAND
}

static void check_gather(void) {
  webnn_operand *x = U8(4, 3), *i = I32(2), *deep = U8(1, 1, 1, 1, 1);
#define GATHER(input, indices, n) webnn_gather(builder, input, indices, &OPTIONS(gather, .axis = n))
  REFUSE("gather", 4, GATHER(x, i, 2), "axis", "2");
  REFUSE("gather", 4, GATHER(x, i, 4294967295u), "axis", "4294967295");
  ACCEPT("gather", 4, GATHER(x, i, 1));
  ACCEPT("gather", 4, GATHER(U8(4), SCALAR_OF(WEBNN_INT32), 0)); /* D24: a scalar */
  REFUSE("gather", 4, GATHER(deep, I32(1, 1, 1, 1, 1), 0), "9", "8");
  ACCEPT("gather", 4, GATHER(deep, I32(1, 1, 1, 1), 0));
  REFUSE("gather", 4, GATHER(U8(65536, 2), I32(32768), 1), "gather");
  ACCEPT("gather", 4, GATHER(U8(65536, 2), I32(32767), 1));
#undef GATHER
}

static void check_gather_elements(void) {
  webnn_operand *x = F32(4, 3);
#define GATHER(indices, n) webnn_gather_elements(builder, x, indices, &OPTIONS(gather, .axis = n))
  REFUSE("gatherElements", 5, GATHER(I32(2, 3), 2), "axis", "2");
  REFUSE("gatherElements", 5, GATHER(I32(2, 3), 4294967295u), "axis", "4294967295");
  ACCEPT("gatherElements", 5, GATHER(I32(4, 2), 1));
  REFUSE("gatherElements", 6, GATHER(I32(2, 2), 0), "indices", "2", "3");
  REFUSE("gatherElements", 6, GATHER(I32(3, 3), 1), "indices", "3", "4");
  ACCEPT("gatherElements", 6, GATHER(I32(9, 3), 0));
#undef GATHER
  /* D39: the rank is tested before indices' dimension is read. */
  REFUSE("gatherElements", 4,
         webnn_gather_elements(builder, x, I32(4), &OPTIONS(gather, .axis = 1)), "indices", "1",
         "2");
  reading(39);
}

static void check_gather_nd(void) {
  webnn_operand *x = U8(4, 3);
  REFUSE("gatherND", 4, webnn_gather_nd(builder, x, SCALAR_OF(WEBNN_INT32), PLAIN), "indices",
         "rank", "0");
  REFUSE("gatherND", 5, webnn_gather_nd(builder, x, I32(2, 3), PLAIN), "indices", "3", "2");
  ACCEPT("gatherND", 5, webnn_gather_nd(builder, x, I32(3, 2), PLAIN));
  REFUSE("gatherND", 5, webnn_gather_nd(builder, U8(1, 1, 1, 1, 1), I32(1, 1, 1, 1, 1, 1), PLAIN),
         "9", "8");
  REFUSE("gatherND", 5, webnn_gather_nd(builder, U8(2, 65536), I32(65536, 1), PLAIN), "gatherND");
  ACCEPT("gatherND", 5, webnn_gather_nd(builder, U8(2, 65536), I32(32767, 1), PLAIN));
}

static void check_gemm(void) {
  webnn_operand *a = F32(2, 3), *b = F32(3, 4), *turned = F32(4, 3);
#define GEMM(x, y, ...) webnn_gemm(builder, x, y, &OPTIONS(gemm, __VA_ARGS__))
  REFUSE("gemm", 6, GEMM(a, turned, .c = NULL), "3", "4");
  REFUSE("gemm", 6, GEMM(a, b, .a_transpose = true), "2", "3");
  REFUSE("gemm", 6, GEMM(a, b, .b_transpose = true), "3", "4");
  ACCEPT("gemm", 6, GEMM(a, turned, .b_transpose = true));
  ACCEPT("gemm", 6, GEMM(F32(3, 2), b, .a_transpose = true));
  REFUSE("gemm", 7, GEMM(a, b, .c = F32(3, 4)), "c", "3", "2");
  REFUSE("gemm", 7, GEMM(a, b, .c = F32(2)), "c", "2", "4");
  REFUSE("gemm", 7, GEMM(a, b, .c = F32(1, 2, 4)), "c");
  REFUSE("gemm", 7, GEMM(a, b, .c = F16(2, 4)), "c", "float16");
  ACCEPT("gemm", 7, GEMM(a, b, .c = F32(2, 4)));
  ACCEPT("gemm", 7, GEMM(a, b, .c = F32(2, 1)));
  ACCEPT("gemm", 7, GEMM(a, b, .c = F32(4)));
  ACCEPT("gemm", 7, GEMM(a, b, .c = SCALAR_OF(WEBNN_FLOAT32)));
  REFUSE("gemm", 7, GEMM(F32(65536, 1), F32(1, 32768), .c = NULL), "gemm");
#undef GEMM
}

static void check_gru(void) {
  webnn_operand *x = F32(3, 2, 4), *w = F32(1, 15, 4), *r = F32(1, 15, 5);
  webnn_operand *w2 = F32(2, 15, 4), *r2 = F32(2, 15, 5);
#define GRU(x_, w_, r_, steps, hidden, ...)                                                        \
  FIRST(1, webnn_gru(builder, x_, w_, r_, steps, hidden, &OPTIONS(gru, __VA_ARGS__), outputs))
#define GRU5(...) GRU(x, w, r, 3, 5, __VA_ARGS__)
  REFUSE("gru", 5, GRU(x, w, r, 2, 5, .bias = NULL), "steps", "2", "3");
  REFUSE("gru", 5, GRU(x, w, r, 0, 5, .bias = NULL), "steps", "0", "3");
  ACCEPT("gru", 5, GRU5(.return_sequence = true));
  REFUSE("gru", 6, GRU5(.direction = WEBNN_DIRECTION_BOTH), "weight", "2", "1");
  REFUSE("gru", 6, GRU(x, w2, r2, 3, 5, .direction = WEBNN_DIRECTION_BACKWARD), "weight", "2", "1");
  ACCEPT("gru", 6, GRU(x, w2, r2, 3, 5, .direction = WEBNN_DIRECTION_BOTH, .bias = F32(2, 15)));
  REFUSE("gru", 7, GRU(x, F32(1, 14, 4), r, 3, 5, .bias = NULL), "weight", "14", "15");
  REFUSE("gru", 7, GRU(x, F32(1, 15, 3), r, 3, 5, .bias = NULL), "weight", "3", "4");
  REFUSE("gru", 7, GRU(x, w, r, 3, 6, .bias = NULL), "weight", "18", "15");
  /* 3 hiddenSize is computed in 64 bits: 3 * 1431655770 = 14 + 2^32. */
  REFUSE("gru", 7, GRU(x, F32(1, 14, 4), r, 3, 1431655770u, .bias = NULL), "weight");
  ACCEPT("gru", 7, GRU5(.bias = NULL));
  REFUSE("gru", 8, GRU(x, w, F32(1, 15, 4), 3, 5, .bias = NULL), "recurrentWeight", "4", "5");
  ACCEPT("gru", 8, GRU5(.bias = NULL));
  REFUSE("gru", 10, GRU5(.bias = F32(1, 14)), "bias", "14", "15");
  ACCEPT("gru", 10, GRU5(.bias = F32(1, 15)));
  REFUSE("gru", 11, GRU5(.recurrent_bias = F32(2, 15)), "recurrentBias", "2", "1");
  ACCEPT("gru", 11, GRU5(.recurrent_bias = F32(1, 15)));
  REFUSE("gru", 12, GRU5(.initial_hidden_state = F32(1, 3, 5)), "initialHiddenState", "3", "2");
  ACCEPT("gru", 12, GRU5(.initial_hidden_state = F32(1, 2, 5)));
  REFUSE("gru", 13, GRU5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH)), "activations",
         "2", "1");
  REFUSE("gru", 13, GRU5(.activations = {.given = true}), "activations", "2", "0");
  REFUSE("gru", 13,
         GRU5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_TANH,
                                               WEBNN_ACTIVATION_TANH)),
         "activations", "2", "3");
  ACCEPT("gru", 13,
         GRU5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU)));
  /* D1: every state is valid, their sequence has too many elements. */
  REFUSE("gru", 13,
         GRU(F16(65536, 16384, 1), F16(1, 6, 1), F16(1, 6, 2), 65536, 2, .return_sequence = true),
         "gru");
  ACCEPT("gru", 13,
         GRU(F16(65536, 16384, 1), F16(1, 6, 1), F16(1, 6, 2), 65536, 2, .return_sequence = false));
#undef GRU5
#undef GRU
}

static void check_gru_cell(void) {
  webnn_operand *x = F32(2, 4), *w = F32(15, 4), *r = F32(15, 5), *h = F32(2, 5);
#define CELL(x_, w_, r_, h_, hidden, ...)                                                          \
  webnn_gru_cell(builder, x_, w_, r_, h_, hidden, &OPTIONS(gru_cell, __VA_ARGS__))
#define CELL5(...) CELL(x, w, r, h, 5, __VA_ARGS__)
  REFUSE("gruCell", 5, CELL(F32(3, 4), w, r, h, 5, .bias = NULL), "hiddenState", "3", "2");
  ACCEPT("gruCell", 5, CELL(F32(3, 4), w, r, F32(3, 5), 5, .bias = NULL));
  REFUSE("gruCell", 6, CELL(x, F32(14, 4), r, h, 5, .bias = NULL), "weight", "14", "15");
  REFUSE("gruCell", 6, CELL(x, w, r, h, 0, .bias = NULL), "hiddenSize", "0");
  REFUSE("gruCell", 6, CELL(x, F32(14, 4), r, h, 1431655770u, .bias = NULL), "weight");
  ACCEPT("gruCell", 6, CELL5(.bias = NULL));
  REFUSE("gruCell", 7, CELL(x, w, F32(15, 6), h, 5, .bias = NULL), "recurrentWeight", "6", "5");
  ACCEPT("gruCell", 7, CELL5(.bias = NULL));
  REFUSE("gruCell", 8, CELL(x, w, r, F32(2, 6), 5, .bias = NULL), "hiddenState", "6", "5");
  ACCEPT("gruCell", 8, CELL5(.bias = NULL));
  REFUSE("gruCell", 10, CELL5(.bias = F32(16)), "bias", "16", "15");
  ACCEPT("gruCell", 10, CELL5(.bias = F32(15)));
  REFUSE("gruCell", 11, CELL5(.recurrent_bias = F32(5)), "recurrentBias", "5", "15");
  ACCEPT("gruCell", 11, CELL5(.recurrent_bias = F32(15)));
  REFUSE("gruCell", 12, CELL5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH)),
         "activations", "2", "1");
  ACCEPT("gruCell", 12,
         CELL5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU)));
#undef CELL5
#undef CELL
}

static void check_instance_normalization(void) {
  const char *m = "instanceNormalization";
  webnn_operand *x = F32(2, 3, 4, 5), *v3 = F32(3), *v5 = F32(5);
#define INSTANCE(...)                                                                              \
  webnn_instance_normalization(builder, x, &OPTIONS(instance_normalization, __VA_ARGS__))
  REFUSE(m, 6, INSTANCE(.scale = v3, .layout = WEBNN_LAYOUT_NHWC), "scale", "3", "5");
  ACCEPT(m, 6, INSTANCE(.scale = v5, .layout = WEBNN_LAYOUT_NHWC));
  REFUSE(m, 7, INSTANCE(.scale = v5), "scale", "3", "5");
  ACCEPT(m, 7, INSTANCE(.scale = v3));
  REFUSE(m, 8, INSTANCE(.scale = v3, .bias = v5), "bias", "3", "5");
  ACCEPT(m, 8, INSTANCE(.bias = v3));
#undef INSTANCE
}

static void check_layer_normalization(void) {
  const char *m = "layerNormalization";
  webnn_operand *x = F32(2, 3, 4), *scalar = SCALAR_OF(WEBNN_FLOAT32);
#define LAYER(...) webnn_layer_normalization(builder, x, &OPTIONS(layer_normalization, __VA_ARGS__))
  REFUSE(m, 4, LAYER(.axes = WEBNN_LIST(1, 1)), "axes", "1");
  REFUSE(m, 4, LAYER(.axes = WEBNN_LIST(1, 3)), "axes", "3");
  ACCEPT(m, 4, LAYER(.axes = WEBNN_LIST(2, 0)));
  ACCEPT(m, 4, LAYER(.axes = WEBNN_EMPTY_LIST));
  REFUSE(m, 6, LAYER(.scale = F32(3)), "scale", "1", "2");
  REFUSE(m, 6, LAYER(.scale = F32(3), .axes = WEBNN_EMPTY_LIST), "scale", "1", "0");
  ACCEPT(m, 6, LAYER(.scale = scalar, .axes = WEBNN_EMPTY_LIST));
  REFUSE(m, 7, LAYER(.bias = F32(2, 3, 4)), "bias", "3", "2");
  ACCEPT(m, 7, LAYER(.bias = F32(2, 3, 4), .axes = WEBNN_LIST(0, 1, 2)));
  REFUSE(m, 8, LAYER(.scale = F32(4, 3)), "scale", "4", "3");
  REFUSE(m, 8, LAYER(.bias = F32(3, 5)), "bias", "5", "4");
  ACCEPT(m, 8, LAYER(.scale = F32(3, 4), .bias = F32(3, 4)));
  /* D41: the order of scale's dimensions is that of axes. */
  ACCEPT(m, 8, LAYER(.scale = F32(4, 3), .axes = WEBNN_LIST(2, 1)));
  REFUSE(m, 8, LAYER(.scale = F32(3, 4), .axes = WEBNN_LIST(2, 1)), "scale", "3", "4");
  reading(41);
  x = scalar;
  ACCEPT(m, 4, LAYER(.scale = scalar));
  REFUSE(m, 4, LAYER(.axes = WEBNN_LIST(0)), "axes", "0");
#undef LAYER
}

static void check_lstm(void) {
  webnn_operand *x = F32(3, 2, 4), *w = F32(1, 20, 4), *r = F32(1, 20, 5);
#define LSTM(x_, w_, r_, steps, hidden, ...)                                                       \
  FIRST(3, webnn_lstm(builder, x_, w_, r_, steps, hidden,                                          \
                      &OPTIONS(lstm, .return_sequence = true, __VA_ARGS__), outputs))
#define LSTM5(...) LSTM(x, w, r, 3, 5, __VA_ARGS__)
  REFUSE("lstm", 5, LSTM(x, w, r, 0, 5, .bias = NULL), "steps", "0");
  ACCEPT("lstm", 5, LSTM(F32(1, 2, 4), w, r, 1, 5, .bias = NULL));
  REFUSE("lstm", 6, LSTM(x, w, r, 4, 5, .bias = NULL), "steps", "4", "3");
  ACCEPT("lstm", 6, LSTM5(.bias = NULL));
  REFUSE("lstm", 7, LSTM(x, F32(1, 15, 4), r, 3, 5, .bias = NULL), "weight", "15", "20");
  REFUSE("lstm", 7, LSTM5(.direction = WEBNN_DIRECTION_BOTH), "weight", "2", "1");
  /* 4 * 1073741829 = 20 + 2^32. */
  REFUSE("lstm", 7, LSTM(x, w, r, 3, 1073741829u, .bias = NULL), "weight");
  ACCEPT("lstm", 7, LSTM5(.direction = WEBNN_DIRECTION_BACKWARD));
  REFUSE("lstm", 8, LSTM(x, w, F32(1, 20, 4), 3, 5, .bias = NULL), "recurrentWeight", "4", "5");
  ACCEPT("lstm", 8, LSTM5(.bias = NULL));
  REFUSE("lstm", 10, LSTM5(.bias = F32(1, 15)), "bias", "15", "20");
  ACCEPT("lstm", 10, LSTM5(.bias = F32(1, 20)));
  REFUSE("lstm", 11, LSTM5(.recurrent_bias = F32(2, 20)), "recurrentBias", "2", "1");
  ACCEPT("lstm", 11, LSTM5(.recurrent_bias = F32(1, 20)));
  REFUSE("lstm", 12, LSTM5(.peephole_weight = F32(1, 20)), "peepholeWeight", "20", "15");
  ACCEPT("lstm", 12, LSTM5(.peephole_weight = F32(1, 15)));
  REFUSE("lstm", 13, LSTM5(.initial_hidden_state = F32(1, 2, 4)), "initialHiddenState", "4", "5");
  ACCEPT("lstm", 13, LSTM5(.initial_hidden_state = F32(1, 2, 5)));
  REFUSE("lstm", 14, LSTM5(.initial_cell_state = F32(1, 1, 5)), "initialCellState", "1", "2");
  ACCEPT("lstm", 14, LSTM5(.initial_cell_state = F32(1, 2, 5)));
  REFUSE("lstm", 15,
         LSTM5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_TANH)),
         "activations", "3", "2");
  ACCEPT("lstm", 15,
         LSTM5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU,
                                                WEBNN_ACTIVATION_RELU)));
  REFUSE("lstm", 15, LSTM(F16(65536, 16384, 1), F16(1, 8, 1), F16(1, 8, 2), 65536, 2, .bias = NULL),
         "lstm");
#undef LSTM5
#undef LSTM
}

static void check_lstm_cell(void) {
  webnn_operand *x = F32(2, 4), *w = F32(20, 4), *r = F32(20, 5), *h = F32(2, 5), *c = F32(2, 5);
#define CELL(x_, w_, r_, h_, c_, hidden, ...)                                                      \
  FIRST(2, webnn_lstm_cell(builder, x_, w_, r_, h_, c_, hidden, &OPTIONS(lstm_cell, __VA_ARGS__),  \
                           outputs))
#define CELL5(...) CELL(x, w, r, h, c, 5, __VA_ARGS__)
  REFUSE("lstmCell", 5, CELL(x, F32(15, 4), r, h, c, 5, .bias = NULL), "weight", "15", "20");
  REFUSE("lstmCell", 5, CELL(x, w, r, h, c, 1073741829u, .bias = NULL), "weight");
  REFUSE("lstmCell", 5, CELL(x, w, r, h, c, 0, .bias = NULL), "hiddenSize", "0");
  ACCEPT("lstmCell", 5, CELL5(.bias = NULL));
  REFUSE("lstmCell", 6, CELL(x, w, F32(20, 4), h, c, 5, .bias = NULL), "recurrentWeight", "4", "5");
  ACCEPT("lstmCell", 6, CELL5(.bias = NULL));
  REFUSE("lstmCell", 7, CELL(x, w, r, F32(3, 5), c, 5, .bias = NULL), "hiddenState", "3", "2");
  ACCEPT("lstmCell", 7, CELL5(.bias = NULL));
  REFUSE("lstmCell", 8, CELL(x, w, r, h, F32(2, 6), 5, .bias = NULL), "cellState", "6", "5");
  ACCEPT("lstmCell", 8, CELL5(.bias = NULL));
  REFUSE("lstmCell", 10, CELL5(.bias = F32(15)), "bias", "15", "20");
  ACCEPT("lstmCell", 10, CELL5(.bias = F32(20)));
  REFUSE("lstmCell", 11, CELL5(.recurrent_bias = F32(5)), "recurrentBias", "5", "20");
  ACCEPT("lstmCell", 11, CELL5(.recurrent_bias = F32(20)));
  REFUSE("lstmCell", 12, CELL5(.peephole_weight = F32(20)), "peepholeWeight", "20", "15");
  ACCEPT("lstmCell", 12, CELL5(.peephole_weight = F32(15)));
  REFUSE("lstmCell", 13, CELL5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH)),
         "activations", "3", "1");
  ACCEPT("lstmCell", 13,
         CELL5(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU,
                                                WEBNN_ACTIVATION_SIGMOID)));
#undef CELL5
#undef CELL
}

static void check_matmul(void) {
#define MATMUL(x, y) webnn_matmul(builder, x, y, PLAIN)
  REFUSE("matmul", 5, MATMUL(F32(2, 3), F32(4, 3)), "3", "4");
  ACCEPT("matmul", 5, MATMUL(F32(2, 3), F32(3, 4)));
  REFUSE("matmul", 6, MATMUL(F32(5, 2, 3), F32(4, 3, 4)), "5", "4");
  ACCEPT("matmul", 6, MATMUL(F32(5, 2, 3), F32(6, 1, 3, 4)));
  REFUSE("matmul", 6, MATMUL(F32(65536, 1), F32(1, 32768)), "matmul");
  ACCEPT("matmul", 6, MATMUL(F32(4096, 1), F32(1, 4096)));
#undef MATMUL
}

static void check_pad(void) {
  webnn_operand *x = U8(2, 3), *one = U8(1), *scalar = SCALAR_OF(WEBNN_FLOAT32);
#define PADDED(input, begin, end, ...)                                                             \
  webnn_pad(builder, input, WEBNN_LIST begin, WEBNN_LIST end, &OPTIONS(pad, __VA_ARGS__))
  REFUSE("pad", 3, PADDED(x, (1), (1, 1), .mode = WEBNN_PADDING_EDGE), "beginningPadding", "1",
         "2");
  REFUSE("pad", 3, PADDED(x, (1, 1), (1, 1, 1), .mode = WEBNN_PADDING_EDGE), "endingPadding", "3",
         "2");
  REFUSE("pad", 3, webnn_pad(builder, x, ABSENT, WEBNN_LIST(1, 1), PAD_OPTIONS),
         "beginningPadding");
  REFUSE("pad", 3, webnn_pad(builder, x, WEBNN_LIST(1, 1), ABSENT, PAD_OPTIONS), "endingPadding");
  REFUSE("pad", 3, webnn_pad(builder, scalar, ABSENT, WEBNN_EMPTY_LIST, PAD_OPTIONS),
         "beginningPadding");
  ACCEPT("pad", 3, PADDED(x, (1, 0), (0, 1), .mode = WEBNN_PADDING_EDGE));
  ACCEPT("pad", 3, webnn_pad(builder, scalar, WEBNN_EMPTY_LIST, WEBNN_EMPTY_LIST, PAD_OPTIONS));
  REFUSE("pad", 4, PADDED(x, (2, 0), (0, 0), .mode = WEBNN_PADDING_REFLECTION), "beginningPadding",
         "2");
  REFUSE("pad", 4, PADDED(x, (0, 0), (0, 3), .mode = WEBNN_PADDING_REFLECTION), "endingPadding",
         "3");
  ACCEPT("pad", 4, PADDED(x, (1, 2), (1, 2), .mode = WEBNN_PADDING_REFLECTION));
  ACCEPT("pad", 4, PADDED(x, (9, 9), (9, 9), .mode = WEBNN_PADDING_EDGE));
  REFUSE("pad", 5, PADDED(one, (2147483647), (0), .mode = WEBNN_PADDING_EDGE), "pad");
  REFUSE("pad", 5, PADDED(one, (4294967295u), (4294967295u), .mode = WEBNN_PADDING_EDGE), "pad");
  REFUSE("pad", 5, PADDED(one, (4294967295u), (1), .mode = WEBNN_PADDING_EDGE), "pad");
  ACCEPT("pad", 5, PADDED(one, (2147483646), (0), .mode = WEBNN_PADDING_EDGE));
  REFUSE("pad", 5, PADDED(x, (65534, 32765), (0, 0), .mode = WEBNN_PADDING_EDGE), "pad");
  ACCEPT("pad", 5, PADDED(x, (65534, 32764), (0, 0), .mode = WEBNN_PADDING_EDGE));
#undef PADDED
}

typedef webnn_operand *(*pool_function)(webnn_builder *, webnn_operand *,
                                        const webnn_pool2d_options *);

static void check_pool(const char *m, pool_function pool) {
  webnn_operand *x = F32(1, 2, 5, 5), *seven = F32(1, 2, 7, 7);
#define POOL2D(...) pool(builder, x, &OPTIONS(pool2d, __VA_ARGS__))
  REFUSE(m, 6, POOL2D(.window_dimensions = WEBNN_LIST(2)), "windowDimensions", "2", "1");
  REFUSE(m, 6, POOL2D(.window_dimensions = WEBNN_EMPTY_LIST), "windowDimensions", "2", "0");
  REFUSE(m, 6, POOL2D(.window_dimensions = WEBNN_LIST(2, 2, 2)), "windowDimensions", "2", "3");
  ACCEPT(m, 6, POOL2D(.window_dimensions = WEBNN_LIST(2, 2)));
  REFUSE(m, 7, POOL2D(.window_dimensions = WEBNN_LIST(2, 0)), "windowDimensions", "0");
  ACCEPT(m, 7, POOL2D(.window_dimensions = WEBNN_LIST(2, 1)));
  REFUSE(m, 8, POOL2D(.padding = WEBNN_LIST(1, 1)), "padding", "4", "2");
  ACCEPT(m, 8, POOL2D(.padding = WEBNN_LIST(1, 1, 1, 1)));
  REFUSE(m, 9, POOL2D(.strides = WEBNN_LIST(1, 1, 1)), "strides", "2", "3");
  ACCEPT(m, 9, POOL2D(.strides = WEBNN_LIST(1, 1)));
  REFUSE(m, 10, POOL2D(.strides = WEBNN_LIST(0, 1)), "strides", "0");
  ACCEPT(m, 10, POOL2D(.strides = WEBNN_LIST(2, 1)));
  REFUSE(m, 12, POOL2D(.dilations = WEBNN_LIST(1)), "dilations", "2", "1");
  ACCEPT(m, 12, POOL2D(.dilations = WEBNN_LIST(1, 1)));
  REFUSE(m, 13, POOL2D(.dilations = WEBNN_LIST(1, 0)), "dilations", "0");
  ACCEPT(m, 13, POOL2D(.window_dimensions = WEBNN_LIST(2, 2), .dilations = WEBNN_LIST(1, 2)));
  REFUSE(m, 15, POOL2D(.window_dimensions = WEBNN_LIST(6, 1)), m);
  REFUSE(m, 15, POOL2D(.window_dimensions = WEBNN_LIST(1, 6)), m);
  REFUSE(m, 15, POOL2D(.window_dimensions = WEBNN_LIST(4294967295u, 4294967295u)), m);
  REFUSE(m, 15, POOL2D(.window_dimensions = WEBNN_LIST(2, 2), .dilations = WEBNN_LIST(5, 1)), m);
  REFUSE(m, 15,
         POOL2D(.window_dimensions = WEBNN_LIST(1, 1), .padding = WEBNN_LIST(2147483647, 0, 0, 0)),
         m);
  REFUSE(m, 15,
         POOL2D(.window_dimensions = WEBNN_LIST(1, 1), .padding = WEBNN_LIST(65535, 0, 65535, 0)),
         m);
  ACCEPT(m, 15, POOL2D(.window_dimensions = WEBNN_LIST(5, 5)));
  /* A window one longer than the input: the ceiling form still has one place for it. */
  ACCEPT(m, 15,
         POOL2D(.window_dimensions = WEBNN_LIST(6, 6), .strides = WEBNN_LIST(2, 2),
                .output_shape_rounding = WEBNN_ROUNDING_CEIL));
  REFUSE(m, 15,
         POOL2D(.window_dimensions = WEBNN_LIST(7, 7), .strides = WEBNN_LIST(2, 2),
                .output_shape_rounding = WEBNN_ROUNDING_CEIL),
         m);
  ACCEPT(m, 5, POOL2D(.layout = WEBNN_LAYOUT_NHWC));
  /* D9: rows and columns 3.5 -> 3 or 4, with the padding kept; both must be rounded alike. */
#define SIZED(h, w)                                                                                \
  POOL2D(.window_dimensions = WEBNN_LIST(4, 4), .padding = WEBNN_LIST(1, 1, 1, 1),                 \
         .strides = WEBNN_LIST(2, 2), .output_sizes = WEBNN_LIST(h, w))
  x = seven;
  REFUSE(m, 11, POOL2D(.output_sizes = WEBNN_LIST(1)), "outputSizes", "2", "1");
  REFUSE(m, 11, POOL2D(.output_sizes = WEBNN_EMPTY_LIST), "outputSizes", "2", "0");
  ACCEPT(m, 11, POOL2D(.output_sizes = WEBNN_LIST(1, 1)));
  REFUSE(m, 14, SIZED(3, 4), "outputSizes", "3", "4");
  REFUSE(m, 14, SIZED(4, 3), "outputSizes", "3", "4");
  REFUSE(m, 14, SIZED(2, 2), "outputSizes", "2");
  REFUSE(m, 14, SIZED(5, 5), "outputSizes", "5");
  REFUSE(m, 14, SIZED(0, 0), "outputSizes", "0");
  ACCEPT(m, 14, SIZED(3, 3));
  ACCEPT(m, 14, SIZED(4, 4));
  x = F32(1, 2, 5, 5);
  REFUSE(m, 14,
         POOL2D(.window_dimensions = WEBNN_LIST(2, 2), .padding = WEBNN_LIST(2, 2, 2, 2),
                .strides = WEBNN_LIST(2, 2), .output_sizes = WEBNN_LIST(3, 3)),
         "outputSizes", "3");
  /* Sizes smaller than the strides are no error. */
  ACCEPT(m, 11,
         POOL2D(.window_dimensions = WEBNN_LIST(2, 2), .strides = WEBNN_LIST(3, 3),
                .output_sizes = WEBNN_LIST(2, 2)));
  reading(9);
#undef SIZED
#undef POOL2D
}

typedef webnn_operand *(*reduce_function)(webnn_builder *, webnn_operand *,
                                          const webnn_reduce_options *);

static void check_reduction(const char *m, reduce_function reduce) {
  webnn_operand *x = F32(2, 3, 4);
#define REDUCE(...) reduce(builder, x, &OPTIONS(reduce, __VA_ARGS__))
  REFUSE(m, 4, REDUCE(.axes = WEBNN_LIST(3)), "axes", "3");
  REFUSE(m, 4, REDUCE(.axes = WEBNN_LIST(0, 4294967294u)), "axes", "4294967294 is -2");
  REFUSE(m, 4, REDUCE(.axes = WEBNN_LIST(0, 2, 0)), "axes", "0");
  ACCEPT(m, 4, REDUCE(.axes = WEBNN_LIST(2, 0), .keep_dimensions = true));
  ACCEPT(m, 4, REDUCE(.axes = WEBNN_EMPTY_LIST));
  x = SCALAR_OF(WEBNN_FLOAT32);
  REFUSE(m, 4, REDUCE(.axes = WEBNN_LIST(0)), "axes", "0");
  ACCEPT(m, 4, REDUCE(.axes = WEBNN_EMPTY_LIST));
#undef REDUCE
}

static void check_resample2d(void) {
  const char *m = "resample2d";
  webnn_operand *x = U8(1, 2, 4, 4);
#define RESAMPLE(...) webnn_resample2d(builder, x, &OPTIONS(resample2d, __VA_ARGS__))
  REFUSE(m, 5, RESAMPLE(.scales = WEBNN_FLOAT_LIST(2, 0)), "scales", "0");
  REFUSE(m, 5, RESAMPLE(.scales = WEBNN_FLOAT_LIST(-1, 2)), "scales");
  REFUSE(m, 5, RESAMPLE(.scales = WEBNN_FLOAT_LIST(NAN, 2)), "scales");
  REFUSE(m, 5, RESAMPLE(.scales = WEBNN_FLOAT_LIST(2, INFINITY)), "scales");
  REFUSE(m, 5, RESAMPLE(.scales = WEBNN_FLOAT_LIST(2)), "scales", "2", "1");
  REFUSE(m, 5, RESAMPLE(.scales = WEBNN_FLOAT_LIST(2, 0), .sizes = WEBNN_LIST(8, 8)), "scales");
  ACCEPT(m, 5, RESAMPLE(.scales = WEBNN_FLOAT_LIST(2, 0.5f)));
  REFUSE(m, 6, RESAMPLE(.sizes = WEBNN_LIST(8)), "sizes", "2", "1");
  REFUSE(m, 6, RESAMPLE(.sizes = WEBNN_LIST(8, 0)), "sizes", "0");
  REFUSE(m, 6, RESAMPLE(.sizes = WEBNN_EMPTY_LIST), "sizes", "2", "0");
  ACCEPT(m, 6, RESAMPLE(.sizes = WEBNN_LIST(8, 1), .scales = WEBNN_FLOAT_LIST(0.01f, 1e9f)));
  REFUSE(m, 7, RESAMPLE(.axes = WEBNN_LIST(2, 2)), "axes", "2");
  REFUSE(m, 7, RESAMPLE(.axes = WEBNN_LIST(2, 4)), "axes", "4");
  REFUSE(m, 7, RESAMPLE(.axes = WEBNN_LIST(2)), "axes", "2", "1");
  REFUSE(m, 7, RESAMPLE(.axes = WEBNN_LIST(1, 2, 3)), "axes", "2", "3");
  ACCEPT(m, 7, RESAMPLE(.axes = WEBNN_LIST(3, 2)));
  ACCEPT(m, 7, RESAMPLE(.axes = WEBNN_LIST(0, 3), .sizes = WEBNN_LIST(2, 2)));
  reading(15);
  REFUSE(m, 8, RESAMPLE(.scales = WEBNN_FLOAT_LIST(0.2f, 1)), "scales");
  ACCEPT(m, 8, RESAMPLE(.scales = WEBNN_FLOAT_LIST(0.25f, 1)));
  REFUSE(m, 8, RESAMPLE(.sizes = WEBNN_LIST(2147483648u, 1)), "sizes", "2147483648");
  REFUSE(m, 8, RESAMPLE(.scales = WEBNN_FLOAT_LIST(1, 3.0e38f)), "scales");
  REFUSE(m, 8, RESAMPLE(.scales = WEBNN_FLOAT_LIST(1, 1.0e-38f)), "scales");
  REFUSE(m, 8, RESAMPLE(.scales = WEBNN_FLOAT_LIST(1, 536870912)), "2147483648");
  ACCEPT(m, 8, RESAMPLE(.scales = WEBNN_FLOAT_LIST(0.25f, 33554432)));
  REFUSE(m, 8, RESAMPLE(.sizes = WEBNN_LIST(32768, 32768)), m);
  ACCEPT(m, 8, RESAMPLE(.sizes = WEBNN_LIST(32768, 32767)));
#undef RESAMPLE
}

static void check_reshape(void) {
  webnn_operand *x = F32(2, 3), *one = F32(1), *scalar = SCALAR_OF(WEBNN_FLOAT32);
#define RESHAPE(input, ...) webnn_reshape(builder, input, LONG_LIST(__VA_ARGS__), PLAIN)
  REFUSE("reshape", 3, RESHAPE(one, 1, 1, 1, 1, 1, 1, 1, 1, 1), "newShape", "9", "8");
  ACCEPT("reshape", 3, RESHAPE(one, 1, 1, 1, 1, 1, 1, 1, 1));
  REFUSE("reshape", 3, webnn_reshape(builder, one, ABSENT, PLAIN), "newShape");
  ACCEPT("reshape", 3, webnn_reshape(builder, one, WEBNN_EMPTY_LIST, PLAIN));
  REFUSE("reshape", 4, RESHAPE(x, 6, 0), "newShape", "0");
  REFUSE("reshape", 4, RESHAPE(x, 4294967295u), "newShape", "4294967295");
  REFUSE("reshape", 4, RESHAPE(x, 2147483648u, 1), "newShape", "2147483648");
  ACCEPT("reshape", 4, RESHAPE(x, 6, 1));
  REFUSE("reshape", 5, RESHAPE(x, 3, 3), "newShape", "9", "6");
  REFUSE("reshape", 5, webnn_reshape(builder, x, WEBNN_EMPTY_LIST, PLAIN), "newShape", "6");
  /* These are 2^65 + 1 elements, which is 1 modulo 2^64. */
  REFUSE("reshape", 5, RESHAPE(one, 3, 11, 131, 2731, 409891, 7623851), "newShape");
  REFUSE("reshape", 5, RESHAPE(scalar, 3, 11, 131, 2731, 409891, 7623851), "newShape");
  ACCEPT("reshape", 5, RESHAPE(x, 3, 2));
#undef RESHAPE
}

static void check_reverse(void) {
  webnn_operand *x = F32(2, 3);
#define REVERSE(...) webnn_reverse(builder, x, &OPTIONS(reverse, __VA_ARGS__))
  REFUSE("reverse", 4, REVERSE(.axes = WEBNN_LIST(2)), "axes", "2");
  REFUSE("reverse", 4, REVERSE(.axes = WEBNN_LIST(1, 1)), "axes", "1");
  ACCEPT("reverse", 4, REVERSE(.axes = WEBNN_LIST(1, 0)));
  ACCEPT("reverse", 4, REVERSE(.axes = WEBNN_EMPTY_LIST));
  reading(16);
#undef REVERSE
}

static void check_scatter(void) {
  const char *e = "scatterElements", *n = "scatterND";
  webnn_operand *x = F32(4, 3), *i = I32(2, 3), *u = F32(2, 3);
#define SCATTER(indices, updates, a)                                                               \
  webnn_scatter_elements(builder, x, indices, updates, &OPTIONS(scatter, .axis = a))
  REFUSE(e, 6, SCATTER(i, u, 2), "axis", "2");
  REFUSE(e, 6, SCATTER(i, u, 4294967295u), "axis", "4294967295");
  ACCEPT(e, 6, SCATTER(I32(4, 2), F32(4, 2), 1));
  REFUSE(e, 7, SCATTER(I32(2, 2), F32(2, 2), 0), "indices", "2", "3");
  ACCEPT(e, 7, SCATTER(I32(9, 3), F32(9, 3), 0));
  REFUSE(e, 8, SCATTER(i, F32(1, 3), 0), "updates", "1", "2");
  ACCEPT(e, 8, SCATTER(i, u, 0));
#undef SCATTER
#define SCATTER(indices, updates) webnn_scatter_nd(builder, x, indices, updates, PLAIN)
  REFUSE(n, 5, SCATTER(SCALAR_OF(WEBNN_INT32), F32(2)), "indices", "rank", "0");
  REFUSE(n, 6, SCATTER(I32(2, 3), F32(2)), "indices", "3", "2");
  ACCEPT(n, 6, SCATTER(I32(5, 2), F32(5)));
  REFUSE(n, 7, SCATTER(I32(2, 1), F32(2, 4)), "updates", "4", "3");
  REFUSE(n, 7, SCATTER(I32(2, 1), F32(3, 3)), "updates", "3", "2");
  REFUSE(n, 7, SCATTER(I32(1, 2, 1), F32(2, 3)), "updates");
  /* Seven dimensions of indices and two of input are more than a tensor has. */
  REFUSE(n, 7,
         webnn_scatter_nd(builder, F32(4, 3, 2), I32(1, 1, 1, 1, 1, 1, 2, 1), F32(2, 3, 2), PLAIN),
         n, "9", "8");
  ACCEPT(n, 7, SCATTER(I32(1, 2, 1), F32(1, 2, 3)));
  ACCEPT(n, 7, SCATTER(I32(2), SCALAR_OF(WEBNN_FLOAT32)));
  /* D17: the output is as long as the input, whatever the indices. */
  CHECK("D/17", webnn_operand_shape(SCATTER(I32(5, 2), F32(5))).count == 2, "scatterND's rank");
  reading(17);
#undef SCATTER
}

static void check_slice(void) {
  webnn_operand *x = F32(4, 6), *scalar = SCALAR_OF(WEBNN_FLOAT32);
#define SLICE(starts, sizes, ...)                                                                  \
  webnn_slice(builder, x, WEBNN_LIST starts, WEBNN_LIST sizes, &OPTIONS(slice, __VA_ARGS__))
#define ALL_ONES .strides = WEBNN_LIST(1, 1)
  REFUSE("slice", 3, SLICE((0, 0), (4, 0), ALL_ONES), "sizes", "0");
  ACCEPT("slice", 3, SLICE((0, 0), (4, 1), ALL_ONES));
  REFUSE("slice", 4, SLICE((0), (4, 1), ALL_ONES), "starts", "1", "2");
  REFUSE("slice", 4, SLICE((0, 0), (4, 1, 1), ALL_ONES), "sizes", "3", "2");
  REFUSE("slice", 4, webnn_slice(builder, x, ABSENT, WEBNN_LIST(1, 1), SLICE_OPTIONS), "starts");
  REFUSE("slice", 4,
         webnn_slice(builder, x, WEBNN_LIST(1, 1), webnn_list_of(NULL, 2), SLICE_OPTIONS), "sizes");
  REFUSE("slice", 4, webnn_slice(builder, scalar, ABSENT, WEBNN_EMPTY_LIST, SLICE_OPTIONS),
         "starts");
  REFUSE("slice", 4, webnn_slice(builder, scalar, WEBNN_EMPTY_LIST, ABSENT, SLICE_OPTIONS),
         "sizes");
  ACCEPT("slice", 4,
         webnn_slice(builder, scalar, WEBNN_EMPTY_LIST, WEBNN_EMPTY_LIST, SLICE_OPTIONS));
  REFUSE("slice", 5, SLICE((0, 0), (4, 1), .strides = WEBNN_LIST(1)), "strides", "1", "2");
  REFUSE("slice", 5, SLICE((0, 0), (4, 1), .strides = WEBNN_EMPTY_LIST), "strides", "0", "2");
  ACCEPT("slice", 5, SLICE((0, 0), (4, 1), .strides = WEBNN_LIST(9, 9)));
  REFUSE("slice", 6, SLICE((0, 0), (4, 1), .strides = WEBNN_LIST(1, 0)), "strides", "0");
  REFUSE("slice", 6, SLICE((5, 0), (1, 1), ALL_ONES), "starts", "5", "4");
  REFUSE("slice", 6, SLICE((4, 0), (1, 1), ALL_ONES), "4");
  REFUSE("slice", 6, SLICE((0, 3), (4, 4), ALL_ONES), "sizes", "3", "4", "6");
  REFUSE("slice", 6, SLICE((0, 1), (4, 4294967295u), ALL_ONES), "sizes", "4294967295");
  REFUSE("slice", 6, SLICE((0, 4294967295u), (4, 2), ALL_ONES), "starts", "4294967295");
  ACCEPT("slice", 6, SLICE((3, 3), (1, 3), ALL_ONES));
#undef ALL_ONES
#undef SLICE
}

static void check_softmax(void) {
  webnn_operand *x = F32(2, 3);
  REFUSE("softmax", 4, webnn_softmax(builder, x, 2, PLAIN), "axis", "2");
  ACCEPT("softmax", 4, webnn_softmax(builder, x, 1, PLAIN));
}

static void check_split(void) {
  webnn_operand *x = F32(4, 3), *longer = F32(8193);
  uint32_t *ones = test_allocate(8193 * sizeof *ones);
  size_t i;
#define SPLIT(input, n, ...)                                                                       \
  FIRST((n) > 8192 ? 1 : (n), /* of too many only the first is set to NULL */                      \
        webnn_split(builder, input, n, &OPTIONS(split, __VA_ARGS__), outputs))
#define SIZES(input, sizes, count)                                                                 \
  FIRST(count, webnn_split_sizes(builder, input, sizes, count, &OPTIONS(split, .axis = 0), outputs))
#define TWO_SIZES(input, a, b, n)                                                                  \
  FIRST(2, webnn_split_sizes(builder, input, WEBNN_SPLITS(a, b), &OPTIONS(split, .axis = n),       \
                             outputs))
  REFUSE("split", 3, SPLIT(x, 2, .axis = 2), "axis", "2");
  REFUSE("split", 3, SPLIT(x, 2, .axis = 4294967295u), "axis", "4294967295");
  ACCEPT("split", 3, SPLIT(x, 3, .axis = 1));
  REFUSE("split", 4, SPLIT(x, 0, .axis = 0), "splits", "0");
  REFUSE("split", 4, SPLIT(longer, 8193, .axis = 0), "splits", "8193", "8192");
  REFUSE("split", 4, SPLIT(x, 3, .axis = 0), "splits", "3", "4");
  REFUSE("split", 4, SPLIT(x, 8, .axis = 0), "splits", "8", "4");
  ACCEPT("split", 4, SPLIT(F32(8192), 8192, .axis = 0));
  for (i = 0; i < 8193; i++)
    ones[i] = 1;
  REFUSE("split", 5, SIZES(longer, ones, 8193), "splits", "8193", "8192");
  REFUSE("split", 5, SIZES(x, ones, 0), "splits", "0");
  REFUSE("split", 5, SIZES(x, NULL, 0), "splits");
  REFUSE("split", 5, SIZES(x, NULL, 2), "splits");
  REFUSE("split", 5, TWO_SIZES(x, 4, 0, 0), "splits", "0");
  REFUSE("split", 5, TWO_SIZES(x, 1, 2, 0), "splits", "3", "4");
  REFUSE("split", 5, TWO_SIZES(x, 4294967295u, 5, 0), "splits", "4");
  /* The second form has the first three steps too. */
  REFUSE("split", 2, TWO_SIZES(NULL, 1, 3, 0), "input");
  REFUSE("split", 2, TWO_SIZES(make(foreign, WEBNN_FLOAT32, WEBNN_LIST(4)), 1, 3, 0), "input",
         "builder");
  REFUSE("split", 3, TWO_SIZES(x, 1, 3, 2), "axis", "2");
  REFUSE("split", 0, TWO_SIZES(make(builder, WEBNN_INT4, WEBNN_LIST(4)), 1, 3, 0), "input", "int4");
  ACCEPT("split", 3, TWO_SIZES(F32(2, 4), 1, 3, 1));
  REFUSE("split", 0,
         webnn_split_sizes(builder, x, WEBNN_SPLITS(1, 3), &OPTIONS(split, .axis = 0), NULL) ? x
                                                                                             : NULL,
         "outputs");
  outputs[0] = outputs[1] = x;
  CHECK("split/0",
        webnn_split_sizes(NULL, x, WEBNN_SPLITS(1, 3), NULL, outputs) == 0 && outputs[0] == NULL &&
            outputs[1] == NULL,
        "results of no builder");
  REFUSE("split", 0, webnn_split(builder, x, 2, &OPTIONS(split, .axis = 0), NULL) ? x : NULL,
         "outputs");
  ACCEPT("split", 5, SIZES(F32(8192), ones, 8192));
  ACCEPT("split", 5, TWO_SIZES(x, 1, 3, 0));
  CHECK("D/2", test_same_list(webnn_operand_shape(x), WEBNN_LIST(4, 3)),
        "split changed its input's shape");
  reading(2);
  free(ones);
#undef SPLIT
#undef TWO_SIZES
#undef SIZES
}

static void check_tile(void) {
  webnn_operand *x = U8(2, 3), *one = U8(65536), *scalar = SCALAR_OF(WEBNN_UINT8);
#define TILE(input, ...) webnn_tile(builder, input, WEBNN_LIST(__VA_ARGS__), PLAIN)
  REFUSE("tile", 3, TILE(x, 2), "repetitions", "1", "2");
  REFUSE("tile", 3, TILE(x, 2, 2, 2), "repetitions", "3", "2");
  REFUSE("tile", 3, webnn_tile(builder, scalar, ABSENT, PLAIN), "repetitions");
  ACCEPT("tile", 3, webnn_tile(builder, scalar, WEBNN_EMPTY_LIST, PLAIN));
  ACCEPT("tile", 3, TILE(x, 2, 2));
  REFUSE("tile", 4, TILE(x, 0, 1), "repetitions", "0");
  ACCEPT("tile", 4, TILE(x, 1, 1));
  REFUSE("tile", 5, TILE(one, 32768), "tile");
  REFUSE("tile", 5, TILE(one, 65536), "tile");
  REFUSE("tile", 5, TILE(one, 4294967295u), "tile");
  ACCEPT("tile", 5, TILE(one, 32767));
#undef TILE
}

static void check_transpose(void) {
  webnn_operand *x = F32(2, 3, 4);
#define TRANSPOSE(...)                                                                             \
  webnn_transpose(builder, x, &OPTIONS(transpose, .permutation = WEBNN_LIST(__VA_ARGS__)))
  REFUSE("transpose", 3, TRANSPOSE(1, 0), "permutation", "2", "3");
  REFUSE("transpose", 3, TRANSPOSE(1, 0, 3), "permutation", "3");
  REFUSE("transpose", 3, TRANSPOSE(1, 0, 1), "permutation", "1");
  REFUSE("transpose", 3, TRANSPOSE(4294967295u, 0, 1), "permutation");
  REFUSE("transpose", 3,
         webnn_transpose(builder, x, &OPTIONS(transpose, .permutation = WEBNN_EMPTY_LIST)),
         "permutation", "0", "3");
  ACCEPT("transpose", 3, TRANSPOSE(1, 2, 0));
  CHECK("D/18", test_same_list(webnn_operand_shape(TRANSPOSE(1, 2, 0)), WEBNN_LIST(3, 4, 2)),
        "transpose kept the shape");
  reading(18);
#undef TRANSPOSE
}

static void check_triangular(void) {
  webnn_operand *x = F32(2, 3);
  REFUSE("triangular", 3, webnn_triangular(builder, F32(3), &OPTIONS(triangular, .diagonal = 1)),
         "input", "1", "2");
  ACCEPT("triangular", 3,
         webnn_triangular(builder, x, &OPTIONS(triangular, .diagonal = INT32_MIN)));
  ACCEPT("triangular", 3,
         webnn_triangular(builder, x, &OPTIONS(triangular, .diagonal = INT32_MAX)));
}

static void check_where(void) {
#define WHERE(c, t, f) webnn_where(builder, c, t, f, PLAIN)
  REFUSE("where", 4, WHERE(U8(2, 3), F32(2, 3), F32(2, 4)), "3", "4");
  ACCEPT("where", 4, WHERE(U8(2, 3), F32(2, 1), F32(1, 3)));
  REFUSE("where", 5, WHERE(U8(2, 4), F32(2, 1), F32(1, 3)), "condition", "4", "3");
  ACCEPT("where", 5, WHERE(U8(5, 2, 3), F32(2, 1), SCALAR_OF(WEBNN_FLOAT32)));
  REFUSE("where", 5, WHERE(U8(65536, 1), U8(1, 32768), U8(1)), "where");
  ACCEPT("where", 5, WHERE(U8(65536, 1), U8(1, 32767), U8(1)));
#undef WHERE
}

/* squeeze, unsqueeze, flatten: helpers without numbered steps. */
static void check_reshaping_helpers(void) {
  webnn_operand *x = F32(2, 1, 3, 1), *deep = F32(1, 1, 1, 1, 1, 1, 1, 1);
  const uint32_t many[17] = {0};
  REFUSE("squeeze", 0, webnn_squeeze(builder, x, WEBNN_LIST(0), PLAIN), "axes", "0");
  REFUSE("squeeze", 0, webnn_squeeze(builder, x, WEBNN_LIST(4), PLAIN), "axes", "4");
  REFUSE("squeeze", 0, webnn_squeeze(builder, x, WEBNN_LIST(1, 1), PLAIN), "axes", "1");
  REFUSE("squeeze", 0, webnn_squeeze(builder, x, webnn_list_of(many, 17), PLAIN), "axes", "0]...");
  REFUSE("squeeze", 0, webnn_squeeze(builder, NULL, ABSENT, PLAIN), "input");
  ACCEPT("squeeze", 0, webnn_squeeze(builder, x, WEBNN_LIST(3, 1), PLAIN));
  ACCEPT("squeeze", 0, webnn_squeeze(builder, x, ABSENT, NULL));
  ACCEPT("squeeze", 0, webnn_squeeze(builder, x, WEBNN_EMPTY_LIST, PLAIN));
  REFUSE("unsqueeze", 0, webnn_unsqueeze(builder, x, WEBNN_LIST(5), PLAIN), "axes", "5");
  REFUSE("unsqueeze", 0, webnn_unsqueeze(builder, x, WEBNN_LIST(1, 1), PLAIN), "axes", "1");
  REFUSE("unsqueeze", 0, webnn_unsqueeze(builder, x, ABSENT, PLAIN), "axes");
  REFUSE("unsqueeze", 0, webnn_unsqueeze(builder, deep, WEBNN_LIST(0), PLAIN), "9", "8");
  REFUSE("unsqueeze", 0, webnn_unsqueeze(builder, NULL, WEBNN_LIST(0), PLAIN), "input");
  ACCEPT("unsqueeze", 0, webnn_unsqueeze(builder, x, WEBNN_LIST(0, 5), NULL));
  ACCEPT("unsqueeze", 0, webnn_unsqueeze(builder, x, WEBNN_LIST(4), PLAIN));
  REFUSE("flatten", 0, webnn_flatten(builder, x, 5, PLAIN), "axis", "5");
  REFUSE("flatten", 0, webnn_flatten(builder, NULL, 0, PLAIN), "input");
  REFUSE("flatten", 0,
         webnn_flatten(builder, make(foreign, WEBNN_FLOAT32, WEBNN_LIST(2)), 0, PLAIN), "input",
         "builder");
  CHECK("flatten",
        webnn_flatten(NULL, x, 0, PLAIN) == NULL && webnn_squeeze(NULL, x, ABSENT, PLAIN) == NULL &&
            webnn_unsqueeze(NULL, x, WEBNN_LIST(0), PLAIN) == NULL,
        "a result of no builder");
  ACCEPT("flatten", 0, webnn_flatten(builder, x, 4, PLAIN));
  ACCEPT("flatten", 0, webnn_flatten(builder, x, 0, NULL));
}

static void check_by_hand(void) {
  static const struct {
    webnn_op op;
    reduce_function reduce;
  } reductions[] = {{WEBNN_OP_REDUCE_L1, webnn_reduce_l1},
                    {WEBNN_OP_REDUCE_L2, webnn_reduce_l2},
                    {WEBNN_OP_REDUCE_LOG_SUM, webnn_reduce_log_sum},
                    {WEBNN_OP_REDUCE_LOG_SUM_EXP, webnn_reduce_log_sum_exp},
                    {WEBNN_OP_REDUCE_MAX, webnn_reduce_max},
                    {WEBNN_OP_REDUCE_MEAN, webnn_reduce_mean},
                    {WEBNN_OP_REDUCE_MIN, webnn_reduce_min},
                    {WEBNN_OP_REDUCE_PRODUCT, webnn_reduce_product},
                    {WEBNN_OP_REDUCE_SUM, webnn_reduce_sum},
                    {WEBNN_OP_REDUCE_SUM_SQUARE, webnn_reduce_sum_square}};
  size_t i;
  int op;
  check_arg("argMin", webnn_arg_min);
  check_arg("argMax", webnn_arg_max);
  check_batch_normalization();
  check_cast();
  check_clamp();
  check_concat();
  check_conv2d();
  check_conv_transpose2d();
  check_cumulative_sum();
  for (op = WEBNN_OP_ADD; op <= WEBNN_OP_POW; op++)
    check_broadcast((webnn_op)op, 4);
  for (op = WEBNN_OP_EQUAL; op <= WEBNN_OP_LOGICAL_XOR; op++)
    if (op != WEBNN_OP_LOGICAL_NOT)
      check_broadcast((webnn_op)op, 5);
  check_dequantize_and_quantize();
  check_expand();
  check_gather();
  check_gather_elements();
  check_gather_nd();
  check_gemm();
  check_gru();
  check_gru_cell();
  check_instance_normalization();
  check_layer_normalization();
  check_lstm();
  check_lstm_cell();
  check_matmul();
  check_pad();
  check_pool("averagePool2d", webnn_average_pool2d);
  check_pool("l2Pool2d", webnn_l2_pool2d);
  check_pool("maxPool2d", webnn_max_pool2d);
  check_broadcast(WEBNN_OP_PRELU, 4);
  for (i = 0; i < COUNT(reductions); i++)
    check_reduction(webnn_op_name(reductions[i].op), reductions[i].reduce);
  check_resample2d();
  check_reshape();
  check_reverse();
  check_scatter();
  check_slice();
  check_softmax();
  check_split();
  check_tile();
  check_transpose();
  check_triangular();
  check_where();
  check_reshaping_helpers();
  reading(1); /* computed outputs that are too large, in nearly all of the above */
}

/* ---- 6 options: numbers, enumerations, labels ------------------------------------------------ */

static webnn_operand *cube, *four, *square, *bytes; /* float32 [4,4,4,4], [4], [4,4]; uint8 [4,4] */

static void make_option_operands(void) {
  cube = F32(4, 4, 4, 4);
  four = F32(4);
  square = F32(4, 4);
  bytes = U8(4, 4);
}

#define NUMBER_OPTION(name, call)                                                                  \
  static webnn_operand *name(webnn_number n) {                                                     \
    return call;                                                                                   \
  }
NUMBER_OPTION(number_batch_axis,
              webnn_batch_normalization(builder, cube, four, four,
                                        &OPTIONS(batch_normalization, .axis = n)))
NUMBER_OPTION(number_batch_epsilon,
              webnn_batch_normalization(builder, cube, four, four,
                                        &OPTIONS(batch_normalization, .epsilon = n)))
NUMBER_OPTION(number_instance_epsilon,
              webnn_instance_normalization(builder, cube,
                                           &OPTIONS(instance_normalization, .epsilon = n)))
NUMBER_OPTION(number_layer_epsilon,
              webnn_layer_normalization(builder, cube, &OPTIONS(layer_normalization, .epsilon = n)))
NUMBER_OPTION(number_elu_alpha, webnn_elu(builder, cube, &OPTIONS(elu, .alpha = n)))
NUMBER_OPTION(number_gemm_alpha, webnn_gemm(builder, square, square, &OPTIONS(gemm, .alpha = n)))
NUMBER_OPTION(number_gemm_beta, webnn_gemm(builder, square, square, &OPTIONS(gemm, .beta = n)))
NUMBER_OPTION(number_hard_sigmoid_alpha,
              webnn_hard_sigmoid(builder, cube, &OPTIONS(hard_sigmoid, .alpha = n)))
NUMBER_OPTION(number_hard_sigmoid_beta,
              webnn_hard_sigmoid(builder, cube, &OPTIONS(hard_sigmoid, .beta = n)))
NUMBER_OPTION(number_leaky_relu_alpha,
              webnn_leaky_relu(builder, cube, &OPTIONS(leaky_relu, .alpha = n)))
NUMBER_OPTION(number_linear_alpha, webnn_linear(builder, cube, &OPTIONS(linear, .alpha = n)))
NUMBER_OPTION(number_linear_beta, webnn_linear(builder, cube, &OPTIONS(linear, .beta = n)))
NUMBER_OPTION(number_clamp_min, webnn_clamp(builder, cube, &OPTIONS(clamp, .min_value = n)))
NUMBER_OPTION(number_clamp_max, webnn_clamp(builder, cube, &OPTIONS(clamp, .max_value = n)))
NUMBER_OPTION(number_clamp_bytes_min, webnn_clamp(builder, bytes, &OPTIONS(clamp, .min_value = n)))
NUMBER_OPTION(number_pad_value, webnn_pad(builder, square, WEBNN_LIST(1, 1), WEBNN_LIST(1, 1),
                                          &OPTIONS(pad, .value = n)))
NUMBER_OPTION(number_pad_bytes_value, webnn_pad(builder, bytes, WEBNN_LIST(1, 1), WEBNN_LIST(1, 1),
                                                &OPTIONS(pad, .value = n)))

/* UNSIGNED_LONG: [EnforceRange] unsigned long, FINITE: double, FREE: MLNumber. */
typedef enum number_type { UNSIGNED_LONG, FINITE, FREE } number_type;

static void check_number_options(void) {
  static const struct {
    const char *method, *option;
    int step;
    number_type type;
    webnn_operand *(*call)(webnn_number);
  } options[] = {
      {"batchNormalization", "axis", 4, UNSIGNED_LONG, number_batch_axis},
      {"batchNormalization", "epsilon", 9, FINITE, number_batch_epsilon},
      {"instanceNormalization", "epsilon", 5, FINITE, number_instance_epsilon},
      {"layerNormalization", "epsilon", 5, FINITE, number_layer_epsilon},
      {"elu", "alpha", 4, FINITE, number_elu_alpha},
      {"gemm", "alpha", 5, FINITE, number_gemm_alpha},
      {"gemm", "beta", 5, FINITE, number_gemm_beta},
      {"hardSigmoid", "alpha", 4, FINITE, number_hard_sigmoid_alpha},
      {"hardSigmoid", "beta", 4, FINITE, number_hard_sigmoid_beta},
      {"leakyRelu", "alpha", 4, FINITE, number_leaky_relu_alpha},
      {"linear", "alpha", 4, FINITE, number_linear_alpha},
      {"linear", "beta", 4, FINITE, number_linear_beta},
      {"clamp", "minValue", 3, FREE, number_clamp_min},
      {"clamp", "maxValue", 4, FREE, number_clamp_max},
      {"clamp", "minValue", 3, FREE, number_clamp_bytes_min},
      {"pad", "value", 6, FREE, number_pad_value},
      {"pad", "value", 6, FREE, number_pad_bytes_value},
  };
  const double infinity = (double)INFINITY, nan = (double)NAN;
  size_t i;
  for (i = 0; i < COUNT(options); i++) {
    const char *m = options[i].method, *o = options[i].option;
    const int step = options[i].step;
    webnn_operand *(*with)(webnn_number) = options[i].call;
    webnn_number odd = webnn_f64(0.5);
    odd.kind = WEBNN_NUMBER_ABSENT; /* a value without a tag */
    REFUSE(m, step, with(odd), o);
    odd.kind = (webnn_number_kind)9;
    REFUSE(m, step, with(odd), o);
    REFUSE(m, step, with((webnn_number){0, 1, WEBNN_NUMBER_ABSENT}), o);
    ACCEPT(m, step, with((webnn_number)WEBNN_ZERO));
    if (options[i].type == UNSIGNED_LONG) {
      ACCEPT(m, step, with(webnn_f64(1)));
      ACCEPT(m, step, with(webnn_f64(1.9))); /* truncated, as the specification's types do */
      ACCEPT(m, step, with(webnn_i64(1)));
      ACCEPT(m, step, with(webnn_u64(1)));
      REFUSE(m, step, with(webnn_f64(-1)), o, "1");
      REFUSE(m, step, with(webnn_i64(-1)), o, "1");
      REFUSE(m, step, with(webnn_f64(4294967297.0)), o);
      REFUSE(m, step, with(webnn_i64(INT64_C(4294967297))), o, "4294967297");
      REFUSE(m, step, with(webnn_u64(UINT64_C(4294967297))), o, "4294967297");
      REFUSE(m, step, with(webnn_u64(UINT64_MAX)), o);
      REFUSE(m, step, with(webnn_f64(1e300)), o);
    }
    if (options[i].type == FINITE) {
      ACCEPT(m, step, with(webnn_f64(0.25)));
      ACCEPT(m, step, with(webnn_f64(-1e300)));
      ACCEPT(m, step, with(webnn_f64(0)));
      ACCEPT(m, step, with(webnn_i64(2)));
      ACCEPT(m, step, with(webnn_u64(2)));
    }
    if (options[i].type == FREE) {
      ACCEPT(m, step, with(webnn_f64(nan)));
      ACCEPT(m, step, with(webnn_f64(0)));
    } else {
      REFUSE(m, step, with(webnn_f64(nan)), o);
      REFUSE(m, step, with(webnn_f64(infinity)), o);
      REFUSE(m, step, with(webnn_f64(-infinity)), o);
    }
  }
  /* An integer number is for integer types. */
  REFUSE("clamp", 3, number_clamp_min(webnn_i64(1)), "minValue", "float32");
  REFUSE("clamp", 4, number_clamp_max(webnn_u64(1)), "maxValue", "float32");
  REFUSE("pad", 6, number_pad_value(webnn_i64(1)), "value", "float32");
  ACCEPT("clamp", 3, number_clamp_bytes_min(webnn_i64(1)));
  ACCEPT("pad", 6, number_pad_bytes_value(webnn_u64(1)));
  ACCEPT("clamp", 3, number_clamp_min(webnn_f64(-infinity)));
  ACCEPT("clamp", 4, number_clamp_max(webnn_f64(infinity)));
  ACCEPT("pad", 6, number_pad_value(webnn_f64(infinity)));
  ACCEPT("pad", 6, number_pad_bytes_value(webnn_f64(-infinity)));
}

#define ENUM_OPTION(name, type, call)                                                              \
  static webnn_operand *name(int number) {                                                         \
    type v = (type)number;                                                                         \
    return call;                                                                                   \
  }
#define CONV_CUBE(...) webnn_conv2d(builder, cube, cube, &OPTIONS(conv2d, __VA_ARGS__))
#define CONV_T_CUBE(...)                                                                           \
  webnn_conv_transpose2d(builder, cube, cube, &OPTIONS(conv_transpose2d, __VA_ARGS__))
ENUM_OPTION(enum_conv_layout, webnn_input_operand_layout, CONV_CUBE(.input_layout = v))
ENUM_OPTION(enum_conv_filter, webnn_conv2d_filter_operand_layout, CONV_CUBE(.filter_layout = v))
ENUM_OPTION(enum_conv_t_layout, webnn_input_operand_layout, CONV_T_CUBE(.input_layout = v))
ENUM_OPTION(enum_conv_t_filter, webnn_conv_transpose2d_filter_operand_layout,
            CONV_T_CUBE(.filter_layout = v))
ENUM_OPTION(enum_instance_layout, webnn_input_operand_layout,
            webnn_instance_normalization(builder, cube,
                                         &OPTIONS(instance_normalization, .layout = v)))
ENUM_OPTION(enum_average_layout, webnn_input_operand_layout,
            webnn_average_pool2d(builder, cube, &OPTIONS(pool2d, .layout = v)))
ENUM_OPTION(enum_l2_layout, webnn_input_operand_layout,
            webnn_l2_pool2d(builder, cube, &OPTIONS(pool2d, .layout = v)))
ENUM_OPTION(enum_max_layout, webnn_input_operand_layout,
            webnn_max_pool2d(builder, cube, &OPTIONS(pool2d, .layout = v)))
ENUM_OPTION(enum_average_rounding, webnn_rounding_type,
            webnn_average_pool2d(builder, cube, &OPTIONS(pool2d, .output_shape_rounding = v)))
ENUM_OPTION(enum_l2_rounding, webnn_rounding_type,
            webnn_l2_pool2d(builder, cube, &OPTIONS(pool2d, .output_shape_rounding = v)))
ENUM_OPTION(enum_max_rounding, webnn_rounding_type,
            webnn_max_pool2d(builder, cube, &OPTIONS(pool2d, .output_shape_rounding = v)))
ENUM_OPTION(enum_pad_mode, webnn_padding_mode,
            webnn_pad(builder, square, WEBNN_LIST(1, 1), WEBNN_LIST(1, 1),
                      &OPTIONS(pad, .mode = v)))
ENUM_OPTION(enum_resample_mode, webnn_interpolation_mode,
            webnn_resample2d(builder, cube, &OPTIONS(resample2d, .mode = v)))

/* One step, batch 1, input 1, hidden 1; two directions where asked. */
#define GRU_ONE(directions, ...)                                                                   \
  FIRST(1, webnn_gru(builder, F32(1, 1, 1), F32(directions, 3, 1), F32(directions, 3, 1), 1, 1,    \
                     &OPTIONS(gru, __VA_ARGS__), outputs))
#define GRU_CELL_ONE(...)                                                                          \
  webnn_gru_cell(builder, F32(1, 1), F32(3, 1), F32(3, 1), F32(1, 1), 1,                           \
                 &OPTIONS(gru_cell, __VA_ARGS__))
#define LSTM_ONE(directions, ...)                                                                  \
  FIRST(2, webnn_lstm(builder, F32(1, 1, 1), F32(directions, 4, 1), F32(directions, 4, 1), 1, 1,   \
                      &OPTIONS(lstm, __VA_ARGS__), outputs))
#define LSTM_CELL_ONE(...)                                                                         \
  FIRST(2, webnn_lstm_cell(builder, F32(1, 1), F32(4, 1), F32(4, 1), F32(1, 1), F32(1, 1), 1,      \
                           &OPTIONS(lstm_cell, __VA_ARGS__), outputs))
ENUM_OPTION(enum_gru_direction, webnn_recurrent_network_direction,
            GRU_ONE(v == WEBNN_DIRECTION_BOTH ? 2 : 1, .direction = v))
ENUM_OPTION(enum_gru_layout, webnn_gru_weight_layout, GRU_ONE(1, .layout = v))
ENUM_OPTION(enum_gru_activation, webnn_recurrent_network_activation,
            GRU_ONE(1, .activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, v)))
ENUM_OPTION(enum_gru_cell_layout, webnn_gru_weight_layout, GRU_CELL_ONE(.layout = v))
ENUM_OPTION(enum_gru_cell_activation, webnn_recurrent_network_activation,
            GRU_CELL_ONE(.activations = WEBNN_ACTIVATIONS(v, WEBNN_ACTIVATION_TANH)))
ENUM_OPTION(enum_lstm_direction, webnn_recurrent_network_direction,
            LSTM_ONE(v == WEBNN_DIRECTION_BOTH ? 2 : 1, .direction = v))
ENUM_OPTION(enum_lstm_layout, webnn_lstm_weight_layout, LSTM_ONE(1, .layout = v))
ENUM_OPTION(enum_lstm_activation, webnn_recurrent_network_activation,
            LSTM_ONE(1, .activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH,
                                                         WEBNN_ACTIVATION_TANH, v)))
ENUM_OPTION(enum_lstm_cell_layout, webnn_lstm_weight_layout, LSTM_CELL_ONE(.layout = v))
ENUM_OPTION(enum_lstm_cell_activation, webnn_recurrent_network_activation,
            LSTM_CELL_ONE(.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, v,
                                                           WEBNN_ACTIVATION_TANH)))

static void check_enumerations(void) {
  static const struct {
    const char *method, *option;
    int step;
    unsigned valid; /* bit i: the value i is one of the enumeration */
    webnn_operand *(*call)(int);
  } options[] = {
      {"conv2d", "inputLayout", 13, 0x3, enum_conv_layout},
      {"conv2d", "filterLayout", 13, 0xf, enum_conv_filter},
      {"convTranspose2d", "inputLayout", 15, 0x3, enum_conv_t_layout},
      {"convTranspose2d", "filterLayout", 15, 0x7, enum_conv_t_filter},
      {"instanceNormalization", "layout", 6, 0x3, enum_instance_layout},
      {"averagePool2d", "layout", 0, 0x3, enum_average_layout},
      {"l2Pool2d", "layout", 0, 0x3, enum_l2_layout},
      {"maxPool2d", "layout", 0, 0x3, enum_max_layout},
      {"averagePool2d", "outputShapeRounding", 14, 0x3, enum_average_rounding},
      {"l2Pool2d", "outputShapeRounding", 14, 0x3, enum_l2_rounding},
      {"maxPool2d", "outputShapeRounding", 14, 0x3, enum_max_rounding},
      {"pad", "mode", 0, 0xf, enum_pad_mode},
      {"resample2d", "mode", 0, 0x3, enum_resample_mode},
      {"gru", "direction", 6, 0x7, enum_gru_direction},
      {"gru", "layout", 0, 0x3, enum_gru_layout},
      {"gru", "activations", 13, 0x7, enum_gru_activation},
      {"gruCell", "layout", 0, 0x3, enum_gru_cell_layout},
      {"gruCell", "activations", 12, 0x7, enum_gru_cell_activation},
      {"lstm", "direction", 7, 0x7, enum_lstm_direction},
      {"lstm", "layout", 0, 0x3, enum_lstm_layout},
      {"lstm", "activations", 15, 0x7, enum_lstm_activation},
      {"lstmCell", "layout", 0, 0x3, enum_lstm_cell_layout},
      {"lstmCell", "activations", 13, 0x7, enum_lstm_cell_activation},
  };
  size_t i;
  int value;
  for (i = 0; i < COUNT(options); i++)
    for (value = -1; value < 10; value++)
      if (value >= 0 && (options[i].valid >> value & 1u))
        ACCEPT(options[i].method, options[i].step, options[i].call(value));
      else
        REFUSE(options[i].method, options[i].step, options[i].call(value), options[i].option);
}

#define LIST_OPTION(name, call)                                                                    \
  static webnn_operand *name(webnn_list l) {                                                       \
    return call;                                                                                   \
  }
#define POOL_CUBE(...) webnn_max_pool2d(builder, cube, &OPTIONS(pool2d, __VA_ARGS__))
LIST_OPTION(list_conv_padding, CONV_CUBE(.padding = l))
LIST_OPTION(list_conv_strides, CONV_CUBE(.strides = l))
LIST_OPTION(list_conv_dilations, CONV_CUBE(.dilations = l))
LIST_OPTION(list_conv_t_padding, CONV_T_CUBE(.padding = l))
LIST_OPTION(list_conv_t_strides, CONV_T_CUBE(.strides = l))
LIST_OPTION(list_conv_t_dilations, CONV_T_CUBE(.dilations = l))
LIST_OPTION(list_conv_t_output_padding, CONV_T_CUBE(.output_padding = l))
LIST_OPTION(list_conv_t_output_sizes, CONV_T_CUBE(.output_sizes = l))
LIST_OPTION(list_expand, webnn_expand(builder, cube, l, PLAIN))
LIST_OPTION(list_layer_axes,
            webnn_layer_normalization(builder, cube, &OPTIONS(layer_normalization, .axes = l)))
LIST_OPTION(list_pad_beginning,
            webnn_pad(builder, square, l, WEBNN_LIST(1, 1), &OPTIONS(pad, .mode = 0)))
LIST_OPTION(list_pad_ending,
            webnn_pad(builder, square, WEBNN_LIST(1, 1), l, &OPTIONS(pad, .mode = 0)))
LIST_OPTION(list_pool_window, POOL_CUBE(.window_dimensions = l))
LIST_OPTION(list_pool_padding, POOL_CUBE(.padding = l))
LIST_OPTION(list_pool_strides, POOL_CUBE(.strides = l))
LIST_OPTION(list_pool_dilations, POOL_CUBE(.dilations = l))
LIST_OPTION(list_pool_output_sizes, POOL_CUBE(.output_sizes = l))
LIST_OPTION(list_reduce_axes, webnn_reduce_sum(builder, cube, &OPTIONS(reduce, .axes = l)))
LIST_OPTION(list_resample_sizes, webnn_resample2d(builder, cube, &OPTIONS(resample2d, .sizes = l)))
LIST_OPTION(list_resample_axes, webnn_resample2d(builder, cube, &OPTIONS(resample2d, .axes = l)))
LIST_OPTION(list_reshape, webnn_reshape(builder, cube, l, PLAIN))
LIST_OPTION(list_reverse_axes, webnn_reverse(builder, cube, &OPTIONS(reverse, .axes = l)))
LIST_OPTION(list_slice_starts, webnn_slice(builder, square, l, WEBNN_LIST(1, 1), SLICE_OPTIONS))
LIST_OPTION(list_slice_sizes, webnn_slice(builder, square, WEBNN_LIST(1, 1), l, SLICE_OPTIONS))
LIST_OPTION(list_slice_strides, webnn_slice(builder, square, WEBNN_LIST(1, 1), WEBNN_LIST(1, 1),
                                            &OPTIONS(slice, .strides = l)))
LIST_OPTION(list_tile, webnn_tile(builder, square, l, PLAIN))
LIST_OPTION(list_transpose, webnn_transpose(builder, cube, &OPTIONS(transpose, .permutation = l)))
LIST_OPTION(list_squeeze, webnn_squeeze(builder, cube, l, PLAIN))
LIST_OPTION(list_unsqueeze, webnn_unsqueeze(builder, cube, l, PLAIN))
/* The lists of floats and of activations, made of the same three members. */
LIST_OPTION(list_resample_scales,
            webnn_resample2d(builder, cube,
                             &OPTIONS(resample2d,
                                      .scales = {{(float)l.items[0]}, l.count, l.given})))
#define ACTIVATIONS                                                                                \
  { {(webnn_recurrent_network_activation)l.items[0]}, l.count, l.given }
LIST_OPTION(list_gru_activations, GRU_ONE(1, .activations = ACTIVATIONS))
LIST_OPTION(list_gru_cell_activations, GRU_CELL_ONE(.activations = ACTIVATIONS))
LIST_OPTION(list_lstm_activations, LSTM_ONE(1, .activations = ACTIVATIONS))
LIST_OPTION(list_lstm_cell_activations, LSTM_CELL_ONE(.activations = ACTIVATIONS))
#undef ACTIVATIONS

/* Items or a count in a list that is not given, and more items than there is room for. */
static void check_lists(void) {
  static const struct {
    const char *method, *option;
    webnn_operand *(*call)(webnn_list);
  } options[] = {
      {"conv2d", "padding", list_conv_padding},
      {"conv2d", "strides", list_conv_strides},
      {"conv2d", "dilations", list_conv_dilations},
      {"convTranspose2d", "padding", list_conv_t_padding},
      {"convTranspose2d", "strides", list_conv_t_strides},
      {"convTranspose2d", "dilations", list_conv_t_dilations},
      {"convTranspose2d", "outputPadding", list_conv_t_output_padding},
      {"convTranspose2d", "outputSizes", list_conv_t_output_sizes},
      {"expand", "newShape", list_expand},
      {"layerNormalization", "axes", list_layer_axes},
      {"pad", "beginningPadding", list_pad_beginning},
      {"pad", "endingPadding", list_pad_ending},
      {"maxPool2d", "windowDimensions", list_pool_window},
      {"maxPool2d", "padding", list_pool_padding},
      {"maxPool2d", "strides", list_pool_strides},
      {"maxPool2d", "dilations", list_pool_dilations},
      {"maxPool2d", "outputSizes", list_pool_output_sizes},
      {"reduceSum", "axes", list_reduce_axes},
      {"resample2d", "scales", list_resample_scales},
      {"resample2d", "sizes", list_resample_sizes},
      {"resample2d", "axes", list_resample_axes},
      {"reshape", "newShape", list_reshape},
      {"reverse", "axes", list_reverse_axes},
      {"slice", "starts", list_slice_starts},
      {"slice", "sizes", list_slice_sizes},
      {"slice", "strides", list_slice_strides},
      {"tile", "repetitions", list_tile},
      {"transpose", "permutation", list_transpose},
      {"squeeze", "axes", list_squeeze},
      {"unsqueeze", "axes", list_unsqueeze},
      {"gru", "activations", list_gru_activations},
      {"gruCell", "activations", list_gru_cell_activations},
      {"lstm", "activations", list_lstm_activations},
      {"lstmCell", "activations", list_lstm_cell_activations},
  };
  static const uint32_t nine[] = {1, 0, 2, 3, 4, 5, 6, 7, 8};
  size_t i;
  for (i = 0; i < COUNT(options); i++) {
    const char *m = options[i].method, *o = options[i].option;
    REFUSE(m, 0, options[i].call((webnn_list){.items = {2}}), o);
    REFUSE(m, 0, options[i].call((webnn_list){.count = 2}), o);
    REFUSE(m, 0, options[i].call((webnn_list){{2, 2}, 2, false}), o);
    REFUSE(m, 0, options[i].call(webnn_list_of(NULL, 2)), o);
    if (options[i].call == list_unsqueeze)
      o = "rank"; /* of the result */
    REFUSE(m, 0, options[i].call(webnn_list_of(nine, 9)), o);
    REFUSE(m, 0, options[i].call(webnn_list_of(nine, SIZE_MAX)), o);
  }
}

/* The message of relu refusing integers, under this label. */
static const char *message_with_label(const char *label) {
  webnn_builder_clear_error(builder);
  webnn_relu(builder, bytes, &(webnn_operator_options){.label = label});
  return webnn_builder_message(builder);
}

static void append_text(void *user, const char *text, size_t length) {
  char *all = user;
  size_t used = strlen(all), room = 8000 - used;
  memcpy(all + used, text, length < room ? length : room);
  all[used + (length < room ? length : room)] = 0;
}

static void check_labels(void) {
  /* Right-to-left override and isolate, and pop directional formatting. */
  static const char *const bidi[] = {"\xE2\x80\xAA", "\xE2\x80\xAE", "\xE2\x81\xA6",
                                     "\xE2\x81\xA9"};
  const char *message;
  char text[64], *label = test_allocate(20001);
  int c;
  size_t i;
  CHECK("label", strncmp(message_with_label(NULL), "relu: ", 6) == 0, "no label: '%s'",
        webnn_builder_message(builder));
  CHECK("label", strncmp(message_with_label(""), "relu: ", 6) == 0, "empty label: '%s'",
        webnn_builder_message(builder));
  message = message_with_label("caf\xC3\xA9 \xE5\xB1\xA4");
  CHECK("label", strstr(message, "\"caf\xC3\xA9 \xE5\xB1\xA4\"") != NULL,
        "letters of other scripts should stay: '%s'", message);
  for (c = 1; c < 0xA0; c = c == 0x1F ? 0x7F : c + 1) {
    if (c < 0x80)
      snprintf(text, sizeof text, "left%cright", c);
    else /* the C1 controls in UTF-8 */
      snprintf(text, sizeof text, "left\xC2%cright", c);
    message = message_with_label(text);
    CHECK("label", strstr(message, text + 4) == NULL, "control character %d was not escaped", c);
    CHECK("label", strstr(message, "left") && strstr(message, "right"),
          "text beside control character %d was lost: '%s'", c, message);
  }
  for (i = 0; i < COUNT(bidi); i++) {
    snprintf(text, sizeof text, "left%sright", bidi[i]);
    message = message_with_label(text);
    CHECK("label", strstr(message, bidi[i]) == NULL, "bidirectional control %d was not escaped",
          (int)i);
    CHECK("label", strstr(message, "left") && strstr(message, "right"),
          "text beside a bidirectional control was lost");
  }
  message = message_with_label("broken \xFF\xC3 utf-8 \xE2\x80");
  CHECK("label", strstr(message, "broken") && strstr(message, "utf-8"), "got '%s'", message);
  memset(label, 'x', 20000);
  label[0] = 'a';
  label[19999] = 'z';
  label[20000] = 0;
  message = message_with_label(label);
  CHECK("label", strlen(message) > 20000 && strstr(message, label) != NULL,
        "a label of 20000 characters was not shown whole (message of %d)", (int)strlen(message));
  webnn_builder_clear_error(builder);
  free(label);
}

/* Everything passed in is read during the call. */
static void check_copies(void) {
  webnn_builder *by = test_builder(context);
  webnn_graph *graph = NULL;
  char name[] = "first", label[] = "stem of the net", output[] = "result";
  char *text = test_allocate(8001);
  uint32_t dimensions[] = {2, 3};
  uint8_t data[6] = {1, 2, 3, 4, 5, 6};
  webnn_operand_descriptor descriptor = {WEBNN_UINT8, webnn_list_of(dimensions, 2)};
  webnn_named_operand named = {output, NULL};
  webnn_graph_port port;
  webnn_operand *x = webnn_input(by, name, descriptor), *c;
  descriptor.data_type = WEBNN_UINT8;
  c = webnn_constant(by, descriptor, data, sizeof data);
  named.operand = webnn_add(by, x, c, &(webnn_operator_options){.label = label});
  dimensions[0] = descriptor.shape.items[1] = 7;
  name[0] = label[0] = 'X';
  memset(data, 0, sizeof data);
  CHECK("copies", test_same_list(webnn_operand_shape(x), WEBNN_LIST(2, 3)),
        "an input's shape follows the caller's array");
  if (CHECK("copies", webnn_build(by, &named, 1, &graph, &the_error) == WEBNN_OK, "build: %s",
            the_error.message)) {
    uint8_t ones[6] = {1, 1, 1, 1, 1, 1}, sum[6] = {0};
    webnn_tensor *in, *out;
    output[0] = 'X';
    webnn_create_tensor(
        context, (webnn_tensor_descriptor){WEBNN_UINT8, WEBNN_LIST(2, 3), true, true}, &in, NULL);
    webnn_create_tensor(
        context, (webnn_tensor_descriptor){WEBNN_UINT8, WEBNN_LIST(2, 3), true, true}, &out, NULL);
    webnn_write_tensor(context, in, ones, 6, NULL);
    memset(ones, 9, sizeof ones);
    webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"first", in}),
                   WEBNN_NAMED_TENSORS({"result", out}), &the_error);
    webnn_read_tensor(context, out, sum, 6, NULL);
    CHECK("copies", memcmp(sum, "\2\3\4\5\6\7", 6) == 0,
          "constant or written data changed with the caller's memory: %d %d (%s)", sum[0], sum[5],
          the_error.message);
    CHECK("copies", webnn_graph_inputs(graph, &port, 1) == 1 && !strcmp(port.name, "first"),
          "the input's name was not copied");
    CHECK("copies", webnn_graph_outputs(graph, &port, 1) == 1 && !strcmp(port.name, "result"),
          "the output's name was not copied");
    webnn_print_graph(graph, append_text, text);
    CHECK("copies", strstr(text, "stem of the net") != NULL, "the label was not copied: '%s'",
          text);
    webnn_free_tensor(in);
    webnn_free_tensor(out);
  }
  free(text);
  webnn_free_graph(graph);
  webnn_free_builder(by);
}

static void check_options(void) {
  make_option_operands();
  check_number_options();
  check_enumerations();
  check_lists();
  check_labels();
  check_copies();
}

/* ---- 7 builder: constructor, input, constant, build ------------------------------------------ */

static webnn_operand *input_of(webnn_builder *by, const char *name, webnn_data_type type,
                               webnn_list shape) {
  return webnn_input(by, name, (webnn_operand_descriptor){type, shape});
}

static void check_input(void) {
  static const uint32_t nine[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
#define REFUSE_INPUT(step, call, ...)                                                              \
  refuse_status(builder, WEBNN_TYPE_ERROR, "input", NULL, step, call, WORDS(__VA_ARGS__))
#define NAMED(name, ...) input_of(builder, name, WEBNN_UINT8, WEBNN_LIST(__VA_ARGS__))
  ACCEPT("input", 1, NAMED("the input", 2, 3));
  REFUSE_INPUT(2, NAMED("", 2, 3), "name");
  REFUSE_INPUT(2, NAMED(NULL, 2, 3), "name");
  ACCEPT("input", 2, NAMED(" ", 2, 3));
  REFUSE_INPUT(3, NAMED("the input", 2, 3), "the input");
  ACCEPT("input", 3, NAMED("The input", 2, 3));
  REFUSE_INPUT(4, NAMED("zero", 2, 0, 3), "0");
  REFUSE_INPUT(4, NAMED("long", 2147483648u), "2147483648");
  REFUSE_INPUT(4, NAMED("batch", 4294967295u, 3), "4294967295 is -1");
  REFUSE_INPUT(4, NAMED("many", 65536, 32768), "input");
  REFUSE_INPUT(4, NAMED("wrap", 65536, 65536, 65536, 65536), "input");
  REFUSE_INPUT(4, input_of(builder, "deep", WEBNN_UINT8, webnn_list_of(nine, 9)), "9", "8");
  ACCEPT("input", 4, input_of(builder, "deep", WEBNN_UINT8, webnn_list_of(nine, 8)));
  ACCEPT("input", 4, NAMED("long", 2147483647));
  ACCEPT("input", 4, input_of(builder, "flat", WEBNN_UINT8, WEBNN_EMPTY_LIST));
  REFUSE_INPUT(4, input_of(builder, "absent", WEBNN_UINT8, ABSENT), "shape");
  REFUSE_INPUT(4, input_of(builder, "absent", WEBNN_UINT8, webnn_list_of(NULL, 2)), "shape");
  REFUSE_INPUT(4, input_of(builder, "type", (webnn_data_type)0, WEBNN_LIST(2)), "dataType");
  REFUSE_INPUT(4, input_of(builder, "type", (webnn_data_type)11, WEBNN_LIST(2)), "dataType");
  REFUSE_INPUT(4, input_of(builder, "type", (webnn_data_type)-1, WEBNN_LIST(2)), "dataType");
  REFUSE_INPUT(4, webnn_input(builder, "no descriptor", (webnn_operand_descriptor)WEBNN_ZERO),
               "dataType");
  ACCEPT("input", 4, input_of(builder, "type", WEBNN_INT4, WEBNN_LIST(3)));
  /* A refused input leaves its name free. */
  ACCEPT("input", 3, NAMED("many", 2));
#undef NAMED
#undef REFUSE_INPUT
}

static void check_constants(webnn_context *other_context) {
  const char *d = "constant(descriptor)", *t = "constant(tensor)", *n = "constant(number)";
  float data[6] = {1, 2, 3, 4, 5, 6};
  webnn_tensor *constant, *other, *plain;
  const webnn_operand_descriptor six = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3);
  int type;
#define REFUSE_CONSTANT(m, step, call, ...)                                                        \
  refuse_status(builder, WEBNN_TYPE_ERROR, m, NULL, step, call, WORDS(__VA_ARGS__))
#define BYTES_OF(type, ...)                                                                        \
  webnn_constant(builder, (webnn_operand_descriptor){type, LONG_LIST(__VA_ARGS__)}, data,          \
                 sizeof data)
  ACCEPT(d, 1, webnn_constant(builder, six, data, 24));
  REFUSE_CONSTANT(d, 2, BYTES_OF(WEBNN_FLOAT32, 0), "0");
  REFUSE_CONSTANT(d, 2, BYTES_OF(WEBNN_FLOAT32, 65536, 65536), "constant");
  REFUSE_CONSTANT(d, 2, BYTES_OF(WEBNN_FLOAT32, 1, 1, 1, 1, 1, 1, 1, 2, 3), "9", "8");
  REFUSE_CONSTANT(d, 2, BYTES_OF((webnn_data_type)0, 2, 3), "dataType");
  REFUSE_CONSTANT(d, 2, webnn_constant(builder, (webnn_operand_descriptor)WEBNN_ZERO, data, 24),
                  "dataType");
  ACCEPT(d, 2, BYTES_OF(WEBNN_FLOAT32, 1, 1, 1, 1, 1, 1, 2, 3));
  REFUSE_CONSTANT(d, 3, webnn_constant(builder, six, data, 23), "24", "23");
  REFUSE_CONSTANT(d, 3, webnn_constant(builder, six, data, 25), "24", "25");
  REFUSE_CONSTANT(d, 3, webnn_constant(builder, six, data, 0), "24", "0");
  REFUSE_CONSTANT(d, 3, webnn_constant(builder, six, NULL, 24), "data");
  REFUSE_CONSTANT(d, 3, webnn_constant_over_memory(builder, six, data, 20), "24", "20");
  REFUSE_CONSTANT(d, 3, webnn_constant_over_memory(builder, six, NULL, 24), "data");
  ACCEPT(d, 3, webnn_constant_over_memory(builder, six, data, 24));
  ACCEPT(d, 3, webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_UINT4, 3), data, 2));
  REFUSE_CONSTANT(d, 3, webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_UINT4, 3), data, 3), "2",
                  "3");

  webnn_create_constant_tensor(context, six, data, 24, &constant, NULL);
  webnn_create_constant_tensor(other_context, six, data, 24, &other, NULL);
  webnn_create_tensor(context,
                      (webnn_tensor_descriptor){WEBNN_FLOAT32, WEBNN_LIST(2, 3), true, true},
                      &plain, NULL);
  REFUSE_CONSTANT(t, 1, webnn_constant_from_tensor(builder, other), "context");
  REFUSE_CONSTANT(t, 1, webnn_constant_from_tensor(builder, NULL), "tensor");
  ACCEPT(t, 1, webnn_constant_from_tensor(builder, constant));
  REFUSE_CONSTANT(t, 3, webnn_constant_from_tensor(builder, plain), "constant");
  ACCEPT(t, 3, webnn_constant_from_tensor(builder, constant));
  ACCEPT(t, 2, webnn_constant_from_tensor(builder, constant));
  ACCEPT(t, 4, webnn_constant_from_tensor(builder, constant));
  webnn_destroy_tensor(constant);
  REFUSE_CONSTANT(t, 2, webnn_constant_from_tensor(builder, constant), "destroyed");
  webnn_free_tensor(constant);
  webnn_free_tensor(other);
  webnn_free_tensor(plain);

  for (type = WEBNN_FLOAT32; type <= WEBNN_UINT8; type++) {
    webnn_data_type to = (webnn_data_type)type;
    ACCEPT(n, 1, webnn_constant_from_number(builder, to, webnn_f64(1e300)));
    ACCEPT(n, 2, webnn_constant_from_number(builder, to, webnn_f64((double)NAN)));
    ACCEPT(n, 2, webnn_constant_from_number(builder, to, webnn_f64(-(double)INFINITY)));
    if (test_is_float(to)) {
      REFUSE_CONSTANT(n, 2, webnn_constant_from_number(builder, to, webnn_i64(1)),
                      webnn_data_type_name(to));
      REFUSE_CONSTANT(n, 2, webnn_constant_from_number(builder, to, webnn_u64(1)),
                      webnn_data_type_name(to));
    } else {
      ACCEPT(n, 2, webnn_constant_from_number(builder, to, webnn_i64(-1)));
      ACCEPT(n, 2, webnn_constant_from_number(builder, to, webnn_u64(UINT64_MAX)));
    }
  }
  REFUSE_CONSTANT(n, 2, webnn_constant_from_number(builder, WEBNN_INT4, webnn_i64(1)), "int4");
  REFUSE_CONSTANT(n, 2, webnn_constant_from_number(builder, WEBNN_UINT4, webnn_f64(1)), "uint4");
  REFUSE_CONSTANT(n, 2, webnn_constant_from_number(builder, (webnn_data_type)0, webnn_f64(1)),
                  "dataType");
  REFUSE_CONSTANT(
      n, 2,
      webnn_constant_from_number(builder, WEBNN_INT8, (webnn_number){1, 0, WEBNN_NUMBER_ABSENT}),
      "value");
  REFUSE_CONSTANT(n, 2, webnn_constant_from_number(builder, WEBNN_INT8, (webnn_number)WEBNN_ZERO),
                  "value");
  REFUSE_CONSTANT(
      n, 2,
      webnn_constant_from_number(builder, WEBNN_INT8, (webnn_number){0, 0, (webnn_number_kind)7}),
      "value");
#undef BYTES_OF
#undef REFUSE_CONSTANT
}

/* The methods that are not operators, and split's second form, on a builder that has built or whose
   context is lost; x is an input of two elements. */
static void check_builder_over(webnn_builder *by, webnn_operand *x, const char *word) {
  float data[6] = {0};
#define OVER(method, call)                                                                         \
  refuse_status(by, WEBNN_INVALID_STATE_ERROR, method, NULL, 1, call, WORDS(word))
  OVER("input", input_of(by, "late", WEBNN_FLOAT32, WEBNN_LIST(2)));
  OVER("input", input_of(by, "", WEBNN_FLOAT32, WEBNN_LIST(2)));
  OVER("constant(descriptor)", webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3), data, 24));
  OVER("constant(descriptor)", webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3), data, 1));
  OVER("constant(descriptor)",
       webnn_constant_over_memory(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3), data, 24));
  refuse_status(
      by, WEBNN_INVALID_STATE_ERROR, "split", LABEL, 1,
      FIRST(2, webnn_split_sizes(by, x, WEBNN_SPLITS(1, 1), &OPTIONS(split, .axis = 0), outputs)),
      WORDS(word));
  OVER("constant(number)", webnn_constant_from_number(by, WEBNN_FLOAT32, webnn_f64(1)));
#undef OVER
}

static webnn_builder *builder_with_relu(webnn_context *of, webnn_operand **x, webnn_operand **y) {
  webnn_builder *by = test_builder(of);
  *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(2));
  *y = webnn_relu(by, *x, NULL);
  return by;
}

static void check_build(void) {
  webnn_operand *x, *y, *other_x, *other_y, *c;
  webnn_builder *by = builder_with_relu(context, &x, &y);
  webnn_builder *other = builder_with_relu(context, &other_x, &other_y);
  webnn_builder *empty = test_builder(context);
  webnn_graph *graph = NULL, *again = NULL;
  webnn_tensor *tensor;
  float data[2] = {1, 2};
  webnn_named_operand named = {"y", NULL};
#define BUILD(...) webnn_build(by, WEBNN_NAMED_OPERANDS(__VA_ARGS__), &graph, &the_error)
#define BUILD_FAILS(step, call, ...)                                                               \
  do {                                                                                             \
    graph = (webnn_graph *)(void *)data;                                                           \
    FAILS("build", step, WEBNN_TYPE_ERROR, call, __VA_ARGS__);                                     \
    CHECK("build", graph == NULL, "the graph was not set to NULL");                                \
    webnn_builder_clear_error(by);                                                                 \
  } while (0)
  /* The recorded error comes first and is the builder's own. */
  webnn_relu(by, NULL, &(webnn_operator_options){.label = "first"});
  webnn_tanh(by, NULL, &(webnn_operator_options){.label = "second"});
  CHECK("build",
        strstr(webnn_builder_message(by), "relu \"first\"") != NULL &&
            !strstr(webnn_builder_message(by), "second"),
        "the first error was not kept: '%s'", webnn_builder_message(by));
  CHECK("build", BUILD({"y", y}) == WEBNN_TYPE_ERROR && strstr(the_error.message, "relu \"first\""),
        "expected relu's error, got '%s'", the_error.message);
  webnn_builder_clear_error(by);
  BUILD_FAILS(2, webnn_build(by, NULL, 0, &graph, &the_error), "outputs");
  BUILD_FAILS(2, webnn_build(by, NULL, 1, &graph, &the_error), "outputs");
  BUILD_FAILS(2, webnn_build(by, &named, UINT32_MAX, &graph, &the_error), "outputs");
  BUILD_FAILS(0, webnn_build(NULL, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &the_error), "builder");
  FAILS("build", 0, WEBNN_TYPE_ERROR,
        webnn_build(by, WEBNN_NAMED_OPERANDS({"y", y}), NULL, &the_error), "graph");
  BUILD_FAILS(3, BUILD({"", y}), "name");
  BUILD_FAILS(3, BUILD({"y", y}, {NULL, y}), "name");
  BUILD_FAILS(3, BUILD({"y", y}, {"y", y}), "y");
  BUILD_FAILS(4, BUILD({"y", y}, {"other", other_y}), "other", "builder");
  BUILD_FAILS(4, webnn_build(empty, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &the_error), "y",
              "builder");
  refuse_status(empty, WEBNN_TYPE_ERROR, "relu", NULL, 1, webnn_relu(empty, x, NULL),
                WORDS("input", "builder"));
  webnn_free_builder(empty);
  BUILD_FAILS(4, BUILD({"y", y}, {"none", NULL}), "none");
  BUILD_FAILS(5, BUILD({"straight", x}), "straight", "input");
  c = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), data, sizeof data);
  BUILD_FAILS(5, BUILD({"fixed", c}), "fixed", "constant");
  /* Names of inputs and outputs do not meet; one operand may have two names. */
  PASSES("build", 3, BUILD({"x", y}, {"y", y}));
  cover("build", 2, ACCEPTED);
  cover("build", 4, ACCEPTED);
  cover("build", 5, ACCEPTED);
  cover("build", 1, ACCEPTED);
  check_builder_over(by, x, "built");
  webnn_builder_clear_error(by);
  FAILS("build", 1, WEBNN_INVALID_STATE_ERROR,
        webnn_build(by, WEBNN_NAMED_OPERANDS({"y", y}), &again, &the_error), "built");
  CHECK("build/1", again == NULL, "a second graph");
  webnn_free_graph(graph);
  webnn_free_builder(by);
  by = other;

  /* D11: a constant tensor that was destroyed before build, anywhere behind the outputs. */
  webnn_create_constant_tensor(context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), data, sizeof data,
                               &tensor, NULL);
  c = webnn_add(by, other_x, webnn_constant_from_tensor(by, tensor), NULL);
  PASSES("build", 6, BUILD({"without it", other_y}));
  webnn_free_graph(graph);
  webnn_free_builder(by);
  by = builder_with_relu(context, &x, &y);
  c = webnn_add(by, x, webnn_constant_from_tensor(by, tensor), NULL);
  c = webnn_relu(by, c, NULL);
  webnn_destroy_tensor(tensor);
  BUILD_FAILS(6, BUILD({"y", y}, {"with it", c}), "destroyed");
  PASSES("build", 6, BUILD({"y", y}));
  reading(11);
  webnn_free_tensor(tensor);
  webnn_free_graph(graph);
  webnn_free_builder(by);
#undef BUILD_FAILS
#undef BUILD
}

/* D6, D8: what build() makes of convTranspose2d without meaning, and of quantizeLinear's operands.
 */
static void check_built_graphs(void) {
  webnn_builder *by = test_builder(context);
  webnn_graph *graph = NULL;
  webnn_operand *y =
      webnn_conv_transpose2d(by, input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(1, 1, 5, 5)),
                             input_of(by, "w", WEBNN_FLOAT32, WEBNN_LIST(1, 2, 3, 3)),
                             &OPTIONS(conv_transpose2d, .groups = 3));
  webnn_status status = webnn_build(by, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &the_error);
  CHECK("D/6", status == WEBNN_OPERATION_ERROR && graph == NULL && has_word(the_error.message, "3"),
        "one channel in three groups: expected OperationError with 3, got %s '%s'",
        webnn_status_name(status), the_error.message);
  reading(6);
  webnn_free_graph(graph);
  webnn_free_builder(by);
  by = test_builder(context);
  y = webnn_quantize_linear(by, input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(2)),
                            input_of(by, "scale", WEBNN_FLOAT32, WEBNN_LIST(1)),
                            input_of(by, "zero", WEBNN_UINT8, WEBNN_LIST(1)), NULL);
  input_of(by, "unused", WEBNN_UINT8, WEBNN_LIST(1));
  graph = NULL;
  status = webnn_build(by, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &the_error);
  CHECK("D/8", status == WEBNN_OK && webnn_graph_inputs(graph, NULL, 0) == 3,
        "expected the inputs x, scale, zero; %s", the_error.message);
  webnn_free_graph(graph);
  webnn_free_builder(by);
}

/* ---- 8 context: tensors, dispatch, destroy, lost contexts ------------------------------------ */

static webnn_tensor *tensor_in(webnn_context *of, webnn_data_type type, webnn_list shape,
                               bool readable, bool writable) {
  webnn_tensor *tensor = NULL;
  webnn_error error = WEBNN_ZERO;
  if (webnn_create_tensor(of, (webnn_tensor_descriptor){type, shape, readable, writable}, &tensor,
                          &error) != WEBNN_OK)
    CHECK("createTensor", false, "%s", error.message);
  return tensor;
}

/* An allocator that can be told to fail. */
static bool memory_is_out;
static void *allocate_unless_out(void *user, size_t size) {
  (void)user;
  return memory_is_out ? NULL : malloc(size ? size : 1);
}
static void release_memory(void *user, void *memory) {
  (void)user;
  free(memory);
}

static void check_create_tensors(void) {
  const char *t = "createTensor", *c = "createConstantTensor";
  static const uint32_t nine[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  webnn_context_options options = {0};
  webnn_context *small;
  webnn_tensor *tensor;
  float data[6] = {1, 2, 3, 4, 5, 6};
  uint8_t bytes_read[6];
  const webnn_tensor_descriptor absent_shape = {.data_type = WEBNN_UINT8};
  const webnn_tensor_descriptor six_bytes = {WEBNN_UINT8, WEBNN_LIST(6), true, true};
#define CREATE(of, ...)                                                                            \
  (tensor = (webnn_tensor *)(void *)data,                                                          \
   webnn_create_tensor(of, (webnn_tensor_descriptor){__VA_ARGS__}, &tensor, &the_error))
#define CREATE_FAILS(step, call, ...)                                                              \
  do {                                                                                             \
    FAILS(t, step, WEBNN_TYPE_ERROR, call, __VA_ARGS__);                                           \
    CHECK(t, tensor == NULL, "the tensor was not set to NULL");                                    \
  } while (0)
  CREATE_FAILS(2, CREATE(context, WEBNN_UINT8, WEBNN_LIST(2, 0), true, true), "0");
  CREATE_FAILS(2, CREATE(context, WEBNN_UINT8, WEBNN_LIST(2147483648u), true, true), "2147483648");
  CREATE_FAILS(2, CREATE(context, WEBNN_UINT8, WEBNN_LIST(65536, 65536), true, true), t);
  CREATE_FAILS(2, CREATE(context, WEBNN_UINT8, webnn_list_of(nine, 9), true, true), "9", "8");
  CREATE_FAILS(2, CREATE(context, WEBNN_UINT8, webnn_list_of(NULL, 2), true, true), "shape");
  CREATE_FAILS(2, webnn_create_tensor(context, absent_shape, &tensor, &the_error), "shape");
  CREATE_FAILS(2, CREATE(context, (webnn_data_type)0, WEBNN_LIST(2), true, true), "dataType");
  CREATE_FAILS(2, CREATE(context, WEBNN_UINT8, ((webnn_list){{2}, 1, false}), true, true), "shape");
  CREATE_FAILS(0, webnn_create_tensor(NULL, six_bytes, &tensor, &the_error), "context");
  FAILS(t, 0, WEBNN_TYPE_ERROR, webnn_create_tensor(context, six_bytes, NULL, &the_error),
        "tensor");
  CREATE_FAILS(0, webnn_create_tensor_over_memory(context, six_bytes, NULL, 6, &tensor, &the_error),
               "memory");
  CREATE_FAILS(
      0, webnn_create_tensor_over_memory(context, six_bytes, bytes_read, 5, &tensor, &the_error),
      "5", "6");
  PASSES(t, 0,
         webnn_create_tensor_over_memory(context, six_bytes, bytes_read, 6, &tensor, &the_error));
  webnn_free_tensor(tensor);
  reading(3);
  PASSES(t, 2, CREATE(context, WEBNN_UINT8, WEBNN_LIST(2, 3), true, false));
  memset(bytes_read, 9, sizeof bytes_read);
  CHECK("createTensor/3",
        webnn_read_tensor(context, tensor, bytes_read, 6, NULL) == WEBNN_OK &&
            memcmp(bytes_read, "\0\0\0\0\0\0", 6) == 0,
        "a new tensor is not zero");
  CHECK(t,
        webnn_tensor_readable(tensor) && !webnn_tensor_writable(tensor) &&
            !webnn_tensor_constant(tensor) && webnn_tensor_data_type(tensor) == WEBNN_UINT8 &&
            test_same_list(webnn_tensor_shape(tensor), WEBNN_LIST(2, 3)),
        "wrong attributes");
  webnn_free_tensor(tensor);

#define CONSTANT(of, type, shape, bytes, length)                                                   \
  (tensor = NULL, webnn_create_constant_tensor(of, (webnn_operand_descriptor){type, shape}, bytes, \
                                               length, &tensor, &the_error))
  FAILS(c, 2, WEBNN_TYPE_ERROR, CONSTANT(context, WEBNN_FLOAT32, WEBNN_LIST(0), data, 0), "0");
  FAILS(c, 2, WEBNN_TYPE_ERROR,
        CONSTANT(context, WEBNN_FLOAT32, WEBNN_LIST(65536, 65536), data, 24), c);
  FAILS(c, 2, WEBNN_TYPE_ERROR,
        webnn_create_constant_tensor(context, (webnn_operand_descriptor)WEBNN_ZERO, data, 24,
                                     &tensor, &the_error),
        "dataType");
  FAILS(c, 3, WEBNN_TYPE_ERROR, CONSTANT(context, WEBNN_FLOAT32, WEBNN_LIST(6), data, 23), "23",
        "24");
  FAILS(c, 3, WEBNN_TYPE_ERROR, CONSTANT(context, WEBNN_FLOAT32, WEBNN_LIST(6), NULL, 24), "data");
  CHECK(c, tensor == NULL, "the tensor was not set to NULL");
  PASSES(c, 3, CONSTANT(context, WEBNN_FLOAT32, WEBNN_LIST(6), data, 24));
  cover(c, 2, ACCEPTED);
  CHECK("createConstantTensor/5",
        !webnn_tensor_readable(tensor) && !webnn_tensor_writable(tensor) &&
            webnn_tensor_constant(tensor),
        "a constant tensor is neither readable nor writable");
  webnn_free_tensor(tensor);

  /* Without memory both are refused with UnknownError, and all is well once there is some. */
  options.threads = 1;
  options.allocator.allocate = allocate_unless_out;
  options.allocator.release = release_memory;
  small = test_context(&options);
  memory_is_out = true;
  FAILS(t, 3, WEBNN_UNKNOWN_ERROR, CREATE(small, WEBNN_UINT8, WEBNN_LIST(100), true, true), t);
  FAILS(c, 6, WEBNN_UNKNOWN_ERROR, CONSTANT(small, WEBNN_FLOAT32, WEBNN_LIST(6), data, 24), c);
  memory_is_out = false;
  PASSES(t, 3, CREATE(small, WEBNN_UINT8, WEBNN_LIST(100), true, true));
  webnn_free_tensor(tensor);
  PASSES(c, 6, CONSTANT(small, WEBNN_FLOAT32, WEBNN_LIST(6), data, 24));
  webnn_free_tensor(tensor);
  webnn_free_context(small);
#undef CONSTANT
#undef CREATE_FAILS
#undef CREATE
}

static void check_read_and_write(webnn_context *other_context) {
  const char *r = "readTensor", *w = "writeTensor";
  webnn_tensor *both = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(4), true, true);
  webnn_tensor *closed = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(4), false, false);
  webnn_tensor *gone = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(4), true, true), *constant;
  uint8_t data[4] = {1, 2, 3, 4}, buffer[4] = {9, 9, 9, 9};
  webnn_create_constant_tensor(context, WEBNN_DESCRIPTOR(WEBNN_UINT8, 4), data, 4, &constant, NULL);
  webnn_destroy_tensor(gone);
  webnn_destroy_tensor(gone);
#define WRITE(of, tensor, from, length) webnn_write_tensor(of, tensor, from, length, &the_error)
#define READ(of, tensor, to, length) webnn_read_tensor(of, tensor, to, length, &the_error)
  FAILS(w, 1, WEBNN_TYPE_ERROR, WRITE(other_context, both, data, 4), "context");
  FAILS(w, 1, WEBNN_TYPE_ERROR, WRITE(context, NULL, data, 4), "tensor");
  FAILS(w, 1, WEBNN_TYPE_ERROR, WRITE(NULL, both, data, 4), "context");
  FAILS(w, 2, WEBNN_TYPE_ERROR, WRITE(context, gone, data, 4), "destroyed");
  FAILS(w, 3, WEBNN_TYPE_ERROR, WRITE(context, closed, data, 4), "writable");
  FAILS(w, 3, WEBNN_TYPE_ERROR, WRITE(context, constant, data, 4), "writable");
  FAILS(w, 4, WEBNN_TYPE_ERROR, WRITE(context, both, data, 3), "3", "4");
  FAILS(w, 4, WEBNN_TYPE_ERROR, WRITE(context, both, data, 0), "0", "4");
  FAILS(w, 4, WEBNN_TYPE_ERROR, WRITE(context, both, NULL, 4), "data");
  PASSES(w, 4, WRITE(context, both, data, 4));
  cover(w, 1, ACCEPTED);
  cover(w, 2, ACCEPTED);
  cover(w, 3, ACCEPTED);
  FAILS(r, 1, WEBNN_TYPE_ERROR, READ(other_context, both, buffer, 4), "context");
  FAILS(r, 1, WEBNN_TYPE_ERROR, READ(context, NULL, buffer, 4), "tensor");
  FAILS(r, 1, WEBNN_TYPE_ERROR, READ(NULL, both, buffer, 4), "context");
  FAILS(r, 2, WEBNN_TYPE_ERROR, READ(context, gone, buffer, 4), "destroyed");
  FAILS(r, 3, WEBNN_TYPE_ERROR, READ(context, closed, buffer, 4), "readable");
  FAILS(r, 3, WEBNN_TYPE_ERROR, READ(context, constant, buffer, 4), "readable");
  FAILS(r, 4, WEBNN_TYPE_ERROR, READ(context, both, buffer, 5), "5", "4");
  FAILS(r, 4, WEBNN_TYPE_ERROR, READ(context, both, NULL, 4), "buffer");
  CHECK(r, memcmp(buffer, "\11\11\11\11", 4) == 0, "a failed read wrote to the buffer");
  PASSES(r, 4, READ(context, both, buffer, 4));
  CHECK("readTensor/5", memcmp(buffer, data, 4) == 0, "got %d %d %d %d", buffer[0], buffer[1],
        buffer[2], buffer[3]);
  cover(r, 1, ACCEPTED);
  cover(r, 2, ACCEPTED);
  cover(r, 3, ACCEPTED);
#undef WRITE
#undef READ
  webnn_free_tensor(both);
  webnn_free_tensor(closed);
  webnn_free_tensor(gone);
  webnn_free_tensor(constant);
}

/* c = a - b, for dispatch. */
static webnn_graph *difference_graph(webnn_context *of) {
  webnn_builder *by = test_builder(of);
  webnn_graph *graph = NULL;
  webnn_operand *a = input_of(by, "a", WEBNN_UINT8, WEBNN_LIST(2));
  webnn_operand *b = input_of(by, "b", WEBNN_UINT8, WEBNN_LIST(2));
  CHECK("build",
        webnn_build(by, WEBNN_NAMED_OPERANDS({"c", webnn_sub(by, a, b, NULL)}), &graph,
                    &the_error) == WEBNN_OK,
        "%s", the_error.message);
  webnn_free_builder(by);
  return graph;
}

static void check_dispatch(webnn_context *other_context) {
  const char *d = "dispatch";
  webnn_graph *graph = difference_graph(context), *dead = difference_graph(context);
  webnn_graph *other_graph = difference_graph(other_context);
  webnn_tensor *a = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(2), true, true);
  webnn_tensor *b = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(2), false, true);
  webnn_tensor *c = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(2), true, true);
  webnn_tensor *gone = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(2), true, true);
  webnn_tensor *other = tensor_in(other_context, WEBNN_UINT8, WEBNN_LIST(2), true, true);
  webnn_tensor *signed_one = tensor_in(context, WEBNN_INT8, WEBNN_LIST(2), true, true);
  webnn_tensor *longer = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(3), true, true);
  webnn_tensor *column = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(2, 1), true, true), *constant;
  uint8_t data[2] = {7, 5}, got[2] = {0, 0};
  webnn_create_constant_tensor(context, WEBNN_DESCRIPTOR(WEBNN_UINT8, 2), data, 2, &constant, NULL);
  webnn_destroy_graph(dead);
  webnn_destroy_graph(dead);
  webnn_destroy_tensor(gone);
  webnn_write_tensor(context, a, data, 2, NULL);
  webnn_write_tensor(context, c, data, 2, NULL);
#define IN_TENSORS(...) WEBNN_NAMED_TENSORS(__VA_ARGS__)
#define RUN(g, ins, outs) webnn_dispatch(context, g, ins, outs, &the_error)
#define AB IN_TENSORS({"a", a}, {"b", b})
#define C IN_TENSORS({"c", c})
#define RUN_FAILS(step, g, ins, outs, ...)                                                         \
  FAILS(d, step, WEBNN_TYPE_ERROR, webnn_dispatch(context, g, ins, outs, &the_error), __VA_ARGS__)
#define NO_TENSORS(count) NULL, count
  RUN_FAILS(1, other_graph, AB, C, "graph", "context");
  RUN_FAILS(1, NULL, AB, C, "graph");
  FAILS(d, 2, WEBNN_INVALID_STATE_ERROR, RUN(dead, AB, C), "graph", "destroyed");
  RUN_FAILS(3, graph, IN_TENSORS({"a", a}, {"b", a}), C, d);
  RUN_FAILS(3, graph, AB, IN_TENSORS({"c", a}), d);
  RUN_FAILS(4, graph, IN_TENSORS({"a", other}, {"b", b}), C, "a", "context");
  RUN_FAILS(4, graph, IN_TENSORS({"a", a}, {"b", gone}), C, "b", "destroyed");
  RUN_FAILS(4, graph, IN_TENSORS({"a", a}, {"b", NULL}), C, "b");
  RUN_FAILS(4, graph, AB, IN_TENSORS({"c", other}), "c", "context");
  RUN_FAILS(4, graph, AB, IN_TENSORS({"c", gone}), "c", "destroyed");
  RUN_FAILS(5, graph, IN_TENSORS({"a", a}), C, d);
  RUN_FAILS(5, graph, NO_TENSORS(0), C, d);
  RUN_FAILS(5, graph, IN_TENSORS({"a", a}, {"b", b}, {"x", longer}), C, d);
  RUN_FAILS(5, graph, IN_TENSORS({"a", a}, {"B", b}), C, "B");
  RUN_FAILS(5, graph, IN_TENSORS({"a", a}, {NULL, b}), C, d);
  RUN_FAILS(5, graph, IN_TENSORS({"a", a}, {"a", b}), C, "b");
  RUN_FAILS(5, graph, IN_TENSORS({"a", a}, {"b", signed_one}), C, "b", "int8", "uint8");
  RUN_FAILS(5, graph, IN_TENSORS({"a", a}, {"b", longer}), C, "b", "3", "2");
  RUN_FAILS(5, graph, IN_TENSORS({"a", a}, {"b", column}), C, "b");
  RUN_FAILS(5, graph, IN_TENSORS({"a", constant}, {"b", b}), C, "a", "constant");
  RUN_FAILS(5, graph, NO_TENSORS(2), C, d);
  RUN_FAILS(6, graph, AB, NO_TENSORS(1), d);
  FAILS(d, 0, WEBNN_TYPE_ERROR, webnn_dispatch(NULL, graph, AB, C, &the_error), "context");
  FAILS("wait", 0, WEBNN_TYPE_ERROR, webnn_wait(NULL, &the_error), "context");
  RUN_FAILS(6, graph, AB, NO_TENSORS(0), d);
  RUN_FAILS(6, graph, AB, IN_TENSORS({"c", c}, {"d", longer}), d);
  RUN_FAILS(6, graph, AB, IN_TENSORS({"d", c}), "d");
  RUN_FAILS(6, graph, AB, IN_TENSORS({"c", signed_one}), "c", "int8", "uint8");
  RUN_FAILS(6, graph, AB, IN_TENSORS({"c", longer}), "c", "3", "2");
  RUN_FAILS(6, graph, AB, IN_TENSORS({"c", constant}), "c", "constant");
  webnn_read_tensor(context, c, got, 2, NULL);
  CHECK(d, got[0] == 7 && got[1] == 5, "a refused dispatch changed an output");
  /* readable and writable do not matter, nor does the order of names. */
  PASSES(d, 5, RUN(graph, IN_TENSORS({"b", b}, {"a", a}), C));
  webnn_read_tensor(context, c, got, 2, NULL);
  CHECK(d, got[0] == 7 && got[1] == 5, "7 - 0, 5 - 0: got %d, %d", got[0], got[1]);
  cover(d, 1, ACCEPTED);
  cover(d, 2, ACCEPTED);
  cover(d, 3, ACCEPTED);
  cover(d, 4, ACCEPTED);
  cover(d, 6, ACCEPTED);
#undef NO_TENSORS
#undef RUN_FAILS
#undef C
#undef AB
#undef RUN
#undef IN_TENSORS
  webnn_free_graph(graph);
  webnn_free_graph(dead);
  webnn_free_graph(other_graph);
  webnn_free_tensor(a);
  webnn_free_tensor(b);
  webnn_free_tensor(c);
  webnn_free_tensor(gone);
  webnn_free_tensor(other);
  webnn_free_tensor(signed_one);
  webnn_free_tensor(longer);
  webnn_free_tensor(column);
  webnn_free_tensor(constant);
}

/* Section 4.2's table: what each call gives on a lost context. */
static void check_lost_context(void) {
  webnn_context *lost = test_context(NULL);
  webnn_operand *x, *y;
  webnn_builder *by = builder_with_relu(lost, &x, &y), *fresh = NULL;
  webnn_graph *graph = difference_graph(lost), *alive = difference_graph(context), *built = NULL;
  webnn_tensor *a = tensor_in(lost, WEBNN_UINT8, WEBNN_LIST(2), true, true), *tensor = NULL;
  webnn_tensor *b = tensor_in(lost, WEBNN_UINT8, WEBNN_LIST(2), true, true), *constant;
  webnn_tensor *c = tensor_in(lost, WEBNN_UINT8, WEBNN_LIST(2), true, true);
  webnn_tensor_descriptor descriptor = {WEBNN_UINT8, WEBNN_LIST(2), true, true};
  const webnn_status over = WEBNN_INVALID_STATE_ERROR;
  uint8_t data[2] = {1, 2};
  webnn_create_constant_tensor(lost, WEBNN_DESCRIPTOR(WEBNN_UINT8, 2), data, 2, &constant, NULL);
  the_error = no_error;
  CHECK("destroy", !webnn_context_lost(lost, &the_error) && the_error.message[0] == 0,
        "a new context is lost");
  PASSES("MLGraphBuilder", 2, webnn_create_builder(lost, &fresh, &the_error));
  webnn_free_builder(fresh);
  PASSES("createTensor", 1, webnn_create_tensor(lost, descriptor, &tensor, &the_error));
  webnn_free_tensor(tensor);
  cover("createConstantTensor", 1, ACCEPTED);
  webnn_destroy_context(lost);
  CHECK("destroy", webnn_context_lost(lost, &the_error) && strstr(the_error.message, "destroy"),
        "expected a message about destroy, got '%s'", the_error.message);
  CHECK("destroy", webnn_context_lost(lost, NULL), "lost without a place for the message");
  webnn_destroy_context(lost);

  FAILS("MLGraphBuilder", 2, over, webnn_create_builder(lost, &fresh, &the_error), "lost");
  CHECK("MLGraphBuilder/2", fresh == NULL, "the builder was not set to NULL");
  check_builder_over(by, x, "lost");
  /* constant(tensor) asks for the destroyed tensor before it asks for the context. */
  refuse_status(by, WEBNN_TYPE_ERROR, "constant(tensor)", NULL, 4,
                webnn_constant_from_tensor(by, constant), WORDS("destroyed"));
  FAILS("build", 1, over, webnn_build(by, WEBNN_NAMED_OPERANDS({"y", y}), &built, &the_error),
        "lost");
  FAILS("createTensor", 1, over, webnn_create_tensor(lost, descriptor, &tensor, &the_error),
        "lost");
  FAILS("createConstantTensor", 1, over,
        webnn_create_constant_tensor(lost, WEBNN_DESCRIPTOR(WEBNN_UINT8, 2), data, 1, &tensor,
                                     &the_error),
        "lost");
  FAILS("dispatch", 2, over,
        webnn_dispatch(lost, graph, WEBNN_NAMED_TENSORS({"a", a}, {"b", b}),
                       WEBNN_NAMED_TENSORS({"c", c}), &the_error),
        "dispatch");
  FAILS("dispatch", 1, WEBNN_TYPE_ERROR,
        webnn_dispatch(lost, alive, WEBNN_NAMED_TENSORS({"a", a}, {"b", b}),
                       WEBNN_NAMED_TENSORS({"c", c}), &the_error),
        "context");
  FAILS("readTensor", 2, WEBNN_TYPE_ERROR, webnn_read_tensor(lost, a, data, 2, &the_error),
        "destroyed");
  FAILS("writeTensor", 2, WEBNN_TYPE_ERROR, webnn_write_tensor(lost, a, data, 2, &the_error),
        "destroyed");
  CHECK("wait", webnn_wait(lost, &the_error) == over, "expected InvalidStateError");
  webnn_destroy_tensor(a);
  webnn_destroy_graph(graph);
  webnn_free_context(lost); /* its parts may be freed later */
  webnn_free_tensor(a);
  webnn_free_tensor(b);
  webnn_free_tensor(c);
  webnn_free_tensor(constant);
  webnn_free_graph(graph);
  webnn_free_graph(alive);
  webnn_free_builder(by);
  webnn_free_context(NULL);
  webnn_free_tensor(NULL);
  webnn_free_graph(NULL);
  webnn_free_builder(NULL);
  webnn_destroy_context(NULL);
  webnn_destroy_tensor(NULL);
  webnn_destroy_graph(NULL);
}

/* constant(tensor) after a build: the tensor is well, so now step 4 speaks. */
static void check_constant_tensor_last_step(void) {
  webnn_operand *x, *y;
  webnn_builder *by = builder_with_relu(context, &x, &y);
  webnn_graph *graph = NULL;
  webnn_tensor *constant, *plain = tensor_in(context, WEBNN_UINT8, WEBNN_LIST(2), true, true);
  webnn_create_constant_tensor(context, WEBNN_DESCRIPTOR(WEBNN_UINT8, 2), "ab", 2, &constant, NULL);
  webnn_build(by, WEBNN_NAMED_OPERANDS({"y", y}), &graph, NULL);
  refuse_status(by, WEBNN_INVALID_STATE_ERROR, "constant(tensor)", NULL, 4,
                webnn_constant_from_tensor(by, constant), WORDS("built"));
  refuse_status(by, WEBNN_TYPE_ERROR, "constant(tensor)", NULL, 3,
                webnn_constant_from_tensor(by, plain), WORDS("constant"));
  webnn_free_tensor(constant);
  webnn_free_tensor(plain);
  webnn_free_graph(graph);
  webnn_free_builder(by);
}

static void check_create_context(void) {
  webnn_context_options options;
  webnn_context *made;
  webnn_operand *x;
  webnn_builder *by;
  int i;
  for (i = 0; i < 3; i++) {
    memset(&options, 0, sizeof options);
    if (i == 0)
      options.power_preference = (webnn_power_preference)3;
    if (i == 1)
      options.numerics = (webnn_numerics)3;
    if (i == 2)
      options.allocator.allocate = allocate_unless_out; /* and no release */
    made = context;
    FAILS("createContext", i, WEBNN_TYPE_ERROR, webnn_create_context(&options, &made, &the_error),
          i == 0   ? "powerPreference"
          : i == 1 ? "numerics"
                   : "allocator");
    CHECK("createContext", made == NULL, "the context was not set to NULL");
  }
  CHECK("createContext", webnn_create_context(NULL, NULL, NULL) == WEBNN_TYPE_ERROR, "no place");
  CHECK("createContext", webnn_create_context(NULL, &made, NULL) == WEBNN_OK, "plain NULLs");
  FAILS("MLGraphBuilder", 0, WEBNN_TYPE_ERROR, webnn_create_builder(made, NULL, &the_error),
        "builder");
  by = builder;
  FAILS("MLGraphBuilder", 0, WEBNN_TYPE_ERROR, webnn_create_builder(NULL, &by, &the_error),
        "context");
  CHECK("MLGraphBuilder", by == NULL, "the builder was not set to NULL");
  CHECK("createContext", !webnn_context_accelerated(made), "the CPU is not accelerated");
  webnn_free_context(made);

  /* A smaller limit of bytes refuses inputs, constants, tensors and computed outputs alike. */
  memset(&options, 0, sizeof options);
  options.max_tensor_byte_length = 64;
  options.threads = 1;
  made = test_context(&options);
  by = test_builder(made);
  x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(16));
  accept_by(by, "input", 4, x);
  refuse_status(by, WEBNN_TYPE_ERROR, "input", NULL, 4,
                input_of(by, "y", WEBNN_FLOAT32, WEBNN_LIST(17)), WORDS("68", "64"));
  refuse_status(by, WEBNN_TYPE_ERROR, "expand", LABEL, 4,
                webnn_expand(by, x, WEBNN_LIST(2, 16), PLAIN), WORDS("128", "64"));
  refuse_status(by, WEBNN_TYPE_ERROR, "cast", LABEL, 3, webnn_cast(by, x, WEBNN_INT64, PLAIN),
                WORDS("128", "64"));
  accept_by(by, "expand", 4, webnn_expand(by, x, WEBNN_LIST(1, 16), PLAIN));
  {
    webnn_tensor *tensor;
    FAILS("createTensor", 2, WEBNN_TYPE_ERROR,
          webnn_create_tensor(made,
                              (webnn_tensor_descriptor){WEBNN_UINT8, WEBNN_LIST(65), true, true},
                              &tensor, &the_error),
          "65", "64");
  }
  webnn_free_builder(by);
  webnn_free_context(made);
}

/* ---- 9 the list check ------------------------------------------------------------------------ */

/* Steps at which nothing can be refused, with the reason. */
static const struct {
  const char *method;
  int step;
  const char *reason;
} exempt[] = {
    {"argMin", 5, "no dimension exceeds the maximum of int32"},
    {"argMax", 5, "no dimension exceeds the maximum of int32"},
    {"argMin", 6, "its one axis was tested in step 3"},
    {"argMax", 6, "its one axis was tested in step 3"},
    {"equal", 4, "for isNaN and isInfinite"},
    {"notEqual", 4, "for isNaN and isInfinite"},
    {"greater", 4, "for isNaN and isInfinite"},
    {"greaterOrEqual", 4, "for isNaN and isInfinite"},
    {"lesser", 4, "for isNaN and isInfinite"},
    {"lesserOrEqual", 4, "for isNaN and isInfinite"},
    {"logicalNot", 4, "for isNaN and isInfinite"},
    {"logicalAnd", 4, "for isNaN and isInfinite"},
    {"logicalOr", 4, "for isNaN and isInfinite"},
    {"logicalXor", 4, "for isNaN and isInfinite"},
    {"equal", 3, "for the logical operators"},
    {"notEqual", 3, "for the logical operators"},
    {"greater", 3, "for the logical operators"},
    {"greaterOrEqual", 3, "for the logical operators"},
    {"lesser", 3, "for the logical operators"},
    {"lesserOrEqual", 3, "for the logical operators"},
    {"isNaN", 3, "for the logical operators"},
    {"isInfinite", 3, "for the logical operators"},
    {"logicalNot", 5, "for two operands"},
    {"isNaN", 5, "for two operands"},
    {"isInfinite", 5, "for two operands"},
    {"conv2d", 12, "groups of 0 are the default"},
    {"convTranspose2d", 14, "groups of 0 are the default"},
    {"convTranspose2d", 19, "computes the sizes that steps 20 and 21 test"},
    {"dequantizeLinear", 10, "zeroPoint has scale's shape by step 8, so step 9 refuses first"},
    {"quantizeLinear", 10, "zeroPoint has scale's shape by step 8, so step 9 refuses first"},
    {"gru", 9, "recurrentWeight would have more than 2^31 elements"},
    {"gruCell", 9, "recurrentWeight would have more than 2^31 elements"},
    {"lstm", 9, "recurrentWeight would have more than 2^31 elements"},
    {"lstmCell", 9, "recurrentWeight would have more than 2^31 elements"},
    {"averagePool2d", 5, "a default"},
    {"l2Pool2d", 5, "a default"},
    {"maxPool2d", 5, "a default"},
    {"MLGraphBuilder", 1, "C has no permission policy"},
    {"MLGraphBuilder", 3, "sets the state"},
    {"createTensor", 4, "the context cannot be lost while the function runs"},
    {"createConstantTensor", 4, "copies the bytes (see copies)"},
    {"createConstantTensor", 5, "sets the attributes"},
    {"readTensor", 5, "queues the read"},
    {"writeTensor", 5, "queues the write"},
    {"D", 10, "computation: emulations.c"},
    {"D", 12, "output shape: shapes.c"},
    {"D", 13, "output shape: shapes.c"},
    {"D", 19, "computation: the cast of numbers to uint32"},
    {"D", 20, "no GPU devices"},
    {"D", 21, "the text's own slip"},
    {"D", 22, "computation: emulations.c"},
    {"D", 23, "computation: out-of-range indices"},
    {"D", 24, "output shape: shapes.c"},
    {"D", 25, "computation: emulations.c"},
    {"D", 26, "computation: emulations.c"},
    {"D", 27, "results belong to the builder: every result here is used with it"},
    {"D", 28, "promises"},
    {"D", 29, "computation: constant(dataType, value)"},
    {"D", 30, "examples of the text"},
    {"D", 31, "computation: ties"},
    {"D", 32, "computation: emulations.c"},
    {"D", 33, "computation: casts out of range"},
    {"D", 34, "computation: NaN"},
    {"D", 35, "computation: integers"},
    {"D", 36, "computation: duplicates"},
    {"D", 37, "computation: rounding"},
    {"D", 38, "computation: emulations.c"},
    {"D", 40, "order within a step"},
};

static const char *exemption(const char *method, int step) {
  size_t i;
  for (i = 0; i < COUNT(exempt); i++)
    if (exempt[i].step == step && strcmp(exempt[i].method, method) == 0)
      return exempt[i].reason;
  return NULL;
}

static void check_steps(const char *method, int steps) {
  char name[64];
  int step;
  for (step = 1; step <= steps; step++) {
    int how = how_seen(method, step);
    const char *reason = exemption(method, step);
    snprintf(name, sizeof name, "%s/%d", method, step);
    if (reason)
      CHECK(name, !(how & REFUSED), "was refused although it is said that it cannot be: %s",
            reason);
    else
      CHECK(name, how == (REFUSED | ACCEPTED), "this step was not seen %s",
            how & REFUSED ? "accepted" : "refused");
  }
  CHECK(method, how_seen(method, steps + 1) == 0, "a step beyond the last one");
}

/* WEBNN_OPERATORS and the table above must agree about the operators and their operands. */
static void check_operator_table(void) {
#define NAME_ONLY(name, types, ranks) #name " "
#define NOTHING(name, kind, member)
#define ROW(op, c_name, name, section, family, operands, options) {WEBNN_OP_##op, name, operands},
#define NO_OUTPUT(name, types, ranks)
  static const struct {
    webnn_op op;
    const char *name, *operands;
  } rows[] = {WEBNN_OPERATORS(ROW, NAME_ONLY, NAME_ONLY, NAME_ONLY, "" NO_OUTPUT, NOTHING)};
  size_t i, j;
  CHECK("operators",
        COUNT(rows) == WEBNN_OP_COUNT && COUNT(methods) == WEBNN_OP_COUNT && COUNT(methods) == 95,
        "expected 95 operators, %d in the library, %d here", (int)WEBNN_OP_COUNT,
        (int)COUNT(methods));
  for (i = 0; i < COUNT(rows) && i < COUNT(methods); i++) {
    char operands[256] = "";
    for (j = 0; j < operand_count(&methods[i]); j++) {
      if (j && strcmp(methods[i].operands[j].name, methods[i].operands[j - 1].name) == 0)
        continue;
      strcat(operands, methods[i].operands[j].name);
      strcat(operands, " ");
    }
    CHECK(rows[i].name,
          rows[i].op == methods[i].op && strcmp(rows[i].name, methods[i].name) == 0 &&
              strcmp(webnn_op_name(rows[i].op), methods[i].name) == 0,
          "row %d is %s here", (int)i, methods[i].name);
    CHECK(rows[i].name, strcmp(rows[i].operands, operands) == 0, "operands '%s', here '%s'",
          rows[i].operands, operands);
  }
#undef NAME_ONLY
#undef NOTHING
#undef ROW
#undef NO_OUTPUT
}

static void check_list(void) {
  size_t i;
  for (i = 0; i < COUNT(methods); i++)
    check_steps(methods[i].name, methods[i].steps);
  for (i = 0; i < COUNT(other_methods); i++)
    check_steps(other_methods[i].name, other_methods[i].steps);
  check_operator_table();
}

int main(void) {
  webnn_context *other_context;
  context = test_context(NULL);
  other_context = test_context(&(webnn_context_options){.threads = 1});
  builder = test_builder(context);
  foreign = test_builder(context);
  probe = make(builder, WEBNN_FLOAT32, WEBNN_LIST(2, 3));
  check_all_methods();
  check_by_hand();
  check_options();
  check_input();
  check_constants(other_context);
  check_build();
  check_built_graphs();
  check_create_tensors();
  check_read_and_write(other_context);
  check_dispatch(other_context);
  check_lost_context();
  check_constant_tensor_last_step();
  check_create_context();
  check_list();
  webnn_free_builder(builder);
  webnn_free_builder(foreign);
  webnn_free_context(context);
  webnn_free_context(other_context);
  return test_end();
}
