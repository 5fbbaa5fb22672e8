/* The interface outside the operators, as far as validation.c does not cover it: contexts,
   ownership, dispatching, graphs as objects, taps, printed graphs, support limits, passes, threads,
   conversions, names, messages. */
#include "every_operator.h"

#include <ctype.h>
#include <locale.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static webnn_context *context;
static webnn_error the_error = WEBNN_ZERO;
static const webnn_error no_error = WEBNN_ZERO;

/* ---- Short ways -------------------------------------------------------------------------------
 */

static webnn_operand *input_of(webnn_builder *by, const char *name, webnn_data_type type,
                               webnn_list shape) {
  const webnn_operand_descriptor descriptor = {type, shape};
  return webnn_input(by, name, descriptor);
}

static webnn_tensor *tensor_in(webnn_context *in, webnn_data_type type, webnn_list shape) {
  const webnn_tensor_descriptor descriptor = {type, shape, true, true};
  webnn_tensor *tensor = NULL;
  CHECK("createTensor", webnn_create_tensor(in, descriptor, &tensor, &the_error) == WEBNN_OK, "%s",
        the_error.message);
  return tensor;
}

static webnn_tensor *floats_in(webnn_context *in, uint32_t count) {
  return tensor_in(in, WEBNN_FLOAT32, WEBNN_LIST(count));
}

/* Builds and frees the builder. */
static webnn_graph *finish(webnn_builder *by, const webnn_named_operand *outputs, size_t count) {
  webnn_graph *graph = NULL;
  CHECK("build", webnn_build(by, outputs, count, &graph, &the_error) == WEBNN_OK, "%s",
        the_error.message);
  webnn_free_builder(by);
  if (graph == NULL) {
    exit(test_end());
  }
  return graph;
}

#define NO_TENSORS NULL, 0

static void dispatch(const char *name, webnn_context *in, webnn_graph *graph,
                     const webnn_named_tensor *inputs, size_t input_count,
                     const webnn_named_tensor *outputs, size_t output_count) {
  CHECK(name,
        webnn_dispatch(in, graph, inputs, input_count, outputs, output_count, &the_error) ==
            WEBNN_OK,
        "%s", the_error.message);
}

static void put(webnn_context *in, webnn_tensor *tensor, const void *data, size_t bytes) {
  CHECK("writeTensor", webnn_write_tensor(in, tensor, data, bytes, &the_error) == WEBNN_OK, "%s",
        the_error.message);
}

static void expect_bytes(const char *name, webnn_context *in, webnn_tensor *tensor,
                         const void *expected, size_t bytes) {
  unsigned char *got = (unsigned char *)test_allocate(bytes);
  size_t i;
  CHECK(name, webnn_read_tensor(in, tensor, got, bytes, &the_error) == WEBNN_OK, "%s",
        the_error.message);
  for (i = 0; i < bytes && got[i] == ((const unsigned char *)expected)[i]; i++) {
  }
  CHECK(name, i == bytes, "byte %u of the result is %d, expected %d", (unsigned)i,
        i < bytes ? got[i] : 0, i < bytes ? ((const unsigned char *)expected)[i] : 0);
  free(got);
}

static void expect_floats(const char *name, webnn_context *in, webnn_tensor *tensor,
                          const float *expected, size_t count) {
  float *got = (float *)test_allocate(count * sizeof *got);
  size_t i;
  CHECK(name, webnn_read_tensor(in, tensor, got, count * sizeof *got, &the_error) == WEBNN_OK, "%s",
        the_error.message);
  for (i = 0; i < count && got[i] == expected[i]; i++) {
  }
  CHECK(name, i == count, "element %u is %g, expected %g", (unsigned)i,
        i < count ? (double)got[i] : 0, i < count ? (double)expected[i] : 0);
  free(got);
}

/* An allocator that counts; only for contexts used by one thread. */
typedef struct counter {
  size_t live, largest, calls;
} counter;

static void *counting_allocate(void *user, size_t size) {
  counter *c = (counter *)user;
  c->live++;
  c->calls++;
  c->largest = size > c->largest ? size : c->largest;
  return malloc(size);
}

static void counting_release(void *user, void *memory) {
  ((counter *)user)->live--;
  free(memory);
}

static webnn_context *counting_context(counter *c) {
  webnn_context_options options = WEBNN_ZERO;
  memset(c, 0, sizeof *c);
  options.threads = 1;
  options.allocator.allocate = counting_allocate;
  options.allocator.release = counting_release;
  options.allocator.user = c;
  return test_context(&options);
}

/* ---- Names ------------------------------------------------------------------------------------
 */

static void check_text(const char *what, const char *got, const char *expected) {
  CHECK(what, got != NULL && strcmp(got, expected) == 0, "expected '%s', got '%s'", expected,
        got != NULL ? got : "NULL");
}

static void check_names(void) {
  static const char *const statuses[] = {
      "", "TypeError", "InvalidStateError", "NotSupportedError", "OperationError", "UnknownError"};
  static const struct {
    const char *name;
    uint32_t bits;
  } types[] = {{"unknown", 0}, {"float32", 32}, {"float16", 16}, {"int32", 32},
               {"uint32", 32}, {"int64", 64},   {"uint64", 64},  {"int8", 8},
               {"uint8", 8},   {"int4", 4},     {"uint4", 4},    {"unknown", 0}};
#define NOTHING(...)
#define NAME_AND_SECTION(op, c_name, name, section, family, operands, options)                     \
  {WEBNN_OP_##op, #op, #c_name, name, section},
  static const struct {
    webnn_op op;
    const char *enumerator, *c_name, *name, *section;
  } operators[] = {WEBNN_OPERATORS(NAME_AND_SECTION, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)};
#undef NAME_AND_SECTION
#undef NOTHING
  size_t i, k;
  for (i = 0; i < COUNT(statuses); i++) {
    check_text("status", webnn_status_name((webnn_status)i), statuses[i]);
  }
  check_text("status", webnn_status_name((webnn_status)COUNT(statuses)), "");
  for (i = 0; i < COUNT(types); i++) {
    check_text("data type", webnn_data_type_name((webnn_data_type)i), types[i].name);
    CHECK("data type", webnn_data_type_bits((webnn_data_type)i) == types[i].bits,
          "%s has %u bits, got %u", types[i].name, (unsigned)types[i].bits,
          (unsigned)webnn_data_type_bits((webnn_data_type)i));
  }
  CHECK("data type", webnn_data_type_bits((webnn_data_type)1000) == 0, "type 1000 has bits");
  CHECK("operator", COUNT(operators) == WEBNN_OP_COUNT, "%d rows for %d operators",
        (int)COUNT(operators), (int)WEBNN_OP_COUNT);
  for (i = 0; i < WEBNN_OP_COUNT; i++) {
    char enumerator[40] = "";
    for (k = 0; operators[i].c_name[k] != 0; k++) {
      enumerator[k] = (char)toupper((unsigned char)operators[i].c_name[k]);
    }
    check_text("enumerator", enumerator, operators[i].enumerator);
    CHECK("operator", (size_t)operators[i].op == i, "WEBNN_OP_%s is %d, in row %d", enumerator,
          (int)operators[i].op, (int)i);
    check_text("operator", webnn_op_name((webnn_op)i), operators[i].name);
    check_text("section", webnn_op_section((webnn_op)i), operators[i].section);
  }
  CHECK("operator",
        webnn_op_name(WEBNN_OP_COUNT) == NULL && webnn_op_section(WEBNN_OP_COUNT) == NULL,
        "an operator after the last");
  CHECK("operator", webnn_op_name((webnn_op)-1) == NULL && webnn_op_section((webnn_op)-1) == NULL,
        "an operator before the first");
  for (i = 0; webnn_pass_name((uint32_t)i) != NULL && i < 32; i++) {
    CHECK("pass", webnn_pass_name((uint32_t)i)[0] != 0, "pass %d has no name", (int)i);
    CHECK("pass",
          i == 0 || strcmp(webnn_pass_name((uint32_t)i), webnn_pass_name((uint32_t)i - 1)) != 0,
          "passes %d and %d have one name", (int)i - 1, (int)i);
  }
  CHECK("pass", i > 0 && i < 32, "%d passes", (int)i);
  CHECK("pass", webnn_pass_name((uint32_t)i + 1) == NULL && webnn_pass_name(UINT32_MAX) == NULL,
        "a pass after the last");
  CHECK("version", WEBNN_VERSION_MAJOR >= 0 && WEBNN_VERSION_MINOR >= 0 && WEBNN_VERSION_PATCH >= 0,
        "no version");
}

/* ---- Numbers, lists, sizes --------------------------------------------------------------------
 */

static void check_numbers(void) {
  const webnn_number absent = WEBNN_ZERO;
  const webnn_number f = webnn_f64(-0.5), i = webnn_i64(INT64_MIN), u = webnn_u64(UINT64_MAX);
  CHECK("number", absent.kind == WEBNN_NUMBER_ABSENT, "zero is a number");
  CHECK("number", f.kind == WEBNN_NUMBER_DOUBLE && f.f64 == -0.5, "webnn_f64");
  CHECK("number", i.kind == WEBNN_NUMBER_INT64 && i.integer == (uint64_t)INT64_MIN, "webnn_i64");
  CHECK("number", u.kind == WEBNN_NUMBER_UINT64 && u.integer == UINT64_MAX, "webnn_u64");
}

static void check_lists(void) {
  const webnn_list absent = WEBNN_ZERO, empty = WEBNN_EMPTY_LIST, three = WEBNN_LIST(7, 8, 9);
  uint32_t array[] = {4, 5, 6, 7, 8, 9, 10, 11, 12};
  const webnn_list two = webnn_list_of(array, 2), nine = webnn_list_of(array, 9);
  const webnn_list none = webnn_list_of(array, 0), nothing = webnn_list_of(NULL, 0);
  const webnn_list lost = webnn_list_of(NULL, 2), endless = webnn_list_of(array, SIZE_MAX);
  const webnn_float_list floats = WEBNN_FLOAT_LIST(0.5f, 2);
  const webnn_activation_list activations =
      WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_TANH, WEBNN_ACTIVATION_RELU);
  const webnn_operand_descriptor matrix = WEBNN_DESCRIPTOR(WEBNN_INT8, 2, 3);
  const webnn_operand_descriptor scalar = WEBNN_SCALAR(WEBNN_UINT8);
  CHECK("list", !absent.given && absent.count == 0, "zero is not absent");
  CHECK("list", empty.given && empty.count == 0, "the empty list is absent");
  CHECK("list", three.given && three.count == 3 && three.items[0] == 7 && three.items[2] == 9,
        "WEBNN_LIST");
  array[0] = 99;
  CHECK("list", two.given && two.count == 2 && two.items[0] == 4 && two.items[1] == 5,
        "two items of an array");
  CHECK("list", none.given && none.count == 0 && nothing.given && nothing.count == 0,
        "no items of an array, or of none");
  CHECK("list", !lost.given && lost.count == 2, "two items of no array are refused");
  CHECK("list", nine.given && nine.count == 9 && nine.items[7] == 11, "nine items are too many");
  CHECK("list", endless.given && endless.count > WEBNN_MAX_RANK && endless.items[7] == 11,
        "a length beyond 32 bits is too large");
  CHECK("list", floats.given && floats.count == 2 && floats.items[1] == 2.0f, "WEBNN_FLOAT_LIST");
  CHECK("list",
        activations.given && activations.count == 2 &&
            activations.items[0] == WEBNN_ACTIVATION_TANH &&
            activations.items[1] == WEBNN_ACTIVATION_RELU,
        "WEBNN_ACTIVATIONS");
  CHECK("list",
        matrix.data_type == WEBNN_INT8 && matrix.shape.given &&
            test_same_list(matrix.shape, WEBNN_LIST(2, 3)),
        "WEBNN_DESCRIPTOR");
  CHECK("list", scalar.data_type == WEBNN_UINT8 && scalar.shape.given && scalar.shape.count == 0,
        "WEBNN_ISA_SCALAR");
  CHECK("list", !webnn_operand_shape(NULL).given && !webnn_tensor_shape(NULL).given,
        "the shape of NULL is not absent");
  CHECK("list", webnn_operand_shape(NULL).count == 0 && webnn_tensor_shape(NULL).count == 0,
        "NULL has dimensions");
  CHECK("list", (int)webnn_operand_data_type(NULL) == 0 && (int)webnn_tensor_data_type(NULL) == 0,
        "NULL has a data type");
}

static void check_byte_length(void) {
  const uint32_t most = 2147483647u, dimensions[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  const struct {
    webnn_operand_descriptor descriptor;
    uint64_t bytes;
  } cases[] = {
      {{WEBNN_FLOAT32, WEBNN_EMPTY_LIST}, 4},
      {{WEBNN_UINT4, WEBNN_EMPTY_LIST}, 1},
      {{WEBNN_INT4, WEBNN_LIST(3)}, 2},
      {{WEBNN_INT4, WEBNN_LIST(3, 2)}, 3},
      {{WEBNN_INT64, WEBNN_LIST(2, 3, 5)}, 240},
      {{WEBNN_FLOAT16, WEBNN_LIST(most)}, 4294967294u},
      {{WEBNN_INT8, WEBNN_LIST(most, 2)}, 4294967294u},
      {{WEBNN_INT8, WEBNN_LIST(most, most)}, UINT64_C(4611686014132420609)},
      {{WEBNN_UINT8, webnn_list_of(dimensions, 8)}, 1},
      {{WEBNN_UINT8, webnn_list_of(dimensions, 9)}, 0}, /* rank 9 */
      {{WEBNN_INT64, WEBNN_LIST(most, most, 8)}, 0},    /* over 64 bits */
      {{WEBNN_INT8, WEBNN_LIST(most, most, most)}, 0},
      {{WEBNN_INT64, WEBNN_LIST(most, most, 2)}, 0}, /* so many elements fit, their bytes do not */
      {{WEBNN_UINT8, WEBNN_LIST(most + 1)}, 0},      /* no dimension */
      {{WEBNN_UINT8, WEBNN_LIST(1, most + 1)}, 0},
      {{WEBNN_FLOAT32, WEBNN_LIST(2, 0)}, 0},
      {{WEBNN_FLOAT32, {{0}, 0, false}}, 0}, /* no shape */
      {{WEBNN_FLOAT32, {{2}, 1, false}}, 0}, /* items that are not given */
      {WEBNN_ZERO, 0},
      {{(webnn_data_type)0, WEBNN_LIST(2)}, 0},
      {{(webnn_data_type)11, WEBNN_LIST(2)}, 0},
  };
  size_t i;
  for (i = 0; i < COUNT(cases); i++) {
    const uint64_t got = webnn_byte_length(cases[i].descriptor);
    CHECK("byte length", got == cases[i].bytes, "case %d: expected %llu, got %llu", (int)i,
          (unsigned long long)cases[i].bytes, (unsigned long long)got);
  }
}

/* ---- float16 ----------------------------------------------------------------------------------
 */

/* The value of a float16 pattern that is a number or an infinity, by definition. */
static double half_value(unsigned bits) {
  const int exponent = (int)(bits >> 10 & 31);
  double value = exponent == 0 ? (double)(bits & 1023) : (double)(1024 + (bits & 1023));
  int i;
  if (exponent == 31) {
    value = 1e300 * 1e300;
  }
  for (i = exponent > 1 ? exponent : 1; i < 25; i++) {
    value /= 2;
  }
  for (i = 25; i < exponent; i++) {
    value *= 2;
  }
  return bits >> 15 ? -value : value;
}

/* The nearest pattern, ties to even: how many steps of the right size are in the value? */
static unsigned nearest_half(double value, bool negative) {
  const unsigned sign = negative ? 0x8000u : 0u;
  double step = 1.0 / 16777216, top = 2048.0 / 16777216; /* 2^-24; the first binade is twice wide */
  unsigned below = 0, whole;
  double steps;
  value = negative ? -value : value;
  if (value >= 65520) {
    return sign | 0x7c00u;
  }
  while (value >= top) {
    step *= 2;
    top *= 2;
    below += 1024;
  }
  steps = value / step;
  whole = (unsigned)steps;
  if (steps - whole > 0.5 || (steps - whole == 0.5 && whole % 2 == 1)) {
    whole++;
  }
  return sign | (below + whole);
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void check_all_halves(void) {
  unsigned bits, wrong = 0, first = 0;
  for (bits = 0; bits < 65536; bits++) {
    const float value = webnn_float16_to_float32((uint16_t)bits);
    const bool nan = (bits & 0x7fff) > 0x7c00;
    const bool right = nan ? (bits_of(value) & 0x7fffffff) > 0x7f800000 &&
                                 (webnn_float32_to_float16(value) & 0x7fff) > 0x7c00
                           : (double)value == half_value(bits) &&
                                 bits_of(value) >> 31 == bits >> 15 &&
                                 webnn_float32_to_float16(value) == bits;
    first = !right && wrong++ == 0 ? bits : first;
  }
  CHECK("float16", wrong == 0, "%u patterns go wrong to float32 or back, the first is 0x%04x",
        wrong, first);
}

static bool converts_right(float value) {
  const unsigned got = webnn_float32_to_float16(value);
  if (value != value) {
    return (got & 0x7fff) > 0x7c00;
  }
  return got == nearest_half((double)value, bits_of(value) >> 31 != 0);
}

/* Every exponent and sign with random fractions, and the floats round every midpoint. */
static void check_floats_to_half(void) {
  uint64_t state = 5;
  uint32_t high, i, wrong = 0, first = 0;
  for (high = 0; high < 512; high++) {
    for (i = 0; i < 400; i++) {
      const uint32_t bits = high << 23 | (uint32_t)(test_random(&state) >> 41);
      first = !converts_right(float_of(bits)) && wrong++ == 0 ? bits : first;
    }
  }
  for (high = 0; high < 0x7c00; high++) {
    const double low = half_value(high);
    const double up = high == 0x7bff ? 65536.0 : half_value(high + 1);
    const uint32_t middle = bits_of((float)((low + up) / 2));
    for (i = middle - 2; i != middle + 3; i++) {
      first = !converts_right(float_of(i)) && wrong++ == 0 ? i : first;
      first = !converts_right(float_of(i | 0x80000000u)) && wrong++ == 0 ? i : first;
    }
  }
  CHECK("float16", wrong == 0, "%u floats are rounded wrong, the first is 0x%08lx", (unsigned)wrong,
        (unsigned long)first);
}

/* ---- Contexts ---------------------------------------------------------------------------------
 */

static void check_contexts(void) {
  static const webnn_context_options zero = WEBNN_ZERO;
  webnn_context_options options = zero;
  webnn_limits limits;
  webnn_context *made = NULL;
  webnn_error error = WEBNN_ZERO, old;
  int power, accelerated, numerics;
  memset(&old, 0xff, sizeof old);
  for (power = WEBNN_POWER_DEFAULT; power <= WEBNN_POWER_LOW_POWER; power++) {
    for (accelerated = 0; accelerated < 2; accelerated++) {
      for (numerics = WEBNN_NUMERICS_FAST; numerics <= WEBNN_NUMERICS_RELAXED; numerics++) {
        options = zero;
        options.power_preference = (webnn_power_preference)power;
        options.not_accelerated = accelerated == 1;
        options.numerics = (webnn_numerics)numerics;
        error = no_error;
        CHECK("context", webnn_create_context(&options, &made, &error) == WEBNN_OK, "%s",
              error.message);
        CHECK("context", error.status == WEBNN_OK && error.message[0] == 0,
              "after success the error says '%s'", error.message);
        CHECK("context", !webnn_context_accelerated(made), "the CPU is not accelerated");
        error = old;
        CHECK("context", !webnn_context_lost(made, &error) && memcmp(&error, &old, sizeof old) == 0,
              "a new context is lost");
        webnn_free_context(made);
      }
    }
  }
  options = zero;
  options.max_tensor_byte_length = 1000;
  made = test_context(&options);
  CHECK("context", webnn_context_limits(made, &limits) && limits.max_tensor_byte_length == 1000,
        "max_tensor_byte_length is %llu", (unsigned long long)limits.max_tensor_byte_length);
  webnn_free_context(made);
  CHECK("context",
        webnn_context_limits(context, &limits) && limits.max_tensor_byte_length >= 0x7fffffff,
        "max_tensor_byte_length is %llu", (unsigned long long)limits.max_tensor_byte_length);
  error = no_error;
  CHECK("context", webnn_context_lost(NULL, &error) && error.status == WEBNN_TYPE_ERROR,
        "NULL is a living context");
  CHECK("context", !webnn_context_accelerated(NULL), "NULL is accelerated");
}

/* Values on either side of each enumeration. */
static void check_context_enumerations(void) {
  int outside, which;
  for (which = 0; which < 6; which++) {
    for (outside = 0; outside < 2; outside++) {
      webnn_context_options options = WEBNN_ZERO;
      webnn_arithmetic *a = &options.arithmetic;
      webnn_context *made = NULL;
      int *const members[] = {(int *)&options.power_preference,
                              (int *)&options.numerics,
                              (int *)&options.instruction_set,
                              (int *)&a->accumulate,
                              (int *)&a->order,
                              (int *)&a->round_intermediates};
      options.numerics = WEBNN_NUMERICS_REFERENCE;
      *members[which] = outside ? 100 : -1;
      CHECK("enumerations",
            webnn_create_context(&options, &made, &the_error) == WEBNN_TYPE_ERROR && made == NULL &&
                strstr(the_error.message, "enumeration") != NULL,
            "option %d, %d: %s", which, *members[which], the_error.message);
    }
  }
}

static webnn_graph *profiled_graph(webnn_context *in);

/* NULL for a handle is an error that is said, or nothing at all. */
static void check_no_handles(void) {
  const webnn_tensor_descriptor no_storage = WEBNN_ZERO;
  static const float data[2];
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(2)};
  const webnn_operand_descriptor unknown = {(webnn_data_type)1000, WEBNN_LIST(2)};
  const webnn_operand_descriptor zero = WEBNN_ZERO;
  webnn_tensor *tensor = (webnn_tensor *)&the_error;
  webnn_graph *graph = profiled_graph(context);
  every_text text = {NULL, 0, 0};
  CHECK("NULL", webnn_builder_status(NULL) == WEBNN_TYPE_ERROR, "a builder without an error");
  CHECK("NULL", webnn_builder_message(NULL)[0] != 0, "no message about no builder");
  webnn_builder_clear_error(NULL);
  CHECK("NULL",
        webnn_input(NULL, "x", descriptor) == NULL &&
            webnn_constant(NULL, descriptor, data, sizeof data) == NULL &&
            webnn_constant_from_tensor(NULL, tensor) == NULL &&
            webnn_constant_from_number(NULL, WEBNN_FLOAT32, webnn_f64(1)) == NULL &&
            webnn_neg(NULL, NULL, NULL) == NULL,
        "an operand of no builder");
  CHECK("NULL",
        !webnn_tensor_readable(NULL) && !webnn_tensor_writable(NULL) &&
            !webnn_tensor_constant(NULL),
        "no tensor can be used");
  the_error = no_error;
  CHECK("NULL",
        webnn_create_constant_tensor(NULL, descriptor, data, sizeof data, &tensor, &the_error) ==
                WEBNN_TYPE_ERROR &&
            tensor == NULL && strstr(the_error.message, "context") != NULL,
        "%s", the_error.message);
  CHECK("NULL",
        webnn_create_constant_tensor(context, zero, data, sizeof data, &tensor, &the_error) ==
                WEBNN_TYPE_ERROR &&
            strstr(the_error.message, "dataType") != NULL,
        "%s", the_error.message);
  CHECK("NULL",
        webnn_create_constant_tensor(context, descriptor, data, sizeof data, NULL, &the_error) ==
                WEBNN_TYPE_ERROR &&
            strstr(the_error.message, "place") != NULL,
        "%s", the_error.message);
  CHECK("NULL",
        webnn_create_tensor_over_memory(context, no_storage, NULL, 0, NULL, &the_error) ==
                WEBNN_TYPE_ERROR &&
            strstr(the_error.message, "place") != NULL,
        "%s", the_error.message);
  CHECK("NULL", webnn_byte_length(zero) == 0 && webnn_byte_length(unknown) == 0,
        "no type has bytes");
  CHECK("NULL", webnn_graph_tolerance(NULL, 0).value == 0, "no graph has a tolerance");
  CHECK("NULL",
        webnn_graph_tolerance(graph, 0).value > 0 && webnn_graph_tolerance(graph, 4).value == 0,
        "four operators have tolerances");
  webnn_print_profile(NULL, every_write, &text);
  webnn_print_profile(graph, NULL, &text);
  webnn_print_steps(NULL, every_write, &text);
  webnn_print_steps(graph, NULL, &text);
  CHECK("NULL", text.data == NULL, "printed %s", text.data);
  webnn_free_graph(graph);
}

/* Interpolated images have tolerances of their own. */
static void check_tolerances(void) {
  static const struct {
    webnn_data_type type;
    double value;
  } rows[] = {{WEBNN_FLOAT32, 84}, {WEBNN_FLOAT16, 10}, {WEBNN_UINT8, 1}};
  size_t i;
  for (i = 0; i < COUNT(rows); i++) {
    webnn_resample2d_options options = WEBNN_ZERO;
    webnn_builder *by = test_builder(context);
    webnn_operand *x = input_of(by, "x", rows[i].type, WEBNN_LIST(1, 1, 2, 2));
    webnn_graph *graph;
    webnn_tolerance tolerance;
    options.mode = WEBNN_INTERPOLATION_LINEAR;
    options.sizes = WEBNN_LIST(3, 3);
    graph = finish(by, WEBNN_NAMED_OPERANDS({"y", webnn_resample2d(by, x, &options)}));
    tolerance = webnn_graph_tolerance(graph, 0);
    CHECK("tolerance", tolerance.metric == WEBNN_METRIC_ULP && tolerance.value == rows[i].value,
          "%g for %s, expected %g", tolerance.value, webnn_data_type_name(rows[i].type),
          rows[i].value);
    webnn_free_graph(graph);
  }
}

/* 6H of gru and 8H of lstm, and before that 3H and 4H, must be dimensions. */
static void check_hidden_sizes(void) {
  static const uint32_t sizes[] = {0, 1u << 28, 357913942, 1u << 30, UINT32_MAX};
  webnn_operand *outputs[3];
  size_t i;
  for (i = 0; i < COUNT(sizes); i++) {
    webnn_builder *by = test_builder(context);
    webnn_operand *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(1, 1, 1));
    CHECK("hidden size", webnn_gru(by, x, x, x, 1, sizes[i], NULL, outputs) == 0, "gru of %lu",
          (unsigned long)sizes[i]);
    CHECK("hidden size", webnn_builder_status(by) == WEBNN_TYPE_ERROR, "%s",
          webnn_builder_message(by));
    webnn_builder_clear_error(by);
    CHECK("hidden size", webnn_lstm(by, x, x, x, 1, sizes[i], NULL, outputs) == 0, "lstm of %lu",
          (unsigned long)sizes[i]);
    CHECK("hidden size", webnn_builder_status(by) == WEBNN_TYPE_ERROR, "%s",
          webnn_builder_message(by));
    webnn_builder_clear_error(by);
    CHECK("hidden size", webnn_gru(by, x, x, x, 1, 1, NULL, NULL) == 0, "no place for outputs");
    CHECK("hidden size", strstr(webnn_builder_message(by), "no place") != NULL, "%s",
          webnn_builder_message(by));
    webnn_free_builder(by);
  }
}

static void check_lost(void) {
  webnn_context *made = test_context(NULL);
  webnn_error first = WEBNN_ZERO, second = WEBNN_ZERO;
  webnn_destroy_context(made);
  CHECK("lost", webnn_context_lost(made, &first), "a destroyed context is not lost");
  CHECK("lost", first.status == WEBNN_INVALID_STATE_ERROR && first.message[0] != 0,
        "status %s, message '%s'", webnn_status_name(first.status), first.message);
  webnn_destroy_context(made);
  CHECK("lost", webnn_context_lost(made, &second) && strcmp(first.message, second.message) == 0,
        "destroyed twice, the message is '%s'", second.message);
  webnn_free_context(made);
}

/* Two contexts that work in turns do not meet. */
static void check_two_contexts(void) {
  static const float data[2] = {1, 2}, plus[2] = {2, 3}, twice[2] = {2, 4};
  webnn_context *contexts[2];
  webnn_graph *graphs[2];
  webnn_tensor *x[2], *y[2];
  int i;
  for (i = 0; i < 2; i++) {
    webnn_builder *by;
    webnn_operand *a, *one;
    contexts[i] = test_context(NULL);
    by = test_builder(contexts[i]);
    a = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(2));
    one = webnn_constant_from_number(by, WEBNN_FLOAT32, webnn_f64(1 + i));
    graphs[i] = finish(by, WEBNN_NAMED_OPERANDS({"y", i == 0 ? webnn_add(by, a, one, NULL)
                                                             : webnn_mul(by, a, one, NULL)}));
    x[i] = floats_in(contexts[i], 2);
    y[i] = floats_in(contexts[i], 2);
  }
  for (i = 0; i < 2; i++) {
    put(contexts[i], x[i], data, sizeof data);
  }
  for (i = 0; i < 2; i++) {
    dispatch("two contexts", contexts[i], graphs[i], WEBNN_NAMED_TENSORS({"x", x[i]}),
             WEBNN_NAMED_TENSORS({"y", y[i]}));
  }
  webnn_free_context(contexts[0] == NULL ? contexts[1] : NULL); /* nothing */
  expect_floats("two contexts", contexts[0], y[0], plus, 2);
  webnn_free_tensor(x[0]);
  webnn_free_tensor(y[0]);
  webnn_free_graph(graphs[0]);
  webnn_free_context(contexts[0]);
  expect_floats("two contexts", contexts[1], y[1], twice, 2);
  webnn_free_context(contexts[1]);
  webnn_free_tensor(x[1]);
  webnn_free_tensor(y[1]);
  webnn_free_graph(graphs[1]);
}

/* ---- Ownership --------------------------------------------------------------------------------
 */

typedef struct handles {
  webnn_context *context;
  webnn_builder *builder;
  webnn_graph *graph;
  webnn_tensor *tensor, *constant;
} handles;

enum { HANDLE_COUNT = 5 };

static handles make_handles(counter *c) {
  static const float data[2] = {3, 4};
  handles h;
  webnn_operand *y;
  memset(&h, 0, sizeof h);
  h.context = counting_context(c);
  h.builder = test_builder(h.context);
  CHECK("ownership",
        webnn_create_constant_tensor(h.context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), data,
                                     sizeof data, &h.constant, &the_error) == WEBNN_OK,
        "%s", the_error.message);
  h.tensor = floats_in(h.context, 2);
  y = webnn_add(h.builder, input_of(h.builder, "x", WEBNN_FLOAT32, WEBNN_LIST(2)),
                webnn_constant_from_tensor(h.builder, h.constant), NULL);
  CHECK("ownership",
        webnn_build(h.builder, WEBNN_NAMED_OPERANDS({"y", y}), &h.graph, &the_error) == WEBNN_OK,
        "%s", the_error.message);
  return h;
}

static void free_handle(const handles *h, int which, bool destroy_first) {
  switch (which) {
  case 0:
    if (destroy_first) {
      webnn_destroy_context(h->context);
      webnn_destroy_context(h->context);
    }
    webnn_free_context(h->context);
    break;
  case 1:
    webnn_free_builder(h->builder);
    break;
  case 2:
    if (destroy_first) {
      webnn_destroy_graph(h->graph);
      webnn_destroy_graph(h->graph);
    }
    webnn_free_graph(h->graph);
    break;
  default: {
    webnn_tensor *tensor = which == 3 ? h->tensor : h->constant;
    if (destroy_first) {
      webnn_destroy_tensor(tensor);
      webnn_destroy_tensor(tensor);
    }
    webnn_free_tensor(tensor);
  }
  }
}

/* The attributes of what is not freed yet can be read whatever else is gone. */
static void check_survivors(const handles *h, unsigned freed) {
  webnn_graph_port port;
  if ((freed >> 1 & 1) == 0) {
    CHECK("ownership", webnn_builder_status(h->builder) == WEBNN_OK, "the builder is broken");
  }
  if ((freed >> 2 & 1) == 0) {
    CHECK("ownership",
          webnn_graph_inputs(h->graph, &port, 1) == 1 && strcmp(port.name, "x") == 0 &&
              webnn_graph_outputs(h->graph, &port, 1) == 1 && strcmp(port.name, "y") == 0 &&
              port.descriptor.shape.count == 1 && port.descriptor.shape.items[0] == 2,
          "the graph is broken");
  }
  if ((freed >> 3 & 1) == 0) {
    CHECK("ownership",
          test_same_list(webnn_tensor_shape(h->tensor), WEBNN_LIST(2)) &&
              webnn_tensor_data_type(h->tensor) == WEBNN_FLOAT32 &&
              webnn_tensor_readable(h->tensor) && webnn_tensor_writable(h->tensor) &&
              !webnn_tensor_constant(h->tensor),
          "the tensor is broken");
  }
  if ((freed >> 4 & 1) == 0) {
    CHECK("ownership",
          test_same_list(webnn_tensor_shape(h->constant), WEBNN_LIST(2)) &&
              !webnn_tensor_readable(h->constant) && !webnn_tensor_writable(h->constant) &&
              webnn_tensor_constant(h->constant),
          "the constant tensor is broken");
  }
}

/* Permutation number n of 0 ... 4: in each step one of the handles that are left. */
static void free_in_order(int number, bool destroy_first) {
  counter c;
  const handles h = make_handles(&c);
  int left[HANDLE_COUNT] = {0, 1, 2, 3, 4}, count = HANDLE_COUNT, rest = number, i;
  unsigned freed = 0;
  for (; count > 0; count--) {
    const int at = rest % count;
    rest /= count;
    free_handle(&h, left[at], destroy_first);
    freed |= 1u << left[at];
    check_survivors(&h, freed);
    for (i = at; i + 1 < count; i++) {
      left[i] = left[i + 1];
    }
  }
  CHECK("ownership", c.live == 0, "order %d leaves %u allocations", number, (unsigned)c.live);
}

static void check_ownership(void) {
  int number;
  for (number = 0; number < 120; number++) {
    free_in_order(number, false);
    free_in_order(number, true);
  }
  webnn_free_context(NULL);
  webnn_free_builder(NULL);
  webnn_free_graph(NULL);
  webnn_free_tensor(NULL);
  webnn_destroy_context(NULL);
  webnn_destroy_graph(NULL);
  webnn_destroy_tensor(NULL);
  webnn_builder_clear_error(NULL);
}

/* A graph needs neither the builder nor the constant tensors it was built from. */
static void check_graph_outlives(void) {
  static const float data[2] = {10, 20}, expected[2] = {13, 24};
  counter c;
  const handles h = make_handles(&c);
  webnn_tensor *y = floats_in(h.context, 2);
  webnn_free_builder(h.builder);
  webnn_free_tensor(h.constant);
  put(h.context, h.tensor, data, sizeof data);
  dispatch("outlives", h.context, h.graph, WEBNN_NAMED_TENSORS({"x", h.tensor}),
           WEBNN_NAMED_TENSORS({"y", y}));
  expect_floats("outlives", h.context, y, expected, 2);
  webnn_destroy_graph(h.graph);
  CHECK("outlives",
        webnn_dispatch(h.context, h.graph, WEBNN_NAMED_TENSORS({"x", h.tensor}),
                       WEBNN_NAMED_TENSORS({"y", y}), &the_error) == WEBNN_INVALID_STATE_ERROR,
        "a destroyed graph was dispatched");
  CHECK("outlives", webnn_graph_memory(h.graph).arena == 0, "a destroyed graph takes memory");
  expect_floats("outlives", h.context, y, expected, 2);
  webnn_free_graph(h.graph);
  webnn_free_tensor(h.tensor);
  webnn_free_tensor(y);
  webnn_free_context(h.context);
  CHECK("outlives", c.live == 0, "%u allocations are left", (unsigned)c.live);
}

/* Borrowed constants are read where they are; copied ones may change after the call. */
static void check_constants(void) {
  enum { LARGE = 20000 };
  counter c;
  webnn_context *in = counting_context(&c);
  webnn_builder *by = test_builder(in);
  float *copied = (float *)test_allocate(2 * sizeof *copied);
  float *data = (float *)test_allocate(LARGE * sizeof *data);
  const float expected[2] = {10003, 10004};
  webnn_operand *x, *y;
  webnn_graph *graph;
  webnn_tensor *out;
  size_t i;
  for (i = 0; i < LARGE; i++) {
    data[i] = 0.5f;
  }
  copied[0] = 3;
  copied[1] = 4;
  x = webnn_constant_over_memory(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, LARGE), data,
                                 LARGE * sizeof *data);
  y = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), copied, 2 * sizeof *copied);
  copied[0] = copied[1] = 99;
  free(copied);
  graph = finish(
      by, WEBNN_NAMED_OPERANDS({"y", webnn_add(by, webnn_reduce_sum(by, x, NULL), y, NULL)}));
  CHECK("constants", c.largest < LARGE * sizeof *data, "%u bytes were allocated: a copy?",
        (unsigned)c.largest);
  CHECK("constants", webnn_graph_memory(graph).constants == 2 * sizeof *copied,
        "expected 8 bytes of constants, got %u", (unsigned)webnn_graph_memory(graph).constants);
  out = floats_in(in, 2);
  dispatch("constants", in, graph, NO_TENSORS, WEBNN_NAMED_TENSORS({"y", out}));
  expect_floats("constants", in, out, expected, 2);
  webnn_free_graph(graph);
  webnn_free_tensor(out);
  webnn_free_context(in);
  free(data);
}

/* Tensors over the caller's memory are used in place where it is aligned; elsewhere a copy is
   brought up to date. */
static void check_tensors_over_memory(size_t offset) {
  enum { LARGE = 5000 };
  counter c;
  webnn_context *in = counting_context(&c);
  webnn_builder *by = test_builder(in);
  unsigned char *memory = (unsigned char *)test_allocate(2 * LARGE * sizeof(float) + 16);
  unsigned char *x_memory = memory + offset, *y_memory = x_memory + LARGE * sizeof(float);
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(LARGE), true, true};
  webnn_operand *one = webnn_constant_from_number(by, WEBNN_FLOAT32, webnn_f64(1));
  webnn_graph *graph = finish(
      by, WEBNN_NAMED_OPERANDS(
              {"y", webnn_add(by, input_of(by, "x", WEBNN_FLOAT32, descriptor.shape), one, NULL)}));
  webnn_tensor *x = NULL, *y = NULL;
  float value = 41, got = 0;
  CHECK("over memory",
        webnn_create_tensor_over_memory(in, descriptor, x_memory, LARGE * sizeof value, &x,
                                        &the_error) == WEBNN_OK &&
            webnn_create_tensor_over_memory(in, descriptor, y_memory, LARGE * sizeof value, &y,
                                            &the_error) == WEBNN_OK,
        "%s", the_error.message);
  CHECK("over memory", (c.largest < LARGE * sizeof value) == (offset % sizeof value == 0),
        "%u bytes were allocated for memory at offset %u", (unsigned)c.largest, (unsigned)offset);
  memcpy(x_memory + 7 * sizeof value, &value, sizeof value); /* not by webnn_write_tensor */
  dispatch("over memory", in, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"y", y}));
  CHECK("over memory", webnn_wait(in, &the_error) == WEBNN_OK, "%s", the_error.message);
  memcpy(&got, y_memory + 7 * sizeof value, sizeof value);
  CHECK("over memory", got == 42.0f, "expected 42 in the caller's memory, got %g", (double)got);
  webnn_write_tensor(in, x, y_memory, LARGE * sizeof value, NULL);
  webnn_wait(in, NULL);
  CHECK("over memory", memcmp(x_memory, y_memory, LARGE * sizeof value) == 0,
        "writeTensor did not reach the memory");
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  CHECK("over memory", memcmp(x_memory, y_memory, LARGE * sizeof value) == 0,
        "freeing changed the caller's memory");
  webnn_free_graph(graph);
  webnn_free_context(in);
  CHECK("over memory", c.live == 0, "%u allocations are left", (unsigned)c.live);
  free(memory);
}

/* ---- Dispatch ---------------------------------------------------------------------------------
 */

/* y = x + amount */
static webnn_graph *adding_graph(webnn_context *in, double amount) {
  webnn_builder *by = test_builder(in);
  return finish(
      by, WEBNN_NAMED_OPERANDS(
              {"y",
               webnn_add(by, input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(2)),
                         webnn_constant_from_number(by, WEBNN_FLOAT32, webnn_f64(amount)), NULL)}));
}

/* Work happens in call order: a chain over two tensors and two graphs, with writes between. */
static void check_order(void) {
  static const float zero[2] = {0, 0}, sum[2] = {55, 55}, again[2] = {1, 1};
  webnn_graph *one = adding_graph(context, 1), *ten = adding_graph(context, 10);
  webnn_tensor *a = floats_in(context, 2), *b = floats_in(context, 2);
  int i;
  expect_floats("order", context, a, zero, 2); /* tensors begin as zeros */
  for (i = 0; i < 5; i++) {
    dispatch("order", context, one, WEBNN_NAMED_TENSORS({"x", a}), WEBNN_NAMED_TENSORS({"y", b}));
    dispatch("order", context, ten, WEBNN_NAMED_TENSORS({"x", b}), WEBNN_NAMED_TENSORS({"y", a}));
  }
  expect_floats("order", context, a, sum, 2);
  put(context, a, zero, sizeof zero);
  dispatch("order", context, one, WEBNN_NAMED_TENSORS({"x", a}), WEBNN_NAMED_TENSORS({"y", b}));
  put(context, a, sum, sizeof sum); /* too late for the dispatch before */
  expect_floats("order", context, b, again, 2);
  webnn_free_graph(one);
  webnn_free_graph(ten);
  webnn_free_tensor(a);
  webnn_free_tensor(b);
}

/* Lists of bindings end where their count says, in whatever order they are, and inputs and outputs
   are told apart by the list that they are in. */
static void check_ends_of_bindings(void) {
  static const float data[2][2] = {{5, 7}, {1, 2}}, difference[2] = {4, 5};
  webnn_builder *by = test_builder(context);
  webnn_operand *a = input_of(by, "a", WEBNN_FLOAT32, WEBNN_LIST(2));
  webnn_operand *b = input_of(by, "b", WEBNN_FLOAT32, WEBNN_LIST(2));
  webnn_graph *graph = finish(by, WEBNN_NAMED_OPERANDS({"y", webnn_sub(by, a, b, NULL)},
                                                       {"z", webnn_identity(by, a, NULL)}));
  webnn_tensor *t[4];
  webnn_named_tensor bound[6];
  size_t order, i;
  for (i = 0; i < COUNT(t); i++) {
    t[i] = floats_in(context, 2);
  }
  put(context, t[0], data[0], sizeof data[0]);
  put(context, t[1], data[1], sizeof data[1]);
  for (order = 0; order < 4; order++) {
    const size_t first = order % 2, second = order / 2;
    memset(bound, 0, sizeof bound); /* bound[2] and bound[5]: not even a name */
    bound[first].name = "a";
    bound[first].tensor = t[0];
    bound[1 - first].name = "b";
    bound[1 - first].tensor = t[1];
    bound[3 + second].name = "y";
    bound[3 + second].tensor = t[2];
    bound[4 - second].name = "z";
    bound[4 - second].tensor = t[3];
    dispatch("ends of bindings", context, graph, bound, 2, bound + 3, 2);
    expect_floats("ends of bindings", context, t[2], difference, 2);
    expect_floats("ends of bindings", context, t[3], data[0], 2);
    /* The message names the binding that the tensor had before. */
    bound[4 - second].tensor = t[1];
    CHECK("ends of bindings",
          webnn_dispatch(context, graph, bound, 2, bound + 3, 2, &the_error) == WEBNN_TYPE_ERROR &&
              strstr(the_error.message, "\"b\" and \"z\" are the same tensor") != NULL,
          "%s", the_error.message);
    bound[4 - second].tensor = t[2];
    CHECK("ends of bindings",
          webnn_dispatch(context, graph, bound, 2, bound + 3, 2, &the_error) == WEBNN_TYPE_ERROR &&
              strstr(the_error.message, "are the same tensor") != NULL,
          "%s", the_error.message);
  }
  for (i = 0; i < COUNT(t); i++) {
    webnn_free_tensor(t[i]);
  }
  webnn_free_graph(graph);
}

/* Outputs that are views of an input, of a constant, of another output; one operand twice. */
static void check_outputs_of_all_kinds(void) {
  static const float x_data[4] = {1, -2, 3, -4}, c_data[4] = {5, 6, 7, 8};
  static const float relu[4] = {1, 0, 3, 0}, twice[4] = {2, 0, 6, 0};
  static const char *const names[] = {"of input",  "of constant", "relu",  "relu again",
                                      "of output", "of view",     "after", "straight"};
  const float *const expected[] = {x_data, c_data, relu, relu, relu, relu, twice, x_data};
  webnn_builder *by = test_builder(context);
  webnn_operand *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(4));
  webnn_operand *c = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 4), c_data, sizeof c_data);
  webnn_operand *y = webnn_relu(by, x, NULL);
  webnn_operand *view = webnn_reshape(by, y, WEBNN_LIST(2, 2), NULL);
  webnn_operand *between = webnn_reshape(by, view, WEBNN_LIST(1, 4), NULL);
  webnn_operand *after = webnn_add(by, between, webnn_reshape(by, y, WEBNN_LIST(1, 4), NULL), NULL);
  webnn_graph *graph = finish(
      by, WEBNN_NAMED_OPERANDS({names[0], webnn_reshape(by, x, WEBNN_LIST(2, 2), NULL)},
                               {names[1], webnn_reshape(by, c, WEBNN_LIST(2, 2), NULL)},
                               {names[2], y}, {names[3], y}, {names[4], view},
                               {names[5], webnn_reshape(by, between, WEBNN_LIST(4, 1), NULL)},
                               {names[6], after}, {names[7], webnn_identity(by, x, NULL)}));
  webnn_tensor *in = floats_in(context, 4);
  webnn_graph_port ports[COUNT(names)];
  webnn_named_tensor bound[COUNT(names)];
  size_t i;
  CHECK("outputs", webnn_graph_outputs(graph, ports, COUNT(names)) == COUNT(names), "too few");
  for (i = 0; i < COUNT(names); i++) {
    check_text("outputs", ports[i].name, names[i]);
    bound[i].name = names[i];
    bound[i].tensor = tensor_in(context, ports[i].descriptor.data_type, ports[i].descriptor.shape);
  }
  put(context, in, x_data, sizeof x_data);
  dispatch("outputs", context, graph, WEBNN_NAMED_TENSORS({"x", in}), bound, COUNT(names));
  for (i = 0; i < COUNT(names); i++) {
    expect_floats(names[i], context, bound[i].tensor, expected[i], 4);
    webnn_free_tensor(bound[i].tensor);
  }
  webnn_free_tensor(in);
  webnn_free_graph(graph);
}

/* A result that nobody needs is one all the same, beside those that are needed. */
static void check_unneeded_result(void) {
  webnn_builder *by = test_builder(context);
  webnn_operand *parts[2];
  every_text text = {NULL, 0, 0};
  webnn_graph *graph;
  (void)webnn_split(by, input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(4)), 2, NULL, parts);
  graph = finish(by, WEBNN_NAMED_OPERANDS({"y", parts[1]}));
  webnn_print_graph(graph, every_write, &text);
  CHECK("unneeded result", strstr(text.data, "%1 float32 [2], %2 float32 [2] = split(") != NULL,
        "%s", text.data);
  free(text.data);
  webnn_free_graph(graph);
}

/* A graph needs no inputs, and what no output needs is not part of it. */
static void check_parts_of_graphs(void) {
  static const float data[2] = {1, 4}, expected[2] = {1, 2};
  webnn_builder *by = test_builder(context);
  webnn_operand *c = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), data, sizeof data);
  webnn_operand *unused = input_of(by, "unused", WEBNN_FLOAT32, WEBNN_LIST(2));
  webnn_tensor *out = floats_in(context, 2);
  webnn_graph *graph;
  every_text text = {NULL, 0, 0};
  (void)webnn_add(by, unused, c, NULL);
  graph = finish(by, WEBNN_NAMED_OPERANDS({"y", webnn_sqrt(by, c, NULL)}));
  CHECK("parts", webnn_graph_inputs(graph, NULL, 0) == 0, "an input nobody uses");
  webnn_print_graph(graph, every_write, &text);
  CHECK("parts", strstr(text.data, "unused") == NULL && strstr(text.data, "add") == NULL,
        "an operator nobody needs: %s", text.data);
  free(text.data);
  dispatch("parts", context, graph, NO_TENSORS, WEBNN_NAMED_TENSORS({"y", out}));
  expect_floats("parts", context, out, expected, 2);
  webnn_free_tensor(out);
  webnn_free_graph(graph);
}

/* 60 times x + x: 2^60 paths, 60 operators. */
static void check_diamonds(void) {
  static const float one[2] = {1, -3};
  float expected[2] = {1, -3};
  webnn_builder *by = test_builder(context);
  webnn_operand *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(2)), *y = x;
  webnn_tensor *in = floats_in(context, 2), *out = floats_in(context, 2);
  webnn_graph *graph;
  webnn_memory memory;
  int i;
  for (i = 0; i < 60; i++) {
    y = webnn_add(by, y, y, NULL);
    expected[0] *= 2;
    expected[1] *= 2;
  }
  graph = finish(by, WEBNN_NAMED_OPERANDS({"y", y}));
  memory = webnn_graph_memory(graph);
  CHECK("diamonds", memory.arena <= 2 * 64,
        "59 values in turns need the memory of two, not %u bytes", (unsigned)memory.arena);
  put(context, in, one, sizeof one);
  dispatch("diamonds", context, graph, WEBNN_NAMED_TENSORS({"x", in}),
           WEBNN_NAMED_TENSORS({"y", out}));
  expect_floats("diamonds", context, out, expected, 2);
  webnn_free_tensor(in);
  webnn_free_tensor(out);
  webnn_free_graph(graph);
}

/* What a value that lives long does to the arena: `skip` comes to lie behind a dead value of 1 MB,
   into which the 2 MB of the concat do not go. 4 MB are in use at once, and suffice. */
static webnn_graph *build_skip(webnn_context *in) {
  webnn_builder *by = test_builder(in);
  webnn_operand *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(512, 512));
  webnn_operand *dead, *skip, *half, *both[2];
  webnn_reverse_options rows = WEBNN_ZERO;
  rows.axes = WEBNN_LIST(0);
  dead = webnn_reverse(by, x, &rows);
  skip = webnn_cumulative_sum(by, dead, 0, NULL);
  half = webnn_slice(by, skip, WEBNN_LIST(0, 0), WEBNN_LIST(256, 512), NULL);
  both[0] = skip;
  both[1] = webnn_tile(by, half, WEBNN_LIST(2, 1), NULL);
  return finish(by, WEBNN_NAMED_OPERANDS(
                        {"y", webnn_reverse(by, webnn_concat(by, both, 2, 0, NULL), &rows)}));
}

static void check_large_values(void) {
  enum { SIDE = 512 };
  static float x[SIDE * SIDE], y[2][2 * SIDE * SIDE];
  uint32_t i;
  for (i = 0; i < SIDE * SIDE; i++) {
    x[i] = (float)(i % 7);
  }
  for (i = 0; i < 2; i++) { /* with sharing, and without */
    webnn_context_options options = WEBNN_ZERO;
    webnn_error error = WEBNN_ZERO;
    webnn_context *in;
    webnn_graph *graph;
    uint64_t arena;
    uint32_t k;
    options.numerics = WEBNN_NUMERICS_FAST;
    for (k = 0; i == 1 && webnn_pass_name(k) != NULL; k++) {
      options.disabled_passes |= strcmp(webnn_pass_name(k), "sharing") == 0 ? (uint32_t)1 << k : 0;
    }
    in = test_context(&options);
    graph = build_skip(in);
    arena = webnn_graph_memory(graph).arena;
    CHECK("large values", i == 1 ? arena > 4 << 20 : arena == 4 << 20, "%u bytes", (unsigned)arena);
    CHECK("large values",
          webnn_compute(in, graph, WEBNN_INPUTS({"x", x, sizeof x}),
                        WEBNN_OUTPUTS({"y", y[i], sizeof y[i]}), &error) == WEBNN_OK,
          "%s", error.message);
    webnn_free_graph(graph);
    webnn_free_context(in);
  }
  CHECK("large values", memcmp(y[0], y[1], sizeof y[0]) == 0, "other bits without sharing");
}

/* x, neg, abs, relu, sign: three values between operators, each of 400 bytes in 7 times 64. A value
   and the next are in use at once, so two places suffice, and with steps in place one. */
static void check_memory(void) {
  static const struct {
    const char *without[2];
    uint64_t places, values;
  } rows[] = {{{"in place", "sharing"}, 3, 3},
              {{"in place", "in place"}, 2, 3},
              {{"sharing", "sharing"}, 1, 1},
              {{"views", "views"}, 1, 1}};
  size_t i;
  uint32_t k;
  for (i = 0; i < COUNT(rows); i++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *in;
    webnn_builder *by;
    webnn_operand *y;
    webnn_graph *graph;
    webnn_memory memory;
    for (k = 0; webnn_pass_name(k) != NULL; k++) {
      const char *name = webnn_pass_name(k);
      if (strcmp(name, "chains") == 0 || strcmp(name, rows[i].without[0]) == 0 ||
          strcmp(name, rows[i].without[1]) == 0) {
        options.disabled_passes |= (uint32_t)1 << k;
      }
    }
    in = test_context(&options);
    by = test_builder(in);
    y = webnn_neg(by, input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(100)), NULL);
    y = webnn_sign(by, webnn_relu(by, webnn_abs(by, y, NULL), NULL), NULL);
    graph = finish(by, WEBNN_NAMED_OPERANDS({"y", y}));
    memory = webnn_graph_memory(graph);
    CHECK("memory", memory.arena == rows[i].places * 7 * 64,
          "without %s and %s the arena has %u bytes, expected %u", rows[i].without[0],
          rows[i].without[1], (unsigned)memory.arena, (unsigned)rows[i].places * 7 * 64);
    CHECK("memory", memory.intermediates == rows[i].values * 7 * 64,
          "without %s and %s there are %u bytes of values, expected %u", rows[i].without[0],
          rows[i].without[1], (unsigned)memory.intermediates, (unsigned)rows[i].values * 7 * 64);
    webnn_free_graph(graph);
    webnn_free_context(in);
  }
}

/* Constants of one tensor are one; those that are computed when the graph is built leave nothing
   behind that was prepared for them. */
static void check_memory_of_constants(void) {
  static float data[16 * 16];
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(16, 16)};
  webnn_builder *by = test_builder(context);
  webnn_operand *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(16, 16)), *a, *c;
  webnn_tensor *tensor = NULL;
  webnn_memory memory;
  webnn_graph *graph;
  CHECK("memory",
        webnn_create_constant_tensor(context, descriptor, data, sizeof data, &tensor, &the_error) ==
            WEBNN_OK,
        "%s", the_error.message);
  a = webnn_constant_from_tensor(by, tensor);
  c = webnn_constant_from_tensor(by, tensor);
  graph =
      finish(by, WEBNN_NAMED_OPERANDS({"y", webnn_sub(by, webnn_mul(by, x, a, NULL), c, NULL)}));
  memory = webnn_graph_memory(graph);
  CHECK("memory", memory.constants == sizeof data, "%u bytes of constants",
        (unsigned)memory.constants);
  webnn_free_graph(graph);
  by = test_builder(context);
  x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(16, 16));
  a = webnn_constant(by, descriptor, data, sizeof data);
  graph =
      finish(by, WEBNN_NAMED_OPERANDS({"y", webnn_max(by, x, webnn_matmul(by, a, a, NULL), NULL)}));
  memory = webnn_graph_memory(graph);
  CHECK("memory", memory.constants == sizeof data && memory.prepared < 1024,
        "%u bytes of constants, %u prepared", (unsigned)memory.constants,
        (unsigned)memory.prepared);
  webnn_free_graph(graph);
  webnn_free_tensor(tensor);
}

/* ---- Ports and memory -------------------------------------------------------------------------
 */

static void check_ports(void) {
  webnn_builder *by = test_builder(context);
  webnn_operand *a = input_of(by, "a", WEBNN_FLOAT32, WEBNN_LIST(2, 3));
  webnn_operand *b = input_of(by, "b", WEBNN_FLOAT16, WEBNN_EMPTY_LIST);
  webnn_operand *c = input_of(by, "c", WEBNN_FLOAT32, WEBNN_LIST(3));
  webnn_operand *h = webnn_neg(by, b, NULL), *s = webnn_sub(by, c, a, NULL);
  webnn_graph *graph = finish(by, WEBNN_NAMED_OPERANDS({"z", h}, {"a", s}));
  webnn_graph_port ports[4];
  memset(ports, 0, sizeof ports);
  CHECK("ports", webnn_graph_inputs(graph, NULL, 9) == 3, "three inputs");
  CHECK("ports", webnn_graph_inputs(graph, ports, 1) == 3 && ports[1].name == NULL,
        "more ports than there is room for");
  CHECK("ports", webnn_graph_inputs(graph, ports, 4) == 3, "three inputs");
  check_text("ports", ports[0].name, "a"); /* as declared, not as used */
  check_text("ports", ports[1].name, "b");
  check_text("ports", ports[2].name, "c");
  CHECK("ports",
        ports[1].descriptor.data_type == WEBNN_FLOAT16 && ports[1].descriptor.shape.count == 0 &&
            ports[1].descriptor.shape.given &&
            test_same_list(ports[0].descriptor.shape, WEBNN_LIST(2, 3)),
        "types and shapes");
  CHECK("ports",
        ports[0].byte_length == 24 && ports[1].byte_length == 2 && ports[2].byte_length == 12,
        "bytes of tensors");
  memset(ports, 0, sizeof ports);
  CHECK("ports", webnn_graph_outputs(graph, ports, 4) == 2, "two outputs");
  check_text("ports", ports[0].name, "z"); /* as given to build */
  check_text("ports", ports[1].name, "a");
  CHECK("ports",
        webnn_graph_inputs(NULL, ports, 4) == 0 && webnn_graph_outputs(NULL, ports, 4) == 0,
        "NULL has ports");
  CHECK("ports", webnn_graph_memory(NULL).intermediates == 0, "NULL has memory");
  webnn_free_graph(graph);
}

/* gruCell's z h + (1 - z) n = 1 + z (h - 1) = 1 for h = n = 1, z = relu(2^100 + 2^-100): 128 bits lose
   it, longer numbers decide it, although a weight is infinite, the one that makes n = tanh(inf) = 1.
   With z = 0 nothing is in doubt. */
static void check_undecided(void) {
  static const float weights[6] = {0x1p50f, 0x1p-50f, 0, 0, 0, 0}, one[1] = {1};
  static const float x[2][2] = {{0, 0}, {0x1p50f, 0x1p-50f}}, bias[3] = {0, 1, 0};
  webnn_context_options options = {0};
  webnn_gru_cell_options gates = {0};
  float recurrent[3] = {0}, result = 0;
  int cancels;
  recurrent[2] = float_of(0x7f800000u);
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  gates.reset_before = true;
  gates.activations = WEBNN_ACTIVATIONS(WEBNN_ACTIVATION_RELU, WEBNN_ACTIVATION_TANH);
  for (cancels = 0; cancels <= 1; cancels++) {
    webnn_context *in = test_context(&options);
    webnn_builder *by = test_builder(in);
    webnn_tensor *h = tensor_in(in, WEBNN_FLOAT32, WEBNN_LIST(1, 1));
    webnn_operand *input =
        webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2), x[cancels], sizeof x[0]);
    webnn_operand *weight =
        webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3, 2), weights, sizeof weights);
    webnn_operand *recurrent_weight =
        webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3, 1), recurrent, sizeof recurrent);
    webnn_operand *state =
        webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1), one, sizeof one);
    webnn_graph *graph;
    gates.bias = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3), bias, sizeof bias);
    graph =
        finish(by, WEBNN_NAMED_OPERANDS({"h", webnn_gru_cell(by, input, weight, recurrent_weight,
                                                             state, 1, &gates)}));
    CHECK("undecided", webnn_graph_undecided(graph) == 0, "before it ran");
    dispatch("undecided", in, graph, NO_TENSORS, WEBNN_NAMED_TENSORS({"h", h}));
    CHECK("undecided", webnn_wait(in, &the_error) == WEBNN_OK, "%s", the_error.message);
    CHECK("undecided", webnn_graph_undecided(graph) == 0, "%u with cancels = %d",
          (unsigned)webnn_graph_undecided(graph), cancels);
    CHECK("undecided", webnn_read_tensor(in, h, &result, sizeof result, &the_error) == WEBNN_OK,
          "%s", the_error.message);
    CHECK("undecided", result == 1, "%g with cancels = %d", (double)result, cancels);
    webnn_destroy_graph(graph);
    CHECK("undecided", webnn_graph_undecided(graph) == 0, "of a destroyed graph");
    webnn_free_graph(graph);
    webnn_free_tensor(h);
    webnn_free_context(in);
  }
  CHECK("undecided", webnn_graph_undecided(NULL) == 0, "of NULL");
}

/* ---- Taps -------------------------------------------------------------------------------------
 */

typedef struct tapped {
  char op_name[24], label[16], name[16];
  uint32_t operator_index, output_index, rank;
  size_t byte_length;
  float first;
} tapped;

typedef struct tap_record {
  tapped values[8];
  size_t count;
} tap_record;

static void record_tap(void *user, const webnn_tapped_value *value) {
  tap_record *record = (tap_record *)user;
  if (record->count < COUNT(record->values)) {
    tapped *t = &record->values[record->count];
    snprintf(t->op_name, sizeof t->op_name, "%s", value->op_name);
    snprintf(t->label, sizeof t->label, "%s", value->label);
    snprintf(t->name, sizeof t->name, "%s", value->name);
    t->operator_index = value->operator_index;
    t->output_index = value->output_index;
    t->rank = value->descriptor.shape.count;
    t->byte_length = value->byte_length;
    memcpy(&t->first, value->data, sizeof t->first);
  }
  record->count++;
}

static void check_tap_values(void) {
  static const tapped expected[] = {
      {"neg", "first", "%1", 0, 0, 1, 16, -1},  {"reshape", "", "%2", 1, 0, 2, 16, -1},
      {"split", "cut", "left", 2, 0, 2, 8, -1}, {"split", "cut", "%4", 2, 1, 2, 8, 2},
      {"abs", "", "right", 3, 0, 2, 8, 2},
  };
  static const float data[4] = {1, 2, -2, 3};
  const webnn_operator_options first = {"first"};
  webnn_split_options cut = WEBNN_ZERO;
  webnn_builder *by = test_builder(context);
  webnn_operand *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(4)), *parts[2] = {NULL, NULL};
  webnn_operand *y = webnn_reshape(by, webnn_neg(by, x, &first), WEBNN_LIST(2, 2), NULL);
  webnn_tensor *in = floats_in(context, 4);
  webnn_tensor *left = tensor_in(context, WEBNN_FLOAT32, WEBNN_LIST(1, 2));
  webnn_tensor *right = tensor_in(context, WEBNN_FLOAT32, WEBNN_LIST(1, 2));
  tap_record record, other;
  webnn_graph *graph;
  size_t i;
  memset(&record, 0, sizeof record);
  memset(&other, 0, sizeof other);
  cut.label = "cut";
  (void)webnn_split(by, y, 2, &cut, parts);
  graph = finish(
      by, WEBNN_NAMED_OPERANDS({"left", parts[0]}, {"right", webnn_abs(by, parts[1], NULL)}));
  put(context, in, data, sizeof data);
#define RUN                                                                                        \
  dispatch("tap", context, graph, WEBNN_NAMED_TENSORS({"x", in}),                                  \
           WEBNN_NAMED_TENSORS({"left", left}, {"right", right}))
  CHECK("tap", webnn_tap_graph(graph, record_tap, &record, &the_error) == WEBNN_OK, "%s",
        the_error.message);
  RUN;
  CHECK("tap", record.count == COUNT(expected), "expected %d values, got %d", (int)COUNT(expected),
        (int)record.count);
  for (i = 0; i < COUNT(expected) && i < record.count; i++) {
    const tapped *t = &record.values[i], *e = &expected[i];
    check_text("tap", t->op_name, e->op_name);
    check_text("tap", t->label, e->label);
    check_text("tap", t->name, e->name);
    CHECK(e->name,
          t->operator_index == e->operator_index && t->output_index == e->output_index &&
              t->rank == e->rank && t->byte_length == e->byte_length && t->first == e->first,
          "operator %u, output %u, rank %u, %u bytes, first %g", (unsigned)t->operator_index,
          (unsigned)t->output_index, (unsigned)t->rank, (unsigned)t->byte_length, (double)t->first);
  }
  CHECK("tap", webnn_tap_graph(graph, record_tap, &other, NULL) == WEBNN_OK, "a second tap");
  RUN;
  CHECK("tap", record.count == COUNT(expected) && other.count == COUNT(expected),
        "the second tap takes the place of the first");
  CHECK("tap", webnn_tap_graph(graph, NULL, NULL, NULL) == WEBNN_OK, "off");
  RUN;
  CHECK("tap", other.count == COUNT(expected), "tapped after it was switched off");
#undef RUN
  webnn_destroy_graph(graph);
  CHECK("tap", webnn_tap_graph(graph, record_tap, &other, &the_error) == WEBNN_INVALID_STATE_ERROR,
        "a destroyed graph was tapped");
  CHECK("tap", webnn_tap_graph(NULL, record_tap, &other, &the_error) == WEBNN_TYPE_ERROR,
        "NULL was tapped");
  webnn_free_graph(graph);
  webnn_free_tensor(in);
  webnn_free_tensor(left);
  webnn_free_tensor(right);
}

/* relu(x w + c), then softmax. */
static webnn_graph *profiled_graph(webnn_context *in) {
  static float weights[128 * 128], bias[128];
  const webnn_operator_options last = {"the last"};
  webnn_builder *by = test_builder(in);
  webnn_operand *y = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(128, 128));
  y = webnn_matmul(
      by, y, webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 128, 128), weights, sizeof weights),
      NULL);
  y = webnn_add(by, y, webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 128), bias, sizeof bias),
                NULL);
  y = webnn_softmax(by, webnn_relu(by, y, NULL), 1, &last);
  return finish(by, WEBNN_NAMED_OPERANDS({"y", y}));
}

/* A graph that is tapped is not measured meanwhile, with passes or without. */
static void check_tapped_profile(uint32_t disabled_passes) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_profiled_step step = WEBNN_ZERO;
  tap_record record = WEBNN_ZERO;
  webnn_context *in;
  webnn_graph *graph;
  webnn_tensor *x, *y;
  int i;
  options.disabled_passes = disabled_passes;
  in = test_context(&options);
  graph = adding_graph(in, 1);
  x = floats_in(in, 2);
  y = floats_in(in, 2);
  CHECK("tapped profile",
        webnn_profile_graph(graph, true, NULL) == WEBNN_OK &&
            webnn_tap_graph(graph, record_tap, &record, NULL) == WEBNN_OK,
        "profile and tap");
  for (i = 0; i < 3; i++) {
    dispatch("tapped profile", in, graph, WEBNN_NAMED_TENSORS({"x", x}),
             WEBNN_NAMED_TENSORS({"y", y}));
    CHECK("tapped profile", webnn_graph_profile(graph, &step, 1) == 1 && step.calls == (i == 2),
          "run %d: %u calls", i, (unsigned)step.calls);
    CHECK("tapped profile", record.count == (i == 0 ? 1u : 2u), "run %d: %u values", i,
          (unsigned)record.count);
    if (i == 1) {
      (void)webnn_tap_graph(graph, NULL, NULL, NULL);
    }
  }
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  webnn_free_graph(graph);
  webnn_free_context(in);
}

/* Steps, calls, and a table whose lines are in the order of falling time. */
static void check_profile_of(uint32_t disabled_passes, const char *first, size_t count) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_profiled_step steps[8];
  every_text text = {NULL, 0, 0};
  const char *line;
  webnn_context *in;
  webnn_graph *graph;
  webnn_tensor *x, *y;
  uint64_t times[8] = {0};
  size_t i, k, lines = 0;
  options.disabled_passes = disabled_passes;
  in = test_context(&options);
  graph = profiled_graph(in);
  x = tensor_in(in, WEBNN_FLOAT32, WEBNN_LIST(128, 128));
  y = tensor_in(in, WEBNN_FLOAT32, WEBNN_LIST(128, 128));
#define RUN                                                                                        \
  dispatch("profile", in, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"y", y}))
  RUN;
  CHECK("profile", webnn_graph_profile(graph, steps, 8) == 0, "never switched on");
  CHECK("profile", webnn_profile_graph(graph, true, &the_error) == WEBNN_OK, "%s",
        the_error.message);
  for (k = 0; k < 3; k++) {
    RUN;
  }
  CHECK("profile", webnn_profile_graph(graph, false, NULL) == WEBNN_OK, "off");
  RUN;
  CHECK("profile", webnn_graph_profile(graph, NULL, 0) == count, "%u steps instead of %u",
        (unsigned)webnn_graph_profile(graph, NULL, 8), (unsigned)count);
  memset(steps, 0, sizeof steps);
  CHECK("profile", webnn_graph_profile(graph, steps, 1) == count && steps[1].op_name == NULL,
        "more than the capacity was written");
  (void)webnn_graph_profile(graph, steps, 8);
  for (i = 0; i < count; i++) {
    CHECK("profile", steps[i].calls == 3, "step %u: %u calls", (unsigned)i,
          (unsigned)steps[i].calls);
    CHECK("profile",
          steps[i].result.data_type == WEBNN_FLOAT32 && steps[i].result.shape.count == 2 &&
              steps[i].result.shape.items[0] == 128 && steps[i].result.shape.items[1] == 128,
          "step %u has another result", (unsigned)i);
    times[i] = steps[i].nanoseconds;
  }
  check_text("profile", steps[0].op_name, first);
  check_text("profile", steps[count - 1].op_name, "softmax");
  check_text("profile", steps[count - 1].label, "the last");
  for (i = 0, k = 0; i < count; i++) {
    k += times[i] > 0 ? 1 : 0;
  }
  CHECK("profile", k > 0, "no time has passed");

  webnn_print_profile(graph, every_write, &text);
  every_write(&text, "", 1);
  CHECK("profile", strstr(text.data, first) != NULL && strstr(text.data, "\"the last\"") != NULL,
        "%s", text.data);
  for (line = text.data; (line = strchr(line, '\n')) != NULL; line++) {
    lines++;
  }
  CHECK("profile", lines == count + 2, "%u lines for %u steps:\n%s", (unsigned)lines,
        (unsigned)count, text.data);
  line = strchr(strchr(text.data, '\n') + 1, '\n') + 1; /* behind the line for the whole */
  for (i = 0; i < count; i++) {
    char expected[24];
    for (k = 0, lines = 0; k < count; k++) {
      lines = times[k] > times[lines] ? k : lines;
    }
    snprintf(expected, sizeof expected, "%8u.%03u", (unsigned)(times[lines] / 1000000),
             (unsigned)(times[lines] / 1000 % 1000));
    CHECK("profile", strncmp(line, expected, 12) == 0, "line %u is not of %s ms:\n%s", (unsigned)i,
          expected, text.data);
    times[lines] = 0;
    line = strchr(line, '\n') + 1;
  }
  free(text.data);

  CHECK("profile", webnn_profile_graph(graph, true, NULL) == WEBNN_OK, "on again");
  (void)webnn_graph_profile(graph, steps, 8);
  CHECK("profile", steps[0].calls == 0 && steps[0].nanoseconds == 0, "it begins at zero");
  webnn_destroy_graph(graph);
  CHECK("profile", webnn_graph_profile(graph, steps, 8) == 0, "a destroyed graph has steps");
  CHECK("profile", webnn_profile_graph(graph, true, &the_error) == WEBNN_INVALID_STATE_ERROR,
        "a destroyed graph was profiled");
  webnn_free_graph(graph);
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  webnn_free_context(in);
#undef RUN
}

static void check_profile(void) {
  check_profile_of(UINT32_MAX, "matmul", 4);
  check_profile_of(0, "matmul + add + relu", 2);
  CHECK("profile", webnn_profile_graph(NULL, true, &the_error) == WEBNN_TYPE_ERROR,
        "NULL was profiled");
  CHECK("profile", webnn_graph_profile(NULL, NULL, 0) == 0, "NULL has steps");
  webnn_print_profile(NULL, every_write, NULL);
}

/* Each tap must name the operator that stands at its index in the printed graph, in order. */
typedef struct tap_walk {
  const char *line; /* of the next operator */
  uint32_t index, outputs_left;
  int wrong;
  size_t values;
  bool seen[WEBNN_OP_COUNT];
} tap_walk;

/* The lines of operators begin with %N and are not constants. */
static const char *next_operator_line(const char *text) {
  while (text != NULL && *text != 0) {
    const char *end = strchr(text, '\n'), *call = strstr(text, " = ");
    if (*text == '%' && call != NULL && strncmp(call, " = constant ", 12) != 0) {
      return text;
    }
    text = end != NULL ? end + 1 : NULL;
  }
  return NULL;
}

static uint32_t count_outputs(const char *line) {
  const char *end = strstr(line, " = ");
  uint32_t count = 0;
  for (; line < end; line++) {
    count += *line == '%' ? 1 : 0;
  }
  return count;
}

static void walk_tap(void *user, const webnn_tapped_value *value) {
  tap_walk *walk = (tap_walk *)user;
  const webnn_operand_descriptor descriptor = value->descriptor;
  char call[40];
  int op;
  if (walk->outputs_left == 0) {
    const char *end = walk->line != NULL ? strchr(walk->line, '\n') : NULL;
    walk->index += walk->values > 0 ? 1 : 0;
    walk->line = walk->values > 0 && end != NULL ? next_operator_line(end + 1) : walk->line;
    walk->outputs_left = walk->line != NULL ? count_outputs(walk->line) : 1;
  }
  walk->outputs_left--;
  walk->values++;
  snprintf(call, sizeof call, " = %s(", value->op_name);
  if (walk->line == NULL || strncmp(strstr(walk->line, " = "), call, strlen(call)) != 0 ||
      value->operator_index != walk->index || value->byte_length != webnn_byte_length(descriptor) ||
      value->data == NULL) {
    walk->wrong++;
  }
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    walk->seen[op] = walk->seen[op] || strcmp(webnn_op_name((webnn_op)op), value->op_name) == 0;
  }
}

static void check_tap_of_every_operator(void) {
  webnn_graph *graph = every_graph(context);
  unsigned char results[EVERY_RESULT_BYTES];
  every_text text = {NULL, 0, 0};
  tap_walk walk;
  int op;
  memset(&walk, 0, sizeof walk);
  every_operator_check(graph);
  webnn_print_graph(graph, every_write, &text);
  walk.line = next_operator_line(text.data);
  CHECK("tap", webnn_tap_graph(graph, walk_tap, &walk, &the_error) == WEBNN_OK, "%s",
        the_error.message);
  (void)every_run(context, graph, results);
  CHECK("tap", walk.wrong == 0, "%d of %d values are not those of the printed graph", walk.wrong,
        (int)walk.values);
  CHECK("tap",
        walk.outputs_left == 0 && walk.line != NULL &&
            next_operator_line(strchr(walk.line, '\n') + 1) == NULL,
        "not every operator was tapped");
  for (op = 0; op < WEBNN_OP_COUNT; op++) {
    CHECK("tap", walk.seen[op], "%s was not tapped", webnn_op_name((webnn_op)op));
  }
  free(text.data);
  webnn_free_graph(graph);
}

/* ---- Printed graphs ---------------------------------------------------------------------------
 */

static webnn_graph *printed_graph(webnn_operand_descriptor matrix) {
  static const float data[4] = {1, 2, 3, 4};
  const webnn_operator_options last = {"say \"hi\"\n"};
  webnn_gemm_options gemm = WEBNN_ZERO;
  webnn_clamp_options clamp = WEBNN_ZERO;
  webnn_builder *by = test_builder(context);
  webnn_operand *x = webnn_input(by, "x \\ \"y\"", matrix);
  webnn_operand *c = webnn_constant(by, matrix, data, sizeof data);
  webnn_operand *y, *z;
  gemm.alpha = webnn_f64(0.5);
  gemm.b_transpose = true;
  y = webnn_gemm(by, x, c, &gemm);
  z = webnn_add(by, y, x, &last);
  clamp.min_value = webnn_f64(-1.25);
  return finish(by, WEBNN_NAMED_OPERANDS({"z", z}, {"clamped", webnn_clamp(by, z, &clamp)}));
}

static void check_printed(void) {
  static const char *const expected =
      "input \"x \\\\ \\\"y\\\"\" float32 [2, 2]\n"
      "%1 = constant float32 [2, 2]\n"
      "%2 float32 [2, 2] = gemm(\"x \\\\ \\\"y\\\"\", %1, alpha=0.5, beta=1, aTranspose=false, "
      "bTranspose=true)\n"
      "%3 float32 [2, 2] = add(%2, \"x \\\\ \\\"y\\\"\", label=\"say \\\"hi\\\"\\x0a\")\n"
      "%4 float32 [2, 2] = clamp(%3, minValue=-1.25, maxValue=inf)\n"
      "output \"z\" = %3\n"
      "output \"clamped\" = %4\n";
  static const char *const expected_dot =
      "digraph webnn {\n"
      "  node [shape=box];\n"
      "  i0 [shape=oval, label=\"x \\\\ \\\"y\\\"\", tooltip=\"float32 [2, 2]\"];\n"
      "  o0 [shape=oval, label=\"z\", tooltip=\"float32 [2, 2]\"];\n"
      "  o1 [shape=oval, label=\"clamped\", tooltip=\"float32 [2, 2]\"];\n"
      "  n0 [label=\"gemm\", tooltip=\"\"];\n"
      "  i0 -> n0 [label=\"float32 [2, 2]\"];\n"
      "  n1 [label=\"add\", tooltip=\"say \\\"hi\\\"\\x0a\"];\n"
      "  n0 -> n1 [label=\"float32 [2, 2]\"];\n"
      "  i0 -> n1 [label=\"float32 [2, 2]\"];\n"
      "  n2 [label=\"clamp\", tooltip=\"\"];\n"
      "  n1 -> n2 [label=\"float32 [2, 2]\"];\n"
      "  n1 -> o0 [label=\"float32 [2, 2]\"];\n"
      "  n2 -> o1 [label=\"float32 [2, 2]\"];\n"
      "}\n";
  const webnn_operand_descriptor matrix = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 2);
  webnn_graph *graph = printed_graph(matrix);
  every_text text = {NULL, 0, 0};
  webnn_print_graph(graph, every_write, &text);
  check_text("printed", text.data, expected);
  text.length = 0;
  webnn_print_graph_dot(graph, every_write, &text);
  check_text("dot", text.data, expected_dot);
  text.length = 0;
  webnn_print_graph(graph, NULL, NULL);
  webnn_print_graph_dot(graph, NULL, NULL);
  webnn_print_graph(NULL, every_write, &text);
  webnn_print_graph_dot(NULL, every_write, &text);
  CHECK("printed", text.length == 0, "NULL was printed");
  webnn_destroy_graph(graph);
  webnn_print_graph(graph, every_write, &text);
  check_text("destroyed", text.data, expected);
  free(text.data);
  webnn_free_graph(graph);
}

/* Operands and operators that no output needs. build would refuse the last one, whose channels do
   not fall into its groups. */
static void add_unneeded(webnn_builder *by, const char *name) {
  static const float data[3] = {1, 2, 3};
  webnn_conv_transpose2d_options options = WEBNN_ZERO;
  webnn_operand *parts[3];
  webnn_operand *x = webnn_input(by, name, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 3, 1, 1));
  webnn_operand *w =
      webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3, 1, 1, 1), data, sizeof data);
  (void)webnn_split(by, w, 3, NULL, parts);
  options.groups = 2;
  (void)webnn_conv_transpose2d(by, x, w, &options);
}

static webnn_graph *needed_graph(bool among_others) {
  static const float data[3] = {1, 2, 3};
  webnn_gemm_options gemm = WEBNN_ZERO;
  webnn_split_options split = WEBNN_ZERO;
  webnn_operand *parts[3] = {NULL, NULL, NULL}, *x, *w, *y;
  webnn_builder *by = test_builder(context);
  if (among_others) {
    add_unneeded(by, "before");
  }
  w = webnn_input(by, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3, 3));
  x = webnn_input(by, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 3));
  if (among_others) {
    add_unneeded(by, "between");
  }
  gemm.c = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 3), data, sizeof data);
  y = webnn_gemm(by, x, w, &gemm);
  split.axis = 1;
  (void)webnn_split(by, y, 3, &split, parts);
  y = webnn_add(by, parts[2], webnn_gemm(by, y, w, NULL), NULL);
  if (among_others) {
    add_unneeded(by, "after");
  }
  return finish(by, WEBNN_NAMED_OPERANDS({"y", y}, {"part", parts[2]}, {"again", y}));
}

/* What no output needs is not in the graph, and what is there is numbered without it. */
static void check_needed(void) {
  char *texts[2];
  int i;
  for (i = 0; i < 2; i++) {
    webnn_graph *graph = needed_graph(i == 1);
    every_text text = {NULL, 0, 0};
    webnn_print_graph(graph, every_write, &text);
    webnn_print_graph_dot(graph, every_write, &text);
    webnn_free_graph(graph);
    texts[i] = text.data;
  }
  check_text("needed", texts[1], texts[0]);
  CHECK("needed", strstr(texts[0], "  i1 -> n0 ") != NULL, "x is not the second input: %s",
        texts[0]);
  free(texts[0]);
  free(texts[1]);
}

/* Names and labels of any length and content come out whole: escaped, but otherwise as they are. */
static void check_long_names(void) {
  enum { LENGTH = 5000 };
  static const char *const pieces[] = {"\xE5\xB1\xA4", "a",  "\"",
                                       "\xC3\xA9",     "\\", "\xF0\x9F\x98\x80"};
  char *name = (char *)test_allocate(4 * LENGTH), *escaped = (char *)test_allocate(8 * LENGTH);
  webnn_builder *by = test_builder(context);
  webnn_operator_options labelled;
  every_text text = {NULL, 0, 0}, dot = {NULL, 0, 0};
  webnn_graph *graph;
  webnn_tensor *x, *y;
  size_t i;
  for (i = 0; i < LENGTH / 2; i++) {
    const char *piece = pieces[i % COUNT(pieces)];
    strcat(name + (i > 0 ? strlen(name) - 1 : 0), piece);
    if (*piece == '"' || *piece == '\\') {
      strcat(escaped, "\\");
    }
    strcat(escaped, piece);
  }
  labelled.label = name;
  graph = finish(
      by, WEBNN_NAMED_OPERANDS(
              {name, webnn_relu(by, input_of(by, name, WEBNN_FLOAT32, WEBNN_LIST(2)), &labelled)}));
  webnn_print_graph(graph, every_write, &text);
  webnn_print_graph_dot(graph, every_write, &dot);
  for (i = 0; i < 2; i++) {
    const char *at = i == 0 ? text.data : dot.data;
    size_t found = 0;
    while ((at = strstr(at, escaped)) != NULL) {
      found++;
      at += strlen(escaped);
    }
    CHECK("long names", found == (i == 0 ? 4u : 3u), "found %d times in the %s", (int)found,
          i == 0 ? "text" : "drawing");
  }
  x = floats_in(context, 2);
  y = floats_in(context, 2);
  dispatch("long names", context, graph, WEBNN_NAMED_TENSORS({name, x}),
           WEBNN_NAMED_TENSORS({name, y}));
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  webnn_free_graph(graph);
  free(text.data);
  free(dot.data);
  free(name);
  free(escaped);
}

/* The program's locale must not change how numbers look. */
static void check_locale(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",      "fr_FR.UTF-8",
                                      "fr_FR.utf8",  "German",     "nl_NL.UTF-8"};
  const webnn_linear_options half = {NULL, webnn_f64(0.5), webnn_f64(1e-7)};
  webnn_builder *by = test_builder(context);
  webnn_graph *graph = finish(
      by, WEBNN_NAMED_OPERANDS(
              {"y", webnn_linear(by, input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(2)), &half)}));
  every_text text = {NULL, 0, 0};
  size_t i;
  for (i = 0; i < COUNT(names) &&
              (setlocale(LC_NUMERIC, names[i]) == NULL || *localeconv()->decimal_point == '.');
       i++) {
  }
  if (i == COUNT(names)) {
    test_skip("locale", "no locale with a decimal comma is installed");
  } else {
    webnn_print_graph(graph, every_write, &text);
    CHECK("locale", strstr(text.data, "alpha=0.5, beta=1e-07") != NULL, "under %s: %s", names[i],
          text.data);
  }
  setlocale(LC_NUMERIC, "C");
  free(text.data);
  webnn_free_graph(graph);
}

/* ---- Messages ---------------------------------------------------------------------------------
 */

static bool is_utf8(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  while (*s != 0) {
    int more = *s < 0x80 ? 0 : *s >= 0xf0 ? 3 : *s >= 0xe0 ? 2 : 1;
    if (*s >= 0x80 && *s < 0xc0) {
      return false;
    }
    for (s++; more > 0; more--, s++) {
      if ((*s & 0xc0) != 0x80) {
        return false;
      }
    }
  }
  return true;
}

static void check_cut(const char *what, const char *character, const char *whole) {
  const size_t length = strlen(the_error.message), room = sizeof the_error.message - 1;
  CHECK(what, is_utf8(the_error.message), "cut inside a character: ...%s",
        the_error.message + (length > 8 ? length - 8 : 0));
  CHECK(what, length <= room && length + strlen(character) > room,
        "cut after %d bytes, there is room for %d", (int)length, (int)room);
  CHECK(what, whole == NULL || strncmp(whole, the_error.message, length) == 0,
        "the message is not the beginning of the whole one");
}

/* Control characters and those that change the direction of text come out as numbers, their
   neighbours as they are. */
static void check_escapes(void) {
  static const struct {
    const char *label, *shown;
  } cases[] = {
      {"a b~", "a b~"},
      {"\t\x1f\x7f", "\\x09\\x1f\\x7f"},
      {"\xc2\x80\xc2\x9f", "\\xc2\\x80\\xc2\\x9f"},
      {"\xc2\xa0\xc2\xbf", "\xc2\xa0\xc2\xbf"},
      {"\xc3\x80", "\xc3\x80"},
      {"\xe2\x80\xaa\xe2\x80\xae", "\\xe2\\x80\\xaa\\xe2\\x80\\xae"},
      {"\xe2\x80\xa9\xe2\x80\xaf", "\xe2\x80\xa9\xe2\x80\xaf"},
      {"\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9"},
      {"\xe2\x81\xa5\xe2\x81\xaa", "\xe2\x81\xa5\xe2\x81\xaa"},
      {"\xe2\x82\xaa\xe3\x80\xaa", "\xe2\x82\xaa\xe3\x80\xaa"},
      /* Cut short. */
      {"\xc2", "\xc2"},
      {"\xe2\x80", "\xe2\x80"},
      {"\xe2\x81", "\xe2\x81"},
      {"\xe2", "\xe2"},
  };
  size_t i;
  for (i = 0; i < COUNT(cases); i++) {
    webnn_builder *by = test_builder(context);
    webnn_operator_options labelled;
    char expected[80];
    labelled.label = cases[i].label;
    snprintf(expected, sizeof expected, "tanh \"%s\": ", cases[i].shown);
    (void)webnn_tanh(by, input_of(by, "x", WEBNN_UINT8, WEBNN_LIST(2)), &labelled);
    CHECK("escapes", strncmp(webnn_builder_message(by), expected, strlen(expected)) == 0,
          "case %d: expected '%s...', got '%s'", (int)i, expected, webnn_builder_message(by));
    webnn_free_builder(by);
  }
}

/* A message that is too long ends with a whole character. */
static void check_truncation(void) {
  static const char *const characters[] = {"x", "\xC3\xA9", "\xE5\xB1\xA4", "\xF0\x9F\x98\x80"};
  webnn_graph *graph = adding_graph(context, 1), *none = NULL;
  webnn_tensor *x = floats_in(context, 2);
  char label[4096];
  size_t c, before, i;
  for (c = 0; c < COUNT(characters); c++) {
    for (before = 0; before < 8; before++) {
      webnn_builder *by = test_builder(context);
      webnn_operator_options labelled;
      webnn_operand *bytes = input_of(by, "x", WEBNN_UINT8, WEBNN_LIST(2));
      memset(label, 'a', before);
      label[before] = 0;
      for (i = 0; i < 400; i++) {
        strcat(label, characters[c]);
      }
      labelled.label = label;
      (void)webnn_tanh(by, bytes, &labelled);
      CHECK("cut", strstr(webnn_builder_message(by), label) != NULL,
            "the builder's message must be whole");
      (void)webnn_build(by, WEBNN_NAMED_OPERANDS({"y", bytes}), &none, &the_error);
      if (strlen(webnn_builder_message(by)) >= sizeof the_error.message) {
        check_cut("cut", characters[c], webnn_builder_message(by));
      }
      for (i = 0; i < 400; i++) {
        strcat(label, characters[c]);
      }
      (void)webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({label, x}), NO_TENSORS, &the_error);
      check_cut("cut in dispatch", characters[c], NULL);
      webnn_free_builder(by);
    }
  }
  webnn_free_tensor(x);
  webnn_free_graph(graph);
}

/* ---- Over the caller's memory ------------------------------------------------------------------
 */

/* Every operator by webnn_compute: the bytes that tensors and a dispatch give. */
static void check_compute_every_operator(void) {
  static unsigned char expected[EVERY_RESULT_BYTES], got[EVERY_RESULT_BYTES];
  static uint64_t data[EVERY_PORTS][EVERY_INPUT_BYTES / 8];
  webnn_graph *graph = every_graph(context);
  const size_t bytes = every_run(context, graph, expected);
  webnn_graph_port ports[EVERY_PORTS];
  webnn_named_input inputs[EVERY_PORTS];
  webnn_named_output outputs[EVERY_PORTS];
  const size_t input_count = webnn_graph_inputs(graph, ports, EVERY_PORTS);
  size_t output_count, i, used = 0;
  for (i = 0; i < input_count; i++) {
    const size_t at = input_count - 1 - i; /* in another order */
    inputs[at].name = ports[i].name;
    inputs[at].data = data[i];
    inputs[at].byte_length = every_input_data((int)i, data[i]);
  }
  output_count = webnn_graph_outputs(graph, ports, EVERY_PORTS);
  for (i = 0; i < output_count; i++) {
    outputs[i].name = ports[i].name;
    outputs[i].data = got + used;
    outputs[i].byte_length = (size_t)ports[i].byte_length;
    used += outputs[i].byte_length;
  }
  CHECK("compute", used == bytes, "%u bytes instead of %u", (unsigned)used, (unsigned)bytes);
  CHECK("compute",
        webnn_compute(context, graph, inputs, input_count, outputs, output_count, &the_error) ==
            WEBNN_OK,
        "%s", the_error.message);
  CHECK("compute", memcmp(got, expected, bytes) == 0, "other results than those of a dispatch");
  webnn_free_graph(graph);
}

/* ---- The first cause --------------------------------------------------------------------------

   Each call of the interface that takes an error, with all that may be wrong with it. */

typedef struct error_world {
  webnn_context *in, *lost;
  webnn_graph *graph, *dead; /* the second is destroyed */
  webnn_tensor *x, *y;
} error_world;

/* What a call is given: all well, a handle that is NULL, or something else that is wrong. */
typedef enum error_case { WELL, NO_HANDLE, NO_SECOND_HANDLE, WRONG } error_case;

static const float two_floats[2] = {1, 2};

static webnn_status fail_create_context(const error_world *w, error_case how, webnn_error *error) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *made;
  webnn_status status;
  (void)w;
  options.power_preference = (webnn_power_preference)(how == WRONG ? 100 : 0);
  status = webnn_create_context(&options, &made, error);
  webnn_free_context(made);
  return status;
}
static webnn_status fail_create_builder(const error_world *w, error_case how, webnn_error *error) {
  webnn_builder *made;
  const webnn_status status = webnn_create_builder(how == NO_HANDLE ? NULL
                                                   : how == WRONG   ? w->lost
                                                                    : w->in,
                                                   &made, error);
  webnn_free_builder(made);
  return status;
}
static webnn_status fail_build(const error_world *w, error_case how, webnn_error *error) {
  webnn_builder *by = test_builder(w->in);
  webnn_operand *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(2));
  webnn_operand *y = how == NO_SECOND_HANDLE ? NULL : webnn_neg(by, x, NULL);
  webnn_graph *made;
  const webnn_status status =
      webnn_build(how == NO_HANDLE ? NULL : by, WEBNN_NAMED_OPERANDS({how == WRONG ? "" : "y", y}),
                  &made, error);
  webnn_free_graph(made);
  webnn_free_builder(by);
  return status;
}
static webnn_status fail_create_tensor(const error_world *w, error_case how, webnn_error *error) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(how == WRONG ? 0 : 2), true,
                                              true};
  webnn_tensor *made;
  const webnn_status status =
      webnn_create_tensor(how == NO_HANDLE ? NULL : w->in, descriptor, &made, error);
  webnn_free_tensor(made);
  return status;
}
static webnn_status fail_create_graph_tensor(const error_world *w, error_case how,
                                             webnn_error *error) {
  webnn_tensor *made;
  const webnn_status status = webnn_create_graph_tensor(
      how == NO_HANDLE ? NULL : w->graph, how == WRONG ? "nothing" : "x", &made, error);
  webnn_free_tensor(made);
  return status;
}
static webnn_status fail_create_over_memory(const error_world *w, error_case how,
                                            webnn_error *error) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  float memory[2];
  webnn_tensor *made;
  const webnn_status status =
      webnn_create_tensor_over_memory(how == NO_HANDLE ? NULL : w->in, descriptor, memory,
                                      how == WRONG ? 1 : sizeof memory, &made, error);
  webnn_free_tensor(made);
  return status;
}
static webnn_status fail_create_constant(const error_world *w, error_case how, webnn_error *error) {
  webnn_tensor *made;
  const webnn_status status = webnn_create_constant_tensor(
      how == NO_HANDLE ? NULL : w->in, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), two_floats,
      how == WRONG ? 1 : sizeof two_floats, &made, error);
  webnn_free_tensor(made);
  return status;
}
static webnn_status fail_write(const error_world *w, error_case how, webnn_error *error) {
  return webnn_write_tensor(how == NO_HANDLE ? NULL : w->in, how == NO_SECOND_HANDLE ? NULL : w->x,
                            two_floats, how == WRONG ? 1 : sizeof two_floats, error);
}
static webnn_status fail_read(const error_world *w, error_case how, webnn_error *error) {
  float data[2];
  return webnn_read_tensor(how == NO_HANDLE ? NULL : w->in, how == NO_SECOND_HANDLE ? NULL : w->x,
                           data, how == WRONG ? 1 : sizeof data, error);
}
static webnn_status fail_compute(const error_world *w, error_case how, webnn_error *error) {
  float data[2];
  return webnn_compute(how == NO_HANDLE ? NULL : w->in, how == NO_SECOND_HANDLE ? NULL : w->graph,
                       WEBNN_INPUTS({how == WRONG ? "z" : "x", two_floats, sizeof two_floats}),
                       WEBNN_OUTPUTS({"y", data, sizeof data}), error);
}
static webnn_status fail_dispatch(const error_world *w, error_case how, webnn_error *error) {
  return webnn_dispatch(how == NO_HANDLE ? NULL : w->in, how == NO_SECOND_HANDLE ? NULL : w->graph,
                        WEBNN_NAMED_TENSORS({how == WRONG ? "z" : "x", w->x}),
                        WEBNN_NAMED_TENSORS({"y", w->y}), error);
}
static webnn_status fail_bindings(const error_world *w, error_case how, webnn_error *error) {
  return webnn_dispatch(
      w->in, w->graph, WEBNN_NAMED_TENSORS({"x", how == NO_HANDLE ? NULL : w->x}),
      WEBNN_NAMED_TENSORS({how == WRONG ? "z" : "y", how == NO_SECOND_HANDLE ? NULL : w->y}),
      error);
}
static webnn_status fail_wait(const error_world *w, error_case how, webnn_error *error) {
  return webnn_wait(how == NO_HANDLE ? NULL : how == WRONG ? w->lost : w->in, error);
}
static webnn_status fail_tap(const error_world *w, error_case how, webnn_error *error) {
  return webnn_tap_graph(how == NO_HANDLE ? NULL
                         : how == WRONG   ? w->dead
                                          : w->graph,
                         NULL, NULL, error);
}
static webnn_status fail_profile(const error_world *w, error_case how, webnn_error *error) {
  return webnn_profile_graph(how == NO_HANDLE ? NULL
                             : how == WRONG   ? w->dead
                                              : w->graph,
                             false, error);
}

/* Which handles a call has, and what a message about each that is NULL must name. */
static const struct {
  const char *name;
  webnn_status (*call)(const error_world *w, error_case how, webnn_error *error);
  const char *handle, *second_handle;
  webnn_status wrong;
} error_calls[] = {
    {"createContext", fail_create_context, NULL, NULL, WEBNN_TYPE_ERROR},
    {"MLGraphBuilder", fail_create_builder, "context", NULL, WEBNN_INVALID_STATE_ERROR},
    {"build", fail_build, "builder", "y", WEBNN_TYPE_ERROR},
    {"createTensor", fail_create_tensor, "context", NULL, WEBNN_TYPE_ERROR},
    {"createTensor", fail_create_graph_tensor, "graph", NULL, WEBNN_TYPE_ERROR},
    {"createTensor", fail_create_over_memory, "context", NULL, WEBNN_TYPE_ERROR},
    {"createConstantTensor", fail_create_constant, "context", NULL, WEBNN_TYPE_ERROR},
    {"writeTensor", fail_write, "context", "tensor", WEBNN_TYPE_ERROR},
    {"readTensor", fail_read, "context", "tensor", WEBNN_TYPE_ERROR},
    {"compute", fail_compute, "context", "graph", WEBNN_TYPE_ERROR},
    {"dispatch", fail_dispatch, "context", "graph", WEBNN_TYPE_ERROR},
    {"dispatch", fail_bindings, "x", "y", WEBNN_TYPE_ERROR},
    {"wait", fail_wait, "context", NULL, WEBNN_INVALID_STATE_ERROR},
    {"tap", fail_tap, "graph", NULL, WEBNN_INVALID_STATE_ERROR},
    {"profile", fail_profile, "graph", NULL, WEBNN_INVALID_STATE_ERROR},
};

static bool same_error(const webnn_error *a, const webnn_error *b) {
  return a->status == b->status && memcmp(a->message, b->message, sizeof a->message) == 0;
}

/* A handle that is NULL: said in an error without a cause, and only there. */
static void check_missing_handle(const error_world *w, size_t call, error_case how,
                                 const char *word) {
  const char *name = error_calls[call].name;
  webnn_error cause = {WEBNN_UNKNOWN_ERROR, "the first cause"}, error = cause;
  char start[32];
  CHECK(name, error_calls[call].call(w, how, &error) == WEBNN_TYPE_ERROR, "without %s", word);
  CHECK(name, same_error(&error, &cause), "'%s' took the place of the first cause", error.message);
  error = no_error;
  CHECK(name,
        error_calls[call].call(w, how, &error) == WEBNN_TYPE_ERROR &&
            error.status == WEBNN_TYPE_ERROR && strstr(error.message, word) != NULL &&
            strstr(error.message, "NULL") != NULL,
        "without %s: '%s'", word, error.message);
  snprintf(start, sizeof start, "%s: ", name);
  CHECK(name, strncmp(error.message, start, strlen(start)) == 0, "'%s'", error.message);
  CHECK(name, error_calls[call].call(w, how, NULL) == WEBNN_TYPE_ERROR, "without an error");
}

static void check_error_rule(void) {
  error_world w;
  webnn_error error = WEBNN_ZERO, old, first;
  size_t i;
  w.in = test_context(NULL);
  w.lost = test_context(NULL);
  webnn_destroy_context(w.lost);
  w.graph = adding_graph(w.in, 1);
  w.dead = adding_graph(w.in, 1);
  webnn_destroy_graph(w.dead);
  w.x = floats_in(w.in, 2);
  w.y = floats_in(w.in, 2);
  memset(&old, 0xa5, sizeof old);
  for (i = 0; i < COUNT(error_calls); i++) {
    const char *name = error_calls[i].name;
    error = old;
    CHECK(name, error_calls[i].call(&w, WELL, &error) == WEBNN_OK, "'%.500s'", error.message);
    CHECK(name, same_error(&error, &old), "success has written to the error");
    CHECK(name, error_calls[i].call(&w, WELL, NULL) == WEBNN_OK, "without an error");
    if (error_calls[i].handle != NULL) {
      check_missing_handle(&w, i, NO_HANDLE, error_calls[i].handle);
    }
    if (error_calls[i].second_handle != NULL) {
      check_missing_handle(&w, i, NO_SECOND_HANDLE, error_calls[i].second_handle);
    }
    first = no_error;
    CHECK(name,
          error_calls[i].call(&w, WRONG, &first) == error_calls[i].wrong &&
              first.status == error_calls[i].wrong &&
              strncmp(first.message, name, strlen(name)) == 0,
          "%s '%s'", webnn_status_name(first.status), first.message);
    memset(&error, 'x', sizeof error); /* longer than any message */
    error.status = WEBNN_UNKNOWN_ERROR;
    CHECK(name,
          error_calls[i].call(&w, WRONG, &error) == error_calls[i].wrong &&
              error.status == first.status && strcmp(error.message, first.message) == 0,
          "'%.500s' stayed", error.message);
    CHECK(name, error_calls[i].call(&w, WRONG, NULL) == error_calls[i].wrong, "without an error");
  }
  webnn_free_tensor(w.x);
  webnn_free_tensor(w.y);
  webnn_free_graph(w.graph);
  webnn_free_graph(w.dead);
  webnn_free_context(w.in);
  webnn_free_context(w.lost);
}

/* A program that looks at its error only in the end, where one call, or none, goes wrong: its
   message must come through. */
static void run_straight(const char *name, const webnn_context_options *options, size_t bytes,
                         uint32_t second, const char *output, const char *input,
                         const char *message) {
  webnn_error error = WEBNN_ZERO;
  const float data[3] = {1, 2, 3};
  float got[2] = {0, 0};
  const webnn_operand_descriptor descriptor = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2);
  webnn_context *in;
  webnn_builder *by;
  webnn_graph *graph;
  webnn_tensor *x, *y, *constant;
  webnn_operand *sum;
  webnn_create_context(options, &in, &error);
  webnn_create_constant_tensor(in, descriptor, data, bytes, &constant, &error);
  webnn_create_builder(in, &by, &error);
  sum = webnn_add(by, webnn_input(by, "x", descriptor),
                  webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, second), data, 4 * second),
                  NULL);
  sum = webnn_add(by, sum, webnn_constant_from_tensor(by, constant), NULL);
  webnn_build(by, WEBNN_NAMED_OPERANDS({output, sum}), &graph, &error);
  webnn_create_graph_tensor(graph, input, &x, &error);
  webnn_create_graph_tensor(graph, "y", &y, &error);
  webnn_write_tensor(in, x, data, sizeof got, &error);
  webnn_dispatch(in, graph, WEBNN_NAMED_TENSORS({"x", x}), WEBNN_NAMED_TENSORS({"y", y}), &error);
  webnn_read_tensor(in, y, got, sizeof got, &error);
  webnn_wait(in, &error);
  CHECK(name, (error.status == WEBNN_OK) == (message[0] == 0) && strstr(error.message, message),
        "expected '%s', got %s '%s'", message, webnn_status_name(error.status), error.message);
  CHECK(name, got[1] == (message[0] == 0 ? 6.0f : 0.0f), "the result is %g", (double)got[1]);
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  webnn_free_tensor(constant);
  webnn_free_graph(graph);
  webnn_free_builder(by);
  webnn_free_context(in);
}

static void check_straight_runs(void) {
  webnn_context_options options = WEBNN_ZERO, wrong = WEBNN_ZERO;
  wrong.numerics = (webnn_numerics)100;
  run_straight("all well", &options, 8, 2, "y", "x", "");
  run_straight("no context", &wrong, 8, 2, "y", "x", "createContext: ");
  run_straight("no context, and more", &wrong, 7, 3, "", "z", "createContext: ");
  run_straight("no constant", &options, 7, 2, "y", "x", "createConstantTensor: ");
  run_straight("an operator", &options, 8, 3, "y", "x", "add: ");
  run_straight("an operator, and more", &options, 8, 3, "", "z", "add: ");
  run_straight("no name", &options, 8, 2, "", "x", "build: ");
  run_straight("no port", &options, 8, 2, "y", "z", "createTensor: the graph has no");
}

/* ---- Support limits ---------------------------------------------------------------------------
 */

/* The table of the interface, read once more: what its words mean stands here a second time. */
#define TYPE(name) (1u << WEBNN_##name)
#define TYPES_AS(n) (0x80000000u + (n))
#define TYPES_FLOATS (TYPE(FLOAT32) | TYPE(FLOAT16))
#define TYPES_UINT8 TYPE(UINT8)
#define TYPES_INT32_INT64 (TYPE(INT32) | TYPE(INT64))
#define TYPES_INDICES (TYPE(INT32) | TYPE(UINT32) | TYPE(INT64))
#define TYPES_SIGNED (TYPES_FLOATS | TYPE(INT32) | TYPE(INT64) | TYPE(INT8))
#define TYPES_FLOATS_INTS (TYPES_FLOATS | TYPES_INDICES | TYPE(UINT64))
#define TYPES_FLOATS_BYTES (TYPES_FLOATS | TYPE(INT8) | TYPE(UINT8))
#define TYPES_ANY (TYPES_FLOATS_INTS | TYPE(INT8) | TYPE(UINT8))
#define TYPES_ANY_AND_4BIT (TYPES_ANY | TYPE(INT4) | TYPE(UINT4))
#define TYPES_QUANTIZED                                                                            \
  (TYPE(INT32) | TYPE(UINT32) | TYPE(INT8) | TYPE(UINT8) | TYPE(INT4) | TYPE(UINT4))
#define RANKS_N 0, 8
#define RANKS_1_N 1, 8
#define RANKS_2_N 2, 8
#define RANKS_0_2 0, 2
#define RANKS_1 1, 1
#define RANKS_2 2, 2
#define RANKS_3 3, 3
#define RANKS_4 4, 4
#define RANKS_SAME 99, 99
#define ROW_IN(name, types, ranks) {#name, TYPES_##types, RANKS_##ranks, false, false},
#define ROW_OPT(name, types, ranks) {#name, TYPES_##types, RANKS_##ranks, true, false},
#define ROW_OUT(name, types, ranks) {#name, TYPES_##types, RANKS_##ranks, false, true},
#define ROW_NOTHING(name, kind, member)
#define ROW(op, c_name, name, section, family, operands, options)                                  \
  {name, {operands{NULL, 0, 0, 0, false, false}}},

typedef struct limits_row {
  const char *name;
  webnn_tensor_limits operands[13];
} limits_row;

static const limits_row limits_rows[] = {
    WEBNN_OPERATORS(ROW, ROW_IN, ROW_OPT, ROW_IN, ROW_OUT, ROW_NOTHING)};

static void check_operator_limits(const webnn_operator_limits *got, const limits_row *row) {
  uint32_t i;
  check_text("limits", got->name, row->name);
  for (i = 0; row->operands[i].name != NULL; i++) {
    const webnn_tensor_limits *g = &got->operands[i], *e = &row->operands[i];
    const uint32_t types =
        e->data_types >> 31 ? row->operands[e->data_types & 15].data_types : e->data_types;
    const webnn_tensor_limits *ranks = e->min_rank == 99 ? &row->operands[0] : e;
    CHECK(row->name, g->name != NULL && strcmp(g->name, e->name) == 0, "operand %d is not %s",
          (int)i, e->name);
    CHECK(row->name, g->data_types == types && types != 0 && types >> 31 == 0,
          "%s: types 0x%x, expected 0x%x", e->name, (unsigned)g->data_types, (unsigned)types);
    CHECK(row->name, g->min_rank == ranks->min_rank && g->max_rank == ranks->max_rank,
          "%s: ranks %u to %u, expected %u to %u", e->name, (unsigned)g->min_rank,
          (unsigned)g->max_rank, (unsigned)ranks->min_rank, (unsigned)ranks->max_rank);
    CHECK(row->name, g->optional == e->optional && g->output == e->output,
          "%s: optional %d, output %d", e->name, g->optional, g->output);
  }
  CHECK(row->name, got->operand_count == i, "%u operands, expected %u",
        (unsigned)got->operand_count, (unsigned)i);
}

static bool is_zero(const void *bytes, size_t count) {
  size_t i;
  for (i = 0; i < count && ((const unsigned char *)bytes)[i] == 0; i++) {
  }
  return i == count;
}

/* The largest tensor that a context was asked for, and the one that it takes. */
static void check_chosen_limit(uint64_t chosen, uint64_t expected) {
  webnn_limits limits;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *made;
  options.max_tensor_byte_length = chosen;
  made = test_context(&options);
  CHECK("limits", webnn_context_limits(made, &limits) && limits.max_tensor_byte_length == expected,
        "tensors of %llu bytes, not %llu", (unsigned long long)limits.max_tensor_byte_length,
        (unsigned long long)expected);
  webnn_free_context(made);
}

static void check_reference_layout(void) {
  webnn_limits limits;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *made;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  made = test_context(&options);
  CHECK("limits",
        webnn_context_limits(made, &limits) && limits.preferred_input_layout == WEBNN_LAYOUT_NCHW,
        "reference kernels prefer nhwc");
  webnn_free_context(made);
}

static void check_limits(void) {
  static const int outside[] = {-1, WEBNN_OP_COUNT, 1000, INT32_MAX, INT32_MIN};
  webnn_limits limits;
  webnn_operator_limits of_operator;
  const webnn_tensor_limits *leaves[3];
  size_t i;
  memset(&limits, 0xa5, sizeof limits);
  CHECK("limits", webnn_context_limits(context, &limits), "the context has none");
  CHECK("limits", limits.preferred_input_layout == WEBNN_LAYOUT_NHWC, "fast kernels prefer nhwc");
  check_reference_layout();
  leaves[0] = &limits.input;
  leaves[1] = &limits.constant;
  leaves[2] = &limits.output;
  for (i = 0; i < 3; i++) {
    CHECK("limits",
          leaves[i]->data_types == TYPES_ANY_AND_4BIT && leaves[i]->min_rank == 0 &&
              leaves[i]->max_rank == WEBNN_MAX_RANK && leaves[i]->output == (i == 2) &&
              !leaves[i]->optional,
          "%s: types 0x%x, ranks %u to %u", leaves[i]->name, (unsigned)leaves[i]->data_types,
          (unsigned)leaves[i]->min_rank, (unsigned)leaves[i]->max_rank);
  }
  check_text("limits", leaves[0]->name, "input");
  check_text("limits", leaves[1]->name, "constant");
  check_text("limits", leaves[2]->name, "output");
  CHECK("limits", COUNT(limits_rows) == WEBNN_OP_COUNT, "%d rows", (int)COUNT(limits_rows));
  for (i = 0; i < WEBNN_OP_COUNT; i++) {
    memset(&of_operator, 0xa5, sizeof of_operator);
    CHECK(limits_rows[i].name, webnn_op_limits(context, (webnn_op)i, &of_operator), "no limits");
    check_operator_limits(&of_operator, &limits_rows[i]);
    CHECK(limits_rows[i].name,
          is_zero(&of_operator.operands[of_operator.operand_count],
                  (WEBNN_MAX_OPERANDS - of_operator.operand_count) * sizeof *of_operator.operands),
          "more operands than it says");
    memset(&of_operator, 0xa5, sizeof of_operator);
    CHECK(limits_rows[i].name,
          !webnn_op_limits(NULL, (webnn_op)i, &of_operator) &&
              is_zero(&of_operator, sizeof of_operator),
          "NULL has limits");
  }
  for (i = 0; i < COUNT(outside); i++) {
    memset(&of_operator, 0xa5, sizeof of_operator);
    CHECK("limits",
          !webnn_op_limits(context, (webnn_op)outside[i], &of_operator) &&
              is_zero(&of_operator, sizeof of_operator),
          "operator %d has limits", outside[i]);
  }
  memset(&limits, 0xa5, sizeof limits);
  CHECK("limits", !webnn_context_limits(NULL, &limits) && is_zero(&limits, sizeof limits),
        "NULL takes tensors");
  CHECK("limits",
        !webnn_context_limits(context, NULL) && !webnn_context_limits(NULL, NULL) &&
            !webnn_op_limits(context, WEBNN_OP_ADD, NULL) &&
            !webnn_op_limits(NULL, WEBNN_OP_ADD, NULL),
        "limits without a place for them");
  check_chosen_limit(0, SIZE_MAX / 2);
  check_chosen_limit(1000, 1000);
  check_chosen_limit(SIZE_MAX / 2, SIZE_MAX / 2);
  check_chosen_limit(UINT64_MAX, SIZE_MAX / 2);
}

/* ---- Passes -----------------------------------------------------------------------------------
 */

static void check_passes_of(webnn_numerics numerics) {
  webnn_context_options options = WEBNN_ZERO;
  unsigned char expected[EVERY_RESULT_BYTES], got[EVERY_RESULT_BYTES];
  webnn_memory least = WEBNN_ZERO;
  uint32_t count = 0, set;
  size_t bytes = 0;
  while (webnn_pass_name(count) != NULL && count < 8) {
    count++;
  }
  options.numerics = numerics;
  for (set = 0; set <= 1u << count; set++) {
    webnn_context *in;
    webnn_graph *graph;
    webnn_memory memory;
    options.disabled_passes = set == 1u << count ? UINT32_MAX : set;
    in = test_context(&options);
    graph = every_graph(in);
    memory = webnn_graph_memory(graph);
    if (set == 0) {
      least = memory;
      bytes = every_run(in, graph, expected);
      CHECK("passes", memory.arena < memory.intermediates, "nothing is shared: %u of %u bytes",
            (unsigned)memory.arena, (unsigned)memory.intermediates);
    } else {
      CHECK("passes", every_run(in, graph, got) == bytes && memcmp(got, expected, bytes) == 0,
            "other results without passes 0x%lx", (unsigned long)options.disabled_passes);
      CHECK("passes", memory.arena >= least.arena,
            "without passes 0x%lx the arena has %u bytes, with all %u",
            (unsigned long)options.disabled_passes, (unsigned)memory.arena, (unsigned)least.arena);
    }
    webnn_free_graph(graph);
    webnn_free_context(in);
  }
}

/* ---- Weights over the caller's memory ---------------------------------------------------------
 */

typedef struct packed_calls {
  size_t count, bytes;
  const void *data;
} packed_calls;

static void note_packed(void *user, const void *data, size_t byte_length) {
  packed_calls *calls = (packed_calls *)user;
  calls->count++;
  calls->data = data;
  calls->bytes += byte_length;
}

/* Who lends weights hears when they have been packed; who lends what is read in place does not, not
   even where something else of the operator is packed, or a constant that is only moved. */
static void check_packed_hook(void) {
  static float weights[40 * 40], term[40], few[2 * 40], all[30 * 40];
  webnn_gemm_options sum = WEBNN_ZERO;
  packed_calls calls = WEBNN_ZERO;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *in;
  webnn_builder *by;
  webnn_operand *x, *w, *t;
  webnn_graph *graph;
  options.constant_packed = note_packed;
  options.constant_packed_user = &calls;
  in = test_context(&options);
  by = test_builder(in);
  x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(3, 40));
  w = webnn_constant_over_memory(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 40, 40), weights,
                                 sizeof weights);
  t = webnn_constant_over_memory(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 40), term, sizeof term);
  x = webnn_mul(by, webnn_tanh(by, webnn_matmul(by, x, w, NULL), NULL), t, NULL);
  graph = finish(by, WEBNN_NAMED_OPERANDS({"y", x}));
  CHECK("packed", calls.count == 1 && calls.data == weights && calls.bytes == sizeof weights,
        "%d calls, %d bytes", (int)calls.count, (int)calls.bytes);
  webnn_free_graph(graph);
  by = test_builder(in);
  x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(30, 2));
  w = webnn_constant_over_memory(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 40), few, sizeof few);
  sum.c = webnn_constant_over_memory(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 30, 40), all, sizeof all);
  x = webnn_gemm(by, x, w, &sum);
  w = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 40, 40), weights, sizeof weights);
  graph = finish(by, WEBNN_NAMED_OPERANDS({"y", webnn_matmul(by, x, w, NULL)}));
  CHECK("packed", calls.count == 2 && calls.data == few, "%d calls", (int)calls.count);
  webnn_free_graph(graph);
  webnn_free_context(in);
  options.disabled_passes = UINT32_MAX;
  in = test_context(&options);
  by = test_builder(in);
  w = webnn_constant_over_memory(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 40), few, sizeof few);
  graph = finish(by, WEBNN_NAMED_OPERANDS({"y", webnn_transpose(by, w, NULL)}));
  CHECK("packed", calls.count == 2, "a constant that is moved in each run is told of");
  webnn_free_graph(graph);
  webnn_free_context(in);
}

/* Weights that a pass has computed are given back when they are packed, but where something else
   reads them. */
static void check_computed_weights(void) {
  static float weights[40 * 40];
  int i;
  for (i = 0; i < 3; i++) { /* packed once, packed twice, and a result */
    webnn_context *in = test_context(NULL);
    webnn_builder *by = test_builder(in);
    webnn_operand *x = webnn_input(by, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3, 40));
    webnn_operand *w = webnn_constant_over_memory(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 40, 40),
                                                  weights, sizeof weights);
    webnn_operand *computed = webnn_sqrt(by, w, NULL);
    webnn_operand *y = webnn_matmul(by, x, computed, NULL);
    webnn_graph *graph;
    webnn_memory bytes;
    if (i == 1) {
      y = webnn_matmul(by, y, computed, NULL);
    }
    graph = i == 2 ? finish(by, WEBNN_NAMED_OPERANDS({"y", y}, {"w", computed}))
                   : finish(by, WEBNN_NAMED_OPERANDS({"y", y}));
    bytes = webnn_graph_memory(graph);
    CHECK("packed", bytes.constants == (i == 2 ? sizeof weights : 0), "%d: %d bytes of constants",
          i, (int)bytes.constants);
    webnn_free_graph(graph);
    webnn_free_context(in);
  }
}

enum {
  WEIGHTS = 800,
  WORDS = 50,
  CHOSEN = 5 /* more rows than read weights that are not packed */
};

/* A table of words, two products with weights, a term: over memory that begins `offset` bytes behind
   an aligned address. Packed by several threads, if the context has them. Leaves the result in y. */
static webnn_memory run_over_memory(uint32_t threads, bool reference, size_t offset,
                                    packed_calls *calls, float *y) {
  static char memory[(2 * WEIGHTS * WEIGHTS + WORDS * WEIGHTS + WEIGHTS) * sizeof(float) + 64];
  static const int32_t words[CHOSEN] = {7, 0, 49, 7, 1};
  char *at = memory + (64 - (uintptr_t)memory % 64) % 64 + offset;
  const size_t sizes[4] = {(size_t)WEIGHTS * WEIGHTS, (size_t)WEIGHTS * WEIGHTS,
                           (size_t)WORDS * WEIGHTS, WEIGHTS};
  webnn_context_options options = WEBNN_ZERO;
  webnn_operand *o[4];
  webnn_context *in;
  webnn_builder *by;
  webnn_graph *graph;
  webnn_memory bytes;
  size_t i, k;
  options.threads = threads;
  options.numerics = reference ? WEBNN_NUMERICS_REFERENCE : WEBNN_NUMERICS_FAST;
  options.constant_packed = note_packed;
  options.constant_packed_user = calls;
  in = test_context(&options);
  by = test_builder(in);
  for (i = 0; i < 4; at += sizes[i++] * sizeof(float)) {
    for (k = 0; k < sizes[i]; k++) {
      const float number = (float)((k * 37 + i) % 101) / 512 - 0.09375f;
      memcpy(at + k * sizeof number, &number, sizeof number);
    }
    o[i] = webnn_constant_over_memory(by,
                                      i < 2    ? WEBNN_DESCRIPTOR(WEBNN_FLOAT32, WEIGHTS, WEIGHTS)
                                      : i == 2 ? WEBNN_DESCRIPTOR(WEBNN_FLOAT32, WORDS, WEIGHTS)
                                               : WEBNN_DESCRIPTOR(WEBNN_FLOAT32, WEIGHTS),
                                      at, sizes[i] * sizeof(float));
  }
  o[2] = webnn_gather(by, o[2], webnn_input(by, "x", WEBNN_DESCRIPTOR(WEBNN_INT32, CHOSEN)), NULL);
  o[2] = webnn_matmul(by, webnn_tanh(by, webnn_matmul(by, o[2], o[0], NULL), NULL), o[1], NULL);
  graph =
      finish(by, WEBNN_NAMED_OPERANDS({"y", webnn_mul(by, webnn_sin(by, o[2], NULL), o[3], NULL)}));
  CHECK("unaligned",
        webnn_compute(in, graph, WEBNN_INPUTS({"x", words, sizeof words}),
                      WEBNN_OUTPUTS({"y", y, CHOSEN * WEIGHTS * sizeof *y}), NULL) == WEBNN_OK,
        "no result");
  bytes = webnn_graph_memory(graph);
  webnn_free_graph(graph);
  webnn_free_context(in);
  return bytes;
}

/* Weights that are packed and tables are never copied, wherever they lie; what is read in place is,
   if it is not aligned. The results are the same, by one thread or several. */
static void check_unaligned_weights(void) {
  static float expected[CHOSEN * WEIGHTS], got[CHOSEN * WEIGHTS];
  const size_t term = WEIGHTS * sizeof(float);
  webnn_memory bytes;
  size_t way;
  for (way = 0; way < 8; way++) {
    const uint32_t threads = way % 2 == 0 ? 1 : 3;
    const bool reference = way >= 4;
    const size_t offset = way / 2 % 2 == 0 ? 0 : 1 + way % 2;
    packed_calls calls = WEBNN_ZERO;
    bytes = run_over_memory(threads, reference, offset, &calls, way % 4 == 0 ? expected : got);
    if (way % 4 != 0)
      CHECK("unaligned", memcmp(expected, got, sizeof got) == 0, "way %d differs", (int)way);
    if (!reference) {
      CHECK("unaligned", calls.count == (offset == 0 ? 2u : 3u), "way %d: %d calls", (int)way,
            (int)calls.count);
      CHECK("unaligned", bytes.constants == (offset == 0 ? 0 : term), "way %d: %d bytes copied",
            (int)way, (int)bytes.constants);
    } else {
      CHECK("unaligned", calls.count == (offset == 0 ? 0u : 4u), "way %d: %d calls", (int)way,
            (int)calls.count);
    }
  }
}

/* ---- Threads ----------------------------------------------------------------------------------
 */

/* A graph whose operators are large enough to be cut into slices. */
#define LARGE_OUTPUTS 16
enum { LARGE_ROWS = 48, LARGE_COLUMNS = 150 };
static uint32_t large_rows; /* LARGE_ROWS, or more where kernels are fast */

typedef struct large_outputs {
  webnn_named_operand items[LARGE_OUTPUTS];
  size_t count;
} large_outputs;

static void keep_large(large_outputs *list, webnn_operand *operand) {
  static const char *const names[LARGE_OUTPUTS] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                                   "8", "9", "10", "11", "12", "13", "14", "15"};
  CHECK("threads", operand != NULL && list->count < LARGE_OUTPUTS, "output %d", (int)list->count);
  list->items[list->count].name = names[list->count % LARGE_OUTPUTS];
  list->items[list->count].operand = operand;
  list->count++;
}

static webnn_graph *large_graph(webnn_context *in) {
  static const float half = 0.25f;
  static const uint8_t zero_point = 1;
  large_outputs list = WEBNN_ZERO;
  webnn_builder *by = test_builder(in);
  webnn_operand *x = input_of(by, "x", WEBNN_FLOAT32, WEBNN_LIST(large_rows, LARGE_COLUMNS));
  webnn_operand *image = webnn_reshape(by, x, WEBNN_LIST(large_rows / LARGE_ROWS, 8, 30, 30), NULL);
  webnn_operand *scale = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1), &half, 4);
  webnn_operand *four = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_INT4, 1, 1), &zero_point, 1);
  /* Slices would have an odd number of elements if nobody cared that two share a byte. */
  webnn_operand *odd = webnn_slice(by, x, WEBNN_LIST(0, 0), WEBNN_LIST(large_rows - 1, 149), NULL);
  webnn_operand *quantized = webnn_quantize_linear(by, odd, scale, four, NULL);
  webnn_operand *filter =
      webnn_slice(by, image, WEBNN_LIST(0, 0, 0, 0), WEBNN_LIST(1, 8, 3, 3), NULL);
  webnn_pool2d_options pool = WEBNN_ZERO;
  webnn_reduce_options rows = WEBNN_ZERO;
  pool.window_dimensions = WEBNN_LIST(3, 3);
  rows.axes = WEBNN_LIST(1);
  keep_large(&list, webnn_gelu(by, x, NULL));
  keep_large(&list, webnn_softmax(by, x, 1, NULL));
  keep_large(&list, webnn_matmul(by, x, webnn_transpose(by, x, NULL), NULL));
  keep_large(&list, webnn_cumulative_sum(by, x, 0, NULL));
  keep_large(&list, webnn_reduce_log_sum_exp(by, x, &rows));
  keep_large(&list, webnn_layer_normalization(by, x, NULL));
  keep_large(&list, webnn_conv2d(by, image, filter, NULL));
  keep_large(&list, webnn_average_pool2d(by, image, &pool));
  keep_large(&list, quantized);
  keep_large(&list, webnn_dequantize_linear(by, quantized, scale, four, NULL));
  keep_large(&list, webnn_tanh(by, webnn_cast(by, x, WEBNN_FLOAT16, NULL), NULL));
  keep_large(&list, webnn_pow(by, webnn_abs(by, x, NULL), x, NULL));
  keep_large(&list, webnn_arg_max(by, x, 0, NULL));
  keep_large(&list, webnn_instance_normalization(by, image, NULL));
  return finish(by, list.items, list.count);
}

/* Runs the large graph and gathers its outputs; returns their bytes. */
static size_t run_large(webnn_context *in, unsigned char *results, size_t room) {
  const uint32_t count = large_rows * LARGE_COLUMNS;
  float *data = (float *)test_allocate(count * sizeof *data);
  webnn_graph *graph = large_graph(in);
  webnn_tensor *x = tensor_in(in, WEBNN_FLOAT32, WEBNN_LIST(large_rows, LARGE_COLUMNS));
  webnn_graph_port ports[LARGE_OUTPUTS];
  webnn_named_tensor bound[LARGE_OUTPUTS];
  const size_t outputs = webnn_graph_outputs(graph, ports, LARGE_OUTPUTS);
  uint64_t state = 3;
  size_t i, used = 0;
  for (i = 0; i < count; i++) {
    data[i] = (float)test_random_between(&state, -3, 3);
  }
  put(in, x, data, count * sizeof *data);
  for (i = 0; i < outputs; i++) {
    bound[i].name = ports[i].name;
    bound[i].tensor = tensor_in(in, ports[i].descriptor.data_type, ports[i].descriptor.shape);
  }
  dispatch("threads", in, graph, WEBNN_NAMED_TENSORS({"x", x}), bound, outputs);
  for (i = 0; i < outputs; i++) {
    const size_t bytes = (size_t)webnn_byte_length(ports[i].descriptor);
    CHECK("threads",
          used + bytes <= room &&
              webnn_read_tensor(in, bound[i].tensor, results + used, bytes, &the_error) == WEBNN_OK,
          "output %d: %s", (int)i, the_error.message);
    used += bytes;
    webnn_free_tensor(bound[i].tensor);
  }
  webnn_free_tensor(x);
  webnn_free_graph(graph);
  free(data);
  return used;
}

/* Hooks in place of threads, which run tasks in an order of their own. */
typedef struct hook {
  int order; /* 0 forward, 1 backward, 2 odd ones first */
  size_t calls, tasks;
} hook;

static void run_tasks(void *user, size_t count, webnn_task task, void *data) {
  hook *h = (hook *)user;
  size_t i;
  h->calls++;
  h->tasks += count;
  for (i = 0; i < count; i++) {
    const size_t half = count / 2;
    task(data, h->order == 0   ? i
               : h->order == 1 ? count - 1 - i
               : i < half      ? 2 * i + 1
                               : 2 * (i - half));
  }
}

static void check_threads_of(webnn_numerics numerics) {
  static const uint32_t threads[] = {1, 2, 3, 8, 0};
  const uint32_t times = numerics == WEBNN_NUMERICS_FAST ? 40 : 1;
  const size_t room = (size_t)400000 * times * (times > 1 ? 2 : 1);
  unsigned char *expected = (unsigned char *)test_allocate(room);
  unsigned char *got = (unsigned char *)test_allocate(room);
  webnn_context_options options = WEBNN_ZERO;
  size_t i, bytes = 0;
  large_rows = LARGE_ROWS * times;
  options.numerics = numerics;
  for (i = 0; i < COUNT(threads) + 3; i++) {
    hook h = {0, 0, 0};
    webnn_context *in;
    options.threads = i < COUNT(threads) ? threads[i] : 4;
    h.order = (int)i - (int)COUNT(threads);
    options.parallel_for = i < COUNT(threads) ? NULL : run_tasks;
    options.parallel_for_user = &h;
    in = test_context(&options);
    memset(got, 0, room);
    if (i == 0) {
      bytes = run_large(in, expected, room);
    } else {
      CHECK("threads", run_large(in, got, room) == bytes && memcmp(got, expected, bytes) == 0,
            "other results with %s %d", i < COUNT(threads) ? "threads" : "hook of order",
            i < COUNT(threads) ? (int)threads[i] : h.order);
    }
    CHECK("threads",
          options.parallel_for == NULL ||
              (h.calls >= (numerics == WEBNN_NUMERICS_FAST ? 2u : 8u) && h.tasks >= 2 * h.calls),
          "the hook got %d calls with %d tasks: the graph is too small to be cut", (int)h.calls,
          (int)h.tasks);
    webnn_free_context(in);
  }
  free(expected);
  free(got);
}

/* ---- 4-bit types ------------------------------------------------------------------------------
 */

/* Two elements in a byte, the first in bits 0 to 3; an odd count leaves half a byte. */
static void check_packing(webnn_data_type type) {
  static const uint8_t packed[8] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0x0e};
  const uint8_t zero_point[1] = {0x02};
  const float one = 1;
  float expected[15];
  webnn_builder *by = test_builder(context);
  webnn_operand *x = input_of(by, "x", type, WEBNN_LIST(3, 5));
  webnn_operand *c;
  webnn_operand_descriptor descriptor = {type, WEBNN_LIST(3, 5)};
  webnn_operand *scale = webnn_constant(by, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 1), &one, 4), *zero;
  webnn_operand *values, *of_constant;
  webnn_tensor *in = tensor_in(context, type, WEBNN_LIST(3, 5));
  webnn_tensor *out[4];
  webnn_graph *graph;
  uint8_t got[8];
  int i;
  c = webnn_constant(by, descriptor, packed, sizeof packed);
  descriptor.shape = WEBNN_LIST(1, 1);
  zero = webnn_constant(by, descriptor, zero_point, 1);
  for (i = 0; i < 15; i++) {
    const int nibble = packed[i / 2] >> i % 2 * 4 & 15;
    expected[i] = (float)((type == WEBNN_INT4 && nibble >= 8 ? nibble - 16 : nibble) - 2);
  }
  values = webnn_dequantize_linear(by, x, scale, zero, NULL);
  of_constant = webnn_dequantize_linear(by, c, scale, zero, NULL);
  graph = finish(
      by, WEBNN_NAMED_OPERANDS({"reshaped", webnn_reshape(by, x, WEBNN_LIST(5, 3), NULL)},
                               {"values", values}, {"of constant", of_constant},
                               {"back", webnn_quantize_linear(by, values, scale, zero, NULL)}));
  out[0] = tensor_in(context, type, WEBNN_LIST(5, 3));
  out[1] = tensor_in(context, WEBNN_FLOAT32, WEBNN_LIST(3, 5));
  out[2] = tensor_in(context, WEBNN_FLOAT32, WEBNN_LIST(3, 5));
  out[3] = tensor_in(context, type, WEBNN_LIST(3, 5));
  put(context, in, packed, sizeof packed);
  expect_bytes("4 bits", context, in, packed, sizeof packed);
  dispatch("4 bits", context, graph, WEBNN_NAMED_TENSORS({"x", in}),
           WEBNN_NAMED_TENSORS({"reshaped", out[0]}, {"values", out[1]}, {"of constant", out[2]},
                               {"back", out[3]}));
  expect_floats("4 bits", context, out[1], expected, 15);
  expect_floats("4 bits", context, out[2], expected, 15);
  for (i = 0; i < 4; i += 3) {
    CHECK("4 bits", webnn_read_tensor(context, out[i], got, sizeof got, &the_error) == WEBNN_OK,
          "%s", the_error.message);
    CHECK("4 bits", memcmp(got, packed, 7) == 0 && (got[7] & 15) == 14,
          "%s: elements are not where they were", i == 0 ? "reshaped" : "back");
  }
  for (i = 0; i < 4; i++) {
    webnn_free_tensor(out[i]);
  }
  webnn_free_tensor(in);
  webnn_free_graph(graph);
}

int main(void) {
  context = test_context(NULL);
  check_names();
  check_numbers();
  check_lists();
  check_byte_length();
  check_all_halves();
  check_floats_to_half();
  check_contexts();
  check_context_enumerations();
  check_no_handles();
  check_tolerances();
  check_hidden_sizes();
  check_lost();
  check_packed_hook();
  check_computed_weights();
  check_unaligned_weights();
  check_two_contexts();
  check_ownership();
  check_graph_outlives();
  check_constants();
  check_tensors_over_memory(0);
  check_tensors_over_memory(1);
  check_order();
  check_ends_of_bindings();
  check_outputs_of_all_kinds();
  check_parts_of_graphs();
  check_unneeded_result();
  check_diamonds();
  check_large_values();
  check_memory();
  check_memory_of_constants();
  check_ports();
  check_undecided();
  check_profile();
  check_tapped_profile(0);
  check_tapped_profile(UINT32_MAX);
  check_tap_values();
  check_tap_of_every_operator();
  check_printed();
  check_needed();
  check_long_names();
  check_locale();
  check_escapes();
  check_truncation();
  check_compute_every_operator();
  check_error_rule();
  check_straight_runs();
  check_limits();
  check_passes_of(WEBNN_NUMERICS_FAST);
  check_passes_of(WEBNN_NUMERICS_REFERENCE);
  check_threads_of(WEBNN_NUMERICS_FAST);
  check_threads_of(WEBNN_NUMERICS_REFERENCE);
  check_packing(WEBNN_INT4);
  check_packing(WEBNN_UINT4);
  webnn_free_context(context);
  return test_end();
}
