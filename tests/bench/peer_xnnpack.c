/* peer_xnnpack.c - XNNPACK by its operators: float32, images in nhwc. */
#include "bench.h"

#include <string.h>

#ifdef HAVE_XNNPACK
#include <math.h>
#include <pthreadpool.h>
#include <stdlib.h>
#include <xnnpack.h>

typedef struct xnn {
  xnn_operator_t operator;
  pthreadpool_t pool; /* NULL: this thread only */
} xnn;

static void run(void *state) {
  const xnn *s = (const xnn *)state;
  if (xnn_run_operator(s->operator, s->pool) != xnn_status_success)
    fail("XNNPACK does not run");
}

static void release(void *state) {
  xnn *s = (xnn *)state;
  if (s->operator)
    xnn_delete_operator(s->operator);
  if (s->pool)
    pthreadpool_destroy(s->pool);
  free(s);
}

/* ---- Making operators: create and set up -------------------------------------------------------
 */

typedef struct maker {
  xnn *s;
  const graph *g;
  const node *n;
  const shape *in, *out;
  const float *x, *second, *third;
  float *y;
} maker;

static bool did(enum xnn_status status) {
  return status == xnn_status_success;
}

/* Filters [O, I, H, W] become [O, H, W, I]. */
static float *turned_filter(const maker *m) {
  const shape *w = &m->g->values[m->n->inputs[1]].shape;
  size_t pixels = (size_t)w->d[2] * w->d[3], channels = w->d[1];
  float *turned = (float *)allocate(element_count(w) * sizeof(float));
  for (size_t o = 0; o < w->d[0]; o++)
    for (size_t i = 0; i < channels; i++)
      for (size_t p = 0; p < pixels; p++)
        turned[(o * pixels + p) * channels + i] = m->second[(o * channels + i) * pixels + p];
  return turned;
}

static bool make_conv2d(const maker *m) {
  const node *n = m->n;
  const shape *w = &m->g->values[n->inputs[1]].shape;
  if (!n->nhwc)
    return false;
  float *filter = turned_filter(m); /* packed by the creation */
  bool made =
      did(xnn_create_convolution2d_nhwc_f32(
          n->padding[0], n->padding[3], n->padding[1], n->padding[2], w->d[2], w->d[3],
          n->strides[0], n->strides[1], 1, 1, n->groups, w->d[1], w->d[0] / n->groups, m->in->d[3],
          m->out->d[3], filter, m->third, -INFINITY, INFINITY, 0, &m->s->operator)) &&
      did(xnn_setup_convolution2d_nhwc_f32(m->s->operator, m->in->d[0], m->in->d[1], m->in->d[2],
                                           m->x, m->y, m->s->pool));
  free(filter);
  return made;
}

static bool make_linear(const maker *m) {
  const value_info *w = &m->g->values[m->n->inputs[1]];
  if (w->kind != CONSTANT || w->shape.rank != 2 || m->in->rank != 2 || m->n->transpose_a)
    return false;
  size_t inputs = m->in->d[1], outputs = m->out->d[1];
  uint32_t flags = m->n->transpose_b ? 0 : XNN_FLAG_TRANSPOSE_WEIGHTS;
  return did(xnn_create_fully_connected_nc_f32(inputs, outputs, inputs, outputs, m->second,
                                               m->third, -INFINITY, INFINITY, flags,
                                               &m->s->operator)) &&
         did(xnn_setup_fully_connected_nc_f32(m->s->operator, m->in->d[0], m->x, m->y, m->s->pool));
}

static bool make_binary(const maker *m) {
  size_t a[XNN_MAX_TENSOR_DIMS], b[XNN_MAX_TENSOR_DIMS];
  const shape *second = &m->g->values[m->n->inputs[1]].shape;
  if (m->in->rank > XNN_MAX_TENSOR_DIMS || second->rank > XNN_MAX_TENSOR_DIMS)
    return false;
  for (uint32_t i = 0; i < m->in->rank; i++)
    a[i] = m->in->d[i];
  for (uint32_t i = 0; i < second->rank; i++)
    b[i] = second->d[i];
  if (m->n->op == ADD)
    return did(xnn_create_add_nd_f32(-INFINITY, INFINITY, 0, &m->s->operator)) &&
           did(xnn_setup_add_nd_f32(m->s->operator, m->in->rank, a, second->rank, b, m->x,
                                    m->second, m->y, m->s->pool));
  return did(xnn_create_multiply_nd_f32(-INFINITY, INFINITY, 0, &m->s->operator)) &&
         did(xnn_setup_multiply_nd_f32(m->s->operator, m->in->rank, a, second->rank, b, m->x,
                                       m->second, m->y, m->s->pool));
}

/* One row of everything; XNNPACK cuts rows into parts for its threads. */
static bool make_unary(const maker *m) {
  size_t count = element_count(m->in);
  if (m->n->op == SIGMOID)
    return did(xnn_create_sigmoid_nc_f32(1, 1, 1, 0, &m->s->operator)) &&
           did(xnn_setup_sigmoid_nc_f32(m->s->operator, count, m->x, m->y, m->s->pool));
  bool relu = m->n->op == RELU;
  return did(xnn_create_clamp_nc_f32(1, 1, 1, relu ? 0 : (float)m->n->number,
                                     relu ? INFINITY : (float)m->n->maximum, 0, &m->s->operator)) &&
         did(xnn_setup_clamp_nc_f32(m->s->operator, count, m->x, m->y, m->s->pool));
}

static bool make_softmax(const maker *m) {
  size_t row = m->in->d[m->in->rank - 1];
  return m->n->axis == m->in->rank - 1 &&
         did(xnn_create_softmax_nc_f32(row, row, row, 0, &m->s->operator)) &&
         did(xnn_setup_softmax_nc_f32(m->s->operator, element_count(m->in) / row, m->x, m->y,
                                      m->s->pool));
}

static bool make_resample(const maker *m) {
  size_t channels = m->in->d[3];
  return m->n->nhwc && m->n->linear &&
         did(xnn_create_resize_bilinear2d_nhwc_f32(channels, channels, channels, 0,
                                                   &m->s->operator)) &&
         did(xnn_setup_resize_bilinear2d_nhwc_f32(m->s->operator, m->in->d[0], m->in->d[1],
                                                  m->in->d[2], m->out->d[1], m->out->d[2], m->x,
                                                  m->y, m->s->pool));
}

static bool make_max_pool(const maker *m) {
  const node *n = m->n;
  size_t channels = m->in->d[3];
  return n->nhwc && n->window[0] > 0 &&
         did(xnn_create_max_pooling2d_nhwc_f32(
             n->padding[0], n->padding[3], n->padding[1], n->padding[2], n->window[0], n->window[1],
             n->strides[0], n->strides[1], 1, 1, channels, channels, channels, -INFINITY, INFINITY,
             0, &m->s->operator)) &&
         did(xnn_setup_max_pooling2d_nhwc_f32(m->s->operator, m->in->d[0], m->in->d[1], m->in->d[2],
                                              m->x, m->y, m->s->pool));
}

static bool make(const maker *m) {
  switch (m->n->op) {
  case CONV2D:
    return make_conv2d(m);
  case MATMUL:
  case GEMM:
    return make_linear(m);
  case ADD:
  case MUL:
    return make_binary(m);
  case RELU:
  case CLAMP:
  case SIGMOID:
    return make_unary(m);
  case SOFTMAX:
    return make_softmax(m);
  case RESAMPLE:
    return make_resample(m);
  case MAX_POOL:
    return make_max_pool(m);
  default:
    return false;
  }
}

static const float *data_of(const graph *g, const node *n, int i) {
  return i < n->input_count ? (const float *)g->values[n->inputs[i]].data : NULL;
}

static bool create(const graph *g, uint32_t threads, runner *r) {
  const node *n = &g->nodes[0];
  if (g->node_count != 1 || g->values[n->inputs[0]].type != WEBNN_FLOAT32)
    return false;
  xnn *s = (xnn *)allocate(sizeof *s);
  s->pool = threads > 1 ? pthreadpool_create(threads) : NULL;
  r->outputs[0] = allocate(g->values[n->outputs[0]].bytes + XNN_EXTRA_BYTES);
  maker m = {s,
             g,
             n,
             &g->values[n->inputs[0]].shape,
             &g->values[n->outputs[0]].shape,
             data_of(g, n, 0),
             data_of(g, n, 1),
             data_of(g, n, 2),
             (float *)r->outputs[0]};
  if (!make(&m)) {
    free(r->outputs[0]);
    release(s);
    return false;
  }
  r->state = s;
  r->run = run;
  r->release = release;
  return true;
}

static bool open_library(char *text, size_t size) {
  snprintf(text, size, "XNNPACK");
  return did(xnn_initialize(NULL));
}

#else /* no XNNPACK at compile time */

static bool create(const graph *g, uint32_t threads, runner *r) {
  (void)g, (void)threads, (void)r;
  return false;
}

static bool open_library(char *text, size_t size) {
  snprintf(text, size, "was not found by the compiler (Debian: libxnnpack-dev)");
  return false;
}

#endif

const peer peer_xnnpack = {"xnnpack", open_library, create, false, false};
