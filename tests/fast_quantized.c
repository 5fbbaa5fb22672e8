/* Quantized matmul, gemm and conv2d. The kernels first, on nodes made by hand: every table of
   vector functions that the machine can run, random shapes, layouts, strides, dilations, paddings,
   groups, types, scales and zero points, items in slices of several sizes. What is expected comes
   from sums in 64 bits and a scaling in double precision:

       y = roundEven(clamp(sum x_scale w_scale + bias, low, high) / y_scale) + y_zero, saturated

   and must be the same, except where the number before rounding is so close to a tie that three
   roundings to float32 can decide; those are counted and must be rare. */
#include "test.h"

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t n) {
  return (uint32_t)(test_random(&state) >> 33) % n;
}

static uint32_t pick(uint32_t least, uint32_t most) {
  return least + below(most - least + 1);
}

/* Quantities of a convolution; a matrix product is one of 1 x 1, with an image of one row. */
typedef struct problem {
  webnn_op op;
  bool a_transpose, b_transpose;
  uint32_t input_layout, filter_layout, groups;
  uint32_t x[4], w[4], y[4]; /* n c h w; output, input, h, w; n c h w */
  uint32_t padding[4], strides[2], dilations[2];
  webnn_data_type x_type, w_type, y_type, bias_type; /* bias_type 0: none */
  bool per_channel;
  float low, high;
  bool whole; /* inputs are the largest there are */
} problem;

static const uint8_t image_axes[2][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}}; /* nchw, nhwc */
static const uint8_t filter_axes[4][4] = {{0, 1, 2, 3}, {2, 3, 1, 0}, {0, 2, 3, 1}, {1, 2, 3, 0}};
static const webnn_filter_operand_layout filter_layouts[4] = {WEBNN_OIHW, WEBNN_HWIO, WEBNN_OHWI,
                                                              WEBNN_IHWO};

static void make_types(problem *p) {
  p->x_type = below(2) ? WEBNN_UINT8 : WEBNN_INT8;
  p->w_type = below(4) ? WEBNN_INT8 : WEBNN_UINT8;
  p->y_type = below(4) == 0 ? WEBNN_FLOAT32 : below(2) ? WEBNN_UINT8 : WEBNN_INT8;
  p->bias_type = (webnn_data_type)(below(3) == 0 ? 0 : below(2) ? WEBNN_INT32 : WEBNN_FLOAT32);
  p->per_channel = below(2) != 0;
  p->low = below(3) == 0 ? 0.0f : -1e30f;
  p->high = below(3) == 0 ? 1.5f : 1e30f;
  p->whole = below(8) == 0;
}

static void make_matrices(problem *p) {
  uint32_t i;
  p->op = below(2) ? WEBNN_OP_MATMUL : WEBNN_OP_GEMM;
  p->a_transpose = p->op == WEBNN_OP_GEMM && below(2);
  p->b_transpose = p->op == WEBNN_OP_GEMM && below(2);
  p->groups = 1;
  for (i = 0; i < 4; i++) {
    p->x[i] = p->w[i] = p->y[i] = 1;
    p->padding[i] = 0;
    p->strides[i / 2] = p->dilations[i / 2] = 1;
  }
  p->x[3] = p->y[3] = below(12) == 0 ? pick(250, 600) : pick(1, 40);
  p->x[1] = p->w[1] = below(8) == 0 ? pick(500, 1100) : pick(1, 70);
  p->y[1] = p->w[0] = pick(1, 80);
  if (p->op == WEBNN_OP_MATMUL) {
    p->x[2] = p->y[2] = pick(1, 3);
  }
}

static uint32_t span(uint32_t window, uint32_t dilation) {
  return (window - 1) * dilation + 1;
}

static void make_images(problem *p) {
  const uint32_t kind = below(4);
  uint32_t i;
  p->op = WEBNN_OP_CONV2D;
  p->input_layout = below(2);
  p->filter_layout = below(4);
  p->groups = kind == 0 ? pick(2, 150) : kind == 1 ? pick(1, 4) : 1;
  p->w[1] = kind == 0 ? 1 : below(6) == 0 ? pick(20, 200) : pick(1, 20);
  p->w[0] = p->groups * (kind == 0 && below(4) ? 1 : pick(1, kind == 0 ? 2 : 40));
  p->x[0] = p->y[0] = pick(1, 2);
  p->x[1] = p->w[1] * p->groups;
  p->y[1] = p->w[0];
  for (i = 0; i < 2; i++) {
    p->w[2 + i] = kind == 3 ? 1 : below(2) ? 3 : pick(1, 5);
    p->strides[i] = below(2) ? 1 : pick(1, 3);
    p->dilations[i] = below(3) ? 1 : pick(1, 2);
    p->padding[2 * i] = below(2) && kind != 3 ? below(3) : 0;
    p->padding[2 * i + 1] = below(2) && kind != 3 ? below(3) : 0;
    p->x[2 + i] = span(p->w[2 + i], p->dilations[i]) + (below(20) == 0 ? 70 : below(20));
    p->y[2 + i] = (p->x[2 + i] + p->padding[2 * i] + p->padding[2 * i + 1] -
                   span(p->w[2 + i], p->dilations[i])) /
                      p->strides[i] +
                  1;
  }
}

/* ---- Tensors ------------------------------------------------------------------------------------
 */

static size_t count_of(const uint32_t *size) {
  return (size_t)size[0] * size[1] * size[2] * size[3];
}

/* Where an element stands whose coordinates are given in the order of `size`. */
static size_t place(const uint32_t *size, const uint8_t *axes, const uint32_t *c) {
  size_t at = 0;
  int i;
  for (i = 0; i < 4; i++) {
    at = at * size[axes[i]] + c[axes[i]];
  }
  return at;
}

static size_t x_place(const problem *p, const uint32_t *c) {
  static const uint8_t transposed[4] = {0, 2, 1, 3};
  return place(p->x,
               p->op == WEBNN_OP_CONV2D ? image_axes[p->input_layout]
               : p->a_transpose         ? transposed
                                        : image_axes[1],
               c);
}

static size_t y_place(const problem *p, const uint32_t *c) {
  return place(p->y, image_axes[p->op == WEBNN_OP_CONV2D ? p->input_layout : 1], c);
}

static size_t w_place(const problem *p, const uint32_t *c) {
  return place(p->w,
               filter_axes[p->op == WEBNN_OP_CONV2D ? p->filter_layout
                           : p->b_transpose         ? 0
                                                    : 1],
               c);
}

typedef struct tensors {
  void *x, *w, *bias;
  float x_scale, y_scale, *w_scale, *bias_scale;
  uint8_t x_zero, y_zero, *w_zero;
  int32_t *bias_zero;
  size_t channels; /* 1 or the output channels */
} tensors;

static int32_t byte_of(webnn_data_type type, uint8_t byte) {
  return type == WEBNN_INT8 && byte > 127 ? byte - 256 : byte;
}

static void make_tensors(const problem *p, tensors *t) {
  const size_t terms = (size_t)p->w[1] * p->w[2] * p->w[3], outputs = p->w[0];
  const size_t x_count = count_of(p->x), w_count = count_of(p->w);
  double root = 1;
  size_t i;
  t->channels = p->per_channel ? outputs : 1;
  t->x = test_allocate(x_count);
  t->w = test_allocate(w_count);
  t->bias = test_allocate(outputs * 4);
  t->w_scale = (float *)test_allocate(outputs * sizeof(float));
  t->bias_scale = (float *)test_allocate(outputs * sizeof(float));
  t->w_zero = (uint8_t *)test_allocate(outputs);
  t->bias_zero = (int32_t *)test_allocate(outputs * sizeof(int32_t));
  for (i = 0; i < x_count; i++) {
    ((uint8_t *)t->x)[i] = (uint8_t)(p->whole ? (p->x_type == WEBNN_INT8 ? 128 : 255) : below(256));
  }
  for (i = 0; i < w_count; i++) {
    ((uint8_t *)t->w)[i] = (uint8_t)(p->whole ? (p->w_type == WEBNN_INT8 ? 128 : 0) : below(256));
  }
  t->x_scale = (float)test_random_between(&state, 0.01, 0.05);
  t->x_zero = (uint8_t)(below(2) ? 0 : below(256));
  t->y_zero = (uint8_t)below(256);
  for (i = 0; i < outputs; i++) { /* weights less their zero points are int8 */
    t->w_scale[i] = (float)test_random_between(&state, 0.005, 0.01);
    t->w_zero[i] = (uint8_t)(p->w_type == WEBNN_UINT8 ? 128 : 0);
    t->bias_scale[i] = t->x_scale * t->w_scale[p->per_channel ? i : 0];
    t->bias_zero[i] = below(2) ? 0 : (int32_t)pick(0, 9) - 5;
    if (p->bias_type == WEBNN_INT32) {
      ((int32_t *)t->bias)[i] = (int32_t)below(20001) - 10000;
    } else {
      ((float *)t->bias)[i] = (float)test_random_between(&state, -1, 1);
    }
  }
  while (root * root < (double)terms) {
    root++;
  }
  t->y_scale =
      (float)(0.03 * 128 * 0.007 * 80 * root / 200 * test_random_between(&state, 0.5, 1.5));
}

static void free_tensors(tensors *t) {
  free(t->x);
  free(t->w);
  free(t->bias);
  free(t->w_scale);
  free(t->bias_scale);
  free(t->w_zero);
  free(t->bias_zero);
}

/* ---- What is expected --------------------------------------------------------------------------
 */

/* The sum for one result, and the sum of the terms' magnitudes. */
static int64_t sum_of(const problem *p, const tensors *t, const uint32_t *y, int64_t *magnitude) {
  const uint32_t inputs = p->w[1], group = y[1] / (p->w[0] / p->groups);
  const int32_t x_zero = byte_of(p->x_type, t->x_zero);
  const int32_t w_zero = byte_of(p->w_type, t->w_zero[p->per_channel ? y[1] : 0]);
  int64_t sum = 0;
  uint32_t x[4], w[4];
  x[0] = y[0];
  w[0] = y[1];
  *magnitude = 0;
  for (w[1] = 0; w[1] < inputs; w[1]++) {
    x[1] = group * inputs + w[1];
    for (w[2] = 0; w[2] < p->w[2]; w[2]++) {
      x[2] = y[2] * p->strides[0] + w[2] * p->dilations[0] - p->padding[0];
      for (w[3] = 0; w[3] < p->w[3]; w[3]++) {
        x[3] = y[3] * p->strides[1] + w[3] * p->dilations[1] - p->padding[2];
        if (x[2] < p->x[2] && x[3] < p->x[3]) { /* unsigned: negative ones are large */
          const int64_t a = byte_of(p->x_type, ((const uint8_t *)t->x)[x_place(p, x)]) - x_zero;
          const int64_t b = byte_of(p->w_type, ((const uint8_t *)t->w)[w_place(p, w)]) - w_zero;
          sum += a * b;
          *magnitude += a * b < 0 ? -a * b : a * b;
        }
      }
    }
  }
  return sum;
}

static double round_even(double x) {
  const double big = 6755399441055744.0; /* 1.5 2^52 */
  volatile double y = x + big;
  return y - big;
}

typedef struct expected {
  double value;        /* of float32 results, or the integer */
  double other;        /* what it may be as well, because of a tie nearby; else the same */
  double scale, error; /* of float32 results: what they may differ by */
} expected;

/* `slack`: in units of 2^-24, of the size of the terms. */
static expected expect(const problem *p, const tensors *t, const uint32_t *y, double slack,
                       bool by_terms) {
  const size_t o = p->per_channel ? y[1] : 0;
  int64_t magnitude;
  const int64_t sum = sum_of(p, t, y, &magnitude);
  const double scale = (double)t->x_scale * (double)t->w_scale[o];
  double bias = 0, real, size;
  expected e;
  if (p->bias_type == WEBNN_FLOAT32) {
    bias = (double)((const float *)t->bias)[y[1]];
  } else if (p->bias_type == WEBNN_INT32) {
    bias = (double)(((const int32_t *)t->bias)[y[1]] - t->bias_zero[o]) * (double)t->bias_scale[o];
  }
  real = (double)sum * scale + bias;
  size = (by_terms ? (double)magnitude : (double)(sum < 0 ? -sum : sum)) * scale +
         (bias < 0 ? -bias : bias);
  e.error = size * slack * 0x1p-24;
  if (p->y_type == WEBNN_FLOAT32) {
    real = real < (double)p->low ? (double)p->low : real > (double)p->high ? (double)p->high : real;
    e.value = e.other = real;
    return e;
  }
  {
    const double unit = (double)t->y_scale, zero = byte_of(p->y_type, t->y_zero);
    const double least = p->y_type == WEBNN_INT8 ? -128 : 0;
    double v[2];
    int i;
    for (i = 0; i < 2; i++) {
      double r = i == 0 ? real - e.error : real + e.error;
      const double low = (double)p->low * (1 - (i == 0 ? 0x1p-23 : -0x1p-23)),
                   high = (double)p->high * (1 - (i == 0 ? 0x1p-23 : -0x1p-23));
      r = r < low ? low : r > high ? high : r;
      v[i] = round_even(r / unit) + zero;
      v[i] = v[i] < least ? least : v[i] > least + 255 ? least + 255 : v[i];
    }
    real = real < (double)p->low ? (double)p->low : real > (double)p->high ? (double)p->high : real;
    e.value = round_even(real / unit) + zero;
    e.value = e.value < least ? least : e.value > least + 255 ? least + 255 : e.value;
    e.other = v[0] != e.value ? v[0] : v[1];
  }
  return e;
}

static unsigned long results, close_results, other_results;

/* Compares all results; `where` is for the message. */
static void compare(const problem *p, const tensors *t, const void *got, double slack,
                    bool by_terms, const char *where) {
  uint32_t y[4];
  for (y[0] = 0; y[0] < p->y[0]; y[0]++) {
    for (y[1] = 0; y[1] < p->y[1]; y[1]++) {
      for (y[2] = 0; y[2] < p->y[2]; y[2]++) {
        for (y[3] = 0; y[3] < p->y[3]; y[3]++) {
          const double value = test_get(p->y_type, got, y_place(p, y));
          const expected e = expect(p, t, y, slack, by_terms);
          bool good = value == e.value || value == e.other;
          if (p->y_type == WEBNN_FLOAT32) {
            good = value - e.value <= e.error && e.value - value <= e.error;
          } else {
            results++;
            close_results += e.other != e.value;
            other_results += value != e.value;
          }
          if (!good) {
            CHECK(webnn_op_name(p->op), false,
                  "%s, %s x %s -> %s, y[%u, %u, %u, %u] of [%u, %u, %u, %u], window %u x %u of %u, "
                  "%u groups: expected %.9g, got %.9g",
                  where, webnn_data_type_name(p->x_type), webnn_data_type_name(p->w_type),
                  webnn_data_type_name(p->y_type), y[0], y[1], y[2], y[3], p->y[0], p->y[1],
                  p->y[2], p->y[3], p->w[2], p->w[3], p->w[1], p->groups, e.value, value);
            return;
          }
        }
      }
    }
  }
  CHECK(webnn_op_name(p->op), true, "%s", where);
}

/* ---- The kernels on nodes made by hand ----------------------------------------------------------
 */

static void set_shape(webnn__shape *shape, const uint32_t *size, const uint8_t *axes) {
  int i;
  shape->rank = 4;
  for (i = 0; i < 4; i++) {
    shape->dimensions[i] = size[axes[i]];
  }
}

/* The shape that the operator has. */
static void shape_of(const problem *p, int which, webnn__shape *shape) {
  memset(shape, 0, sizeof *shape);
  if (p->op == WEBNN_OP_CONV2D) {
    set_shape(shape,
              which == 0   ? p->x
              : which == 1 ? p->w
                           : p->y,
              which == 1 ? filter_axes[p->filter_layout] : image_axes[p->input_layout]);
    return;
  }
  if (p->op == WEBNN_OP_MATMUL && which != 1) {
    shape->dimensions[shape->rank++] = p->x[2];
  }
  shape->rank += 2;
  if (which == 1) {
    shape->dimensions[0] = p->b_transpose ? p->w[0] : p->w[1];
    shape->dimensions[1] = p->b_transpose ? p->w[1] : p->w[0];
  } else {
    const uint32_t channels = which == 0 ? p->x[1] : p->y[1];
    const bool transposed = which == 0 && p->a_transpose;
    shape->dimensions[shape->rank - 2] = transposed ? channels : p->x[3];
    shape->dimensions[shape->rank - 1] = transposed ? p->x[3] : channels;
  }
}

static void view_of(webnn__view *view, webnn_data_type type, const void *data, size_t count) {
  memcpy(&view->data, &data, sizeof data);
  view->type = type;
  view->shape.rank = 1;
  view->shape.dimensions[0] = (uint32_t)count;
  view->count = count;
  view->is_constant = true;
}

static void run_in_slices(webnn__kernel_call *call, uint64_t slice) {
  const webnn__fast_kernel *fast = &webnn__fast_quantized;
  for (call->phase = 0; call->phase < fast->phases; call->phase++) {
    const uint64_t items = fast->kernel.items(call);
    uint64_t begin;
    for (begin = 0; begin < items; begin += slice) {
      fast->kernel.run(call, begin, begin + slice < items ? begin + slice : items);
    }
  }
}

static void check_kernels(const problem *p, const tensors *t, const webnn__kernels *kernels) {
  const size_t count = count_of(p->y), bytes = count * webnn_data_type_bits(p->y_type) / 8;
  webnn__view views[WEBNN__QUANTIZED_INPUTS], y;
  webnn__fused fused;
  webnn__node node;
  webnn__kernel_call call;
  void *result = test_allocate(bytes + 64), *first = test_allocate(bytes);
  uint32_t i;
  memset(views, 0, sizeof views);
  memset(&y, 0, sizeof y);
  memset(&fused, 0, sizeof fused);
  memset(&node, 0, sizeof node);
  memset(&call, 0, sizeof call);
  fused.low = p->low;
  fused.high = p->high;
  fused.quantized = true;
  node.op = p->op;
  node.fused = &fused;
  node.attributes.groups = p->groups;
  node.attributes.input_layout = p->input_layout == 0 ? WEBNN_NCHW : WEBNN_NHWC;
  node.attributes.filter_layout = filter_layouts[p->filter_layout];
  node.attributes.a_transpose = p->a_transpose;
  node.attributes.b_transpose = p->b_transpose;
  for (i = 0; i < 4; i++) {
    node.attributes.padding.dimensions[i] = p->padding[i];
    node.attributes.strides.dimensions[i / 2] = p->strides[i / 2];
    node.attributes.dilations.dimensions[i / 2] = p->dilations[i / 2];
  }
  view_of(&views[0], p->x_type, t->x, count_of(p->x));
  view_of(&views[1], p->w_type, t->w, count_of(p->w));
  view_of(&views[WEBNN__X_SCALE], WEBNN_FLOAT32, &t->x_scale, 1);
  view_of(&views[WEBNN__X_ZERO], p->x_type, &t->x_zero, 1);
  view_of(&views[WEBNN__W_SCALE], WEBNN_FLOAT32, t->w_scale, t->channels);
  view_of(&views[WEBNN__W_ZERO], p->w_type, t->w_zero, t->channels);
  if (p->bias_type != 0) {
    view_of(&views[2], p->bias_type, t->bias, p->w[0]);
  }
  if (p->bias_type == WEBNN_INT32) {
    view_of(&views[WEBNN__BIAS_SCALE], WEBNN_FLOAT32, t->bias_scale, t->channels);
    view_of(&views[WEBNN__BIAS_ZERO], WEBNN_INT32, t->bias_zero, t->channels);
  }
  if (p->y_type != WEBNN_FLOAT32) {
    view_of(&views[WEBNN__Y_SCALE], WEBNN_FLOAT32, &t->y_scale, 1);
    view_of(&views[WEBNN__Y_ZERO], p->y_type, &t->y_zero, 1);
  }
  view_of(&y, p->y_type, result, count);
  shape_of(p, 0, &views[0].shape);
  shape_of(p, 1, &views[1].shape);
  shape_of(p, 2, &y.shape);
  call.node = &node;
  call.attributes = &node.attributes;
  call.x = views;
  call.y = &y;
  call.kernels = kernels;
  call.packed = test_allocate((size_t)webnn__fast_quantized.packed_size(&call));
  call.scratch = test_allocate((size_t)webnn__fast_quantized.kernel.scratch(&call));
  webnn__fast_quantized.pack(&call);
  for (i = 0; i < 3; i++) {
    static const uint64_t slices[3] = {UINT64_MAX / 2, 1, 3};
    memset(result, 0x5a, bytes + 64);
    run_in_slices(&call, slices[i]);
    if (i == 0) {
      memcpy(first, result, bytes);
      compare(p, t, result, 3, false, kernels->name);
    } else {
      CHECK(webnn_op_name(p->op), memcmp(first, result, bytes) == 0, "%s: other bits in slices",
            kernels->name);
    }
  }
  CHECK(webnn_op_name(p->op), ((const char *)result)[bytes] == 0x5a, "%s: wrote beyond the end",
        kernels->name);
  free(call.packed);
  free(call.scratch);
  free(result);
  free(first);
}

/* ---- All ----------------------------------------------------------------------------------------
 */

int main(int argc, char **argv) {
  static void (*const makers[])(problem * p) = {make_matrices, make_images, make_images};
  const int rounds = argc > 1 ? atoi(argv[1]) : 60;
  const webnn__kernels *kernels[8];
  size_t kernel_count = 0, i, k;
  int round, set;
  for (set = WEBNN_SCALAR; set <= WEBNN_WASM_SIMD; set++) {
    kernels[kernel_count] = webnn__kernels_of((webnn_instruction_set)set);
    kernel_count += kernels[kernel_count] != NULL;
  }
#ifdef WEBNN__HAS_VNNI
  if (webnn__kernels_of(WEBNN_AVX512) == &webnn__vnni_kernels) {
    kernels[kernel_count++] = &webnn__avx512_kernels; /* which is not chosen here */
  }
#endif
  for (round = 0; round < rounds; round++) {
    for (i = 0; i < sizeof makers / sizeof *makers; i++) {
      problem p;
      tensors t;
      memset(&p, 0, sizeof p);
      make_types(&p);
      makers[i](&p);
      make_tensors(&p, &t);
      for (k = 0; k < kernel_count; k++) {
        check_kernels(&p, &t, kernels[k]);
      }
      free_tensors(&t);
    }
  }
  printf("%lu quantized results, %lu close to a tie, %lu of these to the other side\n", results,
         close_results, other_results);
  CHECK("ties", close_results * 2000 < results + 20000, "%lu of %lu results are close to a tie",
        close_results, results);
  return test_end();
}
