/* What kernels need, read from their SPIR-V: the bytes that an invocation reads and writes, in
   memory and in shared memory, its multiply-adds and operations on integers, the words that it
   keeps in registers, how many invocations a workgroup has and how much shared memory, and which
   share of a device's limits this allows. The kernels are those of a GPU with 48 KB of shared
   memory, planned on whatever device there is; nothing is run. docs/vulkan.md prints some of their
   texts and these tables.

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
  uint32_t left; /* kernels that come before it */
  char *text;    /* NULL: not yet there */
  uint32_t *words;
  size_t count;
} captured;

static captured latest;

static void capture(void *user, const char *text, const uint32_t *words, size_t word_count) {
  (void)user;
  if (latest.text == NULL && latest.left-- == 0) {
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
  return latest.text == NULL ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VKAPI_ATTR VkResult VKAPI_CALL no_pipelines(VkDevice device, VkPipelineCache cache,
                                                   uint32_t count,
                                                   const VkComputePipelineCreateInfo *info,
                                                   const VkAllocationCallbacks *callbacks,
                                                   VkPipeline *pipelines) {
  (void)device;
  (void)cache;
  (void)count;
  (void)info;
  (void)callbacks;
  *pipelines = VK_NULL_HANDLE;
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
  f->CreateComputePipelines = no_pipelines;
  f->CreateDescriptorSetLayout = no_set_layout;
  f->CreatePipelineLayout = no_layout;
}

/* A GPU, the same whatever the device is. */
static void pretend_gpu(webnn_vk__gpu *gpu, bool matrices, uint32_t tile, bool rounds) {
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
  t->converts_halves = rounds;
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

/* A kernel, made of a graph by `make` from what stands beside it. */
typedef struct subject {
  const char *title, *of; /* of its loop: once for what */
  webnn_operand *(*make)(webnn_builder *b, const struct subject *s);
  webnn_data_type type;
  uint32_t option;    /* an axis, a layout, a size: `make` says */
  uint32_t kernel;    /* of the graph, counted from 0 */
  unsigned matrices;  /* bits of their elements; 0: there are none */
  unsigned tile;      /* counted from 1; 0: the one that is chosen */
  uint32_t depth;     /* DEPTH and VALUE_DEPTH of the text; 0: it has none, or their loop is read */
  uint32_t registers; /* of the driver of an H200, of the nearest case of the bench; 0: not known */
  enum { BEST, WHOLE, PRINTED } is; /* WHOLE: its loops follow one another, and all are added */
} subject;

/* A constant of equal bytes. */
static webnn_operand *filled(webnn_builder *b, webnn_data_type type, webnn_list shape, int byte) {
  webnn_operand_descriptor d;
  webnn_operand *w;
  size_t bytes = webnn_data_type_bits(type) / 8, i;
  void *data;
  d.data_type = type;
  d.shape = shape;
  for (i = 0; i < shape.count; i++) {
    bytes *= shape.items[i];
  }
  data = test_allocate(bytes);
  memset(data, byte, bytes);
  w = webnn_constant(b, d, data, bytes);
  free(data);
  return w;
}

/* Floats near 1: 0x3f3f or 0x3f3f3f3f. */
static webnn_operand *weights_of(webnn_builder *b, webnn_data_type type, webnn_list shape) {
  return filled(b, type, shape, 0x3f);
}

/* float16 are rounded by the device with the option, else by integers. */
static webnn_operand *make_map(webnn_builder *b, const subject *s) {
  webnn_operand *x = input(b, "x", s->type, WEBNN_LIST(4096, 4096));
  return webnn_relu(b, webnn_add(b, x, input(b, "z", s->type, WEBNN_LIST(4096, 4096)), NULL), NULL);
}

static webnn_operand *make_cast(webnn_builder *b, const subject *s) {
  return webnn_cast(b, input(b, "x", s->type, WEBNN_LIST(4096, 4096)), WEBNN_INT8, NULL);
}

static webnn_operand *make_rows(webnn_builder *b, const subject *s) {
  webnn_operand *x = input(b, "x", s->type, WEBNN_LIST(4096, 64, 64));
  webnn_transpose_options o = WEBNN_ZERO;
  o.permutation = WEBNN_LIST(1, 0, 2);
  return webnn_transpose(b, x, &o);
}

static webnn_operand *make_transpose(webnn_builder *b, const subject *s) {
  return webnn_transpose(b, input(b, "x", s->type, WEBNN_LIST(4096, 4096)), NULL);
}

static webnn_operand *make_gather(webnn_builder *b, const subject *s) {
  webnn_operand *x = input(b, "x", s->type, WEBNN_LIST(16384, 1024));
  return webnn_gather(b, x, input(b, "i", WEBNN_INT64, WEBNN_LIST(16384)), NULL);
}

/* Along the axis of the option. */
static webnn_operand *make_sum(webnn_builder *b, const subject *s) {
  webnn_reduce_options o = WEBNN_ZERO;
  o.axes = webnn_list_of(&s->option, 1);
  return webnn_reduce_sum(b, input(b, "x", s->type, WEBNN_LIST(4096, 4096)), &o);
}

static webnn_operand *make_running_sum(webnn_builder *b, const subject *s) {
  webnn_operand *x = input(b, "x", s->type, WEBNN_LIST(4096, 4096));
  return webnn_cumulative_sum(b, x, s->option, NULL);
}

/* Of rows as long as the option. */
static webnn_operand *make_softmax(webnn_builder *b, const subject *s) {
  return webnn_softmax(b, input(b, "x", s->type, WEBNN_LIST(4096, s->option)), 1, NULL);
}

static webnn_operand *make_normalization(webnn_builder *b, const subject *s) {
  webnn_layer_normalization_options o = WEBNN_ZERO;
  o.scale = weights_of(b, s->type, WEBNN_LIST(s->option));
  o.bias = weights_of(b, s->type, WEBNN_LIST(s->option));
  return webnn_layer_normalization(b, input(b, "x", s->type, WEBNN_LIST(4096, s->option)), &o);
}

/* To as many columns as the option. */
static webnn_operand *make_product(webnn_builder *b, const subject *s) {
  webnn_operand *x = input(b, "x", s->type, WEBNN_LIST(4096, s->option));
  return webnn_matmul(b, x, input(b, "z", s->type, WEBNN_LIST(s->option, s->option)), NULL);
}

/* Bytes with one scale and zero point for all. */
static webnn_operand *scaled(webnn_builder *b, webnn_operand *x, webnn_data_type type) {
  webnn_operand *s = weights_of(b, WEBNN_FLOAT32, WEBNN_LIST(1, 1));
  return webnn_dequantize_linear(b, x, s, filled(b, type, WEBNN_LIST(1, 1), 0), NULL);
}

/* The weights are constants, with a row for each output. */
static webnn_operand *make_byte_product(webnn_builder *b, const subject *s) {
  webnn_gemm_options o = WEBNN_ZERO;
  webnn_operand *w = scaled(b, weights_of(b, s->type, WEBNN_LIST(4096, 4096)), s->type);
  webnn_operand *x = input(b, "x", WEBNN_UINT8, WEBNN_LIST(4096, 4096));
  o.b_transpose = true;
  return webnn_gemm(b, scaled(b, x, WEBNN_UINT8), w, &o);
}

/* As many rows as the option by weights. */
static webnn_operand *make_linear(webnn_builder *b, const subject *s) {
  webnn_operand *x = input(b, "x", s->type, WEBNN_LIST(s->option, 4096));
  return webnn_matmul(b, x, weights_of(b, s->type, WEBNN_LIST(4096, 4096)), NULL);
}

/* The same by int8 with a scale for each output. */
static webnn_operand *make_packed_linear(webnn_builder *b, const subject *s) {
  webnn_operand *x = input(b, "x", s->type, WEBNN_LIST(s->option, 4096));
  webnn_operand *w = filled(b, WEBNN_INT8, WEBNN_LIST(4096, 4096), 1);
  webnn_operand *scale = weights_of(b, s->type, WEBNN_LIST(1, 4096));
  webnn_operand *zero = filled(b, WEBNN_INT8, WEBNN_LIST(1, 4096), 0);
  return webnn_matmul(b, x, webnn_dequantize_linear(b, w, scale, zero, NULL), NULL);
}

/* 3x3 over 32 images of 56 x 56, nhwc with the option. */
static webnn_operand *conv_of(webnn_builder *b, const subject *s, uint32_t channels,
                              uint32_t groups) {
  const webnn_list nchw = WEBNN_LIST(32, channels, 56, 56);
  const webnn_list nhwc = WEBNN_LIST(32, 56, 56, channels);
  webnn_conv2d_options o = WEBNN_ZERO;
  webnn_operand *x = input(b, "x", s->type, s->option ? nhwc : nchw);
  o.input_layout = s->option ? WEBNN_LAYOUT_NHWC : WEBNN_LAYOUT_NCHW;
  o.padding = WEBNN_LIST(1, 1, 1, 1);
  o.groups = groups;
  o.bias = weights_of(b, s->type, WEBNN_LIST(channels));
  return webnn_conv2d(b, x, weights_of(b, s->type, WEBNN_LIST(channels, channels / groups, 3, 3)),
                      &o);
}

static webnn_operand *make_conv(webnn_builder *b, const subject *s) {
  return conv_of(b, s, 64, 1);
}

static webnn_operand *make_depthwise(webnn_builder *b, const subject *s) {
  return conv_of(b, s, 144, 144);
}

static webnn_operand *make_pool(webnn_builder *b, const subject *s) {
  webnn_pool2d_options o = WEBNN_ZERO;
  o.window_dimensions = WEBNN_LIST(3, 3);
  o.strides = WEBNN_LIST(2, 2);
  o.padding = WEBNN_LIST(1, 1, 1, 1);
  return webnn_max_pool2d(b, input(b, "x", s->type, WEBNN_LIST(8, 64, 112, 112)), &o);
}

static webnn_operand *make_resizing(webnn_builder *b, const subject *s) {
  webnn_resample2d_options o = WEBNN_ZERO;
  o.mode = WEBNN_INTERPOLATION_LINEAR;
  o.sizes = WEBNN_LIST(224, 224);
  return webnn_resample2d(b, input(b, "x", s->type, WEBNN_LIST(8, 64, 112, 112)), &o);
}

/* 100 steps of 32 x with as many hidden units as the option. */
static webnn_operand *make_lstm(webnn_builder *b, const subject *s) {
  const uint32_t hidden = s->option;
  webnn_operand *outputs[3];
  webnn_lstm_options o = WEBNN_ZERO;
  o.return_sequence = true;
  o.bias = weights_of(b, s->type, WEBNN_LIST(1, 4 * hidden));
  o.recurrent_bias = weights_of(b, s->type, WEBNN_LIST(1, 4 * hidden));
  (void)webnn_lstm(b, input(b, "x", s->type, WEBNN_LIST(100, 32, hidden)),
                   weights_of(b, s->type, WEBNN_LIST(1, 4 * hidden, hidden)),
                   weights_of(b, s->type, WEBNN_LIST(1, 4 * hidden, hidden)), 100, hidden, &o,
                   outputs);
  return outputs[2];
}

static webnn_operand *make_attention(webnn_builder *b, const subject *s) {
  webnn_operand *q = input(b, "q", s->type, WEBNN_LIST(1, 32, 1024, 64));
  webnn_operand *k = input(b, "k", s->type, WEBNN_LIST(1, 32, 64, 1024));
  webnn_operand *v = input(b, "v", s->type, WEBNN_LIST(1, 32, 1024, 64));
  return webnn_matmul(b, webnn_softmax(b, webnn_matmul(b, q, k, NULL), 3, NULL), v, NULL);
}

#define F32 WEBNN_FLOAT32
#define F16 WEBNN_FLOAT16
#define I8 WEBNN_INT8

/* clang-format off */
static const subject subjects[] = {
    {"map: relu(x + z)", "an invocation", make_map, F32, 0, 0, 0, 0, 0, 16, PRINTED},
    {"map of float16: relu(x + z)", "an invocation", make_map, F16, 0, 0, 0, 0, 0, 17, BEST},
    {"the same, rounded by the device", "an invocation", make_map, F16, 1, 0, 0, 0, 0, 0, BEST},
    {"cast from float32 to int8", "an invocation", make_cast, F32, 0, 0, 0, 0, 0, 16, BEST},
    {"rows of 64 int8 in another order", "an invocation", make_rows, I8, 0, 0, 0, 0, 0, 16, BEST},
    {"transpose", "an invocation", make_transpose, F32, 0, 0, 0, 0, 0, 25, BEST},
    {"transpose of float16", "an invocation", make_transpose, F16, 0, 0, 0, 0, 0, 47, BEST},
    {"gather of rows", "an invocation", make_gather, F32, 0, 0, 0, 0, 0, 16, BEST},
    {"sum of rows", "a step of 4 elements", make_sum, F32, 1, 0, 0, 0, 0, 22, BEST},
    {"sum of columns", "a step of 4 elements", make_sum, F32, 0, 0, 0, 0, 0, 22, BEST},
    {"running sum along rows", "a step of 8 elements",
     make_running_sum, F32, 1, 0, 0, 0, 0, 0, BEST},
    {"running sum along columns", "a step of 4 elements",
     make_running_sum, F32, 0, 0, 0, 0, 0, 0, BEST},
    {"softmax of rows of 128", "an invocation", make_softmax, F32, 128, 0, 0, 0, 0, 0, BEST},
    {"softmax of rows of 4,096", "an invocation", make_softmax, F32, 4096, 0, 0, 0, 0, 0, BEST},
    {"softmax of longer rows", "an element, in three loops",
     make_softmax, F32, 8192, 0, 0, 0, 0, 20, WHOLE},
    {"layer normalization of rows of 1,024", "an invocation",
     make_normalization, F32, 1024, 0, 0, 0, 0, 0, BEST},
    {"layer normalization of longer rows", "an element, in three loops",
     make_normalization, F32, 8192, 0, 0, 0, 0, 28, WHOLE},
    {"max pool 3x3, stride 2", "an element of the window", make_pool, F32, 0, 0, 0, 0, 0, 16, BEST},
    {"bilinear resizing by 2", "an invocation", make_resizing, F32, 0, 0, 0, 0, 0, 27, BEST},
    {"depthwise 3x3, nchw", "an invocation", make_depthwise, F32, 0, 0, 0, 0, 0, 0, BEST},
    {"depthwise 3x3, nhwc", "an invocation", make_depthwise, F32, 1, 0, 0, 0, 0, 0, BEST},
    {"lstm of 64 units", "a step", make_lstm, F32, 64, 2, 0, 0, 0, 32, BEST},
    {"step of an lstm of 512 units", "an invocation", make_lstm, F32, 512, 2, 0, 0, 0, 32, BEST},
    {"1 row by weights", "a step of 8 terms", make_linear, F32, 1, 0, 0, 0, 0, 47, BEST},
    {"1 row by int8 weights", "a step of 8 terms",
     make_packed_linear, F32, 1, 0, 0, 0, 0, 48, BEST},
    {"float32 tile of 128 x 128", "a step of 16 terms",
     make_product, F32, 4096, 0, 0, 0, 0, 115, PRINTED},
    {"float32 tile of 64 x 64", "a step of 16 terms",
     make_product, F32, 256, 0, 0, 0, 0, 137, BEST},
    {"float32 tile by int8 weights", "a step of 16 terms",
     make_packed_linear, F32, 512, 0, 0, 0, 0, 124, BEST},
    {"conv2d 3x3, nchw, float32 tile of 64 x 64", "a step of 16 terms",
     make_conv, F32, 0, 0, 0, 0, 0, 0, BEST},
    {"conv2d 3x3, nhwc, float32 tile of 64 x 64", "a step of 16 terms",
     make_conv, F32, 1, 0, 0, 0, 0, 179, BEST},
    {"attention", "a block of keys", make_attention, F32, 0, 0, 0, 0, 64, 136, PRINTED},
    {"attention of float16 with matrices", "a block of keys",
     make_attention, F16, 0, 0, 16, 0, 64, 109, BEST},
    {"float16 matrices, 128 x 256", "a step of 16 terms",
     make_product, F16, 4096, 0, 16, 3, 0, 187, BEST},
    {"float16 matrices, 128 x 128 by 4", "a step of 32 terms",
     make_product, F16, 4096, 0, 16, 1, 0, 241, BEST},
    {"float16 matrices, 128 x 128 by 8", "a step of 32 terms",
     make_product, F16, 4096, 0, 16, 4, 0, 0, BEST},
    {"float16 matrices, 64 x 64", "a step of 32 terms",
     make_product, F16, 4096, 0, 16, 2, 0, 108, BEST},
    {"float16 matrices by int8 weights", "a step of 32 terms",
     make_packed_linear, F16, 512, 0, 16, 1, 0, 241, BEST},
    {"conv2d 3x3, nchw, float16 matrices, 64 x 64", "a step of 32 terms",
     make_conv, F16, 0, 0, 16, 0, 0, 0, BEST},
    {"conv2d 3x3, nhwc, float16 matrices, 64 x 64", "a step of 32 terms",
     make_conv, F16, 1, 0, 16, 0, 0, 148, BEST},
    {"int8 matrices, 128 x 256", "a step of 32 terms",
     make_byte_product, I8, 0, 0, 8, 3, 0, 184, BEST},
    {"int8 matrices, 128 x 128 by 4", "a step of 64 terms",
     make_byte_product, I8, 0, 0, 8, 1, 0, 0, BEST},
    {"int8 matrices, 128 x 128 by 8", "a step of 64 terms",
     make_byte_product, I8, 0, 0, 8, 4, 0, 0, BEST},
    {"int8 matrices, 64 x 64", "a step of 64 terms",
     make_byte_product, I8, 0, 0, 8, 2, 0, 0, BEST}};
/* clang-format on */

/* Builds the graph on the pretended device, as far as the kernel. */
static bool find_kernel(webnn_context *context, const subject *s) {
  webnn_error error = WEBNN_ZERO;
  webnn_builder *b = test_builder(context);
  webnn_named_operand output;
  webnn_graph *graph = NULL;
  free(latest.text);
  free(latest.words);
  memset(&latest, 0, sizeof latest);
  latest.left = s->kernel;
  pretend_gpu((webnn_vk__gpu *)context->device, s->matrices > 0, s->tile,
              s->make == make_map && s->option);
  output.name = "y";
  output.operand = s->make(b, s);
  (void)webnn_build(b, &output, 1, &graph, &error);
  webnn_free_builder(b);
  return CHECK(s->title, latest.text != NULL, "no kernel: %s", error.message);
}

/* ---- Modules ---- */

enum { LEVELS = 8 };

typedef struct needs {
  double read, written;               /* bytes of memory */
  double shared_read, shared_written; /* bytes */
  double multiply_adds, others;       /* of floats */
  double matrix_adds;                 /* of the multiply-adds, those of matrices */
  /* Operations on integers, by how often they are needed: once, or in each round of the first,
     second, ... of the loops around them that run for as long as there is work. */
  double integers[LEVELS];
} needs;

typedef struct module {
  const uint32_t *words;
  size_t count;
  size_t *defined; /* by id, where its instruction begins */
  uint32_t local, shared_bytes;
  double held;     /* words in registers through the loop */
  double subgroup; /* invocations that share a matrix */
  const subject *of;
  const char *text;
  /* By id, how often a value changes: 0: it is known when the kernel is compiled, with its loops
     unrolled; 1: it is the same in all rounds; 2: it changes with the rounds of the outer loop;
     3: of the loop in it... */
  uint8_t *level;
  uint32_t *variable; /* of a parameter that is a pointer */
  uint32_t depth;     /* 1 and the loops around what is read */
  size_t *stored;     /* by id, where a variable is stored first */
  size_t parted;      /* where ways part last, by a condition */
  uint8_t parted_by;  /* that changes this often */
  uint8_t returned;   /* by the function */
  bool settling;      /* a loop's levels are not yet known */
  needs best;         /* of the loop with an unknown number of rounds that has most to do */
  size_t loops[32];   /* where those are that are added */
  size_t loop_count;
  size_t best_at;       /* where it is; 0: there is none */
  size_t best_function; /* where the function of that loop begins */
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
  *value = m->of->depth;
  return m->of->depth > 0 && at != NULL &&
         (strncmp(at + 7, "DEPTH;", 6) == 0 || strncmp(at + 7, "VALUE_DEPTH;", 12) == 0);
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

/* The variable of a loop `for (uint k = first; k < end; k = step of k)` or `k > end`, whose merge
   instruction stands at `at`; 0: not such a loop. */
static uint32_t loop_variable(const module *m, size_t at, uint32_t *end_id, uint32_t *condition) {
  const uint32_t *d, *load;
  while (op_at(m, at) != 250) {
    at += m->words[at] >> 16;
  }
  d = definition(m, m->words[at + 1]);
  *condition = op_of(m, m->words[at + 1]);
  load =
      (*condition == 176 || *condition == 172) && op_of(m, d[3]) == 61 ? definition(m, d[3]) : NULL;
  if (load == NULL || op_of(m, load[3]) != 59) {
    return 0;
  }
  *end_id = d[4];
  return load[3];
}

static bool is_integer(const module *m, uint32_t type) {
  const uint32_t *d = definition(m, type);
  return (d[0] & 0xffff) == 21 || ((d[0] & 0xffff) == 23 && is_integer(m, d[2]));
}

/* Arithmetic, shifts, bits, comparisons and choices of integers; conversions are none of these, nor
   is what an access to memory does with its indices. */
static bool is_of_integers(const module *m, const uint32_t *w) {
  const uint32_t op = w[0] & 0xffff;
  switch (op) {
  case 12: /* absolute value, sign; smallest, largest, within bounds; bits */
    return w[4] == 5 || w[4] == 7 || w[4] == 38 || w[4] == 39 || w[4] == 41 || w[4] == 42 ||
           w[4] == 44 || w[4] == 45 || (w[4] >= 73 && w[4] <= 75);
  case 169:
    return is_integer(m, w[1]);
  default:
    return op == 126 || op == 128 || op == 130 || op == 132 || op == 134 || op == 135 ||
           (op >= 137 && op <= 139) || op == 151 || op == 152 || (op >= 170 && op <= 179) ||
           (op >= 194 && op <= 205);
  }
}

/* Are these the same expression, of the same variables? */
static bool is_same(const module *m, uint32_t a, uint32_t b) {
  const uint32_t *x = definition(m, a), *y = definition(m, b);
  uint32_t i;
  if (a == b) {
    return true;
  }
  if (x[0] != y[0] || (op_of(m, a) != 61 && op_of(m, a) != 65 && !is_of_integers(m, x))) {
    return false;
  }
  for (i = 3; i < x[0] >> 16; i++) {
    if (!is_same(m, x[i], y[i])) {
      return false;
    }
  }
  return true;
}

/* What was put into a variable last between two places; 0: nothing. */
static uint32_t last_stored(const module *m, size_t from, size_t to, uint32_t variable) {
  uint32_t found = 0;
  for (; from < to; from += m->words[from] >> 16) {
    found = op_at(m, from) == 62 && m->words[from + 1] == variable ? m->words[from + 2] : found;
  }
  return found;
}

/* A loop's variable after a round. */
static uint32_t after(uint32_t op, uint32_t value, uint32_t step) {
  switch (op) {
  case 128:
    return value + step;
  case 134:
    return step > 0 ? value / step : value;
  case 194:
    return value >> step;
  case 196:
    return value << step;
  default:
    return value;
  }
}

/* How many rounds a loop makes; 0: this depends on more than the kernel. */
static uint32_t rounds_of(const module *m, size_t function, size_t at) {
  const size_t behind = find_label(m, at, m->words[at + 1]);
  const size_t step_at = find_label(m, at, m->words[at + 2]);
  uint32_t end_id = 0, condition = 0, first_id, step_id, first = 0, end, step, rounds = 0;
  const uint32_t variable = loop_variable(m, at, &end_id, &condition);
  if (variable == 0 || (first_id = last_stored(m, function, at, variable)) == 0 ||
      (step_id = last_stored(m, step_at, behind, variable)) == 0 ||
      definition(m, step_id)[0] >> 16 != 5 || !evaluate(m, definition(m, step_id)[4], &step)) {
    return 0;
  }
  if (op_of(m, end_id) == 128 && is_same(m, first_id, definition(m, end_id)[3])) {
    end_id = definition(m, end_id)[4]; /* from x to x + end */
  } else if (!evaluate(m, first_id, &first)) {
    first = 0; /* the number of one of those that share the rounds */
  }
  if (!evaluate(m, end_id, &end)) {
    return 0;
  }
  while ((condition == 176 ? first < end : first > end) && rounds < 65536) {
    const uint32_t before = first;
    first = after(op_of(m, step_id), first, step);
    rounds = first == before ? 65536 : rounds + 1;
  }
  return rounds < 65536 ? rounds : 0;
}

static void add_needs(needs *to, const needs *more, double times) {
  size_t i;
  to->read += times * more->read;
  to->written += times * more->written;
  to->shared_read += times * more->shared_read;
  to->shared_written += times * more->shared_written;
  to->multiply_adds += times * more->multiply_adds;
  to->others += times * more->others;
  to->matrix_adds += times * more->matrix_adds;
  for (i = 0; i < LEVELS; i++) {
    to->integers[i] += times * more->integers[i];
  }
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

/* The variable that a pointer points into. */
static uint32_t variable_of(const module *m, uint32_t pointer) {
  while (op_of(m, pointer) == 65) {
    pointer = definition(m, pointer)[3];
  }
  return op_of(m, pointer) == 55 ? m->variable[pointer] : pointer;
}

static bool is_local(const module *m, uint32_t variable) {
  return op_of(m, variable) == 59 &&
         (definition(m, variable)[3] == 6 || definition(m, variable)[3] == 7);
}

static uint8_t most(uint8_t a, uint8_t b) {
  return a > b ? a : b;
}

/* How often an instruction's operands change. */
static uint8_t level_of_operands(const module *m, const uint32_t *w) {
  const uint32_t op = w[0] & 0xffff;
  const uint32_t end = op == 81 || op == 61 ? 4 : op == 79 ? 5 : w[0] >> 16;
  uint32_t i;
  uint8_t level = 0;
  for (i = op == 12 ? 5 : 3; i < end; i++) {
    level = most(level, w[i] < m->words[3] ? m->level[w[i]] : 0);
  }
  return level;
}

static bool is_constant(const module *m, uint32_t id, uint32_t value) {
  return op_of(m, id) == 43 && definition(m, id)[3] == value;
}

/* x 0, x % 1 and the like are known, whatever x is. */
static bool is_known(const module *m, const uint32_t *w) {
  const uint32_t op = w[0] & 0xffff;
  return ((op == 132 || op == 199) && (is_constant(m, w[3], 0) || is_constant(m, w[4], 0))) ||
         (op == 137 && is_constant(m, w[4], 1)) ||
         ((op == 134 || op == 137) && is_constant(m, w[3], 0));
}

/* x 1, x / 1, x + 0 and the like are x. */
static bool is_identity(const module *m, const uint32_t *w) {
  const uint32_t op = w[0] & 0xffff;
  return (op == 132 && (is_constant(m, w[3], 1) || is_constant(m, w[4], 1))) ||
         (op == 134 && is_constant(m, w[4], 1)) ||
         ((op == 128 || op == 197) && (is_constant(m, w[3], 0) || is_constant(m, w[4], 0))) ||
         ((op == 130 || op == 194 || op == 196) && is_constant(m, w[4], 0));
}

/* Notes how often a value changes that an instruction makes or stores. */
static void note_level(module *m, size_t at) {
  const uint32_t *w = m->words + at, op = op_at(m, at);
  if (op == 61) {
    const uint32_t variable = variable_of(m, w[3]), storage = storage_of(m, w[3]);
    m->level[w[2]] = is_local(m, variable)           ? most(m->level[variable], m->level[w[3]])
                     : storage == 4 || storage == 12 ? (uint8_t)m->depth
                                                     : 1;
  } else if (op == 62) {
    const uint32_t variable = variable_of(m, w[1]);
    m->stored[variable] = m->stored[variable] > 0 ? m->stored[variable] : at;
    m->level[variable] = most(m->level[variable], m->level[w[2]]);
    if (m->stored[variable] < m->parted) { /* it may keep what it had */
      m->level[variable] = most(m->level[variable], m->parted_by);
    }
  } else if (op == 65) { /* that of its indices */
    uint32_t i;
    m->level[w[2]] = op_of(m, w[3]) == 65 ? m->level[w[3]] : 0;
    for (i = 4; i < w[0] >> 16; i++) {
      m->level[w[2]] = most(m->level[w[2]], m->level[w[i]]);
    }
  } else if (op == 59) {
    m->level[w[2]] = 0;
    m->stored[w[2]] = 0;
  } else if (op == 254) {
    m->returned = most(m->returned, most(m->level[w[1]], m->parted_by));
  } else if (result_word(op) == 2 && op != 57 && op != 55 && op != 54) {
    m->level[w[2]] = is_of_integers(m, w) && is_known(m, w) ? 0 : level_of_operands(m, w);
  }
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
    n->matrix_adds += matrix_products(m, w);
  } else if (op == 12 && (w[4] == 37 || w[4] == 40)) { /* smallest and largest */
    n->others += components(m, w[1]);
  } else if (op == 129 || op == 131 || op == 133 || op == 136) {
    n->others += components(m, w[1]);
  } else if (is_of_integers(m, w) && m->level[w[2]] > 0 && !is_identity(m, w)) {
    n->integers[m->level[w[2]]] += components(m, w[1]);
  }
}

/* Has a loop more to do than another: matrices, multiply-adds, reads? */
static bool is_more(const needs *a, const needs *b) {
  return a->matrix_adds != b->matrix_adds       ? a->matrix_adds > b->matrix_adds
         : a->multiply_adds != b->multiply_adds ? a->multiply_adds > b->multiply_adds
                                                : a->read > b->read;
}

/* Takes what a loop needs that runs for as long as there is work. */
static void take_loop(module *m, size_t function, size_t at, needs inside) {
  size_t i;
  memset(inside.integers, 0, m->depth * sizeof inside.integers[0]); /* before it */
  if (m->of->is == WHOLE) {
    for (i = 0; i < m->loop_count; i++) {
      if (m->loops[i] == at) {
        return;
      }
    }
    m->loops[m->loop_count++ % 32] = at;
    add_needs(&m->best, &inside, 1);
  } else if (m->best_at == 0 || is_more(&inside, &m->best)) {
    m->best = inside;
  } else {
    return;
  }
  m->best_at = at;
  m->best_function = function;
}

/* Is a variable read in a part of a function before it is written there? */
static bool carries(const module *m, size_t from, size_t to, uint32_t variable) {
  for (; from < to; from += m->words[from] >> 16) {
    if (op_at(m, from) == 61 && variable_of(m, m->words[from + 3]) == variable) {
      return true;
    }
    if (op_at(m, from) == 62 && m->words[from + 1] == variable) {
      return false;
    }
  }
  return false;
}

/* What a loop reads and has written in the round before changes with its rounds. */
static void note_carried(module *m, size_t from, size_t to) {
  size_t at;
  for (at = from; at < to; at += m->words[at] >> 16) {
    if (op_at(m, at) == 62) {
      const uint32_t variable = variable_of(m, m->words[at + 1]);
      if (is_local(m, variable) && carries(m, from, to, variable)) {
        m->level[variable] = (uint8_t)m->depth;
      }
    }
  }
}

static needs needs_of_call(module *m, const uint32_t *call);
static needs needs_between(module *m, size_t function, size_t at, size_t to);

/* A loop, by its rounds: it is read twice, since only then it is known what changes. */
static needs needs_of_loop(module *m, size_t function, size_t at, size_t behind) {
  const uint32_t rounds = rounds_of(m, function, at);
  const size_t body = at + (m->words[at] >> 16);
  const bool settling = m->settling;
  const uint32_t depth = m->depth;
  needs inside, n = WEBNN_ZERO;
  m->depth += rounds == 0 && depth < LEVELS - 1;
  if (rounds == 0 || m->words[at + 3] == 2) { /* it stays a loop */
    note_carried(m, at, behind);
  }
  m->settling = true;
  (void)needs_between(m, function, body, behind);
  m->settling = settling;
  inside = needs_between(m, function, body, behind);
  if (rounds == 0 && !settling) {
    take_loop(m, function, at, inside);
  }
  m->depth = depth;
  add_needs(&n, &inside, rounds == 0 ? 1 : rounds);
  return n;
}

/* Ways that part, by a condition that the next instruction has. */
static needs needs_of_ways(module *m, size_t function, size_t at, size_t behind) {
  const size_t parted = m->parted, branch = at + (m->words[at] >> 16);
  const uint8_t parted_by = m->parted_by;
  needs n;
  m->parted = at;
  m->parted_by = most(parted_by, m->level[m->words[branch + 1]]);
  n = needs_between(m, function, branch, behind);
  m->parted = parted;
  m->parted_by = parted_by;
  return n;
}

/* What stands between two places of a function. All sides of ways that part are counted, as if
   they were all gone. */
static needs needs_between(module *m, size_t function, size_t at, size_t to) {
  needs n = WEBNN_ZERO;
  while (at < to) {
    const uint32_t op = op_at(m, at);
    if (op == 246 || op == 247) {
      const size_t behind = find_label(m, at, m->words[at + 1]);
      const needs inside = op == 246 ? needs_of_loop(m, function, at, behind)
                                     : needs_of_ways(m, function, at, behind);
      add_needs(&n, &inside, 1);
      at = behind;
      continue;
    }
    if (op == 57) {
      const needs called = needs_of_call(m, m->words + at);
      add_needs(&n, &called, 1);
    } else {
      note_level(m, at);
      count_instruction(m, at, &n);
    }
    at += m->words[at] >> 16;
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

/* Of a function with these arguments. */
static needs needs_of_call(module *m, const uint32_t *call) {
  const size_t parted = m->parted;
  const uint8_t parted_by = m->parted_by, returned = m->returned;
  size_t at = m->defined[call[3]];
  uint32_t i;
  needs n;
  for (i = 4; i < call[0] >> 16; i++) {
    at += m->words[at] >> 16;
    m->level[m->words[at + 2]] = m->level[call[i]];
    m->variable[m->words[at + 2]] = variable_of(m, call[i]);
  }
  m->parted = 0;
  m->returned = 0;
  n = needs_of_function(m, call[3]);
  m->level[call[2]] = m->returned;
  m->returned = returned;
  m->parted = parted;
  m->parted_by = parted_by;
  return n;
}

static bool uses(const module *m, size_t from, size_t to, uint32_t variable) {
  for (; from < to; from += m->words[from] >> 16) {
    const uint32_t op = op_at(m, from), length = m->words[from] >> 16;
    const bool stores = op == 62 || op == 4458;
    const bool others = op == 61 || op == 65 || op == 4457 || op == 57;
    const uint32_t end = stores ? 2 : others ? length : 0;
    uint32_t i;
    for (i = stores ? 1 : 3; i < end; i++) {
      if (m->words[from + i] == variable) {
        return true;
      }
    }
  }
  return false;
}

/* The 32-bit words that an invocation keeps through all rounds of its loop: variables that are used
   in it and outside of it, and those of the module, such as the elements of a row. */
static double held_words(const module *m) {
  const size_t begin = m->best_function, loop = m->best_at;
  const size_t behind = loop > 0 ? find_label(m, loop, m->words[loop + 1]) : 0;
  size_t end = behind, at;
  double words = 0;
  while (loop > 0 && op_at(m, end) != 56) {
    end += m->words[end] >> 16;
  }
  for (at = 5; at < m->count; at += m->words[at] >> 16) {
    const uint32_t *w = m->words + at;
    if (op_at(m, at) == 59 &&
        (w[3] == 6 || (at > begin && at < end && uses(m, loop, behind, w[2]) &&
                       (uses(m, begin, loop, w[2]) || uses(m, behind, end, w[2]))))) {
      const double size = size_of_type(m, definition(m, w[1])[3]);
      words += size < 4 ? 1 : size / 4;
    }
  }
  return words;
}

/* One for each id. */
static void *zeros(const module *m, size_t size) {
  void *items = test_allocate(m->words[3] * size);
  memset(items, 0, m->words[3] * size);
  return items;
}

/* Reads a module: where ids are defined, its workgroup and shared memory, and what its loop needs.
   */
static needs read_module(module *m) {
  uint32_t entry = 0;
  needs all;
  size_t at;
  m->defined = (size_t *)zeros(m, sizeof *m->defined);
  m->level = (uint8_t *)zeros(m, sizeof *m->level);
  m->variable = (uint32_t *)zeros(m, sizeof *m->variable);
  m->stored = (size_t *)zeros(m, sizeof *m->stored);
  m->depth = 1;
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
  m->held = held_words(m);
  free(m->defined);
  free(m->level);
  free(m->variable);
  free(m->stored);
  return m->best_at > 0 ? m->best : all;
}

/* ---- Devices ---- */

typedef struct device {
  const char *name;
  /* a second: bytes; float32; by matrices of float16 and of bytes; bytes */
  double memory, multiply_adds, half_adds, byte_adds, shared;
  double threads, shared_bytes; /* of a unit that runs workgroups */
} device;

/* vulkan.md says where these numbers are from. Shared memory gives 4 bytes for each multiply-add
   that can be begun at a time: 128 bytes a clock for 32 banks. Integers are begun half as fast. */
static const device devices[] = {
    {"H100", 3.35e12, 33.5e12, 494e12, 989e12, 33.5e12, 2048, 233472},
    {"RTX 4090", 1.008e12, 41.3e12, 82.6e12, 330e12, 41.3e12, 1536, 102400},
    {"RX 7900 XTX", 0.96e12, 30.7e12, 61.4e12, 61.4e12, 30.7e12, 1024, 65536},
    {"Adreno 740", 0.064e12, 1.05e12, 0, 0, 1.05e12, 1024, 32768}};

static double integers_of(const needs *n) {
  double sum = 0;
  size_t i;
  for (i = 1; i < LEVELS; i++) {
    sum += n->integers[i];
  }
  return sum;
}

/* "memory / shared memory / floats / integers", in percent of what takes longest. */
static void print_share(char *to, size_t room, const module *m, const needs *n, const device *d) {
  const double memory = (n->read + n->written) / d->memory;
  const double shared = (n->shared_read + n->shared_written) / d->shared;
  const double matrix_adds = m->of->matrices == 8 ? d->byte_adds : d->half_adds;
  const double arithmetic = m->of->matrices ? n->multiply_adds / matrix_adds
                                            : (n->multiply_adds + n->others) / d->multiply_adds;
  const double integers = integers_of(n) / (d->multiply_adds / 2);
  double longest = memory > shared ? memory : shared;
  longest = longest > arithmetic ? longest : arithmetic;
  longest = longest > integers ? longest : integers;
  if (m->of->matrices && matrix_adds == 0) {
    snprintf(to, room, "none");
  } else {
    snprintf(to, room, "%.0f / %.0f / %.0f / %.0f", 100 * memory / longest, 100 * shared / longest,
             100 * arithmetic / longest, 100 * integers / longest);
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
  const double integers = integers_of(n);
  char line[512], each[32] = "";
  if (n->multiply_adds > 0) {
    snprintf(each, sizeof each, " %.2f", integers / n->multiply_adds);
  }
  snprintf(line, sizeof line,
           "| %s | %s | %.0f + %.0f | %.0f + %.0f | %.0f + %.0f | %.0f | %.1f |%s | %u | %u |\n",
           m->of->title, m->of->of, n->read, n->written, n->shared_read, n->shared_written,
           n->multiply_adds, n->others, integers, 4 * integers / (n->read + n->written), each,
           m->local, m->shared_bytes);
  put(m->of->title, line);
}

/* What registers leave of the invocations at a time on a unit of an H100: it has 65,536 and gives
   eight at a time. */
static void put_registers(const module *m) {
  const uint32_t registers = (m->of->registers + 7) / 8 * 8;
  char line[512];
  if (registers > 0) {
    const double by_registers = floor(65536.0 / registers / m->local) * m->local;
    const double others = in_flight(m, &devices[0]);
    snprintf(line, sizeof line, "| %s | %.0f | %u | %.0f |\n", m->of->title, m->held,
             m->of->registers, by_registers < others ? by_registers : others);
  } else {
    snprintf(line, sizeof line, "| %s | %.0f | | |\n", m->of->title, m->held);
  }
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

typedef enum part { NEEDS, SHARES, REGISTERS, TEXTS, PARTS } part;

/* A line of a table for the kernel, or its text. */
static void put_subject(webnn_context *context, const subject *s, part what) {
  module m = WEBNN_ZERO;
  needs n;
  if ((what == TEXTS && s->is != PRINTED) || !find_kernel(context, s)) {
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
  } else if (what == REGISTERS) {
    put_registers(&m);
  } else {
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
