/* Operators that move elements: each element of the result is found by its coordinates. */
#ifndef WEBNN_EXACT_OPERATORS_MOVEMENT_H
#define WEBNN_EXACT_OPERATORS_MOVEMENT_H

#include "exact_operators_reductions.h"

/* ---- Coordinates changed one by one
 * -------------------------------------------------------------- */

static void identity_case(void) {
  tensor *x = any_input("input", 0);
  tensor *y = output_like(x, webnn_identity(now.builder, x->operand, NULL), now.type);
  memcpy(y->bits, x->bits, x->count * sizeof *x->bits);
}

static void reshape_case(void) {
  tensor *x = any_input("input", 0), *y;
  uint32_t shape[WEBNN_MAX_RANK], rank = between(x->count == 1 ? 0 : 1, 5), d;
  uint32_t rest = (uint32_t)x->count;
  for (d = 0; d < rank; d++) {
    do {
      shape[d] = d + 1 == rank ? rest : between(1, rest);
    } while (rest % shape[d] != 0);
    rest /= shape[d];
  }
  note_list("newShape", webnn_list_of(shape, rank));
  y = output(webnn_reshape(now.builder, x->operand, webnn_list_of(shape, rank), NULL), now.type,
             shape, rank);
  memcpy(y->bits, x->bits, x->count * sizeof *x->bits);
}

static void expand_case(void) {
  const uint32_t rank = below(6);
  uint32_t large[5], shape[5], own_rank;
  tensor *x, *y;
  size_t i;
  random_shape(large, rank, MOST_ELEMENTS);
  own_rank = random_part(shape, large, rank);
  x = input("input", now.type, shape, own_rank);
  note_list("newShape", webnn_list_of(large, rank));
  y = output(webnn_expand(now.builder, x->operand, webnn_list_of(large, rank), NULL), now.type,
             large, rank);
  for (i = 0; i < y->count; i++)
    y->bits[i] = x->bits[broadcast_index(x, y, i)];
}

static void reverse_case(void) {
  tensor *x = any_input("input", 0), *y;
  uint32_t axes[WEBNN_MAX_RANK], count = random_axes(axes, x->rank), c[WEBNN_MAX_RANK], d;
  webnn_reverse_options o = WEBNN_ZERO;
  const bool all = one_in(4);
  size_t i;
  if (!all) {
    o.axes = webnn_list_of(axes, count);
    note_list("axes", o.axes);
  }
  y = output_like(x, webnn_reverse(now.builder, x->operand, &o), now.type);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    for (d = 0; d < x->rank; d++)
      if (all || holds(axes, count, d))
        c[d] = x->shape[d] - 1 - c[d];
    y->bits[i] = x->bits[ravel(x, c)];
  }
}

static void slice_case(void) {
  tensor *x = any_input("input", 0), *y;
  uint32_t starts[5], sizes[5], strides[5], shape[5], c[WEBNN_MAX_RANK], d;
  webnn_slice_options o = WEBNN_ZERO;
  const bool strided = one_in(2);
  size_t i;
  for (d = 0; d < x->rank; d++) {
    starts[d] = below(x->shape[d]);
    sizes[d] = between(1, x->shape[d] - starts[d]);
    strides[d] = strided ? between(1, 4) : 1;
    shape[d] = (sizes[d] + strides[d] - 1) / strides[d];
  }
  if (strided)
    o.strides = webnn_list_of(strides, x->rank);
  note_list("starts", webnn_list_of(starts, x->rank));
  note_list("sizes", webnn_list_of(sizes, x->rank));
  note_list("strides", webnn_list_of(strides, x->rank));
  y = output(webnn_slice(now.builder, x->operand, webnn_list_of(starts, x->rank),
                         webnn_list_of(sizes, x->rank), &o),
             now.type, shape, x->rank);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    for (d = 0; d < x->rank; d++)
      c[d] = starts[d] + c[d] * strides[d];
    y->bits[i] = x->bits[ravel(x, c)];
  }
}

static void tile_case(void) {
  uint32_t shape[5], large[5], repetitions[5], rank = below(6), c[WEBNN_MAX_RANK], d;
  tensor *x, *y;
  size_t i;
  random_shape(shape, rank, MOST_ELEMENTS / 8);
  x = input("input", now.type, shape, rank);
  for (d = 0; d < rank; d++) {
    repetitions[d] = one_in(2) ? 1 : between(1, 3);
    large[d] = shape[d] * repetitions[d];
  }
  note_list("repetitions", webnn_list_of(repetitions, rank));
  y = output(webnn_tile(now.builder, x->operand, webnn_list_of(repetitions, rank), NULL), now.type,
             large, rank);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    for (d = 0; d < rank; d++)
      c[d] %= shape[d];
    y->bits[i] = x->bits[ravel(x, c)];
  }
}

static void transpose_case(void) {
  tensor *x = any_input("input", 0), *y;
  uint32_t permutation[5], shape[5], c[WEBNN_MAX_RANK], own[WEBNN_MAX_RANK], d;
  webnn_transpose_options o = WEBNN_ZERO;
  size_t i;
  for (d = 0; d < x->rank; d++)
    permutation[d] = x->rank - 1 - d;
  if (!one_in(4)) {
    for (d = 0; d < x->rank; d++) {
      const uint32_t e = between(d, x->rank - 1), p = permutation[d];
      permutation[d] = permutation[e];
      permutation[e] = p;
    }
    o.permutation = webnn_list_of(permutation, x->rank);
    note_list("permutation", o.permutation);
  }
  for (d = 0; d < x->rank; d++)
    shape[d] = x->shape[permutation[d]];
  y = output(webnn_transpose(now.builder, x->operand, &o), now.type, shape, x->rank);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    for (d = 0; d < x->rank; d++)
      own[permutation[d]] = c[d];
    y->bits[i] = x->bits[ravel(x, own)];
  }
}

static void triangular_case(void) {
  tensor *x = any_input("input", 2), *y;
  uint32_t c[WEBNN_MAX_RANK];
  webnn_triangular_options o = WEBNN_ZERO;
  size_t i;
  o.lower = one_in(3);
  o.diagonal = one_in(2) ? (int32_t)below(9) - 4 : 0;
  if (one_in(16))
    o.diagonal = one_in(2) ? INT32_MAX : INT32_MIN;
  note(" upper=%d diagonal=%ld", !o.lower, (long)o.diagonal);
  y = output_like(x, webnn_triangular(now.builder, x->operand, &o), now.type);
  for (i = 0; i < y->count; i++) {
    int64_t row, column;
    unravel(y, i, c);
    row = (int64_t)c[x->rank - 2] + o.diagonal;
    column = c[x->rank - 1];
    y->bits[i] = (o.lower ? column <= row : column >= row) ? x->bits[i] : 0;
  }
}

/* ---- pad, concat, split
 * --------------------------------------------------------------------------- */

/* Where a padded dimension of size n reads for coordinate k (from -begin on); -1: nowhere. */
static int64_t padded_coordinate(webnn_padding_mode mode, int64_t k, int64_t n) {
  if (k >= 0 && k < n)
    return k;
  switch (mode) {
  case WEBNN_PADDING_EDGE:
    return k < 0 ? 0 : n - 1;
  case WEBNN_PADDING_REFLECTION:
    return k < 0 ? -k : 2 * (n - 1) - k;
  case WEBNN_PADDING_SYMMETRIC:
    return k < 0 ? -k - 1 : 2 * n - 1 - k;
  default:
    return -1;
  }
}
static void pad_case(void) {
  uint32_t shape[5], begin[5], end[5], large[5], rank = below(6), c[WEBNN_MAX_RANK], d;
  webnn_pad_options o = WEBNN_ZERO;
  uint64_t value = 0;
  tensor *x, *y;
  size_t i;
  random_shape(shape, rank, MOST_ELEMENTS / 8);
  x = input("input", now.type, shape, rank);
  o.mode = (webnn_padding_mode)below(4);
  for (d = 0; d < rank; d++) {
    const uint32_t most = o.mode == WEBNN_PADDING_REFLECTION  ? shape[d] - 1
                          : o.mode == WEBNN_PADDING_SYMMETRIC ? shape[d]
                                                              : 3;
    begin[d] = one_in(3) ? 0 : below((most < 3 ? most : 3) + 1);
    end[d] = one_in(3) ? 0 : below((most < 3 ? most : 3) + 1);
    large[d] = begin[d] + shape[d] + end[d];
  }
  if (one_in(2)) {
    o.value = random_number();
    value = cast_number(o.value);
    note_number("value", o.value);
  }
  note(" mode=%d", (int)o.mode);
  note_list("begin", webnn_list_of(begin, rank));
  note_list("end", webnn_list_of(end, rank));
  y = output(
      webnn_pad(now.builder, x->operand, webnn_list_of(begin, rank), webnn_list_of(end, rank), &o),
      now.type, large, rank);
  for (i = 0; i < y->count; i++) {
    bool inside = true;
    unravel(y, i, c);
    for (d = 0; d < rank; d++) {
      const int64_t k = padded_coordinate(o.mode, (int64_t)c[d] - begin[d], shape[d]);
      inside = inside && k >= 0;
      c[d] = (uint32_t)k;
    }
    y->bits[i] = inside ? x->bits[ravel(x, c)] : value;
  }
}

static void concat_case(void) {
  uint32_t shape[5], rank = between(1, 5), axis, c[WEBNN_MAX_RANK], sum = 0;
  const uint32_t count = between(1, 5);
  webnn_operand *operands[5];
  tensor *x[5], *y;
  size_t i;
  uint32_t k;
  random_shape(shape, rank, MOST_ELEMENTS / 8);
  axis = below(rank);
  for (k = 0; k < count; k++) {
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    x[k] = k && one_in(4) ? x[below(k)] : input(names[k], now.type, shape, rank);
    sum += x[k]->shape[axis];
    operands[k] = x[k]->operand;
    shape[axis] = between(1, 4);
  }
  note(" axis=%u", (unsigned)axis);
  shape[axis] = sum;
  y = output(webnn_concat(now.builder, operands, count, axis, NULL), now.type, shape, rank);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    for (k = 0; c[axis] >= x[k]->shape[axis]; k++)
      c[axis] -= x[k]->shape[axis];
    y->bits[i] = x[k]->bits[ravel(x[k], c)];
  }
}

static void split_case(void) {
  tensor *x = any_input("input", 1);
  const uint32_t axis = below(x->rank), size = x->shape[axis];
  uint32_t parts[MOST_OUTPUTS], count = 0, sum = 0, shape[5], c[WEBNN_MAX_RANK], k;
  webnn_operand *outputs[MOST_OUTPUTS] = {NULL};
  webnn_split_options o = WEBNN_ZERO;
  const bool equal = one_in(2);
  size_t i;
  if (axis != 0 || one_in(2))
    o.axis = axis;
  if (equal)
    do {
      count = between(1, size < MOST_OUTPUTS ? size : MOST_OUTPUTS);
    } while (size % count != 0);
  for (k = 0; sum < size; k++) {
    parts[k] = equal ? size / count : k + 1 == MOST_OUTPUTS ? size - sum : between(1, size - sum);
    sum += parts[k];
  }
  count = k;
  note(" axis=%u", (unsigned)axis);
  note_list(equal ? "equal" : "splits", webnn_list_of(parts, count));
  if (equal)
    webnn_split(now.builder, x->operand, count, &o, outputs);
  else
    webnn_split_sizes(now.builder, x->operand, parts, count, &o, outputs);
  memcpy(shape, x->shape, sizeof shape);
  for (k = 0, sum = 0; k < count; sum += parts[k], k++) {
    tensor *y;
    shape[axis] = parts[k];
    y = output(outputs[k], now.type, shape, x->rank);
    for (i = 0; i < y->count; i++) {
      unravel(y, i, c);
      c[axis] += sum;
      y->bits[i] = x->bits[ravel(x, c)];
    }
  }
}

/* ---- Indices
 * ---------------------------------------------------------------------------------------- */

static webnn_data_type random_index_type(void) {
  return one_in(3) ? WEBNN_UINT32 : one_in(2) ? WEBNN_INT32 : WEBNN_INT64;
}
/* Indices for dimensions of about this size, a few of them far outside. */
static tensor *index_input(const uint32_t *shape, uint32_t rank, uint32_t size) {
  tensor *t = unconnected("indices", random_index_type(), shape, rank);
  size_t i;
  for (i = 0; i < t->count; i++)
    if (!one_in(16))
      t->bits[i] = ((uint64_t)below(2 * size + 2) - (is_signed(t->type) ? size + 1 : 0)) &
                   low_bits(webnn_data_type_bits(t->type));
    else
      t->bits[i] = random_integer(t->type, one_in(2) ? SPECIAL : ANYTHING);
  return connect(t);
}
/* Clamped to -n ... n - 1, negative ones from the end. */
static uint32_t index_at(const tensor *indices, size_t i, uint32_t n) {
  int64_t v = as_integer(indices->type, indices->bits[i]);
  if (v < -(int64_t)n)
    v = -(int64_t)n;
  if (v > (int64_t)n - 1)
    v = (int64_t)n - 1;
  return (uint32_t)(v < 0 ? v + n : v);
}

static void gather_case(void) {
  uint32_t shape[5], rank = between(1, 4), axis, own[5], own_rank, large[WEBNN_MAX_RANK];
  uint32_t c[WEBNN_MAX_RANK], from[WEBNN_MAX_RANK], d;
  webnn_gather_options o = WEBNN_ZERO;
  tensor *x, *indices, *y;
  size_t i;
  random_shape(shape, rank, MOST_ELEMENTS / 8);
  axis = below(rank);
  own_rank = below(rank > 2 ? 3 : 4);
  random_shape(own, own_rank, 8);
  x = input("input", now.type, shape, rank);
  indices = index_input(own, own_rank, shape[axis]);
  if (axis != 0 || one_in(2))
    o.axis = axis;
  note(" axis=%u", (unsigned)axis);
  memcpy(large, shape, axis * sizeof *shape);
  memcpy(large + axis, own, own_rank * sizeof *own);
  memcpy(large + axis + own_rank, shape + axis + 1, (rank - axis - 1) * sizeof *shape);
  y = output(webnn_gather(now.builder, x->operand, indices->operand, &o), now.type, large,
             rank + own_rank - 1);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    for (d = 0; d < rank; d++)
      from[d] = d < axis ? c[d] : d > axis ? c[d + own_rank - 1] : 0;
    from[axis] = index_at(indices, ravel(indices, c + axis), shape[axis]);
    y->bits[i] = x->bits[ravel(x, from)];
  }
}

static void gather_elements_case(void) {
  tensor *x = any_input("input", 1), *indices, *y;
  const uint32_t axis = below(x->rank);
  uint32_t shape[5], c[WEBNN_MAX_RANK];
  webnn_gather_options o = WEBNN_ZERO;
  size_t i;
  memcpy(shape, x->shape, sizeof shape);
  shape[axis] = between(1, x->shape[axis] + (x->count < 100 ? 3 : 0));
  indices = index_input(shape, x->rank, x->shape[axis]);
  if (axis != 0 || one_in(2))
    o.axis = axis;
  note(" axis=%u", (unsigned)axis);
  y = output(webnn_gather_elements(now.builder, x->operand, indices->operand, &o), now.type, shape,
             x->rank);
  for (i = 0; i < y->count; i++) {
    unravel(y, i, c);
    c[axis] = index_at(indices, i, x->shape[axis]);
    y->bits[i] = x->bits[ravel(x, c)];
  }
}

/* Coordinates in x of row `row` of indices, m of them, into c. */
static void indexed_coordinates(const tensor *x, const tensor *indices, size_t row, uint32_t m,
                                uint32_t *c) {
  uint32_t d;
  for (d = 0; d < m; d++)
    c[d] = index_at(indices, row * m + d, x->shape[d]);
}
/* Shape of indices without its last dimension, then that of x from m on. */
static uint32_t indexed_shape(const tensor *x, const uint32_t *own, uint32_t own_rank,
                              uint32_t *shape) {
  const uint32_t m = own[own_rank - 1];
  memcpy(shape, own, (own_rank - 1) * sizeof *own);
  memcpy(shape + own_rank - 1, x->shape + m, (x->rank - m) * sizeof *own);
  return own_rank - 1 + x->rank - m;
}
static void nd_case(void) {
  const bool scatter = now.op == WEBNN_OP_SCATTER_ND;
  uint32_t own[4], own_rank = between(1, 3), shape[5], rank = between(1, 4), m, c[WEBNN_MAX_RANK];
  uint32_t s[WEBNN_MAX_RANK];
  tensor *x, *indices, *updates = NULL, *part, *y;
  size_t i, slice;
  random_shape(shape, rank, MOST_ELEMENTS / 8);
  x = input("input", now.type, shape, rank);
  random_shape(own, own_rank - 1, 8);
  own[own_rank - 1] = m = between(1, rank);
  indices = index_input(own, own_rank, shape[below(m)]);
  rank = indexed_shape(x, own, own_rank, s);
  if (scatter)
    updates = input("updates", now.type, s, rank);
  y = scatter ? output_like(x,
                            webnn_scatter_nd(now.builder, x->operand, indices->operand,
                                             updates->operand, NULL),
                            now.type)
              : output(webnn_gather_nd(now.builder, x->operand, indices->operand, NULL), now.type,
                       s, rank);
  if (scatter)
    memcpy(y->bits, x->bits, x->count * sizeof *x->bits);
  part = scatter ? updates : y;
  slice = count_of(x->shape + m, x->rank - m);
  for (i = 0; i < part->count; i++) {
    unravel(part, i, s);
    indexed_coordinates(x, indices, i / slice, m, c);
    memcpy(c + m, s + own_rank - 1, (x->rank - m) * sizeof *c);
    if (scatter)
      y->bits[ravel(x, c)] = updates->bits[i];
    else
      y->bits[i] = x->bits[ravel(x, c)];
  }
}

static void scatter_elements_case(void) {
  tensor *x = any_input("input", 1), *indices, *updates, *y;
  const uint32_t axis = below(x->rank);
  uint32_t shape[5], c[WEBNN_MAX_RANK];
  webnn_scatter_options o = WEBNN_ZERO;
  size_t i;
  memcpy(shape, x->shape, sizeof shape);
  shape[axis] = between(1, x->shape[axis] + (x->count < 100 ? 3 : 0));
  indices = index_input(shape, x->rank, x->shape[axis]);
  updates = input("updates", now.type, shape, x->rank);
  if (axis != 0 || one_in(2))
    o.axis = axis;
  note(" axis=%u", (unsigned)axis);
  y = output_like(
      x, webnn_scatter_elements(now.builder, x->operand, indices->operand, updates->operand, &o),
      now.type);
  memcpy(y->bits, x->bits, x->count * sizeof *x->bits);
  for (i = 0; i < updates->count; i++) {
    unravel(updates, i, c);
    c[axis] = index_at(indices, i, x->shape[axis]);
    y->bits[ravel(x, c)] = updates->bits[i];
  }
}

#endif
