/* webnn_onnx.h - ONNX models as graphs of webnn.h - MIT No Attribution (at the end of webnn.h)
   SPDX-License-Identifier: MIT-0

   Reads a .onnx file and builds it as a WebNN graph. The file is mapped, and the graph borrows the
   weights in place. In ONE source file write

       #define WEBNN_IMPLEMENTATION
       #include "webnn.h"
       #define WEBNN_ONNX_IMPLEMENTATION
       #include "webnn_onnx.h"

   and in the others only the #include; webnn_extra.h lies beside it. This is a whole program, with
   <stdio.h> and <stdlib.h>; only the data of `in` are missing:

       int main(void) {
         webnn_error error = WEBNN_ZERO;
         webnn_onnx_options options = WEBNN_ZERO;
         webnn_onnx_dimension sizes[] = {{"batch", 1}};
         options.dimensions = sizes, options.dimension_count = 1;
         webnn_context *context = NULL;
         webnn_onnx_model *model = NULL;
         webnn_graph *graph = NULL;
         webnn_graph_port x = WEBNN_ZERO, y = WEBNN_ZERO;
         webnn_create_context(NULL, &context, &error);
         webnn_onnx_open("model.onnx", &options, &model, &error);
         webnn_onnx_build(model, context, &graph, &error);
         webnn_graph_inputs(graph, &x, 1);
         webnn_graph_outputs(graph, &y, 1);
         float *in = (float *)calloc(1, x.byte_length + 1);
         float *out = (float *)calloc(1, y.byte_length + 1);
         webnn_compute(context, graph, WEBNN_INPUTS({x.name, in, (size_t)x.byte_length}),
                       WEBNN_OUTPUTS({y.name, out, (size_t)y.byte_length}), &error);
         puts(error.status == WEBNN_OK ? "done" : error.message);
         webnn_free_graph(graph);
         webnn_onnx_free(model);
         webnn_free_context(context);
       }

   WHAT IS READ
   - Versions 1 to 28 of the operators of ai.onnx (from 7 on with every difference between versions)
     and some of com.microsoft and ai.onnx.ml; webnn_onnx_known_operators lists them. Calls of the
     model's functions are inlined. An If with a constant condition is decided while building; of
     any other If both branches are computed. Loop and Scan are unrolled. A Loop whose exit
     condition depends on run-time values needs a constant maximum trip count; every iteration up to
     it is computed.
   - The options set the sizes of dimensions that have a name but no size, and of dimensions that
     have neither ("x[0]" is the first dimension of input x). The size of an expression such as
     "past + sequence" follows from its parts. A session takes sizes from the inputs. Where possible
     it builds one graph with dynamic dimensions; otherwise it builds a graph for each new set of
     shapes and keeps those used last.
   - Where sizes are missing the graph has dynamic dimensions: one graph for all sizes; with the
     option `fixed` such a model is refused. Shapes assembled from sizes (Shape, Gather, Concat,
     Reshape with 0 and -1, Expand, ...) are either known by the names of dimensions or computed
     once the sizes are known: arithmetic with sizes becomes operators of the graph, and so do the
     Reshape, Expand, Slice, Range, ConstantOfShape, Pad, Tile, Split and Resize that use its
     results. What else needs a size is refused, such as the steps of recurrent operators.
   - Values that depend on constants only are computed exactly while building if they are needed
     there: shapes, starts of slices, paddings. Sizes of tensors are such constants. The options can
     also make inputs constants; webnn_onnx_wanted names the inputs whose values a failed build
     needs.
   - Nodes may stand in any order, in subgraphs and functions, too: they are sorted so that each
     comes after the nodes that compute its inputs. Cycles are refused, and names that no node
     computes.
   - Element types that WebNN lacks are stored in others: bool in uint8 (0 and 1), bfloat16 and
     floats of 8 and 4 bits in float32, int16 in int32 and uint16 in uint32 (results wrapped to 16
     bits), int2 in int8 and uint2 in uint8; float64 in float32, if the options allow it or a
     constant is exactly a float32. Strings, complex numbers and sequences as inputs and outputs are
     refused; inside a model the length of a sequence, and whether an optional value is present, are
     known while building. Inputs and outputs without elements are dropped from the graph; a model
     whose outputs are all empty needs no graph.

   What cannot be expressed is refused with the node, its operator and the reason:

       model.onnx: node "nms" (NonMaxSuppression): the shape of the result depends on the values of
         "boxes"

   Any thread may use a model, but only one at a time; any number of threads may use a session at
   once. Errors are as in webnn.h. A thread that builds a model needs 96 KB of stack, 128 KB without
   optimization. */
#ifndef WEBNN_ONNX_H
#define WEBNN_ONNX_H

#include "webnn.h"

#ifndef WEBNN_ONNX_API
#ifdef WEBNN_ONNX_STATIC
#if defined(__GNUC__) || defined(__clang__)
#define WEBNN_ONNX_API static __attribute__((unused))
#else
#define WEBNN_ONNX_API static
#endif
#else
#define WEBNN_ONNX_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ==============================================================================================
   Types
   ============================================================================================== */

/* ONNX's element types, with its numbers. */
typedef enum webnn_onnx_type {
  WEBNN_ONNX_UNDEFINED = 0,
  WEBNN_ONNX_FLOAT = 1,
  WEBNN_ONNX_UINT8 = 2,
  WEBNN_ONNX_INT8 = 3,
  WEBNN_ONNX_UINT16 = 4,
  WEBNN_ONNX_INT16 = 5,
  WEBNN_ONNX_INT32 = 6,
  WEBNN_ONNX_INT64 = 7,
  WEBNN_ONNX_STRING = 8,
  WEBNN_ONNX_BOOL = 9,
  WEBNN_ONNX_FLOAT16 = 10,
  WEBNN_ONNX_DOUBLE = 11,
  WEBNN_ONNX_UINT32 = 12,
  WEBNN_ONNX_UINT64 = 13,
  WEBNN_ONNX_BFLOAT16 = 16,
  WEBNN_ONNX_FLOAT8E4M3FN = 17,
  WEBNN_ONNX_FLOAT8E4M3FNUZ = 18,
  WEBNN_ONNX_FLOAT8E5M2 = 19,
  WEBNN_ONNX_FLOAT8E5M2FNUZ = 20,
  WEBNN_ONNX_UINT4 = 21,
  WEBNN_ONNX_INT4 = 22,
  WEBNN_ONNX_FLOAT4E2M1 = 23,
  WEBNN_ONNX_FLOAT8E8M0 = 24,
  WEBNN_ONNX_UINT2 = 25,
  WEBNN_ONNX_INT2 = 26,
  WEBNN_ONNX_OTHER = 63 /* any other: a graph cannot store it */
} webnn_onnx_type;

/* "float32", "bool", ...; numbers that ONNX lacks are "unknown". Any thread. */
WEBNN_ONNX_API const char *webnn_onnx_type_name(webnn_onnx_type type);
/* The type that stores it in a graph; 0 if there is none. Any thread. */
WEBNN_ONNX_API webnn_data_type webnn_onnx_graph_type(webnn_onnx_type type);
/* Converts `count` elements from ONNX's layout (bool one byte each, bfloat16 two, float64 eight,
   ...) to the type that stores them in a graph; float64 is rounded to nearest. False if there is no
   such type. Any thread. */
WEBNN_ONNX_API bool webnn_onnx_to_graph_type(webnn_onnx_type type, const void *from, size_t count,
                                             void *to);

/* ==============================================================================================
   Models
   ============================================================================================== */

typedef struct webnn_onnx_model webnn_onnx_model;

/* The size of a dimension that the model only names; it may be 0, as that of an empty KV cache. */
typedef struct webnn_onnx_dimension {
  const char *name;
  uint32_t size;
} webnn_onnx_dimension;

/* An input whose value is known when the graph is built: it becomes a constant and is no input of
   the graph. Its value replaces an initializer that the model has for it. The data are in ONNX's
   layout. Without a shape the input has that of the model. */
typedef struct webnn_onnx_known {
  const char *name;
  webnn_list shape;
  const void *data;
  size_t byte_length;
} webnn_onnx_known;

typedef struct webnn_onnx_options {
  const webnn_onnx_dimension *dimensions WEBNN__DEFAULT;
  size_t dimension_count WEBNN__DEFAULT;
  const webnn_onnx_known *known WEBNN__DEFAULT;
  size_t known_count WEBNN__DEFAULT;
  bool float64_as_float32
      WEBNN__DEFAULT; /* take float64 as float32; webnn_onnx_problems notes it */
  uint32_t max_iterations WEBNN__DEFAULT; /* of a Loop or Scan; 0: 1024 */
  uint32_t default_size WEBNN__DEFAULT;   /* of dimensions without a size; 0: none */
  /* Refuse dimensions without a size and without a default. Otherwise they become dynamic
     dimensions of the graph, with their names, and nodes that need their sizes are refused. */
  bool fixed WEBNN__DEFAULT;
} webnn_onnx_options;

/* Reads the model in a file, with its weights in external files. Options (NULL: none) are copied.
   The file must not change until the model is freed. Errors: TypeError (malformed, with the byte),
   NotSupportedError (a version), OperationError (a file that cannot be read), UnknownError
   (memory). *model is NULL on failure. */
WEBNN_ONNX_API webnn_status webnn_onnx_open(const char *path, const webnn_onnx_options *options,
                                            webnn_onnx_model **model, webnn_error *error);
/* The same for a model in memory, which must stay unchanged until the model is freed. `folder` (may
   be NULL) is the folder of external weights. */
WEBNN_ONNX_API webnn_status webnn_onnx_read(const void *bytes, size_t length, const char *folder,
                                            const webnn_onnx_options *options,
                                            webnn_onnx_model **model, webnn_error *error);
/* Frees the model. Free graphs and builders made from it first: they borrow its weights. NULL:
   nothing. */
WEBNN_ONNX_API void webnn_onnx_free(webnn_onnx_model *model);

/* A version of a domain's operators. */
typedef struct webnn_onnx_opset {
  const char *domain; /* "" is ai.onnx */
  int64_t version;
} webnn_onnx_opset;

/* What a model states about itself; texts that it lacks are "". */
typedef struct webnn_onnx_facts {
  int64_t format; /* the version of the file's format */
  const char *producer, *producer_version;
  const webnn_onnx_opset *opsets; /* imported by its graph */
  size_t opset_count;
  size_t initializer_count; /* of its graph, without those of subgraphs */
  uint64_t initializer_bytes;
} webnn_onnx_facts;
/* Pointers live as long as the model. */
WEBNN_ONNX_API void webnn_onnx_describe(const webnn_onnx_model *model, webnn_onnx_facts *facts);

/* An input or output of the model. */
typedef struct webnn_onnx_port {
  const char *name;
  webnn_onnx_type type; /* WEBNN_ONNX_UNDEFINED: no tensor */
  /* As in a graph; a dimension of unknown size is 0, and a shape that the model lacks is absent. */
  webnn_operand_descriptor descriptor;
  const char *dimension_names[WEBNN_MAX_RANK]; /* NULL where the model has the size */
  /* At least one size is 0 and all others are known: graphs lack such inputs and outputs. Whether
     an output is empty may depend on computed values; then this member and the shape are what the
     last call of webnn_onnx_build or webnn_onnx_add found. */
  bool is_empty;
} webnn_onnx_port;
/* Return the number of inputs (outputs) of the model; the first `capacity` go to ports (may be
   NULL). Inputs with initializers or known values are not among them. */
WEBNN_ONNX_API size_t webnn_onnx_inputs(const webnn_onnx_model *model, webnn_onnx_port *ports,
                                        size_t capacity);
WEBNN_ONNX_API size_t webnn_onnx_outputs(const webnn_onnx_model *model, webnn_onnx_port *ports,
                                         size_t capacity);
/* The inputs with initializers, which are their defaults: known values replace them. In files of
   format 3 and older all weights are among them. */
WEBNN_ONNX_API size_t webnn_onnx_defaults(const webnn_onnx_model *model, webnn_onnx_port *ports,
                                          size_t capacity);
/* The inputs whose values, if known, may remove the errors or problems of the last call of
   webnn_onnx_build, webnn_onnx_add or webnn_onnx_problems: a shape depends on them, or they choose
   a branch. The one to try first comes first. Names live as long as the model. */
WEBNN_ONNX_API size_t webnn_onnx_wanted(const webnn_onnx_model *model, const char **names,
                                        size_t capacity);

typedef struct webnn_onnx_operator {
  const char *domain, *name; /* "" is ai.onnx */
  size_t count;              /* of nodes, in subgraphs and functions, too */
  uint32_t since;            /* the first version that is read; 0: the operator is not known */
} webnn_onnx_operator;
/* The operators of the model, in order of their first use. */
WEBNN_ONNX_API size_t webnn_onnx_operators(webnn_onnx_model *model, webnn_onnx_operator *list,
                                           size_t capacity);
/* All operators that can be read; counts are 0. Any thread. */
WEBNN_ONNX_API size_t webnn_onnx_known_operators(webnn_onnx_operator *list, size_t capacity);
/* Everything in the model that cannot be expressed, each with its place, and notes ("note: ...") on
   what is built in another way than the model states. The text lives as long as the model. */
WEBNN_ONNX_API size_t webnn_onnx_problems(webnn_onnx_model *model, const char **messages,
                                          size_t capacity);

/* Builds the model as a graph: inputs and outputs have the model's names. If all outputs are empty
   there is nothing to compute: the status is WEBNN_OK and *graph is NULL. */
WEBNN_ONNX_API webnn_status webnn_onnx_build(webnn_onnx_model *model, webnn_context *context,
                                             webnn_graph **graph, webnn_error *error);
/* For webnn_context_options.constant_packed, with the model as its user: releases the memory of
   weights that a graph has packed; they stay in the file. Data that are not the model's are kept.
   Any thread. */
WEBNN_ONNX_API void webnn_onnx_packed(void *model, const void *data, size_t byte_length);
/* Adds the model to a builder, for graphs made of parts: `inputs` are operands for inputs of the
   model, by name, those with initializers included; the other inputs become inputs of the graph.
   `outputs` has room for as many operands as the model has outputs; an output without elements is
   NULL. */
WEBNN_ONNX_API webnn_status webnn_onnx_add(webnn_onnx_model *model, webnn_builder *builder,
                                           const webnn_named_operand *inputs, size_t input_count,
                                           webnn_operand **outputs, webnn_error *error);

/* A tensor: `data` are the elements in ONNX's layout, `byte_length` bytes. */
typedef struct webnn_onnx_tensor {
  const char *name;
  webnn_onnx_type type;
  webnn_list shape;
  uint64_t count;
  const void *data;
  size_t byte_length;
  void *memory; /* what webnn_onnx_free_tensor frees */
} webnn_onnx_tensor;
/* An initializer of the model by its name; its data live as long as the model. */
WEBNN_ONNX_API webnn_status webnn_onnx_weight(webnn_onnx_model *model, const char *name,
                                              webnn_onnx_tensor *tensor, webnn_error *error);
/* A tensor in a file of its own, such as ONNX's test data (input_0.pb): `bytes` must stay until the
   tensor is freed. */
WEBNN_ONNX_API webnn_status webnn_onnx_read_tensor(const void *bytes, size_t length,
                                                   webnn_onnx_tensor *tensor, webnn_error *error);
WEBNN_ONNX_API void webnn_onnx_free_tensor(webnn_onnx_tensor *tensor);

/* ==============================================================================================
   Sessions: inputs of any size
   ============================================================================================== */

/* Graphs of one model for inputs of any shapes. A session builds one graph with dynamic dimensions
   for all shapes if the model can be built so, whatever webnn_onnx_options.fixed is; webnn.h
   specializes it for the sizes that come. Where a node needs sizes, where the rules of that graph
   refuse the sizes that come, and where one is 0, the session builds a graph for these shapes, and
   keeps those that were used last. All graphs borrow the model's weights. Shapes are those of the
   inputs: the sizes of dimensions need not be known before, and those that the model's options have
   must agree. Where a shape or a branch depends on the value of an input, the graph has this value
   as a constant, and another value makes another graph.

   Creating a session builds no graph and packs no weights, which takes longer than a run. Where the
   first request has to be fast, compute the shapes of outputs before, for sizes as they will be
   (webnn_onnx_compute_shapes), or run the session once. */
typedef struct webnn_onnx_session webnn_onnx_session;

typedef struct webnn_onnx_session_options {
  /* How many sets of sizes to keep, with the graphs of sets that have their own; 0: 8. Sets in use,
     and the last graph with dynamic dimensions, are kept beyond this number.
     (webnn_context_options.specializations says how many specializations of that graph the context
     keeps.) */
  uint32_t graph_count WEBNN__DEFAULT;
  /* A graph for each set of sizes, without dynamic dimensions. In a fast context its results may
     differ in their last bits: fewer operators are left where sizes are known. */
  bool fixed WEBNN__DEFAULT;
  /* Gets the reason for each graph after the first (`model.onnx: built again: input "x" is
     [2,3], not [1,3]`), why sizes have graphs of their own, and the inputs on whose values graphs
     depend. It must not call functions of the session. */
  void (*note)(void *user, const char *text) WEBNN__DEFAULT;
  void *note_user WEBNN__DEFAULT;
} webnn_onnx_session_options;

/* An input of the model: its shape, and its elements as a graph takes them (webnn_onnx_graph_type).
   Without a shape it has that of the model. An input with an initializer may be left out; otherwise
   its value becomes a constant. */
typedef struct webnn_onnx_feed {
  const char *name;
  webnn_list shape;
  const void *data;
  size_t byte_length;
} webnn_onnx_feed;

/* Makes a session from a model and the context in which the session computes. Both must outlive the
   session, and no other function may use the model until the session is freed. Options (NULL: none)
   are copied. Errors: UnknownError (memory). *session is NULL on failure. */
WEBNN_ONNX_API webnn_status webnn_onnx_create_session(webnn_onnx_model *model,
                                                      webnn_context *context,
                                                      const webnn_onnx_session_options *options,
                                                      webnn_onnx_session **session,
                                                      webnn_error *error);
/* Frees the session and its graphs, none of which may be in use. NULL: nothing. */
WEBNN_ONNX_API void webnn_onnx_free_session(webnn_onnx_session *session);

/* Any thread may call the functions below at any time, even concurrently: while one call builds a
   graph, the others wait for it. `feeds` are the inputs in any order. Errors: TypeError (an input
   that the model lacks, that is missing or there twice, or whose shape or bytes do not fit; two
   sizes of one dimension), and those of webnn_onnx_build. The graphs that are there stay usable. */

/* Runs the model once over the caller's memory. `outputs` are all outputs by name, each with the
   byte length of its shape, 0 for one without elements. */
WEBNN_ONNX_API webnn_status webnn_onnx_run(webnn_onnx_session *session,
                                           const webnn_onnx_feed *feeds, size_t feed_count,
                                           const webnn_named_output *outputs, size_t output_count,
                                           webnn_error *error);
/* The outputs of the model for these inputs, with all sizes known; `outputs` has room for as many
   as the model has. Data are needed only of inputs on whose values shapes depend. It builds the
   graph that the next run uses, and packs its weights. Names live as long as the model. */
WEBNN_ONNX_API webnn_status webnn_onnx_compute_shapes(webnn_onnx_session *session,
                                                      const webnn_onnx_feed *feeds,
                                                      size_t feed_count, webnn_onnx_port *outputs,
                                                      webnn_error *error);
/* Borrows the graph for these inputs, to dispatch it or to look into it. It may have dynamic
   dimensions; then other sizes get the same graph. It stays valid until it has been given back as
   often as it was borrowed. If all outputs are empty, *graph is NULL, as with webnn_onnx_build, and
   there is nothing to give back. */
WEBNN_ONNX_API webnn_status webnn_onnx_borrow_graph(webnn_onnx_session *session,
                                                    const webnn_onnx_feed *feeds, size_t feed_count,
                                                    webnn_graph **graph, webnn_error *error);
/* Gives a borrowed graph back. NULL: nothing. */
WEBNN_ONNX_API void webnn_onnx_return_graph(webnn_onnx_session *session, webnn_graph *graph);

#ifdef __cplusplus
} /* extern "C" */

/* With WEBNN_OUTPUTS, which is a list in C++. */
[[maybe_unused]] static inline webnn_status
webnn_onnx_run(webnn_onnx_session *session, const webnn_onnx_feed *feeds, size_t feed_count,
               std::initializer_list<webnn_named_output> outputs, webnn_error *error) {
  return webnn_onnx_run(session, feeds, feed_count, outputs.begin(), outputs.size(), error);
}
#endif
#endif /* WEBNN_ONNX_H */

#if defined(WEBNN_ONNX_IMPLEMENTATION) && !defined(WEBNN_ONNX_IMPLEMENTATION_INCLUDED)
#define WEBNN_ONNX_IMPLEMENTATION_INCLUDED

/* ==============================================================================================
   THE IMPLEMENTATION

      1  errors     and functions of numbers
      2  reading    protobuf's wire format
      3  files      mapped, or read
      4  parsing    the messages of ONNX as structs
      5  tensors    elements in the form that graphs take
      6  values     what names stand for while a graph is built; scopes; constants computed
      7  calls      what a node's function asks of its call
      8  - 15       the operators, family by family
      16 subgraphs  conditionals, loops, functions
      17 table      the operators and their functions
      18 building   nodes in order, inputs and outputs
      19 interface  the public functions
      20 sessions   graphs for the shapes that inputs have

   Words: a value is what a name of the model stands for: an operand of the builder, a constant, or
   both. A call is a node with its values while it is lowered, that is, expressed by WebNN's
   operators. A graph type is the WebNN type that holds a type of ONNX. A value is folded when it is
   computed while the graph is built, by lowering its node onto a builder of constants in a
   reference context.
   ============================================================================================== */

#include "webnn_extra.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#elif defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define WEBNN_ONNX__MMAP
#endif
#if !defined(WEBNN_NO_THREADS) && !defined(_WIN32)
#include <pthread.h>
#endif

/* Graphs in attributes of nodes, and calls of functions, may be nested so deep. */
#define WEBNN_ONNX__MAX_NESTING 16
/* Nodes of one build, with unrolled loops. */
#define WEBNN_ONNX__MAX_NODES 200000
/* Results with at most so many elements are folded at once. */
#define WEBNN_ONNX__FOLD_ELEMENTS 65536
/* More than so many are not folded, whoever wants them. */
#define WEBNN_ONNX__MOST_ELEMENTS 67108864
/* Ranges and matrices of weights have at most so many items, and so many nodes come of one. */
#define WEBNN_ONNX__MOST_INDICES 16777216
#define WEBNN_ONNX__MOST_PARTS 1024
/* The most elements of a tensor. */
#define WEBNN_ONNX__ELEMENTS_MAX 2147483647u

/* ---- 1 errors -------------------------------------------------------------------------------- */

static webnn_status webnn_onnx__set_error(webnn_error *error, webnn_status status,
                                          const char *message) {
  if (error != NULL) {
    error->status = status;
    (void)snprintf(error->message, sizeof error->message, "%s", message);
  }
  return status;
}

/* A handle that an earlier failure left NULL: the first cause stays. */
static webnn_status webnn_onnx__no_handle(webnn_error *error, const char *what) {
  if (error != NULL && error->status != WEBNN_OK) {
    return error->status;
  }
  return webnn_onnx__set_error(error, WEBNN_TYPE_ERROR, what);
}

/* A name as messages show it: short, and without control characters; of NULL nothing. */
typedef struct webnn_onnx__shown {
  char text[84];
} webnn_onnx__shown;

static webnn_onnx__shown webnn_onnx__show(const char *name) {
  webnn_onnx__shown shown;
  size_t i = 0;
  name = name != NULL ? name : "";
  for (; name[i] != '\0' && i < 80; i++) {
    shown.text[i] = (unsigned char)name[i] < 32 || name[i] == 127 ? '?' : name[i];
  }
  /* A character of several bytes is not cut. */
  while (name[i] != '\0' && i > 0 && ((unsigned char)name[i] & 0xC0) == 0x80) {
    i--;
  }
  shown.text[i] = '\0';
  if (name[i] != '\0') {
    memcpy(shown.text + i, "...", 4);
  }
  return shown;
}

static bool webnn_onnx__contains(const char *text, char character) {
  return strchr(text, character) != NULL;
}

/* ---- 1.1 functions of numbers, so that no library of them is needed: good to some units in the
   last place of float64, where results are rounded to float32. */

static double webnn_onnx__magnitude(double x) {
  return x < 0 ? -x : x;
}

static double webnn_onnx__floor(double x) {
  double whole;
  if (!(webnn_onnx__magnitude(x) < 4503599627370496.0)) { /* 2^52: a whole number, or none */
    return x;
  }
  whole = (double)(int64_t)x;
  return whole > x ? whole - 1 : whole;
}

static double webnn_onnx__ceil(double x) {
  return -webnn_onnx__floor(-x);
}

/* Of a normal number; roots of squares are exact. */
static double webnn_onnx__root(double x) {
  uint64_t bits;
  double y;
  int i;
  if (!(x > 0)) {
    return 0;
  }
  memcpy(&bits, &x, 8);
  bits = (bits >> 1) + ((uint64_t)0x1FF8 << 48); /* half the exponent */
  memcpy(&y, &bits, 8);
  for (i = 0; i < 6; i++) {
    y = 0.5 * (y + x / y);
  }
  return y;
}

/* The cosine of so many full turns. */
static double webnn_onnx__cosine(double turns) {
  const double t = webnn_onnx__magnitude(turns - webnn_onnx__floor(turns + 0.5));
  double a, term = 1, sum = 1;
  int i;
  if (t > 0.25) {
    return -webnn_onnx__cosine(0.5 - t);
  }
  a = 6.283185307179586477 * (t > 0.125 ? 0.25 - t : t);
  if (t > 0.125) {
    term = sum = a;
  }
  for (i = t > 0.125 ? 2 : 1; i < 20; i += 2) {
    term *= -a * a / (i * (i + 1));
    sum += term;
  }
  return sum;
}

static double webnn_onnx__sine(double turns) {
  return webnn_onnx__cosine(turns - 0.25);
}

/* The natural logarithm of a positive normal number: that of its significand and
   of its power of 2. */
static double webnn_onnx__logarithm(double x) {
  uint64_t bits;
  double exponent, s, power, sum = 0;
  int i;
  memcpy(&bits, &x, 8);
  exponent = (double)(int64_t)(bits >> 52) - 1023;
  bits = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)0x3FF << 52;
  memcpy(&x, &bits, 8);
  s = power = (x - 1) / (x + 1);
  for (i = 1; i < 36; i += 2, power *= s * s) {
    sum += power / i;
  }
  return 2 * sum + exponent * 0.6931471805599453094;
}

/* e^x for |x| < 700. */
static double webnn_onnx__power_of_e(double x) {
  const double k = webnn_onnx__floor(x * 1.4426950408889634 + 0.5);
  const uint64_t bits = (uint64_t)((int64_t)k + 1023) << 52;
  double term = 1, sum = 1, scale;
  int i;
  x -= k * 0.6931471805599453094;
  for (i = 1; i < 20; i++) {
    term *= x / i;
    sum += term;
  }
  memcpy(&scale, &bits, 8);
  return sum * scale;
}

/* ---- 2 reading ------------------------------------------------------------------------------- */

typedef struct webnn_onnx__bytes {
  const uint8_t *data;
  size_t length;
} webnn_onnx__bytes;

typedef struct webnn_onnx__reader {
  const uint8_t *at, *end;
  const char *broken; /* what is wrong, NULL: nothing */
} webnn_onnx__reader;

/* A field: integers of wire type 0, 1 and 5 are in `integer`, others in `bytes`. */
typedef struct webnn_onnx__field {
  uint32_t number, wire;
  uint64_t integer;
  webnn_onnx__bytes bytes;
} webnn_onnx__field;

static webnn_onnx__reader webnn_onnx__reader_of(webnn_onnx__bytes message) {
  webnn_onnx__reader reader;
  reader.at = message.data;
  reader.end = message.data + message.length;
  reader.broken = NULL;
  return reader;
}

static bool webnn_onnx__break(webnn_onnx__reader *r, const char *why) {
  r->broken = why;
  return false;
}

static bool webnn_onnx__varint(webnn_onnx__reader *r, uint64_t *value) {
  unsigned shift = 0;
  *value = 0;
  while (r->at < r->end && shift < 70) {
    const uint8_t byte = *r->at++;
    if (shift < 64) {
      *value |= (uint64_t)(byte & 127) << shift;
    }
    if (byte < 128) {
      return true;
    }
    shift += 7;
  }
  return webnn_onnx__break(r, "a number does not end");
}

static bool webnn_onnx__fixed(webnn_onnx__reader *r, unsigned bytes, uint64_t *value) {
  unsigned i;
  if ((size_t)(r->end - r->at) < bytes) {
    return webnn_onnx__break(r, "a number reaches beyond its message");
  }
  *value = 0;
  for (i = 0; i < bytes; i++) {
    *value |= (uint64_t)r->at[i] << (8 * i);
  }
  r->at += bytes;
  return true;
}

/* The content of a field whose tag has been read. */
static bool webnn_onnx__content(webnn_onnx__reader *r, webnn_onnx__field *f) {
  switch (f->wire) {
  case 0:
    return webnn_onnx__varint(r, &f->integer);
  case 1:
    return webnn_onnx__fixed(r, 8, &f->integer);
  case 5:
    return webnn_onnx__fixed(r, 4, &f->integer);
  case 2:
    if (!webnn_onnx__varint(r, &f->integer)) {
      return false;
    }
    if (f->integer > (uint64_t)(r->end - r->at)) {
      return webnn_onnx__break(r, "a field reaches beyond its message");
    }
    f->bytes.data = r->at;
    f->bytes.length = (size_t)f->integer;
    r->at += f->bytes.length;
    return true;
  default:
    return webnn_onnx__break(r, "a field has no known wire type");
  }
}

/* The next field; false at the end, and when the message is broken. Groups are skipped. */
static bool webnn_onnx__next(webnn_onnx__reader *r, webnn_onnx__field *f) {
  uint32_t groups = 0;
  while (r->at < r->end) {
    uint64_t tag;
    memset(f, 0, sizeof *f);
    if (!webnn_onnx__varint(r, &tag)) {
      return false;
    }
    if (tag >> 3 == 0 || tag >> 3 > 536870911) {
      return webnn_onnx__break(r, "a field has no valid number");
    }
    f->number = (uint32_t)(tag >> 3);
    f->wire = (uint32_t)(tag & 7);
    if (f->wire == 3) {
      groups++;
    } else if (f->wire == 4) {
      if (groups == 0) {
        return webnn_onnx__break(r, "a group ends that has not begun");
      }
      groups--;
    } else {
      if (!webnn_onnx__content(r, f)) {
        return false;
      }
      if (groups == 0) {
        return true;
      }
    }
  }
  return groups == 0 ? false : webnn_onnx__break(r, "a group does not end");
}

/* How often a field occurs, whatever is behind a fault, which parsing then finds. */
static size_t webnn_onnx__count_fields(webnn_onnx__bytes message, uint32_t number) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  size_t count = 0;
  while (webnn_onnx__next(&r, &f)) {
    count += f.number == number;
  }
  return count;
}

/* The numbers of a repeated field, packed or not. With out == NULL they are only counted. `wire` is
   the wire type of one number. */
static bool webnn_onnx__numbers(webnn_onnx__bytes message, uint32_t number, uint32_t wire,
                                uint64_t *out, size_t *count) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message), packed;
  webnn_onnx__field f, item;
  size_t n = 0;
  while (webnn_onnx__next(&r, &f)) {
    if (f.number != number) {
      continue;
    }
    if (f.wire == wire) {
      if (out != NULL) {
        out[n] = f.integer;
      }
      n++;
      continue;
    }
    if (f.wire != 2) {
      return false;
    }
    packed = webnn_onnx__reader_of(f.bytes);
    item.wire = wire;
    while (packed.at < packed.end) {
      if (!webnn_onnx__content(&packed, &item)) {
        return false;
      }
      if (out != NULL) {
        out[n] = item.integer;
      }
      n++;
    }
  }
  *count = n;
  return r.broken == NULL;
}

/* ---- 3 files --------------------------------------------------------------------------------- */

typedef struct webnn_onnx__file {
  struct webnn_onnx__file *next;
  char *name; /* of external data, as the model has it */
  webnn_onnx__bytes bytes;
  bool mapped;
} webnn_onnx__file;

#if !defined(WEBNN_ONNX__MMAP) && !defined(_WIN32)
static bool webnn_onnx__load_file(const char *path, webnn_onnx__file *file) {
  FILE *stream = fopen(path, "rb");
  uint8_t *bytes = NULL;
  long size = -1;
  if (stream == NULL) {
    return false;
  }
  if (fseek(stream, 0, SEEK_END) == 0 && (size = ftell(stream)) >= 0) {
    rewind(stream);
    bytes = (uint8_t *)malloc((size_t)size + 1);
    if (bytes != NULL && fread(bytes, 1, (size_t)size, stream) != (size_t)size) {
      free(bytes);
      bytes = NULL;
    }
  }
  fclose(stream);
  file->bytes.data = bytes;
  file->bytes.length = bytes == NULL ? 0 : (size_t)size;
  return bytes != NULL;
}
#endif

/* The bytes of a file, mapped where the system can. */
static bool webnn_onnx__map_file(const char *path, webnn_onnx__file *file) {
  static const uint8_t none[1] = {0};
#if defined(WEBNN_ONNX__MMAP)
  struct stat status;
  void *memory = NULL;
  const int descriptor = open(path, O_RDONLY);
  bool good = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
              status.st_size >= 0 && (uint64_t)status.st_size <= SIZE_MAX;
  if (good && status.st_size > 0) {
    memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    good = memory != MAP_FAILED;
  }
  if (good) {
    file->bytes.data = memory == NULL ? none : (const uint8_t *)memory;
    file->bytes.length = (size_t)status.st_size;
    file->mapped = memory != NULL;
  }
  if (descriptor >= 0) {
    close(descriptor);
  }
  return good;
#elif defined(_WIN32)
  HANDLE handle = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
  HANDLE mapping = NULL;
  LARGE_INTEGER size;
  bool good = handle != INVALID_HANDLE_VALUE && GetFileSizeEx(handle, &size) &&
              (uint64_t)size.QuadPart <= SIZE_MAX;
  if (good) {
    file->bytes.data = none;
    file->bytes.length = (size_t)size.QuadPart;
  }
  if (good && size.QuadPart > 0) {
    mapping = CreateFileMappingA(handle, NULL, PAGE_READONLY, 0, 0, NULL);
    file->bytes.data =
        mapping == NULL ? NULL : (const uint8_t *)MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    good = file->mapped = file->bytes.data != NULL;
  }
  if (mapping != NULL) {
    CloseHandle(mapping);
  }
  if (handle != INVALID_HANDLE_VALUE) {
    CloseHandle(handle);
  }
  return good;
#else
  (void)none;
  return webnn_onnx__load_file(path, file);
#endif
}

static void webnn_onnx__unmap_file(webnn_onnx__file *file) {
#if defined(WEBNN_ONNX__MMAP)
  if (file->mapped) {
    munmap((void *)(uintptr_t)file->bytes.data, file->bytes.length);
  }
#elif defined(_WIN32)
  if (file->mapped) {
    UnmapViewOfFile(file->bytes.data);
  }
#else
  free((void *)(uintptr_t)file->bytes.data);
#endif
  file->bytes.data = NULL;
}

/* Pages of a mapped file that hold nothing but these bytes leave memory, until they are read again.
   Whoever compiles without the system's extensions (-std=c99) keeps them. */
static void webnn_onnx__leave_pages(const webnn_onnx__file *file, const uint8_t *data,
                                    size_t length) {
#if defined(WEBNN_ONNX__MMAP) && defined(MADV_DONTNEED)
  const long size = sysconf(_SC_PAGESIZE);
  const uintptr_t page = size > 0 ? (uintptr_t)size : 0, begin = (uintptr_t)data;
  const uintptr_t offset = begin - (uintptr_t)file->bytes.data;
  if (page > 0 && file->mapped && offset <= file->bytes.length &&
      length <= file->bytes.length - offset) {
    const uintptr_t first = (begin + page - 1) / page * page, end = (begin + length) / page * page;
    if (end > first) {
      (void)madvise((void *)first, (size_t)(end - first), MADV_DONTNEED);
    }
  }
#else
  (void)file;
  (void)data;
  (void)length;
#endif
}

/* ---- 4 parsing ------------------------------------------------------------------------------- */

typedef struct webnn_onnx__graph webnn_onnx__graph;

/* A TensorProto, or a SparseTensorProto. Elements are decoded when they are wanted. */
typedef struct webnn_onnx__proto {
  struct webnn_onnx__proto *values, *places; /* of a sparse one: what is not 0, and where it is */
  const char *name;
  webnn_onnx_type type;
  uint32_t rank;
  uint64_t dims[WEBNN_MAX_RANK];
  uint64_t count;
  webnn_onnx__bytes message, raw;
  bool has_raw, external, too_many_dims, bad_dims;
  bool turned;            /* raw, from the order of bytes that the file has */
  const void *graph_data; /* elements as graphs take them, once they were wanted */
} webnn_onnx__proto;

typedef enum webnn_onnx__attribute_type {
  WEBNN_ONNX__FLOAT = 1,
  WEBNN_ONNX__INT = 2,
  WEBNN_ONNX__STRING = 3,
  WEBNN_ONNX__TENSOR = 4,
  WEBNN_ONNX__GRAPH = 5,
  WEBNN_ONNX__FLOATS = 6,
  WEBNN_ONNX__INTS = 7,
  WEBNN_ONNX__STRINGS = 8
} webnn_onnx__attribute_type;

typedef struct webnn_onnx__attribute {
  const char *name;
  const char *reference; /* "": none; else the attribute of the function that stands here */
  uint32_t type;
  float f;
  int64_t i;
  const char *s;
  webnn_onnx__proto *t;
  webnn_onnx__graph *g;
  float *floats;
  int64_t *ints;
  const char **strings;
  size_t float_count, int_count, string_count;
} webnn_onnx__attribute;

typedef struct webnn_onnx__node {
  const char *name, *op, *domain, *overload;
  const char **inputs, **outputs;
  size_t input_count, output_count;
  webnn_onnx__attribute *attributes;
  size_t attribute_count;
  webnn_onnx__graph **graphs; /* those in the attributes */
  size_t graph_count;
  const char *cycle; /* that it is in, as messages say it; NULL: none */
} webnn_onnx__node;

typedef struct webnn_onnx__info {
  const char *name;
  webnn_onnx_type type; /* 0: no tensor */
  bool has_shape;
  uint32_t rank;
  int64_t dims[WEBNN_MAX_RANK]; /* -1: not given */
  const char *params[WEBNN_MAX_RANK];
  const char *names[WEBNN_MAX_RANK]; /* of those not given: params, else "input[1]"; NULL: given */
  const struct webnn_onnx__given
      *given; /* what a session builds a graph for; NULL: no session does */
} webnn_onnx__info;

struct webnn_onnx__graph {
  webnn_onnx__node *nodes;
  size_t node_count;
  webnn_onnx__proto *initializers;
  size_t initializer_count; /* sparse ones, too */
  webnn_onnx__info *inputs, *outputs;
  size_t input_count, output_count;
};

typedef struct webnn_onnx__function {
  const char *domain, *name, *overload;
  const char **inputs, **outputs;
  size_t input_count, output_count;
  webnn_onnx__attribute *attributes; /* those with defaults */
  size_t attribute_count;
  webnn_onnx__graph body; /* nodes only */
  webnn_onnx_opset *opsets;
  size_t opset_count;
} webnn_onnx__function;

/* An output without elements; without a type the output has some, or is not known. */
typedef struct webnn_onnx__no_elements {
  webnn_onnx_type type;
  webnn_list shape;
} webnn_onnx__no_elements;

struct webnn_onnx_model {
  webnn_extra__arena arena;
  const char *name;   /* for messages */
  const char *folder; /* of external data */
  webnn_onnx__file file;
  webnn_onnx__file *externals;
  webnn_onnx__bytes bytes;
  webnn_onnx_options options;
  webnn_onnx__graph graph;
  webnn_onnx__function *functions;
  size_t function_count;
  webnn_onnx_opset *opsets;
  size_t opset_count;
  int64_t format;
  const char *producer, *producer_version;
  char **problems;
  size_t problem_count, problem_room;
  bool problems_known;
  const char **wanted; /* inputs whose values what failed needs; room for all inputs */
  size_t wanted_count;
  webnn_onnx__no_elements *empty; /* of each output, as the last build found it */
  bool in_session;                /* builds for one */
  webnn_status status;            /* of parsing */
  char message[508];
};

static bool webnn_onnx__malformed(webnn_onnx_model *m, const uint8_t *at, const char *why) {
  if (m->status == WEBNN_OK) {
    m->status = WEBNN_TYPE_ERROR;
    (void)snprintf(m->message, sizeof m->message, "%s: byte %llu of %llu: %s", m->name,
                   (unsigned long long)(at - m->bytes.data), (unsigned long long)m->bytes.length,
                   why);
  }
  return false;
}

#define WEBNN_ONNX__NO_MODEL "the file is not an ONNX model, or ends early"

/* Says what a malformed file may be: one whose version of the format has not been seen is
   of another kind, and a field of the model itself that is broken mostly reaches beyond a
   file that is cut. */
static bool webnn_onnx__no_model(webnn_onnx_model *m) {
  const size_t used = strlen(m->message);
  if (m->status == WEBNN_TYPE_ERROR && used < sizeof m->message) {
    (void)snprintf(m->message + used, sizeof m->message - used, ": " WEBNN_ONNX__NO_MODEL);
  }
  return false;
}

static bool webnn_onnx__no_memory(webnn_onnx_model *m) {
  m->status = WEBNN_UNKNOWN_ERROR;
  (void)snprintf(m->message, sizeof m->message, "%s: out of memory", m->name);
  return false;
}

/* Has nothing failed yet? */
static bool webnn_onnx__sound(const webnn_onnx_model *m) {
  return m->status == WEBNN_OK;
}

/* After the last field of a message: nothing has failed. */
static bool webnn_onnx__ended(webnn_onnx_model *m, const webnn_onnx__reader *r) {
  return webnn_onnx__sound(m) && (r->broken == NULL || webnn_onnx__malformed(m, r->at, r->broken));
}

/* Memory of the model, zero; NULL after a failure. */
static void *webnn_onnx__array(webnn_onnx_model *m, size_t count, size_t size) {
  void *memory = webnn_extra__take(&m->arena, count, size);
  if (memory == NULL) {
    webnn_onnx__no_memory(m);
  }
  return memory;
}

/* A copy for the model of bytes, and a zero after them; NULL after a failure. */
static char *webnn_onnx__copy(webnn_onnx_model *m, const void *data, size_t length) {
  char *copy = (char *)webnn_extra__copied(&m->arena, data, length);
  if (copy == NULL) {
    webnn_onnx__no_memory(m);
  }
  return copy;
}

static bool webnn_onnx__text(webnn_onnx_model *m, const webnn_onnx__field *f, const char **text) {
  if (f->wire != 2) {
    return webnn_onnx__malformed(m, m->bytes.data, "a field that should be text is none");
  }
  if (f->bytes.length != 0 && memchr(f->bytes.data, 0, f->bytes.length) != NULL) {
    return webnn_onnx__malformed(m, f->bytes.data, "a name has a byte 0 in it");
  }
  *text = webnn_onnx__copy(m, f->bytes.data, f->bytes.length);
  return webnn_onnx__sound(m);
}

/* All texts of a repeated field. */
static bool webnn_onnx__texts(webnn_onnx_model *m, webnn_onnx__bytes message, uint32_t number,
                              const char ***texts, size_t *count) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  size_t n = 0;
  *count = webnn_onnx__count_fields(message, number);
  *texts = (const char **)webnn_onnx__array(m, *count, sizeof **texts);
  while (webnn_onnx__sound(m) && webnn_onnx__next(&r, &f)) {
    if (f.number == number && !webnn_onnx__text(m, &f, &(*texts)[n++])) {
      return false;
    }
  }
  return webnn_onnx__ended(m, &r);
}

static bool webnn_onnx__is_message(webnn_onnx_model *m, const webnn_onnx__field *f) {
  return f->wire == 2 ||
         webnn_onnx__malformed(m, m->bytes.data, "a field that should be a message is none");
}

/* The next field of that number, which must be a message; false at the end, and after a failure. */
static bool webnn_onnx__next_message(webnn_onnx_model *m, webnn_onnx__reader *r, uint32_t number,
                                     webnn_onnx__field *f) {
  while (webnn_onnx__sound(m) && webnn_onnx__next(r, f)) {
    if (f->number == number) {
      return webnn_onnx__is_message(m, f);
    }
  }
  return false;
}

/* A field of text, and where it is put. */
typedef struct webnn_onnx__text_field {
  uint32_t number;
  const char **text;
} webnn_onnx__text_field;

/* The texts of some fields, "" where they are absent. */
static bool webnn_onnx__text_fields(webnn_onnx_model *m, webnn_onnx__bytes message,
                                    const webnn_onnx__text_field *fields, size_t count) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  size_t i;
  for (i = 0; i < count; i++) {
    *fields[i].text = "";
  }
  while (webnn_onnx__sound(m) && webnn_onnx__next(&r, &f)) {
    for (i = 0; i < count; i++) {
      if (f.number == fields[i].number) {
        (void)webnn_onnx__text(m, &f, fields[i].text);
      }
    }
  }
  return webnn_onnx__ended(m, &r);
}

/* ai.onnx is the same domain as "". */
static void webnn_onnx__shorten(const char **domain) {
  *domain = strcmp(*domain, "ai.onnx") == 0 ? "" : *domain;
}

/* The type of that number. */
static webnn_onnx_type webnn_onnx__type_of(uint64_t number) {
  return number <= WEBNN_ONNX_INT2 ? (webnn_onnx_type)number : WEBNN_ONNX_OTHER;
}

/* The dimensions are in field `number`. */
static bool webnn_onnx__parse_dims(webnn_onnx_model *m, webnn_onnx__proto *t, uint32_t number) {
  size_t count, i;
  uint64_t *dims;
  if (!webnn_onnx__numbers(t->message, number, 0, NULL, &count)) {
    return webnn_onnx__malformed(m, t->message.data, "a tensor's dimensions are malformed");
  }
  dims = (uint64_t *)webnn_onnx__array(m, count, sizeof *dims);
  if (!webnn_onnx__sound(m)) {
    return false;
  }
  (void)webnn_onnx__numbers(t->message, number, 0, dims, &count);
  t->too_many_dims = count > WEBNN_MAX_RANK;
  t->rank = t->too_many_dims ? WEBNN_MAX_RANK : (uint32_t)count;
  t->count = 1;
  for (i = 0; i < count; i++) {
    if (dims[i] > WEBNN_ONNX__ELEMENTS_MAX) {
      t->bad_dims = true;
    } else if (t->count * dims[i] > WEBNN_ONNX__ELEMENTS_MAX) {
      t->bad_dims = true;
    } else {
      t->count *= dims[i];
    }
    if (i < WEBNN_MAX_RANK) {
      t->dims[i] = dims[i];
    }
  }
  return true;
}

static bool webnn_onnx__parse_tensor(webnn_onnx_model *m, webnn_onnx__bytes message,
                                     webnn_onnx__proto *t) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  t->name = "";
  t->message = message;
  while (webnn_onnx__next(&r, &f)) {
    if (f.number == 2 && f.wire == 0) {
      t->type = webnn_onnx__type_of(f.integer);
    } else if (f.number == 8) {
      if (!webnn_onnx__text(m, &f, &t->name)) {
        return false;
      }
    } else if (f.number == 9) {
      if (f.wire != 2) {
        return webnn_onnx__malformed(m, message.data, "a tensor's raw data are malformed");
      }
      t->raw = f.bytes;
      t->has_raw = true;
    } else if (f.number == 14 && f.wire == 0) {
      t->external = f.integer == 1;
    }
  }
  return webnn_onnx__ended(m, &r) && webnn_onnx__parse_dims(m, t, 1);
}

/* SparseTensorProto: values, their places, and the dimensions. The name is that of the values. */
static bool webnn_onnx__parse_sparse(webnn_onnx_model *m, webnn_onnx__bytes message,
                                     webnn_onnx__proto *t) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  t->message = message;
  t->values = (webnn_onnx__proto *)webnn_onnx__array(m, 1, sizeof *t->values);
  t->places = (webnn_onnx__proto *)webnn_onnx__array(m, 1, sizeof *t->places);
  if (!webnn_onnx__sound(m)) {
    return false;
  }
  t->values->name = t->places->name = "";
  while (webnn_onnx__next(&r, &f)) {
    if ((f.number == 1 || f.number == 2) &&
        (f.wire != 2 ||
         !webnn_onnx__parse_tensor(m, f.bytes, f.number == 1 ? t->values : t->places))) {
      return webnn_onnx__malformed(m, message.data, "a sparse tensor is malformed");
    }
  }
  t->name = t->values->name;
  t->type = t->values->type;
  return webnn_onnx__ended(m, &r) && webnn_onnx__parse_dims(m, t, 3);
}

static bool webnn_onnx__parse_graph(webnn_onnx_model *m, webnn_onnx__bytes message,
                                    webnn_onnx__graph *g, uint32_t depth);

/* The lists of an attribute. */
static bool webnn_onnx__parse_lists(webnn_onnx_model *m, webnn_onnx__bytes message,
                                    webnn_onnx__attribute *a) {
  uint64_t *numbers;
  size_t i, n;
  if (!webnn_onnx__numbers(message, 7, 5, NULL, &a->float_count) ||
      !webnn_onnx__numbers(message, 8, 0, NULL, &a->int_count)) {
    return webnn_onnx__malformed(m, message.data, "an attribute's list of numbers is malformed");
  }
  n = a->float_count > a->int_count ? a->float_count : a->int_count;
  numbers = (uint64_t *)webnn_onnx__array(m, n, sizeof *numbers);
  a->floats = (float *)webnn_onnx__array(m, a->float_count, sizeof *a->floats);
  a->ints = (int64_t *)webnn_onnx__array(m, a->int_count, sizeof *a->ints);
  if (!webnn_onnx__sound(m)) {
    return false;
  }
  (void)webnn_onnx__numbers(message, 7, 5, numbers, &n);
  for (i = 0; i < a->float_count; i++) {
    const uint32_t bits = (uint32_t)numbers[i];
    memcpy(&a->floats[i], &bits, 4);
  }
  (void)webnn_onnx__numbers(message, 8, 0, numbers, &n);
  for (i = 0; i < a->int_count; i++) {
    a->ints[i] = (int64_t)numbers[i];
  }
  return webnn_onnx__texts(m, message, 9, &a->strings, &a->string_count);
}

static bool webnn_onnx__parse_attribute_field(webnn_onnx_model *m, const webnn_onnx__field *f,
                                              webnn_onnx__attribute *a, uint32_t depth) {
  const uint32_t bits = (uint32_t)f->integer;
  switch (f->number) {
  case 1:
    return webnn_onnx__text(m, f, &a->name);
  case 2:
    memcpy(&a->f, &bits, 4);
    return f->wire == 5 || webnn_onnx__malformed(m, m->bytes.data, "a float is malformed");
  case 3:
    a->i = (int64_t)f->integer;
    return f->wire == 0 || webnn_onnx__malformed(m, m->bytes.data, "an integer is malformed");
  case 4: /* bytes, which may have zeros in them: what is read of them ends there */
    if (f->wire != 2) {
      return webnn_onnx__malformed(m, m->bytes.data, "a string is malformed");
    }
    a->s = webnn_onnx__copy(m, f->bytes.data, f->bytes.length);
    return webnn_onnx__sound(m);
  case 5:
    a->t = (webnn_onnx__proto *)webnn_onnx__array(m, 1, sizeof *a->t);
    return webnn_onnx__sound(m) && webnn_onnx__is_message(m, f) &&
           webnn_onnx__parse_tensor(m, f->bytes, a->t);
  case 6:
    a->g = (webnn_onnx__graph *)webnn_onnx__array(m, 1, sizeof *a->g);
    return webnn_onnx__sound(m) && webnn_onnx__is_message(m, f) &&
           webnn_onnx__parse_graph(m, f->bytes, a->g, depth + 1);
  case 22:
    a->t = (webnn_onnx__proto *)webnn_onnx__array(m, 1, sizeof *a->t);
    return webnn_onnx__sound(m) && webnn_onnx__is_message(m, f) &&
           webnn_onnx__parse_sparse(m, f->bytes, a->t);
  case 20:
    a->type = (uint32_t)f->integer;
    return true;
  case 21:
    return webnn_onnx__text(m, f, &a->reference);
  default:
    return true;
  }
}

/* The type of an attribute that does not say it, from the fields it has. */
static uint32_t webnn_onnx__implied_type(webnn_onnx__bytes message) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  uint32_t type = 0;
  while (webnn_onnx__next(&r, &f)) {
    type = f.number >= 2 && f.number <= 9 ? f.number - 1 : type;
  }
  return type;
}

static bool webnn_onnx__parse_attribute(webnn_onnx_model *m, webnn_onnx__bytes message,
                                        webnn_onnx__attribute *a, uint32_t depth) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  a->name = a->reference = a->s = "";
  while (webnn_onnx__next(&r, &f)) {
    if (!webnn_onnx__parse_attribute_field(m, &f, a, depth)) {
      return false;
    }
  }
  if (a->type == 0) {
    a->type = webnn_onnx__implied_type(message);
  }
  return webnn_onnx__ended(m, &r) && webnn_onnx__parse_lists(m, message, a);
}

static bool webnn_onnx__parse_attributes(webnn_onnx_model *m, webnn_onnx__bytes message,
                                         uint32_t number, webnn_onnx__attribute **attributes,
                                         size_t *count, uint32_t depth) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  size_t n = 0;
  *count = webnn_onnx__count_fields(message, number);
  *attributes = (webnn_onnx__attribute *)webnn_onnx__array(m, *count, sizeof **attributes);
  while (webnn_onnx__next_message(m, &r, number, &f)) {
    (void)webnn_onnx__parse_attribute(m, f.bytes, &(*attributes)[n++], depth);
  }
  return webnn_onnx__ended(m, &r);
}

/* The graphs in a node's attributes. */
static bool webnn_onnx__list_graphs(webnn_onnx_model *m, webnn_onnx__node *node) {
  size_t k;
  node->graphs = (webnn_onnx__graph **)webnn_onnx__array(m, node->attribute_count,
                                                         sizeof(webnn_onnx__graph *));
  for (k = 0; k < node->attribute_count && webnn_onnx__sound(m); k++) {
    if (node->attributes[k].g != NULL) {
      node->graphs[node->graph_count++] = node->attributes[k].g;
    }
  }
  return webnn_onnx__sound(m);
}

static bool webnn_onnx__parse_node(webnn_onnx_model *m, webnn_onnx__bytes message,
                                   webnn_onnx__node *node, uint32_t depth) {
  const webnn_onnx__text_field fields[] = {
      {3, &node->name}, {4, &node->op}, {7, &node->domain}, {8, &node->overload}};
  const bool good = webnn_onnx__text_fields(m, message, fields, 4);
  webnn_onnx__shorten(&node->domain);
  return good && webnn_onnx__texts(m, message, 1, &node->inputs, &node->input_count) &&
         webnn_onnx__texts(m, message, 2, &node->outputs, &node->output_count) &&
         webnn_onnx__parse_attributes(m, message, 5, &node->attributes, &node->attribute_count,
                                      depth) &&
         webnn_onnx__list_graphs(m, node);
}

static bool webnn_onnx__parse_dimension(webnn_onnx_model *m, webnn_onnx__bytes message,
                                        webnn_onnx__info *info) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  if (info->rank == WEBNN_MAX_RANK) {
    char why[128];
    const webnn_onnx__shown shown = webnn_onnx__show(info->name);
    (void)snprintf(why, sizeof why, "\"%s\" has more than 8 dimensions", shown.text);
    return webnn_onnx__malformed(m, message.data, why);
  }
  info->dims[info->rank] = -1;
  while (webnn_onnx__next(&r, &f)) {
    if (f.number == 1 && f.wire == 0) {
      info->dims[info->rank] = (int64_t)f.integer < 0 ? -1 : (int64_t)f.integer;
    } else if (f.number == 2 && !webnn_onnx__text(m, &f, &info->params[info->rank])) {
      return false;
    }
  }
  info->rank++;
  return webnn_onnx__ended(m, &r);
}

/* TypeProto.Tensor: element type and shape. */
static bool webnn_onnx__parse_tensor_type(webnn_onnx_model *m, webnn_onnx__bytes message,
                                          webnn_onnx__info *info) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message), shape;
  webnn_onnx__field f, dim;
  while (webnn_onnx__sound(m) && webnn_onnx__next(&r, &f)) {
    if (f.number == 1 && f.wire == 0) {
      info->type = webnn_onnx__type_of(f.integer);
    } else if (f.number == 2 && webnn_onnx__is_message(m, &f)) {
      info->has_shape = true;
      info->rank = 0;
      shape = webnn_onnx__reader_of(f.bytes);
      while (webnn_onnx__next_message(m, &shape, 1, &dim)) {
        (void)webnn_onnx__parse_dimension(m, dim.bytes, info);
      }
      (void)webnn_onnx__ended(m, &shape);
    }
  }
  return webnn_onnx__ended(m, &r);
}

/* What options call the dimensions whose sizes are not given. */
static bool webnn_onnx__name_dimensions(webnn_onnx_model *m, webnn_onnx__info *info) {
  const size_t room = strlen(info->name) + sizeof "[4294967295]";
  uint32_t i;
  for (i = 0; i < info->rank; i++) {
    const char *param = info->params[i];
    if (info->dims[i] < 0 && param != NULL && param[0] != '\0') {
      info->names[i] = param;
    } else if (info->dims[i] < 0) {
      char *name = (char *)webnn_onnx__array(m, room, 1);
      if (!webnn_onnx__sound(m)) {
        return false;
      }
      (void)snprintf(name, room, "%s[%u]", info->name, i);
      info->names[i] = name;
    }
  }
  return true;
}

static bool webnn_onnx__parse_info(webnn_onnx_model *m, webnn_onnx__bytes message,
                                   webnn_onnx__info *info) {
  const webnn_onnx__text_field name = {1, &info->name};
  webnn_onnx__reader r = webnn_onnx__reader_of(message), type;
  webnn_onnx__field f, t;
  if (!webnn_onnx__text_fields(m, message, &name, 1)) {
    return false;
  }
  while (webnn_onnx__next_message(m, &r, 2, &f)) {
    type = webnn_onnx__reader_of(f.bytes);
    while (webnn_onnx__next_message(m, &type, 1, &t)) {
      (void)webnn_onnx__parse_tensor_type(m, t.bytes, info);
    }
    (void)webnn_onnx__ended(m, &type);
  }
  return webnn_onnx__ended(m, &r) && webnn_onnx__name_dimensions(m, info);
}

/* Makes room for a graph's lists. */
static bool webnn_onnx__graph_room(webnn_onnx_model *m, webnn_onnx__bytes message,
                                   webnn_onnx__graph *g, uint32_t node_field) {
  g->node_count = webnn_onnx__count_fields(message, node_field);
  g->nodes = (webnn_onnx__node *)webnn_onnx__array(m, g->node_count, sizeof *g->nodes);
  return webnn_onnx__sound(m);
}

static bool webnn_onnx__graph_lists(webnn_onnx_model *m, webnn_onnx__bytes message,
                                    webnn_onnx__graph *g) {
  g->initializer_count =
      webnn_onnx__count_fields(message, 5) + webnn_onnx__count_fields(message, 15);
  g->input_count = webnn_onnx__count_fields(message, 11);
  g->output_count = webnn_onnx__count_fields(message, 12);
  g->initializers =
      (webnn_onnx__proto *)webnn_onnx__array(m, g->initializer_count, sizeof *g->initializers);
  g->inputs = (webnn_onnx__info *)webnn_onnx__array(m, g->input_count, sizeof *g->inputs);
  g->outputs = (webnn_onnx__info *)webnn_onnx__array(m, g->output_count, sizeof *g->outputs);
  return webnn_onnx__sound(m);
}

static bool webnn_onnx__parse_graph(webnn_onnx_model *m, webnn_onnx__bytes message,
                                    webnn_onnx__graph *g, uint32_t depth) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  size_t nodes = 0, initializers = 0, inputs = 0, outputs = 0;
  if (depth > WEBNN_ONNX__MAX_NESTING) {
    return webnn_onnx__malformed(m, message.data, "graphs are nested deeper than 16");
  }
  if (!webnn_onnx__graph_room(m, message, g, 1) || !webnn_onnx__graph_lists(m, message, g)) {
    return false;
  }
  while (webnn_onnx__next(&r, &f)) {
    bool good = true;
    if (f.number != 1 && f.number != 5 && f.number != 11 && f.number != 12 && f.number != 15) {
      continue;
    }
    if (!webnn_onnx__is_message(m, &f)) {
      return false;
    }
    if (f.number == 1) {
      good = webnn_onnx__parse_node(m, f.bytes, &g->nodes[nodes++], depth);
    } else if (f.number == 5) {
      good = webnn_onnx__parse_tensor(m, f.bytes, &g->initializers[initializers++]);
    } else if (f.number == 15) {
      good = webnn_onnx__parse_sparse(m, f.bytes, &g->initializers[initializers++]);
    } else if (f.number == 11) {
      good = webnn_onnx__parse_info(m, f.bytes, &g->inputs[inputs++]);
    } else {
      good = webnn_onnx__parse_info(m, f.bytes, &g->outputs[outputs++]);
    }
    if (!good) {
      return false;
    }
  }
  return webnn_onnx__ended(m, &r);
}

/* OperatorSetIdProtos in field `number`. */
static bool webnn_onnx__parse_opsets(webnn_onnx_model *m, webnn_onnx__bytes message,
                                     uint32_t number, webnn_onnx_opset **opsets, size_t *count) {
  webnn_onnx__reader r = webnn_onnx__reader_of(message), inner;
  webnn_onnx__field f, g;
  size_t n;
  *count = webnn_onnx__count_fields(message, number);
  *opsets = (webnn_onnx_opset *)webnn_onnx__array(m, *count, sizeof **opsets);
  for (n = 0; webnn_onnx__next_message(m, &r, number, &f); n++) {
    const webnn_onnx__text_field domain = {1, &(*opsets)[n].domain};
    (void)webnn_onnx__text_fields(m, f.bytes, &domain, 1);
    webnn_onnx__shorten(&(*opsets)[n].domain);
    inner = webnn_onnx__reader_of(f.bytes);
    while (webnn_onnx__next(&inner, &g)) {
      if (g.number == 2 && g.wire == 0) {
        (*opsets)[n].version = (int64_t)g.integer;
      }
    }
  }
  return webnn_onnx__ended(m, &r);
}

static bool webnn_onnx__parse_function(webnn_onnx_model *m, webnn_onnx__bytes message,
                                       webnn_onnx__function *function) {
  const webnn_onnx__text_field fields[] = {
      {1, &function->name}, {10, &function->domain}, {13, &function->overload}};
  webnn_onnx__reader r = webnn_onnx__reader_of(message);
  webnn_onnx__field f;
  size_t nodes = 0;
  if (!webnn_onnx__text_fields(m, message, fields, 3) ||
      !webnn_onnx__graph_room(m, message, &function->body, 7)) {
    return false;
  }
  while (webnn_onnx__next_message(m, &r, 7, &f)) {
    (void)webnn_onnx__parse_node(m, f.bytes, &function->body.nodes[nodes++], 1);
  }
  webnn_onnx__shorten(&function->domain);
  return webnn_onnx__ended(m, &r) &&
         webnn_onnx__texts(m, message, 4, &function->inputs, &function->input_count) &&
         webnn_onnx__texts(m, message, 5, &function->outputs, &function->output_count) &&
         webnn_onnx__parse_attributes(m, message, 11, &function->attributes,
                                      &function->attribute_count, 1) &&
         webnn_onnx__parse_opsets(m, message, 9, &function->opsets, &function->opset_count);
}

static bool webnn_onnx__parse_functions(webnn_onnx_model *m) {
  webnn_onnx__reader r = webnn_onnx__reader_of(m->bytes);
  webnn_onnx__field f;
  size_t n = 0;
  m->function_count = webnn_onnx__count_fields(m->bytes, 25);
  m->functions =
      (webnn_onnx__function *)webnn_onnx__array(m, m->function_count, sizeof *m->functions);
  while (webnn_onnx__next_message(m, &r, 25, &f)) {
    (void)webnn_onnx__parse_function(m, f.bytes, &m->functions[n++]);
  }
  return webnn_onnx__ended(m, &r);
}

static bool webnn_onnx__check_opsets(webnn_onnx_model *m) {
  size_t i;
  for (i = 0; i < m->opset_count; i++) {
    if (m->opsets[i].domain[0] == '\0' && (m->opsets[i].version < 1 || m->opsets[i].version > 28)) {
      m->status = WEBNN_NOT_SUPPORTED_ERROR;
      (void)snprintf(m->message, sizeof m->message,
                     "%s: version %lld of ONNX's operators is not one of 1 to 28", m->name,
                     (long long)m->opsets[i].version);
      return false;
    }
  }
  return true;
}

static bool webnn_onnx__parse_fields(webnn_onnx_model *m, webnn_onnx__reader *r, bool *has_graph) {
  webnn_onnx__field f;
  while (webnn_onnx__next(r, &f)) {
    if ((f.number == 2 && !webnn_onnx__text(m, &f, &m->producer)) ||
        (f.number == 3 && !webnn_onnx__text(m, &f, &m->producer_version))) {
      return false;
    }
    if (f.number == 1 && f.wire == 0) {
      m->format = (int64_t)f.integer;
    }
    if (f.number == 7) {
      if (*has_graph) {
        return webnn_onnx__malformed(m, r->at, "the model has a second graph");
      }
      *has_graph = true;
      if (!webnn_onnx__is_message(m, &f) || !webnn_onnx__parse_graph(m, f.bytes, &m->graph, 1)) {
        return false;
      }
    }
  }
  return webnn_onnx__ended(m, r) &&
         (*has_graph || webnn_onnx__malformed(m, r->end, "there is no graph"));
}

static bool webnn_onnx__parse_model(webnn_onnx_model *m) {
  webnn_onnx__reader r = webnn_onnx__reader_of(m->bytes);
  bool has_graph = false;
  m->producer = m->producer_version = "";
  if (!webnn_onnx__parse_fields(m, &r, &has_graph)) {
    return (m->format == 0 || r.broken != NULL || !has_graph) && webnn_onnx__no_model(m);
  }
  return webnn_onnx__parse_opsets(m, m->bytes, 8, &m->opsets, &m->opset_count) &&
         webnn_onnx__check_opsets(m) && webnn_onnx__parse_functions(m);
}

/* ---- 5 tensors ------------------------------------------------------------------------------- */

typedef struct webnn_onnx__type_info {
  webnn_onnx_type type;
  const char *name;
  uint32_t bits;
  webnn_data_type graph_type;
  uint32_t field, wire; /* of TensorProto, where there are no raw data */
} webnn_onnx__type_info;

static const webnn_onnx__type_info *webnn_onnx__info_of(webnn_onnx_type type) {
  static const webnn_onnx__type_info types[] = {
      {WEBNN_ONNX_FLOAT, "float32", 32, WEBNN_FLOAT32, 4, 5},
      {WEBNN_ONNX_UINT8, "uint8", 8, WEBNN_UINT8, 5, 0},
      {WEBNN_ONNX_INT8, "int8", 8, WEBNN_INT8, 5, 0},
      {WEBNN_ONNX_UINT16, "uint16", 16, WEBNN_UINT32, 5, 0},
      {WEBNN_ONNX_INT16, "int16", 16, WEBNN_INT32, 5, 0},
      {WEBNN_ONNX_INT32, "int32", 32, WEBNN_INT32, 5, 0},
      {WEBNN_ONNX_INT64, "int64", 64, WEBNN_INT64, 7, 0},
      {WEBNN_ONNX_STRING, "string", 0, (webnn_data_type)0, 6, 2},
      {WEBNN_ONNX_BOOL, "bool", 8, WEBNN_UINT8, 5, 0},
      {WEBNN_ONNX_FLOAT16, "float16", 16, WEBNN_FLOAT16, 5, 0},
      {WEBNN_ONNX_DOUBLE, "float64", 64, WEBNN_FLOAT32, 10, 1},
      {WEBNN_ONNX_UINT32, "uint32", 32, WEBNN_UINT32, 11, 0},
      {WEBNN_ONNX_UINT64, "uint64", 64, WEBNN_UINT64, 11, 0},
      {WEBNN_ONNX_BFLOAT16, "bfloat16", 16, WEBNN_FLOAT32, 5, 0},
      {WEBNN_ONNX_UINT4, "uint4", 4, WEBNN_UINT4, 5, 0},
      {WEBNN_ONNX_INT4, "int4", 4, WEBNN_INT4, 5, 0},
      {WEBNN_ONNX_FLOAT8E4M3FN, "float8e4m3fn", 8, WEBNN_FLOAT32, 5, 0},
      {WEBNN_ONNX_FLOAT8E4M3FNUZ, "float8e4m3fnuz", 8, WEBNN_FLOAT32, 5, 0},
      {WEBNN_ONNX_FLOAT8E5M2, "float8e5m2", 8, WEBNN_FLOAT32, 5, 0},
      {WEBNN_ONNX_FLOAT8E5M2FNUZ, "float8e5m2fnuz", 8, WEBNN_FLOAT32, 5, 0},
      {WEBNN_ONNX_FLOAT8E8M0, "float8e8m0", 8, WEBNN_FLOAT32, 5, 0},
      {WEBNN_ONNX_FLOAT4E2M1, "float4e2m1", 4, WEBNN_FLOAT32, 5, 0},
      {WEBNN_ONNX_UINT2, "uint2", 2, WEBNN_UINT8, 5, 0},
      {WEBNN_ONNX_INT2, "int2", 2, WEBNN_INT8, 5, 0}};
  static const webnn_onnx__type_info unknown = {WEBNN_ONNX_UNDEFINED, "unknown", 0,
                                                (webnn_data_type)0,   0,         0};
  size_t i;
  for (i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (types[i].type == type) {
      return &types[i];
    }
  }
  return &unknown;
}

/* ONNX's type of the elements of a graph type, where no value says otherwise. */
static webnn_onnx_type webnn_onnx__natural_type(webnn_data_type graph_type) {
  static const webnn_onnx_type types[] = {
      WEBNN_ONNX_UNDEFINED, WEBNN_ONNX_FLOAT, WEBNN_ONNX_FLOAT16, WEBNN_ONNX_INT32,
      WEBNN_ONNX_UINT32,    WEBNN_ONNX_INT64, WEBNN_ONNX_UINT64,  WEBNN_ONNX_INT8,
      WEBNN_ONNX_UINT8,     WEBNN_ONNX_INT4,  WEBNN_ONNX_UINT4};
  return (size_t)graph_type < sizeof types / sizeof types[0] ? types[graph_type]
                                                             : WEBNN_ONNX_UNDEFINED;
}

static bool webnn_onnx__little_endian(void) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static size_t webnn_onnx__length_of(uint64_t count, uint32_t bits) {
  return (size_t)((count * bits + 7) / 8);
}

/* Are elements in a file as a graph takes them? */
static bool webnn_onnx__same_form(const webnn_onnx__type_info *info) {
  return info->bits == webnn_data_type_bits(info->graph_type) && info->type != WEBNN_ONNX_BOOL;
}

/* The format of a type of floats of 8 or 4 bits; NULL: it is another type. */
static const webnn_extra_minifloat *webnn_onnx__minifloat_of(webnn_onnx_type type) {
  static const struct {
    webnn_onnx_type type;
    webnn_extra_minifloat format;
  } formats[] = {{WEBNN_ONNX_FLOAT8E4M3FN, {8, 3, 7, 0, 0x7F, 448}},
                 {WEBNN_ONNX_FLOAT8E4M3FNUZ, {8, 3, 8, 0, 0x80, 240}},
                 {WEBNN_ONNX_FLOAT8E5M2, {8, 2, 15, 0x7C, 0x7D, 57344}},
                 {WEBNN_ONNX_FLOAT8E5M2FNUZ, {8, 2, 16, 0, 0x80, 57344}},
                 {WEBNN_ONNX_FLOAT8E8M0, {8, 0, 127, 0, 0xFF, 1.7014118346046923e38}},
                 {WEBNN_ONNX_FLOAT4E2M1, {4, 1, 1, 0, 0, 6}}};
  size_t i;
  for (i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    if (formats[i].type == type) {
      return &formats[i].format;
    }
  }
  return NULL;
}

static bool webnn_onnx__is_minifloat(webnn_onnx_type type) {
  return webnn_onnx__minifloat_of(type) != NULL;
}

/* The number that a code stands for. */
static float webnn_onnx__minifloat_value(const webnn_extra_minifloat *f, uint32_t code) {
  const bool is_exponent = f->fraction == 0;
  const uint32_t top = (uint32_t)1 << (f->bits - 1), rest = is_exponent ? code : code & (top - 1);
  const uint32_t part = rest & (((uint32_t)1 << f->fraction) - 1);
  const int exponent = (int)(rest >> f->fraction);
  const float sign = code != rest ? -1.0f : 1.0f;
  const float whole = (float)((uint32_t)1 << f->fraction);
  if (f->nan != 0 && (webnn_extra_has_one_zero(f) ? code == f->nan : rest >= f->nan)) {
    return (float)(webnn_extra__infinity() - webnn_extra__infinity());
  }
  if (f->infinity != 0 && rest == f->infinity) {
    return sign * (float)webnn_extra__infinity();
  }
  if (exponent == 0 && !is_exponent) {
    return sign * (float)part * (float)webnn_extra__power_of_two(1 - f->bias - (int)f->fraction);
  }
  return sign * (1 + (float)part / whole) * (float)webnn_extra__power_of_two(exponent - f->bias);
}

/* Carries element i; `minifloat` is the type's format, if it is such a type. */
static void webnn_onnx__convert_one(webnn_onnx_type type, const webnn_extra_minifloat *minifloat,
                                    const uint8_t *from, size_t i, void *to) {
  uint16_t u16;
  uint32_t bits;
  double f64;
  if (minifloat != NULL) {
    bits = minifloat->bits == 8 ? from[i] : from[i / 2] >> (i % 2 * 4) & 15u;
    ((float *)to)[i] = webnn_onnx__minifloat_value(minifloat, bits);
    return;
  }
  switch (type) {
  case WEBNN_ONNX_UINT2:
  case WEBNN_ONNX_INT2: /* four in a byte */
    bits = from[i / 4] >> (i % 4 * 2) & 3u;
    ((int8_t *)to)[i] = (int8_t)(type == WEBNN_ONNX_INT2 && bits > 1 ? (int)bits - 4 : (int)bits);
    return;
  case WEBNN_ONNX_DOUBLE:
    memcpy(&f64, from + 8 * i, 8);
    ((float *)to)[i] = (float)f64;
    return;
  case WEBNN_ONNX_BFLOAT16:
    memcpy(&u16, from + 2 * i, 2);
    bits = (uint32_t)u16 << 16;
    memcpy((float *)to + i, &bits, 4);
    return;
  case WEBNN_ONNX_UINT16:
    memcpy(&u16, from + 2 * i, 2);
    ((uint32_t *)to)[i] = u16;
    return;
  case WEBNN_ONNX_INT16:
    memcpy(&u16, from + 2 * i, 2);
    ((int32_t *)to)[i] = u16 >= 32768 ? (int32_t)u16 - 65536 : (int32_t)u16;
    return;
  default:
    ((uint8_t *)to)[i] = from[i] != 0;
    return;
  }
}

WEBNN_ONNX_API const char *webnn_onnx_type_name(webnn_onnx_type type) {
  return webnn_onnx__info_of(type)->name;
}

WEBNN_ONNX_API webnn_data_type webnn_onnx_graph_type(webnn_onnx_type type) {
  return webnn_onnx__info_of(type)->graph_type;
}

WEBNN_ONNX_API bool webnn_onnx_to_graph_type(webnn_onnx_type type, const void *from, size_t count,
                                             void *to) {
  const webnn_onnx__type_info *info = webnn_onnx__info_of(type);
  const webnn_extra_minifloat *minifloat = webnn_onnx__minifloat_of(type);
  size_t i;
  if (info->graph_type == (webnn_data_type)0) {
    return false;
  }
  if (webnn_onnx__same_form(info)) {
    memcpy(to, from, webnn_onnx__length_of(count, info->bits));
    return true;
  }
  for (i = 0; i < count; i++) {
    webnn_onnx__convert_one(type, minifloat, (const uint8_t *)from, i, to);
  }
  return true;
}

/* A key of external_data; NULL if the tensor has none. */
static const char *webnn_onnx__external_entry(webnn_onnx_model *m, const webnn_onnx__proto *t,
                                              const char *key) {
  webnn_onnx__reader r = webnn_onnx__reader_of(t->message);
  webnn_onnx__field f;
  while (webnn_onnx__next(&r, &f)) {
    const char *name = "", *value = "";
    const webnn_onnx__text_field fields[] = {{1, &name}, {2, &value}};
    if (f.number == 13 && f.wire == 2) {
      if (!webnn_onnx__text_fields(m, f.bytes, fields, 2)) {
        return NULL;
      }
      if (strcmp(name, key) == 0) {
        return value;
      }
    }
  }
  return NULL;
}

/* A path that stays in the model's folder: relative, without a part "..". */
static bool webnn_onnx__safe_path(const char *path) {
  const char *part = path;
  if (path[0] == '\0' || path[0] == '/' || webnn_onnx__contains(path, '\\') ||
      webnn_onnx__contains(path, ':')) {
    return false;
  }
  while (part != NULL) {
    const char *end = strchr(part, '/');
    const size_t length = end == NULL ? strlen(part) : (size_t)(end - part);
    if (length == 2 && part[0] == '.' && part[1] == '.') {
      return false;
    }
    part = end == NULL ? NULL : end + 1;
  }
  return true;
}

static bool webnn_onnx__decimal(const char *text, uint64_t *value) {
  *value = 0;
  if (*text == '\0') {
    return false;
  }
  for (; *text != '\0'; text++) {
    if (*text < '0' || *text > '9' || *value > (UINT64_MAX - 9) / 10) {
      return false;
    }
    *value = *value * 10 + (uint64_t)(*text - '0');
  }
  return true;
}

/* Why a tensor cannot be read: the first cause. */
typedef struct webnn_onnx__why {
  webnn_status status;
  char text[300];
} webnn_onnx__why;

static bool webnn_onnx__because(webnn_onnx__why *why, const char *format, ...)
    WEBNN_EXTRA__PRINTF(2, 3);
/* Always false. */
static bool webnn_onnx__because(webnn_onnx__why *why, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (why->status == WEBNN_OK) {
    why->status = WEBNN_TYPE_ERROR;
    (void)vsnprintf(why->text, sizeof why->text, format, arguments);
  }
  va_end(arguments);
  return false;
}

/* Memory for elements, zero; NULL: there is none, which is why. */
static void *webnn_onnx__elements(webnn_extra__arena *arena, size_t count, size_t size,
                                  webnn_onnx__why *why) {
  void *memory = webnn_extra__take(arena, count, size);
  if (memory == NULL) {
    (void)webnn_onnx__because(why, "out of memory");
    why->status = WEBNN_UNKNOWN_ERROR;
  }
  return memory;
}

/* The file of that name in the model's folder, mapped once. NULL: it cannot be read. */
static webnn_onnx__file *webnn_onnx__external_file(webnn_onnx_model *m, const char *location,
                                                   webnn_onnx__why *why) {
  webnn_onnx__file *file;
  char *path, *name;
  const size_t folder = strlen(m->folder), length = strlen(location);
  for (file = m->externals; file != NULL; file = file->next) {
    if (strcmp(file->name, location) == 0) {
      return file;
    }
  }
  file = (webnn_onnx__file *)webnn_onnx__elements(&m->arena, 1, sizeof *file, why);
  path = (char *)webnn_onnx__elements(&m->arena, folder + length + 2, 1, why);
  name = (char *)webnn_onnx__elements(&m->arena, length + 1, 1, why);
  if (why->status != WEBNN_OK) {
    return NULL;
  }
  memcpy(name, location, length);
  (void)snprintf(path, folder + length + 2, "%s%s%s", m->folder, folder == 0 ? "" : "/", location);
  if (!webnn_onnx__map_file(path, file)) {
    (void)webnn_onnx__because(why, "its external data \"%s\" cannot be read",
                              webnn_onnx__show(location).text);
    return NULL;
  }
  file->name = name;
  file->next = m->externals;
  m->externals = file;
  return file;
}

static bool webnn_onnx__external(webnn_onnx_model *m, webnn_onnx__proto *t, uint64_t bytes,
                                 webnn_onnx__why *why) {
  const char *location = webnn_onnx__external_entry(m, t, "location");
  const char *offset_text = webnn_onnx__external_entry(m, t, "offset");
  const char *length_text = webnn_onnx__external_entry(m, t, "length");
  uint64_t offset = 0, length = bytes;
  webnn_onnx__file *file;
  webnn_onnx__shown shown;
  if (location == NULL) {
    return webnn_onnx__because(why, "its external data lack the entry location");
  }
  shown = webnn_onnx__show(location);
  if (!webnn_onnx__safe_path(location)) {
    return webnn_onnx__because(why, "its external data \"%s\" must be in the model's folder",
                               shown.text);
  }
  if ((offset_text != NULL && !webnn_onnx__decimal(offset_text, &offset)) ||
      (length_text != NULL && !webnn_onnx__decimal(length_text, &length))) {
    return webnn_onnx__because(
        why, "offset (\"%s\") and length (\"%s\") of its external data must be numbers",
        webnn_onnx__show(offset_text).text, webnn_onnx__show(length_text).text);
  }
  file = webnn_onnx__external_file(m, location, why);
  if (why->status != WEBNN_OK) {
    return false;
  }
  if (length != bytes || offset > file->bytes.length || bytes > file->bytes.length - offset) {
    return webnn_onnx__because(
        why, "its %llu bytes at %llu are not in the %llu bytes of \"%s\" (length %llu)",
        (unsigned long long)bytes, (unsigned long long)offset,
        (unsigned long long)file->bytes.length, shown.text, (unsigned long long)length);
  }
  t->raw.data = file->bytes.data + offset;
  t->raw.length = (size_t)bytes;
  t->has_raw = true;
  return true;
}

/* Elements that are numbers in the fields of the message: into raw form, in `arena`. */
static bool webnn_onnx__decode(webnn_extra__arena *arena, webnn_onnx__proto *t,
                               const webnn_onnx__type_info *info, webnn_onnx__why *why) {
  size_t count, i;
  const size_t items =
      info->bits < 8 ? webnn_onnx__length_of(t->count, info->bits) : (size_t)t->count;
  const size_t bytes = info->bits < 8 ? 1 : info->bits / 8;
  webnn_extra__arena scratch = {NULL};
  uint64_t *numbers;
  uint8_t *raw;
  if (!webnn_onnx__numbers(t->message, info->field, info->wire, NULL, &count) || count != items) {
    return webnn_onnx__because(why, "it must have the %llu elements of its shape",
                               (unsigned long long)t->count);
  }
  raw = (uint8_t *)webnn_onnx__elements(arena, items, bytes, why);
  numbers = (uint64_t *)webnn_onnx__elements(&scratch, count, sizeof *numbers, why);
  if (why->status == WEBNN_OK) {
    (void)webnn_onnx__numbers(t->message, info->field, info->wire, numbers, &count);
    for (i = 0; i < count * bytes; i++) {
      raw[i] = (uint8_t)(numbers[i / bytes] >> (8 * (i % bytes)));
    }
    t->raw.data = raw;
    t->raw.length = items * bytes;
    t->has_raw = true;
  }
  webnn_extra__free_arena(&scratch);
  return why->status == WEBNN_OK;
}

/* Raw data are little-endian; elsewhere they are turned. */
static bool webnn_onnx__turn(webnn_extra__arena *arena, webnn_onnx__proto *t, size_t bytes,
                             webnn_onnx__why *why) {
  size_t i;
  uint8_t *raw;
  if (bytes < 2 || webnn_onnx__little_endian()) {
    return true;
  }
  raw = (uint8_t *)webnn_onnx__elements(arena, t->raw.length, 1, why);
  if (why->status != WEBNN_OK) {
    return false;
  }
  for (i = 0; i < t->raw.length; i++) {
    raw[i] = t->raw.data[i / bytes * bytes + bytes - 1 - i % bytes];
  }
  t->raw.data = raw;
  return true;
}

/* A single packed field of fixed-width numbers is in raw form as it stands. */
static void webnn_onnx__find_packed(webnn_onnx__proto *t, const webnn_onnx__type_info *info,
                                    uint64_t bytes) {
  webnn_onnx__reader r = webnn_onnx__reader_of(t->message);
  webnn_onnx__field f;
  if (info->wire == 0 || webnn_onnx__count_fields(t->message, info->field) != 1) {
    return;
  }
  while (webnn_onnx__next(&r, &f)) {
    if (f.number == info->field && f.wire == 2 && f.bytes.length == bytes) {
      t->raw = f.bytes;
      t->has_raw = true;
    }
  }
}

static bool webnn_onnx__load_raw(webnn_onnx_model *m, webnn_extra__arena *arena,
                                 webnn_onnx__proto *t, webnn_onnx__why *why);

/* Where value i of a sparse tensor is: a place in all elements, or one along each dimension. */
static bool webnn_onnx__sparse_place(const webnn_onnx__proto *t, size_t i, uint64_t *place) {
  const uint32_t parts = t->places->rank == 2 ? t->rank : 1;
  uint32_t d;
  *place = 0;
  for (d = 0; d < parts; d++) {
    const uint64_t size = parts == 1 && t->places->rank != 2 ? t->count : t->dims[d];
    int64_t at;
    memcpy(&at, t->places->raw.data + 8 * (i * parts + d), 8);
    if (at < 0 || (uint64_t)at >= size) {
      return false;
    }
    *place = *place * size + (uint64_t)at;
  }
  return true;
}

/* A sparse tensor with all its elements. */
static bool webnn_onnx__load_sparse(webnn_onnx_model *m, webnn_extra__arena *arena,
                                    webnn_onnx__proto *t, webnn_onnx__why *why) {
  const uint32_t bits = webnn_onnx__info_of(t->type)->bits;
  const size_t bytes = bits / 8;
  uint64_t place;
  uint8_t *raw;
  size_t i;
  if (t->has_raw) {
    return true;
  }
  if (!webnn_onnx__load_raw(m, arena, t->values, why) ||
      !webnn_onnx__load_raw(m, arena, t->places, why)) {
    return false;
  }
  if (bits < 8 || t->too_many_dims || t->bad_dims || t->places->type != WEBNN_ONNX_INT64 ||
      t->places->count !=
          t->values->count * (t->places->rank == 2 ? (uint64_t)t->rank : (uint64_t)1)) {
    return webnn_onnx__because(
        why,
        "its sparse values (%llu) must be of 8 bits or more, with int64 places (%llu) for "
        "each",
        (unsigned long long)t->values->count, (unsigned long long)t->places->count);
  }
  if (t->count > WEBNN_ONNX__MOST_ELEMENTS) {
    return webnn_onnx__because(why, "it is sparse, and must have at most %d elements; it has %llu",
                               WEBNN_ONNX__MOST_ELEMENTS, (unsigned long long)t->count);
  }
  raw = (uint8_t *)webnn_onnx__elements(arena, (size_t)t->count + 1, bytes, why);
  for (i = 0; i < t->values->count && why->status == WEBNN_OK; i++) {
    if (!webnn_onnx__sparse_place(t, i, &place)) {
      return webnn_onnx__because(why, "the place of sparse value %lu is outside its shape",
                                 (unsigned long)i);
    }
    memcpy(raw + place * bytes, t->values->raw.data + i * bytes, bytes);
  }
  t->raw.data = raw;
  t->raw.length = (size_t)t->count * bytes;
  t->has_raw = why->status == WEBNN_OK;
  return t->has_raw;
}

/* Makes t->raw the elements in ONNX's form. */
static bool webnn_onnx__load_raw(webnn_onnx_model *m, webnn_extra__arena *arena,
                                 webnn_onnx__proto *t, webnn_onnx__why *why) {
  const webnn_onnx__type_info *info = webnn_onnx__info_of(t->type);
  const uint64_t bytes = ((uint64_t)t->count * info->bits + 7) / 8;
  const bool from_file = t->has_raw || t->external;
  if (t->values != NULL) {
    return webnn_onnx__load_sparse(m, arena, t, why);
  }
  if (info->bits == 0 || t->too_many_dims || t->bad_dims || bytes > SIZE_MAX) {
    return webnn_onnx__because(why, "%s",
                               info->bits == 0    ? "its element type cannot be held by WebNN"
                               : t->too_many_dims ? "it has more than 8 dimensions"
                                                  : "it has more than 2147483647 elements");
  }
  if (t->external && m != NULL) {
    t->turned = false;
    if (!webnn_onnx__external(m, t, bytes, why)) {
      return false;
    }
  }
  if (!t->has_raw) {
    webnn_onnx__find_packed(t, info, bytes);
  }
  if (!t->has_raw) {
    return webnn_onnx__decode(arena, t, info, why) &&
           webnn_onnx__turn(arena, t, info->bits / 8, why);
  }
  if (t->raw.length != bytes) {
    t->has_raw = from_file;
    return webnn_onnx__because(why, "it has %llu bytes of data, not the %llu of its shape",
                               (unsigned long long)t->raw.length, (unsigned long long)bytes);
  }
  t->turned = t->turned || webnn_onnx__turn(arena, t, info->bits / 8, why);
  return t->turned;
}

/* float64 in float32 loses nothing? */
static bool webnn_onnx__exact(const float *graph_data, const uint8_t *raw, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    double f64;
    memcpy(&f64, raw + 8 * i, 8);
    if ((double)graph_data[i] != f64 && f64 == f64) {
      return false;
    }
  }
  return true;
}

/* The elements of a tensor as graphs take them. They live as long as the model. */
static bool webnn_onnx__load(webnn_onnx_model *m, webnn_onnx__proto *t, webnn_onnx__why *why) {
  const webnn_onnx__type_info *info = webnn_onnx__info_of(t->type);
  void *graph_data;
  if (t->graph_data != NULL) {
    return true;
  }
  if (!webnn_onnx__load_raw(m, &m->arena, t, why)) {
    return false;
  }
  if (webnn_onnx__same_form(info)) {
    t->graph_data = t->raw.length == 0 ? "" : (const void *)t->raw.data;
    return true;
  }
  graph_data = webnn_onnx__elements(&m->arena, (size_t)t->count + 1,
                                    webnn_data_type_bits(info->graph_type) / 8, why);
  if (why->status != WEBNN_OK) {
    return false;
  }
  (void)webnn_onnx_to_graph_type(t->type, t->raw.data, (size_t)t->count, graph_data);
  if (t->type == WEBNN_ONNX_DOUBLE && !m->options.float64_as_float32 &&
      !webnn_onnx__exact((const float *)graph_data, t->raw.data, (size_t)t->count)) {
    return webnn_onnx__because(
        why, "its float64 values are not float32 values; they need the option float64_as_float32");
  }
  t->graph_data = graph_data;
  return true;
}

/* ---- 6 values -------------------------------------------------------------------------------- */

typedef struct webnn_onnx__call webnn_onnx__call;

typedef enum webnn_onnx__kind {
  WEBNN_ONNX__IS_TENSOR,
  WEBNN_ONNX__IS_SEQUENCE, /* of tensors */
  WEBNN_ONNX__IS_ABSENT,   /* an optional value that is absent */
  WEBNN_ONNX__IS_TEXT      /* strings that nothing takes: labels of classes */
} webnn_onnx__kind;

typedef struct webnn_onnx__value {
  const char *name;
  webnn_onnx__kind kind;
  struct webnn_onnx__value **items; /* of a sequence */
  size_t item_count;
  struct webnn_onnx__value *origin; /* the value that this one took over, NULL: none */
  webnn_onnx_type type;
  webnn_list shape;       /* dimensions of constants may be 0 */
  webnn_operand *operand; /* of the builder, NULL until it is wanted */
  const void *data;       /* of a constant, as graphs take it; NULL: not known (yet) */
  bool borrowed;          /* the data live as long as the model */
  bool open;              /* some of the data are dynamic dimensions of the builder, not numbers */
  bool sized;             /* computed when sizes are known, from these and constants only */
  bool failed;            /* its node could not be lowered */
  const char *from;       /* the input of the graph that it depends on; NULL: constants only */
  webnn_onnx__call *maker;
  size_t uses;
} webnn_onnx__value;

/* What one build needs. */
typedef struct webnn_onnx__import {
  webnn_onnx_model *model;
  webnn_onnx__value nothing; /* without elements: what a value is that is not known */
  webnn_onnx__value spare;   /* what is made when there is no memory, and nothing reads */
  webnn_extra__arena arena;
  webnn_builder *builder;
  webnn_context *reference;         /* of folding */
  struct webnn_onnx__scope *scopes; /* all of them, the last one first */
  uint32_t fold_depth;
  uint64_t nodes;
  bool collecting;    /* all problems, not only the first */
  bool trying;        /* a call with other sizes than it has: what fails needs no input's value */
  const char *wanted; /* the input whose value may change what fails; NULL: none */
  const char *open;   /* the first input with a dynamic dimension; NULL: none */
  webnn_status status;
  char message[508];
} webnn_onnx__import;

/* The names of a graph or function while it is lowered. */
typedef struct webnn_onnx__scope {
  webnn_onnx__import *import;
  struct webnn_onnx__scope *parent; /* of a subgraph: where other names are looked up */
  const webnn_onnx__graph *graph;
  const webnn_onnx__function *function; /* NULL: none */
  const webnn_onnx__call *caller;       /* of the function: its attributes */
  const webnn_onnx_opset *opsets;
  size_t opset_count;
  webnn_onnx__value **table; /* a hash table, open addressing */
  size_t table_size;
  uint32_t depth;
  struct webnn_onnx__scope *before; /* among all scopes of the import */
} webnn_onnx__scope;

/* How an operator is lowered: one row of chapter 17. */
typedef struct webnn_onnx__row {
  const char *domain, *name;
  uint32_t since;
  bool (*lower)(webnn_onnx__call *c);
  int detail;        /* for functions that serve several operators */
  const char *flags; /* "m": moves elements only; "s": structural, folds nothing as a whole; "q":
                        folded only where its values are wanted; "d": shapes that it is given may
                        have dynamic dimensions */
} webnn_onnx__row;

/* Has the row this flag? */
static bool webnn_onnx__flagged(const webnn_onnx__row *row, char flag) {
  return webnn_onnx__contains(row->flags, flag);
}

struct webnn_onnx__call {
  webnn_onnx__import *import;
  webnn_onnx__scope *scope;
  const webnn_onnx__node *node;
  const webnn_onnx__row *row;
  webnn_builder *builder; /* while folding NULL until it is wanted */
  bool folding;
  int64_t version; /* of the operator's domain */
  webnn_onnx__value **in, **out;
  size_t in_count, out_count;
};

static uint32_t webnn_onnx__hash(const char *text) {
  uint32_t hash = 2166136261u;
  for (; *text != '\0'; text++) {
    hash = (hash ^ (uint8_t)*text) * 16777619u;
  }
  return hash;
}

static webnn_onnx__value **webnn_onnx__slot(webnn_onnx__scope *scope, const char *name) {
  size_t i = webnn_onnx__hash(name) & (scope->table_size - 1);
  while (scope->table[i] != NULL && strcmp(scope->table[i]->name, name) != 0) {
    i = (i + 1) & (scope->table_size - 1);
  }
  return &scope->table[i];
}

/* What a name stands for, in the scope or in one around it. */
static webnn_onnx__value *webnn_onnx__look_up(webnn_onnx__scope *scope, const char *name) {
  for (; scope != NULL; scope = scope->parent) {
    webnn_onnx__value *value = *webnn_onnx__slot(scope, name);
    if (value != NULL) {
      return value;
    }
  }
  return NULL;
}

static bool webnn_onnx__fail_at(webnn_onnx__import *m, webnn_status status, const char *format, ...)
    WEBNN_EXTRA__PRINTF(3, 4);
/* The first failure stays until it has been dealt with. */
static bool webnn_onnx__fail_at(webnn_onnx__import *m, webnn_status status, const char *format,
                                ...) {
  va_list arguments;
  int begin;
  if (m->status != WEBNN_OK) {
    return false;
  }
  m->status = status;
  begin = snprintf(m->message, sizeof m->message, "%s: ", m->model->name);
  va_start(arguments, format);
  if (begin >= 0 && (size_t)begin < sizeof m->message) {
    (void)vsnprintf(m->message + begin, sizeof m->message - (size_t)begin, format, arguments);
  }
  va_end(arguments);
  return false;
}

static bool webnn_onnx__out_of_memory(webnn_onnx__import *m) {
  return webnn_onnx__fail_at(m, WEBNN_UNKNOWN_ERROR, "out of memory");
}

/* Memory of the import, zero. NULL: there is none left, and the import has failed. */
static void *webnn_onnx__memory(webnn_onnx__import *m, size_t count, size_t size) {
  void *memory = webnn_extra__take(&m->arena, count, size);
  if (memory == NULL) {
    (void)webnn_onnx__out_of_memory(m);
  }
  return memory;
}

/* A value of the import. It is never NULL: a failure latches, and what follows may write to it. */
static webnn_onnx__value *webnn_onnx__new_value(webnn_onnx__import *m, const char *name) {
  webnn_onnx__value *value = (webnn_onnx__value *)webnn_onnx__memory(m, 1, sizeof *value);
  value = value != NULL ? value : &m->spare;
  value->name = name;
  value->shape.given = true;
  return value;
}

/* A table with room for all names that the graph makes. */
static bool webnn_onnx__open_scope(webnn_onnx__scope *scope, const webnn_onnx__graph *graph,
                                   size_t more) {
  size_t names = more + graph->input_count + graph->initializer_count, i, size = 16;
  for (i = 0; i < graph->node_count; i++) {
    names += graph->nodes[i].output_count;
  }
  while (size < 2 * names) {
    size *= 2;
  }
  scope->graph = graph;
  scope->table =
      (webnn_onnx__value **)webnn_onnx__memory(scope->import, size, sizeof *scope->table);
  scope->table_size = size;
  scope->before = scope->import->scopes;
  scope->import->scopes = scope;
  return scope->import->status == WEBNN_OK;
}

/* node "conv1" (Conv) */
static void webnn_onnx__place(const webnn_onnx__node *node, char *text, size_t room) {
  const bool named = node->name[0] != '\0';
  const webnn_onnx__shown op = webnn_onnx__show(node->op);
  webnn_onnx__shown name;
  size_t i = 0;
  while (i + 1 < node->output_count && node->outputs[i][0] == '\0') {
    i++;
  }
  name = webnn_onnx__show(named ? node->name : i < node->output_count ? node->outputs[i] : "");
  (void)snprintf(text, room, "%s \"%s\" (%s)", named ? "node" : "node that makes", name.text,
                 op.text);
}

/* Has the builder stopped because memory ended? */
static bool webnn_onnx__lacks_memory(const webnn_builder *builder) {
  return builder != NULL && webnn_builder_status(builder) == WEBNN_UNKNOWN_ERROR;
}

static void webnn_onnx__refuse_call(webnn_onnx__call *c, const char *format, va_list arguments)
    WEBNN_EXTRA__PRINTF(2, 0);
/* The call cannot be lowered, because... What fails where memory has ended says that, and what the
   builder has refused before is the first cause. */
static void webnn_onnx__refuse_call(webnn_onnx__call *c, const char *format, va_list arguments) {
  char why[400], place[200];
  if (webnn_onnx__lacks_memory(c->builder)) {
    (void)webnn_onnx__out_of_memory(c->import);
    return;
  }
  (void)vsnprintf(why, sizeof why, format, arguments);
  if (c->builder != NULL && webnn_builder_status(c->builder) != WEBNN_OK) {
    (void)snprintf(why, sizeof why, "%s", webnn_builder_message(c->builder)); /* what came first */
  }
  webnn_onnx__place(c->node, place, sizeof place);
  (void)webnn_onnx__fail_at(c->import, WEBNN_NOT_SUPPORTED_ERROR, "%s: %s", place, why);
}

static bool webnn_onnx__fail(webnn_onnx__call *c, const char *format, ...)
    WEBNN_EXTRA__PRINTF(2, 3);
/* Always false. */
static bool webnn_onnx__fail(webnn_onnx__call *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn_onnx__refuse_call(c, format, arguments);
  va_end(arguments);
  return false;
}

static webnn_operand *webnn_onnx__no_operand(webnn_onnx__call *c, const char *format, ...)
    WEBNN_EXTRA__PRINTF(2, 3);
/* As webnn_onnx__fail, for what makes operands. Always NULL. */
static webnn_operand *webnn_onnx__no_operand(webnn_onnx__call *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  webnn_onnx__refuse_call(c, format, arguments);
  va_end(arguments);
  return NULL;
}

/* The value of this input, if it is one, may change what has failed. */
static void webnn_onnx__add_wanted(webnn_onnx__import *m, const char *name) {
  webnn_onnx_model *model = m->model;
  size_t i;
  for (i = 0; i < model->graph.input_count && strcmp(model->graph.inputs[i].name, name) != 0; i++) {
  }
  if (i == model->graph.input_count) {
    return;
  }
  m->wanted = name;
  for (i = 0; i < model->wanted_count && strcmp(model->wanted[i], name) != 0; i++) {
  }
  if (i == model->wanted_count && model->wanted != NULL) {
    memmove(model->wanted + 1, model->wanted, i * sizeof *model->wanted);
    model->wanted[0] = name;
    model->wanted_count++;
  }
}

/* As webnn_onnx__add_wanted, of what is about to fail, if nothing has failed yet. */
static void webnn_onnx__want(webnn_onnx__import *m, const char *name) {
  if (m->status == WEBNN_OK && name != NULL && !m->trying) {
    webnn_onnx__add_wanted(m, name);
  }
}

/* Has something failed in the call's import? */
static bool webnn_onnx__failed(const webnn_onnx__call *c) {
  return c->import->status != WEBNN_OK;
}

/* Puts more behind the message of a failure. */
static void webnn_onnx__add_to_message(webnn_onnx__import *m, const char *format,
                                       const char *name) {
  const size_t used = strlen(m->message);
  if (used < sizeof m->message) {
    (void)snprintf(m->message + used, sizeof m->message - used, format,
                   webnn_onnx__show(name).text);
  }
}

/* Says at the end of a failure's message what may change it. */
static void webnn_onnx__say_wanted(webnn_onnx__import *m) {
  if (m->wanted != NULL) {
    webnn_onnx__add_to_message(m,
                               m->model->in_session
                                   ? " (a session needs the data of \"%s\")"
                                   : " (the value of \"%s\" may be needed when the graph is built)",
                               m->wanted);
  }
  m->wanted = NULL;
}

/* An error of webnn.h while a call is lowered or folded. Always false. */
static bool webnn_onnx__fail_as(webnn_onnx__call *c, const webnn_error *error) {
  return error->status == WEBNN_UNKNOWN_ERROR ? webnn_onnx__out_of_memory(c->import)
                                              : webnn_onnx__fail(c, "%s", error->message);
}

/* Is it a dynamic dimension? */
static bool webnn_onnx__is_open(int64_t size) {
  return size >= (int64_t)WEBNN_DYNAMIC_DIMENSION && size <= (int64_t)UINT32_MAX;
}

/* Are some of the dimensions from `begin` to before `end` dynamic? */
static bool webnn_onnx__open_between(webnn_list shape, uint32_t begin, uint32_t end) {
  uint32_t i;
  for (i = begin; i < end && i < shape.count && i < WEBNN_MAX_RANK; i++) {
    if (webnn_onnx__is_open(shape.items[i])) {
      return true;
    }
  }
  return false;
}

static bool webnn_onnx__has_open(webnn_list shape) {
  return webnn_onnx__open_between(shape, 0, shape.count);
}

/* How many elements a shape has; dynamic dimensions, which are never empty, count as 1. */
static uint64_t webnn_onnx__count_of(webnn_list shape) {
  uint64_t count = 1;
  uint32_t i;
  for (i = 0; i < shape.count; i++) {
    count *= webnn_onnx__is_open(shape.items[i]) ? 1 : shape.items[i];
  }
  return count;
}

static size_t webnn_onnx__bytes_of(const webnn_onnx__value *value) {
  const webnn_data_type graph_type = webnn_onnx_graph_type(value->type);
  return webnn_onnx__length_of(webnn_onnx__count_of(value->shape),
                               webnn_data_type_bits(graph_type));
}

/* ---- 6.1 order of nodes: each one stays where the file has it, but what makes its inputs comes
   before it. Files have nodes behind their users where a converter has appended some. */

/* What makes a name: a node of the graph, or the graph is given it. */
typedef struct webnn_onnx__maker {
  const char *name;
  size_t node;
} webnn_onnx__maker;

#define WEBNN_ONNX__GIVEN SIZE_MAX

/* A node takes something of another one. In a list of the other one's users, or of
   the node's makers. */
typedef struct webnn_onnx__use {
  const char *name;
  size_t node;
  struct webnn_onnx__use *next;
} webnn_onnx__use;

/* A graph while its nodes are sorted. */
typedef struct webnn_onnx__order {
  webnn_onnx_model *model;
  webnn_extra__arena *arena;
  webnn_onnx__graph *graph;
  struct webnn_onnx__order *around; /* the graph in whose node it is, NULL: none */
  webnn_onnx__maker *table;         /* a hash table, open addressing */
  size_t table_size;
  size_t at; /* the node whose names are looked up */
  webnn_onnx__use **users, **makers;
  unsigned char *states; /* of nodes: 0, on the path, or placed */
  size_t *path, *sorted;
  size_t depth, placed; /* how many are in path and in sorted */
} webnn_onnx__order;

enum { WEBNN_ONNX__ON_PATH = 1, WEBNN_ONNX__PLACED };

static webnn_onnx__maker *webnn_onnx__maker_of(const webnn_onnx__order *o, const char *name) {
  size_t i = webnn_onnx__hash(name) & (o->table_size - 1);
  while (o->table[i].name != NULL && strcmp(o->table[i].name, name) != 0) {
    i = (i + 1) & (o->table_size - 1);
  }
  return &o->table[i];
}

/* The first to make a name is its maker; lowering refuses others. */
static void webnn_onnx__note_maker(webnn_onnx__order *o, const char *name, size_t node) {
  webnn_onnx__maker *maker = webnn_onnx__maker_of(o, name);
  if (name[0] != '\0' && maker->name == NULL) {
    maker->name = name;
    maker->node = node;
  }
}

/* Memory for the time of sorting, zero; NULL: there is none, and the model has failed. */
static void *webnn_onnx__order_memory(webnn_onnx__order *o, size_t count, size_t size) {
  void *memory = webnn_extra__take(o->arena, count, size);
  if (memory == NULL) {
    webnn_onnx__no_memory(o->model);
  }
  return memory;
}

/* The table of all that the graph makes or is given; `given` are the inputs of a function. */
static bool webnn_onnx__note_makers(webnn_onnx__order *o, const char *const *given, size_t count) {
  const webnn_onnx__graph *g = o->graph;
  size_t names = count + g->input_count + g->initializer_count, i, k;
  for (i = 0; i < g->node_count; i++) {
    names += g->nodes[i].output_count;
  }
  for (o->table_size = 16; o->table_size < 2 * names;) {
    o->table_size *= 2;
  }
  o->table = (webnn_onnx__maker *)webnn_onnx__order_memory(o, o->table_size, sizeof *o->table);
  if (!webnn_onnx__sound(o->model)) {
    return false;
  }
  for (i = 0; i < count; i++) {
    webnn_onnx__note_maker(o, given[i], WEBNN_ONNX__GIVEN);
  }
  for (i = 0; i < g->input_count; i++) {
    webnn_onnx__note_maker(o, g->inputs[i].name, WEBNN_ONNX__GIVEN);
  }
  for (i = 0; i < g->initializer_count; i++) {
    webnn_onnx__note_maker(o, g->initializers[i].name, WEBNN_ONNX__GIVEN);
  }
  for (i = 0; i < g->node_count; i++) {
    for (k = 0; k < g->nodes[i].output_count; k++) {
      webnn_onnx__note_maker(o, g->nodes[i].outputs[k], i);
    }
  }
  return true;
}

/* The node takes a name, which it or a graph in it uses. What stands before it, here or
   around, counts before what stands behind it: that is how names are found in a file whose
   nodes are in order. */
static bool webnn_onnx__note_use(webnn_onnx__order *o, const char *name) {
  webnn_onnx__order *level, *later = NULL;
  const webnn_onnx__maker *maker;
  webnn_onnx__use *use;
  for (level = o; level != NULL; level = level->around) {
    maker = webnn_onnx__maker_of(level, name);
    if (maker->name != NULL && (maker->node == WEBNN_ONNX__GIVEN || maker->node < level->at)) {
      break;
    }
    later = later == NULL && maker->name != NULL ? level : later;
  }
  level = level != NULL ? level : later;
  if (level == NULL || webnn_onnx__maker_of(level, name)->node == WEBNN_ONNX__GIVEN) {
    return true; /* lowering refuses what nothing makes */
  }
  if (level->at == level->graph->node_count) {
    return true; /* an output of the graph itself, behind all nodes */
  }
  maker = webnn_onnx__maker_of(level, name);
  use = (webnn_onnx__use *)webnn_onnx__order_memory(o, 1, sizeof *use);
  if (!webnn_onnx__sound(o->model)) {
    return false;
  }
  use->name = name;
  use->node = level->at;
  use->next = level->users[maker->node];
  level->users[maker->node] = use;
  return true;
}

static bool webnn_onnx__order_graph(webnn_onnx_model *model, webnn_extra__arena *arena,
                                    webnn_onnx__graph *g, webnn_onnx__order *around,
                                    const char *const *given, size_t given_count);

/* The inputs of all nodes, and what the graphs in them take from here. */
static bool webnn_onnx__note_uses(webnn_onnx__order *o) {
  const webnn_onnx__graph *g = o->graph;
  size_t k;
  for (o->at = 0; o->at < g->node_count; o->at++) {
    const webnn_onnx__node *node = &g->nodes[o->at];
    for (k = 0; k < node->input_count; k++) {
      if (!webnn_onnx__note_use(o, node->inputs[k])) {
        return false;
      }
    }
    for (k = 0; k < node->graph_count; k++) {
      if (!webnn_onnx__order_graph(o->model, o->arena, node->graphs[k], o, NULL, 0)) {
        return false;
      }
    }
  }
  for (k = 0; k < g->output_count && o->around != NULL; k++) {
    if (!webnn_onnx__note_use(o, g->outputs[k].name)) {
      return false;
    }
  }
  return true;
}

/* Each node's makers in their order, of each one's users in theirs. */
static void webnn_onnx__turn_uses(webnn_onnx__order *o) {
  size_t maker = o->graph->node_count;
  while (maker-- > 0) {
    webnn_onnx__use *use = o->users[maker], *next;
    for (; use != NULL; use = next) {
      const size_t user = use->node;
      next = use->next;
      use->node = maker;
      use->next = o->makers[user];
      o->makers[user] = use;
    }
  }
}

/* The last node of the path takes `use` of one that the path leads from: what
   lowering is to say there. */
static bool webnn_onnx__note_cycle(webnn_onnx__order *o, const webnn_onnx__use *use) {
  char text[360], place[200];
  size_t used, i = o->depth;
  used = (size_t)snprintf(text, sizeof text,
                          "it uses \"%s\", which is made of its own result: the cycle of",
                          webnn_onnx__show(use->name).text);
  do {
    webnn_onnx__place(&o->graph->nodes[o->path[--i]], place, sizeof place);
    if (used + strlen(place) + 16 > sizeof text) {
      used += (size_t)snprintf(text + used, sizeof text - used, ", ...");
      break;
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i + 1 == o->depth ? "" : ",",
                             place);
  } while (o->path[i] != use->node);
  o->graph->nodes[o->path[o->depth - 1]].cycle = webnn_onnx__copy(o->model, text, used);
  return webnn_onnx__sound(o->model);
}

/* Goes to a node that is to be placed, behind its makers. */
static void webnn_onnx__go_to(webnn_onnx__order *o, size_t node) {
  o->states[node] = WEBNN_ONNX__ON_PATH;
  o->path[o->depth++] = node;
}

/* Places all nodes, each after its makers. */
static bool webnn_onnx__place_nodes(webnn_onnx__order *o) {
  size_t first;
  for (first = 0; first < o->graph->node_count; first++) {
    if (o->states[first] == 0) {
      webnn_onnx__go_to(o, first);
    }
    while (o->depth > 0) {
      const size_t node = o->path[o->depth - 1];
      const webnn_onnx__use *use = o->makers[node];
      if (use == NULL) {
        o->states[node] = WEBNN_ONNX__PLACED;
        o->sorted[o->placed++] = node;
        o->depth--;
        continue;
      }
      o->makers[node] = use->next;
      if (o->states[use->node] == 0) {
        webnn_onnx__go_to(o, use->node);
      } else if (o->states[use->node] == WEBNN_ONNX__ON_PATH && !webnn_onnx__note_cycle(o, use)) {
        return false;
      }
    }
  }
  return true;
}

/* The graph's nodes as they are placed. */
static bool webnn_onnx__take_order(const webnn_onnx__order *o) {
  webnn_onnx__graph *g = o->graph;
  webnn_onnx__node *nodes;
  size_t i = 0;
  while (i < g->node_count && o->sorted[i] == i) {
    i++;
  }
  if (i == g->node_count) {
    return true;
  }
  nodes = (webnn_onnx__node *)webnn_onnx__array(o->model, g->node_count, sizeof *nodes);
  if (!webnn_onnx__sound(o->model)) {
    return false;
  }
  for (i = 0; i < g->node_count; i++) {
    nodes[i] = g->nodes[o->sorted[i]];
  }
  g->nodes = nodes;
  return true;
}

/* Sorts the nodes of a graph, and of all graphs in them. False: memory has ended. */
static bool webnn_onnx__order_graph(webnn_onnx_model *model, webnn_extra__arena *arena,
                                    webnn_onnx__graph *g, webnn_onnx__order *around,
                                    const char *const *given, size_t given_count) {
  webnn_onnx__order o;
  memset(&o, 0, sizeof o);
  o.model = model;
  o.arena = arena;
  o.graph = g;
  o.around = around;
  o.users = (webnn_onnx__use **)webnn_onnx__order_memory(&o, g->node_count, sizeof *o.users);
  o.makers = (webnn_onnx__use **)webnn_onnx__order_memory(&o, g->node_count, sizeof *o.makers);
  o.path = (size_t *)webnn_onnx__order_memory(&o, g->node_count, sizeof *o.path);
  o.sorted = (size_t *)webnn_onnx__order_memory(&o, g->node_count, sizeof *o.sorted);
  o.states = (unsigned char *)webnn_onnx__order_memory(&o, g->node_count, 1);
  if (!webnn_onnx__sound(model) || !webnn_onnx__note_makers(&o, given, given_count) ||
      !webnn_onnx__note_uses(&o)) {
    return false;
  }
  webnn_onnx__turn_uses(&o);
  return webnn_onnx__place_nodes(&o) && webnn_onnx__take_order(&o);
}

/* Sorts all nodes of the model. */
static bool webnn_onnx__order_model(webnn_onnx_model *m) {
  webnn_extra__arena arena = {NULL};
  bool good = webnn_onnx__order_graph(m, &arena, &m->graph, NULL, NULL, 0);
  size_t i;
  for (i = 0; i < m->function_count && good; i++) {
    webnn_onnx__function *f = &m->functions[i];
    good = webnn_onnx__order_graph(m, &arena, &f->body, NULL, f->inputs, f->input_count);
  }
  webnn_extra__free_arena(&arena);
  return good;
}

/* ---- 7 calls ---------------------------------------------------------------------------------
   A failure latches in the import, and its first message stays. After it operands are NULL, which
   goes through all that makes operands, so that a lowering tests only what it reads itself. */

static void *webnn_onnx__take(webnn_onnx__call *c, size_t count, size_t size) {
  return webnn_onnx__memory(c->import, count, size);
}

/* A value is computed while building in so many steps at most, one inside the other. */
#define WEBNN_ONNX__MAX_STEPS 32

static bool webnn_onnx__evaluate(webnn_onnx__call *c, webnn_onnx__value *value);
static webnn_operand *webnn_onnx__open_operand(webnn_onnx__call *c, webnn_onnx__value *value);
static void webnn_onnx__take_over(webnn_onnx__value *to, webnn_onnx__value *from);
static webnn_onnx__shown webnn_onnx__show_shape(webnn_list shape);

/* The builder, made when a folded call first wants it. */
static webnn_builder *webnn_onnx__b(webnn_onnx__call *c) {
  webnn_onnx__import *m = c->import;
  webnn_error error = WEBNN_ZERO;
  if (c->builder == NULL && m->reference == NULL) {
    webnn_context_options options = WEBNN_ZERO;
    options.numerics = WEBNN_NUMERICS_REFERENCE;
    options.threads = 1;
    (void)webnn_create_context(&options, &m->reference, &error);
  }
  if (c->builder == NULL) {
    (void)webnn_create_builder(m->reference, &c->builder, &error);
  }
  if (error.status != WEBNN_OK) {
    (void)webnn_onnx__fail_as(c, &error);
  }
  return c->builder;
}

/* Is it a constant whose elements have been computed? */
static bool webnn_onnx__is_known(const webnn_onnx__value *value) {
  return value->data != NULL;
}

/* Is it an operand of the builder, whose elements are not known? */
static bool webnn_onnx__is_computed(const webnn_onnx__value *value) {
  return value->operand != NULL && !webnn_onnx__is_known(value);
}

/* Does it depend on an input of the graph? */
static bool webnn_onnx__depends(const webnn_onnx__value *value) {
  return value->from != NULL;
}

/* What a value is, as messages say it. */
static const char *webnn_onnx__kind_name(const webnn_onnx__value *value) {
  if (value == NULL) {
    return "missing";
  }
  return value->kind == WEBNN_ONNX__IS_TENSOR     ? "a tensor"
         : value->kind == WEBNN_ONNX__IS_SEQUENCE ? "a sequence"
         : value->kind == WEBNN_ONNX__IS_TEXT     ? "of strings (the labels of classlabels_strings)"
                                                  : "absent";
}

/* The node needs the size of a dynamic dimension. Always false. */
static bool webnn_onnx__fail_open(webnn_onnx__call *c, const webnn_onnx__value *value) {
  const webnn_onnx__shown shown = webnn_onnx__show(value->name);
  const int64_t *items = (const int64_t *)value->data;
  size_t i;
  for (i = 0; !webnn_onnx__is_open(items[i]); i++) {
  }
  return webnn_onnx__fail(
      c, "\"%s\" holds the size of the dynamic dimension \"%s\", which must be known", shown.text,
      webnn_onnx__show(webnn_dimension_name(c->import->builder, (uint32_t)items[i])).text);
}

/* The value as an operand of the builder; NULL after a failure. */
static webnn_operand *webnn_onnx__operand(webnn_onnx__call *c, webnn_onnx__value *value) {
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  if (value->kind != WEBNN_ONNX__IS_TENSOR) {
    return webnn_onnx__no_operand(c, "\"%s\" must be a tensor of numbers; it is %s",
                                  webnn_onnx__show(value->name).text, webnn_onnx__kind_name(value));
  }
  if (value->operand != NULL) {
    return value->operand;
  }
  if (!webnn_onnx__is_known(value)) {
    return webnn_onnx__no_operand(c, "\"%s\" has no value", webnn_onnx__show(value->name).text);
  }
  if (webnn_onnx__count_of(value->shape) == 0) {
    return webnn_onnx__no_operand(c, "\"%s\" must have elements; its shape is %s",
                                  webnn_onnx__show(value->name).text,
                                  webnn_onnx__show_shape(value->shape).text);
  }
  if (value->open && !c->folding) {
    return webnn_onnx__open_operand(c, value);
  }
  descriptor.data_type = webnn_onnx_graph_type(value->type);
  descriptor.shape = value->shape;
  value->operand =
      value->borrowed || c->folding
          ? webnn_constant_over_memory(webnn_onnx__b(c), descriptor, value->data,
                                       webnn_onnx__bytes_of(value))
          : webnn_constant(webnn_onnx__b(c), descriptor, value->data, webnn_onnx__bytes_of(value));
  return value->operand;
}

static bool webnn_onnx__has(const webnn_onnx__call *c, size_t i) {
  return i < c->in_count && c->in[i] != NULL;
}

static bool webnn_onnx__wants(const webnn_onnx__call *c, size_t i) {
  return i < c->out_count && c->out[i] != NULL;
}

/* Is input i there with its data, a constant that has been computed? */
static bool webnn_onnx__has_data(const webnn_onnx__call *c, size_t i) {
  return webnn_onnx__has(c, i) && webnn_onnx__is_known(c->in[i]);
}

/* Is input i there, and depends on constants only? */
static bool webnn_onnx__is_constant(const webnn_onnx__call *c, size_t i) {
  return webnn_onnx__has(c, i) && !webnn_onnx__depends(c->in[i]);
}

/* Is input i there, and depends on an input of the graph? */
static bool webnn_onnx__varies(const webnn_onnx__call *c, size_t i) {
  return webnn_onnx__has(c, i) && webnn_onnx__depends(c->in[i]);
}

/* Input i as an operand. NULL: it is missing, or cannot be one, and the call has failed. */
static webnn_operand *webnn_onnx__x(webnn_onnx__call *c, size_t i) {
  if (!webnn_onnx__has(c, i)) {
    return webnn_onnx__no_operand(c, "input %u is missing", (unsigned)i);
  }
  return webnn_onnx__operand(c, c->in[i]);
}

/* Is input i a tensor without elements? They are constants. */
static bool webnn_onnx__is_empty(const webnn_onnx__call *c, size_t i) {
  return webnn_onnx__has_data(c, i) && webnn_onnx__count_of(c->in[i]->shape) == 0;
}

/* Input i as an operand, or NULL if it is missing. */
static webnn_operand *webnn_onnx__optional(webnn_onnx__call *c, size_t i) {
  return webnn_onnx__has(c, i) ? webnn_onnx__operand(c, c->in[i]) : NULL;
}

static webnn_list webnn_onnx__shape(const webnn_onnx__call *c, size_t i) {
  webnn_list none = WEBNN_ZERO;
  return webnn_onnx__has(c, i) ? c->in[i]->shape : none;
}

static webnn_onnx_type webnn_onnx__type(const webnn_onnx__call *c, size_t i) {
  return webnn_onnx__has(c, i) ? c->in[i]->type : WEBNN_ONNX_UNDEFINED;
}

/* The shape of an operand, and its type. Those of a failed one, NULL, are harmless: as many
   dimensions as there can be, each of 1, so that a lowering goes on to its end, where
   webnn_onnx__put reports the first cause. */
static webnn_list webnn_onnx__sizes(const webnn_operand *x) {
  return x != NULL ? webnn_operand_shape(x) : webnn_extra__repeat(1, WEBNN_MAX_RANK);
}

static webnn_data_type webnn_onnx__graph_type_of(const webnn_operand *x) {
  return x != NULL ? webnn_operand_data_type(x) : WEBNN_FLOAT32;
}

static bool webnn_onnx__floating(const webnn_operand *x) {
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  return type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16;
}

/* ---- 7.1 what must hold, beside what is there. False: the call has failed. */

/* A shape as messages show it: [2,3]. */
static webnn_onnx__shown webnn_onnx__show_shape(webnn_list shape) {
  webnn_onnx__shown shown;
  size_t used = 1;
  uint32_t i;
  shown.text[0] = '[';
  for (i = 0; i < shape.count && i < WEBNN_MAX_RANK && used < 70; i++) {
    used += (size_t)(webnn_onnx__is_open(shape.items[i])
                         ? snprintf(shown.text + used, sizeof shown.text - used, "%s?",
                                    i == 0 ? "" : ",")
                         : snprintf(shown.text + used, sizeof shown.text - used, "%s%u",
                                    i == 0 ? "" : ",", shape.items[i]));
  }
  (void)snprintf(shown.text + used, sizeof shown.text - used, "%s",
                 i < shape.count ? ",...]" : "]");
  return shown;
}

/* A number is low to high; INT64_MIN or INT64_MAX: there is no such bound. */
static bool webnn_onnx__must_be(webnn_onnx__call *c, const char *name, int64_t number, int64_t low,
                                int64_t high) {
  return (number >= low && number <= high) ||
         (low == high ? webnn_onnx__fail(c, "%s (%lld) must be %lld", name, (long long)number,
                                         (long long)low)
          : low == INT64_MIN || high == INT64_MAX
              ? webnn_onnx__fail(c, "%s (%lld) must be at %s %lld", name, (long long)number,
                                 low == INT64_MIN ? "most" : "least",
                                 (long long)(low == INT64_MIN ? high : low))
              : webnn_onnx__fail(c, "%s (%lld) must be %lld to %lld", name, (long long)number,
                                 (long long)low, (long long)high));
}

/* An attribute is none of the words that it may be. Always false. */
static bool webnn_onnx__wrong_word(webnn_onnx__call *c, const char *name, const char *word,
                                   const char *words) {
  return webnn_onnx__fail(c, "attribute %s (\"%s\") must be %s", name, webnn_onnx__show(word).text,
                          words);
}

/* Input i has low to high dimensions. */
static bool webnn_onnx__must_have_rank(webnn_onnx__call *c, size_t i, uint32_t low, uint32_t high) {
  const uint32_t rank = webnn_onnx__shape(c, i).count;
  if (rank >= low && rank <= high) {
    return true;
  }
  if (low == high) {
    return webnn_onnx__fail(c, "input %u must have %u dimension%s; it has %u", (unsigned)i, low,
                            low == 1 ? "" : "s", rank);
  }
  if (low == 0 || high == WEBNN_MAX_RANK) {
    return webnn_onnx__fail(c, "input %u must have at %s %u dimension%s; it has %u", (unsigned)i,
                            low == 0 ? "most" : "least", low == 0 ? high : low,
                            (low == 0 ? high : low) == 1 ? "" : "s", rank);
  }
  return webnn_onnx__fail(c, "input %u must have %u %s %u dimensions; it has %u", (unsigned)i, low,
                          high == low + 1 ? "or" : "to", high, rank);
}

/* Input i as an operand of low to high dimensions. NULL: the call has failed. */
static webnn_operand *webnn_onnx__ranked(webnn_onnx__call *c, size_t i, uint32_t low,
                                         uint32_t high) {
  webnn_operand *x = webnn_onnx__x(c, i);
  return webnn_onnx__must_have_rank(c, i, low, high) ? x : NULL;
}

/* ---- 7.2 constants and attributes. */

/* What stands for a value that is not known after a failure: integers, of which there are none. */
static const webnn_onnx__value *webnn_onnx__nothing(webnn_onnx__call *c) {
  webnn_onnx__value *nothing = &c->import->nothing;
  nothing->type = WEBNN_ONNX_INT64;
  nothing->shape = webnn_extra__repeat(0, 1);
  nothing->data = "";
  return nothing;
}

/* The constant that input i is; without elements after a failure. */
static const webnn_onnx__value *webnn_onnx__known(webnn_onnx__call *c, size_t i) {
  if (!webnn_onnx__has(c, i)) {
    (void)webnn_onnx__fail(c, "input %u is missing", (unsigned)i);
    return webnn_onnx__nothing(c);
  }
  if (c->in[i]->open && !c->folding && !webnn_onnx__flagged(c->row, 'd')) {
    (void)webnn_onnx__fail_open(c, c->in[i]);
    return webnn_onnx__nothing(c);
  }
  return webnn_onnx__evaluate(c, c->in[i]) ? c->in[i] : webnn_onnx__nothing(c);
}

static int64_t webnn_onnx__integer_at(const webnn_onnx__value *value, size_t i) {
  const uint8_t *data = (const uint8_t *)value->data;
  int64_t i64;
  int32_t i32;
  uint32_t u32;
  switch (webnn_onnx_graph_type(value->type)) {
  case WEBNN_INT64:
  case WEBNN_UINT64:
    memcpy(&i64, data + 8 * i, 8);
    return i64;
  case WEBNN_INT32:
    memcpy(&i32, data + 4 * i, 4);
    return i32;
  case WEBNN_UINT32:
    memcpy(&u32, data + 4 * i, 4);
    return u32;
  case WEBNN_INT8:
    return (int8_t)data[i];
  case WEBNN_INT4:
  case WEBNN_UINT4: /* two in a byte */
    i32 = data[i / 2] >> (i % 2 * 4) & 15;
    return webnn_onnx_graph_type(value->type) == WEBNN_INT4 && i32 > 7 ? i32 - 16 : i32;
  default:
    return data[i];
  }
}

static double webnn_onnx__number_at(const webnn_onnx__value *value, size_t i) {
  const uint8_t *data = (const uint8_t *)value->data;
  uint16_t u16;
  float f32;
  switch (webnn_onnx_graph_type(value->type)) {
  case WEBNN_FLOAT32:
    memcpy(&f32, data + 4 * i, 4);
    return f32;
  case WEBNN_FLOAT16:
    memcpy(&u16, data + 2 * i, 2);
    return webnn_float16_to_float32(u16);
  default:
    return (double)webnn_onnx__integer_at(value, i);
  }
}

/* The integers that input i holds, at most `room`; returns how many, 0 after a failure. */
static size_t webnn_onnx__integers(webnn_onnx__call *c, size_t i, int64_t *items, size_t room) {
  const webnn_onnx__value *value = webnn_onnx__known(c, i);
  const size_t count = (size_t)webnn_onnx__count_of(value->shape);
  size_t k;
  if (count > room) {
    (void)webnn_onnx__fail(c, "the number of elements of input %u (%llu) must be at most %llu",
                           (unsigned)i, (unsigned long long)count, (unsigned long long)room);
    return 0;
  }
  if (webnn_data_type_bits(webnn_onnx_graph_type(value->type)) < 8 ||
      webnn_onnx_graph_type(value->type) == WEBNN_FLOAT32 ||
      webnn_onnx_graph_type(value->type) == WEBNN_FLOAT16) {
    (void)webnn_onnx__fail(c, "input %u must be of integers of 8 bits or more; it is of %s",
                           (unsigned)i, webnn_onnx_type_name(value->type));
    return 0;
  }
  for (k = 0; k < count; k++) {
    items[k] = webnn_onnx__integer_at(value, k);
  }
  return count;
}

/* The number that input i holds, a scalar or the only element; 0 after a failure. */
static double webnn_onnx__scalar(webnn_onnx__call *c, size_t i) {
  const webnn_onnx__value *value = webnn_onnx__known(c, i);

  if (webnn_onnx__count_of(value->shape) != 1 ||
      webnn_data_type_bits(webnn_onnx_graph_type(value->type)) < 8) {
    (void)webnn_onnx__fail(c, "input %u must be one number of 8 bits or more; it is %s %s",
                           (unsigned)i, webnn_onnx_type_name(value->type),
                           webnn_onnx__show_shape(value->shape).text);
    return 0;
  }
  return webnn_onnx__number_at(value, 0);
}

static int64_t webnn_onnx__scalar_integer(webnn_onnx__call *c, size_t i) {
  int64_t number = 0;
  if (webnn_onnx__integers(c, i, &number, 1) == 0) {
    (void)webnn_onnx__fail(c, "input %u must be one number; it has no elements", (unsigned)i);
  }
  return number;
}

/* The same; `absent` without input i. */
static int64_t webnn_onnx__optional_integer(webnn_onnx__call *c, size_t i, int64_t absent) {
  return webnn_onnx__has(c, i) ? webnn_onnx__scalar_integer(c, i) : absent;
}

/* The attribute of a node; one of a function's body may refer to an attribute of the call. */
static const webnn_onnx__attribute *
webnn_onnx__find(const webnn_onnx__scope *scope, const webnn_onnx__node *node, const char *name) {
  size_t i;
  for (i = 0; i < node->attribute_count; i++) {
    const webnn_onnx__attribute *a = &node->attributes[i];
    if (strcmp(a->name, name) != 0) {
      continue;
    }
    if (a->reference[0] == '\0') {
      return a;
    }
    while (scope != NULL && scope->caller == NULL) {
      scope = scope->parent;
    }
    if (scope == NULL) {
      return NULL;
    }
    name = a->reference;
    a = webnn_onnx__find(scope->caller->scope, scope->caller->node, name);
    for (i = 0; a == NULL && i < scope->function->attribute_count; i++) {
      if (strcmp(scope->function->attributes[i].name, name) == 0) {
        a = &scope->function->attributes[i];
      }
    }
    return a;
  }
  return NULL;
}

/* The attribute of that name. One that is absent has no name, and neither text nor items. */
static const webnn_onnx__attribute *webnn_onnx__attribute_of(const webnn_onnx__call *c,
                                                             const char *name) {
  static const webnn_onnx__attribute absent = {"",   "",   0,    0,    0, "", NULL,
                                               NULL, NULL, NULL, NULL, 0, 0,  0};
  const webnn_onnx__attribute *a = webnn_onnx__find(c->scope, c->node, name);
  return a != NULL ? a : &absent;
}

static bool webnn_onnx__is_there(const webnn_onnx__attribute *a) {
  return a->name[0] != '\0';
}

static bool webnn_onnx__has_attribute(const webnn_onnx__call *c, const char *name) {
  return webnn_onnx__is_there(webnn_onnx__attribute_of(c, name));
}

static int64_t webnn_onnx__int(const webnn_onnx__call *c, const char *name, int64_t absent) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  return webnn_onnx__is_there(a) ? a->i : absent;
}

/* A flag that is off where it is absent. */
static bool webnn_onnx__flag(const webnn_onnx__call *c, const char *name) {
  return webnn_onnx__int(c, name, 0) != 0;
}

/* An attribute of low to high; `low` after a failure. */
static int64_t webnn_onnx__int_in(webnn_onnx__call *c, const char *name, int64_t absent,
                                  int64_t low, int64_t high) {
  const int64_t number = webnn_onnx__int(c, name, absent);
  char what[80];
  (void)snprintf(what, sizeof what, "attribute %s", name);
  return webnn_onnx__must_be(c, what, number, low, high) ? number : low;
}

static float webnn_onnx__float(const webnn_onnx__call *c, const char *name, double absent) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  return webnn_onnx__is_there(a) ? a->f : (float)absent;
}

static const char *webnn_onnx__string(const webnn_onnx__call *c, const char *name,
                                      const char *absent) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  return webnn_onnx__is_there(a) ? a->s : absent;
}

/* Which of the words, "nearest|linear|cubic", an attribute is. After a failure it is 0. */
static size_t webnn_onnx__word(webnn_onnx__call *c, const char *name, const char *absent,
                               const char *words) {
  const char *word = webnn_onnx__string(c, name, absent), *next;
  char list[160];
  size_t used = 0, length, i;
  for (i = 0; *words != '\0'; i++, words = *next == '|' ? next + 1 : next) {
    for (next = words; *next != '\0' && *next != '|'; next++) {
    }
    length = (size_t)(next - words);
    if (strncmp(word, words, length) == 0 && word[length] == '\0') {
      return i;
    }
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s",
                             i == 0         ? ""
                             : *next == '|' ? ", "
                                            : " or ",
                             (int)length, words);
  }
  (void)webnn_onnx__wrong_word(c, name, word, list);
  return 0;
}

/* The integers of an attribute, or else of input i, which came in its place in later versions, at
   most `room`. Without either, and after a failure, there are none. */
typedef struct webnn_onnx__integer_list {
  int64_t items[2 * WEBNN_MAX_RANK];
  size_t count;
  bool given; /* the attribute or the input is there */
} webnn_onnx__integer_list;

static webnn_onnx__integer_list webnn_onnx__list_of(webnn_onnx__call *c, const char *name,
                                                    size_t input, size_t room) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  webnn_onnx__integer_list list;
  memset(&list, 0, sizeof list);
  list.given = webnn_onnx__is_there(a) || webnn_onnx__has(c, input);
  if (!webnn_onnx__is_there(a)) {
    list.count = list.given ? webnn_onnx__integers(c, input, list.items, room) : 0;
  } else if (a->int_count > room) {
    (void)webnn_onnx__fail(c, "the length of attribute %s (%u) must be at most %u", name,
                           (unsigned)a->int_count, (unsigned)room);
  } else if (a->int_count != 0) {
    list.count = a->int_count;
    memcpy(list.items, a->ints, a->int_count * sizeof a->ints[0]);
  }
  return list;
}

#define WEBNN_ONNX__NO_INPUT 99

/* An attribute's integers as a list of dimensions; absent, and after a failure: not given. */
static webnn_list webnn_onnx__dims(webnn_onnx__call *c, const char *name) {
  const webnn_onnx__integer_list from =
      webnn_onnx__list_of(c, name, WEBNN_ONNX__NO_INPUT, WEBNN_MAX_RANK);
  webnn_list list = WEBNN_ZERO;
  size_t i;
  for (i = 0; i < from.count; i++) {
    if (from.items[i] < 0 || from.items[i] > INT32_MAX) {
      const webnn_list none = WEBNN_ZERO;
      (void)webnn_onnx__fail(c, "item %u of attribute %s (%lld) must be 0 to 2147483647",
                             (unsigned)i, name, (long long)from.items[i]);
      return none;
    }
    webnn_extra__append(&list, (uint32_t)from.items[i]);
  }
  list.given = from.given;
  return list;
}

/* An axis counted from the end if negative; 0 after a failure. */
static uint32_t webnn_onnx__axis(webnn_onnx__call *c, int64_t axis, uint32_t rank) {
  if (axis < -(int64_t)rank || axis >= (int64_t)rank) {
    (void)webnn_onnx__fail(c, "axis %lld is not one of %u dimensions", (long long)axis, rank);
    return 0;
  }
  return (uint32_t)(axis < 0 ? axis + (int64_t)rank : axis);
}

/* The axis that the attribute of this name says; 0: the call has failed. */
static uint32_t webnn_onnx__axis_of(webnn_onnx__call *c, const char *name, int64_t absent,
                                    uint32_t rank) {
  return webnn_onnx__axis(c, webnn_onnx__int(c, name, absent), rank);
}

/* How many axes the attribute axes names; without it, all `rank`. */
static size_t webnn_onnx__axis_count(const webnn_onnx__call *c, uint32_t rank) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "axes");
  return webnn_onnx__is_there(a) ? a->int_count : rank;
}

/* Axis i of the attribute axes; without it, i. */
static uint32_t webnn_onnx__nth_axis(webnn_onnx__call *c, size_t i, uint32_t rank) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "axes");
  return webnn_onnx__axis(c, webnn_onnx__is_there(a) ? a->ints[i] : (int64_t)i, rank);
}

/* From axis `begin` on to the last. */
static webnn_list webnn_onnx__axes_from(uint32_t begin, uint32_t rank) {
  webnn_list axes = webnn_extra__no_items();
  for (; begin < rank; begin++) {
    webnn_extra__append(&axes, begin);
  }
  return axes;
}

/* ---- 7.3 results. */

/* What the builder has refused is the call's failure, and the builder goes on. This is the one
   place that clears its error. True: it has refused nothing. */
static bool webnn_onnx__take_error(webnn_onnx__call *c) {
  if (c->builder == NULL || webnn_builder_status(c->builder) == WEBNN_OK) {
    return true;
  }
  (void)webnn_onnx__fail(c, "it is refused");
  webnn_builder_clear_error(c->builder);
  return false;
}

/* Output i is this operand, which may be NULL where output i > 0 is not wanted. False: the builder
   refused it, or the call has failed. */
static bool webnn_onnx__put_as(webnn_onnx__call *c, size_t i, webnn_operand *x,
                               webnn_onnx_type type) {
  if (x == NULL && i != 0 && !webnn_onnx__wants(c, i)) {
    return true;
  }
  if (x == NULL) {
    return webnn_onnx__take_error(c) && webnn_onnx__fail(c, "it has no result");
  }
  if (!webnn_onnx__sizes(x).given) {
    return webnn_onnx__fail(c, "how many dimensions its result has depends on dynamic dimensions");
  }
  if (webnn_onnx__wants(c, i)) {
    c->out[i]->operand = x;
    c->out[i]->shape = webnn_onnx__sizes(x);
    c->out[i]->type = type;
    c->out[i]->data = NULL;
  }
  return true;
}

/* The same, of the first input's type where the operand's holds it, else of the natural
   one. */
static bool webnn_onnx__put(webnn_onnx__call *c, size_t i, webnn_operand *x) {
  const webnn_data_type graph_type = webnn_onnx__graph_type_of(x);
  const webnn_onnx_type type = webnn_onnx__type(c, 0);
  return webnn_onnx__put_as(c, i, x,
                            type != 0 && webnn_onnx_graph_type(type) == graph_type
                                ? type
                                : webnn_onnx__natural_type(graph_type));
}

/* Output i is a constant, whose data stay for the whole build, or for the model if borrowed. */
static bool webnn_onnx__put_data(webnn_onnx__call *c, size_t i, webnn_onnx_type type,
                                 webnn_list shape, const void *data, bool borrowed) {
  if (data == NULL) {
    return webnn_onnx__out_of_memory(c->import);
  }
  if (webnn_onnx__wants(c, i)) {
    c->out[i]->type = type;
    c->out[i]->shape = shape;
    c->out[i]->data = data;
    c->out[i]->borrowed = borrowed;
    c->out[i]->operand = NULL;
  }
  return true;
}

/* Output i has no elements, and the type of input 0. */
static bool webnn_onnx__put_empty(webnn_onnx__call *c, size_t i, webnn_list shape) {
  return webnn_onnx__put_data(c, i, webnn_onnx__type(c, 0), shape, "", true);
}

/* Output i is a list of int64. */
static bool webnn_onnx__put_integers(webnn_onnx__call *c, size_t i, const int64_t *items,
                                     size_t count, bool scalar) {
  webnn_list shape = WEBNN_ZERO;
  int64_t *copy = (int64_t *)webnn_onnx__take(c, count + 1, sizeof *copy);
  shape.given = true;
  shape.count = scalar ? 0 : 1;
  shape.items[0] = scalar ? 0 : (uint32_t)count;
  if (copy != NULL && count != 0) {
    memcpy(copy, items, count * sizeof *copy);
  }
  return webnn_onnx__put_data(c, i, WEBNN_ONNX_INT64, shape, copy, false);
}

/* Output i is value v in another shape of as many elements; constants are not copied. */
static bool webnn_onnx__put_reshaped(webnn_onnx__call *c, size_t i, webnn_onnx__value *v,
                                     webnn_list shape) {
  if (v == NULL) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  if (webnn_onnx__is_known(v) && (!v->open || c->folding)) {
    return webnn_onnx__put_data(c, i, v->type, shape, v->data, v->borrowed);
  }
  return webnn_onnx__put_as(
      c, i, webnn_reshape(webnn_onnx__b(c), webnn_onnx__operand(c, v), shape, NULL), v->type);
}

/* Output i is input k as it is; a constant stays one. */
static bool webnn_onnx__put_input(webnn_onnx__call *c, size_t i, size_t k) {
  if (webnn_onnx__has_data(c, k) && (!c->in[k]->open || c->folding)) {
    return webnn_onnx__put_data(c, i, c->in[k]->type, c->in[k]->shape, c->in[k]->data,
                                c->in[k]->borrowed);
  }
  return webnn_onnx__put_as(c, i, webnn_onnx__x(c, k), webnn_onnx__type(c, k));
}

/* ---- 7.4 operands: short names for what lowering writes most. A NULL, which is what has failed or
   what the model has not given, goes through: of none these make none. */

typedef webnn_operand webnn_onnx__o;

static webnn_operator_options webnn_onnx__label(const webnn_onnx__call *c) {
  webnn_operator_options options = WEBNN_ZERO;
  options.label = c->node->name;
  return options;
}

/* For the functions of webnn_extra.h. */
static webnn_extra webnn_onnx__extra(webnn_onnx__call *c) {
  webnn_extra e;
  e.builder = webnn_onnx__b(c);
  e.label = c->node->name;
  return e;
}

/* x as the result of an operator, since an output may be neither an input nor a constant; identity
   takes no 4-bit types. */
static webnn_onnx__o *webnn_onnx__copied(webnn_builder *b, webnn_onnx__o *x,
                                         const webnn_operator_options *o) {
  return x != NULL && webnn_data_type_bits(webnn_onnx__graph_type_of(x)) < 8
             ? webnn_reshape(b, x, webnn_onnx__sizes(x), o)
             : webnn_identity(b, x, o);
}

/* The tables of methods below are not static: where WEBNN_API imports them from a DLL, their
   addresses are no constants. */

/* An operator of one operand. */
static webnn_onnx__o *webnn_onnx__1(webnn_onnx__call *c, webnn_op op, webnn_onnx__o *x) {
  const struct {
    webnn_op op;
    webnn_onnx__o *(*method)(webnn_builder *, webnn_onnx__o *, const webnn_operator_options *);
  } table[] = {
      {WEBNN_OP_ABS, webnn_abs},
      {WEBNN_OP_CEIL, webnn_ceil},
      {WEBNN_OP_COS, webnn_cos},
      {WEBNN_OP_ERF, webnn_erf},
      {WEBNN_OP_EXP, webnn_exp},
      {WEBNN_OP_FLOOR, webnn_floor},
      {WEBNN_OP_IDENTITY, webnn_onnx__copied},
      {WEBNN_OP_LOG, webnn_log},
      {WEBNN_OP_NEG, webnn_neg},
      {WEBNN_OP_RECIPROCAL, webnn_reciprocal},
      {WEBNN_OP_ROUND_EVEN, webnn_round_even},
      {WEBNN_OP_SIGN, webnn_sign},
      {WEBNN_OP_SIN, webnn_sin},
      {WEBNN_OP_SQRT, webnn_sqrt},
      {WEBNN_OP_TAN, webnn_tan},
      {WEBNN_OP_RELU, webnn_relu},
      {WEBNN_OP_SIGMOID, webnn_sigmoid},
      {WEBNN_OP_SOFTPLUS, webnn_softplus},
      {WEBNN_OP_SOFTSIGN, webnn_softsign},
      {WEBNN_OP_TANH, webnn_tanh},
      {WEBNN_OP_HARD_SWISH, webnn_hard_swish},
      {WEBNN_OP_GELU, webnn_gelu},
      {WEBNN_OP_LOGICAL_NOT, webnn_logical_not},
      {WEBNN_OP_IS_NAN, webnn_is_nan},
      {WEBNN_OP_IS_INFINITE, webnn_is_infinite},
  };
  const webnn_operator_options o = webnn_onnx__label(c);
  webnn_builder *b = webnn_onnx__b(c);
  size_t i;
  for (i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].op == op) {
      return table[i].method(b, x, &o);
    }
  }
  return NULL;
}

/* An operator of two operands. */
static webnn_onnx__o *webnn_onnx__2(webnn_onnx__call *c, webnn_op op, webnn_onnx__o *x,
                                    webnn_onnx__o *y) {
  const struct {
    webnn_op op;
    webnn_onnx__o *(*method)(webnn_builder *, webnn_onnx__o *, webnn_onnx__o *,
                             const webnn_operator_options *);
  } table[] = {
      {WEBNN_OP_ADD, webnn_add},
      {WEBNN_OP_SUB, webnn_sub},
      {WEBNN_OP_MUL, webnn_mul},
      {WEBNN_OP_DIV, webnn_div},
      {WEBNN_OP_MAX, webnn_max},
      {WEBNN_OP_MIN, webnn_min},
      {WEBNN_OP_POW, webnn_pow},
      {WEBNN_OP_EQUAL, webnn_equal},
      {WEBNN_OP_NOT_EQUAL, webnn_not_equal},
      {WEBNN_OP_GREATER, webnn_greater},
      {WEBNN_OP_GREATER_OR_EQUAL, webnn_greater_or_equal},
      {WEBNN_OP_LESSER, webnn_lesser},
      {WEBNN_OP_LESSER_OR_EQUAL, webnn_lesser_or_equal},
      {WEBNN_OP_LOGICAL_AND, webnn_logical_and},
      {WEBNN_OP_LOGICAL_OR, webnn_logical_or},
      {WEBNN_OP_LOGICAL_XOR, webnn_logical_xor},
      {WEBNN_OP_PRELU, webnn_prelu},
      {WEBNN_OP_MATMUL, webnn_matmul},
  };
  const webnn_operator_options o = webnn_onnx__label(c);
  webnn_builder *b = webnn_onnx__b(c);
  size_t i;
  for (i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].op == op) {
      return table[i].method(b, x, y, &o);
    }
  }
  return NULL;
}

#define WEBNN_ONNX__UNARY(name, op)                                                                \
  static webnn_onnx__o *webnn_onnx__##name(webnn_onnx__call *c, webnn_onnx__o *x) {                \
    return webnn_onnx__1(c, WEBNN_OP_##op, x);                                                     \
  }
WEBNN_ONNX__UNARY(tanh, TANH)
WEBNN_ONNX__UNARY(neg, NEG)
WEBNN_ONNX__UNARY(sigmoid, SIGMOID)
WEBNN_ONNX__UNARY(is_nan, IS_NAN)
WEBNN_ONNX__UNARY(exp, EXP)
WEBNN_ONNX__UNARY(log, LOG)
WEBNN_ONNX__UNARY(sqrt, SQRT)
WEBNN_ONNX__UNARY(abs, ABS)
WEBNN_ONNX__UNARY(reciprocal, RECIPROCAL)
WEBNN_ONNX__UNARY(sign, SIGN)
#undef WEBNN_ONNX__UNARY

#define WEBNN_ONNX__BINARY(name, op)                                                               \
  static webnn_onnx__o *webnn_onnx__##name(webnn_onnx__call *c, webnn_onnx__o *x,                  \
                                           webnn_onnx__o *y) {                                     \
    return webnn_onnx__2(c, WEBNN_OP_##op, x, y);                                                  \
  }
WEBNN_ONNX__BINARY(add, ADD)
WEBNN_ONNX__BINARY(sub, SUB)
WEBNN_ONNX__BINARY(mul, MUL)
WEBNN_ONNX__BINARY(div, DIV)
WEBNN_ONNX__BINARY(max, MAX)
WEBNN_ONNX__BINARY(min, MIN)
WEBNN_ONNX__BINARY(equal, EQUAL)
WEBNN_ONNX__BINARY(less, LESSER)
WEBNN_ONNX__BINARY(matmul, MATMUL)
WEBNN_ONNX__BINARY(logical_and, LOGICAL_AND)
WEBNN_ONNX__BINARY(logical_or, LOGICAL_OR)
WEBNN_ONNX__BINARY(not_equal, NOT_EQUAL)
WEBNN_ONNX__BINARY(pow, POW)
WEBNN_ONNX__BINARY(greater_or_equal, GREATER_OR_EQUAL)
WEBNN_ONNX__BINARY(lesser_or_equal, LESSER_OR_EQUAL)
#undef WEBNN_ONNX__BINARY

/* x op y; where one of them is not there (NULL), the other. */
static webnn_onnx__o *webnn_onnx__with(webnn_onnx__call *c, webnn_op op, webnn_onnx__o *x,
                                       webnn_onnx__o *y) {
  return x == NULL ? y : y == NULL ? x : webnn_onnx__2(c, op, x, y);
}

static webnn_onnx__o *webnn_onnx__select(webnn_onnx__call *c, webnn_onnx__o *condition,
                                         webnn_onnx__o *x, webnn_onnx__o *y) {
  const webnn_operator_options o = webnn_onnx__label(c);
  return webnn_where(webnn_onnx__b(c), condition, x, y, &o);
}

static webnn_onnx__o *webnn_onnx__cast(webnn_onnx__call *c, webnn_onnx__o *x,
                                       webnn_data_type type) {
  const webnn_operator_options o = webnn_onnx__label(c);
  return x == NULL || webnn_onnx__graph_type_of(x) == type
             ? x
             : webnn_cast(webnn_onnx__b(c), x, type, &o);
}

/* 4-bit integers as a type that more operators take; x itself of other types. */
static webnn_onnx__o *webnn_onnx__widened(webnn_onnx__call *c, webnn_onnx__o *x) {
  return webnn_extra_widened(webnn_onnx__extra(c), x);
}

/* x as that type, which may have 4 bits. */
static webnn_onnx__o *webnn_onnx__narrowed(webnn_onnx__call *c, webnn_onnx__o *x,
                                           webnn_data_type type) {
  return webnn_data_type_bits(type) < 8 ? webnn_extra_narrowed(webnn_onnx__extra(c), x, type)
                                        : webnn_onnx__cast(c, x, type);
}

/* A scalar of that type. */
static webnn_onnx__o *webnn_onnx__number(webnn_onnx__call *c, webnn_data_type type, double value) {
  return webnn_extra__number(webnn_onnx__extra(c), type, value);
}

/* A scalar of x's type. */
static webnn_onnx__o *webnn_onnx__like(webnn_onnx__call *c, webnn_onnx__o *x, double value) {
  return webnn_onnx__number(c, webnn_onnx__graph_type_of(x), value);
}

static webnn_onnx__o *webnn_onnx__transpose(webnn_onnx__call *c, webnn_onnx__o *x,
                                            webnn_list permutation) {
  webnn_transpose_options o = WEBNN_ZERO;
  uint32_t i;
  for (i = 0; i < permutation.count && permutation.items[i] == i; i++) {
  }
  o.label = c->node->name;
  o.permutation = permutation;
  return x == NULL || i == permutation.count ? x : webnn_transpose(webnn_onnx__b(c), x, &o);
}

/* Dimension `from` moved to place `to`, the others in order. */
static webnn_onnx__o *webnn_onnx__move_axis(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t from,
                                            uint32_t to) {
  webnn_list permutation = webnn_onnx__axes_from(0, webnn_onnx__sizes(x).count);
  permutation = webnn_extra__inserted(webnn_extra__removed(permutation, from), to, from);
  return webnn_onnx__transpose(c, x, permutation);
}

/* `size` elements along an axis whose size is known, where others are dynamic: one of the parts
   into which it is split. */
static webnn_onnx__o *webnn_onnx__part(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                       uint32_t start, uint32_t size) {
  const uint32_t whole = webnn_onnx__sizes(x).items[axis % WEBNN_MAX_RANK];
  webnn_split_options o = WEBNN_ZERO;
  webnn_onnx__o *parts[3] = {NULL, NULL, NULL};
  uint32_t sizes[3], count = 0, at = 0;
  if (webnn_onnx__is_open(whole) || start > whole || size > whole - start) {
    return webnn_onnx__no_operand(c, "a slice of dimension %u needs its size, which is dynamic",
                                  axis);
  }
  if (start != 0) {
    sizes[count++] = start;
    at = 1;
  }
  sizes[count++] = size;
  if (start + size != whole) {
    sizes[count++] = whole - start - size;
  }
  o.label = c->node->name;
  o.axis = axis;
  (void)webnn_split_sizes(webnn_onnx__b(c), x, sizes, count, &o, parts);
  return parts[at];
}

/* `size` elements along one axis. */
static webnn_onnx__o *webnn_onnx__slice(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                        uint32_t start, uint32_t size) {
  webnn_list sizes = webnn_onnx__sizes(x), starts = webnn_extra__repeat(0, sizes.count);
  webnn_slice_options o = WEBNN_ZERO;
  o.label = c->node->name;
  if (x == NULL || (axis < sizes.count && sizes.items[axis] == size)) {
    return x;
  }
  if (webnn_onnx__has_open(sizes)) {
    return webnn_onnx__part(c, x, axis, start, size);
  }
  starts.items[axis % WEBNN_MAX_RANK] = start;
  sizes.items[axis % WEBNN_MAX_RANK] = size;
  return webnn_slice(webnn_onnx__b(c), x, starts, sizes, &o);
}

/* Room for a list of operands; NULL: the call has failed. */
static webnn_onnx__o **webnn_onnx__operands(webnn_onnx__call *c, size_t count) {
  return (webnn_onnx__o **)webnn_onnx__take(c, count + 1, sizeof(webnn_onnx__o *));
}

/* Operands one after the other; a single one is the result itself. */
static webnn_onnx__o *webnn_onnx__concat(webnn_onnx__call *c, webnn_onnx__o *const *x, size_t count,
                                         uint32_t axis) {
  const webnn_operator_options o = webnn_onnx__label(c);
  return count == 1 ? x[0] : webnn_concat(webnn_onnx__b(c), x, count, axis, &o);
}

static webnn_onnx__o *webnn_onnx__concat2(webnn_onnx__call *c, webnn_onnx__o *x, webnn_onnx__o *y,
                                          uint32_t axis) {
  webnn_onnx__o *both[] = {x, y};
  return webnn_onnx__concat(c, both, 2, axis);
}

/* A constant in a list of float32 or int64. */
static webnn_onnx__o *webnn_onnx__constant(webnn_onnx__call *c, webnn_data_type type,
                                           webnn_list shape, const void *data) {
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  descriptor.data_type = type;
  descriptor.shape = shape;
  return webnn_constant(webnn_onnx__b(c), descriptor, data, (size_t)webnn_byte_length(descriptor));
}

/* `count` sizes of x from dimension `begin` on, as int64 [count]. */
static webnn_onnx__o *webnn_onnx__sizes_from(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t begin,
                                             uint32_t count) {
  const webnn_operator_options o = webnn_onnx__label(c);
  x = webnn_onnx__slice(c, webnn_shape(webnn_onnx__b(c), x, &o), 0, begin, count);
  return webnn_onnx__cast(c, x, WEBNN_INT64);
}

/* Has the shape a dynamic dimension without a name? */
static bool webnn_onnx__is_nameless(webnn_list shape) {
  const uint32_t count = shape.count < WEBNN_MAX_RANK ? shape.count : WEBNN_MAX_RANK;
  uint32_t i;
  for (i = 0; i < count && shape.items[i] != WEBNN_DYNAMIC_DIMENSION; i++) {
  }
  return i < count;
}

/* A shape as int64 [rank]: its dynamic dimensions are those of x, in the same order where they have
   no name. */
static webnn_onnx__o *webnn_onnx__sizes_like(webnn_onnx__call *c, webnn_onnx__o *x,
                                             webnn_list shape) {
  const webnn_list from = webnn_onnx__sizes(x);
  webnn_onnx__o *parts[WEBNN_MAX_RANK];
  uint32_t i, d, next = 0;
  for (i = 0; i < shape.count && i < WEBNN_MAX_RANK; i++) {
    const int64_t size = shape.items[i];
    if (!webnn_onnx__is_open(size)) {
      parts[i] = webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__list1(1), &size);
      continue;
    }
    d = shape.items[i] == WEBNN_DYNAMIC_DIMENSION ? next : 0;
    while (d < from.count && from.items[d] != shape.items[i]) {
      d++;
    }
    if (d == from.count) {
      return webnn_onnx__no_operand(c, "dimension %u, which is dynamic, must be known", i);
    }
    next = shape.items[i] == WEBNN_DYNAMIC_DIMENSION ? d + 1 : next;
    parts[i] = webnn_onnx__sizes_from(c, x, d, 1);
  }
  return webnn_onnx__concat(c, parts, shape.count, 0);
}

/* x in another shape, of which `like` has the dynamic dimensions without a name. */
static webnn_onnx__o *webnn_onnx__reshape_like(webnn_onnx__call *c, webnn_onnx__o *x,
                                               webnn_list shape, webnn_onnx__o *like) {
  const webnn_operator_options o = webnn_onnx__label(c);
  return webnn_onnx__is_nameless(shape)
             ? webnn_reshape_dynamic(webnn_onnx__b(c), x, webnn_onnx__sizes_like(c, like, shape),
                                     &o)
             : webnn_reshape(webnn_onnx__b(c), x, shape, &o);
}

/* x in another shape, whose dynamic dimensions x has. */
static webnn_onnx__o *webnn_onnx__reshape(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list shape) {
  return x == NULL || webnn_extra__same_list(webnn_onnx__sizes(x), shape)
             ? x
             : webnn_onnx__reshape_like(c, x, shape, x);
}

/* x reshaped to one to four dimensions. */
static webnn_onnx__o *webnn_onnx__as1(webnn_onnx__call *c, webnn_onnx__o *x, uint64_t a) {
  return webnn_onnx__reshape(c, x, webnn_extra__list1(a));
}

static webnn_onnx__o *webnn_onnx__as2(webnn_onnx__call *c, webnn_onnx__o *x, uint64_t a,
                                      uint64_t b) {
  return webnn_onnx__reshape(c, x, webnn_extra__list2(a, b));
}

static webnn_onnx__o *webnn_onnx__as3(webnn_onnx__call *c, webnn_onnx__o *x, uint64_t a, uint64_t b,
                                      uint64_t d) {
  return webnn_onnx__reshape(c, x, webnn_extra__list3(a, b, d));
}

static webnn_onnx__o *webnn_onnx__as4(webnn_onnx__call *c, webnn_onnx__o *x, uint64_t a, uint64_t b,
                                      uint64_t d, uint64_t e) {
  return webnn_onnx__reshape(c, x, webnn_extra__list4(a, b, d, e));
}

/* x expanded to a shape, of which `like` has the dynamic dimensions without a name. */
static webnn_onnx__o *webnn_onnx__expand_like(webnn_onnx__call *c, webnn_onnx__o *x,
                                              webnn_list shape, webnn_onnx__o *like) {
  const webnn_operator_options o = webnn_onnx__label(c);
  if (x != NULL && webnn_extra__same_list(webnn_onnx__sizes(x), shape)) {
    return x;
  }
  return webnn_onnx__is_nameless(shape)
             ? webnn_expand_dynamic(webnn_onnx__b(c), x, webnn_onnx__sizes_like(c, like, shape), &o)
             : webnn_expand(webnn_onnx__b(c), x, shape, &o);
}

static webnn_onnx__o *webnn_onnx__expand(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list shape) {
  return webnn_onnx__expand_like(c, x, shape, x);
}

static webnn_onnx__o *webnn_onnx__gather(webnn_onnx__call *c, webnn_onnx__o *x,
                                         webnn_onnx__o *indices, uint32_t axis) {
  webnn_gather_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.axis = axis;
  return x == NULL ? x : webnn_gather(webnn_onnx__b(c), x, indices, &o);
}

static webnn_onnx__o *webnn_onnx__gather_elements(webnn_onnx__call *c, webnn_onnx__o *x,
                                                  webnn_onnx__o *indices, uint32_t axis) {
  webnn_gather_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.axis = axis;
  return webnn_gather_elements(webnn_onnx__b(c), x, indices, &o);
}

static webnn_onnx__o *webnn_onnx__scatter(webnn_onnx__call *c, webnn_onnx__o *x,
                                          webnn_onnx__o *indices, webnn_onnx__o *updates,
                                          uint32_t axis) {
  webnn_scatter_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.axis = axis;
  return webnn_scatter_elements(webnn_onnx__b(c), x, indices, updates, &o);
}

static webnn_onnx__o *webnn_onnx__softmax(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis) {
  const webnn_operator_options o = webnn_onnx__label(c);
  return webnn_softmax(webnn_onnx__b(c), x, axis, &o);
}

static webnn_onnx__o *webnn_onnx__reversed(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list axes) {
  webnn_reverse_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.axes = axes;
  return axes.count == 0 ? x : webnn_reverse(webnn_onnx__b(c), x, &o);
}

/* Memory for the elements of a constant, zero, to be freed. After a failure it is NULL, and *count
   0: a loop over the elements ends before it begins. */
static void *webnn_onnx__scratch(webnn_onnx__call *c, uint64_t *count, size_t size) {
  void *memory = NULL;
  if (webnn_onnx__failed(c)) {
    *count = 0;
  } else if (*count > WEBNN_ONNX__MOST_ELEMENTS) {
    (void)webnn_onnx__fail(c, "a constant must have at most %d elements; it would have %llu",
                           WEBNN_ONNX__MOST_ELEMENTS, (unsigned long long)*count);
  } else {
    memory = calloc((size_t)*count + 1, size);
    (void)(memory != NULL || webnn_onnx__out_of_memory(c->import));
  }
  *count = memory == NULL ? 0 : *count;
  return memory;
}

/* Memory of the import for *count elements and one more, zero, with the same *count. */
static void *webnn_onnx__room(webnn_onnx__call *c, size_t *count, size_t size) {
  void *memory = webnn_onnx__take(c, *count + 1, size);
  *count = memory == NULL ? 0 : *count;
  return memory;
}

/* A constant of such memory, which is freed; NULL: there is none. */
static webnn_onnx__o *webnn_onnx__constant_of(webnn_onnx__call *c, webnn_data_type type,
                                              webnn_list shape, void *memory) {
  webnn_onnx__o *x = memory == NULL ? NULL : webnn_onnx__constant(c, type, shape, memory);
  free(memory);
  return x;
}

/* 0, step, 2 step, ... as int64 [count]. */
static webnn_onnx__o *webnn_onnx__iota(webnn_onnx__call *c, uint32_t count, int64_t step) {
  uint64_t room = count, i;
  int64_t *items = (int64_t *)webnn_onnx__scratch(c, &room, sizeof *items);
  for (i = 0; i < room; i++) {
    items[i] = (int64_t)i * step;
  }
  return webnn_onnx__constant_of(c, WEBNN_INT64, webnn_extra__list1(count), items);
}

/* A list of shape [n] as one of `rank` dimensions that lies along `axis`. */
static webnn_onnx__o *webnn_onnx__along(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t rank,
                                        uint32_t axis) {
  const webnn_list from = webnn_onnx__sizes(x);
  webnn_list shape = webnn_extra__repeat(1, rank);
  shape.items[axis % WEBNN_MAX_RANK] =
      from.count == 1 ? from.items[0] : (uint32_t)webnn_onnx__count_of(from);
  return from.count != 1 && webnn_onnx__has_open(from)
             ? webnn_onnx__no_operand(c, "a list must have 1 dimension, not the shape %s",
                                      webnn_onnx__show_shape(from).text)
             : webnn_onnx__reshape(c, x, shape);
}

/* 0, step, 2 step, ... as int64 of `rank` dimensions that lie along `axis`. */
static webnn_onnx__o *webnn_onnx__iota_along(webnn_onnx__call *c, uint32_t count, int64_t step,
                                             uint32_t rank, uint32_t axis) {
  return webnn_onnx__along(c, webnn_onnx__iota(c, count, step), rank, axis);
}

/* The size of a dimension of x, as int64 []. */
static webnn_onnx__o *webnn_onnx__size_of(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t d) {
  const uint32_t size = webnn_onnx__sizes(x).items[d % WEBNN_MAX_RANK];
  return webnn_onnx__is_open(size)
             ? webnn_onnx__reshape(c, webnn_onnx__sizes_from(c, x, d, 1), webnn_extra__no_items())
             : webnn_onnx__number(c, WEBNN_INT64, size);
}

/* 0, 1, 2, ... as many as dimension d of x says, as int64 of `rank` dimensions that lie along
   `axis`. */
static webnn_onnx__o *webnn_onnx__places_of(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t d,
                                            uint32_t rank, uint32_t axis) {
  const webnn_operator_options o = webnn_onnx__label(c);
  const uint32_t size = webnn_onnx__sizes(x).items[d % WEBNN_MAX_RANK];
  if (!webnn_onnx__is_open(size)) {
    return webnn_onnx__iota_along(c, size, 1, rank, axis);
  }
  x = webnn_range(webnn_onnx__b(c), webnn_onnx__number(c, WEBNN_INT64, 0),
                  webnn_onnx__size_of(c, x, d), webnn_onnx__number(c, WEBNN_INT64, 1), &o);
  return webnn_onnx__along(c, x, rank, axis);
}

/* A reduction along axes that are kept as 1, or removed. */
static webnn_onnx__o *webnn_onnx__reduce(webnn_onnx__call *c, webnn_op op, webnn_onnx__o *x,
                                         webnn_list axes, bool keep) {
  const struct {
    webnn_op op;
    webnn_onnx__o *(*method)(webnn_builder *, webnn_onnx__o *, const webnn_reduce_options *);
  } table[] = {
      {WEBNN_OP_REDUCE_L1, webnn_reduce_l1},
      {WEBNN_OP_REDUCE_L2, webnn_reduce_l2},
      {WEBNN_OP_REDUCE_LOG_SUM, webnn_reduce_log_sum},
      {WEBNN_OP_REDUCE_LOG_SUM_EXP, webnn_reduce_log_sum_exp},
      {WEBNN_OP_REDUCE_MAX, webnn_reduce_max},
      {WEBNN_OP_REDUCE_MEAN, webnn_reduce_mean},
      {WEBNN_OP_REDUCE_MIN, webnn_reduce_min},
      {WEBNN_OP_REDUCE_PRODUCT, webnn_reduce_product},
      {WEBNN_OP_REDUCE_SUM, webnn_reduce_sum},
      {WEBNN_OP_REDUCE_SUM_SQUARE, webnn_reduce_sum_square},
  };
  webnn_reduce_options o = WEBNN_ZERO;
  webnn_builder *b = webnn_onnx__b(c);
  size_t i;
  o.label = c->node->name;
  o.axes = axes;
  o.keep_dimensions = keep;
  for (i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].op == op) {
      return table[i].method(b, x, &o);
    }
  }
  return NULL;
}

/* Pads each dimension. */
static webnn_onnx__o *webnn_onnx__pad(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list begin,
                                      webnn_list end, webnn_padding_mode mode, webnn_number value) {
  webnn_pad_options o = WEBNN_ZERO;
  uint32_t i;
  bool some = false;
  o.label = c->node->name;
  o.mode = mode;
  o.value = value;
  for (i = 0; i < begin.count && i < WEBNN_MAX_RANK; i++) {
    some = some || begin.items[i] != 0 || end.items[i] != 0;
  }
  return some ? webnn_pad(webnn_onnx__b(c), x, begin, end, &o) : x;
}

/* x times a number. */
static webnn_onnx__o *webnn_onnx__scaled(webnn_onnx__call *c, webnn_onnx__o *x, double factor) {
  return factor == 1 ? x : webnn_onnx__mul(c, x, webnn_onnx__like(c, x, factor));
}

/* x plus a number. */
static webnn_onnx__o *webnn_onnx__plus(webnn_onnx__call *c, webnn_onnx__o *x, double number) {
  return webnn_onnx__add(c, x, webnn_onnx__like(c, x, number));
}

/* x plus input i, if there is one. */
static webnn_onnx__o *webnn_onnx__plus_input(webnn_onnx__call *c, webnn_onnx__o *x, size_t i) {
  return webnn_onnx__has(c, i) ? webnn_onnx__add(c, x, webnn_onnx__x(c, i)) : x;
}

/* Integers of 16 bits are held in 32; results are brought back into their range. */
static webnn_onnx__o *webnn_onnx__wrapped(webnn_onnx__call *c, webnn_onnx__o *x,
                                          webnn_onnx_type type) {
  const bool narrow = type == WEBNN_ONNX_INT16 || type == WEBNN_ONNX_UINT16;
  return narrow ? webnn_extra_wrapped(webnn_onnx__extra(c), x, 16) : x;
}

static size_t webnn_onnx__max_iterations(const webnn_onnx__call *c) {
  const uint32_t limit = c->import->model->options.max_iterations;
  return limit == 0 ? 1024 : limit;
}

/* ---- 8 element by element -------------------------------------------------------------------- */

static bool webnn_onnx__is_unsigned(const webnn_onnx__o *x) {
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  return type == WEBNN_UINT8 || type == WEBNN_UINT32 || type == WEBNN_UINT64;
}

static bool webnn_onnx__lower_unary(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y;
  const webnn_op op = (webnn_op)c->row->detail;
  if (webnn_onnx__is_unsigned(x) && (op == WEBNN_OP_ABS || op == WEBNN_OP_RELU)) {
    return webnn_onnx__put(c, 0, x);
  }
  if (webnn_onnx__is_unsigned(x) && op == WEBNN_OP_SIGN) {
    return webnn_onnx__put(c, 0, webnn_onnx__min(c, x, webnn_onnx__like(c, x, 1)));
  }
  y = webnn_onnx__wrapped(c, webnn_onnx__1(c, op, x), webnn_onnx__type(c, 0));
  if (op == WEBNN_OP_LOGICAL_NOT || op == WEBNN_OP_IS_NAN) {
    return webnn_onnx__put_as(c, 0, y, WEBNN_ONNX_BOOL);
  }
  return webnn_onnx__put(c, 0, y);
}

/* Before version 7 the second operand was aligned to an axis of the first. */
static webnn_onnx__o *webnn_onnx__aligned(webnn_onnx__call *c, webnn_onnx__o *y) {
  webnn_list shape = webnn_onnx__sizes(y);
  const uint32_t rank = webnn_onnx__shape(c, 0).count;
  uint32_t axis;
  if (c->version >= 7 || !webnn_onnx__flag(c, "broadcast") ||
      !webnn_onnx__has_attribute(c, "axis")) {
    return y;
  }
  axis = webnn_onnx__axis_of(c, "axis", 0, rank);
  while (shape.count < rank && axis + shape.count < rank) {
    shape = webnn_extra__inserted(shape, shape.count, 1);
  }
  return webnn_onnx__reshape(c, y, shape);
}

static bool webnn_onnx__is_comparison(webnn_op op) {
  return op >= WEBNN_OP_EQUAL && op <= WEBNN_OP_LOGICAL_XOR;
}

static bool webnn_onnx__lower_binary(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y = webnn_onnx__x(c, 1), *z;
  const webnn_op op = (webnn_op)c->row->detail;
  z = webnn_onnx__2(c, op, x, webnn_onnx__aligned(c, y));
  if (webnn_onnx__is_comparison(op)) {
    return webnn_onnx__put_as(c, 0, z, WEBNN_ONNX_BOOL);
  }
  return webnn_onnx__put(c, 0, webnn_onnx__wrapped(c, z, webnn_onnx__type(c, 0)));
}

/* Max, Min, Sum and Mean of any number of operands. */
static bool webnn_onnx__lower_variadic(webnn_onnx__call *c) {
  webnn_onnx__o *y = webnn_onnx__x(c, 0);
  const bool mean = c->row->detail == WEBNN_OP_REDUCE_MEAN;
  const webnn_op op = mean ? WEBNN_OP_ADD : (webnn_op)c->row->detail;
  size_t i;
  for (i = 1; i < c->in_count; i++) {
    y = webnn_onnx__2(c, op, y, webnn_onnx__x(c, i));
  }
  if (mean) {
    y = webnn_onnx__div(c, y, webnn_onnx__like(c, y, (double)c->in_count));
  }
  return webnn_onnx__put(c, 0, y);
}

/* An integer to a power that is a float: exact where that is a whole number,
   and else by float32. */
static webnn_onnx__o *webnn_onnx__integer_power(webnn_onnx__call *c, webnn_onnx__o *x,
                                                webnn_onnx__o *y) {
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  webnn_onnx__o *f = webnn_onnx__cast(c, y, WEBNN_FLOAT32), *whole = webnn_onnx__cast(c, f, type);
  webnn_onnx__o *same = webnn_onnx__equal(c, webnn_onnx__cast(c, whole, WEBNN_FLOAT32), f);
  whole = webnn_onnx__pow(c, x, whole);
  f = webnn_onnx__pow(c, webnn_onnx__cast(c, x, WEBNN_FLOAT32), f);
  return webnn_onnx__select(c, same, whole, webnn_onnx__cast(c, f, type));
}

static bool webnn_onnx__lower_pow(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y = webnn_onnx__x(c, 1);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  y = webnn_onnx__aligned(c, y);
  if (!webnn_onnx__floating(x) && webnn_onnx__floating(y)) {
    x = webnn_onnx__integer_power(c, x, y);
  } else {
    if (type == WEBNN_FLOAT16 && webnn_onnx__graph_type_of(y) != type) { /* y is no float16 */
      x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
    }
    y = webnn_onnx__cast(c, y, webnn_onnx__graph_type_of(x));
    x = webnn_onnx__cast(c, webnn_onnx__pow(c, x, y), type);
  }
  return webnn_onnx__put(c, 0, webnn_onnx__wrapped(c, x, webnn_onnx__type(c, 0)));
}

/* The remainder has the sign of the dividend (fmod) or of the divisor. */
static bool webnn_onnx__lower_mod(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y = webnn_onnx__x(c, 1), *r, *zero, *other;
  const bool fmod_ = webnn_onnx__flag(c, "fmod");
  if (webnn_onnx__floating(x)) {
    const webnn_data_type type = webnn_onnx__graph_type_of(x);
    r = webnn_extra_remainder(webnn_onnx__extra(c), webnn_onnx__cast(c, x, WEBNN_FLOAT32),
                              webnn_onnx__cast(c, y, WEBNN_FLOAT32));
    r = webnn_onnx__cast(c, r, type);
  } else {
    r = webnn_onnx__sub(c, x, webnn_onnx__mul(c, y, webnn_onnx__div(c, x, y)));
  }
  if (!fmod_ && !webnn_onnx__is_unsigned(x)) {
    zero = webnn_onnx__like(c, x, 0);
    other = webnn_onnx__not_equal(c, webnn_onnx__less(c, r, zero), webnn_onnx__less(c, y, zero));
    other = webnn_onnx__logical_and(c, other, webnn_onnx__not_equal(c, r, zero));
    r = webnn_onnx__select(c, other, webnn_onnx__add(c, r, y), r);
  }
  return webnn_onnx__put(c, 0, r);
}

static bool webnn_onnx__lower_shift(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y = webnn_onnx__x(c, 1);
  const bool left = webnn_onnx__word(c, "direction", "", "LEFT|RIGHT") == 0;
  x = webnn_extra_shift(webnn_onnx__extra(c), x, y, left);
  return webnn_onnx__put(c, 0, webnn_onnx__wrapped(c, x, webnn_onnx__type(c, 0)));
}

static bool webnn_onnx__lower_bitwise_not(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_extra_not(webnn_onnx__extra(c), webnn_onnx__x(c, 0));
  return webnn_onnx__put(c, 0, webnn_onnx__wrapped(c, x, webnn_onnx__type(c, 0)));
}

/* And, or, exclusive or. */
static bool webnn_onnx__lower_bitwise(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 0, WEBNN_MAX_RANK - 1);
  webnn_onnx__o *y = webnn_onnx__ranked(c, 1, 0, WEBNN_MAX_RANK - 1);
  if (webnn_data_type_bits(webnn_onnx__graph_type_of(x)) < 8 || webnn_onnx__floating(x)) {
    return webnn_onnx__fail(c, "input 0 must be of integers of 8 bits or more; it is of %s",
                            webnn_onnx_type_name(webnn_onnx__type(c, 0)));
  }
  x = webnn_extra_bits(webnn_onnx__extra(c), (webnn_extra_bitwise)c->row->detail, x, y);
  return webnn_onnx__put(c, 0, webnn_onnx__wrapped(c, x, webnn_onnx__type(c, 0)));
}

static bool webnn_onnx__lower_is_inf(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y = webnn_onnx__1(c, WEBNN_OP_IS_INFINITE, x), *side;
  const bool negative = webnn_onnx__int(c, "detect_negative", 1) != 0;
  const bool positive = webnn_onnx__int(c, "detect_positive", 1) != 0;
  if (!negative || !positive) {
    side = negative   ? webnn_onnx__less(c, x, webnn_onnx__like(c, x, 0))
           : positive ? webnn_onnx__less(c, webnn_onnx__like(c, x, 0), x)
                      : webnn_onnx__number(c, WEBNN_UINT8, 0);
    y = webnn_onnx__logical_and(c, y, side);
  }
  return webnn_onnx__put_as(c, 0, y, WEBNN_ONNX_BOOL);
}

/* A bound of Clip, `absent` where it is not known. */
static double webnn_onnx__bound(webnn_onnx__call *c, size_t i, const char *name, double absent,
                                bool *known) {
  *known = c->version < 11 ? webnn_onnx__has_attribute(c, name) : webnn_onnx__is_constant(c, i);
  return !*known           ? absent
         : c->version < 11 ? webnn_onnx__float(c, name, 0)
                           : webnn_onnx__scalar(c, i);
}

/* The bounds of Clip, where they are constants, as a clamp. */
static webnn_onnx__o *webnn_onnx__clamp(webnn_onnx__call *c, webnn_onnx__o *x, double low,
                                        double high) {
  webnn_clamp_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.min_value = webnn_f64(low);
  o.max_value = webnn_f64(high);
  return webnn_clamp(webnn_onnx__b(c), x, &o);
}

/* Where the bounds are crossed the upper one wins: max comes before min. A bound that is not given
   is the largest finite number of the type, which an infinity becomes. */
static bool webnn_onnx__lower_clip(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  bool low_known, high_known, low_given, high_given, floating;
  const webnn_onnx_type type = webnn_onnx__type(c, 0);
  const double most = type == WEBNN_ONNX_FLOAT16    ? 65504
                      : type == WEBNN_ONNX_BFLOAT16 ? 3.3895313892515355e38
                                                    : 3.4028234663852886e38;
  double low = webnn_onnx__bound(c, 1, "min", -most, &low_known);
  const double high = webnn_onnx__bound(c, 2, "max", most, &high_known);
  low_given = c->version >= 11 && webnn_onnx__has(c, 1);
  high_given = c->version >= 11 && webnn_onnx__has(c, 2);
  floating = webnn_onnx__floating(x);
  if (c->version < 11 && low > high) {
    low = high;
  }
  if (floating && low <= high && (low_known || !low_given) && (high_known || !high_given)) {
    return webnn_onnx__put(c, 0, webnn_onnx__clamp(c, x, low, high));
  }
  if (low_given || floating) {
    x = webnn_onnx__max(c, x, low_given ? webnn_onnx__x(c, 1) : webnn_onnx__like(c, x, low));
  }
  if (high_given || floating) {
    x = webnn_onnx__min(c, x, high_given ? webnn_onnx__x(c, 2) : webnn_onnx__like(c, x, high));
  }
  return webnn_onnx__put(c, 0, x);
}

static webnn_onnx__o *webnn_onnx__elu(webnn_onnx__call *c, webnn_onnx__o *x, double alpha) {
  webnn_elu_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.alpha = webnn_f64(alpha);
  return webnn_elu(webnn_onnx__b(c), x, &o);
}

/* max(x, 0) + min(alpha (exp(x / alpha) - 1), 0), which is an elu where alpha is above 0. */
static webnn_onnx__o *webnn_onnx__celu(webnn_onnx__call *c, webnn_onnx__o *x, double alpha) {
  webnn_onnx__o *zero = webnn_onnx__like(c, x, 0), *y;
  if (alpha > 0) {
    y = webnn_onnx__elu(c, webnn_onnx__scaled(c, x, 1 / alpha), 1);
    return webnn_onnx__scaled(c, y, alpha);
  }
  y = webnn_onnx__exp(c, webnn_onnx__div(c, x, webnn_onnx__like(c, x, alpha)));
  y = webnn_onnx__scaled(c, webnn_onnx__plus(c, y, -1), alpha);
  return webnn_onnx__add(c, webnn_onnx__max(c, x, zero), webnn_onnx__min(c, y, zero));
}

static webnn_onnx__o *webnn_onnx__hard_sigmoid(webnn_onnx__call *c, webnn_onnx__o *x, double alpha,
                                               double beta) {
  webnn_hard_sigmoid_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.alpha = webnn_f64(alpha);
  o.beta = webnn_f64(beta);
  return webnn_hard_sigmoid(webnn_onnx__b(c), x, &o);
}

static webnn_onnx__o *webnn_onnx__leaky_relu(webnn_onnx__call *c, webnn_onnx__o *x, double alpha) {
  webnn_leaky_relu_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.alpha = webnn_f64(alpha);
  return webnn_leaky_relu(webnn_onnx__b(c), x, &o);
}

/* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 */
static webnn_onnx__o *webnn_onnx__tanh_gelu(webnn_onnx__call *c, webnn_onnx__o *x) {
  webnn_onnx__o *y = webnn_onnx__mul(c, x, webnn_onnx__mul(c, x, x));
  y = webnn_onnx__add(c, x, webnn_onnx__scaled(c, y, 0.044715));
  y = webnn_onnx__tanh(c, webnn_onnx__scaled(c, y, 0.7978845608028654));
  return webnn_onnx__mul(c, webnn_onnx__scaled(c, x, 0.5), webnn_onnx__plus(c, y, 1));
}

/* x sigmoid(alpha x) */
static webnn_onnx__o *webnn_onnx__swish(webnn_onnx__call *c, webnn_onnx__o *x, double alpha) {
  return webnn_onnx__mul(c, x, webnn_onnx__sigmoid(c, webnn_onnx__scaled(c, x, alpha)));
}

/* x plus a number, cut towards zero where x is an integer, whose type may be unsigned. */
static webnn_onnx__o *webnn_onnx__shifted(webnn_onnx__call *c, webnn_onnx__o *x, double number) {
  const double low = webnn_onnx__floor(number), high = webnn_onnx__ceil(number);
  webnn_onnx__o *positive;
  if (webnn_onnx__floating(x)) {
    return webnn_onnx__plus(c, x, number);
  }
  if (low == high) {
    return low < 0 ? webnn_onnx__sub(c, x, webnn_onnx__like(c, x, -low))
                   : webnn_onnx__plus(c, x, low);
  }
  positive = webnn_onnx__greater_or_equal(c, x, webnn_onnx__like(c, x, -low));
  return webnn_onnx__select(c, positive, webnn_onnx__shifted(c, x, low),
                            webnn_onnx__shifted(c, x, high));
}

/* x moved towards zero by bias where it is beyond lambda, else 0. Below -lambda comes first, where
   lambda is negative. Integers are moved as such, exactly. */
static webnn_onnx__o *webnn_onnx__shrink(webnn_onnx__call *c, webnn_onnx__o *x, double lambda,
                                         double bias) {
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  const bool floating = webnn_onnx__floating(x);
  webnn_onnx__o *zero, *up, *down, *y;
  if (!floating && (!(webnn_onnx__magnitude(bias) < 4503599627370496.0) || lambda != lambda)) {
    return webnn_onnx__no_operand(
        c,
        "attribute bias (%g) must be less than 2^52 in magnitude and attribute "
        "lambd (%g) not NaN, since input 0 is of integers",
        bias, lambda);
  }
  x = floating || type == WEBNN_UINT64 ? x : webnn_onnx__cast(c, x, WEBNN_INT64);
  zero = webnn_onnx__like(c, x, 0);
  up =
      webnn_onnx__less(c, webnn_onnx__like(c, x, floating ? lambda : webnn_onnx__floor(lambda)), x);
  down = webnn_onnx__less(c, x,
                          webnn_onnx__like(c, x, floating ? -lambda : webnn_onnx__ceil(-lambda)));
  y = webnn_onnx__select(c, up, webnn_onnx__shifted(c, x, -bias), zero);
  y = webnn_onnx__select(c, down, webnn_onnx__shifted(c, x, bias), y);
  return webnn_onnx__wrapped(c, webnn_onnx__cast(c, y, type), webnn_onnx__type(c, 0));
}

enum {
  WEBNN_ONNX__ELU,
  WEBNN_ONNX__CELU,
  WEBNN_ONNX__SELU,
  WEBNN_ONNX__LEAKY_RELU,
  WEBNN_ONNX__HARD_SIGMOID,
  WEBNN_ONNX__THRESHOLDED_RELU,
  WEBNN_ONNX__MISH,
  WEBNN_ONNX__GELU,
  WEBNN_ONNX__FAST_GELU,
  WEBNN_ONNX__QUICK_GELU,
  WEBNN_ONNX__SWISH,
  WEBNN_ONNX__SHRINK
};

static bool webnn_onnx__lower_activation(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y = NULL;
  const bool first = c->version < 6; /* with shorter numbers */
  const double selu = first ? 1.6732 : 1.67326319217681884765625;
  const double gamma = first ? 1.0507 : 1.05070102214813232421875;
  x = webnn_onnx__plus_input(c, x, 1); /* the bias of BiasGelu and FastGelu */
  switch (c->row->detail) {
  case WEBNN_ONNX__ELU:
    y = webnn_onnx__elu(c, x, webnn_onnx__float(c, "alpha", 1));
    break;
  case WEBNN_ONNX__CELU:
    y = webnn_onnx__celu(c, x, webnn_onnx__float(c, "alpha", 1));
    break;
  case WEBNN_ONNX__SELU:
    y = webnn_onnx__elu(c, x, webnn_onnx__float(c, "alpha", selu));
    y = webnn_onnx__scaled(c, y, webnn_onnx__float(c, "gamma", gamma));
    break;
  case WEBNN_ONNX__LEAKY_RELU:
    y = webnn_onnx__leaky_relu(c, x, webnn_onnx__float(c, "alpha", 0.01));
    break;
  case WEBNN_ONNX__HARD_SIGMOID:
    y = webnn_onnx__hard_sigmoid(c, x, webnn_onnx__float(c, "alpha", 0.2),
                                 webnn_onnx__float(c, "beta", 0.5));
    break;
  case WEBNN_ONNX__THRESHOLDED_RELU:
    y = webnn_onnx__less(c, webnn_onnx__like(c, x, webnn_onnx__float(c, "alpha", 1)), x);
    y = webnn_onnx__select(c, y, x, webnn_onnx__like(c, x, 0));
    break;
  case WEBNN_ONNX__MISH:
    y = webnn_onnx__tanh(c, webnn_onnx__1(c, WEBNN_OP_SOFTPLUS, x));
    y = webnn_onnx__mul(c, x, y);
    break;
  case WEBNN_ONNX__GELU:
    y = strcmp(webnn_onnx__string(c, "approximate", "none"), "tanh") == 0
            ? webnn_onnx__tanh_gelu(c, x)
            : webnn_onnx__1(c, WEBNN_OP_GELU, x);
    break;
  case WEBNN_ONNX__FAST_GELU:
    y = webnn_onnx__tanh_gelu(c, x);
    break;
  case WEBNN_ONNX__QUICK_GELU:
    y = webnn_onnx__swish(c, x, webnn_onnx__float(c, "alpha", 1.702));
    break;
  case WEBNN_ONNX__SWISH:
    y = webnn_onnx__swish(c, x, webnn_onnx__float(c, "alpha", 1));
    break;
  case WEBNN_ONNX__SHRINK:
    y = webnn_onnx__shrink(c, x, webnn_onnx__float(c, "lambd", 0.5),
                           webnn_onnx__float(c, "bias", 0));
    break;
  default:
    break;
  }
  return webnn_onnx__put(c, 0, y);
}

/* A gate and what goes through it: swish(a) b. */
static bool webnn_onnx__lower_swiglu(webnn_onnx__call *c) {
  webnn_onnx__o *a = webnn_onnx__x(c, 0), *b = webnn_onnx__x(c, 1);
  if (!webnn_extra__same_list(webnn_onnx__sizes(a), webnn_onnx__sizes(b))) {
    return webnn_onnx__fail(c, "input 1 shape %s must be that of input 0 (%s)",
                            webnn_onnx__show_shape(webnn_onnx__sizes(b)).text,
                            webnn_onnx__show_shape(webnn_onnx__sizes(a)).text);
  }
  a = webnn_onnx__swish(c, a, webnn_onnx__float(c, "alpha", 1));
  return webnn_onnx__put(c, 0, webnn_onnx__mul(c, a, b));
}

static bool webnn_onnx__lower_prelu(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *slope = webnn_onnx__x(c, 1);
  const webnn_list shape = webnn_onnx__sizes(x), s = webnn_onnx__sizes(slope);
  if (webnn_onnx__is_unsigned(x)) { /* nothing is below 0 */
    return webnn_onnx__put_input(c, 0, 0);
  }
  if (c->version < 7 && s.count == 1 && shape.count > 1) { /* one slope for each channel */
    slope = webnn_onnx__along(c, slope, shape.count, 1);
  }
  return webnn_onnx__put(c, 0, webnn_onnx__2(c, WEBNN_OP_PRELU, x, slope));
}

/* ---- 8.1 functions that WebNN lacks. */

enum {
  WEBNN_ONNX__ACOS,
  WEBNN_ONNX__ACOSH,
  WEBNN_ONNX__ASIN,
  WEBNN_ONNX__ASINH,
  WEBNN_ONNX__ATAN,
  WEBNN_ONNX__ATANH,
  WEBNN_ONNX__COSH,
  WEBNN_ONNX__SINH
};

/* float16 is too narrow for the steps. */
static bool webnn_onnx__lower_function(webnn_onnx__call *c) {
  static webnn_onnx__o *(*const functions[])(webnn_extra, webnn_onnx__o *) = {
      webnn_extra_acos, webnn_extra_acosh, webnn_extra_asin, webnn_extra_asinh,
      webnn_extra_atan, webnn_extra_atanh, webnn_extra_cosh, webnn_extra_sinh};
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  x = functions[c->row->detail](webnn_onnx__extra(c), webnn_onnx__cast(c, x, WEBNN_FLOAT32));
  return webnn_onnx__put(c, 0, webnn_onnx__cast(c, x, type));
}

/* ---- 8.2 types. */

/* Numbers as floats of 8 or 4 bits. */
static webnn_onnx__o *webnn_onnx__as_minifloat(webnn_onnx__call *c, webnn_onnx__o *x,
                                               const webnn_extra_minifloat *f) {
  const bool saturate = webnn_onnx__int(c, "saturate", 1) != 0;
  static const int directions[] = {1, -1, 0};
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  if (f->fraction != 0) {
    return webnn_extra_to_minifloat(webnn_onnx__extra(c), x, f, saturate);
  }
  return webnn_extra_to_power_of_two(
      webnn_onnx__extra(c), x, f, saturate,
      directions[webnn_onnx__word(c, "round_mode", "up", "up|down|nearest")]);
}

/* The least and the largest number of an integer type of at most 16 bits. */
static void webnn_onnx__bounds_of(webnn_onnx_type type, double *low, double *high) {
  const bool is_signed = type == WEBNN_ONNX_INT2 || type == WEBNN_ONNX_INT4 ||
                         type == WEBNN_ONNX_INT8 || type == WEBNN_ONNX_INT16;
  const double count = (double)(1u << webnn_onnx__info_of(type)->bits);
  *low = is_signed ? -count / 2 : 0;
  *high = *low + count - 1;
}

/* Numbers within the bounds of an integer type that a wider one holds (2 bits in 8, 16 in 32); x
   itself of other types. */
static webnn_onnx__o *webnn_onnx__within(webnn_onnx__call *c, webnn_onnx__o *x,
                                         webnn_onnx_type type) {
  double low, high;
  if (type != WEBNN_ONNX_INT2 && type != WEBNN_ONNX_UINT2 && type != WEBNN_ONNX_INT16 &&
      type != WEBNN_ONNX_UINT16) {
    return x;
  }
  webnn_onnx__bounds_of(type, &low, &high);
  x = webnn_onnx__max(c, x, webnn_onnx__like(c, x, low));
  return webnn_onnx__min(c, x, webnn_onnx__like(c, x, high));
}

/* Numbers as the low bits of an integer type of 4 or 2 bits. */
static webnn_onnx__o *webnn_onnx__low_bits(webnn_onnx__call *c, webnn_onnx__o *x,
                                           webnn_onnx_type type) {
  return webnn_extra_low_bits(webnn_onnx__extra(c), x, webnn_onnx__info_of(type)->bits,
                              type == WEBNN_ONNX_INT2 || type == WEBNN_ONNX_INT4);
}

static bool webnn_onnx__put_cast(webnn_onnx__call *c, webnn_onnx_type to) {
  const webnn_onnx_type from = webnn_onnx__type(c, 0);
  const webnn_data_type graph_type = webnn_onnx_graph_type(to);
  webnn_onnx__o *x;
  if (graph_type == (webnn_data_type)0) {
    return webnn_onnx__fail(c, "its result must be of a type that WebNN can hold; it is of %s",
                            webnn_onnx_type_name(to));
  }
  if (to == WEBNN_ONNX_DOUBLE && !c->import->model->options.float64_as_float32 &&
      from != WEBNN_ONNX_DOUBLE) {
    return webnn_onnx__fail(c, "a cast to float64 needs the option float64_as_float32");
  }
  if (webnn_onnx__has_data(c, 0) && (from == to || webnn_onnx__count_of(c->in[0]->shape) == 0)) {
    return webnn_onnx__put_data(c, 0, to, c->in[0]->shape, c->in[0]->data, c->in[0]->borrowed);
  }
  x = webnn_onnx__x(c, 0);
  if (from == to) {
    return webnn_onnx__put_as(c, 0, x, to);
  }
  x = webnn_onnx__widened(c, x);
  if (x == NULL) {
    return webnn_onnx__fail(c, "a cast from %s to %s cannot be expressed",
                            webnn_onnx_type_name(from), webnn_onnx_type_name(to));
  }
  if (webnn_data_type_bits(webnn_onnx_graph_type(from)) < 8 && graph_type != WEBNN_FLOAT32 &&
      graph_type != WEBNN_FLOAT16) {
    x = webnn_onnx__cast(c, x, WEBNN_INT32); /* between integers the low bits stay */
  }
  if (webnn_data_type_bits(graph_type) < 8) {
    x = webnn_onnx__narrowed(c, webnn_onnx__low_bits(c, x, to), graph_type);
  } else if (to == WEBNN_ONNX_BOOL) {
    x = webnn_onnx__not_equal(c, x, webnn_onnx__like(c, x, 0));
  } else if (to == WEBNN_ONNX_BFLOAT16) {
    x = webnn_extra_to_bfloat16(webnn_onnx__extra(c), webnn_onnx__cast(c, x, WEBNN_FLOAT32));
  } else if (webnn_onnx__is_minifloat(to)) {
    x = webnn_onnx__as_minifloat(c, x, webnn_onnx__minifloat_of(to));
  } else if (to == WEBNN_ONNX_INT2 || to == WEBNN_ONNX_UINT2) {
    x = webnn_onnx__cast(c, webnn_onnx__low_bits(c, x, to), graph_type);
  } else {
    x = webnn_onnx__wrapped(c, webnn_onnx__cast(c, x, graph_type), to);
  }
  return webnn_onnx__put_as(c, 0, x, to);
}

static bool webnn_onnx__lower_cast(webnn_onnx__call *c) {
  static const char *const names[] = {"",        "FLOAT",  "UINT8",  "INT8",   "UINT16",
                                      "INT16",   "INT32",  "INT64",  "STRING", "BOOL",
                                      "FLOAT16", "DOUBLE", "UINT32", "UINT64"};
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "to");
  int i;
  for (i = 1; a->type == WEBNN_ONNX__STRING && i < 14; i++) { /* before version 6 */
    if (strcmp(a->s, names[i]) == 0) {
      return webnn_onnx__put_cast(c, webnn_onnx__type_of((uint64_t)i));
    }
  }
  return webnn_onnx__put_cast(c, webnn_onnx__type_of((uint64_t)a->i));
}

/* The elements of a constant in ONNX's form, from that of graphs; float64 is not there any more. */
static void webnn_onnx__to_own_type(const webnn_onnx__value *v, size_t count, uint8_t *raw) {
  const webnn_onnx__type_info *info = webnn_onnx__info_of(v->type);
  uint32_t bits;
  uint16_t u16;
  size_t i;
  if (webnn_onnx__same_form(info) || info->bits == 8) {
    memcpy(raw, v->data, webnn_onnx__length_of(count, info->bits));
    return;
  }
  for (i = 0; i < count; i++) { /* 16 bits in 32 */
    memcpy(&bits, (const uint8_t *)v->data + 4 * i, 4);
    u16 = (uint16_t)(v->type == WEBNN_ONNX_BFLOAT16 ? bits >> 16 : bits);
    memcpy(raw + 2 * i, &u16, 2);
  }
}

/* BitCast of a constant; to bool, all bits but 0 are true. */
static bool webnn_onnx__bit_cast_constant(webnn_onnx__call *c, webnn_onnx_type to) {
  const webnn_onnx__value *v = webnn_onnx__known(c, 0);
  uint8_t *raw, *graph_data;
  size_t count;

  if (webnn_onnx__same_form(webnn_onnx__info_of(v->type)) &&
      webnn_onnx__same_form(webnn_onnx__info_of(to))) {
    return webnn_onnx__put_data(c, 0, to, v->shape, v->data, v->borrowed);
  }
  count = (size_t)webnn_onnx__count_of(v->shape);
  raw = (uint8_t *)webnn_onnx__take(c, count + 1, 8);
  graph_data = (uint8_t *)webnn_onnx__take(c, count + 1, 8);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  webnn_onnx__to_own_type(v, count, raw);
  (void)webnn_onnx_to_graph_type(to, raw, count, graph_data);
  return webnn_onnx__put_data(c, 0, to, v->shape, graph_data, false);
}

/* The bits of constants as another type of as many bits; integers with and
   without a sign are cast. */
static bool webnn_onnx__lower_bit_cast(webnn_onnx__call *c) {
  const webnn_onnx_type from = webnn_onnx__type(c, 0);
  const webnn_onnx_type to = webnn_onnx__type_of((uint64_t)webnn_onnx__int(c, "to", 0));
  const webnn_onnx__type_info *a = webnn_onnx__info_of(from), *b = webnn_onnx__info_of(to);
  const bool wide = from == WEBNN_ONNX_DOUBLE || to == WEBNN_ONNX_DOUBLE;
  webnn_onnx__o *x;
  if (a->bits != b->bits) {
    return webnn_onnx__fail(c, "attribute to (%s) must have as many bits as input 0 (%s)", b->name,
                            a->name);
  }
  if (a->bits == 0 || a->bits == 2 || webnn_onnx__is_minifloat(from)) {
    return webnn_onnx__fail(c, "the bits of %s cannot be read as %s", a->name, b->name);
  }
  if (webnn_onnx__is_constant(c, 0) && !wide) {
    return webnn_onnx__bit_cast_constant(c, to);
  }
  x = webnn_onnx__x(c, 0);
  if (from != to && (webnn_onnx__floating(x) || b->graph_type == WEBNN_FLOAT32 ||
                     b->graph_type == WEBNN_FLOAT16 || a->bits < 8)) {
    return webnn_onnx__fail(c, "the bits of %s%s cannot be read as %s", a->name,
                            webnn_onnx__varies(c, 0) ? " that are not constant" : "", b->name);
  }
  if (to == WEBNN_ONNX_BOOL && from != to) {
    x = webnn_onnx__not_equal(c, x, webnn_onnx__like(c, x, 0));
  }
  x = webnn_onnx__wrapped(c, webnn_onnx__cast(c, x, b->graph_type), to);
  return webnn_onnx__put_as(c, 0, x, to);
}

static bool webnn_onnx__lower_cast_like(webnn_onnx__call *c) {
  return webnn_onnx__put_cast(c, webnn_onnx__type(c, 1));
}

/* The input that a known condition always chooses, if nothing is broadcast to its shape; 0: none. A
   causal mask chooses so where one token is computed behind others. */
static size_t webnn_onnx__always_chosen(const webnn_onnx__call *c) {
  const webnn_onnx__value *condition = c->in[0];
  const uint8_t *chosen;
  uint64_t count, i;
  size_t input;
  uint32_t d;
  if (!webnn_onnx__is_known(condition) || condition->type != WEBNN_ONNX_BOOL ||
      c->in[1]->type != c->in[2]->type) {
    return 0;
  }
  chosen = (const uint8_t *)condition->data;
  count = webnn_onnx__count_of(condition->shape);
  for (i = 1; i < count && chosen[i] == chosen[0]; i++) {
  }
  if (count == 0 || i < count) {
    return 0;
  }
  input = chosen[0] != 0 ? 1 : 2;
  for (i = 0; i < 3; i++) {
    const webnn_list to = c->in[input]->shape, from = c->in[i]->shape;
    if (webnn_onnx__has_open(to)) {
      return 0;
    }
    for (d = 1; d <= from.count; d++) {
      if (d > to.count || (from.items[from.count - d] != 1 &&
                           from.items[from.count - d] != to.items[to.count - d])) {
        return 0;
      }
    }
  }
  return input;
}

static bool webnn_onnx__lower_where(webnn_onnx__call *c) {
  webnn_onnx__o *condition = webnn_onnx__x(c, 0), *x = webnn_onnx__x(c, 1),
                *y = webnn_onnx__x(c, 2);
  const size_t chosen = webnn_onnx__has(c, 0) && webnn_onnx__has(c, 1) && webnn_onnx__has(c, 2)
                            ? webnn_onnx__always_chosen(c)
                            : 0;
  if (chosen != 0) {
    return webnn_onnx__put_input(c, 0, chosen);
  }
  return webnn_onnx__put_as(c, 0, webnn_onnx__select(c, condition, x, y), webnn_onnx__type(c, 1));
}

/* Identity, and Dropout and its like when nothing is trained: the value itself,
   and a mask of ones. */
static bool webnn_onnx__lower_identity(webnn_onnx__call *c) {
  const bool dropout = strcmp(c->node->op, "Dropout") == 0;
  bool training = false;
  webnn_list shape = webnn_onnx__shape(c, 0);
  webnn_onnx__o *one;
  if (!webnn_onnx__has(c, 0)) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  if (c->in[0]->kind != WEBNN_ONNX__IS_TENSOR && webnn_onnx__wants(c, 0)) {
    webnn_onnx__take_over(c->out[0], c->in[0]);
    return true;
  }
  if (dropout && webnn_onnx__has(c, 2)) {
    training =
        webnn_onnx__scalar(c, 2) != 0 && (!webnn_onnx__has(c, 1) || webnn_onnx__scalar(c, 1) != 0);
  } else if (dropout && c->version < 7) {
    training = !webnn_onnx__flag(c, "is_test") && webnn_onnx__wants(c, 1);
  }
  if (training) {
    return webnn_onnx__fail(c, "training drops random elements");
  }
  if (webnn_onnx__wants(c, 1)) {
    one = webnn_onnx__number(
        c, c->version < 10 ? webnn_onnx_graph_type(webnn_onnx__type(c, 0)) : WEBNN_UINT8, 1);
    one = webnn_onnx__1(c, WEBNN_OP_IDENTITY, one); /* an output may be no constant */
    if (!webnn_onnx__put_as(c, 1, webnn_onnx__expand(c, one, shape),
                            c->version < 10 ? webnn_onnx__type(c, 0) : WEBNN_ONNX_BOOL)) {
      return false;
    }
  }
  return webnn_onnx__put_input(c, 0, 0);
}

/* ---- 9 constants and shapes ------------------------------------------------------------------ */

/* Does input i hold sizes that are known when the graph runs, and not before? */
static bool webnn_onnx__is_sized(const webnn_onnx__call *c, size_t i) {
  return webnn_onnx__has(c, i) && c->in[i]->sized && !c->folding;
}

/* Does input i hold sizes that are not numbers yet? */
static bool webnn_onnx__is_of_sizes(const webnn_onnx__call *c, size_t i) {
  return webnn_onnx__is_sized(c, i) || (webnn_onnx__has(c, i) && c->in[i]->open && !c->folding);
}

/* Is one of the sizes a dynamic dimension without a name? */
static bool webnn_onnx__has_unnamed(const int64_t *items, size_t count) {
  size_t i;
  for (i = 0; i < count && items[i] != (int64_t)WEBNN_DYNAMIC_DIMENSION; i++) {
  }
  return i < count;
}

/* A list of sizes that says what Reshape's does: 0 is the size of x there, unless zeros are sizes,
   and -1 what is left of x's elements. */
static webnn_onnx__o *webnn_onnx__new_sizes(webnn_onnx__call *c, webnn_onnx__o *x,
                                            webnn_onnx__o *list, bool zeros) {
  const uint32_t rank = webnn_onnx__sizes(x).count, count = webnn_onnx__sizes(list).items[0];
  const uint32_t both = rank < count ? rank : count;
  const webnn_list all = webnn_extra__list1(0);
  webnn_onnx__o *zero = webnn_onnx__like(c, list, 0), *one = webnn_onnx__like(c, list, 1);
  webnn_onnx__o *kept = webnn_onnx__sizes_from(c, x, 0, both), *total, *known, *open;
  if (count > both) {
    const webnn_list rest = webnn_extra__list1(count - both);
    kept = webnn_onnx__concat2(c, kept, webnn_onnx__expand(c, zero, rest), 0);
  }
  list = zeros ? list : webnn_onnx__select(c, webnn_onnx__equal(c, list, zero), kept, list);
  open = webnn_onnx__less(c, list, zero);
  total = webnn_onnx__sizes_from(c, x, 0, rank);
  total = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_PRODUCT, total, all, true);
  known = webnn_onnx__select(c, open, one, list);
  known = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_PRODUCT, known, all, true);
  return webnn_onnx__select(c, open, webnn_onnx__div(c, total, known), list);
}

static bool webnn_onnx__lower_shape(webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  const int64_t rank = shape.count;
  int64_t items[WEBNN_MAX_RANK], start = webnn_onnx__int(c, "start", 0);
  int64_t end = webnn_onnx__int(c, "end", rank);
  size_t count = 0;
  if (!webnn_onnx__has(c, 0)) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  start = start < 0 ? start + rank : start;
  end = end < 0 ? end + rank : end;
  start = start < 0 ? 0 : start;
  end = end > rank ? rank : end;
  for (; start < end; start++) {
    items[count++] = shape.items[start];
  }
  return webnn_onnx__put_integers(c, 0, items, count, false);
}

/* The product of dimensions from `begin` to before `end`; -1: some are dynamic, and not the only
   one that is not 1. */
static int64_t webnn_onnx__open_product(webnn_list shape, uint32_t begin, uint32_t end) {
  int64_t product = 1;
  for (; begin < end && begin < shape.count; begin++) {
    const int64_t size = shape.items[begin];
    if ((webnn_onnx__is_open(size) && product != 1) || webnn_onnx__is_open(product)) {
      product = size == 1 ? product : -1;
    } else {
      product = product < 0 ? -1 : product * size;
    }
  }
  return product;
}

static bool webnn_onnx__lower_size(webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  int64_t count = (int64_t)webnn_onnx__count_of(shape);
  if (webnn_onnx__has_open(shape)) {
    count = webnn_onnx__open_product(shape, 0, shape.count);
  }
  if (count < 0) {
    return webnn_onnx__fail(c,
                            "the number of elements of input 0 %s is not one of its dynamic "
                            "dimensions, and must be known",
                            webnn_onnx__show_shape(shape).text);
  }
  return webnn_onnx__put_integers(c, 0, &count, 1, true);
}

/* Loads a tensor that the messages of the call name `what`. */
static bool webnn_onnx__load_for(webnn_onnx__call *c, webnn_onnx__proto *t, const char *what) {
  webnn_onnx__why why = WEBNN_ZERO;
  if (webnn_onnx__load(c->import->model, t, &why)) {
    return true;
  }
  return why.status == WEBNN_UNKNOWN_ERROR ? webnn_onnx__out_of_memory(c->import)
                                           : webnn_onnx__fail(c, "%s: %s", what, why.text);
}

/* Output 0 is the tensor, whose data the model keeps. */
static bool webnn_onnx__put_proto(webnn_onnx__call *c, webnn_onnx__proto *t) {
  webnn_list shape = webnn_extra__no_items();
  if (!webnn_onnx__load_for(c, t, "its tensor")) {
    return false;
  }
  while (shape.count < t->rank) {
    shape.items[shape.count] = (uint32_t)t->dims[shape.count];
    shape.count++;
  }
  return webnn_onnx__put_data(c, 0, t->type, shape, t->graph_data, true);
}

static bool webnn_onnx__lower_constant(webnn_onnx__call *c) {
  static const char *const names[] = {"value",      "sparse_value", "value_int",
                                      "value_ints", "value_float",  "value_floats"};
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, names[0]);
  const webnn_list scalar = webnn_extra__no_items();
  size_t i = 0;
  while (!webnn_onnx__is_there(a) && ++i < 6) {
    a = webnn_onnx__attribute_of(c, names[i]);
  }
  switch (i) {
  case 0:
  case 1:
    return a->t != NULL && webnn_onnx__put_proto(c, a->t);
  case 2:
    return webnn_onnx__put_integers(c, 0, &a->i, 1, true);
  case 3:
    return webnn_onnx__put_integers(c, 0, a->ints, a->int_count, false);
  case 4:
    return webnn_onnx__put_data(c, 0, WEBNN_ONNX_FLOAT, scalar, &a->f, true);
  case 5:
    return webnn_onnx__put_data(c, 0, WEBNN_ONNX_FLOAT, webnn_extra__list1(a->float_count),
                                a->floats, true);
  default:
    return webnn_onnx__fail(c,
                            "it must have one of the attributes value, value_int, value_ints, "
                            "value_float, value_floats and sparse_value; it has %s",
                            c->node->attribute_count == 0
                                ? "none"
                                : webnn_onnx__show(c->node->attributes[0].name).text);
  }
}

/* Is it a dynamic dimension of the builder? */
static bool webnn_onnx__is_dimension(const webnn_onnx__call *c, int64_t item) {
  return webnn_onnx__is_open(item) && c->import->open != NULL &&
         webnn_dimension_name(c->import->builder, (uint32_t)item) != NULL;
}

/* Integers as dimensions: each 0 to 2^31 - 1, or dynamic, and not too many elements. */
static bool webnn_onnx__to_list(webnn_onnx__call *c, const int64_t *items, size_t count,
                                webnn_list *list) {
  uint64_t elements = 1;
  size_t i;
  *list = webnn_extra__no_items();
  if (count > WEBNN_MAX_RANK) {
    return webnn_onnx__fail(c, "the result has %u dimensions, more than 8", (unsigned)count);
  }
  for (i = 0; i < count; i++) {
    if (webnn_onnx__is_dimension(c, items[i])) {
      list->items[list->count++] = (uint32_t)items[i];
      continue;
    }
    if (items[i] < 0 || items[i] > INT32_MAX) {
      return webnn_onnx__fail(c, "dimension %u of the result (%lld) must be 0 to 2147483647",
                              (unsigned)i, (long long)items[i]);
    }
    elements *= (uint64_t)items[i];
    if (elements > WEBNN_ONNX__ELEMENTS_MAX) {
      return webnn_onnx__fail(c, "the result has more than %u elements", WEBNN_ONNX__ELEMENTS_MAX);
    }
    list->items[list->count++] = (uint32_t)items[i];
  }
  return true;
}

static bool webnn_onnx__lower_constant_of_shape(webnn_onnx__call *c) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "value");
  int64_t items[WEBNN_MAX_RANK];
  static const float zero = 0;
  size_t count = 0, bytes, i;
  const webnn_operator_options o = webnn_onnx__label(c);
  webnn_list shape = webnn_extra__no_items();
  bool sized = webnn_onnx__is_sized(c, 0);
  uint8_t *data;
  if (!sized) {
    count = webnn_onnx__integers(c, 0, items, WEBNN_MAX_RANK);
  }
  sized = sized || webnn_onnx__has_unnamed(items, count);
  if (webnn_onnx__failed(c) || (!sized && !webnn_onnx__to_list(c, items, count, &shape)) ||
      !webnn_onnx__wants(c, 0)) {
    return false;
  }
  if (a->t == NULL) {
    (void)webnn_onnx__put_data(c, 0, WEBNN_ONNX_FLOAT, webnn_extra__no_items(), &zero, true);
  } else if (a->t->count != 1) {
    return webnn_onnx__fail(c, "attribute value must be one number; it has %llu elements",
                            (unsigned long long)a->t->count);
  } else if (!webnn_onnx__put_proto(c, a->t)) {
    return false;
  }
  bytes = webnn_data_type_bits(webnn_onnx_graph_type(c->out[0]->type)) / 8;
  c->out[0]->shape = webnn_extra__no_items();
  if (sized) {
    return webnn_onnx__put_as(c, 0,
                              webnn_expand_dynamic(webnn_onnx__b(c),
                                                   webnn_onnx__operand(c, c->out[0]),
                                                   webnn_onnx__x(c, 0), &o),
                              c->out[0]->type);
  }
  if ((webnn_onnx__count_of(shape) > 4096 || webnn_onnx__has_open(shape)) && bytes != 0) {
    return webnn_onnx__put_as(c, 0, webnn_onnx__expand(c, webnn_onnx__operand(c, c->out[0]), shape),
                              c->out[0]->type);
  }
  count = (size_t)webnn_onnx__count_of(shape);
  data = bytes == 0 ? (uint8_t *)webnn_onnx__take(c, count / 2 + 1, 1)
                    : (uint8_t *)webnn_onnx__take(c, count + 1, bytes);
  for (i = 0; i < count && !webnn_onnx__failed(c); i++) {
    if (bytes == 0) { /* two in a byte */
      const int item = *(const uint8_t *)c->out[0]->data & 15;
      data[i / 2] = (uint8_t)(data[i / 2] | item << (i % 2 * 4));
    } else {
      memcpy(data + i * bytes, c->out[0]->data, bytes);
    }
  }
  return webnn_onnx__put_data(c, 0, c->out[0]->type, shape, data, false);
}

/* How many integers there are from `first` to before `limit` in steps. */
static double webnn_onnx__steps(int64_t first, int64_t limit, int64_t step) {
  const bool up = step > 0;
  const uint64_t all = up ? (uint64_t)limit - (uint64_t)first : (uint64_t)first - (uint64_t)limit;
  const uint64_t each = up ? (uint64_t)step : 0 - (uint64_t)step;
  return (up ? limit <= first : limit >= first) ? 0 : (double)((all - 1) / each + 1);
}

/* The nearest number of bfloat16, as float32. */
static float webnn_onnx__nearest_bfloat16(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  if (x == x) { /* a NaN stays as it is */
    bits = (bits + 32767 + (bits >> 16 & 1)) & ~(uint32_t)65535;
    memcpy(&x, &bits, 4);
  }
  return x;
}

/* The elements of a range, of floats by float32; false: it is of another type. */
static bool webnn_onnx__fill_range(webnn_onnx_type type, float start, float delta, int64_t first,
                                   int64_t step, size_t count, void *data) {
  const webnn_data_type graph_type = webnn_onnx_graph_type(type);
  size_t i;
  for (i = 0; i < count; i++) {
    float f32 = start + (float)i * delta;
    const uint64_t i64 = (uint64_t)first + (uint64_t)i * (uint64_t)step;
    if (graph_type == WEBNN_FLOAT32) {
      f32 = type == WEBNN_ONNX_BFLOAT16 ? webnn_onnx__nearest_bfloat16(f32) : f32;
      ((float *)data)[i] = f32;
    } else if (graph_type == WEBNN_FLOAT16) {
      ((uint16_t *)data)[i] = webnn_float32_to_float16(f32);
    } else if (graph_type == WEBNN_INT64) {
      ((int64_t *)data)[i] = (int64_t)i64;
    } else {
      ((int32_t *)data)[i] = (int32_t)(int64_t)i64;
    }
  }
  return graph_type == WEBNN_FLOAT32 || graph_type == WEBNN_FLOAT16 || graph_type == WEBNN_INT64 ||
         graph_type == WEBNN_INT32;
}

/* 0, 1, 2, ... as many as a dynamic dimension has: how many ones there are before. */
static bool webnn_onnx__open_range(webnn_onnx__call *c) {
  webnn_cumulative_sum_options o = WEBNN_ZERO;
  const int64_t start = webnn_onnx__scalar_integer(c, 0), size = webnn_onnx__scalar_integer(c, 1);
  const int64_t step = webnn_onnx__scalar_integer(c, 2);
  webnn_list shape;
  webnn_onnx__o *x;
  if (webnn_onnx__failed(c) ||
      !webnn_onnx__must_be(c, "the start of a dynamic range", start, 0, 0) ||
      !webnn_onnx__must_be(c, "the step of a dynamic range", step, 1, 1) ||
      !webnn_onnx__to_list(c, &size, 1, &shape)) {
    return false;
  }
  o.label = c->node->name;
  o.exclusive = true;
  x = webnn_onnx__expand(c, webnn_onnx__number(c, WEBNN_INT64, 1), shape);
  return webnn_onnx__put_as(c, 0, webnn_cumulative_sum(webnn_onnx__b(c), x, 0, &o),
                            WEBNN_ONNX_INT64);
}

/* A range whose bounds are sizes. */
static bool webnn_onnx__sized_range(webnn_onnx__call *c) {
  const webnn_operator_options o = webnn_onnx__label(c);
  webnn_onnx__o *parts[3];
  size_t i;
  for (i = 0; i < 3; i++) {
    parts[i] = webnn_onnx__reshape(c, webnn_onnx__x(c, i), webnn_extra__no_items());
  }
  return webnn_onnx__put(c, 0, webnn_range(webnn_onnx__b(c), parts[0], parts[1], parts[2], &o));
}

/* Range of constants, computed in the type's own arithmetic. */
static bool webnn_onnx__lower_range(webnn_onnx__call *c) {
  const webnn_onnx_type type = webnn_onnx__type(c, 0);
  double start, limit, delta, count;
  int64_t first, step;
  size_t room;
  void *data;
  if (webnn_onnx__is_sized(c, 0) || webnn_onnx__is_sized(c, 1) || webnn_onnx__is_sized(c, 2)) {
    return webnn_onnx__sized_range(c);
  }
  if (webnn_onnx__has(c, 1) && c->in[1]->open) {
    return webnn_onnx__open_range(c);
  }
  start = webnn_onnx__scalar(c, 0);
  limit = webnn_onnx__scalar(c, 1);
  delta = webnn_onnx__scalar(c, 2);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  if (webnn_onnx__type(c, 1) != type || webnn_onnx__type(c, 2) != type) {
    return webnn_onnx__fail(c, "inputs 0, 1 and 2 must be of one type; they are of %s, %s and %s",
                            webnn_onnx_type_name(type),
                            webnn_onnx_type_name(webnn_onnx__type(c, 1)),
                            webnn_onnx_type_name(webnn_onnx__type(c, 2)));
  }
  first = webnn_onnx__integer_at(c->in[0], 0);
  step = webnn_onnx__integer_at(c->in[2], 0);
  count = webnn_onnx__ceil((limit - start) / delta);
  if (delta != 0 && (type == WEBNN_ONNX_INT32 || type == WEBNN_ONNX_INT64)) {
    count = webnn_onnx__steps(first, webnn_onnx__integer_at(c->in[1], 0), step);
  }
  if (!(delta != 0 && count <= WEBNN_ONNX__MOST_INDICES)) {
    return webnn_onnx__fail(c, "a range from %g to %g in steps of %g must have at most %d elements",
                            start, limit, delta, WEBNN_ONNX__MOST_INDICES);
  }
  room = count > 0 ? (size_t)count : 0;
  data = webnn_onnx__room(c, &room, 8);
  if (!webnn_onnx__fill_range(type, (float)start, (float)delta, first, step, room, data)) {
    return webnn_onnx__fail(c, "inputs must be of a float type, int32 or int64; they are of %s",
                            webnn_onnx_type_name(type));
  }
  return webnn_onnx__put_data(c, 0, type, webnn_extra__list1(room), data, false);
}

/* Hann, Hamming and Blackman windows: a - b cos(2 pi i / n) + c cos(4 pi i / n). */
static bool webnn_onnx__lower_window(webnn_onnx__call *c) {
  static const double factors[3][3] = {{0.5, 0.5, 0}, {25.0 / 46, 21.0 / 46, 0}, {0.42, 0.5, 0.08}};
  const double *f = factors[c->row->detail];
  const webnn_onnx_type type =
      webnn_onnx__type_of((uint64_t)webnn_onnx__int(c, "output_datatype", 1));
  const bool periodic = webnn_onnx__int(c, "periodic", 1) != 0;
  const int64_t size = webnn_onnx__scalar_integer(c, 0);
  size_t room, i;
  double n;
  void *data;
  if (!webnn_onnx__must_be(c, "the size in input 0", size, 0, WEBNN_ONNX__MOST_INDICES)) {
    return false;
  }
  if (type != WEBNN_ONNX_FLOAT && type != WEBNN_ONNX_FLOAT16 &&
      (type != WEBNN_ONNX_DOUBLE || !c->import->model->options.float64_as_float32)) {
    return webnn_onnx__fail(c,
                            "attribute output_datatype (%s) must be float32 or float16, or float64 "
                            "with the option float64_as_float32",
                            webnn_onnx_type_name(type));
  }
  room = (size_t)size;
  data = webnn_onnx__room(c, &room, sizeof(float));
  n = (double)(periodic ? size : size > 1 ? size - 1 : 1);
  for (i = 0; i < room; i++) {
    const double turns = (double)i / n;
    const float f32 =
        (float)(f[0] - f[1] * webnn_onnx__cosine(turns) + f[2] * webnn_onnx__cosine(2 * turns));
    if (type == WEBNN_ONNX_FLOAT16) {
      ((uint16_t *)data)[i] = webnn_float32_to_float16(f32);
    } else {
      ((float *)data)[i] = f32;
    }
  }
  return webnn_onnx__put_data(c, 0, type, webnn_extra__list1(room), data, false);
}

static bool webnn_onnx__lower_eye_like(webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  const webnn_onnx_type type =
      webnn_onnx__type_of((uint64_t)webnn_onnx__int(c, "dtype", (int64_t)webnn_onnx__type(c, 0)));
  const int64_t k = webnn_onnx__int(c, "k", 0);
  webnn_onnx__o *rows, *columns;
  if (!webnn_onnx__must_have_rank(c, 0, 2, 2)) {
    return false;
  }
  if (webnn_onnx_graph_type(type) == (webnn_data_type)0 ||
      (type == WEBNN_ONNX_DOUBLE && !c->import->model->options.float64_as_float32)) {
    return webnn_onnx__fail(c,
                            "its result must be of a type that WebNN can hold (float64 with the "
                            "option float64_as_float32); it is of %s",
                            webnn_onnx_type_name(type));
  }
  if (webnn_onnx__count_of(shape) == 0) {
    return webnn_onnx__put_data(c, 0, type, shape, "", true);
  }
  rows = webnn_onnx__iota_along(c, shape.items[0], 1, 2, 0);
  columns = webnn_onnx__iota_along(c, shape.items[1], 1, 2, 1);
  rows = webnn_onnx__equal(c, webnn_onnx__plus(c, rows, (double)k), columns);
  return webnn_onnx__put_as(c, 0, webnn_onnx__cast(c, rows, webnn_onnx_graph_type(type)), type);
}

/* Takes a dynamic dimension with a name away from a list; false: it is not there. */
static bool webnn_onnx__take_dimension(webnn_list *list, int64_t dimension) {
  uint32_t i;
  for (i = 0; i < list->count; i++) {
    if (dimension != (int64_t)WEBNN_DYNAMIC_DIMENSION && list->items[i] == (uint32_t)dimension) {
      *list = webnn_extra__removed(*list, i);
      return true;
    }
  }
  return false;
}

/* The dimension of a new shape that is -1, from dynamic dimensions: what is left of those of input
   0 when those of the new shape have been taken away, a number or one dimension. */
static bool webnn_onnx__fill_open(webnn_onnx__call *c, int64_t *items, size_t count, size_t at) {
  const webnn_list from = webnn_onnx__shape(c, 0);
  webnn_list left = from;
  int64_t total = 1, known = 1;
  bool taken = true;
  size_t i;
  for (i = 0; i < count; i++) {
    if (webnn_onnx__is_dimension(c, items[i])) {
      taken = webnn_onnx__take_dimension(&left, items[i]) && taken;
    } else if (i != at) {
      known *= items[i];
    }
  }
  for (i = left.count; i-- > 0;) {
    if (!webnn_onnx__is_open(left.items[i])) {
      total *= left.items[i];
      left = webnn_extra__removed(left, (uint32_t)i);
    }
  }
  if (at == WEBNN_MAX_RANK) {
    return true; /* the builder, or who dispatches, compares the numbers of elements */
  }
  if (!taken || known == 0 || total % known != 0 || left.count > 1 ||
      (left.count == 1 && total != known)) {
    return false;
  }
  items[at] = left.count == 1 ? (int64_t)left.items[0] : total / known;
  return true;
}

/* Output 0 as a matrix: dimensions before the axis are rows, the others columns. */
static bool webnn_onnx__put_matrix(webnn_onnx__call *c, uint32_t axis) {
  const webnn_operator_options o = webnn_onnx__label(c);
  return webnn_onnx__put(c, 0, webnn_flatten(webnn_onnx__b(c), webnn_onnx__x(c, 0), axis, &o));
}

/* A new shape [-1, columns] or [rows, -1] as a matrix, for any sizes; false: it is none. */
static bool webnn_onnx__reshape_to_matrix(webnn_onnx__call *c, const int64_t *items, size_t count,
                                          size_t open) {
  const webnn_list from = webnn_onnx__shape(c, 0);
  uint32_t axis;
  for (axis = 0; axis <= from.count && count == 2 && open < 2 && !webnn_onnx__has_data(c, 0);
       axis++) {
    const int64_t known = open == 0 ? webnn_onnx__open_product(from, axis, from.count)
                                    : webnn_onnx__open_product(from, 0, axis);
    if (known == items[1 - open] && known != (int64_t)WEBNN_DYNAMIC_DIMENSION) {
      return webnn_onnx__put_matrix(c, axis);
    }
  }
  return false;
}

/* Reshape by sizes that are known when the graph runs. */
static bool webnn_onnx__sized_reshape(webnn_onnx__call *c) {
  const webnn_operator_options o = webnn_onnx__label(c);
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *sizes = webnn_onnx__x(c, 1);
  if (!webnn_onnx__must_have_rank(c, 1, 1, 1) ||
      !webnn_onnx__must_have_rank(c, 0, 1, WEBNN_MAX_RANK)) {
    return false;
  }
  sizes = webnn_onnx__new_sizes(c, x, sizes, webnn_onnx__flag(c, "allowzero"));
  return webnn_onnx__put(c, 0, webnn_reshape_dynamic(webnn_onnx__b(c), x, sizes, &o));
}

static bool webnn_onnx__lower_reshape(webnn_onnx__call *c) {
  int64_t known = 1, *items;
  const webnn_list from = webnn_onnx__shape(c, 0);
  const int64_t total = (int64_t)webnn_onnx__count_of(from);
  const bool zeros = webnn_onnx__flag(c, "allowzero");
  size_t i, open = WEBNN_MAX_RANK;
  bool dynamic = webnn_onnx__has_open(from);
  webnn_onnx__integer_list to;
  webnn_list shape;
  if (webnn_onnx__is_sized(c, 1)) {
    return webnn_onnx__sized_reshape(c);
  }
  to = webnn_onnx__list_of(c, "shape", 1, WEBNN_MAX_RANK);
  items = to.items;
  for (i = 0; i < to.count; i++) {
    if (items[i] == 0 && !zeros && i < from.count) {
      items[i] = from.items[i];
    }
    dynamic = dynamic || webnn_onnx__is_dimension(c, items[i]);
    if (items[i] == -1) {
      if (open != WEBNN_MAX_RANK) {
        return webnn_onnx__fail(
            c, "one dimension of the new shape may be -1; dimensions %u and %u are", (unsigned)open,
            (unsigned)i);
      }
      open = i;
    } else if (webnn_onnx__is_dimension(c, items[i])) {
      continue;
    } else if (items[i] < 0 || items[i] > INT32_MAX) {
      return webnn_onnx__fail(c, "dimension %u of the new shape (%lld) must be -1 to 2147483647",
                              (unsigned)i, (long long)items[i]);
    } else if ((known *= items[i]) > INT32_MAX) {
      return webnn_onnx__fail(c, "the new shape has more than 2147483647 elements");
    }
  }
  if (dynamic) {
    if (webnn_onnx__reshape_to_matrix(c, items, to.count, open) || webnn_onnx__failed(c)) {
      return !webnn_onnx__failed(c);
    }
    return webnn_onnx__fill_open(c, items, to.count, open) &&
                   !webnn_onnx__has_unnamed(items, to.count)
               ? webnn_onnx__to_list(c, items, to.count, &shape) &&
                     webnn_onnx__put_reshaped(c, 0, c->in[0], shape)
               : webnn_onnx__sized_reshape(c);
  }
  if (open != WEBNN_MAX_RANK) {
    items[open] = known == 0 ? 0 : total / known;
    known *= items[open];
  }
  if (!to.given || known != total) {
    return webnn_onnx__fail(c,
                            "the number of elements of the new shape (%lld) must be that of input "
                            "0 (%lld)",
                            (long long)known, (long long)total);
  }
  return webnn_onnx__to_list(c, items, to.count, &shape) &&
         webnn_onnx__put_reshaped(c, 0, c->in[0], shape);
}

static bool webnn_onnx__lower_flatten(webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  int64_t axis = webnn_onnx__int(c, "axis", 1);
  axis = axis < 0 ? axis + shape.count : axis;
  if (!webnn_onnx__has(c, 0) || axis < 0 || axis > shape.count) {
    return webnn_onnx__fail(c, "axis %lld is not one of %u dimensions", (long long)axis,
                            shape.count);
  }
  if (webnn_onnx__has_open(shape)) {
    return webnn_onnx__put_matrix(c, (uint32_t)axis);
  }
  return webnn_onnx__put_reshaped(
      c, 0, c->in[0],
      webnn_extra__list2(webnn_extra__product(shape, 0, (uint32_t)axis),
                         webnn_extra__product(shape, (uint32_t)axis, shape.count)));
}

/* The axes of an attribute or input as a list of flags, one for each of `rank` dimensions. */
static bool webnn_onnx__axes(webnn_onnx__call *c, size_t input, uint32_t rank, bool *flags,
                             bool *given) {
  const webnn_onnx__integer_list list = webnn_onnx__list_of(c, "axes", input, WEBNN_MAX_RANK);
  size_t i;
  memset(flags, 0, WEBNN_MAX_RANK * sizeof *flags);
  *given = list.given && list.count != 0;
  for (i = 0; i < list.count; i++) {
    const uint32_t axis = webnn_onnx__axis(c, list.items[i], rank);
    if (flags[axis]) {
      return webnn_onnx__fail(c, "axes must differ; axis %u is named twice", axis);
    }
    flags[axis] = true;
  }
  return !webnn_onnx__failed(c);
}

/* The dimensions that have a flag. */
static webnn_list webnn_onnx__axes_of(const bool *flags) {
  webnn_list axes = webnn_extra__no_items();
  uint32_t i;
  for (i = 0; i < WEBNN_MAX_RANK; i++) {
    if (flags[i]) {
      axes.items[axes.count++] = i;
    }
  }
  return axes;
}

static bool webnn_onnx__lower_squeeze(webnn_onnx__call *c) {
  const webnn_operator_options o = webnn_onnx__label(c);
  const webnn_list from = webnn_onnx__shape(c, 0);
  webnn_list to = webnn_extra__no_items();
  bool flags[WEBNN_MAX_RANK], given;
  uint32_t i;
  if (!webnn_onnx__has(c, 0) || !webnn_onnx__axes(c, 1, from.count, flags, &given)) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  given = given || webnn_onnx__has(c, 1); /* an empty input names no dimension */
  if (!given && webnn_onnx__has_open(from)) {
    return webnn_onnx__fail(
        c, "without axes, dimensions of input 0 %s that are dynamic may be 1, or not",
        webnn_onnx__show_shape(from).text);
  }
  for (i = 0; i < from.count; i++) {
    if (given && flags[i] && from.items[i] != 1 && !webnn_onnx__is_open(from.items[i])) {
      return webnn_onnx__fail(c, "dimension %u of input 0 (%u) must be 1", i, from.items[i]);
    }
    if (!(given ? flags[i] : from.items[i] == 1)) {
      to.items[to.count++] = from.items[i];
    }
  }
  if (webnn_onnx__has_open(from)) {
    return webnn_onnx__put_as(
        c, 0, webnn_squeeze(webnn_onnx__b(c), webnn_onnx__x(c, 0), webnn_onnx__axes_of(flags), &o),
        webnn_onnx__type(c, 0));
  }
  return webnn_onnx__put_reshaped(c, 0, c->in[0], to);
}

static bool webnn_onnx__lower_unsqueeze(webnn_onnx__call *c) {
  const webnn_operator_options o = webnn_onnx__label(c);
  const webnn_list from = webnn_onnx__shape(c, 0);
  webnn_list to = webnn_extra__no_items();
  const size_t count = webnn_onnx__list_of(c, "axes", 1, WEBNN_MAX_RANK).count;
  bool flags[WEBNN_MAX_RANK], given;
  uint32_t i, k = 0;
  if (!webnn_onnx__has(c, 0)) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  if (from.count + count > WEBNN_MAX_RANK) {
    return webnn_onnx__fail(c, "the result has %u dimensions, more than 8",
                            from.count + (unsigned)count);
  }
  to.count = from.count + (uint32_t)count;
  if (!webnn_onnx__axes(c, 1, to.count, flags, &given)) {
    return false;
  }
  for (i = 0; i < to.count; i++) {
    to.items[i] = flags[i] || k >= from.count ? 1 : from.items[k++];
  }
  if (webnn_onnx__has_open(from)) {
    return webnn_onnx__put_as(
        c, 0,
        webnn_unsqueeze(webnn_onnx__b(c), webnn_onnx__x(c, 0), webnn_onnx__axes_of(flags), &o),
        webnn_onnx__type(c, 0));
  }
  return webnn_onnx__put_reshaped(c, 0, c->in[0], to);
}

/* ---- 10 moving elements ---------------------------------------------------------------------- */

/* Sizes in another order: webnn.h follows them through gathers, not through transpose. */
static webnn_onnx__o *webnn_onnx__transpose_sizes(webnn_onnx__call *c, webnn_onnx__o *x,
                                                  webnn_list permutation, webnn_list to) {
  const webnn_list from = webnn_onnx__sizes(x);
  uint64_t room = webnn_onnx__count_of(to), i;
  int64_t *items = (int64_t *)webnn_onnx__scratch(c, &room, sizeof *items);
  for (i = 0; i < room; i++) {
    uint64_t rest = i;
    uint32_t d;
    for (d = to.count; d-- > 0; rest /= to.items[d]) {
      const uint32_t axis = permutation.items[d];
      items[i] += (int64_t)(rest % to.items[d] * webnn_extra__product(from, axis + 1, from.count));
    }
  }
  x = webnn_onnx__reshape(c, x, webnn_extra__list1((uint32_t)webnn_onnx__count_of(to)));
  x = webnn_onnx__gather(
      c, x,
      webnn_onnx__constant_of(c, WEBNN_INT64,
                              webnn_extra__list1((uint32_t)webnn_onnx__count_of(to)), items),
      0);
  return webnn_onnx__reshape(c, x, to);
}

/* 4-bit integers go through float32, since WebNN transposes none. */
static bool webnn_onnx__lower_transpose(webnn_onnx__call *c) {
  const webnn_list from = webnn_onnx__shape(c, 0);
  const webnn_data_type type = webnn_onnx_graph_type(webnn_onnx__type(c, 0));
  webnn_list permutation = webnn_onnx__dims(c, "perm"), to = from;
  webnn_onnx__o *x;
  uint32_t i;
  if (webnn_onnx__failed(c) || !webnn_onnx__has(c, 0)) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  if (!permutation.given) {
    for (i = from.count, permutation = webnn_extra__no_items(); i-- > 0;) {
      webnn_extra__append(&permutation, i);
    }
  }
  if (permutation.count != from.count) {
    return webnn_onnx__fail(c, "the length of attribute perm (%u) must be the rank of input 0 (%u)",
                            permutation.count, from.count);
  }
  for (i = 0; i < from.count && permutation.items[i] < from.count; i++) {
    to.items[i] = from.items[permutation.items[i]];
  }
  if (i == from.count && webnn_onnx__is_empty(c, 0)) {
    return webnn_onnx__put_empty(c, 0, to);
  }
  if (i == from.count && webnn_onnx__is_sized(c, 0) && !webnn_onnx__has_open(from)) {
    x = webnn_onnx__transpose_sizes(c, webnn_onnx__x(c, 0), permutation, to);
    return webnn_onnx__put(c, 0, x);
  }
  x = webnn_onnx__transpose(c, webnn_onnx__widened(c, webnn_onnx__x(c, 0)), permutation);
  x = webnn_onnx__narrowed(c, x, type);
  return webnn_onnx__put(c, 0, x);
}

/* The shape of inputs one behind the other. */
static webnn_list webnn_onnx__concat_shape(const webnn_onnx__call *c, uint32_t axis) {
  webnn_list shape = webnn_onnx__shape(c, 0);
  size_t i;
  for (i = 1; i < c->in_count; i++) {
    shape.items[axis] += webnn_onnx__shape(c, i).items[axis];
  }
  return shape;
}

/* Empty constants are left out. */
static bool webnn_onnx__lower_concat(webnn_onnx__call *c) {
  webnn_onnx__o **parts = webnn_onnx__operands(c, c->in_count);
  webnn_onnx_type type = webnn_onnx__type(c, 0);
  uint32_t axis;
  size_t i, count = 0;
  if (webnn_onnx__failed(c) || !webnn_onnx__has(c, 0)) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  axis = webnn_onnx__axis_of(c, "axis", 1, webnn_onnx__shape(c, 0).count);
  for (i = 0; i < c->in_count; i++) {
    if (webnn_onnx__is_empty(c, i)) {
      continue;
    }
    type = count == 0 ? webnn_onnx__type(c, i) : type;
    parts[count++] = webnn_onnx__x(c, i);
  }
  if (count == 0) {
    return webnn_onnx__put_data(c, 0, c->in[0]->type, webnn_onnx__concat_shape(c, axis), "", true);
  }
  return webnn_onnx__put_as(c, 0, webnn_onnx__concat(c, parts, count, axis), type);
}

/* The sizes of Split's parts. */
static bool webnn_onnx__split_sizes(webnn_onnx__call *c, uint32_t size, int64_t *sizes,
                                    size_t parts) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "split");
  int64_t whole;
  size_t i, count = parts;
  if (webnn_onnx__is_there(a)) {
    count = a->int_count;
    for (i = 0; i < count && i < parts; i++) {
      sizes[i] = a->ints[i];
    }
  } else if (webnn_onnx__has(c, 1)) {
    count = webnn_onnx__integers(c, 1, sizes, parts);
  } else {
    whole = ((int64_t)size + (int64_t)parts - 1) / (int64_t)parts;
    for (i = 0; i < parts; i++) {
      sizes[i] =
          (int64_t)size - (int64_t)i * whole < whole ? (int64_t)size - (int64_t)i * whole : whole;
    }
  }
  for (whole = 0, i = 0; i < count && i < parts; i++) {
    if (sizes[i] < 0 || sizes[i] > (int64_t)size) {
      return webnn_onnx__fail(c, "the size of part %u (%lld) must be 0 to %u", (unsigned)i,
                              (long long)sizes[i], size);
    }
    whole += sizes[i];
  }
  if (count != parts) {
    return webnn_onnx__fail(c, "the number of sizes (%u) must be that of the outputs (%u)",
                            (unsigned)count, (unsigned)parts);
  }
  return whole == (int64_t)size ||
         webnn_onnx__fail(c, "the sum of the sizes (%lld) must be the size of the axis (%u)",
                          (long long)whole, size);
}

/* Parts by sizes that are known when the graph runs, none of them 0 then. */
static bool webnn_onnx__sized_split(webnn_onnx__call *c, uint32_t axis, size_t parts) {
  webnn_onnx__o **outputs = (webnn_onnx__o **)webnn_onnx__take(c, parts + 1, sizeof *outputs);
  webnn_split_options o = WEBNN_ZERO;
  size_t i;
  if (!webnn_onnx__must_have_rank(c, 1, 1, 1) || webnn_onnx__failed(c)) {
    return false;
  }
  if (webnn_onnx__shape(c, 1).items[0] != parts) {
    return webnn_onnx__fail(c, "the number of sizes (%u) must be that of the outputs (%u)",
                            webnn_onnx__shape(c, 1).items[0], (unsigned)parts);
  }
  o.label = c->node->name;
  o.axis = axis;
  (void)webnn_split_dynamic(webnn_onnx__b(c), webnn_onnx__x(c, 0), webnn_onnx__x(c, 1), &o,
                            outputs);
  for (i = 0; i < c->out_count; i++) {
    if (webnn_onnx__wants(c, i) && !webnn_onnx__put(c, i, outputs[i])) {
      return false;
    }
  }
  return true;
}

static bool webnn_onnx__lower_split(webnn_onnx__call *c) {
  const bool whole = strcmp(c->node->op, "Split") == 0; /* its outputs without a name, too */
  const size_t parts = whole ? c->node->output_count : c->out_count;
  int64_t *sizes = (int64_t *)webnn_onnx__take(c, parts + 1, sizeof *sizes);
  webnn_list shape = webnn_onnx__shape(c, 0);
  uint32_t axis, start = 0;
  size_t i;
  if (webnn_onnx__failed(c) || !webnn_onnx__has(c, 0) || c->out_count == 0) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  axis = webnn_onnx__axis_of(c, "axis", 0, shape.count);
  if (webnn_onnx__is_of_sizes(c, 1)) {
    return webnn_onnx__sized_split(c, axis, parts);
  }
  if (webnn_onnx__is_open(shape.items[axis])) {
    return webnn_onnx__fail(c, "dimension %u, which is dynamic, cannot be split", axis);
  }
  if (!webnn_onnx__split_sizes(c, shape.items[axis], sizes, parts)) {
    return false;
  }
  if (!webnn_onnx__has(c, 1) &&
      webnn_onnx__int(c, "num_outputs", (int64_t)parts) != (int64_t)parts) {
    return webnn_onnx__fail(c, "attribute num_outputs (%lld) must be the number of outputs (%u)",
                            (long long)webnn_onnx__int(c, "num_outputs", 0), (unsigned)parts);
  }
  for (i = 0; i < c->out_count; start += (uint32_t)sizes[i++]) {
    shape.items[axis] = (uint32_t)sizes[i];
    if (webnn_onnx__count_of(shape) == 0) {
      (void)webnn_onnx__put_empty(c, i, shape);
    } else if (!webnn_onnx__put(
                   c, i,
                   webnn_onnx__slice(c, webnn_onnx__x(c, 0), axis, start, (uint32_t)sizes[i]))) {
      return false;
    }
  }
  return true;
}

typedef struct webnn_onnx__range {
  int64_t start, end, step;
} webnn_onnx__range;

/* What a Slice takes, axis by axis. */
typedef struct webnn_onnx__slice_lists {
  int64_t starts[WEBNN_MAX_RANK], ends[WEBNN_MAX_RANK], steps[WEBNN_MAX_RANK];
  uint32_t axes[WEBNN_MAX_RANK];
  size_t count;
} webnn_onnx__slice_lists;

static bool webnn_onnx__slice_lists_of(webnn_onnx__call *c, webnn_onnx__slice_lists *s) {
  const webnn_onnx__integer_list starts = webnn_onnx__list_of(c, "starts", 1, WEBNN_MAX_RANK);
  const webnn_onnx__integer_list ends = webnn_onnx__list_of(c, "ends", 2, WEBNN_MAX_RANK);
  const webnn_onnx__integer_list axes = webnn_onnx__list_of(c, "axes", 3, WEBNN_MAX_RANK);
  const webnn_onnx__integer_list steps = webnn_onnx__list_of(c, "steps", 4, WEBNN_MAX_RANK);
  size_t i;
  s->count = starts.count;
  if (ends.count != s->count || (axes.given && axes.count != s->count) ||
      (steps.given && steps.count != s->count)) {
    return webnn_onnx__fail(
        c,
        "starts (%u items), ends (%u), axes (%u) and steps (%u) must have as many "
        "items, where they are given",
        (unsigned)s->count, (unsigned)ends.count, (unsigned)axes.count, (unsigned)steps.count);
  }
  for (i = 0; i < s->count; i++) {
    s->starts[i] = starts.items[i];
    s->ends[i] = ends.items[i];
    s->steps[i] = steps.given ? steps.items[i] : 1;
    s->axes[i] =
        webnn_onnx__axis(c, axes.given ? axes.items[i] : (int64_t)i, webnn_onnx__shape(c, 0).count);
  }
  return !webnn_onnx__failed(c);
}

/* What Slice takes of each dimension. */
static bool webnn_onnx__slice_ranges(webnn_onnx__call *c, webnn_list shape,
                                     webnn_onnx__range *ranges) {
  webnn_onnx__slice_lists s;
  size_t i;
  if (!webnn_onnx__slice_lists_of(c, &s)) {
    return false;
  }
  for (i = 0; i < shape.count; i++) {
    ranges[i].start = 0, ranges[i].end = shape.items[i], ranges[i].step = 1;
  }
  for (i = 0; i < s.count; i++) {
    const uint32_t axis = s.axes[i];
    const int64_t step = s.steps[i], size = shape.items[axis];
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    const int64_t start = s.starts[i] < 0 ? s.starts[i] + size : s.starts[i];
    const int64_t end = s.ends[i] < 0 ? s.ends[i] + size : s.ends[i];
    ranges[axis].start = start < 0 ? 0 : start > high ? high : start;
    ranges[axis].end = end < low ? low : end > high ? high : end;
    if (step == 0) {
      return webnn_onnx__fail(c, "the step along axis %u must not be 0", axis);
    }
    ranges[axis].step = step > INT32_MAX ? INT32_MAX : step < -INT32_MAX ? -INT32_MAX : step;
  }
  return true;
}

/* Is one of the inputs a list with dynamic dimensions, while nothing is folded? */
static bool webnn_onnx__open_input(const webnn_onnx__call *c) {
  size_t i;
  for (i = 0; i < c->in_count && !c->folding; i++) {
    if (webnn_onnx__has(c, i) && c->in[i]->open) {
      return true;
    }
  }
  return false;
}

/* The elements of a range, whose bounds are within 0 to size (step > 0) or -1 to size - 1. */
static webnn_onnx__o *webnn_onnx__picked(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                         int64_t start, int64_t end, int64_t step) {
  const int64_t count =
      step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
  uint64_t room = (uint64_t)count, i;
  int64_t *items = (int64_t *)webnn_onnx__scratch(c, &room, sizeof *items);
  for (i = 0; i < room; i++) {
    items[i] = start + (int64_t)i * step;
  }
  return webnn_onnx__gather(
      c, x, webnn_onnx__constant_of(c, WEBNN_INT64, webnn_extra__list1(room), items), axis);
}

/* Element k of the list in input i, a size, as a scalar. */
static webnn_onnx__o *webnn_onnx__size_of_list(webnn_onnx__call *c, size_t i, uint32_t k) {
  webnn_onnx__o *x = webnn_onnx__cast(c, webnn_onnx__x(c, i), WEBNN_INT64);
  return webnn_onnx__reshape(c, webnn_onnx__slice(c, x, 0, k, 1), webnn_extra__no_items());
}

/* A place of a dimension of that size, counted from its end if negative, within its bounds. */
static webnn_onnx__o *webnn_onnx__bounded(webnn_onnx__call *c, webnn_onnx__o *place,
                                          webnn_onnx__o *size) {
  webnn_onnx__o *zero = webnn_onnx__like(c, place, 0);
  place = webnn_onnx__select(c, webnn_onnx__less(c, place, zero), webnn_onnx__add(c, place, size),
                             place);
  return webnn_onnx__min(c, webnn_onnx__max(c, place, zero), size);
}

/* One axis of a slice of x in steps of 1, whose bounds are number k of the lists in inputs 1 and 2,
   or whose size is known only when the graph runs. It has to have elements then. */
static webnn_onnx__o *webnn_onnx__sized_slice(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                              uint32_t k) {
  const webnn_operator_options o = webnn_onnx__label(c);
  webnn_onnx__o *size = webnn_onnx__sizes_from(c, x, axis, 1);
  webnn_onnx__o *start = webnn_onnx__size_of_list(c, 1, k),
                *end = webnn_onnx__size_of_list(c, 2, k);
  size = webnn_onnx__reshape(c, size, webnn_extra__no_items());
  start = webnn_onnx__bounded(c, start, size);
  end = webnn_onnx__bounded(c, end, size);
  end = webnn_range(webnn_onnx__b(c), start, end, webnn_onnx__like(c, size, 1), &o);
  return webnn_onnx__gather(c, x, end, axis);
}

/* A slice whose starts or ends are known when the graph runs. */
static bool webnn_onnx__lower_sized_slice(webnn_onnx__call *c) {
  const uint32_t rank = webnn_onnx__shape(c, 0).count, count = webnn_onnx__shape(c, 1).items[0];
  const webnn_onnx__integer_list axes = webnn_onnx__list_of(c, "axes", 3, WEBNN_MAX_RANK);
  const webnn_onnx__integer_list steps = webnn_onnx__list_of(c, "steps", 4, WEBNN_MAX_RANK);
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  size_t i;
  if (!webnn_onnx__must_have_rank(c, 1, 1, 1) || !webnn_onnx__must_have_rank(c, 2, 1, 1)) {
    return false;
  }
  if (webnn_onnx__shape(c, 2).items[0] != count || (axes.given && axes.count != count) ||
      (steps.given && steps.count != count) || count > rank) {
    return webnn_onnx__fail(c, "starts, ends, axes and steps must have as many items, at most %u",
                            rank);
  }
  for (i = 0; i < count; i++) {
    const int64_t step = steps.given ? steps.items[i] : 1;
    const uint32_t axis = webnn_onnx__axis(c, axes.given ? axes.items[i] : (int64_t)i, rank);
    (void)webnn_onnx__must_be(c, "the step of a slice by sizes", step, 1, 1);
    x = webnn_onnx__sized_slice(c, x, axis, (uint32_t)i);
  }
  return webnn_onnx__put(c, 0, x);
}

/* Does the slice of an axis depend on what is known when the graph runs? Of a dynamic dimension all
   elements, the first and the last do not. */
static bool webnn_onnx__slices_by_size(const webnn_onnx__call *c, int64_t size, int64_t start,
                                       int64_t end, int64_t step) {
  const bool open = webnn_onnx__is_open(size), open_end = webnn_onnx__is_dimension(c, end);
  const bool to_end =
      open_end ? end == size && size != (int64_t)WEBNN_DYNAMIC_DIMENSION : end >= INT32_MAX;
  return step == 1 && webnn_onnx__has(c, 1) &&
         (open ? !(start == 0 && (end == 1 || to_end)) && !(start == -1 && !open_end && to_end)
               : webnn_onnx__is_dimension(c, start) || open_end);
}

/* One axis of a slice of x, where dimensions are dynamic: of a dynamic one all elements, the first
   or the last. NULL after a failure. */
static webnn_onnx__o *webnn_onnx__slice_axis(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                             int64_t start, int64_t end, int64_t step) {
  const int64_t size = webnn_onnx__sizes(x).items[axis % WEBNN_MAX_RANK];
  const bool named = size != (int64_t)WEBNN_DYNAMIC_DIMENSION;
  if (webnn_onnx__is_open(size)) {
    if (step == 1 && start == 0 && end == 1) {
      return webnn_onnx__picked(c, x, axis, 0, 1, 1);
    }
    if (step == 1 && start == -1 && end >= INT32_MAX && !webnn_onnx__is_dimension(c, end)) {
      return webnn_onnx__picked(c, x, axis, -1, 0, 1);
    }
    if (step == 1 && start == 0 &&
        (webnn_onnx__is_dimension(c, end) ? end == size && named : end >= INT32_MAX)) {
      return x;
    }
  } else if (!webnn_onnx__is_dimension(c, start) && !webnn_onnx__is_dimension(c, end) &&
             step != 0) {
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    start = start < 0 ? start + size : start;
    end = end < 0 ? end + size : end;
    start = start < 0 ? 0 : start > high ? high : start;
    end = end < low ? low : end > high ? high : end;
    if (step == 1 && end > start) {
      return webnn_onnx__slice(c, x, axis, (uint32_t)start, (uint32_t)(end - start));
    }
    if (step > 0 ? end > start : end < start) {
      return webnn_onnx__picked(c, x, axis, start, end, step);
    }
  }
  return webnn_onnx__no_operand(
      c,
      "the slice of dimension %u%s depends on dynamic dimensions, or has no "
      "elements",
      axis, webnn_onnx__is_open(size) ? ", which is dynamic," : "");
}

/* A slice where dimensions, or its bounds, are dynamic. */
static bool webnn_onnx__open_slice(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  webnn_onnx__slice_lists s;
  size_t i;
  if (x == NULL || !webnn_onnx__slice_lists_of(c, &s)) {
    return false;
  }
  for (i = 0; i < s.count && x != NULL; i++) {
    const int64_t size = webnn_onnx__sizes(x).items[s.axes[i]];
    x = webnn_onnx__slices_by_size(c, size, s.starts[i], s.ends[i], s.steps[i])
            ? webnn_onnx__sized_slice(c, x, s.axes[i], (uint32_t)i)
            : webnn_onnx__slice_axis(c, x, s.axes[i], s.starts[i], s.ends[i], s.steps[i]);
  }
  return webnn_onnx__put(c, 0, x);
}

/* Dimensions with a negative step are reversed, and then sliced from their other end. */
static bool webnn_onnx__lower_slice(webnn_onnx__call *c) {
  webnn_list shape = webnn_onnx__shape(c, 0), starts, sizes;
  webnn_onnx__range ranges[WEBNN_MAX_RANK];
  webnn_list reversed = webnn_extra__no_items();
  webnn_slice_options o = WEBNN_ZERO;
  webnn_onnx__o *x;
  bool empty = false;
  uint32_t i;
  if (webnn_onnx__is_sized(c, 1) || webnn_onnx__is_sized(c, 2)) {
    return webnn_onnx__lower_sized_slice(c);
  }
  if (webnn_onnx__has_open(shape) || webnn_onnx__open_input(c)) {
    return webnn_onnx__open_slice(c);
  }
  if (!webnn_onnx__slice_ranges(c, shape, ranges)) {
    return false;
  }
  starts = sizes = o.strides = webnn_extra__repeat(1, shape.count);
  for (i = 0; i < shape.count; i++) {
    webnn_onnx__range r = ranges[i];
    if (r.step < 0) {
      webnn_extra__append(&reversed, i);
      r.start = (int64_t)shape.items[i] - 1 - r.start;
      r.end = (int64_t)shape.items[i] - 1 - r.end;
      r.step = -r.step;
    }
    starts.items[i] = (uint32_t)r.start;
    sizes.items[i] = r.end > r.start && shape.items[i] != 0 ? (uint32_t)(r.end - r.start) : 0;
    o.strides.items[i] = (uint32_t)r.step;
    empty = empty || sizes.items[i] == 0;
  }
  if (empty) {
    for (i = 0; i < shape.count; i++) {
      sizes.items[i] =
          (uint32_t)(((uint64_t)sizes.items[i] + o.strides.items[i] - 1) / o.strides.items[i]);
    }
    return webnn_onnx__put_empty(c, 0, sizes);
  }
  o.label = c->node->name;
  x = webnn_onnx__x(c, 0);
  for (i = 0; i < reversed.count && webnn_onnx__is_sized(c, 0); i++) { /* followed by gathers */
    const uint32_t axis = reversed.items[i];
    x = webnn_onnx__picked(c, x, axis, (int64_t)shape.items[axis] - 1, -1, -1);
  }
  x = webnn_onnx__is_sized(c, 0) ? x : webnn_onnx__reversed(c, x, reversed);
  return webnn_onnx__put(c, 0, webnn_slice(webnn_onnx__b(c), x, starts, sizes, &o));
}

/* Indices as WebNN takes them: int32, uint32 or int64. */
static webnn_onnx__o *webnn_onnx__indices(webnn_onnx__call *c, size_t i) {
  webnn_onnx__o *x = webnn_onnx__x(c, i);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  if (webnn_onnx__floating(x)) {
    return webnn_onnx__no_operand(c, "input %u must be of integers; it is of %s", (unsigned)i,
                                  webnn_data_type_name(type));
  }
  return type == WEBNN_INT32 || type == WEBNN_INT64 || type == WEBNN_UINT32
             ? x
             : webnn_onnx__cast(c, x, WEBNN_INT64);
}

/* Output 0 has no elements, and the type of input 0. */
static bool webnn_onnx__put_nothing(webnn_onnx__call *c, webnn_list shape) {
  if (shape.count > WEBNN_MAX_RANK) {
    return webnn_onnx__fail(c, "the result has more than 8 dimensions");
  }
  return webnn_onnx__count_of(shape) != 0
             ? webnn_onnx__fail(c, "input 0 has no elements; it must have some for a result %s",
                                webnn_onnx__show_shape(shape).text)
             : webnn_onnx__put_empty(c, 0, shape);
}

/* Gather with an empty list of indices, or of data that have no elements along another axis. */
static bool webnn_onnx__gather_nothing(webnn_onnx__call *c) {
  const webnn_list indices = webnn_onnx__shape(c, 1);
  webnn_list shape = webnn_onnx__shape(c, 0);
  const uint32_t axis = webnn_onnx__axis_of(c, "axis", 0, shape.count);
  uint32_t i;
  shape = webnn_extra__removed(shape, axis);
  for (i = 0; i < indices.count; i++) {
    shape = webnn_extra__inserted(shape, axis + i, indices.items[i]);
  }
  return webnn_onnx__put_nothing(c, c->row->detail == 0 ? shape : indices);
}

/* x as far as indices of GatherElements reach along the axes that are not gathered. */
static webnn_onnx__o *webnn_onnx__reached(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list indices,
                                          uint32_t axis) {
  uint32_t i;
  for (i = 0; i < indices.count && indices.count == webnn_onnx__sizes(x).count; i++) {
    if (i != axis && indices.items[i] < webnn_onnx__sizes(x).items[i]) {
      x = webnn_onnx__slice(c, x, i, 0, indices.items[i]);
    }
  }
  return x;
}

static bool webnn_onnx__lower_gather(webnn_onnx__call *c) {
  const bool nothing = webnn_onnx__has(c, 0) && webnn_onnx__has(c, 1) &&
                       (webnn_onnx__is_empty(c, 0) || webnn_onnx__is_empty(c, 1));
  webnn_onnx__o *x = nothing ? NULL : webnn_onnx__x(c, 0);
  webnn_onnx__o *indices = nothing ? NULL : webnn_onnx__indices(c, 1);
  uint32_t axis;
  if (nothing) {
    return webnn_onnx__gather_nothing(c);
  }
  axis = webnn_onnx__axis_of(c, "axis", 0, webnn_onnx__sizes(x).count);
  if (c->row->detail == 0) {
    return webnn_onnx__put(c, 0, webnn_onnx__gather(c, x, indices, axis));
  }
  x = webnn_onnx__reached(c, x, webnn_onnx__sizes(indices), axis);
  return webnn_onnx__put(c, 0, webnn_onnx__gather_elements(c, x, indices, axis));
}

/* GatherND with an empty list of coordinates. */
static bool webnn_onnx__gather_nd_nothing(webnn_onnx__call *c, int64_t batch) {
  const webnn_list x = webnn_onnx__shape(c, 0), indices = webnn_onnx__shape(c, 1);
  webnn_list shape = indices;
  uint64_t i;
  if (!webnn_onnx__must_have_rank(c, 1, 1, WEBNN_MAX_RANK) ||
      !webnn_onnx__must_be(c, "attribute batch_dims", batch, 0, (int64_t)indices.count - 1)) {
    return false;
  }
  if ((uint64_t)batch + indices.items[indices.count - 1] > x.count) {
    return webnn_onnx__fail(c,
                            "attribute batch_dims (%lld) + the last dimension of input 1 (%u) must "
                            "be at most the rank of input 0 (%u)",
                            (long long)batch, indices.items[indices.count - 1], x.count);
  }
  shape = webnn_extra__removed(shape, shape.count - 1);
  for (i = (uint64_t)batch + indices.items[indices.count - 1]; i < x.count; i++) {
    shape = webnn_extra__inserted(shape, shape.count, x.items[i]);
  }
  return webnn_onnx__put_nothing(c, shape);
}

/* The coordinates of the batch are put before those that are given. */
static bool webnn_onnx__lower_gather_nd(webnn_onnx__call *c) {
  const bool nothing = webnn_onnx__has(c, 0) && webnn_onnx__is_empty(c, 1);
  webnn_onnx__o *x = nothing ? NULL : webnn_onnx__x(c, 0);
  webnn_onnx__o *indices = nothing ? NULL : webnn_onnx__indices(c, 1), *part;
  const webnn_operator_options o = webnn_onnx__label(c);
  const int64_t batch = webnn_onnx__int(c, "batch_dims", 0);
  webnn_list shape = webnn_onnx__sizes(indices), one;
  const webnn_data_type type = webnn_onnx__graph_type_of(indices);
  uint32_t i;
  if (nothing) {
    return webnn_onnx__gather_nd_nothing(c, batch);
  }
  if (batch < 0 || shape.count == 0 || batch >= shape.count ||
      batch >= webnn_onnx__sizes(x).count) {
    return webnn_onnx__fail(c,
                            "attribute batch_dims (%lld) must be less than the ranks of inputs 0 "
                            "and 1 (%u and %u), and not negative",
                            (long long)batch, webnn_onnx__sizes(x).count, shape.count);
  }
  for (i = 0; i < (uint32_t)batch; i++) {
    if (shape.items[i] != webnn_onnx__sizes(x).items[i]) {
      return webnn_onnx__fail(c, "dimension %u of inputs 0 and 1 (%u and %u) must be equal", i,
                              webnn_onnx__sizes(x).items[i], shape.items[i]);
    }
  }
  one = shape;
  one.items[shape.count - 1] = 1;
  for (i = (uint32_t)batch; i-- > 0;) {
    part = webnn_onnx__iota_along(c, shape.items[i], 1, shape.count, i);
    part = webnn_onnx__expand(c, webnn_onnx__cast(c, part, type), one);
    indices = webnn_onnx__concat2(c, part, indices, shape.count - 1);
  }
  return webnn_onnx__put(c, 0, webnn_gather_nd(webnn_onnx__b(c), x, indices, &o));
}

/* The value that leaves others as they are. */
static webnn_onnx__o *webnn_onnx__neutral(webnn_onnx__call *c, webnn_op op, webnn_onnx__o *x) {
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  const bool most = op == WEBNN_OP_REDUCE_MIN;
  if (op == WEBNN_OP_REDUCE_SUM || op == WEBNN_OP_REDUCE_PRODUCT) {
    return webnn_onnx__like(c, x, op == WEBNN_OP_REDUCE_SUM ? 0 : 1);
  }
  if (webnn_onnx__floating(x)) {
    return webnn_onnx__like(c, x, most ? webnn_extra__infinity() : -webnn_extra__infinity());
  }
  if (type == WEBNN_UINT64) {
    return webnn_constant_from_number(webnn_onnx__b(c), type, webnn_u64(most ? UINT64_MAX : 0));
  }
  /* Clamped to the type. */
  return webnn_constant_from_number(webnn_onnx__b(c), type,
                                    webnn_i64(most ? INT64_MAX : INT64_MIN));
}

/* What several updates of one element become: a number that webnn_onnx__scatter_reduced has, or 0,
   of which each replaces it. */
static size_t webnn_onnx__reduction(webnn_onnx__call *c) {
  return webnn_onnx__word(c, "reduction", "none", "none|add|mul|max|min");
}

/* Several updates may be for one row of x [rows, n]: each element takes what all updates [k, n]
   that are its own reduce to, found by comparing rows: `at` [k, n], or [k, 1] for all of a row. */
static webnn_onnx__o *webnn_onnx__scatter_reduced(webnn_onnx__call *c, webnn_onnx__o *x,
                                                  webnn_onnx__o *at, webnn_onnx__o *updates,
                                                  size_t reduction) {
  static const char *const names[] = {"none", "add", "mul", "max", "min"};
  static const webnn_op reductions[] = {WEBNN_OP_REDUCE_SUM, WEBNN_OP_REDUCE_SUM,
                                        WEBNN_OP_REDUCE_PRODUCT, WEBNN_OP_REDUCE_MAX,
                                        WEBNN_OP_REDUCE_MIN};
  static const webnn_op ops[] = {WEBNN_OP_ADD, WEBNN_OP_ADD, WEBNN_OP_MUL, WEBNN_OP_MAX,
                                 WEBNN_OP_MIN};
  const webnn_list u = webnn_onnx__sizes(updates), where = webnn_onnx__sizes(at);
  const uint32_t rows = webnn_onnx__sizes(x).items[0];
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  webnn_onnx__o *mask;

  if (rows * webnn_onnx__count_of(u) > WEBNN_ONNX__MOST_INDICES) {
    return webnn_onnx__no_operand(
        c,
        "reduction %s: the number of pairs of elements and updates (%llu) must "
        "be at most %d",
        names[reduction], (unsigned long long)(rows * webnn_onnx__count_of(u)),
        WEBNN_ONNX__MOST_INDICES);
  }
  if (webnn_data_type_bits(type) == 8) { /* sums and products of 8 bits are not WebNN's */
    x = webnn_onnx__cast(c, x, WEBNN_INT32);
    updates = webnn_onnx__cast(c, updates, WEBNN_INT32);
  }
  at = webnn_onnx__reshape(c, at, webnn_extra__inserted(where, 0, 1));
  mask = webnn_onnx__equal(c, at, webnn_onnx__iota_along(c, rows, 1, 3, 0));
  updates = webnn_onnx__reshape(c, updates, webnn_extra__inserted(u, 0, 1));
  updates = webnn_onnx__select(c, mask, updates, webnn_onnx__neutral(c, reductions[reduction], x));
  updates = webnn_onnx__reduce(c, reductions[reduction], updates, webnn_extra__list1(1), false);
  x = webnn_onnx__cast(c, webnn_onnx__2(c, ops[reduction], x, updates), type);
  if (webnn_onnx__type(c, 0) == WEBNN_ONNX_BOOL) {
    return webnn_onnx__min(c, x, webnn_onnx__like(c, x, 1));
  }
  return webnn_onnx__wrapped(c, x, webnn_onnx__type(c, 0));
}

/* An index that may count from the end, as int64 from the beginning. */
static webnn_onnx__o *webnn_onnx__from_begin(webnn_onnx__call *c, webnn_onnx__o *indices,
                                             uint32_t size) {
  webnn_onnx__o *i = webnn_onnx__cast(c, indices, WEBNN_INT64);
  return webnn_onnx__select(c, webnn_onnx__less(c, i, webnn_onnx__like(c, i, 0)),
                            webnn_onnx__plus(c, i, size), i);
}

/* ScatterElements with a reduction, where the indices have all of the other dimensions. */
static webnn_onnx__o *webnn_onnx__scatter_along(webnn_onnx__call *c, webnn_onnx__o *x,
                                                webnn_onnx__o *indices, webnn_onnx__o *updates,
                                                uint32_t axis, size_t reduction) {
  const uint32_t rows = webnn_onnx__sizes(x).items[axis];
  const uint32_t k = webnn_onnx__sizes(indices).items[axis];
  const uint64_t n = webnn_onnx__count_of(webnn_onnx__sizes(x)) / rows;
  webnn_onnx__o *at = webnn_onnx__from_begin(c, indices, rows);
  webnn_list shape;
  x = webnn_onnx__move_axis(c, x, axis, 0);
  shape = webnn_onnx__sizes(x);
  x = webnn_onnx__as2(c, x, rows, n);
  at = webnn_onnx__move_axis(c, at, axis, 0);
  at = webnn_onnx__as2(c, at, k, n);
  updates = webnn_onnx__move_axis(c, updates, axis, 0);
  updates = webnn_onnx__as2(c, updates, k, n);
  x = webnn_onnx__scatter_reduced(c, x, at, updates, reduction);
  x = webnn_onnx__reshape(c, x, shape);
  return webnn_onnx__move_axis(c, x, 0, axis);
}

static bool webnn_onnx__lower_scatter_elements(webnn_onnx__call *c) {
  const bool nothing = webnn_onnx__has(c, 0) && webnn_onnx__is_empty(c, 1);
  webnn_onnx__o *x = nothing ? NULL : webnn_onnx__x(c, 0);
  webnn_onnx__o *indices = nothing ? NULL : webnn_onnx__indices(c, 1);
  webnn_onnx__o *updates = nothing ? NULL : webnn_onnx__x(c, 2), *at, *part;
  const size_t reduction = webnn_onnx__reduction(c);
  const webnn_list shape = webnn_onnx__sizes(x), u = webnn_onnx__sizes(indices);
  uint32_t axis, i;
  if (nothing) { /* is replaced */
    return webnn_onnx__put_input(c, 0, 0);
  }
  axis = webnn_onnx__axis_of(c, "axis", 0, shape.count);
  for (i = 0; i < shape.count && (i == axis || u.items[i] <= shape.items[i]); i++) {
  }
  if (i < shape.count || u.count != shape.count) {
    return webnn_onnx__fail(
        c, "input 1 shape %s must be within that of input 0 (%s) but for axis %u",
        webnn_onnx__show_shape(u).text, webnn_onnx__show_shape(shape).text, axis);
  }
  if (!webnn_extra__same_list(u, webnn_onnx__sizes(updates))) {
    return webnn_onnx__fail(c, "input 2 shape %s must be that of input 1 (%s)",
                            webnn_onnx__show_shape(webnn_onnx__sizes(updates)).text,
                            webnn_onnx__show_shape(u).text);
  }
  for (i = 0; i < shape.count && (i == axis || u.items[i] == shape.items[i]); i++) {
  }
  if (i == shape.count) {
    return webnn_onnx__put(
        c, 0,
        reduction == 0 ? webnn_onnx__scatter(c, x, indices, updates, axis)
                       : webnn_onnx__scatter_along(c, x, indices, updates, axis, reduction));
  }
  at = webnn_onnx__from_begin(c, indices, shape.items[axis]);
  at = webnn_onnx__scaled(c, at, (double)webnn_extra__product(shape, axis + 1, shape.count));
  for (i = 0; i < shape.count; i++) {
    part =
        webnn_onnx__iota(c, u.items[i], (int64_t)webnn_extra__product(shape, i + 1, shape.count));
    at = i == axis ? at : webnn_onnx__add(c, at, webnn_onnx__along(c, part, shape.count, i));
  }
  /* Updates for a part of x: as a list, whose rows have one element. */
  part = webnn_onnx__as2(c, x, webnn_onnx__count_of(shape), 1);
  at = webnn_onnx__as2(c, at, webnn_onnx__count_of(u), 1);
  updates = webnn_onnx__reshape(c, updates, webnn_onnx__sizes(at));
  part = reduction == 0 ? webnn_onnx__scatter(c, part, at, updates, 0)
                        : webnn_onnx__scatter_reduced(c, part, at, updates, reduction);
  return webnn_onnx__put(c, 0, webnn_onnx__reshape(c, part, shape));
}

static bool webnn_onnx__lower_scatter_nd(webnn_onnx__call *c) {
  const bool nothing = webnn_onnx__has(c, 0) && webnn_onnx__is_empty(c, 1);
  webnn_onnx__o *x = nothing ? NULL : webnn_onnx__x(c, 0);
  webnn_onnx__o *indices = nothing ? NULL : webnn_onnx__indices(c, 1);
  webnn_onnx__o *updates = nothing ? NULL : webnn_onnx__x(c, 2), *at = NULL, *part;
  const size_t reduction = webnn_onnx__reduction(c);
  const webnn_operator_options o = webnn_onnx__label(c);
  const webnn_list shape = webnn_onnx__sizes(x), u = webnn_onnx__sizes(indices);
  webnn_list expected;
  uint32_t depth, i;
  uint64_t count, inner;
  if (nothing) { /* is replaced */
    return webnn_onnx__put_input(c, 0, 0);
  }
  if (reduction == 0) {
    return webnn_onnx__put(c, 0, webnn_scatter_nd(webnn_onnx__b(c), x, indices, updates, &o));
  }
  depth = u.count == 0 ? 0 : u.items[u.count - 1];
  if (depth == 0 || depth > shape.count) {
    return webnn_onnx__fail(c, "the last dimension of input 1 (%u) must be 1 to %u", depth,
                            shape.count);
  }
  expected = webnn_extra__removed(u, u.count - 1);
  for (i = depth; i < shape.count; i++) {
    expected = webnn_extra__inserted(expected, expected.count, shape.items[i]);
  }
  if (!webnn_extra__same_list(expected, webnn_onnx__sizes(updates))) {
    return webnn_onnx__fail(c, "input 2 shape %s must be %s",
                            webnn_onnx__show_shape(webnn_onnx__sizes(updates)).text,
                            webnn_onnx__show_shape(expected).text);
  }
  count = webnn_extra__product(u, 0, u.count - 1);
  inner = webnn_extra__product(shape, depth, shape.count);
  indices = webnn_onnx__as2(c, indices, count, depth);
  for (i = 0; i < depth; i++) {
    part = webnn_onnx__from_begin(c, webnn_onnx__slice(c, indices, 1, i, 1), shape.items[i]);
    part = webnn_onnx__scaled(c, part, (double)webnn_extra__product(shape, i + 1, depth));
    at = webnn_onnx__with(c, WEBNN_OP_ADD, at, part);
  }
  updates = webnn_onnx__as2(c, updates, count, inner);
  part = webnn_onnx__as2(c, x, webnn_onnx__count_of(shape) / inner, inner);
  part = webnn_onnx__scatter_reduced(c, part, at, updates, reduction);
  return webnn_onnx__put(c, 0, webnn_onnx__reshape(c, part, shape));
}

/* The begin and end padding of each dimension. */
static bool webnn_onnx__pads(webnn_onnx__call *c, uint32_t rank, int64_t *begin, int64_t *end) {
  const webnn_onnx__integer_list pads =
      webnn_onnx__list_of(c, c->version < 2 ? "paddings" : "pads", 1, 2 * WEBNN_MAX_RANK);
  const webnn_onnx__integer_list axes = webnn_onnx__list_of(c, "", 3, WEBNN_MAX_RANK);
  const size_t count = axes.given ? axes.count : rank;
  size_t i;
  if (pads.count != 2 * count) {
    return webnn_onnx__fail(c, "the number of pads (%u) must be twice that of axes (%u)",
                            (unsigned)pads.count, (unsigned)count);
  }
  for (i = 0; i < WEBNN_MAX_RANK; i++) {
    begin[i] = end[i] = 0;
  }
  for (i = 0; i < count; i++) {
    const uint32_t axis = webnn_onnx__axis(c, axes.given ? axes.items[i] : (int64_t)i, rank);
    begin[axis] = pads.items[i];
    end[axis] = pads.items[i + count];
    if (begin[axis] < -INT32_MAX || begin[axis] > INT32_MAX || end[axis] < -INT32_MAX ||
        end[axis] > INT32_MAX) {
      return webnn_onnx__fail(
          c, "the pads of axis %u (%lld and %lld) must be -2147483647 to 2147483647", axis,
          (long long)begin[axis], (long long)end[axis]);
    }
  }
  return !webnn_onnx__failed(c);
}

/* Continues periodically, or reflected at the first and last element, as often as needed. */
static webnn_onnx__o *webnn_onnx__pad_period(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                             int64_t begin, int64_t end, bool reflect) {
  const int64_t size = webnn_onnx__sizes(x).items[axis];
  const int64_t period = !reflect ? size : size > 1 ? 2 * (size - 1) : 1;
  uint64_t room = (uint64_t)(begin + size + end), i;
  int64_t *items = (int64_t *)webnn_onnx__scratch(c, &room, sizeof *items);
  for (i = 0; i < room; i++) {
    const int64_t at = (((int64_t)i - begin) % period + period) % period;
    items[i] = at < size ? at : period - at;
  }
  return webnn_onnx__gather(
      c, x, webnn_onnx__constant_of(c, WEBNN_INT64, webnn_extra__list1(room), items), axis);
}

/* Pad's constant, from the attribute or the input. */
static bool webnn_onnx__pad_value(webnn_onnx__call *c, webnn_number *value) {
  const webnn_onnx__value *v;
  webnn_data_type type;
  *value = webnn_f64(webnn_onnx__float(c, "value", 0));
  if (!webnn_onnx__has(c, 2)) {
    return true;
  }
  v = webnn_onnx__known(c, 2);
  if (webnn_onnx__count_of(v->shape) != 1) {
    return webnn_onnx__fail(c, "input 2 must be one number; its shape is %s",
                            webnn_onnx__show_shape(webnn_onnx__shape(c, 2)).text);
  }
  type = webnn_onnx_graph_type(v->type);
  *value = type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16 || webnn_data_type_bits(type) < 8
               ? webnn_f64(webnn_onnx__number_at(v, 0))
           : type == WEBNN_UINT64 ? webnn_u64((uint64_t)webnn_onnx__integer_at(v, 0))
                                  : webnn_i64(webnn_onnx__integer_at(v, 0));
  return true;
}

/* Padding with one value, which may be computed: then it is chosen where a mask was padded. */
static webnn_onnx__o *webnn_onnx__pad_constant(webnn_onnx__call *c, webnn_onnx__o *x,
                                               webnn_list before, webnn_list after) {
  webnn_number value = WEBNN_ZERO;
  webnn_onnx__o *mask, *number;
  if (!webnn_onnx__varies(c, 2)) {
    return webnn_onnx__pad_value(c, &value)
               ? webnn_onnx__pad(c, x, before, after, WEBNN_PADDING_CONSTANT, value)
               : NULL;
  }
  if (webnn_onnx__count_of(webnn_onnx__shape(c, 2)) != 1) {
    return webnn_onnx__no_operand(c, "input 2 must be one number; its shape is %s",
                                  webnn_onnx__show_shape(webnn_onnx__shape(c, 2)).text);
  }
  value = webnn_f64(0);
  mask = webnn_onnx__expand(c, webnn_onnx__number(c, WEBNN_UINT8, 1), webnn_onnx__sizes(x));
  mask = webnn_onnx__pad(c, mask, before, after, WEBNN_PADDING_CONSTANT, value);
  x = webnn_onnx__pad(c, x, before, after, WEBNN_PADDING_CONSTANT, value);
  number = webnn_onnx__widened(c, webnn_onnx__x(c, 2));
  return webnn_onnx__select(c, mask, x, webnn_onnx__reshape(c, number, webnn_extra__no_items()));
}

/* Of Pad's modes 0, 1 and 2, "constant", "edge" and "reflect". */
static const webnn_padding_mode webnn_onnx__padding_modes[] = {
    WEBNN_PADDING_CONSTANT, WEBNN_PADDING_EDGE, WEBNN_PADDING_REFLECTION};

/* Is a dimension continued by indices (mode 3 wraps, 2 reflects)? WebNN reflects it no further than
   its other end. */
static bool webnn_onnx__pads_by_period(size_t mode, int64_t size, int64_t before, int64_t after) {
  return before + after != 0 && (mode == 3 || (mode == 2 && (before >= size || after >= size)));
}

/* The pads of all dimensions on one side, which begin with item `first` of the list; 0 along those
   that are no axis. */
static webnn_onnx__o *webnn_onnx__sized_pads(webnn_onnx__call *c, uint32_t rank,
                                             const uint32_t *places, uint32_t first) {
  webnn_onnx__o *list = webnn_onnx__x(c, 1), *parts[WEBNN_MAX_RANK];
  webnn_onnx__o *zero = webnn_onnx__like(c, list, 0);
  uint32_t i;
  zero = webnn_onnx__reshape(c, zero, webnn_extra__list1(1));
  for (i = 0; i < rank; i++) {
    parts[i] = places[i] < rank ? webnn_onnx__slice(c, list, 0, first + places[i], 1) : zero;
  }
  return webnn_onnx__concat(c, parts, rank, 0);
}

/* Which item of the list of pads each dimension has: none (WEBNN_MAX_RANK) along those that are no
   axis. Returns how many axes there are. */
static size_t webnn_onnx__pad_places(webnn_onnx__call *c, uint32_t rank, uint32_t *places) {
  const webnn_onnx__integer_list axes = webnn_onnx__list_of(c, "", 3, WEBNN_MAX_RANK);
  size_t i;
  for (i = 0; i < rank; i++) {
    places[i] = axes.given ? WEBNN_MAX_RANK : (uint32_t)i;
  }
  for (i = 0; i < axes.count; i++) {
    places[webnn_onnx__axis(c, axes.items[i], rank)] = (uint32_t)i;
  }
  return axes.given ? axes.count : rank;
}

/* Padding by sizes that are known when the graph runs, none of them negative then. */
static bool webnn_onnx__sized_pad(webnn_onnx__call *c, size_t mode) {
  const uint32_t rank = webnn_onnx__shape(c, 0).count;
  const webnn_data_type type = webnn_onnx_graph_type(webnn_onnx__type(c, 0));
  uint32_t places[WEBNN_MAX_RANK];
  size_t count;
  webnn_pad_options o = WEBNN_ZERO;
  webnn_onnx__o *x, *begin, *end;
  if (!webnn_onnx__must_have_rank(c, 0, 1, WEBNN_MAX_RANK) ||
      !webnn_onnx__must_have_rank(c, 1, 1, 1)) {
    return false;
  }
  count = webnn_onnx__pad_places(c, rank, places);
  if (webnn_onnx__shape(c, 1).items[0] != 2 * count || mode == 3) {
    return webnn_onnx__fail(c, "pads by sizes must be two for each of %u axes, and not wrap",
                            (unsigned)count);
  }
  o.label = c->node->name;
  o.mode = webnn_onnx__padding_modes[mode];
  if (o.mode == WEBNN_PADDING_CONSTANT && !webnn_onnx__pad_value(c, &o.value)) {
    return false;
  }
  begin = webnn_onnx__sized_pads(c, rank, places, 0);
  end = webnn_onnx__sized_pads(c, rank, places, (uint32_t)count);
  x = webnn_onnx__widened(c, webnn_onnx__x(c, 0));
  x = webnn_onnx__narrowed(c, webnn_pad_dynamic(webnn_onnx__b(c), x, begin, end, &o), type);
  return webnn_onnx__put(c, 0, x);
}

/* Negative paddings cut off. 4-bit integers go through float32. */
static bool webnn_onnx__lower_pad(webnn_onnx__call *c) {
  const size_t mode = webnn_onnx__word(c, "mode", "constant", "constant|edge|reflect|wrap");
  const webnn_data_type type = webnn_onnx_graph_type(webnn_onnx__type(c, 0));
  webnn_onnx__o *x = webnn_onnx__widened(c, webnn_onnx__x(c, 0));
  int64_t begin[WEBNN_MAX_RANK], end[WEBNN_MAX_RANK];
  const uint32_t rank = webnn_onnx__sizes(x).count;
  webnn_list before = webnn_extra__repeat(0, rank), after = before;
  uint32_t i;
  if (webnn_onnx__is_of_sizes(c, 1) && c->version >= 11 && !webnn_onnx__failed(c)) {
    return webnn_onnx__sized_pad(c, mode);
  }
  if (!webnn_onnx__pads(c, rank, begin, end)) {
    return false;
  }
  for (i = 0; i < rank; i++) {
    const int64_t size = webnn_onnx__sizes(x).items[i], cut = begin[i] < 0 ? -begin[i] : 0;
    const int64_t rest = size - cut + (end[i] < 0 ? end[i] : 0);
    if (webnn_onnx__is_open(size) && (rest != size || (begin[i] + end[i] != 0 && mode == 3))) {
      return webnn_onnx__fail(c, "dimension %u, which is dynamic, can be padded, but not %s", i,
                              rest != size ? "cut" : "continued");
    }
    if (rest <= 0) {
      return webnn_onnx__fail(c, "pads (%lld and %lld) must leave some of dimension %u (%lld)",
                              (long long)begin[i], (long long)end[i], i, (long long)size);
    }
    x = webnn_onnx__slice(c, x, i, (uint32_t)cut, (uint32_t)rest);
    before.items[i] = begin[i] > 0 ? (uint32_t)begin[i] : 0;
    after.items[i] = end[i] > 0 ? (uint32_t)end[i] : 0;
    if (webnn_onnx__pads_by_period(mode, rest, before.items[i], after.items[i])) {
      x = webnn_onnx__pad_period(c, x, i, before.items[i], after.items[i], mode == 2);
      before.items[i] = after.items[i] = 0;
    }
  }
  if (mode == 0) {
    x = webnn_onnx__pad_constant(c, x, before, after);
  } else if (mode < 3) {
    x = webnn_onnx__pad(c, x, before, after, webnn_onnx__padding_modes[mode], webnn_f64(0));
  }
  x = webnn_onnx__narrowed(c, x, type);
  return webnn_onnx__put(c, 0, x);
}

static bool webnn_onnx__lower_tile(webnn_onnx__call *c) {
  const webnn_operator_options o = webnn_onnx__label(c);
  webnn_list shape = webnn_onnx__shape(c, 0), repetitions;
  int64_t items[WEBNN_MAX_RANK];
  webnn_onnx__o *x;
  uint32_t i;
  if (c->version >= 6 && webnn_onnx__is_of_sizes(c, 1)) {
    return webnn_onnx__put(
        c, 0, webnn_tile_dynamic(webnn_onnx__b(c), webnn_onnx__x(c, 0), webnn_onnx__x(c, 1), &o));
  }
  if (c->version < 6) { /* a number and an axis, which are floats */
    const double tiles = webnn_onnx__scalar(c, 1), axis = webnn_onnx__scalar(c, 2);
    if (!(axis >= 0) || axis >= shape.count || !(tiles >= 0 && tiles <= INT32_MAX)) {
      return webnn_onnx__fail(c,
                              "input 1 (%g) must be 0 to 2147483647, and input 2 (%g) an axis of "
                              "%u dimensions",
                              tiles, axis, shape.count);
    }
    repetitions = webnn_extra__repeat(1, shape.count);
    repetitions.items[(uint32_t)axis] = (uint32_t)tiles;
  } else if (!webnn_onnx__to_list(c, items, webnn_onnx__integers(c, 1, items, WEBNN_MAX_RANK),
                                  &repetitions)) {
    return false;
  }
  for (i = 0; i < shape.count && shape.count == repetitions.count; i++) {
    shape.items[i] = repetitions.items[i] == 0 ? 0 : shape.items[i];
    if (webnn_onnx__is_open(shape.items[i])) {
      continue;
    }
    if (shape.items[i] > INT32_MAX / (repetitions.items[i] == 0 ? 1 : repetitions.items[i])) {
      return webnn_onnx__fail(c,
                              "dimension %u (%u) x its repetitions (%u) must be at most 2147483647",
                              i, shape.items[i], repetitions.items[i]);
    }
    shape.items[i] *= repetitions.items[i];
  }
  if (webnn_onnx__has(c, 0) && shape.count == repetitions.count &&
      webnn_onnx__count_of(shape) == 0 && !webnn_onnx__has_open(shape)) {
    return webnn_onnx__put_empty(c, 0, shape);
  }
  x = webnn_onnx__x(c, 0);
  return webnn_onnx__put(c, 0, webnn_tile(webnn_onnx__b(c), x, repetitions, &o));
}

/* A list of sizes with ones before it, `count` items in all. */
static webnn_onnx__o *webnn_onnx__ones_before(webnn_onnx__call *c, webnn_onnx__o *list,
                                              uint32_t count) {
  const uint32_t there = webnn_onnx__sizes(list).items[0];
  webnn_onnx__o *one = webnn_onnx__number(c, WEBNN_INT64, 1);
  return there < count
             ? webnn_onnx__concat2(c, webnn_onnx__expand(c, one, webnn_extra__list1(count - there)),
                                   list, 0)
             : list;
}

/* Expand to sizes that are known when the graph runs. */
static bool webnn_onnx__sized_expand(webnn_onnx__call *c) {
  const webnn_operator_options o = webnn_onnx__label(c);
  const uint32_t rank = webnn_onnx__shape(c, 0).count, count = webnn_onnx__shape(c, 1).items[0];
  const uint32_t most = rank > count ? rank : count;
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *to = webnn_onnx__ranked(c, 1, 1, 1), *from, *one;
  from = rank == 0
             ? webnn_onnx__expand(c, webnn_onnx__number(c, WEBNN_INT64, 1), webnn_extra__list1(1))
             : webnn_onnx__sizes_from(c, x, 0, rank);
  from = webnn_onnx__ones_before(c, from, most);
  to = webnn_onnx__ones_before(c, to, most);
  one = webnn_onnx__like(c, to, 1);
  to = webnn_onnx__select(c, webnn_onnx__equal(c, to, one), from, to); /* either may stretch */
  return webnn_onnx__put(c, 0, webnn_expand_dynamic(webnn_onnx__b(c), x, to, &o));
}

static bool webnn_onnx__lower_expand(webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  webnn_list to;
  int64_t items[WEBNN_MAX_RANK];
  bool good = webnn_onnx__has(c, 0);
  size_t count;
  uint32_t i;
  if (webnn_onnx__is_sized(c, 1)) {
    return webnn_onnx__sized_expand(c);
  }
  count = webnn_onnx__integers(c, 1, items, WEBNN_MAX_RANK);
  if (webnn_onnx__has_unnamed(items, count)) {
    return webnn_onnx__sized_expand(c);
  }
  if (webnn_onnx__failed(c) || !webnn_onnx__to_list(c, items, count, &to)) {
    return false;
  }
  while (to.count < shape.count) {
    to = webnn_extra__inserted(to, 0, 1);
  }
  for (i = 0; i < shape.count; i++) { /* either may stretch */
    uint32_t *t = &to.items[to.count - shape.count + i];
    *t = *t == 1 ? shape.items[i] : *t;
    good = good && (shape.items[i] == 1 || shape.items[i] == *t);
  }
  if (good && webnn_onnx__count_of(to) == 0) {
    return webnn_onnx__put_empty(c, 0, to);
  }
  for (i = 0; i < to.count && to.items[i] != WEBNN_DYNAMIC_DIMENSION; i++) {
  }
  if (i < to.count && !webnn_extra__same_list(to, shape)) {
    return webnn_onnx__sized_expand(c); /* a dimension of input 0 without a name */
  }
  return webnn_onnx__put(c, 0, webnn_onnx__expand(c, webnn_onnx__x(c, 0), to));
}

static bool webnn_onnx__lower_depth_to_space(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 4, 4);
  const webnn_list s = webnn_onnx__sizes(x);
  const uint32_t b = (uint32_t)webnn_onnx__int_in(c, "blocksize", 0, 1, 65535);
  const bool columns = strcmp(webnn_onnx__string(c, "mode", "DCR"), "CRD") == 0;
  static const uint32_t dcr[] = {0, 3, 4, 1, 5, 2}, crd[] = {0, 1, 4, 2, 5, 3},
                        back[] = {0, 3, 5, 1, 2, 4};
  const bool to_space = c->row->detail == 0;
  webnn_list shape = webnn_extra__repeat(b, 6);

  if ((to_space ? s.items[1] % ((uint64_t)b * b) : s.items[2] % b + s.items[3] % b) != 0) {
    return to_space
               ? webnn_onnx__fail(
                     c, "the channels of input 0 (%u) must be a multiple of blocksize (%u) squared",
                     s.items[1], b)
               : webnn_onnx__fail(
                     c,
                     "the height and width of input 0 (%u and %u) must be multiples of "
                     "blocksize (%u)",
                     s.items[2], s.items[3], b);
  }
  shape.items[0] = s.items[0];
  if (to_space) {
    shape.items[columns ? 1 : 3] = s.items[1] / (b * b);
    shape.items[4] = s.items[2], shape.items[5] = s.items[3];
    x = webnn_onnx__reshape(c, x, shape);
    x = webnn_onnx__transpose(c, x, webnn_list_of(columns ? crd : dcr, 6));
    shape = webnn_extra__list4(s.items[0], s.items[1] / (b * b), s.items[2] * b, s.items[3] * b);
  } else {
    shape.items[1] = s.items[1], shape.items[2] = s.items[2] / b, shape.items[4] = s.items[3] / b;
    x = webnn_onnx__transpose(c, webnn_onnx__reshape(c, x, shape), webnn_list_of(back, 6));
    shape = webnn_extra__list4(s.items[0], s.items[1] * b * b, s.items[2] / b, s.items[3] / b);
  }
  return webnn_onnx__put(c, 0, webnn_onnx__reshape(c, x, shape));
}

static bool webnn_onnx__lower_trilu(webnn_onnx__call *c) {
  webnn_triangular_options o = WEBNN_ZERO;
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  int64_t k = webnn_onnx__optional_integer(c, 1, 0);
  k = k > INT32_MAX ? INT32_MAX : k < -INT32_MAX ? -INT32_MAX : k;
  o.label = c->node->name;
  o.lower = webnn_onnx__int(c, "upper", 1) == 0;
  o.diagonal = (int32_t)k;
  return webnn_onnx__put(c, 0, webnn_triangular(webnn_onnx__b(c), x, &o));
}

static bool webnn_onnx__lower_cumulative_sum(webnn_onnx__call *c) {
  webnn_cumulative_sum_options o = WEBNN_ZERO;
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const uint32_t axis =
      webnn_onnx__axis(c, webnn_onnx__scalar_integer(c, 1), webnn_onnx__sizes(x).count);
  o.label = c->node->name;
  o.exclusive = webnn_onnx__flag(c, "exclusive");
  o.reversed = webnn_onnx__flag(c, "reverse");
  return webnn_onnx__put(c, 0, webnn_cumulative_sum(webnn_onnx__b(c), x, axis, &o));
}

/* x moved by `by` along the axis, with ones where nothing is. */
static webnn_onnx__o *webnn_onnx__delayed(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                          uint32_t by) {
  const webnn_list shape = webnn_onnx__sizes(x);
  webnn_list begin = webnn_extra__repeat(0, shape.count), end = begin;
  begin.items[axis] = by;
  x = webnn_onnx__slice(c, x, axis, 0, shape.items[axis] - by);
  return webnn_onnx__pad(c, x, begin, end, WEBNN_PADDING_CONSTANT,
                         webnn_onnx__floating(x) ? webnn_f64(1) : webnn_i64(1));
}

/* Products of 2, 4, 8, ... elements, of which those of all before are made. */
static bool webnn_onnx__lower_cumulative_product(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const bool reversed = webnn_onnx__flag(c, "reverse");
  const webnn_list shape = webnn_onnx__sizes(x);
  const uint32_t axis = webnn_onnx__axis(c, webnn_onnx__scalar_integer(c, 1), shape.count);
  webnn_list turned;
  uint32_t by;
  if (webnn_onnx__failed(c)) {
    return false;
  }
  turned = reversed ? webnn_extra__list1(axis) : webnn_extra__no_items();
  x = webnn_onnx__reversed(c, x, turned);
  if (webnn_onnx__flag(c, "exclusive")) {
    x = shape.items[axis] == 1 ? webnn_onnx__expand(c, webnn_onnx__like(c, x, 1), shape)
                               : webnn_onnx__delayed(c, x, axis, 1);
  }
  for (by = 1; by < shape.items[axis]; by *= 2) {
    x = webnn_onnx__mul(c, x, webnn_onnx__delayed(c, x, axis, by));
  }
  x = webnn_onnx__reversed(c, x, turned);
  return webnn_onnx__put(c, 0, webnn_onnx__wrapped(c, x, webnn_onnx__type(c, 0)));
}

/* Each axis cut or padded to its size, as much at the end as at the beginning, or one more. */
static bool webnn_onnx__lower_center_crop_pad(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const webnn_list shape = webnn_onnx__sizes(x);
  const size_t axes = webnn_onnx__axis_count(c, shape.count);
  webnn_list begin = webnn_extra__repeat(0, shape.count), end = begin;
  int64_t sizes[WEBNN_MAX_RANK];
  const size_t count = webnn_onnx__integers(c, 1, sizes, WEBNN_MAX_RANK);
  size_t i;
  if (count != axes) {
    return webnn_onnx__fail(c,
                            "the number of elements of input 1 (%u) must be that of the axes (%u)",
                            (unsigned)count, (unsigned)axes);
  }
  for (i = 0; i < count; i++) {
    const uint32_t axis = webnn_onnx__nth_axis(c, i, shape.count);
    if (!webnn_onnx__must_be(c, "a size in input 1", sizes[i], 1, INT32_MAX)) {
      return false;
    }
    if ((uint32_t)sizes[i] <= shape.items[axis]) {
      x = webnn_onnx__slice(c, x, axis, (shape.items[axis] - (uint32_t)sizes[i]) / 2,
                            (uint32_t)sizes[i]);
    } else {
      const uint32_t more = (uint32_t)sizes[i] - shape.items[axis];
      begin.items[axis] = more / 2;
      end.items[axis] = more - more / 2;
    }
  }
  return webnn_onnx__put(c, 0,
                         webnn_onnx__pad(c, x, begin, end, WEBNN_PADDING_CONSTANT, webnn_f64(0)));
}

/* Before version 11 an index below 0 is none, as are all that are too large. */
static bool webnn_onnx__lower_one_hot(webnn_onnx__call *c) {
  webnn_onnx__o *indices = webnn_onnx__ranked(c, 0, 0, WEBNN_MAX_RANK - 1),
                *values = webnn_onnx__x(c, 2), *mask;
  webnn_list shape = webnn_onnx__sizes(indices);
  int64_t depth;
  uint32_t axis;
  const double number = webnn_onnx__scalar(c, 1);
  if (!(number >= 1 && number <= INT32_MAX)) {
    return webnn_onnx__fail(c, "the depth in input 1 (%g) must be 1 to 2147483647", number);
  }
  depth = (int64_t)number;
  axis = webnn_onnx__axis_of(c, "axis", -1, shape.count + 1);
  mask = c->version < 11 || webnn_onnx__is_unsigned(indices)
             ? webnn_onnx__cast(c, indices, WEBNN_INT64)
             : webnn_onnx__from_begin(c, indices, (uint32_t)depth);
  mask = webnn_onnx__reshape(c, mask, webnn_extra__inserted(shape, axis, 1));
  indices = webnn_onnx__iota_along(c, (uint32_t)depth, 1, shape.count + 1, axis);
  mask = webnn_onnx__equal(c, mask, indices);
  values = webnn_onnx__select(
      c, mask,
      webnn_onnx__reshape(c, webnn_onnx__slice(c, values, 0, 1, 1), webnn_extra__no_items()),
      webnn_onnx__reshape(c, webnn_onnx__slice(c, values, 0, 0, 1), webnn_extra__no_items()));
  return webnn_onnx__put_as(c, 0, values, webnn_onnx__type(c, 2));
}

static webnn_onnx__o *webnn_onnx__arg(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                      bool max, bool keep) {
  webnn_arg_min_max_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.keep_dimensions = keep;
  o.output_data_type = WEBNN_INT64;
  return max ? webnn_arg_max(webnn_onnx__b(c), x, axis, &o)
             : webnn_arg_min(webnn_onnx__b(c), x, axis, &o);
}

/* The place of the first largest (or least) of what is left; where all that is left is as small as
   what has been taken counts, the first that has not been taken. */
static webnn_onnx__o *webnn_onnx__next_best(webnn_onnx__call *c, webnn_onnx__o *left,
                                            webnn_onnx__o *taken, webnn_onnx__o *least,
                                            uint32_t axis, bool largest) {
  const webnn_op op = largest ? WEBNN_OP_REDUCE_MAX : WEBNN_OP_REDUCE_MIN;
  webnn_onnx__o *i = webnn_onnx__arg(c, left, axis, largest, true), *best;
  if (taken == NULL) {
    return i;
  }
  best = webnn_onnx__reduce(c, op, left, webnn_extra__list1(axis), true);
  return webnn_onnx__select(c, webnn_onnx__equal(c, best, least),
                            webnn_onnx__arg(c, taken, axis, false, true), i);
}

/* So many pairs of elements are compared at most where a list is sorted. */
#define WEBNN_ONNX__MOST_PAIRS 67108864

/* The first k of lists [outer, n] sorted: an element's place is the number of those that
   come before it, by value or, of equal ones, by place. NaN comes first, as it does for
   argMax and argMin. */
static webnn_onnx__o *webnn_onnx__sorted_places(webnn_onnx__call *c, webnn_onnx__o *x, bool largest,
                                                uint32_t k) {
  const webnn_list s = webnn_onnx__sizes(x);
  const uint32_t n = s.items[1];
  webnn_onnx__o *a = webnn_onnx__as3(c, x, s.items[0], n, 1);
  webnn_onnx__o *b = webnn_onnx__as3(c, x, s.items[0], 1, n);
  webnn_onnx__o *i = webnn_onnx__iota(c, n, 1), *before, *same, *first;
  before = largest ? webnn_onnx__less(c, a, b) : webnn_onnx__less(c, b, a);
  same = webnn_onnx__equal(c, a, b);
  if (webnn_onnx__floating(x)) {
    a = webnn_onnx__is_nan(c, a);
    b = webnn_onnx__is_nan(c, b);
    same = webnn_onnx__logical_or(c, same, webnn_onnx__logical_and(c, a, b));
    before = webnn_onnx__logical_or(c, before, webnn_onnx__less(c, a, b));
  }
  first = webnn_onnx__less(c, webnn_onnx__along(c, i, 3, 2), webnn_onnx__along(c, i, 3, 1));
  same = webnn_onnx__logical_and(c, same, first);
  before = webnn_onnx__logical_or(c, before, same);
  before = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, webnn_onnx__cast(c, before, WEBNN_INT32),
                              webnn_extra__list1(2), false);
  i = webnn_onnx__expand(c, webnn_onnx__along(c, i, 2, 1), s);
  return webnn_onnx__slice(c, webnn_onnx__scatter(c, i, before, i, 1), 1, 0, k);
}

/* TopK of many elements, or all of them: the whole list is sorted. */
static bool webnn_onnx__sort(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis, bool largest,
                             uint32_t k) {
  webnn_list shape;
  webnn_onnx__o *results[2];
  const uint32_t last = webnn_onnx__sizes(x).count - 1;
  uint32_t n;
  size_t i;
  x = webnn_onnx__move_axis(c, x, axis, last);
  shape = webnn_onnx__sizes(x);
  n = shape.items[last];
  x = webnn_onnx__as2(c, x, webnn_extra__product(shape, 0, last), n);
  results[1] = webnn_onnx__sorted_places(c, x, largest, k);
  results[0] = webnn_onnx__gather_elements(c, x, results[1], 1);
  shape.items[last] = k;
  for (i = 0; i < 2; i++) {
    results[i] = webnn_onnx__move_axis(c, webnn_onnx__reshape(c, results[i], shape), last, axis);
  }
  return webnn_onnx__put(c, 0, results[0]) &&
         webnn_onnx__put_as(c, 1, results[1], WEBNN_ONNX_INT64);
}

/* As many rounds as elements are wanted: the best of what is left, which then
   counts as the least. */
static bool webnn_onnx__lower_top_k(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *left = x, *taken = NULL, *mask, *places, *least;
  webnn_onnx__o *values[64], *found[64];
  const bool largest = webnn_onnx__int(c, "largest", 1) != 0;
  const int64_t k = webnn_onnx__optional_integer(c, 1, webnn_onnx__int(c, "k", -1));
  int64_t n;
  const webnn_list shape = webnn_onnx__sizes(x);
  const uint32_t axis = webnn_onnx__axis_of(c, "axis", -1, shape.count);
  if (k == 0) {
    webnn_list none = shape;
    none.items[axis] = 0;
    return webnn_onnx__put_empty(c, 0, none) &&
           webnn_onnx__put_data(c, 1, WEBNN_ONNX_INT64, none, "", true);
  }
  if (!webnn_onnx__must_be(c, "k", k, 0, shape.items[axis])) {
    return false;
  }
  if (k > 16 && webnn_onnx__count_of(shape) * shape.items[axis] <= WEBNN_ONNX__MOST_PAIRS) {
    return webnn_onnx__sort(c, x, axis, largest, (uint32_t)k);
  }
  if (k > 64) {
    return webnn_onnx__fail(c, "k (%lld) must be at most 64 for lists of %u elements", (long long)k,
                            shape.items[axis]);
  }
  least = webnn_onnx__neutral(c, largest ? WEBNN_OP_REDUCE_MAX : WEBNN_OP_REDUCE_MIN, x);
  places = webnn_onnx__iota_along(c, shape.items[axis], 1, shape.count, axis);
  for (n = 0; n < k; n++) {
    found[n] = webnn_onnx__next_best(c, left, taken, least, axis, largest);
    values[n] = webnn_onnx__gather_elements(c, x, found[n], axis);
    mask = webnn_onnx__equal(c, places, found[n]);
    left = webnn_onnx__select(c, mask, least, left);
    mask = webnn_onnx__cast(c, mask, WEBNN_INT32);
    taken = webnn_onnx__with(c, WEBNN_OP_MAX, taken, mask);
  }
  return webnn_onnx__put(c, 0, webnn_onnx__concat(c, values, (size_t)k, axis)) &&
         webnn_onnx__put_as(c, 1, webnn_onnx__concat(c, found, (size_t)k, axis), WEBNN_ONNX_INT64);
}

/* The constant that input i is; the message says why it must be one. */
static const webnn_onnx__value *webnn_onnx__sizing(webnn_onnx__call *c, size_t i) {
  if (webnn_onnx__varies(c, i)) {
    webnn_onnx__want(c->import, c->in[i]->from);
    (void)webnn_onnx__fail(c, "the shape of the result depends on the values of \"%s\"",
                           webnn_onnx__show(c->in[i]->from).text);
    return webnn_onnx__nothing(c);
  }
  return webnn_onnx__known(c, i);
}

/* The elements where a known condition is true. */
static bool webnn_onnx__lower_compress(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const webnn_onnx__value *condition = webnn_onnx__sizing(c, 1);
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "axis");
  webnn_list shape = webnn_onnx__sizes(x);
  uint32_t axis;
  uint64_t size;
  size_t room, i, count = 0;
  int64_t *items;

  axis = webnn_onnx__is_there(a) ? webnn_onnx__axis(c, a->i, shape.count) : 0;
  shape = webnn_onnx__is_there(a) ? shape : webnn_extra__list1(webnn_onnx__count_of(shape));
  size = webnn_onnx__count_of(condition->shape);
  size = size < shape.items[axis] ? size : shape.items[axis];
  room = (size_t)size;
  items = (int64_t *)webnn_onnx__room(c, &room, sizeof *items);
  for (i = 0; i < room; i++) {
    if (webnn_onnx__integer_at(condition, i) != 0) {
      items[count++] = (int64_t)i;
    }
  }
  if (count == 0) {
    shape.items[axis] = 0;
    return webnn_onnx__put_empty(c, 0, shape);
  }
  return webnn_onnx__put(
      c, 0,
      webnn_onnx__gather(c, webnn_onnx__reshape(c, x, shape),
                         webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__list1(count), items),
                         axis));
}

/* The coordinates of what is not 0 in a constant. */
static bool webnn_onnx__lower_non_zero(webnn_onnx__call *c) {
  const webnn_onnx__value *x = webnn_onnx__sizing(c, 0);
  size_t count, i, n = 0, found = 0;
  int64_t *items;
  uint32_t d;

  count = (size_t)webnn_onnx__count_of(x->shape);
  for (i = 0; i < count; i++) {
    n += webnn_onnx__number_at(x, i) != 0;
  }
  items = (int64_t *)webnn_onnx__take(c, n * x->shape.count + 1, sizeof *items);
  for (i = 0; i < count && !webnn_onnx__failed(c); i++) {
    if (webnn_onnx__number_at(x, i) != 0) {
      for (d = 0; d < x->shape.count; d++) {
        const uint64_t inner = webnn_extra__product(x->shape, d + 1, x->shape.count);
        items[d * n + found] = (int64_t)(i / inner % x->shape.items[d]);
      }
      found++;
    }
  }
  return webnn_onnx__put_data(c, 0, WEBNN_ONNX_INT64, webnn_extra__list2(x->shape.count, n), items,
                              false);
}

/* The first elements of each sequence turned round, by their places. */
static bool webnn_onnx__lower_reverse_sequence(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 2, WEBNN_MAX_RANK), *length = webnn_onnx__x(c, 1),
                *at, *turned;
  const int64_t batch = webnn_onnx__int(c, "batch_axis", 1);
  const int64_t time = webnn_onnx__int(c, "time_axis", 0);
  const webnn_list shape = webnn_onnx__sizes(x);

  if (batch < 0 || batch > 1 || time != 1 - batch) {
    return webnn_onnx__fail(c,
                            "attributes batch_axis (%lld) and time_axis (%lld) must be 0 and 1, or "
                            "1 and 0",
                            (long long)batch, (long long)time);
  }
  at = webnn_onnx__iota_along(c, shape.items[time], 1, shape.count, (uint32_t)time);
  length =
      webnn_onnx__along(c, webnn_onnx__cast(c, length, WEBNN_INT64), shape.count, (uint32_t)batch);
  turned = webnn_onnx__sub(c, webnn_onnx__plus(c, length, -1), at);
  at = webnn_onnx__select(c, webnn_onnx__less(c, at, length), turned, at);
  at = webnn_onnx__expand(c, at, shape);
  return webnn_onnx__put(c, 0, webnn_onnx__gather_elements(c, x, at, (uint32_t)time));
}

/* ---- 10.1 operators whose results have as many elements as values say: of constants. */

/* Slices of a constant along an axis, which are compared: [outer, n, inner]. */
typedef struct webnn_onnx__slices {
  const webnn_onnx__value *value;
  size_t outer, n, inner;
} webnn_onnx__slices;

/* Less than 0, 0 or more than 0: slice a beside slice b, the first element that
   differs deciding. */
static int webnn_onnx__compare_slices(const webnn_onnx__slices *s, size_t a, size_t b) {
  const webnn_data_type type = webnn_onnx_graph_type(s->value->type);
  const bool floating = type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16;
  size_t o, k;
  for (o = 0; o < s->outer; o++) {
    for (k = 0; k < s->inner; k++) {
      const size_t i = (o * s->n + a) * s->inner + k, j = (o * s->n + b) * s->inner + k;
      if (floating) {
        const double x = webnn_onnx__number_at(s->value, i), y = webnn_onnx__number_at(s->value, j);
        if (x != y && (x == x || y == y)) { /* NaN is behind all numbers, and equal to itself */
          return x < y || y != y ? -1 : 1;
        }
      } else {
        const int64_t x = webnn_onnx__integer_at(s->value, i);
        const int64_t y = webnn_onnx__integer_at(s->value, j);
        if (x != y) {
          return (type == WEBNN_UINT64 ? (uint64_t)x < (uint64_t)y : x < y) ? -1 : 1;
        }
      }
    }
  }
  return 0;
}

/* Sorts the numbers of slices, equal ones in their order: runs of 1, 2, 4, ... are merged. */
static void webnn_onnx__sort_slices(const webnn_onnx__slices *s, size_t *order, size_t *scratch) {
  size_t run, begin, i;
  for (run = 1; run < s->n; run *= 2) {
    for (begin = 0; begin < s->n; begin += 2 * run) {
      const size_t middle = begin + run < s->n ? begin + run : s->n;
      const size_t end = begin + 2 * run < s->n ? begin + 2 * run : s->n;
      size_t a = begin, b = middle;
      for (i = begin; i < end; i++) {
        const bool left =
            a < middle && (b == end || webnn_onnx__compare_slices(s, order[a], order[b]) <= 0);
        scratch[i] = left ? order[a++] : order[b++];
      }
    }
    memcpy(order, scratch, s->n * sizeof *order);
  }
}

/* For each slice the number of its group; groups in order of values, or of their first slices.
   Returns how many there are; firsts has the first slice of each. */
static size_t webnn_onnx__group_slices(const webnn_onnx__slices *s, bool sorted, size_t *order,
                                       size_t *groups, size_t *firsts) {
  size_t i, count = 0, first = 0;
  for (i = 0; i < s->n; i++) {
    order[i] = i;
  }
  webnn_onnx__sort_slices(s, order, groups);
  for (i = 0; i < s->n; i++) { /* firsts[slice] for now: the first slice that is equal */
    if (i == 0 || webnn_onnx__compare_slices(s, order[i - 1], order[i]) != 0) {
      first = order[i];
    }
    firsts[order[i]] = first;
  }
  for (i = 0; i < s->n; i++) { /* equal slices are behind their first in both orders */
    const size_t slice = sorted ? order[i] : i;
    groups[slice] = firsts[slice] == slice ? count++ : groups[firsts[slice]];
  }
  for (i = s->n; i-- > 0;) {
    order[groups[i]] = i;
  }
  for (i = 0; i < count; i++) {
    firsts[i] = order[i];
  }
  return count;
}

/* Output i is a list of these numbers. */
static bool webnn_onnx__put_sizes(webnn_onnx__call *c, size_t i, const size_t *items,
                                  size_t count) {
  int64_t *copy = (int64_t *)webnn_onnx__room(c, &count, sizeof *copy);
  size_t k;
  for (k = 0; k < count; k++) {
    copy[k] = (int64_t)items[k];
  }
  return webnn_onnx__put_data(c, i, WEBNN_ONNX_INT64, webnn_extra__list1(count), copy, false);
}

/* The slices, or elements, that differ; the first place, the group of each and how many there are.
   com.microsoft's has no first places, and elements in the order of these. */
static bool webnn_onnx__lower_unique(webnn_onnx__call *c) {
  const webnn_onnx__value *x = webnn_onnx__sizing(c, 0);
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "axis");
  webnn_onnx__slices s;
  size_t *work, *groups, *firsts, count, i, o, bytes;
  const size_t skipped = c->row->detail != 0 ? 1 : 0;
  const bool sorted = skipped == 0 && webnn_onnx__int(c, "sorted", 1) != 0;
  webnn_list shape;
  uint32_t axis;
  char *data;

  axis = webnn_onnx__is_there(a) ? webnn_onnx__axis(c, a->i, x->shape.count) : 0;
  bytes = webnn_data_type_bits(webnn_onnx_graph_type(x->type)) / 8;
  shape = webnn_onnx__is_there(a) ? x->shape : webnn_extra__list1(webnn_onnx__count_of(x->shape));
  s.value = x;
  s.outer = (size_t)webnn_extra__product(shape, 0, axis);
  s.n = shape.items[axis];
  s.inner = (size_t)webnn_extra__product(shape, axis + 1, shape.count);
  work = (size_t *)webnn_onnx__take(c, 3 * s.n + 1, sizeof *work);
  data = (char *)webnn_onnx__take(c, (size_t)webnn_onnx__count_of(shape) + 1, 8);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  if (bytes == 0) {
    return webnn_onnx__fail(c, "input 0 must be of elements of 8 bits or more; it is of %s",
                            webnn_onnx_type_name(x->type));
  }
  groups = work + s.n, firsts = work + 2 * s.n;
  count = webnn_onnx__group_slices(&s, sorted, work, groups, firsts);
  for (o = 0; o < s.outer; o++) {
    for (i = 0; i < count; i++) {
      memcpy(data + (o * count + i) * s.inner * bytes,
             (const char *)x->data + (o * s.n + firsts[i]) * s.inner * bytes, s.inner * bytes);
    }
  }
  shape.items[axis] = (uint32_t)count;
  if (!webnn_onnx__put_data(c, 0, x->type, shape, data, false) ||
      (skipped == 0 && !webnn_onnx__put_sizes(c, 1, firsts, count)) ||
      !webnn_onnx__put_sizes(c, 2 - skipped, groups, s.n)) {
    return false;
  }
  memset(work, 0, count * sizeof *work);
  for (i = 0; i < s.n; i++) {
    work[groups[i]]++;
  }
  return webnn_onnx__put_sizes(c, 3 - skipped, work, count);
}

/* Boxes as corners: the lesser and greater y and x. */
static void webnn_onnx__corners(const webnn_onnx__value *boxes, size_t at, bool centres,
                                double *box) {
  double p[4];
  int i;
  for (i = 0; i < 4; i++) {
    p[i] = webnn_onnx__number_at(boxes, 4 * at + (size_t)i);
  }
  if (centres) { /* x, y, width, height */
    const double x = p[0], y = p[1], width = p[2], height = p[3];
    p[0] = y - height / 2, p[1] = x - width / 2;
    p[2] = y + height / 2, p[3] = x + width / 2;
  }
  box[0] = p[0] < p[2] ? p[0] : p[2], box[2] = p[0] < p[2] ? p[2] : p[0];
  box[1] = p[1] < p[3] ? p[1] : p[3], box[3] = p[1] < p[3] ? p[3] : p[1];
}

/* What two boxes share, of what they cover together. */
static double webnn_onnx__overlap(const double *a, const double *b) {
  const double height = (a[2] < b[2] ? a[2] : b[2]) - (a[0] > b[0] ? a[0] : b[0]);
  const double width = (a[3] < b[3] ? a[3] : b[3]) - (a[1] > b[1] ? a[1] : b[1]);
  const double shared = height > 0 && width > 0 ? height * width : 0;
  const double all = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared;
  return all > 0 ? shared / all : 0;
}

/* The constants of a NonMaxSuppression. */
typedef struct webnn_onnx__suppression {
  const webnn_onnx__value *boxes, *scores;
  int64_t most;
  double overlap, score;
  bool scored, centres;
  size_t batches, classes, count;
} webnn_onnx__suppression;

static bool webnn_onnx__suppression_of(webnn_onnx__call *c, webnn_onnx__suppression *s) {
  memset(s, 0, sizeof *s);
  s->boxes = webnn_onnx__sizing(c, 0);
  s->scores = webnn_onnx__sizing(c, 1);
  s->scored = webnn_onnx__has(c, 4);
  s->centres = webnn_onnx__flag(c, "center_point_box");
  s->most = webnn_onnx__optional_integer(c, 2, 0);
  s->overlap = webnn_onnx__has(c, 3) ? webnn_onnx__scalar(c, 3) : 0;
  s->score = s->scored ? webnn_onnx__scalar(c, 4) : 0;
  if (webnn_onnx__failed(c)) {
    return false;
  }
  s->batches = s->scores->shape.items[0];
  s->classes = s->scores->shape.items[1];
  s->count = s->scores->shape.items[2];
  return (s->scores->shape.count == 3 && s->boxes->shape.count == 3 &&
          s->boxes->shape.items[0] == s->batches && s->boxes->shape.items[1] == s->count &&
          s->boxes->shape.items[2] == 4) ||
         webnn_onnx__fail(c,
                          "inputs 0 and 1 (%s and %s) must be [batches,boxes,4] and "
                          "[batches,classes,boxes]",
                          webnn_onnx__show_shape(s->boxes->shape).text,
                          webnn_onnx__show_shape(s->scores->shape).text);
}

/* The best box left that none of those chosen covers too much of; `count`: none. */
static size_t webnn_onnx__best_box(const webnn_onnx__suppression *s, size_t row, bool *done) {
  const size_t batch = row / s->classes;
  size_t i, best = s->count;
  for (i = 0; i < s->count; i++) {
    const double score = webnn_onnx__number_at(s->scores, row * s->count + i);
    if (!done[i] && (!s->scored || score > s->score) &&
        (best == s->count || score > webnn_onnx__number_at(s->scores, row * s->count + best))) {
      best = i;
    }
  }
  for (i = 0; i < s->count && best != s->count; i++) {
    double a[4], b[4];
    webnn_onnx__corners(s->boxes, batch * s->count + best, s->centres, a);
    webnn_onnx__corners(s->boxes, batch * s->count + i, s->centres, b);
    done[i] = done[i] || i == best || webnn_onnx__overlap(a, b) > s->overlap;
  }
  return best;
}

static bool webnn_onnx__lower_suppression(webnn_onnx__call *c) {
  webnn_onnx__suppression s;
  size_t row, taken, at, total = 0, most;
  int64_t *items;
  bool *done;
  if (!webnn_onnx__suppression_of(c, &s)) {
    return false;
  }
  most = s.most < 0 ? 0 : s.most < (int64_t)s.count ? (size_t)s.most : s.count;
  items = (int64_t *)webnn_onnx__take(c, s.batches * s.classes * most * 3 + 1, sizeof *items);
  done = (bool *)webnn_onnx__take(c, s.count + 1, sizeof *done);
  for (row = 0; row < s.batches * s.classes && !webnn_onnx__failed(c); row++) {
    memset(done, 0, s.count * sizeof *done);
    for (taken = 0; taken < most; taken++) {
      at = webnn_onnx__best_box(&s, row, done);
      if (at == s.count) {
        break;
      }
      items[3 * total] = (int64_t)(row / s.classes);
      items[3 * total + 1] = (int64_t)(row % s.classes);
      items[3 * total++ + 2] = (int64_t)at;
    }
  }
  return !webnn_onnx__failed(c) &&
         webnn_onnx__put_data(c, 0, WEBNN_ONNX_INT64, webnn_extra__list2(total, 3), items, false);
}

/* ---- 11 reductions, products ----------------------------------------------------------------- */

/* The axes of an attribute or input in order, `absent` without any. */
static bool webnn_onnx__axes_or(webnn_onnx__call *c, size_t input, uint32_t rank, webnn_list absent,
                                webnn_list *axes) {
  bool flags[WEBNN_MAX_RANK], given;
  uint32_t i;
  if (!webnn_onnx__axes(c, input, rank, flags, &given)) {
    return false;
  }
  *axes = given ? webnn_extra__no_items() : absent;
  for (i = 0; i < rank && given; i++) {
    if (flags[i]) {
      webnn_extra__append(axes, i);
    }
  }
  return true;
}

/* The axes of a reduction; without any all, or none where noop_with_empty_axes says so: then
   elements are still squared, and so on. */
static bool webnn_onnx__reduced_axes(webnn_onnx__call *c, webnn_list *axes) {
  const uint32_t rank = webnn_onnx__shape(c, 0).count;
  const bool all = !webnn_onnx__flag(c, "noop_with_empty_axes");
  return webnn_onnx__axes_or(c, 1, rank, webnn_onnx__axes_from(0, all ? rank : 0), axes);
}

static uint64_t webnn_onnx__reduced_count(webnn_list shape, webnn_list axes) {
  uint64_t count = 1;
  uint32_t i;
  for (i = 0; i < axes.count; i++) {
    count *= shape.items[axes.items[i]];
  }
  return count;
}

/* What a reduction of no elements gives: the identity of sums, products, maxima (the
   least number of the type) and minima; the logarithm of 0. The mean, which the standard
   leaves open, is 0 / 0. */
static webnn_onnx__o *webnn_onnx__of_none(webnn_onnx__call *c) {
  const webnn_onnx_type type = webnn_onnx__type(c, 0);
  webnn_onnx__o *zero = webnn_onnx__number(c, webnn_onnx_graph_type(type), 0);
  const bool least = c->row->detail == WEBNN_OP_REDUCE_MIN;
  const double infinity = webnn_extra__infinity();
  switch (c->row->detail) {
  case WEBNN_OP_REDUCE_PRODUCT:
    return webnn_onnx__like(c, zero, 1);
  case WEBNN_OP_REDUCE_MAX:
  case WEBNN_OP_REDUCE_MIN:
    return type == WEBNN_ONNX_BOOL ? webnn_onnx__like(c, zero, least)
                                   : webnn_onnx__neutral(c, (webnn_op)c->row->detail, zero);
  case WEBNN_OP_REDUCE_LOG_SUM:
  case WEBNN_OP_REDUCE_LOG_SUM_EXP:
  case WEBNN_OP_REDUCE_MEAN:
    if (!webnn_onnx__floating(zero)) {
      return webnn_onnx__no_operand(
          c,
          "a mean or logarithm of no elements must be of floats; input 0 is of "
          "%s",
          webnn_onnx_type_name(webnn_onnx__type(c, 0)));
    }
    return webnn_onnx__like(
        c, zero, c->row->detail == WEBNN_OP_REDUCE_MEAN ? infinity - infinity : -infinity);
  default:
    return zero;
  }
}

static bool webnn_onnx__reduce_empty(webnn_onnx__call *c, webnn_list axes, bool keep) {
  webnn_list shape = webnn_onnx__shape(c, 0);
  webnn_onnx__o *y;
  uint32_t i;
  for (i = axes.count; i-- > 0;) {
    if (keep) {
      shape.items[axes.items[i]] = 1;
    } else {
      shape = webnn_extra__removed(shape, axes.items[i]);
    }
  }
  if (webnn_onnx__count_of(shape) == 0) {
    return webnn_onnx__put_empty(c, 0, shape);
  }
  y = webnn_onnx__of_none(c);
  return webnn_onnx__put(c, 0, webnn_onnx__expand(c, y, shape));
}

/* The root of integers without its fraction: float32's, brought nearer by steps of Newton, which do
   not end below it, and at most one above it. */
static webnn_onnx__o *webnn_onnx__integer_root(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  webnn_onnx__o *y = webnn_onnx__sqrt(c, webnn_onnx__cast(c, x, WEBNN_FLOAT32));
  int step;
  y = webnn_onnx__cast(c, y, type);
  for (step = 0; step < 2; step++) {
    y = webnn_onnx__max(c, y, webnn_onnx__like(c, x, 1));
    y = webnn_onnx__add(c, y, webnn_onnx__div(c, x, y));
    y = webnn_onnx__div(c, y, webnn_onnx__like(c, x, 2));
  }
  x = webnn_onnx__less(c, x, webnn_onnx__mul(c, y, y));
  return webnn_onnx__sub(c, y, webnn_onnx__cast(c, x, type));
}

/* ln x of integers without its fraction: how many of e, e^2, e^3, ..., rounded up, are no larger.
   (The logarithm of float32 may round up to a whole number.) That of 0 and less is what a cast
   makes of float32's. */
static webnn_onnx__o *webnn_onnx__integer_log(webnn_onnx__call *c, webnn_onnx__o *x) {
  /* clang-format off */
  static const uint64_t powers[44] = {
      3u, 8u, 21u, 55u, 149u, 404u, 1097u, 2981u, 8104u, 22027u, 59875u, 162755u, 442414u,
      1202605u, 3269018u, 8886111u, 24154953u, 65659970u, 178482301u, 485165196u, 1318815735u,
      3584912847u, 9744803447u, 26489122130u, 72004899338u, 195729609429u, 532048240602u,
      1446257064292u, 3931334297145u, 10686474581525u, 29048849665248u, 78962960182681u,
      214643579785917u, 583461742527455u, 1586013452313431u, 4311231547115196u,
      11719142372802612u, 31855931757113757u, 86593400423993747u, 235385266837019986u,
      639843493530054950u, 1739274941520501048u, 4727839468229346562u, 12851600114359308276u};
  /* clang-format on */
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  const uint32_t count = type == WEBNN_UINT64 ? 44 : 43;
  const webnn_list shape = webnn_onnx__sizes(x);
  webnn_onnx__o *y = webnn_onnx__as2(c, x, webnn_onnx__count_of(shape), 1);
  y = webnn_onnx__greater_or_equal(
      c, y, webnn_onnx__constant(c, type, webnn_extra__list1(count), powers));
  y = webnn_onnx__cast(c, y, type);
  y = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, y, webnn_extra__list1(1), false);
  return webnn_onnx__select(
      c, webnn_onnx__less(c, webnn_onnx__like(c, x, 0), x), webnn_onnx__reshape(c, y, shape),
      webnn_onnx__cast(c, webnn_onnx__log(c, webnn_onnx__cast(c, x, WEBNN_FLOAT32)), type));
}

/* ln of the sum of e^x of integers, m + ln of the sum of e^(x - m) with the largest m, cut towards
   zero. */
static webnn_onnx__o *webnn_onnx__integer_log_sum_exp(webnn_onnx__call *c, webnn_onnx__o *x,
                                                      webnn_list axes, bool keep) {
  webnn_onnx__o *m = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, x, axes, true), *y, *low, *high;
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  y = webnn_onnx__cast(c, m, WEBNN_UINT64); /* where no difference is too large */
  y = webnn_onnx__sub(c, y, webnn_onnx__cast(c, x, WEBNN_UINT64));
  y = webnn_onnx__cast(c, y, WEBNN_FLOAT32);
  y = webnn_onnx__exp(c, webnn_onnx__scaled(c, y, -1));
  y = webnn_onnx__log(c, webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, y, axes, keep));
  m = webnn_onnx__reshape(c, m, webnn_onnx__sizes(y));
  low = webnn_onnx__add(c, m, webnn_onnx__cast(c, y, type));
  high = webnn_onnx__1(c, WEBNN_OP_CEIL, y);
  high = webnn_onnx__add(c, m, webnn_onnx__cast(c, high, type));
  return webnn_onnx__select(c, webnn_onnx__less(c, webnn_onnx__like(c, m, 0), high), low, high);
}

/* A reduction of integers that WebNN has for floats only; results are cut towards zero. */
static webnn_onnx__o *webnn_onnx__reduce_integers(webnn_onnx__call *c, webnn_op op,
                                                  webnn_onnx__o *x, webnn_list axes, bool keep) {
  const uint64_t count = webnn_onnx__reduced_count(webnn_onnx__sizes(x), axes);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  const webnn_data_type wide = type == WEBNN_UINT64 ? type : WEBNN_INT64;
  webnn_onnx__o *y;
  switch ((int)op) {
  case WEBNN_OP_REDUCE_MEAN:
    y = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, x, axes, keep);
    return webnn_onnx__div(c, y, webnn_onnx__like(c, x, (double)count));
  case WEBNN_OP_REDUCE_L2:
    x = webnn_onnx__cast(c, x, wide);
    y = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM_SQUARE, x, axes, keep);
    return webnn_onnx__cast(c, webnn_onnx__integer_root(c, y), type);
  case WEBNN_OP_REDUCE_LOG_SUM:
    x = webnn_onnx__cast(c, x, wide);
    y = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, x, axes, keep);
    return webnn_onnx__cast(c, webnn_onnx__integer_log(c, y), type);
  case WEBNN_OP_REDUCE_LOG_SUM_EXP:
    x = webnn_onnx__cast(c, x, wide);
    return webnn_onnx__cast(c, webnn_onnx__integer_log_sum_exp(c, x, axes, keep), type);
  default:
    return webnn_onnx__reduce(c, op, x, axes, keep);
  }
}

static bool webnn_onnx__lower_reduce(webnn_onnx__call *c) {
  const bool keep = webnn_onnx__int(c, "keepdims", 1) != 0;
  const webnn_op op = (webnn_op)c->row->detail;
  webnn_onnx__o *x;
  webnn_list axes;
  if (!webnn_onnx__reduced_axes(c, &axes)) {
    return false;
  }
  if (webnn_onnx__is_empty(c, 0)) {
    return webnn_onnx__reduce_empty(c, axes, keep);
  }
  x = webnn_onnx__x(c, 0);
  return webnn_onnx__put(c, 0,
                         webnn_onnx__floating(x)
                             ? webnn_onnx__reduce(c, op, x, axes, keep)
                             : webnn_onnx__reduce_integers(c, op, x, axes, keep));
}

static bool webnn_onnx__lower_arg(webnn_onnx__call *c) {
  const bool keep = webnn_onnx__int(c, "keepdims", 1) != 0;
  const bool last = webnn_onnx__flag(c, "select_last_index");
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const webnn_list shape = webnn_onnx__sizes(x);
  const uint32_t axis = webnn_onnx__axis_of(c, "axis", 0, shape.count);
  x = last ? webnn_onnx__reversed(c, x, webnn_extra__list1(axis)) : x;
  x = webnn_onnx__arg(c, x, axis, c->row->detail != 0, keep);
  if (last) {
    x = webnn_onnx__sub(c, webnn_onnx__like(c, x, (double)shape.items[axis] - 1), x);
  }
  return webnn_onnx__put_as(c, 0, x, WEBNN_ONNX_INT64);
}

/* x - max - ln of the sum of e^(x - max), along an axis. */
static webnn_onnx__o *webnn_onnx__log_softmax(webnn_onnx__call *c, webnn_onnx__o *x,
                                              uint32_t axis) {
  const webnn_list axes = webnn_extra__list1(axis);
  webnn_onnx__o *sum;
  x = webnn_onnx__sub(c, x, webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, x, axes, true));
  sum = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, webnn_onnx__exp(c, x), axes, true);
  return webnn_onnx__sub(c, x, webnn_onnx__log(c, sum));
}

/* [..] as a matrix whose rows have the dimensions from `axis` on. */
static webnn_onnx__o *webnn_onnx__flattened(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis) {
  const webnn_list shape = webnn_onnx__sizes(x);
  return webnn_onnx__as2(c, x, webnn_extra__product(shape, 0, axis),
                         webnn_extra__product(shape, axis, shape.count));
}

/* Softmax, its logarithm, and Hardmax: before version 13 over all dimensions from axis on. */
static bool webnn_onnx__lower_softmax(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y;
  const webnn_list shape = webnn_onnx__sizes(x);
  uint32_t axis = webnn_onnx__axis_of(c, "axis", c->version < 13 ? 1 : -1, shape.count);
  if (c->version < 13 && axis + 1 != shape.count) {
    x = webnn_onnx__flattened(c, x, axis);
    axis = 1;
  }
  if (c->row->detail == 0) {
    y = webnn_onnx__softmax(c, x, axis);
  } else if (c->row->detail == 1) {
    y = webnn_onnx__log_softmax(c, x, axis);
  } else { /* hard: 1 at the first largest */
    const webnn_list s = webnn_onnx__sizes(x);
    y = webnn_onnx__iota_along(c, s.items[axis], 1, s.count, axis);
    y = webnn_onnx__equal(c, y, webnn_onnx__arg(c, x, axis, true, true));
    y = webnn_onnx__cast(c, y, webnn_onnx__graph_type_of(x));
  }
  return webnn_onnx__put(c, 0, webnn_onnx__reshape(c, y, shape));
}

/* A product of integers, which wraps: WebNN's matmul takes floats, so that the products of elements
   are summed along an axis of their own. */
static webnn_onnx__o *webnn_onnx__integer_matmul(webnn_onnx__call *c, webnn_onnx__o *a,
                                                 webnn_onnx__o *b) {
  const webnn_list as = webnn_onnx__sizes(a), bs = webnn_onnx__sizes(b);
  const uint32_t rank = as.count > bs.count ? as.count : bs.count;
  if (as.count < 2 || bs.count < 2 || rank >= WEBNN_MAX_RANK ||
      as.items[as.count - 1] != bs.items[bs.count - 2]) {
    return webnn_onnx__no_operand(
        c,
        "the shapes of a product of integers (%s and %s) must have 2 to 7 "
        "dimensions and agree in columns and rows",
        webnn_onnx__show_shape(as).text, webnn_onnx__show_shape(bs).text);
  }
  a = webnn_onnx__reshape(c, a, webnn_extra__inserted(as, as.count, 1));
  b = webnn_onnx__reshape(c, b, webnn_extra__inserted(bs, bs.count - 2, 1));
  return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, webnn_onnx__mul(c, a, b),
                            webnn_extra__list1(rank - 1), false);
}

/* numpy's product: an operand of one dimension becomes a row or column, which is removed from the
   result. */
static webnn_onnx__o *webnn_onnx__product_of(webnn_onnx__call *c, webnn_onnx__o *a,
                                             webnn_onnx__o *b) {
  const webnn_list as = webnn_onnx__sizes(a), bs = webnn_onnx__sizes(b);
  webnn_list shape;
  webnn_onnx__o *y;
  if (as.count == 1) {
    a = webnn_onnx__reshape(c, a, webnn_extra__inserted(as, 0, 1));
  }
  if (bs.count == 1) {
    b = webnn_onnx__reshape(c, b, webnn_extra__inserted(bs, 1, 1));
  }
  y = webnn_onnx__floating(a) ? webnn_onnx__matmul(c, a, b) : webnn_onnx__integer_matmul(c, a, b);
  shape = webnn_onnx__sizes(y);
  if (as.count != 1 && bs.count != 1) {
    return y;
  }
  if (bs.count == 1) {
    shape = webnn_extra__removed(shape, shape.count - 1);
  }
  if (as.count == 1) {
    shape = webnn_extra__removed(shape, shape.count - (bs.count == 1 ? 1 : 2));
  }
  return webnn_onnx__reshape(c, y, shape);
}

static webnn_onnx__o *webnn_onnx__swap_last(webnn_onnx__call *c, webnn_onnx__o *x) {
  const uint32_t rank = webnn_onnx__sizes(x).count;
  return rank < 2 ? x : webnn_onnx__move_axis(c, x, rank - 1, rank - 2);
}

/* The first dimension behind those of the batch, where rows are. */
static webnn_onnx__o *webnn_onnx__batch_last(webnn_onnx__call *c, webnn_onnx__o *x) {
  const uint32_t rank = webnn_onnx__sizes(x).count;
  return rank < 3 ? x : webnn_onnx__move_axis(c, x, 0, rank - 2);
}

/* MatMul, and FusedMatMul with transpositions and a factor. */
static bool webnn_onnx__lower_matmul(webnn_onnx__call *c) {
  webnn_onnx__o *a = webnn_onnx__x(c, 0), *b = webnn_onnx__x(c, 1), *y;
  if (c->row->detail != 0) {
    a = webnn_onnx__flag(c, "transBatchA") ? webnn_onnx__batch_last(c, a) : a;
    b = webnn_onnx__flag(c, "transBatchB") ? webnn_onnx__batch_last(c, b) : b;
    a = webnn_onnx__flag(c, "transA") ? webnn_onnx__swap_last(c, a) : a;
    b = webnn_onnx__flag(c, "transB") ? webnn_onnx__swap_last(c, b) : b;
  }
  y = webnn_onnx__product_of(c, a, b);
  if (c->row->detail != 0) {
    y = webnn_onnx__scaled(c, y, webnn_onnx__float(c, "alpha", 1));
  }
  return webnn_onnx__put(c, 0, y);
}

/* The activation that an operator is fused with; up to two numbers are its own. */
static webnn_onnx__o *webnn_onnx__activated(webnn_onnx__call *c, webnn_onnx__o *x, const char *name,
                                            double first, double second) {
  if (x == NULL || name[0] == '\0') {
    return x;
  }
  if (strcmp(name, "Clip") == 0) {
    return webnn_onnx__clamp(c, x, first, second);
  }
  if (strcmp(name, "LeakyRelu") == 0) {
    return webnn_onnx__leaky_relu(c, x, first);
  }
  if (strcmp(name, "HardSigmoid") == 0) {
    return webnn_onnx__hard_sigmoid(c, x, first, second);
  }
  if (strcmp(name, "Relu") == 0 || strcmp(name, "Sigmoid") == 0 || strcmp(name, "Tanh") == 0) {
    return webnn_onnx__1(c,
                         name[0] == 'R'   ? WEBNN_OP_RELU
                         : name[0] == 'S' ? WEBNN_OP_SIGMOID
                                          : WEBNN_OP_TANH,
                         x);
  }
  (void)webnn_onnx__wrong_word(c, "activation", name,
                               "Relu, Sigmoid, Tanh, Clip, LeakyRelu or HardSigmoid");
  return NULL;
}

/* Integers times a whole number, which unsigned ones take as one less than 0, too. */
static webnn_onnx__o *webnn_onnx__whole_times(webnn_onnx__call *c, webnn_onnx__o *x,
                                              double factor) {
  return factor >= 0
             ? webnn_onnx__scaled(c, x, factor)
             : webnn_onnx__sub(c, webnn_onnx__like(c, x, 0), webnn_onnx__scaled(c, x, -factor));
}

/* alpha A B + beta C of integers, which wraps. */
static webnn_onnx__o *webnn_onnx__integer_gemm(webnn_onnx__call *c, webnn_onnx__o *a,
                                               webnn_onnx__o *b, const webnn_gemm_options *o) {
  const double alpha = o->alpha.f64, beta = o->beta.f64;
  webnn_onnx__o *y;
  if (webnn_onnx__floor(alpha) != alpha || webnn_onnx__floor(beta) != beta) {
    return webnn_onnx__no_operand(
        c,
        "attributes alpha (%g) and beta (%g) must be whole, since input 0 is of "
        "integers",
        alpha, beta);
  }
  a = o->a_transpose ? webnn_onnx__swap_last(c, a) : a;
  b = o->b_transpose ? webnn_onnx__swap_last(c, b) : b;
  y = webnn_onnx__whole_times(c, webnn_onnx__product_of(c, a, b), alpha);
  return o->c == NULL ? y : webnn_onnx__add(c, y, webnn_onnx__whole_times(c, o->c, beta));
}

/* Gemm, and FusedGemm with an activation. */
static bool webnn_onnx__lower_gemm(webnn_onnx__call *c) {
  webnn_onnx__o *a = webnn_onnx__x(c, 0), *b = webnn_onnx__x(c, 1);
  webnn_gemm_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.alpha = webnn_f64(webnn_onnx__float(c, "alpha", 1));
  o.beta = webnn_f64(webnn_onnx__float(c, "beta", 1));
  o.a_transpose = webnn_onnx__flag(c, "transA");
  o.b_transpose = webnn_onnx__flag(c, "transB");
  if (c->row->detail == 0 && c->version < 7) { /* matrices could have more dimensions */
    a = webnn_onnx__sizes(a).count > 2 ? webnn_onnx__flattened(c, a, 1) : a;
  }
  o.c = webnn_onnx__optional(c, 2);
  a = webnn_onnx__floating(a) ? webnn_gemm(webnn_onnx__b(c), a, b, &o)
                              : webnn_onnx__integer_gemm(c, a, b, &o);
  if (c->row->detail != 0) {
    a = webnn_onnx__activated(c, a, webnn_onnx__string(c, "activation", ""),
                              webnn_onnx__float(c, "activation_alpha", 0),
                              webnn_onnx__float(c, "activation_beta", 0));
  }
  return webnn_onnx__put(c, 0, a);
}

/* ---- 11.1 Einsum: letters of operands; dimensions of an ellipsis have the letters '0' to '7',
   counted from the right. */

typedef struct webnn_onnx__term {
  webnn_onnx__o *x;
  char letters[2 * WEBNN_MAX_RANK + 1];
} webnn_onnx__term;

static int webnn_onnx__letter_at(const webnn_onnx__term *term, char letter) {
  const char *at = strchr(term->letters, letter);
  return letter == '\0' || at == NULL ? -1 : (int)(at - term->letters);
}

/* The letters of one operand from its part of the equation. */
static bool webnn_onnx__letters(webnn_onnx__call *c, const char **text, uint32_t rank,
                                char *letters) {
  char plain[3 * WEBNN_MAX_RANK];
  uint32_t count = 0, at, i, dots = 0;
  bool ellipsis = false;
  for (at = 0; **text != '\0' && **text != ',' && **text != '-'; ++*text) {
    if (**text == '.') {
      at = ellipsis ? at : count;
      ellipsis = true;
    } else if ((**text >= 'a' && **text <= 'z') || (**text >= 'A' && **text <= 'Z')) {
      if (count == WEBNN_MAX_RANK) {
        return webnn_onnx__fail(c, "a term of attribute equation has more than 8 letters");
      }
      plain[count++] = **text;
    } else if (**text != ' ') {
      return webnn_onnx__fail(
          c,
          "attribute equation must be of letters, commas, spaces, ... and ->; it "
          "goes on with \"%s\"",
          webnn_onnx__show(*text).text);
    }
  }
  if (count > rank || (!ellipsis && count != rank)) {
    return webnn_onnx__fail(c,
                            "a term of attribute equation must have a letter for each of %u "
                            "dimensions; it has %u",
                            rank, count);
  }
  dots = rank - count;
  for (i = 0; i < rank; i++) {
    letters[i] = i < at && ellipsis ? plain[i]
                 : !ellipsis        ? plain[i]
                 : i < at + dots    ? (char)('0' + (at + dots - 1 - i))
                                    : plain[i - dots];
  }
  letters[rank] = '\0';
  return true;
}

/* Sums out a dimension, or takes the diagonal of two with the same letter. */
static void webnn_onnx__drop_letter(webnn_onnx__call *c, webnn_onnx__term *t, int at) {
  t->x = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, t->x, webnn_extra__list1((uint64_t)at), false);
  memmove(t->letters + at, t->letters + at + 1, strlen(t->letters + at));
}

static void webnn_onnx__diagonals(webnn_onnx__call *c, webnn_onnx__term *t) {
  size_t i;
  for (i = 0; t->letters[i] != '\0'; i++) {
    const char *other = strchr(t->letters + i + 1, t->letters[i]);
    while (other != NULL) {
      const webnn_list shape = webnn_onnx__sizes(t->x);
      const uint32_t j = (uint32_t)(other - t->letters);
      webnn_onnx__o *one = webnn_onnx__iota(c, shape.items[i], 1);
      webnn_onnx__o *mask =
          webnn_onnx__equal(c, webnn_onnx__along(c, one, shape.count, (uint32_t)i),
                            webnn_onnx__along(c, one, shape.count, j));
      t->x = webnn_onnx__select(c, mask, t->x, webnn_onnx__like(c, t->x, 0));
      webnn_onnx__drop_letter(c, t, (int)j);
      other = strchr(t->letters + i + 1, t->letters[i]);
    }
  }
}

/* The term's dimensions in the order of `letters`; one that it lacks is 1. */
static webnn_onnx__o *webnn_onnx__ordered(webnn_onnx__call *c, const webnn_onnx__term *t,
                                          const char *letters) {
  webnn_list permutation = webnn_extra__no_items(), shape = webnn_extra__no_items();
  const webnn_list from = webnn_onnx__sizes(t->x);
  size_t i;
  for (i = 0; letters[i] != '\0'; i++) {
    const int at = webnn_onnx__letter_at(t, letters[i]);
    if (at >= 0) {
      permutation.items[permutation.count++] = (uint32_t)at;
    }
    shape.items[shape.count % WEBNN_MAX_RANK] = at >= 0 ? from.items[at] : 1;
    shape.count++;
  }
  return webnn_onnx__reshape(c, webnn_onnx__transpose(c, t->x, permutation), shape);
}

/* Dimensions of the pair, grouped: 0 in both and wanted, 1 only in a, 2 in both and summed, 3 only
   in b. */
static void webnn_onnx__group(const webnn_onnx__term *a, const webnn_onnx__term *b,
                              const char *wanted, char groups[4][2 * WEBNN_MAX_RANK + 1]) {
  size_t i, n[4] = {0, 0, 0, 0};
  for (i = 0; a->letters[i] != '\0'; i++) {
    const bool both = webnn_onnx__letter_at(b, a->letters[i]) >= 0;
    const int g = !both ? 1 : webnn_onnx__contains(wanted, a->letters[i]) ? 0 : 2;
    groups[g][n[g]++] = a->letters[i];
  }
  for (i = 0; b->letters[i] != '\0'; i++) {
    if (webnn_onnx__letter_at(a, b->letters[i]) < 0) {
      groups[3][n[3]++] = b->letters[i];
    }
  }
  for (i = 0; i < 4; i++) {
    groups[i][n[i]] = '\0';
  }
}

/* The product of the dimensions with these letters in either term. */
static uint64_t webnn_onnx__extent(const webnn_onnx__term *a, const char *letters) {
  uint64_t extent = 1;
  for (; *letters != '\0'; letters++) {
    const int at = webnn_onnx__letter_at(a, *letters);
    extent *= at < 0 ? 1 : webnn_onnx__sizes(a->x).items[at];
  }
  return extent;
}

/* Sums a over the letters that neither b (NULL: none) nor what is wanted has. */
static void webnn_onnx__drop_alone(webnn_onnx__call *c, webnn_onnx__term *a,
                                   const webnn_onnx__term *b, const char *wanted) {
  size_t i = 0;
  while (a->letters[i] != '\0') {
    if ((b == NULL || webnn_onnx__letter_at(b, a->letters[i]) < 0) &&
        !webnn_onnx__contains(wanted, a->letters[i])) {
      webnn_onnx__drop_letter(c, a, (int)i);
    } else {
      i++;
    }
  }
}

/* A dimension of 1 repeated. */
static void webnn_onnx__stretch(webnn_onnx__call *c, webnn_onnx__term *t, size_t at,
                                uint32_t size) {
  webnn_list shape = webnn_onnx__sizes(t->x);
  shape.items[at] = size;
  t->x = webnn_onnx__expand(c, t->x, shape);
}

/* Letters that both terms have must have the same dimensions in both; those of an ellipsis, which
   are digits, broadcast. */
static bool webnn_onnx__same_extents(webnn_onnx__call *c, webnn_onnx__term *a,
                                     webnn_onnx__term *b) {
  size_t i;
  for (i = 0; a->letters[i] != '\0'; i++) {
    const int at = webnn_onnx__letter_at(b, a->letters[i]);
    const uint32_t m = webnn_onnx__sizes(a->x).items[i];
    const uint32_t n = at < 0 ? m : webnn_onnx__sizes(b->x).items[at];
    if (m == n) {
      continue;
    }
    if (a->letters[i] > '9' || (m != 1 && n != 1)) {
      return webnn_onnx__fail(c, "the dimensions of one letter (%u and %u) must be equal", m, n);
    }
    webnn_onnx__stretch(c, m == 1 ? a : b, m == 1 ? i : (size_t)at, m == 1 ? n : m);
  }
  return true;
}

/* a and b multiplied, and summed over the letters that are not wanted, as one
   product of matrices. */
static bool webnn_onnx__contract(webnn_onnx__call *c, webnn_onnx__term *a, webnn_onnx__term *b,
                                 const char *wanted) {
  char groups[4][2 * WEBNN_MAX_RANK + 1], order[6 * WEBNN_MAX_RANK + 4];
  webnn_list shape = webnn_extra__no_items();
  webnn_onnx__o *x, *y;
  uint64_t batch, k;
  size_t i;
  webnn_onnx__drop_alone(c, a, b, wanted);
  webnn_onnx__drop_alone(c, b, a, wanted);
  if (!webnn_onnx__same_extents(c, a, b)) {
    return false;
  }
  webnn_onnx__group(a, b, wanted, groups);
  batch = webnn_onnx__extent(a, groups[0]);
  k = webnn_onnx__extent(a, groups[2]);
  (void)snprintf(order, sizeof order, "%s%s%s", groups[0], groups[1], groups[2]);
  x = webnn_onnx__as3(c, webnn_onnx__ordered(c, a, order), batch, webnn_onnx__extent(a, groups[1]),
                      k);
  (void)snprintf(order, sizeof order, "%s%s%s", groups[0], groups[2], groups[3]);
  y = webnn_onnx__as3(c, webnn_onnx__ordered(c, b, order), batch, k,
                      webnn_onnx__extent(b, groups[3]));
  (void)snprintf(order, sizeof order, "%s%s%s", groups[0], groups[1], groups[3]);
  if (strlen(order) > WEBNN_MAX_RANK) {
    return webnn_onnx__fail(c, "a product of two terms has %u dimensions, more than 8",
                            (unsigned)strlen(order));
  }
  for (i = 0; order[i] != '\0'; i++) {
    const int at = webnn_onnx__letter_at(a, order[i]);
    shape.items[shape.count++] =
        at >= 0 ? webnn_onnx__sizes(a->x).items[at]
                : webnn_onnx__sizes(b->x).items[webnn_onnx__letter_at(b, order[i])];
  }
  a->x = webnn_onnx__reshape(c, webnn_onnx__product_of(c, x, y), shape);
  memcpy(a->letters, order, strlen(order) + 1);
  return true;
}

/* Without "->" the result has the letters that come once, in alphabetic order. */
static void webnn_onnx__implicit(const char *equation, webnn_onnx__term *result,
                                 const webnn_onnx__term *terms, size_t count) {
  size_t n = 0, i;
  int letter;
  for (letter = '7'; letter >= '0'; letter--) {
    for (i = 0; i < count; i++) {
      if (webnn_onnx__letter_at(&terms[i], (char)letter) >= 0 && n < WEBNN_MAX_RANK) {
        result->letters[n++] = (char)letter;
        break;
      }
    }
  }
  for (letter = 'A'; letter <= 'z'; letter++) {
    const char *at = letter > 'Z' && letter < 'a' ? NULL : strchr(equation, letter);
    if (at != NULL && !webnn_onnx__contains(at + 1, (char)letter) && n < WEBNN_MAX_RANK) {
      result->letters[n++] = (char)letter;
    }
  }
  result->letters[n] = '\0';
}

/* The letters of the result; an ellipsis has as many dimensions as the longest of the terms. */
static bool webnn_onnx__result_letters(webnn_onnx__call *c, const char *text, const char *equation,
                                       webnn_onnx__term *result, const webnn_onnx__term *terms,
                                       size_t count) {
  uint32_t rank = 0, dots = 0;
  const char *t;
  size_t i, k;
  if (text[0] != '-' || text[1] != '>') {
    webnn_onnx__implicit(equation, result, terms, count);
    return true;
  }
  text += 2;
  for (i = 0; i < count; i++) {
    for (k = 0; terms[i].letters[k] != '\0'; k++) {
      if (terms[i].letters[k] <= '7' && (uint32_t)(terms[i].letters[k] - '0') + 1 > dots) {
        dots = (uint32_t)(terms[i].letters[k] - '0') + 1;
      }
    }
  }
  for (t = text; *t != '\0'; t++) {
    rank += *t != ' ' && *t != '.';
  }
  rank += webnn_onnx__contains(text, '.') ? dots : 0;
  if (rank > WEBNN_MAX_RANK) {
    return webnn_onnx__fail(c, "the result has %u dimensions, more than 8", rank);
  }
  return webnn_onnx__letters(c, &text, rank, result->letters);
}

/* An operand of Einsum; integers of 8 bits are multiplied in 32, as those of 16 bits are. */
static webnn_onnx__o *webnn_onnx__factor(webnn_onnx__call *c, size_t i) {
  webnn_onnx__o *x = webnn_onnx__x(c, i);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  return type == WEBNN_INT8 || type == WEBNN_UINT8 ? webnn_onnx__cast(c, x, WEBNN_INT32) : x;
}

static bool webnn_onnx__lower_einsum(webnn_onnx__call *c) {
  const webnn_onnx_type type = webnn_onnx__type(c, 0);
  const char *equation = webnn_onnx__string(c, "equation", ""), *text = equation;
  webnn_onnx__term *terms, result;
  char wanted[256];
  size_t i, k, n;
  terms = (webnn_onnx__term *)webnn_onnx__take(c, c->in_count + 1, sizeof *terms);
  memset(&result, 0, sizeof result);
  for (i = 0; i < c->in_count && !webnn_onnx__failed(c); i++) {
    terms[i].x = webnn_onnx__factor(c, i);
    if (!webnn_onnx__letters(c, &text, webnn_onnx__sizes(terms[i].x).count, terms[i].letters)) {
      return false;
    }
    if (*text == ',') {
      text++;
    } else if (i + 1 < c->in_count) {
      return webnn_onnx__fail(
          c, "attribute equation must have a term for each of %u inputs; it has %u",
          (unsigned)c->in_count, (unsigned)i + 1);
    }
    webnn_onnx__diagonals(c, &terms[i]);
  }
  if (webnn_onnx__failed(c) || c->in_count == 0 ||
      !webnn_onnx__result_letters(c, text, equation, &result, terms, c->in_count)) {
    return webnn_onnx__fail(c, "it must have at least one input");
  }
  for (i = 1; i < c->in_count; i++) {
    n = (size_t)snprintf(wanted, sizeof wanted, "%s", result.letters);
    for (k = i + 1; k < c->in_count && n < sizeof wanted; k++) {
      n += (size_t)snprintf(wanted + n, sizeof wanted - n, "%s", terms[k].letters);
    }
    if (n >= sizeof wanted || !webnn_onnx__contract(c, &terms[0], &terms[i], wanted)) {
      return webnn_onnx__fail(
          c, "the terms of attribute equation must have fewer than %u letters in all",
          (unsigned)sizeof wanted);
    }
  }
  webnn_onnx__drop_alone(c, &terms[0], NULL, result.letters);
  if (strlen(terms[0].letters) != strlen(result.letters)) {
    return webnn_onnx__fail(c, "a letter of the result of attribute equation is in no term");
  }
  terms[0].x = webnn_onnx__ordered(c, &terms[0], result.letters);
  terms[0].x = webnn_onnx__cast(c, terms[0].x, webnn_onnx_graph_type(type));
  return webnn_onnx__put(c, 0, webnn_onnx__wrapped(c, terms[0].x, type));
}

/* ---- 11.2 Resize: nearest elements are gathered; other modes are, along each axis, a sum of a few
   gathered neighbours, or a product with a matrix of weights. */

typedef struct webnn_onnx__resize {
  const char *mode, *coordinates, *nearest;
  float cubic_a, outside;
  bool exclude_outside, antialias, tf_crop;
  double scale, roi_begin, roi_end;
  uint32_t in, out;
} webnn_onnx__resize;

/* As float32: a scale is the float32 next to a ratio of sizes, and so is the quotient next to the
   place that is meant, which must not come out just below an integer. */
static double webnn_onnx__quotient(double a, double b) {
  return (double)(float)(a / b);
}

static double webnn_onnx__exact_origin(const webnn_onnx__resize *r, uint32_t i) {
  const double in = r->in, out = (double)(float)(r->scale * r->in);
  if (strcmp(r->coordinates, "align_corners") == 0) {
    return r->out == 1 ? 0 : webnn_onnx__quotient(i * (in - 1), out - 1);
  }
  if (strcmp(r->coordinates, "asymmetric") == 0) {
    return webnn_onnx__quotient(i, r->scale);
  }
  if (strcmp(r->coordinates, "pytorch_half_pixel") == 0) {
    return r->out > 1 ? webnn_onnx__quotient(i + 0.5, r->scale) - 0.5 : 0;
  }
  if (strcmp(r->coordinates, "tf_half_pixel_for_nn") == 0) {
    return webnn_onnx__quotient(i + 0.5, r->scale);
  }
  if (r->tf_crop) {
    const double last = (double)r->out - 1; /* whose place is the end exactly */
    return r->out > 1 ? (r->roi_begin * (last - i) + r->roi_end * i) * (in - 1) / last
                      : 0.5 * (r->roi_begin + r->roi_end) * (in - 1);
  }
  if (strcmp(r->coordinates, "half_pixel_symmetric") == 0) {
    /* The offset of the text and the rest are one sum, so that the centres agree exactly. */
    return in / 2 - 0.5 + webnn_onnx__quotient(i + 0.5 - r->out / 2.0, r->scale);
  }
  return webnn_onnx__quotient(i + 0.5, r->scale) - 0.5;
}

/* Where in the input element i of the output lies; regions of interest may be anywhere. */
static double webnn_onnx__origin(const webnn_onnx__resize *r, uint32_t i) {
  const double x = webnn_onnx__exact_origin(r, i);
  return x > 4e9 ? 4e9 : x > -4e9 ? x : -4e9;
}

static int64_t webnn_onnx__nearest(const webnn_onnx__resize *r, double x) {
  double i;
  if (strcmp(r->nearest, "simple") == 0) { /* of version 10 */
    i = r->scale < 1 ? webnn_onnx__ceil(x) : webnn_onnx__floor(x);
  } else if (strcmp(r->nearest, "floor") == 0) {
    i = webnn_onnx__floor(x);
  } else if (strcmp(r->nearest, "ceil") == 0) {
    i = webnn_onnx__ceil(x);
  } else if (strcmp(r->nearest, "round_prefer_ceil") == 0) {
    i = webnn_onnx__floor(x + 0.5);
  } else {
    i = webnn_onnx__ceil(x - 0.5);
  }
  return i < 0 ? 0 : i > (double)r->in - 1 ? (int64_t)r->in - 1 : (int64_t)i;
}

/* The weight of an element at distance d. */
static double webnn_onnx__kernel(const webnn_onnx__resize *r, double d) {
  const double a = r->cubic_a;
  d = webnn_onnx__magnitude(d);
  if (r->mode[0] == 'l') {
    return d < 1 ? 1 - d : 0;
  }
  return d <= 1  ? ((a + 2) * d - (a + 3)) * d * d + 1
         : d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
                 : 0;
}

/* What element i of the output is a sum of: `count` elements of the input, each with a weight.
   Number t of them is number t x out + i of both lists. */
typedef struct webnn_onnx__resize_taps {
  uint32_t count;
  int64_t *at;
  float *weights;
} webnn_onnx__resize_taps;

static double webnn_onnx__kernel_stretch(const webnn_onnx__resize *r) {
  return r->antialias && r->scale < 1 ? r->scale : 1;
}

/* How far the kernel reaches to both sides. */
static double webnn_onnx__kernel_reach(const webnn_onnx__resize *r) {
  return (r->mode[0] == 'l' ? 1 : 2) / webnn_onnx__kernel_stretch(r);
}

static int64_t webnn_onnx__inside(const webnn_onnx__resize *r, int64_t k) {
  return k < 0 ? 0 : k < (int64_t)r->in ? k : (int64_t)r->in - 1;
}

/* How many elements of the input one of the output is made of, at most. */
static double webnn_onnx__tap_count(const webnn_onnx__resize *r) {
  return webnn_onnx__ceil(2 * webnn_onnx__kernel_reach(r));
}

/* Two neighbours; or most numbers of the matrix would be zeros. */
static bool webnn_onnx__is_gathered(const webnn_onnx__resize *r) {
  return (r->mode[0] == 'l' && !r->antialias) || r->in > 64 * webnn_onnx__tap_count(r);
}

/* The taps of element i. Where fewer have a weight, the others share the first one's element and
   weight: 0 times an infinity is NaN. */
static void webnn_onnx__weights(const webnn_onnx__resize *r, uint32_t i,
                                const webnn_onnx__resize_taps *taps) {
  const double reach = webnn_onnx__kernel_reach(r), last = (double)r->in - 1;
  const double x = webnn_onnx__origin(r, i), clamped = x < 0 ? 0 : x > last ? last : x;
  const double centre = r->mode[0] == 'l' && !r->antialias ? clamped : x;
  int64_t k = (int64_t)webnn_onnx__floor(centre - reach) + 1;
  double sum = 0;
  uint32_t t, used = 0;
  for (; (double)k < centre + reach && used < taps->count; k++) {
    const double w = webnn_onnx__kernel(r, (centre - (double)k) * webnn_onnx__kernel_stretch(r));
    if (w != 0 && (!r->exclude_outside || (k >= 0 && k < (int64_t)r->in))) {
      taps->at[(size_t)used * r->out + i] = webnn_onnx__inside(r, k);
      taps->weights[(size_t)used++ * r->out + i] = (float)w;
      sum += w;
    }
  }
  if (r->exclude_outside || webnn_onnx__kernel_stretch(r) != 1) {
    for (t = 0; t < used && sum != 0; t++) {
      float *w = &taps->weights[(size_t)t * r->out + i];
      *w = (float)(*w / sum);
    }
  }
  for (t = used; t < taps->count; t++) {
    taps->at[(size_t)t * r->out + i] = taps->at[i];
    taps->weights[i] /= 2;
    taps->weights[(size_t)t * r->out + i] = taps->weights[i];
  }
}

/* A product with a matrix [in, out]. */
static webnn_onnx__o *webnn_onnx__resize_by_matrix(webnn_onnx__call *c, webnn_onnx__o *x,
                                                   uint32_t axis, const webnn_onnx__resize *r,
                                                   const webnn_onnx__resize_taps *taps) {
  const webnn_list shape = webnn_onnx__sizes(x);
  uint64_t room = (uint64_t)r->in * r->out;
  float *matrix = (float *)webnn_onnx__scratch(c, &room, sizeof *matrix);
  webnn_onnx__o *y;
  size_t i;
  for (i = 0; i < (size_t)taps->count * r->out && room != 0; i++) {
    matrix[(size_t)taps->at[i] * r->out + i % r->out] += taps->weights[i];
  }
  y = webnn_onnx__constant_of(c, WEBNN_FLOAT32, webnn_extra__list2(r->in, r->out), matrix);
  x = webnn_onnx__move_axis(c, x, axis, shape.count - 1);
  x = shape.count == 1 ? webnn_onnx__as2(c, x, 1, r->in) : x;
  y = webnn_onnx__matmul(c, x, y);
  y = shape.count == 1 ? webnn_onnx__as1(c, y, r->out) : y;
  return webnn_onnx__move_axis(c, y, shape.count - 1, axis);
}

static webnn_onnx__o *webnn_onnx__resize_by_gathers(webnn_onnx__call *c, webnn_onnx__o *x,
                                                    uint32_t axis, const webnn_onnx__resize *r,
                                                    const webnn_onnx__resize_taps *taps) {
  const webnn_list shape = webnn_extra__list1(r->out);
  webnn_onnx__o *y = NULL;
  uint32_t t;
  for (t = 0; t < taps->count; t++) {
    webnn_onnx__o *at = webnn_onnx__constant(c, WEBNN_INT64, shape, taps->at + (size_t)t * r->out);
    webnn_onnx__o *w =
        webnn_onnx__constant(c, WEBNN_FLOAT32, shape, taps->weights + (size_t)t * r->out);
    webnn_onnx__o *term =
        webnn_onnx__mul(c, webnn_onnx__gather(c, x, at, axis),
                        webnn_onnx__along(c, w, webnn_onnx__sizes(x).count, axis));
    y = t == 0 ? term : webnn_onnx__add(c, y, term);
  }
  return y;
}

static webnn_onnx__o *webnn_onnx__resize_to_nearest(webnn_onnx__call *c, webnn_onnx__o *x,
                                                    uint32_t axis, const webnn_onnx__resize *r) {
  uint64_t room = r->out;
  int64_t *items = (int64_t *)webnn_onnx__scratch(c, &room, sizeof *items);
  uint32_t i;
  for (i = 0; i < room; i++) {
    items[i] = webnn_onnx__nearest(r, webnn_onnx__origin(r, i));
  }
  return webnn_onnx__gather(
      c, x, webnn_onnx__constant_of(c, WEBNN_INT64, webnn_extra__list1(r->out), items), axis);
}

/* What is interpolated is float32 from then on, so that it is rounded to integers but once. */
static webnn_onnx__o *webnn_onnx__interpolated(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                               const webnn_onnx__resize *r) {
  webnn_onnx__resize_taps taps;
  webnn_onnx__o *y = NULL;
  const uint32_t count = (uint32_t)webnn_onnx__tap_count(r);
  uint64_t room = (uint64_t)count * r->out, i;
  taps.count = count;
  taps.at = (int64_t *)webnn_onnx__scratch(c, &room, sizeof *taps.at);
  taps.weights = (float *)webnn_onnx__scratch(c, &room, sizeof *taps.weights);
  for (i = 0; i < room / count; i++) {
    webnn_onnx__weights(r, (uint32_t)i, &taps);
  }
  if (room != 0) {
    x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
    y = webnn_onnx__is_gathered(r) ? webnn_onnx__resize_by_gathers(c, x, axis, r, &taps)
                                   : webnn_onnx__resize_by_matrix(c, x, axis, r, &taps);
  }
  free(taps.at);
  free(taps.weights);
  return y;
}

static webnn_onnx__o *webnn_onnx__resize_axis(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                              const webnn_onnx__resize *r) {
  const bool has_matrix = r->mode[0] != 'n' && !webnn_onnx__is_gathered(r);
  if (r->out > WEBNN_ONNX__MOST_INDICES ||
      (has_matrix && (uint64_t)r->in * r->out > WEBNN_ONNX__MOST_INDICES)) {
    return webnn_onnx__no_operand(
        c, "the new size of axis %u (%u)%s must be at most %d; its size is %u", axis, r->out,
        has_matrix ? " x its size" : "", WEBNN_ONNX__MOST_INDICES, r->in);
  }
  return r->mode[0] == 'n' ? webnn_onnx__resize_to_nearest(c, x, axis, r)
                           : webnn_onnx__interpolated(c, x, axis, r);
}

/* Elements whose origin is outside of the input become the extrapolation value. */
static webnn_onnx__o *webnn_onnx__extrapolated(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                               const webnn_onnx__resize *r) {
  uint64_t room = r->out;
  uint8_t *mask = (uint8_t *)webnn_onnx__scratch(c, &room, 1);
  webnn_onnx__o *m;
  uint32_t i;
  for (i = 0; i < room; i++) {
    const double at = webnn_onnx__origin(r, i);
    mask[i] = at < 0 || at > (double)r->in - 1;
  }
  m = webnn_onnx__constant_of(c, WEBNN_UINT8, webnn_extra__list1(r->out), mask);
  return webnn_onnx__select(c, webnn_onnx__along(c, m, webnn_onnx__sizes(x).count, axis),
                            webnn_onnx__like(c, x, r->outside), x);
}

/* One scale for all axes, the least or the largest of those that the sizes ask for. */
static bool webnn_onnx__keep_ratio(webnn_onnx__call *c, webnn_list shape, double ratio,
                                   double *scales, webnn_list *sizes) {
  const size_t count = webnn_onnx__axis_count(c, shape.count);
  size_t i;
  for (i = 0; i < count; i++) {
    const uint32_t axis = webnn_onnx__nth_axis(c, i, shape.count);
    scales[axis] = ratio;
    if (!(ratio * shape.items[axis] < INT32_MAX)) {
      return webnn_onnx__fail(c, "scale (%g) x dimension %u (%u) must be at most 2147483647", ratio,
                              axis, shape.items[axis]);
    }
    sizes->items[axis] = (uint32_t)webnn_onnx__floor(ratio * shape.items[axis] + 0.5);
  }
  return true;
}

/* The sizes and scales of all axes. */
static bool webnn_onnx__resize_sizes(webnn_onnx__call *c, webnn_list shape, double *scales,
                                     webnn_list *sizes) {
  const bool old = c->version < 11;
  const size_t scales_at = old ? 1 : 2;
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "scales");
  const char *policy = webnn_onnx__string(c, "keep_aspect_ratio_policy", "stretch");
  const bool by_size = webnn_onnx__has(c, 3);
  const webnn_onnx__value *v = NULL;
  size_t count, i;
  double ratio = 0;
  if (!webnn_onnx__is_there(a)) {
    v = webnn_onnx__known(c, by_size ? 3 : scales_at);
  }
  count = v == NULL ? a->float_count : (size_t)webnn_onnx__count_of(v->shape);
  if (count != webnn_onnx__axis_count(c, shape.count)) {
    return webnn_onnx__fail(c, "the number of %s (%u) must be that of the axes (%u)",
                            by_size ? "sizes" : "scales", (unsigned)count,
                            (unsigned)webnn_onnx__axis_count(c, shape.count));
  }
  *sizes = shape;
  for (i = 0; i < shape.count; i++) {
    scales[i] = 1;
  }
  for (i = 0; i < count; i++) {
    double number = v == NULL ? (double)a->floats[i] : webnn_onnx__number_at(v, i);
    const uint32_t axis = webnn_onnx__nth_axis(c, i, shape.count);
    const double least = (double)WEBNN_DYNAMIC_DIMENSION;
    double smallest; /* scales of version 10 and later, which are positive, may leave nothing */
    if (webnn_onnx__is_open(shape.items[axis]) ||
        (by_size && number >= least && c->import->open != NULL)) {
      if (by_size ? number == shape.items[axis] && webnn_onnx__is_dimension(c, shape.items[axis]) &&
                        number != least
                  : number == 1) {
        continue;
      }
      return webnn_onnx__fail(c, "dimension %u must keep its size, or both must not be dynamic",
                              axis);
    }
    scales[axis] = by_size ? number / shape.items[axis] : number;
    /* The product is one of float32: 7 / 6 as float32 is less than 7 / 6, and makes 7 of 6. */
    number =
        by_size ? number : webnn_onnx__floor((double)((float)shape.items[axis] * (float)number));
    smallest = !by_size && c->version >= 10 && scales[axis] > 0 ? 0 : 1;
    if (!(number >= smallest && number <= INT32_MAX)) {
      return webnn_onnx__fail(c, "the new size of axis %u (%g) must be %g to 2147483647", axis,
                              number, smallest);
    }
    sizes->items[axis] = (uint32_t)number;
    ratio = i == 0                                         ? scales[axis]
            : (policy[4] == 'l') == (scales[axis] < ratio) ? scales[axis]
                                                           : ratio;
  }
  return webnn_onnx__failed(c) || !by_size || strncmp(policy, "not_", 4) != 0 ||
         webnn_onnx__keep_ratio(c, shape, ratio, scales, sizes);
}

/* WebNN's own operator, where it computes the same: two axes of four, half-pixel centres, scales
   that are ratios of the sizes. */
static webnn_onnx__o *webnn_onnx__resample(webnn_onnx__call *c, webnn_onnx__o *x,
                                           const webnn_onnx__resize *r, webnn_list sizes,
                                           const double *scales) {
  const webnn_list shape = webnn_onnx__sizes(x);
  webnn_resample2d_options o = WEBNN_ZERO;
  uint32_t i, axes[WEBNN_MAX_RANK], count = 0;
  const bool nearest = r->mode[0] == 'n';
  if (shape.count != 4 || r->mode[0] == 'c' || r->antialias || !webnn_onnx__floating(x) ||
      (nearest && strcmp(r->nearest, "round_prefer_floor") != 0)) {
    return NULL;
  }
  for (i = 0; i < 4; i++) {
    /* A scale is the float32 next to a ratio of sizes: 0.4 x 480 is 192. Even
       where the size stays. */
    if ((float)scales[i] != (float)((double)sizes.items[i] / shape.items[i])) {
      return NULL;
    }
    if (sizes.items[i] != shape.items[i]) {
      axes[count++] = i;
      if (strcmp(r->coordinates, "half_pixel") != 0 &&
          (strcmp(r->coordinates, "pytorch_half_pixel") != 0 || sizes.items[i] == 1)) {
        return NULL;
      }
    }
  }
  if (count == 0 || count > 2) {
    return NULL;
  }
  if (count == 1) {
    axes[1] = axes[0] == 3 ? 2 : 3;
  }
  o.label = c->node->name;
  o.mode = nearest ? WEBNN_INTERPOLATION_NEAREST_NEIGHBOR : WEBNN_INTERPOLATION_LINEAR;
  o.axes = webnn_extra__list2(axes[0], axes[1]);
  o.sizes = webnn_extra__list2(sizes.items[axes[0]], sizes.items[axes[1]]);
  return webnn_resample2d(webnn_onnx__b(c), x, &o);
}

static bool webnn_onnx__resize_options(webnn_onnx__call *c, webnn_onnx__resize *r) {
  memset(r, 0, sizeof *r);
  r->mode = webnn_onnx__string(c, "mode", "nearest");
  r->coordinates = webnn_onnx__string(c, "coordinate_transformation_mode",
                                      c->version < 11 ? "asymmetric" : "half_pixel");
  r->nearest =
      webnn_onnx__string(c, "nearest_mode", c->version < 11 ? "simple" : "round_prefer_floor");
  r->cubic_a = webnn_onnx__float(c, "cubic_coeff_a", -0.75);
  r->outside = webnn_onnx__float(c, "extrapolation_value", 0);
  r->exclude_outside = webnn_onnx__flag(c, "exclude_outside");
  r->antialias = webnn_onnx__flag(c, "antialias");
  r->tf_crop = strcmp(r->coordinates, "tf_crop_and_resize") == 0;
  if (webnn_onnx__has_attribute(c, "nearest_mode")) {
    (void)webnn_onnx__word(c, "nearest_mode", "",
                           "round_prefer_floor|round_prefer_ceil|floor|ceil");
  }
  (void)webnn_onnx__word(c, "coordinate_transformation_mode", r->coordinates,
                         "half_pixel|half_pixel_symmetric|pytorch_half_pixel|align_corners|"
                         "asymmetric|tf_half_pixel_for_nn|tf_crop_and_resize");
  if (strcmp(r->mode, "bilinear") != 0) {
    (void)webnn_onnx__word(c, "mode", r->mode, "nearest|linear|cubic");
  }
  return !webnn_onnx__failed(c);
}

/* Where the region of interest begins and ends along each axis: 0 and 1 where it is not cut. */
static bool webnn_onnx__regions(webnn_onnx__call *c, uint32_t rank, double roi[2][WEBNN_MAX_RANK]) {
  const webnn_onnx__value *v = webnn_onnx__known(c, 1);
  const size_t count = webnn_onnx__axis_count(c, rank);
  size_t i;
  for (i = 0; i < rank; i++) {
    roi[0][i] = 0;
    roi[1][i] = 1;
  }
  if (webnn_onnx__count_of(v->shape) != 2 * count) {
    return webnn_onnx__fail(c,
                            "the number of elements of input 1 (%llu) must be twice that of the "
                            "axes (%u)",
                            (unsigned long long)webnn_onnx__count_of(webnn_onnx__shape(c, 1)),
                            (unsigned)count);
  }
  for (i = 0; i < count; i++) {
    const uint32_t axis = webnn_onnx__nth_axis(c, i, rank);
    roi[0][axis] = webnn_onnx__number_at(v, i);
    roi[1][axis] = webnn_onnx__number_at(v, i + count);
  }
  return true;
}

/* ---- 11.3 Resize of sizes that are known when the graph runs: the same numbers as operators. */

/* What is known of the new sizes: along each axis the scale, a whole number, or 0 where item `item`
   of the list of sizes counts. */
typedef struct webnn_onnx__open_resize {
  const webnn_onnx__resize *r;
  uint32_t scale[WEBNN_MAX_RANK], item[WEBNN_MAX_RANK];
  bool needed; /* some sizes are not known, and not kept */
  bool sized;  /* no item of the list is known */
} webnn_onnx__open_resize;

/* Is dimension `size` kept by that item of the list of sizes? */
static bool webnn_onnx__keeps_size(const webnn_onnx__call *c, uint32_t size, int64_t item) {
  return item == (int64_t)size && size != WEBNN_DYNAMIC_DIMENSION &&
         (!webnn_onnx__is_open(size) || webnn_onnx__is_dimension(c, item));
}

/* Reads the list of scales or of sizes. `needed` is false where a list is not as it should be, or
   scales are no whole numbers: then sizes must be known. */
static void webnn_onnx__plan_open_resize(webnn_onnx__call *c, webnn_list shape,
                                         webnn_onnx__open_resize *plan) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "scales");
  const size_t at = webnn_onnx__has(c, 3) ? 3 : c->version < 11 ? 1 : 2;
  const bool given = webnn_onnx__is_there(a);
  const webnn_onnx__value *v = !given && webnn_onnx__has(c, at) ? c->in[at] : NULL;
  const size_t count = webnn_onnx__axis_count(c, shape.count);
  uint32_t axis = 0;
  size_t i;
  for (i = 0; i < WEBNN_MAX_RANK; i++) {
    plan->scale[i] = 1;
  }
  plan->needed = false;
  plan->sized = v != NULL && v->data == NULL;
  if (given ? a->float_count != count
            : v == NULL || (v->data == NULL && (!v->sized || at != 3)) || v->shape.count != 1 ||
                  v->shape.items[0] != count) {
    return;
  }
  for (i = 0; i < count; i++) {
    const double number = given         ? (double)a->floats[i]
                          : plan->sized ? 0
                          : at == 3     ? (double)webnn_onnx__integer_at(v, i)
                                        : webnn_onnx__number_at(v, i);
    axis = webnn_onnx__nth_axis(c, i, shape.count);
    if (webnn_onnx__failed(c)) {
      return;
    }
    plan->item[axis] = (uint32_t)i;
    plan->scale[axis] =
        at == 3 ? !plan->sized && webnn_onnx__keeps_size(c, shape.items[axis], (int64_t)number)
        : number >= 1 && number <= 65536 ? (uint32_t)number
                                         : 0;
    if (at != 3 && (double)plan->scale[axis] != number) {
      plan->needed = false;
      return;
    }
    plan->needed = plan->needed || (plan->scale[axis] != 1 &&
                                    (plan->sized || webnn_onnx__is_open(shape.items[axis]) ||
                                     (at == 3 && number >= (double)WEBNN_DYNAMIC_DIMENSION)));
  }
}

/* The size of an axis, a scalar. */
static webnn_onnx__o *webnn_onnx__size_along(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis) {
  return webnn_onnx__reshape(c, webnn_onnx__sizes_from(c, x, axis, 1), webnn_extra__no_items());
}

/* The new size of an axis, a scalar. */
static webnn_onnx__o *webnn_onnx__new_size(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                           const webnn_onnx__open_resize *plan) {
  return plan->scale[axis] == 0
             ? webnn_onnx__size_of_list(c, 3, plan->item[axis])
             : webnn_onnx__scaled(c, webnn_onnx__size_along(c, x, axis), plan->scale[axis]);
}

/* WebNN's own operator in the cases of webnn_onnx__resample. */
static webnn_onnx__o *webnn_onnx__open_resample(webnn_onnx__call *c, webnn_onnx__o *x,
                                                const webnn_onnx__open_resize *plan) {
  const bool nearest = plan->r->mode[0] == 'n';
  uint32_t axes[WEBNN_MAX_RANK], count = 0, i;
  const webnn_operator_options with = webnn_onnx__label(c);
  webnn_resample2d_options o = WEBNN_ZERO;
  webnn_onnx__o *sizes[2];
  if (webnn_onnx__sizes(x).count != 4 || !webnn_onnx__floating(x) ||
      (nearest && strcmp(plan->r->nearest, "round_prefer_floor") != 0) ||
      (strcmp(plan->r->coordinates, "half_pixel") != 0 &&
       strcmp(plan->r->coordinates, "pytorch_half_pixel") != 0)) {
    return NULL;
  }
  for (i = 0; i < 4; i++) {
    if (plan->scale[i] != 1) {
      axes[count++] = i;
    }
  }
  if (count > 2) {
    axes[0] = 2, axes[1] = 3;
  } else if (count == 1) {
    axes[1] = axes[0] == 3 ? 2 : 3;
  }
  for (i = 0; i < 2; i++) {
    sizes[i] = webnn_onnx__new_size(c, x, axes[i], plan);
    if (plan->scale[axes[i]] == 1) {
      sizes[i] = webnn_onnx__size_along(c, x, axes[i]);
    }
    sizes[i] = webnn_onnx__reshape(c, sizes[i], webnn_extra__list1(1));
  }
  o.label = c->node->name;
  o.mode = nearest ? WEBNN_INTERPOLATION_NEAREST_NEIGHBOR : WEBNN_INTERPOLATION_LINEAR;
  o.axes = webnn_extra__list2(axes[0], axes[1]);
  x = webnn_resample2d_dynamic(webnn_onnx__b(c), x, webnn_onnx__concat2(c, sizes[0], sizes[1], 0),
                               &o);
  /* The list says sizes for all four axes: the first two are checked to stay, or repeat one. */
  return count > 2 ? webnn_expand_dynamic(webnn_onnx__b(c), x, webnn_onnx__x(c, 3), &with) : x;
}

/* Where in an axis of size `in` the elements of one of size `out` lie, float32 [out]: quotients of
   whole numbers, which round as those of webnn_onnx__exact_origin. */
static webnn_onnx__o *webnn_onnx__open_origins(webnn_onnx__call *c,
                                               const webnn_onnx__open_resize *plan, uint32_t axis,
                                               webnn_onnx__o *in, webnn_onnx__o *out) {
  const webnn_operator_options o = webnn_onnx__label(c);
  const char *coordinates = plan->r->coordinates;
  const bool align = coordinates[0] == 'a' && coordinates[1] == 'l';
  const bool halves = strstr(coordinates, "half") != NULL;
  webnn_onnx__o *zero = webnn_onnx__like(c, in, 0), *one = webnn_onnx__like(c, in, 1);
  webnn_onnx__o *number = webnn_range(webnn_onnx__b(c), zero, out, one, &o), *by, *x;
  if (align) {
    number = webnn_onnx__mul(c, number, webnn_onnx__sub(c, in, one));
    by = webnn_onnx__max(c, webnn_onnx__sub(c, out, one), one);
  } else {
    number = halves ? webnn_onnx__plus(c, webnn_onnx__scaled(c, number, 2), 1) : number;
    by = plan->scale[axis] != 0 ? webnn_onnx__like(c, in, plan->scale[axis]) : out;
    number = plan->scale[axis] != 0 ? number : webnn_onnx__mul(c, number, in);
    by = halves ? webnn_onnx__scaled(c, by, 2) : by;
  }
  x = webnn_onnx__div(c, webnn_onnx__cast(c, number, WEBNN_FLOAT32),
                      webnn_onnx__cast(c, by, WEBNN_FLOAT32));
  if (halves && coordinates[0] != 't') {
    x = webnn_onnx__plus(c, x, -0.5);
  }
  return coordinates[0] == 'p'
             ? webnn_onnx__select(c, webnn_onnx__equal(c, out, one), webnn_onnx__like(c, x, 0), x)
             : x;
}

/* The places, int64, within an axis of that size. */
static webnn_onnx__o *webnn_onnx__open_places(webnn_onnx__call *c, webnn_onnx__o *x,
                                              webnn_onnx__o *size) {
  x = webnn_onnx__cast(c, x, WEBNN_INT64);
  x = webnn_onnx__max(c, x, webnn_onnx__like(c, x, 0));
  return webnn_onnx__min(c, x, webnn_onnx__plus(c, size, -1));
}

/* x gathered at the nearest places. */
static webnn_onnx__o *webnn_onnx__open_nearest(webnn_onnx__call *c,
                                               const webnn_onnx__open_resize *plan,
                                               webnn_onnx__o *x, uint32_t axis) {
  const char *nearest = plan->r->nearest;
  const bool up = strcmp(nearest, "ceil") == 0 || strcmp(nearest, "round_prefer_floor") == 0;
  webnn_onnx__o *in = webnn_onnx__size_along(c, x, axis);
  webnn_onnx__o *at =
      webnn_onnx__open_origins(c, plan, axis, in, webnn_onnx__new_size(c, x, axis, plan));
  if (nearest[0] == 'r') {
    at = webnn_onnx__plus(c, at, up ? -0.5 : 0.5);
  }
  at = webnn_onnx__1(c, up ? WEBNN_OP_CEIL : WEBNN_OP_FLOOR, at);
  return webnn_onnx__gather(c, x, webnn_onnx__open_places(c, at, in), axis);
}

/* A list [n] as [n, 1, 1, ...], which lies along an axis of `rank`. */
static webnn_onnx__o *webnn_onnx__open_along(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t rank,
                                             uint32_t axis) {
  const webnn_operator_options o = webnn_onnx__label(c);
  return axis + 1 == rank
             ? x
             : webnn_unsqueeze(webnn_onnx__b(c), x, webnn_onnx__axes_from(1, rank - axis), &o);
}

/* x between two neighbours, the sum of webnn_onnx__resize_by_gathers. Where the second would have
   no weight, the first one counts twice with a half. */
static webnn_onnx__o *webnn_onnx__open_linear(webnn_onnx__call *c,
                                              const webnn_onnx__open_resize *plan, webnn_onnx__o *x,
                                              uint32_t axis) {
  const uint32_t rank = webnn_onnx__sizes(x).count;
  webnn_onnx__o *in = webnn_onnx__size_along(c, x, axis), *low, *part, *whole, *half, *first, *next;
  webnn_onnx__o *at =
      webnn_onnx__open_origins(c, plan, axis, in, webnn_onnx__new_size(c, x, axis, plan));
  at = webnn_onnx__max(c, at, webnn_onnx__like(c, at, 0));
  at = webnn_onnx__min(c, at, webnn_onnx__cast(c, webnn_onnx__plus(c, in, -1), WEBNN_FLOAT32));
  low = webnn_onnx__1(c, WEBNN_OP_FLOOR, at);
  part = webnn_onnx__sub(c, at, low);
  whole = webnn_onnx__equal(c, part, webnn_onnx__like(c, part, 0));
  half = webnn_onnx__like(c, part, 0.5);
  low = webnn_onnx__open_places(c, low, in);
  first = webnn_onnx__sub(c, webnn_onnx__like(c, part, 1), part);
  first = webnn_onnx__select(c, whole, half, first);
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  first = webnn_onnx__mul(c, webnn_onnx__gather(c, x, low, axis),
                          webnn_onnx__open_along(c, first, rank, axis));
  next = webnn_onnx__select(c, whole, low, webnn_onnx__plus(c, low, 1));
  part = webnn_onnx__select(c, whole, half, part);
  next = webnn_onnx__mul(c, webnn_onnx__gather(c, x, next, axis),
                         webnn_onnx__open_along(c, part, rank, axis));
  return webnn_onnx__add(c, first, next);
}

/* Can the modes be written with sizes that are known when the graph runs? Some have rules of their
   own for a size of 1, or one that stays. */
static bool webnn_onnx__resizes_open(const webnn_onnx__call *c,
                                     const webnn_onnx__open_resize *plan) {
  const webnn_onnx__resize *r = plan->r;
  uint32_t count = 0, i;
  for (i = 0; i < WEBNN_MAX_RANK; i++) {
    count += plan->scale[i] != 1;
  }
  return plan->needed &&
         (webnn_onnx__shape(c, 0).count != 4 || count <= 2 ||
          (webnn_onnx__has(c, 3) && !webnn_onnx__has_attribute(c, "axes"))) &&
         r->mode[0] != 'c' && !r->antialias && !r->tf_crop &&
         strcmp(r->coordinates, "half_pixel_symmetric") != 0 &&
         strncmp(webnn_onnx__string(c, "keep_aspect_ratio_policy", "stretch"), "not_", 4) != 0 &&
         (!webnn_onnx__has(c, 3) || (strcmp(r->coordinates, "pytorch_half_pixel") != 0 &&
                                     strcmp(r->coordinates, "tf_half_pixel_for_nn") != 0));
}

/* Resize by scales of dynamic dimensions, or to sizes that are known when the graph runs. */
static bool webnn_onnx__lower_open_resize(webnn_onnx__call *c,
                                          const webnn_onnx__open_resize *plan) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y = webnn_onnx__open_resample(c, x, plan);
  const uint32_t rank = webnn_onnx__sizes(x).count;
  uint32_t i;
  for (i = 0; i < rank && y == NULL; i++) {
    if (plan->scale[i] != 1) {
      x = plan->r->mode[0] == 'n' ? webnn_onnx__open_nearest(c, plan, x, i)
                                  : webnn_onnx__open_linear(c, plan, x, i);
    }
  }
  if (y == NULL && plan->r->mode[0] != 'n') {
    x = webnn_onnx__within(c, x, webnn_onnx__type(c, 0));
    x = webnn_onnx__cast(c, x, webnn_onnx_graph_type(webnn_onnx__type(c, 0)));
  }
  return webnn_onnx__put(c, 0, y != NULL ? y : x);
}

static bool webnn_onnx__lower_resize(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y;
  double scales[WEBNN_MAX_RANK], roi[2][WEBNN_MAX_RANK] = {{0}};
  webnn_onnx__resize r;
  webnn_onnx__open_resize plan;
  webnn_list sizes;
  const webnn_list shape = webnn_onnx__sizes(x);
  uint32_t i;
  if (!webnn_onnx__resize_options(c, &r)) {
    return false;
  }
  if (strcmp(r.mode, "bilinear") == 0) {
    r.mode = "linear";
  }
  plan.r = &r;
  webnn_onnx__plan_open_resize(c, shape, &plan);
  if (webnn_onnx__resizes_open(c, &plan)) {
    return webnn_onnx__lower_open_resize(c, &plan);
  }
  if (!webnn_onnx__resize_sizes(c, shape, scales, &sizes)) {
    return false;
  }
  if (r.tf_crop && !webnn_onnx__regions(c, shape.count, roi)) {
    return false;
  }
  if (webnn_onnx__count_of(sizes) == 0) {
    return webnn_onnx__put_empty(c, 0, sizes);
  }
  y = webnn_onnx__resample(c, x, &r, sizes, scales);
  if (y != NULL) {
    return webnn_onnx__put(c, 0, y);
  }
  for (i = 0; i < shape.count; i++) {
    r.in = shape.items[i], r.out = sizes.items[i], r.scale = scales[i];
    r.roi_begin = roi[0][i];
    r.roi_end = r.tf_crop ? roi[1][i] : 1;
    if (r.in != r.out || r.scale != 1 || r.roi_begin != 0 || r.roi_end != 1) {
      x = webnn_onnx__resize_axis(c, x, i, &r);
    }
  }
  if (r.mode[0] != 'n') {
    x = webnn_onnx__within(c, x, webnn_onnx__type(c, 0));
    x = webnn_onnx__cast(c, x, webnn_onnx_graph_type(webnn_onnx__type(c, 0)));
  }
  for (i = 0; i < shape.count && r.tf_crop; i++) {
    r.in = shape.items[i], r.out = sizes.items[i], r.scale = scales[i];
    r.roi_begin = roi[0][i], r.roi_end = roi[1][i];
    if (r.roi_begin < 0 || r.roi_begin > 1 || r.roi_end < 0 || r.roi_end > 1) {
      x = webnn_onnx__extrapolated(c, x, i, &r);
    }
  }
  return webnn_onnx__put(c, 0, x);
}

/* ---- 11.4 sampling: elements at coordinates that may be computed when the graph runs. */

/* Images that are sampled at points. Operands of points have shapes that are broadcast together. */
typedef struct webnn_onnx__sampling {
  webnn_onnx__o *rows;  /* the places of all images one after the other, [places, channels] */
  webnn_onnx__o *first; /* int64: the row where the image of a point begins */
  webnn_onnx__o *at[3]; /* float32: the coordinates of points along each axis */
  uint32_t rank, sizes[3];
  char mode;    /* n: the nearest place, l: linear, c: cubic */
  char outside; /* z: zeros, b: the border, r: reflected */
  bool align_corners;
} webnn_onnx__sampling;

/* One of the places along an axis that a point is interpolated from. */
typedef struct webnn_onnx__tap {
  webnn_onnx__o *row;    /* int64, in rows */
  webnn_onnx__o *inside; /* uint8: is the place inside? NULL: always */
  webnn_onnx__o *weight; /* NULL: 1 */
} webnn_onnx__tap;

/* Between 0 and `most`. */
static webnn_onnx__o *webnn_onnx__clamped(webnn_onnx__call *c, webnn_onnx__o *x, double most) {
  return webnn_onnx__min(c, webnn_onnx__max(c, x, webnn_onnx__like(c, x, 0)),
                         webnn_onnx__like(c, x, most));
}

/* Whole coordinates reflected at the centres (corners aligned) or edges of the
   first and last place. */
static webnn_onnx__o *webnn_onnx__reflected(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t size,
                                            bool align_corners) {
  const double low = align_corners ? 0 : -0.5, span = align_corners ? size - 1.0 : size;
  webnn_onnx__o *d = webnn_onnx__abs(c, webnn_onnx__plus(c, x, -low)), *n, *odd;
  if (span == 0) {
    return webnn_onnx__scaled(c, x, 0);
  }
  n = webnn_onnx__1(c, WEBNN_OP_FLOOR, webnn_onnx__div(c, d, webnn_onnx__like(c, d, span)));
  d = webnn_onnx__sub(c, d, webnn_onnx__scaled(c, n, span));
  odd = webnn_onnx__1(c, WEBNN_OP_FLOOR, webnn_onnx__scaled(c, n, 0.5));
  odd = webnn_onnx__less(c, webnn_onnx__scaled(c, odd, 2), n);
  return webnn_onnx__select(c, odd, webnn_onnx__sub(c, webnn_onnx__like(c, d, low + span), d),
                            webnn_onnx__plus(c, d, low));
}

/* The weight of the place k = -1 to 2 for a point that lies `t` behind place 0. */
static webnn_onnx__o *webnn_onnx__tap_weight(webnn_onnx__call *c, webnn_onnx__o *t, char mode,
                                             int k) {
  const double a = -0.75;
  webnn_onnx__o *one = webnn_onnx__like(c, t, 1), *d, *y;
  if (mode == 'l') {
    return k == 0 ? webnn_onnx__sub(c, one, t) : t;
  }
  d = k <= 0 ? webnn_onnx__plus(c, t, -k)
             : webnn_onnx__sub(c, webnn_onnx__like(c, t, k), t); /* the distance */
  if (k == 0 || k == 1) {
    y = webnn_onnx__plus(c, webnn_onnx__scaled(c, d, a + 2), -(a + 3));
    return webnn_onnx__plus(c, webnn_onnx__mul(c, y, webnn_onnx__mul(c, d, d)), 1);
  }
  y = webnn_onnx__plus(c, webnn_onnx__scaled(c, d, a), -5 * a);
  y = webnn_onnx__plus(c, webnn_onnx__mul(c, y, d), 8 * a);
  return webnn_onnx__plus(c, webnn_onnx__mul(c, y, d), -4 * a);
}

/* The places along an axis; returns how many there are for each point. */
static int webnn_onnx__taps(webnn_onnx__call *c, const webnn_onnx__sampling *s, uint32_t axis,
                            webnn_onnx__tap *taps) {
  const int count = s->mode == 'n' ? 1 : s->mode == 'l' ? 2 : 4, first = count == 4 ? -1 : 0;
  const double size = s->sizes[axis];
  webnn_onnx__o *x = s->at[axis], *floor_ = x, *t, *place;
  double pitch = 1;
  uint32_t d;
  int k;
  for (d = axis + 1; d < s->rank; d++) {
    pitch *= s->sizes[d];
  }
  floor_ = webnn_onnx__1(c, count == 1 ? WEBNN_OP_ROUND_EVEN : WEBNN_OP_FLOOR, x);
  t = webnn_onnx__sub(c, x, floor_);
  for (k = 0; k < count; k++) {
    place = k + first == 0 ? floor_ : webnn_onnx__plus(c, floor_, k + first);
    taps[k].inside = NULL;
    if (s->outside == 'z') {
      taps[k].inside = webnn_onnx__equal(c, place, webnn_onnx__clamped(c, place, size - 1));
    } else if (s->outside == 'r') {
      place = webnn_onnx__reflected(c, place, s->sizes[axis], s->align_corners);
    }
    place = webnn_onnx__cast(c, webnn_onnx__clamped(c, place, size - 1), WEBNN_INT64);
    taps[k].row = webnn_onnx__scaled(c, place, pitch);
    taps[k].weight = count == 1 ? NULL : webnn_onnx__tap_weight(c, t, s->mode, k + first);
  }
  return count;
}

/* [..] as [.., 1]. */
static webnn_onnx__o *webnn_onnx__with_channels(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_list shape = webnn_onnx__sizes(x);
  return webnn_onnx__reshape(c, x, webnn_extra__inserted(shape, shape.count, 1));
}

/* What one place gives to all points, [points.., channels]. */
static webnn_onnx__o *webnn_onnx__tapped(webnn_onnx__call *c, const webnn_onnx__sampling *s,
                                         webnn_onnx__tap taps[3][4], int count, int which) {
  webnn_onnx__o *row = s->first, *inside = NULL, *weight = NULL, *x;
  uint32_t d;
  for (d = 0; d < s->rank; d++, which /= count) {
    const webnn_onnx__tap *tap = &taps[d][which % count];
    row = webnn_onnx__add(c, row, tap->row);
    inside = webnn_onnx__with(c, WEBNN_OP_LOGICAL_AND, inside, tap->inside);
    weight = webnn_onnx__with(c, WEBNN_OP_MUL, weight, tap->weight);
  }
  x = webnn_onnx__gather(c, s->rows, row, 0);
  if (inside != NULL) {
    x = webnn_onnx__select(c, webnn_onnx__with_channels(c, inside), x, webnn_onnx__like(c, x, 0));
  }
  return webnn_onnx__with(c, WEBNN_OP_MUL, x, webnn_onnx__with_channels(c, weight));
}

/* [points.., channels]; with `max` the largest of the places' parts in place of their sum. */
static webnn_onnx__o *webnn_onnx__sampled(webnn_onnx__call *c, const webnn_onnx__sampling *s,
                                          bool max) {
  webnn_onnx__tap taps[3][4];
  webnn_onnx__o *sum = NULL, *part;
  int count = 1, all = 1, i;
  uint32_t d;
  for (d = 0; d < s->rank; d++) {
    count = webnn_onnx__taps(c, s, d, taps[d]);
    all *= count;
  }
  for (i = 0; i < all; i++) {
    part = webnn_onnx__tapped(c, s, taps, count, i);
    sum = i == 0 ? part : max ? webnn_onnx__max(c, sum, part) : webnn_onnx__add(c, sum, part);
  }
  return sum;
}

/* [N, C, spatial..] as rows [N spatial.., C]. */
static webnn_onnx__o *webnn_onnx__rows_of(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_list s = webnn_onnx__sizes(x);
  const uint64_t places = webnn_extra__product(s, 2, s.count);
  x = webnn_onnx__as3(c, x, s.items[0], s.items[1], places);
  x = webnn_onnx__swap_last(c, x);
  return webnn_onnx__as2(c, x, s.items[0] * places, s.items[1]);
}

/* From -1 and 1, the ends of the input, to its places. */
static webnn_onnx__o *webnn_onnx__denormalized(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t size,
                                               bool align_corners) {
  x = webnn_onnx__plus(c, x, 1);
  if (align_corners) {
    return webnn_onnx__scaled(c, webnn_onnx__scaled(c, x, 0.5), size - 1.0);
  }
  return webnn_onnx__scaled(c, webnn_onnx__plus(c, webnn_onnx__scaled(c, x, size), -1), 0.5);
}

static bool webnn_onnx__sampling_options(webnn_onnx__call *c, webnn_onnx__sampling *s) {
  const char *mode = webnn_onnx__string(c, "mode", "linear");

  const char *plain = strncmp(mode, "bi", 2) == 0 ? mode + 2 : mode; /* before version 20 */
  s->mode = plain[0];
  s->outside = "zbr"[webnn_onnx__word(c, "padding_mode", "zeros", "zeros|border|reflection")];
  s->align_corners = webnn_onnx__flag(c, "align_corners");
  if (strcmp(plain, "linear") != 0 && strcmp(plain, "nearest") != 0 &&
      strcmp(plain, "cubic") != 0) {
    return webnn_onnx__wrong_word(c, "mode", mode,
                                  c->version < 20 ? "bilinear, nearest or bicubic"
                                                  : "linear, nearest or cubic");
  }
  return !webnn_onnx__failed(c);
}

static bool webnn_onnx__lower_grid_sample(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 3, 5), *grid = webnn_onnx__x(c, 1), *y;
  const webnn_list xs = webnn_onnx__sizes(x), gs = webnn_onnx__sizes(grid);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  webnn_onnx__sampling s;
  webnn_list shape = xs;
  uint64_t points;
  uint32_t d;
  memset(&s, 0, sizeof s);
  if (!webnn_onnx__sampling_options(c, &s) || webnn_onnx__failed(c) ||
      !webnn_onnx__must_have_rank(c, 1, xs.count, xs.count)) {
    return false;
  }
  s.rank = xs.count - 2;
  if (gs.items[gs.count - 1] != s.rank || gs.items[0] != xs.items[0]) {
    return webnn_onnx__fail(c, "input 1 shape %s must be [%u,...,%u], since input 0 is %s",
                            webnn_onnx__show_shape(gs).text, xs.items[0], s.rank,
                            webnn_onnx__show_shape(xs).text);
  }
  points = webnn_extra__product(gs, 1, gs.count - 1);
  grid = webnn_onnx__cast(c, grid, WEBNN_FLOAT32);
  grid = webnn_onnx__as3(c, grid, gs.items[0], points, s.rank);
  for (d = 0; d < s.rank; d++) { /* the last axis is the first coordinate */
    s.sizes[d] = xs.items[d + 2];
    shape.items[d + 2] = gs.items[d + 1];
    y = webnn_onnx__slice(c, grid, 2, s.rank - 1 - d, 1);
    y = webnn_onnx__as2(c, y, gs.items[0], points);
    s.at[d] = webnn_onnx__denormalized(c, y, s.sizes[d], s.align_corners);
  }
  s.first = webnn_onnx__iota(c, xs.items[0], (int64_t)webnn_extra__product(xs, 2, xs.count));
  s.first = webnn_onnx__along(c, s.first, 2, 0);
  s.rows = webnn_onnx__rows_of(c, s.mode == 'n' ? x : webnn_onnx__cast(c, x, WEBNN_FLOAT32));
  y = webnn_onnx__swap_last(c, webnn_onnx__sampled(c, &s, false));
  return webnn_onnx__put(c, 0, webnn_onnx__cast(c, webnn_onnx__reshape(c, y, shape), type));
}

/* Place i of `size` between -1 and 1. */
static float webnn_onnx__normalized_place(uint32_t i, uint32_t size, bool align_corners) {
  return align_corners ? size == 1 ? -1.0f : (float)(2.0 * i / (size - 1.0) - 1)
                       : (float)((2.0 * i + 1) / size - 1);
}

/* The product of theta with the places of a regular grid. */
static bool webnn_onnx__lower_affine_grid(webnn_onnx__call *c) {
  webnn_onnx__o *theta = webnn_onnx__x(c, 0), *places;
  const bool align_corners = webnn_onnx__flag(c, "align_corners");
  const webnn_data_type type = webnn_onnx__graph_type_of(theta);
  int64_t sizes[WEBNN_MAX_RANK];
  size_t i, points;
  webnn_list shape;
  uint32_t rank, d;
  uint64_t room;
  float *items;
  if (!webnn_onnx__to_list(c, sizes, webnn_onnx__integers(c, 1, sizes, WEBNN_MAX_RANK), &shape)) {
    return false;
  }
  rank = shape.count - 2;
  points = (size_t)webnn_extra__product(shape, 2, shape.count);
  if (shape.count < 4 || shape.count > 5 || points == 0 || points > WEBNN_ONNX__MOST_INDICES) {
    return webnn_onnx__fail(c,
                            "the size in input 1 (%s) must have 4 or 5 dimensions and 1 to %d "
                            "places",
                            webnn_onnx__show_shape(shape).text, WEBNN_ONNX__MOST_INDICES);
  }
  room = (uint64_t)points * (rank + 1);
  items = (float *)webnn_onnx__scratch(c, &room, sizeof *items);
  for (i = 0; i < points && room != 0; i++) {
    for (d = 0; d < rank; d++) { /* coordinate d is of the axis counted from the end */
      const uint32_t axis = shape.count - 1 - d;
      const uint64_t at = i / webnn_extra__product(shape, axis + 1, shape.count);
      items[i * (rank + 1) + d] = webnn_onnx__normalized_place((uint32_t)(at % shape.items[axis]),
                                                               shape.items[axis], align_corners);
    }
    items[i * (rank + 1) + rank] = 1;
  }
  places =
      webnn_onnx__constant_of(c, WEBNN_FLOAT32, webnn_extra__list3(1, points, rank + 1), items);
  theta = webnn_onnx__swap_last(c, webnn_onnx__cast(c, theta, WEBNN_FLOAT32));
  theta = webnn_onnx__cast(c, webnn_onnx__matmul(c, places, theta), type);
  shape = webnn_extra__inserted(webnn_extra__removed(shape, 1), shape.count - 1, rank);
  return webnn_onnx__put(c, 0, webnn_onnx__reshape(c, theta, shape));
}

/* ---- 11.5 RoiAlign: regions [R, 4] in images, each divided into bins, in which
   samples are taken. */

typedef struct webnn_onnx__regions_of_interest {
  webnn_onnx__o *rois; /* float32 [R, 4] */
  uint32_t count;
  double scale, offset; /* 0.5 or 0 */
  int64_t ratio;        /* samples along each axis of a bin; 0: as many as its size says */
} webnn_onnx__regions_of_interest;

/* Where samples lie along an axis, float32 [R, bins, samples], their weights, and whether they are
   inside the image. */
typedef struct webnn_onnx__roi_axis {
  webnn_onnx__o *at, *weight, *inside;
  uint32_t bins, samples;
} webnn_onnx__roi_axis;

/* Column `i` of the regions, scaled, as [R, 1, 1]. */
static webnn_onnx__o *webnn_onnx__roi_edge(webnn_onnx__call *c,
                                           const webnn_onnx__regions_of_interest *r, uint32_t i) {
  webnn_onnx__o *x = webnn_onnx__slice(c, r->rois, 1, i, 1);
  x = webnn_onnx__plus(c, webnn_onnx__scaled(c, x, r->scale), -r->offset);
  return webnn_onnx__as3(c, x, r->count, 1, 1);
}

/* Without a ratio the number of samples is that of places in a bin, rounded up: the regions must be
   known. items: how many of each region, *most: of any. */
static bool webnn_onnx__roi_samples(webnn_onnx__call *c, const webnn_onnx__regions_of_interest *r,
                                    uint32_t axis, uint32_t bins, float *items, uint32_t *most) {
  const webnn_onnx__value *v;
  uint32_t i;
  *most = 1;
  if (webnn_onnx__varies(c, 1)) {
    webnn_onnx__want(c->import, c->in[1]->from);
    return webnn_onnx__fail(c,
                            "sampling_ratio is 0, and the regions depend on the values of "
                            "\"%s\": how many samples there are is not known",
                            webnn_onnx__show(c->in[1]->from).text);
  }
  v = webnn_onnx__known(c, 1);
  for (i = 0; i < r->count && !webnn_onnx__failed(c); i++) {
    const double begin = webnn_onnx__number_at(v, 4 * i + axis) * r->scale;
    double size = webnn_onnx__number_at(v, 4 * i + axis + 2) * r->scale - begin;
    size = r->offset == 0 && size < 1 ? 1 : size;
    size = webnn_onnx__ceil((double)((float)size / (float)bins));
    if (!(size <= 1024)) {
      return webnn_onnx__fail(c, "the samples of a bin (%g) must be at most 1024", size);
    }
    items[i] = size < 1 ? 0.0f : (float)size;
    *most = items[i] > (float)*most ? (uint32_t)items[i] : *most;
  }
  return !webnn_onnx__failed(c);
}

/* The samples of all regions along y (axis 1) or x (axis 0). */
static bool webnn_onnx__roi_axis_of(webnn_onnx__call *c, const webnn_onnx__regions_of_interest *r,
                                    uint32_t axis, webnn_onnx__roi_axis *a) {
  webnn_onnx__o *begin = webnn_onnx__roi_edge(c, r, axis), *size, *counts, *any, *k;
  float *items = (float *)webnn_onnx__take(c, r->count, sizeof *items);
  a->samples = (uint32_t)r->ratio;
  if (webnn_onnx__failed(c) ||
      (r->ratio == 0 && !webnn_onnx__roi_samples(c, r, axis, a->bins, items, &a->samples))) {
    return false;
  }
  counts = r->ratio != 0
               ? webnn_onnx__number(c, WEBNN_FLOAT32, (double)r->ratio)
               : webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list3(r->count, 1, 1), items);
  any = webnn_onnx__less(c, webnn_onnx__like(c, counts, 0), counts);
  counts = webnn_onnx__max(c, counts, webnn_onnx__like(c, counts, 1));
  size = webnn_onnx__sub(c, webnn_onnx__roi_edge(c, r, axis + 2), begin);
  size = r->offset != 0 ? size : webnn_onnx__max(c, size, webnn_onnx__like(c, size, 1));
  size = webnn_onnx__div(c, size, webnn_onnx__like(c, size, a->bins));
  k = webnn_onnx__cast(c, webnn_onnx__iota(c, a->samples, 1), WEBNN_FLOAT32);
  k = webnn_onnx__along(c, k, 3, 2);
  /* Those beyond a region's own number weigh nothing, and count as its last for the largest. */
  a->weight = webnn_onnx__select(c, webnn_onnx__less(c, k, counts),
                                 webnn_onnx__reciprocal(c, counts), webnn_onnx__like(c, k, 0));
  k = webnn_onnx__plus(c, webnn_onnx__min(c, k, webnn_onnx__plus(c, counts, -1)), 0.5);
  k = webnn_onnx__mul(c, k, webnn_onnx__div(c, size, counts));
  a->at = webnn_onnx__cast(c, webnn_onnx__iota(c, a->bins, 1), WEBNN_FLOAT32);
  a->at = webnn_onnx__mul(c, webnn_onnx__along(c, a->at, 3, 1), size);
  a->at = webnn_onnx__add(c, webnn_onnx__add(c, begin, a->at), k);
  /* A region without samples has one outside of the image, which is 0. */
  a->at = webnn_onnx__select(c, any, a->at, webnn_onnx__like(c, a->at, -2));
  return true;
}

/* Samples more than one place outside are 0; others are taken at the border. */
static void webnn_onnx__roi_clamp(webnn_onnx__call *c, webnn_onnx__roi_axis *a, uint32_t size) {
  a->inside = webnn_onnx__logical_and(
      c, webnn_onnx__greater_or_equal(c, a->at, webnn_onnx__like(c, a->at, -1)),
      webnn_onnx__lesser_or_equal(c, a->at, webnn_onnx__like(c, a->at, size)));
  a->weight = webnn_onnx__select(c, a->inside, a->weight, webnn_onnx__like(c, a->at, 0));
  a->at = webnn_onnx__clamped(c, a->at, size - 1.0);
}

/* [R, bins, samples] as [R, rows, 1, 1..] or [R, 1, columns, 1..] of `rank` dimensions. */
static webnn_onnx__o *webnn_onnx__roi_along(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t rank,
                                            uint32_t axis) {
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_list shape = webnn_extra__repeat(1, rank);
  shape.items[0] = s.items[0];
  shape.items[axis] = s.items[1] * s.items[2];
  return webnn_onnx__reshape(c, x, shape);
}

/* The mean, or the largest, of the samples in each bin. */
static webnn_onnx__o *webnn_onnx__roi_pooled(webnn_onnx__call *c, webnn_onnx__o *x,
                                             const webnn_onnx__roi_axis *y_axis,
                                             const webnn_onnx__roi_axis *x_axis, bool max) {
  static const uint32_t back[] = {0, 3, 1, 2};
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_onnx__o *weight =
      webnn_onnx__2(c, max ? WEBNN_OP_LOGICAL_AND : WEBNN_OP_MUL,
                    webnn_onnx__roi_along(c, max ? y_axis->inside : y_axis->weight, 4, 1),
                    webnn_onnx__roi_along(c, max ? x_axis->inside : x_axis->weight, 4, 2));
  webnn_list shape = webnn_extra__repeat(1, 6), axes = webnn_extra__list2(2, 4);
  shape.items[0] = s.items[0], shape.items[5] = s.items[3];
  shape.items[1] = y_axis->bins, shape.items[2] = y_axis->samples;
  shape.items[3] = x_axis->bins, shape.items[4] = x_axis->samples;
  if (max) { /* outside is 0 */
    x = webnn_onnx__select(c, weight, x, webnn_onnx__like(c, x, 0));
  } else {
    x = webnn_onnx__mul(c, x, weight);
  }
  x = webnn_onnx__reshape(c, x, shape);
  x = webnn_onnx__reduce(c, max ? WEBNN_OP_REDUCE_MAX : WEBNN_OP_REDUCE_SUM, x, axes, false);
  return webnn_onnx__transpose(c, x, webnn_list_of(back, 4));
}

static bool webnn_onnx__roi_options(webnn_onnx__call *c, webnn_onnx__regions_of_interest *r,
                                    webnn_onnx__roi_axis *axes, bool *max) {
  const char *offset = webnn_onnx__string(c, "coordinate_transformation_mode",
                                          c->version < 16 ? "output_half_pixel" : "half_pixel");
  const webnn_list s = webnn_onnx__shape(c, 1);
  *max = webnn_onnx__word(c, "mode", "avg", "avg|max") == 1;
  r->count = s.items[0];
  r->scale = webnn_onnx__float(c, "spatial_scale", 1);
  r->offset = strcmp(offset, "half_pixel") == 0 ? 0.5 : 0;
  axes[0].bins = (uint32_t)webnn_onnx__int_in(c, "output_height", 1, 1, 65535);
  axes[1].bins = (uint32_t)webnn_onnx__int_in(c, "output_width", 1, 1, 65535);
  r->ratio = webnn_onnx__int_in(c, "sampling_ratio", 0, 0, 1024);
  if (s.count != 2 || s.items[1] != 4) {
    return webnn_onnx__fail(c, "input 1 shape %s must be [regions,4]",
                            webnn_onnx__show_shape(s).text);
  }
  return !webnn_onnx__failed(c);
}

static bool webnn_onnx__lower_roi_align(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 4, 4), *rois = webnn_onnx__x(c, 1);
  webnn_onnx__o *images = webnn_onnx__x(c, 2);
  const webnn_list xs = webnn_onnx__sizes(x);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  webnn_onnx__regions_of_interest r;
  webnn_onnx__roi_axis axes[2];
  webnn_onnx__sampling s;
  bool max;
  uint32_t d;
  memset(&r, 0, sizeof r);
  memset(&s, 0, sizeof s);
  if (!webnn_onnx__roi_options(c, &r, axes, &max)) {
    return false;
  }
  r.rois = webnn_onnx__cast(c, rois, WEBNN_FLOAT32);
  s.rank = 2;
  s.mode = 'l', s.outside = 'b';
  for (d = 0; d < 2; d++) {
    if (!webnn_onnx__roi_axis_of(c, &r, 1 - d, &axes[d])) {
      return false;
    }
    s.sizes[d] = xs.items[d + 2];
    webnn_onnx__roi_clamp(c, &axes[d], s.sizes[d]);
    s.at[d] = webnn_onnx__roi_along(c, axes[d].at, 3, d + 1);
  }
  s.rows = webnn_onnx__rows_of(c, webnn_onnx__cast(c, x, WEBNN_FLOAT32));
  s.first = webnn_onnx__scaled(c, webnn_onnx__cast(c, images, WEBNN_INT64),
                               (double)xs.items[2] * xs.items[3]);
  s.first = webnn_onnx__along(c, s.first, 3, 0);
  x = webnn_onnx__roi_pooled(c, webnn_onnx__sampled(c, &s, max), &axes[0], &axes[1], max);
  return webnn_onnx__put(c, 0, webnn_onnx__cast(c, x, type));
}

/* Where the bins of a region begin or end along an axis, [R, bins]: edges rounded to places. */
static webnn_onnx__o *webnn_onnx__bin_edges(webnn_onnx__call *c, webnn_onnx__o *begin,
                                            webnn_onnx__o *size, uint32_t bins, bool end,
                                            uint32_t most) {
  webnn_onnx__o *k = webnn_onnx__cast(c, webnn_onnx__iota(c, bins, 1), WEBNN_FLOAT32);
  k = webnn_onnx__along(c, webnn_onnx__plus(c, k, end ? 1 : 0), 2, 1);
  k = webnn_onnx__mul(c, k, webnn_onnx__div(c, size, webnn_onnx__like(c, size, bins)));
  k = webnn_onnx__1(c, end ? WEBNN_OP_CEIL : WEBNN_OP_FLOOR, k);
  return webnn_onnx__clamped(c, webnn_onnx__add(c, k, begin), most);
}

/* Which of `places` are in the bins of the regions along an axis, [R, bins, places]. */
static webnn_onnx__o *webnn_onnx__bin_mask(webnn_onnx__call *c, webnn_onnx__o *rois, uint32_t axis,
                                           double scale, uint32_t bins, uint32_t places) {
  const uint32_t count = webnn_onnx__sizes(rois).items[0];
  const webnn_list shape = webnn_extra__list3(count, bins, 1);
  webnn_onnx__o *edges[2], *size, *k;
  uint32_t i;
  for (i = 0; i < 2; i++) {
    k = webnn_onnx__scaled(c, webnn_onnx__slice(c, rois, 1, axis + 2 * i, 1), scale);
    edges[i] = webnn_onnx__1(c, WEBNN_OP_FLOOR, webnn_onnx__plus(c, k, 0.5));
  }
  size = webnn_onnx__plus(c, webnn_onnx__sub(c, edges[1], edges[0]), 1);
  size = webnn_onnx__max(c, size, webnn_onnx__like(c, size, 1));
  edges[1] = webnn_onnx__bin_edges(c, edges[0], size, bins, true, places);
  edges[0] = webnn_onnx__bin_edges(c, edges[0], size, bins, false, places);
  k = webnn_onnx__cast(c, webnn_onnx__iota(c, places, 1), WEBNN_FLOAT32);
  k = webnn_onnx__along(c, k, 3, 2);
  return webnn_onnx__logical_and(
      c, webnn_onnx__greater_or_equal(c, k, webnn_onnx__reshape(c, edges[0], shape)),
      webnn_onnx__less(c, k, webnn_onnx__reshape(c, edges[1], shape)));
}

/* The largest element of each bin, along one axis after the other; 0 of bins without any. */
static bool webnn_onnx__lower_max_roi_pool(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 4, 4), *rois = webnn_onnx__x(c, 1), *mask, *none,
                *images;
  const webnn_list s = webnn_onnx__sizes(x), rs = webnn_onnx__sizes(rois);
  const double scale = webnn_onnx__float(c, "spatial_scale", 1);
  const webnn_list bins = webnn_onnx__dims(c, "pooled_shape");
  webnn_list shape;
  uint32_t n;

  if (rs.count != 2 || rs.items[1] != 5) {
    return webnn_onnx__fail(c, "input 1 shape %s must be [regions,5]",
                            webnn_onnx__show_shape(rs).text);
  }
  if (bins.count != 2 || bins.items[0] == 0 || bins.items[1] == 0) {
    return webnn_onnx__fail(c, "attribute pooled_shape (%s) must be two numbers of 1 or more",
                            webnn_onnx__show_shape(bins).text);
  }
  n = rs.items[0];
  rois = webnn_onnx__cast(c, rois, WEBNN_FLOAT32);
  images = webnn_onnx__cast(c, webnn_onnx__slice(c, rois, 1, 0, 1), WEBNN_INT64);
  x = webnn_onnx__gather(c, x, webnn_onnx__as1(c, images, n), 0);
  none = webnn_onnx__like(c, x, -webnn_extra__infinity());
  mask = webnn_onnx__bin_mask(c, rois, 1, scale, bins.items[1], s.items[3]);
  shape = webnn_extra__inserted(webnn_extra__list4(n, 1, 1, bins.items[1]), 4, s.items[3]);
  x = webnn_onnx__reshape(
      c, x, webnn_extra__inserted(webnn_extra__list4(n, s.items[1], s.items[2], 1), 4, s.items[3]));
  x = webnn_onnx__select(c, webnn_onnx__reshape(c, mask, shape), x, none);
  x = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, x, webnn_extra__list1(4), false);
  mask = webnn_onnx__bin_mask(c, rois, 2, scale, bins.items[0], s.items[2]);
  shape = webnn_extra__inserted(webnn_extra__list4(n, 1, bins.items[0], s.items[2]), 4, 1);
  x = webnn_onnx__reshape(
      c, x,
      webnn_extra__inserted(webnn_extra__list4(n, s.items[1], 1, s.items[2]), 4, bins.items[1]));
  x = webnn_onnx__select(c, webnn_onnx__reshape(c, mask, shape), x, none);
  x = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, x, webnn_extra__list1(3), false);
  return webnn_onnx__put(
      c, 0, webnn_onnx__select(c, webnn_onnx__equal(c, x, none), webnn_onnx__like(c, x, 0), x));
}

/* ---- 11.6 transforms: Fourier's as products with matrices of cosines and sines. */

/* A list of complex numbers along the last dimension; NULL for im: all 0. */
typedef struct webnn_onnx__complex {
  webnn_onnx__o *re, *im;
} webnn_onnx__complex;

/* [n, bins] with cos or sin of 2 pi i k / period, times a factor for all and one for each row. */
static webnn_onnx__o *webnn_onnx__fourier(webnn_onnx__call *c, uint32_t n, uint32_t bins,
                                          uint32_t period, bool sine, double factor,
                                          const double *rows) {
  uint64_t count = (uint64_t)n * bins, i;
  float *items = (float *)webnn_onnx__scratch(c, &count, sizeof *items);
  for (i = 0; i < count; i++) {
    const uint64_t row = i / bins, column = i % bins;
    const double turns = (double)(row * column % period) / period;
    const double value = sine ? webnn_onnx__sine(turns) : webnn_onnx__cosine(turns);
    items[i] = (float)(value * factor * (rows == NULL ? 1 : rows[row]));
  }
  return webnn_onnx__constant_of(c, WEBNN_FLOAT32, webnn_extra__list2(n, bins), items);
}

/* The first `bins` results of a transform of n numbers, those behind the given ones being 0. */
static webnn_onnx__complex webnn_onnx__transformed(webnn_onnx__call *c, webnn_onnx__complex x,
                                                   uint32_t n, uint32_t bins, bool inverse) {
  const double factor = inverse ? 1.0 / n : 1, sign = inverse ? -factor : factor;
  const webnn_list s = webnn_onnx__sizes(x.re);
  const uint32_t given = s.count == 0 ? 0 : s.items[s.count - 1];
  webnn_onnx__o *cosine = webnn_onnx__fourier(c, given, bins, n, false, factor, NULL);
  webnn_onnx__o *sine = webnn_onnx__fourier(c, given, bins, n, true, sign, NULL);
  webnn_onnx__complex y = {NULL, NULL};
  y.re = webnn_onnx__product_of(c, x.re, cosine);
  y.im = webnn_onnx__neg(c, webnn_onnx__product_of(c, x.re, sine));
  if (x.im != NULL) {
    y.re = webnn_onnx__add(c, y.re, webnn_onnx__product_of(c, x.im, sine));
    y.im = webnn_onnx__add(c, y.im, webnn_onnx__product_of(c, x.im, cosine));
  }
  return y;
}

/* n real numbers of the first half of their transform: the others are its conjugates. */
static webnn_onnx__complex webnn_onnx__real_inverse(webnn_onnx__call *c, webnn_onnx__complex x,
                                                    uint32_t n) {
  const webnn_list s = webnn_onnx__sizes(x.re);
  const uint32_t given = s.count == 0 ? 0 : s.items[s.count - 1];
  double *rows = (double *)webnn_onnx__take(c, (size_t)given + 1, sizeof *rows);
  webnn_onnx__complex y = {NULL, NULL};
  uint32_t k;
  for (k = 0; k < given && !webnn_onnx__failed(c); k++) {
    rows[k] = k == 0 || 2 * (uint64_t)k == n ? 1 : 2;
  }
  y.re = webnn_onnx__fourier(c, given, n, n, false, 1.0 / n, rows);
  y.re = webnn_onnx__product_of(c, x.re, y.re);
  if (x.im != NULL) {
    webnn_onnx__o *sine = webnn_onnx__fourier(c, given, n, n, true, -1.0 / n, rows);
    y.re = webnn_onnx__add(c, y.re, webnn_onnx__product_of(c, x.im, sine));
  }
  return y;
}

/* The parts of x, whose last dimension is 1 or 2, with `axis` moved to the end. */
static bool webnn_onnx__parts_of(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t axis,
                                 webnn_onnx__complex *parts) {
  const webnn_list s = webnn_onnx__sizes(x), shape = webnn_extra__removed(s, s.count - 1);
  const uint32_t last = s.count - 1;
  parts->re = parts->im = NULL;
  if (!webnn_onnx__must_have_rank(c, 0, 2, WEBNN_MAX_RANK)) {
    return false;
  }
  if (s.items[last] > 2 || axis == last) {
    return webnn_onnx__fail(c,
                            "the last dimension of input 0 (%s) must be 1 or 2, and not the axis "
                            "(%u)",
                            webnn_onnx__show_shape(s).text, axis);
  }
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  parts->re = webnn_onnx__reshape(c, webnn_onnx__slice(c, x, last, 0, 1), shape);
  parts->re = webnn_onnx__move_axis(c, parts->re, axis, shape.count - 1);
  if (s.items[last] == 2) {
    parts->im = webnn_onnx__reshape(c, webnn_onnx__slice(c, x, last, 1, 1), shape);
    parts->im = webnn_onnx__move_axis(c, parts->im, axis, shape.count - 1);
  }
  return true;
}

/* And back; real numbers alone have a last dimension of 1. */
static webnn_onnx__o *webnn_onnx__whole_of(webnn_onnx__call *c, webnn_onnx__complex x,
                                           uint32_t axis) {
  webnn_onnx__o *parts[2];
  const uint32_t rank = webnn_onnx__sizes(x.re).count;
  size_t i;
  parts[0] = x.re, parts[1] = x.im;
  for (i = 0; i < 2 && parts[i] != NULL; i++) {
    parts[i] = webnn_onnx__move_axis(c, parts[i], rank - 1, axis);
    parts[i] = webnn_onnx__reshape(c, parts[i],
                                   webnn_extra__inserted(webnn_onnx__sizes(parts[i]), rank, 1));
  }
  return x.im == NULL ? parts[0] : webnn_onnx__concat2(c, parts[0], parts[1], rank);
}

/* At most `length` numbers at the end of the shape. */
static webnn_onnx__o *webnn_onnx__at_most(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t length) {
  const webnn_list s = webnn_onnx__sizes(x);
  return s.items[s.count - 1] <= length ? x : webnn_onnx__slice(c, x, s.count - 1, 0, length);
}

/* The axis is an attribute before version 20, then input 2. */
static bool webnn_onnx__lower_dft(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const webnn_list s = webnn_onnx__sizes(x);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  const bool inverse = webnn_onnx__flag(c, "inverse");
  const bool onesided = webnn_onnx__flag(c, "onesided");
  const int64_t absent = c->version < 20 ? webnn_onnx__int(c, "axis", 1) : -2;
  const uint32_t axis = webnn_onnx__axis(c, webnn_onnx__optional_integer(c, 2, absent), s.count);
  webnn_onnx__complex parts;
  int64_t length;
  uint32_t n;
  if (webnn_onnx__failed(c) || !webnn_onnx__parts_of(c, x, axis, &parts)) {
    return false;
  }
  length = onesided && inverse ? 2 * ((int64_t)s.items[axis] - 1) : (int64_t)s.items[axis];
  length = webnn_onnx__optional_integer(c, 1, length);
  if (!webnn_onnx__must_be(c, "the length of the transform", length, 1, INT32_MAX)) {
    return false;
  }
  n = (uint32_t)length;
  parts.re = webnn_onnx__at_most(c, parts.re, onesided && inverse ? n / 2 + 1 : n);
  parts.im = webnn_onnx__at_most(c, parts.im, onesided && inverse ? n / 2 + 1 : n);
  parts = onesided && inverse
              ? webnn_onnx__real_inverse(c, parts, n)
              : webnn_onnx__transformed(c, parts, n, onesided ? n / 2 + 1 : n, inverse);
  return webnn_onnx__put(c, 0, webnn_onnx__cast(c, webnn_onnx__whole_of(c, parts, axis), type));
}

/* Frames [B, F, length] of a signal [B, L], each `step` behind the one before. No
   signal, NULL: none. */
static webnn_onnx__o *webnn_onnx__frames(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t count,
                                         uint32_t length, int64_t step) {
  webnn_onnx__o *at = webnn_onnx__iota_along(c, count, step, 2, 0);
  at = webnn_onnx__add(c, at, webnn_onnx__iota_along(c, length, 1, 2, 1));
  return webnn_onnx__gather(c, x, at, 1);
}

/* signal [B, L, 1 or 2] (or [B, L]), frame_step, window, frame_length. */
static bool webnn_onnx__lower_stft(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *window = webnn_onnx__optional(c, 2);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  webnn_list s = webnn_onnx__sizes(x);
  const int64_t step = webnn_onnx__scalar_integer(c, 1);
  const int64_t length =
      webnn_onnx__optional_integer(c, 3, (int64_t)webnn_onnx__count_of(webnn_onnx__sizes(window)));
  webnn_onnx__complex parts;
  uint32_t frames, n;
  x = s.count == 2 ? webnn_onnx__with_channels(c, x) : x;
  s = webnn_onnx__sizes(x);
  if (webnn_onnx__failed(c) || !webnn_onnx__must_have_rank(c, 0, 2, 3) ||
      !webnn_onnx__must_be(c, "the step in input 1", step, 1, INT64_MAX)) {
    return false;
  }
  if (!webnn_onnx__has(c, 2) && !webnn_onnx__has(c, 3)) {
    return webnn_onnx__fail(c, "it must have a window (input 2) or a length of frames (input 3)");
  }
  if (!webnn_onnx__must_be(c, "the length of frames", length, 1, (int64_t)s.items[1])) {
    return false;
  }
  if (webnn_onnx__has(c, 2) &&
      webnn_onnx__count_of(webnn_onnx__sizes(window)) != (uint64_t)length) {
    return webnn_onnx__fail(c, "the size of input 2 (%llu) must be the length of frames (%lld)",
                            (unsigned long long)webnn_onnx__count_of(webnn_onnx__sizes(window)),
                            (long long)length);
  }
  n = (uint32_t)length;
  frames = (uint32_t)((s.items[1] - n) / step) + 1;
  if (!webnn_onnx__parts_of(c, x, 1, &parts)) {
    return false;
  }
  parts.re = webnn_onnx__frames(c, parts.re, frames, n, step);
  parts.im = webnn_onnx__frames(c, parts.im, frames, n, step);
  if (webnn_onnx__has(c, 2)) {
    window = webnn_onnx__cast(c, window, WEBNN_FLOAT32);
    parts.re = webnn_onnx__mul(c, parts.re, window);
    parts.im = parts.im == NULL ? NULL : webnn_onnx__mul(c, parts.im, window);
  }
  parts = webnn_onnx__transformed(c, parts, n,
                                  webnn_onnx__int(c, "onesided", 1) != 0 ? n / 2 + 1 : n, false);
  return webnn_onnx__put(c, 0, webnn_onnx__cast(c, webnn_onnx__whole_of(c, parts, 2), type));
}

/* The mel of a frequency, and the other way. */
static double webnn_onnx__mel(double frequency) {
  return 2595 * webnn_onnx__logarithm(1 + frequency / 700) / 2.302585092994045684;
}

static double webnn_onnx__frequency(double mel) {
  return 700 * (webnn_onnx__power_of_e(mel / 2595 * 2.302585092994045684) - 1);
}

/* One triangle of weights, a column of [bins, columns]: up from `low` to
   `centre`, down to `high`. */
static void webnn_onnx__mel_triangle(float *items, int64_t bins, int64_t columns, int64_t column,
                                     const int64_t *edges) {
  const int64_t low = edges[0], centre = edges[1], high = edges[2];
  int64_t k;
  for (k = low < 0 ? 0 : low; k <= centre && k < bins; k++) {
    items[k * columns + column] =
        centre == low ? 1.0f : (float)((double)(k - low) / (double)(centre - low));
  }
  for (k = centre < 0 ? 0 : centre; k < high && k < bins; k++) {
    items[k * columns + column] = (float)((double)(high - k) / (double)(high - centre));
  }
}

/* Computed of its constants: bins, length of the transform, sample rate, lower and upper edge. */
static bool webnn_onnx__lower_mel_weights(webnn_onnx__call *c) {
  const webnn_onnx_type type =
      webnn_onnx__type_of((uint64_t)webnn_onnx__int(c, "output_datatype", 1));
  double numbers[5], low, step;
  int64_t bins, columns, i, k, edges[3];
  float *items;
  for (i = 0; i < 5; i++) {
    numbers[i] = webnn_onnx__scalar(c, (size_t)i);
  }
  if (!(numbers[0] >= 1 && numbers[1] >= 1 && numbers[2] >= 1 && numbers[3] >= 0 &&
        numbers[4] >= 0 && numbers[4] < 1e9 && numbers[3] < 1e9 &&
        numbers[0] * numbers[1] < WEBNN_ONNX__MOST_INDICES)) {
    return webnn_onnx__fail(
        c,
        "bins (%g) and length (%g) must be at least 1 and their product less than "
        "%d, rate (%g) at least 1, and the edges (%g and %g) 0 or more and less "
        "than 1e9",
        numbers[0], numbers[1], WEBNN_ONNX__MOST_INDICES, numbers[2], numbers[3], numbers[4]);
  }
  if (webnn_onnx_graph_type(type) != WEBNN_FLOAT32) {
    return webnn_onnx__fail(c, "attribute output_datatype (%s) must be float32",
                            webnn_onnx_type_name(type));
  }
  columns = (int64_t)numbers[0];
  bins = (int64_t)numbers[1] / 2 + 1;
  low = webnn_onnx__mel(numbers[3]);
  step = (webnn_onnx__mel(numbers[4]) - low) / (double)(columns + 2);
  items = (float *)webnn_onnx__take(c, (size_t)(bins * columns) + 1, sizeof *items);
  for (i = 0; i < columns && !webnn_onnx__failed(c); i++) {
    for (k = 0; k < 3; k++) {
      const double frequency = webnn_onnx__frequency(low + step * (double)(i + k));
      edges[k] = (int64_t)webnn_onnx__floor((numbers[1] + 1) * frequency / numbers[2]);
    }
    webnn_onnx__mel_triangle(items, bins, columns, i, edges);
  }
  return webnn_onnx__put_data(c, 0, type, webnn_extra__list2((uint64_t)bins, (uint64_t)columns),
                              items, false);
}

/* ---- 11.7 determinants: the minors of the first rows, one for each set of
   columns, row after row. */

/* The sets of `size` of n columns as bits, in order; returns how many there are. */
static uint32_t webnn_onnx__subsets(uint32_t n, uint32_t size, uint32_t *sets) {
  uint32_t bits, count = 0;
  for (bits = 0; bits < 1u << n; bits++) {
    uint32_t i, ones = 0;
    for (i = 0; i < n; i++) {
      ones += bits >> i & 1;
    }
    if (ones == size) {
      sets[count++] = bits;
    }
  }
  return count;
}

enum { WEBNN_ONNX__MOST_ROWS = 8, WEBNN_ONNX__MOST_SETS = 70 };

/* How a minor of `size` rows is expanded along its last one, for each set of columns: the column,
   the minor of the rows before it without that column, and the sign. */
typedef struct webnn_onnx__expansion {
  int64_t columns[WEBNN_ONNX__MOST_SETS * WEBNN_ONNX__MOST_ROWS];
  int64_t rests[WEBNN_ONNX__MOST_SETS * WEBNN_ONNX__MOST_ROWS];
  float signs[WEBNN_ONNX__MOST_SETS * WEBNN_ONNX__MOST_ROWS];
} webnn_onnx__expansion;

/* Returns how many sets there are. */
static uint32_t webnn_onnx__expand_minors(uint32_t n, uint32_t size, webnn_onnx__expansion *e) {
  uint32_t sets[WEBNN_ONNX__MOST_SETS], smaller[WEBNN_ONNX__MOST_SETS], i, j, k;
  const uint32_t count = webnn_onnx__subsets(n, size, sets);
  const uint32_t others = webnn_onnx__subsets(n, size - 1, smaller);
  for (i = 0; i < count; i++) {
    uint32_t place = 0;
    for (j = 0; j < n; j++) {
      if ((sets[i] >> j & 1) != 0) {
        for (k = 0; k + 1 < others && smaller[k] != (sets[i] & ~(1u << j)); k++) {
        }
        e->columns[i * size + place] = j;
        e->rests[i * size + place] = k;
        e->signs[i * size + place] = (size - 1 + place) % 2 == 0 ? 1.0f : -1.0f;
        place++;
      }
    }
  }
  return count;
}

/* The minors of rows 0 to `row` from those of the rows before it. */
static webnn_onnx__o *webnn_onnx__minors(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t n,
                                         uint32_t row, webnn_onnx__o *before) {
  webnn_onnx__expansion *e = (webnn_onnx__expansion *)webnn_onnx__take(c, 1, sizeof *e);
  const uint64_t batch = webnn_onnx__sizes(x).items[0];
  webnn_list shape;
  if (e == NULL) {
    return NULL;
  }
  shape = webnn_extra__list2(webnn_onnx__expand_minors(n, row + 1, e), (uint64_t)row + 1);
  x = webnn_onnx__as2(c, webnn_onnx__slice(c, x, 1, row, 1), batch, n);
  x = webnn_onnx__gather(c, x, webnn_onnx__constant(c, WEBNN_INT64, shape, e->columns), 1);
  x = webnn_onnx__mul(c, x, webnn_onnx__constant(c, WEBNN_FLOAT32, shape, e->signs));
  before = webnn_onnx__gather(c, before, webnn_onnx__constant(c, WEBNN_INT64, shape, e->rests), 1);
  x = webnn_onnx__mul(c, x, before);
  return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, x, webnn_extra__list1(2), false);
}

static bool webnn_onnx__lower_det(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *minors;
  const webnn_list s = webnn_onnx__sizes(x);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  webnn_list shape;
  uint32_t n, row;
  if (s.count < 2 || s.items[s.count - 1] != s.items[s.count - 2]) {
    return webnn_onnx__fail(c, "input 0 (%s) must be of square matrices",
                            webnn_onnx__show_shape(s).text);
  }
  n = s.items[s.count - 1];
  if (!webnn_onnx__must_be(c, "the rows of a matrix", n, INT64_MIN, WEBNN_ONNX__MOST_ROWS)) {
    return false;
  }
  shape = webnn_extra__removed(webnn_extra__removed(s, s.count - 1), s.count - 2);
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  x = webnn_onnx__as3(c, x, webnn_onnx__count_of(shape), n, n);
  minors = webnn_onnx__expand(c, webnn_onnx__like(c, x, 1),
                              webnn_extra__list2(webnn_onnx__count_of(shape), 1));
  for (row = 0; row < n; row++) {
    minors = webnn_onnx__minors(c, x, n, row, minors);
  }
  minors = webnn_onnx__cast(c, webnn_onnx__reshape(c, minors, shape), type);
  return webnn_onnx__put(c, 0, minors);
}

/* Matrices beside identity matrices [B, n, 2 n], and what eliminating their
   columns has done so far. */
typedef struct webnn_onnx__elimination {
  uint32_t n;
  webnn_onnx__o *rows;
  webnn_onnx__o *used;    /* [B, n, 1]: rows that are some column's pivot, NULL: none */
  webnn_onnx__o *numbers; /* [1, n, 1] of rows */
} webnn_onnx__elimination;

/* Eliminates column k by the row that has the largest number there, among those not used before.
   Returns its place [B, 1, 1]. */
static webnn_onnx__o *webnn_onnx__eliminate(webnn_onnx__call *c, webnn_onnx__elimination *e,
                                            uint32_t k) {
  webnn_onnx__o *column = webnn_onnx__slice(c, e->rows, 2, k, 1), *size, *at, *row, *mask;
  const webnn_list shape = webnn_onnx__sizes(e->rows);
  size = webnn_onnx__abs(c, column);
  size =
      e->used == NULL ? size : webnn_onnx__select(c, e->used, webnn_onnx__like(c, size, -1), size);
  at = webnn_onnx__arg(c, size, 1, true, true);
  row = webnn_onnx__expand(c, at, webnn_extra__list3(shape.items[0], 1, shape.items[2]));
  row = webnn_onnx__gather_elements(c, e->rows, row, 1);
  row = webnn_onnx__div(c, row, webnn_onnx__slice(c, row, 2, k, 1));
  mask = webnn_onnx__equal(c, e->numbers, at);
  e->rows = webnn_onnx__select(c, mask, row,
                               webnn_onnx__sub(c, e->rows, webnn_onnx__mul(c, column, row)));
  e->used = webnn_onnx__with(c, WEBNN_OP_LOGICAL_OR, e->used, mask);
  return at;
}

/* Gauss and Jordan's way to the inverse of matrices [B, n, n] of float32, at each column with the
   largest pivot that is left. Rows stay where they are, and are put in order at the end. */
static webnn_onnx__o *webnn_onnx__inverse(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t n) {
  const webnn_list shape = webnn_onnx__sizes(x);
  webnn_onnx__o **places = webnn_onnx__operands(c, n);
  webnn_onnx__o *one, *numbers = webnn_onnx__iota(c, n, 1), *order;
  webnn_onnx__elimination e;
  uint32_t k;
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  memset(&e, 0, sizeof e);
  e.n = n;
  e.numbers = webnn_onnx__along(c, numbers, 3, 1);
  one = webnn_onnx__equal(c, e.numbers, webnn_onnx__along(c, numbers, 3, 2));
  one = webnn_onnx__expand(c, webnn_onnx__cast(c, one, WEBNN_FLOAT32), shape);
  e.rows = webnn_onnx__concat2(c, x, one, 2);
  for (k = 0; k < n; k++) {
    places[k] = webnn_onnx__eliminate(c, &e, k);
  }
  order = webnn_onnx__expand(c, webnn_onnx__concat(c, places, n, 1), shape);
  return webnn_onnx__gather_elements(c, webnn_onnx__slice(c, e.rows, 2, n, n), order, 1);
}

static bool webnn_onnx__lower_inverse(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const webnn_list s = webnn_onnx__sizes(x);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  uint32_t n;
  if (s.count < 2 || s.items[s.count - 1] != s.items[s.count - 2] ||
      s.items[s.count - 1] > WEBNN_ONNX__MOST_PARTS || !webnn_onnx__floating(x)) {
    return webnn_onnx__fail(c,
                            "input 0 (%s %s) must be of square matrices of floats with at most %d "
                            "rows",
                            webnn_onnx_type_name(webnn_onnx__type(c, 0)),
                            webnn_onnx__show_shape(s).text, WEBNN_ONNX__MOST_PARTS);
  }
  n = s.items[s.count - 1];
  x = webnn_onnx__as3(c, webnn_onnx__cast(c, x, WEBNN_FLOAT32),
                      webnn_extra__product(s, 0, s.count - 2), n, n);
  x = webnn_onnx__reshape(c, webnn_onnx__inverse(c, x, n), s);
  return webnn_onnx__put(c, 0, webnn_onnx__cast(c, x, type));
}

/* ---- 12 windows ------------------------------------------------------------------------------ */

/* The windows of a convolution or pooling over `rank` spatial dimensions. */
typedef struct webnn_onnx__windows {
  uint32_t rank;
  uint32_t in[3], kernel[3], strides[3], dilations[3], begin[3], end[3];
  bool up; /* results have sizes that are rounded up */
} webnn_onnx__windows;

/* How far a window reaches. */
static uint32_t webnn_onnx__reach(const webnn_onnx__windows *w, uint32_t i) {
  return w->dilations[i] * (w->kernel[i] - 1) + 1;
}

static bool webnn_onnx__window_pads(webnn_onnx__call *c, webnn_onnx__windows *w) {
  const char *automatic = webnn_onnx__string(c, "auto_pad", "NOTSET");
  const bool same = strncmp(automatic, "SAME_", 5) == 0;
  const webnn_list pads = webnn_onnx__dims(c, "pads");
  uint32_t i;
  if (pads.given && !webnn_onnx__must_be(c, "the length of attribute pads", pads.count, 2 * w->rank,
                                         2 * w->rank)) {
    return false;
  }
  for (i = 0; i < w->rank; i++) {
    const uint32_t out = (w->in[i] + w->strides[i] - 1) / w->strides[i];
    const uint64_t span = (uint64_t)(out - 1) * w->strides[i] + webnn_onnx__reach(w, i);
    const uint32_t total = span > w->in[i] ? (uint32_t)(span - w->in[i]) : 0;
    if (same) {
      w->begin[i] = automatic[5] == 'U' ? total / 2 : total - total / 2;
      w->end[i] = total - w->begin[i];
    } else if (automatic[0] != 'V' && pads.given) {
      w->begin[i] = pads.items[i];
      w->end[i] = pads.items[i + w->rank];
    }
  }
  return true;
}

/* Reads kernel_shape, strides, dilations and pads; x is [N, C, spatial ...]. `kernel` is the shape
   of the filter's spatial dimensions, absent: the attribute is required. */
static bool webnn_onnx__read_windows(webnn_onnx__call *c, webnn_list x, webnn_list kernel,
                                     webnn_onnx__windows *w) {
  const webnn_list strides = webnn_onnx__dims(c, "strides");
  const webnn_list dilations = webnn_onnx__dims(c, "dilations");
  webnn_list list = webnn_onnx__dims(c, "kernel_shape");
  uint32_t i;
  memset(w, 0, sizeof *w);
  if (x.count < 3 || x.count > 5) {
    return webnn_onnx__fail(c, "input 0 must have 3 to 5 dimensions; it has %u", x.count);
  }
  w->rank = x.count - 2;

  list = list.given ? list : kernel;
  if (list.count != w->rank || (strides.given && strides.count != w->rank) ||
      (dilations.given && dilations.count != w->rank)) {
    return webnn_onnx__fail(c,
                            "attributes kernel_shape, strides and dilations must have %u items, or "
                            "be left out; they have %u, %u and %u",
                            w->rank, list.count, strides.count, dilations.count);
  }
  for (i = 0; i < w->rank; i++) {
    w->in[i] = x.items[i + 2];
    w->kernel[i] = list.items[i];
    w->strides[i] = strides.given ? strides.items[i] : 1;
    w->dilations[i] = dilations.given ? dilations.items[i] : 1;
    if (w->kernel[i] == 0 || w->strides[i] == 0 || w->dilations[i] == 0 ||
        (uint64_t)w->dilations[i] * w->kernel[i] > INT32_MAX || w->strides[i] > INT32_MAX / 2) {
      return webnn_onnx__fail(
          c,
          "kernel (%u), stride (%u) and dilation (%u) along dimension %u must be "
          "1 or more, and dilation x kernel at most 2147483647",
          w->kernel[i], w->strides[i], w->dilations[i], i + 2);
    }
    if (w->rank == 3 && !webnn_onnx__must_be(c, "the depth of the kernel", w->kernel[0], INT64_MIN,
                                             WEBNN_ONNX__MOST_PARTS)) {
      return false;
    }
    if (kernel.given && kernel.items[i] != w->kernel[i]) {
      return webnn_onnx__fail(
          c, "item %u of attribute kernel_shape (%u) must be the size of the filter (%u)", i,
          w->kernel[i], kernel.items[i]);
    }
  }
  return webnn_onnx__window_pads(c, w);
}

/* The last two of the spatial dimensions, with one of 1 before a single one. */
static webnn_list webnn_onnx__last_two(const webnn_onnx__windows *w, const uint32_t *items,
                                       uint32_t missing) {
  return w->rank == 1 ? webnn_extra__list2(missing, items[0])
                      : webnn_extra__list2(items[w->rank - 2], items[w->rank - 1]);
}

static webnn_list webnn_onnx__last_pads(const webnn_onnx__windows *w) {
  const webnn_list begin = webnn_onnx__last_two(w, w->begin, 0);
  const webnn_list end = webnn_onnx__last_two(w, w->end, 0);
  return webnn_extra__list4(begin.items[0], end.items[0], begin.items[1], end.items[1]);
}

/* [N, C, W] as [N, C, 1, W]. */
static webnn_onnx__o *webnn_onnx__with_height(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_operator_options o = webnn_onnx__label(c);
  const webnn_list shape = webnn_onnx__sizes(x);
  if (shape.count == 3 && webnn_onnx__has_open(shape)) {
    return webnn_unsqueeze(webnn_onnx__b(c), x, webnn_extra__list1(2), &o);
  }
  return shape.count == 3 ? webnn_onnx__reshape(c, x, webnn_extra__inserted(shape, 2, 1)) : x;
}

static webnn_onnx__o *webnn_onnx__without_height(webnn_onnx__call *c, webnn_onnx__o *x,
                                                 const webnn_onnx__windows *w) {
  const webnn_operator_options o = webnn_onnx__label(c);
  if (w->rank == 1 && webnn_onnx__has_open(webnn_onnx__sizes(x))) {
    return webnn_squeeze(webnn_onnx__b(c), x, webnn_extra__list1(2), &o);
  }
  return w->rank == 1 ? webnn_onnx__reshape(c, x, webnn_extra__removed(webnn_onnx__sizes(x), 2))
                      : x;
}

/* Frame k of the kernel's depth, [O, I, height, width]. */
static webnn_onnx__o *webnn_onnx__frame(webnn_onnx__call *c, webnn_onnx__o *filter, uint32_t k) {
  filter = webnn_onnx__slice(c, filter, 2, k, 1);
  return webnn_onnx__reshape(c, filter, webnn_extra__removed(webnn_onnx__sizes(filter), 2));
}

/* [N, C, D, H, W] as [N, D, C, H, W], or back. */
static webnn_onnx__o *webnn_onnx__swap_depth(webnn_onnx__call *c, webnn_onnx__o *x) {
  return webnn_onnx__move_axis(c, x, 2, 1);
}

/* The sum, over the kernel's depth, of convolutions of the frames under it. */
static webnn_onnx__o *webnn_onnx__conv3d(webnn_onnx__call *c, webnn_onnx__o *x,
                                         webnn_onnx__o *filter, const webnn_onnx__windows *w,
                                         webnn_conv2d_options o) {
  const webnn_list xs = webnn_onnx__sizes(x);
  const uint64_t depth = (uint64_t)w->in[0] + w->begin[0] + w->end[0];
  webnn_list begin = webnn_extra__repeat(0, 5), end = begin, starts = begin, sizes;
  webnn_slice_options slice = WEBNN_ZERO;
  webnn_onnx__o *sum = NULL, *part;
  uint32_t out, k;
  if (depth < webnn_onnx__reach(w, 0)) {
    return webnn_onnx__no_operand(
        c,
        "the kernel's depth with dilations (%llu) must be at most the padded "
        "depth of the input (%llu)",
        (unsigned long long)webnn_onnx__reach(w, 0), (unsigned long long)depth);
  }
  out = (uint32_t)((depth - webnn_onnx__reach(w, 0)) / w->strides[0]) + 1;
  begin.items[1] = w->begin[0], end.items[1] = w->end[0];
  x = webnn_onnx__pad(c, webnn_onnx__swap_depth(c, x), begin, end, WEBNN_PADDING_CONSTANT,
                      webnn_f64(0));
  slice.strides = webnn_extra__repeat(1, 5);
  slice.strides.items[1] = w->strides[0];
  for (k = 0; k < w->kernel[0]; k++) {
    sizes = webnn_onnx__sizes(x);
    starts.items[1] = k * w->dilations[0];
    sizes.items[1] = (out - 1) * w->strides[0] + 1;
    part = webnn_slice(webnn_onnx__b(c), x, starts, sizes, &slice);
    part = webnn_onnx__as4(c, part, (uint64_t)xs.items[0] * out, xs.items[1], xs.items[3],
                           xs.items[4]);
    part = webnn_conv2d(webnn_onnx__b(c), part, webnn_onnx__frame(c, filter, k), &o);
    sum = k == 0 ? part : webnn_onnx__add(c, sum, part);
    o.bias = NULL;
  }
  sizes = webnn_onnx__sizes(sum);
  sizes = webnn_extra__inserted(sizes, 1, out);
  sizes.items[0] = xs.items[0];
  return webnn_onnx__move_axis(c, webnn_onnx__reshape(c, sum, sizes), 1, 2);
}

/* The spatial dimensions of a filter [O, I, spatial ...]. */
static webnn_list webnn_onnx__spatial(webnn_list shape) {
  return shape.count < 2 ? shape : webnn_extra__removed(webnn_extra__removed(shape, 0), 0);
}

static webnn_onnx__o *webnn_onnx__conv(webnn_onnx__call *c, webnn_onnx__o *x, webnn_onnx__o *filter,
                                       webnn_onnx__o *bias) {
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_onnx__windows w;
  const int64_t groups = webnn_onnx__int(c, "group", 1);
  if (!webnn_onnx__read_windows(c, webnn_onnx__sizes(x),
                                webnn_onnx__spatial(webnn_onnx__sizes(filter)), &w) ||
      !webnn_onnx__must_be(c, "attribute group", groups, 1, INT32_MAX)) {
    return NULL;
  }
  o.label = c->node->name;
  o.padding = webnn_onnx__last_pads(&w);
  o.strides = webnn_onnx__last_two(&w, w.strides, 1);
  o.dilations = webnn_onnx__last_two(&w, w.dilations, 1);
  o.groups = (uint32_t)groups;
  o.bias = bias;
  if (w.rank == 3) {
    return webnn_onnx__conv3d(c, x, filter, &w, o);
  }
  x = webnn_conv2d(webnn_onnx__b(c), webnn_onnx__with_height(c, x),
                   webnn_onnx__with_height(c, filter), &o);
  return webnn_onnx__without_height(c, x, &w);
}

static bool webnn_onnx__lower_conv(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *filter = webnn_onnx__x(c, 1);
  webnn_onnx__o *bias = webnn_onnx__optional(c, 2);
  return webnn_onnx__put(c, 0, webnn_onnx__conv(c, x, filter, bias));
}

/* What is added and cut off at the ends of a transposed convolution. */
static bool webnn_onnx__transpose_pads(webnn_onnx__call *c, webnn_onnx__windows *w,
                                       uint32_t *added) {
  const char *automatic = webnn_onnx__string(c, "auto_pad", "NOTSET");
  const bool same = strncmp(automatic, "SAME_", 5) == 0;
  webnn_list sizes = webnn_onnx__dims(c, "output_shape");
  const webnn_list extra = webnn_onnx__dims(c, "output_padding");
  uint32_t i;
  if (sizes.count == w->rank + 2) { /* with batch and channels */
    sizes = webnn_onnx__spatial(sizes);
  }
  if ((sizes.given && sizes.count != w->rank) || (extra.given && extra.count != w->rank)) {
    return webnn_onnx__fail(c,
                            "attributes output_shape and output_padding must have %u items, or be "
                            "left out; they have %u and %u",
                            w->rank, sizes.count, extra.count);
  }
  for (i = 0; i < w->rank; i++) {
    const int64_t full = (int64_t)w->strides[i] * (w->in[i] - 1) + webnn_onnx__reach(w, i);
    int64_t total, size;
    added[i] = extra.given ? extra.items[i] : 0;
    if (!sizes.given && !same) {
      continue;
    }
    size = sizes.given ? (int64_t)sizes.items[i] : (int64_t)w->in[i] * w->strides[i];
    total = full + added[i] - size;
    if (total < 0) {
      added[i] += (uint32_t)-total;
      total = 0;
    }
    w->begin[i] = (uint32_t)(automatic[5 * same] == 'U' ? total / 2 : total - total / 2);
    w->end[i] = (uint32_t)total - w->begin[i];
  }
  return true;
}

/* Frames of each step of the kernel's depth, spread by the stride, shifted and added. */
static webnn_onnx__o *webnn_onnx__conv_transpose3d(webnn_onnx__call *c, webnn_onnx__o *x,
                                                   webnn_onnx__o *filter,
                                                   const webnn_onnx__windows *w, uint32_t added,
                                                   webnn_conv_transpose2d_options o) {
  const webnn_list xs = webnn_onnx__sizes(x);
  const uint32_t n = xs.items[0], d = xs.items[2], s = w->strides[0];
  const uint32_t spread = (d - 1) * s + 1, full = spread + webnn_onnx__reach(w, 0) - 1 + added;
  webnn_list begin, end, frame = webnn_extra__no_items();
  webnn_onnx__o *sum = NULL, *part;
  uint64_t size;
  uint32_t k;
  x = webnn_onnx__as4(c, webnn_onnx__swap_depth(c, x), (uint64_t)n * d, xs.items[1], xs.items[3],
                      xs.items[4]);
  for (k = 0; k < w->kernel[0]; k++) {
    part = webnn_conv_transpose2d(webnn_onnx__b(c), x, webnn_onnx__frame(c, filter, k), &o);
    frame = webnn_onnx__sizes(part);
    size = webnn_extra__product(frame, 1, 4);
    begin = end = webnn_extra__repeat(0, 4);
    end.items[2] = s - 1;
    part = webnn_onnx__as4(c, part, n, d, 1, size);
    part = webnn_onnx__pad(c, part, begin, end, WEBNN_PADDING_CONSTANT, webnn_f64(0));
    part = webnn_onnx__as3(c, part, n, (uint64_t)d * s, size);
    part = webnn_onnx__slice(c, part, 1, 0, spread);
    begin = end = webnn_extra__repeat(0, 3);
    begin.items[1] = k * w->dilations[0];
    end.items[1] = full - spread - begin.items[1];
    part = webnn_onnx__pad(c, part, begin, end, WEBNN_PADDING_CONSTANT, webnn_f64(0));
    sum = k == 0 ? part : webnn_onnx__add(c, sum, part);
  }
  if (w->begin[0] + w->end[0] >= full) {
    return webnn_onnx__no_operand(c, "attribute pads (%u and %u) must leave some of the depth (%u)",
                                  w->begin[0], w->end[0], full);
  }
  sum = webnn_onnx__slice(c, sum, 1, w->begin[0], full - w->begin[0] - w->end[0]);
  frame = webnn_extra__inserted(frame, 1, full - w->begin[0] - w->end[0]);
  frame.items[0] = n;
  return webnn_onnx__move_axis(c, webnn_onnx__reshape(c, sum, frame), 1, 2);
}

/* The transposed convolution with these windows, `added` at its ends; the bias is that of `o` in
   one and two dimensions. */
static webnn_onnx__o *webnn_onnx__conv_transpose(webnn_onnx__call *c, webnn_onnx__o *x,
                                                 webnn_onnx__o *filter,
                                                 const webnn_onnx__windows *w,
                                                 const uint32_t *added,
                                                 webnn_conv_transpose2d_options o) {
  o.label = c->node->name;
  o.padding = webnn_onnx__last_pads(w);
  o.strides = webnn_onnx__last_two(w, w->strides, 1);
  o.dilations = webnn_onnx__last_two(w, w->dilations, 1);
  o.output_padding = webnn_onnx__last_two(w, added, 0);
  if (w->rank == 3) {
    return webnn_onnx__conv_transpose3d(c, x, filter, w, added[0], o);
  }
  x = webnn_conv_transpose2d(webnn_onnx__b(c), webnn_onnx__with_height(c, x),
                             webnn_onnx__with_height(c, filter), &o);
  return webnn_onnx__without_height(c, x, w);
}

/* WebNN adds less than a stride at the ends. Where more is to be added, less is cut off there; what
   then is still too much, which no element of x reaches, is `rest`. Depth has no such limit. */
static bool webnn_onnx__split_added(webnn_onnx__windows *w, uint32_t *added, webnn_list *rest) {
  bool some = false;
  uint32_t i;
  *rest = webnn_extra__repeat(0, w->rank + 2);
  for (i = w->rank == 3 ? 1 : 0; i < w->rank; i++) {
    if (added[i] >= w->strides[i]) {
      const uint32_t less = added[i] < w->end[i] ? added[i] : w->end[i];
      w->end[i] -= less;
      added[i] -= less;
    }
    if (added[i] >= w->strides[i]) {
      rest->items[i + 2] = added[i] - (w->strides[i] - 1);
      added[i] = w->strides[i] - 1;
      some = true;
    }
  }
  return some;
}

/* Pads that input 2 holds: of com.microsoft.ConvTransposeWithDynamicPads. */
static bool webnn_onnx__pads_of_input(webnn_onnx__call *c, webnn_onnx__windows *w) {
  int64_t items[6];
  size_t count, i;
  if (c->row->detail == 0 || !webnn_onnx__has(c, 2)) {
    return true;
  }
  count = webnn_onnx__integers(c, 2, items, 6);
  for (i = 0; i < count && count == 2 * (size_t)w->rank; i++) {
    if (!webnn_onnx__must_be(c, "a pad in input 2", items[i], 0, INT32_MAX)) {
      return false;
    }
    (i < w->rank ? w->begin : w->end)[i % w->rank] = (uint32_t)items[i];
  }
  return count == 2 * (size_t)w->rank ||
         webnn_onnx__fail(c, "the number of elements of input 2 (%u) must be %u", (unsigned)count,
                          2 * w->rank);
}

/* The bias is behind the pads where these are an input. */
static bool webnn_onnx__lower_conv_transpose(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *filter = webnn_onnx__x(c, 1);
  webnn_onnx__o *bias = webnn_onnx__optional(c, c->row->detail == 0 ? 2 : 3);
  webnn_conv_transpose2d_options o = WEBNN_ZERO;
  const int64_t groups = webnn_onnx__int(c, "group", 1);
  webnn_onnx__windows w;
  webnn_list rest;
  uint32_t added[3] = {0, 0, 0};
  bool more;
  if (!webnn_onnx__read_windows(c, webnn_onnx__sizes(x),
                                webnn_onnx__spatial(webnn_onnx__sizes(filter)), &w) ||
      !webnn_onnx__pads_of_input(c, &w) || !webnn_onnx__transpose_pads(c, &w, added)) {
    return false;
  }
  more = webnn_onnx__split_added(&w, added, &rest);
  if (!webnn_onnx__must_be(c, "attribute group", groups, 1, INT32_MAX)) {
    return false;
  }
  o.groups = (uint32_t)groups;
  o.bias = more || w.rank == 3 ? NULL : bias;
  x = webnn_onnx__conv_transpose(c, x, filter, &w, added, o);
  if (more) {
    x = webnn_onnx__pad(c, x, webnn_extra__repeat(0, rest.count), rest, WEBNN_PADDING_CONSTANT,
                        webnn_f64(0));
  }
  if (bias != NULL && o.bias == NULL) {
    x = webnn_onnx__add(c, x, webnn_onnx__along(c, bias, w.rank + 2, 1));
  }
  return webnn_onnx__put(c, 0, x);
}

/* ---- 12.1 pooling. */

static bool webnn_onnx__put_argmax(webnn_onnx__call *c, webnn_onnx__o *x,
                                   const webnn_onnx__windows *w);

static webnn_onnx__o *webnn_onnx__pool(webnn_onnx__call *c, webnn_op op, webnn_onnx__o *x,
                                       webnn_pool2d_options *o) {
  webnn_builder *b = webnn_onnx__b(c);
  o->label = c->node->name;
  return op == WEBNN_OP_MAX_POOL2D       ? webnn_max_pool2d(b, x, o)
         : op == WEBNN_OP_AVERAGE_POOL2D ? webnn_average_pool2d(b, x, o)
                                         : webnn_l2_pool2d(b, x, o);
}

/* Over the last one to three dimensions of [N, C, ...]; means, maxima and lengths are computed
   along the depth of what they are over height and width. */
static webnn_onnx__o *webnn_onnx__pool_windows(webnn_onnx__call *c, webnn_op op, webnn_onnx__o *x,
                                               const webnn_onnx__windows *w) {
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_pool2d_options o = WEBNN_ZERO;
  webnn_list out;
  webnn_onnx__o *y = webnn_onnx__with_height(c, x);
  o.window_dimensions = webnn_onnx__last_two(w, w->kernel, 1);
  o.padding = webnn_onnx__last_pads(w);
  o.strides = webnn_onnx__last_two(w, w->strides, 1);
  o.dilations = webnn_onnx__last_two(w, w->dilations, 1);
  o.output_shape_rounding = w->up ? WEBNN_ROUNDING_CEIL : WEBNN_ROUNDING_FLOOR;
  if (w->rank < 3) {
    return webnn_onnx__without_height(c, webnn_onnx__pool(c, op, y, &o), w);
  }
  y = webnn_onnx__as4(c, x, s.items[0], (uint64_t)s.items[1] * s.items[2], s.items[3], s.items[4]);
  y = webnn_onnx__pool(c, op, y, &o);
  out = webnn_extra__inserted(webnn_onnx__sizes(y), 2, s.items[2]);
  out.items[1] = s.items[1];
  y = webnn_onnx__as4(c, y, s.items[0], s.items[1], s.items[2], webnn_extra__product(out, 3, 5));
  o.window_dimensions = webnn_extra__list2(w->kernel[0], 1);
  o.padding = webnn_extra__list4(w->begin[0], w->end[0], 0, 0);
  o.strides = webnn_extra__list2(w->strides[0], 1);
  o.dilations = webnn_extra__list2(w->dilations[0], 1);
  y = webnn_onnx__pool(c, op, y, &o);
  out.items[2] = webnn_onnx__sizes(y).items[2];
  return webnn_onnx__reshape(c, y, out);
}

/* The size of spatial dimension i with its padding, beyond which a window may be `beyond`. */
static bool webnn_onnx__padded_size(webnn_onnx__call *c, const webnn_onnx__windows *w, uint32_t i,
                                    uint64_t beyond, uint64_t *padded) {
  const uint64_t reach = webnn_onnx__reach(w, i);
  *padded = (uint64_t)w->in[i] + w->begin[i] + w->end[i];
  return *padded + beyond >= reach ||
         webnn_onnx__fail(c,
                          "the window with dilations (%llu) must be at most the padded size "
                          "(%llu) of dimension %u",
                          (unsigned long long)reach, (unsigned long long)*padded, i + 2);
}

/* ceil_mode over a dynamic dimension: WebNN rounds up, too, and no window may begin beyond the end,
   whatever the size. */
static bool webnn_onnx__open_ceil(webnn_onnx__call *c, webnn_onnx__windows *w) {
  uint32_t i;
  for (i = 0; i < w->rank; i++) {
    if ((uint64_t)w->strides[i] + w->end[i] > webnn_onnx__reach(w, i)) {
      return webnn_onnx__fail(c,
                              "ceil_mode over dynamic dimensions needs windows (%u) as long as "
                              "stride and end padding (%u) along dimension %u",
                              webnn_onnx__reach(w, i), w->strides[i] + w->end[i], i + 2);
    }
  }
  w->up = true;
  return true;
}

/* With ceil_mode the last window may reach beyond the end, but not begin there. */
static bool webnn_onnx__ceil_pads(webnn_onnx__call *c, webnn_onnx__windows *w) {
  uint32_t i;
  if (webnn_onnx__int(c, "ceil_mode", 0) != 0 &&
      webnn_onnx__open_between(webnn_onnx__shape(c, 0), 2, w->rank + 2)) {
    return webnn_onnx__open_ceil(c, w);
  }
  for (i = 0; i < w->rank; i++) {
    const uint64_t reach = webnn_onnx__reach(w, i), stride = w->strides[i];
    const bool up = webnn_onnx__flag(c, "ceil_mode");
    uint64_t padded, out, needed;
    if (!webnn_onnx__padded_size(c, w, i, up ? stride - 1 : 0, &padded)) {
      return false;
    }
    if (!up) {
      continue;
    }
    out = (padded + stride - 1 - reach) / stride + 1;
    if ((out - 1) * stride >= (uint64_t)w->in[i] + w->begin[i]) {
      out--;
    }
    needed = (out - 1) * stride + reach;
    w->end[i] =
        needed > (uint64_t)w->in[i] + w->begin[i] ? (uint32_t)(needed - w->in[i] - w->begin[i]) : 0;
  }
  return true;
}

/* Padding of zeros that counts as input. */
static webnn_onnx__o *webnn_onnx__pad_windows(webnn_onnx__call *c, webnn_onnx__o *x,
                                              webnn_onnx__windows *w) {
  const uint32_t rank = w->rank + 2;
  webnn_list begin = webnn_extra__repeat(0, rank), end = begin;
  uint32_t i;
  for (i = 0; i < w->rank; i++) {
    begin.items[i + 2] = w->begin[i];
    end.items[i + 2] = w->end[i];
    w->in[i] += w->begin[i] + w->end[i];
    w->begin[i] = w->end[i] = 0;
  }
  return webnn_onnx__pad(c, x, begin, end, WEBNN_PADDING_CONSTANT, webnn_f64(0));
}

/* The mean over windows; padding may count as input. */
static webnn_onnx__o *webnn_onnx__average_pool(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_list none = WEBNN_ZERO;
  webnn_onnx__windows w, padded, full;
  uint32_t i;
  if (!webnn_onnx__read_windows(c, webnn_onnx__sizes(x), none, &w)) {
    return NULL;
  }
  full = w;
  if (!webnn_onnx__ceil_pads(c, &full)) {
    return NULL;
  }
  if (!webnn_onnx__flag(c, "count_include_pad")) {
    return webnn_onnx__pool_windows(c, WEBNN_OP_AVERAGE_POOL2D, x, &full);
  }
  for (i = 0; i < w.rank; i++) { /* without padding that no window reaches */
    w.end[i] = w.end[i] < full.end[i] ? w.end[i] : full.end[i];
  }
  padded = w;
  x = webnn_onnx__pad_windows(c, x, &w);
  for (i = 0; i < w.rank; i++) { /* how far the last windows reach beyond the padding */
    w.end[i] = full.end[i] - padded.end[i];
  }
  return webnn_onnx__pool_windows(c, WEBNN_OP_AVERAGE_POOL2D, x, &w);
}

static bool webnn_onnx__lower_average_pool(webnn_onnx__call *c) {
  return webnn_onnx__put(c, 0, webnn_onnx__average_pool(c, webnn_onnx__x(c, 0)));
}

static bool webnn_onnx__lower_max_pool(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const webnn_list none = WEBNN_ZERO;
  webnn_onnx__windows w;
  if (!webnn_onnx__read_windows(c, webnn_onnx__sizes(x), none, &w) ||
      !webnn_onnx__ceil_pads(c, &w) ||
      (webnn_onnx__wants(c, 1) && !webnn_onnx__put_argmax(c, x, &w))) {
    return false;
  }
  return webnn_onnx__put(c, 0, webnn_onnx__pool_windows(c, WEBNN_OP_MAX_POOL2D, x, &w));
}

/* The p-th root of the sum of p-th powers; padding adds zeros. */
static bool webnn_onnx__lower_lp_pool(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const int64_t p = webnn_onnx__int(c, "p", 2);
  webnn_onnx__windows w;
  webnn_list none = WEBNN_ZERO;
  double count = 1;
  uint32_t i;
  if (!webnn_onnx__read_windows(c, webnn_onnx__sizes(x), none, &w) ||
      !webnn_onnx__ceil_pads(c, &w)) {
    return false;
  }
  if (p == 2) {
    return webnn_onnx__put(c, 0, webnn_onnx__pool_windows(c, WEBNN_OP_L2_POOL2D, x, &w));
  }
  for (i = 0; i < w.rank; i++) {
    count *= w.kernel[i];
  }
  x = webnn_onnx__pad_windows(c, webnn_onnx__abs(c, x), &w);
  x = p == 1 ? x : webnn_onnx__pow(c, x, webnn_onnx__like(c, x, (double)p));
  x = webnn_onnx__scaled(c, webnn_onnx__pool_windows(c, WEBNN_OP_AVERAGE_POOL2D, x, &w), count);
  x = p == 1 ? x : webnn_onnx__pow(c, x, webnn_onnx__like(c, x, 1.0 / (double)p));
  return webnn_onnx__put(c, 0, x);
}

/* Over all spatial dimensions. */
static bool webnn_onnx__lower_global_pool(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 3, WEBNN_MAX_RANK);
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_op op = (webnn_op)c->row->detail;
  const int64_t p = webnn_onnx__int(c, "p", 2);
  webnn_pool2d_options o = WEBNN_ZERO;
  const webnn_list axes = webnn_onnx__axes_from(2, s.count);

  if (op == WEBNN_OP_REDUCE_L2 && p != 2) {
    op = WEBNN_OP_REDUCE_L1;
    if (p != 1) { /* the p-th root of the sum of p-th powers */
      x = webnn_onnx__pow(c, webnn_onnx__abs(c, x), webnn_onnx__like(c, x, (double)p));
      x = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, x, axes, true);
      x = webnn_onnx__pow(c, x, webnn_onnx__like(c, x, 1.0 / (double)p));
      return webnn_onnx__put(c, 0, x);
    }
  }
  if (s.count == 4 && op != WEBNN_OP_REDUCE_L1 && op != WEBNN_OP_REDUCE_L2) {
    return webnn_onnx__put(
        c, 0,
        webnn_onnx__pool(
            c, op == WEBNN_OP_REDUCE_MAX ? WEBNN_OP_MAX_POOL2D : WEBNN_OP_AVERAGE_POOL2D, x, &o));
  }
  return webnn_onnx__put(c, 0, webnn_onnx__reduce(c, op, x, axes, true));
}

/* ---- 12.2 windows element by element: where maxima are, and what is put back there. */

/* For each place of the kernel (rows) and each window (columns): the place in the input that it is
   on, or -1 in the padding. Column-major places count the first axis fastest. */
typedef struct webnn_onnx__window_map {
  uint32_t count, outputs; /* places of the kernel, windows */
  webnn_list out;          /* of windows along each axis */
  int64_t *places;
} webnn_onnx__window_map;

static bool webnn_onnx__map_windows(webnn_onnx__call *c, const webnn_onnx__windows *w,
                                    bool column_major, webnn_onnx__window_map *map) {
  uint64_t count = 1, outputs = 1, i;
  uint32_t d;
  map->out = webnn_extra__no_items();
  for (d = 0; d < w->rank; d++) {
    const uint64_t padded = (uint64_t)w->in[d] + w->begin[d] + w->end[d];
    map->out.items[map->out.count++] =
        (uint32_t)((padded - webnn_onnx__reach(w, d)) / w->strides[d]) + 1;
    count *= w->kernel[d];
    outputs *= map->out.items[d];
  }
  if (count > WEBNN_ONNX__MOST_INDICES || count * outputs > WEBNN_ONNX__MOST_INDICES) {
    return webnn_onnx__fail(c, "the places in all windows (%llu x %llu) must be at most %d",
                            (unsigned long long)count, (unsigned long long)outputs,
                            WEBNN_ONNX__MOST_INDICES);
  }
  map->count = (uint32_t)count, map->outputs = (uint32_t)outputs;
  map->places = (int64_t *)webnn_onnx__take(c, (size_t)(count * outputs) + 1, sizeof *map->places);
  for (i = 0; i < count * outputs && !webnn_onnx__failed(c); i++) {
    uint64_t kernel = i / outputs, window = i % outputs;
    int64_t place = 0, pitch = 1;
    for (d = w->rank; d-- > 0 && place >= 0;) {
      const int64_t at = (int64_t)(window % map->out.items[d]) * w->strides[d] +
                         (int64_t)(kernel % w->kernel[d]) * w->dilations[d] - w->begin[d];
      window /= map->out.items[d];
      kernel /= w->kernel[d];
      if (column_major) { /* the sizes of the axes before it */
        uint32_t k;
        for (pitch = 1, k = 0; k < d; k++) {
          pitch *= w->in[k];
        }
      }
      place = at < 0 || at >= (int64_t)w->in[d] ? -1 : place + at * pitch;
      pitch *= column_major ? 1 : w->in[d];
    }
    map->places[i] = place;
  }
  return !webnn_onnx__failed(c);
}

/* In each window the places in the padding become the first one that is not: whatever is largest,
   it is no place in the padding. */
static void webnn_onnx__leave_padding(webnn_onnx__window_map *map) {
  uint32_t window, k, first;
  for (window = 0; window < map->outputs; window++) {
    for (first = 0; first < map->count && map->places[(size_t)first * map->outputs + window] < 0;
         first++) {
    }
    for (k = 0; k < map->count && first < map->count; k++) {
      int64_t *place = &map->places[(size_t)k * map->outputs + window];
      *place = *place < 0 ? map->places[(size_t)first * map->outputs + window] : *place;
    }
  }
}

/* Output 1 of MaxPool: the place of the first largest in each window, counted
   in the whole input. */
static bool webnn_onnx__put_argmax(webnn_onnx__call *c, webnn_onnx__o *x,
                                   const webnn_onnx__windows *w) {
  const bool column_major = webnn_onnx__flag(c, "storage_order");
  const webnn_list s = webnn_onnx__sizes(x);
  const uint64_t images = (uint64_t)s.items[0] * s.items[1], size = webnn_extra__product(s, 2, 5);
  webnn_onnx__window_map map, named;
  webnn_onnx__o *at, *y;
  webnn_list shape;
  if (!webnn_onnx__map_windows(c, w, false, &map) ||
      !webnn_onnx__map_windows(c, w, column_major, &named)) {
    return false;
  }
  webnn_onnx__leave_padding(&map);
  webnn_onnx__leave_padding(&named);
  shape = webnn_extra__list2(map.count, map.outputs);
  at = webnn_onnx__constant(c, WEBNN_INT64, shape, map.places);
  at = webnn_onnx__max(c, at, webnn_onnx__like(c, at, 0)); /* a window of nothing but padding */
  y = webnn_onnx__gather(c, webnn_onnx__as2(c, x, images, size), at, 1);
  y = webnn_onnx__arg(c, y, 1, true, true);
  at = webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__list3(1, map.count, map.outputs),
                            named.places);
  at = webnn_onnx__expand(c, at, webnn_extra__list3(images, map.count, map.outputs));
  y = webnn_onnx__gather_elements(c, at, y, 1);
  at = webnn_onnx__iota_along(c, (uint32_t)images, (int64_t)size, 3, 0);
  y = webnn_onnx__add(c, y, at);
  shape = webnn_extra__inserted(webnn_extra__inserted(map.out, 0, s.items[1]), 0, s.items[0]);
  return webnn_onnx__put_as(c, 1, webnn_onnx__reshape(c, y, shape), WEBNN_ONNX_INT64);
}

/* Values put at their places among zeros; a larger result has more zeros at its ends. */
static bool webnn_onnx__lower_max_unpool(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *at = webnn_onnx__x(c, 1), *y;
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_list none = WEBNN_ZERO, shape = s, end = webnn_extra__repeat(0, s.count);
  int64_t sizes[WEBNN_MAX_RANK];
  webnn_onnx__windows w;
  const size_t count =
      webnn_onnx__has(c, 2) ? webnn_onnx__integers(c, 2, sizes, WEBNN_MAX_RANK) : 0;
  uint32_t d;
  if (webnn_onnx__failed(c) || !webnn_onnx__read_windows(c, s, none, &w)) {
    return false;
  }
  for (d = 0; d < w.rank; d++) {
    const int64_t size =
        (int64_t)(w.in[d] - 1) * w.strides[d] + w.kernel[d] - w.begin[d] - w.end[d];
    shape.items[d + 2] = size < 1 || size > INT32_MAX ? 0 : (uint32_t)size;
  }
  for (d = 0; d < s.count; d++) {
    if (shape.items[d] == 0 ||
        (count != 0 && (count != s.count || sizes[d] < shape.items[d] || sizes[d] > INT32_MAX))) {
      return webnn_onnx__fail(c,
                              "dimension %u of the result, of %u by the windows, must be 1 or more "
                              "and at most that of input 2 (%lld of %u dimensions)",
                              d, shape.items[d], count == s.count ? (long long)sizes[d] : 0,
                              (unsigned)count);
    }
    end.items[d] = count == 0 ? 0 : (uint32_t)sizes[d] - shape.items[d];
  }
  y = webnn_onnx__expand(c, webnn_onnx__like(c, x, 0),
                         webnn_extra__list1(webnn_onnx__count_of(shape)));
  at = webnn_onnx__as1(c, at, webnn_onnx__count_of(s));
  x = webnn_onnx__reshape(c, x, webnn_onnx__sizes(at));
  y = webnn_onnx__reshape(c, webnn_onnx__scatter(c, y, at, x, 0), shape);
  return webnn_onnx__put(c, 0,
                         webnn_onnx__pad(c, y, webnn_extra__repeat(0, s.count), end,
                                         WEBNN_PADDING_CONSTANT, webnn_f64(0)));
}

/* A filter [C K, 1, block] that puts row k of each channel at place k of the block. */
static webnn_onnx__o *webnn_onnx__block_filter(webnn_onnx__call *c, webnn_data_type type,
                                               uint32_t channels, const webnn_onnx__windows *w) {
  webnn_list shape = webnn_extra__list2(1, 1);
  webnn_onnx__o *eye;
  uint32_t k = 1, d;
  for (d = 0; d < w->rank; d++) {
    k *= w->kernel[d];
  }
  eye = webnn_onnx__equal(c, webnn_onnx__iota_along(c, k, 1, 2, 0),
                          webnn_onnx__iota_along(c, k, 1, 2, 1));
  eye = webnn_onnx__as3(c, webnn_onnx__cast(c, eye, type), 1, k, k);
  eye = webnn_onnx__expand(c, eye, webnn_extra__list3(channels, k, k));
  shape.items[0] = channels * k;
  for (d = 0; d < w->rank; d++) {
    shape.items[shape.count++] = w->kernel[d];
  }
  return webnn_onnx__reshape(c, eye, shape);
}

/* The windows of Col2Im: of an image, blocks of it, and how many blocks there are. */
static bool webnn_onnx__block_windows(webnn_onnx__call *c, webnn_onnx__windows *w,
                                      uint32_t *added) {
  int64_t image[3], block[3];
  const size_t count = webnn_onnx__integers(c, 1, image, 3);
  const size_t blocks = webnn_onnx__integers(c, 2, block, 3);
  const webnn_list strides = webnn_onnx__dims(c, "strides");
  const webnn_list dilations = webnn_onnx__dims(c, "dilations");
  uint32_t d;
  memset(w, 0, sizeof *w);
  w->rank = (uint32_t)count;
  if (count == 0 || blocks != count || (strides.given && strides.count != count) ||
      (dilations.given && dilations.count != count)) {
    return webnn_onnx__fail(c,
                            "inputs 1 and 2, attributes strides and dilations must have as many "
                            "items, 1 or more; they have %u, %u, %u and %u",
                            (unsigned)count, (unsigned)blocks, strides.count, dilations.count);
  }
  for (d = 0; d < w->rank; d++) {
    if (!webnn_onnx__must_be(c, "a size of the image", image[d], 1, INT32_MAX) ||
        !webnn_onnx__must_be(c, "a size of the block", block[d], 1, 65535)) {
      return false;
    }
    w->in[d] = (uint32_t)image[d], w->kernel[d] = (uint32_t)block[d];
    w->strides[d] = strides.given ? strides.items[d] : 1;
    w->dilations[d] = dilations.given ? dilations.items[d] : 1;
  }
  for (d = 0; d < w->rank; d++) {
    if (w->strides[d] == 0 || w->dilations[d] == 0 || w->dilations[d] > 65535) {
      return webnn_onnx__fail(c,
                              "stride %u (%u) must be 1 or more, and dilation %u (%u) 1 to 65535",
                              d, w->strides[d], d, w->dilations[d]);
    }
  }
  if (!webnn_onnx__window_pads(c, w)) {
    return false;
  }
  for (d = 0; d < w->rank; d++) {
    const uint64_t padded = (uint64_t)w->in[d] + w->begin[d] + w->end[d];
    if (padded < webnn_onnx__reach(w, d)) {
      return webnn_onnx__fail(c,
                              "the block with dilations (%llu) must be at most the padded size "
                              "(%llu) of dimension %u of the image",
                              (unsigned long long)webnn_onnx__reach(w, d),
                              (unsigned long long)padded, d);
    }
    added[d] = (uint32_t)((padded - webnn_onnx__reach(w, d)) % w->strides[d]);
    w->in[d] = (uint32_t)((padded - webnn_onnx__reach(w, d)) / w->strides[d]) + 1;
  }
  return true;
}

/* Blocks added up where they overlap, as a transposed convolution by a filter of ones and zeros. */
static bool webnn_onnx__lower_col2im(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *filter;
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_conv_transpose2d_options o = WEBNN_ZERO;
  webnn_onnx__windows w;
  webnn_list shape;
  uint32_t added[3] = {0, 0, 0}, d;
  uint64_t block = 1; /* a kernel has at most 65535 places in each of three dimensions */
  if (!webnn_onnx__block_windows(c, &w, added)) {
    return false;
  }
  shape = webnn_extra__list2(s.items[0], s.items[1]);
  for (d = 0; d < w.rank; d++) {
    shape.items[shape.count++] = w.in[d];
    block *= w.kernel[d];
  }
  if (s.count != 3 || s.items[1] % block != 0 ||
      webnn_extra__product(shape, 2, shape.count) != s.items[2] || !webnn_onnx__floating(x)) {
    return webnn_onnx__fail(
        c, "input 0 (%s %s) must be of floats, [N,C x %llu,%llu] for these blocks",
        webnn_onnx_type_name(webnn_onnx__type(c, 0)), webnn_onnx__show_shape(s).text,
        (unsigned long long)block, (unsigned long long)webnn_extra__product(shape, 2, shape.count));
  }
  o.groups = (uint32_t)(s.items[1] / block);
  filter = webnn_onnx__block_filter(c, webnn_onnx__graph_type_of(x), o.groups, &w);
  x = webnn_onnx__reshape(c, x, shape);
  return webnn_onnx__put(c, 0, webnn_onnx__conv_transpose(c, x, filter, &w, added, o));
}

/* ---- 12.3 deformable convolution: columns of samples, then a product. */

/* Where the kernel's places of each window lie along an axis without offsets, [1, K, P]. */
static webnn_onnx__o *webnn_onnx__kernel_places(webnn_onnx__call *c, const webnn_onnx__windows *w,
                                                webnn_list out, uint32_t axis) {
  const uint32_t k = w->kernel[0] * w->kernel[1], p = out.items[0] * out.items[1];
  uint64_t count = (uint64_t)k * p, i;
  float *items = (float *)webnn_onnx__scratch(c, &count, sizeof *items);
  for (i = 0; i < count; i++) {
    const uint64_t kernel = axis == 0 ? i / p / w->kernel[1] : i / p % w->kernel[1];
    const uint64_t window = axis == 0 ? i % p / out.items[1] : i % p % out.items[1];
    items[i] = (float)((double)window * w->strides[axis] + (double)kernel * w->dilations[axis] -
                       w->begin[axis]);
  }
  return webnn_onnx__constant_of(c, WEBNN_FLOAT32, webnn_extra__list3(1, k, p), items);
}

/* The samples as columns [N, C K, P]; offsets [N, G 2 K, P], masks [N, G K, P] or NULL. */
static webnn_onnx__o *webnn_onnx__deformed(webnn_onnx__call *c, webnn_onnx__o *x,
                                           const webnn_onnx__windows *w, webnn_list out,
                                           uint32_t groups) {
  const webnn_list s = webnn_onnx__sizes(x);
  const uint32_t n = s.items[0] * groups, k = w->kernel[0] * w->kernel[1];
  const uint32_t channels = s.items[1] / groups;
  const uint64_t p = (uint64_t)out.items[0] * out.items[1];
  webnn_onnx__o *offset = webnn_onnx__x(c, 2), *mask = webnn_onnx__optional(c, 4), *part;
  webnn_onnx__sampling g;
  uint32_t d;
  memset(&g, 0, sizeof g);
  g.rank = 2, g.mode = 'l', g.outside = 'z';
  g.rows = webnn_onnx__rows_of(c, webnn_onnx__as4(c, x, n, channels, s.items[2], s.items[3]));
  g.first = webnn_onnx__iota_along(c, n, (int64_t)s.items[2] * s.items[3], 3, 0);
  offset = webnn_onnx__as4(c, webnn_onnx__cast(c, offset, WEBNN_FLOAT32), n, k, 2, p);
  for (d = 0; d < 2; d++) {
    g.sizes[d] = s.items[d + 2];
    part = webnn_onnx__as3(c, webnn_onnx__slice(c, offset, 2, d, 1), n, k, p);
    g.at[d] = webnn_onnx__add(c, webnn_onnx__kernel_places(c, w, out, d), part);
  }
  x = webnn_onnx__sampled(c, &g, false);
  mask = webnn_onnx__as4(c, webnn_onnx__cast(c, mask, WEBNN_FLOAT32), n, k, p, 1);
  x = webnn_onnx__with(c, WEBNN_OP_MUL, x, mask);
  x = webnn_onnx__move_axis(c, x, 3, 1); /* [N G, channels, K, P] */
  return webnn_onnx__as3(c, x, s.items[0], (uint64_t)s.items[1] * k, p);
}

static bool webnn_onnx__deform_checks(webnn_onnx__call *c, const webnn_onnx__windows *w,
                                      webnn_list *out, int64_t groups, int64_t parts) {
  const webnn_list xs = webnn_onnx__shape(c, 0), fs = webnn_onnx__shape(c, 1);
  const webnn_list os = webnn_onnx__shape(c, 2);
  const uint64_t k = (uint64_t)w->kernel[0] * w->kernel[1];
  uint32_t d;
  *out = webnn_extra__list2(0, 0);
  for (d = 0; d < 2; d++) {
    uint64_t padded;
    if (!webnn_onnx__padded_size(c, w, d, 0, &padded)) {
      return false;
    }
    out->items[d] = (uint32_t)((padded - webnn_onnx__reach(w, d)) / w->strides[d]) + 1;
  }
  if (groups < 1 || parts < 1 || groups > xs.items[1] || parts > xs.items[1] ||
      xs.items[1] % groups != 0 || xs.items[1] % parts != 0) {
    return webnn_onnx__fail(c,
                            "attributes group (%lld) and offset_group (%lld) must divide the "
                            "channels of input 0 (%u)",
                            (long long)groups, (long long)parts, xs.items[1]);
  }
  if (fs.items[0] % groups != 0 || fs.items[1] != xs.items[1] / groups) {
    return webnn_onnx__fail(c,
                            "input 1 shape %s must have output channels divisible by group (%lld), "
                            "and %lld input channels",
                            webnn_onnx__show_shape(fs).text, (long long)groups,
                            (long long)(xs.items[1] / groups));
  }
  if (os.count != 4 || os.items[1] != (uint64_t)parts * 2 * k || os.items[2] != out->items[0] ||
      os.items[3] != out->items[1]) {
    return webnn_onnx__fail(
        c, "input 2 shape %s must be [N,%llu,%u,%u]", webnn_onnx__show_shape(os).text,
        (unsigned long long)((uint64_t)parts * 2 * k), out->items[0], out->items[1]);
  }
  return true;
}

static bool webnn_onnx__lower_deform_conv(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *filter = webnn_onnx__x(c, 1);
  webnn_onnx__o *bias = webnn_onnx__optional(c, 3);
  const webnn_list s = webnn_onnx__sizes(x), f = webnn_onnx__sizes(filter);
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  const int64_t groups = webnn_onnx__int(c, "group", 1);
  const int64_t parts = webnn_onnx__int(c, "offset_group", 1);
  webnn_onnx__windows w;
  webnn_list out;
  uint64_t g, p;
  if (!webnn_onnx__must_have_rank(c, 0, 4, 4) || !webnn_onnx__must_have_rank(c, 1, 4, 4) ||
      !webnn_onnx__read_windows(c, s, webnn_onnx__spatial(f), &w) ||
      !webnn_onnx__deform_checks(c, &w, &out, groups, parts)) {
    return false;
  }
  g = (uint64_t)groups;
  p = (uint64_t)out.items[0] * out.items[1];
  x = webnn_onnx__deformed(c, webnn_onnx__cast(c, x, WEBNN_FLOAT32), &w, out, (uint32_t)parts);
  x = webnn_onnx__as4(c, x, s.items[0], g, (uint64_t)f.items[1] * f.items[2] * f.items[3], p);
  filter = webnn_onnx__cast(c, filter, WEBNN_FLOAT32);
  filter = webnn_onnx__as4(c, filter, 1, g, f.items[0] / g,
                           (uint64_t)f.items[1] * f.items[2] * f.items[3]);
  x = webnn_onnx__matmul(c, filter, x);
  x = webnn_onnx__as4(c, x, s.items[0], f.items[0], out.items[0], out.items[1]);
  bias = webnn_onnx__along(c, webnn_onnx__cast(c, bias, WEBNN_FLOAT32), 4, 1);
  x = webnn_onnx__with(c, WEBNN_OP_ADD, x, bias);
  return webnn_onnx__put(c, 0, webnn_onnx__cast(c, x, type));
}

/* ---- 13 normalization ------------------------------------------------------------------------ */

static webnn_onnx__o *webnn_onnx__mean(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list axes) {
  return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MEAN, x, axes, true);
}

/* Output i: the statistics of before and of this batch, of the type of input i + 2. */
static bool webnn_onnx__put_running(webnn_onnx__call *c, size_t i, webnn_onnx__o *before,
                                    webnn_onnx__o *now, double momentum) {
  const webnn_onnx_type type = webnn_onnx__type(c, i + 2);
  webnn_onnx__o *y = webnn_onnx__add(c, webnn_onnx__scaled(c, before, momentum),
                                     webnn_onnx__scaled(c, now, 1 - momentum));
  return webnn_onnx__put_as(c, i, webnn_onnx__cast(c, y, webnn_onnx_graph_type(type)), type);
}

/* Means and variances of the batch, which also change the running ones. */
static bool webnn_onnx__batch_statistics(webnn_onnx__call *c, webnn_onnx__o *x,
                                         webnn_onnx__o **mean, webnn_onnx__o **variance) {
  const double momentum = webnn_onnx__float(c, "momentum", 0.9);
  const uint32_t rank = webnn_onnx__sizes(x).count;
  const webnn_list axes = webnn_extra__removed(webnn_onnx__axes_from(0, rank), 1);
  const webnn_list flat = webnn_onnx__sizes(*mean);
  webnn_onnx__o *m = webnn_onnx__mean(c, x, axes), *d = webnn_onnx__sub(c, x, m), *v;
  v = webnn_onnx__mean(c, webnn_onnx__mul(c, d, d), axes);
  m = webnn_onnx__reshape(c, m, flat);
  v = webnn_onnx__reshape(c, v, flat);
  if (!webnn_onnx__put_running(c, 1, *mean, m, momentum) ||
      !webnn_onnx__put_running(c, 2, *variance, v, momentum)) {
    return false;
  }
  *mean = m;
  *variance = v;
  return true;
}

static bool webnn_onnx__lower_batch_normalization(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *scale = webnn_onnx__x(c, 1), *bias = webnn_onnx__x(c, 2);
  webnn_onnx__o *mean = webnn_onnx__x(c, 3), *variance = webnn_onnx__x(c, 4);
  const webnn_list shape = webnn_onnx__sizes(x);
  const webnn_data_type narrow = webnn_onnx__graph_type_of(x);
  const bool wide = narrow == WEBNN_FLOAT32 || webnn_onnx__graph_type_of(mean) == WEBNN_FLOAT32 ||
                    webnn_onnx__graph_type_of(scale) == WEBNN_FLOAT32;
  const webnn_data_type type = wide ? WEBNN_FLOAT32 : WEBNN_FLOAT16;
  webnn_batch_normalization_options o = WEBNN_ZERO;
  if (webnn_onnx__int(c, "spatial", 1) == 0) {
    return webnn_onnx__fail(c, "attribute spatial (0) must be 1: statistics are of channels");
  }
  if (shape.count < 2) { /* one channel */
    x = webnn_onnx__as2(c, x, webnn_onnx__count_of(shape), 1);
  }
  x = webnn_onnx__cast(c, x, type); /* the widest of the three types */
  mean = webnn_onnx__cast(c, mean, type);
  variance = webnn_onnx__cast(c, variance, type);
  if (c->version >= 14 && webnn_onnx__flag(c, "training_mode") &&
      !webnn_onnx__batch_statistics(c, x, &mean, &variance)) {
    return false;
  }
  o.label = c->node->name;
  o.scale = webnn_onnx__cast(c, scale, type);
  o.bias = webnn_onnx__cast(c, bias, type);
  o.epsilon = webnn_f64(webnn_onnx__float(c, "epsilon", 1e-5));
  x = webnn_batch_normalization(webnn_onnx__b(c), x, mean, variance, &o);
  x = webnn_onnx__cast(c, x, narrow);
  return webnn_onnx__put(c, 0, webnn_onnx__reshape(c, x, shape));
}

/* [N, C, ...] as [N, C, rest, 1] and back. */
static bool webnn_onnx__lower_instance_normalization(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 3, WEBNN_MAX_RANK);
  const webnn_list s = webnn_onnx__sizes(x);
  const webnn_operator_options with = webnn_onnx__label(c);
  webnn_instance_normalization_options o = WEBNN_ZERO;

  o.label = c->node->name;
  o.scale = webnn_onnx__optional(c, 1);
  o.bias = webnn_onnx__optional(c, 2);
  o.epsilon = webnn_f64(webnn_onnx__float(c, "epsilon", 1e-5));
  if (s.count == 3) {
    x = webnn_unsqueeze(webnn_onnx__b(c), x, webnn_extra__list1(3), &with);
    x = webnn_instance_normalization(webnn_onnx__b(c), x, &o);
    x = webnn_squeeze(webnn_onnx__b(c), x, webnn_extra__list1(3), &with);
    return webnn_onnx__put(c, 0, x);
  }
  if (s.count != 4) {
    x = webnn_onnx__as4(c, x, s.items[0], s.items[1], webnn_extra__product(s, 2, s.count), 1);
  }
  x = webnn_instance_normalization(webnn_onnx__b(c), x, &o);
  return webnn_onnx__put(c, 0, webnn_onnx__reshape(c, x, s));
}

/* Normalizes over axes; scale and bias (either may be NULL) are multiplied and added where they do
   not have just the dimensions of the axes. */
static webnn_onnx__o *webnn_onnx__layer_norm(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list axes,
                                             webnn_onnx__o *scale, webnn_onnx__o *bias,
                                             double epsilon) {
  webnn_layer_normalization_options o = WEBNN_ZERO;
  const webnn_list shape = webnn_onnx__sizes(x);
  webnn_list inner = webnn_extra__no_items();
  bool fits;
  uint32_t i;
  for (i = 0; i < axes.count; i++) {
    inner.items[inner.count++] = shape.items[axes.items[i]];
  }
  fits = (scale == NULL || webnn_extra__same_list(webnn_onnx__sizes(scale), inner)) &&
         (bias == NULL || webnn_extra__same_list(webnn_onnx__sizes(bias), inner));
  o.label = c->node->name;
  o.axes = axes;
  o.epsilon = webnn_f64(epsilon);
  o.scale = fits ? scale : NULL;
  o.bias = fits ? bias : NULL;
  x = webnn_layer_normalization(webnn_onnx__b(c), x, &o);
  if (!fits) {
    x = webnn_onnx__with(c, WEBNN_OP_MUL, x, scale);
    x = webnn_onnx__with(c, WEBNN_OP_ADD, x, bias);
  }
  return x;
}

/* The mean and the reciprocal of the deviation, which LayerNormalization gives, too. */
static bool webnn_onnx__put_statistics(webnn_onnx__call *c, size_t at, webnn_onnx__o *x,
                                       webnn_list axes, double epsilon) {
  webnn_onnx__o *mean, *d;
  if (!webnn_onnx__wants(c, at) && !webnn_onnx__wants(c, at + 1)) {
    return true;
  }
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  mean = webnn_onnx__mean(c, x, axes);
  d = webnn_onnx__sub(c, x, mean);
  d = webnn_onnx__mean(c, webnn_onnx__mul(c, d, d), axes);
  d = webnn_onnx__reciprocal(c, webnn_onnx__sqrt(c, webnn_onnx__plus(c, d, epsilon)));
  return webnn_onnx__put_as(c, at, mean, WEBNN_ONNX_FLOAT) &&
         webnn_onnx__put_as(c, at + 1, d, WEBNN_ONNX_FLOAT);
}

static bool webnn_onnx__lower_layer_normalization(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *scale = webnn_onnx__x(c, 1);
  webnn_onnx__o *bias = webnn_onnx__optional(c, 2);
  const double epsilon = webnn_onnx__float(c, "epsilon", 1e-5);
  const uint32_t rank = webnn_onnx__sizes(x).count;
  const webnn_list axes = webnn_onnx__axes_from(webnn_onnx__axis_of(c, "axis", -1, rank), rank);
  return webnn_onnx__put(c, 0, webnn_onnx__layer_norm(c, x, axes, scale, bias, epsilon)) &&
         webnn_onnx__put_statistics(c, 1, x, axes, epsilon);
}

/* x / sqrt(mean of x^2 + epsilon), in float32. */
static webnn_onnx__o *webnn_onnx__rms_norm(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list axes,
                                           double epsilon, webnn_onnx__o **inverse) {
  const webnn_data_type type = webnn_onnx__graph_type_of(x);
  webnn_onnx__o *f = webnn_onnx__cast(c, x, WEBNN_FLOAT32), *y;
  y = webnn_onnx__mean(c, webnn_onnx__mul(c, f, f), axes);
  y = webnn_onnx__sqrt(c, webnn_onnx__plus(c, y, epsilon));
  if (inverse != NULL) {
    *inverse = webnn_onnx__reciprocal(c, y);
  }
  return webnn_onnx__cast(c, webnn_onnx__div(c, f, y), type);
}

static bool webnn_onnx__lower_rms_normalization(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *scale = webnn_onnx__x(c, 1), *inverse = NULL;
  const uint32_t rank = webnn_onnx__sizes(x).count;
  const uint32_t axis = webnn_onnx__axis_of(c, "axis", -1, rank);
  x = webnn_onnx__rms_norm(c, x, webnn_onnx__axes_from(axis, rank),
                           webnn_onnx__float(c, "epsilon", 1e-5), &inverse);
  x = webnn_onnx__cast(c, x, webnn_onnx__graph_type_of(scale));
  return webnn_onnx__put_as(c, 0, webnn_onnx__mul(c, x, scale), webnn_onnx__type(c, 1)) &&
         webnn_onnx__put_as(c, 1, inverse, WEBNN_ONNX_FLOAT);
}

/* Groups of channels of [N, C, ...], each normalized by itself. */
static webnn_onnx__o *webnn_onnx__group_norm(webnn_onnx__call *c, webnn_onnx__o *x,
                                             int64_t groups) {
  const webnn_list s = webnn_onnx__sizes(x);
  if (!webnn_onnx__must_have_rank(c, 0, 2, WEBNN_MAX_RANK)) {
    return NULL;
  }
  if (groups < 1 || groups > (int64_t)s.items[1] || s.items[1] % groups != 0) {
    return webnn_onnx__no_operand(c, "the number of groups (%lld) must divide the channels (%u)",
                                  (long long)groups, s.items[1]);
  }
  x = webnn_onnx__as3(c, x, s.items[0], (uint64_t)groups,
                      webnn_extra__product(s, 1, s.count) / (uint64_t)groups);
  x = webnn_onnx__layer_norm(c, x, webnn_extra__list1(2), NULL, NULL,
                             webnn_onnx__float(c, "epsilon", 1e-5));
  return webnn_onnx__reshape(c, x, s);
}

/* Scale and bias are one for each group in version 18, one for each channel later. */
static bool webnn_onnx__lower_group_normalization(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y;
  webnn_onnx__o *factors[] = {webnn_onnx__x(c, 1), webnn_onnx__x(c, 2)};
  const webnn_list s = webnn_onnx__sizes(x);
  const int64_t groups = webnn_onnx__int(c, "num_groups", 0);
  webnn_list shape;
  size_t i;
  y = webnn_onnx__group_norm(c, x, groups);
  if (y == NULL) { /* the groups are wrong */
    return webnn_onnx__put(c, 0, NULL);
  }
  for (i = 0; i < 2; i++) {
    if (c->version < 21) {
      shape = webnn_extra__list2((uint64_t)groups, s.items[1] / (uint64_t)groups);
      factors[i] = webnn_onnx__as2(c, factors[i], (uint64_t)groups, 1);
      factors[i] = webnn_onnx__expand(c, factors[i], shape);
    }
    factors[i] = webnn_onnx__along(c, factors[i], s.count, 1);
    y = i == 0 ? webnn_onnx__mul(c, y, factors[i]) : webnn_onnx__add(c, y, factors[i]);
  }
  return webnn_onnx__put(c, 0, y);
}

/* The mean of squares over neighbouring channels, as a pooling over [N, 1, C, rest]. */
static bool webnn_onnx__lower_lrn(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 2, WEBNN_MAX_RANK), *y;
  const webnn_list s = webnn_onnx__sizes(x);
  const int64_t size = webnn_onnx__int_in(c, "size", 1, 1, 65535);
  webnn_list begin = webnn_extra__repeat(0, 4), end = begin;
  webnn_pool2d_options o = WEBNN_ZERO;

  begin.items[2] = (uint32_t)(size - 1) / 2;
  end.items[2] = (uint32_t)size - 1 - begin.items[2];
  o.window_dimensions = webnn_extra__list2((uint64_t)size, 1);
  y = webnn_onnx__as4(c, x, s.items[0], 1, s.items[1], webnn_extra__product(s, 2, s.count));
  y = webnn_onnx__mul(c, y, y);
  y = webnn_onnx__pad(c, y, begin, end, WEBNN_PADDING_CONSTANT, webnn_f64(0));
  y = webnn_onnx__pool(c, WEBNN_OP_AVERAGE_POOL2D, y, &o);
  y = webnn_onnx__scaled(c, webnn_onnx__reshape(c, y, s), webnn_onnx__float(c, "alpha", 1e-4));
  y = webnn_onnx__plus(c, y, webnn_onnx__float(c, "bias", 1));
  y = webnn_onnx__pow(c, y, webnn_onnx__like(c, y, webnn_onnx__float(c, "beta", 0.75)));
  return webnn_onnx__put(c, 0, webnn_onnx__div(c, x, y));
}

static bool webnn_onnx__lower_lp_normalization(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *norm;
  const int64_t p = webnn_onnx__int(c, "p", 2);
  const uint32_t axis = webnn_onnx__axis_of(c, "axis", -1, webnn_onnx__sizes(x).count);
  norm = webnn_onnx__reduce(c, p == 1 ? WEBNN_OP_REDUCE_L1 : WEBNN_OP_REDUCE_L2, x,
                            webnn_extra__list1(axis), true);
  norm = webnn_onnx__select(c, webnn_onnx__equal(c, norm, webnn_onnx__like(c, x, 0)),
                            webnn_onnx__like(c, x, 1), norm); /* zeros stay zeros */
  return webnn_onnx__put(c, 0, webnn_onnx__div(c, x, norm));
}

static bool webnn_onnx__lower_mean_variance(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *d, *v;
  const uint32_t rank = webnn_onnx__sizes(x).count;
  webnn_list axes = webnn_onnx__axes_from(0, rank);
  axes = rank < 2 ? axes : webnn_extra__removed(axes, 1); /* all but that of channels */
  if (!webnn_onnx__axes_or(c, WEBNN_ONNX__NO_INPUT, rank, axes, &axes)) {
    return false;
  }
  d = webnn_onnx__sub(c, x, webnn_onnx__mean(c, x, axes));
  v = webnn_onnx__sqrt(c, webnn_onnx__mean(c, webnn_onnx__mul(c, d, d), axes));
  return webnn_onnx__put(c, 0, webnn_onnx__div(c, d, webnn_onnx__plus(c, v, 1e-9)));
}

/* ---- 13.1 losses. */

/* The negated log-probability of each target, and its weight: 0 for those that are ignored. */
static bool webnn_onnx__loss(webnn_onnx__call *c, webnn_onnx__o *x) {
  const char *reduction = webnn_onnx__string(c, "reduction", "mean");
  const webnn_onnx__attribute *ignored = webnn_onnx__attribute_of(c, "ignore_index");
  webnn_onnx__o *target = webnn_onnx__x(c, 1), *weight = webnn_onnx__optional(c, 2), *y, *mask,
                *zero;
  const webnn_list shape = webnn_onnx__sizes(target);
  target = webnn_onnx__cast(c, target, WEBNN_INT64);
  y = webnn_onnx__reshape(c, target, webnn_extra__inserted(shape, 1, 1));
  y = webnn_onnx__neg(c, webnn_onnx__gather_elements(c, x, y, 1));
  y = webnn_onnx__reshape(c, y, shape);
  weight = webnn_onnx__has(c, 2) ? webnn_onnx__gather(c, weight, target, 0)
                                 : webnn_onnx__expand(c, webnn_onnx__like(c, x, 1), shape);
  y = webnn_onnx__mul(c, y, weight);
  if (webnn_onnx__is_there(ignored)) { /* whatever x has there, infinities, too */
    zero = webnn_onnx__like(c, x, 0);
    mask = webnn_onnx__equal(c, target, webnn_onnx__like(c, target, (double)ignored->i));
    weight = webnn_onnx__select(c, mask, zero, weight);
    y = webnn_onnx__select(c, mask, zero, y);
  }
  if (strcmp(reduction, "none") != 0) {
    const webnn_list all = webnn_onnx__axes_from(0, shape.count);
    y = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, y, all, false);
    if (strcmp(reduction, "sum") != 0) {
      y = webnn_onnx__div(c, y, webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, weight, all, false));
    }
  }
  return webnn_onnx__put(c, 0, y);
}

static bool webnn_onnx__lower_nll_loss(webnn_onnx__call *c) {
  return webnn_onnx__loss(c, webnn_onnx__x(c, 0));
}

static bool webnn_onnx__lower_cross_entropy(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  x = webnn_onnx__log_softmax(c, x, 1);
  return webnn_onnx__put(c, 1, x) && webnn_onnx__loss(c, x);
}

/* ---- 13.2 optimizers of ai.onnx.preview.training: inputs are the rate, the step, then the
   tensors, all values, all gradients, all first states, ... */

/* 1 - factor^step. */
static webnn_onnx__o *webnn_onnx__bias_of(webnn_onnx__call *c, webnn_onnx__o *step, double factor) {
  webnn_onnx__o *x = webnn_onnx__pow(c, webnn_onnx__like(c, step, factor), step);
  return webnn_onnx__sub(c, webnn_onnx__like(c, step, 1), x);
}

/* R G / (sqrt(H) + epsilon), where the squares of gradients are added to H. */
static bool webnn_onnx__adagrad(webnn_onnx__call *c, size_t i, size_t n, webnn_onnx__o *g) {
  webnn_onnx__o *x = webnn_onnx__x(c, 2 + i), *h = webnn_onnx__x(c, 2 + 2 * n + i);
  webnn_onnx__o *step = webnn_onnx__cast(c, webnn_onnx__x(c, 1), WEBNN_FLOAT32), *rate, *d;
  step = webnn_onnx__scaled(c, step, webnn_onnx__float(c, "decay_factor", 0));
  rate = webnn_onnx__div(c, webnn_onnx__x(c, 0), webnn_onnx__plus(c, step, 1));
  h = webnn_onnx__add(c, h, webnn_onnx__mul(c, g, g));
  d = webnn_onnx__plus(c, webnn_onnx__sqrt(c, h), webnn_onnx__float(c, "epsilon", 1e-6));
  d = webnn_onnx__div(c, webnn_onnx__mul(c, rate, g), d);
  return webnn_onnx__put_as(c, i, webnn_onnx__sub(c, x, d), WEBNN_ONNX_FLOAT) &&
         webnn_onnx__put_as(c, n + i, h, WEBNN_ONNX_FLOAT);
}

/* R V / (sqrt(H) + epsilon), where V and H are means of gradients and of their squares. */
static bool webnn_onnx__adam(webnn_onnx__call *c, size_t i, size_t n, webnn_onnx__o *g) {
  const double alpha = webnn_onnx__float(c, "alpha", 0.9);
  const double beta = webnn_onnx__float(c, "beta", 0.999);
  webnn_onnx__o *x = webnn_onnx__x(c, 2 + i), *v = webnn_onnx__x(c, 2 + 2 * n + i), *d;
  webnn_onnx__o *h = webnn_onnx__x(c, 2 + 3 * n + i), *rate = webnn_onnx__x(c, 0), *adjusted;
  webnn_onnx__o *step = webnn_onnx__cast(c, webnn_onnx__x(c, 1), WEBNN_FLOAT32);
  v = webnn_onnx__add(c, webnn_onnx__scaled(c, v, alpha), webnn_onnx__scaled(c, g, 1 - alpha));
  h = webnn_onnx__add(c, webnn_onnx__scaled(c, h, beta),
                      webnn_onnx__scaled(c, webnn_onnx__mul(c, g, g), 1 - beta));
  adjusted = webnn_onnx__div(c, webnn_onnx__sqrt(c, webnn_onnx__bias_of(c, step, beta)),
                             webnn_onnx__bias_of(c, step, alpha));
  adjusted = webnn_onnx__mul(c, rate, adjusted);
  rate = webnn_onnx__select(c, webnn_onnx__less(c, webnn_onnx__like(c, step, 0), step), adjusted,
                            rate);
  d = webnn_onnx__plus(c, webnn_onnx__sqrt(c, h), webnn_onnx__float(c, "epsilon", 1e-6));
  x = webnn_onnx__sub(c, x, webnn_onnx__div(c, webnn_onnx__mul(c, rate, v), d));
  x = webnn_onnx__scaled(c, x, 1 - (double)webnn_onnx__float(c, "norm_coefficient_post", 0));
  return webnn_onnx__put_as(c, i, x, WEBNN_ONNX_FLOAT) &&
         webnn_onnx__put_as(c, n + i, v, WEBNN_ONNX_FLOAT) &&
         webnn_onnx__put_as(c, 2 * n + i, h, WEBNN_ONNX_FLOAT);
}

/* R V, where V is a sum of gradients that fades; Nesterov's is one step ahead. */
static bool webnn_onnx__momentum(webnn_onnx__call *c, size_t i, size_t n, webnn_onnx__o *g) {
  const double alpha = webnn_onnx__float(c, "alpha", 0);
  webnn_onnx__o *x = webnn_onnx__x(c, 2 + i), *v = webnn_onnx__x(c, 2 + 2 * n + i), *beta, *d;
  webnn_onnx__o *step = webnn_onnx__cast(c, webnn_onnx__x(c, 1), WEBNN_FLOAT32);
  beta = webnn_onnx__select(c, webnn_onnx__less(c, webnn_onnx__like(c, step, 0), step),
                            webnn_onnx__like(c, step, webnn_onnx__float(c, "beta", 0)),
                            webnn_onnx__like(c, step, 1));
  v = webnn_onnx__add(c, webnn_onnx__scaled(c, v, alpha), webnn_onnx__mul(c, beta, g));
  d = strcmp(webnn_onnx__string(c, "mode", "standard"), "nesterov") == 0
          ? webnn_onnx__add(c, g, webnn_onnx__scaled(c, v, alpha))
          : v;
  x = webnn_onnx__sub(c, x, webnn_onnx__mul(c, webnn_onnx__x(c, 0), d));
  return webnn_onnx__put_as(c, i, x, WEBNN_ONNX_FLOAT) &&
         webnn_onnx__put_as(c, n + i, v, WEBNN_ONNX_FLOAT);
}

/* The gradient has a part of the value added to it that keeps values small. */
static bool webnn_onnx__lower_optimizer(webnn_onnx__call *c) {
  const size_t kinds = c->row->detail == 1 ? 4 : 3;
  const size_t n = c->in_count < 2 ? 0 : (c->in_count - 2) / kinds;
  const double norm = webnn_onnx__float(c, "norm_coefficient", 0);
  bool good = true;
  size_t i;
  if (n == 0 || c->in_count != 2 + kinds * n) {
    return webnn_onnx__fail(c, "the number of inputs (%u) must be 2 and %u for each tensor",
                            (unsigned)c->in_count, (unsigned)kinds);
  }
  for (i = 0; i < n && good; i++) {
    webnn_onnx__o *x = webnn_onnx__x(c, 2 + i), *g = webnn_onnx__x(c, 2 + n + i);
    if (webnn_onnx__graph_type_of(x) != WEBNN_FLOAT32) {
      return webnn_onnx__fail(c, "input %u must be of float32; it is of %s", (unsigned)(2 + i),
                              webnn_onnx_type_name(webnn_onnx__type(c, 2 + i)));
    }
    g = webnn_onnx__add(c, g, webnn_onnx__scaled(c, x, norm));
    good = c->row->detail == 0   ? webnn_onnx__adagrad(c, i, n, g)
           : c->row->detail == 1 ? webnn_onnx__adam(c, i, n, g)
                                 : webnn_onnx__momentum(c, i, n, g);
  }
  return good;
}

/* ---- 14 recurrent networks ------------------------------------------------------------------- */

/* An activation of a recurrent network. */
typedef struct webnn_onnx__activation {
  const char *name; /* in lower case */
  double alpha, beta;
  bool has_alpha, has_beta;
} webnn_onnx__activation;

/* What LSTM, GRU and RNN have in common. */
typedef struct webnn_onnx__recurrent {
  webnn_onnx__o *x, *weight, *recurrent, *bias, *recurrent_bias, *hidden;
  webnn_onnx__o *cell, *peephole; /* of an LSTM */
  webnn_onnx__o *lengths;         /* [batch, 1]; NULL: all sequences are as long as the input */
  uint32_t gates, steps, batch, hidden_size, directions;
  webnn_recurrent_network_direction direction;
  bool batch_first, input_forget, linear_before_reset;
  double clip;                    /* 0: none */
  webnn_onnx__activation list[6]; /* activations, of direction d from 3 d on */
} webnn_onnx__recurrent;

/* A state [batch, directions, hidden] as [directions, batch, hidden] where `layout` says so. */
static webnn_onnx__o *webnn_onnx__state(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                        webnn_onnx__o *x) {
  return r->batch_first ? webnn_onnx__move_axis(c, x, 1, 0) : x;
}

/* The functions that an activation may be, with the alpha and beta that they have
   if none is given. */
static const webnn_onnx__activation *webnn_onnx__activation_of(const char *name) {
  static const webnn_onnx__activation functions[] = {
      {"relu", 0, 0, false, false},         {"sigmoid", 0, 0, false, false},
      {"tanh", 0, 0, false, false},         {"softsign", 0, 0, false, false},
      {"softplus", 0, 0, false, false},     {"leakyrelu", 0.01, 0, true, false},
      {"elu", 1, 0, true, false},           {"thresholdedrelu", 1, 0, true, false},
      {"affine", 1, 0, true, true},         {"scaledtanh", 1, 1, true, true},
      {"hardsigmoid", 0.2, 0.5, true, true}};
  size_t i, k;
  for (i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    const char *known = functions[i].name;
    for (k = 0; known[k] != '\0' && (name[k] | 32) == known[k]; k++) {
    }
    if (known[k] == '\0' && name[k] == '\0') {
      return &functions[i];
    }
  }
  return NULL;
}

/* `count` activations for each direction. Those that take an alpha or beta take
   the next one given. */
static bool webnn_onnx__activations(webnn_onnx__call *c, uint32_t count, webnn_onnx__recurrent *r) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "activations");
  const webnn_onnx__attribute *alpha = webnn_onnx__attribute_of(c, "activation_alpha");
  const webnn_onnx__attribute *beta = webnn_onnx__attribute_of(c, "activation_beta");
  const size_t given = a->string_count;
  size_t i, alphas = 0, betas = 0;
  if (given != 0 && !webnn_onnx__must_be(c, "the length of attribute activations", (int64_t)given,
                                         count * r->directions, count * r->directions)) {
    return false;
  }
  for (i = 0; i < (size_t)count * r->directions; i++) {
    const char *name = given != 0                    ? a->strings[i]
                       : count > 1 && i % count == 0 ? "sigmoid"
                                                     : "tanh";
    webnn_onnx__activation *f = &r->list[i / count * 3 + i % count];
    if (webnn_onnx__activation_of(name) == NULL) {
      return webnn_onnx__wrong_word(c, "activations", name,
                                    "Relu, Sigmoid, Tanh, Softsign, Softplus, LeakyRelu, Elu, "
                                    "ThresholdedRelu, Affine, ScaledTanh or HardSigmoid");
    }
    *f = *webnn_onnx__activation_of(name);
    if (f->has_alpha && alphas < alpha->float_count) {
      f->alpha = (double)alpha->floats[alphas++];
    }
    if (f->name[0] == 's' && f->has_beta &&
        !(webnn_onnx__is_there(alpha) && webnn_onnx__is_there(beta))) {
      return webnn_onnx__fail(c,
                              "ScaledTanh must have attributes activation_alpha and "
                              "activation_beta; it lacks %s",
                              webnn_onnx__is_there(alpha) ? "activation_beta" : "activation_alpha");
    }
    if (f->has_beta && betas < beta->float_count) {
      f->beta = (double)beta->floats[betas++];
    }
  }
  return true;
}

/* Does WebNN's operator compute it? Then these are its activations, which both directions share. */
static bool webnn_onnx__is_plain(const webnn_onnx__recurrent *r, uint32_t count,
                                 webnn_activation_list *activations) {
  static const char *const names[] = {"relu", "sigmoid", "tanh"};
  uint32_t i, k;
  activations->count = count;
  activations->given = true;
  for (i = 0; i < count; i++) {
    for (k = 0; k < 3 && strcmp(r->list[i].name, names[k]) != 0; k++) {
    }
    if (k == 3 || (r->directions == 2 && strcmp(r->list[i + 3].name, names[k]) != 0)) {
      return false;
    }
    activations->items[i] = (webnn_recurrent_network_activation)k;
  }
  return r->clip == 0 && !r->input_forget && r->lengths == NULL && r->peephole == NULL;
}

/* Lengths of sequences: constants that are all the input's count for none. */
static bool webnn_onnx__lengths(webnn_onnx__call *c, webnn_onnx__recurrent *r) {
  const webnn_onnx__value *lengths;
  bool all = true;
  uint64_t i;
  if (!webnn_onnx__has(c, 4)) {
    return true;
  }
  if (webnn_onnx__is_open(r->batch)) {
    r->lengths =
        webnn_onnx__reshape_like(c, webnn_onnx__x(c, 4), webnn_extra__list2(r->batch, 1), r->x);
    return true;
  }
  if (webnn_onnx__count_of(webnn_onnx__shape(c, 4)) != r->batch) {
    return webnn_onnx__fail(
        c, "the number of elements of input 4 (%llu) must be the batch size (%u)",
        (unsigned long long)webnn_onnx__count_of(webnn_onnx__shape(c, 4)), r->batch);
  }
  if (webnn_onnx__is_constant(c, 4)) {
    lengths = webnn_onnx__known(c, 4);
    for (i = 0; i < r->batch && !webnn_onnx__failed(c); i++) {
      const int64_t length = webnn_onnx__integer_at(lengths, (size_t)i);
      if (!webnn_onnx__must_be(c, "a length in input 4", length, 0, (int64_t)r->steps)) {
        return false;
      }
      all = all && length == (int64_t)r->steps;
    }
    if (webnn_onnx__failed(c) || all) {
      return !webnn_onnx__failed(c);
    }
  }
  r->lengths = webnn_onnx__as2(c, webnn_onnx__x(c, 4), r->batch, 1);
  return true;
}

static bool webnn_onnx__recurrent_bias(webnn_onnx__call *c, webnn_onnx__recurrent *r) {
  webnn_onnx__o *bias = webnn_onnx__optional(c, 3);
  const uint32_t rows = r->gates * r->hidden_size;
  const webnn_list shape = webnn_onnx__sizes(bias);
  if (!webnn_onnx__has(c, 3) || webnn_onnx__failed(c)) {
    return !webnn_onnx__failed(c);
  }
  if (shape.count != 2 || shape.items[1] != 2 * (uint64_t)rows) {
    return webnn_onnx__fail(c, "input 3 shape %s must be [directions,%llu]",
                            webnn_onnx__show_shape(shape).text,
                            (unsigned long long)(2 * (uint64_t)rows));
  }
  r->bias = webnn_onnx__slice(c, bias, 1, 0, rows);
  r->recurrent_bias = webnn_onnx__slice(c, bias, 1, rows, rows);
  return true;
}

static bool webnn_onnx__recurrent_of(webnn_onnx__call *c, uint32_t gates, uint32_t activations,
                                     webnn_onnx__recurrent *r) {
  const char *direction = webnn_onnx__string(c, "direction", "forward");
  webnn_list w;
  memset(r, 0, sizeof *r);
  r->gates = gates;
  r->x = webnn_onnx__ranked(c, 0, 3, 3);
  r->weight = webnn_onnx__ranked(c, 1, 3, 3);
  r->recurrent = webnn_onnx__ranked(c, 2, 3, 3);
  w = webnn_onnx__sizes(r->recurrent);

  r->batch_first = webnn_onnx__flag(c, "layout");
  r->x = r->batch_first ? webnn_onnx__move_axis(c, r->x, 1, 0) : r->x;
  r->hidden = webnn_onnx__state(c, r, webnn_onnx__optional(c, 5));
  r->steps = webnn_onnx__sizes(r->x).items[0];
  r->batch = webnn_onnx__sizes(r->x).items[1];
  r->directions = w.items[0];
  r->hidden_size = w.items[2];
  r->direction = direction[0] == 'b'   ? WEBNN_DIRECTION_BOTH
                 : direction[0] == 'r' ? WEBNN_DIRECTION_BACKWARD
                                       : WEBNN_DIRECTION_FORWARD;
  if (r->directions != (r->direction == WEBNN_DIRECTION_BOTH ? 2u : 1u) ||
      w.items[1] != (uint64_t)gates * r->hidden_size) {
    return webnn_onnx__fail(c, "input 2 shape %s must be [%u,%llu,%u]",
                            webnn_onnx__show_shape(w).text,
                            r->direction == WEBNN_DIRECTION_BOTH ? 2u : 1u,
                            (unsigned long long)gates * r->hidden_size, r->hidden_size);
  }
  r->clip = webnn_onnx__float(c, "clip", 0);
  r->input_forget = webnn_onnx__flag(c, "input_forget");
  r->linear_before_reset = webnn_onnx__flag(c, "linear_before_reset");
  return webnn_onnx__recurrent_bias(c, r) && webnn_onnx__activations(c, activations, r) &&
         webnn_onnx__lengths(c, r);
}

/* Outputs: the sequence [steps, directions, batch, hidden] and the last states. */
static bool webnn_onnx__put_recurrent(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                      webnn_onnx__o *sequence, webnn_onnx__o *hidden,
                                      webnn_onnx__o *cell) {
  static const uint32_t batch_first[] = {2, 0, 1, 3};
  if (webnn_onnx__wants(c, 0) && r->batch_first) {
    sequence = webnn_onnx__transpose(c, sequence, webnn_list_of(batch_first, 4));
  }
  return (!webnn_onnx__wants(c, 0) || webnn_onnx__put(c, 0, sequence)) &&
         (!webnn_onnx__wants(c, 1) || webnn_onnx__put(c, 1, webnn_onnx__state(c, r, hidden))) &&
         (!webnn_onnx__wants(c, 2) || webnn_onnx__put(c, 2, webnn_onnx__state(c, r, cell)));
}

/* Matrix d of [directions, rows, columns], transposed. */
static webnn_onnx__o *webnn_onnx__matrix(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t d) {
  const webnn_list s = webnn_onnx__sizes(x);
  x = webnn_onnx__as2(c, webnn_onnx__slice(c, x, 0, d, 1), s.items[1], s.items[2]);
  return webnn_onnx__swap_last(c, x);
}

static webnn_onnx__o *webnn_onnx__apply_activation(webnn_onnx__call *c,
                                                   const webnn_onnx__activation *f,
                                                   webnn_onnx__o *x) {
  switch (f->name[0]) {
  case 'r':
    return webnn_onnx__1(c, WEBNN_OP_RELU, x);
  case 'e':
    return webnn_onnx__elu(c, x, f->alpha);
  case 'l':
    return webnn_onnx__leaky_relu(c, x, f->alpha);
  case 'h':
    return webnn_onnx__hard_sigmoid(c, x, f->alpha, f->beta);
  case 'a':
    return webnn_onnx__plus(c, webnn_onnx__scaled(c, x, f->alpha), f->beta);
  case 't':
    if (f->name[1] == 'a') {
      return webnn_onnx__tanh(c, x);
    }
    return webnn_onnx__select(c, webnn_onnx__less(c, x, webnn_onnx__like(c, x, f->alpha)),
                              webnn_onnx__like(c, x, 0), x);
  default:
    if (f->name[1] == 'c') { /* scaledtanh */
      x = webnn_onnx__tanh(c, webnn_onnx__scaled(c, x, f->beta));
      return webnn_onnx__scaled(c, x, f->alpha);
    }
    return webnn_onnx__1(c,
                         f->name[1] == 'i'   ? WEBNN_OP_SIGMOID
                         : f->name[4] == 's' ? WEBNN_OP_SOFTSIGN
                                             : WEBNN_OP_SOFTPLUS,
                         x);
  }
}

/* Activation i of direction d, whose input is clipped. */
static webnn_onnx__o *webnn_onnx__activate(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                           uint32_t d, uint32_t i, webnn_onnx__o *x) {
  if (r->clip > 0) {
    x = webnn_onnx__clamp(c, x, -r->clip, r->clip);
  }
  return webnn_onnx__apply_activation(c, &r->list[3 * d + i], x);
}

/* Row d of a state [directions, batch, hidden], or zeros. */
static webnn_onnx__o *webnn_onnx__initial(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                          webnn_onnx__o *x, uint32_t d) {
  const webnn_list shape = webnn_extra__list2(r->batch, r->hidden_size);
  if (x == NULL) {
    return webnn_onnx__expand_like(c, webnn_onnx__like(c, r->x, 0), shape, r->x);
  }
  return webnn_onnx__reshape_like(c, webnn_onnx__slice(c, x, 0, d, 1), shape, r->x);
}

/* Gate i of the sums of an LSTM, with its peephole (number p) at a cell state. */
static webnn_onnx__o *webnn_onnx__gate(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                       webnn_onnx__o *sums, uint32_t i, uint32_t d,
                                       webnn_onnx__o *cell) {
  const uint32_t size = r->hidden_size;
  webnn_onnx__o *p;
  sums = webnn_onnx__slice(c, sums, 1, i * size, size);
  if (r->peephole != NULL) {
    p = webnn_onnx__slice(c, webnn_onnx__slice(c, r->peephole, 0, d, 1), 1, i * size, size);
    sums = webnn_onnx__add(c, sums, webnn_onnx__mul(c, p, cell));
  }
  return webnn_onnx__activate(c, r, d, 0, sums);
}

/* What one direction computes with. */
typedef struct webnn_onnx__direction {
  uint32_t number;
  webnn_onnx__o *x;                       /* products with all inputs, [steps batch, gates size], */
  webnn_onnx__o **rows;                   /* or where the batch is dynamic those of each step */
  webnn_onnx__o *weight, *bias;           /* recurrent, of all gates but a GRU's last */
  webnn_onnx__o *last_weight, *last_bias; /* of a GRU's last */
} webnn_onnx__direction;

static webnn_onnx__o *webnn_onnx__affine(webnn_onnx__call *c, webnn_onnx__o *x,
                                         webnn_onnx__o *weight, webnn_onnx__o *bias) {
  return webnn_onnx__with(c, WEBNN_OP_ADD, webnn_onnx__matmul(c, x, weight), bias);
}

/* One step of a GRU from x, the products with the inputs. */
static webnn_onnx__o *webnn_onnx__gru_step(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                           const webnn_onnx__direction *d, webnn_onnx__o *x,
                                           webnn_onnx__o *h) {
  const uint32_t size = r->hidden_size;
  webnn_onnx__o *sums, *z, *n, *reset;
  sums = webnn_onnx__add(c, webnn_onnx__slice(c, x, 1, 0, 2 * size),
                         webnn_onnx__affine(c, h, d->weight, d->bias));
  sums = webnn_onnx__activate(c, r, d->number, 0, sums);
  z = webnn_onnx__slice(c, sums, 1, 0, size);
  reset = webnn_onnx__slice(c, sums, 1, size, size);
  n = r->linear_before_reset
          ? webnn_onnx__mul(c, reset, webnn_onnx__affine(c, h, d->last_weight, d->last_bias))
          : webnn_onnx__affine(c, webnn_onnx__mul(c, reset, h), d->last_weight, d->last_bias);
  n = webnn_onnx__add(c, webnn_onnx__slice(c, x, 1, 2 * size, size), n);
  n = webnn_onnx__activate(c, r, d->number, 1, n);
  reset = webnn_onnx__sub(c, webnn_onnx__like(c, z, 1), z);
  return webnn_onnx__add(c, webnn_onnx__mul(c, reset, n), webnn_onnx__mul(c, z, h));
}

/* One step of an LSTM, which changes the cell. */
static webnn_onnx__o *webnn_onnx__lstm_step(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                            uint32_t d, webnn_onnx__o *sums, webnn_onnx__o **cell) {
  webnn_onnx__o *i = webnn_onnx__gate(c, r, sums, 0, d, *cell), *f, *g;
  f = r->input_forget ? webnn_onnx__sub(c, webnn_onnx__like(c, r->x, 1), i)
                      : webnn_onnx__gate(c, r, sums, 2, d, *cell);
  g = webnn_onnx__slice(c, sums, 1, 3 * r->hidden_size, r->hidden_size);
  g = webnn_onnx__activate(c, r, d, 1, g);
  *cell = webnn_onnx__add(c, webnn_onnx__mul(c, f, *cell), webnn_onnx__mul(c, i, g));
  return webnn_onnx__mul(c, webnn_onnx__gate(c, r, sums, 1, d, *cell),
                         webnn_onnx__activate(c, r, d, 2, *cell));
}

/* One step at time `at`: the states stay where a sequence has ended, and its output is 0. */
static webnn_onnx__o *webnn_onnx__step(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                       const webnn_onnx__direction *d, uint32_t at,
                                       webnn_onnx__o **h, webnn_onnx__o **cell) {
  webnn_onnx__o *x =
      d->rows != NULL ? d->rows[at] : webnn_onnx__slice(c, d->x, 0, at * r->batch, r->batch);
  webnn_onnx__o *next_cell = *cell, *next, *inside;
  if (r->gates == 3) {
    next = webnn_onnx__gru_step(c, r, d, x, *h);
  } else {
    x = webnn_onnx__add(c, x, webnn_onnx__affine(c, *h, d->weight, d->bias));
    next = r->gates == 4 ? webnn_onnx__lstm_step(c, r, d->number, x, &next_cell)
                         : webnn_onnx__activate(c, r, d->number, 0, x);
  }
  if (r->lengths == NULL) {
    *cell = next_cell;
    return *h = next;
  }
  inside = webnn_onnx__less(c, webnn_onnx__like(c, r->lengths, at), r->lengths);
  *h = webnn_onnx__select(c, inside, next, *h);
  *cell = webnn_onnx__select(c, inside, next_cell, *cell);
  return webnn_onnx__select(c, inside, next, webnn_onnx__like(c, next, 0));
}

/* The products with the inputs of a dynamic batch, [steps, batch, gates size], step by step. */
static webnn_onnx__o **webnn_onnx__step_rows(webnn_onnx__call *c, webnn_onnx__o *x,
                                             uint32_t steps) {
  webnn_onnx__o **rows = webnn_onnx__operands(c, steps);
  webnn_split_options o = WEBNN_ZERO;
  uint32_t t;
  o.label = c->node->name;
  if (rows == NULL) {
    return NULL;
  }
  rows[0] = x;
  if (steps > 1) {
    (void)webnn_split(webnn_onnx__b(c), x, steps, &o, rows);
  }
  for (t = 0; t < steps; t++) {
    rows[t] = webnn_onnx__reshape(c, rows[t], webnn_extra__removed(webnn_onnx__sizes(rows[t]), 0));
  }
  return rows;
}

/* The products with the inputs at once, and the weights for the steps. */
static void webnn_onnx__prepare(webnn_onnx__call *c, const webnn_onnx__recurrent *r, uint32_t d,
                                webnn_onnx__direction *p) {
  const uint32_t inputs = webnn_onnx__sizes(r->x).items[2], size = r->hidden_size;
  const bool gru = r->gates == 3;
  memset(p, 0, sizeof *p);
  p->number = d;
  p->weight = webnn_onnx__matrix(c, r->recurrent, d);
  p->x = webnn_onnx__is_open(r->batch)
             ? r->x
             : webnn_onnx__as2(c, r->x, (uint64_t)r->steps * r->batch, inputs);
  p->x = webnn_onnx__affine(c, p->x, webnn_onnx__matrix(c, r->weight, d),
                            webnn_onnx__slice(c, r->bias, 0, d, 1));
  p->rows = webnn_onnx__is_open(r->batch) ? webnn_onnx__step_rows(c, p->x, r->steps) : NULL;
  p->bias = webnn_onnx__slice(c, r->recurrent_bias, 0, d, 1);
  if (gru) {
    p->last_weight = webnn_onnx__slice(c, p->weight, 1, 2 * size, size);
    p->weight = webnn_onnx__slice(c, p->weight, 1, 0, 2 * size);
    p->last_bias = webnn_onnx__slice(c, p->bias, 1, 2 * size, size);
    p->bias = webnn_onnx__slice(c, p->bias, 1, 0, 2 * size);
  }
}

/* One direction, step by step; h and cell become the last states. */
static void webnn_onnx__unrolled_direction(webnn_onnx__call *c, const webnn_onnx__recurrent *r,
                                           uint32_t d, webnn_onnx__o **states, webnn_onnx__o **h,
                                           webnn_onnx__o **cell) {
  const bool back = r->direction == WEBNN_DIRECTION_BACKWARD || d == 1;
  webnn_onnx__direction p;
  uint32_t t;
  webnn_onnx__prepare(c, r, d, &p);
  *h = webnn_onnx__initial(c, r, r->hidden, d);
  *cell = webnn_onnx__initial(c, r, r->cell, d);
  for (t = 0; t < r->steps; t++) {
    const uint32_t at = back ? r->steps - 1 - t : t;
    states[at] = webnn_onnx__step(c, r, &p, at, h, cell);
  }
}

/* A network that is written step by step. */
static bool webnn_onnx__unrolled(webnn_onnx__call *c, const webnn_onnx__recurrent *r) {
  webnn_onnx__o **states, *sequences[2] = {NULL, NULL}, *last[2] = {NULL, NULL};
  webnn_onnx__o *cells[2] = {NULL, NULL};
  uint32_t d, t;
  if (r->steps > webnn_onnx__max_iterations(c)) {
    return webnn_onnx__fail(c, "the number of steps (%u) must be at most max_iterations (%u)",
                            r->steps, (unsigned)webnn_onnx__max_iterations(c));
  }
  states = webnn_onnx__operands(c, r->steps);
  for (d = 0; d < r->directions && !webnn_onnx__failed(c); d++) {
    webnn_onnx__unrolled_direction(c, r, d, states, &last[d], &cells[d]);
    last[d] =
        webnn_onnx__reshape(c, last[d], webnn_extra__inserted(webnn_onnx__sizes(last[d]), 0, 1));
    cells[d] =
        webnn_onnx__reshape(c, cells[d], webnn_extra__inserted(webnn_onnx__sizes(cells[d]), 0, 1));
    for (t = 0; t < r->steps; t++) {
      states[t] = webnn_onnx__reshape(
          c, states[t],
          webnn_extra__inserted(webnn_extra__inserted(webnn_onnx__sizes(states[t]), 0, 1), 0, 1));
    }
    sequences[d] = webnn_onnx__concat(c, states, r->steps, 0);
  }
  if (r->directions == 2) {
    sequences[0] = webnn_onnx__concat(c, sequences, 2, 1);
    last[0] = webnn_onnx__concat(c, last, 2, 0);
    cells[0] = webnn_onnx__concat(c, cells, 2, 0);
  }
  return webnn_onnx__put_recurrent(c, r, sequences[0], last[0], cells[0]);
}

static bool webnn_onnx__lower_rnn(webnn_onnx__call *c) {
  webnn_onnx__recurrent r;
  return webnn_onnx__recurrent_of(c, 1, 1, &r) && webnn_onnx__unrolled(c, &r);
}

static bool webnn_onnx__lower_gru(webnn_onnx__call *c) {
  webnn_gru_options o = WEBNN_ZERO;
  webnn_onnx__o *outputs[2] = {NULL, NULL};
  webnn_onnx__recurrent r;
  if (!webnn_onnx__recurrent_of(c, 3, 2, &r)) {
    return false;
  }
  if (!webnn_onnx__is_plain(&r, 2, &o.activations)) {
    return webnn_onnx__unrolled(c, &r);
  }
  o.label = c->node->name;
  o.bias = r.bias;
  o.recurrent_bias = r.recurrent_bias;
  o.initial_hidden_state = r.hidden;
  o.reset_before = !r.linear_before_reset;
  o.return_sequence = webnn_onnx__wants(c, 0);
  o.direction = r.direction;
  o.layout = WEBNN_GRU_ZRN;
  (void)webnn_gru(webnn_onnx__b(c), r.x, r.weight, r.recurrent, r.steps, r.hidden_size, &o,
                  outputs);
  return webnn_onnx__put_recurrent(c, &r, outputs[1], outputs[0], NULL);
}

static bool webnn_onnx__lower_lstm(webnn_onnx__call *c) {
  webnn_lstm_options o = WEBNN_ZERO;
  webnn_onnx__o *outputs[3] = {NULL, NULL, NULL};
  webnn_onnx__recurrent r;
  if (!webnn_onnx__recurrent_of(c, 4, 3, &r)) {
    return false;
  }
  r.cell = webnn_onnx__state(c, &r, webnn_onnx__optional(c, 6));
  r.peephole = webnn_onnx__optional(c, 7);
  /* With peepholes, too: WebNN's output gate sees the old cell state, ONNX's the new one. */
  if (!webnn_onnx__is_plain(&r, 3, &o.activations)) {
    return webnn_onnx__unrolled(c, &r);
  }
  o.label = c->node->name;
  o.bias = r.bias;
  o.recurrent_bias = r.recurrent_bias;
  o.initial_hidden_state = r.hidden;
  o.initial_cell_state = r.cell;
  o.return_sequence = webnn_onnx__wants(c, 0);
  o.direction = r.direction;
  o.layout = WEBNN_LSTM_IOFG;
  (void)webnn_lstm(webnn_onnx__b(c), r.x, r.weight, r.recurrent, r.steps, r.hidden_size, &o,
                   outputs);
  return webnn_onnx__put_recurrent(c, &r, outputs[2], outputs[0], outputs[1]);
}

/* ---- 15 quantization ------------------------------------------------------------------------- */

static webnn_onnx__o *webnn_onnx__zeros(webnn_onnx__call *c, webnn_data_type type,
                                        webnn_list shape) {
  uint64_t bytes = webnn_onnx__length_of(webnn_onnx__count_of(shape), webnn_data_type_bits(type));
  return webnn_onnx__constant_of(c, type, shape, webnn_onnx__scratch(c, &bytes, 1));
}

/* A scale or zero point with as many dimensions as x: one for all, one for each place along an
   axis, or one for each block. */
static webnn_onnx__o *webnn_onnx__per_block(webnn_onnx__call *c, webnn_onnx__o *x,
                                            webnn_onnx__o *scale, int64_t axis) {
  const uint32_t rank = webnn_onnx__sizes(x).count;
  const webnn_list s = webnn_onnx__sizes(scale);

  if (webnn_onnx__count_of(s) == 1) {
    return webnn_onnx__reshape(c, scale, webnn_extra__repeat(1, rank));
  }
  if (s.count == rank && rank > 1) {
    return scale;
  }
  return s.count == 1 ? webnn_onnx__along(c, scale, rank, webnn_onnx__axis(c, axis, rank))
                      : webnn_onnx__no_operand(
                            c, "the rank of the scale (%u) must be 0, 1 or that of the tensor (%u)",
                            s.count, rank);
}

/* Does WebNN quantize to the type, or dequantize it? It does not with 16 bits, and floats. */
static bool webnn_onnx__is_narrow(webnn_onnx_type type) {
  return type != WEBNN_ONNX_INT16 && type != WEBNN_ONNX_UINT16 && !webnn_onnx__is_minifloat(type);
}

/* A scale with an element for each block along an axis, repeated for each element of the block:
   `size` elements, of which the last block may have fewer. */
static webnn_onnx__o *webnn_onnx__repeat_blocks(webnn_onnx__call *c, webnn_onnx__o *scale,
                                                uint32_t axis, uint32_t size, uint32_t block) {
  uint64_t room = size, k;
  int64_t *items = (int64_t *)webnn_onnx__scratch(c, &room, sizeof *items);
  const webnn_data_type type = webnn_onnx__graph_type_of(scale);
  webnn_onnx__o *places;
  for (k = 0; k < room; k++) {
    items[k] = (int64_t)k / block;
  }
  places = webnn_onnx__constant_of(c, WEBNN_INT64, webnn_extra__list1(size), items);
  scale = webnn_onnx__gather(c, webnn_onnx__widened(c, scale), places, axis);
  return webnn_onnx__narrowed(c, scale, type);
}

/* A scale with an element for each block, repeated for each element of the block. */
static webnn_onnx__o *webnn_onnx__unblocked(webnn_onnx__call *c, webnn_onnx__o *x,
                                            webnn_onnx__o *scale) {
  const webnn_list xs = webnn_onnx__sizes(x);
  uint32_t i;
  if (webnn_onnx__sizes(scale).count != xs.count) {
    return webnn_onnx__no_operand(c, "the rank of the scale (%u) must be that of the tensor (%u)",
                                  webnn_onnx__sizes(scale).count, xs.count);
  }
  for (i = 0; i < xs.count; i++) {
    const uint32_t blocks = webnn_onnx__sizes(scale).items[i];
    if (blocks != 1 && blocks != xs.items[i]) {
      scale =
          webnn_onnx__repeat_blocks(c, scale, i, xs.items[i], (xs.items[i] + blocks - 1) / blocks);
    }
  }
  return scale;
}

/* A zero point as x has elements, in numbers of that type; NULL: none. */
static webnn_onnx__o *webnn_onnx__zero_for(webnn_onnx__call *c, webnn_onnx__o *x,
                                           webnn_onnx__o *zero, int64_t axis,
                                           webnn_data_type type) {
  if (zero == NULL) {
    return NULL;
  }
  zero = webnn_onnx__unblocked(c, x, webnn_onnx__per_block(c, x, zero, axis));
  return webnn_onnx__cast(c, webnn_onnx__widened(c, zero), type);
}

/* A zero point for each element of the scale, zeros of that type without one (NULL). */
static webnn_onnx__o *webnn_onnx__zero_or_zeros(webnn_onnx__call *c, webnn_onnx__o *x,
                                                webnn_onnx__o *scale, webnn_onnx__o *zero,
                                                int64_t axis, webnn_data_type type) {
  return zero == NULL ? webnn_onnx__zeros(c, type, webnn_onnx__sizes(scale))
                      : webnn_onnx__per_block(c, x, zero, axis);
}

/* A scale or zero point of blocks along an axis of x. WebNN's are all of one size: where the last
   is shorter, each element gets its own. */
static webnn_onnx__o *webnn_onnx__blocks_along(webnn_onnx__call *c, webnn_onnx__o *x,
                                               webnn_onnx__o *scale, uint32_t axis, int64_t block) {
  const webnn_list xs = webnn_onnx__sizes(x), s = webnn_onnx__sizes(scale);
  if (s.count != xs.count || block < 1 || block > INT32_MAX ||
      s.items[axis] != (xs.items[axis] + block - 1) / block) {
    return webnn_onnx__no_operand(
        c,
        "dimension %u of the scale (shape %s) must be that of the tensor (shape "
        "%s) in blocks of %lld",
        axis, webnn_onnx__show_shape(s).text, webnn_onnx__show_shape(xs).text, (long long)block);
  }
  return xs.items[axis] % block == 0 || s.items[axis] == 1
             ? scale
             : webnn_onnx__repeat_blocks(c, scale, axis, xs.items[axis], (uint32_t)block);
}

/* The scale by block_size, if that is there. No scale (or zero point), NULL: none. */
static webnn_onnx__o *webnn_onnx__even_blocks(webnn_onnx__call *c, webnn_onnx__o *x,
                                              webnn_onnx__o *scale) {
  const int64_t block = webnn_onnx__int(c, "block_size", 0);
  if (block == 0 || scale == NULL) {
    return scale;
  }
  return webnn_onnx__blocks_along(
      c, x, scale, webnn_onnx__axis_of(c, "axis", 1, webnn_onnx__sizes(x).count), block);
}

/* (x - zero point) scale. */
static webnn_onnx__o *webnn_onnx__dequantize(webnn_onnx__call *c, webnn_onnx__o *x,
                                             webnn_onnx__o *scale, webnn_onnx__o *zero,
                                             int64_t axis, bool narrow) {
  const webnn_operator_options o = webnn_onnx__label(c);
  scale = webnn_onnx__per_block(c, x, scale, axis);
  if (!narrow) { /* by arithmetic, which is exact up to the last product */
    const webnn_data_type exact = webnn_onnx__floating(x) ? WEBNN_FLOAT32 : WEBNN_INT32;
    webnn_onnx__o *y = webnn_onnx__cast(c, x, exact);
    zero = webnn_onnx__zero_for(c, x, zero, axis, exact);
    y = webnn_onnx__with(c, WEBNN_OP_SUB, y, zero);
    y = webnn_onnx__cast(c, y, webnn_onnx__graph_type_of(scale));
    return webnn_onnx__mul(c, y, webnn_onnx__unblocked(c, x, scale));
  }
  zero = webnn_onnx__zero_or_zeros(c, x, scale, zero, axis, webnn_onnx__graph_type_of(x));
  return webnn_dequantize_linear(webnn_onnx__b(c), x, scale, zero, &o);
}

/* x / scale as a float of 8 or 4 bits, zero point added. */
static webnn_onnx__o *webnn_onnx__quantize_float(webnn_onnx__call *c, webnn_onnx__o *x,
                                                 webnn_onnx__o *scale, webnn_onnx__o *zero,
                                                 webnn_onnx_type type, int64_t axis) {
  scale = webnn_onnx__per_block(c, x, scale, axis);
  x = webnn_onnx__cast(c, x, webnn_onnx__graph_type_of(scale));
  x = webnn_onnx__div(c, x, webnn_onnx__unblocked(c, x, scale));
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  zero = webnn_onnx__zero_for(c, x, zero, axis, WEBNN_FLOAT32);
  x = webnn_onnx__with(c, WEBNN_OP_ADD, x, zero);
  return webnn_onnx__as_minifloat(c, x, webnn_onnx__minifloat_of(type));
}

/* x / s of integers, rounded to the nearest, halves to even: the quotient without its fraction, and
   one more where twice the remainder is above s, or equals it and the quotient is odd. */
static webnn_onnx__o *webnn_onnx__rounded_quotient(webnn_onnx__call *c, webnn_onnx__o *x,
                                                   webnn_onnx__o *s) {
  webnn_onnx__o *q = webnn_onnx__div(c, x, s), *zero = webnn_onnx__like(c, x, 0), *odd, *more;
  webnn_onnx__o *rest = webnn_onnx__abs(c, webnn_onnx__sub(c, x, webnn_onnx__mul(c, q, s)));
  webnn_onnx__o *sign = webnn_onnx__mul(c, webnn_onnx__sign(c, x), webnn_onnx__sign(c, s));
  odd = webnn_onnx__div(c, q, webnn_onnx__like(c, q, 2));
  odd = webnn_onnx__abs(c, webnn_onnx__sub(c, q, webnn_onnx__scaled(c, odd, 2)));
  more = webnn_onnx__add(c, webnn_onnx__scaled(c, rest, 2), odd);
  more = webnn_onnx__less(c, webnn_onnx__abs(c, s), more);
  return webnn_onnx__add(c, q, webnn_onnx__select(c, more, sign, zero));
}

/* x / scale of integers, zero point added, exactly. */
static webnn_onnx__o *webnn_onnx__quantize_integers(webnn_onnx__call *c, webnn_onnx__o *x,
                                                    webnn_onnx__o *scale, webnn_onnx__o *zero,
                                                    webnn_onnx_type type, int64_t axis) {
  const webnn_data_type graph_type = webnn_onnx_graph_type(type);
  double low, high;
  webnn_onnx__bounds_of(type, &low, &high);
  x = webnn_onnx__cast(c, x, WEBNN_INT64);
  scale = webnn_onnx__unblocked(c, x, webnn_onnx__per_block(c, x, scale, axis));
  x = webnn_onnx__rounded_quotient(c, x, webnn_onnx__cast(c, scale, WEBNN_INT64));
  zero = webnn_onnx__zero_for(c, x, zero, axis, WEBNN_INT64);
  x = webnn_onnx__with(c, WEBNN_OP_ADD, x, zero);
  x = webnn_onnx__max(c, x, webnn_onnx__like(c, x, low));
  x = webnn_onnx__min(c, x, webnn_onnx__like(c, x, high));
  return webnn_onnx__narrowed(c, x, graph_type);
}

/* x / scale rounded to the numbers of `type`, zero point added. ONNX rounds the quotient to x's
   type first, WebNN's quantizeLinear does not: with `computed` the scale is divided by before, so
   that halves are ONNX's; else it stays with its operator, which passes and kernels look for. */
static webnn_onnx__o *webnn_onnx__quantize(webnn_onnx__call *c, webnn_onnx__o *x,
                                           webnn_onnx__o *scale, webnn_onnx__o *zero,
                                           webnn_onnx_type type, int64_t axis, bool computed) {
  const webnn_operator_options o = webnn_onnx__label(c);
  if (!webnn_onnx__floating(scale) && (webnn_onnx__floating(x) || webnn_onnx__is_minifloat(type))) {
    scale = webnn_onnx__cast(c, scale, WEBNN_FLOAT32);
  }
  if (webnn_onnx__is_minifloat(type)) {
    return webnn_onnx__quantize_float(c, x, scale, zero, type, axis);
  }
  if (!webnn_onnx__floating(scale)) {
    return webnn_onnx__quantize_integers(c, x, scale, zero, type, axis);
  }
  x = webnn_onnx__cast(c, x, webnn_onnx__graph_type_of(scale));
  scale = webnn_onnx__per_block(c, x, scale, axis);
  zero = webnn_onnx__zero_or_zeros(c, x, scale, zero, axis, webnn_onnx_graph_type(type));
  if (computed && webnn_onnx__is_narrow(type)) {
    const webnn_list one = webnn_onnx__sizes(scale);
    x = webnn_onnx__div(c, x, webnn_onnx__unblocked(c, x, scale));
    scale = webnn_onnx__expand(c, webnn_onnx__like(c, scale, 1), one);
  }
  if (webnn_onnx__is_narrow(type)) {
    x = webnn_quantize_linear(webnn_onnx__b(c), x, scale, zero, &o);
    return webnn_onnx__within(c, x, type);
  }
  zero = webnn_onnx__unblocked(c, x, zero);
  x = webnn_onnx__div(c, x, webnn_onnx__unblocked(c, x, scale));
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32); /* which has the bounds below */
  x = webnn_onnx__1(c, WEBNN_OP_ROUND_EVEN, x);
  x = webnn_onnx__max(c, x, webnn_onnx__like(c, x, -131072));
  x = webnn_onnx__min(c, x, webnn_onnx__like(c, x, 131072));
  x = webnn_onnx__add(c, webnn_onnx__cast(c, x, WEBNN_INT32),
                      webnn_onnx__cast(c, zero, WEBNN_INT32));
  return webnn_onnx__cast(c, webnn_onnx__within(c, x, type), webnn_onnx_graph_type(type));
}

/* Is the value an input of the graph, or one whose elements have only been moved? Such may be
   halves of the scale; what has been computed is seldom. */
static bool webnn_onnx__is_given(const webnn_onnx__value *v) {
  int depth;
  for (depth = 0; depth < 16 && v != NULL; depth++) {
    const webnn_onnx__call *maker = v->maker;
    if (maker == NULL) {
      return true;
    }
    if (!webnn_onnx__flagged(maker->row, 'm') || maker->in_count == 0) {
      return false;
    }
    v = maker->in[0];
  }
  return false;
}

/* Is it a type that QuantizeLinear gives: an integer of at most 16 bits, or a
   float of at most 8? */
static bool webnn_onnx__is_quantized_type(webnn_onnx_type type) {
  switch ((int)type) {
  case WEBNN_ONNX_INT2:
  case WEBNN_ONNX_UINT2:
  case WEBNN_ONNX_INT4:
  case WEBNN_ONNX_UINT4:
  case WEBNN_ONNX_INT8:
  case WEBNN_ONNX_UINT8:
  case WEBNN_ONNX_INT16:
  case WEBNN_ONNX_UINT16:
    return true;
  default:
    return webnn_onnx__is_minifloat(type);
  }
}

/* Without a zero point or output_dtype the result is of uint8. */
static bool webnn_onnx__lower_quantize(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *scale = webnn_onnx__x(c, 1);
  webnn_onnx__o *zero = webnn_onnx__optional(c, 2);
  webnn_onnx_type type = webnn_onnx__type_of((uint64_t)webnn_onnx__int(c, "output_dtype", 0));
  scale = webnn_onnx__even_blocks(c, x, scale);
  type = webnn_onnx__has(c, 2) ? webnn_onnx__type(c, 2) : type == 0 ? WEBNN_ONNX_UINT8 : type;
  zero = webnn_onnx__even_blocks(c, x, zero);
  if (!webnn_onnx__is_quantized_type(type)) {
    return webnn_onnx__fail(c,
                            "its result must be of integers of 2 to 16 bits or small floats; it is "
                            "of %s",
                            webnn_onnx_type_name(type));
  }
  if (webnn_onnx__int(c, "precision", 0) == WEBNN_ONNX_FLOAT) {
    scale = webnn_onnx__cast(c, scale, WEBNN_FLOAT32); /* what is divided by */
  }
  x = webnn_onnx__quantize(c, x, scale, zero, type, webnn_onnx__int(c, "axis", 1),
                           c->folding || webnn_onnx__is_given(c->in[0]) ||
                               webnn_onnx__varies(c, 1));
  return webnn_onnx__put_as(c, 0, x, type);
}

static bool webnn_onnx__lower_dequantize(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *scale = webnn_onnx__x(c, 1);
  webnn_onnx__o *zero = webnn_onnx__optional(c, 2);
  webnn_onnx_type type = webnn_onnx__type_of((uint64_t)webnn_onnx__int(c, "output_dtype", 0));
  type = type == 0 ? webnn_onnx__type(c, 1) : type;
  if ((webnn_onnx_graph_type(type) != WEBNN_FLOAT32 &&
       webnn_onnx_graph_type(type) != WEBNN_FLOAT16) ||
      webnn_onnx__is_minifloat(type)) {
    return webnn_onnx__fail(c, "its result must be of float32, float16 or bfloat16; it is of %s",
                            webnn_onnx_type_name(type));
  }
  if (webnn_onnx_graph_type(type) == WEBNN_FLOAT32) {
    scale = webnn_onnx__cast(c, scale, WEBNN_FLOAT32); /* the product has the result's precision */
  }
  scale = webnn_onnx__even_blocks(c, x, scale);
  zero = webnn_onnx__even_blocks(c, x, zero);
  x = webnn_onnx__dequantize(c, x, scale, zero, webnn_onnx__int(c, "axis", 1),
                             webnn_onnx__is_narrow(webnn_onnx__type(c, 0)));
  x = webnn_onnx__cast(c, x, webnn_onnx_graph_type(type));
  return webnn_onnx__put_as(c, 0, x, type);
}

/* Scale and zero point by which uint8 covers the range of x and 0; the divisor is the scale, or 1
   for an x of zeros. */
static void webnn_onnx__range_of(webnn_onnx__call *c, webnn_onnx__o *x, webnn_onnx__o **scale,
                                 webnn_onnx__o **divisor, webnn_onnx__o **zero) {
  const webnn_list all = webnn_onnx__axes_from(0, webnn_onnx__sizes(x).count);
  webnn_onnx__o *low = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MIN, x, all, false);
  webnn_onnx__o *high = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, x, all, false), *z;
  low = webnn_onnx__min(c, low, webnn_onnx__like(c, x, 0));
  high = webnn_onnx__max(c, high, webnn_onnx__like(c, x, 0));
  *scale = webnn_onnx__div(c, webnn_onnx__sub(c, high, low), webnn_onnx__like(c, x, 255));
  *divisor = webnn_onnx__select(c, webnn_onnx__equal(c, *scale, webnn_onnx__like(c, x, 0)),
                                webnn_onnx__like(c, x, 1), *scale);
  z = webnn_onnx__div(c, webnn_onnx__sub(c, webnn_onnx__like(c, x, 0), low), *divisor);
  z = webnn_onnx__min(c, z, webnn_onnx__like(c, x, 255));
  z = webnn_onnx__1(c, WEBNN_OP_ROUND_EVEN, webnn_onnx__max(c, z, webnn_onnx__like(c, x, 0)));
  *zero = webnn_onnx__cast(c, z, WEBNN_UINT8);
}

static bool webnn_onnx__lower_dynamic_quantize(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *scale, *zero, *divisor;
  webnn_onnx__range_of(c, x, &scale, &divisor, &zero);
  return webnn_onnx__put_as(c, 0,
                            webnn_onnx__quantize(c, x, divisor, zero, WEBNN_ONNX_UINT8, 0, true),
                            WEBNN_ONNX_UINT8) &&
         webnn_onnx__put_as(c, 1, scale, WEBNN_ONNX_FLOAT) &&
         webnn_onnx__put_as(c, 2, zero, WEBNN_ONNX_UINT8);
}

/* Are both inputs of 8 bits, which products of integers take? */
static bool webnn_onnx__are_bytes(webnn_onnx__call *c, size_t first, size_t second) {
  const size_t places[2] = {first, second};
  size_t i;
  for (i = 0; i < 2; i++) {
    const webnn_onnx_type type = webnn_onnx__type(c, places[i]);
    if (type != WEBNN_ONNX_INT8 && type != WEBNN_ONNX_UINT8) {
      return webnn_onnx__fail(c, "input %u must be of int8 or uint8; it is of %s",
                              (unsigned)places[i], webnn_onnx_type_name(type));
    }
  }
  return true;
}

/* Dequantized, convolved and quantized: the products and sums are the same numbers. */
static bool webnn_onnx__lower_qlinear_conv(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *scale = webnn_onnx__x(c, 1), *bias = NULL;
  webnn_onnx__o *filter = webnn_onnx__x(c, 3), *filter_scale = webnn_onnx__x(c, 4), *s;
  x = webnn_onnx__dequantize(c, x, scale, webnn_onnx__x(c, 2), 1, true);
  filter = webnn_onnx__dequantize(c, filter, filter_scale, webnn_onnx__x(c, 5), 0, true);
  if (webnn_onnx__has(c, 8)) {
    s = webnn_onnx__mul(c, webnn_onnx__reshape(c, scale, webnn_extra__no_items()), filter_scale);
    bias = webnn_onnx__dequantize(c, webnn_onnx__x(c, 8), s, NULL, 0, true);
  }
  x = webnn_onnx__conv(c, x, filter, bias);
  x = webnn_onnx__quantize(c, x, webnn_onnx__x(c, 6), webnn_onnx__x(c, 7), webnn_onnx__type(c, 7),
                           1, false);
  return webnn_onnx__put_as(c, 0, x, webnn_onnx__type(c, 7));
}

static bool webnn_onnx__lower_qlinear_matmul(webnn_onnx__call *c) {
  webnn_onnx__o *a = webnn_onnx__x(c, 0), *b = webnn_onnx__x(c, 3);
  a = webnn_onnx__dequantize(c, a, webnn_onnx__x(c, 1), webnn_onnx__x(c, 2), -2,
                             webnn_onnx__is_narrow(webnn_onnx__type(c, 0)));
  b = webnn_onnx__dequantize(c, b, webnn_onnx__x(c, 4), webnn_onnx__x(c, 5), -1,
                             webnn_onnx__is_narrow(webnn_onnx__type(c, 3)));
  a = webnn_onnx__quantize(c, webnn_onnx__product_of(c, a, b), webnn_onnx__x(c, 6),
                           webnn_onnx__x(c, 7), webnn_onnx__type(c, 7), -2, false);
  return webnn_onnx__put_as(c, 0, a, webnn_onnx__type(c, 7));
}

/* 8-bit integers less their zero point, which is one for all or for each place along an axis, as
   float32. */
static webnn_onnx__o *webnn_onnx__centred(webnn_onnx__call *c, webnn_onnx__o *x, size_t zero,
                                          int64_t axis) {
  webnn_onnx__o *z = webnn_onnx__optional(c, zero);
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  z = webnn_onnx__cast(c, webnn_onnx__per_block(c, x, z, axis), WEBNN_FLOAT32);
  return webnn_onnx__with(c, WEBNN_OP_SUB, x, z);
}

/* So many products of two numbers of 9 bits have a sum below 2^24, which float32 holds exactly. */
#define WEBNN_ONNX__EXACT_PRODUCTS 256

static bool webnn_onnx__lower_matmul_integer(webnn_onnx__call *c) {
  webnn_onnx__o *a = webnn_onnx__centred(c, webnn_onnx__x(c, 0), 2, -2);
  webnn_onnx__o *b = webnn_onnx__centred(c, webnn_onnx__x(c, 1), 3, -1);
  webnn_onnx__o *sum = NULL, *part;
  const webnn_list as = webnn_onnx__sizes(a), bs = webnn_onnx__sizes(b);
  uint32_t k, size, at, row;
  if (!webnn_onnx__are_bytes(c, 0, 1)) {
    return false;
  }
  if (as.count == 0 || bs.count == 0) {
    return webnn_onnx__put(c, 0, NULL);
  }
  k = as.items[as.count - 1];
  row = bs.count == 1 ? 0 : bs.count - 2;
  if (bs.items[row] != k || k / WEBNN_ONNX__EXACT_PRODUCTS > WEBNN_ONNX__MOST_PARTS) {
    return webnn_onnx__fail(c,
                            "the columns of input 0 (%u) must be the rows of input 1 (%u), and at "
                            "most %d",
                            k, bs.items[row], WEBNN_ONNX__MOST_PARTS * WEBNN_ONNX__EXACT_PRODUCTS);
  }
  for (at = 0; at < k; at += size) {
    size = k - at < WEBNN_ONNX__EXACT_PRODUCTS ? k - at : WEBNN_ONNX__EXACT_PRODUCTS;
    part = webnn_onnx__product_of(c, webnn_onnx__slice(c, a, as.count - 1, at, size),
                                  webnn_onnx__slice(c, b, row, at, size));
    part = webnn_onnx__cast(c, part, WEBNN_INT32);
    sum = at == 0 ? part : webnn_onnx__add(c, sum, part);
  }
  return webnn_onnx__put_as(c, 0, sum, WEBNN_ONNX_INT32);
}

/* The elements `at` to `at` + `size` of each filter, the others 0. */
static webnn_onnx__o *webnn_onnx__some_of(webnn_onnx__call *c, webnn_onnx__o *filter, uint64_t at,
                                          uint64_t size) {
  const webnn_list f = webnn_onnx__sizes(filter);
  const uint64_t all = webnn_extra__product(f, 1, f.count);
  webnn_list begin = webnn_extra__repeat(0, 2), end = begin;
  webnn_onnx__o *x = webnn_onnx__as2(c, filter, f.items[0], all);
  x = webnn_onnx__slice(c, x, 1, (uint32_t)at, (uint32_t)size);
  begin.items[1] = (uint32_t)at, end.items[1] = (uint32_t)(all - at - size);
  return webnn_onnx__reshape(
      c, webnn_onnx__pad(c, x, begin, end, WEBNN_PADDING_CONSTANT, webnn_f64(0)), f);
}

/* In parts of few products, which float32 adds up exactly: by channels; or, with groups and large
   windows, by filters of which all but a part is 0. */
static bool webnn_onnx__lower_conv_integer(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__centred(c, webnn_onnx__x(c, 0), 2, 1), *sum = NULL, *part;
  webnn_onnx__o *filter = webnn_onnx__centred(c, webnn_onnx__x(c, 1), 3, 0);
  const webnn_list f = webnn_onnx__sizes(filter);
  uint64_t window, all, block, at, size;
  bool channels;
  if (!webnn_onnx__are_bytes(c, 0, 1)) {
    return false;
  }
  if (f.count < 3) {
    return webnn_onnx__put(c, 0, NULL);
  }
  window = webnn_extra__product(f, 2, f.count);
  all = window * f.items[1];
  channels = webnn_onnx__int(c, "group", 1) == 1 && window <= WEBNN_ONNX__EXACT_PRODUCTS;
  block = channels ? WEBNN_ONNX__EXACT_PRODUCTS / window * window : WEBNN_ONNX__EXACT_PRODUCTS;
  if (all / block > WEBNN_ONNX__MOST_PARTS) {
    return webnn_onnx__fail(c, "the products of each element (%llu) must be at most %d",
                            (unsigned long long)all,
                            WEBNN_ONNX__MOST_PARTS * WEBNN_ONNX__EXACT_PRODUCTS);
  }
  for (at = 0; at < all; at += size) {
    size = all - at < block ? all - at : block;
    if (channels) {
      const uint32_t first = (uint32_t)(at / window), count = (uint32_t)(size / window);
      part = webnn_onnx__conv(c, webnn_onnx__slice(c, x, 1, first, count),
                              webnn_onnx__slice(c, filter, 1, first, count), NULL);
    } else {
      part = webnn_onnx__conv(c, x, size == all ? filter : webnn_onnx__some_of(c, filter, at, size),
                              NULL);
    }
    part = webnn_onnx__cast(c, part, WEBNN_INT32);
    sum = at == 0 ? part : webnn_onnx__add(c, sum, part);
  }
  return webnn_onnx__put_as(c, 0, sum, WEBNN_ONNX_INT32);
}

/* The numbers of a MatMulNBits. */
typedef struct webnn_onnx__nbits {
  int64_t k, n, bits, block;
  uint64_t blocks; /* of each of the n rows */
} webnn_onnx__nbits;

/* Numbers of 4 or 8 bits in a known value's bytes, which are as WebNN has them: the first of two in
   the low bits. */
static webnn_onnx__o *webnn_onnx__packed(webnn_onnx__call *c, webnn_data_type type,
                                         webnn_list shape, const webnn_onnx__value *value) {
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  const size_t bytes = webnn_onnx__bytes_of(value);
  descriptor.data_type = type;
  descriptor.shape = shape;
  return value->borrowed
             ? webnn_constant_over_memory(webnn_onnx__b(c), descriptor, value->data, bytes)
             : webnn_constant(webnn_onnx__b(c), descriptor, value->data, bytes);
}

/* The same of 2 bits, four in a byte, as 4 bits. */
static webnn_onnx__o *webnn_onnx__packed_twos(webnn_onnx__call *c, webnn_list shape,
                                              const webnn_onnx__value *value) {
  const size_t bytes = webnn_onnx__bytes_of(value);
  const uint8_t *from = (const uint8_t *)value->data;
  uint64_t room = 2 * (uint64_t)bytes, i;
  uint8_t *wide = (uint8_t *)webnn_onnx__scratch(c, &room, 1);
  for (i = 0; i < room / 2; i++) {
    wide[2 * i] = (uint8_t)((from[i] & 3) | (from[i] & 12) << 2);
    wide[2 * i + 1] = (uint8_t)((from[i] >> 4 & 3) | (from[i] >> 2 & 48));
  }
  return webnn_onnx__constant_of(c, WEBNN_UINT4, shape, wide);
}

/* Zero points [n, blocks, 1]. Without any they are the middle of the range; WebNN packs
   4-bit ones without a gap, but ONNX Runtime's rows each begin in a byte of their own. Those
   of 2 bits become 4. */
static webnn_onnx__o *webnn_onnx__nbits_zeros(webnn_onnx__call *c, const webnn_onnx__nbits *w,
                                              const webnn_onnx__value *points) {
  const uint64_t pitch = (w->blocks * (uint64_t)w->bits + 7) / 8;
  const uint64_t count = (uint64_t)w->n * w->blocks;
  const uint64_t bytes = w->bits == 8 ? count : (count + 1) / 2, per = 8 / (uint64_t)w->bits;
  const webnn_list shape = webnn_extra__list3((uint64_t)w->n, w->blocks, 1);
  const webnn_data_type type = w->bits == 8 ? WEBNN_UINT8 : WEBNN_UINT4;
  const int middle = w->bits == 8 ? 0x80 : w->bits == 4 ? 0x88 : 0x22;
  uint8_t *zeros;
  uint64_t room, i;
  if (points != NULL && w->bits != 2 && pitch * 8 == w->blocks * (uint64_t)w->bits) { /* no gaps */
    return webnn_onnx__packed(c, type, shape, points);
  }
  room = bytes;
  zeros = (uint8_t *)webnn_onnx__scratch(c, &room, 1);
  if (points == NULL && room != 0) {
    memset(zeros, middle, (size_t)room);
  }
  for (i = 0; i < count && room != 0 && points != NULL; i++) {
    const uint64_t at = i % w->blocks;
    const uint8_t *row = (const uint8_t *)points->data + i / w->blocks * pitch;
    const unsigned nibble =
        (unsigned)row[at / per] >> (at % per * (uint64_t)w->bits) & ((1u << w->bits) - 1);
    zeros[i / 2] = (uint8_t)(zeros[i / 2] | nibble << (i % 2 * 4));
  }
  if (count % 2 != 0 && w->bits != 8) {
    zeros[bytes - 1] &= 15;
  }
  return webnn_onnx__constant_of(c, type, shape, zeros);
}

/* Reads the attributes; the weights must be known, and of the size that they say. */
static bool webnn_onnx__nbits_of(webnn_onnx__call *c, webnn_onnx__nbits *w,
                                 const webnn_onnx__value **packed,
                                 const webnn_onnx__value **points) {
  uint64_t count;
  w->k = webnn_onnx__int(c, "K", 0), w->n = webnn_onnx__int(c, "N", 0);
  w->bits = webnn_onnx__int(c, "bits", 4), w->block = webnn_onnx__int(c, "block_size", 0);
  *packed = webnn_onnx__known(c, 1);
  *points = webnn_onnx__has(c, 3) ? webnn_onnx__known(c, 3) : NULL;
  if (webnn_onnx__failed(c)) {
    return false;
  }
  if (w->k < 1 || w->n < 1 || w->k > INT32_MAX || w->n > INT32_MAX || w->block < 2 ||
      w->block > 65536 || (w->bits != 2 && w->bits != 4 && w->bits != 8) ||
      w->block * w->bits % 8 != 0) {
    return webnn_onnx__fail(c,
                            "attributes K (%lld) and N (%lld) must be 1 to 2147483647, bits (%lld) "
                            "2, 4 or 8, and block_size (%lld) 2 to 65536 and of whole bytes",
                            (long long)w->k, (long long)w->n, (long long)w->bits,
                            (long long)w->block);
  }
  w->blocks = (uint64_t)(w->k + w->block - 1) / (uint64_t)w->block;
  count = (uint64_t)w->n * w->blocks;
  if (webnn_onnx__bytes_of(*packed) != count * (uint64_t)w->block * (uint64_t)w->bits / 8 ||
      webnn_onnx__count_of(webnn_onnx__shape(c, 2)) != count ||
      (*points != NULL && webnn_onnx__count_of((*points)->shape) !=
                              (webnn_onnx_graph_type((*points)->type) != WEBNN_UINT8
                                   ? count
                                   : (uint64_t)w->n * ((w->blocks * (uint64_t)w->bits + 7) / 8)))) {
    return webnn_onnx__fail(
        c,
        "input 1 (%s) must have %llu bytes, and inputs 2 and 3 (%s and %s) an element for each of "
        "%llu blocks",
        webnn_onnx__show_shape((*packed)->shape).text,
        (unsigned long long)(count * (uint64_t)w->block * (uint64_t)w->bits / 8),
        webnn_onnx__show_shape(webnn_onnx__shape(c, 2)).text,
        webnn_onnx__show_shape(webnn_onnx__shape(c, 3)).text, (unsigned long long)count);
  }
  return true;
}

/* The weights [N, K] by arithmetic, where an order of groups (input 4) says whose block a row of K
   is in, or zero points are floats. */
static webnn_onnx__o *webnn_onnx__nbits_ordered(webnn_onnx__call *c, const webnn_onnx__nbits *w,
                                                webnn_onnx__o *b, webnn_onnx__o *scale,
                                                webnn_onnx__o *zero) {
  const webnn_list blocks = webnn_extra__list2((uint64_t)w->n, w->blocks);
  const webnn_data_type type = webnn_onnx__graph_type_of(scale);
  webnn_onnx__o *at;
  b = webnn_onnx__cast(c, webnn_onnx__widened(c, b), type);
  b = webnn_onnx__as2(c, b, (uint64_t)w->n, w->blocks * (uint64_t)w->block);
  b = webnn_onnx__slice(c, b, 1, 0, (uint32_t)w->k);
  zero = webnn_onnx__cast(c, webnn_onnx__widened(c, zero), type);
  zero = webnn_onnx__reshape(c, zero, blocks);
  scale = webnn_onnx__reshape(c, scale, blocks);
  if (webnn_onnx__has(c, 4)) {
    at = webnn_onnx__slice(c, webnn_onnx__indices(c, 4), 0, 0, (uint32_t)w->k);
  } else {
    at = webnn_onnx__iota(c, (uint32_t)w->k, 1);
    at = webnn_onnx__div(c, at, webnn_onnx__like(c, at, (double)w->block));
  }
  b = webnn_onnx__sub(c, b, webnn_onnx__gather(c, zero, at, 1));
  return webnn_onnx__mul(c, b, webnn_onnx__gather(c, scale, at, 1));
}

/* B [N, blocks, bytes of a block] of 2, 4 or 8 bits, a scale and a zero point
   for each block of K. */
static bool webnn_onnx__lower_matmul_nbits(webnn_onnx__call *c) {
  webnn_onnx__o *a = webnn_onnx__x(c, 0), *scale = webnn_onnx__x(c, 2), *b, *zero;
  const webnn_operator_options o = webnn_onnx__label(c);
  const webnn_onnx__value *packed, *points;
  webnn_onnx__nbits w;
  webnn_list shape;
  bool plain;
  memset(&w, 0, sizeof w);
  if (!webnn_onnx__nbits_of(c, &w, &packed, &points)) {
    return false;
  }
  shape = webnn_extra__list3((uint64_t)w.n, w.blocks, (uint64_t)w.block);
  b = w.bits == 2 ? webnn_onnx__packed_twos(c, shape, packed)
                  : webnn_onnx__packed(c, w.bits == 4 ? WEBNN_UINT4 : WEBNN_UINT8, shape, packed);
  plain = points == NULL || webnn_onnx_graph_type(points->type) == WEBNN_UINT8;
  zero = plain ? webnn_onnx__nbits_zeros(c, &w, points) : webnn_onnx__x(c, 3);
  if (webnn_onnx__has(c, 4) || !plain) {
    b = webnn_onnx__nbits_ordered(c, &w, b, scale, zero);
  } else {
    scale = webnn_onnx__as3(c, scale, (uint64_t)w.n, w.blocks, 1);
    b = webnn_dequantize_linear(webnn_onnx__b(c), b, scale, zero, &o);
    b = webnn_onnx__as2(c, b, (uint64_t)w.n, w.blocks * (uint64_t)w.block);
    b = webnn_onnx__slice(c, b, 1, 0, (uint32_t)w.k);
  }
  b = webnn_onnx__product_of(c, a, webnn_onnx__swap_last(c, b));
  return webnn_onnx__put(c, 0, webnn_onnx__plus_input(c, b, 5));
}

/* ---- 15.1 attention. */

/* Queries [B, H, S, D], keys [B, G, T, D] and values [B, G, T, E], where G divides H. */
typedef struct webnn_onnx__attention {
  webnn_onnx__o *q, *k, *v;
  webnn_onnx__o *bias;    /* added to the scores, broadcast to [B, H, S, T]; NULL: none */
  webnn_onnx__o *allowed; /* uint8, likewise: where a key may be seen */
  bool guarded;           /* a query may see no key: its row is 0 */
  webnn_onnx__o *sink;    /* a score that no key has, broadcast to [B, H, S, 1]; NULL: none */
  double scale, softcap;
  webnn_onnx__o *scores[4]; /* raw, capped, masked, softmax */
} webnn_onnx__attention;

/* [B, S, H D] as [B, H, S, D]. */
static webnn_onnx__o *webnn_onnx__heads(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t heads) {
  const webnn_list s = webnn_onnx__sizes(x);
  if (s.count != 3 || heads == 0 || s.items[2] % heads != 0) {
    return webnn_onnx__no_operand(
        c,
        "a shape %s must have 3 dimensions, the last one divisible by the number "
        "of heads (%u)",
        webnn_onnx__show_shape(s).text, heads);
  }
  x = webnn_onnx__as4(c, x, s.items[0], s.items[1], heads, s.items[2] / heads);
  return webnn_onnx__move_axis(c, x, 1, 2);
}

/* And back. */
static webnn_onnx__o *webnn_onnx__joined(webnn_onnx__call *c, webnn_onnx__o *x) {
  webnn_list s;
  x = webnn_onnx__move_axis(c, x, 1, 2);
  s = webnn_onnx__sizes(x);
  return webnn_onnx__as3(c, x, s.items[0], s.items[1], (uint64_t)s.items[2] * s.items[3]);
}

/* Each head of keys or values repeated for the queries' heads that share it. */
static webnn_onnx__o *webnn_onnx__repeated(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t heads) {
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_list shape;
  if (s.count != 4 || s.items[1] == heads) {
    return x;
  }
  if (heads % s.items[1] != 0) {
    return webnn_onnx__no_operand(
        c, "the heads of queries (%u) must be a multiple of those of keys (%u)", heads, s.items[1]);
  }
  shape = webnn_extra__inserted(s, 2, 1);
  x = webnn_onnx__reshape(c, x, shape);
  shape.items[2] = heads / s.items[1];
  x = webnn_onnx__expand(c, x, shape);
  return webnn_onnx__as4(c, x, s.items[0], heads, s.items[2], s.items[3]);
}

/* The first elements along each dimension of x, as many as a shape says that `like` has. */
static webnn_onnx__o *webnn_onnx__first_of(webnn_onnx__call *c, webnn_onnx__o *x, webnn_list shape,
                                           webnn_onnx__o *like) {
  const webnn_list none = webnn_extra__repeat(0, shape.count);
  webnn_slice_options o = WEBNN_ZERO;
  int64_t zeros[WEBNN_MAX_RANK] = {0};
  o.label = c->node->name;
  if (!webnn_onnx__has_open(shape)) {
    return webnn_slice(webnn_onnx__b(c), x, none, shape, &o);
  }
  return webnn_slice_dynamic(
      webnn_onnx__b(c), x,
      webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__list1(shape.count), zeros),
      webnn_onnx__sizes_from(c, like, 0, shape.count), &o);
}

/* The softmax of scores [B, H, S, T]; a sink takes its part, and gives nothing. */
static webnn_onnx__o *webnn_onnx__shares(webnn_onnx__call *c, webnn_onnx__o *scores,
                                         webnn_onnx__o *sink) {
  const webnn_list whole = webnn_onnx__sizes(scores);
  webnn_onnx__o *all;
  webnn_list s = whole;
  if (sink == NULL) {
    return webnn_onnx__softmax(c, scores, 3);
  }
  s.items[3] = 1;
  sink = webnn_onnx__cast(c, sink, webnn_onnx__graph_type_of(scores));
  sink = webnn_onnx__expand_like(c, sink, s, scores);
  all = webnn_onnx__softmax(c, webnn_onnx__concat2(c, scores, sink, 3), 3);
  return webnn_onnx__first_of(c, all, whole, scores);
}

/* softmax(cap(scale q k^T) + bias) v. */
static webnn_onnx__o *webnn_onnx__attend(webnn_onnx__call *c, webnn_onnx__attention *a) {
  const uint32_t heads = webnn_onnx__sizes(a->q).items[1];
  webnn_onnx__o *k = webnn_onnx__repeated(c, a->k, heads), *s, *any;
  webnn_onnx__o *v = webnn_onnx__repeated(c, a->v, heads);
  s = webnn_onnx__scaled(c, webnn_onnx__matmul(c, a->q, webnn_onnx__swap_last(c, k)), a->scale);
  a->scores[0] = s;
  if (a->softcap != 0) {
    s = webnn_onnx__tanh(c, webnn_onnx__scaled(c, s, 1 / a->softcap));
    s = webnn_onnx__scaled(c, s, a->softcap);
  }
  a->scores[1] = s;
  if (a->allowed != NULL) {
    webnn_onnx__o *mask = webnn_onnx__select(c, a->allowed, webnn_onnx__like(c, s, 0),
                                             webnn_onnx__like(c, s, -webnn_extra__infinity()));
    a->bias = webnn_onnx__with(c, WEBNN_OP_ADD, a->bias, mask);
  }
  s = webnn_onnx__with(c, WEBNN_OP_ADD, s, a->bias);
  a->scores[2] = s;
  s = webnn_onnx__shares(c, s, a->sink);
  v = webnn_onnx__matmul(c, s, v);
  if (a->guarded && a->bias != NULL) { /* rows, behind what is fused */
    const uint32_t rank = webnn_onnx__sizes(a->bias).count;
    any = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, a->bias, webnn_extra__list1(rank - 1), true);
    any = webnn_onnx__less(c, webnn_onnx__like(c, s, -webnn_extra__infinity()), any);
    s = webnn_onnx__select(c, any, s, webnn_onnx__like(c, s, 0));
    v = webnn_onnx__select(c, any, v, webnn_onnx__like(c, v, 0));
  }
  a->scores[3] = s;
  return v;
}

/* Which of the keys each of the queries sees that stand at offset, offset + 1, ...: none after it
   if causal, none more than `left` before it or `right` behind it (negative: no bound). `offset` is
   of shape [] or [B, 1, 1, 1]. */
static webnn_onnx__o *webnn_onnx__visible(webnn_onnx__call *c, const webnn_onnx__attention *a,
                                          webnn_onnx__o *offset, bool causal, int64_t left,
                                          int64_t right) {
  webnn_onnx__o *i = webnn_onnx__places_of(c, a->q, 2, 4, 2);
  webnn_onnx__o *j = webnn_onnx__places_of(c, a->k, 2, 4, 3);
  webnn_onnx__o *mask = NULL, *part;
  i = webnn_onnx__add(c, i, offset);
  if (causal || right >= 0) {
    right = causal ? 0 : right;
    mask = webnn_onnx__lesser_or_equal(c, j, webnn_onnx__plus(c, i, (double)right));
  }
  if (left >= 0) {
    part = webnn_onnx__greater_or_equal(c, j, webnn_onnx__plus(c, i, -(double)left));
    mask = webnn_onnx__with(c, WEBNN_OP_LOGICAL_AND, mask, part);
  }
  return mask;
}

/* Both masks, either of which may be NULL. */
static webnn_onnx__o *webnn_onnx__both(webnn_onnx__call *c, webnn_onnx__o *x, webnn_onnx__o *y) {
  return webnn_onnx__with(c, WEBNN_OP_LOGICAL_AND, x, y);
}

/* The mask of Attention, whose last dimension may be shorter than the keys. */
static bool webnn_onnx__attention_mask(webnn_onnx__call *c, webnn_onnx__attention *a) {
  const uint32_t total = webnn_onnx__sizes(a->k).items[2];
  webnn_onnx__o *mask = webnn_onnx__optional(c, 3);
  const bool boolean = webnn_onnx__type(c, 3) == WEBNN_ONNX_BOOL;
  webnn_list s = webnn_onnx__sizes(mask), begin, end;
  if (!webnn_onnx__has(c, 3)) {
    return true;
  }
  if (s.count == 0 ||
      (s.items[s.count - 1] > total && !webnn_onnx__is_open(s.items[s.count - 1]))) {
    return webnn_onnx__fail(c, "the last dimension of input 3 (%s) must be at most the keys (%u)",
                            webnn_onnx__show_shape(s).text, total);
  }
  if (webnn_onnx__is_open(total)) {
    /* The mask is as long as the keys, or the sizes are refused. */
  } else if (s.items[s.count - 1] != 1 && s.items[s.count - 1] < total) {
    begin = end = webnn_extra__repeat(0, s.count);
    end.items[s.count - 1] = total - s.items[s.count - 1];
    mask = webnn_onnx__pad(c, mask, begin, end, WEBNN_PADDING_CONSTANT,
                           boolean ? webnn_i64(0) : webnn_f64(-webnn_extra__infinity()));
  }
  if (boolean) {
    a->allowed = webnn_onnx__both(c, a->allowed, mask);
  } else {
    a->bias = mask;
  }
  a->guarded = true;
  return true;
}

/* What is past (input i) with x behind it; x itself where nothing is past. */
static webnn_onnx__o *webnn_onnx__behind(webnn_onnx__call *c, size_t i, webnn_onnx__o *x) {
  return webnn_onnx__is_empty(c, i) ? x : webnn_onnx__concat2(c, webnn_onnx__x(c, i), x, 2);
}

/* Queries, keys and values with heads. */
static bool webnn_onnx__attention_inputs(webnn_onnx__call *c, webnn_onnx__attention *a) {
  a->q = webnn_onnx__x(c, 0), a->k = webnn_onnx__x(c, 1), a->v = webnn_onnx__x(c, 2);
  if (webnn_onnx__shape(c, 0).count == 3) {
    const uint32_t kv = (uint32_t)webnn_onnx__int(c, "kv_num_heads", 0);
    a->q = webnn_onnx__heads(c, a->q, (uint32_t)webnn_onnx__int(c, "q_num_heads", 0));
    a->k = webnn_onnx__heads(c, a->k, kv);
    a->v = webnn_onnx__heads(c, a->v, kv);
  }
  if (!webnn_onnx__must_have_rank(c, 0, 3, 4)) {
    return false;
  }
  if (webnn_onnx__has(c, 4) && webnn_onnx__has(c, 5)) {
    a->k = webnn_onnx__behind(c, 4, a->k);
    a->v = webnn_onnx__behind(c, 5, a->v);
  }
  a->scale = webnn_onnx__float(c, "scale", 1 / webnn_onnx__root(webnn_onnx__sizes(a->q).items[3]));
  a->softcap = webnn_onnx__float(c, "softcap", 0);
  return true;
}

/* Which keys may be seen: those that are no padding (input 6), not later, within the window. */
static void webnn_onnx__attention_range(webnn_onnx__call *c, webnn_onnx__attention *a) {
  const bool causal = webnn_onnx__flag(c, "is_causal");
  const int64_t left = webnn_onnx__int(c, "left_window_size", -1);
  const int64_t right = webnn_onnx__int(c, "right_window_size", -1);
  const bool past = webnn_onnx__has(c, 4) && webnn_onnx__has(c, 5) && !webnn_onnx__is_empty(c, 4);
  webnn_onnx__o *lengths = webnn_onnx__optional(c, 6), *j;
  webnn_onnx__o *offset =
      past ? webnn_onnx__size_of(c, webnn_onnx__x(c, 4), 2) : webnn_onnx__number(c, WEBNN_INT64, 0);
  if (webnn_onnx__has(c, 6)) {
    lengths = webnn_onnx__along(c, webnn_onnx__cast(c, lengths, WEBNN_INT64), 4, 0);
    offset = past ? offset : webnn_onnx__sub(c, lengths, webnn_onnx__size_of(c, a->q, 2));
    j = webnn_onnx__places_of(c, a->k, 2, 4, 3);
    a->allowed = webnn_onnx__less(c, j, lengths);
    a->guarded = true;
  }
  if (causal || left >= 0 || right >= 0) {
    j = webnn_onnx__visible(c, a, offset, causal, left, right);
    a->allowed = webnn_onnx__both(c, a->allowed, j);
    a->guarded = a->guarded || left >= 0 || right >= 0;
  }
}

/* Attention of version 23 on. */
static bool webnn_onnx__lower_attention(webnn_onnx__call *c) {
  const int64_t mode = webnn_onnx__int(c, "qk_matmul_output_mode", 0);
  webnn_onnx__attention a;
  webnn_onnx__o *y;
  memset(&a, 0, sizeof a);
  if (!webnn_onnx__attention_inputs(c, &a)) {
    return false;
  }
  webnn_onnx__attention_range(c, &a);
  if (!webnn_onnx__attention_mask(c, &a)) {
    return false;
  }
  y = webnn_onnx__attend(c, &a);
  y = webnn_onnx__shape(c, 0).count == 3 ? webnn_onnx__joined(c, y) : y;
  return webnn_onnx__put(c, 0, y) && webnn_onnx__put(c, 1, a.k) && webnn_onnx__put(c, 2, a.v) &&
         webnn_onnx__put(c, 3, a.scores[mode < 0 || mode > 3 ? 0 : mode]);
}

/* x [B, H, S, D]; cos and sin [B or 1, 1, S, R / 2]: the first R of D numbers are turned. */
static webnn_onnx__o *webnn_onnx__rotate(webnn_onnx__call *c, webnn_onnx__o *x,
                                         webnn_onnx__o *cosine, webnn_onnx__o *sine,
                                         bool interleaved) {
  const webnn_list s = webnn_onnx__sizes(x);
  const uint32_t half = webnn_onnx__sizes(cosine).items[3], size = 2 * half;
  webnn_onnx__o *a, *b, *y, *rest = NULL, *z;
  webnn_list pairs = webnn_extra__inserted(s, 4, 2);
  if (size > s.items[3]) {
    return webnn_onnx__no_operand(
        c, "the numbers to rotate (%u) must be at most the size of a head (%u)", size, s.items[3]);
  }
  if (size < s.items[3]) {
    rest = webnn_onnx__slice(c, x, 3, size, s.items[3] - size);
    x = webnn_onnx__slice(c, x, 3, 0, size);
  }
  pairs.items[3] = half;
  if (interleaved) {
    const webnn_list one = webnn_extra__list4(s.items[0], s.items[1], s.items[2], half);
    x = webnn_onnx__reshape(c, x, pairs);
    a = webnn_onnx__reshape(c, webnn_onnx__slice(c, x, 4, 0, 1), one);
    b = webnn_onnx__reshape(c, webnn_onnx__slice(c, x, 4, 1, 1), one);
  } else {
    a = webnn_onnx__slice(c, x, 3, 0, half);
    b = webnn_onnx__slice(c, x, 3, half, half);
  }
  y = webnn_onnx__sub(c, webnn_onnx__mul(c, a, cosine), webnn_onnx__mul(c, b, sine));
  z = webnn_onnx__add(c, webnn_onnx__mul(c, a, sine), webnn_onnx__mul(c, b, cosine));
  if (interleaved) {
    pairs.items[4] = 1;
    y = webnn_onnx__concat2(c, webnn_onnx__reshape(c, y, pairs), webnn_onnx__reshape(c, z, pairs),
                            4);
    pairs = webnn_extra__list4(s.items[0], s.items[1], s.items[2], size);
    y = webnn_onnx__reshape(c, y, pairs);
  } else {
    y = webnn_onnx__concat2(c, y, z, 3);
  }
  return rest == NULL ? y : webnn_onnx__concat2(c, y, rest, 3);
}

/* Rows of a cache for positions [B, S] (or all, [B, S, R / 2]) as [B, 1, S, R / 2]. */
static webnn_onnx__o *webnn_onnx__cached(webnn_onnx__call *c, webnn_onnx__o *cache,
                                         webnn_onnx__o *positions) {
  webnn_list s;
  cache = positions == NULL ? cache : webnn_onnx__gather(c, cache, positions, 0);
  s = webnn_onnx__sizes(cache);
  if (s.count != 3) {
    return webnn_onnx__no_operand(
        c, "a cache of cosines or sines must have 3 dimensions; it has %u", s.count);
  }
  return webnn_onnx__reshape(c, cache, webnn_extra__inserted(s, 1, 1));
}

/* Of ONNX: X, cos, sin, positions; of com.microsoft: X, positions ([1]: where the first token
   stands), cos, sin. */
static bool webnn_onnx__lower_rotary(webnn_onnx__call *c) {
  const bool microsoft = c->row->detail != 0;
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *cosine = webnn_onnx__x(c, microsoft ? 2 : 1);
  webnn_onnx__o *sine = webnn_onnx__x(c, microsoft ? 3 : 2);
  webnn_onnx__o *at = microsoft ? webnn_onnx__x(c, 1) : webnn_onnx__optional(c, 3);
  const bool interleaved = webnn_onnx__flag(c, "interleaved");
  const bool flat = webnn_onnx__shape(c, 0).count == 3;
  int64_t heads = webnn_onnx__int(c, "num_heads", 0);
  webnn_list s = webnn_onnx__sizes(x);
  if (flat && microsoft && heads == 0 && webnn_onnx__sizes(cosine).count == 2) {
    heads = s.items[2] / (2 * (int64_t)webnn_onnx__sizes(cosine).items[1]);
  }
  x = flat ? webnn_onnx__heads(c, x, (uint32_t)heads) : x;
  s = webnn_onnx__sizes(x);
  if (!webnn_onnx__must_have_rank(c, 0, 3, 4)) {
    return false;
  }
  if (microsoft && webnn_onnx__count_of(webnn_onnx__sizes(at)) == 1 &&
      !webnn_onnx__has_open(webnn_onnx__sizes(at))) {
    at = webnn_onnx__reshape(c, webnn_onnx__cast(c, at, WEBNN_INT64), webnn_extra__no_items());
    at = webnn_onnx__add(c, webnn_onnx__places_of(c, x, 2, 2, 1), at);
  }
  x = webnn_onnx__rotate(c, x, webnn_onnx__cached(c, cosine, at), webnn_onnx__cached(c, sine, at),
                         interleaved);
  return webnn_onnx__put(c, 0, flat ? webnn_onnx__joined(c, x) : x);
}

/* The nearest places along an axis of x. */
static webnn_onnx__o *webnn_onnx__nearest_places(webnn_onnx__call *c, webnn_onnx__o *at,
                                                 webnn_onnx__o *x, uint32_t axis) {
  const uint32_t size = webnn_onnx__sizes(x).items[axis % WEBNN_MAX_RANK];
  if (!webnn_onnx__is_open(size)) {
    return webnn_onnx__clamped(c, at, size - 1.0);
  }
  at = webnn_onnx__min(c, at, webnn_onnx__plus(c, webnn_onnx__size_of(c, x, axis), -1));
  return webnn_onnx__max(c, at, webnn_onnx__like(c, at, 0));
}

/* A cache with an update put at a position of its own for each of the batch (`start`, int64 [B];
   NULL: 0) along an axis, which may be circular. */
static webnn_onnx__o *webnn_onnx__updated(webnn_onnx__call *c, webnn_onnx__o *x,
                                          webnn_onnx__o *update, webnn_onnx__o *start,
                                          uint32_t axis, bool circular) {
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_onnx__o *at, *inside, *nearest;
  at = webnn_onnx__places_of(c, x, axis, s.count, axis);
  at = webnn_onnx__with(c, WEBNN_OP_SUB, at, webnn_onnx__along(c, start, s.count, 0));
  if (circular) {
    inside = webnn_onnx__less(c, at, webnn_onnx__like(c, at, 0));
    at = webnn_onnx__select(c, inside, webnn_onnx__plus(c, at, s.items[axis]), at);
  }
  nearest = webnn_onnx__nearest_places(c, at, update, axis);
  inside = webnn_onnx__equal(c, at, nearest);
  nearest = webnn_onnx__expand_like(c, nearest, s, x);
  update = webnn_onnx__gather_elements(c, update, nearest, axis);
  return webnn_onnx__select(c, inside, update, x);
}

static bool webnn_onnx__lower_tensor_scatter(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *update = webnn_onnx__x(c, 1);
  webnn_onnx__o *start = webnn_onnx__optional(c, 2);
  const bool circular = strcmp(webnn_onnx__string(c, "mode", "linear"), "circular") == 0;
  const uint32_t axis = webnn_onnx__axis_of(c, "axis", -2, webnn_onnx__sizes(x).count);
  start = webnn_onnx__cast(c, start, WEBNN_INT64);
  return webnn_onnx__put(c, 0, webnn_onnx__updated(c, x, update, start, axis, circular));
}

/* The products for queries, keys and values in one, of com.microsoft's Attention. */
static bool webnn_onnx__project(webnn_onnx__call *c, webnn_onnx__attention *a, uint32_t heads) {
  const bool quantized = c->row->detail != 0;
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *w = webnn_onnx__x(c, 1);
  const webnn_onnx__attribute *sizes = webnn_onnx__attribute_of(c, "qkv_hidden_sizes");
  uint32_t q, k, v, all;
  if (quantized) {
    x = webnn_onnx__dequantize(c, x, webnn_onnx__x(c, 3), webnn_onnx__optional(c, 6), 0, true);
    w = webnn_onnx__dequantize(c, w, webnn_onnx__x(c, 4), webnn_onnx__optional(c, 7), -1, true);
  }
  x = webnn_onnx__product_of(c, x, w);
  if (webnn_onnx__sizes(x).count != 3) {
    return webnn_onnx__must_have_rank(c, 0, 3, 3) && webnn_onnx__must_have_rank(c, 1, 2, 2) &&
           webnn_onnx__put(c, 0, NULL);
  }
  x = webnn_onnx__plus_input(c, x, 2);
  all = webnn_onnx__sizes(x).items[2];
  q = k = v = all / 3;
  if (sizes->int_count == 3) {
    q = (uint32_t)sizes->ints[0], k = (uint32_t)sizes->ints[1], v = (uint32_t)sizes->ints[2];
  }
  if ((uint64_t)q + k + v != all || q == 0 || k == 0 || v == 0) {
    return webnn_onnx__fail(c,
                            "the columns of queries, keys and values (%u, %u and %u) must be 1 or "
                            "more and add up to those of input 1 (%u)",
                            q, k, v, all);
  }
  a->q = webnn_onnx__heads(c, webnn_onnx__slice(c, x, 2, 0, q), heads);
  a->k = webnn_onnx__heads(c, webnn_onnx__slice(c, x, 2, q, k), heads);
  a->v = webnn_onnx__heads(c, webnn_onnx__slice(c, x, 2, q + k, v), heads);
  return true;
}

/* The scale of com.microsoft's attention; 0 stands for what the size of a head says. */
static double webnn_onnx__attention_scale(const webnn_onnx__call *c, const webnn_onnx__o *q) {
  const double scale = webnn_onnx__float(c, "scale", 0);
  return scale != 0 ? scale : 1 / webnn_onnx__root(webnn_onnx__sizes(q).items[3]);
}

/* A mask of integers: [B, T] or [B, S, T] of 0 and 1, or [B] with the lengths of sequences. What is
   masked gets mask_filter_value. */
static bool webnn_onnx__key_mask(webnn_onnx__call *c, webnn_onnx__attention *a, size_t input) {
  webnn_onnx__o *mask = webnn_onnx__optional(c, input), *j;
  const webnn_list s = webnn_onnx__sizes(mask);
  const double filler = webnn_onnx__float(c, "mask_filter_value", -10000.0);
  if (!webnn_onnx__has(c, input)) {
    return true;
  }
  if (s.count == 1 && s.items[0] == webnn_onnx__sizes(a->q).items[0]) {
    j = webnn_onnx__places_of(c, a->k, 2, 4, 3);
    mask =
        webnn_onnx__less(c, j, webnn_onnx__along(c, webnn_onnx__cast(c, mask, WEBNN_INT64), 4, 0));
  } else if (s.count == 2 || s.count == 3) {
    mask = webnn_onnx__as4(c, mask, s.items[0], 1, s.count == 3 ? s.items[1] : 1,
                           s.items[s.count - 1]);
    mask = webnn_onnx__not_equal(c, mask, webnn_onnx__like(c, mask, 0));
  } else {
    return webnn_onnx__fail(c,
                            "input %u, the mask, must have 2 or 3 dimensions, or 1 of the batch "
                            "size (%u); its shape is %s",
                            (unsigned)input, webnn_onnx__sizes(a->q).items[0],
                            webnn_onnx__show_shape(s).text);
  }
  mask =
      webnn_onnx__select(c, mask, webnn_onnx__like(c, a->q, 0), webnn_onnx__like(c, a->q, filler));
  a->bias = webnn_onnx__with(c, WEBNN_OP_ADD, a->bias, mask);
  return true;
}

/* One half of com.microsoft's past [2, B, H, P, D]. */
static webnn_onnx__o *webnn_onnx__past_half(webnn_onnx__call *c, webnn_onnx__o *past, uint32_t i) {
  past = webnn_onnx__slice(c, past, 0, i, 1);
  return webnn_onnx__reshape(c, past, webnn_extra__removed(webnn_onnx__sizes(past), 0));
}

/* How many more keys there are than queries. */
static webnn_onnx__o *webnn_onnx__more_keys(webnn_onnx__call *c, const webnn_onnx__attention *a) {
  const uint32_t count = webnn_onnx__sizes(a->q).items[2], total = webnn_onnx__sizes(a->k).items[2];
  return webnn_onnx__is_open(count) || webnn_onnx__is_open(total)
             ? webnn_onnx__sub(c, webnn_onnx__size_of(c, a->k, 2), webnn_onnx__size_of(c, a->q, 2))
             : webnn_onnx__number(c, WEBNN_INT64, total - count);
}

/* Attention, and QAttention of quantized input and weights. */
static bool webnn_onnx__lower_microsoft_attention(webnn_onnx__call *c) {
  const bool quantized = c->row->detail != 0;
  webnn_onnx__attention a;
  const size_t before = quantized ? 8 : 4;
  webnn_onnx__o *past, *y;
  const int64_t heads = webnn_onnx__int(c, "num_heads", 0);
  const bool causal = webnn_onnx__flag(c, "unidirectional");
  webnn_list s;
  memset(&a, 0, sizeof a);
  if (!webnn_onnx__must_be(c, "attribute num_heads", heads, 1, 65536) ||
      !webnn_onnx__must_be(c, "attribute do_rotary", webnn_onnx__int(c, "do_rotary", 0), 0, 0) ||
      !webnn_onnx__must_be(c, "attribute past_present_share_buffer",
                           webnn_onnx__int(c, "past_present_share_buffer", 0), 0, 0) ||
      !webnn_onnx__project(c, &a, (uint32_t)heads)) {
    return false;
  }
  if (webnn_onnx__has(c, before) && !webnn_onnx__is_empty(c, before)) {
    past = webnn_onnx__x(c, before);
    a.k = webnn_onnx__concat2(c, webnn_onnx__past_half(c, past, 0), a.k, 2);
    a.v = webnn_onnx__concat2(c, webnn_onnx__past_half(c, past, 1), a.v, 2);
  }
  a.scale = webnn_onnx__attention_scale(c, a.q);
  a.bias = quantized ? NULL : webnn_onnx__optional(c, 5);
  if (!webnn_onnx__key_mask(c, &a, quantized ? 5 : 3)) {
    return false;
  }
  if (causal) {
    a.allowed = webnn_onnx__visible(c, &a, webnn_onnx__more_keys(c, &a), true, -1, -1);
  }
  y = webnn_onnx__joined(c, webnn_onnx__attend(c, &a));
  if (webnn_onnx__wants(c, 1)) {
    s = webnn_extra__inserted(webnn_onnx__sizes(a.k), 0, 1);
    if (!webnn_onnx__put(c, 1,
                         webnn_onnx__concat2(c, webnn_onnx__reshape(c, a.k, s),
                                             webnn_onnx__reshape(c, a.v, s), 0))) {
      return false;
    }
  }
  return webnn_onnx__put_as(c, 0, y, quantized ? webnn_onnx__type(c, 2) : webnn_onnx__type(c, 0));
}

/* Part i of [B, S, H, parts, D] as [B, S, H D]. */
static webnn_onnx__o *webnn_onnx__packed_part(webnn_onnx__call *c, webnn_onnx__o *x, uint32_t i) {
  const webnn_list s = webnn_onnx__sizes(x);
  if (s.count != 5 || i >= s.items[3]) {
    return NULL;
  }
  return webnn_onnx__as3(c, webnn_onnx__slice(c, x, 3, i, 1), s.items[0], s.items[1],
                         (uint64_t)s.items[2] * s.items[4]);
}

/* Queries, keys and values, which may be packed in the first input, or the latter
   two in the second. */
static void webnn_onnx__unpacked(webnn_onnx__call *c, webnn_onnx__attention *a) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y = webnn_onnx__optional(c, 1);
  if (webnn_onnx__sizes(x).count == 5) {
    a->q = webnn_onnx__packed_part(c, x, 0);
    a->k = webnn_onnx__packed_part(c, x, 1);
    a->v = webnn_onnx__packed_part(c, x, 2);
  } else {
    const bool both = webnn_onnx__sizes(y).count == 5;
    a->q = x;
    a->k = both ? webnn_onnx__packed_part(c, y, 0) : y;
    a->v = both ? webnn_onnx__packed_part(c, y, 1) : webnn_onnx__optional(c, 2);
  }
}

/* Queries, keys and values of their own, [B, S, H D]; keys and values of a cross attention may have
   heads already. */
static bool webnn_onnx__lower_multi_head_attention(webnn_onnx__call *c) {
  webnn_onnx__attention a;
  webnn_onnx__o *bias = webnn_onnx__optional(c, 3), *y;
  const uint32_t heads = (uint32_t)webnn_onnx__int(c, "num_heads", 0);
  const bool causal = webnn_onnx__flag(c, "unidirectional");
  bool known;
  uint32_t count, total, q;
  memset(&a, 0, sizeof a);
  webnn_onnx__unpacked(c, &a);
  if (webnn_onnx__sizes(a.q).count != 3) {
    return webnn_onnx__fail(c,
                            "inputs 0, 1 and 2 (%s, %s and %s) must have 3 dimensions, or 5 where "
                            "they are packed",
                            webnn_onnx__show_shape(webnn_onnx__shape(c, 0)).text,
                            webnn_onnx__show_shape(webnn_onnx__shape(c, 1)).text,
                            webnn_onnx__show_shape(webnn_onnx__shape(c, 2)).text);
  }
  if (webnn_onnx__has(c, 3) && webnn_onnx__sizes(a.k).count == 3) {
    q = webnn_onnx__sizes(a.q).items[2];
    count = webnn_onnx__sizes(a.v).items[2];
    a.q = webnn_onnx__add(c, a.q, webnn_onnx__slice(c, bias, 0, 0, q));
    a.k = webnn_onnx__add(c, a.k, webnn_onnx__slice(c, bias, 0, q, q));
    a.v = webnn_onnx__add(c, a.v, webnn_onnx__slice(c, bias, 0, 2 * q, count));
  }
  a.q = webnn_onnx__heads(c, a.q, heads);
  a.k = webnn_onnx__sizes(a.k).count == 3 ? webnn_onnx__heads(c, a.k, heads) : a.k;
  a.v = webnn_onnx__sizes(a.v).count == 3 ? webnn_onnx__heads(c, a.v, heads) : a.v;
  if (webnn_onnx__has(c, 6) && webnn_onnx__has(c, 7)) {
    a.k = webnn_onnx__behind(c, 6, a.k);
    a.v = webnn_onnx__behind(c, 7, a.v);
  }
  count = webnn_onnx__sizes(a.q).items[2];
  total = webnn_onnx__sizes(a.k).items[2];
  known = !webnn_onnx__is_open(count) && !webnn_onnx__is_open(total);
  a.scale = webnn_onnx__attention_scale(c, a.q);
  a.bias = webnn_onnx__optional(c, 5);
  if (!webnn_onnx__key_mask(c, &a, 4)) {
    return false;
  }
  if (causal && !known && count != 1 && count != total && !webnn_onnx__has(c, 6)) {
    return webnn_onnx__fail(c, "whether there are fewer keys than queries depends on dynamic "
                               "dimensions, and must be known");
  }
  if (causal && (!known || total >= count)) {
    a.allowed = webnn_onnx__visible(c, &a, webnn_onnx__more_keys(c, &a), true, -1, -1);
  }
  y = webnn_onnx__joined(c, webnn_onnx__attend(c, &a));
  return webnn_onnx__put(c, 0, y) && webnn_onnx__put(c, 1, a.k) && webnn_onnx__put(c, 2, a.v);
}

/* The parts of GroupQueryAttention's inputs, which may be packed in the first. */
static bool webnn_onnx__group_inputs(webnn_onnx__call *c, webnn_onnx__attention *a, uint32_t heads,
                                     uint32_t kv) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 3, 3);
  const webnn_list s = webnn_onnx__sizes(x);
  uint32_t size;

  if (heads == 0 || kv == 0 || heads > 65536 || kv > heads) {
    return webnn_onnx__fail(
        c,
        "attribute num_heads (%u) must be 1 to 65536, and kv_num_heads (%u) 1 to "
        "num_heads",
        heads, kv);
  }
  if (webnn_onnx__has(c, 1)) {
    a->q = webnn_onnx__heads(c, x, heads);
    a->k = webnn_onnx__heads(c, webnn_onnx__x(c, 1), kv);
    a->v = webnn_onnx__heads(c, webnn_onnx__x(c, 2), kv);
  } else {
    size = s.items[2] / (heads + 2 * kv);
    if (size == 0 || size * (heads + 2 * kv) != s.items[2]) {
      return webnn_onnx__fail(
          c,
          "the columns of input 0 (%u) must be a multiple of num_heads (%u) + 2 x "
          "kv_num_heads (%u)",
          s.items[2], heads, kv);
    }
    a->q = webnn_onnx__heads(c, webnn_onnx__slice(c, x, 2, 0, heads * size), heads);
    a->k = webnn_onnx__heads(c, webnn_onnx__slice(c, x, 2, heads * size, kv * size), kv);
    a->v = webnn_onnx__heads(c, webnn_onnx__slice(c, x, 2, (heads + kv) * size, kv * size), kv);
  }
  return true;
}

/* The cache of a GroupQueryAttention: how long it is, and where the new keys begin. */
typedef struct webnn_onnx__group_cache {
  uint32_t past, count, length; /* of what is past, of what is new, of both */
  bool open;                    /* some of these are dynamic: the length is that of both */
  webnn_onnx__o *before;        /* int64 []: how many are past */
  webnn_onnx__o *start;         /* int64 [B]; NULL: at the end of the past, which is all valid */
} webnn_onnx__group_cache;

/* Queries and keys turned by the angles of their positions behind the past. */
static void webnn_onnx__group_rotation(webnn_onnx__call *c, webnn_onnx__attention *a,
                                       const webnn_onnx__group_cache *cache) {
  const bool interleaved = webnn_onnx__flag(c, "rotary_interleaved");
  webnn_onnx__o *at, *cosine, *sine;
  if (webnn_onnx__has(c, 9)) {
    at = webnn_onnx__x(c, 9);
  } else {
    at = cache->start == NULL ? cache->before : webnn_onnx__along(c, cache->start, 2, 0);
    at = webnn_onnx__add(c, webnn_onnx__places_of(c, a->q, 2, 2, 1), at);
  }
  cosine = webnn_onnx__cached(c, webnn_onnx__x(c, 7), at);
  sine = webnn_onnx__cached(c, webnn_onnx__x(c, 8), at);
  a->q = webnn_onnx__rotate(c, a->q, cosine, sine, interleaved);
  a->k = webnn_onnx__rotate(c, a->k, cosine, sine, interleaved);
}

/* Are all sequences as long as the cache? With one of them its length decides; lengths that are not
   known may be shorter. */
static bool webnn_onnx__group_full(webnn_onnx__call *c, const webnn_onnx__group_cache *cache) {
  const webnn_onnx__value *v;
  size_t i;
  const bool whole = cache->open || cache->length == cache->past + cache->count;
  if (cache->past == 0 || !webnn_onnx__has(c, 5)) {
    return whole;
  }
  if (webnn_onnx__varies(c, 5) || cache->open) {
    return whole && webnn_onnx__count_of(webnn_onnx__shape(c, 5)) == 1 &&
           !webnn_onnx__has_open(webnn_onnx__shape(c, 5));
  }
  v = webnn_onnx__known(c, 5);
  for (i = 0; i < webnn_onnx__count_of(c->in[5]->shape) && !webnn_onnx__failed(c); i++) {
    if (webnn_onnx__integer_at(v, i) + 1 != (int64_t)cache->past + cache->count) {
      return false;
    }
  }
  return true;
}

/* What cannot be expressed, and how long the cache becomes: as the longest sequence (input 6, if it
   is known), but no shorter than the past, whose memory it may be. Lengths less 1 are input 5. */
static bool webnn_onnx__group_cache_of(webnn_onnx__call *c, const webnn_onnx__attention *a,
                                       webnn_onnx__group_cache *cache) {
  const int64_t most = (int64_t)cache->past + cache->count;
  const int64_t total =
      webnn_onnx__is_constant(c, 6) && !cache->open ? webnn_onnx__scalar_integer(c, 6) : most;
  webnn_onnx__o *start;
  if (webnn_onnx__has(c, 12) || webnn_onnx__has(c, 13) || webnn_onnx__wants(c, 3)) {
    return webnn_onnx__fail(c, "%s cannot be expressed",
                            webnn_onnx__wants(c, 3) ? "output 3, the scores,"
                                                    : "inputs 12 and 13, of a quantized cache,");
  }
  if (total < (int64_t)cache->count || total > most) {
    return webnn_onnx__fail(c,
                            "the total length in input 6 (%lld) must be %u, the new ones, to %lld, "
                            "with the past",
                            (long long)total, cache->count, (long long)most);
  }
  cache->length = cache->open                    ? WEBNN_DYNAMIC_DIMENSION
                  : total > (int64_t)cache->past ? (uint32_t)total
                                                 : cache->past;
  if (!webnn_onnx__group_full(c, cache)) {
    start = webnn_onnx__cast(c, webnn_onnx__x(c, 5), WEBNN_INT64);
    start = webnn_onnx__plus(c, start, 1);
    start = webnn_onnx__sub(c, start, webnn_onnx__size_of(c, a->q, 2));
    start = webnn_onnx__max(c, start, webnn_onnx__like(c, start, 0));
    cache->start = webnn_onnx__along(c, start, 1, 0);
  }
  return true;
}

/* Past keys or values (input i) with the new ones behind them. */
static webnn_onnx__o *webnn_onnx__group_present(webnn_onnx__call *c, size_t i, webnn_onnx__o *x,
                                                const webnn_onnx__group_cache *cache) {
  const webnn_list none = webnn_extra__repeat(0, 4);
  webnn_list more = none;
  webnn_onnx__o *past, *at;
  if (cache->past == 0) {
    return x;
  }
  past = webnn_onnx__x(c, i);
  if (cache->start == NULL) {
    return webnn_onnx__concat2(c, past, x, 2);
  }
  more.items[2] = cache->length - cache->past;
  past = cache->open ? webnn_onnx__concat2(c, past, x, 2) /* for room: what is in it is not valid */
                     : webnn_onnx__pad(c, past, none, more, WEBNN_PADDING_CONSTANT, webnn_f64(0));
  at = webnn_onnx__places_of(c, past, 2, 4, 2);
  at = webnn_onnx__less(c, at, webnn_onnx__along(c, cache->start, 4, 0));
  past = webnn_onnx__select(c, at, past, webnn_onnx__like(c, past, 0)); /* what is not valid */
  if (!cache->open) {
    return webnn_onnx__updated(c, past, x, cache->start, 2, false);
  }
  at = webnn_onnx__places_of(c, x, 2, 4, 2);
  at = webnn_onnx__add(c, at, webnn_onnx__along(c, cache->start, 4, 0));
  at = webnn_onnx__expand_like(c, at, webnn_onnx__sizes(x), x);
  return webnn_onnx__scatter(c, past, at, x, 2);
}

/* Keys or values of a dynamic length, which must be the total length in input 6 where that is a
   size: others are refused when sizes are known. */
static webnn_onnx__o *webnn_onnx__group_total(webnn_onnx__call *c, webnn_onnx__o *x,
                                              const webnn_onnx__group_cache *cache) {
  const webnn_operator_options o = webnn_onnx__label(c);
  webnn_onnx__o *sizes[3];
  if (!cache->open || !webnn_onnx__is_of_sizes(c, 6)) {
    return x;
  }
  sizes[0] = webnn_onnx__sizes_from(c, x, 0, 2);
  sizes[1] = webnn_onnx__as1(c, webnn_onnx__cast(c, webnn_onnx__x(c, 6), WEBNN_INT64), 1);
  sizes[2] = webnn_onnx__sizes_from(c, x, 3, 1);
  return webnn_reshape_dynamic(webnn_onnx__b(c), x, webnn_onnx__concat(c, sizes, 3, 0), &o);
}

/* A score for each head that no key has, 0 if only smooth_softmax asks for one. */
static webnn_onnx__o *webnn_onnx__group_sink(webnn_onnx__call *c, const webnn_onnx__attention *a) {
  if (webnn_onnx__has(c, 11)) {
    return webnn_onnx__along(c, webnn_onnx__x(c, 11), 4, 1);
  }
  return webnn_onnx__int(c, "smooth_softmax", 0) > 0 ? webnn_onnx__like(c, a->q, 0) : NULL;
}

/* A bias for fewer keys than the cache has: the others are not seen. */
static webnn_onnx__o *webnn_onnx__group_bias(webnn_onnx__call *c, uint32_t keys) {
  webnn_onnx__o *x = webnn_onnx__optional(c, 10);
  const webnn_list s = webnn_onnx__sizes(x), none = webnn_extra__repeat(0, s.count);
  webnn_list more = none;
  if (!webnn_onnx__has(c, 10) || s.count == 0 || s.items[s.count - 1] >= keys ||
      webnn_onnx__is_open(keys)) {
    return x;
  }
  more.items[s.count - 1] = keys - s.items[s.count - 1];
  return webnn_onnx__pad(c, x, none, more, WEBNN_PADDING_CONSTANT, webnn_f64(0));
}

/* Present keys and values are the past ones and the new ones behind them, for each sequence of the
   batch at its own place if they are not all as long as the cache. */
static bool webnn_onnx__lower_group_query_attention(webnn_onnx__call *c) {
  const uint32_t heads = (uint32_t)webnn_onnx__int(c, "num_heads", 0);
  const uint32_t kv = (uint32_t)webnn_onnx__int(c, "kv_num_heads", 0);
  const int64_t window = webnn_onnx__int(c, "local_window_size", -1);
  webnn_onnx__group_cache cache;
  webnn_onnx__attention a;
  webnn_onnx__o *y, *at;
  memset(&a, 0, sizeof a);
  memset(&cache, 0, sizeof cache);
  if (!webnn_onnx__group_inputs(c, &a, heads, kv)) {
    return false;
  }
  cache.past = webnn_onnx__has(c, 3) ? webnn_onnx__shape(c, 3).items[2] : 0;
  cache.count = webnn_onnx__sizes(a.q).items[2];
  cache.open = webnn_onnx__is_open(cache.past) || webnn_onnx__is_open(cache.count);
  cache.before = cache.past == 0 ? webnn_onnx__number(c, WEBNN_INT64, 0)
                                 : webnn_onnx__size_of(c, webnn_onnx__x(c, 3), 2);
  if (!webnn_onnx__group_cache_of(c, &a, &cache)) {
    return false;
  }
  a.scale = webnn_onnx__attention_scale(c, a.q);
  a.softcap = webnn_onnx__float(c, "softcap", 0);
  a.bias = webnn_onnx__group_bias(c, cache.length);
  a.sink = webnn_onnx__group_sink(c, &a);
  if (webnn_onnx__flag(c, "do_rotary")) {
    webnn_onnx__group_rotation(c, &a, &cache);
  }
  a.k = webnn_onnx__group_total(c, webnn_onnx__group_present(c, 3, a.k, &cache), &cache);
  a.v = webnn_onnx__group_total(c, webnn_onnx__group_present(c, 4, a.v, &cache), &cache);
  if (cache.count > 1 || window > 0 || cache.start != NULL) {
    at = cache.start == NULL ? cache.before : webnn_onnx__along(c, cache.start, 4, 0);
    a.allowed = webnn_onnx__visible(c, &a, at, true, window > 0 ? window - 1 : -1, -1);
  }
  y = webnn_onnx__joined(c, webnn_onnx__attend(c, &a));
  return webnn_onnx__put(c, 0, y) && webnn_onnx__put(c, 1, a.k) && webnn_onnx__put(c, 2, a.v);
}

/* The sum of input, skip and bias, normalized: inputs x, skip, gamma, beta (not of the simplified
   one), bias; outputs y, mean, deviation, sum. */
static bool webnn_onnx__lower_skip_normalization(webnn_onnx__call *c) {
  const bool simplified = c->row->detail != 0;
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *skip = webnn_onnx__x(c, 1), *gamma = webnn_onnx__x(c, 2);
  webnn_onnx__o *beta = simplified ? NULL : webnn_onnx__optional(c, 3), *y;
  const double epsilon = webnn_onnx__float(c, "epsilon", 1e-12);
  const uint32_t rank = webnn_onnx__sizes(x).count;
  const webnn_list axes = webnn_onnx__axes_from(rank == 0 ? 0 : rank - 1, rank);
  if (!webnn_onnx__must_have_rank(c, 0, 1, WEBNN_MAX_RANK)) {
    return false;
  }
  x = webnn_onnx__plus_input(c, webnn_onnx__add(c, x, skip), simplified ? 3 : 4);
  y = simplified ? webnn_onnx__mul(c, webnn_onnx__rms_norm(c, x, axes, epsilon, NULL), gamma)
                 : webnn_onnx__layer_norm(c, x, axes, gamma, beta, epsilon);
  return webnn_onnx__put(c, 0, y) && webnn_onnx__put_statistics(c, 1, x, axes, epsilon) &&
         webnn_onnx__put(c, 3, x);
}

/* Rows of table i (input), or all of it without indices; a quantized one has its scale six inputs
   behind, and its zero point eleven. */
static webnn_onnx__o *webnn_onnx__embedded(webnn_onnx__call *c, size_t i, webnn_onnx__o *at) {
  webnn_onnx__o *x = webnn_onnx__x(c, i), *zero;
  x = at == NULL ? x : webnn_onnx__gather(c, x, at, 0);
  if (c->row->detail == 0) {
    return x;
  }
  zero = webnn_onnx__optional(c, i + 11);
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  x = webnn_onnx__with(c, WEBNN_OP_SUB, x, webnn_onnx__cast(c, zero, WEBNN_FLOAT32));
  return webnn_onnx__mul(c, x, webnn_onnx__x(c, i + 6));
}

/* A matrix of words, one of positions, perhaps one of segments, added and normalized. */
static bool webnn_onnx__lower_embed_normalization(webnn_onnx__call *c) {
  const bool quantized = c->row->detail != 0;
  webnn_onnx__o *ids = webnn_onnx__indices(c, 0);
  webnn_onnx__o *x = webnn_onnx__x(c, 2), *at, *y, *mask;
  const webnn_list s = webnn_onnx__sizes(ids);
  if (!webnn_onnx__must_have_rank(c, 0, 2, 2)) {
    return false;
  }
  x = webnn_onnx__embedded(c, 2, ids);
  at = !quantized && webnn_onnx__has(c, 8)
           ? webnn_onnx__embedded(c, 3, webnn_onnx__indices(c, 8))
           : webnn_onnx__slice(c, webnn_onnx__embedded(c, 3, NULL), 0, 0, s.items[1]);
  x = webnn_onnx__add(c, x, at);
  if (webnn_onnx__has(c, 1)) {
    x = webnn_onnx__add(c, x, webnn_onnx__embedded(c, 4, webnn_onnx__indices(c, 1)));
  }
  if (webnn_onnx__wants(c, 1)) { /* how many tokens are not masked; 0 without a mask */
    mask = webnn_onnx__has(c, 7)
               ? webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, webnn_onnx__x(c, 7),
                                    webnn_extra__list1(1), false)
               : webnn_onnx__1(c, WEBNN_OP_IDENTITY, /* an output may be no constant */
                               webnn_onnx__zeros(c, WEBNN_INT32, webnn_extra__list1(s.items[0])));
    if (!webnn_onnx__put_as(c, 1, mask, WEBNN_ONNX_INT32)) {
      return false;
    }
  }
  y = webnn_onnx__layer_norm(c, x, webnn_extra__list1(2), webnn_onnx__embedded(c, 5, NULL),
                             webnn_onnx__embedded(c, 6, NULL),
                             webnn_onnx__float(c, "epsilon", 1e-12));
  return webnn_onnx__put(c, 0, y) && webnn_onnx__put(c, 2, x);
}

/* ---- 15.2 tokens one after the other, with a state that goes on from one run to the next. */

/* Input i, a state, of this type and shape; zeros without it. */
static webnn_onnx__o *webnn_onnx__past(webnn_onnx__call *c, size_t i, webnn_data_type type,
                                       webnn_list shape) {
  webnn_onnx__o *x = webnn_onnx__optional(c, i);
  if (!webnn_onnx__has(c, i)) {
    return webnn_onnx__zeros(c, type, shape);
  }
  if (!webnn_extra__same_list(webnn_onnx__sizes(x), shape)) {
    return webnn_onnx__no_operand(c, "input %u shape %s must be %s", (unsigned)i,
                                  webnn_onnx__show_shape(webnn_onnx__sizes(x)).text,
                                  webnn_onnx__show_shape(shape).text);
  }
  return webnn_onnx__cast(c, x, type);
}

/* Operators of com.microsoft can keep several states, to go back to; false if this one should. */
static bool webnn_onnx__no_window(webnn_onnx__call *c) {
  return webnn_onnx__must_be(c, "attribute state_window", webnn_onnx__int(c, "state_window", 0), 0,
                             0);
}

/* The activation of a convolution; false: it is not one of these. */
static bool webnn_onnx__silu(webnn_onnx__call *c, webnn_onnx__o **y) {
  const char *name = webnn_onnx__string(c, "activation", "none");
  if (strcmp(name, "silu") == 0 || strcmp(name, "swish") == 0) {
    *y = webnn_onnx__swish(c, *y, 1);
  } else if (strcmp(name, "none") != 0) {
    return webnn_onnx__wrong_word(c, "activation", name, "none, silu or swish");
  }
  return true;
}

/* x [B, C, L], filter [C, 1, k], bias [C], past [B, C, k - 1]: each channel is convolved with its
   own filter, which ends at the token itself. The last k - 1 tokens are the state. */
static bool webnn_onnx__lower_causal_conv(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *filter = webnn_onnx__x(c, 1), *y;
  webnn_onnx__o *bias = webnn_onnx__optional(c, 2), *past;
  const webnn_list s = webnn_onnx__sizes(x), f = webnn_onnx__sizes(filter);
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_list state = s;
  if (s.count != 3 || f.count != 3 || f.items[0] != s.items[1] || f.items[1] != 1) {
    return webnn_onnx__fail(c, "inputs 0 and 1 (%s and %s) must be [B,C,L] and [C,1,k]",
                            webnn_onnx__show_shape(s).text, webnn_onnx__show_shape(f).text);
  }
  if (!webnn_onnx__no_window(c)) {
    return false;
  }
  state.items[2] = f.items[2] - 1;
  if (state.items[2] > 0) {
    past = webnn_onnx__past(c, 3, webnn_onnx__graph_type_of(x), state);
    x = webnn_onnx__concat2(c, past, x, 2);
  }
  o.label = c->node->name;
  o.groups = s.items[1];
  o.bias = bias;
  y = webnn_conv2d(webnn_onnx__b(c), webnn_onnx__with_height(c, x),
                   webnn_onnx__with_height(c, filter), &o);
  y = webnn_onnx__reshape(c, y, s);
  if (!webnn_onnx__silu(c, &y) || !webnn_onnx__put(c, 0, y)) {
    return false;
  }
  if (state.items[2] == 0) {
    return webnn_onnx__put_empty(c, 1, state);
  }
  return !webnn_onnx__wants(c, 1) ||
         webnn_onnx__put(c, 1, webnn_onnx__slice(c, x, 2, s.items[2], state.items[2]));
}

/* What goes through LinearAttention, as float32: queries [B, H, T, D], keys [B, G, T, D] and values
   [B, G, T, E], where G divides H; e^decay [B, G, T, D or 1] and beta [B, G or 1, T, 1], or NULL;
   and the state [B, G, D, E]. */
typedef struct webnn_onnx__recurrence {
  webnn_onnx__o *q, *k, *v, *decay, *beta, *state;
} webnn_onnx__recurrence;

/* Input i with heads, as float32; as many as its last dimension has room for, if `heads` is 0. */
static webnn_onnx__o *webnn_onnx__float_heads(webnn_onnx__call *c, size_t i, uint32_t heads,
                                              uint32_t size) {
  const webnn_list s = webnn_onnx__shape(c, i);
  heads = heads == 0 && s.count == 3 && size != 0 ? s.items[2] / size : heads;
  return webnn_onnx__cast(c, webnn_onnx__heads(c, webnn_onnx__x(c, i), heads), WEBNN_FLOAT32);
}

/* Queries and keys. Those of com.microsoft may have fewer heads than the values: each is shared. */
static bool webnn_onnx__recurrence_heads(webnn_onnx__call *c, webnn_onnx__recurrence *r,
                                         uint32_t heads, uint32_t groups) {
  const bool shared = c->row->detail != 0;
  if (heads == 0 || groups == 0 || (heads % groups != 0 && !shared)) {
    return webnn_onnx__fail(c,
                            "attributes q_num_heads (%u) and kv_num_heads (%u) must be 1 or more, "
                            "the first a multiple of the second",
                            heads, groups);
  }
  r->q = webnn_onnx__float_heads(c, 0, heads, 0);
  r->k = webnn_onnx__float_heads(c, 1, shared ? 0 : groups, webnn_onnx__sizes(r->q).items[3]);
  r->k = webnn_onnx__repeated(c, r->k, groups);
  r->q = heads < groups ? webnn_onnx__repeated(c, r->q, groups) : r->q;
  return true;
}

static bool webnn_onnx__recurrence_of(webnn_onnx__call *c, webnn_onnx__recurrence *r) {
  const size_t rule =
      webnn_onnx__word(c, "update_rule", "gated_delta", "linear|gated|delta|gated_delta");
  const bool gated = rule % 2 != 0, delta = rule / 2 != 0;
  const uint32_t groups = (uint32_t)webnn_onnx__int(c, "kv_num_heads", 0);
  webnn_list q, v;
  memset(r, 0, sizeof *r);

  if (!webnn_onnx__recurrence_heads(c, r, (uint32_t)webnn_onnx__int(c, "q_num_heads", 0), groups)) {
    return false;
  }
  r->v = webnn_onnx__float_heads(c, 2, groups, 0);
  r->decay = gated ? webnn_onnx__exp(c, webnn_onnx__float_heads(c, 4, groups, 0)) : NULL;
  r->beta = delta ? webnn_onnx__float_heads(c, 5, 0, 1) : NULL;
  q = webnn_onnx__sizes(r->q);
  v = webnn_onnx__sizes(r->v);
  if (v.items[2] != q.items[2] || webnn_onnx__sizes(r->k).items[2] != q.items[2]) {
    return webnn_onnx__fail(c, "the tokens of inputs 0, 1 and 2 (%u, %u and %u) must be equal",
                            q.items[2], webnn_onnx__sizes(r->k).items[2], v.items[2]);
  }
  if (q.items[2] > webnn_onnx__max_iterations(c)) {
    return webnn_onnx__fail(c, "the number of tokens (%u) must be at most max_iterations (%u)",
                            q.items[2], (unsigned)webnn_onnx__max_iterations(c));
  }
  r->state = webnn_onnx__past(c, 3, WEBNN_FLOAT32,
                              webnn_extra__list4(q.items[0], groups, q.items[3], v.items[3]));
  return true;
}

/* Token t: the state decays, takes in k (v - what k reads of it already), and q reads it. */
static webnn_onnx__o *webnn_onnx__recurrence_step(webnn_onnx__call *c, webnn_onnx__recurrence *r,
                                                  uint32_t t) {
  const webnn_list s = webnn_onnx__sizes(r->state);
  const webnn_list column = webnn_extra__list4(s.items[0], s.items[1], s.items[2], 1);
  const uint32_t heads = webnn_onnx__sizes(r->q).items[1];
  webnn_onnx__o *q = webnn_onnx__slice(c, r->q, 2, t, 1), *k = webnn_onnx__slice(c, r->k, 2, t, 1);
  webnn_onnx__o *v = webnn_onnx__slice(c, r->v, 2, t, 1), *x;
  x = webnn_onnx__move_axis(c, webnn_onnx__slice(c, r->decay, 2, t, 1), 2, 3);
  r->state = webnn_onnx__with(c, WEBNN_OP_MUL, r->state, x);
  if (r->beta != NULL) {
    v = webnn_onnx__sub(c, v, webnn_onnx__matmul(c, k, r->state));
    v = webnn_onnx__mul(c, v, webnn_onnx__slice(c, r->beta, 2, t, 1));
  }
  k = webnn_onnx__reshape(c, k, column);
  r->state = webnn_onnx__add(c, r->state, webnn_onnx__mul(c, k, v));
  q = webnn_onnx__as4(c, q, s.items[0], s.items[1], heads / s.items[1], s.items[2]);
  x = webnn_onnx__matmul(c, q, r->state);
  return webnn_onnx__as4(c, x, s.items[0], heads, 1, s.items[3]);
}

/* Query, key, value, past state, decay, beta: token by token, so that all rules are one. */
static bool webnn_onnx__lower_linear_attention(webnn_onnx__call *c) {
  const webnn_onnx_type type = webnn_onnx__type(c, 0);
  const webnn_onnx_type state = webnn_onnx__has(c, 3) ? webnn_onnx__type(c, 3) : type;
  double scale = webnn_onnx__float(c, "scale", 0);
  webnn_onnx__recurrence r;
  webnn_onnx__o **reads, *y;
  uint32_t t, count;
  if (!webnn_onnx__no_window(c) || !webnn_onnx__recurrence_of(c, &r)) {
    return false;
  }
  count = webnn_onnx__sizes(r.q).items[2];
  scale = scale == 0 ? 1 / webnn_onnx__root(webnn_onnx__sizes(r.q).items[3]) : scale;
  reads = webnn_onnx__operands(c, count);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  for (t = 0; t < count; t++) {
    reads[t] = webnn_onnx__recurrence_step(c, &r, t);
  }
  y = webnn_onnx__concat(c, reads, count, 2);
  y = webnn_onnx__joined(c, webnn_onnx__scaled(c, y, scale));
  y = webnn_onnx__cast(c, y, webnn_onnx_graph_type(type));
  r.state = webnn_onnx__cast(c, r.state, webnn_onnx_graph_type(state));
  return webnn_onnx__put_as(c, 0, y, type) && webnn_onnx__put_as(c, 1, r.state, state);
}

/* ---- 15.3 operators of com.microsoft that quantizers and optimizers write. Quantized tensors come
   with a scale and a zero point behind them. */

/* Input i less its zero point, times its scale. */
static webnn_onnx__o *webnn_onnx__real(webnn_onnx__call *c, size_t i) {
  webnn_onnx__o *x = webnn_onnx__x(c, i), *scale = webnn_onnx__x(c, i + 1);
  return webnn_onnx__dequantize(c, x, scale, webnn_onnx__optional(c, i + 2), 1,
                                webnn_onnx__is_narrow(webnn_onnx__type(c, i)));
}

/* Output 0: x quantized by the scale and zero point that inputs i and i + 1 are. Without a zero
   point it is of the type of input `like`. Where x has few values, halves are frequent, and are
   ONNX Runtime's by a division before (`divided`). */
static bool webnn_onnx__put_quantized(webnn_onnx__call *c, webnn_onnx__o *x, size_t i, size_t like,
                                      bool divided) {
  const webnn_onnx_type type = webnn_onnx__type(c, webnn_onnx__has(c, i + 1) ? i + 1 : like);
  x = webnn_onnx__quantize(c, x, webnn_onnx__x(c, i), webnn_onnx__optional(c, i + 1), type, 1,
                           divided);
  return webnn_onnx__put_as(c, 0, x, type);
}

/* A, its scale and zero point, B and its, those of the result. */
static bool webnn_onnx__lower_qlinear_binary(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__real(c, 0), *y = webnn_onnx__real(c, 3);
  return webnn_onnx__put_quantized(c, webnn_onnx__2(c, (webnn_op)c->row->detail, x, y), 6, 0,
                                   false);
}

/* Those of the result, then tensors with theirs. */
static bool webnn_onnx__lower_qlinear_concat(webnn_onnx__call *c) {
  const size_t count = c->in_count < 5 ? 0 : (c->in_count - 2) / 3;
  webnn_onnx__o **parts = webnn_onnx__operands(c, count);
  uint32_t axis;
  size_t i;
  if (count == 0 || c->in_count != 2 + 3 * count || webnn_onnx__failed(c)) {
    return webnn_onnx__fail(c, "the number of inputs (%u) must be 2 and 3 for each tensor",
                            (unsigned)c->in_count);
  }
  for (i = 0; i < count; i++) {
    parts[i] = webnn_onnx__real(c, 2 + 3 * i);
  }
  axis = webnn_onnx__axis_of(c, "axis", 0, webnn_onnx__shape(c, 2).count);
  return webnn_onnx__put_quantized(c, webnn_onnx__concat(c, parts, count, axis), 0, 2, true);
}

enum { WEBNN_ONNX__Q_SIGMOID, WEBNN_ONNX__Q_LEAKY_RELU, WEBNN_ONNX__Q_SOFTMAX };

/* Softmax is over all dimensions from the axis on if its attribute opset says so. */
static webnn_onnx__o *webnn_onnx__quantized_softmax(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_list shape = webnn_onnx__sizes(x);
  const bool whole = webnn_onnx__int(c, "opset", 13) < 13;
  const uint32_t axis = webnn_onnx__axis_of(c, "axis", -1, shape.count);
  x = whole ? webnn_onnx__flattened(c, x, axis) : x;
  return webnn_onnx__reshape(c, webnn_onnx__softmax(c, x, whole ? 1 : axis), shape);
}

static bool webnn_onnx__lower_qlinear_unary(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__real(c, 0);
  x = c->row->detail == WEBNN_ONNX__Q_SIGMOID ? webnn_onnx__sigmoid(c, x)
      : c->row->detail == WEBNN_ONNX__Q_SOFTMAX
          ? webnn_onnx__quantized_softmax(c, x)
          : webnn_onnx__leaky_relu(c, x, webnn_onnx__float(c, "alpha", 0.01));
  return webnn_onnx__put_quantized(c, x, 3, 0, true);
}

static bool webnn_onnx__lower_qlinear_reduce(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__real(c, 0);
  const uint32_t rank = webnn_onnx__sizes(x).count;
  webnn_list axes = webnn_onnx__axes_from(0, rank);
  if (!webnn_onnx__axes_or(c, WEBNN_ONNX__NO_INPUT, rank, axes, &axes)) {
    return false;
  }
  x = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MEAN, x, axes, webnn_onnx__int(c, "keepdims", 1) != 0);
  return webnn_onnx__put_quantized(c, x, 3, 0, true);
}

static bool webnn_onnx__lower_qlinear_where(webnn_onnx__call *c) {
  webnn_onnx__o *condition = webnn_onnx__x(c, 0), *x = webnn_onnx__real(c, 1);
  webnn_onnx__o *y = webnn_onnx__real(c, 4);
  return webnn_onnx__put_quantized(c, webnn_onnx__select(c, condition, x, y), 7, 1, true);
}

/* Channels last become second, or go back. */
static webnn_onnx__o *webnn_onnx__channels_first(webnn_onnx__call *c, webnn_onnx__o *x) {
  const uint32_t rank = webnn_onnx__sizes(x).count;
  return webnn_onnx__move_axis(c, x, rank - 1, 1);
}

static webnn_onnx__o *webnn_onnx__channels_last(webnn_onnx__call *c, webnn_onnx__o *x) {
  const uint32_t rank = webnn_onnx__sizes(x).count;
  return webnn_onnx__move_axis(c, x, 1, rank - 1);
}

/* Means over windows, or over all places. */
static bool webnn_onnx__lower_qlinear_pool(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__real(c, 0);
  const bool last = webnn_onnx__flag(c, "channels_last");
  const uint32_t rank = webnn_onnx__sizes(x).count;
  if (rank < 3) {
    return webnn_onnx__put(c, 0, NULL);
  }
  x = last ? webnn_onnx__channels_first(c, x) : x;
  x = c->row->detail != 0
          ? webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MEAN, x, webnn_onnx__axes_from(2, rank), true)
          : webnn_onnx__average_pool(c, x);
  return webnn_onnx__put_quantized(c, last ? webnn_onnx__channels_last(c, x) : x, 3, 0, true);
}

static bool webnn_onnx__lower_nhwc_max_pool(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__ranked(c, 0, 3, WEBNN_MAX_RANK);
  const webnn_list none = WEBNN_ZERO;
  webnn_onnx__windows w;

  x = webnn_onnx__channels_first(c, x);
  if (!webnn_onnx__read_windows(c, webnn_onnx__sizes(x), none, &w) ||
      !webnn_onnx__ceil_pads(c, &w)) {
    return false;
  }
  x = webnn_onnx__pool_windows(c, WEBNN_OP_MAX_POOL2D, x, &w);
  return webnn_onnx__put(c, 0, webnn_onnx__channels_last(c, x));
}

/* A B + C; C is of the scale of both. Without a scale for it the result is of floats. */
static bool webnn_onnx__lower_qgemm(webnn_onnx__call *c) {
  webnn_onnx__o *a = webnn_onnx__x(c, 0), *b = webnn_onnx__x(c, 3);
  webnn_onnx__o *scale = webnn_onnx__x(c, 1), *other = webnn_onnx__x(c, 4), *bias;
  const bool transposed = webnn_onnx__flag(c, "transB");
  webnn_gemm_options o = WEBNN_ZERO;
  a = webnn_onnx__dequantize(c, a, scale, webnn_onnx__x(c, 2), 1, true);
  b = webnn_onnx__dequantize(c, b, other, webnn_onnx__x(c, 5), transposed ? 0 : 1, true);
  o.label = c->node->name;
  o.alpha = webnn_f64(webnn_onnx__float(c, "alpha", 1));
  o.a_transpose = webnn_onnx__flag(c, "transA");
  o.b_transpose = transposed;
  a = webnn_gemm(webnn_onnx__b(c), a, b, &o);
  if (webnn_onnx__has(c, 6)) { /* integers in units of alpha, both scales multiplied */
    bias = webnn_onnx__cast(c, webnn_onnx__x(c, 6), WEBNN_FLOAT32);
    scale = webnn_onnx__mul(c, webnn_onnx__reshape(c, scale, webnn_extra__no_items()), other);
    bias = webnn_onnx__mul(c, bias, scale);
    a = webnn_onnx__add(c, a, webnn_onnx__scaled(c, bias, webnn_onnx__float(c, "alpha", 1)));
  }
  return webnn_onnx__has(c, 7) ? webnn_onnx__put_quantized(c, a, 7, 0, false)
                               : webnn_onnx__put_as(c, 0, a, WEBNN_ONNX_FLOAT);
}

/* A of integers, B, both scales, both zero points, a bias; or A of floats, which is quantized by
   its own range, B, its scale and zero point, a bias. */
static bool webnn_onnx__lower_matmul_to_float(webnn_onnx__call *c) {
  const bool dynamic = c->row->detail != 0;
  webnn_onnx__o *a = webnn_onnx__x(c, 0), *b = webnn_onnx__x(c, 1), *scale, *zero, *divisor;
  if (dynamic) {
    webnn_onnx__range_of(c, a, &scale, &divisor, &zero);
    a = webnn_onnx__quantize(c, a, divisor, zero, WEBNN_ONNX_UINT8, 0, true);
    a = webnn_onnx__dequantize(c, a, scale, zero, 0, true);
    b = webnn_onnx__dequantize(c, b, webnn_onnx__x(c, 2), webnn_onnx__optional(c, 3), -1, true);
  } else {
    a = webnn_onnx__dequantize(c, a, webnn_onnx__x(c, 2), webnn_onnx__optional(c, 4), -2, true);
    b = webnn_onnx__dequantize(c, b, webnn_onnx__x(c, 3), webnn_onnx__optional(c, 5), -1, true);
  }
  a = webnn_onnx__plus_input(c, webnn_onnx__product_of(c, a, b), dynamic ? 4 : 6);
  return webnn_onnx__put_as(c, 0, a, WEBNN_ONNX_FLOAT);
}

/* X, filter, bias, and a tensor that is added before the activation. */
static bool webnn_onnx__lower_fused_conv(webnn_onnx__call *c) {
  webnn_onnx__o *x =
      webnn_onnx__conv(c, webnn_onnx__x(c, 0), webnn_onnx__x(c, 1), webnn_onnx__optional(c, 2));
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, "activation_params");
  x = webnn_onnx__plus_input(c, x, 3);
  return webnn_onnx__put(c, 0,
                         webnn_onnx__activated(c, x, webnn_onnx__string(c, "activation", ""),
                                               a->float_count > 0 ? (double)a->floats[0] : 0,
                                               a->float_count > 1 ? (double)a->floats[1] : 0));
}

/* A product, a bias, and the approximation of gelu by tanh. */
static bool webnn_onnx__lower_gemm_gelu(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__product_of(c, webnn_onnx__x(c, 0), webnn_onnx__x(c, 1));
  return webnn_onnx__put(c, 0, webnn_onnx__tanh_gelu(c, webnn_onnx__plus_input(c, x, 2)));
}

/* The sum of an input and a bias: one half times gelu of the other; or with
   another tensor added. */
static bool webnn_onnx__lower_biased(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__add(c, webnn_onnx__x(c, 0), webnn_onnx__x(c, 1)), *gate;
  const webnn_list s = webnn_onnx__sizes(x);
  uint32_t half;
  if (s.count == 0) {
    return webnn_onnx__put(c, 0, NULL);
  }
  if (c->row->detail != 0) {
    return webnn_onnx__put(c, 0, webnn_onnx__add(c, x, webnn_onnx__x(c, 2)));
  }
  half = s.items[s.count - 1] / 2;
  if (half == 0 || s.items[s.count - 1] % 2 != 0) {
    return webnn_onnx__fail(c, "the last dimension of input 0 (%u) must be even",
                            s.items[s.count - 1]);
  }
  gate = webnn_onnx__slice(c, x, s.count - 1, half, half);
  x = webnn_onnx__slice(c, x, s.count - 1, 0, half);
  return webnn_onnx__put(c, 0, webnn_onnx__mul(c, x, webnn_onnx__1(c, WEBNN_OP_GELU, gate)));
}

/* Bytes of two 4-bit numbers along the last dimension as float32, one for each. */
static webnn_onnx__o *webnn_onnx__nibbles(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_list s = webnn_onnx__sizes(x);
  webnn_onnx__o *high = webnn_onnx__div(c, x, webnn_onnx__like(c, x, 16)), *low;
  webnn_list shape = webnn_extra__inserted(s, s.count, 1);
  low = webnn_onnx__sub(c, x, webnn_onnx__mul(c, high, webnn_onnx__like(c, x, 16)));
  x = webnn_onnx__concat2(c, webnn_onnx__reshape(c, low, shape),
                          webnn_onnx__reshape(c, high, shape), s.count);
  shape = s;
  shape.items[s.count - 1] *= 2;
  return webnn_onnx__cast(c, webnn_onnx__reshape(c, x, shape), WEBNN_FLOAT32);
}

/* Rows of a quantized table: data, indices, scales, zero points. Only what is
   gathered is dequantized. */
static bool webnn_onnx__lower_gather_blocks(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *at = webnn_onnx__indices(c, 1);
  webnn_onnx__o *scale = webnn_onnx__x(c, 2), *zero = webnn_onnx__optional(c, 3);
  const bool packed =
      webnn_onnx__type(c, 0) == WEBNN_ONNX_UINT8 && webnn_onnx__int(c, "bits", 4) == 4;
  const bool bytes = webnn_onnx__type(c, 0) == WEBNN_ONNX_UINT8 && !packed;
  const webnn_data_type type = webnn_onnx__graph_type_of(scale);
  const webnn_list s = webnn_onnx__sizes(x);
  const int64_t block = webnn_onnx__int(c, "block_size", 128);
  const uint32_t axis = webnn_onnx__axis_of(c, "gather_axis", 0, s.count);
  uint32_t along = webnn_onnx__axis_of(c, "quantize_axis", 1, s.count);
  if (axis == along || (packed && along != s.count - 1)) {
    return webnn_onnx__fail(c, "attribute quantize_axis (%u) must not be gather_axis (%u)%s", along,
                            axis, packed ? ", and must be the last axis of packed uint8" : "");
  }
  if (s.count - 1 + webnn_onnx__sizes(at).count > WEBNN_MAX_RANK) {
    return webnn_onnx__fail(c, "the result has %u dimensions, more than 8",
                            s.count - 1 + webnn_onnx__sizes(at).count);
  }
  if (!webnn_onnx__must_have_rank(c, 2, s.count, s.count) ||
      (webnn_onnx__has(c, 3) && !webnn_onnx__must_have_rank(c, 3, s.count, s.count))) {
    return false;
  }
  /* 4-bit types are no type that WebNN gathers. */
  x = webnn_onnx__gather(c, webnn_onnx__widened(c, x), at, axis);
  scale = webnn_onnx__gather(c, scale, at, axis);
  if (webnn_onnx__has(c, 3)) {
    zero = webnn_onnx__gather(c, webnn_onnx__widened(c, zero), at, axis);
  }
  along = along < axis ? along : along + webnn_onnx__sizes(at).count - 1;
  if (packed) { /* an odd number of blocks has half a byte more */
    x = webnn_onnx__nibbles(c, x);
    if (webnn_onnx__has(c, 3)) {
      zero = webnn_onnx__slice(c, webnn_onnx__nibbles(c, zero), along, 0,
                               webnn_onnx__sizes(scale).items[along]);
    }
  }
  x = webnn_onnx__cast(c, x, type);
  if (webnn_onnx__has(c, 3)) {
    zero = webnn_onnx__blocks_along(c, x, webnn_onnx__cast(c, zero, type), along, block);
    x = webnn_onnx__sub(c, x, webnn_onnx__unblocked(c, x, zero));
  } else if (packed || bytes) {
    x = webnn_onnx__plus(c, x, packed ? -8 : -128);
  }
  scale = webnn_onnx__unblocked(c, x, webnn_onnx__blocks_along(c, x, scale, along, block));
  return webnn_onnx__put_as(c, 0, webnn_onnx__mul(c, x, scale), webnn_onnx__type(c, 2));
}

/* Of channels that are last: X, scale, bias; then x sigmoid(x) if its activation says so. */
static bool webnn_onnx__lower_microsoft_group_norm(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *y, *factor;
  const bool last = webnn_onnx__int(c, "channels_last", 1) != 0;
  const uint32_t rank = webnn_onnx__sizes(x).count;
  x = last ? webnn_onnx__channels_first(c, x) : x;
  y = webnn_onnx__group_norm(c, x, webnn_onnx__int(c, "groups", 0));
  factor = webnn_onnx__cast(c, webnn_onnx__x(c, 1), webnn_onnx__graph_type_of(x));
  y = webnn_onnx__mul(c, y, webnn_onnx__along(c, factor, rank, 1));
  factor = webnn_onnx__cast(c, webnn_onnx__x(c, 2), webnn_onnx__graph_type_of(x));
  y = webnn_onnx__add(c, y, webnn_onnx__along(c, factor, rank, 1));
  y = webnn_onnx__flag(c, "activation") ? webnn_onnx__swish(c, y, 1) : y;
  return webnn_onnx__put(c, 0, last ? webnn_onnx__channels_last(c, y) : y);
}

/* ---- 15.4 distances, and operators that ONNX now has under another name. */

/* The dimensions of input 0 with one of 1 at the axis that input 1 holds. */
static bool webnn_onnx__lower_expand_dims(webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  const uint32_t axis = webnn_onnx__axis(c, webnn_onnx__scalar_integer(c, 1), shape.count + 1);
  if (shape.count == WEBNN_MAX_RANK) {
    return webnn_onnx__fail(c, "the result has more than 8 dimensions");
  }
  return webnn_onnx__has(c, 0)
             ? webnn_onnx__put_reshaped(c, 0, c->in[0], webnn_extra__inserted(shape, axis, 1))
             : webnn_onnx__fail(c, "input 0 is missing");
}

/* Rows less their means. */
static webnn_onnx__o *webnn_onnx__row_centred(webnn_onnx__call *c, webnn_onnx__o *x) {
  return webnn_onnx__sub(c, x, webnn_onnx__mean(c, x, webnn_extra__list1(2)));
}

/* 1 less the cosine of the angle between vectors along axis 2. */
static webnn_onnx__o *webnn_onnx__cosine_distance(webnn_onnx__call *c, webnn_onnx__o *a,
                                                  webnn_onnx__o *b) {
  const webnn_list axis = webnn_extra__list1(2);
  webnn_onnx__o *product =
      webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, webnn_onnx__mul(c, a, b), axis, false);
  webnn_onnx__o *lengths =
      webnn_onnx__mul(c, webnn_onnx__reduce(c, WEBNN_OP_REDUCE_L2, a, axis, false),
                      webnn_onnx__reduce(c, WEBNN_OP_REDUCE_L2, b, axis, false));
  product = webnn_onnx__div(c, product, lengths);
  return webnn_onnx__sub(c, webnn_onnx__like(c, product, 1), product);
}

/* The sum of |a - b| / (|a| + |b|), in which 0 / 0 is 0. */
static webnn_onnx__o *webnn_onnx__canberra(webnn_onnx__call *c, webnn_onnx__o *a, webnn_onnx__o *b,
                                           webnn_onnx__o *apart) {
  webnn_onnx__o *whole = webnn_onnx__add(c, webnn_onnx__abs(c, a), webnn_onnx__abs(c, b));
  webnn_onnx__o *zero = webnn_onnx__like(c, whole, 0);
  webnn_onnx__o *part = webnn_onnx__div(c, webnn_onnx__abs(c, apart), whole);
  part = webnn_onnx__select(c, webnn_onnx__equal(c, whole, zero), zero, part);
  return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, part, webnn_extra__list1(2), false);
}

/* In the order of the words in webnn_onnx__lower_distances. */
typedef enum webnn_onnx__metric {
  WEBNN_ONNX__SQUARED_EUCLIDEAN,
  WEBNN_ONNX__EUCLIDEAN,
  WEBNN_ONNX__CITY_BLOCK,
  WEBNN_ONNX__CHEBYSHEV,
  WEBNN_ONNX__CANBERRA,
  WEBNN_ONNX__BRAY_CURTIS,
  WEBNN_ONNX__HAMMING,
  WEBNN_ONNX__COSINE,
  WEBNN_ONNX__CORRELATION
} webnn_onnx__metric;

/* Distances of vectors [m, 1, n] and [1, k, n]. */
static webnn_onnx__o *webnn_onnx__distance(webnn_onnx__call *c, webnn_onnx__o *a, webnn_onnx__o *b,
                                           webnn_onnx__metric metric) {
  const webnn_list axis = webnn_extra__list1(2);
  webnn_onnx__o *apart = webnn_onnx__sub(c, a, b), *other;
  switch (metric) {
  case WEBNN_ONNX__SQUARED_EUCLIDEAN:
    return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM_SQUARE, apart, axis, false);
  case WEBNN_ONNX__EUCLIDEAN:
    return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_L2, apart, axis, false);
  case WEBNN_ONNX__CITY_BLOCK:
    return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_L1, apart, axis, false);
  case WEBNN_ONNX__CHEBYSHEV:
    return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, webnn_onnx__abs(c, apart), axis, false);
  case WEBNN_ONNX__CANBERRA:
    return webnn_onnx__canberra(c, a, b, apart);
  case WEBNN_ONNX__BRAY_CURTIS:
    other = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_L1, webnn_onnx__add(c, a, b), axis, false);
    apart = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_L1, apart, axis, false);
    return webnn_onnx__div(c, apart, other);
  case WEBNN_ONNX__HAMMING: /* the share of elements that differ */
    other = webnn_onnx__not_equal(c, a, b);
    other = webnn_onnx__cast(c, other, webnn_onnx__graph_type_of(a));
    return webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MEAN, other, axis, false);
  case WEBNN_ONNX__COSINE:
    return webnn_onnx__cosine_distance(c, a, b);
  default: /* correlation */
    return webnn_onnx__cosine_distance(c, webnn_onnx__row_centred(c, a),
                                       webnn_onnx__row_centred(c, b));
  }
}

/* Distances of each row of A to each of B, of differences: products would cancel where rows are
   near to each other. Some rows of A at a time, so that the differences take little memory. */
static webnn_onnx__o *webnn_onnx__distances(webnn_onnx__call *c, webnn_onnx__o *a, webnn_onnx__o *b,
                                            webnn_onnx__metric metric) {
  const webnn_list as = webnn_onnx__sizes(a), bs = webnn_onnx__sizes(b);
  webnn_onnx__o **parts;
  uint64_t step;
  size_t count = 0;
  uint32_t row;
  if (as.count != 2 || bs.count != 2 || as.items[1] != bs.items[1]) {
    return webnn_onnx__no_operand(
        c, "inputs 0 and 1 (%s and %s) must be matrices with as many columns",
        webnn_onnx__show_shape(as).text, webnn_onnx__show_shape(bs).text);
  }
  step = WEBNN_ONNX__MOST_INDICES / ((uint64_t)bs.items[0] * bs.items[1]);
  step = step == 0 ? 1 : step > as.items[0] ? as.items[0] : step;
  parts = webnn_onnx__operands(c, as.items[0] / (size_t)step + 1);
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  b = webnn_onnx__as3(c, b, 1, bs.items[0], bs.items[1]);
  for (row = 0; row < as.items[0]; row += (uint32_t)step) {
    const uint32_t rows = as.items[0] - row < step ? as.items[0] - row : (uint32_t)step;
    webnn_onnx__o *part = webnn_onnx__slice(c, a, 0, row, rows);
    part = webnn_onnx__as3(c, part, rows, 1, as.items[1]);
    parts[count++] = webnn_onnx__distance(c, part, b, metric);
  }
  return webnn_onnx__concat(c, parts, count, 0);
}

static bool webnn_onnx__lower_distances(webnn_onnx__call *c) {
  webnn_onnx__o *a = webnn_onnx__x(c, 0), *b = webnn_onnx__x(c, 1);
  const size_t metric = webnn_onnx__word(
      c, "metric", "sqeuclidean",
      "sqeuclidean|euclidean|cityblock|chebyshev|canberra|braycurtis|hamming|cosine|correlation");
  return webnn_onnx__put(c, 0, webnn_onnx__distances(c, a, b, (webnn_onnx__metric)metric));
}

/* ---- 15.5 ai.onnx.ml: what scikit-learn and its like have learned. The numbers are attributes. */

/* An attribute's integers; NULL and 0 without it. */
static const int64_t *webnn_onnx__ints(const webnn_onnx__call *c, const char *name, size_t *count) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  *count = a->int_count;
  return a->ints;
}

/* An attribute's floats, or the elements of the tensor that it is, or that an attribute is whose
   name ends in _as_tensor. NULL and 0 without any, and after a failure. */
static const float *webnn_onnx__floats(webnn_onnx__call *c, const char *name, size_t *count) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  char longer[80];
  float *copy;
  size_t i;
  (void)snprintf(longer, sizeof longer, "%s_as_tensor", name);
  a = webnn_onnx__is_there(a) ? a : webnn_onnx__attribute_of(c, longer);
  *count = a->float_count;
  if (a->t == NULL) {
    return a->floats;
  }
  (void)snprintf(longer, sizeof longer, "attribute %s", name);
  if (!webnn_onnx__load_for(c, a->t, longer)) {
    *count = 0;
    return NULL;
  }
  *count = (size_t)a->t->count;
  copy = (float *)webnn_onnx__room(c, count, sizeof *copy);
  for (i = 0; i < *count; i++) {
    webnn_onnx__value value;
    memset(&value, 0, sizeof value);
    value.type = a->t->type;
    value.data = a->t->graph_data;
    copy[i] = (float)webnn_onnx__number_at(&value, i);
  }
  return copy;
}

static void webnn_onnx__wrong_count(webnn_onnx__call *c, const char *name, uint64_t there,
                                    uint64_t count) {
  if (there == 0) {
    (void)webnn_onnx__fail(c, "attribute %s is missing or empty", name);
  } else {
    (void)webnn_onnx__fail(c, "the length of attribute %s (%llu) must be %llu", name,
                           (unsigned long long)there, (unsigned long long)count);
  }
}

/* Floats of which there must be `count`. */
static const float *webnn_onnx__exact_floats(webnn_onnx__call *c, const char *name,
                                             uint64_t count) {
  size_t there;
  const float *items = webnn_onnx__floats(c, name, &there);
  if (there != count || count == 0) {
    webnn_onnx__wrong_count(c, name, there, count);
    return NULL;
  }
  return items;
}

/* Input 0 as float32 [N, C]: a list is one row. */
static webnn_onnx__o *webnn_onnx__features(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const webnn_list s = webnn_onnx__sizes(x);
  if (s.count != 1 && s.count != 2) {
    return webnn_onnx__no_operand(c, "input 0 must be [C] or [N,C]; it has %u dimensions", s.count);
  }
  x = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  return s.count == 2 ? x : webnn_onnx__as2(c, x, 1, s.items[0]);
}

/* The quantile of the normal distribution by Winitzki's formula, which ONNX's evaluator has. */
static webnn_onnx__o *webnn_onnx__probit(webnn_onnx__call *c, webnn_onnx__o *x) {
  const double pi = 3.14159265358979323846, a = 0.147;
  webnn_onnx__o *z = webnn_onnx__plus(c, webnn_onnx__scaled(c, x, 2), -1), *log, *v, *root;
  webnn_onnx__o *one = webnn_onnx__like(c, z, 1);
  log = webnn_onnx__mul(c, webnn_onnx__sub(c, one, z), webnn_onnx__plus(c, z, 1));
  log = webnn_onnx__log(c, log);
  v = webnn_onnx__plus(c, webnn_onnx__scaled(c, log, 0.5), 2 / (pi * a));
  root = webnn_onnx__sub(c, webnn_onnx__mul(c, v, v), webnn_onnx__scaled(c, log, 1 / a));
  root = webnn_onnx__sub(c, webnn_onnx__sqrt(c, root), v);
  root = webnn_onnx__sqrt(c, webnn_onnx__max(c, root, webnn_onnx__like(c, root, 0)));
  root = webnn_onnx__mul(c, root, webnn_onnx__sign(c, z));
  return webnn_onnx__scaled(c, root, webnn_onnx__root(2));
}

/* Softmax of rows [N, E] in which zeros stay zeros; a row of nothing but zeros becomes halves. */
static webnn_onnx__o *webnn_onnx__softmax_zero(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_list axis = webnn_extra__list1(1);
  webnn_onnx__o *most = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, x, axis, true), *some, *sum, *y;
  webnn_onnx__o *less = webnn_onnx__neg(c, most);
  some = webnn_onnx__less(c, webnn_onnx__like(c, x, 1e-7f), webnn_onnx__abs(c, x));
  y = webnn_onnx__exp(c, webnn_onnx__sub(c, x, most));
  y = webnn_onnx__select(c, some, y, webnn_onnx__mul(c, x, webnn_onnx__exp(c, less)));
  sum = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, y, axis, true);
  return webnn_onnx__select(c, webnn_onnx__equal(c, sum, webnn_onnx__like(c, sum, 0)),
                            webnn_onnx__like(c, sum, 0.5), webnn_onnx__div(c, y, sum));
}

/* Scores [N, E] as post_transform wants them: by the numbers that TreeEnsemble has for them. */
static webnn_onnx__o *webnn_onnx__transformed_scores(webnn_onnx__call *c, webnn_onnx__o *x,
                                                     size_t transform) {
  switch (transform) {
  case 1:
    return webnn_onnx__softmax(c, x, 1);
  case 2:
    return webnn_onnx__sigmoid(c, x);
  case 3:
    return webnn_onnx__softmax_zero(c, x);
  case 4:
    return webnn_onnx__probit(c, x);
  default:
    return x;
  }
}

static webnn_onnx__o *webnn_onnx__post_transform(webnn_onnx__call *c, webnn_onnx__o *x) {
  return webnn_onnx__transformed_scores(
      c, x,
      webnn_onnx__word(c, "post_transform", "NONE", "NONE|SOFTMAX|LOGISTIC|SOFTMAX_ZERO|PROBIT"));
}

/* Scores s [N, 1] of the second of two classes as [-s, s]. */
static webnn_onnx__o *webnn_onnx__both_signs(webnn_onnx__call *c, webnn_onnx__o *x) {
  return webnn_onnx__concat2(c, webnn_onnx__neg(c, x), x, 1);
}

/* The labels of classes; their number is that of strings, too. */
typedef struct webnn_onnx__labels {
  const char *strings; /* the attribute, NULL: they are integers */
  const int64_t *items;
  size_t count;
} webnn_onnx__labels;

static bool webnn_onnx__labels_of(webnn_onnx__call *c, const char *ints,
                                  webnn_onnx__labels *labels) {
  static const char strings[] = "classlabels_strings";
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, strings);
  labels->items = webnn_onnx__ints(c, ints, &labels->count);
  labels->strings = a->string_count != 0 ? strings : NULL;
  labels->count = labels->strings != NULL ? a->string_count : labels->count;
  return labels->count != 0 ||
         webnn_onnx__fail(c, "attribute %s or %s must have labels; neither has", ints, strings);
}

/* Output 0: the labels of classes [N], of int64. Labels that are strings make a value that no
   operator takes: scores can do without. */
static bool webnn_onnx__put_labels(webnn_onnx__call *c, const webnn_onnx__labels *labels,
                                   webnn_onnx__o *classes) {
  webnn_onnx__o *items;
  if (!webnn_onnx__wants(c, 0)) {
    return true;
  }
  if (labels->strings != NULL) {
    c->out[0]->kind = WEBNN_ONNX__IS_TEXT;
    c->out[0]->type = WEBNN_ONNX_STRING;
    return true;
  }
  items = webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__list1(labels->count), labels->items);
  return webnn_onnx__put_as(c, 0, webnn_onnx__gather(c, items, classes, 0), WEBNN_ONNX_INT64);
}

/* The class of a score [N, 1]: the second where it is larger than the bound. With one label only,
   there is this, or 0. */
static bool webnn_onnx__put_second(webnn_onnx__call *c, const webnn_onnx__labels *labels,
                                   webnn_onnx__o *score, double bound) {
  webnn_onnx__labels pair = *labels;
  int64_t items[2] = {0, 0};
  webnn_onnx__o *second = webnn_onnx__less(c, webnn_onnx__like(c, score, bound), score);
  if (labels->count == 1 && labels->strings == NULL) {
    items[1] = labels->items[0];
    pair.items = items;
    pair.count = 2;
  }
  second = webnn_onnx__cast(c, second, WEBNN_INT64);
  second = webnn_onnx__as1(c, second, webnn_onnx__sizes(score).items[0]);
  return webnn_onnx__put_labels(c, &pair, second);
}

static bool webnn_onnx__put_largest(webnn_onnx__call *c, const webnn_onnx__labels *labels,
                                    webnn_onnx__o *scores) {
  return webnn_onnx__put_labels(c, labels, webnn_onnx__arg(c, scores, 1, true, false));
}

/* An attribute's numbers, one for each column or one for all, along the last dimension;
   NULL after a failure. */
static webnn_onnx__o *webnn_onnx__per_feature(webnn_onnx__call *c, const char *name, double absent,
                                              uint32_t columns) {
  size_t count;
  const float *items = webnn_onnx__floats(c, name, &count);
  if (count != 0 && count != 1 && count != columns) {
    return webnn_onnx__no_operand(
        c, "the length of attribute %s (%lu) must be 1 or the columns of input 0 (%u)", name,
        (unsigned long)count, columns);
  }
  return count == 0 ? webnn_onnx__number(c, WEBNN_FLOAT32, absent)
                    : webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list1(count), items);
}

static bool webnn_onnx__lower_scaler(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *offset, *scale;
  const webnn_list s = webnn_onnx__sizes(x);
  const uint32_t columns = s.count == 0 ? 1 : s.items[s.count - 1];
  offset = webnn_onnx__per_feature(c, "offset", 0, columns);
  scale = webnn_onnx__per_feature(c, "scale", 1, columns);
  x = webnn_onnx__sub(c, webnn_onnx__cast(c, x, WEBNN_FLOAT32), offset);
  return webnn_onnx__put_as(c, 0, webnn_onnx__mul(c, x, scale), WEBNN_ONNX_FLOAT);
}

/* Rows divided by their largest element, the sum of their magnitudes or their length,
   unless that is 0. */
static bool webnn_onnx__lower_normalizer(webnn_onnx__call *c) {
  static const webnn_op norms[] = {WEBNN_OP_REDUCE_MAX, WEBNN_OP_REDUCE_L1, WEBNN_OP_REDUCE_L2};
  webnn_onnx__o *x = webnn_onnx__features(c), *size;
  const webnn_op op = norms[webnn_onnx__word(c, "norm", "MAX", "MAX|L1|L2")];
  size = webnn_onnx__reduce(c, op, x, webnn_extra__list1(1), true);
  size = webnn_onnx__select(c, webnn_onnx__equal(c, size, webnn_onnx__like(c, size, 0)),
                            webnn_onnx__like(c, size, 1), size);
  x = webnn_onnx__reshape(c, webnn_onnx__div(c, x, size), webnn_onnx__shape(c, 0));
  return webnn_onnx__put_as(c, 0, x, WEBNN_ONNX_FLOAT);
}

/* 1 where an element is larger than the threshold, of the input's type: a whole number is larger
   than a threshold if it is larger than the whole number below that. */
static bool webnn_onnx__lower_binarizer(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0);
  const double threshold = webnn_onnx__float(c, "threshold", 0);
  webnn_onnx__o *y;
  y = webnn_onnx__like(c, x, webnn_onnx__floating(x) ? threshold : webnn_onnx__floor(threshold));
  y = webnn_onnx__less(c, y, x);
  return webnn_onnx__put(c, 0, webnn_onnx__cast(c, y, webnn_onnx__graph_type_of(x)));
}

/* Columns along the last dimension; those of a list make one row. */
static bool webnn_onnx__lower_array_features(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *at = webnn_onnx__indices(c, 1);
  const webnn_list s = webnn_onnx__sizes(x);
  const uint64_t count = webnn_onnx__count_of(webnn_onnx__sizes(at));
  size_t i;
  if (at == NULL || s.count == 0) {
    return webnn_onnx__fail(c, "input 0 must have at least one dimension");
  }
  for (i = 0; i < count && webnn_onnx__has_data(c, 1); i++) {
    const int64_t place = webnn_onnx__integer_at(c->in[1], i);
    if (!webnn_onnx__must_be(c, "a place in input 1", place, 0,
                             (int64_t)s.items[s.count - 1] - 1)) {
      return false;
    }
  }
  at = webnn_onnx__as1(c, at, count);
  x = webnn_onnx__gather(c, x, at, s.count - 1);
  x = s.count == 1 ? webnn_onnx__as2(c, x, 1, count) : x;
  return webnn_onnx__put(c, 0, x);
}

/* ---- encoders: numbers for numbers. */

/* A list of x's type from an attribute of integers or of floats: `ints` for integers
   x. NULL without it. */
static webnn_onnx__o *webnn_onnx__list_like(webnn_onnx__call *c, webnn_onnx__o *x, const char *ints,
                                            const char *floats) {
  const bool floating = webnn_onnx__floating(x);
  size_t count;
  const void *items = floating ? (const void *)webnn_onnx__floats(c, floats, &count)
                               : webnn_onnx__ints(c, ints, &count);
  webnn_onnx__o *list;
  if (count == 0) {
    return NULL;
  }
  list = webnn_onnx__constant(c, floating ? WEBNN_FLOAT32 : WEBNN_INT64, webnn_extra__list1(count),
                              items);
  return webnn_onnx__cast(c, list, webnn_onnx__graph_type_of(x));
}

/* Equal, or both NaN. */
static webnn_onnx__o *webnn_onnx__same(webnn_onnx__call *c, webnn_onnx__o *a, webnn_onnx__o *b) {
  webnn_onnx__o *same = webnn_onnx__equal(c, a, b), *nan;
  if (!webnn_onnx__floating(a)) {
    return same;
  }
  nan = webnn_onnx__logical_and(c, webnn_onnx__is_nan(c, a), webnn_onnx__is_nan(c, b));
  return webnn_onnx__logical_or(c, same, nan);
}

/* Elements that are the value to be replaced, by a number for each column, or one for all. */
static bool webnn_onnx__lower_imputer(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *by, *old;
  const webnn_list s = webnn_onnx__sizes(x);
  uint64_t count;
  by = webnn_onnx__list_like(c, x, "imputed_value_int64s", "imputed_value_floats");
  count = webnn_onnx__count_of(webnn_onnx__sizes(by));
  if (by == NULL || (count != 1 && (s.count == 0 || count != s.items[s.count - 1]))) {
    return webnn_onnx__fail(
        c,
        "attribute imputed_value_%s must have 1 item, or one for each column of "
        "input 0 (%s %s); it has %llu",
        webnn_onnx__floating(x) ? "floats" : "int64s", webnn_onnx_type_name(webnn_onnx__type(c, 0)),
        webnn_onnx__show_shape(s).text, (unsigned long long)(by == NULL ? 0 : count));
  }
  if (webnn_onnx__floating(x)) {
    old = webnn_onnx__like(c, x, (double)webnn_onnx__float(c, "replaced_value_float", 0));
  } else {
    const int64_t value = webnn_onnx__int(c, "replaced_value_int64", 0);
    old = webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__no_items(), &value);
    old = webnn_onnx__cast(c, old, webnn_onnx__graph_type_of(x));
  }
  return webnn_onnx__put(c, 0, webnn_onnx__select(c, webnn_onnx__same(c, x, old), by, x));
}

/* The columns of all inputs side by side. */
static bool webnn_onnx__lower_feature_vectorizer(webnn_onnx__call *c) {
  webnn_onnx__o **parts = webnn_onnx__operands(c, c->in_count);
  size_t count, i;
  const int64_t *columns = webnn_onnx__ints(c, "inputdimensions", &count);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  for (i = 0; i < c->in_count; i++) {
    webnn_onnx__o *x = webnn_onnx__x(c, i);
    const webnn_list s = webnn_onnx__sizes(x);
    const uint32_t rows = s.count < 2 ? 1 : s.items[0];
    const uint64_t size = webnn_onnx__count_of(s) / rows;
    if (i < count && columns[i] != (int64_t)size) {
      return webnn_onnx__fail(
          c, "the columns of input %u (%llu) must be those of attribute inputdimensions (%lld)",
          (unsigned)i, (unsigned long long)size, (long long)columns[i]);
    }
    x = webnn_onnx__as2(c, x, rows, size);
    parts[i] = webnn_onnx__cast(c, x, WEBNN_FLOAT32);
  }
  return webnn_onnx__put_as(c, 0, webnn_onnx__concat(c, parts, i, 1), WEBNN_ONNX_FLOAT);
}

/* x with a dimension of 1 more at its end. */
static webnn_onnx__o *webnn_onnx__as_column(webnn_onnx__call *c, webnn_onnx__o *x) {
  const webnn_list s = webnn_onnx__sizes(x);
  if (s.count >= WEBNN_MAX_RANK) {
    return webnn_onnx__no_operand(c, "input 0 must have at most 7 dimensions; it has %u", s.count);
  }
  return webnn_onnx__reshape(c, x, webnn_extra__inserted(s, s.count, 1));
}

/* 1 at the category that an element is, and 0 at the others: at all of them for another element. */
static bool webnn_onnx__lower_one_hot_encoder(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__as_column(c, webnn_onnx__x(c, 0));
  size_t count;
  const int64_t *items = webnn_onnx__ints(c, "cats_int64s", &count);
  if (count == 0) {
    return webnn_onnx__fail(c, "attribute cats_int64s is missing or empty");
  }
  x = webnn_onnx__equal(c, webnn_onnx__cast(c, x, WEBNN_INT64),
                        webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__list1(count), items));
  return webnn_onnx__put_as(c, 0, webnn_onnx__cast(c, x, WEBNN_FLOAT32), WEBNN_ONNX_FLOAT);
}

/* The tensor that an attribute is, in its own type; NULL without one, or after a failure. */
static webnn_onnx__o *webnn_onnx__tensor_attribute(webnn_onnx__call *c, const char *name,
                                                   webnn_onnx_type *type) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  char what[80];
  (void)snprintf(what, sizeof what, "attribute %s", name);
  if (a->t == NULL || a->t->count == 0 || !webnn_onnx__load_for(c, a->t, what)) {
    return NULL;
  }
  *type = a->t->type;
  return webnn_onnx__constant(c, webnn_onnx_graph_type(a->t->type), webnn_extra__list1(a->t->count),
                              a->t->graph_data);
}

/* What is put in place of keys, and of other elements. */
typedef struct webnn_onnx__encoding {
  webnn_onnx__o *values, *other;
  webnn_onnx_type type;
} webnn_onnx__encoding;

static bool webnn_onnx__encoding_of(webnn_onnx__call *c, webnn_onnx__encoding *e) {
  size_t count, floats;
  const int64_t *integers = webnn_onnx__ints(c, "values_int64s", &count);
  const float *items;
  e->values = webnn_onnx__tensor_attribute(c, "values_tensor", &e->type);
  if (e->values != NULL) {
    webnn_onnx_type type = e->type;
    e->other = webnn_onnx__tensor_attribute(c, "default_tensor", &type);
    e->other = e->other == NULL ? webnn_onnx__like(c, e->values, 0)
                                : webnn_onnx__cast(c, e->other, webnn_onnx_graph_type(e->type));
  } else if (count != 0) {
    const int64_t other = webnn_onnx__int(c, "default_int64", -1);
    e->type = WEBNN_ONNX_INT64;
    e->values = webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__list1(count), integers);
    e->other = webnn_onnx__constant(c, WEBNN_INT64, webnn_extra__no_items(), &other);
  } else if ((items = webnn_onnx__floats(c, "values_floats", &floats)) != NULL && floats != 0) {
    e->type = WEBNN_ONNX_FLOAT;
    e->values = webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list1(floats), items);
    e->other =
        webnn_onnx__number(c, WEBNN_FLOAT32, (double)webnn_onnx__float(c, "default_float", -0.0));
  }
  return e->values != NULL && e->other != NULL;
}

/* Elements that are keys, by the values in their places. */
static bool webnn_onnx__lower_label_encoder(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__x(c, 0), *keys, *mask, *at;
  const uint32_t rank = webnn_onnx__sizes(x).count;
  webnn_onnx_type type = WEBNN_ONNX_UNDEFINED;
  webnn_onnx__encoding e;
  memset(&e, 0, sizeof e);
  keys = webnn_onnx__tensor_attribute(c, "keys_tensor", &type);
  keys = keys != NULL ? webnn_onnx__cast(c, keys, webnn_onnx__graph_type_of(x))
                      : webnn_onnx__list_like(c, x, "keys_int64s", "keys_floats");
  if (keys == NULL || !webnn_onnx__encoding_of(c, &e)) {
    return webnn_onnx__fail(c,
                            "it must have keys of the type of input 0 (%s), as keys_tensor, "
                            "keys_int64s or keys_floats, and values that are numbers; it lacks %s",
                            webnn_onnx_type_name(webnn_onnx__type(c, 0)),
                            keys == NULL ? "the keys" : "the values");
  }
  if (webnn_onnx__count_of(webnn_onnx__sizes(keys)) !=
      webnn_onnx__count_of(webnn_onnx__sizes(e.values))) {
    return webnn_onnx__fail(c, "the number of keys (%llu) must be that of values (%llu)",
                            (unsigned long long)webnn_onnx__count_of(webnn_onnx__sizes(keys)),
                            (unsigned long long)webnn_onnx__count_of(webnn_onnx__sizes(e.values)));
  }
  x = webnn_onnx__as_column(c, x);
  mask = webnn_onnx__cast(c, webnn_onnx__same(c, x, keys), WEBNN_INT32);
  at = webnn_onnx__arg(c, mask, rank, true, false);
  mask = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, mask, webnn_extra__list1(rank), false);
  mask = webnn_onnx__not_equal(c, mask, webnn_onnx__like(c, mask, 0));
  x = webnn_onnx__select(c, mask, webnn_onnx__gather(c, e.values, at, 0), e.other);
  return webnn_onnx__put_as(c, 0, x, e.type);
}

/* x times the rows of coefficients, plus intercepts, if there are some. */
static webnn_onnx__o *webnn_onnx__linear_scores(webnn_onnx__call *c, webnn_onnx__o *x,
                                                size_t targets) {
  const uint32_t columns = webnn_onnx__sizes(x).items[1];
  const float *items = webnn_onnx__exact_floats(c, "coefficients", (uint64_t)targets * columns);
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_onnx__o *coefficients;
  size_t count;
  o.label = c->node->name;
  o.b_transpose = true;
  coefficients =
      webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list2(targets, columns), items);
  items = webnn_onnx__floats(c, "intercepts", &count);
  if (count != 0 && count != targets) {
    return webnn_onnx__no_operand(c, "the length of attribute intercepts (%lu) must be %lu",
                                  (unsigned long)count, (unsigned long)targets);
  }
  o.c = count == 0 ? NULL
                   : webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list1(targets), items);
  return webnn_gemm(webnn_onnx__b(c), x, coefficients, &o);
}

static bool webnn_onnx__lower_linear_regressor(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__features(c);
  const int64_t targets = webnn_onnx__int(c, "targets", 1);
  if (!webnn_onnx__must_be(c, "attribute targets", targets, 1, INT32_MAX)) {
    return false;
  }
  x = webnn_onnx__linear_scores(c, x, (size_t)targets);
  return webnn_onnx__put_as(c, 0, webnn_onnx__post_transform(c, x), WEBNN_ONNX_FLOAT);
}

/* Scores for each class; one row of coefficients for two classes has the score of the second. */
static bool webnn_onnx__lower_linear_classifier(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__features(c);
  webnn_onnx__labels labels;
  size_t count, rows;
  if (!webnn_onnx__labels_of(c, "classlabels_ints", &labels)) {
    return false;
  }
  (void)webnn_onnx__floats(c, "coefficients", &count);
  rows = count == webnn_onnx__sizes(x).items[1] ? 1 : labels.count;
  x = webnn_onnx__linear_scores(c, x, rows);
  if (rows == 1 && labels.count > 2) {
    return webnn_onnx__fail(c, "attribute coefficients must have rows for %lu labels; it has one",
                            (unsigned long)labels.count);
  }
  if (!(rows == 1 ? webnn_onnx__put_second(c, &labels, x, 0)
                  : webnn_onnx__put_largest(c, &labels, x))) {
    return false;
  }
  x = rows == 1 && labels.count == 2 ? webnn_onnx__both_signs(c, x) : x;
  return webnn_onnx__put_as(c, 1, webnn_onnx__post_transform(c, x), WEBNN_ONNX_FLOAT);
}

/* ---- 15.6 support vectors. */

/* gamma, coef0, degree. */
static void webnn_onnx__kernel_parameters(webnn_onnx__call *c, float *parameters) {
  size_t count;
  const float *items = webnn_onnx__floats(c, "kernel_params", &count);
  memset(parameters, 0, 3 * sizeof *parameters);
  if (count != 0 &&
      webnn_onnx__must_be(c, "the length of attribute kernel_params", (int64_t)count, 3, 3)) {
    memcpy(parameters, items, 3 * sizeof *parameters);
  }
}

/* 0 LINEAR, 1 POLY, 2 RBF, 3 SIGMOID */
static size_t webnn_onnx__kernel_type(webnn_onnx__call *c) {
  return webnn_onnx__word(c, "kernel_type", "LINEAR", "LINEAR|POLY|RBF|SIGMOID");
}

/* The kernel of each row of x with each of `count` vectors: [N, count]. */
static webnn_onnx__o *webnn_onnx__svm_kernel(webnn_onnx__call *c, webnn_onnx__o *x, size_t kind,
                                             const float *vectors, size_t count) {
  const uint32_t columns = webnn_onnx__sizes(x).items[1];
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_onnx__o *v, *y;
  float p[3];
  webnn_onnx__kernel_parameters(c, p);
  v = webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list2(count, columns), vectors);
  if (kind == 2) {
    y = webnn_onnx__distances(c, x, v, WEBNN_ONNX__SQUARED_EUCLIDEAN);
    return webnn_onnx__exp(c, webnn_onnx__scaled(c, y, -(double)p[0]));
  }
  o.label = c->node->name;
  o.b_transpose = true;
  y = webnn_gemm(webnn_onnx__b(c), x, v, &o);
  if (kind == 0) {
    return y;
  }
  y = webnn_onnx__plus(c, webnn_onnx__scaled(c, y, p[0]), p[1]);
  return kind == 1 ? webnn_onnx__pow(c, y, webnn_onnx__like(c, y, p[2])) : webnn_onnx__tanh(c, y);
}

/* The sum of kernels [N, count] times coefficients [count, columns], plus a row of numbers. */
static webnn_onnx__o *webnn_onnx__weighed(webnn_onnx__call *c, webnn_onnx__o *x,
                                          const float *coefficients, size_t count, size_t columns,
                                          const float *more) {
  webnn_gemm_options o = WEBNN_ZERO;
  o.label = c->node->name;
  o.c = webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list1(columns), more);
  return webnn_gemm(
      webnn_onnx__b(c), x,
      webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list2(count, columns), coefficients), &o);
}

/* Without support vectors the coefficients are the one vector. */
static bool webnn_onnx__lower_svm_regressor(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__features(c), *outside;
  const int64_t supports = webnn_onnx__int(c, "n_supports", 0);
  const size_t kind = webnn_onnx__kernel_type(c);
  const float *rho = webnn_onnx__exact_floats(c, "rho", 1), *items, *vectors;
  const uint32_t columns = webnn_onnx__sizes(x).items[1];
  if (!webnn_onnx__must_be(c, "attribute n_supports", supports, 0, INT32_MAX)) {
    return false;
  }
  if (supports == 0) {
    items = webnn_onnx__exact_floats(c, "coefficients", columns);
    x = webnn_onnx__weighed(c, x, items, columns, 1, rho);
  } else {
    items = webnn_onnx__exact_floats(c, "coefficients", (size_t)supports);
    vectors = webnn_onnx__exact_floats(c, "support_vectors", (uint64_t)supports * columns);
    x = webnn_onnx__svm_kernel(c, x, kind, vectors, (size_t)supports);
    x = webnn_onnx__weighed(c, x, items, (size_t)supports, 1, rho);
  }
  if (webnn_onnx__flag(c, "one_class")) {
    outside = webnn_onnx__less(c, webnn_onnx__like(c, x, 0), x);
    x = webnn_onnx__select(c, outside, webnn_onnx__like(c, x, 1), webnn_onnx__like(c, x, -1));
    return webnn_onnx__put_as(c, 0, x, WEBNN_ONNX_FLOAT);
  }
  return webnn_onnx__put_as(c, 0, webnn_onnx__post_transform(c, x), WEBNN_ONNX_FLOAT);
}

/* A classifier of pairs of classes, of which each class has some of the vectors. */
typedef struct webnn_onnx__pairs {
  size_t classes, pairs, vectors;
  const int64_t *per_class;
} webnn_onnx__pairs;

/* What kernels are multiplied by [vectors, pairs]: of classes i and j the vectors of i have the
   coefficients of row j - 1, and those of j the ones of row i. */
static float *webnn_onnx__pair_coefficients(webnn_onnx__call *c, const webnn_onnx__pairs *p) {
  const float *items =
      webnn_onnx__exact_floats(c, "coefficients", (p->classes - 1) * (uint64_t)p->vectors);
  float *matrix = (float *)webnn_onnx__take(c, p->vectors * p->pairs + 1, sizeof *matrix);
  size_t i, j, pair = 0, at_i = 0, at_j, k;
  for (i = 0; i < p->classes && !webnn_onnx__failed(c); at_i += (size_t)p->per_class[i++]) {
    at_j = at_i + (size_t)p->per_class[i];
    for (j = i + 1; j < p->classes; at_j += (size_t)p->per_class[j++], pair++) {
      for (k = at_i; k < at_i + (size_t)p->per_class[i]; k++) {
        matrix[k * p->pairs + pair] = items[(j - 1) * p->vectors + k];
      }
      for (k = at_j; k < at_j + (size_t)p->per_class[j]; k++) {
        matrix[k * p->pairs + pair] = items[i * p->vectors + k];
      }
    }
  }
  return matrix;
}

/* Each pair's vote is for its first class where the score is above 0: the class of the most votes,
   the first among equals. */
static webnn_onnx__o *webnn_onnx__voted(webnn_onnx__call *c, const webnn_onnx__pairs *p,
                                        webnn_onnx__o *scores) {
  const size_t size = p->classes * p->pairs;
  float *matrix = (float *)webnn_onnx__take(c, size + p->classes, sizeof *matrix);
  webnn_onnx__o *first = webnn_onnx__less(c, webnn_onnx__like(c, scores, 0), scores);
  size_t i, j, pair = 0;
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  for (i = 0; i < p->classes; i++) { /* a vote for i is one less for j, which has it without */
    for (j = i + 1; j < p->classes; j++, pair++) {
      matrix[pair * p->classes + i] = 1;
      matrix[pair * p->classes + j] = -1;
      matrix[size + j] += 1;
    }
  }
  first = webnn_onnx__cast(c, first, WEBNN_FLOAT32);
  first = webnn_onnx__weighed(c, first, matrix, p->pairs, p->classes, matrix + size);
  return webnn_onnx__arg(c, first, 1, true, false);
}

/* Probabilities of classes from those of pairs (Wu, Lin and Weng's second way): p makes
   sum (r_ji p_i - r_ij p_j)^2 least, found by steps that end at an error of 0.005 /
   classes, as libsvm has them. */
typedef struct webnn_onnx__coupling {
  uint32_t classes;
  webnn_onnx__o *q[32];        /* rows of the matrix: [N, classes] */
  webnn_onnx__o *diagonal[32]; /* [N, 1] */
  webnn_onnx__o *unit[32];     /* [1, classes] */
  webnn_onnx__o *p, *qp, *pqp;
} webnn_onnx__coupling;

/* r_ij of two classes [N, 1]: the probability of i where it is i or j. */
static webnn_onnx__o *webnn_onnx__pair_share(webnn_onnx__call *c, webnn_onnx__o *shares, uint32_t i,
                                             uint32_t j, uint32_t classes) {
  const uint32_t low = i < j ? i : j, high = i < j ? j : i;
  const uint32_t pair = low * (2 * classes - low - 1) / 2 + (high - low - 1);
  webnn_onnx__o *r = webnn_onnx__slice(c, shares, 1, pair, 1);
  return i < j ? r : webnn_onnx__sub(c, webnn_onnx__like(c, r, 1), r);
}

/* Q_ii is the sum of r_ji^2, and Q_ij is -r_ji r_ij. */
static void webnn_onnx__coupling_matrix(webnn_onnx__call *c, webnn_onnx__coupling *k,
                                        webnn_onnx__o *shares) {
  float units[32 * 32];
  uint32_t i, j;
  memset(units, 0, sizeof units);
  for (i = 0; i < k->classes; i++) {
    webnn_onnx__o *row[32];
    row[i] = NULL;
    for (j = 0; j < k->classes; j++) {
      webnn_onnx__o *r, *square;
      if (i == j) {
        continue;
      }
      r = webnn_onnx__pair_share(c, shares, j, i, k->classes);
      square = webnn_onnx__mul(c, r, r);
      row[i] = webnn_onnx__with(c, WEBNN_OP_ADD, row[i], square);
      row[j] = webnn_onnx__mul(c, r, webnn_onnx__pair_share(c, shares, i, j, k->classes));
      row[j] = webnn_onnx__neg(c, row[j]);
    }
    k->diagonal[i] = row[i];
    k->q[i] = webnn_onnx__concat(c, row, k->classes, 1);
    units[i * k->classes + i] = 1;
    k->unit[i] = webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list2(1, k->classes),
                                      units + (size_t)i * k->classes);
  }
}

/* Q p and p Q p, and whether the error is above the bound: [N, 1]. */
static webnn_onnx__o *webnn_onnx__coupling_error(webnn_onnx__call *c, webnn_onnx__coupling *k) {
  const webnn_list axis = webnn_extra__list1(1);
  webnn_onnx__o *rows[32], *error;
  uint32_t i;
  for (i = 0; i < k->classes; i++) {
    rows[i] =
        webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, webnn_onnx__mul(c, k->q[i], k->p), axis, true);
  }
  k->qp = webnn_onnx__concat(c, rows, k->classes, 1);
  k->pqp = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_SUM, webnn_onnx__mul(c, k->p, k->qp), axis, true);
  error = webnn_onnx__abs(c, webnn_onnx__sub(c, k->qp, k->pqp));
  error = webnn_onnx__reduce(c, WEBNN_OP_REDUCE_MAX, error, axis, true);
  return webnn_onnx__greater_or_equal(c, error, webnn_onnx__like(c, error, 0.005 / k->classes));
}

/* One step for class i: p_i is changed so that its error is 0, and p is made to
   sum up to 1 again. */
static void webnn_onnx__coupling_step(webnn_onnx__call *c, webnn_onnx__coupling *k, uint32_t i) {
  webnn_onnx__o *own = webnn_onnx__slice(c, k->qp, 1, i, 1), *more, *whole, *change;
  change = webnn_onnx__div(c, webnn_onnx__sub(c, k->pqp, own), k->diagonal[i]);
  whole = webnn_onnx__plus(c, change, 1);
  more =
      webnn_onnx__add(c, webnn_onnx__mul(c, change, k->diagonal[i]), webnn_onnx__scaled(c, own, 2));
  more = webnn_onnx__add(c, k->pqp, webnn_onnx__mul(c, change, more));
  k->pqp = webnn_onnx__div(c, webnn_onnx__div(c, more, whole), whole);
  k->p = webnn_onnx__add(c, k->p, webnn_onnx__mul(c, change, k->unit[i]));
  k->p = webnn_onnx__div(c, k->p, whole);
  k->qp = webnn_onnx__add(c, k->qp, webnn_onnx__mul(c, change, k->q[i]));
  k->qp = webnn_onnx__div(c, k->qp, whole);
}

/* Probabilities [N, classes] from those of pairs [N, pairs]. Rows that are near enough stay. */
static webnn_onnx__o *webnn_onnx__coupled(webnn_onnx__call *c, webnn_onnx__o *shares,
                                          size_t classes) {
  const uint32_t rows = webnn_onnx__sizes(shares).items[0];
  webnn_onnx__coupling k;
  webnn_onnx__o *before, *goes_on;
  uint32_t i, round;
  memset(&k, 0, sizeof k);
  if (classes > sizeof k.q / sizeof k.q[0]) {
    return webnn_onnx__no_operand(c,
                                  "attribute prob_a must be for at most %u classes; there are %lu",
                                  (unsigned)(sizeof k.q / sizeof k.q[0]), (unsigned long)classes);
  }
  k.classes = (uint32_t)classes;
  k.p = webnn_onnx__expand(c, webnn_onnx__number(c, WEBNN_FLOAT32, 1 / (double)classes),
                           webnn_extra__list2(rows, classes));
  webnn_onnx__coupling_matrix(c, &k, shares);
  for (round = 0; round < 100 && !webnn_onnx__failed(c); round++) {
    before = k.p;
    goes_on = webnn_onnx__coupling_error(c, &k);
    for (i = 0; i < k.classes; i++) {
      webnn_onnx__coupling_step(c, &k, i);
    }
    k.p = webnn_onnx__select(c, goes_on, k.p, before);
  }
  return k.p;
}

/* The probabilities of a score's first class [N, pairs], by prob_a and prob_b; then
   those of classes. */
static webnn_onnx__o *webnn_onnx__svm_probabilities(webnn_onnx__call *c, const webnn_onnx__pairs *p,
                                                    webnn_onnx__o *scores) {
  const webnn_list list = webnn_extra__list1(p->pairs);
  const float *a = webnn_onnx__exact_floats(c, "prob_a", p->pairs);
  const float *b = webnn_onnx__exact_floats(c, "prob_b", p->pairs);
  webnn_onnx__o *y;
  y = webnn_onnx__mul(c, scores, webnn_onnx__constant(c, WEBNN_FLOAT32, list, a));
  y = webnn_onnx__add(c, y, webnn_onnx__constant(c, WEBNN_FLOAT32, list, b));
  y = webnn_onnx__sigmoid(c, webnn_onnx__neg(c, y));
  y = webnn_onnx__min(c, webnn_onnx__max(c, y, webnn_onnx__like(c, y, 1e-7)),
                      webnn_onnx__like(c, y, 1 - 1e-7));
  return webnn_onnx__coupled(c, y, p->classes);
}

/* Vectors of the classes, or none at all: then each class has a row of coefficients. */
static bool webnn_onnx__pairs_of(webnn_onnx__call *c, const webnn_onnx__labels *labels,
                                 webnn_onnx__pairs *p) {
  size_t count, i;
  /* The coefficients of pairs take the classes' third power. */
  if (!webnn_onnx__must_be(c, "the number of classes", (int64_t)labels->count, INT64_MIN, 4096)) {
    return false;
  }
  p->classes = labels->count;
  p->pairs = p->classes * (p->classes - 1) / 2;
  p->vectors = 0;
  p->per_class = webnn_onnx__ints(c, "vectors_per_class", &count);
  for (i = 0; i < count; i++) {
    if (p->per_class[i] < 0 || p->per_class[i] > WEBNN_ONNX__MOST_INDICES - (int64_t)p->vectors) {
      return webnn_onnx__fail(
          c,
          "an item of attribute vectors_per_class (%lld) must be 0 or more, and "
          "their sum at most %d",
          (long long)p->per_class[i], WEBNN_ONNX__MOST_INDICES);
    }
    p->vectors += (size_t)p->per_class[i];
  }
  if ((uint64_t)p->pairs * (p->vectors > p->classes ? p->vectors : p->classes) >
      WEBNN_ONNX__MOST_ELEMENTS) {
    return webnn_onnx__fail(
        c,
        "pairs of classes (%lu) x vectors (%lu) or classes (%lu) must be at most "
        "%d",
        (unsigned long)p->pairs, (unsigned long)p->vectors, (unsigned long)p->classes,
        WEBNN_ONNX__MOST_ELEMENTS);
  }
  return p->vectors == 0 || (count == p->classes && p->classes > 1) ||
         webnn_onnx__fail(c,
                          "the length of attribute vectors_per_class (%lu) must be that of the "
                          "classes (%lu), 2 or more",
                          (unsigned long)count, (unsigned long)p->classes);
}

/* Without support vectors: the class of the largest score. */
static bool webnn_onnx__svm_linear(webnn_onnx__call *c, const webnn_onnx__labels *labels,
                                   webnn_onnx__o *x) {
  const float *rho = webnn_onnx__exact_floats(c, "rho", 1);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  x = webnn_onnx__plus(c, webnn_onnx__linear_scores(c, x, labels->count), rho[0]);
  return webnn_onnx__put_largest(c, labels, x) &&
         webnn_onnx__put_as(c, 1, webnn_onnx__post_transform(c, x), WEBNN_ONNX_FLOAT);
}

static bool webnn_onnx__lower_svm_classifier(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__features(c);
  const float *vectors, *rho, *matrix;
  const size_t kind = webnn_onnx__kernel_type(c);
  webnn_onnx__labels labels;
  webnn_onnx__pairs p;
  size_t count;
  memset(&p, 0, sizeof p);
  if (!webnn_onnx__labels_of(c, "classlabels_ints", &labels) ||
      !webnn_onnx__pairs_of(c, &labels, &p)) {
    return false;
  }
  (void)webnn_onnx__floats(c, "prob_a", &count);
  if (p.vectors == 0) {
    return webnn_onnx__svm_linear(c, &labels, x);
  }
  vectors = webnn_onnx__exact_floats(c, "support_vectors",
                                     (uint64_t)p.vectors * webnn_onnx__sizes(x).items[1]);
  rho = webnn_onnx__exact_floats(c, "rho", p.pairs);
  matrix = webnn_onnx__pair_coefficients(c, &p);
  x = webnn_onnx__svm_kernel(c, x, kind, vectors, p.vectors);
  x = webnn_onnx__weighed(c, x, matrix, p.vectors, p.pairs, rho);
  if (!webnn_onnx__put_labels(c, &labels, webnn_onnx__voted(c, &p, x))) {
    return false;
  }
  if (!webnn_onnx__wants(c, 1)) {
    return true;
  }
  x = count != 0     ? webnn_onnx__svm_probabilities(c, &p, x)
      : p.pairs == 1 ? webnn_onnx__both_signs(c, x)
                     : x;
  return webnn_onnx__put_as(c, 1, webnn_onnx__post_transform(c, x), WEBNN_ONNX_FLOAT);
}

/* ---- 15.7 trees: the nodes of all of them are tables, and each step of the walk from the roots to
   the leaves gathers from these for all rows and trees at once. A feature beside a node's value is
   less, equal, more or neither (NaN); each has its next node. Leaves are their own. */

typedef struct webnn_onnx__branch {
  int32_t feature;
  float value;
  int32_t next[4];
} webnn_onnx__branch;

/* A leaf's share in the score of a target, or class. */
typedef struct webnn_onnx__vote {
  size_t node;
  int64_t target;
  float weight;
} webnn_onnx__vote;

typedef enum webnn_onnx__aggregate {
  WEBNN_ONNX__AVERAGE,
  WEBNN_ONNX__SUM,
  WEBNN_ONNX__MINIMUM,
  WEBNN_ONNX__MAXIMUM
} webnn_onnx__aggregate;

typedef struct webnn_onnx__forest {
  webnn_onnx__branch *nodes;
  size_t count;
  int32_t *roots;
  size_t trees;
  webnn_onnx__vote *votes;
  size_t vote_count;
  uint32_t targets, depth;
  webnn_onnx__aggregate aggregate;
} webnn_onnx__forest;

enum { WEBNN_ONNX__LEQ, WEBNN_ONNX__LT, WEBNN_ONNX__GTE, WEBNN_ONNX__GT, WEBNN_ONNX__EQ };
enum { WEBNN_ONNX__NEQ = 5, WEBNN_ONNX__MEMBER };

/* Room for so many nodes, whose places are int32. */
static bool webnn_onnx__forest_room(webnn_onnx__call *c, webnn_onnx__forest *f, size_t count) {
  if (count == 0 || count > WEBNN_ONNX__MOST_INDICES) {
    return webnn_onnx__fail(c, "the number of nodes (%lu) must be 1 to %d", (unsigned long)count,
                            WEBNN_ONNX__MOST_INDICES);
  }
  f->nodes = (webnn_onnx__branch *)webnn_onnx__take(c, count, sizeof *f->nodes);
  return !webnn_onnx__failed(c);
}

static void webnn_onnx__make_leaf(webnn_onnx__forest *f, size_t node) {
  int i;
  for (i = 0; i < 4; i++) {
    f->nodes[node].next[i] = (int32_t)node;
  }
}

/* NaN is unequal to all, and takes the other way only where it is told to. */
static void webnn_onnx__make_branch(webnn_onnx__branch *node, int mode, float value, int32_t yes,
                                    int32_t no, bool nan_is_yes) {
  static const bool chosen[6][3] = {{true, true, false},  {true, false, false},
                                    {false, true, true},  {false, false, true},
                                    {false, true, false}, {true, false, true}};
  int i;
  for (i = 0; i < 3; i++) {
    const bool is = value == value ? chosen[mode][i] : mode == WEBNN_ONNX__NEQ;
    node->next[i] = is ? yes : no;
  }
  node->next[3] = nan_is_yes || mode == WEBNN_ONNX__NEQ ? yes : no;
  node->value = value == value ? value : 0;
}

/* Is child i of a node none of those before it, nor the leaf itself? */
static bool webnn_onnx__is_child(const webnn_onnx__forest *f, size_t node, size_t i) {
  const int32_t *next = f->nodes[node].next;
  size_t k;
  for (k = 0; k < i && next[k] != next[i]; k++) {
  }
  return k == i && (size_t)next[i] != node;
}

/* How many steps lead from each node to the deepest leaf below it, plus 1: the nodes below `root`,
   the lowest first. A node on the way that is met again closes a cycle. */
static bool webnn_onnx__measure(webnn_onnx__call *c, const webnn_onnx__forest *f, size_t root,
                                uint32_t *heights, uint8_t *children, size_t *stack) {
  size_t height = children[root] == 0 ? 1 : 0;
  stack[0] = root;
  while (height != 0) {
    const size_t node = stack[height - 1];
    if (children[node] == 4) {
      heights[node]++;    /* of the highest child, or 0 */
      children[node] = 5; /* done */
      height--;
      if (height != 0 && heights[stack[height - 1]] < heights[node]) {
        heights[stack[height - 1]] = heights[node];
      }
    } else if (webnn_onnx__is_child(f, node, children[node]++)) {
      const size_t to = (size_t)f->nodes[node].next[children[node] - 1];
      if (children[to] == 0) {
        stack[height++] = to;
      } else if (children[to] < 5) {
        return webnn_onnx__fail(c, "its nodes are in a cycle");
      } else if (heights[node] < heights[to]) {
        heights[node] = heights[to];
      }
    }
  }
  return true;
}

/* How many steps lead from the roots to the deepest leaf. */
static bool webnn_onnx__measure_depth(webnn_onnx__call *c, webnn_onnx__forest *f) {
  uint32_t *heights = (uint32_t *)webnn_onnx__take(c, f->count, sizeof *heights);
  uint8_t *children = (uint8_t *)webnn_onnx__take(c, f->count, 1);
  size_t *stack = (size_t *)webnn_onnx__take(c, f->count + 1, sizeof *stack);
  size_t i;
  if (webnn_onnx__failed(c)) {
    return false;
  }
  for (i = 0; i < f->trees; i++) {
    const size_t root = (size_t)f->roots[i];
    if (!webnn_onnx__measure(c, f, root, heights, children, stack)) {
      return false;
    }
    f->depth = heights[root] - 1 > f->depth ? heights[root] - 1 : f->depth;
  }
  return webnn_onnx__must_be(c, "the steps of the deepest tree", f->depth, 0,
                             WEBNN_ONNX__MOST_PARTS);
}

/* Features must be columns of the input, and votes must be for targets. */
static bool webnn_onnx__check_forest(webnn_onnx__call *c, const webnn_onnx__forest *f,
                                     uint32_t columns) {
  size_t i;
  for (i = 0; i < f->count; i++) {
    if (!webnn_onnx__must_be(c, "the feature of a node", f->nodes[i].feature, 0,
                             (int64_t)columns - 1)) {
      return false;
    }
  }
  for (i = 0; i < f->vote_count; i++) {
    if (!webnn_onnx__must_be(c, "the target or class of a weight", f->votes[i].target, 0,
                             (int64_t)f->targets - 1)) {
      return false;
    }
  }
  return true;
}

/* ---- walking. */

/* Tables of the nodes as constants. */
typedef struct webnn_onnx__tables {
  webnn_onnx__o *features, *values, *next;
} webnn_onnx__tables;

static void webnn_onnx__tables_of(webnn_onnx__call *c, const webnn_onnx__forest *f,
                                  webnn_onnx__tables *t) {
  const webnn_list list = webnn_extra__list1(f->count);
  uint64_t room = 5 * (uint64_t)f->count;
  int32_t *numbers = (int32_t *)webnn_onnx__scratch(c, &room, sizeof *numbers);
  float *values = (float *)webnn_onnx__scratch(c, &room, sizeof *values);
  size_t i;
  for (i = 0; i < room / 5; i++) {
    memcpy(numbers + 4 * i, f->nodes[i].next, sizeof f->nodes[i].next);
    numbers[4 * f->count + i] = f->nodes[i].feature;
    values[i] = f->nodes[i].value;
  }
  if (room != 0) {
    t->next =
        webnn_onnx__constant(c, WEBNN_INT32, webnn_extra__list1(4 * (uint64_t)f->count), numbers);
    t->features = webnn_onnx__constant(c, WEBNN_INT32, list, numbers + 4 * f->count);
    t->values = webnn_onnx__constant(c, WEBNN_FLOAT32, list, values);
  }
  free(numbers);
  free(values);
}

/* From places [N, S] among the nodes one step on. */
static webnn_onnx__o *webnn_onnx__next_nodes(webnn_onnx__call *c, const webnn_onnx__tables *t,
                                             webnn_onnx__o *x, webnn_onnx__o *at) {
  webnn_onnx__o *feature, *value, *outcome;
  feature = webnn_onnx__gather(c, t->features, at, 0);
  feature = webnn_onnx__gather_elements(c, x, feature, 1);
  value = webnn_onnx__gather(c, t->values, at, 0);
  outcome = webnn_onnx__select(c, webnn_onnx__less(c, value, feature), webnn_onnx__like(c, at, 2),
                               webnn_onnx__like(c, at, 3));
  outcome = webnn_onnx__select(c, webnn_onnx__equal(c, feature, value), webnn_onnx__like(c, at, 1),
                               outcome);
  outcome = webnn_onnx__select(c, webnn_onnx__less(c, feature, value), webnn_onnx__like(c, at, 0),
                               outcome);
  at = webnn_onnx__add(c, webnn_onnx__scaled(c, at, 4), outcome);
  return webnn_onnx__gather(c, t->next, at, 0);
}

/* The leaves [N, count] that rows of x reach from roots. */
static webnn_onnx__o *webnn_onnx__leaves(webnn_onnx__call *c, const webnn_onnx__forest *f,
                                         webnn_onnx__o *x, const int32_t *roots, size_t count) {
  const uint32_t rows = webnn_onnx__sizes(x).items[0];
  webnn_onnx__tables t;
  webnn_onnx__o *at;
  uint32_t i;
  memset(&t, 0, sizeof t);
  if ((uint64_t)rows * count > WEBNN_ONNX__MOST_ELEMENTS) {
    return webnn_onnx__no_operand(c, "rows of input 0 (%u) x trees (%lu) must be at most %d", rows,
                                  (unsigned long)count, WEBNN_ONNX__MOST_ELEMENTS);
  }
  webnn_onnx__tables_of(c, f, &t);
  at = webnn_onnx__constant(c, WEBNN_INT32, webnn_extra__list2(1, count), roots);
  at = webnn_onnx__expand(c, at, webnn_extra__list2(rows, count));
  for (i = 0; i < f->depth; i++) {
    at = webnn_onnx__next_nodes(c, &t, x, at);
  }
  return at;
}

/* ---- scores. */

/* What leaves the others as they are. */
static float webnn_onnx__no_vote(const webnn_onnx__forest *f) {
  return f->aggregate == WEBNN_ONNX__MINIMUM   ? (float)webnn_extra__infinity()
         : f->aggregate == WEBNN_ONNX__MAXIMUM ? (float)-webnn_extra__infinity()
                                               : 0;
}

static float webnn_onnx__both_votes(const webnn_onnx__forest *f, float a, float b) {
  return f->aggregate == WEBNN_ONNX__MINIMUM   ? (a < b ? a : b)
         : f->aggregate == WEBNN_ONNX__MAXIMUM ? (a > b ? a : b)
                                               : a + b;
}

enum { WEBNN_ONNX__NO_TARGET = -1, WEBNN_ONNX__SEVERAL = -2 };

static int64_t webnn_onnx__joint_target(int64_t a, int64_t b) {
  if (a == b || b == WEBNN_ONNX__NO_TARGET) {
    return a;
  }
  return a == WEBNN_ONNX__NO_TARGET ? b : (int64_t)WEBNN_ONNX__SEVERAL;
}

/* The target of all votes below a root. seen[node] is the number of the last tree
   that met the node. */
static int64_t webnn_onnx__tree_target(const webnn_onnx__forest *f, size_t tree,
                                       const int64_t *of_nodes, size_t *seen, size_t *stack) {
  int64_t target = WEBNN_ONNX__NO_TARGET;
  size_t height = 1, i;
  stack[0] = (size_t)f->roots[tree];
  seen[stack[0]] = tree + 1;
  while (height != 0) {
    const size_t node = stack[--height];
    target = webnn_onnx__joint_target(target, of_nodes[node]);
    for (i = 0; i < 4; i++) {
      const size_t to = (size_t)f->nodes[node].next[i];
      if (seen[to] != tree + 1) {
        seen[to] = tree + 1;
        stack[height++] = to;
      }
    }
  }
  return target;
}

/* The target that each tree is for, where all votes of each are for one; NULL: there are others, or
   memory has ended. */
static int64_t *webnn_onnx__tree_targets(webnn_onnx__call *c, const webnn_onnx__forest *f) {
  int64_t *of_nodes = (int64_t *)webnn_onnx__take(c, f->count, sizeof *of_nodes);
  int64_t *targets = (int64_t *)webnn_onnx__take(c, f->trees, sizeof *targets);
  size_t *seen = (size_t *)webnn_onnx__take(c, f->count, sizeof *seen), i;
  size_t *stack = (size_t *)webnn_onnx__take(c, f->count, sizeof *stack);
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  for (i = 0; i < f->count; i++) {
    of_nodes[i] = WEBNN_ONNX__NO_TARGET;
  }
  for (i = 0; i < f->vote_count; i++) {
    int64_t *target = &of_nodes[f->votes[i].node];
    *target = webnn_onnx__joint_target(*target, f->votes[i].target);
  }
  for (i = 0; i < f->trees; i++) {
    const int64_t target = webnn_onnx__tree_target(f, i, of_nodes, seen, stack);
    if (target == WEBNN_ONNX__SEVERAL) {
      return NULL;
    }
    targets[i] = target == WEBNN_ONNX__NO_TARGET ? 0 : target;
  }
  return targets;
}

/* Weights of nodes for `columns` targets [count, columns], and of one node more, which has none. */
static webnn_onnx__o *webnn_onnx__vote_table(webnn_onnx__call *c, const webnn_onnx__forest *f,
                                             uint32_t columns) {
  const uint64_t rows = (uint64_t)f->count + 1;
  uint64_t size = rows * columns;
  uint8_t *there = (uint8_t *)webnn_onnx__scratch(c, &size, 1);
  float *items = (float *)webnn_onnx__scratch(c, &size, sizeof *items);
  size_t i;
  for (i = 0; i < size; i++) {
    items[i] = webnn_onnx__no_vote(f);
  }
  for (i = 0; i < f->vote_count && size != 0; i++) {
    const webnn_onnx__vote *v = &f->votes[i];
    const size_t place = v->node * columns + (columns == 1 ? 0 : (size_t)v->target);
    items[place] =
        there[place] != 0 ? webnn_onnx__both_votes(f, items[place], v->weight) : v->weight;
    there[place] = 1;
  }
  free(there);
  return webnn_onnx__constant_of(
      c, WEBNN_FLOAT32, columns == 1 ? webnn_extra__list1(rows) : webnn_extra__list2(rows, columns),
      items);
}

/* Votes along an axis as one. A target without a vote has 0. */
static webnn_onnx__o *webnn_onnx__aggregated(webnn_onnx__call *c, const webnn_onnx__forest *f,
                                             webnn_onnx__o *x, uint32_t axis) {
  const float none = webnn_onnx__no_vote(f);
  const webnn_op op = f->aggregate == WEBNN_ONNX__MINIMUM   ? WEBNN_OP_REDUCE_MIN
                      : f->aggregate == WEBNN_ONNX__MAXIMUM ? WEBNN_OP_REDUCE_MAX
                                                            : WEBNN_OP_REDUCE_SUM;
  x = webnn_onnx__reduce(c, op, x, webnn_extra__list1(axis), false);
  if (none < 0 || none > 0) {
    x = webnn_onnx__select(c, webnn_onnx__equal(c, x, webnn_onnx__like(c, x, none)),
                           webnn_onnx__like(c, x, 0), x);
  }
  return f->aggregate == WEBNN_ONNX__AVERAGE
             ? webnn_onnx__div(c, x, webnn_onnx__like(c, x, (double)f->trees))
             : x;
}

/* Scores [N, targets] of trees that are for one target each: the trees of each target side by side,
   with nodes that have no vote where there are fewer. */
static webnn_onnx__o *webnn_onnx__scores_by_target(webnn_onnx__call *c, webnn_onnx__forest *f,
                                                   webnn_onnx__o *x, const int64_t *targets) {
  size_t *counts = (size_t *)webnn_onnx__take(c, f->targets, sizeof *counts);
  int32_t *roots;
  uint64_t room;
  size_t most = 1, i;
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  for (i = 0; i < f->trees; i++) {
    counts[targets[i]]++;
    most = counts[targets[i]] > most ? counts[targets[i]] : most;
  }
  room = (uint64_t)f->targets * most;
  roots = (int32_t *)webnn_onnx__scratch(c, &room, sizeof *roots);
  if (room == 0) {
    return NULL;
  }
  for (i = 0; i < room; i++) {
    roots[i] = (int32_t)f->count;
  }
  memset(counts, 0, f->targets * sizeof *counts);
  for (i = 0; i < f->trees; i++) {
    roots[(size_t)targets[i] * most + counts[targets[i]]++] = f->roots[i];
  }
  f->count++; /* the node without a vote, for which there is room */
  x = webnn_onnx__leaves(c, f, x, roots, f->targets * most);
  f->count--;
  free(roots);
  i = webnn_onnx__sizes(x).items[0];
  x = webnn_onnx__gather(c, webnn_onnx__vote_table(c, f, 1), x, 0);
  x = webnn_onnx__as3(c, x, i, f->targets, most);
  return webnn_onnx__aggregated(c, f, x, 2);
}

/* Scores [N, targets] of rows of features. */
static webnn_onnx__o *webnn_onnx__forest_scores(webnn_onnx__call *c, webnn_onnx__forest *f,
                                                webnn_onnx__o *x) {
  int64_t *targets;
  webnn_onnx__make_leaf(f, f->count);
  if (!webnn_onnx__measure_depth(c, f) ||
      !webnn_onnx__check_forest(c, f, webnn_onnx__sizes(x).items[1])) {
    return NULL;
  }
  targets = webnn_onnx__tree_targets(c, f);
  if (targets != NULL) {
    return webnn_onnx__scores_by_target(c, f, x, targets);
  }
  x = webnn_onnx__leaves(c, f, x, f->roots, f->trees);
  x = webnn_onnx__gather(c, webnn_onnx__vote_table(c, f, f->targets), x, 0);
  return webnn_onnx__aggregated(c, f, x, 1);
}

/* ---- attributes of TreeEnsembleRegressor and TreeEnsembleClassifier: lists of nodes, which trees
   and numbers name. */

typedef struct webnn_onnx__names {
  const int64_t *trees, *nodes;
  size_t *table, size; /* places of nodes plus 1 */
} webnn_onnx__names;

static size_t *webnn_onnx__name_slot(const webnn_onnx__names *n, int64_t tree, int64_t node) {
  const uint64_t key = (uint64_t)tree * 0x9E3779B97F4A7C15u + (uint64_t)node;
  size_t i = (size_t)((key * 0xD6E8FEB86659FD93u) >> 32) & (n->size - 1);
  while (n->table[i] != 0 &&
         (n->trees[n->table[i] - 1] != tree || n->nodes[n->table[i] - 1] != node)) {
    i = (i + 1) & (n->size - 1);
  }
  return &n->table[i];
}

static bool webnn_onnx__find_node(webnn_onnx__call *c, const webnn_onnx__names *n, int64_t tree,
                                  int64_t node, size_t *place) {
  *place = *webnn_onnx__name_slot(n, tree, node);
  if (*place == 0) {
    return webnn_onnx__fail(c, "tree %lld has no node %lld", (long long)tree, (long long)node);
  }
  --*place;
  return true;
}

static bool webnn_onnx__name_nodes(webnn_onnx__call *c, webnn_onnx__names *n, size_t count) {
  size_t i;
  n->size = 16;
  while (n->size < 2 * count) {
    n->size *= 2;
  }
  n->table = (size_t *)webnn_onnx__take(c, n->size, sizeof *n->table);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  for (i = 0; i < count; i++) {
    size_t *slot = webnn_onnx__name_slot(n, n->trees[i], n->nodes[i]);
    if (*slot != 0) {
      return webnn_onnx__fail(c, "tree %lld has node %lld twice", (long long)n->trees[i],
                              (long long)n->nodes[i]);
    }
    *slot = i + 1;
  }
  return true;
}

/* Integers of which there must be `count`. */
static const int64_t *webnn_onnx__exact_ints(webnn_onnx__call *c, const char *name, size_t count) {
  size_t there;
  const int64_t *items = webnn_onnx__ints(c, name, &there);
  if (there != count || count == 0) {
    webnn_onnx__wrong_count(c, name, there, count);
    return NULL;
  }
  return items;
}

/* The mode of a node by its name; -1: a leaf, -2: there is none such. */
static int webnn_onnx__mode_of(const char *name) {
  static const char *const names[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                      "BRANCH_GT",  "BRANCH_EQ", "BRANCH_NEQ"};
  int i;
  for (i = 0; i < 6; i++) {
    if (strcmp(name, names[i]) == 0) {
      return i;
    }
  }
  return strcmp(name, "LEAF") == 0 ? -1 : -2;
}

static int32_t webnn_onnx__feature_number(int64_t number) {
  return number < 0 || number > INT32_MAX ? -1 : (int32_t)number;
}

/* The nodes, in the order of the lists. */
static bool webnn_onnx__read_nodes(webnn_onnx__call *c, webnn_onnx__forest *f,
                                   webnn_onnx__names *n) {
  const webnn_onnx__attribute *modes = webnn_onnx__attribute_of(c, "nodes_modes");
  const size_t count = modes->string_count;
  const int64_t *features, *yes, *no, *nan;
  const float *values;
  size_t i, a, b, tracks;
  if (count == 0) {
    webnn_onnx__wrong_count(c, "nodes_modes", 0, 0);
    return false;
  }
  features = webnn_onnx__exact_ints(c, "nodes_featureids", count);
  values = webnn_onnx__exact_floats(c, "nodes_values", count);
  yes = webnn_onnx__exact_ints(c, "nodes_truenodeids", count);
  no = webnn_onnx__exact_ints(c, "nodes_falsenodeids", count);
  n->trees = webnn_onnx__exact_ints(c, "nodes_treeids", count);
  n->nodes = webnn_onnx__exact_ints(c, "nodes_nodeids", count);
  nan = webnn_onnx__ints(c, "nodes_missing_value_tracks_true", &tracks);
  if (webnn_onnx__failed(c) || !webnn_onnx__forest_room(c, f, count + 1) ||
      !webnn_onnx__name_nodes(c, n, count)) {
    return false;
  }
  f->count = count;
  for (i = 0; i < count; i++) {
    const int mode = webnn_onnx__mode_of(modes->strings[i]);
    if (mode == -1) {
      webnn_onnx__make_leaf(f, i);
      continue;
    }
    if (mode < 0) {
      return webnn_onnx__wrong_word(c, "nodes_modes", modes->strings[i],
                                    "BRANCH_LEQ, BRANCH_LT, BRANCH_GTE, BRANCH_GT, BRANCH_EQ, "
                                    "BRANCH_NEQ or LEAF");
    }
    if (!webnn_onnx__find_node(c, n, n->trees[i], yes[i], &a) ||
        !webnn_onnx__find_node(c, n, n->trees[i], no[i], &b)) {
      return false;
    }
    if (a == i || b == i) {
      return webnn_onnx__fail(c, "node %lld of tree %lld is its own child", (long long)n->nodes[i],
                              (long long)n->trees[i]);
    }
    f->nodes[i].feature = webnn_onnx__feature_number(features[i]);
    webnn_onnx__make_branch(&f->nodes[i], mode, values[i], (int32_t)a, (int32_t)b,
                            i < tracks && nan[i] != 0);
  }
  return true;
}

/* The root of a tree is its first node. */
static bool webnn_onnx__find_roots(webnn_onnx__call *c, webnn_onnx__forest *f,
                                   const webnn_onnx__names *n) {
  webnn_onnx__names seen = *n; /* trees by their numbers: as if all nodes had the number 0 */
  int64_t *zeros = (int64_t *)webnn_onnx__take(c, f->count, sizeof *zeros);
  size_t i;
  seen.table = (size_t *)webnn_onnx__take(c, seen.size, sizeof *seen.table);
  f->roots = (int32_t *)webnn_onnx__take(c, f->count, sizeof *f->roots);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  seen.nodes = zeros;
  for (i = 0; i < f->count; i++) {
    size_t *slot = webnn_onnx__name_slot(&seen, n->trees[i], 0);
    if (*slot == 0) {
      *slot = i + 1;
      f->roots[f->trees++] = (int32_t)i;
    }
  }
  return true;
}

/* What leaves give: lists whose names begin with `prefix`, "target" or "class". */
static bool webnn_onnx__read_votes(webnn_onnx__call *c, webnn_onnx__forest *f,
                                   const webnn_onnx__names *n, const char *prefix) {
  const int64_t *targets, *trees, *nodes;
  const float *weights;
  char name[40];
  size_t i;
  (void)snprintf(name, sizeof name, "%s_ids", prefix);
  targets = webnn_onnx__ints(c, name, &f->vote_count);
  (void)snprintf(name, sizeof name, "%s_treeids", prefix);
  trees = webnn_onnx__exact_ints(c, name, f->vote_count);
  (void)snprintf(name, sizeof name, "%s_nodeids", prefix);
  nodes = webnn_onnx__exact_ints(c, name, f->vote_count);
  (void)snprintf(name, sizeof name, "%s_weights", prefix);
  weights = webnn_onnx__exact_floats(c, name, f->vote_count);
  f->votes = (webnn_onnx__vote *)webnn_onnx__take(c, f->vote_count, sizeof *f->votes);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  for (i = 0; i < f->vote_count; i++) {
    f->votes[i].target = targets[i];
    f->votes[i].weight = weights[i];
    if (!webnn_onnx__find_node(c, n, trees[i], nodes[i], &f->votes[i].node)) {
      return false;
    }
  }
  return true;
}

/* Reads the trees and gives the scores [N, targets] of input 0. */
static webnn_onnx__o *webnn_onnx__ensemble(webnn_onnx__call *c, webnn_onnx__forest *f,
                                           const char *prefix) {
  webnn_onnx__o *x = webnn_onnx__features(c);
  webnn_onnx__names n;
  memset(&n, 0, sizeof n);
  return webnn_onnx__read_nodes(c, f, &n) && webnn_onnx__find_roots(c, f, &n) &&
                 webnn_onnx__read_votes(c, f, &n, prefix)
             ? webnn_onnx__forest_scores(c, f, x)
             : NULL;
}

/* Scores plus base_values, one for each. */
static webnn_onnx__o *webnn_onnx__based(webnn_onnx__call *c, webnn_onnx__o *x) {
  const uint32_t targets = webnn_onnx__sizes(x).items[1];
  size_t count;
  const float *items = webnn_onnx__floats(c, "base_values", &count);
  if (count == 0 || !webnn_onnx__must_be(c, "the length of attribute base_values", (int64_t)count,
                                         targets, targets)) {
    return x;
  }
  return webnn_onnx__add(c, x,
                         webnn_onnx__constant(c, WEBNN_FLOAT32, webnn_extra__list1(count), items));
}

static bool webnn_onnx__lower_tree_regressor(webnn_onnx__call *c) {
  static const webnn_onnx__aggregate aggregates[] = {WEBNN_ONNX__SUM, WEBNN_ONNX__AVERAGE,
                                                     WEBNN_ONNX__MINIMUM, WEBNN_ONNX__MAXIMUM};
  const size_t i = webnn_onnx__word(c, "aggregate_function", "SUM", "SUM|AVERAGE|MIN|MAX");
  webnn_onnx__forest f;
  webnn_onnx__o *x;
  memset(&f, 0, sizeof f);
  f.aggregate = aggregates[i];
  f.targets = (uint32_t)webnn_onnx__int_in(c, "n_targets", 0, 1, WEBNN_ONNX__MOST_INDICES);
  x = webnn_onnx__ensemble(c, &f, "target");
  x = webnn_onnx__post_transform(c, webnn_onnx__based(c, x));
  return webnn_onnx__put_as(c, 0, x, WEBNN_ONNX_FLOAT);
}

/* One score for two classes, that of the second; base is added to it. Without a transform and with
   weights that are all positive it is a probability, and the other one is what is left of 1. */
static bool webnn_onnx__put_one_score(webnn_onnx__call *c, const webnn_onnx__labels *labels,
                                      webnn_onnx__o *x, bool positive) {
  const char *transform = webnn_onnx__string(c, "post_transform", "NONE");
  const bool share =
      strcmp(transform, "PROBIT") == 0 || (positive && strcmp(transform, "NONE") == 0);
  size_t count;
  const float *base = webnn_onnx__floats(c, "base_values", &count);
  if (count > 2) {
    return webnn_onnx__fail(
        c, "the length of attribute base_values (%lu) must be at most 2 for two classes",
        (unsigned long)count);
  }
  x = webnn_onnx__slice(c, x, 1, 0, 1);
  x = count == 0 ? x : webnn_onnx__plus(c, x, base[0]);
  if (!webnn_onnx__put_second(c, labels, x, share ? 0.5 : 0)) {
    return false;
  }
  x = share ? webnn_onnx__concat2(c, webnn_onnx__sub(c, webnn_onnx__like(c, x, 1), x), x, 1)
            : webnn_onnx__both_signs(c, x);
  return webnn_onnx__put_as(c, 1, webnn_onnx__post_transform(c, x), WEBNN_ONNX_FLOAT);
}

static bool webnn_onnx__lower_tree_classifier(webnn_onnx__call *c) {
  webnn_onnx__labels labels;
  webnn_onnx__forest f;
  webnn_onnx__o *x;
  bool single = true, positive = true;
  size_t i;
  memset(&f, 0, sizeof f);
  if (!webnn_onnx__labels_of(c, "classlabels_int64s", &labels)) {
    return false;
  }
  if (!webnn_onnx__must_be(c, "the number of classes", (int64_t)labels.count, INT64_MIN,
                           WEBNN_ONNX__MOST_INDICES)) {
    return false;
  }
  f.aggregate = WEBNN_ONNX__SUM;
  f.targets = (uint32_t)labels.count;
  x = webnn_onnx__ensemble(c, &f, "class");
  for (i = 0; i < f.vote_count; i++) {
    single = single && f.votes[i].target == 0;
    positive = positive && f.votes[i].weight >= 0;
  }
  if (single && labels.count == 2) {
    return webnn_onnx__put_one_score(c, &labels, x, positive);
  }
  x = webnn_onnx__based(c, x);
  if (!(labels.count == 1 ? webnn_onnx__put_second(c, &labels, x, 0)
                          : webnn_onnx__put_largest(c, &labels, x))) {
    return false;
  }
  return webnn_onnx__put_as(c, 1, webnn_onnx__post_transform(c, x), WEBNN_ONNX_FLOAT);
}

/* ---- attributes of TreeEnsemble: branches and leaves apart, by places. */

typedef struct webnn_onnx__places {
  const int64_t *features, *yes, *no, *yes_leaf, *no_leaf, *nan;
  const float *values, *modes;
  float *members; /* a copy, which is sorted */
  size_t branches, leaves, nan_count, member_count;
} webnn_onnx__places;

static bool webnn_onnx__read_places(webnn_onnx__call *c, webnn_onnx__places *p) {
  const float *members;
  webnn_onnx__ints(c, "nodes_featureids", &p->branches);
  webnn_onnx__ints(c, "leaf_targetids", &p->leaves);
  p->features = webnn_onnx__exact_ints(c, "nodes_featureids", p->branches);
  p->yes = webnn_onnx__exact_ints(c, "nodes_truenodeids", p->branches);
  p->no = webnn_onnx__exact_ints(c, "nodes_falsenodeids", p->branches);
  p->yes_leaf = webnn_onnx__exact_ints(c, "nodes_trueleafs", p->branches);
  p->no_leaf = webnn_onnx__exact_ints(c, "nodes_falseleafs", p->branches);
  p->values = webnn_onnx__exact_floats(c, "nodes_splits", p->branches);
  p->modes = webnn_onnx__exact_floats(c, "nodes_modes", p->branches);
  p->nan = webnn_onnx__ints(c, "nodes_missing_value_tracks_true", &p->nan_count);
  members = webnn_onnx__floats(c, "membership_values", &p->member_count);
  p->members = (float *)webnn_onnx__take(c, p->member_count + 1, sizeof *p->members);
  if (!webnn_onnx__failed(c) && p->member_count != 0) {
    memcpy(p->members, members, p->member_count * sizeof *members);
  }
  return !webnn_onnx__failed(c);
}

/* The place of a child among the nodes: leaves are behind the branches. */
static bool webnn_onnx__child(webnn_onnx__call *c, const webnn_onnx__places *p, int64_t number,
                              bool leaf, int32_t *place) {
  const size_t room = leaf ? p->leaves : p->branches;
  if (!webnn_onnx__must_be(c, leaf ? "the leaf of a child" : "the node of a child or root", number,
                           0, (int64_t)room - 1)) {
    return false;
  }
  *place = (int32_t)(number + (leaf ? (int64_t)p->branches : 0));
  return true;
}

static int webnn_onnx__compare_floats(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return x < y ? -1 : x > y;
}

/* A search for members that are in order, in branches of equality: the middle one at `node`, the
   others in new branches on either side. */
static void webnn_onnx__search_members(webnn_onnx__forest *f, size_t node, const float *items,
                                       size_t count, int32_t no) {
  const webnn_onnx__branch *root = &f->nodes[node];
  const size_t middle = count / 2;
  const int32_t yes = root->next[1], nan = root->next[3];
  const int32_t feature = root->feature;
  size_t side;
  f->nodes[node].value = items[middle];
  for (side = 0; side < 2; side++) {
    const float *rest = side == 0 ? items : items + middle + 1;
    const size_t left = side == 0 ? middle : count - middle - 1;
    f->nodes[node].next[side == 0 ? 0 : 2] = no;
    if (left != 0) {
      webnn_onnx__branch *b = &f->nodes[f->count];
      f->nodes[node].next[side == 0 ? 0 : 2] = (int32_t)f->count;
      b->feature = feature;
      b->next[1] = yes;
      b->next[3] = nan;
      webnn_onnx__search_members(f, f->count++, rest, left, no);
    }
  }
}

/* A branch to which the members up to the next NaN belong. */
static bool webnn_onnx__member_branch(webnn_onnx__call *c, webnn_onnx__forest *f,
                                      const webnn_onnx__places *p, size_t node, int32_t yes,
                                      int32_t no, size_t *at) {
  const bool nan_is_yes = node < p->nan_count && p->nan[node] != 0;
  float *items = p->members + *at;
  size_t count = 0;
  while (*at + count < p->member_count && items[count] == items[count]) {
    count++;
  }
  if (*at + count == p->member_count) {
    return webnn_onnx__fail(c, "attribute membership_values ends before a set does");
  }
  *at += count + 1;
  webnn_onnx__make_branch(&f->nodes[node], WEBNN_ONNX__EQ, 0, yes, no, nan_is_yes);
  if (count == 0) {
    f->nodes[node].next[1] = no;
    return true;
  }
  qsort(items, count, sizeof *items, webnn_onnx__compare_floats);
  webnn_onnx__search_members(f, node, items, count, no);
  return true;
}

static bool webnn_onnx__read_branches(webnn_onnx__call *c, webnn_onnx__forest *f,
                                      const webnn_onnx__places *p) {
  size_t i, member = 0;
  int32_t yes = 0, no = 0;
  for (i = 0; i < p->branches; i++) {
    const int mode = p->modes[i] >= 0 && p->modes[i] <= 6 ? (int)p->modes[i] : -1;
    f->nodes[i].feature = webnn_onnx__feature_number(p->features[i]);
    if (mode < 0) {
      return webnn_onnx__fail(c, "an item of attribute nodes_modes (%g) must be 0 to 6",
                              (double)p->modes[i]);
    }
    if (!webnn_onnx__child(c, p, p->yes[i], p->yes_leaf[i] != 0, &yes) ||
        !webnn_onnx__child(c, p, p->no[i], p->no_leaf[i] != 0, &no)) {
      return false;
    }
    if (mode != WEBNN_ONNX__MEMBER) {
      webnn_onnx__make_branch(&f->nodes[i], mode, p->values[i], yes, no,
                              i < p->nan_count && p->nan[i] != 0);
    } else if (!webnn_onnx__member_branch(c, f, p, i, yes, no, &member)) {
      return false;
    }
    if (yes == (int32_t)i || no == (int32_t)i) {
      return webnn_onnx__fail(c, "node %lu is its own child", (unsigned long)i);
    }
  }
  return true;
}

/* Branches, leaves with a vote each, and roots. */
static bool webnn_onnx__read_forest(webnn_onnx__call *c, webnn_onnx__forest *f) {
  webnn_onnx__places p;
  const int64_t *targets, *roots;
  const float *weights;
  size_t i;
  memset(&p, 0, sizeof p);
  if (!webnn_onnx__read_places(c, &p)) {
    return false;
  }
  targets = webnn_onnx__exact_ints(c, "leaf_targetids", p.leaves);
  weights = webnn_onnx__exact_floats(c, "leaf_weights", p.leaves);
  roots = webnn_onnx__ints(c, "tree_roots", &f->trees);
  if (webnn_onnx__failed(c) ||
      !webnn_onnx__forest_room(c, f, p.branches + p.leaves + p.member_count + 1)) {
    return false;
  }
  f->votes = (webnn_onnx__vote *)webnn_onnx__take(c, p.leaves, sizeof *f->votes);
  f->roots = (int32_t *)webnn_onnx__take(c, f->trees + 1, sizeof *f->roots);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  f->count = p.branches + p.leaves;
  f->vote_count = p.leaves;
  for (i = 0; i < p.leaves; i++) {
    webnn_onnx__make_leaf(f, p.branches + i);
    f->votes[i].node = p.branches + i;
    f->votes[i].target = targets[i];
    f->votes[i].weight = weights[i];
  }
  for (i = 0; i < f->trees; i++) {
    if (!webnn_onnx__child(c, &p, roots[i], false, &f->roots[i])) {
      return false;
    }
  }
  return (f->trees != 0 || webnn_onnx__fail(c, "attribute tree_roots is missing or empty")) &&
         webnn_onnx__read_branches(c, f, &p);
}

static bool webnn_onnx__lower_tree_ensemble(webnn_onnx__call *c) {
  webnn_onnx__o *x = webnn_onnx__features(c);
  const int64_t aggregate = webnn_onnx__int_in(c, "aggregate_function", 1, 0, 3);
  const int64_t transform = webnn_onnx__int_in(c, "post_transform", 0, 0, 4);
  const int64_t targets = webnn_onnx__int_in(c, "n_targets", 0, 1, WEBNN_ONNX__MOST_INDICES);
  webnn_onnx__forest f;
  memset(&f, 0, sizeof f);

  f.aggregate = (webnn_onnx__aggregate)aggregate;
  f.targets = (uint32_t)targets;
  if (webnn_onnx__failed(c) || !webnn_onnx__read_forest(c, &f)) {
    return false;
  }
  x = webnn_onnx__forest_scores(c, &f, x);
  x = webnn_onnx__transformed_scores(c, x, (size_t)transform);
  x = webnn_onnx__cast(c, x, webnn_onnx_graph_type(webnn_onnx__type(c, 0)));
  return webnn_onnx__put(c, 0, x);
}

/* ---- 16 subgraphs ---------------------------------------------------------------------------- */

static bool webnn_onnx__run_graph(webnn_onnx__scope *scope);
static bool webnn_onnx__add_initializers(webnn_onnx__scope *scope);

/* One value takes over what another stands for. */
static void webnn_onnx__take_over(webnn_onnx__value *to, webnn_onnx__value *from) {
  const char *name = to->name;
  *to = *from;
  to->name = name;
  to->origin = from->origin != NULL ? from->origin : from;
}

static bool webnn_onnx__bind(webnn_onnx__call *c, webnn_onnx__scope *scope, const char *name,
                             webnn_onnx__value *value) {
  webnn_onnx__value *bound = webnn_onnx__new_value(c->import, name);
  webnn_onnx__value **slot = webnn_onnx__slot(scope, name);
  if (*slot != NULL) {
    return webnn_onnx__fail(c, "its subgraph makes \"%s\" twice", webnn_onnx__show(name).text);
  }
  webnn_onnx__take_over(bound, value);
  *slot = bound;
  return !webnn_onnx__failed(c);
}

static bool webnn_onnx__deeper(webnn_onnx__call *c, webnn_onnx__scope *scope) {
  memset(scope, 0, sizeof *scope);
  scope->import = c->import;
  scope->opsets = c->scope->opsets;
  scope->opset_count = c->scope->opset_count;
  scope->depth = c->scope->depth + 1;
  return scope->depth <= WEBNN_ONNX__MAX_NESTING ||
         webnn_onnx__fail(c, "subgraphs are nested deeper than %d", WEBNN_ONNX__MAX_NESTING);
}

/* Has a graph an initializer of that name? */
static bool webnn_onnx__is_initialized(const webnn_onnx__graph *g, const char *name) {
  size_t i;
  for (i = 0; i < g->initializer_count && strcmp(g->initializers[i].name, name) != 0; i++) {
  }
  return i < g->initializer_count;
}

/* How many inputs a subgraph is given values for: up to format 3 its
   initializers are inputs, too. */
static size_t webnn_onnx__open_inputs(const webnn_onnx__graph *g) {
  size_t i, count = 0;
  for (i = 0; i < g->input_count; i++) {
    count += webnn_onnx__is_initialized(g, g->inputs[i].name) ? 0 : 1;
  }
  return count;
}

/* Lowers a subgraph with these values for its inputs; results[i] is what its outputs stand for. */
static bool webnn_onnx__run_body(webnn_onnx__call *c, const webnn_onnx__graph *g,
                                 webnn_onnx__value *const *inputs, size_t count,
                                 webnn_onnx__value **results) {
  webnn_onnx__scope *scope = (webnn_onnx__scope *)webnn_onnx__take(c, 1, sizeof *scope);
  size_t i, k = 0;
  if (webnn_onnx__failed(c) || !webnn_onnx__deeper(c, scope)) {
    return false;
  }
  scope->parent = c->scope;
  if (count != webnn_onnx__open_inputs(g)) {
    return webnn_onnx__fail(c, "the number of inputs of its subgraph (%u) must be %u",
                            (unsigned)webnn_onnx__open_inputs(g), (unsigned)count);
  }
  if (!webnn_onnx__open_scope(scope, g, 0)) {
    return false;
  }
  for (i = 0; i < g->input_count; i++) {
    if (!webnn_onnx__is_initialized(g, g->inputs[i].name) &&
        !webnn_onnx__bind(c, scope, g->inputs[i].name, inputs[k++])) {
      return false;
    }
  }
  if (!webnn_onnx__add_initializers(scope) || !webnn_onnx__run_graph(scope)) {
    return false;
  }
  for (i = 0; i < g->output_count; i++) {
    results[i] = webnn_onnx__look_up(scope, g->outputs[i].name);
    if (results[i] == NULL) {
      return webnn_onnx__fail(c, "nothing makes the output \"%s\" of its subgraph",
                              webnn_onnx__show(g->outputs[i].name).text);
    }
    if (results[i]->failed) { /* reported already */
      return webnn_onnx__fail(c, "its subgraph cannot be expressed");
    }
  }
  return true;
}

static const webnn_onnx__graph *webnn_onnx__graph_of(webnn_onnx__call *c, const char *name) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  if (a->g == NULL) {
    (void)webnn_onnx__fail(c, "attribute %s, a graph, is missing", name);
    return NULL;
  }
  return a->g;
}

static webnn_onnx__value **webnn_onnx__results(webnn_onnx__call *c, size_t count) {
  return (webnn_onnx__value **)webnn_onnx__take(c, count + 1, sizeof(webnn_onnx__value *));
}

/* A branch, or a choice between both, has failed, and an input may decide that it is not wanted. */
static bool webnn_onnx__fail_undecided(webnn_onnx__call *c) {
  webnn_onnx__import *m = c->import;
  char place[200];
  if (webnn_onnx__varies(c, 0) && m->status == WEBNN_NOT_SUPPORTED_ERROR) {
    webnn_onnx__add_wanted(m, c->in[0]->from);
    webnn_onnx__place(c->node, place, sizeof place);
    webnn_onnx__add_to_message(m, "; by the value of input \"%s\"", c->in[0]->from);
    webnn_onnx__add_to_message(m, " %s chooses a branch", place);
  }
  return false;
}

/* Both branches are computed, and the condition chooses. */
static bool webnn_onnx__choose(webnn_onnx__call *c, size_t i, webnn_onnx__value *yes,
                               webnn_onnx__value *no) {
  webnn_onnx__o *condition = webnn_onnx__x(c, 0), *x, *y;
  if (yes->type != no->type || !webnn_extra__same_list(yes->shape, no->shape)) {
    return webnn_onnx__fail(c,
                            "the condition is not known, and output %u differs in type or shape "
                            "between the branches (%s %s and %s %s)",
                            (unsigned)i, webnn_onnx_type_name(yes->type),
                            webnn_onnx__show_shape(yes->shape).text, webnn_onnx_type_name(no->type),
                            webnn_onnx__show_shape(no->shape).text);
  }
  condition = webnn_onnx__reshape(c, condition, webnn_extra__no_items());
  x = webnn_onnx__operand(c, yes);
  y = webnn_onnx__operand(c, no);
  if (!webnn_onnx__put_as(c, i, webnn_onnx__select(c, condition, x, y), yes->type)) {
    return webnn_onnx__fail(c, "output %u of its branches cannot be chosen from", (unsigned)i);
  }
  c->out[i]->from = c->in[0]->from;
  return true;
}

static bool webnn_onnx__lower_if(webnn_onnx__call *c) {
  const webnn_onnx__graph *yes = webnn_onnx__graph_of(c, "then_branch");
  const webnn_onnx__graph *no = webnn_onnx__graph_of(c, "else_branch"), *g;
  webnn_onnx__value **results, **others;
  const bool known = webnn_onnx__is_constant(c, 0);
  const int64_t condition = known ? webnn_onnx__scalar_integer(c, 0) : 1;
  size_t i;
  if (webnn_onnx__failed(c)) {
    return false;
  }
  g = condition != 0 ? yes : no;
  results = webnn_onnx__results(c, g->output_count);
  others = webnn_onnx__results(c, no->output_count);
  if (webnn_onnx__failed(c)) {
    return false;
  }
  if (g->output_count < c->out_count || (!known && no->output_count < c->out_count)) {
    return webnn_onnx__fail(
        c, "its branches must have %u outputs; one has %u", (unsigned)c->out_count,
        (unsigned)(g->output_count < c->out_count ? g->output_count : no->output_count));
  }
  if (!webnn_onnx__run_body(c, g, NULL, 0, results) ||
      (!known && !webnn_onnx__run_body(c, no, NULL, 0, others))) {
    return !known && webnn_onnx__fail_undecided(c);
  }
  for (i = 0; i < c->out_count; i++) {
    if (webnn_onnx__wants(c, i) && known) {
      webnn_onnx__take_over(c->out[i], results[i]);
    } else if (webnn_onnx__wants(c, i) && !webnn_onnx__choose(c, i, results[i], others[i])) {
      return webnn_onnx__fail_undecided(c);
    }
  }
  return true;
}

/* A constant that the loop's subgraph sees. */
static webnn_onnx__value *webnn_onnx__known_value(webnn_onnx__call *c, webnn_onnx_type type,
                                                  int64_t number) {
  webnn_onnx__value *value = webnn_onnx__new_value(c->import, "");
  int64_t *data = (int64_t *)webnn_onnx__take(c, 1, sizeof *data);
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  value->shape = webnn_extra__no_items();
  value->type = type;
  value->data = data;
  *data = number;
  if (type == WEBNN_ONNX_BOOL) {
    *(uint8_t *)data = number != 0;
  }
  return value;
}

/* Stacks constants along a new first axis: the result is a constant. */
static bool webnn_onnx__stack_constants(webnn_onnx__call *c, size_t i, webnn_onnx__value **values,
                                        size_t count, size_t step, bool reversed) {
  const size_t bytes = webnn_onnx__bytes_of(values[0]);
  const webnn_list shape = webnn_extra__inserted(values[0]->shape, 0, (uint32_t)count);
  char *data = (char *)webnn_onnx__take(c, count, bytes);
  size_t k;
  for (k = 0; k < count && !webnn_onnx__failed(c); k++) {
    memcpy(data + k * bytes, values[(reversed ? count - 1 - k : k) * step]->data, bytes);
  }
  c->out[i]->from = NULL;
  return webnn_onnx__put_data(c, i, values[0]->type, shape, data, false);
}

static bool webnn_onnx__all_constant(webnn_onnx__value *const *values, size_t count, size_t step) {
  size_t k;
  for (k = 0; k < count; k++) {
    if (!webnn_onnx__is_known(values[k * step]) || values[k * step]->type != values[0]->type ||
        !webnn_extra__same_list(values[k * step]->shape, values[0]->shape)) {
      return false;
    }
  }
  return count != 0 && values[0]->shape.count < WEBNN_MAX_RANK &&
         webnn_data_type_bits(webnn_onnx_graph_type(values[0]->type)) >= 8;
}

/* The values of all iterations, one after the other along a new axis. */
static bool webnn_onnx__put_stacked(webnn_onnx__call *c, size_t i, webnn_onnx__value **values,
                                    size_t count, size_t step, int64_t axis, bool reversed) {
  webnn_onnx__o **parts = webnn_onnx__operands(c, count);
  uint32_t at = 0;
  size_t k;
  if (!webnn_onnx__wants(c, i)) {
    return true;
  }
  if (webnn_onnx__failed(c) || count == 0) {
    return webnn_onnx__fail(c, "output %u is stacked from no iterations, and would be empty",
                            (unsigned)i);
  }
  if (axis == 0 && webnn_onnx__all_constant(values, count, step)) {
    return webnn_onnx__stack_constants(c, i, values, count, step, reversed);
  }
  for (k = 0; k < count; k++) {
    webnn_onnx__value *value = values[(reversed ? count - 1 - k : k) * step];
    webnn_onnx__o *x = webnn_onnx__operand(c, value);
    at = webnn_onnx__axis(c, axis, value->shape.count + 1);
    if (x == NULL || webnn_onnx__failed(c) || value->shape.count >= WEBNN_MAX_RANK) {
      return webnn_onnx__fail(c, "output %u cannot be stacked from iterations of %s", (unsigned)i,
                              webnn_onnx__show_shape(value->shape).text);
    }
    parts[k] = webnn_onnx__reshape(c, x, webnn_extra__inserted(value->shape, at, 1));
    if (webnn_onnx__depends(value)) {
      c->out[i]->from = value->from;
    }
  }
  if (!webnn_onnx__put_as(c, i, webnn_onnx__concat(c, parts, count, at), values[0]->type)) {
    return false;
  }
  /* Its node cannot be folded again as a whole: without data its value is not known. */
  if (!webnn_onnx__depends(c->out[i])) {
    c->out[i]->from = c->node->outputs[i];
  }
  return true;
}

/* Is a condition, which must be known, true? */
static bool webnn_onnx__goes_on(webnn_onnx__call *c, webnn_onnx__value *value, bool *on) {
  if (webnn_onnx__depends(value)) {
    webnn_onnx__want(c->import, value->from);
    return webnn_onnx__fail(c, "its condition depends on the values of input \"%s\"",
                            webnn_onnx__show(value->from).text);
  }
  if (!webnn_onnx__evaluate(c, value) || webnn_onnx__count_of(value->shape) != 1) {
    return webnn_onnx__fail(c, "its condition must be one number; its shape is %s",
                            webnn_onnx__show_shape(value->shape).text);
  }
  *on = webnn_onnx__integer_at(value, 0) != 0;
  return true;
}

/* A Loop while it is unrolled: its body, values carried from one iteration to the next,
   and those that are stacked. Without the input for a condition, the one that the body
   computes is ignored. */
typedef struct webnn_onnx__loop {
  const webnn_onnx__graph *g;
  int64_t trips;
  bool on;
  size_t carried, scans, rounds, room;
  webnn_onnx__value **state, **results, **all;
  webnn_onnx__o *alive; /* does it still go on? NULL: that is known */
  const char *from;     /* the input that this depends on */
} webnn_onnx__loop;

/* A condition of the loop, at its begin or the end of an iteration. One that is computed
   when the graph runs stops the values that are carried, if it is known how many iterations
   there are at most. */
static bool webnn_onnx__loop_condition(webnn_onnx__call *c, webnn_onnx__loop *l,
                                       webnn_onnx__value *value) {
  webnn_onnx__o *x;
  if (!webnn_onnx__depends(value) && l->alive == NULL) {
    return webnn_onnx__goes_on(c, value, &l->on);
  }
  if (l->trips == INT64_MAX || c->out_count > l->carried ||
      webnn_onnx__count_of(value->shape) != 1) {
    webnn_onnx__want(c->import, webnn_onnx__depends(value) ? value->from : l->from);
    return webnn_onnx__fail(
        c,
        "its condition must be known, or its iterations limited by input 0 and not "
        "stacked; it depends on the values of input \"%s\"",
        webnn_onnx__show(webnn_onnx__depends(value) ? value->from : l->from).text);
  }
  l->from = webnn_onnx__depends(value) ? value->from : l->from;
  x = webnn_onnx__reshape(c, webnn_onnx__operand(c, value), webnn_extra__no_items());
  l->alive = webnn_onnx__with(c, WEBNN_OP_LOGICAL_AND, l->alive, x);
  return l->alive != NULL || webnn_onnx__fail(c, "its condition cannot be expressed");
}

/* A carried value after an iteration: the new one if the loop still went on, else the old one. */
static webnn_onnx__value *webnn_onnx__kept(webnn_onnx__call *c, const webnn_onnx__loop *l,
                                           webnn_onnx__o *alive, webnn_onnx__value *now,
                                           webnn_onnx__value *before) {
  webnn_onnx__value *value = webnn_onnx__new_value(c->import, "");
  webnn_onnx__o *x = webnn_onnx__operand(c, now), *y = webnn_onnx__operand(c, before);
  if (now->type != before->type || !webnn_extra__same_list(now->shape, before->shape)) {
    webnn_onnx__want(c->import, l->from);
    (void)webnn_onnx__fail(
        c,
        "its condition is not known, and a value from iteration to iteration "
        "changes in type or shape (%s %s to %s %s)",
        webnn_onnx_type_name(before->type), webnn_onnx__show_shape(before->shape).text,
        webnn_onnx_type_name(now->type), webnn_onnx__show_shape(now->shape).text);
  }
  value->operand = webnn_onnx__select(c, alive, x, y);
  (void)webnn_onnx__take_error(c);
  value->shape = now->shape;
  value->type = now->type;
  value->from = l->from;
  return value;
}

static bool webnn_onnx__loop_of(webnn_onnx__call *c, webnn_onnx__loop *l) {
  size_t i;
  l->g = webnn_onnx__graph_of(c, "body");
  l->carried = c->in_count < 2 ? 0 : c->in_count - 2;
  l->room = webnn_onnx__max_iterations(c);
  l->trips = webnn_onnx__optional_integer(c, 0, INT64_MAX);
  l->on = true;
  if (webnn_onnx__failed(c) ||
      (webnn_onnx__has(c, 1) && !webnn_onnx__loop_condition(c, l, c->in[1]))) {
    return false;
  }
  if (l->g->output_count < 1 + l->carried || webnn_onnx__open_inputs(l->g) != 2 + l->carried ||
      c->out_count > l->g->output_count - 1) {
    return webnn_onnx__fail(c,
                            "its subgraph must have %u inputs, and outputs for %u values and %u "
                            "outputs; it has %u and %u",
                            (unsigned)(2 + l->carried), (unsigned)(1 + l->carried),
                            (unsigned)c->out_count, (unsigned)webnn_onnx__open_inputs(l->g),
                            (unsigned)l->g->output_count);
  }
  l->scans = l->g->output_count - 1 - l->carried;
  l->state = webnn_onnx__results(c, 2 + l->carried);
  l->results = webnn_onnx__results(c, l->g->output_count);
  l->all = webnn_onnx__results(
      c, l->scans * (l->trips < (int64_t)l->room && l->trips > 0 ? (size_t)l->trips : l->room));
  if (webnn_onnx__failed(c)) {
    return false;
  }
  for (i = 0; i < l->carried; i++) {
    l->state[i + 2] = c->in[i + 2];
    if (!webnn_onnx__has(c, i + 2)) {
      return webnn_onnx__fail(c, "input %u is missing", (unsigned)i + 2);
    }
  }
  return true;
}

/* One iteration. */
static bool webnn_onnx__loop_round(webnn_onnx__call *c, webnn_onnx__loop *l) {
  webnn_onnx__o *const alive = l->alive;
  size_t i;
  if (l->rounds == l->room) {
    return webnn_onnx__fail(c, "the iterations must be at most max_iterations (%u); there are more",
                            (unsigned)l->room);
  }
  l->state[0] = webnn_onnx__known_value(c, WEBNN_ONNX_INT64, (int64_t)l->rounds);
  l->state[1] = webnn_onnx__known_value(c, WEBNN_ONNX_BOOL, 1);
  if (webnn_onnx__failed(c) ||
      !webnn_onnx__run_body(c, l->g, l->state, 2 + l->carried, l->results) ||
      (webnn_onnx__has(c, 1) && !webnn_onnx__loop_condition(c, l, l->results[0]))) {
    return false;
  }
  for (i = 0; i < l->carried; i++) {
    l->state[i + 2] = alive == NULL
                          ? l->results[i + 1]
                          : webnn_onnx__kept(c, l, alive, l->results[i + 1], l->state[i + 2]);
    if (webnn_onnx__failed(c)) {
      return false;
    }
  }
  for (i = 0; i < l->scans; i++) {
    l->all[l->rounds * l->scans + i] = l->results[1 + l->carried + i];
  }
  l->rounds++;
  return true;
}

static bool webnn_onnx__lower_loop(webnn_onnx__call *c) {
  webnn_onnx__loop l;
  size_t i;
  memset(&l, 0, sizeof l);
  if (!webnn_onnx__loop_of(c, &l)) {
    return false;
  }
  while ((int64_t)l.rounds < l.trips && l.on) {
    if (!webnn_onnx__loop_round(c, &l)) {
      return false;
    }
  }
  for (i = 0; i < c->out_count; i++) {
    if (i < l.carried && webnn_onnx__wants(c, i)) {
      webnn_onnx__take_over(c->out[i], l.state[i + 2]);
    } else if (i >= l.carried && !webnn_onnx__put_stacked(c, i, l.all + (i - l.carried), l.rounds,
                                                          l.scans, 0, false)) {
      return false;
    }
  }
  return true;
}

/* Item i of a list attribute, 0 if there is none. */
static int64_t webnn_onnx__item(const webnn_onnx__call *c, const char *name, size_t i) {
  const webnn_onnx__attribute *a = webnn_onnx__attribute_of(c, name);
  return i < a->int_count ? a->ints[i] : 0;
}

/* Element k of a sequence that is scanned. */
static webnn_onnx__value *webnn_onnx__scanned(webnn_onnx__call *c, webnn_onnx__value *sequence,
                                              uint32_t axis, uint32_t k) {
  webnn_onnx__value *value = webnn_onnx__new_value(c->import, "");
  webnn_onnx__o *x;
  if (webnn_onnx__is_known(sequence) && axis == 0 &&
      webnn_data_type_bits(webnn_onnx_graph_type(sequence->type)) >= 8) { /* stays a constant */
    *value = *sequence;
    value->operand = NULL;
    value->maker = NULL;
    value->shape = webnn_extra__removed(sequence->shape, 0);
    value->data = (const char *)sequence->data + k * webnn_onnx__bytes_of(value);
    return value;
  }
  x = webnn_onnx__slice(c, webnn_onnx__operand(c, sequence), axis, k, 1);
  x = webnn_onnx__reshape(c, x, webnn_extra__removed(webnn_onnx__sizes(x), axis));
  (void)webnn_onnx__take_error(c);
  value->operand = x;
  value->type = sequence->type;
  value->shape = webnn_onnx__sizes(x);
  value->from = webnn_onnx__depends(sequence) ? sequence->from : sequence->name;
  return value;
}

/* The length of the sequences, which must agree, and their axes. */
static bool webnn_onnx__scan_length(webnn_onnx__call *c, size_t states, size_t scans,
                                    uint32_t *axes, uint32_t *length) {
  size_t i;
  for (i = 0; i < scans; i++) {
    webnn_onnx__value *value = c->in[states + i];
    if (!webnn_onnx__has(c, states + i)) {
      return webnn_onnx__fail(c, "input %u is missing", (unsigned)(states + i));
    }
    axes[i] = webnn_onnx__axis(c, webnn_onnx__item(c, "scan_input_axes", i), value->shape.count);
    if (i != 0 && value->shape.items[axes[i]] != *length) {
      return webnn_onnx__fail(c, "the length of input %u (%u) must be that of input %u (%u)",
                              (unsigned)(states + i), value->shape.items[axes[i]], (unsigned)states,
                              *length);
    }
    *length = value->shape.items[axes[i]];
  }
  return (!webnn_onnx__failed(c) && *length <= webnn_onnx__max_iterations(c)) ||
         webnn_onnx__fail(c, "the number of iterations (%u) must be at most max_iterations (%u)",
                          *length, (unsigned)webnn_onnx__max_iterations(c));
}

static bool webnn_onnx__scan_steps(webnn_onnx__call *c, const webnn_onnx__graph *g, size_t states,
                                   const uint32_t *axes, uint32_t length, webnn_onnx__value **state,
                                   webnn_onnx__value **all) {
  const size_t scans = c->in_count - states, outs = g->output_count - states;
  webnn_onnx__value **results = webnn_onnx__results(c, g->output_count);
  uint32_t k;
  size_t i;
  if (webnn_onnx__failed(c)) {
    return false;
  }
  for (k = 0; k < length; k++) {
    for (i = 0; i < scans; i++) {
      const bool back = webnn_onnx__item(c, "scan_input_directions", i) != 0 ||
                        webnn_onnx__item(c, "directions", i) != 0; /* version 8 */
      state[states + i] =
          webnn_onnx__scanned(c, c->in[states + i], axes[i], back ? length - 1 - k : k);
    }
    if (webnn_onnx__failed(c) || !webnn_onnx__run_body(c, g, state, c->in_count, results)) {
      return false;
    }
    for (i = 0; i < states; i++) {
      state[i] = results[i];
    }
    for (i = 0; i < outs; i++) {
      all[k * outs + i] = results[states + i];
    }
  }
  return true;
}

static bool webnn_onnx__scan_batch(webnn_onnx__call *c);

static bool webnn_onnx__lower_scan(webnn_onnx__call *c) {
  const webnn_onnx__graph *g = webnn_onnx__graph_of(c, "body");
  const int64_t scans = webnn_onnx__int(c, "num_scan_inputs", 0);
  webnn_onnx__value **state, **all;
  size_t states, outs, i;
  uint32_t length = 0, *axes;
  if (c->version < 9) {
    return webnn_onnx__scan_batch(c);
  }
  if (g == NULL || scans < 1 || scans > (int64_t)c->in_count ||
      g->output_count < c->in_count - (size_t)scans || g->output_count < c->out_count) {
    return webnn_onnx__fail(
        c,
        "attribute num_scan_inputs (%lld) must be 1 to the inputs (%u), and the "
        "outputs of the subgraph (%u) as many as its states and outputs",
        (long long)scans, (unsigned)c->in_count, g == NULL ? 0 : (unsigned)g->output_count);
  }
  states = c->in_count - (size_t)scans;
  outs = g->output_count - states;
  axes = (uint32_t *)webnn_onnx__take(c, (size_t)scans, sizeof *axes);
  state = webnn_onnx__results(c, c->in_count);
  if (webnn_onnx__failed(c) || !webnn_onnx__scan_length(c, states, (size_t)scans, axes, &length)) {
    return false;
  }
  for (i = 0; i < states; i++) {
    state[i] = c->in[i];
    if (!webnn_onnx__has(c, i)) {
      return webnn_onnx__fail(c, "input %u is missing", (unsigned)i);
    }
  }
  all = webnn_onnx__results(c, outs * length);
  if (webnn_onnx__failed(c) || !webnn_onnx__scan_steps(c, g, states, axes, length, state, all)) {
    return false;
  }
  for (i = 0; i < c->out_count; i++) {
    if (i < states && webnn_onnx__wants(c, i)) {
      webnn_onnx__take_over(c->out[i], state[i]);
    } else if (i >= states && !webnn_onnx__put_stacked(
                                  c, i, all + (i - states), length, outs,
                                  webnn_onnx__item(c, "scan_output_axes", i - states),
                                  webnn_onnx__item(c, "scan_output_directions", i - states) != 0)) {
      return false;
    }
  }
  return true;
}

/* The call as one of another operator, with inputs and outputs of its own. */
static webnn_onnx__call *webnn_onnx__call_as(webnn_onnx__call *c, const webnn_onnx__row *row,
                                             webnn_onnx__value **in, size_t in_count,
                                             webnn_onnx__value **out, size_t out_count) {
  webnn_onnx__call *f = (webnn_onnx__call *)webnn_onnx__take(c, 1, sizeof *f);
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  *f = *c;
  f->row = row;
  f->in = in, f->in_count = in_count;
  f->out = out, f->out_count = out_count;
  return f;
}

/* Scan of version 8 has a batch before all dimensions, and input 0 may be the lengths of sequences:
   one scan for each of the batch, whose results are stacked. */
static bool webnn_onnx__scan_batch(webnn_onnx__call *c) {
  webnn_onnx__value **all, **in;
  webnn_onnx__call *f;
  size_t b, i, batch;
  if (webnn_onnx__has(c, 0) || !webnn_onnx__has(c, 1) || webnn_onnx__shape(c, 1).count == 0) {
    return webnn_onnx__fail(c, "%s",
                            webnn_onnx__has(c, 0)
                                ? "input 0, the lengths of sequences, cannot be expressed"
                                : "input 1 must have a dimension for the batch");
  }
  batch = webnn_onnx__shape(c, 1).items[0];
  if (batch > WEBNN_ONNX__MOST_PARTS) {
    return webnn_onnx__fail(c, "the batch of input 1 (%u) must be at most %d", (unsigned)batch,
                            WEBNN_ONNX__MOST_PARTS);
  }
  all = webnn_onnx__results(c, batch * c->out_count);
  for (b = 0; b < batch && !webnn_onnx__failed(c); b++) {
    in = webnn_onnx__results(c, c->in_count);
    for (i = 1; i < c->in_count && !webnn_onnx__failed(c); i++) {
      if (webnn_onnx__shape(c, i).count == 0 || webnn_onnx__shape(c, i).items[0] != batch) {
        return webnn_onnx__fail(c, "input %u (shape %s) must be of a batch of %u", (unsigned)i,
                                webnn_onnx__show_shape(webnn_onnx__shape(c, i)).text,
                                (unsigned)batch);
      }
      in[i - 1] = webnn_onnx__scanned(c, c->in[i], 0, (uint32_t)b);
    }
    for (i = 0; i < c->out_count; i++) {
      all[b * c->out_count + i] = webnn_onnx__new_value(c->import, c->node->outputs[i]);
    }
    f = webnn_onnx__call_as(c, c->row, in, c->in_count - 1, all + b * c->out_count, c->out_count);
    if (webnn_onnx__failed(c)) {
      return false;
    }
    f->version = 9;
    if (!webnn_onnx__lower_scan(f)) {
      return false;
    }
  }
  for (i = 0; i < c->out_count; i++) {
    if (webnn_onnx__failed(c) ||
        !webnn_onnx__put_stacked(c, i, all + i, batch, c->out_count, 0, false)) {
      return false;
    }
  }
  return true;
}

/* The function of the model that a node calls; NULL: none. */
static const webnn_onnx__function *webnn_onnx__function_of(const webnn_onnx_model *m,
                                                           const webnn_onnx__node *node) {
  size_t i;
  for (i = 0; i < m->function_count; i++) {
    const webnn_onnx__function *f = &m->functions[i];
    if (strcmp(f->name, node->op) == 0 && strcmp(f->domain, node->domain) == 0 &&
        strcmp(f->overload, node->overload) == 0) {
      return f;
    }
  }
  return NULL;
}

/* The function's nodes in place of its call. */
static bool webnn_onnx__lower_call(webnn_onnx__call *c) {
  const webnn_onnx__function *f = webnn_onnx__function_of(c->import->model, c->node);
  webnn_onnx__scope *scope = (webnn_onnx__scope *)webnn_onnx__take(c, 1, sizeof *scope);
  size_t i;
  if (webnn_onnx__failed(c) || !webnn_onnx__deeper(c, scope)) {
    return false;
  }
  scope->function = f;
  scope->caller = c;
  if (f->opset_count != 0) {
    scope->opsets = f->opsets;
    scope->opset_count = f->opset_count;
  }
  if (!webnn_onnx__open_scope(scope, &f->body, f->input_count)) {
    return false;
  }
  for (i = 0; i < f->input_count && i < c->in_count; i++) {
    if (webnn_onnx__has(c, i) && !webnn_onnx__bind(c, scope, f->inputs[i], c->in[i])) {
      return false;
    }
  }
  if (!webnn_onnx__run_graph(scope)) {
    return false;
  }
  for (i = 0; i < c->out_count; i++) {
    webnn_onnx__value *value =
        i < f->output_count ? webnn_onnx__look_up(scope, f->outputs[i]) : NULL;
    if (webnn_onnx__wants(c, i) && (value == NULL || value->failed)) {
      return webnn_onnx__fail(c, "its function does not make output %u", (unsigned)i);
    }
    if (webnn_onnx__wants(c, i)) {
      webnn_onnx__take_over(c->out[i], value);
    }
  }
  return true;
}

/* ---- 16.1 attention whose scores and shares graphs change. */

/* The graph `name` applied to x, of type `type` and made from input *from; x itself without one. */
static webnn_onnx__o *webnn_onnx__modified(webnn_onnx__call *c, const char *name, webnn_onnx__o *x,
                                           webnn_onnx_type type, const char **from) {
  const webnn_onnx__graph *g;
  webnn_onnx__value *value, **results;
  if (x == NULL || !webnn_onnx__has_attribute(c, name)) {
    return x;
  }
  g = webnn_onnx__graph_of(c, name);
  value = webnn_onnx__new_value(c->import, "");
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  results = webnn_onnx__results(c, g->output_count);
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  value->operand = x;
  value->type = type;
  value->shape = webnn_operand_shape(x);
  value->from = *from;
  if (!webnn_onnx__run_body(c, g, &value, 1, results)) {
    return NULL;
  }
  if (g->output_count != 1 || results[0]->type != type ||
      !webnn_extra__same_list(results[0]->shape, value->shape)) {
    return webnn_onnx__no_operand(
        c,
        "the graph \"%s\" changes the type or shape of its input (%s %s), or has "
        "%u outputs, not 1",
        name, webnn_onnx_type_name(type), webnn_onnx__show_shape(value->shape).text,
        (unsigned)g->output_count);
  }
  *from = webnn_onnx__depends(results[0]) ? results[0]->from : *from;
  return webnn_onnx__operand(c, results[0]);
}

/* prob_mod(softmax(score_mod(scale q k^T))) v, softmax in a type of its own. */
static bool webnn_onnx__lower_flex_attention(webnn_onnx__call *c) {
  webnn_onnx__o *q = webnn_onnx__x(c, 0), *k = webnn_onnx__x(c, 1), *v = webnn_onnx__x(c, 2), *s;
  const webnn_list shape = webnn_onnx__sizes(q);
  const bool wide = webnn_onnx__type(c, 0) == WEBNN_ONNX_DOUBLE;
  const webnn_onnx_type type = webnn_onnx__type_of(
      (uint64_t)webnn_onnx__int(c, "softmax_precision", wide ? (int64_t)WEBNN_ONNX_DOUBLE : 1));
  const webnn_data_type graph_type = webnn_onnx_graph_type(type);
  const char *from = NULL;
  size_t i;
  if (!webnn_onnx__must_have_rank(c, 0, 4, 4) || !webnn_onnx__must_have_rank(c, 1, 4, 4) ||
      !webnn_onnx__must_have_rank(c, 2, 4, 4)) {
    return false;
  }
  if (graph_type != WEBNN_FLOAT32 && graph_type != WEBNN_FLOAT16) {
    return webnn_onnx__fail(c, "attribute softmax_precision (%s) must be a float type",
                            webnn_onnx_type_name(type));
  }
  for (i = 0; i < 3; i++) {
    from = from == NULL ? c->in[i]->from : from;
  }
  k = webnn_onnx__repeated(c, k, shape.items[1]);
  v = webnn_onnx__repeated(c, v, shape.items[1]);
  s = webnn_onnx__scaled(c, webnn_onnx__matmul(c, q, webnn_onnx__swap_last(c, k)),
                         webnn_onnx__float(c, "scale", 1 / webnn_onnx__root(shape.items[3])));
  s = webnn_onnx__modified(c, "score_mod", webnn_onnx__cast(c, s, graph_type), type, &from);
  s = webnn_onnx__modified(c, "prob_mod", webnn_onnx__softmax(c, s, 3), type, &from);
  s = webnn_onnx__matmul(c, s, webnn_onnx__cast(c, v, graph_type));
  if (!webnn_onnx__put(c, 0, webnn_onnx__cast(c, s, webnn_onnx__graph_type_of(q)))) {
    return false;
  }
  if (webnn_onnx__wants(c, 0)) { /* of constants, too, it is computed when the graph runs */
    c->out[0]->from = from != NULL ? from : c->node->outputs[0];
  }
  return true;
}

/* ---- 16.2 sequences and optional values: how many tensors there are is known while building.
   Their operators hand values on as they are; flags "s". */

static bool webnn_onnx__lower(webnn_onnx__call *c);
static const webnn_onnx__row *webnn_onnx__row_of(const char *domain, const char *name);

/* Output 0 is a sequence of so many items. */
static bool webnn_onnx__put_sequence(webnn_onnx__call *c, webnn_onnx__value **items, size_t count) {
  if (webnn_onnx__wants(c, 0)) {
    c->out[0]->kind = WEBNN_ONNX__IS_SEQUENCE;
    c->out[0]->items = items;
    c->out[0]->item_count = count;
  }
  return !webnn_onnx__failed(c);
}

/* The sequence that input 0 is; NULL: it is none, and the call has failed. */
static const webnn_onnx__value *webnn_onnx__sequence(webnn_onnx__call *c) {
  if (!webnn_onnx__has(c, 0) || c->in[0]->kind != WEBNN_ONNX__IS_SEQUENCE) {
    (void)webnn_onnx__fail(c, "input 0 must be a sequence; it is %s",
                           webnn_onnx__kind_name(webnn_onnx__has(c, 0) ? c->in[0] : NULL));
    return NULL;
  }
  return c->in[0];
}

/* A place in a sequence from input i, counted from the end if negative; `absent` without it. */
static bool webnn_onnx__position(webnn_onnx__call *c, size_t i, size_t count, size_t absent,
                                 size_t *place) {
  int64_t number = webnn_onnx__optional_integer(c, i, (int64_t)absent);
  number = number < 0 ? number + (int64_t)count : number;
  *place = (size_t)number;
  return (!webnn_onnx__failed(c) && number >= 0 && number <= (int64_t)absent) ||
         webnn_onnx__fail(c,
                          "the place in input %u (%lld) must be 0 to %u, or negative from the end",
                          (unsigned)i, (long long)number, (unsigned)absent);
}

static bool webnn_onnx__lower_sequence_construct(webnn_onnx__call *c) {
  webnn_onnx__value **items = webnn_onnx__results(c, c->in_count);
  size_t i;
  for (i = 0; i < c->in_count && !webnn_onnx__failed(c); i++) {
    items[i] = c->in[i];
    if (!webnn_onnx__has(c, i) || items[i]->kind != WEBNN_ONNX__IS_TENSOR) {
      return webnn_onnx__fail(c, "input %u must be a tensor; it is %s", (unsigned)i,
                              webnn_onnx__kind_name(items[i]));
    }
  }
  return webnn_onnx__put_sequence(c, items, c->in_count);
}

static bool webnn_onnx__lower_sequence_length(webnn_onnx__call *c) {
  const webnn_onnx__value *s = webnn_onnx__sequence(c);
  const int64_t count = webnn_onnx__failed(c) ? 0 : (int64_t)s->item_count;
  return !webnn_onnx__failed(c) && webnn_onnx__put_integers(c, 0, &count, 1, true);
}

/* The place of the item that input 1 names. */
static bool webnn_onnx__named_item(webnn_onnx__call *c, const webnn_onnx__value *s, size_t *place) {
  if (webnn_onnx__failed(c) || s->item_count == 0) {
    return webnn_onnx__fail(c, "input 0, the sequence, is empty");
  }
  return webnn_onnx__position(c, 1, s->item_count, s->item_count - 1, place);
}

static bool webnn_onnx__lower_sequence_at(webnn_onnx__call *c) {
  const webnn_onnx__value *s = webnn_onnx__sequence(c);
  size_t place;
  if (!webnn_onnx__named_item(c, s, &place)) {
    return false;
  }
  if (webnn_onnx__wants(c, 0)) {
    webnn_onnx__take_over(c->out[0], s->items[place]);
  }
  return true;
}

static bool webnn_onnx__lower_sequence_insert(webnn_onnx__call *c) {
  const webnn_onnx__value *s = webnn_onnx__sequence(c);
  webnn_onnx__value **items;
  size_t place, i;
  if (webnn_onnx__failed(c) || !webnn_onnx__position(c, 2, s->item_count, s->item_count, &place)) {
    return false;
  }
  if (!webnn_onnx__has(c, 1) || c->in[1]->kind != WEBNN_ONNX__IS_TENSOR) {
    return webnn_onnx__fail(c, "input 1 must be a tensor; it is %s",
                            webnn_onnx__kind_name(webnn_onnx__has(c, 1) ? c->in[1] : NULL));
  }
  items = webnn_onnx__results(c, s->item_count + 1);
  for (i = 0; i <= s->item_count && !webnn_onnx__failed(c); i++) {
    items[i] = i == place ? c->in[1] : s->items[i < place ? i : i - 1];
  }
  return webnn_onnx__put_sequence(c, items, s->item_count + 1);
}

static bool webnn_onnx__lower_sequence_erase(webnn_onnx__call *c) {
  const webnn_onnx__value *s = webnn_onnx__sequence(c);
  webnn_onnx__value **items;
  size_t place, i;
  if (!webnn_onnx__named_item(c, s, &place)) {
    return false;
  }
  items = webnn_onnx__results(c, s->item_count);
  for (i = 0; i + 1 < s->item_count && !webnn_onnx__failed(c); i++) {
    items[i] = s->items[i < place ? i : i + 1];
  }
  return webnn_onnx__put_sequence(c, items, s->item_count - 1);
}

/* Items stacked along a new axis, or put one behind the other. */
static bool webnn_onnx__lower_joined_items(webnn_onnx__call *c) {
  webnn_onnx__o **parts;
  uint32_t axis;
  size_t i;
  if (!webnn_onnx__flag(c, "new_axis")) {
    return webnn_onnx__lower_concat(c);
  }
  parts = webnn_onnx__operands(c, c->in_count);
  axis = webnn_onnx__axis_of(c, "axis", 0, webnn_onnx__shape(c, 0).count + 1);
  for (i = 0; i < c->in_count && !webnn_onnx__failed(c); i++) {
    parts[i] = webnn_onnx__x(c, i);
    if (webnn_onnx__shape(c, i).count < axis) {
      return webnn_onnx__fail(c,
                              "item %u must have at least as many dimensions as the axis (%u); its "
                              "shape is %s",
                              (unsigned)i, axis,
                              webnn_onnx__show_shape(webnn_onnx__shape(c, i)).text);
    }
    parts[i] =
        webnn_onnx__reshape(c, parts[i], webnn_extra__inserted(webnn_onnx__shape(c, i), axis, 1));
  }
  return !webnn_onnx__failed(c) && webnn_onnx__put(c, 0, webnn_onnx__concat(c, parts, i, axis));
}

static bool webnn_onnx__lower_concat_from_sequence(webnn_onnx__call *c) {
  static const webnn_onnx__row row = {
      "", "ConcatFromSequence", 11, webnn_onnx__lower_joined_items, 0, "m"};
  const webnn_onnx__value *s = webnn_onnx__sequence(c);
  webnn_onnx__call *f;
  if (webnn_onnx__failed(c) || s->item_count == 0) {
    return webnn_onnx__fail(c, "input 0, the sequence, is empty");
  }
  f = webnn_onnx__call_as(c, &row, s->items, s->item_count, c->out, c->out_count);
  return !webnn_onnx__failed(c) && webnn_onnx__lower(f);
}

/* The sizes of the parts that input 1 says: a list, one size for all but the last, or 1. */
static bool webnn_onnx__part_sizes(webnn_onnx__call *c, uint32_t size, int64_t **sizes,
                                   size_t *count) {
  const bool list = webnn_onnx__shape(c, 1).count == 1;
  const int64_t part = list ? 1 : webnn_onnx__optional_integer(c, 1, 1);
  size_t i;
  if (!webnn_onnx__must_be(c, "the size of parts in input 1", part, 1, INT64_MAX)) {
    return false;
  }
  *count = list ? webnn_onnx__shape(c, 1).items[0] : (size_t)(((int64_t)size + part - 1) / part);
  if (*count > WEBNN_ONNX__MOST_PARTS) {
    return webnn_onnx__fail(c, "the number of parts (%u) must be at most %d", (unsigned)*count,
                            WEBNN_ONNX__MOST_PARTS);
  }
  *sizes = (int64_t *)webnn_onnx__take(c, *count + 1, sizeof **sizes);
  for (i = 0; i < *count && !webnn_onnx__failed(c); i++) {
    const int64_t left = (int64_t)size - (int64_t)i * part;
    (*sizes)[i] = left < part ? left : part;
  }
  if (list && !webnn_onnx__failed(c)) {
    (void)webnn_onnx__integers(c, 1, *sizes, *count);
  }
  return !webnn_onnx__failed(c);
}

/* The value without a dimension of 1. */
static void webnn_onnx__drop_axis(webnn_onnx__call *c, webnn_onnx__value *v, uint32_t axis) {
  const webnn_list shape = webnn_extra__removed(v->shape, axis);
  v->operand =
      webnn_onnx__is_known(v) ? NULL : webnn_onnx__reshape(c, webnn_onnx__operand(c, v), shape);
  v->from = webnn_onnx__is_known(v) || webnn_onnx__depends(v) ? v->from : v->name;
  v->shape = shape;
}

static bool webnn_onnx__lower_split_to_sequence(webnn_onnx__call *c) {
  const webnn_onnx__row *row = webnn_onnx__row_of("", "Split");
  webnn_onnx__value **items, **in = webnn_onnx__results(c, 2), *part_sizes;
  const bool keep = webnn_onnx__has(c, 1) || webnn_onnx__int(c, "keepdims", 1) != 0;
  webnn_onnx__call *f;
  const uint32_t axis = webnn_onnx__axis_of(c, "axis", 0, webnn_onnx__shape(c, 0).count);
  int64_t *sizes = NULL;
  size_t count = 0, i;
  if (webnn_onnx__failed(c) || !webnn_onnx__has(c, 0) ||
      !webnn_onnx__part_sizes(c, webnn_onnx__shape(c, 0).items[axis], &sizes, &count)) {
    return webnn_onnx__fail(c, "input 0 is missing");
  }
  items = webnn_onnx__results(c, count);
  part_sizes = webnn_onnx__new_value(c->import, "");
  for (i = 0; i < count && !webnn_onnx__failed(c); i++) {
    items[i] = webnn_onnx__new_value(c->import, c->node->outputs[0]);
  }
  if (webnn_onnx__failed(c)) {
    return false;
  }
  in[0] = c->in[0];
  in[1] = part_sizes;
  in[1]->type = WEBNN_ONNX_INT64;
  in[1]->shape = webnn_extra__list1(count);
  in[1]->data = sizes;
  f = webnn_onnx__call_as(c, row, in, 2, items, count);
  if (webnn_onnx__failed(c) || !webnn_onnx__lower(f)) {
    return false;
  }
  for (i = 0; i < count && !keep; i++) {
    webnn_onnx__drop_axis(c, items[i], axis);
  }
  return webnn_onnx__put_sequence(c, items, count);
}

/* The body for each item of the first sequence, with the items of others, and
   tensors as they are. */
static bool webnn_onnx__lower_sequence_map(webnn_onnx__call *c) {
  const webnn_onnx__value *s = webnn_onnx__sequence(c);
  const webnn_onnx__graph *g = webnn_onnx__graph_of(c, "body");
  webnn_onnx__value **in = webnn_onnx__results(c, c->in_count), **out;
  size_t i, k;
  if (webnn_onnx__failed(c)) {
    return false;
  }
  if (g->output_count < c->out_count) {
    return webnn_onnx__fail(c, "its subgraph must have %u outputs; it has %u",
                            (unsigned)c->out_count, (unsigned)g->output_count);
  }
  for (k = 0; k < c->out_count; k++) {
    if (webnn_onnx__wants(c, k)) {
      c->out[k]->kind = WEBNN_ONNX__IS_SEQUENCE;
      c->out[k]->item_count = s->item_count;
      c->out[k]->items = webnn_onnx__results(c, s->item_count);
    }
  }
  for (i = 0; i < s->item_count; i++) {
    for (k = 0; k < c->in_count; k++) {
      const bool there = webnn_onnx__has(c, k);
      const bool tensor = !there || c->in[k]->kind != WEBNN_ONNX__IS_SEQUENCE;
      if (!there || (!tensor && c->in[k]->item_count != s->item_count)) {
        return webnn_onnx__fail(c, "input %u must be a sequence of %u items; it %s", (unsigned)k,
                                (unsigned)s->item_count,
                                there ? "has another number" : "is missing");
      }
      in[k] = tensor ? c->in[k] : c->in[k]->items[i];
    }
    out = webnn_onnx__results(c, g->output_count);
    if (webnn_onnx__failed(c) || !webnn_onnx__run_body(c, g, in, c->in_count, out)) {
      return false;
    }
    for (k = 0; k < c->out_count; k++) {
      if (webnn_onnx__wants(c, k)) {
        c->out[k]->items[i] = out[k];
      }
    }
  }
  return true;
}

/* Optional: its input, or nothing; OptionalGetElement: what is there. */
static bool webnn_onnx__lower_optional(webnn_onnx__call *c) {
  const bool nothing = !webnn_onnx__has(c, 0) || c->in[0]->kind == WEBNN_ONNX__IS_ABSENT;
  if (nothing && c->row->detail != 0) {
    return webnn_onnx__fail(c, "input 0 must hold an element; it is empty");
  }
  if (nothing && webnn_onnx__wants(c, 0)) {
    c->out[0]->kind = WEBNN_ONNX__IS_ABSENT;
  } else if (webnn_onnx__wants(c, 0)) {
    webnn_onnx__take_over(c->out[0], c->in[0]);
  }
  return true;
}

static bool webnn_onnx__lower_optional_has(webnn_onnx__call *c) {
  uint8_t *data = (uint8_t *)webnn_onnx__take(c, 1, 1);
  if (!webnn_onnx__failed(c)) {
    *data = webnn_onnx__has(c, 0) && c->in[0]->kind != WEBNN_ONNX__IS_ABSENT;
  }
  return webnn_onnx__put_data(c, 0, WEBNN_ONNX_BOOL, webnn_extra__no_items(), data, false);
}

/* ---- 17 table -------------------------------------------------------------------------------- */

#define WEBNN_ONNX__UNARY(name, since, op)                                                         \
  { "", name, since, webnn_onnx__lower_unary, WEBNN_OP_##op, "" }
#define WEBNN_ONNX__BINARY(name, since, op)                                                        \
  { "", name, since, webnn_onnx__lower_binary, WEBNN_OP_##op, "" }
#define WEBNN_ONNX__ROW(name, since, function, detail)                                             \
  { "", name, since, webnn_onnx__lower_##function, detail, "" }
#define WEBNN_ONNX__MOVE(name, since, function, detail)                                            \
  { "", name, since, webnn_onnx__lower_##function, detail, "m" }
#define WEBNN_ONNX__BODY(name, since, function)                                                    \
  { "", name, since, webnn_onnx__lower_##function, 0, "s" }
#define WEBNN_ONNX__MICROSOFT(name, function, detail)                                              \
  { "com.microsoft", name, 1, webnn_onnx__lower_##function, detail, "" }
#define WEBNN_ONNX__LEARNED(name, since, function)                                                 \
  { "ai.onnx.ml", name, since, webnn_onnx__lower_##function, 0, "" }

static const webnn_onnx__row webnn_onnx__rows[] = {
    WEBNN_ONNX__UNARY("Abs", 1, ABS),
    WEBNN_ONNX__UNARY("Ceil", 1, CEIL),
    WEBNN_ONNX__UNARY("Cos", 7, COS),
    WEBNN_ONNX__UNARY("Erf", 9, ERF),
    WEBNN_ONNX__UNARY("Exp", 1, EXP),
    WEBNN_ONNX__UNARY("Floor", 1, FLOOR),
    WEBNN_ONNX__UNARY("HardSwish", 14, HARD_SWISH),
    WEBNN_ONNX__UNARY("IsNaN", 9, IS_NAN),
    WEBNN_ONNX__UNARY("Log", 1, LOG),
    WEBNN_ONNX__UNARY("Neg", 1, NEG),
    WEBNN_ONNX__UNARY("Not", 1, LOGICAL_NOT),
    WEBNN_ONNX__UNARY("Reciprocal", 1, RECIPROCAL),
    WEBNN_ONNX__UNARY("Relu", 1, RELU),
    WEBNN_ONNX__UNARY("Round", 11, ROUND_EVEN),
    WEBNN_ONNX__UNARY("Sigmoid", 1, SIGMOID),
    WEBNN_ONNX__UNARY("Sign", 9, SIGN),
    WEBNN_ONNX__UNARY("Sin", 7, SIN),
    WEBNN_ONNX__UNARY("Softplus", 1, SOFTPLUS),
    WEBNN_ONNX__UNARY("Softsign", 1, SOFTSIGN),
    WEBNN_ONNX__UNARY("Sqrt", 1, SQRT),
    WEBNN_ONNX__UNARY("Tan", 7, TAN),
    WEBNN_ONNX__UNARY("Tanh", 1, TANH),
    WEBNN_ONNX__BINARY("Add", 1, ADD),
    WEBNN_ONNX__BINARY("And", 1, LOGICAL_AND),
    WEBNN_ONNX__BINARY("Div", 1, DIV),
    WEBNN_ONNX__BINARY("Equal", 1, EQUAL),
    WEBNN_ONNX__BINARY("Greater", 1, GREATER),
    WEBNN_ONNX__BINARY("GreaterOrEqual", 12, GREATER_OR_EQUAL),
    WEBNN_ONNX__BINARY("Less", 1, LESSER),
    WEBNN_ONNX__BINARY("LessOrEqual", 12, LESSER_OR_EQUAL),
    WEBNN_ONNX__BINARY("Mul", 1, MUL),
    WEBNN_ONNX__BINARY("Or", 1, LOGICAL_OR),
    WEBNN_ONNX__BINARY("Sub", 1, SUB),
    WEBNN_ONNX__BINARY("Xor", 1, LOGICAL_XOR),
    WEBNN_ONNX__ROW("Max", 1, variadic, WEBNN_OP_MAX),
    WEBNN_ONNX__ROW("Mean", 1, variadic, WEBNN_OP_REDUCE_MEAN),
    WEBNN_ONNX__ROW("Min", 1, variadic, WEBNN_OP_MIN),
    WEBNN_ONNX__ROW("Sum", 1, variadic, WEBNN_OP_ADD),
    WEBNN_ONNX__ROW("BitShift", 11, shift, 0),
    WEBNN_ONNX__MOVE("BitCast", 26, bit_cast, 0),
    WEBNN_ONNX__ROW("BitwiseAnd", 18, bitwise, 0),
    WEBNN_ONNX__ROW("BitwiseOr", 18, bitwise, 1),
    WEBNN_ONNX__ROW("BitwiseXor", 18, bitwise, 2),
    WEBNN_ONNX__ROW("BitwiseNot", 18, bitwise_not, 0),
    WEBNN_ONNX__ROW("Clip", 1, clip, 0),
    WEBNN_ONNX__ROW("IsInf", 10, is_inf, 0),
    WEBNN_ONNX__ROW("Mod", 10, mod, 0),
    WEBNN_ONNX__ROW("Pow", 1, pow, 0),
    WEBNN_ONNX__ROW("PRelu", 1, prelu, 0),
    WEBNN_ONNX__ROW("SwiGLU", 28, swiglu, 0),
    WEBNN_ONNX__ROW("Celu", 12, activation, WEBNN_ONNX__CELU),
    WEBNN_ONNX__ROW("Elu", 1, activation, WEBNN_ONNX__ELU),
    WEBNN_ONNX__ROW("Gelu", 20, activation, WEBNN_ONNX__GELU),
    WEBNN_ONNX__ROW("HardSigmoid", 1, activation, WEBNN_ONNX__HARD_SIGMOID),
    WEBNN_ONNX__ROW("LeakyRelu", 1, activation, WEBNN_ONNX__LEAKY_RELU),
    WEBNN_ONNX__ROW("Mish", 18, activation, WEBNN_ONNX__MISH),
    WEBNN_ONNX__ROW("Selu", 1, activation, WEBNN_ONNX__SELU),
    WEBNN_ONNX__ROW("Shrink", 9, activation, WEBNN_ONNX__SHRINK),
    WEBNN_ONNX__ROW("Swish", 24, activation, WEBNN_ONNX__SWISH),
    WEBNN_ONNX__ROW("ThresholdedRelu", 1, activation, WEBNN_ONNX__THRESHOLDED_RELU),
    WEBNN_ONNX__ROW("Acos", 7, function, WEBNN_ONNX__ACOS),
    WEBNN_ONNX__ROW("Acosh", 9, function, WEBNN_ONNX__ACOSH),
    WEBNN_ONNX__ROW("Asin", 7, function, WEBNN_ONNX__ASIN),
    WEBNN_ONNX__ROW("Asinh", 9, function, WEBNN_ONNX__ASINH),
    WEBNN_ONNX__ROW("Atan", 7, function, WEBNN_ONNX__ATAN),
    WEBNN_ONNX__ROW("Atanh", 9, function, WEBNN_ONNX__ATANH),
    WEBNN_ONNX__ROW("Cosh", 9, function, WEBNN_ONNX__COSH),
    WEBNN_ONNX__ROW("Sinh", 9, function, WEBNN_ONNX__SINH),
    WEBNN_ONNX__MOVE("Cast", 1, cast, 0),
    WEBNN_ONNX__MOVE("CastLike", 15, cast_like, 0),
    WEBNN_ONNX__MOVE("Dropout", 1, identity, 0),
    WEBNN_ONNX__MOVE("Identity", 1, identity, 0),
    WEBNN_ONNX__MOVE("Where", 9, where, 0),
    WEBNN_ONNX__MOVE("CenterCropPad", 18, center_crop_pad, 0),
    WEBNN_ONNX__MOVE("Compress", 9, compress, 0),
    WEBNN_ONNX__MOVE("Concat", 1, concat, 0),
    WEBNN_ONNX__MOVE("Constant", 1, constant, 0),
    {"", "ConstantOfShape", 9, webnn_onnx__lower_constant_of_shape, 0, "md"},
    WEBNN_ONNX__MOVE("DepthToSpace", 1, depth_to_space, 0),
    {"", "Expand", 8, webnn_onnx__lower_expand, 0, "md"},
    WEBNN_ONNX__MOVE("EyeLike", 9, eye_like, 0),
    WEBNN_ONNX__MOVE("Flatten", 1, flatten, 0),
    WEBNN_ONNX__MOVE("Gather", 1, gather, 0),
    WEBNN_ONNX__MOVE("GatherElements", 11, gather, 1),
    WEBNN_ONNX__MOVE("GatherND", 11, gather_nd, 0),
    WEBNN_ONNX__ROW("NonMaxSuppression", 10, suppression, 0),
    WEBNN_ONNX__MOVE("NonZero", 9, non_zero, 0),
    WEBNN_ONNX__MOVE("OneHot", 9, one_hot, 0),
    WEBNN_ONNX__MOVE("Pad", 1, pad, 0),
    {"", "Range", 11, webnn_onnx__lower_range, 0, "d"},
    {"", "Reshape", 1, webnn_onnx__lower_reshape, 0, "md"},
    WEBNN_ONNX__MOVE("ReverseSequence", 10, reverse_sequence, 0),
    WEBNN_ONNX__ROW("Scatter", 9, scatter_elements, 0),
    WEBNN_ONNX__ROW("ScatterElements", 11, scatter_elements, 0),
    WEBNN_ONNX__ROW("ScatterND", 11, scatter_nd, 0),
    WEBNN_ONNX__MOVE("Shape", 1, shape, 0),
    WEBNN_ONNX__MOVE("Size", 1, size, 0),
    {"", "Slice", 1, webnn_onnx__lower_slice, 0, "md"},
    WEBNN_ONNX__MOVE("SpaceToDepth", 1, depth_to_space, 1),
    WEBNN_ONNX__MOVE("Split", 1, split, 0),
    WEBNN_ONNX__MOVE("Squeeze", 1, squeeze, 0),
    WEBNN_ONNX__MOVE("Tile", 1, tile, 0),
    WEBNN_ONNX__MOVE("TopK", 1, top_k, 0),
    WEBNN_ONNX__MOVE("Transpose", 1, transpose, 0),
    WEBNN_ONNX__MOVE("Trilu", 14, trilu, 0),
    WEBNN_ONNX__MOVE("Unique", 11, unique, 0),
    WEBNN_ONNX__MOVE("Unsqueeze", 1, unsqueeze, 0),
    WEBNN_ONNX__ROW("BlackmanWindow", 17, window, 2),
    WEBNN_ONNX__ROW("HammingWindow", 17, window, 1),
    WEBNN_ONNX__ROW("HannWindow", 17, window, 0),
    WEBNN_ONNX__ROW("ArgMax", 1, arg, 1),
    WEBNN_ONNX__ROW("ArgMin", 1, arg, 0),
    WEBNN_ONNX__ROW("CumSum", 11, cumulative_sum, 0),
    WEBNN_ONNX__ROW("CumProd", 26, cumulative_product, 0),
    WEBNN_ONNX__ROW("Det", 11, det, 0),
    WEBNN_ONNX__ROW("DFT", 17, dft, 0),
    WEBNN_ONNX__ROW("Einsum", 12, einsum, 0),
    WEBNN_ONNX__ROW("Gemm", 1, gemm, 0),
    WEBNN_ONNX__ROW("Hardmax", 1, softmax, 2),
    WEBNN_ONNX__ROW("LogSoftmax", 1, softmax, 1),
    WEBNN_ONNX__ROW("MatMul", 1, matmul, 0),
    WEBNN_ONNX__ROW("MelWeightMatrix", 17, mel_weights, 0),
    WEBNN_ONNX__ROW("ReduceL1", 1, reduce, WEBNN_OP_REDUCE_L1),
    WEBNN_ONNX__ROW("ReduceL2", 1, reduce, WEBNN_OP_REDUCE_L2),
    WEBNN_ONNX__ROW("ReduceLogSum", 1, reduce, WEBNN_OP_REDUCE_LOG_SUM),
    WEBNN_ONNX__ROW("ReduceLogSumExp", 1, reduce, WEBNN_OP_REDUCE_LOG_SUM_EXP),
    WEBNN_ONNX__ROW("ReduceMax", 1, reduce, WEBNN_OP_REDUCE_MAX),
    WEBNN_ONNX__ROW("ReduceMean", 1, reduce, WEBNN_OP_REDUCE_MEAN),
    WEBNN_ONNX__ROW("ReduceMin", 1, reduce, WEBNN_OP_REDUCE_MIN),
    WEBNN_ONNX__ROW("ReduceProd", 1, reduce, WEBNN_OP_REDUCE_PRODUCT),
    WEBNN_ONNX__ROW("ReduceSum", 1, reduce, WEBNN_OP_REDUCE_SUM),
    WEBNN_ONNX__ROW("ReduceSumSquare", 1, reduce, WEBNN_OP_REDUCE_SUM_SQUARE),
    WEBNN_ONNX__ROW("AffineGrid", 20, affine_grid, 0),
    WEBNN_ONNX__ROW("GridSample", 16, grid_sample, 0),
    {"", "Resize", 10, webnn_onnx__lower_resize, 0, "d"},
    WEBNN_ONNX__ROW("RoiAlign", 10, roi_align, 0),
    WEBNN_ONNX__ROW("Softmax", 1, softmax, 0),
    WEBNN_ONNX__ROW("STFT", 17, stft, 0),
    WEBNN_ONNX__ROW("Upsample", 7, resize, 0),
    WEBNN_ONNX__ROW("AveragePool", 1, average_pool, 0),
    WEBNN_ONNX__ROW("Col2Im", 18, col2im, 0),
    WEBNN_ONNX__ROW("Conv", 1, conv, 0),
    WEBNN_ONNX__ROW("ConvTranspose", 1, conv_transpose, 0),
    WEBNN_ONNX__ROW("DeformConv", 19, deform_conv, 0),
    WEBNN_ONNX__ROW("GlobalAveragePool", 1, global_pool, WEBNN_OP_REDUCE_MEAN),
    WEBNN_ONNX__ROW("GlobalLpPool", 2, global_pool, WEBNN_OP_REDUCE_L2),
    WEBNN_ONNX__ROW("GlobalMaxPool", 1, global_pool, WEBNN_OP_REDUCE_MAX),
    WEBNN_ONNX__ROW("LpPool", 2, lp_pool, 0),
    WEBNN_ONNX__ROW("MaxPool", 1, max_pool, 0),
    WEBNN_ONNX__ROW("MaxUnpool", 9, max_unpool, 0),
    WEBNN_ONNX__ROW("MaxRoiPool", 1, max_roi_pool, 0),
    WEBNN_ONNX__ROW("BatchNormalization", 1, batch_normalization, 0),
    WEBNN_ONNX__ROW("GroupNormalization", 18, group_normalization, 0),
    WEBNN_ONNX__ROW("InstanceNormalization", 1, instance_normalization, 0),
    WEBNN_ONNX__ROW("LayerNormalization", 17, layer_normalization, 0),
    WEBNN_ONNX__ROW("LpNormalization", 1, lp_normalization, 0),
    WEBNN_ONNX__ROW("LRN", 1, lrn, 0),
    WEBNN_ONNX__ROW("MeanVarianceNormalization", 9, mean_variance, 0),
    WEBNN_ONNX__ROW("NegativeLogLikelihoodLoss", 12, nll_loss, 0),
    WEBNN_ONNX__ROW("RMSNormalization", 23, rms_normalization, 0),
    WEBNN_ONNX__ROW("SoftmaxCrossEntropyLoss", 12, cross_entropy, 0),
    {"ai.onnx.ml", "ArrayFeatureExtractor", 1, webnn_onnx__lower_array_features, 0, "m"},
    WEBNN_ONNX__LEARNED("Binarizer", 1, binarizer),
    WEBNN_ONNX__LEARNED("FeatureVectorizer", 1, feature_vectorizer),
    WEBNN_ONNX__LEARNED("Imputer", 1, imputer),
    WEBNN_ONNX__LEARNED("LabelEncoder", 1, label_encoder),
    WEBNN_ONNX__LEARNED("LinearClassifier", 1, linear_classifier),
    WEBNN_ONNX__LEARNED("LinearRegressor", 1, linear_regressor),
    WEBNN_ONNX__LEARNED("Normalizer", 1, normalizer),
    WEBNN_ONNX__LEARNED("OneHotEncoder", 1, one_hot_encoder),
    WEBNN_ONNX__LEARNED("SVMClassifier", 1, svm_classifier),
    WEBNN_ONNX__LEARNED("SVMRegressor", 1, svm_regressor),
    WEBNN_ONNX__LEARNED("Scaler", 1, scaler),
    WEBNN_ONNX__LEARNED("TreeEnsemble", 5, tree_ensemble),
    WEBNN_ONNX__LEARNED("TreeEnsembleClassifier", 1, tree_classifier),
    WEBNN_ONNX__LEARNED("TreeEnsembleRegressor", 1, tree_regressor),
    {"ai.onnx.preview.training", "Adagrad", 1, webnn_onnx__lower_optimizer, 0, ""},
    {"ai.onnx.preview.training", "Adam", 1, webnn_onnx__lower_optimizer, 1, ""},
    {"ai.onnx.preview.training", "Momentum", 1, webnn_onnx__lower_optimizer, 2, ""},
    WEBNN_ONNX__BODY("If", 1, if),
    WEBNN_ONNX__BODY("Loop", 1, loop),
    WEBNN_ONNX__BODY("Scan", 8, scan),
    WEBNN_ONNX__BODY("ConcatFromSequence", 11, concat_from_sequence),
    WEBNN_ONNX__BODY("Optional", 15, optional),
    {"", "OptionalGetElement", 15, webnn_onnx__lower_optional, 1, "s"},
    WEBNN_ONNX__BODY("OptionalHasElement", 15, optional_has),
    WEBNN_ONNX__BODY("SequenceAt", 11, sequence_at),
    WEBNN_ONNX__BODY("SequenceConstruct", 11, sequence_construct),
    WEBNN_ONNX__BODY("SequenceEmpty", 11, sequence_construct),
    WEBNN_ONNX__BODY("SequenceErase", 11, sequence_erase),
    WEBNN_ONNX__BODY("SequenceInsert", 11, sequence_insert),
    WEBNN_ONNX__BODY("SequenceLength", 11, sequence_length),
    WEBNN_ONNX__BODY("SequenceMap", 17, sequence_map),
    WEBNN_ONNX__BODY("SplitToSequence", 11, split_to_sequence),
    WEBNN_ONNX__ROW("Attention", 23, attention, 0),
    {"ai.onnx.preview", "FlexAttention", 1, webnn_onnx__lower_flex_attention, 0, "s"},
    WEBNN_ONNX__ROW("LinearAttention", 27, linear_attention, 0),
    WEBNN_ONNX__ROW("CausalConvWithState", 27, causal_conv, 0),
    WEBNN_ONNX__ROW("ConvInteger", 10, conv_integer, 0),
    /* Not folded unless its values are wanted: products of dequantized weights are WebNN's own. */
    {"", "DequantizeLinear", 10, webnn_onnx__lower_dequantize, 0, "q"},
    WEBNN_ONNX__ROW("DynamicQuantizeLinear", 11, dynamic_quantize, 0),
    WEBNN_ONNX__ROW("GRU", 1, gru, 0),
    WEBNN_ONNX__ROW("LSTM", 1, lstm, 0),
    WEBNN_ONNX__ROW("MatMulInteger", 10, matmul_integer, 0),
    WEBNN_ONNX__ROW("QLinearConv", 10, qlinear_conv, 0),
    WEBNN_ONNX__ROW("QLinearMatMul", 10, qlinear_matmul, 0),
    WEBNN_ONNX__ROW("QuantizeLinear", 10, quantize, 0),
    WEBNN_ONNX__ROW("RNN", 1, rnn, 0),
    WEBNN_ONNX__ROW("RotaryEmbedding", 23, rotary, 0),
    WEBNN_ONNX__ROW("SimplifiedLayerNormalization", 1, rms_normalization, 0),
    WEBNN_ONNX__ROW("TensorScatter", 24, tensor_scatter, 0),
    WEBNN_ONNX__MICROSOFT("Attention", microsoft_attention, 0),
    WEBNN_ONNX__MICROSOFT("BiasAdd", biased, 1),
    WEBNN_ONNX__MICROSOFT("BiasGelu", activation, WEBNN_ONNX__GELU),
    WEBNN_ONNX__MICROSOFT("BiasSplitGelu", biased, 0),
    {"com.microsoft", "DequantizeLinear", 1, webnn_onnx__lower_dequantize, 0, "q"},
    WEBNN_ONNX__MICROSOFT("CausalConvWithState", causal_conv, 1),
    WEBNN_ONNX__MICROSOFT("CDist", distances, 0),
    WEBNN_ONNX__MICROSOFT("ConvTransposeWithDynamicPads", conv_transpose, 1),
    WEBNN_ONNX__MICROSOFT("DynamicQuantizeMatMul", matmul_to_float, 1),
    WEBNN_ONNX__MICROSOFT("EmbedLayerNormalization", embed_normalization, 0),
    {"com.microsoft", "ExpandDims", 1, webnn_onnx__lower_expand_dims, 0, "m"},
    WEBNN_ONNX__MICROSOFT("FastGelu", activation, WEBNN_ONNX__FAST_GELU),
    WEBNN_ONNX__MICROSOFT("FusedConv", fused_conv, 0),
    WEBNN_ONNX__MICROSOFT("FusedGemm", gemm, 1),
    WEBNN_ONNX__MICROSOFT("FusedMatMul", matmul, 1),
    WEBNN_ONNX__MICROSOFT("GatherBlockQuantized", gather_blocks, 0),
    {"com.microsoft", "GatherND", 1, webnn_onnx__lower_gather_nd, 0, "m"},
    WEBNN_ONNX__MICROSOFT("Gelu", activation, WEBNN_ONNX__GELU),
    WEBNN_ONNX__MICROSOFT("GemmFastGelu", gemm_gelu, 0),
    WEBNN_ONNX__MICROSOFT("GridSample", grid_sample, 0),
    WEBNN_ONNX__MICROSOFT("GroupNorm", microsoft_group_norm, 0),
    WEBNN_ONNX__MICROSOFT("GroupQueryAttention", group_query_attention, 0),
    WEBNN_ONNX__MICROSOFT("Inverse", inverse, 0),
    WEBNN_ONNX__MICROSOFT("LinearAttention", linear_attention, 1),
    WEBNN_ONNX__MICROSOFT("MatMulIntegerToFloat", matmul_to_float, 0),
    WEBNN_ONNX__MICROSOFT("MatMulNBits", matmul_nbits, 0),
    WEBNN_ONNX__MICROSOFT("MultiHeadAttention", multi_head_attention, 0),
    WEBNN_ONNX__MICROSOFT("NhwcMaxPool", nhwc_max_pool, 0),
    WEBNN_ONNX__MICROSOFT("QAttention", microsoft_attention, 1),
    WEBNN_ONNX__MICROSOFT("QEmbedLayerNormalization", embed_normalization, 1),
    WEBNN_ONNX__MICROSOFT("QGemm", qgemm, 0),
    WEBNN_ONNX__MICROSOFT("QLinearAdd", qlinear_binary, WEBNN_OP_ADD),
    WEBNN_ONNX__MICROSOFT("QLinearAveragePool", qlinear_pool, 0),
    WEBNN_ONNX__MICROSOFT("QLinearConcat", qlinear_concat, 0),
    WEBNN_ONNX__MICROSOFT("QLinearGlobalAveragePool", qlinear_pool, 1),
    WEBNN_ONNX__MICROSOFT("QLinearLeakyRelu", qlinear_unary, WEBNN_ONNX__Q_LEAKY_RELU),
    WEBNN_ONNX__MICROSOFT("QLinearMul", qlinear_binary, WEBNN_OP_MUL),
    WEBNN_ONNX__MICROSOFT("QLinearReduceMean", qlinear_reduce, 0),
    WEBNN_ONNX__MICROSOFT("QLinearSigmoid", qlinear_unary, WEBNN_ONNX__Q_SIGMOID),
    WEBNN_ONNX__MICROSOFT("QLinearSoftmax", qlinear_unary, WEBNN_ONNX__Q_SOFTMAX),
    WEBNN_ONNX__MICROSOFT("QLinearWhere", qlinear_where, 0),
    WEBNN_ONNX__MICROSOFT("QuantizeLinear", quantize, 0),
    WEBNN_ONNX__MICROSOFT("QuickGelu", activation, WEBNN_ONNX__QUICK_GELU),
    WEBNN_ONNX__MICROSOFT("RotaryEmbedding", rotary, 1),
    WEBNN_ONNX__MICROSOFT("SkipLayerNormalization", skip_normalization, 0),
    WEBNN_ONNX__MICROSOFT("SkipSimplifiedLayerNormalization", skip_normalization, 1),
    WEBNN_ONNX__MICROSOFT("TransposeMatMul", matmul, 1),
    {"com.microsoft", "Trilu", 1, webnn_onnx__lower_trilu, 0, "m"},
    {"com.microsoft", "Unique", 1, webnn_onnx__lower_unique, 1, "m"},
};
#undef WEBNN_ONNX__UNARY
#undef WEBNN_ONNX__BINARY
#undef WEBNN_ONNX__ROW
#undef WEBNN_ONNX__MOVE
#undef WEBNN_ONNX__BODY
#undef WEBNN_ONNX__MICROSOFT
#undef WEBNN_ONNX__LEARNED

static const webnn_onnx__row *webnn_onnx__row_of(const char *domain, const char *name) {
  size_t i;
  for (i = 0; i < sizeof webnn_onnx__rows / sizeof webnn_onnx__rows[0]; i++) {
    if (strcmp(webnn_onnx__rows[i].name, name) == 0 &&
        strcmp(webnn_onnx__rows[i].domain, domain) == 0) {
      return &webnn_onnx__rows[i];
    }
  }
  return NULL;
}

/* ---- 18 building ----------------------------------------------------------------------------- */

/* Adds the message of a failure to the model's problems, and forgets the failure. */
static void webnn_onnx__collect(webnn_onnx__import *m) {
  webnn_onnx_model *model = m->model;
  char *text;
  webnn_onnx__say_wanted(m);
  if (model->problem_count == model->problem_room) {
    const size_t room = model->problem_room * 2 + 16;
    char **grown = (char **)realloc(model->problems, room * sizeof *grown);
    if (grown == NULL) {
      return;
    }
    model->problems = grown;
    model->problem_room = room;
  }
  text = (char *)webnn_extra__copied(&model->arena, m->message, strlen(m->message));
  if (text != NULL) {
    model->problems[model->problem_count++] = text;
  }
  m->status = WEBNN_OK;
}

/* What output i of a folded call is called: the items of a sequence have one name. */
static const char *webnn_onnx__fold_name(webnn_onnx__call *f, size_t i) {
  const size_t room = 24;
  char *text = (char *)webnn_onnx__take(f, room, 1);
  if (text != NULL) {
    (void)snprintf(text, room, "%lu", (unsigned long)i);
  }
  return text;
}

/* The results of a folded call, as constants of the import. */
static bool webnn_onnx__fold_results(webnn_onnx__call *f, webnn_graph *graph) {
  webnn_onnx__import *m = f->import;
  webnn_named_output *outputs =
      (webnn_named_output *)webnn_onnx__take(f, f->out_count + 1, sizeof *outputs);
  webnn_error error = WEBNN_ZERO;
  size_t i, count = 0;
  for (i = 0; i < f->out_count && !webnn_onnx__failed(f); i++) {
    webnn_onnx__value *v = f->out[i];
    if (!webnn_onnx__wants(f, i) || !webnn_onnx__is_computed(v)) {
      continue;
    }
    outputs[count].name = webnn_onnx__fold_name(f, i);
    outputs[count].byte_length = webnn_onnx__bytes_of(v);
    outputs[count].data = webnn_onnx__take(f, 1, outputs[count].byte_length);
    v->data = outputs[count++].data;
    v->borrowed = false;
  }
  if (webnn_onnx__failed(f)) {
    return false;
  }
  return webnn_compute(m->reference, graph, NULL, 0, outputs, count, &error) == WEBNN_OK ||
         webnn_onnx__fail_as(f, &error);
}

/* Builds and runs the graph of a folded call's results. */
static bool webnn_onnx__fold_graph(webnn_onnx__call *f) {
  webnn_named_operand *outputs =
      (webnn_named_operand *)webnn_onnx__take(f, f->out_count + 1, sizeof *outputs);
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t i, count = 0;
  bool good;
  for (i = 0; i < f->out_count && !webnn_onnx__failed(f); i++) {
    if (webnn_onnx__wants(f, i) && webnn_onnx__is_computed(f->out[i])) {
      outputs[count].name = webnn_onnx__fold_name(f, i);
      outputs[count++].operand = webnn_onnx__copied(f->builder, f->out[i]->operand, NULL);
    }
  }
  if (count == 0 || webnn_onnx__failed(f)) {
    return !webnn_onnx__failed(f);
  }
  if (webnn_build(f->builder, outputs, count, &graph, &error) != WEBNN_OK) {
    return webnn_onnx__fail_as(f, &error);
  }
  good = webnn_onnx__fold_results(f, graph);
  webnn_free_graph(graph);
  return good;
}

/* Do the results have at most `limit` elements? */
static bool webnn_onnx__small_results(const webnn_onnx__call *f, uint64_t limit) {
  size_t i;
  for (i = 0; i < f->out_count; i++) {
    if (webnn_onnx__wants(f, i) && webnn_onnx__count_of(f->out[i]->shape) > limit) {
      return false;
    }
  }
  return true;
}

/* A copy of the call whose inputs are constants of a builder of its own. */
static webnn_onnx__call *webnn_onnx__fold_call(webnn_onnx__call *c) {
  webnn_onnx__import *m = c->import;
  webnn_onnx__call *f = (webnn_onnx__call *)webnn_onnx__memory(m, 1, sizeof *f);
  size_t i;
  if (webnn_onnx__failed(c)) {
    return NULL;
  }
  *f = *c;
  f->builder = NULL;
  f->folding = true;
  f->in = webnn_onnx__results(c, c->in_count);
  f->out = webnn_onnx__results(c, c->out_count);
  for (i = 0; i < c->in_count && !webnn_onnx__failed(c); i++) {
    webnn_onnx__value *value =
        webnn_onnx__has(c, i) ? webnn_onnx__new_value(m, c->in[i]->name) : NULL;
    if (webnn_onnx__has(c, i) && !webnn_onnx__failed(c)) {
      *value = *c->in[i];
      value->operand = NULL;
      f->in[i] = value;
    }
  }
  for (i = 0; i < c->out_count && !webnn_onnx__failed(c); i++) {
    if (webnn_onnx__wants(c, i)) {
      f->out[i] = webnn_onnx__new_value(m, c->out[i]->name);
    }
  }
  return webnn_onnx__failed(c) ? NULL : f;
}

/* Computes a call of constants. *folded is false where the results have too many
   elements for now. */
static bool webnn_onnx__fold(webnn_onnx__call *c, uint64_t limit, bool *folded) {
  webnn_onnx__call *f = webnn_onnx__fold_call(c);
  bool good;
  size_t i;
  *folded = false;
  if (webnn_onnx__failed(c)) {
    return false;
  }
  good = f->row->lower(f);
  good = webnn_onnx__take_error(f) && (good || webnn_onnx__fail(f, "it cannot be computed")) &&
         f->import->status == WEBNN_OK;
  if (good && webnn_onnx__small_results(f, limit)) {
    good = webnn_onnx__fold_graph(f);
    *folded = good;
  }
  webnn_free_builder(f->builder);
  for (i = 0; i < c->out_count && *folded; i++) {
    if (webnn_onnx__wants(c, i)) {
      c->out[i]->kind = f->out[i]->kind;
      c->out[i]->type = f->out[i]->type;
      c->out[i]->shape = f->out[i]->shape;
      c->out[i]->data = f->out[i]->data;
      c->out[i]->borrowed = f->out[i]->borrowed;
    }
  }
  return good;
}

/* Makes the data of a value of constants known. */
static bool webnn_onnx__evaluate(webnn_onnx__call *c, webnn_onnx__value *value) {
  webnn_onnx__call *maker = value->maker;
  bool folded = false;
  size_t i;
  if (webnn_onnx__is_known(value)) {
    return true;
  }
  if (value->origin != NULL && !webnn_onnx__depends(value)) {
    if (!webnn_onnx__evaluate(c, value->origin)) {
      return false;
    }
    value->data = value->origin->data;
    value->borrowed = value->origin->borrowed;
    return true;
  }
  if (value->sized) {
    return webnn_onnx__fail(c,
                            "\"%s\" is computed from the sizes of dynamic dimensions, and must be "
                            "known when the graph is built",
                            webnn_onnx__show(value->name).text);
  }
  if (webnn_onnx__depends(value) || maker == NULL) {
    webnn_onnx__want(c->import, value->from);
    return webnn_onnx__fail(
        c, "\"%s\" must be known when the graph is built, but depends on the values of \"%s\"",
        webnn_onnx__show(value->name).text,
        webnn_onnx__show(webnn_onnx__depends(value) ? value->from : value->name).text);
  }
  if (c->import->fold_depth >= WEBNN_ONNX__MAX_STEPS) {
    return webnn_onnx__fail(c, "\"%s\" must be known, and is computed in more than %d steps",
                            webnn_onnx__show(value->name).text, WEBNN_ONNX__MAX_STEPS);
  }
  c->import->fold_depth++;
  for (i = 0; i < maker->in_count; i++) {
    if (webnn_onnx__has(maker, i) && !webnn_onnx__evaluate(c, maker->in[i])) {
      break;
    }
  }
  c->import->fold_depth--;
  return i == maker->in_count && webnn_onnx__fold(maker, WEBNN_ONNX__MOST_ELEMENTS, &folded) &&
         (webnn_onnx__is_known(value) ||
          webnn_onnx__fail(c, "\"%s\" %s has too many elements to be computed while building",
                           webnn_onnx__show(value->name).text,
                           webnn_onnx__show_shape(value->shape).text));
}

/* Do only the first inputs, whose elements the operator moves, hold dynamic dimensions? */
static bool webnn_onnx__moves_open(const webnn_onnx__call *c) {
  static bool (*const first[])(webnn_onnx__call *) = {
      webnn_onnx__lower_gather,    webnn_onnx__lower_gather_nd, webnn_onnx__lower_slice,
      webnn_onnx__lower_squeeze,   webnn_onnx__lower_unsqueeze, webnn_onnx__lower_reshape,
      webnn_onnx__lower_transpose, webnn_onnx__lower_identity,  webnn_onnx__lower_split,
      webnn_onnx__lower_flatten,   webnn_onnx__lower_expand,    webnn_onnx__lower_tile};
  const bool all = c->row->lower == webnn_onnx__lower_concat;
  const bool where = c->row->lower == webnn_onnx__lower_where;
  size_t i;
  for (i = where ? 0 : 1; i < c->in_count && !all; i++) {
    if (webnn_onnx__has(c, i) && c->in[i]->open && !(where && i > 0)) {
      return false;
    }
  }
  for (i = 0; i < sizeof first / sizeof first[0] && first[i] != c->row->lower; i++) {
  }
  return all || where || i < sizeof first / sizeof first[0] ||
         (c->row->lower == webnn_onnx__lower_cast &&
          webnn_onnx__int(c, "to", 0) == WEBNN_ONNX_INT64);
}

/* Are all inputs constants that are known, and small? What moves elements may take few of many: the
   rows of a causal mask. */
static bool webnn_onnx__folds(const webnn_onnx__call *c) {
  uint64_t count = 0;
  size_t i;
  if (webnn_onnx__flagged(c->row, 's') || webnn_onnx__flagged(c->row, 'q') ||
      (webnn_onnx__open_input(c) && !webnn_onnx__moves_open(c))) {
    return false;
  }
  for (i = 0; i < c->in_count; i++) {
    if (webnn_onnx__has(c, i) && !webnn_onnx__has_data(c, i)) {
      return false;
    }
    count += webnn_onnx__has(c, i) ? webnn_onnx__count_of(c->in[i]->shape) : 0;
  }
  return count <= WEBNN_ONNX__FOLD_ELEMENTS || webnn_onnx__flagged(c->row, 'm');
}

/* Does all that the call takes follow from sizes and constants, and some from sizes? */
static bool webnn_onnx__takes_sizes(const webnn_onnx__call *c) {
  bool some = false;
  size_t i;
  for (i = 0; i < c->in_count; i++) {
    if (webnn_onnx__has(c, i) && !webnn_onnx__has_data(c, i) && !c->in[i]->sized) {
      return false;
    }
    some = some || (webnn_onnx__has(c, i) && (c->in[i]->open || c->in[i]->sized));
  }
  return some;
}

/* What depends on which input of the graph, and which node made it. */
static void webnn_onnx__trace(webnn_onnx__call *c) {
  const bool sized = webnn_onnx__takes_sizes(c);
  const char *from = NULL;
  size_t i;
  for (i = 0; i < c->in_count && from == NULL; i++) {
    from = !webnn_onnx__has(c, i) ? NULL : c->in[i]->open ? c->import->open : c->in[i]->from;
  }
  for (i = 0; i < c->out_count && !webnn_onnx__flagged(c->row, 's'); i++) {
    if (webnn_onnx__wants(c, i)) {
      c->out[i]->from = webnn_onnx__is_known(c->out[i]) ? NULL : from;
      c->out[i]->sized = sized && !webnn_onnx__is_known(c->out[i]);
      c->out[i]->maker = c;
    }
  }
}

/* float64 is held in float32, which only moving elements does not notice. */
static bool webnn_onnx__check_float64(webnn_onnx__call *c) {
  size_t i;
  if (c->import->model->options.float64_as_float32 || webnn_onnx__flagged(c->row, 'm') ||
      webnn_onnx__flagged(c->row, 's')) {
    return true;
  }
  for (i = 0; i < c->out_count; i++) {
    if (webnn_onnx__wants(c, i) && c->out[i]->type == WEBNN_ONNX_DOUBLE) {
      return webnn_onnx__fail(c,
                              "it computes in float64, which needs the option float64_as_float32");
    }
  }
  return true;
}

/* ---- 18.1 tensors without elements. WebNN has none: what an operator makes of them is found by
   lowering it twice, with two sizes in place of 0, on builders that are thrown away. The sizes of
   results go with these along a line, on which those for 0 lie. */

/* Outputs of a call that has been lowered so. */
typedef struct webnn_onnx__trial {
  webnn_onnx__call *call;
  bool good;
} webnn_onnx__trial;

/* An input of the call as one of the trial's builder, with `size` in place of 0. Constants that
   have elements stay constants. */
static void webnn_onnx__try_input(webnn_onnx__call *f, size_t i, uint32_t size) {
  webnn_onnx__value *v = f->in[i];
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  uint32_t d;
  if (!webnn_onnx__has(f, i) || (webnn_onnx__is_known(v) && !webnn_onnx__is_empty(f, i))) {
    return;
  }
  for (d = 0; d < v->shape.count; d++) {
    v->shape.items[d] = v->shape.items[d] == 0 ? size : v->shape.items[d];
  }
  descriptor.data_type = webnn_onnx_graph_type(v->type);
  descriptor.shape = v->shape;
  v->data = NULL;
  v->operand = webnn_input(webnn_onnx__b(f), webnn_onnx__fold_name(f, i), descriptor);
}

/* What fails in a trial is no failure of the import, unless memory ends. */
static webnn_onnx__trial webnn_onnx__try_size(webnn_onnx__call *c, uint32_t size) {
  webnn_onnx__import *m = c->import;
  webnn_onnx__trial trial = WEBNN_ZERO;
  size_t i;
  trial.call = webnn_onnx__fold_call(c);
  for (i = 0; i < c->in_count && !webnn_onnx__failed(c); i++) {
    webnn_onnx__try_input(trial.call, i, size);
  }
  if (!webnn_onnx__failed(c)) {
    m->trying = true;
    trial.good = c->row->lower(trial.call) && !webnn_onnx__failed(c);
    trial.good = webnn_onnx__take_error(trial.call) && trial.good;
    m->trying = false;
    webnn_free_builder(trial.call->builder);
  }
  m->status = m->status == WEBNN_UNKNOWN_ERROR ? m->status : WEBNN_OK;
  return trial;
}

/* The shape for 0, from those for the sizes `a` and `b`. False: there is none. */
static bool webnn_onnx__shape_for_none(const webnn_onnx__value *first, uint32_t a,
                                       const webnn_onnx__value *second, uint32_t b,
                                       webnn_list *shape) {
  uint32_t d;
  *shape = first->shape;
  if (second->shape.count != shape->count) {
    return false;
  }
  for (d = 0; d < shape->count; d++) {
    const int64_t at_a = first->shape.items[d], at_b = second->shape.items[d];
    const int64_t slope = (at_b - at_a) / (int64_t)(b - a), size = at_a - slope * a;
    if (slope * (int64_t)(b - a) != at_b - at_a || size < 0) {
      return false;
    }
    shape->items[d] = (uint32_t)size;
  }
  return true;
}

/* Sums of no products are 0: is the operator such a sum? */
static bool webnn_onnx__sums_products(const webnn_onnx__call *c) {
  return c->row->lower == webnn_onnx__lower_matmul || c->row->lower == webnn_onnx__lower_einsum ||
         c->row->lower == webnn_onnx__lower_matmul_integer;
}

/* Output i for inputs without elements, where it has none, or is a sum of nothing. */
static bool webnn_onnx__put_for_none(webnn_onnx__call *c, size_t i, const webnn_onnx__value *first,
                                     webnn_list shape) {
  const webnn_data_type type = webnn_onnx_graph_type(first->type);
  if (webnn_onnx__count_of(shape) == 0) {
    return webnn_onnx__put_data(c, i, first->type, shape, "", true);
  }
  return webnn_onnx__put_data(
      c, i, first->type, shape,
      webnn_onnx__take(c, (size_t)webnn_onnx__count_of(shape) + 1, webnn_data_type_bits(type) / 8),
      false);
}

/* Has the result the shape of the first input, whatever the values of the others are? */
static bool webnn_onnx__keeps_shape(const webnn_onnx__call *c) {
  return c->row->lower == webnn_onnx__lower_trilu ||
         c->row->lower == webnn_onnx__lower_cumulative_sum ||
         c->row->lower == webnn_onnx__lower_cumulative_product ||
         c->row->lower == webnn_onnx__lower_reverse_sequence;
}

/* Results of inputs without elements. False: some have elements, or sizes that are no line's. */
static bool webnn_onnx__lower_none(webnn_onnx__call *c) {
  enum { FIRST = 7, SECOND = 11 }; /* sizes that operands beside them seldom have */
  webnn_onnx__trial a, b;
  webnn_list *shapes;
  size_t i;
  if (webnn_onnx__keeps_shape(c)) {
    return webnn_onnx__is_empty(c, 0) && webnn_onnx__put_empty(c, 0, webnn_onnx__shape(c, 0));
  }
  a = webnn_onnx__try_size(c, FIRST);
  if (!a.good) {
    return false;
  }
  b = webnn_onnx__try_size(c, SECOND);
  shapes = (webnn_list *)webnn_onnx__take(c, c->out_count + 1, sizeof *shapes);
  for (i = 0; i < c->out_count && b.good && !webnn_onnx__failed(c); i++) {
    if (webnn_onnx__wants(c, i) &&
        (!webnn_onnx__shape_for_none(a.call->out[i], FIRST, b.call->out[i], SECOND, &shapes[i]) ||
         (webnn_onnx__count_of(shapes[i]) != 0 && !webnn_onnx__sums_products(c)) ||
         webnn_onnx__count_of(shapes[i]) > WEBNN_ONNX__MOST_ELEMENTS)) {
      return false;
    }
  }
  for (i = 0; i < c->out_count && b.good && !webnn_onnx__failed(c); i++) {
    if (webnn_onnx__wants(c, i)) {
      (void)webnn_onnx__put_for_none(c, i, a.call->out[i], shapes[i]);
    }
  }
  return b.good && !webnn_onnx__failed(c);
}

/* Has an input no elements, while no size is dynamic? */
static bool webnn_onnx__takes_none(const webnn_onnx__call *c) {
  bool some = false;
  size_t i;
  for (i = 0; i < c->in_count; i++) {
    if (webnn_onnx__has(c, i) &&
        (c->in[i]->kind != WEBNN_ONNX__IS_TENSOR || webnn_onnx__has_open(c->in[i]->shape))) {
      return false;
    }
    some = some || webnn_onnx__is_empty(c, i);
  }
  return some && !webnn_onnx__flagged(c->row, 's');
}

/* The type that an attribute has in every operator that has one of this name; NULL: not known. */
static const char *webnn_onnx__attribute_kind(const char *name, uint32_t *type) {
  static const struct {
    uint32_t type;
    const char *kind, *names; /* each with a space before and behind */
  } kinds[] = {
      {1, "a float",
       " alpha beta bias clip cubic_coeff_a epsilon extrapolation_value gamma lambd max min "
       "momentum ratio scale softcap "},
      {2, "an integer",
       " allowzero antialias axis batch_axis batch_dims block_size blocksize ceil_mode chunk_size "
       "count_include_pad detect_negative detect_positive dtype exclude_outside exclusive fmod "
       "group hidden_size ignore_index input_forget interleaved is_causal k keepdims kv_num_heads "
       "largest layout left_window_size linear_before_reset noop_with_empty_axes num_groups "
       "num_heads num_outputs num_scan_inputs p periodic precision q_num_heads "
       "qk_matmul_output_mode reverse "
       "right_window_size rotary_embedding_dim saturate select_last_index size softmax_precision "
       "sorted "
       "stash_type time_axis to transA transB upper "},
      {3, "a string",
       " activation approximate auto_pad coordinate_transformation_mode direction equation "
       "keep_aspect_ratio_policy mode nearest_mode reduction round_mode update_rule "},
      {6, "floats", " activation_alpha activation_beta scales "},
      {7, "integers",
       " axes dilations ends kernel_shape output_padding output_shape pads perm split starts "
       "strides "},
      {8, "strings", " activations "}};
  const size_t length = strlen(name);
  size_t i;
  for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const char *at = kinds[i].names;
    while (length > 0 && (at = strstr(at, name)) != NULL) {
      if (at > kinds[i].names && at[-1] == ' ' && at[length] == ' ') {
        *type = kinds[i].type;
        return kinds[i].kind;
      }
      at += length;
    }
  }
  return NULL;
}

/* Have attributes of ONNX's own operators the types that they should (from version 7 on)? One of
   another type would be read as 0. */
static bool webnn_onnx__check_attributes(webnn_onnx__call *c) {
  uint32_t type = 0;
  size_t i;
  const bool checked = c->row->domain[0] == '\0' && c->version >= 7;
  for (i = 0; checked && i < c->node->attribute_count; i++) {
    const webnn_onnx__attribute *a = &c->node->attributes[i];
    const char *kind = webnn_onnx__attribute_kind(a->name, &type);
    if (kind != NULL && a->reference[0] == '\0' && a->type != 0 && a->type != type) {
      return webnn_onnx__fail(c, "attribute %s must be %s", a->name, kind);
    }
  }
  return true;
}

/* ---- 18.2 dynamic dimensions: a shape has their numbers in the builder in place of sizes. An
   operator is lowered for them if its lowering takes no size that is dynamic for a number, which is
   listed here. */

/* Is it a pool with ceil_mode whose windows count what is inside only? */
static bool webnn_onnx__rounds_up(const webnn_onnx__call *c) {
  return webnn_onnx__int(c, "ceil_mode", 0) != 0 &&
         webnn_onnx__int(c, "count_include_pad", 0) == 0 && webnn_onnx__int(c, "p", 2) == 2 &&
         strncmp(webnn_onnx__string(c, "auto_pad", ""), "SAME_", 5) != 0;
}

/* Convolutions and pooling: of spatial dimensions only the sizes of results depend on those of the
   input, unless paddings do. Depth goes with the batch. */
static bool webnn_onnx__windows_take_open(const webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  const bool pool =
      c->row->lower != webnn_onnx__lower_conv && c->row->lower != webnn_onnx__lower_conv_transpose;
  if (shape.count > 4 || (c->row->lower == webnn_onnx__lower_max_pool && webnn_onnx__wants(c, 1)) ||
      (!pool && webnn_onnx__has_open(webnn_onnx__shape(c, 1)))) {
    return false;
  }
  if (webnn_onnx__rounds_up(c)) {
    return true;
  }
  return !webnn_onnx__open_between(shape, 2, shape.count) ||
         (strncmp(webnn_onnx__string(c, "auto_pad", ""), "SAME_", 5) != 0 &&
          !webnn_onnx__flag(c, "ceil_mode") && !webnn_onnx__has_attribute(c, "output_shape"));
}

/* Softmax, and ArgMax and ArgMin: is the size of the axis needed, or a product of dimensions? */
static bool webnn_onnx__axis_takes_open(const webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  const bool soft = c->row->lower == webnn_onnx__lower_softmax;
  const bool numbered = soft ? c->row->detail == 2 : webnn_onnx__flag(c, "select_last_index");
  int64_t axis = webnn_onnx__int(c, "axis", !soft ? 0 : c->version < 13 ? 1 : -1);
  axis = axis < 0 ? axis + shape.count : axis;
  return axis >= 0 && axis < (int64_t)shape.count &&
         (!soft || c->version >= 13 || axis + 1 == (int64_t)shape.count) &&
         !(numbered && webnn_onnx__is_open(shape.items[axis]));
}

/* Reductions of floats; of integers those that neither divide by a count nor take roots. */
static bool webnn_onnx__reduction_takes_open(const webnn_onnx__call *c) {
  const webnn_data_type type = webnn_onnx_graph_type(webnn_onnx__type(c, 0));
  const int op = c->row->detail;
  return type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16 || op == WEBNN_OP_REDUCE_SUM ||
         op == WEBNN_OP_REDUCE_MAX || op == WEBNN_OP_REDUCE_MIN || op == WEBNN_OP_REDUCE_L1 ||
         op == WEBNN_OP_REDUCE_PRODUCT || op == WEBNN_OP_REDUCE_SUM_SQUARE;
}

/* Products of floats, of matrices. */
static bool webnn_onnx__product_takes_open(const webnn_onnx__call *c) {
  const webnn_data_type type = webnn_onnx_graph_type(webnn_onnx__type(c, 0));
  return (type == WEBNN_FLOAT32 || type == WEBNN_FLOAT16) &&
         (c->row->lower == webnn_onnx__lower_matmul || c->row->detail != 0 || c->version >= 7);
}

/* Scales are numbers, or lists along a dimension whose size is known. */
static bool webnn_onnx__scales_take_open(const webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0), scale = webnn_onnx__shape(c, 1);
  int64_t axis = webnn_onnx__int(c, "axis", 1);
  axis = axis < 0 ? axis + shape.count : axis;
  return !webnn_onnx__has_attribute(c, "block_size") && !webnn_onnx__has_open(scale) &&
         (webnn_onnx__count_of(scale) == 1 ||
          (scale.count == 1 && axis >= 0 && axis < (int64_t)shape.count &&
           !webnn_onnx__is_open(shape.items[axis])));
}

/* Normalizations by scales of known sizes: over axes of any size, or where [N, C, ...] is reshaped
   by all but its first dimension. */
static bool webnn_onnx__normalization_takes_open(const webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  size_t i;
  for (i = 1; i < c->in_count; i++) {
    if (webnn_onnx__has_open(webnn_onnx__shape(c, i))) {
      return false;
    }
  }
  if (c->row->lower == webnn_onnx__lower_layer_normalization ||
      c->row->lower == webnn_onnx__lower_rms_normalization) {
    return true;
  }
  if (c->row->lower == webnn_onnx__lower_batch_normalization) {
    return shape.count >= 2;
  }
  if (c->row->lower == webnn_onnx__lower_instance_normalization) {
    return shape.count == 3 || shape.count == 4;
  }
  return !webnn_onnx__open_between(shape, 1, shape.count); /* of groups, and of neighbours */
}

/* Rows of a known length: products with weights in blocks, and sums with what skips, normalized. */
static bool webnn_onnx__rows_take_open(const webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  const bool skip = c->row->lower == webnn_onnx__lower_skip_normalization;
  size_t i;
  for (i = skip ? 2 : 1; i < c->in_count; i++) {
    if (webnn_onnx__has_open(webnn_onnx__shape(c, i))) {
      return false;
    }
  }
  return shape.count > 0 && !webnn_onnx__is_open(shape.items[shape.count - 1]) &&
         (!skip || !webnn_onnx__has_open(webnn_onnx__shape(c, 1)) ||
          !webnn_onnx__is_open(webnn_onnx__shape(c, 1).items[webnn_onnx__shape(c, 1).count - 1]));
}

/* Of tokens [B, S, H D], [B, H, S, D] or [B, S, H, parts, D] only the batch and how many there are
   may be dynamic. */
static bool webnn_onnx__tokens_take_open(webnn_list s) {
  return s.count == 3   ? !webnn_onnx__is_open(s.items[2])
         : s.count == 4 ? !webnn_onnx__is_open(s.items[1]) && !webnn_onnx__is_open(s.items[3])
                        : s.count == 5 && !webnn_onnx__open_between(s, 2, 5);
}

/* Attention of tokens, with masks and lengths of any sizes. */
static bool webnn_onnx__attention_takes_open(const webnn_onnx__call *c) {
  const bool group = c->row->lower == webnn_onnx__lower_group_query_attention;
  const bool multi = c->row->lower == webnn_onnx__lower_multi_head_attention;
  const size_t past = group ? 3 : multi ? 6 : 4;
  size_t i;
  for (i = 0; i < c->in_count; i++) {
    const webnn_list s = webnn_onnx__shape(c, i);
    const bool weight = group ? i == 7 || i == 8 || i == 11 : multi && i == 3;
    if (webnn_onnx__has(c, i) && (i < 3 || i == past || i == past + 1)
            ? !webnn_onnx__tokens_take_open(s)
            : weight && webnn_onnx__has_open(s)) {
      return false;
    }
  }
  return true;
}

/* com.microsoft's Attention, whose past is [2, B, H, P, D]. */
static bool webnn_onnx__projection_takes_open(const webnn_onnx__call *c) {
  const webnn_list past = webnn_onnx__shape(c, 4);
  return c->row->detail == 0 && webnn_onnx__tokens_take_open(webnn_onnx__shape(c, 0)) &&
         !webnn_onnx__has_open(webnn_onnx__shape(c, 1)) &&
         !webnn_onnx__has_open(webnn_onnx__shape(c, 2)) &&
         (!webnn_onnx__has(c, 4) ||
          (past.count == 5 && !webnn_onnx__is_open(past.items[0]) &&
           !webnn_onnx__is_open(past.items[2]) && !webnn_onnx__is_open(past.items[4])));
}

/* Rotations by angles whose number is known. */
static bool webnn_onnx__rotation_takes_open(const webnn_onnx__call *c) {
  const size_t cosine = c->row->detail != 0 ? 2 : 1;
  const webnn_list places = webnn_onnx__shape(c, 1);
  size_t i;
  if (cosine == 2 && places.count == 1 && webnn_onnx__has_open(places)) {
    return false; /* it may be the place of the first token, or one for each of a batch */
  }
  for (i = cosine; i < cosine + 2; i++) {
    const webnn_list s = webnn_onnx__shape(c, i);
    if (s.count < 2 || webnn_onnx__is_open(s.items[s.count - 1])) {
      return false;
    }
  }
  return webnn_onnx__tokens_take_open(webnn_onnx__shape(c, 0));
}

/* Recurrent networks of a dynamic batch. Lengths of sequences are then inputs of the graph. */
static bool webnn_onnx__recurrent_takes_open(const webnn_onnx__call *c) {
  const webnn_list shape = webnn_onnx__shape(c, 0);
  const uint32_t batch = webnn_onnx__int(c, "layout", 0) != 0 ? 0 : 1;
  size_t i;
  uint32_t d;
  for (i = 0; i < c->in_count; i++) {
    const webnn_list s = webnn_onnx__shape(c, i);
    const uint32_t may = i == 0 || i == 5 || i == 6 ? batch : WEBNN_MAX_RANK;
    for (d = 0; d < s.count && i != 4; d++) {
      if (webnn_onnx__is_open(s.items[d]) && d != may) {
        return false;
      }
    }
  }
  return shape.count == 3 && webnn_onnx__is_open(shape.items[batch]) &&
         (!webnn_onnx__has(c, 4) || webnn_onnx__shape(c, 4).count == 1) &&
         !webnn_onnx__is_constant(c, 4);
}

/* The operators that take dynamic dimensions, and when. */
static const struct {
  bool (*lower)(webnn_onnx__call *);
  bool (*takes)(const webnn_onnx__call *); /* NULL: always */
} webnn_onnx__open_rows[] = {
    {webnn_onnx__lower_unary, NULL},
    {webnn_onnx__lower_binary, NULL},
    {webnn_onnx__lower_variadic, NULL},
    {webnn_onnx__lower_activation, NULL},
    {webnn_onnx__lower_function, NULL},
    {webnn_onnx__lower_clip, NULL},
    {webnn_onnx__lower_is_inf, NULL},
    {webnn_onnx__lower_mod, NULL},
    {webnn_onnx__lower_pow, NULL},
    {webnn_onnx__lower_prelu, NULL},
    {webnn_onnx__lower_where, NULL},
    {webnn_onnx__lower_cast, NULL},
    {webnn_onnx__lower_cast_like, NULL},
    {webnn_onnx__lower_identity, NULL},
    {webnn_onnx__lower_shape, NULL},
    {webnn_onnx__lower_size, NULL},
    {webnn_onnx__lower_reshape, NULL},
    {webnn_onnx__lower_flatten, NULL},
    {webnn_onnx__lower_squeeze, NULL},
    {webnn_onnx__lower_unsqueeze, NULL},
    {webnn_onnx__lower_expand, NULL},
    {webnn_onnx__lower_transpose, NULL},
    {webnn_onnx__lower_concat, NULL},
    {webnn_onnx__lower_split, NULL},
    {webnn_onnx__lower_slice, NULL},
    {webnn_onnx__lower_pad, NULL},
    {webnn_onnx__lower_tile, NULL},
    {webnn_onnx__lower_trilu, NULL},
    {webnn_onnx__lower_one_hot, NULL},
    {webnn_onnx__lower_cumulative_sum, NULL},
    {webnn_onnx__lower_resize, NULL},
    {webnn_onnx__lower_lp_normalization, NULL},
    {webnn_onnx__lower_mean_variance, NULL},
    {webnn_onnx__lower_global_pool, NULL},
    {webnn_onnx__lower_call, NULL},
    {webnn_onnx__lower_conv, webnn_onnx__windows_take_open},
    {webnn_onnx__lower_conv_transpose, webnn_onnx__windows_take_open},
    {webnn_onnx__lower_average_pool, webnn_onnx__windows_take_open},
    {webnn_onnx__lower_max_pool, webnn_onnx__windows_take_open},
    {webnn_onnx__lower_lp_pool, webnn_onnx__windows_take_open},
    {webnn_onnx__lower_softmax, webnn_onnx__axis_takes_open},
    {webnn_onnx__lower_arg, webnn_onnx__axis_takes_open},
    {webnn_onnx__lower_reduce, webnn_onnx__reduction_takes_open},
    {webnn_onnx__lower_matmul, webnn_onnx__product_takes_open},
    {webnn_onnx__lower_gemm, webnn_onnx__product_takes_open},
    {webnn_onnx__lower_matmul_nbits, webnn_onnx__rows_take_open},
    {webnn_onnx__lower_skip_normalization, webnn_onnx__rows_take_open},
    {webnn_onnx__lower_quantize, webnn_onnx__scales_take_open},
    {webnn_onnx__lower_dequantize, webnn_onnx__scales_take_open},
    {webnn_onnx__lower_layer_normalization, webnn_onnx__normalization_takes_open},
    {webnn_onnx__lower_rms_normalization, webnn_onnx__normalization_takes_open},
    {webnn_onnx__lower_batch_normalization, webnn_onnx__normalization_takes_open},
    {webnn_onnx__lower_instance_normalization, webnn_onnx__normalization_takes_open},
    {webnn_onnx__lower_group_normalization, webnn_onnx__normalization_takes_open},
    {webnn_onnx__lower_lrn, webnn_onnx__normalization_takes_open},
    {webnn_onnx__lower_attention, webnn_onnx__attention_takes_open},
    {webnn_onnx__lower_multi_head_attention, webnn_onnx__attention_takes_open},
    {webnn_onnx__lower_group_query_attention, webnn_onnx__attention_takes_open},
    {webnn_onnx__lower_microsoft_attention, webnn_onnx__projection_takes_open},
    {webnn_onnx__lower_rotary, webnn_onnx__rotation_takes_open},
    {webnn_onnx__lower_rnn, webnn_onnx__recurrent_takes_open},
    {webnn_onnx__lower_gru, webnn_onnx__recurrent_takes_open},
    {webnn_onnx__lower_lstm, webnn_onnx__recurrent_takes_open}};

/* Is the function's lowering one that dynamic dimensions pass through? */
static bool webnn_onnx__takes_open(const webnn_onnx__call *c) {
  const size_t count = sizeof webnn_onnx__open_rows / sizeof webnn_onnx__open_rows[0];
  size_t i;
  if (c->row->lower == webnn_onnx__lower_gather) {
    return c->row->detail == 0;
  }
  for (i = 0; i < count && webnn_onnx__open_rows[i].lower != c->row->lower; i++) {
  }
  return i < count && (webnn_onnx__open_rows[i].takes == NULL || webnn_onnx__open_rows[i].takes(c));
}

/* Refuses a recurrent network whose number of steps is dynamic: WebNN has a number there. */
static bool webnn_onnx__check_steps(webnn_onnx__call *c) {
  const bool recurrent = c->row->lower == webnn_onnx__lower_rnn ||
                         c->row->lower == webnn_onnx__lower_gru ||
                         c->row->lower == webnn_onnx__lower_lstm;
  const uint32_t steps = recurrent && webnn_onnx__int(c, "layout", 0) != 0 ? 1 : 0;
  const webnn_list shape = webnn_onnx__shape(c, 0);
  return !recurrent || c->folding || shape.count != 3 || !webnn_onnx__is_open(shape.items[steps]) ||
         webnn_onnx__fail(
             c, "its steps, dimension %u of input 0 %s, are dynamic; in WebNN they are a number",
             steps, webnn_onnx__show_shape(shape).text);
}

/* Refuses dynamic dimensions of inputs that the operator's lowering would take for numbers. */
static bool webnn_onnx__check_open(webnn_onnx__call *c) {
  size_t i;
  if (!webnn_onnx__check_steps(c)) {
    return false;
  }
  for (i = 0; i < c->in_count && !c->folding; i++) {
    if (webnn_onnx__has(c, i) && webnn_onnx__has_open(c->in[i]->shape) &&
        !webnn_onnx__takes_open(c)) {
      return webnn_onnx__fail(c, "it needs the sizes of \"%s\" %s, of which some are dynamic",
                              webnn_onnx__show(c->in[i]->name).text,
                              webnn_onnx__show_shape(c->in[i]->shape).text);
    }
  }
  return true;
}

/* One element of Add, Sub, Mul, Div or Equal where a or b is a dynamic dimension, which is 1 or
   more. False: it is no such dimension, and no number that is known. */
static bool webnn_onnx__calculate_size(webnn_op op, int64_t a, int64_t b, int64_t *result) {
  const bool same = a == b && a != (int64_t)WEBNN_DYNAMIC_DIMENSION;
  switch ((int)op) {
  case WEBNN_OP_ADD:
    *result = a == 0 ? b : a;
    return a == 0 || b == 0;
  case WEBNN_OP_SUB:
    *result = same ? 0 : a;
    return same || b == 0;
  case WEBNN_OP_MUL:
    *result = a == 1 ? b : b == 1 ? a : 0;
    return a == 1 || b == 1 || a == 0 || b == 0;
  case WEBNN_OP_DIV:
    *result = same ? 1 : a;
    return same || b == 1 || a == 0;
  default: /* equal */
    *result = same;
    return same || (webnn_onnx__is_open(a) ? b : a) <= 0;
  }
}

/* Arithmetic with lists of sizes, some of which are dynamic, where the results are sizes that are
   there, or numbers. True: they are there. */
static bool webnn_onnx__calculate_sizes(webnn_onnx__call *c) {
  const webnn_op op = (webnn_op)c->row->detail;
  const bool whole =
      op == WEBNN_OP_ADD || op == WEBNN_OP_SUB || op == WEBNN_OP_MUL || op == WEBNN_OP_DIV;
  int64_t items[64], size;
  uint8_t *data;
  webnn_list shape;
  size_t i, counts[2], count;
  if (c->row->lower != webnn_onnx__lower_binary || (!whole && op != WEBNN_OP_EQUAL) ||
      !webnn_onnx__open_input(c) || c->in_count != 2 || !webnn_onnx__has_data(c, 0) ||
      !webnn_onnx__has_data(c, 1) || c->in[0]->type != WEBNN_ONNX_INT64 ||
      c->in[1]->type != WEBNN_ONNX_INT64) {
    return false;
  }
  counts[0] = (size_t)webnn_onnx__count_of(c->in[0]->shape);
  counts[1] = (size_t)webnn_onnx__count_of(c->in[1]->shape);
  count = counts[0] > counts[1] ? counts[0] : counts[1];
  shape = c->in[c->in[0]->shape.count >= c->in[1]->shape.count ? 0 : 1]->shape;
  if (count > 64 || (counts[0] != count && counts[0] != 1) ||
      (counts[1] != count && counts[1] != 1) || webnn_onnx__count_of(shape) != count ||
      (counts[0] == counts[1] && count != 1 &&
       !webnn_extra__same_list(c->in[0]->shape, c->in[1]->shape))) {
    return false;
  }
  for (i = 0; i < count; i++) {
    const int64_t a = webnn_onnx__integer_at(c->in[0], counts[0] == 1 ? 0 : i);
    const int64_t b = webnn_onnx__integer_at(c->in[1], counts[1] == 1 ? 0 : i);
    if (webnn_onnx__is_open(a) || webnn_onnx__is_open(b)) {
      if (!webnn_onnx__calculate_size(op, a, b, &size)) {
        return false;
      }
    } else if (op == WEBNN_OP_DIV && b == 0) {
      return false;
    } else {
      size = op == WEBNN_OP_ADD   ? (int64_t)((uint64_t)a + (uint64_t)b)
             : op == WEBNN_OP_SUB ? (int64_t)((uint64_t)a - (uint64_t)b)
             : op == WEBNN_OP_MUL ? (int64_t)((uint64_t)a * (uint64_t)b)
             : op == WEBNN_OP_DIV ? (b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b)
                                  : a == b;
    }
    items[i] = size;
  }
  data = (uint8_t *)webnn_onnx__room(c, &count, whole ? 8 : 1);
  for (i = 0; i < count; i++) {
    if (whole) {
      memcpy(data + 8 * i, &items[i], 8);
    } else {
      data[i] = items[i] != 0;
    }
  }
  return webnn_onnx__put_data(c, 0, whole ? WEBNN_ONNX_INT64 : WEBNN_ONNX_BOOL, shape, data, false);
}

/* The sizes that a value holds as elements, which the nodes that made it compute when they are
   known: Shape takes them from its input, and what moves them is lowered once more. */
static webnn_operand *webnn_onnx__open_operand(webnn_onnx__call *c, webnn_onnx__value *value) {
  webnn_onnx__call *maker = value->maker;
  const webnn_onnx__value kept = *value;
  webnn_onnx__o *x = NULL;
  if (value->origin != NULL) {
    return value->operand = webnn_onnx__operand(c, value->origin);
  }
  if (maker == NULL || maker->out_count != 1 || c->import->fold_depth >= WEBNN_ONNX__MAX_STEPS) {
    (void)webnn_onnx__fail_open(c, value);
    return NULL;
  }
  c->import->fold_depth++;
  if (maker->row->lower == webnn_onnx__lower_shape) {
    int64_t start = webnn_onnx__int(maker, "start", 0);
    const int64_t rank = webnn_onnx__shape(maker, 0).count;
    start = start < 0 ? start + rank : start;
    x = webnn_onnx__sizes_from(maker, webnn_onnx__x(maker, 0), start < 0 ? 0 : (uint32_t)start,
                               value->shape.items[0]);
  } else if (maker->row->lower(maker)) {
    x = value->operand;
  }
  c->import->fold_depth--;
  *value = kept;
  if (x == NULL) {
    (void)webnn_onnx__fail_open(c, value);
  }
  return value->operand = x;
}

/* Do the results hold dynamic dimensions? Only those of Shape and Size, and of what was made of
   them. */
static void webnn_onnx__mark_open(webnn_onnx__call *c) {
  const bool first =
      c->row->lower == webnn_onnx__lower_shape || c->row->lower == webnn_onnx__lower_size;
  size_t i, k;
  for (i = 0; i < c->out_count && (first || webnn_onnx__open_input(c)); i++) {
    webnn_onnx__value *v = c->out[i];
    if (!webnn_onnx__wants(c, i) || !webnn_onnx__is_known(v) || v->type != WEBNN_ONNX_INT64) {
      continue;
    }
    for (k = 0; !v->open && k < webnn_onnx__count_of(v->shape); k++) {
      v->open = webnn_onnx__is_open(webnn_onnx__integer_at(v, k));
    }
  }
}

static bool webnn_onnx__lower(webnn_onnx__call *c) {
  bool folded = false;
  size_t i;
  if (!webnn_onnx__check_attributes(c) || !webnn_onnx__check_open(c)) {
    return false;
  }
  folded = (webnn_onnx__takes_none(c) && webnn_onnx__lower_none(c)) ||
           (!webnn_onnx__failed(c) && webnn_onnx__calculate_sizes(c));
  if (webnn_onnx__failed(c)) {
    return false; /* memory has ended */
  }
  if (!folded && webnn_onnx__folds(c) && !webnn_onnx__fold(c, WEBNN_ONNX__FOLD_ELEMENTS, &folded)) {
    return false;
  }
  if (!folded && !c->row->lower(c)) {
    return webnn_onnx__take_error(c) && webnn_onnx__fail(c, "it cannot be expressed");
  }
  if (!webnn_onnx__take_error(c) || c->import->status != WEBNN_OK) {
    return false; /* a part of it failed that the result can do without */
  }
  for (i = 0; i < c->out_count; i++) {
    if (webnn_onnx__wants(c, i) && c->out[i]->kind == WEBNN_ONNX__IS_TENSOR &&
        !webnn_onnx__is_computed(c->out[i]) && !webnn_onnx__is_known(c->out[i])) {
      return webnn_onnx__fail(c, "it makes no output %u", (unsigned)i);
    }
  }
  webnn_onnx__mark_open(c);
  webnn_onnx__trace(c);
  return webnn_onnx__check_float64(c);
}

/* The version of a domain's operators that the graph imports; 0: none. */
static int64_t webnn_onnx__version(const webnn_onnx__scope *scope, const char *domain) {
  size_t i;
  for (i = 0; i < scope->opset_count; i++) {
    if (strcmp(scope->opsets[i].domain, domain) == 0) {
      return scope->opsets[i].version;
    }
  }
  return scope->opset_count == 0 && domain[0] == '\0' ? 1 : 0;
}

/* Why an operator that ONNX has is not read; NULL: it is not known. */
static const char *webnn_onnx__reason(const char *domain, const char *name) {
  static const char random[] = "its result is random", text[] = "it works on strings";
  static const char *const reasons[][3] = {
      {"", "Bernoulli", random},
      {"", "ImageDecoder", "it decodes the files of pictures"},
      {"", "Multinomial", random},
      {"", "RandomNormal", random},
      {"", "RandomNormalLike", random},
      {"", "RandomUniform", random},
      {"", "RandomUniformLike", random},
      {"", "RegexFullMatch", text},
      {"", "StringConcat", text},
      {"", "StringNormalizer", text},
      {"", "StringSplit", text},
      {"", "TfIdfVectorizer", "it counts words and their sequences"},
      {"ai.onnx.ml", "CastMap", "it takes a map"},
      {"ai.onnx.ml", "CategoryMapper", text},
      {"ai.onnx.ml", "DictVectorizer", "it takes a map"},
      {"ai.onnx.ml", "ZipMap", "its result is a list of maps; scores without it are a tensor"},
      {"ai.onnx.preview.training", "Gradient", "it is the derivative of other nodes"}};
  size_t i;
  for (i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
    if (strcmp(reasons[i][0], domain) == 0 && strcmp(reasons[i][1], name) == 0) {
      return reasons[i][2];
    }
  }
  return NULL;
}

static const webnn_onnx__row *webnn_onnx__find_row(webnn_onnx__call *c) {
  static const webnn_onnx__row call = {"(functions)", "", 1, webnn_onnx__lower_call, 0, "s"};
  const webnn_onnx__node *node = c->node;
  const webnn_onnx__row *row;
  c->version = webnn_onnx__version(c->scope, node->domain);
  if (webnn_onnx__function_of(c->import->model, node) != NULL) {
    return &call;
  }
  row = webnn_onnx__row_of(node->domain, node->op);
  if (row == NULL && webnn_onnx__reason(node->domain, node->op) != NULL) {
    (void)webnn_onnx__fail(c, "%s", webnn_onnx__reason(node->domain, node->op));
  } else if (row == NULL) {
    (void)webnn_onnx__fail(c, "the operator%s%s is not known, or WebNN cannot express it",
                           node->domain[0] == '\0' ? "" : " of ",
                           webnn_onnx__show(node->domain).text);
  } else if (c->version == 0 && node->domain[0] == '\0') {
    (void)webnn_onnx__fail(c, "the model imports no version of its domain");
    row = NULL;
  } else if (node->domain[0] == '\0' && c->version < (int64_t)row->since) {
    (void)webnn_onnx__fail(c, "it is an operator from version %u on, and the model imports %lld",
                           row->since, (long long)c->version);
    row = NULL;
  }
  return row;
}

/* Is it an input of the function that the scope is in, which its call has left out? */
static bool webnn_onnx__left_out(const webnn_onnx__scope *scope, const char *name) {
  size_t i;
  while (scope->function == NULL && scope->parent != NULL) {
    scope = scope->parent;
  }
  for (i = 0; scope->function != NULL && i < scope->function->input_count; i++) {
    if (strcmp(scope->function->inputs[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* Finds the values of a call's inputs. *skip: one of them could not be made. */
static bool webnn_onnx__resolve(webnn_onnx__call *c, bool *skip) {
  const webnn_onnx__node *node = c->node;
  size_t i;
  c->in = webnn_onnx__results(c, node->input_count);
  c->out = webnn_onnx__results(c, node->output_count);
  if (c->import->status == WEBNN_UNKNOWN_ERROR) {
    return false;
  }
  if (node->cycle != NULL) {
    return webnn_onnx__fail(c, "%s", node->cycle);
  }
  c->in_count = node->input_count;
  while (c->in_count != 0 && node->inputs[c->in_count - 1][0] == '\0') {
    c->in_count--;
  }
  for (i = 0; i < c->in_count; i++) {
    if (node->inputs[i][0] == '\0') {
      continue;
    }
    c->in[i] = webnn_onnx__look_up(c->scope, node->inputs[i]);
    if (!webnn_onnx__has(c, i) && !webnn_onnx__left_out(c->scope, node->inputs[i])) {
      return webnn_onnx__fail(c, "it uses \"%s\", which nothing makes",
                              webnn_onnx__show(node->inputs[i]).text);
    }
    *skip = *skip || (webnn_onnx__has(c, i) && c->in[i]->failed);
  }
  return true;
}

/* Gives names to a call's outputs. */
static bool webnn_onnx__declare(webnn_onnx__call *c) {
  const webnn_onnx__node *node = c->node;
  size_t i;
  c->out_count = node->output_count;
  for (i = 0; i < node->output_count; i++) {
    webnn_onnx__value **slot;
    if (node->outputs[i][0] == '\0') {
      continue;
    }
    slot = webnn_onnx__slot(c->scope, node->outputs[i]);
    if (*slot != NULL) {
      return webnn_onnx__fail(c, "it makes \"%s\", which is there already",
                              webnn_onnx__show(node->outputs[i]).text);
    }
    *slot = c->out[i] = webnn_onnx__new_value(c->import, node->outputs[i]);
  }
  while (c->out_count != 0 && !webnn_onnx__wants(c, c->out_count - 1)) {
    c->out_count--;
  }
  return !webnn_onnx__failed(c);
}

static bool webnn_onnx__run_node(webnn_onnx__scope *scope, const webnn_onnx__node *node) {
  webnn_onnx__import *m = scope->import;
  webnn_onnx__call *c = (webnn_onnx__call *)webnn_onnx__memory(m, 1, sizeof *c);
  bool good, skip = false;
  size_t i;
  if (m->status != WEBNN_OK) {
    return false;
  }
  c->import = m;
  c->scope = scope;
  c->node = node;
  c->builder = m->builder;
  if (++m->nodes > WEBNN_ONNX__MAX_NODES) {
    return webnn_onnx__fail(c,
                            "the nodes with all loops unrolled must be at most %d; there are more",
                            WEBNN_ONNX__MAX_NODES);
  }
  c->row = webnn_onnx__find_row(c);
  good = webnn_onnx__resolve(c, &skip);
  good = m->status != WEBNN_UNKNOWN_ERROR && webnn_onnx__declare(c) && good;
  good = good && (skip || c->out_count == 0 || webnn_onnx__lower(c));
  if (good && !skip) {
    return true;
  }
  for (i = 0; i < c->out_count; i++) {
    if (webnn_onnx__wants(c, i)) {
      c->out[i]->failed = true;
    }
  }
  if (m->collecting && m->status != WEBNN_OK && m->status != WEBNN_UNKNOWN_ERROR) {
    webnn_onnx__collect(m);
  }
  return m->status == WEBNN_OK;
}

static bool webnn_onnx__run_graph(webnn_onnx__scope *scope) {
  size_t i;
  for (i = 0; i < scope->graph->node_count; i++) {
    if (!webnn_onnx__run_node(scope, &scope->graph->nodes[i])) {
      return false;
    }
  }
  return true;
}

/* A failure outside of nodes. */
static bool webnn_onnx__report(webnn_onnx__import *m) {
  if (m->collecting && m->status != WEBNN_UNKNOWN_ERROR) {
    webnn_onnx__collect(m);
    return true;
  }
  return false;
}

static bool webnn_onnx__add_initializer(webnn_onnx__scope *scope, webnn_onnx__proto *t) {
  webnn_onnx__import *m = scope->import;
  webnn_onnx__value *value, **slot = webnn_onnx__slot(scope, t->name);
  webnn_onnx__why why = WEBNN_ZERO;
  const webnn_onnx__shown shown = webnn_onnx__show(t->name);
  if (*slot != NULL) {
    return webnn_onnx__fail_at(m, WEBNN_TYPE_ERROR, "initializer \"%s\" is there twice",
                               shown.text);
  }
  value = webnn_onnx__new_value(m, t->name);
  *slot = value;
  value->type = t->type;
  value->borrowed = true;
  for (value->shape.count = 0; value->shape.count < t->rank; value->shape.count++) {
    value->shape.items[value->shape.count] = (uint32_t)t->dims[value->shape.count];
  }
  if (!webnn_onnx__load(m->model, t, &why)) {
    value->failed = true;
    return webnn_onnx__fail_at(m, why.status, "initializer \"%s\" (%s): %s", shown.text,
                               webnn_onnx_type_name(t->type), why.text);
  }
  value->data = t->graph_data;
  return m->status == WEBNN_OK;
}

static bool webnn_onnx__add_initializers(webnn_onnx__scope *scope) {
  size_t i;
  for (i = 0; i < scope->graph->initializer_count; i++) {
    if (!webnn_onnx__add_initializer(scope, &scope->graph->initializers[i]) &&
        !webnn_onnx__report(scope->import)) {
      return false;
    }
  }
  return true;
}

/* ---- 18.3 inputs and outputs. */

static webnn_onnx__proto *webnn_onnx__initializer(const webnn_onnx_model *m, const char *name) {
  size_t i;
  for (i = 0; i < m->graph.initializer_count; i++) {
    if (strcmp(m->graph.initializers[i].name, name) == 0) {
      return &m->graph.initializers[i];
    }
  }
  return NULL;
}

static bool webnn_onnx__has_initializer(const webnn_onnx_model *m, const char *name) {
  return webnn_onnx__initializer(m, name) != NULL;
}

/* The value that the options have for an input; NULL: none. */
static const webnn_onnx_known *webnn_onnx__known_input(const webnn_onnx_model *m,
                                                       const char *name) {
  size_t i;
  for (i = 0; i < m->options.known_count; i++) {
    if (strcmp(m->options.known[i].name, name) == 0) {
      return &m->options.known[i];
    }
  }
  return NULL;
}

/* Has an input a value without being given one: an initializer, or one in the options? */
static bool webnn_onnx__may_be_left_out(const webnn_onnx_model *m, const char *name) {
  return webnn_onnx__has_initializer(m, name) || webnn_onnx__known_input(m, name) != NULL;
}

/* A name of a dimension that is arithmetic with others: "past + sequence", "2 * (n
   + 1)", "width//2". */
typedef struct webnn_onnx__expression {
  const webnn_onnx_model *model;
  const char *at;
  uint32_t depth;
  bool known;    /* are there sizes for all names? */
  bool defaults; /* is one of them the default? */
} webnn_onnx__expression;

static int64_t webnn_onnx__sum_of(webnn_onnx__expression *e);

/* The given size of a dimension whose name has `length` bytes; -1: none. */
static int64_t webnn_onnx__given_size(const webnn_onnx_model *m, const char *name, size_t length) {
  size_t i;
  for (i = 0; i < m->options.dimension_count; i++) {
    const webnn_onnx_dimension *d = &m->options.dimensions[i];
    if (strlen(d->name) == length && memcmp(d->name, name, length) == 0) {
      return d->size;
    }
  }
  return -1;
}

/* Is `c`, behind spaces, the next character? Then it is passed. Names may have hyphens, so that
   minus is one only behind a space. */
static bool webnn_onnx__next_is(webnn_onnx__expression *e, char c) {
  for (; *e->at == ' '; e->at++) {
  }
  if (*e->at == c && (c != '-' || e->at[-1] == ' ')) {
    e->at++;
    return true;
  }
  return false;
}

/* A number, a name or a sum in parentheses. */
static int64_t webnn_onnx__factor_of(webnn_onnx__expression *e) {
  int64_t value = 0;
  size_t length;
  if (webnn_onnx__next_is(e, '(')) {
    e->known = e->known && ++e->depth < 16;
    value = e->known ? webnn_onnx__sum_of(e) : 0;
    e->known = webnn_onnx__next_is(e, ')') && e->known;
    return value;
  }
  length = strcspn(e->at, " +*/()");
  if (*e->at >= '0' && *e->at <= '9') {
    for (; *e->at >= '0' && *e->at <= '9' && value <= INT32_MAX; e->at++) {
      value = 10 * value + (*e->at - '0');
    }
    return value;
  }
  value = webnn_onnx__given_size(e->model, e->at, length);
  if (value < 0 && length > 0 && e->model->options.default_size > 0) {
    value = e->model->options.default_size;
    e->defaults = true;
  }
  e->known = e->known && value >= 0;
  e->at += length;
  return value;
}

static int64_t webnn_onnx__product_of_names(webnn_onnx__expression *e) {
  int64_t value = webnn_onnx__factor_of(e), other;
  while (e->known && value >= -INT32_MAX && value <= INT32_MAX) {
    if (webnn_onnx__next_is(e, '*')) {
      value *= webnn_onnx__factor_of(e);
    } else if (webnn_onnx__next_is(e, '/')) {
      (void)webnn_onnx__next_is(e, '/');
      other = webnn_onnx__factor_of(e);
      e->known = e->known && value >= 0 && other > 0;
      value = e->known ? value / other : 0;
    } else {
      return value;
    }
  }
  e->known = false;
  return 0;
}

static int64_t webnn_onnx__sum_of(webnn_onnx__expression *e) {
  int64_t value = webnn_onnx__product_of_names(e);
  while (e->known && value >= -INT32_MAX && value <= INT32_MAX) {
    if (webnn_onnx__next_is(e, '+')) {
      value += webnn_onnx__product_of_names(e);
    } else if (webnn_onnx__next_is(e, '-')) {
      value -= webnn_onnx__product_of_names(e);
    } else {
      return value;
    }
  }
  e->known = false;
  return 0;
}

/* The size of a dimension by its name, or what the name says of others, or else the default; -1:
   not given. Arithmetic with defaults does not make a dimension empty. */
static int64_t webnn_onnx__size_of_name(const webnn_onnx_model *m, const char *name) {
  const int64_t given = webnn_onnx__given_size(m, name, strlen(name));
  const int64_t absent = m->options.default_size > 0 ? (int64_t)m->options.default_size : -1;
  webnn_onnx__expression e;
  int64_t value;
  memset(&e, 0, sizeof e);
  e.model = m, e.at = name, e.known = true;
  if (given >= 0) {
    return given;
  }
  if (strpbrk(name, " */(+") == NULL) {
    return absent;
  }
  value = webnn_onnx__sum_of(&e);
  return e.known && *e.at == '\0' && value >= (e.defaults ? 1 : 0) && value <= INT32_MAX ? value
                                                                                         : absent;
}

/* What an input is in a call of a session: its shape and, where the graph depends
   on it, its value. */
typedef struct webnn_onnx__given {
  webnn_list shape;
  const void *value; /* as graphs take it; NULL: it is an input of the graph */
  size_t byte_length;
} webnn_onnx__given;

/* The size of dimension i of an input; -1: not given. One that no graph can have
   counts as 2^32 - 1. */
static int64_t webnn_onnx__dimension(const webnn_onnx_model *m, const webnn_onnx__info *info,
                                     uint32_t i) {
  if (info->given != NULL) {
    return info->given->shape.items[i];
  }
  if (info->dims[i] >= 0) {
    return info->dims[i] > INT32_MAX ? (int64_t)UINT32_MAX : info->dims[i];
  }
  return webnn_onnx__size_of_name(m, info->names[i]);
}

/* The shape of an input, 0 where a size is not given. Is it known to be empty? */
static webnn_list webnn_onnx__sizes_of(const webnn_onnx_model *m, const webnn_onnx__info *info,
                                       bool *empty) {
  webnn_list shape =
      webnn_extra__repeat(0, info->given != NULL ? info->given->shape.count : info->rank);
  bool known = true, none = false;
  uint32_t d;
  for (d = 0; d < shape.count; d++) {
    const int64_t size = webnn_onnx__dimension(m, info, d);
    shape.items[d] = size < 0 ? 0 : (uint32_t)size;
    none = none || size == 0;
    known = known && size >= 0;
  }
  *empty = known && none;
  return shape;
}

/* Are the sizes of all inputs known? The error names those that are not. */
static bool webnn_onnx__check_sizes(webnn_onnx__import *m, const webnn_named_operand *given,
                                    size_t given_count) {
  const webnn_onnx_model *model = m->model;
  char missing[360] = "";
  size_t i, k, used = 0;
  uint32_t d;
  for (i = 0; i < model->graph.input_count; i++) {
    const webnn_onnx__info *info = &model->graph.inputs[i];
    for (k = 0; k < given_count && strcmp(given[k].name, info->name) != 0; k++) {
    }
    if (k < given_count || info->given != NULL || webnn_onnx__may_be_left_out(model, info->name)) {
      continue;
    }
    for (d = 0; d < info->rank; d++) {
      if (webnn_onnx__dimension(model, info, d) < 0) {
        const webnn_onnx__shown shown = webnn_onnx__show(info->names[d]);
        char quoted[96];
        (void)snprintf(quoted, sizeof quoted, "\"%s\"", shown.text);
        if (strstr(missing, quoted) == NULL && used + strlen(quoted) + 3 < sizeof missing) {
          used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s",
                                   used == 0 ? "" : ", ", quoted);
        }
      }
    }
  }
  return used == 0 || !model->options.fixed ||
         webnn_onnx__fail_at(m, WEBNN_TYPE_ERROR, "the sizes of these dimensions are not given: %s",
                             missing);
}

/* An input of another type than WebNN has. Always false. */
static bool webnn_onnx__refuse_input(webnn_onnx__import *m, const webnn_onnx__info *info) {
  const webnn_onnx__shown shown = webnn_onnx__show(info->name);
  if (info->type == 0) {
    return webnn_onnx__fail_at(
        m, WEBNN_NOT_SUPPORTED_ERROR,
        "input \"%s\" must be a tensor; it is a sequence, an optional value or of no type",
        shown.text);
  }
  return webnn_onnx__fail_at(
      m, WEBNN_NOT_SUPPORTED_ERROR,
      "input \"%s\" must be of a type that WebNN can hold; it is of %s%s", shown.text,
      webnn_onnx_type_name(info->type),
      info->type == WEBNN_ONNX_DOUBLE ? ", which needs the option float64_as_float32" : "");
}

/* An input whose value the options have. */
static bool webnn_onnx__add_known(webnn_onnx__import *m, const webnn_onnx__info *info,
                                  const webnn_onnx_known *known, webnn_onnx__value *value) {
  const webnn_onnx__type_info *type = webnn_onnx__info_of(info->type);
  const webnn_onnx__shown shown = webnn_onnx__show(info->name);
  webnn_list shape = known->shape;
  uint64_t count = 1;
  bool empty;
  void *data;
  uint32_t d;
  if (!shape.given) {
    shape = webnn_onnx__sizes_of(m->model, info, &empty);
  }
  for (d = 0; d < shape.count && d < WEBNN_MAX_RANK && count <= WEBNN_ONNX__ELEMENTS_MAX; d++) {
    count *= shape.items[d];
  }
  if (type->bits == 0) {
    return webnn_onnx__refuse_input(m, info);
  }
  if (shape.count > WEBNN_MAX_RANK || count > WEBNN_ONNX__ELEMENTS_MAX ||
      known->byte_length != webnn_onnx__length_of(count, type->bits)) {
    return webnn_onnx__fail_at(
        m, WEBNN_TYPE_ERROR,
        "the known value of \"%s\" must have the bytes of its type and shape; "
        "it has %llu",
        shown.text, (unsigned long long)known->byte_length);
  }
  data = webnn_extra__take(&m->arena, (size_t)count + 1, 8);
  if (data == NULL) {
    return webnn_onnx__out_of_memory(m);
  }
  (void)webnn_onnx_to_graph_type(info->type, known->data, (size_t)count, data);
  if (info->type == WEBNN_ONNX_DOUBLE && !m->model->options.float64_as_float32 &&
      !webnn_onnx__exact((const float *)data, (const uint8_t *)known->data, (size_t)count)) {
    return webnn_onnx__fail_at(
        m, WEBNN_NOT_SUPPORTED_ERROR,
        "the known float64 values of \"%s\" are not float32 values; they need "
        "the option float64_as_float32",
        shown.text);
  }
  value->data = data;
  value->type = info->type;
  value->shape = shape;
  return true;
}

/* An input whose value a session has: the copy lives as long as the graph. */
static bool webnn_onnx__add_given(webnn_onnx__import *m, const webnn_onnx__info *info,
                                  webnn_onnx__value *value) {
  if (webnn_onnx_graph_type(info->type) == (webnn_data_type)0) {
    return webnn_onnx__refuse_input(m, info);
  }
  value->data = info->given->value;
  value->borrowed = true;
  value->type = info->type;
  value->shape = info->given->shape;
  return true;
}

/* An input of the graph, or the operand that is given for it. WebNN has no empty inputs: they are
   constants without elements. */
static bool webnn_onnx__add_operand(webnn_onnx__import *m, const webnn_onnx__info *info,
                                    webnn_operand *given, webnn_onnx__value *value) {
  const webnn_onnx__shown shown = webnn_onnx__show(info->name);
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  bool empty;
  uint32_t d;
  descriptor.data_type = webnn_onnx_graph_type(info->type);
  descriptor.shape = webnn_onnx__sizes_of(m->model, info, &empty);
  if (descriptor.data_type == (webnn_data_type)0 ||
      (info->type == WEBNN_ONNX_DOUBLE && !m->model->options.float64_as_float32)) {
    return webnn_onnx__refuse_input(m, info);
  }
  if (!info->has_shape && given == NULL && info->given == NULL) {
    return webnn_onnx__fail_at(m, WEBNN_NOT_SUPPORTED_ERROR, "input \"%s\" has no shape",
                               shown.text);
  }
  if (empty && given == NULL) {
    value->type = info->type;
    value->shape = descriptor.shape;
    value->data = "";
    value->borrowed = true;
    return true;
  }
  for (d = 0; info->given == NULL && d < info->rank; d++) {
    if (webnn_onnx__dimension(m->model, info, d) < 0) {
      descriptor.shape.items[d] = given != NULL
                                      ? webnn_operand_shape(given).items[d]
                                      : webnn_dynamic_dimension(m->builder, info->names[d]);
    }
  }
  if (given != NULL && (webnn_operand_data_type(given) != descriptor.data_type ||
                        (info->has_shape &&
                         !webnn_extra__same_list(webnn_operand_shape(given), descriptor.shape)))) {
    return webnn_onnx__fail_at(
        m, WEBNN_TYPE_ERROR, "the operand for input \"%s\" must be %s %s; it is %s %s", shown.text,
        webnn_data_type_name(descriptor.data_type), webnn_onnx__show_shape(descriptor.shape).text,
        webnn_data_type_name(webnn_operand_data_type(given)),
        webnn_onnx__show_shape(webnn_operand_shape(given)).text);
  }
  value->operand = given != NULL ? given : webnn_input(m->builder, info->name, descriptor);
  value->type = info->type;
  value->shape = webnn_operand_shape(value->operand);
  value->from = info->name;
  m->open = m->open == NULL && webnn_onnx__has_open(value->shape) ? info->name : m->open;
  return value->operand != NULL ||
         (webnn_onnx__lacks_memory(m->builder)
              ? webnn_onnx__out_of_memory(m)
              : webnn_onnx__fail_at(m, WEBNN_TYPE_ERROR, "input \"%s\": %s", shown.text,
                                    webnn_builder_message(m->builder)));
}

static bool webnn_onnx__add_input(webnn_onnx__scope *scope, const webnn_onnx__info *info,
                                  const webnn_named_operand *given, size_t given_count) {
  webnn_onnx__import *m = scope->import;
  const webnn_onnx_known *known = webnn_onnx__known_input(m->model, info->name);
  webnn_onnx__value *value, **slot = webnn_onnx__slot(scope, info->name);
  webnn_operand *operand = NULL;
  size_t i;
  for (i = 0; i < given_count; i++) {
    operand = strcmp(given[i].name, info->name) == 0 ? given[i].operand : operand;
  }
  if (*slot != NULL && !webnn_onnx__has_initializer(m->model, info->name)) {
    return webnn_onnx__fail_at(m, WEBNN_TYPE_ERROR, "input \"%s\" is there twice",
                               webnn_onnx__show(info->name).text);
  }
  if (*slot != NULL && known == NULL && operand == NULL && info->given == NULL) {
    return true; /* its initializer is its value where none is given */
  }
  value = webnn_onnx__new_value(m, info->name);
  *slot = value;
  value->failed =
      info->given != NULL && info->given->value != NULL ? !webnn_onnx__add_given(m, info, value)
      : known != NULL && operand == NULL ? !webnn_onnx__add_known(m, info, known, value)
                                         : !webnn_onnx__add_operand(m, info, operand, value);
  return m->status == WEBNN_OK;
}

/* Is the operand an input or a constant, of a function's or a subgraph's scope, too? Such cannot be
   outputs of a graph. */
static bool webnn_onnx__is_source(const webnn_onnx__import *m, const webnn_operand *operand) {
  const webnn_onnx__scope *scope;
  size_t i;
  for (scope = m->scopes; scope != NULL; scope = scope->before) {
    for (i = 0; i < scope->table_size; i++) {
      const webnn_onnx__value *value = scope->table[i];
      if (value != NULL && value->operand == operand &&
          (webnn_onnx__is_known(value) || value->maker == NULL)) {
        return true;
      }
    }
  }
  return false;
}

/* A graph has no outputs without elements: the type and the shape say all of
   output i. Always true. */
static bool webnn_onnx__leave_output(webnn_onnx__import *m, size_t i,
                                     const webnn_onnx__value *value) {
  const char *name = m->model->graph.outputs[i].name;
  m->model->empty[i].type = value->type;
  m->model->empty[i].shape = value->shape;
  if (m->collecting) {
    (void)snprintf(m->message, sizeof m->message,
                   "note: output \"%s\" has no elements; the graph lacks it",
                   webnn_onnx__show(name).text);
    webnn_onnx__collect(m);
  }
  return true;
}

/* Output i of the model: never an input or a constant, and no operand twice; NULL:
   without elements. */
static bool webnn_onnx__add_output(webnn_onnx__scope *scope, size_t i, webnn_operand **outputs) {
  webnn_onnx__import *m = scope->import;
  const char *name = scope->graph->outputs[i].name;
  webnn_onnx__value *value = webnn_onnx__look_up(scope, name);
  webnn_onnx__node none;
  webnn_onnx__call call;
  bool same;
  size_t k;
  memset(&none, 0, sizeof none);
  none.name = name;
  none.op = "output";
  memset(&call, 0, sizeof call);
  call.import = m;
  call.scope = scope;
  call.node = &none;
  call.builder = m->builder;
  if (value == NULL) {
    return webnn_onnx__fail_at(m, WEBNN_TYPE_ERROR, "nothing makes the output \"%s\"",
                               webnn_onnx__show(name).text);
  }
  if (value->failed) {
    return true;
  }
  for (k = 0; k < i; k++) {
    if (strcmp(scope->graph->outputs[k].name, name) == 0) {
      return webnn_onnx__fail_at(m, WEBNN_TYPE_ERROR, "output \"%s\" is there twice",
                                 webnn_onnx__show(name).text);
    }
  }
  if (webnn_onnx__is_known(value) && webnn_onnx__count_of(value->shape) == 0) {
    return webnn_onnx__leave_output(m, i, value);
  }
  outputs[i] = webnn_onnx__operand(&call, value);
  same = !webnn_onnx__depends(value) || webnn_onnx__is_source(m, outputs[i]);
  for (k = 0; k < i; k++) {
    same = same || outputs[k] == outputs[i];
  }
  if (outputs[i] != NULL && same) {
    outputs[i] = webnn_onnx__copied(m->builder, outputs[i], NULL);
  }
  return outputs[i] != NULL || webnn_onnx__fail(&call, "%s", webnn_builder_message(m->builder));
}

/* Are there inputs for all operands that are given? */
static bool webnn_onnx__check_given(webnn_onnx__import *m, const webnn_named_operand *given,
                                    size_t given_count) {
  const webnn_onnx__graph *g = &m->model->graph;
  size_t i, k;
  for (i = 0; i < given_count; i++) {
    for (k = 0; k < g->input_count && strcmp(given[i].name, g->inputs[k].name) != 0; k++) {
    }
    if (k == g->input_count) {
      return webnn_onnx__fail_at(m, WEBNN_TYPE_ERROR, "there is no input \"%s\"",
                                 webnn_onnx__show(given[i].name).text);
    }
  }
  return true;
}

/* Collects the nodes of a graph whose operators are not read, and of all graphs in it. */
static bool webnn_onnx__check_rows(webnn_onnx__scope *scope, const webnn_onnx__graph *g) {
  size_t i, k;
  for (i = 0; i < g->node_count; i++) {
    const webnn_onnx__node *node = &g->nodes[i];
    webnn_onnx__call call;
    memset(&call, 0, sizeof call);
    call.import = scope->import;
    call.scope = scope;
    call.node = node;
    if (webnn_onnx__find_row(&call) == NULL && !webnn_onnx__report(scope->import)) {
      return false;
    }
    for (k = 0; k < node->graph_count; k++) {
      if (!webnn_onnx__check_rows(scope, node->graphs[k])) {
        return false;
      }
    }
  }
  return true;
}

/* What can be told of a model that cannot be built: sizes are missing. */
static bool webnn_onnx__check_operators(webnn_onnx__scope *scope) {
  const webnn_onnx_model *m = scope->import->model;
  bool good = webnn_onnx__check_rows(scope, &m->graph);
  size_t i;
  for (i = 0; i < m->function_count && good; i++) {
    webnn_onnx__scope inner = *scope;
    if (m->functions[i].opset_count != 0) {
      inner.opsets = m->functions[i].opsets;
      inner.opset_count = m->functions[i].opset_count;
    }
    good = webnn_onnx__check_rows(&inner, &m->functions[i].body);
  }
  return good;
}

/* The whole model on the import's builder. */
static bool webnn_onnx__add_model(webnn_onnx__import *m, const webnn_named_operand *given,
                                  size_t given_count, webnn_operand **outputs) {
  webnn_onnx__scope scope;
  size_t i;
  memset(&scope, 0, sizeof scope);
  scope.import = m;
  scope.opsets = m->model->opsets;
  scope.opset_count = m->model->opset_count;
  if (!webnn_onnx__open_scope(&scope, &m->model->graph, 0)) {
    return false;
  }
  m->model->wanted_count = 0;
  memset(m->model->empty, 0, m->model->graph.output_count * sizeof *m->model->empty);
  if (!webnn_onnx__check_given(m, given, given_count) || !webnn_onnx__add_initializers(&scope)) {
    return webnn_onnx__report(m);
  }
  if (!webnn_onnx__check_sizes(m, given, given_count)) {
    return webnn_onnx__report(m) && webnn_onnx__check_operators(&scope);
  }
  for (i = 0; i < m->model->graph.input_count; i++) {
    if (!webnn_onnx__add_input(&scope, &m->model->graph.inputs[i], given, given_count) &&
        !webnn_onnx__report(m)) {
      return false;
    }
  }
  if (!webnn_onnx__run_graph(&scope)) {
    return false;
  }
  for (i = 0; i < m->model->graph.output_count; i++) {
    if (!webnn_onnx__add_output(&scope, i, outputs) && !webnn_onnx__report(m)) {
      return false;
    }
  }
  return true;
}

/* ---- 19 interface ---------------------------------------------------------------------------- */

/* The options with copies of all they point to. */
static bool webnn_onnx__copy_options(webnn_onnx_model *m, const webnn_onnx_options *options) {
  webnn_onnx_dimension *dimensions;
  webnn_onnx_known *known;
  size_t i;
  if (options == NULL) {
    return true;
  }
  m->options = *options;
  dimensions =
      (webnn_onnx_dimension *)webnn_onnx__array(m, options->dimension_count, sizeof *dimensions);
  known = (webnn_onnx_known *)webnn_onnx__array(m, options->known_count, sizeof *known);
  for (i = 0; i < options->dimension_count && webnn_onnx__sound(m); i++) {
    const char *name = options->dimensions[i].name;
    dimensions[i].size = options->dimensions[i].size;
    dimensions[i].name = webnn_onnx__copy(m, name, strlen(name));
  }
  for (i = 0; i < options->known_count && webnn_onnx__sound(m); i++) {
    known[i] = options->known[i];
    known[i].name = webnn_onnx__copy(m, known[i].name, strlen(known[i].name));
    known[i].data = webnn_onnx__copy(m, known[i].data, known[i].byte_length);
  }
  m->options.dimensions = dimensions;
  m->options.known = known;
  return webnn_onnx__sound(m);
}

/* Parses the bytes; on failure the model is freed. */
static webnn_status webnn_onnx__finish(webnn_onnx_model *m, const webnn_onnx_options *options,
                                       webnn_onnx_model **model, webnn_error *error) {
  webnn_status status;
  if (m->status == WEBNN_OK && webnn_onnx__copy_options(m, options)) {
    if (webnn_onnx__parse_model(m) && webnn_onnx__order_model(m)) {
      m->wanted = (const char **)webnn_onnx__array(m, m->graph.input_count, sizeof *m->wanted);
      m->empty =
          (webnn_onnx__no_elements *)webnn_onnx__array(m, m->graph.output_count, sizeof *m->empty);
    }
  }
  status = m->status;
  if (status != WEBNN_OK) {
    (void)webnn_onnx__set_error(error, status, m->message);
    webnn_onnx_free(m);
    return status;
  }
  *model = m;
  return WEBNN_OK;
}

static webnn_onnx_model *webnn_onnx__new_model(const char *name, const char *folder,
                                               webnn_error *error) {
  webnn_onnx_model *m = (webnn_onnx_model *)calloc(1, sizeof *m);
  if (m != NULL) {
    m->name = (char *)webnn_extra__copied(&m->arena, name, strlen(name));
    m->folder = (char *)webnn_extra__copied(&m->arena, folder, strlen(folder));
    if (m->name != NULL && m->folder != NULL) {
      return m;
    }
    webnn_onnx_free(m);
  }
  (void)webnn_onnx__set_error(error, WEBNN_UNKNOWN_ERROR, "out of memory");
  return NULL;
}

WEBNN_ONNX_API webnn_status webnn_onnx_open(const char *path, const webnn_onnx_options *options,
                                            webnn_onnx_model **model, webnn_error *error) {
  webnn_onnx_model *m;
  const char *name = path, *at;
  char *folder;
  *model = NULL;
  for (at = path; *at != '\0'; at++) {
    if (*at == '/' || *at == '\\') {
      name = at + 1;
    }
  }
  m = webnn_onnx__new_model(name, path, error);
  if (m == NULL) {
    return WEBNN_UNKNOWN_ERROR;
  }
  folder = webnn_onnx__copy(m, path, (size_t)(name - path));
  if (!webnn_onnx__sound(m)) {
    return webnn_onnx__finish(m, options, model, error);
  }
  if (name - path > 1) {
    folder[name - path - 1] = '\0';
  }
  m->folder = folder;
  if (!webnn_onnx__map_file(path, &m->file)) {
    m->status = WEBNN_OPERATION_ERROR;
    (void)snprintf(m->message, sizeof m->message, "%s: the file cannot be read",
                   webnn_onnx__show(path).text);
  }
  m->bytes = m->file.bytes;
  return webnn_onnx__finish(m, options, model, error);
}

WEBNN_ONNX_API webnn_status webnn_onnx_read(const void *bytes, size_t length, const char *folder,
                                            const webnn_onnx_options *options,
                                            webnn_onnx_model **model, webnn_error *error) {
  webnn_onnx_model *m;
  *model = NULL;
  m = webnn_onnx__new_model("model", folder == NULL ? "" : folder, error);
  if (m == NULL) {
    return WEBNN_UNKNOWN_ERROR;
  }
  m->bytes.data = (const uint8_t *)bytes;
  m->bytes.length = length;
  return webnn_onnx__finish(m, options, model, error);
}

WEBNN_ONNX_API void webnn_onnx_packed(void *model, const void *data, size_t byte_length) {
  const webnn_onnx_model *m = (const webnn_onnx_model *)model;
  const webnn_onnx__file *file;
  if (m == NULL) {
    return;
  }
  webnn_onnx__leave_pages(&m->file, (const uint8_t *)data, byte_length);
  for (file = m->externals; file != NULL; file = file->next) {
    webnn_onnx__leave_pages(file, (const uint8_t *)data, byte_length);
  }
}

WEBNN_ONNX_API void webnn_onnx_free(webnn_onnx_model *model) {
  webnn_onnx__file *file;
  if (model == NULL) {
    return;
  }
  for (file = model->externals; file != NULL; file = file->next) {
    webnn_onnx__unmap_file(file);
  }
  webnn_onnx__unmap_file(&model->file);
  free(model->problems);
  webnn_extra__free_arena(&model->arena);
  free(model);
}

WEBNN_ONNX_API void webnn_onnx_describe(const webnn_onnx_model *model, webnn_onnx_facts *facts) {
  size_t i;
  memset(facts, 0, sizeof *facts);
  facts->producer = facts->producer_version = "";
  if (model == NULL) {
    return;
  }
  facts->format = model->format;
  facts->producer = model->producer;
  facts->producer_version = model->producer_version;
  facts->opsets = model->opsets;
  facts->opset_count = model->opset_count;
  facts->initializer_count = model->graph.initializer_count;
  for (i = 0; i < model->graph.initializer_count; i++) {
    const webnn_onnx__proto *t = &model->graph.initializers[i];
    const uint32_t bits = webnn_onnx__info_of(t->type)->bits;
    facts->initializer_bytes += bits == 0 ? t->raw.length : (t->count * bits + 7) / 8;
  }
}

static void webnn_onnx__port_of(const webnn_onnx_model *m, const webnn_onnx__info *info,
                                webnn_onnx_port *port) {
  uint32_t d;
  memset(port, 0, sizeof *port);
  port->name = info->name;
  port->type = info->type;
  port->descriptor.data_type = webnn_onnx_graph_type(info->type);
  if (info->has_shape) {
    port->descriptor.shape = webnn_onnx__sizes_of(m, info, &port->is_empty);
  }
  for (d = 0; d < info->rank; d++) {
    port->dimension_names[d] = info->dims[d] >= 0        ? NULL
                               : info->params[d] == NULL ? ""
                                                         : info->params[d];
  }
}

/* The inputs without known values that have initializers, or those that have none. */
static size_t webnn_onnx__ports_of(const webnn_onnx_model *model, bool initialized,
                                   webnn_onnx_port *ports, size_t capacity) {
  size_t i, count = 0;
  for (i = 0; model != NULL && i < model->graph.input_count; i++) {
    const webnn_onnx__info *info = &model->graph.inputs[i];
    if (webnn_onnx__has_initializer(model, info->name) == initialized &&
        webnn_onnx__known_input(model, info->name) == NULL) {
      if (ports != NULL && count < capacity) {
        webnn_onnx__port_of(model, info, &ports[count]);
      }
      count++;
    }
  }
  return count;
}

WEBNN_ONNX_API size_t webnn_onnx_inputs(const webnn_onnx_model *model, webnn_onnx_port *ports,
                                        size_t capacity) {
  return webnn_onnx__ports_of(model, false, ports, capacity);
}

WEBNN_ONNX_API size_t webnn_onnx_defaults(const webnn_onnx_model *model, webnn_onnx_port *ports,
                                          size_t capacity) {
  return webnn_onnx__ports_of(model, true, ports, capacity);
}

WEBNN_ONNX_API size_t webnn_onnx_wanted(const webnn_onnx_model *model, const char **names,
                                        size_t capacity) {
  const size_t count = model != NULL ? model->wanted_count : 0;
  size_t i;
  capacity = names != NULL ? capacity : 0;
  for (i = 0; i < count && i < capacity; i++) {
    names[i] = model->wanted[i];
  }
  return count;
}

WEBNN_ONNX_API size_t webnn_onnx_outputs(const webnn_onnx_model *model, webnn_onnx_port *ports,
                                         size_t capacity) {
  const size_t count = model != NULL ? model->graph.output_count : 0;
  size_t i;
  capacity = ports != NULL ? capacity : 0;
  for (i = 0; i < count && i < capacity; i++) {
    webnn_onnx__port_of(model, &model->graph.outputs[i], &ports[i]);
    if (model->empty[i].type != WEBNN_ONNX_UNDEFINED) {
      ports[i].type = model->empty[i].type;
      ports[i].descriptor.data_type = webnn_onnx_graph_type(model->empty[i].type);
      ports[i].descriptor.shape = model->empty[i].shape;
      ports[i].is_empty = true;
    }
  }
  return count;
}

/* Counts the operators of nodes and of the graphs in their attributes. */
static void webnn_onnx__count_operators(const webnn_onnx_model *m, const webnn_onnx__graph *g,
                                        webnn_onnx_operator *list, size_t capacity, size_t *count) {
  size_t i, k;
  for (i = 0; i < g->node_count; i++) {
    const webnn_onnx__node *node = &g->nodes[i];
    for (k = 0; k < *count &&
                (strcmp(list[k].name, node->op) != 0 || strcmp(list[k].domain, node->domain) != 0);
         k++) {
    }
    if (k == *count && *count < capacity) {
      const webnn_onnx__row *row = webnn_onnx__row_of(node->domain, node->op);
      list[k].domain = node->domain;
      list[k].name = node->op;
      list[k].count = 0;
      list[k].since = webnn_onnx__function_of(m, node) != NULL ? 1 : row == NULL ? 0 : row->since;
      ++*count;
    }
    if (k < capacity) {
      list[k].count++;
    }
    for (k = 0; k < node->graph_count; k++) {
      webnn_onnx__count_operators(m, node->graphs[k], list, capacity, count);
    }
  }
}

/* How many nodes there are, and so at most how many operators. */
static size_t webnn_onnx__node_total(const webnn_onnx__graph *g) {
  size_t i, k, total = g->node_count;
  for (i = 0; i < g->node_count; i++) {
    for (k = 0; k < g->nodes[i].graph_count; k++) {
      total += webnn_onnx__node_total(g->nodes[i].graphs[k]);
    }
  }
  return total;
}

WEBNN_ONNX_API size_t webnn_onnx_operators(webnn_onnx_model *model, webnn_onnx_operator *list,
                                           size_t capacity) {
  webnn_onnx_operator *all;
  size_t total, count = 0, i;
  if (model == NULL) {
    return 0;
  }
  total = webnn_onnx__node_total(&model->graph);
  for (i = 0; i < model->function_count; i++) {
    total += webnn_onnx__node_total(&model->functions[i].body);
  }
  all = (webnn_onnx_operator *)calloc(total + 1, sizeof *all);
  if (all == NULL) {
    return 0;
  }
  webnn_onnx__count_operators(model, &model->graph, all, total, &count);
  for (i = 0; i < model->function_count; i++) {
    webnn_onnx__count_operators(model, &model->functions[i].body, all, total, &count);
  }
  for (i = 0; list != NULL && i < count && i < capacity; i++) {
    list[i] = all[i];
  }
  free(all);
  return count;
}

WEBNN_ONNX_API size_t webnn_onnx_known_operators(webnn_onnx_operator *list, size_t capacity) {
  const size_t count = sizeof webnn_onnx__rows / sizeof webnn_onnx__rows[0];
  size_t i;
  for (i = 0; list != NULL && i < count && i < capacity; i++) {
    list[i].domain = webnn_onnx__rows[i].domain;
    list[i].name = webnn_onnx__rows[i].name;
    list[i].since = webnn_onnx__rows[i].since;
    list[i].count = 0;
  }
  return count;
}

static void webnn_onnx__free_import(webnn_onnx__import *m) {
  webnn_free_context(m->reference);
  webnn_extra__free_arena(&m->arena);
}

WEBNN_ONNX_API webnn_status webnn_onnx_add(webnn_onnx_model *model, webnn_builder *builder,
                                           const webnn_named_operand *inputs, size_t input_count,
                                           webnn_operand **outputs, webnn_error *error) {
  webnn_onnx__import m;
  webnn_status status = WEBNN_OK;
  if (model == NULL || builder == NULL) {
    return webnn_onnx__no_handle(error, "webnn_onnx_add: no model or no builder");
  }
  memset(&m, 0, sizeof m);
  m.model = model;
  m.builder = builder;
  memset(outputs, 0, model->graph.output_count * sizeof *outputs);
  if (webnn_builder_status(builder) != WEBNN_OK) {
    return webnn_onnx__set_error(error, webnn_builder_status(builder),
                                 webnn_builder_message(builder));
  }
  if (!webnn_onnx__add_model(&m, inputs, input_count, outputs)) {
    webnn_onnx__say_wanted(&m);
    status = webnn_onnx__set_error(error, m.status, m.message);
  }
  webnn_onnx__free_import(&m);
  return status;
}

WEBNN_ONNX_API webnn_status webnn_onnx_build(webnn_onnx_model *model, webnn_context *context,
                                             webnn_graph **graph, webnn_error *error) {
  webnn_builder *builder = NULL;
  webnn_operand **outputs;
  webnn_named_operand *named;
  webnn_status status;
  size_t i, count, named_count = 0;
  *graph = NULL;
  if (model == NULL || context == NULL) {
    return webnn_onnx__no_handle(error, "webnn_onnx_build: no model or no context");
  }
  count = model->graph.output_count;
  outputs = (webnn_operand **)calloc(count + 1, sizeof *outputs);
  named = (webnn_named_operand *)calloc(count + 1, sizeof *named);
  status = outputs == NULL || named == NULL
               ? webnn_onnx__set_error(error, WEBNN_UNKNOWN_ERROR, "out of memory")
               : webnn_create_builder(context, &builder, error);
  if (status == WEBNN_OK) {
    status = webnn_onnx_add(model, builder, NULL, 0, outputs, error);
  }
  for (i = 0; i < count && status == WEBNN_OK; i++) {
    named[named_count].name = model->graph.outputs[i].name;
    named[named_count].operand = outputs[i];
    named_count += outputs[i] != NULL;
  }
  if (status == WEBNN_OK && (named_count > 0 || count == 0)) {
    status = webnn_build(builder, named, named_count, graph, error);
  }
  webnn_free_builder(builder);
  free(outputs);
  free(named);
  return status;
}

/* Builds the model on a builder that is thrown away, going on after each failure. */
static bool webnn_onnx__find_problems(webnn_onnx_model *model) {
  webnn_onnx__import m;
  webnn_context *context = NULL;
  webnn_context_options options = WEBNN_ZERO;
  webnn_operand **outputs;
  bool good;
  memset(&m, 0, sizeof m);
  m.model = model;
  m.collecting = true;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  outputs = (webnn_operand **)calloc(model->graph.output_count + 1, sizeof *outputs);
  good = outputs != NULL && webnn_create_context(&options, &context, NULL) == WEBNN_OK &&
         webnn_create_builder(context, &m.builder, NULL) == WEBNN_OK;
  if (good && !webnn_onnx__add_model(&m, NULL, 0, outputs)) {
    webnn_onnx__collect(&m);
  }
  if (good && model->options.float64_as_float32) {
    (void)snprintf(m.message, sizeof m.message, "note: float64 is taken as float32");
    webnn_onnx__collect(&m);
  }
  webnn_free_builder(m.builder);
  webnn_free_context(context);
  webnn_onnx__free_import(&m);
  free(outputs);
  return good;
}

WEBNN_ONNX_API size_t webnn_onnx_problems(webnn_onnx_model *model, const char **messages,
                                          size_t capacity) {
  size_t i;
  if (model == NULL) {
    return 0;
  }
  if (!model->problems_known) {
    model->problems_known = webnn_onnx__find_problems(model);
  }
  for (i = 0; messages != NULL && i < model->problem_count && i < capacity; i++) {
    messages[i] = model->problems[i];
  }
  return model->problem_count;
}

static void webnn_onnx__tensor_of(const webnn_onnx__proto *t, webnn_onnx_tensor *tensor) {
  uint32_t d;
  memset(tensor, 0, sizeof *tensor);
  tensor->name = t->name;
  tensor->type = t->type;
  tensor->shape = webnn_extra__repeat(0, t->rank);
  for (d = 0; d < t->rank; d++) {
    tensor->shape.items[d] = (uint32_t)t->dims[d];
  }
  tensor->count = t->count;
  tensor->data = t->raw.length == 0 ? "" : (const void *)t->raw.data;
  tensor->byte_length = t->raw.length;
}

WEBNN_ONNX_API webnn_status webnn_onnx_weight(webnn_onnx_model *model, const char *name,
                                              webnn_onnx_tensor *tensor, webnn_error *error) {
  webnn_onnx__proto *t;
  webnn_onnx__why why = WEBNN_ZERO;
  char message[508];
  if (model == NULL) {
    return webnn_onnx__no_handle(error, "webnn_onnx_weight: no model");
  }
  memset(tensor, 0, sizeof *tensor);
  t = webnn_onnx__initializer(model, name);
  if (t == NULL ? !webnn_onnx__because(&why, "there is none")
                : !webnn_onnx__load_raw(model, &model->arena, t, &why)) {
    (void)snprintf(message, sizeof message, "%s: initializer \"%s\": %s", model->name,
                   webnn_onnx__show(name).text, why.text);
    return webnn_onnx__set_error(error, why.status, message);
  }
  webnn_onnx__tensor_of(t, tensor);
  return WEBNN_OK;
}

WEBNN_ONNX_API webnn_status webnn_onnx_read_tensor(const void *bytes, size_t length,
                                                   webnn_onnx_tensor *tensor, webnn_error *error) {
  webnn_onnx_model *m = webnn_onnx__new_model("tensor", "", error);
  webnn_onnx__proto *t;
  webnn_status status;
  webnn_onnx__why why = WEBNN_ZERO;
  memset(tensor, 0, sizeof *tensor);
  if (m == NULL) {
    return WEBNN_UNKNOWN_ERROR;
  }
  m->bytes.data = (const uint8_t *)bytes;
  m->bytes.length = length;
  t = (webnn_onnx__proto *)webnn_onnx__array(m, 1, sizeof *t);
  if (webnn_onnx__sound(m) && webnn_onnx__parse_tensor(m, m->bytes, t)) {
    if (t->external ? !webnn_onnx__because(&why, "its data are in another file")
                    : !webnn_onnx__load_raw(m, &m->arena, t, &why)) {
      m->status = why.status;
      (void)snprintf(m->message, sizeof m->message, "tensor: %s", why.text);
    }
  }
  status = m->status;
  if (status != WEBNN_OK) {
    (void)webnn_onnx__set_error(error, status, m->message);
    webnn_onnx_free(m);
    return status;
  }
  webnn_onnx__tensor_of(t, tensor);
  tensor->memory = m;
  return WEBNN_OK;
}

WEBNN_ONNX_API void webnn_onnx_free_tensor(webnn_onnx_tensor *tensor) {
  if (tensor != NULL && tensor->memory != NULL) {
    webnn_onnx_free((webnn_onnx_model *)tensor->memory);
    memset(tensor, 0, sizeof *tensor);
  }
}

/* ---- 20 sessions ----------------------------------------------------------------------------- */

#define WEBNN_ONNX__CACHED_GRAPHS 8

#if defined(WEBNN_NO_THREADS)
typedef int webnn_onnx__mutex;
static bool webnn_onnx__create_mutex(webnn_onnx__mutex *mutex) {
  *mutex = 0;
  return true;
}
#define webnn_onnx__destroy_mutex(mutex) ((void)(mutex))
#define webnn_onnx__lock(mutex) ((void)(mutex))
#define webnn_onnx__unlock(mutex) ((void)(mutex))
#elif defined(_WIN32)
typedef SRWLOCK webnn_onnx__mutex;
static bool webnn_onnx__create_mutex(webnn_onnx__mutex *mutex) {
  InitializeSRWLock(mutex);
  return true;
}
#define webnn_onnx__destroy_mutex(mutex) ((void)(mutex))
#define webnn_onnx__lock(mutex) AcquireSRWLockExclusive(mutex)
#define webnn_onnx__unlock(mutex) ReleaseSRWLockExclusive(mutex)
#else
typedef pthread_mutex_t webnn_onnx__mutex;
static bool webnn_onnx__create_mutex(webnn_onnx__mutex *mutex) {
  return pthread_mutex_init(mutex, NULL) == 0;
}
#define webnn_onnx__destroy_mutex(mutex) ((void)pthread_mutex_destroy(mutex))
#define webnn_onnx__lock(mutex) ((void)pthread_mutex_lock(mutex))
#define webnn_onnx__unlock(mutex) ((void)pthread_mutex_unlock(mutex))
#endif

/* A graph, and the inputs that it was built for. */
typedef struct webnn_onnx__built {
  webnn_extra__arena arena;
  webnn_graph *graph;       /* NULL: no output has elements */
  bool dynamic;             /* it has dynamic dimensions, */
  bool served;              /* has had sizes that its rules allow, */
  bool refused;             /* and others */
  webnn_onnx__given *given; /* of each input of the model; shapes are absent if they are dynamic */
  size_t *inputs;           /* of the graph: which ones of the model */
  size_t input_count;
  webnn_onnx_port *outputs; /* of the model */
  size_t uses;              /* by specializations, and by the session */
} webnn_onnx__built;

/* A specialization: the shapes of a call's inputs, and the graph for them. */
typedef struct webnn_onnx__specialization {
  struct webnn_onnx__specialization *next; /* used longer ago */
  webnn_extra__arena arena;
  webnn_onnx__built *built; /* several may share one with dynamic dimensions */
  webnn_onnx__given *given; /* of each input of the model; values are those of the graph */
  uint64_t hash;            /* of the shapes */
  webnn_onnx_port *outputs; /* of the model */
  size_t users;             /* calls that run, and graphs that are borrowed: */
  size_t borrowed;
} webnn_onnx__specialization;

/* A dimension of an input: its size if it is fixed, and where its name comes first. */
typedef struct webnn_onnx__rule {
  int64_t size; /* -1: that of the first one of its name */
  size_t input;
  uint32_t dimension;
} webnn_onnx__rule;

struct webnn_onnx_session {
  webnn_onnx_model *model;
  webnn_context *context;
  webnn_onnx_session_options options;
  webnn_extra__arena arena;
  webnn_onnx__rule *rules;            /* WEBNN_MAX_RANK of each input */
  bool *optional;                     /* inputs with initializers */
  bool open;                          /* some sizes are not known before they come */
  webnn_onnx__mutex mutex;            /* of all that follows, and of the model */
  bool *valued;                       /* inputs on whose values a graph has depended */
  size_t valued_count;                /* how many they are, */
  size_t refused_count;               /* and 1 more than they were when `dynamic` was refused */
  webnn_onnx__built *dynamic;         /* the last graph with dynamic dimensions; NULL: none */
  webnn_onnx__specialization *cached; /* the one used last comes first */
  size_t cached_count;
};

/* The inputs of a call in the order of the model, and memory that lasts as long as the call. */
typedef struct webnn_onnx__request {
  webnn_onnx_session *session;
  webnn_extra__arena arena;
  const webnn_onnx_feed **feeds; /* one without a name is left out */
  webnn_onnx__given *given;      /* shapes are absent of inputs that are left out */
  uint64_t hash;
  bool fixed;          /* wants a graph without dynamic dimensions */
  webnn_error refused; /* why it just could not have these */
  webnn_error *error;
} webnn_onnx__request;

static bool webnn_onnx__refuse(webnn_onnx__request *r, const char *format, ...)
    WEBNN_EXTRA__PRINTF(2, 3);
/* The inputs of a call are wrong. Always false. */
static bool webnn_onnx__refuse(webnn_onnx__request *r, const char *format, ...) {
  char why[400], message[508];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  (void)snprintf(message, sizeof message, "%.80s: inputs: %s", r->session->model->name, why);
  (void)webnn_onnx__set_error(r->error, WEBNN_TYPE_ERROR, message);
  return false;
}

/* Memory of a call or of what it makes, zero; NULL: there is none, and the call has failed. */
static void *webnn_onnx__request_memory(webnn_onnx__request *r, webnn_extra__arena *arena,
                                        size_t count, size_t size) {
  void *memory = webnn_extra__take(arena, count + 1, size);
  if (memory == NULL) {
    (void)webnn_onnx__set_error(r->error, WEBNN_UNKNOWN_ERROR, "out of memory");
  }
  return memory;
}

static bool webnn_onnx__request_failed(const webnn_onnx__request *r) {
  return r->error->status != WEBNN_OK;
}

/* ---- 20.1 the inputs of a call. */

/* The input of this name; they mostly come in the order of the model, so that input `from` is asked
   first. As many as there are: none. */
static size_t webnn_onnx__input_index(const webnn_onnx_model *m, const char *name, size_t from) {
  const size_t count = m->graph.input_count;
  size_t i;
  for (i = 0; i < count; i++) {
    const size_t at = (from + i) % count;
    if (strcmp(m->graph.inputs[at].name, name) == 0) {
      return at;
    }
  }
  return count;
}

/* Is input i given? */
static bool webnn_onnx__is_fed(const webnn_onnx__request *r, size_t i) {
  return r->feeds[i]->name != NULL;
}

static bool webnn_onnx__sort_feeds(webnn_onnx__request *r, const webnn_onnx_feed *feeds,
                                   size_t feed_count) {
  const webnn_onnx_model *m = r->session->model;
  size_t i, at = 0;
  for (i = 0; i < feed_count; i++) {
    if (feeds == NULL || feeds[i].name == NULL) {
      return webnn_onnx__refuse(r, "%s", feeds == NULL ? "the list is NULL" : "a name is NULL");
    }
    at = webnn_onnx__input_index(m, feeds[i].name, i == 0 ? 0 : at + 1);
    if (at == m->graph.input_count) {
      return webnn_onnx__refuse(r, "there is no input \"%s\"",
                                webnn_onnx__show(feeds[i].name).text);
    }
    if (webnn_onnx__is_fed(r, at)) {
      return webnn_onnx__refuse(r, "input \"%s\" is given twice",
                                webnn_onnx__show(feeds[i].name).text);
    }
    if (webnn_onnx__known_input(m, feeds[i].name) != NULL) {
      return webnn_onnx__refuse(r, "input \"%s\" has a value in the model's options",
                                webnn_onnx__show(feeds[i].name).text);
    }
    r->feeds[at] = &feeds[i];
  }
  return true;
}

/* Does dimension d of input i have the size that the model, its options, or another input have? */
static bool webnn_onnx__check_dimension(webnn_onnx__request *r, size_t i, uint32_t d) {
  const webnn_onnx__info *inputs = r->session->model->graph.inputs;
  const webnn_onnx__rule *rule = &r->session->rules[i * WEBNN_MAX_RANK + d];
  const uint32_t size = r->given[i].shape.items[d];
  const webnn_onnx__shown name = webnn_onnx__show(inputs[i].name);
  uint32_t other;
  if (rule->size >= 0 && inputs[i].dims[d] >= 0) {
    return (int64_t)size == rule->size ||
           webnn_onnx__refuse(r, "dimension %u of input \"%s\" must be %llu; it is %u", d,
                              name.text, (unsigned long long)rule->size, size);
  }
  if (rule->size >= 0) {
    return (int64_t)size == rule->size ||
           webnn_onnx__refuse(r,
                              "dimension \"%s\" is %llu in the model's options and %u in input "
                              "\"%s\"",
                              webnn_onnx__show(inputs[i].names[d]).text,
                              (unsigned long long)rule->size, size, name.text);
  }
  other = r->given[rule->input].shape.items[rule->dimension];
  return size == other ||
         webnn_onnx__refuse(r, "dimension \"%s\" is %u in input \"%s\" and %u in input \"%s\"",
                            webnn_onnx__show(inputs[i].names[d]).text, other,
                            webnn_onnx__show(inputs[rule->input].name).text, size, name.text);
}

/* The shape of input i that is given, or that of the model where all its sizes are known. */
static bool webnn_onnx__take_shape(webnn_onnx__request *r, size_t i) {
  const webnn_onnx__info *info = &r->session->model->graph.inputs[i];
  const webnn_onnx__shown name = webnn_onnx__show(info->name);
  webnn_list *shape = &r->given[i].shape;
  uint32_t d;
  *shape = r->feeds[i]->shape;
  if (!shape->given) {
    *shape = webnn_extra__repeat(0, info->rank);
    for (d = 0; d < info->rank; d++) {
      const int64_t size = r->session->rules[i * WEBNN_MAX_RANK + d].size;
      if (size < 0) {
        return webnn_onnx__refuse(r, "input \"%s\" has no shape, and dimension \"%s\" no size",
                                  name.text, webnn_onnx__show(info->names[d]).text);
      }
      shape->items[d] = (uint32_t)size;
    }
    return info->has_shape || webnn_onnx__refuse(r, "input \"%s\" has no shape", name.text);
  }
  if (shape->count > WEBNN_MAX_RANK || (info->has_shape && shape->count != info->rank)) {
    return webnn_onnx__refuse(r, "input \"%s\" must have %s%u dimensions; it has %u", name.text,
                              info->has_shape ? "" : "at most ",
                              info->has_shape ? info->rank : (uint32_t)WEBNN_MAX_RANK,
                              shape->count);
  }
  return true;
}

/* Has the input at most as many elements as a tensor may have, and its data their bytes? */
static bool webnn_onnx__check_bytes(webnn_onnx__request *r, size_t i) {
  const webnn_onnx__info *info = &r->session->model->graph.inputs[i];
  const webnn_onnx_feed *feed = r->feeds[i];
  const uint32_t bits = webnn_data_type_bits(webnn_onnx_graph_type(info->type));
  const webnn_list *shape = &r->given[i].shape;
  const webnn_onnx__shown name = webnn_onnx__show(info->name);
  uint64_t count = 1;
  bool empty = false;
  uint32_t d;
  for (d = 0; d < shape->count; d++) {
    empty = empty || shape->items[d] == 0;
  }
  for (d = 0; d < shape->count && !empty && count <= WEBNN_ONNX__ELEMENTS_MAX; d++) {
    count *= shape->items[d];
  }
  count = empty ? 0 : count;
  if (count > WEBNN_ONNX__ELEMENTS_MAX) {
    return webnn_onnx__refuse(r, "input \"%s\" %s has too many elements", name.text,
                              webnn_onnx__show_shape(*shape).text);
  }
  r->given[i].byte_length = webnn_onnx__length_of(count, bits);
  return bits == 0 || feed->data == NULL || feed->byte_length == r->given[i].byte_length ||
         webnn_onnx__refuse(r, "input \"%s\" %s of %s must have %llu bytes; it has %llu", name.text,
                            webnn_onnx__show_shape(*shape).text, webnn_onnx_type_name(info->type),
                            (unsigned long long)r->given[i].byte_length,
                            (unsigned long long)feed->byte_length);
}

/* FNV-1a, a word at a time. */
static void webnn_onnx__hash_shape(uint64_t *hash, const webnn_list *shape) {
  uint32_t d;
  *hash = (*hash ^ (shape->given ? shape->count : WEBNN_MAX_RANK + 1)) * 1099511628211u;
  for (d = 0; d < shape->count; d++) {
    *hash = (*hash ^ shape->items[d]) * 1099511628211u;
  }
}

static bool webnn_onnx__check_feed(webnn_onnx__request *r, size_t i) {
  const webnn_onnx__info *info = &r->session->model->graph.inputs[i];
  const bool optional = r->session->optional[i];
  uint32_t d;
  if (!webnn_onnx__is_fed(r, i)) {
    return optional ||
           webnn_onnx__refuse(r, "input \"%s\" is missing", webnn_onnx__show(info->name).text);
  }
  if (!webnn_onnx__take_shape(r, i)) {
    return false;
  }
  for (d = 0; d < info->rank; d++) {
    if (!webnn_onnx__check_dimension(r, i, d)) {
      return false;
    }
  }
  if (!webnn_onnx__check_bytes(r, i)) {
    return false;
  }
  r->given[i].value = optional ? r->feeds[i]->data : NULL;
  return !optional || r->given[i].value != NULL ||
         webnn_onnx__refuse(r, "input \"%s\" has an initializer, and is given without data",
                            webnn_onnx__show(info->name).text);
}

/* A run needs the data of the inputs that its graph has. One with dynamic dimensions has all of
   them, and one for known sizes not those that give their shapes only. */
static void webnn_onnx__require_data(webnn_onnx__request *r) {
  size_t i;
  for (i = 0; i < r->session->model->graph.input_count; i++) {
    r->fixed = r->fixed || (webnn_onnx__is_fed(r, i) && r->feeds[i]->data == NULL);
  }
}

/* Frees what a request has taken, and gives its error to the caller. */
static webnn_status webnn_onnx__end_request(webnn_onnx__request *r, webnn_error *error) {
  webnn_extra__free_arena(&r->arena);
  return r->error->status == WEBNN_OK
             ? WEBNN_OK
             : webnn_onnx__set_error(error, r->error->status, r->error->message);
}

/* Takes the inputs of a call and checks them. It ends in any case by webnn_onnx__end_request. */
static bool webnn_onnx__begin_request(webnn_onnx__request *r, webnn_onnx_session *session,
                                      const webnn_onnx_feed *feeds, size_t feed_count,
                                      webnn_error *error) {
  static const webnn_onnx_feed left_out = WEBNN_ZERO;
  const size_t count = session->model->graph.input_count;
  bool good;
  size_t i;
  memset(r, 0, sizeof *r);
  r->session = session;
  r->fixed = session->options.fixed;
  r->hash = 14695981039346656037u;
  r->error = error;
  r->feeds = (const webnn_onnx_feed **)webnn_onnx__request_memory(r, &r->arena, count,
                                                                  sizeof(webnn_onnx_feed *));
  r->given = (webnn_onnx__given *)webnn_onnx__request_memory(r, &r->arena, count, sizeof *r->given);
  if (webnn_onnx__request_failed(r)) {
    return false;
  }
  for (i = 0; i < count; i++) {
    r->feeds[i] = &left_out;
  }
  good = webnn_onnx__sort_feeds(r, feeds, feed_count);
  for (i = 0; i < count && good; i++) {
    good = webnn_onnx__check_feed(r, i);
    if (good) { /* a shape that was refused may have too many dimensions */
      webnn_onnx__hash_shape(&r->hash, &r->given[i].shape);
    }
  }
  return good;
}

/* ---- 20.2 graphs that are cached. */

/* The graph has a use less. NULL: nothing. */
static void webnn_onnx__leave_built(webnn_onnx__built *built) {
  if (built != NULL && --built->uses == 0) {
    webnn_free_graph(built->graph);
    webnn_extra__free_arena(&built->arena);
    free(built);
  }
}

static void webnn_onnx__free_cached(webnn_onnx__specialization *cached) {
  webnn_extra__arena arena = cached->arena; /* which it is in */
  webnn_onnx__leave_built(cached->built);
  webnn_extra__free_arena(&arena);
}

/* Frees specializations that nobody uses, beginning with the one that was used longest ago, until
   there are as many as the options want. */
static void webnn_onnx__make_room(webnn_onnx_session *s) {
  while (s->cached_count > s->options.graph_count) {
    webnn_onnx__specialization **at, **found = NULL, *cached;
    for (at = &s->cached; *at != NULL; at = &(*at)->next) {
      found = (*at)->users == 0 ? at : found;
    }
    if (found == NULL) {
      return;
    }
    cached = *found;
    *found = cached->next;
    s->cached_count--;
    webnn_onnx__free_cached(cached);
  }
}

/* Has input i the value that the graph has as a constant, if it has one? */
static bool webnn_onnx__has_value(const webnn_onnx__request *r, size_t i,
                                  const webnn_onnx__given *own) {
  const void *data = r->feeds[i]->data;
  return own->value == NULL || (data != NULL && memcmp(own->value, data, own->byte_length) == 0);
}

/* Is it for these inputs? Values count only where the graph has them as constants. */
static bool webnn_onnx__is_for(const webnn_onnx__specialization *cached,
                               const webnn_onnx__request *r) {
  const size_t count = r->session->model->graph.input_count;
  size_t i;
  for (i = 0; i < count; i++) {
    const webnn_onnx__given *own = &cached->given[i];
    if (own->shape.given != r->given[i].shape.given ||
        !webnn_extra__same_list(own->shape, r->given[i].shape) ||
        !webnn_onnx__has_value(r, i, own)) {
      return false;
    }
  }
  return !r->fixed || !cached->built->dynamic;
}

/* The one for these inputs, which comes first from now on; NULL: there is none. */
static webnn_onnx__specialization *webnn_onnx__find_cached(webnn_onnx__request *r) {
  webnn_onnx_session *s = r->session;
  webnn_onnx__specialization **at = &s->cached, *cached;
  while (*at != NULL && ((*at)->hash != r->hash || !webnn_onnx__is_for(*at, r))) {
    at = &(*at)->next;
  }
  cached = *at;
  if (cached != NULL) {
    *at = cached->next;
    cached->next = s->cached;
    s->cached = cached;
  }
  return cached;
}

/* Copies what the graph is built for: of one with dynamic dimensions the inputs with values. */
static bool webnn_onnx__copy_given(webnn_onnx__built *built, webnn_onnx__request *r) {
  const size_t count = r->session->model->graph.input_count;
  size_t i;
  built->given = (webnn_onnx__given *)webnn_onnx__request_memory(r, &built->arena, count,
                                                                 sizeof *built->given);
  for (i = 0; i < count && !webnn_onnx__request_failed(r); i++) {
    const webnn_onnx__given *given = &r->given[i];
    if (given->value != NULL) {
      void *copy = webnn_onnx__request_memory(r, &built->arena, given->byte_length, 1);
      if (!webnn_onnx__request_failed(r)) {
        memcpy(copy, given->value, given->byte_length);
      }
      built->given[i] = *given;
      built->given[i].value = copy;
    } else if (!built->dynamic) {
      built->given[i] = *given;
    }
  }
  return !webnn_onnx__request_failed(r);
}

/* Which inputs of the model the graph has, and what the model's outputs are. */
static void webnn_onnx__note_ports(webnn_onnx__built *built, webnn_onnx__request *r) {
  const webnn_onnx_model *m = r->session->model;
  const size_t in = webnn_graph_inputs(built->graph, NULL, 0);
  const size_t out = webnn_graph_outputs(built->graph, NULL, 0);
  webnn_graph_port *ports = (webnn_graph_port *)webnn_onnx__request_memory(
      r, &r->arena, in > out ? in : out, sizeof *ports);
  size_t i, k = 0;
  built->inputs = (size_t *)webnn_onnx__request_memory(r, &built->arena, in, sizeof *built->inputs);
  built->outputs = (webnn_onnx_port *)webnn_onnx__request_memory(
      r, &built->arena, m->graph.output_count, sizeof *built->outputs);
  if (webnn_onnx__request_failed(r)) {
    return;
  }
  (void)webnn_graph_inputs(built->graph, ports, in);
  built->input_count = in;
  for (i = 0; i < in; i++) {
    built->inputs[i] = webnn_onnx__input_index(m, ports[i].name, i);
  }
  (void)webnn_graph_outputs(built->graph, ports, out);
  (void)webnn_onnx_outputs(m, built->outputs, m->graph.output_count);
  for (i = 0; i < m->graph.output_count; i++) {
    memset((void *)built->outputs[i].dimension_names, 0, sizeof built->outputs[i].dimension_names);
    if (k < out && !built->outputs[i].is_empty) {
      built->outputs[i].descriptor = ports[k++].descriptor;
    }
  }
}

/* Builds the graph with the values that it is known to depend on. */
static bool webnn_onnx__try_build(webnn_onnx__built *built, webnn_onnx__request *r) {
  webnn_onnx_model *m = r->session->model;
  webnn_onnx__graph *g = &m->graph;
  const bool fixed = m->options.fixed;
  const uint32_t default_size = m->options.default_size;
  size_t i;
  if (webnn_onnx__copy_given(built, r)) {
    for (i = 0; i < g->input_count; i++) {
      g->inputs[i].given = built->given[i].shape.given ? &built->given[i] : NULL;
    }
    m->in_session = true;
    m->options.fixed = !built->dynamic;
    m->options.default_size = built->dynamic ? 0 : default_size;
    (void)webnn_onnx_build(m, r->session->context, &built->graph, r->error);
    m->options.fixed = fixed; /* alone: other options are read without the mutex */
    m->options.default_size = default_size;
    m->in_session = false;
    for (i = 0; i < g->input_count; i++) {
      g->inputs[i].given = NULL;
    }
  }
  if (!webnn_onnx__request_failed(r)) {
    webnn_onnx__note_ports(built, r);
  }
  return !webnn_onnx__request_failed(r);
}

/* A graph with the request's values; NULL: none, which the request's error says. */
static webnn_onnx__built *webnn_onnx__new_built(webnn_onnx__request *r, bool dynamic) {
  webnn_onnx__built *built = (webnn_onnx__built *)calloc(1, sizeof *built);
  memset(r->error, 0, sizeof *r->error); /* that of a try before */
  if (built == NULL) {
    (void)webnn_onnx__set_error(r->error, WEBNN_UNKNOWN_ERROR, "out of memory");
    return NULL;
  }
  built->uses = 1;
  built->dynamic = dynamic;
  if (!webnn_onnx__try_build(built, r)) {
    webnn_onnx__leave_built(built);
    return NULL;
  }
  return built;
}

static void webnn_onnx__say(const webnn_onnx_session *s, const char *format, ...)
    WEBNN_EXTRA__PRINTF(2, 3);
/* A note, if somebody wants it. */
static void webnn_onnx__say(const webnn_onnx_session *s, const char *format, ...) {
  char text[508];
  va_list arguments;
  const int begin = snprintf(text, sizeof text, "%.80s: ", s->model->name);
  if (s->options.note == NULL || begin < 0) {
    return;
  }
  va_start(arguments, format);
  (void)vsnprintf(text + begin, sizeof text - (size_t)begin, format, arguments);
  va_end(arguments);
  s->options.note(s->options.note_user, text);
}

/* After a failed build: the value of an input that it asks for and that is given becomes one of the
   graph. False: there is none. */
static bool webnn_onnx__take_value(webnn_onnx__request *r) {
  const webnn_onnx_model *m = r->session->model;
  size_t i;
  for (i = 0; i < m->wanted_count; i++) {
    const size_t at = webnn_onnx__input_index(m, m->wanted[i], 0);
    if (at < m->graph.input_count && r->feeds[at]->data != NULL && r->given[at].value == NULL) {
      r->given[at].value = r->feeds[at]->data;
      return true;
    }
  }
  return false;
}

/* The values that a graph has been built with are constants of later ones, too. */
static void webnn_onnx__note_values(webnn_onnx_session *s, const webnn_onnx__built *built) {
  size_t i;
  for (i = 0; i < s->model->graph.input_count; i++) {
    if (built->given[i].value != NULL && !s->optional[i] && !s->valued[i]) {
      s->valued[i] = true;
      s->valued_count++;
      webnn_onnx__say(s, "the graph depends on the value of input \"%s\"",
                      webnn_onnx__show(s->model->graph.inputs[i].name).text);
    }
  }
}

/* Says why a graph is built while others are there: what differs from what was used last. */
static void webnn_onnx__say_why(const webnn_onnx__request *r, const webnn_onnx__built *built) {
  const webnn_onnx_session *s = r->session;
  const webnn_onnx__specialization *last = s->cached;
  char text[400] = "";
  size_t i, used = 0;
  for (i = 0; last != NULL && i < s->model->graph.input_count && used < sizeof text; i++) {
    const webnn_onnx__given *now = &r->given[i], *before = &last->given[i];
    const void *value = built->given[i].value;
    const webnn_onnx__shown name = webnn_onnx__show(s->model->graph.inputs[i].name);
    const char *comma = used == 0 ? "" : ", ";
    if (now->shape.given != before->shape.given) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%sinput \"%s\" is %s", comma,
                               name.text, now->shape.given ? "given" : "left out");
    } else if (!webnn_extra__same_list(now->shape, before->shape)) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%sinput \"%s\" is %s, not %s",
                               comma, name.text, webnn_onnx__show_shape(now->shape).text,
                               webnn_onnx__show_shape(before->shape).text);
    } else if (value != NULL &&
               (before->value == NULL || memcmp(value, before->value, before->byte_length) != 0)) {
      used += (size_t)snprintf(text + used, sizeof text - used,
                               "%sthe value of input \"%s\" is another one", comma, name.text);
    }
  }
  if (last != NULL && used > 0) {
    webnn_onnx__say(s, "built again: %s", text);
  }
}

/* A graph for these shapes. NULL after an error. */
static webnn_onnx__built *webnn_onnx__build_fixed(webnn_onnx__request *r) {
  webnn_onnx_session *s = r->session;
  webnn_onnx__built *built;
  do {
    built = webnn_onnx__new_built(r, false);
  } while (webnn_onnx__request_failed(r) && r->error->status != WEBNN_UNKNOWN_ERROR &&
           webnn_onnx__take_value(r));
  if (!webnn_onnx__request_failed(r)) {
    webnn_onnx__note_values(s, built);
    webnn_onnx__say_why(r, built);
  }
  return built;
}

/* Has the input of the call elements? Dynamic dimensions are never 0. */
static bool webnn_onnx__has_elements(const webnn_onnx__given *given) {
  return !given->shape.given || webnn_onnx__count_of(given->shape) > 0;
}

/* Does the graph with dynamic dimensions have the call's values, and those only? */
static bool webnn_onnx__serves(const webnn_onnx__built *built, const webnn_onnx__request *r) {
  const webnn_onnx_session *s = r->session;
  size_t i;
  for (i = 0; i < s->model->graph.input_count; i++) {
    const webnn_onnx__given *own = &built->given[i], *now = &r->given[i];
    if (own->value == NULL ? s->optional[i] && now->shape.given
                           : !now->shape.given || !webnn_extra__same_list(own->shape, now->shape) ||
                                 !webnn_onnx__has_value(r, i, own)) {
      return false;
    }
  }
  return built->dynamic;
}

/* The graph with dynamic dimensions that serves the call; NULL: there is none. */
static webnn_onnx__built *webnn_onnx__find_dynamic(const webnn_onnx__request *r) {
  webnn_onnx_session *s = r->session;
  const webnn_onnx__specialization *cached = s->cached;
  if (s->dynamic != NULL && webnn_onnx__serves(s->dynamic, r)) {
    return s->dynamic;
  }
  while (cached != NULL && !webnn_onnx__serves(cached->built, r)) {
    cached = cached->next;
  }
  return cached != NULL ? cached->built : NULL;
}

/* Is a graph with dynamic dimensions to be tried? Once, and again when the values are known on
   which graphs depend, if they are those of the call before: only sizes change. */
static bool webnn_onnx__may_be_dynamic(const webnn_onnx__request *r) {
  const webnn_onnx_session *s = r->session;
  size_t i;
  if (r->fixed || !s->open || s->refused_count > s->valued_count) {
    return false;
  }
  for (i = 0; i < s->model->graph.input_count; i++) {
    const webnn_onnx__given *now = &r->given[i];
    if (!webnn_onnx__has_elements(now) ||
        (now->value != NULL && s->cached != NULL &&
         (!webnn_extra__same_list(now->shape, s->cached->given[i].shape) ||
          s->cached->given[i].value == NULL ||
          memcmp(now->value, s->cached->given[i].value, now->byte_length) != 0))) {
      return false;
    }
  }
  return true;
}

/* What an error says of the model, without the model's name. */
static const char *webnn_onnx__cause(const webnn_onnx_session *s, const webnn_error *error) {
  const size_t length = strlen(s->model->name);
  return strncmp(error->message, s->model->name, length) == 0 &&
                 strncmp(error->message + length, ": ", 2) == 0
             ? error->message + length + 2
             : error->message;
}

/* Builds a graph with dynamic dimensions. *built is NULL where the model refuses it; false: there
   is no memory. */
static bool webnn_onnx__build_dynamic(webnn_onnx__request *r, webnn_onnx__built **built) {
  webnn_onnx_session *s = r->session;
  *built = webnn_onnx__new_built(r, true);
  if (r->error->status == WEBNN_UNKNOWN_ERROR) {
    return false;
  }
  if (*built != NULL && (*built)->graph != NULL) {
    webnn_onnx__say_why(r, *built);
    webnn_onnx__leave_built(s->dynamic);
    s->dynamic = *built;
  } else {
    r->refused = *r->error;
    if (*built != NULL) {
      (void)webnn_onnx__set_error(&r->refused, WEBNN_NOT_SUPPORTED_ERROR, "all outputs are empty");
    }
    webnn_onnx__leave_built(*built);
    *built = NULL;
    s->refused_count = s->valued_count + 1;
  }
  memset(r->error, 0, sizeof *r->error);
  return true;
}

/* The shapes of the outputs of a graph with dynamic dimensions. */
static void webnn_onnx__size_outputs(webnn_onnx__specialization *cached, webnn_onnx__request *r) {
  const webnn_onnx_model *m = r->session->model;
  const webnn_onnx__built *built = cached->built;
  webnn_named_shape *in =
      (webnn_named_shape *)webnn_onnx__request_memory(r, &r->arena, built->input_count, sizeof *in);
  webnn_named_shape *out = (webnn_named_shape *)webnn_onnx__request_memory(
      r, &r->arena, m->graph.output_count, sizeof *out);
  size_t i, k = 0;
  if (webnn_onnx__request_failed(r)) {
    return;
  }
  for (i = 0; i < built->input_count; i++) {
    in[i].name = m->graph.inputs[built->inputs[i]].name;
    in[i].shape = r->given[built->inputs[i]].shape;
  }
  (void)webnn_compute_shapes(built->graph, in, built->input_count, out, m->graph.output_count,
                             r->error);
  for (i = 0; i < m->graph.output_count && !webnn_onnx__request_failed(r); i++) {
    if (!cached->outputs[i].is_empty) {
      cached->outputs[i].descriptor.shape = out[k++].shape;
    }
  }
}

/* The specialization of a graph for the shapes of the call. NULL after an error. */
static webnn_onnx__specialization *webnn_onnx__specialize(webnn_onnx__request *r,
                                                          webnn_onnx__built *built) {
  const webnn_onnx_model *m = r->session->model;
  const size_t inputs = m->graph.input_count, outputs = m->graph.output_count;
  webnn_extra__arena arena = {NULL};
  webnn_onnx__specialization *cached =
      (webnn_onnx__specialization *)webnn_onnx__request_memory(r, &arena, 1, sizeof *cached);
  webnn_onnx__given *given =
      (webnn_onnx__given *)webnn_onnx__request_memory(r, &arena, inputs, sizeof *given);
  webnn_onnx_port *ports =
      (webnn_onnx_port *)webnn_onnx__request_memory(r, &arena, outputs, sizeof *ports);
  size_t i;
  if (webnn_onnx__request_failed(r)) {
    webnn_extra__free_arena(&arena);
    return NULL;
  }
  cached->arena = arena; /* it is in its own arena */
  cached->given = given;
  cached->outputs = ports;
  for (i = 0; i < inputs; i++) {
    cached->given[i] = r->given[i];
    cached->given[i].value = built->given[i].value;
  }
  memcpy((void *)cached->outputs, built->outputs, outputs * sizeof *cached->outputs);
  cached->hash = r->hash;
  cached->built = built;
  built->uses++;
  if (built->dynamic) {
    webnn_onnx__size_outputs(cached, r);
  }
  if (webnn_onnx__request_failed(r)) {
    webnn_onnx__free_cached(cached);
    return NULL;
  }
  return cached;
}

/* The graph with dynamic dimensions has refused the sizes of the call. One that refuses the first
   two of them is left. */
static void webnn_onnx__note_refusal(webnn_onnx__request *r, webnn_onnx__built *built) {
  webnn_onnx_session *s = r->session;
  if (built == s->dynamic && built->refused && !built->served) {
    r->refused = *r->error;
    s->refused_count = s->valued_count + 1;
    s->dynamic = NULL;
    webnn_onnx__leave_built(built);
  } else {
    webnn_onnx__say(s, "a graph for these sizes: %s", r->error->message);
    built->refused = true;
  }
  memset(r->error, 0, sizeof *r->error);
}

/* The specialization of the graph with dynamic dimensions. NULL: there is none, or its rules refuse
   the sizes; after an error the request has it. */
static webnn_onnx__specialization *webnn_onnx__try_dynamic(webnn_onnx__request *r) {
  webnn_onnx__built *built = webnn_onnx__find_dynamic(r);
  webnn_onnx__specialization *cached;
  size_t i;
  for (i = 0; i < r->session->model->graph.input_count; i++) {
    if (!webnn_onnx__has_elements(&r->given[i])) {
      return NULL;
    }
  }
  if (r->fixed || (built == NULL && (!webnn_onnx__may_be_dynamic(r) ||
                                     !webnn_onnx__build_dynamic(r, &built) || built == NULL))) {
    return NULL;
  }
  cached = webnn_onnx__specialize(r, built);
  if (cached != NULL) {
    built->served = true;
  } else if (r->error->status != WEBNN_UNKNOWN_ERROR) {
    webnn_onnx__note_refusal(r, built);
  }
  return cached;
}

/* Makes what is needed for these inputs, which comes first. NULL after an error. */
static webnn_onnx__specialization *webnn_onnx__build_cached(webnn_onnx__request *r) {
  webnn_onnx_session *s = r->session;
  webnn_onnx__specialization *cached;
  webnn_onnx__built *built;
  size_t i;
  for (i = 0; i < s->model->graph.input_count; i++) {
    if (s->valued[i] && webnn_onnx__is_fed(r, i)) {
      r->given[i].value = r->feeds[i]->data;
    }
  }
  cached = webnn_onnx__try_dynamic(r);
  if (cached == NULL && !webnn_onnx__request_failed(r)) {
    built = webnn_onnx__build_fixed(r);
    cached = webnn_onnx__request_failed(r) ? NULL : webnn_onnx__specialize(r, built);
    webnn_onnx__leave_built(built);
  }
  if (webnn_onnx__request_failed(r)) {
    return NULL;
  }
  if (r->refused.status != WEBNN_OK && s->refused_count > s->valued_count) {
    webnn_onnx__say(s, "a graph for each set of sizes: %s", webnn_onnx__cause(s, &r->refused));
  }
  cached->next = s->cached;
  s->cached = cached;
  s->cached_count++;
  return cached;
}

/* The specialization for these inputs, with one user more. NULL after an error. */
static webnn_onnx__specialization *webnn_onnx__use_cached(webnn_onnx__request *r, bool borrow) {
  webnn_onnx_session *s = r->session;
  webnn_onnx__specialization *cached;
  webnn_onnx__lock(&s->mutex);
  cached = webnn_onnx__find_cached(r);
  if (cached == NULL) {
    cached = webnn_onnx__build_cached(r);
  }
  if (cached != NULL) {
    cached->users++;
    cached->borrowed += borrow && cached->built->graph != NULL;
    webnn_onnx__make_room(s);
  }
  webnn_onnx__unlock(&s->mutex);
  return cached;
}

static void webnn_onnx__leave_cached(webnn_onnx_session *s, webnn_onnx__specialization *cached) {
  webnn_onnx__lock(&s->mutex);
  cached->users--;
  webnn_onnx__make_room(s);
  webnn_onnx__unlock(&s->mutex);
}

/* ---- 20.3 running. */

/* The inputs of the graph, in the memory of the caller. */
static bool webnn_onnx__bind_inputs(webnn_onnx__request *r, const webnn_onnx__built *built,
                                    webnn_named_input *inputs) {
  size_t i;
  for (i = 0; i < built->input_count; i++) {
    const size_t at = built->inputs[i];
    inputs[i].name = r->session->model->graph.inputs[at].name;
    inputs[i].data = r->feeds[at]->data;
    inputs[i].byte_length = r->feeds[at]->byte_length;
    if (inputs[i].data == NULL) {
      return webnn_onnx__refuse(r, "input \"%s\" has no data",
                                webnn_onnx__show(inputs[i].name).text);
    }
  }
  return true;
}

/* The output of the model of that name; as many as there are: none. */
static size_t webnn_onnx__output_index(const webnn_onnx_model *m, const char *name) {
  size_t i = 0;
  while (i < m->graph.output_count &&
         (name == NULL || strcmp(m->graph.outputs[i].name, name) != 0)) {
    i++;
  }
  return i;
}

/* The outputs that the graph has: those without elements have no bytes. Returns their count. */
static size_t webnn_onnx__bind_outputs(const webnn_onnx__request *r,
                                       const webnn_onnx__specialization *cached,
                                       const webnn_named_output *outputs, size_t output_count,
                                       webnn_named_output *bound) {
  const webnn_onnx_model *m = r->session->model;
  size_t i, count = 0;
  for (i = 0; i < output_count; i++) {
    const size_t at = webnn_onnx__output_index(m, outputs[i].name);
    if (at == m->graph.output_count || !cached->outputs[at].is_empty ||
        outputs[i].byte_length != 0) {
      bound[count++] = outputs[i];
    }
  }
  return count;
}

/* A run of a graph with dynamic dimensions: what webnn_compute does for one without them, by
   tensors, which have the shapes. */
typedef struct webnn_onnx__dispatch {
  webnn_onnx__request *request;
  const webnn_onnx__specialization *cached;
  const webnn_named_input *inputs;
  const webnn_named_output *outputs;
  size_t input_count, output_count;
  webnn_named_tensor *tensors; /* inputs come first */
} webnn_onnx__dispatch;

static bool webnn_onnx__refuse_run(webnn_onnx__dispatch *d, const char *format, ...)
    WEBNN_EXTRA__PRINTF(2, 3);
/* An argument of a run is wrong. Always false. */
static bool webnn_onnx__refuse_run(webnn_onnx__dispatch *d, const char *format, ...) {
  char why[400];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  (void)webnn_onnx__set_error(d->request->error, WEBNN_TYPE_ERROR, why);
  return false;
}

/* Is output i one of the model, given once, with the bytes of its shape? */
static bool webnn_onnx__check_output(webnn_onnx__dispatch *d, size_t i, size_t at) {
  const webnn_onnx_model *m = d->request->session->model;
  const webnn_named_output *output = &d->outputs[i];
  const webnn_onnx__shown name = webnn_onnx__show(output->name);
  uint64_t bytes;
  size_t k;
  if (at == m->graph.output_count || d->cached->outputs[at].is_empty) {
    return webnn_onnx__refuse_run(d, "compute: the graph has no output \"%s\"", name.text);
  }
  for (k = 0; k < i; k++) {
    if (strcmp(d->outputs[k].name, output->name) == 0) {
      return webnn_onnx__refuse_run(d, "compute: output \"%s\" is given twice", name.text);
    }
  }
  if (output->data == NULL) {
    return webnn_onnx__refuse_run(d, "compute: output \"%s\": the data buffer is NULL", name.text);
  }
  bytes = webnn_byte_length(d->cached->outputs[at].descriptor);
  return output->byte_length == bytes ||
         webnn_onnx__refuse_run(
             d, "compute: output \"%s\": the data has %llu bytes, there must be %llu", name.text,
             (unsigned long long)output->byte_length, (unsigned long long)bytes);
}

/* Are all outputs of the graph given? */
static bool webnn_onnx__check_outputs(webnn_onnx__dispatch *d) {
  const webnn_onnx_model *m = d->request->session->model;
  size_t i, k;
  for (i = 0; i < m->graph.output_count; i++) {
    const char *name = m->graph.outputs[i].name;
    for (k = 0; k < d->output_count && strcmp(d->outputs[k].name, name) != 0; k++) {
    }
    if (k == d->output_count && !d->cached->outputs[i].is_empty) {
      return webnn_onnx__refuse_run(d, "compute: output \"%s\" is not given",
                                    webnn_onnx__show(name).text);
    }
  }
  return true;
}

/* Does the memory of output i overlap that of no input and of no output before it? */
static bool webnn_onnx__check_overlap(webnn_onnx__dispatch *d, size_t i) {
  const webnn_named_output *output = &d->outputs[i];
  const uintptr_t begin = (uintptr_t)output->data, end = begin + output->byte_length;
  size_t k;
  for (k = 0; k < d->input_count + i; k++) {
    const bool input = k < d->input_count;
    const char *name = input ? d->inputs[k].name : d->outputs[k - d->input_count].name;
    const uintptr_t other =
        (uintptr_t)(input ? d->inputs[k].data : d->outputs[k - d->input_count].data);
    const size_t bytes =
        input ? d->inputs[k].byte_length : d->outputs[k - d->input_count].byte_length;
    if (begin < other + bytes && other < end) {
      return webnn_onnx__refuse_run(d,
                                    "compute: the memory of %s \"%s\" and output \"%s\" overlaps",
                                    input ? "input" : "output", webnn_onnx__show(name).text,
                                    webnn_onnx__show(output->name).text);
    }
  }
  return true;
}

/* A tensor over the caller's memory. The device only reads that of an input. */
static bool webnn_onnx__bind_tensor(webnn_onnx__dispatch *d, size_t i, const char *name,
                                    webnn_operand_descriptor of, const void *data,
                                    size_t byte_length) {
  webnn_tensor_descriptor descriptor = WEBNN_ZERO;
  descriptor.data_type = of.data_type;
  descriptor.shape = of.shape;
  d->tensors[i].name = name;
  return webnn_create_tensor_over_memory(d->request->session->context, descriptor,
                                         (void *)(uintptr_t)data, byte_length,
                                         &d->tensors[i].tensor, d->request->error) == WEBNN_OK;
}

static bool webnn_onnx__bind_tensors(webnn_onnx__dispatch *d) {
  const webnn_onnx_model *m = d->request->session->model;
  const webnn_onnx__built *built = d->cached->built;
  size_t i;
  for (i = 0; i < d->output_count; i++) {
    const size_t at = webnn_onnx__output_index(m, d->outputs[i].name);
    if (!webnn_onnx__check_output(d, i, at) || !webnn_onnx__check_overlap(d, i) ||
        !webnn_onnx__bind_tensor(d, d->input_count + i, m->graph.outputs[at].name,
                                 d->cached->outputs[at].descriptor, d->outputs[i].data,
                                 d->outputs[i].byte_length)) {
      return false;
    }
  }
  for (i = 0; i < d->input_count; i++) {
    webnn_operand_descriptor of = WEBNN_ZERO;
    of.data_type = webnn_onnx_graph_type(m->graph.inputs[built->inputs[i]].type);
    of.shape = d->request->given[built->inputs[i]].shape;
    if (!webnn_onnx__bind_tensor(d, i, d->inputs[i].name, of, d->inputs[i].data,
                                 d->inputs[i].byte_length)) {
      return false;
    }
  }
  return webnn_onnx__check_outputs(d);
}

static void webnn_onnx__run_dynamic(webnn_onnx__dispatch *d) {
  webnn_context *context = d->request->session->context;
  webnn_error *error = d->request->error;
  const size_t count = d->input_count + d->output_count;
  size_t i;
  d->tensors = (webnn_named_tensor *)webnn_onnx__request_memory(d->request, &d->request->arena,
                                                                count, sizeof *d->tensors);
  if (webnn_onnx__request_failed(d->request)) {
    return;
  }
  if (webnn_onnx__bind_tensors(d) &&
      webnn_dispatch(context, d->cached->built->graph, d->tensors, d->input_count,
                     d->tensors + d->input_count, d->output_count, error) == WEBNN_OK) {
    (void)webnn_wait(context, error);
  }
  for (i = 0; i < count; i++) {
    webnn_free_tensor(d->tensors[i].tensor);
  }
}

/* Runs the graph over inputs and outputs, of which it has all, or says what is wrong with them. */
static void webnn_onnx__run_bound(webnn_onnx__dispatch *d) {
  const webnn_onnx__built *built = d->cached->built;
  webnn_onnx__request *r = d->request;
  if (built->graph == NULL && d->output_count != 0) {
    (void)webnn_onnx__refuse(r, "all outputs are empty; \"%s\" has bytes or is no output",
                             webnn_onnx__show(d->outputs[0].name).text);
  } else if (built->graph == NULL) {
    return;
  } else if (built->dynamic) {
    webnn_onnx__run_dynamic(d);
  } else {
    (void)webnn_compute(r->session->context, built->graph, d->inputs, d->input_count, d->outputs,
                        d->output_count, r->error);
  }
}

static void webnn_onnx__run_cached(webnn_onnx__request *r, const webnn_onnx__specialization *cached,
                                   const webnn_named_output *outputs, size_t output_count) {
  const size_t input_count = cached->built->input_count;
  webnn_named_input *in =
      (webnn_named_input *)webnn_onnx__request_memory(r, &r->arena, input_count, sizeof *in);
  webnn_named_output *out =
      (webnn_named_output *)webnn_onnx__request_memory(r, &r->arena, output_count, sizeof *out);
  webnn_onnx__dispatch d;
  memset(&d, 0, sizeof d);
  d.request = r;
  d.cached = cached;
  d.inputs = in;
  d.outputs = out;
  d.input_count = input_count;
  if (outputs == NULL && output_count > 0) {
    (void)webnn_onnx__set_error(r->error, WEBNN_TYPE_ERROR, "the list of outputs is NULL");
  }
  if (!webnn_onnx__request_failed(r) && webnn_onnx__bind_inputs(r, cached->built, in)) {
    d.output_count = webnn_onnx__bind_outputs(r, cached, outputs, output_count, out);
    webnn_onnx__run_bound(&d);
  }
}

/* ---- 20.4 the public functions. */

/* What each dimension of an input must be. */
static void webnn_onnx__set_rules(webnn_onnx_session *s, size_t i) {
  const webnn_onnx__info *inputs = s->model->graph.inputs, *info = &inputs[i];
  webnn_onnx__rule *rules = &s->rules[i * WEBNN_MAX_RANK];
  uint32_t d, e;
  size_t k;
  for (d = 0; d < info->rank; d++) {
    bool found = false;
    rules[d].size = webnn_onnx__dimension(s->model, info, d);
    for (k = 0; k <= i && !found && rules[d].size < 0; k++) {
      for (e = 0; e < inputs[k].rank && !found && !s->optional[k]; e++) {
        found = inputs[k].names[e] != NULL && strcmp(inputs[k].names[e], info->names[d]) == 0;
        rules[d].input = k;
        rules[d].dimension = e;
      }
    }
    if (!found) {
      rules[d].input = i;
      rules[d].dimension = d;
    }
  }
}

/* Is the size of a dimension of input i not known before it comes? */
static bool webnn_onnx__has_unknown_size(const webnn_onnx_session *s, size_t i) {
  uint32_t d;
  for (d = 0; d < s->model->graph.inputs[i].rank; d++) {
    if (s->rules[i * WEBNN_MAX_RANK + d].size < 0) {
      return true;
    }
  }
  return false;
}

WEBNN_ONNX_API webnn_status webnn_onnx_create_session(webnn_onnx_model *model,
                                                      webnn_context *context,
                                                      const webnn_onnx_session_options *options,
                                                      webnn_onnx_session **session,
                                                      webnn_error *error) {
  webnn_onnx_session *s;
  uint32_t default_size;
  size_t i, count;
  *session = NULL;
  if (model == NULL || context == NULL) {
    return webnn_onnx__no_handle(error, "webnn_onnx_create_session: no model or no context");
  }
  s = (webnn_onnx_session *)calloc(1, sizeof *s);
  if (s == NULL || !webnn_onnx__create_mutex(&s->mutex)) {
    free(s);
    return webnn_onnx__set_error(error, WEBNN_UNKNOWN_ERROR, "out of memory");
  }
  count = model->graph.input_count;
  s->model = model;
  s->context = context;
  s->rules = (webnn_onnx__rule *)webnn_extra__take(&s->arena, count * WEBNN_MAX_RANK + 1,
                                                   sizeof *s->rules);
  s->optional = (bool *)webnn_extra__take(&s->arena, count + 1, sizeof *s->optional);
  s->valued = (bool *)webnn_extra__take(&s->arena, count + 1, sizeof *s->valued);
  if (options != NULL) {
    s->options = *options;
  }
  if (s->options.graph_count == 0) {
    s->options.graph_count = WEBNN_ONNX__CACHED_GRAPHS;
  }
  if (s->rules == NULL || s->optional == NULL || s->valued == NULL) {
    webnn_onnx_free_session(s);
    return webnn_onnx__set_error(error, WEBNN_UNKNOWN_ERROR, "out of memory");
  }
  default_size = model->options.default_size;
  model->options.default_size = 0;
  for (i = 0; i < count; i++) {
    s->optional[i] = webnn_onnx__may_be_left_out(model, model->graph.inputs[i].name);
    webnn_onnx__set_rules(s, i);
    s->open = s->open || (!s->optional[i] && webnn_onnx__has_unknown_size(s, i));
  }
  model->options.default_size = default_size;
  *session = s;
  return WEBNN_OK;
}

WEBNN_ONNX_API void webnn_onnx_free_session(webnn_onnx_session *session) {
  if (session == NULL) {
    return;
  }
  while (session->cached != NULL) {
    webnn_onnx__specialization *cached = session->cached;
    session->cached = cached->next;
    webnn_onnx__free_cached(cached);
  }
  webnn_onnx__leave_built(session->dynamic);
  webnn_onnx__destroy_mutex(&session->mutex);
  webnn_extra__free_arena(&session->arena);
  free(session);
}

WEBNN_ONNX_API webnn_status webnn_onnx_run(webnn_onnx_session *session,
                                           const webnn_onnx_feed *feeds, size_t feed_count,
                                           const webnn_named_output *outputs, size_t output_count,
                                           webnn_error *error) {
  webnn_onnx__request r;
  webnn_onnx__specialization *cached = NULL;
  webnn_error own = WEBNN_ZERO;
  if (session == NULL) {
    return webnn_onnx__no_handle(error, "webnn_onnx_run: no session");
  }
  if (webnn_onnx__begin_request(&r, session, feeds, feed_count, &own)) {
    webnn_onnx__require_data(&r);
    cached = webnn_onnx__use_cached(&r, false);
  }
  if (!webnn_onnx__request_failed(&r)) {
    webnn_onnx__run_cached(&r, cached, outputs, output_count);
    webnn_onnx__leave_cached(session, cached);
  }
  return webnn_onnx__end_request(&r, error);
}

WEBNN_ONNX_API webnn_status webnn_onnx_compute_shapes(webnn_onnx_session *session,
                                                      const webnn_onnx_feed *feeds,
                                                      size_t feed_count, webnn_onnx_port *outputs,
                                                      webnn_error *error) {
  webnn_onnx__request r;
  webnn_onnx__specialization *cached = NULL;
  webnn_error own = WEBNN_ZERO;
  if (session == NULL) {
    return webnn_onnx__no_handle(error, "webnn_onnx_compute_shapes: no session");
  }
  if (webnn_onnx__begin_request(&r, session, feeds, feed_count, &own)) {
    cached = webnn_onnx__use_cached(&r, false);
  }
  if (!webnn_onnx__request_failed(&r)) {
    memcpy(outputs, cached->outputs, session->model->graph.output_count * sizeof *outputs);
    webnn_onnx__leave_cached(session, cached);
  }
  return webnn_onnx__end_request(&r, error);
}

WEBNN_ONNX_API webnn_status webnn_onnx_borrow_graph(webnn_onnx_session *session,
                                                    const webnn_onnx_feed *feeds, size_t feed_count,
                                                    webnn_graph **graph, webnn_error *error) {
  webnn_onnx__request r;
  webnn_onnx__specialization *cached = NULL;
  webnn_error own = WEBNN_ZERO;
  *graph = NULL;
  if (session == NULL) {
    return webnn_onnx__no_handle(error, "webnn_onnx_borrow_graph: no session");
  }
  if (webnn_onnx__begin_request(&r, session, feeds, feed_count, &own)) {
    cached = webnn_onnx__use_cached(&r, true);
  }
  if (!webnn_onnx__request_failed(&r)) {
    *graph = cached->built->graph;
    if (*graph == NULL) {
      webnn_onnx__leave_cached(session, cached);
    }
  }
  return webnn_onnx__end_request(&r, error);
}

WEBNN_ONNX_API void webnn_onnx_return_graph(webnn_onnx_session *session, webnn_graph *graph) {
  webnn_onnx__specialization *cached;
  if (session == NULL || graph == NULL) {
    return;
  }
  webnn_onnx__lock(&session->mutex);
  cached = session->cached;
  while (cached != NULL && (cached->built->graph != graph || cached->borrowed == 0)) {
    cached = cached->next;
  }
  if (cached != NULL) { /* of several for one graph any one of those that were borrowed */
    cached->borrowed--;
    cached->users--;
    webnn_onnx__make_room(session);
  }
  webnn_onnx__unlock(&session->mutex);
}

#endif /* WEBNN_ONNX_IMPLEMENTATION */
