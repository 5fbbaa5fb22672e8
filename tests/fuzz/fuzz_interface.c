/* Arbitrary bytes as calls of the whole interface: contexts with odd options, every operator with
   odd operands and options (those of the draft of dynamic shapes, too), constants, donated inputs,
   builds, shapes, tensors, dispatches with odd bindings and sizes, taps, profiles, printing,
   objects destroyed and freed in any order, and a part of the calls by two threads at once.
   Sanitizers see what goes wrong; besides, every failure has to be whole (a status, a message,
   nothing made), and a fast context has to refuse what a reference context refuses, in the same
   words: each input runs in both. fuzz.h says how it is called; after the given files, which in the
   corpus have to compute every operator, come mutations of them.

   A byte selects a method of the builder or another action; those after it are its arguments. Bytes
   that are missing are zeros, which mean something valid: operands and lists that fit. At the end
   everything that was described is built and run. */
#include "call_by_name.h"

#include "fuzz.h"

#include <pthread.h>

enum {
  CONTEXTS = 3,
  BUILDERS = 3,
  GRAPHS = 4,
  TENSORS = 8,
  OPERANDS = 256, /* of a builder, that calls can choose from */
  ACTIONS = 96,   /* of one input; the rest of its bytes is left alone */
  DISPATCHES = 10,
  USUAL_BYTES = 1024,               /* of a tensor, so that there is little to compute */
  MOST_MEMORY = 1 << 20,            /* of one piece */
  MOST_RECORDED = 1 << 18,          /* characters of what the calls said */
  METHODS = WEBNN_OP_COUNT + 4 + 11 /* the helpers, split with sizes, and the draft's operators */
};

/* Which methods graphs have computed, of all inputs so far. */
static bool computed[METHODS];

/* ---- Objects ------------------------------------------------------------------------------------
 */

/* The input, as far as it has been read. */
typedef struct bytes {
  const uint8_t *data;
  size_t size, at;
} bytes;

/* Memory that contexts take: all of it has to come back, and it may fail from the n-th piece on. */
typedef struct heap {
  struct heap *next;
  pthread_mutex_t mutex;
  size_t left, pieces;
  bool refused;
} heap;

typedef struct context_slot {
  webnn_context *context;
  bool owned, usual; /* usual: no tensor is larger than USUAL_BYTES */
} context_slot;

typedef struct operand_slot {
  webnn_operand *operand;
  int method; /* -1: a leaf */
} operand_slot;

typedef struct builder_slot {
  webnn_builder *builder;
  size_t context;
  operand_slot operands[OPERANDS];
  size_t count, names;
  bool owned, keeps_errors, built;
} builder_slot;

typedef struct graph_slot {
  webnn_graph *graph;
  size_t context;
  uint64_t bytes; /* of all that its builder described */
  bool methods[METHODS];
  bool owned, dynamic;
} graph_slot;

typedef struct tensor_slot {
  webnn_tensor *tensor;
  size_t context;
  uint8_t *memory; /* that it lies over */
  bool owned;
} tensor_slot;

/* What all threads of one run share. */
typedef struct common {
  pthread_mutex_t mutex;
  heap *heaps;
  char *said; /* statuses and messages, to be compared */
  size_t said_length;
  bool comparable; /* so far nothing happened that may differ between the two runs */
} common;

/* One thread of a run. */
typedef struct run {
  bytes in;
  common *common;
  webnn_numerics numerics;
  bool beside; /* another thread: what is not owned is not freed */
  context_slot contexts[CONTEXTS];
  builder_slot builders[BUILDERS];
  graph_slot graphs[GRAPHS];
  tensor_slot tensors[TENSORS];
  size_t next_tensor, calls, dispatches;
  webnn_error before; /* the last call: what its error was */
  void *scratch[64];  /* lists that a call reads, released after the action */
  size_t scratch_count;
} run;

static uint8_t take_byte(run *r) {
  return r->in.at < r->in.size ? r->in.data[r->in.at++] : 0;
}

/* Memory of exactly this size, so that a sanitizer sees what is read behind it. */
static void *scratch(run *r, size_t size) {
  void *memory = malloc(size > 0 ? size : 1);
  if (!memory || r->scratch_count == sizeof r->scratch / sizeof *r->scratch)
    stop("no memory", "");
  memset(memory, 0, size > 0 ? size : 1);
  r->scratch[r->scratch_count++] = memory;
  return memory;
}

static void release_scratch(run *r) {
  while (r->scratch_count > 0)
    free(r->scratch[--r->scratch_count]);
}

/* ---- What has to hold after a call ------------------------------------------------------------
 */

static void incomparable(run *r) {
  pthread_mutex_lock(&r->common->mutex);
  r->common->comparable = false;
  pthread_mutex_unlock(&r->common->mutex);
}

static void record(run *r, const char *what, int number, const char *message) {
  common *c = r->common;
  pthread_mutex_lock(&c->mutex);
  if (c->comparable && c->said_length < MOST_RECORDED) {
    const size_t room = MOST_RECORDED - c->said_length;
    const int length =
        snprintf(c->said + c->said_length, room, "%s: %d %s\n", what, number, message);
    c->said_length += (size_t)length < room ? (size_t)length : room - 1;
  }
  pthread_mutex_unlock(&c->mutex);
}

/* A place for an error, in which there may be another already, or NULL at every eighth call. */
static webnn_error *error_of(run *r, webnn_error *error) {
  memset(&r->before, 0, sizeof r->before);
  if (++r->calls % 8 == 5) {
    r->before.status = WEBNN_UNKNOWN_ERROR;
    strcpy(r->before.message, "the first cause");
  }
  *error = r->before;
  return r->calls % 8 == 0 ? NULL : error;
}

static bool is_as_before(const run *r, const webnn_error *error) {
  return error->status == r->before.status &&
         memcmp(error->message, r->before.message, sizeof error->message) == 0;
}

/* A failure has made nothing and says why, unless an earlier one has; a success says nothing. */
static bool check(run *r, const char *what, webnn_status status, const webnn_error *error,
                  bool made) {
  if (status < WEBNN_OK || status > WEBNN_UNKNOWN_ERROR)
    stop(what, "a status that is none");
  if (made != (status == WEBNN_OK))
    stop(what, made ? "made, and failed" : "not made, and succeeded");
  if (error && status == WEBNN_OK && !is_as_before(r, error))
    stop(what, "a success has written to the error");
  if (error && status != WEBNN_OK && (r->before.status == WEBNN_OK || !is_as_before(r, error))) {
    if (error->status != status)
      stop(what, "the status is not that of the error");
    if (!memchr(error->message, 0, sizeof error->message))
      stop(what, "a message without an end");
    if (error->message[0] == 0)
      stop(what, "no message");
  }
  record(r, what, (int)status, error && status != WEBNN_OK ? error->message : "");
  return status == WEBNN_OK;
}

static bool check_status(run *r, const char *what, webnn_status status, const webnn_error *error) {
  return check(r, what, status, error, status == WEBNN_OK);
}

/* ---- Numbers, lists, descriptors --------------------------------------------------------------
 */

static uint32_t take_u32(run *r) {
  static const uint32_t large[] = {255,        256,        4096,       65535,
                                   2147483647, 2147483648, 4294967295, 4294967294};
  const uint8_t b = take_byte(r);
  return b < 0xF0 ? b % 9u : large[b % 8];
}

static int take_enumerator(run *r) {
  static const int odd[] = {-1, 7, 11, 100, 2147483647, -2147483647 - 1, 256, 4};
  const uint8_t b = take_byte(r);
  return b < 0xF0 ? b % 5 : odd[b % 8];
}

static webnn_data_type take_type(run *r) {
  const uint8_t b = take_byte(r);
  return b < 0xF8 ? (webnn_data_type)(WEBNN_FLOAT32 + b % 10) : (webnn_data_type)(b % 8 * 11 - 11);
}

static double take_double(run *r) {
  static const double values[] = {0, 1,    -1,   0.5,   -0.0,      2,        1e-5,  3.75,
                                  7, -100, 1e38, -1e39, 1.797e308, 4.9e-324, 65504, 1e-45};
  const uint8_t b = take_byte(r);
  switch (b >> 4) {
  case 15:
    return strtod("nan", NULL);
  case 14:
    return strtod(b % 2 ? "inf" : "-inf", NULL);
  default:
    return values[b % 16];
  }
}

static webnn_number take_number(run *r) {
  static const uint64_t large[] = {UINT64_MAX,
                                   UINT64_C(1) << 63,
                                   UINT64_C(1) << 53,
                                   UINT32_MAX,
                                   UINT64_C(1) << 32,
                                   UINT64_C(1) << 31,
                                   1000,
                                   128};
  const uint8_t b = take_byte(r);
  webnn_number number = WEBNN_ZERO;
  if (b < 0x80)
    return webnn_u64(b % 6u);
  if (b < 0xC0)
    return webnn_f64(take_double(r));
  if (b < 0xE0)
    return webnn_i64((int64_t)large[b % 8]);
  if (b < 0xF8)
    return webnn_u64(large[b % 8]);
  number.kind = (webnn_number_kind)(b % 8 * 5);
  return number;
}

/* The list that fits, or another: not given but not empty, too long, of any numbers. */
static webnn_list take_list(run *r, webnn_list fitting) {
  const uint8_t b = take_byte(r);
  webnn_list list = WEBNN_ZERO;
  if (b == 0 || b >= 0xC0)
    return fitting;
  list.given = b != 1;
  list.count = b == 1 ? 3u : b == 2 ? 8193u : b % 10u;
  for (uint32_t i = 0; b == 2 && i < WEBNN_MAX_RANK; i++)
    list.items[i] = 1;
  for (uint32_t i = 0; b > 2 && i < list.count; i++) {
    const uint32_t item = take_u32(r);
    if (i < WEBNN_MAX_RANK)
      list.items[i] = item;
  }
  return list;
}

/* Has the shape dynamic dimensions, or is it not known? */
static bool is_open(webnn_list shape) {
  bool open = !shape.given;
  for (uint32_t i = 0; i < shape.count && i < WEBNN_MAX_RANK; i++)
    open = open || shape.items[i] >= WEBNN_DYNAMIC_DIMENSION;
  return open;
}

/* The shape with sizes from 1 to 3 in place of dynamic dimensions, equal ones for equal names. */
static webnn_list sized(webnn_list shape, size_t n) {
  if (!shape.given)
    return WEBNN_EMPTY_LIST;
  for (uint32_t i = 0; i < shape.count && i < WEBNN_MAX_RANK; i++)
    if (shape.items[i] >= WEBNN_DYNAMIC_DIMENSION)
      shape.items[i] = 1 + (uint32_t)((shape.items[i] + n) % 3);
  return shape;
}

static webnn_operand_descriptor take_descriptor(run *r) {
  webnn_operand_descriptor descriptor;
  descriptor.data_type = take_type(r);
  descriptor.shape = take_list(r, WEBNN_LIST(2, 3));
  return descriptor;
}

static const char *take_label(run *r) {
  static const char *const labels[] = {NULL,
                                       "a \"label\"\n",
                                       "",
                                       "\xE2\x80\xAE right to left",
                                       "\xFF\xC0 no UTF-8",
                                       "%s%n",
                                       "\x1B[31m\x7F",
                                       "\xF0\x9F",
                                       "\xC3\xA9"};
  const uint8_t b = take_byte(r);
  char *longest;
  if (b < 0xF0)
    return labels[b % (sizeof labels / sizeof *labels)];
  longest = (char *)scratch(r, 701);
  memset(longest, b % 2 ? 'x' : 0xE2, 700);
  return longest;
}

/* Bytes to read, a multiple of 8 behind an address that is aligned, or 1 behind that. */
static const uint8_t *take_data(run *r) {
  enum { KINDS = 4, BYTES = MOST_MEMORY };
  static uint64_t data[KINDS][BYTES / 8 + 2];
  static bool ready;
  const uint8_t b = take_byte(r);
  pthread_mutex_lock(&r->common->mutex);
  for (size_t i = 0; !ready && i < BYTES / 8 + 2; i++) {
    data[0][i] = 0;
    data[1][i] = UINT64_C(0x3C00400034003800) ^ i % 5 << 24;
    data[2][i] = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    data[3][i] = i % 3 ? UINT64_MAX : UINT64_C(0x7F80000000007C01);
  }
  ready = true;
  pthread_mutex_unlock(&r->common->mutex);
  return (const uint8_t *)data[(b + 1) % KINDS] + (b & 4 ? 1 : 0) + (b & 8 ? 8 : 0);
}

/* The byte length of what a descriptor describes, sometimes a wrong one, and never more than there
   is to read. */
static size_t take_length(run *r, webnn_operand_descriptor descriptor) {
  const uint64_t right = webnn_byte_length(descriptor);
  const uint8_t b = take_byte(r);
  const size_t length = right <= MOST_MEMORY ? (size_t)right : 0;
  return b < 0xF0 ? length : b < 0xF8 && length > 0 ? length - 1 : b == 0xFF ? 0 : length + 1;
}

/* ---- Slots ------------------------------------------------------------------------------------
 */

static void drop_builder(builder_slot *slot) {
  if (slot->owned)
    webnn_free_builder(slot->builder);
  memset(slot, 0, sizeof *slot);
}
static void drop_graph(graph_slot *slot) {
  if (slot->owned)
    webnn_free_graph(slot->graph);
  memset(slot, 0, sizeof *slot);
}
static void drop_tensor(tensor_slot *slot) {
  if (slot->owned) {
    webnn_free_tensor(slot->tensor);
    free(slot->memory);
  }
  memset(slot, 0, sizeof *slot);
}
static void drop_context(context_slot *slot) {
  if (slot->owned)
    webnn_free_context(slot->context);
  memset(slot, 0, sizeof *slot);
}

static builder_slot *take_builder(run *r) {
  return &r->builders[take_byte(r) % BUILDERS];
}
static webnn_context *take_context(run *r) {
  return r->contexts[take_byte(r) % CONTEXTS].context;
}
static graph_slot *take_graph(run *r) {
  return &r->graphs[take_byte(r) % GRAPHS];
}
static tensor_slot *take_tensor(run *r) {
  return &r->tensors[take_byte(r) % TENSORS];
}
static tensor_slot *new_tensor(run *r) {
  tensor_slot *slot = &r->tensors[r->next_tensor++ % TENSORS];
  drop_tensor(slot);
  return slot;
}

/* ---- Contexts ---------------------------------------------------------------------------------
 */

static void *heap_allocate(void *user, size_t size) {
  heap *h = (heap *)user;
  void *memory = NULL;
  pthread_mutex_lock(&h->mutex);
  if (size > MOST_MEMORY || h->left == 0) {
    h->refused = true;
  } else {
    h->left--;
    memory = malloc(size);
    h->pieces += memory != NULL;
  }
  pthread_mutex_unlock(&h->mutex);
  return memory;
}

static void heap_release(void *user, void *memory) {
  heap *h = (heap *)user;
  pthread_mutex_lock(&h->mutex);
  h->pieces -= memory != NULL;
  pthread_mutex_unlock(&h->mutex);
  free(memory);
}

static heap *new_heap(run *r, size_t pieces) {
  heap *h = (heap *)calloc(1, sizeof *h);
  if (!h)
    stop("no memory", "");
  pthread_mutex_init(&h->mutex, NULL);
  h->left = pieces;
  pthread_mutex_lock(&r->common->mutex);
  h->next = r->common->heaps;
  r->common->heaps = h;
  pthread_mutex_unlock(&r->common->mutex);
  return h;
}

static void check_heaps(common *c) {
  while (c->heaps) {
    heap *next = c->heaps->next;
    if (c->heaps->pieces > 0)
      stop("allocator", "what was allocated has not been released");
    pthread_mutex_destroy(&c->heaps->mutex);
    free(c->heaps);
    c->heaps = next;
  }
}

/* Where memory was refused the two runs need not have needed it for the same. */
static void look_at_heaps(run *r) {
  bool refused = false;
  heap *h;
  pthread_mutex_lock(&r->common->mutex);
  h = r->common->heaps;
  pthread_mutex_unlock(&r->common->mutex);
  for (; h; h = h->next) {
    pthread_mutex_lock(&h->mutex);
    refused = refused || h->refused;
    pthread_mutex_unlock(&h->mutex);
  }
  if (refused)
    incomparable(r);
}

static void backwards(void *user, size_t count, webnn_task task, void *data) {
  (void)user;
  while (count > 0)
    task(data, --count);
}

/* Reads all of it, for sanitizers to see. */
static void look_at_bytes(const void *data, size_t size) {
  const volatile uint8_t *bytes_of = (const volatile uint8_t *)data;
  for (size_t i = 0; i < size; i++)
    (void)bytes_of[i];
}

static void packed(void *user, const void *data, size_t size) {
  (void)user;
  look_at_bytes(data, size);
}

static void odd_option(run *r, webnn_context_options *options) {
  const int odd = take_enumerator(r);
  switch (take_byte(r) % 6) {
  case 0:
    memcpy(&options->power_preference, &odd, sizeof odd);
    break;
  case 1:
    options->not_accelerated = odd % 2 != 0;
    break;
  case 2:
    memcpy(&options->numerics, &odd, sizeof odd);
    incomparable(r);
    break;
  case 3:
    memcpy(&options->instruction_set, &odd, sizeof odd);
    break;
  case 4:
    options->allocator.release = NULL;
    break;
  default:
    options->allocator.allocate = NULL;
  }
}

static void odd_arithmetic(run *r, webnn_arithmetic *arithmetic) {
  int members[3];
  for (size_t i = 0; i < 3; i++)
    members[i] = take_enumerator(r);
  memcpy(&arithmetic->accumulate, &members[0], sizeof(int));
  memcpy(&arithmetic->order, &members[1], sizeof(int));
  memcpy(&arithmetic->round_intermediates, &members[2], sizeof(int));
  arithmetic->block_size = take_u32(r);
  arithmetic->flush_subnormals = take_byte(r) % 2;
  incomparable(r); /* only reference contexts take it */
}

/* Each bit of a byte changes one option; 0 is a usual context. */
static void new_context(run *r) {
  static const uint64_t lengths[] = {64, 0, 1, 4096, UINT64_MAX, 65536, 0, 128};
  context_slot *slot = &r->contexts[take_byte(r) % CONTEXTS];
  const uint8_t bits = take_byte(r);
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error, *given;
  webnn_status status;
  options.numerics = r->numerics;
  options.threads = 1;
  options.max_tensor_byte_length = USUAL_BYTES;
  options.constant_packed = packed;
  options.allocator.allocate = heap_allocate;
  options.allocator.release = heap_release;
  if (bits & 1)
    options.threads = take_byte(r) % 4;
  if (bits & 2)
    options.parallel_for = backwards;
  if (bits & 4)
    options.instruction_set = (webnn_instruction_set)(take_byte(r) % 9);
  if (bits & 8)
    options.disabled_passes = take_u32(r) * 0x01010101u;
  if (bits & 16)
    odd_arithmetic(r, &options.arithmetic);
  if (bits & 32)
    options.max_tensor_byte_length = lengths[take_byte(r) % 8];
  options.allocator.user = new_heap(r, bits & 64 ? (size_t)take_byte(r) + take_byte(r) : SIZE_MAX);
  if (bits & 64)
    incomparable(r);
  if (bits & 128)
    odd_option(r, &options);
  if (!options.allocator.allocate && !options.allocator.release)
    options.max_tensor_byte_length = USUAL_BYTES;
  drop_context(slot);
  slot->context = (webnn_context *)(void *)&error; /* what a failure has to replace */
  given = error_of(r, &error);
  status = webnn_create_context(&options, &slot->context, given);
  look_at_heaps(r);
  check(r, "createContext", status, given, slot->context != NULL);
  slot->owned = slot->context != NULL;
  slot->usual = options.max_tensor_byte_length == USUAL_BYTES;
}

static void look_at_context(run *r) {
  webnn_context *context = take_context(r);
  webnn_error error, *given = error_of(r, &error);
  webnn_operator_limits limits;
  webnn_limits whole;
  const bool lost = webnn_context_lost(context, given);
  webnn_context_lost(context, NULL);
  if (given && !lost && !is_as_before(r, given))
    stop("lost", "it is not, and says why");
  if (webnn_context_limits(context, &whole) != (context != NULL))
    stop("opSupportLimits", "none, or those of no context");
  for (int i = -1; i <= WEBNN_OP_COUNT; i++) {
    const bool found = webnn_op_limits(context, (webnn_op)i, &limits);
    if (found != (context != NULL && i >= 0 && i < WEBNN_OP_COUNT))
      stop("opSupportLimits", "no operator, or one too many");
    if (found ? limits.operand_count < 2 || limits.operand_count > WEBNN_MAX_OPERANDS
              : limits.operand_count != 0)
      stop("opSupportLimits", "an operator without operands");
  }
  record(r, "lost", lost, "");
  if (webnn_context_accelerated(context))
    stop("accelerated", "the CPU is");
  webnn_context_limits(context, NULL);
}

/* ---- Operands ---------------------------------------------------------------------------------
 */

/* Shapes that fit together, of the inputs as opSupportLimits lists them, and numbers that fit them.
   A letter is the same dimension wherever it stands, a digit before it a factor. */
static const struct {
  const char *method, *shapes, *numbers;
} fitting[] = {{"batchNormalization", "n c w;c;c;c;c", ""},
               {"conv2d", "n c 2h 2w;o c h w;o", ""},
               {"convTranspose2d", "n c h w;c o k l;o", ""},
               {"dequantizeLinear", "n 2c;n c;n c", ""},
               {"quantizeLinear", "n 3c;n c;n c", ""},
               {"gather", "n c;m l", ""},
               {"gatherElements", "n c;m c", ""},
               {"gatherND", "n c w;m l 2", ""},
               {"gemm", "m k;k n;m n", ""},
               {"gru", "s b i;1 3h i;1 3h h;1 3h;1 3h;1 b h", "s h"},
               {"gruCell", "b i;3h i;3h h;b h;3h;3h", "h"},
               {"instanceNormalization", "n c h w;c;c", ""},
               {"layerNormalization", "n c w;c w;c w", ""},
               {"lstm", "s b i;1 4h i;1 4h h;1 4h;1 4h;1 3h;1 b h;1 b h", "s h"},
               {"lstmCell", "b i;4h i;4h h;b h;b h;4h;4h;3h", "h"},
               {"matmul", "n m k;k l", ""},
               {"averagePool2d", "n c h w", ""},
               {"l2Pool2d", "n c h w", ""},
               {"maxPool2d", "n c h w", ""},
               {"resample2d", "n c h w", ""},
               {"scatterElements", "n c;m c;m c", ""},
               {"scatterND", "n c w;m 1;m c w", ""},
               {"squeeze", "n 1 c", ""},
               {"resample2dDynamic", "n c h w", ""},
               {NULL, "n c", ""}};

/* A list of operands, one argument of `many`. */
typedef struct operand_list {
  webnn_operand *const *items;
  size_t count;
} operand_list;

/* A call that is being put together. */
typedef struct method_call {
  int index;
  const char *name;
  const webnn_operator_limits *limits; /* NULL for helpers */
  uint8_t size;                        /* what the letters of `fitting` are */
  webnn_operand *made[16];             /* the operands so far */
  size_t made_count;
  builder_slot *slot;
  /* The arguments, each at its place. */
  webnn_operand *operands[8];
  uint32_t numbers[8];
  webnn_list lists[8];
  operand_list many[8];
  webnn_data_type types[8];
  const void *options;
  webnn_operand **outputs;
  size_t room, count;
} method_call;

static webnn_operator_limits support[WEBNN_OP_COUNT];

/* 2 or 3, or with another size what happens to come of it. */
static uint32_t letter(const method_call *c, char name) {
  const uint32_t mixed = (c->size * 2654435761u) ^ ((uint32_t)name * 2246822519u);
  const uint32_t some = mixed >> 24, range = c->size >= 0xE0 ? 17 : 5;
  return c->size == 0 ? 2 + (uint32_t)name % 2 : 1 + some % range;
}

/* The numbers of one part of a text of `fitting`; at most 8. */
static size_t fitting_numbers(const method_call *c, const char *text, uint32_t *numbers) {
  size_t count = 0;
  while (*text && *text != ';') {
    uint32_t number = 1;
    for (; *text && *text != ';' && *text != ' '; text++)
      number *= *text <= '9' ? (uint32_t)(*text - '0') : letter(c, *text);
    numbers[count++] = number;
    text += *text == ' ';
  }
  return count;
}

static size_t fitting_row(const method_call *c) {
  size_t row = 0;
  while (fitting[row].method && strcmp(fitting[row].method, c->name) != 0)
    row++;
  return row;
}

static size_t fitting_shape(const method_call *c, size_t operand, uint32_t *shape) {
  const char *text = fitting[fitting_row(c)].shapes;
  while (operand-- > 0 && strchr(text, ';'))
    text = strchr(text, ';') + 1;
  return fitting_numbers(c, text, shape);
}

/* The n-th number among the arguments, or 0. */
static uint32_t fitting_number(const method_call *c, size_t n) {
  uint32_t numbers[8];
  return fitting_numbers(c, fitting[fitting_row(c)].numbers, numbers) > n ? numbers[n] : 0;
}

/* Does this input hold sizes in place of a list, or the numbers of a range? */
static bool holds_sizes(const method_call *c, size_t input) {
  const size_t length = strlen(c->name);
  return strcmp(c->name, "range") == 0 ||
         (input > 0 && length > 7 && strcmp(c->name + length - 7, "Dynamic") == 0);
}

/* The types that the method takes for this input. opSupportLimits does not list the draft's. */
static uint32_t allowed_types(const method_call *c, size_t input) {
  return c->limits && input < c->limits->operand_count ? c->limits->operands[input].data_types
         : holds_sizes(c, input) || strncmp(c->name, "modulus", 7) == 0
             ? 1u << WEBNN_INT32 | 1u << WEBNN_UINT32 | 1u << WEBNN_INT64
             : 1u << WEBNN_FLOAT32;
}

/* One that an earlier operand has, or the n-th. */
static webnn_data_type fitting_type(const method_call *c, size_t input, uint8_t b) {
  const uint32_t allowed = allowed_types(c, input);
  uint32_t type = WEBNN_FLOAT32;
  for (size_t i = 0; i < c->made_count && (b >> 3 & 3) < 3; i++) {
    const size_t k = (b >> 3 & 3) == 2 ? c->made_count - 1 - i : i;
    const webnn_data_type made = webnn_operand_data_type(c->made[k]);
    if (made && allowed >> made & 1)
      return made;
  }
  for (uint32_t skip = b & 7u, tries = 0; tries < 200; tries++, type = type % 10 + 1)
    if (allowed >> type & 1 && skip-- == 0)
      break;
  return (webnn_data_type)type;
}

static void add_operand(builder_slot *slot, webnn_operand *operand, int method) {
  if (operand) {
    operand_slot *to = &slot->operands[slot->count++ % OPERANDS];
    to->operand = operand;
    to->method = method;
  }
}

static webnn_operand *operand_at(const builder_slot *slot, size_t index) {
  const size_t count = slot->count < OPERANDS ? slot->count : (size_t)OPERANDS;
  return count > 0 ? slot->operands[index % count].operand : NULL;
}

/* An operand that the builder has of this type and shape. */
static webnn_operand *same_operand(const builder_slot *slot, webnn_operand_descriptor descriptor) {
  for (size_t i = 0; i < slot->count && i < OPERANDS; i++) {
    webnn_operand *operand = slot->operands[i].operand;
    if (webnn_operand_data_type(operand) == descriptor.data_type &&
        test_same_list(webnn_operand_shape(operand), descriptor.shape))
      return operand;
  }
  return NULL;
}

/* A dimension of the shape, or each, is dynamic. */
static webnn_operand_descriptor opened(webnn_builder *builder, webnn_operand_descriptor given,
                                       uint8_t b) {
  static const char *const names[] = {"n", "m", "\xFF", "a \"name\"\n"};
  for (uint32_t i = 0; i < given.shape.count && i < WEBNN_MAX_RANK; i++)
    if (b & 8 || i == b % given.shape.count)
      given.shape.items[i] =
          b & 16 ? WEBNN_DYNAMIC_DIMENSION : webnn_dynamic_dimension(builder, names[(b >> 1) % 4]);
  return given;
}

/* An input, a constant, one over memory, or an operand that there is. With the highest bit: an
   input with dynamic dimensions. */
static webnn_operand *fitting_operand(run *r, method_call *c, size_t input, uint8_t b) {
  uint32_t shape[8];
  webnn_operand_descriptor descriptor;
  webnn_operand *operand = NULL;
  char name[20];
  const size_t rank = fitting_shape(c, input, shape);
  descriptor.data_type = fitting_type(c, input, b);
  descriptor.shape = webnn_list_of(shape, rank);
  switch (b & 0x80 ? 0 : b >> 5) {
  case 0:
    break;
  case 1:
    operand = webnn_constant(c->slot->builder, descriptor, take_data(r),
                             (size_t)webnn_byte_length(descriptor));
    break;
  case 2:
    operand = webnn_constant_over_memory(c->slot->builder, descriptor, take_data(r),
                                         (size_t)webnn_byte_length(descriptor));
    break;
  default:
    return same_operand(c->slot, descriptor);
  }
  if (b & 0x80 || b >> 5 == 0) {
    snprintf(name, sizeof name, "i%u", (unsigned)c->slot->names++);
    if (b & 0x80)
      descriptor = opened(c->slot->builder, descriptor, (uint8_t)(b << 2 | (b == 0xFD) << 3));
    operand = webnn_input(c->slot->builder, name, descriptor);
  }
  add_operand(c->slot, operand, -1);
  return operand;
}

/* Does the operand hold where a part begins, or how much is put before and behind? */
static bool begins_at(const method_call *c, size_t input) {
  return (strcmp(c->name, "sliceDynamic") == 0 && input == 1) || strcmp(c->name, "padDynamic") == 0;
}

/* What fits an operand of sizes: those of the first operand, 0 where something begins or is padded,
   1 where it is repeated. Returns how many. */
static uint32_t fitting_sizes(const method_call *c, size_t input, uint32_t *sizes) {
  const webnn_list shape = webnn_operand_shape(c->made_count > 0 ? c->made[0] : NULL);
  const bool begins = begins_at(c, input);
  const uint32_t first = strcmp(c->name, "resample2dDynamic") == 0 && shape.count == 4 ? 2 : 0;
  for (uint32_t i = first; i < shape.count && i < WEBNN_MAX_RANK; i++)
    sizes[i - first] =
        begins ? 0
        : strcmp(c->name, "tileDynamic") == 0 || shape.items[i] >= WEBNN_DYNAMIC_DIMENSION
            ? 1
            : shape.items[i];
  return shape.count == 0 || strcmp(c->name, "splitDynamic") == 0 ? 1 : shape.count - first;
}

static webnn_operand *constant_sizes(const method_call *c, const uint32_t *sizes, uint32_t count,
                                     bool scalar, uint8_t b) {
  static const webnn_data_type types[] = {WEBNN_UINT32, WEBNN_INT64, WEBNN_INT32, WEBNN_UINT64};
  webnn_operand_descriptor descriptor;
  uint64_t wide[WEBNN_MAX_RANK] = {0};
  uint32_t narrow[WEBNN_MAX_RANK] = {0};
  const bool is_wide = b & 1;
  for (uint32_t i = 0; i < count; i++)
    wide[i] = narrow[i] = sizes[i] + (b & 4 && i == 0) - (b & 8 && i == 1);
  descriptor.data_type = types[b & 3];
  descriptor.shape = scalar ? WEBNN_EMPTY_LIST : webnn_list_of(&count, 1);
  return webnn_constant(c->slot->builder, descriptor,
                        is_wide ? (const void *)wide : (const void *)narrow,
                        count * (is_wide ? sizeof *wide : sizeof *narrow));
}

/* The sizes of an operand that has some, as elements. */
static webnn_operand *shape_of_any(const builder_slot *slot, uint8_t b) {
  const size_t count = slot->count < OPERANDS ? slot->count : (size_t)OPERANDS;
  webnn_operand *of = NULL;
  for (size_t i = 0; i < count; i++) {
    of = operand_at(slot, b + i);
    if (webnn_operand_shape(of).count > 0)
      break;
  }
  return webnn_shape(slot->builder, of, NULL);
}

/* One of these as a scalar. */
static webnn_operand *size_of_any(const builder_slot *slot, uint8_t b) {
  webnn_operand *shape = shape_of_any(slot, b);
  const webnn_list rank = webnn_operand_shape(shape);
  webnn_operand *one =
      webnn_slice(slot->builder, shape, WEBNN_LIST(rank.count > 0 ? b % rank.items[0] : 0),
                  WEBNN_LIST(1), NULL);
  return webnn_reshape(slot->builder, one, WEBNN_EMPTY_LIST, NULL);
}

/* What fits as arithmetic with the first operand's sizes. */
static webnn_operand *sizes_of_operand(const method_call *c, size_t input, const uint32_t *sizes,
                                       uint32_t count, uint8_t b) {
  webnn_builder *builder = c->slot->builder;
  webnn_operand *shape = webnn_shape(builder, c->made[0], NULL);
  const webnn_list rank = webnn_operand_shape(shape);
  if (rank.count == 1 && rank.items[0] > count)
    shape = webnn_slice(builder, shape, WEBNN_LIST(rank.items[0] - count), WEBNN_LIST(count), NULL);
  if (begins_at(c, input))
    return webnn_sub(builder, shape, shape, NULL);
  if (strcmp(c->name, "tileDynamic") == 0)
    return webnn_div(builder, shape, shape, NULL);
  switch (b % 4) {
  case 0:
    return shape;
  case 1: /* the same */
    return webnn_div(builder, webnn_mul(builder, shape, shape, NULL), shape, NULL);
  case 2: /* what is known where it is, else a part of what comes */
    return webnn_max(builder, constant_sizes(c, sizes, count, false, 0),
                     webnn_modulus_floor(builder, shape, shape, NULL), NULL);
  default:
    return webnn_min(builder, shape, constant_sizes(c, sizes, count, false, 0), NULL);
  }
}

/* A constant, what is made of sizes, or an input, whose data no size may depend on. */
static webnn_operand *sizes_operand(run *r, method_call *c, size_t input, uint8_t b) {
  uint32_t sizes[WEBNN_MAX_RANK] = {0};
  uint32_t count = 1;
  const bool scalar = strcmp(c->name, "range") == 0;
  webnn_operand *operand;
  if (scalar)
    sizes[0] = input == 0 ? 0 : input == 1 ? 2 + c->size % 7u : 1;
  else
    count = fitting_sizes(c, input, sizes);
  operand = b >> 5 == 3        ? fitting_operand(r, c, input, 0)
            : b >> 5 && scalar ? size_of_any(c->slot, b)
            : b >> 5           ? sizes_of_operand(c, input, sizes, count, b)
                               : constant_sizes(c, sizes, count, scalar, b);
  add_operand(c->slot, operand, -1);
  return operand;
}

static webnn_operand *take_operand(run *r, method_call *c, size_t input) {
  const uint8_t b = take_byte(r);
  webnn_operand *operand = NULL;
  if (b < 0x80 && holds_sizes(c, input))
    operand = sizes_operand(r, c, input, b);
  else if (b < 0x80)
    operand = fitting_operand(r, c, input, b);
  else if (b < 0xF0)
    operand = operand_at(c->slot, b - 0x80u);
  else if (b < 0xF6)
    operand = operand_at(&r->builders[b % BUILDERS], b);
  else if (b < 0xFE && b != 0xF7)
    operand = fitting_operand(r, c, input, b);
  if (c->made_count < sizeof c->made / sizeof *c->made)
    c->made[c->made_count++] = operand;
  return operand;
}

static operand_list take_operands(run *r, method_call *c) {
  const uint8_t b = take_byte(r);
  const size_t count = b == 0xFE ? 8193 : b == 0xFF ? 0 : b % 5u + 1;
  webnn_operand **items = (webnn_operand **)scratch(r, count * sizeof *items);
  const operand_list list = {b == 0xFD ? NULL : items, count};
  for (size_t i = 0; i < count; i++)
    items[i] = i < 5 ? take_operand(r, c, 0) : items[0];
  return list;
}

/* ---- Options ----------------------------------------------------------------------------------
 */

/* Which input the operand of an option is. */
static size_t input_named(const method_call *c, const char *name) {
  size_t i = 0;
  while (c->limits && i + 1 < c->limits->operand_count &&
         strcmp(c->limits->operands[i].name, name) != 0)
    i++;
  return i;
}

static webnn_float_list take_floats(run *r) {
  const uint8_t b = take_byte(r);
  webnn_float_list list = WEBNN_ZERO;
  list.given = b < 0xFC;
  list.count = b % 5u;
  for (uint32_t i = 0; i < list.count; i++) {
    const double value = take_double(r);
    list.items[i] = value > 1e38 || value < -1e38 ? 1e38f : (float)value;
  }
  return list;
}

static webnn_activation_list take_activations(run *r) {
  const uint8_t b = take_byte(r);
  webnn_activation_list list = WEBNN_ZERO;
  list.given = b < 0xFC;
  list.count = b % 5u;
  for (uint32_t i = 0; i < list.count; i++) {
    const int odd = take_enumerator(r), item = odd < 5 && odd > 2 ? odd - 3 : odd;
    memcpy(&list.items[i], &item, sizeof item);
  }
  return list;
}

#define STORE(type, value)                                                                         \
  do {                                                                                             \
    const type stored = (value);                                                                   \
    memcpy(to, &stored, sizeof stored);                                                            \
  } while (0)

static void take_member(run *r, method_call *c, const call_member *member, char *to) {
  const webnn_list none = WEBNN_ZERO;
  switch (member->kind) {
  case CALL_LABEL:
    STORE(char *, (char *)(size_t)take_label(r));
    break;
  case CALL_NUMBER:
    STORE(webnn_number, take_number(r));
    break;
  case CALL_OPERAND:
    STORE(webnn_operand *, take_operand(r, c, input_named(c, member->name)));
    break;
  case CALL_LIST:
    STORE(webnn_list, take_list(r, none));
    break;
  case CALL_FLOAT_LIST:
    STORE(webnn_float_list, take_floats(r));
    break;
  case CALL_ACTIVATIONS:
    STORE(webnn_activation_list, take_activations(r));
    break;
  case CALL_BOOL:
  case CALL_NOT:
    STORE(bool, take_byte(r) % 2 == 1);
    break;
  case CALL_U32:
  case CALL_GROUPS:
    STORE(uint32_t, take_u32(r));
    break;
  case CALL_I32:
    STORE(int32_t, (int32_t)take_u32(r));
    break;
  default:
    STORE(int, take_enumerator(r));
  }
}

/* 0: none; else a byte for each member says whether it is given. */
static void take_options(run *r, method_call *c, const call_member *members) {
  const uint8_t b = take_byte(r);
  char *options;
  if (b == 0)
    return;
  options = (char *)scratch(r, sizeof(call_options));
  c->options = options;
  for (size_t i = 0; b > 1 && members[i].name; i++)
    if (take_byte(r) % 2)
      take_member(r, c, &members[i], options + members[i].offset);
}

/* ---- Methods: the table of call_by_name.h, with other ways to take the arguments --------------
 */

typedef enum argument_kind { NOTHING, OPERAND, MANY, NUMBER, LIST, TYPE } argument_kind;

typedef struct method {
  const char *name;
  void (*function)(method_call *c, webnn_builder *builder);
  argument_kind arguments[8];
} method;

static webnn_operand **new_outputs(method_call *c, size_t room) {
  c->room = room;
  c->outputs = (webnn_operand **)malloc(room > 0 ? room * sizeof *c->outputs : 1);
  if (!c->outputs)
    stop("no memory", "");
  for (size_t i = 0; i < room; i++)
    c->outputs[i] = call_unset();
  return c->outputs;
}

#undef call_operands_at
#define call_operand_at(c, i) c->operands[i]
#define call_operands_at(c, i) c->many[i].items, c->many[i].count
#define call_u32_at(c, i) c->numbers[i]
#define call_list_at(c, i) c->lists[i]
#define call_data_type_at(c, i) c->types[i]

#define METHOD_FUNCTION(name, c_name, options_name, ...)                                           \
  static void method_##c_name(method_call *c, webnn_builder *builder) {                            \
    webnn_operand **output = new_outputs(c, 1);                                                    \
    *output =                                                                                      \
        webnn_##c_name(builder, __VA_ARGS__, (const webnn_##options_name##_options *)c->options);  \
    c->count = *output != NULL;                                                                    \
  }
CALL_METHODS(METHOD_FUNCTION)
METHOD_FUNCTION("squeeze", squeeze, operator, CALL_A, call_list_at(c, 1))
METHOD_FUNCTION("unsqueeze", unsqueeze, operator, CALL_A, call_list_at(c, 1))
METHOD_FUNCTION("flatten", flatten, operator, CALL_A, call_u32_at(c, 1))
METHOD_FUNCTION("shape", shape, operator, CALL_A)
METHOD_FUNCTION("range", range, operator, CALL_ABC)
METHOD_FUNCTION("modulusFloor", modulus_floor, operator, CALL_AB)
METHOD_FUNCTION("modulusTruncate", modulus_truncate, operator, CALL_AB)
METHOD_FUNCTION("reshapeDynamic", reshape_dynamic, operator, CALL_AB)
METHOD_FUNCTION("expandDynamic", expand_dynamic, operator, CALL_AB)
METHOD_FUNCTION("sliceDynamic", slice_dynamic, slice, CALL_ABC)
METHOD_FUNCTION("padDynamic", pad_dynamic, pad, CALL_ABC)
METHOD_FUNCTION("tileDynamic", tile_dynamic, operator, CALL_AB)
METHOD_FUNCTION("resample2dDynamic", resample2d_dynamic, resample2d, CALL_AB)

static void method_gru(method_call *c, webnn_builder *builder) {
  const webnn_gru_options *o = (const webnn_gru_options *)c->options;
  c->count = webnn_gru(builder, CALL_ABC, call_u32_at(c, 3), call_u32_at(c, 4), o,
                       new_outputs(c, o && o->return_sequence ? 2 : 1));
}
static void method_lstm(method_call *c, webnn_builder *builder) {
  const webnn_lstm_options *o = (const webnn_lstm_options *)c->options;
  c->count = webnn_lstm(builder, CALL_ABC, call_u32_at(c, 3), call_u32_at(c, 4), o,
                        new_outputs(c, o && o->return_sequence ? 3 : 2));
}
static void method_lstm_cell(method_call *c, webnn_builder *builder) {
  c->count = webnn_lstm_cell(builder, CALL_ABCD, call_operand_at(c, 4), call_u32_at(c, 5),
                             (const webnn_lstm_cell_options *)c->options, new_outputs(c, 2));
}
static void method_split(method_call *c, webnn_builder *builder) {
  const uint32_t splits = call_u32_at(c, 1);
  c->count = webnn_split(builder, CALL_A, splits, (const webnn_split_options *)c->options,
                         new_outputs(c, splits > 8192 ? 1 : splits));
}
/* An array of exactly this size, where the list has fewer items with ones behind them. */
static void method_split_sizes(method_call *c, webnn_builder *builder) {
  const webnn_list list = call_list_at(c, 1);
  uint32_t *sizes = (uint32_t *)malloc(list.count > 0 ? list.count * sizeof *sizes : 1);
  if (!sizes)
    stop("no memory", "");
  for (uint32_t i = 0; i < list.count; i++)
    sizes[i] = i < WEBNN_MAX_RANK ? list.items[i] : 1;
  c->count = webnn_split_sizes(builder, CALL_A, list.given ? sizes : NULL, list.count,
                               (const webnn_split_options *)c->options, new_outputs(c, list.count));
  free(sizes);
}

/* As many outputs as the operand has elements, and one where it has none. */
static void method_split_dynamic(method_call *c, webnn_builder *builder) {
  const webnn_list splits = webnn_operand_shape(call_operand_at(c, 1));
  const bool counted = splits.given && splits.count == 1 && splits.items[0] <= 8192;
  c->count = webnn_split_dynamic(builder, CALL_AB, (const webnn_split_options *)c->options,
                                 new_outputs(c, counted ? splits.items[0] : 1));
}

#undef call_operand_at
#undef call_operands_at
#undef call_u32_at
#undef call_list_at
#undef call_data_type_at
#define call_operand_at(c, i) OPERAND
#define call_operands_at(c, i) MANY
#define call_u32_at(c, i) NUMBER
#define call_list_at(c, i) LIST
#define call_data_type_at(c, i) TYPE
#define METHOD_ROW(name, c_name, options, ...) {name, method_##c_name, {__VA_ARGS__}},

static const method methods[METHODS] = {
    CALL_METHODS(METHOD_ROW)                                                 /* one result */
    METHOD_ROW("gru", gru, gru, CALL_ABC, NUMBER, NUMBER)                    /* several */
    METHOD_ROW("lstm", lstm, lstm, CALL_ABC, NUMBER, NUMBER)                 /* */
    METHOD_ROW("lstmCell", lstm_cell, lstm_cell, CALL_ABCD, OPERAND, NUMBER) /* */
    METHOD_ROW("split", split, split, OPERAND, NUMBER)                       /* */
    METHOD_ROW("split", split_sizes, split, OPERAND, LIST)                   /* */
    METHOD_ROW("squeeze", squeeze, operator, OPERAND, LIST)                  /* helpers */
    METHOD_ROW("unsqueeze", unsqueeze, operator, OPERAND, LIST)              /* */
    METHOD_ROW("flatten", flatten, operator, OPERAND, NUMBER)                /* */
    METHOD_ROW("shape", shape, operator, CALL_A)                             /* the draft's */
    METHOD_ROW("range", range, operator, CALL_ABC)                           /* */
    METHOD_ROW("modulusFloor", modulus_floor, operator, CALL_AB)             /* */
    METHOD_ROW("modulusTruncate", modulus_truncate, operator, CALL_AB)       /* */
    METHOD_ROW("reshapeDynamic", reshape_dynamic, operator, CALL_AB)         /* */
    METHOD_ROW("expandDynamic", expand_dynamic, operator, CALL_AB)           /* */
    METHOD_ROW("sliceDynamic", slice_dynamic, slice, CALL_ABC)               /* */
    METHOD_ROW("padDynamic", pad_dynamic, pad, CALL_ABC)                     /* */
    METHOD_ROW("splitDynamic", split_dynamic, split, CALL_AB)                /* */
    METHOD_ROW("tileDynamic", tile_dynamic, operator, CALL_AB)               /* */
    METHOD_ROW("resample2dDynamic", resample2d_dynamic, resample2d, CALL_AB) /* */
};

/* The options of a method; those of the draft have the options of the fixed one. */
static const call_member *members_of(const method *m) {
  const size_t length = strlen(m->name);
  char fixed[32];
  const call_method *described;
  snprintf(fixed, sizeof fixed, "%s", m->name);
  if (length > 7 && strcmp(fixed + length - 7, "Dynamic") == 0)
    fixed[length - 7] = 0;
  described = call_find_method(fixed);
  return described                     ? described->members
         : strcmp(fixed, "split") == 0 ? call_split_members
                                       : call_operator_members;
}

/* A list of an argument that fits the first operand: its shape, or what stands for it. */
static webnn_list fitting_list(const method_call *c, const method *m, size_t argument) {
  const webnn_list shape = webnn_operand_shape(c->operands[0]);
  const bool is_split = strcmp(m->name, "split") == 0;
  webnn_list list = WEBNN_ZERO;
  if (!shape.given || strcmp(m->name, "squeeze") == 0)
    return list;
  list.given = true;
  if (strcmp(m->name, "unsqueeze") == 0 || (is_split && shape.count > 0))
    list.count = 1;
  else if (m->arguments[argument + 1] == LIST) /* starts, beginningPadding */
    list.count = shape.count;
  else
    return shape;
  if (is_split)
    list.items[0] = shape.items[0];
  return list;
}

static void take_arguments(run *r, method_call *c, const method *m) {
  size_t numbers = 0;
  for (size_t i = 0; m->arguments[i] != NOTHING; i++) {
    switch (m->arguments[i]) {
    case OPERAND:
      c->operands[i] = take_operand(r, c, i);
      break;
    case MANY:
      c->many[i] = take_operands(r, c);
      break;
    case NUMBER:
      c->numbers[i] = take_u32(r);
      if (c->numbers[i] == 0)
        c->numbers[i] = fitting_number(c, numbers);
      numbers++;
      break;
    case LIST:
      c->lists[i] = take_list(r, fitting_list(c, m, i));
      break;
    default:
      c->types[i] = take_type(r);
    }
  }
}

static void check_operand(const char *name, const webnn_operand *operand) {
  const webnn_data_type type = webnn_operand_data_type(operand);
  const webnn_list shape = webnn_operand_shape(operand);
  if (operand == call_unset())
    stop(name, "an output that was not set");
  if (webnn_data_type_bits(type) == 0 || shape.count > WEBNN_MAX_RANK)
    stop(name, "a result without type or shape");
  for (size_t i = 0; i < shape.count; i++)
    if (shape.items[i] < 1 ||
        (shape.items[i] > 2147483647 && shape.items[i] < WEBNN_DYNAMIC_DIMENSION))
      stop(name, "a dimension out of range");
}

/* What the builder says after a call that has made something or not. `before` is what it said. */
static void check_builder(run *r, builder_slot *slot, const char *name, bool made,
                          webnn_status before, const char *message) {
  const webnn_status status = webnn_builder_status(slot->builder);
  const char *after = webnn_builder_message(slot->builder);
  record(r, name, made, after);
  if (!slot->builder) {
    if (made)
      stop(name, "made without a builder");
    return;
  }
  if ((status == WEBNN_OK) != (after[0] == 0))
    stop(name, "no message, or one without need");
  if (before != WEBNN_OK && (status != before || strncmp(message, after, 200) != 0))
    stop(name, "the first error has not been kept");
  if (before == WEBNN_OK && made != (status == WEBNN_OK))
    stop(name, made ? "made, and failed" : "not made, and succeeded");
  if (!slot->keeps_errors)
    webnn_builder_clear_error(slot->builder);
}

/* What a builder said before a call. */
typedef struct builder_said {
  webnn_status status;
  char message[201];
} builder_said;

static builder_said said_before(const builder_slot *slot) {
  builder_said said;
  said.status = webnn_builder_status(slot->builder);
  snprintf(said.message, sizeof said.message, "%s", webnn_builder_message(slot->builder));
  return said;
}

static void call_method_of(run *r, size_t index) {
  const method *m = &methods[index];
  method_call *c = (method_call *)scratch(r, sizeof *c);
  builder_said before;
  c->index = (int)index;
  c->name = m->name;
  c->slot = &r->builders[0];
  while (c->slot < &r->builders[BUILDERS - 1] && (!c->slot->builder || c->slot->built))
    c->slot++;
  for (size_t i = 0; i < WEBNN_OP_COUNT; i++)
    if (strcmp(support[i].name, m->name) == 0)
      c->limits = &support[i];
  c->size = take_byte(r);
  take_arguments(r, c, m);
  take_options(r, c, members_of(m));
  if (!c->slot->keeps_errors) /* those of the operands */
    webnn_builder_clear_error(c->slot->builder);
  before = said_before(c->slot);
  m->function(c, c->slot->builder);
  if (c->count != 0 && c->count != c->room)
    stop(m->name, "a number of results that is wrong");
  for (size_t i = 0; i < c->room; i++) {
    if (c->count > 0)
      check_operand(m->name, c->outputs[i]);
    else if (c->outputs[i] != NULL && c->slot->builder)
      stop(m->name, "a result of a call that failed");
    if (c->count > 0)
      add_operand(c->slot, c->outputs[i], c->index);
  }
  free(c->outputs);
  look_at_heaps(r);
  check_builder(r, c->slot, m->name, c->count > 0, before.status, before.message);
}

/* ---- Leaves -----------------------------------------------------------------------------------
 */

static void new_leaf(run *r) {
  static const char *const names[] = {NULL, "", "x", "x", "i0", "\xFF", "a b", "\n"};
  builder_slot *slot = take_builder(r);
  const uint8_t b = take_byte(r);
  const webnn_operand_descriptor zero = WEBNN_ZERO, descriptor = take_descriptor(r);
  const webnn_operand_descriptor given = b == 0xFF ? zero : descriptor;
  const builder_said before = said_before(slot);
  webnn_operand *operand;
  const uint8_t *data = take_data(r);
  const size_t length = take_length(r, descriptor);
  switch (b % 6) {
  case 0:
  case 1:
    operand = webnn_input(slot->builder, names[take_byte(r) % 8],
                          b >= 0x80 && b < 0xF0 ? opened(slot->builder, given, b) : given);
    break;
  case 2:
    operand = webnn_constant(slot->builder, given, b == 0xF2 ? NULL : data, length);
    break;
  case 3:
    operand = webnn_constant_over_memory(slot->builder, given, b == 0xF3 ? NULL : data, length);
    break;
  case 4:
    operand = webnn_constant_from_tensor(slot->builder, take_tensor(r)->tensor);
    break;
  default:
    operand = webnn_constant_from_number(slot->builder, descriptor.data_type, take_number(r));
  }
  if (operand)
    check_operand("leaf", operand);
  add_operand(slot, operand, -1);
  look_at_heaps(r);
  check_builder(r, slot, "leaf", operand != NULL, before.status, before.message);
}

/* An input given away to an output: the first input and the last result that fit, or any two. */
static void donate(run *r) {
  builder_slot *slot = take_builder(r);
  const uint8_t b = take_byte(r), o = take_byte(r);
  const builder_said before = said_before(slot);
  const size_t count = slot->count < OPERANDS ? slot->count : (size_t)OPERANDS;
  webnn_operand *input = b < 0xF0 ? operand_at(slot, b) : NULL, *output = NULL, *made;
  for (size_t i = count; o == 0 && !output && i-- > 0;) {
    webnn_operand *last = slot->operands[i].operand;
    if (slot->operands[i].method >= 0 &&
        webnn_operand_data_type(last) == webnn_operand_data_type(input) &&
        test_same_list(webnn_operand_shape(last), webnn_operand_shape(input)))
      output = last;
  }
  if (o > 0 && o < 0xF0)
    output = operand_at(o % 7 == 6 ? &r->builders[o % BUILDERS] : slot, o);
  made = webnn_donate(slot->builder, input, output);
  if (made && made != output)
    stop("donate", "another operand");
  look_at_heaps(r);
  check_builder(r, slot, "donate", made != NULL, before.status, before.message);
}

/* ---- Builders and graphs ----------------------------------------------------------------------
 */

static void new_builder_in(run *r, builder_slot *slot, size_t context) {
  webnn_error error, *given = error_of(r, &error);
  webnn_status status;
  drop_builder(slot);
  slot->builder = (webnn_builder *)(void *)&error;
  status = webnn_create_builder(r->contexts[context].context, &slot->builder, given);
  slot->owned = slot->builder != NULL;
  slot->context = context;
  look_at_heaps(r);
  check(r, "MLGraphBuilder", status, given, slot->builder != NULL);
}

static void new_builder(run *r) {
  builder_slot *slot = take_builder(r);
  new_builder_in(r, slot, take_byte(r) % CONTEXTS);
}

static void change_builder(run *r) {
  builder_slot *slot = take_builder(r);
  slot->keeps_errors = take_byte(r) % 2 == 1;
  if (!slot->keeps_errors)
    webnn_builder_clear_error(slot->builder);
}

static uint64_t operand_length(const webnn_operand *operand) {
  webnn_operand_descriptor descriptor;
  descriptor.data_type = webnn_operand_data_type(operand);
  descriptor.shape = sized(webnn_operand_shape(operand), 2);
  return webnn_byte_length(descriptor);
}

/* Builds into a graph's slot, which then knows what it computes. */
static graph_slot *build(run *r, builder_slot *slot, graph_slot *to,
                         const webnn_named_operand *outputs, size_t count) {
  webnn_error error, *given = error_of(r, &error);
  webnn_status status;
  drop_graph(to);
  to->graph = (webnn_graph *)(void *)&error;
  status = webnn_build(slot->builder, outputs, count, &to->graph, given);
  to->owned = to->graph != NULL;
  to->context = slot->context;
  look_at_heaps(r);
  if (!check(r, "build", status, given, to->graph != NULL))
    return NULL;
  slot->built = true;
  for (size_t i = 0; i < slot->count && i < OPERANDS; i++) {
    to->bytes += operand_length(slot->operands[i].operand);
    to->dynamic = to->dynamic || is_open(webnn_operand_shape(slot->operands[i].operand));
  }
  if (webnn_graph_outputs(to->graph, NULL, 0) != count)
    stop("build", "another number of outputs");
  return to;
}

static bool is_leaf(const operand_slot *slot) {
  return slot->method < 0;
}

/* All results of a builder, or every fourth, as outputs. */
static graph_slot *build_all(run *r, builder_slot *slot, uint8_t mask) {
  webnn_named_operand *items = (webnn_named_operand *)scratch(r, OPERANDS * sizeof *items);
  char(*names)[8] = (char(*)[8])scratch(r, OPERANDS * sizeof *names);
  size_t count = 0;
  graph_slot *graph = &r->graphs[mask % GRAPHS];
  bool of[METHODS] = {false};
  for (size_t i = 0; i < slot->count && i < OPERANDS; i++) {
    if (is_leaf(&slot->operands[i]) || (mask != 0 && i % 4 != mask % 4u))
      continue;
    snprintf(names[count], sizeof *names, "o%u", (unsigned)i);
    items[count].name = names[count];
    items[count++].operand = slot->operands[i].operand;
    of[slot->operands[i].method] = true;
  }
  graph = count > 0 ? build(r, slot, graph, items, count) : NULL;
  if (graph)
    memcpy(graph->methods, of, sizeof of);
  return graph;
}

static void build_oddly(run *r) {
  static const char *const names[] = {"y", "z", "w", "y", "", NULL, "x", "\xFF"};
  builder_slot *slot = take_builder(r);
  graph_slot *to = take_graph(r);
  const size_t count = take_byte(r) % 5u;
  webnn_named_operand *items = (webnn_named_operand *)scratch(r, count * sizeof *items);
  const bool given = take_byte(r) != 0xFF;
  const size_t last = slot->count > 0 ? slot->count - 1 : 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t b = take_byte(r);
    items[i].name = names[b < 0x80 ? i : b % 8u];
    items[i].operand =
        operand_at(b % 7 == 6 ? &r->builders[b % BUILDERS] : slot, b % 7 == 5 ? b
                                                                   : last > i ? last - i
                                                                              : 0);
    items[i].operand = b == 0xFE ? NULL : items[i].operand;
  }
  build(r, slot, to, given ? items : NULL, count);
}

static void look_at_graph_port(const webnn_graph_port *port) {
  const bool open = is_open(port->descriptor.shape);
  if (!port->name || !port->name[0] || (!open && webnn_byte_length(port->descriptor) == 0))
    stop("port", "without a name, type or shape");
  if (port->byte_length != (open ? 0 : webnn_byte_length(port->descriptor)))
    stop("port", "with another length");
}

static webnn_graph_port *ports_of(run *r, const webnn_graph *graph, bool outputs, size_t *count);

/* Sizes of outputs that follow from those of inputs, if these fit. */
static void compute_shapes(run *r, const webnn_graph *graph, webnn_graph_port *ports,
                           size_t count) {
  size_t input_count;
  const webnn_graph_port *inputs = ports_of(r, graph, false, &input_count);
  webnn_named_shape *given =
      (webnn_named_shape *)scratch(r, (input_count + count + 1) * sizeof *given);
  webnn_named_shape *results = given + input_count;
  for (size_t i = 0; i < input_count; i++) {
    given[i].name = inputs[i].name;
    given[i].shape = inputs[i].descriptor.shape;
  }
  if (webnn_compute_shapes((webnn_graph *)(uintptr_t)graph, given, input_count, results, count,
                           NULL) != WEBNN_OK)
    return;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(results[i].name, ports[i].name) != 0)
      stop("computeShapes", "another output");
    ports[i].descriptor.shape = results[i].shape;
    ports[i].byte_length = webnn_byte_length(ports[i].descriptor);
  }
}

static webnn_graph_port *ports_of(run *r, const webnn_graph *graph, bool outputs, size_t *count) {
  webnn_graph_port *ports;
  *count = outputs ? webnn_graph_outputs(graph, NULL, 7) : webnn_graph_inputs(graph, NULL, 7);
  ports = (webnn_graph_port *)scratch(r, *count * sizeof *ports);
  if (*count != (outputs ? webnn_graph_outputs(graph, ports, *count)
                         : webnn_graph_inputs(graph, ports, *count)))
    stop("ports", "another number of them");
  for (size_t i = 0; i < *count; i++) {
    look_at_graph_port(&ports[i]);
    ports[i].descriptor.shape = sized(ports[i].descriptor.shape, r->dispatches);
    ports[i].byte_length = webnn_byte_length(ports[i].descriptor);
  }
  if (outputs)
    compute_shapes(r, graph, ports, *count);
  return ports;
}

/* Shapes of outputs for inputs of which some lack, are named twice or have sizes that do not
   fit. */
static void compute_shapes_oddly(run *r) {
  const graph_slot *slot = take_graph(r);
  const uint8_t b = take_byte(r);
  size_t count, room = b >> 4;
  const webnn_graph_port *ports = ports_of(r, slot->graph, false, &count);
  webnn_named_shape *given = (webnn_named_shape *)scratch(r, (count + 1) * sizeof *given);
  webnn_named_shape *results = (webnn_named_shape *)scratch(r, (room + 1) * sizeof *results);
  webnn_error error, *to;
  webnn_status status;
  for (size_t i = 0; i < count; i++) {
    const uint8_t odd = take_byte(r);
    given[i].name = odd == 0xF0   ? NULL
                    : odd == 0xF1 ? "nowhere"
                    : odd == 0xF2 ? ports[0].name
                                  : ports[i].name;
    given[i].shape = odd >= 0x80 && odd < 0xF0 ? take_list(r, ports[i].descriptor.shape)
                                               : ports[i].descriptor.shape;
  }
  to = error_of(r, &error);
  status = webnn_compute_shapes(slot->graph, (b & 15) == 1 ? NULL : given,
                                count - ((b & 15) == 2 && count > 0),
                                (b & 15) == 3 ? NULL : results, room, to);
  look_at_heaps(r);
  if (check_status(r, "computeShapes", status, to) && (b & 15) != 3)
    for (size_t i = 0; i < room && i < webnn_graph_outputs(slot->graph, NULL, 0); i++)
      if (is_open(results[i].shape) || !results[i].name || !results[i].name[0])
        stop("computeShapes", "an output without a name or with an open size");
}

/* ---- Tensors ----------------------------------------------------------------------------------
 */

static bool new_tensor_like(run *r, tensor_slot *slot, size_t context,
                            webnn_operand_descriptor like, bool readable, bool writable) {
  webnn_tensor_descriptor descriptor;
  webnn_error error, *given = error_of(r, &error);
  webnn_status status;
  descriptor.data_type = like.data_type;
  descriptor.shape = like.shape;
  descriptor.readable = readable;
  descriptor.writable = writable;
  slot->tensor = (webnn_tensor *)(void *)&error;
  status = webnn_create_tensor(r->contexts[context].context, descriptor, &slot->tensor, given);
  slot->owned = slot->tensor != NULL;
  slot->context = context;
  look_at_heaps(r);
  return check(r, "createTensor", status, given, slot->tensor != NULL);
}

static void check_tensor(const tensor_slot *slot, webnn_operand_descriptor descriptor,
                         bool constant) {
  if (slot->tensor && (webnn_tensor_data_type(slot->tensor) != descriptor.data_type ||
                       !test_same_list(webnn_tensor_shape(slot->tensor), descriptor.shape) ||
                       webnn_tensor_constant(slot->tensor) != constant))
    stop("tensor", "not as it was asked for");
}

/* Over memory that the slot keeps, `offset` bytes behind an aligned address; offset 4: over NULL.
 */
static void new_tensor_over(run *r, tensor_slot *slot, size_t context,
                            webnn_tensor_descriptor descriptor, size_t offset, size_t length) {
  webnn_error error, *given = error_of(r, &error);
  webnn_status status;
  slot->tensor = (webnn_tensor *)(void *)&error;
  slot->context = context;
  slot->memory = (uint8_t *)calloc(length + offset + 1, 1);
  status = webnn_create_tensor_over_memory(r->contexts[context].context, descriptor,
                                           offset == 4 ? NULL : slot->memory + offset, length,
                                           &slot->tensor, given);
  slot->owned = slot->tensor != NULL;
  if (!slot->owned) {
    free(slot->memory);
    slot->memory = NULL;
  }
  look_at_heaps(r);
  check(r, "createTensor", status, given, slot->owned);
}

static void new_constant_tensor(run *r, tensor_slot *slot, size_t context,
                                webnn_operand_descriptor descriptor, size_t length) {
  const uint8_t *data = take_data(r);
  webnn_error error, *given = error_of(r, &error);
  webnn_status status;
  slot->tensor = (webnn_tensor *)(void *)&error;
  slot->context = context;
  status = webnn_create_constant_tensor(r->contexts[context].context, descriptor,
                                        take_byte(r) == 0xFF ? NULL : data, length, &slot->tensor,
                                        given);
  slot->owned = slot->tensor != NULL;
  look_at_heaps(r);
  check(r, "createConstantTensor", status, given, slot->owned);
}

/* What the graph makes itself for an input or output. */
static void port_tensor(run *r, tensor_slot *slot, const graph_slot *graph, const char *name) {
  webnn_error error, *given = error_of(r, &error);
  webnn_status status;
  slot->tensor = (webnn_tensor *)(void *)&error;
  slot->context = graph->context;
  status = webnn_create_graph_tensor(graph->graph, name, &slot->tensor, given);
  slot->owned = slot->tensor != NULL;
  look_at_heaps(r);
  if (check(r, "createTensor", status, given, slot->owned) &&
      !(webnn_tensor_readable(slot->tensor) && webnn_tensor_writable(slot->tensor)))
    stop("createTensor", "of a graph, not for reading and writing");
}

static void new_odd_tensor(run *r) {
  const size_t context = take_byte(r) % CONTEXTS;
  const uint8_t b = take_byte(r);
  const webnn_operand_descriptor descriptor = take_descriptor(r);
  const size_t length = b % 3 == 0 ? 0 : take_length(r, descriptor);
  tensor_slot *slot = new_tensor(r);
  const webnn_operand_descriptor zero = WEBNN_ZERO;
  webnn_tensor_descriptor whole;
  whole.data_type = b == 0xF1 ? zero.data_type : descriptor.data_type;
  whole.shape = descriptor.shape;
  whole.readable = b & 16;
  whole.writable = b & 32;
  if (b % 3 == 0)
    new_tensor_like(r, slot, context, descriptor, whole.readable, whole.writable);
  else if (b % 3 == 1)
    new_tensor_over(r, slot, context, whole, b == 0xFD ? 4 : b >> 6, length);
  else
    new_constant_tensor(r, slot, context, b == 0xFE ? zero : descriptor, length);
  check_tensor(slot, descriptor, b % 3 == 2);
}

static size_t tensor_length(const tensor_slot *slot) {
  webnn_operand_descriptor descriptor;
  descriptor.data_type = webnn_tensor_data_type(slot->tensor);
  descriptor.shape = webnn_tensor_shape(slot->tensor);
  return slot->tensor ? (size_t)webnn_byte_length(descriptor) : 0;
}

static void write_tensor(run *r) {
  tensor_slot *slot = take_tensor(r);
  const uint8_t b = take_byte(r);
  const uint8_t *data = take_data(r);
  const size_t right = tensor_length(slot);
  const size_t length = b < 0xF0 ? right : b < 0xF8 ? right + 1 : b % 8u;
  webnn_error error, *given = error_of(r, &error);
  webnn_context *context = r->contexts[(slot->context + (b % 16 == 15)) % CONTEXTS].context;
  if (length <= MOST_MEMORY)
    check_status(r, "writeTensor",
                 webnn_write_tensor(context, slot->tensor, b == 0xEE ? NULL : data, length, given),
                 given);
}

static void read_tensor(run *r) {
  tensor_slot *slot = take_tensor(r);
  const uint8_t b = take_byte(r);
  const size_t right = tensor_length(slot);
  const size_t length = b < 0xF0 ? right : b < 0xF8 ? right + 1 : b % 8u;
  uint8_t *buffer = (uint8_t *)scratch(r, length <= MOST_MEMORY ? length : 0);
  webnn_error error, *given = error_of(r, &error);
  webnn_context *context = r->contexts[(slot->context + (b % 16 == 15)) % CONTEXTS].context;
  if (length <= MOST_MEMORY)
    check_status(r, "readTensor",
                 webnn_read_tensor(context, slot->tensor, b == 0xEE ? NULL : buffer, length, given),
                 given);
}

/* A tensor for an input or output of a graph, in any of the ways that there are. */
static void tensor_for_port(run *r) {
  graph_slot *graph = take_graph(r);
  const uint8_t b = take_byte(r);
  webnn_tensor_descriptor whole;
  size_t count;
  const webnn_graph_port *ports = ports_of(r, graph->graph, b & 1, &count), *port;
  if (count == 0) {
    port_tensor(r, new_tensor(r), graph, "x");
    return;
  }
  port = &ports[(b >> 1 & 7) % count];
  if (port->byte_length > MOST_MEMORY)
    return;
  whole.data_type = port->descriptor.data_type;
  whole.shape = port->descriptor.shape;
  whole.readable = whole.writable = b < 0xC0;
  if (b < 0x40)
    new_tensor_like(r, new_tensor(r), graph->context, port->descriptor, true, true);
  else if (b < 0x80)
    port_tensor(r, new_tensor(r), graph, b == 0x7F ? "nowhere" : b == 0x7E ? NULL : port->name);
  else
    new_tensor_over(r, new_tensor(r), graph->context, whole, b >> 4 & 3, (size_t)port->byte_length);
}

/* ---- Dispatch ---------------------------------------------------------------------------------
 */

/* Nothing that takes long. What dynamic dimensions lead to is not known, but in a usual context no
   value is large. */
static bool is_quick(run *r, const graph_slot *slot) {
  const uint64_t most = r->contexts[slot->context].usual ? 65536 : 2048;
  if (slot->dynamic && !r->contexts[slot->context].usual)
    return false;
  for (int outputs = 0; outputs < 2; outputs++) {
    size_t count;
    const webnn_graph_port *ports = ports_of(r, slot->graph, outputs == 1, &count);
    for (size_t i = 0; i < count; i++)
      if (webnn_byte_length(ports[i].descriptor) > (most < 4096 ? most : 4096))
        return false;
  }
  return slot->bytes <= most && r->dispatches < DISPATCHES;
}

static bool is_among(const webnn_named_tensor *items, size_t count, const webnn_tensor *tensor) {
  for (size_t i = 0; i < count; i++)
    if (items[i].tensor == tensor)
      return true;
  return false;
}

/* A tensor for a port: a suitable one that is not in the list, or a new one. It is NULL where every
   slot holds a tensor of the list, which must not be freed before the call. */
static webnn_tensor *suitable_tensor(run *r, const graph_slot *graph, const webnn_graph_port *port,
                                     const webnn_named_tensor *used, size_t used_count) {
  tensor_slot *slot;
  for (size_t i = 0; i < TENSORS; i++) {
    webnn_tensor *tensor = r->tensors[i].tensor;
    if (tensor && r->tensors[i].context == graph->context && !webnn_tensor_constant(tensor) &&
        webnn_tensor_data_type(tensor) == port->descriptor.data_type &&
        test_same_list(webnn_tensor_shape(tensor), port->descriptor.shape) &&
        !is_among(used, used_count, tensor))
      return tensor;
  }
  for (size_t i = 0; i < TENSORS; i++, r->next_tensor++) {
    const webnn_tensor *next = r->tensors[r->next_tensor % TENSORS].tensor;
    if (next && is_among(used, used_count, next))
      continue;
    slot = new_tensor(r);
    new_tensor_like(r, slot, graph->context, port->descriptor, true, true);
    return slot->tensor;
  }
  return NULL;
}

/* The tensor of an input that has the type and shape of an output, which may be donated to it. */
static webnn_tensor *tensor_of_input(const webnn_graph_port *port, const webnn_named_tensor *used,
                                     size_t count, size_t skip) {
  webnn_tensor *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (used[i].tensor && webnn_tensor_data_type(used[i].tensor) == port->descriptor.data_type &&
        test_same_list(webnn_tensor_shape(used[i].tensor), port->descriptor.shape)) {
      found = used[i].tensor;
      if (skip-- == 0)
        break;
    }
  return found;
}

/* One of its sizes is larger by one, or the last dimension is missing. */
static webnn_graph_port of_other_size(webnn_graph_port port, uint8_t b) {
  webnn_list *shape = &port.descriptor.shape;
  if (shape->count > 0 && b & 8)
    shape->count--;
  else if (shape->count > 0)
    shape->items[b % shape->count]++;
  port.byte_length = webnn_byte_length(port.descriptor);
  return port;
}

/* Names and tensors for the ports, with something wrong now and then. */
static webnn_named_tensor *take_binding(run *r, const graph_slot *graph, bool outputs,
                                        webnn_named_tensor *used, size_t *used_count) {
  size_t count;
  const webnn_graph_port *ports = ports_of(r, graph->graph, outputs, &count);
  webnn_named_tensor *first = used + *used_count;
  const size_t others = outputs ? *used_count : 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t b = take_byte(r);
    const webnn_graph_port other = of_other_size(ports[i], b);
    const bool is_other = b >= 0xD0 && b < 0xE0;
    webnn_named_tensor *item = &used[*used_count];
    if (b == 0xF0)
      continue;
    item->name = b == 0xF1   ? NULL
                 : b == 0xF2 ? ""
                 : b == 0xF3 ? "nowhere"
                 : b == 0xF4 ? ports[0].name
                             : ports[i].name;
    item->tensor = b == 0xF5             ? NULL
                   : b > 0xF5            ? r->tensors[b % TENSORS].tensor
                   : b >= 0xE0 && others ? tensor_of_input(&ports[i], used, others, b & 15)
                                         : suitable_tensor(r, graph, is_other ? &other : &ports[i],
                                                           used, *used_count);
    ++*used_count;
  }
  return first;
}

static void dispatch(run *r) {
  graph_slot *graph = take_graph(r);
  const uint8_t b = take_byte(r);
  const size_t room =
      webnn_graph_inputs(graph->graph, NULL, 0) + webnn_graph_outputs(graph->graph, NULL, 0);
  webnn_named_tensor *used = (webnn_named_tensor *)scratch(r, (room > 0 ? room : 1) * sizeof *used);
  const webnn_named_tensor *inputs, *outputs;
  size_t input_count, output_count;
  webnn_error error, *given;
  webnn_context *context = r->contexts[(graph->context + (b == 0xF1)) % CONTEXTS].context;
  size_t count = 0;
  if (graph->graph && !is_quick(r, graph))
    return;
  r->dispatches++;
  inputs = take_binding(r, graph, false, used, &count);
  input_count = count;
  outputs = take_binding(r, graph, true, used, &count);
  output_count = count - input_count;
  if (b == 0xF2)
    inputs = NULL;
  if (b == 0xF3)
    outputs = NULL;
  if (b == 0xF4 && output_count > 0)
    output_count--;
  given = error_of(r, &error);
  {
    const webnn_status status =
        webnn_dispatch(context, graph->graph, inputs, input_count, outputs, output_count, given);
    look_at_heaps(r);
    check_status(r, "dispatch", status, given);
  }
}

/* Memory for each port, mostly of the right length, and its name, mostly. */
static void compute(run *r) {
  graph_slot *graph = take_graph(r);
  const uint8_t b = take_byte(r);
  webnn_context *context = r->contexts[(graph->context + (b == 0xF1)) % CONTEXTS].context;
  size_t counts[2];
  const webnn_graph_port *ports[2];
  webnn_named_input *inputs;
  webnn_named_output *outputs;
  uint8_t **memory; /* of outputs */
  webnn_error error, *given;
  webnn_status status;
  if (graph->graph && !is_quick(r, graph))
    return;
  r->dispatches++;
  ports[0] = ports_of(r, graph->graph, false, &counts[0]);
  ports[1] = ports_of(r, graph->graph, true, &counts[1]);
  inputs = (webnn_named_input *)scratch(r, counts[0] * sizeof *inputs);
  outputs = (webnn_named_output *)scratch(r, counts[1] * sizeof *outputs);
  memory = (uint8_t **)scratch(r, counts[1] * sizeof *memory);
  for (size_t i = 0; i < counts[0]; i++) {
    const uint8_t odd = take_byte(r);
    inputs[i].name = odd == 0xF0   ? NULL
                     : odd == 0xF1 ? "nowhere"
                                   : ports[0][odd == 0xF2 ? 0 : i].name;
    inputs[i].byte_length = (size_t)ports[0][i].byte_length + (odd == 0xF3);
    inputs[i].data = odd == 0xF4 ? NULL : take_data(r);
  }
  for (size_t i = 0; i < counts[1]; i++) {
    const uint8_t odd = take_byte(r);
    const size_t right = (size_t)ports[1][i].byte_length, offset = odd & 3;
    memory[i] = (uint8_t *)malloc(right + offset);
    if (!memory[i])
      stop("no memory", "");
    outputs[i].name = odd == 0xF0   ? NULL
                      : odd == 0xF1 ? "nowhere"
                                    : ports[1][odd == 0xF2 ? 0 : i].name;
    outputs[i].byte_length = odd == 0xF3 ? right - 1 : right;
    outputs[i].data = odd == 0xF4 ? NULL : memory[i] + offset;
  }
  given = error_of(r, &error);
  status = webnn_compute(context, graph->graph, b == 0xF2 ? NULL : inputs,
                         counts[0] - (b == 0xF4 && counts[0] > 0), b == 0xF3 ? NULL : outputs,
                         counts[1], given);
  look_at_heaps(r);
  check_status(r, "compute", status, given);
  for (size_t i = 0; i < counts[1]; i++)
    free(memory[i]);
}

/* Everything bound to tensors of its own, and the results read. */
static void run_graph(run *r, graph_slot *slot, uint8_t fill) {
  size_t counts[2], done = 0;
  const webnn_graph_port *ports[2];
  tensor_slot *tensors;
  webnn_named_tensor *named;
  webnn_error error, *given;
  bool ok = true;
  ports[0] = ports_of(r, slot->graph, false, &counts[0]);
  ports[1] = ports_of(r, slot->graph, true, &counts[1]);
  tensors = (tensor_slot *)scratch(r, (counts[0] + counts[1]) * sizeof *tensors);
  named = (webnn_named_tensor *)scratch(r, (counts[0] + counts[1]) * sizeof *named);
  if (!is_quick(r, slot))
    return;
  r->dispatches++;
  for (size_t side = 0; side < 2; side++) {
    for (size_t i = 0; i < counts[side]; i++, done++) {
      ok = new_tensor_like(r, &tensors[done], slot->context, ports[side][i].descriptor, side == 1,
                           side == 0) &&
           ok;
      named[done].name = ports[side][i].name;
      named[done].tensor = tensors[done].tensor;
      if (side == 0 && tensors[done].tensor) {
        const bytes in = r->in;
        const bytes one = {&fill, 1, 0};
        r->in = one;
        given = error_of(r, &error);
        ok = check_status(r, "writeTensor",
                          webnn_write_tensor(r->contexts[slot->context].context,
                                             tensors[done].tensor, take_data(r),
                                             tensor_length(&tensors[done]), given),
                          given) &&
             ok;
        r->in = in;
      }
    }
  }
  if (ok) {
    webnn_status status;
    given = error_of(r, &error);
    status = webnn_dispatch(r->contexts[slot->context].context, slot->graph, named, counts[0],
                            named + counts[0], counts[1], given);
    look_at_heaps(r);
    ok = check_status(r, "dispatch", status, given);
  }
  for (size_t i = counts[0]; i < done; i++) {
    const size_t length = tensor_length(&tensors[i]);
    uint8_t *buffer = (uint8_t *)malloc(length > 0 ? length : 1);
    if (buffer && tensors[i].tensor) {
      given = error_of(r, &error);
      ok = check_status(r, "readTensor",
                        webnn_read_tensor(r->contexts[slot->context].context, tensors[i].tensor,
                                          buffer, length, given),
                        given) &&
           ok;
    }
    free(buffer);
  }
  for (size_t i = 0; i < done; i++)
    drop_tensor(&tensors[i]);
  for (size_t i = 0; ok && !r->beside && i < METHODS; i++)
    computed[i] = computed[i] || slot->methods[i];
}

static void build_and_run(run *r) {
  builder_slot *slot = take_builder(r);
  graph_slot *graph = build_all(r, slot, take_byte(r));
  if (graph)
    run_graph(r, graph, take_byte(r));
}

/* ---- Looking at graphs ------------------------------------------------------------------------
 */

static void count_text(void *user, const char *text, size_t length) {
  look_at_bytes(text, length);
  *(size_t *)user += length;
}

static void print(run *r) {
  graph_slot *slot = take_graph(r);
  size_t lengths[3] = {0, 0, 0};
  webnn_print_graph(slot->graph, count_text, &lengths[0]);
  webnn_print_graph_dot(slot->graph, count_text, &lengths[1]);
  webnn_print_profile(slot->graph, count_text, &lengths[2]);
  if (slot->graph && (lengths[0] == 0 || lengths[1] == 0 || lengths[2] == 0))
    stop("print", "nothing was printed");
  webnn_print_graph(slot->graph, NULL, NULL);
}

/* Its values, operators and options. */
static void look_at_description(const webnn_graph *graph) {
  webnn_graph_value values[4];
  webnn_graph_operator operators[4];
  webnn_graph_option options[3];
  size_t count = webnn_graph_values(graph, values, 4);
  for (size_t i = 0; i < count && i < 4; i++) {
    look_at_bytes(values[i].name, strlen(values[i].name));
    if (values[i].data)
      look_at_bytes(values[i].data, values[i].byte_length);
  }
  count = webnn_graph_operators(graph, operators, 4);
  for (size_t i = 0; i < count && i < 4; i++) {
    look_at_bytes(operators[i].operands, operators[i].operand_count * sizeof(uint32_t));
    webnn_graph_options(graph, i, options, 3);
  }
  if (webnn_graph_options(graph, count, NULL, 0) != 0)
    stop("options", "of an operator that is not there");
}

static void look_at_graph(run *r) {
  graph_slot *slot = take_graph(r);
  const webnn_tolerance tolerance = webnn_graph_tolerance(slot->graph, take_u32(r));
  webnn_profiled_step steps[4];
  size_t count;
  if (!(tolerance.value >= 0))
    stop("tolerance", "below zero");
  webnn_graph_undecided(slot->graph);
  webnn_graph_memory(slot->graph);
  look_at_description(slot->graph);
  ports_of(r, slot->graph, false, &count);
  ports_of(r, slot->graph, true, &count);
  webnn_graph_profile(slot->graph, NULL, 9);
  count = webnn_graph_profile(slot->graph, steps, 4);
  for (size_t i = 0; i < count && i < 4; i++) {
    look_at_bytes(steps[i].op_name, strlen(steps[i].op_name));
    look_at_bytes(steps[i].label, strlen(steps[i].label));
  }
}

static void tapped(void *user, const webnn_tapped_value *value) {
  (void)user;
  look_at_bytes(value->data, value->byte_length);
  if (!value->label || !value->name || webnn_byte_length(value->descriptor) != value->byte_length)
    stop("tap", "a value that is not whole");
}

static void tap_or_profile(run *r) {
  graph_slot *slot = take_graph(r);
  const uint8_t b = take_byte(r);
  webnn_error error, *given = error_of(r, &error);
  const webnn_status status =
      b & 1 ? webnn_profile_graph(slot->graph, (b & 2) != 0, given)
            : webnn_tap_graph(slot->graph, b & 2 ? NULL : tapped, NULL, given);
  look_at_heaps(r);
  check_status(r, "tap or profile", status, given);
}

/* ---- What needs no object ---------------------------------------------------------------------
 */

static void look_at_names(run *r) {
  const webnn_operand_descriptor descriptor = take_descriptor(r);
  const uint64_t length = webnn_byte_length(descriptor);
  const int odd = take_enumerator(r);
  const uint8_t *a = take_data(r), *b = take_data(r);
  const uint64_t count = take_byte(r);
  webnn_tolerance tolerance;
  webnn_comparison found;
  if (length > 0 && webnn_data_type_bits(descriptor.data_type) == 0)
    stop("byteLength", "of no type");
  tolerance.value = take_double(r);
  memcpy(&tolerance.metric, &odd, sizeof odd);
  found = webnn_compare(descriptor.data_type, a, b, count, tolerance);
  if (found.different > found.count || found.failed > found.count)
    stop("compare", "more than there is");
  webnn_compare(descriptor.data_type, NULL, b, count, tolerance);
  webnn_ulp_distance(descriptor.data_type, a, b, count);
  if (!webnn_status_name((webnn_status)odd) || !webnn_data_type_name((webnn_data_type)odd))
    stop("names", "NULL");
  webnn_op_name((webnn_op)odd);
  webnn_op_section((webnn_op)odd);
  webnn_pass_name((uint32_t)odd);
  if (webnn_float32_to_float16(webnn_float16_to_float32((uint16_t)(count << 8))) !=
          (uint16_t)(count << 8) &&
      (count & 0x7C) != 0x7C)
    stop("float16", "not as before");
}

/* ---- The end of objects -----------------------------------------------------------------------
 */

static void destroy(run *r) {
  const uint8_t b = take_byte(r);
  switch (b % 3) {
  case 0:
    webnn_destroy_tensor(take_tensor(r)->tensor);
    break;
  case 1:
    webnn_destroy_graph(take_graph(r)->graph);
    break;
  default: /* seldom, since little can be done then */
    webnn_destroy_context(b < 0x80 ? NULL : take_context(r));
  }
}

static void drop(run *r) {
  const uint8_t b = take_byte(r);
  switch (b % 4) {
  case 0:
    drop_tensor(take_tensor(r));
    break;
  case 1:
    drop_graph(take_graph(r));
    break;
  case 2:
    drop_builder(take_builder(r));
    break;
  default:
    if (b >= 0x80)
      drop_context(&r->contexts[take_byte(r) % CONTEXTS]);
  }
}

static void wait_for(run *r) {
  webnn_context *context = take_context(r);
  webnn_error error, *given = error_of(r, &error);
  check_status(r, "wait", webnn_wait(context, given), given);
}

/* ---- Actions ----------------------------------------------------------------------------------
 */

static void two_threads(run *r);

static void act(run *r) {
  static void (*const actions[])(run *) = {
      build_and_run, new_leaf,       new_leaf,        new_odd_tensor, tensor_for_port,
      dispatch,      dispatch,       write_tensor,    read_tensor,    print,
      look_at_graph, tap_or_profile, look_at_context, look_at_names,  build_oddly,
      new_builder,   new_context,    change_builder,  destroy,        drop,
      wait_for,      two_threads,    compute,         donate,         compute_shapes_oddly};
  const uint8_t b = take_byte(r);
  if (b < 128)
    call_method_of(r, b % METHODS);
  else
    actions[(b - 128u) % (sizeof actions / sizeof *actions)](r);
  release_scratch(r);
}

static void end_run(run *r) {
  /* Any order will do: every second time contexts go first. */
  if (r->in.size % 2)
    for (size_t i = 0; i < CONTEXTS; i++)
      drop_context(&r->contexts[i]);
  for (size_t i = 0; i < TENSORS; i++)
    drop_tensor(&r->tensors[i]);
  for (size_t i = 0; i < BUILDERS; i++)
    drop_builder(&r->builders[i]);
  for (size_t i = 0; i < GRAPHS; i++)
    drop_graph(&r->graphs[i]);
  for (size_t i = 0; i < CONTEXTS; i++)
    drop_context(&r->contexts[i]);
}

/* ---- Two threads ------------------------------------------------------------------------------
 */

static void *run_beside(void *data) {
  run *r = (run *)data;
  new_builder_in(r, &r->builders[0], 0);
  release_scratch(r);
  for (size_t i = 0; i < 24 && r->in.at < r->in.size; i++)
    act(r);
  end_run(r);
  return NULL;
}

/* The objects so far as another thread has them: none is its own, and builders it has none. */
static run *share(const run *r, size_t size) {
  run *one = (run *)malloc(sizeof *one);
  if (!one)
    stop("no memory", "");
  *one = *r;
  one->beside = true;
  one->scratch_count = 0;
  one->in.data = r->in.data + r->in.at;
  one->in.size = size;
  one->in.at = 0;
  memset(one->builders, 0, sizeof one->builders);
  for (size_t i = 0; i < CONTEXTS; i++)
    one->contexts[i].owned = false;
  for (size_t i = 0; i < GRAPHS; i++)
    one->graphs[i].owned = false;
  for (size_t i = 0; i < TENSORS; i++)
    one->tensors[i].owned = false;
  return one;
}

/* The bytes that follow, half by half, at the same time. */
static void two_threads(run *r) {
  const size_t left = r->in.size - r->in.at, wanted = take_byte(r) % 64u;
  const size_t size = wanted * 2 < left ? wanted : left / 2;
  pthread_t threads[2];
  run *runs[2];
  if (r->beside || size < 2 || left < 1)
    return;
  incomparable(r);
  for (size_t i = 0; i < 2; i++) {
    const size_t there = r->in.size - r->in.at;
    const size_t taken = size < there ? size : there;
    runs[i] = share(r, taken);
    r->in.at += taken;
  }
  for (size_t i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, run_beside, runs[i]) != 0)
      stop("no thread", "");
  for (size_t i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    free(runs[i]);
  }
}

/* ---- One input --------------------------------------------------------------------------------
 */

/* What the calls said, as long as it can be compared. */
static void run_all(common *c, webnn_numerics numerics, const uint8_t *data, size_t size) {
  static const uint8_t nothing = 0;
  const bytes none = {&nothing, 0, 0};
  run *r = (run *)calloc(1, sizeof *r);
  memset(c, 0, sizeof *c);
  c->said = (char *)calloc(MOST_RECORDED, 1);
  c->comparable = true;
  if (!r || !c->said)
    stop("no memory", "");
  pthread_mutex_init(&c->mutex, NULL);
  r->common = c;
  r->numerics = numerics;
  r->in = none;
  new_context(r);
  new_builder_in(r, &r->builders[0], 0);
  r->in.data = data;
  r->in.size = size;
  for (size_t i = 0; i < ACTIONS && r->in.at < r->in.size; i++)
    act(r);
  for (size_t i = 0; i < BUILDERS; i++) {
    graph_slot *graph =
        r->builders[i].builder && !r->builders[i].built ? build_all(r, &r->builders[i], 0) : NULL;
    if (graph)
      run_graph(r, graph, (uint8_t)size);
    release_scratch(r);
  }
  end_run(r);
  check_heaps(c);
  pthread_mutex_destroy(&c->mutex);
  free(r);
}

static void compare(const common *a, const common *b) {
  const size_t shorter = a->said_length < b->said_length ? a->said_length : b->said_length;
  size_t same = 0, line = 0;
  while (same < shorter && a->said[same] == b->said[same])
    if (a->said[same++] == '\n')
      line = same;
  if (same < shorter || (a->comparable && b->comparable && a->said_length != b->said_length)) {
    fprintf(stderr, "fast:      %.*s\n", (int)strcspn(a->said + line, "\n"), a->said + line);
    fprintf(stderr, "reference: %.*s\n", (int)strcspn(b->said + line, "\n"), b->said + line);
    stop("fast and reference contexts", "say different things");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  common fast, reference;
  fuzz_keep(data, size);
  run_all(&fast, WEBNN_NUMERICS_FAST, data, size);
  run_all(&reference, WEBNN_NUMERICS_REFERENCE, data, size);
  compare(&fast, &reference);
  if (getenv("FUZZ_SAY")) /* what the calls of an input do */
    fputs(reference.said, stderr);
  free(fast.said);
  free(reference.said);
  return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  webnn_context *context = test_context(NULL);
  (void)count;
  (void)arguments;
  fuzz_find_folder();
  for (int i = 0; i < WEBNN_OP_COUNT; i++)
    webnn_op_limits(context, (webnn_op)i, &support[i]);
  webnn_free_context(context);
  return 0;
}

#ifndef FUZZ_LIBFUZZER

/* Several files are a corpus, and that computes everything. */
static void check_corpus(size_t files) {
  for (size_t i = 0; files > 1 && i < METHODS; i++)
    if (!computed[i])
      stop("no file of the corpus computes", methods[i].name);
}

int main(int count, char **arguments) {
  static const char *const words[] = {"\x80",
                                      "\x80\x01\x01",
                                      "\x83",
                                      "\x84\x01",
                                      "\x85",
                                      "\x8B",
                                      "\x8F\x01",
                                      "\x90\x01\x40\x10",
                                      "\x92\x80",
                                      "\x93\x83",
                                      "\x95\x08",
                                      "\xFF",
                                      "\xF7",
                                      "\xFE",
                                      "\x03\x01\x01\x01",
                                      "\x90\x01\x03",
                                      "\x91\x01\x01",
                                      "\x8E",
                                      "\x96",
                                      "\x84\x00\x41",
                                      "\x97\x01",
                                      "\x98\x01\x41",
                                      "\xF8",
                                      "\xFA",
                                      "\xFC",
                                      "\x67\x01\xF8\x20",
                                      "\x69\x01\xFC\x20\x20",
                                      "\x63\x01\xFA",
                                      "\xD1",
                                      "\xE1",
                                      NULL};
  return fuzz_main("fuzz_interface", words, check_corpus, count, arguments);
}

#endif
