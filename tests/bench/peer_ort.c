/* peer_ort.c - ONNX Runtime by its C interface. The library is opened at run time; of its table of
   functions, which only ever grows at the end, the positions of those used here are named. */
#include "bench.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table of functions --------------------------------------------------------------------
 */

#define API_VERSION 16 /* the oldest table that has everything used here */

typedef struct ort_base {
  const void *const *(*get_api)(uint32_t version);
  const char *(*version)(void);
} ort_base;

/* X(position in the table, name, arguments). These return a status, NULL for success. */
#define STATUS_FUNCTIONS(X)                                                                        \
  X(3, create_env, (int level, const char *id, void **env))                                        \
  X(7, create_session, (void *env, const char *path, void *options, void **session))               \
  X(8, create_session_from_array,                                                                  \
    (void *env, const void *model, size_t size, void *options, void **session))                    \
  X(9, run,                                                                                        \
    (void *session, const void *options, const char *const *input_names, void *const *inputs,      \
     size_t input_count, const char *const *output_names, size_t output_count, void **outputs))    \
  X(10, create_session_options, (void **options))                                                  \
  X(23, set_optimization_level, (void *options, int level))                                        \
  X(24, set_intra_op_threads, (void *options, int threads))                                        \
  X(25, set_inter_op_threads, (void *options, int threads))                                        \
  X(49, create_tensor_with_data,                                                                   \
    (void *info, void *data, size_t size, const int64_t *dimensions, size_t rank, int type,        \
     void **tensor))                                                                               \
  X(69, create_cpu_memory_info, (int allocator, int kind, void **info))
#define VOID_FUNCTIONS(X)                                                                          \
  X(93, release_status, (void *status))                                                            \
  X(95, release_session, (void *session))                                                          \
  X(96, release_value, (void *tensor))                                                             \
  X(100, release_session_options, (void *options))

static struct {
#define DECLARE(position, name, arguments) void *(*name)arguments;
  STATUS_FUNCTIONS(DECLARE)
#undef DECLARE
#define DECLARE(position, name, arguments) void(*name) arguments;
  VOID_FUNCTIONS(DECLARE)
#undef DECLARE
  const char *(*error_message)(const void *status); /* position 2 */
  void *env, *memory_info;
} ort;

static void check(void *status) {
  if (status)
    fail("ONNX Runtime: %s", ort.error_message(status));
}

/* ---- Finding the library -----------------------------------------------------------------------
 */

#if defined(__aarch64__)
#define FOLDER "arm64"
#else
#define FOLDER "x64"
#endif

/* In the folder that peers.sh fills, or wherever the system looks. */
static void *open_library(void) {
  const char *named = getenv("WEBNN_ONNXRUNTIME"), *peers = getenv("WEBNN_BENCH");
  char pattern[1024];
  void *library = NULL;
  if (named)
    return dlopen(named, RTLD_NOW | RTLD_LOCAL);
  snprintf(pattern, sizeof pattern,
           "%s/node_modules/onnxruntime-node/bin/*/linux/" FOLDER "/libonnxruntime.so*",
           peers ? peers : ".");
  glob_t found;
  if (glob(pattern, 0, NULL, &found) == 0)
    library = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_LOCAL);
  globfree(&found);
  return library ? library : dlopen("libonnxruntime.so", RTLD_NOW | RTLD_LOCAL);
}

static void load(const void *const *api) {
#define LOAD(position, name, arguments) memcpy(&ort.name, &api[position], sizeof ort.name);
  STATUS_FUNCTIONS(LOAD)
  VOID_FUNCTIONS(LOAD)
#undef LOAD
  memcpy(&ort.error_message, &api[2], sizeof ort.error_message);
  check(ort.create_env(3, "bench", &ort.env)); /* 3: errors only */
  check(ort.create_cpu_memory_info(1, 0, &ort.memory_info));
}

static bool ort_open(char *text, size_t size) {
  const ort_base *(*get_base)(void);
  void *library = open_library();
  void *symbol = library ? dlsym(library, "OrtGetApiBase") : NULL;
  memcpy(&get_base, &symbol, sizeof get_base);
  const ort_base *base = symbol ? get_base() : NULL;
  const void *const *api = base ? base->get_api(API_VERSION) : NULL;
  if (!api) {
    snprintf(text, size, "libonnxruntime.so is not found (make -C tests bench-peers)");
    return false;
  }
  load(api);
  snprintf(text, size, "ONNX Runtime %s", base->version());
  return true;
}

/* ---- Running -----------------------------------------------------------------------------------
 */

typedef struct ort_state {
  void *session;
  void *inputs[MAX_PORTS], *outputs[MAX_PORTS];
  char names[2 * MAX_PORTS][16];
  const char *input_names[MAX_PORTS], *output_names[MAX_PORTS];
  size_t input_count, output_count;
} ort_state;

static void *tensor_over(const value_info *v, void *memory) {
  static const int types[] = {[WEBNN_FLOAT32] = 1, [WEBNN_FLOAT16] = 10, [WEBNN_INT32] = 6,
                              [WEBNN_INT64] = 7,   [WEBNN_INT8] = 3,     [WEBNN_UINT8] = 2};
  int64_t dimensions[WEBNN_MAX_RANK];
  void *tensor;
  for (uint32_t i = 0; i < v->shape.rank; i++)
    dimensions[i] = v->shape.d[i];
  check(ort.create_tensor_with_data(ort.memory_info, memory, v->bytes, dimensions, v->shape.rank,
                                    types[v->type], &tensor));
  return tensor;
}

static void *create_session(const graph *g, uint32_t threads) {
  void *options, *session;
  check(ort.create_session_options(&options));
  check(ort.set_optimization_level(options, 99)); /* all */
  check(ort.set_intra_op_threads(options, (int)threads));
  check(ort.set_inter_op_threads(options, 1));
  if (g->onnx_path) {
    check(ort.create_session(ort.env, g->onnx_path, options, &session));
  } else {
    size_t size;
    unsigned char *model = write_onnx(g, NULL, &size);
    check(ort.create_session_from_array(ort.env, model, size, options, &session));
    free(model);
  }
  ort.release_session_options(options);
  return session;
}

static void ort_run(void *state) {
  ort_state *s = (ort_state *)state;
  check(ort.run(s->session, NULL, s->input_names, s->inputs, s->input_count, s->output_names,
                s->output_count, s->outputs));
}

static void ort_release(void *state) {
  ort_state *s = (ort_state *)state;
  for (size_t i = 0; i < s->input_count; i++)
    ort.release_value(s->inputs[i]);
  for (size_t i = 0; i < s->output_count; i++)
    ort.release_value(s->outputs[i]);
  ort.release_session(s->session);
  free(s);
}

static void bind(ort_state *s, const graph *g, runner *r) {
  s->input_count = (size_t)g->input_count;
  s->output_count = (size_t)g->output_count;
  for (int i = 0; i < g->input_count; i++) {
    const value_info *v = &g->values[g->inputs[i]];
    snprintf(s->names[i], sizeof s->names[i], "v%d", g->inputs[i]);
    s->input_names[i] = s->names[i];
    s->inputs[i] = tensor_over(v, v->data);
  }
  for (int i = 0; i < g->output_count; i++) {
    const value_info *v = &g->values[g->outputs[i]];
    snprintf(s->names[MAX_PORTS + i], sizeof s->names[i], "v%d", g->outputs[i]);
    s->output_names[i] = s->names[MAX_PORTS + i];
    r->outputs[i] = allocate(v->bytes);
    s->outputs[i] = tensor_over(v, r->outputs[i]);
  }
}

static bool ort_create(const graph *g, uint32_t threads, runner *r) {
  ort_state *s = (ort_state *)allocate(sizeof *s);
  s->session = create_session(g, threads);
  bind(s, g, r);
  r->state = s;
  r->run = ort_run;
  r->release = ort_release;
  return true;
}

const peer peer_ort = {"ort", ort_open, ort_create, false};
