/* Memory that ends while a model is read or built: for each case of onnx_cases.inc one allocation fails, each
   of the first ones and then some of the others. The call fails with UnknownError and no model or graph,
   or had no need of it; nothing is lost. The same in sessions, whose graphs that were there still run, and
   whose memory stays level however many sizes come. Linked with --wrap=malloc and its like (see the Makefile). */
#include "onnx_case.h"

/* Allocations until one fails, and those that are not freed. */
static size_t until = SIZE_MAX, held;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static bool fails(void) {
  return until != SIZE_MAX && until-- == 0;
}

static void *counted(void *memory) {
  held += memory != NULL;
  return memory;
}

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
  return fails()          ? NULL
         : memory == NULL ? counted(__real_realloc(NULL, size))
                          : __real_realloc(memory, size);
}

void __wrap_free(void *memory) {
  held -= memory != NULL;
  __real_free(memory);
}

/* Reads and builds with the k-th allocation failing; false once there are no more than k. */
static bool build_without(const onnx_case *c, const message *m, webnn_context *context, size_t k) {
  const size_t before = held;
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_status status;
  bool failed;
  options.float64_as_float32 = true;
  until = k;
  status = webnn_onnx_read(m->bytes, m->length, NULL, &options, &model, &error);
  CHECK(c->op, (status == WEBNN_OK) == (model != NULL), "%s: allocation %u: a model and an error",
        c->attributes, (unsigned)k);
  if (model != NULL) {
    status = webnn_onnx_build(model, context, &graph, &error);
    CHECK(c->op, (status == WEBNN_OK) == (graph != NULL), "%s: allocation %u: a graph and an error",
          c->attributes, (unsigned)k);
  }
  failed = until == SIZE_MAX;
  until = SIZE_MAX;
  CHECK(c->op,
        status == error.status && (!failed || status == WEBNN_OK || status == WEBNN_UNKNOWN_ERROR),
        "%s (%s): allocation %u: %s", c->attributes, c->inputs, (unsigned)k, error.message);
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  CHECK(c->op, held == before, "%s: allocation %u: %ld are not freed", c->attributes, (unsigned)k,
        (long)(held - before));
  return failed;
}

/* ---- Sessions. */

/* The negatives of x [n, 2], which goes through a shape made of its own. */
static message *open_model(void) {
  message *g = new_message();
  put_node(g, "Shape", "", "x", "shape");
  put_node(g, "Reshape", "", "x,shape", "shaped");
  put_node(g, "Neg", "", "shaped", "y");
  put_input(g, "x", 1, "n,2");
  put_output(g, "y", 1, "n,2");
  return model_of(g, 13);
}

enum { MOST_ROWS = 300 };

static webnn_status run_rows(webnn_onnx_session *session, uint32_t rows, webnn_error *error) {
  static float in[2 * MOST_ROWS], out[2 * MOST_ROWS];
  webnn_onnx_feed feed = WEBNN_ZERO;
  webnn_named_output output;
  webnn_status status;
  memset(error, 0, sizeof *error);
  in[2 * rows - 1] = (float)rows;
  feed.name = "x";
  feed.shape.given = true;
  feed.shape.count = 2;
  feed.shape.items[0] = rows;
  feed.shape.items[1] = 2;
  feed.data = in;
  feed.byte_length = 8 * rows;
  output.name = "y";
  output.data = out;
  output.byte_length = feed.byte_length;
  out[2 * rows - 1] = 0;
  status = webnn_onnx_run(session, &feed, 1, &output, 1, error);
  return status != WEBNN_OK || out[2 * rows - 1] == -(float)rows ? status : WEBNN_OPERATION_ERROR;
}

/* A size comes after `seen` others with the k-th allocation failing; false once there are no more than k. */
static bool grow_without(webnn_onnx_model *model, webnn_context *context,
                         const webnn_onnx_session_options *options, uint32_t seen, size_t k) {
  const size_t before = held;
  webnn_onnx_session *session = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_status status;
  uint32_t rows;
  bool failed;
  (void)webnn_onnx_create_session(model, context, options, &session, &error);
  for (rows = 1; rows <= seen; rows++) {
    CHECK("sessions", run_rows(session, rows, &error) == WEBNN_OK, "%s", error.message);
  }
  until = k;
  status = run_rows(session, 3, &error);
  failed = until == SIZE_MAX;
  until = SIZE_MAX;
  CHECK("sessions",
        status == error.status && (!failed || status == WEBNN_OK || status == WEBNN_UNKNOWN_ERROR),
        "allocation %u: %s", (unsigned)k, error.message);
  for (rows = 1; rows < 4; rows++) {
    CHECK("sessions", run_rows(session, rows, &error) == WEBNN_OK, "after allocation %u: %s",
          (unsigned)k, error.message);
  }
  webnn_onnx_free_session(session);
  CHECK("sessions", held == before, "allocation %u: %ld are not freed", (unsigned)k,
        (long)(held - before));
  return failed;
}

static bool open_session_without(webnn_onnx_model *model, webnn_context *context, size_t k) {
  const size_t before = held;
  webnn_onnx_session *session = NULL;
  webnn_error error = WEBNN_ZERO;
  webnn_status status;
  bool failed;
  until = k;
  status = webnn_onnx_create_session(model, context, NULL, &session, &error);
  failed = until == SIZE_MAX;
  until = SIZE_MAX;
  CHECK("sessions",
        status == error.status && status == (failed ? WEBNN_UNKNOWN_ERROR : WEBNN_OK) &&
            (session == NULL) == failed,
        "allocation %u: %s", (unsigned)k, error.message);
  webnn_onnx_free_session(session);
  CHECK("sessions", held == before, "allocation %u: %ld are not freed", (unsigned)k,
        (long)(held - before));
  return failed;
}

/* Many sizes in a row hold as much as few. */
static void stay_level(webnn_onnx_model *model, webnn_context *context,
                       const webnn_onnx_session_options *options) {
  webnn_onnx_session *session = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t level = 0;
  uint32_t rows;
  (void)webnn_onnx_create_session(model, context, options, &session, &error);
  for (rows = 1; rows <= MOST_ROWS; rows++) {
    CHECK("sessions", run_rows(session, rows, &error) == WEBNN_OK, "%s", error.message);
    level = rows == 20 ? held : level;
  }
  CHECK("sessions", held == level, "%ld more after %d sizes", (long)(held - level), MOST_ROWS);
  webnn_onnx_free_session(session);
}

static void sessions(webnn_context *context) {
  message *m = open_model();
  webnn_onnx_model *model = NULL;
  webnn_onnx_session_options options = WEBNN_ZERO;
  size_t k;
  unsigned kind;
  (void)webnn_onnx_read(m->bytes, m->length, NULL, NULL, &model, NULL);
  for (k = 0; open_session_without(model, context, k); k++) {
  }
  for (kind = 0; kind < 4; kind++) {
    options.fixed = kind >= 2;
    for (k = 0; grow_without(model, context, &options, kind % 2 * 2, k); k++) {
    }
    CHECK("sessions", k > 5, "%u allocations", (unsigned)k);
    stay_level(model, context, &options);
  }
  webnn_onnx_free(model);
  free(m);
}

int main(int count, char **arguments) {
  static array in[MOST_PORTS], out[4];
  webnn_context_options options = WEBNN_ZERO;
  webnn_context *context = NULL;
  size_t i, k, ins, outs;
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  (void)webnn_create_context(&options, &context, NULL);
  for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if ((count < 2 || strstr(cases[i].op, arguments[1]) != NULL) &&
        strncmp(cases[i].outputs, "refused: ", 9) != 0) {
      message *m = model_of_case(&cases[i], i % 2 != 0, true, in, &ins, out, &outs);
      for (k = i % 3; build_without(&cases[i], m, context, k); k += 1 + k / 4) {
      }
      free(m);
    }
  }
  if (count < 2 || strcmp(arguments[1], "sessions") == 0) {
    sessions(context);
  }
  webnn_free_context(context);
  return test_end();
}
