/* One sequence of random numbers for the whole program, the same in every run. */
#ifndef WEBNN_TEST_RANDOM_H
#define WEBNN_TEST_RANDOM_H

#include "test.h"

static uint64_t random_state = 88172645463325252u;

/* Of 0 ... n - 1. */
static inline uint32_t below(uint32_t n) {
  return (uint32_t)(test_random(&random_state) >> 33) % n;
}

/* Of least ... most. */
static inline uint32_t pick(uint32_t least, uint32_t most) {
  return least + below(most - least + 1);
}
#endif
