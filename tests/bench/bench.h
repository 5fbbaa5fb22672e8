/* bench.h - what the files of the benchmark share: one description of a graph, and one way to run
   it for everybody.

   A graph is described once, by the functions below. From the description come the calls of
   webnn.h (ours.c), an ONNX file (onnx_writer.c) and, where the graph is one operator, the calls of
   the libraries that have no graphs (peer_*.c). So all of them run the same thing on the same
   numbers, and their results can be compared. */
#ifndef BENCH_H
#define BENCH_H

#include "webnn.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Small things (util.c) ---------------------------------------------------------------------
 */

/* Prints the message to stderr and ends the program. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void *allocate(size_t bytes); /* aligned to 64 bytes, zeroed; never NULL */
double seconds(void);         /* from some moment on */
/* Waits until no thread of this process is busy: pools of other libraries spin for a while. */
void settle(uint32_t threads);
/* Does `text` hold one of the comma-separated words of `list`? A NULL list holds everything. */
bool listed(const char *list, const char *word);
double median(double *numbers, size_t count); /* sorts them */
void print_json_string(FILE *file, const char *text);
const char *machine_name(void);
void print_machine(void); /* its name, and a warning if others use it */

typedef struct thread_counts {
  uint32_t items[8];
  int count;
} thread_counts;
thread_counts default_threads(void); /* one and, on such a machine, two */
thread_counts parse_threads(const char *text);

/* ---- Graphs (graph.c) --------------------------------------------------------------------------
 */

#define MAX_INPUTS 8 /* of an operator */
#define MAX_PORTS 32 /* inputs or outputs of a graph */

typedef struct shape {
  uint32_t rank, d[WEBNN_MAX_RANK];
} shape;
#define SHAPE(...) ((shape){sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), {__VA_ARGS__}})

/* X(enumerator, webnn function, ONNX operator, ONNX domain) */
#define UNARY_OPERATIONS(X)                                                                        \
  X(RELU, webnn_relu, "Relu", "")                                                                  \
  X(EXP, webnn_exp, "Exp", "")                                                                     \
  X(TANH, webnn_tanh, "Tanh", "")                                                                  \
  X(ERF, webnn_erf, "Erf", "")                                                                     \
  X(SIGMOID, webnn_sigmoid, "Sigmoid", "")                                                         \
  X(GELU, webnn_gelu, "Gelu", "com.microsoft")                                                     \
  X(SQRT, webnn_sqrt, "Sqrt", "")                                                                  \
  X(LOG, webnn_log, "Log", "")
#define BINARY_OPERATIONS(X)                                                                       \
  X(ADD, webnn_add, "Add", "")                                                                     \
  X(SUB, webnn_sub, "Sub", "")                                                                     \
  X(MUL, webnn_mul, "Mul", "")                                                                     \
  X(DIV, webnn_div, "Div", "")                                                                     \
  X(POW, webnn_pow, "Pow", "")
#define REDUCE_OPERATIONS(X)                                                                       \
  X(REDUCE_SUM, webnn_reduce_sum, "ReduceSum", "")                                                 \
  X(REDUCE_MEAN, webnn_reduce_mean, "ReduceMean", "")                                              \
  X(REDUCE_MAX, webnn_reduce_max, "ReduceMax", "")

typedef enum operation {
#define ENUMERATOR(name, function, onnx, domain) name,
  UNARY_OPERATIONS(ENUMERATOR) BINARY_OPERATIONS(ENUMERATOR) REDUCE_OPERATIONS(ENUMERATOR)
#undef ENUMERATOR
      CLAMP,
  CONV2D,
  CONV_TRANSPOSE2D,
  MATMUL,
  GEMM,
  SOFTMAX,
  LAYER_NORMALIZATION,
  BATCH_NORMALIZATION,
  CUMULATIVE_SUM,
  CAST,
  TRANSPOSE,
  RESHAPE,
  CONCAT,
  SLICE,
  PAD,
  GATHER,
  GATHER_ELEMENTS,
  RESAMPLE,
  MAX_POOL,
  AVERAGE_POOL,
  QUANTIZE,
  DEQUANTIZE,
  LSTM,
  GRU
} operation;

typedef int value; /* an index into graph.values */
#define NONE (-1)

typedef enum value_kind { COMPUTED, INPUT, CONSTANT } value_kind;

typedef struct value_info {
  value_kind kind;
  webnn_data_type type;
  shape shape;
  size_t bytes;
  void *data;    /* of inputs and constants */
  size_t offset; /* of constants in the weights file */
  int producer;  /* of computed values: an index into graph.nodes */
} value_info;

typedef struct node {
  operation op;
  int input_count, output_count;
  value inputs[MAX_INPUTS], outputs[3];
  bool nhwc;                               /* CONV2D, RESAMPLE, pools */
  uint32_t padding[4], strides[2], groups; /* convolutions and pools, as in WebNN */
  uint32_t window[2];                      /* pools; 0: everything */
  bool transpose_a, transpose_b;           /* GEMM */
  bool keep;                               /* reductions */
  bool linear;                             /* RESAMPLE */
  uint32_t axis; /* SOFTMAX, CONCAT, GATHER, GATHER_ELEMENTS, CUMULATIVE_SUM, DEQUANTIZE */
  shape list;    /* TRANSPOSE: permutation; reductions: axes; SLICE: starts; PAD: beginning */
  shape sizes;   /* SLICE: sizes; PAD: ending */
  double number; /* CLAMP: minimum; normalizations: epsilon */
  double maximum;
} node;

typedef struct graph {
  value_info *values;
  int value_count, value_capacity;
  node *nodes;
  int node_count, node_capacity;
  value inputs[MAX_PORTS], outputs[MAX_PORTS];
  int input_count, output_count;
  uint64_t random;

  /* Weights are random numbers in memory, or are written to a file, or come from such a file. */
  FILE *weights_file;
  const unsigned char *weights_map;
  size_t weights_size, weights_position;
  const char *onnx_path; /* the same graph as a file; NULL: it is made when needed */
} graph;

void start_graph(graph *g); /* weights in memory */
void free_graph(graph *g);
size_t element_count(const shape *s);
size_t byte_count(webnn_data_type type, const shape *s);

/* Random numbers from low to high; integers include both. */
value input(graph *g, webnn_data_type type, shape s, double low, double high);
value weight(graph *g, webnn_data_type type, shape s, double low, double high);
/* Of magnitude LARGEST_INT8_WEIGHT at most: without VNNI the libraries for x86-64 add pairs of
 * products with uint8 in 16 bits, where 255 * 64 * 2 fits and 255 * 127 * 2 saturates. */
#define LARGEST_INT8_WEIGHT 64
value int8_weight(graph *g, shape s);
/* Every element the same; or the elements given. */
value constant(graph *g, webnn_data_type type, shape s, double number);
value constant_data(graph *g, webnn_data_type type, shape s, const void *data);
/* A float32 scalar. */
value scalar(graph *g, double number);
void output(graph *g, value v);

typedef struct window {
  uint32_t stride, padding; /* on every side */
  uint32_t groups;          /* convolutions; 0: 1 */
  uint32_t size;            /* pools; 0: everything */
  bool nhwc;
} window;

value unary(graph *g, operation op, value x);
value binary(graph *g, operation op, value a, value b);
value reduce(graph *g, operation op, value x, shape axes, bool keep);
value clamp(graph *g, value x, double minimum, double maximum);
value conv2d(graph *g, value x, value filter, value bias, window w); /* filter [O, I, H, W] */
value conv_transpose2d(graph *g, value x, value filter, value bias,
                       window w); /* filter [I, O, H, W] */
value matmul(graph *g, value a, value b);
value gemm(graph *g, value a, value b, value c, bool transpose_b);
value gemm_of_transposed(graph *g, value a, value b); /* a is [inner, rows] */
value softmax(graph *g, value x, uint32_t axis);
value layer_normalization(graph *g, value x, value scale, value bias); /* last axis */
value batch_normalization(graph *g, value x, value scale, value bias, value mean, value variance);
value cumulative_sum(graph *g, value x, uint32_t axis);
value cast(graph *g, value x, webnn_data_type type);
value transpose(graph *g, value x, shape permutation);
value reshape(graph *g, value x, shape s);
value concat(graph *g, value a, value b, uint32_t axis);
value slice(graph *g, value x, shape starts, shape sizes);
value pad(graph *g, value x, shape beginning, shape ending);
value gather(graph *g, value x, value indices, uint32_t axis);
value gather_elements(graph *g, value x, value indices, uint32_t axis);
value resample(graph *g, value x, uint32_t factor, bool linear, bool nhwc);
value resample_to(graph *g, value x, uint32_t height, uint32_t width, bool linear, bool nhwc);
value pool(graph *g, operation op, value x, window w);
/* scale and zero_point have one element, one for each index of axis, or the rank of x and one for
   each block of it. */
value quantize(graph *g, value x, value scale, value zero_point);
value dequantize(graph *g, value x, value scale, value zero_point, uint32_t axis);
/* x [steps, batch, in], weights [1, gates hidden, in or hidden], biases [1, gates hidden]. Returns
   the sequence [steps, 1, batch, hidden]. */
value recurrent(graph *g, operation op, value x, value weights, value recurrent_weights, value bias,
                value recurrent_bias);

/* What a graph cannot do without: multiply-adds, and bytes read and written once. */
typedef struct cost {
  double multiply_adds, read, written;
  webnn_data_type type; /* of the multiply-adds */
} cost;
cost graph_cost(const graph *g);

/* The graph as an ONNX model; weights of at least 1 KB stay in the file `weights` unless NULL. */
unsigned char *write_onnx(const graph *g, const char *weights, size_t *size);

/* ---- Who runs a graph (ours.c, peer_*.c) -------------------------------------------------------
 */

typedef struct runner {
  void *state;
  void (*run)(void *state);
  void (*finish)(void *state); /* waits for the runs so far, if run does not; may be NULL */
  void (*fetch)(void *state);  /* brings the results to outputs, if run does not; may be NULL */
  void (*release)(void *state);
  void *outputs[MAX_PORTS]; /* the results, in the types and layouts of the graph's outputs */
} runner;

typedef struct peer {
  const char *name;
  /* Finds the library and says its version, or returns false and says what is missing. */
  bool (*open)(char *text, size_t size);
  /* False if the library has nothing for this graph. */
  bool (*create)(const graph *g, uint32_t threads, runner *r);
  bool aside; /* shown, but not a candidate for the best peer */
  bool once;  /* run once, for its results */
} peer;

extern const peer ours, ours_on_cpu, peer_ort, peer_openblas, peer_blis, peer_onednn,
    peer_onednn_reorder, peer_onednn_blocked, peer_xnnpack;

/* Where graphs of webnn.h run: "cpu" or "vulkan"; in this process and those that it starts. */
void choose_backend(const char *name);
bool on_vulkan(void);
/* How they compute: "fast" or "relaxed"; likewise. */
void choose_numerics(const char *name);
bool is_relaxed(void);
/* The instruction set of their kernels by its name, "best" or such as "avx2"; likewise. */
void choose_instructions(const char *name);
/* What results may differ by there, if they may differ by this elsewhere. */
double relaxed_tolerance(double tolerance);
/* Runs a graph of webnn.h some times, and prints where the time goes. */
void print_our_profile(const runner *r, int runs);

/* What the threads of a context share: one phase of a step. */
typedef struct phase_work {
  uint32_t slices;
  bool wake;          /* sleeping threads for it */
  double nanoseconds; /* with one thread: its part of the step's time, by what the plan expects */
  double bytes;       /* of weights */
} phase_work;
/* Those of a graph of webnn.h in their order, to be freed; timed in `runs` runs unless 0. */
phase_work *our_work(const runner *r, int runs, size_t *count);
/* The same of a graph that has been profiled or not and is not run any more, as if each thread had a processor
   (webnn.c). */
phase_work *plan_work(webnn_graph *made, size_t *count);

/* ---- Measuring (measure.c) ---------------------------------------------------------------------
 */

typedef struct patience {
  double min_time; /* seconds each runner is measured for */
  double budget;   /* a runner whose first run takes longer is not run again */
  bool fastest;    /* show the fastest sample in place of the median */
} patience;

/* Median seconds of a run for each runner, all interleaved; negative entries of `first` are runners
   to leave out, others the time of their first run. */
void measure(runner *runners, const double *first, int count, uint32_t threads, patience p,
             double *medians);
double time_once(runner *r);
/* The largest difference of all outputs relative to the largest magnitude of each output, for
   integers the largest difference. Infinite where NaNs differ. */
double compare(const graph *g, const runner *a, const runner *b);
bool integer_outputs(const graph *g);

/* ---- The machine (limits.c) --------------------------------------------------------------------
 */

/* Multiply-adds of a type per second, on each of `threads` threads together; 0: not known. */
double peak_multiply_adds(webnn_data_type type, uint32_t threads);
/* Seconds to read and write so many bytes once, by the fastest simple loop. */
double memory_seconds(double read, double written, uint32_t threads);
/* Seconds that a graph takes at the least, here or on the GPU: for its multiply-adds, or for its bytes. */
double graph_limit(const graph *g, uint32_t threads);

/* What the GPU can do (limits_vulkan.c): float32 multiply-adds, and bytes read or written, per second. */
double vulkan_multiply_adds(void);
double vulkan_bandwidth(void);
bool vulkan_is_software(void);
/* SPIR-V of a text by webnn_vulkan.h's compiler, to be freed (webnn.c). */
uint32_t *compile_kernel(const char *text, size_t *count);

/* ---- What is measured (cases.c, cases_gpu.c, networks.c) ---------------------------------------
 */

typedef struct bench_case {
  const char *group, *name;
  void (*build)(graph *g, const uint32_t *p);
  uint32_t p[8];
  double tolerance; /* as compare() measures; 0: 2e-5, or 1 for integers */
  uint32_t per;     /* not 0: what is shown is (this - the case before) / per */
} bench_case;
extern const bench_case bench_cases[];
extern const size_t bench_case_count;
/* Large enough for a GPU (cases_gpu.c). */
extern const bench_case gpu_cases[];
extern const size_t gpu_case_count;

typedef struct network {
  const char *name;
  void (*build)(graph *g, bool small); /* small: the same structure in a tiny size, for checks */
  double tolerance;
} network;
extern const network networks[];
extern const size_t network_count;

#endif
