/* Every allocation fails in turn. A hook counts allocations and lets the n-th fail, alone or with
   all that follow, while a program makes a context, a builder, the graph of every operator,
   tensors, and runs it. Each time a call must say so, its out-parameter must be NULL, everything
   must be released exactly once, and once there is memory again the program must be able to go on
   from the call that failed and come to the same bits. */
#include "every_operator.h"
#include "failing_allocator.h"

/* ---- One run, call by call --------------------------------------------------------------------
 */

/* What happens after the first failure. */
typedef enum mode {
  ONCE,       /* only one allocation fails; the call is repeated at once */
  UNTIL_SEEN, /* all fail until a call has said so; then the call is repeated */
  FOR_GOOD    /* memory is out: only what needs none goes on, and freeing */
} mode;

static const char *const mode_names[] = {"once", "until seen", "for good"};

typedef struct run {
  hook memory;
  mode mode;
  uint32_t threads;
  webnn_numerics numerics;
  char name[48];
  bool stopped; /* failed for good */
  size_t reported;
  uint64_t tapped; /* bytes */
  webnn_context *context;
  webnn_builder *builder;
  webnn_graph *graph;
  webnn_tensor *constant;
  every_operator described;
  every_tensors tensors;
  every_text text;
  unsigned char results[EVERY_RESULT_BYTES];
  size_t result_bytes;
} run;

static bool is_memory_status(webnn_status status) {
  return status == WEBNN_UNKNOWN_ERROR || status == WEBNN_OPERATION_ERROR;
}

/* Looks at what a call returned. True: it is to be repeated. */
static bool again(run *r, const char *call, webnn_status status, const char *message,
                  const void *handle, bool has_handle) {
  if (status == WEBNN_OK) {
    CHECK(r->name, !has_handle || handle != NULL, "%s: success without a result", call);
    return false;
  }
  r->reported++;
  CHECK(r->name, is_memory_status(status), "%s: expected UnknownError, got %s: %s", call,
        webnn_status_name(status), message);
  CHECK(r->name, message[0] != 0, "%s: %s without a message", call, webnn_status_name(status));
  CHECK(r->name, handle == NULL, "%s: a result in spite of %s", call, webnn_status_name(status));
  CHECK(r->name, r->memory.failures > 0, "%s: an error although no allocation failed: %s", call,
        message);
  if (r->mode == FOR_GOOD) {
    r->stopped = true;
    return false;
  }
  r->memory.fail_at = 0;
  return r->reported < 100;
}

/* Runs a call that gives a handle, or none, until it succeeds or the run is stopped. */
#define STEP(r, call, handle, expression)                                                          \
  do {                                                                                             \
    webnn_error step_error = WEBNN_ZERO;                                                           \
    webnn_status step_status;                                                                      \
    if ((r)->stopped) {                                                                            \
      break;                                                                                       \
    }                                                                                              \
    do {                                                                                           \
      webnn_error *error = &step_error;                                                            \
      step_status = (expression);                                                                  \
    } while (again((r), (call), step_status, step_error.message, (handle), true));                 \
  } while (0)
#define STEP_WITHOUT_HANDLE(r, call, expression)                                                   \
  do {                                                                                             \
    webnn_error step_error = WEBNN_ZERO;                                                           \
    webnn_status step_status;                                                                      \
    if ((r)->stopped) {                                                                            \
      break;                                                                                       \
    }                                                                                              \
    do {                                                                                           \
      webnn_error *error = &step_error;                                                            \
      step_status = (expression);                                                                  \
    } while (again((r), (call), step_status, step_error.message, NULL, false));                    \
  } while (0)

static void *const poison = &test_failed; /* an out-parameter must not keep what it held */

static webnn_status create_context(run *r, webnn_error *error) {
  webnn_context_options options = WEBNN_ZERO;
  options.threads = r->threads;
  options.numerics = r->numerics;
  options.allocator.allocate = hook_allocate;
  options.allocator.release = hook_release;
  options.allocator.user = &r->memory;
  r->context = (webnn_context *)poison;
  return webnn_create_context(&options, &r->context, error);
}

static webnn_status create_builder(run *r, webnn_error *error) {
  r->builder = (webnn_builder *)poison;
  return webnn_create_builder(r->context, &r->builder, error);
}

static webnn_status create_constant(run *r, webnn_error *error) {
  r->constant = (webnn_tensor *)poison;
  return every_constant_tensor(r->context, &r->constant, error);
}

static webnn_status build(run *r, webnn_error *error) {
  r->graph = (webnn_graph *)poison;
  return every_build(&r->described, &r->graph, error);
}

static webnn_status create_tensor(run *r, const webnn_graph_port *port, webnn_named_tensor *bound,
                                  webnn_error *error) {
  const webnn_tensor_descriptor descriptor = every_tensor_of(port);
  bound->name = port->name;
  bound->tensor = (webnn_tensor *)poison;
  return webnn_create_tensor(r->context, descriptor, &bound->tensor, error);
}

/* The builder records the failure; it forgets it and describes the graph again under other names,
   in the same builder. */
static void describe(run *r) {
  static const char *const others[EVERY_INPUT_COUNT] = {"a", "b", "c", "d", "e", "f", "g",
                                                        "h", "i", "j", "k", "l", "m"};
  webnn_status status;
  if (r->stopped) {
    return;
  }
  every_describe(&r->described, r->builder, r->constant, every_names);
  status = webnn_builder_status(r->builder);
  if (again(r, "describing", status, webnn_builder_message(r->builder), NULL, false)) {
    webnn_graph *graph = (webnn_graph *)poison;
    webnn_error error = WEBNN_ZERO;
    CHECK(r->name,
          every_build(&r->described, &graph, &error) == status && graph == NULL &&
              strcmp(error.message, webnn_builder_message(r->builder)) == 0,
          "build must hand on the recorded error, got %s: %s", webnn_status_name(error.status),
          error.message);
    webnn_builder_clear_error(r->builder);
    every_describe(&r->described, r->builder, r->constant, others);
    CHECK(r->name, webnn_builder_status(r->builder) == WEBNN_OK,
          "the builder must go on after the failure: %s", webnn_builder_message(r->builder));
  }
}

static void tap(void *user, const webnn_tapped_value *value) {
  ((run *)user)->tapped += value->byte_length;
}

static void make_tensors(run *r) {
  every_tensors *t = &r->tensors;
  size_t i;
  if (r->stopped) {
    return;
  }
  t->input_count = webnn_graph_inputs(r->graph, t->ports, EVERY_PORTS);
  for (i = 0; i < t->input_count; i++) {
    uint64_t data[EVERY_INPUT_BYTES / 8];
    const size_t bytes = every_input_data((int)i, data);
    STEP(r, "createTensor", t->inputs[i].tensor,
         create_tensor(r, &t->ports[i], &t->inputs[i], error));
    STEP_WITHOUT_HANDLE(r, "writeTensor",
                        webnn_write_tensor(r->context, t->inputs[i].tensor, data, bytes, error));
  }
  t->output_count = webnn_graph_outputs(r->graph, t->ports, EVERY_PORTS);
  for (i = 0; i < t->output_count; i++) {
    STEP(r, "createTensor", t->outputs[i].tensor,
         create_tensor(r, &t->ports[i], &t->outputs[i], error));
  }
}

static void read_results(run *r) {
  every_tensors *t = &r->tensors;
  size_t i;
  r->result_bytes = 0;
  for (i = 0; !r->stopped && i < t->output_count; i++) {
    const size_t bytes = (size_t)webnn_byte_length(t->ports[i].descriptor);
    STEP_WITHOUT_HANDLE(r, "readTensor",
                        webnn_read_tensor(r->context, t->outputs[i].tensor,
                                          r->results + r->result_bytes, bytes, error));
    r->result_bytes += bytes;
  }
}

/* Frees whatever there is; this needs no memory. */
static void free_all(run *r) {
  size_t i;
  for (i = 0; i < EVERY_PORTS; i++) {
    webnn_free_tensor(r->tensors.inputs[i].tensor);
    webnn_free_tensor(r->tensors.outputs[i].tensor);
  }
  webnn_free_builder(r->builder);
  webnn_free_tensor(r->constant);
  webnn_free_graph(r->graph);
  webnn_free_context(r->context);
  free(r->text.data);
}

/* The whole program. Returns how many allocations it took. */
static size_t run_all(run *r, size_t fail_at, mode how, uint32_t threads) {
  memset(r, 0, sizeof *r);
  snprintf(r->name, sizeof r->name, "%s at %u, threads %u", mode_names[how], (unsigned)fail_at,
           (unsigned)threads);
  r->mode = how;
  r->threads = threads;
  r->memory.fail_at = fail_at;
  r->memory.persistent = how != ONCE;
  STEP(r, "createContext", r->context, create_context(r, error));
  STEP(r, "MLGraphBuilder", r->builder, create_builder(r, error));
  STEP(r, "createConstantTensor", r->constant, create_constant(r, error));
  describe(r);
  STEP(r, "build", r->graph, build(r, error));
  make_tensors(r);
  if (!r->stopped) {
    STEP_WITHOUT_HANDLE(r, "tap", webnn_tap_graph(r->graph, tap, r, error));
  }
  if (!r->stopped) {
    STEP_WITHOUT_HANDLE(r, "profile", webnn_profile_graph(r->graph, true, error));
  }
  if (!r->stopped) {
    STEP_WITHOUT_HANDLE(r, "dispatch",
                        webnn_dispatch(r->context, r->graph, r->tensors.inputs,
                                       r->tensors.input_count, r->tensors.outputs,
                                       r->tensors.output_count, error));
  }
  if (!r->stopped) {
    webnn_print_graph(r->graph, every_write, &r->text);
    webnn_print_graph_dot(r->graph, every_write, &r->text);
  }
  read_results(r);
  free_all(r);
  CHECK(r->name, r->memory.live_count == 0, "%u allocations were not released",
        (unsigned)r->memory.live_count);
  CHECK(r->name, r->memory.bad_release == 0, "%u releases of what was not held",
        (unsigned)r->memory.bad_release);
  return r->memory.calls;
}

/* ---- All of them ------------------------------------------------------------------------------
 */

static run expected, actual; /* large */

static void check_run(size_t fail_at, mode how, uint32_t threads) {
  run_all(&actual, fail_at, how, threads);
  CHECK(actual.name, actual.memory.failures > 0, "no allocation failed");
  CHECK(actual.name, actual.reported > 0, "an allocation failed and nobody said so");
  if (how != FOR_GOOD) {
    CHECK(actual.name, actual.reported == 1, "expected one error, got %u",
          (unsigned)actual.reported);
    CHECK(actual.name,
          actual.result_bytes == expected.result_bytes &&
              memcmp(actual.results, expected.results, expected.result_bytes) == 0,
          "the results differ from those of a run without failures");
    CHECK(actual.name, actual.tapped == expected.tapped, "%u bytes were tapped, expected %u",
          (unsigned)actual.tapped, (unsigned)expected.tapped);
  }
}

static void check_threads(uint32_t threads) {
  const size_t count = run_all(&expected, 0, ONCE, threads);
  size_t i;
  int how;
  CHECK("no failure", !expected.stopped && expected.reported == 0 && expected.result_bytes > 0,
        "the program failed without a failing allocation");
  CHECK("no failure", count > 20, "only %u allocations: the hook is not used", (unsigned)count);
  for (how = ONCE; how <= FOR_GOOD; how++) {
    for (i = 1; i <= count; i++) {
      check_run(i, (mode)how, threads);
    }
  }
}

/* ---- Errors about other things, without memory for their message ------------------------------
 */

static void check_message_without_memory(void) {
  run *r = &actual;
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = NULL;
  webnn_operand *x;
  memset(r, 0, sizeof *r);
  r->threads = 1;
  CHECK("message", create_context(r, &error) == WEBNN_OK, "%s", error.message);
  CHECK("message", create_builder(r, &error) == WEBNN_OK, "%s", error.message);
  x = webnn_input(r->builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  r->memory.fail_at = r->memory.calls + 1;
  r->memory.persistent = true;
  CHECK("message", webnn_softmax(r->builder, x, 9, NULL) == NULL, "axis 9 of rank 1");
  CHECK("message", webnn_builder_status(r->builder) == WEBNN_TYPE_ERROR,
        "the status is known without memory, got %s",
        webnn_status_name(webnn_builder_status(r->builder)));
  CHECK("message", webnn_builder_message(r->builder)[0] != 0, "the message is empty");
  CHECK("message",
        webnn_build(r->builder, WEBNN_NAMED_OPERANDS({"y", x}), &graph, &error) ==
                WEBNN_TYPE_ERROR &&
            error.message[0] != 0,
        "build must hand on the recorded error, got %s", webnn_status_name(error.status));
  r->memory.fail_at = 0;
  webnn_builder_clear_error(r->builder);
  x = webnn_softmax(r->builder, x, 0, NULL);
  CHECK("message",
        webnn_build(r->builder, WEBNN_NAMED_OPERANDS({"y", x}), &graph, &error) == WEBNN_OK, "%s",
        error.message);
  r->graph = graph;
  free_all(r);
  CHECK("message", r->memory.live_count == 0, "%u allocations were not released",
        (unsigned)r->memory.live_count);
}

/* A graph of every operator with its tensors; no allocation fails. */
static void make_ready(run *r, uint32_t threads, webnn_numerics numerics) {
  memset(r, 0, sizeof *r);
  r->threads = threads;
  r->numerics = numerics;
  STEP(r, "createContext", r->context, create_context(r, error));
  STEP(r, "MLGraphBuilder", r->builder, create_builder(r, error));
  STEP(r, "createConstantTensor", r->constant, create_constant(r, error));
  describe(r);
  STEP(r, "build", r->graph, build(r, error));
  make_tensors(r);
}

/* Once a graph and its tensors are there, writing, dispatching and reading allocate nothing, the
   first time included. */
static void check_steps_take_nothing(uint32_t threads, webnn_numerics numerics) {
  run *r = &actual;
  float data[9] = {0};
  webnn_error seen = WEBNN_ZERO;
  webnn_tensor *x = NULL, *y = NULL;
  webnn_operand *in;
  size_t before;
  int step;
  memset(r, 0, sizeof *r);
  r->threads = threads;
  r->numerics = numerics;
  STEP(r, "createContext", r->context, create_context(r, error));
  STEP(r, "MLGraphBuilder", r->builder, create_builder(r, error));
  in = webnn_input(r->builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 3, 3));
  in = webnn_softmax(r->builder, webnn_matmul(r->builder, in, in, NULL), 1, NULL);
  (void)webnn_build(r->builder, WEBNN_NAMED_OPERANDS({"y", in}), &r->graph, &seen);
  (void)webnn_create_graph_tensor(r->graph, "x", &x, &seen);
  (void)webnn_create_graph_tensor(r->graph, "y", &y, &seen);
  before = r->memory.calls;
  for (step = 0; step < 5; step++) {
    (void)webnn_write_tensor(r->context, x, data, sizeof data, &seen);
    (void)webnn_dispatch(r->context, r->graph, WEBNN_NAMED_TENSORS({"x", x}),
                         WEBNN_NAMED_TENSORS({"y", y}), &seen);
    (void)webnn_read_tensor(r->context, y, data, sizeof data, &seen);
    CHECK("steps", seen.status == WEBNN_OK && r->memory.calls == before,
          "step %d with %u threads, numerics %d: %u allocations; %s", step, (unsigned)threads,
          (int)numerics, (unsigned)(r->memory.calls - before), seen.message);
  }
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  free_all(r);
}

enum { MANY_INPUTS = 65 }; /* with four sizes each, more than 256 */

/* The sum of as many inputs, whose tensors go into the list. */
static void build_sum(run *r, bool is_open, webnn_named_tensor *tensors, char (*names)[8]) {
  const uint32_t n = is_open ? webnn_dynamic_dimension(r->builder, "n") : 2;
  const webnn_tensor_descriptor d = {WEBNN_FLOAT32, WEBNN_LIST(2, 1, 1, 1), true, true};
  webnn_operand *y = NULL;
  webnn_error error = WEBNN_ZERO;
  uint32_t i;
  for (i = 0; i < MANY_INPUTS; i++) {
    webnn_operand *x;
    (void)snprintf(names[i], sizeof *names, "x%u", (unsigned)i);
    tensors[i].name = names[i];
    (void)webnn_create_tensor(r->context, d, &tensors[i].tensor, &error);
    x = webnn_input(r->builder, names[i], WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 1, 1, 1));
    y = i == 0 ? x : webnn_add(r->builder, y, x, NULL);
  }
  (void)webnn_build(r->builder, WEBNN_NAMED_OPERANDS({"y", y}), &r->graph, &error);
  CHECK("steps", error.status == WEBNN_OK, "%s", error.message);
}

/* With more than 64 inputs and outputs a dispatch takes one block, with more than 256 sizes that are
   open one more, and gives them back; without that memory it is an error. */
static void check_large_dispatch(bool is_open) {
  static char names[MANY_INPUTS][8];
  const webnn_tensor_descriptor d = {WEBNN_FLOAT32, WEBNN_LIST(2, 1, 1, 1), true, true};
  webnn_named_tensor tensors[MANY_INPUTS], y = {"y", NULL};
  const size_t blocks = is_open ? 2 : 1;
  run *r = &actual;
  size_t calls, live, n;
  webnn_error seen = WEBNN_ZERO;
  memset(r, 0, sizeof *r);
  r->threads = 1;
  STEP(r, "createContext", r->context, create_context(r, error));
  STEP(r, "MLGraphBuilder", r->builder, create_builder(r, error));
  build_sum(r, is_open, tensors, names);
  (void)webnn_create_tensor(r->context, d, &y.tensor, &seen);
  for (n = 0; n < 2; n++) { /* sizes are new, then known */
    (void)webnn_dispatch(r->context, r->graph, tensors, MANY_INPUTS, &y, 1, &seen);
  }
  for (n = blocks + 1; n > 0; n--) {
    webnn_status status;
    calls = r->memory.calls;
    live = r->memory.live_count;
    r->memory.fail_at = calls + n;
    status = webnn_dispatch(r->context, r->graph, tensors, MANY_INPUTS, &y, 1, &seen);
    r->memory.fail_at = 0;
    CHECK("steps",
          status == (n > blocks ? WEBNN_OK : WEBNN_UNKNOWN_ERROR) &&
              r->memory.calls == calls + (n > blocks ? blocks : n) && r->memory.live_count == live,
          "open %d: %u allocations, %s", is_open, (unsigned)(r->memory.calls - calls),
          seen.message);
  }
  for (n = 0; n < MANY_INPUTS; n++) {
    webnn_free_tensor(tensors[n].tensor);
  }
  webnn_free_tensor(y.tensor);
  free_all(r);
}

/* What destroy() gives back is given back at once, not with the handle. */
static void check_destroy_releases(void) {
  run *r = &actual;
  size_t before;
  make_ready(r, 1, WEBNN_NUMERICS_FAST);
  before = r->memory.live_count;
  webnn_destroy_tensor(r->tensors.outputs[0].tensor);
  CHECK("destroy", r->memory.live_count < before, "a destroyed tensor keeps its memory");
  before = r->memory.live_count;
  webnn_destroy_tensor(r->tensors.outputs[0].tensor);
  CHECK("destroy", r->memory.live_count == before, "destroyed twice, released twice");
  webnn_destroy_graph(r->graph);
  CHECK("destroy", r->memory.live_count < before, "a destroyed graph keeps its memory");
  before = r->memory.live_count;
  webnn_destroy_context(r->context);
  CHECK("destroy", r->memory.live_count + r->tensors.input_count < before,
        "the tensors of a destroyed context keep their memory");
  free_all(r);
  CHECK("destroy", r->memory.live_count == 0 && r->memory.bad_release == 0,
        "%u allocations were not released, %u wrongly", (unsigned)r->memory.live_count,
        (unsigned)r->memory.bad_release);
}

int main(void) {
  uint32_t threads;
  check_threads(1);
  check_threads(2);
  check_message_without_memory();
  check_destroy_releases();
  for (threads = 1; threads <= 2; threads++) {
    check_steps_take_nothing(threads, WEBNN_NUMERICS_FAST);
    check_steps_take_nothing(threads, WEBNN_NUMERICS_REFERENCE);
  }
  check_large_dispatch(false);
  check_large_dispatch(true);
  return test_end();
}
