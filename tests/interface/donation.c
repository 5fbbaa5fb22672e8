/* Donated inputs (webnn_donate): graphs whose outputs have the tensors of inputs give the bits of
   graphs that do not, whoever reads the old value before or after it is written, and in fast contexts
   nothing moves but what changes. What does not fit is refused, with its names. */
#if !defined(_WIN32) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* mmap's MAP_ANONYMOUS */
#endif
#include "every_operator.h"
#include "failing_allocator.h"

enum { ROWS = 6, WIDTH = 4, COUNT = ROWS * WIDTH, PORTS = 4, MOST_BYTES = COUNT * 8 };

/* ---- Graphs ----------------------------------------------------------------------------------- */

typedef struct graph_parts {
  webnn_builder *b;
  webnn_data_type type;
  webnn_operand *x, *z;    /* inputs of ROWS x WIDTH, both donated: to outputs 0 and 1 */
  webnn_operand *row, *at; /* an input of 1 x WIDTH, and where it goes, of 1 x 1 */
  webnn_operand *y[PORTS];
} graph_parts;

static webnn_operand *write_row(graph_parts *g, webnn_operand *x) {
  return webnn_scatter_nd(g->b, x, g->at, g->row, NULL);
}

static webnn_operand *rows_of(graph_parts *g, webnn_operand *x, uint32_t first, uint32_t count) {
  return webnn_slice(g->b, x, WEBNN_LIST(first, 0), WEBNN_LIST(count, WIDTH), NULL);
}

static webnn_operand *sum(graph_parts *g, webnn_operand *x) {
  return webnn_cumulative_sum(g->b, x, 0, NULL);
}

static webnn_operand *places(graph_parts *g, const int32_t *data, webnn_list shape) {
  const webnn_operand_descriptor descriptor = {WEBNN_INT32, shape};
  return webnn_constant(g->b, descriptor, data, webnn_byte_length(descriptor));
}

static void one_row(graph_parts *g) {
  g->y[0] = write_row(g, g->x);
}
static void two_caches(graph_parts *g) {
  g->y[0] = write_row(g, g->x);
  g->y[1] = write_row(g, g->z);
}
static void rows_in_turn(graph_parts *g) {
  static const int32_t other[1] = {3};
  g->y[0] = webnn_scatter_nd(g->b, write_row(g, g->x), places(g, other, WEBNN_LIST(1, 1)),
                             rows_of(g, g->z, 2, 1), NULL);
}
static void scattered_elements(graph_parts *g) {
  static const int32_t at[WIDTH] = {1, 5, 0, 1};
  g->y[0] = webnn_scatter_elements(g->b, g->x, places(g, at, WEBNN_LIST(1, WIDTH)), g->row, NULL);
}
/* The updates are as many as the input, and come in another order. */
static void all_rows(graph_parts *g) {
  static const int32_t at[ROWS] = {5, 3, 1, 0, 2, 3};
  g->y[0] = webnn_scatter_nd(g->b, g->x, places(g, at, WEBNN_LIST(ROWS, 1)), g->z, NULL);
}
/* The updates' tensor is given away; and they are between, where nobody needs them any more. */
static void over_updates(graph_parts *g) {
  static const int32_t at[ROWS] = {5, 3, 1, 0, 2, 3};
  g->y[1] = webnn_scatter_nd(g->b, g->x, places(g, at, WEBNN_LIST(ROWS, 1)), g->z, NULL);
}
static void over_inner_updates(graph_parts *g) {
  static const int32_t at[ROWS] = {5, 3, 1, 0, 2, 3};
  webnn_operand *updates = webnn_reverse(g->b, g->z, NULL);
  g->y[2] = webnn_reverse(
      g->b, webnn_scatter_nd(g->b, g->x, places(g, at, WEBNN_LIST(ROWS, 1)), updates, NULL), NULL);
}
static void updates_of_itself(graph_parts *g) {
  static const int32_t at[ROWS] = {5, 3, 1, 0, 2, 4};
  g->y[0] = webnn_scatter_nd(g->b, g->x, places(g, at, WEBNN_LIST(ROWS, 1)), g->x, NULL);
}
static void row_of_itself(graph_parts *g) {
  g->y[0] = webnn_scatter_nd(g->b, g->x, g->at, rows_of(g, g->x, 4, 1), NULL);
}
static void concat_middle(graph_parts *g) {
  g->y[0] = webnn_concat(
      g->b, WEBNN_OPERANDS(rows_of(g, g->x, 0, 3), g->row, rows_of(g, g->x, 4, 2)), 0, NULL);
}
static void concat_first(graph_parts *g) {
  g->y[0] = webnn_concat(g->b, WEBNN_OPERANDS(g->row, rows_of(g, g->x, 1, 5)), 0, NULL);
}
static void concat_last(graph_parts *g) {
  g->y[0] = webnn_concat(
      g->b, WEBNN_OPERANDS(rows_of(g, g->x, 0, 2), rows_of(g, g->x, 2, 3), g->row), 0, NULL);
}
/* A row of another value, cut from where it goes. */
static void concat_of_slices(graph_parts *g) {
  g->y[0] = webnn_concat(
      g->b, WEBNN_OPERANDS(rows_of(g, g->x, 0, 3), rows_of(g, g->z, 3, 1), rows_of(g, g->x, 4, 2)),
      0, NULL);
  g->y[1] = webnn_concat(
      g->b, WEBNN_OPERANDS(rows_of(g, g->x, 0, 3), rows_of(g, g->z, 3, 1), rows_of(g, g->x, 4, 2)),
      0, NULL);
}
static void concat_column(graph_parts *g) {
  webnn_operand *left = webnn_slice(g->b, g->x, WEBNN_LIST(0, 0), WEBNN_LIST(ROWS, 1), NULL);
  webnn_operand *right = webnn_slice(g->b, g->x, WEBNN_LIST(0, 2), WEBNN_LIST(ROWS, 2), NULL);
  webnn_operand *column = webnn_slice(g->b, g->z, WEBNN_LIST(0, 3), WEBNN_LIST(ROWS, 1), NULL);
  g->y[0] = webnn_concat(g->b, WEBNN_OPERANDS(left, column, right), 1, NULL);
}
/* These look like the ones above, but something has moved. */
static void concat_shifted(graph_parts *g) {
  g->y[0] = webnn_concat(g->b, WEBNN_OPERANDS(rows_of(g, g->x, 1, 5), g->row), 0, NULL);
}
static void concat_swapped(graph_parts *g) {
  g->y[0] = webnn_concat(
      g->b, WEBNN_OPERANDS(rows_of(g, g->x, 4, 2), g->row, rows_of(g, g->x, 0, 3)), 0, NULL);
}
static void concat_of_two(graph_parts *g) {
  g->y[0] = webnn_concat(
      g->b, WEBNN_OPERANDS(rows_of(g, g->x, 0, 3), g->row, rows_of(g, g->z, 4, 2)), 0, NULL);
}
static void concat_strided(graph_parts *g) {
  webnn_slice_options every_second = WEBNN_ZERO;
  every_second.strides = WEBNN_LIST(2, 1);
  g->y[0] = webnn_concat(g->b,
                         WEBNN_OPERANDS(webnn_slice(g->b, g->x, WEBNN_LIST(0, 0),
                                                    WEBNN_LIST(ROWS, WIDTH), &every_second),
                                        g->row, rows_of(g, g->x, 4, 2)),
                         0, NULL);
}
static void element_wise(graph_parts *g) {
  g->y[0] = webnn_add(g->b, webnn_mul(g->b, g->x, g->row, NULL), g->z, NULL);
}
static void where_at_row(graph_parts *g) {
  webnn_operand *is_less = webnn_lesser(g->b, g->x, g->row, NULL);
  g->y[0] = webnn_where(g->b, is_less, g->row, g->x, NULL);
}
static void twice_itself(graph_parts *g) {
  g->y[0] = webnn_mul(g->b, g->x, g->x, NULL);
}
static void with_reversed(graph_parts *g) {
  g->y[0] = webnn_add(g->b, g->x, webnn_reverse(g->b, g->x, NULL), NULL);
}
static void reversed(graph_parts *g) {
  g->y[0] = webnn_reverse(g->b, g->x, NULL);
}
static void running_sum(graph_parts *g) {
  g->y[0] = sum(g, g->x);
}
static void turned_twice(graph_parts *g) {
  webnn_operand *t = webnn_transpose(g->b, g->x, NULL);
  g->y[0] = webnn_transpose(g->b, webnn_reverse(g->b, t, NULL), NULL);
}
static void reshaped(graph_parts *g) {
  webnn_operand *flat = webnn_reshape(g->b, g->x, WEBNN_LIST(COUNT), NULL);
  g->y[0] = webnn_reshape(g->b, webnn_max(g->b, flat, flat, NULL), WEBNN_LIST(ROWS, WIDTH), NULL);
}
static void same(graph_parts *g) {
  g->y[0] = webnn_identity(g->b, g->x, NULL);
}
static void same_twice(graph_parts *g) {
  g->y[0] = webnn_identity(g->b, g->x, NULL);
  g->y[2] = webnn_identity(g->b, g->x, NULL);
}
static void changed_and_same(graph_parts *g) {
  g->y[0] = write_row(g, g->x);
  g->y[2] = webnn_identity(g->b, g->x, NULL);
}
/* What comes after must leave the old value alone, which is an output at the end. */
static void changed_and_same_later(graph_parts *g) {
  g->y[2] = webnn_identity(g->b, g->x, NULL);
  g->y[0] = write_row(g, g->x);
  g->y[3] = webnn_reverse(g->b, sum(g, webnn_reverse(g->b, sum(g, g->z), NULL)), NULL);
}
static void exchanged(graph_parts *g) {
  g->y[0] = webnn_identity(g->b, g->z, NULL);
  g->y[1] = webnn_identity(g->b, g->x, NULL);
}
static void moved_on(graph_parts *g) { /* a history of two */
  g->y[0] = write_row(g, g->z);
  g->y[1] = webnn_identity(g->b, g->x, NULL);
}
static void read_before(graph_parts *g) {
  g->y[2] = sum(g, g->x);
  g->y[0] = write_row(g, g->x);
}
static void read_after(graph_parts *g) {
  g->y[0] = write_row(g, g->x);
  g->y[2] = sum(g, g->x);
}
static void read_long_after(graph_parts *g) {
  webnn_operand *new_x = write_row(g, g->x), *s = sum(g, sum(g, new_x));
  g->y[0] = new_x;
  g->y[2] = webnn_sub(g->b, s, g->x, NULL);
  g->y[3] = sum(g, new_x);
}
static void read_after_by_view(graph_parts *g) {
  webnn_operand *flat = webnn_reshape(g->b, g->x, WEBNN_LIST(COUNT), NULL);
  g->y[0] = write_row(g, g->x);
  g->y[2] = webnn_cumulative_sum(g->b, flat, 0, NULL);
}
static void
read_with_other(graph_parts *g) { /* one operator reads both old values and writes both */
  webnn_operand *both = webnn_add(g->b, g->x, g->z, NULL);
  g->y[0] = both;
  g->y[1] = webnn_mul(g->b, both, g->x, NULL);
}
static void read_no_more(graph_parts *g) {
  g->y[0] = write_row(g, sum(g, g->x));
}
static void under_two_names(graph_parts *g) {
  g->y[2] = g->y[0] = write_row(g, g->x);
}
static void of_the_other(graph_parts *g) {
  g->y[0] = sum(g, g->z);
  g->y[1] = sum(g, g->x);
}
static void of_neither(graph_parts *g) { /* z leads to nothing */
  g->y[0] = webnn_add(g->b, webnn_expand(g->b, g->row, WEBNN_LIST(ROWS, WIDTH), NULL),
                      rows_of(g, g->x, 5, 1), NULL);
  g->y[1] = webnn_expand(g->b, g->row, WEBNN_LIST(ROWS, WIDTH), NULL);
}
static void inner_row(graph_parts *g) { /* written in place among intermediate values, too */
  webnn_operand *inner = sum(g, g->x);
  webnn_operand *written = write_row(g, inner);
  g->y[0] = webnn_sub(g->b, written, g->z, NULL);
  g->y[2] = sum(g, inner);
}

typedef struct test_graph {
  const char *name;
  void (*make)(graph_parts *g);
  bool floats_only;
  /* A fast context needs no copy of the inputs before it runs. */
  bool in_place;
} test_graph;

#define GRAPH(function, floats_only, in_place)                                                     \
  { #function, function, floats_only, in_place }
static const test_graph graphs[] = {
    GRAPH(one_row, false, true),
    GRAPH(two_caches, false, true),
    GRAPH(rows_in_turn, false, true),
    GRAPH(scattered_elements, false, true),
    GRAPH(all_rows, false, true),
    GRAPH(over_updates, false, false),
    GRAPH(over_inner_updates, false, true),
    GRAPH(updates_of_itself, false, false),
    GRAPH(row_of_itself, false, true),
    GRAPH(concat_middle, false, true),
    GRAPH(concat_first, false, true),
    GRAPH(concat_last, false, true),
    GRAPH(concat_of_slices, false, false),
    GRAPH(concat_column, false, true),
    GRAPH(concat_shifted, false, true),
    GRAPH(concat_swapped, false, true),
    GRAPH(concat_of_two, false, true),
    GRAPH(concat_strided, false, true),
    GRAPH(element_wise, true, true),
    GRAPH(where_at_row, true, true),
    GRAPH(twice_itself, true, false),
    GRAPH(with_reversed, true, true),
    GRAPH(reversed, false, false),
    GRAPH(running_sum, true, false),
    GRAPH(turned_twice, false, true),
    GRAPH(reshaped, true, true),
    GRAPH(same, false, true),
    GRAPH(same_twice, false, true),
    GRAPH(changed_and_same, false, false),
    GRAPH(changed_and_same_later, true, false),
    GRAPH(exchanged, false, false),
    GRAPH(moved_on, false, false),
    GRAPH(read_before, true, true),
    GRAPH(read_after, true, false),
    GRAPH(read_long_after, true, false),
    GRAPH(read_after_by_view, true, false),
    GRAPH(read_with_other, true, false),
    GRAPH(read_no_more, true, true),
    GRAPH(under_two_names, false, true),
    GRAPH(of_the_other, true, false),
    GRAPH(of_neither, true, true),
    GRAPH(inner_row, true, true),
};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

static const char *const output_names[PORTS] = {"y0", "y1", "y2", "y3"};

/* `dynamic`: the rows are a dynamic dimension. NULL without memory. */
static webnn_graph *build(webnn_context *context, const test_graph *test, webnn_data_type type,
                          bool donates, bool dynamic, webnn_error *error) {
  webnn_builder *b = NULL;
  webnn_graph *graph = NULL;
  webnn_named_operand outputs[PORTS];
  graph_parts g;
  uint32_t rows = ROWS;
  size_t count = 0;
  int i;
  (void)webnn_create_builder(context, &b, error);
  memset(&g, 0, sizeof g);
  rows = dynamic ? webnn_dynamic_dimension(b, "rows") : rows;
  g.b = b;
  g.type = type;
  g.x = webnn_input(b, "x", WEBNN_DESCRIPTOR(type, rows, WIDTH));
  g.z = webnn_input(b, "z", WEBNN_DESCRIPTOR(type, rows, WIDTH));
  g.row = webnn_input(b, "row", WEBNN_DESCRIPTOR(type, 1, WIDTH));
  g.at = webnn_input(b, "at", WEBNN_DESCRIPTOR(WEBNN_INT32, 1, 1));
  test->make(&g);
  for (i = 0; i < PORTS; i++) {
    if (g.y[i] != NULL) {
      outputs[count].name = output_names[i];
      outputs[count++].operand = g.y[i];
    }
  }
  for (i = 0; donates && i < 2; i++) {
    if (g.y[i] != NULL) {
      (void)webnn_donate(b, i == 0 ? g.x : g.z, g.y[i]);
    }
  }
  (void)webnn_build(b, outputs, count, &graph, error);
  webnn_free_builder(b);
  return graph;
}

/* ---- Runs ------------------------------------------------------------------------------------- */

typedef struct test_tensors {
  webnn_tensor *inputs[4], *outputs[PORTS]; /* NULL: the graph has none */
  webnn_named_tensor bound_inputs[4], bound_outputs[PORTS];
  size_t input_count, output_count;
  unsigned char *memory; /* of all, over which they are if they are to be unaligned */
} test_tensors;

static const char *const input_names[4] = {"x", "z", "row", "at"};

static int find_port(const char *const *names, int count, const char *name) {
  int i = 0;
  while (i < count && strcmp(names[i], name) != 0) {
    i++;
  }
  return i;
}

static webnn_tensor *new_tensor(webnn_context *context, webnn_operand_descriptor descriptor,
                                unsigned char *memory) {
  webnn_tensor_descriptor d = WEBNN_ZERO;
  webnn_tensor *tensor = NULL;
  webnn_error error = WEBNN_ZERO;
  d.data_type = descriptor.data_type;
  d.shape = descriptor.shape;
  d.shape.items[0] = d.shape.items[0] >= WEBNN_DYNAMIC_DIMENSION ? ROWS : d.shape.items[0];
  descriptor.shape = d.shape;
  d.readable = d.writable = true;
  if (memory == NULL) {
    (void)webnn_create_tensor(context, d, &tensor, &error);
  } else {
    (void)webnn_create_tensor_over_memory(context, d, memory, (size_t)webnn_byte_length(descriptor),
                                          &tensor, &error);
  }
  MUST("tensor", tensor != NULL, "%s", error.message);
  return tensor;
}

/* `shared`: outputs 0 and 1 have the tensors of inputs x and z. */
static void make_tensors(webnn_context *context, webnn_graph *graph, bool shared, bool unaligned,
                         test_tensors *t) {
  webnn_graph_port ports[PORTS];
  size_t i;
  memset(t, 0, sizeof *t);
  t->memory = (unsigned char *)test_allocate(8 * (MOST_BYTES + 1));
  t->input_count = webnn_graph_inputs(graph, ports, 4);
  for (i = 0; i < t->input_count; i++) {
    const int at = find_port(input_names, 4, ports[i].name);
    t->inputs[at] = new_tensor(context, ports[i].descriptor,
                               unaligned ? t->memory + (size_t)at * (MOST_BYTES + 1) + 1 : NULL);
    t->bound_inputs[i].name = ports[i].name;
    t->bound_inputs[i].tensor = t->inputs[at];
  }
  t->output_count = webnn_graph_outputs(graph, ports, PORTS);
  for (i = 0; i < t->output_count; i++) {
    const int at = find_port(output_names, PORTS, ports[i].name);
    t->outputs[at] =
        shared && at < 2 && t->inputs[at] != NULL
            ? t->inputs[at]
            : new_tensor(context, ports[i].descriptor,
                         unaligned ? t->memory + (size_t)(4 + at) * (MOST_BYTES + 1) + 1 : NULL);
    t->bound_outputs[i].name = ports[i].name;
    t->bound_outputs[i].tensor = t->outputs[at];
  }
}

static void free_tensors(test_tensors *t) {
  int i;
  for (i = 0; i < PORTS; i++) {
    if (t->outputs[i] != t->inputs[i]) {
      webnn_free_tensor(t->outputs[i]);
    }
  }
  for (i = 0; i < 4; i++) {
    webnn_free_tensor(t->inputs[i]);
  }
  free(t->memory);
}

static size_t bytes_of(const webnn_tensor *tensor) {
  webnn_operand_descriptor descriptor;
  descriptor.data_type = webnn_tensor_data_type(tensor);
  descriptor.shape = webnn_tensor_shape(tensor);
  return (size_t)webnn_byte_length(descriptor);
}

static void write_numbers(webnn_context *context, webnn_tensor *tensor, uint64_t seed) {
  uint64_t data[MOST_BYTES / 8];
  uint64_t state = seed;
  const webnn_data_type type = webnn_tensor_data_type(tensor);
  const size_t count = test_element_count(webnn_tensor_shape(tensor));
  size_t i;
  memset(data, 0, sizeof data);
  for (i = 0; i < count; i++) {
    test_set(type, data, i,
             count == 1 ? (double)(seed % ROWS)
                        : (double)(int)test_random_between(&state, -40, 40) /
                              (test_is_float(type) ? 8 : 1));
  }
  (void)webnn_write_tensor(context, tensor, data, bytes_of(tensor), NULL);
}

static void read_bits(webnn_context *context, webnn_tensor *tensor, unsigned char *bits) {
  webnn_error error = WEBNN_ZERO;
  memset(bits, 0, MOST_BYTES);
  if (tensor != NULL) {
    CHECK("read", webnn_read_tensor(context, tensor, bits, bytes_of(tensor), &error) == WEBNN_OK,
          "%s", error.message);
  }
}

/* Runs in a row, in each of which an input has what its output had, where it is donated. */
typedef struct test_result {
  unsigned char inputs[4][MOST_BYTES], outputs[PORTS][MOST_BYTES];
} test_result;
enum { RUNS = 3 };

static void run(webnn_context *context, webnn_graph *graph, test_tensors *t, test_result *results) {
  int i, j;
  for (j = 0; j < RUNS; j++) {
    webnn_error error = WEBNN_ZERO;
    for (i = 0; i < 4; i++) {
      if (t->inputs[i] == NULL) {
        continue;
      }
      if (j == 0 || i >= 2 || t->outputs[i] == NULL) {
        write_numbers(context, t->inputs[i], (uint64_t)(1 + i + 5 * j));
      } else if (t->outputs[i] != t->inputs[i]) {
        (void)webnn_write_tensor(context, t->inputs[i], results[j - 1].outputs[i],
                                 bytes_of(t->inputs[i]), NULL);
      }
    }
    CHECK("dispatch",
          webnn_dispatch(context, graph, t->bound_inputs, t->input_count, t->bound_outputs,
                         t->output_count, &error) == WEBNN_OK,
          "%s", error.message);
    for (i = 0; i < 4; i++) {
      read_bits(context, t->inputs[i], results[j].inputs[i]);
      read_bits(context, t->outputs[i], results[j].outputs[i]);
    }
  }
}

static void compare(const char *name, const char *how, const test_result *expected,
                    const test_result *got, const test_tensors *t) {
  test_group c = test_group_begin(name);
  int i, j;
  for (j = 0; j < RUNS; j++) {
    for (i = 0; i < PORTS; i++) {
      SEE(&c, memcmp(expected[j].outputs[i], got[j].outputs[i], MOST_BYTES) == 0,
          "%s: run %d: %s has other bits", how, j, output_names[i]);
      SEE(&c,
          t->inputs[i] == NULL || t->inputs[i] == t->outputs[i] ||
              memcmp(expected[j].inputs[i], got[j].inputs[i], MOST_BYTES) == 0,
          "%s: run %d: input %s is not what it was", how, j, input_names[i]);
    }
  }
  test_group_end(&c);
}

static uint64_t arena_of(webnn_graph *graph) {
  return webnn_graph_memory(graph).arena;
}

static void ignore_tap(void *user, const webnn_tapped_value *value) {
  *(size_t *)user += value->byte_length;
}

/* One graph, four ways to run it: with two tensors, with one, over memory that is not aligned, and
   tapped. */
static void check_graph(webnn_context *context, const test_graph *test, webnn_data_type type,
                        bool dynamic) {
  static test_result expected[RUNS], got[RUNS];
  static const char *const ways[4] = {"two tensors", "one tensor", "not aligned", "tapped"};
  webnn_error error = WEBNN_ZERO;
  webnn_graph *plain = build(context, test, type, false, dynamic, &error);
  webnn_graph *graph = build(context, test, type, true, dynamic, &error);
  test_tensors t;
  size_t tapped = 0;
  int way;
  if (!MUST(test->name, plain != NULL && graph != NULL, "%s", error.message)) {
    return;
  }
  make_tensors(context, plain, false, false, &t);
  run(context, plain, &t, expected);
  free_tensors(&t);
  for (way = 0; way < 4; way++) {
    if (way == 3 &&
        !MUST(test->name, webnn_tap_graph(graph, ignore_tap, &tapped, &error) == WEBNN_OK, "%s",
              error.message)) {
      continue;
    }
    make_tensors(context, graph, way != 0, way == 2, &t);
    run(context, graph, &t, got);
    compare(test->name, ways[way], expected, got, &t);
    free_tensors(&t);
  }
  CHECK(test->name, tapped > 0, "the tap saw nothing");
  webnn_free_graph(graph);
  webnn_free_graph(plain);
}

static void check_graphs(webnn_context *context, bool dynamic) {
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT8, WEBNN_INT64};
  size_t i, j;
  for (i = 0; i < GRAPHS; i++) {
    for (j = 0; j < sizeof types / sizeof *types; j++) {
      if (!graphs[i].floats_only || test_is_float(types[j])) {
        check_graph(context, &graphs[i], types[j], dynamic);
      }
    }
  }
}

#ifdef WEBNN_TEST_VULKAN

static void check_copies(void) {
  test_skip("copies", "a device does not print its steps");
}

#else

/* What the plan takes for intermediate values does not grow by a copy of a cache. */
static void check_copies(void) {
  webnn_context *context = test_context(NULL);
  size_t i;
  for (i = 0; i < GRAPHS; i++) {
    webnn_error error = WEBNN_ZERO;
    webnn_graph *plain = build(context, &graphs[i], WEBNN_FLOAT32, false, false, &error);
    webnn_graph *graph = build(context, &graphs[i], WEBNN_FLOAT32, true, false, &error);
    every_text text = WEBNN_ZERO;
    bool copied;
    webnn_print_steps(graph, every_write, &text);
    copied = text.data != NULL && strstr(text.data, "copy of input \"") != NULL;
    CHECK(graphs[i].name, copied || arena_of(graph) <= arena_of(plain), "%lu bytes in place of %lu",
          (unsigned long)arena_of(graph), (unsigned long)arena_of(plain));
    CHECK(graphs[i].name, copied == !graphs[i].in_place, "%s:\n%s",
          copied ? "there is a copy" : "there is no copy", text.data);
    free(text.data);
    webnn_free_graph(graph);
    webnn_free_graph(plain);
  }
  webnn_free_context(context);
}
#endif

/* ---- What must not be touched ------------------------------------------------------------------ */

#if defined(WEBNN_TEST_VULKAN) || !(defined(__linux__) || defined(__APPLE__))

static void check_untouched(void) {
  test_skip("untouched", "there are no pages that may not be touched, or a device has its copy");
}

#else
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 64, ROW_PAGE = 41 };

static void was_touched(int number) {
  static const char text[] = "untouched: a page of the cache was read or written\n"
                             "0 passed, 1 failed, 0 skipped\n";
  (void)number;
  if (write(1, text, sizeof text - 1) > 0) {
    _exit(1);
  }
  _exit(2);
}

/* A cache of a page in a row, in which row ROW_PAGE is written in one of four ways. */
static webnn_graph *build_pages(webnn_context *context, uint32_t width, int way) {
  static int32_t at[1] = {ROW_PAGE};
  webnn_error error = WEBNN_ZERO;
  webnn_builder *b = test_builder(context);
  webnn_graph *graph = NULL;
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, PAGES, width));
  webnn_operand *row = webnn_input(b, "row", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, width));
  webnn_operand *i = webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_INT32, 1, 1), at, sizeof at);
  webnn_operand *y;
  if (way == 0) {
    y = webnn_scatter_nd(b, x, i, row, NULL);
  } else if (way == 1) {
    i = webnn_expand(b, i, WEBNN_LIST(1, width), NULL);
    y = webnn_scatter_elements(b, x, i, row, NULL);
  } else if (way == 2) {
    const uint32_t rest = ROW_PAGE + 1;
    webnn_operand *before = webnn_slice(b, x, WEBNN_LIST(0, 0), WEBNN_LIST(ROW_PAGE, width), NULL);
    webnn_operand *after =
        webnn_slice(b, x, WEBNN_LIST(rest, 0), WEBNN_LIST(PAGES - rest, width), NULL);
    y = webnn_concat(b, WEBNN_OPERANDS(before, row, after), 0, NULL);
  } else { /* the row is made of the old one */
    webnn_operand *old = webnn_slice(b, x, WEBNN_LIST(ROW_PAGE, 0), WEBNN_LIST(1, width), NULL);
    y = webnn_scatter_nd(b, x, i, webnn_max(b, row, old, NULL), NULL);
  }
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", webnn_donate(b, x, y)}), &graph, &error);
  MUST("untouched", graph != NULL, "%s", error.message);
  webnn_free_builder(b);
  return graph;
}

static void check_untouched(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const uint32_t width = (uint32_t)(page / sizeof(float));
  char *cache =
      (char *)mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  float *row = (float *)test_allocate(page), *written = (float *)(void *)(cache + ROW_PAGE * page);
  webnn_context *context = test_context(NULL);
  uint32_t i;
  int way;
  (void)signal(SIGSEGV, was_touched);
  (void)signal(SIGBUS, was_touched);
  for (way = 0; way < 4; way++) {
    webnn_tensor_descriptor d = {WEBNN_FLOAT32, WEBNN_LIST(PAGES, width), false, false};
    webnn_graph *graph = build_pages(context, width, way);
    webnn_tensor *x = NULL, *r = NULL;
    webnn_error error = WEBNN_ZERO;
    (void)webnn_create_tensor_over_memory(context, d, cache, PAGES * page, &x, &error);
    d.shape = WEBNN_LIST(1, width);
    (void)webnn_create_tensor_over_memory(context, d, row, page, &r, &error);
    for (i = 0; i < width; i++) {
      row[i] = (float)(i + 1 + (uint32_t)way * width);
    }
    (void)mprotect(cache, ROW_PAGE * page, PROT_NONE);
    (void)mprotect(cache + (ROW_PAGE + 1) * page, (PAGES - ROW_PAGE - 1) * page, PROT_NONE);
    CHECK("untouched",
          webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", x}, {"row", r}),
                         WEBNN_NAMED_TENSORS({"y", x}), &error) == WEBNN_OK &&
              memcmp(written, row, page) == 0,
          "way %d: %s", way, error.message);
    (void)mprotect(cache, PAGES * page, PROT_READ | PROT_WRITE);
    webnn_free_tensor(x);
    webnn_free_tensor(r);
    webnn_free_graph(graph);
  }
  (void)signal(SIGSEGV, SIG_DFL);
  (void)signal(SIGBUS, SIG_DFL);
  webnn_free_context(context);
  (void)munmap(cache, PAGES * page);
  free(row);
}
#endif

/* ---- What is refused --------------------------------------------------------------------------- */

static void expect_message(const char *name, const char *expected, const char *message) {
  CHECK(name, strstr(message, expected) != NULL, "\"%s\" lacks \"%s\"", message, expected);
}

static void refuse(webnn_builder *b, webnn_operand *input, webnn_operand *output,
                   const char *expected) {
  CHECK("donate", webnn_donate(b, input, output) == NULL, "%s", expected);
  expect_message("donate", expected, webnn_builder_message(b));
  webnn_builder_clear_error(b);
}

static void check_donate(webnn_context *context) {
  webnn_builder *b = test_builder(context), *other = test_builder(context);
  const webnn_operand_descriptor shape = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3);
  webnn_operand *x = webnn_input(b, "x", shape), *z = webnn_input(b, "z", shape);
  webnn_operand *foreign = webnn_input(other, "x", shape);
  webnn_operand *y = webnn_relu(b, x, NULL), *w = webnn_relu(b, z, NULL);
  webnn_operand *half = webnn_cast(b, x, WEBNN_FLOAT16, NULL);
  webnn_operand *turned = webnn_transpose(b, x, NULL);
  webnn_operand *constant = webnn_constant_from_number(b, WEBNN_FLOAT32, webnn_f64(1));
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  CHECK("donate", webnn_donate(NULL, x, y) == NULL, "no builder");
  refuse(b, NULL, y, "donate: input is NULL");
  refuse(b, x, NULL, "donate: output is NULL");
  refuse(b, foreign, y, "donate: input belongs to another builder");
  refuse(b, x, foreign, "donate: output belongs to another builder");
  refuse(b, y, w, "donate: input must be an input of the graph");
  refuse(b, constant, w, "donate: input must be an input of the graph");
  refuse(b, x, z, "donate: output must be the result of an operator");
  refuse(b, x, constant, "donate: output must be the result of an operator");
  refuse(b, x, half, "donate: input \"x\" is float32 [2, 3], but the output is float16 [2, 3]");
  refuse(b, x, turned, "donate: input \"x\" is float32 [2, 3], but the output is float32 [3, 2]");
  CHECK("donate", webnn_donate(b, x, y) == y, "%s", webnn_builder_message(b));
  refuse(b, x, y, "donate: input \"x\" is donated already");
  refuse(b, x, w, "donate: input \"x\" is donated already");
  refuse(b, z, y,
         "donate: output has the tensor of another input, so \"z\" cannot be donated to it");
  CHECK("donate",
        webnn_build(b, WEBNN_NAMED_OPERANDS({"w", w}), &graph, &error) == WEBNN_TYPE_ERROR &&
            graph == NULL,
        "y is no output");
  expect_message("build", "build: input \"x\" must be donated to an output of the graph",
                 error.message);
  CHECK("donate",
        webnn_build(b, WEBNN_NAMED_OPERANDS({"w", w}, {"y", y}), &graph, &error) == WEBNN_OK, "%s",
        error.message);
  refuse(b, z, w, "donate: the builder has built its graph");
  webnn_free_graph(graph);
  webnn_free_builder(b);
  webnn_free_builder(other);
}

static void refuse_dispatch(webnn_context *context, webnn_graph *graph, webnn_tensor *const *inputs,
                            webnn_tensor *const *outputs, const char *expected) {
  webnn_error error = WEBNN_ZERO;
  const webnn_status status = webnn_dispatch(
      context, graph, WEBNN_NAMED_TENSORS({"x", inputs[0]}, {"z", inputs[1]}),
      WEBNN_NAMED_TENSORS({"y0", outputs[0]}, {"y1", outputs[1]}, {"y2", outputs[2]}), &error);
  CHECK("dispatch", status == (*expected != 0 ? WEBNN_TYPE_ERROR : WEBNN_OK), "%s: %s", expected,
        error.message);
  expect_message("dispatch", expected, error.message);
}

/* Which tensors may be the same: those of a pair, and no others. In order and out of order. */
static void check_bindings(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  const webnn_operand_descriptor shape = WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3);
  webnn_operand *x = webnn_input(b, "x", shape), *z = webnn_input(b, "z", shape);
  webnn_operand *y = webnn_donate(b, x, webnn_relu(b, x, NULL));
  webnn_operand *w = webnn_donate(b, z, webnn_neg(b, z, NULL));
  webnn_graph *graph = NULL;
  webnn_tensor *t[5] = {NULL};
  webnn_error error = WEBNN_ZERO;
  int i;
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y0", y}, {"y1", w}, {"y2", webnn_abs(b, x, NULL)}),
                    &graph, &error);
  webnn_free_builder(b);
  for (i = 0; i < 5; i++) {
    (void)webnn_create_graph_tensor(graph, "x", &t[i], &error);
  }
  {
    webnn_tensor *in[2] = {t[0], t[1]}, *twice[2] = {t[0], t[0]};
    webnn_tensor *both[3] = {t[0], t[1], t[2]}, *crossed[3] = {t[1], t[0], t[2]};
    webnn_tensor *first[3] = {t[0], t[2], t[3]}, *third[3] = {t[2], t[1], t[0]};
    webnn_tensor *all[3] = {t[0], t[0], t[2]}, *outputs[3] = {t[2], t[3], t[3]};
    refuse_dispatch(context, graph, in, both, "");
    refuse_dispatch(context, graph, in, first, "");
    refuse_dispatch(context, graph, in, crossed, "dispatch: \"z\" and \"y0\" are the same tensor");
    refuse_dispatch(context, graph, in, third, "dispatch: \"x\" and \"y2\" are the same tensor");
    refuse_dispatch(context, graph, in, all, "dispatch: \"x\" and \"y1\" are the same tensor");
    refuse_dispatch(context, graph, in, outputs, "dispatch: \"y1\" and \"y2\" are the same tensor");
    refuse_dispatch(context, graph, twice, both, "dispatch: \"x\" and \"z\" are the same tensor");
  }
  CHECK("dispatch",
        webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"z", t[1]}, {"x", t[0]}),
                       WEBNN_NAMED_TENSORS({"y2", t[2]}, {"y1", t[1]}, {"y0", t[0]}),
                       &error) == WEBNN_OK,
        "out of order: %s", error.message);
  CHECK("dispatch",
        webnn_dispatch(context, graph, WEBNN_NAMED_TENSORS({"x", t[0]}, {"z", t[1]}),
                       WEBNN_NAMED_TENSORS({"y0", t[0]}, {"y1", t[1]}, {"y2", t[2]}, {"y0", t[0]}),
                       &error) == WEBNN_TYPE_ERROR,
        "four outputs");
  /* destroyed while it has two uses */
  webnn_destroy_tensor(t[0]);
  for (i = 0; i < 5; i++) {
    webnn_free_tensor(t[i]);
  }
  webnn_free_graph(graph);
}

/* webnn_compute: one memory for a pair, but no part of it, and not for others. */
static void check_compute(webnn_context *context) {
  static float memory[4 * COUNT];
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = build(context, &graphs[0], WEBNN_FLOAT32, true, false, &error); /* one_row */
  const float row[WIDTH] = {1, 2, 3, 4};
  const int32_t at[1] = {2};
  int i;
  for (i = 0; i < 4 * COUNT; i++) {
    memory[i] = (float)i + 10;
  }
  CHECK("compute",
        webnn_compute(context, graph,
                      WEBNN_INPUTS({"x", memory, COUNT * sizeof(float)}, {"row", row, sizeof row},
                                   {"at", at, sizeof at}),
                      WEBNN_OUTPUTS({"y0", memory, COUNT * sizeof(float)}), &error) == WEBNN_OK,
        "%s", error.message);
  for (i = 0; i < COUNT; i++) {
    const float expected = i / WIDTH == 2 ? row[i % WIDTH] : (float)i + 10;
    CHECK("compute", memory[i] == expected, "element %d is %g, not %g", i, (double)memory[i],
          (double)expected);
  }
  CHECK("compute",
        webnn_compute(context, graph,
                      WEBNN_INPUTS({"x", memory, COUNT * sizeof(float)}, {"row", row, sizeof row},
                                   {"at", at, sizeof at}),
                      WEBNN_OUTPUTS({"y0", memory + WIDTH, COUNT * sizeof(float)}),
                      &error) == WEBNN_TYPE_ERROR,
        "shifted by a row");
  expect_message("compute", "compute: the memory of input \"x\" and output \"y0\" overlaps",
                 error.message);
  error.status = WEBNN_OK;
  CHECK("compute",
        webnn_compute(context, graph,
                      WEBNN_INPUTS({"x", memory, COUNT * sizeof(float)},
                                   {"row", memory + WIDTH, sizeof row}, {"at", at, sizeof at}),
                      WEBNN_OUTPUTS({"y0", memory, COUNT * sizeof(float)}),
                      &error) == WEBNN_TYPE_ERROR,
        "the row is of the cache");
  expect_message("compute", "\"row\"", error.message);
  webnn_free_graph(graph);
}

/* Sizes that are known late: equal, and not. */
static void check_dynamic(webnn_context *context) {
  webnn_builder *b = test_builder(context);
  const uint32_t n = webnn_dynamic_dimension(b, "n");
  webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 3));
  webnn_operand *z =
      webnn_input(b, "z", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, WEBNN_DYNAMIC_DIMENSION, 3));
  webnn_operand *narrow = webnn_input(b, "w", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, n, 2));
  webnn_operand *y = webnn_concat(b, WEBNN_OPERANDS(x, z), 0, NULL);
  webnn_operand *bad = webnn_relu(b, narrow, NULL);
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_named_shape shapes[2] = {{"x", WEBNN_LIST(2, 3)}, {"z", WEBNN_LIST(4, 3)}}, result;
  float data[6 * 3] = {0}, more[4 * 3] = {0};
  refuse(b, x, bad,
         "donate: input \"x\" is float32 [\"n\", 3], but the output is float32 [\"n\", 2]");
  (void)webnn_build(b, WEBNN_NAMED_OPERANDS({"y", webnn_donate(b, z, y)}), &graph, &error);
  webnn_free_builder(b);
  if (!MUST("dynamic", graph != NULL, "%s", error.message)) {
    return;
  }
  CHECK("dynamic", webnn_compute_shapes(graph, shapes, 2, &result, 1, &error) == WEBNN_TYPE_ERROR,
        "4 rows in place of 6");
  expect_message("dynamic",
                 "computeShapes: donate: input \"z\" is float32 [4, 3], but the output is float32 "
                 "[6, 3]; the inputs are \"x\" [2, 3], \"z\" [4, 3]",
                 error.message);
  error.status = WEBNN_OK;
  CHECK("dynamic",
        webnn_compute(context, graph, WEBNN_INPUTS({"x", data, 2 * 3 * 4}, {"z", more, 4 * 3 * 4}),
                      WEBNN_OUTPUTS({"y", data, sizeof data}), &error) == WEBNN_TYPE_ERROR,
        "4 rows in place of 6");
  expect_message("dynamic", "compute: donate: input \"z\"", error.message);
  webnn_free_graph(graph);
}

/* ---- Every allocation fails, and eight threads ------------------------------------------------- */

static void check_allocations(webnn_numerics numerics) {
  hook memory;
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context;
  size_t n, failed = 0, i;
  memset(&memory, 0, sizeof memory);
  options.allocator.allocate = hook_allocate;
  options.allocator.release = hook_release;
  options.allocator.user = &memory;
  options.threads = 1;
  options.numerics = numerics;
  context = test_context(&options);
  for (i = 0; i < GRAPHS; i++) {
    bool more = true;
    for (n = 1; more; n++) {
      webnn_error error = WEBNN_ZERO;
      webnn_graph *graph;
      memory.fail_at = memory.calls + n;
      memory.failures = 0;
      graph = build(context, &graphs[i], WEBNN_FLOAT32, true, false, &error);
      more = memory.failures > 0;
      memory.fail_at = 0;
      failed += more ? 1 : 0;
      CHECK("allocation", more || graph != NULL, "%s: %s", graphs[i].name, error.message);
      webnn_free_graph(graph);
    }
  }
  CHECK("allocation", failed > 10 * GRAPHS, "only %u allocations", (unsigned)failed);
  webnn_free_context(context);
  CHECK("allocation", memory.live_count == 0 && memory.bad_release == 0, "%u left, %u bad",
        (unsigned)memory.live_count, (unsigned)memory.bad_release);
}

#if defined(WEBNN_NO_THREADS) || defined(_WIN32)

static void check_threads(void) {
  test_skip("threads", "the library is compiled without threads, or there is no pthread.h");
}

#else
#include <pthread.h>

enum { STEPS = 40 };

typedef struct worker {
  pthread_t thread;
  webnn_context *context;
  webnn_graph *graph;
  uint32_t number, wrong;
} worker;

/* A cache of its own, in which a row of the worker's number is written at each step. */
static void *work(void *user) {
  worker *w = (worker *)user;
  float cache[ROWS][WIDTH], expected[ROWS][WIDTH], sums[ROWS][WIDTH], row[WIDTH];
  int i, j;
  memset(cache, 0, sizeof cache);
  memset(expected, 0, sizeof expected);
  for (i = 0; i < STEPS; i++) {
    const int32_t at[1] = {(int32_t)(((uint32_t)i + w->number) % ROWS)};
    float old = 0;
    for (j = 0; j < WIDTH; j++) {
      row[j] = (float)(w->number * 100 + (uint32_t)(i + j));
    }
    for (j = 0; j < ROWS; j++) {
      old += expected[j][0];
    }
    memcpy(expected[at[0]], row, sizeof row);
    w->wrong += webnn_compute(w->context, w->graph,
                              WEBNN_INPUTS({"x", cache, sizeof cache}, {"row", row, sizeof row},
                                           {"at", at, sizeof at}),
                              WEBNN_OUTPUTS({"y0", cache, sizeof cache}, {"y2", sums, sizeof sums}),
                              NULL) != WEBNN_OK ||
                        memcmp(cache, expected, sizeof cache) != 0 || sums[ROWS - 1][0] != old
                    ? 1
                    : 0;
  }
  return NULL;
}

static void check_threads(void) {
  static const test_graph test = GRAPH(read_after, true, false);
  webnn_context *context = test_context(NULL);
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = build(context, &test, WEBNN_FLOAT32, true, false, &error);
  worker workers[8];
  uint32_t i;
  for (i = 0; i < 8; i++) {
    memset(&workers[i], 0, sizeof workers[i]);
    workers[i].context = context;
    workers[i].graph = graph;
    workers[i].number = i;
    MUST("threads", pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "no thread");
  }
  for (i = 0; i < 8; i++) {
    pthread_join(workers[i].thread, NULL);
    CHECK("threads", workers[i].wrong == 0, "thread %u: %u of %d are wrong", (unsigned)i,
          (unsigned)workers[i].wrong, STEPS);
  }
  webnn_free_graph(graph);
  webnn_free_context(context);
}
#endif

int main(void) {
  int i;
  for (i = 0; i < 4; i++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context;
    options.numerics = i == 0 ? WEBNN_NUMERICS_REFERENCE : WEBNN_NUMERICS_FAST;
    options.disabled_passes = i == 1 ? UINT32_MAX : 0;
    options.threads = i == 2 ? 1 : 3;
    context = test_context(&options);
    check_graphs(context, false);
    check_graphs(context, true);
    check_donate(context);
    check_bindings(context);
    check_compute(context);
    check_dynamic(context);
    webnn_free_context(context);
  }
  check_copies();
  check_untouched();
  check_allocations(WEBNN_NUMERICS_FAST);
  check_allocations(WEBNN_NUMERICS_REFERENCE);
  check_threads();
  return test_end();
}
