/* graph.c - the description of a graph: values, operators, their shapes, random weights. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* ---- Values ------------------------------------------------------------------------------------
 */

void start_graph(graph *g) {
  memset(g, 0, sizeof *g);
  g->random = 0x9E3779B97F4A7C15u;
}

void free_graph(graph *g) {
  for (int i = 0; i < g->value_count; i++)
    if (g->values[i].kind == INPUT || !g->weights_map)
      free(g->values[i].data);
  free(g->values);
  free(g->nodes);
}

size_t element_count(const shape *s) {
  size_t count = 1;
  for (uint32_t i = 0; i < s->rank; i++)
    count *= s->d[i];
  return count;
}

size_t byte_count(webnn_data_type type, const shape *s) {
  return element_count(s) * webnn_data_type_bits(type) / 8;
}

static void *grown(void *items, int *capacity, size_t size) {
  *capacity = *capacity ? *capacity * 2 : 64;
  items = realloc(items, (size_t)*capacity * size);
  if (!items)
    fail("no memory for a graph");
  return items;
}

static value add_value(graph *g, value_kind kind, webnn_data_type type, shape s) {
  if (g->value_count == g->value_capacity)
    g->values = (value_info *)grown(g->values, &g->value_capacity, sizeof *g->values);
  value_info *v = &g->values[g->value_count];
  memset(v, 0, sizeof *v);
  v->kind = kind;
  v->type = type;
  v->shape = s;
  v->bytes = byte_count(type, &s);
  v->producer = NONE;
  return g->value_count++;
}

/* xorshift64*: the same numbers everywhere. */
static uint32_t next_random(graph *g) {
  g->random ^= g->random >> 12;
  g->random ^= g->random << 25;
  g->random ^= g->random >> 27;
  return (uint32_t)((g->random * 0x2545F4914F6CDD1Du) >> 32);
}

static void set_element(webnn_data_type type, void *data, size_t i, double number) {
  switch (type) {
  case WEBNN_FLOAT32:
    ((float *)data)[i] = (float)number;
    break;
  case WEBNN_FLOAT16:
    ((uint16_t *)data)[i] = webnn_float32_to_float16((float)number);
    break;
  case WEBNN_INT32:
    ((int32_t *)data)[i] = (int32_t)number;
    break;
  case WEBNN_INT64:
    ((int64_t *)data)[i] = (int64_t)number;
    break;
  case WEBNN_INT8:
    ((int8_t *)data)[i] = (int8_t)number;
    break;
  case WEBNN_UINT8:
    ((uint8_t *)data)[i] = (uint8_t)number;
    break;
  case WEBNN_UINT4: /* the first of two in the low bits; the memory was zero */
    ((uint8_t *)data)[i / 2] |= (uint8_t)((unsigned)number << i % 2 * 4);
    break;
  default:
    fail("no data of type %s in the benchmark", webnn_data_type_name(type));
  }
}

/* Elements after these are those before them again: drawing as many as a GPU's cases have takes too long. */
#define DRAWN ((size_t)1 << 24)

static void fill(graph *g, value_info *v, double low, double high) {
  bool real = v->type == WEBNN_FLOAT32 || v->type == WEBNN_FLOAT16;
  double range = (high - low + (real || low == high ? 0 : 1)) / 4294967296.0;
  size_t count = element_count(&v->shape), drawn = count > DRAWN ? DRAWN / 16 : count;
  for (size_t i = 0; i < drawn; i++) {
    double number = low == high ? low : low + next_random(g) * range;
    if (!real) /* downwards, also below zero */
      number = (double)((int64_t)(number - low) + (int64_t)low);
    set_element(v->type, v->data, i, number);
  }
  for (size_t size = v->bytes * drawn / count, i = size; i < v->bytes; i += size)
    memcpy((unsigned char *)v->data + i, v->data, v->bytes - i < size ? v->bytes - i : size);
}

value input(graph *g, webnn_data_type type, shape s, double low, double high) {
  value v = add_value(g, INPUT, type, s);
  g->values[v].data = allocate(g->values[v].bytes);
  uint64_t random = g->random; /* inputs must not depend on whether weights were drawn */
  g->random = 0xD1B54A32D192ED03u + (uint64_t)v;
  fill(g, &g->values[v], low, high);
  g->random = random;
  if (g->input_count == MAX_PORTS)
    fail("too many inputs");
  g->inputs[g->input_count++] = v;
  return v;
}

/* Memory for a constant: true if it is still to be filled. */
static bool place_constant(graph *g, value_info *v) {
  size_t padded = (v->bytes + 63) / 64 * 64;
  v->offset = g->weights_position;
  g->weights_position += padded;
  if (!g->weights_map) {
    v->data = allocate(padded);
    return true;
  }
  if (g->weights_position > g->weights_size)
    fail("the weights file does not belong to this network: delete it");
  v->data = (void *)(uintptr_t)(g->weights_map + v->offset);
  return false;
}

/* In the mode that writes the weights file nothing is kept. */
static void finish_constant(graph *g, value_info *v) {
  if (!g->weights_file)
    return;
  size_t padded = (v->bytes + 63) / 64 * 64;
  if (fwrite(v->data, 1, padded, g->weights_file) != padded)
    fail("the weights file cannot be written");
  free(v->data);
  v->data = NULL;
}

value weight(graph *g, webnn_data_type type, shape s, double low, double high) {
  value v = add_value(g, CONSTANT, type, s);
  if (place_constant(g, &g->values[v])) {
    fill(g, &g->values[v], low, high);
    finish_constant(g, &g->values[v]);
  }
  return v;
}

value int8_weight(graph *g, shape s) {
  return weight(g, WEBNN_INT8, s, -LARGEST_INT8_WEIGHT, LARGEST_INT8_WEIGHT);
}

value constant(graph *g, webnn_data_type type, shape s, double number) {
  return weight(g, type, s, number, number);
}

value constant_data(graph *g, webnn_data_type type, shape s, const void *data) {
  value v = add_value(g, CONSTANT, type, s);
  if (place_constant(g, &g->values[v])) {
    memcpy(g->values[v].data, data, g->values[v].bytes);
    finish_constant(g, &g->values[v]);
  }
  return v;
}

value scalar(graph *g, double number) {
  return constant(g, WEBNN_FLOAT32, (shape){0, {0}}, number);
}

void output(graph *g, value v) {
  if (g->output_count == MAX_PORTS)
    fail("too many outputs");
  g->outputs[g->output_count++] = v;
}

/* ---- Operators ---------------------------------------------------------------------------------
 */

static value add_node(graph *g, node n, webnn_data_type type, shape s) {
  if (g->node_count == g->node_capacity)
    g->nodes = (node *)grown(g->nodes, &g->node_capacity, sizeof *g->nodes);
  value v = add_value(g, COMPUTED, type, s);
  g->values[v].producer = g->node_count;
  n.outputs[0] = v;
  n.output_count = 1;
  g->nodes[g->node_count++] = n;
  return v;
}

static shape shape_of(const graph *g, value v) {
  return g->values[v].shape;
}

static webnn_data_type type_of(const graph *g, value v) {
  return g->values[v].type;
}

/* The type and shape of x. */
static value like(graph *g, node n, value x) {
  return add_node(g, n, type_of(g, x), shape_of(g, x));
}

value unary(graph *g, operation op, value x) {
  return like(g, (node){.op = op, .input_count = 1, .inputs = {x}}, x);
}

static shape broadcast(shape a, shape b, uint32_t skip) {
  shape longer = a.rank >= b.rank ? a : b, shorter = a.rank >= b.rank ? b : a;
  uint32_t shift = longer.rank - shorter.rank;
  for (uint32_t i = 0; i + skip < shorter.rank; i++)
    if (longer.d[i + shift] == 1)
      longer.d[i + shift] = shorter.d[i];
  return longer;
}

value binary(graph *g, operation op, value a, value b) {
  node n = {.op = op, .input_count = 2, .inputs = {a, b}};
  return add_node(g, n, type_of(g, a), broadcast(shape_of(g, a), shape_of(g, b), 0));
}

value reduce(graph *g, operation op, value x, shape axes, bool keep) {
  node n = {.op = op, .input_count = 1, .inputs = {x}, .list = axes, .keep = keep};
  shape s = shape_of(g, x), result = {0, {0}};
  for (uint32_t i = 0; i < s.rank; i++) {
    bool reduced = false;
    for (uint32_t k = 0; k < axes.rank; k++)
      reduced = reduced || axes.d[k] == i;
    if (!reduced || keep)
      result.d[result.rank++] = reduced ? 1 : s.d[i];
  }
  return add_node(g, n, type_of(g, x), result);
}

value clamp(graph *g, value x, double minimum, double maximum) {
  node n = {.op = CLAMP, .input_count = 1, .inputs = {x}, .number = minimum, .maximum = maximum};
  return like(g, n, x);
}

/* Rows (i = 0) or columns (1) after a window has gone over them. */
static uint32_t after_window(uint32_t size, uint32_t window_size, const window *w) {
  return (size + 2 * w->padding - window_size) / w->stride + 1;
}

static shape image(uint32_t batch, uint32_t channels, uint32_t height, uint32_t width, bool nhwc) {
  return nhwc ? SHAPE(batch, height, width, channels) : SHAPE(batch, channels, height, width);
}

static void set_window(node *n, const window *w) {
  n->nhwc = w->nhwc;
  n->groups = w->groups ? w->groups : 1;
  for (int i = 0; i < 4; i++)
    n->padding[i] = w->padding;
  n->strides[0] = n->strides[1] = w->stride;
  n->window[0] = n->window[1] = w->size;
}

value conv2d(graph *g, value x, value filter, value bias, window w) {
  node n = {.op = CONV2D, .input_count = bias == NONE ? 2 : 3, .inputs = {x, filter, bias}};
  w.stride = w.stride ? w.stride : 1;
  set_window(&n, &w);
  shape in = shape_of(g, x), f = shape_of(g, filter);
  uint32_t h = in.d[w.nhwc ? 1 : 2], wide = in.d[w.nhwc ? 2 : 3];
  return add_node(
      g, n, type_of(g, x),
      image(in.d[0], f.d[0], after_window(h, f.d[2], &w), after_window(wide, f.d[3], &w), w.nhwc));
}

value pool(graph *g, operation op, value x, window w) {
  node n = {.op = op, .input_count = 1, .inputs = {x}};
  w.stride = w.stride ? w.stride : 1;
  set_window(&n, &w);
  shape in = shape_of(g, x);
  uint32_t h = in.d[w.nhwc ? 1 : 2], wide = in.d[w.nhwc ? 2 : 3], c = in.d[w.nhwc ? 3 : 1];
  return add_node(g, n, type_of(g, x),
                  w.size ? image(in.d[0], c, after_window(h, w.size, &w),
                                 after_window(wide, w.size, &w), w.nhwc)
                         : image(in.d[0], c, 1, 1, w.nhwc));
}

value conv_transpose2d(graph *g, value x, value filter, value bias, window w) {
  node n = {
      .op = CONV_TRANSPOSE2D, .input_count = bias == NONE ? 2 : 3, .inputs = {x, filter, bias}};
  w.stride = w.stride ? w.stride : 1;
  set_window(&n, &w);
  shape in = shape_of(g, x), f = shape_of(g, filter);
  uint32_t h = (in.d[w.nhwc ? 1 : 2] - 1) * w.stride + f.d[2] - 2 * w.padding;
  uint32_t wide = (in.d[w.nhwc ? 2 : 3] - 1) * w.stride + f.d[3] - 2 * w.padding;
  return add_node(g, n, type_of(g, x), image(in.d[0], f.d[1] * n.groups, h, wide, w.nhwc));
}

value matmul(graph *g, value a, value b) {
  node n = {.op = MATMUL, .input_count = 2, .inputs = {a, b}};
  shape x = shape_of(g, a), y = shape_of(g, b), s = broadcast(x, y, 2);
  s.d[s.rank - 2] = x.d[x.rank - 2];
  s.d[s.rank - 1] = y.d[y.rank - 1];
  return add_node(g, n, type_of(g, a), s);
}

value gemm(graph *g, value a, value b, value c, bool transpose_b) {
  node n = {.op = GEMM,
            .input_count = c == NONE ? 2 : 3,
            .inputs = {a, b, c},
            .transpose_b = transpose_b};
  shape y = shape_of(g, b);
  return add_node(g, n, type_of(g, a), SHAPE(shape_of(g, a).d[0], y.d[transpose_b ? 0 : 1]));
}

value gemm_of_transposed(graph *g, value a, value b) {
  node n = {.op = GEMM, .input_count = 2, .inputs = {a, b, NONE}, .transpose_a = true};
  return add_node(g, n, type_of(g, a), SHAPE(shape_of(g, a).d[1], shape_of(g, b).d[1]));
}

value softmax(graph *g, value x, uint32_t axis) {
  return like(g, (node){.op = SOFTMAX, .input_count = 1, .inputs = {x}, .axis = axis}, x);
}

value layer_normalization(graph *g, value x, value scale, value bias) {
  node n = {.op = LAYER_NORMALIZATION,
            .input_count = 3,
            .inputs = {x, scale, bias},
            .axis = shape_of(g, x).rank - 1,
            .number = 1e-5};
  return like(g, n, x);
}

value batch_normalization(graph *g, value x, value scale, value bias, value mean, value variance) {
  node n = {.op = BATCH_NORMALIZATION,
            .input_count = 5,
            .inputs = {x, scale, bias, mean, variance},
            .number = 1e-5};
  return like(g, n, x);
}

value cumulative_sum(graph *g, value x, uint32_t axis) {
  return like(g, (node){.op = CUMULATIVE_SUM, .input_count = 1, .inputs = {x}, .axis = axis}, x);
}

value cast(graph *g, value x, webnn_data_type type) {
  return add_node(g, (node){.op = CAST, .input_count = 1, .inputs = {x}}, type, shape_of(g, x));
}

value transpose(graph *g, value x, shape permutation) {
  node n = {.op = TRANSPOSE, .input_count = 1, .inputs = {x}, .list = permutation};
  shape in = shape_of(g, x), s = in;
  for (uint32_t i = 0; i < s.rank; i++)
    s.d[i] = in.d[permutation.d[i]];
  return add_node(g, n, type_of(g, x), s);
}

value reshape(graph *g, value x, shape s) {
  return add_node(g, (node){.op = RESHAPE, .input_count = 1, .inputs = {x}}, type_of(g, x), s);
}

value concat(graph *g, value a, value b, uint32_t axis) {
  node n = {.op = CONCAT, .input_count = 2, .inputs = {a, b}, .axis = axis};
  shape s = shape_of(g, a);
  s.d[axis] += shape_of(g, b).d[axis];
  return add_node(g, n, type_of(g, a), s);
}

value slice(graph *g, value x, shape starts, shape sizes) {
  node n = {.op = SLICE, .input_count = 1, .inputs = {x}, .list = starts, .sizes = sizes};
  return add_node(g, n, type_of(g, x), sizes);
}

value pad(graph *g, value x, shape beginning, shape ending) {
  node n = {.op = PAD, .input_count = 1, .inputs = {x}, .list = beginning, .sizes = ending};
  shape s = shape_of(g, x);
  for (uint32_t i = 0; i < s.rank; i++)
    s.d[i] += beginning.d[i] + ending.d[i];
  return add_node(g, n, type_of(g, x), s);
}

value gather(graph *g, value x, value indices, uint32_t axis) {
  node n = {.op = GATHER, .input_count = 2, .inputs = {x, indices}, .axis = axis};
  shape in = shape_of(g, x), at = shape_of(g, indices), s = {0, {0}};
  for (uint32_t i = 0; i < axis; i++)
    s.d[s.rank++] = in.d[i];
  for (uint32_t i = 0; i < at.rank; i++)
    s.d[s.rank++] = at.d[i];
  for (uint32_t i = axis + 1; i < in.rank; i++)
    s.d[s.rank++] = in.d[i];
  return add_node(g, n, type_of(g, x), s);
}

value gather_elements(graph *g, value x, value indices, uint32_t axis) {
  node n = {.op = GATHER_ELEMENTS, .input_count = 2, .inputs = {x, indices}, .axis = axis};
  return add_node(g, n, type_of(g, x), shape_of(g, indices));
}

value resample_to(graph *g, value x, uint32_t height, uint32_t width, bool linear, bool nhwc) {
  node n = {.op = RESAMPLE, .input_count = 1, .inputs = {x}, .linear = linear, .nhwc = nhwc};
  n.list = nhwc ? SHAPE(1, 2) : SHAPE(2, 3);
  n.sizes = SHAPE(height, width);
  shape s = shape_of(g, x);
  s.d[n.list.d[0]] = height;
  s.d[n.list.d[1]] = width;
  return add_node(g, n, type_of(g, x), s);
}

value resample(graph *g, value x, uint32_t factor, bool linear, bool nhwc) {
  shape s = shape_of(g, x);
  uint32_t first = nhwc ? 1 : 2;
  return resample_to(g, x, s.d[first] * factor, s.d[first + 1] * factor, linear, nhwc);
}

value quantize(graph *g, value x, value scale, value zero_point) {
  node n = {.op = QUANTIZE, .input_count = 3, .inputs = {x, scale, zero_point}};
  return add_node(g, n, type_of(g, zero_point), shape_of(g, x));
}

value dequantize(graph *g, value x, value scale, value zero_point, uint32_t axis) {
  node n = {.op = DEQUANTIZE, .input_count = 3, .inputs = {x, scale, zero_point}, .axis = axis};
  return add_node(g, n, type_of(g, scale), shape_of(g, x));
}

value recurrent(graph *g, operation op, value x, value weights, value recurrent_weights, value bias,
                value recurrent_bias) {
  node n = {
      .op = op, .input_count = 5, .inputs = {x, weights, recurrent_weights, bias, recurrent_bias}};
  shape in = shape_of(g, x), r = shape_of(g, recurrent_weights);
  return add_node(g, n, type_of(g, x), SHAPE(in.d[0], 1, in.d[1], r.d[2]));
}

/* ---- Cost --------------------------------------------------------------------------------------
 */

static double multiply_adds(const graph *g, const node *n) {
  double elements = (double)element_count(&g->values[n->outputs[0]].shape);
  shape x = shape_of(g, n->inputs[0]);
  shape w = n->input_count > 1 ? shape_of(g, n->inputs[1]) : x;
  switch (n->op) {
  case CONV2D:
    return elements * w.d[1] * w.d[2] * w.d[3];
  case CONV_TRANSPOSE2D:
    return (double)element_count(&x) * w.d[1] * w.d[2] * w.d[3];
  case MATMUL:
  case GEMM:
    return elements * x.d[n->transpose_a ? 0 : x.rank - 1];
  case LSTM:
  case GRU:
    return (double)x.d[0] * x.d[1] * w.d[1] * (w.d[2] + shape_of(g, n->inputs[2]).d[2]);
  default:
    return 0;
  }
}

/* Behind a dequantization a product counts as one of integers. */
static webnn_data_type product_type(const graph *g, const node *n) {
  int producer = g->values[n->inputs[0]].producer;
  if (producer != NONE && g->nodes[producer].op == DEQUANTIZE)
    return WEBNN_INT8;
  return type_of(g, n->inputs[0]);
}

cost graph_cost(const graph *g) {
  cost c = {0, 0, 0, WEBNN_FLOAT32};
  for (int i = 0; i < g->node_count; i++) {
    double products = multiply_adds(g, &g->nodes[i]);
    if (products > 0)
      c.type = product_type(g, &g->nodes[i]);
    c.multiply_adds += products;
  }
  for (int i = 0; i < g->value_count; i++)
    if (g->values[i].kind != COMPUTED)
      c.read += (double)g->values[i].bytes;
  for (int i = 0; i < g->output_count; i++)
    c.written += (double)g->values[g->outputs[i]].bytes;
  for (int i = 0; i < g->node_count; i++) /* reads only what it takes */
    if (g->nodes[i].op == GATHER || g->nodes[i].op == SLICE) {
      double whole = (double)g->values[g->nodes[i].inputs[0]].bytes;
      double taken = (double)g->values[g->nodes[i].outputs[0]].bytes;
      c.read -= whole > taken ? whole - taken : 0;
    }
  return c;
}
