/* The reference kernel of every operator against its formula evaluated in MPFR: random shapes,
   options, data types and values, and values whose exact result is the middle of two floats. Every
   element has to have the same bits.

     exact_operators [-v] [N [seed [operator]]]   N (1400) graphs for each operator and type
                                                  -v: a line for each operator

   A failed case is printed with its operands; it depends on the seed and its number only, so the
   same arguments show it again. The evaluation calls nothing of webnn.h but the interface, and
   follows the formulas of docs/operators.md, readings included. */
#ifndef WEBNN_HAVE_MPFR
#include <stdio.h>
int main(void) {
  printf("exact_operators: skipped: MPFR (libmpfr-dev) is not installed\n");
  printf("0 passed, 0 failed, 1 skipped\n");
  return 0;
}
#else
#include "exact_operators_elementwise.h"
#include "exact_operators_reductions.h"
#include "exact_operators_movement.h"
#include "exact_operators_products.h"
#include "exact_operators_recurrent.h"

/* ---- Which case tests which operator -----------------------------------------------------------
 */

typedef struct operator_case {
  webnn_op op;
  void (*make)(void); /* operands, the call, and the expected outputs */
} operator_case;

static const operator_case cases[] = {
    {WEBNN_OP_ARG_MIN, arg_case},
    {WEBNN_OP_ARG_MAX, arg_case},
    {WEBNN_OP_BATCH_NORMALIZATION, batch_normalization_case},
    {WEBNN_OP_CAST, cast_case},
    {WEBNN_OP_CLAMP, clamp_case},
    {WEBNN_OP_CONCAT, concat_case},
    {WEBNN_OP_CONV2D, conv2d_case},
    {WEBNN_OP_CONV_TRANSPOSE2D, conv_transpose2d_case},
    {WEBNN_OP_CUMULATIVE_SUM, cumulative_sum_case},
    {WEBNN_OP_IDENTITY, identity_case},
    {WEBNN_OP_DEQUANTIZE_LINEAR, quantization_case},
    {WEBNN_OP_QUANTIZE_LINEAR, quantization_case},
    {WEBNN_OP_ELU, elu_case},
    {WEBNN_OP_EXPAND, expand_case},
    {WEBNN_OP_GATHER, gather_case},
    {WEBNN_OP_GATHER_ELEMENTS, gather_elements_case},
    {WEBNN_OP_GATHER_ND, nd_case},
    {WEBNN_OP_GEMM, gemm_case},
    {WEBNN_OP_GRU, gru_case},
    {WEBNN_OP_GRU_CELL, gru_cell_case},
    {WEBNN_OP_HARD_SIGMOID, hard_sigmoid_case},
    {WEBNN_OP_INSTANCE_NORMALIZATION, instance_normalization_case},
    {WEBNN_OP_LAYER_NORMALIZATION, layer_normalization_case},
    {WEBNN_OP_LEAKY_RELU, leaky_relu_case},
    {WEBNN_OP_LINEAR, linear_case},
    {WEBNN_OP_LSTM, lstm_case},
    {WEBNN_OP_LSTM_CELL, lstm_cell_case},
    {WEBNN_OP_MATMUL, matmul_case},
    {WEBNN_OP_PAD, pad_case},
    {WEBNN_OP_AVERAGE_POOL2D, pool_case},
    {WEBNN_OP_L2_POOL2D, pool_case},
    {WEBNN_OP_MAX_POOL2D, pool_case},
    {WEBNN_OP_REDUCE_L1, reduce_case},
    {WEBNN_OP_REDUCE_L2, reduce_case},
    {WEBNN_OP_REDUCE_LOG_SUM, reduce_case},
    {WEBNN_OP_REDUCE_LOG_SUM_EXP, reduce_case},
    {WEBNN_OP_REDUCE_MAX, reduce_case},
    {WEBNN_OP_REDUCE_MEAN, reduce_case},
    {WEBNN_OP_REDUCE_MIN, reduce_case},
    {WEBNN_OP_REDUCE_PRODUCT, reduce_case},
    {WEBNN_OP_REDUCE_SUM, reduce_case},
    {WEBNN_OP_REDUCE_SUM_SQUARE, reduce_case},
    {WEBNN_OP_RESAMPLE2D, resample2d_case},
    {WEBNN_OP_RESHAPE, reshape_case},
    {WEBNN_OP_REVERSE, reverse_case},
    {WEBNN_OP_SCATTER_ELEMENTS, scatter_elements_case},
    {WEBNN_OP_SCATTER_ND, nd_case},
    {WEBNN_OP_SLICE, slice_case},
    {WEBNN_OP_SOFTMAX, softmax_case},
    {WEBNN_OP_SPLIT, split_case},
    {WEBNN_OP_TILE, tile_case},
    {WEBNN_OP_TRANSPOSE, transpose_case},
    {WEBNN_OP_TRIANGULAR, triangular_case},
    {WEBNN_OP_WHERE, where_case},
};

/* NULL if the operator has no case. */
static void (*case_of(webnn_op op))(void) {
  size_t i;
  for (i = 0; i < sizeof one_operand_table / sizeof *one_operand_table; i++)
    if (one_operand_table[i].op == op)
      return unary_case;
  for (i = 0; i < sizeof two_operands_table / sizeof *two_operands_table; i++)
    if (two_operands_table[i].op == op)
      return binary_case;
  for (i = 0; i < sizeof cases / sizeof *cases; i++)
    if (cases[i].op == op)
      return cases[i].make;
  return NULL;
}
/* The operand whose data types are gone through. */
static uint32_t typed_operand(webnn_op op) {
  return op == WEBNN_OP_WHERE ? 1 : 0;
}

/* ---- Running a case ----------------------------------------------------------------------------
 */

static uint64_t seed = 1;
static bool verbose;

#ifndef PRINTED_CASES
#define PRINTED_CASES 3
#endif
static uint64_t doubts; /* webnn_graph_undecided of all graphs */
static long element_count, wrong_count, undecided_count, operator_failures;

static void print_element(webnn_data_type type, uint64_t pattern) {
  mpfr_t value;
  mpfr_init2(value, ELEMENT);
  load(value, type, pattern);
  if (test_is_float(type))
    mpfr_printf("%0*lx (%.9Rg)", (int)webnn_data_type_bits(type) / 4, (unsigned long)pattern,
                value);
  else
    mpfr_printf("%.0Rf", value);
  mpfr_clear(value);
}
static void print_operand(const tensor *t) {
  enum { SHOWN = 32 };
  size_t i;
  printf("  %s %s %s%s:", t->name, webnn_data_type_name(t->type),
         test_shape_text(webnn_list_of(t->shape, t->rank)), t->constant ? " constant" : "");
  for (i = 0; i < t->count && i < SHOWN; i++) {
    printf(i ? ", " : " ");
    print_element(t->type, t->bits[i]);
  }
  printf(t->count > SHOWN ? ", ...\n" : "\n");
}
/* Counts a failed case; the first of an operator are printed, and their outputs after them. */
static bool print_case(long number) {
  int i;
  if (operator_failures++ >= PRINTED_CASES)
    return false;
  printf("%s %s: case %ld of seed %llu:%s\n", webnn_op_name(now.op), webnn_data_type_name(now.type),
         number, (unsigned long long)seed, now.options);
  for (i = 0; i < now.input_count; i++)
    print_operand(&now.inputs[i]);
  return true;
}
static void fail_case(long number, const char *what, const char *why) {
  test_failed++;
  if (print_case(number))
    printf("  %s: %s\n", what, why);
}

static bool same_element(webnn_data_type type, uint64_t a, uint64_t b) {
  return a == b || (is_nan_pattern(type, a) && is_nan_pattern(type, b));
}
/* Compares the bytes that came with what was expected of output k. */
static bool output_matches(long number, int k, const uint8_t *bytes, bool first_wrong) {
  const tensor *y = &now.outputs[k];
  const uint32_t bits = webnn_data_type_bits(y->type);
  size_t i, wrong = 0, first = 0;
  for (i = 0; i < y->count; i++)
    if (!same_element(y->type, packed_element(bytes, bits, i), y->bits[i]))
      first = wrong++ ? first : i;
  element_count += (long)y->count;
  wrong_count += (long)wrong;
  if (wrong == 0)
    return true;
  if (first_wrong ? print_case(number) : operator_failures <= PRINTED_CASES) {
    printf("  output %d %s, element %lu: expected ", k,
           test_shape_text(webnn_list_of(y->shape, y->rank)), (unsigned long)first);
    print_element(y->type, y->bits[first]);
    printf(", got ");
    print_element(y->type, packed_element(bytes, bits, first));
    printf("; %lu of %lu differ\n", (unsigned long)wrong, (unsigned long)y->count);
  }
  return false;
}

static webnn_tensor *tensor_for(const tensor *t, void *bytes) {
  const webnn_tensor_descriptor descriptor = {t->type, webnn_list_of(t->shape, t->rank), true,
                                              true};
  webnn_tensor *made = NULL;
  webnn_error error = WEBNN_ZERO;
  if (webnn_create_tensor(now.context, descriptor, &made, &error) != WEBNN_OK ||
      (bytes &&
       webnn_write_tensor(now.context, made, bytes, tensor_bytes(t), &error) != WEBNN_OK)) {
    printf("no tensor: %s\n", error.message);
    exit(1);
  }
  return made;
}
static const char *const output_names[MOST_OUTPUTS] = {
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"};

/* Binds, dispatches, and reads the outputs into results. */
static webnn_status dispatch_case(webnn_graph *graph, uint8_t **results, webnn_error *error) {
  webnn_named_tensor in[MOST_INPUTS], out[MOST_OUTPUTS];
  webnn_status status;
  size_t i, bound = 0;
  int k;
  for (k = 0; k < now.input_count; k++)
    if (!now.inputs[k].constant) {
      void *bytes = tensor_pack(&now.inputs[k]);
      in[bound].name = now.inputs[k].name;
      in[bound++].tensor = tensor_for(&now.inputs[k], bytes);
      free(bytes);
    }
  for (k = 0; k < now.output_count; k++) {
    out[k].name = output_names[k];
    out[k].tensor = tensor_for(&now.outputs[k], NULL);
  }
  status = webnn_dispatch(now.context, graph, in, bound, out, (size_t)now.output_count, error);
  for (k = 0; k < now.output_count; k++) {
    results[k] = test_allocate(tensor_bytes(&now.outputs[k]));
    if (status == WEBNN_OK)
      status = webnn_read_tensor(now.context, out[k].tensor, results[k],
                                 tensor_bytes(&now.outputs[k]), error);
    webnn_free_tensor(out[k].tensor);
  }
  for (i = 0; i < bound; i++)
    webnn_free_tensor(in[i].tensor);
  return status;
}
/* Whether the operator gave outputs of the expected types and shapes. */
static bool outputs_described(long number) {
  int k;
  for (k = 0; k < now.output_count; k++) {
    const tensor *y = &now.outputs[k];
    if (!y->operand) {
      fail_case(number, "refused", webnn_builder_message(now.builder));
      return false;
    }
    if (webnn_operand_data_type(y->operand) != y->type ||
        !test_same_list(webnn_operand_shape(y->operand), webnn_list_of(y->shape, y->rank))) {
      fail_case(number, "type or shape", test_shape_text(webnn_operand_shape(y->operand)));
      return false;
    }
  }
  return true;
}
static void check_case(long number) {
  webnn_named_operand named[MOST_OUTPUTS];
  uint8_t *results[MOST_OUTPUTS];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  bool good = true;
  int k;
  if (!outputs_described(number))
    return;
  for (k = 0; k < now.output_count; k++) {
    named[k].name = output_names[k];
    named[k].operand = now.outputs[k].operand;
  }
  if (webnn_build(now.builder, named, (size_t)now.output_count, &graph, &error) != WEBNN_OK) {
    fail_case(number, "build", error.message);
    return;
  }
  if (dispatch_case(graph, results, &error) != WEBNN_OK) {
    fail_case(number, "dispatch", error.message);
  } else {
    for (k = 0; k < now.output_count; k++)
      good = output_matches(number, k, results[k], good) && good;
    doubts += webnn_graph_undecided(graph);
    if (good)
      test_passed++;
    else
      test_failed++;
  }
  for (k = 0; k < now.output_count; k++)
    free(results[k]);
  webnn_free_graph(graph);
}
static void run_case(void (*make)(void), long number) {
  int k;
  now.random = (seed * 1000003 + (uint64_t)now.op) * 1000003 + (uint64_t)now.type;
  now.random = (now.random * 1000003 + (uint64_t)number) * UINT64_C(0x9E3779B97F4A7C15) | 1;
  for (k = 0; k < 8; k++)
    test_random(&now.random);
  now.input_count = now.output_count = 0;
  now.options[0] = 0;
  now.undecided = false;
  now.style = one_in(2) ? random_style() : -1;
  now.builder = test_builder(now.context);
  make();
  if (now.undecided) {
    undecided_count++;
    test_skipped++;
  } else {
    check_case(number);
  }
  for (k = 0; k < now.input_count; k++)
    tensor_end(&now.inputs[k]);
  for (k = 0; k < now.output_count; k++)
    tensor_end(&now.outputs[k]);
  webnn_free_builder(now.builder);
}

static void run_operator(webnn_op op, const webnn_operator_limits *limits, long count) {
  const uint32_t types = limits->operands[typed_operand(op)].data_types;
  void (*make)(void) = case_of(op);
  long number, total_cases = 0;
  int type;
  doubts = 0;
  element_count = wrong_count = undecided_count = operator_failures = tie_count = 0;
  now.op = op;
  for (type = WEBNN_FLOAT32; make && type <= WEBNN_UINT4; type++) {
    now.type = (webnn_data_type)type;
    for (number = 0; (types >> type & 1) && number < count; number++, total_cases++)
      run_case(make, number);
  }
  CHECK(webnn_op_name(op), total_cases > 0, "the operator has no case");
  CHECK(webnn_op_name(op), doubts == 0, "%lu results were rounded in doubt", (unsigned long)doubts);
  if (undecided_count)
    printf("%s: %ld cases skipped: their rounding depends on more bits than MPFR was given here\n",
           webnn_op_name(op), undecided_count);
  if (verbose || operator_failures) {
    printf("%-22s %6ld cases %9ld elements %7ld ties %6ld wrong in %ld cases\n", webnn_op_name(op),
           total_cases, element_count, tie_count, wrong_count, operator_failures);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  const webnn_op operators[] = {
#define NOTHING(...)
#define ENUMERATOR(op, c_name, name, section, family, operands, options) WEBNN_OP_##op,
      WEBNN_OPERATORS(ENUMERATOR, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
#undef ENUMERATOR
#undef NOTHING
  };
  webnn_context_options options = WEBNN_ZERO;
  webnn_operator_limits limits;
  long count;
  size_t i;
  verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  argv += verbose;
  argc -= verbose;
  count = argc > 1 ? atol(argv[1]) : 1400;
  seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  now.context = test_context(&options);
  mpfr_inits2(ELEMENT, now.alpha, now.beta, NULL);
  for (i = 0; i < sizeof operators / sizeof *operators; i++)
    if ((argc < 4 || strcmp(argv[3], webnn_op_name(operators[i])) == 0) &&
        webnn_op_limits(now.context, operators[i], &limits))
      run_operator(operators[i], &limits, count);
  mpfr_clears(now.alpha, now.beta, NULL);
  mpfr_free_cache();
  webnn_free_context(now.context);
  return test_end();
}
#endif
