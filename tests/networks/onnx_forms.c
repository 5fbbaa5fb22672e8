/* webnn_onnx.h: nodes that together are one operator of WebNN, which fast contexts recognize, near
   misses that they must not, and operators of com.microsoft and attention beside formulas written
   out here. */
#include "onnx_writer.h"
#include "test.h"
#include "webnn_onnx.h"

#include <math.h>

static webnn_context *context, *fast;

/* Numbers from -1 to 1, the same in every run. */
static float number_of(size_t i) {
  return (float)((double)((i * 2654435761u + 12345u) % 10007u) / 5003.0 - 1.0);
}

typedef struct text {
  char characters[8192];
  size_t length;
} text;

static void append(void *user, const char *characters, size_t length) {
  text *t = (text *)user;
  if (t->length + length < sizeof t->characters) {
    memcpy(t->characters + t->length, characters, length);
    t->length += length;
  }
}

/* A model that has been run: the text of its graph, of a fast one its steps, and its outputs as floats. */
typedef struct result {
  bool good;
  text graph;
  float *outputs[4];
  size_t counts[4];
} result;

static void free_result(result *r) {
  int i;
  for (i = 0; i < 4; i++) {
    free(r->outputs[i]);
  }
}

/* Builds and runs a model. Inputs are the given arrays, in order, or numbers where there are none. */
static void run(webnn_context *by, const char *what, const message *m, const void *const *given,
                result *r) {
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_graph_port ins[12], outs[4];
  webnn_named_input inputs[12];
  webnn_named_output outputs[4];
  size_t in_count = 0, out_count = 0, i, k;
  memset(r, 0, sizeof *r);
  if (webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error) != WEBNN_OK ||
      webnn_onnx_build(model, by, &graph, &error) != WEBNN_OK) {
    CHECK(what, false, "%s", error.message);
    webnn_onnx_free(model);
    return;
  }
  (by == fast ? webnn_print_steps : webnn_print_graph)(graph, append, &r->graph);
  in_count = webnn_graph_inputs(graph, ins, 12);
  out_count = webnn_graph_outputs(graph, outs, 4);
  for (i = 0; i < in_count; i++) {
    float *data = (float *)calloc((size_t)ins[i].byte_length + 4, 1);
    if (data != NULL && given != NULL && given[i] != NULL) {
      memcpy(data, given[i], (size_t)ins[i].byte_length);
    } else if (data != NULL) {
      for (k = 0; k < ins[i].byte_length / 4; k++) {
        data[k] = number_of(k + 1000 * i);
      }
    }
    inputs[i].name = ins[i].name;
    inputs[i].data = data;
    inputs[i].byte_length = (size_t)ins[i].byte_length;
  }
  for (i = 0; i < out_count; i++) {
    r->counts[i] = (size_t)outs[i].byte_length / 4;
    r->outputs[i] = (float *)calloc(r->counts[i] + 1, 4);
    outputs[i].name = outs[i].name;
    outputs[i].data = r->outputs[i];
    outputs[i].byte_length = (size_t)outs[i].byte_length;
  }
  r->good = webnn_compute(by, graph, inputs, in_count, outputs, out_count, &error) == WEBNN_OK;
  CHECK(what, r->good, "%s", error.message);
  for (i = 0; i < in_count; i++) {
    free((void *)(uintptr_t)inputs[i].data);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
}

/* Are the results of both near to each other? */
static void compare(const char *what, const float *actual, const float *expected, size_t count,
                    double tolerance) {
  char detail[128];
  size_t i;
  for (i = 0; i < count; i++) {
    if (actual[i] != expected[i] && /* infinities are equal, too */
        !(fabs((double)actual[i] - expected[i]) <= tolerance * (1 + fabs((double)expected[i])))) {
      (void)snprintf(detail, sizeof detail, "element %u is %.9g, not %.9g", (unsigned)i,
                     (double)actual[i], (double)expected[i]);
      CHECK(what, false, "%s", detail);
      return;
    }
  }
  test_passed++;
}

/* A fast context computes the model by that operator (or does not), and gives what the nodes give. */
static void form(const char *what, message *m, const char *op, bool recognized) {
  result nodes, whole;
  run(context, what, m, NULL, &nodes);
  run(fast, what, m, NULL, &whole);
  CHECK(what, (strstr(whole.graph.characters, op) != NULL) == recognized, "it is %srecognized: %s",
        recognized ? "not " : "", whole.graph.characters);
  if (nodes.good && whole.good) {
    compare(what, whole.outputs[0], nodes.outputs[0], nodes.counts[0], 2e-6);
  }
  free_result(&nodes);
  free_result(&whole);
  free(m);
}

/* ---- Forms: graphs of x [2,3,4] to y. */

static const char *number_shape = "", *result_shape = "2,3,4";

static void constant(message *g, const char *name, float value) {
  put_tensor(g, name, 1, number_shape, &value, 4);
}

static message *form_model(message *g, int version) {
  put_input(g, "x", 1, "2,3,4");
  put_output(g, "y", 1, result_shape);
  return model_of(g, version);
}

/* erf(x / root) + one, times half, times x; `order` is how the products are nested. */
static message *gelu(int order, float root, float one, float half, bool output) {
  message *g = new_message();
  constant(g, "root", root);
  constant(g, "one", one);
  constant(g, "half", half);
  put_node(g, root < 1 ? "Mul" : "Div", "", "x,root", "a");
  put_node(g, "Erf", "", "a", "b");
  put_node(g, "Add", "", order == 1 ? "one,b" : "b,one", "c");
  put_node(g, "Mul", "", order == 0 ? "x,c" : order == 1 ? "half,x" : "c,half", "d");
  put_node(g, "Mul", "", order == 0 ? "d,half" : order == 1 ? "c,d" : "x,d", "y");
  if (output) {
    put_output(g, "y", 1, "2,3,4");
    put_output(g, "c", 1, "2,3,4");
    put_input(g, "x", 1, "2,3,4");
    return model_of(g, 13);
  }
  return form_model(g, 13);
}

static void test_gelu(void) {
  form("gelu, half last", gelu(0, 1.41421356f, 1, 0.5f, false), "gelu", true);
  form("gelu, half first", gelu(1, 1.41421356f, 1, 0.5f, false), "gelu", true);
  form("gelu, half in the middle", gelu(2, 1.41421356f, 1, 0.5f, false), "gelu", true);
  form("gelu with a product", gelu(0, 0.70710678f, 1, 0.5f, false), "gelu", true);
  form("1.4142", gelu(0, 1.4142f, 1, 0.5f, false), "gelu", false);
  form("two thirds", gelu(0, 1.41421356f, 1, 0.66666f, false), "gelu", false);
  form("plus two", gelu(0, 1.41421356f, 2, 0.5f, false), "gelu", false);
  form("an output between", gelu(0, 1.41421356f, 1, 0.5f, true), "gelu", true);
}

/* A condition that is known; at `odd` it is another than elsewhere. */
static message *where(uint8_t all, size_t odd, bool swapped) {
  message *g = new_message();
  uint8_t condition[12];
  memset(condition, all, sizeof condition);
  if (odd < 12) {
    condition[odd] = !all;
  }
  put_tensor(g, "condition", 9, "3,4", condition, sizeof condition);
  constant(g, "low", -5);
  put_node(g, "Abs", "", "x", "a");
  put_node(g, "Where", "", swapped ? "condition,low,a" : "condition,a,low", "b");
  put_node(g, "Neg", "", "b", "y");
  return form_model(g, 13);
}

/* y = -(condition ? |x| : -5), or the other way round; `chosen`: without a where. */
static void check_where(const char *what, uint8_t all, size_t odd, bool swapped, bool chosen) {
  message *m = where(all, odd, swapped);
  float expected[24];
  result r;
  size_t i;
  run(context, what, m, NULL, &r);
  for (i = 0; i < 24; i++) {
    const bool first = (i % 12 == odd ? !all : all) != 0;
    expected[i] = first != swapped ? -fabsf(number_of(i)) : 5;
  }
  compare(what, r.outputs[0], expected, 24, 0);
  CHECK(what, (strstr(r.graph.characters, "where") == NULL) == chosen, "%s", "where");
  free_result(&r);
  free(m);
}

/* Rows of a causal mask of 300 x 300, which has more elements than are folded at once. */
static void check_large_mask(void) {
  static uint8_t mask[300 * 300];
  static const int64_t starts[2] = {296, 0}, ends[2] = {299, 4};
  message *g = new_message(), *m;
  result r;
  size_t i;
  for (i = 0; i < sizeof mask; i++) {
    mask[i] = i % 300 <= i / 300;
  }
  put_tensor(g, "mask", 9, "300,300", mask, sizeof mask);
  put_tensor(g, "starts", 7, "2", starts, sizeof starts);
  put_tensor(g, "ends", 7, "2", ends, sizeof ends);
  constant(g, "low", -5);
  put_node(g, "Slice", "", "mask,starts,ends", "condition");
  put_node(g, "Where", "", "condition,x,low", "b");
  put_node(g, "Neg", "", "b", "y");
  m = form_model(g, 13);
  run(context, "rows of a large mask", m, NULL, &r);
  CHECK("rows of a large mask", strstr(r.graph.characters, "where") == NULL, "a where");
  free_result(&r);
  free(m);
}

static void test_where(void) {
  check_large_mask();
  check_where("a condition that is true", 1, 12, false, true);
  check_where("a condition that is false", 0, 12, true, true);
  check_where("a false one at the end", 1, 11, false, false);
  check_where("a true one at the beginning", 0, 0, true, false);
  check_where("a number is broadcast", 0, 12, false, false);
}

typedef struct layer {
  int64_t mean_axis, variance_axis;
  float power;
  bool product, affine, wide, keep;
} layer;

static message *reduction(const char *op, const char *in, const char *out, int64_t axis,
                          bool keep) {
  message *n = node(op, "", in, out);
  attribute_ints(n, "axes", &axis, 1);
  attribute_int(n, "keepdims", keep);
  return n;
}

static message *layer_normalization(layer l) {
  static const float scales[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  message *g = new_message();
  constant(g, "two", l.power);
  constant(g, "epsilon", 1e-5f);
  put_tensor(g, "scale", 1, l.wide ? "3,4" : "4", scales, l.wide ? 48 : 16);
  put_tensor(g, "bias", 1, "4", scales + 3, 16);
  put_and_free(g, 1, reduction("ReduceMean", "x", "mean", l.mean_axis, true));
  put_node(g, "Sub", "", "x,mean", "d");
  put_and_free(g, 1, l.product ? node("Mul", "", "d,d", "s") : node("Pow", "", "d,two", "s"));
  put_and_free(g, 1, reduction("ReduceMean", "s", "v", l.variance_axis, true));
  put_node(g, "Add", "", "v,epsilon", "e");
  put_node(g, "Sqrt", "", "e", "r");
  put_node(g, "Div", "", "d,r", l.affine ? "n" : "y");
  if (l.affine) {
    put_node(g, "Mul", "", "n,scale", "m");
    put_node(g, "Add", "", "m,bias", "y");
  }
  return form_model(g, 13);
}

static void test_layer_normalization(void) {
  const char *op = "layerNormalization";
  layer l = {-1, -1, 2, false, true, false, true};
  form("layer normalization", layer_normalization(l), op, true);
  l.product = true;
  form("layer normalization with a product", layer_normalization(l), op, true);
  l.wide = true;
  form("a scale of two dimensions", layer_normalization(l), op, true); /* without the scale */
  l.affine = l.wide = false;
  form("layer normalization without a scale", layer_normalization(l), op, true);
  l.variance_axis = 1;
  form("other axes", layer_normalization(l), op, false);
  l.variance_axis = -1, l.product = false, l.power = 4;
  form("a fourth power", layer_normalization(l), op, false);
}

/* Numbers of one element with as many dimensions as x are numbers. With one more they change the shape of what is
   computed, and an exponent of a layer normalization the axis that is meant. */
static void test_ranks_of_numbers(void) {
  layer l = {2, 2, 2, false, true, false, true};
  number_shape = "1,1,1";
  form("gelu with numbers of three dimensions", gelu(0, 1.41421356f, 1, 0.5f, false), "gelu", true);
  form("layer normalization with numbers of three dimensions", layer_normalization(l),
       "layerNormalization", true);
  number_shape = "1,1,1,1", result_shape = "1,2,3,4";
  form("gelu with numbers of four dimensions", gelu(0, 1.41421356f, 1, 0.5f, false), "gelu", true);
  form("layer normalization with numbers of four dimensions", layer_normalization(l),
       "layerNormalization", false);
  l.product = true;
  form("an epsilon of four dimensions", layer_normalization(l), "layerNormalization", true);
  number_shape = "", result_shape = "2,3,4";
}

static message *softmax(int64_t first, int64_t second, bool output) {
  message *g = new_message();
  put_and_free(g, 1, reduction("ReduceMax", "x", "max", first, true));
  put_node(g, "Sub", "", "x,max", "d");
  put_node(g, "Exp", "", "d", "e");
  put_and_free(g, 1, reduction("ReduceSum", "e", "s", second, true));
  put_node(g, "Div", "", "e,s", "y");
  if (output) {
    put_input(g, "x", 1, "2,3,4");
    put_output(g, "y", 1, "2,3,4");
    put_output(g, "e", 1, "2,3,4");
    return model_of(g, 12);
  }
  return form_model(g, 12);
}

static message *hard_swish(int kind, float six) {
  message *g = new_message(), *n;
  constant(g, "three", 3);
  constant(g, "zero", 0);
  constant(g, "six", six);
  if (kind == 0) {
    n = node("HardSigmoid", "", "x", "h");
    attribute_float(n, "alpha", six == 6 ? 1.0f / 6 : 0.2f);
    put_and_free(g, 1, n);
    put_node(g, "Mul", "", "x,h", "y");
    return form_model(g, 13);
  }
  put_node(g, "Add", "", "x,three", "a");
  put_node(g, "Clip", "", "a,zero,six", "c");
  put_and_free(g, 1, kind == 1 ? node("Mul", "", "c,x", "p") : node("Div", "", "c,six", "p"));
  put_and_free(g, 1, kind == 1 ? node("Div", "", "p,six", "y") : node("Mul", "", "x,p", "y"));
  return form_model(g, 13);
}

static void test_others(void) {
  form("softmax", softmax(-1, -1, false), "softmax", true);
  form("softmax over other axes", softmax(-1, 1, false), "softmax", false);
  form("softmax with its powers", softmax(-1, -1, true), "softmax", true);
  form("hard swish of a hard sigmoid", hard_swish(0, 6), "hardSwish", true);
  form("hard swish, divided last", hard_swish(1, 6), "hardSwish", true);
  form("hard swish, divided before", hard_swish(2, 6), "hardSwish", true);
  form("another hard sigmoid", hard_swish(0, 5), "hardSwish", false);
  form("a clip at 5, divided last", hard_swish(1, 5), "hardSwish", false);
  form("a clip at 5, divided before", hard_swish(2, 5), "hardSwish", false);
}

/* ---- Operators beside formulas. */

/* Rows of q [heads, s, d], k and v [kv, t, d]: query i sees key j where seen(i, j). */
typedef struct heads {
  size_t heads, kv, s, t, d, past;
  bool causal;
  const unsigned char *mask; /* [s, t], NULL: all */
} heads;

static void attend(const heads *h, const float *q, const float *k, const float *v, float *y) {
  size_t n, i, j, e;
  double weights[64];
  for (n = 0; n < h->heads; n++) {
    const size_t g = n / (h->heads / h->kv);
    for (i = 0; i < h->s; i++) {
      double sum = 0;
      for (j = 0; j < h->t; j++) {
        double dot = 0;
        const bool seen =
            (!h->causal || j <= i + h->past) && (h->mask == NULL || h->mask[i * h->t + j] != 0);
        for (e = 0; e < h->d; e++) {
          dot += (double)q[(n * h->s + i) * h->d + e] * k[(g * h->t + j) * h->d + e];
        }
        weights[j] = seen ? exp(dot / sqrt((double)h->d)) : 0;
        sum += weights[j];
      }
      for (e = 0; e < h->d; e++) {
        double total = 0;
        for (j = 0; j < h->t; j++) {
          total += weights[j] * v[(g * h->t + j) * h->d + e];
        }
        y[(n * h->s + i) * h->d + e] = sum == 0 ? 0 : (float)(total / sum);
      }
    }
  }
}

/* ONNX's Attention with a mask that hides all keys from query 1. */
static void test_attention(void) {
  static const unsigned char mask[12] = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0};
  const heads h = {4, 2, 3, 4, 8, 0, false, mask};
  const void *given[4] = {NULL, NULL, NULL, mask};
  float q[96], k[64], v[64], y[96];
  message *g = new_message(), *m;
  result r;
  size_t i;
  put_node(g, "Attention", "attention", "q,k,v,mask", "y");
  put_input(g, "q", 1, "1,4,3,8");
  put_input(g, "k", 1, "1,2,4,8");
  put_input(g, "v", 1, "1,2,4,8");
  put_input(g, "mask", 9, "3,4");
  put_output(g, "y", 1, "1,4,3,8");
  m = model_of(g, 24);
  run(context, "Attention", m, given, &r);
  for (i = 0; i < 96; i++) {
    q[i] = number_of(i);
  }
  for (i = 0; i < 64; i++) {
    k[i] = number_of(i + 1000);
    v[i] = number_of(i + 2000);
  }
  attend(&h, q, k, v, y);
  if (r.good) {
    compare("Attention", r.outputs[0], y, 96, 1e-6);
  }
  free_result(&r);
  free(m);
}

/* FlexAttention with a mask as its score_mod, and twice the shares as its prob_mod. */
static message *flex_attention(const char *prob_mod) {
  static const unsigned char mask[12] = {1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0};
  static const float least = -INFINITY;
  message *g = new_message(), *scores = new_message(), *shares = new_message(), *m;
  message *n = node("FlexAttention", "flex", "q,k,v", "y");
  put_text(n, 7, "ai.onnx.preview");
  put_tensor(g, "mask", 9, "3,4", mask, 12);
  put_tensor(scores, "least", 1, "", &least, 4);
  put_node(scores, "Where", "", "mask,s,least", "masked");
  put_input(scores, "s", 1, "1,4,3,4");
  put_output(scores, "masked", 1, "1,4,3,4");
  put_node(shares, prob_mod, "", "p,p", "p2");
  put_input(shares, "p", 1, "1,4,3,4");
  put_output(shares, "p2", 1, "1,4,3,4");
  attribute_graph(n, "score_mod", scores);
  attribute_graph(n, "prob_mod", shares);
  put_and_free(g, 1, n);
  put_input(g, "q", 1, "1,4,3,8");
  put_input(g, "k", 1, "1,2,4,8");
  put_input(g, "v", 1, "1,2,4,8");
  put_output(g, "y", 1, "1,4,3,8");
  m = model_of(g, 26);
  import_domain(m, "ai.onnx.preview", 1);
  return m;
}

static void test_flex_attention(void) {
  static const unsigned char mask[12] = {1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0};
  const heads h = {4, 2, 3, 4, 8, 0, false, mask};
  float q[96], k[64], v[64], y[96];
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  message *m = flex_attention("Add");
  result r;
  size_t i;
  run(context, "FlexAttention", m, NULL, &r);
  for (i = 0; i < 96; i++) {
    q[i] = number_of(i);
  }
  for (i = 0; i < 64; i++) {
    k[i] = number_of(i + 1000);
    v[i] = 2 * number_of(i + 2000);
  }
  attend(&h, q, k, v, y);
  if (r.good) {
    compare("FlexAttention", r.outputs[0], y, 96, 1e-6);
  }
  free_result(&r);
  free(m);
  m = flex_attention("Equal");
  (void)webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error);
  (void)webnn_onnx_build(model, context, &graph, &error);
  CHECK("FlexAttention", strstr(error.message, "\"prob_mod\" changes the type or shape") != NULL,
        "\"%s\"", error.message);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* Pairs i and i + d / 2 turned by the angles of their position. */
static void rotate(float *x, size_t d, const float *cosine, const float *sine, size_t position) {
  size_t i;
  for (i = 0; i < d / 2; i++) {
    const double a = x[i], b = x[i + d / 2];
    const double c = cosine[position * d / 2 + i], s = sine[position * d / 2 + i];
    x[i] = (float)(a * c - b * s);
    x[i + d / 2] = (float)(a * s + b * c);
  }
}

/* A step with 2 tokens behind 3 that are past, 4 heads in 2 groups of size 4, rotated; seqlens_k is
   `length`. */
static message *group_query_attention(int32_t length, const float *cosine, const float *sine) {
  static const int32_t total[1] = {5};
  message *g = new_message(), *m;
  message *n = node("GroupQueryAttention", "gqa", "q,k,v,pk,pv,lengths,total,cos,sin", "y,kk,vv");
  put_text(n, 7, "com.microsoft");
  attribute_int(n, "num_heads", 4);
  attribute_int(n, "kv_num_heads", 2);
  attribute_int(n, "do_rotary", 1);
  put_and_free(g, 1, n);
  put_tensor(g, "lengths", 6, "1", &length, 4);
  put_tensor(g, "total", 6, "1", total, 4);
  put_tensor(g, "cos", 1, "8,2", cosine, 64);
  put_tensor(g, "sin", 1, "8,2", sine, 64);
  put_input(g, "q", 1, "1,2,16");
  put_input(g, "k", 1, "1,2,8");
  put_input(g, "v", 1, "1,2,8");
  put_input(g, "pk", 1, "1,2,3,4");
  put_input(g, "pv", 1, "1,2,3,4");
  put_output(g, "y", 1, "1,2,16");
  put_output(g, "kk", 1, "1,2,5,4");
  put_output(g, "vv", 1, "1,2,5,4");
  m = model_of(g, 17);
  import_domain(m, "com.microsoft", 1);
  return m;
}

static void test_group_query_attention(void) {
  enum { H = 4, G = 2, S = 2, P = 3, T = 5, D = 4 };
  const heads h = {H, G, S, T, D, P, true, NULL};
  float past[2][G * P * D], q[H * S * D], k[G * T * D], v[G * T * D], y[H * S * D], flat[H * S * D];
  float cosine[8 * D / 2], sine[8 * D / 2];
  message *m;
  result r;
  size_t i, j, e;
  for (i = 0; i < 8 * D / 2; i++) {
    cosine[i] = (float)cos(0.3 * (double)i);
    sine[i] = (float)sin(0.3 * (double)i);
  }
  m = group_query_attention(T - 1, cosine, sine);
  run(context, "GroupQueryAttention", m, NULL, &r);
  for (i = 0; i < G * P * D; i++) {
    past[0][i] = number_of(3000 + i);
    past[1][i] = number_of(4000 + i);
  }
  for (i = 0; i < H * S; i++) {
    for (e = 0; e < D; e++) {
      q[i * D + e] = number_of((i % S * H + i / S) * D + e);
    }
    rotate(q + i * D, D, cosine, sine, P + i % S);
  }
  for (i = 0; i < G; i++) {
    for (j = 0; j < T; j++) {
      for (e = 0; e < D; e++) {
        const size_t old = (i * P + j) * D + e, fresh = ((j - P) * G + i) * D + e;
        k[(i * T + j) * D + e] = j < P ? past[0][old] : number_of(1000 + fresh);
        v[(i * T + j) * D + e] = j < P ? past[1][old] : number_of(2000 + fresh);
      }
      if (j >= P) {
        rotate(k + (i * T + j) * D, D, cosine, sine, j);
      }
    }
  }
  attend(&h, q, k, v, y);
  for (i = 0; i < H * S * D; i++) {
    flat[(i / D % S * H + i / D / S) * D + i % D] = y[i];
  }
  if (r.good) {
    compare("GroupQueryAttention", r.outputs[0], flat, H * S * D, 1e-6);
    compare("its keys", r.outputs[1], k, G * T * D, 1e-6);
    compare("its values", r.outputs[2], v, G * T * D, 0);
  }
  free_result(&r);
  free(m);
}

/* 4-bit weights in blocks of 16, with and without zero points; K is no multiple of the block. */
static void test_matmul_nbits(bool points) {
  enum { M = 2, K = 40, N = 3, B = 3, BLOCK = 16 };
  unsigned char packed[N * B * BLOCK / 2], zeros[N * 2];
  float scales[N * B], y[M * N];
  message *g = new_message(), *m;
  message *n = node("MatMulNBits", "n", points ? "x,w,s,z" : "x,w,s", "y");
  result r;
  size_t i, j, k;
  put_text(n, 7, "com.microsoft");
  attribute_int(n, "K", K);
  attribute_int(n, "N", N);
  attribute_int(n, "bits", 4);
  attribute_int(n, "block_size", BLOCK);
  put_and_free(g, 1, n);
  for (i = 0; i < sizeof packed; i++) {
    packed[i] = (unsigned char)(i * 37 + 11);
  }
  for (i = 0; i < sizeof zeros; i++) {
    zeros[i] = (unsigned char)(i * 29 + 3);
  }
  for (i = 0; i < N * B; i++) {
    scales[i] = 0.01f * (float)(i + 1);
  }
  put_tensor(g, "w", 2, "3,3,8", packed, sizeof packed);
  put_tensor(g, "s", 1, "9", scales, sizeof scales);
  put_tensor(g, "z", 2, "6", zeros, sizeof zeros);
  put_input(g, "x", 1, "2,40");
  put_output(g, "y", 1, "2,3");
  m = model_of(g, 17);
  import_domain(m, "com.microsoft", 1);
  run(context, "MatMulNBits", m, NULL, &r);
  for (i = 0; i < M; i++) {
    for (j = 0; j < N; j++) {
      double sum = 0;
      for (k = 0; k < K; k++) {
        const size_t block = k / BLOCK, at = (j * B + block) * BLOCK + k % BLOCK;
        const int weight = packed[at / 2] >> (at % 2 * 4) & 15;
        const int zero = points ? zeros[j * 2 + block / 2] >> (block % 2 * 4) & 15 : 8;
        sum += (double)number_of(i * K + k) * (weight - zero) * scales[j * B + block];
      }
      y[i * N + j] = (float)sum;
    }
  }
  if (r.good) {
    compare("MatMulNBits", r.outputs[0], y, M * N, 1e-6);
  }
  free_result(&r);
  free(m);
}

/* Two operands of Einsum, each letter once summed, kept, or in a batch. */
static void test_einsum(void) {
  message *g = new_message(), *n = node("Einsum", "", "a,b", "y"), *a = new_message(), *m;
  float y[2 * 5 * 3];
  result r;
  size_t i, j, k, l;
  put_text(a, 1, "equation");
  put_text(a, 4, "bijk,kbl->bli");
  put_integer(a, 20, 3);
  put_and_free(n, 5, a);
  put_and_free(g, 1, n);
  put_input(g, "a", 1, "2,3,2,4");
  put_input(g, "b", 1, "4,2,5");
  put_output(g, "y", 1, "2,5,3");
  m = model_of(g, 12);
  run(context, "Einsum", m, NULL, &r);
  for (i = 0; i < 30; i++) {
    const size_t batch = i / 15, column = i / 3 % 5, row = i % 3;
    double sum = 0;
    for (j = 0; j < 2; j++) {
      for (k = 0; k < 4; k++) {
        l = ((batch * 3 + row) * 2 + j) * 4 + k;
        sum += (double)number_of(l) * number_of(1000 + (k * 2 + batch) * 5 + column);
      }
    }
    y[i] = (float)sum;
  }
  if (r.good) {
    compare("Einsum", r.outputs[0], y, 30, 1e-6);
  }
  free_result(&r);
  free(m);
}

static message *node_with(const char *op, const char *in, const char *out, const char *name,
                          int64_t value) {
  message *n = node(op, "", in, out);
  attribute_int(n, name, value);
  return n;
}

/* v + 1 for an item v. */
static message *plus_one(void) {
  message *g = new_message();
  put_node(g, "Add", "", "v,one", "w");
  put_input(g, "v", 1, "");
  put_output(g, "w", 1, "");
  return g;
}

/* The rows of x [4,2] as a sequence: the last before the first, the second left out, joined again; one
   added to each; an optional value that is there, and one that is not. */
static void test_sequences(void) {
  static const int64_t places[3] = {-1, 0, 2};
  static const size_t rows[4] = {3, 0, 2, 3};
  message *g = new_message(), *n, *m;
  float y[8], z[8];
  result r;
  size_t i;
  constant(g, "one", 1);
  put_tensor(g, "last", 7, "", &places[0], 8);
  put_tensor(g, "first", 7, "", &places[1], 8);
  put_tensor(g, "third", 7, "", &places[2], 8);
  put_and_free(g, 1, node_with("SplitToSequence", "x", "s", "keepdims", 0));
  put_node(g, "SequenceAt", "", "s,last", "a");
  put_node(g, "SequenceInsert", "", "s,a,first", "t");
  put_node(g, "SequenceErase", "", "t,third", "u");
  n = node_with("ConcatFromSequence", "u", "y", "new_axis", 1);
  attribute_int(n, "axis", 0);
  put_and_free(g, 1, n);
  n = node("SequenceMap", "", "u", "more");
  attribute_graph(n, "body", plus_one());
  put_and_free(g, 1, n);
  put_node(g, "Optional", "", "more", "maybe");
  put_node(g, "OptionalGetElement", "", "maybe", "sure");
  put_and_free(g, 1, node_with("ConcatFromSequence", "sure", "z", "axis", 0));
  put_node(g, "Optional", "", "", "none");
  put_node(g, "OptionalHasElement", "", "none", "there");
  put_node(g, "SequenceLength", "", "u", "count");
  put_and_free(g, 1, node_with("Cast", "there", "t1", "to", 1));
  put_and_free(g, 1, node_with("Cast", "count", "t2", "to", 1));
  put_node(g, "Add", "", "t1,t2", "four");
  put_input(g, "x", 1, "4,2");
  put_output(g, "y", 1, "4,2");
  put_output(g, "z", 1, "8");
  put_output(g, "four", 1, "");
  m = model_of(g, 18);
  run(context, "sequences", m, NULL, &r);
  for (i = 0; i < 8; i++) {
    y[i] = number_of(2 * rows[i / 2] + i % 2);
    z[i] = y[i] + 1;
  }
  if (r.good) {
    compare("the joined sequence", r.outputs[0], y, 8, 0);
    compare("the mapped sequence", r.outputs[1], z, 8, 0);
    CHECK("the length of a sequence", *r.outputs[2] == 4, "%s",
          "not 4, or an absent value is there");
  }
  free_result(&r);
  free(m);
}

/* A tensor by itself, as test data has them: whole, with fewer bytes than it says, in another file. */
static void test_tensor(void) {
  static const float numbers[3] = {1.5f, -2, 0.25f};
  static const char *const reasons[3] = {"", "tensor: ", "tensor: its data are in another file"};
  size_t i;
  for (i = 0; i < 3; i++) {
    message *m = tensor("t", 1, "3", numbers, i == 1 ? 8 : 12);
    webnn_onnx_tensor t;
    webnn_error error = WEBNN_ZERO;
    webnn_status status;
    if (i == 2) {
      put_integer(m, 14, 1);
    }
    status = webnn_onnx_read_tensor(m->bytes, m->length, &t, &error);
    if (i == 0) {
      CHECK("a tensor",
            status == WEBNN_OK && t.type == WEBNN_ONNX_FLOAT && t.shape.count == 1 &&
                t.count == 3 && strcmp(t.name, "t") == 0 && t.byte_length == sizeof numbers &&
                memcmp(t.data, numbers, sizeof numbers) == 0,
            "%s", error.message);
    } else {
      CHECK("a wrong tensor",
            status == WEBNN_TYPE_ERROR && t.memory == NULL && t.data == NULL &&
                strncmp(error.message, reasons[i], strlen(reasons[i])) == 0,
            "%s", error.message);
    }
    webnn_onnx_free_tensor(&t);
    CHECK("a freed tensor", t.memory == NULL && t.data == NULL, "it is still there");
    free(m);
  }
}

/* count + 1 and p - q, for rows p and q. */
static message *scan_body(void) {
  message *g = new_message();
  put_node(g, "Add", "", "count,one", "next");
  put_node(g, "Sub", "", "p,q", "r");
  put_input(g, "count", 1, "");
  put_input(g, "p", 1, "2");
  put_input(g, "q", 1, "2");
  put_output(g, "next", 1, "");
  put_output(g, "r", 1, "2");
  return g;
}

/* The rows of x [3,2] minus the columns of `other`, which has as many of them, or is refused. */
static message *scan_model(const char *other) {
  static const int64_t axes[2] = {0, 1};
  message *g = new_message(), *n = node_with("Scan", "one,x,other", "end,y", "num_scan_inputs", 2);
  constant(g, "one", 1);
  attribute_ints(n, "scan_input_axes", axes, 2);
  attribute_graph(n, "body", scan_body());
  put_and_free(g, 1, n);
  put_input(g, "x", 1, "3,2");
  put_input(g, "other", 1, other);
  put_output(g, "end", 1, "");
  put_output(g, "y", 1, "3,2");
  return model_of(g, 18);
}

static void test_scan(void) {
  message *m = scan_model("2,3");
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  float y[6];
  result r;
  size_t i;
  run(context, "scan", m, NULL, &r);
  for (i = 0; i < 6; i++) {
    y[i] = number_of(i) - number_of(1000 + i % 2 * 3 + i / 2);
  }
  if (r.good) {
    compare("the rows of a scan", r.outputs[1], y, 6, 0);
    CHECK("the state of a scan", *r.outputs[0] == 4, "%g", (double)*r.outputs[0]);
  }
  free_result(&r);
  free(m);
  m = scan_model("2,4");
  CHECK("a scan of two lengths",
        webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error) == WEBNN_OK &&
            webnn_onnx_build(model, context, &graph, &error) != WEBNN_OK &&
            strstr(error.message, "the length of input 2 (4) must be that of input 1 (3)") != NULL,
        "%s", error.message);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* Parts of a sequence have elements: sizes of 0 and below are refused. */
static void test_wrong_parts(void) {
  static const int64_t sizes[2] = {0, -1};
  static const char *const reasons[2] = {"the size of parts in input 1 (0) must be",
                                         "the size of parts in input 1 (-1) must be"};
  int i;
  for (i = 0; i < 2; i++) {
    webnn_onnx_model *model = NULL;
    webnn_graph *graph = NULL;
    webnn_error error = WEBNN_ZERO;
    message *g = new_message(), *m;
    put_tensor(g, "size", 7, "", &sizes[i], 8);
    put_node(g, "SplitToSequence", "parts", "x,size", "s");
    put_node(g, "SequenceLength", "", "s", "count");
    put_and_free(g, 1, node_with("Cast", "count", "y", "to", 1));
    put_input(g, "x", 1, "4");
    put_output(g, "y", 1, "");
    m = model_of(g, 18);
    CHECK("wrong parts",
          webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error) == WEBNN_OK &&
              webnn_onnx_build(model, context, &graph, &error) != WEBNN_OK &&
              strstr(error.message, "\"parts\"") != NULL &&
              strstr(error.message, reasons[i]) != NULL,
          "%s", error.message);
    webnn_free_graph(graph);
    webnn_onnx_free(model);
    free(m);
  }
}

/* Parts without elements between nodes: of the halves of x only one has any. */
static void test_empty(void) {
  static const int64_t sizes[2] = {0, 3}, begin[1] = {5}, end[1] = {9};
  message *g = new_message(), *n, *m;
  float y[3];
  result r;
  size_t i;
  put_tensor(g, "sizes", 7, "2", sizes, 16);
  put_tensor(g, "begin", 7, "1", begin, 8);
  put_tensor(g, "end", 7, "1", end, 8);
  put_node(g, "Split", "", "x,sizes", "a,b");
  put_node(g, "Neg", "", "a", "c");
  put_node(g, "Slice", "", "x,begin,end", "d");
  n = node_with("Concat", "c,b,d", "y", "axis", 0);
  put_and_free(g, 1, n);
  put_input(g, "x", 1, "3");
  put_output(g, "y", 1, "3");
  m = model_of(g, 13);
  run(context, "empty tensors", m, NULL, &r);
  for (i = 0; i < 3; i++) {
    y[i] = number_of(i);
  }
  if (r.good) {
    CHECK("empty tensors", r.counts[0] == 3, "%s", "not 3 elements");
    compare("empty tensors", r.outputs[0], y, 3, 0);
  }
  free_result(&r);
  free(m);
}

/* The graph lacks an output without elements, as a note and the model's port say; a model of such only needs
   no graph. */
static void test_empty_outputs(void) {
  static const int64_t sizes[2] = {0, 3};
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_graph_port ports[2];
  webnn_onnx_port of_model[2];
  webnn_error error = WEBNN_ZERO;
  const char *problems[2] = {"", ""};
  int only;
  for (only = 0; only < 2; only++) {
    message *g = new_message(), *m;
    put_tensor(g, "sizes", 7, "2", sizes, 16);
    put_node(g, "Split", "", "x,sizes", "a,b");
    put_input(g, "x", 1, "3");
    put_output(g, "a", 1, "0");
    if (only == 0) {
      put_output(g, "b", 1, "3");
    }
    m = model_of(g, 13);
    (void)webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error);
    (void)webnn_onnx_build(model, context, &graph, &error);
    CHECK("empty outputs", error.status == WEBNN_OK, "%s", error.message);
    CHECK("empty outputs", (graph != NULL) == (only == 0), "%s", error.message);
    CHECK("empty outputs", webnn_onnx_problems(model, problems, 2) == 1, "%s", problems[0]);
    CHECK("empty outputs", webnn_onnx_outputs(model, of_model, 2) == (only == 0 ? 2u : 1u), "%s",
          "another number of outputs");
    CHECK("empty outputs", of_model[0].is_empty && of_model[0].descriptor.shape.items[0] == 0, "%s",
          of_model[0].name);
    CHECK("empty outputs", only == 1 || !of_model[1].is_empty, "%s", of_model[1].name);
    CHECK("empty outputs", strncmp(problems[0], "note: output \"a\"", 16) == 0, "%s", problems[0]);
    if (only == 0 && graph != NULL) {
      CHECK("empty outputs", webnn_graph_outputs(graph, ports, 2) == 1, "%s", "not 1 output");
      CHECK("empty outputs", strcmp(ports[0].name, "b") == 0, "%s", ports[0].name);
    }
    webnn_free_graph(graph);
    webnn_onnx_free(model);
    free(m);
  }
}

/* ---- Single nodes whose results are known. */

static void attribute_texts(message *n, const char *name, const char *texts) {
  message *a = new_message();
  put_text(a, 1, name);
  put_names(a, 9, texts);
  put_integer(a, 20, 8);
  put_and_free(n, 5, a);
}

static void attribute_floats(message *n, const char *name, const float *values, size_t count) {
  message *a = new_message();
  size_t i;
  put_text(a, 1, name);
  for (i = 0; i < count; i++) {
    put_float(a, 7, values[i]);
  }
  put_integer(a, 20, 6);
  put_and_free(n, 5, a);
}

static void attribute_text(message *n, const char *name, const char *value) {
  message *a = new_message();
  put_text(a, 1, name);
  put_text(a, 4, value);
  put_integer(a, 20, 3);
  put_and_free(n, 5, a);
}

/* A graph of `n` to y, with x as its input. */
static message *node_model(message *g, message *n, int version, int type, const char *x) {
  put_and_free(g, 1, n);
  put_input(g, "x", type, x);
  put_output(g, "y", type, "");
  return model_of(g, version);
}

/* The node, whose result z are integers, and y, which is z as floats. */
static message *integer_model(message *n, int version, const char *x) {
  message *g = new_message(), *cast = node("Cast", "", "z", "y");
  put_and_free(g, 1, n);
  attribute_int(cast, "to", 1);
  return node_model(g, cast, version, 6, x);
}

/* The model of one input gives these floats. */
static void gives(const char *what, message *m, const void *x, const float *expected,
                  size_t count) {
  const void *given[1];
  result r;
  given[0] = x;
  run(context, what, m, given, &r);
  if (r.good) {
    CHECK(what, r.counts[0] == count, "%s", "another size");
    compare(what, r.outputs[0], expected, r.counts[0] < count ? r.counts[0] : count, 1e-6);
  }
  free_result(&r);
  free(m);
}

/* Crossed bounds give the upper one, a bound that is not given is the largest finite number. */
static void test_clip(void) {
  static const float x[4] = {-5, 0, 5, HUGE_VALF}, crossed[4] = {-1, -1, -1, -1};
  static const float finite[4] = {-1, 0, 5, 3.40282347e38f};
  static const float celu_x[2] = {-0.5f, 2}, celu[2] = {-0.859140914f, 2};
  static const int32_t whole[3] = {-6, 1, 6};
  static const float shrunk[3] = {-5, 0, 5}; /* -6 + 0.25, 6 - 0.25 */
  int i;
  message *g, *n;
  for (i = 0; i < 3; i++) { /* both known, the lower at run time, the upper not given */
    g = new_message();
    constant(g, "low", i == 2 ? -1.0f : 1.0f);
    constant(g, "high", -1);
    if (i == 1) {
      put_node(g, "ReduceMax", "", "x", "most");
      put_node(g, "Abs", "", "most", "bound");
    }
    n = node("Clip", "", i == 0 ? "x,low,high" : i == 1 ? "x,bound,high" : "x,low", "y");
    gives("Clip", node_model(g, n, 13, 1, "4"), x, i == 2 ? finite : crossed, 4);
  }
  n = node("Celu", "", "x", "y");
  attribute_float(n, "alpha", -0.5f);
  gives("Celu below 0", node_model(new_message(), n, 12, 1, "2"), celu_x, celu, 2);
  n = node("Shrink", "", "x", "z");
  attribute_float(n, "bias", 0.25f);
  attribute_float(n, "lambd", 1);
  gives("Shrink of integers", integer_model(n, 9, "3"), whole, shrunk, 3);
}

static void test_indices(void) {
  static const int64_t places[2] = {1, 0};
  static const float x[6] = {1, 2, 3, 4, 5, 6}, gathered[2] = {4, 2};
  static const int32_t a[4] = {1, 2, 3, 4};
  static const float product[4] = {7, 10, 15, 22};
  static const float y[3] = {1 + 4, 9 + 16, 25 + 36}, ones[2] = {1, 1};
  message *g = new_message(), *n;
  put_tensor(g, "places", 7, "1,2", places, sizeof places);
  gives("GatherElements of few indices",
        node_model(g, node("GatherElements", "", "x,places", "y"), 13, 1, "2,3"), x, gathered, 2);
  gives("MatMul of integers", integer_model(node("MatMul", "", "x,x", "z"), 13, "2,2"), a, product,
        4);
  g = new_message();
  put_tensor(g, "ones", 1, "1,2", ones, sizeof ones);
  put_node(g, "Mul", "", "x,x", "s");
  n = node("Einsum", "", "ones,s", "y");
  attribute_text(n, "equation", "...a,...a->...");
  gives("Einsum with an ellipsis that broadcasts", node_model(g, n, 12, 1, "3,2"), x, y, 3);
}

/* A product of what is not 8 bits, and one of a scalar, are refused in words. */
static void test_wrong_products(void) {
  static const char *const reasons[2] = {
      "input 0 must be of int8 or uint8; it is of float32",
      "the shapes of a product of integers ([] and []) must have 2 to 7 dimensions"};
  int i;
  for (i = 0; i < 2; i++) {
    webnn_onnx_model *model = NULL;
    webnn_graph *graph = NULL;
    webnn_error error = WEBNN_ZERO;
    message *n = node(i == 0 ? "MatMulInteger" : "MatMul", "product", "x,x", "y");
    message *m = node_model(new_message(), n, 13, i == 0 ? 1 : 6, i == 0 ? "2,2" : "");
    const webnn_status status = webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error);
    CHECK("a wrong product",
          status == WEBNN_OK && webnn_onnx_build(model, context, &graph, &error) != WEBNN_OK &&
              strstr(error.message, "\"product\"") != NULL &&
              strstr(error.message, reasons[i]) != NULL,
          "%s", error.message);
    webnn_free_graph(graph);
    webnn_onnx_free(model);
    free(m);
  }
}

/* An attribute of another type than the operator's is no 0, and floats are no indices. */
static void test_wrong_types(void) {
  static const char *const reasons[2] = {"attribute axis must be an integer",
                                         "input 1 must be of integers; it is of float32"};
  int i;
  for (i = 0; i < 2; i++) {
    webnn_onnx_model *model = NULL;
    webnn_graph *graph = NULL;
    webnn_error error = WEBNN_ZERO;
    message *n = node("Gather", "rows", "x,x", "y"), *m;
    if (i == 0) {
      attribute_float(n, "axis", 1);
    }
    m = node_model(new_message(), n, 13, 1, "2,2");
    CHECK("wrong types",
          webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error) == WEBNN_OK &&
              webnn_onnx_build(model, context, &graph, &error) != WEBNN_OK &&
              strstr(error.message, "\"rows\"") != NULL &&
              strstr(error.message, reasons[i]) != NULL,
          "%s", error.message);
    webnn_free_graph(graph);
    webnn_onnx_free(model);
    free(m);
  }
}

/* Padding with the largest element, which is known when the graph runs. */
static void test_pad(void) {
  static const int64_t pads[2] = {1, 2};
  static const float x[2] = {3, -1}, y[5] = {3, 3, -1, 3, 3};
  message *g = new_message();
  put_node_int(g, "ReduceMax", "", "x", "most", "keepdims", 0);
  put_tensor(g, "pads", 7, "2", pads, sizeof pads);
  gives("Pad with a computed value", node_model(g, node("Pad", "", "x,pads,most", "y"), 13, 1, "2"),
        x, y, 5);
}

/* A constant of a branch that a condition always chooses is the model's output. */
static void test_chosen_constant(void) {
  static const unsigned char yes[2] = {1, 1};
  static const float x[2] = {1, 2}, y[2] = {5, 6};
  message *g = new_message(), *branch = new_message(), *other = new_message();
  message *n = node("If", "", "condition", "y");
  put_tensor(branch, "all", 9, "2", yes, 2);
  put_tensor(branch, "five", 1, "2", y, sizeof y);
  put_node(branch, "Where", "", "all,five,x", "z");
  put_output(branch, "z", 1, "2");
  put_node(other, "Neg", "", "x", "z");
  put_output(other, "z", 1, "2");
  attribute_graph(n, "then_branch", branch);
  attribute_graph(n, "else_branch", other);
  put_tensor(g, "condition", 9, "", yes, 1);
  gives("a constant that is chosen", node_model(g, n, 13, 1, "2"), x, y, 2);
}

/* A Loop that doubles x until it is 20 or more, ten times at most. Without the input `yes` the
   condition that the body computes is ignored. */
static message *stopped_loop(const char *inputs, int64_t most) {
  static const float limit = 20;
  static const unsigned char yes = 1;
  message *g = new_message(), *body = new_message(), *n = node("Loop", "", inputs, "y");
  put_node(body, "Add", "", "v,v", "w");
  put_node(body, "Less", "", "w,limit", "again");
  put_input(body, "i", 7, "");
  put_input(body, "on", 9, "");
  put_input(body, "v", 1, "1");
  put_output(body, "again", 9, "1");
  put_output(body, "w", 1, "1");
  attribute_graph(n, "body", body);
  put_tensor(g, "most", 7, "", &most, 8);
  put_tensor(g, "yes", 9, "", &yes, 1);
  put_tensor(g, "limit", 1, "", &limit, 4);
  return node_model(g, n, 16, 1, "1");
}

static void test_stopped_loop(void) {
  static const float x[1] = {3}, stopped[1] = {24}, all[1] = {48};
  gives("a Loop that values stop", stopped_loop("most,yes,x", 10), x, stopped, 1);
  gives("a Loop without a condition", stopped_loop("most,,x", 4), x, all, 1);
}

/* w = one + the input named, where the initializer `one` is an input of the body, too: so it was up to
   format 3. */
static message *old_body(const char *summands) {
  static const float one = 1;
  message *body = new_message();
  put_node(body, "Add", "", summands, "w");
  put_tensor(body, "one", 1, "1", &one, 4);
  put_input(body, "one", 1, "1");
  return body;
}

static void gives_in_format_3(const char *what, message *g, message *n, const float *expected) {
  static const unsigned char yes = 1;
  static const float x[1] = {3};
  message *m;
  put_tensor(g, "yes", 9, "", &yes, 1);
  m = node_model(g, n, 8, 1, "1");
  put_integer(m, 1, 3); /* the last one counts */
  gives(what, m, x, expected, 1);
}

static void test_old_branch(void) {
  static const float chosen[1] = {4};
  message *yes = old_body("one,x"), *no = new_message(), *n = node("If", "", "yes", "y");
  put_output(yes, "w", 1, "1");
  put_node(no, "Neg", "", "x", "w");
  put_output(no, "w", 1, "1");
  attribute_graph(n, "then_branch", yes);
  attribute_graph(n, "else_branch", no);
  gives_in_format_3("an If of format 3", new_message(), n, chosen);
}

static void test_old_loop(void) {
  static const int64_t twice = 2;
  static const float looped[1] = {5};
  message *g = new_message(), *body = old_body("one,v"), *n = node("Loop", "", "twice,yes,x", "y");
  put_input(body, "i", 7, "");
  put_input(body, "on", 9, "");
  put_input(body, "v", 1, "1");
  put_output(body, "on", 9, "");
  put_output(body, "w", 1, "1");
  attribute_graph(n, "body", body);
  put_tensor(g, "twice", 7, "", &twice, 8);
  gives_in_format_3("a Loop of format 3", g, n, looped);
}

/* A function's constant, cast to a type of the same graph type, is the model's output. */
static void test_constant_of_function(void) {
  static const uint16_t data[2] = {0x3f80, 0}; /* bfloat16 */
  static const float x[2] = {3, 4}, y[2] = {1, 0};
  message *f = new_message(), *m, *call = node("F", "", "x", "y");
  message *n = node("Constant", "", "", "c");
  put_text(call, 7, "local");
  attribute_tensor(n, "value", tensor("", 16, "2", data, sizeof data));
  put_and_free(f, 7, n);
  put_and_free(f, 7, node("CastLike", "", "c,a", "d"));
  put_text(f, 10, "local");
  m = node_model(new_message(), call, 16, 1, "2");
  import_domain(m, "local", 1);
  put_function(m, f, "a", "d", 16);
  gives("a constant of a function", m, x, y, 2);
}

static void test_reductions(void) {
  static const float x[4] = {1, -2, 3, 4}, squares[4] = {1, 4, 9, 16}, root[1] = {4.64158883f};
  message *n = node("ReduceSumSquare", "", "x", "y");
  attribute_int(n, "noop_with_empty_axes", 1);
  gives("a reduction over no axes", node_model(new_message(), n, 18, 1, "4"), x, squares, 4);
  n = node("GlobalLpPool", "", "x", "y");
  attribute_int(n, "p", 3); /* 1 + 8 + 27 + 64 = 100 */
  gives("GlobalLpPool", node_model(new_message(), n, 13, 1, "1,1,4"), x, root, 1);
}

/* 6 times the float32 next to 7 / 6 is 7; version 10 takes the next element when it makes smaller. */
static void test_resize(void) {
  static const float x[6] = {1, 2, 3, 4, 5, 6}, wide[1] = {7.0f / 6}, narrow[1] = {0.6f};
  static const float seven[7] = {1, 2, 3, 3, 4, 5, 6}, three[3] = {1, 3, 5};
  message *g = new_message(), *n = node("Resize", "", "x,,wide", "y");
  put_tensor(g, "wide", 1, "1", wide, sizeof wide);
  gives("Resize by 7 / 6", node_model(g, n, 13, 1, "6"), x, seven, 7);
  g = new_message();
  put_tensor(g, "narrow", 1, "1", narrow, sizeof narrow);
  n = node("Resize", "", "x,narrow", "y");
  gives("Resize of version 10", node_model(g, n, 10, 1, "6"), x, three, 3);
}

/* The scale is the float32 next to 2 / 5, which 5 times is more than 2. */
static void test_resize_by_two_fifths(void) {
  static const float scales[4] = {1, 1, 0.4f, 0.4f};
  message *g = new_message(), *n = node("Resize", "", "x,,scales", "y"), *m;
  result r;
  put_tensor(g, "scales", 1, "4", scales, sizeof scales);
  attribute_text(n, "mode", "linear");
  m = node_model(g, n, 13, 1, "1,1,5,10");
  run(context, "Resize by 0.4", m, NULL, &r);
  CHECK("Resize by 0.4", strstr(r.graph.characters, "resample2d") != NULL, "%s",
        "it is no resample2d");
  free_result(&r);
  free(m);
}

/* Of 200 elements 399: those in between are means of two. An infinity reaches its neighbours alone. */
static void test_long_resize(void) {
  static const int64_t size = 399;
  float x[200], y[399];
  message *g = new_message(), *n = node("Resize", "", "x,,,size", "y");
  size_t i;
  for (i = 0; i < 200; i++) {
    x[i] = i == 100 ? HUGE_VALF : number_of(i);
  }
  for (i = 0; i < 399; i++) {
    y[i] = i % 2 == 0 ? x[i / 2] : x[i / 2] / 2 + x[i / 2 + 1] / 2;
  }
  put_tensor(g, "size", 7, "1", &size, sizeof size);
  attribute_text(n, "mode", "linear");
  attribute_text(n, "coordinate_transformation_mode", "align_corners");
  gives("Resize of a long axis", node_model(g, n, 13, 1, "200"), x, y, 399);
}

/* Blocks of 3 of 4 elements: the last block has one. */
static void test_blocks(void) {
  static const unsigned char quantized[4] = {1, 2, 3, 4};
  static const float scales[2] = {0.5f, 2}, y[4] = {0.5f, 1, 1.5f, 8};
  message *g = new_message(), *n = node("DequantizeLinear", "", "q,x", "y");
  put_tensor(g, "q", 2, "4", quantized, sizeof quantized);
  attribute_int(n, "axis", 0);
  attribute_int(n, "block_size", 3);
  gives("blocks of different sizes", node_model(g, n, 21, 1, "2"), scales, y, 4);
}

/* h = min(max(x + h / 2, -1.5), 1.5) alpha + beta, of two sequences, one of which ends after a step:
   0.5 h + 0.25 of 1, 2 (then 2 + 0.375) and of 4. */
static void test_recurrent(void) {
  static const float x[4] = {1, 4, 2, 8}, one = 1, half = 0.5f, quarter = 0.25f;
  static const float y[4] = {0.75f, 1, 1, 0};
  static const int32_t lengths[2] = {2, 1};
  message *g = new_message(), *n = node("RNN", "", "x,w,r,,lengths", "y");
  put_tensor(g, "w", 1, "1,1,1", &one, 4);
  put_tensor(g, "r", 1, "1,1,1", &half, 4);
  put_tensor(g, "lengths", 6, "2", lengths, sizeof lengths);
  attribute_int(n, "hidden_size", 1);
  attribute_float(n, "clip", 1.5f);
  attribute_texts(n, "activations", "Affine");
  attribute_floats(n, "activation_alpha", &half, 1);
  attribute_floats(n, "activation_beta", &quarter, 1);
  gives("sequences of different lengths", node_model(g, n, 14, 1, "2,2,1"), x, y, 4);
}

static message *sparse(const char *name, bool coordinates, int64_t last) {
  static const float values[2] = {2.5f, -1};
  const int64_t flat[2] = {1, last}, pairs[4] = {0, 1, 1, last - 3};
  message *s = new_message();
  put_and_free(s, 1, tensor(name, 1, "2", values, sizeof values));
  put_and_free(s, 2,
               coordinates ? tensor("", 7, "2,2", pairs, sizeof pairs)
                           : tensor("", 7, "2", flat, sizeof flat));
  put_integer(s, 3, 2);
  put_integer(s, 3, 3);
  return s;
}

/* x [2,3] plus a sparse initializer and a sparse constant; a place outside is refused. */
static void test_sparse(void) {
  static const float more[6] = {0, 5, 0, 0, 0, -2};
  message *g = new_message(), *n = node("Constant", "", "", "b"), *m;
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_operand *y[1];
  webnn_builder *builder = NULL;
  float expected[6];
  result r;
  size_t i;
  attribute_message(n, "sparse_value", 22, 11, sparse("", true, 5));
  put_and_free(g, 1, n);
  put_node(g, "Sum", "", "x,a,b", "y");
  put_and_free(g, 15, sparse("a", false, 5));
  put_input(g, "x", 1, "2,3");
  put_output(g, "y", 1, "2,3");
  m = model_of(g, 13);
  run(context, "sparse tensors", m, NULL, &r);
  for (i = 0; i < 6; i++) {
    expected[i] = number_of(i) + more[i];
  }
  if (r.good) {
    compare("sparse tensors", r.outputs[0], expected, 6, 1e-7);
  }
  free_result(&r);
  free(m);
  g = new_message();
  put_node(g, "Neg", "", "a", "y");
  put_and_free(g, 15, sparse("a", false, 6));
  put_output(g, "y", 1, "2,3");
  m = model_of(g, 13);
  (void)webnn_create_builder(context, &builder, NULL);
  (void)webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error);
  CHECK("sparse tensors",
        webnn_onnx_add(model, builder, NULL, 0, y, &error) == WEBNN_TYPE_ERROR &&
            strstr(error.message, "is outside its shape") != NULL,
        "%s", "a place outside is taken");
  webnn_free_builder(builder);
  webnn_onnx_free(model);
  free(m);
}

/* ---- The interface. */

/* y = relu(x w + x), where x is [batch, 2] and another dimension has no name. */
static message *small_model(void) {
  static const float w[4] = {1, 2, -3, 4};
  message *g = new_message();
  put_node(g, "MatMul", "product", "x,w", "a");
  put_node(g, "Add", "sum", "a,x", "b");
  put_node(g, "Relu", "relu", "b", "y");
  put_tensor(g, "w", 1, "2,2", w, sizeof w);
  put_input(g, "x", 1, "batch,2");
  put_input(g, "w", 1, "2,2"); /* a parameter that is an input, too */
  put_output(g, "y", 1, "batch,2");
  return model_of(g, 7);
}

static void test_ports(void) {
  webnn_onnx_dimension batch = {"batch", 3};
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_onnx_port port = WEBNN_ZERO;
  webnn_onnx_operator operators[8];
  webnn_onnx_tensor w = WEBNN_ZERO;
  webnn_onnx_facts facts;
  webnn_error error = WEBNN_ZERO;
  message *m = small_model();
  CHECK("ports", webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error) == WEBNN_OK, "%s",
        error.message);
  webnn_onnx_describe(model, &facts);
  CHECK("facts",
        facts.format == 8 && facts.opset_count == 1 && facts.opsets[0].version == 7 &&
            facts.opsets[0].domain[0] == '\0' && facts.producer[0] == '\0' &&
            facts.initializer_count == 1 && facts.initializer_bytes == 16,
        "%s", "not version 8 and 7, and one parameter of 16 bytes");
  CHECK("ports", webnn_onnx_inputs(model, &port, 1) == 1 && strcmp(port.name, "x") == 0, "%s",
        "the inputs are not x");
  CHECK("ports",
        port.descriptor.shape.items[0] == 0 && port.dimension_names[0] != NULL &&
            strcmp(port.dimension_names[0], "batch") == 0 && port.dimension_names[1] == NULL,
        "%s", "the first dimension is not called batch");
  webnn_onnx_free(model);
  options.dimensions = &batch;
  options.dimension_count = 1;
  CHECK("ports", webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &error) == WEBNN_OK,
        "%s", error.message);
  CHECK("ports",
        webnn_onnx_outputs(model, &port, 1) == 1 && port.descriptor.shape.items[0] == 3 &&
            port.descriptor.data_type == WEBNN_FLOAT32,
        "%s", "the output is not of 3 rows");
  CHECK("operators",
        webnn_onnx_operators(model, operators, 8) == 3 && operators[2].count == 1 &&
            strcmp(operators[2].name, "Relu") == 0 && operators[2].since == 1,
        "%s", "not MatMul, Add and Relu");
  CHECK("weight",
        webnn_onnx_weight(model, "w", &w, &error) == WEBNN_OK && w.byte_length == 16 &&
            ((const unsigned char *)w.data)[place_of_byte(3, 4)] == 0x3F,
        "%s", error.message);
  CHECK("weight",
        webnn_onnx_weight(model, "v", &w, &error) == WEBNN_TYPE_ERROR &&
            strstr(error.message, "\"v\"") != NULL,
        "%s", "one that is not there is found");
  webnn_onnx_free(model);
  free(m);
}

/* Dimensions whose names are arithmetic with others: a is 3, b is 7, and d-e is 11. */
static void test_dimension_names(void) {
  static const struct {
    const char *name;
    uint32_t size; /* 0: it has to be given */
  } cases[] = {{"a + b", 10},
               {"a+b", 10},
               {"a*2", 6},
               {"(a + b) * 2", 20},
               {"b//2", 3},
               {"b / 2", 3},
               {"b - a", 4},
               {"(10) - a * 2", 4},
               {"(((a)))", 3},
               {"d-e", 11},
               {"d-e + 1", 12},
               {"a - b", 0},
               {"b-a", 0},
               {"a + ", 0},
               {"a ** b", 0},
               {"a + c", 0},
               {"a b", 0},
               {"floor(b/2)", 0},
               {"(a + b", 0},
               {"a + b)", 0},
               {"a * 0", 0},
               {"b / 0", 0},
               {"a * 99999999999", 0},
               {"a * 2147483647", 0},
               {"((((((((((((((((((a))))))))))))))))))", 0},
               {" ", 0},
               {"+", 0},
               {"(", 0},
               {"a +- b", 0},
               {"nothing", 0},
               {"nothing + a", 3},
               {"a + nothing * b", 3}};
  char longest[300];
  const webnn_onnx_dimension given[] = {
      {"a", 3}, {"b", 7}, {"d-e", 11}, {longest, 5}, {"nothing", 0}};
  webnn_onnx_options options = WEBNN_ZERO;
  size_t i;
  memset(longest, 'n', sizeof longest);
  longest[299] = '\0';
  options.dimensions = given;
  options.dimension_count = 5;
  for (i = 0; i <= sizeof cases / sizeof *cases; i++) {
    const bool last = i == sizeof cases / sizeof *cases;
    const char *name = last ? longest : cases[i].name;
    const uint32_t size = last ? 5 : cases[i].size;
    message *g = new_message(), *m;
    webnn_onnx_model *model = NULL;
    webnn_onnx_port port = WEBNN_ZERO;
    webnn_error error = WEBNN_ZERO;
    put_node(g, "Relu", "relu", "x", "y");
    put_input(g, "x", 1, name);
    put_output(g, "y", 1, name);
    m = model_of(g, 7);
    (void)webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &error);
    CHECK("dimensions",
          webnn_onnx_inputs(model, &port, 1) == 1 && port.descriptor.shape.items[0] == size,
          "\"%s\" is %u", name, (unsigned)port.descriptor.shape.items[0]);
    webnn_onnx_free(model);
    free(m);
  }
}

/* The model twice, one after the other, in a graph of its user. */
static void test_parts(void) {
  webnn_onnx_model *model = NULL;
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_operand *y[1];
  webnn_named_operand x = {"x", NULL};
  const float in[2] = {1, -0.25f};
  float out[2] = {0, 0};
  message *m = small_model();
  (void)webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error);
  (void)webnn_create_builder(context, &builder, &error);
  x.operand = webnn_input(builder, "in", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2));
  (void)webnn_onnx_add(model, builder, &x, 1, y, &error);
  x.operand = y[0];
  (void)webnn_onnx_add(model, builder, &x, 1, y, &error);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"out", y[0]}), &graph, &error);
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"in", in, sizeof in}),
                      WEBNN_OUTPUTS({"out", out, sizeof out}), &error);
  /* 1 + 0.75 + 1 = 2.75, 2 - 1 - 0.25 = 0.75; then 2.75 - 2.25 + 2.75, 5.5 + 3 + 0.75 */
  CHECK("parts", error.status == WEBNN_OK && out[0] == 3.25f && out[1] == 9.25f, "%s",
        error.status == WEBNN_OK ? "other numbers" : error.message);
  x.name = "z";
  CHECK("parts",
        webnn_onnx_add(model, builder, &x, 1, y, &error) == WEBNN_TYPE_ERROR &&
            strstr(error.message, "no input \"z\"") != NULL,
        "%s", "an input that is not there is taken");
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_onnx_free(model);
  free(m);
}

/* y = x k, of which k is an input with an initializer; with `known` (or NULL), or as an operand with the given
   name. */
static float product_with(const char *what, const webnn_onnx_known *known, const char *given) {
  const float two = 2, seven = 7, three = 3;
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_operand *y[1] = {NULL};
  webnn_named_operand operand = {given, NULL};
  float out = 0;
  message *g = new_message(), *m;
  put_node(g, "Mul", "", "x,k", "y");
  put_tensor(g, "k", 1, "1", &two, 4);
  put_input(g, "x", 1, "1");
  put_input(g, "k", 1, "1");
  put_output(g, "y", 1, "1");
  m = model_of(g, 13);
  options.known = known, options.known_count = known != NULL;
  (void)webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &error);
  (void)webnn_create_builder(context, &builder, &error);
  if (given != NULL) {
    operand.operand =
        webnn_constant(builder, WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1), &seven, sizeof seven);
  }
  (void)webnn_onnx_add(model, builder, &operand, given != NULL, y, &error);
  (void)webnn_build(builder, WEBNN_NAMED_OPERANDS({"y", y[0]}), &graph, &error);
  (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", &three, sizeof three}),
                      WEBNN_OUTPUTS({"y", &out, sizeof out}), &error);
  CHECK(what, error.status == WEBNN_OK, "%s", error.message);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_onnx_free(model);
  free(m);
  return out;
}

/* An initializer of an input is its value only where no other is given; a known float64 that is no float32 is
   refused without leave. */
static void test_given(void) {
  const float five = 5;
  const double odd = 16777217;
  webnn_onnx_known known = WEBNN_ZERO;
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  message *g = new_message(), *n = node("Cast", "", "s", "i"), *m;
  known.name = "k", known.data = &five, known.byte_length = sizeof five;
  CHECK("the initializer of an input", product_with("none given", NULL, NULL) == 6, "%s",
        "is not 2");
  CHECK("the initializer of an input", product_with("known", &known, NULL) == 15, "%s",
        "a known value is not taken");
  CHECK("the initializer of an input", product_with("an operand", NULL, "k") == 21, "%s",
        "an operand is not taken");
  attribute_int(n, "to", 7);
  put_and_free(g, 1, n);
  put_node(g, "Add", "", "i,x", "y");
  put_input(g, "s", 11, "1");
  put_input(g, "x", 7, "1");
  put_output(g, "y", 7, "1");
  m = model_of(g, 13);
  known.name = "s", known.data = &odd, known.byte_length = sizeof odd;
  options.known = &known, options.known_count = 1;
  (void)webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &error);
  CHECK("a known float64",
        webnn_onnx_build(model, context, &graph, &error) == WEBNN_NOT_SUPPORTED_ERROR &&
            strstr(error.message, "\"s\" are not float32 values") != NULL,
        "%s", error.message);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* All problems at once; what depends on a problem is none of its own. */
static void test_problems(void) {
  const char *problems[8];
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  message *g = new_message(), *m;
  put_node(g, "NonMaxSuppression", "nms", "x", "a");
  put_node(g, "Abs", "abs", "a", "b");
  put_node(g, "Unknown", "other", "b", "c");
  put_node(g, "MatMul", "product", "x,x", "d");
  put_input(g, "x", 1, "2,3");
  put_output(g, "c", 1, "2,3");
  m = model_of(g, 13);
  (void)webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error);
  CHECK("problems", webnn_onnx_problems(model, problems, 8) == 3, "%s", "not 3");
  CHECK("problems",
        strstr(problems[0], "\"nms\" (NonMaxSuppression)") != NULL &&
            strstr(problems[1], "\"other\" (Unknown)") != NULL &&
            strstr(problems[2], "\"product\" (MatMul)") != NULL,
        "%s", problems[2]);
  webnn_onnx_free(model);
  free(m);
}

/* Constant weights stay dequantizeLinear's, which products of quantized numbers are made of. */
static void test_quantized_weights(void) {
  static const float scale = 0.5f;
  static const signed char w[4] = {1, -2, 3, 4};
  message *g = new_message(), *m;
  result r;
  put_node(g, "DequantizeLinear", "weights", "w,scale", "f");
  put_node(g, "MatMul", "product", "x,f", "y");
  put_tensor(g, "w", 3, "2,2", w, sizeof w);
  put_tensor(g, "scale", 1, "", &scale, 4);
  put_input(g, "x", 1, "1,2");
  put_output(g, "y", 1, "1,2");
  m = model_of(g, 13);
  run(context, "quantized weights", m, NULL, &r);
  CHECK("quantized weights", strstr(r.graph.characters, "dequantizeLinear") != NULL, "%s",
        "they were dequantized while building");
  free_result(&r);
  free(m);
}

/* A Loop whose iterations make a shape: 2 + 0, 2 + 1. */
static void test_stacked(void) {
  static const int64_t two = 2;
  static const unsigned char yes = 1;
  message *g = new_message(), *body = new_message(), *n, *m;
  result r;
  put_node(body, "Add", "", "i,two", "size");
  put_node(body, "Identity", "", "on", "again");
  put_input(body, "i", 7, "");
  put_input(body, "on", 9, "");
  put_output(body, "again", 9, "");
  put_output(body, "size", 7, "");
  n = node("Loop", "loop", "two,yes", "shape");
  attribute_graph(n, "body", body);
  put_and_free(g, 1, n);
  put_node(g, "Reshape", "", "x,shape", "b");
  put_node(g, "Relu", "", "b", "y");
  put_tensor(g, "two", 7, "", &two, 8);
  put_tensor(g, "yes", 9, "", &yes, 1);
  put_input(g, "x", 1, "6");
  put_output(g, "y", 1, "2,3");
  m = model_of(g, 16);
  run(context, "a shape from a loop", m, NULL, &r);
  CHECK("a shape from a loop",
        r.good && r.counts[0] == 6 && strstr(r.graph.characters, "[2, 3]") != NULL, "%s",
        r.graph.characters);
  free_result(&r);
  free(m);
}

/* Labels that are strings stay out of a graph that uses the scores only: x [2,3], of them [-s, s], and s is the
   sum of a row. */
static void test_string_labels(void) {
  static const float ones[3] = {1, 1, 1};
  message *g = new_message(), *n = node("LinearClassifier", "", "x", "label,z"), *m;
  float y[4];
  result r;
  attribute_floats(n, "coefficients", ones, 3);
  attribute_texts(n, "classlabels_strings", "no,yes");
  put_text(n, 7, "ai.onnx.ml");
  put_and_free(g, 1, n);
  put_node(g, "Identity", "", "z", "y");
  put_input(g, "x", 1, "2,3");
  put_output(g, "y", 1, "2,2");
  m = model_of(g, 17);
  import_domain(m, "ai.onnx.ml", 3);
  run(context, "labels that nothing uses", m, NULL, &r);
  y[1] = number_of(0) + number_of(1) + number_of(2);
  y[3] = number_of(3) + number_of(4) + number_of(5);
  y[0] = -y[1], y[2] = -y[3];
  if (r.good) {
    CHECK("labels that nothing uses", r.counts[0] == 4, "%s", "not 4 elements");
    compare("labels that nothing uses", r.outputs[0], y, 4, 1e-6);
  }
  free_result(&r);
  free(m);
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  (void)webnn_create_context(&options, &context, &error);
  options.numerics = WEBNN_NUMERICS_FAST;
  (void)webnn_create_context(&options, &fast, &error);
  if (error.status != WEBNN_OK) {
    puts(error.message);
    return 1;
  }
  test_gelu();
  test_where();
  test_layer_normalization();
  test_ranks_of_numbers();
  test_others();
  test_attention();
  test_flex_attention();
  test_group_query_attention();
  test_matmul_nbits(false);
  test_matmul_nbits(true);
  test_einsum();
  test_sequences();
  test_wrong_parts();
  test_scan();
  test_tensor();
  test_empty();
  test_empty_outputs();
  test_sparse();
  test_ports();
  test_dimension_names();
  test_parts();
  test_given();
  test_problems();
  test_quantized_weights();
  test_stacked();
  test_clip();
  test_indices();
  test_wrong_products();
  test_wrong_types();
  test_pad();
  test_chosen_constant();
  test_stopped_loop();
  test_old_branch();
  test_old_loop();
  test_constant_of_function();
  test_reductions();
  test_resize();
  test_resize_by_two_fifths();
  test_long_resize();
  test_blocks();
  test_recurrent();
  test_string_labels();
  webnn_free_context(fast);
  webnn_free_context(context);
  return test_end();
}
