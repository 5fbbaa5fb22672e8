/* peer_blas.c - OpenBLAS and BLIS: products, and convolutions that are products. Both have the same
   function names, so they are opened at run time, each for itself. */
#include "bench.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct blas {
  void (*sgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
  void (*set_threads)(int threads);
} blas;

static blas openblas, blis;

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };

/* The first of the listed files that has both functions. */
static bool open_blas(blas *b, const char *const *files, const char *threads_function) {
  for (; *files; files++) {
    void *library = dlopen(*files, RTLD_NOW | RTLD_LOCAL);
    void *sgemm = library ? dlsym(library, "cblas_sgemm") : NULL;
    void *set_threads = library ? dlsym(library, threads_function) : NULL;
    memcpy(&b->sgemm, &sgemm, sizeof sgemm);
    memcpy(&b->set_threads, &set_threads, sizeof set_threads);
    if (sgemm && set_threads)
      return true;
  }
  return false;
}

static bool has_avx512(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

/* Versions older than the processor take kernels of other processors, some many times slower:
   unless the user has chosen, they are told to use those with AVX-512. */
static bool openblas_open(char *text, size_t size) {
  static const char *const files[] = {"libopenblas.so.0", "libopenblas.so", NULL};
  if (has_avx512())
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
  if (!open_blas(&openblas, files, "openblas_set_num_threads")) {
    snprintf(text, size, "libopenblas.so is not found (Debian: libopenblas-dev)");
    return false;
  }
  snprintf(text, size, "OpenBLAS, kernels %s",
           getenv("OPENBLAS_CORETYPE") ? getenv("OPENBLAS_CORETYPE") : "of its choice");
  return true;
}

static bool blis_open(char *text, size_t size) {
  static const char *const files[] = {"libblis.so.4", "libblis.so", NULL};
  if (has_avx512())
    setenv("BLIS_ARCH_TYPE", "0", 0); /* skx */
  if (!open_blas(&blis, files, "bli_thread_set_num_threads")) {
    snprintf(text, size, "libblis.so is not found (Debian: libblis-dev)");
    return false;
  }
  snprintf(text, size, "BLIS, kernels %s",
           getenv("BLIS_ARCH_TYPE") ? getenv("BLIS_ARCH_TYPE") : "of its choice");
  return true;
}

/* ---- Running: out = a b + bias, `batch` times --------------------------------------------------
 */

typedef struct product {
  const blas *library;
  size_t batch, step_a, step_b, step_c; /* elements from one matrix to the next */
  int m, n, k, transpose_a, transpose_b;
  const float *a, *b, *bias;
  bool bias_of_rows; /* else of columns */
  float *out;
} product;

static void set_bias(const product *p) {
  for (int i = 0; i < p->m; i++)
    for (int j = 0; j < p->n; j++)
      p->out[(size_t)i * (size_t)p->n + (size_t)j] = p->bias[p->bias_of_rows ? i : j];
}

static void product_run(void *state) {
  const product *p = (const product *)state;
  if (p->bias)
    set_bias(p);
  for (size_t i = 0; i < p->batch; i++)
    p->library->sgemm(ROW_MAJOR, p->transpose_a ? TRANSPOSED : PLAIN,
                      p->transpose_b ? TRANSPOSED : PLAIN, p->m, p->n, p->k, 1,
                      p->a + i * p->step_a, p->transpose_a ? p->m : p->k, p->b + i * p->step_b,
                      p->transpose_b ? p->k : p->n, p->bias ? 1 : 0, p->out + i * p->step_c, p->n);
}

static const float *data_of(const graph *g, const node *n, int i) {
  return i < n->input_count ? (const float *)g->values[n->inputs[i]].data : NULL;
}

static bool match_product(const graph *g, const node *n, product *p) {
  const shape *a = &g->values[n->inputs[0]].shape, *b = &g->values[n->inputs[1]].shape;
  p->a = data_of(g, n, 0);
  p->b = data_of(g, n, 1);
  p->bias = data_of(g, n, 2);
  p->m = (int)a->d[a->rank - (n->transpose_a ? 1 : 2)];
  p->k = (int)a->d[a->rank - (n->transpose_a ? 2 : 1)];
  p->transpose_a = n->transpose_a;
  p->transpose_b = n->transpose_b;
  p->n = (int)b->d[b->rank - (n->transpose_b ? 2 : 1)];
  p->batch = element_count(a) / ((size_t)p->m * (size_t)p->k);
  p->step_a = (size_t)p->m * (size_t)p->k;
  p->step_b = (size_t)p->k * (size_t)p->n;
  p->step_c = (size_t)p->m * (size_t)p->n;
  return a->rank == b->rank && element_count(b) == p->batch * p->step_b;
}

/* Convolutions of 1 x 1: filter times image, or in nhwc all images times transposed filter. */
static bool match_conv2d(const graph *g, const node *n, product *p) {
  const shape *x = &g->values[n->inputs[0]].shape, *w = &g->values[n->inputs[1]].shape;
  if (w->d[2] != 1 || w->d[3] != 1 || n->strides[0] != 1 || n->groups != 1 ||
      (x->d[0] != 1 && !n->nhwc))
    return false;
  int pixels = (int)(element_count(x) / w->d[1]);
  p->batch = 1;
  p->k = (int)w->d[1];
  p->bias = data_of(g, n, 2);
  p->a = data_of(g, n, n->nhwc ? 0 : 1);
  p->b = data_of(g, n, n->nhwc ? 1 : 0);
  p->m = n->nhwc ? pixels : (int)w->d[0];
  p->n = n->nhwc ? (int)w->d[0] : pixels;
  p->transpose_b = n->nhwc;
  p->bias_of_rows = !n->nhwc;
  return true;
}

static bool create(const blas *library, const graph *g, uint32_t threads, runner *r) {
  const node *n = &g->nodes[0];
  product p = {.library = library};
  bool product_of_floats = g->node_count == 1 && g->values[n->inputs[0]].type == WEBNN_FLOAT32 &&
                           (n->op == MATMUL || n->op == GEMM || n->op == CONV2D);
  if (!product_of_floats || !(n->op == CONV2D ? match_conv2d(g, n, &p) : match_product(g, n, &p)))
    return false;
  library->set_threads((int)threads);
  p.out = (float *)allocate(g->values[g->outputs[0]].bytes);
  r->outputs[0] = p.out;
  r->state = allocate(sizeof p);
  memcpy(r->state, &p, sizeof p);
  r->run = product_run;
  r->release = free;
  return true;
}

static bool openblas_create(const graph *g, uint32_t threads, runner *r) {
  return create(&openblas, g, threads, r);
}

static bool blis_create(const graph *g, uint32_t threads, runner *r) {
  return create(&blis, g, threads, r);
}

const peer peer_openblas = {"openblas", openblas_open, openblas_create, false, false};
const peer peer_blis = {"blis", blis_open, blis_create, false, false};
