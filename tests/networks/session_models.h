/* Small ONNX models whose shapes depend on those of inputs, or on values, for sessions. */
#ifndef SESSION_MODELS_H
#define SESSION_MODELS_H

#include "onnx_writer.h"

enum { FLOAT = 1, INT64 = 7, TOKENS = 11, WIDTH = 6 };

static inline void put_vector(message *g, const char *name, const int64_t *values, size_t count) {
  char dims[8];
  (void)snprintf(dims, sizeof dims, "%u", (unsigned)count);
  put_tensor(g, name, INT64, dims, values, 8 * count);
}

static inline void put_scalar(message *g, const char *name, int64_t value) {
  put_tensor(g, name, INT64, "", &value, 8);
}

/* x [batch, sequence, 4] becomes [batch, 2, sequence * 2] by Shape, Gather, Concat and
   Reshape with 0 and -1; Range counts the sequence and Expand spreads it; y [batch, m] is added up. */
static inline message *shapes_model(void) {
  static const int64_t two[1] = {2}, last[1] = {-1}, zero[1] = {0};
  message *g = new_message();
  put_vector(g, "two", two, 1);
  put_vector(g, "rest", last, 1);
  put_vector(g, "zeros", zero, 1);
  put_scalar(g, "c0", 0);
  put_scalar(g, "c1", 1);
  put_node(g, "Shape", "", "x", "shape");
  put_node(g, "Gather", "", "shape,c0", "batch");
  put_node(g, "Gather", "", "shape,c1", "sequence");
  put_node(g, "Unsqueeze", "", "batch,zeros", "batch1");
  put_node_int(g, "Concat", "", "batch1,two,rest", "wanted", "axis", 0);
  put_node(g, "Reshape", "", "x,wanted", "parts");
  put_node(g, "Range", "", "c0,sequence,c1", "places");
  put_node_int(g, "Cast", "", "places", "numbers", "to", FLOAT);
  put_node(g, "Unsqueeze", "", "sequence,zeros", "sequence1");
  put_node_int(g, "Concat", "", "batch1,sequence1", "matrix", "axis", 0);
  put_node(g, "Expand", "", "numbers,matrix", "spread");
  put_node(g, "ReduceSum", "", "x,rest", "sums");
  put_node(g, "Squeeze", "", "sums,rest", "flat");
  put_node(g, "Mul", "", "flat,spread", "weighted");
  put_node_int(g, "Concat", "", "weighted,y", "joined", "axis", 1);
  put_input(g, "x", FLOAT, "batch,sequence,4");
  put_input(g, "y", FLOAT, "batch,m");
  put_output(g, "parts", FLOAT, "batch,2,n");
  put_output(g, "joined", FLOAT, "batch,k");
  return model_of(g, 13);
}

/* A decoder: a token becomes a row of a table, attends to itself and to the past, and is multiplied with the
   table again. present = Concat(past, row) is the next past, which at first is empty. */
static inline message *decoder_model(void) {
  static float table[TOKENS * WIDTH], turned[WIDTH * TOKENS];
  message *g = new_message(), *n;
  static const int64_t transposed[2] = {1, 0};
  size_t i;
  for (i = 0; i < TOKENS * WIDTH; i++) {
    table[i] = (float)((i * 31 + 7) % 23) / 7.0f - 1.6f;
    turned[i % WIDTH * TOKENS + i / WIDTH] = (float)((i * 17 + 5) % 19) / 5.0f - 1.9f;
  }
  put_tensor(g, "table", FLOAT, "11,6", table, sizeof table);
  put_tensor(g, "turned", FLOAT, "6,11", turned, sizeof turned);
  put_node(g, "Gather", "", "table,token", "row");
  put_node_int(g, "Concat", "", "past,row", "present", "axis", 0);
  n = node("Transpose", "", "present", "keys");
  attribute_ints(n, "perm", transposed, 2);
  put_and_free(g, 1, n);
  put_node(g, "MatMul", "", "row,keys", "scores");
  put_node_int(g, "Softmax", "", "scores", "shares", "axis", -1);
  put_node(g, "MatMul", "", "shares,present", "mixed");
  put_node(g, "MatMul", "", "mixed,turned", "logits");
  put_input(g, "token", INT64, "1");
  put_input(g, "past", FLOAT, "past,6");
  put_output(g, "logits", FLOAT, "1,11");
  put_output(g, "present", FLOAT, "past + 1,6");
  return model_of(g, 13);
}

/* Range counts to n, and y has so many elements as n says. */
static inline message *range_model(void) {
  message *g = new_message();
  put_scalar(g, "c0", 0);
  put_scalar(g, "c1", 1);
  put_node(g, "Range", "count", "c0,n,c1", "places");
  put_node_int(g, "Cast", "", "places", "numbers", "to", FLOAT);
  put_node(g, "Mul", "", "numbers,x", "y");
  put_input(g, "x", FLOAT, "k");
  put_input(g, "n", INT64, "");
  put_output(g, "y", FLOAT, "n");
  return model_of(g, 13);
}

/* An initializer that is an input's default, and outputs that are empty where inputs are. */
static inline message *default_model(void) {
  static const float weight[1] = {10};
  message *g = new_message();
  put_tensor(g, "w", FLOAT, "1", weight, 4);
  put_node(g, "Mul", "", "x,w", "y");
  put_node(g, "Neg", "", "v", "u");
  put_input(g, "x", FLOAT, "n");
  put_input(g, "v", FLOAT, "k");
  put_input(g, "w", FLOAT, "1");
  put_output(g, "y", FLOAT, "n");
  put_output(g, "u", FLOAT, "k");
  return model_of(g, 13);
}

/* x [batch, c, h, 2] is padded until h is a multiple of 4, its first half is repeated, and it is
   resized and split, all by tensors of sizes. */
static inline message *sizes_model(void) {
  static const int64_t zero[6] = {0}, one[3] = {1, 1, 1}, two[1] = {2}, three[1] = {3},
                       four[1] = {4};
  message *g = new_message();
  put_scalar(g, "s2", 2);
  put_scalar(g, "s4", 4);
  put_vector(g, "v0", zero, 1);
  put_vector(g, "zeros", zero, 6);
  put_vector(g, "v1", one, 1);
  put_vector(g, "ones", one, 3);
  put_vector(g, "v2", two, 1);
  put_vector(g, "v3", three, 1);
  put_vector(g, "v4", four, 1);
  put_node(g, "Shape", "", "x", "shape");
  put_node(g, "Gather", "", "shape,s2", "h");
  put_node(g, "Neg", "", "h", "below");
  put_node(g, "Mod", "", "below,s4", "rest");
  put_node(g, "Unsqueeze", "", "rest,v0", "rest1");
  put_node_int(g, "Concat", "", "zeros,rest1,v0", "pads", "axis", 0);
  put_node(g, "Pad", "pad", "x,pads", "padded");
  put_node(g, "Slice", "", "shape,v2,v3", "h1");
  put_node(g, "Add", "", "h1,v1", "more");
  put_node(g, "Div", "", "more,v2", "half");
  put_node(g, "Slice", "part", "x,v0,half,v2", "part");
  put_node(g, "Slice", "", "shape,v0,v1", "batch");
  put_node_int(g, "Concat", "", "batch,ones", "times", "axis", 0);
  put_node(g, "Tile", "repeat", "part,times", "repeated");
  put_node(g, "Slice", "", "shape,v0,v2", "first");
  put_node(g, "Mul", "", "half,v4", "wide");
  put_node_int(g, "Concat", "", "first,wide,v4", "sides", "axis", 0);
  put_node(g, "Resize", "resize", "x,,,sides", "resized");
  put_node(g, "Sub", "", "wide,half", "others");
  put_node_int(g, "Concat", "", "half,others", "parts", "axis", 0);
  put_node_int(g, "Split", "split", "resized,parts", "left,right", "axis", 2);
  put_input(g, "x", FLOAT, "batch,c,h,2");
  put_output(g, "padded", FLOAT, "batch,c,p,2");
  put_output(g, "repeated", FLOAT, "r,c,q,2");
  put_output(g, "left", FLOAT, "batch,c,q,4");
  put_output(g, "right", FLOAT, "batch,c,k,4");
  return model_of(g, 13);
}

/* x [n] in as many rows as mask [m] is long, of which nothing else is read. */
static inline message *rows_model(void) {
  message *g = new_message();
  put_node(g, "Shape", "", "mask", "rows");
  put_node(g, "Shape", "", "x", "columns");
  put_node_int(g, "Concat", "", "rows,columns", "matrix", "axis", 0);
  put_node(g, "Expand", "", "x,matrix", "y");
  put_input(g, "x", FLOAT, "n");
  put_input(g, "mask", INT64, "m");
  put_output(g, "y", FLOAT, "m,n");
  return model_of(g, 13);
}

/* An input for which the model has no shape. */
static inline message *shapeless_model(void) {
  message *g = new_message(), *info = new_message(), *type = new_message(), *of = new_message();
  put_integer(of, 1, FLOAT);
  put_and_free(type, 1, of);
  put_text(info, 1, "x");
  put_and_free(info, 2, type);
  put_and_free(g, 11, info);
  put_input(g, "k", FLOAT, "1");
  put_node(g, "Mul", "", "x,k", "y");
  put_output(g, "y", FLOAT, "");
  return model_of(g, 13);
}

#endif
