/* peer_onednn.c - oneDNN, version 2: graphs of one operator, also between dequantizations and a
   quantization. Convolutions come in three forms: on the tensors as they are, with the price of
   turning them into oneDNN's blocked layout and back, and without it, as inside a network. */
#include "bench.h"

#include <string.h>

#ifdef HAVE_ONEDNN
#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdlib.h>

typedef enum form { AS_IT_IS, REORDERED, BLOCKED } form;

static dnnl_engine_t engine;
static dnnl_stream_t stream;
static void (*set_openmp_threads)(int threads);

/* ---- A primitive with its memory ---------------------------------------------------------------
 */

typedef struct step {
  dnnl_primitive_t primitive;
  dnnl_exec_arg_t args[8];
  int count;
} step;

#define MAX_KEPT 16

typedef struct dnn {
  form form;
  uint32_t threads;
  step before[2], main, after; /* reorders of inputs, the operator, reorder of the output */
  int before_count, after_count;
  dnnl_memory_t memories[MAX_KEPT];
  void *buffers[MAX_KEPT];
  int memory_count, buffer_count;
} dnn;

static void execute(const step *s) {
  if (dnnl_primitive_execute(s->primitive, stream, s->count, s->args) != dnnl_success)
    fail("oneDNN does not run");
}

static void run(void *state) {
  const dnn *d = (const dnn *)state;
  set_openmp_threads((int)d->threads);
  for (int i = 0; d->form == REORDERED && i < d->before_count; i++)
    execute(&d->before[i]);
  execute(&d->main);
  for (int i = 0; d->form == REORDERED && i < d->after_count; i++)
    execute(&d->after);
  dnnl_stream_wait(stream);
}

static void fetch(void *state) {
  const dnn *d = (const dnn *)state;
  if (d->form == BLOCKED && d->after_count)
    execute(&d->after);
  dnnl_stream_wait(stream);
}

static void release(void *state) {
  dnn *d = (dnn *)state;
  for (int i = 0; i < d->before_count; i++)
    dnnl_primitive_destroy(d->before[i].primitive);
  if (d->after_count)
    dnnl_primitive_destroy(d->after.primitive);
  if (d->main.primitive)
    dnnl_primitive_destroy(d->main.primitive);
  for (int i = 0; i < d->memory_count; i++)
    dnnl_memory_destroy(d->memories[i]);
  for (int i = 0; i < d->buffer_count; i++)
    free(d->buffers[i]);
  free(d);
}

/* Memory of a descriptor over `data`, or of its own if that is NULL. */
static dnnl_memory_t memory_of(dnn *d, const dnnl_memory_desc_t *md, void *data) {
  dnnl_memory_t memory;
  if (!data)
    data = d->buffers[d->buffer_count++] = allocate(dnnl_memory_desc_get_size(md));
  if (d->memory_count == MAX_KEPT || d->buffer_count == MAX_KEPT ||
      dnnl_memory_create(&memory, md, engine, data) != dnnl_success)
    fail("oneDNN has no memory");
  return d->memories[d->memory_count++] = memory;
}

static bool make_reorder(step *s, dnnl_memory_t from, const dnnl_memory_desc_t *from_md,
                         dnnl_memory_t to, const dnnl_memory_desc_t *to_md) {
  dnnl_primitive_desc_t pd;
  if (dnnl_reorder_primitive_desc_create(&pd, from_md, engine, to_md, engine, NULL) != dnnl_success)
    return false;
  bool made = dnnl_primitive_create(&s->primitive, pd) == dnnl_success;
  dnnl_primitive_desc_destroy(pd);
  s->args[0] = (dnnl_exec_arg_t){DNNL_ARG_FROM, from};
  s->args[1] = (dnnl_exec_arg_t){DNNL_ARG_TO, to};
  s->count = 2;
  return made;
}

typedef enum role { FIXED, READ, WRITTEN } role;

/* One argument of the operator: the tensor as it is, or a reordered one where that is wanted. */
static bool bind(dnn *d, int argument, const dnnl_memory_desc_t *wanted,
                 const dnnl_memory_desc_t *given, void *data, role r) {
  dnnl_memory_t as_given = memory_of(d, given, data), memory = as_given;
  bool done = true;
  if (wanted && !dnnl_memory_desc_equal(wanted, given)) {
    step once = {0}, *s = r == FIXED ? &once : r == READ ? &d->before[d->before_count] : &d->after;
    memory = memory_of(d, wanted, NULL);
    done = r == WRITTEN ? make_reorder(s, memory, wanted, as_given, given)
                        : make_reorder(s, as_given, given, memory, wanted);
    d->before_count += done && r == READ;
    d->after_count += done && r == WRITTEN;
    if (done && r != WRITTEN)
      execute(s);
    if (done && r == FIXED)
      dnnl_primitive_destroy(once.primitive);
  }
  d->main.args[d->main.count++] = (dnnl_exec_arg_t){argument, memory};
  return done;
}

/* ---- Descriptors -------------------------------------------------------------------------------
 */

typedef dnnl_memory_desc_t layout;

static dnnl_data_type_t data_type(webnn_data_type type) {
  return type == WEBNN_FLOAT32 ? dnnl_f32
         : type == WEBNN_INT8  ? dnnl_s8
         : type == WEBNN_UINT8 ? dnnl_u8
         : type == WEBNN_INT32 ? dnnl_s32
                               : dnnl_data_type_undef;
}

/* Dimension i of the descriptor is dimension order[i] of the tensor in memory (NULL: the same). */
static layout layout_of(webnn_data_type type, const shape *s, const uint32_t *order) {
  layout l;
  dnnl_dims_t dimensions, strides, memory_strides;
  dnnl_dim_t stride = 1;
  for (uint32_t i = s->rank; i-- > 0; stride *= s->d[i])
    memory_strides[i] = stride;
  for (uint32_t i = 0; i < s->rank; i++) {
    dimensions[i] = s->d[order ? order[i] : i];
    strides[i] = memory_strides[order ? order[i] : i];
  }
  if (dnnl_memory_desc_init_by_strides(&l, (int)s->rank, dimensions, data_type(type), strides) !=
      dnnl_success)
    fail("oneDNN takes no such tensor");
  return l;
}

static layout any_layout(const layout *l) {
  layout any;
  dnnl_memory_desc_init_by_tag(&any, l->ndims, l->dims, l->data_type, dnnl_format_tag_any);
  return any;
}

static layout plain_layout(const graph *g, value v) {
  return layout_of(g->values[v].type, &g->values[v].shape, NULL);
}

/* Images are described as nchw, whatever their order in memory. */
static layout image_layout(const graph *g, value v, bool nhwc) {
  static const uint32_t order[] = {0, 3, 1, 2};
  return layout_of(g->values[v].type, &g->values[v].shape, nhwc ? order : NULL);
}

/* ---- What a graph computes ---------------------------------------------------------------------
 */

typedef struct found {
  const graph *g;
  const node *n;
  value x, w, bias, out;
  float scale; /* of quantized products: of the integer sum, to give the integer result */
} found;

static float number_of(const graph *g, value v) {
  return *(const float *)g->values[v].data;
}

static bool is_zero(const graph *g, value v) {
  return *(const uint8_t *)g->values[v].data == 0;
}

/* The node that dequantizes v, if it is one scale without an offset. */
static const node *dequantizer(const graph *g, value v) {
  const node *n = g->values[v].producer == NONE ? NULL : &g->nodes[g->values[v].producer];
  return n && n->op == DEQUANTIZE && g->values[n->inputs[1]].shape.rank == 0 &&
                 is_zero(g, n->inputs[2])
             ? n
             : NULL;
}

static bool find_quantized(found *f) {
  const graph *g = f->g;
  const node *last = &g->nodes[g->node_count - 1], *n = last - 1;
  if (g->node_count != 4 || last->op != QUANTIZE || (n->op != CONV2D && n->op != MATMUL) ||
      n->input_count != 2 || !is_zero(g, last->inputs[2]))
    return false;
  const node *x = dequantizer(g, n->inputs[0]), *w = dequantizer(g, n->inputs[1]);
  if (!x || !w)
    return false;
  f->n = n;
  f->x = x->inputs[0];
  f->w = w->inputs[0];
  f->bias = NONE;
  f->scale =
      number_of(g, x->inputs[1]) * number_of(g, w->inputs[1]) / number_of(g, last->inputs[1]);
  return true;
}

static bool find(found *f) {
  const node *n = &f->g->nodes[0];
  f->out = f->g->outputs[0];
  if (f->g->node_count > 1)
    return find_quantized(f);
  f->n = n;
  f->x = n->inputs[0];
  f->w = n->input_count > 1 ? n->inputs[1] : NONE;
  f->bias = n->input_count > 2 ? n->inputs[2] : NONE;
  f->scale = 1;
  return f->g->values[f->x].type == WEBNN_FLOAT32;
}

/* ---- Making primitives -------------------------------------------------------------------------
 */

typedef struct maker {
  dnn *d;
  const found *f;
  dnnl_primitive_desc_t pd;
  void *out;
} maker;

static bool describe(maker *m, const void *operation_desc) {
  dnnl_primitive_attr_t attr;
  dnnl_primitive_attr_create(&attr);
  if (m->f->scale != 1)
    dnnl_primitive_attr_set_output_scales(attr, 1, 0, &m->f->scale);
  bool made =
      dnnl_primitive_desc_create(&m->pd, operation_desc, attr, engine, NULL) == dnnl_success &&
      dnnl_primitive_create(&m->d->main.primitive, m->pd) == dnnl_success;
  dnnl_primitive_attr_destroy(attr);
  return made;
}

static bool bind_value(maker *m, int argument, dnnl_query_t query, int index, const layout *given,
                       value v) {
  const value_info *info = &m->f->g->values[v];
  role r = info->kind == CONSTANT ? FIXED : info->kind == INPUT ? READ : WRITTEN;
  const dnnl_memory_desc_t *wanted = dnnl_primitive_desc_query_md(m->pd, query, index);
  return bind(m->d, argument, wanted, given, r == WRITTEN ? m->out : info->data, r);
}

static bool bind_in_and_out(maker *m, const layout *in, const layout *out) {
  return bind_value(m, DNNL_ARG_SRC, dnnl_query_src_md, 0, in, m->f->x) &&
         bind_value(m, DNNL_ARG_DST, dnnl_query_dst_md, 0, out, m->f->out);
}

static bool make_product(maker *m) {
  const found *f = m->f;
  static const uint32_t turned[] = {1, 0};
  dnnl_matmul_desc_t desc;
  const value_info *x = &f->g->values[f->x], *w = &f->g->values[f->w];
  layout in = layout_of(x->type, &x->shape, f->n->transpose_a ? turned : NULL);
  layout out = plain_layout(f->g, f->out);
  layout weights = layout_of(w->type, &w->shape, f->n->transpose_b ? turned : NULL);
  layout wanted = w->kind == CONSTANT ? any_layout(&weights) : weights, bias;
  if (f->bias != NONE) {
    shape row = SHAPE(1, (uint32_t)element_count(&f->g->values[f->bias].shape));
    bias = layout_of(WEBNN_FLOAT32, &row, NULL);
  }
  return dnnl_matmul_desc_init(&desc, &in, &wanted, f->bias != NONE ? &bias : NULL, &out) ==
             dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &in, &out) &&
         bind_value(m, DNNL_ARG_WEIGHTS, dnnl_query_weights_md, 0, &weights, f->w) &&
         (f->bias == NONE ||
          bind_value(m, DNNL_ARG_BIAS, dnnl_query_weights_md, 1, &bias, f->bias));
}

static bool make_conv2d(maker *m) {
  const found *f = m->f;
  const node *n = f->n;
  dnnl_convolution_desc_t desc;
  shape w = f->g->values[f->w].shape;
  if (n->groups > 1)
    w = SHAPE(n->groups, w.d[0] / n->groups, w.d[1], w.d[2], w.d[3]);
  layout in = image_layout(f->g, f->x, n->nhwc), out = image_layout(f->g, f->out, n->nhwc);
  layout weights = layout_of(f->g->values[f->w].type, &w, NULL), bias;
  layout any_in = any_layout(&in), any_out = any_layout(&out), any_weights = any_layout(&weights);
  bool plain = m->d->form == AS_IT_IS;
  dnnl_dims_t strides = {n->strides[0], n->strides[1]}, padding = {n->padding[0], n->padding[2]};
  if (f->bias != NONE)
    bias = plain_layout(f->g, f->bias);
  return dnnl_convolution_forward_desc_init(&desc, dnnl_forward_inference, dnnl_convolution_direct,
                                            plain ? &in : &any_in, &any_weights,
                                            f->bias != NONE ? &bias : NULL, plain ? &out : &any_out,
                                            strides, padding, padding) == dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &in, &out) &&
         bind_value(m, DNNL_ARG_WEIGHTS, dnnl_query_weights_md, 0, &weights, f->w) &&
         (f->bias == NONE ||
          bind_value(m, DNNL_ARG_BIAS, dnnl_query_weights_md, 1, &bias, f->bias));
}

static bool make_elementwise(maker *m, dnnl_alg_kind_t kind) {
  dnnl_eltwise_desc_t desc;
  layout l = plain_layout(m->f->g, m->f->x);
  bool bounded = m->f->n->op == CLAMP;
  return dnnl_eltwise_forward_desc_init(&desc, dnnl_forward_inference, kind, &l,
                                        bounded ? (float)m->f->n->number : 0,
                                        bounded ? (float)m->f->n->maximum : 0) == dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &l, &l);
}

static bool make_binary(maker *m, dnnl_alg_kind_t kind) {
  const found *f = m->f;
  dnnl_binary_desc_t desc;
  layout a = plain_layout(f->g, f->x), b = plain_layout(f->g, f->w);
  layout out = plain_layout(f->g, f->out);
  return a.ndims == b.ndims && dnnl_binary_desc_init(&desc, kind, &a, &b, &out) == dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &a, &out) &&
         bind_value(m, DNNL_ARG_SRC_1, dnnl_query_src_md, 1, &b, f->w);
}

static bool make_softmax(maker *m) {
  dnnl_softmax_desc_t desc;
  layout l = plain_layout(m->f->g, m->f->x);
  return dnnl_softmax_forward_desc_init(&desc, dnnl_forward_inference, &l, (int)m->f->n->axis) ==
             dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &l, &l);
}

static bool make_layer_normalization(maker *m) {
  const found *f = m->f;
  dnnl_layer_normalization_desc_t desc;
  layout l = plain_layout(f->g, f->x), row = plain_layout(f->g, f->w);
  return dnnl_layer_normalization_forward_desc_init(
             &desc, dnnl_forward_inference, &l, NULL, (float)f->n->number,
             dnnl_use_scale | dnnl_use_shift) == dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &l, &l) &&
         bind(m->d, DNNL_ARG_SCALE, NULL, &row, f->g->values[f->w].data, FIXED) &&
         bind(m->d, DNNL_ARG_SHIFT, NULL, &row, f->g->values[f->bias].data, FIXED);
}

static bool make_reduction(maker *m, dnnl_alg_kind_t kind) {
  const found *f = m->f;
  dnnl_reduction_desc_t desc;
  shape s = f->g->values[f->x].shape;
  layout in = plain_layout(f->g, f->x);
  for (uint32_t i = 0; i < f->n->list.rank; i++)
    s.d[f->n->list.d[i]] = 1;
  layout out = layout_of(WEBNN_FLOAT32, &s, NULL);
  return dnnl_reduction_desc_init(&desc, kind, &in, &out, 0, 0) == dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &in, &out);
}

/* A transpose is a reorder of the same dimensions into other strides. */
static bool make_transpose(maker *m) {
  const found *f = m->f;
  uint32_t order[WEBNN_MAX_RANK];
  for (uint32_t i = 0; i < f->n->list.rank; i++)
    order[f->n->list.d[i]] = i;
  layout from = plain_layout(f->g, f->x);
  layout to = layout_of(WEBNN_FLOAT32, &f->g->values[f->out].shape, order);
  dnnl_memory_t in = memory_of(m->d, &from, f->g->values[f->x].data);
  return make_reorder(&m->d->main, in, &from, memory_of(m->d, &to, m->out), &to);
}

static bool make_resample(maker *m) {
  const found *f = m->f;
  dnnl_resampling_desc_t desc;
  layout in = image_layout(f->g, f->x, f->n->nhwc), out = image_layout(f->g, f->out, f->n->nhwc);
  return dnnl_resampling_forward_desc_init(&desc, dnnl_forward_inference,
                                           f->n->linear ? dnnl_resampling_linear
                                                        : dnnl_resampling_nearest,
                                           NULL, &in, &out) == dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &in, &out);
}

static bool make_pool(maker *m) {
  const found *f = m->f;
  const node *n = f->n;
  dnnl_pooling_desc_t desc;
  layout in = image_layout(f->g, f->x, n->nhwc), out = image_layout(f->g, f->out, n->nhwc);
  dnnl_dims_t strides = {n->strides[0], n->strides[1]}, padding = {n->padding[0], n->padding[2]};
  dnnl_dims_t window_size = {n->window[0] ? n->window[0] : in.dims[2],
                             n->window[1] ? n->window[1] : in.dims[3]};
  return dnnl_pooling_forward_desc_init(
             &desc, dnnl_forward_inference,
             n->op == MAX_POOL ? dnnl_pooling_max : dnnl_pooling_avg_exclude_padding, &in, &out,
             strides, window_size, padding, padding) == dnnl_success &&
         describe(m, &desc) && bind_in_and_out(m, &in, &out);
}

static bool make(maker *m) {
  switch (m->f->n->op) {
  case MATMUL:
  case GEMM:
    return make_product(m);
  case CONV2D:
    return make_conv2d(m);
  case RELU:
    return make_elementwise(m, dnnl_eltwise_relu);
  case EXP:
    return make_elementwise(m, dnnl_eltwise_exp);
  case TANH:
    return make_elementwise(m, dnnl_eltwise_tanh);
  case SIGMOID:
    return make_elementwise(m, dnnl_eltwise_logistic);
  case GELU:
    return make_elementwise(m, dnnl_eltwise_gelu_erf);
  case SQRT:
    return make_elementwise(m, dnnl_eltwise_sqrt);
  case LOG:
    return make_elementwise(m, dnnl_eltwise_log);
  case CLAMP:
    return make_elementwise(m, dnnl_eltwise_clip);
  case ADD:
    return make_binary(m, dnnl_binary_add);
  case SUB:
    return make_binary(m, dnnl_binary_sub);
  case MUL:
    return make_binary(m, dnnl_binary_mul);
  case DIV:
    return make_binary(m, dnnl_binary_div);
  case SOFTMAX:
    return make_softmax(m);
  case LAYER_NORMALIZATION:
    return make_layer_normalization(m);
  case REDUCE_SUM:
    return make_reduction(m, dnnl_reduction_sum);
  case REDUCE_MEAN:
    return make_reduction(m, dnnl_reduction_mean);
  case REDUCE_MAX:
    return make_reduction(m, dnnl_reduction_max);
  case TRANSPOSE:
    return make_transpose(m);
  case RESAMPLE:
    return make_resample(m);
  case MAX_POOL:
  case AVERAGE_POOL:
    return make_pool(m);
  default:
    return false;
  }
}

static bool create(form how, const graph *g, uint32_t threads, runner *r) {
  found f = {.g = g};
  if (!find(&f) || (how != AS_IT_IS && f.n->op != CONV2D))
    return false;
  if (how == AS_IT_IS && f.n->op == CONV2D && !f.n->nhwc && f.g->node_count > 1)
    return false; /* in int8 that is its reference code, ten thousand times slower */
  set_openmp_threads((int)threads); /* oneDNN plans for as many */
  dnn *d = (dnn *)allocate(sizeof *d);
  maker m = {d, &f, NULL, allocate(g->values[f.out].bytes)};
  d->form = how;
  d->threads = threads;
  bool made = make(&m);
  if (m.pd)
    dnnl_primitive_desc_destroy(m.pd);
  /* Where nothing is reordered the other forms are the first again. */
  if (!made || (how != AS_IT_IS && d->before_count + d->after_count == 0)) {
    free(m.out);
    release(d);
    return false;
  }
  r->outputs[0] = m.out;
  r->state = d;
  r->run = run;
  r->fetch = fetch;
  r->release = release;
  return true;
}

static bool open_library(char *text, size_t size) {
  const dnnl_version_t *version = dnnl_version();
  void *symbol = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
  memcpy(&set_openmp_threads, &symbol, sizeof symbol);
  snprintf(text, size, "oneDNN %d.%d.%d", version->major, version->minor, version->patch);
  return symbol && (engine || (dnnl_engine_create(&engine, dnnl_cpu, 0) == dnnl_success &&
                               dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) ==
                                   dnnl_success));
}

#else /* no oneDNN at compile time */

typedef enum form { AS_IT_IS, REORDERED, BLOCKED } form;

static bool create(form how, const graph *g, uint32_t threads, runner *r) {
  (void)how, (void)g, (void)threads, (void)r;
  return false;
}

static bool open_library(char *text, size_t size) {
  snprintf(text, size, "was not found by the compiler (Debian: libdnnl-dev, version 2)");
  return false;
}

#endif

static bool create_plain(const graph *g, uint32_t threads, runner *r) {
  return create(AS_IT_IS, g, threads, r);
}

static bool create_reordered(const graph *g, uint32_t threads, runner *r) {
  return create(REORDERED, g, threads, r);
}

static bool create_blocked(const graph *g, uint32_t threads, runner *r) {
  return create(BLOCKED, g, threads, r);
}

const peer peer_onednn = {"onednn", open_library, create_plain, false, false};
const peer peer_onednn_reorder = {"onednn-reord", open_library, create_reordered, false, false};
const peer peer_onednn_blocked = {"onednn-blk", open_library, create_blocked, true, false};
