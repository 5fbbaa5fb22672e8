/* Models in StableHLO's text: a function of a module, compiled to graphs and steps of the host. */
#include "stablehlo.h"
#include "model.h"

#include <string.h>

enum { MOST_FUNCTIONS = 16 };

typedef struct stablehlo_model {
  webnn_stablehlo *module;
  webnn_stablehlo_checks checks;
  stablehlo_names names;
} stablehlo_model;

static bool is_stablehlo(const char *path, const char *text, size_t length) {
  return !memchr(text, 0, length) && stablehlo_is(path, text);
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* The exit status of what a library refuses. Its message has a place if it knows one. */
static int refused(const model *m, const webnn_error *error) {
  const bool placed = strncmp(error->message, m->path, strlen(m->path)) == 0;
  if (error->status == WEBNN_OK)
    return EXIT_BAD_INPUT; /* which is complained of */
  complain(NULL, "%s%s%s", placed ? "" : m->path, placed ? "" : ": ", error->message);
  return error->status == WEBNN_NOT_SUPPORTED_ERROR ? EXIT_NOT_EXPRESSIBLE : EXIT_BAD_INPUT;
}

static int read_module(model *m) {
  stablehlo_model *own = (stablehlo_model *)take(m->memory, sizeof(stablehlo_model));
  webnn_error error = WEBNN_ZERO;
  m->own = own;
  own->module = webnn_stablehlo_read(m->text, m->length, m->path, &error);
  return own->module ? EXIT_RIGHT : refused(m, &error);
}

static webnn_xla_array *take_ports(model *m, bool outputs, size_t *count) {
  size_t (*ports)(const webnn_xla_program *program, webnn_xla_array *arrays, size_t capacity) =
      outputs ? webnn_xla_program_outputs : webnn_xla_program_inputs;
  webnn_xla_array *arrays;
  *count = ports(m->program, NULL, 0);
  arrays = (webnn_xla_array *)take(m->memory, (*count + 1) * sizeof(webnn_xla_array));
  ports(m->program, arrays, *count);
  for (size_t i = 0; i < *count; i++)
    arrays[i].byte_length = webnn_xla_byte_length(&arrays[i].shape);
  return arrays;
}

static void report_check(void *user, const char *message) {
  (void)user;
  complain(NULL, "%s", message);
}

static onnx_found shape_given(void *user, const webnn_onnx_port *port, size_t element_bytes,
                              webnn_list *shape) {
  const model *m = (const model *)user;
  const char *text = input_given(m, port->name);
  return text ? onnx_read_shape(m->memory, text, port, element_bytes, shape) : ONNX_NONE;
}

static int compile(model *m) {
  stablehlo_model *own = (stablehlo_model *)m->own;
  webnn_xla_named_function functions[MOST_FUNCTIONS];
  webnn_xla_program_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  const webnn_xla_computation *computation =
      stablehlo_computation(&m->request->session, m->memory, m->path, own->module,
                            m->request->function, shape_given, m, &error);
  options.functions = functions;
  options.function_count = webnn_stablehlo_check_functions(&own->checks, functions, MOST_FUNCTIONS);
  options.seed = m->request->seed;
  if (!computation ||
      webnn_xla_compile(m->context, computation, &options, &m->program, &error) != WEBNN_OK)
    return refused(m, &error);
  m->inputs = take_ports(m, false, &m->input_count);
  m->outputs = take_ports(m, true, &m->output_count);
  stablehlo_take_names(m->memory, own->module, m->request->function, m->program, &own->names);
  m->input_names = own->names.inputs;
  m->output_names = own->names.outputs;
  return EXIT_RIGHT;
}

static int open_stablehlo(model *m) {
  int status = read_module(m);
  if (status == EXIT_RIGHT) {
    ((stablehlo_model *)m->own)->checks.report = report_check;
    status = compile(m);
  }
  return status;
}

static void close_stablehlo(model *m) {
  if (m->own)
    webnn_stablehlo_free(((stablehlo_model *)m->own)->module);
}

static const webnn_graph *only_graph(const model *m, port_names *ports) {
  const stablehlo_model *own = (const stablehlo_model *)m->own;
  return stablehlo_graph(m->memory, m->path, m->program, &own->names, ports);
}

static bool checks_hold(const model *m) {
  return ((const stablehlo_model *)m->own)->checks.failed == 0;
}

/* ---- What is covered ------------------------------------------------------------------------- */

typedef struct problems {
  problem_callback call;
  void *user;
  int status;
} problems;

static void take_problem(void *user, const webnn_stablehlo_problem *problem) {
  problems *p = (problems *)user;
  char text[1024];
  snprintf(text, sizeof text, "%s: %s", problem->operation, problem->reason);
  p->call(p->user, problem->place, text);
  p->status = graver(p->status, problem->status == WEBNN_NOT_SUPPORTED_ERROR ? EXIT_NOT_EXPRESSIBLE
                                                                             : EXIT_BAD_INPUT);
}

/* What the reader covers may still be refused when it is compiled. */
static int stablehlo_problems(model *m, problem_callback call, void *user) {
  problems p = {call, user, EXIT_RIGHT};
  const int status = read_module(m);
  const stablehlo_model *own = (const stablehlo_model *)m->own;
  webnn_error error = WEBNN_ZERO;
  bool quiet;
  if (status != EXIT_RIGHT)
    return status;
  quiet = complain_quietly(true);
  stablehlo_computation(&m->request->session, m->memory, m->path, own->module, m->request->function,
                        shape_given, m, &error); /* so that sizes are known; compile says which */
  complain_quietly(quiet);
  webnn_stablehlo_problems(((stablehlo_model *)m->own)->module, take_problem, &p);
  return p.status != EXIT_RIGHT ? p.status : compile(m);
}

static void stablehlo_operations(const model *m, operation_callback call, void *user) {
  const webnn_stablehlo *module = ((const stablehlo_model *)m->own)->module;
  const size_t count = webnn_stablehlo_operations(module, NULL, 0);
  webnn_stablehlo_operation_count *counts = (webnn_stablehlo_operation_count *)take(
      m->memory, (count + 1) * sizeof(webnn_stablehlo_operation_count));
  webnn_stablehlo_operations(module, counts, count);
  for (size_t i = 0; i < count; i++)
    call(user, counts[i].name, counts[i].count);
}

/* ---- Checks in the module -------------------------------------------------------------------- */

/* A line for what fails. */
static int stablehlo_test(model *m) {
  const stablehlo_model *own;
  webnn_xla_array *outputs;
  int status = read_module(m);
  if (status == EXIT_RIGHT)
    status = compile(m);
  if (status != EXIT_RIGHT)
    return status;
  own = (const stablehlo_model *)m->own;
  if (m->input_count > 0)
    return complain(NULL, "%s: it has inputs without data", m->path), EXIT_BAD_INPUT;
  outputs = new_arrays(m->memory, m->outputs, m->output_count);
  if (!model_run(m, NULL, outputs))
    return EXIT_DIFFERS;
  if (own->checks.failed > 0)
    return complain(NULL, "%s", own->checks.message), EXIT_DIFFERS;
  return own->checks.passed > 0
             ? EXIT_RIGHT
             : (complain(NULL, "%s: nothing was checked", m->path), EXIT_DIFFERS);
}

const reader stablehlo_reader = {"StableHLO",
                                 is_stablehlo,
                                 open_stablehlo,
                                 close_stablehlo,
                                 stablehlo_problems,
                                 stablehlo_operations,
                                 stablehlo_test,
                                 checks_hold,
                                 only_graph,
                                 NULL,
                                 false,
                                 NULL};
