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

#if !defined(WEBNN_NO_FAST_KERNELS) && !defined(WEBNN_TEST_LINKED) /* which do not see the inside */
/* Where the table that is chosen here has dot products of bytes, that of the same set for
   processors without them; else NULL. */
static inline const webnn__kernels *kernels_without_dot4(int set) {
  const webnn__kernels *const chosen = webnn__kernels_of((webnn_instruction_set)set);
#if (WEBNN__DOT4_SETS & WEBNN_WITH_AVX2) != 0
  if (chosen == &webnn__avx2_dot4_kernels) {
    return &webnn__avx2_kernels;
  }
#endif
#if (WEBNN__DOT4_SETS & WEBNN_WITH_AVX512) != 0
  if (chosen == &webnn__avx512_dot4_kernels) {
    return &webnn__avx512_kernels;
  }
#endif
#if (WEBNN__DOT4_SETS & WEBNN_WITH_NEON) != 0
  if (chosen == &webnn__neon_dot4_kernels) {
    return &webnn__neon_kernels;
  }
#endif
#if (WEBNN__MMLA_SETS & WEBNN_WITH_NEON) != 0
  if (chosen == &webnn__neon_mmla_kernels) {
    return &webnn__neon_kernels;
  }
#endif
#if (WEBNN__DOT4_SETS & WEBNN_WITH_WASM_SIMD) != 0
  if (chosen == &webnn__wasm_dot4_kernels) {
    return &webnn__wasm_kernels;
  }
#endif
  (void)chosen;
  return NULL;
}

/* Where it has matrix products of bytes, that with dot products, if that is a third one; else NULL. */
static inline const webnn__kernels *kernels_without_mmla(int set) {
#if (WEBNN__MMLA_SETS & WEBNN__DOT4_SETS & WEBNN_WITH_NEON) != 0
  if (webnn__kernels_of((webnn_instruction_set)set) == &webnn__neon_mmla_kernels) {
    return &webnn__neon_dot4_kernels;
  }
#endif
  (void)set;
  return NULL;
}

/* After open_machines: contexts with those tables, too. A processor whose dot products of bytes are
   not used fails. */
static inline void open_machines_without_dot4(void) {
  const size_t count = machine_count;
  size_t i;
  int set;
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    if ((WEBNN__DOT4_SETS >> (set - 1) & 1) != 0 && kernels_without_dot4(set) == NULL) {
      CHECK(test_set_name(set), !test_has_dot4(set), "its dot products of bytes are not used");
      test_skip(test_set_name(set), "dot products of bytes: not on this machine");
    }
  }
  for (i = 0; i < count; i++) {
    const int of = (int)machines[i].options.instruction_set;
    machine *m = &machines[machine_count];
    if (kernels_without_dot4(of) != NULL) {
      *m = machines[i];
      m->context = test_set_context(&m->options);
      ((webnn__cpu *)m->context->device)->machine.kernels = kernels_without_dot4(of);
      snprintf(m->name, sizeof m->name, "%s, no dot4, %u threads", test_set_name(of),
               (unsigned)m->threads);
      machine_count++;
    }
  }
}
#endif

static void close_machines(void) {
  size_t i;
  for (i = 0; i < machine_count; i++) {
    webnn_free_context(machines[i].context);
  }
  webnn_free_context(reference);
}

#endif
