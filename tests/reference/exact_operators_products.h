/* Operators that are sums of products: matmul, gemm, the convolutions; pooling and resampling. */
#ifndef WEBNN_EXACT_OPERATORS_PRODUCTS_H
#define WEBNN_EXACT_OPERATORS_PRODUCTS_H

#include "exact_operators_reductions.h"

/* ---- matmul, gemm
 * ------------------------------------------------------------------------------------ */

static void matmul_case(void) {
  uint32_t batch[3], batch_rank = below(4), shape[5], rank, c[WEBNN_MAX_RANK], own[WEBNN_MAX_RANK];
  const uint32_t rows = between(1, 6), inner = one_in(4) ? between(1, 64) : between(1, 9);
  const uint32_t columns = between(1, 6);
  tensor *x[2], *y;
  size_t i;
  uint32_t k, d;
  int side;
  random_shape(batch, batch_rank, 9);
  for (side = 0; side < 2; side++) {
    rank = random_part(shape, batch, batch_rank);
    shape[rank] = side ? inner : rows;
    shape[rank + 1] = side ? columns : inner;
    x[side] = input(side ? "b" : "a", now.type, shape, rank + 2);
  }
  /* The last two dimensions are set after joining, which takes them for equal. */
  rank = joined_shape(shape, x, 2);
  shape[rank - 2] = rows;
  shape[rank - 1] = columns;
  y = output(webnn_matmul(now.builder, x[0]->operand, x[1]->operand, NULL), now.type, shape, rank);
  for (i = 0; i < y->count; i++) {
    total s;
    total_begin(&s);
    unravel(y, i, c);
    for (k = 0; k < inner; k++) {
      mpfr_srcptr factor[2];
      for (side = 0; side < 2; side++) {
        const uint32_t skip = rank - x[side]->rank;
        for (d = 0; d + 2 < x[side]->rank; d++)
          own[d] = x[side]->shape[d] == 1 ? 0 : c[d + skip];
        own[d] = side ? k : c[rank - 2];
        own[d + 1] = side ? c[rank - 1] : k;
        factor[side] = x[side]->values[ravel(x[side], own)];
      }
      total_add_product(&s, factor[0], factor[1]);
    }
    y->bits[i] = round_to(now.type, s.value);
    total_end(&s);
  }
}

/* Every element of A B gets a first product 2^(2 e), which c takes away again, so that the others
   are what is left of a number longer than 128 bits. */
static void make_cancelling(tensor *a, tensor *b, tensor *c, const webnn_gemm_options *o) {
  const long e = now.type == WEBNN_FLOAT32 ? between(40, 62) : between(3, 7);
  const uint32_t inner = a->shape[!o->a_transpose], columns = b->shape[!o->b_transpose];
  size_t i;
  fill(a, ORDINARY);
  fill(b, ORDINARY);
  for (i = 0; i < a->count; i++)
    if ((o->a_transpose ? i / a->shape[1] : i % inner) == 0)
      a->bits[i] = float_of(now.type, 1, e);
  for (i = 0; i < b->count; i++)
    if ((o->b_transpose ? i % inner : i / columns) == 0)
      b->bits[i] = float_of(now.type, 1, e);
  for (i = 0; i < c->count; i++)
    c->bits[i] = float_of(now.type, -1, 2 * e);
}
static void gemm_case(void) {
  const uint32_t rows = between(1, 8), inner = one_in(4) ? between(1, 64) : between(1, 9);
  const uint32_t columns = between(1, 8);
  const bool cancelling = one_in(4);
  uint32_t shape[2] = {rows, columns}, part[2], rank;
  webnn_gemm_options o = WEBNN_ZERO;
  tensor *a, *b, *c = NULL, *y;
  mpfr_t value;
  size_t i;
  uint32_t k;
  o.a_transpose = one_in(2);
  o.b_transpose = one_in(2);
  note(" aTranspose=%d bTranspose=%d", o.a_transpose, o.b_transpose);
  o.alpha = random_option("alpha", now.alpha, 1);
  if (cancelling) {
    o.beta = o.alpha;
    mpfr_set(now.beta, now.alpha, MPFR_RNDZ);
    note(" beta=alpha");
  } else {
    o.beta = random_option("beta", now.beta, 1);
  }
  part[o.a_transpose] = rows;
  part[!o.a_transpose] = inner;
  a = unconnected("a", now.type, part, 2);
  part[o.b_transpose] = inner;
  part[!o.b_transpose] = columns;
  b = unconnected("b", now.type, part, 2);
  if (cancelling || !one_in(3)) {
    rank = random_part(part, shape, 2);
    c = unconnected("c", now.type, part, rank);
  }
  if (cancelling)
    make_cancelling(a, b, c, &o);
  connect(a);
  connect(b);
  if (c)
    connect(c);
  o.c = operand_of(c);
  y = output(webnn_gemm(now.builder, a->operand, b->operand, &o), now.type, shape, 2);
  mpfr_init2(value, DEEP);
  for (i = 0; i < y->count; i++) {
    const uint32_t row = (uint32_t)i / columns, column = (uint32_t)i % columns;
    total s;
    total_begin(&s);
    for (k = 0; k < inner; k++)
      total_add_product(&s, a->values[o.a_transpose ? k * rows + row : row * inner + k],
                        b->values[o.b_transpose ? column * inner + k : k * columns + column]);
    multiply(s.value, s.value, now.alpha);
    if (c) {
      multiply(value, c->values[broadcast_index(c, y, i)], now.beta);
      add(s.value, s.value, value);
    }
    y->bits[i] = round_to(now.type, s.value);
    total_end(&s);
  }
  mpfr_clear(value);
}

/* ---- Images
 * ------------------------------------------------------------------------------------------ */

/* The index of the element whose coordinates are called by these letters, in a layout of the same
   letters: "nchw" with letters "nhwc", say. */
static size_t at_letters(const tensor *t, const char *layout, const char *letters,
                         const uint32_t *coordinates) {
  uint32_t c[4], d;
  for (d = 0; d < 4; d++)
    c[strchr(layout, letters[d]) - layout] = coordinates[d];
  return ravel(t, c);
}
static void shape_of_letters(const char *layout, const char *letters, const uint32_t *sizes,
                             uint32_t *shape) {
  uint32_t d;
  for (d = 0; d < 4; d++)
    shape[strchr(layout, letters[d]) - layout] = sizes[d];
}
static webnn_input_operand_layout random_layout(const char **letters) {
  const bool last = one_in(2);
  *letters = last ? "nhwc" : "nchw";
  note(" layout=%s", *letters);
  return last ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
}

/* A window that moves over two dimensions. */
typedef struct window {
  uint32_t in[2], size[2], padding[4], strides[2], dilations[2], out[2];
} window;

static uint32_t reach(const window *w, int k) {
  return (w->size[k] - 1) * w->dilations[k] + 1;
}
static void random_window(window *w) {
  int k;
  const bool padded = one_in(2), strided = one_in(2), dilated = one_in(3);
  for (k = 0; k < 2; k++) {
    w->in[k] = between(1, 9);
    w->size[k] = between(1, 4);
    w->padding[2 * k] = padded ? below(4) : 0;
    w->padding[2 * k + 1] = padded ? below(4) : 0;
    w->strides[k] = strided ? between(1, 3) : 1;
    w->dilations[k] = dilated ? between(1, 3) : 1;
  }
}
/* Where tap `a` of position `p` lies along dimension k; false: in the padding. */
static bool tap(const window *w, int k, uint32_t p, uint32_t a, uint32_t *place) {
  const int64_t at =
      (int64_t)p * w->strides[k] + (int64_t)a * w->dilations[k] - (int64_t)w->padding[2 * k];
  *place = (uint32_t)at;
  return at >= 0 && at < w->in[k];
}
/* The lists of the options; defaults are left out half of the time. */
static webnn_list option_list(const char *name, const uint32_t *items, uint32_t count,
                              uint32_t absent) {
  bool all = true;
  uint32_t k;
  for (k = 0; k < count; k++)
    all = all && items[k] == absent;
  note_list(name, webnn_list_of(items, count));
  return all && one_in(2) ? (webnn_list)WEBNN_ZERO : webnn_list_of(items, count);
}

/* ---- conv2d, convTranspose2d
 * ------------------------------------------------------------------------- */

static const char *const conv2d_letters[4] = {"oihw", "hwio", "ohwi", "ihwo"};
static const char *const conv_transpose2d_letters[3] = {"iohw", "hwoi", "ohwi"};

static void conv2d_case(void) {
  const uint32_t batch = between(1, 2), groups = one_in(2) ? 1 : between(2, 3);
  const uint32_t in_each = between(1, 3), out_each = between(1, 3);
  const uint32_t out_channels = out_each * groups;
  const char *layout, *filter_layout;
  webnn_conv2d_options o = WEBNN_ZERO;
  tensor *x, *w, *bias, *y;
  uint32_t shape[4], n, c, p, q, i, a, b;
  window v;
  int k;
  do {
    random_window(&v);
    for (k = 0; k < 2; k++)
      v.out[k] =
          v.in[k] + v.padding[2 * k] + v.padding[2 * k + 1] < reach(&v, k)
              ? 0
              : (v.in[k] + v.padding[2 * k] + v.padding[2 * k + 1] - reach(&v, k)) / v.strides[k] +
                    1;
  } while (v.out[0] * v.out[1] == 0 || batch * out_channels * v.out[0] * v.out[1] > MOST_ELEMENTS);
  o.padding = option_list("padding", v.padding, 4, 0);
  o.strides = option_list("strides", v.strides, 2, 1);
  o.dilations = option_list("dilations", v.dilations, 2, 1);
  if (groups != 1 || one_in(2))
    o.groups = groups;
  note(" groups=%u", (unsigned)groups);
  o.input_layout = random_layout(&layout);
  o.filter_layout = (webnn_conv2d_filter_operand_layout)below(4);
  filter_layout = conv2d_letters[o.filter_layout];
  note(" filterLayout=%s", filter_layout);
  shape_of_letters(layout, "nchw", (uint32_t[]){batch, in_each * groups, v.in[0], v.in[1]}, shape);
  x = input("input", now.type, shape, 4);
  shape_of_letters(filter_layout, "oihw", (uint32_t[]){out_channels, in_each, v.size[0], v.size[1]},
                   shape);
  w = input("filter", now.type, shape, 4);
  bias = optional_input("bias", now.type, &out_channels, 1);
  o.bias = operand_of(bias);
  shape_of_letters(layout, "nchw", (uint32_t[]){batch, out_channels, v.out[0], v.out[1]}, shape);
  y = output(webnn_conv2d(now.builder, x->operand, w->operand, &o), now.type, shape, 4);
  for (n = 0; n < batch; n++)
    for (c = 0; c < out_channels; c++)
      for (p = 0; p < v.out[0]; p++)
        for (q = 0; q < v.out[1]; q++) {
          total s;
          uint32_t row, column;
          total_begin(&s);
          for (i = 0; i < in_each; i++)
            for (a = 0; a < v.size[0]; a++)
              for (b = 0; b < v.size[1]; b++)
                if (tap(&v, 0, p, a, &row) && tap(&v, 1, q, b, &column))
                  total_add_product(
                      &s,
                      x->values[at_letters(
                          x, layout, "nchw",
                          (uint32_t[]){n, c / out_each * in_each + i, row, column})],
                      w->values[at_letters(w, filter_layout, "oihw", (uint32_t[]){c, i, a, b})]);
          if (bias)
            total_add(&s, bias->values[c]);
          y->bits[at_letters(y, layout, "nchw", (uint32_t[]){n, c, p, q})] =
              round_to(now.type, s.value);
          total_end(&s);
        }
}

/* Sizes of a transposed convolution; false if there is no such output. */
static bool transposed_sizes(window *v, const uint32_t *extra) {
  int k;
  for (k = 0; k < 2; k++) {
    const int64_t size = (int64_t)(v->in[k] - 1) * v->strides[k] + reach(v, k) - v->padding[2 * k] -
                         v->padding[2 * k + 1] + extra[k];
    if (size < 1)
      return false;
    v->out[k] = (uint32_t)size;
  }
  return true;
}
/* What input element (h, w) of a transposed convolution adds through tap (a, b), if its place is
   that of the output element (p, q). */
static bool meets(const window *v, int k, uint32_t from, uint32_t a, uint32_t to) {
  return (int64_t)from * v->strides[k] + (int64_t)a * v->dilations[k] -
             (int64_t)v->padding[2 * k] ==
         (int64_t)to;
}
static void conv_transpose2d_case(void) {
  const uint32_t batch = between(1, 2), groups = one_in(2) ? 1 : between(2, 3);
  const uint32_t in_each = between(1, 3), out_each = between(1, 3);
  const uint32_t out_channels = out_each * groups;
  const char *layout, *filter_layout;
  webnn_conv_transpose2d_options o = WEBNN_ZERO;
  tensor *x, *w, *bias, *y;
  uint32_t shape[4], extra[2], ignored[2] = {9, 9}, n, c, p, q, i, a, b, h, u;
  window v;
  do {
    random_window(&v);
    v.in[0] = (v.in[0] + 1) / 2;
    v.in[1] = (v.in[1] + 1) / 2;
    extra[0] = below(v.strides[0]);
    extra[1] = below(v.strides[1]);
  } while (!transposed_sizes(&v, extra) ||
           batch * out_channels * v.out[0] * v.out[1] > MOST_ELEMENTS);
  o.padding = option_list("padding", v.padding, 4, 0);
  o.strides = option_list("strides", v.strides, 2, 1);
  o.dilations = option_list("dilations", v.dilations, 2, 1);
  if (one_in(3)) {
    o.output_sizes = webnn_list_of(v.out, 2);
    note_list("outputSizes", o.output_sizes);
    if (one_in(2))
      o.output_padding = webnn_list_of(ignored, 2);
  } else {
    o.output_padding = option_list("outputPadding", extra, 2, 0);
  }
  if (groups != 1 || one_in(2))
    o.groups = groups;
  note(" groups=%u", (unsigned)groups);
  o.input_layout = random_layout(&layout);
  o.filter_layout = (webnn_conv_transpose2d_filter_operand_layout)below(3);
  filter_layout = conv_transpose2d_letters[o.filter_layout];
  note(" filterLayout=%s", filter_layout);
  shape_of_letters(layout, "nchw", (uint32_t[]){batch, in_each * groups, v.in[0], v.in[1]}, shape);
  x = input("input", now.type, shape, 4);
  shape_of_letters(filter_layout, "iohw",
                   (uint32_t[]){in_each * groups, out_each, v.size[0], v.size[1]}, shape);
  w = input("filter", now.type, shape, 4);
  bias = optional_input("bias", now.type, &out_channels, 1);
  o.bias = operand_of(bias);
  shape_of_letters(layout, "nchw", (uint32_t[]){batch, out_channels, v.out[0], v.out[1]}, shape);
  y = output(webnn_conv_transpose2d(now.builder, x->operand, w->operand, &o), now.type, shape, 4);
  for (n = 0; n < batch; n++)
    for (c = 0; c < out_channels; c++)
      for (p = 0; p < v.out[0]; p++)
        for (q = 0; q < v.out[1]; q++) {
          total s;
          total_begin(&s);
          for (h = 0; h < v.in[0]; h++)
            for (a = 0; a < v.size[0]; a++)
              for (u = 0; meets(&v, 0, h, a, p) && u < v.in[1]; u++)
                for (b = 0; b < v.size[1]; b++)
                  for (i = 0; meets(&v, 1, u, b, q) && i < in_each; i++) {
                    const uint32_t channel = c / out_each * in_each + i;
                    total_add_product(
                        &s,
                        x->values[at_letters(x, layout, "nchw", (uint32_t[]){n, channel, h, u})],
                        w->values[at_letters(w, filter_layout, "iohw",
                                             (uint32_t[]){channel, c % out_each, a, b})]);
                  }
          if (bias)
            total_add(&s, bias->values[c]);
          y->bits[at_letters(y, layout, "nchw", (uint32_t[]){n, c, p, q})] =
              round_to(now.type, s.value);
          total_end(&s);
        }
}

/* ---- Pooling
 * ------------------------------------------------------------------------------------------- */

/* Rows or columns of the result; 0: none. */
static uint32_t pooled_size(const window *v, int k, bool ceiling) {
  const int64_t room = (int64_t)v->in[k] + v->padding[2 * k] + v->padding[2 * k + 1] - reach(v, k);
  const int64_t stride = v->strides[k];
  if (ceiling)
    return room <= -stride ? 0 : (uint32_t)((room + stride - 1) / stride + 1);
  return room < 0 ? 0 : (uint32_t)(room / stride + 1);
}
static void pool_group(const tensor *x, const group *g, mpfr_ptr y) {
  if (now.op == WEBNN_OP_MAX_POOL2D && g->count == 0) {
    if (test_is_float(now.type))
      mpfr_set_inf(y, -1);
    else
      load(y, now.type, smallest_integer(now.type));
  } else if (now.op == WEBNN_OP_MAX_POOL2D) {
    extreme_of(x, g, false, y);
  } else if (now.op == WEBNN_OP_L2_POOL2D) {
    sum_of(x, g, false, true, y);
    square_root(y, y);
  } else {
    sum_of(x, g, false, false, y);
    odd(y, mpfr_div_ui(y, y, g->count ? g->count : 1, MPFR_RNDZ));
  }
}
static void pool_case(void) {
  const uint32_t batch = between(1, 2), channels = between(1, 3);
  webnn_operand *(*call)(webnn_builder *, webnn_operand *, const webnn_pool2d_options *) =
      now.op == WEBNN_OP_MAX_POOL2D  ? webnn_max_pool2d
      : now.op == WEBNN_OP_L2_POOL2D ? webnn_l2_pool2d
                                     : webnn_average_pool2d;
  const bool whole = one_in(5), ceiling = one_in(2);
  const char *layout;
  webnn_pool2d_options o = WEBNN_ZERO;
  tensor *x, *y;
  uint32_t shape[4], n, c, p, q, a, b;
  static group g;
  mpfr_t value;
  window v;
  do {
    random_window(&v);
    if (whole)
      memcpy(v.size, v.in, sizeof v.in);
    v.out[0] = pooled_size(&v, 0, ceiling);
    v.out[1] = pooled_size(&v, 1, ceiling);
  } while (v.out[0] * v.out[1] == 0 || batch * channels * v.out[0] * v.out[1] > MOST_ELEMENTS);
  if (!whole || one_in(2))
    o.window_dimensions = webnn_list_of(v.size, 2);
  note_list("window", webnn_list_of(v.size, 2));
  o.padding = option_list("padding", v.padding, 4, 0);
  o.strides = option_list("strides", v.strides, 2, 1);
  o.dilations = option_list("dilations", v.dilations, 2, 1);
  o.layout = random_layout(&layout);
  if (one_in(3))
    o.output_sizes = webnn_list_of(v.out, 2);
  o.output_shape_rounding = o.output_sizes.given ? (webnn_rounding_type)below(2)
                            : ceiling            ? WEBNN_ROUNDING_CEIL
                                                 : WEBNN_ROUNDING_FLOOR;
  note(" %s%s", ceiling ? "ceil" : "floor", o.output_sizes.given ? " by outputSizes" : "");
  shape_of_letters(layout, "nchw", (uint32_t[]){batch, channels, v.in[0], v.in[1]}, shape);
  x = unconnected("input", now.type, shape, 4);
  if (now.op == WEBNN_OP_L2_POOL2D && one_in(3))
    make_hypotenuse(x);
  connect(x);
  shape_of_letters(layout, "nchw", (uint32_t[]){batch, channels, v.out[0], v.out[1]}, shape);
  y = output(call(now.builder, x->operand, &o), now.type, shape, 4);
  mpfr_init2(value, DEEP);
  for (n = 0; n < batch; n++)
    for (c = 0; c < channels; c++)
      for (p = 0; p < v.out[0]; p++)
        for (q = 0; q < v.out[1]; q++) {
          uint32_t row, column;
          g.count = 0;
          for (a = 0; a < v.size[0]; a++)
            for (b = 0; b < v.size[1]; b++)
              if (tap(&v, 0, p, a, &row) && tap(&v, 1, q, b, &column))
                g.items[g.count++] = at_letters(x, layout, "nchw", (uint32_t[]){n, c, row, column});
          pool_group(x, &g, value);
          y->bits[at_letters(y, layout, "nchw", (uint32_t[]){n, c, p, q})] =
              round_to(now.type, value);
        }
  mpfr_clear(value);
}

/* ---- resample2d
 * ------------------------------------------------------------------------------------------ */

/* u = (o + 0.5) in / out - 0.5 within 0 ... in - 1 as a fraction of 2 out. */
static uint32_t source_place(uint32_t o, uint32_t in, uint32_t out) {
  const int64_t u = (int64_t)(2 * o + 1) * in - out, most = (int64_t)2 * out * (in - 1);
  return (uint32_t)(u < 0 ? 0 : u > most ? most : u);
}
/* The two neighbours along an axis and their weights, which add up to 2 out. */
typedef struct neighbours {
  uint32_t place[2], weight[2];
} neighbours;

static neighbours linear_neighbours(uint32_t o, uint32_t in, uint32_t out) {
  const uint32_t u = source_place(o, in, out), whole = 2 * out;
  neighbours n;
  n.place[0] = u / whole;
  n.place[1] = (u + whole - 1) / whole;
  n.weight[1] = u % whole;
  n.weight[0] = whole - n.weight[1];
  return n;
}
static uint32_t nearest_place(uint32_t o, uint32_t in, uint32_t out) {
  const uint32_t u = source_place(o, in, out);
  return u <= out ? 0 : (u - out + 2 * out - 1) / (2 * out);
}
static void interpolate(const tensor *x, const tensor *y, const uint32_t *axes, uint32_t *c,
                        mpfr_ptr value) {
  neighbours n[2];
  uint32_t i, j;
  total s;
  mpfr_t term;
  for (i = 0; i < 2; i++)
    n[i] = linear_neighbours(c[axes[i]], x->shape[axes[i]], y->shape[axes[i]]);
  total_begin(&s);
  mpfr_init2(term, 2 * ELEMENT);
  for (i = 0; i < 2; i++)
    for (j = 0; j < 2; j++) {
      if (n[0].weight[i] == 0 || n[1].weight[j] == 0)
        continue;
      c[axes[0]] = n[0].place[i];
      c[axes[1]] = n[1].place[j];
      mpfr_mul_ui(term, x->values[ravel(x, c)], n[0].weight[i], MPFR_RNDZ);
      mpfr_mul_ui(term, term, n[1].weight[j], MPFR_RNDZ);
      total_add(&s, term);
    }
  odd(value, mpfr_div_ui(value, s.value, (unsigned long)4 * y->shape[axes[0]] * y->shape[axes[1]],
                         MPFR_RNDZ));
  total_end(&s);
  mpfr_clear(term);
}
static void resample2d_case(void) {
  uint32_t shape[4], large[4], axes[2] = {2, 3}, sizes[2], c[WEBNN_MAX_RANK];
  float scales[2];
  webnn_resample2d_options o = WEBNN_ZERO;
  tensor *x, *y;
  mpfr_t value;
  size_t i;
  int k;
  random_shape(shape, 4, MOST_ELEMENTS / 8);
  x = input("input", now.type, shape, 4);
  if (one_in(2)) {
    axes[0] = below(4);
    axes[1] = (axes[0] + between(1, 3)) % 4;
  }
  if (!(axes[0] == 2 && axes[1] == 3) || one_in(2))
    o.axes = webnn_list_of(axes, 2);
  o.mode = one_in(3) ? WEBNN_INTERPOLATION_NEAREST_NEIGHBOR : WEBNN_INTERPOLATION_LINEAR;
  memcpy(large, shape, sizeof shape);
  do {
    for (k = 0; k < 2; k++) {
      sizes[k] = between(1, 2 * shape[axes[k]] + 2);
      scales[k] = ((float)sizes[k] + (float)below(16) / 16) / (float)shape[axes[k]];
    }
    o.sizes = one_in(2) ? webnn_list_of(sizes, 2) : (webnn_list)WEBNN_ZERO;
    /* Ignored if there are sizes. */
    o.scales = one_in(16) ? (webnn_float_list)WEBNN_ZERO : WEBNN_FLOAT_LIST(scales[0], scales[1]);
    for (k = 0; k < 2; k++) { /* the product is exact in double */
      const double scale = o.scales.given ? (double)scales[k] : 1;
      large[axes[k]] = o.sizes.given ? sizes[k] : (uint32_t)((double)shape[axes[k]] * scale);
    }
  } while (count_of(large, 4) > MOST_ELEMENTS || count_of(large, 4) == 0);
  note(" mode=%s scales=%a,%a", o.mode == WEBNN_INTERPOLATION_LINEAR ? "linear" : "nearest",
       (double)scales[0], (double)scales[1]);
  note_list(o.sizes.given ? "sizes" : "size", webnn_list_of(sizes, 2));
  note_list("axes", webnn_list_of(axes, 2));
  y = output(webnn_resample2d(now.builder, x->operand, &o), now.type, large, 4);
  mpfr_init2(value, DEEP);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    if (o.mode == WEBNN_INTERPOLATION_LINEAR) {
      interpolate(x, y, axes, c, value);
      if (!test_is_float(now.type))
        mpfr_rint_roundeven(value, value, MPFR_RNDZ);
      y->bits[i] = round_to(now.type, value);
    } else {
      for (k = 0; k < 2; k++)
        c[axes[k]] = nearest_place(c[axes[k]], x->shape[axes[k]], y->shape[axes[k]]);
      y->bits[i] = x->bits[ravel(x, c)];
    }
  }
  mpfr_clear(value);
}

#endif
