/* The order of nodes in ONNX files: graphs whose nodes stand in any order, in bodies and functions, too, are
   sorted so that each node stays where it is but for those that it needs; cycles and names that nothing makes
   are refused, with the nodes and the names. */
#include "onnx_writer.h"
#include "test.h"
#include "webnn_onnx.h"

#include <time.h>

static webnn_context *context;

enum { NODES = 24, ELEMENTS = 2 };

static uint32_t state = 1;

static uint32_t draw(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

/* ---- Random graphs: node i makes "v<i>" of two results of nodes before it, or of x. */

typedef struct random_graph {
  int inputs[NODES][2]; /* -1: x */
  int file[NODES];      /* the node at each place of the file */
} random_graph;

static void draw_graph(random_graph *r) {
  int i, k;
  for (i = 0; i < NODES; i++) {
    r->file[i] = i;
    for (k = 0; k < 2; k++) {
      r->inputs[i][k] = (int)draw((uint32_t)i + 1) - 1;
    }
  }
}

static void shuffle(random_graph *r) {
  int i;
  for (i = NODES - 1; i > 0; i--) {
    const int other = (int)draw((uint32_t)i + 1), kept = r->file[i];
    r->file[i] = r->file[other];
    r->file[other] = kept;
  }
}

static message *model_of_graph(const random_graph *r) {
  static const char *const ops[3] = {"Add", "Sub", "Max"};
  message *g = new_message();
  char name[16], out[16], in[32], part[2][16];
  int i, k;
  for (i = 0; i < NODES; i++) {
    const int n = r->file[i];
    for (k = 0; k < 2; k++) {
      (void)snprintf(part[k], sizeof part[k], r->inputs[n][k] < 0 ? "x" : "v%d", r->inputs[n][k]);
    }
    (void)snprintf(in, sizeof in, "%s,%s", part[0], part[1]);
    (void)snprintf(out, sizeof out, "v%d", n);
    (void)snprintf(name, sizeof name, "n%d", n);
    put_node(g, ops[n % 3], name, in, out);
    put_output(g, out, 1, "2");
  }
  put_input(g, "x", 1, "2");
  return model_of(g, 13);
}

/* The order by its definition: a node in the order of the file, before it the nodes that it needs, the one
   first that comes first in the file. */
static void place(const random_graph *r, int n, const int *place_in_file, bool *placed, int *order,
                  int *count) {
  int a = r->inputs[n][0], b = r->inputs[n][1];
  if (a >= 0 && b >= 0 && place_in_file[b] < place_in_file[a]) {
    const int kept = a;
    a = b;
    b = kept;
  }
  if (placed[n]) {
    return;
  }
  placed[n] = true;
  if (a >= 0) {
    place(r, a, place_in_file, placed, order, count);
  }
  if (b >= 0) {
    place(r, b, place_in_file, placed, order, count);
  }
  order[(*count)++] = n;
}

static webnn_graph *graph_of(message *m, webnn_onnx_model **model, webnn_error *error) {
  webnn_graph *graph = NULL;
  if (webnn_onnx_read(m->bytes, m->length, NULL, NULL, model, error) == WEBNN_OK) {
    (void)webnn_onnx_build(*model, context, &graph, error);
  }
  return graph;
}

static void run_graph(webnn_graph *graph, float results[NODES][ELEMENTS], webnn_error *error) {
  const float x[ELEMENTS] = {3, -5};
  webnn_named_input in = WEBNN_ZERO;
  webnn_named_output out[NODES];
  char names[NODES][16];
  int i;
  in.name = "x";
  in.data = x;
  in.byte_length = sizeof x;
  for (i = 0; i < NODES; i++) {
    (void)snprintf(names[i], sizeof names[i], "v%d", i);
    out[i].name = names[i];
    out[i].data = results[i];
    out[i].byte_length = sizeof results[i];
  }
  (void)webnn_compute(context, graph, &in, 1, out, NODES, error);
}

static void one_random_graph(bool shuffled) {
  random_graph r;
  webnn_graph_operator operators[2 * NODES];
  float expected[NODES][ELEMENTS], results[NODES][ELEMENTS];
  int places[NODES], order[NODES], count = 0, i, k;
  bool placed[NODES] = {false}, same = true;
  webnn_error error = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph;
  message *m;
  draw_graph(&r);
  if (shuffled) {
    shuffle(&r);
  }
  for (i = 0; i < NODES; i++) {
    places[r.file[i]] = i;
    for (k = 0; k < ELEMENTS; k++) {
      const float x = k == 0 ? 3.0f : -5.0f;
      const float a = r.inputs[i][0] < 0 ? x : expected[r.inputs[i][0]][k];
      const float b = r.inputs[i][1] < 0 ? x : expected[r.inputs[i][1]][k];
      expected[i][k] = i % 3 == 0 ? a + b : i % 3 == 1 ? a - b : a > b ? a : b;
    }
  }
  for (i = 0; i < NODES; i++) {
    place(&r, r.file[i], places, placed, order, &count);
  }
  m = model_of_graph(&r);
  graph = graph_of(m, &model, &error);
  CHECK("a random graph", graph != NULL, "%s", error.message);
  if (graph != NULL) {
    memset(results, 0, sizeof results);
    run_graph(graph, results, &error);
    CHECK("its results", error.status == WEBNN_OK && memcmp(results, expected, sizeof results) == 0,
          "%s", error.message);
    CHECK("its operators", webnn_graph_operators(graph, operators, 2 * NODES) == NODES, "%s", "");
    for (i = 0; i < NODES; i++) {
      char label[16];
      (void)snprintf(label, sizeof label, "n%d", order[i]);
      same = same && strcmp(operators[i].label, label) == 0;
    }
    CHECK("their order", same, "%s", shuffled ? "of a shuffled file" : "of a file in order");
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* ---- Bodies and functions. */

static message *constant_true(const char *name) {
  static const unsigned char yes = 1;
  message *n = node("Constant", "", "", name);
  attribute_tensor(n, "value", tensor("", 9, "", &yes, 1));
  return n;
}

/* A branch whose two nodes stand the wrong way round: `out` = -(of + of). */
static message *branch_of(const char *of, const char *out) {
  message *branch = new_message();
  char twice[32];
  (void)snprintf(twice, sizeof twice, "%s,%s", of, of);
  put_node(branch, "Neg", "", "twice", out);
  put_node(branch, "Add", "", twice, "twice");
  put_output(branch, out, 1, "2");
  return branch;
}

static message *if_of(const char *condition, const char *of, const char *out) {
  message *n = node("If", "choose", condition, out);
  attribute_graph(n, "then_branch", branch_of(of, out));
  attribute_graph(n, "else_branch", branch_of(of, out));
  return n;
}

/* Of a graph from x to y. */
static message *model_with(message *g) {
  put_input(g, "x", 1, "2");
  put_output(g, "y", 1, "2");
  return model_of(g, 17);
}

static void results_are(const char *what, message *m, float first, float second) {
  const float x[ELEMENTS] = {3, -5};
  float y[ELEMENTS] = {0, 0};
  webnn_error error = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = graph_of(m, &model, &error);
  if (graph != NULL) {
    (void)webnn_compute(context, graph, WEBNN_INPUTS({"x", x, sizeof x}),
                        WEBNN_OUTPUTS({"y", y, sizeof y}), &error);
  }
  CHECK(what, error.status == WEBNN_OK && y[0] == first && y[1] == second, "%s: %g, %g",
        error.message, (double)y[0], (double)y[1]);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

/* A loop of two rounds, in whose body the state is used before it is made: h -> -(h + h) each time. */
static message *loop_of(const char *inputs, const char *out) {
  message *body = new_message(), *n = node("Loop", "loop", inputs, out);
  put_node(body, "Neg", "", "twice", "next");
  put_node(body, "Add", "", "h,h", "twice");
  put_node(body, "Identity", "", "go", "goes");
  put_input(body, "i", 7, "");
  put_input(body, "go", 9, "");
  put_input(body, "h", 1, "2");
  put_output(body, "goes", 9, "");
  put_output(body, "next", 1, "2");
  attribute_graph(n, "body", body);
  return n;
}

static message *call_of_function(void) {
  message *n = node("F", "call", "x", "y");
  put_text(n, 7, "local");
  return n;
}

static void bodies_in_any_order(void) {
  static const int64_t two = 2;
  message *g = new_message(), *f, *m;
  /* The If comes before what its branches take from outside, and before its condition. */
  put_and_free(g, 1, if_of("on", "t", "y"));
  put_node(g, "Abs", "", "x", "t");
  put_and_free(g, 1, constant_true("on"));
  results_are("a branch before what it takes from outside", model_with(g), -6, -10);
  g = new_message(); /* "twice" is a name here, too: of another value, which stands behind */
  put_node(g, "Add", "", "z,twice", "y");
  put_and_free(g, 1, if_of("on", "x", "z"));
  put_node(g, "Abs", "", "x", "twice");
  put_and_free(g, 1, constant_true("on"));
  results_are("names in a branch that are there outside", model_with(g), -3, 15);
  g = new_message();
  put_and_free(g, 1, loop_of("count,on,t", "y"));
  put_node(g, "Abs", "", "x", "t");
  put_and_free(g, 1, constant_true("on"));
  put_tensor(g, "count", 7, "", &two, 8);
  results_are("a loop before its state", model_with(g), 12, 20);
  g = new_message();
  put_and_free(g, 1, call_of_function());
  f = new_message();
  put_and_free(f, 7, node("Neg", "", "twice", "b"));
  put_and_free(f, 7, node("Add", "", "a,a", "twice"));
  put_text(f, 10, "local");
  m = model_with(g);
  import_domain(m, "local", 1);
  put_function(m, f, "a", "b", 17);
  results_are("a function in any order", m, -6, 10);
}

/* ---- What is refused. */

static void refused_as(const char *what, message *m, const char *const *parts, size_t count) {
  webnn_error error = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = graph_of(m, &model, &error);
  size_t i;
  for (i = 0; i < count; i++) {
    CHECK(what, graph == NULL && strstr(error.message, parts[i]) != NULL, "no \"%s\" in: %s",
          parts[i], error.message);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(m);
}

#define REFUSED(what, m, ...)                                                                      \
  do {                                                                                             \
    static const char *const parts[] = {__VA_ARGS__};                                              \
    refused_as(what, m, parts, sizeof parts / sizeof parts[0]);                                    \
  } while (0)

static void refusals(void) {
  message *g = new_message(), *f, *m;
  put_node(g, "Relu", "before", "x", "r");
  put_node(g, "Add", "a", "r,w", "u");
  put_node(g, "Abs", "b", "u", "v");
  put_node(g, "Neg", "c", "v", "w");
  put_node(g, "Relu", "after", "w", "y");
  REFUSED("a cycle of three", model_with(g), "node \"b\" (Abs)", "node \"a\" (Add)",
          "node \"c\" (Neg)", "cycle");
  g = new_message();
  put_node(g, "Add", "own", "x,y", "y");
  REFUSED("a node of its own result", model_with(g), "node \"own\" (Add): it uses \"y\"", "cycle");
  g = new_message();
  put_and_free(g, 1, constant_true("on"));
  put_and_free(g, 1, if_of("on", "t", "z"));
  put_node(g, "Abs", "t of z", "z", "t");
  put_node(g, "Abs", "", "z", "y");
  REFUSED("a cycle through a branch", model_with(g), "(If)", "node \"t of z\" (Abs)", "cycle");
  g = new_message();
  put_and_free(g, 1, call_of_function());
  f = new_message();
  put_and_free(f, 7, node("Neg", "n", "twice", "b"));
  put_and_free(f, 7, node("Add", "m", "a,b", "twice"));
  put_text(f, 10, "local");
  m = model_with(g);
  import_domain(m, "local", 1);
  put_function(m, f, "a", "b", 17);
  REFUSED("a cycle in a function", m, "node \"n\" (Neg)", "node \"m\" (Add)", "cycle");
  g = new_message();
  put_node(g, "Abs", "late", "q", "y");
  put_node(g, "Abs", "", "x", "p");
  REFUSED("a name that nothing makes", model_with(g),
          "node \"late\" (Abs): it uses \"q\", which nothing makes");
  g = new_message(); /* what only a branch makes */
  put_and_free(g, 1, constant_true("on"));
  put_and_free(g, 1, if_of("on", "x", "z"));
  put_node(g, "Add", "late", "z,twice", "y");
  REFUSED("a name of a branch outside of it", model_with(g),
          "node \"late\" (Add): it uses \"twice\", which nothing makes");
  g = new_message();
  put_node(g, "Abs", "late", "t", "y");
  put_node(g, "Neg", "one", "x", "t");
  put_node(g, "Relu", "two", "x", "t");
  REFUSED("a name made twice, out of order", model_with(g),
          "node \"two\" (Relu): it makes \"t\", which is there already");
}

/* webnn_onnx_problems names each cycle, and what is missing. */
static void all_at_once(void) {
  message *g = new_message(), *m;
  webnn_error error = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  const char *problems[8];
  size_t count = 0;
  put_node(g, "Add", "a", "x,c", "b");
  put_node(g, "Abs", "d", "b", "c");
  put_node(g, "Add", "e", "x,y", "f");
  put_node(g, "Abs", "g", "f", "y");
  put_node(g, "Abs", "h", "missing", "i");
  m = model_with(g);
  if (webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, &error) == WEBNN_OK) {
    count = webnn_onnx_problems(model, problems, 8);
  }
  CHECK("two cycles and a name", count == 3, "%u problems", (unsigned)count);
  if (count == 3) {
    CHECK("the first cycle", strstr(problems[0], "node \"a\" (Add)") != NULL, "%s", problems[0]);
    CHECK("the second cycle", strstr(problems[1], "node \"e\" (Add)") != NULL, "%s", problems[1]);
    CHECK("the name", strstr(problems[2], "\"missing\", which nothing makes") != NULL, "%s",
          problems[2]);
  }
  webnn_onnx_free(model);
  free(m);
}

/* ---- Time: a chain of many nodes, the last one first, is sorted in a time that is linear in them. */

enum { MANY = 100000 };

static size_t put_plain(unsigned char *to, unsigned field, const char *text) {
  const size_t length = strlen(text);
  to[0] = (unsigned char)(field << 3 | 2);
  to[1] = (unsigned char)length;
  memcpy(to + 2, text, length);
  return length + 2;
}

static void a_long_chain(void) {
  unsigned char *bytes = (unsigned char *)malloc(40 * (size_t)MANY + 64), *graph, *at;
  webnn_onnx_operator operators[2];
  webnn_error error = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  const clock_t start = clock();
  double seconds;
  char name[16];
  size_t length;
  int i;
  if (bytes == NULL) {
    exit(2);
  }
  graph = at = bytes + 16;
  for (i = MANY; i > 0; i--) {
    unsigned char *n = at + 2;
    (void)snprintf(name, sizeof name, "%d", i - 1);
    n += put_plain(n, 1, name);
    (void)snprintf(name, sizeof name, "%d", i);
    n += put_plain(n, 2, name);
    n += put_plain(n, 4, i == MANY ? "Neg" : "Abs");
    at[0] = 1 << 3 | 2;
    at[1] = (unsigned char)(n - at - 2);
    at = n;
  }
  length = (size_t)(at - graph);
  at = graph - 8; /* the version of the format, then the graph with a length of five bytes */
  at[0] = 1 << 3, at[1] = 8, at[2] = 7 << 3 | 2;
  for (i = 0; i < 5; i++) {
    at[3 + i] = (unsigned char)((length >> (7 * i) & 127) | (i < 4 ? 128u : 0u));
  }
  (void)webnn_onnx_read(at, length + 8, NULL, NULL, &model, &error);
  seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK("a long chain", model != NULL, "%s", error.message);
  CHECK("its order",
        webnn_onnx_operators(model, operators, 2) == 2 && strcmp(operators[0].name, "Abs") == 0 &&
            operators[0].count == MANY - 1,
        "%s", "the last node is still the first");
  CHECK("its time", seconds < 20, "%g seconds", seconds);
  webnn_onnx_free(model);
  free(bytes);
}

int main(void) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  int i;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.disabled_passes = UINT32_MAX;
  options.threads = 1;
  if (webnn_create_context(&options, &context, &error) != WEBNN_OK) {
    puts(error.message);
    return 1;
  }
  for (i = 0; i < 200; i++) {
    one_random_graph(i % 4 != 0);
  }
  bodies_in_any_order();
  refusals();
  all_at_once();
  a_long_chain();
  webnn_free_context(context);
  return test_end();
}
