/* Arbitrary text as StableHLO, and arbitrary bytes that begin as an ONNX model or a file of weights
   does: read, problems listed, and what can be expressed compiled, in a context of small tensors;
   modules are run on zeros where nothing in them may go on for ever. Sanitizers see what goes wrong;
   besides, a failure has a message, which begins with its place where the input is wrong, a module
   without problems has a function, the same program gives the same results twice, and weights that
   are written are the same when they are read again. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#define WEBNN_XLA_IMPLEMENTATION
#define WEBNN_STABLEHLO_IMPLEMENTATION
#include "webnn_stablehlo.h"
#define WEBNN_ONNX_IMPLEMENTATION
#include "webnn_onnx.h"
#define WEBNN_WEIGHTS_IMPLEMENTATION
#include "webnn_weights.h"

#include "fuzz.h"

static webnn_context *context;

/* A mistake in the text has a place. */
static void look_at_error(const webnn_error *error, const char *what) {
  if (error->status == WEBNN_OK || !error->message[0])
    stop("failed without a message", what);
  if (error->status == WEBNN_TYPE_ERROR && strncmp(error->message, "input:", 6) != 0)
    stop("a mistake without its place", error->message);
}

static bool may_run_long(const webnn_xla_program *program) {
  size_t counts[WEBNN_XLA_STEP_KIND_COUNT];
  webnn_xla_count_steps(program, counts);
  return counts[WEBNN_XLA_STEP_LOOP] > 0;
}

enum { MOST_ARRAYS = 8 };

/* Arrays over zeros; NULL if there are too many. */
static uint8_t *take_zeros(webnn_xla_array *arrays, size_t count) {
  size_t bytes = 0, i;
  uint8_t *data, *next;
  for (i = 0; i < count; i++)
    bytes += arrays[i].byte_length;
  data = next = (uint8_t *)calloc(bytes + 1, 1);
  for (i = 0; data && i < count; i++) {
    arrays[i].data = next;
    next += arrays[i].byte_length;
  }
  return data;
}

static void run_program(webnn_xla_program *program) {
  webnn_xla_array inputs[MOST_ARRAYS], outputs[MOST_ARRAYS];
  const size_t in = webnn_xla_program_inputs(program, inputs, MOST_ARRAYS);
  const size_t out = webnn_xla_program_outputs(program, outputs, MOST_ARRAYS);
  uint8_t *zeros, *results, *again;
  size_t bytes = 0, i;
  if (in > MOST_ARRAYS || out > MOST_ARRAYS || may_run_long(program))
    return;
  for (i = 0; i < out; i++)
    bytes += outputs[i].byte_length;
  zeros = take_zeros(inputs, in);
  results = take_zeros(outputs, out);
  again = (uint8_t *)malloc(bytes + 1);
  if (!zeros || !results || !again)
    stop("no memory", "");
  if (webnn_xla_run(program, inputs, in, outputs, out, NULL) == WEBNN_OK) {
    memcpy(again, results, bytes);
    memset(results, 0xA5, bytes);
    if (webnn_xla_run(program, inputs, in, outputs, out, NULL) != WEBNN_OK)
      stop("the second run fails", "");
    /* Random numbers go on; nothing else does. */
    size_t counts[WEBNN_XLA_STEP_KIND_COUNT];
    webnn_xla_count_steps(program, counts);
    if (counts[WEBNN_XLA_STEP_RANDOM] == 0 && memcmp(again, results, bytes) != 0)
      stop("the second run gives something else", "");
  }
  free(zeros);
  free(results);
  free(again);
}

static void compile(webnn_stablehlo *module, const webnn_xla_computation *computation) {
  webnn_stablehlo_checks checks;
  webnn_xla_named_function functions[16];
  webnn_xla_program_options options;
  webnn_xla_program *program = NULL;
  webnn_error error = WEBNN_ZERO;
  (void)module;
  memset(&checks, 0, sizeof checks);
  memset(&options, 0, sizeof options);
  options.functions = functions;
  options.function_count = webnn_stablehlo_check_functions(&checks, functions, 16);
  if (webnn_xla_compile(context, computation, &options, &program, &error) != WEBNN_OK) {
    if (!error.message[0])
      stop("compiling fails without a message", "");
    return;
  }
  run_program(program);
  webnn_xla_free_program(program);
}

/* Then a model that is built has no graph. */
static bool all_outputs_empty(const webnn_onnx_model *model) {
  enum { MOST = 64 };
  webnn_onnx_port ports[MOST];
  const size_t count = webnn_onnx_outputs(model, ports, MOST);
  size_t i = 0;
  while (i < count && i < MOST && ports[i].is_empty)
    i++;
  return count > 0 && (i == count || i == MOST);
}

static void try_onnx(const uint8_t *data, size_t size) {
  const webnn_onnx_dimension batch = {"batch", 2};
  webnn_onnx_options options = WEBNN_ZERO;
  webnn_onnx_model *model = NULL;
  webnn_graph *graph = NULL;
  webnn_error error = WEBNN_ZERO;
  const char *problems[4];
  uint8_t *copy = (uint8_t *)malloc(size + 1); /* of its own, so that its end is seen */
  if (!copy)
    stop("no memory", "");
  memcpy(copy, data, size);
  options.dimensions = &batch;
  options.fixed = size % 3 != 0;
  options.dimension_count = options.fixed ? 1 : 0;
  options.max_iterations = 8;
  options.float64_as_float32 = size % 2 == 0;
  if (webnn_onnx_read(copy, size, NULL, &options, &model, &error) == WEBNN_OK) {
    webnn_onnx_build(model, context, &graph, &error);
    (void)webnn_onnx_problems(model, problems, 4);
  }
  if (!graph && !error.message[0] && !all_outputs_empty(model))
    stop("no graph, and no message", "");
  webnn_free_graph(graph);
  webnn_onnx_free(model);
  free(copy);
}

/* ---- Weights --------------------------------------------------------------------------------- */

enum { MOST_TENSORS = 16 };

typedef struct written {
  char bytes[1 << 16];
  size_t length;
} written;

static void keep_written(void *user, const char *text, size_t length) {
  written *to = (written *)user;
  if (length > sizeof to->bytes - to->length)
    stop("more is written than was read", "");
  memcpy(to->bytes + to->length, text, length);
  to->length += length;
}

/* Reads again what was written, and compares. */
static void read_again(const webnn_weights_tensor *tensors, size_t count) {
  static written to;
  webnn_weights *weights = NULL;
  webnn_weights_tensor again;
  webnn_error error = WEBNN_ZERO;
  to.length = 0;
  if (webnn_weights_write(WEBNN_WEIGHTS_SAFETENSORS, tensors, count, keep_written, &to, &error) !=
      WEBNN_OK)
    return; /* a bool that is neither 0 nor 1, a name */
  if (webnn_weights_read(to.bytes, to.length, "again.safetensors", &weights, &error) != WEBNN_OK)
    stop("what was written is not read", error.message);
  for (size_t i = 0; i < count; i++)
    if (webnn_weights_get(weights, tensors[i].name, tensors[i].descriptor, &again, &error) !=
        WEBNN_OK)
      stop("a tensor that was written is not there", error.message);
    else if (again.byte_length != tensors[i].byte_length ||
             strcmp(again.type, tensors[i].type) != 0)
      stop("a tensor that was written is another", tensors[i].name);
    else if (strncmp(again.type, "bfloat", 6) != 0 && strcmp(again.type, "float64") != 0 &&
             memcmp(again.data, tensors[i].data, again.byte_length) != 0)
      stop("a tensor that was written has other elements", tensors[i].name);
  webnn_weights_free(weights);
}

static void use_weights(webnn_weights *weights) {
  webnn_weights_tensor listed[MOST_TENSORS], got[MOST_TENSORS];
  const size_t count = webnn_weights_list(weights, listed, MOST_TENSORS);
  webnn_builder *builder = NULL;
  size_t usable = 0;
  if (webnn_create_builder(context, &builder, NULL) != WEBNN_OK)
    stop("no builder", "");
  for (size_t i = 0; i < count && i < MOST_TENSORS; i++) {
    webnn_error error = WEBNN_ZERO;
    if (!webnn_weights_constant(weights, builder, listed[i].name, listed[i].descriptor, &error) &&
        (error.status == WEBNN_OK || !error.message[0]))
      stop("no constant, and no message", listed[i].name);
    usable += webnn_weights_get(weights, listed[i].name, listed[i].descriptor, &got[usable],
                                NULL) == WEBNN_OK;
  }
  webnn_free_builder(builder);
  read_again(got, usable);
}

/* The first byte tells which of the formats it is to be, and so does the name. */
static bool try_weights(const uint8_t *data, size_t size) {
  const bool npy = size > 0 && data[0] == 0x93, npz = size > 0 && data[0] == 'P';
  const char *name = npy ? "input:.npy" : npz ? "input:.npz" : "input:.safetensors";
  webnn_weights *weights = NULL;
  webnn_error error = WEBNN_ZERO;
  uint8_t *copy;
  if (!npy && !npz && (size < 9 || data[8] != '{' || data[7] != 0))
    return false;
  copy = (uint8_t *)malloc(size);
  if (!copy)
    stop("no memory", "");
  memcpy(copy, data, size);
  if (webnn_weights_read(copy, size, name, &weights, &error) == WEBNN_OK)
    use_weights(weights);
  else
    look_at_error(&error, "reading weights");
  webnn_weights_free(weights);
  free(copy);
  return true;
}

static void try_stablehlo(const uint8_t *data, size_t size) {
  webnn_error error = WEBNN_ZERO;
  webnn_stablehlo *module;
  const webnn_xla_computation *computation;
  size_t problems;
  module = webnn_stablehlo_read((const char *)data, size, "input", &error);
  if (!module) {
    look_at_error(&error, "reading");
    return;
  }
  problems = webnn_stablehlo_problems(module, NULL, NULL);
  computation = webnn_stablehlo_function(module, NULL, &error);
  if (computation)
    compile(module, computation);
  else if (!error.message[0])
    stop("there is no function, and no message", "");
  else if (problems == 0 && webnn_stablehlo_function_count(module) == 1 &&
           webnn_stablehlo_function_is_public(module, 0))
    stop("no problems, but no function", error.message);
  webnn_stablehlo_free(module);
}

/* A model begins with the number of the format, field 1 of its message. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_keep(data, size);
  if (size > 0 && data[0] == 0x08)
    try_onnx(data, size);
  else if (!try_weights(data, size))
    try_stablehlo(data, size);
  return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  (void)count;
  (void)arguments;
  fuzz_find_folder();
  options.numerics = WEBNN_NUMERICS_REFERENCE;
  options.threads = 1;
  options.max_tensor_byte_length = 1 << 14;
  if (webnn_create_context(&options, &context, &error) != WEBNN_OK)
    stop("no context", error.message);
  return 0;
}

#ifndef FUZZ_LIBFUZZER
static const char *const words[] = {"stablehlo.add",
                                    "tensor<2x3xf32>",
                                    "tensor<?xf32>",
                                    "tensor<i1>",
                                    "dense<",
                                    "array<i64: 1, 2>",
                                    "-> ",
                                    "%0#1",
                                    "({\n^bb0(%arg0: tensor<f32>):",
                                    "!quant.uniform<i8:f32, 0.5:3>",
                                    "0xFF800000",
                                    "loc(\"a\")",
                                    "func.func private @f",
                                    "[0, 1]",
                                    "4294967296",
                                    "{",
                                    "}",
                                    "\"",
                                    NULL};

int main(int count, char **arguments) {
  return fuzz_main("fuzz_networks", words, NULL, count, arguments);
}
#endif
