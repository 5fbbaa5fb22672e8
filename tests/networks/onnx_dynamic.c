/* Dynamic dimensions of ONNX models: the graph that webnn_onnx.h builds with its option `dynamic` computes the bits
   of the graph for known sizes, or is refused because a node needs a size. Every case of onnx_cases.inc and
   onnx_reports.inc, with names for each dimension, for the first ones, and for those of equal size; chains of
   nodes that make shapes; refusals.

     onnx_dynamic             these
     onnx_dynamic OPERATOR    the cases whose operator has this in its name */
#include "onnx_case.h"

#include "dispatch.h"

enum { MOST_NAMES = 96, MOST_LETTERS = 7 };

static webnn_context *context;

/* ---- The cases. */

static webnn_list shape_of_dims(const char *at) {
  webnn_list shape = WEBNN_ZERO;
  for (shape.given = true; *at != '\0'; at += *at == ',') {
    shape.items[shape.count++] = (uint32_t)strtol(at, NULL, 10);
    at += strcspn(at, ",");
  }
  return shape;
}

static void *data_of_case(void *user, const char *name, webnn_list *shape) {
  const array *a = &((const array *)user)[strtol(name + 1, NULL, 10)];
  void *data = calloc(a->count + 1, 8);
  if (data != NULL) {
    (void)webnn_onnx_to_graph_type(a->type->type, a->bytes, a->count, data);
  }
  *shape = shape_of_dims(a->dims);
  return data;
}

static webnn_graph *build_with(const message *m, const webnn_onnx_options *options,
                               webnn_onnx_model **model, webnn_error *error) {
  webnn_graph *graph = NULL;
  if (webnn_onnx_read(m->bytes, m->length, NULL, options, model, error) == WEBNN_OK) {
    (void)webnn_onnx_build(*model, context, &graph, error);
  }
  return graph;
}

static webnn_graph *build(const message *m, bool dynamic, webnn_onnx_model **model,
                          webnn_error *error) {
  webnn_onnx_options options = WEBNN_ZERO;
  options.float64_as_float32 = true;
  options.fixed = !dynamic;
  return build_with(m, &options, model, error);
}

static unsigned built, refused, shrunk;

/* The dimensions of the inputs, each of which has a name; how many there are. */
static size_t dimensions_of(const array *in, size_t count, char (*names)[16],
                            webnn_onnx_dimension *dimensions) {
  size_t used = 0, i;
  for (i = 0; i < count; i++) {
    const webnn_list shape = shape_of_dims(in[i].dims);
    uint32_t d;
    for (d = 0; !in[i].missing && d < shape.count && used < MOST_NAMES; d++, used++) {
      (void)snprintf(names[used], sizeof names[used], "x%u_%u", (unsigned)i, d);
      dimensions[used].name = names[used];
      dimensions[used].size = shape.items[d];
    }
  }
  return used;
}

/* The graph of the case with these inputs beside one for their sizes: it computes the same, or both
   are refused. */
static void compare_sized(const onnx_case *c, webnn_graph *graph, array *in, size_t in_count,
                          const char *what) {
  static array unused[MOST_PORTS], out[4];
  static char names[MOST_NAMES][16];
  static webnn_onnx_dimension dimensions[MOST_NAMES];
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO, refusal = WEBNN_ZERO;
  dispatched results[MOST_PORTS], expected[MOST_PORTS];
  size_t count = 0, expected_count = 0, result_count = 0, out_count;
  webnn_graph *sized;
  message *m;
  sizes_are_open = EACH_OPEN;
  m = model_of_case(c, false, false, unused, &count, out, &out_count);
  sizes_are_open = CLOSED;
  options.float64_as_float32 = true;
  options.fixed = true;
  options.dimensions = dimensions;
  options.dimension_count = dimensions_of(in, in_count, names, dimensions);
  sized = build_with(m, &options, &model, &error);
  if (sized != NULL) {
    (void)dispatch_graph(context, sized, data_of_case, in, expected, &expected_count, &error);
  }
  (void)dispatch_graph(context, graph, data_of_case, in, results, &result_count, &refusal);
  if (sized != NULL || error.status != WEBNN_OK) {
    shrunk++;
    CHECK(c->op,
          error.status != WEBNN_OK
              ? refusal.status != WEBNN_OK
              : refusal.status != WEBNN_OK ||
                    equal_results(results, result_count, expected, expected_count),
          "%s (%s), %s: %s, where the graph for these sizes %s", c->attributes, c->inputs, what,
          refusal.status != WEBNN_OK ? refusal.message : "a result",
          error.status != WEBNN_OK ? error.message : "has another");
  }
  free_results(results, result_count);
  free_results(expected, expected_count);
  webnn_free_graph(sized);
  webnn_onnx_free(model);
  free(m);
}

/* Each dimension is 1 in turn: nothing is repeated along it that should not be. */
static void run_shrunk(const onnx_case *c, webnn_graph *graph, array *in, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    const webnn_list shape = shape_of_dims(in[i].dims);
    const array kept = in[i];
    uint32_t d, k;
    for (d = 0; d < shape.count && !kept.missing && !kept.constant; d++) {
      char what[80];
      if (shape.items[d] <= 1) {
        continue;
      }
      in[i].count = kept.count / shape.items[d];
      in[i].dims[0] = '\0';
      for (k = 0; k < shape.count; k++) {
        (void)snprintf(in[i].dims + strlen(in[i].dims), sizeof in[i].dims - strlen(in[i].dims),
                       "%s%u", k == 0 ? "" : ",", (unsigned)(k == d ? 1 : shape.items[k]));
      }
      (void)snprintf(what, sizeof what, "input %u is [%s]", (unsigned)i, in[i].dims);
      compare_sized(c, graph, in, count, what);
      in[i] = kept;
    }
  }
}

/* The case with open sizes, beside the results for its sizes. */
static void run_open(const onnx_case *c, open_sizes open, const dispatched *expected,
                     size_t expected_count) {
  static const char *const names[] = {"closed", "each open", "the first open", "equal ones open"};
  static array in[MOST_PORTS], out[4];
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  dispatched results[MOST_PORTS];
  size_t count, out_count, result_count = 0;
  webnn_graph *graph;
  message *m;
  sizes_are_open = open;
  m = model_of_case(c, false, false, in, &count, out, &out_count);
  sizes_are_open = CLOSED;
  graph = build(m, true, &model, &error);
  if (error.status != WEBNN_OK) {
    refused++;
    CHECK(c->op,
          error.status == WEBNN_NOT_SUPPORTED_ERROR &&
              (strstr(error.message, "dynamic") != NULL ||
               strstr(error.message, "must be known") != NULL),
          "%s (%s), %s: %s", c->attributes, c->inputs, names[open], error.message);
  } else if (graph != NULL) {
    built++;
    (void)dispatch_graph(context, graph, data_of_case, in, results, &result_count, &error);
    /* The graph of a known size mirrors small dimensions more often than WebNN's pad does. */
    CHECK(c->op,
          error.status == WEBNN_OK ? equal_results(results, result_count, expected, expected_count)
                                   : strstr(error.message, "for a mirror") != NULL,
          "%s (%s), %s: %s", c->attributes, c->inputs, names[open],
          error.status == WEBNN_OK ? "other results" : error.message);
    free_results(results, result_count);
    if (open == EACH_OPEN) {
      run_shrunk(c, graph, in, count);
    }
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* Has the case inputs with elements only, some of which are no constants and have dimensions? */
static bool may_be_open(const array *in, size_t count) {
  bool some = false;
  size_t i;
  for (i = 0; i < count; i++) {
    if (!in[i].missing && in[i].count == 0) {
      return false;
    }
    some = some || (!in[i].missing && !in[i].constant && in[i].dims[0] != '\0');
  }
  return some;
}

static void run_case(const onnx_case *c) {
  static array in[MOST_PORTS], out[4];
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  dispatched expected[MOST_PORTS];
  size_t count, out_count, expected_count = 0;
  webnn_graph *graph;
  message *m = model_of_case(c, false, false, in, &count, out, &out_count);
  int open;
  graph = build(m, false, &model, &error);
  if (graph != NULL && may_be_open(in, count) &&
      dispatch_graph(context, graph, data_of_case, in, expected, &expected_count, &error) ==
          WEBNN_OK) {
    for (open = EACH_OPEN; open <= EQUAL_OPEN; open++) {
      run_open(c, (open_sizes)open, expected, expected_count);
    }
  }
  free_results(expected, expected_count);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* ---- Chains of nodes that make shapes. */

enum { FLOAT = 1, INT32 = 6, INT64 = 7 };

static void put_list(message *g, const char *name, const char *dims, int64_t a, int64_t b) {
  const int64_t values[2] = {a, b};
  put_and_free(g, 5, tensor(name, INT64, dims, values, dims[0] == '2' ? 16 : 8));
}

/* A node; an attribute of integers, or NULL. */
static void put_op(message *g, const char *op, const char *inputs, const char *outputs,
                   const char *attribute, int64_t value) {
  message *n = node(op, outputs, inputs, outputs);
  if (attribute != NULL) {
    attribute_int(n, attribute, value);
  }
  put_and_free(g, 1, n);
}

/* The sizes of x as scalars and lists of one: batch, rows, batch1, rows1. */
static void put_sizes_of(message *g) {
  put_list(g, "c0", "", 0, 0);
  put_list(g, "c1", "", 1, 0);
  put_list(g, "zero", "1", 0, 0);
  put_list(g, "minus", "1", -1, 0);
  put_op(g, "Shape", "x", "shape", NULL, 0);
  put_op(g, "Gather", "shape,c0", "batch", "axis", 0);
  put_op(g, "Gather", "shape,c1", "rows", "axis", 0);
  put_op(g, "Unsqueeze", "batch,zero", "batch1", NULL, 0);
  put_op(g, "Unsqueeze", "rows,zero", "rows1", NULL, 0);
}

/* x [batch, rows, 8] as heads [batch, 2, rows, 4] and back, multiplied with 0, 1, 2, ... along the rows, which are
   expanded as PyTorch's exporter writes it; and x as a matrix, its last row, and three columns of it. */
static message *chain_model(void) {
  static const int64_t permutation[4] = {0, 2, 1, 3};
  message *g = new_message(), *n;
  put_sizes_of(g);
  put_list(g, "heads", "2", 2, 4);
  put_op(g, "Concat", "batch1,rows1,heads", "four", "axis", 0);
  put_op(g, "Reshape", "x,four", "split", NULL, 0);
  n = node("Transpose", "turn", "split", "turned");
  attribute_ints(n, "perm", permutation, 4);
  put_and_free(g, 1, n);
  n = node("Transpose", "back", "turned", "returned");
  attribute_ints(n, "perm", permutation, 4);
  put_and_free(g, 1, n);
  put_op(g, "Concat", "batch1,rows1,minus", "three", "axis", 0);
  put_op(g, "Reshape", "returned,three", "joined", NULL, 0);
  put_op(g, "Range", "c0,rows,c1", "places", NULL, 0);
  put_op(g, "Cast", "places", "numbers", "to", FLOAT);
  put_op(g, "Unsqueeze", "numbers,minus", "column", NULL, 0);
  put_op(g, "Shape", "three", "length", NULL, 0);
  n = node("ConstantOfShape", "ones", "length", "ones");
  attribute_tensor(n, "value", tensor("", INT64, "1", permutation + 2, 8)); /* 1 */
  put_and_free(g, 1, n);
  put_op(g, "Mul", "ones,minus", "minuses", NULL, 0);
  put_op(g, "Equal", "three,minuses", "left", NULL, 0);
  put_op(g, "Where", "left,ones,three", "wanted", NULL, 0);
  put_op(g, "Expand", "column,wanted", "expanded", NULL, 0);
  put_op(g, "Mul", "joined,expanded", "y", NULL, 0);
  put_list(g, "one", "1", 1, 0);
  put_list(g, "five", "1", 5, 0);
  put_list(g, "two", "1", 2, 0);
  put_list(g, "large", "1", INT64_MAX, 0);
  put_op(g, "Slice", "x,minus,large,one", "last", NULL, 0);
  put_op(g, "Slice", "x,zero,rows1,one", "all", NULL, 0);
  put_op(g, "Slice", "all,two,five,two", "columns", NULL, 0);
  put_op(g, "Flatten", "last", "flat", "axis", 1);
  put_op(g, "Reshape", "x,minus8", "pairs", NULL, 0);
  put_list(g, "minus8", "2", -1, 8);
  put_and_free(g, 11, value_info("x", FLOAT, "batch,rows,8"));
  put_and_free(g, 12, value_info("y", FLOAT, "batch,rows,8"));
  put_and_free(g, 12, value_info("last", FLOAT, "batch,1,8"));
  put_and_free(g, 12, value_info("columns", FLOAT, "batch,rows,3"));
  put_and_free(g, 12, value_info("flat", FLOAT, "batch,8"));
  put_and_free(g, 12, value_info("pairs", FLOAT, "all,8"));
  return model_of(g, 13);
}

/* x for two sizes. */
static void *data_of_sizes(void *user, const char *name, webnn_list *shape) {
  const uint32_t *sizes = (const uint32_t *)user;
  const size_t count = (size_t)sizes[0] * sizes[1] * 8;
  float *data = (float *)calloc(count + 1, sizeof *data);
  size_t i;
  (void)name;
  for (i = 0; i < count && data != NULL; i++) {
    data[i] = number_of(i);
  }
  *shape = WEBNN_LIST(sizes[0], sizes[1], 8);
  return data;
}

static void test_chain(void) {
  static uint32_t sizes[5][2] = {{1, 1}, {2, 3}, {3, 1}, {1, 7}, {8, 8}};
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_dimension dimensions[2] = {{"batch", 0}, {"rows", 0}};
  webnn_onnx_model *model = NULL, *other = NULL;
  webnn_error error = WEBNN_ZERO;
  dispatched results[MOST_PORTS], expected[MOST_PORTS];
  webnn_graph *graph, *sized;
  webnn_graph_port port = WEBNN_ZERO;
  message *m = chain_model();
  size_t i, count = 0, expected_count = 0;
  graph = build_with(m, &options, &model, &error);
  CHECK("a chain", graph != NULL, "%s", error.message);
  if (graph != NULL) {
    (void)webnn_graph_inputs(graph, &port, 1);
    CHECK("names",
          strcmp(webnn_graph_dimension_name(graph, port.descriptor.shape.items[0]), "batch") == 0 &&
              strcmp(webnn_graph_dimension_name(graph, port.descriptor.shape.items[1]), "rows") ==
                  0,
          "%u", port.descriptor.shape.items[0]);
  }
  options.dimensions = dimensions;
  options.dimension_count = 2;
  for (i = 0; i < 5 && graph != NULL; i++) {
    dimensions[0].size = sizes[i][0];
    dimensions[1].size = sizes[i][1];
    sized = build_with(m, &options, &other, &error);
    CHECK("a chain of known sizes", sized != NULL, "%s", error.message);
    (void)dispatch_graph(context, sized, data_of_sizes, sizes[i], expected, &expected_count,
                         &error);
    (void)dispatch_graph(context, graph, data_of_sizes, sizes[i], results, &count, &error);
    CHECK("a chain",
          error.status == WEBNN_OK && count == 5 &&
              equal_results(results, count, expected, expected_count),
          "sizes %u: %s", (unsigned)i, error.message);
    free_results(results, count);
    free_results(expected, expected_count);
    webnn_free_graph(sized);
    webnn_onnx_free(other);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* ---- Nodes with a dynamic batch, and dynamic numbers of tokens: the bits of graphs for the sizes. */

/* Inputs as in a case, with the dimensions B (batch), N (a batch by another name), S (new tokens),
   P (past ones) and T (both). Values may be T, the list L of lengths less 1, of which the first is
   T - 1, and the list M of lengths up to 4, as many as the batch of the input. "*1f32[...]" goes
   through a Concat with itself along axis 1, after which nothing has the name of that dimension;
   "@" is no input of the node, which has its second size. */
typedef struct sized_case {
  const char *op, *attributes, *inputs;
  unsigned results;
} sized_case;

static const sized_case sized_cases[] = {
    {"LSTM 14", "hidden_size=2 direction='bidirectional'",
     "f32[4,B,3]=~ !f32[2,8,3]=~ !f32[2,8,2]=~ !f32[2,16]=~ - f32[2,B,2]=~ f32[2,B,2]=~", 3},
    {"LSTM 14", "hidden_size=2 layout=1", "f32[B,4,3]=~ !f32[1,8,3]=~ !f32[1,8,2]=~", 3},
    {"LSTM 14", "hidden_size=2 clip=0.5f", "*1f32[4,B,3]=~ !f32[1,8,3]=~ !f32[1,8,2]=~", 3},
    {"LSTM 14", "hidden_size=2 clip=0.5f direction='bidirectional'",
     "*1f32[4,B,3]=~ !f32[2,8,3]=~ !f32[2,8,2]=~ - - *1f32[2,B,2]=~ *1f32[2,B,2]=~", 3},
    {"LSTM 14", "hidden_size=2 direction='reverse'",
     "f32[4,B,3]=~ !f32[1,8,3]=~ !f32[1,8,2]=~ !f32[1,16]=~ i32[B]=M f32[1,B,2]=~ - !f32[1,6]=~",
     3},
    {"GRU 14", "hidden_size=2", "*1f32[4,B,3]=~ !f32[1,6,3]=~ !f32[1,6,2]=~", 2},
    {"GRU 14", "hidden_size=2 linear_before_reset=1 layout=1",
     "f32[B,4,3]=~ !f32[1,6,3]=~ !f32[1,6,2]=~ !f32[1,12]=~ i32[B]=M f32[B,1,2]=~", 2},
    {"GRU 14", "hidden_size=2 activations=['Softsign','Elu']",
     "f32[1,B,3]=~ !f32[1,6,3]=~ !f32[1,6,2]=~", 2},
    {"RNN 14", "hidden_size=2", "f32[4,B,3]=~ !f32[1,2,3]=~ !f32[1,2,2]=~ !f32[1,4]=~", 2},
    {"RNN 14", "hidden_size=2 direction='bidirectional'",
     "*1f32[4,B,3]=~ !f32[2,2,3]=~ !f32[2,2,2]=~ !f32[2,4]=~ - *1f32[2,B,2]=~", 2},
    {"com.microsoft.GroupQueryAttention 1", "num_heads=4 kv_num_heads=2",
     "f32[B,S,16]=~ f32[B,S,8]=~ f32[B,S,8]=~ f32[B,2,P,4]=~ f32[B,2,P,4]=~ i32[B]=L i32[]=T", 3},
    {"com.microsoft.GroupQueryAttention 1", "num_heads=4 kv_num_heads=2 do_rotary=1",
     "f32[B,S,32]=~ - - f32[B,2,P,4]=~ f32[B,2,P,4]=~ i32[B]=L @i64[B,T]=~ !f32[16,2]=~ "
     "!f32[16,2]=~",
     3},
    {"com.microsoft.GroupQueryAttention 1", "num_heads=2 kv_num_heads=1 do_rotary=1",
     "f32[1,S,16]=~ - - f32[1,1,P,4]=~ f32[1,1,P,4]=~ i32[1]=L @i64[1,T]=~ !f32[16,2]=~ "
     "!f32[16,2]=~",
     3},
    {"com.microsoft.GroupQueryAttention 1",
     "num_heads=2 kv_num_heads=1 local_window_size=2 softcap=2.0 smooth_softmax=1",
     "f32[B,S,8]=~ f32[B,S,4]=~ f32[B,S,4]=~ f32[B,1,P,4]=~ f32[B,1,P,4]=~ i32[B]=L i32[]=T", 3},
    {"com.microsoft.GroupQueryAttention 1", "num_heads=2 kv_num_heads=1",
     "f32[B,S,8]=~ f32[B,S,4]=~ f32[B,S,4]=~ f32[B,1,P,4]=~ f32[B,1,P,4]=~ i32[B]=L i32[]=T - - - "
     "f32[1,2,S,T]=~ !f32[2]=~",
     3},
    {"com.microsoft.MultiHeadAttention 1", "num_heads=2",
     "*1f32[B,S,8]=~ *1f32[B,P,8]=~ *1f32[B,P,8]=~ !f32[24]=~", 1},
    {"com.microsoft.MultiHeadAttention 1", "num_heads=2 unidirectional=1",
     "f32[B,S,8]=~ f32[B,S,8]=~ f32[B,S,8]=~ !f32[24]=~ i32[B,T]=~2 f32[1,2,S,T]=~ f32[B,2,P,4]=~ "
     "f32[B,2,P,4]=~",
     3},
    {"com.microsoft.MultiHeadAttention 1", "num_heads=2 unidirectional=1", "f32[B,S,2,3,4]=~", 1},
    {"com.microsoft.MultiHeadAttention 1", "num_heads=2",
     "f32[B,S,8]=~ f32[B,2,P,4]=~ f32[B,2,P,4]=~ - i32[B]=M", 1},
    {"com.microsoft.Attention 1", "num_heads=2 unidirectional=1",
     "f32[B,S,5]=~ !f32[5,24]=~ !f32[24]=~ i32[B,T]=~2 f32[2,B,2,P,4]=~", 2},
    {"com.microsoft.Attention 1", "num_heads=2", "*0f32[B,S,5]=~ !f32[5,24]=~ !f32[24]=~", 1},
    {"com.microsoft.RotaryEmbedding 1", "", "f32[B,2,S,4]=~ i64[1]=2 !f32[16,2]=~ !f32[16,2]=~", 1},
    {"com.microsoft.RotaryEmbedding 1", "interleaved=1 num_heads=2",
     "f32[B,S,12]=~ i64[B,S]=~8 !f32[16,2]=~ !f32[16,2]=~", 1},
    {"RotaryEmbedding 23", "", "*2f32[B,2,S,4]=~ *1f32[B,S,2]=~ *1f32[B,S,2]=~", 1},
    {"Attention 23", "is_causal=1",
     "f32[B,4,S,4]=~ f32[B,2,S,4]=~ f32[B,2,S,4]=~ f32[S,T]=~ f32[B,2,P,4]=~ f32[B,2,P,4]=~", 4},
    {"Attention 23", "q_num_heads=2 kv_num_heads=1 softcap=2.0 qk_matmul_output_mode=2",
     "f32[B,S,8]=~ f32[B,P,4]=~ f32[B,P,4]=~ b[B,1,S,P]=~2", 4},
    {"Attention 24", "is_causal=1", "f32[B,2,S,4]=~ f32[B,2,4,4]=~ f32[B,2,4,4]=~ - - - i64[B]=M",
     1},
};

/* The text of inputs with sizes in place of letters. */
static void put_sizes(const char *text, const uint32_t *sizes, char *to, size_t room) {
  static const char letters[] = "BSPTNLM";
  size_t used = 0, batch = 0;
  for (; *text != '\0' && used + 40 < room; text++) {
    const char *letter = strchr(letters, *text);
    const size_t at = letter == NULL ? MOST_LETTERS : (size_t)(letter - letters);
    uint32_t i;
    batch = *text == ' ' ? 0 : at == 4 ? 4 : batch;
    if (*text == '*') {
      text++;
    } else if (*text != '@' && at == MOST_LETTERS) {
      to[used++] = *text;
    } else if (at < 5) {
      used += (size_t)snprintf(to + used, room - used, "%u", sizes[at]);
    }
    for (i = 0; i < sizes[batch] && (at == 5 || at == 6); i++) { /* none shorter than what is new */
      const uint32_t less = sizes[2] * i / 3;
      used += (size_t)snprintf(to + used, room - used, "%s%u", i == 0 ? "" : ",",
                               at == 5 ? sizes[3] - 1 - less : 4 - i % 3);
    }
  }
  to[used] = '\0';
}

/* Input i as the node takes it. */
static void put_sized_input(message *g, const char *text, const array *a, unsigned i, char *name,
                            size_t room) {
  char as[16], dims[64] = "";
  (void)snprintf(as, sizeof as, "x%u", i);
  (void)snprintf(name, room, "%s", as);
  if (a->constant) {
    put_and_free(g, 5, tensor(as, (int)a->type->type, a->dims, a->bytes, a->length));
    return;
  }
  memcpy(dims, strchr(text, '[') + 1, strcspn(strchr(text, '[') + 1, "]"));
  put_and_free(g, 11, value_info(as, (int)a->type->type, dims));
  if (*text == '*') {
    char both[40];
    (void)snprintf(name, room, "twice%u", i);
    (void)snprintf(both, sizeof both, "%s,%s", as, as);
    put_op(g, "Concat", both, name, "axis", text[1] - '0');
  } else if (*text == '@') {
    put_list(g, "one", "", 1, 0);
    put_op(g, "Shape", as, "shape", NULL, 0);
    put_op(g, "Gather", "shape,one", "size", NULL, 0);
    put_op(g, "Cast", "size", "total", "to", INT32);
    (void)snprintf(name, room, "total");
  }
}

/* The model, whose inputs are put into arrays for these sizes. */
static message *sized_model(const sized_case *c, const uint32_t *sizes, array *in) {
  const char *dot = strrchr(c->op, '.'), *space = strchr(c->op, ' '), *text = c->inputs, *at;
  const int version = (int)strtol(space, NULL, 10);
  char op[64] = "", domain[64] = "", names[200] = "", name[24], filled[4000], results[20] = "";
  message *g = new_message(), *n, *m;
  unsigned i;
  put_sizes(c->inputs, sizes, filled, sizeof filled);
  memcpy(op, dot == NULL ? c->op : dot + 1, (size_t)(space - (dot == NULL ? c->op : dot + 1)));
  memcpy(domain, c->op, dot == NULL ? 0 : (size_t)(dot - c->op));
  for (i = 0, at = filled; *text != '\0'; i++) {
    at = read_array(at, &in[i], i);
    name[0] = '\0';
    if (!in[i].missing) {
      put_sized_input(g, text, &in[i], i, name, sizeof name);
    }
    (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i == 0 ? "" : ",",
                   name);
    text += strcspn(text, " ");
    text += *text == ' ';
  }
  for (i = 0; i < c->results; i++) {
    (void)snprintf(name, sizeof name, "y%u", i);
    put_and_free(g, 12, value_info(name, 1, ""));
    (void)snprintf(results + strlen(results), sizeof results - strlen(results), "y%u,", i);
  }
  n = node(op, "n", names, results);
  put_attributes(n, c->attributes);
  if (dot != NULL) {
    put_text(n, 7, domain);
  }
  put_and_free(g, 1, n);
  m = model_of(g, dot == NULL ? version : 17);
  if (dot != NULL) {
    import_domain(m, domain, version);
  }
  return m;
}

/* One graph at five sizes, beside a graph for each. */
static void run_sized(const sized_case *c) {
  static const uint32_t sizes[5][5] = {
      {1, 1, 1, 2, 1}, {2, 3, 2, 5, 2}, {3, 1, 4, 5, 3}, {1, 4, 3, 7, 1}, {2, 2, 5, 7, 2}};
  static array in[MOST_PORTS];
  webnn_onnx_dimension dimensions[4] = {{"B", 0}, {"S", 0}, {"P", 0}, {"T", 0}};
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL, *other = NULL;
  webnn_error error = WEBNN_ZERO;
  dispatched results[MOST_PORTS], expected[MOST_PORTS];
  size_t i, k, count = 0, expected_count = 0;
  message *m = sized_model(c, sizes[0], in), *again; /* graphs read their weights in place */
  webnn_graph *graph = build(m, true, &model, &error), *sized;
  CHECK(c->op, graph != NULL, "%s (%s): %s", c->attributes, c->inputs, error.message);
  options.dimensions = dimensions;
  options.dimension_count = 4;
  for (i = 0; i < 5 && graph != NULL; i++) {
    again = sized_model(c, sizes[i], in);
    for (k = 0; k < 4; k++) {
      dimensions[k].size = sizes[i][k];
    }
    sized = build_with(again, &options, &other, &error);
    CHECK(c->op, sized != NULL, "of known sizes: %s", error.message);
    (void)dispatch_graph(context, sized, data_of_case, in, expected, &expected_count, &error);
    (void)dispatch_graph(context, graph, data_of_case, in, results, &count, &error);
    CHECK(c->op,
          error.status == WEBNN_OK && count == c->results &&
              equal_results(results, count, expected, expected_count),
          "%s (%s): sizes %u: %s", c->attributes, c->inputs, (unsigned)i, error.message);
    free_results(results, count);
    free_results(expected, expected_count);
    webnn_free_graph(sized);
    webnn_onnx_free(other);
    free(again);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* The case with another size of the batch in one input than in the others: what a graph for these
   sizes refuses, that for all sizes must, too. */
static void run_unequal(const sized_case *c, const uint32_t *sizes) {
  static array in[MOST_PORTS];
  webnn_onnx_dimension dimensions[5] = {{"B", 0}, {"S", 0}, {"P", 0}, {"T", 0}, {"N", 0}};
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL, *other = NULL;
  webnn_error error = WEBNN_ZERO, refusal = WEBNN_ZERO;
  dispatched results[MOST_PORTS], expected[MOST_PORTS];
  size_t count = 0, expected_count = 0, i;
  message *m = sized_model(c, sizes, in), *again = sized_model(c, sizes, in);
  webnn_graph *graph = build(m, true, &model, &refusal), *sized;
  for (i = 0; i < 5; i++) {
    dimensions[i].size = sizes[i];
  }
  options.dimensions = dimensions;
  options.dimension_count = 5;
  sized = build_with(again, &options, &other, &error);
  if (sized != NULL) {
    (void)dispatch_graph(context, sized, data_of_case, in, expected, &expected_count, &error);
  }
  if (graph != NULL) {
    (void)dispatch_graph(context, graph, data_of_case, in, results, &count, &refusal);
  }
  CHECK(c->op,
        refusal.status != WEBNN_OK ||
            (error.status == WEBNN_OK && equal_results(results, count, expected, expected_count)),
        "%s (%s): batches of %u and %u: a result, where the graph for these sizes %s",
        c->attributes, c->inputs, sizes[0], sizes[4],
        error.status != WEBNN_OK ? error.message : "has another");
  free_results(results, count);
  free_results(expected, expected_count);
  webnn_free_graph(graph);
  webnn_free_graph(sized);
  webnn_onnx_free(model);
  webnn_onnx_free(other);
  free(m);
  free(again);
}

/* Each input but the first has a batch of its own in turn. */
static void run_all_unequal(const sized_case *c) {
  static const uint32_t sizes[3][5] = {{3, 2, 3, 5, 1}, {1, 2, 3, 5, 3}, {3, 2, 3, 5, 2}};
  const char *at = strchr(c->inputs, ' ');
  for (; at != NULL; at = strchr(at + 1, ' ')) {
    const size_t length = 1 + strcspn(at + 1, " ");
    const char *b = (const char *)memchr(at, 'B', length);
    if (b != NULL) {
      char inputs[400];
      sized_case changed = *c;
      size_t i;
      (void)snprintf(inputs, sizeof inputs, "%s", c->inputs);
      inputs[b - c->inputs] = 'N';
      changed.inputs = inputs;
      for (i = 0; i < 3; i++) {
        run_unequal(&changed, sizes[i]);
      }
    }
  }
}

/* What a graph for all sizes cannot have: *graph is it, or NULL, and the error says why. */
static void refuses_sized(const sized_case *c, const char *part) {
  static const uint32_t sizes[5] = {2, 3, 2, 5, 2};
  static array in[MOST_PORTS];
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  dispatched results[MOST_PORTS];
  size_t count = 0;
  message *m = sized_model(c, sizes, in);
  webnn_graph *graph = build(m, true, &model, &error);
  if (graph != NULL) {
    (void)dispatch_graph(context, graph, data_of_case, in, results, &count, &error);
    free_results(results, count);
  }
  CHECK(c->op, error.status != WEBNN_OK && strstr(error.message, part) != NULL, "%s: '%s' in '%s'",
        c->inputs, part, error.message);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

static void test_sized(void) {
  static const sized_case steps = {"LSTM 14", "hidden_size=2",
                                   "f32[S,B,3]=~ !f32[1,8,3]=~ !f32[1,8,2]=~", 1};
  static const sized_case second = {"GRU 14", "hidden_size=2 layout=1",
                                    "f32[B,S,3]=~ !f32[1,6,3]=~ !f32[1,6,2]=~", 1};
  static const sized_case features = {"RNN 14", "hidden_size=2",
                                      "f32[4,B,P]=~ f32[1,2,P]=~ !f32[1,2,2]=~", 1};
  static const sized_case lengths = {"RNN 14", "hidden_size=2",
                                     "f32[4,B,3]=~ !f32[1,2,3]=~ !f32[1,2,2]=~ - !i32[2]=4,3", 1};
  static const sized_case heads = {"Attention 23", "",
                                   "f32[B,2,S,P]=~ f32[B,2,S,P]=~ f32[B,2,S,P]=~", 1};
  static const sized_case cross = {"com.microsoft.MultiHeadAttention 1",
                                   "num_heads=2 unidirectional=1",
                                   "f32[B,S,8]=~ f32[B,P,8]=~ f32[B,P,8]=~", 1};
  static const sized_case mask = {"Attention 23", "",
                                  "f32[B,2,S,4]=~ f32[B,2,T,4]=~ f32[B,2,T,4]=~ f32[S,S]=~", 1};
  static const sized_case place = {"com.microsoft.RotaryEmbedding 1", "",
                                   "f32[B,2,S,4]=~ i64[B]=M !f32[16,2]=~ !f32[16,2]=~", 1};
  static const sized_case total = {"com.microsoft.GroupQueryAttention 1",
                                   "num_heads=2 kv_num_heads=1",
                                   "f32[B,S,8]=~ f32[B,S,4]=~ f32[B,S,4]=~ f32[B,1,P,4]=~ "
                                   "f32[B,1,P,4]=~ i32[B]=L @i64[B,S]=~",
                                   3};
  size_t i;
  for (i = 0; i < sizeof sized_cases / sizeof sized_cases[0]; i++) {
    run_sized(&sized_cases[i]);
    run_all_unequal(&sized_cases[i]);
  }
  refuses_sized(
      &steps, "its steps, dimension 0 of input 0 [?,?,3], are dynamic; in WebNN they are a number");
  refuses_sized(&second, "its steps, dimension 1 of input 0 [?,?,3], are dynamic");
  refuses_sized(&features, "it needs the sizes of \"x0\" [4,?,?], of which some are dynamic");
  refuses_sized(&lengths, "it needs the sizes of \"x0\" [4,?,3], of which some are dynamic");
  refuses_sized(&heads, "it needs the sizes of \"x0\" [?,2,?,?], of which some are dynamic");
  refuses_sized(&cross, "whether there are fewer keys than queries depends on dynamic dimensions");
  refuses_sized(
      &mask,
      "cannot be broadcast"); /* three of five keys: a graph for these sizes has a longer mask */
  refuses_sized(&place, "it needs the sizes of \"x0\" [?,2,?,4], of which some are dynamic");
  refuses_sized(&total, "reshape"); /* the cache is 5 long, and the total length is 3 */
}

/* ---- One node more: what is computed with sizes, and what is refused. */

/* A model of x [batch, rows, 8], its sizes, what is computed with them (sum, less, product, flat), and one node more,
   whose result is y. */
static message *model_with(const char *op, const char *inputs, const char *attribute,
                           int64_t value) {
  message *g = new_message();
  static const float table[6] = {1, 2, 3, 4, 5, 6};
  put_sizes_of(g);
  put_list(g, "eight", "1", 8, 0);
  put_list(g, "six", "2", -1, 4);
  put_list(g, "one", "1", 1, 0);
  put_list(g, "two", "1", 2, 0);
  put_list(g, "step", "", -1, 0);
  put_op(g, "Concat", "batch1,rows1,minus", "three", "axis", 0);
  put_op(g, "Add", "batch,rows", "total", NULL, 0);
  put_op(g, "Add", "batch1,rows1", "sum", NULL, 0);
  put_op(g, "Sub", "sum,batch1", "less", NULL, 0);
  put_op(g, "Sub", "zero,less", "below", NULL, 0);
  put_op(g, "Mul", "batch1,rows1", "product", NULL, 0);
  put_op(g, "Concat", "product,minus", "flat", "axis", 0);
  put_op(g, "Sub", "sum,rows1", "more", NULL, 0);
  put_op(g, "Concat", "more,zero,minus", "kept", "axis", 0);
  put_op(g, "Concat", "sum,one,rows1,one", "four", "axis", 0);
  put_op(g, "Concat", "rows1,sum", "pads", "axis", 0);
  put_op(g, "Concat", "zero,rows1,sum,batch1,one,zero", "spread", "axis", 0);
  put_op(g, "Concat", "sum,one,rows1", "times", "axis", 0);
  put_and_free(g, 5, tensor("table", FLOAT, "6", table, sizeof table));
  put_op(g, op, inputs, "y", attribute, value);
  put_and_free(g, 11, value_info("x", FLOAT, "batch,rows,8"));
  put_and_free(g, 12, value_info("y", FLOAT, ""));
  return model_of(g, 13);
}

static void refuses(const char *part, const char *op, const char *inputs, const char *attribute,
                    int64_t value) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  message *m = model_with(op, inputs, attribute, value);
  webnn_graph *graph;
  graph = build_with(m, &options, &model, &error);
  CHECK(op,
        graph == NULL && error.status == WEBNN_NOT_SUPPORTED_ERROR &&
            strstr(error.message, part) != NULL,
        "(%s): %u %s", inputs, (unsigned)error.status, error.message);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* The model's results are those of the graphs for the sizes. It is freed. */
static void computes_model(const char *name, const char *what, message *m) {
  static uint32_t sizes[5][2] = {{1, 1}, {2, 3}, {3, 5}, {1, 4}, {2, 9}};
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_dimension dimensions[2] = {{"batch", 0}, {"rows", 0}};
  webnn_onnx_model *model = NULL, *other = NULL;
  webnn_error error = WEBNN_ZERO;
  dispatched results[MOST_PORTS], expected[MOST_PORTS];
  webnn_graph *graph, *sized;
  size_t i, count = 0, expected_count = 0;
  graph = build_with(m, &options, &model, &error);
  CHECK(name, graph != NULL, "(%s): %s", what, error.message);
  options.dimensions = dimensions;
  options.dimension_count = 2;
  for (i = 0; i < 5 && graph != NULL; i++) {
    dimensions[0].size = sizes[i][0];
    dimensions[1].size = sizes[i][1];
    sized = build_with(m, &options, &other, &error);
    CHECK(name, sized != NULL, "(%s) of known sizes: %s", what, error.message);
    (void)dispatch_graph(context, sized, data_of_sizes, sizes[i], expected, &expected_count,
                         &error);
    (void)dispatch_graph(context, graph, data_of_sizes, sizes[i], results, &count, &error);
    CHECK(name,
          error.status == WEBNN_OK && count == 1 &&
              equal_results(results, count, expected, expected_count),
          "(%s): sizes %u: %s", what, (unsigned)i, error.message);
    free_results(results, count);
    free_results(expected, expected_count);
    webnn_free_graph(sized);
    webnn_onnx_free(other);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

static void computes(const char *op, const char *inputs, const char *attribute, int64_t value) {
  computes_model(op, inputs, model_with(op, inputs, attribute, value));
}

/* x [batch, rows, 8], or [batch, 1, rows, 8], resized by whole scales, or to sizes computed from its own. */
static message *resize_model(const char *mode, const char *coordinates, const char *nearest,
                             bool by_sizes, bool four, bool whole) {
  static const float scales[4] = {1, 1, 2, 3};
  message *g = new_message(), *n;
  put_sizes_of(g);
  put_list(g, "one", "1", 1, 0);
  put_list(g, "five", "1", 5, 0);
  put_and_free(g, 5, tensor("scales", FLOAT, four ? "4" : "3", scales + !four, four ? 16 : 12));
  put_op(g, "Add", "rows1,batch1", "sum", NULL, 0);
  put_op(g, "Concat", four ? "batch1,one,sum,five" : "batch1,sum,five", "sizes", "axis", 0);
  put_op(g, "Cast", "x", "whole", "to", whole ? INT32 : FLOAT);
  put_op(g, "Unsqueeze", "whole,one", "image", NULL, 0);
  n = node("Resize", "resize",
           four       ? by_sizes ? "image,,,sizes" : "image,,scales"
           : by_sizes ? "whole,,,sizes"
                      : "whole,,scales",
           "y");
  attribute_text(n, "mode", mode, strlen(mode));
  attribute_text(n, "coordinate_transformation_mode", coordinates, strlen(coordinates));
  attribute_text(n, "nearest_mode", nearest, strlen(nearest));
  put_and_free(g, 1, n);
  put_and_free(g, 11, value_info("x", FLOAT, "batch,rows,8"));
  put_and_free(g, 12, value_info("y", whole ? INT32 : FLOAT, ""));
  return model_of(g, 13);
}

/* Pools of x as [batch, 1, rows, 8], whose last windows may reach beyond the end. */
static message *pool_model(const char *op, int64_t window, int64_t stride, int64_t begin,
                           int64_t end) {
  message *g = new_message(), *n;
  const int64_t windows[2] = {window, window}, strides[2] = {stride, stride};
  const int64_t pads[4] = {begin, begin, end, end};
  put_list(g, "one", "1", 1, 0);
  put_op(g, "Unsqueeze", "x,one", "image", NULL, 0);
  n = node(op, "pool", "image", "y");
  attribute_ints(n, "kernel_shape", windows, 2);
  attribute_ints(n, "strides", strides, 2);
  attribute_ints(n, "pads", pads, 4);
  attribute_int(n, "ceil_mode", 1);
  put_and_free(g, 1, n);
  put_and_free(g, 11, value_info("x", FLOAT, "batch,rows,8"));
  put_and_free(g, 12, value_info("y", FLOAT, ""));
  return model_of(g, 13);
}

static void test_pools(void) {
  static const int64_t windows[5][4] = {
      {3, 2, 1, 1}, {3, 2, 2, 0}, {2, 2, 1, 0}, {4, 2, 2, 2}, {3, 3, 2, 0}};
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph;
  message *m;
  unsigned i;
  for (i = 0; i < 5; i++) {
    const int64_t *w = windows[i];
    computes_model("MaxPool", "ceil_mode", pool_model("MaxPool", w[0], w[1], w[2], w[3]));
    computes_model("AveragePool", "ceil_mode", pool_model("AveragePool", w[0], w[1], w[2], w[3]));
  }
  m = pool_model("MaxPool", 2, 2, 1, 1);
  graph = build_with(m, &options, &model, &error);
  CHECK("MaxPool",
        graph == NULL &&
            strstr(error.message, "needs windows (2) as long as stride and end padding "
                                  "(3) along dimension 2") != NULL,
        "%s", error.message);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

static void test_resizes(void) {
  static const char *const coordinates[] = {"half_pixel", "align_corners", "asymmetric",
                                            "tf_half_pixel_for_nn", "pytorch_half_pixel"};
  static const char *const nearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
  char what[100];
  unsigned i, k, kind;
  for (i = 0; i < 5; i++) {
    for (k = 0; k < 5; k++) {
      for (kind = 0; kind < 8; kind++) {
        const bool by_sizes = kind % 2 > 0, four = kind / 2 % 2 > 0, whole = kind >= 4;
        const char *mode = k < 4 ? "nearest" : "linear";
        if (by_sizes && i >= 3) {
          continue; /* sizes that are 1, or stay, have rules of their own */
        }
        (void)snprintf(what, sizeof what, "%s %s %s%s%s%s", mode, coordinates[i], nearest[k % 4],
                       by_sizes ? " sizes" : "", four ? " of 4 dimensions" : "",
                       whole ? " of integers" : "");
        computes_model("Resize", what,
                       resize_model(mode, coordinates[i], nearest[k % 4], by_sizes, four, whole));
      }
    }
  }
}

static void test_sizes(void) {
  computes("Identity", "rows1", NULL, 0);
  computes("Mul", "rows1,rows1", NULL, 0);
  computes("Add", "rows1,eight", NULL, 0);
  computes("Equal", "rows1,eight", NULL, 0);
  computes("Cast", "rows1", "to", FLOAT);
  computes("Gather", "table,rows", NULL, 0);
  computes("Identity", "three", NULL, 0);
  computes("Identity", "four", NULL, 0);
  computes("Slice", "table,zero,rows1", NULL, 0);
  computes("Slice", "table,zero,sum", NULL, 0); /* which may be more than there are */
  computes("Slice", "x,zero,eight,one", NULL, 0);
  computes("Slice", "x,zero,less,one", NULL, 0);
  computes("Slice", "x,below,eight,one", NULL, 0);
  computes("Slice", "x,minus,sum,one", NULL, 0);
  computes("Reshape", "x,six", NULL, 0);
  computes("Reshape", "x,flat", NULL, 0);
  computes("Reshape", "x,kept", NULL, 0);
  computes("Expand", "eight,sum", NULL, 0);
  computes("Expand", "eight,four", NULL, 0);
  computes("Expand", "x,four", NULL, 0);
  computes("Expand", "rows,four", NULL, 0);
  computes("ConstantOfShape", "sum", NULL, 0);
  computes("ConstantOfShape", "four", NULL, 0);
  computes("Tile", "table,rows1", NULL, 0);
  computes("Tile", "table,sum", NULL, 0);
  computes("Tile", "x,times", NULL, 0);
  computes("Pad", "table,pads", NULL, 0);
  computes("Pad", "x,spread", NULL, 0);
  computes("Pad", "x,pads,,one", NULL, 0);
  computes("Range", "c0,total,c1", NULL, 0);
  computes("Range", "batch,total,c1", NULL, 0);
  computes("Range", "total,batch,step", NULL, 0);
}

static void test_refusals(void) {
  refuses("holds the size of the dynamic dimension \"rows\", which must be known", "TopK",
          "table,rows1", NULL, 0);
  refuses("\"sum\" is computed from the sizes of dynamic dimensions, and must be known", "TopK",
          "table,sum", NULL, 0);
  refuses("the step of a slice by sizes (2) must be 1", "Slice", "x,zero,sum,one,two", NULL, 0);
  refuses("input 1 must have 1 dimension; it has 0", "Reshape", "x,total", NULL, 0);
  refuses("the number of elements of input 0 [?,?,8] is not one of its dynamic dimensions", "Size",
          "x", NULL, 0);
  refuses("node \"y\" (TopK): it needs the sizes of \"x\" [?,?,8], of which some are dynamic",
          "TopK", "x,eight", NULL, 0);
  refuses("dimension 1, which is dynamic, cannot be split", "Split", "x,eight", "axis", 1);
}

/* With `fixed` sizes are asked for, and a default size comes before dynamic dimensions. */
static void test_options(void) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_graph_port port = WEBNN_ZERO;
  message *m = chain_model();
  webnn_graph *graph;
  options.fixed = true;
  graph = build_with(m, &options, &model, &error);
  CHECK("fixed", graph == NULL && strstr(error.message, "not given: \"batch\", \"rows\"") != NULL,
        "%s", error.message);
  webnn_onnx_free(model);
  memset(&error, 0, sizeof error);
  options.fixed = false;
  options.default_size = 2;
  graph = build_with(m, &options, &model, &error);
  CHECK("a default size", graph != NULL, "%s", error.message);
  (void)webnn_graph_inputs(graph, &port, 1);
  CHECK("a default size",
        port.descriptor.shape.items[0] == 2 && port.descriptor.shape.items[1] == 2, "%u",
        port.descriptor.shape.items[0]);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* A part of a graph whose operand has dynamic dimensions; no option is needed. */
static void test_part(void) {
  webnn_onnx_model *model = NULL;
  webnn_builder *builder = NULL;
  webnn_graph *graph = NULL;
  webnn_operand *outputs[8] = {NULL};
  webnn_operand_descriptor descriptor = WEBNN_ZERO;
  webnn_named_operand given;
  webnn_error error = WEBNN_ZERO;
  static uint32_t sizes[2] = {3, 2};
  dispatched results[MOST_PORTS];
  size_t count = 0;
  message *m = chain_model();
  (void)webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error);
  (void)webnn_create_builder(context, &builder, &error);
  descriptor.data_type = WEBNN_FLOAT32;
  descriptor.shape =
      WEBNN_LIST(webnn_dynamic_dimension(builder, "n"), webnn_dynamic_dimension(builder, "m"), 8);
  given.name = "x";
  given.operand = webnn_relu(builder, webnn_input(builder, "in", descriptor), NULL);
  (void)webnn_onnx_add(model, builder, &given, 1, outputs, &error);
  CHECK("a part", error.status == WEBNN_OK, "%s", error.message);
  given.name = "out";
  given.operand = outputs[0];
  (void)webnn_build(builder, &given, 1, &graph, &error);
  CHECK("a part",
        graph != NULL && dispatch_graph(context, graph, data_of_sizes, sizes, results, &count,
                                        &error) == WEBNN_OK,
        "%s", error.message);
  CHECK("a part", count == 1 && results[0].byte_length == 4 * 3 * 2 * 8, "%u", (unsigned)count);
  free_results(results, count);
  webnn_free_graph(graph);
  webnn_free_builder(builder);
  webnn_onnx_free(model);
  free(m);
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  size_t i;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  (void)webnn_create_context(&options, &context, NULL);
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (count < 2 || strstr(cases[i].op, arguments[1]) != NULL) {
      run_case(&cases[i]);
    }
  }
  if (count < 2) {
    CHECK("cases", built > 500 && refused > 500 && shrunk > 200,
          "%u were built, %u refused, %u with a size of 1", built, refused, shrunk);
    test_chain();
    test_sized();
    test_sizes();
    test_resizes();
    test_pools();
    test_refusals();
    test_options();
    test_part();
  }
  webnn_free_context(context);
  return test_end();
}
