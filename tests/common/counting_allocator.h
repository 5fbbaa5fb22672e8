/* An allocator for contexts that knows how many bytes it has given, and how often. What it gives and
   what is released is overwritten, so that whoever reads it is seen. For one thread at a time. */
#ifndef WEBNN_COUNTING_ALLOCATOR_H
#define WEBNN_COUNTING_ALLOCATOR_H

#include "test.h"

enum { COUNTED_HEADER = 16 };

static size_t counted_bytes, counted_calls;

static inline void *counting_allocate(void *user, size_t size) {
  char *memory = (char *)malloc(size + COUNTED_HEADER);
  (void)user;
  if (memory == NULL) {
    return NULL;
  }
  memcpy(memory, &size, sizeof size);
  counted_bytes += size;
  counted_calls++;
  memset(memory + COUNTED_HEADER, 0xff, size); /* as floats NaN */
  return memory + COUNTED_HEADER;
}

static inline void counting_release(void *user, void *memory) {
  char *base = (char *)memory - COUNTED_HEADER;
  size_t size;
  (void)user;
  memcpy(&size, base, sizeof size);
  counted_bytes -= size;
  memset(memory, 0xff, size);
  free(base);
}

/* A context of one thread whose graphs keep so many specializations. */
static inline webnn_context *counting_context(uint32_t specializations) {
  webnn_context_options options = WEBNN_ZERO;
  options.allocator.allocate = counting_allocate;
  options.allocator.release = counting_release;
  options.threads = 1;
  options.specializations = specializations;
  return test_context(&options);
}

#endif
