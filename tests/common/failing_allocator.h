/* An allocator for contexts that lets its n-th allocation fail, alone or with all that follow, and
   knows what it has given. For one thread at a time. */
#ifndef WEBNN_FAILING_ALLOCATOR_H
#define WEBNN_FAILING_ALLOCATOR_H

#include "test.h"

#define MAX_LIVE 16384

typedef struct hook {
  void *live[MAX_LIVE];
  size_t live_count;
  size_t calls;       /* of allocate */
  size_t fail_at;     /* this call fails, counted from 1; 0: none */
  bool persistent;    /* and all calls after it */
  size_t failures;    /* how many were refused */
  size_t bad_release; /* released twice or never given */
} hook;

static inline void *hook_allocate(void *user, size_t size) {
  hook *h = (hook *)user;
  void *memory;
  h->calls++;
  if (h->fail_at != 0 && (h->calls == h->fail_at || (h->persistent && h->calls > h->fail_at))) {
    h->failures++;
    return NULL;
  }
  if (h->live_count == MAX_LIVE) {
    printf("the hook's table is too small\n");
    exit(1);
  }
  memory = test_allocate(size);
  memset(memory, 0xa5, size); /* nobody may count on zeros */
  h->live[h->live_count++] = memory;
  return memory;
}

static inline void hook_release(void *user, void *memory) {
  hook *h = (hook *)user;
  size_t i = h->live_count;
  while (i > 0 && h->live[i - 1] != memory) {
    i--;
  }
  if (i == 0) {
    h->bad_release++;
    return;
  }
  h->live[i - 1] = h->live[--h->live_count];
  free(memory);
}

#endif
