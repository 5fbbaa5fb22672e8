/* The fast attention kernel, y = softmax(scale q k^T + mask) v for each batch and head, against the
   formula in double precision: layouts of heads, masks, sizes around those of tiles and blocks,
   float16, special values, every instruction set of this machine, 1 to 3 threads with the same
   bits. The operator is made by passes only, so its node is made by hand here, with the
   implementation's inside. */
#define WEBNN_IMPLEMENTATION
#include "sets.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- A case -----------------------------------------------------------------------------------
 */

/* Where the heads are: [batch, heads, rows, elements], [batch, rows, heads, elements], or
   [batch, heads, elements, rows]. */
typedef enum head_layout { HEADS_FIRST, ROWS_FIRST, TRANSPOSED } head_layout;

typedef enum mask_kind { NO_MASK, FULL, CAUSAL, PER_KEY, PER_QUERY, MASKED_ROW } mask_kind;

typedef struct attention_case {
  uint64_t batch, heads, m, n, depth, value_depth;
  head_layout q, k, v, y;
  mask_kind mask;
  bool half;
  float range; /* of q and k */
} attention_case;

enum { OPERANDS = 5 }; /* q, k, v, mask, y */

typedef struct operands {
  size_t counts[OPERANDS];
  double *values[OPERANDS]; /* as stored: rounded to the type */
  void *data[OPERANDS];
} operands;

static void set_strides(head_layout order, uint64_t heads, uint64_t rows, uint64_t elements,
                        int64_t *strides) {
  strides[0] = (int64_t)(heads * rows * elements);
  strides[1] = (int64_t)(order == ROWS_FIRST ? elements : rows * elements);
  strides[2] = (int64_t)(order == HEADS_FIRST  ? elements
                         : order == ROWS_FIRST ? heads * elements
                                               : 1);
  strides[3] = order == TRANSPOSED ? (int64_t)rows : 1;
}

static void describe(const attention_case *c, webnn__attention *a, operands *o) {
  memset(a, 0, sizeof *a);
  memset(o, 0, sizeof *o);
  a->batch = c->batch;
  a->heads = c->heads;
  a->m = c->m;
  a->n = c->n;
  a->depth = c->depth;
  a->value_depth = c->value_depth;
  a->scale = 1.0f / (float)sqrt((double)c->depth);
  set_strides(c->q, c->heads, c->m, c->depth, a->q);
  set_strides(c->k, c->heads, c->n, c->depth, a->k);
  set_strides(c->v, c->heads, c->n, c->value_depth, a->v);
  set_strides(c->y, c->heads, c->m, c->value_depth, a->y);
  o->counts[0] = (size_t)(c->batch * c->heads * c->m * c->depth);
  o->counts[1] = (size_t)(c->batch * c->heads * c->n * c->depth);
  o->counts[2] = (size_t)(c->batch * c->heads * c->n * c->value_depth);
  o->counts[4] = (size_t)(c->batch * c->heads * c->m * c->value_depth);
  switch (c->mask) {
  case NO_MASK:
    break;
  case FULL:
    set_strides(HEADS_FIRST, c->heads, c->m, c->n, a->mask);
    o->counts[3] = (size_t)(c->batch * c->heads * c->m * c->n);
    break;
  case PER_KEY:
    a->mask[0] = (int64_t)c->n;
    a->mask[3] = 1;
    o->counts[3] = (size_t)(c->batch * c->n);
    break;
  case PER_QUERY:
    a->mask[2] = 1;
    o->counts[3] = (size_t)c->m;
    break;
  default:
    a->mask[2] = (int64_t)c->n;
    a->mask[3] = 1;
    o->counts[3] = (size_t)(c->m * c->n);
  }
}

static void set_value(const attention_case *c, operands *o, int operand, size_t i, double value) {
  if (c->half) {
    const uint16_t bits = webnn_float32_to_float16((float)value);
    ((uint16_t *)o->data[operand])[i] = bits;
    o->values[operand][i] = (double)webnn_float16_to_float32(bits);
  } else {
    ((float *)o->data[operand])[i] = (float)value;
    o->values[operand][i] = (double)(float)value;
  }
}

static double value_of(const attention_case *c, const void *data, size_t i) {
  return c->half ? (double)webnn_float16_to_float32(((const uint16_t *)data)[i])
                 : (double)((const float *)data)[i];
}

static void fill_operands(const attention_case *c, operands *o, uint64_t seed) {
  uint64_t random = seed * 2654435761u + 1;
  int k;
  size_t i;
  for (k = 0; k < OPERANDS; k++) {
    o->values[k] = (double *)test_allocate((o->counts[k] + 1) * sizeof(double));
    o->data[k] = test_allocate((o->counts[k] + 1) * sizeof(float));
    for (i = 0; i < o->counts[k]; i++) {
      const double value = test_random_between(&random, -1.0, 1.0);
      set_value(c, o, k, i, k < 2 ? value * (double)c->range : value);
      if (k == 3 && c->mask == CAUSAL && i % c->n > i / c->n + c->n / 3) {
        set_value(c, o, k, i, -HUGE_VAL);
      }
      if (k == 3 && c->mask == MASKED_ROW && i / c->n == c->m / 2) {
        set_value(c, o, k, i, -HUGE_VAL);
      }
    }
  }
}

static void free_operands(operands *o) {
  int k;
  for (k = 0; k < OPERANDS; k++) {
    free(o->values[k]);
    free(o->data[k]);
  }
}

/* ---- The node, by hand ------------------------------------------------------------------------
 */

static void run_node(webnn_context *context, const attention_case *c, const webnn__attention *a,
                     const operands *o, void *result) {
  webnn__cpu *cpu = (webnn__cpu *)context->device;
  webnn__value values[OPERANDS];
  webnn__port inputs[OPERANDS], output;
  uint32_t node_inputs[4] = {0, 1, 2, WEBNN__NONE}, node_output = 4, k;
  webnn__storage memory[OPERANDS];
  void *storages[OPERANDS];
  webnn__fused fused;
  webnn__node node;
  webnn__program program;
  webnn__plan *plan;
  webnn_error error = WEBNN_ZERO;
  memset(values, 0, sizeof values);
  memset(&fused, 0, sizeof fused);
  memset(&node, 0, sizeof node);
  memset(&program, 0, sizeof program);
  for (k = 0; k < OPERANDS; k++) {
    values[k].data_type = c->half ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
    values[k].shape = webnn__shape_1(o->counts[k] > 0 ? (uint32_t)o->counts[k] : 1);
    values[k].origin = k < 4 ? WEBNN__ORIGIN_INPUT : WEBNN__ORIGIN_NODE;
    inputs[k].name = "input";
    inputs[k].value = k;
  }
  node_inputs[3] = c->mask != NO_MASK ? 3 : WEBNN__NONE;
  memset(memory, 0, sizeof memory);
  for (k = 0; k < OPERANDS; k++) {
    memory[k].data = k < 4 ? o->data[k] : result;
    memory[k].byte_length = o->counts[k] * (c->half ? 2 : 4);
    storages[k] = &memory[k];
  }
  output.name = "y";
  output.value = 4;
  output.donor = WEBNN__NONE;
  fused.attention = a;
  node.op = WEBNN__OP_ATTENTION;
  node.label = "";
  node.input_count = 4;
  node.output_count = 1;
  node.inputs = node_inputs;
  node.outputs = &node_output;
  node.fused = &fused;
  program.arena.allocator = &cpu->options->allocator;
  program.values = values;
  program.nodes = &node;
  program.inputs = inputs;
  program.outputs = &output;
  program.value_count = OPERANDS;
  program.node_count = 1;
  program.input_count = 4;
  program.output_count = 1;
  plan = webnn__ready_plan(cpu, &program, UINT32_MAX);
  CHECK("attention", plan != NULL, "no plan");
  if (plan != NULL) {
    CHECK("attention", webnn__cpu_run(cpu, plan, storages, storages + 4, &error) == WEBNN_OK,
          "no run");
    webnn__cpu_release_plan(cpu, plan);
  }
}

/* ---- The formula ------------------------------------------------------------------------------
 */

static size_t at(const int64_t *strides, uint64_t b, uint64_t h, uint64_t i, uint64_t j) {
  return (size_t)((int64_t)b * strides[0] + (int64_t)h * strides[1] + (int64_t)i * strides[2] +
                  (int64_t)j * strides[3]);
}

/* One row of weights; returns the largest error that a score may have. */
static double weights_of(const webnn__attention *a, const operands *o, bool has_mask, uint64_t b,
                         uint64_t h, uint64_t i, double *weight) {
  double top = -HUGE_VAL, sum = 0, most = 0;
  uint64_t j, d;
  for (j = 0; j < a->n; j++) {
    double score = 0, size = 0, mask = 0;
    for (d = 0; d < a->depth; d++) {
      const double term = o->values[0][at(a->q, b, h, i, d)] * o->values[1][at(a->k, b, h, j, d)] *
                          (double)a->scale;
      score += term;
      size += fabs(term);
    }
    if (has_mask) {
      mask = o->values[3][at(a->mask, b, h, i, j)];
    }
    weight[j] = score + mask;
    size = ((double)a->depth + 4.0) * size + 2 * (fabs(score) + (isinf(mask) ? 0.0 : fabs(mask)));
    most = size > most ? size : most;
    top = weight[j] > top ? weight[j] : top;
  }
  for (j = 0; j < a->n; j++) {
    weight[j] = exp(weight[j] - top);
    sum += weight[j];
  }
  for (j = 0; j < a->n; j++) {
    weight[j] /= sum;
  }
  return most * ldexp(1.0, -24) * 2.0; /* twice: without fused multiply-adds */
}

/* Returns how many results are out of bounds; the largest share of its bound in *worst. */
static unsigned wrong_results(const attention_case *c, const webnn__attention *a, const operands *o,
                              const void *result, double *worst) {
  const double eps = ldexp(1.0, -24);
  double *weight = (double *)test_allocate(a->n * sizeof *weight);
  unsigned wrong = 0;
  uint64_t row, i, j, d;
  for (row = 0; row < a->batch * a->heads * a->m; row++) {
    const uint64_t b = row / a->m / a->heads, h = row / a->m % a->heads;
    double error;
    i = row % a->m;
    error = weights_of(a, o, c->mask != NO_MASK, b, h, i, weight);
    for (d = 0; d < a->value_depth; d++) {
      const double got = value_of(c, result, at(a->y, b, h, i, d));
      double y = 0, size = 0, bound;
      for (j = 0; j < a->n; j++) {
        const double v = o->values[2][at(a->v, b, h, j, d)];
        y += weight[j] * v;
        size += weight[j] * fabs(v);
      }
      bound =
          (2 * error + (2 * (256.0 + (double)a->n / 256) + (double)a->n / 128 + 8) * eps) * size;
      bound += c->half ? fabs(y) * ldexp(1.0, -11) + ldexp(1.0, -25) : fabs(y) * eps;
      if (y != y || got != got ? (y == y) != (got == got) : fabs(got - y) > bound) {
        wrong++;
      } else if (y == y && bound > 0 && fabs(got - y) / bound > *worst) {
        *worst = fabs(got - y) / bound;
      }
    }
  }
  free(weight);
  return wrong;
}

static void check_case(webnn_context *const *contexts, int count, const char *set,
                       const attention_case *c, uint64_t seed, double *worst) {
  const size_t size = c->half ? 2 : 4;
  webnn__attention a;
  operands o;
  unsigned char *results[3];
  size_t bytes;
  unsigned wrong;
  int i;
  describe(c, &a, &o);
  fill_operands(c, &o, seed);
  bytes = o.counts[4] * size;
  for (i = 0; i < count; i++) {
    results[i] = (unsigned char *)test_allocate(bytes + 16);
    memset(results[i], 0xa5, bytes + 16);
    run_node(contexts[i], c, &a, &o, results[i]);
    CHECK("attention", i == 0 || memcmp(results[0], results[i], bytes) == 0,
          "%s: other bits with %d threads", set, i + 1);
    CHECK("attention", results[i][bytes] == 0xa5, "%s: written beyond the end", set);
  }
  wrong = wrong_results(c, &a, &o, results[0], worst);
  CHECK("attention", wrong == 0,
        "%s: batch %u, heads %u, m %u, n %u, depth %u, values %u, layouts %d %d %d %d, mask %d, "
        "%s: %u results are wrong",
        set, (unsigned)c->batch, (unsigned)c->heads, (unsigned)c->m, (unsigned)c->n,
        (unsigned)c->depth, (unsigned)c->value_depth, (int)c->q, (int)c->k, (int)c->v, (int)c->y,
        (int)c->mask, c->half ? "float16" : "float32", wrong);
  for (i = 0; i < count; i++) {
    free(results[i]);
  }
  free_operands(&o);
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static uint64_t one_of(uint64_t *random, const uint64_t *list, size_t count) {
  return list[test_random(random) % count];
}

static void check_random(webnn_context *const *contexts, int count, const char *set) {
  static const uint64_t sizes_m[] = {1, 1, 2, 4, 5, 13, 14, 15, 29, 40};
  static const uint64_t sizes_n[] = {1, 2, 5, 31, 32, 33, 100, 255, 256, 257, 300, 530};
  static const uint64_t depths[] = {1, 3, 8, 16, 20, 33, 64, 80};
  static const float ranges[] = {0.1f, 1.0f, 4.0f, 30.0f};
  uint64_t random = 7;
  double worst = 0;
  int i;
  for (i = 0; i < 260; i++) {
    attention_case c;
    memset(&c, 0, sizeof c);
    c.batch = 1 + test_random(&random) % 2;
    c.heads = 1 + test_random(&random) % 3;
    c.m = one_of(&random, sizes_m, COUNT(sizes_m));
    c.n = one_of(&random, sizes_n, COUNT(sizes_n));
    c.depth = one_of(&random, depths, COUNT(depths));
    c.value_depth = one_of(&random, depths, COUNT(depths));
    c.q = (head_layout)(test_random(&random) % 3);
    c.k = (head_layout)(test_random(&random) % 3);
    c.v = (head_layout)(test_random(&random) % 3);
    c.y = (head_layout)(test_random(&random) % 3);
    c.mask = (mask_kind)(test_random(&random) % 6);
    c.half = test_random(&random) % 3 == 0;
    c.range = ranges[test_random(&random) % COUNT(ranges)];
    check_case(contexts, count, set, &c, (uint64_t)i, &worst);
  }
  CHECK("attention", worst > 0.0 && worst < 1.0, "%s: the largest error is %g of its bound", set,
        worst);
}

/* The deepest heads, and many keys. */
static void check_large(webnn_context *const *contexts, int count, const char *set) {
  static const attention_case cases[] = {
      {1, 2, 17, 70, 256, 256, HEADS_FIRST, HEADS_FIRST, HEADS_FIRST, ROWS_FIRST, FULL, false, 1},
      {1, 3, 1, 3000, 64, 64, HEADS_FIRST, HEADS_FIRST, HEADS_FIRST, HEADS_FIRST, PER_KEY, false,
       2},
      {1, 3, 1, 3000, 64, 64, HEADS_FIRST, ROWS_FIRST, ROWS_FIRST, HEADS_FIRST, NO_MASK, true, 2},
      {1, 1, 20, 2000, 32, 24, ROWS_FIRST, TRANSPOSED, ROWS_FIRST, ROWS_FIRST, CAUSAL, false, 1}};
  double worst = 0;
  size_t i;
  for (i = 0; i < COUNT(cases); i++) {
    check_case(contexts, count, set, &cases[i], i, &worst);
  }
}

/* NaN and infinity in q make NaN rows, and no others. */
static void check_special(webnn_context *context, const char *set, uint64_t m, bool half) {
  static const double specials[] = {NAN, HUGE_VAL, -HUGE_VAL};
  attention_case c = {1,           1,           1,           40,      16,    16, HEADS_FIRST,
                      HEADS_FIRST, HEADS_FIRST, HEADS_FIRST, NO_MASK, false, 1};
  size_t k, i;
  c.m = m;
  c.half = half;
  for (k = 0; k < COUNT(specials); k++) {
    webnn__attention a;
    operands o;
    void *result;
    unsigned wrong = 0;
    describe(&c, &a, &o);
    fill_operands(&c, &o, 3);
    set_value(&c, &o, 0, (size_t)(m / 2 * c.depth), specials[k]);
    result = test_allocate(o.counts[4] * sizeof(float));
    run_node(context, &c, &a, &o, result);
    for (i = 0; i < o.counts[4]; i++) {
      const double y = value_of(&c, result, i);
      wrong += (i / c.value_depth == m / 2) == (y == y) ? 1 : 0;
    }
    CHECK("special values", wrong == 0, "%s: %u results for %g among %u queries", set, wrong,
          specials[k], (unsigned)m);
    free(result);
    free_operands(&o);
  }
}

int main(void) {
  int set;
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    webnn_context *contexts[3];
    webnn_context_options options = WEBNN_ZERO;
    const char *name;
    int i, count = 0;
    options.instruction_set = (webnn_instruction_set)set;
    for (i = 0; i < 3; i++) {
      options.threads = (uint32_t)i + 1;
      contexts[i] = test_set_context(&options);
      count += contexts[i] != NULL;
    }
    if (count == 0) {
      continue;
    }
    name = ((webnn__cpu *)contexts[0]->device)->machine.kernels->name;
    check_random(contexts, 3, name);
    check_large(contexts, 3, name);
    check_special(contexts[0], name, 3, false);
    check_special(contexts[0], name, 20, false);
    check_special(contexts[0], name, 3, true);
    for (i = 0; i < 3; i++) {
      webnn_free_context(contexts[i]);
    }
  }
  return test_end();
}
