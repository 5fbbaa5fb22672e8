/* The tolerances that limits prints. The library has them by graph; here are graphs of one
   operator each, built in every data type and, where the sizes may count, in several sizes. */
#include "exact.h"

#include <string.h>

/* Graphs of one operator. In the texts ? is a data type, ! the same with its long name, and # a
   size, which is `per` terms of a sum or what else `counted` says. Operators that are not here take
   matrices. `with` are options that change the tolerance. */
typedef struct specimen {
  const char *op, *with, *inputs, *call, *counted;
  unsigned per;
} specimen;

#define REDUCED "elements that are reduced to one"
#define LENGTH "size of the axis"
#define COLUMNS "columns of a"
#define REDUCE(op)                                                                                 \
  { op, NULL, "x: ?[#];", "x", REDUCED, 1 }

static const specimen specimens[] = {
    {"argMin", NULL, "x: ?[2];", "x, axis=0", NULL, 0},
    {"argMin", NULL, "x: ?[2];", "x, axis=0, outputDataType=int64", NULL, 0},
    {"argMax", NULL, "x: ?[2];", "x, axis=0", NULL, 0},
    {"argMax", NULL, "x: ?[2];", "x, axis=0, outputDataType=int64", NULL, 0},
    {"batchNormalization", NULL, "x: ?[2, 3]; m: ?[3];", "x, m, m", NULL, 0},
    {"cast", NULL, "x: u8[2];", "x, to=!", NULL, 0},
    {"concat", NULL, "x: ?[2];", "x, x, axis=0", NULL, 0},
    {"conv2d", NULL, "x: ?[1, #, 4, 4]; w: ?[1, #, 2, 2];", "x, w",
     "filterHeight * filterWidth * inputChannels / groups", 4},
    {"convTranspose2d", NULL, "x: ?[1, #, 4, 4]; w: ?[#, 1, 2, 2];", "x, w",
     "filterHeight * filterWidth * inputChannels / groups", 4},
    {"cumulativeSum", NULL, "x: ?[#];", "x, axis=0", LENGTH, 1},
    {"dequantizeLinear", NULL, "x: i8[2]; s: ?[2];", "x, s, x", NULL, 0},
    {"quantizeLinear", NULL, "x: f32[2]; z: ?[2];", "x, x, z", NULL, 0},
    {"expand", NULL, "x: ?[1];", "x, newShape=[2]", NULL, 0},
    {"gather", NULL, "x: ?[2]; i: i32[2];", "x, i", NULL, 0},
    {"gatherElements", NULL, "x: ?[2]; i: i32[2];", "x, i", NULL, 0},
    {"gatherND", NULL, "x: ?[2]; i: i32[2, 1];", "x, i", NULL, 0},
    {"gemm", NULL, "x: ?[1, #]; w: ?[#, 1];", "x, w", COLUMNS, 1},
    {"gemm", "alpha", "x: ?[1, #]; w: ?[#, 1];", "x, w, alpha=2.0", COLUMNS, 1},
    {"gemm", "c", "x: ?[1, #]; w: ?[#, 1]; c: ?[1, 1];", "x, w, c=c", COLUMNS, 1},
    {"gemm", "c, beta", "x: ?[1, #]; w: ?[#, 1]; c: ?[1, 1];", "x, w, c=c, beta=2.0", COLUMNS, 1},
    {"gru", NULL, "x: ?[1, 1, 1]; w: ?[1, 3, 1];", "x, w, w, steps=1, hiddenSize=1", NULL, 0},
    {"gruCell", NULL, "x: ?[1, 1]; w: ?[3, 1];", "x, w, w, x, hiddenSize=1", NULL, 0},
    {"instanceNormalization", NULL, "x: ?[1, 1, 2, 2];", "x", NULL, 0},
    {"lstm", NULL, "x: ?[1, 1, 1]; w: ?[1, 4, 1];", "x, w, w, steps=1, hiddenSize=1", NULL, 0},
    {"lstmCell", NULL, "x: ?[1, 1]; w: ?[4, 1];", "x, w, w, x, x, hiddenSize=1", NULL, 0},
    {"matmul", NULL, "x: ?[1, #]; w: ?[#, 1];", "x, w", COLUMNS, 1},
    {"pad", NULL, "x: ?[2];", "x, beginningPadding=[1], endingPadding=[1]", NULL, 0},
    {"averagePool2d", NULL, "x: ?[1, 1, 2, #];", "x", "elements of the window", 2},
    {"l2Pool2d", NULL, "x: ?[1, 1, 2, #];", "x", "elements of the window", 2},
    {"maxPool2d", NULL, "x: ?[1, 1, 2, #];", "x", NULL, 0},
    REDUCE("reduceL1"),
    REDUCE("reduceL2"),
    REDUCE("reduceLogSum"),
    REDUCE("reduceLogSumExp"),
    REDUCE("reduceMax"),
    REDUCE("reduceMean"),
    REDUCE("reduceMin"),
    REDUCE("reduceProduct"),
    REDUCE("reduceSum"),
    REDUCE("reduceSumSquare"),
    {"resample2d", NULL, "x: ?[1, 1, 2, 2];", "x, sizes=[4, 4]", NULL, 0},
    {"resample2d", "mode linear", "x: ?[1, 1, 2, 2];", "x, sizes=[4, 4], mode=linear", NULL, 0},
    {"reshape", NULL, "x: ?[2];", "x, newShape=[2, 1]", NULL, 0},
    {"scatterElements", NULL, "x: ?[2]; i: i32[2];", "x, i, x", NULL, 0},
    {"scatterND", NULL, "x: ?[2]; i: i32[2, 1];", "x, i, x", NULL, 0},
    {"slice", NULL, "x: ?[2];", "x, starts=[0], sizes=[1]", NULL, 0},
    {"softmax", NULL, "x: ?[1, #];", "x, axis=1", LENGTH, 1},
    {"split", NULL, "x: ?[2];", "x, splits=2", NULL, 0},
    {"tile", NULL, "x: ?[2];", "x, repetitions=[2]", NULL, 0},
    {"where", NULL, "c: u8[2]; x: ?[2];", "c, x, x", NULL, 0}};
enum { SPECIMENS = sizeof specimens / sizeof *specimens };

/* ---- One graph ------------------------------------------------------------------------------- */

static const char *const short_names[] = {"f32", "f16", "i32", "u32", "i64",
                                          "u64", "i8",  "u8",  "i4",  "u4"};

/* The text with its signs filled in. */
static const char *fill_in(arena *memory, const char *text, webnn_data_type type, unsigned size) {
  const char *filled = "";
  for (; *text; text++)
    filled = *text == '?'   ? take_text(memory, "%s%s", filled, short_names[type - WEBNN_FLOAT32])
             : *text == '!' ? take_text(memory, "%s%s", filled, webnn_data_type_name(type))
             : *text == '#' ? take_text(memory, "%s%u", filled, size)
                            : take_text(memory, "%s%c", filled, *text);
  return filled;
}

/* How many results the text must name: there are at most two. */
static const char *results_of(const char *op) {
  return strcmp(op, "lstm") == 0 || strcmp(op, "lstmCell") == 0 || strcmp(op, "split") == 0
             ? "[r, q]"
             : "r";
}

/* False where the operator does not take the type. */
static bool measure(const session *s, const specimen *p, webnn_data_type type, unsigned size,
                    webnn_tolerance *tolerance, webnn_data_type *result) {
  arena memory = {NULL, 0};
  const char *text = take_text(
      &memory, "webnn_graph \"\" v1 { inputs { %s } nodes { %s = %s(%s); } outputs { r; } }",
      fill_in(&memory, p->inputs, type, size), results_of(p->op), p->op,
      fill_in(&memory, p->call, type, size));
  const json *graph = text_parse(&memory, p->op, text, strlen(text));
  const json *node = graph ? interchange_case(s, &memory, p->op, graph) : NULL;
  network n;
  const bool right =
      node && network_read(s, &memory, node, &n) && network_tolerance(&n, tolerance, result);
  release(&memory);
  return right;
}

/* ---- One operator ---------------------------------------------------------------------------- */

/* "value": 3, or "formula": "2 * n + 1", from the tolerances of two sizes. */
static void print_value(const specimen *p, double small, double large) {
  const double factor = p->per > 0 ? (large - small) / (4.0 * p->per) : 0.0;
  const double rest = small - factor * (4.0 * p->per);
  if (factor == 0.0) {
    printf("\"value\": %.17g", small);
    return;
  }
  printf("\"formula\": \"");
  if (factor != 1.0)
    printf("%g * ", factor);
  printf("n");
  if (rest != 0.0)
    printf(" %c %g", rest < 0.0 ? '-' : '+', rest < 0.0 ? -rest : rest);
  printf("\"");
}

/* The sizes 4 and 8. */
static bool print_specimen(const session *s, const specimen *p, webnn_data_type type) {
  webnn_tolerance small, large;
  webnn_data_type result;
  if (!measure(s, p, type, 4, &small, &result) || !measure(s, p, type, 8, &large, &result))
    return false;
  if (!p->with)
    printf("\"metric\": \"%s\", ", small.metric == WEBNN_METRIC_ATOL ? "ATOL" : "ULP");
  print_value(p, small.value, large.value);
  if (!p->with && p->counted && small.value != large.value)
    printf(", \"n\": \"%s\"", p->counted);
  return true;
}

static void print_variants(const session *s, const specimen *p, webnn_data_type type) {
  size_t count = 0;
  for (int i = 0; i < SPECIMENS; i++) {
    if (!specimens[i].with || strcmp(specimens[i].op, p->op) != 0)
      continue;
    printf("%s\"%s\": {", count++ ? ", " : ", \"with\": {", specimens[i].with);
    print_specimen(s, &specimens[i], type);
    printf("}");
  }
  if (count > 0)
    printf("}");
}

/* For each type of results that has not come before. */
static void print_types(const session *s, const specimen *p, uint32_t *seen) {
  for (int type = WEBNN_FLOAT32; type <= WEBNN_UINT4; type++) {
    webnn_tolerance tolerance;
    webnn_data_type result;
    if (!measure(s, p, (webnn_data_type)type, 4, &tolerance, &result) || *seen >> result & 1)
      continue;
    printf("%s\n      \"%s\": {", *seen ? "," : "", webnn_data_type_name(result));
    print_specimen(s, p, (webnn_data_type)type);
    print_variants(s, p, (webnn_data_type)type);
    printf("}");
    *seen |= (uint32_t)1 << result;
  }
}

/* Operators that are in no table take as many matrices as they have operands. */
static const char *matrices(arena *memory, const char *op) {
  const method *m = method_find(op);
  const char *kind, *text = "x";
  for (size_t i = 1; method_argument(memory, m, i, &kind); i++)
    text = take_text(memory, "%s, x", text);
  return text;
}

void print_tolerance(const session *s, const char *operator_name) {
  arena memory = {NULL, 0};
  uint32_t seen = 0;
  bool quiet;
  printf("    \"tolerance\": {");
  quiet = complain_quietly(true);
  for (int i = 0; i < SPECIMENS; i++)
    if (strcmp(specimens[i].op, operator_name) == 0 && !specimens[i].with)
      print_types(s, &specimens[i], &seen);
  if (!seen) {
    const specimen p = {operator_name, NULL, "x: ?[2, 2];", matrices(&memory, operator_name),
                        NULL,          0};
    print_types(s, &p, &seen);
  }
  complain_quietly(quiet);
  printf("\n    }\n");
  release(&memory);
}
