/* Contexts, graphs and tensors may be used from any thread. Several threads do everything at once
   here; what they read must be whole: every element of a tensor always has one value, so a torn
   write, a freed memory or a step out of turn shows. Meant to run under ThreadSanitizer as well. */
#include "test.h"

#if defined(WEBNN_NO_THREADS) || defined(_WIN32)

int main(void) {
  test_skip("threads", "the library is compiled without threads, or there is no pthread.h");
  return test_end();
}

#else

#include <pthread.h>
#include <sys/select.h>

#define ELEMENTS 512
#define TENSOR_BYTES (ELEMENTS * sizeof(float))
#define MAX_WORKERS 8

/* ---- Workers ----------------------------------------------------------------------------------
 */

/* What the threads of one check share. */
typedef struct shared {
  pthread_mutex_t mutex; /* guards progress */
  pthread_cond_t moved;
  unsigned progress;
  webnn_context *context, *other_context;
  webnn_graph *graph;
  webnn_tensor *tensor, *constant;
  webnn_builder *builder;
  float *expected;
} shared;

typedef struct worker {
  pthread_t thread;
  shared *shared;
  int id;
  void (*work)(struct worker *);
  unsigned done, wrong;
  char message[600]; /* of the first wrong thing */
} worker;

/* The counters of CHECK are not for threads: a worker takes a note, and main checks. */
static void blame(worker *w, const char *what, webnn_status status, const char *message) {
  if (w->wrong++ == 0) {
    snprintf(w->message, sizeof w->message, "%s: %s %s", what, webnn_status_name(status), message);
  }
}

static void *run_worker(void *data) {
  worker *w = (worker *)data;
  w->work(w);
  return NULL;
}

static void advance(shared *s) {
  pthread_mutex_lock(&s->mutex);
  s->progress++;
  pthread_cond_broadcast(&s->moved);
  pthread_mutex_unlock(&s->mutex);
}

static void wait_for_progress(shared *s, unsigned progress) {
  pthread_mutex_lock(&s->mutex);
  while (s->progress < progress) {
    pthread_cond_wait(&s->moved, &s->mutex);
  }
  pthread_mutex_unlock(&s->mutex);
}

static void start_shared(shared *s) {
  memset(s, 0, sizeof *s);
  pthread_mutex_init(&s->mutex, NULL);
  pthread_cond_init(&s->moved, NULL);
}

static void end_shared(shared *s) {
  pthread_cond_destroy(&s->moved);
  pthread_mutex_destroy(&s->mutex);
}

/* Runs works[0 ... count - 1], each in a thread of its own, and checks their notes. Returns how
   much they have done together. */
static unsigned run_workers(const char *name, shared *s, void (*const *works)(worker *),
                            int count) {
  worker workers[MAX_WORKERS];
  unsigned done = 0;
  int i;
  memset(workers, 0, sizeof workers);
  for (i = 0; i < count; i++) {
    workers[i].shared = s;
    workers[i].id = i;
    workers[i].work = works[i];
    if (pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) != 0) {
      printf("no thread\n");
      exit(1);
    }
  }
  for (i = 0; i < count; i++) {
    pthread_join(workers[i].thread, NULL);
    CHECK(name, workers[i].wrong == 0, "thread %d: %u times wrong: %s", i, workers[i].wrong,
          workers[i].message);
    done += workers[i].done;
  }
  return done;
}

/* ---- Tensors of one value ---------------------------------------------------------------------
 */

static void fill(float *data, float value) {
  int i;
  for (i = 0; i < ELEMENTS; i++) {
    data[i] = value;
  }
}

static bool is_filled(const float *data, float value) {
  int i;
  for (i = 0; i < ELEMENTS && data[i] == value; i++) {
  }
  return i == ELEMENTS;
}

static webnn_tensor *new_tensor(webnn_context *context, webnn_error *error) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(ELEMENTS), true, true};
  webnn_tensor *tensor = NULL;
  (void)webnn_create_tensor(context, descriptor, &tensor, error);
  return tensor;
}

/* y = x + x, or with a constant tensor y = x + constant. */
static webnn_graph *new_graph(webnn_context *context, webnn_tensor *constant, webnn_error *error) {
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  if (webnn_create_builder(context, &builder, error) == WEBNN_OK) {
    webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ELEMENTS));
    webnn_operand *c = constant != NULL ? webnn_constant_from_tensor(builder, constant) : x;
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", webnn_add(builder, x, c, NULL)}), &graph,
                      error);
    webnn_free_builder(builder);
  }
  return graph;
}

static webnn_status dispatch(webnn_context *context, webnn_graph *graph, webnn_tensor *x,
                             webnn_tensor *y, webnn_error *error) {
  return webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}),
                        WEBNN_NAMED_TENSORS({"y", y}), error);
}

static webnn_context *new_context(uint32_t threads) {
  webnn_context_options options = WEBNN_ZERO;
  options.threads = threads;
  return test_context(&options);
}

/* ---- One context, many threads ----------------------------------------------------------------
 */

/* Writes, dispatches and reads tensors of its own; the graph is everyone's. */
static void use_own_tensors(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *x = new_tensor(s->context, &error), *y = new_tensor(s->context, &error);
  float data[ELEMENTS];
  int i;
  for (i = 0; i < 60; i++) {
    const float value = (float)(1000 * w->id + i);
    fill(data, value);
    if (webnn_write_tensor(s->context, x, data, sizeof data, &error) != WEBNN_OK ||
        dispatch(s->context, s->graph, x, y, &error) != WEBNN_OK ||
        webnn_read_tensor(s->context, y, data, sizeof data, &error) != WEBNN_OK) {
      blame(w, "own tensors", error.status, error.message);
    } else if (!is_filled(data, 2 * value)) {
      blame(w, "wrong result", WEBNN_OK, "");
    }
    w->done++;
  }
  webnn_free_tensor(x);
  webnn_free_tensor(y);
}

/* Overwrites the shared tensor with ever new values. */
static void write_shared(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  float data[ELEMENTS];
  int i;
  for (i = 0; i < 100; i++) {
    fill(data, (float)(1000 * w->id + i));
    if (webnn_write_tensor(s->context, s->tensor, data, sizeof data, &error) != WEBNN_OK) {
      blame(w, "write", error.status, error.message);
    }
    w->done++;
  }
}

static void read_shared(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  float data[ELEMENTS];
  int i;
  for (i = 0; i < 100; i++) {
    if (webnn_read_tensor(s->context, s->tensor, data, sizeof data, &error) != WEBNN_OK) {
      blame(w, "read", error.status, error.message);
    } else if (!is_filled(data, data[0])) {
      blame(w, "a torn tensor", WEBNN_OK, "");
    }
    w->done++;
  }
}

/* Doubles the shared tensor into one of its own. */
static void dispatch_shared(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *y = new_tensor(s->context, &error);
  float data[ELEMENTS];
  int i;
  for (i = 0; i < 100; i++) {
    if (dispatch(s->context, s->graph, s->tensor, y, &error) != WEBNN_OK ||
        webnn_read_tensor(s->context, y, data, sizeof data, &error) != WEBNN_OK) {
      blame(w, "dispatch", error.status, error.message);
    } else if (!is_filled(data, data[0])) {
      blame(w, "a torn result", WEBNN_OK, "");
    }
    w->done++;
  }
  webnn_free_tensor(y);
}

static void check_one_context(uint32_t threads) {
  static void (*const own[])(worker *) = {use_own_tensors, use_own_tensors, use_own_tensors,
                                          use_own_tensors, use_own_tensors, use_own_tensors};
  static void (*const common[])(worker *) = {write_shared,    write_shared,    read_shared,
                                             read_shared,     dispatch_shared, dispatch_shared,
                                             use_own_tensors, use_own_tensors};
  webnn_error error = WEBNN_ZERO;
  shared s;
  start_shared(&s);
  s.context = new_context(threads);
  s.graph = new_graph(s.context, NULL, &error);
  s.tensor = new_tensor(s.context, &error);
  CHECK("one context", s.graph != NULL && s.tensor != NULL, "%s", error.message);
  CHECK("own tensors", run_workers("own tensors", &s, own, 6) == 6 * 60, "not all was done");
  CHECK("shared tensors", run_workers("shared tensors", &s, common, 8) == 6 * 100 + 2 * 60,
        "not all was done");
  webnn_free_tensor(s.tensor);
  webnn_free_graph(s.graph);
  webnn_free_context(s.context);
  end_shared(&s);
}

/* ---- Builders at the same time ----------------------------------------------------------------
 */

/* Builds from the constant tensor that others build from, too. */
static void build_graphs(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *x = new_tensor(s->context, &error), *y = new_tensor(s->context, &error);
  float data[ELEMENTS];
  int i;
  for (i = 0; i < 20; i++) {
    webnn_graph *graph = new_graph(s->context, s->constant, &error);
    fill(data, (float)w->id);
    if (graph == NULL || webnn_write_tensor(s->context, x, data, sizeof data, &error) != WEBNN_OK ||
        dispatch(s->context, graph, x, y, &error) != WEBNN_OK ||
        webnn_read_tensor(s->context, y, data, sizeof data, &error) != WEBNN_OK) {
      blame(w, "build", error.status, error.message);
    } else if (!is_filled(data, (float)w->id + 7)) {
      blame(w, "wrong result", WEBNN_OK, "");
    }
    webnn_free_graph(graph);
    w->done++;
  }
  webnn_free_tensor(x);
  webnn_free_tensor(y);
}

static void check_builders(void) {
  static void (*const works[])(worker *) = {build_graphs, build_graphs, build_graphs, build_graphs};
  webnn_error error = WEBNN_ZERO;
  float data[ELEMENTS];
  shared s;
  start_shared(&s);
  fill(data, 7);
  s.context = new_context(2);
  CHECK("builders",
        webnn_create_constant_tensor(s.context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ELEMENTS), data,
                                     sizeof data, &s.constant, &error) == WEBNN_OK,
        "%s", error.message);
  CHECK("builders", run_workers("builders", &s, works, 4) == 80, "not all was done");
  webnn_free_tensor(s.constant);
  webnn_free_context(s.context);
  end_shared(&s);
}

/* ---- Destroying what others use ---------------------------------------------------------------
 */

/* Reads until the tensor is gone: whole data or an error, and the buffer untouched on an error. */
static void read_until_destroyed(worker *w) {
  shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  float data[ELEMENTS];
  webnn_status status;
  do {
    fill(data, -1);
    status = webnn_read_tensor(s->context, s->tensor, data, sizeof data, &error);
    if (status != WEBNN_OK && status != WEBNN_TYPE_ERROR && status != WEBNN_INVALID_STATE_ERROR) {
      blame(w, "read", status, error.message);
    }
    if (!is_filled(data, status == WEBNN_OK ? 5 : -1)) {
      blame(w, "data", status, error.message);
    }
    w->done++;
    advance(s);
  } while (status == WEBNN_OK);
  if (webnn_read_tensor(s->context, s->tensor, data, sizeof data, &error) != WEBNN_TYPE_ERROR) {
    blame(w, "a later read", error.status, error.message);
  }
}

static void dispatch_until_destroyed(worker *w) {
  shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *y = new_tensor(s->context, &error);
  float data[ELEMENTS];
  webnn_status status;
  do {
    status = dispatch(s->context, s->graph, s->tensor, y, &error);
    if (status != WEBNN_OK && status != WEBNN_TYPE_ERROR && status != WEBNN_INVALID_STATE_ERROR) {
      blame(w, "dispatch", status, error.message);
    }
    w->done++;
    advance(s);
  } while (status == WEBNN_OK);
  /* Every dispatch that was accepted has run to its end. */
  if (webnn_read_tensor(s->context, y, data, sizeof data, &error) != WEBNN_OK ||
      (!is_filled(data, 10) && !is_filled(data, 0))) {
    blame(w, "result", error.status, error.message);
  }
  webnn_free_tensor(y);
}

static void destroy_tensor(worker *w) {
  wait_for_progress(w->shared, 12);
  webnn_destroy_tensor(w->shared->tensor);
  webnn_destroy_tensor(w->shared->tensor);
}

static void destroy_graph(worker *w) {
  wait_for_progress(w->shared, 12);
  webnn_destroy_graph(w->shared->graph);
  webnn_destroy_graph(w->shared->graph);
}

static void check_destroying(uint32_t threads, bool graph) {
  static void (*const tensor_works[])(worker *) = {read_until_destroyed, read_until_destroyed,
                                                   dispatch_until_destroyed,
                                                   dispatch_until_destroyed, destroy_tensor};
  static void (*const graph_works[])(worker *) = {
      dispatch_until_destroyed, destroy_graph, dispatch_until_destroyed, dispatch_until_destroyed};
  int round;
  for (round = 0; round < 15; round++) {
    webnn_error error = WEBNN_ZERO;
    float data[ELEMENTS];
    unsigned done;
    shared s;
    start_shared(&s);
    fill(data, 5);
    s.context = new_context(threads);
    s.graph = new_graph(s.context, NULL, &error);
    s.tensor = new_tensor(s.context, &error);
    webnn_write_tensor(s.context, s.tensor, data, sizeof data, &error);
    CHECK("destroying", error.status == WEBNN_OK, "%s", error.message);
    done = graph ? run_workers("destroying a graph", &s, graph_works, 4)
                 : run_workers("destroying a tensor", &s, tensor_works, 5);
    CHECK("destroying", done >= 12, "it was destroyed before anyone used it");
    webnn_free_tensor(s.tensor);
    webnn_free_graph(s.graph);
    webnn_free_context(s.context);
    end_shared(&s);
  }
}

/* ---- Losing the context while others work -----------------------------------------------------
 */

static bool may_be_lost(webnn_status status) {
  return status == WEBNN_OK || status == WEBNN_TYPE_ERROR || status == WEBNN_INVALID_STATE_ERROR;
}

/* Makes and uses everything again, in whatever state the context is. */
static void work_until_lost(worker *w) {
  shared *s = w->shared;
  float data[ELEMENTS];
  bool lost = false;
  while (!lost) { /* once more after it is known */
    webnn_error error = WEBNN_ZERO;
    webnn_tensor *x, *y;
    webnn_graph *graph;
    webnn_status status = WEBNN_OK;
    const float value = (float)(w->id + 1);
    lost = webnn_context_lost(s->context, &error);
    x = new_tensor(s->context, &error);
    y = new_tensor(s->context, &error);
    graph = new_graph(s->context, NULL, &error);
    if (lost && (x != NULL || y != NULL || graph != NULL)) {
      blame(w, "a lost context makes things", WEBNN_OK, "");
    }
    if (x != NULL && y != NULL && graph != NULL) {
      fill(data, value);
      status = webnn_write_tensor(s->context, x, data, sizeof data, &error);
      status = status == WEBNN_OK ? dispatch(s->context, graph, x, y, &error) : status;
      status =
          status == WEBNN_OK ? webnn_read_tensor(s->context, y, data, sizeof data, &error) : status;
      if (status == WEBNN_OK && !is_filled(data, 2 * value)) {
        blame(w, "wrong result", status, "");
      }
    }
    if (!may_be_lost(status) || !may_be_lost(webnn_wait(s->context, &error))) {
      blame(w, "status", status, error.message);
    }
    webnn_free_graph(graph);
    webnn_free_tensor(x);
    webnn_free_tensor(y);
    w->done++;
    advance(s);
  }
}

static void lose_context(worker *w) {
  wait_for_progress(w->shared, 9);
  webnn_destroy_context(w->shared->context);
  if (!webnn_context_lost(w->shared->context, NULL)) {
    blame(w, "not lost", WEBNN_OK, "");
  }
}

static void check_losing(uint32_t threads) {
  static void (*const works[])(worker *) = {work_until_lost, work_until_lost, lose_context,
                                            work_until_lost, lose_context};
  int round;
  for (round = 0; round < 10; round++) {
    shared s;
    start_shared(&s);
    s.context = new_context(threads);
    CHECK("losing", run_workers("losing the context", &s, works, 5) >= 9, "nothing was done");
    webnn_free_context(s.context);
    end_shared(&s);
  }
}

/* ---- Freeing from everywhere ------------------------------------------------------------------
 */

static pthread_mutex_t count_mutex = PTHREAD_MUTEX_INITIALIZER;
static long live;

static void count_live(long change) {
  pthread_mutex_lock(&count_mutex);
  live += change;
  pthread_mutex_unlock(&count_mutex);
}

static void *counting_allocate(void *user, size_t size) {
  (void)user;
  count_live(1);
  return malloc(size);
}

static void counting_release(void *user, void *memory) {
  (void)user;
  count_live(-1);
  free(memory);
}

static void free_context(worker *w) {
  webnn_free_context(w->shared->context);
}
static void free_builder(worker *w) {
  webnn_free_builder(w->shared->builder);
}
static void free_graph(worker *w) {
  webnn_free_graph(w->shared->graph);
}
static void free_tensor(worker *w) {
  webnn_free_tensor(w->shared->tensor);
}
static void free_constant(worker *w) {
  webnn_free_tensor(w->shared->constant);
}

static void check_freeing(void) {
  static void (*const works[])(worker *) = {free_context, free_builder, free_graph, free_tensor,
                                            free_constant};
  void (*order[5])(worker *);
  int round, i;
  for (round = 0; round < 30; round++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_error error = WEBNN_ZERO;
    webnn_operand *x;
    float data[ELEMENTS];
    shared s;
    start_shared(&s);
    fill(data, 1);
    options.threads = 1 + (uint32_t)round % 2;
    options.allocator.allocate = counting_allocate;
    options.allocator.release = counting_release;
    s.context = test_context(&options);
    s.tensor = new_tensor(s.context, &error);
    webnn_create_constant_tensor(s.context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ELEMENTS), data,
                                 sizeof data, &s.constant, &error);
    s.builder = test_builder(s.context);
    x = webnn_input(s.builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ELEMENTS));
    x = webnn_add(s.builder, x, webnn_constant_from_tensor(s.builder, s.constant), NULL);
    CHECK("freeing",
          webnn_build(s.builder, WEBNN_NAMED_OPERANDS({"y", x}), &s.graph, &error) == WEBNN_OK,
          "%s", error.message);
    for (i = 0; i < 5; i++) {
      order[i] = works[(i + round) % 5];
    }
    (void)run_workers("freeing", &s, order, 5);
    CHECK("freeing", live == 0, "%ld allocations are left", live);
    live = 0;
    end_shared(&s);
  }
}

/* ---- Losing the context in the middle of a call -----------------------------------------------
 */

/* While a call allocates for the n-th time, another thread destroys the context. */
typedef struct loss {
  webnn_context *context;
  unsigned calls, at; /* at 0: never */
} loss;

static void *lose_from_elsewhere(void *data) {
  webnn_destroy_context(((loss *)data)->context);
  return NULL;
}

static void *losing_allocate(void *user, size_t size) {
  loss *l = (loss *)user;
  if (l->at > 0 && ++l->calls == l->at) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, lose_from_elsewhere, l) == 0) {
      pthread_join(thread, NULL);
    }
  }
  return counting_allocate(NULL, size);
}

static const char *const losing_calls[] = {"createTensor", "createConstantTensor", "build",
                                           "dispatch"};

/* So many tensors that a dispatch needs memory for the list of them. */
enum { MANY = 65 };

typedef struct many {
  char names[MANY][2];
  webnn_graph *graph;
  webnn_tensor *tensors[MANY];
} many;

static void start_many(many *m, webnn_context *context, webnn_error *error) {
  webnn_builder *builder = test_builder(context);
  webnn_operand *x = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ELEMENTS));
  webnn_named_operand outputs[MANY];
  int i;
  for (i = 0; i < MANY; i++) {
    m->names[i][0] = (char)('!' + i);
    m->names[i][1] = 0;
    outputs[i].name = m->names[i];
    outputs[i].operand = webnn_relu(builder, x, NULL);
    m->tensors[i] = new_tensor(context, error);
  }
  (void)webnn_build(builder, outputs, MANY, &m->graph, error);
  webnn_free_builder(builder);
}

static void end_many(many *m) {
  int i;
  for (i = 0; i < MANY; i++) {
    webnn_free_tensor(m->tensors[i]);
  }
  webnn_free_graph(m->graph);
}

static webnn_status dispatch_many(const many *m, webnn_context *context, webnn_tensor *x,
                                  webnn_error *error) {
  webnn_named_tensor outputs[MANY];
  int i;
  for (i = 0; i < MANY; i++) {
    outputs[i].name = m->names[i];
    outputs[i].tensor = m->tensors[i];
  }
  return webnn_dispatch(context, m->graph, WEBNN_NAMED_TENSORS({"x", x}), outputs, MANY, error);
}

static webnn_status call_and_lose(int call, const shared *s, const many *m, webnn_operand *y,
                                  void **made, webnn_error *error) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(ELEMENTS), true, true};
  float data[ELEMENTS];
  webnn_tensor *tensor = NULL;
  webnn_graph *graph = NULL;
  webnn_status status;
  fill(data, 1);
  switch (call) {
  case 0:
    status = webnn_create_tensor(s->context, descriptor, &tensor, error);
    break;
  case 1:
    status = webnn_create_constant_tensor(s->context, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, ELEMENTS),
                                          data, sizeof data, &tensor, error);
    break;
  case 2:
    status = webnn_build(s->builder, WEBNN_NAMED_OPERANDS({"y", y}), &graph, error);
    break;
  default:
    status = dispatch_many(m, s->context, s->tensor, error);
  }
  *made = tensor != NULL ? (void *)tensor : (void *)graph;
  webnn_free_tensor(tensor);
  webnn_free_graph(graph);
  return status;
}

/* Returns whether the call allocated that often. */
static bool lose_inside(int call, unsigned at) {
  const char *name = losing_calls[call];
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  webnn_operand *y;
  webnn_status status;
  void *made = NULL;
  loss l;
  many m;
  shared s;
  memset(&l, 0, sizeof l);
  memset(&m, 0, sizeof m);
  memset(&s, 0, sizeof s);
  options.threads = 1;
  options.allocator.allocate = losing_allocate;
  options.allocator.release = counting_release;
  options.allocator.user = &l;
  s.context = l.context = test_context(&options);
  s.builder = test_builder(s.context);
  s.tensor = new_tensor(s.context, &error);
  start_many(&m, s.context, &error);
  y = webnn_relu(s.builder, webnn_input(s.builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2)), NULL);
  l.at = at;
  status = call_and_lose(call, &s, &m, y, &made, &error);
  l.at = 0;
  CHECK(name, status == (l.calls >= at ? WEBNN_INVALID_STATE_ERROR : WEBNN_OK),
        "lost during allocation %u of %u: got %s %s", at, l.calls, webnn_status_name(status),
        error.message);
  CHECK(name, call == 3 || (made == NULL) == (status != WEBNN_OK), "a result in spite of an error");
  webnn_free_builder(s.builder);
  end_many(&m);
  webnn_free_tensor(s.tensor);
  webnn_free_context(s.context);
  CHECK(name, live == 0, "lost during allocation %u: %ld allocations are left", at, live);
  live = 0;
  return l.calls >= at;
}

static void check_losing_inside(void) {
  int call;
  for (call = 0; call < 4; call++) {
    unsigned at = 1;
    while (lose_inside(call, at)) {
      at++;
    }
    CHECK(losing_calls[call], at > 1, "no allocation in it");
  }
}

/* ---- Two contexts in parallel -----------------------------------------------------------------
 */

enum { LARGE = 8192 };

/* gelu of LARGE elements, in slices; returns whether it worked. */
static bool large_gelu(webnn_context *context, float *data, webnn_error *error) {
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(LARGE), true, true};
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_tensor *x = NULL, *y = NULL;
  bool ok = webnn_create_builder(context, &builder, error) == WEBNN_OK;
  ok = ok &&
       webnn_build(
           builder,
           WEBNN_NAMED_OPERANDS(
               {"y", webnn_gelu(builder,
                                webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, LARGE)),
                                NULL)}),
           &graph, error) == WEBNN_OK &&
       webnn_create_tensor(context, descriptor, &x, error) == WEBNN_OK &&
       webnn_create_tensor(context, descriptor, &y, error) == WEBNN_OK &&
       webnn_write_tensor(context, x, data, LARGE * sizeof *data, error) == WEBNN_OK &&
       dispatch(context, graph, x, y, error) == WEBNN_OK &&
       webnn_read_tensor(context, y, data, LARGE * sizeof *data, error) == WEBNN_OK;
  webnn_free_builder(builder);
  webnn_free_graph(graph);
  webnn_free_tensor(x);
  webnn_free_tensor(y);
  return ok;
}

static void fill_ramp(float *data) {
  int i;
  for (i = 0; i < LARGE; i++) {
    data[i] = (float)(i - LARGE / 2) / 1000.0f;
  }
}

static float expected_gelu[LARGE];

static void compute_large(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  float *data = (float *)test_allocate(LARGE * sizeof *data);
  int i;
  for (i = 0; i < 3; i++) {
    fill_ramp(data);
    if (!large_gelu(w->id % 2 == 0 ? s->context : s->other_context, data, &error)) {
      blame(w, "gelu", error.status, error.message);
    } else if (memcmp(data, expected_gelu, sizeof expected_gelu) != 0) {
      blame(w, "other results", WEBNN_OK, "");
    }
    w->done++;
  }
  free(data);
}

static void check_two_contexts(void) {
  static void (*const works[])(worker *) = {compute_large, compute_large, compute_large,
                                            compute_large};
  webnn_error error = WEBNN_ZERO;
  webnn_context *single = new_context(1);
  shared s;
  start_shared(&s);
  fill_ramp(expected_gelu);
  CHECK("two contexts", large_gelu(single, expected_gelu, &error), "%s", error.message);
  webnn_free_context(single);
  s.context = new_context(2);
  s.other_context = new_context(3);
  CHECK("two contexts", run_workers("two contexts", &s, works, 4) == 12, "not all was done");
  webnn_free_context(s.context);
  webnn_free_context(s.other_context);
  end_shared(&s);
}

/* ---- Many small jobs --------------------------------------------------------------------------
 */

enum { JOBS = 40, JOB_ROWS = 96 };

/* JOBS matrix products and functions, one after the other, each of some microseconds. */
static webnn_graph *graph_of_jobs(webnn_context *context, webnn_error *error) {
  float weights[JOB_ROWS * JOB_ROWS];
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_operand *y, *w;
  int i;
  for (i = 0; i < JOB_ROWS * JOB_ROWS; i++) {
    weights[i] = (float)(i * 37 % 101 - 50) / 300.0f;
  }
  if (webnn_create_builder(context, &builder, error) != WEBNN_OK) {
    return NULL;
  }
  y = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, JOB_ROWS, JOB_ROWS));
  w = webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, JOB_ROWS, JOB_ROWS), weights,
                     sizeof weights);
  for (i = 0; i < JOBS; i++) {
    y = i % 3 == 0   ? webnn_matmul(builder, y, w, NULL)
        : i % 3 == 1 ? webnn_gelu(builder, y, NULL)
                     : webnn_sin(builder, y, NULL);
  }
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", y}), &graph, error);
  webnn_free_builder(builder);
  return graph;
}

/* A context of its own, which is gone again while others work; or the shared one. Between runs the
   threads of the context have time to fall asleep, or not. */
static void run_jobs(worker *w) {
  static const uint32_t thread_counts[] = {1, 2, 3, 9};
  const webnn_tensor_descriptor descriptor = {WEBNN_FLOAT32, WEBNN_LIST(JOB_ROWS, JOB_ROWS), true,
                                              true};
  float *expected = w->shared->expected, data[JOB_ROWS * JOB_ROWS];
  webnn_error error = WEBNN_ZERO;
  int round, i;
  for (round = 0; round < 4; round++) {
    webnn_context *context = new_context(thread_counts[(w->id + round) % 4]);
    webnn_graph *graph = graph_of_jobs(context, &error);
    webnn_tensor *x = NULL, *y = NULL;
    bool ok = graph != NULL && webnn_create_tensor(context, descriptor, &x, &error) == WEBNN_OK &&
              webnn_create_tensor(context, descriptor, &y, &error) == WEBNN_OK;
    for (i = 0; i < JOB_ROWS * JOB_ROWS; i++) {
      data[i] = (float)(i % 19 - 9) / 10.0f;
    }
    ok = ok && webnn_write_tensor(context, x, data, sizeof data, &error) == WEBNN_OK;
    for (i = 0; ok && i < 12; i++) {
      struct timeval pause = {0, i % 4 == 0 ? 300 : 10};
      ok = dispatch(context, graph, x, y, &error) == WEBNN_OK &&
           webnn_read_tensor(context, y, data, sizeof data, &error) == WEBNN_OK;
      if (round == 0 && i == 0 && expected[1] == 0.0f) {
        memcpy(expected, data, sizeof data);
        advance(w->shared);
      }
      wait_for_progress(w->shared, 1);
      if (memcmp(data, expected, sizeof data) != 0) {
        blame(w, "other results", WEBNN_OK, "");
      }
      (void)select(0, NULL, NULL, NULL, &pause);
      w->done++;
    }
    if (!ok) {
      blame(w, "jobs", error.status, error.message);
    }
    webnn_free_tensor(x);
    webnn_free_tensor(y);
    webnn_free_graph(graph);
    webnn_free_context(context);
  }
}

static void check_jobs(void) {
  static void (*const works[])(worker *) = {run_jobs, run_jobs, run_jobs};
  static float expected[JOB_ROWS * JOB_ROWS];
  shared s;
  start_shared(&s);
  s.expected = expected;
  CHECK("jobs", run_workers("jobs", &s, works, 1) == 48, "not all was done");
  CHECK("jobs", expected[1] != 0.0f && expected[1] != expected[2], "no results");
  CHECK("jobs", run_workers("jobs", &s, works, 3) == 3 * 48, "not all was done");
  end_shared(&s);
}

/* ---- Taps -------------------------------------------------------------------------------------
 */

/* A tap sees whole values, on the thread that runs the graph. */
typedef struct tap_notes {
  pthread_mutex_t mutex;
  unsigned values, torn, elsewhere;
  pthread_t caller;
} tap_notes;

static tap_notes notes;

static void take_note(void *user, const webnn_tapped_value *value) {
  tap_notes *n = (tap_notes *)user;
  const float *data = (const float *)value->data;
  pthread_mutex_lock(&n->mutex);
  n->values++;
  n->torn += is_filled(data, data[0]) ? 0 : 1;
  n->elsewhere += pthread_equal(pthread_self(), n->caller) ? 0 : 1;
  pthread_mutex_unlock(&n->mutex);
}

static void switch_tap(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  int i;
  for (i = 0; i < 60; i++) {
    if (webnn_tap_graph(s->graph, i % 2 == 0 ? take_note : NULL, &notes, &error) != WEBNN_OK) {
      blame(w, "tap", error.status, error.message);
    }
    w->done++;
  }
}

static void check_taps(void) {
  static void (*const works[])(worker *) = {dispatch_shared, write_shared, switch_tap};
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *y;
  shared s;
  start_shared(&s);
  pthread_mutex_init(&notes.mutex, NULL);
  s.context = new_context(1);
  s.graph = new_graph(s.context, NULL, &error);
  s.tensor = new_tensor(s.context, &error);
  y = new_tensor(s.context, &error);
  notes.caller = pthread_self();
  (void)run_workers("taps", &s, works, 3);
  CHECK("taps", notes.torn == 0, "%u of %u values are torn", notes.torn, notes.values);
  notes.values = notes.elsewhere = 0;
  webnn_tap_graph(s.graph, take_note, &notes, &error);
  (void)dispatch(s.context, s.graph, s.tensor, y, &error);
  (void)webnn_wait(s.context, &error);
  CHECK("taps", notes.values == 1 && notes.elsewhere == 0,
        "with one thread the caller's runs the graph: %u values, %u elsewhere", notes.values,
        notes.elsewhere);
  pthread_mutex_destroy(&notes.mutex);
  webnn_free_tensor(y);
  webnn_free_tensor(s.tensor);
  webnn_free_graph(s.graph);
  webnn_free_context(s.context);
  end_shared(&s);
}

/* ---- What waits for its turn ------------------------------------------------------------------
 */

/* A dispatch whose tap holds it up, so that other calls have to wait behind it. */
typedef struct gate {
  pthread_mutex_t mutex;
  pthread_cond_t moved;
  bool open;
  unsigned entered, waiting;
  webnn_status read_status, dispatch_status;
  bool untouched; /* the buffer of the read */
} gate;

static gate the_gate;

static void gate_step(unsigned *count) {
  pthread_mutex_lock(&the_gate.mutex);
  ++*count;
  pthread_cond_broadcast(&the_gate.moved);
  pthread_mutex_unlock(&the_gate.mutex);
}

static void gate_wait(const unsigned *count, unsigned least) {
  pthread_mutex_lock(&the_gate.mutex);
  while (*count < least) {
    pthread_cond_wait(&the_gate.moved, &the_gate.mutex);
  }
  pthread_mutex_unlock(&the_gate.mutex);
}

static void hold_up(void *user, const webnn_tapped_value *value) {
  (void)user;
  (void)value;
  pthread_mutex_lock(&the_gate.mutex);
  the_gate.entered++;
  pthread_cond_broadcast(&the_gate.moved);
  while (!the_gate.open) {
    pthread_cond_wait(&the_gate.moved, &the_gate.mutex);
  }
  pthread_mutex_unlock(&the_gate.mutex);
}

static void run_held_up(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *x = new_tensor(s->context, &error), *y = new_tensor(s->context, &error);
  if (dispatch(s->context, s->graph, x, y, &error) != WEBNN_OK) {
    blame(w, "the running dispatch", error.status, error.message);
  }
  webnn_free_tensor(x);
  webnn_free_tensor(y);
}

static void read_behind(worker *w) {
  const shared *s = w->shared;
  float data[ELEMENTS];
  fill(data, -1);
  gate_wait(&the_gate.entered, 1);
  gate_step(&the_gate.waiting);
  the_gate.read_status = webnn_read_tensor(s->context, s->tensor, data, sizeof data, NULL);
  the_gate.untouched = is_filled(data, -1);
}

static void dispatch_behind(worker *w) {
  const shared *s = w->shared;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor *y;
  gate_wait(&the_gate.entered, 1);
  y = new_tensor(s->context, &error);
  gate_step(&the_gate.waiting);
  the_gate.dispatch_status = dispatch(s->context, s->graph, s->tensor, y, &error);
  webnn_free_tensor(y);
}

/* Gives the two behind time to take their places; then something ends, and the gate opens. */
static void end_before_their_turn(bool lose, shared *s) {
  int i;
  gate_wait(&the_gate.waiting, 2);
  for (i = 0; i < 3000; i++) {
    sched_yield();
  }
  if (lose) {
    webnn_destroy_context(s->context);
  } else {
    webnn_destroy_tensor(s->tensor);
  }
  pthread_mutex_lock(&the_gate.mutex);
  the_gate.open = true;
  pthread_cond_broadcast(&the_gate.moved);
  pthread_mutex_unlock(&the_gate.mutex);
}

static void destroy_before_their_turn(worker *w) {
  end_before_their_turn(false, w->shared);
}
static void lose_before_their_turn(worker *w) {
  end_before_their_turn(true, w->shared);
}

/* One round; returns whether both were waiting in time, so that the round says something. */
static bool wait_one_round(bool lose) {
  void (*const works[])(worker *) = {run_held_up, read_behind, dispatch_behind,
                                     lose ? lose_before_their_turn : destroy_before_their_turn};
  const char *name = lose ? "waiting, context lost" : "waiting, tensor destroyed";
  webnn_error error = WEBNN_ZERO;
  bool in_time;
  shared s;
  start_shared(&s);
  memset(&the_gate, 0, sizeof the_gate);
  pthread_mutex_init(&the_gate.mutex, NULL);
  pthread_cond_init(&the_gate.moved, NULL);
  s.context = new_context(2);
  s.graph = new_graph(s.context, NULL, &error);
  s.tensor = new_tensor(s.context, &error);
  CHECK(name, webnn_tap_graph(s.graph, hold_up, NULL, &error) == WEBNN_OK, "%s", error.message);
  (void)run_workers(name, &s, works, 4);
  in_time = the_gate.read_status == WEBNN_INVALID_STATE_ERROR &&
            the_gate.dispatch_status == (lose ? WEBNN_INVALID_STATE_ERROR : WEBNN_OK);
  CHECK(name,
        in_time || the_gate.read_status == WEBNN_TYPE_ERROR ||
            the_gate.dispatch_status == WEBNN_TYPE_ERROR ||
            the_gate.dispatch_status == WEBNN_INVALID_STATE_ERROR,
        "read %s, dispatch %s", webnn_status_name(the_gate.read_status),
        webnn_status_name(the_gate.dispatch_status));
  CHECK(name, the_gate.untouched, "a failed read wrote its buffer");
  CHECK(name, the_gate.entered == (the_gate.dispatch_status == WEBNN_OK ? 2u : 1u),
        "%u dispatches ran", the_gate.entered);
  webnn_free_tensor(s.tensor);
  webnn_free_graph(s.graph);
  webnn_free_context(s.context);
  pthread_cond_destroy(&the_gate.moved);
  pthread_mutex_destroy(&the_gate.mutex);
  end_shared(&s);
  return in_time;
}

static void check_waiting(bool lose) {
  int round, in_time = 0;
  for (round = 0; round < 20; round++) {
    in_time += wait_one_round(lose) ? 1 : 0;
  }
  CHECK("waiting", in_time > 0, "in no round a waiting read and dispatch ended as they should");
}

int main(void) {
  check_one_context(1);
  check_one_context(2);
  check_builders();
  check_destroying(1, false);
  check_destroying(2, false);
  check_destroying(2, true);
  check_losing(1);
  check_losing(2);
  check_freeing();
  check_losing_inside();
  check_two_contexts();
  check_jobs();
  check_taps();
  check_waiting(false);
  check_waiting(true);
  return test_end();
}

#endif
