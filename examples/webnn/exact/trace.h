/* How a result comes about: what a reference kernel read, added up and wrote, in this order. The
   recorder is recorder.c's; lines.c, ../trace.c, html.c and the pictures read what it has recorded. */
#ifndef TRACE_H
#define TRACE_H

#include "exact.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

typedef enum number_kind { NUMBER_ZERO, NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN } number_kind;

/* (hi 2^64 + lo) 2^exponent; inexact: more digits follow. */
typedef struct exact_number {
  uint64_t hi, lo;
  int32_t exponent;
  bool negative, inexact;
  number_kind kind;
} exact_number;

exact_number number_of_bits(webnn_data_type type, uint64_t bits);
exact_number number_of_whole(uint64_t n);
exact_number number_product(const exact_number *a, const exact_number *b);
exact_number number_quotient(const exact_number *a, const exact_number *b);
bool numbers_equal(const exact_number *a, const exact_number *b);
double number_double(const exact_number *n);
/* All digits if they are few, or the first ones and "...". */
const char *number_text(arena *memory, const exact_number *n);
uint64_t float_neighbour(webnn_data_type type, uint64_t bits, bool up);
double float_error(webnn_data_type type, uint64_t bits, const exact_number *exact);
uint64_t element_bits(webnn_data_type type, const void *data, uint64_t index);

/* ---- Events ---------------------------------------------------------------------------------- */

typedef enum trace_kind {
  TRACE_ITEM,   /* the kernel begins with its next item */
  TRACE_SHARED, /* what the item did so far serves all of its results */
  TRACE_READ,   /* of the element `at`: bits, value */
  TRACE_INDEX,  /* what the index that was just read means: bits */
  TRACE_TAPS,   /* along an axis `bits` taps of a window, of which `length` lie in the image */
  TRACE_START,  /* of a sum */
  TRACE_TERM,   /* of a sum: value */
  TRACE_TOTAL,  /* of a sum so far: value */
  TRACE_NAME,   /* the formula's letter for a value */
  TRACE_VALUE,  /* what will be rounded and written next */
  TRACE_WRITE,  /* of the element `at`: bits */
  TRACE_COPY    /* of `length` elements, from `from` on, to `at` and on */
} trace_kind;

/* An element of an operand; operand -1: of the kernel's own memory, the index being an address. */
typedef struct trace_place {
  int operand;
  uint64_t index;
} trace_place;

typedef struct trace_event {
  trace_kind kind;
  trace_place at, from;
  uint64_t length, bits;
  webnn_data_type type;
  const void *sum;
  const char *name;
  exact_number value;
} trace_event;

typedef struct trace_operand {
  const char *name; /* NULL: absent */
  tensor tensor;    /* a copy, so that no two share their memory */
} trace_operand;

struct trace {
  webnn_op op;
  const operation *operation;
  trace_operand *operands; /* inputs in the order of the operator table, then outputs */
  size_t input_count, operand_count;
  trace_event *events;
  size_t count, room;
  bool overflows; /* of more events than there is room for */
  bool only;      /* one element is wanted: this */
  size_t wanted_output;
  uint64_t wanted_index;
};

/* The only operator of a graph and the number of its operands; what each is, false if it is absent;
   and its run on the operands' tensors, recorded. False: there are more operators; no memory. */
bool trace_open(trace *t, const webnn_graph *graph);
bool trace_describe(const trace *t, const webnn_graph *graph, size_t operand,
                    webnn_operand_descriptor *descriptor, const char **name);
bool trace_run(trace *t, const webnn_graph *graph);
/* The name in webnn.h of the kernel that computes the operator. */
const char *trace_kernel_name(webnn_op op);
/* Of the operator that was recorded last: where the window of an output position begins, how far its
   taps are apart, and how many a pool's has; axis 0: rows, 1: columns. */
int64_t trace_window_start(uint32_t axis, uint32_t position);
uint32_t trace_window_step(uint32_t axis);
uint32_t trace_window_taps(uint32_t axis);
/* Are height and width the last dimensions of its image, as in nchw? */
bool trace_image_is_last(void);
/* Where an element of resample2d lies in x along its first or second axis: u, in units of 1 /
   `unit`, from `o` of `out` over `in`. */
typedef struct trace_resampled {
  uint32_t dimension, o, out, in;
  uint64_t u, unit;
  bool linear, clamped;
} trace_resampled;
trace_resampled trace_resample(const trace *t, uint32_t axis, uint64_t index);

/* ---- Elements (trace.c) ---------------------------------------------------------------------- */

/* What a term is of the elements that were read for it. */
typedef enum trace_factors {
  FACTOR_NONE,
  FACTOR_ITSELF,
  FACTOR_SQUARE, /* from here on a product of two */
  FACTOR_PRODUCT,
  FACTOR_WEIGHT /* of the line */
} trace_factors;

/* One line of how an element came about. */
typedef struct trace_line {
  trace_kind kind;             /* READ, INDEX, TERM, TOTAL, NAME, VALUE */
  const trace_event *event;    /* INDEX: the read; the value that it means is `meaning` */
  const trace_event *reads[4]; /* TERM, NAME: from what, in the order of the operands */
  size_t read_count;
  int64_t meaning;
  trace_factors factors;
  uint64_t weight[2]; /* numerator and denominator */
  const char *note;   /* NAME: in place of what the letter stands for; or NULL */
} trace_line;

typedef struct trace_element {
  int operand; /* an output */
  uint64_t index;
  uint64_t bits;
  trace_line *lines;
  size_t line_count;
  const trace_event *value; /* before rounding; NULL: none, it was copied, counted or compared */
  uint64_t taps, inside;    /* of a window: how many, and how many of them in the image; or 0 */
  uint32_t window[2];       /* its rows and columns of taps */
  bool copied;              /* from the last line's element */
  bool initial;             /* nothing was written: a state that begins with zeros */
  bool is_sum;              /* the value is the last sum's */
} trace_element;

/* Records one operator of a network that has been computed with `all`. The trace is zero but for the
   element that is wanted. */
bool trace_operator(network *n, size_t operation_index, trace *t);
void trace_release(trace *t);
trace_element trace_element_of(const trace *t, arena *memory, int operand, uint64_t index);
/* "x[0,1]" */
const char *trace_place_text(const trace *t, arena *memory, trace_place place);
/* Of one line: "term"; "28"; "x[0,0,1,1] · w[0,0,1,0] = 7 · 4 = 28". Of an element: "344"; "0x43ac0000,
   exact; neighbours ..."; whether its exact value is another than the stored one. Numbers have all
   their digits, or the first and "...". */
const char *trace_line_word(const trace_line *line);
const char *trace_line_value(const trace_line *line, arena *memory);
const char *trace_line_source(const trace *t, arena *memory, const trace_line *line);
const char *trace_read_text(const trace *t, arena *memory, const trace_event *e);
const char *trace_element_digits(const trace *t, arena *memory, const trace_element *e);
/* With the fewest digits that give the float back. */
const char *trace_element_text(const trace *t, arena *memory, const trace_element *e);
/* A pattern in hexadecimal; how far what is stored is from the exact value. */
const char *trace_bits_text(arena *memory, webnn_data_type type, uint64_t bits);
const char *trace_error_text(arena *memory, webnn_data_type type, const trace_element *e);
const char *trace_stored_text(const trace *t, arena *memory, const trace_element *e);
bool trace_shows_exact(const trace *t, const trace_element *e);
/* The exact value as a formula of the lines before it, "e^(x[2] - m) / sum", or "" (formula.c). */
const char *trace_formula_text(const trace *t, arena *memory, const trace_element *e);
/* "conv2d(x, w, padding=[1,1,1,1])" */
void trace_print_call(FILE *file, const trace *t);
/* One element of a result of an operator, as text (trace.c). False after a complaint. */
bool trace_print(FILE *file, network *n, size_t operation_index, size_t output, size_t index);
void trace_write_html(FILE *file, const trace *t); /* html.c */

#endif
