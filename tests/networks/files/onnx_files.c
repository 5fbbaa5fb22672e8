/* Writes the small ONNX models and test data of scripts/networks.sh, field by field in protobuf's
   wire format, so that nothing else of ONNX is needed.

     onnx_files FOLDER */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ONNX's numbers of element types. */
enum { FLOAT = 1, UINT8 = 2, INT64 = 7, BOOL = 9, FLOAT16 = 10, DOUBLE = 11 };

typedef struct buffer {
  unsigned char bytes[65536];
  size_t length;
} buffer;

/* ---- Protobuf -------------------------------------------------------------------------------- */

static void put_bytes(buffer *b, const void *bytes, size_t length) {
  if (length > sizeof b->bytes - b->length) {
    fputs("a model is too large\n", stderr);
    exit(2);
  }
  memcpy(b->bytes + b->length, bytes, length);
  b->length += length;
}

static void put_varint(buffer *b, uint64_t number) {
  while (number >= 128) {
    const unsigned char byte = (unsigned char)(number | 128);
    put_bytes(b, &byte, 1);
    number >>= 7;
  }
  put_bytes(b, &number, 1);
}

static void put_number(buffer *b, uint32_t field, uint64_t number) {
  put_varint(b, field << 3);
  put_varint(b, number);
}

static void put_data(buffer *b, uint32_t field, const void *bytes, size_t length) {
  put_varint(b, field << 3 | 2);
  put_varint(b, length);
  put_bytes(b, bytes, length);
}

static void put_text(buffer *b, uint32_t field, const char *text) {
  put_data(b, field, text, strlen(text));
}

static void put_message(buffer *b, uint32_t field, const buffer *inner) {
  put_data(b, field, inner->bytes, inner->length);
}

/* ---- ONNX's messages ------------------------------------------------------------------------- */

/* Names or numbers in a text: "batch,3", "a,b". The next one is left in `item`. */
static const char *next_item(const char *list, char item[64]) {
  const size_t length = strcspn(list, ",");
  memcpy(item, list, length);
  item[length] = '\0';
  return list[length] == ',' ? list + length + 1 : NULL;
}

static void tensor(buffer *b, const char *name, uint64_t type, const char *shape, const void *data,
                   size_t length) {
  char item[64];
  b->length = 0;
  while (shape != NULL && *shape != '\0') {
    shape = next_item(shape, item);
    put_number(b, 1, strtoull(item, NULL, 10));
  }
  put_number(b, 2, type);
  put_text(b, 8, name);
  put_data(b, 9, data, length);
}

static void add_weight(buffer *graph, const char *name, const char *shape, const float *data,
                       size_t count) {
  buffer t;
  tensor(&t, name, FLOAT, shape, data, count * sizeof *data);
  put_message(graph, 5, &t);
}

/* An input (field 11) or output (12). Dimensions are numbers, names, or "?" for neither. */
static void add_port(buffer *graph, uint32_t field, const char *name, uint64_t type,
                     const char *shape) {
  buffer dimensions, dimension, of_tensor, of_value, port;
  char item[64];
  dimensions.length = of_tensor.length = of_value.length = port.length = 0;
  while (shape != NULL && *shape != '\0') {
    shape = next_item(shape, item);
    dimension.length = 0;
    if (*item >= '0' && *item <= '9') {
      put_number(&dimension, 1, strtoull(item, NULL, 10));
    } else if (*item != '?') {
      put_text(&dimension, 2, item);
    }
    put_message(&dimensions, 1, &dimension);
  }
  put_number(&of_tensor, 1, type);
  put_message(&of_tensor, 2, &dimensions);
  put_message(&of_value, 1, &of_tensor);
  put_text(&port, 1, name);
  put_message(&port, 2, &of_value);
  put_message(graph, field, &port);
}

static void add_node(buffer *graph, const char *op, const char *domain, const char *name,
                     const char *inputs, const char *output) {
  buffer node;
  char item[64];
  node.length = 0;
  while (inputs != NULL) {
    inputs = next_item(inputs, item);
    put_text(&node, 1, item);
  }
  put_text(&node, 2, output);
  put_text(&node, 3, name);
  put_text(&node, 4, op);
  put_text(&node, 7, domain);
  put_message(graph, 1, &node);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static const char *folder;

static void write_file(const char *name, const void *bytes, size_t length) {
  char path[1024];
  FILE *file;
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) {
    (void)fprintf(stderr, "%s: cannot be written\n", path);
    exit(2);
  }
}

static void add_version(buffer *model, const char *domain, uint64_t version) {
  buffer set;
  set.length = 0;
  put_text(&set, 1, domain);
  put_number(&set, 2, version);
  put_message(model, 8, &set);
}

/* Cut off behind `most` bytes. */
static void write_model(const char *name, buffer *graph, size_t most) {
  buffer model;
  model.length = 0;
  put_number(&model, 1, 8);
  put_text(&model, 2, "onnx_files");
  put_text(graph, 2, "g");
  put_message(&model, 7, graph);
  add_version(&model, "", 17);
  add_version(&model, "com.microsoft", 1);
  write_file(name, model.bytes, model.length < most ? model.length : most);
}

static void write_tensor(const char *name, uint64_t type, const char *shape, const void *data,
                         size_t length) {
  buffer t;
  tensor(&t, "", type, shape, data, length);
  write_file(name, t.bytes, t.length);
}

/* ---- The models ------------------------------------------------------------------------------ */

/* y = relu(x w + b) + z, p = y > b: a dimension with a name, one without, a weight, a bool. */
static void put_dense(buffer *graph) {
  static const float w[] = {1, 2, 3, 4, 5, 6}, b[] = {0.5f, -100};
  graph->length = 0;
  add_node(graph, "MatMul", "", "product", "x,w", "xw");
  add_node(graph, "Add", "", "", "xw,b", "xwb");
  add_node(graph, "Relu", "", "", "xwb", "r");
  add_node(graph, "Add", "", "", "r,z", "y");
  add_node(graph, "Greater", "", "", "y,b", "p");
  add_weight(graph, "w", "3,2", w, 6);
  add_weight(graph, "b", "2", b, 2);
  add_port(graph, 11, "x", FLOAT, "batch,3");
  add_port(graph, 11, "z", FLOAT, "?,2");
  add_port(graph, 12, "y", FLOAT, "batch,2");
  add_port(graph, 12, "p", BOOL, "batch,2");
}

static void write_dense(void) {
  static const float x[] = {1, 0, 0, 0, 1, 1}, z[] = {0, 1, 2, 3};
  static const float y[] = {1.5f, 1, 10.5f, 3}, off[] = {1.5f, 1, 10.5f, 3.01f};
  static const unsigned char p[] = {1, 1, 1, 1}, q[] = {1, 1, 0, 1};
  buffer graph;
  put_dense(&graph);
  write_model("dense.onnx", &graph, SIZE_MAX);
  put_dense(&graph);
  write_model("cut.onnx", &graph, 100);
  put_dense(&graph);
  write_model("tests/dense/model.onnx", &graph, SIZE_MAX);
  write_tensor("tests/dense/test_data_set_0/input_0.pb", FLOAT, "2,3", x, sizeof x);
  write_tensor("tests/dense/test_data_set_0/input_1.pb", FLOAT, "2,2", z, sizeof z);
  write_tensor("tests/dense/test_data_set_0/output_0.pb", FLOAT, "2,2", y, sizeof y);
  write_tensor("tests/dense/test_data_set_0/output_1.pb", BOOL, "2,2", p, sizeof p);
  write_tensor("tests/dense/test_data_set_1/input_0.pb", FLOAT, "1,3", x + 3, 12);
  write_tensor("tests/dense/test_data_set_1/input_1.pb", FLOAT, "1,2", z + 2, 8);
  write_tensor("tests/dense/test_data_set_1/output_0.pb", FLOAT, "1,2", y + 2, 8);
  write_tensor("tests/dense/test_data_set_1/output_1.pb", BOOL, "1,2", p, 2);
  put_dense(&graph);
  write_model("wrong/model.onnx", &graph, SIZE_MAX);
  write_tensor("wrong/test_data_set_0/input_0.pb", FLOAT, "2,3", x, sizeof x);
  write_tensor("wrong/test_data_set_0/input_1.pb", FLOAT, "2,2", z, sizeof z);
  write_tensor("wrong/test_data_set_0/output_0.pb", FLOAT, "2,2", off, sizeof off);
  write_tensor("wrong/test_data_set_0/output_1.pb", BOOL, "2,2", q, sizeof q);
}

/* y = x + z: a name that two inputs have, and one that is arithmetic with another. */
static void write_pair(void) {
  buffer graph;
  graph.length = 0;
  add_node(&graph, "Add", "", "", "x,z", "y");
  add_port(&graph, 11, "x", FLOAT, "n,m");
  add_port(&graph, 11, "z", FLOAT, "n,m * 2");
  add_port(&graph, 12, "y", FLOAT, "n,m * 2");
  write_model("pair.onnx", &graph, SIZE_MAX);
}

/* The halves of x, of which one has no elements, and what has none of itself. */
static void write_halves(void) {
  static const int64_t sizes[] = {0, 2};
  static const float x[] = {1, 2};
  buffer graph, node, t;
  graph.length = node.length = 0;
  put_text(&node, 1, "x");
  put_text(&node, 1, "sizes");
  put_text(&node, 2, "first");
  put_text(&node, 2, "second");
  put_text(&node, 4, "Split");
  put_message(&graph, 1, &node);
  add_node(&graph, "NonZero", "", "", "zero", "places");
  tensor(&t, "sizes", INT64, "2", sizes, sizeof sizes);
  put_message(&graph, 5, &t);
  tensor(&t, "zero", INT64, "1", sizes, sizeof *sizes);
  put_message(&graph, 5, &t);
  add_port(&graph, 11, "x", FLOAT, "2");
  add_port(&graph, 12, "first", FLOAT, "?");
  add_port(&graph, 12, "second", FLOAT, "?");
  add_port(&graph, 12, "places", INT64, "1,?");
  write_model("halves/model.onnx", &graph, SIZE_MAX);
  write_tensor("halves/test_data_set_0/input_0.pb", FLOAT, "2", x, sizeof x);
  write_tensor("halves/test_data_set_0/output_0.pb", FLOAT, "0", x, 0);
  write_tensor("halves/test_data_set_0/output_1.pb", FLOAT, "2", x, sizeof x);
  write_tensor("halves/test_data_set_0/output_2.pb", INT64, "1,0", x, 0);
  write_tensor("halves/test_data_set_1/input_0.pb", FLOAT, "2", x, sizeof x);
  write_tensor("halves/test_data_set_1/output_0.pb", FLOAT, "1,0", x, 0);
  write_tensor("halves/test_data_set_1/output_1.pb", FLOAT, "2", x, sizeof x);
  write_tensor("halves/test_data_set_1/output_2.pb", INT64, "1,1", sizes, sizeof *sizes);
}

/* A shape that is an input, which a test gives. */
static void write_reshape(void) {
  static const float x[] = {1, 2, 3, 4, 5, 6};
  static const int64_t shape[] = {3, -1};
  buffer graph;
  graph.length = 0;
  add_node(&graph, "Reshape", "", "", "x,shape", "y");
  add_port(&graph, 11, "x", FLOAT, "2,3");
  add_port(&graph, 11, "shape", INT64, "2");
  add_port(&graph, 12, "y", FLOAT, "?,?");
  write_model("tests/deeper/reshape/model.onnx", &graph, SIZE_MAX);
  write_tensor("tests/deeper/reshape/test_data_set_0/input_0.pb", FLOAT, "2,3", x, sizeof x);
  write_tensor("tests/deeper/reshape/test_data_set_0/input_1.pb", INT64, "2", shape, sizeof shape);
  write_tensor("tests/deeper/reshape/test_data_set_0/output_0.pb", FLOAT, "3,2", x, sizeof x);
}

/* What WebNN cannot express, twice. */
static void write_refused(const char *name) {
  buffer graph;
  graph.length = 0;
  add_node(&graph, "NonMaxSuppression", "", "nms", "boxes,scores", "chosen");
  add_node(&graph, "Surprise", "com.example", "", "scores", "s");
  add_node(&graph, "Relu", "", "", "scores", "r");
  add_port(&graph, 11, "boxes", FLOAT, "1,6,4");
  add_port(&graph, 11, "scores", FLOAT, "1,1,6");
  add_port(&graph, 12, "chosen", INT64, "?,3");
  add_port(&graph, 12, "s", FLOAT, "1,1,6");
  write_model(name, &graph, SIZE_MAX);
}

/* y = op(x) with these types and shapes. */
static void write_unary(const char *name, const char *op, uint64_t type, const char *shape) {
  buffer graph;
  graph.length = 0;
  add_node(&graph, op, "", "", "x", "y");
  add_port(&graph, 11, "x", type, shape);
  add_port(&graph, 12, "y", type, shape);
  write_model(name, &graph, SIZE_MAX);
}

/* y = -x, and an input that nothing takes. */
static void write_unused(void) {
  buffer graph;
  graph.length = 0;
  add_node(&graph, "Neg", "", "", "x", "y");
  add_port(&graph, 11, "x", FLOAT, "1,7");
  add_port(&graph, 11, "u", FLOAT, "1,7");
  add_port(&graph, 12, "y", FLOAT, "1,7");
  write_model("unused.onnx", &graph, SIZE_MAX);
}

/* y = x + the sum of what is past, which may be nothing. */
static void write_past(void) {
  buffer graph;
  graph.length = 0;
  add_node(&graph, "ReduceSum", "", "", "past", "sum");
  add_node(&graph, "Add", "", "", "x,sum", "y");
  add_port(&graph, 11, "past", FLOAT, "past,2");
  add_port(&graph, 11, "x", FLOAT, "1,2");
  add_port(&graph, 12, "y", FLOAT, "1,2");
  write_model("past.onnx", &graph, SIZE_MAX);
}

/* A branch that reshapes x, whose elements are the frame of one rate only. */
static void add_branch(buffer *node, const char *name, const char *shape) {
  buffer branch, attribute;
  branch.length = attribute.length = 0;
  add_node(&branch, "Reshape", "", name, shape, "shaped");
  add_node(&branch, "Neg", "", "", "shaped", "result");
  add_port(&branch, 12, "result", FLOAT, "?");
  put_text(&branch, 2, name);
  put_text(&attribute, 1, name);
  put_message(&attribute, 6, &branch);
  put_number(&attribute, 20, 5);
  put_message(node, 5, &attribute);
}

/* A detector for two rates of samples, which an input chooses: the branch of 8000 takes frames of another
   length. The nodes stand in the opposite order. */
static void write_rates(void) {
  static const int64_t rate = 16000, frame[] = {2, 3}, other[] = {4};
  buffer graph, node, t;
  graph.length = node.length = 0;
  put_text(&node, 1, "is_16k");
  put_text(&node, 2, "y");
  put_text(&node, 3, "by_rate");
  put_text(&node, 4, "If");
  add_branch(&node, "then_branch", "x,frame");
  add_branch(&node, "else_branch", "x,other");
  put_message(&graph, 1, &node);
  add_node(&graph, "Equal", "", "", "sr,rate", "is_16k");
  tensor(&t, "rate", INT64, "", &rate, sizeof rate);
  put_message(&graph, 5, &t);
  tensor(&t, "frame", INT64, "2", frame, sizeof frame);
  put_message(&graph, 5, &t);
  tensor(&t, "other", INT64, "1", other, sizeof other);
  put_message(&graph, 5, &t);
  add_port(&graph, 11, "x", FLOAT, "6");
  add_port(&graph, 11, "sr", INT64, "");
  add_port(&graph, 12, "y", FLOAT, "2,3");
  write_model("rates.onnx", &graph, SIZE_MAX);
}

/* y = x + w, where w is 10, 20 unless it is given. */
static void write_default(void) {
  static const float w[] = {10, 20}, x[] = {5, 7}, other[] = {1, 2};
  buffer graph;
  graph.length = 0;
  add_node(&graph, "Add", "", "", "x,w", "y");
  add_weight(&graph, "w", "2", w, 2);
  add_port(&graph, 11, "x", FLOAT, "2");
  add_port(&graph, 11, "w", FLOAT, "2");
  add_port(&graph, 12, "y", FLOAT, "2");
  write_model("default.onnx", &graph, SIZE_MAX);
  write_file("in/x.bin", x, sizeof x);
  write_file("in/w.bin", other, sizeof other);
  write_file("in/v.bin", other, sizeof other);
}

/* Layer normalization in simpler operators, in float16: the squares of the differences are infinite. */
static void write_half_norm(void) {
  static const uint16_t epsilon = 0x0011, x[] = {0x6400, 0, 0x3C00, 0x4000, 0, 0, 0, 0};
  buffer graph, t;
  graph.length = 0;
  add_node(&graph, "ReduceMean", "", "", "x", "mean");
  add_node(&graph, "Sub", "", "", "x,mean", "d");
  add_node(&graph, "Mul", "", "", "d,d", "squares");
  add_node(&graph, "ReduceMean", "", "", "squares", "variance");
  add_node(&graph, "Add", "", "", "variance,epsilon", "more");
  add_node(&graph, "Sqrt", "", "", "more", "deviation");
  add_node(&graph, "Div", "", "", "d,deviation", "y");
  tensor(&t, "epsilon", FLOAT16, "", &epsilon, sizeof epsilon);
  put_message(&graph, 5, &t);
  add_port(&graph, 11, "x", FLOAT16, "8");
  add_port(&graph, 12, "y", FLOAT16, "8");
  write_model("half_norm.onnx", &graph, SIZE_MAX);
  write_file("half.bin", x, sizeof x);
}

/* y = -x in float16, x being 100 and 1, where -100 and `small` are expected. */
static void write_half_test(const char *in, uint16_t small) {
  static const uint16_t x[] = {0x5640, 0x3C00};
  uint16_t y[] = {0xD640, 0};
  char path[100];
  y[1] = small;
  (void)snprintf(path, sizeof path, "%s/model.onnx", in);
  write_unary(path, "Neg", FLOAT16, "2");
  (void)snprintf(path, sizeof path, "%s/test_data_set_0/input_0.pb", in);
  write_tensor(path, FLOAT16, "2", x, sizeof x);
  (void)snprintf(path, sizeof path, "%s/test_data_set_0/output_0.pb", in);
  write_tensor(path, FLOAT16, "2", y, sizeof y);
}

int main(int argc, char **argv) {
  static const float scores[] = {0.5f, -3, 2, 0.25f, -7, 1.5f, 0};
  if (argc != 2) {
    fputs("onnx_files FOLDER\n", stderr);
    return 2;
  }
  folder = argv[1];
  write_dense();
  write_halves();
  write_reshape();
  write_refused("refused.onnx");
  write_refused("out/model.onnx");
  write_tensor("out/test_data_set_0/input_0.pb", FLOAT, "7", scores, sizeof scores);
  write_unary("double.onnx", "Abs", DOUBLE, "2");
  write_pair();
  write_unary("ids.onnx", "Neg", INT64, "batch,sequence");
  write_unary("first.onnx", "Neg", FLOAT, "batch,3,height,width");
  write_unary("last.onnx", "Neg", FLOAT, "batch,height,width,3");
  write_unary("any.onnx", "Neg", FLOAT, "batch,channels,height,width");
  write_unary("matrix.onnx", "Neg", FLOAT, "height,width");
  write_unary("nchw.onnx", "Neg", FLOAT, "1,3,2,4");
  write_unary("nhwc.onnx", "Neg", FLOAT, "1,2,4,3");
  write_unary("gray.onnx", "Neg", FLOAT, "2,4");
  write_unary("bytes.onnx", "Identity", UINT8, "2,4,3");
  write_unary("classes.onnx", "Neg", FLOAT, "1,7");
  write_unary("det.onnx", "Det", FLOAT, "n,2,2");
  write_unused();
  write_past();
  write_rates();
  write_default();
  write_half_norm();
  write_half_test("half", 0xBC66);     /* -1.1: 0.1 is less than two steps at 100 */
  write_half_test("not_half", 0xBD00); /* -1.25 */
  write_file("scores.bin", scores, sizeof scores);
  return 0;
}
