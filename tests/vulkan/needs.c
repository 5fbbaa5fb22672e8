/* What kernels need, read from their SPIR-V: the bytes that an invocation reads and writes, in
   memory and in shared memory, its multiply-adds, how many invocations a workgroup has and how much
   shared memory, and which share of a device's limits this allows. The kernels are those of a GPU
   with 48 KB of shared memory, planned on whatever device there is; nothing is run. docs/vulkan.md
   prints some of their texts and these tables.

     needs PAGE      does the page have what is printed below?
     needs           prints it */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#define WEBNN_IMPLEMENTATION
#include "test.h"
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"

#include <math.h>

/* ---- Kernels ---- */

typedef struct captured {
  char *text; /* of the first kernel of a graph */
  uint32_t *words;
  size_t count;
} captured;

static captured latest;

static void capture(void *user, const char *text, const uint32_t *words, size_t word_count) {
  (void)user;
  if (latest.text == NULL) {
    latest.text = (char *)test_allocate(strlen(text) + 1);
    strcpy(latest.text, text);
    latest.words = (uint32_t *)test_allocate(word_count * 4);
    memcpy(latest.words, words, word_count * 4);
    latest.count = word_count;
  }
}

/* Drivers need not know what a pretended device can do. */
static VKAPI_ATTR VkResult VKAPI_CALL no_module(VkDevice device,
                                                const VkShaderModuleCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks,
                                                VkShaderModule *module) {
  (void)device;
  (void)info;
  (void)callbacks;
  *module = VK_NULL_HANDLE;
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* Nor take as many storage buffers for a kernel. */
static VKAPI_ATTR VkResult VKAPI_CALL no_set_layout(VkDevice device,
                                                    const VkDescriptorSetLayoutCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkDescriptorSetLayout *layout) {
  (void)device;
  (void)info;
  (void)callbacks;
  *layout = VK_NULL_HANDLE;
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL no_layout(VkDevice device,
                                                const VkPipelineLayoutCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks,
                                                VkPipelineLayout *layout) {
  (void)device;
  (void)info;
  (void)callbacks;
  *layout = VK_NULL_HANDLE;
  return VK_SUCCESS;
}

/* From now on nothing that is made for a pretended device goes to the one that is there. */
static void make_nothing(webnn_vk__functions *f) {
  f->CreateShaderModule = no_module;
  f->CreateDescriptorSetLayout = no_set_layout;
  f->CreatePipelineLayout = no_layout;
}

/* A GPU, the same whatever the device is. */
static void pretend_gpu(webnn_vk__gpu *gpu, bool matrices, uint32_t tile) {
  webnn_vk__traits *t = &gpu->traits;
  webnn_vk__matrix_shape *shape = t->matrix_shapes;
  memset(t, 0, sizeof *t);
  t->alignment = 256;
  t->max_groups[0] = t->max_groups[1] = t->max_groups[2] = 65535;
  t->max_group_size[0] = t->max_group_size[1] = t->max_group_size[2] = 1024;
  t->max_invocations = 1024;
  t->shared_bytes = 49152;
  t->max_operands = WEBNN_VK__OPERANDS;
  t->max_range = UINT32_C(1) << 31;
  t->subgroup_size = 32;
  t->registers = 160;
  t->unrolls = true;
  t->trial = tile;
  t->float16 = matrices;
  if (matrices) {
    t->least_subgroup = t->most_subgroup = t->matrix_subgroup = 32;
    t->matrix_shape_count = 2;
    shape[0].m = shape[0].n = shape[0].k = 16;
    shape[1].m = shape[1].n = 16;
    shape[1].k = 32;
    shape[1].bytes = true;
  }
  webnn_vk__set_target(t, &gpu->target);
}

static webnn_operand *input(webnn_builder *b, const char *name, webnn_data_type type,
                            webnn_list shape) {
  webnn_operand_descriptor d;
  d.data_type = type;
  d.shape = shape;
  return webnn_input(b, name, d);
}

static webnn_operand *map_of(webnn_builder *b, webnn_data_type type) {
  webnn_operand *x = input(b, "x", type, WEBNN_LIST(4096, 4096));
  return webnn_relu(b, webnn_add(b, x, input(b, "z", type, WEBNN_LIST(4096, 4096)), NULL), NULL);
}

static webnn_operand *make_map(webnn_builder *b) {
  return map_of(b, WEBNN_FLOAT32);
}

static webnn_operand *make_half_map(webnn_builder *b) {
  return map_of(b, WEBNN_FLOAT16);
}

static webnn_operand *make_cast(webnn_builder *b) {
  return webnn_cast(b, input(b, "x", WEBNN_FLOAT32, WEBNN_LIST(4096, 4096)), WEBNN_INT8, NULL);
}

static webnn_operand *make_rows(webnn_builder *b) {
  webnn_operand *x = input(b, "x", WEBNN_INT8, WEBNN_LIST(4096, 64, 64));
  webnn_transpose_options o = WEBNN_ZERO;
  o.permutation = WEBNN_LIST(1, 0, 2);
  return webnn_transpose(b, x, &o);
}

static webnn_operand *make_transpose(webnn_builder *b) {
  return webnn_transpose(b, input(b, "x", WEBNN_FLOAT32, WEBNN_LIST(4096, 4096)), NULL);
}

static webnn_operand *make_half_transpose(webnn_builder *b) {
  return webnn_transpose(b, input(b, "x", WEBNN_FLOAT16, WEBNN_LIST(4096, 4096)), NULL);
}

static webnn_operand *make_sum(webnn_builder *b) {
  static const uint32_t axis[1] = {1};
  webnn_reduce_options o = WEBNN_ZERO;
  o.axes = webnn_list_of(axis, 1);
  return webnn_reduce_sum(b, input(b, "x", WEBNN_FLOAT32, WEBNN_LIST(4096, 4096)), &o);
}

static webnn_operand *product(webnn_builder *b, webnn_data_type type) {
  webnn_operand *x = input(b, "x", type, WEBNN_LIST(4096, 4096));
  return webnn_matmul(b, x, input(b, "z", type, WEBNN_LIST(4096, 4096)), NULL);
}

static webnn_operand *make_product(webnn_builder *b) {
  return product(b, WEBNN_FLOAT32);
}

static webnn_operand *make_half_product(webnn_builder *b) {
  return product(b, WEBNN_FLOAT16);
}

/* Bytes with one scale and zero point for all: the weights are constants, with a row for each output. */
static webnn_operand *scaled(webnn_builder *b, webnn_operand *x, webnn_data_type type) {
  static const float scale[1] = {0.5f};
  static const unsigned char zero[1] = {0};
  webnn_operand_descriptor d;
  webnn_operand *s;
  d.shape = WEBNN_LIST(1, 1);
  d.data_type = WEBNN_FLOAT32;
  s = webnn_constant(b, d, scale, sizeof scale);
  d.data_type = type;
  return webnn_dequantize_linear(b, x, s, webnn_constant(b, d, zero, sizeof zero), NULL);
}

static webnn_operand *make_byte_product(webnn_builder *b) {
  const size_t bytes = (size_t)4096 * 4096;
  void *weights = test_allocate(bytes);
  webnn_operand_descriptor d;
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_operand *x, *w;
  memset(weights, 1, bytes);
  d.shape = WEBNN_LIST(4096, 4096);
  d.data_type = WEBNN_INT8;
  w = scaled(b, webnn_constant(b, d, weights, bytes), WEBNN_INT8);
  free(weights);
  x = scaled(b, input(b, "x", WEBNN_UINT8, WEBNN_LIST(4096, 4096)), WEBNN_UINT8);
  o.b_transpose = true;
  return webnn_gemm(b, x, w, &o);
}

static webnn_operand *attention_of(webnn_builder *b, webnn_data_type type) {
  webnn_operand *q = input(b, "q", type, WEBNN_LIST(1, 32, 1024, 64));
  webnn_operand *k = input(b, "k", type, WEBNN_LIST(1, 32, 64, 1024));
  webnn_operand *v = input(b, "v", type, WEBNN_LIST(1, 32, 1024, 64));
  return webnn_matmul(b, webnn_softmax(b, webnn_matmul(b, q, k, NULL), 3, NULL), v, NULL);
}

static webnn_operand *make_attention(webnn_builder *b) {
  return attention_of(b, WEBNN_FLOAT32);
}

static webnn_operand *make_half_attention(webnn_builder *b) {
  return attention_of(b, WEBNN_FLOAT16);
}

typedef struct subject {
  const char *title, *of; /* of its loop: once for what */
  webnn_operand *(*make)(webnn_builder *b);
  unsigned matrices; /* bits of their elements; 0: there are none */
  unsigned tile;     /* counted from 1; 0: the one that is chosen */
  bool printed;
  const char *known[4]; /* numbers that the text names and these shapes have */
  uint32_t values[4];
} subject;

static const subject subjects[] = {
    {"map: relu(x + z)", "an invocation", make_map, 0, 0, true, {NULL}, {0}},
    {"map of float16: relu(x + z)", "an invocation", make_half_map, 0, 0, false, {NULL}, {0}},
    {"cast from float32 to int8", "an invocation", make_cast, 0, 0, false, {NULL}, {0}},
    {"rows of 64 int8 in another order", "an invocation", make_rows, 0, 0, false, {NULL}, {0}},
    {"transpose", "an invocation", make_transpose, 0, 0, false, {NULL}, {0}},
    {"transpose of float16", "an invocation", make_half_transpose, 0, 0, false, {NULL}, {0}},
    {"sum of rows", "a step of 4 elements", make_sum, 0, 0, false, {NULL}, {0}},
    {"float32 tile of 128 x 128", "a step of 16 terms", make_product, 0, 0, true, {NULL}, {0}},
    {"attention",
     "a block of keys",
     make_attention,
     0,
     0,
     true,
     {"DEPTH", "VALUE_DEPTH"},
     {64, 64}},
    {"attention of float16 with matrices",
     "a block of keys",
     make_half_attention,
     16,
     0,
     false,
     {"DEPTH", "VALUE_DEPTH"},
     {64, 64}},
    {"float16 matrices, 128 x 256",
     "a step of 16 terms",
     make_half_product,
     16,
     3,
     false,
     {NULL},
     {0}},
    {"float16 matrices, 128 x 128 by 4",
     "a step of 32 terms",
     make_half_product,
     16,
     1,
     false,
     {NULL},
     {0}},
    {"float16 matrices, 128 x 128 by 8",
     "a step of 32 terms",
     make_half_product,
     16,
     4,
     false,
     {NULL},
     {0}},
    {"float16 matrices, 64 x 64",
     "a step of 32 terms",
     make_half_product,
     16,
     2,
     false,
     {NULL},
     {0}},
    {"int8 matrices, 128 x 256", "a step of 32 terms", make_byte_product, 8, 3, false, {NULL}, {0}},
    {"int8 matrices, 128 x 128 by 4",
     "a step of 64 terms",
     make_byte_product,
     8,
     1,
     false,
     {NULL},
     {0}},
    {"int8 matrices, 128 x 128 by 8",
     "a step of 64 terms",
     make_byte_product,
     8,
     4,
     false,
     {NULL},
     {0}},
    {"int8 matrices, 64 x 64", "a step of 64 terms", make_byte_product, 8, 2, false, {NULL}, {0}}};

/* Builds the graph on the pretended device, as far as its first kernel. */
static bool find_kernel(webnn_context *context, const subject *s) {
  webnn_error error = WEBNN_ZERO;
  webnn_builder *b = test_builder(context);
  webnn_named_operand output;
  webnn_graph *graph = NULL;
  free(latest.text);
  free(latest.words);
  memset(&latest, 0, sizeof latest);
  pretend_gpu((webnn_vk__gpu *)context->device, s->matrices > 0, s->tile);
  output.name = "y";
  output.operand = s->make(b);
  (void)webnn_build(b, &output, 1, &graph, &error);
  webnn_free_builder(b);
  return CHECK(s->title, latest.text != NULL, "no kernel: %s", error.message);
}

/* ---- Modules ---- */

typedef struct needs {
  double read, written;               /* bytes of memory */
  double shared_read, shared_written; /* bytes */
  double multiply_adds, others;       /* of floats */
} needs;

typedef struct module {
  const uint32_t *words;
  size_t count;
  size_t *defined; /* by id, where its instruction begins */
  uint32_t local, shared_bytes;
  double subgroup; /* invocations that share a matrix */
  const subject *of;
  const char *text;
  needs best; /* of the loop with an unknown number of rounds that has most multiply-adds */
  bool has_best;
} module;

static uint32_t op_at(const module *m, size_t at) {
  return m->words[at] & 0xffff;
}

static const uint32_t *definition(const module *m, uint32_t id) {
  return m->words + m->defined[id];
}

static uint32_t op_of(const module *m, uint32_t id) {
  return m->defined[id] == 0 ? 0 : op_at(m, m->defined[id]);
}

/* The word of an instruction that is its result's id; 0: it has none, or nobody asks for it. */
static uint32_t result_word(uint32_t op) {
  return op >= 19 && op <= 33                   ? 1
         : op == 62 || op == 71 || op == 72     ? 0
         : op == 4456                           ? 1
         : op == 248 || op == 11                ? 1
         : (op >= 12 && op <= 17) && op != 12   ? 0
         : op == 253 || op == 254 || op == 4458 ? 0
         : op >= 246 && op <= 250               ? 0
         : op == 224 || op == 56 || op == 10    ? 0
                                                : 2;
}

/* The storage class of what a pointer points to. */
static uint32_t storage_of(const module *m, uint32_t pointer) {
  return definition(m, definition(m, pointer)[1])[2];
}

static double size_of_type(const module *m, uint32_t id) {
  const uint32_t *d = definition(m, id);
  switch (d[0] & 0xffff) {
  case 21: /* integers and floats */
  case 22:
    return d[2] / 8;
  case 23: /* vectors */
    return size_of_type(m, d[2]) * d[3];
  case 28: /* arrays */
    return size_of_type(m, d[2]) * definition(m, d[3])[3];
  case 4456: /* cooperative matrices: an invocation's share */
    return size_of_type(m, d[2]) * definition(m, d[4])[3] * definition(m, d[5])[3] / m->subgroup;
  default:
    return 0;
  }
}

/* The value of a number of the push constants that the subject knows, by the text's block. */
static bool pushed(const module *m, uint32_t member, uint32_t *value) {
  const char *at = strstr(m->text, "uniform Pushes {");
  uint32_t i;
  for (i = 0; at != NULL && i <= member; i++) {
    at = strstr(at + 1, "  uint ");
  }
  for (i = 0; at != NULL && i < 4 && m->of->known[i] != NULL; i++) {
    const size_t length = strlen(m->of->known[i]);
    if (strncmp(at + 7, m->of->known[i], length) == 0 && at[7 + length] == ';') {
      *value = m->of->values[i];
      return true;
    }
  }
  return false;
}

static bool evaluate(const module *m, uint32_t id, uint32_t *value);

/* What a load gives: of the push constants, or of a variable that is written once. */
static bool evaluate_load(const module *m, uint32_t pointer, uint32_t *value) {
  const uint32_t *from = definition(m, pointer);
  uint32_t stored = 0, stores = 0;
  size_t at;
  if (op_of(m, pointer) == 65) {
    return definition(m, from[3])[3] == 9 && (from[0] >> 16) == 5 &&
           pushed(m, definition(m, from[4])[3], value);
  }
  for (at = 5; at < m->count; at += m->words[at] >> 16) {
    if (op_at(m, at) == 62 && m->words[at + 1] == pointer) {
      stored = m->words[at + 2];
      stores++;
    }
  }
  return stores == 1 && evaluate(m, stored, value);
}

/* A uint that is known when the kernel is made; of min(a, b) one may be known, as in all rounds but
   the last. */
static bool evaluate(const module *m, uint32_t id, uint32_t *value) {
  const uint32_t *d = definition(m, id), op = op_of(m, id);
  uint32_t a = UINT32_MAX, b = UINT32_MAX;
  if (op == 43) {
    *value = d[3];
    return true;
  }
  if (op == 61) {
    return evaluate_load(m, d[3], value);
  }
  if (op == 12) {
    const bool known_a = d[4] == 38 && evaluate(m, d[5], &a);
    const bool known_b = d[4] == 38 && evaluate(m, d[6], &b);
    *value = known_a && (!known_b || a < b) ? a : b;
    return known_a || known_b;
  }
  if ((op != 128 && op != 130 && op != 132 && op != 134) || !evaluate(m, d[3], &a) ||
      !evaluate(m, d[4], &b) || (op == 134 && b == 0)) {
    return false;
  }
  *value = op == 128 ? a + b : op == 130 ? a - b : op == 132 ? a * b : a / b;
  return true;
}

static size_t find_label(const module *m, size_t from, uint32_t label) {
  while (from < m->count && !(op_at(m, from) == 248 && m->words[from + 1] == label)) {
    from += m->words[from] >> 16;
  }
  return from;
}

/* The variable of a loop `for (uint k = first; k < end; k += step)`, whose merge instruction stands
   at `at`; 0: not such a loop. */
static uint32_t loop_variable(const module *m, size_t at, uint32_t *end_id) {
  const uint32_t *d, *load;
  while (op_at(m, at) != 250) {
    at += m->words[at] >> 16;
  }
  d = definition(m, m->words[at + 1]);
  load = op_of(m, m->words[at + 1]) == 176 && op_of(m, d[3]) == 61 ? definition(m, d[3]) : NULL;
  if (load == NULL || op_of(m, load[3]) != 59) {
    return 0;
  }
  *end_id = d[4];
  return load[3];
}

/* Is this the number of the invocation? Loops from there to a size by all invocations share their
   rounds. */
static bool is_invocation(const module *m, uint32_t id) {
  const uint32_t *d = definition(m, id);
  return op_of(m, id) == 61 && op_of(m, d[3]) == 65 && storage_of(m, d[3]) == 1;
}

/* The constant that was put into a variable last between two places, as `value` or as something
   more. */
static bool last_stored(const module *m, size_t from, size_t to, uint32_t variable, bool more,
                        uint32_t *value) {
  bool found = false;
  for (; from < to; from += m->words[from] >> 16) {
    const uint32_t *store = m->words + from;
    if (op_at(m, from) == 62 && store[1] == variable) {
      if (more) {
        found = op_of(m, store[2]) == 128 && evaluate(m, definition(m, store[2])[4], value);
      } else if (is_invocation(m, store[2])) {
        *value = 0;
        found = true;
      } else {
        found = evaluate(m, store[2], value);
      }
    }
  }
  return found;
}

/* How many rounds a loop makes; 0: this depends on more than the kernel. */
static uint32_t rounds_of(const module *m, size_t function, size_t at) {
  const uint32_t merge = m->words[at + 1], step_label = m->words[at + 2];
  uint32_t end_id = 0, first, end, step;
  const uint32_t variable = loop_variable(m, at, &end_id);
  const size_t behind = find_label(m, at, merge);
  if (variable == 0 || !evaluate(m, end_id, &end) ||
      !last_stored(m, function, at, variable, false, &first) ||
      !last_stored(m, find_label(m, at, step_label), behind, variable, true, &step) || step == 0) {
    return 0;
  }
  return end > first ? (end - first + step - 1) / step : 0;
}

static void add_needs(needs *to, const needs *more, double times) {
  to->read += times * more->read;
  to->written += times * more->written;
  to->shared_read += times * more->shared_read;
  to->shared_written += times * more->shared_written;
  to->multiply_adds += times * more->multiply_adds;
  to->others += times * more->others;
}

static double components(const module *m, uint32_t type) {
  const uint32_t *d = definition(m, type);
  return (d[0] & 0xffff) == 23 ? d[3] : 1;
}

/* A matrix' multiplications by one more, of which an invocation has its share. */
static double matrix_products(const module *m, const uint32_t *instruction) {
  const uint32_t *a = definition(m, definition(m, instruction[3])[1]);
  const uint32_t *sum = definition(m, instruction[1]);
  return (double)definition(m, a[5])[3] * definition(m, sum[4])[3] * definition(m, sum[5])[3] /
         m->subgroup;
}

static void count_instruction(const module *m, size_t at, needs *n) {
  const uint32_t *w = m->words + at, op = op_at(m, at);
  const bool load = op == 61 || op == 4457;
  if (load || op == 62 || op == 4458) {
    const uint32_t pointer = load ? w[3] : w[1], storage = storage_of(m, pointer);
    const uint32_t type = load ? w[1] : definition(m, w[2])[1];
    const double bytes = storage == 4 || storage == 12 ? size_of_type(m, type) : 0;
    double *to = storage == 4 ? (load ? &n->shared_read : &n->shared_written)
                              : (load ? &n->read : &n->written);
    *to += bytes;
  } else if (op == 239 || op == 241) { /* atomics on a word */
    n->written += storage_of(m, w[3]) == 12 ? 4 : 0;
  } else if (op == 12 && w[4] == 50) {
    n->multiply_adds += components(m, w[1]);
  } else if (op == 4459) {
    n->multiply_adds += matrix_products(m, w);
  } else if (op == 129 || op == 131 || op == 133 || op == 136) {
    n->others += components(m, w[1]);
  }
}

static needs needs_of_function(module *m, uint32_t id);

/* What stands between two places of a function, loops by their rounds. All sides of ways that part
   are counted, as if they were all gone. */
static needs needs_between(module *m, size_t function, size_t at, size_t to) {
  needs n = WEBNN_ZERO;
  while (at < to) {
    const uint32_t op = op_at(m, at), length = m->words[at] >> 16;
    if (op == 246) { /* a loop: this instruction, then what is up to its end */
      const size_t behind = find_label(m, at, m->words[at + 1]);
      const uint32_t rounds = rounds_of(m, function, at);
      const needs inside = needs_between(m, function, at + length, behind);
      if (rounds == 0 &&
          (!m->has_best || inside.multiply_adds > m->best.multiply_adds ||
           (inside.multiply_adds == m->best.multiply_adds && inside.read > m->best.read))) {
        m->best = inside;
        m->has_best = true;
      }
      add_needs(&n, &inside, rounds == 0 ? 1 : rounds);
      at = behind;
      continue;
    }
    if (op == 57) {
      const needs called = needs_of_function(m, m->words[at + 3]);
      add_needs(&n, &called, 1);
    } else {
      count_instruction(m, at, &n);
    }
    at += length;
  }
  return n;
}

static needs needs_of_function(module *m, uint32_t id) {
  const size_t begin = m->defined[id];
  size_t end = begin;
  while (op_at(m, end) != 56) {
    end += m->words[end] >> 16;
  }
  return needs_between(m, begin, begin, end);
}

/* Reads a module: where ids are defined, its workgroup and shared memory, and what its loop needs.
   */
static needs read_module(module *m) {
  uint32_t entry = 0;
  needs all;
  size_t at;
  m->defined = (size_t *)test_allocate(m->words[3] * sizeof *m->defined);
  memset(m->defined, 0, m->words[3] * sizeof *m->defined);
  for (at = 5; at < m->count; at += m->words[at] >> 16) {
    const uint32_t op = op_at(m, at), word = result_word(op);
    if (word != 0 && word < m->words[at] >> 16) {
      m->defined[m->words[at + word]] = at;
    }
    entry = op == 15 ? m->words[at + 2] : entry;
    m->local = op == 16 && m->words[at + 2] == 17 ? m->words[at + 3] : m->local;
    if (op == 59 && m->words[at + 3] == 4) {
      m->shared_bytes += (uint32_t)size_of_type(m, definition(m, m->words[at + 1])[3]);
    }
  }
  all = needs_of_function(m, entry);
  free(m->defined);
  return m->has_best ? m->best : all;
}

/* ---- Devices ---- */

typedef struct device {
  const char *name;
  /* a second: bytes; float32; by matrices of float16 and of bytes; bytes */
  double memory, multiply_adds, half_adds, byte_adds, shared;
  double threads, shared_bytes; /* of a unit that runs workgroups */
} device;

/* vulkan.md says where these numbers are from. Shared memory gives 4 bytes for each multiply-add
   that can be begun at a time: 128 bytes a clock for 32 banks. */
static const device devices[] = {
    {"H100", 3.35e12, 33.5e12, 494e12, 989e12, 33.5e12, 2048, 233472},
    {"RTX 4090", 1.008e12, 41.3e12, 82.6e12, 330e12, 41.3e12, 1536, 102400},
    {"RX 7900 XTX", 0.96e12, 30.7e12, 61.4e12, 61.4e12, 30.7e12, 1024, 65536},
    {"Adreno 740", 0.064e12, 1.05e12, 0, 0, 1.05e12, 1024, 32768}};

/* "memory 100 %, shared 20 %" of what takes longest. */
static void print_share(char *to, size_t room, const module *m, const needs *n, const device *d) {
  const double memory = (n->read + n->written) / d->memory;
  const double shared = (n->shared_read + n->shared_written) / d->shared;
  const double matrix_adds = m->of->matrices == 8 ? d->byte_adds : d->half_adds;
  const double arithmetic = m->of->matrices ? n->multiply_adds / matrix_adds
                                            : (n->multiply_adds + n->others) / d->multiply_adds;
  double most = memory > shared ? memory : shared;
  most = most > arithmetic ? most : arithmetic;
  if (m->of->matrices && matrix_adds == 0) {
    snprintf(to, room, "none");
  } else {
    snprintf(to, room, "%.0f / %.0f / %.0f", 100 * memory / most, 100 * shared / most,
             100 * arithmetic / most);
  }
}

static double in_flight(const module *m, const device *d) {
  const double by_threads = floor(d->threads / m->local);
  const double by_shared =
      m->shared_bytes > 0 ? floor(d->shared_bytes / m->shared_bytes) : by_threads;
  return m->local * (by_threads < by_shared ? by_threads : by_shared);
}

/* ---- The page ---- */

static const char *page; /* NULL: print */

/* Prints the piece, or looks for it in the page. */
static void put(const char *title, const char *piece) {
  if (page == NULL) {
    printf("%s", piece);
  } else {
    CHECK(title, strstr(page, piece) != NULL, "the page does not have this:\n%s", piece);
  }
}

static void put_needs(const module *m, const needs *n) {
  char line[512];
  snprintf(line, sizeof line, "| %s | %s | %.0f + %.0f | %.0f + %.0f | %.0f + %.0f | %u | %u |\n",
           m->of->title, m->of->of, n->read, n->written, n->shared_read, n->shared_written,
           n->multiply_adds, n->others, m->local, m->shared_bytes);
  put(m->of->title, line);
}

static void put_shares(const module *m, const needs *n) {
  const size_t count = sizeof devices / sizeof *devices;
  char line[512], share[64];
  size_t used, i;
  used = (size_t)snprintf(line, sizeof line, "| %s |", m->of->title);
  for (i = 0; i < count; i++) {
    print_share(share, sizeof share, m, n, &devices[i]);
    used += (size_t)snprintf(line + used, sizeof line - used, " %s, %.0f |", share,
                             in_flight(m, &devices[i]));
  }
  snprintf(line + used, sizeof line - used, "\n");
  put(m->of->title, line);
}

static void put_text(const subject *s) {
  const size_t room = strlen(latest.text) + 200;
  char *piece = (char *)test_allocate(room);
  snprintf(piece, room, "```glsl\n%s```\n", latest.text);
  put(s->title, piece);
  free(piece);
}

static char *read_page(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = (char *)test_allocate(1 << 20);
  if (file == NULL) {
    printf("%s: cannot be read\n", path);
    exit(1);
  }
  text[fread(text, 1, (1 << 20) - 1, file)] = 0;
  fclose(file);
  return text;
}

typedef enum part { NEEDS, SHARES, TEXTS, PARTS } part;

/* A line of a table for the kernel, or its text. */
static void put_subject(webnn_context *context, const subject *s, part what) {
  module m = WEBNN_ZERO;
  needs n;
  if (!find_kernel(context, s)) {
    return;
  }
  m.words = latest.words;
  m.count = latest.count;
  m.text = latest.text;
  m.of = s;
  m.subgroup = 32;
  n = read_module(&m);
  if (what == NEEDS) {
    put_needs(&m, &n);
  } else if (what == SHARES) {
    put_shares(&m, &n);
  } else if (s->printed) {
    put_text(s);
  }
}

int main(int count, char **arguments) {
  webnn_context_options options = WEBNN_ZERO;
  webnn_vulkan_options vulkan = WEBNN_ZERO;
  webnn_context *context = NULL;
  webnn_error error = WEBNN_ZERO;
  size_t i;
  int what;
  page = count > 1 ? read_page(arguments[1]) : NULL;
  vulkan.kernel = capture;
  options.backend = webnn_vulkan_backend();
  options.backend_options = &vulkan;
  options.threads = 1;
  if (webnn_create_context(&options, &context, &error) != WEBNN_OK) {
    test_skip("needs", error.message);
    return test_end();
  }
  make_nothing(&((webnn_vk__gpu *)context->device)->instance.f);
  for (what = 0; what < PARTS; what++) {
    for (i = 0; i < sizeof subjects / sizeof *subjects; i++) {
      put_subject(context, &subjects[i], (part)what);
    }
  }
  webnn_free_context(context);
  return test_end();
}
