/* Sessions of webnn_onnx.h: inputs of any size. Graphs for five sizes of each model compute the bits of graphs
   that are built with these sizes as options; a decoder's tokens over a growing cache are those of graphs built
   new for each length; shapes that depend on values; what is kept, what makes room, and what is refused; two
   threads. All of it with one graph for all sizes, where the model allows that, and with a graph for each size.
   (Memory that ends: onnx_allocations.c.)

     onnx_sizes           these
     onnx_sizes FOLDER    the networks of networks.py, each at five sizes, and as one graph with dynamic dimensions where
                          none of them is needed while building; inputs and outputs go to FOLDER/NAME/sizes-0
                          and so on, and what they are to FOLDER/sizes, for scripts/onnx_networks.js */
#include "session_models.h"
#include "test.h"
#include "webnn_onnx.h"

#include "dispatch.h"

#include <pthread.h>
#include <sys/stat.h>

static webnn_context *context;
static bool fixed; /* sessions have a graph for each set of sizes */

enum { MOST_PORTS = 4, MOST_ELEMENTS = 4096 };

/* ---- Inputs and outputs. */

typedef struct array {
  webnn_onnx_feed feed;
  float floats[MOST_ELEMENTS];
  int64_t integers[64];
} array;

static size_t elements_of(webnn_list shape) {
  size_t count = 1;
  uint32_t d;
  for (d = 0; d < shape.count; d++) {
    count *= shape.items[d];
  }
  return count;
}

static webnn_list shape_of(uint32_t rank, const uint32_t *sizes) {
  webnn_list shape = WEBNN_ZERO;
  shape.given = true;
  shape.count = rank;
  memcpy(shape.items, sizes, rank * sizeof *sizes);
  return shape;
}

static void set_floats(array *a, const char *name, uint32_t rank, const uint32_t *sizes) {
  size_t i;
  a->feed.name = name;
  a->feed.shape = shape_of(rank, sizes);
  a->feed.data = a->floats;
  a->feed.byte_length = 4 * elements_of(a->feed.shape);
  for (i = 0; i < elements_of(a->feed.shape); i++) {
    a->floats[i] = (float)((i * 37 + 11) % 29) / 8.0f - 1.5f;
  }
}

static void set_integers(array *a, const char *name, uint32_t rank, const uint32_t *sizes,
                         const int64_t *integers) {
  a->feed.name = name;
  a->feed.shape = shape_of(rank, sizes);
  a->feed.data = a->integers;
  a->feed.byte_length = 8 * elements_of(a->feed.shape);
  memcpy(a->integers, integers, a->feed.byte_length);
}

typedef struct results {
  webnn_onnx_port ports[MOST_PORTS];
  webnn_named_output outputs[MOST_PORTS];
  float numbers[MOST_PORTS][MOST_ELEMENTS];
  webnn_error error;
  webnn_status status;
} results;

/* Notes of a session: how many, the first and the last one. */
typedef struct notes {
  unsigned count;
  char first[512], last[512];
} notes;

static void take_note(void *user, const char *text) {
  notes *n = (notes *)user;
  if (n->count++ == 0) {
    (void)snprintf(n->first, sizeof n->first, "%s", text);
  }
  (void)snprintf(n->last, sizeof n->last, "%s", text);
}

typedef struct subject {
  message *bytes;
  webnn_onnx_model *model;
  webnn_onnx_session *session;
  notes notes;
} subject;

/* A session of a model, which it takes. */
static void open_subject(subject *s, message *m, const webnn_onnx_options *options,
                         uint32_t graph_count) {
  webnn_onnx_session_options wanted = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  memset(s, 0, sizeof *s);
  s->bytes = m;
  wanted.graph_count = graph_count;
  wanted.fixed = fixed;
  wanted.note = take_note;
  wanted.note_user = &s->notes;
  (void)webnn_onnx_read(m->bytes, m->length, NULL, options, &s->model, &error);
  (void)webnn_onnx_create_session(s->model, context, &wanted, &s->session, &error);
  CHECK("a session", s->session != NULL, "%s", error.message);
}

static void close_subject(subject *s) {
  webnn_onnx_free_session(s->session);
  webnn_onnx_free(s->model);
  free(s->bytes);
}

/* Asks for the shapes of the outputs, then runs. */
static webnn_status run_session(const subject *s, const webnn_onnx_feed *feeds, size_t count,
                                results *r) {
  const size_t outputs = webnn_onnx_outputs(s->model, NULL, 0);
  size_t i;
  memset(&r->error, 0, sizeof r->error);
  r->status = webnn_onnx_compute_shapes(s->session, feeds, count, r->ports, &r->error);
  for (i = 0; i < outputs && r->status == WEBNN_OK; i++) {
    r->outputs[i].name = r->ports[i].name;
    r->outputs[i].data = r->numbers[i];
    r->outputs[i].byte_length = 4 * elements_of(r->ports[i].descriptor.shape);
  }
  if (r->status == WEBNN_OK) {
    r->status = webnn_onnx_run(s->session, feeds, count, r->outputs, outputs, &r->error);
  }
  return r->status;
}

/* The same of a graph that webnn_onnx_build makes with sizes as options. */
static webnn_status run_anew(const message *m, const webnn_onnx_dimension *sizes, size_t size_count,
                             const webnn_onnx_known *known, size_t known_count,
                             const webnn_onnx_feed *feeds, size_t count, results *r) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_graph_port ports[MOST_PORTS];
  webnn_named_input inputs[MOST_PORTS];
  size_t i, k, in, out;
  memset(&r->error, 0, sizeof r->error);
  options.dimensions = sizes;
  options.dimension_count = size_count;
  options.known = known;
  options.known_count = known_count;
  r->status = webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &r->error);
  if (r->status == WEBNN_OK) {
    r->status = webnn_onnx_build(model, context, &graph, &r->error);
  }
  if (r->status == WEBNN_OK) {
    in = webnn_graph_inputs(graph, ports, MOST_PORTS);
    for (i = 0; i < in; i++) {
      for (k = 0; k + 1 < count && strcmp(feeds[k].name, ports[i].name) != 0; k++) {
      }
      inputs[i].name = ports[i].name;
      inputs[i].data = feeds[k].data;
      inputs[i].byte_length = feeds[k].byte_length;
    }
    out = webnn_graph_outputs(graph, ports, MOST_PORTS);
    for (i = 0; i < out; i++) {
      r->ports[i].descriptor = ports[i].descriptor;
      r->outputs[i].name = ports[i].name;
      r->outputs[i].data = r->numbers[i];
      r->outputs[i].byte_length = (size_t)ports[i].byte_length;
    }
    r->status = webnn_compute(context, graph, inputs, in, r->outputs, out, &r->error);
  }
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  return r->status;
}

static bool same_shape(webnn_list a, webnn_list b) {
  return a.count == b.count && memcmp(a.items, b.items, a.count * sizeof *a.items) == 0;
}

/* Are shapes and bits of output i the same? */
static void same_results(const char *name, const results *a, const results *b, size_t i) {
  CHECK(name, a->status == WEBNN_OK && b->status == WEBNN_OK, "%s; %s", a->error.message,
        b->error.message);
  CHECK(name, same_shape(a->ports[i].descriptor.shape, b->ports[i].descriptor.shape),
        "output %u: another shape", (unsigned)i);
  CHECK(name,
        a->outputs[i].byte_length == b->outputs[i].byte_length &&
            memcmp(a->numbers[i], b->numbers[i], a->outputs[i].byte_length) == 0,
        "output %u: other bits", (unsigned)i);
}

static results first, second; /* too large for the stack */
static array x, y, z;

/* ---- Shapes from shapes. */

static void set_shapes(uint32_t batch, uint32_t sequence, uint32_t m) {
  const uint32_t of_x[3] = {batch, sequence, 4}, of_y[2] = {batch, m};
  set_floats(&x, "x", 3, of_x);
  set_floats(&y, "y", 2, of_y);
}

static void sizes_of_shapes(void) {
  static const uint32_t sizes[5][3] = {{1, 1, 1}, {2, 3, 5}, {3, 2, 2}, {1, 7, 1}, {2, 16, 3}};
  webnn_onnx_dimension dimensions[3] = {{"batch", 0}, {"sequence", 0}, {"m", 0}};
  webnn_onnx_feed feeds[2];
  subject s;
  size_t i, k;
  open_subject(&s, shapes_model(), NULL, 0);
  for (i = 0; i < 10; i++) { /* each size twice: the second time its graph is there */
    set_shapes(sizes[i % 5][0], sizes[i % 5][1], sizes[i % 5][2]);
    feeds[i % 2] = x.feed; /* in any order */
    feeds[1 - i % 2] = y.feed;
    for (k = 0; k < 3; k++) {
      dimensions[k].size = sizes[i % 5][k];
    }
    (void)run_session(&s, feeds, 2, &first);
    (void)run_anew(s.bytes, dimensions, 3, NULL, 0, feeds, 2, &second);
    same_results("shapes from shapes", &first, &second, 0);
    same_results("shapes from shapes", &first, &second, 1);
  }
  CHECK("graphs are kept", s.notes.count == (fixed ? 4 : 0), "%u were built again", s.notes.count);
  CHECK("why",
        !fixed || strstr(s.notes.last,
                         "built again: input \"x\" is [2,16,4], not [1,7,4], input \"y\"") != NULL,
        "%s", s.notes.last);
  close_subject(&s);
}

/* An input of which only the name of a dimension is needed gives its size to the one graph, whether
   its data are given or not. */
static void sizes_of_names(void) {
  static const uint32_t sizes[4][2] = {{3, 4}, {3, 5}, {2, 5}, {3, 4}};
  static const int64_t zeros[5] = {0};
  webnn_onnx_dimension dimensions[2] = {{"n", 0}, {"m", 0}};
  webnn_onnx_feed feeds[2];
  subject s;
  size_t i;
  open_subject(&s, rows_model(), NULL, 0);
  for (i = 0; i < 4; i++) {
    set_floats(&x, "x", 1, &sizes[i][0]);
    set_integers(&y, "mask", 1, &sizes[i][1], zeros);
    feeds[0] = x.feed;
    feeds[1] = y.feed;
    dimensions[0].size = sizes[i][0];
    dimensions[1].size = sizes[i][1];
    (void)run_session(&s, feeds, 2, &first);
    (void)run_anew(s.bytes, dimensions, 2, NULL, 0, feeds, 2, &second);
    same_results("a size by its name", &first, &second, 0);
  }
  CHECK("one graph", s.notes.count == (fixed ? 2 : 0), "%u: %s", s.notes.count, s.notes.last);
  feeds[1].data = NULL;
  (void)run_session(&s, feeds, 2, &first);
  same_results("a size without data", &first, &second, 0);
  close_subject(&s);
}

/* ---- A decoder: its present is the next past. */

enum { STEPS = 64 };

static int64_t largest(const float *numbers, size_t count) {
  size_t i, best = 0;
  for (i = 1; i < count; i++) {
    best = numbers[i] > numbers[best] ? i : best;
  }
  return (int64_t)best;
}

static void decoder(void) {
  static const uint32_t one[1] = {1};
  static float cache[2][MOST_ELEMENTS];
  int64_t token = 3, other = 3;
  uint32_t step, different = 0;
  webnn_onnx_dimension past = {"past", 0};
  webnn_onnx_feed feeds[2];
  unsigned seen[TOKENS] = {0}, kinds = 0;
  subject s;
  open_subject(&s, decoder_model(), NULL, 0);
  for (step = 0; step < STEPS; step++) {
    const uint32_t sizes[2] = {step, WIDTH};
    set_integers(&x, "token", 1, one, &token);
    feeds[0] = x.feed;
    set_floats(&y, "past", 2, sizes);
    feeds[1] = y.feed;
    feeds[1].data = cache[0];
    (void)run_session(&s, feeds, 2, &first);
    set_integers(&z, "token", 1, one, &other);
    feeds[0] = z.feed;
    feeds[1].data = cache[1];
    past.size = step;
    (void)run_anew(s.bytes, &past, 1, NULL, 0, feeds, 2, &second);
    same_results("a decoder", &first, &second, 0);
    same_results("a decoder's cache", &first, &second, 1);
    token = largest(first.numbers[0], TOKENS);
    other = largest(second.numbers[0], TOKENS);
    different += token != other;
    kinds += seen[token]++ == 0;
    memcpy(cache[0], first.numbers[1], first.outputs[1].byte_length);
    memcpy(cache[1], second.numbers[1], second.outputs[1].byte_length);
  }
  CHECK("a decoder's tokens", different == 0 && kinds > 1, "%u differ, of %u kinds", different,
        kinds);
  /* The first one has no past, and a dynamic dimension is never 0. */
  CHECK("a decoder's graphs", s.notes.count == (fixed ? STEPS - 1 : 1), "%u", s.notes.count);
  close_subject(&s);
}

/* ---- Shapes from values. */

static void values(void) {
  static const uint32_t one[1] = {1};
  static const int64_t counts[6] = {3, 5, 3, 1, 5, 3};
  webnn_onnx_known known = WEBNN_ZERO;
  webnn_onnx_dimension k = {"k", 1};
  webnn_onnx_feed feeds[2];
  subject s;
  size_t i;
  open_subject(&s, range_model(), NULL, 0);
  set_floats(&x, "x", 1, one);
  for (i = 0; i < 6; i++) {
    set_integers(&y, "n", 0, one, &counts[i]);
    feeds[0] = x.feed;
    feeds[1] = y.feed;
    known.name = "n";
    known.data = &counts[i];
    known.byte_length = 8;
    (void)run_session(&s, feeds, 2, &first);
    (void)run_anew(s.bytes, &k, 1, &known, 1, feeds, 2, &second);
    same_results("shapes from values", &first, &second, 0);
    CHECK("as many as the value says",
          first.ports[0].descriptor.shape.items[0] == (uint32_t)counts[i], "%u",
          first.ports[0].descriptor.shape.items[0]);
    if (i == 0) {
      CHECK("that the value matters",
            s.notes.count == 1 &&
                strstr(s.notes.last, "the graph depends on the value of input \"n\"") != NULL,
            "%u: %s", s.notes.count, s.notes.last);
    }
  }
  CHECK("graphs of values are kept", s.notes.count == 3, "%u notes", s.notes.count);
  CHECK("which value",
        strstr(s.notes.last, "built again: the value of input \"n\" is another one") != NULL, "%s",
        s.notes.last);
  feeds[1].data = NULL;
  CHECK("no value",
        run_session(&s, feeds, 2, &first) == WEBNN_NOT_SUPPORTED_ERROR &&
            strstr(first.error.message, "(a session needs the data of \"n\")") != NULL,
        "%s", first.error.message);
  close_subject(&s);
}

/* ---- What is refused. */

static void refused(const subject *s, const webnn_onnx_feed *feeds, size_t count,
                    const char *part) {
  const webnn_status status = run_session(s, feeds, count, &first);
  CHECK(part, status == WEBNN_TYPE_ERROR && strstr(first.error.message, part) != NULL, "%u %s",
        (unsigned)status, first.error.message);
}

static void refusals(void) {
  static const uint32_t other[3] = {2, 3, 5}, flat[2] = {2, 12};
  webnn_onnx_dimension dimension = {"m", 5};
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_feed feeds[3];
  subject s;
  options.dimensions = &dimension;
  options.dimension_count = 1;
  options.default_size = 1; /* inputs say what it would have said */
  open_subject(&s, shapes_model(), &options, 0);
  set_shapes(2, 3, 5);
  feeds[0] = x.feed;
  feeds[1] = feeds[2] = y.feed;
  refused(&s, feeds, 1, "inputs: input \"y\" is missing");
  refused(&s, feeds, 3, "inputs: input \"y\" is given twice");
  feeds[2].name = "w";
  refused(&s, feeds, 3, "inputs: there is no input \"w\"");
  feeds[2].name = NULL;
  refused(&s, feeds, 3, "inputs: a name is NULL");
  refused(&s, NULL, 1, "inputs: the list is NULL");
  feeds[0].shape = shape_of(2, flat);
  refused(&s, feeds, 2, "inputs: input \"x\" must have 3 dimensions; it has 2");
  feeds[0].shape = shape_of(3, other);
  refused(&s, feeds, 2, "inputs: dimension 2 of input \"x\" must be 4; it is 5");
  feeds[0] = x.feed;
  feeds[0].byte_length--;
  refused(&s, feeds, 2, "inputs: input \"x\" [2,3,4] of float32 must have 96 bytes; it has 95");
  feeds[0] = x.feed;
  feeds[0].data = NULL;
  refused(&s, feeds, 2, "inputs: input \"x\" has no data");
  feeds[0] = x.feed;
  feeds[0].shape.given = false;
  refused(&s, feeds, 2, "inputs: input \"x\" has no shape, and dimension \"batch\" no size");
  feeds[0] = x.feed;
  feeds[0].shape.items[0] = 3000000000u;
  refused(&s, feeds, 2, "inputs: input \"x\" [3000000000,3,4] has too many elements");
  set_shapes(3, 3, 5);
  feeds[0] = x.feed;
  refused(&s, feeds, 2, "inputs: dimension \"batch\" is 3 in input \"x\" and 2 in input \"y\"");
  set_shapes(3, 3, 4);
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  refused(&s, feeds, 2, "inputs: dimension \"m\" is 5 in the model's options and 4 in input \"y\"");
  set_shapes(2, 3, 5);
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  CHECK("after refusals", run_session(&s, feeds, 2, &first) == WEBNN_OK, "%s", first.error.message);
  CHECK("refusals build nothing", s.notes.count == 0, "%u", s.notes.count);
  first.outputs[0].byte_length--;
  CHECK("an output of other bytes",
        webnn_onnx_run(s.session, feeds, 2, first.outputs, 2, &first.error) == WEBNN_TYPE_ERROR &&
            strstr(first.error.message, "output \"parts\"") != NULL,
        "%s", first.error.message);
  CHECK("no session", webnn_onnx_run(NULL, feeds, 2, first.outputs, 2, NULL) == WEBNN_TYPE_ERROR,
        "%u", 0u);
  close_subject(&s);
}

/* ---- What is kept. */

static void run_size(const subject *s, uint32_t batch) {
  webnn_onnx_feed feeds[2];
  set_shapes(batch, 2, 1);
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  CHECK("a size", run_session(s, feeds, 2, &first) == WEBNN_OK, "%s", first.error.message);
}

/* Of graphs for one set of sizes each. */
static void eviction(void) {
  static const uint32_t order[] = {1, 2, 1, 3, 1, 2, 3};
  /* Two graphs: 1, 2, there, 3 in place of 2, there, 2 in place of 3, 3 in place of 1. */
  static const unsigned built[] = {0, 1, 1, 2, 2, 3, 4};
  webnn_onnx_feed feeds[2];
  webnn_graph *graph = NULL, *again = NULL;
  webnn_graph_port port = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  subject s;
  size_t i;
  open_subject(&s, shapes_model(), NULL, 2);
  for (i = 0; i < sizeof order / sizeof *order; i++) {
    run_size(&s, order[i]);
    CHECK("what makes room", s.notes.count == built[i], "run %u: %u", (unsigned)i, s.notes.count);
  }
  set_shapes(4, 2, 1);
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  (void)webnn_onnx_borrow_graph(s.session, feeds, 2, &graph, &error);
  (void)webnn_onnx_borrow_graph(s.session, feeds, 2, &again, &error);
  CHECK("a borrowed graph", graph != NULL && graph == again && s.notes.count == 5, "%s",
        error.message);
  for (i = 5; i < 10; i++) {
    run_size(&s, (uint32_t)i);
  }
  CHECK("a graph in use stays",
        webnn_graph_inputs(graph, &port, 1) == 2 && port.descriptor.shape.items[0] == 4, "%u",
        port.descriptor.shape.items[0]);
  webnn_onnx_return_graph(s.session, again);
  run_size(&s, 10);
  run_size(&s, 11);
  (void)webnn_onnx_borrow_graph(s.session, feeds, 2, &again, &error);
  CHECK("it is borrowed once more", again == graph, "%s", error.message);
  webnn_onnx_return_graph(s.session, again);
  webnn_onnx_return_graph(s.session, graph);
  i = s.notes.count;
  run_size(&s, 12);
  run_size(&s, 13);
  run_size(&s, 4);
  CHECK("given back it makes room", s.notes.count == i + 3, "%u", (unsigned)(s.notes.count - i));
  webnn_onnx_return_graph(s.session, NULL);
  close_subject(&s);
}

/* ---- An initializer that is an input's default, and outputs without elements. */

static void defaults(void) {
  static const uint32_t one[1] = {1}, none[1] = {0}, three[1] = {3};
  webnn_onnx_feed feeds[3];
  webnn_graph *graph = NULL;
  subject s;
  open_subject(&s, default_model(), NULL, 0);
  set_floats(&x, "x", 1, three);
  set_floats(&y, "v", 1, none);
  set_floats(&z, "w", 1, one);
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  feeds[2] = z.feed;
  CHECK("a default",
        run_session(&s, feeds, 2, &first) == WEBNN_OK && first.numbers[0][1] == x.floats[1] * 10 &&
            first.ports[1].is_empty,
        "%s", first.error.message);
  CHECK("in place of a default",
        run_session(&s, feeds, 3, &first) == WEBNN_OK &&
            first.numbers[0][1] == x.floats[1] * z.floats[0],
        "%s", first.error.message);
  z.floats[0] = 7;
  CHECK("another one",
        run_session(&s, feeds, 3, &first) == WEBNN_OK && first.numbers[0][1] == x.floats[1] * 7,
        "%s", first.error.message);
  feeds[2].data = NULL;
  refused(&s, feeds, 3, "input \"w\" has an initializer, and is given without data");
  feeds[0].shape = shape_of(1, none);
  feeds[0].byte_length = 0;
  CHECK("all is empty", run_session(&s, feeds, 2, &first) == WEBNN_OK && first.ports[0].is_empty,
        "%s", first.error.message);
  first.outputs[0].byte_length = 4;
  CHECK("bytes of what is empty",
        webnn_onnx_run(s.session, feeds, 2, first.outputs, 2, &first.error) == WEBNN_TYPE_ERROR,
        "%s", first.error.message);
  memset(&first.error, 0, sizeof first.error);
  CHECK("no graph to borrow",
        webnn_onnx_borrow_graph(s.session, feeds, 2, &graph, &first.error) == WEBNN_OK &&
            graph == NULL,
        "%s", first.error.message);
  close_subject(&s);
}

/* ---- An input for which the model has no shape, and one whose value the options have. */

static void shapeless(void) {
  static const uint32_t sizes[9] = {2, 1, 3, 1, 1, 1, 1, 1, 1}, one[1] = {1};
  const float factor = 4;
  webnn_onnx_known known = WEBNN_ZERO;
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_feed feeds[2];
  subject s;
  uint32_t rank;
  known.name = "k";
  known.data = &factor;
  known.byte_length = 4;
  options.known = &known;
  options.known_count = 1;
  open_subject(&s, shapeless_model(), &options, 0);
  for (rank = 1; rank <= WEBNN_MAX_RANK; rank++) {
    set_floats(&x, "x", rank, sizes);
    CHECK("an input of any rank",
          run_session(&s, &x.feed, 1, &first) == WEBNN_OK &&
              same_shape(first.ports[0].descriptor.shape, x.feed.shape) &&
              first.numbers[0][1] == x.floats[1] * 4,
          "%u: %s", rank, first.error.message);
  }
  set_floats(&y, "k", 1, one);
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  refused(&s, feeds, 2, "inputs: input \"k\" has a value in the model's options");
  feeds[0].shape.count = 9;
  refused(&s, feeds, 1, "inputs: input \"x\" must have at most 8 dimensions; it has 9");
  feeds[0].shape.given = false;
  refused(&s, feeds, 1, "inputs: input \"x\" has no shape");
  close_subject(&s);
}

/* ---- One graph for all sizes. */

static void put_floats(message *g, const char *name, const char *dims, const float *values,
                       size_t count) {
  put_and_free(g, 5, tensor(name, FLOAT, dims, values, 4 * count));
}

/* Has the session the bits of one with a graph for each set of sizes? */
static void same_as_fixed(const char *name, subject *s, const webnn_onnx_feed *feeds,
                          size_t count) {
  subject other;
  message *copy = new_message();
  size_t i, outputs = webnn_onnx_outputs(s->model, NULL, 0);
  *copy = *s->bytes;
  fixed = true;
  open_subject(&other, copy, NULL, 0);
  fixed = false;
  (void)run_session(s, feeds, count, &first);
  (void)run_session(&other, feeds, count, &second);
  for (i = 0; i < outputs; i++) {
    same_results(name, &first, &second, i);
  }
  close_subject(&other);
}

static void one_graph(void) {
  webnn_onnx_feed feeds[2];
  webnn_graph *graph = NULL, *again = NULL, *of_size = NULL;
  webnn_graph_port port = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  subject s;
  uint32_t i;
  open_subject(&s, shapes_model(), NULL, 2);
  set_shapes(3, 2, 1);
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  (void)webnn_onnx_borrow_graph(s.session, feeds, 2, &graph, &error);
  set_shapes(4, 2, 1);
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  (void)webnn_onnx_borrow_graph(s.session, feeds, 2, &again, &error);
  CHECK("one graph", graph != NULL && graph == again, "%s", error.message);
  (void)webnn_graph_inputs(graph, &port, 1);
  CHECK("one graph",
        webnn_graph_dimension_name(graph, port.descriptor.shape.items[0]) != NULL &&
            strcmp(webnn_graph_dimension_name(graph, port.descriptor.shape.items[0]), "batch") == 0,
        "%u", port.descriptor.shape.items[0]);
  for (i = 1; i < 12; i++) {
    run_size(&s, i);
  }
  webnn_onnx_return_graph(s.session, again);
  for (i = 1; i < 12; i++) {
    run_size(&s, i);
  }
  CHECK("a borrowed graph stays", webnn_graph_inputs(graph, &port, 1) == 2, "%u", 0u);
  webnn_onnx_return_graph(s.session, graph);
  webnn_onnx_return_graph(s.session, graph); /* once too often: nothing */
  set_shapes(2, 1, 1);
  x.feed.shape.items[1] = 0; /* a sequence without elements */
  x.feed.byte_length = 0;
  feeds[0] = x.feed;
  feeds[1] = y.feed;
  (void)webnn_onnx_borrow_graph(s.session, feeds, 2, &of_size, &error);
  CHECK("a size that is 0", error.status != WEBNN_OK || of_size != graph, "%s", error.message);
  webnn_onnx_return_graph(s.session, of_size);
  run_size(&s, 5);
  CHECK("notes", s.notes.count <= 1, "%u: %s", s.notes.count, s.notes.last);
  close_subject(&s);
}

/* Pads, repetitions, new sizes and parts that are computed from sizes. */
static void computed_sizes(void) {
  static const uint32_t sizes[6][4] = {{1, 1, 1, 2}, {2, 3, 5, 2}, {1, 2, 8, 2},
                                       {3, 1, 7, 2}, {2, 2, 2, 2}, {1, 1, 31, 2}};
  subject s;
  size_t i;
  open_subject(&s, sizes_model(), NULL, 0);
  for (i = 0; i < 6; i++) {
    set_floats(&x, "x", 4, sizes[i]);
    same_as_fixed("computed sizes", &s, &x.feed, 1);
  }
  CHECK("computed sizes", s.notes.count == 0, "%u: %s", s.notes.count, s.notes.first);
  close_subject(&s);
}

/* ---- Values that stay, while sizes change: the second size makes the graph with dynamic dimensions, and each value
   has its own. */

/* x [k, 2] with n rows of zeros before it. */
static message *repeated_model(void) {
  message *g = new_message(), *n;
  static const float zero[2] = {0, 0};
  static const int64_t two[1] = {2};
  put_floats(g, "zero", "1,2", zero, 2);
  put_vector(g, "two", two, 1);
  n = node("Concat", "", "n,two", "shape");
  attribute_int(n, "axis", 0);
  put_and_free(g, 1, n);
  put_and_free(g, 1, node("Expand", "", "zero,shape", "before"));
  n = node("Concat", "join", "before,x", "y");
  attribute_int(n, "axis", 0);
  put_and_free(g, 1, n);
  put_and_free(g, 11, value_info("x", FLOAT, "k,2"));
  put_and_free(g, 11, value_info("n", INT64, "1"));
  put_and_free(g, 12, value_info("y", FLOAT, "m,2"));
  return model_of(g, 13);
}

static void other_values(void) {
  static const uint32_t one[1] = {1}, rows[7] = {2, 3, 1, 2, 5, 4, 6};
  static const int64_t counts[7] = {2, 2, 2, 3, 3, 3, 2};
  /* A graph for 2 rows, one for any, one for 2 rows and the value 3, one for any and the value 3. */
  static const unsigned notes_then[7] = {1, 1, 1, 2, 2, 2, 2};
  webnn_onnx_feed feeds[2];
  webnn_graph *graphs[7];
  webnn_error error = WEBNN_ZERO;
  subject s;
  size_t i;
  open_subject(&s, repeated_model(), NULL, 0);
  for (i = 0; i < 7; i++) {
    const uint32_t shape[2] = {rows[i], 2};
    set_floats(&x, "x", 2, shape);
    set_integers(&y, "n", 1, one, &counts[i]);
    feeds[0] = x.feed;
    feeds[1] = y.feed;
    same_as_fixed("values that stay", &s, feeds, 2);
    CHECK("values that stay", first.ports[0].descriptor.shape.items[0] == rows[i] + counts[i],
          "%u: %u", (unsigned)i, first.ports[0].descriptor.shape.items[0]);
    (void)webnn_onnx_borrow_graph(s.session, feeds, 2, &graphs[i], &error);
    webnn_onnx_return_graph(s.session, graphs[i]);
    CHECK("notes of values", s.notes.count >= notes_then[i], "%u: %u %s", (unsigned)i,
          s.notes.count, s.notes.last);
  }
  CHECK("a graph of sizes, then one for all",
        graphs[0] != graphs[1] && graphs[1] == graphs[2] && graphs[3] != graphs[2] &&
            graphs[4] != graphs[3] && graphs[5] == graphs[4] && graphs[6] == graphs[1],
        "%s", s.notes.last);
  close_subject(&s);
}

/* ---- Sizes that the graph with dynamic dimensions refuses. */

static void attribute_word(message *n, const char *name, const char *value) {
  message *a = new_message();
  put_text(a, 1, name);
  put_text(a, 4, value);
  put_integer(a, 20, 3);
  put_and_free(n, 5, a);
}

/* x [n, 4] is mirrored by two rows on each side, which WebNN has for three rows and more. */
static message *mirror_model(void) {
  static const int64_t pads[4] = {2, 0, 2, 0};
  message *g = new_message(), *n;
  put_vector(g, "pads", pads, 4);
  n = node("Pad", "mirror", "x,pads", "y");
  attribute_word(n, "mode", "reflect");
  put_and_free(g, 1, n);
  put_and_free(g, 11, value_info("x", FLOAT, "n,4"));
  put_and_free(g, 12, value_info("y", FLOAT, "m,4"));
  return model_of(g, 13);
}

static void refused_sizes(void) {
  static const uint32_t rows[6] = {3, 1, 5, 2, 1, 4};
  webnn_graph *graphs[6];
  webnn_error error = WEBNN_ZERO;
  subject s;
  size_t i;
  open_subject(&s, mirror_model(), NULL, 0);
  for (i = 0; i < 6; i++) {
    const uint32_t shape[2] = {rows[i], 4};
    set_floats(&x, "x", 2, shape);
    same_as_fixed("a size that is refused", &s, &x.feed, 1);
    (void)webnn_onnx_borrow_graph(s.session, &x.feed, 1, &graphs[i], &error);
    webnn_onnx_return_graph(s.session, graphs[i]);
    if (i == 1) {
      CHECK("why", s.notes.count == 2 && strstr(s.notes.last, "built again: input") != NULL,
            "%u %s", s.notes.count, s.notes.last);
    }
  }
  CHECK("graphs of refused sizes",
        graphs[1] != graphs[0] && graphs[2] == graphs[0] && graphs[3] != graphs[1] &&
            graphs[4] == graphs[1] && graphs[5] == graphs[0],
        "%s", s.notes.last);
  close_subject(&s);
}

/* One graph that refuses the first two sizes is given up: 4 rows, which it would take, have their own. */
static void given_up(void) {
  static const uint32_t rows[3] = {1, 2, 4};
  subject s;
  size_t i;
  open_subject(&s, mirror_model(), NULL, 0);
  for (i = 0; i < 3; i++) {
    const uint32_t shape[2] = {rows[i], 4};
    set_floats(&x, "x", 2, shape);
    same_as_fixed("given up", &s, &x.feed, 1);
    CHECK("given up", i != 1 || strstr(s.notes.last, "a graph for each set of sizes: "), "%s",
          s.notes.last);
  }
  CHECK("given up", s.notes.count == 4 && strstr(s.notes.last, "is [4,4], not [2,4]"), "%u %s",
        s.notes.count, s.notes.last);
  close_subject(&s);
}

/* ---- An input whose shape alone matters needs no data, though the graph with dynamic dimensions has it. */

/* x [1, k] expanded to [2 n, k], or to [n, k], where the input gives a size by its name alone. */
static message *like_model(bool twice) {
  static const int64_t twos[2] = {2, 1};
  message *g = new_message();
  put_vector(g, "twos", twos, 2);
  put_and_free(g, 1, node("Shape", "", "like", "shape"));
  put_and_free(g, 1, node("Mul", "", "shape,twos", "more"));
  put_and_free(g, 1, node("Expand", "", twice ? "x,more" : "x,shape", "y"));
  put_and_free(g, 11, value_info("x", FLOAT, "1,k"));
  put_and_free(g, 11, value_info("like", FLOAT, "n,k"));
  put_and_free(g, 12, value_info("y", FLOAT, "n,k"));
  return model_of(g, 13);
}

static void shapes_only(bool twice) {
  webnn_onnx_feed feeds[2];
  subject s;
  uint32_t i;
  open_subject(&s, like_model(twice), NULL, 0);
  for (i = 1; i < 6; i++) {
    const uint32_t of_x[2] = {1, i}, of_like[2] = {i % 3 + 1, i};
    set_floats(&x, "x", 2, of_x);
    set_floats(&y, "like", 2, of_like);
    feeds[0] = x.feed;
    feeds[1] = y.feed;
    if (i % 2 == 0) {
      feeds[1].data = NULL;
    }
    same_as_fixed("an input without data", &s, feeds, 2);
  }
  CHECK("an input without data", s.notes.count == 0, "%u %s", s.notes.count, s.notes.last);
  close_subject(&s);
}

/* ---- Wrong outputs: the messages are those of webnn_compute. */

static void bad_output(const subject *s, const webnn_onnx_feed *feeds, const results *r,
                       const char *part) {
  webnn_error error = WEBNN_ZERO;
  CHECK(part,
        webnn_onnx_run(s->session, feeds, 2, r->outputs, 2, &error) == WEBNN_TYPE_ERROR &&
            strstr(error.message, part) != NULL,
        "%s", error.message);
}

static void bad_outputs(void) {
  webnn_onnx_feed feeds[2];
  results *r = &second;
  webnn_error error = WEBNN_ZERO;
  subject s;
  unsigned kind;
  for (kind = 0; kind < 2; kind++) {
    fixed = kind > 0;
    open_subject(&s, shapes_model(), NULL, 0);
    set_shapes(2, 3, 5);
    feeds[0] = x.feed;
    feeds[1] = y.feed;
    CHECK("outputs", run_session(&s, feeds, 2, &first) == WEBNN_OK, "%s", first.error.message);
    *r = first;
    r->outputs[0].data = NULL;
    bad_output(&s, feeds, r, "output \"parts\": the data buffer is NULL");
    r->outputs[0] = first.outputs[0];
    r->outputs[0].byte_length--;
    bad_output(&s, feeds, r, "output \"parts\": the data has 95 bytes, there must be 96");
    r->outputs[0] = first.outputs[1];
    bad_output(&s, feeds, r, "output \"joined\" is given twice");
    r->outputs[0].name = "other";
    bad_output(&s, feeds, r, "the graph has no output \"other\"");
    r->outputs[0].name = NULL;
    bad_output(&s, feeds, r, "the graph has no output \"\"");
    r->outputs[0] = first.outputs[0];
    r->outputs[0].data = x.floats + 1;
    bad_output(&s, feeds, r, "compute: the memory of input \"x\" and output \"parts\" overlaps");
    r->outputs[0].data = (float *)first.outputs[1].data + 1;
    bad_output(&s, feeds, r, "overlaps");
    CHECK("outputs",
          webnn_onnx_run(s.session, feeds, 2, first.outputs, 1, &error) == WEBNN_TYPE_ERROR &&
              strstr(error.message, "compute: output \"joined\" is not given") != NULL,
          "%s", error.message);
    close_subject(&s);
  }
  fixed = false;
}

/* ---- Two threads: each runs sizes in its own order, with two graphs for five sizes. */

typedef struct runner {
  subject *subject;
  size_t begin;
  float expected[5], came[5];
  bool right;
} runner;

static float run_of(const subject *s, uint32_t batch, bool *right) {
  const uint32_t of_x[3] = {batch, 2, 4}, of_y[2] = {batch, 1};
  float in[5 * 8], more[5] = {0}, out[5 * 8], joined[5 * 3];
  webnn_onnx_feed feeds[2];
  webnn_named_output outputs[2];
  size_t i;
  memset(feeds, 0, sizeof feeds);
  for (i = 0; i < batch * 8; i++) {
    in[i] = (float)(i * batch);
  }
  feeds[0].name = "x", feeds[0].shape = shape_of(3, of_x), feeds[0].data = in;
  feeds[0].byte_length = 4 * 8 * batch;
  feeds[1].name = "y", feeds[1].shape = shape_of(2, of_y), feeds[1].data = more;
  feeds[1].byte_length = 4 * batch;
  outputs[0].name = "parts", outputs[0].data = out, outputs[0].byte_length = 4 * 8 * batch;
  outputs[1].name = "joined", outputs[1].data = joined, outputs[1].byte_length = 4 * 3 * batch;
  *right = webnn_onnx_run(s->session, feeds, 2, outputs, 2, NULL) == WEBNN_OK &&
           memcmp(in, out, 4 * 8 * batch) == 0 && *right;
  return joined[1];
}

static void *run_many(void *user) {
  runner *r = (runner *)user;
  size_t i;
  r->right = true;
  for (i = 0; i < 60; i++) {
    const uint32_t batch = (uint32_t)((i * (r->begin + 1) + r->begin) % 5 + 1);
    const float came = run_of(r->subject, batch, &r->right);
    r->right = r->right && came == (float)(4 + 5 + 6 + 7) * (float)batch;
  }
  return NULL;
}

static void threads(void) {
  runner runners[2];
  pthread_t other;
  subject s;
  open_subject(&s, shapes_model(), NULL, 2);
  runners[0].subject = runners[1].subject = &s;
  runners[0].begin = 0, runners[1].begin = 1;
  if (pthread_create(&other, NULL, run_many, &runners[1]) == 0) {
    (void)run_many(&runners[0]);
    (void)pthread_join(other, NULL);
    CHECK("two threads", runners[0].right && runners[1].right, "%u", s.notes.count);
  } else {
    test_skip("two threads", "no second thread");
  }
  close_subject(&s);
}

/* ---- Whole networks: of any sizes, beside graphs with these sizes as options. */

enum { MOST_INPUTS = 80, MOST_DIMENSIONS = 16 };

typedef struct trial {
  webnn_onnx_dimension dimensions[MOST_DIMENSIONS];
  size_t dimension_count;
  webnn_onnx_feed feeds[MOST_INPUTS];
  bool wide[MOST_INPUTS]; /* int64, or else float32 */
  size_t feed_count;
} trial;

/* The sizes of a trial: texts and batches of few lengths, pictures whose sides can be halved often. Several tokens
   behind others come in a batch of one only: ONNX Runtime's GroupQueryAttention takes no others. */
static uint32_t size_of_name(const char *name, unsigned number) {
  static const uint32_t batch[] = {1, 2, 3, 5, 4}, length[] = {3, 1, 5, 1, 7};
  static const uint32_t past[] = {4, 3, 0, 6, 0}, side[] = {32, 64, 32, 96, 64};
  if (strcmp(name, "past_sequence_length") == 0) {
    return past[number];
  }
  if (strchr(name, '+') != NULL || strncmp(name, "total", 5) == 0) {
    return past[number] + length[number];
  }
  if (strcmp(name, "height") == 0 || strcmp(name, "width") == 0) {
    return side[(number + (name[0] == 'w')) % 5];
  }
  return strncmp(name, "batch", 5) == 0 ? batch[number] : length[number];
}

static void add_feed(trial *t, const webnn_onnx_port *port, unsigned number) {
  webnn_onnx_feed *feed = &t->feeds[t->feed_count];
  const size_t bytes = webnn_data_type_bits(port->descriptor.data_type) / 8;
  size_t count, i, k;
  uint32_t d;
  void *data;
  memset(feed, 0, sizeof *feed);
  t->wide[t->feed_count++] = bytes == 8;
  feed->name = port->name;
  feed->shape = port->descriptor.shape;
  for (d = 0; d < feed->shape.count; d++) {
    const char *name = port->dimension_names[d];
    if (name == NULL) {
      continue;
    }
    feed->shape.items[d] = size_of_name(name, number);
    for (k = 0; k < t->dimension_count && strcmp(t->dimensions[k].name, name) != 0; k++) {
    }
    if (k == t->dimension_count && k < MOST_DIMENSIONS) {
      t->dimensions[k].name = name;
      t->dimensions[k].size = feed->shape.items[d];
      t->dimension_count++;
    }
  }
  count = elements_of(feed->shape);
  data = calloc(count + 1, 8);
  for (i = 0; i < count && data != NULL; i++) {
    if (bytes == 8) {
      ((int64_t *)data)[i] = strstr(port->name, "mask") != NULL         ? 1
                             : strstr(port->name, "token_type") != NULL ? (int64_t)(i % 2)
                                                                        : (int64_t)(i % 3);
    } else {
      ((float *)data)[i] = (float)((i * 37 + 11) % 29) / 8.0f - 1.5f;
    }
  }
  feed->data = data;
  feed->byte_length = count * bytes;
}

static void free_trial(trial *t) {
  size_t i;
  for (i = 0; i < t->feed_count; i++) {
    free((void *)(uintptr_t)t->feeds[i].data);
  }
}

static void write_array(const char *folder, const char *name, const void *data, size_t length) {
  char path[900];
  FILE *file;
  (void)snprintf(path, sizeof path, "%s/%s.bin", folder, name);
  file = fopen(path, "wb");
  CHECK(path, file != NULL && fwrite(data, 1, length, file) == length && fclose(file) == 0, "%s",
        "it cannot be written");
}

/* The trial's files, and what they are as a line of JSON, to `list`. */
static void write_trial(FILE *list, const char *network, unsigned number, const trial *t,
                        webnn_graph *graph, const unsigned char *bytes) {
  static webnn_graph_port out[MOST_INPUTS];
  const size_t outs = webnn_graph_outputs(graph, out, MOST_INPUTS);
  char folder[800];
  size_t i;
  uint32_t d;
  (void)snprintf(folder, sizeof folder, "%s/sizes-%u", network, number);
  (void)mkdir(folder, 0777);
  fprintf(list, "{\"folder\": \"sizes-%u\", \"network\": \"%s\", \"inputs\": [", number,
          strrchr(network, '/') + 1);
  for (i = 0; i < t->feed_count; i++) {
    const webnn_onnx_feed *feed = &t->feeds[i];
    write_array(folder, feed->name, feed->data, feed->byte_length);
    fprintf(list, "%s{\"name\": \"%s\", \"type\": \"%s\", \"shape\": [", i > 0 ? ", " : "",
            feed->name, t->wide[i] ? "int64" : "float32");
    for (d = 0; d < feed->shape.count; d++) {
      fprintf(list, "%s%u", d > 0 ? ", " : "", feed->shape.items[d]);
    }
    fprintf(list, "]}");
  }
  fprintf(list, "], \"outputs\": [");
  for (i = 0; i < outs; i++) {
    fprintf(list, "%s\"%s\"", i > 0 ? ", " : "", out[i].name);
    write_array(folder, out[i].name, bytes, (size_t)out[i].byte_length);
    bytes += out[i].byte_length;
  }
  fprintf(list, "]}\n");
}

/* Runs the graph, whose inputs are among the feeds. The results are one row of bytes, which is to be freed. */
static unsigned char *run_whole(webnn_graph *graph, const trial *t, size_t *length) {
  static webnn_graph_port in[MOST_INPUTS], out[MOST_INPUTS];
  webnn_named_input inputs[MOST_INPUTS];
  webnn_named_output outputs[MOST_INPUTS];
  webnn_error error = WEBNN_ZERO;
  const size_t ins = webnn_graph_inputs(graph, in, MOST_INPUTS);
  const size_t outs = webnn_graph_outputs(graph, out, MOST_INPUTS);
  unsigned char *bytes;
  size_t i, k, used = 0;
  *length = 0;
  for (i = 0; i < outs; i++) {
    *length += (size_t)out[i].byte_length;
  }
  bytes = (unsigned char *)calloc(*length + 8, 1);
  for (i = 0; i < ins; i++) {
    for (k = 0; k + 1 < t->feed_count && strcmp(t->feeds[k].name, in[i].name) != 0; k++) {
    }
    inputs[i].name = in[i].name;
    inputs[i].data = t->feeds[k].data;
    inputs[i].byte_length = t->feeds[k].byte_length;
  }
  for (i = 0; i < outs && bytes != NULL; i++) {
    outputs[i].name = out[i].name;
    outputs[i].data = bytes + used;
    outputs[i].byte_length = (size_t)out[i].byte_length;
    used += outputs[i].byte_length;
  }
  CHECK("a network runs",
        webnn_compute(context, graph, inputs, ins, outputs, outs, &error) == WEBNN_OK, "%s",
        error.message);
  return bytes;
}

static void *data_of_trial(void *user, const char *name, webnn_list *shape) {
  const trial *t = (const trial *)user;
  size_t k;
  void *copy;
  for (k = 0; k + 1 < t->feed_count && strcmp(t->feeds[k].name, name) != 0; k++) {
  }
  *shape = t->feeds[k].shape;
  copy = malloc(t->feeds[k].byte_length + 1);
  if (copy != NULL) {
    memcpy(copy, t->feeds[k].data, t->feeds[k].byte_length);
  }
  return copy;
}

/* Are these floats the same, but for the rounding of other fused operators? */
static bool nearly_same(const void *found, const void *expected, size_t count) {
  const float *a = (const float *)found, *b = (const float *)expected;
  float most = 1, apart = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    const float difference = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
    if (difference != difference) {
      return false;
    }
    most = b[i] > most ? b[i] : most;
    apart = difference > apart ? difference : apart;
  }
  return apart <= 1e-5f * most;
}

/* Has the graph with dynamic dimensions these results, one after the other? Inputs are never empty. Where the importer
   leaves out a mask that is known to hide nothing, a fast context fuses other operators: `exact` is false. */
static void try_dynamic(const char *path, webnn_graph *graph, trial *t,
                        const unsigned char *expected, bool exact) {
  static dispatched found[MOST_INPUTS];
  webnn_error error = WEBNN_ZERO;
  size_t i, count;
  bool same = true;
  for (i = 0; i < t->feed_count; i++) {
    if (t->feeds[i].byte_length == 0) {
      return;
    }
  }
  (void)dispatch_graph(context, graph, data_of_trial, t, found, &count, &error);
  for (i = 0; i < count && error.status == WEBNN_OK; i++) {
    same = same && (memcmp(found[i].data, expected, found[i].byte_length) == 0 ||
                    (!exact && nearly_same(found[i].data, expected, found[i].byte_length / 4)));
    expected += found[i].byte_length;
  }
  CHECK(path, error.status == WEBNN_OK && same, "dynamic: %s",
        error.status == WEBNN_OK ? "other bits" : error.message);
  free_results(found, count);
}

/* Asks the session for the shapes of the outputs, then runs. The results are one row of bytes, which is to be freed;
   NULL after an error. */
static unsigned char *run_in_session(webnn_onnx_session *session, const trial *t, size_t outs,
                                     size_t *length, webnn_error *error) {
  static webnn_onnx_port out[MOST_INPUTS];
  webnn_named_output outputs[MOST_INPUTS];
  unsigned char *bytes = NULL;
  size_t i, used = 0;
  *length = 0;
  (void)webnn_onnx_compute_shapes(session, t->feeds, t->feed_count, out, error);
  for (i = 0; i < outs && error->status == WEBNN_OK; i++) {
    outputs[i].byte_length = out[i].is_empty ? 0 : (size_t)webnn_byte_length(out[i].descriptor);
    *length += outputs[i].byte_length;
  }
  if (error->status == WEBNN_OK) {
    bytes = (unsigned char *)calloc(*length + 8, 1);
  }
  for (i = 0; i < outs && bytes != NULL; i++) {
    outputs[i].name = out[i].name;
    outputs[i].data = bytes + used;
    used += outputs[i].byte_length;
  }
  if (bytes != NULL && webnn_onnx_run(session, t->feeds, t->feed_count, outputs, outs, error)) {
    free(bytes);
    bytes = NULL;
  }
  return bytes;
}

/* `list` may be NULL: nothing is written; `dynamic` as well. */
static void try_network(const char *path, webnn_onnx_model *open, webnn_onnx_session *session,
                        webnn_graph *dynamic, unsigned number, FILE *list, bool exact) {
  static webnn_onnx_port ports[MOST_INPUTS];
  static trial t;
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *expected = NULL;
  webnn_error error = WEBNN_ZERO, other = WEBNN_ZERO;
  unsigned char *bytes, *others;
  size_t i, length, other_length, count = webnn_onnx_inputs(open, ports, MOST_INPUTS);
  memset(&t, 0, sizeof t);
  for (i = 0; i < count && i < MOST_INPUTS; i++) {
    add_feed(&t, &ports[i], number);
  }
  options.dimensions = t.dimensions;
  options.dimension_count = t.dimension_count;
  (void)webnn_onnx_open(path, &options, &model, &other);
  (void)webnn_onnx_build(model, context, &expected, &other);
  bytes = run_in_session(session, &t, webnn_onnx_outputs(open, NULL, 0), &length, &error);
  CHECK(path, (bytes == NULL) == (expected == NULL) && error.status == other.status, "%u: %s; %s",
        number, error.message, other.message);
  if (bytes != NULL && expected != NULL) {
    others = run_whole(expected, &t, &other_length);
    CHECK(path,
          length == other_length && length > 0 &&
              (memcmp(bytes, others, length) == 0 ||
               (!exact && nearly_same(bytes, others, length / 4))),
          "sizes %u: other bits", number);
    if (dynamic != NULL && others != NULL) {
      try_dynamic(path, dynamic, &t, others, exact);
    }
    if (list != NULL && t.dimension_count > 0) {
      char network[600];
      (void)snprintf(network, sizeof network, "%.*s", (int)(strrchr(path, '/') - path), path);
      write_trial(list, network, number, &t, expected, bytes);
    }
    free(others);
  } else {
    test_skip(path, other.message);
  }
  free(bytes);
  webnn_free_graph(expected);
  webnn_onnx_free(model);
  free_trial(&t);
}

/* The graph of the model with dynamic dimensions; NULL: a node needs a size, which the message says. */
static webnn_graph *build_dynamic(const char *path, webnn_onnx_model **model) {
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  (void)webnn_onnx_open(path, &options, model, &error);
  (void)webnn_onnx_build(*model, context, &graph, &error);

  CHECK(path, graph != NULL || strstr(error.message, "dynamic") != NULL, "%s", error.message);
  return graph;
}

/* Each network of FOLDER/list, whose lines begin with {"name": "...". In a reference context (`exact`) those of
   texts. */
static void whole_networks(const char *folder, bool exact) {
  char path[600], line[4096], name[100];
  FILE *list, *trials;
  unsigned number, networks = 0, dynamic_count = 0;
  (void)snprintf(path, sizeof path, "%s/sizes", folder);
  trials = fopen(path, "w");
  CHECK("networks", trials != NULL, "%s: cannot be written", path);
  (void)snprintf(path, sizeof path, "%s/list", folder);
  list = fopen(path, "r");
  CHECK("networks", list != NULL, "%s: cannot be read", path);
  while (list != NULL && fgets(line, sizeof line, list) != NULL) {
    webnn_onnx_model *model = NULL;
    webnn_onnx_session *session = NULL;
    webnn_graph *dynamic;
    webnn_onnx_model *whole = NULL;
    webnn_error error = WEBNN_ZERO;
    if (sscanf(line, "{\"name\": \"%99[^\"]", name) != 1) {
      continue; /* the rest of a long line */
    }
    if (exact && strcmp(name, "bert") != 0 && strcmp(name, "gpt2") != 0 &&
        strcmp(name, "llama-plain") != 0) {
      continue;
    }
    (void)snprintf(path, sizeof path, "%s/%s/model.onnx", folder, name);
    (void)webnn_onnx_open(path, NULL, &model, &error);
    (void)webnn_onnx_create_session(model, context, NULL, &session, &error);
    CHECK("networks", session != NULL, "%s", error.message);
    dynamic = build_dynamic(path, &whole);
    dynamic_count += dynamic != NULL;
    for (number = 0; number < 10 && session != NULL; number++) { /* each twice */
      try_network(path, model, session, dynamic, number % 5, number < 5 ? trials : NULL,
                  exact || strcmp(name, "gpt2") != 0);
    }
    webnn_free_graph(dynamic);
    webnn_onnx_free(whole);
    webnn_onnx_free_session(session);
    webnn_onnx_free(model);
    networks++;
  }
  if (list != NULL) {
    fclose(list);
  }
  if (trials != NULL) {
    fclose(trials);
  }
  CHECK("networks", networks > 0, "%s lists none", path);
  CHECK("dynamic networks", networks < 12 || dynamic_count >= 10, "%u", dynamic_count);
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  unsigned fast, kind;
  if (count > 1) {
    for (fast = 0; fast < 2; fast++) { /* the second writes the list of trials */
      options.numerics = fast ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
      (void)webnn_create_context(&options, &context, NULL);
      whole_networks(arguments[1], fast == 0);
      webnn_free_context(context);
    }
    return test_end();
  }
  for (fast = 0; fast < 2; fast++) {
    options.numerics = fast ? WEBNN_NUMERICS_FAST : WEBNN_NUMERICS_REFERENCE;
    options.threads = 1;
    (void)webnn_create_context(&options, &context, NULL);
    for (kind = 0; kind < 2; kind++) {
      fixed = kind > 0;
      sizes_of_shapes();
      sizes_of_names();
      decoder();
      values();
      refusals();
      defaults();
      shapeless();
      threads();
    }
    eviction();
    fixed = false;
    one_graph();
    computed_sizes();
    other_values();
    refused_sizes();
    given_up();
    shapes_only(true);
    shapes_only(false);
    bad_outputs();
    webnn_free_context(context);
  }
  return test_end();
}
