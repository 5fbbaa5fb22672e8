/* The interface of webnn_stablehlo.h: functions, names, problems, counts, and assertions that fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "webnn_stablehlo.h"

static size_t passed, failed;

static void check(bool good, const char *what) {
  if (good) {
    passed++;
    return;
  }
  failed++;
  printf("%s\n", what);
}

static void check_text(const char *is, const char *expected) {
  char message[1200];
  snprintf(message, sizeof message, "'%s' is not '%s'", is ? is : "NULL", expected);
  check(is && strcmp(is, expected) == 0, message);
}

static webnn_stablehlo *read_text(const char *text) {
  webnn_error error = WEBNN_ZERO;
  webnn_stablehlo *m = webnn_stablehlo_read(text, strlen(text), "t.mlir", &error);
  if (!m)
    printf("%s\n", error.message);
  check(m != NULL, "the module is read");
  return m;
}

/* ---- Functions ------------------------------------------------------------------------------- */

static const char functions_text[] =
    "module @m {\n"
    "func.func public @main(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5:3>> loc(\"image\"),\n"
    "    %arg1: tensor<f32> {mhlo.sharding = \"{replicated}\"}, %t: !stablehlo.token)\n"
    "    -> (tensor<2xf32> {jax.result_info = \"result[0]\"}, !stablehlo.token) {\n"
    "  %0 = call @helper(%arg0) : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>\n"
    "  return %0, %t : tensor<2xf32>, !stablehlo.token\n"
    "}\n"
    "func.func private @helper(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32> {\n"
    "  %0 = stablehlo.uniform_dequantize %arg0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> "
    "tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n"
    "}\n";

static void check_functions(void) {
  webnn_stablehlo *m = read_text(functions_text);
  webnn_stablehlo_value_info values[4];
  webnn_error error = WEBNN_ZERO;
  const webnn_xla_computation *c = webnn_stablehlo_function(m, NULL, &error);
  check(webnn_stablehlo_function_count(m) == 2, "two functions");
  check_text(webnn_stablehlo_function_name(m, 0), "main");
  check_text(webnn_stablehlo_function_name(m, 1), "helper");
  check(webnn_stablehlo_function_name(m, 2) == NULL, "no third function");
  check(webnn_stablehlo_function_is_public(m, 0), "main is public");
  check(!webnn_stablehlo_function_is_public(m, 1), "helper is private");
  check(webnn_stablehlo_arguments(m, 0, values, 4) == 3, "three arguments");
  check_text(values[0].name, "image");
  check_text(values[0].type, "tensor<2x!quant.uniform<i8:f32, 0.5:3>>");
  check_text(values[1].name, "arg1");
  check_text(values[2].type, "!stablehlo.token");
  check(webnn_stablehlo_results(m, 0, values, 4) == 2, "two results");
  check_text(values[0].name, "result[0]");
  check_text(values[1].name, "");
  check(c != NULL, error.message);
  check(c == webnn_stablehlo_function(m, "main", &error), "a function is built once");
  check(webnn_xla_parameter_count(c) == 3, "three parameters");
  check(webnn_xla_parameter_shape(c, 0)->type == WEBNN_XLA_S8, "a quantized argument is stored");
  check(webnn_xla_parameter_shape(c, 2)->type == WEBNN_XLA_TUPLE, "a token is a tuple");
  check_text(webnn_xla_parameter_name(c, 0), "image");
  check(webnn_xla_result_shape(c)->element_count == 2, "the results are a tuple");
  check(webnn_stablehlo_function(m, "helper", &error) != NULL, "a private function can be had");
  check(webnn_stablehlo_function(m, "other", &error) == NULL, "no function @other");
  check_text(error.message, "t.mlir: there is no function @other");
  webnn_stablehlo_free(m);
  webnn_stablehlo_free(NULL);
}

/* ---- What is covered ------------------------------------------------------------------------- */

static const char uncovered_text[] =
    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf32>) -> "
    "tensor<3xcomplex<f32>>\n"
    "  %1 = stablehlo.abs %0 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>\n"
    "  %2 = other.thing %a {x = 1 : i32} : tensor<4xf32> -> tensor<4xf32>\n"
    "  %3 = stablehlo.add %2, %a : tensor<4xf32>\n"
    "  %4 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf64>\n"
    "  %5 = stablehlo.slice %a [0:5] : (tensor<4xf32>) -> tensor<5xf32>\n"
    "  %6 = \"stablehlo.map\"(%a) <{dimensions = array<i64: 0>}> ({\n"
    "  ^bb0(%x: tensor<f32>):\n"
    "    %8 = chlo.zeta %x, %x : tensor<f32>, tensor<f32> -> tensor<f32>\n"
    "    stablehlo.return %8 : tensor<f32>\n"
    "  }) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "  %7 = stablehlo.add %a, %a : tensor<4xf32>\n"
    "  return %7 : tensor<4xf32>\n"
    "}\n";

typedef struct log {
  char text[2000];
  size_t length;
} log_;

static void add_problem(void *user, const webnn_stablehlo_problem *problem) {
  log_ *l = (log_ *)user;
  l->length += (size_t)snprintf(l->text + l->length, sizeof l->text - l->length, "%s|%s|%s|%s\n",
                                problem->place, problem->operation,
                                webnn_status_name(problem->status), problem->reason);
}

static void check_problems(void) {
  webnn_stablehlo *m = read_text(uncovered_text);
  webnn_error error = WEBNN_ZERO;
  log_ problems = {{0}, 0};
  check(webnn_stablehlo_problems(m, add_problem, &problems) == 5, "five problems");
  check_text(problems.text,
             "t.mlir:2:3|stablehlo.fft|NotSupportedError|complex numbers are not covered\n"
             "t.mlir:4:3|other.thing|NotSupportedError|this operation is not known\n"
             "t.mlir:6:3|stablehlo.convert|NotSupportedError|tensor<4xf64>: this element type is "
             "not covered\n"
             "t.mlir:7:3|stablehlo.slice|TypeError|slice: dimension 0: 0 to 5 by 1 is no slice of "
             "F32[4]\n"
             "t.mlir:10:5|chlo.zeta|NotSupportedError|the zeta function is not covered\n");
  check(webnn_stablehlo_function(m, NULL, &error) == NULL, "the function cannot be built");
  check_text(error.message, "t.mlir:2:3: stablehlo.fft: complex numbers are not covered");
  check(error.status == WEBNN_NOT_SUPPORTED_ERROR, "it is not supported");
  error.message[0] = 0;
  check(webnn_stablehlo_function(m, NULL, &error) == NULL, "nor the second time");
  check_text(error.message, "t.mlir:2:3: stablehlo.fft: complex numbers are not covered");
  check(webnn_stablehlo_problems(m, NULL, NULL) == 5, "without a callback they are counted");
  webnn_stablehlo_free(m);
  m = read_text(functions_text);
  check(webnn_stablehlo_problems(m, NULL, NULL) == 0, "no problem");
  webnn_stablehlo_free(m);
  m = read_text("func.func @main() -> tensor<f32>\nfunc.func private @f() -> tensor<f32>\n");
  check(webnn_stablehlo_problems(m, NULL, NULL) == 1, "a public function without a body is one");
  webnn_stablehlo_free(m);
}

static void check_counts(void) {
  webnn_stablehlo *m = read_text(uncovered_text);
  webnn_stablehlo_operation_count counts[20];
  const char *reason, *name;
  size_t i, covered = 0;
  check(webnn_stablehlo_operations(m, counts, 20) == 10, "ten kinds of operations");
  check_text(counts[3].name, "stablehlo.abs");
  check_text(counts[4].name, "stablehlo.add");
  check(counts[4].count == 2, "two additions");
  check(webnn_stablehlo_operations(m, NULL, 0) == 10, "the number alone");
  for (i = 0; (name = webnn_stablehlo_operation(i, &reason)) != NULL; i++)
    covered += reason == NULL;
  check(covered > 100 && covered < i, "the table has what is covered and what is not");
  check(webnn_stablehlo_operation(i, NULL) == NULL, "the table ends");
  webnn_stablehlo_free(m);
}

/* ---- Assertions that fail -------------------------------------------------------------------- */

static const char assertions_text[] =
    "func.func @main() -> tensor<i1> {\n"
    "  %a = stablehlo.constant dense<[[1.0, 2.0], [0x7FC00000, 4.0]]> : tensor<2x2xf32>\n"
    "  %b = stablehlo.constant dense<[[1.0, 2.5], [0x7FC00000, 5.0]]> : tensor<2x2xf32>\n"
    "  check.expect_eq %a, %a : tensor<2x2xf32>\n"
    "  check.expect_eq %a, %b : tensor<2x2xf32>\n"
    "  %i = stablehlo.constant dense<3> : tensor<i32>\n"
    "  check.expect_eq_const %i, dense<2> : tensor<i32>\n"
    "  %c = stablehlo.constant dense<0x3F800003> : tensor<1xf32>\n"
    "  check.expect_close_const %c, dense<1.0> : tensor<1xf32>\n"
    "  %d = stablehlo.constant dense<1.0> : tensor<1xf32>\n"
    "  check.expect_close %c, %d, max_ulp_difference = 2 : tensor<1xf32>, tensor<1xf32>\n"
    "  check.expect_close %c, %d, max_ulp_difference = 9, min_ulp_difference = 4 : tensor<1xf32>, "
    "tensor<1xf32>\n"
    "  check.expect_almost_eq_const %d, dense<1.00005> : tensor<1xf32>\n"
    "  check.expect_almost_eq_const %d, dense<1.0002> : tensor<1xf32>\n"
    "  %q = stablehlo.uniform_quantize %b : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, "
    "0.5>>\n"
    "  %e = stablehlo.uniform_dequantize %q : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> "
    "tensor<2x2xf32>\n"
    "  %f = stablehlo.constant dense<[[1.5, 2.0], [0.0, 6.0]]> : tensor<2x2xf32>\n"
    "  %0 = stablehlo.custom_call @check.eq(%f, %e) : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
    "tensor<i1>\n"
    "  return %0 : tensor<i1>\n"
    "}\n";

static void add_message(void *user, const char *message) {
  log_ *l = (log_ *)user;
  l->length += (size_t)snprintf(l->text + l->length, sizeof l->text - l->length, "%s\n", message);
}

static void run_assertions(const webnn_xla_computation *c, webnn_stablehlo_checks *checks) {
  webnn_context_options context_options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_xla_named_function functions[8];
  webnn_xla_program_options options = WEBNN_ZERO;
  webnn_xla_program *program = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_xla_array output = WEBNN_ZERO;
  unsigned char holds = 9;
  output.data = &holds;
  output.byte_length = 1;
  context_options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.functions = functions;
  options.function_count = webnn_stablehlo_check_functions(checks, functions, 8);
  check(webnn_create_context(&context_options, &context, &error) == WEBNN_OK, error.message);
  check(webnn_xla_compile(context, c, &options, &program, &error) == WEBNN_OK, error.message);
  check(program && webnn_xla_run(program, NULL, 0, &output, 1, &error) == WEBNN_OK, error.message);
  check(holds == 0, "check.eq says that it does not hold");
  webnn_xla_free_program(program);
  webnn_free_context(context);
}

static void check_assertions(void) {
  webnn_stablehlo *m = read_text(assertions_text);
  webnn_error error = WEBNN_ZERO;
  webnn_stablehlo_checks checks;
  log_ messages = {{0}, 0};
  const webnn_xla_computation *c = webnn_stablehlo_function(m, NULL, &error);
  memset(&checks, 0, sizeof checks);
  checks.report = add_message;
  checks.user = &messages;
  check(c != NULL, error.message);
  run_assertions(c, &checks);
  check(checks.passed == 3 && checks.failed == 6, "three hold, six do not");
  check_text(checks.message, "t.mlir:5:3: check.expect_eq: element [0, 1] of 4 is 2, expected 2.5 "
                             "(2 elements differ)");
  check_text(messages.text,
             "t.mlir:5:3: check.expect_eq: element [0, 1] of 4 is 2, expected 2.5 (2 elements "
             "differ)\n"
             "t.mlir:7:3: check.expect_eq: element [] of 1 is 3, expected 2 (1 element differs)\n"
             "t.mlir:11:3: check.expect_close: element [0] of 1 is 1.00000036, expected 1 (1 "
             "element differs)\n"
             "t.mlir:12:3: check.expect_close: element [0] of 1 is 1.00000036, expected 1 (1 "
             "element differs)\n"
             "t.mlir:14:3: check.expect_almost_eq: element [0] of 1 is 1, expected 1.00020003 (1 "
             "element differs)\n"
             "t.mlir:18:3: check.eq: element [1, 1] of 4 is 5, expected 6 (1 element differs)\n");
  webnn_stablehlo_free(m);
}

/* ---- Open sizes ------------------------------------------------------------------------------ */

/* @N, @M and @K stand for sizes n, 2 n and 3 n, or are open; @P computes the last of an argument, or is a constant.
   A loop, a call whose function takes a size as an argument, and operations that take shapes. */
static const char open_text[] =
    "func.func @main(%x: tensor<@Nx3xf32>, %e: tensor<3xf32>) -> (tensor<@Kx2xf32>, "
    "tensor<@Nxf32>) {\n"
    "  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<@Nx3xf32>) -> tensor<i32>\n"
    "  %d1 = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>\n"
    "  %three = stablehlo.constant dense<3> : tensor<1xi32>\n"
    "  %shape = stablehlo.concatenate %d1, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
    "tensor<2xi32>\n"
    "  %i = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<@Nx3xf32>\n"
    "  %b = stablehlo.dynamic_broadcast_in_dim %e, %shape, dims = [1] : (tensor<3xf32>, "
    "tensor<2xi32>) "
    "-> tensor<@Nx3xf32>\n"
    "  %s = stablehlo.add %x, %i : tensor<@Nx3xf32>\n"
    "  %m = stablehlo.multiply %s, %b : tensor<@Nx3xf32>\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %w:2 = stablehlo.while(%it = %zero, %acc = %m) : tensor<i32>, tensor<@Nx3xf32>\n"
    "  cond {\n"
    "    %end = stablehlo.constant dense<2> : tensor<i32>\n"
    "    %less = stablehlo.compare LT, %it, %end, SIGNED : (tensor<i32>, tensor<i32>) -> "
    "tensor<i1>\n"
    "    stablehlo.return %less : tensor<i1>\n"
    "  } do {\n"
    "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "    %next = stablehlo.add %it, %one : tensor<i32>\n"
    "    %sum = stablehlo.add %acc, %acc : tensor<@Nx3xf32>\n"
    "    stablehlo.return %next, %sum : tensor<i32>, tensor<@Nx3xf32>\n"
    "  }\n"
    "  %c = call @twice(%w#1, %d) : (tensor<@Nx3xf32>, tensor<i32>) -> tensor<@Kx2xf32>\n"
    "  %none = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %r = stablehlo.reduce(%m init: %none) applies stablehlo.add across dimensions = [1] : "
    "(tensor<@Nx3xf32>, tensor<f32>) -> tensor<@Nxf32>\n"
    "  return %c, %r : tensor<@Kx2xf32>, tensor<@Nxf32>\n"
    "}\n"
    "func.func private @twice(%v: tensor<@Nx3xf32>, %n: tensor<i32>) -> tensor<@Kx2xf32> {\n"
    "  %both = stablehlo.concatenate %v, %v, dim = 0 : (tensor<@Nx3xf32>, tensor<@Nx3xf32>) -> "
    "tensor<@Mx3xf32>\n"
    "  %three = stablehlo.constant dense<3> : tensor<i32>\n"
    "  %k = @P : tensor<i32>\n"
    "  %k1 = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>\n"
    "  %two = stablehlo.constant dense<2> : tensor<1xi32>\n"
    "  %shape = stablehlo.concatenate %k1, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
    "tensor<2xi32>\n"
    "  %z = stablehlo.dynamic_reshape %both, %shape : (tensor<@Mx3xf32>, tensor<2xi32>) -> "
    "tensor<@Kx2xf32>\n"
    "  return %z : tensor<@Kx2xf32>\n"
    "}\n";

/* The text with these sizes; 0: open. */
static void put_sizes(const char *text, unsigned n, char *to) {
  for (; *text; text++) {
    if (*text != '@' || !strchr("NMKP", text[1])) {
      *to++ = *text;
      continue;
    }
    text++;
    if (*text == 'P')
      to += n ? sprintf(to, "stablehlo.constant dense<%u>", n * 3)
              : sprintf(to, "stablehlo.multiply %%n, %%three");
    else
      to += n ? sprintf(to, "%u", n * (*text == 'N' ? 1 : *text == 'M' ? 2 : 3)) : sprintf(to, "?");
  }
  *to = 0;
}

enum { MOST_ROWS = 16 };

typedef struct numbers {
  float z[MOST_ROWS * 6], r[MOST_ROWS];
} numbers;

static bool run_rows(webnn_context *context, const webnn_xla_computation *c, unsigned n,
                     numbers *to, webnn_error *error) {
  float x[MOST_ROWS * 3], e[3] = {1, -2, 0.5f};
  webnn_xla_array in[2], out[2];
  webnn_xla_program *program = NULL;
  bool good;
  unsigned i;
  for (i = 0; i < n * 3; i++)
    x[i] = (float)(i * 7 % 11) - 3;
  memset(in, 0, sizeof in);
  memset(out, 0, sizeof out);
  good = c && webnn_xla_compile(context, c, NULL, &program, error) == WEBNN_OK &&
         webnn_xla_program_inputs(program, in, 2) == 2 &&
         webnn_xla_program_outputs(program, out, 2) == 2;
  in[0].data = x, in[0].byte_length = n * 12;
  in[1].data = e, in[1].byte_length = 12;
  out[0].data = to->z, out[0].byte_length = n * 24;
  out[1].data = to->r, out[1].byte_length = n * 4;
  memset(to, 0, sizeof *to);
  good = good && webnn_xla_run(program, in, 2, out, 2, error) == WEBNN_OK;
  webnn_xla_free_program(program);
  return good;
}

static void check_open_sizes(void) {
  static const unsigned sizes[] = {1, 5, 2, 5, 16};
  static char text[8192];
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_stablehlo *open, *closed;
  webnn_stablehlo_value_info infos[2];
  webnn_list shapes[2];
  webnn_error error = WEBNN_ZERO;
  size_t i;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  webnn_create_context(&options, &context, NULL);
  put_sizes(open_text, 0, text);
  open = read_text(text);
  check(webnn_stablehlo_arguments(open, 0, infos, 2) == 2, "two arguments with sizes");
  check(infos[0].shape.type == WEBNN_XLA_F32 && infos[0].shape.dimensions.count == 2 &&
            infos[0].shape.dimensions.items[0] == 0 && infos[0].shape.dimensions.items[1] == 3,
        "an open size is 0");
  check(!webnn_stablehlo_function(open, NULL, &error), "open sizes without shapes");
  check_text(
      error.message,
      "t.mlir:1:11: func.func: tensor<?x3xf32>: dimensions that are not known are not covered");
  memset(shapes, 0, sizeof shapes);
  for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const uint32_t items[2] = {sizes[i], 3};
    numbers one, other;
    memset(&error, 0, sizeof error);
    shapes[0] = webnn_list_of(items, 2);
    check(run_rows(context, webnn_stablehlo_function_for(open, NULL, shapes, 2, &error), sizes[i],
                   &one, &error),
          error.message);
    put_sizes(open_text, sizes[i], text);
    closed = read_text(text);
    check(
        run_rows(context, webnn_stablehlo_function(closed, NULL, &error), sizes[i], &other, &error),
        error.message);
    check(memcmp(&one, &other, sizeof one) == 0, "open sizes and stated ones: the same bits");
    check(webnn_stablehlo_function_for(closed, NULL, NULL, 0, &error) ==
              webnn_stablehlo_function(closed, NULL, &error),
          "what is not open is built once");
    webnn_stablehlo_free(closed);
  }
  memset(&error, 0, sizeof error);
  check(!webnn_stablehlo_function_for(open, NULL, shapes, 1, &error), "one shape of two");
  check_text(error.message, "t.mlir: @main has 2 arguments; 1 shapes are given");
  shapes[0].items[1] = 4;
  memset(&error, 0, sizeof error);
  check(!webnn_stablehlo_function_for(open, NULL, shapes, 2, &error), "a size that is stated");
  check_text(error.message,
             "t.mlir:1:11: argument 0 of @main is tensor<?x3xf32>; dimension 1 is given as 4");
  shapes[0].count = 1;
  memset(&error, 0, sizeof error);
  check(!webnn_stablehlo_function_for(open, NULL, shapes, 2, &error), "another rank");
  check_text(error.message,
             "t.mlir:1:11: argument 0 of @main is tensor<?x3xf32>; 1 dimensions are given");
  webnn_stablehlo_free(open);
  webnn_free_context(context);
}

/* Operations whose paddings, bounds and slice sizes are operands, computed from the open size n of x:
   n rows of zeros before x, those that x is of these, its second column, and the sums of its rows after
   n zeros. */
static const char operands_text[] =
    "func.func @main(%x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xf32>, "
    "tensor<1x?x1xf32>) {\n"
    "  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>\n"
    "  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
    "  %0 = stablehlo.constant dense<0> : tensor<1xi32>\n"
    "  %1 = stablehlo.constant dense<1> : tensor<1xi32>\n"
    "  %3 = stablehlo.constant dense<3> : tensor<1xi32>\n"
    "  %none = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %zeros = stablehlo.constant dense<0> : tensor<2xi32>\n"
    "  %ones = stablehlo.constant dense<1> : tensor<2xi32>\n"
    "  %low = stablehlo.concatenate %n1, %0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
    "tensor<2xi32>\n"
    "  %a = stablehlo.dynamic_pad %x, %none, %low, %zeros, %zeros : (tensor<?x3xf32>, tensor<f32>, "
    "tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x3xf32>\n"
    "  %both = stablehlo.add %n1, %n1 : tensor<1xi32>\n"
    "  %limit = stablehlo.concatenate %both, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
    "tensor<2xi32>\n"
    "  %b = stablehlo.real_dynamic_slice %a, %low, %limit, %ones : (tensor<?x3xf32>, "
    "tensor<2xi32>, "
    "tensor<2xi32>, tensor<2xi32>) -> tensor<?x3xf32>\n"
    "  %start = stablehlo.constant dense<[0, 1]> : tensor<2xi32>\n"
    "  %sizes = stablehlo.concatenate %n1, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
    "tensor<2xi32>\n"
    "  %c = \"stablehlo.dynamic_gather\"(%x, %start, %sizes) <{dimension_numbers = "
    "#stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [0, 1]>}> "
    ": "
    "(tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>\n"
    "  %three = stablehlo.concatenate %1, %n1, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, "
    "tensor<1xi32>) -> tensor<3xi32>\n"
    "  %image = stablehlo.dynamic_reshape %x, %three : (tensor<?x3xf32>, tensor<3xi32>) -> "
    "tensor<1x?x3xf32>\n"
    "  %k = stablehlo.constant dense<1.0> : tensor<1x3x1xf32>\n"
    "  %padding = stablehlo.reshape %low : (tensor<2xi32>) -> tensor<1x2xi32>\n"
    "  %d = stablehlo.dynamic_conv(%image, %k, %padding) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, "
    "f], "
    "window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
    "(tensor<1x?x3xf32>, tensor<1x3x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>\n"
    "  return %a, %b, %c, %d : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<1x?x1xf32>\n"
    "}\n";

static void check_operands(void) {
  static const uint32_t sizes[] = {1, 4, 2, MOST_ROWS};
  webnn_stablehlo *m = read_text(operands_text);
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  size_t i, k;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  webnn_create_context(&options, &context, NULL);
  for (k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const uint32_t n = sizes[k], items[2] = {n, 3};
    const webnn_list shape = webnn_list_of(items, 2);
    float x[MOST_ROWS * 3], a[MOST_ROWS * 6], b[MOST_ROWS * 3], c[MOST_ROWS], d[MOST_ROWS * 2];
    webnn_xla_array in[1], out[4];
    webnn_xla_program *program = NULL;
    webnn_error error = WEBNN_ZERO;
    const webnn_xla_computation *computation =
        webnn_stablehlo_function_for(m, NULL, &shape, 1, &error);
    bool good = computation &&
                webnn_xla_compile(context, computation, NULL, &program, &error) == WEBNN_OK &&
                webnn_xla_program_inputs(program, in, 1) == 1 &&
                webnn_xla_program_outputs(program, out, 4) == 4;
    for (i = 0; i < n * 3; i++)
      x[i] = (float)(i * 7 % 11) - 3;
    in[0].data = x, in[0].byte_length = n * 12;
    out[0].data = a, out[0].byte_length = n * 24;
    out[1].data = b, out[1].byte_length = n * 12;
    out[2].data = c, out[2].byte_length = n * 4;
    out[3].data = d, out[3].byte_length = n * 8;
    good = good && webnn_xla_run(program, in, 1, out, 4, &error) == WEBNN_OK;
    check(good, error.message);
    for (i = 0; i < n && good; i++) {
      good = a[3 * i] == 0 && a[3 * i + 2] == 0 && c[i] == x[3 * i + 1] && d[i] == 0 &&
             d[n + i] == x[3 * i] + x[3 * i + 1] + x[3 * i + 2];
    }
    check(good && memcmp(a + 3 * n, x, n * 12) == 0 && memcmp(b, x, n * 12) == 0,
          "paddings, bounds and sizes that are operands");
    webnn_xla_free_program(program);
  }
  webnn_stablehlo_free(m);
  webnn_free_context(context);
}

/* Bounds are the most that an open size may be. */
static void check_bounds(void) {
  webnn_stablehlo *m = read_text(
      "func.func @main(%x: tensor<?x?xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x?xf32> {\n"
      "  %n = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %y = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<?x?xf32>, tensor<i32>) -> "
      "tensor<?x?xf32>\n"
      "  return %y : tensor<?x?xf32>\n"
      "}\n");
  const uint32_t sizes[2] = {4, 1000};
  webnn_list shape = webnn_list_of(sizes, 2);
  webnn_error error = WEBNN_ZERO;
  const webnn_xla_computation *c = webnn_stablehlo_function_for(m, NULL, &shape, 1, &error);
  check(c != NULL, error.message);
  check(c && webnn_xla_result_shape(c)->dimensions.items[0] == 4 &&
            webnn_xla_result_shape(c)->dimensions.items[1] == 1,
        "the size that is set");
  shape.items[0] = 5;
  check(!webnn_stablehlo_function_for(m, NULL, &shape, 1, &error), "beyond a bound");
  check_text(error.message,
             "t.mlir:1:11: argument 0 of @main is tensor<?x?xf32>; dimension 0 is at "
             "most 4, and given as 5");
  webnn_stablehlo_free(m);
  memset(&error, 0, sizeof error);
  check(!webnn_stablehlo_read("func.func @main(%x: tensor<?xf32, #stablehlo.bounds<4, 5>>) {\n"
                              "return\n}",
                              70, "t.mlir", &error),
        "too many bounds");
  check_text(error.message, "t.mlir:1:35: a type of 1 dimensions has 2 bounds");
}

int main(void) {
  check_functions();
  check_problems();
  check_counts();
  check_assertions();
  check_open_sizes();
  check_operands();
  check_bounds();
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed ? 1 : 0;
}
