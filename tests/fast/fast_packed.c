/* Products of float32 and float16 with constant weights of 4 or 8 bits that are dequantized: random
   shapes, forms, blocks, zero points and epilogues, for every instruction set that the machine has
   and 1, 2 or 40 threads. What has to come out is worked out here, in double precision: each weight
   as dequantizeLinear rounds it, then the sum. Allowed is

       |difference| <= (terms < 256 ? terms + 5 : 256 + terms / 128 + 6) eps sum |a b|

   with eps = 2^-24 (twice that without fused multiply-adds), and half a unit of the result's type:
   5 for what comes after the sum and for scales that are multiplied with sums of blocks. The
   reference context has to agree with the double sum, and the weights have to stay as small as they
   are: what the graph has prepared and folded is held against what float32 panels would take; of
   borrowed weights that few rows meet, nothing is prepared but zero points. Near
   misses, whose weights no kernel reads packed, have to compute the same. */
#include "machines.h"
#include "random.h"

#include <math.h>

/* How the weights come to the product. */
typedef enum form {
  PLAIN,       /* [k, n] */
  TURNED,      /* [n, k], transposed */
  BLOCKED,     /* [n, k / block, block], reshaped and transposed */
  SPLIT,       /* [k / block, block, n], reshaped */
  GEMM,        /* [k, n] */
  GEMM_TURNED, /* [n, k], by the option of gemm */
  STACKED,     /* [batch, k, n] */
  FORMS,
  PER_TERM = FORMS, /* near misses: a scale for each term */
  THIN_BLOCKS,      /* blocks of 2 */
  GIVEN_SCALE,      /* the scale is an input */
  GIVEN_WEIGHTS,    /* the weights are one */
  TURNED_STACK,     /* [batch, n, k], transposed */
  ALL_FORMS
} form;

enum { MOST_TERMS = 700, MOST_COLUMNS = 100, MOST_ROWS = 120, MOST_BATCH = 3 };

typedef struct problem {
  form form;
  webnn_data_type type, packed;   /* of floats; of weights */
  uint32_t batch, m, n, k, block; /* batch: of weights */
  uint32_t outer;                 /* of the left operand's rows */
  bool per_column, zeros, bias, residual, twice;
  uint32_t bounds; /* 0 none, 1 relu, 2 clamp */
  bool half_step;  /* gemm has alpha 0.5 and beta 2 */
  bool borrowed;   /* constants are in the caller's memory */
  int shift;       /* scales are so many powers of two larger, and a smaller */
  bool infinite;   /* is a scale? */
} problem;

static uint8_t q[MOST_BATCH * MOST_TERMS * MOST_COLUMNS], z[MOST_BATCH * MOST_TERMS * MOST_COLUMNS];
static float scales[MOST_BATCH * MOST_TERMS * MOST_COLUMNS];
static double weights[MOST_BATCH][MOST_TERMS][MOST_COLUMNS];
static double a[MOST_BATCH][MOST_ROWS][MOST_TERMS], added[2][MOST_BATCH][MOST_ROWS][MOST_COLUMNS];
static double sums[MOST_BATCH][MOST_ROWS][MOST_COLUMNS], sizes[MOST_BATCH][MOST_ROWS][MOST_COLUMNS];

static bool is_packed(const problem *p) {
  return p->form < FORMS;
}

static bool is_gemm(const problem *p) {
  return p->form == GEMM || p->form == GEMM_TURNED;
}

static bool terms_last(const problem *p) {
  return p->form == TURNED || p->form == BLOCKED || p->form == GEMM_TURNED ||
         p->form == TURNED_STACK;
}

static int low_of(webnn_data_type type) {
  return type == WEBNN_INT4 ? -8 : type == WEBNN_INT8 ? -128 : 0;
}

static int number_of_values(webnn_data_type type) {
  return type == WEBNN_INT4 || type == WEBNN_UINT4 ? 16 : 256;
}

/* A float of the problem's type. */
static double rounded(const problem *p, double x) {
  uint64_t place = 0;
  test_set(p->type, &place, 0, x);
  return test_get(p->type, &place, 0);
}

/* The type of what is stored, and where: elements in the order that the form has. */
static size_t weight_at(const problem *p, uint32_t b, uint32_t k, uint32_t n) {
  return terms_last(p) ? ((size_t)b * p->n + n) * p->k + k : ((size_t)b * p->k + k) * p->n + n;
}

static uint32_t blocks_of(const problem *p) {
  return p->k / p->block;
}

static size_t scale_at(const problem *p, uint32_t b, uint32_t k, uint32_t n) {
  const uint32_t blocks = blocks_of(p), at = k / p->block, columns = p->per_column ? p->n : 1;
  const uint32_t column = p->per_column ? n : 0;
  return terms_last(p) ? ((size_t)b * columns + column) * blocks + at
                       : ((size_t)b * blocks + at) * columns + column;
}

static void set_packed(webnn_data_type type, uint8_t *data, size_t i, int value) {
  const unsigned bits = (unsigned)value;
  if (number_of_values(type) == 256) {
    data[i] = (uint8_t)bits;
  } else if (i % 2 == 0) {
    data[i / 2] = (uint8_t)(bits & 15);
  } else {
    data[i / 2] = (uint8_t)(data[i / 2] | (bits & 15) << 4);
  }
}

static webnn_list weight_shape(const problem *p, bool scale) {
  const uint32_t k = scale ? blocks_of(p) : p->k, n = scale && !p->per_column ? 1 : p->n;
  switch (p->form) {
  case BLOCKED:
    return WEBNN_LIST(n, blocks_of(p), scale ? 1 : p->block);
  case SPLIT:
    return WEBNN_LIST(blocks_of(p), scale ? 1 : p->block, n);
  case STACKED:
    return WEBNN_LIST(p->batch, k, n);
  case TURNED_STACK:
    return WEBNN_LIST(p->batch, n, k);
  default:
    return terms_last(p) ? WEBNN_LIST(n, k) : WEBNN_LIST(k, n);
  }
}

/* Random numbers everywhere; the double weights are what dequantizeLinear makes of them. Terms of an
   infinite scale have one sign, so that their sum is infinite, too, and a NaN is seen. */
static void fill(const problem *p) {
  const int count = number_of_values(p->packed), low = low_of(p->packed);
  static int zero[MOST_BATCH * MOST_TERMS * MOST_COLUMNS];
  const size_t scale_count = test_element_count(weight_shape(p, true));
  const int common = low + (int)below((uint32_t)count);
  uint32_t b, k, n, i;
  for (i = 0; i < scale_count; i++) {
    scales[i] = (float)rounded(p, ldexp(test_random_between(&random_state, -0.01, 0.05), p->shift));
    zero[i] = p->zeros ? low + (int)below((uint32_t)count) : common;
    if (p->infinite && zero[i] == low + count - 1) {
      zero[i]--;
    }
    set_packed(p->packed, z, i, zero[i]);
  }
  for (i = 0; p->infinite && i < 8;
       i++) { /* half of them where the columns end, if terms are last */
    const uint32_t at = below((uint32_t)scale_count), blocks = blocks_of(p);
    scales[i % 2 && terms_last(p) ? at - at % blocks + blocks - 1 : at] = HUGE_VALF;
  }
  for (b = 0; b < p->batch; b++) {
    for (i = 0; i < p->k * p->n; i++) { /* in the order in which they are stored */
      int value = low + (int)below((uint32_t)count);
      k = terms_last(p) ? i % p->k : i / p->n;
      n = terms_last(p) ? i / p->k : i % p->n;
      if (p->infinite && value <= zero[scale_at(p, b, k, n)]) {
        value = zero[scale_at(p, b, k, n)] + 1;
      }
      set_packed(p->packed, q, weight_at(p, b, k, n), value);
      weights[b][k][n] = rounded(p, (double)(value - zero[scale_at(p, b, k, n)]) *
                                        (double)scales[scale_at(p, b, k, n)]);
    }
  }
  for (b = 0; b < MOST_BATCH; b++) {
    for (i = 0; i < MOST_ROWS; i++) {
      for (k = 0; k < p->k; k++) {
        a[b][i][k] = rounded(
            p, ldexp(test_random_between(&random_state, p->infinite ? 0 : -1, 1), -p->shift));
      }
      for (n = 0; n < p->n; n++) {
        added[0][b][i][n] = rounded(p, test_random_between(&random_state, -1, 1));
        added[1][b][i][n] = rounded(p, test_random_between(&random_state, -1, 1));
      }
    }
  }
}

/* Left matrices: one for each of the weights, or `outer`. */
static uint32_t matrices_of(const problem *p) {
  return p->batch > 1 ? p->batch : p->outer;
}

static void multiply(const problem *p) {
  uint32_t b, i, n, k;
  for (b = 0; b < matrices_of(p); b++) {
    for (i = 0; i < p->m; i++) {
      for (n = 0; n < p->n; n++) {
        double sum = 0, size = 0;
        for (k = 0; k < p->k; k++) {
          const double term = a[b][i][k] * weights[p->batch > 1 ? b : 0][k][n];
          sum += term;
          size += fabs(term);
        }
        if (p->half_step) {
          sum *= 0.5;
        }
        if (p->bias) {
          const double bias = (p->half_step ? 2 : 1) * added[0][0][0][n];
          sum += bias;
          size += fabs(bias);
        }
        if (p->residual) {
          sum += added[1][b][i][n];
          size += fabs(added[1][b][i][n]);
        }
        sums[b][i][n] = p->bounds == 0 ? sum : fmax(sum, 0);
        if (p->bounds == 2) {
          sums[b][i][n] = fmin(sums[b][i][n], 3);
        }
        sizes[b][i][n] = size;
      }
    }
  }
}

/* What the graph is fed. */
typedef struct feeds {
  webnn_named_input inputs[4];
  size_t count;
  bool borrowed;
} feeds;

static webnn_operand *fed(feeds *f, webnn_builder *builder, const char *name, webnn_data_type type,
                          webnn_list shape, const void *data, bool constant) {
  webnn_operand_descriptor d;
  d.data_type = type;
  d.shape = shape;
  if (constant) {
    if (f->borrowed) {
      return webnn_constant_over_memory(builder, d, data, (size_t)webnn_byte_length(d));
    }
    return webnn_constant(builder, d, data, (size_t)webnn_byte_length(d));
  }
  f->inputs[f->count].name = name;
  f->inputs[f->count].data = data;
  f->inputs[f->count++].byte_length = (size_t)webnn_byte_length(d);
  return webnn_input(builder, name, d);
}

/* rows x columns of each matrix, of the problem's type. */
static void *floats_of(const problem *p, const double *from, size_t pitch, size_t step,
                       uint32_t matrices, uint32_t rows, uint32_t columns) {
  void *data = test_allocate((size_t)matrices * rows * columns * 4 + 4);
  size_t i, at = 0;
  for (i = 0; i < (size_t)matrices * rows * columns; i++, at++) {
    test_set(p->type, data, at,
             from[i / columns / rows * step + i / columns % rows * pitch + i % columns]);
  }
  return data;
}

static webnn_list left_shape(const problem *p, uint32_t columns) {
  return matrices_of(p) > 1 || p->form == STACKED || p->form == TURNED_STACK
             ? WEBNN_LIST(matrices_of(p), p->m, columns)
             : WEBNN_LIST(p->m, columns);
}

/* The weights as the product reads them. */
static webnn_operand *dequantized(const problem *p, feeds *f, webnn_builder *builder,
                                  void *scale_data) {
  webnn_transpose_options turned = WEBNN_ZERO;
  webnn_operand *w =
      fed(f, builder, "w", p->packed, weight_shape(p, false), q, p->form != GIVEN_WEIGHTS);
  webnn_operand *s =
      fed(f, builder, "s", p->type, weight_shape(p, true), scale_data, p->form != GIVEN_SCALE);
  webnn_operand *zero = fed(f, builder, "z", p->packed, weight_shape(p, true), z, true);
  w = webnn_dequantize_linear(builder, w, s, zero, NULL);
  if (p->form == BLOCKED) {
    w = webnn_reshape(builder, w, WEBNN_LIST(p->n, p->k), NULL);
  } else if (p->form == SPLIT) {
    w = webnn_reshape(builder, w, WEBNN_LIST(p->k, p->n), NULL);
  } else if (p->form == TURNED_STACK) {
    turned.permutation = WEBNN_LIST(0, 2, 1);
  }
  return terms_last(p) && !is_gemm(p) ? webnn_transpose(builder, w, &turned) : w;
}

static webnn_operand *product(const problem *p, feeds *f, webnn_builder *builder, webnn_operand *w,
                              void *const *data) {
  webnn_operand *x = fed(f, builder, "a", p->type, left_shape(p, p->k), data[0], false), *y, *c;
  c = p->bias ? fed(f, builder, "b", p->type, WEBNN_LIST(p->n), data[1], true) : NULL;
  if (is_gemm(p)) {
    webnn_gemm_options options = WEBNN_ZERO;
    options.b_transpose = terms_last(p);
    options.c = c;
    if (p->half_step) {
      options.alpha = webnn_f64(0.5);
      options.beta = webnn_f64(2);
    }
    y = webnn_gemm(builder, x, w, &options);
  } else {
    y = webnn_matmul(builder, x, w, NULL);
    y = c != NULL ? webnn_add(builder, y, c, NULL) : y;
  }
  if (p->residual) {
    y = webnn_add(builder, fed(f, builder, "r", p->type, left_shape(p, p->n), data[2], false), y,
                  NULL);
  }
  if (p->bounds == 2) {
    webnn_clamp_options options = WEBNN_ZERO;
    options.min_value = webnn_f64(0);
    options.max_value = webnn_f64(3);
    return webnn_clamp(builder, y, &options);
  }
  return p->bounds == 1 ? webnn_relu(builder, y, NULL) : y;
}

/* The graph for a context, computed; what it takes goes to `memory`. */
static bool compute(webnn_context *context, const problem *p, void *const *data, void *y,
                    webnn_memory *memory) {
  webnn_builder *builder = test_builder(context);
  const size_t bytes = test_element_count(left_shape(p, p->n)) * webnn_data_type_bits(p->type) / 8;
  webnn_named_output outputs[2];
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_operand *w, *out;
  feeds f;
  memset(&f, 0, sizeof f);
  f.borrowed = p->borrowed;
  w = dequantized(p, &f, builder, data[3]);
  out = product(p, &f, builder, w, data);
  if (p->twice) { /* the same weights in another product, and as they are */
    webnn_operand *more = is_gemm(p) ? webnn_neg(builder, w, NULL) : w;
    webnn_operand *sum = webnn_reduce_sum(builder, more, NULL);
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", out}, {"sum", sum}), &graph, &error);
  } else {
    (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", out}), &graph, &error);
  }
  webnn_free_builder(builder);
  if (!CHECK("built", graph != NULL, "form %d: %s", (int)p->form, error.message)) {
    return false;
  }
  *memory = webnn_graph_memory(graph);
  outputs[0].name = "y";
  outputs[0].data = y;
  outputs[0].byte_length = bytes;
  if (p->twice) {
    static float sum;
    outputs[1].name = "sum";
    outputs[1].data = &sum;
    outputs[1].byte_length = webnn_data_type_bits(p->type) / 8;
  }
  CHECK("computed",
        webnn_compute(context, graph, f.inputs, f.count, outputs, p->twice ? 2 : 1, &error) ==
            WEBNN_OK,
        "%s", error.message);
  webnn_free_graph(graph);
  return error.status == WEBNN_OK;
}

static const char *named(const problem *p) {
  static char text[200];
  snprintf(text, sizeof text,
           "form %d, %s of %s%s, %u x %ux%ux%u of %u, blocks of %u%s%s%s%s, bounds %u%s%s, 2^%d",
           (int)p->form, webnn_data_type_name(p->type), webnn_data_type_name(p->packed),
           p->borrowed ? ", borrowed" : "", (unsigned)matrices_of(p), (unsigned)p->m,
           (unsigned)p->n, (unsigned)p->k, (unsigned)p->batch, (unsigned)p->block,
           p->per_column ? ", columns" : "", p->zeros ? ", zeros" : "", p->bias ? ", bias" : "",
           p->residual ? ", residual" : "", (unsigned)p->bounds, p->half_step ? ", alpha" : "",
           p->twice ? ", twice" : "", p->shift);
  return text;
}

/* Results of a context, or those of the reference: then eps is only that of the result. */
static void check_results(const problem *p, const char *name, const void *y, double eps) {
  const double terms = p->k < 256 ? p->k + 5.0 : 256 + p->k / 128.0 + 6;
  uint32_t b, i, n;
  size_t at = 0;
  for (b = 0; b < matrices_of(p); b++) {
    for (i = 0; i < p->m; i++) {
      for (n = 0; n < p->n; n++, at++) {
        const double got = test_get(p->type, y, at), expected = sums[b][i][n];
        const double size = fabs(expected) > 6.2e-5 ? fabs(expected) : 6.2e-5;
        const double unit = p->type == WEBNN_FLOAT16 ? 0x1p-11 : 0x1p-24;
        if (expected - expected != 0
                ? got != expected && !(got != got && expected != expected)
                : !(fabs(got - expected) <= terms * eps * sizes[b][i][n] + size * unit * 1.01)) {
          CHECK("packed", false, "%s: %s: [%u, %u, %u] is %.9g and not %.9g (sizes %g)", name,
                named(p), (unsigned)b, (unsigned)i, (unsigned)n, got, expected, sizes[b][i][n]);
          return;
        }
      }
    }
  }
  CHECK("packed", true, "%s", "");
}

/* Are borrowed weights read where they are, by all instruction sets but SSE2? They are columns of whole
   words, with as many vectors to a block, or blocks to a vector. */
static bool is_in_place(const problem *p) {
  const uint32_t terms = number_of_values(p->packed) == 16 ? 8 : 4, words = p->block / terms;
  return p->borrowed && is_packed(p) && terms_last(p) && p->type == WEBNN_FLOAT32 && !p->twice &&
         p->m * matrices_of(p) == 1 && p->block % terms == 0 && p->per_column &&
         (words == 2 || words == 4 || words == 8 || words % 16 == 0) &&
         (!p->zeros || p->block >= 32) && p->k * p->n / terms * 4 >= 16384;
}

static int in_place;

/* Weights that stay packed take words, and for each block two rows at most of what serves it, in
   panels of at most 32 columns. Those of near misses are panels of floats. */
static void check_memory(const problem *p, const char *name, const webnn_memory *memory) {
  const uint64_t floats = (uint64_t)p->batch * p->k * p->n * webnn_data_type_bits(p->type) / 8;
  const uint64_t kept =
      (uint64_t)p->batch * p->k * p->n * (number_of_values(p->packed) == 16 ? 1 : 2) / 2;
  if (is_in_place(p) && strncmp(name, "SSE2", 4) != 0) {
    in_place++;
    CHECK("memory", memory->prepared <= (p->zeros ? (uint64_t)p->k / p->block * p->n * 4 : 0) + 64,
          "%s: %s: %lu bytes prepared of weights that are borrowed", name, named(p),
          (unsigned long)memory->prepared);
  } else if (is_packed(p)) {
    const uint64_t blocks = (uint64_t)p->k / p->block, padded = p->n + 31;
    const uint64_t words = (p->block * (number_of_values(p->packed) == 16 ? 4u : 8u) + 31) / 32;
    CHECK("memory", memory->prepared <= p->batch * padded * blocks * (words + 2) * 4 + 4096,
          "%s: %s: %lu bytes prepared", name, named(p), (unsigned long)memory->prepared);
    CHECK("memory",
          p->twice || memory->constants <=
                          kept + 12 * test_element_count(weight_shape(p, true)) + p->n * 8 + 65536,
          "%s: %s: %lu bytes of constants", name, named(p), (unsigned long)memory->constants);
  } else if (p->form != GIVEN_SCALE && p->form != GIVEN_WEIGHTS) {
    CHECK("memory", memory->prepared >= floats, "%s: %s: only %lu bytes prepared", name, named(p),
          (unsigned long)memory->prepared);
  }
}

static void check_problem(const problem *p, bool with_reference) {
  const size_t count = test_element_count(left_shape(p, p->n));
  void *data[4], *y = test_allocate(count * 4), *first = test_allocate(count * 4);
  webnn_memory memory;
  size_t i;
  fill(p);
  multiply(p);
  data[0] = floats_of(p, &a[0][0][0], MOST_TERMS, (size_t)MOST_ROWS * MOST_TERMS, matrices_of(p),
                      p->m, p->k);
  data[1] = floats_of(p, &added[0][0][0][0], MOST_COLUMNS, 0, 1, 1, p->n);
  data[2] = floats_of(p, &added[1][0][0][0], MOST_COLUMNS, (size_t)MOST_ROWS * MOST_COLUMNS,
                      matrices_of(p), p->m, p->n);
  data[3] = test_allocate(test_element_count(weight_shape(p, true)) * 4);
  for (i = 0; i < test_element_count(weight_shape(p, true)); i++) {
    test_set(p->type, data[3], i, (double)scales[i]);
  }
  if (with_reference && compute(reference, p, data, y, &memory)) {
    check_results(p, "reference", y, p->type == WEBNN_FLOAT16 ? 0x1p-10 : 0x1p-24);
  }
  for (i = 0; i < machine_count; i++) {
    const machine *m = &machines[i];
    if (compute(m->context, p, data, y, &memory)) {
      check_results(p, m->name, y, m->fused ? 0x1p-24 : 0x1p-23);
      check_memory(p, m->name, &memory);
      CHECK("threads",
            m->threads == 1 || memcmp(first, y, count * webnn_data_type_bits(p->type) / 8) == 0,
            "%s: %s: the bits depend on the threads", m->name, named(p));
      memcpy(first, y, count * webnn_data_type_bits(p->type) / 8);
    }
  }
  for (i = 0; i < 4; i++) {
    free(data[i]);
  }
  free(y);
  free(first);
}

/* Blocks that are ordinary, and those that are not: k is a multiple of them. */
static void choose_blocks(problem *p) {
  static const uint32_t blocks[] = {16,  32,  64,  128, 256, 8,   9,  24,
                                    100, 129, 260, 300, 341, 192, 384};
  p->block = blocks[below(15)];
  p->k = p->block * pick(1, below(3) == 0 ? MOST_TERMS / p->block : 1 + 80 / p->block);
  if (below(3) == 0) {
    p->k = below(4) == 0 ? pick(255, MOST_TERMS) : pick(1, 70);
    p->block = p->k;
  }
  if (p->form == THIN_BLOCKS) {
    p->block = 2;
    p->k = 2 * pick(40, 80);
  } else if (p->form == PER_TERM) {
    p->k = pick(40, 80);
    p->block = 1;
  }
}

static problem made(form shape) {
  static const webnn_data_type types[] = {WEBNN_INT4, WEBNN_UINT4, WEBNN_INT8, WEBNN_UINT8};
  static const int shifts[] = {112, -122, 126}; /* by the last some weights overflow */
  problem p;
  memset(&p, 0, sizeof p);
  p.form = shape;
  p.type = below(4) == 0 ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
  p.packed = types[below(4)];
  p.batch = shape == STACKED || shape == TURNED_STACK ? pick(2, MOST_BATCH) : 1;
  p.outer = !is_gemm(&p) && below(4) == 0 ? pick(2, MOST_BATCH) : 1;
  p.m = below(3) ? pick(1, 20) : below(4) ? pick(1, 4) : pick(20, MOST_ROWS);
  p.n = pick(1, MOST_COLUMNS);
  choose_blocks(&p);
  p.per_column = p.block != p.k || below(2) != 0;
  p.zeros = below(3) == 0;
  p.bias = below(3) == 0;
  p.residual = below(4) == 0;
  p.bounds = below(3) ? 0 : pick(1, 2);
  p.half_step = is_gemm(&p) && p.bias && !p.residual && p.type == WEBNN_FLOAT32 && below(2) != 0;
  p.twice = below(12) == 0;
  p.infinite = p.bounds == 0 && p.type == WEBNN_FLOAT32 && below(12) == 0;
  p.borrowed = below(2) != 0;
  if (p.borrowed && below(2)) { /* many of those for which that matters */
    p.m = pick(1, 4);
    p.n = pick(60, MOST_COLUMNS);
    p.block = p.block < 8 && p.form < FORMS ? 8 : p.block;
    p.k = p.block * (MOST_TERMS / p.block);
    p.per_column = p.block != p.k || p.per_column;
    p.infinite = p.type == WEBNN_FLOAT32 && p.bounds == 0 && below(3) == 0;
  }
  p.shift = p.type == WEBNN_FLOAT16 || below(8) ? 0 : shifts[below(3)];
  p.bounds = p.shift == 126 ? 0 : p.bounds; /* the sums may be NaN */
  return p;
}

int main(void) {
  int i;
  open_machines();
  for (i = 0; i < 700; i++) {
    const problem p = made((form)(i % 7 != 6 ? below(FORMS) : FORMS + below(ALL_FORMS - FORMS)));
    check_problem(&p, i % 50 == 0);
  }
  CHECK("in place", in_place > 0, "none of the borrowed weights was");
  close_machines();
  return test_end();
}
