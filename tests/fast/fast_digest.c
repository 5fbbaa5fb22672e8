/* One digest for each instruction set of this machine of what its fast kernels compute, to see
   whether compilers, standards and flags give the same bits: configurations.sh compares them. There
   are two corpora: that of digest.c, every operator with every data type; and the graphs here,
   whose operators are merged and cut into tiles and segments when they are built.

     fast_digest              a line for each instruction set: operators, graphs
     fast_digest lines SET    the digest of each line of instruction set number SET, to find a
                              difference */
#define DIGEST_CORPUS_ONLY
#include "digest.c"

/* ---- Graphs ------------------------------------------------------------------------------------
 */

static webnn_operand *input_of(run *r, webnn_data_type type, shape s) {
  return styled_operand(r, type, s, ORDINARY);
}

static webnn_operand *constant_of(run *r, webnn_data_type type, shape s) {
  const webnn_operand_descriptor descriptor = descriptor_of(type, &s);
  size_t byte_length;
  void *data = filled(r, type, &s, ORDINARY, &byte_length);
  webnn_operand *constant = webnn_constant(r->builder, descriptor, data, byte_length);
  free(data);
  return constant;
}

/* One element that all of a tensor is combined with. */
static webnn_operand *number_of(run *r, webnn_data_type type, uint32_t rank, double value) {
  shape s = no_dimensions();
  webnn_operand_descriptor descriptor;
  float data[2] = {0, 0};
  while (s.rank < rank) {
    append(&s, 1);
  }
  test_set(type, data, 0, value);
  descriptor = descriptor_of(type, &s);
  return webnn_constant(r->builder, descriptor, data, webnn_data_type_bits(type) / 8);
}

static void graph_products(run *r) {
  const uint32_t m = pick_between(r, 1, 40), n = pick_between(r, 1, 90),
                 k = pick_between(r, 1, pick_bool(r) ? 600 : 40);
  webnn_operand *x = input_of(r, r->type, shape_3(2, m, k));
  webnn_operand *y = webnn_matmul(r->builder, x, constant_of(r, r->type, shape_2(k, n)), NULL);
  y = webnn_add(r->builder, y, constant_of(r, r->type, shape_1(n)), NULL);
  output(r, webnn_gelu(r->builder, webnn_mul(r->builder, y, number_of(r, r->type, 1, 0.01), NULL),
                       NULL));
  output(r, webnn_add(r->builder, y, input_of(r, r->type, shape_3(2, m, n)), NULL));
}

static void graph_gemm(run *r) {
  const uint32_t m = pick_between(r, 1, 40), n = pick_between(r, 1, 90), k = pick_between(r, 1, 60);
  webnn_gemm_options options = WEBNN_ZERO;
  webnn_operand *a, *b;
  options.a_transpose = pick_bool(r);
  options.b_transpose = pick_bool(r);
  options.alpha = webnn_f64(0.3);
  options.beta = webnn_f64(1.7);
  options.c = input_of(r, r->type, shape_2(m, n));
  a = input_of(r, r->type, options.a_transpose ? shape_2(k, m) : shape_2(m, k));
  b = input_of(r, r->type, options.b_transpose ? shape_2(n, k) : shape_2(k, n));
  output(r, webnn_relu(r->builder, webnn_gemm(r->builder, a, b, &options), NULL));
}

/* A convolution with what follows it: bias, bounds, a second one added; depthwise if `channels` is
   one. Of floats or, by quantizations before and behind, of bytes. */
static void make_convolutions(run *r, bool depthwise, bool quantized) {
  const uint32_t taps = pick_bool(r) ? 3
                        : pick(r, 2) ? 1
                                     : 5,
                 size = pick_between(r, 7, 20), c = pick_between(r, 1, 70),
                 o = depthwise ? c : pick_between(r, 1, 50);
  const bool nhwc = pick_bool(r);
  const webnn_data_type type = quantized ? WEBNN_FLOAT32 : r->type;
  webnn_conv2d_options options = WEBNN_ZERO;
  webnn_clamp_options clamp = WEBNN_ZERO;
  webnn_operand *x, *w, *y;
  const shape filter = depthwise ? shape_4(c, 1, taps, taps) : shape_4(o, c, taps, taps);
  x = input_of(r, type, nhwc ? shape_4(1, size, size, c) : shape_4(1, c, size, size));
  options.bias = constant_of(r, type, shape_1(o));
  options.groups = depthwise ? c : 1;
  options.input_layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  if (taps > 1) {
    options.padding = WEBNN_LIST(1, 1, 1, 1);
  }
  if (pick_bool(r)) {
    options.strides = WEBNN_LIST(2, 2);
  }
  if (quantized) {
    webnn_operand *scale = number_of(r, WEBNN_FLOAT32, 4, 0.07),
                  *zero = number_of(r, WEBNN_UINT8, 4, 120);
    webnn_operand *w_scale = number_of(r, WEBNN_FLOAT32, 4, 0.013),
                  *w_zero = number_of(r, WEBNN_INT8, 4, 0);
    x = webnn_quantize_linear(r->builder, x, scale, zero, NULL);
    x = webnn_dequantize_linear(r->builder, x, scale, zero, NULL);
    w = webnn_dequantize_linear(r->builder, constant_of(r, WEBNN_INT8, filter), w_scale, w_zero,
                                NULL);
    options.bias = NULL;
    y = webnn_conv2d(r->builder, x, w, &options);
    y = webnn_quantize_linear(r->builder, y, number_of(r, WEBNN_FLOAT32, 4, 0.11), zero, NULL);
    output(r, y);
    return;
  }
  w = constant_of(r, type, filter);
  y = webnn_conv2d(r->builder, x, w, &options);
  clamp.min_value = webnn_f64(-1);
  clamp.max_value = webnn_f64(6);
  output(r, webnn_clamp(r->builder, y, &clamp));
  output(r, webnn_relu(r->builder,
                       webnn_add(r->builder, webnn_conv2d(r->builder, x, w, &options),
                                 webnn_hard_swish(r->builder, y, NULL), NULL),
                       NULL));
}

static void graph_convolution(run *r) {
  make_convolutions(r, false, false);
}

static void graph_depthwise(run *r) {
  make_convolutions(r, true, false);
}

static void graph_quantized(run *r) {
  make_convolutions(r, false, true);
}

static void graph_quantized_depthwise(run *r) {
  make_convolutions(r, true, true);
}

/* Every function of one argument in turn, with sums and products between them. */
static void graph_chain(run *r) {
  static const unary_method methods[] = {
      webnn_exp,      webnn_erf,        webnn_tanh,       webnn_sigmoid,  webnn_sin,
      webnn_softplus, webnn_gelu,       webnn_cos,        webnn_softsign, webnn_log,
      webnn_sqrt,     webnn_reciprocal, webnn_hard_swish, webnn_tan,      webnn_floor};
  const uint32_t rows = pick_between(r, 1, 9), columns = pick_between(r, 1, 700);
  const shape s = shape_2(rows, columns);
  webnn_operand *x = input_of(r, r->type, s), *y = x;
  uint32_t i;
  for (i = 0; i < 5; i++) {
    y = methods[pick(r, sizeof methods / sizeof *methods)](r->builder, y, NULL);
    y = webnn_mul(r->builder, y, input_of(r, r->type, i % 2 ? s : shape_1(s.items[1])), NULL);
    y = webnn_add(r->builder, y, x, NULL);
  }
  output(r, y);
  output(r, webnn_pow(r->builder, webnn_abs(r->builder, x, NULL),
                      webnn_elu(r->builder, webnn_div(r->builder, x, y, NULL), NULL), NULL));
}

static void graph_rows(run *r) {
  const uint32_t rows = pick_between(r, 1, 40), columns = pick_between(r, 1, 400);
  const shape s = shape_3(2, rows, columns);
  webnn_operand *x = input_of(r, r->type, s);
  webnn_layer_normalization_options normalization = WEBNN_ZERO;
  webnn_reduce_options reduction = WEBNN_ZERO;
  normalization.axes = reduction.axes = WEBNN_LIST(2);
  normalization.scale = constant_of(r, r->type, shape_1(s.items[2]));
  output(r, webnn_softmax(r->builder, x, pick(r, 3), NULL));
  output(r, webnn_layer_normalization(r->builder, x, &normalization));
  output(r, webnn_reduce_log_sum_exp(r->builder, x, &reduction));
  output(r, webnn_reduce_l2(r->builder, x, &reduction));
}

static void graph_pools(run *r) {
  const bool nhwc = pick_bool(r);
  const uint32_t c = pick_between(r, 1, 40), size = pick_between(r, 3, 30);
  webnn_operand *x =
      input_of(r, r->type, nhwc ? shape_4(1, size, size, c) : shape_4(1, c, size, size));
  webnn_pool2d_options options = WEBNN_ZERO;
  webnn_resample2d_options resample = WEBNN_ZERO;
  webnn_instance_normalization_options normalization = WEBNN_ZERO;
  options.window_dimensions = WEBNN_LIST(3, 3);
  options.layout = normalization.layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  resample.mode = WEBNN_INTERPOLATION_LINEAR;
  resample.scales = WEBNN_FLOAT_LIST(1.7f, 2);
  resample.axes = nhwc ? WEBNN_LIST(1, 2) : WEBNN_LIST(2, 3);
  output(r, webnn_average_pool2d(r->builder, x, &options));
  output(r, webnn_l2_pool2d(r->builder, x, &options));
  output(r, webnn_resample2d(r->builder, x, &resample));
  output(r, webnn_instance_normalization(r->builder, x, &normalization));
}

/* Heads of queries, keys and values as networks write them. */
static webnn_operand *heads_of(run *r, uint32_t rows, uint32_t heads, uint32_t depth, bool turned) {
  const shape split = shape_4(1, rows, heads, depth);
  webnn_transpose_options options = WEBNN_ZERO;
  webnn_operand *x = webnn_reshape(
      r->builder, input_of(r, r->type, shape_3(1, rows, heads * depth)), list_of(&split), NULL);
  options.permutation = turned ? WEBNN_LIST(0, 2, 3, 1) : WEBNN_LIST(0, 2, 1, 3);
  return webnn_transpose(r->builder, x, &options);
}

static void graph_attention(run *r) {
  const uint32_t m = pick_between(r, 1, 60), n = pick_between(r, 1, 150),
                 heads = pick_between(r, 1, 3), depth = 8 * pick_between(r, 1, 5);
  webnn_operand *q = heads_of(r, m, heads, depth, false), *k = heads_of(r, n, heads, depth, true),
                *v = heads_of(r, n, heads, depth, false), *s;
  s = webnn_matmul(r->builder, q, k, NULL);
  s = webnn_mul(r->builder, s, number_of(r, r->type, 0, 0.125), NULL);
  if (pick_bool(r)) {
    s = webnn_add(r->builder, s, input_of(r, r->type, shape_4(1, 1, m, n)), NULL);
  }
  output(r, webnn_matmul(r->builder, webnn_softmax(r->builder, s, 3, NULL), v, NULL));
}

static void graph_recurrent(run *r) {
  const uint32_t steps = 3, batch = pick_between(r, 1, 3), in = pick_between(r, 1, 40),
                 hidden = pick_between(r, 1, 50);
  webnn_lstm_options options = WEBNN_ZERO;
  webnn_gru_options gru = WEBNN_ZERO;
  webnn_operand *x = input_of(r, r->type, shape_3(steps, batch, in)), *states[3];
  webnn_operand *w = constant_of(r, r->type, shape_3(1, 4 * hidden, in)),
                *u = constant_of(r, r->type, shape_3(1, 4 * hidden, hidden));
  options.bias = constant_of(r, r->type, shape_2(1, 4 * hidden));
  webnn_lstm(r->builder, x, w, u, steps, hidden, &options, states);
  output(r, states[0]);
  output(r, states[1]);
  gru.reset_before = !pick_bool(r);
  w = constant_of(r, r->type, shape_3(1, 3 * hidden, in));
  u = constant_of(r, r->type, shape_3(1, 3 * hidden, hidden));
  webnn_gru(r->builder, x, w, u, steps, hidden, &gru, states);
  output(r, states[0]);
}

static const struct {
  const char *name;
  maker make;
} graphs[] = {
    {"products", graph_products},
    {"gemm", graph_gemm},
    {"convolution", graph_convolution},
    {"depthwise", graph_depthwise},
    {"quantized", graph_quantized},
    {"quantized depthwise", graph_quantized_depthwise},
    {"chain", graph_chain},
    {"rows", graph_rows},
    {"pools", graph_pools},
    {"attention", graph_attention},
    {"recurrent", graph_recurrent},
};
enum { GRAPHS = (int)(sizeof graphs / sizeof *graphs), TIMES = 12 };

/* ---- Their digests -----------------------------------------------------------------------------
 */

static void run_graphs(digester *d, const webnn_context_options *options, const taker *t) {
  int g, half;
  unsigned number;
  d->context = test_context(options);
  for (g = 0; g < GRAPHS; g++) {
    for (half = 0; half < 2; half++) {
      char text[80];
      d->digest = DIGEST_OF_NOTHING;
      for (number = 1; number <= TIMES; number++) {
        const uint64_t seed =
            digest_bytes(digest_text(DIGEST_OF_NOTHING, graphs[g].name), number, 4);
        run_made(d, graphs[g].make, graphs[g].name, half ? WEBNN_FLOAT16 : WEBNN_FLOAT32, number,
                 seed + (uint64_t)half);
        CHECK(graphs[g].name, d->problem[0] == 0, "%s", d->problem);
        d->problem[0] = 0;
      }
      snprintf(text, sizeof text, "%s %s %08lx%08lx", graphs[g].name, half ? "float16" : "float32",
               (unsigned long)(d->digest >> 32), (unsigned long)(d->digest & 0xFFFFFFFF));
      t->take(t, graphs[g].name, text);
    }
  }
  webnn_free_context(d->context);
}

#ifndef FAST_DIGEST_CORPUS_ONLY /* another program uses the graphs */

static uint64_t all_lines;

static void take_all(const taker *t, const char *name, const char *text) {
  (void)name;
  if (t->file != NULL) {
    fprintf(t->file, "%s\n", text);
  }
  all_lines = digest_text(all_lines, text);
}

int main(int argc, char **argv) {
  static const char *const names[] = {"", "scalar", "SSE2", "AVX2", "AVX-512", "NEON", "WASM SIMD"};
  const int only = argc == 3 && strcmp(argv[1], "lines") == 0 ? atoi(argv[2]) : 0;
  int set;
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    webnn_context_options options = WEBNN_ZERO;
    webnn_context *context;
    digester d;
    taker t;
    options.threads = 2;
    options.instruction_set = (webnn_instruction_set)set;
    if ((only != 0 && only != set) || webnn_create_context(&options, &context, NULL) != WEBNN_OK) {
      continue;
    }
    webnn_free_context(context);
    memset(&d, 0, sizeof d);
    memset(&t, 0, sizeof t);
    t.take = take_all;
    t.file = only ? stdout : NULL;
    all_lines = DIGEST_OF_NOTHING;
    run_corpus(&d, &options, &t);
    printf("%s: operators %08lx%08lx", names[set], (unsigned long)(all_lines >> 32),
           (unsigned long)(all_lines & 0xFFFFFFFF));
    all_lines = DIGEST_OF_NOTHING;
    run_graphs(&d, &options, &t);
    printf(", graphs %08lx%08lx\n", (unsigned long)(all_lines >> 32),
           (unsigned long)(all_lines & 0xFFFFFFFF));
  }
  if (test_failed != 0) {
    printf("%d failed\n", test_failed);
  }
  return test_failed != 0;
}
#endif
