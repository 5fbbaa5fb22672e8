/* A call with its plan, as a graph's steps have one: for tests of kernels on nodes made by hand. */
#ifndef PLANNED_H
#define PLANNED_H

#include "test.h"

typedef struct planned {
  webnn__kernel_call *call;
  webnn__arena arena;
  webnn__planning planning;
  const webnn__fast_kernel *fast;
} planned;

static void *planned_memory(void *user, size_t size) {
  (void)user;
  return test_allocate(size);
}

static void release_planned_memory(void *user, void *memory) {
  (void)user;
  free(memory);
}

/* Plans the call and has its constant operands packed; false if there is no fast kernel. */
static bool plan_call(planned *p, webnn__kernel_call *call) {
  static const webnn_allocator allocator = {planned_memory, release_planned_memory, NULL};
  memset(p, 0, sizeof *p);
  p->call = call;
  p->arena.allocator = &allocator;
  p->planning.memory = &p->arena;
  p->fast = webnn__choose(webnn__choices_for(call->node->op), &p->planning, call);
  call->packed = test_allocate((size_t)p->planning.packed + 1);
  call->scratch = test_allocate((size_t)p->planning.scratch + 1);
  if (p->planning.packed > 0) {
    p->fast->pack(call);
  }
  return p->fast != NULL;
}

/* Runs all phases, their items in slices of `slice`. */
static void run_planned(planned *p, uint64_t slice) {
  webnn__kernel_call *call = p->call;
  for (call->phase = 0; call->phase < p->planning.phase_count; call->phase++) {
    const uint64_t items = p->planning.phases[call->phase].items;
    uint64_t begin;
    for (begin = 0; begin < items; begin += slice) {
      p->fast->run(call, begin, items - begin < slice ? items : begin + slice);
    }
  }
}

static void release_planned(planned *p) {
  webnn__arena_release(&p->arena);
  free(p->call->packed);
  free(p->call->scratch);
}

/* How many elements a window spans with its dilation. */
static inline uint32_t span(uint32_t window, uint32_t dilation) {
  return (window - 1) * dilation + 1;
}
#endif
