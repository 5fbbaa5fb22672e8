/* Does the host's floating-point environment show in what the library computes, or is it changed?
   Every call that computes is made with a rounding mode, with subnormals flushed, with a short x87,
   with all traps armed, with some flags raised and others not; set before the context is made or
   after; on one thread, several, or the program's own. All bits must be those of the default
   environment, and afterwards the host's control and flags must be as they were. What this program
   does between the calls is done in the default environment. */
#include "test.h"

#include <fenv.h>
#include <signal.h>

/* ---- The registers ----------------------------------------------------------------------------
 */

/* Control bits and flags, as the processor has them. */
typedef struct registers {
  unsigned long control, flags, x87_control, x87_flags;
} registers;

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define HAS_X87
static void read_x87(registers *s) {
  uint16_t control, status;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  __asm__ volatile("fnstsw %0" : "=m"(status));
  s->x87_control = control;
  s->x87_flags = status & 0x3fu;
}
static void write_x87(const registers *s) {
  uint32_t image[7];
  __asm__ volatile("fnstenv %0" : "=m"(image) : : "memory");
  image[0] = (image[0] & 0xffff0000u) | (uint32_t)s->x87_control;
  image[1] = (image[1] & ~(uint32_t)0xff) | (uint32_t)s->x87_flags;
  __asm__ volatile("fldenv %0" : : "m"(image) : "memory");
}
#endif

static registers read_state(void) {
  registers s;
  memset(&s, 0, sizeof s);
#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__i386__) && defined(__SSE__)))
  {
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    s.control = mxcsr & ~0x3fu;
    s.flags = mxcsr & 0x3fu;
  }
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__ volatile("mrs %0, fpcr" : "=r"(s.control));
  __asm__ volatile("mrs %0, fpsr" : "=r"(s.flags));
#elif defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP)
  __asm__ volatile("vmrs %0, fpscr" : "=r"(s.control));
  s.flags = s.control & 0x9fu;
  s.control &= 0x07fffff60u;
#elif !defined(HAS_X87)
  s.control = (unsigned long)fegetround();
  s.flags = (unsigned long)fetestexcept(FE_ALL_EXCEPT);
#endif
#ifdef HAS_X87
  read_x87(&s);
#endif
  return s;
}

static void write_state(registers s) {
#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__i386__) && defined(__SSE__)))
  const uint32_t mxcsr = (uint32_t)(s.control | s.flags);
  __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(s.control));
  __asm__ volatile("msr fpsr, %0" : : "r"(s.flags));
#elif defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP)
  const unsigned long both = s.control | s.flags;
  __asm__ volatile("vmsr fpscr, %0" : : "r"(both));
#elif !defined(HAS_X87)
  fesetround((int)s.control);
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept((int)s.flags);
#endif
#ifdef HAS_X87
  write_x87(&s);
#endif
}

static bool same_state(registers a, registers b) {
  return a.control == b.control && a.flags == b.flags && a.x87_control == b.x87_control &&
         a.x87_flags == b.x87_flags;
}

/* ---- Environments ------------------------------------------------------------------------------
 */

static void flush(registers *s) {
#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__i386__) && defined(__SSE__)))
  s->control |= 0x8040; /* flush to zero, and take subnormals for zeros */
#elif defined(__GNUC__) && (defined(__aarch64__) || (defined(__arm__) && defined(__ARM_FP)))
  s->control |= 1ul << 24;
#else
  (void)s;
#endif
}

static void shorten_x87(registers *s) {
  s->x87_control &= ~0x0300ul;
}

static void arm_traps(registers *s) {
#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__i386__) && defined(__SSE__)))
  s->control &= ~0x1f80ul;
#elif defined(__GNUC__) && (defined(__aarch64__) || (defined(__arm__) && defined(__ARM_FP)))
  s->control |= 0x9f00ul;
#endif
  s->x87_control &= ~0x3ful;
}

typedef struct environment {
  const char *name;
  int rounding;
  bool flushes, short_x87, traps, flags;
} environment;

static const environment environments[] = {
    {"rounding upward", FE_UPWARD, false, false, false, false},
    {"rounding downward", FE_DOWNWARD, false, false, false, true},
    {"rounding toward zero", FE_TOWARDZERO, false, true, false, false},
    {"subnormals flushed", FE_TONEAREST, true, true, false, true},
    {"traps", FE_TONEAREST, false, false, true, false},
    {"traps, upward, subnormals flushed, short x87", FE_UPWARD, true, true, true, false},
};
enum { ENVIRONMENTS = (int)(sizeof environments / sizeof *environments) };

static registers default_state; /* of this program */
static registers host;          /* in which the calls are made */

/* What the machine does not have is left out. */
static void make_host(const environment *e) {
  fesetround(e->rounding);
  host = read_state();
  fesetround(FE_TONEAREST);
  host.flags = host.x87_flags = 0;
  if (e->flags) {
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
    host.flags = read_state().flags;
    host.x87_flags = read_state().x87_flags;
  }
  if (e->flushes) {
    flush(&host);
  }
  if (e->short_x87) {
    shorten_x87(&host);
  }
  if (e->traps) {
    arm_traps(&host);
  }
  write_state(host);
  host = read_state();
  write_state(default_state);
}

static void trapped(int number) {
  (void)number;
  printf("a trap of the host went off\n");
  printf("0 passed, 1 failed, 0 skipped\n");
  fflush(stdout);
  _Exit(1);
}

/* ---- Calls in the host's environment -----------------------------------------------------------
 */

static bool at_creation; /* or is it set once there is a context? */
static const char *changed_by;

static void enter_host(void) {
  write_state(host);
}

static void leave_host(const char *name) {
  const registers after = read_state();
  write_state(default_state);
  if (!same_state(after, host)) {
    changed_by = name;
  }
}

static webnn_status hosted_create_context(const webnn_context_options *options,
                                          webnn_context **context, webnn_error *error) {
  webnn_status status;
  if (!at_creation) {
    return webnn_create_context(options, context, error);
  }
  enter_host();
  status = webnn_create_context(options, context, error);
  leave_host("createContext");
  return status;
}

static webnn_context *hosted_context(const webnn_context_options *options) {
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  if (hosted_create_context(options, &context, &error) != WEBNN_OK) {
    printf("no context: %s\n", error.message);
    exit(1);
  }
  return context;
}

static webnn_status hosted_build(webnn_builder *builder, const webnn_named_operand *outputs,
                                 size_t output_count, webnn_graph **graph, webnn_error *error) {
  webnn_status status;
  enter_host();
  status = webnn_build(builder, outputs, output_count, graph, error);
  leave_host("build");
  return status;
}

static webnn_status hosted_dispatch(webnn_context *context, webnn_graph *graph,
                                    const webnn_named_tensor *inputs, size_t input_count,
                                    const webnn_named_tensor *outputs, size_t output_count,
                                    webnn_error *error) {
  webnn_status status;
  enter_host();
  status = webnn_dispatch(context, graph, inputs, input_count, outputs, output_count, error);
  leave_host("dispatch");
  return status;
}

static webnn_status hosted_read_tensor(webnn_context *context, webnn_tensor *tensor, void *buffer,
                                       size_t byte_length, webnn_error *error) {
  webnn_status status;
  enter_host();
  status = webnn_read_tensor(context, tensor, buffer, byte_length, error);
  leave_host("readTensor");
  return status;
}

static webnn_status hosted_write_tensor(webnn_context *context, webnn_tensor *tensor,
                                        const void *data, size_t byte_length, webnn_error *error) {
  webnn_status status;
  enter_host();
  status = webnn_write_tensor(context, tensor, data, byte_length, error);
  leave_host("writeTensor");
  return status;
}

/* The graph of every_operator.h and the corpora of digest.c and fast_digest.c, with the calls
   above. */
#define webnn_create_context hosted_create_context
#define test_context hosted_context
#define webnn_build hosted_build
#define webnn_dispatch hosted_dispatch
#define webnn_read_tensor hosted_read_tensor
#define webnn_write_tensor hosted_write_tensor
#define DIGEST_CORPUS_ONLY
#define FAST_DIGEST_CORPUS_ONLY
#include "every_operator.h"
#include "fast_digest.c"
#undef webnn_create_context
#undef test_context
#undef webnn_build
#undef webnn_dispatch
#undef webnn_read_tensor
#undef webnn_write_tensor

/* Work that is cut into slices, with results of every rounding and many subnormal ones. */
static void graph_large(run *r) {
  static const float third = 1.0f / 3, little = 1e-3f;
  webnn_operand *x = input_of(r, WEBNN_FLOAT32, shape_2(300, 256)), *a, *b;
  a = webnn_constant(r->builder, WEBNN_SCALAR(WEBNN_FLOAT32), &third, sizeof third);
  b = webnn_constant(r->builder, WEBNN_SCALAR(WEBNN_FLOAT32), &little, sizeof little);
  output(r, webnn_div(r->builder, x, a, NULL));
  output(r, webnn_sin(r->builder, webnn_mul(r->builder, x, b, NULL), NULL));
  output(r, webnn_matmul(r->builder, webnn_transpose(r->builder, x, NULL), x, NULL));
}

/* ---- The program's own threads -----------------------------------------------------------------

   Each slice finds another environment, as on a thread of its own. */

static unsigned long slices_run;

static void lend_threads(void *user, size_t count, webnn_task task, void *data) {
  const registers before = read_state(), caller = host;
  const bool as_host = before.control == host.control && before.x87_control == host.x87_control;
  size_t i;
  (void)user;
  for (i = 0; i < count; i++) {
    write_state(default_state);
    make_host(&environments[i % ENVIRONMENTS]);
    enter_host();
    task(data, i);
    leave_host("a slice");
  }
  host = caller;
  if (!as_host) {
    changed_by = "parallel_for's caller";
  }
  slices_run += (unsigned long)count;
  write_state(before);
}

/* ---- Comparing ---------------------------------------------------------------------------------
 */

#define MAX_LINES 1000
static char expected[MAX_LINES][80];
static int line_count, line;

static void take_expected(const taker *t, const char *name, const char *text) {
  (void)t;
  (void)name;
  snprintf(expected[line_count++], sizeof *expected, "%s", text);
}

static void take_compared(const taker *t, const char *name, const char *text) {
  (void)name;
  CHECK(t->where, line < line_count && strcmp(expected[line], text) == 0,
        "expected \"%s\", got \"%s\"", expected[line], text);
  line++;
}

static void run_large(digester *d, const webnn_context_options *options, const taker *t) {
  unsigned number;
  d->context = hosted_context(options);
  for (number = 0; number < STYLE_COUNT; number++) {
    char text[80];
    d->digest = DIGEST_OF_NOTHING;
    CHECK("large", run_made(d, graph_large, "large", WEBNN_FLOAT32, number, 99), "%s", d->problem);
    snprintf(text, sizeof text, "large %u %08lx%08lx", number, (unsigned long)(d->digest >> 32),
             (unsigned long)(d->digest & 0xFFFFFFFF));
    t->take(t, "large", text);
  }
  webnn_free_context(d->context);
}

static void run_all(const webnn_context_options *options, const char *where,
                    void (*take)(const taker *, const char *, const char *)) {
  const bool fast = options->numerics == WEBNN_NUMERICS_FAST;
  digester d;
  taker t;
  memset(&d, 0, sizeof d);
  memset(&t, 0, sizeof t);
  t.take = take;
  t.where = where;
  line = 0;
  run_corpus(&d, options, &t);
  if (fast) {
    run_graphs(&d, options, &t);
    run_large(&d, options, &t);
  }
}

/* Compares a kind of context in some environments with the default one; threads and moment change
   from one to the next. */
static void compare_contexts(webnn_context_options options, const char *kind, int first, int step) {
  const bool fast = options.numerics == WEBNN_NUMERICS_FAST;
  int i;
  options.threads = 1;
  host = default_state;
  line_count = 0;
  run_all(&options, kind, take_expected);
  for (i = first; i < 2 * ENVIRONMENTS; i += step) {
    const environment *e = &environments[i % ENVIRONMENTS];
    char where[128];
    webnn_context_options o = options;
    at_creation = i >= ENVIRONMENTS;
    make_host(e);
    o.threads = 1 + (uint32_t)(i + i / ENVIRONMENTS) % 3;
    snprintf(where, sizeof where, "%s, %s %s, %u threads", kind, e->name,
             at_creation ? "from the beginning" : "after creation", (unsigned)o.threads);
    changed_by = NULL;
    run_all(&o, where, take_compared);
    CHECK(where, changed_by == NULL, "%s has changed the host's environment", changed_by);
    if (fast && i % 2 == 0) {
      o.parallel_for = lend_threads;
      o.threads = 2;
      slices_run = 0;
      run_all(&o, where, take_compared);
      CHECK(where, changed_by == NULL, "parallel_for: %s has changed the host's environment",
            changed_by);
      CHECK(where, slices_run > 100, "only %lu slices", slices_run);
    }
  }
}

/* ---- What is computed beside runs --------------------------------------------------------------
 */

/* All of it, as bytes. */
typedef struct beside {
  every_text text;
  size_t used;
  char results[EVERY_RESULT_BYTES];
  char message[sizeof((webnn_error *)0)->message];
  uint16_t halves[3];
  float singles[3];
  webnn_comparison comparison;
} beside;

static unsigned long taps, packs, elsewhere;

static void look_around(void) {
  const registers s = read_state();
  elsewhere += s.control != host.control || s.x87_control != host.x87_control;
}

static void tap(void *user, const webnn_tapped_value *value) {
  (void)user;
  (void)value;
  taps++;
  look_around();
}

static void packed(void *user, const void *data, size_t byte_length) {
  (void)user;
  (void)data;
  (void)byte_length;
  packs++;
  look_around();
}

/* Options with many digits, and a whole number that is given as a double. */
static webnn_operand *describe_numbers(every_operator *e) {
  webnn_builder *b = e->builder;
  webnn_linear_options linear = WEBNN_ZERO;
  webnn_clamp_options clamp = WEBNN_ZERO;
  webnn_batch_normalization_options batch = WEBNN_ZERO;
  webnn_operand *four = every_filled(e, 0.3f, WEBNN_LIST(4));
  linear.alpha = webnn_f64(0.1);
  linear.beta = webnn_f64(1e-300);
  clamp.min_value = webnn_f64(-1.0 / 3);
  clamp.max_value = webnn_f64(1e-40);
  batch.axis = webnn_f64(1.75);
  every_output(e, "axis", webnn_batch_normalization(b, e->inputs[EVERY_IMAGE], four, four, &batch));
  return webnn_clamp(b, webnn_linear(b, e->inputs[EVERY_F32], &linear), &clamp);
}

static void compute_beside(webnn_context *context, beside *all) {
  static const float numbers[3] = {0.1f, 1e-41f, 65519.9f};
  static const float others[3] = {0.1000001f, 1e-42f, 65520.0f};
  static const float singles[3] = {0.1f, 6.2e-8f, 65519.9f};
  static const uint16_t halves[3] = {0x0001, 0xfbff, 0x3555};
  const webnn_tolerance exactly = WEBNN_ZERO;
  every_operator e;
  webnn_graph *graph = NULL;
  webnn_tensor *constant = NULL;
  webnn_builder *builder = test_builder(context);
  webnn_error error = WEBNN_ZERO;
  webnn_clamp_options empty = WEBNN_ZERO;
  int i;
  memset(all, 0, sizeof *all);
  empty.min_value = webnn_f64(0.3);
  empty.max_value = webnn_f64(0.1);
  every_constant_tensor(context, &constant, &error);
  enter_host();
  every_describe(&e, builder, constant, every_names);
  every_output(&e, "numbers", describe_numbers(&e));
  (void)webnn_build(builder, e.outputs, e.output_count, &graph, &error);
  webnn_print_graph(graph, every_write, &all->text);
  webnn_tap_graph(graph, tap, NULL, &error);
  for (i = 0; i < 3; i++) {
    all->halves[i] = webnn_float32_to_float16(singles[i]);
    all->singles[i] = webnn_float16_to_float32(halves[i]);
  }
  all->comparison = webnn_compare(WEBNN_FLOAT32, numbers, others, 3, exactly);
  leave_host("describing, printing or comparing");
  webnn_free_builder(builder);
  builder = test_builder(context);
  e.inputs[0] = webnn_input(builder, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2));
  enter_host();
  webnn_clamp(builder, e.inputs[0], &empty);
  leave_host("clamp");
  snprintf(all->message, sizeof all->message, "%s", webnn_builder_message(builder));
  webnn_free_builder(builder);
  webnn_free_tensor(constant);
  if (graph == NULL) {
    printf("no graph: %s\n", error.message);
    exit(1);
  }
  all->used = every_run(context, graph, all->results);
  webnn_free_graph(graph);
}

static void compare_beside(webnn_numerics numerics) {
  static beside right, found;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  int i;
  options.numerics = numerics;
  options.threads = 2;
  options.constant_packed = packed;
  context = test_context(&options);
  host = default_state;
  compute_beside(context, &right);
  CHECK("message", strstr(right.message, "0.3") != NULL, "it has no number: %s", right.message);
  for (i = 0; i < ENVIRONMENTS; i++) {
    const char *where = environments[i].name;
    make_host(&environments[i]);
    changed_by = NULL;
    taps = packs = elsewhere = 0;
    compute_beside(context, &found);
    CHECK(where, changed_by == NULL, "%s has changed the host's environment", changed_by);
    CHECK(where, taps > 90 && (packs > 0) == (numerics == WEBNN_NUMERICS_FAST) && elsewhere == 0,
          "%lu of %lu calls of the host's functions were not in its environment", elsewhere,
          taps + packs);
    CHECK(where, strcmp(right.text.data, found.text.data) == 0, "the printed graph differs");
    CHECK(where, right.used == found.used && memcmp(right.results, found.results, right.used) == 0,
          "the results differ");
    CHECK(where, strcmp(right.message, found.message) == 0, "expected \"%s\", got \"%s\"",
          right.message, found.message);
    CHECK(where,
          memcmp(right.halves, found.halves, sizeof right.halves) == 0 &&
              memcmp(right.singles, found.singles, sizeof right.singles) == 0,
          "the conversions of float16 differ");
    CHECK(where, memcmp(&right.comparison, &found.comparison, sizeof right.comparison) == 0,
          "webnn_compare differs");
    free(found.text.data);
  }
  free(right.text.data);
  webnn_free_context(context);
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  default_state = read_state();
  signal(SIGFPE, trapped);
  compare_beside(WEBNN_NUMERICS_FAST);
  compare_beside(WEBNN_NUMERICS_REFERENCE);
  compare_contexts(options, "fast", 0, 1);
  options.instruction_set = WEBNN_ISA_SCALAR;
  compare_contexts(options, "scalar", 1, 3);
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  compare_contexts(options, "reference", ENVIRONMENTS - 1, ENVIRONMENTS);
  return test_end();
}
