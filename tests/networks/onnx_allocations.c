/* Memory that ends while a model is read or built: for each case of onnx_cases.inc one allocation fails, each
   of the first ones and then some of the others. The call fails with UnknownError and no model or graph,
   or had no need of it; nothing is lost. Linked with --wrap=malloc and its like (see the Makefile). */
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
  webnn_free_context(context);
  return test_end();
}
