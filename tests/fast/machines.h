/* Fast contexts of each instruction set with one and two threads, and with as many of the program's own that work
   is cut otherwise; and a reference context. */
#ifndef WEBNN_TEST_MACHINES_H
#define WEBNN_TEST_MACHINES_H

#include "sets.h"

typedef struct machine {
  webnn_context *context;
  webnn_context_options options; /* of the context, for others like it */
  char name[32];
  bool fused; /* its kernels fuse multiply-adds */
  uint32_t threads;
} machine;

static webnn_context *reference;
static machine machines[24];
static size_t machine_count;

/* One after the other, the last first. */
static void run_tasks(void *user, size_t count, webnn_task task, void *data) {
  (void)user;
  while (count-- > 0) {
    task(data, count);
  }
}

static void open_machines(void) {
  static const uint32_t threads[] = {1, 2, 40};
  webnn_context_options options = WEBNN_ZERO;
  int set;
  size_t i;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  reference = test_context(&options);
  options.numerics = WEBNN_NUMERICS_FAST;
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    for (i = 0; i < sizeof threads / sizeof *threads; i++) {
      machine *m = &machines[machine_count];
      options.threads = threads[i];
      options.parallel_for = threads[i] > 2 ? run_tasks : NULL;
      options.instruction_set = (webnn_instruction_set)set;
      m->context = test_set_context(&options);
      if (m->context != NULL) {
        snprintf(m->name, sizeof m->name, "%s, %u threads", test_set_name(set),
                 (unsigned)options.threads);
        m->options = options;
        m->threads = options.threads;
        m->fused = test_set_fuses(set);
        machine_count++;
      }
    }
  }
}

static void close_machines(void) {
  size_t i;
  for (i = 0; i < machine_count; i++) {
    webnn_free_context(machines[i].context);
  }
  webnn_free_context(reference);
}

#endif
