/* Small ONNX models whose shapes hang on those of inputs, or on values, for sessions. */
#ifndef SESSION_MODELS_H
#define SESSION_MODELS_H

#include "onnx_writer.h"

enum { FLOAT = 1, INT64 = 7, TOKENS = 11, WIDTH = 6 };

static inline void put_vector(message *g, const char *name, const int64_t *values, size_t count) {
  char dims[8];
  (void)snprintf(dims, sizeof dims, "%u", (unsigned)count);
  put_and_free(g, 5, tensor(name, INT64, dims, values, 8 * count));
}

static inline void put_scalar(message *g, const char *name, int64_t value) {
  put_and_free(g, 5, tensor(name, INT64, "", &value, 8));
}

/* x [batch, sequence, 4] becomes [batch, 2, sequence * 2] by Shape, Gather, Concat and
   Reshape with 0 and -1; Range counts the sequence and Expand spreads it; y [batch, m] is added up. */
static inline message *shapes_model(void) {
  static const int64_t two[1] = {2}, last[1] = {-1}, zero[1] = {0};
  message *g = new_message(), *n;
  put_vector(g, "two", two, 1);
  put_vector(g, "rest", last, 1);
  put_vector(g, "zeros", zero, 1);
  put_scalar(g, "c0", 0);
  put_scalar(g, "c1", 1);
  put_and_free(g, 1, node("Shape", "", "x", "shape"));
  put_and_free(g, 1, node("Gather", "", "shape,c0", "batch"));
  put_and_free(g, 1, node("Gather", "", "shape,c1", "sequence"));
  put_and_free(g, 1, node("Unsqueeze", "", "batch,zeros", "batch1"));
  n = node("Concat", "", "batch1,two,rest", "wanted");
  attribute_int(n, "axis", 0);
  put_and_free(g, 1, n);
  put_and_free(g, 1, node("Reshape", "", "x,wanted", "parts"));
  put_and_free(g, 1, node("Range", "", "c0,sequence,c1", "places"));
  n = node("Cast", "", "places", "numbers");
  attribute_int(n, "to", FLOAT);
  put_and_free(g, 1, n);
  put_and_free(g, 1, node("Unsqueeze", "", "sequence,zeros", "sequence1"));
  n = node("Concat", "", "batch1,sequence1", "matrix");
  attribute_int(n, "axis", 0);
  put_and_free(g, 1, n);
  put_and_free(g, 1, node("Expand", "", "numbers,matrix", "spread"));
  put_and_free(g, 1, node("ReduceSum", "", "x,rest", "sums"));
  put_and_free(g, 1, node("Squeeze", "", "sums,rest", "flat"));
  put_and_free(g, 1, node("Mul", "", "flat,spread", "weighted"));
  n = node("Concat", "", "weighted,y", "joined");
  attribute_int(n, "axis", 1);
  put_and_free(g, 1, n);
  put_and_free(g, 11, value_info("x", FLOAT, "batch,sequence,4"));
  put_and_free(g, 11, value_info("y", FLOAT, "batch,m"));
  put_and_free(g, 12, value_info("parts", FLOAT, "batch,2,n"));
  put_and_free(g, 12, value_info("joined", FLOAT, "batch,k"));
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
  put_and_free(g, 5, tensor("table", FLOAT, "11,6", table, sizeof table));
  put_and_free(g, 5, tensor("turned", FLOAT, "6,11", turned, sizeof turned));
  put_and_free(g, 1, node("Gather", "", "table,token", "row"));
  n = node("Concat", "", "past,row", "present");
  attribute_int(n, "axis", 0);
  put_and_free(g, 1, n);
  n = node("Transpose", "", "present", "keys");
  attribute_ints(n, "perm", transposed, 2);
  put_and_free(g, 1, n);
  put_and_free(g, 1, node("MatMul", "", "row,keys", "scores"));
  n = node("Softmax", "", "scores", "shares");
  attribute_int(n, "axis", -1);
  put_and_free(g, 1, n);
  put_and_free(g, 1, node("MatMul", "", "shares,present", "mixed"));
  put_and_free(g, 1, node("MatMul", "", "mixed,turned", "logits"));
  put_and_free(g, 11, value_info("token", INT64, "1"));
  put_and_free(g, 11, value_info("past", FLOAT, "past,6"));
  put_and_free(g, 12, value_info("logits", FLOAT, "1,11"));
  put_and_free(g, 12, value_info("present", FLOAT, "past + 1,6"));
  return model_of(g, 13);
}

/* Range counts to n, and y has so many elements as n says. */
static inline message *range_model(void) {
  message *g = new_message(), *n;
  put_scalar(g, "c0", 0);
  put_scalar(g, "c1", 1);
  put_and_free(g, 1, node("Range", "count", "c0,n,c1", "places"));
  n = node("Cast", "", "places", "numbers");
  attribute_int(n, "to", FLOAT);
  put_and_free(g, 1, n);
  put_and_free(g, 1, node("Mul", "", "numbers,x", "y"));
  put_and_free(g, 11, value_info("x", FLOAT, "k"));
  put_and_free(g, 11, value_info("n", INT64, ""));
  put_and_free(g, 12, value_info("y", FLOAT, "n"));
  return model_of(g, 13);
}

/* An initializer that is an input's default, and outputs that are empty where inputs are. */
static inline message *default_model(void) {
  static const float weight[1] = {10};
  message *g = new_message();
  put_and_free(g, 5, tensor("w", FLOAT, "1", weight, 4));
  put_and_free(g, 1, node("Mul", "", "x,w", "y"));
  put_and_free(g, 1, node("Neg", "", "v", "u"));
  put_and_free(g, 11, value_info("x", FLOAT, "n"));
  put_and_free(g, 11, value_info("v", FLOAT, "k"));
  put_and_free(g, 11, value_info("w", FLOAT, "1"));
  put_and_free(g, 12, value_info("y", FLOAT, "n"));
  put_and_free(g, 12, value_info("u", FLOAT, "k"));
  return model_of(g, 13);
}

static inline void put_joined(message *g, const char *names, const char *to) {
  message *n = node("Concat", "", names, to);
  attribute_int(n, "axis", 0);
  put_and_free(g, 1, n);
}

/* x [batch, c, h, 2] is padded until h is a multiple of 4, its first half is repeated, and it is
   resized and split, all by tensors of sizes. */
static inline message *sizes_model(void) {
  static const int64_t zero[6] = {0}, one[3] = {1, 1, 1}, two[1] = {2}, three[1] = {3},
                       four[1] = {4};
  message *g = new_message(), *n;
  put_scalar(g, "s2", 2);
  put_scalar(g, "s4", 4);
  put_vector(g, "v0", zero, 1);
  put_vector(g, "zeros", zero, 6);
  put_vector(g, "v1", one, 1);
  put_vector(g, "ones", one, 3);
  put_vector(g, "v2", two, 1);
  put_vector(g, "v3", three, 1);
  put_vector(g, "v4", four, 1);
  put_and_free(g, 1, node("Shape", "", "x", "shape"));
  put_and_free(g, 1, node("Gather", "", "shape,s2", "h"));
  put_and_free(g, 1, node("Neg", "", "h", "below"));
  put_and_free(g, 1, node("Mod", "", "below,s4", "rest"));
  put_and_free(g, 1, node("Unsqueeze", "", "rest,v0", "rest1"));
  put_joined(g, "zeros,rest1,v0", "pads");
  put_and_free(g, 1, node("Pad", "pad", "x,pads", "padded"));
  put_and_free(g, 1, node("Slice", "", "shape,v2,v3", "h1"));
  put_and_free(g, 1, node("Add", "", "h1,v1", "more"));
  put_and_free(g, 1, node("Div", "", "more,v2", "half"));
  put_and_free(g, 1, node("Slice", "part", "x,v0,half,v2", "part"));
  put_and_free(g, 1, node("Slice", "", "shape,v0,v1", "batch"));
  put_joined(g, "batch,ones", "times");
  put_and_free(g, 1, node("Tile", "repeat", "part,times", "repeated"));
  put_and_free(g, 1, node("Slice", "", "shape,v0,v2", "first"));
  put_and_free(g, 1, node("Mul", "", "half,v4", "wide"));
  put_joined(g, "first,wide,v4", "sides");
  put_and_free(g, 1, node("Resize", "resize", "x,,,sides", "resized"));
  put_and_free(g, 1, node("Sub", "", "wide,half", "others"));
  put_joined(g, "half,others", "parts");
  n = node("Split", "split", "resized,parts", "left,right");
  attribute_int(n, "axis", 2);
  put_and_free(g, 1, n);
  put_and_free(g, 11, value_info("x", FLOAT, "batch,c,h,2"));
  put_and_free(g, 12, value_info("padded", FLOAT, "batch,c,p,2"));
  put_and_free(g, 12, value_info("repeated", FLOAT, "r,c,q,2"));
  put_and_free(g, 12, value_info("left", FLOAT, "batch,c,q,4"));
  put_and_free(g, 12, value_info("right", FLOAT, "batch,c,k,4"));
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
  put_and_free(g, 11, value_info("k", FLOAT, "1"));
  put_and_free(g, 1, node("Mul", "", "x,k", "y"));
  put_and_free(g, 12, value_info("y", FLOAT, ""));
  return model_of(g, 13);
}

#endif
