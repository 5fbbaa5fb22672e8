/* The fast matmul, gemm, conv2d and convTranspose2d against the reference, for every instruction
   set that the machine has: random shapes, layouts, strides, dilations, paddings, groups,
   transposes and batches, float32 and float16, weights constant or not. Allowed is

       |difference| <= (terms < 256 ? terms : 256 + terms / 128 + 3) eps sum |a b|

   with eps = 2^-24 (twice that without fused multiply-adds), and half a unit of the result's type;
   the sum of magnitudes is the reference's result for the magnitudes of all operands. Where the
   bias is 2^30 times as large as the rest it is not in that sum: it comes after the last term, and
   the result is rounded to it no more than a few times. The bits must
   be the same for 1, 2 and 40 threads. Constant weights are the graph's own or borrowed, which products
   of few rows read where they are. Convolutions are also given infinite and NaN inputs and
   weights, which padding must not meet: a result is finite exactly where the reference's is. Their
   windows have up to 1,025 elements, more than the kernels work on at once, and none may be left to
   the reference kernel.

   In relaxed contexts, where the processor multiplies bfloat16, 2^-7 sum |a b| is allowed beside, and the
   rest holds as it is.

   Then the same operators as the compile passes make them, with bias, residual and bounds merged
   into them and matmul's operands transposed. No graph of the interface names these, so the kernels
   are called directly; the reference is the graph of separate operators in float32. */
#include "machines.h"
#include "planned.h"
#include "random.h"

#include <math.h>

#define HEAVY 0x1p30

typedef struct problem {
  webnn_op op;
  webnn_data_type type;
  uint32_t rank[3], shape[3][WEBNN_MAX_RANK], y_rank, y_shape[WEBNN_MAX_RANK];
  bool has_third, has_residual, constant, borrowed;
  bool special[2];                       /* has this operand infinities and NaN? */
  bool merged, a_transpose, b_transpose; /* a node as the passes make them */
  float low, high;
  webnn_conv2d_options conv;
  webnn_conv_transpose2d_options transpose;
  uint32_t padding[4], strides[2], dilations[2], output_padding[2];
  webnn_gemm_options gemm;
  double terms;
  bool heavy;     /* is the third operand so large that it must come after the last term? */
  uint32_t steep; /* if not 0, so many terms of which the first is 2^24 and the others 1 */
} problem;

static webnn_list shape_of(const problem *p, int k) {
  return k < 3 ? webnn_list_of(p->shape[k], p->rank[k]) : webnn_list_of(p->y_shape, p->y_rank);
}

static bool is_present(const problem *p, int k) {
  return k < 2 || (k == 2 && p->has_third) || (k == 3 && p->has_residual);
}

/* Borrowed matrices are large, so that some are not packed if rows are few, and some have several pieces. */
static void pick_sizes(const problem *p, uint32_t *m, uint32_t *n, uint32_t *k) {
  *m = !p->borrowed && below(3) ? pick(1, 40) : pick(1, 5);
  *n = !p->borrowed ? pick(1, 80) : below(20) == 0 ? pick(600, 1200) : pick(50, 260);
  *k = p->borrowed ? pick(50, 600) : below(8) == 0 ? pick(500, 1100) : pick(1, 70);
}

static void make_matmul(problem *p) {
  const uint32_t outer = below(3);
  uint32_t i, m, n, k;
  pick_sizes(p, &m, &n, &k);
  p->op = WEBNN_OP_MATMUL;
  p->rank[0] = 2 + outer;
  p->rank[1] = 2 + (below(2) ? outer : 0);
  p->y_rank = 2 + outer;
  for (i = 0; i < outer; i++) {
    p->y_shape[i] = pick(1, 3);
    p->shape[0][i] = below(4) == 0 ? 1 : p->y_shape[i];
    p->shape[1][i] = p->shape[0][i] == 1 || below(2) ? p->y_shape[i] : 1;
    if (p->rank[1] == 2 || (p->shape[0][i] == 1 && p->shape[1][i] == 1)) {
      p->shape[0][i] = p->y_shape[i];
    }
  }
  p->shape[0][outer] = p->y_shape[outer] = m;
  p->shape[0][outer + 1] = k;
  p->shape[1][p->rank[1] - 2] = k;
  p->shape[1][p->rank[1] - 1] = p->y_shape[outer + 1] = n;
  p->terms = k;
}

/* Few terms and long rows, where writing is the limit. */
static void make_long_rows(problem *p) {
  p->op = WEBNN_OP_MATMUL;
  p->rank[0] = p->rank[1] = p->y_rank = 2;
  p->shape[0][0] = p->y_shape[0] = pick(1, 40);
  p->shape[0][1] = p->shape[1][0] = pick(1, 64);
  p->shape[1][1] = p->y_shape[1] = pick(1020, 1100);
  p->terms = p->shape[0][1];
}

/* Few rows and several blocks of terms, which weights that stay float16 have, too. */
static void make_many_terms(problem *p) {
  p->op = WEBNN_OP_MATMUL;
  p->rank[0] = p->rank[1] = p->y_rank = 2;
  p->shape[0][0] = p->y_shape[0] = pick(1, 5);
  p->shape[0][1] = p->shape[1][0] = pick(257, 1100);
  p->shape[1][1] = p->y_shape[1] = pick(100, 200);
  p->terms = p->shape[0][1];
}

static void make_gemm(problem *p) {
  uint32_t m, n, k;
  pick_sizes(p, &m, &n, &k);
  p->op = WEBNN_OP_GEMM;
  p->gemm.a_transpose = below(2) != 0;
  p->gemm.b_transpose = below(2) != 0;
  p->rank[0] = p->rank[1] = p->rank[2] = p->y_rank = 2;
  p->shape[0][0] = p->gemm.a_transpose ? k : m;
  p->shape[0][1] = p->gemm.a_transpose ? m : k;
  p->shape[1][0] = p->gemm.b_transpose ? n : k;
  p->shape[1][1] = p->gemm.b_transpose ? k : n;
  p->y_shape[0] = m;
  p->y_shape[1] = n;
  p->has_third = below(3) != 0;
  p->shape[2][0] = below(2) ? 1 : m;
  p->shape[2][1] = below(4) == 0 ? 1 : n;
  if (below(2)) {
    p->gemm.alpha = webnn_f64(0.75);
    p->gemm.beta = webnn_f64(1.5);
  }
  p->terms = k + 3;
}

/* Sizes are in the order of n, c, height, width (of the filter o, i, height, width); y follows from
   them, and all go to where the layouts have them. */
static void place_conv2d(problem *p, const uint32_t *x, const uint32_t *w) {
  static const uint8_t image[2][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}};
  static const uint8_t filter[4][4] = {{0, 1, 2, 3}, {2, 3, 1, 0}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  const uint32_t which = below(4);
  uint32_t y[4], i;
  p->op = WEBNN_OP_CONV2D;
  p->conv.input_layout = below(2) ? WEBNN_LAYOUT_NCHW : WEBNN_LAYOUT_NHWC;
  p->conv.filter_layout = (webnn_conv2d_filter_operand_layout)which;
  p->conv.groups = x[1] / w[1];
  y[0] = x[0];
  y[1] = w[0];
  for (i = 0; i < 2; i++) {
    y[2 + i] =
        (x[2 + i] + p->padding[2 * i] + p->padding[2 * i + 1] - span(w[2 + i], p->dilations[i])) /
            p->strides[i] +
        1;
  }
  p->rank[0] = p->rank[1] = p->y_rank = 4;
  p->rank[2] = 1;
  for (i = 0; i < 4; i++) {
    const uint8_t axis = image[p->conv.input_layout == WEBNN_LAYOUT_NHWC][i];
    p->shape[0][i] = x[axis];
    p->y_shape[i] = y[axis];
    p->shape[1][i] = w[filter[which][i]];
  }
  p->shape[2][0] = w[0];
  p->has_third = below(2) != 0;
  p->terms = (double)w[1] * w[2] * w[3] + 1;
  p->special[0] = below(3) == 0;
  p->special[1] = below(3) == 0;
}

static void make_conv2d(problem *p) {
  const uint32_t kind = below(4);
  const uint32_t groups = kind == 0 ? pick(2, 70) : kind == 1 ? pick(1, 4) : 1;
  uint32_t x[4], w[4], i;
  w[1] = kind == 0 ? 1 : below(6) == 0 ? pick(20, 300) : pick(1, 20);
  if (kind > 1 && below(10) == 0) {
    w[1] = 512u << below(2); /* pixels that would meet in a few places of the cache */
  }
  w[0] = groups * (kind == 0 && below(3) ? 1 : pick(1, kind == 0 ? 2 : w[1] < 512 ? 40 : 8));
  x[0] = pick(1, 2);
  x[1] = w[1] * groups;
  for (i = 0; i < 2; i++) {
    w[2 + i] = kind == 3 ? 1 : pick(1, 4);
    p->strides[i] = below(3) ? 1 : pick(1, 3);
    p->dilations[i] = below(3) ? 1 : pick(1, 2);
    p->padding[2 * i] = below(2) && (kind != 3 || below(3) == 0) ? below(3) : 0;
    p->padding[2 * i + 1] = below(2) && (kind != 3 || below(3) == 0) ? below(3) : 0;
    x[2 + i] = span(w[2 + i], p->dilations[i]) + below(w[1] < 512 ? 20 : 6);
  }
  place_conv2d(p, x, w);
}

/* What relaxed contexts compute in bfloat16, and its neighbours: nhwc images of float32, constant
   weights, even and odd numbers of channels in a group. */
static void make_paired_conv2d(problem *p) {
  const uint32_t groups = below(3) ? 1 : pick(2, 3), odd = below(8) == 0;
  uint32_t x[4], w[4], i;
  w[1] = below(6) == 0 ? 2048 + 32 * below(3) : 2 * pick(1, below(3) ? 16 : 150) + odd;
  w[0] = groups * pick(w[1] > 500 ? 15 : 14, w[1] > 500 ? 20 : 70);
  x[0] = pick(1, 2);
  x[1] = w[1] * groups;
  for (i = 0; i < 2; i++) {
    w[2 + i] = w[1] > 500 ? pick(1, 2) : pick(1, 4);
    p->strides[i] = below(3) ? 1 : pick(1, 3);
    p->dilations[i] = below(3) ? 1 : pick(1, 2);
    p->padding[2 * i] = below(2) ? below(3) : 0;
    p->padding[2 * i + 1] = below(2) ? below(3) : 0;
    x[2 + i] = span(w[2 + i], p->dilations[i]) + below(w[1] > 500 ? 3 : 12);
  }
  p->type = WEBNN_FLOAT32;
  p->constant = true;
  do {
    place_conv2d(p, x, w);
  } while (p->conv.input_layout != WEBNN_LAYOUT_NHWC);
}

/* Groups of 4 or 8 channels that fill vectors, and their neighbours: other sizes, other numbers of
   outputs, vectors that are not filled; sums of more than one block. */
static void make_small_groups(problem *p) {
  const uint32_t size = below(5) ? 4u << below(2) : pick(2, 9), longer = below(8) == 0 ? 6 : 0;
  const uint32_t groups = below(4) ? 4 * pick(1, 3) : pick(2, 7);
  uint32_t x[4], w[4], i;
  w[1] = size;
  w[0] = groups * (below(8) ? size : pick(1, 9));
  x[0] = pick(1, 2);
  x[1] = groups * size;
  for (i = 0; i < 2; i++) {
    w[2 + i] = pick(1, 4) + longer;
    p->strides[i] = below(3) ? 1 : pick(1, 3);
    p->dilations[i] = below(3) ? 1 : pick(1, 2);
    p->padding[2 * i] = below(2) ? below(3) : 0;
    p->padding[2 * i + 1] = below(2) ? below(3) : 0;
    x[2 + i] = span(w[2 + i], p->dilations[i]) + below(12);
  }
  place_conv2d(p, x, w);
}

/* Windows around 256, 512 and 1,024 elements, square, flat and long. */
static void pick_large_window(uint32_t *w) {
  static const uint16_t windows[][2] = {
      {15, 17}, {16, 16}, {16, 17},  {17, 17}, {31, 31}, {32, 32},  {41, 25}, {25, 41}, {64, 5},
      {5, 64},  {100, 3}, {2, 200},  {3, 300}, {300, 3}, {1, 255},  {1, 256}, {1, 257}, {1, 400},
      {1, 512}, {1, 513}, {1, 1025}, {255, 1}, {257, 1}, {1024, 1}, {1025, 1}};
  const uint32_t which = below(sizeof windows / sizeof *windows);
  w[2] = windows[which][0];
  w[3] = windows[which][1];
}

/* Large windows: depthwise, grouped, dilated, of many channels, of patches that do not overlap. */
static void make_large_conv2d(problem *p) {
  const uint32_t kind = below(5), groups = kind == 0 ? pick(2, 20) : kind == 1 ? pick(2, 4) : 1;
  uint32_t x[4], w[4], i;
  w[1] = kind == 0 ? 1 : kind == 3 ? pick(20, 200) : pick(1, 4);
  w[0] = groups * (kind == 0 && below(3) ? 1 : pick(1, w[1] < 20 && groups == 1 ? 20 : 3));
  x[0] = w[1] < 20 ? pick(1, 2) : 1;
  x[1] = w[1] * groups;
  pick_large_window(w);
  for (i = 0; i < 2; i++) {
    const uint32_t most = w[2 + i] < 40 ? w[2 + i] : 40;
    p->dilations[i] = kind == 2 || below(4) == 0 ? pick(1, 3) : 1;
    p->strides[i] = kind == 4 ? w[2 + i] : below(3) ? 1 : pick(1, 3);
    p->padding[2 * i] = kind == 4 || below(2) ? 0 : below(most);
    p->padding[2 * i + 1] = kind == 4 || below(2) ? 0 : below(most);
    x[2 + i] = span(w[2 + i], p->dilations[i]) + below(w[1] < 20 ? 9 : 3);
    x[2 + i] += kind == 4 ? w[2 + i] * below(3) : 0;
    if (below(2)) { /* an image that the window fits into with its padding only */
      const uint32_t less = below(p->padding[2 * i] + p->padding[2 * i + 1] + 1);
      x[2 + i] -= less < x[2 + i] ? less : 0;
    }
    if (w[2 + i] == 1 && below(2)) { /* one row, or one column */
      p->padding[2 * i] = p->padding[2 * i + 1] = 0;
      x[2 + i] = 1;
    }
  }
  place_conv2d(p, x, w);
}

/* Depthwise, with larger images and windows, more strides and dilations; or with 3 x 3 elements over
   nchw images of few columns, for which there is a kernel. */
static void make_depthwise(problem *p) {
  const uint32_t groups = pick(2, 20), more = below(4) == 0 ? 2 : 1;
  const bool narrow = below(3) == 0, nhwc = !narrow && below(5) == 0;
  const bool wide = !narrow && below(6) == 0, tall = below(6) == 0;
  uint32_t i, *x = p->shape[0], *y = p->y_shape;
  p->op = WEBNN_OP_CONV2D;
  p->conv.input_layout = nhwc ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  p->conv.filter_layout = WEBNN_CONV2D_OIHW;
  p->conv.groups = wide || tall ? 2 : groups;
  p->special[0] = p->special[1] = below(3) == 0;
  p->rank[0] = p->rank[1] = p->y_rank = 4;
  p->rank[2] = 1;
  x[0] = y[0] = pick(1, 2);
  x[nhwc ? 3 : 1] = wide || tall ? 2 : groups;
  p->shape[1][0] = p->shape[2][0] = y[nhwc ? 3 : 1] = more * x[nhwc ? 3 : 1];
  p->shape[1][1] = 1;
  for (i = 0; i < 2; i++) {
    const uint32_t window = narrow || below(2) ? 3 : pick(1, 6), axis = i + (nhwc ? 1 : 2);
    uint32_t whole;
    p->shape[1][2 + i] = window;
    p->strides[i] = narrow ? 1 : below(2) ? pick(1, 2) : pick(1, 3);
    p->strides[i] = i == 1 && below(2) ? p->strides[0] : p->strides[i];
    p->dilations[i] = narrow || below(3) ? 1 : pick(1, 3);
    p->padding[2 * i] = below(2) ? 1 : below(6);
    p->padding[2 * i + 1] = below(2) ? 1 : below(6);
    x[axis] = (i == 1 && wide) || (i == 0 && tall) ? pick(60, i == 1 ? 1100 : 90)
                                                   : pick(1, i == 1 && narrow ? 18 : 40);
    whole = x[axis] + p->padding[2 * i] + p->padding[2 * i + 1];
    if (whole < span(window, p->dilations[i])) {
      x[axis] += span(window, p->dilations[i]);
      whole += span(window, p->dilations[i]);
    }
    y[axis] = (whole - span(window, p->dilations[i])) / p->strides[i] + 1;
  }
  p->has_third = below(2) != 0;
  p->terms = (double)p->shape[1][2] * p->shape[1][3] + 1;
}

/* An operand's element; of a result's terms about one is special. */
static double random_value(const problem *p, int k) {
  if (k < 2 && p->special[k] && below((uint32_t)p->terms * (k == 0 ? 4 : 1)) == 0) {
    return below(3) == 0 ? NAN : below(2) ? HUGE_VAL : -HUGE_VAL;
  }
  return ((double)below(20001) - 10000) / 7919.0;
}

/* x with its last two axes swapped. */
static webnn_operand *transposed(webnn_builder *b, webnn_operand *x, uint32_t rank) {
  webnn_transpose_options options;
  uint32_t i;
  memset(&options, 0, sizeof options);
  options.permutation = webnn_operand_shape(x);
  for (i = 0; i < rank; i++) {
    options.permutation.items[i] = i;
  }
  options.permutation.items[rank - 1] = rank - 2;
  options.permutation.items[rank - 2] = rank - 1;
  return webnn_transpose(b, x, &options);
}

static webnn_operand *connect_matmul(webnn_builder *b, problem *p, webnn_operand **x) {
  webnn_operand *left = p->a_transpose ? transposed(b, x[0], p->rank[0]) : x[0];
  webnn_operand *right = p->b_transpose ? transposed(b, x[1], p->rank[1]) : x[1];
  webnn_operand *y = webnn_matmul(b, left, right, NULL);
  return p->has_third ? webnn_add(b, y, x[2], NULL) : y;
}

/* Sizes as in place_conv2d; the filter's are of o, i, height, width, o being those of a group. */
static void place_conv_transpose2d(problem *p, const uint32_t *x, const uint32_t *w,
                                   uint32_t groups) {
  static const uint8_t image[2][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}};
  static const uint8_t filter[3][4] = {{1, 0, 2, 3}, {2, 3, 0, 1}, {0, 2, 3, 1}};
  const uint32_t which = below(3);
  uint32_t y[4], i;
  p->op = WEBNN_OP_CONV_TRANSPOSE2D;
  p->transpose.input_layout = below(2) ? WEBNN_LAYOUT_NCHW : WEBNN_LAYOUT_NHWC;
  p->transpose.filter_layout = (webnn_conv_transpose2d_filter_operand_layout)which;
  p->transpose.groups = groups;
  y[0] = x[0];
  y[1] = w[0] * groups;
  for (i = 0; i < 2; i++) {
    const uint32_t whole = (x[2 + i] - 1) * p->strides[i] + span(w[2 + i], p->dilations[i]);
    p->output_padding[i] = below(p->strides[i]);
    p->padding[2 * i] = below(whole < 6 ? whole : 6);
    p->padding[2 * i + 1] = below(whole - p->padding[2 * i] < 4 ? whole - p->padding[2 * i] : 4);
    y[2 + i] = whole - p->padding[2 * i] - p->padding[2 * i + 1] + p->output_padding[i];
  }
  p->rank[0] = p->rank[1] = p->y_rank = 4;
  p->rank[2] = 1;
  for (i = 0; i < 4; i++) {
    const uint8_t axis = image[p->transpose.input_layout == WEBNN_LAYOUT_NHWC][i];
    p->shape[0][i] = x[axis];
    p->y_shape[i] = y[axis];
    p->shape[1][i] = w[filter[which][i]];
  }
  p->shape[2][0] = y[1];
  p->has_third = below(2) != 0;
  p->terms = (double)w[1] / groups * w[2] * w[3] + 1;
  p->special[0] = below(3) == 0;
  p->special[1] = below(3) == 0;
}

static void make_conv_transpose2d(problem *p) {
  const uint32_t groups = below(2) ? 1 : pick(2, 5);
  uint32_t x[4], w[4], i;
  x[0] = pick(1, 2);
  x[1] = w[1] = groups * (below(6) == 0 ? pick(20, 300) : pick(1, 20));
  w[0] = pick(1, 40);
  for (i = 0; i < 2; i++) {
    w[2 + i] = pick(1, 5);
    p->strides[i] = pick(1, 4);
    p->dilations[i] = below(3) ? 1 : pick(1, 3);
    x[2 + i] = pick(1, 12);
  }
  place_conv_transpose2d(p, x, w, groups);
}

/* Few outputs, whose results are sums of vectors of products: steps shorter and longer than windows
   and than vectors, windows that meet in part, images of one row. */
static void make_few_outputs(problem *p) {
  uint32_t x[4], w[4], i;
  x[0] = pick(1, 2);
  x[1] = w[1] = pick(1, 20);
  w[0] = pick(1, below(4) ? 4 : 12);
  for (i = 0; i < 2; i++) {
    w[2 + i] = pick(2, 7);
    p->strides[i] = pick(1, below(4) ? 3 : 9);
    p->dilations[i] = below(8) ? 1 : 2;
    x[2 + i] = pick(1, 12);
  }
  place_conv_transpose2d(p, x, w, 1);
}

static void make_large_conv_transpose2d(problem *p) {
  const uint32_t groups = below(2) ? 1 : pick(2, 3);
  uint32_t x[4], w[4], i;
  x[0] = 1;
  x[1] = w[1] = groups * (below(6) == 0 ? pick(20, 100) : pick(1, 4));
  w[0] = pick(1, 3);
  pick_large_window(w);
  for (i = 0; i < 2; i++) {
    p->strides[i] = below(2) ? 1 : pick(1, 9);
    p->dilations[i] = below(3) ? 1 : pick(1, 3);
    x[2 + i] = w[2 + i] == 1 && below(2) ? 1 : pick(1, w[1] < 20 ? 5 : 3);
  }
  place_conv_transpose2d(p, x, w, groups);
}

/* The options get their operands and lists here. */
static webnn_operand *connect(webnn_builder *b, problem *p, webnn_operand **x) {
  switch (p->op) {
  case WEBNN_OP_MATMUL:
    return connect_matmul(b, p, x);
  case WEBNN_OP_GEMM:
    p->gemm.c = x[2];
    return webnn_gemm(b, x[0], x[1], &p->gemm);
  case WEBNN_OP_CONV_TRANSPOSE2D:
    p->transpose.bias = x[2];
    p->transpose.padding = webnn_list_of(p->padding, 4);
    p->transpose.strides = webnn_list_of(p->strides, 2);
    p->transpose.dilations = webnn_list_of(p->dilations, 2);
    p->transpose.output_padding = webnn_list_of(p->output_padding, 2);
    return webnn_conv_transpose2d(b, x[0], x[1], &p->transpose);
  default:
    p->conv.bias = x[2];
    p->conv.padding = webnn_list_of(p->padding, 4);
    p->conv.strides = webnn_list_of(p->strides, 2);
    p->conv.dilations = webnn_list_of(p->dilations, 2);
    return webnn_conv2d(b, x[0], x[1], &p->conv);
  }
}

/* Residual and bounds. */
static webnn_operand *finish(webnn_builder *b, const problem *p, webnn_operand *y,
                             webnn_operand *residual) {
  webnn_clamp_options bounds;
  memset(&bounds, 0, sizeof bounds);
  bounds.min_value = webnn_f64(p->low);
  bounds.max_value = webnn_f64(p->high);
  y = p->has_residual ? webnn_add(b, y, residual, NULL) : y;
  return p->merged ? webnn_clamp(b, y, &bounds) : y;
}

/* y for the given operands; false if anything is refused. */
static bool compute(webnn_context *context, problem *p, void *const *data, void *y) {
  static const char *const names[4] = {"a", "b", "c", "d"};
  webnn_builder *builder = test_builder(context);
  webnn_named_tensor in[4], out;
  webnn_named_operand result;
  webnn_operand *x[4] = {NULL, NULL, NULL, NULL};
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_tensor_descriptor storage;
  size_t bound = 0;
  bool good;
  int k;
  memset(&storage, 0, sizeof storage);
  storage.data_type = p->type;
  storage.readable = storage.writable = true;
  for (k = 0; k < 4; k++) {
    webnn_operand_descriptor d;
    const size_t bytes = test_element_count(shape_of(p, k)) * webnn_data_type_bits(p->type) / 8;
    if (!is_present(p, k)) {
      continue;
    }
    d.data_type = p->type;
    d.shape = storage.shape = shape_of(p, k);
    if (k > 0 && p->constant) {
      x[k] = p->borrowed ? webnn_constant_over_memory(builder, d, data[k], bytes)
                         : webnn_constant(builder, d, data[k], bytes);
      continue;
    }
    x[k] = webnn_input(builder, names[k], d);
    in[bound].name = names[k];
    (void)webnn_create_tensor(context, storage, &in[bound].tensor, &error);
    (void)webnn_write_tensor(context, in[bound++].tensor, data[k], bytes, &error);
  }
  result.name = out.name = "y";
  result.operand = finish(builder, p, connect(builder, p, x), x[3]);
  good = CHECK(webnn_op_name(p->op), webnn_build(builder, &result, 1, &graph, &error) == WEBNN_OK,
               "%s", error.message);
  if (good && context != reference && p->borrowed && p->op == WEBNN_OP_MATMUL && !p->merged) {
    CHECK("borrowed weights", webnn_graph_memory(graph).constants == 0, "%lu bytes are transposed",
          (unsigned long)webnn_graph_memory(graph).constants);
  }
  webnn_free_builder(builder);
  storage.shape = shape_of(p, 3);
  (void)webnn_create_tensor(context, storage, &out.tensor, &error);
  good = good && CHECK(webnn_op_name(p->op),
                       webnn_dispatch(context, graph, in, bound, &out, 1, &error) == WEBNN_OK, "%s",
                       error.message);
  good = good &&
         webnn_read_tensor(context, out.tensor, y,
                           test_element_count(shape_of(p, 3)) * webnn_data_type_bits(p->type) / 8,
                           &error) == WEBNN_OK;
  while (bound > 0) {
    webnn_free_tensor(in[--bound].tensor);
  }
  webnn_free_tensor(out.tensor);
  webnn_free_graph(graph);
  return good;
}

/* Half a unit in the last place of a result of this size. */
static double half_unit(webnn_data_type type, double size) {
  double unit = type == WEBNN_FLOAT16 ? 0x1p-24 : 0x1p-149;
  const double digits = type == WEBNN_FLOAT16 ? 0x1p-10 : 0x1p-23;
  return size * digits > unit ? size * digits : unit;
}

/* Are the results near enough? rounding: of the operands, relative to the sum of magnitudes. */
static void check_results(const problem *p, const char *name, bool fused, double rounding,
                          const void *exact, webnn_data_type exact_type, const void *sizes,
                          const void *y) {
  const size_t count = test_element_count(shape_of(p, 3));
#ifdef WEBNN_USE_BLIS_ALWAYS
  const double steps = p->terms + 3;
#else
  const double steps = p->terms < 256 ? p->terms + 3 : 259 + p->terms / 128;
#endif
  const double eps = fused ? 0x1p-24 : 0x1p-23;
  size_t i;
  for (i = 0; i < count; i++) {
    const double want = test_get(exact_type, exact, i), got = test_get(p->type, y, i);
    const double size = test_get(exact_type, sizes, i);
    const double error = got > want ? got - want : want - got;
    const double last = p->heavy ? 4 * half_unit(p->type, want < 0 ? -want : want) : 0;
    const bool near_enough = size - size == 0 && error <= (steps * eps * 1.01 + rounding) * size +
                                                              half_unit(p->type, size) + last;
    if (!near_enough && !(want != want && got != got) && !(want == got)) {
      break;
    }
  }
  CHECK(webnn_op_name(p->op), i == count,
        "%s, %s%s, y %s, element %lu: expected %.9g, got %.9g, magnitudes %.9g", name,
        webnn_data_type_name(p->type), p->merged ? ", merged" : "", test_shape_text(shape_of(p, 3)),
        (unsigned long)i, i < count ? test_get(exact_type, exact, i) : 0,
        i < count ? test_get(p->type, y, i) : 0, i < count ? test_get(exact_type, sizes, i) : 0);
}

#ifdef WEBNN_USE_BLIS_ALWAYS
static const bool by_blis = true; /* it reads all weights in place */
#else
static const bool by_blis = false;
#endif

/* What relaxed contexts of a set multiply pairs with; or NULL. */
static const webnn__pair_functions *pairs_of(webnn_instruction_set set) {
  const webnn__pair_functions *pairs = webnn__pairs_beside(webnn__kernels_of(set));
#if defined(__x86_64__) && defined(WEBNN__HAS_BFLOAT16)
  CHECK("bfloat16",
        (pairs != NULL) == (set == WEBNN_ISA_AVX512 && webnn__kernels_of(set) != NULL &&
                            __builtin_cpu_supports("avx512bf16")),
        "%s: the processor says otherwise", test_set_name((int)set));
#endif
  return pairs;
}

static const double half_step[] = {0, 0x1p-7}; /* of two factors of bfloat16, and a little more */

/* A relaxed context of a machine, or NULL where it is a fast one but for what check_relaxed checks. */
static webnn_context *relaxed[sizeof machines / sizeof *machines];
static size_t relaxed_count[2]; /* results with other bits than fast contexts': products, conv2d */

static void open_relaxed(void) {
  size_t i;
  for (i = 0; i < machine_count; i++) {
    webnn_context_options options = machines[i].options;
    options.numerics = WEBNN_NUMERICS_RELAXED;
    if (pairs_of(options.instruction_set) != NULL && !by_blis) {
      relaxed[i] = test_set_context(&options);
    }
  }
}

static void close_relaxed(void) {
  size_t i, count = 0;
  for (i = 0; i < machine_count; i++) {
    count += relaxed[i] != NULL;
    webnn_free_context(relaxed[i]);
  }
  if (count == 0) {
    test_skip("bfloat16", by_blis ? "BLIS computes" : "not on this machine");
  } else {
    CHECK("bfloat16", relaxed_count[0] > 0 && relaxed_count[1] > 0,
          "%lu products and %lu convolutions were rounded to it", (unsigned long)relaxed_count[0],
          (unsigned long)relaxed_count[1]);
  }
}

static void check_machine(problem *p, const machine *m, webnn_context *context, void *const *data,
                          const void *exact, const void *sizes, void *y, void *first) {
  const size_t count = test_element_count(shape_of(p, 3));
  const size_t bytes = count * webnn_data_type_bits(p->type) / 8;
  memset(y, 0x5a, bytes);
  if (!compute(context, p, data, y)) {
    return;
  }
  if (m->threads == 1) {
    memcpy(first, y, bytes);
  } else {
    CHECK(webnn_op_name(p->op), memcmp(first, y, bytes) == 0, "%s: not the bits of 1 thread",
          m->name);
  }
  check_results(p, m->name, m->fused, half_step[context != m->context], exact, p->type, sizes, y);
}

static void fill_view(webnn__view *view, const problem *p, int k, void *data) {
  const webnn_list list = shape_of(p, k);
  memset(view, 0, sizeof *view);
  if (data != NULL) {
    view->data = data;
    view->type = p->type;
    view->shape.rank = (uint32_t)list.count;
    memcpy(view->shape.dimensions, list.items, list.count * sizeof *list.items);
    view->count = test_element_count(list);
    view->is_constant = p->constant && (k == 1 || k == 2);
    view->is_borrowed = view->is_constant && p->borrowed;
  }
}

static uint64_t number_bits(const problem *p, webnn_number number) {
  uint64_t element = 0;
  uint32_t bits;
  uint16_t half;
  test_set(p->type, &element, 0, number.kind != WEBNN_NUMBER_ABSENT ? number.f64 : 1);
  memcpy(&bits, &element, sizeof bits);
  memcpy(&half, &element, sizeof half);
  return p->type == WEBNN_FLOAT16 ? half : bits;
}

static void fill_attributes(webnn__attributes *t, const problem *p) {
  static const uint32_t filters[] = {WEBNN__FILTER_OIHW, WEBNN__FILTER_HWIO, WEBNN__FILTER_OHWI,
                                     WEBNN__FILTER_IHWO};
  static const uint32_t transposed_filters[] = {WEBNN__FILTER_IOHW, WEBNN__FILTER_HWOI,
                                                WEBNN__FILTER_OHWI};
  memset(t, 0, sizeof *t);
  t->a_transpose = p->op == WEBNN_OP_GEMM ? p->gemm.a_transpose : p->a_transpose;
  t->b_transpose = p->op == WEBNN_OP_GEMM ? p->gemm.b_transpose : p->b_transpose;
  t->alpha = number_bits(p, p->gemm.alpha);
  t->beta = number_bits(p, p->gemm.beta);
  if (p->op == WEBNN_OP_CONV_TRANSPOSE2D) {
    t->groups = p->transpose.groups;
    t->input_layout = p->transpose.input_layout;
    t->filter_layout = transposed_filters[p->transpose.filter_layout];
  } else {
    t->groups = p->conv.groups;
    t->input_layout = p->conv.input_layout;
    t->filter_layout = filters[p->conv.filter_layout];
  }
  t->padding.rank = 4;
  t->strides.rank = t->dilations.rank = 2;
  memcpy(t->padding.dimensions, p->padding, sizeof p->padding);
  memcpy(t->strides.dimensions, p->strides, sizeof p->strides);
  memcpy(t->dilations.dimensions, p->dilations, sizeof p->dilations);
}

/* A call of the kernel of a problem's operator, and what it points to. */
typedef struct made_call {
  webnn__view x[4], y;
  webnn__kernel_call call;
  webnn__fused fused;
  webnn__node node;
} made_call;

static void fill_call(made_call *m, const webnn__kernels *kernels,
                      const webnn__pair_functions *pairs, const problem *p, void *const *data,
                      void *y) {
  int k;
  memset(m, 0, sizeof *m);
  for (k = 0; k < 4; k++) {
    fill_view(&m->x[k], p, k, data[k]);
  }
  fill_view(&m->y, p, 3, y);
  m->fused.low = p->low;
  m->fused.high = p->high;
  m->node.op = p->op;
  m->node.fused = p->merged ? &m->fused : NULL;
  m->node.input_count = p->has_residual ? 4 : 3;
  m->node.output_count = 1;
  fill_attributes(&m->node.attributes, p);
  m->call.node = &m->node;
  m->call.attributes = &m->node.attributes;
  m->call.x = m->x;
  m->call.y = &m->y;
  m->call.kernels = kernels;
  m->call.relaxed = pairs != NULL;
  m->call.pairs = pairs;
}

/* Whatever the instruction set, no problem may be left to the reference kernel. */
static void check_kernels(const problem *p, void *const *data, void *y) {
  int set;
  for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
    webnn__planning asked;
    made_call m;
    memset(&asked, 0, sizeof asked);
    fill_call(&m, webnn__kernels_of((webnn_instruction_set)set), NULL, p, data, y);
    CHECK(webnn_op_name(p->op),
          m.call.kernels == NULL ||
              webnn__choose(webnn__choices_for(m.call.node->op), &asked, &m.call) != NULL,
          "no fast kernel for a filter %s", test_shape_text(shape_of(p, 1)));
  }
}

static void check_problem(problem *p) {
  void *data[4] = {NULL, NULL, NULL, NULL}, *magnitudes[4] = {NULL, NULL, NULL, NULL};
  const size_t y_bytes = test_element_count(shape_of(p, 3)) * sizeof(float);
  void *exact = test_allocate(y_bytes), *sizes = test_allocate(y_bytes);
  void *y = test_allocate(y_bytes), *first = test_allocate(y_bytes);
  void *fast = test_allocate(y_bytes);
  size_t i;
  int k;
  for (k = 0; k < (p->has_third ? 3 : 2); k++) {
    const size_t count = test_element_count(shape_of(p, k));
    data[k] = test_allocate(count * sizeof(float));
    magnitudes[k] = test_allocate(count * sizeof(float));
    for (i = 0; i < count; i++) {
      const double value =
          p->steep > 0 ? (k == 0 && i % p->steep == 0 ? 0x1p24 : 1) : random_value(p, k);
      test_set(p->type, data[k], i, k == 2 && p->heavy ? value * HEAVY : value);
      test_set(p->type, magnitudes[k], i, k == 2 && p->heavy ? 0 : value < 0 ? -value : value);
    }
  }
  check_kernels(p, data, y);
  if (compute(reference, p, data, exact) && compute(reference, p, magnitudes, sizes)) {
    for (i = 0; i < machine_count; i++) {
      check_machine(p, &machines[i], machines[i].context, data, exact, sizes, y, first);
    }
    for (i = 0; i < machine_count && p->steep == 0; i++) {
      if (relaxed[i] != NULL) {
        check_machine(p, &machines[i], relaxed[i], data, exact, sizes, y, fast);
        relaxed_count[p->op == WEBNN_OP_CONV2D] += machines[i].threads == 1 &&
                                                   p->type == WEBNN_FLOAT32 &&
                                                   memcmp(first, fast, y_bytes) != 0;
      }
    }
  }
  for (k = 0; k < 3; k++) {
    free(data[k]);
    free(magnitudes[k]);
  }
  free(exact);
  free(sizes);
  free(y);
  free(first);
  free(fast);
}

/* ---- Nodes as the passes make them ----------------------------------------------------------- */

static void swap_last(problem *p, int k) {
  uint32_t *d = p->shape[k] + p->rank[k] - 2, first = d[0];
  d[0] = d[1];
  d[1] = first;
}

/* Merges something into a problem. */
static void merge(problem *p) {
  static const float bounds[][2] = {
      {-HUGE_VALF, HUGE_VALF}, {0, HUGE_VALF}, {0, 6}, {-3, 3}, {-HUGE_VALF, 1}};
  const uint32_t which = below(5);
  p->merged = true;
  p->has_residual = below(2) != 0;
  p->low = bounds[which][0];
  p->high = bounds[which][1];
  p->terms += 3;
  if (p->op == WEBNN_OP_MATMUL) {
    p->a_transpose = below(3) == 0;
    p->b_transpose = below(2) != 0;
    p->has_third = below(3) != 0;
    p->rank[2] = 1;
    p->shape[2][0] = below(4) == 0 ? 1 : p->y_shape[p->y_rank - 1];
    if (p->a_transpose) {
      swap_last(p, 0);
    }
    if (p->b_transpose) {
      swap_last(p, 1);
    }
  }
}

static bool is_transposed(const problem *p) {
  return p->op == WEBNN_OP_GEMM ? p->gemm.b_transpose : p->b_transpose;
}

static size_t left_in_place; /* products whose constant weights were not packed */

/* Are panels to be made of the weights? Not of borrowed ones for few rows. */
static bool is_packed(const problem *p, const webnn__kernels *kernels) {
  const size_t n = p->y_shape[p->y_rank - 1], count = test_element_count(shape_of(p, 1));
  const size_t rows = test_element_count(shape_of(p, 3)) / n; /* one right matrix meets them all */
  const bool in_place = p->borrowed && p->op != WEBNN_OP_CONV2D && rows <= 4 &&
                        kernels->product_terms != NULL &&
                        (p->type == WEBNN_FLOAT32 || kernels->product_few != NULL) &&
                        (is_transposed(p) ? count / n : n) >= 64 &&
                        count * webnn_data_type_bits(p->type) / 8 >= 16384;
  return p->constant && !in_place;
}

/* y, with the items of each phase in slices of `slice`. */
static void run_merged(const webnn__kernels *kernels, const webnn__pair_functions *pairs,
                       const problem *p, void *const *data, void *y, uint64_t slice) {
  uint64_t bytes;
  planned step;
  made_call m;
  fill_call(&m, kernels, pairs, p, data, y);
  if (!CHECK(webnn_op_name(p->op), plan_call(&step, &m.call), "merged: no kernel")) {
    return;
  }
  bytes = step.planning.packed;
  if (p->rank[1] == 2 && !by_blis && pairs == NULL) {
    CHECK(webnn_op_name(p->op), (bytes > 0) == is_packed(p, kernels), "%s: %lu bytes are packed",
          kernels->name, (unsigned long)bytes);
    left_in_place += p->constant && bytes == 0;
  }
  if (p->op != WEBNN_OP_CONV2D && p->constant && p->type == WEBNN_FLOAT16 && bytes > 0) {
    const uint64_t width = kernels->product_columns, n = p->y_shape[p->y_rank - 1];
    const uint64_t weights = m.x[1].count / n * ((n + width - 1) / width * width);
    const bool has_loads = kernels == webnn__kernels_of(WEBNN_ISA_AVX2) ||
                           kernels == webnn__kernels_of(WEBNN_ISA_AVX512) ||
                           kernels == webnn__kernels_of(WEBNN_ISA_NEON);
    CHECK("float16 weights",
          bytes == weights * 4 || (bytes == weights * 2 && has_loads && m.y.count / n <= 4 * 9),
          "%s: %lu bytes for %lu weights", kernels->name, (unsigned long)bytes,
          (unsigned long)weights);
    CHECK("float16 weights", bytes == weights * 2 || !has_loads || m.y.count / n > 4,
          "%s: they are packed as float32", kernels->name);
  }
  run_planned(&step, slice);
  release_planned(&step);
}

/* The same in pairs, where the set has them. */
static void check_merged_pairs(const problem *p, webnn_instruction_set set, void *const *data,
                               const void *exact, const void *sizes, void *whole, void *y) {
  const size_t bytes = test_element_count(shape_of(p, 3)) * webnn_data_type_bits(p->type) / 8;
  const webnn__pair_functions *pairs = pairs_of(set);
  if (pairs == NULL) {
    return;
  }
  run_merged(webnn__kernels_of(set), pairs, p, data, whole, UINT64_MAX);
  run_merged(webnn__kernels_of(set), pairs, p, data, y, 1);
  CHECK(webnn_op_name(p->op), memcmp(whole, y, bytes) == 0, "pairs: slices differ");
  check_results(p, "pairs", true, half_step[1], exact, WEBNN_FLOAT32, sizes, y);
}

static void check_merged(problem *p) {
  void *data[4] = {NULL, NULL, NULL, NULL}, *wide[4] = {NULL, NULL, NULL, NULL};
  void *magnitudes[4] = {NULL, NULL, NULL, NULL};
  const size_t count = test_element_count(shape_of(p, 3));
  const size_t bytes = count * webnn_data_type_bits(p->type) / 8;
  void *exact = test_allocate(count * sizeof(float)), *sizes = test_allocate(count * sizeof(float));
  void *y = test_allocate(bytes), *whole = test_allocate(bytes);
  problem separate, other;
  size_t i;
  int k, set;
  for (k = 0; k < 4; k++) {
    const size_t n = is_present(p, k) ? test_element_count(shape_of(p, k)) : 0;
    for (i = 0; i < n; i++) {
      const double value = random_value(p, k);
      if (i == 0) {
        data[k] = test_allocate(n * webnn_data_type_bits(p->type) / 8);
        wide[k] = test_allocate(n * sizeof(float));
        magnitudes[k] = test_allocate(n * sizeof(float));
      }
      test_set(p->type, data[k], i, k == 2 && p->heavy ? value * HEAVY : value);
      ((float *)wide[k])[i] = (float)test_get(p->type, data[k], i);
      ((float *)magnitudes[k])[i] = k == 2 && p->heavy ? 0 : (float)(value < 0 ? -value : value);
    }
  }
  if (below(4) == 0) { /* NaN stays NaN */
    test_set(p->type, data[0], 0, NAN);
    ((float *)wide[0])[0] = NAN;
  }
  separate = *p;
  separate.type = WEBNN_FLOAT32;
  if (compute(reference, &separate, wide, exact)) {
    separate.merged = false; /* magnitudes have no bounds */
    if (compute(reference, &separate, magnitudes, sizes)) {
      for (set = WEBNN_ISA_SCALAR; set <= WEBNN_ISA_WASM_SIMD; set++) {
        const webnn__kernels *kernels = webnn__kernels_of((webnn_instruction_set)set);
        if (kernels != NULL) {
          memset(whole, 0x5a, bytes);
          memset(y, 0xa5, bytes);
          run_merged(kernels, NULL, p, data, whole, UINT64_MAX);
          run_merged(kernels, NULL, p, data, y, 1);
          CHECK(webnn_op_name(p->op), memcmp(whole, y, bytes) == 0, "%s: slices differ",
                kernels->name);
          other = *p;
          other.constant = !p->constant;
          run_merged(kernels, NULL, &other, data, y, 3);
          CHECK(webnn_op_name(p->op),
                memcmp(whole, y, bytes) == 0 || (p->borrowed && is_transposed(p)),
                "%s: constant weights give other bits", kernels->name);
          check_results(p, kernels->name, test_set_fuses(set), 0, exact, WEBNN_FLOAT32, sizes, y);
          check_merged_pairs(p, (webnn_instruction_set)set, data, exact, sizes, whole, y);
        }
      }
    }
  }
  for (k = 0; k < 4; k++) {
    free(data[k]);
    free(wide[k]);
    free(magnitudes[k]);
  }
  free(exact);
  free(sizes);
  free(y);
  free(whole);
}

/* Long sums where each term by itself is lost beside the first: only sums of blocks have bounds
   that grow more slowly than the number of terms. */
static void check_steep_sums(void) {
  static const uint32_t terms[] = {300, 1000, 5000};
  size_t i;
  int op;
  for (i = 0; i < sizeof terms / sizeof *terms; i++) {
    for (op = 0; op < 2; op++) {
      problem p;
      memset(&p, 0, sizeof p);
      p.type = WEBNN_FLOAT32;
      p.steep = terms[i];
      p.terms = terms[i];
      if (op == 0) {
        p.op = WEBNN_OP_MATMUL;
        p.rank[0] = p.rank[1] = p.y_rank = 2;
        p.shape[0][0] = p.y_shape[0] = 17;
        p.shape[0][1] = p.shape[1][0] = terms[i];
        p.shape[1][1] = p.y_shape[1] = 37;
      } else {
        p.op = WEBNN_OP_CONV2D;
        p.conv.input_layout = WEBNN_LAYOUT_NHWC;
        p.conv.filter_layout = WEBNN_CONV2D_OHWI;
        p.conv.groups = 1;
        p.strides[0] = p.strides[1] = p.dilations[0] = p.dilations[1] = 1;
        p.rank[0] = p.rank[1] = p.y_rank = 4;
        p.shape[0][0] = p.y_shape[0] = 1;
        p.shape[0][1] = p.shape[1][1] = 2;
        p.shape[0][2] = p.shape[1][2] = 5;
        p.shape[0][3] = p.shape[1][3] = terms[i] / 10;
        p.shape[1][0] = p.y_shape[3] = 19;
        p.y_shape[1] = p.y_shape[2] = 1;
      }
      check_problem(&p);
    }
  }
}

/* Bands of many tiles: sums of one block and of more, with copies of rows of windows and without. */
static void check_bands(void) {
  static const uint32_t sizes[][5] = {
      /* rows, columns, channels, outputs, window */
      {16, 20, 32, 33, 3}, {6, 60, 32, 16, 3},  {3, 130, 32, 40, 3},
      {17, 20, 16, 33, 3}, {6, 60, 16, 70, 3},  {4, 150, 5, 20, 3},
      {18, 18, 40, 17, 3}, {18, 18, 40, 48, 1}, {6, 60, 300, 20, 1}};
  size_t i;
  for (i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
    const uint32_t *const size = sizes[i / 2];
    const uint32_t x[4] = {1, size[2], size[0], size[1]};
    const uint32_t w[4] = {size[3], size[2], size[4], size[4]};
    problem p;
    memset(&p, 0, sizeof p);
    p.type = WEBNN_FLOAT32;
    p.constant = true;
    p.strides[0] = p.strides[1] = p.dilations[0] = p.dilations[1] = 1;
    p.padding[0] = p.padding[1] = p.padding[2] = p.padding[3] = size[4] / 2;
    do {
      place_conv2d(&p, x, w);
    } while ((p.conv.input_layout == WEBNN_LAYOUT_NHWC) != (i % 2 == 0));
    check_problem(&p);
  }
}

/* ---- Relaxed contexts ---------------------------------------------------------------------------

   float32 weights that at most four rows meet may be rounded to float16, to 11 bits in a unit that
   is the largest one's power of two. What is promised is, beside the bound of fast contexts, 2^-11
   of the sum of magnitudes and 2^-25 of the largest weight times the sum of the magnitudes of x.
   With more rows both operands may be rounded to bfloat16: 2^-7 of the sum of magnitudes, and 2^-125
   for each term, since subnormal numbers become zeros. */
typedef enum relaxed_kind { AS_FAST, HALVES, PAIRS } relaxed_kind;

/* A row of x and weights times 2^exponent, of which a few are far from the others. */
static void make_relaxed(problem *p, int exponent, float *x, float *w) {
  const size_t x_count = test_element_count(shape_of(p, 0));
  const size_t w_count = test_element_count(shape_of(p, 1));
  size_t i;
  for (i = 0; i < x_count; i++) {
    x[i] = (float)test_random_between(&random_state, -1, 1);
  }
  for (i = 0; i < w_count; i++) {
    const double near_zero = below(16) == 0 ? 0x1p-30 : below(16) == 0 ? 0x1p-13 : 1;
    w[i] = (float)ldexp(test_random_between(&random_state, -1, 1) * near_zero, exponent);
  }
}

/* The largest weight times the sum of the magnitudes of a row of x. */
static double largest_product(const problem *p, const float *x, const float *w, size_t row) {
  const size_t k = p->shape[1][p->gemm.b_transpose], count = test_element_count(shape_of(p, 1));
  double largest = 0, sum = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    largest = fabs((double)w[i]) > largest ? fabs((double)w[i]) : largest;
  }
  for (i = 0; i < k; i++) {
    sum += fabs((double)x[row * k + i]);
  }
  return largest * sum;
}

static void check_relaxed_bound(const problem *p, const char *name, const float *exact,
                                const float *sizes, const float *const *data, const float *y,
                                relaxed_kind k) {
  const size_t n = p->y_shape[1], count = test_element_count(shape_of(p, 3));
  const double steps = p->terms < 256 ? p->terms + 3 : 259 + p->terms / 128;
  size_t i;
  for (i = 0; i < count; i++) {
    const double size = (double)sizes[i], sum = steps * 0x1p-24 * size * 1.01 + 0x1p-145;
    const double bound = k == PAIRS    ? sum + 0x1p-7 * size + p->terms * 0x1p-125
                         : k == HALVES ? sum + 0x1p-11 * size * 1.01 +
                                             0x1p-25 * largest_product(p, data[0], data[1], i / n)
                                       : 2 * sum;
    if (!(fabs((double)y[i] - (double)exact[i]) <= bound)) {
      break;
    }
  }
  CHECK("relaxed", i == count, "%s, %s, y %s, element %lu: expected %.9g, got %.9g", name,
        webnn_op_name(p->op), test_shape_text(shape_of(p, 3)), (unsigned long)i,
        i < count ? (double)exact[i] : 0, i < count ? (double)y[i] : 0);
}

static void append_steps(void *user, const char *text, size_t length) {
  char *const to = (char *)user;
  const size_t used = strlen(to), room = 4095 - used;
  memcpy(to + used, text, length < room ? length : room);
  to[used + (length < room ? length : room)] = 0;
}

/* What do the printed steps say? */
static relaxed_kind printed_kind(webnn_context *context, problem *p, float *w) {
  char text[4096] = "";
  webnn_builder *builder = test_builder(context);
  webnn_operand_descriptor d;
  webnn_operand *x, *weights;
  webnn_named_operand result;
  webnn_graph *graph = NULL;
  d.data_type = p->type;
  d.shape = shape_of(p, 0);
  x = webnn_input(builder, "x", d);
  d.shape = shape_of(p, 1);
  weights = webnn_constant(builder, d, w, test_element_count(d.shape) * sizeof *w);
  result.name = "y";
  result.operand = webnn_gemm(builder, x, weights, &p->gemm);
  if (CHECK("relaxed", webnn_build(builder, &result, 1, &graph, NULL) == WEBNN_OK, "no graph")) {
    webnn_print_steps(graph, append_steps, text);
  }
  webnn_free_builder(builder);
  webnn_free_graph(graph);
  return strstr(text, "relaxed: weights rounded to float16") != NULL     ? HALVES
         : strstr(text, "relaxed: operands rounded to bfloat16") != NULL ? PAIRS
                                                                         : AS_FAST;
}

/* What is to be expected of constant weights that are not too few. */
static relaxed_kind expected_kind(const problem *p, const machine *m) {
  const bool has_halves = m->fused; /* those sets load float16, too */
  if (by_blis || !p->constant || test_element_count(shape_of(p, 1)) < 4096) {
    return AS_FAST;
  }
  return p->y_shape[0] <= 4 ? (has_halves ? HALVES : AS_FAST)
         : p->shape[0][1] >= 32 && pairs_of(m->options.instruction_set) != NULL ? PAIRS
                                                                                : AS_FAST;
}

/* The caller's weights at an odd address give the same bits. */
static void check_relaxed_unaligned(problem *p, const machine *m, webnn_context *context,
                                    float *const *data, const float *y) {
  const size_t bytes = test_element_count(shape_of(p, 1)) * sizeof(float);
  const size_t y_bytes = test_element_count(shape_of(p, 3)) * sizeof(float);
  char *odd = (char *)test_allocate(bytes + 1);
  float *again = (float *)test_allocate(y_bytes);
  void *moved[3];
  moved[0] = data[0];
  moved[1] = odd + 1;
  moved[2] = data[2];
  memcpy(odd + 1, data[1], bytes);
  CHECK("relaxed", compute(context, p, moved, again) && memcmp(y, again, y_bytes) == 0,
        "%s: weights at an odd address give other bits", m->name);
  free(again);
  free(odd);
}

/* A relaxed context beside the fast one of the same set and threads. */
static void check_relaxed_machine(problem *p, const machine *m, float *const *data,
                                  const float *exact, const float *sizes) {
  const relaxed_kind expected = expected_kind(p, m);
  const size_t bytes = test_element_count(shape_of(p, 3)) * sizeof(float);
  float *y = (float *)test_allocate(bytes), *fast = (float *)test_allocate(bytes);
  webnn_context_options options = m->options;
  webnn_context *context;
  options.numerics = WEBNN_NUMERICS_RELAXED;
  context = test_set_context(&options);
  if (compute(context, p, (void *const *)data, y) &&
      compute(m->context, p, (void *const *)data, fast)) {
    problem plain = *p;
    plain.gemm.c = NULL;
    CHECK("relaxed", (memcmp(y, fast, bytes) == 0) == (expected == AS_FAST),
          "%s, %u rows: %s of fast contexts", m->name, (unsigned)p->y_shape[0],
          expected != AS_FAST ? "the bits" : "other bits than those");
    CHECK("relaxed",
          !p->constant || p->op != WEBNN_OP_GEMM ||
              printed_kind(context, &plain, data[1]) == expected,
          "%s: printed steps do not say so", m->name);
    check_relaxed_bound(p, m->name, exact, sizes, (const float *const *)data, y, expected);
    if (expected != AS_FAST && p->borrowed) {
      check_relaxed_unaligned(p, m, context, data, y);
    }
  }
  webnn_free_context(context);
  free(y);
  free(fast);
}

static void check_relaxed_problem(problem *p, int exponent) {
  const size_t count = test_element_count(shape_of(p, 3));
  float *data[3] = {NULL, NULL, NULL}, *magnitudes[3] = {NULL, NULL, NULL};
  float *exact = (float *)test_allocate(count * sizeof *exact);
  float *sizes = (float *)test_allocate(count * sizeof *sizes);
  size_t i;
  int k;
  for (k = 0; k < 3; k++) {
    data[k] = (float *)test_allocate(test_element_count(shape_of(p, k)) * sizeof(float));
    magnitudes[k] = (float *)test_allocate(test_element_count(shape_of(p, k)) * sizeof(float));
  }
  make_relaxed(p, exponent, data[0], data[1]);
  for (i = 0; i < test_element_count(shape_of(p, 2)); i++) {
    data[2][i] = (float)ldexp(test_random_between(&random_state, -1, 1), exponent);
  }
  for (k = 0; k < 3; k++) {
    for (i = 0; i < test_element_count(shape_of(p, k)); i++) {
      magnitudes[k][i] = data[k][i] < 0 ? -data[k][i] : data[k][i];
    }
  }
  if (compute(reference, p, (void *const *)data, exact) &&
      compute(reference, p, (void *const *)magnitudes, sizes)) {
    for (i = 0; i < machine_count; i++) {
      check_relaxed_machine(p, &machines[i], data, exact, sizes);
    }
  }
  for (k = 0; k < 3; k++) {
    free(data[k]);
    free(magnitudes[k]);
  }
  free(exact);
  free(sizes);
}

static void check_relaxed(void) {
  static const uint32_t sizes[][3] = {/* rows, terms, columns */
                                      {1, 64, 64},  {1, 64, 63},  {1, 777, 83},  {2, 300, 129},
                                      {3, 513, 40}, {4, 96, 96},  {5, 96, 96},   {6, 31, 140},
                                      {7, 32, 128}, {15, 77, 83}, {29, 1030, 33}};
  static const int exponents[] = {0, 20, -20, 110, -110, -124};
  size_t i;
  for (i = 0; i < sizeof sizes / sizeof *sizes * 12; i++) {
    const uint32_t *const size = sizes[i / 12];
    problem p;
    memset(&p, 0, sizeof p);
    p.type = WEBNN_FLOAT32;
    p.op = i % 2 ? WEBNN_OP_GEMM : WEBNN_OP_MATMUL;
    p.constant = i % 5 != 4;
    p.borrowed = p.constant && i % 3 == 0;
    p.gemm.b_transpose = p.op == WEBNN_OP_GEMM && i % 4 == 1;
    p.gemm.alpha = webnn_f64(0.75);
    p.has_third = p.op == WEBNN_OP_GEMM && i % 8 < 4;
    p.rank[0] = p.rank[1] = p.y_rank = 2;
    p.rank[2] = 1;
    p.shape[0][0] = p.y_shape[0] = size[0];
    p.shape[0][1] = p.shape[1][p.gemm.b_transpose] = size[1];
    p.shape[1][!p.gemm.b_transpose] = p.y_shape[1] = p.shape[2][0] = size[2];
    p.terms = size[1] + 3;
    check_relaxed_problem(&p, exponents[i / 2 % 6]);
  }
}

int main(int argc, char **argv) {
  static void (*const makers[])(problem * p) = {make_matmul,
                                                make_gemm,
                                                make_conv2d,
                                                make_conv2d,
                                                make_small_groups,
                                                make_small_groups,
                                                make_conv_transpose2d,
                                                make_few_outputs,
                                                make_few_outputs,
                                                make_large_conv2d,
                                                make_depthwise,
                                                make_large_conv2d,
                                                make_large_conv_transpose2d,
                                                make_paired_conv2d};
  const int rounds = argc > 1 ? atoi(argv[1]) : 25;
  int round;
  size_t i;
  open_machines();
  open_relaxed();
  check_steep_sums();
  check_relaxed();
  for (round = 0; round < rounds; round++) {
    for (i = 0; i < sizeof makers / sizeof *makers; i++) {
      problem p, separate;
      memset(&p, 0, sizeof p);
      p.type = below(3) == 0 ? WEBNN_FLOAT16 : WEBNN_FLOAT32;
      p.constant = below(2) != 0;
      p.borrowed = p.constant && below(2) != 0;
      makers[i](&p);
      p.heavy = p.has_third && p.type == WEBNN_FLOAT32 && below(4) == 0;
      separate = p;
      if (p.op == WEBNN_OP_MATMUL && p.borrowed && below(2)) {
        separate.b_transpose = true;
        swap_last(&separate, 1);
      }
      check_problem(&separate);
      if (p.op != WEBNN_OP_CONV_TRANSPOSE2D) {
        merge(&p);
        check_merged(&p);
      }
    }
  }
  for (round = 0; round < rounds; round += 5) {
    problem p;
    memset(&p, 0, sizeof p);
    p.type = WEBNN_FLOAT32;
    p.constant = round % 2 != 0;
    make_long_rows(&p);
    check_problem(&p);
    merge(&p);
    check_merged(&p);
    memset(&p, 0, sizeof p);
    p.type = WEBNN_FLOAT16;
    p.constant = true;
    make_many_terms(&p);
    check_problem(&p);
    merge(&p);
    check_merged(&p);
  }
  check_bands();
  CHECK("borrowed weights", by_blis || left_in_place > 0, "all are packed");
  close_relaxed();
  close_machines();
  return test_end();
}
