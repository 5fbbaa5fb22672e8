/* What the subcommands that compute exactly share: how large the terms of sums are, models of
   arithmetic, examples of pages. */
#ifndef WEBNN_EXACT_H
#define WEBNN_EXACT_H

#include "../read/read.h"

/* ---- Sums that cancel (magnitude.c) ---------------------------------------------------------- */

/* Of each element of a result the sum of the magnitudes of the terms that the operator adds up, and
   how many ULP of this sum the element may be off. */
typedef struct magnitudes {
  double *each;
  double ulp;
} magnitudes;

/* False for an operator without such sums. Its results have been computed; its operands are those
   of the exact run of the whole graph, or the known ones. `ulp` is the operator's tolerance. */
bool network_magnitudes(network *n, const network_value *v, bool whole, double ulp, magnitudes *m);

/* ---- Judging (theirs.c, arithmetic.c) -------------------------------------------------------- */

/* What judge is given beside the graph: --inputs and --actual. */
typedef struct check_sources {
  tensor_source inputs, actual;
} check_sources;

/* A case with its exact results and another implementation's. */
bool check_read(const session *s, arena *memory, const json *node, check_sources *given, bool many,
                network *n);
/* False after a complaint that names the outputs without their numbers. */
bool check_outputs_given(const network *n);
/* Which arithmetic explains their numbers? Returns the exit status. */
int check_try(const session *s, const case_list *list, check_sources *given);

/* "accumulate=float16,order=pairwise", in and out. False after a complaint. */
bool arithmetic_read(const char *text, webnn_arithmetic *a);
const char *arithmetic_text(arena *memory, const webnn_arithmetic *a);
bool arithmetic_is_exact(const webnn_arithmetic *a);

/* ---- Examples of pages (page.c) -------------------------------------------------------------- */

typedef struct example {
  uint32_t line; /* of its first statement */
  network network;
  const json *expected; /* as text_parse_example has it */
} example;

/* Reads and computes the block of a page; its text ends with a zero. False after a complaint. */
bool example_read(const session *s, arena *memory, const char *path, const char *text,
                  uint32_t line, example *e);
/* Is the operator of this name in it? */
bool example_calls(const example *e, const char *name);
/* The session's example of a page, the first unless --example says another: of those that call an
   operator in its entry, or (NULL) of the whole page. Read and computed; false after a complaint. */
bool example_of_page(const session *s, arena *memory, const char *path, const char *page,
                     const char *name, example *e);
/* The text of docs/operators.md: where the command line says, in the program, or beside it as the
   project has it; NULL if it is in none of these places. */
const char *read_docs(const session *s, arena *memory);
/* "### add, sub (8.9.13)" is a heading of `sub`. */
bool heading_has(const char *line, const char *name);

/* Loops in plain C in an entry of a page (plain.c): a block that begins with a comment like
   "plain: one image; input [I][H][W], output [O][P][Q]", which declares arrays, by the names of the
   operator's operands or of the example's. The letters are their sizes, options are variables
   (padding: begin_h, end_h, begin_w, end_w). */
typedef struct plain_block {
  json at; /* its first line */
  const char *text, *heading;
} plain_block;

/* One call of an example before the block, on whose numbers the block can run: the declarations of
   sizes, arrays and options in C, and what the results must be. */
enum { MOST_PLAIN_RUNS = 64, MOST_PLAIN_RESULTS = 16 };
typedef struct plain_result {
  const char *name; /* in the block */
  const tensor *exact;
} plain_result;
typedef struct plain_run {
  const example *example;
  size_t operation; /* of the example's network */
  const char *declarations;
  plain_result results[MOST_PLAIN_RESULTS];
  size_t result_count;
} plain_run;

/* The operator that the block computes. */
const char *plain_operator(const session *s, arena *memory, const plain_block *b);
/* The calls that the block fits, in the order of the page. False after a complaint: there is none. */
bool plain_runs(const session *s, arena *memory, const plain_block *b, const example *examples,
                size_t count, plain_run *runs, size_t room, size_t *run_count);
/* Writes functions that run the block on the data of every example before it that it fits, and
   compare. False after a complaint: there is none that it fits. */
bool plain_write(const session *s, FILE *file, arena *memory, const plain_block *b,
                 const example *examples, size_t count);
void plain_begin(FILE *file);
void plain_end(FILE *file);

/* "tolerance": of one operator in `limits`. */
void print_tolerance(const session *s, const char *operator_name);

#endif
