/* Gather, Scatter, dynamic slices and updates, folds, windows and sorting of webnn_xla.h: random
   programs against plain loops written from the specification of StableHLO and from "Operation
   Semantics" of XLA, the examples of these texts, and what is refused. Values are small integers,
   which every type holds, so that results are equal whatever the order of additions. */
#include "test.h"
#include "webnn_xla.h"
#include "random.h"

#include <math.h>

static bool chance(uint32_t percent) {
  return below(100) < percent;
}

/* ---- Arrays of doubles ----------------------------------------------------------------------- */

typedef struct array {
  webnn_xla_type type;
  webnn_list shape;
  size_t count;
  double *v;
} array;

static webnn_list list_of(uint32_t count, const uint32_t *items) {
  webnn_list list = WEBNN_EMPTY_LIST;
  uint32_t i;
  for (i = 0; i < count; i++) {
    list.items[list.count++] = items[i];
  }
  return list;
}

static void append(webnn_list *list, uint32_t item) {
  list->items[list->count++] = item;
}

static bool contains(webnn_list list, uint32_t item) {
  uint32_t i;
  for (i = 0; i < list.count; i++) {
    if (list.items[i] == item) {
      return true;
    }
  }
  return false;
}

static array new_array(webnn_xla_type type, webnn_list shape) {
  array a;
  a.type = type;
  a.shape = shape;
  a.count = test_element_count(shape);
  a.v = (double *)test_allocate(a.count * sizeof *a.v);
  return a;
}

static void free_array(array *a) {
  free(a->v);
  a->v = NULL;
}

static bool is_float(webnn_xla_type type) {
  return type == WEBNN_XLA_F16 || type == WEBNN_XLA_BF16 || type == WEBNN_XLA_F32;
}

static bool is_signed(webnn_xla_type type) {
  return type >= WEBNN_XLA_S4 && type <= WEBNN_XLA_S64;
}

static int bits_of(webnn_xla_type type) {
  return type == WEBNN_XLA_PRED                           ? 1
         : type == WEBNN_XLA_S4 || type == WEBNN_XLA_U4   ? 4
         : type == WEBNN_XLA_S8 || type == WEBNN_XLA_U8   ? 8
         : type == WEBNN_XLA_S16 || type == WEBNN_XLA_U16 ? 16
         : type == WEBNN_XLA_S32 || type == WEBNN_XLA_U32 ? 32
                                                          : 64;
}

/* What the type makes of an integer. */
static double wrapped(webnn_xla_type type, double x) {
  int64_t n, size;
  if (is_float(type)) {
    return x;
  }
  if (type == WEBNN_XLA_PRED) {
    return x != 0;
  }
  if (bits_of(type) == 64) {
    return x;
  }
  size = (int64_t)1 << bits_of(type);
  n = (int64_t)x % size;
  n = n < 0 ? n + size : n;
  return (double)(is_signed(type) && n >= size / 2 ? n - size : n);
}

static double random_value(webnn_xla_type type) {
  const double x = type == WEBNN_XLA_PRED ? below(2) : (double)below(9) - 4;
  return is_float(type) || is_signed(type) ? x : x < 0 ? -x : x;
}

static array random_array(webnn_xla_type type, webnn_list shape) {
  array a = new_array(type, shape);
  size_t i;
  for (i = 0; i < a.count; i++) {
    a.v[i] = random_value(type);
  }
  return a;
}

static array copy_array(const array *a) {
  array b = new_array(a->type, a->shape);
  memcpy(b.v, a->v, a->count * sizeof *b.v);
  return b;
}

static webnn_xla_shape shape_of(const array *a) {
  return webnn_xla_shape_of(a->type, a->shape);
}

/* As the caller of a program has it. 4-bit types take a byte, bfloat16 is half of a float. */
static void to_bytes(const array *a, uint8_t *bytes) {
  static const webnn_data_type types[] = {WEBNN_UINT8,   WEBNN_UINT8,   WEBNN_INT8,   WEBNN_INT8,
                                          WEBNN_INT32,   WEBNN_INT32,   WEBNN_INT64,  WEBNN_UINT8,
                                          WEBNN_UINT8,   WEBNN_UINT32,  WEBNN_UINT32, WEBNN_UINT64,
                                          WEBNN_FLOAT16, WEBNN_FLOAT32, WEBNN_FLOAT32};
  size_t i;
  for (i = 0; i < a->count; i++) {
    uint8_t element[8];
    const size_t size = webnn_xla_type_bytes(a->type);
    test_set(types[a->type], element, 0, a->v[i]);
    if (a->type == WEBNN_XLA_F16 &&
        a->v[i] != a->v[i]) { /* of which test_set makes a positive one */
      element[1] = (uint8_t)((element[1] & 127) | (signbit(a->v[i]) ? 128 : 0));
    }
    memcpy(bytes + i * size, element + (a->type == WEBNN_XLA_BF16 ? 2 : 0), size);
  }
}

static void from_bytes(array *a, const uint8_t *bytes) {
  static const webnn_data_type types[] = {WEBNN_UINT8,   WEBNN_UINT8,   WEBNN_INT8,   WEBNN_INT8,
                                          WEBNN_INT32,   WEBNN_INT32,   WEBNN_INT64,  WEBNN_UINT8,
                                          WEBNN_UINT8,   WEBNN_UINT32,  WEBNN_UINT32, WEBNN_UINT64,
                                          WEBNN_FLOAT16, WEBNN_FLOAT32, WEBNN_FLOAT32};
  size_t i;
  for (i = 0; i < a->count; i++) {
    uint8_t element[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    const size_t size = webnn_xla_type_bytes(a->type);
    memcpy(element + (a->type == WEBNN_XLA_BF16 ? 2 : 0), bytes + i * size, size);
    if (a->type == WEBNN_XLA_S16) {
      memset(element + 2, element[1] & 128 ? 255 : 0, 2);
    }
    a->v[i] = test_get(types[a->type], element, 0);
  }
}

static webnn_list not_given; /* a list that is all zero */

/* The indices of element i; and the element at indices. */
static void indices_of(webnn_list shape, size_t i, int64_t *indices) {
  uint32_t d = shape.count;
  while (d-- > 0) {
    indices[d] = (int64_t)(i % shape.items[d]);
    i /= shape.items[d];
  }
}

/* -1: outside. */
static int64_t element_at(webnn_list shape, const int64_t *indices) {
  int64_t at = 0;
  uint32_t d;
  for (d = 0; d < shape.count; d++) {
    if (indices[d] < 0 || indices[d] >= (int64_t)shape.items[d]) {
      return -1;
    }
    at = at * shape.items[d] + indices[d];
  }
  return at;
}

/* ---- Programs -------------------------------------------------------------------------------- */

static webnn_context *contexts[2];
static size_t step_counts[WEBNN_XLA_STEP_KIND_COUNT];

/* A module with a main computation whose arrays become parameters or constants. */
typedef struct program {
  webnn_xla_module *module;
  webnn_xla_builder *b;
  array inputs[8];
  size_t input_count;
} program;

static program open_program(void) {
  program p;
  memset(&p, 0, sizeof p);
  p.module = webnn_xla_create_module();
  p.b = webnn_xla_begin(p.module, "main");
  return p;
}

static webnn_xla_value *constant_of(webnn_xla_builder *b, const array *a) {
  uint8_t *bytes = (uint8_t *)test_allocate(a->count * 8);
  const webnn_xla_shape shape = shape_of(a);
  webnn_xla_value *value;
  to_bytes(a, bytes);
  value = webnn_xla_constant(b, shape, bytes, webnn_xla_byte_length(&shape));
  free(bytes);
  return value;
}

/* The array stays the caller's. */
static webnn_xla_value *value_of(program *p, const array *a, bool is_constant) {
  if (is_constant) {
    return constant_of(p->b, a);
  }
  p->inputs[p->input_count] = *a;
  return webnn_xla_parameter(p->b, p->input_count++, shape_of(a), NULL);
}

static bool same_number(double a, double b) {
  return a == b || (a != a && b != b);
}

static void run_compiled(const program *p, webnn_xla_program *compiled, const array *expected,
                         size_t count, const char *name) {
  webnn_xla_array in[8], out[8];
  webnn_error error = WEBNN_ZERO;
  size_t i, k;
  memset(in, 0, sizeof in);
  memset(out, 0, sizeof out);
  for (i = 0; i < p->input_count; i++) {
    in[i].shape = shape_of(&p->inputs[i]);
    in[i].byte_length = webnn_xla_byte_length(&in[i].shape);
    in[i].data = test_allocate(in[i].byte_length);
    to_bytes(&p->inputs[i], (uint8_t *)in[i].data);
  }
  for (i = 0; i < count; i++) {
    out[i].shape = shape_of(&expected[i]);
    out[i].byte_length = webnn_xla_byte_length(&out[i].shape);
    out[i].data = test_allocate(out[i].byte_length);
  }
  if (CHECK(name, webnn_xla_run(compiled, in, p->input_count, out, count, &error) == WEBNN_OK,
            "not run: %s", error.message)) {
    for (i = 0; i < count; i++) {
      array got = new_array(expected[i].type, expected[i].shape);
      from_bytes(&got, (const uint8_t *)out[i].data);
      for (k = 0; k < got.count && same_number(got.v[k], expected[i].v[k]); k++) {
      }
      CHECK(name, k == got.count, "result %lu %s[%s], element %lu: expected %g, got %g",
            (unsigned long)i, webnn_xla_type_name(got.type), test_shape_text(got.shape),
            (unsigned long)k, expected[i].v[k < got.count ? k : 0], got.v[k < got.count ? k : 0]);
      free_array(&got);
    }
  }
  for (i = 0; i < 8; i++) {
    free(in[i].data);
    free(out[i].data);
  }
}

/* Compiles, runs twice and compares; frees the module. */
static void check_program(program *p, webnn_xla_value *root, const array *expected, size_t count,
                          const char *name) {
  const webnn_xla_computation *c = webnn_xla_end(p->b, root);
  webnn_xla_program *compiled = NULL;
  webnn_error error = WEBNN_ZERO;
  if (CHECK(name, c != NULL, "not recorded: %s", webnn_xla_module_message(p->module)) &&
      CHECK(name, webnn_xla_compile(contexts[below(2)], c, NULL, &compiled, &error) == WEBNN_OK,
            "not compiled: %s", error.message)) {
    size_t counts[WEBNN_XLA_STEP_KIND_COUNT], i;
    webnn_xla_count_steps(compiled, counts);
    for (i = 0; i < WEBNN_XLA_STEP_KIND_COUNT; i++) {
      step_counts[i] += counts[i];
    }
    run_compiled(p, compiled, expected, count, name);
    run_compiled(p, compiled, expected, count, name);
  }
  webnn_xla_free_program(compiled);
  webnn_xla_free_module(p->module);
}

/* ---- Functions of scalars -------------------------------------------------------------------- */

typedef enum function {
  ADD,
  MUL,
  MAX,
  MIN,
  SECOND,
  FIRST,
  TWICE,
  DIFFERENCE,
  FUNCTION_COUNT,
  AND = FUNCTION_COUNT, /* of integers and PRED */
  OR,
  XOR,
  ALL_COUNT
} function;
static const char *const function_names[] = {"add",   "mul",        "max", "min", "second", "first",
                                             "twice", "difference", "and", "or",  "xor"};

static double apply(function f, webnn_xla_type type, double a, double b) {
  switch (f) {
  case ADD:
    return wrapped(type, a + b);
  case MUL:
    return wrapped(type, a * b);
  case MAX:
    return a > b ? a : b;
  case MIN:
    return a < b ? a : b;
  case SECOND:
    return b;
  case FIRST:
    return a;
  case TWICE: /* the order of updates matters */
    return wrapped(type, wrapped(type, a + a) + b);
  case AND:
    return (double)((int64_t)a & (int64_t)b);
  case OR:
    return (double)((int64_t)a | (int64_t)b);
  case XOR:
    return (double)((int64_t)a ^ (int64_t)b);
  default:
    return wrapped(type, a - b);
  }
}

static webnn_xla_value *record(webnn_xla_builder *b, function f, webnn_xla_value *x,
                               webnn_xla_value *y) {
  switch (f) {
  case ADD:
    return chance(50) ? webnn_xla_add(b, x, y) : webnn_xla_add(b, y, x);
  case MUL:
    return webnn_xla_mul(b, x, y);
  case MAX:
    return webnn_xla_max(b, x, y);
  case MIN:
    return webnn_xla_min(b, x, y);
  case SECOND:
    return y;
  case FIRST:
    return x;
  case TWICE:
    return webnn_xla_add(b, webnn_xla_add(b, x, x), y);
  case AND:
    return webnn_xla_logical_and(b, x, y);
  case OR:
    return webnn_xla_logical_or(b, x, y);
  case XOR:
    return webnn_xla_xor_(b, x, y);
  default:
    return webnn_xla_sub(b, x, y);
  }
}

/* Now and then one that calls another. */
static const webnn_xla_computation *computation_of(webnn_xla_module *m, function f,
                                                   webnn_xla_type type) {
  const webnn_xla_shape scalar = webnn_xla_shape_of(type, WEBNN_EMPTY_LIST);
  const webnn_xla_computation *inner = chance(20) ? computation_of(m, f, type) : NULL;
  webnn_xla_builder *b = webnn_xla_begin(m, function_names[f]);
  webnn_xla_value *p[2];
  p[0] = webnn_xla_parameter(b, 0, scalar, "x");
  p[1] = webnn_xla_parameter(b, 1, scalar, "y");
  return webnn_xla_end(b, inner ? webnn_xla_call(b, inner, p, 2) : record(b, f, p[0], p[1]));
}

/* Of two arrays: (a + d, max(b, c)). */
static const webnn_xla_computation *crossed(webnn_xla_module *m, webnn_xla_type first,
                                            webnn_xla_type second) {
  webnn_xla_builder *b = webnn_xla_begin(m, "crossed");
  const webnn_xla_shape s = webnn_xla_shape_of(first, WEBNN_EMPTY_LIST);
  const webnn_xla_shape t = webnn_xla_shape_of(second, WEBNN_EMPTY_LIST);
  webnn_xla_value *p[4], *r[2];
  p[0] = webnn_xla_parameter(b, 0, s, NULL);
  p[1] = webnn_xla_parameter(b, 1, t, NULL);
  p[2] = webnn_xla_parameter(b, 2, s, NULL);
  p[3] = webnn_xla_parameter(b, 3, t, NULL);
  r[0] = webnn_xla_add(b, p[0], webnn_xla_convert_element_type(b, p[3], first));
  r[1] = webnn_xla_max(b, p[1], webnn_xla_convert_element_type(b, p[2], second));
  return webnn_xla_end(b, webnn_xla_tuple(b, r, 2));
}

static const webnn_xla_type types[] = {WEBNN_XLA_S32,  WEBNN_XLA_F32, WEBNN_XLA_U8,  WEBNN_XLA_S8,
                                       WEBNN_XLA_U32,  WEBNN_XLA_S64, WEBNN_XLA_U64, WEBNN_XLA_F16,
                                       WEBNN_XLA_PRED, WEBNN_XLA_S16, WEBNN_XLA_U16, WEBNN_XLA_BF16,
                                       WEBNN_XLA_S4,   WEBNN_XLA_U4};

static webnn_xla_type random_type(void) {
  return types[below(sizeof types / sizeof *types)];
}

/* PRED is not subtracted, doubles do not hold what is below 0 in U64, and large results neither floats
   nor 64 bits exactly. */
static function random_function(webnn_xla_type type) {
  const function f = (function)below(is_float(type) ? FUNCTION_COUNT : ALL_COUNT);
  const bool fits = f == DIFFERENCE ? type != WEBNN_XLA_PRED && type != WEBNN_XLA_U64
                    : f == TWICE    ? bits_of(type) < 64
                                    : f != MUL || !is_float(type);
  return fits ? f : ADD;
}

/* ---- Slices ---------------------------------------------------------------------------------- */

static webnn_list random_shape(uint32_t low, uint32_t high, uint32_t largest) {
  webnn_list shape = WEBNN_EMPTY_LIST;
  const uint32_t rank = pick(low, high);
  while (shape.count < rank) {
    append(&shape, chance(20) ? 1 : pick(1, largest));
  }
  return shape;
}

static webnn_list random_part(webnn_list shape) {
  uint32_t d;
  for (d = 0; d < shape.count; d++) {
    shape.items[d] = chance(40) ? shape.items[d] : pick(1, shape.items[d]);
  }
  return shape;
}

static webnn_xla_type random_index_type(void) {
  static const webnn_xla_type index_types[] = {WEBNN_XLA_S32, WEBNN_XLA_S64, WEBNN_XLA_U32,
                                               WEBNN_XLA_U64, WEBNN_XLA_S8,  WEBNN_XLA_U8};
  return index_types[below(6)];
}

/* An index near 0 ... size - 1, or far from it. */
static double random_index(webnn_xla_type type, uint32_t size) {
  double i = (double)below(size + 4) - 2;
  if (chance(10)) {
    static const double far[] = {127, -128, 2147483647, -2147483648.0, 4294967295.0, -9e15, 9e15};
    i = far[below(7)];
  }
  if (!is_signed(type) && i < 0) {
    i = -i;
  }
  if (bits_of(type) < 64 && wrapped(type, i) != i) {
    i = (double)below(size);
  }
  return i;
}

static int64_t clamped(double start, uint32_t size, uint32_t part) {
  const double high = (double)size - part;
  return (int64_t)(start < 0 ? 0 : start > high ? high : start);
}

/* DynamicSlice and DynamicUpdateSlice of the same slice. */
static void test_dynamic(void) {
  const webnn_xla_type type = random_type(), index_type = random_index_type();
  const webnn_list shape = random_shape(1, 4, 7), sizes = random_part(shape);
  const bool is_vector = chance(50), is_constant = chance(30), updates = chance(50);
  array x = random_array(type, shape), part = random_array(type, sizes), starts, each;
  array result = updates ? copy_array(&x) : new_array(type, sizes);
  program p = open_program();
  webnn_xla_value *operand = value_of(&p, &x, false), *values[8], *root;
  int64_t at[8], in[8];
  uint32_t d;
  size_t i;
  starts = new_array(index_type, list_of(1, &shape.count));
  for (d = 0; d < shape.count; d++) {
    starts.v[d] = random_index(index_type, shape.items[d]);
    each = new_array(index_type, WEBNN_EMPTY_LIST);
    each.v[0] = starts.v[d];
    values[d] = is_vector
                    ? NULL
                    : webnn_xla_reshape(p.b, constant_of(p.b, &each), not_given, WEBNN_EMPTY_LIST);
    free_array(&each);
  }
  if (is_vector) {
    values[0] = value_of(&p, &starts, is_constant);
  } else if (!is_constant) {
    webnn_xla_value *all = value_of(&p, &starts, false);
    for (d = 0; d < shape.count; d++) {
      values[d] = webnn_xla_slice(p.b, all, list_of(1, &d), WEBNN_LIST(d + 1), not_given);
      values[d] = webnn_xla_reshape(p.b, values[d], not_given, WEBNN_EMPTY_LIST);
    }
  }
  for (i = 0; i < part.count; i++) {
    int64_t from;
    indices_of(sizes, i, in);
    for (d = 0; d < shape.count; d++) {
      at[d] = in[d] + clamped(starts.v[d], shape.items[d], sizes.items[d]);
    }
    from = element_at(shape, at);
    if (updates) {
      result.v[from] = part.v[i];
    } else {
      result.v[i] = x.v[from];
    }
  }
  root = updates
             ? webnn_xla_dynamic_update_slice(p.b, operand, value_of(&p, &part, false), values,
                                              is_vector ? 1 : shape.count)
             : webnn_xla_dynamic_slice(p.b, operand, values, is_vector ? 1 : shape.count, sizes);
  check_program(&p, root, &result, 1, updates ? "dynamic_update_slice" : "dynamic_slice");
  free_array(&x);
  free_array(&part);
  free_array(&starts);
  free_array(&result);
}

/* ---- Gather and Scatter ---------------------------------------------------------------------- */

/* Random dimension numbers of both. */
typedef struct numbers {
  webnn_list shape, sizes, batch, indices, result; /* result: of Gather, or updates */
  webnn_list windows, collapsed, batching, indices_batching, map;
  uint32_t vector_dim;
} numbers;

static void random_batching(numbers *n) {
  uint32_t i;
  n->batching = n->indices_batching = WEBNN_EMPTY_LIST;
  if (chance(30) && n->batch.count && n->shape.count > 1) {
    append(&n->batching, below(n->shape.count));
    append(&n->indices_batching, below(n->batch.count));
    n->shape.items[n->batching.items[0]] = n->batch.items[n->indices_batching.items[0]];
    n->sizes.items[n->batching.items[0]] = 1;
    for (i = 0; i < n->shape.count; i++) { /* slices are no larger than what they are cut from */
      n->sizes.items[i] =
          n->sizes.items[i] < n->shape.items[i] ? n->sizes.items[i] : n->shape.items[i];
    }
  }
}

/* The dimensions that starts are for, in any order, and those that a slice has no more. */
static void random_map(numbers *n) {
  uint32_t d;
  n->map = n->collapsed = WEBNN_EMPTY_LIST;
  for (d = 0; d < n->shape.count; d++) {
    if (!contains(n->batching, d) && chance(60)) {
      append(&n->map, d);
    }
  }
  while (n->map.count == 0) {
    d = below(n->shape.count);
    if (!contains(n->batching, d)) {
      append(&n->map, d);
    }
  }
  for (d = 0; d + 1 < n->map.count; d++) {
    const uint32_t other = pick(d, n->map.count - 1), item = n->map.items[d];
    n->map.items[d] = n->map.items[other];
    n->map.items[other] = item;
  }
  for (d = 0; d < n->shape.count; d++) {
    if (!contains(n->batching, d) && chance(40)) {
      n->sizes.items[d] = 1;
      append(&n->collapsed, d);
    }
  }
}

/* Where the slices' dimensions stand among those of the batch. */
static void random_windows(numbers *n) {
  webnn_list kept = WEBNN_EMPTY_LIST;
  uint32_t d, rank, next = 0, next_batch = 0;
  for (d = 0; d < n->shape.count; d++) {
    if (!contains(n->batching, d) && !contains(n->collapsed, d)) {
      append(&kept, n->sizes.items[d]);
    }
  }
  rank = kept.count + n->batch.count;
  n->windows = n->result = WEBNN_EMPTY_LIST;
  for (d = 0; d < rank; d++) {
    const uint32_t left = kept.count - next;
    if (left && (left == rank - d || chance(50))) {
      append(&n->windows, d);
      append(&n->result, kept.items[next++]);
    } else {
      append(&n->result, n->batch.items[next_batch++]);
    }
  }
}

static numbers random_numbers(void) {
  numbers n;
  uint32_t i;
  n.shape = random_shape(1, 4, 6);
  n.sizes = random_part(n.shape);
  n.batch = random_shape(0, 3, chance(15) ? 9 : 4);
  random_batching(&n);
  random_map(&n);
  random_windows(&n);
  n.vector_dim = n.map.count == 1 && chance(40) ? n.batch.count : pick(0, n.batch.count);
  n.indices = WEBNN_EMPTY_LIST;
  if (n.map.count == 1 && n.vector_dim == n.batch.count && chance(50)) {
    n.indices = n.batch; /* the dimension of index vectors is left out */
  } else {
    for (i = 0; i <= n.batch.count; i++) {
      if (i == n.vector_dim) {
        append(&n.indices, n.map.count);
      }
      if (i < n.batch.count) {
        append(&n.indices, n.batch.items[i]);
      }
    }
  }
  for (i = 0; i < n.indices_batching.count; i++) {
    n.indices_batching.items[i] += n.indices_batching.items[i] >= n.vector_dim ? 1 : 0;
  }
  return n;
}

static array random_indices(const numbers *n) {
  array a = new_array(random_index_type(), n->indices);
  size_t i;
  for (i = 0; i < a.count; i++) {
    int64_t at[8];
    indices_of(n->indices, i, at);
    a.v[i] = random_index(
        a.type,
        n->shape.items[n->map.items[n->indices.count == n->batch.count ? 0 : at[n->vector_dim]]]);
  }
  return a;
}

/* Where element i of the result, or of updates, is in the array; -1: outside. */
static int64_t place_of(const numbers *n, const array *indices, size_t i, bool clamps) {
  int64_t at[8], in[8], batch[8], place[8], vector[8];
  uint32_t d, next = 0, next_batch = 0, k;
  indices_of(n->result, i, at);
  for (d = 0; d < n->result.count; d++) {
    if (contains(n->windows, d)) {
      in[next++] = at[d];
    } else {
      batch[next_batch++] = at[d];
    }
  }
  for (d = 0, next = 0; d < n->shape.count; d++) {
    double start = 0;
    place[d] = contains(n->collapsed, d) || contains(n->batching, d) ? 0 : in[next++];
    for (k = 0; k < n->map.count; k++) {
      if (n->map.items[k] == d) {
        uint32_t e, from = 0;
        for (e = 0; e < n->indices.count; e++) {
          vector[e] = n->indices.count > n->batch.count && e == n->vector_dim ? k : batch[from++];
        }
        start = indices->v[element_at(n->indices, vector)];
      }
    }
    if (clamps) {
      start = (double)clamped(start, n->shape.items[d], n->sizes.items[d]);
    }
    place[d] += (int64_t)start;
    for (k = 0; k < n->batching.count; k++) {
      if (n->batching.items[k] == d) {
        const uint32_t e = n->indices_batching.items[k];
        place[d] += batch[e - (e > n->vector_dim ? 1 : 0)];
      }
    }
  }
  return element_at(n->shape, place);
}

static void test_gather(void) {
  const numbers n = random_numbers();
  array x = random_array(random_type(), n.shape), indices = random_indices(&n);
  array result = new_array(x.type, n.result);
  program p = open_program();
  webnn_xla_gather_options o;
  webnn_xla_value *operand = value_of(&p, &x, chance(10));
  size_t i;
  memset(&o, 0, sizeof o);
  o.offset_dims = n.windows;
  o.collapsed_slice_dims = n.collapsed;
  o.operand_batching_dims = n.batching;
  o.start_indices_batching_dims = n.indices_batching;
  o.start_index_map = n.map;
  o.slice_sizes = n.sizes;
  o.index_vector_dim = n.vector_dim;
  for (i = 0; i < result.count; i++) {
    result.v[i] = x.v[place_of(&n, &indices, i, true)];
  }
  check_program(&p, webnn_xla_gather(p.b, operand, value_of(&p, &indices, chance(30)), o), &result,
                1, "gather");
  free_array(&x);
  free_array(&indices);
  free_array(&result);
}

static webnn_xla_scatter_options scatter_options(const numbers *n) {
  webnn_xla_scatter_options o;
  memset(&o, 0, sizeof o);
  o.update_window_dims = n->windows;
  o.inserted_window_dims = n->collapsed;
  o.input_batching_dims = n->batching;
  o.scatter_indices_batching_dims = n->indices_batching;
  o.scatter_dims_to_operand_dims = n->map;
  o.index_vector_dim = n->vector_dim;
  return o;
}

/* Is no element named twice? */
static bool are_unique(const numbers *n, const array *indices, size_t update_count) {
  bool *seen = (bool *)test_allocate(test_element_count(n->shape)), unique = true;
  size_t i;
  for (i = 0; i < update_count; i++) {
    const int64_t at = place_of(n, indices, i, false);
    unique = unique && (at < 0 || !seen[at]);
    if (at >= 0) {
      seen[at] = true;
    }
  }
  free(seen);
  return unique;
}

/* The number of the slice that update i belongs to. */
static int64_t slice_of(const numbers *n, size_t i) {
  int64_t at[8], slice = 0;
  uint32_t d;
  indices_of(n->result, i, at);
  for (d = 0; d < n->result.count; d++) {
    slice = contains(n->windows, d) ? slice : slice * n->result.items[d] + at[d];
  }
  return slice;
}

/* The places of all updates in the order of the indices: slice after slice. */
static void in_order(const numbers *n, size_t *order) {
  const size_t count = test_element_count(n->result);
  const int64_t slices = (int64_t)test_element_count(n->batch);
  int64_t slice;
  size_t i;
  for (slice = 0; slice < slices; slice++) {
    for (i = 0; i < count; i++) {
      if (slice_of(n, i) == slice) {
        *order++ = i;
      }
    }
  }
}

static void test_scatter(void) {
  const numbers n = random_numbers();
  const webnn_xla_type type = random_type();
  const function f = random_function(type);
  array x = random_array(type, n.shape), indices = random_indices(&n);
  array updates = random_array(type, n.result), result = copy_array(&x);
  program p = open_program();
  webnn_xla_scatter_options o = scatter_options(&n);
  webnn_xla_value *operand = value_of(&p, &x, chance(10)), *update = value_of(&p, &updates, false);
  size_t *order = (size_t *)test_allocate(updates.count * sizeof *order), i;
  char name[64];
  in_order(&n, order);
  for (i = 0; i < updates.count; i++) {
    const int64_t at = place_of(&n, &indices, order[i], false);
    if (at >= 0) {
      result.v[at] = apply(f, type, result.v[at], updates.v[order[i]]);
    }
  }
  free(order);
  o.unique_indices = chance(50) && are_unique(&n, &indices, updates.count);
  snprintf(name, sizeof name, "scatter %s %s", function_names[f], webnn_xla_type_name(type));
  check_program(&p,
                webnn_xla_scatter(p.b, &operand, 1, value_of(&p, &indices, chance(30)), &update,
                                  computation_of(p.module, f, type), o),
                &result, 1, name);
  free_array(&x);
  free_array(&indices);
  free_array(&updates);
  free_array(&result);
}

static void test_scatter_two(void) {
  const numbers n = random_numbers();
  array x[2], updates[2], result[2], indices = random_indices(&n);
  program p = open_program();
  webnn_xla_value *operands[2], *values[2];
  size_t i, k;
  for (k = 0; k < 2; k++) {
    const webnn_xla_type type = k ? WEBNN_XLA_S32 : WEBNN_XLA_F32;
    x[k] = random_array(type, n.shape);
    updates[k] = random_array(type, n.result);
    result[k] = copy_array(&x[k]);
    operands[k] = value_of(&p, &x[k], false);
    values[k] = value_of(&p, &updates[k], false);
  }
  for (i = 0; i < updates[0].count; i++) {
    const int64_t at = place_of(&n, &indices, i, false);
    if (at >= 0) {
      const double a = updates[0].v[i], b = updates[1].v[i];
      result[0].v[at] += b;
      result[1].v[at] = result[1].v[at] > a ? result[1].v[at] : a;
    }
  }
  check_program(&p,
                webnn_xla_scatter(p.b, operands, 2, value_of(&p, &indices, chance(30)), values,
                                  crossed(p.module, WEBNN_XLA_F32, WEBNN_XLA_S32),
                                  scatter_options(&n)),
                result, 2, "scatter of two");
  for (k = 0; k < 2; k++) {
    free_array(&x[k]);
    free_array(&updates[k]);
    free_array(&result[k]);
  }
  free_array(&indices);
}

/* ---- Reduce and ReduceWindow ----------------------------------------------------------------- */

/* (a, b) and (c, d) to (a c, b c + d): associative, but not commutative. */
static const webnn_xla_computation *composition(webnn_xla_module *m, webnn_xla_type type) {
  const webnn_xla_shape scalar = webnn_xla_shape_of(type, WEBNN_EMPTY_LIST);
  webnn_xla_builder *b = webnn_xla_begin(m, "composition");
  webnn_xla_value *p[4], *r[2];
  size_t i;
  for (i = 0; i < 4; i++) {
    p[i] = webnn_xla_parameter(b, i, scalar, NULL);
  }
  r[0] = webnn_xla_mul(b, p[0], p[2]);
  r[1] = webnn_xla_add(b, webnn_xla_mul(b, p[1], p[2]), p[3]);
  return webnn_xla_end(b, webnn_xla_tuple(b, r, 2));
}

/* What is folded: one array by a function, or two by composition. */
typedef struct folding {
  webnn_xla_type type;
  size_t count;
  function f; /* of one */
  array x[2], init[2], result[2];
  bool is_neutral_known;
} folding;

/* Of 64 bits, which doubles do not hold, the ends are not asked for. */
static double neutral_of(function f, webnn_xla_type type) {
  const double infinity = (double)INFINITY, size = ldexp(1, bits_of(type) - is_signed(type));
  const double lowest = is_float(type) ? -infinity : is_signed(type) ? -size : 0;
  switch (f) {
  case MUL:
    return 1;
  case MAX:
    return bits_of(type) == 64 && !is_float(type) ? -1000 * is_signed(type) : lowest;
  case MIN:
    return is_float(type) ? infinity : bits_of(type) == 64 ? 1000 : size - 1;
  case AND:
    return is_signed(type) ? -1 : bits_of(type) == 64 ? 255 : size - 1;
  default:
    return 0;
  }
}

static folding random_folding(webnn_list shape) {
  static const function some[] = {ADD, MUL, MAX, MIN, FIRST, SECOND, AND, OR, XOR};
  folding a;
  size_t k;
  memset(&a, 0, sizeof a);
  a.count = chance(25) ? 2 : 1;
  do {
    a.type = random_type();
    a.f = some[below(is_float(a.type) ? 6 : 9)];
  } while ((a.f == MUL && is_float(a.type)) ||
           (bits_of(a.type) == 64 && a.f == MUL && !is_float(a.type)));
  a.is_neutral_known = a.count == 1 && a.f != FIRST && a.f != SECOND;
  if (a.count == 2) {
    a.type = chance(50) ? WEBNN_XLA_S32 : WEBNN_XLA_U8;
  }
  for (k = 0; k < a.count; k++) {
    a.x[k] = random_array(a.type, shape);
    a.init[k] = random_array(a.type, WEBNN_EMPTY_LIST);
    if (a.count == 1 && a.is_neutral_known && chance(60)) {
      a.init[k].v[0] = neutral_of(a.f, a.type);
    }
  }
  return a;
}

static void free_folding(folding *a) {
  size_t k;
  for (k = 0; k < 2; k++) {
    free_array(&a->x[k]);
    free_array(&a->init[k]);
    free_array(&a->result[k]);
  }
}

/* Joins y to x, of one or of two numbers. */
static void fold_in(const folding *a, double *x, const double *y) {
  if (a->count == 1) {
    x[0] = apply(a->f, a->type, x[0], y[0]);
  } else {
    x[1] = wrapped(a->type, wrapped(a->type, x[1] * y[0]) + y[1]);
    x[0] = wrapped(a->type, x[0] * y[0]);
  }
}

static const webnn_xla_computation *fold_computation(webnn_xla_module *m, const folding *a) {
  return a->count == 1 ? computation_of(m, a->f, a->type) : composition(m, a->type);
}

static void fold_values(program *p, const folding *a, webnn_xla_value **x, webnn_xla_value **init) {
  size_t k;
  for (k = 0; k < a->count; k++) {
    x[k] = value_of(p, &a->x[k], chance(10));
    init[k] = value_of(p, &a->init[k], chance(80));
  }
}

static const char *fold_name(const char *operation, const folding *a) {
  static char name[64];
  snprintf(name, sizeof name, "%s %s %s", operation,
           a->count == 1 ? function_names[a->f] : "composition", webnn_xla_type_name(a->type));
  return name;
}

static void shuffle(webnn_list *list) {
  uint32_t i;
  for (i = 0; i + 1 < list->count; i++) {
    const uint32_t j = pick(i, list->count - 1), item = list->items[i];
    list->items[i] = list->items[j];
    list->items[j] = item;
  }
}

static void test_reduce(void) {
  const webnn_list shape = random_shape(0, 4, chance(20) ? 40 : 7);
  folding a = random_folding(shape);
  webnn_list dims = WEBNN_EMPTY_LIST, kept = WEBNN_EMPTY_LIST;
  webnn_xla_value *x[2], *init[2];
  program p = open_program();
  int64_t at[8], to[8];
  uint32_t d;
  size_t i, k;
  for (d = 0; d < shape.count; d++) {
    if (chance(50)) {
      append(&dims, d);
    } else {
      append(&kept, shape.items[d]);
    }
  }
  for (k = 0; k < a.count; k++) {
    a.result[k] = new_array(a.type, kept);
    for (i = 0; i < a.result[k].count; i++) {
      a.result[k].v[i] = a.init[k].v[0];
    }
  }
  for (i = 0; i < a.x[0].count; i++) {
    double old[2], new_[2];
    int64_t place;
    uint32_t next = 0;
    indices_of(shape, i, at);
    for (d = 0; d < shape.count; d++) {
      if (!contains(dims, d)) {
        to[next++] = at[d];
      }
    }
    place = element_at(kept, to);
    for (k = 0; k < a.count; k++) {
      old[k] = a.result[k].v[place];
      new_[k] = a.x[k].v[i];
    }
    fold_in(&a, old, new_);
    for (k = 0; k < a.count; k++) {
      a.result[k].v[place] = old[k];
    }
  }
  shuffle(&dims);
  fold_values(&p, &a, x, init);
  check_program(&p,
                webnn_xla_reduce_many(p.b, x, init, a.count, fold_computation(p.module, &a), dims),
                a.result, a.count, fold_name("reduce", &a));
  free_folding(&a);
}

/* Windows over an array, at least one in each dimension. */
typedef struct windows {
  webnn_list shape, sizes, counts;
  webnn_xla_window w;
} windows;

static windows random_windows_over(webnn_list shape) {
  windows n;
  uint32_t d;
  memset(&n, 0, sizeof n);
  n.shape = shape;
  n.sizes = n.counts = n.w.strides = n.w.base_dilations = n.w.window_dilations = WEBNN_EMPTY_LIST;
  for (d = 0; d < shape.count; d++) {
    int64_t padded, spread;
    append(&n.w.strides, chance(50) ? 1 : pick(1, 4));
    append(&n.w.base_dilations, chance(80) ? 1 : pick(2, 3));
    append(&n.w.window_dilations, chance(75) ? 1 : pick(2, 3));
    append(&n.sizes, chance(30) ? 1 : pick(1, shape.items[d] < 12 ? 4 : 30));
    n.w.padding_low[d] = chance(60) ? 0 : (int64_t)below(6) - 2;
    n.w.padding_high[d] = chance(60) ? 0 : (int64_t)below(6) - 2;
    spread = (int64_t)(n.sizes.items[d] - 1) * n.w.window_dilations.items[d] + 1;
    padded = (int64_t)(shape.items[d] - 1) * n.w.base_dilations.items[d] + 1 + n.w.padding_low[d] +
             n.w.padding_high[d];
    if (padded < spread) {
      n.w.padding_high[d] += spread - padded;
      padded = spread;
    }
    append(&n.counts, (uint32_t)((padded - spread) / n.w.strides.items[d] + 1));
  }
  return n;
}

/* Sums up to each element, or from it on: windows as large as one dimension. */
static windows cumulative_windows(void) {
  windows n;
  uint32_t d;
  memset(&n, 0, sizeof n);
  n.shape = n.counts = random_shape(1, 3, 40);
  n.sizes = n.w.strides = n.w.base_dilations = n.w.window_dilations = WEBNN_EMPTY_LIST;
  for (d = 0; d < n.shape.count; d++) {
    append(&n.sizes, 1);
    append(&n.w.strides, 1);
    append(&n.w.base_dilations, 1);
    append(&n.w.window_dilations, 1);
  }
  d = below(n.shape.count);
  n.sizes.items[d] = n.shape.items[d];
  *(chance(50) ? &n.w.padding_low[d] : &n.w.padding_high[d]) = (int64_t)n.shape.items[d] - 1;
  return n;
}

/* Windows over two dimensions of four, the last ones or those before the last. */
static windows pooling_windows(void) {
  windows n = random_windows_over(random_shape(4, 4, 7));
  const uint32_t alone = chance(50) ? 1 : 3;
  uint32_t d;
  for (d = 0; d < 4; d++) {
    const int64_t size = n.shape.items[d];
    int64_t spread;
    n.w.base_dilations.items[d] = 1;
    if (d == 0 || d == alone) {
      n.sizes.items[d] = n.w.strides.items[d] = 1;
      n.w.padding_low[d] = n.w.padding_high[d] = 0;
    }
    n.w.padding_low[d] = n.w.padding_low[d] < 0 ? 0 : n.w.padding_low[d];
    n.w.padding_high[d] = n.w.padding_high[d] < 0 ? 0 : n.w.padding_high[d];
    spread = (int64_t)(n.sizes.items[d] - 1) * n.w.window_dilations.items[d] + 1;
    if (size + n.w.padding_low[d] + n.w.padding_high[d] < spread) {
      n.w.padding_high[d] = spread - size - n.w.padding_low[d];
    }
    n.counts.items[d] = (uint32_t)((size + n.w.padding_low[d] + n.w.padding_high[d] - spread) /
                                   n.w.strides.items[d]) +
                        1;
  }
  return n;
}

static windows random_windows_of_any_kind(void) {
  switch (below(10)) {
  case 0:
  case 1:
    return cumulative_windows();
  case 2:
  case 3:
    return pooling_windows();
  case 4:
    return random_windows_over(random_shape(1, 2, 60));
  default:
    return random_windows_over(random_shape(0, 4, 7));
  }
}

/* The array's element at place `in` of window `window`; -1: padding. */
static int64_t window_element(const windows *n, const int64_t *window, const int64_t *in) {
  int64_t at[8];
  uint32_t d;
  for (d = 0; d < n->shape.count; d++) {
    const int64_t padded = window[d] * n->w.strides.items[d] +
                           in[d] * n->w.window_dilations.items[d] - n->w.padding_low[d];
    const int64_t dilation = n->w.base_dilations.items[d];
    if (padded < 0 || padded % dilation != 0) {
      return -1;
    }
    at[d] = padded / dilation;
  }
  return element_at(n->shape, at);
}

static void test_reduce_window(void) {
  const windows n = random_windows_of_any_kind();
  folding a = random_folding(n.shape);
  webnn_xla_value *x[2], *init[2];
  program p = open_program();
  int64_t window[8], in[8];
  size_t i, j, k;
  for (k = 0; k < a.count; k++) {
    a.result[k] = new_array(a.type, n.counts);
  }
  for (i = 0; i < a.result[0].count; i++) {
    double sum[2] = {0, 0}, next[2];
    indices_of(n.counts, i, window);
    for (k = 0; k < a.count; k++) {
      sum[k] = a.init[k].v[0];
    }
    for (j = 0; j < test_element_count(n.sizes); j++) {
      int64_t from;
      indices_of(n.sizes, j, in);
      from = window_element(&n, window, in);
      for (k = 0; k < a.count; k++) {
        next[k] = from < 0 ? a.init[k].v[0] : a.x[k].v[from];
      }
      if (from >= 0 || !a.is_neutral_known) {
        fold_in(&a, sum, next);
      }
    }
    for (k = 0; k < a.count; k++) {
      a.result[k].v[i] = sum[k];
    }
  }
  fold_values(&p, &a, x, init);
  check_program(&p,
                webnn_xla_reduce_window_many(p.b, x, init, a.count, fold_computation(p.module, &a),
                                             n.sizes, n.w),
                a.result, a.count, fold_name("reduce_window", &a));
  free_folding(&a);
}

/* ---- SelectAndScatter ------------------------------------------------------------------------ */

static bool compares(webnn_xla_operation op, double a, double b) {
  return op == WEBNN_XLA_LT   ? a < b
         : op == WEBNN_XLA_LE ? a <= b
         : op == WEBNN_XLA_GT ? a > b
         : op == WEBNN_XLA_GE ? a >= b
         : op == WEBNN_XLA_EQ ? a == b
                              : a != b;
}

static webnn_xla_operation random_comparison(void) {
  static const webnn_xla_operation ops[] = {WEBNN_XLA_GE, WEBNN_XLA_LE, WEBNN_XLA_GT, WEBNN_XLA_LT};
  return ops[below(4)];
}

static const webnn_xla_computation *comparison_of(webnn_xla_module *m, webnn_xla_operation op,
                                                  webnn_xla_type type) {
  const webnn_xla_shape scalar = webnn_xla_shape_of(type, WEBNN_EMPTY_LIST);
  webnn_xla_builder *b = webnn_xla_begin(m, "select");
  webnn_xla_value *x = webnn_xla_parameter(b, 0, scalar, NULL);
  webnn_xla_value *y = webnn_xla_parameter(b, 1, scalar, NULL);
  return webnn_xla_end(b, webnn_xla_binary(b, op, x, y, not_given));
}

static void test_select_and_scatter(void) {
  const windows n =
      random_windows_over(chance(15) ? random_shape(1, 2, 40) : random_shape(0, 4, 6));
  const webnn_xla_type type = random_type();
  const function f = random_function(type) == MUL ? ADD : random_function(type);
  const webnn_xla_operation op = random_comparison();
  array x = random_array(type, n.shape), source = random_array(type, n.counts);
  array init = random_array(type, WEBNN_EMPTY_LIST), result = new_array(type, n.shape);
  program p = open_program();
  webnn_xla_value *v[3];
  int64_t window[8], in[8];
  size_t i, j;
  for (i = 0; i < result.count; i++) {
    result.v[i] = init.v[0];
  }
  for (i = 0; i < source.count; i++) {
    int64_t best = -1;
    indices_of(n.counts, i, window);
    for (j = 0; j < test_element_count(n.sizes); j++) {
      int64_t from;
      indices_of(n.sizes, j, in);
      from = window_element(&n, window, in);
      if (from >= 0 && (best < 0 || !compares(op, x.v[best], x.v[from]))) {
        best = from;
      }
    }
    if (best >= 0) {
      result.v[best] = apply(f, type, result.v[best], source.v[i]);
    }
  }
  v[0] = value_of(&p, &x, false);
  v[1] = value_of(&p, &source, false);
  v[2] = value_of(&p, &init, chance(50));
  check_program(&p,
                webnn_xla_select_and_scatter_padded(p.b, v[0], comparison_of(p.module, op, type),
                                                    n.sizes, n.w, v[1], v[2],
                                                    computation_of(p.module, f, type)),
                &result, 1, "select_and_scatter");
  free_array(&x);
  free_array(&source);
  free_array(&init);
  free_array(&result);
}

/* ---- Sort ------------------------------------------------------------------------------------ */

/* Comparators: of one key, as it is or in the total order with JAX's choice of one zero and one NaN;
   of several keys as JAX has them; and what no key describes. */
typedef enum comparator {
  ONE_KEY,
  TOTAL,
  CHAIN,
  CHAIN_TOTAL,
  SQUARES,
  ALWAYS,
  DIFFERENT,
  COMPARATORS
} comparator;

typedef struct sorting {
  comparator kind;
  webnn_xla_operation op;
  bool is_swapped, is_canonical;
  size_t count; /* of operands; the last one numbers the elements */
  array x[4];
} sorting;

static bool takes_total_order(const sorting *s) {
  return s->kind == TOTAL || s->kind == CHAIN_TOTAL;
}

/* A float's place in the total order: NaN is beyond infinity, -0 just below 0. */
static double rank_of(const sorting *s, double x) {
  const double sign = signbit(x) ? -1 : 1;
  if (!takes_total_order(s)) {
    return x;
  }
  if (x != x) {
    return s->is_canonical ? HUGE_VAL : sign * HUGE_VAL;
  }
  if (x == 0) {
    return s->is_canonical || sign > 0 ? 0 : -1e-9;
  }
  return isinf(x) ? sign * 1e300 : x;
}

/* a before b? Both have an element of each operand. */
static bool compared(const sorting *s, const double *a, const double *b) {
  size_t k;
  if (s->is_swapped) {
    const double *c = a;
    a = b;
    b = c;
  }
  switch (s->kind) {
  case ONE_KEY:
  case TOTAL:
    return compares(s->op, rank_of(s, a[0]), rank_of(s, b[0]));
  case CHAIN:
  case CHAIN_TOTAL:
    for (k = 0; k + 2 < s->count; k++) {
      if (rank_of(s, a[k]) != rank_of(s, b[k])) {
        return compares(s->op, rank_of(s, a[k]), rank_of(s, b[k]));
      }
    }
    return compares(s->op, rank_of(s, a[k]), rank_of(s, b[k]));
  case SQUARES:
    return compares(s->op, a[0] * a[0], b[0] * b[0]);
  case ALWAYS:
    return true;
  default:
    return a[0] != b[0];
  }
}

static webnn_xla_value *canonical(webnn_xla_builder *b, webnn_xla_value *x, webnn_xla_type type) {
  array nan = new_array(type, WEBNN_EMPTY_LIST);
  webnn_xla_value *zero = webnn_xla_scalar(b, type, 0), *y;
  nan.v[0] = (double)NAN;
  y = webnn_xla_select(b, webnn_xla_eq(b, x, zero), zero, x);
  y = webnn_xla_select(b, webnn_xla_ne(b, x, x), constant_of(b, &nan), y);
  free_array(&nan);
  return y;
}

static webnn_xla_value *compare_key(webnn_xla_builder *b, const sorting *s, webnn_xla_operation op,
                                    size_t k, webnn_xla_value *const *p) {
  webnn_xla_value *x = p[2 * k + (s->is_swapped ? 1 : 0)];
  webnn_xla_value *y = p[2 * k + (s->is_swapped ? 0 : 1)];
  if (!takes_total_order(s) || !is_float(s->x[k].type)) {
    return webnn_xla_binary(b, op, x, y, not_given);
  }
  if (s->is_canonical) {
    x = canonical(b, x, s->x[k].type);
    y = canonical(b, y, s->x[k].type);
  }
  return webnn_xla_compare_total_order(b, op, x, y);
}

static const webnn_xla_computation *comparator_of(webnn_xla_module *m, const sorting *s) {
  webnn_xla_builder *b = webnn_xla_begin(m, "comparator");
  webnn_xla_value *p[8], *root = NULL;
  const bool yes = true;
  size_t k;
  for (k = 0; k < 2 * s->count; k++) {
    p[k] = webnn_xla_parameter(b, k, webnn_xla_shape_of(s->x[k / 2].type, WEBNN_EMPTY_LIST), NULL);
  }
  switch (s->kind) {
  case ONE_KEY:
  case TOTAL:
    root = compare_key(b, s, s->op, 0, p);
    break;
  case CHAIN:
  case CHAIN_TOTAL:
    for (k = s->count - 1; k-- > 0;) {
      webnn_xla_value *less = compare_key(b, s, s->op, k, p);
      root =
          root ? webnn_xla_logical_or(
                     b, less, webnn_xla_logical_and(b, compare_key(b, s, WEBNN_XLA_EQ, k, p), root))
               : less;
    }
    break;
  case SQUARES:
    p[0] = webnn_xla_mul(b, p[0], p[0]);
    p[1] = webnn_xla_mul(b, p[1], p[1]);
    root = compare_key(b, s, s->op, 0, p);
    break;
  case ALWAYS:
    root = webnn_xla_constant(b, webnn_xla_shape_of(WEBNN_XLA_PRED, WEBNN_EMPTY_LIST), &yes, 1);
    break;
  default:
    root = webnn_xla_ne(b, p[0], p[1]);
    break;
  }
  return webnn_xla_end(b, root);
}

static sorting random_sorting(webnn_list shape) {
  static const double special[] = {
      0, -0.0, (double)NAN, -(double)NAN, (double)INFINITY, -(double)INFINITY};
  sorting s;
  size_t k, i;
  memset(&s, 0, sizeof s);
  s.kind = (comparator)below(COMPARATORS);
  s.op = random_comparison();
  s.is_swapped = chance(30);
  s.is_canonical = chance(60);
  s.count = s.kind == CHAIN || s.kind == CHAIN_TOTAL ? pick(2, 4) : pick(1, 3);
  if (s.kind == CHAIN || s.kind == CHAIN_TOTAL) { /* only the last key may say "or equal" */
    s.op = chance(50) ? WEBNN_XLA_LT : WEBNN_XLA_GT;
  }
  for (k = 0; k + 1 < s.count || k == 0; k++) {
    s.x[k] = random_array(random_type(), shape);
    if (s.kind == SQUARES && !is_float(s.x[k].type)) {
      free_array(&s.x[k]);
      s.x[k] = random_array(WEBNN_XLA_S32, shape);
    }
    for (i = 0; i < s.x[k].count && bits_of(s.x[k].type) == 64 && !is_float(s.x[k].type); i++) {
      s.x[k].v[i] = ldexp(s.x[k].v[i], is_signed(s.x[k].type) ? 60 : 61);
    }
    for (i = 0; i < s.x[k].count && takes_total_order(&s) && is_float(s.x[k].type); i++) {
      s.x[k].v[i] = chance(30) ? special[below(6)] : s.x[k].v[i];
    }
  }
  if (s.count > 1) {
    s.x[s.count - 1] = new_array(WEBNN_XLA_S32, shape);
    for (i = 0; i < s.x[0].count; i++) {
      s.x[s.count - 1].v[i] = (double)i;
    }
  }
  return s;
}

static void element_of(const sorting *s, size_t i, double *element) {
  size_t k;
  for (k = 0; k < s->count; k++) {
    element[k] = s->x[k].v[i];
  }
}

/* Sorts a line of elements first, first + step, ... by insertion: the definition of a stable order.
   `to` are copies of the operands. */
static void sort_line(const sorting *s, size_t first, size_t step, size_t n, array *to) {
  size_t *order = (size_t *)test_allocate(n * sizeof *order), i, j, k;
  for (i = 0; i < n; i++) {
    for (j = i; j > 0; j--) {
      double a[4], b[4];
      element_of(s, first + i * step, a);
      element_of(s, order[j - 1], b);
      if (!compared(s, a, b) || compared(s, b, a)) {
        break;
      }
      order[j] = order[j - 1];
    }
    order[j] = first + i * step;
  }
  for (i = 0; i < n; i++) {
    for (k = 0; k < s->count; k++) {
      to[k].v[first + i * step] = s->x[k].v[order[i]];
    }
  }
  free(order);
}

static void test_sort(void) {
  const webnn_list shape = random_shape(1, 3, chance(20) ? 50 : 9);
  sorting s = random_sorting(shape);
  const uint32_t dimension = below(shape.count);
  const size_t n = shape.items[dimension];
  array sorted[4];
  webnn_xla_value *x[4];
  program p = open_program();
  char name[32];
  size_t inner = 1, i, k;
  for (i = dimension + 1; i < shape.count; i++) {
    inner *= shape.items[i];
  }
  for (k = 0; k < s.count; k++) {
    sorted[k] = copy_array(&s.x[k]);
    x[k] = value_of(&p, &s.x[k], false);
  }
  for (i = 0; i < s.x[0].count; i++) {
    if (i / inner % n == 0) {
      sort_line(&s, i, inner, n, sorted);
    }
  }
  snprintf(name, sizeof name, "sort %d", (int)s.kind);
  check_program(&p, webnn_xla_sort_many(p.b, x, s.count, comparator_of(p.module, &s), dimension),
                sorted, s.count, name);
  for (k = 0; k < s.count; k++) {
    free_array(&sorted[k]);
    free_array(&s.x[k]);
  }
}

/* ---- Examples of the texts ------------------------------------------------------------------- */

static array array_of(webnn_xla_type type, webnn_list shape, const double *values) {
  array a = new_array(type, shape);
  memcpy(a.v, values, a.count * sizeof *a.v);
  return a;
}

#define VALUES(...) ((const double[]){__VA_ARGS__})

/* One array and one result. */
typedef webnn_xla_value *(*example_operation)(program *p, webnn_xla_value *x);

static void example(const char *name, array x, example_operation operation, array expected) {
  program p = open_program();
  check_program(&p, operation(&p, value_of(&p, &x, false)), &expected, 1, name);
  free_array(&x);
  free_array(&expected);
}

static webnn_xla_value *f32(program *p, double number) {
  return webnn_xla_scalar(p->b, WEBNN_XLA_F32, number);
}

static webnn_xla_value *sum_over(program *p, webnn_xla_value *x, webnn_list dims) {
  return webnn_xla_reduce(p->b, x, f32(p, 0), computation_of(p->module, ADD, WEBNN_XLA_F32), dims);
}
static webnn_xla_value *sum_0(program *p, webnn_xla_value *x) {
  return sum_over(p, x, WEBNN_LIST(0));
}
static webnn_xla_value *sum_2(program *p, webnn_xla_value *x) {
  return sum_over(p, x, WEBNN_LIST(2));
}
static webnn_xla_value *sum_01(program *p, webnn_xla_value *x) {
  return sum_over(p, x, WEBNN_LIST(0, 1));
}
static webnn_xla_value *sum_012(program *p, webnn_xla_value *x) {
  return sum_over(p, x, WEBNN_LIST(0, 1, 2));
}
static webnn_xla_value *largest_of_windows(program *p, webnn_xla_value *x) {
  return webnn_xla_reduce_window(p->b, x, f32(p, -3.4028234663852886e38),
                                 computation_of(p->module, MAX, WEBNN_XLA_F32), WEBNN_LIST(2, 3),
                                 WEBNN_LIST(2, 3), WEBNN_XLA_VALID);
}
static webnn_xla_value *scatter_to_nine(program *p, webnn_xla_value *x) {
  array source = array_of(WEBNN_XLA_F32, WEBNN_LIST(2), VALUES(2, 6));
  webnn_xla_value *v = webnn_xla_select_and_scatter(
      p->b, x, comparison_of(p->module, WEBNN_XLA_GE, WEBNN_XLA_F32), WEBNN_LIST(3), WEBNN_LIST(2),
      WEBNN_XLA_VALID, constant_of(p->b, &source), f32(p, 0),
      computation_of(p->module, ADD, WEBNN_XLA_F32));
  free_array(&source);
  return v;
}
static webnn_xla_value *s32_vector(program *p, uint32_t n, const double *values) {
  array a = array_of(WEBNN_XLA_S32, list_of(1, &n), values);
  webnn_xla_value *v = value_of(p, &a, true);
  free_array(&a);
  return v;
}
static webnn_xla_value *slice_2(program *p, webnn_xla_value *x) {
  webnn_xla_value *start = s32_vector(p, 1, VALUES(2));
  return webnn_xla_dynamic_slice(p->b, x, &start, 1, WEBNN_LIST(2));
}
static webnn_xla_value *slice_21(program *p, webnn_xla_value *x) {
  webnn_xla_value *start = s32_vector(p, 2, VALUES(2, 1));
  return webnn_xla_dynamic_slice(p->b, x, &start, 1, WEBNN_LIST(2, 2));
}
static webnn_xla_value *update_2(program *p, webnn_xla_value *x) {
  array u = array_of(WEBNN_XLA_F32, WEBNN_LIST(2), VALUES(5, 6));
  webnn_xla_value *start = s32_vector(p, 1, VALUES(2)), *update = constant_of(p->b, &u);
  free_array(&u);
  return webnn_xla_dynamic_update_slice(p->b, x, update, &start, 1);
}
static webnn_xla_value *update_11(program *p, webnn_xla_value *x) {
  array u = array_of(WEBNN_XLA_F32, WEBNN_LIST(3, 2), VALUES(12, 13, 14, 15, 16, 17));
  webnn_xla_value *start = s32_vector(p, 2, VALUES(1, 1)), *update = constant_of(p->b, &u);
  free_array(&u);
  return webnn_xla_dynamic_update_slice(p->b, x, update, &start, 1);
}
static webnn_xla_value *ascending(program *p, webnn_xla_value *x) {
  return webnn_xla_sort(p->b, x);
}

static array counting(webnn_list shape) {
  array a = new_array(WEBNN_XLA_F32, shape);
  size_t i;
  for (i = 0; i < a.count; i++) {
    a.v[i] = (double)i;
  }
  return a;
}

/* [4, 2, 3] of {{1, 2, 3}, {4, 5, 6}} */
static array four_slices(void) {
  array a = counting(WEBNN_LIST(4, 2, 3));
  size_t i;
  for (i = 0; i < a.count; i++) {
    a.v[i] = (double)(i % 6 + 1);
  }
  return a;
}

#define F32(shape, ...) array_of(WEBNN_XLA_F32, shape, VALUES(__VA_ARGS__))

static void examples(void) {
  const webnn_list scalar = WEBNN_EMPTY_LIST;
  example("10, 11, 12, 13", F32(WEBNN_LIST(4), 10, 11, 12, 13), sum_0, F32(scalar, 46));
  example("reduce {0}", four_slices(), sum_0, F32(WEBNN_LIST(2, 3), 4, 8, 12, 16, 20, 24));
  example("reduce {2}", four_slices(), sum_2, F32(WEBNN_LIST(4, 2), 6, 15, 6, 15, 6, 15, 6, 15));
  example("reduce {0, 1}", four_slices(), sum_01, F32(WEBNN_LIST(3), 20, 28, 36));
  example("reduce all", four_slices(), sum_012, F32(scalar, 84));
  example("windows of 2 x 3", counting(WEBNN_LIST(4, 6)), largest_of_windows,
          F32(WEBNN_LIST(2, 2), 8, 11, 20, 23));
  example("both windows select 9", F32(WEBNN_LIST(5), 1, 2, 9, 3, 4), scatter_to_nine,
          F32(WEBNN_LIST(5), 0, 0, 8, 0, 0));
  example("dynamic slice {2}", counting(WEBNN_LIST(5)), slice_2, F32(WEBNN_LIST(2), 2, 3));
  example("dynamic slice {2, 1}", counting(WEBNN_LIST(4, 3)), slice_21,
          F32(WEBNN_LIST(2, 2), 7, 8, 10, 11));
  example("dynamic update {2}", counting(WEBNN_LIST(5)), update_2,
          F32(WEBNN_LIST(5), 0, 1, 5, 6, 4));
  example("dynamic update {1, 1}", counting(WEBNN_LIST(4, 3)), update_11,
          F32(WEBNN_LIST(4, 3), 0, 1, 2, 3, 12, 13, 6, 14, 15, 9, 16, 17));
  example("sort", F32(WEBNN_LIST(2, 4), 3, -1, 2, 0, NAN, 5, -INFINITY, INFINITY), ascending,
          F32(WEBNN_LIST(2, 4), -1, 0, 2, 3, -INFINITY, 5, INFINITY, NAN));
}

/* ---- What the specification of StableHLO shows ------------------------------------------------ */

static void stablehlo_examples(void) {
  array x = new_array(WEBNN_XLA_S64, WEBNN_LIST(4, 2)), source, init, result;
  program p = open_program();
  webnn_xla_window w;
  memset(&w, 0, sizeof w);
  w.strides = WEBNN_LIST(2, 1);
  w.padding_high[0] = 1;
  memcpy(x.v, VALUES(1, 5, 2, 5, 3, 6, 4, 4), 8 * sizeof *x.v);
  source = array_of(WEBNN_XLA_S64, WEBNN_LIST(2, 2), VALUES(5, 6, 7, 8));
  init = array_of(WEBNN_XLA_S64, WEBNN_EMPTY_LIST, VALUES(0));
  result = array_of(WEBNN_XLA_S64, WEBNN_LIST(4, 2), VALUES(0, 0, 0, 0, 5, 14, 7, 0));
  check_program(&p,
                webnn_xla_select_and_scatter_padded(
                    p.b, value_of(&p, &x, false),
                    comparison_of(p.module, WEBNN_XLA_GE, WEBNN_XLA_S64), WEBNN_LIST(3, 1), w,
                    value_of(&p, &source, false), value_of(&p, &init, true),
                    computation_of(p.module, ADD, WEBNN_XLA_S64)),
                &result, 1, "select_and_scatter of the specification");
  free_array(&x);
  free_array(&source);
  free_array(&init);
  free_array(&result);
}

/* ---- Large ones ------------------------------------------------------------------------------ */

/* A histogram: many updates of few cells, and as many cells as updates. */
static void many_updates(uint32_t cells, uint32_t count) {
  array x = new_array(WEBNN_XLA_S32, list_of(1, &cells)), indices, updates, result;
  const uint32_t matrix[] = {count, 1};
  program p = open_program();
  webnn_xla_scatter_options o;
  webnn_xla_value *operand = value_of(&p, &x, false), *update;
  size_t i;
  indices = new_array(WEBNN_XLA_S32, list_of(2, matrix));
  updates = random_array(WEBNN_XLA_S32, list_of(1, &count));
  result = copy_array(&x);
  for (i = 0; i < count; i++) {
    indices.v[i] = below(cells);
    result.v[(size_t)indices.v[i]] += updates.v[i];
  }
  memset(&o, 0, sizeof o);
  o.inserted_window_dims = o.scatter_dims_to_operand_dims = WEBNN_LIST(0);
  o.update_window_dims = o.input_batching_dims = WEBNN_EMPTY_LIST;
  o.scatter_indices_batching_dims = WEBNN_EMPTY_LIST;
  o.index_vector_dim = 1;
  update = value_of(&p, &updates, false);
  check_program(&p,
                webnn_xla_scatter(p.b, &operand, 1, value_of(&p, &indices, false), &update,
                                  computation_of(p.module, ADD, WEBNN_XLA_S32), o),
                &result, 1, "many updates");
  free_array(&x);
  free_array(&indices);
  free_array(&updates);
  free_array(&result);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

/* The message of the first mistake must have these words. */
static void refused(program *p, const webnn_xla_value *value, const char *name, const char *words) {
  const char *message = webnn_xla_module_message(p->module);
  CHECK(name, value == NULL && strstr(message, words) != NULL,
        "expected \"... %s ...\", got \"%s\"", words, message);
  webnn_xla_free_module(p->module);
}

static webnn_xla_value *parameter(program *p, webnn_xla_type type, webnn_list shape) {
  return webnn_xla_parameter(p->b, p->input_count++, webnn_xla_shape_of(type, shape), NULL);
}

static void refusals_of_slices(void) {
  program p = open_program();
  webnn_xla_value *x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  webnn_xla_value *start = parameter(&p, WEBNN_XLA_S32, WEBNN_LIST(3));
  refused(&p, webnn_xla_dynamic_slice(p.b, x, &start, 1, WEBNN_LIST(2, 2)), "three starts",
          "must have 2 elements");
  p = open_program();
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  start = parameter(&p, WEBNN_XLA_S32, WEBNN_LIST(2));
  refused(&p, webnn_xla_dynamic_slice(p.b, x, &start, 1, WEBNN_LIST(2, 4)), "a slice too large",
          "is larger than");
  p = open_program();
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  start = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(2));
  refused(&p, webnn_xla_dynamic_slice(p.b, x, &start, 1, WEBNN_LIST(2, 2)), "starts of floats",
          "must be an integer");
  p = open_program();
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  start = parameter(&p, WEBNN_XLA_S32, WEBNN_LIST(2));
  refused(&p,
          webnn_xla_dynamic_update_slice(p.b, x, parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(5, 1)),
                                         &start, 1),
          "an update too large", "no part of");
}

static void refusals_of_folds(void) {
  program p = open_program();
  webnn_xla_value *x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  refused(&p,
          webnn_xla_reduce(p.b, x, webnn_xla_scalar(p.b, WEBNN_XLA_S32, 0),
                           computation_of(p.module, ADD, WEBNN_XLA_F32), WEBNN_LIST(0)),
          "an initial value of another type", "the initial value");
  p = open_program();
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  refused(&p, sum_2(&p, x), "a dimension that is not there", "dimension");
  p = open_program();
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  refused(&p,
          webnn_xla_reduce(p.b, x, f32(&p, 0), computation_of(p.module, ADD, WEBNN_XLA_S32),
                           WEBNN_LIST(0)),
          "a function of another type", "must be a scalar of type F32");
  p = open_program();
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  refused(&p,
          webnn_xla_reduce_window(p.b, x, f32(&p, 0), computation_of(p.module, ADD, WEBNN_XLA_F32),
                                  WEBNN_LIST(5, 1), WEBNN_LIST(1, 1), WEBNN_XLA_VALID),
          "a window too large", "empty");
  p = open_program();
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  refused(&p,
          webnn_xla_sort_many(p.b, &x, 1, comparison_of(p.module, WEBNN_XLA_LT, WEBNN_XLA_F32), 2),
          "sort along no dimension", "has no dimension 2");
  p = open_program();
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4, 3));
  refused(&p, webnn_xla_sort_many(p.b, &x, 1, computation_of(p.module, ADD, WEBNN_XLA_F32), 0),
          "sort by a sum", "must be PRED");
}

/* What no program can express: in a function of scalars that stand for all elements. */
static void refusal_of_program(void) {
  program p = open_program();
  const webnn_xla_shape scalar = webnn_xla_shape_of(WEBNN_XLA_F32, WEBNN_EMPTY_LIST);
  webnn_xla_builder *b = webnn_xla_begin(p.module, "with a loop inside");
  webnn_xla_value *x = webnn_xla_parameter(b, 0, scalar, NULL);
  webnn_xla_value *y = webnn_xla_parameter(b, 1, scalar, NULL);
  webnn_xla_value *two = webnn_xla_broadcast(b, webnn_xla_add(b, x, y), WEBNN_LIST(2));
  const webnn_xla_computation *f, *c;
  webnn_xla_program *compiled = NULL;
  webnn_error error = WEBNN_ZERO;
  f = webnn_xla_end(
      b, webnn_xla_reduce(b, two, x, computation_of(p.module, ADD, WEBNN_XLA_F32), WEBNN_LIST(0)));
  x = parameter(&p, WEBNN_XLA_F32, WEBNN_LIST(4));
  c = webnn_xla_end(p.b, webnn_xla_reduce(p.b, x, f32(&p, 0), f, WEBNN_LIST(0)));
  CHECK("a fold in a function of scalars",
        webnn_xla_compile(contexts[0], c, NULL, &compiled, &error) == WEBNN_NOT_SUPPORTED_ERROR &&
            compiled == NULL && strstr(error.message, "applied to each element"),
        "got %d \"%s\" (%s)", (int)error.status, error.message, webnn_xla_module_message(p.module));
  webnn_xla_free_program(compiled);
  webnn_xla_free_module(p.module);
}

int main(int count, char **arguments) {
  webnn_context_options options;
  const int rounds = count > 1 ? atoi(arguments[1]) : 400;
  int i;
  memset(&options, 0, sizeof options);
  contexts[0] = test_context(&options);
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  contexts[1] = test_context(&options);
  for (i = 0; i < rounds; i++) {
    test_dynamic();
    test_gather();
    test_scatter();
    test_scatter_two();
    test_reduce();
    test_reduce_window();
    test_select_and_scatter();
    test_sort();
  }
  examples();
  stablehlo_examples();
  many_updates(7, 5000);
  many_updates(100000, 100000);
  refusals_of_slices();
  refusals_of_folds();
  refusal_of_program();
  CHECK("steps", step_counts[WEBNN_XLA_STEP_LOOP] > 0 && step_counts[WEBNN_XLA_STEP_SORT] > 0,
        "no scatter was made in rounds of the host, or nothing was sorted");
  webnn_free_context(contexts[0]);
  webnn_free_context(contexts[1]);
  return test_end();
}
