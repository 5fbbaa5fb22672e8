/* ort.c - finds ONNX Runtime's library and takes its functions. */
#include "ort.h"
#include "bench.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define API_VERSION 16 /* the oldest table that has everything used here */

typedef struct ort_base {
  const void *const *(*get_api)(uint32_t version);
  const char *(*version)(void);
} ort_base;

ort_functions ort;

void ort_check(void *status) {
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
  ORT_STATUS_FUNCTIONS(LOAD)
  ORT_VOID_FUNCTIONS(LOAD)
#undef LOAD
  memcpy(&ort.error_message, &api[2], sizeof ort.error_message);
  ort_check(ort.create_env(3, "bench", &ort.env)); /* 3: errors only */
  ort_check(ort.create_cpu_memory_info(1, 0, &ort.memory_info));
}

bool open_ort(char *text, size_t size) {
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

void *ort_options(uint32_t threads) {
  void *options;
  ort_check(ort.create_session_options(&options));
  ort_check(ort.set_optimization_level(options, 99)); /* all */
  ort_check(ort.set_intra_op_threads(options, (int)threads));
  ort_check(ort.set_inter_op_threads(options, 1));
  return options;
}
