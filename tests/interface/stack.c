/* How much stack the library needs: every build and every dispatch of the corpora of digest.c and
   fast_digest.c, and of some larger graphs, runs on a thread that has as much as the interface says
   and nothing mapped below it. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* mmap and sigaltstack under -std=c99 */
#endif
#include "test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NO_STACK_TEST "a sanitizer makes frames larger"
#elif defined(_WIN32) || !(defined(__unix__) || defined(__APPLE__))
#define NO_STACK_TEST "there is no pthread.h or no mmap"
#endif

#ifdef NO_STACK_TEST

int main(void) {
  test_skip("stack", NO_STACK_TEST);
  return test_end();
}

#else

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __OPTIMIZE__
#define STACK ((size_t)64 << 10)
#else
#define STACK ((size_t)96 << 10)
#endif
#define UNMAPPED ((size_t)1 << 20) /* below it: a frame of any size ends there */

/* ---- A thread with little stack ----------------------------------------------------------------
 */

static char *memory; /* UNMAPPED, then STACK */
static char running[160];

static void overflown(int number) {
  (void)number;
  if (write(1, running, strlen(running)) < 0 ||
      write(1, "\n0 passed, 1 failed, 0 skipped\n", 31) < 0) {
    _exit(2);
  }
  _exit(1);
}

static void *with_other_stack(void *call) {
  void (*const *f)(void) = (void (*const *)(void))call;
  stack_t other;
  memset(&other, 0, sizeof other);
  other.ss_sp = memory + UNMAPPED + STACK;
  other.ss_size = (size_t)64 << 10;
  sigaltstack(&other, NULL);
  (*f)();
  return NULL;
}

static void start(void) {
  struct sigaction action;
  memory = (char *)mmap(NULL, UNMAPPED + STACK + ((size_t)64 << 10), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, UNMAPPED, PROT_NONE) != 0) {
    printf("no memory\n");
    exit(1);
  }
  memset(&action, 0, sizeof action);
  action.sa_handler = overflown;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

static void call_on_thread(void (*f)(void)) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstack(&attributes, memory + UNMAPPED, STACK) != 0 ||
      pthread_create(&thread, &attributes, with_other_stack, (void *)&f) != 0) {
    printf("no thread\n");
    exit(1);
  }
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

/* ---- Calls on it -------------------------------------------------------------------------------
 */

static struct {
  webnn_context *context;
  webnn_builder *builder;
  webnn_graph *graph, **place;
  const webnn_named_operand *operands;
  const webnn_named_tensor *inputs, *outputs;
  size_t operand_count, input_count, output_count;
  webnn_error *error;
  webnn_status status;
} call;

static void build_here(void) {
  call.status =
      webnn_build(call.builder, call.operands, call.operand_count, call.place, call.error);
}

static webnn_status build_on_thread(webnn_builder *builder, const webnn_named_operand *outputs,
                                    size_t output_count, webnn_graph **graph, webnn_error *error) {
  call.builder = builder;
  call.operands = outputs;
  call.operand_count = output_count;
  call.place = graph;
  call.error = error;
  call_on_thread(build_here);
  return call.status;
}

static void dispatch_here(void) {
  call.status = webnn_dispatch(call.context, call.graph, call.inputs, call.input_count,
                               call.outputs, call.output_count, call.error);
}

static webnn_status dispatch_on_thread(webnn_context *context, webnn_graph *graph,
                                       const webnn_named_tensor *inputs, size_t input_count,
                                       const webnn_named_tensor *outputs, size_t output_count,
                                       webnn_error *error) {
  call.context = context;
  call.graph = graph;
  call.inputs = inputs;
  call.input_count = input_count;
  call.outputs = outputs;
  call.output_count = output_count;
  call.error = error;
  call_on_thread(dispatch_here);
  return call.status;
}

#define webnn_build build_on_thread
#define webnn_dispatch dispatch_on_thread
#define DIGEST_CORPUS_ONLY
#define FAST_DIGEST_CORPUS_ONLY
#include "fast_digest.c"

/* ---- Larger graphs -----------------------------------------------------------------------------

   Of an nhwc image, or of a batch of matrices, of 64 x 64 x 64. */

static webnn_operand *image_of(run *r) {
  return input_of(r, r->type, shape_4(1, 64, 64, 64));
}

static void large_pools(run *r) {
  webnn_operand *x = image_of(r);
  webnn_pool2d_options options = WEBNN_ZERO;
  options.window_dimensions = WEBNN_LIST(3, 3);
  output(r, webnn_average_pool2d(r->builder, x, &options));
  options.strides = WEBNN_LIST(2, 2);
  options.layout = WEBNN_LAYOUT_NHWC;
  output(r, webnn_l2_pool2d(r->builder, x, &options));
  options.padding = WEBNN_LIST(1, 1, 1, 1);
  output(r, webnn_max_pool2d(r->builder, x, &options));
}

static void large_reductions(run *r) {
  webnn_operand *x = image_of(r);
  webnn_reduce_options options = WEBNN_ZERO;
  options.axes = WEBNN_LIST(3);
  output(r, webnn_reduce_sum(r->builder, x, &options));
  options.axes = WEBNN_LIST(1, 2);
  output(r, webnn_reduce_log_sum_exp(r->builder, x, &options));
  output(r, webnn_reduce_l2(r->builder, webnn_exp(r->builder, webnn_neg(r->builder, x, NULL), NULL),
                            &options));
  options.axes = WEBNN_LIST(0);
  output(r,
         webnn_reduce_log_sum_exp(
             r->builder, webnn_add(r->builder, x, constant_of(r, r->type, shape_2(64, 64)), NULL),
             &options));
}

static void large_rows(run *r) {
  webnn_operand *x = image_of(r);
  webnn_layer_normalization_options layer = WEBNN_ZERO;
  webnn_batch_normalization_options batch = WEBNN_ZERO;
  layer.axes = WEBNN_LIST(1, 2);
  batch.axis = webnn_f64(3);
  output(r, webnn_softmax(r->builder, x, 1, NULL));
  output(r, webnn_softmax(r->builder, x, 3, NULL));
  output(r, webnn_layer_normalization(r->builder, x, &layer));
  output(r, webnn_batch_normalization(r->builder, x, constant_of(r, r->type, shape_1(64)),
                                      constant_of(r, r->type, shape_1(64)), &batch));
}

static void large_products(run *r) {
  webnn_operand *x = image_of(r), *t;
  webnn_transpose_options turned = WEBNN_ZERO;
  turned.permutation = WEBNN_LIST(0, 1, 3, 2);
  t = webnn_transpose(r->builder, x, &turned);
  output(r, webnn_matmul(r->builder, x, t, NULL));
  output(r, webnn_transpose(r->builder, x, NULL));
  output(r, webnn_matmul(r->builder,
                         webnn_softmax(r->builder, webnn_matmul(r->builder, x, t, NULL), 3, NULL),
                         x, NULL));
}

static void large_convolutions(run *r) {
  webnn_operand *x = image_of(r);
  webnn_conv2d_options conv = WEBNN_ZERO;
  webnn_conv_transpose2d_options transpose = WEBNN_ZERO;
  conv.padding = WEBNN_LIST(1, 1, 1, 1);
  output(r, webnn_conv2d(r->builder, x, constant_of(r, r->type, shape_4(16, 64, 3, 3)), &conv));
  conv.input_layout = WEBNN_LAYOUT_NHWC;
  conv.dilations = WEBNN_LIST(2, 3);
  output(r, webnn_conv2d(r->builder, x, constant_of(r, r->type, shape_4(8, 64, 16, 15)), &conv));
  conv.groups = 64;
  output(r, webnn_conv2d(r->builder, x, constant_of(r, r->type, shape_4(64, 1, 3, 3)), &conv));
  transpose.strides = WEBNN_LIST(2, 2);
  transpose.input_layout = WEBNN_LAYOUT_NHWC;
  output(r, webnn_conv_transpose2d(r->builder, x, constant_of(r, r->type, shape_4(64, 16, 5, 3)),
                                   &transpose));
}

static const struct {
  const char *name;
  maker make;
} large[] = {
    {"pools", large_pools},       {"reductions", large_reductions},     {"rows", large_rows},
    {"products", large_products}, {"convolutions", large_convolutions},
};

static void take_name(const taker *t, const char *name, const char *text) {
  CHECK(t->where, true, "%s", text);
  snprintf(running, sizeof running, "%s: the stack is not enough, after %s", t->where, name);
}

static void run_kind(webnn_context_options options, const char *where) {
  const bool fast = options.numerics == WEBNN_NUMERICS_FAST;
  webnn_context *context = NULL;
  digester d;
  taker t;
  size_t i;
  options.threads = 1;
  if (webnn_create_context(&options, &context, NULL) != WEBNN_OK) {
    test_skip(where, "this build or processor does not have the instruction set");
    return;
  }
  webnn_free_context(context);
  memset(&d, 0, sizeof d);
  memset(&t, 0, sizeof t);
  t.take = take_name;
  t.where = where;
  snprintf(running, sizeof running, "%s: the stack is not enough", where);
  run_corpus(&d, &options, &t);
  if (!fast) {
    return;
  }
  run_graphs(&d, &options, &t);
  d.context = test_context(&options);
  for (i = 0; i < 2 * sizeof large / sizeof *large; i++) {
    const char *name = large[i / 2].name;
    snprintf(running, sizeof running, "%s: the stack is not enough for large %s", where, name);
    CHECK(where,
          run_made(&d, large[i / 2].make, name, i % 2 == 0 ? WEBNN_FLOAT32 : WEBNN_FLOAT16, 0, 7),
          "%s", d.problem);
  }
  webnn_free_context(d.context);
}

int main(void) {
  static const char *const names[] = {"best", "scalar", "SSE2", "AVX2", "AVX-512", "NEON"};
  webnn_context_options options = WEBNN_ZERO;
  int set;
  start();
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_NEON; set++) {
    options.instruction_set = (webnn_instruction_set)set;
    run_kind(options, names[set]);
  }
  options.instruction_set = WEBNN_ISA_BEST;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  run_kind(options, "reference");
  return test_end();
}

#endif
