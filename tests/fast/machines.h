/* Fast contexts of each instruction set with one to three threads, and a reference context. */
#ifndef WEBNN_TEST_MACHINES_H
#define WEBNN_TEST_MACHINES_H

#include "sets.h"

typedef struct machine {
  webnn_context *context;
  char name[32];
  int set;
  bool fused; /* its kernels fuse multiply-adds */
  uint32_t threads;
} machine;

static webnn_context *reference;
static machine machines[24];
static size_t machine_count;

static void open_machines(void) {
  webnn_context_options options = WEBNN_ZERO;
  int set;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  reference = test_context(&options);
  options.numerics = WEBNN_NUMERICS_FAST;
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    for (options.threads = 1; options.threads <= 3; options.threads++) {
      machine *m = &machines[machine_count];
      options.instruction_set = (webnn_instruction_set)set;
      m->context = test_set_context(&options);
      if (m->context != NULL) {
        snprintf(m->name, sizeof m->name, "%s, %u threads", test_set_name(set),
                 (unsigned)options.threads);
        m->set = set;
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
