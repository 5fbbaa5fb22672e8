/* Random graphs for dynamic_operators.c whose steps depend on ranks but on no size, so that the same
   seed describes the same graph for any sizes. A step that is certainly refused while sizes are open
   is left out from then on. */
#ifndef WEBNN_DYNAMIC_RANDOM_H
#define WEBNN_DYNAMIC_RANDOM_H

#include "random.h"
#include "test.h"

enum { RANDOM_STEPS = 12, RANDOM_INPUTS = 3, RANDOM_RESULTS = RANDOM_INPUTS + RANDOM_STEPS };

static uint64_t random_seed;
static bool random_first; /* the dynamic graph, which says what is left out */
static bool random_left_out[RANDOM_STEPS];

/* What a step draws, whatever it is. */
typedef struct random_draw {
  uint32_t kind, x, other, axis, amount, flag;
} random_draw;

static webnn_operand *random_weights(webnn_builder *b, webnn_list shape) {
  const webnn_operand_descriptor descriptor = {WEBNN_FLOAT32, shape};
  float data[256];
  size_t i;
  for (i = 0; i < 256; i++)
    data[i] = (float)((int)(i * 29 % 17) - 8) / 8.0f;
  return webnn_constant(b, descriptor, data, test_element_count(shape) * sizeof *data);
}

static webnn_list random_filled(uint32_t rank, uint32_t fill, uint32_t axis, uint32_t at_axis) {
  webnn_list list = WEBNN_EMPTY_LIST;
  for (list.count = 0; list.count < rank; list.count++)
    list.items[list.count] = list.count == axis ? at_axis : fill;
  return list;
}

static webnn_operand *random_elementwise(webnn_builder *b, const random_draw *r, webnn_operand *x,
                                         webnn_operand *y) {
  switch (r->amount % 8) {
  case 0:
    return webnn_relu(b, x, NULL);
  case 1:
    return webnn_sigmoid(b, x, NULL);
  case 2:
    return webnn_add(b, x, y, NULL);
  case 3:
    return webnn_mul(b, x, y, NULL);
  case 4:
    return webnn_where(b, webnn_greater(b, x, y, NULL), x, y, NULL);
  case 5:
    return webnn_cast(b, webnn_cast(b, x, WEBNN_FLOAT16, NULL), WEBNN_FLOAT32, NULL);
  case 6:
    return webnn_gelu(b, webnn_add(b, x, random_weights(b, WEBNN_LIST(1)), NULL), NULL);
  default:
    return webnn_max(b, x, y, NULL);
  }
}

static webnn_operand *random_row(webnn_builder *b, const random_draw *r, webnn_operand *x,
                                 uint32_t axis) {
  webnn_reduce_options reduce = WEBNN_ZERO;
  webnn_layer_normalization_options layer = WEBNN_ZERO;
  reduce.axes = layer.axes = WEBNN_LIST(axis);
  reduce.keep_dimensions = r->flag != 0;
  switch (r->amount % 6) {
  case 0:
    return webnn_softmax(b, x, axis, NULL);
  case 1:
    return webnn_reduce_mean(b, x, &reduce);
  case 2:
    return webnn_reduce_log_sum_exp(b, x, &reduce);
  case 3:
    return webnn_layer_normalization(b, x, &layer);
  case 4:
    return webnn_cumulative_sum(b, x, axis, NULL);
  default:
    return webnn_cast(b, webnn_arg_max(b, x, axis, NULL), WEBNN_FLOAT32, NULL);
  }
}

static webnn_operand *random_movement(webnn_builder *b, const random_draw *r, webnn_operand *x,
                                      webnn_operand *y, uint32_t axis) {
  const uint32_t rank = webnn_operand_shape(x).count, zeros[2] = {0, 1};
  webnn_gather_options along = WEBNN_ZERO;
  webnn_split_options cut = WEBNN_ZERO;
  webnn_operand *parts[2];
  along.axis = cut.axis = axis;
  switch (r->amount % 9) {
  case 0:
    return webnn_concat(b, WEBNN_OPERANDS(x, r->flag ? x : y), axis, NULL);
  case 1:
    return webnn_transpose(b, x, NULL);
  case 2:
    return webnn_pad(b, x, random_filled(rank, 0, axis, 1), random_filled(rank, 1, axis, 0), NULL);
  case 3:
    return webnn_tile(b, x, random_filled(rank, 1, axis, 2), NULL);
  case 4:
    return webnn_reverse(b, x, NULL);
  case 5:
    return webnn_gather(b, x, webnn_constant(b, WEBNN_DESCRIPTOR(WEBNN_UINT32, 2), zeros, 8),
                        &along);
  case 6:
    return webnn_split(b, x, 2, &cut, parts) == 2 ? parts[r->flag] : NULL;
  case 7:
    return webnn_flatten(b, x, axis, NULL);
  default:
    return r->flag || rank > 4 ? webnn_squeeze(b, x, WEBNN_LIST(axis), NULL)
                               : webnn_unsqueeze(b, x, WEBNN_LIST(axis), NULL);
  }
}

static webnn_operand *random_product(webnn_builder *b, const random_draw *r, webnn_operand *x,
                                     webnn_operand *y) {
  webnn_gemm_options gemm = WEBNN_ZERO;
  const uint32_t rank = webnn_operand_shape(x).count;
  gemm.a_transpose = r->flag != 0;
  switch (r->amount % 5) {
  case 0:
    return webnn_matmul(b, x, y, NULL);
  case 1:
    return rank >= 2 ? webnn_matmul(b, x, webnn_transpose(b, x, NULL), NULL) : NULL;
  case 2:
    return webnn_gemm(b, x, x, &gemm);
  case 3:
    return webnn_matmul(b, x, random_weights(b, WEBNN_LIST(r->flag ? 3 : 5, 4)), NULL);
  default:
    return webnn_triangular(b, x, NULL);
  }
}

static webnn_operand *random_window(webnn_builder *b, const random_draw *r, webnn_operand *x) {
  webnn_conv2d_options conv = WEBNN_ZERO;
  webnn_pool2d_options pool = WEBNN_ZERO;
  webnn_resample2d_options resample = WEBNN_ZERO;
  conv.padding = WEBNN_LIST(1, 1, 1, 1);
  pool.window_dimensions = pool.strides = WEBNN_LIST(2, 2);
  pool.output_shape_rounding = r->flag ? WEBNN_ROUNDING_CEIL : WEBNN_ROUNDING_FLOOR;
  resample.scales = WEBNN_FLOAT_LIST(2, 1.5f);
  switch (r->amount % 4) {
  case 0:
    return webnn_conv2d(b, x, random_weights(b, WEBNN_LIST(3, 3, 3, 3)), &conv);
  case 1:
    return webnn_average_pool2d(b, x, &pool);
  case 2:
    return webnn_max_pool2d(b, x, r->flag ? NULL : &pool);
  default:
    return webnn_resample2d(b, x, &resample);
  }
}

static random_draw random_drawn(void) {
  random_draw r;
  r.kind = below(10);
  r.x = below(1000);
  r.other = below(1000);
  r.axis = below(1000);
  r.amount = below(1000);
  r.flag = below(2);
  return r;
}

static webnn_operand *random_step(webnn_builder *b, const random_draw *r, webnn_operand *x,
                                  webnn_operand *y) {
  const uint32_t rank = webnn_operand_shape(x).count, axis = rank > 0 ? r->axis % rank : 0;
  switch (r->kind) {
  case 0:
  case 1:
  case 2:
    return random_elementwise(b, r, x, y);
  case 3:
  case 4:
    return random_row(b, r, x, axis);
  case 5:
  case 6:
  case 7:
    return random_movement(b, r, x, y, axis);
  case 8:
    return random_product(b, r, x, y);
  default:
    return random_window(b, r, x);
  }
}

/* The graph of random_seed: three inputs, and results that need every step. */
static size_t random_calls(webnn_builder *b, webnn_operand **inputs, webnn_operand **results) {
  webnn_operand *values[RANDOM_RESULTS];
  bool used[RANDOM_RESULTS] = {false};
  uint32_t count = RANDOM_INPUTS, i;
  random_state = random_seed;
  memcpy(values, inputs, RANDOM_INPUTS * sizeof *values);
  for (i = 0; i < RANDOM_STEPS; i++) {
    const random_draw r = random_drawn();
    const uint32_t x = r.x % 3 ? count - 1 : r.x / 3 % count;
    if (!random_first && random_left_out[i])
      continue;
    values[count] = random_step(b, &r, values[x], values[r.other % count]);
    if (values[count] == NULL && !random_first)
      return 0;
    if (random_first) {
      random_left_out[i] = values[count] == NULL;
      webnn_builder_clear_error(b);
    }
    used[x] = x >= RANDOM_INPUTS && (used[x] || values[count] != NULL);
    count += values[count] != NULL ? 1 : 0;
  }
  for (i = 0; i < RANDOM_RESULTS; i++) /* values that no step has used, and the inputs */
    results[i] = webnn_neg(b, i < count && !used[i] ? values[i] : inputs[i % RANDOM_INPUTS], NULL);
  return RANDOM_RESULTS;
}

#endif
