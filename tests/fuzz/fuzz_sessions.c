/* Arbitrary bytes as calls of sessions of webnn_onnx.h, over models whose shapes depend on those of
   inputs or on values: inputs of any shapes and values, some left out, given twice, without data, a
   shape or a name, or of other bytes; runs, shapes alone, graphs that are borrowed for a while.
   Sanitizers see what goes wrong; besides, a failure has a message, a session with a past does what
   a new one does, to the bit, and outputs have the shapes that were computed. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#define WEBNN_ONNX_IMPLEMENTATION
#include "webnn_onnx.h"

#include "../networks/session_models.h"
#include "fuzz.h"

enum {
  MOST_INPUTS = 4,
  MOST_OUTPUTS = 4,
  MOST_BYTES = 1 << 14,
  MOST_BORROWED = 3,
  MOST_CALLS = 24
};

static webnn_context *context;
static size_t ran; /* calls with results */

/* ---- The bytes that say what is done --------------------------------------------------------- */

typedef struct script {
  const uint8_t *data;
  size_t size, at;
} script;

static uint8_t next(script *s) {
  return s->at < s->size ? s->data[s->at++] : 0;
}

/* ---- Sessions -------------------------------------------------------------------------------- */

typedef struct subject {
  const message *bytes;
  webnn_onnx_model *model;
  webnn_onnx_session *session;
  size_t output_count;
} subject;

static void look_at_note(void *user, const char *text) {
  (void)user;
  if (!*text)
    stop("an empty note", "");
}

static void open_subject(subject *s, const message *bytes) {
  webnn_onnx_session_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  memset(s, 0, sizeof *s);
  s->bytes = bytes;
  options.graph_count = 2;
  options.note = look_at_note;
  if (webnn_onnx_read(bytes->bytes, bytes->length, NULL, NULL, &s->model, &error) != WEBNN_OK ||
      webnn_onnx_create_session(s->model, context, &options, &s->session, &error) != WEBNN_OK)
    stop("no session", error.message);
  s->output_count = webnn_onnx_outputs(s->model, NULL, 0);
}

static void close_subject(subject *s) {
  webnn_onnx_free_session(s->session);
  webnn_onnx_free(s->model);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

typedef struct inputs {
  webnn_onnx_feed feeds[2 * MOST_INPUTS];
  void *owned[MOST_INPUTS]; /* each as long as it says, so that its end is seen */
  size_t count, owned_count;
} inputs;

static uint32_t take_size(script *s) {
  static const uint32_t large[] = {65536, INT32_MAX, 2147483648u, UINT32_MAX, 4096, 17, 8, 64};
  const uint8_t byte = next(s);
  return byte < 224 ? byte % 6 : large[byte % 8];
}

static void take_shape(script *s, const webnn_onnx_port *port, webnn_list *shape) {
  const uint8_t byte = next(s);
  const uint32_t rank = byte < 224 && port->descriptor.shape.given ? port->descriptor.shape.count
                        : byte < 224                               ? byte % 4
                                                                   : byte % 11;
  uint32_t d;
  memset(shape, 0, sizeof *shape);
  shape->given = true;
  shape->count = rank;
  for (d = 0; d < rank && d < WEBNN_MAX_RANK; d++) {
    const bool fixed = d < port->descriptor.shape.count && port->descriptor.shape.items[d] > 0;
    const uint8_t own = fixed ? next(s) : 255; /* mostly the size that it must have */
    shape->items[d] = own < 240 ? port->descriptor.shape.items[d] : take_size(s);
  }
}

/* How many elements, 0 if they are too many for data. */
static size_t count_elements(const webnn_list *shape) {
  size_t count = 1;
  uint32_t d;
  for (d = 0; d < shape->count && d < WEBNN_MAX_RANK; d++)
    count = shape->items[d] <= MOST_BYTES && count <= MOST_BYTES ? count * shape->items[d] : 0;
  return count <= MOST_BYTES / 8 ? count : 0;
}

static void take_data(script *s, inputs *in, const webnn_onnx_port *port, webnn_onnx_feed *feed) {
  const bool integers = port->type == WEBNN_ONNX_INT64;
  const size_t count = count_elements(&feed->shape), bytes = count * (integers ? 8 : 4);
  unsigned char *data = (unsigned char *)malloc(bytes > 0 ? bytes : 1);
  size_t i;
  if (!data)
    stop("no memory", "");
  for (i = 0; i < count; i++) {
    const int number = (int)(s->at < s->size ? next(s) : i * 37 % 23) % 16 - 4;
    if (integers) {
      const int64_t integer = number;
      memcpy(data + 8 * i, &integer, 8);
    } else {
      const float real = (float)number / 4.0f;
      memcpy(data + 4 * i, &real, 4);
    }
  }
  in->owned[in->owned_count++] = data;
  feed->data = data;
  feed->byte_length = bytes;
}

/* An input as it is to be, or wrong in one way. */
static void take_input(script *s, inputs *in, const webnn_onnx_port *port) {
  const uint8_t how = next(s) % 32;
  webnn_onnx_feed *feed = &in->feeds[in->count];
  if (how == 1)
    return;
  in->count++;
  memset(feed, 0, sizeof *feed);
  feed->name = how == 2 ? "nobody" : how == 3 ? NULL : port->name;
  take_shape(s, port, &feed->shape);
  take_data(s, in, port, feed);
  feed->shape.given = how != 4;
  feed->data = how == 5 ? NULL : feed->data;
  feed->byte_length -= how == 6 && feed->byte_length > 0 ? 1 : 0;
  if (how == 7)
    in->feeds[in->count++] = *feed;
}

static void take_inputs(script *s, const webnn_onnx_model *model, inputs *in) {
  webnn_onnx_port ports[MOST_INPUTS], defaults[MOST_INPUTS];
  const size_t count = webnn_onnx_inputs(model, ports, MOST_INPUTS);
  const size_t default_count = webnn_onnx_defaults(model, defaults, MOST_INPUTS);
  size_t i;
  memset(in, 0, sizeof *in);
  for (i = 0; i < count; i++)
    take_input(s, in, &ports[i]);
  for (i = 0; i < default_count; i++)
    if (next(s) % 4 == 1)
      take_input(s, in, &defaults[i]);
}

static void free_inputs(inputs *in) {
  while (in->owned_count > 0)
    free(in->owned[--in->owned_count]);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

typedef struct results {
  webnn_onnx_port ports[MOST_OUTPUTS];
  webnn_named_output outputs[MOST_OUTPUTS];
  webnn_error error; /* of the shapes, or of the run */
  webnn_status shapes, run;
} results;

static void look_at_error(webnn_status status, const webnn_error *error) {
  if ((status == WEBNN_OK) != (error->message[0] == 0) || status != error->status)
    stop("a status and a message that do not agree", error->message);
}

/* The shapes, then a run for them. */
static void run(const subject *s, const inputs *in, results *r) {
  size_t i;
  memset(r, 0, sizeof *r);
  r->run = r->shapes =
      webnn_onnx_compute_shapes(s->session, in->feeds, in->count, r->ports, &r->error);
  look_at_error(r->shapes, &r->error);
  if (r->shapes != WEBNN_OK)
    return;
  for (i = 0; i < s->output_count; i++) {
    const webnn_operand_descriptor *descriptor = &r->ports[i].descriptor;
    r->outputs[i].name = r->ports[i].name;
    r->outputs[i].byte_length = r->ports[i].is_empty ? 0 : (size_t)webnn_byte_length(*descriptor);
    r->outputs[i].data = malloc(r->outputs[i].byte_length + 1);
    if (!r->outputs[i].data)
      stop("no memory", "");
    memset(r->outputs[i].data, 0xA5, r->outputs[i].byte_length);
  }
  r->run = webnn_onnx_run(s->session, in->feeds, in->count, r->outputs, s->output_count, &r->error);
  look_at_error(r->run, &r->error);
  if (r->run != WEBNN_OK && !strstr(r->error.message, "has no data"))
    stop("the shapes are there, but a run fails", r->error.message);
}

static void free_results(const subject *s, results *r) {
  size_t i;
  for (i = 0; i < s->output_count; i++)
    free(r->outputs[i].data);
}

/* What a session without a past makes of the same inputs. */
static void compare(const subject *s, const inputs *in, const results *r) {
  subject other;
  results again;
  size_t i;
  open_subject(&other, s->bytes);
  run(&other, in, &again);
  if (r->shapes != again.shapes || r->run != again.run)
    stop(r->error.message, again.error.message);
  for (i = 0; r->run == WEBNN_OK && i < s->output_count; i++)
    if (r->outputs[i].byte_length != again.outputs[i].byte_length ||
        memcmp(r->outputs[i].data, again.outputs[i].data, r->outputs[i].byte_length) != 0)
      stop("a new session gives something else", r->ports[i].name);
  free_results(&other, &again);
  close_subject(&other);
}

typedef struct borrowed {
  webnn_graph *graphs[MOST_BORROWED];
  size_t count;
} borrowed;

/* A graph in use has its ports, whatever else has come. */
static void give_back(const subject *s, borrowed *b) {
  webnn_graph_port ports[MOST_INPUTS];
  webnn_graph *graph = b->count > 0 ? b->graphs[--b->count] : NULL;
  if (graph && webnn_graph_outputs(graph, ports, 0) == 0)
    stop("a borrowed graph without outputs", "");
  webnn_onnx_return_graph(s->session, graph);
}

static void borrow(const subject *s, const inputs *in, borrowed *b) {
  webnn_error error = WEBNN_ZERO;
  webnn_graph *graph = NULL;
  if (b->count == MOST_BORROWED)
    give_back(s, b);
  look_at_error(webnn_onnx_borrow_graph(s->session, in->feeds, in->count, &graph, &error), &error);
  if (error.status != WEBNN_OK && graph)
    stop("a graph in spite of an error", error.message);
  if (graph)
    b->graphs[b->count++] = graph;
}

static void call(script *s, const subject *on, borrowed *b) {
  const uint8_t kind = next(s) % 8;
  inputs in;
  take_inputs(s, on->model, &in);
  if (kind == 7) {
    give_back(on, b);
  } else if (kind == 6) {
    borrow(on, &in, b);
  } else {
    results r;
    run(on, &in, &r);
    compare(on, &in, &r);
    ran += r.run == WEBNN_OK ? 1 : 0;
    free_results(on, &r);
  }
  free_inputs(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static message *models[6];
  script s = {data, size, 0};
  borrowed b = {{NULL}, 0};
  subject on;
  size_t calls;
  fuzz_keep(data, size);
  if (!models[0]) {
    models[0] = shapes_model();
    models[1] = decoder_model();
    models[2] = range_model();
    models[3] = default_model();
    models[4] = shapeless_model();
    models[5] = sizes_model();
  }
  open_subject(&on, models[next(&s) % 6]);
  for (calls = 0; s.at < s.size && calls < MOST_CALLS; calls++)
    call(&s, &on, &b);
  while (b.count > 0)
    give_back(&on, &b);
  close_subject(&on);
  return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  (void)count;
  (void)arguments;
  fuzz_find_folder();
  options.threads = 1;
  options.max_tensor_byte_length = MOST_BYTES;
  if (webnn_create_context(&options, &context, &error) != WEBNN_OK)
    stop("no context", error.message);
  return 0;
}

#ifndef FUZZ_LIBFUZZER
static const char *const words[] = {"\001\001\001\001\001\001\001\001",
                                    "\005",
                                    "\006\006",
                                    "\007",
                                    "\377\377",
                                    "\340\341\342\343",
                                    "\002\002\002",
                                    NULL};

/* The files are calls that mostly fit. */
static void after_files(size_t files) {
  if (ran < 2 * files)
    stop("the files run too little", "");
}

int main(int count, char **arguments) {
  return fuzz_main("fuzz_sessions", words, after_files, count, arguments);
}
#endif
