/* The fast kernels that only move elements, against the reference: the same bits for every
   operator, size of elements, instruction set and number of threads. Shapes are random, from tiny
   to larger than a block; indices go beyond both ends and repeat. Result tensors lie in memory of
   the test, with a margin whose bytes must stay as they were. */
#include "machines.h"
#include "random.h"

#define MARGIN 64
#define MAX_BYTES (1 << 22)

/* One operator on one input. */
typedef struct problem {
  webnn_op op;
  webnn_data_type type, index_type;
  uint32_t rank, dimensions[8]; /* of the input */
  uint32_t list_a[8], list_b[8], list_c[8];
  uint32_t index_rank, index_dimensions[8];
  uint32_t update_rank, update_dimensions[8];
  uint32_t axis, parts;
  int mode;
  bool flag;
} problem;

#define MAX_OUTPUTS 5

static webnn_operand *make_one(webnn_builder *b, const problem *p, webnn_operand *x,
                               webnn_operand *indices, webnn_operand *updates) {
  const webnn_list a = webnn_list_of(p->list_a, p->rank), c = webnn_list_of(p->list_b, p->rank);
  switch (p->op) {
  case WEBNN_OP_TRANSPOSE: {
    webnn_transpose_options o;
    memset(&o, 0, sizeof o);
    o.permutation = a;
    return webnn_transpose(b, x, &o);
  }
  case WEBNN_OP_REVERSE: {
    webnn_reverse_options o;
    memset(&o, 0, sizeof o);
    o.axes = webnn_list_of(p->list_a, p->parts);
    return webnn_reverse(b, x, &o);
  }
  case WEBNN_OP_SLICE: {
    webnn_slice_options o;
    memset(&o, 0, sizeof o);
    o.strides = webnn_list_of(p->list_c, p->rank);
    return webnn_slice(b, x, a, c, &o);
  }
  case WEBNN_OP_EXPAND:
    return webnn_expand(b, x, webnn_list_of(p->list_a, p->parts), NULL);
  case WEBNN_OP_TILE:
    return webnn_tile(b, x, a, NULL);
  case WEBNN_OP_PAD: {
    webnn_pad_options o;
    memset(&o, 0, sizeof o);
    o.mode = (webnn_padding_mode)p->mode;
    o.value = webnn_f64(77);
    return webnn_pad(b, x, a, c, &o);
  }
  case WEBNN_OP_TRIANGULAR: {
    webnn_triangular_options o;
    memset(&o, 0, sizeof o);
    o.lower = !p->flag;
    o.diagonal = p->mode;
    return webnn_triangular(b, x, &o);
  }
  case WEBNN_OP_GATHER:
  case WEBNN_OP_GATHER_ELEMENTS: {
    webnn_gather_options o;
    memset(&o, 0, sizeof o);
    o.axis = p->axis;
    return p->op == WEBNN_OP_GATHER ? webnn_gather(b, x, indices, &o)
                                    : webnn_gather_elements(b, x, indices, &o);
  }
  case WEBNN_OP_GATHER_ND:
    return webnn_gather_nd(b, x, indices, NULL);
  case WEBNN_OP_SCATTER_ELEMENTS: {
    webnn_scatter_options o;
    memset(&o, 0, sizeof o);
    o.axis = p->axis;
    return webnn_scatter_elements(b, x, indices, updates, &o);
  }
  default:
    return webnn_scatter_nd(b, x, indices, updates, NULL);
  }
}

static size_t make_outputs(webnn_builder *b, const problem *p, webnn_operand *x,
                           webnn_operand *indices, webnn_operand *updates, webnn_operand **y) {
  if (p->op == WEBNN_OP_CONCAT) { /* the input, and reversals of slices of it */
    webnn_operand *parts[4];
    uint32_t i;
    parts[0] = x;
    for (i = 1; i < p->parts; i++) {
      uint32_t starts[8] = {0}, sizes[8];
      memcpy(sizes, p->dimensions, sizeof sizes);
      sizes[p->axis] = 1 + i % p->dimensions[p->axis];
      parts[i] =
          webnn_slice(b, x, webnn_list_of(starts, p->rank), webnn_list_of(sizes, p->rank), NULL);
    }
    y[0] = webnn_concat(b, parts, p->parts, p->axis, NULL);
    return 1;
  }
  if (p->op == WEBNN_OP_SPLIT) {
    webnn_split_options o;
    memset(&o, 0, sizeof o);
    o.axis = p->axis;
    return webnn_split_sizes(b, x, p->list_a, p->parts, &o, y);
  }
  y[0] = make_one(b, p, x, indices, updates);
  return 1;
}

static webnn_tensor *make_tensor(webnn_context *context, webnn_data_type type, webnn_list shape,
                                 const void *data) {
  webnn_tensor_descriptor d;
  webnn_tensor *tensor = NULL;
  d.data_type = type;
  d.shape = shape;
  d.readable = d.writable = true;
  if (webnn_create_tensor(context, d, &tensor, NULL) != WEBNN_OK ||
      webnn_write_tensor(context, tensor, data,
                         test_element_count(shape) * webnn_data_type_bits(type) / 8,
                         NULL) != WEBNN_OK) {
    printf("no tensor\n");
    exit(1);
  }
  return tensor;
}

static webnn_operand *make_input(webnn_builder *b, const char *name, webnn_data_type type,
                                 webnn_list shape) {
  webnn_operand_descriptor d;
  d.data_type = type;
  d.shape = shape;
  return webnn_input(b, name, d);
}

/* Of every second problem data and results are aligned to one element and to no more: sanitizers see
   where they are read through a wider type. */
static size_t element; /* that element's size, or 0 */

static webnn_tensor *tensor_over(webnn_context *context, webnn_data_type type, webnn_list shape,
                                 const char *data) {
  webnn_tensor_descriptor d = WEBNN_ZERO;
  webnn_tensor *tensor = NULL;
  d.data_type = type;
  d.shape = shape;
  if (webnn_create_tensor_over_memory(context, d, (void *)(uintptr_t)data,
                                      test_element_count(shape) * webnn_data_type_bits(type) / 8,
                                      &tensor, NULL) != WEBNN_OK) {
    printf("no tensor\n");
    exit(1);
  }
  return tensor;
}

/* The outputs one after the other in `result`; how many bytes, 0 if something failed. */
static size_t run(const machine *m, const problem *p, const char *data, const void *indices,
                  char *result) {
  static const char *const names[MAX_OUTPUTS] = {"0", "1", "2", "3", "4"};
  static const char *const inputs[3] = {"x", "indices", "updates"};
  const webnn_list shapes[3] = {webnn_list_of(p->dimensions, p->rank),
                                webnn_list_of(p->index_dimensions, p->index_rank),
                                webnn_list_of(p->update_dimensions, p->update_rank)};
  const webnn_data_type types[3] = {p->type, p->index_type, p->type};
  const bool indexed = p->op == WEBNN_OP_GATHER || p->op == WEBNN_OP_GATHER_ELEMENTS ||
                       p->op == WEBNN_OP_GATHER_ND || p->op == WEBNN_OP_SCATTER_ELEMENTS ||
                       p->op == WEBNN_OP_SCATTER_ND;
  const bool scatters = p->op == WEBNN_OP_SCATTER_ELEMENTS || p->op == WEBNN_OP_SCATTER_ND;
  const size_t input_count = scatters ? 3 : indexed ? 2 : 1;
  webnn_builder *b = test_builder(m->context);
  webnn_operand *x[3] = {NULL, NULL, NULL}, *y[MAX_OUTPUTS] = {NULL};
  webnn_named_operand named[MAX_OUTPUTS];
  webnn_named_tensor in[3], out[MAX_OUTPUTS];
  webnn_tensor *tensors[3 + MAX_OUTPUTS] = {NULL};
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t count, i, bytes[MAX_OUTPUTS], places[MAX_OUTPUTS], at = 0;
  bool ok;
  for (i = 0; i < input_count; i++) {
    x[i] = make_input(b, inputs[i], types[i], shapes[i]);
    tensors[i] = i == 1 ? make_tensor(m->context, types[i], shapes[i], indices)
                        : tensor_over(m->context, types[i], shapes[i], data + MARGIN * i + element);
    in[i].name = inputs[i];
    in[i].tensor = tensors[i];
  }
  count = make_outputs(b, p, x[0], x[1], x[2], y);
  for (i = 0; i < count; i++) {
    webnn_tensor_descriptor d;
    d.data_type = p->type;
    d.shape = webnn_operand_shape(y[i]);
    d.readable = d.writable = true;
    bytes[i] = test_element_count(d.shape) * webnn_data_type_bits(p->type) / 8;
    places[i] = (bytes[i] + 2 * MARGIN - 1) / MARGIN * MARGIN;
    memset(result + at, 0xa5, places[i]);
    ok = y[i] != NULL && webnn_create_tensor_over_memory(m->context, d, result + at, bytes[i],
                                                         &tensors[3 + i], NULL) == WEBNN_OK;
    if (!ok) {
      break;
    }
    named[i].name = out[i].name = names[i];
    named[i].operand = y[i];
    out[i].tensor = tensors[3 + i];
    at += places[i];
  }
  ok = i == count && count > 0 && webnn_build(b, named, count, &graph, &error) == WEBNN_OK &&
       webnn_dispatch(m->context, graph, in, input_count, out, count, &error) == WEBNN_OK &&
       webnn_wait(m->context, &error) == WEBNN_OK;
  if (i < count) {
    webnn_build(b, named, count, &graph, &error);
  }
  if (!CHECK(webnn_op_name(p->op), ok, "%s: input %s: %s", m->name, test_shape_text(shapes[0]),
             error.message)) {
    at = 0;
  }
  for (i = 0; i < 3 + MAX_OUTPUTS; i++) {
    webnn_free_tensor(tensors[i]);
  }
  webnn_free_graph(graph);
  webnn_free_builder(b);
  return at;
}

static void check(const problem *p, const char *data, const void *indices) {
  static char memory[2][2 * MAX_BYTES + 16 * MARGIN];
  char *expected = memory[0] + (MARGIN - (uintptr_t)memory[0] % MARGIN);
  char *got = memory[1] + (MARGIN - (uintptr_t)memory[1] % MARGIN);
  machine exact = WEBNN_ZERO;
  size_t bytes, m, i;
  exact.context = reference;
  exact.threads = 1;
  snprintf(exact.name, sizeof exact.name, "reference");
  element = element > 0 ? 0 : webnn_data_type_bits(p->type) / 8;
  expected += element;
  got += element;
  bytes = run(&exact, p, data, indices, expected);
  for (m = 0; bytes > 0 && m < machine_count; m++) {
    if (run(&machines[m], p, data, indices, got) != bytes) {
      continue;
    }
    for (i = 0; i < bytes && expected[i] == got[i]; i++) {
    }
    CHECK(webnn_op_name(p->op), i == bytes, "%s: %s of %u bits, axis %u, mode %d: byte %lu differs",
          machines[m].name, test_shape_text(webnn_list_of(p->dimensions, p->rank)),
          (unsigned)webnn_data_type_bits(p->type), (unsigned)p->axis, p->mode, (unsigned long)i);
  }
}

/* A rank and dimensions with at most `most` elements, sometimes one or two long ones. */
static size_t choose_shape(problem *p, uint32_t min_rank, size_t most) {
  size_t count = 1;
  uint32_t i;
  p->rank = min_rank + below(6);
  p->rank = p->rank > 8 ? 8 : p->rank;
  for (i = 0; i < p->rank; i++) {
    const uint32_t top = below(4) == 0 ? 300 : below(3) == 0 ? 40 : 8;
    uint32_t size = 1 + below(top);
    while (count * size > most) {
      size = (size + 1) / 2;
      if (size == 1) {
        break;
      }
    }
    p->dimensions[i] = count * size > most ? 1 : size;
    count *= p->dimensions[i];
  }
  return count;
}

static void shuffle(uint32_t *items, uint32_t count) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    items[i] = i;
  }
  for (i = count; i > 1; i--) {
    const uint32_t j = below(i), keep = items[i - 1];
    items[i - 1] = items[j];
    items[j] = keep;
  }
}

/* What the operator needs beside the input; the result stays small. */
static void choose_options(problem *p) {
  const uint32_t n = p->rank;
  size_t room = MAX_BYTES / 8;
  uint32_t i;
  for (i = 0; i < n; i++) {
    room /= p->dimensions[i];
  }
  p->axis = n > 0 ? below(n) : 0;
  p->flag = below(2) == 0;
  for (i = 0; i < n; i++) {
    const uint32_t size = p->dimensions[i];
    switch (p->op) {
    case WEBNN_OP_SLICE:
      p->list_a[i] = below(3) == 0 ? below(size) : 0;
      p->list_b[i] = below(2) == 0 ? size - p->list_a[i] : 1 + below(size - p->list_a[i]);
      p->list_c[i] = below(2) == 0 ? 1 : 1 + below(p->list_b[i]);
      break;
    case WEBNN_OP_TILE:
      p->list_a[i] = below(2) == 0 || room < 2 ? 1 : 1 + below(room < 9 ? (uint32_t)room : 9);
      room /= p->list_a[i];
      break;
    case WEBNN_OP_PAD: {
      const uint32_t most = p->mode == WEBNN_PADDING_REFLECTION  ? size - 1
                            : p->mode == WEBNN_PADDING_SYMMETRIC ? size
                                                                 : 4;
      const uint32_t least = most < 4 ? most : 4;
      p->list_a[i] = below(2) == 0 || room < 2 * 9 ? 0 : below(least + 1);
      p->list_b[i] = below(2) == 0 || room < 2 * 9 ? 0 : below(least + 1);
      room /= 1 + (p->list_a[i] + p->list_b[i] + size - 1) / size;
      break;
    }
    default:
      break;
    }
  }
  if (p->op == WEBNN_OP_TRANSPOSE) {
    shuffle(p->list_a, n);
  } else if (p->op == WEBNN_OP_REVERSE) {
    shuffle(p->list_a, n);
    p->parts = below(n + 1);
  } else if (p->op == WEBNN_OP_TRIANGULAR) {
    p->mode = (int)below(40) - 20;
  } else if (p->op == WEBNN_OP_CONCAT) {
    p->parts = 1 + below(4);
  } else if (p->op == WEBNN_OP_SPLIT) {
    uint32_t left = p->dimensions[p->axis];
    p->parts = 0;
    while (left > 0) {
      const uint32_t size = p->parts == MAX_OUTPUTS - 1 ? left : 1 + below(left);
      p->list_a[p->parts++] = size;
      left -= size;
    }
  } else if (p->op == WEBNN_OP_EXPAND) { /* some dimensions are 1 and grow, some come in front */
    const uint32_t front = n < 8 ? below(9 - n) : 0;
    p->parts = front + n;
    for (i = 0; i < p->parts; i++) {
      const uint32_t size = i < front ? 1 : p->dimensions[i - front];
      const uint32_t most = room < 40 ? (uint32_t)room : 40;
      p->list_a[i] = size > 1 ? size : 1 + below(most);
      room /= size > 1 ? 1 : p->list_a[i];
    }
  }
}

/* Shapes of indices and updates; how many indices. */
static size_t choose_indices(problem *p) {
  size_t count = 1;
  uint32_t i;
  p->index_type = below(3) == 0 ? WEBNN_INT32 : below(2) == 0 ? WEBNN_INT64 : WEBNN_UINT32;
  if (p->op == WEBNN_OP_GATHER) {
    p->index_rank = below(p->rank > 6 ? 2 : 3);
    for (i = 0; i < p->index_rank; i++) {
      p->index_dimensions[i] = 1 + below(20);
    }
  } else if (p->op == WEBNN_OP_GATHER_ELEMENTS || p->op == WEBNN_OP_SCATTER_ELEMENTS) {
    p->index_rank = p->rank;
    memcpy(p->index_dimensions, p->dimensions, sizeof p->dimensions);
    p->index_dimensions[p->axis] = 1 + below(p->dimensions[p->axis] + 3);
    p->update_rank = p->rank;
    memcpy(p->update_dimensions, p->index_dimensions, sizeof p->dimensions);
  } else {
    const uint32_t length = 1 + below(p->rank), rest = p->rank - length;
    p->index_rank = 1 + below(rest > 6 ? 2 : 3);
    for (i = 0; i + 1 < p->index_rank; i++) {
      p->index_dimensions[i] = p->update_dimensions[i] = 1 + below(20);
    }
    p->index_dimensions[p->index_rank - 1] = length;
    p->update_rank = p->index_rank - 1 + rest;
    for (i = 0; i < rest; i++) {
      p->update_dimensions[p->index_rank - 1 + i] = p->dimensions[length + i];
    }
  }
  for (i = 0; i < p->index_rank; i++) {
    count *= p->index_dimensions[i];
  }
  return count;
}

static const webnn_op ops[] = {WEBNN_OP_TRANSPOSE,
                               WEBNN_OP_REVERSE,
                               WEBNN_OP_SLICE,
                               WEBNN_OP_EXPAND,
                               WEBNN_OP_TILE,
                               WEBNN_OP_PAD,
                               WEBNN_OP_TRIANGULAR,
                               WEBNN_OP_CONCAT,
                               WEBNN_OP_SPLIT,
                               WEBNN_OP_GATHER,
                               WEBNN_OP_GATHER_ELEMENTS,
                               WEBNN_OP_GATHER_ND,
                               WEBNN_OP_SCATTER_ND,
                               WEBNN_OP_SCATTER_ELEMENTS};
static const webnn_data_type data_types[] = {WEBNN_UINT8, WEBNN_FLOAT16, WEBNN_FLOAT32,
                                             WEBNN_INT64};

/* The result may be hundreds of times as large as the input. */
static bool names_slices(webnn_op op) {
  return op == WEBNN_OP_GATHER || op == WEBNN_OP_GATHER_ND || op == WEBNN_OP_SCATTER_ND;
}

static void random_problems(int rounds, size_t most, const char *data, void *indices) {
  int round;
  size_t i, j;
  for (round = 0; round < rounds; round++) {
    for (i = 0; i < sizeof ops / sizeof *ops; i++) {
      problem p;
      memset(&p, 0, sizeof p);
      p.op = ops[i];
      p.type = data_types[below(4)];
      p.mode = (int)below(4);
      do {
        choose_shape(&p, p.op == WEBNN_OP_TRIANGULAR ? 2 : 1,
                     names_slices(p.op) && most > 2000 ? 2000 : most);
        if (p.op == WEBNN_OP_EXPAND) {
          for (j = 0; j < p.rank; j++) {
            p.dimensions[j] = below(2) == 0 ? 1 : p.dimensions[j];
          }
        }
      } while (p.op == WEBNN_OP_GATHER && p.rank > 7);
      choose_options(&p);
      if (i >= 9) {
        const size_t count = choose_indices(&p);
        for (j = 0; j < count; j++) { /* also beyond the ends, and far beyond */
          const double v =
              below(20) == 0 ? 2147483000.0 * (below(2) == 0 ? 1 : -1) : (double)below(60) - 30;
          test_set(p.index_type, indices, j, p.index_type == WEBNN_UINT32 && v < 0 ? -v : v);
        }
      }
      check(&p, data, indices);
    }
  }
}

/* Index number i of those that lie about the limits of their type, of vectors' lanes and of an axis
   of `size` elements. */
static void set_extreme_index(webnn_data_type type, void *indices, size_t i, int64_t size) {
  const int64_t top = INT64_C(1) << 32;
  const int64_t extremes[] = {
      INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, top,     top - 1,  top + 1,        -top,
      -top - 1,  -top + 1,  top / 2,   -top / 2,  top * 3, size,     size - 1,       -size,
      -1,        -size - 1, 0,         1,         -2,      size / 2, top / 2 - size, -top / 2 - 1};
  const int64_t v = extremes[i % (sizeof extremes / sizeof *extremes)];
  if (type == WEBNN_INT64) {
    memcpy((int64_t *)indices + i, &v, sizeof v);
  } else if (type == WEBNN_INT32) {
    const int32_t narrow = v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : (int32_t)v;
    memcpy((int32_t *)indices + i, &narrow, sizeof narrow);
  } else {
    const uint32_t narrow = (uint32_t)(uint64_t)v;
    memcpy((uint32_t *)indices + i, &narrow, sizeof narrow);
  }
}

static void extreme_indices(const char *data, void *indices) {
  static const webnn_op indexed[] = {WEBNN_OP_GATHER, WEBNN_OP_GATHER_ELEMENTS,
                                     WEBNN_OP_SCATTER_ELEMENTS, WEBNN_OP_GATHER_ND};
  static const webnn_data_type index_types[] = {WEBNN_INT32, WEBNN_UINT32, WEBNN_INT64};
  static const uint32_t counts[] = {1, 7, 8, 9, 15, 16, 17, 31, 255, 256, 257, 530};
  static const uint32_t sizes[] = {1, 2, 37};
  uint32_t k;
  for (k = 0; k < 4 * 3 * 12 * 3; k++) {
    const webnn_op op = indexed[k % 4];
    const uint32_t count = counts[k / 12 % 12], size = sizes[k / 144];
    const uint32_t lines = op == WEBNN_OP_GATHER_ND ? 1 : 3;
    problem p;
    size_t i;
    memset(&p, 0, sizeof p);
    p.op = op;
    p.type = data_types[(k / 4 + k / 12) % 4];
    p.index_type = index_types[k / 4 % 3];
    p.rank = p.update_rank = p.axis = op == WEBNN_OP_GATHER_ND ? 1 : 2;
    p.axis--;
    p.dimensions[0] = lines;
    p.dimensions[p.axis] = size;
    p.index_rank = op == WEBNN_OP_GATHER ? 1 : 2;
    p.index_dimensions[0] = op == WEBNN_OP_GATHER || op == WEBNN_OP_GATHER_ND ? count : lines;
    p.index_dimensions[1] = op == WEBNN_OP_GATHER_ND ? 1 : count;
    memcpy(p.update_dimensions, p.index_dimensions, sizeof p.update_dimensions);
    for (i = 0; i < (size_t)lines * count; i++) {
      set_extreme_index(p.index_type, indices, i, size);
    }
    check(&p, data, indices);
  }
}

/* Sizes where blocks, squares and strides of many bytes meet. */
static void chosen_transposes(const char *data) {
  static const uint32_t sizes[][2] = {{64, 64},   {65, 129}, {16, 15},  {3, 1000},
                                      {1000, 3},  {31, 256}, {513, 70}, {128, 1024},
                                      {600, 512}, {4, 4},    {17, 33},  {2, 500}};
  size_t i, t;
  for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (t = 0; t < 4; t++) {
      problem p;
      memset(&p, 0, sizeof p);
      p.op = WEBNN_OP_TRANSPOSE;
      p.type = data_types[t];
      p.rank = 3;
      p.dimensions[0] = sizes[i][0];
      p.dimensions[1] = sizes[i][1];
      p.dimensions[2] = i % 3 == 0 ? 2 : 1;
      p.list_a[0] = 1;
      p.list_a[2] = 2;
      check(&p, data, NULL);
    }
  }
}

/* Three columns, as the channels of an image: rows are written with more than is theirs, which the
   next one covers, but for the last row of all and of a block. */
static void three_columns(const char *data) {
  static const uint32_t rows[] = {1, 3, 4, 5, 8, 9, 15, 16, 17, 31, 33, 511, 513, 1039};
  size_t i, t;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (t = 0; t < 4; t++) {
      problem p;
      memset(&p, 0, sizeof p);
      p.op = WEBNN_OP_TRANSPOSE;
      p.type = data_types[t];
      p.rank = 3;
      p.dimensions[0] = 2;
      p.dimensions[1] = 3;
      p.dimensions[2] = rows[i];
      p.list_a[1] = 2;
      p.list_a[2] = 1;
      check(&p, data, NULL);
    }
  }
}

/* Large enough for threads and for stores past the caches: against the formula itself. */
static void large(webnn_op op, uint32_t rows, uint32_t columns) {
  const size_t count = (size_t)rows * columns;
  uint32_t *data = (uint32_t *)test_allocate(count * sizeof *data);
  char *result = (char *)test_allocate(count * sizeof *data + 4 * MARGIN);
  problem p;
  size_t i, m;
  memset(&p, 0, sizeof p);
  p.op = op;
  p.type = WEBNN_UINT32;
  p.rank = 2;
  p.dimensions[0] = rows;
  p.dimensions[1] = columns;
  p.list_a[0] = op == WEBNN_OP_TRANSPOSE ? 1 : 0; /* reverse: axis 0 */
  p.parts = 1;
  for (i = 0; i < count; i++) {
    data[i] = (uint32_t)i * 2654435761u;
  }
  element = 0;
  for (m = 0; m < machine_count; m++) {
    const size_t bytes = run(&machines[m], &p, (const char *)data, NULL, result);
    uint32_t value;
    for (i = 0; bytes > 0 && i < count; i++) {
      const size_t from = op == WEBNN_OP_TRANSPOSE
                              ? i % rows * columns + i / rows
                              : (rows - 1 - i / columns) * columns + i % columns;
      memcpy(&value, result + i * sizeof value, sizeof value);
      if (value != data[from]) {
        break;
      }
    }
    CHECK(webnn_op_name(op), i == count, "%s: %u x %u: element %lu differs", machines[m].name,
          (unsigned)rows, (unsigned)columns, (unsigned long)i);
  }
  free(data);
  free(result);
}

int main(void) {
  char *data = (char *)test_allocate(MAX_BYTES * 2);
  void *indices = test_allocate(MAX_BYTES);
  size_t i;
  for (i = 0; i < MAX_BYTES * 2; i++) {
    data[i] = (char)(test_random(&random_state) >> 56);
  }
  open_machines();
  random_problems(60, 2000, data, indices);
  random_problems(6, 60000, data, indices);
  extreme_indices(data, indices);
  chosen_transposes(data);
  three_columns(data);
  large(WEBNN_OP_TRANSPOSE, 2048, 2064);
  large(WEBNN_OP_REVERSE, 1030, 4099);
  close_machines();
  free(data);
  free(indices);
  return test_end();
}
