/* Replays the recordings of the validation tests through the public API: what each call has to
   accept, with which types and shapes, and what it has to refuse, with which error.

     validation_recordings [file ...]

   Without files all are played. The recordings are looked for in $WEBNN_WPT, or ../../shared/wpt.
 */
#include "call_by_name.h"

/* clang-format off */
static const char *const all_files[] = {
  "argMinMax", "batchNormalization", "build-more-than-once", "cast", "clamp", "concat",
  "constant", "conv2d", "convTranspose2d", "createContext", "cumulativeSum", "dequantizeLinear",
  "destroyContext", "destroyGraph", "elementwise-binary", "elementwise-logical",
  "elementwise-unary", "elu", "expand", "gather", "gatherElements", "gatherND", "gemm", "gru",
  "gruCell", "hardSigmoid", "hardSwish", "input", "instanceNormalization", "invalid-rank",
  "layerNormalization", "leakyRelu", "linear", "lstm", "lstmCell", "matmul", "pad", "pooling",
  "pooling-and-reduction-keep-dims", "prelu", "quantizeLinear", "reduction", "relu", "resample2d",
  "reshape", "reverse", "scatterElements", "scatterND", "sigmoid", "slice", "softmax", "softplus",
  "softsign", "split", "tanh", "tile", "transpose", "triangular", "where"};
/* clang-format on */

/* maxTensorByteLength of the recording, and of the contexts here. */
#define MAX_TENSOR_BYTE_LENGTH 2147483647

/* ---- Objects of a subtest -------------------------------------------------------------------- */

typedef enum object_kind {
  OBJECT_CONTEXT,
  OBJECT_BUILDER,
  OBJECT_TENSOR,
  OBJECT_GRAPH,
  OBJECT_OPERAND
} object_kind;

typedef union handle {
  webnn_context *context;
  webnn_builder *builder;
  webnn_tensor *tensor;
  webnn_graph *graph;
  webnn_operand *operand;
} handle;

typedef struct object {
  const char *name;
  object_kind kind;
  handle is;
} object;

typedef struct player {
  const char *file;
  const json *subtest, *step;
  int step_number;
  object *objects;
  size_t object_count, object_room;
  json_arena arena;  /* what one step needs */
  char failure[400]; /* of this step, "" while all goes well */
  bool small_device; /* the context's maxTensorByteLength is less than the recording's */
  bool beyond;       /* the subtest needs more: its other steps are skipped */
} player;

/* What came of a step. */
typedef struct outcome {
  webnn_status status;
  const char *message;
  webnn_builder *builder; /* whose recorded error has to be cleared after judging */
  object_kind kind;       /* of the results */
  size_t count;
  const handle *results;
  const webnn_operand_descriptor *descriptor; /* results must have these type and shape */
} outcome;

/* The first failure is kept; always false. */
static bool fail(player *p, const char *format, ...) {
  va_list arguments;
  if (!p->failure[0]) {
    va_start(arguments, format);
    vsnprintf(p->failure, sizeof p->failure, format, arguments);
    va_end(arguments);
  }
  return false;
}

static const object *find_object(const player *p, const char *name, object_kind kind) {
  size_t i;
  for (i = p->object_count; i-- > 0;)
    if (p->objects[i].kind == kind && strcmp(p->objects[i].name, name) == 0)
      return &p->objects[i];
  return NULL;
}

/* NULL, and a failure, if an earlier step did not give it. */
static const object *need_object(player *p, const json *name, object_kind kind) {
  const char *text = json_string(name);
  const object *found = text ? find_object(p, text, kind) : NULL;
  if (!found)
    fail(p, "needs %s, which no earlier step gave", text ? text : "an object without a name");
  return found;
}

static webnn_operand *find_operand(void *user, const char *name) {
  const object *found = find_object((const player *)user, name, OBJECT_OPERAND);
  return found ? found->is.operand : NULL;
}

static void add_object(player *p, const char *name, object_kind kind, handle is) {
  object *o;
  if (p->object_count == p->object_room) {
    object *larger;
    p->object_room = p->object_room * 2 + 64;
    larger = (object *)test_allocate(p->object_room * sizeof *larger);
    if (p->object_count)
      memcpy(larger, p->objects, p->object_count * sizeof *larger);
    free(p->objects);
    p->objects = larger;
  }
  o = &p->objects[p->object_count++];
  o->name = name;
  o->kind = kind;
  o->is = is;
}

static void free_object(const object *o) {
  switch (o->kind) {
  case OBJECT_CONTEXT:
    webnn_free_context(o->is.context);
    break;
  case OBJECT_BUILDER:
    webnn_free_builder(o->is.builder);
    break;
  case OBJECT_TENSOR:
    webnn_free_tensor(o->is.tensor);
    break;
  case OBJECT_GRAPH:
    webnn_free_graph(o->is.graph);
    break;
  default: /* operands belong to their builder */
    break;
  }
}

/* Handles may be freed in any order: each subtest frees them in the other one than the last. */
static void free_objects(player *p, bool backwards) {
  size_t i;
  for (i = 0; i < p->object_count; i++)
    free_object(&p->objects[backwards ? p->object_count - 1 - i : i]);
  free(p->objects);
}

/* ---- Arguments of a step --------------------------------------------------------------------- */

static const json *argument(const player *p, size_t index, const char *kind) {
  const json *item = json_first(json_get(p->step, "arguments"));
  while (item && index-- > 0)
    item = item->next;
  return json_get(item, kind);
}

static bool expect_arguments(player *p, size_t count) {
  const json *list = json_get(p->step, "arguments");
  return (list && json_count(list) == count) || fail(p, "the test takes %d arguments", (int)count);
}

/* A dimension, or {"max": [A, B]}: floor((M + A) / B). */
static bool read_dimension(const json *value, uint32_t *dimension) {
  const json *max = json_get(value, "max");
  uint64_t a, b, result;
  if (!max)
    return call_u32(value, dimension);
  if (json_count(max) != 2 || !json_u64(max->first, &a) || !json_u64(max->first->next, &b) ||
      b == 0)
    return false;
  result = (MAX_TENSOR_BYTE_LENGTH + a) / b;
  *dimension = (uint32_t)result;
  return result <= 2147483647;
}

static bool read_descriptor(player *p, const json *value, webnn_operand_descriptor *descriptor) {
  const json *shape = json_get(value, "shape"), *item;
  size_t count = 0;
  uint32_t *items = (uint32_t *)json_allocate(&p->arena, (json_count(shape) + 1) * sizeof *items);
  if (!shape || !call_data_type(json_get(value, "dataType"), &descriptor->data_type))
    return fail(p, "the test cannot read the descriptor");
  for (item = shape->first; item; item = item->next)
    if (!read_dimension(item, &items[count++]))
      return fail(p, "the test cannot read the shape");
  descriptor->shape = webnn_list_of(items, count);
  return true;
}

typedef struct buffer {
  void *bytes;
  size_t byte_length;
} buffer;

/* Exactly as long as it says, so that a memory checker sees reads behind it. */
static bool read_buffer(player *p, const json *value, buffer *b) {
  const json *type_name = json_get(value, "dataType");
  webnn_data_type type;
  uint64_t length;
  if (!json_u64(json_get(value, "byteLength"), &length))
    return fail(p, "the test cannot read the buffer's length");
  b->byte_length = (size_t)length;
  b->bytes = test_allocate(b->byte_length);
  if (!type_name)
    return true;
  if (!call_data_type(type_name, &type) ||
      !elements_read(value, type, b->bytes, b->byte_length * 8 / webnn_data_type_bits(type)))
    return fail(p, "the test cannot read the buffer's elements");
  return true;
}

/* Overwritten before it is freed: the call must have copied what it needs. */
static void free_buffer(buffer *b) {
  if (b->bytes)
    memset(b->bytes, 0xA5, b->byte_length);
  free(b->bytes);
}

static void set_result(player *p, outcome *o, object_kind kind, handle is) {
  handle *results = (handle *)json_allocate(&p->arena, sizeof *results);
  *results = is;
  o->kind = kind;
  o->results = results;
  o->count = 1;
}

/* The status that was returned and the one in the error must be the same. */
static void set_status(player *p, outcome *o, webnn_status status, const webnn_error *error) {
  char *message = (char *)json_allocate(&p->arena, sizeof error->message);
  memcpy(message, error->message, sizeof error->message);
  o->status = status;
  o->message = message;
  if (error->status != status)
    fail(p, "returned %s but the error has %s", webnn_status_name(status),
         webnn_status_name(error->status));
  if (status == WEBNN_OK && error->message[0])
    fail(p, "a message after success: %s", error->message);
}

/* ---- Steps on contexts ----------------------------------------------------------------------- */

static void play_create_context(player *p, outcome *o) {
  call reader; /* only its options are used */
  webnn_error error = WEBNN_ZERO;
  handle is = {(webnn_context *)(void *)call_unset()}; /* has to become NULL if refused */
  memset(&reader, 0, sizeof reader);
  call_read_options(&reader, argument(p, 0, "options"), call_context_members);
  if (reader.problem[0])
    fail(p, "%s", reader.problem);
  expect_arguments(p, argument(p, 0, "options") ? 1 : 0);
  reader.options.context.max_tensor_byte_length = MAX_TENSOR_BYTE_LENGTH;
  test_choose_backend(&reader.options.context);
  set_status(p, o, webnn_create_context(&reader.options.context, &is.context, &error), &error);
  if (is.context) {
    webnn_limits limits = WEBNN_ZERO;
    webnn_context_limits(is.context, &limits);
    p->small_device = limits.max_tensor_byte_length < MAX_TENSOR_BYTE_LENGTH;
    set_result(p, o, OBJECT_CONTEXT, is);
  }
  call_free(&reader);
}

static void play_create_builder(player *p, outcome *o) {
  const object *context = need_object(p, argument(p, 0, "context"), OBJECT_CONTEXT);
  webnn_error error = WEBNN_ZERO;
  handle is = {(webnn_context *)(void *)call_unset()}; /* has to become NULL if refused */
  if (!expect_arguments(p, 1) || !context)
    return;
  set_status(p, o, webnn_create_builder(context->is.context, &is.builder, &error), &error);
  if (is.builder)
    set_result(p, o, OBJECT_BUILDER, is);
}

static void check_tensor(player *p, const webnn_tensor *tensor,
                         const webnn_tensor_descriptor *descriptor) {
  if (webnn_tensor_data_type(tensor) != descriptor->data_type ||
      !test_same_list(webnn_tensor_shape(tensor), descriptor->shape) ||
      webnn_tensor_readable(tensor) != descriptor->readable ||
      webnn_tensor_writable(tensor) != descriptor->writable || webnn_tensor_constant(tensor))
    fail(p, "the tensor's attributes are not the descriptor's");
}

static void play_create_tensor(player *p, outcome *o) {
  const object *context = need_object(p, json_get(p->step, "on"), OBJECT_CONTEXT);
  const json *description = argument(p, 0, "descriptor");
  webnn_operand_descriptor described;
  webnn_tensor_descriptor descriptor;
  webnn_error error = WEBNN_ZERO;
  handle is = {(webnn_context *)(void *)call_unset()}; /* has to become NULL if refused */
  if (!expect_arguments(p, 1) || !context || !read_descriptor(p, description, &described))
    return;
  descriptor.data_type = described.data_type;
  descriptor.shape = described.shape;
  descriptor.readable = json_is_true(json_get(description, "readable"));
  descriptor.writable = json_is_true(json_get(description, "writable"));
  set_status(p, o, webnn_create_tensor(context->is.context, descriptor, &is.tensor, &error),
             &error);
  if (is.tensor) {
    check_tensor(p, is.tensor, &descriptor);
    set_result(p, o, OBJECT_TENSOR, is);
  }
}

static void play_write_tensor(player *p, outcome *o) {
  const object *context = need_object(p, json_get(p->step, "on"), OBJECT_CONTEXT);
  const object *tensor = need_object(p, argument(p, 0, "tensor"), OBJECT_TENSOR);
  buffer b = {NULL, 0};
  webnn_error error = WEBNN_ZERO;
  if (!expect_arguments(p, 2) || !context || !tensor)
    return;
  if (read_buffer(p, argument(p, 1, "buffer"), &b))
    set_status(
        p, o,
        webnn_write_tensor(context->is.context, tensor->is.tensor, b.bytes, b.byte_length, &error),
        &error);
  free_buffer(&b);
}

/* What was read must be exactly "data", where the step has it. */
static void check_data(player *p, webnn_data_type type, const void *bytes, size_t count) {
  const json *data = json_get(p->step, "data");
  const size_t byte_length = elements_byte_length(type, count);
  void *expected;
  if (!data)
    return;
  expected = test_allocate(byte_length);
  if (!elements_read(p->step, type, expected, count))
    fail(p, "the test cannot read the elements");
  else if (memcmp(expected, bytes, byte_length) != 0)
    fail(p, "other elements were read than expected");
  free(expected);
}

static void play_read_tensor(player *p, outcome *o) {
  const object *context = need_object(p, json_get(p->step, "on"), OBJECT_CONTEXT);
  const object *tensor = need_object(p, argument(p, 0, "tensor"), OBJECT_TENSOR);
  webnn_error error = WEBNN_ZERO;
  webnn_data_type type;
  size_t count, byte_length;
  void *bytes;
  if (!expect_arguments(p, 1) || !context || !tensor)
    return;
  type = webnn_tensor_data_type(tensor->is.tensor);
  count = test_element_count(webnn_tensor_shape(tensor->is.tensor));
  byte_length = elements_byte_length(type, count);
  bytes = test_allocate(byte_length);
  memset(bytes, 0xA5, byte_length);
  set_status(p, o,
             webnn_read_tensor(context->is.context, tensor->is.tensor, bytes, byte_length, &error),
             &error);
  if (o->status == WEBNN_OK)
    check_data(p, type, bytes, count);
  free(bytes);
}

typedef struct named_tensors {
  const webnn_named_tensor *items;
  size_t count;
} named_tensors;

static bool read_named_tensors(player *p, const json *object_, named_tensors *list) {
  webnn_named_tensor *items =
      (webnn_named_tensor *)json_allocate(&p->arena, (json_count(object_) + 1) * sizeof *items);
  const json *member;
  list->items = items;
  list->count = json_count(object_);
  for (member = json_first(object_); member; member = member->next, items++) {
    const object *tensor = need_object(p, member, OBJECT_TENSOR);
    if (!tensor)
      return false;
    items->name = member->name;
    items->tensor = tensor->is.tensor;
  }
  return object_ != NULL || fail(p, "named tensors expected");
}

static void play_dispatch(player *p, outcome *o) {
  const object *context = need_object(p, json_get(p->step, "on"), OBJECT_CONTEXT);
  const object *graph = need_object(p, argument(p, 0, "graph"), OBJECT_GRAPH);
  named_tensors inputs, outputs;
  webnn_error error = WEBNN_ZERO;
  if (!expect_arguments(p, 3) || !context || !graph ||
      !read_named_tensors(p, argument(p, 1, "namedTensors"), &inputs) ||
      !read_named_tensors(p, argument(p, 2, "namedTensors"), &outputs))
    return;
  set_status(p, o,
             webnn_dispatch(context->is.context, graph->is.graph, inputs.items, inputs.count,
                            outputs.items, outputs.count, &error),
             &error);
}

static void play_lost(player *p, outcome *o) {
  const object *context = need_object(p, json_get(p->step, "on"), OBJECT_CONTEXT);
  (void)o;
  if (!expect_arguments(p, 0) || !context)
    return;
  if (!json_is_true(json_get(p->step, "lost")))
    fail(p, "the test knows only lost: true");
  if (!webnn_context_lost(context->is.context, NULL))
    fail(p, "the context is not lost");
}

static void play_destroy(player *p, outcome *o) {
  const json *on = json_get(p->step, "on");
  const char *name = json_string(on) ? json_string(on) : "";
  const object *found;
  (void)o;
  expect_arguments(p, 0);
  if ((found = find_object(p, name, OBJECT_CONTEXT)) != NULL)
    webnn_destroy_context(found->is.context);
  else if ((found = find_object(p, name, OBJECT_TENSOR)) != NULL)
    webnn_destroy_tensor(found->is.tensor);
  else if ((found = need_object(p, on, OBJECT_GRAPH)) != NULL)
    webnn_destroy_graph(found->is.graph);
}

/* ---- Steps on builders ----------------------------------------------------------------------- */

/* A method that refuses records why; one that accepts leaves the record empty. */
static void set_builder_status(player *p, outcome *o, webnn_builder *builder, bool accepted) {
  o->builder = builder;
  o->status = webnn_builder_status(builder);
  o->message = webnn_builder_message(builder);
  if (accepted != (o->status == WEBNN_OK))
    fail(p, "returned %s, but the builder's status is %s %s", accepted ? "a result" : "nothing",
         o->status == WEBNN_OK ? "OK" : webnn_status_name(o->status), o->message);
}

static void play_input(player *p, outcome *o) {
  const object *builder = need_object(p, json_get(p->step, "on"), OBJECT_BUILDER);
  const char *name = json_string(argument(p, 0, "string"));
  webnn_operand_descriptor *descriptor =
      (webnn_operand_descriptor *)json_allocate(&p->arena, sizeof *descriptor);
  handle is;
  if (!expect_arguments(p, 2) || !builder ||
      !read_descriptor(p, argument(p, 1, "descriptor"), descriptor))
    return;
  if (!name) {
    fail(p, "the test cannot read the name");
    return;
  }
  is.operand = webnn_input(builder->is.builder, name, *descriptor);
  o->descriptor = descriptor;
  if (is.operand)
    set_result(p, o, OBJECT_OPERAND, is);
  set_builder_status(p, o, builder->is.builder, is.operand != NULL);
}

static void play_constant(player *p, outcome *o) {
  const object *builder = need_object(p, json_get(p->step, "on"), OBJECT_BUILDER);
  webnn_operand_descriptor *descriptor =
      (webnn_operand_descriptor *)json_allocate(&p->arena, sizeof *descriptor);
  buffer b = {NULL, 0};
  handle is;
  if (!expect_arguments(p, 2) || !builder ||
      !read_descriptor(p, argument(p, 0, "descriptor"), descriptor))
    return;
  if (read_buffer(p, argument(p, 1, "buffer"), &b)) {
    is.operand = webnn_constant(builder->is.builder, *descriptor, b.bytes, b.byte_length);
    o->descriptor = descriptor;
    if (is.operand)
      set_result(p, o, OBJECT_OPERAND, is);
    set_builder_status(p, o, builder->is.builder, is.operand != NULL);
  }
  free_buffer(&b);
}

typedef struct named_operands {
  const webnn_named_operand *items;
  size_t count;
} named_operands;

static bool read_named_operands(player *p, const json *object_, named_operands *list) {
  webnn_named_operand *items =
      (webnn_named_operand *)json_allocate(&p->arena, (json_count(object_) + 1) * sizeof *items);
  const json *member;
  list->items = items;
  list->count = json_count(object_);
  for (member = json_first(object_); member; member = member->next, items++) {
    const object *operand = need_object(p, member, OBJECT_OPERAND);
    if (!operand)
      return false;
    items->name = member->name;
    items->operand = operand->is.operand;
  }
  return object_ != NULL || fail(p, "named operands expected");
}

static void play_build(player *p, outcome *o) {
  const object *builder = need_object(p, json_get(p->step, "on"), OBJECT_BUILDER);
  named_operands outputs;
  webnn_error error = WEBNN_ZERO;
  handle is = {(webnn_context *)(void *)call_unset()}; /* has to become NULL if refused */
  if (!expect_arguments(p, 1) || !builder ||
      !read_named_operands(p, argument(p, 0, "namedOperands"), &outputs))
    return;
  o->builder = builder->is.builder;
  set_status(p, o,
             webnn_build(builder->is.builder, outputs.items, outputs.count, &is.graph, &error),
             &error);
  if (is.graph)
    set_result(p, o, OBJECT_GRAPH, is);
}

/* All outputs of a method, or none, must have been set. */
static void take_outputs(player *p, outcome *o, const call *c) {
  handle *results = (handle *)json_allocate(&p->arena, (c->room + 1) * sizeof *results);
  size_t i;
  if (c->count != 0 && c->count != c->room)
    fail(p, "gave %d outputs of %d", (int)c->count, (int)c->room);
  for (i = 0; i < c->room; i++) {
    results[i].operand = c->outputs[i];
    if (c->outputs[i] == call_unset() || (c->outputs[i] != NULL) != (c->count != 0))
      fail(p, "output %d was not set", (int)i);
  }
  o->kind = OBJECT_OPERAND;
  o->results = results;
  o->count = c->count;
}

/* The label in the options of the step. */
static const char *find_label(const player *p) {
  const json *item = json_first(json_get(p->step, "arguments"));
  const char *label = NULL;
  for (; item && !label; item = item->next)
    label = json_string(json_get(json_get(json_get(item, "options"), "label"), "string"));
  return label;
}

/* The binding's own TypeError, of which the builder knows nothing. */
static void set_refusal(player *p, outcome *o, const call *c, const char *method) {
  const char *label = find_label(p) ? find_label(p) : "";
  const size_t size = sizeof c->refusal + strlen(method) + strlen(label) + 8;
  char *message = (char *)json_allocate(&p->arena, size);
  snprintf(message, size, "%s \"%s\": %s", method, label, c->refusal);
  o->status = WEBNN_TYPE_ERROR;
  o->message = message;
}

static void play_method(player *p, outcome *o, const char *method) {
  const object *builder = need_object(p, json_get(p->step, "on"), OBJECT_BUILDER);
  call c;
  if (!builder)
    return;
  memset(&c, 0, sizeof c);
  c.builder = builder->is.builder;
  c.lookup = find_operand;
  c.user = p;
  if (call_by_name(&c, method, json_get(p->step, "arguments"))) {
    take_outputs(p, o, &c);
    if (c.refusal[0])
      set_refusal(p, o, &c, method);
    else
      set_builder_status(p, o, c.builder, c.count != 0);
  } else {
    fail(p, "%s", c.problem);
    o->builder = c.builder;
  }
  call_free(&c);
}

/* ---- Judging a step -------------------------------------------------------------------------- */

static void check_descriptor(player *p, const webnn_operand *operand,
                             const webnn_operand_descriptor *expected) {
  const webnn_data_type type = webnn_operand_data_type(operand);
  if (type != expected->data_type || !test_same_list(webnn_operand_shape(operand), expected->shape))
    fail(p, "expected %s %s, got %s %s", webnn_data_type_name(expected->data_type),
         test_shape_text(expected->shape), webnn_data_type_name(type),
         test_shape_text(webnn_operand_shape(operand)));
}

/* Types and shapes of the outputs; their names are remembered. */
static void judge_outputs(player *p, const outcome *o, const json *outputs) {
  const json *output = json_first(outputs);
  size_t i;
  if (o->count != json_count(outputs)) {
    fail(p, "expected %d outputs, got %d", (int)json_count(outputs), (int)o->count);
    return;
  }
  for (i = 0; i < o->count; i++, output = output->next) {
    const char *name = json_string(json_get(output, "name"));
    webnn_operand_descriptor expected;
    if (json_get(output, "dataType")) {
      if (o->kind != OBJECT_OPERAND)
        fail(p, "the test expects an operand");
      else if (read_descriptor(p, output, &expected))
        check_descriptor(p, o->results[i].operand, &expected);
    } else if (o->descriptor) {
      check_descriptor(p, o->results[i].operand, o->descriptor);
    } else if (o->kind == OBJECT_OPERAND) {
      fail(p, "the recording does not say what comes");
    }
    if (name)
      add_object(p, name, o->kind, o->results[i]);
  }
}

static void judge_refusal(player *p, const outcome *o, const char *error) {
  if (o->status == WEBNN_OK)
    fail(p, "expected %s, was accepted", error);
  else if (strcmp(webnn_status_name(o->status), error) != 0)
    fail(p, "expected %s, got %s: %s", error, webnn_status_name(o->status), o->message);
  else if (o->count != 0)
    fail(p, "refused, but gave an object");
  else if (!o->message || !o->message[0])
    fail(p, "refused without a message");
  else if (json_is_true(json_get(p->step, "label"))) {
    const char *label = find_label(p);
    if (!label || !label[0])
      fail(p, "the test finds no label");
    else if (!strstr(o->message, label))
      fail(p, "the message has no label %s: %s", label, o->message);
  }
}

static void judge(player *p, const outcome *o) {
  const char *error = json_string(json_get(p->step, "error"));
  if (json_is_true(json_get(p->step, "limit")) && o->status == WEBNN_OK)
    judge_outputs(p, o, json_get(p->step, "accepted"));
  else if (error)
    judge_refusal(p, o, error);
  else if (o->status != WEBNN_OK && p->small_device &&
           strstr(o->message, "must be at most maxTensorByteLength"))
    p->beyond = true;
  else if (o->status != WEBNN_OK)
    fail(p, "refused: %s: %s", webnn_status_name(o->status), o->message);
  else if (!json_get(p->step, "outputs"))
    fail(p, "the recording has neither an error nor outputs");
  else
    judge_outputs(p, o, json_get(p->step, "outputs"));
}

/* A key that this player does not know may mean something that it does not check. */
static void check_keys(player *p) {
  static const char *const known[] = {"on",    "name",  "arguments", "outputs", "error", "limit",
                                      "label", "range", "accepted",  "data",    "lost"};
  const json *member;
  for (member = json_first(p->step); member; member = member->next) {
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp(known[i], member->name) != 0)
      i++;
    if (i == sizeof known / sizeof *known)
      fail(p, "the test does not know the key %s", member->name);
  }
}

static void play_step(player *p) {
  static const struct {
    const char *name;
    void (*play)(player *p, outcome *o);
  } steps[] = {{"createContext", play_create_context},
               {"MLGraphBuilder", play_create_builder},
               {"createTensor", play_create_tensor},
               {"writeTensor", play_write_tensor},
               {"readTensor", play_read_tensor},
               {"dispatch", play_dispatch},
               {"lost", play_lost},
               {"destroy", play_destroy},
               {"input", play_input},
               {"constant", play_constant},
               {"build", play_build}};
  const char *name = json_string(json_get(p->step, "name"));
  outcome o;
  size_t i = 0;
  memset(&o, 0, sizeof o);
  check_keys(p);
  while (name && i < sizeof steps / sizeof *steps && strcmp(steps[i].name, name) != 0)
    i++;
  if (!name)
    fail(p, "a step without a name");
  else if (i < sizeof steps / sizeof *steps)
    steps[i].play(p, &o);
  else
    play_method(p, &o, name);
  if (!p->failure[0])
    judge(p, &o);
  if (o.builder)
    webnn_builder_clear_error(o.builder);
  json_release(&p->arena, true);
}

/* ---- Subtests and files ---------------------------------------------------------------------- */

typedef struct tally {
  int subtests, steps, passed;
} tally;

static void count_step(player *p, tally *t) {
  const char *subtest = json_string(json_get(p->subtest, "name"));
  const char *step = json_string(json_get(p->step, "name"));
  p->failure[0] = 0;
  t->steps++;
  if (json_is_true(json_get(p->step, "range"))) {
    test_skip(subtest, "a number outside of uint32_t");
    return;
  }
  if (!p->beyond)
    play_step(p);
  if (p->beyond) {
    test_skip(subtest, "tensors beyond the device's limit");
    return;
  }
  t->passed += test_check(!p->failure[0], p->file, "%s: step %d %s: %s", subtest, p->step_number,
                          step, p->failure)
                   ? 1
                   : 0;
}

static void play_subtest(const char *file, const json *subtest, tally *t) {
  const bool backwards = t->subtests % 2 == 1;
  player p;
  memset(&p, 0, sizeof p);
  p.file = file;
  p.subtest = subtest;
  t->subtests++;
  for (p.step = json_first(json_get(subtest, "steps")); p.step; p.step = p.step->next) {
    p.step_number++;
    count_step(&p, t);
  }
  if (p.step_number == 0)
    CHECK(file, false, "a subtest without steps");
  free_objects(&p, backwards);
}

static tally play_file(const char *name) {
  static const char format[] = "wpt-webnn-validation/1";
  char path[1024];
  json_document document;
  const json *subtest;
  tally t = {0, 0, 0};
  vectors_path(path, sizeof path, "validation", name);
  if (!json_read_file(&document, path)) {
    CHECK(name, false, "%s", document.error);
  } else {
    const char *found = json_string(json_get(document.root, "format"));
    if (!found || strcmp(found, format) != 0)
      CHECK(name, false, "the format is not %s", format);
    for (subtest = json_first(json_get(document.root, "subtests")); subtest;
         subtest = subtest->next)
      play_subtest(name, subtest, &t);
    if (t.subtests == 0)
      CHECK(name, false, "the file has no subtests");
  }
  json_free(&document);
  return t;
}

int main(int argument_count, char **arguments) {
  const size_t all_count = sizeof all_files / sizeof *all_files;
  const size_t count = argument_count > 1 ? (size_t)argument_count - 1 : all_count;
  tally total = {0, 0, 0};
  webnn_context *kept;
  size_t i;
  if (!vectors_present("validation", all_files[0])) {
    test_skip("validation recordings", "no vectors in ../../shared/wpt or $WEBNN_WPT");
    return test_end();
  }
  kept = test_context(NULL); /* some drivers of GPUs can be loaded some thirty times, no more */
  printf("%-40s %8s %6s %6s\n", "file", "subtests", "steps", "passed");
  for (i = 0; i < count; i++) {
    char name[256];
    tally t;
    vectors_name(name, sizeof name, argument_count > 1 ? arguments[i + 1] : all_files[i]);
    t = play_file(name);
    printf("%-40s %8d %6d %6d\n", name, t.subtests, t.steps, t.passed);
    total.subtests += t.subtests;
    total.steps += t.steps;
    total.passed += t.passed;
  }
  printf("%-40s %8d %6d %6d\n", "all", total.subtests, total.steps, total.passed);
  webnn_free_context(kept);
  return test_end();
}
