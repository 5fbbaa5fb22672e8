/* Every function that the interface gives to "any thread" runs here at the same time as every
   other, and as itself, on the same context, graph and tensors, destroy() among them: two threads
   for each pair. What a function returns must be whole: one of the statuses that it may have, the
   complete text, names that can still be read. Then, certain to happen and not by chance, what a
   function looks at is destroyed while it is at work. Meant to run under the address and thread
   sanitizers, too. */
#include "test.h"

#if defined(WEBNN_NO_THREADS) || defined(_WIN32)

int main(void) {
  test_skip("any thread", "the library is compiled without threads, or there is no pthread.h");
  return test_end();
}

#else

#include <pthread.h>

/* ---- What the functions are called with --------------------------------------------------------
 */

enum { ROWS = 4, ELEMENTS = ROWS * ROWS, TENSOR_BYTES = ELEMENTS * sizeof(float) };

typedef struct world {
  webnn_context *context;
  webnn_graph *graph;
  webnn_tensor *x, *y, *constant;
} world;

static webnn_graph *graph_of(webnn_context *context, webnn_tensor *constant, webnn_error *error) {
  static const webnn_operator_options last = {"the last"};
  webnn_graph *graph = NULL;
  webnn_builder *builder = NULL;
  webnn_operand *y;
  if (webnn_create_builder(context, &builder, error) != WEBNN_OK) {
    return NULL;
  }
  y = webnn_matmul(builder, webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ROWS, ROWS)),
                   webnn_constant_from_tensor(builder, constant), NULL);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_softmax(builder, y, 1, &last)}),
                    &graph, error);
  webnn_free_builder(builder);
  return graph;
}

/* Memory of a context: the malloc function does something at one of its calls, counted down to. */
typedef struct watched_memory {
  size_t act_at;
  void (*act)(const world *w);
  const world *world;
} watched_memory;

static void *acting_allocate(void *user, size_t size) {
  watched_memory *m = (watched_memory *)user;
  if (m->act_at > 0 && --m->act_at == 0) {
    m->act(m->world);
  }
  return malloc(size);
}

static void acting_release(void *user, void *data) {
  (void)user;
  free(data);
}

static world new_world_in(uint32_t threads, bool profiled, watched_memory *memory) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(ROWS, ROWS), true, true};
  static const float data[ELEMENTS] = {1};
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  world w;
  options.threads = threads;
  if (memory != NULL) {
    options.allocator.allocate = acting_allocate;
    options.allocator.release = acting_release;
    options.allocator.user = memory;
  }
  w.context = test_context(&options);
  (void)webnn_create_tensor(w.context, descriptor, &w.x, &error);
  (void)webnn_create_tensor(w.context, descriptor, &w.y, &error);
  (void)webnn_create_constant_tensor(w.context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ROWS, ROWS), data,
                                     sizeof data, &w.constant, &error);
  w.graph = graph_of(w.context, w.constant, &error);
  if (w.graph == NULL || (profiled && webnn_profile_graph(w.graph, true, &error) != WEBNN_OK)) {
    printf("no graph: %s\n", error.message);
    exit(1);
  }
  return w;
}

static world new_world(uint32_t threads) {
  return new_world_in(threads, true, NULL);
}

static void free_world(world *w) {
  webnn_free_graph(w->graph);
  webnn_free_tensor(w->x);
  webnn_free_tensor(w->y);
  webnn_free_tensor(w->constant);
  webnn_free_context(w->context);
}

static webnn_status dispatch(const world *w, webnn_error *error) {
  return webnn_dispatch(w->context, w->graph, WEBNN_NAMED_TENSORS({"x", w->x}),
                        WEBNN_NAMED_TENSORS({"y", w->y}), error);
}

/* Text gathered from a webnn_writer, with something done in the middle of it. */
typedef struct text {
  char data[2048];
  size_t length, writes, act_at;
  void (*act)(const world *w);
  const world *world;
} text;

static void take_text(void *user, const char *data, size_t length) {
  text *t = (text *)user;
  if (++t->writes == t->act_at) {
    t->act(t->world);
  }
  if (t->length + length < sizeof t->data) {
    memcpy(t->data + t->length, data, length);
    t->length += length;
  }
}

static bool contains(const text *t, const char *word) {
  return strstr(t->data, word) != NULL;
}

/* ---- The functions: each returns whether what it got can be right ------------------------------

   What is destroyed makes some of them fail, with these two statuses. */

static bool may_be(webnn_status status) {
  return status == WEBNN_OK || status == WEBNN_INVALID_STATE_ERROR || status == WEBNN_TYPE_ERROR;
}

static bool call_lost(const world *w) {
  webnn_error info = WEBNN_ZERO;
  return webnn_context_lost(w->context, &info) == (info.status != WEBNN_OK);
}
static bool call_accelerated(const world *w) {
  return !webnn_context_accelerated(w->context);
}
static bool call_limits(const world *w) {
  webnn_limits limits;
  return webnn_context_limits(w->context, &limits) && limits.input.max_rank == WEBNN_MAX_RANK;
}
static bool call_op_limits(const world *w) {
  webnn_operator_limits limits;
  return webnn_op_limits(w->context, WEBNN_OP_WHERE, &limits) && limits.operand_count == 4;
}
static bool call_wait(const world *w) {
  return may_be(webnn_wait(w->context, NULL));
}
static bool call_destroy_context(const world *w) {
  webnn_destroy_context(w->context);
  return true;
}
static bool call_create_tensor(const world *w) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  webnn_tensor *tensor;
  const webnn_status status = webnn_create_tensor(w->context, descriptor, &tensor, NULL);
  webnn_free_tensor(tensor);
  return may_be(status);
}
static bool call_create_over_memory(const world *w) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(2), true, true};
  float memory[2] = {0};
  webnn_tensor *tensor;
  const webnn_status status =
      webnn_create_tensor_over_memory(w->context, descriptor, memory, sizeof memory, &tensor, NULL);
  webnn_free_tensor(tensor);
  return may_be(status);
}
static bool call_create_constant(const world *w) {
  const float data[2] = {0};
  webnn_tensor *tensor;
  const webnn_status status = webnn_create_constant_tensor(
      w->context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2), data, sizeof data, &tensor, NULL);
  webnn_free_tensor(tensor);
  return may_be(status);
}
static bool call_build(const world *w) {
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = graph_of(w->context, w->constant, &error);
  webnn_free_graph(graph);
  return graph != NULL || may_be(error.status);
}
static bool call_attributes(const world *w) {
  return webnn_tensor_data_type(w->x) == WEBNN_FLOAT32 && webnn_tensor_shape(w->x).count == 2 &&
         webnn_tensor_shape(w->x).items[1] == ROWS && webnn_tensor_readable(w->x) &&
         webnn_tensor_writable(w->x) && webnn_tensor_constant(w->constant);
}
static bool call_read(const world *w) {
  float data[ELEMENTS];
  return may_be(webnn_read_tensor(w->context, w->x, data, sizeof data, NULL));
}
static bool call_write(const world *w) {
  static const float data[ELEMENTS] = {1, 2, 3};
  return may_be(webnn_write_tensor(w->context, w->x, data, sizeof data, NULL));
}
static bool call_destroy_tensor(const world *w) {
  webnn_destroy_tensor(w->x);
  return true;
}
static bool call_destroy_constant(const world *w) {
  webnn_destroy_tensor(w->constant);
  return true;
}
static bool call_dispatch(const world *w) {
  return may_be(dispatch(w, NULL));
}
static bool call_destroy_graph(const world *w) {
  webnn_destroy_graph(w->graph);
  return true;
}
static bool call_ports(const world *w) {
  webnn_graph_port port;
  bool ok = webnn_graph_inputs(w->graph, &port, 1) == 1 && strcmp(port.name, "x") == 0;
  ok = ok && webnn_graph_outputs(w->graph, &port, 1) == 1 && strcmp(port.name, "y") == 0;
  return ok && port.descriptor.shape.items[1] == ROWS;
}
static bool call_memory(const world *w) {
  return webnn_graph_memory(w->graph).constants < 1000;
}
static bool call_undecided(const world *w) {
  return webnn_graph_undecided(w->graph) == 0;
}
static bool call_describe(const world *w) {
  webnn_graph_operator operators[2];
  webnn_graph_option options[2];
  const size_t values = webnn_graph_values(w->graph, NULL, 0);
  const size_t count = webnn_graph_operators(w->graph, operators, 2);
  (void)webnn_graph_options(w->graph, 1, options, 2);
  return (values == 0 || values > 3) &&
         (count == 0 || (count == 2 && strcmp(operators[1].label, "the last") == 0));
}
static bool call_tolerance(const world *w) {
  return webnn_graph_tolerance(w->graph, 0).value > 0;
}
static bool print_graph(const world *w, text *t) {
  webnn_print_graph(w->graph, take_text, t);
  return contains(t, "input \"x\"") && contains(t, "matmul") && contains(t, "label=\"the last\"") &&
         contains(t, "output \"y\"");
}
static bool print_dot(const world *w, text *t) {
  webnn_print_graph_dot(w->graph, take_text, t);
  return contains(t, "digraph") && contains(t, "the last") && contains(t, "}\n");
}
static bool print_profile(const world *w, text *t) {
  webnn_print_profile(w->graph, take_text, t);
  return contains(t, "total ms") &&
         (contains(t, "all 0 steps") || (contains(t, "matmul") && contains(t, "\"the last\"")));
}
static bool print_steps(const world *w, text *t) {
  webnn_print_steps(w->graph, take_text, t);
  return contains(t, "the graph is destroyed\n") ||
         (contains(t, "matmul") && contains(t, "\"the last\"") && contains(t, "scratch"));
}
static bool call_print_steps(const world *w) {
  text t = {"", 0, 0, 0, NULL, NULL};
  return print_steps(w, &t);
}
static bool call_print_graph(const world *w) {
  text t = {"", 0, 0, 0, NULL, NULL};
  return print_graph(w, &t);
}
static bool call_print_dot(const world *w) {
  text t = {"", 0, 0, 0, NULL, NULL};
  return print_dot(w, &t);
}
static bool call_print_profile(const world *w) {
  text t = {"", 0, 0, 0, NULL, NULL};
  return print_profile(w, &t);
}
static bool are_steps(const webnn_profiled_step *steps, size_t count) {
  return count == 0 ||
         (count == 2 && strcmp(steps[0].op_name, "matmul") == 0 &&
          strcmp(steps[1].label, "the last") == 0 && steps[1].result.shape.items[1] == ROWS);
}
static bool call_graph_profile(const world *w) {
  webnn_profiled_step steps[2];
  return are_steps(steps, webnn_graph_profile(w->graph, steps, 2));
}
static bool call_profile(const world *w) {
  const bool on = may_be(webnn_profile_graph(w->graph, true, NULL));
  return on && may_be(webnn_profile_graph(w->graph, false, NULL));
}
static void nothing(void *user, const webnn_tapped_value *value) {
  (void)user;
  (void)value;
}
static bool call_tap(const world *w) {
  const bool on = may_be(webnn_tap_graph(w->graph, nothing, NULL, NULL));
  return on && may_be(webnn_tap_graph(w->graph, NULL, NULL, NULL));
}

static const struct {
  const char *name;
  bool (*call)(const world *w);
} functions[] = {
    {"contextLost", call_lost},
    {"accelerated", call_accelerated},
    {"contextLimits", call_limits},
    {"opLimits", call_op_limits},
    {"wait", call_wait},
    {"destroy context", call_destroy_context},
    {"createTensor", call_create_tensor},
    {"createTensor over memory", call_create_over_memory},
    {"createConstantTensor", call_create_constant},
    {"build", call_build},
    {"attributes", call_attributes},
    {"readTensor", call_read},
    {"writeTensor", call_write},
    {"destroy tensor", call_destroy_tensor},
    {"destroy constant", call_destroy_constant},
    {"dispatch", call_dispatch},
    {"destroy graph", call_destroy_graph},
    {"ports", call_ports},
    {"memory", call_memory},
    {"undecided", call_undecided},
    {"describe", call_describe},
    {"tolerance", call_tolerance},
    {"print graph", call_print_graph},
    {"print dot", call_print_dot},
    {"print profile", call_print_profile},
    {"print steps", call_print_steps},
    {"graph profile", call_graph_profile},
    {"profile", call_profile},
    {"tap", call_tap},
};
enum { FUNCTIONS = (int)(sizeof functions / sizeof *functions), TIMES = 20 };

/* ---- Every pair --------------------------------------------------------------------------------
 */

typedef struct worker {
  pthread_t thread;
  pthread_mutex_t *start; /* main holds it until there are two threads */
  const world *world;
  int function, wrong;
} worker;

static void *work(void *data) {
  worker *w = (worker *)data;
  int i;
  pthread_mutex_lock(w->start);
  pthread_mutex_unlock(w->start);
  for (i = 0; i < TIMES; i++) {
    w->wrong += !functions[w->function].call(w->world);
  }
  return NULL;
}

static void run_pair(int a, int b) {
  world w = new_world(1 + (uint32_t)(a + b) % 2);
  pthread_mutex_t start;
  worker workers[2];
  char name[80];
  int i;
  (void)dispatch(&w, NULL);
  pthread_mutex_init(&start, NULL);
  pthread_mutex_lock(&start);
  for (i = 0; i < 2; i++) {
    workers[i].start = &start;
    workers[i].world = &w;
    workers[i].function = i == 0 ? a : b;
    workers[i].wrong = 0;
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
      printf("no thread\n");
      exit(1);
    }
  }
  pthread_mutex_unlock(&start);
  for (i = 0; i < 2; i++) {
    pthread_join(workers[i].thread, NULL);
  }
  pthread_mutex_destroy(&start);
  snprintf(name, sizeof name, "%s beside %s", functions[a].name, functions[b].name);
  CHECK(name, workers[0].wrong == 0 && workers[1].wrong == 0, "%d and %d of %d times wrong",
        workers[0].wrong, workers[1].wrong, (int)TIMES);
  free_world(&w);
}

/* ---- Destroyed in the middle -------------------------------------------------------------------
 */

static void destroy_graph(const world *w) {
  webnn_destroy_graph(w->graph);
}
static void destroy_context(const world *w) {
  webnn_destroy_context(w->context);
}

static void destroy_while_printing(const char *name, bool (*print)(const world *, text *),
                                   void (*destroy)(const world *)) {
  world w = new_world(1);
  static text whole, interrupted;
  size_t i, writes = 1;
  (void)dispatch(&w, NULL);
  memset(&whole, 0, sizeof whole);
  CHECK(name, print(&w, &whole) && !contains(&whole, "all 0 steps"), "%s", whole.data);
  free_world(&w);
  for (i = 1; i <= writes; i += 3) {
    w = new_world(1);
    (void)dispatch(&w, NULL);
    memset(&interrupted, 0, sizeof interrupted);
    interrupted.act_at = i;
    interrupted.act = destroy;
    interrupted.world = &w;
    CHECK(name, print(&w, &interrupted) && !contains(&interrupted, "all 0 steps"),
          "destroyed at write %u: %s", (unsigned)i, interrupted.data);
    /* Times have other numbers of digits each time, so only the last writes may be missing. */
    CHECK(name, interrupted.writes >= i || 2 * i > whole.writes, "it was not destroyed");
    writes = interrupted.writes < i ? 0 : whole.writes;
    free_world(&w);
  }
}

static void begin_profile(const world *w) {
  (void)webnn_profile_graph(w->graph, true, NULL);
}

/* The graph has other steps, or none, each time that it is asked for them. */
static void change_while_allocating(const char *name, bool (*print)(const world *w, text *t),
                                    bool profiled, void (*act)(const world *)) {
  size_t i;
  bool acted = true;
  for (i = 1; acted; i++) {
    watched_memory memory = {0, NULL, NULL};
    static text printed;
    world w = new_world_in(1, profiled, &memory);
    (void)dispatch(&w, NULL);
    memset(&printed, 0, sizeof printed);
    memory.world = &w;
    memory.act = act;
    memory.act_at = i;
    CHECK(name, print(&w, &printed), "changed at allocation %u: %s", (unsigned)i, printed.data);
    acted = memory.act_at == 0;
    memory.act_at = 0;
    free_world(&w);
  }
  CHECK(name, i > 2, "printing allocates nothing");
}

/* What a profile names can be read as long as the graph is not freed. */
static void destroy_before_looking(const char *name, void (*destroy)(const world *)) {
  world w = new_world(1);
  webnn_profiled_step steps[2];
  const size_t count = webnn_graph_profile(w.graph, steps, 2);
  destroy(&w);
  CHECK(name, count == 2 && are_steps(steps, count), "the steps are gone with the plan");
  free_world(&w);
}

int main(void) {
  int a, b;
  for (a = 0; a < FUNCTIONS; a++) {
    for (b = a; b < FUNCTIONS; b++) {
      run_pair(a, b);
    }
  }
  destroy_while_printing("print graph, destroy graph", print_graph, destroy_graph);
  destroy_while_printing("print graph, destroy context", print_graph, destroy_context);
  destroy_while_printing("print dot, destroy graph", print_dot, destroy_graph);
  destroy_while_printing("print dot, destroy context", print_dot, destroy_context);
  destroy_while_printing("print profile, destroy graph", print_profile, destroy_graph);
  destroy_while_printing("print profile, destroy context", print_profile, destroy_context);
  destroy_while_printing("print steps, destroy graph", print_steps, destroy_graph);
  destroy_while_printing("print steps, destroy context", print_steps, destroy_context);
  change_while_allocating("print profile, profile begins", print_profile, false, begin_profile);
  change_while_allocating("print profile, graph is destroyed", print_profile, true, destroy_graph);
  change_while_allocating("print profile, context is destroyed", print_profile, true,
                          destroy_context);
  change_while_allocating("print steps, graph is destroyed", print_steps, false, destroy_graph);
  change_while_allocating("print steps, context is destroyed", print_steps, false, destroy_context);
  destroy_before_looking("steps, destroy graph", destroy_graph);
  destroy_before_looking("steps, destroy context", destroy_context);
  return test_end();
}

#endif
