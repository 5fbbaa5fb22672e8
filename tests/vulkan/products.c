/* Products, convolutions, pools, resampling and recurrent networks in Vulkan contexts against a
   reference context: random small shapes and every option that changes the code path, in float32
   and float16, and in integers where the operator takes them. A result may differ by the graph's
   tolerance, or by a few roundings of the largest result, since sums may cancel. Shapes are few and
   small: on software drivers a new kernel costs some 50 ms. Then some cases again with the kernels
   that a GPU would get, and some with those of a GPU with four storage buffers for a kernel.

   The driver is the one that VK_ICD_FILENAMES names. An argument is the number of rounds. */
/* Cooperative matrices without them, of subgroups of 32 without them: one to be loaded is where it
   lies, and of one of sums each of the 32 invocations has every 32nd element. */
#include <stdbool.h>
#define WEBNN_VK__MATRIX_NAMES(bytes) matrix_names(bytes)
static const char *matrix_names(bool bytes);
#define WEBNN_IMPLEMENTATION
#include "test.h"
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#include "random.h"

#include <math.h>

static const char *const matrix_text =
    "#define LEFT uvec3\n"
    "#define RIGHT uvec3\n"
    "#define EACH (M * N / 32u)\n"
    "#define OWNER (gl_LocalInvocationID.x / 32u)\n"
    "#define LANE (gl_LocalInvocationID.x % 32u)\n"
    "#define all_lanes barrier\n"
    "#define SUMS SUM[EACH]\n"
    "#define A_TILE\n"
    "#define B_TILE\n"
    "#define OF_SUMS\n"
    "#define IS ;\n"
    "#define BY_ROWS 1u\n"
    "#define BY_COLUMNS 0u\n"
    "void load_left(out uvec3 m, uint at, uint stride, uint by_rows) {\n"
    "  m = uvec3(at, stride, by_rows) * uvec3(A_UNIT, A_UNIT, 1u);\n"
    "}\n"
    "void load_right(out uvec3 m, uint at, uint stride, uint by_rows) {\n"
    "  m = uvec3(at, stride, by_rows) * uvec3(B_UNIT, B_UNIT, 1u);\n"
    "}\n"
    "uint place_in(uvec3 m, uint row, uint column) {\n"
    "  return m.x + (m.z == 1u ? row * m.y + column : column * m.y + row);\n"
    "}\n"
    "void product_sum(uvec3 p, uvec3 q, inout SUM s[EACH]) {\n"
    "  [[dont_unroll]] for (uint i = 0u; i < EACH; i++) {\n"
    "    uint e = i * 32u + LANE;\n"
    "    [[dont_unroll]] for (uint k = 0u; k < K; k++) {\n"
    "      uint a = place_in(p, e / N, k);\n"
    "      uint b = place_in(q, k, e % N);\n"
    "      s[i] = plus_product(a, b, s[i]);\n"
    "    }\n"
    "  }\n"
    "}\n"
    "void store_sums(SUM s[EACH], uint at, uint stride, uint by_rows) {\n"
    "  [[dont_unroll]] for (uint i = 0u; i < EACH; i++) {\n"
    "    uint e = i * 32u + LANE;\n"
    "    sums[at + e / N * stride + e % N] = s[i];\n"
    "  }\n"
    "}\n"
    "#define NO_SUMS SUM[EACH](";

/* The product of elements a and b of the tiles: a unit is a float16_t or a uvec4, and both become
   either; or a word of four bytes. */
static const char *const half_text =
    "float part_of(uvec4 w, uint i) {\n"
    "  vec2 two = unpackHalf2x16(w[i >> 1]);\n"
    "  return (i & 1u) == 0u ? two.x : two.y;\n"
    "}\n"
    "float a_half(A_TYPE x, uint i) { return A_UNIT == 1u ? float(x) : part_of(uvec4(x), i); }\n"
    "float b_half(B_TYPE x, uint i) { return B_UNIT == 1u ? float(x) : part_of(uvec4(x), i); }\n"
    "float plus_product(uint a, uint b, float s) {\n"
    "  return s + a_half(a_tile[a / A_UNIT], a % A_UNIT) *\n"
    "                 b_half(b_tile[b / B_UNIT], b % B_UNIT);\n"
    "}\n";
static const char *const byte_text =
    "int plus_product(uint a, uint b, int s) { return add_term(a_tile[a], b_tile[b], s); }\n";

/* What devices list: NVIDIA, AMD; Intel; NVIDIA; and others. */
static const webnn_vk__matrix_shape shapes[] = {
    {16, 16, 16, false}, {8, 16, 16, false}, {16, 8, 16, false}, {8, 8, 16, false},
    {16, 8, 8, false},   {8, 8, 32, false},  {16, 16, 32, false}};
static const webnn_vk__matrix_shape byte_shapes[] = {
    {16, 16, 32, true}, {8, 16, 32, true}, {16, 8, 32, true}, {8, 8, 32, true},
    {16, 16, 16, true}, {8, 8, 8, true},   {16, 16, 64, true}};

static const webnn_vk__matrix_shape *pretended, *pretended_bytes; /* or NULL */
static unsigned byte_matrices, half_matrices;                     /* kernels with these */

static const char *matrix_names(bool bytes) {
  static char text[8192];
  const webnn_vk__matrix_shape *shape = bytes ? pretended_bytes : pretended;
  uint32_t i;
  byte_matrices += bytes;
  half_matrices += !bytes;
  if (shape == NULL) {
    return WEBNN_VK__COOPERATIVE_NAMES;
  }
  strcpy(text, bytes ? byte_text : half_text);
  strcat(text, matrix_text);
  for (i = 32; i < shape->m * shape->n; i += 32) {
    strcat(text, "SUM(0), ");
  }
  strcat(text, "SUM(0))\n");
  return text;
}

static bool chance(uint32_t n) {
  return below(n) == 0;
}

/* ---- A graph of one case: its inputs and outputs ---- */

#define MOST 12

typedef struct scene {
  webnn_builder *builder;
  bool constants; /* inputs but the first are constants */
  size_t inputs, outputs;
  webnn_named_input in[MOST];
  webnn_data_type types[MOST];
  webnn_named_operand out[4];
  double slack; /* of the largest result; 0: the tolerance alone */
} scene;

static const char *const input_names[MOST] = {"a", "b", "c", "d", "e", "f",
                                              "g", "h", "i", "j", "k", "l"};
static const char *const output_names[4] = {"y0", "y1", "y2", "y3"};

static size_t bytes_of(webnn_data_type type, webnn_list shape) {
  return (test_element_count(shape) * webnn_data_type_bits(type) + 7) / 8;
}

/* A constant, or an input, that takes over the data. */
static webnn_operand *operand_over(scene *s, webnn_data_type type, webnn_list shape, void *data,
                                   bool constant) {
  const size_t bytes = bytes_of(type, shape);
  webnn_operand_descriptor d;
  d.data_type = type;
  d.shape = shape;
  if (constant) {
    webnn_operand *operand = webnn_constant(s->builder, d, data, bytes);
    free(data);
    return operand;
  }
  s->in[s->inputs].name = input_names[s->inputs];
  s->in[s->inputs].data = data;
  s->in[s->inputs].byte_length = bytes;
  s->types[s->inputs] = type;
  return webnn_input(s->builder, input_names[s->inputs++], d);
}

static webnn_operand *operand_between(scene *s, webnn_data_type type, webnn_list shape, double low,
                                      double high, bool constant) {
  const size_t count = test_element_count(shape);
  void *data = test_allocate(bytes_of(type, shape));
  size_t i;
  for (i = 0; i < count; i++) {
    test_set(type, data, i, test_random_between(&random_state, low, high));
  }
  return operand_over(s, type, shape, data, constant);
}

static webnn_operand *operand_of(scene *s, webnn_data_type type, webnn_list shape) {
  const bool is_float = test_is_float(type);
  return operand_between(s, type, shape, is_float ? -1 : -128, is_float ? 1 : 255,
                         s->constants && s->inputs > 0);
}

static void result_of(scene *s, webnn_operand *y) {
  s->out[s->outputs].name = output_names[s->outputs];
  s->out[s->outputs++].operand = y;
}

/* Makes a case: the same one in each context, since the seed is. */
typedef void (*maker)(scene *s);

static webnn_context *reference, *vulkan;

static bool run(webnn_context *context, maker make, scene *s, void **results,
                webnn_tolerance *tolerance, const char *name) {
  webnn_named_output outputs[4];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  bool good;
  size_t i;
  memset(s, 0, sizeof *s);
  s->builder = test_builder(context);
  s->constants = chance(2);
  make(s);
  for (i = 0; i < s->outputs; i++) {
    const size_t bytes = bytes_of(webnn_operand_data_type(s->out[i].operand),
                                  webnn_operand_shape(s->out[i].operand));
    results[i] = test_allocate(bytes);
    outputs[i].name = s->out[i].name;
    outputs[i].data = results[i];
    outputs[i].byte_length = bytes;
  }
  good = CHECK(name, webnn_build(s->builder, s->out, s->outputs, &graph, &error) == WEBNN_OK, "%s",
               error.message);
  *tolerance = webnn_graph_tolerance(graph, 0);
  good = good && CHECK(name,
                       webnn_compute(context, graph, s->in, s->inputs, outputs, s->outputs,
                                     &error) == WEBNN_OK,
                       "%s", error.message);
  for (i = 0; i < s->inputs; i++) {
    free((void *)(uintptr_t)s->in[i].data);
  }
  return good;
}

static double magnitude(double x) {
  return x < 0 ? -x : x;
}

/* The first element that is outside the tolerance; the count if there is none. */
static size_t first_wrong(webnn_data_type type, const void *want, const void *got, size_t count,
                          webnn_tolerance tolerance, double slack) {
  const double unit = type == WEBNN_FLOAT32 ? 0x1p-24 : 0x1p-11;
  double largest = 1;
  size_t i;
  for (i = 0; i < count && test_is_float(type); i++) {
    const double size = magnitude(test_get(type, want, i));
    largest = size > largest && size < 1e30 ? size : largest;
  }
  for (i = 0; i < count; i++) {
    const double w = test_get(type, want, i), g = test_get(type, got, i);
    const double distance = (double)webnn_ulp_distance(type, got, want, i);
    const double most = tolerance.metric == WEBNN_METRIC_ULP ? tolerance.value : 0;
    if (distance > most && !(test_is_float(type) && magnitude(w - g) <= slack * unit * largest)) {
      return i;
    }
  }
  return count;
}

/* Are the results within the tolerance? `seed` made the case. */
static void compare(const char *name, const scene *s, void *const *want, void *const *got,
                    webnn_tolerance tolerance, uint64_t seed) {
  size_t i;
  for (i = 0; i < s->outputs; i++) {
    const webnn_data_type type = webnn_operand_data_type(s->out[i].operand);
    const webnn_list shape = webnn_operand_shape(s->out[i].operand);
    const size_t count = test_element_count(shape);
    const size_t at = first_wrong(type, want[i], got[i], count, tolerance, s->slack);
    CHECK(name, at == count, "%s %s, output %lu, seed %llu: element %lu is %.9g, expected %.9g",
          webnn_data_type_name(type), test_shape_text(shape), (unsigned long)i,
          (unsigned long long)seed, (unsigned long)at, at < count ? test_get(type, got[i], at) : 0,
          at < count ? test_get(type, want[i], at) : 0);
  }
}

static void free_results(void **results) {
  size_t i;
  for (i = 0; i < 4; i++) {
    free(results[i]);
  }
}

static void check(const char *name, maker make) {
  const uint64_t before = random_state;
  void *want[4] = {NULL}, *got[4] = {NULL};
  webnn_tolerance tolerance;
  scene exact, s;
  bool good = run(reference, make, &exact, want, &tolerance, name);
  random_state = before;
  if (run(vulkan, make, &s, got, &tolerance, name) && good) {
    compare(name, &s, want, got, tolerance, before);
  }
  free_results(want);
  free_results(got);
  webnn_free_builder(exact.builder);
  webnn_free_builder(s.builder);
}

static webnn_data_type a_float(void) {
  return chance(2) ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
}

/* ---- matmul, gemm ---- */

static void make_matmul(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t m = 1 + below(5), n = 1 + below(5), k = 1 + below(9), rank = below(4);
  uint32_t a[WEBNN_MAX_RANK], b[WEBNN_MAX_RANK], i, cut = below(rank + 1);
  webnn_operand *x, *w;
  for (i = 0; i < rank; i++) {
    a[i] = b[i] = 1 + below(3);
    if (chance(3)) {
      *(chance(2) ? &a[i] : &b[i]) = 1;
    }
  }
  a[rank] = m;
  a[rank + 1] = b[rank] = k;
  b[rank + 1] = n;
  x = operand_of(s, type, webnn_list_of(a, rank + 2));
  w = operand_of(s, type, webnn_list_of(b + cut, rank + 2 - cut));
  s->slack = 40;
  result_of(s, webnn_matmul(s->builder, x, w, NULL));
}

/* A product, its bias, a residual and a bound, which passes merge. */
static void make_fused_matmul(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t m = 1 + below(5), n = 1 + below(6), k = 1 + below(9);
  const bool swap_a = chance(2), swap_b = chance(2);
  const uint32_t swapped[3] = {0, 2, 1};
  webnn_transpose_options t = WEBNN_ZERO;
  webnn_clamp_options clamp = WEBNN_ZERO;
  webnn_operand *x, *w, *y;
  t.permutation = webnn_list_of(swapped, 3);
  x = operand_of(s, type, swap_a ? WEBNN_LIST(2, k, m) : WEBNN_LIST(2, m, k));
  w = operand_of(s, type, swap_b ? WEBNN_LIST(2, n, k) : WEBNN_LIST(2, k, n));
  x = swap_a ? webnn_transpose(s->builder, x, &t) : x;
  w = swap_b ? webnn_transpose(s->builder, w, &t) : w;
  y = webnn_matmul(s->builder, x, w, NULL);
  if (!chance(3)) {
    y = webnn_add(s->builder, y, operand_of(s, type, chance(2) ? WEBNN_LIST(1) : WEBNN_LIST(n)),
                  NULL);
  }
  if (chance(2)) {
    y = webnn_add(s->builder, y, operand_of(s, type, WEBNN_LIST(2, m, n)), NULL);
  }
  if (chance(2)) {
    clamp.min_value = webnn_f64(-0.5);
    clamp.max_value = webnn_f64(0.75);
    y = webnn_clamp(s->builder, y, &clamp);
  } else {
    y = webnn_relu(s->builder, y, NULL);
  }
  s->slack = 100;
  result_of(s, y);
}

static void make_gemm(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t m = 1 + below(6), n = 1 + below(6), k = 1 + below(9), form = below(6);
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.a_transpose = chance(2);
  o.b_transpose = chance(2);
  x = operand_of(s, type, o.a_transpose ? WEBNN_LIST(k, m) : WEBNN_LIST(m, k));
  w = operand_of(s, type, o.b_transpose ? WEBNN_LIST(n, k) : WEBNN_LIST(k, n));
  if (form > 0) {
    o.c = operand_of(s, type,
                     form == 1   ? WEBNN_EMPTY_LIST
                     : form == 2 ? WEBNN_LIST(n)
                     : form == 3 ? WEBNN_LIST(m, 1)
                     : form == 4 ? WEBNN_LIST(1, n)
                                 : WEBNN_LIST(m, n));
  }
  if (chance(2)) {
    o.alpha = webnn_f64(0.5);
  }
  if (chance(2)) {
    o.beta = webnn_f64(-1.5);
  }
  s->slack = 40;
  result_of(s, webnn_gemm(s->builder, x, w, &o));
}

/* Products in tiles: odd and even sizes, several tiles, split sums. */
static void make_large_product(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t m = 17 + below(50), n = 17 + below(50), batch = 1 + below(2);
  const uint32_t k = chance(3) ? 300 + below(40) : 65536 / m / n + 1 + below(30);
  const bool swap_a = chance(2), swap_b = chance(2);
  const uint32_t swapped[3] = {0, 2, 1};
  webnn_transpose_options t = WEBNN_ZERO;
  webnn_operand *x, *w, *y;
  t.permutation = webnn_list_of(swapped, 3);
  x = operand_of(s, type, swap_a ? WEBNN_LIST(batch, k, m) : WEBNN_LIST(batch, m, k));
  w = operand_of(s, type, swap_b ? WEBNN_LIST(1, n, k) : WEBNN_LIST(1, k, n));
  x = swap_a ? webnn_transpose(s->builder, x, &t) : x;
  w = swap_b ? webnn_transpose(s->builder, w, &t) : w;
  y = webnn_matmul(s->builder, x, w, NULL);
  if (chance(2)) {
    y = webnn_add(s->builder, y, operand_of(s, type, WEBNN_LIST(n)), NULL);
  }
  s->slack = 40;
  result_of(s, y);
}

/* A matrix times a column, with a summand of each shape that fits. */
static void make_column(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t m = 2 + below(90), batch = 1 + below(2), k = 16384 / m + 64 + 8 * below(3);
  const bool swap_a = chance(2);
  const uint32_t swapped[3] = {0, 2, 1};
  webnn_transpose_options t = WEBNN_ZERO;
  webnn_operand *x, *w, *y;
  s->slack = 40;
  if (chance(2)) {
    webnn_gemm_options gemm = WEBNN_ZERO;
    gemm.a_transpose = swap_a;
    gemm.c = operand_of(s, type, chance(2) ? WEBNN_LIST(m, 1) : WEBNN_LIST(1));
    x = operand_of(s, type, swap_a ? WEBNN_LIST(k, m) : WEBNN_LIST(m, k));
    result_of(s, webnn_gemm(s->builder, x, operand_of(s, type, WEBNN_LIST(k, 1)), &gemm));
    return;
  }
  t.permutation = webnn_list_of(swapped, 3);
  x = operand_of(s, type, swap_a ? WEBNN_LIST(batch, k, m) : WEBNN_LIST(batch, m, k));
  w = operand_of(s, type, WEBNN_LIST(1, k, 1));
  x = swap_a ? webnn_transpose(s->builder, x, &t) : x;
  y = webnn_matmul(s->builder, x, w, NULL);
  if (chance(2)) {
    y = webnn_add(s->builder, y, operand_of(s, type, WEBNN_LIST(m, 1)), NULL);
  } else if (chance(2)) {
    y = webnn_add(s->builder, y, operand_of(s, type, WEBNN_LIST(batch, m, 1)), NULL);
  }
  result_of(s, webnn_relu(s->builder, y, NULL));
}

/* So many tiles that they are of the largest size on a GPU. */
static void make_many_products(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t m = 16 + 8 * below(2), n = 16 + below(2) * 8, k = 40 + 8 * below(2) + below(2);
  webnn_operand *x = operand_of(s, type, WEBNN_LIST(100, m, k));
  s->slack = 40;
  result_of(s, webnn_matmul(s->builder, x, operand_of(s, type, WEBNN_LIST(100, k, n)), NULL));
}

/* Few rows, by groups of columns. */
static void make_few_rows(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t m = 1 + below(4), n = 60 + below(20), k = 300 + below(40), batch = 1 + below(2);
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.b_transpose = chance(2);
  s->slack = 40;
  if (chance(2)) {
    x = operand_of(s, type, WEBNN_LIST(m, k));
    w = operand_of(s, type, o.b_transpose ? WEBNN_LIST(n, k) : WEBNN_LIST(k, n));
    o.c = operand_of(s, type, WEBNN_LIST(n));
    result_of(s, webnn_gemm(s->builder, x, w, &o));
  } else {
    x = operand_of(s, type, WEBNN_LIST(batch, m, k));
    w = operand_of(s, type, WEBNN_LIST(batch, k, n));
    result_of(s, webnn_matmul(s->builder, x, w, NULL));
  }
}

/* softmax(q k^T scale + mask) v, which passes merge. */
static void make_attention(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t batch = 1 + below(2), heads = 1 + below(2), m = 1 + below(4);
  const uint32_t n = chance(3) ? 70 + below(70) : 2 + below(9);
  const uint32_t depth = 3 + below(8), value_depth = chance(3) ? 66 : 3 + below(8);
  webnn_operand *q = operand_of(s, type, WEBNN_LIST(batch, heads, m, depth));
  webnn_operand *k = operand_of(s, type, WEBNN_LIST(batch, heads, depth, n));
  webnn_operand *v = operand_of(s, type, WEBNN_LIST(batch, heads, n, value_depth));
  webnn_operand *scores = webnn_matmul(s->builder, q, k, NULL);
  if (chance(2)) {
    scores = webnn_mul(s->builder, scores, operand_between(s, type, WEBNN_LIST(1), 0.3, 0.7, true),
                       NULL);
  }
  if (chance(2)) {
    scores = webnn_add(
        s->builder, scores,
        operand_of(s, type, chance(2) ? WEBNN_LIST(batch, 1, m, n) : WEBNN_LIST(1, 1, 1, n)), NULL);
  }
  s->slack = 60;
  result_of(s, webnn_matmul(s->builder, webnn_softmax(s->builder, scores, 3, NULL), v, NULL));
}

/* Attention at the borders of its blocks, of rows and of keys: what masks may hold, heads where
   transposes have them, and few rows with many keys, which are split. */
typedef enum mask_kind {
  NO_MASK,
  FINITE_MASK,  /* a row for all */
  ABSENT_KEYS,  /* -infinity for some; in row 0, and in the first 70 keys of row 1, for all */
  CAUSAL_MASK,  /* -infinity above the diagonal */
  SPECIAL_MASK, /* a NaN or infinity, among finite ones or after or before keys that are absent */
  RISING_MASK,  /* later blocks of keys have much larger scores */
  MASK_KINDS
} mask_kind;

static const struct attention_case {
  uint32_t heads, rows, keys, depth, value_depth;
} attention_cases[] = {{1, 1, 1, 1, 1},    {3, 1, 31, 4, 4},    {2, 1, 33, 5, 7},
                       {1, 1, 129, 8, 64}, {1, 1, 1100, 3, 6},  {2, 2, 32, 8, 8},
                       {1, 4, 65, 9, 3},   {2, 5, 128, 12, 68}, {1, 8, 127, 16, 36},
                       {1, 9, 63, 6, 4},   {2, 15, 64, 64, 16}, {1, 17, 300, 5, 12},
                       {2, 31, 33, 8, 8},  {1, 32, 31, 20, 33}, {1, 33, 96, 17, 4},
                       {1, 40, 530, 4, 5}, {1, 63, 64, 8, 12},  {1, 64, 65, 4, 20},
                       {2, 65, 63, 7, 8},  {1, 3, 9, 256, 256}, {1, 34, 70, 72, 130}};

static struct attention_case attended;
static mask_kind attended_mask;
static bool attended_infinite; /* some values */
static int attended_halves;    /* float16; -1: float32, rounded to float16; 0: any */
static uint32_t attended_layout;

static double mask_value(uint32_t row, uint32_t key) {
  const uint32_t first = row / 5 % attended.keys, last = attended.keys - 1;
  const uint32_t at = row % 5 < 2 ? (row * 7 + 3) % attended.keys : row % 5 < 4 ? first : last;
  switch (attended_mask) {
  case ABSENT_KEYS:
    return row == 0 || (row == 1 && key < 70) || (row + key) % 3 == 1 ? -(double)INFINITY : 0.25;
  case CAUSAL_MASK:
    return key > row ? -(double)INFINITY : 0;
  case SPECIAL_MASK:
    return key == at ? row % 2 == 0 ? (double)NAN : (double)INFINITY
           : row % 5 < 2 || (row % 5 == 2 && key >= 70) || row > 9 ? 0.5
                                                                   : -(double)INFINITY;
  case RISING_MASK:
    return key / 8;
  default:
    return (double)(key % 5) / 4;
  }
}

/* The mask as an input; for all rows, or one that broadcasts. */
static webnn_operand *attention_mask(scene *s, webnn_data_type type) {
  const uint32_t rows =
      attended_mask == FINITE_MASK || attended_mask == RISING_MASK ? 1 : attended.rows;
  const webnn_list shape = WEBNN_LIST(1, 1, rows, attended.keys);
  void *data = test_allocate(bytes_of(type, shape));
  uint32_t i, j;
  for (i = 0; i < rows; i++) {
    for (j = 0; j < attended.keys; j++) {
      test_set(type, data, (size_t)i * attended.keys + j, mask_value(i, j));
    }
  }
  return operand_over(s, type, shape, data, false);
}

/* An operand of heads x rows x depth, which layout 1 has by rows, and layout 2 turned. */
static webnn_operand *head_operand(scene *s, webnn_data_type type, uint32_t rows, uint32_t depth,
                                   bool turns) {
  static const uint32_t by_rows[4] = {0, 2, 1, 3}, turned[4] = {0, 1, 3, 2};
  const uint32_t heads = attended.heads;
  webnn_transpose_options t = WEBNN_ZERO;
  if (attended_layout == 1) {
    t.permutation = webnn_list_of(by_rows, 4);
    return webnn_transpose(s->builder, operand_of(s, type, WEBNN_LIST(1, rows, heads, depth)), &t);
  }
  if (turns) {
    t.permutation = webnn_list_of(turned, 4);
    return webnn_transpose(s->builder, operand_of(s, type, WEBNN_LIST(1, heads, depth, rows)), &t);
  }
  return operand_of(s, type, WEBNN_LIST(1, heads, rows, depth));
}

static void make_attention_case(scene *s) {
  static const uint32_t turned[4] = {0, 1, 3, 2}, by_rows[4] = {0, 2, 1, 3};
  const webnn_data_type any = a_float();
  const webnn_data_type type = attended_halves > 0   ? WEBNN_FLOAT16
                               : attended_halves < 0 ? WEBNN_FLOAT32
                                                     : any;
  const struct attention_case *c = &attended;
  webnn_transpose_options t = WEBNN_ZERO;
  webnn_operand *q, *k, *v, *y;
  s->constants = s->constants && !attended_infinite;
  q = head_operand(s, type, c->rows, c->depth, false);
  if (attended_layout == 0) {
    k = operand_of(s, type, WEBNN_LIST(1, c->heads, c->depth, c->keys));
  } else {
    t.permutation = webnn_list_of(turned, 4);
    k = webnn_transpose(s->builder, head_operand(s, type, c->keys, c->depth, false), &t);
  }
  v = head_operand(s, type, c->keys, c->value_depth, attended_layout == 2);
  if (attended_infinite) {
    void *data = (void *)(uintptr_t)s->in[s->inputs - 1].data;
    test_set(type, data, 0, (double)INFINITY);
    test_set(type, data, test_element_count(webnn_operand_shape(v)) - 1, -(double)INFINITY);
  }
  y = webnn_matmul(s->builder, q, k, NULL);
  y = webnn_mul(s->builder, y, operand_between(s, type, WEBNN_LIST(1), 0.3, 0.7, true), NULL);
  if (attended_mask != NO_MASK) {
    y = webnn_add(s->builder, y, attention_mask(s, type), NULL);
  }
  y = webnn_matmul(s->builder, webnn_softmax(s->builder, y, 3, NULL), v, NULL);
  if (attended_layout == 1) {
    t.permutation = webnn_list_of(by_rows, 4);
    y = webnn_transpose(s->builder, y, &t);
  }
  s->slack = attended_halves < 0 ? 65536 : 60;
  result_of(s, y);
}

static void pretend_gpu(webnn_vk__traits *traits, unsigned round);

/* A device of a profile (profile_loader.c) refuses kernels that need what it lacks; drivers take more
   than they list. */
static bool is_described(void) {
  return getenv("WEBNN_PROFILE") != NULL;
}

/* The shared memory of a GPU, if this device takes kernels with so much. */
static uint32_t much_shared(const webnn_vk__traits *traits) {
  return is_described() && traits->shared_bytes < 49152 ? traits->shared_bytes : 49152;
}

/* With cooperative matrices, of the next of the shapes for each case. */
static void check_attention_matrices(webnn_vk__traits *traits) {
  const size_t count = sizeof attention_cases / sizeof *attention_cases;
  const unsigned before = half_matrices;
  size_t i;
  traits->shared_bytes = much_shared(traits);
  for (i = 0; i < 2 * count; i++) {
    attended = attention_cases[i % count];
    attended_layout = (uint32_t)(i / 2 % 3);
    attended_mask = (mask_kind)((i + i / count) % MASK_KINDS);
    attended_halves = i % 5 == 4 ? -1 : 1;
    attended_infinite = attended_halves > 0 && attended_mask <= FINITE_MASK;
    traits->relaxed = attended_halves < 0;
    pretend_gpu(traits, (unsigned)i);
    if (attended.rows > 8) {
      check("attention with matrices", make_attention_case);
    }
  }
  attended_halves = 0;
  attended_infinite = false;
  CHECK("attention with matrices", pretended == NULL || half_matrices >= before + count / 2,
        "%u kernels had them", half_matrices - before);
}

/* As the device is, or as a GPU is; one with the least shared memory that Vulkan has, too. */
static void check_attention(webnn_vk__traits *traits, bool as_gpu) {
  const size_t count = sizeof attention_cases / sizeof *attention_cases;
  const webnn_vk__traits before = *traits;
  size_t i;
  for (i = 0; i < count * (as_gpu ? 2 : 1); i++) {
    attended = attention_cases[i % count];
    traits->shared_bytes = i < count ? before.shared_bytes : 16384;
    attended_layout = (uint32_t)(i / 2 % 3);
    attended_mask = (mask_kind)((i + i / count) % MASK_KINDS);
    check("attention at borders", make_attention_case);
  }
  traits->shared_bytes = before.shared_bytes;
  attended_mask = SPECIAL_MASK;
  for (i = 0; i < count; i++) {
    attended = attention_cases[i];
    if (attended.rows > 4 &&
        attended.keys > 70) { /* of several blocks, the first without a number */
      check("attention of special scores", make_attention_case);
    }
  }
  if (as_gpu) { /* blocks of 64 rows */
    attended.heads = 128;
    attended.rows = 33;
    attended.keys = 11;
    attended.depth = attended.value_depth = 5;
    traits->shared_bytes = before.shared_bytes;
    check("attention of many heads", make_attention_case);
    attended.heads = 64;
    attended.rows = 65;
    attended.value_depth = 8;
    check("attention of many heads", make_attention_case);
    check_attention_matrices(traits);
  }
  *traits = before;
}

/* ---- conv2d, convTranspose2d ---- */

static webnn_list image(uint32_t layout, uint32_t n, uint32_t c, uint32_t h, uint32_t w) {
  return layout == WEBNN_LAYOUT_NCHW ? WEBNN_LIST(n, c, h, w) : WEBNN_LIST(n, h, w, c);
}

static webnn_list some_of(uint32_t count, uint32_t least, uint32_t most) {
  uint32_t items[4], i;
  for (i = 0; i < count; i++) {
    items[i] = least + below(most - least + 1);
  }
  return webnn_list_of(items, count);
}

static webnn_operand *finished(scene *s, webnn_operand *y, webnn_data_type type) {
  if (chance(3)) {
    y = webnn_add(s->builder, y, operand_of(s, type, webnn_operand_shape(y)), NULL);
  }
  return chance(3) ? webnn_relu(s->builder, y, NULL) : y;
}

static void make_conv2d(scene *s) {
  const webnn_data_type type = a_float();
  const bool depthwise = chance(3);
  const uint32_t groups = depthwise ? 1 + below(6) : 1 + below(3);
  const uint32_t inputs = depthwise ? 1 : 1 + below(5), outputs = depthwise ? 1 : 1 + below(5);
  const uint32_t kh = 1 + below(3), kw = 1 + below(3), layout = below(2), form = below(4);
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  if (!chance(3)) {
    o.padding = some_of(4, 0, 2);
  }
  if (chance(2)) {
    o.strides = some_of(2, 1, 3);
  }
  if (chance(2)) {
    o.dilations = some_of(2, 1, 2);
  }
  o.groups = groups;
  o.input_layout = (webnn_input_operand_layout)layout;
  o.filter_layout = (webnn_conv2d_filter_operand_layout)form;
  x = operand_of(s, type, image(layout, 1 + below(2), inputs * groups, 5 + below(4), 5 + below(4)));
  w = operand_of(s, type,
                 form == WEBNN_CONV2D_OIHW   ? WEBNN_LIST(outputs * groups, inputs, kh, kw)
                 : form == WEBNN_CONV2D_HWIO ? WEBNN_LIST(kh, kw, inputs, outputs * groups)
                 : form == WEBNN_CONV2D_OHWI ? WEBNN_LIST(outputs * groups, kh, kw, inputs)
                                             : WEBNN_LIST(inputs, kh, kw, outputs * groups));
  if (chance(2)) {
    o.bias = operand_of(s, type, WEBNN_LIST(outputs * groups));
  }
  s->slack = 60;
  result_of(s, finished(s, webnn_conv2d(s->builder, x, w, &o), type));
}

/* As many groups as channels, and lines of y that are cut into twos, fours or eights, or cannot be. */
static void make_depthwise(scene *s) {
  static const uint32_t dilations[4] = {1, 1, 1, 2}, channels[4] = {8, 16, 24, 5};
  const webnn_data_type type = a_float();
  const uint32_t groups = channels[below(4)], layout = below(2), form = below(4);
  const uint32_t kh = 1 + below(5), kw = 1 + below(7);
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.padding = WEBNN_LIST(below(4), below(4), below(kw), below(kw));
  o.strides = WEBNN_LIST(1 + below(2), chance(8) ? 9 : 1 + below(3) / 2);
  o.dilations = WEBNN_LIST(dilations[below(4)], dilations[below(4)]);
  o.groups = groups;
  o.input_layout = (webnn_input_operand_layout)layout;
  o.filter_layout = (webnn_conv2d_filter_operand_layout)form;
  x = operand_of(s, type, image(layout, 1 + below(2), groups, 9 + below(3), 14 + below(8)));
  w = operand_of(s, type,
                 form == WEBNN_CONV2D_OIHW   ? WEBNN_LIST(groups, 1, kh, kw)
                 : form == WEBNN_CONV2D_HWIO ? WEBNN_LIST(kh, kw, 1, groups)
                 : form == WEBNN_CONV2D_OHWI ? WEBNN_LIST(groups, kh, kw, 1)
                                             : WEBNN_LIST(1, kh, kw, groups));
  if (chance(2)) {
    o.bias = operand_of(s, type, WEBNN_LIST(groups));
  }
  s->slack = 60;
  result_of(s, finished(s, webnn_conv2d(s->builder, x, w, &o), type));
}

static void make_conv_transpose2d(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t groups = 1 + below(3), inputs = 1 + below(4), outputs = 1 + below(4);
  const uint32_t kh = 1 + below(3), kw = 1 + below(3), layout = below(2), form = below(3);
  webnn_conv_transpose2d_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.strides = some_of(2, 1, 3);
  if (chance(2)) {
    o.padding = some_of(4, 0, 1);
  }
  if (chance(2)) {
    o.dilations = some_of(2, 1, 2);
  }
  if (chance(2)) {
    o.output_padding = WEBNN_LIST(below(o.strides.items[0]), below(o.strides.items[1]));
  }
  o.groups = groups;
  o.input_layout = (webnn_input_operand_layout)layout;
  o.filter_layout = (webnn_conv_transpose2d_filter_operand_layout)form;
  x = operand_of(s, type, image(layout, 1 + below(2), inputs * groups, 3 + below(3), 3 + below(3)));
  w = operand_of(s, type,
                 form == WEBNN_CONV_TRANSPOSE2D_IOHW ? WEBNN_LIST(inputs * groups, outputs, kh, kw)
                 : form == WEBNN_CONV_TRANSPOSE2D_HWOI
                     ? WEBNN_LIST(kh, kw, outputs, inputs * groups)
                     : WEBNN_LIST(outputs, kh, kw, inputs * groups));
  if (chance(2)) {
    o.bias = operand_of(s, type, WEBNN_LIST(outputs * groups));
  }
  s->slack = 60;
  result_of(s, webnn_conv_transpose2d(s->builder, x, w, &o));
}

/* Inputs of a group: whole steps of a tile of 16, 32 or 64 terms, one more or less, or few. */
static uint32_t tiled_inputs(void) {
  static const uint32_t whole[4] = {16, 32, 48, 64};
  return chance(2) ? whole[below(4)] : chance(3) ? 31 + below(3) : 7 + below(11);
}

/* The same in tiles, for each phase of the strides. */
static void make_large_conv_transpose2d(scene *s) {
  const webnn_data_type type = a_float();
  const uint32_t groups = 1 + below(2), outputs = 16 + below(2), inputs = tiled_inputs();
  const uint32_t layout = below(2), form = below(3), size = 2 + below(3);
  webnn_conv_transpose2d_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.strides = some_of(2, 1, 3);
  o.padding = some_of(4, 0, 1);
  o.dilations = chance(3) ? some_of(2, 1, 2) : o.dilations;
  o.groups = groups;
  o.input_layout = (webnn_input_operand_layout)layout;
  o.filter_layout = (webnn_conv_transpose2d_filter_operand_layout)form;
  x = operand_of(s, type, image(layout, 1 + below(2), inputs * groups, 8 + below(3), 9));
  w = operand_of(
      s, type,
      form == WEBNN_CONV_TRANSPOSE2D_IOHW   ? WEBNN_LIST(inputs * groups, outputs, size, size)
      : form == WEBNN_CONV_TRANSPOSE2D_HWOI ? WEBNN_LIST(size, size, outputs, inputs * groups)
                                            : WEBNN_LIST(outputs, size, size, inputs * groups));
  if (chance(2)) {
    o.bias = operand_of(s, type, WEBNN_LIST(outputs * groups));
  }
  s->slack = 60;
  result_of(s, webnn_conv_transpose2d(s->builder, x, w, &o));
}

/* Convolutions in tiles; at times with an infinite weight, which padding does not meet. */
static void make_large_conv2d(scene *s) {
  static const float infinity = HUGE_VALF;
  const webnn_data_type type = a_float();
  const uint32_t groups = 1 + below(2), outputs = 16 + below(6);
  const uint32_t inputs = tiled_inputs(), layout = below(2), form = below(4);
  const uint32_t kh = chance(2) ? 3 : 1 + below(4), kw = chance(2) ? 3 : 1 + below(4);
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.padding = some_of(4, 0, 2);
  o.strides = some_of(2, 1, 2);
  o.dilations = some_of(2, 1, 1 + below(2));
  o.groups = groups;
  o.input_layout = (webnn_input_operand_layout)layout;
  o.filter_layout = (webnn_conv2d_filter_operand_layout)form;
  x = operand_of(s, type, image(layout, 1 + below(2), inputs * groups, 14 + below(4), 13));
  w = operand_of(s, type,
                 form == WEBNN_CONV2D_OIHW   ? WEBNN_LIST(outputs * groups, inputs, kh, kw)
                 : form == WEBNN_CONV2D_HWIO ? WEBNN_LIST(kh, kw, inputs, outputs * groups)
                 : form == WEBNN_CONV2D_OHWI ? WEBNN_LIST(outputs * groups, kh, kw, inputs)
                                             : WEBNN_LIST(inputs, kh, kw, outputs * groups));
  if (!s->constants && chance(2)) {
    test_set(type, (void *)(uintptr_t)s->in[1].data, below(40), (double)infinity);
  }
  if (chance(2)) {
    o.bias = operand_of(s, type, WEBNN_LIST(outputs * groups));
  }
  s->slack = 60;
  result_of(s, finished(s, webnn_conv2d(s->builder, x, w, &o), type));
}

/* ---- Packed weights, products of bytes ---- */

/* An operand of random bits, a constant or an input. */
static webnn_operand *bits_of(scene *s, webnn_data_type type, webnn_list shape, bool constant) {
  const size_t bytes = bytes_of(type, shape);
  unsigned char *data = (unsigned char *)test_allocate(bytes);
  size_t i;
  for (i = 0; i < bytes; i++) {
    data[i] = (unsigned char)below(256);
  }
  if (webnn_data_type_bits(type) == 4 && test_element_count(shape) % 2 != 0) {
    data[bytes - 1] &= 15;
  }
  return operand_over(s, type, shape, data, constant);
}

/* Weights of 4 or 8 bits with scales for the whole, for each place of `axis`, or for blocks along
   `along`, too. */
static webnn_operand *packed_weights(scene *s, webnn_data_type type, webnn_list shape,
                                     uint32_t axis, uint32_t along) {
  static const webnn_data_type types[] = {WEBNN_INT4, WEBNN_UINT4, WEBNN_INT8, WEBNN_UINT8};
  const webnn_data_type packed = types[below(4)];
  const uint32_t form = below(4), block = 1u << (1 + below(5));
  const bool constant = !chance(3);
  uint32_t blocks[4] = {1, 1, 1, 1}, i;
  webnn_operand *w, *scale, *zero;
  for (i = 0; i < shape.count; i++) {
    blocks[i] = form > 0 && i == axis                                   ? shape.items[i]
                : form > 1 && i == along && shape.items[i] % block == 0 ? shape.items[i] / block
                                                                        : 1;
  }
  w = bits_of(s, packed, shape, constant);
  scale = operand_between(s, type, webnn_list_of(blocks, shape.count), 0.01, 0.03, constant);
  zero = bits_of(s, packed, webnn_list_of(blocks, shape.count), constant);
  return webnn_dequantize_linear(s->builder, w, scale, zero, NULL);
}

static void make_packed_product(scene *s) {
  const webnn_data_type type = a_float();
  const bool few = chance(2), swapped = chance(2), reshaped = chance(3), small = chance(4);
  const uint32_t m = small ? 1 + below(5) : few ? 1 + below(3) : 17 + below(30);
  const uint32_t n = small ? 1 + below(9) : chance(2) ? 64 + 8 * below(3) : 60 + below(12);
  const uint32_t k = small ? 8 + below(9) : chance(3) ? 288 : 32 * (9 + below(2)) + below(8);
  const uint32_t permutation[2] = {1, 0};
  webnn_transpose_options t = WEBNN_ZERO;
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_operand *x = operand_of(s, type, WEBNN_LIST(m, k)), *w, *y;
  t.permutation = webnn_list_of(permutation, 2);
  s->slack = 200;
  if (swapped && reshaped && k % 32 == 0) {
    w = packed_weights(s, type, WEBNN_LIST(n, k / 32, 32), 0, 1);
    w = webnn_reshape(s->builder, w, WEBNN_LIST(n, k), NULL);
  } else if (swapped) {
    w = packed_weights(s, type, WEBNN_LIST(n, k), 0, 1);
  } else {
    w = packed_weights(s, type, WEBNN_LIST(k, n), 1, 0);
  }
  if (chance(2)) {
    o.b_transpose = swapped;
    o.c = chance(2) ? operand_of(s, type, WEBNN_LIST(n)) : NULL;
    y = webnn_gemm(s->builder, x, w, &o);
  } else {
    y = webnn_matmul(s->builder, x, swapped ? webnn_transpose(s->builder, w, &t) : w, NULL);
    y = chance(2) ? webnn_add(s->builder, y, operand_of(s, type, WEBNN_LIST(n)), NULL) : y;
  }
  result_of(s, finished(s, y, type));
}

/* With cooperative matrices where the device has them. */
static void make_matrices(scene *s) {
  const webnn_data_type type = WEBNN_FLOAT16;
  const uint32_t m = 33 + below(70), n = chance(2) ? 40 + 8 * below(8) : 33 + below(70);
  const uint32_t k = chance(2) ? 40 + 8 * below(8) : 33 + below(70);
  const bool swap_a = chance(2), swap_b = chance(2);
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.a_transpose = swap_a;
  o.b_transpose = swap_b;
  x = operand_of(s, type, swap_a ? WEBNN_LIST(k, m) : WEBNN_LIST(m, k));
  if (chance(3)) {
    w = swap_b ? packed_weights(s, type, WEBNN_LIST(n, k), 0, 1)
               : packed_weights(s, type, WEBNN_LIST(k, n), 1, 0);
  } else {
    w = operand_of(s, type, swap_b ? WEBNN_LIST(n, k) : WEBNN_LIST(k, n));
  }
  o.c = chance(2) ? operand_of(s, type, WEBNN_LIST(n)) : NULL;
  s->slack = 100;
  result_of(s, webnn_gemm(s->builder, x, w, &o));
}

static void make_packed_conv2d(scene *s) {
  const webnn_data_type type = a_float();
  const bool small = chance(3);
  const uint32_t inputs = small ? 1 + below(5) : tiled_inputs(), form = below(4);
  const uint32_t outputs = small ? 1 + below(5) : 16 + 8 * below(2), layout = below(2);
  const uint32_t size = chance(3) ? 1 : 3;
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.padding = size == 3 ? some_of(4, 0, 2) : o.padding;
  o.input_layout = (webnn_input_operand_layout)layout;
  o.filter_layout = (webnn_conv2d_filter_operand_layout)form;
  x = operand_of(s, type, image(layout, 1 + below(2), inputs, 14, 13));
  w = form == WEBNN_CONV2D_OIHW
          ? packed_weights(s, type, WEBNN_LIST(outputs, inputs, size, size), 0, 1)
      : form == WEBNN_CONV2D_HWIO
          ? packed_weights(s, type, WEBNN_LIST(size, size, inputs, outputs), 3, 2)
      : form == WEBNN_CONV2D_OHWI
          ? packed_weights(s, type, WEBNN_LIST(outputs, size, size, inputs), 0, 3)
          : packed_weights(s, type, WEBNN_LIST(inputs, size, size, outputs), 3, 0);
  if (chance(2)) {
    o.bias = operand_of(s, type, WEBNN_LIST(outputs));
  }
  s->slack = 300;
  result_of(s, finished(s, webnn_conv2d(s->builder, x, w, &o), type));
}

/* Bytes with scales that are powers of two: then the results are the same in all their bits. */
static webnn_operand *scaled_bytes(scene *s, webnn_operand *x, bool quantizes, webnn_data_type type,
                                   uint32_t rank, uint32_t axis, uint32_t count, int exponent) {
  uint32_t shape[4] = {1, 1, 1, 1}, i;
  float scales[260];
  unsigned char zeros[260];
  webnn_operand_descriptor d;
  webnn_operand *scale, *zero;
  shape[axis] = count;
  for (i = 0; i < count; i++) {
    scales[i] = (float)ldexp(1, exponent - (int)below(3));
    /* weights less their zero points are int8 */
    zeros[i] = (unsigned char)(count > 1 ? 0 : below(256));
  }
  d.shape = webnn_list_of(shape, rank);
  d.data_type = WEBNN_FLOAT32;
  scale = webnn_constant(s->builder, d, scales, count * sizeof *scales);
  d.data_type = type;
  zero = webnn_constant(s->builder, d, zeros, count);
  return quantizes ? webnn_quantize_linear(s->builder, x, scale, zero, NULL)
                   : webnn_dequantize_linear(s->builder, x, scale, zero, NULL);
}

static webnn_operand *byte_weights(scene *s, webnn_list shape, uint32_t axis) {
  webnn_operand *w = bits_of(s, WEBNN_INT8, shape, true);
  return scaled_bytes(s, w, false, WEBNN_INT8, (uint32_t)shape.count, axis, shape.items[axis], -6);
}

static webnn_operand *finished_bytes(scene *s, webnn_operand *y, uint32_t rank) {
  if (chance(3)) {
    y = webnn_relu(s->builder, y, NULL);
  }
  s->slack = 20;
  return chance(3) ? y
                   : scaled_bytes(s, y, true, chance(2) ? WEBNN_INT8 : WEBNN_UINT8, rank, 0, 1, 0);
}

static void make_bytes_gemm(scene *s, uint32_t m, uint32_t n, uint32_t k) {
  const webnn_data_type type = chance(2) ? WEBNN_INT8 : WEBNN_UINT8;
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.a_transpose = chance(3);
  o.b_transpose = chance(2);
  x = bits_of(s, type, o.a_transpose ? WEBNN_LIST(k, m) : WEBNN_LIST(m, k), false);
  x = scaled_bytes(s, x, false, type, 2, 0, 1, -5);
  w = byte_weights(s, o.b_transpose ? WEBNN_LIST(n, k) : WEBNN_LIST(k, n), o.b_transpose ? 0 : 1);
  if (chance(2)) {
    o.c = operand_between(s, WEBNN_FLOAT32, WEBNN_LIST(n), 0, 0, true);
  }
  result_of(s, finished_bytes(s, webnn_gemm(s->builder, x, w, &o), 2));
}

static void make_bytes_product(scene *s) {
  const uint32_t size = below(3), n = size == 0 ? 1 + below(9) : chance(2) ? 60 : 53 + below(10);
  const uint32_t m = size == 0 ? 1 + below(9) : size == 1 ? 1 + below(4) : 20 + below(20);
  make_bytes_gemm(s, m, n, size == 0 ? 1 + below(9) : chance(2) ? 320 : 290 + below(40));
}

/* With cooperative matrices where the device has them. */
static void make_bytes_matrices(scene *s) {
  const uint32_t m = 33 + below(70), n = chance(2) ? 40 + 8 * below(8) : 33 + below(70);
  make_bytes_gemm(s, m, n, chance(2) ? 64 + 4 * below(40) : 64 + below(140));
}

static void make_bytes_conv2d(scene *s) {
  const webnn_data_type type = chance(2) ? WEBNN_INT8 : WEBNN_UINT8;
  const bool small = chance(2), depthwise = small && chance(2);
  const uint32_t groups = depthwise ? 4 : 1 + below(2), layout = below(2), form = below(4);
  const uint32_t inputs = depthwise ? 1 : small ? 1 + below(4) : tiled_inputs();
  const uint32_t outputs = depthwise ? 1 : small ? 1 + below(4) : 16 + 4 * below(2), size = 3;
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  o.padding = some_of(4, 0, 2);
  o.strides = some_of(2, 1, 2);
  o.groups = groups;
  o.input_layout = (webnn_input_operand_layout)layout;
  o.filter_layout = (webnn_conv2d_filter_operand_layout)form;
  x = bits_of(s, type, image(layout, 1 + below(2), inputs * groups, 15, 14), false);
  x = scaled_bytes(s, x, false, type, 4, 0, 1, -5);
  w = form == WEBNN_CONV2D_OIHW
          ? byte_weights(s, WEBNN_LIST(outputs * groups, inputs, size, size), 0)
      : form == WEBNN_CONV2D_HWIO
          ? byte_weights(s, WEBNN_LIST(size, size, inputs, outputs * groups), 3)
      : form == WEBNN_CONV2D_OHWI
          ? byte_weights(s, WEBNN_LIST(outputs * groups, size, size, inputs), 0)
          : byte_weights(s, WEBNN_LIST(inputs, size, size, outputs * groups), 3);
  result_of(s, finished_bytes(s, webnn_conv2d(s->builder, x, w, &o), 4));
}

/* ---- Pools, resampling ---- */

static void make_pool(scene *s) {
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT32, WEBNN_UINT32,
                                          WEBNN_INT64,   WEBNN_UINT64,  WEBNN_INT8,  WEBNN_UINT8};
  const uint32_t which = below(4), layout = below(2);
  const webnn_data_type type = which > 1 ? types[below(8)] : a_float();
  webnn_pool2d_options o = WEBNN_ZERO;
  webnn_operand *x =
      operand_of(s, type, image(layout, 1 + below(2), 1 + below(5), 6 + below(4), 6 + below(4)));
  if (!chance(4)) {
    o.window_dimensions = some_of(2, 1, 3);
    if (chance(2)) {
      o.dilations = some_of(2, 1, 2);
    }
    o.strides = some_of(2, 1, 3);
    if (chance(2)) {
      o.padding = some_of(4, 0, 2);
    }
  }
  o.layout = (webnn_input_operand_layout)layout;
  o.output_shape_rounding = (webnn_rounding_type)below(2);
  s->slack = 0;
  result_of(s, which == 0   ? webnn_average_pool2d(s->builder, x, &o)
               : which == 1 ? webnn_l2_pool2d(s->builder, x, &o)
                            : webnn_max_pool2d(s->builder, x, &o));
}

static void make_resample(scene *s) {
  static const webnn_data_type types[] = {WEBNN_FLOAT32, WEBNN_FLOAT16, WEBNN_INT8, WEBNN_UINT8};
  static const uint32_t pairs[][2] = {{2, 3}, {1, 2}, {0, 1}};
  const webnn_data_type type = types[below(4)];
  webnn_resample2d_options o = WEBNN_ZERO;
  webnn_operand *x = operand_of(s, type, some_of(4, 1, 5));
  o.mode = (webnn_interpolation_mode)below(2);
  o.sizes = some_of(2, 1, 12);
  o.axes = webnn_list_of(pairs[below(3)], 2);
  s->slack = 8;
  result_of(s, webnn_resample2d(s->builder, x, &o));
}

/* ---- Recurrent networks ---- */

static webnn_operand *maybe(scene *s, webnn_data_type type, webnn_list shape) {
  return chance(2) ? operand_of(s, type, shape) : NULL;
}

/* The same shape without the first dimension, for cells. */
static webnn_list part_of(webnn_list shape, bool cell) {
  return cell ? webnn_list_of(shape.items + 1, shape.count - 1) : shape;
}

/* Steps and hidden units of a network; 0: a few. */
static uint32_t its_steps, its_hidden;

/* Of many units no relu, whose gates of some hundreds multiply the error of a sum of many terms. */
static webnn_activation_list some_activations(uint32_t count) {
  webnn_activation_list list = WEBNN_ZERO;
  uint32_t i;
  list.given = chance(2);
  list.count = list.given ? count : 0;
  for (i = 0; i < count && list.given; i++) {
    list.items[i] = its_hidden > 0 ? (chance(2) ? WEBNN_ACTIVATION_SIGMOID : WEBNN_ACTIVATION_TANH)
                                   : (webnn_recurrent_network_activation)below(3);
  }
  return list;
}

static void make_gru(scene *s) {
  const webnn_data_type type = a_float();
  const bool cell = its_steps == 0 && chance(3);
  const uint32_t steps = cell ? 1 : its_steps > 0 ? its_steps : 1 + below(4);
  const uint32_t batch = 1 + below(3), inputs = 1 + below(5), few = chance(4) ? 40 : 1 + below(6);
  const uint32_t hidden = its_hidden > 0 ? its_hidden : few;
  const webnn_recurrent_network_direction direction =
      cell ? WEBNN_DIRECTION_FORWARD : (webnn_recurrent_network_direction)below(3);
  const uint32_t d = direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
  webnn_operand *x = operand_of(s, type, part_of(WEBNN_LIST(steps, batch, inputs), cell));
  webnn_operand *w = operand_of(s, type, part_of(WEBNN_LIST(d, 3 * hidden, inputs), cell));
  webnn_operand *r = operand_of(s, type, part_of(WEBNN_LIST(d, 3 * hidden, hidden), cell));
  webnn_operand *y[2] = {NULL};
  s->slack = 60 * steps;
  if (cell) {
    webnn_gru_cell_options o = WEBNN_ZERO;
    webnn_operand *h = operand_of(s, type, WEBNN_LIST(batch, hidden));
    o.bias = maybe(s, type, WEBNN_LIST(3 * hidden));
    o.recurrent_bias = maybe(s, type, WEBNN_LIST(3 * hidden));
    o.reset_before = chance(2);
    o.layout = (webnn_gru_weight_layout)below(2);
    o.activations = some_activations(2);
    result_of(s, webnn_gru_cell(s->builder, x, w, r, h, hidden, &o));
  } else {
    webnn_gru_options o = WEBNN_ZERO;
    o.bias = maybe(s, type, WEBNN_LIST(d, 3 * hidden));
    o.recurrent_bias = maybe(s, type, WEBNN_LIST(d, 3 * hidden));
    o.initial_hidden_state = maybe(s, type, WEBNN_LIST(d, batch, hidden));
    o.reset_before = chance(2);
    o.return_sequence = chance(2);
    o.direction = direction;
    o.layout = (webnn_gru_weight_layout)below(2);
    o.activations = some_activations(2);
    webnn_gru(s->builder, x, w, r, steps, hidden, &o, y);
    result_of(s, y[0]);
    if (o.return_sequence) {
      result_of(s, y[1]);
    }
  }
}

static void make_lstm(scene *s) {
  const webnn_data_type type = a_float();
  const bool cell = its_steps == 0 && chance(3);
  const uint32_t steps = cell ? 1 : its_steps > 0 ? its_steps : 1 + below(4);
  const uint32_t batch = 1 + below(3), inputs = 1 + below(5), few = chance(4) ? 33 : 1 + below(6);
  const uint32_t hidden = its_hidden > 0 ? its_hidden : few;
  const webnn_recurrent_network_direction direction =
      cell ? WEBNN_DIRECTION_FORWARD : (webnn_recurrent_network_direction)below(3);
  const uint32_t d = direction == WEBNN_DIRECTION_BOTH ? 2 : 1;
  webnn_operand *x = operand_of(s, type, part_of(WEBNN_LIST(steps, batch, inputs), cell));
  webnn_operand *w = operand_of(s, type, part_of(WEBNN_LIST(d, 4 * hidden, inputs), cell));
  webnn_operand *r = operand_of(s, type, part_of(WEBNN_LIST(d, 4 * hidden, hidden), cell));
  webnn_operand *y[3] = {NULL};
  s->slack = 60 * steps;
  if (cell) {
    webnn_lstm_cell_options o = WEBNN_ZERO;
    webnn_operand *h = operand_of(s, type, WEBNN_LIST(batch, hidden));
    webnn_operand *c = operand_of(s, type, WEBNN_LIST(batch, hidden));
    o.bias = maybe(s, type, WEBNN_LIST(4 * hidden));
    o.recurrent_bias = maybe(s, type, WEBNN_LIST(4 * hidden));
    o.peephole_weight = maybe(s, type, WEBNN_LIST(3 * hidden));
    o.layout = (webnn_lstm_weight_layout)below(2);
    o.activations = some_activations(3);
    webnn_lstm_cell(s->builder, x, w, r, h, c, hidden, &o, y);
  } else {
    webnn_lstm_options o = WEBNN_ZERO;
    o.bias = maybe(s, type, WEBNN_LIST(d, 4 * hidden));
    o.recurrent_bias = maybe(s, type, WEBNN_LIST(d, 4 * hidden));
    o.peephole_weight = maybe(s, type, WEBNN_LIST(d, 3 * hidden));
    o.initial_hidden_state = maybe(s, type, WEBNN_LIST(d, batch, hidden));
    o.initial_cell_state = maybe(s, type, WEBNN_LIST(d, batch, hidden));
    o.return_sequence = chance(2);
    o.direction = direction;
    o.layout = (webnn_lstm_weight_layout)below(2);
    o.activations = some_activations(3);
    webnn_lstm(s->builder, x, w, r, steps, hidden, &o, y);
  }
  result_of(s, y[0]);
  result_of(s, y[1]);
  if (y[2] != NULL) {
    result_of(s, y[2]);
  }
}

/* More steps than a kernel makes, and more hidden units than it makes several steps of. */
static void check_networks(bool as_gpu) {
  static const uint32_t cases[][2] = {{1100, 2}, {3, 75}, {3, 220}};
  size_t i;
  int round;
#ifdef __SANITIZE_ADDRESS__
  test_skip("networks of many", "with the address sanitizer exact results take minutes");
  return;
#endif
  for (i = as_gpu ? 1 : 0; i < (as_gpu ? 3u : 2u); i++) {
    its_steps = cases[i][0];
    its_hidden = cases[i][1];
    for (round = 0; round < 2; round++) {
      check("gru of many", make_gru);
      check("lstm of many", make_lstm);
    }
  }
  its_steps = its_hidden = 0;
}

/* Kernels as a GPU has them that binds no more than four buffers to one. */
static void pretend_small_gpu(webnn_vk__gpu *gpu) {
  pretended = pretended_bytes = NULL;
  gpu->traits.is_cpu = false;
  gpu->traits.matrix_shape_count = 0;
  gpu->traits.max_operands = 4;
  webnn_vk__set_target(&gpu->traits, &gpu->target);
}

/* Kernels as a GPU has them; with cooperative matrices, as this file makes them, of the next of the
   shapes, where there is float16: the driver then lists none. They need the model of memory, which is
   off where there are none. */
static void pretend_gpu(webnn_vk__traits *traits, unsigned round) {
  traits->is_cpu = false;
  traits->registers = 1024;
  if (traits->float16 && traits->least_subgroup > 0 && !is_described() &&
      (traits->matrix_shape_count == 0 || pretended != NULL)) {
    pretended = &shapes[round % (sizeof shapes / sizeof *shapes)];
    pretended_bytes = &byte_shapes[round % (sizeof byte_shapes / sizeof *byte_shapes)];
    traits->matrix_shape_count = 2;
    traits->least_subgroup = traits->most_subgroup = traits->matrix_subgroup = 32;
    traits->matrix_shapes[0] = *pretended;
    traits->matrix_shapes[1] = *pretended_bytes;
  }
}

/* ---- Tiles ---- */

/* A product for every tile: of a type, with or without transposes and a bias. */
typedef struct tile_case {
  webnn_data_type type;
  uint32_t batch, m, n, k;
  bool swap_a, swap_b, bias;
} tile_case;

static const tile_case tile_cases[] = {
    {WEBNN_FLOAT16, 1, 128, 256, 64, false, false, false}, /* one tile, whole */
    {WEBNN_FLOAT16, 1, 129, 257, 33, false, true, true},   /* a row and a column more */
    {WEBNN_FLOAT16, 2, 40, 72, 48, true, false, true},
    {WEBNN_FLOAT16, 1, 70, 66, 600, true, true, false}, /* split among workgroups */
    {WEBNN_INT8, 1, 128, 256, 128, false, true, false},
    {WEBNN_INT8, 1, 129, 257, 66, true, false, true},
    {WEBNN_FLOAT32, 2, 128, 128, 16, false, true, false},
    {WEBNN_FLOAT32, 1, 129, 65, 35, true, false, true},
    {WEBNN_FLOAT32, 1, 34, 36, 700, false, false, false}};
static const tile_case *tiled; /* the one that is made */

static webnn_operand *make_byte_tile_case(scene *s, webnn_list a, webnn_list b) {
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  x = scaled_bytes(s, bits_of(s, WEBNN_INT8, a, false), false, WEBNN_INT8, 2, 0, 1, -5);
  w = byte_weights(s, b, tiled->swap_b ? 0 : 1);
  o.a_transpose = tiled->swap_a;
  o.b_transpose = tiled->swap_b;
  o.c = tiled->bias ? operand_between(s, WEBNN_FLOAT32, WEBNN_LIST(tiled->n), 0, 0, true) : NULL;
  return webnn_gemm(s->builder, x, w, &o);
}

static webnn_operand *make_float_tile_case(scene *s, webnn_list a, webnn_list b) {
  const uint32_t swapped[3] = {0, 2, 1};
  webnn_transpose_options o = WEBNN_ZERO;
  webnn_operand *x = operand_of(s, tiled->type, a), *w = operand_of(s, tiled->type, b), *y;
  o.permutation = webnn_list_of(swapped, 3);
  x = tiled->swap_a ? webnn_transpose(s->builder, x, &o) : x;
  w = tiled->swap_b ? webnn_transpose(s->builder, w, &o) : w;
  y = webnn_matmul(s->builder, x, w, NULL);
  return tiled->bias
             ? webnn_add(s->builder, y, operand_of(s, tiled->type, WEBNN_LIST(tiled->n)), NULL)
             : y;
}

static void make_tile_case(scene *s) {
  const tile_case *t = tiled;
  const uint32_t a[3] = {t->batch, t->swap_a ? t->k : t->m, t->swap_a ? t->m : t->k};
  const uint32_t b[3] = {t->batch, t->swap_b ? t->n : t->k, t->swap_b ? t->k : t->n};
  result_of(s, t->type == WEBNN_INT8
                   ? make_byte_tile_case(s, webnn_list_of(a + 1, 2), webnn_list_of(b + 1, 2))
                   : make_float_tile_case(s, webnn_list_of(a, 3), webnn_list_of(b, 3)));
  s->slack = 100;
}

/* Each tile that the kind of product may have gives right results, all of them the same bits. */
static void check_tile(webnn_vk__traits *traits) {
  const bool matrices = tiled->type == WEBNN_FLOAT16 && traits->matrix_shape_count > 0;
  const uint32_t first = tiled->type == WEBNN_FLOAT32 ? WEBNN_VK__MATRIX_TILES : 0;
  const uint32_t end = matrices                    ? WEBNN_VK__MATRIX_TILES
                       : tiled->type == WEBNN_INT8 ? WEBNN_VK__MATRIX_TILES + 1
                                                   : WEBNN_VK__TILES;
  const uint64_t before = random_state;
  void *want[4] = {NULL}, *base[4] = {NULL};
  webnn_tolerance tolerance;
  scene exact, s;
  const bool good = run(reference, make_tile_case, &exact, want, &tolerance, "tiles");
  uint32_t tile;
  for (tile = first; tile < end && good; tile++) {
    void *got[4] = {NULL};
    traits->trial = tile + 1;
    random_state = before;
    if (run(vulkan, make_tile_case, &s, got, &tolerance, "tiles")) {
      const webnn_operand *y = s.out[0].operand;
      const size_t bytes = bytes_of(webnn_operand_data_type(y), webnn_operand_shape(y));
      compare("tiles", &s, want, got, tolerance, before);
      CHECK("tiles", base[0] == NULL || memcmp(base[0], got[0], bytes) == 0,
            "tile %u of case %u has other bits", (unsigned)tile, (unsigned)(tiled - tile_cases));
    }
    webnn_free_builder(s.builder);
    if (base[0] == NULL) {
      base[0] = got[0];
    } else {
      free_results(got);
    }
  }
  traits->trial = 0;
  free_results(want);
  free_results(base);
  webnn_free_builder(exact.builder);
}

/* All cases, with two shapes that are large, since drivers of software compile many matrices for long. */
static void check_tiles(webnn_vk__traits *traits) {
  const uint32_t room = traits->shared_bytes;
  size_t i;
  traits->shared_bytes = much_shared(traits);
  for (i = 0; i < sizeof tile_cases / sizeof *tile_cases; i++) {
    tiled = &tile_cases[i];
    pretend_gpu(traits, i % 2 == 0 ? 0 : 6);
    check_tile(traits);
  }
  traits->shared_bytes = room;
}

/* The plan of a product: are its tile, its step and its matrices as expected? 0: no matrices. */
static void expect_plan(const char *what, const webnn_vk__traits *t, webnn_vk__tiled *p,
                        uint32_t rows, uint32_t columns, uint32_t columns_each, uint32_t step,
                        uint32_t terms) {
  webnn_vk__choose_gpu_tile(t, 0, p);
  CHECK("plans",
        p->tile_rows == rows && p->tile_columns == columns && p->columns_each == columns_each &&
            p->tile_step == step && (p->matrix != NULL ? p->matrix->k : 0) == terms,
        "%s: a tile of %u x %u, %u columns each, steps of %u, matrices of %u terms", what,
        (unsigned)p->tile_rows, (unsigned)p->tile_columns, (unsigned)p->columns_each,
        (unsigned)p->tile_step, (unsigned)(p->matrix != NULL ? p->matrix->k : 0));
}

static webnn_vk__tiled large_product(bool bytes) {
  webnn_vk__tiled p = WEBNN_ZERO;
  p.rows = p.columns = p.depth = 4096;
  p.batches = 1;
  p.halves = !bytes;
  p.bytes = bytes;
  p.a_unit = p.b_unit = bytes ? 1 : 8;
  p.a_along_depth = true;
  return p;
}

/* The plan takes the largest shape that tiles have whole, and smaller tiles where there would be
   few, or where memory, invocations or registers are. */
static void check_matrix_plans(void) {
  static const webnn_vk__matrix_shape odd[] = {
      {12, 16, 16, false}, {16, 16, 48, false}, {16, 2, 16, false}, {0, 0, 0, false}};
  webnn_vk__traits t = WEBNN_ZERO;
  webnn_vk__tiled p = large_product(false), few = large_product(false);
  t.matrix_subgroup = 32;
  t.max_invocations = 1024;
  t.shared_bytes = 49152;
  t.registers = 160;
  expect_plan("matrices of no device", &t, &p, 128, 128, 8, 16, 0);
  memcpy(t.matrix_shapes, odd, sizeof odd);
  t.matrix_shape_count = 4;
  expect_plan("matrices that are no part of a tile", &t, &p, 128, 128, 8, 16, 0);
  memcpy(t.matrix_shapes + 4, shapes, sizeof *shapes);
  t.matrix_shape_count = 5;
  expect_plan("two sides of a step", &t, &p, 128, 128, 64, 32, 16);
  t.shared_bytes = 32768;
  expect_plan("two sides of half a step", &t, &p, 128, 128, 64, 16, 16);
  memcpy(t.matrix_shapes + 4, shapes, sizeof shapes);
  t.matrix_shape_count = 4 + sizeof shapes / sizeof *shapes;
  t.shared_bytes = 49152;
  expect_plan("the largest has no half step", &t, &p, 128, 128, 64, 32, 32);
  few.rows = 128 * 24;
  few.columns = 256 * 8;
  expect_plan("more than 256 tiles", &t, &few, 128, 128, 64, 32, 32);
  few.rows = 128 * 9;
  few.columns = 128 * 11;
  expect_plan("terms of few tiles that can be split", &t, &few, 128, 128, 64, 32, 32);
  few.depth = 511;
  expect_plan("fewer than 256 tiles", &t, &few, 64, 64, 32, 32, 32);
  t.registers = 128;
  expect_plan("few registers", &t, &p, 64, 64, 32, 32, 32);
  t.registers = 96;
  t.matrix_subgroup = 16;
  expect_plan("subgroups of 16", &t, &p, 64, 64, 32, 32, 32);
  t.registers = 160;
  t.matrix_subgroup = 32;
  p.a_unit = p.b_unit = 1;
  expect_plan("single loads", &t, &p, 64, 64, 32, 32, 32);
  p.a_unit = p.b_unit = 8;
  t.shared_bytes = 16384;
  expect_plan("little shared memory", &t, &p, 64, 64, 32, 32, 32);
  t.shared_bytes = 8192;
  expect_plan("less than a step needs", &t, &p, 128, 128, 8, 16, 0);
  t.shared_bytes = 49152;
  t.max_invocations = 128;
  expect_plan("few invocations", &t, &p, 128, 128, 64, 32, 32);
  t.max_invocations = 64;
  expect_plan("fewer than a tile has", &t, &p, 32, 32, 4, 16, 0);
  t.max_invocations = 1024;
  p.halves = false;
  expect_plan("floats in matrices of float16", &t, &p, 128, 128, 8, 16, 0);
  p = large_product(true);
  expect_plan("bytes in matrices of float16", &t, &p, 128, 128, 8, 16, 0);
  memcpy(t.matrix_shapes, byte_shapes, sizeof byte_shapes);
  expect_plan("the largest of bytes", &t, &p, 128, 128, 64, 16, 64);
  p.depth = 15;
  expect_plan("fewer terms than a step", &t, &p, 128, 128, 8, 16, 0);
}

/* What was measured comes first, if it fits; the parts of split sums stay. */
static void check_measured_plans(void) {
  const uint64_t orders = UINT64_C(06543102) << 21 | UINT64_C(03210456);
  webnn_vk__traits t = WEBNN_ZERO;
  webnn_vk__tiled p = large_product(false), rule;
  t.matrix_subgroup = 32;
  t.max_invocations = 1024;
  t.shared_bytes = 49152;
  t.registers = 160;
  t.max_range = UINT32_MAX;
  t.max_operands = 8;
  t.matrix_shapes[0] = shapes[0];
  t.matrix_shape_count = 1;
  p.y.type = WEBNN_FLOAT32;
  p.rows = p.columns = 512;
  rule = p;
  CHECK("orders", webnn_vk__are_orders(orders) && webnn_vk__are_orders(0), "not taken for orders");
  CHECK("orders", !webnn_vk__are_orders(UINT64_C(06543211) << 42), "a tile that is twice there");
  CHECK("orders", !webnn_vk__are_orders(UINT64_C(07543210)), "a tile that is not there");
  (void)webnn_vk__chooses_tiles(&t, &rule);
  CHECK("orders", rule.splits > 1 && rule.tile_columns == 128, "%u parts, %u columns",
        (unsigned)rule.splits, (unsigned)rule.tile_columns);
  t.tile_orders = orders;
  (void)webnn_vk__chooses_tiles(&t, &p);
  CHECK("orders", p.tile_columns == 128 && p.splits == rule.splits, "too few of the fastest");
  p.rows = p.columns = 4096;
  (void)webnn_vk__chooses_tiles(&t, &p);
  CHECK("orders", p.tile_columns == 256 && p.columns_each == 64, "not the fastest: %u, %u each",
        (unsigned)p.tile_columns, (unsigned)p.columns_each);
  p.halves = false;
  (void)webnn_vk__chooses_tiles(&t, &p);
  CHECK("orders", p.matrix == NULL && p.tile_columns == 32, "not the fastest of floats");
}

/* Tiles of small products are measured, and each order has all of them. */
static void check_measuring(webnn_vk__gpu *gpu) {
  webnn_error error = WEBNN_ZERO;
  uint64_t orders;
  gpu->traits.matrix_shape_count = 0;
  CHECK("tune", webnn_vk__measure(vulkan, 40, 64, &error) == WEBNN_OK, "%s", error.message);
  orders = gpu->traits.tile_orders;
  CHECK("tune",
        WEBNN_VK__ORDER(orders, 0) != 0 && WEBNN_VK__ORDER(orders, 1) == 0 &&
            WEBNN_VK__ORDER(orders, 2) != 0 && webnn_vk__are_orders(orders),
        "%llo", (unsigned long long)orders);
  CHECK("tune", (orders & 7) >= WEBNN_VK__MATRIX_TILES && gpu->traits.trial == 0,
        "matrices that are not there: %llo", (unsigned long long)orders);
  CHECK("tune", webnn_vulkan_tune(vulkan, &error) == WEBNN_OK && gpu->traits.tile_orders == orders,
        "measured again: %s", error.message);
  CHECK("tune", webnn_vulkan_tune(reference, &error) == WEBNN_TYPE_ERROR, "not Vulkan's");
  gpu->traits.tile_orders = 0;
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    maker make;
    int rounds[3]; /* as the device is, as a GPU, as a small one */
  } cases[] = {{"matmul", make_matmul, {12, 0, 0}},
               {"fused matmul", make_fused_matmul, {12, 0, 0}},
               {"gemm", make_gemm, {12, 0, 3}},
               {"attention", make_attention, {16, 0, 0}},
               {"few rows", make_few_rows, {16, 2, 1}},
               {"large product", make_large_product, {16, 4, 3}},
               {"column", make_column, {16, 4, 2}},
               {"conv2d", make_conv2d, {24, 0, 3}},
               {"large conv2d", make_large_conv2d, {16, 10, 4}},
               {"depthwise conv2d", make_depthwise, {4, 24, 3}},
               {"many products", make_many_products, {2, 1, 0}},
               {"convTranspose2d", make_conv_transpose2d, {12, 0, 0}},
               {"large convTranspose2d", make_large_conv_transpose2d, {8, 3, 4}},
               {"packed product", make_packed_product, {24, 4, 0}},
               {"matrices", make_matrices, {2, 7, 0}},
               {"packed conv2d", make_packed_conv2d, {16, 4, 0}},
               {"bytes product", make_bytes_product, {20, 3, 0}},
               {"bytes matrices", make_bytes_matrices, {2, 7, 0}},
               {"bytes conv2d", make_bytes_conv2d, {16, 4, 0}},
               {"pool", make_pool, {24, 0, 0}},
               {"resample2d", make_resample, {16, 0, 0}},
               {"gru", make_gru, {16, 6, 1}},
               {"lstm", make_lstm, {16, 6, 1}}};
  static const char *const ways[] = {"", " as on a GPU", " as on a small GPU"};
  webnn_context_options options = WEBNN_ZERO;
  webnn_vulkan_options device = WEBNN_ZERO;
  webnn_vulkan_device info;
  size_t i;
  const int times = count > 1 ? atoi(arguments[1]) : 1;
  int round, as_gpu;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  reference = test_context(&options);
  device.not_robust = true;
  options.numerics = WEBNN_NUMERICS_FAST;
  options.backend = webnn_vulkan_backend();
  options.backend_options = &device;
  vulkan = test_context(&options);
  if (webnn_vulkan_context_device(vulkan, &info, NULL) == WEBNN_OK) {
    printf("%s\n", info.name);
  }
  for (as_gpu = 0; as_gpu < 3; as_gpu++) {
    webnn_vk__gpu *gpu = webnn_vk__gpu_of(vulkan, "test", NULL);
    if (as_gpu == 1) {
      if (is_described()) {
        test_skip("matrices", "the device of a profile does not switch their model of memory on");
      }
      check_matrix_plans();
      check_measured_plans();
      pretend_gpu(&gpu->traits, 0);
    } else if (as_gpu == 2) {
      pretend_small_gpu(gpu);
    }
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
      const int before = test_failed, rounds = cases[i].rounds[as_gpu];
      if (count > 2 && strcmp(arguments[2], cases[i].name) != 0) {
        continue;
      }
      for (round = 0; round < rounds * times; round++) {
        if (as_gpu == 1) {
          pretend_gpu(&gpu->traits, (unsigned)round);
        }
        check(cases[i].name, cases[i].make);
      }
      if (test_failed > before) {
        printf("%s%s: %d failed\n", cases[i].name, ways[as_gpu], test_failed - before);
      }
    }
    CHECK("matrices", as_gpu != 1 || pretended_bytes == NULL || count > 2 || byte_matrices > 0,
          "no product of bytes had them");
    if (as_gpu == 1 && (count < 3 || strcmp(arguments[2], "tiles") == 0)) {
      check_tiles(&gpu->traits);
      check_measuring(gpu);
    }
    if (as_gpu < 2 && (count < 3 || strcmp(arguments[2], "networks") == 0)) {
      check_networks(as_gpu == 1);
    }
    if (as_gpu < 2 && (count < 3 || strcmp(arguments[2], "attention") == 0)) {
      check_attention(&gpu->traits, as_gpu == 1);
    }
  }
  webnn_free_context(vulkan);
  webnn_free_context(reference);
  return test_end();
}
