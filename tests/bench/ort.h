/* ort.h - ONNX Runtime's C interface (ort.c). The library is opened at run time; of its table of functions,
   which only ever grows at the end, the positions of those used here are named. */
#ifndef ORT_H
#define ORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(position in the table, name, arguments). These return a status, NULL for success. */
#define ORT_STATUS_FUNCTIONS(X)                                                                    \
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
#define ORT_VOID_FUNCTIONS(X)                                                                      \
  X(93, release_status, (void *status))                                                            \
  X(95, release_session, (void *session))                                                          \
  X(96, release_value, (void *tensor))                                                             \
  X(100, release_session_options, (void *options))

typedef struct ort_functions {
#define ORT_DECLARE(position, name, arguments) void *(*name)arguments;
  ORT_STATUS_FUNCTIONS(ORT_DECLARE)
#undef ORT_DECLARE
#define ORT_DECLARE(position, name, arguments) void(*name) arguments;
  ORT_VOID_FUNCTIONS(ORT_DECLARE)
#undef ORT_DECLARE
  const char *(*error_message)(const void *status); /* position 2 */
  void *env, *memory_info;
} ort_functions;
extern ort_functions ort;

/* Finds the library and says its version, or returns false and says what is missing. */
bool open_ort(char *text, size_t size);
/* Ends the program with the message of a status that is not NULL. */
void ort_check(void *status);
/* Options with all optimizations and so many threads. */
void *ort_options(uint32_t threads);

#endif
