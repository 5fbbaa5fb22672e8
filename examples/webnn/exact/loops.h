/* The language of the loops of a page: a part of C, computed as a compiler for a machine of IEEE 754
   would compute it, with every mistake named by its place. Read loops.c. */
#ifndef WEBNN_LOOPS_H
#define WEBNN_LOOPS_H

#include "exact.h"

typedef struct loops loops;

/* A variable as it is after a run: a scalar has the rank 0. Elements lie as C has them. */
typedef struct loops_array {
  webnn_data_type type;
  size_t count;
  const void *elements;
  const bool *given; /* which elements have got a value */
} loops_array;

loops *loops_begin(arena *memory);
/* Reads statements and runs them, in a scope inside that of the text before. `file` and `line` are
   where the text begins, for messages. False after a complaint. */
bool loops_run(loops *l, const char *file, uint32_t line, const char *text);
/* Of the first text; false: it has no variable of this name. */
bool loops_find(const loops *l, const char *name, loops_array *a);

#endif
