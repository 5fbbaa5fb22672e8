/* onnx_writer.c - a graph as an ONNX model: the protobuf wire format by hand, for the operators of
   operator set 17 that the benchmark uses. Operators of other layouts get transposes round them. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* ---- The wire format: each field is a number (field << 3 | kind) and a value --------------------
 */

typedef struct bytes {
  unsigned char *data;
  size_t size, capacity;
} bytes;

static void put(bytes *b, const void *data, size_t size) {
  if (b->size + size > b->capacity) {
    b->capacity = (b->size + size) * 2;
    b->data = (unsigned char *)realloc(b->data, b->capacity);
    if (!b->data)
      fail("no memory for an ONNX model");
  }
  if (size)
    memcpy(b->data + b->size, data, size);
  b->size += size;
}

static void put_varint(bytes *b, uint64_t number) {
  do {
    unsigned char byte = (unsigned char)((number & 127) | (number > 127 ? 128 : 0));
    put(b, &byte, 1);
  } while (number >>= 7);
}

static void put_integer(bytes *b, uint32_t field, int64_t number) {
  put_varint(b, field << 3 | 0);
  put_varint(b, (uint64_t)number);
}

static void put_float(bytes *b, uint32_t field, float number) {
  put_varint(b, field << 3 | 5);
  put(b, &number, 4); /* little-endian, as the machines that run this */
}

static void put_bytes(bytes *b, uint32_t field, const void *data, size_t size) {
  put_varint(b, field << 3 | 2);
  put_varint(b, size);
  put(b, data, size);
}

static void put_string(bytes *b, uint32_t field, const char *text) {
  put_bytes(b, field, text, strlen(text));
}

/* A message inside another; `inner` is emptied for the next one. */
static void put_message(bytes *b, uint32_t field, bytes *inner) {
  put_bytes(b, field, inner->data, inner->size);
  free(inner->data);
  memset(inner, 0, sizeof *inner);
}

/* ---- The parts of a model ----------------------------------------------------------------------
 */

enum { /* field numbers of onnx.proto */
       MODEL_IR_VERSION = 1,
       MODEL_GRAPH = 7,
       MODEL_OPERATOR_SET = 8,
       OPERATOR_SET_DOMAIN = 1,
       OPERATOR_SET_VERSION = 2,
       GRAPH_NODE = 1,
       GRAPH_NAME = 2,
       GRAPH_INITIALIZER = 5,
       GRAPH_INPUT = 11,
       GRAPH_OUTPUT = 12,
       NODE_INPUT = 1,
       NODE_OUTPUT = 2,
       NODE_OPERATOR = 4,
       NODE_ATTRIBUTE = 5,
       NODE_DOMAIN = 7,
       ATTRIBUTE_NAME = 1,
       ATTRIBUTE_FLOAT = 2,
       ATTRIBUTE_INTEGER = 3,
       ATTRIBUTE_STRING = 4,
       ATTRIBUTE_INTEGERS = 8,
       ATTRIBUTE_TYPE = 20,
       TENSOR_DIMENSION = 1,
       TENSOR_TYPE = 2,
       TENSOR_NAME = 8,
       TENSOR_BYTES = 9,
       TENSOR_EXTERNAL = 13,
       TENSOR_LOCATION = 14,
       VALUE_NAME = 1,
       VALUE_TYPE = 2
};

static int onnx_type(webnn_data_type type) {
  static const int types[] = {
      [WEBNN_FLOAT32] = 1, [WEBNN_FLOAT16] = 10, [WEBNN_INT32] = 6, [WEBNN_INT64] = 7,
      [WEBNN_INT8] = 3,    [WEBNN_UINT8] = 2,    [WEBNN_UINT4] = 21};
  return types[type];
}

typedef struct writer {
  const graph *g;
  const char *weights; /* the file of large initializers, or NULL */
  bytes graph;
  int extra; /* values made here so far */
} writer;

typedef struct name {
  char text[24];
} name;

static name value_name(value v) {
  name n;
  snprintf(n.text, sizeof n.text, "v%d", v);
  return n;
}

static name extra_name(writer *w) {
  name n;
  snprintf(n.text, sizeof n.text, "x%d", w->extra++);
  return n;
}

static void put_external(bytes *tensor, const char *key, const char *text) {
  bytes entry = {0};
  put_string(&entry, 1, key);
  put_string(&entry, 2, text);
  put_message(tensor, TENSOR_EXTERNAL, &entry);
}

static void put_initializer(writer *w, const char *called, webnn_data_type type, const shape *s,
                            const void *data, size_t offset) {
  bytes tensor = {0};
  size_t size = byte_count(type, s);
  for (uint32_t i = 0; i < s->rank; i++)
    put_integer(&tensor, TENSOR_DIMENSION, s->d[i]);
  put_integer(&tensor, TENSOR_TYPE, onnx_type(type));
  put_string(&tensor, TENSOR_NAME, called);
  if (w->weights && size >= 1024) {
    char number[24];
    put_external(&tensor, "location", w->weights);
    snprintf(number, sizeof number, "%zu", offset);
    put_external(&tensor, "offset", number);
    snprintf(number, sizeof number, "%zu", size);
    put_external(&tensor, "length", number);
    put_integer(&tensor, TENSOR_LOCATION, 1);
  } else {
    put_bytes(&tensor, TENSOR_BYTES, data, size);
  }
  put_message(&w->graph, GRAPH_INITIALIZER, &tensor);
}

/* A one-dimensional constant of the writer's own. */
static name put_list(writer *w, const shape *list) {
  int64_t items[WEBNN_MAX_RANK];
  name n = extra_name(w);
  for (uint32_t i = 0; i < list->rank; i++)
    items[i] = list->d[i];
  put_initializer(w, n.text, WEBNN_INT64, &SHAPE(list->rank), items, 0);
  return n;
}

static name put_scalar(writer *w, double number) {
  float item = (float)number;
  name n = extra_name(w);
  put_initializer(w, n.text, WEBNN_FLOAT32, &(shape){0, {0}}, &item, 0);
  return n;
}

static void put_port(writer *w, uint32_t field, value v) {
  const value_info *info = &w->g->values[v];
  bytes dimensions = {0}, dimension = {0}, tensor = {0}, type = {0}, port = {0};
  for (uint32_t i = 0; i < info->shape.rank; i++) {
    put_integer(&dimension, 1, info->shape.d[i]);
    put_message(&dimensions, 1, &dimension);
  }
  put_integer(&tensor, 1, onnx_type(info->type));
  put_message(&tensor, 2, &dimensions);
  put_message(&type, 1, &tensor);
  put_string(&port, VALUE_NAME, value_name(v).text);
  put_message(&port, VALUE_TYPE, &type);
  put_message(&w->graph, field, &port);
}

/* ---- Nodes: begin, inputs and attributes in any order, end -------------------------------------
 */

static bytes begin_node(const char *operator_name) {
  bytes n = {0};
  put_string(&n, NODE_OPERATOR, operator_name);
  return n;
}

static void node_input(bytes *n, name in) {
  put_string(n, NODE_INPUT, in.text);
}

static void attribute_integer(bytes *n, const char *called, int64_t number) {
  bytes a = {0};
  put_string(&a, ATTRIBUTE_NAME, called);
  put_integer(&a, ATTRIBUTE_INTEGER, number);
  put_integer(&a, ATTRIBUTE_TYPE, 2);
  put_message(n, NODE_ATTRIBUTE, &a);
}

static void attribute_float(bytes *n, const char *called, double number) {
  bytes a = {0};
  put_string(&a, ATTRIBUTE_NAME, called);
  put_float(&a, ATTRIBUTE_FLOAT, (float)number);
  put_integer(&a, ATTRIBUTE_TYPE, 1);
  put_message(n, NODE_ATTRIBUTE, &a);
}

static void attribute_string(bytes *n, const char *called, const char *text) {
  bytes a = {0};
  put_string(&a, ATTRIBUTE_NAME, called);
  put_string(&a, ATTRIBUTE_STRING, text);
  put_integer(&a, ATTRIBUTE_TYPE, 3);
  put_message(n, NODE_ATTRIBUTE, &a);
}

static void attribute_list(bytes *n, const char *called, const uint32_t *items, uint32_t count) {
  bytes a = {0};
  put_string(&a, ATTRIBUTE_NAME, called);
  for (uint32_t i = 0; i < count; i++)
    put_integer(&a, ATTRIBUTE_INTEGERS, items[i]);
  put_integer(&a, ATTRIBUTE_TYPE, 7);
  put_message(n, NODE_ATTRIBUTE, &a);
}

static void end_node(writer *w, bytes *n, name out) {
  put_string(n, NODE_OUTPUT, out.text);
  put_message(&w->graph, GRAPH_NODE, n);
}

static void put_transpose(writer *w, name in, name out, shape permutation) {
  bytes n = begin_node("Transpose");
  node_input(&n, in);
  attribute_list(&n, "perm", permutation.d, permutation.rank);
  end_node(w, &n, out);
}

/* ---- Operators ---------------------------------------------------------------------------------
 */

/* Convolutions and pools are nchw in ONNX: the name of such an input, transposed if need be. */
static name windows_input(writer *w, const node *o) {
  name in = value_name(o->inputs[0]);
  if (!o->nhwc)
    return in;
  name turned = extra_name(w);
  put_transpose(w, in, turned, SHAPE(0, 3, 1, 2));
  return turned;
}

static void end_windows(writer *w, const node *o, bytes *n) {
  name out = value_name(o->outputs[0]);
  if (!o->nhwc) {
    end_node(w, n, out);
    return;
  }
  name turned = extra_name(w);
  end_node(w, n, turned);
  put_transpose(w, turned, out, SHAPE(0, 2, 3, 1));
}

static void put_convolution(writer *w, const node *o, const char *operator_name) {
  name in = windows_input(w, o);
  bytes n = begin_node(operator_name);
  node_input(&n, in);
  for (int i = 1; i < o->input_count; i++)
    node_input(&n, value_name(o->inputs[i]));
  attribute_list(&n, "pads", o->padding, 4); /* all sides are equal, so the order is no matter */
  attribute_list(&n, "strides", o->strides, 2);
  attribute_integer(&n, "group", o->groups);
  end_windows(w, o, &n);
}

static void put_pool(writer *w, const node *o) {
  bool everything = o->window[0] == 0, maximum = o->op == MAX_POOL;
  name in = windows_input(w, o);
  bytes n = begin_node(everything ? maximum ? "GlobalMaxPool" : "GlobalAveragePool"
                       : maximum  ? "MaxPool"
                                  : "AveragePool");
  node_input(&n, in);
  if (!everything) {
    attribute_list(&n, "kernel_shape", o->window, 2);
    attribute_list(&n, "pads", o->padding, 4);
    attribute_list(&n, "strides", o->strides, 2);
  }
  end_windows(w, o, &n);
}

static void put_reduce(writer *w, const node *o, const char *operator_name) {
  bool as_input = o->op == REDUCE_SUM; /* the others follow in operator set 18 */
  bytes n = begin_node(operator_name);
  node_input(&n, value_name(o->inputs[0]));
  if (as_input)
    node_input(&n, put_list(w, &o->list));
  else
    attribute_list(&n, "axes", o->list.d, o->list.rank);
  attribute_integer(&n, "keepdims", o->keep);
  end_node(w, &n, value_name(o->outputs[0]));
}

static void put_clamp(writer *w, const node *o) {
  bytes n = begin_node("Clip");
  node_input(&n, value_name(o->inputs[0]));
  node_input(&n, put_scalar(w, o->number));
  node_input(&n, put_scalar(w, o->maximum));
  end_node(w, &n, value_name(o->outputs[0]));
}

static void put_slice(writer *w, const node *o) {
  shape ends = o->list;
  for (uint32_t i = 0; i < ends.rank; i++)
    ends.d[i] += o->sizes.d[i];
  bytes n = begin_node("Slice");
  node_input(&n, value_name(o->inputs[0]));
  node_input(&n, put_list(w, &o->list));
  node_input(&n, put_list(w, &ends));
  end_node(w, &n, value_name(o->outputs[0]));
}

static void put_pad(writer *w, const node *o) {
  int64_t items[2 * WEBNN_MAX_RANK];
  uint32_t rank = o->list.rank;
  name pads = extra_name(w);
  for (uint32_t i = 0; i < rank; i++) {
    items[i] = o->list.d[i];
    items[rank + i] = o->sizes.d[i];
  }
  put_initializer(w, pads.text, WEBNN_INT64, &SHAPE(2 * rank), items, 0);
  bytes n = begin_node("Pad");
  node_input(&n, value_name(o->inputs[0]));
  node_input(&n, pads);
  end_node(w, &n, value_name(o->outputs[0]));
}

static void put_resample(writer *w, const node *o) {
  bytes n = begin_node("Resize");
  node_input(&n, value_name(o->inputs[0]));
  node_input(&n, (name){""});
  node_input(&n, (name){""});
  node_input(&n, put_list(w, &w->g->values[o->outputs[0]].shape));
  attribute_string(&n, "mode", o->linear ? "linear" : "nearest");
  attribute_string(&n, "coordinate_transformation_mode", "half_pixel");
  end_node(w, &n, value_name(o->outputs[0]));
}

static void put_recurrent(writer *w, const node *o) {
  name biases = extra_name(w), sequence = value_name(o->outputs[0]);
  bytes n = begin_node("Concat");
  node_input(&n, value_name(o->inputs[3]));
  node_input(&n, value_name(o->inputs[4]));
  attribute_integer(&n, "axis", 1);
  end_node(w, &n, biases);
  n = begin_node(o->op == LSTM ? "LSTM" : "GRU");
  for (int i = 0; i < 3; i++)
    node_input(&n, value_name(o->inputs[i]));
  node_input(&n, biases);
  attribute_integer(&n, "hidden_size", w->g->values[o->inputs[2]].shape.d[2]);
  if (o->op == GRU)
    attribute_integer(&n, "linear_before_reset", 1);
  end_node(w, &n, sequence);
}

static void put_cumulative_sum(writer *w, const node *o) {
  bytes n = begin_node("CumSum");
  node_input(&n, value_name(o->inputs[0]));
  node_input(&n, put_list(w, &SHAPE(o->axis)));
  end_node(w, &n, value_name(o->outputs[0]));
}

static void put_reshape(writer *w, const node *o) {
  bytes n = begin_node("Reshape");
  node_input(&n, value_name(o->inputs[0]));
  node_input(&n, put_list(w, &w->g->values[o->outputs[0]].shape));
  end_node(w, &n, value_name(o->outputs[0]));
}

/* The node that dequantizes v in blocks, if one does: weights [columns, terms] of a product, with
   which they are one operator of ONNX Runtime. */
static const node *block_dequantizer(const graph *g, value v) {
  const node *o = g->values[v].producer == NONE ? NULL : &g->nodes[g->values[v].producer];
  return o && o->op == DEQUANTIZE && g->values[o->inputs[1]].shape.rank > 1 ? o : NULL;
}

/* There the weights are bytes [columns, blocks, bytes of a block], and without zero points these are
   the middle of the range. Level 4 has it quantize the left rows to bytes, too, as it is fastest. */
static void put_block_product(writer *w, const node *o, const node *weights) {
  const value_info *b = &w->g->values[weights->inputs[0]];
  const shape *scales = &w->g->values[weights->inputs[1]].shape;
  uint32_t columns = b->shape.d[0], blocks = scales->d[1];
  shape s = SHAPE(columns, blocks, (uint32_t)(b->bytes / columns / blocks));
  name packed = extra_name(w);
  put_initializer(w, packed.text, WEBNN_UINT8, &s, b->data, b->offset);
  bytes n = begin_node("MatMulNBits");
  node_input(&n, value_name(o->inputs[0]));
  node_input(&n, packed);
  node_input(&n, value_name(weights->inputs[1]));
  put_string(&n, NODE_DOMAIN, "com.microsoft");
  attribute_integer(&n, "K", b->shape.d[1]);
  attribute_integer(&n, "N", columns);
  attribute_integer(&n, "bits", (int64_t)webnn_data_type_bits(b->type));
  attribute_integer(&n, "block_size", b->shape.d[1] / blocks);
  attribute_integer(&n, "accuracy_level", 4);
  end_node(w, &n, value_name(o->outputs[0]));
}

/* Operators whose inputs are ONNX's, with an attribute or none. */
static void put_plain(writer *w, const node *o, const char *operator_name, const char *domain) {
  bytes n = begin_node(operator_name);
  bool no_offset = o->op == DEQUANTIZE && w->g->values[o->inputs[0]].type == WEBNN_INT32;
  for (int i = 0; i < o->input_count - no_offset; i++)
    node_input(&n, value_name(o->inputs[i]));
  if (*domain)
    put_string(&n, NODE_DOMAIN, domain);
  switch (o->op) {
  case GEMM:
    attribute_integer(&n, "transA", o->transpose_a);
    attribute_integer(&n, "transB", o->transpose_b);
    break;
  case LAYER_NORMALIZATION:
  case BATCH_NORMALIZATION:
    attribute_float(&n, "epsilon", o->number);
    break;
  case SOFTMAX:
  case CONCAT:
  case GATHER:
  case GATHER_ELEMENTS:
    attribute_integer(&n, "axis", o->axis);
    break;
  case CAST:
    attribute_integer(&n, "to", onnx_type(w->g->values[o->outputs[0]].type));
    break;
  case DEQUANTIZE: /* with a single scale there is no axis to name */
    if (w->g->values[o->inputs[1]].shape.rank > 0)
      attribute_integer(&n, "axis", o->axis);
    break;
  default:
    break;
  }
  end_node(w, &n, value_name(o->outputs[0]));
}

/* A product by blocks, or the dequantization that has become a part of it. */
static bool put_merged(writer *w, const node *o) {
  const node *weights = o->op == GEMM ? block_dequantizer(w->g, o->inputs[1]) : NULL;
  if (weights)
    put_block_product(w, o, weights);
  return weights || block_dequantizer(w->g, o->outputs[0]);
}

static void put_node(writer *w, const node *o) {
  if (put_merged(w, o))
    return;
  switch (o->op) {
#define PLAIN(enumerator, function, onnx, domain)                                                  \
  case enumerator:                                                                                 \
    put_plain(w, o, onnx, domain);                                                                 \
    break;
    UNARY_OPERATIONS(PLAIN)
    BINARY_OPERATIONS(PLAIN)
    PLAIN(MATMUL, 0, "MatMul", "")
    PLAIN(GEMM, 0, "Gemm", "")
    PLAIN(SOFTMAX, 0, "Softmax", "")
    PLAIN(LAYER_NORMALIZATION, 0, "LayerNormalization", "")
    PLAIN(CONCAT, 0, "Concat", "")
    PLAIN(GATHER, 0, "Gather", "")
    PLAIN(GATHER_ELEMENTS, 0, "GatherElements", "")
    PLAIN(BATCH_NORMALIZATION, 0, "BatchNormalization", "")
    PLAIN(CAST, 0, "Cast", "")
    PLAIN(QUANTIZE, 0, "QuantizeLinear", "")
    PLAIN(DEQUANTIZE, 0, "DequantizeLinear", "")
#undef PLAIN
#define REDUCE(enumerator, function, onnx, domain)                                                 \
  case enumerator:                                                                                 \
    put_reduce(w, o, onnx);                                                                        \
    break;
    REDUCE_OPERATIONS(REDUCE)
#undef REDUCE
  case CUMULATIVE_SUM:
    put_cumulative_sum(w, o);
    break;
  case CLAMP:
    put_clamp(w, o);
    break;
  case CONV2D:
    put_convolution(w, o, "Conv");
    break;
  case CONV_TRANSPOSE2D:
    put_convolution(w, o, "ConvTranspose");
    break;
  case TRANSPOSE:
    put_transpose(w, value_name(o->inputs[0]), value_name(o->outputs[0]), o->list);
    break;
  case RESHAPE:
    put_reshape(w, o);
    break;
  case SLICE:
    put_slice(w, o);
    break;
  case PAD:
    put_pad(w, o);
    break;
  case RESAMPLE:
    put_resample(w, o);
    break;
  case MAX_POOL:
  case AVERAGE_POOL:
    put_pool(w, o);
    break;
  case LSTM:
  case GRU:
    put_recurrent(w, o);
    break;
  }
}

static void put_operator_set(bytes *model, const char *domain, int version) {
  bytes set = {0};
  put_string(&set, OPERATOR_SET_DOMAIN, domain);
  put_integer(&set, OPERATOR_SET_VERSION, version);
  put_message(model, MODEL_OPERATOR_SET, &set);
}

/* Weights and zero points of a product by blocks. */
static bool is_merged(const graph *g, value v) {
  for (int i = 0; i < g->node_count; i++) {
    const node *o = block_dequantizer(g, g->nodes[i].outputs[0]);
    if (o && (o->inputs[0] == v || o->inputs[2] == v))
      return true;
  }
  return false;
}

unsigned char *write_onnx(const graph *g, const char *weights, size_t *size) {
  writer w = {g, weights, {0}, 0};
  bytes model = {0};
  for (int i = 0; i < g->node_count; i++)
    put_node(&w, &g->nodes[i]);
  put_string(&w.graph, GRAPH_NAME, "bench");
  for (int i = 0; i < g->value_count; i++) {
    const value_info *v = &g->values[i];
    if (v->kind == CONSTANT && !is_merged(g, i))
      put_initializer(&w, value_name(i).text, v->type, &v->shape, v->data, v->offset);
  }
  for (int i = 0; i < g->input_count; i++)
    put_port(&w, GRAPH_INPUT, g->inputs[i]);
  for (int i = 0; i < g->output_count; i++)
    put_port(&w, GRAPH_OUTPUT, g->outputs[i]);
  put_integer(&model, MODEL_IR_VERSION, 8);
  put_operator_set(&model, "", 17);
  put_operator_set(&model, "com.microsoft", 1);
  put_message(&model, MODEL_GRAPH, &w.graph);
  *size = model.size;
  return model.data;
}
