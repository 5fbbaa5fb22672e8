/* webnn_stablehlo.h - StableHLO's text on webnn.h - MIT No Attribution (at the end of webnn.h)
   SPDX-License-Identifier: MIT-0

   Reads a module in StableHLO's text (MLIR), as JAX and other frontends write it, into computations
   of webnn_xla.h, which run as WebNN graphs; that header and webnn_extra.h lie beside this one:

       #define WEBNN_IMPLEMENTATION
       #include "webnn.h"
       #define WEBNN_XLA_IMPLEMENTATION
       #include "webnn_xla.h"
       #define WEBNN_STABLEHLO_IMPLEMENTATION
       #include "webnn_stablehlo.h"

       webnn_stablehlo *m = webnn_stablehlo_read(text, length, "model.mlir", &error);
       const webnn_xla_computation *c = webnn_stablehlo_function(m, NULL, &error);
       webnn_xla_compile(context, c, NULL, &program, &error);
       webnn_stablehlo_free(m);
       webnn_xla_run(program, inputs, 1, outputs, 1, &error);

   Both the pretty syntax of operations and the generic one ("stablehlo.add"(%0, %1) : (...) -> ...)
   are read; names of the dialect mhlo mean StableHLO's operation of the same name. One table,
   webnn_stablehlo__rows below, lists the operations and their syntax.

   Types: i1, i4, i8, i16, i32, i64 and their unsigned variants, f16, bf16, f32, and !quant.uniform
   over these. f64, complex numbers, 8-bit floats, indices and arrays without elements are refused
   by name and place; a constant of f64 or index that only gives a shape is read. Dimensions of
   unknown size ("?") get one from the shapes of the arguments, by webnn_stablehlo_function_for.

   A quantized value is stored as the integers of its type. Operations that only move elements move
   these integers, if the quantization does not change; all others are computed in the expressed
   type: the operands are dequantized and the result is quantized.

   Tokens are empty tuples. Collective operations are those of one replica, except all_reduce with
   an addition, which is CrossReplicaSum. Operations that take a shape as an operand are covered if
   the shape is computed from constants and from sizes of values.

   Errors look like "model.mlir:7:12: what is wrong"; line and column are counted from 1, columns in
   bytes. One thread at a time may use a module. */
#ifndef WEBNN_STABLEHLO_H
#define WEBNN_STABLEHLO_H

#include "webnn.h"
#include "webnn_xla.h"

#ifndef WEBNN_STABLEHLO_API
#ifdef WEBNN_STABLEHLO_STATIC
#if defined(__GNUC__) || defined(__clang__)
#define WEBNN_STABLEHLO_API static __attribute__((unused))
#else
#define WEBNN_STABLEHLO_API static
#endif
#else
#define WEBNN_STABLEHLO_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ==============================================================================================
   Modules
   ============================================================================================== */

typedef struct webnn_stablehlo webnn_stablehlo; /* a module as it was read */

/* Reads a whole module, or functions without a module around them. The text is copied. `file_name`,
   which may be NULL, is for messages. NULL on failure: WEBNN_TYPE_ERROR for a mistake in the text,
   WEBNN_NOT_SUPPORTED_ERROR for syntax that is not read, WEBNN_UNKNOWN_ERROR without memory. An
   operation that is not covered is not an error here; webnn_stablehlo_function reports it. */
WEBNN_STABLEHLO_API webnn_stablehlo *
webnn_stablehlo_read(const char *text, size_t length, const char *file_name, webnn_error *error);
/* Frees the module and its computations, but no compiled programs. NULL: nothing. */
WEBNN_STABLEHLO_API void webnn_stablehlo_free(webnn_stablehlo *module);

/* The function of this name as a computation, with the functions that it calls, or NULL and the
   first error. The name NULL means "main", or the only public function if there is no "main". A
   function is built once; the computation lives as long as the module. A quantized argument or
   result has the shape of its stored integers; a token is an empty tuple. */
WEBNN_STABLEHLO_API const webnn_xla_computation *
webnn_stablehlo_function(webnn_stablehlo *module, const char *name, webnn_error *error);

/* The same for arguments of these shapes, where the text leaves sizes of the arguments' types open
   ("?"). `shapes` has one shape for each argument, or none at all; for an absent shape the text's
   applies. The sizes of all other values follow from these. Each call makes a new computation,
   which lives as long as the module and which webnn_stablehlo_function returns from then on;
   functions without open sizes are built once. Errors: TypeError (another number of shapes, a rank
   or a size that is not the text's), and as above. */
WEBNN_STABLEHLO_API const webnn_xla_computation *
webnn_stablehlo_function_for(webnn_stablehlo *module, const char *name, const webnn_list *shapes,
                             size_t shape_count, webnn_error *error);

/* The functions in the order of the text, 0 <= index < count. For any other index the result is
   NULL, false or 0. Strings live as long as the module. */
WEBNN_STABLEHLO_API size_t webnn_stablehlo_function_count(const webnn_stablehlo *module);
WEBNN_STABLEHLO_API const char *webnn_stablehlo_function_name(const webnn_stablehlo *module,
                                                              size_t index);
WEBNN_STABLEHLO_API bool webnn_stablehlo_function_is_public(const webnn_stablehlo *module,
                                                            size_t index);
/* An argument or a result of a function. */
typedef struct webnn_stablehlo_value_info {
  const char *name; /* of an argument the name in its location, or "arg0", ...; of a result
                       jax.result_info, or "" */
  const char *type; /* as "tensor<2x3xf32>" */
  /* Of a tensor of a type that webnn_xla.h has; sizes that the text leaves open are 0. Otherwise
     the element type is 0. */
  webnn_xla_shape shape;
} webnn_stablehlo_value_info;
/* As webnn_graph_inputs: return their number and copy the first `capacity` of them. */
WEBNN_STABLEHLO_API size_t webnn_stablehlo_arguments(const webnn_stablehlo *module, size_t index,
                                                     webnn_stablehlo_value_info *values,
                                                     size_t capacity);
WEBNN_STABLEHLO_API size_t webnn_stablehlo_results(const webnn_stablehlo *module, size_t index,
                                                   webnn_stablehlo_value_info *values,
                                                   size_t capacity);

/* ==============================================================================================
   What is covered
   ============================================================================================== */

/* A reason why a module cannot be expressed. */
typedef struct webnn_stablehlo_problem {
  const char *operation; /* "stablehlo.fft", "func.func" */
  const char *place;     /* "model.mlir:7:12" */
  const char *reason;
  webnn_status status; /* WEBNN_NOT_SUPPORTED_ERROR, or WEBNN_TYPE_ERROR for a wrong program */
} webnn_stablehlo_problem;
typedef void (*webnn_stablehlo_problem_callback)(void *user,
                                                 const webnn_stablehlo_problem *problem);
/* Calls `callback`, which may be NULL, for everything in all functions that is not covered, in the
   order of the text within a function; operations that depend on a reported one are left out.
   Returns the number of problems. The strings live during the call. */
WEBNN_STABLEHLO_API size_t webnn_stablehlo_problems(webnn_stablehlo *module,
                                                    webnn_stablehlo_problem_callback callback,
                                                    void *user);

typedef struct webnn_stablehlo_operation_count {
  const char *name;
  size_t count;
} webnn_stablehlo_operation_count;
/* The operations of a module, sorted by name, without func.func; otherwise as
   webnn_graph_inputs. */
WEBNN_STABLEHLO_API size_t webnn_stablehlo_operations(const webnn_stablehlo *module,
                                                      webnn_stablehlo_operation_count *counts,
                                                      size_t capacity);
/* The table of operations: the name of entry `index`, NULL after the last one. *reason, if given,
   becomes NULL for an operation that is covered, and for any other the reason why it is not. Any
   thread. */
WEBNN_STABLEHLO_API const char *webnn_stablehlo_operation(size_t index, const char **reason);

/* ==============================================================================================
   Assertions

   Test programs contain them: check.expect_eq, check.expect_eq_const (equal; NaN equals NaN, and 0
   equals -0), check.expect_close, check.expect_close_const (floats within max_ulp_difference units
   in the last place, default 3, and not closer than min_ulp_difference), check.expect_almost_eq,
   check.expect_almost_eq_const (within `tolerance`, default 1e-4), and check.eq (within a step of
   the quantization that the values went through, equal if there is none; its result is true or
   false). They may be operations or custom calls.
   ============================================================================================== */

typedef struct webnn_stablehlo_checks {
  size_t passed, failed; /* assertions that were run */
  /* About the first that failed: "model.mlir:7:5: check.expect_eq: element [0, 1] of 6 is 2,
     expected 3 (2 elements differ)". */
  char message[256];
  void (*report)(void *user, const char *message); /* called for each that failed, unless NULL */
  void *user;
} webnn_stablehlo_checks;
/* The functions for webnn_xla_program_options that count in `checks`, which begins as all zero and
   must stay while a program runs; otherwise as webnn_graph_inputs. A failed assertion does not end
   the run. */
WEBNN_STABLEHLO_API size_t webnn_stablehlo_check_functions(webnn_stablehlo_checks *checks,
                                                           webnn_xla_named_function *functions,
                                                           size_t capacity);

#ifdef __cplusplus
}
#endif
#endif /* WEBNN_STABLEHLO_H */

#if defined(WEBNN_STABLEHLO_IMPLEMENTATION) && !defined(WEBNN_STABLEHLO__IMPLEMENTED)
#define WEBNN_STABLEHLO__IMPLEMENTED

#include "webnn_extra.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==============================================================================================
   Memory and names
   ============================================================================================== */

/* Types, attributes, regions and calls nest at most so deep. */
#define WEBNN_STABLEHLO__MAX_DEPTH 64
/* Types with more dimensions are not even read. */
#define WEBNN_STABLEHLO__MAX_RANK 32
#define WEBNN_STABLEHLO__DYNAMIC UINT64_MAX
#define WEBNN_STABLEHLO__PLACE_SIZE 256

/* A table of names. The newest of equal names is found, and the newest can be taken out, so that
   the names of a region end with it. */
typedef struct webnn_stablehlo__entry {
  const char *name;
  size_t length;
  uint32_t hash;
  void *item;
  struct webnn_stablehlo__entry *next, *older;
} webnn_stablehlo__entry;
typedef struct webnn_stablehlo__map {
  webnn_stablehlo__entry **buckets;
  size_t bucket_count, count;
  webnn_stablehlo__entry *newest;
} webnn_stablehlo__map;

struct webnn_stablehlo {
  webnn_extra__arena arena;
  bool no_memory;
  char *text;
  size_t length;
  const char *file;
  size_t *lines; /* the offset of each line */
  size_t line_count;
  struct webnn_stablehlo__function *first_function, *last_function;
  size_t function_count;
  webnn_stablehlo__map functions, rows, attribute_aliases, type_aliases, resources;
  webnn_xla_module *xla;
  struct webnn_stablehlo__operation *all_operations; /* the newest first */
  size_t frames;                                     /* computations begun */
};

/* Memory, all zero, that lives as long as the module; NULL without memory. */
static void *webnn_stablehlo__allocate(webnn_stablehlo *m, size_t count, size_t size) {
  void *memory = webnn_extra__take(&m->arena, count, size);
  m->no_memory = m->no_memory || !memory;
  return memory;
}

#define WEBNN_STABLEHLO__NEW(m, type, count)                                                       \
  ((type *)webnn_stablehlo__allocate((m), (count), sizeof(type)))

static char *webnn_stablehlo__copy(webnn_stablehlo *m, const char *text, size_t length) {
  char *copy = WEBNN_STABLEHLO__NEW(m, char, length + 1);
  if (copy && length)
    memcpy(copy, text, length);
  return copy;
}

/* A list of pointers that grows. */
typedef struct webnn_stablehlo__list {
  void **items;
  size_t count, capacity;
} webnn_stablehlo__list;

static bool webnn_stablehlo__push(webnn_stablehlo *m, webnn_stablehlo__list *list, void *item) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity ? 2 * list->capacity : 4;
    void **items = WEBNN_STABLEHLO__NEW(m, void *, capacity);
    if (!items)
      return false;
    if (list->count)
      memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = item;
  return true;
}

static uint32_t webnn_stablehlo__hash(const char *name, size_t length) {
  uint32_t hash = 2166136261u;
  size_t i;
  for (i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  return hash;
}

static webnn_stablehlo__entry *webnn_stablehlo__find_entry(const webnn_stablehlo__map *map,
                                                           const char *name, size_t length) {
  const uint32_t hash = webnn_stablehlo__hash(name, length);
  webnn_stablehlo__entry *e = map->bucket_count ? map->buckets[hash % map->bucket_count] : NULL;
  while (e && (e->hash != hash || e->length != length || memcmp(e->name, name, length) != 0))
    e = e->next;
  return e;
}

static void *webnn_stablehlo__find(const webnn_stablehlo__map *map, const char *name,
                                   size_t length) {
  const webnn_stablehlo__entry *e = webnn_stablehlo__find_entry(map, name, length);
  return e ? e->item : NULL;
}

/* More buckets; in each the newest entry stays the first. */
static bool webnn_stablehlo__grow_map(webnn_stablehlo *m, webnn_stablehlo__map *map) {
  const size_t count = map->bucket_count ? 4 * map->bucket_count : 64;
  webnn_stablehlo__entry **buckets = WEBNN_STABLEHLO__NEW(m, webnn_stablehlo__entry *, count);
  webnn_stablehlo__entry *e;
  if (!buckets)
    return false;
  for (e = map->newest; e; e = e->older) {
    webnn_stablehlo__entry **end = &buckets[e->hash % count];
    while (*end)
      end = &(*end)->next;
    *end = e;
    e->next = NULL;
  }
  map->buckets = buckets;
  map->bucket_count = count;
  return true;
}

static bool webnn_stablehlo__insert(webnn_stablehlo *m, webnn_stablehlo__map *map, const char *name,
                                    size_t length, void *item) {
  webnn_stablehlo__entry *e = WEBNN_STABLEHLO__NEW(m, webnn_stablehlo__entry, 1);
  if (!e || (map->count >= map->bucket_count && !webnn_stablehlo__grow_map(m, map)))
    return false;
  e->name = name;
  e->length = length;
  e->hash = webnn_stablehlo__hash(name, length);
  e->item = item;
  e->next = map->buckets[e->hash % map->bucket_count];
  e->older = map->newest;
  map->buckets[e->hash % map->bucket_count] = e;
  map->newest = e;
  map->count++;
  return true;
}

/* Takes out all that is newer than `last`. */
static void webnn_stablehlo__forget(webnn_stablehlo__map *map, const webnn_stablehlo__entry *last) {
  while (map->newest && map->newest != last) {
    webnn_stablehlo__entry *e = map->newest;
    map->buckets[e->hash % map->bucket_count] = e->next;
    map->newest = e->older;
    map->count--;
  }
}

/* "file:line:column" of an offset. */
static void webnn_stablehlo__place(const webnn_stablehlo *m, size_t offset,
                                   char place[WEBNN_STABLEHLO__PLACE_SIZE]) {
  size_t low = 0, high = m->line_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (m->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  snprintf(place, WEBNN_STABLEHLO__PLACE_SIZE, "%.200s:%zu:%zu", m->file, low + 1,
           offset - m->lines[low] + 1);
}

/* ==============================================================================================
   Types
   ============================================================================================== */

typedef enum webnn_stablehlo__type_kind {
  WEBNN_STABLEHLO__TENSOR,
  WEBNN_STABLEHLO__NUMBER, /* i64, f32, ... alone, of an attribute */
  WEBNN_STABLEHLO__TUPLE,
  WEBNN_STABLEHLO__TOKEN,
  WEBNN_STABLEHLO__FUNCTION_TYPE,
  WEBNN_STABLEHLO__OTHER
} webnn_stablehlo__type_kind;

typedef struct webnn_stablehlo__type {
  webnn_stablehlo__type_kind kind;
  /* The element's type: s and u (integers), f, b (bfloat16), x (index), or ? for another one. Its
     name is as the text has it. */
  char number;
  uint32_t bits;
  const char *name;
  const webnn_xla_quantization *quantization;
  uint64_t *dimensions;
  int64_t *bounds; /* of sizes that are left open, -1 where there is none; NULL: of none */
  size_t rank;
  webnn_stablehlo__list elements, results; /* of a tuple; of a function */
} webnn_stablehlo__type;

/* The type of elements in memory; 0 if there is none. */
static webnn_xla_type webnn_stablehlo__element_type(const webnn_stablehlo__type *t) {
  static const struct {
    char number;
    uint32_t bits;
    webnn_xla_type type;
  } types[] = {{'s', 1, WEBNN_XLA_PRED},  {'s', 4, WEBNN_XLA_S4},   {'s', 8, WEBNN_XLA_S8},
               {'s', 16, WEBNN_XLA_S16},  {'s', 32, WEBNN_XLA_S32}, {'s', 64, WEBNN_XLA_S64},
               {'u', 4, WEBNN_XLA_U4},    {'u', 8, WEBNN_XLA_U8},   {'u', 16, WEBNN_XLA_U16},
               {'u', 32, WEBNN_XLA_U32},  {'u', 64, WEBNN_XLA_U64}, {'f', 16, WEBNN_XLA_F16},
               {'b', 16, WEBNN_XLA_BF16}, {'f', 32, WEBNN_XLA_F32}};
  size_t i;
  if (t->quantization)
    return t->quantization->storage_type;
  for (i = 0; i < sizeof types / sizeof types[0]; i++)
    if (types[i].number == t->number && types[i].bits == t->bits)
      return types[i].type;
  return (webnn_xla_type)0;
}

static bool webnn_stablehlo__same_quantization(const webnn_xla_quantization *a,
                                               const webnn_xla_quantization *b) {
  size_t i;
  if (a == b)
    return true;
  if (!a || !b || a->storage_type != b->storage_type || a->expressed_type != b->expressed_type ||
      a->storage_min != b->storage_min || a->storage_max != b->storage_max ||
      a->count != b->count || a->axis != b->axis)
    return false;
  for (i = 0; i < a->count; i++)
    if (memcmp(&a->scales[i], &b->scales[i], sizeof(float)) != 0 ||
        a->zero_points[i] != b->zero_points[i])
      return false;
  return true;
}

static bool webnn_stablehlo__same_types(const webnn_stablehlo__list *a,
                                        const webnn_stablehlo__list *b);

static bool webnn_stablehlo__same_type(const webnn_stablehlo__type *a,
                                       const webnn_stablehlo__type *b) {
  if (a == b)
    return true;
  if (!a || !b || a->kind != b->kind || a->number != b->number || a->bits != b->bits ||
      a->rank != b->rank)
    return false;
  if (a->rank && memcmp(a->dimensions, b->dimensions, a->rank * sizeof *a->dimensions) != 0)
    return false;
  if (!webnn_stablehlo__same_quantization(a->quantization, b->quantization))
    return false;
  if (a->number == '?' && strcmp(a->name, b->name) != 0)
    return false;
  return webnn_stablehlo__same_types(&a->elements, &b->elements) &&
         webnn_stablehlo__same_types(&a->results, &b->results);
}

static bool webnn_stablehlo__same_types(const webnn_stablehlo__list *a,
                                        const webnn_stablehlo__list *b) {
  size_t i;
  if (a->count != b->count)
    return false;
  for (i = 0; i < a->count; i++)
    if (!webnn_stablehlo__same_type((const webnn_stablehlo__type *)a->items[i],
                                    (const webnn_stablehlo__type *)b->items[i]))
      return false;
  return true;
}

/* Text that is put together in a buffer of fixed size; what does not fit is cut off. */
typedef struct webnn_stablehlo__text {
  char *buffer;
  size_t size, length;
} webnn_stablehlo__text;

static void webnn_stablehlo__append(webnn_stablehlo__text *text, const char *format, ...)
    WEBNN_EXTRA__PRINTF(2, 3);
static void webnn_stablehlo__append(webnn_stablehlo__text *text, const char *format, ...) {
  va_list arguments;
  int written;
  va_start(arguments, format);
  written = vsnprintf(text->buffer + text->length, text->size - text->length, format, arguments);
  va_end(arguments);
  if (written > 0)
    text->length += (size_t)written;
  if (text->length >= text->size)
    text->length = text->size - 1;
}

static void webnn_stablehlo__append_types(webnn_stablehlo__text *text,
                                          const webnn_stablehlo__list *types);

static void webnn_stablehlo__append_element(webnn_stablehlo__text *text,
                                            const webnn_stablehlo__type *t) {
  const webnn_xla_quantization *q = t->quantization;
  if (!q)
    webnn_stablehlo__append(text, "%s", t->name);
  else if (q->count == 1)
    webnn_stablehlo__append(text, "!quant.uniform<%s, %.9g:%" PRId64 ">", t->name,
                            (double)q->scales[0], q->zero_points[0]);
  else
    webnn_stablehlo__append(text, "!quant.uniform<%s:%" PRIu32 ", {%.9g:%" PRId64 ", ...}>",
                            t->name, q->axis, (double)q->scales[0], q->zero_points[0]);
}

static void webnn_stablehlo__append_type(webnn_stablehlo__text *text,
                                         const webnn_stablehlo__type *t) {
  size_t i;
  if (t->kind == WEBNN_STABLEHLO__TENSOR) {
    webnn_stablehlo__append(text, "tensor<");
    for (i = 0; i < t->rank; i++)
      if (t->dimensions[i] == WEBNN_STABLEHLO__DYNAMIC)
        webnn_stablehlo__append(text, "?x");
      else
        webnn_stablehlo__append(text, "%" PRIu64 "x", t->dimensions[i]);
    webnn_stablehlo__append_element(text, t);
    webnn_stablehlo__append(text, ">");
  } else if (t->kind == WEBNN_STABLEHLO__TUPLE) {
    webnn_stablehlo__append(text, "tuple<");
    webnn_stablehlo__append_types(text, &t->elements);
    webnn_stablehlo__append(text, ">");
  } else if (t->kind == WEBNN_STABLEHLO__TOKEN) {
    webnn_stablehlo__append(text, "!stablehlo.token");
  } else if (t->kind == WEBNN_STABLEHLO__FUNCTION_TYPE) {
    webnn_stablehlo__append(text, "(");
    webnn_stablehlo__append_types(text, &t->elements);
    webnn_stablehlo__append(text, ") -> (");
    webnn_stablehlo__append_types(text, &t->results);
    webnn_stablehlo__append(text, ")");
  } else {
    webnn_stablehlo__append_element(text, t);
  }
}

static void webnn_stablehlo__append_types(webnn_stablehlo__text *text,
                                          const webnn_stablehlo__list *types) {
  size_t i;
  for (i = 0; i < types->count; i++) {
    webnn_stablehlo__append(text, "%s", i ? ", " : "");
    webnn_stablehlo__append_type(text, (const webnn_stablehlo__type *)types->items[i]);
  }
}

/* The type as text, in `buffer`. */
static const char *webnn_stablehlo__type_text(const webnn_stablehlo__type *t, char *buffer,
                                              size_t size) {
  webnn_stablehlo__text text;
  text.buffer = buffer;
  text.size = size;
  text.length = 0;
  buffer[0] = 0;
  webnn_stablehlo__append_type(&text, t);
  return buffer;
}

/* Are there sizes that the type leaves open? */
static bool webnn_stablehlo__is_open(const webnn_stablehlo__type *t) {
  size_t i;
  for (i = 0; t->kind == WEBNN_STABLEHLO__TENSOR && i < t->rank; i++)
    if (t->dimensions[i] == WEBNN_STABLEHLO__DYNAMIC)
      return true;
  return false;
}

/* Why values of the type are not covered; NULL if they are. */
static const char *webnn_stablehlo__refusal(const webnn_stablehlo__type *t) {
  const char *reason = NULL;
  size_t i;
  if (t->kind == WEBNN_STABLEHLO__TOKEN)
    return NULL;
  if (t->kind == WEBNN_STABLEHLO__TUPLE) {
    for (i = 0; i < t->elements.count && !reason; i++)
      reason = webnn_stablehlo__refusal((const webnn_stablehlo__type *)t->elements.items[i]);
    return reason;
  }
  if (t->kind != WEBNN_STABLEHLO__TENSOR)
    return "values of this type are not covered";
  if (!webnn_stablehlo__element_type(t))
    return "this element type is not covered";
  if (t->rank > WEBNN_MAX_RANK)
    return "more than 8 dimensions are not covered";
  for (i = 0; i < t->rank; i++)
    if (t->dimensions[i] == WEBNN_STABLEHLO__DYNAMIC)
      return "dimensions that are not known are not covered";
    else if (t->dimensions[i] == 0)
      return "arrays without elements are not covered";
    else if (t->dimensions[i] > UINT32_MAX)
      return "dimensions above 4294967295 are not covered";
  return NULL;
}

/* ==============================================================================================
   Lexer
   ============================================================================================== */

typedef enum webnn_stablehlo__token_kind {
  WEBNN_STABLEHLO__END,
  WEBNN_STABLEHLO__INTEGER, /* 12, 0x1F */
  WEBNN_STABLEHLO__FLOAT,   /* 1.0e+00 */
  WEBNN_STABLEHLO__STRING,  /* "..." */
  WEBNN_STABLEHLO__WORD,    /* tensor, stablehlo.add */
  WEBNN_STABLEHLO__VALUE,   /* %0, %arg0 */
  WEBNN_STABLEHLO__SYMBOL,  /* @main, @"a b" */
  WEBNN_STABLEHLO__LABEL,   /* ^bb0 */
  WEBNN_STABLEHLO__HASH,    /* #loc, #stablehlo.gather; #1 behind a value */
  WEBNN_STABLEHLO__BANG,    /* !quant.uniform */
  WEBNN_STABLEHLO__ARROW,   /* -> */
  WEBNN_STABLEHLO__OPEN_METADATA,
  WEBNN_STABLEHLO__CLOSE_METADATA, /* {-# and #-} */
  WEBNN_STABLEHLO__CHARACTER,      /* any other */
  WEBNN_STABLEHLO__UNCLOSED        /* a string without an end */
} webnn_stablehlo__token_kind;

typedef struct webnn_stablehlo__token {
  webnn_stablehlo__token_kind kind;
  size_t start, end; /* in the text */
} webnn_stablehlo__token;

typedef struct webnn_stablehlo__reader {
  webnn_stablehlo *m;
  size_t position; /* behind `token` */
  webnn_stablehlo__token token;
  size_t depth;
  webnn_error *error;
  bool failed;
  webnn_stablehlo__map values;            /* names in the function */
  struct webnn_stablehlo__region *region; /* that is read */
} webnn_stablehlo__reader;

static bool webnn_stablehlo__is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool webnn_stablehlo__is_hex_digit(char c) {
  return webnn_stablehlo__is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool webnn_stablehlo__is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Of names behind %, @, #, ! and ^; `-` only where the name does not begin with a digit. */
static bool webnn_stablehlo__is_name(char c) {
  return webnn_stablehlo__is_letter(c) || webnn_stablehlo__is_digit(c) || c == '$' || c == '.';
}

static size_t webnn_stablehlo__skip_blanks(const webnn_stablehlo *m, size_t at) {
  const char *text = m->text; /* which a zero closes */
  for (;;) {
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')
      at++;
    if (text[at] != '/' || text[at + 1] != '/')
      return at;
    while (at < m->length && text[at] != '\n')
      at++;
  }
}

static size_t webnn_stablehlo__scan_number(const char *text, size_t at, bool *is_float) {
  size_t end = at;
  *is_float = false;
  if (text[at] == '0' && text[at + 1] == 'x' && webnn_stablehlo__is_hex_digit(text[at + 2])) {
    for (end = at + 2; webnn_stablehlo__is_hex_digit(text[end]);)
      end++;
    return end;
  }
  while (webnn_stablehlo__is_digit(text[end]))
    end++;
  if (text[end] != '.')
    return end;
  *is_float = true;
  for (end++; webnn_stablehlo__is_digit(text[end]);)
    end++;
  if (text[end] == 'e' || text[end] == 'E') {
    size_t exponent = end + 1;
    if (text[exponent] == '+' || text[exponent] == '-')
      exponent++;
    if (webnn_stablehlo__is_digit(text[exponent]))
      for (end = exponent; webnn_stablehlo__is_digit(text[end]);)
        end++;
  }
  return end;
}

/* The end of the string that begins at `at`; 0 if it has none. */
static size_t webnn_stablehlo__scan_string(const webnn_stablehlo *m, size_t at) {
  for (at++; at < m->length && m->text[at] != '\n'; at++)
    if (m->text[at] == '"')
      return at + 1;
    else if (m->text[at] == '\\')
      at++;
  return 0;
}

static size_t webnn_stablehlo__scan_name(const char *text, size_t at) {
  const bool digits = webnn_stablehlo__is_digit(text[at]);
  while (digits ? webnn_stablehlo__is_digit(text[at])
                : webnn_stablehlo__is_name(text[at]) || text[at] == '-')
    at++;
  return at;
}

/* Tokens that begin with a mark: %, @, ^, #, !, -, { . */
static webnn_stablehlo__token_kind webnn_stablehlo__scan_mark(const webnn_stablehlo *m, size_t at,
                                                              size_t *end) {
  const char *text = m->text;
  const char c = text[at], behind = text[at + 1];
  *end = at + 1;
  if (c == '-' && behind == '>') {
    *end = at + 2;
    return WEBNN_STABLEHLO__ARROW;
  }
  if (c == '{' && behind == '-' && text[at + 2] == '#') {
    *end = at + 3;
    return WEBNN_STABLEHLO__OPEN_METADATA;
  }
  if (c == '#' && behind == '-' && text[at + 2] == '}') {
    *end = at + 3;
    return WEBNN_STABLEHLO__CLOSE_METADATA;
  }
  if (c == '@' && behind == '"') {
    *end = webnn_stablehlo__scan_string(m, at + 1);
    return *end ? WEBNN_STABLEHLO__SYMBOL : WEBNN_STABLEHLO__UNCLOSED;
  }
  if (!c || !strchr("%@^#!", c) || !webnn_stablehlo__is_name(behind))
    return WEBNN_STABLEHLO__CHARACTER;
  *end = webnn_stablehlo__scan_name(text, at + 1);
  return c == '%'   ? WEBNN_STABLEHLO__VALUE
         : c == '@' ? WEBNN_STABLEHLO__SYMBOL
         : c == '^' ? WEBNN_STABLEHLO__LABEL
         : c == '#' ? WEBNN_STABLEHLO__HASH
                    : WEBNN_STABLEHLO__BANG;
}

static void webnn_stablehlo__next(webnn_stablehlo__reader *r) {
  const webnn_stablehlo *m = r->m;
  webnn_stablehlo__token *t = &r->token;
  const char *text = m->text;
  t->start = webnn_stablehlo__skip_blanks(m, r->position);
  t->end = t->start;
  if (t->start >= m->length) {
    t->kind = WEBNN_STABLEHLO__END;
  } else if (webnn_stablehlo__is_digit(text[t->start])) {
    bool is_float;
    t->end = webnn_stablehlo__scan_number(text, t->start, &is_float);
    t->kind = is_float ? WEBNN_STABLEHLO__FLOAT : WEBNN_STABLEHLO__INTEGER;
  } else if (webnn_stablehlo__is_letter(text[t->start])) {
    while (webnn_stablehlo__is_name(text[t->end]))
      t->end++;
    t->kind = WEBNN_STABLEHLO__WORD;
  } else if (text[t->start] == '"') {
    t->end = webnn_stablehlo__scan_string(m, t->start);
    t->kind = t->end ? WEBNN_STABLEHLO__STRING : WEBNN_STABLEHLO__UNCLOSED;
  } else {
    t->kind = webnn_stablehlo__scan_mark(m, t->start, &t->end);
  }
  if (t->kind == WEBNN_STABLEHLO__UNCLOSED)
    t->end = m->length;
  r->position = t->end;
}

/* Reads on from an offset. */
static void webnn_stablehlo__seek(webnn_stablehlo__reader *r, size_t position) {
  r->position = position;
  webnn_stablehlo__next(r);
}

/* ---- Mistakes -------------------------------------------------------------------------------- */

static void webnn_stablehlo__set_error(webnn_error *error, webnn_status status, const char *format,
                                       ...) WEBNN_EXTRA__PRINTF(3, 4);
static void webnn_stablehlo__set_error(webnn_error *error, webnn_status status, const char *format,
                                       ...) {
  va_list arguments;
  if (!error)
    return;
  error->status = status;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
}

/* The first mistake is the one that is told. Always false. */
static bool webnn_stablehlo__fail(webnn_stablehlo__reader *r, size_t offset, const char *format,
                                  ...) WEBNN_EXTRA__PRINTF(3, 4);
static bool webnn_stablehlo__fail(webnn_stablehlo__reader *r, size_t offset, const char *format,
                                  ...) {
  char place[WEBNN_STABLEHLO__PLACE_SIZE], message[320];
  va_list arguments;
  if (r->failed)
    return false;
  r->failed = true;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  webnn_stablehlo__place(r->m, offset, place);
  webnn_stablehlo__set_error(r->error, WEBNN_TYPE_ERROR, "%s: %s", place, message);
  return false;
}

static bool webnn_stablehlo__no_memory(webnn_stablehlo__reader *r) {
  if (!r->failed)
    webnn_stablehlo__set_error(r->error, WEBNN_UNKNOWN_ERROR, "There is no memory for the module");
  r->failed = true;
  return false;
}

/* "expected ..., but found ..." at the token. */
static bool webnn_stablehlo__expected(webnn_stablehlo__reader *r, const char *what) {
  const webnn_stablehlo__token *t = &r->token;
  const size_t length = t->end - t->start;
  char found[40];
  size_t i;
  if (t->kind == WEBNN_STABLEHLO__END)
    return webnn_stablehlo__fail(r, t->start, "expected %s, but the text ends", what);
  if (t->kind == WEBNN_STABLEHLO__UNCLOSED)
    return webnn_stablehlo__fail(r, t->start, "this string has no end in its line");
  for (i = 0; i < length && i < sizeof found - 4; i++) {
    const char c = r->m->text[t->start + i];
    found[i] = (unsigned char)c >= 32 && (unsigned char)c < 127 ? c : '?';
  }
  found[i] = 0;
  return webnn_stablehlo__fail(r, t->start, "expected %s, but found %s%s", what, found,
                               i < length ? "..." : "");
}

static bool webnn_stablehlo__enter(webnn_stablehlo__reader *r) {
  if (r->depth >= WEBNN_STABLEHLO__MAX_DEPTH)
    return webnn_stablehlo__fail(r, r->token.start, "the text nests more than %d deep",
                                 WEBNN_STABLEHLO__MAX_DEPTH);
  r->depth++;
  return true;
}

/* Ends what webnn_stablehlo__enter began. */
static bool webnn_stablehlo__leave(webnn_stablehlo__reader *r, bool result) {
  r->depth--;
  return result;
}

/* ---- Tokens expected ------------------------------------------------------------------------- */

static bool webnn_stablehlo__at(const webnn_stablehlo__reader *r, char c) {
  return r->token.kind == WEBNN_STABLEHLO__CHARACTER && r->m->text[r->token.start] == c;
}

static bool webnn_stablehlo__accept(webnn_stablehlo__reader *r, char c) {
  if (!webnn_stablehlo__at(r, c))
    return false;
  webnn_stablehlo__next(r);
  return true;
}

static bool webnn_stablehlo__expect(webnn_stablehlo__reader *r, char c) {
  char what[4] = "' '";
  what[1] = c;
  return webnn_stablehlo__accept(r, c) || webnn_stablehlo__expected(r, what);
}

static bool webnn_stablehlo__token_is(const webnn_stablehlo__reader *r, const char *text) {
  const size_t length = strlen(text);
  return r->token.end - r->token.start == length &&
         memcmp(r->m->text + r->token.start, text, length) == 0;
}

static bool webnn_stablehlo__at_word(const webnn_stablehlo__reader *r, const char *word) {
  return r->token.kind == WEBNN_STABLEHLO__WORD && webnn_stablehlo__token_is(r, word);
}

static bool webnn_stablehlo__accept_word(webnn_stablehlo__reader *r, const char *word) {
  if (!webnn_stablehlo__at_word(r, word))
    return false;
  webnn_stablehlo__next(r);
  return true;
}

static bool webnn_stablehlo__expect_word(webnn_stablehlo__reader *r, const char *word) {
  return webnn_stablehlo__accept_word(r, word) || webnn_stablehlo__expected(r, word);
}

static bool webnn_stablehlo__accept_arrow(webnn_stablehlo__reader *r) {
  if (r->token.kind != WEBNN_STABLEHLO__ARROW)
    return false;
  webnn_stablehlo__next(r);
  return true;
}

/* A copy of the token's text. */
static const char *webnn_stablehlo__token_text(webnn_stablehlo__reader *r) {
  return webnn_stablehlo__copy(r->m, r->m->text + r->token.start, r->token.end - r->token.start);
}

static uint32_t webnn_stablehlo__hex_value(char c) {
  return (uint32_t)(c <= '9' ? c - '0' : c >= 'a' ? c - 'a' + 10 : c - 'A' + 10);
}

/* The content of a string, whose quotes are at start and end - 1. */
static const char *webnn_stablehlo__string_text(webnn_stablehlo__reader *r, size_t start,
                                                size_t end, size_t *length) {
  const char *text = r->m->text;
  char *copy = WEBNN_STABLEHLO__NEW(r->m, char, end - start);
  size_t at, count = 0;
  if (!copy)
    return NULL;
  for (at = start + 1; at + 1 < end; at++) {
    char c = text[at];
    if (c == '\\' && at + 2 < end) {
      c = text[++at];
      if (webnn_stablehlo__is_hex_digit(c) && webnn_stablehlo__is_hex_digit(text[at + 1])) {
        c = (char)(webnn_stablehlo__hex_value(c) * 16 + webnn_stablehlo__hex_value(text[at + 1]));
        at++;
      } else if (c == 'n' || c == 't') {
        c = c == 'n' ? '\n' : '\t';
      }
    }
    copy[count++] = c;
  }
  *length = count;
  return copy;
}

/* The name of a token, without its mark: of @main and @"main" it is "main". */
static const char *webnn_stablehlo__token_name(webnn_stablehlo__reader *r, size_t *length) {
  const char *text = r->m->text + r->token.start;
  if (text[0] == '"')
    return webnn_stablehlo__string_text(r, r->token.start, r->token.end, length);
  if (r->token.end - r->token.start > 2 && text[1] == '"')
    return webnn_stablehlo__string_text(r, r->token.start + 1, r->token.end, length);
  *length = r->token.end - r->token.start - 1;
  return webnn_stablehlo__copy(r->m, text + 1, *length);
}

/* An integer token as a number; false where it exceeds 64 bits. */
static bool webnn_stablehlo__token_integer(const webnn_stablehlo__reader *r, uint64_t *value) {
  const char *text = r->m->text;
  size_t at = r->token.start;
  uint64_t base = 10;
  *value = 0;
  if (r->token.end - at > 2 && text[at + 1] == 'x') {
    base = 16;
    at += 2;
  }
  for (; at < r->token.end; at++) {
    const uint64_t digit = webnn_stablehlo__hex_value(text[at]);
    if (*value > (UINT64_MAX - digit) / base)
      return false;
    *value = *value * base + digit;
  }
  return true;
}

/* A decimal number as C reads it in the current locale. */
static double webnn_stablehlo__decimal(const char *text, size_t length) {
  char buffer[128];
  char *point;
  if (length > sizeof buffer - 1)
    length = sizeof buffer - 1;
  memcpy(buffer, text, length);
  buffer[length] = 0;
  point = strchr(buffer, '.');
  if (point)
    *point = localeconv()->decimal_point[0];
  return strtod(buffer, NULL);
}

/* An integer with its sign, which must fit in an int64_t. */
static bool webnn_stablehlo__read_integer(webnn_stablehlo__reader *r, int64_t *value) {
  const size_t start = r->token.start;
  const bool negative = webnn_stablehlo__accept(r, '-');
  uint64_t magnitude;
  if (r->token.kind != WEBNN_STABLEHLO__INTEGER)
    return webnn_stablehlo__expected(r, "an integer");
  if (!webnn_stablehlo__token_integer(r, &magnitude) ||
      magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0))
    return webnn_stablehlo__fail(r, start, "this integer needs more than 64 bits");
  *value = negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
  webnn_stablehlo__next(r);
  return true;
}

/* An integer or decimal number with its sign. */
static bool webnn_stablehlo__read_number(webnn_stablehlo__reader *r, double *value) {
  const bool negative = webnn_stablehlo__accept(r, '-');
  if (r->token.kind != WEBNN_STABLEHLO__INTEGER && r->token.kind != WEBNN_STABLEHLO__FLOAT)
    return webnn_stablehlo__expected(r, "a number");
  *value = webnn_stablehlo__decimal(r->m->text + r->token.start, r->token.end - r->token.start);
  if (negative)
    *value = -*value;
  webnn_stablehlo__next(r);
  return true;
}

/* Passes over a bracket and all up to the one that closes it. */
static bool webnn_stablehlo__skip_brackets(webnn_stablehlo__reader *r) {
  const size_t start = r->token.start;
  size_t depth = 0;
  do {
    if (r->token.kind == WEBNN_STABLEHLO__UNCLOSED)
      return webnn_stablehlo__expected(r, "a closed string");
    if (r->token.kind == WEBNN_STABLEHLO__END)
      return webnn_stablehlo__fail(r, start, "this bracket is not closed");
    if (r->token.kind == WEBNN_STABLEHLO__CHARACTER) {
      const char c = r->m->text[r->token.start];
      if (c && strchr("([{<", c))
        depth++;
      else if (c && strchr(")]}>", c))
        depth--;
    }
    webnn_stablehlo__next(r);
  } while (depth);
  return true;
}

/* loc(...), if there is one; *name becomes the string that it begins with, or stays. */
static bool webnn_stablehlo__skip_location(webnn_stablehlo__reader *r, const char **name) {
  if (!webnn_stablehlo__at_word(r, "loc"))
    return true;
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__at(r, '('))
    return webnn_stablehlo__expected(r, "'(' after loc");
  if (name) {
    const webnn_stablehlo__token bracket = r->token;
    webnn_stablehlo__next(r);
    if (r->token.kind == WEBNN_STABLEHLO__STRING) {
      size_t length;
      const char *text = webnn_stablehlo__token_name(r, &length);
      webnn_stablehlo__next(r);
      if (text && webnn_stablehlo__at(r, ')'))
        *name = text;
    }
    webnn_stablehlo__seek(r, bracket.start);
  }
  return webnn_stablehlo__skip_brackets(r);
}

/* ---- Types ----------------------------------------------------------------------------------- */

static webnn_stablehlo__type *webnn_stablehlo__read_type(webnn_stablehlo__reader *r);
static bool webnn_stablehlo__read_types(webnn_stablehlo__reader *r, char close,
                                        webnn_stablehlo__list *types);

static webnn_stablehlo__type *webnn_stablehlo__new_type(webnn_stablehlo__reader *r,
                                                        webnn_stablehlo__type_kind kind) {
  webnn_stablehlo__type *t = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__type, 1);
  if (!t)
    return NULL;
  t->kind = kind;
  t->number = '?';
  t->name = "";
  return t;
}

/* The number behind a prefix of a word, as the 32 of "ui32"; 0 if the word is something else. */
static uint32_t webnn_stablehlo__width(const char *name, const char *prefix) {
  const size_t length = strlen(prefix);
  uint32_t width = 0;
  const char *c;
  if (strncmp(name, prefix, length) != 0)
    return 0;
  for (c = name + length; webnn_stablehlo__is_digit(*c) && width < 1000; c++)
    width = width * 10 + (uint32_t)(*c - '0');
  return *c ? 0 : width;
}

/* Sets number and bits from a name like "i32"; false if it names none. */
static bool webnn_stablehlo__set_number(webnn_stablehlo__type *t, const char *name) {
  static const struct {
    const char *prefix;
    char number;
  } prefixes[] = {{"i", 's'}, {"si", 's'}, {"ui", 'u'}, {"u", 'u'}, {"f", 'f'}, {"bf", 'b'}};
  size_t i;
  t->name = name;
  if (strcmp(name, "index") == 0) {
    t->number = 'x';
    t->bits = 64;
    return true;
  }
  for (i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    t->bits = webnn_stablehlo__width(name, prefixes[i].prefix);
    if (t->bits) {
      t->number = prefixes[i].number;
      return true;
    }
  }
  /* Other floats of the language: f8E4M3FN, tf32. */
  return (name[0] == 'f' && webnn_stablehlo__is_digit(name[1])) || strcmp(name, "tf32") == 0;
}

typedef struct webnn_stablehlo__scale {
  float scale;
  int64_t zero_point;
} webnn_stablehlo__scale;

/* scale or scale:zero_point, appended to the list. */
static bool webnn_stablehlo__read_scale(webnn_stablehlo__reader *r, webnn_stablehlo__list *scales) {
  webnn_stablehlo__scale *s = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__scale, 1);
  double scale;
  if (!s || !webnn_stablehlo__read_number(r, &scale))
    return false;
  s->scale = (float)scale;
  if (webnn_stablehlo__accept(r, ':') && !webnn_stablehlo__read_integer(r, &s->zero_point))
    return false;
  return webnn_stablehlo__push(r->m, scales, s);
}

/* The scales, at their first token: one, or {s0:z0, s1:z1, ...}. */
static bool webnn_stablehlo__read_scales(webnn_stablehlo__reader *r, webnn_xla_quantization *q) {
  webnn_stablehlo__list list = {NULL, 0, 0};
  float *scales;
  int64_t *zero_points;
  size_t i;
  if (!webnn_stablehlo__accept(r, '{')) {
    if (!webnn_stablehlo__read_scale(r, &list))
      return false;
  } else {
    do
      if (!webnn_stablehlo__read_scale(r, &list))
        return false;
    while (webnn_stablehlo__accept(r, ','));
    if (!webnn_stablehlo__expect(r, '}'))
      return false;
  }
  scales = WEBNN_STABLEHLO__NEW(r->m, float, list.count);
  zero_points = WEBNN_STABLEHLO__NEW(r->m, int64_t, list.count);
  if (!scales || !zero_points)
    return false;
  for (i = 0; i < list.count; i++) {
    const webnn_stablehlo__scale *s = (const webnn_stablehlo__scale *)list.items[i];
    scales[i] = s->scale;
    zero_points[i] = s->zero_point;
  }
  q->scales = scales;
  q->zero_points = zero_points;
  q->count = list.count;
  return true;
}

/* i8, or i8<-127:127>: the stored integers and their bounds. */
static bool webnn_stablehlo__read_storage(webnn_stablehlo__reader *r, webnn_stablehlo__type *t,
                                          webnn_xla_quantization *q) {
  webnn_stablehlo__type storage;
  const size_t start = r->token.start;
  memset(&storage, 0, sizeof storage);
  if (r->token.kind != WEBNN_STABLEHLO__WORD)
    return webnn_stablehlo__expected(r, "the type of stored integers");
  if (!webnn_stablehlo__set_number(&storage, webnn_stablehlo__token_text(r)) ||
      (storage.number != 's' && storage.number != 'u') || storage.bits < 2 || storage.bits > 32)
    return webnn_stablehlo__expected(r, "a type of stored integers, of 2 to 32 bits");
  webnn_stablehlo__next(r);
  q->storage_type = webnn_stablehlo__element_type(&storage);
  q->storage_min = storage.number == 'u' ? 0 : -((int64_t)1 << (storage.bits - 1));
  q->storage_max = ((int64_t)1 << (storage.bits - (storage.number == 'u' ? 0 : 1))) - 1;
  if (webnn_stablehlo__accept(r, '<') &&
      !(webnn_stablehlo__read_integer(r, &q->storage_min) && webnn_stablehlo__expect(r, ':') &&
        webnn_stablehlo__read_integer(r, &q->storage_max) && webnn_stablehlo__expect(r, '>')))
    return false;
  if (q->storage_min >= q->storage_max)
    return webnn_stablehlo__fail(r, start, "the bounds of stored integers must increase");
  t->number = storage.number;
  t->bits = storage.bits;
  return true;
}

/* !quant.uniform<storage:expressed[:axis], scales>, behind the name. */
static bool webnn_stablehlo__read_quantization(webnn_stablehlo__reader *r,
                                               webnn_stablehlo__type *t) {
  webnn_xla_quantization *q = WEBNN_STABLEHLO__NEW(r->m, webnn_xla_quantization, 1);
  webnn_stablehlo__type expressed;
  int64_t axis = -1;
  char name[16];
  if (!q)
    return false;
  memset(&expressed, 0, sizeof expressed);
  if (!webnn_stablehlo__expect(r, '<') || !webnn_stablehlo__read_storage(r, t, q) ||
      !webnn_stablehlo__expect(r, ':'))
    return false;
  if (r->token.kind != WEBNN_STABLEHLO__WORD ||
      !webnn_stablehlo__set_number(&expressed, webnn_stablehlo__token_text(r)) ||
      (expressed.number != 'f' && expressed.number != 'b'))
    return webnn_stablehlo__expected(r, "the expressed type, a float");
  webnn_stablehlo__next(r);
  if (webnn_stablehlo__accept(r, ':')) {
    if (!webnn_stablehlo__read_integer(r, &axis))
      return false;
    if (axis < 0 || axis >= WEBNN_STABLEHLO__MAX_RANK)
      return webnn_stablehlo__fail(r, r->token.start,
                                   "the axis of a quantization must be one of "
                                   "the dimensions, but is %" PRId64,
                                   axis);
  }
  if (!webnn_stablehlo__expect(r, ',') || !webnn_stablehlo__read_scales(r, q) ||
      !webnn_stablehlo__expect(r, '>'))
    return false;
  if (axis < 0 && q->count != 1)
    return webnn_stablehlo__fail(r, r->token.start, "several scales need an axis");
  q->axis = axis < 0 ? 0 : (uint32_t)axis;
  q->expressed_type = webnn_stablehlo__element_type(&expressed);
  snprintf(name, sizeof name, "%c%" PRIu32 ":%.4s", t->number == 'u' ? 'u' : 'i', t->bits,
           expressed.name);
  t->name = webnn_stablehlo__copy(r->m, name, strlen(name));
  t->quantization = q;
  if (!q->expressed_type || !q->storage_type)
    t->number = '?';
  return true;
}

/* A type whose content is passed over: a word or a name with a mark, and brackets behind it. */
static bool webnn_stablehlo__read_other_type(webnn_stablehlo__reader *r, webnn_stablehlo__type *t) {
  const size_t start = r->token.start;
  size_t end = r->token.end;
  webnn_stablehlo__next(r);
  if (webnn_stablehlo__at(r, '<')) {
    if (!webnn_stablehlo__skip_brackets(r))
      return false;
    for (end = r->token.start; end > start && r->m->text[end - 1] != '>';)
      end--;
  }
  t->number = '?';
  t->name = webnn_stablehlo__copy(r->m, r->m->text + start, end - start < 60 ? end - start : 60);
  return t->name != NULL;
}

/* What stands for an element in tensor<...>. */
static bool webnn_stablehlo__read_element_type(webnn_stablehlo__reader *r,
                                               webnn_stablehlo__type *t) {
  if (r->token.kind == WEBNN_STABLEHLO__BANG && webnn_stablehlo__token_is(r, "!quant.uniform")) {
    webnn_stablehlo__next(r);
    return webnn_stablehlo__read_quantization(r, t);
  }
  if (r->token.kind == WEBNN_STABLEHLO__BANG) {
    const webnn_stablehlo__type *alias = (const webnn_stablehlo__type *)webnn_stablehlo__find(
        &r->m->type_aliases, r->m->text + r->token.start, r->token.end - r->token.start);
    if (!alias)
      return webnn_stablehlo__read_other_type(r, t);
    t->number = alias->number;
    t->bits = alias->bits;
    t->name = alias->name;
    t->quantization = alias->quantization;
    webnn_stablehlo__next(r);
    return true;
  }
  if (r->token.kind != WEBNN_STABLEHLO__WORD)
    return webnn_stablehlo__expected(r, "an element type");
  if (webnn_stablehlo__token_is(r, "complex"))
    return webnn_stablehlo__read_other_type(r, t);
  t->name = webnn_stablehlo__token_text(r);
  if (!t->name)
    return false;
  if (!webnn_stablehlo__set_number(t, t->name))
    return webnn_stablehlo__expected(r, "an element type");
  webnn_stablehlo__next(r);
  return true;
}

/* 2x3x?x, up to the element type. The lexer does not part numbers and x: characters are read. */
static bool webnn_stablehlo__read_dimensions(webnn_stablehlo__reader *r, webnn_stablehlo__type *t) {
  uint64_t dimensions[WEBNN_STABLEHLO__MAX_RANK];
  const char *text = r->m->text;
  size_t at = r->token.start;
  while (webnn_stablehlo__is_digit(text[at]) || text[at] == '?') {
    const size_t start = at;
    uint64_t size = 0;
    if (text[at] == '?') {
      size = WEBNN_STABLEHLO__DYNAMIC;
      at++;
    }
    for (; webnn_stablehlo__is_digit(text[at]); at++) {
      if (size > (uint64_t)INT64_MAX / 10 - 1)
        return webnn_stablehlo__fail(r, start, "this dimension needs more than 63 bits");
      size = size * 10 + (uint64_t)(text[at] - '0');
    }
    at = webnn_stablehlo__skip_blanks(r->m, at);
    if (text[at] != 'x') {
      webnn_stablehlo__seek(r, at);
      return webnn_stablehlo__expected(r, "x after a dimension");
    }
    if (t->rank == WEBNN_STABLEHLO__MAX_RANK)
      return webnn_stablehlo__fail(r, start, "a type has more than %d dimensions",
                                   WEBNN_STABLEHLO__MAX_RANK);
    dimensions[t->rank++] = size;
    at = webnn_stablehlo__skip_blanks(r->m, at + 1);
  }
  webnn_stablehlo__seek(r, at);
  t->dimensions = WEBNN_STABLEHLO__NEW(r->m, uint64_t, t->rank);
  if (!t->dimensions)
    return false;
  if (t->rank)
    memcpy(t->dimensions, dimensions, t->rank * sizeof *dimensions);
  return true;
}

/* #stablehlo.bounds<10, ?>: the most that dimensions may have. */
static bool webnn_stablehlo__read_bounds(webnn_stablehlo__reader *r, webnn_stablehlo__type *t) {
  const size_t start = r->token.start;
  size_t count = 0;
  webnn_stablehlo__next(r);
  t->bounds = WEBNN_STABLEHLO__NEW(r->m, int64_t, t->rank);
  if (!t->bounds || !webnn_stablehlo__expect(r, '<'))
    return false;
  do {
    int64_t bound = -1;
    if (!webnn_stablehlo__accept(r, '?') && !webnn_stablehlo__read_integer(r, &bound))
      return false;
    if (count < t->rank)
      t->bounds[count] = bound;
    count++;
  } while (webnn_stablehlo__accept(r, ','));
  if (count != t->rank)
    return webnn_stablehlo__fail(r, start, "a type of %zu dimensions has %zu bounds", t->rank,
                                 count);
  return webnn_stablehlo__expect(r, '>');
}

static bool webnn_stablehlo__read_tensor(webnn_stablehlo__reader *r, webnn_stablehlo__type *t) {
  const size_t start = r->token.start;
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__at(r, '<'))
    return webnn_stablehlo__expected(r, "'<' after tensor");
  webnn_stablehlo__next(r);
  if (webnn_stablehlo__at(r, '*')) {
    t->kind = WEBNN_STABLEHLO__OTHER;
    webnn_stablehlo__seek(r, start);
    return webnn_stablehlo__read_other_type(r, t);
  }
  if (!webnn_stablehlo__read_dimensions(r, t) || !webnn_stablehlo__read_element_type(r, t))
    return false;
  if (t->quantization && t->quantization->count != 1 &&
      (t->quantization->axis >= t->rank ||
       (t->dimensions[t->quantization->axis] != WEBNN_STABLEHLO__DYNAMIC &&
        t->quantization->count != t->dimensions[t->quantization->axis])))
    return webnn_stablehlo__fail(r, start,
                                 "the quantization has %zu scales, but its axis does not "
                                 "have this size",
                                 t->quantization->count);
  while (webnn_stablehlo__accept(r, ',')) { /* an encoding: bounds, or one that is passed over */
    if (webnn_stablehlo__token_is(r, "#stablehlo.bounds") && !webnn_stablehlo__read_bounds(r, t))
      return false;
    while (!webnn_stablehlo__at(r, '>') && !webnn_stablehlo__at(r, ','))
      if (r->token.kind == WEBNN_STABLEHLO__END)
        return webnn_stablehlo__expected(r, "'>'");
      else if (webnn_stablehlo__at(r, '<') || webnn_stablehlo__at(r, '{')) {
        if (!webnn_stablehlo__skip_brackets(r))
          return false;
      } else {
        webnn_stablehlo__next(r);
      }
  }
  return webnn_stablehlo__expect(r, '>');
}

/* (types) -> types */
static bool webnn_stablehlo__read_function_type(webnn_stablehlo__reader *r,
                                                webnn_stablehlo__type *t) {
  webnn_stablehlo__type *result;
  if (!webnn_stablehlo__expect(r, '(') || !webnn_stablehlo__read_types(r, ')', &t->elements))
    return false;
  if (!webnn_stablehlo__accept_arrow(r))
    return webnn_stablehlo__expected(r, "'->'");
  if (webnn_stablehlo__accept(r, '('))
    return webnn_stablehlo__read_types(r, ')', &t->results);
  result = webnn_stablehlo__read_type(r);
  return result && (webnn_stablehlo__push(r->m, &t->results, result));
}

/* Types up to `close`, which is passed. */
static bool webnn_stablehlo__read_types(webnn_stablehlo__reader *r, char close,
                                        webnn_stablehlo__list *types) {
  if (webnn_stablehlo__accept(r, close))
    return true;
  do {
    webnn_stablehlo__type *t = webnn_stablehlo__read_type(r);
    if (!t || !webnn_stablehlo__push(r->m, types, t))
      return false;
  } while (webnn_stablehlo__accept(r, ','));
  return webnn_stablehlo__expect(r, close);
}

static bool webnn_stablehlo__read_type_word(webnn_stablehlo__reader *r, webnn_stablehlo__type *t) {
  if (webnn_stablehlo__token_is(r, "tensor")) {
    t->kind = WEBNN_STABLEHLO__TENSOR;
    return webnn_stablehlo__read_tensor(r, t);
  }
  if (webnn_stablehlo__token_is(r, "tuple")) {
    t->kind = WEBNN_STABLEHLO__TUPLE;
    webnn_stablehlo__next(r);
    return webnn_stablehlo__expect(r, '<') && webnn_stablehlo__read_types(r, '>', &t->elements);
  }
  if (webnn_stablehlo__token_is(r, "vector") || webnn_stablehlo__token_is(r, "memref") ||
      webnn_stablehlo__token_is(r, "complex") || webnn_stablehlo__token_is(r, "none"))
    return webnn_stablehlo__read_other_type(r, t);
  t->kind = WEBNN_STABLEHLO__NUMBER;
  t->name = webnn_stablehlo__token_text(r);
  if (!t->name)
    return false;
  if (!webnn_stablehlo__set_number(t, t->name))
    return webnn_stablehlo__expected(r, "a type");
  webnn_stablehlo__next(r);
  return true;
}

static bool webnn_stablehlo__read_type_inside(webnn_stablehlo__reader *r,
                                              webnn_stablehlo__type **type) {
  webnn_stablehlo__type *t = *type;
  if (webnn_stablehlo__at(r, '(')) {
    t->kind = WEBNN_STABLEHLO__FUNCTION_TYPE;
    return webnn_stablehlo__read_function_type(r, t);
  }
  if (r->token.kind == WEBNN_STABLEHLO__WORD)
    return webnn_stablehlo__read_type_word(r, t);
  if (r->token.kind != WEBNN_STABLEHLO__BANG)
    return webnn_stablehlo__expected(r, "a type");
  if (webnn_stablehlo__token_is(r, "!stablehlo.token") ||
      webnn_stablehlo__token_is(r, "!mhlo.token")) {
    t->kind = WEBNN_STABLEHLO__TOKEN;
    webnn_stablehlo__next(r);
    return true;
  }
  if (webnn_stablehlo__token_is(r, "!quant.uniform")) {
    t->kind = WEBNN_STABLEHLO__NUMBER;
    return webnn_stablehlo__read_element_type(r, t);
  }
  *type = (webnn_stablehlo__type *)webnn_stablehlo__find(
      &r->m->type_aliases, r->m->text + r->token.start, r->token.end - r->token.start);
  if (*type) {
    webnn_stablehlo__next(r);
    return true;
  }
  *type = t;
  t->kind = WEBNN_STABLEHLO__OTHER;
  return webnn_stablehlo__read_other_type(r, t);
}

static webnn_stablehlo__type *webnn_stablehlo__read_type(webnn_stablehlo__reader *r) {
  webnn_stablehlo__type *t = webnn_stablehlo__new_type(r, WEBNN_STABLEHLO__OTHER);
  if (!t || !webnn_stablehlo__enter(r))
    return NULL;
  return webnn_stablehlo__leave(r, webnn_stablehlo__read_type_inside(r, &t)) ? t : NULL;
}

/* ==============================================================================================
   Attributes and literals
   ============================================================================================== */

typedef enum webnn_stablehlo__attribute_kind {
  WEBNN_STABLEHLO__UNIT,
  WEBNN_STABLEHLO__WHOLE,      /* an integer, true, false */
  WEBNN_STABLEHLO__DECIMAL,    /* a float */
  WEBNN_STABLEHLO__BYTES,      /* a string */
  WEBNN_STABLEHLO__NAME,       /* @f, or a bare word: DEFAULT */
  WEBNN_STABLEHLO__SEQUENCE,   /* [...], array<...> */
  WEBNN_STABLEHLO__DICTIONARY, /* {...}, and #stablehlo.gather<...> */
  WEBNN_STABLEHLO__TYPE,
  WEBNN_STABLEHLO__DENSE,
  WEBNN_STABLEHLO__ALIAS, /* #name, to be looked up */
  WEBNN_STABLEHLO__SKIPPED
} webnn_stablehlo__attribute_kind;

typedef struct webnn_stablehlo__attribute {
  webnn_stablehlo__attribute_kind kind;
  size_t offset;
  int64_t whole;
  double decimal;
  const char *text;
  size_t length;
  webnn_stablehlo__list items; /* attributes; of a dictionary webnn_stablehlo__named */
  webnn_stablehlo__type *type; /* of a literal, too */
  /* Of a literal: its elements in memory, or one that all are equal to; NULL where the type is not
     covered. Of a resource they are looked up by its name, `text`. */
  const unsigned char *data;
  uint64_t count;
  size_t element_bytes;
  bool splat;
} webnn_stablehlo__attribute;

typedef struct webnn_stablehlo__named {
  const char *name;
  webnn_stablehlo__attribute *value;
} webnn_stablehlo__named;

static webnn_stablehlo__attribute *webnn_stablehlo__read_attribute(webnn_stablehlo__reader *r);

static bool webnn_stablehlo__add_named(webnn_stablehlo__reader *r, webnn_stablehlo__list *list,
                                       const char *name, webnn_stablehlo__attribute *value) {
  webnn_stablehlo__named *named = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__named, 1);
  if (!named || !name)
    return false;
  named->name = name;
  named->value = value;
  return webnn_stablehlo__push(r->m, list, named);
}

static webnn_stablehlo__attribute *
webnn_stablehlo__new_attribute(webnn_stablehlo__reader *r, webnn_stablehlo__attribute_kind kind) {
  webnn_stablehlo__attribute *a = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__attribute, 1);
  if (!a)
    return NULL;
  a->kind = kind;
  a->offset = r->token.start;
  return a;
}

/* ---- Literals -------------------------------------------------------------------------------- */

/* The bytes of an element of a literal; 0 where its type is not read. */
static size_t webnn_stablehlo__element_bytes(const webnn_stablehlo__type *t) {
  const webnn_xla_type type = webnn_stablehlo__element_type(t);
  if (type)
    return webnn_xla_type_bytes(type);
  return t->bits == 64 && (t->number == 'f' || t->number == 'x') ? 8 : 0;
}

/* The number of elements; false where it exceeds 63 bits or is not known. */
static bool webnn_stablehlo__element_count(const webnn_stablehlo__type *t, uint64_t *count) {
  size_t i;
  *count = 1;
  for (i = 0; i < t->rank; i++) {
    if (t->dimensions[i] == WEBNN_STABLEHLO__DYNAMIC)
      return false;
    if (t->dimensions[i] && *count > (uint64_t)INT64_MAX / t->dimensions[i])
      return false;
    *count *= t->dimensions[i];
  }
  return true;
}

/* float32 to bfloat16, to nearest, ties to even; NaN stays one. */
static uint16_t webnn_stablehlo__to_bfloat16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value)
    return (uint16_t)((bits >> 16) | 0x40);
  return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

static float webnn_stablehlo__from_bfloat16(uint16_t value) {
  const uint32_t bits = (uint32_t)value << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* The bits of a number as an element of a float type. */
static uint64_t webnn_stablehlo__float_bits(const webnn_stablehlo__type *t, double value) {
  uint64_t bits = 0;
  if (t->bits == 64) {
    memcpy(&bits, &value, sizeof value);
  } else if (t->bits == 32) {
    const float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    bits = word;
  } else if (t->number == 'b') {
    bits = webnn_stablehlo__to_bfloat16((float)value);
  } else {
    bits = webnn_float32_to_float16((float)value);
  }
  return bits;
}

static void webnn_stablehlo__store(unsigned char *at, uint64_t bits, size_t bytes) {
  const uint8_t b = (uint8_t)bits;
  const uint16_t s = (uint16_t)bits;
  const uint32_t w = (uint32_t)bits;
  if (bytes == 1)
    memcpy(at, &b, 1);
  else if (bytes == 2)
    memcpy(at, &s, 2);
  else if (bytes == 4)
    memcpy(at, &w, 4);
  else
    memcpy(at, &bits, 8);
}

/* The bits of an integer element, whose magnitude has been read. */
static bool webnn_stablehlo__integer_bits(webnn_stablehlo__reader *r,
                                          const webnn_stablehlo__type *t, bool negative,
                                          uint64_t *bits) {
  const uint64_t most = t->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << t->bits) - 1;
  if (negative && (t->number == 'u' || t->bits == 1) && *bits)
    return webnn_stablehlo__fail(r, r->token.start, "a negative element of %s", t->name);
  if (*bits > (negative ? most / 2 + 1 : most))
    return webnn_stablehlo__fail(r, r->token.start, "this element does not fit in %s", t->name);
  if (negative)
    *bits = 0 - *bits;
  return true;
}

/* One element of a literal: an integer, a decimal number, its bits (0x7FC00000), true, false. */
static bool webnn_stablehlo__read_element(webnn_stablehlo__reader *r,
                                          const webnn_stablehlo__type *t, uint64_t *bits) {
  const bool is_float = t->number == 'f' || t->number == 'b';
  const bool negative = webnn_stablehlo__accept(r, '-');
  const webnn_stablehlo__token token = r->token;
  const char *text = r->m->text + token.start;
  const bool is_hex = token.end - token.start > 2 && text[1] == 'x';
  if (!is_float && t->bits == 1 && !negative && webnn_stablehlo__at_word(r, "true"))
    *bits = 1;
  else if (!is_float && t->bits == 1 && !negative && webnn_stablehlo__at_word(r, "false"))
    *bits = 0;
  else if (is_float && (token.kind == WEBNN_STABLEHLO__FLOAT ||
                        (token.kind == WEBNN_STABLEHLO__INTEGER && !is_hex))) {
    const double value = webnn_stablehlo__decimal(text, token.end - token.start);
    *bits = webnn_stablehlo__float_bits(t, negative ? -value : value);
  } else if (token.kind != WEBNN_STABLEHLO__INTEGER || (is_float && negative)) {
    return webnn_stablehlo__expected(r, is_float ? "a number" : "an integer");
  } else if (!webnn_stablehlo__token_integer(r, bits)) {
    return webnn_stablehlo__fail(r, token.start, "this integer needs more than 64 bits");
  } else if (!webnn_stablehlo__integer_bits(r, t, negative, bits)) {
    return false;
  }
  webnn_stablehlo__next(r);
  return true;
}

/* Nested lists of elements, at the first bracket. */
static bool webnn_stablehlo__read_element_lists(webnn_stablehlo__reader *r,
                                                webnn_stablehlo__attribute *a,
                                                unsigned char *data) {
  const webnn_stablehlo__type *t = a->type;
  uint64_t counts[WEBNN_STABLEHLO__MAX_RANK + 1] = {0};
  size_t depth = 0, written = 0;
  for (;;) {
    uint64_t bits;
    while (depth < t->rank) {
      if (!webnn_stablehlo__expect(r, '['))
        return false;
      counts[++depth] = 0;
    }
    if (written == a->count)
      return webnn_stablehlo__fail(r, r->token.start,
                                   "the literal has more than the %" PRIu64 " elements of its type",
                                   a->count);
    if (!webnn_stablehlo__read_element(r, t, &bits))
      return false;
    webnn_stablehlo__store(data + written++ * a->element_bytes, bits, a->element_bytes);
    counts[depth]++;
    while (depth && webnn_stablehlo__at(r, ']')) {
      if (counts[depth] != t->dimensions[depth - 1])
        return webnn_stablehlo__fail(r, r->token.start,
                                     "this list has %" PRIu64 " items, but "
                                     "dimension %zu of the type is %" PRIu64,
                                     counts[depth], depth - 1, t->dimensions[depth - 1]);
      webnn_stablehlo__next(r);
      depth--;
      counts[depth]++;
    }
    if (depth == 0)
      return true;
    if (!webnn_stablehlo__expect(r, ','))
      return false;
  }
}

/* Bytes in hexadecimal, as many as the type has, or as one element; bits of i1 may be packed.
   `text` is behind "0x". */
static bool webnn_stablehlo__decode(webnn_stablehlo *m, webnn_stablehlo__attribute *a,
                                    const char *text, size_t length) {
  const size_t bytes = length / 2;
  const bool is_bool = a->type->bits == 1;
  const bool whole = bytes / a->element_bytes == a->count && bytes % a->element_bytes == 0;
  const bool packed = !whole && is_bool && bytes == a->count / 8 + (a->count % 8 != 0);
  unsigned char *data, *expanded;
  size_t i;
  a->splat = !whole && !packed && bytes == a->element_bytes;
  if (length % 2 || (!whole && !packed && !a->splat))
    return false;
  data = WEBNN_STABLEHLO__NEW(m, unsigned char, bytes);
  if (!data)
    return false;
  for (i = 0; i < bytes; i++) {
    if (!webnn_stablehlo__is_hex_digit(text[2 * i]) ||
        !webnn_stablehlo__is_hex_digit(text[2 * i + 1]))
      return false;
    data[i] = (unsigned char)(webnn_stablehlo__hex_value(text[2 * i]) * 16 +
                              webnn_stablehlo__hex_value(text[2 * i + 1]));
  }
  a->data = data;
  if (packed) {
    a->data = expanded = WEBNN_STABLEHLO__NEW(m, unsigned char, (size_t)a->count);
    for (i = 0; expanded && i < a->count; i++)
      expanded[i] = (data[i / 8] >> (i % 8)) & 1;
  } else if (is_bool) {
    for (i = 0; i < bytes; i++)
      data[i] = data[i] != 0;
  }
  return a->data != NULL;
}

/* What is between the brackets of dense<...>. */
static bool webnn_stablehlo__read_elements(webnn_stablehlo__reader *r,
                                           webnn_stablehlo__attribute *a) {
  const size_t start = r->token.start;
  unsigned char *data;
  if (r->token.kind == WEBNN_STABLEHLO__STRING) {
    const char *text = r->m->text + start + 1;
    const size_t length = r->token.end - start - 2;
    if (length < 2 || text[0] != '0' || text[1] != 'x' ||
        !webnn_stablehlo__decode(r->m, a, text + 2, length - 2))
      return r->m->no_memory ? webnn_stablehlo__no_memory(r)
                             : webnn_stablehlo__fail(r, start,
                                                     "the string is not the bytes of the "
                                                     "literal's type in hexadecimal");
    webnn_stablehlo__next(r);
    return true;
  }
  a->splat = !webnn_stablehlo__at(r, '[');
  if (!a->splat && a->count > (r->m->length - start) / 2)
    return webnn_stablehlo__fail(
        r, start, "the literal has fewer than the %" PRIu64 " elements of its type", a->count);
  data = WEBNN_STABLEHLO__NEW(r->m, unsigned char,
                              (a->splat ? 1 : (size_t)a->count) * a->element_bytes);
  if (!data)
    return false;
  a->data = data;
  if (a->splat) {
    uint64_t bits;
    if (!webnn_stablehlo__read_element(r, a->type, &bits))
      return false;
    webnn_stablehlo__store(data, bits, a->element_bytes);
    return true;
  }
  return webnn_stablehlo__read_element_lists(r, a, data);
}

/* The type behind a literal, and what follows from it. */
static bool webnn_stablehlo__read_literal_type(webnn_stablehlo__reader *r,
                                               webnn_stablehlo__attribute *a) {
  const size_t start = r->token.start;
  if (!webnn_stablehlo__expect(r, ':'))
    return false;
  a->type = webnn_stablehlo__read_type(r);
  if (!a->type)
    return false;
  if (a->type->kind != WEBNN_STABLEHLO__TENSOR && a->type->kind != WEBNN_STABLEHLO__OTHER)
    return webnn_stablehlo__fail(r, start, "the type of a literal must be a tensor");
  if (!webnn_stablehlo__element_count(a->type, &a->count))
    return webnn_stablehlo__fail(r, start, "the type of a literal must have a size below 2^63");
  a->element_bytes = webnn_stablehlo__element_bytes(a->type);
  return true;
}

/* dense<...> : type. The elements are read when the type is known. */
static bool webnn_stablehlo__read_dense(webnn_stablehlo__reader *r, webnn_stablehlo__attribute *a) {
  size_t start, behind;
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__at(r, '<'))
    return webnn_stablehlo__expected(r, "'<' after dense");
  start = r->position;
  if (!webnn_stablehlo__skip_brackets(r) || !webnn_stablehlo__read_literal_type(r, a))
    return false;
  behind = r->token.start;
  if (!a->element_bytes || !a->count)
    return true; /* not covered: only the type is of interest */
  webnn_stablehlo__seek(r, start);
  if (!webnn_stablehlo__read_elements(r, a) || !webnn_stablehlo__expect(r, '>'))
    return false;
  webnn_stablehlo__seek(r, behind);
  return true;
}

/* dense_resource<name> : type; the bytes are at the end of the text. */
static bool webnn_stablehlo__read_resource(webnn_stablehlo__reader *r,
                                           webnn_stablehlo__attribute *a) {
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__expect(r, '<'))
    return false;
  if (r->token.kind == WEBNN_STABLEHLO__STRING)
    a->text = webnn_stablehlo__token_name(r, &a->length);
  else if (r->token.kind == WEBNN_STABLEHLO__WORD) {
    a->text = webnn_stablehlo__token_text(r);
    a->length = r->token.end - r->token.start;
  } else {
    return webnn_stablehlo__expected(r, "the name of a resource");
  }
  webnn_stablehlo__next(r);
  return webnn_stablehlo__expect(r, '>') && webnn_stablehlo__read_literal_type(r, a);
}

/* ---- Lists and dictionaries ------------------------------------------------------------------ */

/* Attributes up to `close`, which is passed. */
static bool webnn_stablehlo__read_sequence(webnn_stablehlo__reader *r, char close,
                                           webnn_stablehlo__list *items) {
  if (webnn_stablehlo__accept(r, close))
    return true;
  do {
    webnn_stablehlo__attribute *item = webnn_stablehlo__read_attribute(r);
    if (!item || !webnn_stablehlo__push(r->m, items, item))
      return false;
  } while (webnn_stablehlo__accept(r, ','));
  return webnn_stablehlo__expect(r, close);
}

/* array<i64: 1, 2> */
static bool webnn_stablehlo__read_array(webnn_stablehlo__reader *r, webnn_stablehlo__attribute *a) {
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__expect(r, '<'))
    return false;
  a->type = webnn_stablehlo__read_type(r);
  if (!a->type)
    return false;
  if (webnn_stablehlo__accept(r, '>'))
    return true;
  return webnn_stablehlo__expect(r, ':') && webnn_stablehlo__read_sequence(r, '>', &a->items);
}

/* name = value, name, ... up to '}', which is passed. */
static bool webnn_stablehlo__read_dictionary(webnn_stablehlo__reader *r,
                                             webnn_stablehlo__list *items) {
  if (webnn_stablehlo__accept(r, '}'))
    return true;
  do {
    const char *name;
    size_t length;
    webnn_stablehlo__attribute *value;
    if (r->token.kind == WEBNN_STABLEHLO__STRING)
      name = webnn_stablehlo__token_name(r, &length);
    else if (r->token.kind == WEBNN_STABLEHLO__WORD)
      name = webnn_stablehlo__token_text(r);
    else
      return webnn_stablehlo__expected(r, "the name of an attribute");
    webnn_stablehlo__next(r);
    if (webnn_stablehlo__accept(r, '='))
      value = webnn_stablehlo__read_attribute(r);
    else
      value = webnn_stablehlo__new_attribute(r, WEBNN_STABLEHLO__UNIT);
    if (!value || !webnn_stablehlo__add_named(r, items, name, value))
      return false;
  } while (webnn_stablehlo__accept(r, ','));
  return webnn_stablehlo__expect(r, '}');
}

/* [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]: a sequence of three sequences of numbers and names. */
static bool webnn_stablehlo__read_convolution_numbers(webnn_stablehlo__reader *r,
                                                      webnn_stablehlo__attribute *a) {
  int part;
  a->kind = WEBNN_STABLEHLO__SEQUENCE;
  for (part = 0; part < 3; part++) {
    webnn_stablehlo__attribute *list;
    if (part == 1 && !webnn_stablehlo__expect_word(r, "x"))
      return false;
    if (part == 2 && !webnn_stablehlo__accept_arrow(r))
      return webnn_stablehlo__expected(r, "'->'");
    list = webnn_stablehlo__new_attribute(r, WEBNN_STABLEHLO__SEQUENCE);
    if (!list || !webnn_stablehlo__push(r->m, &a->items, list) ||
        !webnn_stablehlo__expect(r, '[') || !webnn_stablehlo__read_sequence(r, ']', &list->items))
      return false;
  }
  return true;
}

/* What is between the brackets of #stablehlo.gather<...>, the first of which has been passed: names
   with values, and words. */
static bool webnn_stablehlo__read_parameters(webnn_stablehlo__reader *r,
                                             webnn_stablehlo__attribute *a) {
  a->kind = WEBNN_STABLEHLO__DICTIONARY;
  if (webnn_stablehlo__at(r, '['))
    return webnn_stablehlo__read_convolution_numbers(r, a) && webnn_stablehlo__expect(r, '>');
  while (!webnn_stablehlo__accept(r, '>')) {
    if (r->token.kind == WEBNN_STABLEHLO__WORD) {
      const char *name = webnn_stablehlo__token_text(r);
      webnn_stablehlo__next(r);
      a->text = name;
      if (webnn_stablehlo__accept(r, '=')) {
        webnn_stablehlo__attribute *value = webnn_stablehlo__read_attribute(r);
        if (!value || !webnn_stablehlo__add_named(r, &a->items, name, value))
          return false;
      }
    } else if (r->token.kind == WEBNN_STABLEHLO__END ||
               r->token.kind == WEBNN_STABLEHLO__UNCLOSED) {
      return webnn_stablehlo__expected(r, "'>'");
    } else if (webnn_stablehlo__at(r, '[') || webnn_stablehlo__at(r, '{')) {
      if (!webnn_stablehlo__skip_brackets(r))
        return false;
    } else {
      webnn_stablehlo__next(r);
    }
  }
  return true;
}

/* ---- Attributes ------------------------------------------------------------------------------ */

/* #alias, #stablehlo.name<...>, #stablehlo<name WORD>; other dialects' are passed over. */
static bool webnn_stablehlo__read_hash(webnn_stablehlo__reader *r, webnn_stablehlo__attribute *a) {
  const char *text = r->m->text + r->token.start;
  const bool known = strncmp(text, "#stablehlo", 10) == 0 || strncmp(text, "#mhlo", 5) == 0 ||
                     strncmp(text, "#chlo", 5) == 0;
  a->kind = WEBNN_STABLEHLO__ALIAS;
  a->text = webnn_stablehlo__token_text(r);
  a->length = r->token.end - r->token.start;
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__at(r, '<'))
    return true;
  if (known) {
    webnn_stablehlo__next(r);
    return webnn_stablehlo__read_parameters(r, a);
  }
  a->kind = WEBNN_STABLEHLO__SKIPPED;
  return webnn_stablehlo__skip_brackets(r);
}

/* A number, with its type behind it. */
static bool webnn_stablehlo__read_typed_number(webnn_stablehlo__reader *r,
                                               webnn_stablehlo__attribute *a) {
  const webnn_stablehlo__token first = r->token;
  const bool negative = webnn_stablehlo__accept(r, '-');
  uint64_t magnitude = 0;
  a->kind =
      r->token.kind == WEBNN_STABLEHLO__FLOAT ? WEBNN_STABLEHLO__DECIMAL : WEBNN_STABLEHLO__WHOLE;
  if (r->token.kind == WEBNN_STABLEHLO__INTEGER) {
    if (!webnn_stablehlo__token_integer(r, &magnitude))
      return webnn_stablehlo__fail(r, first.start, "this integer needs more than 64 bits");
    /* Two's complement: an unsigned number above 2^63 - 1 wraps. */
    magnitude = negative ? 0 - magnitude : magnitude;
    memcpy(&a->whole, &magnitude, sizeof magnitude);
    a->decimal = (double)a->whole;
    webnn_stablehlo__next(r);
  } else {
    webnn_stablehlo__seek(r, first.start);
    if (!webnn_stablehlo__read_number(r, &a->decimal))
      return false;
  }
  if (!webnn_stablehlo__accept(r, ':'))
    return true;
  a->type = webnn_stablehlo__read_type(r);
  if (a->type && a->kind == WEBNN_STABLEHLO__WHOLE && a->type->number == 'f') {
    /* Hexadecimal: the bits of a float. */
    const uint32_t word = (uint32_t)magnitude;
    float single;
    a->kind = WEBNN_STABLEHLO__DECIMAL;
    memcpy(&single, &word, sizeof single);
    if (a->type->bits == 64)
      memcpy(&a->decimal, &magnitude, sizeof magnitude);
    else if (a->type->bits == 32)
      a->decimal = (double)single;
    else
      a->decimal = (double)webnn_float16_to_float32((uint16_t)magnitude);
  }
  return a->type != NULL;
}

static bool webnn_stablehlo__read_attribute_word(webnn_stablehlo__reader *r,
                                                 webnn_stablehlo__attribute *a) {
  static const char *const types[] = {"tensor", "tuple", "vector", "memref", "complex", "none"};
  webnn_stablehlo__type number;
  size_t i;
  a->kind = WEBNN_STABLEHLO__DENSE;
  if (webnn_stablehlo__token_is(r, "dense"))
    return webnn_stablehlo__read_dense(r, a);
  if (webnn_stablehlo__token_is(r, "dense_resource"))
    return webnn_stablehlo__read_resource(r, a);
  a->kind = WEBNN_STABLEHLO__SEQUENCE;
  if (webnn_stablehlo__token_is(r, "array"))
    return webnn_stablehlo__read_array(r, a);
  a->kind = WEBNN_STABLEHLO__SKIPPED;
  if (webnn_stablehlo__token_is(r, "loc"))
    return webnn_stablehlo__skip_location(r, NULL);
  a->text = webnn_stablehlo__token_text(r);
  if (!a->text)
    return false;
  a->kind = WEBNN_STABLEHLO__TYPE;
  for (i = 0; i < sizeof types / sizeof types[0]; i++)
    if (webnn_stablehlo__token_is(r, types[i]))
      return (a->type = webnn_stablehlo__read_type(r)) != NULL;
  memset(&number, 0, sizeof number);
  if (webnn_stablehlo__set_number(&number, a->text))
    return (a->type = webnn_stablehlo__read_type(r)) != NULL;
  a->kind = WEBNN_STABLEHLO__NAME;
  a->length = strlen(a->text);
  a->whole = strcmp(a->text, "true") == 0;
  if (a->whole || strcmp(a->text, "false") == 0)
    a->kind = WEBNN_STABLEHLO__WHOLE;
  webnn_stablehlo__next(r);
  if (webnn_stablehlo__at(r, '<')) { /* affine_map<...>, sparse<...> */
    a->kind = WEBNN_STABLEHLO__SKIPPED;
    return webnn_stablehlo__skip_brackets(r);
  }
  return true;
}

static bool webnn_stablehlo__read_attribute_inside(webnn_stablehlo__reader *r,
                                                   webnn_stablehlo__attribute *a) {
  const webnn_stablehlo__token_kind kind = r->token.kind;
  if (kind == WEBNN_STABLEHLO__INTEGER || kind == WEBNN_STABLEHLO__FLOAT ||
      webnn_stablehlo__at(r, '-'))
    return webnn_stablehlo__read_typed_number(r, a);
  if (kind == WEBNN_STABLEHLO__STRING || kind == WEBNN_STABLEHLO__SYMBOL) {
    a->kind = kind == WEBNN_STABLEHLO__STRING ? WEBNN_STABLEHLO__BYTES : WEBNN_STABLEHLO__NAME;
    a->text = webnn_stablehlo__token_name(r, &a->length);
    webnn_stablehlo__next(r);
    return a->text != NULL;
  }
  if (webnn_stablehlo__accept(r, '[')) {
    a->kind = WEBNN_STABLEHLO__SEQUENCE;
    return webnn_stablehlo__read_sequence(r, ']', &a->items);
  }
  if (webnn_stablehlo__accept(r, '{')) {
    a->kind = WEBNN_STABLEHLO__DICTIONARY;
    return webnn_stablehlo__read_dictionary(r, &a->items);
  }
  if (webnn_stablehlo__accept(r, '<'))
    return webnn_stablehlo__read_parameters(r, a);
  if (kind == WEBNN_STABLEHLO__HASH)
    return webnn_stablehlo__read_hash(r, a);
  if (kind == WEBNN_STABLEHLO__WORD)
    return webnn_stablehlo__read_attribute_word(r, a);
  if (kind == WEBNN_STABLEHLO__BANG || webnn_stablehlo__at(r, '(')) {
    a->kind = WEBNN_STABLEHLO__TYPE;
    return (a->type = webnn_stablehlo__read_type(r)) != NULL;
  }
  return webnn_stablehlo__expected(r, "an attribute");
}

static webnn_stablehlo__attribute *webnn_stablehlo__read_attribute(webnn_stablehlo__reader *r) {
  webnn_stablehlo__attribute *a = webnn_stablehlo__new_attribute(r, WEBNN_STABLEHLO__UNIT);
  if (!a || !webnn_stablehlo__enter(r))
    return NULL;
  return webnn_stablehlo__leave(r, webnn_stablehlo__read_attribute_inside(r, a)) ? a : NULL;
}

/* The value of a name in a dictionary; NULL if it is not there. Aliases are followed. */
static const webnn_stablehlo__attribute *
webnn_stablehlo__look_up(const webnn_stablehlo *m, const webnn_stablehlo__list *items,
                         const char *name) {
  size_t i;
  int hops;
  for (i = 0; i < items->count; i++) {
    const webnn_stablehlo__named *named = (const webnn_stablehlo__named *)items->items[i];
    if (strcmp(named->name, name) == 0) {
      const webnn_stablehlo__attribute *a = named->value;
      for (hops = 0; a && a->kind == WEBNN_STABLEHLO__ALIAS && hops < 8; hops++)
        a = (const webnn_stablehlo__attribute *)webnn_stablehlo__find(&m->attribute_aliases,
                                                                      a->text, a->length);
      return a;
    }
  }
  return NULL;
}

/* ==============================================================================================
   Operations
   ============================================================================================== */

/* The result of an operation, or the argument of a region. */
typedef struct webnn_stablehlo__value {
  const webnn_stablehlo__type *type;
  const webnn_stablehlo__type *open; /* what the text has, where sizes of it have been filled in */
  const struct webnn_stablehlo__value
      *argument;    /* that a call gives for this one; NULL: not known */
  const char *name; /* in the text, with its length */
  size_t name_length;
  struct webnn_stablehlo__operation *operation; /* NULL: an argument */
  struct webnn_stablehlo__region *region;       /* where it is defined */
  bool constant;                                /* computed from constants only */
  webnn_xla_value *recorded;                    /* in the computation number `frame` */
  size_t frame;
} webnn_stablehlo__value;

typedef struct webnn_stablehlo__operation {
  const char *name;
  const struct webnn_stablehlo__row *row; /* NULL: not known */
  size_t offset;
  webnn_stablehlo__list operands, attributes, regions;
  webnn_stablehlo__value *results;
  size_t result_count;
  struct webnn_stablehlo__region *region; /* that it is in */
  struct webnn_stablehlo__operation *next, *older;
} webnn_stablehlo__operation;

typedef struct webnn_stablehlo__region {
  webnn_stablehlo__list arguments;
  webnn_stablehlo__operation *first, *last;
  struct webnn_stablehlo__region *parent;
  size_t depth;
} webnn_stablehlo__region;

typedef enum webnn_stablehlo__function_state {
  WEBNN_STABLEHLO__NEW_FUNCTION,
  WEBNN_STABLEHLO__IN_PROGRESS,
  WEBNN_STABLEHLO__BUILT,
  WEBNN_STABLEHLO__FAILED
} webnn_stablehlo__function_state;

typedef struct webnn_stablehlo__function {
  const char *name;
  size_t offset;
  bool is_private;
  webnn_stablehlo__region *body; /* NULL: only declared */
  webnn_stablehlo__list argument_types, argument_texts, argument_names;
  webnn_stablehlo__list result_types, result_texts, result_names;
  webnn_stablehlo__function_state state;
  const webnn_xla_computation *computation;
  webnn_error error;
  struct webnn_stablehlo__function *next;
} webnn_stablehlo__function;

struct webnn_stablehlo__recorder;

/* What an operation does besides its formula. */
#define WEBNN_STABLEHLO__MOVES 1   /* moves elements: quantized ones as they are stored */
#define WEBNN_STABLEHLO__STORED 2  /* takes quantized operands as they are stored in any case */
#define WEBNN_STABLEHLO__EFFECT 4  /* not computed from its operands alone */
#define WEBNN_STABLEHLO__PASSES 8  /* results may be tuples, tokens or nothing */
#define WEBNN_STABLEHLO__SHAPED 16 /* `record` gets operands itself: some only give shapes */

/* An operation of the table: how its text reads and how it is recorded.

   `form` is the pretty form behind the name. A % is an operand, * operands with commas between
   them, and < > [ ] a word and an integer in brackets, which become attributes of that name;
   `dim>dimension=i` is "dim = 1", which becomes the attribute `dimension`, of the kind behind =: i
   an integer, I integers in brackets, P two such lists with x between them, N a number, W a word, s
   a string, C dimension numbers of a convolution, E a format like e5m10, A any attribute. ? means
   "if a comma and this follows". @ is a function's name, Q a string, V a literal, S slices. Other
   characters are themselves. Behind : is what is meant where the types are not a function's: = one
   type for all, p a type for each operand and its result, o those of the operands, r those of the
   results, s a predicate's and the others', c operands' and after an arrow the result's, f nothing.
   Forms that begin with ! have a reader of their own. */
typedef struct webnn_stablehlo__row {
  const char *name; /* without "stablehlo." */
  const char *form;
  int least, most; /* how many operands; most -1: any number */
  int regions;     /* how many; -1: any number */
  int flags;
  webnn_xla_value *(*record)(struct webnn_stablehlo__recorder *t,
                             const webnn_stablehlo__operation *o, webnn_xla_value **x);
  int parameter;      /* for `record` */
  const char *reason; /* why it is not covered; NULL if it is */
} webnn_stablehlo__row;

static bool webnn_stablehlo__read_operation(webnn_stablehlo__reader *r);

static const webnn_stablehlo__attribute *
webnn_stablehlo__attribute_of(const webnn_stablehlo *m, const webnn_stablehlo__operation *o,
                              const char *name) {
  return webnn_stablehlo__look_up(m, &o->attributes, name);
}

/* The item of that name, if the attribute is a dictionary. */
static const webnn_stablehlo__attribute *
webnn_stablehlo__item_of(const webnn_stablehlo *m, const webnn_stablehlo__attribute *a,
                         const char *name) {
  return a->kind == WEBNN_STABLEHLO__DICTIONARY ? webnn_stablehlo__look_up(m, &a->items, name)
                                                : NULL;
}

/* ---- Names of values ------------------------------------------------------------------------- */

/* What a name stands for: the results of an operation, or an argument. */
typedef struct webnn_stablehlo__binding {
  webnn_stablehlo__value *values;
  size_t count;
} webnn_stablehlo__binding;

static bool webnn_stablehlo__define(webnn_stablehlo__reader *r, webnn_stablehlo__token name,
                                    webnn_stablehlo__value *values, size_t count) {
  const char *text = r->m->text + name.start;
  const size_t length = name.end - name.start;
  webnn_stablehlo__binding *binding = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__binding, 1);
  size_t i;
  if (!binding)
    return false;
  if (webnn_stablehlo__find(&r->values, text, length))
    return webnn_stablehlo__fail(r, name.start, "%.*s is already defined",
                                 length < 60 ? (int)length : 60, text);
  binding->values = values;
  binding->count = count;
  for (i = 0; i < count; i++) {
    values[i].name = text;
    values[i].name_length = length;
  }
  return webnn_stablehlo__insert(r->m, &r->values, text, length, binding);
}

/* %0 or %0#1 */
static webnn_stablehlo__value *webnn_stablehlo__read_value(webnn_stablehlo__reader *r) {
  const webnn_stablehlo__token name = r->token;
  const size_t length = name.end - name.start;
  const char *text = r->m->text + name.start;
  const webnn_stablehlo__binding *binding;
  uint64_t index = 0;
  if (name.kind != WEBNN_STABLEHLO__VALUE) {
    webnn_stablehlo__expected(r, "a value");
    return NULL;
  }
  webnn_stablehlo__next(r);
  if (r->token.kind == WEBNN_STABLEHLO__HASH && r->token.start == name.end &&
      webnn_stablehlo__is_digit(r->m->text[name.end + 1])) {
    r->token.start++;
    if (!webnn_stablehlo__token_integer(r, &index))
      index = UINT64_MAX;
    webnn_stablehlo__next(r);
  }
  binding = (const webnn_stablehlo__binding *)webnn_stablehlo__find(&r->values, text, length);
  if (!binding)
    webnn_stablehlo__fail(r, name.start, "%.*s is not defined before its use",
                          length < 60 ? (int)length : 60, text);
  else if (index >= binding->count)
    webnn_stablehlo__fail(r, name.start,
                          "the number of results of %.*s is %zu: there is no #%" PRIu64,
                          length < 60 ? (int)length : 60, text, binding->count, index);
  return r->failed ? NULL : &binding->values[index];
}

static bool webnn_stablehlo__read_operand(webnn_stablehlo__reader *r,
                                          webnn_stablehlo__operation *o) {
  webnn_stablehlo__value *value = webnn_stablehlo__read_value(r);
  return value && (webnn_stablehlo__push(r->m, &o->operands, value));
}

/* Operands with commas between them, and a comma behind the last one if something follows. */
static bool webnn_stablehlo__read_operands(webnn_stablehlo__reader *r,
                                           webnn_stablehlo__operation *o) {
  while (r->token.kind == WEBNN_STABLEHLO__VALUE) {
    if (!webnn_stablehlo__read_operand(r, o))
      return false;
    if (!webnn_stablehlo__accept(r, ','))
      return true;
  }
  return true;
}

/* ---- Regions --------------------------------------------------------------------------------- */

/* What is restored when a region ends. */
typedef struct webnn_stablehlo__mark {
  webnn_stablehlo__region *region;
  const webnn_stablehlo__entry *newest;
} webnn_stablehlo__mark;

static webnn_stablehlo__region *webnn_stablehlo__begin_region(webnn_stablehlo__reader *r,
                                                              webnn_stablehlo__mark *mark) {
  webnn_stablehlo__region *region = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__region, 1);
  mark->region = r->region;
  mark->newest = r->values.newest;
  if (!region)
    return NULL;
  region->parent = r->region;
  region->depth = r->region ? r->region->depth + 1 : 0;
  r->region = region;
  return region;
}

static void webnn_stablehlo__end_region(webnn_stablehlo__reader *r,
                                        const webnn_stablehlo__mark *mark) {
  r->region = mark->region;
  webnn_stablehlo__forget(&r->values, mark->newest);
}

/* An argument of the region that is read, without a name if the token is none. */
static webnn_stablehlo__value *webnn_stablehlo__add_argument(webnn_stablehlo__reader *r,
                                                             const webnn_stablehlo__token *name,
                                                             const webnn_stablehlo__type *type) {
  webnn_stablehlo__value *value = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__value, 1);
  if (!value || !webnn_stablehlo__push(r->m, &r->region->arguments, value)) {
    return NULL;
  }
  value->type = type;
  value->region = r->region;
  value->name = "";
  if (name && !webnn_stablehlo__define(r, *name, value, 1))
    return NULL;
  return value;
}

/* %arg0: type, ... up to ')', which is passed. */
static bool webnn_stablehlo__read_region_arguments(webnn_stablehlo__reader *r) {
  if (webnn_stablehlo__accept(r, ')'))
    return true;
  do {
    const webnn_stablehlo__token name = r->token;
    webnn_stablehlo__type *type;
    if (name.kind != WEBNN_STABLEHLO__VALUE)
      return webnn_stablehlo__expected(r, "the name of an argument");
    webnn_stablehlo__next(r);
    if (!webnn_stablehlo__expect(r, ':'))
      return false;
    type = webnn_stablehlo__read_type(r);
    if (!type || !webnn_stablehlo__add_argument(r, &name, type) ||
        !webnn_stablehlo__skip_location(r, NULL))
      return false;
  } while (webnn_stablehlo__accept(r, ','));
  return webnn_stablehlo__expect(r, ')');
}

/* { ^bb0(...): operations }, whose region has begun. */
static bool webnn_stablehlo__read_body(webnn_stablehlo__reader *r) {
  if (!webnn_stablehlo__expect(r, '{'))
    return false;
  if (r->token.kind == WEBNN_STABLEHLO__LABEL) {
    webnn_stablehlo__next(r);
    if (webnn_stablehlo__accept(r, '(') && !webnn_stablehlo__read_region_arguments(r))
      return false;
    if (!webnn_stablehlo__expect(r, ':'))
      return false;
  }
  while (!webnn_stablehlo__accept(r, '}')) {
    if (r->token.kind == WEBNN_STABLEHLO__LABEL)
      return webnn_stablehlo__fail(r, r->token.start, "a region of several blocks is not read");
    if (r->token.kind == WEBNN_STABLEHLO__END)
      return webnn_stablehlo__expected(r, "an operation or '}'");
    if (!webnn_stablehlo__read_operation(r))
      return false;
  }
  return true;
}

/* A region of an operation. `names`, if given, are the arguments, whose types are those of
   `values`. */
static bool webnn_stablehlo__read_region(webnn_stablehlo__reader *r, webnn_stablehlo__operation *o,
                                         const webnn_stablehlo__token *names,
                                         const webnn_stablehlo__list *values) {
  webnn_stablehlo__mark mark;
  webnn_stablehlo__region *region;
  bool result;
  size_t i;
  if (!webnn_stablehlo__enter(r))
    return false;
  region = webnn_stablehlo__begin_region(r, &mark);
  result = region && webnn_stablehlo__push(r->m, &o->regions, region);
  for (i = 0; result && values && i < values->count; i++)
    result = webnn_stablehlo__add_argument(
                 r, &names[i], ((const webnn_stablehlo__value *)values->items[i])->type) != NULL;
  result = result && webnn_stablehlo__read_body(r);
  webnn_stablehlo__end_region(r, &mark);
  return webnn_stablehlo__leave(r, result);
}

/* ---- Types of an operation ------------------------------------------------------------------- */

static bool webnn_stablehlo__check_operand_types(webnn_stablehlo__reader *r,
                                                 const webnn_stablehlo__operation *o,
                                                 const webnn_stablehlo__list *types,
                                                 size_t offset) {
  char is[120], used[120];
  size_t i;
  if (types->count != o->operands.count)
    return webnn_stablehlo__fail(r, offset,
                                 "the number of operands of %s is %zu, but that of their types %zu",
                                 o->name, o->operands.count, types->count);
  for (i = 0; i < types->count; i++) {
    const webnn_stablehlo__value *value = (const webnn_stablehlo__value *)o->operands.items[i];
    const webnn_stablehlo__type *type = (const webnn_stablehlo__type *)types->items[i];
    const bool guessed = value->operation && !value->operation->row;
    if (!guessed && !webnn_stablehlo__same_type(value->type, type))
      return webnn_stablehlo__fail(r, offset,
                                   "operand %zu of %s has the type %s, but is used as %s", i,
                                   o->name, webnn_stablehlo__type_text(value->type, is, sizeof is),
                                   webnn_stablehlo__type_text(type, used, sizeof used));
  }
  return true;
}

static bool webnn_stablehlo__set_results(webnn_stablehlo__reader *r, webnn_stablehlo__operation *o,
                                         const webnn_stablehlo__list *types) {
  size_t i;
  o->results = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__value, types->count);
  if (!o->results)
    return false;
  o->result_count = types->count;
  for (i = 0; i < types->count; i++) {
    o->results[i].type = (const webnn_stablehlo__type *)types->items[i];
    o->results[i].operation = o;
    o->results[i].region = r->region;
    o->results[i].name = "";
  }
  return true;
}

/* Makes `count` of the one type that the text has. */
static bool webnn_stablehlo__repeat_type(webnn_stablehlo__reader *r, webnn_stablehlo__list *types,
                                         size_t count) {
  while (types->count && types->count < count)
    if (!webnn_stablehlo__push(r->m, types, types->items[0]))
      return false;
  return true;
}

/* Types that are not those of a function; what they mean is in webnn_stablehlo__row. */
static bool webnn_stablehlo__read_type_list(webnn_stablehlo__reader *r,
                                            webnn_stablehlo__operation *o, char meaning) {
  const size_t offset = r->token.start;
  const size_t count = o->operands.count;
  webnn_stablehlo__list types = {NULL, 0, 0}, results = {NULL, 0, 0};
  if (meaning == 'f')
    return webnn_stablehlo__expected(r, "'(' and the types of operands");
  do {
    webnn_stablehlo__type *type = webnn_stablehlo__read_type(r);
    if (!type || !webnn_stablehlo__push(r->m, &types, type))
      return false;
  } while (webnn_stablehlo__accept(r, ','));
  if (meaning == 'c') {
    webnn_stablehlo__type *type;
    if (!webnn_stablehlo__accept_arrow(r))
      return webnn_stablehlo__expected(r, "'->'");
    if (webnn_stablehlo__accept(r, '(')) {
      if (!webnn_stablehlo__read_types(r, ')', &results))
        return false;
    } else {
      type = webnn_stablehlo__read_type(r);
      if (!type || !webnn_stablehlo__push(r->m, &results, type))
        return false;
    }
  }
  if (meaning == 'r')
    return webnn_stablehlo__set_results(r, o, &types);
  if (meaning == '=' && types.count != 1)
    return webnn_stablehlo__fail(r, offset, "%s needs one type, or those of a function", o->name);
  if (meaning == 's' && types.count != 2)
    return webnn_stablehlo__fail(r, offset, "%s needs two types, or those of a function", o->name);
  if (meaning == '=' || meaning == 's')
    if (!webnn_stablehlo__push(r->m, &results, types.items[types.count - 1]))
      return false;
  if (meaning == 's' && !webnn_stablehlo__push(r->m, &types, types.items[1]))
    return false;
  if ((meaning == '=' || (meaning == 'o' && types.count == 1)) &&
      !webnn_stablehlo__repeat_type(r, &types, count))
    return false;
  if (!webnn_stablehlo__check_operand_types(r, o, &types, offset))
    return false;
  return webnn_stablehlo__set_results(r, o, meaning == 'p' ? &types : &results);
}

/* The types behind ':', which is the token. */
static bool webnn_stablehlo__read_operation_types(webnn_stablehlo__reader *r,
                                                  webnn_stablehlo__operation *o, char meaning) {
  size_t offset;
  webnn_stablehlo__type *type;
  if (!webnn_stablehlo__at(r, ':') && o->operands.count == 0 && strchr("op", meaning))
    return true;
  if (!webnn_stablehlo__expect(r, ':'))
    return false;
  offset = r->token.start;
  if (!webnn_stablehlo__at(r, '('))
    return webnn_stablehlo__read_type_list(r, o, meaning);
  type = webnn_stablehlo__read_type(r);
  return type && webnn_stablehlo__check_operand_types(r, o, &type->elements, offset) &&
         webnn_stablehlo__set_results(r, o, &type->results);
}

/* ---- The generic form ------------------------------------------------------------------------ */

/* A dictionary of attributes, if there is one. */
static bool webnn_stablehlo__read_attributes(webnn_stablehlo__reader *r,
                                             webnn_stablehlo__operation *o) {
  return !webnn_stablehlo__accept(r, '{') || webnn_stablehlo__read_dictionary(r, &o->attributes);
}

/* <{...}>, if it is there */
static bool webnn_stablehlo__read_properties(webnn_stablehlo__reader *r,
                                             webnn_stablehlo__operation *o) {
  return !webnn_stablehlo__accept(r, '<') ||
         (webnn_stablehlo__expect(r, '{') && webnn_stablehlo__read_dictionary(r, &o->attributes) &&
          webnn_stablehlo__expect(r, '>'));
}

/* ({...}, {...}), if it is there */
static bool webnn_stablehlo__read_regions(webnn_stablehlo__reader *r,
                                          webnn_stablehlo__operation *o) {
  if (!webnn_stablehlo__accept(r, '('))
    return true;
  do
    if (!webnn_stablehlo__read_region(r, o, NULL, NULL))
      return false;
  while (webnn_stablehlo__accept(r, ','));
  return webnn_stablehlo__expect(r, ')');
}

/* (operands) <{...}> ({regions}) {attributes} : (types) -> types */
static bool webnn_stablehlo__read_generic(webnn_stablehlo__reader *r,
                                          webnn_stablehlo__operation *o) {
  return webnn_stablehlo__expect(r, '(') && webnn_stablehlo__read_operands(r, o) &&
         webnn_stablehlo__expect(r, ')') && webnn_stablehlo__read_properties(r, o) &&
         webnn_stablehlo__read_regions(r, o) && webnn_stablehlo__read_attributes(r, o) &&
         webnn_stablehlo__read_operation_types(r, o, 'f');
}

/* ---- The pretty forms ------------------------------------------------------------------------ */

/* [0:4, 1:8:2]: start_indices, limit_indices, strides. */
static bool webnn_stablehlo__read_slices(webnn_stablehlo__reader *r,
                                         webnn_stablehlo__operation *o) {
  static const char *const names[] = {"start_indices", "limit_indices", "strides"};
  webnn_stablehlo__attribute *lists[3];
  int part;
  if (!webnn_stablehlo__expect(r, '['))
    return false;
  for (part = 0; part < 3; part++) {
    lists[part] = webnn_stablehlo__new_attribute(r, WEBNN_STABLEHLO__SEQUENCE);
    if (!lists[part] || !webnn_stablehlo__add_named(r, &o->attributes, names[part], lists[part]))
      return false;
  }
  if (webnn_stablehlo__accept(r, ']'))
    return true;
  do
    for (part = 0; part < 3; part++) {
      webnn_stablehlo__attribute *item = webnn_stablehlo__new_attribute(r, WEBNN_STABLEHLO__WHOLE);
      if (!item || !webnn_stablehlo__push(r->m, &lists[part]->items, item))
        return false;
      item->whole = 1;
      if (part == 1 && !webnn_stablehlo__expect(r, ':'))
        return false;
      if ((part < 2 || webnn_stablehlo__accept(r, ':')) &&
          !webnn_stablehlo__read_integer(r, &item->whole))
        return false;
    }
  while (webnn_stablehlo__accept(r, ','));
  return webnn_stablehlo__expect(r, ']');
}

/* e5m10: exponent_bits and mantissa_bits. */
static bool webnn_stablehlo__read_format(webnn_stablehlo__reader *r,
                                         webnn_stablehlo__operation *o) {
  static const char *const names[] = {"exponent_bits", "mantissa_bits"};
  const char *text = r->m->text + r->token.start;
  const size_t length = r->token.end - r->token.start;
  size_t at = 0;
  int part;
  for (part = 0; part < 2; part++) {
    webnn_stablehlo__attribute *a = webnn_stablehlo__new_attribute(r, WEBNN_STABLEHLO__WHOLE);
    const size_t start = at + 1;
    if (!a || !webnn_stablehlo__add_named(r, &o->attributes, names[part], a))
      return false;
    if (at >= length || text[at] != "em"[part])
      return webnn_stablehlo__expected(r, "a format like e5m10");
    for (at = start; at < length && webnn_stablehlo__is_digit(text[at]) && a->whole < 1000; at++)
      a->whole = a->whole * 10 + (text[at] - '0');
    if (at == start)
      return webnn_stablehlo__expected(r, "a format like e5m10");
  }
  if (at != length)
    return webnn_stablehlo__expected(r, "a format like e5m10");
  webnn_stablehlo__next(r);
  return true;
}

/* [0] x [1]: a sequence of two. */
static bool webnn_stablehlo__read_list_pair(webnn_stablehlo__reader *r,
                                            webnn_stablehlo__attribute *a) {
  int part;
  a->kind = WEBNN_STABLEHLO__SEQUENCE;
  for (part = 0; part < 2; part++) {
    webnn_stablehlo__attribute *list = webnn_stablehlo__new_attribute(r, WEBNN_STABLEHLO__SEQUENCE);
    if (!list || !webnn_stablehlo__push(r->m, &a->items, list))
      return false;
    if (part && !webnn_stablehlo__expect_word(r, "x"))
      return false;
    if (!webnn_stablehlo__expect(r, '[') || !webnn_stablehlo__read_sequence(r, ']', &list->items))
      return false;
  }
  return true;
}

/* A value of the kind that a form names. */
static bool webnn_stablehlo__read_form_value(webnn_stablehlo__reader *r,
                                             webnn_stablehlo__operation *o, char kind,
                                             webnn_stablehlo__attribute *a) {
  switch (kind) {
  case 'i':
    a->kind = WEBNN_STABLEHLO__WHOLE;
    return webnn_stablehlo__read_integer(r, &a->whole);
  case 'N':
    a->kind = WEBNN_STABLEHLO__DECIMAL;
    return webnn_stablehlo__read_number(r, &a->decimal);
  case 'I':
    a->kind = WEBNN_STABLEHLO__SEQUENCE;
    return webnn_stablehlo__expect(r, '[') && webnn_stablehlo__read_sequence(r, ']', &a->items);
  case 'W':
    a->kind = WEBNN_STABLEHLO__NAME;
    a->text = webnn_stablehlo__token_text(r);
    if (r->token.kind != WEBNN_STABLEHLO__WORD)
      return webnn_stablehlo__expected(r, "a word");
    webnn_stablehlo__next(r);
    return a->text != NULL;
  case 's':
    if (r->token.kind != WEBNN_STABLEHLO__STRING)
      return webnn_stablehlo__expected(r, "a string");
    return webnn_stablehlo__read_attribute_inside(r, a);
  case '@':
    if (r->token.kind != WEBNN_STABLEHLO__SYMBOL)
      return webnn_stablehlo__expected(r, "the name of a function");
    return webnn_stablehlo__read_attribute_inside(r, a);
  case 'C':
    return webnn_stablehlo__read_convolution_numbers(r, a);
  case 'P':
    return webnn_stablehlo__read_list_pair(r, a);
  case 'E':
    return webnn_stablehlo__read_format(r, o);
  default:
    return webnn_stablehlo__read_attribute_inside(r, a);
  }
}

/* The attribute `name` of a kind. */
static bool webnn_stablehlo__read_form_attribute(webnn_stablehlo__reader *r,
                                                 webnn_stablehlo__operation *o, const char *name,
                                                 size_t length, char kind) {
  webnn_stablehlo__attribute *a = webnn_stablehlo__new_attribute(r, WEBNN_STABLEHLO__UNIT);
  return a &&
         webnn_stablehlo__add_named(r, &o->attributes, webnn_stablehlo__copy(r->m, name, length),
                                    a) &&
         webnn_stablehlo__read_form_value(r, o, kind, a);
}

/* key=kind or key>name=kind, at *form, which becomes what is behind it. */
static bool webnn_stablehlo__read_form_key(webnn_stablehlo__reader *r,
                                           webnn_stablehlo__operation *o, const char **form) {
  const char *key = *form, *end = key + strcspn(key, ">="), *name = key, *equals = end;
  char word[40];
  if (*end == '>') {
    name = end + 1;
    equals = name + strcspn(name, "=");
  }
  snprintf(word, sizeof word, "%.*s", (int)(end - key), key);
  *form = equals + 2;
  return webnn_stablehlo__expect_word(r, word) && webnn_stablehlo__expect(r, '=') &&
         webnn_stablehlo__read_form_attribute(r, o, name, (size_t)(equals - name), equals[1]);
}

/* The item of a form that is behind ? follows: a comma, and the key if it has one. The comma is
   passed. */
static bool webnn_stablehlo__form_follows(webnn_stablehlo__reader *r, const char *form) {
  const webnn_stablehlo__token comma = r->token;
  char word[40];
  if (!webnn_stablehlo__accept(r, ','))
    return false;
  if (*form == '<')
    return true;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(form, ">="), form);
  if (webnn_stablehlo__at_word(r, word))
    return true;
  webnn_stablehlo__seek(r, comma.start);
  return false;
}

/* <name> or [name], at *form. */
static bool webnn_stablehlo__read_form_bracket(webnn_stablehlo__reader *r,
                                               webnn_stablehlo__operation *o, const char **form) {
  const char *name = *form + 1;
  const size_t length = strcspn(name, ">]");
  const bool is_index = **form == '[';
  *form = name + length + 1;
  if (!is_index)
    return webnn_stablehlo__read_form_attribute(r, o, name, length, 'W');
  return webnn_stablehlo__expect(r, '[') &&
         webnn_stablehlo__read_form_attribute(r, o, name, length, 'i') &&
         webnn_stablehlo__expect(r, ']');
}

static bool webnn_stablehlo__read_form_item(webnn_stablehlo__reader *r,
                                            webnn_stablehlo__operation *o, const char **form) {
  const char item = **form;
  if (webnn_stablehlo__is_letter(item) && item >= 'a')
    return webnn_stablehlo__read_form_key(r, o, form);
  if (item == '<' || item == '[')
    return webnn_stablehlo__read_form_bracket(r, o, form);
  (*form)++;
  switch (item) {
  case '%':
    return webnn_stablehlo__read_operand(r, o);
  case '*':
    return webnn_stablehlo__read_operands(r, o);
  case 'S':
    return webnn_stablehlo__read_slices(r, o);
  case 'V':
    return webnn_stablehlo__read_form_attribute(r, o, "value", 5, 'A');
  case 'Q':
    return webnn_stablehlo__read_form_attribute(r, o, "name", 4, 's');
  case '@':
    return webnn_stablehlo__read_form_attribute(r, o, "callee", 6, '@');
  default:
    return webnn_stablehlo__expect(r, item);
  }
}

static bool webnn_stablehlo__read_form(webnn_stablehlo__reader *r, webnn_stablehlo__operation *o,
                                       const char *form) {
  while (*form && *form != ':') {
    if (*form != '?') {
      if (!webnn_stablehlo__read_form_item(r, o, &form))
        return false;
    } else if (webnn_stablehlo__form_follows(r, ++form)) {
      if (!webnn_stablehlo__read_form_item(r, o, &form))
        return false;
    } else {
      form += *form == '<' ? strcspn(form, ">") + 1 : strcspn(form, "=") + 2;
    }
  }
  return webnn_stablehlo__read_attributes(r, o) &&
         (!*form || webnn_stablehlo__read_operation_types(r, o, form[1])) &&
         webnn_stablehlo__read_attributes(r, o);
}

/* {attributes} dense<...> : type */
static bool webnn_stablehlo__read_constant(webnn_stablehlo__reader *r,
                                           webnn_stablehlo__operation *o) {
  webnn_stablehlo__list types = {NULL, 0, 0};
  webnn_stablehlo__attribute *value;
  if (!webnn_stablehlo__read_attributes(r, o))
    return false;
  value = webnn_stablehlo__read_attribute(r);
  if (!value || !webnn_stablehlo__add_named(r, &o->attributes, "value", value))
    return false;
  if (value->kind != WEBNN_STABLEHLO__DENSE)
    return webnn_stablehlo__fail(r, value->offset, "the value of a constant must be dense<...>");
  if (!webnn_stablehlo__push(r->m, &types, value->type))
    return false;
  return webnn_stablehlo__set_results(r, o, &types);
}

/* (%a = %0, %b = %1) : types attributes {...} cond {...} do {...} */
static bool webnn_stablehlo__read_while(webnn_stablehlo__reader *r, webnn_stablehlo__operation *o) {
  webnn_stablehlo__list names = {NULL, 0, 0};
  webnn_stablehlo__token *tokens;
  size_t i;
  if (!webnn_stablehlo__expect(r, '('))
    return false;
  while (!webnn_stablehlo__at(r, ')')) {
    webnn_stablehlo__token *name = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__token, 1);
    if (!name || !webnn_stablehlo__push(r->m, &names, name))
      return false;
    *name = r->token;
    if (name->kind != WEBNN_STABLEHLO__VALUE)
      return webnn_stablehlo__expected(r, "the name of an argument");
    webnn_stablehlo__next(r);
    if (!webnn_stablehlo__expect(r, '=') || !webnn_stablehlo__read_operand(r, o))
      return false;
    if (!webnn_stablehlo__accept(r, ','))
      break;
  }
  if (!webnn_stablehlo__expect(r, ')') || !webnn_stablehlo__read_operation_types(r, o, 'p'))
    return false;
  if (webnn_stablehlo__accept_word(r, "attributes") && !webnn_stablehlo__read_attributes(r, o))
    return false;
  tokens = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__token, names.count);
  for (i = 0; tokens && i < names.count; i++)
    tokens[i] = *(const webnn_stablehlo__token *)names.items[i];
  return (tokens) && webnn_stablehlo__expect_word(r, "cond") &&
         webnn_stablehlo__read_region(r, o, tokens, &o->operands) &&
         webnn_stablehlo__expect_word(r, "do") &&
         webnn_stablehlo__read_region(r, o, tokens, &o->operands);
}

/* ---- reduce ---------------------------------------------------------------------------------- */

/* (%a init: %b), (%c init: %d): the operands are a, c, b, d. */
static bool webnn_stablehlo__read_reduce_operands(webnn_stablehlo__reader *r,
                                                  webnn_stablehlo__operation *o) {
  webnn_stablehlo__list inits = {NULL, 0, 0};
  size_t i;
  do {
    webnn_stablehlo__value *init;
    if (!webnn_stablehlo__expect(r, '(') || !webnn_stablehlo__read_operand(r, o) ||
        !webnn_stablehlo__expect_word(r, "init") || !webnn_stablehlo__expect(r, ':'))
      return false;
    init = webnn_stablehlo__read_value(r);
    if (!init || !webnn_stablehlo__expect(r, ')') || !webnn_stablehlo__push(r->m, &inits, init))
      return false;
  } while (webnn_stablehlo__accept(r, ','));
  for (i = 0; i < inits.count; i++)
    if (!webnn_stablehlo__push(r->m, &o->operands, inits.items[i]))
      return false;
  return true;
}

/* across dimensions = [1] {attributes} : types */
static bool webnn_stablehlo__read_reduce_tail(webnn_stablehlo__reader *r,
                                              webnn_stablehlo__operation *o) {
  const char *form = "dimensions=I";
  return webnn_stablehlo__expect_word(r, "across") &&
         webnn_stablehlo__read_form_item(r, o, &form) && webnn_stablehlo__read_attributes(r, o) &&
         webnn_stablehlo__read_operation_types(r, o, 'f');
}

/* A new operation at the end of the region that is read. */
static webnn_stablehlo__operation *webnn_stablehlo__add_operation(webnn_stablehlo__reader *r,
                                                                  const char *name, size_t offset) {
  webnn_stablehlo__operation *o = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__operation, 1);
  const char *key = name;
  if (!o || !name) {
    return NULL;
  }
  if (strncmp(name, "stablehlo.", 10) == 0)
    key = name + 10;
  else if (strncmp(name, "mhlo.", 5) == 0)
    key = name + 5;
  else if (strcmp(name, "chlo.constant") == 0)
    key = name + 5;
  else if (strcmp(name, "func.call") == 0 || strcmp(name, "func.return") == 0)
    key = name + 5;
  o->name = name;
  o->offset = offset;
  o->row = (const webnn_stablehlo__row *)webnn_stablehlo__find(&r->m->rows, key, strlen(key));
  o->region = r->region;
  if (r->region->last)
    r->region->last->next = o;
  else
    r->region->first = o;
  r->region->last = o;
  o->older = r->m->all_operations;
  r->m->all_operations = o;
  return o;
}

/* The region of "applies name": the operation of two scalars of the type of `o`'s first operand. */
static bool webnn_stablehlo__make_reducer(webnn_stablehlo__reader *r, webnn_stablehlo__operation *o,
                                          const char *name, size_t offset) {
  webnn_stablehlo__type *scalar = webnn_stablehlo__new_type(r, WEBNN_STABLEHLO__TENSOR);
  const webnn_stablehlo__type *type;
  webnn_stablehlo__list types = {NULL, 0, 0};
  webnn_stablehlo__operation *inner, *end;
  webnn_stablehlo__value *left, *right;
  webnn_stablehlo__region *region;
  webnn_stablehlo__mark mark;
  if (!scalar || o->operands.count != 2)
    return webnn_stablehlo__fail(r, offset, "'applies' needs one array and its initial value");
  type = ((const webnn_stablehlo__value *)o->operands.items[0])->type;
  *scalar = *type;
  scalar->rank = 0;
  region = webnn_stablehlo__begin_region(r, &mark);
  if (!region || !webnn_stablehlo__push(r->m, &o->regions, region) ||
      !webnn_stablehlo__push(r->m, &types, scalar))
    return false;
  left = webnn_stablehlo__add_argument(r, NULL, scalar);
  right = webnn_stablehlo__add_argument(r, NULL, scalar);
  inner = webnn_stablehlo__add_operation(r, name, offset);
  end = webnn_stablehlo__add_operation(r, "stablehlo.return", offset);
  if (!left || !right || !inner || !end || !webnn_stablehlo__push(r->m, &inner->operands, left) ||
      !webnn_stablehlo__push(r->m, &inner->operands, right) ||
      !webnn_stablehlo__set_results(r, inner, &types) ||
      !webnn_stablehlo__push(r->m, &end->operands, inner->results))
    return false;
  webnn_stablehlo__end_region(r, &mark);
  return true;
}

/* reducer(%a: t, %b: t) (%c: u, %d: u) { ... }: the arguments are a, c, b, d. */
static bool webnn_stablehlo__read_reducer(webnn_stablehlo__reader *r,
                                          webnn_stablehlo__operation *o) {
  webnn_stablehlo__list pairs, ordered = {NULL, 0, 0};
  webnn_stablehlo__mark mark;
  webnn_stablehlo__region *region;
  bool result;
  size_t i;
  if (!webnn_stablehlo__expect_word(r, "reducer") || !webnn_stablehlo__enter(r))
    return false;
  region = webnn_stablehlo__begin_region(r, &mark);
  result = region && webnn_stablehlo__push(r->m, &o->regions, region);
  do
    result = result && webnn_stablehlo__expect(r, '(') && webnn_stablehlo__read_region_arguments(r);
  while (result && webnn_stablehlo__at(r, '('));
  if (result) {
    pairs = region->arguments;
    if (pairs.count % 2)
      result = webnn_stablehlo__fail(r, r->token.start, "a reducer needs pairs of arguments");
    for (i = 0; result && i < pairs.count; i++)
      result = webnn_stablehlo__push(
          r->m, &ordered, pairs.items[i < pairs.count / 2 ? 2 * i : 2 * (i - pairs.count / 2) + 1]);
    region->arguments = ordered;
  }
  result = result && webnn_stablehlo__read_body(r);
  webnn_stablehlo__end_region(r, &mark);
  return webnn_stablehlo__leave(r, result);
}

/* (%a init: %b) applies stablehlo.add across dimensions = [1] : types, or a reducer behind. */
static bool webnn_stablehlo__read_reduce(webnn_stablehlo__reader *r,
                                         webnn_stablehlo__operation *o) {
  if (!webnn_stablehlo__read_reduce_operands(r, o))
    return false;
  if (webnn_stablehlo__accept_word(r, "applies")) {
    const size_t offset = r->token.start;
    const char *name = webnn_stablehlo__token_text(r);
    if (r->token.kind != WEBNN_STABLEHLO__WORD)
      return webnn_stablehlo__expected(r, "the name of an operation");
    webnn_stablehlo__next(r);
    return webnn_stablehlo__make_reducer(r, o, name, offset) &&
           webnn_stablehlo__read_reduce_tail(r, o);
  }
  return webnn_stablehlo__read_reduce_tail(r, o) && webnn_stablehlo__read_reducer(r, o);
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* Whether an operation can begin here: at the first token of a line. */
static bool webnn_stablehlo__begins_line(const webnn_stablehlo__reader *r) {
  size_t at = r->token.start;
  if (r->token.kind != WEBNN_STABLEHLO__VALUE && r->token.kind != WEBNN_STABLEHLO__WORD &&
      r->token.kind != WEBNN_STABLEHLO__STRING)
    return false;
  while (at && (r->m->text[at - 1] == ' ' || r->m->text[at - 1] == '\t'))
    at--;
  return at == 0 || r->m->text[at - 1] == '\n' || r->m->text[at - 1] == '\r';
}

/* Passes over what follows in this line, and in more lines while brackets are open. Returns the
   offset of the last ':' outside brackets, or 0. */
static size_t webnn_stablehlo__skip_line(webnn_stablehlo__reader *r) {
  size_t colon = 0;
  while (!r->failed && r->token.kind != WEBNN_STABLEHLO__END && !webnn_stablehlo__begins_line(r) &&
         !webnn_stablehlo__at(r, '}')) {
    const char c = r->token.kind == WEBNN_STABLEHLO__CHARACTER ? r->m->text[r->token.start] : 'a';
    if (c == ':')
      colon = r->token.start;
    if (c && strchr("([{<", c))
      webnn_stablehlo__skip_brackets(r);
    else
      webnn_stablehlo__next(r);
  }
  return colon;
}

/* The pretty form of an operation that is not in the table: its results have the types at the end
   of the line, as most have. */
static bool webnn_stablehlo__read_unknown(webnn_stablehlo__reader *r, webnn_stablehlo__operation *o,
                                          size_t result_count) {
  const size_t colon = webnn_stablehlo__skip_line(r), behind = r->token.start;
  webnn_stablehlo__list types = {NULL, 0, 0};
  if (r->failed)
    return false;
  if (result_count && colon) {
    webnn_stablehlo__seek(r, colon + 1);
    do {
      webnn_stablehlo__type *type = webnn_stablehlo__read_type(r);
      if (!type)
        return false;
      if (type->kind == WEBNN_STABLEHLO__FUNCTION_TYPE)
        types = type->results;
      else if (!webnn_stablehlo__push(r->m, &types, type))
        return false;
      if (webnn_stablehlo__accept_arrow(r)) {
        types.count = 0;
        continue;
      }
      if (!webnn_stablehlo__accept(r, ','))
        break;
    } while (true);
    webnn_stablehlo__seek(r, behind);
  }
  if (types.count > result_count)
    types.count = result_count;
  return webnn_stablehlo__set_results(r, o, &types);
}

static bool webnn_stablehlo__read_pretty(webnn_stablehlo__reader *r, webnn_stablehlo__operation *o,
                                         size_t result_count) {
  const char *form = o->row ? o->row->form : NULL;
  if (!form)
    return webnn_stablehlo__read_unknown(r, o, result_count);
  if (webnn_stablehlo__at(r, '(') && form[0] != '(' && strcmp(form, "!reduce") != 0 &&
      strcmp(form, "!while") != 0)
    return webnn_stablehlo__read_generic(r, o);
  if (strcmp(form, "!constant") == 0)
    return webnn_stablehlo__read_constant(r, o);
  if (strcmp(form, "!reduce") == 0)
    return webnn_stablehlo__read_reduce(r, o);
  if (strcmp(form, "!while") == 0)
    return webnn_stablehlo__read_while(r, o);
  return webnn_stablehlo__read_form(r, o, form);
}

/* The names before an operation: %a, %b:2 = */
typedef struct webnn_stablehlo__result_name {
  webnn_stablehlo__token name;
  size_t count;
} webnn_stablehlo__result_name;

static bool webnn_stablehlo__read_result_names(webnn_stablehlo__reader *r,
                                               webnn_stablehlo__list *names, size_t *total) {
  *total = 0;
  if (r->token.kind != WEBNN_STABLEHLO__VALUE)
    return true;
  do {
    webnn_stablehlo__result_name *n = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__result_name, 1);
    int64_t count = 1;
    if (!n || !webnn_stablehlo__push(r->m, names, n))
      return false;
    n->name = r->token;
    if (n->name.kind != WEBNN_STABLEHLO__VALUE)
      return webnn_stablehlo__expected(r, "the name of a result");
    webnn_stablehlo__next(r);
    if (webnn_stablehlo__accept(r, ':') && !webnn_stablehlo__read_integer(r, &count))
      return false;
    if (count < 1 || count > INT32_MAX)
      return webnn_stablehlo__fail(r, n->name.start, "the number of results must be at least 1");
    n->count = (size_t)count;
    *total += n->count;
  } while (webnn_stablehlo__accept(r, ','));
  return webnn_stablehlo__expect(r, '=');
}

/* Gives results their names. */
static bool webnn_stablehlo__define_results(webnn_stablehlo__reader *r,
                                            webnn_stablehlo__operation *o,
                                            const webnn_stablehlo__list *names, size_t total) {
  size_t i, first = 0;
  if (names->count && total != o->result_count)
    return webnn_stablehlo__fail(r, o->offset,
                                 "the number of results of %s is %zu, but that of their names %zu",
                                 o->name, o->result_count, total);
  for (i = 0; i < names->count; i++) {
    const webnn_stablehlo__result_name *n = (const webnn_stablehlo__result_name *)names->items[i];
    if (!webnn_stablehlo__define(r, n->name, o->results + first, n->count))
      return false;
    first += n->count;
  }
  return true;
}

/* Marks results that are computed from constants only. */
static void webnn_stablehlo__mark_constants(webnn_stablehlo__operation *o) {
  bool constant = o->row && !o->row->reason && o->regions.count == 0 &&
                  !(o->row->flags & (WEBNN_STABLEHLO__EFFECT | WEBNN_STABLEHLO__PASSES));
  size_t i;
  for (i = 0; constant && i < o->operands.count; i++)
    constant = ((const webnn_stablehlo__value *)o->operands.items[i])->constant;
  for (i = 0; i < o->result_count; i++)
    o->results[i].constant = constant;
}

static bool webnn_stablehlo__read_operation(webnn_stablehlo__reader *r) {
  webnn_stablehlo__list names = {NULL, 0, 0};
  webnn_stablehlo__operation *o;
  const size_t start = r->token.start;
  size_t total, length;
  bool generic, done;
  if (!webnn_stablehlo__read_result_names(r, &names, &total))
    return false;
  generic = r->token.kind == WEBNN_STABLEHLO__STRING;
  if (!generic && r->token.kind != WEBNN_STABLEHLO__WORD)
    return webnn_stablehlo__expected(r, "an operation");
  o = webnn_stablehlo__add_operation(
      r, generic ? webnn_stablehlo__token_name(r, &length) : webnn_stablehlo__token_text(r), start);
  if (!o)
    return false;
  webnn_stablehlo__next(r);
  done = generic ? webnn_stablehlo__read_generic(r, o) : webnn_stablehlo__read_pretty(r, o, total);
  if (!done || !webnn_stablehlo__skip_location(r, NULL))
    return false;
  webnn_stablehlo__mark_constants(o);
  return webnn_stablehlo__define_results(r, o, &names, total);
}

/* ==============================================================================================
   Functions and modules
   ============================================================================================== */

/* The string that an attribute holds; NULL if it is not there. */
static const char *webnn_stablehlo__string_of(const webnn_stablehlo *m,
                                              const webnn_stablehlo__list *items,
                                              const char *name) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__look_up(m, items, name);
  return a && (a->kind == WEBNN_STABLEHLO__BYTES || a->kind == WEBNN_STABLEHLO__NAME) ? a->text
                                                                                      : NULL;
}

/* {attributes} loc(...) behind a type: *name becomes that of the attribute `key`, or of the
   location, or stays. */
static bool webnn_stablehlo__read_value_attributes(webnn_stablehlo__reader *r, const char *key,
                                                   const char **name) {
  webnn_stablehlo__list items = {NULL, 0, 0};
  const char *text;
  if (webnn_stablehlo__accept(r, '{') && !webnn_stablehlo__read_dictionary(r, &items))
    return false;
  text = webnn_stablehlo__string_of(r->m, &items, key);
  if (text)
    *name = text;
  return webnn_stablehlo__skip_location(r, name);
}

/* %arg0: type {attributes} loc(...), or a type alone. */
static bool webnn_stablehlo__read_function_argument(webnn_stablehlo__reader *r,
                                                    webnn_stablehlo__function *f) {
  const webnn_stablehlo__token token = r->token;
  const bool named = token.kind == WEBNN_STABLEHLO__VALUE;
  webnn_stablehlo__type *type;
  const char *name = "";
  if (named) {
    name = webnn_stablehlo__copy(r->m, r->m->text + token.start + 1, token.end - token.start - 1);
    webnn_stablehlo__next(r);
    if (!webnn_stablehlo__expect(r, ':'))
      return false;
  }
  type = webnn_stablehlo__read_type(r);
  return type && webnn_stablehlo__read_value_attributes(r, "jax.arg_info", &name) &&
         webnn_stablehlo__add_argument(r, named ? &token : NULL, type) &&
         ((webnn_stablehlo__push(r->m, &f->argument_types, type) &&
           webnn_stablehlo__push(r->m, &f->argument_names, (void *)name)));
}

static bool webnn_stablehlo__read_function_result(webnn_stablehlo__reader *r,
                                                  webnn_stablehlo__function *f, bool alone) {
  const char *name = "";
  webnn_stablehlo__type *type = webnn_stablehlo__read_type(r);
  return type && (alone || webnn_stablehlo__read_value_attributes(r, "jax.result_info", &name)) &&
         ((webnn_stablehlo__push(r->m, &f->result_types, type) &&
           webnn_stablehlo__push(r->m, &f->result_names, (void *)name)));
}

/* (arguments) -> results */
static bool webnn_stablehlo__read_signature(webnn_stablehlo__reader *r,
                                            webnn_stablehlo__function *f) {
  if (!webnn_stablehlo__expect(r, '('))
    return false;
  while (!webnn_stablehlo__at(r, ')')) {
    if (!webnn_stablehlo__read_function_argument(r, f))
      return false;
    if (!webnn_stablehlo__accept(r, ','))
      break;
  }
  if (!webnn_stablehlo__expect(r, ')'))
    return false;
  if (!webnn_stablehlo__accept_arrow(r))
    return true;
  if (!webnn_stablehlo__accept(r, '('))
    return webnn_stablehlo__read_function_result(r, f, true);
  while (!webnn_stablehlo__at(r, ')')) {
    if (!webnn_stablehlo__read_function_result(r, f, false))
      return false;
    if (!webnn_stablehlo__accept(r, ','))
      break;
  }
  return webnn_stablehlo__expect(r, ')');
}

/* The types as text. */
static bool webnn_stablehlo__add_texts(webnn_stablehlo *m, const webnn_stablehlo__list *types,
                                       webnn_stablehlo__list *texts) {
  char text[160];
  size_t i;
  for (i = 0; i < types->count; i++) {
    webnn_stablehlo__type_text((const webnn_stablehlo__type *)types->items[i], text, sizeof text);
    if (!webnn_stablehlo__push(m, texts, webnn_stablehlo__copy(m, text, strlen(text))))
      return false;
  }
  return true;
}

/* Puts a function that has a name into the module. */
static bool webnn_stablehlo__add_function(webnn_stablehlo__reader *r,
                                          webnn_stablehlo__function *f) {
  webnn_stablehlo *m = r->m;
  if (webnn_stablehlo__find(&m->functions, f->name, strlen(f->name)))
    return webnn_stablehlo__fail(r, f->offset, "the function @%.60s is already defined", f->name);
  if (m->last_function)
    m->last_function->next = f;
  else
    m->first_function = f;
  m->last_function = f;
  m->function_count++;
  return (webnn_stablehlo__add_texts(m, &f->argument_types, &f->argument_texts) &&
          webnn_stablehlo__add_texts(m, &f->result_types, &f->result_texts) &&
          webnn_stablehlo__insert(m, &m->functions, f->name, strlen(f->name), f));
}

/* A function's body must end with a return of the declared types. */
static bool webnn_stablehlo__check_body(webnn_stablehlo__reader *r,
                                        const webnn_stablehlo__function *f) {
  const webnn_stablehlo__operation *end = f->body->last;
  char returned[120], declared[120];
  size_t i;
  if (!end || !end->row || strcmp(end->row->name, "return") != 0)
    return webnn_stablehlo__fail(r, f->offset, "the function @%.60s does not end with a return",
                                 f->name);
  if (end->operands.count != f->result_types.count)
    return webnn_stablehlo__fail(r, end->offset, "@%.60s returns %zu values, but declares %zu",
                                 f->name, end->operands.count, f->result_types.count);
  for (i = 0; i < end->operands.count; i++) {
    const webnn_stablehlo__value *value = (const webnn_stablehlo__value *)end->operands.items[i];
    const webnn_stablehlo__type *is = value->type;
    const bool guessed = value->operation && !value->operation->row;
    const webnn_stablehlo__type *type = (const webnn_stablehlo__type *)f->result_types.items[i];
    if (!guessed && !webnn_stablehlo__same_type(is, type))
      return webnn_stablehlo__fail(r, end->offset, "result %zu of @%.60s is %s, but declared as %s",
                                   i, f->name,
                                   webnn_stablehlo__type_text(is, returned, sizeof returned),
                                   webnn_stablehlo__type_text(type, declared, sizeof declared));
  }
  return true;
}

/* public @main(%arg0: type) -> type attributes {...} { ... }, behind func.func. */
static bool webnn_stablehlo__read_function_parts(webnn_stablehlo__reader *r,
                                                 webnn_stablehlo__function *f,
                                                 webnn_stablehlo__region *region) {
  webnn_stablehlo__list attributes = {NULL, 0, 0};
  size_t length;
  f->is_private = webnn_stablehlo__at_word(r, "private") || webnn_stablehlo__at_word(r, "nested");
  if (f->is_private || webnn_stablehlo__at_word(r, "public"))
    webnn_stablehlo__next(r);
  if (r->token.kind != WEBNN_STABLEHLO__SYMBOL)
    return webnn_stablehlo__expected(r, "the name of a function");
  f->offset = r->token.start;
  f->name = webnn_stablehlo__token_name(r, &length);
  if (!f->name)
    return false;
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__read_signature(r, f))
    return false;
  if (webnn_stablehlo__accept_word(r, "attributes") &&
      !(webnn_stablehlo__expect(r, '{') && webnn_stablehlo__read_dictionary(r, &attributes)))
    return false;
  if (webnn_stablehlo__at(r, '{')) {
    f->body = region;
    if (!webnn_stablehlo__read_body(r) || !webnn_stablehlo__check_body(r, f))
      return false;
  }
  return webnn_stablehlo__skip_location(r, NULL) && webnn_stablehlo__add_function(r, f);
}

/* A region that knows no names from outside. */
static webnn_stablehlo__region *webnn_stablehlo__begin_function(webnn_stablehlo__reader *r,
                                                                webnn_stablehlo__mark *mark) {
  memset(&r->values, 0, sizeof r->values);
  return webnn_stablehlo__begin_region(r, mark);
}

static bool webnn_stablehlo__read_function(webnn_stablehlo__reader *r) {
  webnn_stablehlo__function *f = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__function, 1);
  webnn_stablehlo__mark mark;
  webnn_stablehlo__region *region = webnn_stablehlo__begin_function(r, &mark);
  bool result;
  webnn_stablehlo__next(r);
  if (!f || !region)
    return false;
  result = webnn_stablehlo__read_function_parts(r, f, region);
  webnn_stablehlo__end_region(r, &mark);
  return result;
}

/* A function in the generic form, whose parts have become those of an operation. */
static bool webnn_stablehlo__function_of(webnn_stablehlo__reader *r,
                                         const webnn_stablehlo__operation *o) {
  webnn_stablehlo__function *f = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__function, 1);
  const webnn_stablehlo__attribute *type = webnn_stablehlo__attribute_of(r->m, o, "function_type");
  const char *visibility = webnn_stablehlo__string_of(r->m, &o->attributes, "sym_visibility");
  size_t i;
  if (!f)
    return false;
  f->name = webnn_stablehlo__string_of(r->m, &o->attributes, "sym_name");
  f->offset = o->offset;
  f->is_private = visibility && strcmp(visibility, "public") != 0;
  if (!f->name || !type || !type->type || type->type->kind != WEBNN_STABLEHLO__FUNCTION_TYPE)
    return webnn_stablehlo__fail(r, o->offset, "a function needs sym_name and function_type");
  f->argument_types = type->type->elements;
  f->result_types = type->type->results;
  for (i = 0; i < f->argument_types.count; i++) {
    char name[32];
    snprintf(name, sizeof name, "arg%zu", i);
    if (!webnn_stablehlo__push(r->m, &f->argument_names,
                               webnn_stablehlo__copy(r->m, name, strlen(name))))
      return false;
  }
  for (i = 0; i < f->result_types.count; i++)
    if (!webnn_stablehlo__push(r->m, &f->result_names, (void *)""))
      return false;
  if (o->regions.count == 1)
    f->body = (webnn_stablehlo__region *)o->regions.items[0];
  if (f->body && !f->body->first)
    f->body = NULL;
  if (f->body && f->body->arguments.count != f->argument_types.count)
    return webnn_stablehlo__fail(r, o->offset, "@%.60s has %zu arguments, but its body %zu",
                                 f->name, f->argument_types.count, f->body->arguments.count);
  for (i = 0; f->body && i < f->argument_types.count; i++)
    if (!webnn_stablehlo__same_type(
            ((const webnn_stablehlo__value *)f->body->arguments.items[i])->type,
            (const webnn_stablehlo__type *)f->argument_types.items[i]))
      return webnn_stablehlo__fail(r, o->offset,
                                   "argument %zu of @%.60s has another type in its "
                                   "body",
                                   i, f->name);
  return (!f->body || webnn_stablehlo__check_body(r, f)) && webnn_stablehlo__add_function(r, f);
}

static bool webnn_stablehlo__read_item(webnn_stablehlo__reader *r);

/* Functions up to '}', which is passed. */
static bool webnn_stablehlo__read_items(webnn_stablehlo__reader *r) {
  bool result = true;
  if (!webnn_stablehlo__enter(r))
    return false;
  while (result && !webnn_stablehlo__accept(r, '}'))
    result = r->token.kind == WEBNN_STABLEHLO__END
                 ? webnn_stablehlo__expected(r, "a function or '}'")
                 : webnn_stablehlo__read_item(r);
  return webnn_stablehlo__leave(r, result);
}

/* @name attributes {...} { ... }, behind module. */
static bool webnn_stablehlo__read_module(webnn_stablehlo__reader *r) {
  webnn_stablehlo__list attributes = {NULL, 0, 0};
  webnn_stablehlo__next(r);
  if (r->token.kind == WEBNN_STABLEHLO__SYMBOL)
    webnn_stablehlo__next(r);
  if (webnn_stablehlo__accept_word(r, "attributes") &&
      !(webnn_stablehlo__expect(r, '{') && webnn_stablehlo__read_dictionary(r, &attributes)))
    return false;
  return webnn_stablehlo__expect(r, '{') && webnn_stablehlo__read_items(r) &&
         webnn_stablehlo__skip_location(r, NULL);
}

/* "builtin.module"() <{...}> ({ ... }) {...} : () -> () */
static bool webnn_stablehlo__read_generic_module(webnn_stablehlo__reader *r) {
  webnn_stablehlo__operation o;
  memset(&o, 0, sizeof o);
  o.name = "builtin.module";
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__expect(r, '(') || !webnn_stablehlo__expect(r, ')') ||
      !webnn_stablehlo__read_properties(r, &o) || !webnn_stablehlo__expect(r, '(') ||
      !webnn_stablehlo__expect(r, '{'))
    return false;
  if (r->token.kind == WEBNN_STABLEHLO__LABEL) {
    webnn_stablehlo__next(r);
    if (webnn_stablehlo__accept(r, '(') && !webnn_stablehlo__expect(r, ')'))
      return false;
    if (!webnn_stablehlo__expect(r, ':'))
      return false;
  }
  return webnn_stablehlo__read_items(r) && webnn_stablehlo__expect(r, ')') &&
         webnn_stablehlo__read_attributes(r, &o) &&
         webnn_stablehlo__read_operation_types(r, &o, 'f') &&
         webnn_stablehlo__skip_location(r, NULL);
}

/* "func.func"() <{...}> ({ ... }) : () -> () */
static bool webnn_stablehlo__read_generic_function(webnn_stablehlo__reader *r) {
  webnn_stablehlo__operation o;
  webnn_stablehlo__region *outer = r->region;
  memset(&o, 0, sizeof o);
  memset(&r->values, 0, sizeof r->values);
  o.name = "func.func";
  o.offset = r->token.start;
  r->region = NULL;
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__read_generic(r, &o) || !webnn_stablehlo__skip_location(r, NULL))
    return false;
  r->region = outer;
  return webnn_stablehlo__function_of(r, &o);
}

/* #name = attribute, !name = type */
static bool webnn_stablehlo__read_alias(webnn_stablehlo__reader *r) {
  const bool is_type = r->token.kind == WEBNN_STABLEHLO__BANG;
  const char *name = r->m->text + r->token.start;
  const size_t length = r->token.end - r->token.start;
  void *item;
  webnn_stablehlo__next(r);
  if (!webnn_stablehlo__expect(r, '='))
    return false;
  item =
      is_type ? (void *)webnn_stablehlo__read_type(r) : (void *)webnn_stablehlo__read_attribute(r);
  return item &&
         (webnn_stablehlo__insert(r->m, is_type ? &r->m->type_aliases : &r->m->attribute_aliases,
                                  name, length, item));
}

/* name: "0x...", ... up to '}': the bytes of resources. Other things are passed over. */
static bool webnn_stablehlo__read_resources(webnn_stablehlo__reader *r) {
  while (!webnn_stablehlo__accept(r, '}')) {
    const bool named =
        r->token.kind == WEBNN_STABLEHLO__WORD || r->token.kind == WEBNN_STABLEHLO__STRING;
    const char *name;
    size_t length = r->token.end - r->token.start;
    if (!named)
      return webnn_stablehlo__expected(r, "the name of a resource");
    name = r->token.kind == WEBNN_STABLEHLO__WORD ? webnn_stablehlo__token_text(r)
                                                  : webnn_stablehlo__token_name(r, &length);
    webnn_stablehlo__next(r);
    if (!webnn_stablehlo__expect(r, ':'))
      return false;
    if (r->token.kind == WEBNN_STABLEHLO__STRING) {
      webnn_stablehlo__token *token = WEBNN_STABLEHLO__NEW(r->m, webnn_stablehlo__token, 1);
      if (!token || !name || !webnn_stablehlo__insert(r->m, &r->m->resources, name, length, token))
        return false;
      *token = r->token;
      webnn_stablehlo__next(r);
    } else if (webnn_stablehlo__at(r, '{')) {
      if (!webnn_stablehlo__skip_brackets(r))
        return false;
    } else {
      return webnn_stablehlo__expected(r, "the bytes of a resource");
    }
    webnn_stablehlo__accept(r, ',');
  }
  return true;
}

/* {-# dialect_resources: { builtin: { ... } } #-} */
static bool webnn_stablehlo__read_metadata(webnn_stablehlo__reader *r) {
  webnn_stablehlo__next(r);
  while (r->token.kind != WEBNN_STABLEHLO__CLOSE_METADATA) {
    const bool resources = webnn_stablehlo__at_word(r, "dialect_resources");
    if (r->token.kind != WEBNN_STABLEHLO__WORD)
      return webnn_stablehlo__expected(r, "dialect_resources or '#-}'");
    webnn_stablehlo__next(r);
    if (!webnn_stablehlo__expect(r, ':'))
      return false;
    if (!resources) {
      if (!webnn_stablehlo__at(r, '{'))
        return webnn_stablehlo__expected(r, "'{'");
      if (!webnn_stablehlo__skip_brackets(r))
        return false;
    } else {
      if (!webnn_stablehlo__expect(r, '{'))
        return false;
      while (!webnn_stablehlo__accept(r, '}')) {
        if (r->token.kind != WEBNN_STABLEHLO__WORD)
          return webnn_stablehlo__expected(r, "the name of a dialect");
        webnn_stablehlo__next(r);
        if (!webnn_stablehlo__expect(r, ':') || !webnn_stablehlo__expect(r, '{') ||
            !webnn_stablehlo__read_resources(r))
          return false;
        webnn_stablehlo__accept(r, ',');
      }
    }
    webnn_stablehlo__accept(r, ',');
  }
  webnn_stablehlo__next(r);
  return true;
}

/* What can stand in a module or outside one. */
static bool webnn_stablehlo__read_item(webnn_stablehlo__reader *r) {
  if (r->token.kind == WEBNN_STABLEHLO__HASH || r->token.kind == WEBNN_STABLEHLO__BANG)
    return webnn_stablehlo__read_alias(r);
  if (r->token.kind == WEBNN_STABLEHLO__OPEN_METADATA)
    return webnn_stablehlo__read_metadata(r);
  if (webnn_stablehlo__at_word(r, "module") || webnn_stablehlo__at_word(r, "builtin.module"))
    return webnn_stablehlo__read_module(r);
  if (webnn_stablehlo__at_word(r, "func.func") || webnn_stablehlo__at_word(r, "func"))
    return webnn_stablehlo__read_function(r);
  if (r->token.kind == WEBNN_STABLEHLO__STRING &&
      webnn_stablehlo__token_is(r, "\"builtin.module\""))
    return webnn_stablehlo__read_generic_module(r);
  if (r->token.kind == WEBNN_STABLEHLO__STRING && webnn_stablehlo__token_is(r, "\"func.func\""))
    return webnn_stablehlo__read_generic_function(r);
  if (webnn_stablehlo__at_word(r, "sdy.mesh") ||
      webnn_stablehlo__token_is(r, "\"sdy.mesh\"")) { /* how devices are laid out */
    webnn_stablehlo__next(r);
    webnn_stablehlo__skip_line(r);
    return !r->failed;
  }
  return webnn_stablehlo__expected(r, "module or func.func");
}

/* The offsets of lines. */
static bool webnn_stablehlo__count_lines(webnn_stablehlo *m) {
  size_t at, count = 1;
  for (at = 0; at < m->length; at++)
    count += m->text[at] == '\n';
  m->lines = WEBNN_STABLEHLO__NEW(m, size_t, count);
  if (!m->lines)
    return false;
  m->line_count = 1;
  for (at = 0; at < m->length; at++)
    if (m->text[at] == '\n')
      m->lines[m->line_count++] = at + 1;
  return true;
}

static bool webnn_stablehlo__add_rows(webnn_stablehlo *m);

static webnn_stablehlo *webnn_stablehlo__create(const char *text, size_t length,
                                                const char *file_name) {
  webnn_stablehlo *m = (webnn_stablehlo *)calloc(1, sizeof *m);
  if (!m)
    return NULL;
  /* Zeros behind the text, so that the lexer may look ahead. */
  m->text = length < SIZE_MAX - 8 ? WEBNN_STABLEHLO__NEW(m, char, length + 4) : NULL;
  m->length = length;
  m->file = webnn_stablehlo__copy(m, file_name ? file_name : "text",
                                  strlen(file_name ? file_name : "text"));
  if (m->text && length)
    memcpy(m->text, text, length);
  m->xla = webnn_xla_create_module();
  if (!m->text || !m->file || !m->xla || !webnn_stablehlo__count_lines(m) ||
      !webnn_stablehlo__add_rows(m)) {
    webnn_stablehlo_free(m);
    return NULL;
  }
  return m;
}

WEBNN_STABLEHLO_API webnn_stablehlo *
webnn_stablehlo_read(const char *text, size_t length, const char *file_name, webnn_error *error) {
  webnn_stablehlo__reader r;
  webnn_stablehlo *m;
  if (!text) {
    webnn_stablehlo__set_error(error, WEBNN_TYPE_ERROR, "The text is NULL");
    return NULL;
  }
  m = webnn_stablehlo__create(text, length, file_name);
  if (!m) {
    webnn_stablehlo__set_error(error, WEBNN_UNKNOWN_ERROR, "There is no memory for the module");
    return NULL;
  }
  memset(&r, 0, sizeof r);
  r.m = m;
  r.error = error;
  if (length > 3 && memcmp(text, "ML\xefR", 4) == 0) {
    webnn_stablehlo__set_error(error, WEBNN_NOT_SUPPORTED_ERROR,
                               "%s is MLIR's bytecode; its text is needed", m->file);
    r.failed = true;
  }
  webnn_stablehlo__next(&r);
  while (!r.failed && r.token.kind != WEBNN_STABLEHLO__END)
    if (!webnn_stablehlo__read_item(&r) && !r.failed)
      webnn_stablehlo__no_memory(&r);
  if (!r.failed && !m->function_count)
    webnn_stablehlo__fail(&r, r.token.start, "the text has no function");
  if (!r.failed)
    return m;
  webnn_stablehlo_free(m);
  return NULL;
}

WEBNN_STABLEHLO_API void webnn_stablehlo_free(webnn_stablehlo *module) {
  if (!module)
    return;
  webnn_xla_free_module(module->xla);
  webnn_extra__free_arena(&module->arena);
  free(module);
}

static const webnn_stablehlo__function *webnn_stablehlo__function_at(const webnn_stablehlo *m,
                                                                     size_t index) {
  const webnn_stablehlo__function *f = m ? m->first_function : NULL;
  for (; f && index; index--)
    f = f->next;
  return f;
}

WEBNN_STABLEHLO_API size_t webnn_stablehlo_function_count(const webnn_stablehlo *module) {
  return module ? module->function_count : 0;
}

WEBNN_STABLEHLO_API const char *webnn_stablehlo_function_name(const webnn_stablehlo *module,
                                                              size_t index) {
  const webnn_stablehlo__function *f = webnn_stablehlo__function_at(module, index);
  return f ? f->name : NULL;
}

WEBNN_STABLEHLO_API bool webnn_stablehlo_function_is_public(const webnn_stablehlo *module,
                                                            size_t index) {
  const webnn_stablehlo__function *f = webnn_stablehlo__function_at(module, index);
  return f && !f->is_private;
}

static size_t webnn_stablehlo__value_infos(const webnn_stablehlo__list *types,
                                           const webnn_stablehlo__list *texts,
                                           const webnn_stablehlo__list *names,
                                           webnn_stablehlo_value_info *values, size_t capacity) {
  size_t i, d;
  for (i = 0; values && i < texts->count && i < capacity; i++) {
    const webnn_stablehlo__type *type = (const webnn_stablehlo__type *)types->items[i];
    memset(&values[i], 0, sizeof values[i]);
    values[i].name = (const char *)names->items[i];
    values[i].type = (const char *)texts->items[i];
    if (type->kind != WEBNN_STABLEHLO__TENSOR || type->rank > WEBNN_MAX_RANK)
      continue;
    values[i].shape.type = webnn_stablehlo__element_type(type);
    values[i].shape.dimensions.given = true;
    values[i].shape.dimensions.count = (uint32_t)type->rank;
    for (d = 0; d < type->rank; d++)
      values[i].shape.dimensions.items[d] =
          type->dimensions[d] > UINT32_MAX ? 0 : (uint32_t)type->dimensions[d];
  }
  return texts->count;
}

WEBNN_STABLEHLO_API size_t webnn_stablehlo_arguments(const webnn_stablehlo *module, size_t index,
                                                     webnn_stablehlo_value_info *values,
                                                     size_t capacity) {
  const webnn_stablehlo__function *f = webnn_stablehlo__function_at(module, index);
  return f ? webnn_stablehlo__value_infos(&f->argument_types, &f->argument_texts,
                                          &f->argument_names, values, capacity)
           : 0;
}

WEBNN_STABLEHLO_API size_t webnn_stablehlo_results(const webnn_stablehlo *module, size_t index,
                                                   webnn_stablehlo_value_info *values,
                                                   size_t capacity) {
  const webnn_stablehlo__function *f = webnn_stablehlo__function_at(module, index);
  return f ? webnn_stablehlo__value_infos(&f->result_types, &f->result_texts, &f->result_names,
                                          values, capacity)
           : 0;
}

/* ==============================================================================================
   Recording
   ============================================================================================== */

/* What a value was in the computation around the one that is described. */
typedef struct webnn_stablehlo__undo {
  webnn_stablehlo__value *value;
  webnn_xla_value *recorded;
  size_t frame;
  struct webnn_stablehlo__undo *next;
} webnn_stablehlo__undo;

/* Records operations into the computation that is described. */
typedef struct webnn_stablehlo__recorder {
  webnn_stablehlo *m;
  webnn_xla_builder *b;
  size_t frame; /* the number of the computation */
  bool floats;  /* quantized values are held in their expressed type */
  webnn_stablehlo__undo *undo;
  size_t depth;
  webnn_error error; /* of the operation, unless its status is WEBNN_OK */
  const webnn_stablehlo__operation *culprit;
  bool collect; /* go on after mistakes, and report them */
  webnn_stablehlo_problem_callback report;
  void *user;
  size_t problems;
} webnn_stablehlo__recorder;

/* The two that most of what follows takes. */
typedef webnn_stablehlo__recorder webnn_stablehlo__t;
typedef webnn_stablehlo__operation webnn_stablehlo__o;

static bool webnn_stablehlo__record_operation(webnn_stablehlo__recorder *t,
                                              webnn_stablehlo__operation *o);

/* Keeps the first mistake: "place: name: message". Always NULL. */
static webnn_xla_value *webnn_stablehlo__refuse(webnn_stablehlo__recorder *t,
                                                const webnn_stablehlo__operation *o,
                                                webnn_status status, const char *format, ...)
    WEBNN_EXTRA__PRINTF(4, 5);
static webnn_xla_value *webnn_stablehlo__refuse(webnn_stablehlo__recorder *t,
                                                const webnn_stablehlo__operation *o,
                                                webnn_status status, const char *format, ...) {
  char place[WEBNN_STABLEHLO__PLACE_SIZE], message[320];
  va_list arguments;
  if (t->error.status != WEBNN_OK)
    return NULL;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  webnn_stablehlo__place(t->m, o->offset, place);
  webnn_stablehlo__set_error(&t->error, status, "%s: %.40s: %s", place, o->name, message);
  t->culprit = o;
  return NULL;
}

#define WEBNN_STABLEHLO__WRONG WEBNN_TYPE_ERROR
#define WEBNN_STABLEHLO__NOT_COVERED WEBNN_NOT_SUPPORTED_ERROR

/* Takes over a mistake that webnn_xla.h has found; its message begins with the place. */
static bool webnn_stablehlo__take_error(webnn_stablehlo__recorder *t,
                                        const webnn_stablehlo__operation *o) {
  const webnn_status status = webnn_xla_module_status(t->m->xla);
  if (status == WEBNN_OK)
    return false;
  if (t->error.status == WEBNN_OK) {
    webnn_stablehlo__set_error(&t->error, status, "%s", webnn_xla_module_message(t->m->xla));
    t->culprit = o;
  }
  webnn_xla_module_clear_error(t->m->xla);
  return true;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static const webnn_stablehlo__type *webnn_stablehlo__operand_type(const webnn_stablehlo__o *o,
                                                                  size_t index) {
  return ((const webnn_stablehlo__value *)o->operands.items[index])->type;
}

/* The element type that values of a type are held in. */
static webnn_xla_type webnn_stablehlo__held_type(const webnn_stablehlo__t *t,
                                                 const webnn_stablehlo__type *type) {
  return type->quantization && t->floats ? type->quantization->expressed_type
                                         : webnn_stablehlo__element_type(type);
}

static webnn_list webnn_stablehlo__sizes(const webnn_stablehlo__type *type) {
  uint32_t sizes[WEBNN_MAX_RANK];
  size_t i;
  for (i = 0; i < type->rank && i < WEBNN_MAX_RANK; i++)
    sizes[i] = (uint32_t)type->dimensions[i];
  return webnn_list_of(sizes, i);
}

/* The shape of a covered type. */
static webnn_xla_shape webnn_stablehlo__shape(webnn_stablehlo__t *t,
                                              const webnn_stablehlo__type *type) {
  webnn_xla_shape *elements;
  size_t i;
  if (type->kind == WEBNN_STABLEHLO__TENSOR)
    return webnn_xla_shape_of(webnn_stablehlo__held_type(t, type), webnn_stablehlo__sizes(type));
  elements = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_shape, type->elements.count);
  for (i = 0; elements && i < type->elements.count; i++)
    elements[i] = webnn_stablehlo__shape(t, (const webnn_stablehlo__type *)type->elements.items[i]);
  return webnn_xla_tuple_shape(elements, elements ? type->elements.count : 0);
}

/* The shape of an operation's results but for the last `without`, a tuple unless it is one. */
static webnn_xla_shape webnn_stablehlo__results_shape(webnn_stablehlo__t *t,
                                                      const webnn_stablehlo__o *o, size_t without) {
  const size_t count = o->result_count > without ? o->result_count - without : 0;
  webnn_xla_shape *elements;
  size_t i;
  if (count == 1)
    return webnn_stablehlo__shape(t, o->results[0].type);
  elements = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_shape, count);
  for (i = 0; elements && i < count; i++)
    elements[i] = webnn_stablehlo__shape(t, o->results[i].type);
  return webnn_xla_tuple_shape(elements, elements ? count : 0);
}

static bool webnn_stablehlo__same_shape(const webnn_xla_shape *a, const webnn_xla_shape *b) {
  size_t i;
  if (a->type != b->type || a->element_count != b->element_count)
    return false;
  for (i = 0; i < a->element_count; i++)
    if (!webnn_stablehlo__same_shape(&a->elements[i], &b->elements[i]))
      return false;
  return a->type == WEBNN_XLA_TUPLE ||
         (a->dimensions.count == b->dimensions.count &&
          memcmp(a->dimensions.items, b->dimensions.items,
                 a->dimensions.count * sizeof a->dimensions.items[0]) == 0);
}

/* The shape as StableHLO's text has it. */
static const char *webnn_stablehlo__shape_text(const webnn_xla_shape *shape, char *buffer,
                                               size_t size) {
  static const char *const names[] = {"?",   "i1",   "i4",   "i8",   "i16", "i32",  "i64", "ui4",
                                      "ui8", "ui16", "ui32", "ui64", "f16", "bf16", "f32"};
  webnn_stablehlo__text text;
  uint32_t i;
  text.buffer = buffer;
  text.size = size;
  text.length = 0;
  if (shape->type == WEBNN_XLA_TUPLE) {
    webnn_stablehlo__append(&text, "a tuple of %zu", shape->element_count);
    return buffer;
  }
  webnn_stablehlo__append(&text, "tensor<");
  for (i = 0; i < shape->dimensions.count && i < WEBNN_MAX_RANK; i++)
    webnn_stablehlo__append(&text, "%" PRIu32 "x", shape->dimensions.items[i]);
  webnn_stablehlo__append(&text, "%s>",
                          (size_t)shape->type < sizeof names / sizeof names[0] ? names[shape->type]
                                                                               : "?");
  return buffer;
}

/* ---- Attributes of an operation -------------------------------------------------------------- */

/* The elements of a literal, those of a resource being looked up. */
static const unsigned char *webnn_stablehlo__literal(webnn_stablehlo *m,
                                                     const webnn_stablehlo__attribute *literal) {
  webnn_stablehlo__attribute *a = (webnn_stablehlo__attribute *)(uintptr_t)literal;
  const webnn_stablehlo__token *token;
  if (a->data || !a->text || !a->element_bytes || !a->count)
    return a->data;
  token = (const webnn_stablehlo__token *)webnn_stablehlo__find(&m->resources, a->text, a->length);
  /* "0x", four bytes that say how the data is aligned, and the data. */
  if (token && token->end - token->start >= 12)
    webnn_stablehlo__decode(m, a, m->text + token->start + 11, token->end - token->start - 12);
  return a->data;
}

/* Element `index` of an integer literal. */
static int64_t webnn_stablehlo__literal_integer(const webnn_stablehlo__attribute *a, size_t index) {
  const unsigned char *at = a->data + (a->splat ? 0 : index * a->element_bytes);
  const bool is_unsigned = a->type->number == 'u' || a->type->bits == 1;
  uint64_t bits = 0;
  uint32_t w;
  uint16_t s;
  if (a->element_bytes == 1)
    return is_unsigned ? (int64_t)at[0] : (int64_t)(int8_t)at[0];
  if (a->element_bytes == 2) {
    memcpy(&s, at, 2);
    return is_unsigned ? (int64_t)s : (int64_t)(int16_t)s;
  }
  if (a->element_bytes == 4) {
    memcpy(&w, at, 4);
    return is_unsigned ? (int64_t)w : (int64_t)(int32_t)w;
  }
  memcpy(&bits, at, 8);
  return (int64_t)bits;
}

static bool webnn_stablehlo__is_integer_literal(webnn_stablehlo *m,
                                                const webnn_stablehlo__attribute *a) {
  return a->kind == WEBNN_STABLEHLO__DENSE && webnn_stablehlo__literal(m, a) &&
         strchr("sux", a->type->number) != NULL;
}

/* The integers of [1, 2], array<i64: 1, 2> or dense<[1, 2]>, at most `capacity`; false if the
   attribute holds something else or more. */
static bool webnn_stablehlo__integers(webnn_stablehlo *m, const webnn_stablehlo__attribute *a,
                                      int64_t *items, size_t capacity, size_t *count) {
  size_t i;
  if (a->kind == WEBNN_STABLEHLO__DENSE) {
    *count = (size_t)a->count;
    if (a->count == 0)
      return true;
    if (a->count > capacity || !webnn_stablehlo__is_integer_literal(m, a))
      return false;
    for (i = 0; i < *count; i++)
      items[i] = webnn_stablehlo__literal_integer(a, i);
    return true;
  }
  *count = a->items.count;
  if (a->kind != WEBNN_STABLEHLO__SEQUENCE || a->items.count > capacity)
    return false;
  for (i = 0; i < *count; i++) {
    const webnn_stablehlo__attribute *item = (const webnn_stablehlo__attribute *)a->items.items[i];
    if (item->kind != WEBNN_STABLEHLO__WHOLE)
      return false;
    items[i] = item->whole;
  }
  return true;
}

/* An attribute as a list; one that is not there is an empty list. False, with a mistake, if it is
   something else. */
static bool webnn_stablehlo__list_attribute(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                            const webnn_stablehlo__attribute *a, const char *name,
                                            webnn_list *list) {
  int64_t items[WEBNN_MAX_RANK];
  size_t i, count = 0;
  *list = webnn_list_of(NULL, 0);
  if (!a)
    return true;
  if (!webnn_stablehlo__integers(t->m, a, items, WEBNN_MAX_RANK, &count)) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                            "%s must be a list of at most %d integers", name, WEBNN_MAX_RANK);
    return false;
  }
  for (i = 0; i < count; i++) {
    if (items[i] < 0 || items[i] > UINT32_MAX) {
      webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                              "items of %s must be from 0 to 4294967295, but one is %" PRId64, name,
                              items[i]);
      return false;
    }
    list->items[i] = (uint32_t)items[i];
  }
  list->count = (uint32_t)count;
  list->given = true;
  return true;
}

static bool webnn_stablehlo__list_of(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                     const char *name, webnn_list *list) {
  return webnn_stablehlo__list_attribute(t, o, webnn_stablehlo__attribute_of(t->m, o, name), name,
                                         list);
}

/* The same of a dictionary's item. */
static bool webnn_stablehlo__list_in(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                     const webnn_stablehlo__attribute *a, const char *name,
                                     webnn_list *list) {
  return webnn_stablehlo__list_attribute(t, o, webnn_stablehlo__item_of(t->m, a, name), name, list);
}

/* An integer or truth value, with a default. False, with a mistake, if it is not from 0 to
   UINT32_MAX. */
static bool webnn_stablehlo__uint_of(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                     const char *name, uint32_t by_default, uint32_t *value) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, name);
  *value = by_default;
  if (!a)
    return true;
  if (a->kind != WEBNN_STABLEHLO__WHOLE || a->whole < 0 || a->whole > UINT32_MAX) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                            "%s must be an integer from 0 to 4294967295", name);
    return false;
  }
  *value = (uint32_t)a->whole;
  return true;
}

static bool webnn_stablehlo__flag_of(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                     const char *name) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, name);
  return a &&
         (a->kind == WEBNN_STABLEHLO__UNIT || (a->kind == WEBNN_STABLEHLO__WHOLE && a->whole != 0));
}

/* The word of LT, #stablehlo<comparison_direction LT> or "LT"; "" if the attribute is not there. */
static const char *webnn_stablehlo__word_of(const webnn_stablehlo__t *t,
                                            const webnn_stablehlo__o *o, const char *name) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, name);
  return a && a->text ? a->text : "";
}

/* The dimension numbers of gather, scatter and dot_general: a dictionary. NULL, with a mistake, if
   they are not there. */
static const webnn_stablehlo__attribute *
webnn_stablehlo__numbers_of(webnn_stablehlo__t *t, const webnn_stablehlo__o *o, const char *name) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, name);
  if (a && a->kind == WEBNN_STABLEHLO__DICTIONARY)
    return a;
  webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "%s must be given", name);
  return NULL;
}

/* The integer `name` of a dictionary; 0 if it is not there. */
static uint32_t webnn_stablehlo__uint_in(const webnn_stablehlo__t *t,
                                         const webnn_stablehlo__attribute *a, const char *name) {
  const webnn_stablehlo__attribute *item = webnn_stablehlo__item_of(t->m, a, name);
  return item && item->kind == WEBNN_STABLEHLO__WHOLE && item->whole >= 0 &&
                 item->whole <= UINT32_MAX
             ? (uint32_t)item->whole
             : 0;
}

/* ---- Integers that are computed from constants ----------------------------------------------- */

/* What a shape operand holds, if operations that compute shapes make it of constants. */
#define WEBNN_STABLEHLO__MOST_INTEGERS 64
typedef struct webnn_stablehlo__integer_list {
  int64_t items[WEBNN_STABLEHLO__MOST_INTEGERS];
  size_t count;
} webnn_stablehlo__integer_list;

static bool webnn_stablehlo__fold(webnn_stablehlo__t *t, const webnn_stablehlo__value *value,
                                  size_t depth, webnn_stablehlo__integer_list *list);

/* compare by its direction; false: it is none. */
static bool webnn_stablehlo__fold_compare(const char *direction, webnn_stablehlo__integer_list *a,
                                          const webnn_stablehlo__integer_list *b) {
  static const char words[] = "EQNEGEGTLELT";
  const char *word = strlen(direction) == 2 ? strstr(words, direction) : NULL;
  size_t i;
  if (!word || (word - words) % 2 != 0 || a->count != b->count)
    return false;
  for (i = 0; i < a->count; i++) {
    const int64_t x = a->items[i], y = b->items[i];
    const bool holds[6] = {x == y, x != y, x >= y, x > y, x <= y, x < y};
    a->items[i] = holds[(word - words) / 2];
  }
  return true;
}

/* select and clamp; the first and the last of their operands may be one number for all. */
static bool webnn_stablehlo__fold_three(const char *name, const webnn_stablehlo__integer_list *a,
                                        webnn_stablehlo__integer_list *b,
                                        const webnn_stablehlo__integer_list *c) {
  const bool clamp = strcmp(name, "clamp") == 0;
  size_t i;
  if ((!clamp && strcmp(name, "select") != 0) || (a->count != b->count && a->count != 1) ||
      (c->count != b->count && (c->count != 1 || !clamp)))
    return false;
  for (i = 0; i < b->count; i++) {
    const int64_t x = a->items[a->count == 1 ? 0 : i], y = c->items[c->count == 1 ? 0 : i];
    if (clamp) {
      b->items[i] = b->items[i] < x ? x : b->items[i];
      b->items[i] = b->items[i] > y ? y : b->items[i];
    } else {
      b->items[i] = x != 0 ? b->items[i] : y;
    }
  }
  return true;
}

/* So many of the items as the operation takes, from the start that the other list holds, which is
   moved so that all are there. */
static bool webnn_stablehlo__fold_dynamic_slice(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                                webnn_stablehlo__integer_list *list,
                                                const webnn_stablehlo__integer_list *start) {
  webnn_list sizes;
  int64_t from, most;
  if (!webnn_stablehlo__list_of(t, o, "slice_sizes", &sizes) || sizes.count != 1 ||
      start->count != 1 || sizes.items[0] > list->count)
    return false;
  most = (int64_t)list->count - (int64_t)sizes.items[0];
  from = start->items[0] < 0 ? 0 : start->items[0] > most ? most : start->items[0];
  memmove(list->items, list->items + from, sizes.items[0] * sizeof list->items[0]);
  list->count = sizes.items[0];
  return true;
}

/* 0, 1, 2, ... of one dimension. */
static bool webnn_stablehlo__fold_iota(const webnn_stablehlo__type *type,
                                       webnn_stablehlo__integer_list *list) {
  if (type->rank != 1 || type->dimensions[0] > WEBNN_STABLEHLO__MOST_INTEGERS)
    return false;
  for (list->count = 0; list->count < type->dimensions[0]; list->count++)
    list->items[list->count] = (int64_t)list->count;
  return true;
}

static void webnn_stablehlo__fold_reverse(webnn_stablehlo__integer_list *list) {
  size_t i;
  for (i = 0; i < list->count / 2; i++) {
    const int64_t item = list->items[i];
    list->items[i] = list->items[list->count - 1 - i];
    list->items[list->count - 1 - i] = item;
  }
}

static bool webnn_stablehlo__fold_binary(const char *name, webnn_stablehlo__integer_list *a,
                                         const webnn_stablehlo__integer_list *b) {
  size_t i;
  if (a->count != b->count)
    return false;
  for (i = 0; i < a->count; i++) {
    const int64_t x = a->items[i], y = b->items[i];
    if (x > INT32_MAX || x < -INT32_MAX || y > INT32_MAX || y < -INT32_MAX)
      return false;
    if (strcmp(name, "add") == 0)
      a->items[i] = x + y;
    else if (strcmp(name, "subtract") == 0)
      a->items[i] = x - y;
    else if (strcmp(name, "multiply") == 0)
      a->items[i] = x * y;
    else if (strcmp(name, "maximum") == 0)
      a->items[i] = x > y ? x : y;
    else if (strcmp(name, "minimum") == 0)
      a->items[i] = x < y ? x : y;
    else if (strcmp(name, "and") == 0)
      a->items[i] = x & y;
    else if (strcmp(name, "or") == 0)
      a->items[i] = x | y;
    else if (strcmp(name, "divide") == 0 && y != 0)
      a->items[i] = x / y;
    else if (strcmp(name, "remainder") == 0 && y != 0)
      a->items[i] = x % y;
    else
      return false;
  }
  return true;
}

static bool webnn_stablehlo__fold_slice(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                        webnn_stablehlo__integer_list *list) {
  webnn_list start, limit, strides;
  size_t from, count = 0;
  uint32_t step;
  if (!webnn_stablehlo__list_of(t, o, "start_indices", &start) ||
      !webnn_stablehlo__list_of(t, o, "limit_indices", &limit) ||
      !webnn_stablehlo__list_of(t, o, "strides", &strides) || start.count != 1 || limit.count != 1)
    return false;
  step = strides.count && strides.items[0] ? strides.items[0] : 1;
  for (from = start.items[0]; from < limit.items[0] && from < list->count; from += step)
    list->items[count++] = list->items[from];
  list->count = count;
  return true;
}

/* The operands of concatenate in a row. */
static bool webnn_stablehlo__fold_row(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                      size_t depth, webnn_stablehlo__integer_list *list) {
  size_t i;
  list->count = 0;
  for (i = 0; i < o->operands.count; i++) {
    webnn_stablehlo__integer_list part;
    if (!webnn_stablehlo__fold(t, (const webnn_stablehlo__value *)o->operands.items[i], depth + 1,
                               &part) ||
        part.count > WEBNN_STABLEHLO__MOST_INTEGERS - list->count)
      return false;
    memcpy(list->items + list->count, part.items, part.count * sizeof part.items[0]);
    list->count += part.count;
  }
  return true;
}

static bool webnn_stablehlo__fold_operand(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                          size_t index, size_t depth,
                                          webnn_stablehlo__integer_list *list) {
  return webnn_stablehlo__fold(t, (const webnn_stablehlo__value *)o->operands.items[index],
                               depth + 1, list);
}

/* Three operands, of which the first has been computed. The others may be one level less deep,
   so that all three take no more calls than two do. */
static bool webnn_stablehlo__fold_operands(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                           size_t depth, webnn_stablehlo__integer_list *list) {
  const webnn_stablehlo__integer_list first = *list;
  webnn_stablehlo__integer_list last;
  return webnn_stablehlo__fold_operand(t, o, 1, depth + 1, list) &&
         webnn_stablehlo__fold_operand(t, o, 2, depth + 1, &last) &&
         webnn_stablehlo__fold_three(o->row->name, &first, list, &last);
}

static bool webnn_stablehlo__fold(webnn_stablehlo__t *t, const webnn_stablehlo__value *value,
                                  size_t depth, webnn_stablehlo__integer_list *list) {
  const webnn_stablehlo__o *o = value->operation;
  const webnn_stablehlo__attribute *a;
  webnn_stablehlo__integer_list other;
  uint32_t dimension;
  const char *name;
  if (!o && value->argument && depth <= 16)
    return webnn_stablehlo__fold(t, value->argument, depth + 1, list);
  if (!o || !o->row || depth > 16)
    return false;
  name = o->row->name;
  if (strcmp(name, "constant") == 0) {
    a = webnn_stablehlo__attribute_of(t->m, o, "value");
    return a && webnn_stablehlo__integers(t->m, a, list->items, WEBNN_STABLEHLO__MOST_INTEGERS,
                                          &list->count);
  }
  if (strcmp(name, "get_dimension_size") == 0) {
    const webnn_stablehlo__type *type;
    if (o->operands.count != 1 || !webnn_stablehlo__uint_of(t, o, "dimension", 0, &dimension))
      return false;
    type = webnn_stablehlo__operand_type(o, 0);
    if (dimension >= type->rank || type->dimensions[dimension] > INT32_MAX)
      return false;
    list->items[0] = (int64_t)type->dimensions[dimension];
    list->count = 1;
    return true;
  }
  if (strcmp(name, "concatenate") == 0)
    return webnn_stablehlo__fold_row(t, o, depth, list);
  if (strcmp(name, "iota") == 0)
    return webnn_stablehlo__fold_iota(value->type, list);
  if (o->operands.count == 0 || !webnn_stablehlo__fold_operand(t, o, 0, depth, list))
    return false;
  if (o->operands.count == 2) {
    if (!webnn_stablehlo__fold_operand(t, o, 1, depth, &other))
      return false;
    return strcmp(name, "compare") == 0
               ? webnn_stablehlo__fold_compare(
                     webnn_stablehlo__word_of(t, o, "comparison_direction"), list, &other)
           : strcmp(name, "dynamic_slice") == 0
               ? webnn_stablehlo__fold_dynamic_slice(t, o, list, &other)
               : webnn_stablehlo__fold_binary(name, list, &other);
  }
  if (o->operands.count == 3)
    return webnn_stablehlo__fold_operands(t, o, depth, list);
  if (strcmp(name, "slice") == 0)
    return webnn_stablehlo__fold_slice(t, o, list);
  if (strcmp(name, "reverse") == 0) {
    webnn_stablehlo__fold_reverse(list);
    return value->type->rank == 1;
  }
  /* The others that keep one row of integers. */
  return strcmp(name, "reshape") == 0 || strcmp(name, "convert") == 0 ||
         (strcmp(name, "broadcast_in_dim") == 0 && value->type->rank <= 1 &&
          (value->type->rank == 0 || value->type->dimensions[0] == list->count));
}

/* Operand `index`, which must be computed from constants, as integers. */
static bool webnn_stablehlo__constant_operand(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                              size_t index, const char *what, int64_t *items,
                                              size_t count) {
  webnn_stablehlo__integer_list list;
  if (webnn_stablehlo__fold(t, (const webnn_stablehlo__value *)o->operands.items[index], 0,
                            &list)) {
    if (list.count == count) {
      memcpy(items, list.items, count * sizeof *items);
      return true;
    }
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "%s has %zu items, but needs %zu", what,
                            list.count, count);
    return false;
  }
  webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                          "%s must be computed from constants; others are not covered", what);
  return false;
}

/* ---- Sizes that the text leaves open --------------------------------------------------------- */

/* Fills in the sizes that the value's type leaves open; the others are compared where values are
   recorded. False without memory. */
static bool webnn_stablehlo__close(webnn_stablehlo__t *t, webnn_stablehlo__value *value,
                                   const uint64_t *sizes, size_t rank) {
  const webnn_stablehlo__type *type = value->type;
  webnn_stablehlo__type *closed;
  size_t i;
  if (!webnn_stablehlo__is_open(type) || type->rank != rank)
    return true;
  closed = WEBNN_STABLEHLO__NEW(t->m, webnn_stablehlo__type, 1);
  if (!closed)
    return false;
  *closed = *type;
  closed->dimensions = WEBNN_STABLEHLO__NEW(t->m, uint64_t, rank);
  if (!closed->dimensions)
    return false;
  for (i = 0; i < rank; i++)
    closed->dimensions[i] =
        type->dimensions[i] == WEBNN_STABLEHLO__DYNAMIC ? sizes[i] : type->dimensions[i];
  value->open = type;
  value->type = closed;
  return true;
}

/* The same by the sizes of another value. */
static bool webnn_stablehlo__close_as(webnn_stablehlo__t *t, webnn_stablehlo__value *value,
                                      const webnn_stablehlo__value *other) {
  return other->type->kind != WEBNN_STABLEHLO__TENSOR ||
         webnn_stablehlo__close(t, value, other->type->dimensions, other->type->rank);
}

/* The same by what was recorded. */
static bool webnn_stablehlo__close_recorded(webnn_stablehlo__t *t, webnn_stablehlo__value *value,
                                            const webnn_xla_shape *shape) {
  uint64_t sizes[WEBNN_MAX_RANK];
  uint32_t i;
  for (i = 0; i < shape->dimensions.count && i < WEBNN_MAX_RANK; i++)
    sizes[i] = shape->dimensions.items[i];
  return webnn_stablehlo__close(t, value, sizes, i);
}

/* What an operation states of the sizes of its results: nothing that is not inferred, all of it, or
   in an operand. */
enum { WEBNN_STABLEHLO__INFERRED = -1, WEBNN_STABLEHLO__STATED = -2 };

static int webnn_stablehlo__sizes_in(const webnn_stablehlo__o *o) {
  static const struct {
    const char *name;
    int where;
  } rows[] = {{"dynamic_reshape", 1},
              {"dynamic_broadcast_in_dim", 1},
              {"dynamic_iota", 0},
              {"rng", 2},
              {"broadcast_in_dim", WEBNN_STABLEHLO__STATED},
              {"custom_call", WEBNN_STABLEHLO__STATED},
              {"infeed", WEBNN_STABLEHLO__STATED},
              {"iota", WEBNN_STABLEHLO__STATED},
              {"reshape", WEBNN_STABLEHLO__STATED},
              {"rng_bit_generator", WEBNN_STABLEHLO__STATED}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].name, o->row->name) == 0)
      return rows[i].where;
  return WEBNN_STABLEHLO__INFERRED;
}

/* The sizes that an operand holds are those of the result. False after a mistake. */
static bool webnn_stablehlo__close_by_operand(webnn_stablehlo__t *t, webnn_stablehlo__o *o,
                                              size_t index) {
  int64_t items[WEBNN_STABLEHLO__MOST_INTEGERS];
  uint64_t sizes[WEBNN_MAX_RANK];
  size_t i;
  const size_t rank = o->results[0].type->rank;
  if (!webnn_stablehlo__is_open(o->results[0].type) || rank > WEBNN_MAX_RANK)
    return true;
  if (!webnn_stablehlo__constant_operand(t, o, index, "the shape", items, rank))
    return false;
  for (i = 0; i < rank; i++) {
    if (items[i] < 0) {
      webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                              "dimension %zu of the shape is %" PRId64, i, items[i]);
      return false;
    }
    sizes[i] = (uint64_t)items[i];
  }
  return webnn_stablehlo__close(t, &o->results[0], sizes, rank);
}

/* A loop's results, and the arguments of its regions, have the sizes of its operands. */
static bool webnn_stablehlo__close_loop(webnn_stablehlo__t *t, webnn_stablehlo__o *o) {
  size_t i, k;
  for (i = 0; i < o->operands.count; i++) {
    const webnn_stablehlo__value *operand = (const webnn_stablehlo__value *)o->operands.items[i];
    if (i < o->result_count && !webnn_stablehlo__close_as(t, &o->results[i], operand))
      return false;
    for (k = 0; k < o->regions.count; k++) {
      const webnn_stablehlo__region *region = (const webnn_stablehlo__region *)o->regions.items[k];
      if (i < region->arguments.count &&
          !webnn_stablehlo__close_as(t, (webnn_stablehlo__value *)region->arguments.items[i],
                                     operand))
        return false;
    }
  }
  return true;
}

/* The sizes of results that are known before the operation is recorded. */
static bool webnn_stablehlo__close_results(webnn_stablehlo__t *t, webnn_stablehlo__o *o) {
  const int where = o->row ? webnn_stablehlo__sizes_in(o) : WEBNN_STABLEHLO__STATED;
  if (o->row && strcmp(o->row->name, "while") == 0)
    return webnn_stablehlo__close_loop(t, o);
  return where < 0 || o->result_count != 1 || (size_t)where >= o->operands.count ||
         webnn_stablehlo__close_by_operand(t, o, (size_t)where);
}

static void webnn_stablehlo__open_value(webnn_stablehlo__value *value) {
  value->type = value->open ? value->open : value->type;
  value->open = NULL;
  value->argument = NULL;
}

/* All values of a region as the text has them. Does it leave sizes open? */
static bool webnn_stablehlo__open_region(const webnn_stablehlo__region *region) {
  const webnn_stablehlo__o *o;
  bool open = false;
  size_t i;
  for (i = 0; i < region->arguments.count; i++) {
    webnn_stablehlo__value *value = (webnn_stablehlo__value *)region->arguments.items[i];
    webnn_stablehlo__open_value(value);
    open = webnn_stablehlo__is_open(value->type) || open;
  }
  for (o = region->first; o; o = o->next) {
    for (i = 0; i < o->result_count; i++) {
      webnn_stablehlo__open_value(&o->results[i]);
      open = webnn_stablehlo__is_open(o->results[i].type) || open;
    }
    for (i = 0; i < o->regions.count; i++)
      open = webnn_stablehlo__open_region((const webnn_stablehlo__region *)o->regions.items[i]) ||
             open;
  }
  return open;
}

/* A function that leaves sizes open is built again for each call: it has the sizes of the operands,
   and knows what they hold. */
static bool webnn_stablehlo__close_callee(webnn_stablehlo__t *t, webnn_stablehlo__function *f,
                                          const webnn_stablehlo__o *o) {
  size_t i;
  if (!f->body || f->body->arguments.count != o->operands.count ||
      !webnn_stablehlo__open_region(f->body))
    return true;
  f->state = WEBNN_STABLEHLO__NEW_FUNCTION;
  f->computation = NULL;
  memset(&f->error, 0, sizeof f->error);
  for (i = 0; i < o->operands.count; i++) {
    webnn_stablehlo__value *argument = (webnn_stablehlo__value *)f->body->arguments.items[i];
    argument->argument = (const webnn_stablehlo__value *)o->operands.items[i];
    if (!webnn_stablehlo__close_as(t, argument, argument->argument))
      return false;
  }
  return true;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* What a value is in the computation that is described. */
static void webnn_stablehlo__set(webnn_stablehlo__t *t, webnn_stablehlo__value *value,
                                 webnn_xla_value *recorded) {
  if (value->frame && value->frame != t->frame) {
    webnn_stablehlo__undo *undo = WEBNN_STABLEHLO__NEW(t->m, webnn_stablehlo__undo, 1);
    if (!undo)
      return;
    undo->value = value;
    undo->recorded = value->recorded;
    undo->frame = value->frame;
    undo->next = t->undo;
    t->undo = undo;
  }
  value->recorded = recorded;
  value->frame = t->frame;
}

/* The value in this computation. What is computed from constants is recorded again in one that does
   not have it. NULL, with a mistake unless one has been told. */
static webnn_xla_value *webnn_stablehlo__use(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                             webnn_stablehlo__value *value) {
  if (value->frame == t->frame)
    return value->recorded;
  if (!value->constant || !value->operation)
    return webnn_stablehlo__refuse(
        t, o, WEBNN_STABLEHLO__NOT_COVERED,
        "its computation uses %.*s from outside, which is not computed from constants",
        value->name_length < 60 ? (int)value->name_length : 60, value->name);
  if (t->depth >= WEBNN_STABLEHLO__MAX_DEPTH)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                                   "constants are computed by more than %d operations in a row",
                                   WEBNN_STABLEHLO__MAX_DEPTH);
  t->depth++;
  webnn_stablehlo__record_operation(t, value->operation);
  t->depth--;
  return value->frame == t->frame ? value->recorded : NULL;
}

static void webnn_stablehlo__set_place(webnn_stablehlo__t *t, const webnn_stablehlo__o *o) {
  char place[WEBNN_STABLEHLO__PLACE_SIZE];
  webnn_stablehlo__place(t->m, o->offset, place);
  webnn_xla_set_place(t->b, place);
}

static webnn_xla_value *webnn_stablehlo__dequantize(webnn_stablehlo__t *t, webnn_xla_value *x,
                                                    const webnn_stablehlo__type *type) {
  return t->floats ? x : webnn_xla_uniform_dequantize(t->b, x, type->quantization);
}

static webnn_xla_value *webnn_stablehlo__quantize(webnn_stablehlo__t *t, webnn_xla_value *x,
                                                  const webnn_stablehlo__type *type) {
  const webnn_xla_shape *shape = webnn_xla_shape_of_value(x);
  if (x && shape->type != type->quantization->expressed_type)
    x = webnn_xla_convert_element_type(t->b, x, type->quantization->expressed_type);
  return t->floats ? x : webnn_xla_uniform_quantize(t->b, x, type->quantization);
}

/* Whether the operation is done in expressed types. */
static bool webnn_stablehlo__needs_floats(const webnn_stablehlo__t *t,
                                          const webnn_stablehlo__o *o) {
  const webnn_xla_quantization *first = NULL;
  bool same = true;
  size_t i;
  if (t->floats || (o->row->flags & (WEBNN_STABLEHLO__STORED | WEBNN_STABLEHLO__PASSES)))
    return false;
  for (i = 0; i < o->operands.count + o->result_count; i++) {
    const webnn_stablehlo__type *type = i < o->operands.count
                                            ? webnn_stablehlo__operand_type(o, i)
                                            : o->results[i - o->operands.count].type;
    if (type->quantization && !first)
      first = type->quantization;
    if (type->quantization && !webnn_stablehlo__same_quantization(first, type->quantization))
      same = false;
  }
  return first && !(same && (o->row->flags & WEBNN_STABLEHLO__MOVES));
}

/* ---- Operations, regions, functions ---------------------------------------------------------- */

/* Gives the results of an operation what was recorded, and compares their shapes with the types. */
static bool webnn_stablehlo__set_recorded(webnn_stablehlo__t *t, webnn_stablehlo__o *o,
                                          webnn_xla_value *recorded, bool floats) {
  char is[120], declared[120];
  size_t i;
  for (i = 0; i < o->result_count; i++) {
    const webnn_stablehlo__type *type = o->results[i].type;
    webnn_xla_value *x =
        o->result_count == 1 ? recorded : webnn_xla_get_tuple_element(t->b, recorded, i);
    webnn_xla_shape shape;
    if (floats && type->quantization)
      x = webnn_stablehlo__quantize(t, x, type);
    if (!x || webnn_stablehlo__take_error(t, o) ||
        !webnn_stablehlo__close_recorded(t, &o->results[i], webnn_xla_shape_of_value(x)))
      return false;
    type = o->results[i].type;
    shape = webnn_stablehlo__shape(t, type);
    if (!webnn_stablehlo__same_shape(&shape, webnn_xla_shape_of_value(x))) {
      webnn_stablehlo__refuse(
          t, o, WEBNN_STABLEHLO__WRONG, "the result is %s, but declared as %s",
          webnn_stablehlo__shape_text(webnn_xla_shape_of_value(x), is, sizeof is),
          webnn_stablehlo__type_text(type, declared, sizeof declared));
      return false;
    }
    webnn_stablehlo__set(t, &o->results[i], x);
  }
  return true;
}

/* What the table says of an operation, and the types of its results. */
static bool webnn_stablehlo__check_operation(webnn_stablehlo__t *t, const webnn_stablehlo__o *o) {
  const webnn_stablehlo__row *row = o->row;
  const char *reason;
  char type[120];
  size_t i;
  if (!row || row->reason) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED, "%s",
                            row ? row->reason : "this operation is not known");
    return false;
  }
  if (o->operands.count < (size_t)row->least ||
      (row->most >= 0 && o->operands.count > (size_t)row->most)) {
    webnn_stablehlo__refuse(
        t, o, WEBNN_STABLEHLO__WRONG, "the number of operands must be %s%d, but is %zu",
        row->most == row->least ? "" : "at least ", row->least, o->operands.count);
    return false;
  }
  if (row->regions >= 0 && o->regions.count != (size_t)row->regions) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                            "the number of regions must be %d, but is %zu", row->regions,
                            o->regions.count);
    return false;
  }
  for (i = 0; i < o->result_count; i++) {
    if (webnn_stablehlo__is_open(o->results[i].type) &&
        webnn_stablehlo__sizes_in(o) == WEBNN_STABLEHLO__INFERRED)
      continue; /* what is recorded will say them */
    reason = webnn_stablehlo__refusal(o->results[i].type);
    if (reason) {
      webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED, "%s: %s",
                              webnn_stablehlo__type_text(o->results[i].type, type, sizeof type),
                              reason);
      return false;
    }
  }
  if (!(row->flags & WEBNN_STABLEHLO__PASSES) && o->result_count == 0) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "it has a result, but none is declared");
    return false;
  }
  return true;
}

/* The operands in this computation. */
static bool webnn_stablehlo__get_operands(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                          bool floats, webnn_xla_value **x) {
  size_t i;
  for (i = 0; i < o->operands.count; i++) {
    webnn_stablehlo__value *value = (webnn_stablehlo__value *)o->operands.items[i];
    x[i] = webnn_stablehlo__use(t, o, value);
    if (x[i] && floats && value->type->quantization)
      x[i] = webnn_stablehlo__dequantize(t, x[i], value->type);
    if (!x[i])
      return false;
  }
  return true;
}

/* Whether the results can only give shapes: they are computed from constants, and of types that are
   not covered, such as index. */
static bool webnn_stablehlo__is_shape_only(const webnn_stablehlo__o *o) {
  size_t i;
  for (i = 0; i < o->result_count; i++)
    if (!o->results[i].constant || !webnn_stablehlo__refusal(o->results[i].type))
      return false;
  return o->result_count != 0;
}

static bool webnn_stablehlo__record_operation(webnn_stablehlo__recorder *t,
                                              webnn_stablehlo__operation *o) {
  webnn_xla_value **x, *recorded;
  const bool outer_floats = t->floats;
  bool floats;
  if (!webnn_stablehlo__close_results(t, o) || !webnn_stablehlo__check_operation(t, o))
    return false;
  floats = webnn_stablehlo__needs_floats(t, o);
  x = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_value *, o->operands.count);
  if (!x)
    return false;
  webnn_stablehlo__set_place(t, o);
  if (floats && (o->row->flags & WEBNN_STABLEHLO__SHAPED))
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                                   "a change of the quantization is not covered here") != NULL;
  if (!(o->row->flags & WEBNN_STABLEHLO__SHAPED) &&
      !webnn_stablehlo__get_operands(t, o, floats, x)) {
    webnn_stablehlo__take_error(t, o);
    return false;
  }
  webnn_stablehlo__set_place(t, o);
  t->floats = t->floats || floats;
  recorded = o->row->record(t, o, x);
  t->floats = outer_floats;
  if (webnn_stablehlo__take_error(t, o) || t->error.status != WEBNN_OK || !recorded)
    return false;
  return webnn_stablehlo__set_recorded(t, o, recorded, floats);
}

/* Tells the mistake of an operation and forgets it. */
static void webnn_stablehlo__report(webnn_stablehlo__t *t) {
  webnn_stablehlo_problem problem;
  char place[WEBNN_STABLEHLO__PLACE_SIZE];
  const char *reason = t->error.message;
  size_t length;
  if (t->error.status == WEBNN_OK || !t->culprit)
    return;
  webnn_stablehlo__place(t->m, t->culprit->offset, place);
  /* Without what is told apart. */
  length = strlen(place);
  if (strncmp(reason, place, length) == 0 && strncmp(reason + length, ": ", 2) == 0)
    reason += length + 2;
  length = strlen(t->culprit->name);
  if (strncmp(reason, t->culprit->name, length) == 0 && strncmp(reason + length, ": ", 2) == 0)
    reason += length + 2;
  problem.operation = t->culprit->name;
  problem.place = place;
  problem.reason = reason;
  problem.status = t->error.status;
  t->problems++;
  if (t->report)
    t->report(t->user, &problem);
  memset(&t->error, 0, sizeof t->error);
}

/* The operations of a region but its last, the return; false after a mistake. */
static bool webnn_stablehlo__record_operations(webnn_stablehlo__t *t,
                                               const webnn_stablehlo__region *region) {
  webnn_stablehlo__o *o;
  bool complete = true;
  size_t i;
  for (o = region->first; o && o != region->last; o = o->next) {
    /* Constants are recorded where they are used. */
    if (o->row && strcmp(o->row->name, "constant") == 0 && !t->collect)
      continue;
    if (webnn_stablehlo__is_shape_only(o))
      continue;
    if (webnn_stablehlo__record_operation(t, o))
      continue;
    complete = false;
    if (!t->collect)
      return false;
    webnn_stablehlo__report(t);
    for (i = 0; i < o->result_count; i++)
      webnn_stablehlo__set(t, &o->results[i], NULL);
  }
  return complete;
}

/* A value that a region takes from outside becomes a further parameter. */
static bool webnn_stablehlo__add_parameter(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                           size_t number, webnn_stablehlo__value *value,
                                           const char *name) {
  const char *reason = webnn_stablehlo__refusal(value->type);
  char type[120];
  webnn_xla_value *parameter;
  if (reason) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED, "%s: %s",
                            webnn_stablehlo__type_text(value->type, type, sizeof type), reason);
    return false;
  }
  parameter = webnn_xla_parameter(t->b, number, webnn_stablehlo__shape(t, value->type), name);
  if (webnn_stablehlo__take_error(t, o) || !parameter)
    return false;
  webnn_stablehlo__set(t, value, parameter);
  return true;
}

/* What the return gives, and the captured values behind it: the result of a computation. */
static webnn_xla_value *webnn_stablehlo__record_root(webnn_stablehlo__t *t,
                                                     const webnn_stablehlo__region *region,
                                                     const webnn_stablehlo__list *captured) {
  const webnn_stablehlo__o *end = region->last;
  const size_t count = end->operands.count, more = captured ? captured->count : 0;
  webnn_xla_value **x = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_value *, count + more);
  size_t i;
  if (!x || !webnn_stablehlo__get_operands(t, end, false, x))
    return NULL;
  for (i = 0; i < more; i++)
    x[count + i] = webnn_stablehlo__use(t, end, (webnn_stablehlo__value *)captured->items[i]);
  return count + more == 1 ? x[0] : webnn_xla_tuple(t->b, x, count + more);
}

/* A region as a computation. Its parameters are its arguments and the captured values, which it
   returns behind its results if `returned`. `names` are those of arguments, or NULL; `owner` and
   `name` are for messages. */
static const webnn_xla_computation *
webnn_stablehlo__record_region(webnn_stablehlo__t *t, const webnn_stablehlo__o *owner,
                               const webnn_stablehlo__region *region, const char *name,
                               const webnn_stablehlo__list *names,
                               const webnn_stablehlo__list *captured, bool returned) {
  webnn_xla_builder *b = t->b;
  webnn_stablehlo__undo *undo = t->undo;
  const size_t frame = t->frame, count = region->arguments.count;
  const webnn_xla_computation *computation = NULL;
  bool complete = true;
  size_t i;
  if (!region->last || !region->last->row || strcmp(region->last->row->name, "return") != 0) {
    webnn_stablehlo__refuse(t, owner, WEBNN_STABLEHLO__WRONG,
                            "its region does not end with a return");
    return NULL;
  }
  t->b = webnn_xla_begin(t->m->xla, name);
  t->frame = ++t->m->frames;
  t->undo = NULL;
  webnn_stablehlo__set_place(t, owner);
  for (i = 0; complete && i < count + (captured ? captured->count : 0); i++)
    complete = webnn_stablehlo__add_parameter(
        t, owner, i,
        (webnn_stablehlo__value *)(i < count ? region->arguments.items[i]
                                             : captured->items[i - count]),
        names && i < names->count ? (const char *)names->items[i] : NULL);
  complete = complete && webnn_stablehlo__record_operations(t, region);
  if (complete) {
    webnn_xla_value *root = webnn_stablehlo__record_root(t, region, returned ? captured : NULL);
    computation = root ? webnn_xla_end(t->b, root) : NULL;
    webnn_stablehlo__take_error(t, region->last);
  }
  for (; t->undo; t->undo = t->undo->next) {
    t->undo->value->recorded = t->undo->recorded;
    t->undo->value->frame = t->undo->frame;
  }
  t->b = b;
  t->frame = frame;
  t->undo = undo;
  return computation;
}

/* ==============================================================================================
   How each operation is recorded
   ============================================================================================== */

#define WEBNN_STABLEHLO__RECORD(name)                                                              \
  static webnn_xla_value *webnn_stablehlo__record_##name(                                          \
      webnn_stablehlo__t *t, const webnn_stablehlo__o *o, webnn_xla_value **x)

/* The element type of a result. */
static webnn_xla_type webnn_stablehlo__result_type(const webnn_stablehlo__t *t,
                                                   const webnn_stablehlo__o *o) {
  return webnn_stablehlo__held_type(t, o->results[0].type);
}

/* The element type of the result if it is not that of operand x, else 0. */
static webnn_xla_type webnn_stablehlo__other_type(const webnn_stablehlo__t *t,
                                                  const webnn_stablehlo__o *o,
                                                  const webnn_xla_value *x) {
  const webnn_xla_type type = webnn_stablehlo__result_type(t, o);
  return x && webnn_xla_shape_of_value(x)->type == type ? (webnn_xla_type)0 : type;
}

/* ---- Elements -------------------------------------------------------------------------------- */

WEBNN_STABLEHLO__RECORD(unary) {
  return webnn_xla_unary(t->b, (webnn_xla_operation)o->row->parameter, x[0]);
}

/* Operands of an elementwise operation have one shape: nothing stretches. */
static bool webnn_stablehlo__check_equal(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                         webnn_xla_value *const *x) {
  char left[120], right[120];
  const webnn_xla_shape *a = webnn_xla_shape_of_value(x[0]), *b = webnn_xla_shape_of_value(x[1]);
  if (webnn_stablehlo__same_shape(a, b))
    return true;
  webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                          "the operands must have one type, but have %s and %s",
                          webnn_stablehlo__shape_text(a, left, sizeof left),
                          webnn_stablehlo__shape_text(b, right, sizeof right));
  return false;
}

WEBNN_STABLEHLO__RECORD(binary) {
  if (!webnn_stablehlo__check_equal(t, o, x))
    return NULL;
  return webnn_xla_binary(t->b, (webnn_xla_operation)o->row->parameter, x[0], x[1],
                          webnn_list_of(NULL, 0));
}

WEBNN_STABLEHLO__RECORD(compare) {
#define WEBNN_STABLEHLO__DIRECTION(op, name, stablehlo) {stablehlo, WEBNN_XLA_##op},
  static const struct {
    const char *name;
    webnn_xla_operation operation;
  } directions[] = {WEBNN_XLA_COMPARISONS(WEBNN_STABLEHLO__DIRECTION)};
#undef WEBNN_STABLEHLO__DIRECTION
  const char *direction = webnn_stablehlo__word_of(t, o, "comparison_direction");
  const bool total = strcmp(webnn_stablehlo__word_of(t, o, "compare_type"), "TOTALORDER") == 0;
  size_t i;
  if (!webnn_stablehlo__check_equal(t, o, x))
    return NULL;
  for (i = 0; i < sizeof directions / sizeof directions[0]; i++)
    if (strcmp(directions[i].name, direction) == 0)
      return total ? webnn_xla_compare_total_order(t->b, directions[i].operation, x[0], x[1])
                   : webnn_xla_binary(t->b, directions[i].operation, x[0], x[1],
                                      webnn_list_of(NULL, 0));
  return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                 "the direction must be EQ, NE, GE, GT, LE or LT, but is '%.20s'",
                                 direction);
}

WEBNN_STABLEHLO__RECORD(convert) {
  return webnn_xla_convert_element_type(t->b, x[0], webnn_stablehlo__result_type(t, o));
}

WEBNN_STABLEHLO__RECORD(bitcast_convert) {
  return webnn_xla_bitcast_convert(t->b, x[0], webnn_stablehlo__result_type(t, o));
}

WEBNN_STABLEHLO__RECORD(reduce_precision) {
  uint32_t exponent, mantissa;
  if (!webnn_stablehlo__uint_of(t, o, "exponent_bits", 0, &exponent) ||
      !webnn_stablehlo__uint_of(t, o, "mantissa_bits", 0, &mantissa))
    return NULL;
  return webnn_xla_reduce_precision(t->b, x[0], exponent, mantissa);
}

WEBNN_STABLEHLO__RECORD(clamp) {
  (void)o;
  return webnn_xla_clamp(t->b, x[1], x[0], x[2]);
}

WEBNN_STABLEHLO__RECORD(select) {
  (void)o;
  return webnn_xla_select(t->b, x[0], x[1], x[2]);
}

WEBNN_STABLEHLO__RECORD(uniform_quantize) {
  const webnn_stablehlo__type *type = o->results[0].type;
  const webnn_stablehlo__type *from = webnn_stablehlo__operand_type(o, 0);
  if (!type->quantization)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "the result must be quantized");
  if (from->quantization)
    x[0] = webnn_stablehlo__dequantize(t, x[0], from);
  return webnn_stablehlo__quantize(t, x[0], type);
}

WEBNN_STABLEHLO__RECORD(uniform_dequantize) {
  const webnn_stablehlo__type *from = webnn_stablehlo__operand_type(o, 0);
  if (!from->quantization)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "the operand must be quantized");
  return webnn_stablehlo__dequantize(t, x[0], from);
}

/* ---- Constants ------------------------------------------------------------------------------- */

static webnn_xla_value *webnn_stablehlo__record_literal(webnn_stablehlo__t *t,
                                                        const webnn_stablehlo__o *o,
                                                        const webnn_stablehlo__attribute *a,
                                                        const webnn_stablehlo__type *type) {
  const unsigned char *data = webnn_stablehlo__literal(t->m, a);
  const webnn_xla_type element = webnn_stablehlo__element_type(type);
  const webnn_list sizes = webnn_stablehlo__sizes(type);
  webnn_xla_value *value;
  if (!data)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   a->text ? "the resource %.60s is not there, or not of the type"
                                           : "the literal %.0sis not of the type",
                                   a->text ? a->text : "");
  if (!a->splat)
    return webnn_xla_constant(t->b, webnn_xla_shape_of(element, sizes), data,
                              (size_t)a->count * a->element_bytes);
  value = webnn_xla_constant(t->b, webnn_xla_shape_of(element, webnn_list_of(NULL, 0)), data,
                             a->element_bytes);
  return type->rank ? webnn_xla_broadcast_in_dim(t->b, value, sizes, webnn_list_of(NULL, 0))
                    : value;
}

WEBNN_STABLEHLO__RECORD(constant) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, "value");
  const webnn_stablehlo__type *type = o->results[0].type;
  webnn_xla_value *value;
  uint64_t count;
  (void)x;
  if (!a || a->kind != WEBNN_STABLEHLO__DENSE)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "the value must be dense<...>");
  if (webnn_stablehlo__element_type(a->type) != webnn_stablehlo__element_type(type) ||
      !webnn_stablehlo__element_count(type, &count) || count != a->count)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "the literal has another type than the result");
  value = webnn_stablehlo__record_literal(t, o, a, type);
  return t->floats && type->quantization && value
             ? webnn_xla_uniform_dequantize(t->b, value, type->quantization)
             : value;
}

WEBNN_STABLEHLO__RECORD(iota) {
  uint32_t dimension;
  (void)x;
  if (!webnn_stablehlo__uint_of(t, o, "iota_dimension", 0, &dimension))
    return NULL;
  return webnn_xla_iota(t->b, webnn_stablehlo__shape(t, o->results[0].type), dimension);
}

/* A number that stands for a result: of one replica, 0. */
WEBNN_STABLEHLO__RECORD(zero) {
  (void)x;
  return webnn_xla_fill(t->b, webnn_stablehlo__shape(t, o->results[0].type), 0);
}

WEBNN_STABLEHLO__RECORD(get_dimension_size) {
  const webnn_stablehlo__type *type = webnn_stablehlo__operand_type(o, 0);
  uint32_t dimension;
  (void)x;
  if (!webnn_stablehlo__uint_of(t, o, "dimension", 0, &dimension))
    return NULL;
  if (dimension >= type->rank)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "the operand has no dimension %" PRIu32, dimension);
  return webnn_xla_scalar(t->b, WEBNN_XLA_S32, (double)type->dimensions[dimension]);
}

/* The first of the operand's elements along the dimension: as many as the other operand holds. */
WEBNN_STABLEHLO__RECORD(set_dimension_size) {
  const webnn_stablehlo__type *type = webnn_stablehlo__operand_type(o, 0);
  webnn_list start = webnn_stablehlo__sizes(type), limit = start, strides = start;
  uint32_t dimension, i;
  int64_t size;
  if (!webnn_stablehlo__uint_of(t, o, "dimension", 0, &dimension) ||
      !webnn_stablehlo__constant_operand(t, o, 1, "the size", &size, 1))
    return NULL;
  if (dimension >= type->rank || size < 0 || (uint64_t)size > type->dimensions[dimension])
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "a size from 0 to that of a dimension of the operand is needed; "
                                   "it is %" PRId64 " of dimension %" PRIu32,
                                   size, dimension);
  for (i = 0; i < start.count; i++) {
    start.items[i] = 0;
    strides.items[i] = 1;
  }
  limit.items[dimension] = (uint32_t)size;
  x[0] = webnn_stablehlo__use(t, o, (webnn_stablehlo__value *)o->operands.items[0]);
  webnn_stablehlo__set_place(t, o);
  return x[0] ? webnn_xla_slice(t->b, x[0], start, limit, strides) : NULL;
}

/* ---- Moving elements ------------------------------------------------------------------------- */

/* The operand as it is. */
WEBNN_STABLEHLO__RECORD(same) {
  (void)t;
  (void)o;
  return x[0];
}

WEBNN_STABLEHLO__RECORD(broadcast) {
  webnn_list sizes;
  if (!webnn_stablehlo__list_of(t, o, "broadcast_sizes", &sizes))
    return NULL;
  return webnn_xla_broadcast(t->b, x[0], sizes);
}

WEBNN_STABLEHLO__RECORD(broadcast_in_dim) {
  webnn_list dimensions;
  if (!webnn_stablehlo__list_of(t, o, "broadcast_dimensions", &dimensions))
    return NULL;
  return webnn_xla_broadcast_in_dim(t->b, x[0], webnn_stablehlo__sizes(o->results[0].type),
                                    dimensions);
}

WEBNN_STABLEHLO__RECORD(reshape) {
  const webnn_list as_it_is = WEBNN_ZERO;
  return webnn_xla_reshape(t->b, x[0], as_it_is, webnn_stablehlo__sizes(o->results[0].type));
}

WEBNN_STABLEHLO__RECORD(transpose) {
  webnn_list permutation;
  if (!webnn_stablehlo__list_of(t, o, "permutation", &permutation))
    return NULL;
  return webnn_xla_transpose(t->b, x[0], permutation);
}

WEBNN_STABLEHLO__RECORD(reverse) {
  webnn_list dimensions;
  if (!webnn_stablehlo__list_of(t, o, "dimensions", &dimensions))
    return NULL;
  return webnn_xla_rev(t->b, x[0], dimensions);
}

WEBNN_STABLEHLO__RECORD(slice) {
  webnn_list start, limit, strides;
  if (!webnn_stablehlo__list_of(t, o, "start_indices", &start) ||
      !webnn_stablehlo__list_of(t, o, "limit_indices", &limit) ||
      !webnn_stablehlo__list_of(t, o, "strides", &strides))
    return NULL;
  return webnn_xla_slice(t->b, x[0], start, limit, strides);
}

WEBNN_STABLEHLO__RECORD(concatenate) {
  uint32_t dimension;
  if (!webnn_stablehlo__uint_of(t, o, "dimension", 0, &dimension))
    return NULL;
  return webnn_xla_concatenate(t->b, x, o->operands.count, dimension);
}

/* Integers of an attribute that may be negative, as many as there are dimensions. */
static bool webnn_stablehlo__signed_list(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                         const char *name, size_t rank, int64_t *items) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, name);
  size_t count = 0;
  if ((a || rank == 0) &&
      (!a || webnn_stablehlo__integers(t->m, a, items, WEBNN_MAX_RANK, &count)) && count == rank)
    return true;
  webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "%s must be %zu integers", name, rank);
  return false;
}

static webnn_xla_value *webnn_stablehlo__pad(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                             webnn_xla_value *const *x, const int64_t *low,
                                             const int64_t *high, const int64_t *interior) {
  const size_t rank = webnn_stablehlo__operand_type(o, 0)->rank;
  webnn_xla_padding padding = WEBNN_ZERO;
  size_t i;
  for (i = 0; i < rank; i++) {
    padding.low[i] = low[i];
    padding.high[i] = high[i];
    if (interior[i] < 0 || interior[i] > UINT32_MAX)
      return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                     "interior padding must not be negative");
    padding.interior[i] = (uint32_t)interior[i];
  }
  return webnn_xla_pad(t->b, x[0], x[1], padding);
}

WEBNN_STABLEHLO__RECORD(pad) {
  const size_t rank = webnn_stablehlo__operand_type(o, 0)->rank;
  int64_t low[WEBNN_MAX_RANK], high[WEBNN_MAX_RANK], interior[WEBNN_MAX_RANK];
  if (!webnn_stablehlo__signed_list(t, o, "edge_padding_low", rank, low) ||
      !webnn_stablehlo__signed_list(t, o, "edge_padding_high", rank, high) ||
      !webnn_stablehlo__signed_list(t, o, "interior_padding", rank, interior))
    return NULL;
  return webnn_stablehlo__pad(t, o, x, low, high, interior);
}

WEBNN_STABLEHLO__RECORD(dynamic_slice) {
  webnn_list sizes;
  if (!webnn_stablehlo__list_of(t, o, "slice_sizes", &sizes))
    return NULL;
  return webnn_xla_dynamic_slice(t->b, x[0], x + 1, o->operands.count - 1, sizes);
}

WEBNN_STABLEHLO__RECORD(dynamic_update_slice) {
  return webnn_xla_dynamic_update_slice(t->b, x[0], x[1], x + 2, o->operands.count - 2);
}

static webnn_xla_value *webnn_stablehlo__gather(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                                webnn_xla_value *operand, webnn_xla_value *indices,
                                                webnn_list slice_sizes) {
  const webnn_stablehlo__attribute *n = webnn_stablehlo__numbers_of(t, o, "dimension_numbers");
  webnn_xla_gather_options options = WEBNN_ZERO;
  if (!n || !webnn_stablehlo__list_in(t, o, n, "offset_dims", &options.offset_dims) ||
      !webnn_stablehlo__list_in(t, o, n, "collapsed_slice_dims", &options.collapsed_slice_dims) ||
      !webnn_stablehlo__list_in(t, o, n, "operand_batching_dims", &options.operand_batching_dims) ||
      !webnn_stablehlo__list_in(t, o, n, "start_indices_batching_dims",
                                &options.start_indices_batching_dims) ||
      !webnn_stablehlo__list_in(t, o, n, "start_index_map", &options.start_index_map))
    return NULL;
  options.slice_sizes = slice_sizes;
  options.index_vector_dim = webnn_stablehlo__uint_in(t, n, "index_vector_dim");
  options.indices_are_sorted = webnn_stablehlo__flag_of(t, o, "indices_are_sorted");
  return webnn_xla_gather(t->b, operand, indices, options);
}

WEBNN_STABLEHLO__RECORD(gather) {
  webnn_list sizes;
  if (!webnn_stablehlo__list_of(t, o, "slice_sizes", &sizes))
    return NULL;
  return webnn_stablehlo__gather(t, o, x[0], x[1], sizes);
}

/* Slices of the operand along `dim`, chosen by the index, of which `batch_dims` go with the
   operand's. */
WEBNN_STABLEHLO__RECORD(torch_index_select) {
  const webnn_stablehlo__type *operand = webnn_stablehlo__operand_type(o, 0);
  const webnn_stablehlo__type *index = webnn_stablehlo__operand_type(o, 1);
  webnn_xla_gather_options options = WEBNN_ZERO;
  uint32_t dim, batch, i, offset[WEBNN_MAX_RANK], sizes[WEBNN_MAX_RANK], batching[WEBNN_MAX_RANK];
  size_t offsets = 0;
  if (!webnn_stablehlo__uint_of(t, o, "dim", 0, &dim) ||
      !webnn_stablehlo__uint_of(t, o, "batch_dims", 0, &batch))
    return NULL;
  if (dim >= operand->rank || batch > dim || batch > index->rank)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "dim must be a dimension of the operand, behind batch_dims");
  for (i = 0; i < operand->rank && i < WEBNN_MAX_RANK; i++) {
    sizes[i] = i < batch || i == dim ? 1 : (uint32_t)operand->dimensions[i];
    batching[i] = i;
    if (i >= batch && i != dim)
      offset[offsets++] = i < dim ? i : i - 1 + (uint32_t)index->rank - batch;
  }
  options.offset_dims = webnn_list_of(offset, offsets);
  options.collapsed_slice_dims = webnn_list_of(&dim, 1);
  options.operand_batching_dims = webnn_list_of(batching, batch);
  options.start_indices_batching_dims = options.operand_batching_dims;
  options.start_index_map = webnn_list_of(&dim, 1);
  options.slice_sizes = webnn_list_of(sizes, i);
  options.index_vector_dim = (uint32_t)index->rank;
  return webnn_xla_gather(t->b, x[0], x[1], options);
}

/* ---- Shapes as operands ---------------------------------------------------------------------- */

/* Operand `index`, of an operation that gets its operands itself. */
static webnn_xla_value *webnn_stablehlo__operand(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                                 size_t index) {
  webnn_xla_value *x =
      webnn_stablehlo__use(t, o, (webnn_stablehlo__value *)o->operands.items[index]);
  webnn_stablehlo__set_place(t, o);
  return x;
}

/* The result's sizes, which operand `index` must agree with. */
static bool webnn_stablehlo__check_sizes(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                         size_t index) {
  const webnn_stablehlo__type *type = o->results[0].type;
  int64_t sizes[WEBNN_MAX_RANK];
  size_t i;
  if (!webnn_stablehlo__constant_operand(t, o, index, "the shape", sizes, type->rank))
    return false;
  for (i = 0; i < type->rank; i++)
    if (sizes[i] < 0 || (uint64_t)sizes[i] != type->dimensions[i]) {
      webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                              "dimension %zu of the shape is %" PRId64 ", but declared as %" PRIu64,
                              i, sizes[i], type->dimensions[i]);
      return false;
    }
  return true;
}

WEBNN_STABLEHLO__RECORD(dynamic_broadcast_in_dim) {
  if (!webnn_stablehlo__check_sizes(t, o, 1))
    return NULL;
  x[0] = webnn_stablehlo__operand(t, o, 0);
  return x[0] ? webnn_stablehlo__record_broadcast_in_dim(t, o, x) : NULL;
}

WEBNN_STABLEHLO__RECORD(dynamic_reshape) {
  if (!webnn_stablehlo__check_sizes(t, o, 1))
    return NULL;
  x[0] = webnn_stablehlo__operand(t, o, 0);
  return x[0] ? webnn_stablehlo__record_reshape(t, o, x) : NULL;
}

WEBNN_STABLEHLO__RECORD(dynamic_iota) {
  return webnn_stablehlo__check_sizes(t, o, 0) ? webnn_stablehlo__record_iota(t, o, x) : NULL;
}

WEBNN_STABLEHLO__RECORD(dynamic_pad) {
  const size_t rank = webnn_stablehlo__operand_type(o, 0)->rank;
  int64_t low[WEBNN_MAX_RANK], high[WEBNN_MAX_RANK], interior[WEBNN_MAX_RANK];
  if (rank > WEBNN_MAX_RANK ||
      !webnn_stablehlo__constant_operand(t, o, 2, "edge_padding_low", low, rank) ||
      !webnn_stablehlo__constant_operand(t, o, 3, "edge_padding_high", high, rank) ||
      !webnn_stablehlo__constant_operand(t, o, 4, "interior_padding", interior, rank))
    return NULL;
  x[0] = webnn_stablehlo__operand(t, o, 0);
  x[1] = webnn_stablehlo__operand(t, o, 1);
  return x[0] && x[1] ? webnn_stablehlo__pad(t, o, x, low, high, interior) : NULL;
}

/* Integers that must be sizes or positions, as a list. */
static bool webnn_stablehlo__constant_list(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                           size_t index, const char *what, size_t count,
                                           webnn_list *list) {
  int64_t items[WEBNN_MAX_RANK];
  size_t i;
  if (count > WEBNN_MAX_RANK || !webnn_stablehlo__constant_operand(t, o, index, what, items, count))
    return false;
  *list = webnn_list_of(NULL, 0);
  for (i = 0; i < count; i++) {
    if (items[i] < 0 || items[i] > UINT32_MAX) {
      webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "%s must not be negative", what);
      return false;
    }
    list->items[i] = (uint32_t)items[i];
  }
  list->count = (uint32_t)count;
  return true;
}

WEBNN_STABLEHLO__RECORD(dynamic_gather) {
  webnn_list sizes;
  if (!webnn_stablehlo__constant_list(t, o, 2, "slice_sizes",
                                      webnn_stablehlo__operand_type(o, 0)->rank, &sizes))
    return NULL;
  x[0] = webnn_stablehlo__operand(t, o, 0);
  x[1] = webnn_stablehlo__operand(t, o, 1);
  return x[0] && x[1] ? webnn_stablehlo__gather(t, o, x[0], x[1], sizes) : NULL;
}

WEBNN_STABLEHLO__RECORD(real_dynamic_slice) {
  const size_t rank = webnn_stablehlo__operand_type(o, 0)->rank;
  webnn_list start, limit, strides;
  if (!webnn_stablehlo__constant_list(t, o, 1, "start_indices", rank, &start) ||
      !webnn_stablehlo__constant_list(t, o, 2, "limit_indices", rank, &limit) ||
      !webnn_stablehlo__constant_list(t, o, 3, "strides", rank, &strides))
    return NULL;
  x[0] = webnn_stablehlo__operand(t, o, 0);
  return x[0] ? webnn_xla_slice(t->b, x[0], start, limit, strides) : NULL;
}

/* ---- Products -------------------------------------------------------------------------------- */

WEBNN_STABLEHLO__RECORD(dot) {
  const webnn_xla_type type = webnn_stablehlo__other_type(t, o, x[0]);
  if (type) {
    x[0] = webnn_xla_convert_element_type(t->b, x[0], type);
    x[1] = webnn_xla_convert_element_type(t->b, x[1], type);
  }
  return webnn_xla_dot(t->b, x[0], x[1]);
}

/* Two lists of the pretty form: [0] x [1]. */
static bool webnn_stablehlo__list_pair(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                       const char *name, webnn_list *left, webnn_list *right) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, name);
  *left = *right = webnn_list_of(NULL, 0);
  if (!a)
    return true;
  if (a->kind != WEBNN_STABLEHLO__SEQUENCE || a->items.count != 2) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "%s must be two lists", name);
    return false;
  }
  return webnn_stablehlo__list_attribute(
             t, o, (const webnn_stablehlo__attribute *)a->items.items[0], name, left) &&
         webnn_stablehlo__list_attribute(
             t, o, (const webnn_stablehlo__attribute *)a->items.items[1], name, right);
}

WEBNN_STABLEHLO__RECORD(dot_general) {
  webnn_xla_dot_dimension_numbers n = WEBNN_ZERO;
  const webnn_stablehlo__attribute *a =
      webnn_stablehlo__attribute_of(t->m, o, "dot_dimension_numbers");
  if (a) {
    if (!webnn_stablehlo__numbers_of(t, o, "dot_dimension_numbers") ||
        !webnn_stablehlo__list_in(t, o, a, "lhs_batching_dimensions", &n.left_batch) ||
        !webnn_stablehlo__list_in(t, o, a, "rhs_batching_dimensions", &n.right_batch) ||
        !webnn_stablehlo__list_in(t, o, a, "lhs_contracting_dimensions", &n.left_contracting) ||
        !webnn_stablehlo__list_in(t, o, a, "rhs_contracting_dimensions", &n.right_contracting))
      return NULL;
  } else if (!webnn_stablehlo__list_pair(t, o, "batching_dims", &n.left_batch, &n.right_batch) ||
             !webnn_stablehlo__list_pair(t, o, "contracting_dims", &n.left_contracting,
                                         &n.right_contracting)) {
    return NULL;
  }
  return webnn_xla_dot_general(t->b, x[0], x[1], n, webnn_stablehlo__result_type(t, o));
}

/* One operand of an einsum: the letters of its dimensions. */
static bool webnn_stablehlo__einsum_letters(const char **config, char letters[WEBNN_MAX_RANK + 1],
                                            size_t rank) {
  size_t count = 0;
  for (; webnn_stablehlo__is_letter(**config); (*config)++) {
    if (count == WEBNN_MAX_RANK || memchr(letters, **config, count))
      return false;
    letters[count++] = **config;
  }
  letters[count] = 0;
  return count == rank;
}

static void webnn_stablehlo__add_item(webnn_list *list, size_t item) {
  list->items[list->count++] = (uint32_t)item;
  list->given = true;
}

/* "ab,bc->ac" with letters of dimensions, none twice in an operand. A letter that the result has
   not must be in both operands. */
WEBNN_STABLEHLO__RECORD(einsum) {
  const char *config = webnn_stablehlo__word_of(t, o, "einsum_config");
  char left[WEBNN_MAX_RANK + 1], right[WEBNN_MAX_RANK + 1], result[WEBNN_MAX_RANK + 1];
  char order[2 * WEBNN_MAX_RANK + 1];
  webnn_xla_dot_dimension_numbers n = WEBNN_ZERO;
  webnn_list permutation = webnn_list_of(NULL, 0);
  webnn_xla_value *product;
  size_t i, batch = 0, count;
  if (!webnn_stablehlo__einsum_letters(&config, left, webnn_stablehlo__operand_type(o, 0)->rank) ||
      *config++ != ',' ||
      !webnn_stablehlo__einsum_letters(&config, right, webnn_stablehlo__operand_type(o, 1)->rank) ||
      *config++ != '-' || *config++ != '>' ||
      !webnn_stablehlo__einsum_letters(&config, result, o->results[0].type->rank) || *config)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                                   "only configurations like ab,bc->ac are covered");
  n.left_batch = n.right_batch = n.left_contracting = n.right_contracting = permutation;
  for (i = 0; left[i]; i++) {
    const char *at = strchr(right, left[i]);
    if (at && strchr(result, left[i])) {
      order[batch++] = left[i];
      webnn_stablehlo__add_item(&n.left_batch, i);
      webnn_stablehlo__add_item(&n.right_batch, (size_t)(at - right));
    } else if (at) {
      webnn_stablehlo__add_item(&n.left_contracting, i);
      webnn_stablehlo__add_item(&n.right_contracting, (size_t)(at - right));
    }
  }
  count = batch;
  for (i = 0; left[i]; i++)
    if (!strchr(right, left[i]))
      order[count++] = left[i];
  for (i = 0; right[i]; i++)
    if (!strchr(left, right[i]))
      order[count++] = right[i];
  order[count] = 0;
  for (i = 0; result[i]; i++) {
    const char *at = strchr(order, result[i]);
    if (!at || count != strlen(result))
      return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                                     "letters of one operand only must be in the result");
    webnn_stablehlo__add_item(&permutation, (size_t)(at - order));
  }
  product = webnn_xla_dot_general(t->b, x[0], x[1], n, webnn_stablehlo__result_type(t, o));
  return webnn_xla_transpose(t->b, product, permutation);
}

/* ---- Windows --------------------------------------------------------------------------------- */

/* An item of the pretty form's window = {...}, or the attribute of the generic form. */
static const webnn_stablehlo__attribute *webnn_stablehlo__window_item(const webnn_stablehlo__t *t,
                                                                      const webnn_stablehlo__o *o,
                                                                      const char *name,
                                                                      const char *item) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, name);
  const webnn_stablehlo__attribute *window = webnn_stablehlo__attribute_of(t->m, o, "window");
  return !a && window ? webnn_stablehlo__item_of(t->m, window, item) : a;
}

/* [[1, 2], [3, 4]] or dense<[[1, 2], [3, 4]]>: what is before and behind each dimension. */
static bool webnn_stablehlo__read_padding(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                          const webnn_stablehlo__attribute *a, size_t rank,
                                          webnn_xla_window *window) {
  int64_t items[2 * WEBNN_MAX_RANK];
  size_t count = 0, i;
  bool good = rank <= WEBNN_MAX_RANK;
  if (!a)
    return true;
  if (a->kind == WEBNN_STABLEHLO__DENSE) {
    good = good && webnn_stablehlo__integers(t->m, a, items, 2 * WEBNN_MAX_RANK, &count) &&
           count == 2 * rank;
  } else {
    good = good && a->kind == WEBNN_STABLEHLO__SEQUENCE && a->items.count == rank;
    for (i = 0; good && i < rank; i++)
      good = webnn_stablehlo__integers(t->m, (const webnn_stablehlo__attribute *)a->items.items[i],
                                       items + 2 * i, 2, &count) &&
             count == 2;
  }
  if (!good) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                            "padding must be two integers for each of %zu dimensions", rank);
    return false;
  }
  for (i = 0; i < rank; i++) {
    window->padding_low[i] = items[2 * i];
    window->padding_high[i] = items[2 * i + 1];
  }
  return true;
}

/* A list of the window that has an item for each dimension, or is not given. */
static bool webnn_stablehlo__window_list(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                         const char *name, const char *item, size_t rank,
                                         webnn_list *list) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__window_item(t, o, name, item);
  const webnn_list none = WEBNN_ZERO;
  if (!webnn_stablehlo__list_attribute(t, o, a, name, list))
    return false;
  if (!a) {
    *list = none;
  } else if (list->count != rank) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "%s has %" PRIu32 " items, but needs %zu",
                            name, list->count, rank);
    return false;
  }
  return true;
}

static bool webnn_stablehlo__read_window(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                         size_t rank, bool is_convolution,
                                         webnn_xla_window *window) {
  const webnn_stablehlo__attribute *reversed =
      webnn_stablehlo__window_item(t, o, "window_reversal", "reverse");
  int64_t flags[WEBNN_MAX_RANK];
  size_t count, i;
  if (!webnn_stablehlo__window_list(t, o, "window_strides", "stride", rank, &window->strides) ||
      !webnn_stablehlo__window_list(t, o, is_convolution ? "lhs_dilation" : "base_dilations",
                                    "lhs_dilate", rank, &window->base_dilations) ||
      !webnn_stablehlo__window_list(t, o, is_convolution ? "rhs_dilation" : "window_dilations",
                                    "rhs_dilate", rank, &window->window_dilations) ||
      !webnn_stablehlo__read_padding(t, o, webnn_stablehlo__window_item(t, o, "padding", "pad"),
                                     rank, window))
    return false;
  if (!reversed)
    return true;
  if (!webnn_stablehlo__integers(t->m, reversed, flags, WEBNN_MAX_RANK, &count) || count != rank) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                            "window_reversal must be %zu truth values", rank);
    return false;
  }
  for (i = 0; i < rank; i++)
    window->reversed[i] = flags[i] != 0;
  return true;
}

/* One of [b, 0, 1, f]: where the two letters are, and where each spatial dimension is. */
static bool webnn_stablehlo__dimension_places(const webnn_stablehlo__attribute *list,
                                              const char *letters, uint32_t *first,
                                              uint32_t *second, webnn_list *spatial) {
  bool seen[WEBNN_MAX_RANK + 2] = {false};
  size_t i;
  const size_t rank = list->items.count;
  if (list->kind != WEBNN_STABLEHLO__SEQUENCE || rank < 2 || rank > WEBNN_MAX_RANK)
    return false;
  *spatial = webnn_list_of(NULL, 0);
  spatial->count = (uint32_t)rank - 2;
  for (i = 0; i < rank; i++) {
    const webnn_stablehlo__attribute *item =
        (const webnn_stablehlo__attribute *)list->items.items[i];
    size_t which = rank;
    if (item->kind == WEBNN_STABLEHLO__NAME && item->length == 1 && item->text[0] == letters[0]) {
      which = rank - 2;
      *first = (uint32_t)i;
    } else if (item->kind == WEBNN_STABLEHLO__NAME && item->length == 1 &&
               item->text[0] == letters[1]) {
      which = rank - 1;
      *second = (uint32_t)i;
    } else if (item->kind == WEBNN_STABLEHLO__WHOLE && item->whole >= 0 &&
               item->whole < (int64_t)rank - 2) {
      which = (size_t)item->whole;
      spatial->items[which] = (uint32_t)i;
    }
    if (which == rank || seen[which])
      return false;
    seen[which] = true;
  }
  return true;
}

/* The long form of the same: #stablehlo.conv<raw input_batch_dimension = 0, ...>. */
static bool webnn_stablehlo__raw_convolution_numbers(webnn_stablehlo__t *t,
                                                     const webnn_stablehlo__o *o,
                                                     const webnn_stablehlo__attribute *a,
                                                     webnn_xla_convolution_options *c) {
  c->input_batch_dimension = webnn_stablehlo__uint_in(t, a, "input_batch_dimension");
  c->input_feature_dimension = webnn_stablehlo__uint_in(t, a, "input_feature_dimension");
  c->kernel_input_feature_dimension =
      webnn_stablehlo__uint_in(t, a, "kernel_input_feature_dimension");
  c->kernel_output_feature_dimension =
      webnn_stablehlo__uint_in(t, a, "kernel_output_feature_dimension");
  c->output_batch_dimension = webnn_stablehlo__uint_in(t, a, "output_batch_dimension");
  c->output_feature_dimension = webnn_stablehlo__uint_in(t, a, "output_feature_dimension");
  return webnn_stablehlo__list_in(t, o, a, "input_spatial_dimensions",
                                  &c->input_spatial_dimensions) &&
         webnn_stablehlo__list_in(t, o, a, "kernel_spatial_dimensions",
                                  &c->kernel_spatial_dimensions) &&
         webnn_stablehlo__list_in(t, o, a, "output_spatial_dimensions",
                                  &c->output_spatial_dimensions);
}

static bool webnn_stablehlo__convolution_numbers(const webnn_stablehlo__attribute *a,
                                                 webnn_xla_convolution_options *c) {
  const webnn_stablehlo__attribute *parts[3];
  size_t i;
  if (!a || a->kind != WEBNN_STABLEHLO__SEQUENCE || a->items.count != 3)
    return false;
  for (i = 0; i < 3; i++)
    parts[i] = (const webnn_stablehlo__attribute *)a->items.items[i];
  return webnn_stablehlo__dimension_places(parts[0], "bf", &c->input_batch_dimension,
                                           &c->input_feature_dimension,
                                           &c->input_spatial_dimensions) &&
         webnn_stablehlo__dimension_places(parts[1], "io", &c->kernel_input_feature_dimension,
                                           &c->kernel_output_feature_dimension,
                                           &c->kernel_spatial_dimensions) &&
         webnn_stablehlo__dimension_places(parts[2], "bf", &c->output_batch_dimension,
                                           &c->output_feature_dimension,
                                           &c->output_spatial_dimensions);
}

static webnn_xla_value *webnn_stablehlo__convolve(webnn_stablehlo__t *t,
                                                  const webnn_stablehlo__o *o,
                                                  webnn_xla_value *const *x,
                                                  webnn_xla_convolution_options *c) {
  const webnn_stablehlo__attribute *numbers;
  if (!webnn_stablehlo__uint_of(t, o, "feature_group_count", 1, &c->feature_group_count) ||
      !webnn_stablehlo__uint_of(t, o, "batch_group_count", 1, &c->batch_group_count))
    return NULL;
  numbers = webnn_stablehlo__attribute_of(t->m, o, "dimension_numbers");
  if (numbers && numbers->kind == WEBNN_STABLEHLO__DICTIONARY) {
    if (!webnn_stablehlo__raw_convolution_numbers(t, o, numbers, c))
      return NULL;
  } else if (!webnn_stablehlo__convolution_numbers(numbers, c))
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "dim_numbers must be like [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, "
                                   "f], each once");
  c->result_type = webnn_stablehlo__result_type(t, o);
  return webnn_xla_convolution(t->b, x[0], x[1], c);
}

WEBNN_STABLEHLO__RECORD(convolution) {
  webnn_xla_convolution_options c = WEBNN_ZERO;
  const size_t rank = webnn_stablehlo__operand_type(o, 0)->rank;
  if (!webnn_stablehlo__read_window(t, o, rank < 2 ? 0 : rank - 2, true, &c.window))
    return NULL;
  return webnn_stablehlo__convolve(t, o, x, &c);
}

/* The padding is an operand: two integers for each spatial dimension. */
WEBNN_STABLEHLO__RECORD(dynamic_conv) {
  webnn_xla_convolution_options c = WEBNN_ZERO;
  const size_t rank = webnn_stablehlo__operand_type(o, 0)->rank;
  const size_t spatial = rank < 2 ? 0 : rank - 2;
  int64_t padding[2 * WEBNN_MAX_RANK];
  size_t i;
  if (spatial > WEBNN_MAX_RANK || !webnn_stablehlo__read_window(t, o, spatial, true, &c.window) ||
      !webnn_stablehlo__constant_operand(t, o, 2, "the padding", padding, 2 * spatial))
    return NULL;
  for (i = 0; i < spatial; i++) {
    c.window.padding_low[i] = padding[2 * i];
    c.window.padding_high[i] = padding[2 * i + 1];
  }
  x[0] = webnn_stablehlo__operand(t, o, 0);
  x[1] = webnn_stablehlo__operand(t, o, 1);
  return x[0] && x[1] ? webnn_stablehlo__convolve(t, o, x, &c) : NULL;
}

/* ---- Computations applied -------------------------------------------------------------------- */

/* Region `index` as a computation of its arguments alone. */
static const webnn_xla_computation *
webnn_stablehlo__computation(webnn_stablehlo__t *t, const webnn_stablehlo__o *o, size_t index) {
  return webnn_stablehlo__record_region(
      t, o, (const webnn_stablehlo__region *)o->regions.items[index], o->name, NULL, NULL, false);
}

WEBNN_STABLEHLO__RECORD(map) {
  const webnn_xla_computation *c = webnn_stablehlo__computation(t, o, 0);
  webnn_list dimensions;
  if (!c || !webnn_stablehlo__list_of(t, o, "dimensions", &dimensions))
    return NULL;
  return webnn_xla_map(t->b, x, o->operands.count, c, dimensions, NULL, 0);
}

/* Operands come in equal parts. */
static bool webnn_stablehlo__check_pairs(webnn_stablehlo__t *t, const webnn_stablehlo__o *o) {
  if (o->operands.count % 2 == 0)
    return true;
  webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                          "there must be an initial value for each array");
  return false;
}

WEBNN_STABLEHLO__RECORD(reduce) {
  const size_t count = o->operands.count / 2;
  const webnn_xla_computation *c;
  webnn_list dimensions;
  if (!webnn_stablehlo__check_pairs(t, o) ||
      !webnn_stablehlo__list_of(t, o, "dimensions", &dimensions))
    return NULL;
  c = webnn_stablehlo__computation(t, o, 0);
  if (!c)
    return NULL;
  return webnn_xla_reduce_many(t->b, x, x + count, count, c, dimensions);
}

WEBNN_STABLEHLO__RECORD(reduce_window) {
  const size_t count = o->operands.count / 2;
  const size_t rank = webnn_stablehlo__operand_type(o, 0)->rank;
  const webnn_xla_computation *c;
  webnn_xla_window window = WEBNN_ZERO;
  webnn_list sizes;
  if (!webnn_stablehlo__check_pairs(t, o) ||
      !webnn_stablehlo__list_of(t, o, "window_dimensions", &sizes) ||
      !webnn_stablehlo__read_window(t, o, rank, false, &window))
    return NULL;
  c = webnn_stablehlo__computation(t, o, 0);
  if (!c)
    return NULL;
  return webnn_xla_reduce_window_many(t->b, x, x + count, count, c, sizes, window);
}

WEBNN_STABLEHLO__RECORD(select_and_scatter) {
  const size_t rank = webnn_stablehlo__operand_type(o, 0)->rank;
  const webnn_xla_computation *select, *scatter;
  webnn_xla_window window = WEBNN_ZERO;
  webnn_list sizes;
  if (!webnn_stablehlo__list_of(t, o, "window_dimensions", &sizes) ||
      !webnn_stablehlo__read_window(t, o, rank, false, &window))
    return NULL;
  select = webnn_stablehlo__computation(t, o, 0);
  scatter = select ? webnn_stablehlo__computation(t, o, 1) : NULL;
  if (!scatter)
    return NULL;
  return webnn_xla_select_and_scatter_padded(t->b, x[0], select, sizes, window, x[1], x[2],
                                             scatter);
}

WEBNN_STABLEHLO__RECORD(scatter) {
  const size_t count = o->operands.count / 2;
  const webnn_stablehlo__attribute *n =
      webnn_stablehlo__numbers_of(t, o, "scatter_dimension_numbers");
  webnn_xla_scatter_options s = WEBNN_ZERO;
  const webnn_xla_computation *c;
  if (!n || !webnn_stablehlo__list_in(t, o, n, "update_window_dims", &s.update_window_dims) ||
      !webnn_stablehlo__list_in(t, o, n, "inserted_window_dims", &s.inserted_window_dims) ||
      !webnn_stablehlo__list_in(t, o, n, "input_batching_dims", &s.input_batching_dims) ||
      !webnn_stablehlo__list_in(t, o, n, "scatter_indices_batching_dims",
                                &s.scatter_indices_batching_dims) ||
      !webnn_stablehlo__list_in(t, o, n, "scatter_dims_to_operand_dims",
                                &s.scatter_dims_to_operand_dims))
    return NULL;
  if (o->operands.count % 2 == 0)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "there must be updates for each array");
  s.index_vector_dim = webnn_stablehlo__uint_in(t, n, "index_vector_dim");
  s.indices_are_sorted = webnn_stablehlo__flag_of(t, o, "indices_are_sorted");
  s.unique_indices = webnn_stablehlo__flag_of(t, o, "unique_indices");
  c = webnn_stablehlo__computation(t, o, 0);
  return c ? webnn_xla_scatter(t->b, x, count, x[count], x + count + 1, c, s) : NULL;
}

WEBNN_STABLEHLO__RECORD(sort) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, "dimension");
  const int64_t rank = (int64_t)webnn_stablehlo__operand_type(o, 0)->rank;
  int64_t dimension = a && a->kind == WEBNN_STABLEHLO__WHOLE ? a->whole : -1;
  const webnn_xla_computation *c;
  if (dimension < 0)
    dimension += rank;
  if (dimension < 0 || dimension >= rank)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "dimension must be one of the %" PRId64 " dimensions", rank);
  c = webnn_stablehlo__computation(t, o, 0);
  return c ? webnn_xla_sort_many(t->b, x, o->operands.count, c, (uint32_t)dimension) : NULL;
}

/* ---- Control flow ---------------------------------------------------------------------------- */

/* Whether a value is defined in the region, or in one inside it. */
static bool webnn_stablehlo__is_inside(const webnn_stablehlo__value *value,
                                       const webnn_stablehlo__region *region) {
  const webnn_stablehlo__region *r = value->region;
  while (r && r->depth > region->depth)
    r = r->parent;
  return r == region;
}

/* Appends the values from outside that `region` uses, each once; those in `inner`, a region inside
   it, are looked for. Constants are recorded again instead. */
static bool webnn_stablehlo__capture(webnn_stablehlo__t *t, const webnn_stablehlo__region *region,
                                     const webnn_stablehlo__region *inner,
                                     webnn_stablehlo__list *captured) {
  const webnn_stablehlo__o *o;
  size_t i, k;
  for (o = inner->first; o; o = o->next) {
    for (i = 0; i < o->operands.count; i++) {
      webnn_stablehlo__value *value = (webnn_stablehlo__value *)o->operands.items[i];
      const webnn_stablehlo__o *origin = value->operation;
      if (webnn_stablehlo__is_inside(value, region) ||
          (value->constant && origin && origin->operands.count == 0) ||
          (value->constant && webnn_stablehlo__refusal(value->type)))
        continue;
      for (k = 0; k < captured->count && captured->items[k] != value;)
        k++;
      if (k == captured->count && !webnn_stablehlo__push(t->m, captured, value))
        return false;
    }
    for (i = 0; i < o->regions.count; i++)
      if (!webnn_stablehlo__capture(t, region, (const webnn_stablehlo__region *)o->regions.items[i],
                                    captured))
        return false;
  }
  return true;
}

/* The captured values as arguments, in x. */
static bool webnn_stablehlo__use_captured(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                          const webnn_stablehlo__list *captured,
                                          webnn_xla_value **x) {
  size_t i;
  for (i = 0; i < captured->count; i++) {
    x[i] = webnn_stablehlo__use(t, o, (webnn_stablehlo__value *)captured->items[i]);
    if (!x[i])
      return false;
  }
  webnn_stablehlo__set_place(t, o);
  return true;
}

/* The elements of a tuple that are an operation's results. */
static webnn_xla_value *webnn_stablehlo__first_elements(webnn_stablehlo__t *t,
                                                        webnn_xla_value *tuple, size_t count) {
  webnn_xla_value **x = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_value *, count);
  size_t i;
  for (i = 0; x && i < count; i++)
    x[i] = webnn_xla_get_tuple_element(t->b, tuple, i);
  return x && count == 1 ? x[0] : webnn_xla_tuple(t->b, x, x ? count : 0);
}

/* What the regions take from outside is carried along as further state, unchanged. */
WEBNN_STABLEHLO__RECORD(while_) {
  const webnn_stablehlo__region *condition = (const webnn_stablehlo__region *)o->regions.items[0];
  const webnn_stablehlo__region *body = (const webnn_stablehlo__region *)o->regions.items[1];
  const size_t count = o->operands.count;
  webnn_stablehlo__list captured = {NULL, 0, 0};
  const webnn_xla_computation *c, *b;
  webnn_xla_value **state, *result;
  if (!webnn_stablehlo__capture(t, condition, condition, &captured) ||
      !webnn_stablehlo__capture(t, body, body, &captured))
    return NULL;
  state = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_value *, count + captured.count);
  if (!state || !webnn_stablehlo__use_captured(t, o, &captured, state + count))
    return NULL;
  if (count)
    memcpy(state, x, count * sizeof *x);
  c = webnn_stablehlo__record_region(t, o, condition, "while.condition", NULL, &captured, false);
  b = c ? webnn_stablehlo__record_region(t, o, body, "while.body", NULL, &captured, true) : NULL;
  if (!b)
    return NULL;
  if (count + captured.count == 1)
    return webnn_xla_while(t->b, c, b, state[0]);
  result = webnn_xla_while(t->b, c, b, webnn_xla_tuple(t->b, state, count + captured.count));
  return captured.count ? webnn_stablehlo__first_elements(t, result, count)
         : count == 1   ? webnn_xla_get_tuple_element(t->b, result, 0)
                        : result;
}

/* if and case: the operand chooses a region, whose arguments are what it takes from outside. */
WEBNN_STABLEHLO__RECORD(conditional) {
  const size_t count = o->regions.count;
  const webnn_xla_computation **branches =
      WEBNN_STABLEHLO__NEW(t->m, const webnn_xla_computation *, count);
  webnn_xla_value **arguments = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_value *, count);
  size_t i;
  if (count == 0)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "there must be a region");
  for (i = 0; branches && arguments && i < count; i++) {
    const webnn_stablehlo__region *region = (const webnn_stablehlo__region *)o->regions.items[i];
    webnn_stablehlo__list captured = {NULL, 0, 0};
    webnn_xla_value **values;
    if (!webnn_stablehlo__capture(t, region, region, &captured))
      return NULL;
    values = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_value *, captured.count);
    if (!values || !webnn_stablehlo__use_captured(t, o, &captured, values))
      return NULL;
    branches[i] = webnn_stablehlo__record_region(t, o, region, "branch", NULL, &captured, false);
    if (!branches[i])
      return NULL;
    arguments[i] = captured.count == 1 ? values[0] : webnn_xla_tuple(t->b, values, captured.count);
  }
  return webnn_xla_conditional(t->b, x[0], branches, arguments, count);
}

static const webnn_xla_computation *webnn_stablehlo__build(webnn_stablehlo__t *t,
                                                           webnn_stablehlo__function *f);

/* call, and composite by its decomposition. */
WEBNN_STABLEHLO__RECORD(call) {
  const char *attribute = strcmp(o->row->name, "composite") == 0 ? "decomposition" : "callee";
  const char *name = webnn_stablehlo__word_of(t, o, attribute);
  webnn_stablehlo__function *f =
      (webnn_stablehlo__function *)webnn_stablehlo__find(&t->m->functions, name, strlen(name));
  const webnn_xla_computation *c;
  if (!f)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "there is no function @%.60s",
                                   name);
  if (f->state == WEBNN_STABLEHLO__IN_PROGRESS)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                                   "@%.60s calls itself; recursion is not covered", name);
  if (!webnn_stablehlo__close_callee(t, f, o))
    return NULL;
  c = webnn_stablehlo__build(t, f);
  webnn_stablehlo__set_place(t, o);
  return c ? webnn_xla_call(t->b, c, x, o->operands.count) : NULL;
}

WEBNN_STABLEHLO__RECORD(tuple) {
  return webnn_xla_tuple(t->b, x, o->operands.count);
}

/* The results are the operands. */
WEBNN_STABLEHLO__RECORD(all) {
  return o->operands.count == 1 ? x[0] : webnn_xla_tuple(t->b, x, o->operands.count);
}

WEBNN_STABLEHLO__RECORD(get_tuple_element) {
  uint32_t index;
  if (!webnn_stablehlo__uint_of(t, o, "index", 0, &index))
    return NULL;
  return webnn_xla_get_tuple_element(t->b, x[0], index);
}

WEBNN_STABLEHLO__RECORD(token) {
  (void)o;
  (void)x;
  return webnn_xla_tuple(t->b, NULL, 0);
}

/* A return is not recorded as an operation: its operands are the result of its region. */
WEBNN_STABLEHLO__RECORD(misplaced_return) {
  (void)x;
  return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                 "a return must be the last operation");
}

/* ---- Linear algebra, normalization, random numbers ------------------------------------------- */

WEBNN_STABLEHLO__RECORD(triangular_solve) {
  const char *transpose = webnn_stablehlo__word_of(t, o, "transpose_a");
  webnn_xla_triangular_solve_options options = WEBNN_ZERO;
  options.right_side = !webnn_stablehlo__flag_of(t, o, "left_side");
  options.lower = webnn_stablehlo__flag_of(t, o, "lower");
  options.unit_diagonal = webnn_stablehlo__flag_of(t, o, "unit_diagonal");
  options.transpose_a = strcmp(transpose, "TRANSPOSE") == 0 || strcmp(transpose, "ADJOINT") == 0;
  return webnn_xla_triangular_solve(t->b, x[0], x[1], options);
}

WEBNN_STABLEHLO__RECORD(cholesky) {
  return webnn_xla_cholesky(t->b, x[0], webnn_stablehlo__flag_of(t, o, "lower"));
}

static bool webnn_stablehlo__normalization(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                           float *epsilon, uint32_t *feature) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, "epsilon");
  *epsilon = a ? (float)a->decimal : 0;
  return webnn_stablehlo__uint_of(t, o, "feature_index", 0, feature);
}

WEBNN_STABLEHLO__RECORD(batch_norm_inference) {
  float epsilon;
  uint32_t feature;
  return webnn_stablehlo__normalization(t, o, &epsilon, &feature)
             ? webnn_xla_batch_norm_inference(t->b, x[0], x[1], x[2], x[3], x[4], epsilon, feature)
             : NULL;
}

WEBNN_STABLEHLO__RECORD(batch_norm_training) {
  float epsilon;
  uint32_t feature;
  return webnn_stablehlo__normalization(t, o, &epsilon, &feature)
             ? webnn_xla_batch_norm_training(t->b, x[0], x[1], x[2], epsilon, feature)
             : NULL;
}

WEBNN_STABLEHLO__RECORD(batch_norm_grad) {
  float epsilon;
  uint32_t feature;
  return webnn_stablehlo__normalization(t, o, &epsilon, &feature)
             ? webnn_xla_batch_norm_grad(t->b, x[0], x[1], x[2], x[3], x[4], epsilon, feature)
             : NULL;
}

WEBNN_STABLEHLO__RECORD(rng) {
  const char *distribution = webnn_stablehlo__word_of(t, o, "rng_distribution");
  const webnn_xla_shape shape = webnn_stablehlo__shape(t, o->results[0].type);
  if (!webnn_stablehlo__check_sizes(t, o, 2))
    return NULL;
  x[0] = webnn_stablehlo__operand(t, o, 0);
  x[1] = webnn_stablehlo__operand(t, o, 1);
  if (!x[0] || !x[1])
    return NULL;
  if (strcmp(distribution, "UNIFORM") == 0)
    return webnn_xla_rng_uniform(t->b, x[0], x[1], shape);
  if (strcmp(distribution, "NORMAL") == 0)
    return webnn_xla_rng_normal(t->b, x[0], x[1], shape);
  return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                 "the distribution must be UNIFORM or NORMAL, but is '%.20s'",
                                 distribution);
}

WEBNN_STABLEHLO__RECORD(rng_bit_generator) {
  const char *name = webnn_stablehlo__word_of(t, o, "rng_algorithm");
  const webnn_xla_rng_algorithm algorithm = strcmp(name, "PHILOX") == 0 ? WEBNN_XLA_RNG_PHILOX
                                            : strcmp(name, "THREE_FRY") == 0
                                                ? WEBNN_XLA_RNG_THREE_FRY
                                                : WEBNN_XLA_RNG_DEFAULT;
  if (o->result_count != 2)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "there must be two results");
  return webnn_xla_rng_bit_generator(t->b, algorithm, x[0],
                                     webnn_stablehlo__shape(t, o->results[1].type));
}

/* ---- The host and other replicas ------------------------------------------------------------- */

/* The results but the last, which is a token. */
WEBNN_STABLEHLO__RECORD(infeed) {
  const size_t count = o->result_count ? o->result_count - 1 : 0;
  webnn_xla_value **results = WEBNN_STABLEHLO__NEW(t->m, webnn_xla_value *, count + 1);
  webnn_xla_value *item = webnn_xla_infeed(t->b, webnn_stablehlo__results_shape(t, o, 1));
  size_t i;
  if (!results || o->result_count == 0)
    return NULL;
  for (i = 0; i < count; i++)
    results[i] = count == 1 ? item : webnn_xla_get_tuple_element(t->b, item, i);
  results[count] = webnn_stablehlo__record_token(t, o, x);
  return count ? webnn_xla_tuple(t->b, results, count + 1) : results[0];
}

WEBNN_STABLEHLO__RECORD(outfeed) {
  const size_t count = o->operands.count - 1; /* the last is a token */
  webnn_xla_outfeed(t->b, count == 1 ? x[0] : webnn_xla_tuple(t->b, x, count));
  return webnn_stablehlo__record_token(t, o, x);
}

/* Whether replica_groups are groups of one. */
static bool webnn_stablehlo__is_alone(const webnn_stablehlo__t *t, const webnn_stablehlo__o *o) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, "replica_groups");
  return a && a->kind == WEBNN_STABLEHLO__DENSE && a->type->rank == 2 &&
         a->type->dimensions[1] == 1;
}

/* Whether region 0 adds its two arguments up. */
static bool webnn_stablehlo__is_addition(const webnn_stablehlo__o *o) {
  const webnn_stablehlo__region *region = (const webnn_stablehlo__region *)o->regions.items[0];
  const webnn_stablehlo__o *first = region->first;
  return first && first->row && strcmp(first->row->name, "add") == 0 &&
         first->next == region->last && region->last->operands.count == 1 &&
         region->last->operands.items[0] == first->results && region->arguments.count == 2 &&
         first->operands.count == 2 &&
         ((first->operands.items[0] == region->arguments.items[0] &&
           first->operands.items[1] == region->arguments.items[1]) ||
          (first->operands.items[0] == region->arguments.items[1] &&
           first->operands.items[1] == region->arguments.items[0]));
}

WEBNN_STABLEHLO__RECORD(all_reduce) {
  size_t i;
  if (!webnn_stablehlo__is_alone(t, o)) {
    if (!webnn_stablehlo__is_addition(o))
      return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                                     "with several replicas only an addition is covered");
    for (i = 0; i < o->operands.count; i++)
      x[i] = webnn_xla_cross_replica_sum(t->b, x[i]);
  }
  return webnn_stablehlo__record_all(t, o, x);
}

/* What collective operations do with one replica: nothing, if the types are the same. */
WEBNN_STABLEHLO__RECORD(collective) {
  size_t i;
  if (o->result_count != o->operands.count)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "there must be a result for each operand");
  for (i = 0; i < o->operands.count; i++)
    if (!webnn_stablehlo__same_type(webnn_stablehlo__operand_type(o, i), o->results[i].type))
      return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                                     "several replicas are not covered");
  return webnn_stablehlo__record_all(t, o, x);
}

/* ---- Assertions and custom calls ------------------------------------------------------------- */

/* The step of the quantization that a value went through last; 0 if there is none. */
static double webnn_stablehlo__step(const webnn_stablehlo__t *t,
                                    const webnn_stablehlo__value *value) {
  int hops;
  for (hops = 0; value && hops < 64; hops++) {
    const webnn_stablehlo__o *o = value->operation;
    const webnn_xla_quantization *q = value->type->quantization;
    double step = 0;
    size_t i;
    for (i = 0; q && i < q->count; i++)
      step = q->scales[i] > step ? (double)q->scales[i] : step;
    if (q)
      return step;
    if (!o || !o->row)
      return 0;
    if (strcmp(o->row->name, "call") == 0) {
      const char *name = webnn_stablehlo__word_of(t, o, "callee");
      const webnn_stablehlo__function *f = (const webnn_stablehlo__function *)webnn_stablehlo__find(
          &t->m->functions, name, strlen(name));
      const size_t index = (size_t)(value - o->results);
      value = f && f->body && index < f->body->last->operands.count
                  ? (const webnn_stablehlo__value *)f->body->last->operands.items[index]
                  : NULL;
    } else if (o->operands.count && (strcmp(o->row->name, "uniform_dequantize") == 0 ||
                                     (o->row->flags & WEBNN_STABLEHLO__MOVES))) {
      value = (const webnn_stablehlo__value *)o->operands.items[0];
    } else {
      return 0;
    }
  }
  return 0;
}

static double webnn_stablehlo__number_of(const webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                         const char *name, double by_default) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, name);
  if (a && a->kind == WEBNN_STABLEHLO__WHOLE)
    return (double)a->whole;
  return a && a->kind == WEBNN_STABLEHLO__DECIMAL ? a->decimal : by_default;
}

/* An assertion: a custom call, whose configuration holds the place and the limits. */
static webnn_xla_value *webnn_stablehlo__check(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                               const char *name, webnn_xla_value *const *x) {
  char configuration[WEBNN_STABLEHLO__PLACE_SIZE + 160], place[WEBNN_STABLEHLO__PLACE_SIZE];
  double step = 0;
  size_t i;
  for (i = 0; i < o->operands.count; i++) {
    const double s = webnn_stablehlo__step(t, (const webnn_stablehlo__value *)o->operands.items[i]);
    step = s > step ? s : step;
  }
  /* Stored integers are compared as such. */
  if (o->operands.count && webnn_stablehlo__operand_type(o, 0)->quantization && !t->floats)
    step = 1;
  webnn_stablehlo__place(t->m, o->offset, place);
  snprintf(configuration, sizeof configuration, "max=%.17g min=%.17g tolerance=%.17g step=%.17g %s",
           webnn_stablehlo__number_of(t, o, "max_ulp_difference", 3),
           webnn_stablehlo__number_of(t, o, "min_ulp_difference", 0),
           webnn_stablehlo__number_of(t, o, "tolerance", 1e-4), step, place);
  return webnn_xla_custom_call(t->b, name, x, 2, webnn_stablehlo__results_shape(t, o, 0),
                               configuration);
}

WEBNN_STABLEHLO__RECORD(check) {
  return webnn_stablehlo__check(t, o, o->row->name, x);
}

WEBNN_STABLEHLO__RECORD(check_constant) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, "value");
  webnn_xla_value *both[2];
  if (!a || a->kind != WEBNN_STABLEHLO__DENSE || webnn_stablehlo__refusal(a->type))
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "the value must be dense<...> of a covered type");
  both[0] = x[0];
  both[1] = webnn_stablehlo__record_literal(t, o, a, a->type);
  return both[1] ? webnn_stablehlo__check(t, o, o->row->name, both) : NULL;
}

/* ---- The dialect chlo ------------------------------------------------------------------------ */

static webnn_xla_value *webnn_stablehlo__number(webnn_stablehlo__t *t, webnn_xla_value *like,
                                                double number) {
  const webnn_xla_shape *shape = webnn_xla_shape_of_value(like);
  return webnn_xla_fill(t->b, *shape, number);
}

WEBNN_STABLEHLO__RECORD(square) {
  (void)o;
  return webnn_xla_mul(t->b, x[0], x[0]);
}

/* Is it infinity (parameter '+'), -infinity ('-'), or either (0)? */
WEBNN_STABLEHLO__RECORD(is_inf) {
  const int sign = o->row->parameter;
  return webnn_xla_eq(
      t->b, sign ? x[0] : webnn_xla_abs(t->b, x[0]),
      webnn_stablehlo__number(t, x[0], (double)(sign == '-' ? -INFINITY : INFINITY)));
}

/* Of real numbers. */
WEBNN_STABLEHLO__RECORD(conj) {
  (void)t;
  (void)o;
  return x[0];
}

/* A number for all elements of the operand's shape. */
WEBNN_STABLEHLO__RECORD(constant_like) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, "value");
  const webnn_xla_type type = webnn_stablehlo__result_type(t, o);
  const webnn_list sizes = webnn_xla_shape_of_value(x[0])->dimensions;
  const webnn_list none = webnn_list_of(NULL, 0);
  webnn_xla_value *number;
  if (!a || (a->kind != WEBNN_STABLEHLO__WHOLE && a->kind != WEBNN_STABLEHLO__DECIMAL))
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "the value must be a number");
  if (a->kind == WEBNN_STABLEHLO__DECIMAL)
    return webnn_xla_fill(t->b, webnn_xla_shape_of(type, sizes), a->decimal);
  number = webnn_xla_constant(
      t->b, webnn_xla_shape_of(type == WEBNN_XLA_U64 ? type : WEBNN_XLA_S64, none), &a->whole,
      sizeof a->whole);
  return webnn_xla_broadcast(t->b, webnn_xla_convert_element_type(t->b, number, type), sizes);
}

/* ---- Operands that stretch ------------------------------------------------------------------- */

/* Which dimensions of the result those of an operand are: the last ones, or, for one of lower rank,
   broadcast_dimensions where these are given. */
static bool webnn_stablehlo__result_places(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                           uint32_t rank, uint32_t result_rank,
                                           bool are_ranks_equal, webnn_list *places) {
  uint32_t i;
  if (!webnn_stablehlo__list_of(t, o, "broadcast_dimensions", places))
    return false;
  if (!webnn_stablehlo__attribute_of(t->m, o, "broadcast_dimensions") ||
      (rank == result_rank && !are_ranks_equal)) {
    places->given = true;
    places->count = rank;
    for (i = 0; i < rank; i++)
      places->items[i] = result_rank - rank + i;
    return true;
  }
  for (i = 0; i < places->count; i++)
    if (places->items[i] >= result_rank || (i > 0 && places->items[i] <= places->items[i - 1]))
      break;
  if (i == places->count && places->count == rank)
    return true;
  webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                          "broadcast_dimensions must be %" PRIu32
                          " increasing dimensions below %" PRIu32,
                          rank, result_rank);
  return false;
}

/* Operand `x` takes part in the sizes of the result. */
static bool webnn_stablehlo__join_sizes(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                        const webnn_xla_value *x, const webnn_list *places,
                                        webnn_list *sizes) {
  const webnn_xla_shape *shape = webnn_xla_shape_of_value(x);
  uint32_t i;
  for (i = 0; i < shape->dimensions.count; i++) {
    const uint32_t size = shape->dimensions.items[i];
    uint32_t *common = &sizes->items[places->items[i]];
    if (*common == 1)
      *common = size;
    if (size != 1 && size != *common) {
      webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                              "dimension %" PRIu32 " of the result would have %" PRIu32
                              " and %" PRIu32 " elements",
                              places->items[i], *common, size);
      return false;
    }
  }
  return true;
}

/* Up to three operands become of one shape: dimensions of 1 stretch. */
static bool webnn_stablehlo__stretch(webnn_stablehlo__t *t, const webnn_stablehlo__o *o,
                                     webnn_xla_value **x) {
  const size_t count = o->operands.count;
  webnn_list places[3], sizes = webnn_list_of(NULL, 0);
  bool are_ranks_equal = true;
  uint32_t rank = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    const uint32_t own = webnn_xla_shape_of_value(x[i])->dimensions.count;
    are_ranks_equal = are_ranks_equal && (i == 0 || own == rank);
    rank = own > rank ? own : rank;
  }
  sizes.count = rank;
  for (i = 0; i < rank; i++)
    sizes.items[i] = 1;
  for (i = 0; i < count; i++)
    if (!webnn_stablehlo__result_places(t, o, webnn_xla_shape_of_value(x[i])->dimensions.count,
                                        rank, are_ranks_equal, &places[i]) ||
        !webnn_stablehlo__join_sizes(t, o, x[i], &places[i], &sizes))
      return false;
  for (i = 0; i < count; i++)
    x[i] = webnn_xla_broadcast_in_dim(t->b, x[i], sizes, places[i]);
  return true;
}

WEBNN_STABLEHLO__RECORD(broadcast_binary) {
  return webnn_stablehlo__stretch(t, o, x) ? webnn_stablehlo__record_binary(t, o, x) : NULL;
}

WEBNN_STABLEHLO__RECORD(broadcast_compare) {
  return webnn_stablehlo__stretch(t, o, x) ? webnn_stablehlo__record_compare(t, o, x) : NULL;
}

WEBNN_STABLEHLO__RECORD(broadcast_select) {
  return webnn_stablehlo__stretch(t, o, x) ? webnn_xla_select(t->b, x[0], x[1], x[2]) : NULL;
}

/* ---- The largest elements -------------------------------------------------------------------- */

/* A comparator of elements and their places: the places are not looked at. `of_two` compares the
   elements; NULL: `op` does, of floats in the total order. */
static const webnn_xla_computation *
webnn_stablehlo__comparator(webnn_stablehlo__t *t, webnn_xla_type type, webnn_xla_operation op,
                            const webnn_xla_computation *of_two) {
  const webnn_xla_shape shape = webnn_xla_shape_of(type, webnn_list_of(NULL, 0));
  const webnn_xla_shape index = webnn_xla_shape_of(WEBNN_XLA_S32, webnn_list_of(NULL, 0));
  const bool is_float = type == WEBNN_XLA_F32 || type == WEBNN_XLA_F16 || type == WEBNN_XLA_BF16;
  webnn_xla_builder *b = webnn_xla_begin(t->m->xla, "top_k");
  webnn_xla_value *x[2];
  x[0] = webnn_xla_parameter(b, 0, shape, NULL);
  x[1] = webnn_xla_parameter(b, 1, shape, NULL);
  webnn_xla_parameter(b, 2, index, NULL);
  webnn_xla_parameter(b, 3, index, NULL);
  if (of_two)
    return webnn_xla_end(b, webnn_xla_call(b, of_two, x, 2));
  return webnn_xla_end(b, is_float ? webnn_xla_compare_total_order(b, op, x[0], x[1])
                                   : webnn_xla_binary(b, op, x[0], x[1], webnn_list_of(NULL, 0)));
}

/* The first `k` elements along the last dimension by a comparator and where they are, equal ones in
   their order. */
static webnn_xla_value *webnn_stablehlo__first_of_sorted(webnn_stablehlo__t *t,
                                                         const webnn_stablehlo__o *o,
                                                         webnn_xla_value *x, uint32_t k,
                                                         const webnn_xla_computation *comparator) {
  const webnn_xla_shape *shape = webnn_xla_shape_of_value(x);
  const webnn_list none = WEBNN_ZERO;
  webnn_list start = shape->dimensions, limits = start;
  const uint32_t last = start.count - 1;
  webnn_xla_value *both[2], *sorted;
  if (start.count == 0)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "the operand is a scalar");
  if (k == 0 || k > limits.items[last])
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "k must be from 1 to %" PRIu32 ", but is %" PRIu32,
                                   limits.items[last], k);
  memset(start.items, 0, sizeof start.items);
  limits.items[last] = k;
  both[0] = x;
  both[1] = webnn_xla_iota(t->b, webnn_xla_shape_of(WEBNN_XLA_S32, shape->dimensions), last);
  sorted = webnn_xla_sort_many(t->b, both, 2, comparator, last);
  both[0] = webnn_xla_get_tuple_element(t->b, sorted, 0);
  both[1] = webnn_xla_get_tuple_element(t->b, sorted, 1);
  both[0] = webnn_xla_slice(t->b, both[0], start, limits, none);
  both[1] = webnn_xla_slice(t->b, both[1], start, limits, none);
  return webnn_xla_tuple(t->b, both, 2);
}

WEBNN_STABLEHLO__RECORD(top_k) {
  const webnn_xla_type type = webnn_xla_shape_of_value(x[0])->type;
  uint32_t k;
  if (!webnn_stablehlo__uint_of(t, o, "k", 0, &k))
    return NULL;
  return webnn_stablehlo__first_of_sorted(t, o, x[0], k,
                                          webnn_stablehlo__comparator(t, type, WEBNN_XLA_GT, NULL));
}

/* ---- Custom calls that are functions --------------------------------------------------------- */

/* mhlo.topk: {k = 2 : i64, largest = true} */
static webnn_xla_value *webnn_stablehlo__call_topk(webnn_stablehlo__t *t,
                                                   const webnn_stablehlo__o *o,
                                                   webnn_xla_value **x) {
  const webnn_stablehlo__attribute *a = webnn_stablehlo__numbers_of(t, o, "mhlo.attributes");
  const webnn_stablehlo__attribute *largest =
      a ? webnn_stablehlo__item_of(t->m, a, "largest") : NULL;
  const webnn_xla_type type = webnn_xla_shape_of_value(x[0])->type;
  const bool is_least = largest && largest->kind == WEBNN_STABLEHLO__WHOLE && largest->whole == 0;
  if (!a)
    return NULL;
  return webnn_stablehlo__first_of_sorted(
      t, o, x[0], webnn_stablehlo__uint_in(t, a, "k"),
      webnn_stablehlo__comparator(t, type, is_least ? WEBNN_XLA_LT : WEBNN_XLA_GT, NULL));
}

/* The comparator of TopK: the one function of called_computations, which takes two elements, and
   their places too or not; that of the largest if there is none. */
static const webnn_xla_computation *webnn_stablehlo__called_comparator(webnn_stablehlo__t *t,
                                                                       const webnn_stablehlo__o *o,
                                                                       webnn_xla_type type) {
  const webnn_stablehlo__attribute *a =
      webnn_stablehlo__attribute_of(t->m, o, "called_computations");
  const webnn_stablehlo__attribute *item;
  webnn_stablehlo__function *f;
  const webnn_xla_computation *c;
  if (!a || a->items.count == 0)
    return webnn_stablehlo__comparator(t, type, WEBNN_XLA_GT, NULL);
  item = (const webnn_stablehlo__attribute *)a->items.items[0];
  f = item->text ? (webnn_stablehlo__function *)webnn_stablehlo__find(&t->m->functions, item->text,
                                                                      strlen(item->text))
                 : NULL;
  if (!f || f->state == WEBNN_STABLEHLO__IN_PROGRESS) {
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                            "called_computations must name the function that compares");
    return NULL;
  }
  c = webnn_stablehlo__build(t, f);
  webnn_stablehlo__set_place(t, o);
  return c && f->argument_types.count == 2 ? webnn_stablehlo__comparator(t, type, WEBNN_XLA_GT, c)
                                           : c;
}

/* TopK: k is the size of the result's last dimension. */
static webnn_xla_value *webnn_stablehlo__call_top_k(webnn_stablehlo__t *t,
                                                    const webnn_stablehlo__o *o,
                                                    webnn_xla_value **x) {
  const webnn_stablehlo__type *type = o->results[0].type;
  const webnn_xla_computation *comparator;
  if (type->kind == WEBNN_STABLEHLO__TUPLE && type->elements.count)
    type = (const webnn_stablehlo__type *)type->elements.items[0];
  if (type->kind != WEBNN_STABLEHLO__TENSOR || type->rank == 0)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG,
                                   "its results must be the elements and their places");
  comparator = webnn_stablehlo__called_comparator(t, o, webnn_xla_shape_of_value(x[0])->type);
  return comparator ? webnn_stablehlo__first_of_sorted(
                          t, o, x[0], (uint32_t)type->dimensions[type->rank - 1], comparator)
                    : NULL;
}

/* "mhlo.erf": the row of "chlo.erf" or "erf", if that is a function of elements
   without attributes. */
static const webnn_stablehlo__row *webnn_stablehlo__called_row(const webnn_stablehlo__t *t,
                                                               const char *name) {
  const webnn_stablehlo__row *row;
  char key[40];
  if (strncmp(name, "mhlo.", 5) != 0)
    return NULL;
  snprintf(key, sizeof key, "chlo.%.30s", name + 5);
  row = (const webnn_stablehlo__row *)webnn_stablehlo__find(&t->m->rows, key, strlen(key));
  if (!row)
    row =
        (const webnn_stablehlo__row *)webnn_stablehlo__find(&t->m->rows, key + 5, strlen(key + 5));
  return row && row->record &&
                 (!strcmp(row->form, "%:c") || !strcmp(row->form, "%:=") ||
                  !strcmp(row->form, "%,%:c") || !strcmp(row->form, "%,%:="))
             ? row
             : NULL;
}

/* The function that a custom call names, as frameworks write those that StableHLO lacks. NULL
   without a mistake: the program's user may have it. */
static webnn_xla_value *webnn_stablehlo__call_function(webnn_stablehlo__t *t,
                                                       const webnn_stablehlo__o *o,
                                                       const char *name, webnn_xla_value **x) {
  const webnn_stablehlo__row *row = webnn_stablehlo__called_row(t, name);
  const webnn_stablehlo__attribute *a = webnn_stablehlo__attribute_of(t->m, o, "mhlo.attributes");
  webnn_stablehlo__o called = *o;
  if (o->operands.count == 1 && o->result_count && strcmp(name, "mhlo.topk") == 0)
    return webnn_stablehlo__call_topk(t, o, x);
  if (o->operands.count == 1 && o->result_count && strcmp(name, "TopK") == 0)
    return webnn_stablehlo__call_top_k(t, o, x);
  if (!row || o->operands.count != (size_t)row->least || o->result_count != 1)
    return NULL;
  if (a && a->items.count)
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED,
                                   "mhlo.attributes of %.40s are not covered", name);
  called.row = row;
  return row->record(t, &called, x);
}

WEBNN_STABLEHLO__RECORD(custom_call) {
  /* Marks for compilers that part a program: one device has it all. */
  static const char *const marks[] = {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
                                      "annotate_device_placement", "LayoutConstraint"};
  const char *name = webnn_stablehlo__word_of(t, o, "call_target_name");
  const webnn_stablehlo__attribute *config =
      webnn_stablehlo__attribute_of(t->m, o, "backend_config");
  webnn_xla_value *y;
  size_t i;
  if (!name[0])
    name = webnn_stablehlo__word_of(t, o, "callee");
  if (!name[0])
    return webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__WRONG, "it must name a function");
  for (i = 0; i < sizeof marks / sizeof marks[0]; i++)
    if (strcmp(name, marks[i]) == 0 && o->operands.count == 1)
      return x[0];
  if (strncmp(name, "check.", 6) == 0 && o->operands.count == 2)
    return webnn_stablehlo__check(t, o, name, x);
  y = webnn_stablehlo__call_function(t, o, name, x);
  if (y || t->error.status != WEBNN_OK || webnn_stablehlo__take_error(t, o))
    return y;
  return webnn_xla_custom_call(
      t->b, name, x, o->operands.count, webnn_stablehlo__results_shape(t, o, 0),
      config && config->kind == WEBNN_STABLEHLO__BYTES ? config->text : NULL);
}

/* ==============================================================================================
   The table of operations
   ============================================================================================== */

/* The flags of a row by one letter: N none, and two that go together. */
#define WEBNN_STABLEHLO__N 0
#define WEBNN_STABLEHLO__M WEBNN_STABLEHLO__MOVES
#define WEBNN_STABLEHLO__S WEBNN_STABLEHLO__STORED
#define WEBNN_STABLEHLO__E WEBNN_STABLEHLO__EFFECT
#define WEBNN_STABLEHLO__P (WEBNN_STABLEHLO__PASSES | WEBNN_STABLEHLO__EFFECT)
#define WEBNN_STABLEHLO__D (WEBNN_STABLEHLO__SHAPED | WEBNN_STABLEHLO__MOVES)
#define WEBNN_STABLEHLO__DE (WEBNN_STABLEHLO__D | WEBNN_STABLEHLO__EFFECT)
/* name, form, operands at least and at most, regions, flags, how it is recorded */
#define WEBNN_STABLEHLO__ROW(name, form, least, most, regions, flags, record)                      \
  {name, form, least, most, regions, WEBNN_STABLEHLO__##flags, webnn_stablehlo__record_##record,   \
   0,    NULL},
#define WEBNN_STABLEHLO__WITH(name, form, operands, record, parameter)                             \
  {name, form, operands, operands, 0, 0, webnn_stablehlo__record_##record, parameter, NULL},
#define WEBNN_STABLEHLO__REFUSED(name, form, reason) {name, form, 0, -1, -1, 0, NULL, 0, reason},
#define WEBNN_STABLEHLO__UNARY_ROW(op, name, stablehlo, types)                                     \
  WEBNN_STABLEHLO__WITH(stablehlo, "%:=", 1, unary, WEBNN_XLA_##op)
#define WEBNN_STABLEHLO__BINARY_ROW(op, name, stablehlo, types)                                    \
  WEBNN_STABLEHLO__WITH(stablehlo, "%,%:=", 2, binary, WEBNN_XLA_##op)

/* clang-format off */
static const webnn_stablehlo__row webnn_stablehlo__rows[] = {
  WEBNN_XLA_UNARY(WEBNN_STABLEHLO__UNARY_ROW)
  WEBNN_XLA_BINARY(WEBNN_STABLEHLO__BINARY_ROW)
  /* Elements */
  WEBNN_STABLEHLO__ROW("bitcast_convert", "%:f", 1, 1, 0, S, bitcast_convert)
  WEBNN_STABLEHLO__ROW("clamp", "%,%,%:=", 3, 3, 0, N, clamp)
  WEBNN_STABLEHLO__ROW("compare",
    "<comparison_direction>,%,%?<compare_type>:f",
    2, 2, 0, N, compare)
  WEBNN_STABLEHLO__ROW("constant", "!constant", 0, 0, 0, S, constant)
  WEBNN_STABLEHLO__ROW("convert", "%:=", 1, 1, 0, N, convert)
  WEBNN_STABLEHLO__ROW("iota", "dim>iota_dimension=i:r", 0, 0, 0, N, iota)
  WEBNN_STABLEHLO__ROW("reduce_precision", "%,format=E:=", 1, 1, 0, N, reduce_precision)
  WEBNN_STABLEHLO__ROW("select", "%,%,%:s", 3, 3, 0, M, select)
  WEBNN_STABLEHLO__ROW("uniform_dequantize", "%:=", 1, 1, 0, S, uniform_dequantize)
  WEBNN_STABLEHLO__ROW("uniform_quantize", "%:=", 1, 1, 0, S, uniform_quantize)
  /* Moving elements */
  WEBNN_STABLEHLO__ROW("broadcast", "%,sizes>broadcast_sizes=I:f", 1, 1, 0, M, broadcast)
  WEBNN_STABLEHLO__ROW("broadcast_in_dim",
    "%,dims>broadcast_dimensions=I:f",
    1, 1, 0, M, broadcast_in_dim)
  WEBNN_STABLEHLO__ROW("concatenate", "*dim>dimension=i:f", 1, -1, 0, M, concatenate)
  WEBNN_STABLEHLO__ROW("dynamic_slice", "*sizes>slice_sizes=I:f", 1, -1, 0, M, dynamic_slice)
  WEBNN_STABLEHLO__ROW("dynamic_update_slice", "*:f", 2, -1, 0, M, dynamic_update_slice)
  WEBNN_STABLEHLO__ROW("gather", "!generic", 2, 2, 0, M, gather)
  WEBNN_STABLEHLO__ROW("pad",
    "%,%,low>edge_padding_low=I,high>edge_padding_high=I,interior>interior_padding=I:f",
    2, 2, 0, M, pad)
  WEBNN_STABLEHLO__ROW("reshape", "%:f", 1, 1, 0, M, reshape)
  WEBNN_STABLEHLO__ROW("reverse", "%,dims>dimensions=I:=", 1, 1, 0, M, reverse)
  WEBNN_STABLEHLO__ROW("slice", "%S:f", 1, 1, 0, M, slice)
  WEBNN_STABLEHLO__ROW("torch_index_select", "!generic", 2, 2, 0, M, torch_index_select)
  WEBNN_STABLEHLO__ROW("transpose", "%,dims>permutation=I:f", 1, 1, 0, M, transpose)
  /* Shapes as operands */
  WEBNN_STABLEHLO__ROW("dynamic_broadcast_in_dim",
    "%,%,dims>broadcast_dimensions=I:f",
    2, 2, 0, D, dynamic_broadcast_in_dim)
  WEBNN_STABLEHLO__ROW("dynamic_conv",
    "(%,%,%)dim_numbers>dimension_numbers=C,window=A:f",
    3, 3, 0, D, dynamic_conv)
  WEBNN_STABLEHLO__ROW("dynamic_gather", "!generic", 3, 3, 0, D, dynamic_gather)
  WEBNN_STABLEHLO__ROW("dynamic_iota", "%,dim>iota_dimension=i:f", 1, 1, 0, D, dynamic_iota)
  WEBNN_STABLEHLO__ROW("dynamic_pad", "*:f", 5, 5, 0, D, dynamic_pad)
  WEBNN_STABLEHLO__ROW("dynamic_reshape", "%,%:f", 2, 2, 0, D, dynamic_reshape)
  WEBNN_STABLEHLO__ROW("get_dimension_size", "%,dim>dimension=i:f", 1, 1, 0, D, get_dimension_size)
  WEBNN_STABLEHLO__ROW("set_dimension_size", "%,%,dim>dimension=i:f", 2, 2, 0, D, set_dimension_size)
  WEBNN_STABLEHLO__ROW("real_dynamic_slice", "*:f", 4, 4, 0, D, real_dynamic_slice)
  /* Products */
  WEBNN_STABLEHLO__ROW("convolution",
    "(%,%)dim_numbers>dimension_numbers=C,window=A:f",
    2, 2, 0, N, convolution)
  WEBNN_STABLEHLO__ROW("dot", "%,%?precision>precision_config=A:f", 2, 2, 0, N, dot)
  WEBNN_STABLEHLO__ROW("dot_general",
    "%,%?batching_dims=P?contracting_dims=P?precision>precision_config=A?algorithm=A:f",
    2, 2, 0, N, dot_general)
  WEBNN_STABLEHLO__ROW("einsum", "%,%,config>einsum_config=s:f", 2, 2, 0, N, einsum)
  WEBNN_STABLEHLO__ROW("cholesky", "%?lower=A:=", 1, 1, 0, N, cholesky)
  WEBNN_STABLEHLO__ROW("triangular_solve", "!generic", 2, 2, 0, N, triangular_solve)
  /* Computations applied, and control flow */
  WEBNN_STABLEHLO__ROW("case", "!generic", 1, 1, -1, P, conditional)
  WEBNN_STABLEHLO__ROW("call", "@(*):f", 0, -1, 0, P, call)
  WEBNN_STABLEHLO__ROW("composite", "Q*:f", 0, -1, 0, P, call)
  WEBNN_STABLEHLO__ROW("if", "!generic", 1, 1, 2, P, conditional)
  WEBNN_STABLEHLO__ROW("map", "!generic", 1, -1, 1, N, map)
  WEBNN_STABLEHLO__ROW("reduce", "!reduce", 2, -1, 1, N, reduce)
  WEBNN_STABLEHLO__ROW("reduce_window", "!generic", 2, -1, 1, N, reduce_window)
  WEBNN_STABLEHLO__ROW("return", "*:o", 0, -1, 0, P, misplaced_return)
  WEBNN_STABLEHLO__ROW("scatter", "!generic", 3, -1, 1, N, scatter)
  WEBNN_STABLEHLO__ROW("select_and_scatter", "!generic", 3, 3, 2, N, select_and_scatter)
  WEBNN_STABLEHLO__ROW("sort", "!generic", 1, -1, 1, N, sort)
  WEBNN_STABLEHLO__ROW("while", "!while", 0, -1, 2, P, while_)
  /* Normalization and random numbers */
  WEBNN_STABLEHLO__ROW("batch_norm_grad", "!generic", 5, 5, 0, N, batch_norm_grad)
  WEBNN_STABLEHLO__ROW("batch_norm_inference", "!generic", 5, 5, 0, N, batch_norm_inference)
  WEBNN_STABLEHLO__ROW("batch_norm_training", "!generic", 3, 3, 0, N, batch_norm_training)
  WEBNN_STABLEHLO__ROW("rng", "%,%,%,distribution>rng_distribution=W:f", 3, 3, 0, DE, rng)
  WEBNN_STABLEHLO__ROW("rng_bit_generator",
    "%,algorithm>rng_algorithm=W:f",
    1, 1, 0, E, rng_bit_generator)
  /* Tuples and tokens */
  WEBNN_STABLEHLO__ROW("after_all", "*:r", 0, -1, 0, P, token)
  WEBNN_STABLEHLO__ROW("create_token", ":r", 0, 0, 0, P, token)
  WEBNN_STABLEHLO__ROW("get_tuple_element", "%[index]:f", 1, 1, 0, P, get_tuple_element)
  WEBNN_STABLEHLO__ROW("optimization_barrier", "*:p", 0, -1, 0, P, all)
  WEBNN_STABLEHLO__ROW("tuple", "*:r", 0, -1, 0, P, tuple)
  /* The host and other replicas */
  WEBNN_STABLEHLO__ROW("all_gather", "!generic", 1, -1, 0, P, collective)
  WEBNN_STABLEHLO__ROW("all_reduce", "!generic", 1, -1, 1, P, all_reduce)
  WEBNN_STABLEHLO__ROW("all_to_all", "!generic", 1, -1, 0, P, collective)
  WEBNN_STABLEHLO__ROW("collective_broadcast", "!generic", 1, -1, 0, P, collective)
  WEBNN_STABLEHLO__ROW("collective_permute", "!generic", 1, 1, 0, P, collective)
  WEBNN_STABLEHLO__ROW("custom_call", "@(*):f", 0, -1, 0, P, custom_call)
  WEBNN_STABLEHLO__ROW("infeed", "!generic", 1, 1, 0, P, infeed)
  WEBNN_STABLEHLO__ROW("outfeed", "!generic", 1, -1, 0, P, outfeed)
  WEBNN_STABLEHLO__ROW("partition_id", ":r", 0, 0, 0, N, zero)
  WEBNN_STABLEHLO__ROW("reduce_scatter", "!generic", 1, 1, 1, P, collective)
  WEBNN_STABLEHLO__ROW("replica_id", ":r", 0, 0, 0, N, zero)
  WEBNN_STABLEHLO__ROW("sdy.sharding_constraint", "%V:=", 1, 1, 0, M, same)
  /* Assertions */
  WEBNN_STABLEHLO__ROW("check.eq", "%,%:o", 2, 2, 0, P, check)
  WEBNN_STABLEHLO__ROW("check.expect_almost_eq", "%,%?tolerance=N:o", 2, 2, 0, P, check)
  WEBNN_STABLEHLO__ROW("check.expect_almost_eq_const",
    "%,V?tolerance=N",
    1, 1, 0, P, check_constant)
  WEBNN_STABLEHLO__ROW("check.expect_close",
    "%,%?max_ulp_difference=i?min_ulp_difference=i:o",
    2, 2, 0, P, check)
  WEBNN_STABLEHLO__ROW("check.expect_close_const",
    "%,V?max_ulp_difference=i?min_ulp_difference=i",
    1, 1, 0, P, check_constant)
  WEBNN_STABLEHLO__ROW("check.expect_eq", "%,%:o", 2, 2, 0, P, check)
  WEBNN_STABLEHLO__ROW("check.expect_eq_const", "%,V", 1, 1, 0, P, check_constant)
  /* The dialect chlo */
  WEBNN_STABLEHLO__WITH("chlo.acos", "%:c", 1, unary, WEBNN_XLA_ACOS)
  WEBNN_STABLEHLO__WITH("chlo.asin", "%:c", 1, unary, WEBNN_XLA_ASIN)
  WEBNN_STABLEHLO__WITH("chlo.atan", "%:c", 1, unary, WEBNN_XLA_ATAN)
  WEBNN_STABLEHLO__WITH("chlo.acosh", "%:c", 1, unary, WEBNN_XLA_ACOSH)
  WEBNN_STABLEHLO__WITH("chlo.asinh", "%:c", 1, unary, WEBNN_XLA_ASINH)
  WEBNN_STABLEHLO__WITH("chlo.atanh", "%:c", 1, unary, WEBNN_XLA_ATANH)
  WEBNN_STABLEHLO__WITH("chlo.cosh", "%:c", 1, unary, WEBNN_XLA_COSH)
  WEBNN_STABLEHLO__WITH("chlo.sinh", "%:c", 1, unary, WEBNN_XLA_SINH)
  WEBNN_STABLEHLO__WITH("chlo.bessel_i1e", "%:c", 1, unary, WEBNN_XLA_BESSEL_I1E)
  WEBNN_STABLEHLO__WITH("chlo.digamma", "%:c", 1, unary, WEBNN_XLA_DIGAMMA)
  WEBNN_STABLEHLO__WITH("chlo.erf", "%:c", 1, unary, WEBNN_XLA_ERF)
  WEBNN_STABLEHLO__WITH("chlo.erf_inv", "%:c", 1, unary, WEBNN_XLA_ERF_INV)
  WEBNN_STABLEHLO__WITH("chlo.erfc", "%:c", 1, unary, WEBNN_XLA_ERFC)
  WEBNN_STABLEHLO__WITH("chlo.lgamma", "%:c", 1, unary, WEBNN_XLA_LGAMMA)
  WEBNN_STABLEHLO__WITH("chlo.tan", "%:c", 1, unary, WEBNN_XLA_TAN)
  WEBNN_STABLEHLO__WITH("chlo.next_after", "%,%:c", 2, binary, WEBNN_XLA_NEXT_AFTER)
  WEBNN_STABLEHLO__ROW("chlo.conj", "%:c", 1, 1, 0, N, conj)
  WEBNN_STABLEHLO__WITH("chlo.is_inf", "%:c", 1, is_inf, 0)
  WEBNN_STABLEHLO__WITH("chlo.is_neg_inf", "%:c", 1, is_inf, '-')
  WEBNN_STABLEHLO__WITH("chlo.is_pos_inf", "%:c", 1, is_inf, '+')
  WEBNN_STABLEHLO__ROW("chlo.constant_like", "!generic", 1, 1, 0, N, constant_like)
  WEBNN_STABLEHLO__ROW("chlo.square", "%:c", 1, 1, 0, N, square)
  WEBNN_STABLEHLO__ROW("chlo.top_k", "(%,k=i):c", 1, 1, 0, E, top_k)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_add", "%,%:f", 2, broadcast_binary, WEBNN_XLA_ADD)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_and", "%,%:f", 2, broadcast_binary, WEBNN_XLA_AND)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_atan2", "%,%:f", 2, broadcast_binary, WEBNN_XLA_ATAN2)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_divide", "%,%:f", 2, broadcast_binary, WEBNN_XLA_DIV)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_maximum", "%,%:f", 2, broadcast_binary, WEBNN_XLA_MAX)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_minimum", "%,%:f", 2, broadcast_binary, WEBNN_XLA_MIN)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_multiply", "%,%:f", 2, broadcast_binary, WEBNN_XLA_MUL)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_next_after", "%,%:f",
    2, broadcast_binary, WEBNN_XLA_NEXT_AFTER)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_or", "%,%:f", 2, broadcast_binary, WEBNN_XLA_OR)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_power", "%,%:f", 2, broadcast_binary, WEBNN_XLA_POW)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_remainder", "%,%:f", 2, broadcast_binary, WEBNN_XLA_REM)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_shift_left", "%,%:f",
    2, broadcast_binary, WEBNN_XLA_SHIFT_LEFT)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_shift_right_arithmetic", "%,%:f",
    2, broadcast_binary, WEBNN_XLA_SHIFT_RIGHT_ARITHMETIC)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_shift_right_logical", "%,%:f",
    2, broadcast_binary, WEBNN_XLA_SHIFT_RIGHT_LOGICAL)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_subtract", "%,%:f", 2, broadcast_binary, WEBNN_XLA_SUB)
  WEBNN_STABLEHLO__WITH("chlo.broadcast_xor", "%,%:f", 2, broadcast_binary, WEBNN_XLA_XOR)
  WEBNN_STABLEHLO__ROW("chlo.broadcast_compare", "%,%:f", 2, 2, 0, N, broadcast_compare)
  WEBNN_STABLEHLO__ROW("chlo.broadcast_select", "%,%,%:f", 3, 3, 0, N, broadcast_select)
  /* Known, but not covered */
  WEBNN_STABLEHLO__REFUSED("chlo._asin_acos_kernel", "%:c", "complex numbers are not covered")
  WEBNN_STABLEHLO__REFUSED("chlo.broadcast_complex", "%,%:f", "complex numbers are not covered")
  WEBNN_STABLEHLO__REFUSED("chlo.broadcast_polygamma", "%,%:f",
    "the polygamma function is not covered")
  WEBNN_STABLEHLO__REFUSED("chlo.broadcast_zeta", "%,%:f", "the zeta function is not covered")
  WEBNN_STABLEHLO__REFUSED("chlo.minimum_broadcast_shapes", NULL,
    "shapes as results are not covered")
  WEBNN_STABLEHLO__REFUSED("chlo.polygamma", "%,%:c", "the polygamma function is not covered")
  WEBNN_STABLEHLO__REFUSED("chlo.ragged_dot", NULL, "products of ragged arrays are not covered")
  WEBNN_STABLEHLO__REFUSED("chlo.scan", NULL, "scan is not covered; while is")
  WEBNN_STABLEHLO__REFUSED("chlo.zeta", "%,%:c", "the zeta function is not covered")
  WEBNN_STABLEHLO__REFUSED("async_done", NULL, "asynchronous operations are not covered")
  WEBNN_STABLEHLO__REFUSED("async_start", NULL, "asynchronous operations are not covered")
  WEBNN_STABLEHLO__REFUSED("complex", "%,%:r", "complex numbers are not covered")
  WEBNN_STABLEHLO__REFUSED("cross-replica-sum", NULL,
    "this operation was removed; all_reduce is meant")
  WEBNN_STABLEHLO__REFUSED("fft", "%,type>fft_type=W,length>fft_length=I:f",
    "complex numbers are not covered")
  WEBNN_STABLEHLO__REFUSED("imag", "%:=", "complex numbers are not covered")
  WEBNN_STABLEHLO__REFUSED("real", "%:=", "complex numbers are not covered")
  WEBNN_STABLEHLO__REFUSED("recv", "!generic", "sending to other replicas is not covered")
  WEBNN_STABLEHLO__REFUSED("send", "!generic", "sending to other replicas is not covered")
  WEBNN_STABLEHLO__REFUSED("unary_einsum", "%,config>einsum_config=s:f",
    "einsum of one operand is not covered")
};
/* clang-format on */

static bool webnn_stablehlo__add_rows(webnn_stablehlo *m) {
  size_t i;
  for (i = 0; i < sizeof webnn_stablehlo__rows / sizeof webnn_stablehlo__rows[0]; i++) {
    const webnn_stablehlo__row *row = &webnn_stablehlo__rows[i];
    if (!webnn_stablehlo__insert(m, &m->rows, row->name, strlen(row->name), (void *)(uintptr_t)row))
      return false;
  }
  return true;
}

WEBNN_STABLEHLO_API const char *webnn_stablehlo_operation(size_t index, const char **reason) {
  if (reason)
    *reason = NULL;
  if (index >= sizeof webnn_stablehlo__rows / sizeof webnn_stablehlo__rows[0])
    return NULL;
  if (reason)
    *reason = webnn_stablehlo__rows[index].reason;
  return webnn_stablehlo__rows[index].name;
}

/* ==============================================================================================
   Functions built
   ============================================================================================== */

/* The function as a computation, built once. NULL, with a mistake unless it has been told. */
static const webnn_xla_computation *webnn_stablehlo__build(webnn_stablehlo__t *t,
                                                           webnn_stablehlo__function *f) {
  webnn_stablehlo__o *o = WEBNN_STABLEHLO__NEW(t->m, webnn_stablehlo__operation, 1);
  const bool floats = t->floats;
  if (f->state == WEBNN_STABLEHLO__BUILT || f->state == WEBNN_STABLEHLO__FAILED || !o) {
    if (f->state == WEBNN_STABLEHLO__FAILED && t->error.status == WEBNN_OK)
      t->error = f->error;
    return f->computation;
  }
  o->name = "func.func";
  o->offset = f->offset;
  f->state = WEBNN_STABLEHLO__IN_PROGRESS;
  t->floats = false;
  if (!f->body)
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED, "@%.60s has no body", f->name);
  else if (t->depth >= WEBNN_STABLEHLO__MAX_DEPTH)
    webnn_stablehlo__refuse(t, o, WEBNN_STABLEHLO__NOT_COVERED, "calls nest more than %d deep",
                            WEBNN_STABLEHLO__MAX_DEPTH);
  else {
    t->depth++;
    f->computation =
        webnn_stablehlo__record_region(t, o, f->body, f->name, &f->argument_names, NULL, false);
    t->depth--;
  }
  t->floats = floats;
  f->state = f->computation ? WEBNN_STABLEHLO__BUILT : WEBNN_STABLEHLO__FAILED;
  if (t->collect)
    webnn_stablehlo__report(t);
  else
    f->error = t->error;
  return f->computation;
}

/* @name, or where that is NULL the function that a program begins with. */
static webnn_stablehlo__function *webnn_stablehlo__find_function(const webnn_stablehlo *m,
                                                                 const char *name) {
  webnn_stablehlo__function *f = (webnn_stablehlo__function *)webnn_stablehlo__find(
      &m->functions, name ? name : "main", strlen(name ? name : "main"));
  webnn_stablehlo__function *other, *only = NULL;
  if (f || name)
    return f;
  for (other = m->first_function; other; other = other->next) {
    if (other->is_private)
      continue;
    if (only)
      return NULL;
    only = other;
  }
  return only;
}

/* The function of that name; NULL after an error. */
static webnn_stablehlo__function *
webnn_stablehlo__named_function(webnn_stablehlo *module, const char *name, webnn_error *error) {
  webnn_stablehlo__function *f;
  if (!module) {
    if (error && error->status == WEBNN_OK)
      webnn_stablehlo__set_error(error, WEBNN_TYPE_ERROR, "The module is NULL");
    return NULL;
  }
  f = webnn_stablehlo__find_function(module, name);
  if (!f)
    webnn_stablehlo__set_error(error, WEBNN_TYPE_ERROR, "%s: there is no function @%.60s%s",
                               module->file, name ? name : "main",
                               name ? "" : ", and not one public function in its place");
  return f;
}

static const webnn_xla_computation *
webnn_stablehlo__built(webnn_stablehlo__t *t, webnn_stablehlo__function *f, webnn_error *error) {
  const webnn_xla_computation *computation = webnn_stablehlo__build(t, f);
  if (computation)
    return computation;
  if (t->error.status == WEBNN_OK)
    webnn_stablehlo__set_error(&t->error, WEBNN_UNKNOWN_ERROR,
                               "There is no memory for the function");
  if (error)
    *error = t->error;
  return NULL;
}

WEBNN_STABLEHLO_API const webnn_xla_computation *
webnn_stablehlo_function(webnn_stablehlo *module, const char *name, webnn_error *error) {
  webnn_stablehlo__function *f = webnn_stablehlo__named_function(module, name, error);
  webnn_stablehlo__recorder t;
  if (!f)
    return NULL;
  memset(&t, 0, sizeof t);
  t.m = module;
  return webnn_stablehlo__built(&t, f, error);
}

/* May an argument of this type have the shape? *at is the first dimension that may not. */
static bool webnn_stablehlo__allows(const webnn_stablehlo__type *type, const webnn_list *shape,
                                    uint32_t *at) {
  for (*at = 0; *at < shape->count; ++*at) {
    const uint64_t stated = type->dimensions[*at];
    const int64_t bound = type->bounds ? type->bounds[*at] : -1;
    if (stated != WEBNN_STABLEHLO__DYNAMIC ? stated != shape->items[*at]
                                           : bound >= 0 && shape->items[*at] > bound)
      return false;
  }
  return true;
}

/* Gives argument `index` its sizes, if its type allows them. */
static bool webnn_stablehlo__close_argument(webnn_stablehlo__t *t, webnn_stablehlo__function *f,
                                            size_t index, const webnn_list *shape) {
  webnn_stablehlo__value *value = (webnn_stablehlo__value *)f->body->arguments.items[index];
  const webnn_stablehlo__type *type = value->type;
  char declared[120], place[WEBNN_STABLEHLO__PLACE_SIZE];
  const bool ranked = type->kind == WEBNN_STABLEHLO__TENSOR && type->rank == shape->count;
  uint64_t sizes[WEBNN_MAX_RANK];
  uint32_t i, at = 0;
  if (ranked && shape->count <= WEBNN_MAX_RANK && webnn_stablehlo__allows(type, shape, &at)) {
    for (i = 0; i < shape->count; i++)
      sizes[i] = shape->items[i];
    return webnn_stablehlo__close(t, value, sizes, shape->count);
  }
  webnn_stablehlo__place(t->m, f->offset, place);
  webnn_stablehlo__type_text(type, declared, sizeof declared);
  if (!ranked || shape->count > WEBNN_MAX_RANK)
    webnn_stablehlo__set_error(&t->error, WEBNN_TYPE_ERROR,
                               "%s: argument %zu of @%.60s is %s; %" PRIu32 " dimensions are given",
                               place, index, f->name, declared, shape->count);
  else if (type->dimensions[at] != WEBNN_STABLEHLO__DYNAMIC)
    webnn_stablehlo__set_error(&t->error, WEBNN_TYPE_ERROR,
                               "%s: argument %zu of @%.60s is %s; dimension %" PRIu32
                               " is given as %" PRIu32,
                               place, index, f->name, declared, at, shape->items[at]);
  else
    webnn_stablehlo__set_error(&t->error, WEBNN_TYPE_ERROR,
                               "%s: argument %zu of @%.60s is %s; dimension %" PRIu32
                               " is at most %" PRId64 ", and given as %" PRIu32,
                               place, index, f->name, declared, at, type->bounds[at],
                               shape->items[at]);
  return false;
}

WEBNN_STABLEHLO_API const webnn_xla_computation *
webnn_stablehlo_function_for(webnn_stablehlo *module, const char *name, const webnn_list *shapes,
                             size_t shape_count, webnn_error *error) {
  webnn_stablehlo__function *f = webnn_stablehlo__named_function(module, name, error);
  webnn_stablehlo__recorder t;
  bool good = true;
  size_t i;
  if (!f)
    return NULL;
  memset(&t, 0, sizeof t);
  t.m = module;
  if (shape_count != 0 && shape_count != f->argument_types.count) {
    webnn_stablehlo__set_error(error, WEBNN_TYPE_ERROR,
                               "%s: @%.60s has %zu arguments; %zu shapes are given", module->file,
                               f->name, f->argument_types.count, shape_count);
    return NULL;
  }
  if (f->body && webnn_stablehlo__open_region(f->body)) {
    f->state = WEBNN_STABLEHLO__NEW_FUNCTION;
    f->computation = NULL;
    memset(&f->error, 0, sizeof f->error);
  }
  for (i = 0; f->body && good && i < shape_count; i++)
    good = !shapes[i].given || webnn_stablehlo__close_argument(&t, f, i, &shapes[i]);
  if (good)
    return webnn_stablehlo__built(&t, f, error);
  if (t.error.status == WEBNN_OK)
    webnn_stablehlo__set_error(&t.error, WEBNN_UNKNOWN_ERROR,
                               "There is no memory for the function");
  if (error)
    *error = t.error;
  return NULL;
}

/* Functions that failed are tried again. */
static void webnn_stablehlo__forget_failures(webnn_stablehlo *m) {
  webnn_stablehlo__function *f;
  for (f = m->first_function; f; f = f->next)
    if (f->state == WEBNN_STABLEHLO__FAILED) {
      f->state = WEBNN_STABLEHLO__NEW_FUNCTION;
      memset(&f->error, 0, sizeof f->error);
    }
}

WEBNN_STABLEHLO_API size_t webnn_stablehlo_problems(webnn_stablehlo *module,
                                                    webnn_stablehlo_problem_callback callback,
                                                    void *user) {
  webnn_stablehlo__recorder t;
  webnn_stablehlo__function *f;
  if (!module)
    return 0;
  memset(&t, 0, sizeof t);
  t.m = module;
  t.collect = true;
  t.report = callback;
  t.user = user;
  webnn_stablehlo__forget_failures(module);
  for (f = module->first_function; f; f = f->next)
    if (f->body || !f->is_private) /* one that is only declared is missing where it is called */
      webnn_stablehlo__build(&t, f);
  webnn_stablehlo__forget_failures(module);
  return t.problems;
}

static int webnn_stablehlo__compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

WEBNN_STABLEHLO_API size_t webnn_stablehlo_operations(const webnn_stablehlo *module,
                                                      webnn_stablehlo_operation_count *counts,
                                                      size_t capacity) {
  const webnn_stablehlo__operation *o;
  const char **names;
  size_t count = 0, kinds = 0, i;
  for (o = module ? module->all_operations : NULL; o; o = o->older)
    count++;
  names = (const char **)malloc((count + 1) * sizeof *names);
  if (!names)
    return 0;
  for (o = module ? module->all_operations : NULL, i = 0; o; o = o->older)
    names[i++] = o->name;
  qsort(names, count, sizeof *names, webnn_stablehlo__compare_names);
  for (i = 0; i < count; i++) {
    const bool first = i == 0 || strcmp(names[i], names[i - 1]) != 0;
    kinds += first;
    if (!counts || kinds > capacity)
      continue;
    if (first) {
      counts[kinds - 1].name = NULL;
      counts[kinds - 1].count = 0;
    }
    counts[kinds - 1].name = names[i];
    counts[kinds - 1].count++;
  }
  free(names);
  return kinds;
}

/* ==============================================================================================
   Assertions
   ============================================================================================== */

typedef struct webnn_stablehlo__limits {
  double most_ulps, least_ulps, tolerance, step;
  const char *place;
} webnn_stablehlo__limits;

/* Of the configuration that webnn_stablehlo__check wrote. */
static webnn_stablehlo__limits webnn_stablehlo__read_limits(const char *configuration) {
  webnn_stablehlo__limits limits = {3, 0, 1e-4, 0, ""};
  int behind = 0;
  if (configuration &&
      sscanf(configuration, "max=%lf min=%lf tolerance=%lf step=%lf %n", &limits.most_ulps,
             &limits.least_ulps, &limits.tolerance, &limits.step, &behind) == 4 &&
      behind > 0)
    limits.place = configuration + behind;
  return limits;
}

/* An element as a number; integers of 64 bits are compared by their bytes instead. */
static double webnn_stablehlo__element(const webnn_xla_array *array, size_t index) {
  const unsigned char *at =
      (const unsigned char *)array->data + index * webnn_xla_type_bytes(array->shape.type);
  int64_t bits = 0;
  uint64_t u;
  float f;
  uint16_t h;
  memcpy(&h, at, 1);
  switch (array->shape.type) {
  case WEBNN_XLA_F32:
    memcpy(&f, at, sizeof f);
    return (double)f;
  case WEBNN_XLA_F16:
    memcpy(&h, at, sizeof h);
    return (double)webnn_float16_to_float32(h);
  case WEBNN_XLA_BF16:
    memcpy(&h, at, sizeof h);
    return (double)webnn_stablehlo__from_bfloat16(h);
  default:
    break;
  }
  switch (webnn_xla_type_bytes(array->shape.type)) {
  case 1:
    bits = array->shape.type == WEBNN_XLA_S8 || array->shape.type == WEBNN_XLA_S4
               ? (int64_t)(int8_t)at[0]
               : (int64_t)at[0];
    break;
  case 2:
    memcpy(&h, at, 2);
    bits = array->shape.type == WEBNN_XLA_S16 ? (int64_t)(int16_t)h : (int64_t)h;
    break;
  case 4: {
    uint32_t w;
    memcpy(&w, at, 4);
    bits = array->shape.type == WEBNN_XLA_S32 ? (int64_t)(int32_t)w : (int64_t)w;
    break;
  }
  default:
    memcpy(&u, at, 8);
    if (array->shape.type == WEBNN_XLA_U64)
      return (double)u;
    bits = (int64_t)u;
  }
  return (double)bits;
}

static bool webnn_stablehlo__is_float(webnn_xla_type type) {
  return type == WEBNN_XLA_F32 || type == WEBNN_XLA_F16 || type == WEBNN_XLA_BF16;
}

/* The place of a float in the order of all floats of its type. */
static int64_t webnn_stablehlo__ordinal(const webnn_xla_array *array, size_t index) {
  const size_t bytes = webnn_xla_type_bytes(array->shape.type);
  const unsigned char *at = (const unsigned char *)array->data + index * bytes;
  uint32_t word = 0;
  uint16_t half = 0;
  int64_t magnitude;
  if (bytes == 2)
    memcpy(&half, at, 2);
  else
    memcpy(&word, at, 4);
  if (bytes == 2)
    word = (uint32_t)half << 16;
  magnitude = (int64_t)(word & 0x7fffffffu);
  if (word & 0x80000000u)
    magnitude = -magnitude;
  return bytes == 2 ? magnitude / 65536 : magnitude;
}

typedef enum webnn_stablehlo__relation {
  WEBNN_STABLEHLO__EQUAL,
  WEBNN_STABLEHLO__CLOSE,
  WEBNN_STABLEHLO__ALMOST,
  WEBNN_STABLEHLO__STEP
} webnn_stablehlo__relation;

/* Whether element `index` of two arrays of one type is in the relation. */
static bool webnn_stablehlo__agrees(const webnn_xla_array *arrays, size_t index,
                                    webnn_stablehlo__relation relation,
                                    const webnn_stablehlo__limits *limits) {
  const webnn_xla_type type = arrays[0].shape.type;
  const size_t bytes = webnn_xla_type_bytes(type);
  const bool is_float = webnn_stablehlo__is_float(type);
  const double a = webnn_stablehlo__element(&arrays[0], index);
  const double b = webnn_stablehlo__element(&arrays[1], index);
  const double limit =
      relation == WEBNN_STABLEHLO__STEP ? limits->step * 1.0001 : limits->tolerance;
  const bool equal = is_float ? a == b || (a != a && b != b)
                              : memcmp((const char *)arrays[0].data + index * bytes,
                                       (const char *)arrays[1].data + index * bytes, bytes) == 0;
  if (relation == WEBNN_STABLEHLO__CLOSE && is_float) {
    double ulps;
    if (equal)
      return limits->least_ulps <= 0;
    if (a != a || b != b || a - a != 0 || b - b != 0)
      return false;
    ulps = fabs((double)(webnn_stablehlo__ordinal(&arrays[0], index) -
                         webnn_stablehlo__ordinal(&arrays[1], index)));
    return ulps <= limits->most_ulps && ulps >= limits->least_ulps;
  }
  if (equal || relation == WEBNN_STABLEHLO__EQUAL || relation == WEBNN_STABLEHLO__CLOSE)
    return equal;
  return fabs(a - b) <= limit;
}

/* "[0, 1]": the place of an element. */
static void webnn_stablehlo__append_place(webnn_stablehlo__text *text, const webnn_list *sizes,
                                          size_t index) {
  size_t places[WEBNN_MAX_RANK];
  uint32_t i;
  for (i = sizes->count; i-- > 0;) {
    places[i] = index % sizes->items[i];
    index /= sizes->items[i];
  }
  webnn_stablehlo__append(text, "[");
  for (i = 0; i < sizes->count; i++)
    webnn_stablehlo__append(text, "%s%zu", i ? ", " : "", places[i]);
  webnn_stablehlo__append(text, "]");
}

static void webnn_stablehlo__tell_difference(webnn_stablehlo_checks *checks, const char *name,
                                             const webnn_stablehlo__limits *limits,
                                             const webnn_xla_array *arrays, size_t first,
                                             size_t differ, size_t count) {
  char message[sizeof checks->message];
  const int expected = strcmp(name, "check.eq") == 0 ? 0 : 1; /* which argument */
  webnn_stablehlo__text text;
  text.buffer = message;
  text.size = sizeof message;
  text.length = 0;
  webnn_stablehlo__append(&text, "%s%s%s: element ", limits->place, limits->place[0] ? ": " : "",
                          name);
  webnn_stablehlo__append_place(&text, &arrays[0].shape.dimensions, first);
  webnn_stablehlo__append(&text, " of %zu is %.9g, expected %.9g (%zu %s)", count,
                          webnn_stablehlo__element(&arrays[1 - expected], first),
                          webnn_stablehlo__element(&arrays[expected], first), differ,
                          differ == 1 ? "element differs" : "elements differ");
  if (checks->failed == 0)
    memcpy(checks->message, message, sizeof message);
  if (checks->report)
    checks->report(checks->user, message);
}

static bool webnn_stablehlo__assert(webnn_stablehlo_checks *checks, const char *name,
                                    webnn_stablehlo__relation relation,
                                    const webnn_xla_array *arguments, size_t argument_count,
                                    webnn_xla_array *results, size_t result_count,
                                    const char *configuration, char *message, size_t message_size) {
  const webnn_stablehlo__limits limits = webnn_stablehlo__read_limits(configuration);
  size_t i, count, differ = 0, first = 0;
  if (argument_count != 2 ||
      !webnn_stablehlo__same_shape(&arguments[0].shape, &arguments[1].shape) ||
      arguments[0].shape.type == WEBNN_XLA_TUPLE) {
    snprintf(message, message_size, "%s needs two arrays of one shape", name);
    return false;
  }
  count =
      webnn_xla_byte_length(&arguments[0].shape) / webnn_xla_type_bytes(arguments[0].shape.type);
  for (i = 0; i < count; i++)
    if (!webnn_stablehlo__agrees(arguments, i, relation, &limits) && differ++ == 0)
      first = i;
  if (differ)
    webnn_stablehlo__tell_difference(checks, name, &limits, arguments, first, differ, count);
  checks->failed += differ != 0;
  checks->passed += differ == 0;
  for (i = 0; i < result_count; i++) /* check.eq gives whether it holds */
    if (results[i].shape.type == WEBNN_XLA_PRED)
      memset(results[i].data, differ == 0, results[i].byte_length);
  return true;
}

#define WEBNN_STABLEHLO__ASSERTION(function, name, relation)                                       \
  static bool webnn_stablehlo__assert_##function(void *user, const webnn_xla_array *arguments,     \
                                                 size_t argument_count, webnn_xla_array *results,  \
                                                 size_t result_count, const char *configuration,   \
                                                 char *message, size_t message_size) {             \
    return webnn_stablehlo__assert((webnn_stablehlo_checks *)user, name, relation, arguments,      \
                                   argument_count, results, result_count, configuration, message,  \
                                   message_size);                                                  \
  }
WEBNN_STABLEHLO__ASSERTION(equal, "check.expect_eq", WEBNN_STABLEHLO__EQUAL)
WEBNN_STABLEHLO__ASSERTION(close, "check.expect_close", WEBNN_STABLEHLO__CLOSE)
WEBNN_STABLEHLO__ASSERTION(almost, "check.expect_almost_eq", WEBNN_STABLEHLO__ALMOST)
WEBNN_STABLEHLO__ASSERTION(step, "check.eq", WEBNN_STABLEHLO__STEP)

WEBNN_STABLEHLO_API size_t webnn_stablehlo_check_functions(webnn_stablehlo_checks *checks,
                                                           webnn_xla_named_function *functions,
                                                           size_t capacity) {
  static const struct {
    const char *name;
    webnn_xla_function function;
  } all[] = {{"check.expect_eq", webnn_stablehlo__assert_equal},
             {"check.expect_eq_const", webnn_stablehlo__assert_equal},
             {"check.expect_close", webnn_stablehlo__assert_close},
             {"check.expect_close_const", webnn_stablehlo__assert_close},
             {"check.expect_almost_eq", webnn_stablehlo__assert_almost},
             {"check.expect_almost_eq_const", webnn_stablehlo__assert_almost},
             {"check.eq", webnn_stablehlo__assert_step}};
  size_t i;
  for (i = 0; functions && i < sizeof all / sizeof all[0] && i < capacity; i++) {
    functions[i].name = all[i].name;
    functions[i].function = all[i].function;
    functions[i].user = checks;
  }
  return sizeof all / sizeof all[0];
}

#ifdef __cplusplus
}
#endif
#endif /* WEBNN_STABLEHLO_IMPLEMENTATION */
